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

copied=" nsc.h nsc_solvers.h "
from="$kit/../../nsc.h $kit/../../nsc_solvers.h"
while [ $# -gt 0 ]; do # all names first, so that a wrong one copies nothing
    file=$1
    shift
    case $file in cpp) file=nsc.hpp ;; *.*) ;; *) file=nsc_$file.h ;; esac
    case $copied in *" $file "*) continue ;; esac
    path=$kit/$file
    [ "$file" != nsc.hpp ] || path=$kit/../cpp/$file
    [ -f "$path" ] || { echo "no $file in examples/kit; its README.md lists what there is"; exit 1; }
    copied="$copied$file "
    from="$from $path"
    # shellcheck disable=SC2046
    set -- "$@" $(beside "$path")
done
# shellcheck disable=SC2086
mkdir -p "$to" && cp $from "$to" || exit 1
# shellcheck disable=SC2086
printf '%s\n' $copied
