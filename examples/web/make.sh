#!/bin/sh
# Builds web.c for wasm32 and puts it, as base64, into page.html: build/web/index.html needs nothing else.  make web calls it.
# On Debian: clang lld; else WASM=FILE, a module that another machine has built of this source.  DATA: where
# tosses/ is, of which one is shown beside its recording.  OUT: another folder.  Beside it
# build/web/test.html, the same with test.js in it, for test.sh.
set -eu
cd "$(dirname "$0")/../.."
from=examples/web out=${OUT:-build/web}
mkdir -p $out

# A recording, as a table for web.c
toss=${TOSS:-10} with=
file=${DATA:-../shared/data}/tosses/$toss.csv
if [ -f "$file" ]; then
    { echo "enum { TOSS_NUMBER = $toss, TOSS_ROWS = $(grep -c . "$file") };"
      echo 'static const double toss_row[TOSS_ROWS][13] = {'
      sed -n 's/^\(.*[0-9]\)[[:space:]]*$/    {\1},/p' "$file"
      echo '};'; } > $out/toss.h
    with=-DTOSS
fi

flags="-std=c99 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Werror -I. -Iexamples/kit $with
    -DNSC_MEMCPY=__builtin_memcpy -DNSC_MEMSET=__builtin_memset -DNSC_SQRT=__builtin_sqrtf -I$out"
bare="--target=wasm32 -mbulk-memory -ffreestanding"
link="-nostdlib -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=65536 -fuse-ld=lld"
have() { command -v "$1" > /dev/null; }
if [ -n "${WASM:-}" ]; then cp "$WASM" $out/web.wasm
elif have clang && have wasm-ld; then
    echo "building the page: half a minute of one core"
    clang $flags $bare -c $from/web.c -o $out/web.o # by itself, so that ccache can keep it
    clang $bare $link $out/web.o -o $out/web.wasm
else
    echo "skipped the page: no clang and lld; make web WASM=FILE takes a web.wasm that another machine built of the same files"
    exit 0
fi

# The hashes it must reach: by the compiler of this machine, from the same source
${CC:-cc} -Og -std=c99 -ffp-contract=off -I. -Iexamples/kit -I$out $with $from/hash.c -o $out/hash -lm
$out/hash > $out/native.txt

base64 < $out/web.wasm | tr -d '\n' > $out/web.base64
awk '{ printf "%s%s: \x27%s\x27", sep, $1, $2; sep = ", " }' $out/native.txt > $out/native.js
awk '$1 == "count" && $3 == "m4f" && $4 == "-O2" { printf "%s\x27%s %s\x27: %s", sep, $2, $5, $6; sep = ", " }' tests/targets/budgets.txt > $out/budgets.js
# fill FILE: page.html with the module, the hashes and this file in place of their marks
fill() {
    awk -v module=$out/web.base64 -v native=$out/native.js -v budgets=$out/budgets.js -v source=$from/web.c -v more="$1" '
        function whole(file,  text, line) {
            text = ""
            if (file == "") return text
            while ((getline line < file) > 0) text = text line "\n"
            close(file)
            sub(/\n$/, "", text)
            return text
        }
        function put(mark, file,  at) {
            if (!(at = index($0, mark))) return 0
            printf "%s", substr($0, 1, at - 1)
            printf "%s", whole(file)
            print substr($0, at + length(mark))
            return 1
        }
        !put("/*MODULE*/", module) && !put("/*NATIVE*/", native) && !put("/*BUDGETS*/", budgets) && !put("/*SOURCE*/", source) &&
            !put("/*TEST*/", more) { print }' $from/page.html
}
fill '' > $out/index.html
# The tables have no backquotes and no $
{ for robot in quadruped arm; do printf '%s: String.raw`' $robot && cat tests/robots/$robot.h && echo '`,'; done; } > $out/robots.js
awk -v robots=$out/robots.js '
    at = index($0, "/*ROBOTS*/") { printf "%s", substr($0, 1, at - 1); while ((getline line < robots) > 0) print line; $0 = substr($0, at + 10) }
    { print }' $from/test.js > $out/test.js
fill $out/test.js > $out/test.html
echo "to look at: file://$PWD/$out/index.html"
echo "$out/index.html: $(wc -c < $out/index.html) bytes, of which the module $(wc -c < $out/web.wasm), gzip $(gzip -9c < $out/web.wasm | wc -c);" \
    "the page with gzip $(gzip -9c < $out/index.html | wc -c)"
