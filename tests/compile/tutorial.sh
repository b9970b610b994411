#!/bin/sh
# Follows examples/TUTORIAL.md in an empty folder: saves its C blocks under the names in their first lines, runs its sh blocks, and
# compares what they print with the text blocks below them.  usage: tutorial.sh CC [write]: write puts what was printed into the page.
# Built here without optimising, which changes no bit.  NSC_QUICK=1: on this machine alone.  NSC_TUTORIAL: where, if not in build/tutorial.
cd "$(dirname "$0")/../.." || exit 1
NSC=$(pwd) D=${NSC_TUTORIAL:-build/tutorial} page=examples/TUTORIAL.md
export NSC
rm -rf $D && mkdir -p $D/blocks $D/here $D/bin
# the compiler under test as cc, with every warning
printf '#!/bin/sh\nPATH=%s exec %s -Wall -Wextra -pedantic -Wconversion -Wdouble-promotion -Wshadow -Werror "$@" -O0 -DNSC_STATIC\n' "$PATH" "$1" > $D/bin/cc
chmod +x $D/bin/cc
PATH=$NSC/$D/bin:$PATH
awk -v to=$D/blocks/ '/^```(c|sh|text)$/ { kind = substr($0, 4); on = 1; file = sprintf("%s%02d.%s", to, ++n, kind); printf "" > file; next }
    /^```/ { on = 0; close(file) } on { print > file }' $page
passed=0 failed=0 skipped=0
for block in $D/blocks/*; do
    case $block in
    *.c)
        name=$(sed -n '1s/^\/\* \(.*\) \*\/$/\1/p' $block)
        [ -n "$name" ] || { echo "FAILED: a C block without a name: $block"; failed=$((failed + 1)); continue; }
        cp $block "$D/here/$name"
        ;;
    *.sh)
        tool=$(grep -o '^arm-none-eabi-gcc\|^qemu-system-arm\|^sh board.sh' $block | head -1)
        if [ -n "$tool" ] && [ -n "${NSC_QUICK:-}" ]; then said=; continue; fi
        if [ -n "$tool" ] && ! { command -v arm-none-eabi-gcc && command -v qemu-system-arm; } > $D/which.txt; then
            skipped=$((skipped + 1)); said=; echo "skipped: the tutorial's last step: no arm-none-eabi-gcc or qemu-system-arm"
            continue
        fi
        said=$block.out
        if ! (cd $D/here && timeout 120 sh -e "$NSC/$block") > $said 2> $D/errors.txt; then
            failed=$((failed + 1)); echo "FAILED: $page: $block"; head -5 $D/errors.txt $said
        fi
        ;;
    *.text)
        [ -n "$said" ] || continue
        if [ "${2:-}" = write ]; then cp "$said" $block; fi
        # the sign of a zero that was rounded says nothing
        for text in $block "$said"; do sed -E 's/-(0\.0+)([^0-9]|$)/\1\2/g' "$text" > "$text.plain"; done
        if diff $block.plain "$said.plain" > $D/diff.txt; then passed=$((passed + 1))
        else failed=$((failed + 1)); echo "FAILED: $page: other output, $block"; head -10 $D/diff.txt; fi
        ;;
    esac
done
if [ "${2:-}" = write ]; then
    awk -v from=$D/blocks/ '/^```(c|sh|text)$/ { kind = substr($0, 4); n++; print; if (kind == "text") { file = sprintf("%s%02d.text", from, n)
        while ((getline line < file) > 0) print line; skip = 1 } next } /^```/ { skip = 0 } !skip' $page > $D/page.md && cp $D/page.md $page
fi
echo "tutorial: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
