# Each example in a folder of its own, with the files that its first comment names and no others: those in the line of "Files:" and
# after it, up to the command or the next sentence; "all of kit/" is all.
alone() {
    for example in examples/[0-9]*.c examples/cluster/sweep.c; do
        rm -rf $out/alone
        mkdir -p $out/alone/here $out/alone/tests
        named=$(sed '/\*\//q' $example | tr '\n' ' ' | sed 's/.*Files: //; s/ cc -.*//; s/ arm-none.*//; s/ With -D.*//')
        case $named in *'all of kit/'*) cp examples/kit/*.h $out/alone/here ;; esac
        for file in $(echo "$named" | grep -oE 'nsc[a-z_]*\.h') nsc_solvers.h; do
            cp $file examples/kit/$file $out/alone/here 2> /dev/null
        done
        cp $example examples/15_ground.h examples/28_panda.h $out/alone/here
        cp -r tests/robots $out/alone/tests
        ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -fsyntax-only $out/alone/here/$(basename $example) ||
            { echo "$example: beside it only $(ls $out/alone/here)"; return 1; }
    done
}
check "each example with the files that its first comment names, and no others" alone
