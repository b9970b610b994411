#!/bin/sh
# Run the test programs, the compile matrix and the README example; sum their counts.
# usage: run.sh CC CXX program...
cc=$1 cxx=$2
shift 2
mkdir -p build
log=build/test.log
: > $log
for program in "$@"; do
    $program > build/one.log 2>&1
    code=$?
    cat build/one.log | tee -a $log
    if ! grep -q ' passed, .* skipped$' build/one.log; then # it crashed before it could say
        echo "${program#build/}: 0 passed, 1 failed, 0 skipped (exit code $code)" | sed 's/ (.*//' | tee -a $log
    fi
done
sh tests/compile/matrix.sh "$cc" "$cxx" | tee -a $log
sh tests/compile/readme.sh "$cc" | tee -a $log
awk '/ passed, .* failed, .* skipped$/ { p += $(NF-5); f += $(NF-3); s += $(NF-1) }
     END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }' $log
