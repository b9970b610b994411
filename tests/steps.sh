# Runs steps side by side and judges each; .ci/run and tests/nightly.sh bring the tables.  Bash, to be sourced.
#   run_steps FOLDER          reads lines "name | seconds | tools | command" and runs them, JOBS at a time, in this order.
#                             What a step prints is kept in FOLDER/name.txt.
# A step passes if its command ends in time with code 0, its last line is a total "N passed, N failed, N skipped" with
# something passed and nothing failed, no more skipped than lines "skipped..." of its output name, and each of these lines stands
# in the table may_skip prints, "step: pattern of the whole line | reason".  Without keep_going=1 the first failure ends the run,
# those beside it too.  whole=N: what has not ended N seconds after the begin of the shell has failed.
# note_result NAME PASSED FAILED SKIPPED CPU-SECONDS is called after each step, if there is such a function.
#   install_packages          reads lines of Debian's packages and installs what is missing, a line at a time; only as root,
#                             and not with NSC_INSTALL=no.  What cannot be had is named, and fails the steps that need it.
# Leaves passed, failed, skipped, and in `wrong` a line or more for each step that failed.
passed=0 failed=0 skipped=0 wrong= lacking= whole=

not_installed() { # of these packages
    local package
    for package in "$@"; do
        [ "$package" = nodejs ] && command -v node > /dev/null && continue # from elsewhere
        dpkg -s "$package" > /dev/null 2>&1 || echo "$package"
    done
}

install_packages() {
    local group missing log=build/apt.txt
    [ "$(id -u)" = 0 ] && [ "${NSC_INSTALL:-}" != no ] && command -v apt-get > /dev/null || return 0
    rm -f $log
    while read -r -a group; do
        missing=$(not_installed "${group[@]}")
        [ -n "$missing" ] || continue
        [ -e $log ] || apt-get update -qq > $log 2>&1
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >> $log 2>&1 < /dev/null
        lacking="$lacking $(not_installed $missing)"
    done
    lacking=$(echo $lacking)
    [ -z "$lacking" ] || echo "could not be installed: $lacking ($log)"
}

# numpy is a package for Debian's python3: that one stands first where another has none.
prefer_numpy() {
    python3 -c 'import numpy' 2> /dev/null && return
    /usr/bin/python3 -c 'import numpy' 2> /dev/null || return 0
    mkdir -p build/bin
    ln -sfn /usr/bin/python3 build/bin/python3
    export PATH=$PWD/build/bin:$PATH
}

# Every process of a session: `timeout` and others put what they start into groups of their own
end_session() {
    local stat line field
    for stat in /proc/[0-9]*/stat; do
        line=$(cat "$stat" 2> /dev/null) || continue
        field=(${line##*) })
        [ "${field[3]}" != "$1" ] || kill -KILL "${line%% *}" 2> /dev/null
    done
}

# blame STEP LINE...: what is printed just above the last line of all
blame() {
    local step=$1
    shift
    wrong="$wrong$(printf "FAILED $step: %s\n" "$@" | cut -c 1-300)"$'\n'
}

# Lines "skipped..." of a step that may_skip does not name
unexpected_skips() {
    local line
    while IFS= read -r line; do
        may_skip | sed 's/ *|.*//' | { while IFS= read -r may; do
            [[ "$1: $line" =~ ^$may(\ \([0-9]+\ times\))?$ ]] && exit 0
        done; exit 1; } || echo "not on the list of what may be skipped: $line"
    done < <(grep '^skipped' "$2" | sort -u)
}

# How many a step has named: a line that ends with "(N times)" stands for N.
named_skips() { awk '/^skipped/ { n += $NF == "times)" ? substr($(NF - 1), 2) : 1 } END { print n + 0 }' "$1"; }

# A step has ended with this code, or was ended for this reason
judge() {
    local step=$1 code=$2 said=$3 reason=$4 total lines p=0 f=0 s=0
    local cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 60 * $1 + $2 + 60 * $3 + $4 }' "$said.cpu" 2> /dev/null)
    rm -f "$said.cpu" "$said.code"
    total=$(grep -vE '^[[:space:]]*$|^make(\[[0-9]\])?: ' "$said" | tail -n 1)
    if [[ $total =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[4]:-0}
    elif [ -z "$reason" ]; then
        reason="its last line is no total: ${total:-nothing was printed}"
    fi
    [ -n "$reason" ] || [ $((p + f)) -gt 0 ] || reason="nothing was run"
    [ -n "$reason" ] || [ "$s" -le "$(named_skips "$said")" ] || reason="it skipped $s and named $(named_skips "$said")"
    [ -n "$reason" ] || [ "$code" = 0 ] || [ "$f" -gt 0 ] || reason="exit code $code"
    mapfile -t lines < <(unexpected_skips "$step" "$said")
    printf '%-18s %4d s, %4s s of a core: %d passed, %d failed, %d skipped\n' \
        "$step" $((SECONDS - ${begun[$step]})) "${cpu:-?}" $p $f $s
    if [ -n "$reason" ] || [ ${#lines[@]} -gt 0 ] || [ "$f" -gt 0 ]; then
        [ "$f" -gt 0 ] || f=1
        grep -E '^ *FAILED|: FAILED|does not hold|^make.*Error' "$said" | head -5 > "$said.wrong"
        [ -s "$said.wrong" ] || [ -z "$total" ] || tail -n 3 "$said" > "$said.wrong"
        while IFS= read -r line; do lines+=("$line"); done < "$said.wrong"
        rm -f "$said.wrong"
        blame "$step" "${lines[@]}" ${reason:+"$reason"} "all of it is in $said"
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    if declare -F note_result > /dev/null; then note_result "$step" $p $f $s "$cpu"; fi
}

run_steps() {
    local out=$1 table step limit tools command tool missing said now
    local -A session=() begun=() limits=() fails=()
    local jobs=${JOBS:-$(nproc 2> /dev/null || echo 2)}
    mapfile -t table
    mkdir -p "$out"
    while [ ${#table[@]} -gt 0 ] || [ ${#session[@]} -gt 0 ]; do
        while [ ${#table[@]} -gt 0 ] && [ ${#session[@]} -lt "$jobs" ]; do
            IFS='|' read -r step limit tools command <<< "${table[0]}"
            table=("${table[@]:1}")
            step=$(echo $step) said=$out/$(echo $step).txt missing=
            begun[$step]=$SECONDS limits[$step]=$((limit))
            for tool in $tools; do command -v "$tool" > /dev/null 2>&1 || missing="$missing $tool"; done
            : > "$said"
            rm -f "$said.code"
            if [ -n "$missing" ]; then
                echo "FAILED: it needs$missing" > "$said"
                judge "$step" 1 "$said" "it needs what is not here:$missing${lacking:+; could not be installed: $lacking}"
                [ -n "${keep_going:-}" ] || table=()
                continue
            fi
            setsid bash -c 'bash -c "$1" > "$2" 2>&1 < /dev/null; code=$?; times > "$2.cpu"; echo $code > "$2.code"' \
                - "$command" "$said" &
            session[$step]=$!
            disown
        done
        sleep 0.3
        for step in "${!session[@]}"; do
            said=$out/$step.txt now=$SECONDS
            if [ -s "$said.code" ]; then
                judge "$step" "$(cat "$said.code")" "$said" ""
            elif [ $((now - begun[$step])) -ge "${limits[$step]}" ]; then
                end_session "${session[$step]}"
                judge "$step" 1 "$said" "not done within its limit of ${limits[$step]} s"
            elif [ "$now" -ge "${whole:-$((now + 1))}" ]; then
                end_session "${session[$step]}"
                judge "$step" 1 "$said" "the whole was not done within its limit of $((whole / 60)) minutes"
            elif [ -z "${keep_going:-}" ] && grep -qE '^FAILED|: FAILED ' "$said"; then
                # Said before its end: a moment more for the lines that explain it
                [ -n "${fails[$step]:-}" ] || fails[$step]=$now
                [ $((now - fails[$step])) -ge 3 ] || continue
                end_session "${session[$step]}"
                judge "$step" 1 "$said" "ended at its first failure"
            else
                continue
            fi
            unset "session[$step]"
            if [ "$failed" -gt 0 ] && [ -z "${keep_going:-}" ]; then
                for step in "${!session[@]}"; do end_session "${session[$step]}"; done
                return 1
            fi
        done
    done
    [ "$failed" = 0 ]
}

# The last line of all, what failed just above it
conclude() {
    printf '%s' "$wrong"
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
