#!/bin/sh
# A static library out of a source tree, without the tree's own build: every file is compiled by
# itself, JOBS at a time (2), and all of them again only if the tree or the command has changed.
# HEADER: one that every file begins with, compiled in advance.
# usage: library.sh OUT.a TREE "COMPILER AND FLAGS" FILE...
set -u
out=$1 tree=$2 compile=$3
shift 3
objects=${out%.a}.objects
if [ -f "$out" ] && [ "$(cat "$objects/command" 2> /dev/null)" = "$compile" ] &&
    [ -z "$(find "$tree" -newer "$objects/command" -type f -name '*.[chi]*' | head -n 1)" ]; then
    exit 0
fi
rm -rf "$out" "$objects"
mkdir -p "$objects"
echo "$compile" > "$objects/command"
if [ -n "${HEADER:-}" ]; then
    echo "#include <$HEADER>" > "$objects/first.h"
    $compile -x c++-header "$objects/first.h" -o "$objects/first.h.gch" || exit 1
    compile="$compile -include $objects/first.h"
fi
# The words of $compile are a command and its flags; an object has the path of its file as its name.
# shellcheck disable=SC2016
printf '%s\n' "$@" | COMPILE=$compile OBJECTS=$objects TREE=$tree xargs -P "${JOBS:-2}" -n 1 sh -c '
    name=$(printf "%s" "${1#"$TREE"/}" | tr / _)
    $COMPILE -c "$1" -o "$OBJECTS/$name.o" || exit 255' sh || exit 1
${AR:-ar} rcs "$out" "$objects"/*.o
