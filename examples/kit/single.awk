# Write nsc_all.h with all that it includes as one header: awk -f examples/kit/single.awk > nsc_single.h
# nsc.h includes itself where its list of parts is to stand.  A part gives its declarations where that is first, prototypes where
# NSCI_PROTOTYPES is defined, and code where NSCI_CODE is.
function path(name) { return (name ~ /^nsc(_solvers)?\.h$/ ? "" : "examples/kit/") name }

function give(name, how,    line, at, held, list) { # how: "all", or of a part "declarations", "PROTOTYPES", "CODE"
    at = "declarations"
    while ((getline line < path(name)) > 0) {
        if (line ~ /^#ifdef NSCI_PARTS/) list = 1
        if (line ~ /^\/\* ---- >>licence/) list = 0
        if (list) continue
        if (how != "all" && match(line, /^#elif defined\(NSCI_(PROTOTYPES|CODE)\)/)) {
            if (at == how && how == "declarations") show("#endif") # of its guard
            at = line ~ /PROTOTYPES/ ? "PROTOTYPES" : "CODE"
        } else if (how == "CODE" && at == how) { # all but the last line, the #endif of the guard
            if (held != "") show(substr(held, 2))
            held = " " line
        } else if (how == "all" || at == how)
            show(line)
    }
    close(path(name))
}

function give_list(    line, list) {
    while ((getline line < "./nsc.h") > 0) {
        if (line ~ /^\/\* ---- >>licence/) list = 0
        if (list) show(line)
        if (line ~ /^#ifdef NSCI_PARTS/) list = 1
    }
    close("./nsc.h")
}

function show(line,    name) {
    if (line ~ /^#ifdef __has_include/) depth = 1 # what is missing: nothing is
    else if (depth > 0) depth += (line ~ /^#if/) - (line ~ /^#endif/)
    else if (match(line, /^#include "nsc_?[a-z_]*\.h"/)) {
        name = line
        sub(/^#include "/, "", name)
        sub(/".*/, "", name)
        if (name == "nsc.h" && done[name]) { print "#ifdef NSCI_PARTS"; give_list() }
        else if (is_part(name)) give(name, part ? part : "declarations")
        else if (name ~ /^nsc_(support|factor)\.h$/ || !done[name]++) give(name, "all") # these two have guards, for several places
        return
    } else {
        if (line ~ /^#define NSCI_(PROTOTYPES|CODE)/) part = line ~ /PROTOTYPES/ ? "PROTOTYPES" : "CODE"
        if (line ~ /^#undef NSCI_(PROTOTYPES|CODE)/) part = ""
        print line
        return
    }
}

function is_part(name,    line, parts) {
    while ((getline line < path(name)) > 0) parts += line ~ /^#elif defined\(NSCI_CODE\)/
    close(path(name))
    return parts
}

BEGIN { give("nsc_all.h", "all") }
