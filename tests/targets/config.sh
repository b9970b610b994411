#!/bin/sh
# examples/kit/size.c against a compiler: of 50 random configurations the header that it prints, compiled for Cortex-M4F, declares
# an nsc_world of as many bytes as it says, and a state of as many.  Its header for a robot's table takes the robot on this host, and
# with any capacity less by one does not.  What nsc.h would refuse is refused.  The stack of a step is no less than what the compiler
# says of that header, and at most a tenth more.  Half a minute at most.
# usage: config.sh [CC]      SEED=7 COUNT=50
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/config
mkdir -p $out
rm -f $out/[0-9]*
seed=${SEED:-1} count=${COUNT:-50} cc=${1:-cc} passed=0 failed=0 skipped=0
$cc -std=c99 -O1 -Wall -Wextra -Werror -I. -Iexamples/kit examples/kit/size.c -o $out/size -lm || exit 1
ok() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $*"; fi; }

# ---- what is no configuration: an error, and no header
refused() { ! $out/size "$@" > $out/none.h 2> $out/none.txt && [ ! -s $out/none.h ] && [ -s $out/none.txt ]; }
for wrong in bodies= bodies=0 bodies=1x bodies=-1 bodis=4 bodies=20000 contacts=0 hulls=3 hulls=43 joints=5001 barrier solver=none target=z80 \
    "contacts=4 rolling=5" "contacts=4 pressed=5" "bodies=4 forces=5" "joints=1 only_contacts" "substeps=2 no_substeps" "joints=1 joint_blocks=65500" joint_axes=0 joint_axes=4 "short_blocks locks" "rows=1 short_blocks" "bodies=9 contacts=9000 solver=dantzig" "bodies=9000 solver=newton"; do
    ok refused $wrong
done
ok refused

# ---- the least for a robot
if command -v python3 > /dev/null 2>&1; then
    python3 examples/kit/robot.py tests/robots/crab.xml > $out/crab.h 2> $out/crab.txt
    cat > $out/fits.c <<END
#include "one_robot.h"
#define NSC_IMPLEMENTATION
#include "nsc_robot.h"
#include "crab.h"
static nsc_world world;
static nsc_id body[crab_LINKS], joint[crab_JOINTS];
int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_pose base = {{0, 0, 1}, {1, 0, 0, 0}};
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return 1;
    return nsc_robot_add(&world, &crab, base, body, joint) == NSC_ERR_CAPACITY ? 3 : 0;
}
END
    fits() { ${cc} -std=c99 -O0 -w -I$out -I. -Iexamples/kit $out/fits.c -o $out/fits -lm && $out/fits; [ $? = $1 ]; }
    less() { sed "s/^\(#define $1\) .*/\1 $(($(sed -n "s/^#define $1 //p" $out/robot.h) - 1))/" $out/robot.h > $out/one_robot.h; fits 3; }
    $cc -std=c99 -O1 -w -I. -Iexamples/kit -I$out -DTABLE='"crab.h"' -DROBOT=crab examples/kit/size.c -o $out/size_robot -lm &&
        $out/size_robot manifolds=0 > $out/robot.h && cp $out/robot.h $out/one_robot.h
    ok fits 0
    for macro in NSC_MAX_BODIES NSC_MAX_SHAPES NSC_MAX_JOINTS NSC_MAX_JOINT_BLOCKS; do ok less $macro; done
else
    echo "skipped: no python3 for a robot's table"; skipped=$((skipped + 1))
fi

# ---- bytes
if ! command -v arm-none-eabi-gcc > /dev/null 2>&1; then
    echo "skipped: no arm-none-eabi-gcc"; echo "config: $passed passed, $failed failed, $((skipped + 1)) skipped"
    [ $failed = 0 ]
    exit
fi
m4f="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs -std=c99 -w -I. -Iexamples/kit -I$out"

# Arguments of so many configurations, a line each: a third of the parts in, capacities from the least on
random() {
    awk -v seed="$seed" -v count="$count" '
        function draw(n) { seed = (seed * 16807) % 2147483647; return int(seed / 7) % n } # Park and Miller
        function maybe(word) { if (draw(3) == 0) line = line " " word }
        function some(name, most) { if (draw(3) == 0) line = line " " name "=" draw(most + 1) }
        BEGIN {
            seed = seed * 7919 + 12345
            draw(2)
            while (made++ < count) {
                bodies = 1 + draw(40); contacts = 1 + draw(90)
                line = "bodies=" bodies " contacts=" contacts
                if (draw(2)) line = line " shapes=" 1 + draw(120)
                if (draw(2)) line = line " manifolds=" draw(draw(4) ? 40 : 400)
                some("events", 40)
                if (draw(3) == 0 && !index(line, "terrain")) alone = 1; else alone = 0
                if (alone) line = line " only_contacts"
                else {
                    if (draw(2)) line = line " joints=" 1 + draw(20)
                    if (draw(2)) line = line " joint_axes=" 1 + draw(3)
                    some("joint_blocks", 50); some("rolling", contacts); some("springs", 20); some("rows", 20); some("forces", bodies)
                }
                if (draw(4) == 0) line = line " hulls=" 4 + draw(39)
                maybe("convex"); maybe("terrain"); maybe("meshes"); maybe("seams"); maybe("far"); maybe("locks"); maybe("belts")
                maybe("strips"); maybe("words"); maybe("imu"); maybe("second_look"); maybe("parallel")
                if (!alone && draw(4) == 0) line = line " smooth steppers barrier"
                else { maybe("smooth"); maybe("steppers") }
                maybe("no_islands"); maybe("no_substeps"); maybe("no_texts")
                if (!index(line, "barrier") && !index(line, "locks") && !index(line, "rows=") && !index(line, "forces=")) maybe("short_blocks")
                split("sipgs sipgs apgd dantzig newton admm bb minres tree auto", solver, " ")
                print line " solver=" solver[1 + draw(10)]
            }
        }'
}

random > $out/asked.txt
i=0
while read -r ask; do
    i=$((i + 1))
    solver=${ask##*solver=} include=
    case $solver in newton | admm | bb | minres | tree | auto) include="#include \"nsc_$solver.h\"" ;; esac
    if $out/size $ask > $out/$i.h; then
        printf '#include "%s.h"\n%s\n#include "nsc.h"\nchar world_%s[sizeof(nsc_world)], state_%s[NSC_WORLD_STATE_SIZE];\n' $i "$include" $i $i > $out/$i.c
        $m4f -c $out/$i.c -o $out/$i.o && continue
    fi
    echo "FAILED: $ask"
    failed=$((failed + 1))
done < $out/asked.txt
arm-none-eabi-nm -S -t d $out/[0-9]*.o | awk 'NF == 4 { print $4, $2 + 0 }' > $out/compiled.txt
i=0
while read -r ask; do
    i=$((i + 1))
    [ -f $out/$i.o ] || continue
    said=$(sed -n 's/^   RAM of a world, float *\([0-9]*\) bytes, of which \([0-9]*\) .*/\1 \2/p' $out/$i.h)
    is=$(awk -v i=$i '$1 == "world_" i { w = $2 } $1 == "state_" i { s = $2 } END { print w, s }' $out/compiled.txt)
    if [ "$said" = "$is" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $ask: $said, compiled $is"; fi
done < $out/asked.txt

# ---- stack of a step
stack() { # ARGUMENTS: what is said, and what the call graph of this configuration says at -Os
    said=$($out/size "$@" | tee $out/stack.h | sed -n 's/^   stack of a step, at most *//p')
    printf '#define NSC_IMPLEMENTATION\n#include "stack.h"\n#include "nsc.h"\n' > $out/stack.c
    CCACHE_DISABLE=1 $m4f -Os -ffp-contract=off -fno-math-errno -fcallgraph-info=su,da -c $out/stack.c -o $out/stack.o
    is=$(python3 tests/targets/stack.py --but '->user' --to 'return solve(p' nsc_solve_sipgs --to 'reserve->solve(p' nsc_solve_sipgs \
        --to '.fill(w' nsci_fill_contact_link,nsci_fill_joint_link,nsci_fill_spring_link --to ' take(w, l' nsci_take_contact,nsci_take_spring \
        nsc_world_step -- $out/stack.ci | sed -n 's/^nsc_world_step \([0-9]*\) .*/\1/p')
    [ "${said:-0}" -ge "${is:-999999}" ] && [ "$said" -le $((is + is / 10 + 20)) ] || { echo "$*: $said, compiled $is"; return 1; }
}
if command -v python3 > /dev/null 2>&1; then
    ok stack joints=6 bodies=8 contacts=16 imu
    ok stack imu events=8 words
    ok stack joints=4 springs=4 rolling=8 locks
    ok stack only_contacts no_islands no_substeps manifolds=0
    ok stack convex joints=2 imu
fi
echo "$count configurations of seed $seed"
echo "config: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
