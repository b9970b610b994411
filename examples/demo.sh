#!/bin/sh
# What `make demo` prints.  All that an example says goes to build/EXAMPLE.txt, its last line to the terminal.
#   demo.sh run EXAMPLE
#   demo.sh sum EXAMPLE...    fails unless all have run and none has failed
task=$1
shift
case $task in
run)
    said=build/$1.txt
    "build/$1" > "$said" 2>&1
    code=$?
    if [ $code -eq 0 ]; then
        last=$(tail -n 1 "$said")
        printf '%-20s %s\n' "$1" "${last:-it returned 0, and prints nothing}"
    else
        mv "$said" "build/$1.failed"
        printf 'FAILED: %s: exit code %d, build/%s.failed ends with\n' "$1" $code "$1"
        tail -n 20 "build/$1.failed"
    fi
    exit $code
    ;;
sum)
    passed=0 failed=0 skipped=0
    for example; do
        if ! [ -f "build/$example.txt" ]; then
            failed=$((failed + 1))
            echo "FAILED: $example"
        elif grep -q '^skipped' "build/$example.txt"; then skipped=$((skipped + 1))
        else passed=$((passed + 1))
        fi
    done
    echo "demo: $passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
    ;;
esac
