#!/bin/sh
# Real tosses of a cube beside nsc and the engines that are installed; then the page of known answers.
#   reality.sh DATA [whole]
# CC, CXX: compilers; PEERS: flags that find libraries elsewhere, as -I/opt/mujoco/include -L/opt/mujoco/lib; BOX3D, JOLT: source trees
# of these two, built without their own build
set -u
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc} CXX=${CXX:-c++} PEERS=${PEERS:-} BOX3D=${BOX3D:-} JOLT=${JOLT:-} data=$1 whole=${2:-}
passed=0 failed=0 skipped=0

# told NAME COMMAND...: its output shown and kept in build/tosses_NAME.txt; its own status
told() {
    name=$1
    shift
    { "$@" || echo failed > "build/tosses_$name.failed"; } | tee "build/tosses_$name.txt"
    if [ -f "build/tosses_$name.failed" ]; then
        rm -f "build/tosses_$name.failed"
        return 1
    fi
}

# The least corners at each step, of nsc's own laws and of each other engine
least() {
    printf '\nLeast corners [%% of the width]: published numbers, then fitted, with the setting\n'
    cat build/tosses_*.txt | awk '
        function tell(of, fitted) { return (of, fitted) in least ? sprintf("%6.2f %-18s", least[of, fitted], setting[of, fitted]) : "     - " }
        substr($0, 26, 2) ~ /  / && (substr($0, 28, 9) == "published" || substr($0, 28, 9) == "fitted   ") {
            engine = substr($0, 1, 8); gsub(" ", "", engine)
            name = substr($0, 10, 10); gsub(/ +$/, "", name)
            h = substr($0, 21, 5) + 0; fitted = substr($0, 28, 1) == "f"; corners = substr($0, 78, 7) + 0
            if (engine == "polygon" || engine == "impacts") next
            keys = engine
            if (engine ~ /COULOMB|CONE|PYRAMID|smooth|barrier/) {
                keys = "nsc"
                if (engine == "COULOMB" && name == "SIPGS") keys = "nsc nsc,default"
                else name = engine " " name
            }
            n = split(keys, key, " ")
            for (i = 1; i <= n; i++) {
                of = h SUBSEP key[i]
                if (!(of SUBSEP fitted in least) || corners < least[of, fitted]) { least[of, fitted] = corners; setting[of, fitted] = name }
                if (!(key[i] in seen)) { seen[key[i]] = 1; order[++engines] = key[i] }
            }
            if (!(h in rates)) { rates[h] = 1; rate[++steps] = h }
        }
        END {
            for (s = 1; s <= steps; s++) for (e = 1; e <= engines; e++) {
                of = rate[s] SUBSEP order[e]
                printf "    1/%-5d %-12s %-24s %s\n", rate[s], order[e], tell(of, 0), tell(of, 1)
            }
        }'
}

# peer NAME COMMAND...: built and run, or skipped where it does not build
peer() {
    name=$1
    shift
    if ! "$@" -o "build/tosses_$name" > "build/tosses_$name.log" 2>&1; then
        echo "skipped: no $name (build/tosses_$name.log)"
        skipped=$((skipped + 1))
    elif told "$name" "build/tosses_$name" "$data" $whole; then passed=$((passed + 1))
    else
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
}

# tree NAME VARIABLE TREE COMPILER FILE...: the library of a source tree; 1: there is none
tree() {
    name=$1 variable=$2 tree=$3 compile=$4
    shift 4
    if [ -n "$tree" ] && sh tests/bench/library.sh "build/peers/$name.a" "$tree" "$compile" "$@" > "build/tosses_$name.log" 2>&1; then return 0; fi
    echo "skipped: no $name ($variable=folder of its sources)"
    skipped=$((skipped + 1))
    return 1
}

# Box3D and Jolt, with the flags of tests/bench/bench.sh, which takes the same libraries
from_sources() {
    mkdir -p build/peers
    if tree box3d BOX3D "$BOX3D" "$CC -std=gnu17 -DNDEBUG -O2 -ffp-contract=off -w -I$BOX3D/include" "$BOX3D"/src/*.c; then
        peer box3d $CC -std=gnu17 -O2 tests/reality/tosses_box3d.c -isystem "$BOX3D/include" build/peers/box3d.a -lpthread -lm
    fi
    like="$CXX -std=c++17 -DNDEBUG -fno-rtti -fno-exceptions -O2 -w"
    export HEADER=Jolt/Jolt.h
    # shellcheck disable=SC2046
    if tree jolt JOLT "$JOLT" "$like -I$JOLT" $(find "${JOLT:-.}/Jolt" -name '*.cpp' 2> /dev/null); then
        peer jolt $like tests/reality/tosses_jolt.cpp -isystem "$JOLT" build/peers/jolt.a -lpthread
    fi
}

if ! [ -d "$data/tosses" ]; then
    echo "skipped: no folder $data/tosses"
    skipped=1
elif rm -f build/tosses_*.txt && told nsc build/tosses "$data" $whole; then
    passed=1
    peer mujoco $CC -std=gnu99 -O2 $PEERS tests/reality/tosses_mujoco.c -lmujoco -lm
    peer bullet $CXX -O2 -w $PEERS -I/usr/include/bullet tests/reality/tosses_bullet.cpp -lBulletDynamics -lBulletCollision -lLinearMath
    from_sources
    least
else
    echo "FAILED: build/tosses"
    failed=1
fi
if [ -n "$whole" ]; then
    if build/sides "$data"; then passed=$((passed + 1))
    else failed=$((failed + 1))
    fi
fi
for page in grains_page reality_page texts_page; do
    if "build/$page" > "build/$page.txt"; then passed=$((passed + 1))
    else
        cat "build/$page.txt"
        failed=$((failed + 1))
    fi
done
echo "known answers, with pictures: build/reality.html; residual of each solver over time: build/texts_page.txt, build/solvers.svg"
echo "reality: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
