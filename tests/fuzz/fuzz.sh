#!/bin/sh
# Fuzz the five targets beside this file with libFuzzer, each for so many seconds, half of them in float and half in double.
# The corpus that is checked in is run first; what is found is kept in build/fuzz, and the next run begins from there.
# FUZZ_REALS="FLOAT" fuzzes in that precision alone.  Without clang or its libFuzzer the corpus alone is run, by the plain compiler.
# usage: fuzz.sh SECONDS CC [target...]
# Once a fault is mended its input goes into tests/fuzz/corpus under a name that says what it was.  FUZZ_TRACE=1 in the
# environment prints the calls that an input makes.  fuzz.sh merge: a corpus of few small inputs that reach as much.
seconds=${1:-60} cc=${2:-cc}
shift 2
[ $# = 0 ] && set -- api image problem barrier kit
sanitize=fuzzer,address,undefined,float-cast-overflow,implicit-integer-truncation,implicit-integer-sign-change
out=build/fuzz passed=0 failed=0 skipped=0
mkdir -p $out

clang=
for name in ${CLANG:-clang clang-19 clang-14}; do
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n); int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' > $out/try.c
    if [ -z "$clang" ] && $name -fsanitize=$sanitize $out/try.c -o $out/try > $out/try.txt 2>&1; then clang=$name; fi
done
if [ -z "$clang" ]; then
    echo "skipped: fuzzing, no clang with libFuzzer; the corpus alone is run"
    $cc -std=c99 -O1 -g -ffp-contract=off -I. -Itests tests/test_fuzz.c -o $out/test_fuzz -lm && $out/test_fuzz &&
        $cc -std=c99 -O1 -g -ffp-contract=off -I. -Itests tests/test_fuzz_barrier.c -o $out/test_fuzz_barrier -lm && $out/test_fuzz_barrier &&
        $cc -std=c99 -O1 -g -ffp-contract=off -I. -Itests tests/test_fuzz_kit.c -o $out/test_fuzz_kit -lm && exec $out/test_fuzz_kit
    exit 1
fi

for target in "$@"; do
    more=
    [ $target = barrier ] && more=tests/fuzz/corpus/api # the same calls
    for real in ${FUZZ_REALS:-FLOAT DOUBLE}; do
        program=$out/${target}_$real
        echo "== $target in $real, $clang"
        if ! $clang -std=c99 -O1 -g -ffp-contract=off -fsanitize=$sanitize -fno-sanitize-recover=all \
            -DNSC_$real -I. tests/fuzz/$target.c -o $program -lm; then failed=$((failed + 1)); continue; fi
        mkdir -p $out/${target}_inputs $out/found
        [ "$seconds" = merge ] && continue
        $program -max_len=400 -timeout=20 -rss_limit_mb=1000 -print_final_stats=1 -max_total_time=$(((seconds + 1) / 2)) \
            -artifact_prefix=$out/found/${target}_${real}_ $out/${target}_inputs tests/fuzz/corpus/$target $more > $program.txt 2>&1
        if [ $? = 0 ]; then passed=$((passed + 1)); else
            failed=$((failed + 1))
            grep -E 'does not hold|runtime error|ERROR|written to' $program.txt | sed 's/^/FAILED: /'
        fi
        grep -E 'DONE|number_of_executed' $program.txt
    done
    if [ "$seconds" = merge ]; then
        rm -rf $out/${target}_small
        mkdir -p $out/${target}_small
        $out/${target}_FLOAT -merge=1 -max_len=400 $out/${target}_small tests/fuzz/corpus/$target $more $out/${target}_inputs > $out/merge.txt 2>&1
        echo "$(ls $out/${target}_small | wc -l) inputs in $out/${target}_small"
    fi
done
echo "fuzz: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
