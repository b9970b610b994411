#!/bin/sh
# nsc beside other engines on Cortex-M4F at -O2, in QEMU: thousands of instructions a step, the mean
# of every step of second 2; drift and penetration of ten cubes in 5 s; their program's flash, and
# RAM without the stack.
# BOX3D=dir is its source tree; without it there is nsc alone.
set -u
cd "$(dirname "$0")/../.." || exit 1
BOX3D=${BOX3D:-}
out=build/count-peers here=tests/targets skipped=0 failed=0 passed=0
mkdir -p $out build/peers
for tool in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $tool > /dev/null 2>&1; then
        echo "skipped: no $tool"; echo "count-peers: 0 passed, 0 failed, 1 skipped"; exit 0
    fi
done
cc -O2 -shared -fPIC $here/insncount.c -o $out/insncount.so || exit 1
cc -O2 -w $here/peer_judge.c -o $out/judge -lm || exit 1

arm="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"
arm="$arm --specs=picolibc.specs -ffp-contract=off -fno-math-errno"
arm="$arm -ffunction-sections -fdata-sections"
link="-DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--gc-sections
      -Wl,--defsym=__flash=0,--defsym=__flash_size=0x400000
      -Wl,--defsym=__ram=0x20000000,--defsym=__ram_size=0x400000,--defsym=__stack_size=0x8000"
host="--oslib=semihost --crt0=semihost"
core="-DNSC_ARENA=0 -DNSC_NO_ISLANDS -DNSC_NO_SUBSTEPS -DNSC_MAX_EVENTS=0
      -DNSC_MAX_ROLLING=0 -DNSC_CONVEX=0 -DNSC_IMU=0
      -DNSC_STEPPERS=0 -DNSC_SMOOTH=0 -DNSC_MAX_SPRINGS=0
      -DNSC_MAX_FORCES=0"
small="-DNSC_MAX_BODIES=16 -DNSC_MAX_CONTACTS=64"

# joints SCENE CORE: the core has room for joints where the scene has some
joints() {
    case $1$2 in [34]*) echo "-DNSC_MAX_JOINTS=8" ;; *core) echo "-DNSC_MAX_JOINTS=0" ;; esac
}

# build PROGRAM LEVEL "FLAGS" FILE...     the words are flags
build() {
    program=$1 how=$2 words=$3
    shift 3
    rm -f "$program"
    # shellcheck disable=SC2086
    $arm $how $words -I. -Iexamples/kit $here/peer_main.c "$@" $link -o "$program" -lm > "$program".log 2>&1
}

emulate() { # PROGRAM [PLUGIN]
    timeout 600 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
        -semihosting-config enable=on,target=native ${2:+-plugin "$2"} -kernel "$1" < /dev/null 2>&1
}

bytes() { # PROGRAM SECTION...: their sum
    program=$1
    shift
    arm-none-eabi-size -A "$program" |
        awk -v names=" $* " 'index(names, " " $1 " ") { n += $2 } END { print n + 0 }'
}

# row NAME HERTZ KIND "FLAGS" SOURCE LIBRARY: a line of the table; LIBRARY_LEVEL.a for each -O level
row() {
    name=$1 hertz=$2 kind=$3 flags=$4 source=$5 library=$6 cells='' heap='' calls=''
    printf '... %s:' "$name" >&2 # a row takes a while
    for scene in 0 1 2 3 4; do
        printf ' %s' "$(echo box ten balls chain wheels | cut -d' ' -f$((scene + 1)))" >&2
        elf=$out/engine.elf
        this="$flags $(joints $scene "$kind") -DSCENE=$scene -DHERTZ=$hertz -DSECONDS=2 $host"
        : > $out/raw.txt
        build $elf -O2 "$this" "$source" ${library:+"$library"_O2.a} &&
            emulate $elf $out/insncount.so > $out/raw.txt
        cell=$(awk '/^count / { s += $2; n++ }
            END { if (n) printf "%.1f", s / n / 1000 }' $out/raw.txt)
        [ -n "$cell" ] && passed=$((passed + 1))
        [ -n "$cell" ] || { failed=$((failed + 1)); cell=FAILED; }
        cells="$cells $cell"
        [ $scene = 1 ] && calls=$(awk '/^heap / { print $6 }' $out/raw.txt)
        [ $scene = 1 ] && heap=$(awk '/^heap / { print $2 }' $out/raw.txt)
    done
    printf ' drift\n' >&2
    flags="$flags $(joints 1 "$kind") -DSCENE=1 -DHERTZ=$hertz"
    : > $out/poses.txt
    this="$flags -DSECONDS=5 -DPOSES $host"
    build $out/engine.elf -O2 "$this" "$source" ${library:+"$library"_O2.a} &&
        emulate $out/engine.elf > $out/poses.txt
    error=$($out/judge "$hertz" < $out/poses.txt)
    flash=
    for level in Os O2; do # what wants files or a console has to have some
        for system in "" "$host"; do
            this="$flags -DBARE $system"
            build $out/bare.elf -$level "$this" "$source" ${library:+"${library}_$level.a"} && break
        done
        flash="$flash $(bytes $out/bare.elf .init .text .data .ARM.exidx .rodata)"
    done
    fixed=$(bytes $out/bare.elf .data .bss)
    # the words are cells
    # shellcheck disable=SC2086
    printf '%-24s %9s %9s %9s %9s %9s   %-12s' "$name" $cells "$error"
    echo "$flash ${fixed:-0} ${heap:-0} ${calls:-0}" | awk '
        { printf " %5.1f/%-6.1f %6.1f + %-6.1f", $1 / 1024, $2 / 1024, $3 / 1024, $4 / 1024 }
        { print $5 ? " yes" : " no" }'
}

printf '%-24s %9s %9s %9s %9s %9s   %-12s  %-12s %-15s %s\n' "k instructions a step" \
    box ten balls chain wheels "drift/pen mm" "KB of Os/O2" "RAM + heap KB" "heap in step"
for sweeps in 4 10 20; do
    row "nsc core, $sweeps sweeps" 240 core "$small $core -DSWEEPS=$sweeps" $here/peer_nsc.c ""
done
row "nsc default" 240 default "$small" $here/peer_nsc.c ""

if [ -z "$BOX3D" ]; then
    echo "skipped: box3d, no BOX3D=dir"; skipped=$((skipped + 1))
else
    built=1
    echo "... compiles Box3D" >&2
    for level in Os O2; do
        # shellcheck disable=SC2086
        sh tests/bench/library.sh build/peers/box3d_arm_$level.a "$BOX3D" \
            "$arm -std=gnu17 -$level -DNDEBUG -DB3_MAX_WORLDS=1 -w -I$BOX3D/include" \
            "$BOX3D"/src/*.c > $out/box3d.log 2>&1 || built=
    done
    if [ -n "$built" ]; then
        like="-std=gnu17 -isystem $BOX3D/include"
        library=build/peers/box3d_arm
        row "Box3D 60 Hz x 4" 60 box3d "$like -DSUBSTEPS=4" $here/peer_box3d.c $library
        row "Box3D 240 Hz x 1" 240 box3d "$like -DSUBSTEPS=1" $here/peer_box3d.c $library
    else
        echo "skipped: box3d, its sources do not build for this target ($out/box3d.log)"
        skipped=$((skipped + 1))
    fi
fi
echo "count-peers: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
