#!/usr/bin/env bash
# Does the gate see red?  Breaks a copy of the project in one way after another and runs the steps of .ci/run that must
# see it: each must fail, and say why.  usage: gate.sh [NAME...]    the names are those of the functions break_NAME
set -u
cd "$(dirname "$0")/.."
root=$PWD copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0
quick="PROGRAMS=test_selfcheck REALS=float MATRIX=" # enough of `make test` to break

unset NSC_INSTALL AGAIN # each break has its own

# In each copy: break_NAME changes files, or says by `run`, `steps`, `with` and `why` what is run, which steps of it, in what
# environment, and what it must say.
break_nothing() { steps="compile_tcc test" why=green; }

break_test() { # one check that does not hold
    sed -i '0,/CHECK(/s//CHECK(0 \&\& /' tests/core/test_selfcheck.c
    steps=test why="FAILED test: .*test_selfcheck.c:[0-9]*: FAILED 0 && "
}

break_compile() { # what only tcc and a 16-bit compiler refuse
    echo 'typedef char nsc_too_narrow[sizeof(int) >= 4 ? 1 : -1];' >> nsc.h
    steps=compile_small why='FAILED compile_small: .*FAILED: avr-gcc'
}

break_weight() { # more to read than was agreed on
    echo '#define NSC_MORE 1' >> examples/kit/nsc_touch.h
    steps=weigh why='FAILED weigh: FAILED: examples/kit/nsc_touch.h: [0-9]* tokens'
}

break_hash() { # one digit of an expected hash
    sed -i '1{s/0$/1/;t;s/[0-9a-f]$/0/}' tests/targets/hashes.txt
    steps=bits_host why='FAILED bits_host: FAILED host_'
}

break_bits() { # one digit of a hash that the tests' own compiler has to find
    sed -i '/^BITS("scene ball", /{s/0,/1,/;t;s/[0-9a-f],/0,/}' tests/targets/bits.h
    steps=test with="MAKEFLAGS=PROGRAMS=test_same_bits REALS=float MATRIX=" why='FAILED test: .*FAILED scene ball'
}

break_budget() { # more instructions than the budget, by one percent
    awk '/^count step m4f -O2 box_at_rest_SIPGS / { $NF = int($NF / 1.01) } { print }' tests/targets/budgets.txt > new
    mv new tests/targets/budgets.txt
    steps=count why='FAILED count: FAILED: .*box_at_rest_SIPGS .* OVER'
}

# Of make size only what takes seconds: the code of nsc.h as it comes, and the RAM of the least worlds
small_size() {
    { tail -n 5 tests/targets/size.sh; echo exit; } > end # which judges
    sed -i -e 's/^parts > /parts | grep "^default" > /' -e 's/^    opt=-Os$/    continue/' -e 's/ "16 64" "32 256"; do$/; do/' \
        -e '/^        say "ram .* everything /{n;r end' -e '}' tests/targets/size.sh
}

break_size() { # more bytes of code than the budget, by one percent
    small_size
    awk '/^size code m0plus -Os default / { $NF = int($NF / 1.01) } { print }' tests/targets/budgets.txt > new
    mv new tests/targets/budgets.txt
    steps=size why='FAILED size: FAILED: code +m0plus +-Os +default .* OVER'
}

break_ram() { # a world of one byte more than the budget
    small_size
    awk '/^size ram m4f 4x16 default / { $NF-- } { print }' tests/targets/budgets.txt > new
    mv new tests/targets/budgets.txt
    steps=size why='FAILED size: FAILED: ram +m4f +4x16 +default .* OVER'
}

break_missing() { # an emulator that says nothing, beside what an earlier run has measured
    mkdir -p bin build/count
    printf '#!/bin/sh\n[ "$*" != -dumpversion ] || echo 12.2.1\n' > bin/arm-none-eabi-gcc
    printf '#!/bin/sh\n' > bin/qemu-system-arm
    chmod +x bin/*
    sed -n 's/^count //p' tests/targets/budgets.txt > build/count/measured.txt
    sed -i '/ccache/d' .ci/run # which compiles nothing either
    steps=count with="PATH=$copy/tree/bin:$PATH" why='FAILED count: FAILED: ask .* NOT MEASURED'
}

break_memory() { # a member of nsc_world that size.c does not count
    sed -i 's/^    int found_count; /    int more, found_count; /' nsc.h
    steps=config why='FAILED config: .*FAILED: bodies='
}

break_host_budget() { # the same on the host
    awk '/^S1_/ { $NF = int($NF / 1.01) } { print }' tests/bench/counts.txt > new && mv new tests/bench/counts.txt
    steps=bench why='FAILED bench: FAILED: S1_stack10 '
}

break_compiler() { # a budget made with another compiler judges nothing
    mkdir bin
    printf '#!/bin/sh\n[ "$*" = -dumpversion ] && echo 13.1.0 || exec %s "$@"\n' "$(command -v arm-none-eabi-gcc)" \
        > bin/arm-none-eabi-gcc
    chmod +x bin/arm-none-eabi-gcc
    small_size
    steps=size with="PATH=$copy/tree/bin:$PATH" why='not on the list of what may be skipped: skipped: .*13.1.0'
}

allocating() { # a step that allocates, and loses what it was given
    { echo '#include <stdlib.h>'; cat nsc.h; } | awk '/^NSC_API int nsc_world_step_with\(nsc_world \*w, / {
        print "static void *volatile nsc_lost;"
        found = 1
    } found && /^\{/ {
        sub(/\{/, "{\n    int lost = (nsc_lost = malloc(8), nsc_lost = NULL, 0);\n    (void)lost;")
        found = 0
    } { print }' > new
    mv new nsc.h
}
break_leak() { allocating; steps=corpus why='FAILED corpus: .*[Ll]eak'; }
break_heap() { allocating; steps=test with="MAKEFLAGS=PROGRAMS=test_no_heap REALS=float MATRIX=" why='FAILED test: .*sprung == 0'; }

break_proof() { # an index without end, in a function that the record of the proof knows otherwise
    sed -i '/^static nsc_real nsci_fifth_root/,/^}/s/i < 10;/i >= 0;/' examples/kit/nsc_smooth.h
    steps=prove why='FAILED prove: FAILED fifth_root'
}

break_unproved() { # a function that no driver of the proof reaches
    sed -i '/^#define NSC_SOLVERS_IMPLEMENTATION_DONE/a\\nint nsc_unproved(int x)\n{\n    return x + 1;\n}\n' nsc_solvers.h
    steps=prove why='FAILED prove: FAILED coverage: functions that no driver can reach'
}

without() { # TOOL|TOOL...: all tools but these
    mkdir bin
    ln -s $(ls -d /usr/bin/* /bin/* | grep -vE "/($1)\$") bin/ 2> /dev/null
    with="PATH=$copy/tree/bin"
}

break_tool() { # a tool that a step needs is not there
    without simavr
    steps=targets_avr why='FAILED targets_avr: .*it needs what is not here: simavr'
}

break_package() { # a package that cannot be had, of the only step
    without 'valgrind|apt-get|dpkg|id'
    printf '#!/bin/sh\nexit 100\n' > bin/apt-get
    printf '#!/bin/sh\n[ "$2" != valgrind ]\n' > bin/dpkg
    printf '#!/bin/sh\necho 0\n' > bin/id
    chmod +x bin/apt-get bin/dpkg bin/id
    sed -i '/^[a-z_]* *| *[0-9]/{/^bench /!d}' .ci/run
    steps= why='FAILED bench: it needs what is not here: valgrind; could not be installed: valgrind'
}

break_name() { # of two steps that are asked for one that is not there
    echo >> README.md
    steps="weigh tset" why='FAILED gate: no such step: tset'
}

break_skip() { # a step that skips what is not on the list
    sed -i 's/^found() .*/found() { false; }/' tests/targets/wrong.sh
    steps=wrong why='not on the list of what may be skipped: skipped: no '
}

break_number() { # a step that skips more than it names
    printf 'echo "skipped vcpkg, not built here: no vcpkg"\necho "packages: 1 passed, 0 failed, 5 skipped"\n' > examples/packages.sh
    steps=packages why='FAILED packages: it skipped 5 and named 1'
}

break_empty() { # a step that does nothing, and is content
    echo exit 0 > tests/targets/count.sh
    steps=count why='FAILED count: .*its last line is no total: nothing was printed'
}

break_zero() { # a step that runs nothing, and says so
    echo 'echo "count: 0 passed, 0 failed, 0 skipped"' > tests/targets/count.sh
    steps=count why='FAILED count: .*nothing was run'
}

break_time() { # a step that hangs, with what it has started by `timeout`, which is of a group of its own
    echo 'timeout 1000 sleep 1000 & sleep 1000' > tests/targets/count.sh
    sed -i 's/^\(count *| *\)[0-9]*/\13/' .ci/run
    steps=count why='FAILED count: .*not done within its limit of 3 s'
}

break_whole() { # a run that takes longer than all of it may
    echo 'sleep 1000' > tests/targets/count.sh
    sed -i 's/^whole=.*/whole=3/' .ci/run
    steps=count why='FAILED count: .*the whole was not done within its limit'
}

break_one_of_two() { # the first failure ends what runs beside it
    echo 'sleep 1000' > tests/targets/count.sh
    echo 'echo "FAILED: on purpose"; sleep 1000' > tests/targets/wrong.sh
    steps="count wrong" why='FAILED wrong: .*FAILED: on purpose'
}

break_nightly() { # a piece passed with what is not committed, and was then broken
    git init -q . && git add -A && git -c user.name=gate -c user.email=gate@localhost commit -qm all
    sed -i '/^[a-z]* *| *[0-9]/{/^worst /!d}' tests/nightly.sh
    mkdir -p build/npm/node_modules/rp2040js # nothing is fetched
    echo 'echo "worst: 1 passed, 0 failed, 0 skipped"' > tests/targets/worst.sh
    NSC_INSTALL=no bash tests/nightly.sh > /dev/null 2>&1 || echo "the nightly run was red before"
    echo 'echo "FAILED: on purpose"; echo "worst: 1 passed, 1 failed, 0 skipped"' > tests/targets/worst.sh
    run=tests/nightly.sh steps= with=NSC_INSTALL=no why='FAILED worst: FAILED: on purpose'
}

state() { # of all files, and the names of links
    find . -type f -print0 | sort -z | xargs -0 cksum
    find . -type l | sort
}

for name in ${*:-$(declare -F | sed -n 's/^declare -f break_//p')}; do
    rm -rf "$copy/tree"
    mkdir -p "$copy/tree"
    (cd "$root" && git ls-files -z | xargs -0 cp --parents -t "$copy/tree")
    ln -sfn "$root/../shared" "$copy/shared"
    cd "$copy/tree" || exit 1
    with="MAKEFLAGS=$quick" run=.ci/run begun=$SECONDS
    was=$(state)
    "break_$name"
    [ "$name" = nothing ] || [ "$was" != "$(state)" ] || why="a change of some file, but break_$name made none"
    if env "$with" bash $run $steps > gate.txt 2>&1; then got=green; else got=red; fi
    last=$(tail -n 1 gate.txt)
    if [ "$why" = green ]; then
        [ $got = green ] && [[ $last =~ ^[0-9]+\ passed,\ 0\ failed ]]
    else
        [ $got = red ] && grep -qE "$why" gate.txt && [[ $last =~ \ passed,\ [1-9][0-9]*\ failed ]] &&
            tail -n 12 gate.txt | grep -q '^FAILED ' && ! pgrep -f 'sleep 1000' > /dev/null
    fi
    if [ $? = 0 ]; then
        passed=$((passed + 1))
        echo "ok      $name: $(grep -m 1 -oE "$why" gate.txt | cut -c 1-90) $((SECONDS - begun)) s"
    else
        failed=$((failed + 1))
        echo "FAILED  $name: $got, expected \"$why\""
        tail -n 8 gate.txt | sed 's/^/        /'
    fi
    cd "$root" || exit 1
done
echo "gate: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
