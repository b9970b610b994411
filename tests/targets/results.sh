#!/bin/sh
# Tables of code, memory, stack and instructions from budgets.txt, which size-accept and count-accept write.
# usage: results.sh          write RESULTS.md, and the README's table of memory
#        results.sh check    are they what budgets.txt says?
cd "$(dirname "$0")" || exit 1
value() { awk -v key="$*" '$1 " " $2 " " $3 " " $4 " " $5 == key { print $6 }' budgets.txt; }
kb() { value "$@" | awk '{ printf "%.1f", $1 / 1000 }'; } # of 1000 bytes
thousands() { value "$@" | awk '{ if ($1 < 1000) print $1; else printf "%.0f k\n", $1 / 1000 }'; }

both() { echo "$(kb size code $1 -Os $2) / $(kb size code $1 -O2 $2)"; }
code() { echo "| $1 | $(both m0plus $2) | $(both m4f $2) | $(both rv32imc $2) |"; }
solver() { echo "| $1 | $(kb size code m0plus -Os $2) | $(kb size code m4f -Os $2) | $(kb size code rv32imc -Os $2) |"; }
part() { echo "| $1 | $(kb size part m0plus -Os $2) | $(kb size part m4f -Os $2) | $(value size part m4f ram $2) |"; }
ram() { echo "| $1 | $2 | $(value size ram m4f $1x$2 sipgs) | $(value size ram m4f $1x$2 sipgs,8_joints) | $(value size ram m4f $1x$2 default) | $(value size ram m4f $1x$2 nsc_all) | $(value size ram m4f $1x$2 everything) |"; }
stack() { echo "| $1 | $(value size stack m4f -Os,$2 nsc_world_step) | $(value size stack m4f -O2,$2 nsc_world_step) |"; }
step() { echo "| $1 | $(thousands count step m4f -O2 $2) |"; }
bound() { echo "| $1 | $(thousands bound median m4f -O2 $2) | $(thousands bound worst m4f -O2 $2) | $(thousands bound bound m4f -O2 $2) |"; }
both_levels() { # a step at -Os beside -O2
    echo "| $1 | $(thousands count step m4f -O2 $2) | $(thousands count-Os step m4f -Os $2) | $(value count-Os step m4f -Os $2 |
        awk -v quick="$(value count step m4f -O2 $2)" '{ printf "%.2f", $1 / quick }') |"
}
visit() { echo "| $1 | $(value count per_visit m4f -O2 $2) |"; }

write() {
cat << END
# On the targets

Written by \`make results\` from \`budgets.txt\`.  \`make size\` and \`make count\` measure the same again and fail above it;
after a change that is meant to change it, \`make size-accept\` and \`make count-accept\` write it anew.  GCC 12.2.

## Instructions of a step

\`make count\`: exact, on Cortex-M4F at -O2, counted in QEMU; 20 iterations at tolerance 0, but for NEWTON (to its end) and
AUTO.  Tolerance 0 is what float cannot reach: there SIPGS looks three times a step whether rounding is all that is left.
Barrier contact is solved by AUTO to the default tolerance, in every step of Newton's method.

| step | instructions |
|---|--:|
$(step "box at rest, 4 contacts, SIPGS" box_at_rest_SIPGS)
$(step "box at rest, 4 contacts, APGD" box_at_rest_APGD)
$(step "box at rest, 4 contacts, DANTZIG" box_at_rest_DANTZIG)
$(step "stack of ten, 40 contacts, SIPGS" stack_of_ten_SIPGS)
$(step "the same, asleep" stack_of_ten_asleep)
$(step "stack of ten, 40 contacts, APGD" stack_of_ten_APGD)
$(step "stack of ten, 40 contacts, BB" stack_of_ten_BB)
$(step "stack of ten, 40 contacts, ADMM, done in 1 iteration" stack_of_ten_ADMM)
$(step "stack of ten, 40 contacts, NEWTON, done in 1 step" stack_of_ten_NEWTON)
$(step "stack of ten, 40 contacts, PROJECTED (two solves)" stack_of_ten_PROJECTED)
$(step "stack of ten, 40 contacts, SIPGS in two parts, both together" stack_of_ten_SIPGS_two_parts)
$(step "pile of 14 spheres, 14 contacts, SIPGS" pile_of_spheres_SIPGS)
$(step "pile of 14 spheres, 14 contacts, DANTZIG, by islands" pile_of_spheres_DANTZIG)
$(step "pile of 14 spheres, smooth contact, explicit" pile_of_spheres_smooth_explicit)
$(step "pile of 14 spheres, smooth contact, implicit" pile_of_spheres_smooth_implicit)
$(step "box at rest, 4 contacts, barrier contact" box_at_rest_barrier)
$(step "stack of five, 20 contacts, barrier contact" stack_of_five_barrier)
$(step "ball on terrain, 1 contact" ball_on_terrain)
$(step "box on terrain, 4 contacts" box_on_terrain)
$(step "cylinders on a box" cylinders_on_a_box)
$(step "pile of hulls, 18 contacts" pile_of_hulls)
$(step "quadruped with 12 servos on its feet, SIPGS" quadruped_on_its_feet)
$(step "the same, 4 sweeps" quadruped_on_its_feet_4_sweeps)
$(step "the same, TREE" quadruped_on_its_feet_TREE)
$(step "eight links on hinges, falling, SIPGS, 20 sweeps" chain_of_eight_hinges_SIPGS)
$(step "the same, TREE" chain_of_eight_hinges_TREE)
$(step "quadruped, HHT, three steps of Newton's method" quadruped_on_its_feet_HHT)
$(step "net of 20 springs on a ball, LINEARIZED" net_of_20_springs_LINEARIZED)
$(step "net of 20 springs, EULER_IMPLICIT, two steps of Newton's method" net_of_20_springs_EULER_IMPLICIT)

| a block and iteration | instructions |
|---|--:|
$(visit "SIPGS, a contact that sticks" stack_of_ten_SIPGS_long)
$(visit "SIPGS, a contact that slides" sliding_box_SIPGS_long)
$(visit "SIPGS, a joint's block" quadruped_afloat_long)
$(visit "MINRES" chain_of_14_MINRES_alone_long)
$(visit "APGD" stack_of_ten_APGD_long)
$(visit "BB" stack_of_ten_BB_long)
$(visit "ADMM" stack_of_ten_ADMM_long)
$(visit "NEWTON with its factor, COULOMB" stack_of_ten_NEWTON_long)
$(visit "NEWTON with its factor, CONE" stack_of_ten_NEWTON_CONE_long)

\`make count OPTIMISE=-Os\`: the same at -Os; \`OPTIMISE=-Os make count-accept\` writes it down.

| step | -O2 | -Os | times |
|---|--:|--:|--:|
$(both_levels "box at rest, 4 contacts, SIPGS" box_at_rest_SIPGS)
$(both_levels "stack of ten, 40 contacts, SIPGS" stack_of_ten_SIPGS)
$(both_levels "pile of 14 spheres, 14 contacts, SIPGS" pile_of_spheres_SIPGS)
$(both_levels "eight links on hinges, falling, SIPGS, 20 sweeps" chain_of_eight_hinges_SIPGS)
$(both_levels "the same, TREE" chain_of_eight_hinges_TREE)

## Worst and median

\`make bound\`: instructions of a step on Cortex-M4F at -O2, 20 sweeps.  Median: of heaps of boxes that fall on the ground.
Worst: of 240 steps of worlds at capacity, found by a search for dear ones: every shape meets every other, contacts slide,
masses differ by 1000, servos pull against limits, the residual is looked at after every sweep.  Bound: the macro of
\`examples/kit/nsc_bound.h\` for this configuration, known when it is compiled.

| configuration | median | worst found | bound |
|---|--:|--:|--:|
$(bound "core, SIPGS, 4 bodies, 16 contacts" core_SIPGS_4_bodies_16_contacts)
$(bound "core, SIPGS, 16 bodies, 64 contacts" core_SIPGS_16_bodies_64_contacts)
$(bound "the same with 4 sub-steps" core_SIPGS_4_substeps)
$(bound "SIPGS, 16 bodies, 64 contacts, 8 joints" SIPGS_with_8_joints)
$(bound "NEWTON, 16 bodies, 64 contacts, 8 joints, 5 factors" NEWTON_with_8_joints)

## Code

\`make size\`: kilobytes (1000) at -Os, or at -Os / -O2.  The core is everything but the parts of the second table, by SIPGS alone; soft
float and libc are not counted.  APGD and BB share most, NEWTON and ADMM their factor; TREE and AUTO are what they add to NEWTON.

| part | Cortex-M0+ | Cortex-M4F | RV32IMC |
|---|--:|--:|--:|
$(code "world, core" world)
$(code "of that, collision" collision)
$(solver "SIPGS and what solvers share" SIPGS)
$(solver APGD APGD)
$(solver BB BB)
$(solver "APGD and BB" APGD,BB)
$(solver DANTZIG DANTZIG)
$(solver MINRES MINRES)
$(solver ADMM ADMM)
$(solver NEWTON NEWTON)
$(solver "NEWTON and ADMM" NEWTON,ADMM)
$(solver TREE TREE)
$(solver AUTO AUTO)
$(solver examples/kit/nsc_draw.h nsc_draw.h)
$(solver examples/kit/nsc_dump.h nsc_dump.h)
$(solver examples/kit/nsc_hull.h nsc_hull.h)
$(solver examples/kit/nsc_robot.h nsc_robot.h)

What a part adds to the core at -Os, and in bytes to the world of 16 bodies and 64 contacts (8 joints, 32 manifolds, 16 rolling
contacts, 4 hulls, one field of 256 samples, 16 springs, 4 forces with a derivative).  Cylinder, hulls and terrain share
their narrow phase: together they take little more than the largest.  Joints, rolling friction, springs and forces bring in
what NSC_ONLY_CONTACTS leaves out; that row counts in each of theirs.  Barrier contact is taken with steppers, smooth contact
and cylinders alone: its row is what it adds to these.  Without \`NSC_BARRIER\` and \`NSC_PARALLEL\` no function of theirs is in the code.

| part | Cortex-M0+ | Cortex-M4F | RAM |
|---|--:|--:|--:|
$(part joints joints)
$(part manifolds manifolds)
$(part cylinder cylinder)
$(part hulls hulls)
$(part terrain terrain)
$(part meshes meshes)
$(part "const hulls" const_hulls)
$(part "const height fields" const_terrain)
$(part rolling rolling)
$(part islands islands)
$(part sub-steps substeps)
$(part events events)
$(part steppers steppers)
$(part "smooth contact" smooth)
$(part springs springs)
$(part "rows of your own" rows)
$(part forces forces)
$(part "inertial units" imu)
$(part "rays, casts and queries" sense)
$(part images image)
$(part poses pose)
$(part touches touch)
$(part problem problem)
$(part "locks, damping, kinds" locks)
$(part belts belts)
$(part "positions far out" far)
$(part "joins of shapes" seams)
$(part "words of yours" words)
$(part "strips of many shapes" strips)
$(part "barrier contact" barrier)
$(part "several cores" parallel)
$(part "second look" second_look)
$(part "without NSC_ONLY_CONTACTS" blocks)

A whole program on Cortex-M4F at -Os (\`-ffunction-sections -fdata-sections -Wl,--gc-sections\`, or 8 KB of texts stay) that makes
a world, adds, steps and reads takes $(value size flash m4f -Os default) bytes of flash with nsc.h as it comes,
$(value size flash m4f -Os sipgs) with the least of it and SIPGS, $(value size flash m4f -Os all) with nsc_all.h and all solvers.  There are no writable globals.  With \`NSC_MEMCPY\`,
\`NSC_MEMSET\` and \`NSC_SQRT\` replaced, \`nm -u\` is empty on Cortex-M4F.

## Memory

\`sizeof(nsc_world)\` in bytes, float, 32-bit machine; everything: 8 joints, 4 hulls, a field, 16 rolling contacts, 16 springs,
4 forces.

| bodies | contacts | core, SIPGS | with 8 joints | nsc.h as it comes | nsc_all.h | everything |
|--:|--:|--:|--:|--:|--:|--:|
$(ram 4 16)
$(ram 16 64)
$(ram 32 256)

Stack of \`nsc_world_step\` on Cortex-M4F, by call graph:

| configuration | -Os | -O2 |
|---|--:|--:|
$(stack "core, SIPGS" sipgs)
$(stack "nsc.h as it comes" default)
$(stack "with 8 joints" joints)
$(stack "nsc.h with events, rolling friction, springs, rows, forces, smooth contact, locks, belts, words, positions far out, inertial units" parts)
$(stack "the same with 8 joints" parts,joints)
$(stack "the same with cylinders and hulls" convex)
$(stack "everything" all)

Painted over all scenes at -O2, terrain included: $(value size painted m4f -O2 scenes) on Cortex-M4F, $(value size painted m0plus -O2 scenes) on M0+ with soft float.
END
}

step_costs() { # median, worst found and bound of a step, in thousands of instructions
    for what in median worst bound; do thousands bound $what m4f -O2 "$1"; done | sed 's/ k$//' | tr '\n' '/' | sed 's|/$||; s|/| / |g'
}

stacks() { echo "$(value size stack m4f -Os,$1 nsc_world_step), $(value size stack m4f -Os,$1 nsci_world_selfcheck)"; }

readme() { # its rows of memory, flash, stack and cost
    echo "| core, SIPGS | $(value size ram m4f 16x64 sipgs) | $(value size flash m4f -Os sipgs) | $(stacks sipgs) | $(step_costs core_SIPGS_16_bodies_64_contacts) |"
    echo "| the same, 4 sub-steps | | | | $(step_costs core_SIPGS_4_substeps) |"
    echo "| 4 bodies, 16 contacts | $(value size ram m4f 4x16 sipgs) | | | $(step_costs core_SIPGS_4_bodies_16_contacts) |"
    echo "| core, SIPGS, 8 joints | $(value size ram m4f 16x64 sipgs,8_joints) | | | $(step_costs SIPGS_with_8_joints) |"
    echo "| nsc.h as it comes | $(value size ram m4f 16x64 default) | $(value size flash m4f -Os default) | $(stacks default) | |"
    echo "| nsc_all.h; NEWTON | $(value size ram m4f 16x64 nsc_all) | $(value size flash m4f -Os all) | | $(step_costs NEWTON_with_8_joints) |"
    echo "| and springs, forces, rolling, hulls, terrain | $(value size ram m4f 16x64 everything) | | $(stacks all) | |"
}

with_rows() { # the README with these rows
    readme > ../../build/readme_rows.txt
    awk -v rows=../../build/readme_rows.txt '
        /^\| (core, SIPGS|the same, 4 sub-steps|4 bodies, 16 contacts|core, SIPGS, 8 joints|default: all solvers; NEWTON|nsc.h as it comes|nsc_all.h; NEWTON|and springs, forces, rolling, hulls, terrain) \|/ || /^@TABLE@$/ {
            if (!done) while ((getline row < rows) > 0) print row
            done = 1; next
        }
        { print }' ../../README.md
}

# file | its line of budgets.txt, if it has one | that of a file which the line has in it
shelf() {
    cat << END
nsc_joints.h joints gears
nsc_gears.h gears
nsc_springs.h springs
nsc_rows.h rows
nsc_rolling.h rolling
nsc_forces.h forces
nsc_convex.h cylinder
nsc_terrain.h terrain
nsc_mesh.h meshes
nsc_smooth.h smooth
nsc_steppers.h steppers
nsc_barrier.h barrier
nsc_locks.h locks
nsc_belts.h belts
nsc_far.h far
nsc_seams.h seams
nsc_words.h words
nsc_strips.h strips
nsc_cores.h parallel
nsc_imu.h imu
nsc_short.h short
nsc_second_look.h second_look
nsc_newton.h NEWTON
nsc_admm.h ADMM
nsc_bb.h BB
nsc_minres.h MINRES
nsc_auto.h AUTO
nsc_tree.h TREE
nsc_image.h image
nsc_sense.h sense
nsc_joint_state.h joint_state
nsc_pose.h pose
nsc_touch.h touch
nsc_problem.h problem
nsc_draw.h nsc_draw.h
nsc_dump.h nsc_dump.h
nsc_hull.h nsc_hull.h
nsc_robot.h nsc_robot.h
END
}

catalogue() { # examples/kit/README.md with its columns of numbers
    shelf | while read -r file name within; do
        flash=$(value size part m4f -Os $name)
        [ -z "$within" ] || flash=$((flash - $(value size part m4f -Os $within)))
        echo "$file flash ${flash:-$(value size code m4f -Os $name)}"
        echo "$file RAM $(value size part m4f ram $name)"
    done > ../../build/shelf.txt
    awk '$1 ~ /^examples\/kit\/nsc/ { sub(/.*\//, "", $1); print $1, "tokens", $2 }' ../compile/weights.txt >> ../../build/shelf.txt
    awk -v numbers=../../build/shelf.txt 'BEGIN { FS = OFS = "|"; while ((getline line < numbers) > 0) { split(line, n, " "); of[n[1], n[2]] = n[3] } }
        /^\| file / { for (i = 2; i < NF; i++) { head[i] = $i; gsub(/ /, "", head[i]) } }
        /^\| `nsc_/ { file = $2; gsub(/[` ]/, "", file)
            for (i = 3; i < NF; i++) if (head[i] ~ /^(flash|RAM|tokens)$/) $i = " " (of[file, head[i]] == "" ? "-" : of[file, head[i]]) " " }
        { print }' ../../examples/kit/README.md
}

mkdir -p ../../build
if [ "${1:-}" = check ]; then
    if write | cmp -s - RESULTS.md && with_rows | cmp -s - ../../README.md && catalogue | cmp -s - ../../examples/kit/README.md; then
        echo "results: 1 passed, 0 failed, 0 skipped"
        exit 0
    fi
    echo "tests/targets/RESULTS.md or README.md is not what budgets.txt says: make results"
    echo "results: 0 passed, 1 failed, 0 skipped"
    exit 1
fi
write > RESULTS.md
with_rows > ../../build/README.md && cp ../../build/README.md ../../README.md
catalogue > ../../build/catalogue.md && cp ../../build/catalogue.md ../../examples/kit/README.md
