#!/usr/bin/env bash
# Does the gate see red?  Breaks a copy of the project in one way after another and runs the steps of .ci/run that must
# see it: each must fail, and say why.  usage: gate.sh [NAME...]    the names are those of the functions break_NAME
set -u
cd "$(dirname "$0")/.."
root=$PWD copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0
quick="PROGRAMS=test_selfcheck REALS=float MATRIX=" # enough of `make test` to break

# In each copy: break_NAME changes files, or says by `steps`, `with` and `why` which steps are run, in what environment,
# and what the gate must say.
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

break_hash() { # one bit of an expected hash
    sed -i '1s/[0-9a-f]$/x/' tests/targets/hashes.txt
    steps=bits_host why='FAILED bits_host: FAILED host_'
}

break_budget() { # more instructions than the budget, by one percent
    awk '/^count step m4f -O2 box_at_rest_SIPGS / { $NF = int($NF / 1.01) } { print }' tests/targets/budgets.txt > new
    mv new tests/targets/budgets.txt
    steps=count why='FAILED count: FAILED: .*box_at_rest_SIPGS .* OVER'
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
    steps=count with="PATH=$copy/tree/bin:$PATH" why='not on the list of what may be skipped: skipped: .*13.1.0'
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

break_tool() { # a tool that a step needs is not there
    mkdir bin
    ln -s $(ls -d /usr/bin/* /bin/* | grep -v '/simavr$') bin/ 2> /dev/null
    steps=targets_avr with="PATH=$copy/tree/bin" why='FAILED targets_avr: .*it needs what is not here: simavr'
}

break_skip() { # a step that skips what is not on the list
    sed -i 's/^found() .*/found() { false; }/' tests/targets/wrong.sh
    steps=wrong why='not on the list of what may be skipped: skipped: no '
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

break_one_of_two() { # the first failure ends what runs beside it
    echo 'sleep 1000' > tests/targets/count.sh
    echo 'echo "FAILED: on purpose"; sleep 1000' > tests/targets/wrong.sh
    steps="count wrong" why='FAILED wrong: .*FAILED: on purpose'
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
    with="MAKEFLAGS=$quick" begun=$SECONDS
    was=$(state)
    "break_$name"
    [ "$name" = nothing ] || [ "$was" != "$(state)" ] || why="a change of some file, but break_$name made none"
    if env "$with" bash .ci/run $steps > gate.txt 2>&1; then got=green; else got=red; fi
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
