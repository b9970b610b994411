#!/bin/sh
# Compile, link and run under every compiler, standard, precision and optimisation found, with all warnings as
# errors.  usage: matrix.sh PART,PART... CC CXX, where PART is "quick" or one of what "matrix.sh parts" lists.
# SYNTAX=1: all of it is read, but only tcc makes programs of it: a tenth of the time, and all warnings but those that need
# the optimiser.  C11 lies between C99 and C17, and -O0 is how make test builds: both are left out.
cd "$(dirname "$0")/../.." || exit 1
parts=$1 CC=${2:-cc} CXX=${3:-c++} SYNTAX=${SYNTAX:-}
if [ "$parts" = parts ]; then
    echo programs first gcc clang tcc second g++ clang++ options1 options2 options3 options4 options5 small
    exit
fi
D=build/matrix_$parts
mkdir -p $D
warn="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-conversion -Wshadow -Wundef
      -Wcast-qual -Wvla -Werror"
levels="-O0 -O2 -O3" object="-o $D/small.o"
[ -z "$SYNTAX" ] || levels=-O2 object=-fsyntax-only
passed=0 failed=0 skipped=0
T=tests/compile

# try NAME COMMAND: compile to $D/case and run it
try() {
    if [ -n "$SYNTAX" ] && [ "$2" != tcc ]; then read_only "$@"; return; fi
    name=$1
    shift
    if "$@" -I. -Iexamples/kit -I$T -o $D/case -lm > $D/case.log 2>&1 && $D/case; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        head -5 $D/case.log
    fi
}

# read_only NAME COMMAND: is it C, without a warning that needs no code
read_only() {
    name=$1
    shift
    if "$@" -fsyntax-only -I. -Iexamples/kit -I$T > $D/case.log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        head -5 $D/case.log
    fi
}

cases() { # COMPILER LANGUAGE-FLAGS
    for real in "" -DNSC_DOUBLE; do
        for opt in $levels; do
            try "$* $real $opt impl" "$@" $warn $real $opt -ffp-contract=off $T/impl.c
        done
        case "$*" in *c11|*c17|*c++17) continue ;; esac # linking does not depend on the standard
        try "$* $real two files" "$@" $warn $real $T/tu_a.c $T/tu_b.c
        try "$* $real static" "$@" $warn $real $T/static_a.c $T/static_b.c
        try "$* $real mismatch" "$@" $warn $real $T/mismatch_a.c $T/tu_b.c
        try "$* $real kit" "$@" $warn $real $T/kit.c $T/tu_b.c
        try "$* $real static kit" "$@" $warn $real -DNSC_STATIC $T/kit.c
        try "$* $real solvers only" "$@" $warn $real -DNDEBUG $T/solvers_only.c
        try "$* $real none" "$@" $warn $real -DNSC_MAX_JOINTS=0 -DNSC_MAX_ROLLING=0 -DNSC_MAX_EVENTS=0 $T/impl.c
        try "$* $real all" "$@" $warn $real -DNSC_MAX_ROLLING=8 -DNSC_HULL_VERTICES=16 -DNSC_TERRAIN=1 $T/impl.c
        try "$* $real no arena" "$@" $warn $real -DNSC_ARENA=0 $T/impl.c
    done
}

# every option alone, and all together: one line each
options() {
    cat <<END
-DNSC_MAX_JOINTS=0
-DNSC_MAX_JOINTS=1
-DNSC_MAX_EVENTS=0
-DNSC_MAX_MANIFOLDS=0
-DNSC_MAX_ROLLING=4
-DNSC_MAX_SPRINGS=4
-DNSC_MAX_SPRINGS=4 -DNSC_MAX_JOINTS=0
-DNSC_HULL_VERTICES=4
-DNSC_HULL_VERTICES=42
-DNSC_TERRAIN=1
-DNSC_PARALLEL
-DNSC_PARALLEL -DNSC_LANES=0
-DNSC_PARALLEL -DNSC_LOCKS -DNSC_BELTS -DNSC_WORDS
-DNSC_BARRIER
-DNSC_BARRIER -DNSC_LOCKS -DNSC_BELTS -DNSC_WORDS -DNSC_PARALLEL
-DNSC_BARRIER -DNSC_HULL_VERTICES=42 -DNSC_TERRAIN=1 -DNSC_SECOND_LOOK
-DNSC_SECOND_LOOK -DNSC_MAX_JOINTS=0 -DNSC_SMOOTH=0 -DNSC_STEPPERS=0 -DNSC_IMU=0 -DNSC_NO_ISLANDS
-DNSC_SECOND_LOOK -DNSC_STRIPS=1 -DNSC_MAX_ROWS=2 -DNSC_MAX_FORCES=2 -DNSC_MAX_ROLLING=4 -DNSC_LOCKS -DNSC_BELTS -DNSC_PARALLEL
-DNSC_MESHES=1
-DNSC_BARRIER -DNSC_MAX_JOINTS=0 -DNSC_CONVEX=0 -DNSC_IMU=0 -DNSC_NO_ISLANDS
-DNSC_BARRIER -DNSC_ARENA=0
-DNSC_MAX_SHAPES=1000 -DNSC_MAX_CONTACTS=4 -DNSC_HULL_VERTICES=16 -DNSC_ARENA=0
-DNSC_LOCKS
-DNSC_LOCKS -DNSC_MAX_JOINTS=0 -DNSC_SMOOTH=0 -DNSC_STEPPERS=0 -DNSC_IMU=0
-DNSC_BELTS
-DNSC_SEAMS
-DNSC_FAR
-DNSC_SHORT_BLOCKS=1
-DNSC_SHORT_BLOCKS=1 -DNSC_MAX_ROLLING=4 -DNSC_MAX_SPRINGS=4 -DNSC_PARALLEL -DNSC_WAVES=1 -DNSC_SECOND_LOOK -DNSC_SEAMS
-DNSC_SHORT_BLOCKS=1 -DNSC_MAX_JOINTS=2 -DNSC_JOINT_AXES=1 -DNSC_NO_SUBSTEPS -DNSC_STEPPERS=0 -DNSC_SMOOTH=0
-DNSC_JOINT_AXES=2
-DNSC_BELTS -DNSC_MAX_JOINTS=0 -DNSC_SMOOTH=0 -DNSC_STEPPERS=0 -DNSC_IMU=0
-DNSC_WORDS
-DNSC_WORDS -DNSC_MAX_JOINTS=0 -DNSC_SMOOTH=0 -DNSC_STEPPERS=0 -DNSC_IMU=0
-DNSC_MESHES=1
-DNSC_MESHES=1 -DNSC_TERRAIN=1
-DNSC_MESHES=1 -DNSC_IMU=0
-DNSC_HULL_VERTICES=12 -DNSC_TERRAIN=1 -DNSC_MESHES=1 -DNSC_CONVEX=0 -DNSC_IMU=0
-DNSC_CONVEX=0
-DNSC_CONVEX=0 -DNSC_HULL_VERTICES=8
-DNSC_CONVEX=0 -DNSC_TERRAIN=1
-DNSC_CONVEX=0 -DNSC_MESHES=1
-DNSC_NO_ISLANDS
-DNSC_NO_SUBSTEPS
-DNSC_STEPPERS=0
-DNSC_SMOOTH=0
-DNSC_SMOOTH=0 -DNSC_MAX_ROLLING=4
-DNSC_MAX_ROLLING=4 -DNSC_STEPPERS=0
-DNSC_MAX_SPRINGS=8
-DNSC_MAX_SPRINGS=8 -DNSC_MAX_JOINTS=0 -DNSC_STEPPERS=0
-DNSC_MAX_FORCES=4
-DNSC_IMU=0


-DNSC_MAX_BODIES=2 -DNSC_MAX_CONTACTS=1 -DNSC_MAX_JOINTS=0
$all_in
$all_out
$all_out -DNSC_ARENA=0
$all_out -DNSC_ARENA=0 -DNSC_ONLY_CONTACTS
-DNSC_MAX_JOINTS=0 -DNSC_ONLY_CONTACTS
END
}
all_in="-DNSC_MAX_ROLLING=4 -DNSC_HULL_VERTICES=16 -DNSC_TERRAIN=1 -DNSC_MESHES=1 -DNSC_MAX_JOINTS=12 -DNSC_MAX_SPRINGS=2 -DNSC_MAX_FORCES=1"
all_out="-DNSC_MAX_JOINTS=0 -DNSC_MAX_EVENTS=0 -DNSC_MAX_MANIFOLDS=0 -DNSC_CONVEX=0 -DNSC_NO_ISLANDS -DNSC_NO_SUBSTEPS -DNSC_IMU=0
    -DNSC_STEPPERS=0 -DNSC_SMOOTH=0"
all_out=$(echo $all_out)

with_options() { # COMPILER FLAGS.  With -DNSC_STATIC nothing unused may be complained of.
    options > $D/options.txt
    while read -r option; do
        try "$* $option" "$@" $warn $option -ffp-contract=off $T/impl.c < /dev/null
    done < $D/options.txt
    solvers_alone > $D/options.txt
    while read -r option; do
        for real in "" -DNSC_DOUBLE; do
            try "$* $real $option" "$@" $warn $real $option -ffp-contract=off $T/solvers_only.c < /dev/null
        done
    done < $D/options.txt
}

# The solvers without a world: the headers' own, each file of the shelf alone, and lists of AUTO
solvers_alone() {
    for file in solvers bb minres newton admm auto tree; do echo "-DONLY=\"nsc_$file.h\""; done
    echo '-DONLY="nsc_solvers.h" -DNSC_ONLY_CONTACTS'
    echo '-DONLY="nsc_auto.h" -DNSC_AUTO_LIST=NSC_AUTO_APGD'
    echo '-DNSC_AUTO_LIST=NSC_AUTO_BB,NSC_AUTO_DANTZIG'
}

# 16-bit int and 32-bit machines: to be compiled only.  Where int has 16 bits, uint16_t is promoted to unsigned, and each
# comparison of an index with an int would be a warning: those are off, and two more of gcc 5 that are wrong.
small() { # COMPILER FLAGS
    without=
    case $1 in avr-gcc) without="-Wno-sign-conversion -Wno-sign-compare -Wno-type-limits -Wno-unused-value" ;; esac
    if ! found ${1%% *}; then skipped=$((skipped + 1)); echo "skipped: no $1"; return; fi
    if ! echo '#include <math.h>' | "$@" -x c -c - -o $D/small.o 2> $D/case.log; then skipped=$((skipped + 1)); echo "skipped: no libc for $1"; return; fi
    {
        printf '%s\n' "" "$all_in" "$all_out" "-DNSC_BARRIER -DNSC_PARALLEL"
        [ -z "$SYNTAX" ] || [ -n "$without" ] || options # of an AVR, those that fit
    } > $D/options.txt
    for source in impl kit; do
        while read -r option; do
            if "$@" -Wall -Wextra -Wconversion -Wshadow -Werror $without $option -I. -Iexamples/kit -I$T -c $T/$source.c $object > $D/case.log 2>&1; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1)); echo "FAILED: $* $source $option"; head -5 $D/case.log
            fi
            [ $source = kit ] && break # as it comes
        done < $D/options.txt
    done
}

found() { command -v "$1" > /dev/null 2>&1; }
skip() { skipped=$((skipped + 1)); echo "skipped: $1"; }
need() { found "${1%% *}" || { skip "no ${1%% *}"; return 1; }; }
same() { test "$($1 -dumpversion 2> /dev/null)" = "$($2 -dumpversion 2> /dev/null)"; }

in_c() { # COMPILER
    need "$1" || return
    stds="c99 c11 c17"
    [ -z "$SYNTAX" ] || stds="c99 c17"
    for std in $stds; do cases $1 -std=$std -Wmissing-prototypes; done
}

in_cpp() { # COMPILER
    need "$1" || return
    for std in c++11 c++17; do cases $1 -x c++ -std=$std; done
    for std in c++11 c++17 c++20; do hpp "$1" $std; done
}

# examples/cpp/nsc.hpp, as a program that compares it with the calls of C
hpp() { # COMPILER STANDARD
    try "$1 $2 nsc.hpp" $1 -std=$2 $warn -ffp-contract=off -fno-exceptions -fno-rtti $T/hpp.cpp
}

# Every compiler (NSC_QUICK: CC and CXX) reads all of it; CC and CXX link and run all ways to include; everything in and everything out, read as C and as
# C++; each solver left out
quick() {
    for compiler in "$CC -std=c99" "gcc -std=c99" "clang -std=c99" "$CXX -x c++ -std=c++11" "g++ -x c++ -std=c++11" "clang++ -x c++ -std=c++11"; do
        case "$compiler" in "$CC "*|"$CXX "*) ;; *) [ -z "${NSC_QUICK:-}" ] || continue ;; esac
        case "$compiler" in "$CC "*|"$CXX "*) ;; gcc*) same "$CC" gcc && continue ;; g++*) same "$CXX" g++ && continue ;; esac
        need "$compiler" || continue
        read_only "$compiler impl" $compiler $warn $T/impl.c
        read_only "$compiler -DNSC_DOUBLE static kit" $compiler $warn -DNSC_DOUBLE -DNSC_STATIC $T/kit.c
    done
    # the add-ons beside the parts that nsc_all.h leaves out: no name twice
    read_only "$CC static kit, all parts" $CC -std=c99 $warn -DNSC_STATIC -DNSC_SECOND_LOOK=1 -DNSC_SEAMS=1 -DNSC_STRIPS=1 -DNSC_WORDS=1 -DNSC_BARRIER=1 \
        -DNSC_LOCKS=1 -DNSC_BELTS=1 -DNSC_PARALLEL=1 $T/kit.c
    if [ -n "${NSC_QUICK:-}" ]; then read_only "$CXX nsc.hpp" $CXX -std=c++11 $warn -DNSC_STATIC -fno-exceptions -fno-rtti $T/hpp.cpp
    else hpp "$CXX -DNSC_STATIC" c++11; fi
    if [ -z "${NSC_QUICK:-}" ]; then
        hpp "$CXX" c++20
        read_only "$CXX kit, C++20" $CXX -x c++ -std=c++20 $warn -DNSC_STATIC $T/kit.c
    fi
    $CC -std=c99 $warn -I. -Iexamples/kit -I$T -c $T/tu_b.c -o $D/tu_b.o # once for all
    if [ -n "${NSC_QUICK:-}" ]; then try "$CXX kit, implementation in C" $CXX -x c++ -std=c++11 $warn $T/kit.c -x none $D/tu_b.o
    else try "$CXX kit" $CXX -x c++ -std=c++11 $warn $T/kit.c $T/tu_b.c; fi
    [ -n "${NSC_QUICK:-}" ] || # most programs are built so
        try "static" $CC -std=c99 $warn -DNSC_DOUBLE $all_out -DNSC_ARENA=0 $T/static_a.c $T/static_b.c
    for one in kit tu_a mismatch_a; do try "$one and a second file" $CC -std=c99 $warn $T/$one.c $D/tu_b.o; done
    try "solvers only" $CC -std=c99 $warn -DNDEBUG $T/solvers_only.c
    [ -z "${NSC_QUICK:-}" ] || return 0 # the rest is for those who leave something out
    for option in "$all_in" "$all_out -DNSC_ARENA=0" -DNSC_MAX_JOINTS=0; do # the gate reads more
        read_only "$CC $option" $CC -std=c99 $warn -Wmissing-prototypes $option $T/impl.c
        read_only "$CXX kit $option" $CXX -x c++ -std=c++11 $warn -DNSC_DOUBLE $option $T/kit.c
    done
    solvers_alone > $D/options.txt
    while read -r option; do read_only "$CC $option" $CC -std=c99 $warn $option $T/solvers_only.c < /dev/null; done < $D/options.txt
}

# The programs themselves, by the strict flags; SYNTAX: in float.  `make test` builds with these what links shared.c, and leaves them to the headers else.
programs() { # COMPILER
    need "$1" || return
    double=-DNSC_DOUBLE
    [ -z "$SYNTAX" ] || double=
    for source in $(grep -LE '"(shared|items).h"' tests/*/test_*.c) examples/[0-9]*.c examples/web/hash.c; do
        std="-std=c99 -Wmissing-prototypes"
        case $source in */web/*) std=-std=c99 ;; esac # its functions are called by name
        case $source in *two_cores*) std="-std=c11 -Wmissing-prototypes" ;; tests/*) set -- "$1" $double ;; *) set -- "$1" ;; esac
        read_only "$1 $source" $1 $std $warn -Itests -Itests/harness $source
        [ -z "${2:-}" ] || read_only "$1 $source in double" $1 $std $warn $2 -Itests -Itests/harness $source
    done
}

bits32() {
    printf '#include <math.h>\n' > $D/m32.c
    for compiler in "$CC -m32" i686-linux-gnu-gcc none; do $compiler -c $D/m32.c -o $D/m32.o 2> $D/case.log && break; done
    if [ "$compiler" = none ]; then skip "no 32-bit compiler with libc headers"; return; fi
    for real in "" -DNSC_DOUBLE; do
        if $compiler -msse2 -mfpmath=sse -std=c99 $warn $real -I. -Iexamples/kit -I$T -c $T/impl.c $object; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
}

for part in $(echo "$parts" | tr , ' '); do
case $part in
quick) quick ;;
first) if same "$CC" gcc || same "$CC" clang; then skip "$CC, which is gcc or clang"; else in_c "$CC"; fi ;;
second) if same "$CXX" g++ || same "$CXX" clang++; then skip "$CXX, which is g++ or clang++"; else in_cpp "$CXX"; fi ;;
gcc|clang) in_c $part ;;
g++|clang++) in_cpp $part ;;
programs) programs gcc ;;
tcc) warn=-Wall; need tcc && cases tcc ;;
options1) with_options $CC -std=c99 -O1 -Wmissing-prototypes ;;
options2) with_options $CC -std=c99 -DNSC_STATIC ;;
options3) need clang && with_options clang -std=c99 -DNSC_STATIC -DNSC_DOUBLE ;;
options4) with_options $CXX -x c++ -std=c++11 -O1 -DNSC_DOUBLE ;;
options5) need clang++ && with_options clang++ -x c++ -std=c++11 -DNSC_STATIC ;;
small)
    small avr-gcc -std=gnu99 -Os -mmcu=atmega2560 -DNSC_MAX_BODIES=4 -DNSC_MAX_CONTACTS=6 -DNSC_MAX_JOINT_BLOCKS=12 -DNSC_ARENA=0
    small arm-none-eabi-gcc -std=c99 -Os -mthumb -mcpu=cortex-m0plus --specs=picolibc.specs
    small riscv64-unknown-elf-gcc -std=c99 -Os -march=rv32imc -mabi=ilp32 --specs=picolibc.specs
    bits32
    ;;
*) echo "no part $part"; failed=1 ;;
esac
done
rm -rf "$D"
echo "compile matrix, $parts: $passed passed, $failed failed, $skipped skipped"
test $failed -eq 0
