#!/bin/sh
# Compare measured numbers with the budgets: none may be unknown, none larger by more than half a percent (RAM: not by a
# byte), for a line elsewhere moves the registers of a compiler.  Every difference is printed.
# A part that can be left out must save something, and no stack be unbounded, whatever the budget.
# usage: judge.sh NAME MEASURED-FILE COMPILER-VERSION SKIPPED [accept]
# Lines are "kind target option what NUMBER"; budgets.txt holds "NAME kind target option what NUMBER".
name=$1 measured=$2 version=$3 skipped=$4
budgets=tests/targets/budgets.txt
[ -f $budgets ] || : > $budgets
if [ "${5:-}" = accept ]; then
    { grep -v "^$name " $budgets 2> /dev/null; sed "s/^/$name /" $measured; } > $budgets.new && mv $budgets.new $budgets
fi
case $version in
12.2*) ;;
*) echo "skipped: judging, for the budgets are of GCC 12.2 and this is $version"; skipped=$((skipped + 1)) ;;
esac
awk -v name="$name" -v version="$version" -v skipped="$skipped" '
    FILENAME == ARGV[1] { if ($1 == name) budget[$2 " " $3 " " $4 " " $5] = $6; next }
    {
        key = $1 " " $2 " " $3 " " $4
        most = budget[key] + ($1 == "ram" ? 0 : 0.005) * (budget[key] < 0 ? -budget[key] : budget[key]) # some save
        note = !(key in budget) ? "NO BUDGET" : $5 > most ? "OVER " budget[key] : $5 != budget[key] ? "was " budget[key] : ""
        if ($1 == "part" && $5 <= 0 && $4 != "short") note = "NOTHING SAVED" # short blocks save code too
        if ($5 == 999999) note = "NO BUILD"
        if ($4 == "unbounded") note = "NO BOUND"
        wrong = note ~ /NO|OVER/ && version ~ /^12\.2/
        if (wrong) failed++; else passed++
        printf (wrong ? "FAILED: " : "") "%-10s %-8s %-10s %-22s %8d %s\n", $1, $2, $3, $4, $5, note
    }
    END { printf "%s: %d passed, %d failed, %d skipped\n", name, passed, failed, skipped; exit failed > 0 }' $budgets $measured
