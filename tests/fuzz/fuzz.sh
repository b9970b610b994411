#!/bin/sh
# Fuzz the targets, each for so many seconds: with libFuzzer those in C beside this file, half of that time in float and half in
# double, image half of each with barrier contact, whose images have another layout; and with models.py the tools of the kit
# (robots: robot.py, meshes: mesh.py).
#   fuzz.sh SECONDS CC [target...]   the seed is printed; FUZZ_SEED=N gives one, FUZZ_REALS="FLOAT" that precision alone
#   fuzz.sh corpus CC                only the inputs of tests/fuzz/corpus, under the sanitizers, in both precisions
#   fuzz.sh merge CC [target...]     a corpus of few small inputs that reach as much
# libFuzzer begins with the corpus; what is found is kept in build/fuzz, and the next run begins from there.  A failing input is
# made smaller.  Once a fault is mended its input goes into tests/fuzz/corpus under a name that says what it was.  FUZZ_TRACE=1
# in the environment prints the calls that an input makes.
mode=${1:-60} cc=${2:-cc}
[ $# -gt 2 ] && shift 2 || set -- api image problem barrier kit derive robot motion robots meshes
reals=${FUZZ_REALS:-FLOAT DOUBLE}
sanitize=address,undefined,float-cast-overflow,implicit-integer-truncation,implicit-integer-sign-change
flags="-std=c99 -g -ffp-contract=off -fno-sanitize-recover=all -I. -Iexamples/kit -Itests -Itests/harness"
out=build/fuzz passed=0 failed=0 skipped=0
seed=${FUZZ_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
mkdir -p $out/found

# clang_with SANITIZERS: the first clang that links with them
clang_with() {
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n); int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }
#ifndef FUZZER
int main(void) { return 0; }
#endif' > $out/try.c
    for name in ${CLANG:-clang clang-19 clang-14}; do
        if $name $2 -fsanitize=$1 $out/try.c -o $out/try > $out/try.txt 2>&1; then
            echo "$name"
            return
        fi
    done
}

say() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}

finish() {
    echo "fuzz: $passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ]
    exit
}

# The programs that `make test` has, with the sanitizers; without optimisation they are built in a sixth of the time
corpus() {
    clang=$(clang_with $sanitize)
    for program in test_fuzz test_fuzz_barrier test_fuzz_kit; do
        for real in $reals; do
            if [ -z "$clang" ]; then
                skip "the corpus in $program, $real: no clang with sanitizers"
                continue
            fi
            file=$out/${program}_$real
            if ! $clang $flags -O0 -fsanitize=$sanitize -DNSC_$real tests/fuzz/$program.c -o $file -lm; then
                say "$program in $real does not build"
                continue
            fi
            if $file > $file.txt 2>&1 && grep -q "^$program: [1-9]" $file.txt; then passed=$((passed + 1)); else
                say "$program in $real: $(grep -m 1 -E 'SUMMARY|does not hold|FAILED' $file.txt) $file.txt"
                tail -5 $file.txt
            fi
            grep inputs $file.txt | tr '\n' ' '
            echo "in $real"
        done
    done
    finish
}

# smaller PROGRAM INPUT: what libFuzzer makes of it in 30 s
smaller() {
    $1 -seed=$seed -minimize_crash=1 -max_total_time=30 -timeout=20 -exact_artifact_path="$2.min" "$2" > $1.min.txt 2>&1
    small=$2
    [ -s "$2.min" ] && small=$2.min
    echo "        $(wc -c < "$small") bytes: $small"
}

# fuzz TARGET REAL SHARE [FLAG]: for a SHARE-th of the time
fuzz() {
    name=$1_$2${4:+_barrier} what="$1 in $2${4:+ with $4}"
    program=$out/$name
    echo "== $what, $clang, FUZZ_SEED=$seed"
    if ! $clang $flags -O1 -fsanitize=fuzzer,$sanitize -DNSC_$2 $4 tests/fuzz/$1.c -o $program -lm; then
        say "$what does not build"
        return
    fi
    mkdir -p $out/$1_inputs
    [ "$mode" = merge ] && return
    $program -seed=$seed -max_len=400 -timeout=20 -rss_limit_mb=1000 -print_final_stats=1 -max_total_time=$(((mode + $3 - 1) / $3)) \
        -artifact_prefix=$out/found/${name}_ $out/$1_inputs tests/fuzz/corpus/$1 $more > $program.txt 2>&1
    code=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' $program.txt)
    if [ $code != 0 ]; then
        say "$what, FUZZ_SEED=$seed"
        grep -E 'does not hold|runtime error|ERROR|written to' $program.txt | sed 's/^/        /'
        input=$(sed -n 's/.*Test unit written to //p' $program.txt | tail -1)
        [ -f "$input" ] && smaller $program "$input"
    elif [ "${runs:-0}" -gt 0 ]; then passed=$((passed + 1)); else
        say "$what ran no input: $program.txt"
    fi
    grep -E 'DONE|number_of_executed' $program.txt
}

merge() {
    rm -rf $out/$1_small
    mkdir -p $out/$1_small
    $out/$1_FLOAT -merge=1 -max_len=400 $out/$1_small tests/fuzz/corpus/$1 $more $out/$1_inputs > $out/merge.txt 2>&1
    echo "$(ls $out/$1_small | wc -l) inputs in $out/$1_small"
}

# models TARGET: a tool of the kit
models() {
    echo "== $1, FUZZ_SEED=$seed"
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 7))' 2> /dev/null; then
        skip "$1: no python3 of 3.7 or later"
    elif python3 tests/fuzz/models.py $1 --seed $seed --seconds "$mode" --cc "$cc" > $out/$1.txt; then passed=$((passed + 1)); else
        say "$1, FUZZ_SEED=$seed"
    fi
    cat $out/$1.txt
}

[ "$mode" = corpus ] && corpus
clang=$(clang_with fuzzer,$sanitize -DFUZZER)
for target in "$@"; do
    more=
    [ $target = barrier ] && more=tests/fuzz/corpus/api # the same calls
    if [ $target = robots ] || [ $target = meshes ]; then
        [ "$mode" = merge ] || models $target
    elif [ -z "$clang" ]; then
        for real in $reals; do skip "fuzzing $target in $real: no clang with libFuzzer"; done
    else
        for real in $reals; do
            if [ $target = image ]; then
                fuzz image $real 4
                fuzz image $real 4 -DNSC_BARRIER=1
            else
                fuzz $target $real 2
            fi
        done
        [ "$mode" = merge ] && merge $target
    fi
done
finish
