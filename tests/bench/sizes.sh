#!/bin/sh
# Print a script that prints sizeof(nsc_world) for several capacities.  usage: sizes.sh CC
echo 'echo "bodies contacts  SIPGS only  default arena   [bytes, float]"'
for n in "4 16" "16 64" "32 256" "128 1024"; do
    set -- "$1" $n
    line=""
    for arena in "-DNSC_ARENA=0" ""; do
        printf '#define NSC_IMPLEMENTATION\n#include "nsc.h"\n#include <stdio.h>\nint main(void){printf("%%lu",(unsigned long)sizeof(nsc_world));return 0;}\n' > build/one_size.c
        $1 -DNSC_MAX_BODIES=$2 -DNSC_MAX_CONTACTS=$3 $arena -I. build/one_size.c -o build/one_size -lm && line="$line $(build/one_size)"
    done
    echo "printf '%6s %8s %11s %14s\n' $2 $3 $line"
done
