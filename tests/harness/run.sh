#!/bin/sh
# Build one test program, run one, and add up what all of them said.  `make test` calls this, several at a time; what is
# about one program is therefore printed by one command, when it has ended; between begin and sum a line at least every 20 s
# while programs end, however long a folder takes.
#   run.sh begin DIRECTORY LOG...         nothing has run yet; these are to come
#   run.sh build PROGRAM COMMAND...       COMMAND makes PROGRAM; its CPU seconds are kept beside it
#   run.sh log LOG COMMAND...             COMMAND checks; its output goes to LOG, what is wrong to the terminal, and a line
#                                         when it was the last of a folder of tests/
#   run.sh sum LOG...                     the summary, with what NSC_LEFT says was not to run; a LOG that is missing (it was not
#                                         built) is a failure
task=$1 file=$2
shift 2
total=' passed, [0-9]* failed, [0-9]* skipped$'
# A program that hangs is ended, where there is a `timeout`.
limit=300
if [ -n "$NSC_LONG" ]; then limit=3000; fi
if command -v timeout > /dev/null; then within="timeout -k 10 $limit"; else within=; fi

measure() { # seconds = user and system time of what this shell has run; no subshell, for that would have its own times
    times > "$file.times"
    seconds=$(awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%.1f", 60 * t[1] + t[2] + 60 * t[3] + t[4] }' "$file.times")
    rm -f "$file.times"
}

# What is wrong in a log, each with the numbers that follow it
faults() {
    awk '/^FAILED|: FAILED/ { print; after = 1; next } after && /^    / { print } { after = 0 }' "$1"
}

# Of logs: their folder and their path, a line each.  What is no program of tests/ is counted as one folder.
folders() {
    for log in "$@"; do
        name=${log##*/}
        name=${name%.log}
        for source in tests/*/"${name%_*}".c; do
            if [ -f "$source" ]; then source=${source#tests/}; else source="the rest/"; fi
            echo "${source%%/*}:$log"
        done
    done
}

# One line for a folder, by whoever is the first to see that all its logs are there; "end": now, whatever is missing
tell() { # DIRECTORY FOLDER [end]
    missing=0
    logs=$(sed -n "s|^$2:||p" "$1/plan")
    for log in $logs; do [ -f "$log" ] || missing=$((missing + 1)); done
    if [ $missing -gt 0 ] && [ -z "$3" ] || ! mkdir "$1/told/$2" 2> /dev/null; then return; fi
    for log in $logs; do
        cat "${log%.log}.built" "${log%.log}.ran" 2> /dev/null | sed 's/^/seconds /'
        grep "$total" "$log" 2> /dev/null
    done | awk -v folder="$2" -v missing=$missing -v programs="$(echo "$logs" | wc -l)" '
        $1 == "seconds" { seconds += $2; next }
        { p += $(NF-5); f += $(NF-3); s += $(NF-1) }
        END { printf "%-10s %6d passed, %d failed, %d skipped; %d programs, %.1f s%s\n", folder, p, f + missing, s, programs, seconds,
              missing ? "; " missing " not built" : "" }'
    if [ -f "$1/spoke" ]; then date +%s > "$1/spoke"; fi
}

# How many programs have run, if nothing was printed for a while
go_on() { # DIRECTORY
    spoke=$(cat "$1/spoke" 2> /dev/null)
    now=$(date +%s)
    if [ -z "$spoke" ] || [ $((now - spoke)) -lt "${NSC_EVERY:-15}" ]; then return; fi
    echo "$now" > "$1/spoke"
    echo "... $(find "$1" -name '*.log' | wc -l) of $(wc -l < "$1/plan") programs have run, $((now - $(cat "$1/began"))) s"
}

case $task in
begin)
    mkdir -p "$file"
    rm -rf "$file"/*.log "$file"/*.errors "$file"/*.built "$file"/*.ran "$file/told"
    mkdir "$file/told"
    folders "$@" > "$file/plan"
    date +%s | tee "$file/began" > "$file/spoke"
    ;;
build)
    mkdir -p "$(dirname "$file")"
    rm -f "$file"
    "$@" > "$file.errors" 2>&1
    code=$?
    measure
    echo "$seconds" > "$file.built"
    if [ $code -eq 0 ]; then rm -f "$file.errors"
    else
        echo "FAILED: $*"
        head -20 "$file.errors"
    fi
    go_on "$(dirname "$file")"
    exit $code
    ;;
log)
    program=${file%.log}
    name=${program##*/}
    $within "$@" > "$file.part" 2>&1
    code=$?
    measure
    case $code in
    0) ;;
    124) echo "FAILED: ended after $limit s" ;;
    *) if ! grep -q ' passed, [1-9][0-9]* failed, [0-9]* skipped$' "$file.part"; then echo "FAILED: exit code $code"; fi ;;
    esac > "$file.code"
    if [ $code -eq 0 ] && ! grep "$total" "$file.part" | grep -qv ' 0 passed, 0 failed, 0 skipped$'; then
        echo "FAILED: it said nothing" > "$file.code"
    fi
    if [ -s "$file.code" ]; then
        cat "$file.code" >> "$file.part"
        echo "$name: 0 passed, 1 failed, 0 skipped" >> "$file.part"
    fi
    rm "$file.code"
    echo "$seconds" > "$program.ran"
    mv "$file.part" "$file"
    out=$(dirname "$file")
    said=$(faults "$file")
    [ -z "$said" ] || printf '%s:\n%s\n' "$name" "$said"
    [ ! -f "$out/plan" ] || tell "$out" "$(sed -n "s|:$file\$||p" "$out/plan")"
    go_on "$out"
    ;;
sum)
    out=$(dirname "$file")
    rm -f "$out/spoke"
    set -- "$file" "$@"
    cut -d: -f1 "$out/plan" | sort -u | while read -r folder; do tell "$out" "$folder" end; done
    for log in "$@"; do
        name=${log##*/}
        name=${name%.log}
        if ! [ -f "$log" ]; then
            echo "failed $name: was not built; $(grep -m 1 error "$out/$name.errors" 2> /dev/null)"
            echo "total 0 1 0"
            continue
        fi
        grep "$total" "$log" | awk '{ print "total", $(NF-5), $(NF-3), $(NF-1) }'
        awk '/^[a-z_0-9]*: [0-9]+ cases, [0-9]+ comparisons$/ { print "comparisons", $(NF-1) }' "$log"
        sed -n 's/^skipped: */skipped /p' "$log"
        faults "$log" | sed -n -e "s/^/failed $name: /" -e 1,8p
        if [ "$(faults "$log" | wc -l)" -gt 8 ]; then echo "failed $name: and more, in $log"; fi
    done > "$out/said"
    cat "$out"/*.built "$out"/*.ran 2> /dev/null | awk -v programs=$# -v wall=$(($(date +%s) - $(cat "$out/began"))) -v said="$out/said" -v left="${NSC_LEFT:-}" '
        { processor += $1 }
        END {
            while ((getline line < said) > 0) {
                split(line, word, " ")
                text = substr(line, index(line, " ") + 1)
                if (word[1] == "total") { passed += word[2]; failed += word[3]; skipped += word[4] }
                if (word[1] == "comparisons") { comparisons += word[2] }
                if (word[1] == "failed") { fault[++faults] = text }
                if (word[1] == "skipped" && ++times[text] == 1) { reason[++reasons] = text }
            }
            printf "\n%d programs, %d %s", programs, passed + failed + skipped, comparisons ? "cases" : "checks"
            if (comparisons) { printf ", %d comparisons", comparisons }
            printf ", in %d s (%.0f s of processor time)\n", wall, processor
            if (faults) { print "failed:" }
            for (i = 1; i <= faults; i++) { print "    " fault[i] }
            for (i = 1; i <= reasons; i++) {
                print "skipped: " reason[i] (times[reason[i]] > 1 ? " (" times[reason[i]] " times)" : "")
            }
            if (left) { print "left to make test-whole: " left }
            printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
            exit failed > 0 || passed == 0
        }'
    ;;
esac
