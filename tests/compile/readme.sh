#!/bin/sh
# Compile and run the C blocks with a main in README.md and examples/GUIDE.md: what one prints is what the text block right below it
# says, where there is one; and see that the README's numbers are those of budgets.txt.
# usage: readme.sh CC
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
rm -f build/readme_*.c build/readme_*.expected
awk '/^```c/ { on = 1; text = ""; next }
     /^```text/ && fresh { said = "build/readme_" n ".expected"; printf "" > said; fresh = 0; next }
     /^```/ { fresh = on && text ~ /int main/; if (fresh) printf "%s", text > "build/readme_" ++n ".c"; on = 0; said = ""; next }
     on { text = text $0 "\n"; next }
     said != "" { print > said; next }
     /./ { fresh = 0 }' README.md examples/GUIDE.md
passed=0 failed=0
for example in 1 2 3 4 5; do
    of=build/readme_$example
    if [ -s $of.c ] && $1 -std=c99 -Wall -Wextra -pedantic -Werror -ffp-contract=off -I. -Iexamples/kit -Itests/robots $of.c -o $of -lm && $of > $of.said; then
        if [ ! -f $of.expected ] || diff $of.expected $of.said; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $of.c prints (>) what the block below it does not say (<)"
        fi
    else
        failed=$((failed + 1))
        echo "FAILED: an example of README.md or examples/GUIDE.md: $of.c"
    fi
done
if sh tests/targets/results.sh check; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "README: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
