#!/usr/bin/env python3
"""Mutation test of the core and the shelf: does some test fail when the implementation is wrong?

usage: mutants.py [N]     (from the project's directory; N random mutants, default 200)

Each mutant is a copy of one function with one operator, constant, index, condition or statement changed.  All copies
stand in one set of headers, and the functions they were made from begin with `if (nsc_mutant == 17) return copy`; so
every test program is compiled once for all mutants, and the environment variable NSC_MUTANT selects one.  A test
program is run only for mutants in lines that it executes (build/cover, see coverage.py), the quickest program first,
and stopped at its first failure.  In double they kill one mutant in 300 that they do not in float, at the
same price: they are left out, but for the quick ones where a line is there in double alone.  A mutant is killed by a failed
check, a crash, or five times the processor time that the program takes without it, and a second: no program is cut before.

Fails if fewer than 92 % of the mutants are killed, or 88 % in a part (a file of the shelf, or >>name in the core) of which 25 or
more were drawn; those listed in tests/mutants/equivalent.txt are not counted.  Fails, too, if an entry there is gone or was killed, and
if a program does not compile, fails without a mutant or takes longer than PATIENCE without one.

What became of each mutant is kept in build/mutants/SEED.json, and used again as long as the program that met it and the
headers have not changed.  So a run that was interrupted, or that MINUTES ended, goes on with the same SEED, and after new
tests only what survived is tried again, by the programs that have changed.

environment: SEED      of the random choice, default from the clock
             CC        compiler, default cc
             JOBS      mutants that a program meets at a time, default 1
             PATIENCE  processor seconds that a program may take without a mutant, default 120
             MINUTES   of processor time after which the run ends, to be continued, default none
             ONLY      names of test programs (test_world_float ...), default all
             WHERE     regular expression: only mutants in functions whose name matches
             PART      regular expression: only mutants in parts whose name matches ("nsc_tree.h", "nsc.h step" ...)
             SANITIZE  0: survivors do not meet the quick programs again under the address and undefined behaviour sanitizers
"""
import bisect, json, multiprocessing.pool, os, random, re, resource, shutil, signal, subprocess, sys, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import coverage
from house import CORE, KIT
from source import bare, closing, functions, tidy

DIR = "build/mutants"
FLAGS = "-std=c99 -w -ffp-contract=off".split()
SANITIZERS = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
SANITIZED_SECONDS = 0.5
OWN_HEAP = ["test_no_heap_float"]  # replaces malloc, as the address sanitizer does
LONG = 1.2  # seconds
WORTH_OPTIMISING = 30.0  # seconds of all runs together
GATE = 92.0
GATE_OF_PART = 88.0
FEWEST_OF_PART = 25
PRELUDE = "tests/mutants/prelude.c"

# (name, pattern in the code without comments and strings, replacements)
OPERATORS = [
    ("arithmetic", r"(?<=[\w)\]]) \+ (?=[\w(\-])", [" - "]),
    ("arithmetic", r"(?<=[\w)\]]) - (?=[\w(])", [" + "]),
    ("arithmetic", r"(?<=[\w)\]]) \* (?=[\w(\-])", [" / "]),
    ("arithmetic", r"(?<=[\w)\]]) / (?=[\w(\-])", [" * "]),
    ("arithmetic", r" \+= ", [" -= "]),
    ("arithmetic", r" -= ", [" += "]),
    ("arithmetic", r" \*= ", [" /= "]),
    ("arithmetic", r" /= ", [" *= "]),
    ("comparison", r" < ", [" <= ", " >= "]),
    ("comparison", r" <= ", [" < ", " > "]),
    ("comparison", r" > ", [" >= ", " <= "]),
    ("comparison", r" >= ", [" > ", " < "]),
    ("comparison", r" == ", [" != "]),
    ("comparison", r" != ", [" == "]),
    ("logic", r" && ", [" || "]),
    ("logic", r" \|\| ", [" && "]),
    ("constant", r"NSC_R\(0\.0\)", ["NSC_R(1.0)"]),
    ("constant", r"NSC_R\(1\.0\)", ["NSC_R(0.0)"]),
    ("constant", r"NSC_R\((?!0\.0\)|1\.0\))[^()]*\)", ["(NSC_R(2.0) * %s)"]),
    ("constant", r"(?<![\w.\[])0(?![\w.\]])", ["1"]),
    ("constant", r"(?<![\w.\[])(?!0\b)\d+(?![\w.\]])", ["(%s + 1)"]),
    ("index", r"(?<=\[)\d+(?=\])", ["%s + 1"]),
    ("index", r"(?<=\[)[a-z]\w*(?=\])", ["%s + 1"]),
    ("removed", r"\b(?:continue|break);", [";"]),
]


def conditions(code, body, end):
    """Negated conditions of if and while."""
    for match in re.finditer(r"\b(?:if|while) \(", code[body:end]):
        at = body + match.end() - 1
        stop = closing(code, at)
        if code[at + 1:stop].strip() not in ("0", "1"):
            yield "negated", at, stop + 1, "(!%s)"


def statements(code, body, end):
    """Removed statements: whole lines, and what stands behind a condition on the same line."""
    for match in re.finditer(r"^( +)((?:else )?(?:(?:if|for|while) )?)([^\n]*;) *$", code[body:end], flags=re.M):
        start = body + match.start(3)
        stop = body + match.end(3)
        if re.search(r"(if|for|while) $", match.group(2)):
            if code[start] != "(":
                continue
            bracket = closing(code, start)
            start = bracket + 2
        text = code[start:stop]
        plain = re.match(r"[\w>.*(\[\]+-]+(\(.*\)| [-+*/|&]?= .*|\+\+|--|[\w>.\[\]]* = .*);", text)
        if start < stop and plain and not re.match(r"(return|const|static|int|for|if|else|while|do|nsc_\w+ |goto)\b", text):
            yield "removed", start, stop, ";"


def sites(source, code, function, truth):
    """Every mutation of a function: (operator, begin, end, new text).  Where only its truth counts 1 does not become 2."""
    body, end = function["body"] + 1, function["end"] - 1
    declared = sizes(code, body, end)
    for name, pattern, replacements in OPERATORS:
        for match in re.finditer(pattern, code[body:end]):
            for new in replacements:
                old = match.group(0)
                if body + match.start() in declared:
                    continue
                if truth and old == "1" and code[:body + match.start()].endswith("return ") and code[body + match.end()] == ";":
                    continue
                yield name, body + match.start(), body + match.end(), new.replace("%s", old)
    for name, start, stop, new in conditions(code, body, end):
        yield name, start, stop, new.replace("%s", source[start:stop])
    yield from statements(code, body, end)


def sizes(code, body, end):
    """Places of array sizes in declarations: a larger array is no fault."""
    found = set()
    for line in re.finditer(r"^ *(?:static |const )*(?:nsc\w+|int|unsigned|unsigned char|u?int\d+_t|double|char) \**\w[^;()]*;", code[body:end], re.M):
        for bracket in re.finditer(r"\[(\d+)\]", line.group(0)):
            if "=" not in line.group(0)[:bracket.start()].split(",")[-1]:
                found.add(body + line.start() + bracket.start(1))
    return found


def asked(code, name, places, judged):
    """Does every call of the function, at these places, ask only whether it is 0?  As condition or operand of !, && or ||, or as what a function
    returns that is judged so itself."""
    for at in places:
        end = at + len(name)
        line = code[code.rfind("\n", 0, at) + 1:at]
        if re.match(r"[A-Za-z_]", line):
            continue # definition or declaration
        if code[end:end + 1] != "(":
            return False
        before = code[max(0, at - 200):at].rstrip()[-40:]
        last = closing(code, end) + 1
        after = code[last:last + 40].lstrip()
        ends = after.startswith((")", "&&", "||", ";", ",", "?", ":"))
        if before.endswith("!") or before.endswith(("&&", "||")) and ends:
            continue
        if after.startswith(("&&", "||", "?")) and re.search(r"(?:\(|\breturn|,| =|\?|:)$", before):
            continue
        if after.startswith(")") and re.search(r"\b(?:if|while) \($", before):
            continue
        if not (after.startswith(";") and before.endswith("return") and judged(at)):
            return False
    return True


def truths(sources):
    """Internal functions of which only the truth counts: 2 is as good as 1 there."""
    whole, owners = "", []
    macros = ""
    for header, source in sources.items():
        code = bare(source)
        for f in functions(header, source, code):
            owners.append((len(whole) + f["begin"], len(whole) + f["end"], f["name"]))
        whole += code
        macros += "\n".join(re.findall(r"^[ \t]*#(?:\\\n|[^\n])*", source, re.M)) + "\n"
    macros = re.sub(r"#define \w+", "", macros)
    named = set(re.findall(r"\w+", macros))
    found = {name for _, _, name in owners if name.startswith("nsci_") and name not in named}
    places = {}
    for match in re.finditer(r"\bnsci_\w+", whole):
        places.setdefault(match.group(0), []).append(match.start())

    def judged(at):
        return any(begin <= at < end and name in found for begin, end, name in owners)
    while True:
        fewer = {name for name in found if asked(whole, name, places[name], judged)}
        if fewer == found:
            return found
        found = fewer


def describe(source, mutant):
    """The line before and after, alike wherever it stands."""
    first = source.rfind("\n", 0, mutant["at"]) + 1
    last = source.find("\n", mutant["stop"])
    old = source[first:last]
    new = source[first:mutant["at"]] + mutant["new"] + source[mutant["stop"]:last]
    return "%s: %s => %s" % (mutant["function"]["name"], tidy(old), tidy(new))


def parts_of(header, source):
    """(place, name) of every part: of the core what its marks >>name have, of the shelf the file."""
    if header not in CORE:
        return [(0, os.path.basename(header))]
    marks = re.finditer(r"^/\* ---- >>(\w+)", source, re.M)
    return [(0, header + " top")] + [(m.start(), "%s %s" % (header, m.group(1))) for m in marks]


def all_mutants(sources):
    """Every mutant."""
    found = []
    times = {}
    truth = truths(sources)
    for header in coverage.HEADERS:
        source = sources[header]
        code = bare(source)
        parts = parts_of(header, source)
        ends = [m.start() for m in re.finditer("\n", source)]
        for function in functions(header, source, code):
            for name, start, stop, new in sites(source, code, function, function["name"] in truth):
                mutant = {"function": function, "header": header, "operator": name, "at": start, "stop": stop, "new": new,
                          "line": bisect.bisect_left(ends, start) + 1}
                mutant["part"] = [part for at, part in parts if at <= function["begin"]][-1]
                mutant["text"] = text = describe(source, mutant)
                times[text] = times.get(text, 0) + 1 # the same line may stand twice in a function
                mutant["name"] = text if times[text] == 1 else "%s (%d)" % (text, times[text])
                found.append(mutant)
    return found


def plain_type(function):
    """What a function returns, without the words for how it is linked and compiled, some of which are macros with static in them."""
    return " ".join(re.sub(r"\b(static|inline|NSC_API|NSC_MAYBE_UNUSED|NSCI_[A-Z_]+)\b", "", function["type"]).split())


def copy_of(source, mutant):
    """The mutated copy of a function."""
    f = mutant["function"]
    head = "static %s " % plain_type(f)
    name = "%s_mutant_%d" % (f["name"], mutant["number"])
    return (head + name + source[f["named"] + len(f["name"]):mutant["at"]] + mutant["new"] + source[mutant["stop"]:f["end"]] + "\n")


def choice_of(mutant):
    """What the original function begins with."""
    f = mutant["function"]
    call = "%s_mutant_%d(%s)" % (f["name"], mutant["number"], ", ".join(f["arguments"]))
    void = plain_type(f) == "void"
    return " if (nsc_mutant == %d) { %s; }" % (mutant["number"], call + "; return" if void else "return " + call)


def write_tree(sources, mutants):
    """The headers with all mutants in build/mutants; which lines belong to which mutant."""
    owners = {}
    for header in coverage.HEADERS:
        source = sources[header]
        text, at, owners[header] = "", 0, {}
        here = sorted((m for m in mutants if m["header"] == header), key=lambda m: (m["function"]["begin"], m["number"]))
        for i, mutant in enumerate(here):
            f = mutant["function"]
            text += source[at:f["begin"]]
            at = f["begin"]
            first = text.count("\n") + 1
            text += copy_of(source, mutant)
            for line in range(first, text.count("\n") + 1):
                owners[header][line] = mutant["number"]
            if i + 1 == len(here) or here[i + 1]["function"] is not f:
                same = [m for m in here if m["function"] is f]
                text += source[at:f["body"] + 1] + "".join(choice_of(m) for m in same)
                at = f["body"] + 1
        with open(os.path.join(DIR, header), "w") as file:
            file.write(text + source[at:])
    return owners


def compile_program(source, flags, target):
    """Compiler's messages, or None if it compiled."""
    command = [os.environ.get("CC", "cc")] + FLAGS + flags + ["-include", "prelude.h", "-I.", "-I" + KIT, "-Itests", "-Itests/harness", source,
                                                            PRELUDE, "-o", target, "-lm"]
    done = subprocess.run(command, cwd=DIR, stderr=subprocess.PIPE, universal_newlines=True)
    return done.stderr if done.returncode else None


def build(name, source, flags, sources, mutants):
    """Compile one program with all mutants, dropping those that do not compile."""
    for _ in range(20):
        owners = write_tree(sources, [m for m in mutants if not m.get("invalid")])
        errors = compile_program(source, flags, name)
        if errors is None:
            return True
        bad = set()
        for header, line in re.findall(r"((?:%s/)?nsc\w*\.h):(\d+):\d+: (?:fatal )?error" % KIT, errors):
            bad.add(owners.get(header, {}).get(int(line)))
        bad.discard(None)
        if not bad:
            print(errors[:2000])
            return False
        for mutant in mutants:
            if mutant["number"] in bad:
                mutant["invalid"] = True
    return False


def run(name, number, seconds):
    """(failed, processor seconds) of a program with a mutant; stopped at the first failure, or after so many seconds."""
    environment = dict(os.environ, NSC_MUTANT=str(number), ASAN_OPTIONS="detect_leaks=0")
    with subprocess.Popen([os.path.join(DIR, name)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as process:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(seconds + 0.999), int(seconds + 2)))
        failed = False
        for line in process.stdout:
            if b"FAILED" in line:
                failed = True
                os.kill(process.pid, signal.SIGKILL) # process.kill() might wait for it
                break
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return failed or process.returncode != 0, used.ru_utime


def order(programs, kept):
    """In float, the quickest first; of those that take long first the one that executes most lines which few others do."""
    chosen = [p for p in programs if p[0].endswith("_float")]
    lines = {p[0]: {(h, l) for h, one in kept[p[0]]["files"].items() for l, ran in one["lines"].items() if ran} for p in chosen}
    times = {}
    for own in lines.values():
        for line in own:
            times[line] = times.get(line, 0) + 1
    rare = lambda name: sum(times[line] < 6 for line in lines[name])
    seconds = lambda name: kept[name]["seconds"]
    return sorted(chosen, key=lambda p: (seconds(p[0]) > LONG, -rare(p[0]) if seconds(p[0]) > LONG else seconds(p[0])))


def in_double_alone(programs, kept):
    """The quick programs in double, the quickest first, and what lines only programs in double execute."""
    ran = lambda names: {(h, l) for n in names for h, one in kept[n]["files"].items() for l, times in one["lines"].items() if times}
    quick = [p for p in programs if p[0].endswith("_double") and kept[p[0]]["seconds"] < LONG]
    lines = ran(p[0] for p in quick) - ran(p[0] for p in programs if p[0].endswith("_float"))
    return sorted(quick, key=lambda p: kept[p[0]]["seconds"]), lines


class Ledger:
    """What became of each mutant, in build/mutants/SEED.json: {name: {"killed": [program, key]}, {"invalid": [program, key]}
    where it does not compile, or {"passed": {program: key}}}.  The key of a program changes when it or what it includes
    does, the headers among it; then what it said is forgotten."""

    def __init__(self, seed, keys):
        self.path = os.path.join(DIR, "%s.json" % seed)
        self.keys = keys
        try:
            with open(self.path) as file:
                self.kept = json.load(file)
        except (OSError, ValueError):
            self.kept = {}

    def recall(self, mutants):
        """Mark those decided before; and forget what is out of date."""
        for mutant in mutants:
            own = self.kept.setdefault(mutant["name"], {"passed": {}})
            for what in ("killed", "invalid"):
                name, key = own.get(what) or ("", "")
                if name and self.keys.get(name.split()[0]) == key:
                    mutant[what] = name
                else:
                    own.pop(what, None)

    def passed(self, mutant, name):
        return self.kept[mutant["name"]]["passed"].get(name) == self.keys[name.split()[0]]

    def note(self, mutant, name):
        own = self.kept[mutant["name"]]
        key = self.keys[name.split()[0]]
        for what in ("killed", "invalid"):
            if mutant.get(what):
                own[what] = [name, key]
                return
        own["passed"][name] = key

    def save(self):
        with open(self.path + ".new", "w") as file:
            json.dump(self.kept, file, indent=1)
        os.replace(self.path + ".new", self.path)


class OutOfTime(Exception):
    pass


def spent():
    """Processor seconds of this run."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF))


def attack(programs, kept, sources, mutants, extra, note, ledger):
    """Run the programs, the quickest first, against the mutants alive in lines that they execute; what is wrong with programs."""
    wrong = []
    doubles, rare = in_double_alone(programs, kept)
    patience = float(os.environ.get("PATIENCE") or 120)
    minutes = float(os.environ.get("MINUTES") or 0)
    jobs = int(os.environ.get("JOBS") or 1)
    for name, source, flags in order(programs, kept) + doubles:
        lines = {h: set(int(l) for l, n in kept[name]["files"].get(h, {"lines": {}})["lines"].items() if n) for h in sources}
        alive = [m for m in mutants if not m.get("killed") and not m.get("invalid") and m["line"] in lines[m["header"]]
                 and (name.endswith("_float") or (m["header"], str(m["line"])) in rare) and not ledger.passed(m, name + note)]
        if not alive:
            continue
        if minutes and spent() > 60 * minutes:
            raise OutOfTime
        begin = spent()
        optimised = len(alive) * kept[name]["seconds"] > WORTH_OPTIMISING or name.startswith(("test_parallel", "test_replay"))
        level = ["-O1" if optimised else "-O0"] # for nsc has vectors only where the compiler optimises
        if not build(name, source, flags + level + extra, sources, alive):
            wrong.append("%s%s does not compile" % (name, note))
            continue
        failed, seconds = run(name, 0, patience)
        if failed:
            wrong.append("%s%s %s without a mutant" % (name, note, "fails" if seconds < patience else "takes longer than PATIENCE"))
            os.remove(os.path.join(DIR, name))
            continue
        killed = 0
        def meet(mutant):
            if mutant.get("invalid") or minutes and spent() > 60 * minutes:
                return None
            return run(name, mutant["number"], 5 * seconds + 1)[0]
        try:
            with multiprocessing.pool.ThreadPool(jobs) as pool:
                for mutant, failed in zip(alive, pool.imap(meet, alive)):
                    if failed is None and not mutant.get("invalid"):
                        raise OutOfTime
                    if failed:
                        mutant["killed"] = name + note
                        killed += 1
                    ledger.note(mutant, name + note)
        finally:
            ledger.save()
            os.remove(os.path.join(DIR, name))
        print("%s%s: %d of %d killed, %.0f s" % (name, note, killed, len(alive), spent() - begin), flush=True)
    return wrong


def equivalents():
    """Texts of mutants that change nothing: the text alone on its line, the reason indented below."""
    with open("tests/mutants/equivalent.txt") as file:
        return set(line.strip() for line in file if line.strip() and not line.startswith((" ", "#")))


def choose(found, n, seed, lines):
    """n random mutants of those in lines that some test program compiles; WHERE and PART narrow them down."""
    where = os.environ.get("WHERE", "")
    part = os.environ.get("PART", "")
    found = [m for m in found if m["line"] in lines[m["header"]] and re.search(where, m["function"]["name"]) and re.search(part, m["part"])]
    chosen = random.Random(seed).sample(found, min(n, len(found)))
    for number, mutant in enumerate(chosen):
        mutant["number"] = number + 1
    return chosen


def rates(killed, alive):
    """Print what was killed of each part of the headers; the parts below their gate."""
    low = []
    for part in sorted({m["part"] for m in killed + alive}):
        n = sum(m["part"] == part for m in killed)
        drawn = n + sum(m["part"] == part for m in alive)
        below = drawn >= FEWEST_OF_PART and 100.0 * n < GATE_OF_PART * drawn
        print("  %-24s %4d of %4d killed, %5.1f %%%s" % (part, n, drawn, 100.0 * n / drawn, ", too few" if below else ""))
        if below:
            low.append(part)
    return low


def report(mutants, found, seed, wrong, finished):
    """Survivors and figures; 1 if too few are killed, or something else is wrong."""
    same = equivalents()
    valid = [m for m in mutants if not m.get("invalid")]
    killed = [m for m in valid if m.get("killed")]
    equal = [m for m in valid if not m.get("killed") and m["text"] in same]
    alive = [m for m in valid if not m.get("killed") and m["text"] not in same]
    wrong += ["gone, strike it from equivalent.txt: %s" % text for text in sorted(same - {m["text"] for m in found})]
    wrong += ["not equivalent, strike it: %s" % m["text"] for m in killed if m["text"] in same]
    if not finished:
        print("not finished: %d mutants have not met all tests; SEED=%d goes on" % (len(alive), seed))
        wrong.append("not finished")
        alive = []
    for m in sorted(alive, key=lambda m: (m["header"], m["line"])):
        print("survived: %s:%d %s%s\n  %s" % (m["header"], m["line"], m["operator"], "" if m["runs"] else ", never executed",
                                              m["text"]))
    for m in mutants:
        if m.get("invalid"):
            print("does not compile: %s" % m["text"])
    share = 100.0 * len(killed) / max(1, len(killed) + len(alive))
    if finished:
        wrong += ["too few are killed of %s" % part for part in rates(killed, alive)]
        if share < GATE:
            wrong.append("too few are killed")
    for text in wrong:
        print("FAILED: %s" % text)
    print("seed %d: %d mutants, %d do not compile, %d killed, %d equivalent, %d survived; killed %.1f %%, %.0f s" %
          (seed, len(mutants), len(mutants) - len(valid), len(killed), len(equal), len(alive), share, spent()))
    print("mutants: %d passed, %d failed, 0 skipped" % (len(killed), len(wrong) + (len(alive) if wrong else 0)))
    return len(wrong) > 0


def main():
    kept = coverage.measure_all()
    if kept is None:
        print("FAILED: no clang with llvm-cov, 18 or newer\nmutants: 0 passed, 1 failed, 0 skipped")
        return 1
    seed = int(os.environ.get("SEED") or time.time())
    print("SEED=%d" % seed, flush=True)
    sources = {h: open(h).read() for h in coverage.HEADERS}
    total = coverage.merge(kept)
    found = all_mutants(sources)
    mutants = choose(found, int(sys.argv[1]) if sys.argv[1:] else 200, seed, {h: total[h]["lines"] for h in sources})
    for m in mutants:
        m["runs"] = total[m["header"]]["lines"][m["line"]]
    os.makedirs(DIR, exist_ok=True)
    for folder in ("tests", KIT):
        shutil.rmtree(os.path.join(DIR, folder), ignore_errors=True)
        shutil.copytree(folder, os.path.join(DIR, folder))
    with open(os.path.join(DIR, "prelude.h"), "w") as file:
        file.write("extern int nsc_mutant;\n")
    ledger = Ledger(seed, {name: kept[name]["key"] for name in kept})
    ledger.recall(mutants)
    programs = list(coverage.programs())
    wrong = ["%s fails without a mutant" % name for name in kept if kept[name]["code"]]
    finished = True
    try:
        wrong += attack(programs, kept, sources, mutants, [], "", ledger)
        if os.environ.get("SANITIZE") != "0":
            quick = [p for p in programs if kept[p[0]]["seconds"] < SANITIZED_SECONDS and p[0].endswith("_float") and p[0] not in OWN_HEAP]
            wrong += attack(quick, kept, sources, mutants, SANITIZERS, " sanitized", ledger)
    except (KeyboardInterrupt, OutOfTime):
        finished = False
    return report(mutants, found, seed, wrong, finished)


if __name__ == "__main__":
    sys.exit(main())
