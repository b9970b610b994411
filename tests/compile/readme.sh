#!/bin/sh
# Compile and run the C blocks with a main in README.md and examples/GUIDE.md: what one prints is what the text block right below it
# says, where there is one; and see that the README's numbers are those of budgets.txt, that the files which README, GUIDE, TUTORIAL and the
# kit's README name are there, and that the README's picture is the one that examples/18_pictures.c draws.
# usage: readme.sh CC.  NSC_QUICK=1: the blocks of README.md alone.
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
guide=examples/GUIDE.md
[ -z "${NSC_QUICK:-}" ] || guide=
rm -f build/readme_*.c build/readme_*.expected
awk '/^```c/ { on = 1; text = ""; next }
     /^```text/ && fresh { said = "build/readme_" n ".expected"; printf "" > said; fresh = 0; next }
     /^```/ { fresh = on && text ~ /int main/; if (fresh) printf "%s", text > "build/readme_" ++n ".c"; on = 0; said = ""; next }
     on { text = text $0 "\n"; next }
     said != "" { print > said; next }
     /./ { fresh = 0 }' README.md $guide
passed=0 failed=0
for example in build/readme_*.c; do
    of=${example%.c}
    case ${of##*_} in 4|5) level="-Og -DNSC_STATIC" ;; *) level= ;; esac # these compute for longer than that takes to compile
    if [ -s $of.c ] && $1 $level -std=c99 -Wall -Wextra -pedantic -Werror -ffp-contract=off -I. -Iexamples/kit -Itests/robots $of.c -o $of -lm && $of > $of.said; then
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
mains=$(cat README.md $guide | grep -c '^ *int main')
if [ $((passed + failed)) != "$mains" ]; then
    failed=$((failed + 1))
    echo "FAILED: README.md $guide: $mains programs with a main, of which a C block each was not found"
fi
if [ -n "${NSC_QUICK:-}" ]; then
    echo "README: $passed passed, $failed failed, 0 skipped"
    [ $failed = 0 ]
    exit
fi
if sh tests/targets/results.sh check; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
# Names with a folder, in backquotes or as the target of a link; patterns, and what a build writes, are none.
lost=$(for page in README.md examples/GUIDE.md examples/TUTORIAL.md examples/kit/README.md; do
    sed 's/](\([^)]*\))/ `\1` /g' $page | tr '`' '\n' | grep -E '^(\.\./|\./)?(examples|tests|kit)/[A-Za-z0-9_./-]+$' | sort -u | while read -r name; do
        [ -e "$name" ] || [ -e "$(dirname $page)/$name" ] || echo "FAILED: $page names $name, which is not there"
    done
done)
if [ -z "$lost" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$lost"; fi
mkdir -p build/readme/build
if $1 -std=c99 -Og -DNSC_STATIC -w -ffp-contract=off -I. -Iexamples/kit examples/18_pictures.c -o build/readme/pictures -lm && (cd build/readme && ./pictures > pictures.txt) &&
    cmp build/readme/build/arch.svg examples/arch.svg; then passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED: examples/arch.svg, the README's picture, is not what examples/18_pictures.c draws; copy build/arch.svg there"
fi
echo "README: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
