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
        try "$* $real only SIPGS" "$@" $warn $real -DNSC_NO_APGD -DNSC_NO_DANTZIG -DNSC_ARENA=0 $T/impl.c
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
