#!/bin/sh
# Compile and run the README's example, the first C block with a main; and see that its numbers are those of budgets.txt.
# usage: readme.sh CC
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
awk '/^```c/ { on = 1; text = ""; next } /^```/ { if (on && text ~ /int main/) { printf "%s", text; exit } on = 0 }
     on { text = text $0 "\n" }' README.md > build/readme.c
passed=0 failed=0
if [ -s build/readme.c ] && $1 -std=c99 -Wall -Wextra -pedantic -Werror -ffp-contract=off -I. build/readme.c -o build/readme -lm &&
   build/readme; then
    passed=1
else
    echo "FAILED: the README's example"
    failed=1
fi
if sh tests/targets/results.sh check; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "README: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
