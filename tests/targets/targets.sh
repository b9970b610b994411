#!/bin/sh
# The same scenes on every processor and compiler found: one hash for float, one for double.
# usage: targets.sh all | NAME... | accept | bits    a target is a line of the table below
# REALS=float: in that precision alone
set -u
cd "$(dirname "$0")/../.." || exit 1
out=build/targets
mkdir -p $out
expected=tests/targets/hashes.txt

strict="-std=c99 -O2 -ffp-contract=off -Wall -Wextra -Werror"
pico="$strict -fno-math-errno -ffunction-sections -fdata-sections --specs=picolibc.specs --oslib=semihost --crt0=semihost"
pico="$pico -DPICOLIBC_INTEGER_PRINTF_SCANF"
mem() { # flash ram size
    echo "-Wl,--defsym=__flash=$1,--defsym=__flash_size=0x400000,--defsym=__ram=$2,--defsym=__ram_size=$3,--defsym=__stack_size=0x1000"
}
semihost="-nographic -monitor none -serial none -semihosting-config enable=on,target=native"
arm="arm-none-eabi-gcc $pico -mthumb"
armrun="qemu-system-arm $semihost -M"
rv="riscv64-unknown-elf-gcc $pico -mcmodel=medany $(mem 0x80000000 0x80400000 0x400000)"
an="$(mem 0 0x20000000 0x400000)"
m33="$(mem 0x10000000 0x38000000 0x400000)"
m55="$(mem 0 0x20000000 0x80000)"
hard="-mfloat-abi=hard"
wasm="--target=wasm32 -O1 -mbulk-memory -ffreestanding -nostdlib -Wl,--no-entry -Wl,--export=main -Wl,--allow-undefined"
wasm="$wasm -fuse-ld=lld -DNSC_MEMCPY=__builtin_memcpy -DNSC_MEMSET=__builtin_memset"
em="-sSINGLE_FILE=1 -sWASM_ASYNC_COMPILATION=0 -sENVIRONMENT=node"
rp2040js=${NSC_RP2040JS:-build/npm} # npm install --prefix build/npm rp2040js@1.4.1
rp="arm-none-eabi-gcc $strict -fno-math-errno -ffunction-sections -fdata-sections --specs=picolibc.specs --crt0=hosted"
rp="$rp -DPICOLIBC_INTEGER_PRINTF_SCANF -mthumb -mcpu=cortex-m0plus $(mem 0x10000000 0x20000000 0x42000)"
rp="$rp -include tests/targets/rp2040_port.h"
rprun="node tests/targets/rp2040.mjs $rp2040js"
lld="-fuse-ld=lld -Wno-unused-command-line-argument"
sse="-msse2 -mfpmath=sse"
# libgcc's double subtraction for Thumb-2 errs in the last bit (GCC 12); the one for ARMv6-M does not
v6m="-Wl,--no-warn-mismatch $(arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -print-libgcc-file-name 2> /dev/null)"

# Half of the time goes into compiling: -O3 stands where it makes vectors, -O1 where another line of that kind has -O2.
# name | compiler and flags | runner, - for this machine | what is run: float double small, v6m: double with that libgcc
# small: the scenes for an AVR, a build for each kind; parts: also the scenes of a build with locks, belts, words, a mesh and const tables;
# waves: also those of one with NSC_BARRIER and NSC_PARALLEL; on rp2040 they are shared by both cores.  In double only the small fit its RAM.
table() {
    cat <<END
host_gcc_O2      | gcc $strict                                                  | -                     | float double waves
host_gcc_O0      | gcc -O0                                                      | -                     | float double
host_gcc_O3      | gcc $strict -O3 -march=native -flto                          | -                     | float double waves
host_gcc_scalar  | gcc $strict -march=native -DNSC_LANES=0                      | -                     | float double waves
host_gcc_noflags | gcc -std=gnu11 -O3 -march=native                             | -                     | float double
host_gpp_noflags | g++ -x c++ -O1 -march=native                                 | -                     | float double
host_clang_O0    | clang $strict -O0                                            | -                     | float double
host_clang_O3    | clang $strict -O3 -march=native -flto=thin $lld              | -                     | float double waves
host_clang_none  | clang -O2 -march=native                                      | -                     | float double
host_tcc         | tcc                                                          | -                     | float double
wasm32           | clang $wasm                                                  | node                  | float double
emscripten       | emcc $strict -O1 $em                                         | node --no-warnings    | float double
aarch64          | aarch64-linux-gnu-gcc $strict -static                        | qemu-aarch64          | float double waves
aarch64_noflags  | aarch64-linux-gnu-gcc -O2 -static                            | qemu-aarch64          | float double
armhf            | arm-linux-gnueabihf-gcc $strict -O3 -mfpu=neon-vfpv4 -static | qemu-arm              | float double
mips_be          | mips-linux-gnu-gcc $strict -O1 -static                       | qemu-mips             | float double
mips64el         | mips64el-linux-gnuabi64-gcc $strict -O1 -static              | qemu-mips64el         | float double
powerpc_be       | powerpc-linux-gnu-gcc $strict -O1 -static                    | qemu-ppc              | float double
sparc64_be       | sparc64-linux-gnu-gcc $strict -O1 -static                    | qemu-sparc64          | float double
s390x_be         | s390x-linux-gnu-gcc $strict -O1 -fexcess-precision=fast -static | qemu-s390x            | float double parts
i686             | i686-linux-gnu-gcc $strict -O1 $sse -static                  | qemu-i386             | float double
riscv64          | riscv64-linux-gnu-gcc -O1 -static                            | qemu-riscv64          | float double waves
m0_microbit      | $arm -mcpu=cortex-m0 $(mem 0 0x20000000 0x4000)              | $armrun microbit      | float small
m0plus           | $arm -mcpu=cortex-m0plus $an                                 | $armrun mps2-an385    | float double
rp2040           | $rp                                                          | $rprun                | float small waves
rp2040_all       | $rp                                                          | $rprun                | float
rp2040_double    | $rp                                                          | $rprun                | double small
m3               | $arm -mcpu=cortex-m3 $an                                     | $armrun mps2-an385    | float double v6m
m4f              | $arm -mcpu=cortex-m4 $hard -mfpu=fpv4-sp-d16 $an             | $armrun mps2-an386    | float double v6m parts waves
m4f_Os           | $arm -Os -mcpu=cortex-m4 $hard -mfpu=fpv4-sp-d16 $an         | $armrun mps2-an386    | float double v6m
m7               | $arm -mcpu=cortex-m7 $hard -mfpu=fpv5-d16 $an                | $armrun mps2-an500    | float double
m33              | $arm -mcpu=cortex-m33 $hard -mfpu=fpv5-sp-d16 $m33           | $armrun mps2-an505    | float double v6m
m55              | $arm -O3 -mcpu=cortex-m55 $hard $m55                         | $armrun mps3-an547    | float double
rv32imc          | $rv -march=rv32imc -mabi=ilp32                               | qemu-system-riscv32 -M virt -bios none $semihost | float double
rv32imac         | $rv -march=rv32imac -mabi=ilp32                              | qemu-system-riscv32 -M virt -bios none $semihost | float double
rv32imafc        | $rv -march=rv32imafc -mabi=ilp32f                            | qemu-system-riscv32 -M virt -bios none $semihost | float double
rv64gc           | $rv -march=rv64gc -mabi=lp64d                                | qemu-system-riscv64 -M virt -bios none $semihost | float double
avr              | avr-gcc -std=gnu99 -Os -mrelax -mmcu=atmega2560 -DNSC_STATIC -ffunction-sections -Wl,--gc-sections        | simavr -m atmega2560 -f 16000000 | float small
END
}

found() { command -v "$1" > /dev/null 2>&1; }

# build SOURCE PRECISION-AND-SIZE-FLAGS: the program of the present target; in two steps where ccache can keep the first
build() {
    source=$1
    shift
    case "$name$*" in
    wasm*DOUBLE*) $compile "$@" -DNSC_SQRT=__builtin_sqrt -I. -Iexamples/kit $source -o $base ;;
    wasm*) $compile "$@" -DNSC_SQRT=__builtin_sqrtf -I. -Iexamples/kit $source -o $base ;;
    emscripten*) $compile "$@" -I. -Iexamples/kit $source -o $base.js && mv $base.js $base ;;
    *tcc*) $compile "$@" -I. -Iexamples/kit $source -o $base -lm ;;
    *) $compile "$@" -I. -Iexamples/kit -c $source -o $base.o && $compile -x none $base.o -o $base $last -lm ;;
    esac
}

run() {
    case $runner in
    -) $base ;;
    node) node tests/targets/wasm_say.mjs $base ;;
    qemu-system-*) timeout 900 $runner -kernel $base < /dev/null ;;
    simavr*) timeout 600 $runner $base < /dev/null 2>&1 | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g; s/\.*$//' ;;
    *) timeout 900 $runner $base ;;
    esac
}

# Set `cpu` to the CPU seconds of what this shell has run; no subshell, for that has times of its own.
measure() {
    times > $out/$name.times
    cpu=$(awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%.0f", 60 * t[1] + t[2] + 60 * t[3] + t[4] }' $out/$name.times)
}

# One target: compare each hash it prints with the expected ones; a line "ok", "FAILED" or "skipped" for each run.
one() {
    name=$1 last=
    case " ${BUT:-} " in *" $name "*) echo "skipped $name: BUT leaves it out"; return ;; esac
    line=$(table | grep "^$name ") || { echo "FAILED $name: no such target"; return; }
    compile=$(echo "$line" | cut -d'|' -f2) runner=$(echo "$line" | cut -d'|' -f3 | sed 's/^ *//; s/ *$//')
    what=$(echo "$line" | cut -d'|' -f4) steps=400
    case $runner in qemu-system-* | simavr* | *rp2040*) steps=100 ;; esac # emulated one by one: a quarter of the way
    case $what in
    *small*) builds="1 2" kinds='small|joint' ;;
    *) builds=0 kinds='small|joint|all' ;;
    esac
    for kind in parts waves; do
        case $what in *$kind*) builds="$builds $kind" kinds="$kinds|$kind" ;; esac
    done
    for real in $what; do
        case ${REALS:-float double} in *$real*) ;; *) continue ;; esac
        case $real in float) flags= last= ;; double) flags=-DNSC_DOUBLE last= ;; *) continue ;; esac
        case $what$real in *v6m*double) last=$v6m ;; esac
        for tool in ${compile%% -*} ${runner%% *}; do
            if [ "$tool" != - ] && ! found "$tool"; then echo "skipped $name $real: no $tool"; continue 2; fi
        done
        case $runner in *rp2040*)
            if [ ! -d $rp2040js/node_modules/rp2040js ]; then
                echo "skipped $name $real: no rp2040js"
                continue
            fi ;;
        esac
        measure
        base=$out/$name.$real begin=$cpu
        : > $base.txt
        for small in $builds; do
            case $small in parts) scenes=-DSCENES_PARTS=1 ;; waves) scenes=-DSCENES_WAVES=1 ;; *) scenes=-DSCENES_SMALL=$small ;; esac
            if ! build tests/targets/hash.c $flags $scenes -DSTEPS=$steps > $base.log 2>&1; then
                if grep -qE "fatal error: [a-z/]*\.h: No such|cannot read spec|cannot find (-l|crt)" $base.log; then
                    echo "skipped $name $real: no libc for it"
                else
                    echo "FAILED $name $real: does not build"; head -5 $base.log
                fi
                continue 2
            fi
            run >> $base.txt 2>&1
        done
        want=$(grep "^hash$steps $real" $expected | grep -E " ($kinds) ")
        got=$(grep -a "^hash$steps " $base.txt)
        measure
        if [ -n "$want" ] && [ "$got" = "$want" ] && grep -qa "^selfcheck ok" $base.txt && ! grep -qa "^selfcheck failed" $base.txt; then
            echo "ok $name $real $(echo "$got" | sed 's/.* //' | tr '\n' ' ')$((cpu - begin)) s"
        else
            echo "FAILED $name $real: $({ grep -a "^selfcheck failed" $base.txt; tail -n 3 $base.txt; } | tr '\n' ';')"
        fi
    done
}

case ${1:-all} in
accept) # write down the hashes of this build as the ones to expect
    for real in float double; do
        for steps in 400 100; do
            for scenes in SMALL=0 PARTS=1 WAVES=1; do
                gcc $strict $([ $real = double ] && echo -DNSC_DOUBLE) -DSTEPS=$steps -DSCENES_$scenes -I. -Iexamples/kit tests/targets/hash.c -o $out/accept -lm || exit 1
                $out/accept | grep ^hash
            done
        done
    done > $expected.new && mv $expected.new $expected && cat $expected
    sh tests/targets/targets.sh bits ;;
bits) # the same for tests/targets/bits.h alone
    for real in float double; do
        for test in same_bits replay replay_pairs replay_barrier replay_short replay_solvers replay_calls replay_trees replay_parts; do
            gcc $strict -O0 -DNSC_SHORT_BLOCKS=0 $([ $real = double ] && echo -DNSC_DOUBLE) -I. -Iexamples/kit -Itests -Itests/harness tests/*/test_$test.c -o $out/accept -lm || exit 1
            $out/accept accept || exit 1
        done > $out/bits.said || exit 1
        tr -d ')' < $out/bits.said > $out/bits.$real
    done
    { echo "/* Written by make targets-accept, read by tests/bits/expected.h: name, hash in float, hash in double */"
        paste -d, $out/bits.float $out/bits.double | sed 's/,BITS("[^"]*",\(.*\)/,\1)/'; } > tests/targets/bits.h.new &&
        mv tests/targets/bits.h.new tests/targets/bits.h ;;
one) one "$2" ;;
*) # all, or these
    if [ "${1:-all}" = all ]; then table | cut -d' ' -f1; else printf '%s\n' "$@"; fi |
        xargs -n 1 -P "${NSC_JOBS:-$(nproc 2> /dev/null || echo 1)}" sh tests/targets/targets.sh one | tee $out/summary.$$
    awk '/^ok/ { p++ } /^FAILED/ { f++ } /^skipped/ { s++ }
         END { printf "targets: %d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p + s == 0 }' $out/summary.$$
    code=$?
    rm -f $out/summary.$$
    exit $code ;;
esac
