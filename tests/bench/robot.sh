#!/bin/sh
# A robot of 12 servos and 13 bodies on its feet, nsc beside MuJoCo: time of 1/240 s against the
# error of the joint angles.  The reference is each engine at 16 times the rate and its most exact
# setting; both errors are printed, and how far the references are apart: below that none can tell.
# BUDGET=10 seconds a run, REPS=3
set -u
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc} out=build/bench table=build/robot.txt budget=${BUDGET:-10} reps=${REPS:-3}
if ! $CC -std=gnu99 -O3 -Wall -Wextra tests/bench/mujoco.c -o $out/mujoco -lmujoco -lm \
    > $out/mujoco.log 2>&1; then
    echo "skipped: mujoco, does not build here ($out/mujoco.log)"
    echo "bench-robot: 0 passed, 0 failed, 1 skipped"
    exit 0
fi

# robot PROGRAM SETTING HERTZ REPETITIONS OPTION FILE: a line of CSV
robot() {
    dt=$(awk -v f="$3" 'BEGIN { printf "%.17g", 1 / f }')
    $out/"$1" --scene robot --setting "$2" --dt "$dt" --reps "$4" "$5" "$6" --budget "$budget"
}

robot nsc_double newton 3840 1 --angles-to $out/angles_nsc.txt > /dev/null
robot mujoco newton-stiff 3840 1 --angles-to $out/angles_mujoco.txt > /dev/null
paste $out/angles_nsc.txt $out/angles_mujoco.txt | awk '
    { d = $1 - $2; sum += d * d }
    END { printf "references apart: %.2f mrad, root of the mean square\n", 1000 * sqrt(sum / NR) }'

# Engine, setting, rate; angles are compared 60 times a second, so a rate is a multiple of 60.
cat > $out/robot_runs.txt <<END
mujoco newton 60
mujoco newton 120
mujoco newton 240
mujoco newton 480
mujoco newton-stiff 120
mujoco newton-stiff 240
mujoco newton-stiff 480
mujoco newton-stiff 960
mujoco cg 240
mujoco implicit 240
nsc_float iterations=6 240
nsc_float iterations=10 240
nsc_float iterations=15 240
nsc_float iterations=20 240
nsc_float iterations=30 240
nsc_float iterations=50 240
nsc_float iterations=10 480
nsc_float substeps=2+iterations=5 240
nsc_float substeps=4+iterations=4 240
nsc_float iterations=15 120
nsc_float iterations=30 120
nsc_float iterations=50 120
nsc_float iterations=50 60
nsc_float solver=newton+tolerance=1e-2 60
nsc_float solver=newton+tolerance=1e-1 120
nsc_float solver=newton+tolerance=1e-2 120
nsc_float solver=newton+tolerance=1e-1 240
nsc_float solver=newton+tolerance=1e-2 240
nsc_float solver=newton+tolerance=1e-3 240
nsc_float solver=auto+tolerance=1e-3 240
nsc_float sipgs 240
nsc_float auto 240
END
printf '%-14s %-30s %6s %9s %16s %16s  %s\n' engine setting hertz "us/240th" "mrad, of nsc's" \
    "of MuJoCo's" stands
while read -r program setting hertz; do
    a=$(robot "$program" "$setting" "$hertz" "$reps" --angles $out/angles_nsc.txt < /dev/null)
    b=$(robot "$program" "$setting" "$hertz" 1 --angles $out/angles_mujoco.txt < /dev/null)
    printf '%s\n%s\n' "$a" "$b" | awk -F, -v OFS= -v hertz="$hertz" '
        NR == 1 { us = $5 * hertz / 240; error = 1000 * $16 }
        NR == 2 { printf "%-14s %-30s %6d %9.1f ", $1, $2, hertz, us }
        NR == 2 { printf "%16.2f %16.2f  %s\n", error, 1000 * $16, $4 }'
done < $out/robot_runs.txt | tee $table
# The worse of the two errors counts.
awk '
    function quickest(i, same, k, best) { # of nsc, at least as exact as i, at its rate or at any
        for (k = 1; k <= n; k++) {
            if (engine[k] !~ /^nsc/ || error[k] > error[i]) continue
            if (same && hertz[k] != hertz[i]) continue
            if (!best || us[k] < us[best]) best = k
        }
        if (!best) return "none of nsc"
        return sprintf("%s at %d Hz %.1f us, %.1f mrad, %.2f times", setting[best], hertz[best],
                       us[best], error[best], us[best] / us[i])
    }
    $NF == "yes" {
        n++
        engine[n] = $1
        setting[n] = $2
        hertz[n] = $3
        us[n] = $4
        error[n] = $5 > $6 ? $5 : $6
    }
    END {
        print "quickest of nsc that is at least as exact, at the same rate and at any"
        for (i = 1; i <= n; i++) {
            if (engine[i] !~ /^mujoco/) continue
            printf "MuJoCo %s at %d Hz %.1f us, %.1f mrad:\n", setting[i], hertz[i], us[i], error[i]
            print "    " quickest(i, 1)
            print "    " quickest(i, 0)
        }
    }' $table
