#!/bin/sh
# Exact instructions of the median and of the worst step, per solver, on Cortex-M4F at -O2, counted in QEMU by a plugin:
# worst.c says of what.  Fails if AUTO's worst step is above 20 times its median.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/worst
mkdir -p $out
for tool in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "skipped: no $tool"; echo "worst: 0 passed, 0 failed, 1 skipped"; exit 0
    fi
done
cc -O2 -shared -fPIC tests/targets/insncount.c -o $out/insncount.so || exit 1
m4f="arm-none-eabi-gcc -std=c99 -O2 -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror -Wno-unused-function -I. -Iexamples/kit
    -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs --oslib=semihost --crt0=semihost
    -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000
    -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000,--defsym=__stack_size=0x2000"
$m4f -c tests/targets/worst.c -o $out/worst.o && $m4f $out/worst.o -o $out/worst.elf -lm || exit 1 # ccache keeps the first
timeout 1200 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
    -plugin $out/insncount.so -kernel $out/worst.elf < /dev/null > $out/worst_raw.txt 2>&1
# "count N LOW HIGH" and "world SOLVER SCENE FACTORISATIONS" come in pairs
awk '/^count / { n = $2 } /^world / { print $2, $3, n, $4 }' $out/worst_raw.txt | sort -k1,2 -k3,3n | awk '
    function finish() {
        if (!count) return
        median = n[int((count + 1) / 2)]; ratio = n[count] / median
        printf (solver == "AUTO" && ratio > 20 ? "FAILED: " : "") "%-8s %-10s %3d steps: median %9d, worst %9d instructions, %5.1f times; most factorisations of a solve %d\n", \
            solver, scene, count, median, n[count], ratio, most
        if (solver == "AUTO") { if (ratio <= 20) passed++; else failed++ }
        count = most = 0
    }
    $1 != solver || $2 != scene { finish(); solver = $1; scene = $2 }
    { n[++count] = $3; if ($4 > most) most = $4 }
    END { finish(); printf "worst: %d passed, %d failed, 0 skipped\n", passed, failed; exit failed > 0 || passed < 2 }'
