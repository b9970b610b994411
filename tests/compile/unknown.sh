#!/bin/sh
# The table of examples/kit/README.md, "A name that the compiler does not know": without what the second column says each name of the
# first is an error, or a warning taken as one, with the words above the table; with it the name compiles.  A semicolon in both columns
# divides a line into several.  Names that nsc.h has by itself would pass neither way.
# usage: unknown.sh [CC]
cd "$(dirname "$0")/../.." || exit 1
CC=${1:-cc}
D=$(mktemp -d) || exit 1
trap 'rm -rf "$D"' EXIT
passed=0 failed=0
strict="-std=c99 -Werror=implicit-function-declaration -fsyntax-only -I. -Iexamples/kit"

awk '/^## / { on = /A name that the compiler does not know/ } on && /^\| `/ {
    split($0, column, "|"); n = split(column[2], names, ";"); m = split(column[3], needs, ";")
    for (i = 1; i <= n; i++) {
        need = n == m ? needs[i] : column[3]
        after = column[3] ~ /after it/ # of all of the line
        gsub(/^ *`|`.*$/, "", need)
        list = names[i]; gsub(/[`, ]+/, " ", list)
        print (after ? "after" : "before") "|" need "|" list
    } }' examples/kit/README.md > "$D/table"

# source MACRO INCLUDE CODE: a file of these
source() { printf '%s\n#include "nsc.h"\n%s\n%s\n' "$1" "$2" "$3" > "$D/use.c"; }
compiles() { $CC $strict "$D/use.c" > "$D/log" 2>&1; }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; head -3 "$D/log"; }

while IFS='|' read -r where need names; do
    before= after=
    if [ "$where" = after ]; then after=$need; else before=$need; fi
    for name in $names; do
        told=$name
        name=${name%%_asks_for_*}
        case $name in
        NSC_ARENA_*) code="enum { constant = $name(8, 24) };" text="implicit declaration of function .$name\|undeclared function .$name" ;;
        NSC_*) code="enum { constant = $name };" text="$name.* undeclared\|undeclared identifier '$name'" ;;
        *.*) code="int size = sizeof ((${name%.*} *)0)->${name#*.};" text="no member named .${name#*.}" ;;
        *)
            source "$before" "$after" "static $name thing;"
            if compiles; then code="static $name thing;" text="unknown type name .$told"
            else code="void call(void); void call(void) { $name(); }" text="implicit declaration of function .$name\|undeclared function .$name"; fi
            ;;
        esac
        source "" "" "$code"
        if compiles; then bad "$name without $need, and no error"
        elif grep -q "$text" "$D/log"; then passed=$((passed + 1))
        else bad "$name without $need: not said: $text"; fi
        # taken, not called: what it is called with is not known here
        case $code in *'();'*) code="void take(void); void take(void) { (void)&$name; }" ;; esac
        source "$before" "$after" "$code"
        if compiles; then passed=$((passed + 1)); else bad "$name with $need"; fi
    done
done < "$D/table"
echo "unknown names: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ] && [ $passed -gt 60 ]
