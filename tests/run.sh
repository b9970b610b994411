#!/bin/sh
# Build one test program, run one, and add up what all of them said.  `make test` calls this, several at a time; what is
# about one program is therefore printed by one command, when it has ended.
#   run.sh build PROGRAM COMMAND...       COMMAND makes PROGRAM; its CPU seconds are kept beside it
#   run.sh log LOG PROGRAMS COMMAND...    COMMAND checks; its output goes to LOG, a line of progress to the terminal
#   run.sh sum LOG...                     the totals; a LOG that is missing (it did not compile) is a failure
task=$1 file=$2
shift 2

measure() { # seconds = user and system time of what this shell has run; no subshell, for that would have its own times
    times > "$file.times"
    seconds=$(awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%.1f", 60 * t[1] + t[2] + 60 * t[3] + t[4] }' "$file.times")
    rm -f "$file.times"
}

case $task in
build)
    mkdir -p "$(dirname "$file")"
    rm -f "$file" "$file.log"
    "$@" > "$file.errors" 2>&1
    code=$?
    if [ $code -ne 0 ]; then echo "FAILED: $*"; fi
    cat "$file.errors"
    rm -f "$file.errors"
    measure
    echo "built in $seconds s, " > "$file.built"
    exit $code
    ;;
log)
    of=$1
    shift
    program=${file%.log}
    "$@" > "$file.part" 2>&1
    code=$?
    measure
    if [ $code -ne 0 ] && ! grep -q ' passed, [1-9][0-9]* failed, .* skipped$' "$file.part"; then # it crashed
        echo "exit code $code" >> "$file.part"
        echo "${program##*/}: 0 passed, 1 failed, 0 skipped" >> "$file.part"
    fi
    mv "$file.part" "$file"
    count=$(ls "$(dirname "$file")"/*.log | wc -l)
    built=$(cat "$program.built" 2> /dev/null)
    said=$(sed -n 's/.*[:)] *\([0-9]* passed, [0-9]* failed, [0-9]* skipped\)$/\1/p' "$file" | tail -1)
    notes=$(grep -E '^(skipped|FAILED)|: FAILED|^    .*, expected |^exit code' "$file" | head -20)
    printf '[%2d/%d] %s: %sran %s s: %s\n%s' "$count" "$of" "${program##*/}" "$built" "$seconds" "$said" "${notes:+$notes
}"
    ;;
sum)
    for log in "$file" "$@"; do
        if [ -f "$log" ]; then grep ' passed, .* failed, .* skipped$' "$log"
        else echo "FAILED: no ${log##*/}" >&2; echo "0 passed, 1 failed, 0 skipped"
        fi
    done | awk '{ p += $(NF-5); f += $(NF-3); s += $(NF-1) }
         END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }'
    ;;
esac
