#!/usr/bin/env python3
"""Coverage of the core and the shelf (house.py) by the test programs: lines, branches and MC/DC, as clang (18 or newer) counts them.

usage: coverage.py     (from the project's directory)

Every test program is built with clang's instrumentation, in float and in double, and run once, quick; so are the programs
of VARIANTS, which compile what the tests leave out.  What each run says is kept in build/cover/ until its sources change.

The programs' configurations differ, and so does what clang makes of a function in each.  Therefore results are merged by
place in the source: a line is covered if one program executes it, a branch if one program takes it.  A condition of a
decision counts (MC/DC, with masking) if two evaluations of that decision, in whatever programs, differ in this condition
alone among those evaluated, and in the result.  Conditions that are constant in every program are not counted, nor are
decisions with a negated && or || in them, which clang does not measure: the report says how many.

What stays uncovered may stand in tests/mutants/uncovered.txt with a reason, named "function: line"; it is then counted
apart, as listed.  Gates: 100 % of the lines (those listed not counted as missing), and 98 % of all branches and 93 % of all conditions, listed or not; of
the add-ons, which nsc_all.h does not include, 100 % of the lines.  Every program has to pass, and what uncovered.txt names has
to be there and uncovered.

environment: COVER_CC   compiler, default the newest clang found
             JOBS       programs built and run at a time, default 1
             ONLY       names of test programs (test_world_float ...), default all
"""
import glob, hashlib, json, multiprocessing.pool, os, re, shutil, subprocess, sys, time

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), "tests"]
from house import KIT, add_ons, core_and_shelf
from source import functions_of_lines, tidy

ADD_ONS = add_ons()
HEADERS = core_and_shelf() + ADD_ONS
FORMAT = "4"  # of what is kept of a program; another forgets all
WHATS = ("lines", "branches", "conditions")
GATES = {"lines": 100.0, "branches": 98.0, "conditions": 93.0}
DIR = "build/cover"
FLAGS = ("-std=c99 -Wno-everything -ffp-contract=off -I. -Iexamples/kit -Itests -Itests/harness -fprofile-instr-generate -fcoverage-mapping "
         "-fcoverage-mcdc").split()
# With -O1 a program takes five times as long to compile, and a fifth to run: for those that compute for long, and for parallel,
# because nsc has vectors only where the compiler optimises.
BUSY = "agree anytime barrier hard impacts joints parallel replay restitution scenes shapes smooth springs steppers".split()
OUT = "-DNSC_MAX_JOINTS=0 -DNSC_MAX_EVENTS=0 -DNSC_CONVEX=0 -DNSC_NO_ISLANDS -DNSC_NO_SUBSTEPS -DNSC_STEPPERS=0 -DNSC_SMOOTH=0 -DNSC_NO_TEXTS"
# The scalar kernels of a machine without vectors, on several cores too
VARIANTS = [("least", "tests/compile/impl.c", OUT), ("no_lanes", "tests/bits/test_same_bits.c", "-O1 -DNSC_LANES=0"),
            ("cores", "tests/solvers/test_parallel.c", "-O1 -DNSC_LANES=0")]


def compiler():
    """The newest clang that knows MC/DC, with its tools, or None."""
    if os.environ.get("COVER_CC"):
        return os.environ["COVER_CC"]
    for version in range(30, 17, -1):
        if shutil.which("clang-%d" % version) and shutil.which("llvm-cov-%d" % version):
            return "clang-%d" % version
    return None


def programs():
    """(name, source, flags) of every program."""
    only = os.environ.get("ONLY", "").split()
    sources = [(os.path.basename(s)[:-2], s, "") for s in sorted(glob.glob("tests/*/test_*.c"))]
    for title, source, flags in sources + VARIANTS:
        for real in ("float", "double"):
            name = title + "_" + real
            if not only or name in only:
                yield name, source, flags.split() + (["-DNSC_DOUBLE"] if real == "double" else [])


def included(path, found):
    """The file and what it includes by name, and so on."""
    path = os.path.normpath(path)
    if path in found or not os.path.exists(path):
        return
    found.add(path)
    with open(path) as file:
        for name in re.findall(r'^ *# *include "([^"]+)"', file.read(), re.M):
            for folder in (os.path.dirname(path), ".", KIT, "tests", "tests/harness"):
                included(os.path.join(folder, name), found)


def key(cc, source, flags):
    """Changes when the program, what it includes, or the corpus of the fuzz targets does."""
    digest = hashlib.sha256(" ".join([FORMAT, cc] + flags).encode())
    found = set()
    included(source, found)
    if any(path.startswith("tests/fuzz/") for path in found):
        found.update(glob.glob("tests/fuzz/corpus/*/*"))
    for path in sorted(found):
        with open(path, "rb") as file:
            digest.update(path.encode() + b"\0" + file.read())
    return digest.hexdigest()


def call(command, **more):
    """(exit code, processor seconds) of a command."""
    process = subprocess.Popen(command, **more)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def measure(cc, name, source, flags):
    """Build and run one program; its digest, from the cache where nothing changed."""
    path = os.path.join(DIR, name)
    level = "-O1" if name.split("_")[1] in BUSY else "-O0"
    flags = FLAGS + [level] + flags
    wanted = key(cc, source, flags)
    try:
        with open(path + ".json") as file:
            kept = json.load(file)
        if kept["key"] == wanted:
            return kept
    except (OSError, ValueError):
        pass
    environment = dict(os.environ, LLVM_PROFILE_FILE=path + ".profraw")
    with open(path + ".txt", "w") as out:
        code, built = call([cc] + flags + [source, "-o", path, "-lm"], stdout=out, stderr=out)
        if code:
            sys.exit("FAILED: %s does not compile, see %s.txt" % (name, path))
        code, seconds = call([path], stdout=out, stderr=out, env=environment)
    version = re.sub(r"^.*clang", "", cc)
    subprocess.run(["llvm-profdata" + version, "merge", "-sparse", "-o", path + ".profdata", path + ".profraw"], check=True)
    text = subprocess.run(["llvm-cov" + version, "show", "-show-branches=count", "-show-mcdc", "-instr-profile", path + ".profdata",
                           path], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    for end in ("", ".profraw", ".profdata"):
        os.remove(path + end)
    kept = {"key": wanted, "built": built, "seconds": seconds, "code": code, "files": digest(text)}
    if code == 0:
        with open(path + ".json", "w") as file:
            json.dump(kept, file)
    return kept


def numbers(place):
    return [int(x) for x in place.split(":")]


def digest(text):
    """What llvm-cov shows of one program: of each header how often each line ran, both ways of each branch, and of each decision
    the places of its conditions, which of them are constant, and the vectors evaluated: a letter a condition, C where it is
    constant, and the result.  A
    condition that a macro brings in has a place in the macro's file, which is not said: that of the decision is put before it."""
    result = {h: {"lines": {}, "branches": {}, "decisions": {}} for h in HEADERS}
    one = decision = None
    for line in text.split("\n"):
        if line.startswith("/") and line.endswith(":"):
            one = result.get(os.path.relpath(line[:-1]))
            continue
        if one is None or "|" not in line:
            continue
        found = re.match(r" *(\d+)\| *([\d.]+[kMGTPEZY]?)\|", line)
        if found:
            one["lines"][found.group(1)] = int(found.group(2) != "0")
            continue
        found = re.match(r" *\|  Branch \((\d+:\d+)\): \[(?:True: ([^,]*), False: ([^\]]*)|(Folded))", line)
        if found:
            if not found.group(4):
                old = one["branches"].get(found.group(1), [0, 0])
                one["branches"][found.group(1)] = [int(o or n != "0") for o, n in zip(old, found.group(2, 3))]
            continue
        found = re.match(r" *\|---> MC/DC Decision Region \((\d+:\d+)\) to \((\d+:\d+)\)", line)
        if found:
            decision = {"places": [], "constant": [], "vectors": set(), "span": found.groups()}
            continue
        found = re.match(r" *\|     Condition C\d+ --> \((\d+:\d+)\)", line)
        if found:
            begin, place, end = (numbers(p) for p in (decision["span"][0], found.group(1), decision["span"][1]))
            decision["places"].append(("" if begin <= place <= end else decision["span"][0] + ":") + found.group(1))
            continue
        found = re.match(r" *\|  \d+ \{ ([TFC\-, ]+?) *= ([TF]) ", line)
        if found:
            decision["vectors"].add(re.sub("[, ]", "", found.group(1)) + found.group(2))
            continue
        found = re.match(r" *\|  C(\d+)-Pair: constant folded", line)
        if found:
            decision["constant"].append(int(found.group(1)))
        if "MC/DC Coverage for" in line:
            places = " ".join(decision["places"])
            old = one["decisions"].setdefault(places, {"vectors": [], "constant": decision["constant"]})
            old["vectors"] = sorted(set(old["vectors"]) | decision["vectors"])
            old["constant"] = sorted(set(old["constant"]) & set(decision["constant"]))
    return result


def measure_all():
    """Digests of all programs, or None without a compiler for it."""
    cc = compiler()
    if not cc:
        return None
    os.makedirs(DIR, exist_ok=True)

    def one(program):
        kept = measure(cc, *program)
        print("covered: %s, built in %.1f s, ran %.1f s%s" % (program[0], kept["built"], kept["seconds"],
                                                              ", FAILS" if kept["code"] else ""), file=sys.stderr, flush=True)
        return program[0], kept
    with multiprocessing.pool.ThreadPool(int(os.environ.get("JOBS") or 1)) as pool:
        return dict(pool.map(one, list(programs()), 1))


def directives(header):
    """Lines of preprocessor directives: clang counts what macros expand to there."""
    lines = set()
    going_on = False
    with open(header) as file:
        for number, text in enumerate(file, 1):
            if going_on or text.lstrip().startswith("#"):
                lines.add(number)
                going_on = text.rstrip().endswith("\\")
    return lines


def decided(vectors, count):
    """Of each condition, does it decide: two vectors that differ in the result, and in it alone where both have a value."""
    seen = [0] * count
    for i, a in enumerate(vectors):
        for b in vectors[i + 1:]:
            if a[-1] != b[-1]:
                unlike = [k for k in range(count) if a[k] != b[k] and "-" not in (a[k], b[k])]
                if len(unlike) == 1:
                    seen[unlike[0]] = 1
    return seen


def merge(digests):
    """One digest of all."""
    total = {}
    for header in HEADERS:
        macros = directives(header)
        lines, branches, decisions, conditions = {}, {}, {}, {}
        for one in (kept["files"][header] for kept in digests.values() if header in kept["files"]):
            for line, ran in one["lines"].items():
                if int(line) not in macros:
                    lines[int(line)] = lines.get(int(line), 0) + ran
            for place, seen in one["branches"].items():
                if int(place.split(":")[0]) not in macros:
                    branches[place] = [int(a or b) for a, b in zip(branches.get(place, [0, 0]), seen)]
            for places, found in one["decisions"].items():
                if int(places.split(":")[0]) not in macros:
                    vectors, constant = decisions.setdefault(places, (set(), set(found["constant"])))
                    vectors.update(found["vectors"])
                    constant.intersection_update(found["constant"])
        for places, (vectors, constant) in decisions.items():
            names = places.split()
            for i, seen in enumerate(decided(sorted(vectors), len(names))):
                if i + 1 not in constant:
                    conditions[names[i]] = [int(seen or conditions.get(names[i], [0])[0])]
        total[header] = {"lines": lines, "branches": branches, "conditions": conditions}
    return total


def unmeasured():
    """Decisions that clang has said it does not measure."""
    places = set()
    for path in glob.glob(os.path.join(DIR, "*.txt")):
        with open(path) as file:
            places.update(re.findall(r"(nsc\w*\.h:\d+:\d+): warning: unsupported MC/DC", file.read()))
    return places


def excuses():
    """{"function: line": reason} from uncovered.txt: several lines may stand over one reason, which is indented."""
    result = {}
    texts = []
    with open("tests/mutants/uncovered.txt") as file:
        for line in file:
            if line.startswith("    "):
                result.update((text, line.strip()) for text in texts)
                texts = []
            elif line.strip() and not line.startswith("#"):
                texts.append(line.strip())
    return result


def missing(total):
    """(what, header, line, "function: text", what is missing, how many) of all that no program covers."""
    for header in HEADERS:
        with open(header) as file:
            text = file.read()
        source = text.split("\n")
        names = functions_of_lines(header, text)
        one = total[header]

        def named(line):
            return "%s: %s" % (names.get(line, "-"), tidy(source[line - 1]))
        for line in sorted(one["lines"]):
            if one["lines"][line] == 0:
                yield "lines", header, line, named(line), "never executed", 1
        for what, said in (("branches", ("never true", "never false")), ("conditions", ("never decides",))):
            for place in sorted(one[what], key=numbers):
                line, column = numbers(place)[:2]
                lost = [said[i] for i, s in enumerate(one[what][place]) if not s]
                if lost:
                    where = "%s at %s" % (", ".join(lost), source[line - 1][column - 1:column + 39])
                    yield what, header, line, named(line), where, len(lost)


def report(total):
    """Print what is left and the table; how many gates do not hold, and how many entries of uncovered.txt are of no use."""
    excused = excuses()
    used = set()
    left = {(what, h): 0 for what in WHATS for h in HEADERS}
    listed = dict(left)
    for what, header, line, text, why, n in missing(total):
        left[what, header] += n
        if text in excused:
            used.add(text)
            listed[what, header] += n
        else:
            print("%s:%d: %s\n    %s" % (header, line, text, why))
    count = {(what, h): sum(1 if what == "lines" else len(total[h][what][x]) for x in total[h][what]) for what, h in left}
    print("%-18s %s" % ("", "".join("%28s" % w for w in ("lines", "branches", "MC/DC"))))
    failed = 0
    groups = [("add-ons", ADD_ONS, ["lines"]), ("all", [h for h in HEADERS if h not in ADD_ONS], WHATS)]
    for title, headers, gated in [(os.path.basename(h), [h], []) for h in HEADERS] + groups:
        cells = ""
        for what in WHATS:
            n, lost, free = (sum(d[what, h] for h in headers) for d in (count, left, listed))
            cells += "%28s" % ("%.2f %% of %d, %d listed" % (100.0 * (n - lost) / max(n, 1), n, free))
            if what in gated and 100.0 * (n - lost + (free if what == "lines" else 0)) < GATES[what] * n:
                failed += 1
                print("FAILED: %s below %g %% of %s" % ("MC/DC" if what == "conditions" else what, GATES[what], title))
        if any(count[what, h] for what in WHATS for h in headers):
            print("%-18s %s" % (title, cells))
    stale = sorted(set(excused) - used)
    for text in stale:
        print("FAILED: covered or gone, strike it from uncovered.txt: %s" % text)
    return failed, len(stale)


def main():
    digests = measure_all()
    if digests is None:
        print("FAILED: no clang with llvm-cov, 18 or newer\ncoverage: 0 passed, 1 failed, 0 skipped")
        return 1
    print("processor seconds: %.0f to build, %.0f to run, %.0f for the rest" %
          (sum(d["built"] for d in digests.values()), sum(d["seconds"] for d in digests.values()), time.process_time()))
    print("decisions that clang does not measure: %d" % len(unmeasured()))
    broken = [name for name in digests if digests[name]["code"]]
    failed, stale = report(merge(digests))
    for name in broken:
        print("FAILED: %s, see %s/%s.txt" % (name, DIR, name))
    print("coverage: %d passed, %d failed, 0 skipped" % (len(digests) - len(broken) + 4 - failed, len(broken) + failed + stale))
    return len(broken) + failed + stale > 0


if __name__ == "__main__":
    sys.exit(main())
