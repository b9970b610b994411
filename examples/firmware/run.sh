#!/bin/sh
# Builds main.c, balancer.c, predict.c, hopper.c, arm.c, rover16.c and 17_recorder.c for a Cortex-M4F, cart.c for a Cortex-M0+ and web.c for wasm32, runs
# them in QEMU and node; what the recorder wrote is replayed here.  make firmware calls it.
# On Debian: gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm, clang lld nodejs
set -u
cd "$(dirname "$0")/../.." || exit 1
from=examples/firmware out=build/firmware
mkdir -p $out
passed=0 failed=0 skipped=0

strict="-std=c99 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Werror -I. -Iexamples/kit"
m4f="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -fno-math-errno -ffunction-sections -fdata-sections"
# picolibc brings start-up code, vector table and linker script; the linker refuses what is beyond 128 KB and 32 KB
# (-T after the symbols, or the script does not see __stack_size and reserves 2 KB)
pico="--specs=picolibc.specs --oslib=semihost -Tpicolibc.ld -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--gc-sections
    -Wl,--defsym=__flash=0 -Wl,--defsym=__flash_size=0x20000 -Wl,--defsym=__ram=0x20000000 -Wl,--defsym=__ram_size=0x8000
    -Wl,--defsym=__stack_size=0x1000"
wasm="--target=wasm32 -mbulk-memory -ffreestanding -nostdlib -fuse-ld=lld -Wl,--no-entry -Wl,--strip-all
    -DNSC_MEMCPY=__builtin_memcpy -DNSC_MEMSET=__builtin_memset -DNSC_SQRT=__builtin_sqrtf"

# have WHAT TOOL...: 0 if all tools are here, else one more skipped
have() {
    what=$1
    shift
    for tool in "$@"; do
        command -v "$tool" > /dev/null 2>&1 || { echo "skipped $what: no $tool"; skipped=$((skipped + 1)); return 1; }
    done
}

# check WHAT COMMAND...: one more passed or failed
check() {
    what=$1
    shift
    if "$@"; then echo "ok      $what"; passed=$((passed + 1)); else echo "FAILED  $what"; failed=$((failed + 1)); return 1; fi
}

# board SHIFT IMAGE [MACHINE]: one instruction takes 2^SHIFT ns, so a run is the same every time; sleep=off does not wait in WFI
board() {
    timeout 120 qemu-system-arm -M ${3:-mps2-an386} -display none -monitor none -serial none -chardev stdio,id=out \
        -semihosting-config enable=on,target=native,chardev=out -icount "shift=$1,sleep=off" -kernel "$2" < /dev/null
}

# The balancer: stands after a push, and says what a tick costs
arm_balance() { board 3 $out/balancer.elf > $out/balancer.txt; code=$?; cat $out/balancer.txt; [ $code = 0 ]; }
# The predictor: 64 KB of RAM; its gain is the host's, and it stands after a push
predict_build() { arm_build_from predict -Wl,--defsym=__ram_size=0x10000 -Wl,--defsym=__flash_size=0x23000 -o $out/predict.elf; }
arm_predict() { board 3 $out/predict.elf > $out/predict.txt; code=$?; cat $out/predict.txt; [ $code = 0 ]; }
# The hopper: the same, in coordinates of its joints, and it hops
hopper_build() { arm_build_from hopper -Wl,--defsym=__ram_size=0x10000 -Wl,--defsym=__flash_size=0x22000 -o $out/hopper.elf; }
arm_hopper() { board 3 $out/hopper.elf > $out/hopper.txt; code=$?; cat $out/hopper.txt; [ $code = 0 ]; }
# The arm: its numbers are the host's
arm_follows_build() { arm_build_from arm -Wl,--defsym=__ram_size=0x10000 -Wl,--defsym=__flash_size=0x40000 -o $out/arm.elf; }
arm_follows() { board 3 $out/arm.elf > $out/arm.txt; code=$?; cat $out/arm.txt; [ $code = 0 ]; }
arm_build_from() { file=$1; shift; arm-none-eabi-gcc $strict $m4f $pico --crt0=semihost "$@" $from/$file.c -lm; }
# The recorder: 70 KB of RAM, of which 16 for an image.  Its record must replay here, hash by hash, and damage to it must be named.
recorder_build() {
    arm_build_from ../17_recorder -DRECORDER_DEVICE -Wl,--defsym=__ram_size=0x20000 -o $out/recorder.elf &&
        ${CC:-cc} -std=c99 -O1 -ffp-contract=off -DNSC_STATIC -I. -Iexamples/kit examples/17_recorder.c -o $out/recorder -lm
}
recorder_writes() { board 3 $out/recorder.elf > $out/recorder.log; code=$?; wc -lc $out/recorder.log; [ $code = 0 ]; }
recorder_replays() { $out/recorder replay $out/recorder.log && [ "$(grep -c '^[0-9]' $out/recorder.log)" = 1000 ]; }
# Not only its hashes: what the same program writes here has the same bytes, images included.
recorder_alike() {
    ${CC:-cc} -std=c99 -O1 -ffp-contract=off -DNSC_STATIC -DRECORDER_DEVICE -I. -Iexamples/kit examples/17_recorder.c -o $out/recorder_here -lm &&
        $out/recorder_here > $out/recorder_here.log && cmp $out/recorder.log $out/recorder_here.log
}
# The desktop's build, which has more parts, reaches the same hash in every step, though its images differ.
recorder_other() {
    $out/recorder record > $out/recorder_other.log && ! cmp -s $out/recorder.log $out/recorder_other.log || return 1
    for log in recorder recorder_other; do grep '^[0-9]' $out/$log.log > $out/$log.steps; done
    [ -s $out/recorder.steps ] && cmp $out/recorder.steps $out/recorder_other.steps
}
recorder_damaged() { $out/recorder damage $out/recorder.log; }
# The least RAM: all bytes of it, of which the stack's; 64 bytes less do not link.  Whatever makes the world smaller makes these smaller,
# and must, or what links with less fails.  The stack is that of GCC 12.2.
rover_ram=15760 rover_stack=1064 cart_ram=7352 cart_stack=1216
least="-Os -fconserve-stack -fno-inline-functions-called-once -ffunction-sections -fdata-sections" # less stack, 8 % more time
m0plus="-mcpu=cortex-m0plus -mthumb"
least_compiles() { arm-none-eabi-gcc $strict $pico $least $m4f -c $from/rover16.c -o $out/rover.o && arm-none-eabi-gcc $strict $pico $least $m0plus -c $from/cart.c -o $out/cart.o; }
least_links() { # NAME RAM STACK FLASH FLAGS
    name=$1 ram=$2 stack=$3 flash=$4
    shift 4
    arm-none-eabi-gcc $pico --crt0=hosted -Wl,--defsym=__ram_size=$ram -Wl,--defsym=__stack_size=$stack -Wl,--defsym=__flash_size=$flash \
        "$@" $out/$name.o -o $out/$name.elf -lm
}
rover_links() { least_links rover $(($rover_ram - $1)) $(($rover_stack - ${3:-0})) $2 $m4f; }
cart_links() { least_links cart $(($cart_ram - $1)) $cart_stack 0x15000 $m0plus; }
too_much() { ! "$@" 2> $out/too_much.log && grep -q "region .$region. overflowed" $out/too_much.log; }
rover_grips() { board 3 $out/rover.elf > $out/rover.txt; code=$?; cat $out/rover.txt; [ $code = 0 ]; }
# Stack and world meet: it must say so before it drives.
rover_stops() {
    rover_links 320 0x10000 320 || return 1 # the first tick, without an interrupt, needs 904; one after an unsolved one 1064
    board 3 $out/rover.elf > $out/rover_stops.txt
    [ $? = 1 ] && grep 'HALT the stack stays in its room' $out/rover_stops.txt
}
cart_returns() { board 3 $out/cart.elf microbit > $out/cart.txt; code=$?; cat $out/cart.txt; [ $code = 0 ]; }
arm_build() { arm_build_from main "$@"; }
# 8 ns: about what an M4F at 200 MHz needs (1.6 cycles an instruction, an estimate).  In time, and to the right end.
arm_run() { board 3 $out/m4f.elf > $out/m4f.txt; code=$?; cat $out/m4f.txt; [ $code = 0 ] && grep -q '^5000 ms.* overruns 0 ' $out/m4f.txt; }
# 64 ns: 25 MHz, too slow for the scene.  It must say so, lose ticks and still end right.
arm_slow() { board 6 $out/m4f.elf > $out/slow.txt; code=$?; tail -n 1 $out/slow.txt; [ $code = 0 ] && ! grep -q '^5000 ms.* overruns 0 ' $out/slow.txt; }
# An FPU in the wrong mode: boot must stop with the reason.
arm_broken() { board 3 $out/broken.elf > $out/broken.txt; code=$?; cat $out/broken.txt; [ $code = 1 ] && grep -q 'operands count as zero' $out/broken.txt; }

if have "Cortex-M4F" arm-none-eabi-gcc arm-none-eabi-size qemu-system-arm; then
    if echo 'int main(void) { return 0; }' | arm-none-eabi-gcc $m4f $pico --crt0=semihost -x c - -o $out/probe.elf > $out/probe.log 2>&1; then
        if check "Cortex-M4F builds" arm_build -o $out/m4f.elf; then
            arm-none-eabi-size $out/m4f.elf
            check "Cortex-M4F runs, every step in time" arm_run
            check "Cortex-M4F too slow: ticks lost and counted" arm_slow
        fi
        check "Cortex-M4F balancer builds" arm_build_from balancer -o $out/balancer.elf && check "Cortex-M4F balancer stands" arm_balance
        check "Cortex-M4F predictor builds" predict_build && check "Cortex-M4F predictor finds its gain and stands" arm_predict
        check "Cortex-M4F hopper builds" hopper_build && check "Cortex-M4F hopper finds its gain, stands and hops" arm_hopper
        check "Cortex-M4F arm builds" arm_follows_build && check "Cortex-M4F arm follows a circle and presses on a wall" arm_follows
        case $(arm-none-eabi-gcc -dumpversion) in
        12.2*)
            check "Cortex-M4F rover and Cortex-M0+ cart compile" least_compiles
            region=ram check "Cortex-M4F rover does not link with 64 bytes of RAM less" too_much rover_links 64 0x10000
            region=flash check "nor with 56 KB of flash" too_much rover_links 0 0xe000
            check "with 320 bytes of stack less it stops" rover_stops
            check "Cortex-M4F rover links in $rover_ram bytes of RAM and 64 KB of flash" rover_links 0 0x10000 &&
                check "Cortex-M4F rover grips, pulls and returns" rover_grips
            region=ram check "Cortex-M0+ cart does not link with 64 bytes of RAM less" too_much cart_links 64
            check "Cortex-M0+ cart links in $cart_ram bytes of RAM" cart_links 0 && check "Cortex-M0+ cart returns" cart_returns ;;
        *) echo "skipped least RAM: it is GCC 12.2's"; skipped=$((skipped + 1)) ;;
        esac
        if check "Cortex-M4F recorder builds" recorder_build && check "Cortex-M4F recorder writes its record" recorder_writes; then
            check "its record replays here to the same hash in each step" recorder_replays
            check "the same program writes the same bytes here" recorder_alike
            check "a build with more parts has the same hashes" recorder_other
            check "damage to its record is named" recorder_damaged
        fi
        check "Cortex-M4F with a broken FPU builds" arm_build -DBREAK_FPU -o $out/broken.elf &&
            check "Cortex-M4F with a broken FPU refuses to start" arm_broken
    else
        echo "skipped Cortex-M4F: no picolibc"; skipped=$((skipped + 1))
    fi
fi
if have wasm32 clang wasm-ld node; then
    if check "wasm32 builds" clang $strict $wasm $from/web.c -o $out/web.wasm; then
        echo "$(wc -c < $out/web.wasm) bytes"
        check "wasm32 runs" node $from/web.mjs $out/web.wasm
    fi
fi
echo "firmware: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
