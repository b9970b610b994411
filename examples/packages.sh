#!/bin/sh
# Makes the packages, under build/dist, and uses each from a project of its own, or checks its form where its tool is not here.
# examples/packages has a file a package manager; this one has what they share.  make packages calls it; a part of it:
# sh examples/packages.sh release cmake npm.  On Debian: arduino-builder arduino-core-avr simavr gcc-arm-none-eabi
# picolibc-arm-none-eabi qemu-system-arm cmake meson ninja-build pkg-config dpkg-dev clang lld nodejs npm g++ python3
set -u
cd "$(dirname "$0")/.." || exit 1
parts="release cmake meson arduino platformio esp_idf zephyr vcpkg conan cmsis npm page debian cpp python alone"
if [ "${1:-}" = parts ]; then
    echo $parts | tr ' ' '\n'
    exit
fi
root=$(pwd) out=build/packages dist=build/dist
rm -rf $out $dist
mkdir -p $out $dist
passed=0 failed=0 skipped=0
version=$(awk '/define NSC_VERSION_(MAJOR|MINOR|PATCH)/ { v = v sep $3; sep = "." } END { print v }' nsc_solvers.h)
about="Rigid bodies with hard contact and friction for microcontrollers and exact simulation"

skip() { echo "skipped $1: $2"; skipped=$((skipped + 1)); }

# have WHAT TOOL...: 0 if all tools are here, else one more skipped
have() {
    what=$1
    shift
    for tool in "$@"; do
        command -v "$tool" > /dev/null 2>&1 || { skip "$what" "no $tool"; return 1; }
    done
}

# check WHAT COMMAND...: one more passed or failed
check() {
    what=$1
    shift
    if "$@" > $out/log.txt 2>&1; then
        echo "ok      $what"; passed=$((passed + 1))
    else
        echo "FAILED  $what"; failed=$((failed + 1)); tail -20 $out/log.txt; return 1
    fi
}

said() { grep -q "$1" "$2" || { cat "$2"; return 1; }; }

warn="-Wall -Wextra -Wshadow -Werror -I. -Iexamples/kit"

# headers FOLDER: what every package holds: the core, and the shelf as its catalogue lists it
headers() {
    mkdir -p "$1"
    cp nsc.h nsc_solvers.h "$1"
    for file in $(grep -o '^| `nsc_[a-z_]*\.h`' examples/kit/README.md | tr -d '|` ' | sort -u); do
        cp "examples/kit/$file" "$1" || return 1
    done
}

licence() { awk '/>>licence/ && /----/ { on = 1; next } on { sub(/^   /, ""); sub(/ \*\/$/, ""); print } on && /SOFTWARE\.$/ { exit }' nsc.h; }

# fields FILE FIELD...: a JSON file parses, and has these fields, none of them empty
fields() {
    python3 - "$@" << 'END'
import json, sys
with open(sys.argv[1]) as file:
    found = json.load(file)
lacking = [name for name in sys.argv[2:] if not found.get(name)]
sys.exit("%s lacks %s" % (sys.argv[1], ", ".join(lacking)) if lacking else 0)
END
}

# 01_drop.c, built by other means, prints what cc's program prints.  The bits do not depend on the optimisation: here there
# is none, as it is the quickest.
cc -std=c99 -ffp-contract=off -I. examples/01_drop.c -o $out/drop -lm && $out/drop > $out/drop.txt || exit 1
drop() { "$out/$1/drop" > "$out/$1.txt" && diff $out/drop.txt "$out/$1.txt"; }

for part in ${*:-$parts}; do
    . "examples/packages/$part.sh"
done
echo "packages: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
