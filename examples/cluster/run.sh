#!/bin/sh
# Builds sweep.c without and with MPI, and compares: one core, 2 and 4 ranks, a rank that is killed, root killed and started
# again.  WORLDS=1000; the first picture is build/cluster/sweep.svg.  make cluster calls it.  On Debian: openmpi-bin libopenmpi-dev
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/cluster worlds=${WORLDS:-1000}
mkdir -p $out
rm -f $out/*.txt $out/*.svg $out/kept
passed=0 failed=0 skipped=0
flags="-std=c99 -O2 -ffp-contract=off -DNSC_STATIC -I. -Iexamples/kit -Wall -Wextra -Wconversion -Wshadow -Werror"

# check WHAT COMMAND...: one more passed or failed
check() {
    what=$1
    shift
    if "$@"; then echo "ok      $what"; passed=$((passed + 1)); else echo "FAILED  $what"; failed=$((failed + 1)); return 1; fi
}
skip() { echo "skipped $1: $2"; skipped=$((skipped + 1)); }

# ranks N NAME OPTION...: what it prints to NAME.txt, progress and losses to NAME_said.txt.  A rank that dies must not end the others:
# --enable-recovery.  A launcher's exit code after a death says nothing: what counts is what was printed.
recovery=--enable-recovery
ranks() {
    n=$1 name=$2
    shift 2
    timeout 120 mpirun $root --oversubscribe --bind-to none $recovery -np "$n" $out/sweep_mpi --worlds "$worlds" "$@" > "$out/$name.txt" 2> "$out/${name}_said.txt"
}
said() { grep -E '^ *(rank [0-9]+ is|[0-9]+ of .*(lost|before)|[0-9]+ ranks,)' "$out/$1_said.txt"; }
same() { cmp -s "$out/one.txt" "$out/$1.txt" || { cat "$out/$1.txt" "$out/$1_said.txt"; return 1; }; }

alone() {
    $out/sweep --worlds "$worlds" --picture $out/sweep.svg > $out/one.txt 2> $out/one_said.txt
    code=$?
    cat $out/one_said.txt $out/one.txt
    [ $code = 0 ] && grep -q "worlds, .* s to go" $out/one_said.txt && grep -q '</svg>' $out/sweep.svg
}
some() { ranks "$1" "ranks$1" --picture "$out/ranks$1.svg"; same "ranks$1" && said "ranks$1" && cmp -s $out/sweep.svg "$out/ranks$1.svg"; }
dies() { ranks 4 dies --timeout 2 --kill 2; same dies && said dies && grep -q 'rank 2 is lost.*worlds .* are done again' $out/dies_said.txt; }
# Most launchers end all when a rank dies, and nothing helps when root does: start again, with what was kept.
root_dies() {
    recovery=
    ranks 3 root --kill 0 --keep $out/kept
    recovery=--enable-recovery
    grep -q '^hash' $out/root.txt && return 1
    grep -o 'process rank 0 .*signal 9.*' $out/root_said.txt || grep -o 'exit.*' $out/root_said.txt | head -1
    ranks 3 again --keep $out/kept
    same again && said again && grep -q 'worlds were done before' $out/again_said.txt
}
# A file of which a byte is damaged: what comes after it is done again.
damaged() {
    printf 'x' | dd of=$out/kept bs=1 seek=28000 conv=notrunc 2> /dev/null
    $out/sweep --worlds "$worlds" --keep $out/kept > $out/damaged.txt 2> $out/damaged_said.txt
    same damaged && said damaged && [ "$(grep -c ' 870 of .* were done before' $out/damaged_said.txt)" = 1 ]
}

if check "sweep.c builds without MPI" ${CC:-cc} $flags examples/cluster/sweep.c -o $out/sweep -lm; then
    check "one core" alone
fi
if ! command -v mpicc > /dev/null || ! command -v mpirun > /dev/null; then
    skip "MPI" "no mpicc or no mpirun"
elif ! mpirun --version 2>&1 | grep -q 'Open MPI'; then
    skip "MPI" "mpirun is not Open MPI's, whose options this script knows"
elif check "sweep.c builds with MPI" mpicc -DUSE_MPI $flags examples/cluster/sweep.c -o $out/sweep_mpi -lm; then
    root=
    [ "$(id -u)" = 0 ] && root=--allow-run-as-root
    check "2 ranks: same results, hash and picture" some 2
    check "4 ranks: same results, hash and picture" some 4
    check "rank 2 of 4 dies: named, its share done again, same results" dies
    check "root dies: started again, it does only the rest, same results" root_dies
    check "a damaged file of results: the rest is done again" damaged
fi
echo "cluster: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
