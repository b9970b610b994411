#!/bin/sh
# Copy nsc into a folder: the two headers, the files named, and what these need beside them (their first lines tell).
# usage: copy.sh FOLDER [FILE...]      a FILE as joints, nsc_joints.h or robot.py
set -u
kit=$(dirname "$0")
[ $# -gt 0 ] || { echo "usage: make copy TO=folder PARTS=\"joints imu\""; exit 1; }
to=$1
shift

beside() { # FILE: the names after "Beside it:", up to the full stop
    awk '/^   Beside it: / { on = 1 }
         on { while (match($0, /nsc(_[a-z_]+)?\.h/)) { print substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) }
              if ($0 ~ /^\./) exit }' "$1"
}

mkdir -p "$to" && cp "$kit/../../nsc.h" "$kit/../../nsc_solvers.h" "$to" || exit 1
copied=" nsc.h nsc_solvers.h "
while [ $# -gt 0 ]; do
    file=$1
    shift
    case $file in *.*) ;; *) file=nsc_$file.h ;; esac
    case $copied in *" $file "*) continue ;; esac
    from=$kit
    if [ "$file" = nsc.hpp ]; then from=$kit/../cpp; fi
    [ -f "$from/$file" ] || { echo "no $file in examples/kit; its README.md lists what there is"; exit 1; }
    cp "$from/$file" "$to" || exit 1
    copied="$copied$file "
    # shellcheck disable=SC2046
    set -- "$@" $(beside "$from/$file")
done
# shellcheck disable=SC2086
printf '%s\n' $copied
