#!/usr/bin/env python3
"""Coverage of both headers by the test programs: lines, branches and MC/DC, as clang (18 or newer) counts them.

usage: coverage.py [--report]     (from the project's directory)

Every test program is built with clang's instrumentation, in float and in double, and run once; what each run says is
kept in build/cover/ until its sources change.  The results are merged by place in the source: a line is covered if one
program executes it, a branch if one program takes it.  That a condition of a decision decides (MC/DC) may be shown by two
programs together, where their configuration is alike: all profiles are merged for that (a static function is known by its
name and that of the main file, which is therefore given as the same in all).  Code that only other configurations compile
is not counted.

What stays uncovered must stand in tests/mutants/uncovered.txt with a reason.  Gates: 100 % of the lines, 98 % of the
branches and 92 % of the conditions, lines and branches that are listed there not counted as missing.

environment: COVER_CC   compiler, default the newest clang found
             COVER_OPT  its optimisation, default -O0: -O1 compiles three times as long and runs in a third of the time
             LIMIT      processor seconds after which a program is stopped; what it covered until then counts
             ONLY       names of test programs (test_world_float ...), default all
"""
import glob, hashlib, json, os, re, resource, shutil, subprocess, sys

HEADERS = ("nsc.h", "nsc_solvers.h")
GATES = (("lines", 100.0), ("branches", 98.0), ("MC/DC", 92.0))
DIR = "build/cover"
FLAGS = [os.environ.get("COVER_OPT", "-O0")] + ("-std=c99 -Wno-everything -ffp-contract=off -I. -Itests "
                                                "-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc "
                                                "-Xclang -main-file-name -Xclang program.c").split()
STOP = """
#include <signal.h>
#include <unistd.h>
int __llvm_profile_write_file(void);
static void cover_stop(int signal_number)
{
    __llvm_profile_write_file();
    _exit(signal_number == SIGXCPU ? 0 : 128 + signal_number);
}
__attribute__((constructor)) static void cover_begin(void) 
{
    signal(SIGXCPU, cover_stop);
    signal(SIGABRT, cover_stop);
    signal(SIGSEGV, cover_stop);
    signal(SIGFPE, cover_stop);
}
"""


def compiler():
    """The newest clang that knows MC/DC, with its tools, or None."""
    if os.environ.get("COVER_CC"):
        return os.environ["COVER_CC"]
    for version in range(30, 17, -1):
        if shutil.which("clang-%d" % version) and shutil.which("llvm-cov-%d" % version):
            return "clang-%d" % version
    return None


def programs():
    """(name, source, flags) of every test program."""
    only = os.environ.get("ONLY", "").split()
    for source in sorted(glob.glob("tests/test_*.c")):
        for real in ("float", "double"):
            name = os.path.basename(source)[:-2] + "_" + real
            if not only or name in only:
                yield name, source, ["-DNSC_DOUBLE"] if real == "double" else []


def key(source):
    """Changes when the program or what it includes does."""
    text = " ".join(FLAGS) + os.environ.get("LIMIT", "")
    for path in sorted(glob.glob("tests/*.h")) + list(HEADERS) + [source]:
        with open(path) as file:
            text += file.read()
    return hashlib.sha256(text.encode()).hexdigest()


def line_counts(segments):
    """Executions of each line, from clang's segments (line, column, count, has count, begins a region, is a gap)."""
    counts = {}
    wrapped = None
    by_line = {}
    for segment in segments:
        by_line.setdefault(segment[0], []).append(segment)
    for line in range(min(by_line, default=1), max(by_line, default=0) + 1):
        here = by_line.get(line, [])
        entries = [s for s in here if s[3] and s[4] and not s[5]]
        skipped = bool(here) and not here[0][3] and here[0][4]
        if not skipped and (entries or (wrapped and wrapped[3] and not wrapped[5])):
            count = wrapped[2] if wrapped else 0
            counts[line] = max([count] + [s[2] for s in entries])
        if here:
            wrapped = here[-1]
    return counts


def digest(exported):
    """What is kept of one program: for each header lines, branches and conditions."""
    result = {}
    for file in exported["data"][0]["files"]:
        header = os.path.basename(file["filename"])
        if header not in HEADERS:
            continue
        branches = {}
        for b in file.get("branches", []):
            place = "%d:%d" % (b[0], b[1])
            old = branches.get(place, [0, 0])
            branches[place] = [int(old[0] or b[4] > 0), int(old[1] or b[5] > 0)]
        conditions = {}
        for m in file.get("mcdc_records", []):
            conditions["%d:%d" % (m[0], m[1])] = [int(c) for c in m[-1]]
        result[header] = {"lines": line_counts(file["segments"]), "branches": branches, "conditions": conditions}
    return result


def measure(cc, name, source, flags):
    """Build and run one program; its digest, from the cache where nothing changed."""
    path = os.path.join(DIR, name)
    version = re.sub(r"^.*clang", "", cc)
    wanted = key(source)
    try:
        with open(path + ".json") as file:
            kept = json.load(file)
        if kept["key"] == wanted and os.path.exists(path + ".profraw"):
            return kept
    except (OSError, ValueError):
        pass
    stop = os.path.join(DIR, "stop.c")
    with open(stop, "w") as file:
        file.write(STOP)
    done = subprocess.run([cc] + FLAGS + flags + [source, stop, "-o", path, "-lm"], stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        sys.exit(done.stderr)
    limit = float(os.environ.get("LIMIT", "0"))
    def bound():
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit + 0.999), int(limit) + 30))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    environment = dict(os.environ, LLVM_PROFILE_FILE=path + ".profraw")
    with open(path + ".txt", "w") as out:
        code = subprocess.run([path], stdout=out, stderr=out, env=environment, preexec_fn=bound).returncode
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    kept = {"key": wanted, "seconds": seconds, "code": code, "files": export(version, path, [path + ".profraw"])}
    with open(path + ".json", "w") as file:
        json.dump(kept, file)
    return kept


def export(version, path, profiles):
    """What the profiles say about a program."""
    subprocess.run(["llvm-profdata" + version, "merge", "-sparse", "-o", path + ".profdata"] + profiles, check=True)
    text = subprocess.run(["llvm-cov" + version, "export", "-skip-functions", "-instr-profile", path + ".profdata", path],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    os.remove(path + ".profdata")
    return digest(json.loads(text))


def together(digests):
    """The digests anew, each program seen with the profiles of all."""
    version = re.sub(r"^.*clang", "", compiler())
    profiles = [os.path.join(DIR, name + ".profraw") for name in digests]
    return {name: {"files": export(version, os.path.join(DIR, name), profiles)} for name in digests}


def measure_all():
    """Digests of all programs, or None without a compiler for it."""
    cc = compiler()
    if not cc:
        return None
    os.makedirs(DIR, exist_ok=True)
    result = {}
    for name, source, flags in programs():
        result[name] = measure(cc, name, source, flags)
        print("covered: %s, %.1f s%s" % (name, result[name]["seconds"], ", FAILS" if result[name]["code"] else ""),
              file=sys.stderr, flush=True)
    return result


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


def merge(digests):
    """One digest of all."""
    macros = {h: directives(h) for h in HEADERS}
    total = {h: {"lines": {}, "branches": {}, "conditions": {}} for h in HEADERS}
    for kept in digests.values():
        for header, one in kept["files"].items():
            to = total[header]
            outside = macros[header]
            for line, count in one["lines"].items():
                if int(line) not in outside:
                    to["lines"][int(line)] = to["lines"].get(int(line), 0) + count
            for what in ("branches", "conditions"):
                for place, seen in one[what].items():
                    if int(place.split(":")[0]) in outside:
                        continue
                    old = to[what].get(place, [0] * len(seen))
                    to[what][place] = [int(a or b) for a, b in zip(old, seen)]
    return total


def excuses():
    """(text of a source line, reason) from uncovered.txt: the text alone on its line, the reason indented below."""
    result = {}
    text = None
    with open("tests/mutants/uncovered.txt") as file:
        for line in file:
            if line.startswith("    ") and text is not None:
                result[text] = line.strip()
            elif line.strip() and not line.startswith("#"):
                text = line.strip()
    return result


def missing(total):
    """(header, line, text, what is missing) of all that no program covers."""
    for header in HEADERS:
        with open(header) as file:
            source = file.read().split("\n")
        one = total[header]
        for line in sorted(one["lines"]):
            if one["lines"][line] == 0:
                yield "lines", header, line, source[line - 1].strip(), "never executed", 1
        for what, names in (("branches", ("true", "false")), ("conditions", None)):
            for place in sorted(one[what], key=lambda p: [int(x) for x in p.split(":")]):
                line, column = (int(x) for x in place.split(":"))
                seen = one[what][place]
                lost = [i for i, s in enumerate(seen) if not s]
                if lost:
                    where = source[line - 1][column - 1:column + 39]
                    if names:
                        text = "never " + " nor ".join(names[i] for i in lost)
                    else:
                        text = "condition %s of %d not shown to decide" % (", ".join(str(i + 1) for i in lost), len(seen))
                    yield what, header, line, source[line - 1].strip(), "%s: %s" % (text, where), len(lost)


def report(total):
    """Print the table and what is left; 0 if the gates hold."""
    excused = excuses()
    used = set()
    left = {(what, h): 0 for what in ("lines", "branches", "conditions") for h in HEADERS}
    allowed = dict(left)
    for what, header, line, text, why, n in missing(total):
        left[what, header] += n
        if text in excused:
            used.add(text)
            allowed[what, header] += n
        else:
            print("%s:%d: %s    %s" % (header, line, why, text if what == "lines" else ""))
    print("%-16s %16s %18s %18s" % ("", "lines", "branches", "MC/DC"))
    count = {(what, h): sum(1 if what == "lines" else len(x) for x in
                            (total[h][what] if what == "lines" else total[h][what].values())) for what, h in left}
    rows = [(h, [h]) for h in HEADERS] + [("both", list(HEADERS))]
    failed = 0
    for title, headers in rows:
        cells = []
        for what, gate in zip(("lines", "branches", "conditions"), GATES):
            n = sum(count[what, h] for h in headers)
            lost = sum(left[what, h] for h in headers)
            free = sum(allowed[what, h] for h in headers)
            cells.append("%6.2f %% of %5d" % (100.0 * (n - lost) / max(n, 1), n))
            if title == "both" and 100.0 * (n - lost + (free if gate[0] == "lines" else 0)) < gate[1] * n:
                failed += 1
                print("FAILED: %s below %g %%" % gate)
        print("%-16s %s" % (title, "  ".join(cells)))
    for text in sorted(set(excused) - used):
        print("covered or gone, strike it from uncovered.txt: %s" % text)
    print("coverage: %d passed, %d failed, 0 skipped" % (3 - failed, failed))
    return failed > 0


def main():
    digests = measure_all()
    if digests is None:
        print("skipped: no clang with llvm-cov, 18 or newer\ncoverage: 0 passed, 0 failed, 1 skipped")
        return 0
    total, joined = merge(digests), merge(together(digests))
    for header in HEADERS:
        total[header]["conditions"] = joined[header]["conditions"]
    return report(total)


if __name__ == "__main__":
    sys.exit(main())
