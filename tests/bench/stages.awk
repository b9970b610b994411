# nsc.h with marks where the parts of a step begin, for those who measure them: NSC_STAGE(NSC_STAGE_BROAD) and so on, a macro of
# theirs.  Pairs of boxes; contact points; matching of impulses; islands; rows; solver; motion; forces before and bookkeeping after.
#   awk -f tests/bench/stages.awk nsc.h > build/stages/nsc.h      fails where a place is not found
BEGIN {
    mark("    nsci_collide_shapes(w, s, t, reach, h);", "NARROW", "BROAD")
    mark("    nsci_sort_found(w);", "MATCH", "")
    mark("    nsci_find_contacts(w, h, scale);", "BROAD", "")
    mark("    nsci_find_islands(w, h, (nsci_mode(s) == NSCI_NEWTON && s->calls && s->calls->force) ||", "ISLANDS", "")
    mark("        code = nsci_solve_impacts(w, own, s, p, r);", "SOLVE", "ROWS")
    mark("        code = nsci_solve_islands(w, s);", "ROWS", "MOVE")
    mark("    own = w->found_count;", "REST", "")
    mark("    nsci_store_contacts(w, substeps);", "REST", "")
    print "/* A copy with marks: tests/bench/stages.awk */"
    print "#ifndef NSC_STAGES_H"
    print "#define NSC_STAGES_H"
    print "enum {"
    print "    NSC_STAGE_BROAD, NSC_STAGE_NARROW, NSC_STAGE_MATCH, NSC_STAGE_ISLANDS, NSC_STAGE_ROWS, NSC_STAGE_SOLVE, NSC_STAGE_MOVE,"
    print "    NSC_STAGE_REST"
    print "};"
    print "#endif"
}

function mark(line, before, after)
{
    first[line] = before
    last[line] = after
    places++
}

# A statement becomes a comma expression: it may be all of an if.
{
    if (!($0 in first)) {
        print
        next
    }
    found++
    statement = $0
    sub(/;$/, "", statement)
    if ($0 ~ /;$/) {
        text = "NSC_STAGE(NSC_STAGE_" first[$0] "), " substr(statement, match(statement, /[^ ]/))
        if (last[$0] != "") text = text ", NSC_STAGE(NSC_STAGE_" last[$0] ")"
        print "    " text ";"
    } else {
        print "    NSC_STAGE(NSC_STAGE_" first[$0] ");"
        print
    }
}

END {
    if (found != places) {
        print "stages.awk: " found " of " places " places" > "/dev/stderr"
        exit 1
    }
}
