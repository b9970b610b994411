#!/bin/sh
# Exact instructions of a step, the mean of eight, and of questions to a crowd, on Cortex-M4F at -O2, counted in QEMU by a plugin, against budgets.txt;
# and what a step would be at 168 MHz, estimated from ARM's cycle table, never checked on silicon.
# usage: count.sh [accept]
# OPTIMISE=-Os: the same table at that level, beside -O2, which nothing judges; accept writes down what RESULTS.md shows of it.
set -u
cd "$(dirname "$0")/../.." || exit 1
level=${OPTIMISE:--O2}
out=build/count action=${1:-}
[ "$level" = -O2 ] || out=build/count$level
mkdir -p $out
for tool in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "skipped: no $tool"; echo "count: 0 passed, 0 failed, 1 skipped"; exit 0
    fi
done
cc -O2 -shared -fPIC tests/targets/insncount.c -o $out/insncount.so || exit 1
rm -f $out/raw.txt $out/rays.txt $out/measured.txt
ended() { echo "FAILED: QEMU ended with code $?"; exit 1; }
m4f="arm-none-eabi-gcc -std=c99 $level -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror -Wno-unused-function -I. -Iexamples/kit
    -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs --oslib=semihost --crt0=semihost
    -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000
    -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000,--defsym=__stack_size=0x2000"
for build in "" -DNSC_NO_ISLANDS -DSCENES_WAVES=1; do # in two steps, as ccache keeps the first
    $m4f $build -c tests/targets/count.c -o $out/count.o && $m4f $out/count.o -o $out/count.elf -lm || exit 1
    timeout 600 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
        -plugin $out/insncount.so -kernel $out/count.elf < /dev/null >> $out/raw.txt 2>&1 || ended
done
# "count N LOW HIGH" of each step, then "step NAME: CONTACTS BLOCKS ITERATIONS"
awk -v out=$out/measured.txt -v level="$level" '
    /^count / { steps++; n += $2; low += $3; high += $4 }
    /^step / {
        n = int(n / steps + 0.5); low /= steps; high /= steps
        name = substr($0, 6); sub(/:.*/, "", name); what = name; gsub(/[ ,]+/, "_", what)
        contacts = $(NF - 2); blocks = $(NF - 1); its[name] = $NF; total[name] = n; lo[name] = low; hi[name] = high
        base = name; sub(/ long$/, "", base)
        if (base != name) { # a run of more iterations: what one contact or joint block costs in one
            k = blocks * (its[name] - its[base])
            printf "%-34s %8.1f a block and iteration\n", base, (n - total[base]) / k
            print "per_visit", "m4f", level, what, int((n - total[base]) / k + 0.999) > out
        } else {
            printf "%-34s %8d   %3d contacts %3d blocks %4d iterations   about %.2f to %.2f ms at 168 MHz (estimate)\n", name, n, contacts, blocks, $NF, low / 168e3, high / 168e3
            print "step", "m4f", level, what, n > out
        }
        steps = n = low = high = 0
    }' $out/raw.txt
# "count N LOW HIGH" and "ask BOXES NAME: QUESTIONS HITS", the mean of a question among so many boxes
$m4f -c tests/targets/rays.c -o $out/rays.o && $m4f $out/rays.o -o $out/rays.elf -lm || exit 1
timeout 600 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
    -plugin $out/insncount.so -kernel $out/rays.elf < /dev/null > $out/rays.txt 2>&1 || ended
awk -v out=$out/measured.txt -v level="$level" '
    /^count / { n = $2 }
    /^ask / {
        if ($NF < 0) exit 1
        name = $0; sub(/^ask [0-9]* /, "", name); sub(/:.*/, "", name); what = name; gsub(/[ ,]+/, "_", what)
        printf "%-34s %8d   among %d boxes, %d of %d met something\n", name, n / $(NF - 1), $2, $NF, $(NF - 1)
        print "ask", "m4f", level, what "_" $2, int(n / $(NF - 1)) >> out
    }' $out/rays.txt || exit 1
if [ "$level" != -O2 ]; then # beside -O2, of budgets.txt
    echo
    awk -v level="$level" 'FILENAME == ARGV[1] { if ($1 == "count" && $4 == "-O2") quick[$2, $5] = $6; next }
        (($1, $4) in quick) && quick[$1, $4] > 0 {
            printf "%-10s %-38s %9d at %s, %9d at -O2, %.2f times\n", $1, $4, $5, level, quick[$1, $4], $5 / quick[$1, $4] }' \
        tests/targets/budgets.txt $out/measured.txt
    if [ "$action" = accept ]; then
        grep -v "^count$level " tests/targets/budgets.txt > $out/budgets.txt
        grep -E ' (box_at_rest|stack_of_ten|pile_of_spheres|chain_of_eight_hinges)_(SIPGS|SIPGS_long|TREE) ' $out/measured.txt |
            sed "s/^/count$level /" >> $out/budgets.txt && cp $out/budgets.txt tests/targets/budgets.txt
    fi
    echo "count at $level: $(grep -c . $out/measured.txt) passed, 0 failed, 0 skipped"
    exit
fi
sh tests/targets/judge.sh count $out/measured.txt "m4f $(arm-none-eabi-gcc -dumpversion)" 0 $action
