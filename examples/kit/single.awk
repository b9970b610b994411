# Write nsc_all.h with all that it includes as one header: awk -f examples/kit/single.awk > nsc_single.h
# A part gives its declarations where nsc.h includes it first, its code where NSCI_CODE is defined.  Where nsc.h includes itself,
# its list of parts takes the place.
function path(name) { return (name ~ /^nsc(_solvers)?\.h$/ ? "" : "examples/kit/") name }

function give(name, how,    line, on, held, list) { # how: "all", "declarations", "code" of a part
    on = how != "code"
    while ((getline line < path(name)) > 0) {
        if (line ~ /^#ifdef NSCI_PARTS/) list = 1
        if (line ~ /^\/\* ---- >>licence/) list = 0
        if (list) continue
        if (how != "all" && line ~ /^#elif defined\(NSCI_CODE\)/) {
            if (on) print "#endif"
            if (on) break
            on = 1
        } else if (on && how == "code") { # all but the last line, the #endif of the guard
            if (held != "") show(substr(held, 2))
            held = " " line
        } else if (on)
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
        else if (is_part(name)) give(name, code ? "code" : "declarations")
        else if (name ~ /^nsc_(support|factor)\.h$/ || !done[name]++) give(name, "all") # these two have guards, for several places
        return
    } else {
        if (line ~ /^#define NSCI_CODE/) code = 1
        if (line ~ /^#undef NSCI_CODE/) code = 0
        print line
        return
    }
}

function is_part(name,    line, part) {
    while ((getline line < path(name)) > 0) part += line ~ /^#elif defined\(NSCI_CODE\)/
    close(path(name))
    return part
}

BEGIN { give("nsc_all.h", "all") }
