#!/bin/sh
# Instructions of dear steps on Cortex-M4F at -O2, counted in QEMU by a plugin, against examples/kit/nsc_bound.h: what its table is
# made of, then five configurations: none may be above its bound, the dearest not below 60 % of it, and neither above budgets.txt.
# usage: bound.sh            check
#        bound.sh accept     write the table into the header, then the budgets
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/bound action=${1:-} header=examples/kit/nsc_bound.h
mkdir -p $out
mkdir -p build/stages && awk -f tests/bench/stages.awk nsc.h > build/stages/nsc.h || exit 1
for tool in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "skipped: no $tool"; echo "bound: 0 passed, 0 failed, 1 skipped"; exit 0
    fi
done
cc -O2 -shared -fPIC tests/targets/insncount.c -o $out/insncount.so || exit 1

run() { # configuration, flags
    arm-none-eabi-gcc -DCONFIG=$1 $2 -std=c99 -O2 -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror -Wno-unused-function -Ibuild/stages -I. -Iexamples/kit \
        -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs --oslib=semihost --crt0=semihost \
        -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000 \
        -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000,--defsym=__stack_size=0x4000 \
        tests/targets/bound.c -o $out/bound$1.elf -lm || exit 1
    timeout 1200 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
        -plugin $out/insncount.so -kernel $out/bound$1.elf < /dev/null > $out/raw$1.txt 2>&1 ||
        { echo "FAILED: QEMU ended with code $?"; exit 1; }
}

run 0 "-DPAIR_WORLDS=1500 -DWORLDS=12"
python3 tests/targets/bound.py table $out/raw0.txt > $out/table.txt || exit 1
if [ "$action" = accept ]; then
    { sed '/^\/\* begin \*\/$/q' $header; cat $out/table.txt; sed -n '/^\/\* end \*\/$/,$p' $header; } > $header.new && mv $header.new $header
fi
for config in 1 2 3 4 5 6 7; do
    run $config "-DWORLDS=${WORLDS:-40} -DSTEPS=6"
done
python3 tests/targets/bound.py judge $out $header > $out/judged.txt
failed=$?
cat $out/judged.txt
grep '^world ' $out/judged.txt | sed 's/^world //' > $out/measured.txt
sh tests/targets/judge.sh bound $out/measured.txt "m4f $(arm-none-eabi-gcc -dumpversion)" 0 $action && exit $failed
