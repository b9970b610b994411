#!/bin/sh
# Compile, link and run under every compiler, standard, precision and optimisation found, with all warnings as
# errors.  usage: matrix.sh CC CXX
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
warn="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-conversion -Wshadow -Wundef
      -Wcast-qual -Wvla -Werror"
passed=0 failed=0 skipped=0
T=tests/compile

# try NAME COMMAND: compile to build/case and run it
try() {
    name=$1
    shift
    if "$@" -I. -I$T -o build/case -lm > build/case.log 2>&1 && build/case; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        head -5 build/case.log
    fi
}

cases() { # COMPILER LANGUAGE-FLAGS
    for real in "" -DNSC_DOUBLE; do
        for opt in -O0 -O2 -O3; do
            try "$* $real $opt impl" "$@" $warn $real $opt -ffp-contract=off $T/impl.c
        done
        case "$*" in *c11|*c17|*c++17) continue ;; esac # linking does not depend on the standard
        try "$* $real two files" "$@" $warn $real $T/tu_a.c $T/tu_b.c
        try "$* $real static" "$@" $warn $real $T/static_a.c $T/static_b.c
        try "$* $real mismatch" "$@" $warn $real $T/mismatch_a.c $T/tu_b.c
        try "$* $real solvers only" "$@" $warn $real -DNDEBUG $T/solvers_only.c
        try "$* $real none" "$@" $warn $real -DNSC_MAX_JOINTS=0 -DNSC_MAX_ROLLING=0 -DNSC_MAX_EVENTS=0 $T/impl.c
        try "$* $real all" "$@" $warn $real -DNSC_MAX_ROLLING=8 -DNSC_MAX_HULLS=2 -DNSC_MAX_FIELDS=1 $T/impl.c
        try "$* $real only SIPGS" "$@" $warn $real -DNSC_ONLY_SIPGS -DNSC_ARENA=0 $T/impl.c
    done
}

# every option alone, and all together: one line each
options() {
    cat <<END
-DNSC_MAX_JOINTS=0
-DNSC_MAX_JOINTS=1
-DNSC_MAX_EVENTS=0
-DNSC_MAX_ROLLING=4
-DNSC_MAX_SPRINGS=4
-DNSC_MAX_SPRINGS=4 -DNSC_MAX_JOINTS=0
-DNSC_MAX_HULLS=1 -DNSC_HULL_VERTICES=4
-DNSC_MAX_HULLS=2 -DNSC_HULL_VERTICES=42
-DNSC_MAX_FIELDS=1
-DNSC_NO_CYLINDER
-DNSC_NO_CYLINDER -DNSC_MAX_HULLS=1
-DNSC_NO_CYLINDER -DNSC_MAX_FIELDS=1
-DNSC_NO_ISLANDS
-DNSC_NO_SUBSTEPS
-DNSC_NO_STEPPERS
-DNSC_NO_SMC
-DNSC_NO_SMC -DNSC_MAX_ROLLING=4
-DNSC_MAX_ROLLING=4 -DNSC_NO_STEPPERS
-DNSC_MAX_SPRINGS=8
-DNSC_MAX_SPRINGS=8 -DNSC_MAX_JOINTS=0 -DNSC_NO_STEPPERS
-DNSC_MAX_FORCES=4
-DNSC_NO_SENSING
-DNSC_NO_ARCHIVE
-DNSC_NO_DRAW
-DNSC_MAX_BODIES=2 -DNSC_MAX_CONTACTS=1 -DNSC_MAX_JOINTS=0
$all_in
$all_out
$all_out -DNSC_ONLY_SIPGS -DNSC_ARENA=0
-DNSC_NO_APGD -DNSC_NO_NEWTON -DNSC_NO_MINRES
-DNSC_NO_BB -DNSC_NO_ADMM -DNSC_NO_DANTZIG
-DNSC_NO_AUTO
END
}
all_in="-DNSC_MAX_ROLLING=4 -DNSC_MAX_HULLS=2 -DNSC_MAX_FIELDS=2 -DNSC_MAX_JOINTS=12 -DNSC_MAX_SPRINGS=2 -DNSC_MAX_FORCES=1"
all_out="-DNSC_MAX_JOINTS=0 -DNSC_MAX_EVENTS=0 -DNSC_NO_CYLINDER -DNSC_NO_ISLANDS -DNSC_NO_SUBSTEPS -DNSC_NO_SENSING
    -DNSC_NO_ARCHIVE -DNSC_NO_DRAW -DNSC_NO_STEPPERS -DNSC_NO_SMC"
all_out=$(echo $all_out)

with_options() { # COMPILER FLAGS.  With -DNSC_STATIC nothing unused may be complained of.
    options > build/options.txt
    while read -r option; do
        try "$* $option" "$@" $warn $option -ffp-contract=off $T/impl.c < /dev/null
    done < build/options.txt
    without_solvers > build/options.txt
    while read -r option; do
        for real in "" -DNSC_DOUBLE; do
            try "$* $real $option" "$@" $warn $real $option -ffp-contract=off $T/solvers_only.c < /dev/null
        done
    done < build/options.txt
}

# Each solver left out, each alone, and pairs that share code: the solvers without a world
without_solvers() {
    all="APGD BB DANTZIG NEWTON ADMM MINRES AUTO"
    echo -DNSC_ONLY_SIPGS
    for solver in $all; do
        echo "-DNSC_NO_$solver"
        for other in $all; do [ $other = $solver ] || printf -- '-DNSC_NO_%s ' $other; done
        echo
    done
    echo "-DNSC_NO_APGD -DNSC_NO_BB"
    echo "-DNSC_NO_NEWTON -DNSC_NO_ADMM"
}

# 16-bit int and 32-bit machines: to be compiled only.  Where int has 16 bits, uint16_t is promoted to unsigned, and each
# comparison of an index with an int would be a warning: those are off, and two more of gcc 5 that are wrong.
small() { # COMPILER FLAGS
    without=
    case $1 in avr-gcc) without="-Wno-sign-conversion -Wno-sign-compare -Wno-type-limits -Wno-unused-value" ;; esac
    if ! found ${1%% *}; then skipped=$((skipped + 1)); echo "skipped: no $1"; return; fi
    if ! echo '#include <math.h>' | "$@" -x c -c - -o build/small.o 2> build/case.log; then skipped=$((skipped + 1)); echo "skipped: no libc for $1"; return; fi
    for option in "" "$all_in" "$all_out"; do
        if "$@" -Wall -Wextra -Wconversion -Wshadow -Werror $without $option -I. -I$T -c $T/impl.c -o build/small.o > build/case.log 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1)); echo "FAILED: $* $option"; head -5 build/case.log
        fi
    done
}

found() { command -v "$1" > /dev/null 2>&1; }
first=$1 second=$2
test "$($1 -dumpversion 2> /dev/null)" = "$(gcc -dumpversion 2> /dev/null)" && first=
for compiler in $first gcc clang; do
    if ! found $compiler; then skipped=$((skipped + 1)); echo "skipped: no $compiler"; continue; fi
    for std in c99 c11 c17; do cases $compiler -std=$std -Wmissing-prototypes; done
done
test "$($2 -dumpversion 2> /dev/null)" = "$(g++ -dumpversion 2> /dev/null)" && second=
for compiler in $second g++ clang++; do
    if ! found $compiler; then skipped=$((skipped + 1)); echo "skipped: no $compiler"; continue; fi
    for std in c++11 c++17; do cases $compiler -x c++ -std=$std; done
done
while read -r compiler; do
    if found ${compiler%% *}; then with_options $compiler; else skipped=$((skipped + 1)); echo "skipped: no ${compiler%% *}"; fi
done <<END
${1:-cc} -std=c99 -O1 -Wmissing-prototypes
${1:-cc} -std=c99 -DNSC_STATIC
clang -std=c99 -DNSC_STATIC -DNSC_DOUBLE
${2:-c++} -x c++ -std=c++11 -O1 -DNSC_DOUBLE
clang++ -x c++ -std=c++11 -DNSC_STATIC
END
small avr-gcc -std=gnu99 -Os -mmcu=atmega2560 -DNSC_MAX_BODIES=4 -DNSC_MAX_CONTACTS=6 -DNSC_MAX_JOINT_BLOCKS=12 -DNSC_ARENA=0
small arm-none-eabi-gcc -std=c99 -Os -mthumb -mcpu=cortex-m0plus --specs=picolibc.specs
small riscv64-unknown-elf-gcc -std=c99 -Os -march=rv32imc -mabi=ilp32 --specs=picolibc.specs
printf '#include <math.h>\n' > build/m32.c
for bits32 in "$1 -m32" i686-linux-gnu-gcc none; do $bits32 -c build/m32.c -o build/m32.o 2> build/case.log && break; done
if [ "$bits32" != none ]; then
    for real in "" -DNSC_DOUBLE; do
        if $bits32 -msse2 -mfpmath=sse -std=c99 $warn $real -I. -I$T -c $T/impl.c -o build/m32.o; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
else
    skipped=$((skipped + 1))
    echo "skipped: no 32-bit compiler with libc headers"
fi
echo "compile matrix: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
