#!/bin/sh
# nsc.py's tests, with numpy where it is there and without it, and its examples, whose pictures go to build/.  make python calls it.
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0 skipped=0
python=$(python3 -c 'import sys; print(sys.executable if sys.version_info >= (3, 7) else "")' 2> /dev/null)
[ -n "$python" ] || { echo "skipped: no python3 of 3.7 or later"; echo "python: 0 passed, 0 failed, 1 skipped"; exit; }
mkdir -p build/python

# run FILE ARGUMENT...: one more passed or failed
run() {
    if "$python" "$@" > build/python/log.txt 2>&1; then passed=$((passed + 1)); tail -n 1 build/python/log.txt
    else failed=$((failed + 1)); echo "FAILED: $*"; tail -n 20 build/python/log.txt; fi
}

run tests/python/test_nsc.py --without-numpy
if "$python" -c 'import numpy' 2> /dev/null; then run tests/python/test_nsc.py
else skipped=1; echo "skipped: nsc.py with numpy: no numpy"; fi
export CFLAGS=-O0 # here it takes longer to compile them well than they run
for example in bounce quadruped throw; do
    run examples/python/$example.py build/python/$example.svg
    grep -q polyline build/python/$example.svg || { failed=$((failed + 1)); echo "FAILED: no picture of $example.py"; }
done
echo "python: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
