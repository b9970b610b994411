#!/bin/sh
# Time and accuracy of nsc, and of other engines beside it; instruction counts against counts.txt.
#   bench.sh run | peers     every scene and setting: build/bench.csv, tables, build/pareto.svg
#   peers: BOX3D=dir and JOLT=dir are the source trees of these two; the others are what is installed
#   bench.sh curve           a step of more and more bodies, beside the peers that were built
#   bench.sh check | accept  instructions of a step, counted by callgrind: +0.5 % fails; accept writes them down
# SCENES="..." SETTINGS="sipgs solver=bb+substeps=2 ..." choose; BUDGET=10 seconds a pass, REPS, CPU=1 to pin to;
# COUNT=1: instructions a step as well; THREADS=2: of those that can, with so many threads, by the clock on the wall;
# MACHINE=-march=x86-64-v3: all engines that are built here for such a processor
set -u
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc} CXX=${CXX:-c++} BOX3D=${BOX3D:-} JOLT=${JOLT:-} BUDGET=${BUDGET:-10} REPS=${REPS:-0} COUNT=${COUNT:-}
THREADS=${THREADS:-1} MACHINE=${MACHINE:-}
out=$PWD/build/bench csv=build/bench.csv action=${1:-run}
skipped=0
mkdir -p $out
compiler=$($CC --version 2>/dev/null | head -n 1)

# counted PROGRAM SETTING SCENE STEPS: instructions a step over the last 40 %
counted() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=bench_counted_step --main-stacksize=100000000 \
        "$1" --count "$4" --setting "$2" --scene "$3" > $out/count.log 2>&1 < /dev/null
    awk '/^counted / { n = $2 } / Collected : / { i = $NF } END { if (n > 0 && i > 0) printf "%.0f\n", i / n }' $out/count.log
}

# one scene a line: its name and the steps that take seconds
scenes_counted='S1_stack10 240
S2_pyramid210 30
S3_pile64 200
S4_heavy 60
S6_chain30 120
quadruped 120'

if [ "$action" = check ] || [ "$action" = accept ]; then
    file=tests/bench/counts.txt passed=0 failed=0
    known=$(head -n 1 $file 2>/dev/null)
    if ! command -v valgrind > /dev/null 2>&1; then
        echo "skipped: no valgrind"; echo "bench-check: 0 passed, 0 failed, 1 skipped"; exit 0
    fi
    if [ "$action" = check ] && [ "$known" != "$compiler" ]; then
        echo "skipped: counts are of \"$known\", this is \"$compiler\""; echo "bench-check: 0 passed, 0 failed, 1 skipped"; exit 0
    fi
    echo "$compiler" > $out/counts.txt
    while read -r scene steps; do
        n=$(counted $out/nsc_float sipgs "$scene" "$steps")
        echo "$scene $steps ${n:-0}" >> $out/counts.txt
        was=$(awk -v s="$scene" -v k="$steps" '$1 == s && $2 == k { print $3 }' $file 2>/dev/null)
        verdict=$(awk -v n="${n:-0}" -v w="${was:-0}" \
            'BEGIN { print (n == 0 || w == 0 || n > 1.005 * w ? "FAILED" : n < w ? "lower" : "ok") }')
        [ "$action" = accept ] && [ -n "$n" ] && verdict=accepted
        if [ "$verdict" = FAILED ]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
        awk -v s="$scene" -v n="${n:-0}" -v w="${was:-0}" -v v="$verdict" \
            'BEGIN { printf "%s: %-14s %12d instructions a step, written down %12d  %+.2f %%\n", v, s, n, w, w ? 100 * (n / w - 1) : 0 }'
    done <<END
$scenes_counted
END
    [ "$action" = accept ] && [ $failed = 0 ] && cp $out/counts.txt $file
    echo "bench-check: $passed passed, $failed failed, 0 skipped"
    [ $failed = 0 ]
    exit
fi

# peer NAME COMPILER SOURCE LIBRARY...: built, or skipped by name
peer() {
    name=$1 compile=$2 source=$3
    shift 3
    # the words of $MACHINE are flags
    # shellcheck disable=SC2086
    if $compile -O3 $MACHINE -Wall -Wextra "$source" -o $out/"$name" "$@" -lm > $out/"$name".log 2>&1; then programs="$programs $name"
    else echo "skipped: $name, does not build here ($out/$name.log)"; skipped=$((skipped + 1)); fi
}
# from_sources NAME VARIABLE TREE "COMPILER AND FLAGS" FILE...: its library out of a source tree
from_sources() {
    name=$1 variable=$2 tree=$3 compile=$4
    shift 4
    if [ -z "$tree" ]; then
        echo "skipped: $name, no $variable=dir"
    elif sh tests/bench/library.sh build/peers/"$name".a "$tree" "$compile" "$@" > $out/"$name".log 2>&1; then
        return 0
    else
        echo "skipped: $name, its sources do not build here ($out/$name.log)"
    fi
    skipped=$((skipped + 1))
    return 1
}
flags() { pkg-config --cflags --libs "$1" 2>/dev/null | sed 's/-I/-isystem /g'; } # their warnings are not ours

programs="nsc_float nsc_double"
[ "$THREADS" = 1 ] || programs=nsc_threads
if [ "$action" = peers ] && [ "$THREADS" = 1 ]; then
    # the words are flags
    # shellcheck disable=SC2046
    {
        peer ode "$CC -std=gnu99" tests/bench/ode.c $(flags ode) -lode
        peer bullet_float "$CXX" tests/bench/bullet.cpp $(flags bullet)
        peer bullet_double "$CXX" tests/bench/bullet.cpp $(flags bullet-float64)
        peer mujoco "$CC -std=gnu99" tests/bench/mujoco.c -lmujoco
    }
fi
if [ "$action" = peers ]; then
    mkdir -p build/peers
    like="$CC -std=gnu17 -DNDEBUG $MACHINE"
    from_sources box3d BOX3D "$BOX3D" "$like -O2 -ffp-contract=off -w -I$BOX3D/include" "$BOX3D"/src/*.c &&
        peer box3d "$like" tests/bench/box3d.c -isystem "$BOX3D"/include build/peers/box3d.a -lpthread
    like="$CXX -std=c++17 -DNDEBUG -fno-rtti -fno-exceptions $MACHINE"
    export HEADER=Jolt/Jolt.h
    # shellcheck disable=SC2046
    from_sources jolt JOLT "$JOLT" "$like -O2 -w -I$JOLT" $(find "${JOLT:-.}/Jolt" -name '*.cpp' 2> /dev/null) &&
        peer jolt "$like" tests/bench/jolt.cpp -isystem "$JOLT" build/peers/jolt.a -lpthread
fi
pin=
[ "$THREADS" = 1 ] && command -v taskset > /dev/null 2>&1 && pin="taskset -c ${CPU:-$(($(getconf _NPROCESSORS_ONLN) - 1))}"
limit=
command -v timeout > /dev/null 2>&1 && limit="timeout $((BUDGET * 12 + 60))"
ulimit -s unlimited 2>/dev/null # ODE keeps its matrices there
if [ "$action" = curve ]; then # of each engine the setting that is exact and not slow; ! marks what fell or crept by more than allowed
    echo
    printf '%-22s' "pyramid, us and error"
    for n in 10 30 100 300 1000 4000; do printf ' %19s' "$n bodies"; done
    echo
    for run in nsc_float:sipgs-1e-4 nsc_float:sipgs10 box3d:sub4-stiff jolt:10+2 bullet_float:10 ode:quick20 mujoco:cg; do
        p=${run%%:*} setting=${run#*:}
        if [ ! -x $out/"$p" ]; then echo "skipped: $p was not built (make bench-peers)"; continue; fi
        $out/"$p" --list | tr ' ' '\n' | grep -qxF "$setting" || setting=$($out/"$p" --list | awk '{ print $1; exit }')
        printf '%-22s' "$p $setting"
        for n in 10 30 100 300 1000 4000; do
            (cd $out && $limit $pin ./"$p" --scene S2_pyramid$n --setting "$setting" --budget "${CURVE_BUDGET:-4}" --reps 1 2> /dev/null) |
                awk -F, -v scene=S2_pyramid$n '$3 == scene && !n++ { printf " %8.1f us %5.2f mm%s", $6, 1000 * $16, $4 == "yes" ? " " : "!" }
                    END { if (!n) printf " %19s", "-" }'
        done
        echo
    done
    exit
fi
echo "$compiler; $(for p in $programs; do $out/"$p" --flags; done | tr '\n' ';')"
$out/nsc_float --header > $csv
for scene in ${SCENES:-$($out/nsc_float --scenes)}; do
    echo "$scene ..." >&2
    these=$programs
    [ "$THREADS" = 1 ] && case $scene in # as an expert would build nsc for this scene
        S10*) these="nsc_small ${programs#nsc_float nsc_double}" ;;
        *fall*) these="nsc_look $programs" ;;
    esac
    for p in $these; do
        engine=$($out/"$p" --flags | cut -d: -f1)
        list=$($out/"$p" --list)
        [ "${p#nsc}" = "$p" ] || list="$list $(echo "${SETTINGS:-}" | tr ' ' '\n' | grep =)" # nsc's may be written out
        for setting in $list; do
            case " ${SETTINGS:-$setting} " in *" $setting "*) ;; *) continue ;; esac
            line=$(cd $out && $limit $pin ./"$p" --scene "$scene" --setting "$setting" \
                --budget "$BUDGET" --reps "$REPS" $([ "$THREADS" = 1 ] || echo --threads "$THREADS") 2> "$p".err < /dev/null)
            [ -n "$line" ] || line="$engine,$setting,$scene,no,,,,,,,,,,,,,,,,,,,,,,crashed or out of time"
            if [ -n "$COUNT" ]; then
                case $scene in S2*) steps=100 ;; S3*) steps=300 ;; *) steps=1200 ;; esac
                n=$(echo "$line" | awk -F, -v k=$steps '$4 == "yes" && $8 * k < 5e5') # half a second without callgrind
                [ -n "$n" ] && n=$(counted $out/"$p" "$setting" "$scene" $steps)
                line=$(echo "$line" | awk -F, -v OFS=, -v n="$n" '{ $25 = n; print }')
            fi
            echo "$line" >> $csv
        done
    done
done
$out/report $csv build/pareto.svg
[ $skipped = 0 ] || echo "bench: $skipped engines skipped"
