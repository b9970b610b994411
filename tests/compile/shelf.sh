#!/bin/sh
# Each file of the shelf alone: the two headers, that file and what its first lines name, in an empty folder, compiled with
# all warnings as errors in C99 and C++11, and run; without the file, the error that names it; a part included by hand, the
# error that says how it is asked for.
# usage: shelf.sh [CC [CXX]]
cd "$(dirname "$0")/../.." || exit 1
CC=${1:-cc} CXX=${2:-c++}
D=$(mktemp -d) || exit 1
trap 'rm -rf "$D"' EXIT
warn="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-conversion -Wshadow -Wundef
      -Wcast-qual -Wvla -Werror -ffp-contract=off"
arena="-DNSC_ARENA=NSC_ARENA_APGD(3*NSC_MAX_BLOCKS)"
passed=0 failed=0

# file | flags that ask for it.  What is to be included after nsc.h has none, what comes before it "before".
shelf() {
    cat << END
- | $arena -DSOLVE=nsc_solve_apgd
joints | -DNSC_MAX_JOINTS=4
springs | -DNSC_MAX_SPRINGS=2
rows | -DNSC_MAX_ROWS=2
forces | -DNSC_MAX_FORCES=1
convex | -DNSC_CONVEX=1
convex | -DNSC_HULL_VERTICES=16
terrain | -DNSC_TERRAIN=1
mesh | -DNSC_MESHES=1
smooth | -DNSC_SMOOTH=1
steppers | -DNSC_STEPPERS=1
barrier | -DNSC_BARRIER=1 -DNSC_SMOOTH=1 -DNSC_STEPPERS=1
locks | -DNSC_LOCKS=1
belts | -DNSC_BELTS=1
seams | -DNSC_SEAMS=1
far | -DNSC_FAR=1
words | -DNSC_WORDS=1
rolling | -DNSC_MAX_ROLLING=8
strips | -DNSC_STRIPS=1 -DNSC_MAX_SHAPES=64
cores | -DNSC_PARALLEL=1
imu | -DNSC_IMU=1
short | -DNSC_SHORT_BLOCKS=1
second_look | -DNSC_SECOND_LOOK=1
lanes | -O1 -DNSC_LANES=1
waves | -DNSC_WAVES=1 -DNSC_ARENA=NSC_ARENA_WAVES(NSC_MAX_BODIES,NSC_MAX_BLOCKS)
bb | before $arena -DSOLVE=nsc_solve_bb
newton | before -DNSC_ARENA=NSC_ARENA_NEWTON(NSC_MAX_BODIES,3*NSC_MAX_BLOCKS) -DSOLVE=nsc_solve_newton
admm | before -DNSC_ARENA=NSC_ARENA_ADMM(NSC_MAX_BODIES,3*NSC_MAX_BLOCKS) -DSOLVE=nsc_solve_admm
auto | before $arena -DSOLVE=nsc_solve_auto
minres | before $arena
tree | before -DNSC_ARENA=NSC_ARENA_TREE(NSC_MAX_BODIES,3*NSC_MAX_BLOCKS,48) -DSOLVE=nsc_solve_tree
image |
pose |
print |
problem |
sense |
touch |
draw |
hull | after -DNSC_HULL_VERTICES=16
robot |
dynamics | after -DNSC_MAX_JOINTS=4
motor |
derive |
motion |
dump |
svg |
bound |
all |
END
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -5 "$D/log"
}

# Joints without their macro: the compiler's own error says it.
echo '#include "nsc.h"
nsc_joint_def hinge;' > "$D/joints.c"
if $CC -std=c99 -I. -fsyntax-only "$D/joints.c" > "$D/log" 2>&1; then fail "a joint without NSC_MAX_JOINTS, and no error"
elif grep -q "error.*nsc_joint_def_asks_for_NSC_MAX_JOINTS" "$D/log"; then passed=$((passed + 1))
else fail "a joint without NSC_MAX_JOINTS, and no error that names it"; fi

# says TEXT NAME: named.c is refused, and the first error says this
says() {
    if $CC -std=c99 -I. -Iexamples/kit -fsyntax-only "$D/named.c" > "$D/log" 2>&1; then fail "$2, and no error"
    elif grep -m 1 error "$D/log" | grep -q "$1"; then passed=$((passed + 1))
    else fail "$2, and no error that names it"; fi
}
printf '#define NSC_MAX_JOINTS 4\n#define NSC_ARENA NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, 24)\n#include "nsc.h"\n' > "$D/named.c"
says needs_nsc_tree_h_before_nsc_h "an arena for TREE without nsc_tree.h"
printf '#include "nsc.h"\n#include "nsc_dynamics.h"\n' > "$D/named.c"
says "nsc: set NSC_MAX_JOINTS > 0 before nsc.h" "nsc_dynamics.h without joints"

shelf > "$D/shelf"
while IFS='|' read -r file flags; do
    file=$(echo $file)
    rm -rf "$D/copy"
    names=$file beside=
    [ "$file" != - ] || names=
    sh examples/kit/copy.sh "$D/copy" $names > "$D/log" 2>&1 || fail "copy of $file"
    cp tests/compile/shelf.c "$D/copy"
    case $flags in
    *before*) flags=${flags#*before} beside="-DBEFORE=\"nsc_$file.h\"" ;;
    *after*) flags=${flags#*after} beside="-DAFTER=\"nsc_$file.h\"" ;;
    *-D*) ;;
    *) beside="-DAFTER=\"nsc_$file.h\"" ;;
    esac
    # shellcheck disable=SC2086
    if (cd "$D/copy" && $CC -std=c99 $warn $flags $beside shelf.c -o shelf -lm && ./shelf) > "$D/log" 2>&1; then passed=$((passed + 1))
    else fail "nsc.h and $file, $flags"; fi
    # shellcheck disable=SC2086
    if (cd "$D/copy" && $CXX -x c++ -std=c++11 $warn $flags $beside -DNSC_DOUBLE -fsyntax-only shelf.c) > "$D/log" 2>&1; then passed=$((passed + 1))
    else fail "nsc.h and $file in C++, $flags"; fi
    [ "$file" != - ] && [ -z "$beside" ] || continue
    case $file in
    lanes | waves) ;; # which alone do no harm
    *)
        echo "#include \"nsc_$file.h\"" > "$D/copy/by_hand.c"
        (cd "$D/copy" && $CC -std=c99 -fsyntax-only by_hand.c) > "$D/log" 2>&1 && fail "nsc_$file.h by hand, and no error"
        if grep -m 1 "error" "$D/log" | grep -q "nsc: set NSC_.* before nsc.h"; then passed=$((passed + 1))
        else fail "nsc_$file.h by hand, and no error that says how"; fi
        ;;
    esac
    rm "$D/copy/nsc_$file.h"
    # shellcheck disable=SC2086
    if (cd "$D/copy" && $CC -std=c99 $flags -fsyntax-only shelf.c) > "$D/log" 2>&1; then fail "no $file, and no error"
    elif grep -q "#.*nsc_$file.h.*examples/kit" "$D/log"; then passed=$((passed + 1))
    else fail "no $file, and no error that names it"; fi
done < "$D/shelf"

# Names that nsc.h does not know by itself, and what the kit's README says of them; other compilers have other words
case $CC in
*gcc* | *clang* | cc)
    sh tests/compile/unknown.sh "$CC" > "$D/log" 2>&1 && passed=$((passed + 1)) || fail "the README's table of names that a compiler does not know"
    ;;
esac
echo "shelf: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
