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

# For awk: what `times` has written, of which the second line is about what this shell has run.  As few processes as may be: they are
# started for every program.
seconds='function part(text, of) { split(text, of, /[ms]/); return 60 * of[1] + of[2] }
    FILENAME ~ /[.](built|ran)$/ { if (FNR == 2) { seconds += part($1) + part($2) } next }'
# For awk: what is wrong in a log, each with the numbers that follow it
faults='/^FAILED|: FAILED/ { print; after = 1; next } after && /^    / { print; next } { after = 0 }'

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
    missing=0 programs=0
    set -- "$1" "$2" "${3:-}"
    while IFS=: read -r folder log; do
        [ "$folder" = "$2" ] || continue
        programs=$((programs + 1))
        for kept in "$log" "${log%.log}.built" "${log%.log}.ran"; do
            if [ -f "$kept" ]; then set -- "$@" "$kept"; elif [ "$kept" = "$log" ]; then missing=$((missing + 1)); fi
        done
    done < "$1/plan"
    if [ $missing -gt 0 ] && [ -z "$3" ] || ! mkdir "$1/told/$2" 2> /dev/null; then return; fi
    out=$1 folder=$2
    shift 3
    awk -v folder="$folder" -v missing=$missing -v programs=$programs "$seconds"'
        $0 ~ total { p += $(NF-5); f += $(NF-3); s += $(NF-1) }
        END { printf "%-10s %6d passed, %d failed, %d skipped; %d programs, %.1f s%s\n", folder, p, f + missing, s, programs, seconds,
              missing ? "; " missing " not built" : "" }' total="$total" "$@" /dev/null
    if [ -f "$out/spoke" ]; then date +%s > "$out/spoke"; fi
}

# How many programs have run, if nothing was printed for a while
go_on() { # DIRECTORY
    [ -f "$1/spoke" ] || return
    read -r spoke < "$1/spoke"
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
    [ -d "${file%/*}" ] || mkdir -p "${file%/*}"
    [ ! -f "$file" ] || rm -f "$file"
    "$@" > "$file.errors" 2>&1
    code=$?
    times > "$file.built"
    if [ $code -eq 0 ]; then rm -f "$file.errors"
    else
        echo "FAILED: $*"
        head -20 "$file.errors"
    fi
    go_on "${file%/*}"
    exit $code
    ;;
log)
    program=${file%.log}
    out=${file%/*}
    name=${program##*/}
    $within "$@" > "$file.part" 2>&1
    code=$?
    times > "$program.ran"
    said=$(awk "$faults"' $0 ~ total { cases += $(NF-5) + $(NF-3) + $(NF-1); failed += $(NF-3) } END { exit failed ? 2 : cases == 0 }' \
        total="$total" "$file.part")
    verdict=$? why=
    case $code in
    0) if [ $verdict = 1 ]; then why="it said nothing"; fi ;;
    124) why="ended after $limit s" ;;
    *) if [ $verdict != 2 ]; then why="exit code $code"; fi ;;
    esac
    if [ -n "$why" ]; then
        said="$said${said:+
}FAILED: $why"
        printf 'FAILED: %s\n%s: 0 passed, 1 failed, 0 skipped\n' "$why" "$name" >> "$file.part"
    fi
    mv "$file.part" "$file"
    [ -z "$said" ] || printf '%s:\n%s\n' "$name" "$said"
    if [ -f "$out/plan" ]; then
        while IFS=: read -r folder log; do
            [ "$log" != "$file" ] || break
        done < "$out/plan"
        tell "$out" "$folder"
    fi
    go_on "$out"
    ;;
sum)
    out=${file%/*}
    rm -f "$out/spoke"
    cut -d: -f1 "$out/plan" | sort -u | while read -r folder; do tell "$out" "$folder" end; done
    programs=$(($# + 1)) absent=
    for log in "$file" "$@"; do
        if [ -f "$log" ]; then set -- "$@" "$log"; else absent="$absent $log"; fi
    done
    shift $((programs - 1))
    for log in $absent; do
        log=${log%.log}
        echo "${log##*/}: was not built; $(grep -m 1 error "$log.errors" 2> /dev/null)"
    done > "$out/absent"
    awk -v programs=$programs -v wall=$(($(date +%s) - $(cat "$out/began"))) -v left="${NSC_LEFT:-}" "$seconds"'
        function fail(text) { fault[++faults] = text; failures[FILENAME]++ }
        FILENAME ~ /absent$/ { fail($0); failed++; next }
        FNR == 1 { name = FILENAME; gsub(/.*\/|[.]log$/, "", name); after = 0 }
        $0 ~ total { passed += $(NF-5); failed += $(NF-3); skipped += $(NF-1) }
        /^[a-z_0-9]*: [0-9]+ cases, [0-9]+ comparisons$/ { comparisons += $(NF-1) }
        sub(/^skipped: */, "") { if (++times[$0] == 1) { reason[++reasons] = $0 } }
        /^FAILED|: FAILED/ || (after && /^    /) {
            after = 1
            if (failures[FILENAME] < 8) { fail(name ": " $0) }
            else if (failures[FILENAME]++ == 8) { fault[++faults] = name ": and more, in " FILENAME }
            next
        }
        { after = 0 }
        END {
            printf "\n%d programs, %d %s", programs, passed + failed + skipped, comparisons ? "cases" : "checks"
            if (comparisons) { printf ", %d comparisons", comparisons }
            printf ", in %d s (%.0f s of processor time)\n", wall, seconds
            if (faults) { print "failed:" }
            for (i = 1; i <= faults; i++) { print "    " fault[i] }
            for (i = 1; i <= reasons; i++) {
                print "skipped: " reason[i] (times[reason[i]] > 1 ? " (" times[reason[i]] " times)" : "")
            }
            if (left) { print "left to make test-whole: " left }
            printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
            exit failed > 0 || passed == 0
        }' total="$total" "$out/absent" "$@" $(find "$out" -name '*.built' -o -name '*.ran')
    ;;
esac
