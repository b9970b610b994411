#!/bin/sh
# Builds web.c for wasm32 and puts it, as base64, into page.html: build/web/index.html needs nothing else.  make web calls it.
# On Debian: clang lld.  Beside it build/web/test.html, the same with test.js in it, for test.sh.
set -eu
cd "$(dirname "$0")/../.."
from=examples/web out=build/web
mkdir -p $out
for tool in clang wasm-ld; do
    command -v $tool > /dev/null || { echo "the page needs clang and lld: no $tool" >&2; exit 1; }
done

clang -std=c99 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Werror -I. -Iexamples/kit \
    --target=wasm32 -mbulk-memory -ffreestanding -nostdlib -fuse-ld=lld -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=65536 \
    -DNSC_MEMCPY=__builtin_memcpy -DNSC_MEMSET=__builtin_memset -DNSC_SQRT=__builtin_sqrtf $from/web.c -o $out/web.wasm

# The hashes it must reach: by the compiler of this machine, from the same source
${CC:-cc} -std=c99 -O2 -ffp-contract=off -I. -Iexamples/kit $from/hash.c -o $out/hash -lm
$out/hash > $out/native.txt

base64 < $out/web.wasm | tr -d '\n' > $out/web.base64
awk '{ printf "%s%s: \x27%s\x27", sep, $1, $2; sep = ", " }' $out/native.txt > $out/native.js
# fill FILE: page.html with the module, the hashes and this file in place of their marks
fill() {
    awk -v module=$out/web.base64 -v native=$out/native.js -v more="$1" '
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
        !put("/*MODULE*/", module) && !put("/*NATIVE*/", native) && !put("/*TEST*/", more) { print }' $from/page.html
}
fill '' > $out/index.html
fill $from/test.js > $out/test.html
echo "$out/index.html: $(wc -c < $out/index.html) bytes, of which the module $(wc -c < $out/web.wasm), gzip $(gzip -9c < $out/web.wasm | wc -c);" \
    "the page with gzip $(gzip -9c < $out/index.html | wc -c)"
