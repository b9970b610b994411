#!/bin/sh
# Builds and runs the packages: arduino, cmake, meson, cpp, python; platformio, esp_idf and zephyr where their tools are.
# What each prints must be what the same program prints here.  make packages calls it.  On Debian:
# arduino-builder arduino-core-avr simavr gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm cmake meson g++ python3
set -u
cd "$(dirname "$0")/.." || exit 1
root=$(pwd) out=build/packages
rm -rf $out
mkdir -p $out
passed=0 failed=0 skipped=0

skip() { echo "skipped $1: $2"; skipped=$((skipped + 1)); }

# have WHAT TOOL...: 0 if all tools are here, else one more skipped
have() {
    what=$1
    shift
    for tool in "$@"; do
        command -v "$tool" > /dev/null 2>&1 || { skip "$what" "no $tool"; return 1; }
    done
}

# check WHAT COMMAND...: one more passed or failed
check() {
    what=$1
    shift
    if "$@" > $out/log.txt 2>&1; then
        echo "ok      $what"; passed=$((passed + 1))
    else
        echo "FAILED  $what"; failed=$((failed + 1)); tail -20 $out/log.txt; return 1
    fi
}

warn="-Wall -Wextra -Wshadow -Werror -I. -Iexamples/kit"
m0="-mcpu=cortex-m0plus -mthumb -ffunction-sections -fdata-sections -Wl,--gc-sections --specs=picolibc.specs --oslib=semihost
    --crt0=semihost -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--defsym=__flash=0,--defsym=__flash_size=0x40000
    -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x8000,--defsym=__stack_size=0x1000"
said() { grep -q "$1" "$2" || { cat "$2"; return 1; }; }

# The sketch: here, on a Cortex-M0+ with 32 KB, and by Arduino for a Mega 2560.  The same heights, the same hash.
host_sketch() { c++ -O1 -ffp-contract=off $warn examples/arduino/plain.cpp -o $out/plain && $out/plain > $out/plain.txt && said '^hash ' $out/plain.txt; }
m0_sketch() {
    arm-none-eabi-gcc -x c++ -Os -fno-exceptions -ffp-contract=off $warn examples/arduino/plain.cpp -o $out/m0.elf $m0 -lm &&
        timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -chardev stdio,id=out \
            -semihosting-config enable=on,target=native,chardev=out -kernel $out/m0.elf < /dev/null > $out/m0.txt &&
        diff $out/plain.txt $out/m0.txt
}
# Debian's core wants a macro of C++11 that Debian's avr-g++ has under another name
avr_build() {
    mkdir -p $out/sketch/bounce $out/avr
    cp examples/arduino/bounce/bounce.ino nsc.h nsc_solvers.h examples/kit/nsc_image.h $out/sketch/bounce
    arduino-builder -compile -hardware /usr/share/arduino/hardware -hardware /usr/share/arduino-builder -tools /usr/bin \
        -prefs compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ -fqbn arduino:avr:mega:cpu=atmega2560 \
        -build-path "$root/$out/avr" $out/sketch/bounce/bounce.ino && cp $out/log.txt $out/avr_size.txt
}
# The sketch never ends, so it is stopped after its first hash.
avr_run() {
    stdbuf -oL timeout 120 simavr -m atmega2560 -f 16000000 $out/avr/bounce.ino.elf < /dev/null > $out/avr_raw.txt 2>&1 &
    pid=$!
    while kill -0 $pid 2> /dev/null && ! grep -qa 'hash.*\.\.' $out/avr_raw.txt; do sleep 0.2; done
    kill $pid 2> /dev/null
    wait $pid 2> /dev/null
    tr -d '\r' < $out/avr_raw.txt | sed 's/\x1b\[[0-9;]*m//g; s/\.*$//' | grep -aE '^(height_mm|hash)' | sed '/^hash/q' > $out/avr.txt
    diff $out/plain.txt $out/avr.txt
}

# 01_drop.c, built by other means, prints what cc's program prints.  The bits do not depend on the optimisation: here there
# is none, as it is the quickest.
drop() { $out/$1/drop > $out/$1.txt && diff $out/drop.txt $out/$1.txt; }
cmake_project() { # folder, options of cmake
    folder=$1
    shift
    cmake -S examples/cmake/$folder -B $out/$folder -DCMAKE_BUILD_TYPE=Debug "$@" && cmake --build $out/$folder && drop $folder
}
meson_project() { meson setup --buildtype debug $out/meson examples/meson && meson compile -C $out/meson && drop meson; }
hpp_program() { c++ -std=c++11 -pedantic -O1 -fno-exceptions -fno-rtti -ffp-contract=off $warn examples/cpp/push.cpp -o $out/push && $out/push; }
cpp_program() { c++ -std=c++11 -pedantic -O1 -ffp-contract=off $warn examples/cpp/rewind.cpp -o $out/rewind && $out/rewind > $out/rewind.txt && cat $out/rewind.txt; }

# The main.c of esp_idf and zephyr with stand-ins for what they take of these, for 100 steps: what rots here is seen here.
stand_ins() {
    mkdir -p $out/freertos $out/zephyr/sys
    cat > $out/freertos/FreeRTOS.h << 'END'
#include <stdlib.h>
typedef unsigned TickType_t;
#define pdMS_TO_TICKS(ms) ((ms) / 10)
#define xTaskGetTickCount() 0
#define vTaskDelay(ticks) exit(1)
#define vTaskDelayUntil(woken, ticks) ((*(woken) += (ticks)) == 100 ? exit(0) : (void)0)
void app_main(void);
int main(void) { app_main(); }
END
    cat > $out/zephyr/kernel.h << 'END'
#include <stdlib.h>
#define K_TIMER_DEFINE(name, expired, stopped) static int name
#define K_MSEC(ms) (ms)
#define k_timer_start(timer, first, period) (*(timer) = 0)
#define k_timer_status_sync(timer) (++*(timer) == 100 ? exit(0) : (void)0)
#define k_msleep(ms) exit(1)
END
    echo '#include <stdio.h>' > $out/freertos/task.h
    printf '#include <stdio.h>\n#define printk printf\n' > $out/zephyr/sys/printk.h
    for file in examples/esp_idf/main examples/zephyr/src; do
        cc -std=gnu99 -ffp-contract=off $warn -I$out $file/main.c -o $out/main -lm && $out/main > $out/main.txt || { cat $out/main.txt; return 1; }
        tail -n 1 $out/main.txt | sed 's/.* //' >> $out/main_hash.txt
    done
    [ "$(uniq $out/main_hash.txt | wc -l)" = 1 ] || { cat $out/main_hash.txt; return 1; }
}

# Each example in a folder of its own, with the files that its first comment names and no others: those in the line of "Files:" and
# after it, up to the command or the next sentence; "all of kit/" is all.
alone() {
    for example in examples/[0-9]*.c examples/cluster/sweep.c; do
        rm -rf $out/alone
        mkdir -p $out/alone/here $out/alone/tests
        named=$(sed '/\*\//q' $example | tr '\n' ' ' | sed 's/.*Files: //; s/ cc -.*//; s/ arm-none.*//; s/ With -D.*//')
        case $named in *'all of kit/'*) cp examples/kit/*.h $out/alone/here ;; esac
        for file in $(echo "$named" | grep -oE 'nsc_?[a-z]*\.h') nsc_solvers.h; do
            cp $file examples/kit/$file $out/alone/here 2> /dev/null
        done
        cp $example examples/15_ground.h $out/alone/here
        cp -r tests/robots $out/alone/tests
        ${CC:-cc} -std=gnu11 -ffp-contract=off -Wall -Wextra -Werror -c $out/alone/here/$(basename $example) -o $out/alone.o ||
            { echo "$example: beside it only $(ls $out/alone/here)"; return 1; }
    done
}

if have "Arduino sketch" c++ && check "Arduino sketch as plain C++" host_sketch; then
    tail -n 1 $out/plain.txt
    if have "Arduino sketch on Cortex-M0+" arm-none-eabi-gcc qemu-system-arm; then
        if echo 'int main(void) { return 0; }' | arm-none-eabi-gcc -x c - -o $out/probe.elf $m0 > $out/probe.txt 2>&1; then
            check "Arduino sketch on Cortex-M0+: the same" m0_sketch
        else
            skip "Arduino sketch on Cortex-M0+" "no picolibc"
        fi
    fi
    if [ ! -d /usr/share/arduino/hardware/arduino/avr ]; then
        skip "Arduino sketch on a Mega 2560" "no arduino-core-avr"
    elif have "Arduino sketch on a Mega 2560" arduino-builder avr-g++ simavr && check "Arduino sketch builds for a Mega 2560" avr_build; then
        cat $out/avr_size.txt
        check "Arduino sketch on a Mega 2560: the same" avr_run
    fi
fi
cc -std=c99 -ffp-contract=off -I. examples/01_drop.c -o $out/drop -lm && $out/drop > $out/drop.txt || exit 1
if have cmake cmake; then
    check "cmake, add_subdirectory" cmake_project subdirectory
    check "cmake, FetchContent" cmake_project fetch "-DFETCHCONTENT_SOURCE_DIR_NSC=$root"
fi
have meson meson ninja && check meson meson_project
have "C++" c++ && check "C++: a copy of a world goes the same way" cpp_program
have "C++, nsc.hpp" c++ && check "C++: nsc.hpp without exceptions" hpp_program
have Python python3 && check "Python: tests of nsc.py and three examples" sh tests/python/check.sh && cat $out/log.txt
check "each example with the files that its first comment names, and no others" alone
check "main.c of esp_idf and zephyr, with stand-ins for the systems" stand_ins
have "platformio, not built here" pio && check platformio pio run -d examples/platformio
have "esp_idf, not built here" idf.py && check esp_idf idf.py -C examples/esp_idf -B "$root/$out/esp_idf" build
have "zephyr, not built here" west && check zephyr west build -b qemu_cortex_m3 -d $out/west examples/zephyr
echo "packages: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
