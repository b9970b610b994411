#!/usr/bin/env python3
"""What there is to read: the weight of each header, which must not grow unseen.

usage: weigh.py [accept]     (from the project's directory; accept: what is weighed is written down)

Of the core (nsc.h, nsc_solvers.h) and of each header of examples/kit: lines; tokens of C and of directives, without comments (a
string is one, and dense lines win nothing); conditionals of the preprocessor, and those inside functions; functions; macros of
configuration, which are the NSC_ names that conditionals of the declarations ask for, without the guards of headers.

Fails if one of tokens, conditionals and macros is above what tests/compile/weights.txt holds, if a header is missing there or gone,
and if one of the kit has more than MOST tokens and no reason for it there.
"""
import glob, os, re, sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tests")
from house import CORE, KIT

WEIGHTS = "tests/compile/weights.txt"
MOST = 14000
COLUMNS = ("lines", "tokens", "#if", "in functions", "functions", "macros")
JUDGED = ("tokens", "#if", "in functions", "macros")
HEAD = """\
# What each header may weigh: tokens, conditionals, those of them in functions, macros of configuration; `make weigh-accept` writes it.
# Behind a bar: why a part may have more than %d tokens.
""" % MOST

SKIPPED = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
TOKEN = re.compile(r"""[A-Za-z_]\w*                                        # names and words
                     | 0[xX][0-9a-fA-F]+\w* | \d[\w.+-]*                   # numbers
                     | <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | && | \|\| | [<>=!]=
                     | [-+*/%&|^=!<>]=? | [\[\](){};:,.?~\#]               # other operators, brackets
                     | "[^"]*" | '[^']*'""", re.X)
CONDITIONAL = re.compile(r"\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)")
CODE = re.compile(r"defined\((?:NSC_\w*IMPLEMENTATION|NSCI_PROTOTYPES|NSCI_CODE)\)|ifdef NSC_\w*IMPLEMENTATION")


def without_comments(text):
    """Comments and what is within quotes become blanks, lines stay."""
    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] + " " * (len(found) - 2) + found[-1]
        return re.sub(r"[^\n]", " ", found)
    return SKIPPED.sub(blank, text)


def functions(lines):
    """(first, last) line of each function definition, by its brackets; lines of directives and of extern "C" do not count."""
    found, head, begin, depth, goes_on = [], "", None, 0, False
    for number, line in enumerate(lines):
        words = line.strip()
        directive = goes_on or words.startswith("#")
        goes_on = directive and line.rstrip().endswith("\\")
        if directive or re.match(r'extern\s*"\s*"\s*\{|NSCI_\w+_(BEGIN|END)$', words) or (words == "}" and depth == 0):
            continue
        for at, character in enumerate(line):
            if depth == 0 and character not in "{} ":
                begin = number if begin is None else begin
                head += line[at]
            elif depth == 0 and character == " ":
                head += " "
            if character == "{":
                depth += 1
            elif character == "}" and depth > 0:
                depth -= 1
                if depth == 0:
                    if re.search(r"\w+\s*\([^;{}]*\)\s*$", head) and "=" not in head:
                        found.append((begin, number))
                    head, begin = "", None
            elif character == ";" and depth == 0:
                head, begin = "", None
        head += " "
    return found


def guards(paths):  # and switches of parts
    found = set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
            found.update(re.findall(r"^#ifndef (NSC_\w+)\n#define \1$", text, re.M)[:1])
            found.update(re.findall(r"NSC_\w+", "".join(re.findall(r"^   Switch:.*", text, re.M))))
    return found


def weigh(path, but):
    """{column: number} of a file; its macros by name, but for some."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    raw, code = text.split("\n")[:-1], without_comments(text).split("\n")[:-1]
    found = functions(code)
    within = {number for first, last in found for number in range(first, last + 1)}
    conditionals = [number for number, line in enumerate(raw) if CONDITIONAL.match(line)]
    begin = next((number for number, line in enumerate(raw) if CODE.search(line)), len(raw))
    declared = "\n".join(code[:begin]).replace("\\\n", " ").split("\n")
    macros = {name for line, next_line in zip(declared, declared[1:] + [""])
              if CONDITIONAL.match(line) and not next_line.startswith("#error") for name in re.findall(r"\bNSC_\w+", line)} | set(re.findall(r"\bNSCI_ASKED\((NSC_\w+)\)", "\n".join(declared))) - but
    macros -= but
    numbers = (len(raw), len(TOKEN.findall("\n".join(code))), len(conditionals), sum(n in within for n in conditionals),
               len(found), len(macros))
    return dict(zip(COLUMNS, numbers)), macros


def accepted():
    """{file: ({column: number}, reason or "")} of weights.txt."""
    table = {}
    if os.path.exists(WEIGHTS):
        with open(WEIGHTS) as file:
            for line in file:
                words, _, reason = line.partition("|")
                if words.strip() and not line.startswith("#"):
                    name, *numbers = words.split()
                    table[name] = dict(zip(JUDGED, map(int, numbers))), reason.strip()
    return table


def write_down(weights, table):
    with open(WEIGHTS + ".new", "w") as file:
        file.write(HEAD)
        for path, own in weights.items():
            reason = table.get(path, ({}, ""))[1]
            file.write(" ".join([path] + [str(own[what]) for what in JUDGED]) + (" | " + reason if reason else "") + "\n")
    os.replace(WEIGHTS + ".new", WEIGHTS)


def faults_of(path, own, table):
    if path not in table:
        return ["not in %s" % WEIGHTS]
    may, reason = table[path]
    faults = ["%d %s, %d are accepted" % (own[what], what, may[what]) for what in JUDGED if own[what] > may[what]]
    if path not in CORE and own["tokens"] > MOST and not reason:
        faults.append("more than %d tokens, and no reason in %s" % (MOST, WEIGHTS))
    return faults


def tell(name, own):
    print(("%-28s" + "%13d" * len(COLUMNS)) % ((name,) + tuple(own[what] for what in COLUMNS)))


def main():
    paths = list(CORE) + sorted(glob.glob(KIT + "/*.h"))
    weights, macros, but = {}, {}, guards(paths)
    for path in paths:
        weights[path], macros[path] = weigh(path, but)
    if sys.argv[1:] == ["accept"]:
        write_down(weights, accepted())
    table = accepted()
    failed = 0
    print(("%-28s" + "%13s" * len(COLUMNS)) % (("",) + COLUMNS))
    for path, own in weights.items():
        tell(path, own)
        faults = faults_of(path, own, table)
        failed += bool(faults)
        for fault in faults:
            print("FAILED: %s: %s" % (path, fault))
    for path in sorted(set(table) - set(weights)):
        failed += 1
        print("FAILED: %s: in %s, and gone" % (path, WEIGHTS))
    core = {what: sum(weights[path][what] for path in CORE) for what in COLUMNS}
    core["macros"] = len(set().union(*(macros[path] for path in CORE)))
    tell("the core", core)
    print("weigh: %d passed, %d failed, 0 skipped" % (len(set(weights) | set(table)) - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
