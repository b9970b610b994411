#!/bin/sh
# A change that only moves text leaves the object code as it was.  Compiles the implementation as it stands here and as it
# stood in a commit, in five configurations, and compares the object files byte by byte: same.sh [COMMIT], default HEAD.
set -u
cd "$(dirname "$0")/../.." || exit 1
base=${1:-HEAD} out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
passed=0 failed=0 skipped=0

# name | header | compiler and flags.  Everything that can be asked for; the core as it comes
all="-DNSC_LOCKS=1 -DNSC_BELTS=1 -DNSC_WORDS=1 -DNSC_PARALLEL=1 -DNSC_BARRIER=1 -DNSC_MESHES=1
    -DNSC_HULL_VERTICES=16 -DNSC_TERRAIN=1 -DNSC_MAX_SPRINGS=4 -DNSC_MAX_FORCES=2 -DNSC_MAX_ROLLING=8"
table() {
    cat << END
float  | nsc_all.h | gcc -O2
double | nsc_all.h | gcc -O2 -DNSC_DOUBLE
all    | nsc_all.h | gcc -O2 $(echo $all)
core   | nsc.h     | gcc -O2
m4f    | nsc_all.h | arm-none-eabi-gcc -Os -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 --specs=picolibc.specs
END
}

mkdir "$out/was" "$out/is"
git archive "$base" nsc.h nsc_solvers.h examples/kit | tar -x -C "$out/was" || exit 1
cp -r nsc.h nsc_solvers.h "$out/is" && mkdir "$out/is/examples" && cp -r examples/kit "$out/is/examples"
table > "$out/table"
while IFS='|' read -r name header compile; do
    header=$(echo $header)
    if ! command -v $(echo ${compile%% -*}) > /dev/null; then
        skipped=$((skipped + 1)); echo "skipped: no $(echo ${compile%% -*})"; continue
    fi
    for side in was is; do
        printf '#define NSC_IMPLEMENTATION\n#include "%s"\n' "$header" > "$out/$side/one.c"
        (cd "$out/$side" && $compile -std=c99 -ffp-contract=off -I. -Iexamples/kit -Iexamples/kit -c one.c -o "../$side.o") || exit 1
    done
    if cmp -s "$out/was.o" "$out/is.o"; then passed=$((passed + 1)); echo "same    $name"
    else failed=$((failed + 1)); echo "FAILED: $name: not the object code of $base"; fi
done < "$out/table"
echo "same: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
