#!/usr/bin/env bash
# What takes hours, and is run whole at the end of each piece of work: make nightly, or some pieces of it: make nightly
# ONLY="mutants fuzz".  A piece that has passed on this version is not run again (build/nightly/NAME.version), but with
# AGAIN=1, or where something is not committed: then it may have changed since.
# The last result of each piece stands in tests/RESULTS.md.
set -u
cd "$(dirname "$0")/.."
. tests/steps.sh
out=build/nightly results=tests/RESULTS.md keep_going=1
only=${ONLY:-}
unset ONLY # what the pieces run has an ONLY of its own

# Beside those of .ci/run
packages() {
    cat << 'END'
clang-19 llvm-19 libclang-rt-19-dev
openmpi-bin libopenmpi-dev
chromium
gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
gcc-mips-linux-gnu libc6-dev-mips-cross gcc-mips64el-linux-gnuabi64 libc6-dev-mips64el-cross
gcc-powerpc-linux-gnu libc6-dev-powerpc-cross gcc-sparc64-linux-gnu libc6-dev-sparc64-cross
END
}

# name | seconds it may take | tools it needs | command | what of its output says most, as a regular expression
steps() {
    cat << 'END'
gate       | 1800  | gcc simavr                   | bash tests/gate.sh | ^gate:
subjects   | 3600  | python3                      | make -j1 subjects JOBS=1 | ^subjects:
long       | 10800 | gcc clang tcc                | make -j1 test-long | passed,
compilers  | 7200  | clang tcc                    | make -j1 test-compilers | passed,
sanitize   | 10800 | gcc                          | make -j1 sanitize | passed,
threads    | 3600  | gcc                          | make -j1 sanitize-threads | passed,
packages   | 1800  | cmake simavr python3         | make -j1 packages | ^packages:
web        | 1800  | clang wasm-ld chromium       | make -j1 web-check | ^page:
cluster    | 600   | mpicc mpirun                 | make -j1 cluster | passed,
targets    | 10800 | qemu-system-arm simavr node  | NSC_JOBS=1 make -j1 targets | ^targets:
size       | 7200  | arm-none-eabi-gcc            | make -j1 size | ^size:
bound      | 7200  | qemu-system-arm              | make -j1 bound | passed,
worst      | 3600  | qemu-system-arm              | make -j1 worst | ^worst:
prove      | 10800 | frama-c why3                 | NSC_CACHE= NSC_JOBS=1 make -j1 prove | ^prove:
coverage   | 10800 | clang-19 llvm-cov-19 python3 | make -j1 coverage JOBS=1 | ^all
mutants    | 43200 | clang-19 llvm-cov-19 python3 | make -j1 mutants N=400 JOBS=1 | killed [0-9.]* %
fuzz       | 18000 | clang                        | make -j1 fuzz SECONDS=600 | ^fuzz:
END
}

# What the gate may skip, and more: several pieces run the programs of its step test
may_skip() {
    sed -n '/^may_skip()/,/^END/p' .ci/run | grep ' | ' | sed 's/^test:/[a-z]*:/'
    cat << 'END'
targets: skipped emscripten .*: no emcc | a gigabyte to install; wasm32 is the same processor
long: skipped: cc, which is gcc or clang | the other name of it is read
long: skipped: c\+\+, which is g\+\+ or clang\+\+ | the same
compilers: skipped: flushing: no SSE2 here.* | tcc has no intrinsics; clang flushes
compilers: skipped: vectors with padding: .* | tcc's vectors have a fourth number; clang runs these without
END
}

version() { # the last commit that changed anything but the results; "+" with what is not committed
    local dirty
    dirty=$(git status --porcelain -- . ":!$results" 2> /dev/null)
    echo "$(git log -1 --format=%h -- . ":!$results")${dirty:++}"
}

# A line a piece; the others stay as they are
note_result() { # NAME PASSED FAILED SKIPPED CPU-SECONDS
    local says now
    now=$(version)
    says=$(sed 's/|/!/g' "$out/$1.txt" | grep -E -- "$(steps | sed -n "s/^$1 *|.*| *//p")" | tail -n 1 | tr -s ' ' | cut -c 1-110)
    [ "$3" != 0 ] || echo "$now" > "$out/$1.version"
    {
        sed '/^| [a-z]* | [0-9]/d' "$results"
        { grep '^| [a-z]* | [0-9]' "$results" | grep -v "^| $1 | "
            printf '| %s | %s | %s | %d | %d | %d | %d | %s |\n' "$1" "$(date +%Y-%m-%d)" "$now" "$2" "$3" "$4" \
                $((${5:-0} / 60)) "$says"
        } | sort
    } > "$results.new" && mv "$results.new" "$results"
}

chosen() { # the pieces asked for, or those that have not passed on this version
    local name rest now
    now=$(version)
    steps | while IFS='|' read -r name rest; do
        name=$(echo $name)
        if [ $# -gt 0 ]; then
            case " $* " in *" $name "*) ;; *) continue ;; esac
        elif [[ -z "${AGAIN:-}" && $now =~ [0-9a-f]$ && $(cat "$out/$name.version" 2> /dev/null) = "$now" ]]; then
            continue
        fi
        echo "$name |${rest%|*}"
    done
}

mkdir -p $out
{ sed -n '/^packages()/,/^END/p' .ci/run | grep -v -e '()' -e END; packages; } | install_packages
if command -v npm > /dev/null && [ ! -d build/npm/node_modules/rp2040js ]; then
    npm install --no-fund --no-audit --prefix build/npm rp2040js@1.4.1 > build/npm.txt 2>&1
fi
prefer_numpy
for name in $only; do
    [ -n "$(chosen "$name")" ] || { blame nightly "no such piece: $name"; failed=$((failed + 1)); }
done
# shellcheck disable=SC2086
[ "$failed" -gt 0 ] || run_steps $out < <(chosen $only)
conclude
