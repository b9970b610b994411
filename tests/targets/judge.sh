#!/bin/sh
# Compare measured numbers with the budgets: none may be unknown, none larger by more than half a percent (RAM: not by a
# byte), for a line elsewhere moves the registers of a compiler; no size or time may be nothing where there was one, and no budget may
# go unmeasured.  Every difference is printed.
# A part that can be left out must save something, and no stack be unbounded, whatever the budget.
# usage: judge.sh NAME MEASURED-FILE "TARGET COMPILER-VERSION..." SKIPPED [accept]
# Lines are "kind target option what NUMBER"; budgets.txt holds "NAME kind target option what NUMBER".
# LEFT=FILE: lines of the first words of what was not to be measured, "kind target" or more.
name=$1 measured=$2 versions=$3 skipped=$4
budgets=tests/targets/budgets.txt
[ -f $budgets ] || : > $budgets
[ -f "$measured" ] || : > "$measured"
if [ "${5:-}" = accept ]; then
    { grep -v "^$name " $budgets 2> /dev/null; sed "s/^/$name /" $measured; } > $budgets.new && mv $budgets.new $budgets
fi
awk -v name="$name" -v versions="$versions" -v skipped="$skipped" '
    BEGIN {
        n = split(versions, word, " ")
        for (i = 1; i < n; i += 2) version[word[i]] = word[i + 1]
    }
    function judged(target) { return version[target] ~ /^12\.2/ }
    FILENAME == ARGV[1] { if ($1 == name) budget[$2 " " $3 " " $4 " " $5] = $6; next }
    FILENAME == ARGV[2] { left[$0]; next }
    {
        key = $1 " " $2 " " $3 " " $4
        measured[key]
        if (!judged($2) && !told[$2]++) {
            print "skipped: judging " $2 ", for the budgets are of GCC 12.2 and this is " version[$2]
            skipped++
        }
        known = key in budget
        most = budget[key] + ($1 == "ram" ? 0 : 0.005) * (budget[key] < 0 ? -budget[key] : budget[key]) # some save
        note = !known ? "NO BUDGET" : $5 > most ? "OVER " budget[key] : $5 != budget[key] ? "was " budget[key] : ""
        if ($5 + 0 <= 0 && budget[key] > 0 && $1 !~ /^(left_out|undefined|globals)$/) note = "NOTHING, was " budget[key]
        if ($1 == "part" && $5 <= 0 && $4 != "short") note = "NOTHING SAVED" # short blocks save code too
        if ($5 == 999999) note = "NO BUILD"
        if ($4 == "unbounded") note = "NO BOUND"
        wrong = note ~ /NO|OVER/ && judged($2)
        if (wrong) failed++; else passed++
        printf (wrong ? "FAILED: " : "") "%-10s %-8s %-10s %-22s %8d %s\n", $1, $2, $3, $4, $5, note
        if (!known) delete budget[key]
    }
    END {
        for (key in budget) {
            split(key, word, " ")
            lacks = !(key in measured) && judged(word[2])
            for (some in left) if (index(key " ", some " ") == 1) lacks = 0
            if (!lacks) continue
            failed++
            printf "FAILED: %-10s %-8s %-10s %-22s NOT MEASURED\n", word[1], word[2], word[3], word[4] | "sort"
        }
        close("sort")
        printf "%s: %d passed, %d failed, %d skipped\n", name, passed, failed, skipped
        exit failed > 0
    }' $budgets "${LEFT:-/dev/null}" "$measured"
