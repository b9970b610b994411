#!/bin/sh
# Build nsc wrongly on purpose: the compile-time guards must refuse, or nsc_selfcheck must name the cause.
set -u
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
passed=0 failed=0 skipped=0
bin=build/wrong

# what is expected | compiler and flags.  "refused": does not compile.  Otherwise code and detail (NSC_CHECK_*) printed.
table() {
    cat <<END
0 0     | gcc -O3 -march=native -ffp-contract=fast
0 0     | g++ -x c++ -O2 -march=native
0 0     | clang -O2 -march=native
refused | gcc -O2 -ffast-math
refused | gcc -Ofast
refused | gcc -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
refused | gcc -O2 -freciprocal-math
refused | gcc -O2 -ffinite-math-only
refused | clang -O2 -ffast-math
refused | clang -O2 -ffinite-math-only
refused | i686-linux-gnu-gcc -O2 -static
refused | gcc -O2 -mfpmath=387
refused | s390x-linux-gnu-gcc -std=c99 -O2 -static
refused | m68k-linux-gnu-gcc -O2 -static
refused | avr-gcc -O2 -mmcu=atmega2560 -DNSC_DOUBLE -DNSC_MAX_CONTACTS=4 -DNSC_MAX_BODIES=2 -DNSC_ARENA=0
-7 1    | clang -O2 -mfma -ffp-contract=fast
-7 1    | clang -O2 -mfma -ffp-contract=fast -DNSC_DOUBLE
-7 2    | gcc -O2 -mfpmath=387 -DNSC_NO_GUARD
-7 4    | clang -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math
-7 4    | clang -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math -DNSC_DOUBLE
-7 8    | clang -O2 -freciprocal-math
-7 8    | clang -O2 -freciprocal-math -DNSC_DOUBLE
5 16    | gcc -O1 -DFTZ
5 16    | gcc -O1 -DFTZ -DNSC_DOUBLE
5 32    | gcc -O1 -DDAZ
5 32    | gcc -O1 -DDAZ -DNSC_DOUBLE
-7 64   | gcc -O1 -frounding-math -DUPWARD
-7 64   | gcc -O1 -frounding-math -DUPWARD -DNSC_DOUBLE
-7 128  | gcc -O1 -DBAD_SQRT
END
}

found() { command -v "$1" > /dev/null 2>&1; }
table > build/wrong.txt
while IFS='|' read -r want build; do
    want=$(echo $want)
    if ! found ${build%% -*}; then
        skipped=$((skipped + 1)); echo "skipped: no ${build%% -*}"; continue
    fi
    if $build -I. -Iexamples/kit tests/targets/selfcheck.c -o $bin -lm > build/wrong.log 2>&1; then got=$($bin)
    elif grep -q "#error" build/wrong.log; then got=refused
    else got="error of another kind: $(head -1 build/wrong.log)"; fi
    if [ "$got" = "$want" ]; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "FAILED:$build: $got, expected $want"; fi
done < build/wrong.txt

# a file in float beside an implementation in double, and the reverse: structs differ, so no call may be made
for real in float double; do
    option= other=-DNSC_DOUBLE
    [ $real = float ] || option=-DNSC_DOUBLE other=
    echo '#define NSC_IMPLEMENTATION
#include "nsc.h"' | gcc -x c -O1 $other -I. -c - -o $bin.o
    echo '#include "nsc.h"
static nsc_world world;
int main(void) { nsc_world_def def = nsc_default_world_def(); return nsc_world_init(&world, &def); }' > $bin.c
    if gcc -O1 $other -I. $bin.c $bin.o -o $bin -lm && $bin && ! gcc -O1 $option -I. $bin.c $bin.o -o $bin -lm 2> build/wrong.log &&
        grep -q 'undefined reference to .nsci_world_init' build/wrong.log; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "FAILED: a file in $real beside an implementation in the other"; fi
done

# software double of Thumb-2, linked without and with the remedy of targets.sh
if found arm-none-eabi-gcc && found qemu-system-arm; then
    for cpu in cortex-m3 "cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"; do
        arm-none-eabi-gcc -O2 -mthumb -mcpu=$cpu -DNSC_DOUBLE -I. -Iexamples/kit --specs=picolibc.specs --oslib=semihost --crt0=semihost \
            -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000,--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000 \
            tests/targets/selfcheck.c -o $bin -lm
        got=$(qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
            -semihosting-config enable=on,target=native -kernel $bin < /dev/null 2>&1)
        if [ "$got" = "-7 64" ]; then passed=$((passed + 1))
        else failed=$((failed + 1)); echo "FAILED: $cpu double: $got, expected -7 64"; fi
    done
else
    skipped=$((skipped + 2)); echo "skipped: no arm-none-eabi-gcc or qemu-system-arm"
fi
echo "wrong builds: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
