#!/bin/sh
# Code bytes, symbols, stack and RAM on the targets, against the budgets in budgets.txt.
# usage: size.sh [accept]      accept: write what was measured as the new budgets
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/size
mkdir -p $out
budgets=tests/targets/budgets.txt
: > $out/measured.txt
skipped=0

found() { command -v "$1" > /dev/null 2>&1; }
say() { echo "$*" | tee -a $out/measured.txt; }

# name | compiler and flags
targets() {
    cat <<END
m0plus  | arm-none-eabi-gcc -mthumb -mcpu=cortex-m0plus
m4f     | arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
rv32imc | riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32
END
}
picolibc="--specs=picolibc.specs -std=c99 -ffp-contract=off -fno-math-errno -Wall -Wextra -Werror -I."

# What is compiled | flags.  The bytes of a part are the difference of two lines; a new feature is a line here.
parts() {
    cat <<END
all            | -DNSC_WORLD
sipgs          | -DNSC_WORLD -DNSC_NO_APGD -DNSC_NO_DANTZIG -DNSC_ARENA=0
no_apgd        | -DNSC_WORLD -DNSC_NO_APGD
no_dantzig     | -DNSC_WORLD -DNSC_NO_DANTZIG
solvers        |
solvers_sipgs  | -DNSC_NO_APGD -DNSC_NO_DANTZIG
END
}
sections='/^[a-z]/ && $2 ~ /^[tTrR]$/ { print }'

part_size() { # COMPILE FLAGS: bytes of text and constants of the whole implementation
    compile=$1
    shift
    $compile $picolibc "$@" -c tests/targets/size.c -o $out/size.o || return 1
    ${compile%%-gcc*}-size $out/size.o | awk 'NR == 2 { print $1 + $2 }'
}

targets > $out/targets
while IFS='|' read -r target compile; do
    target=$(echo $target)
    tool=${compile# } tool=${tool%% -*}
    if ! found $tool; then echo "skipped: no $tool"; skipped=$((skipped + 1)); continue; fi
    for opt in -Os -O2; do
        parts > $out/parts
        while IFS='|' read -r part flags; do
            say "code $target $opt $(echo $part) $(part_size "$(echo $compile)" $opt $flags)"
        done < $out/parts
    done
    # symbols it needs (soft float helpers are the compiler's own), and writable globals
    $compile $picolibc -Os -ffreestanding -DNSC_WORLD -c tests/targets/size.c -o $out/size.o
    nm=${tool%-gcc}-nm
    say "undefined $target - symbols $($nm -u $out/size.o | grep -cvE ' (__aeabi_|__(add|sub|mul|div|float|fix|eq|ne|lt|le|gt|ge|unord|mul|div|udiv|mod|umod|clz|ashl|ashr|lshr)[a-z0-9]*$)')"
    say "globals $target - writable $($nm $out/size.o | grep -cE ' [bBdDC] ')"
done < $out/targets
