#!/bin/sh
# Code bytes of each part, symbols, RAM and stack on the targets, against budgets.txt (GCC 12.2: other versions are
# measured, not judged).  usage: size.sh [accept]      accept: what is measured becomes the budget
# ON="m0plus" measures on these targets alone, GATE=1 leaves to the nightly run the code of parts by themselves and of headers that draw
# and write, the stack of everything at -O2, and paints the stack of m4f, which is the quickest to run.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/size action=${1:-}
mkdir -p $out
: > $out/measured.txt
: > $out/known.txt
: > $out/left.txt
skipped=0
pico="--specs=picolibc.specs -std=c99 -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror -I. -Iexamples/kit"
link="--oslib=semihost --crt0=semihost -ffunction-sections -fdata-sections -Wl,--gc-sections -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000
      -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000 -DPICOLIBC_INTEGER_PRINTF_SCANF"
# The least that there is, nsc.h as it comes, and everything
core="-DNSC_NO_ISLANDS -DNSC_NO_SUBSTEPS -DNSC_MAX_MANIFOLDS=0 -DNSC_ONLY_CONTACTS"
small=$core
full="-DALL -DNAMES=all -DNSC_MAX_SPRINGS=16 -DNSC_MAX_FORCES=4 -DNSC_MAX_ROLLING=16 -DNSC_HULL_VERTICES=16 -DNSC_TERRAIN=1"
# Parts that add little to the stack of a step; size.c takes what has all of them for each
parts="-DNSC_MAX_EVENTS=16 -DNSC_MAX_ROLLING=16 -DNSC_MAX_SPRINGS=16 -DNSC_MAX_ROWS=16 -DNSC_MAX_FORCES=4 -DNSC_SMOOTH=1 -DNSC_FAR=1 -DNSC_LOCKS=1
       -DNSC_BELTS=1 -DNSC_WORDS=1 -DNSC_IMU=1"
collision='nsci_(collide|box_|round_|put|nearest|clip|reduce|incident|separate|extent|find_contacts|bound|sweep|place|sort|shallowest|core|local|half|room|mix)'

found() { command -v "$1" > /dev/null 2>&1; }
say() { echo "$*" >> $out/measured.txt; }
leave() { echo "$*" >> $out/left.txt; } # not to be measured, for the judge

# name | compiler and flags
targets() {
    cat <<END
m0plus | arm-none-eabi-gcc -mthumb -mcpu=cortex-m0plus
m4f | arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
rv32imc | riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32
END
}

but() { # NAMES: core without these of its flags
    for flag in $core; do
        case " $* " in *" ${flag#-D} "*) ;; *) printf '%s ' "$flag" ;; esac
    done
}

with() { for name in "$@"; do [ "$name" = - ] || printf -- '-D%s ' "$name"; done; } # flags of these names

# part | with flags | less with flags: the bytes of a part are the difference.  A new feature is a line in options.
# NAMES: the solvers that the program names beside SIPGS.  The headers of examples/kit that draw and write are measured over
# everything.
parts() {
    cat <<END
everything | -DWORLD $(echo $full) |
default    | -DWORLD |
world      | -DWORLD $(echo $small) | $(echo $small)
SIPGS      | $(echo $small) |
APGD       | -DALL -DNAMES=apgd | -DALL
DANTZIG    | -DALL -DNAMES=dantzig | -DALL
BB         | -DALL -DNAMES=bb | -DALL
APGD,BB    | -DALL -DNAMES=apgd,bb | -DALL
MINRES     | -DALL -DNAMES=minres | -DALL
ADMM       | -DALL -DNAMES=admm | -DALL
NEWTON     | -DALL -DNAMES=newton | -DALL
NEWTON,ADMM | -DALL -DNAMES=newton,admm | -DALL
TREE       | -DALL -DNAMES=newton,tree | -DALL -DNAMES=newton
AUTO       | -DALL -DNAMES=all | -DALL -DNAMES=admm,apgd,bb,dantzig,minres,newton,tree
nsc_draw.h | -DWORLD $(echo $full) -DKIT_DRAW | -DWORLD $(echo $full)
nsc_dump.h | -DWORLD $(echo $full) -DKIT_DUMP | -DWORLD $(echo $full)
nsc_hull.h | -DWORLD $(echo $full) -DKIT_HULL | -DWORLD $(echo $full)
nsc_robot.h | -DWORLD $(echo $full) -DKIT_ROBOT | -DWORLD $(echo $full)
END
}

# option | flags of core that it cannot have | what brings it in | ram: it has memory of its own | what it needs beside
# A part by itself, beside the least that there is.  Cylinders, hulls and terrain share the general narrow phase, so
# together they are less than the sum; its workspace shares memory with the blocks.
options() {
    cat <<END
joints   | NSC_ONLY_CONTACTS | NSC_MAX_JOINTS=8   | ram |
gears    | NSC_ONLY_CONTACTS | WITH_GEARS       |     | NSC_MAX_JOINTS=8 WITHOUT_GEARS
islands  | NSC_NO_ISLANDS    | -                  | ram |
substeps | NSC_NO_SUBSTEPS   | -                  | ram |
events   | -                 | NSC_MAX_EVENTS=16  | ram |
manifolds | NSC_MAX_MANIFOLDS=0 | NSC_MAX_MANIFOLDS=32 | ram |
rolling  | NSC_ONLY_CONTACTS | NSC_MAX_ROLLING=16 | ram |
springs  | NSC_ONLY_CONTACTS | NSC_MAX_SPRINGS=16 | ram |
rows     | NSC_ONLY_CONTACTS | NSC_MAX_ROWS=16    | ram |
forces   | NSC_ONLY_CONTACTS | NSC_MAX_FORCES=4   | ram |
blocks   | NSC_ONLY_CONTACTS | -                  |     |
cylinder | -                 | NSC_CONVEX=1       |     |
hulls    | -                 | NSC_HULL_VERTICES=16 | ram |
terrain  | -                 | NSC_TERRAIN=1      | ram |
meshes   | -                 | NSC_MESHES=1       | ram |
steppers | -                 | NSC_STEPPERS=1     | ram |
smooth   | -                 | NSC_SMOOTH=1       | ram |
barrier  | NSC_ONLY_CONTACTS | NSC_BARRIER=1      | ram | NSC_STEPPERS=1 NSC_SMOOTH=1 NSC_CONVEX=1
locks    | -                 | NSC_LOCKS=1        | ram |
belts    | -                 | NSC_BELTS=1        | ram |
far      | -                 | NSC_FAR=1          | ram |
seams    | -                 | NSC_SEAMS=1        |     |
words    | -                 | NSC_WORDS=1        | ram |
strips   | -                 | NSC_STRIPS=1       |     |
parallel | -                 | NSC_PARALLEL=1     | ram |
short    | -                 | NSC_SHORT_BLOCKS=1 | ram |
imu      | -                 | NSC_IMU=1          | ram |
second_look | -              | NSC_SECOND_LOOK=1  | ram |
sense    | -                 | WITH_SENSE         |     |
image    | -                 | WITH_IMAGE         |     |
joint_state | NSC_ONLY_CONTACTS | WITH_JOINT_STATE |    | NSC_MAX_JOINTS=8
pose     | -                 | WITH_POSE          |     |
touch    | -                 | WITH_TOUCH         |     |
problem  | -                 | WITH_PROBLEM       |     |
END
}

# COUNT FLAGS WITHOUT WITH NEEDS: what COUNT says of a build with an option, less that of the least, or of what it needs
difference() {
    least=$core
    [ -z "$(echo $5)" ] || least="$(but $3) $(with $5)"
    more=$($1 $2 $(but $3) $(with $4 $5))
    least=$($1 $2 $least)
    [ -n "$more" ] && [ -n "$least" ] && echo $((more - least)) || echo 999999 # it does not compile
}

# FLAGS: code and constants of the implementation, compiled once: of all functions but the solvers that NAMES leaves out, and
# what these alone call
bytes() {
    known=$(awk -v begin="$target $opt $*: " 'index($0, begin) == 1 { print $NF }' $out/known.txt)
    [ -z "$known" ] || { echo $known; return; }
    names=sipgs
    for flag in "$@"; do case $flag in -DNAMES=*) names="sipgs|$(echo ${flag#*=} | tr , "|")" ;; esac; done
    $compile $pico $opt -ffunction-sections -fdata-sections "$@" -c tests/targets/size.c -o $out/size.o ||
        { echo "FAILED: size.c does not compile: $target $opt $*" >&2; exit 1; }
    roots=$($tools-nm $out/size.o | awk -v names="^nsc_solve_($names)$" \
        '$2 == "T" && ($3 !~ /^nsc_solve_/ || names ~ /all/ || $3 ~ names) { print "-Wl,-u," $3 }')
    $compile -r -nostdlib -Wl,--gc-sections $roots $out/size.o -o $out/linked.o || exit 1
    known=$($tools-size $out/linked.o | awk 'NR == 2 { print $1 }')
    echo "$target $opt $*: $known" >> $out/known.txt
    echo $known
}

targets | grep -E "^(${ON:-.*}) " > $out/targets
for target in $(targets | grep -vE "^(${ON:-.*}) " | cut -d' ' -f1); do
    for kind in code left_out undefined globals; do leave $kind $target; done
    leave part $target -Os
done
parts > $out/parts
options > $out/options
while IFS='|' read -r target compile; do
    target=$(echo $target) compile=$(echo $compile) tools=${compile%%-gcc*}
    if ! found ${compile%% *}; then echo "skipped: no ${compile%% *}"; skipped=$((skipped + 1)); continue; fi
    for opt in -Os -O2; do
        while IFS='|' read -r part with less; do
            case $opt$part in -O2[!w]*) continue ;; esac # by part at -Os alone
            case ${GATE:-}$part in 1nsc_*) leave code $target $opt $part; continue ;; esac
            more=$(bytes $with) || exit 1
            minus=0
            case $less in *-*) minus=$(bytes $less) || exit 1 ;; esac
            say "code $target $opt $(echo $part) $((more - minus))"
        done < $out/parts
        $compile $pico $opt -DWORLD $small -c tests/targets/size.c -o $out/size.o || exit 1
        say "code $target $opt collision $($tools-nm -S -t d $out/size.o | awk -v names="^$collision" 'NF == 4 && $4 ~ names { n += $2 } END { print n }')"
    done
    opt=-Os
    [ -z "${GATE:-}" ] || leave part $target -Os
    [ $target = rv32imc ] || [ -n "${GATE:-}" ] || # two processors tell enough of the parts
    while IFS='|' read -r part without with memory needs; do
        say "part $target $opt $(echo $part) $(difference bytes -DWORLD "$without" "$with" "$needs")"
    done < $out/options
    for opt in -Os -O2; do # soft float helpers are the compiler's own
        case ${GATE:-}$opt in 1-Os) leave left_out $target $opt; leave undefined $target $opt; continue ;; esac
        bytes -DWORLD -DALL -DNO_LIBC -ffreestanding > /dev/null
        # nothing is there of waves and of the barrier that were not asked for
        say "left_out $target $opt waves,barrier $($tools-nm $out/size.o | grep -cE 'nsci_.*(wave|parallel|push|exact_(way|points)|path|_lead)')"
        say "undefined $target $opt symbols $($tools-nm -u $out/size.o | grep -vcE ' (sqrtf|__aeabi_|__gnu_|__(add|sub|mul|div|neg|float|fix|eq|ne|lt|le|gt|ge|unord|u?div|u?mod|clz|ashl|ashr|lshr)[a-z0-9]*$)')"
    done
    say "globals $target -O2 writable $($tools-nm $out/size.o | grep -cE ' [bBdDC] ')"
done < $out/targets

tool=arm-none-eabi-gcc
m4f="$tool -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 $pico"
ram() { # FLAGS: bytes of a world
    printf '#ifdef ALL\n#include "nsc_all.h"\n#else\n#include "nsc.h"\n#endif\nchar size[sizeof(nsc_world)];' > $out/ram.c
    $m4f "$@" -c $out/ram.c -o $out/ram.o || exit 1
    arm-none-eabi-nm -S -t d $out/ram.o | awk '$4 == "size" { print $2 + 0 }'
}
if found $tool; then
    for capacity in "4 16" "16 64" "32 256"; do
        set -- $capacity
        at="-DNSC_MAX_BODIES=$1 -DNSC_MAX_CONTACTS=$2"
        say "ram m4f $1x$2 sipgs $(ram $at $small)"
        say "ram m4f $1x$2 sipgs,8_joints $(ram $at $(but NSC_ONLY_CONTACTS) -DNSC_MAX_JOINTS=8)"
        say "ram m4f $1x$2 default $(ram $at)"
        say "ram m4f $1x$2 nsc_all $(ram $at -DALL)"
        say "ram m4f $1x$2 everything $(ram $at $full)"
    done
    while IFS='|' read -r part without with memory needs; do
        case $memory in *ram*) say "part m4f ram $(echo $part) $(difference ram "" "$without" "$with" "$needs")" ;; esac
    done < $out/options
    for kind in sipgs default all; do # a whole program: make a world, add, step, read; less an empty one
        case $kind in sipgs) with=$small ;; default) with= ;; all) with=-DALL ;; esac
        $m4f $link -Os -DEMPTY tests/targets/size.c -o $out/empty.elf || exit 1
        $m4f $link -Os -DAPP $with tests/targets/size.c -o $out/app.elf || exit 1
        say "flash m4f -Os $kind $(arm-none-eabi-size $out/app.elf $out/empty.elf | awk 'NR == 2 { a = $1 } NR == 3 { print a - $1 }')"
    done
    $m4f $link -Os examples/14_balancer.c -o $out/app.elf -lm || exit 1
    say "flash m4f -Os balancer $(arm-none-eabi-size $out/app.elf $out/empty.elf | awk 'NR == 2 { a = $1 } NR == 3 { print a - $1 }')"
    if found python3; then
        for opt in -Os -O2; do
            for kind in sipgs default joints parts parts,joints convex all; do # of what a firmware calls
                case ${GATE:-}$opt$kind in 1-O2all | 1-O2parts* | 1-O2convex) leave stack m4f $opt,$kind; continue ;; esac
                case $kind in sipgs) with=$small more= ;; default) with= more= ;; joints) with=-DNSC_MAX_JOINTS=8 more="nsc_world_add_joint nsc_world_remove_joint" ;;
                parts) with=$parts more= ;; parts,joints) with="$parts -DNSC_MAX_JOINTS=8" more=nsc_world_add_joint ;;
                convex) with="$parts -DNSC_MAX_JOINTS=8 -DNSC_CONVEX=1 -DNSC_HULL_VERTICES=16" more=nsc_world_add_joint ;; all) with=$full more="nsc_world_add_joint
                    nsc_world_remove_joint nsc_world_save nsc_world_load nsc_world_hash nsc_world_cast_ray nsc_world_overlap
                    nsc_world_closest nsc_world_set_hulls nsc_world_set_fields" ;; esac
                solvers=nsc_solve_sipgs reserves=nsc_solve_sipgs
                [ $kind != all ] || reserves=nsc_solve_newton,nsc_solve_admm,nsc_solve_bb,nsc_solve_apgd,nsc_solve_minres,nsc_solve_dantzig
                [ $kind != all ] || solvers=$reserves,nsc_solve_auto
                fill=nsci_fill_contact_link take=nsci_take_contact
                case $kind in joints | parts,joints | convex) fill=$fill,nsci_fill_joint_link ;; esac
                case $kind in parts* | convex) fill=$fill,nsci_fill_spring_link,nsci_fill_rows_link take=$take,nsci_take_spring,nsci_take_rows ;; esac
                [ $kind != all ] || fill=$fill,nsci_fill_joint_link,nsci_fill_spring_link take=$take,nsci_take_spring
                CCACHE_DISABLE=1 $m4f $opt -DWORLD $with -fcallgraph-info=su,da -c tests/targets/size.c -o $out/size.o || exit 1
                python3 tests/targets/stack.py --but '->user' --to 'return solve(p' $solvers \
                    --to 'reserve->solve(p' $reserves --to 'fits(p)' nsci_newton_fits,nsci_dantzig_fits \
                    --to '.fill(w' $fill --to ' take(w, l' $take nsc_world_step nsci_world_init nsc_world_add_body nsc_world_add_shape \
                    nsc_world_remove_body nsc_world_add_contact nsci_world_selfcheck $more -- $out/size.ci > $out/stack.txt || { say "stack m4f $opt,$kind unbounded 1"; grep "^not bounded" $out/stack.txt; }
                grep -v "^not bounded" $out/stack.txt | while read -r root depth chain; do say "stack m4f $opt,$kind $root $depth"; done
            done
        done
    else
        echo "skipped: no python3 for the stack by call graph"; skipped=$((skipped + 1)); leave stack
    fi
else
    echo "skipped: no $tool for RAM, flash and stack"; skipped=$((skipped + 1))
fi
if found qemu-system-arm && found $tool; then
    for cpu in m0plus m4f; do
        case ${GATE:-}$cpu in 1m0plus) leave painted $cpu; continue ;; esac
        flags=$(targets | grep "^$cpu " | cut -d'|' -f2)
        $flags $pico -O2 $link tests/targets/stack.c -o $out/stack.elf -lm || exit 1
        depth=$(timeout 300 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
            -semihosting-config enable=on,target=native -kernel $out/stack.elf < /dev/null 2>&1 | sed -n 's/^stack //p')
        say "painted $cpu -O2 scenes ${depth:-999999}"
    done
else
    echo "skipped: no qemu-system-arm for the painted stack"; skipped=$((skipped + 1)); leave painted
fi

versions=$(targets | while IFS='|' read -r target compile; do
    set -- $compile
    ! found $1 || echo $target $($1 -dumpversion)
done)
LEFT=$out/left.txt sh tests/targets/judge.sh size $out/measured.txt "$(echo $versions)" $skipped $action
