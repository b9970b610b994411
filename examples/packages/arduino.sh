# Arduino: nsc-arduino-VERSION.zip, a library with a sketch.  The sketch here, on a Cortex-M0+ with 32 KB, and built by Arduino from
# the library for a Mega 2560: the same heights, the same hash.
m0="-mcpu=cortex-m0plus -mthumb -ffunction-sections -fdata-sections -Wl,--gc-sections --specs=picolibc.specs --oslib=semihost
    --crt0=semihost -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--defsym=__flash=0,--defsym=__flash_size=0x40000
    -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x8000,--defsym=__stack_size=0x1000"
host_sketch() { c++ -O1 -ffp-contract=off $warn examples/arduino/plain.cpp -o $out/plain && $out/plain > $out/plain.txt && said '^hash ' $out/plain.txt; }
m0_sketch() {
    arm-none-eabi-gcc -x c++ -Os -fno-exceptions -ffp-contract=off $warn examples/arduino/plain.cpp -o $out/m0.elf $m0 -lm &&
        timeout 60 qemu-system-arm -M mps2-an385 -display none -monitor none -serial none -chardev stdio,id=out \
            -semihosting-config enable=on,target=native,chardev=out -kernel $out/m0.elf < /dev/null > $out/m0.txt &&
        diff $out/plain.txt $out/m0.txt
}
arduino_library() {
    library=$out/arduino/nsc
    headers $library/src && mkdir -p $library/examples && cp -r examples/arduino/bounce $library/examples &&
        licence > $library/LICENSE && cat > $library/library.properties << END
name=nsc
version=$version
author=the nsc authors
maintainer=the nsc authors
sentence=$about.
paragraph=All memory is one static structure; every step returns a code; the same bits on every processor. From 8 KiB of RAM.
category=Other
url=https://your.host/nsc
architectures=*
includes=nsc.h
END
    for field in name version author maintainer sentence paragraph category url architectures; do
        grep -q "^$field=." $library/library.properties || { echo "no $field"; return 1; }
    done
    (cd $out/arduino && python3 -m zipfile -c "$root/$dist/nsc-arduino-$version.zip" nsc)
}
# Debian's core wants a macro of C++11 that Debian's avr-g++ has under another name
avr_build() {
    mkdir -p $out/sketch/bounce $out/libraries $out/avr
    cp examples/arduino/bounce/bounce.ino $out/sketch/bounce
    python3 -m zipfile -e "$dist/nsc-arduino-$version.zip" $out/libraries &&
        arduino-builder -compile -hardware /usr/share/arduino/hardware -hardware /usr/share/arduino-builder -tools /usr/bin \
            -libraries "$root/$out/libraries" -prefs compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ \
            -fqbn arduino:avr:mega:cpu=atmega2560 -build-path "$root/$out/avr" $out/sketch/bounce/bounce.ino && cp $out/log.txt $out/avr_size.txt
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
check "Arduino library, its fields" arduino_library
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
    elif have "Arduino sketch on a Mega 2560" arduino-builder avr-g++ simavr && check "Arduino sketch builds for a Mega 2560 from the library" avr_build; then
        cat $out/avr_size.txt
        check "Arduino sketch on a Mega 2560: the same" avr_run
    fi
fi
