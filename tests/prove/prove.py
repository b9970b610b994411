"""Runs the drivers of prove.sh's table and judges them.  Called by prove.sh, which has the lists.

A driver passes if Eva gives no alarm, every property it meets is proved, and every statement of
drivers.c that it enters is reached: the end of the driver, and each assertion on the way.  What it
passed with is kept under a key of all that it depends on, and is judged again when it is taken from
there; a failure is never kept.
"""
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading

FORMAT = "2"  # of what is kept; another number forgets all
HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(HERE))
from house import KIT, core_and_shelf

ROOT = os.path.abspath(os.environ.get("NSC_DIR") or os.path.join(HERE, "..", ".."))
SOURCES = {os.path.basename(path): os.path.join(ROOT, path) for path in core_and_shelf(ROOT)}
for name in ("nsc_motor.h", "nsc_dynamics.h", "nsc_robot.h"):
    SOURCES[name] = os.path.join(ROOT, KIT, name)
SOURCES["drivers.c"] = os.path.join(HERE, "drivers.c")
LIMIT = int(os.environ.get("NSC_LIMIT") or 600)
JOBS = int(os.environ.get("NSC_JOBS") or 2)
MACHINE = ["-warn-special-float", "none", "-machdep", "gcc_x86_32"]
EVA = "-eva -eva-precision 0 -eva-min-loop-unroll 8 -eva-auto-loop-unroll 20 -eva-builtin eva_sqrt:Frama_C_sqrtf".split()
WP = ("nsci_id_order,nsci_pair_order,nsci_packed,nsci_lower,nsci_end,nsci_generation,"
      "nsci_free_slot,nsci_new_end,nsci_id_at")
PROVED = ("Valid", "Considered valid")
printing = threading.Lock()
spent = 0.0


def say(text):
    with printing:
        print(text, flush=True)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def run(command, log, env=None):
    """Runs a command, its output in a file.  Returns its code and its CPU seconds, which are limited."""
    global spent

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))

    with open(log, "w") as file:
        process = subprocess.Popen(["timeout", str(6 * LIMIT)] + command, cwd=HERE, stdout=file,
                                   stderr=subprocess.STDOUT, preexec_fn=limit, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    with printing:
        spent += seconds
    return process.returncode, seconds


# ---- the program text ---------------------------------------------------------------------------

def contracts_of(source):
    """The contracts, each with the conditions that it stands in; "" for an #else."""
    guards, found, text = [], [], ""
    for line in source.split("\n"):
        directive = re.match(r"#\s*(ifdef|ifndef|if|else|endif)\s*(\w*)", line)
        if directive and directive[1] == "endif":
            guards.pop()
        elif directive and directive[1] == "else":
            guards[-1] = ""
        elif directive:
            guards.append(line)
        if line.startswith("/*@"):
            text = ""
        text += line + "\n"
        if text.startswith("/*@") and "*/" in text and re.match(r"(NSC_API|static) .*\);$|^ .*\);$", line):
            found.append((list(guards), text))
            text = ""
    return found


def assigns_of_stages(source):
    """C text: the `assigns` of each contract that a driver has only where the function is a stage,
    so that the driver of the function itself has it, too.  (The driver's callbacks draw numbers.)"""
    found = contracts_of(source)
    name = re.compile(r"(\w+)\((?!.*\*/)")
    bare = {name.search(text.split("*/")[1])[1] for guards, text in found
            if not guards or not guards[-1].startswith("#ifdef PROVE_")}
    lines = []
    for guards, text in found:
        comment, prototype = text.split("*/")
        function = name.search(prototype)[1]
        clauses = re.sub(r"^\s*@", " ", comment[3:], flags=re.M)
        clauses = re.sub(r"//.*", "", clauses).split(";")
        written = [re.sub(r"\\from.*", "", c, flags=re.S) for c in clauses
                   if c.strip().startswith("assigns")]
        written = [c if "nothing" in c else c.rstrip() + ", Frama_C_entropy_source" for c in written]
        if written and function not in bare:
            lines += guards[:-1] + [guards[-1].replace("#ifdef", "#ifndef")]
            lines += ["/*@" + ";".join(written) + "; */", prototype.strip()] + ["#endif"] * len(guards)
    return "\n".join(lines) + "\n"


def name_of(head):
    """The function of a head that ends with its parameters, attributes or not:
    static nsc_vec3 ( __attribute__((__noinline__)) nsci_gyroscopic)(nsc_real const *I, ...)"""
    head = head.rstrip(" ;\n")
    depth = 0
    for i in range(len(head) - 1, -1, -1):
        depth += (head[i] == ")") - (head[i] == "(")
        if depth == 0:
            break
    name = re.search(r"(\w+)[ )\n]*$", head[:i])
    return name[1] if name else ""


def items_of(text):
    """The functions of a printed program, by name; its declarations of functions; all else."""
    functions, declared, rest = {}, {}, []
    block, body, comment = [], False, False
    name = re.compile(r"(\w+)\s*\(")

    def end():
        joined = "\n".join(block)
        code = re.sub(r"/\*.*?\*/", "", joined, flags=re.S)
        if "{" not in code and "=" not in code and name.search(code) and "typedef" not in code:
            declared.setdefault(name_of(code), []).append(joined)
        elif joined.strip():
            rest.append(joined)
        block.clear()

    for line in text.split("\n"):
        if body:
            block.append(line)
            if line == "}":
                joined = "\n".join(block)
                head = re.sub(r"/\*.*?\*/", "", joined.split("\n{\n")[0], flags=re.S)
                functions[name_of(head)] = joined
                block.clear()
                body = False
            continue
        if line == "{" and not comment:
            body = True
        elif not comment and not line.strip():
            end()
            continue
        block.append(line)
        comment = "*/" not in line[line.rfind("/*"):] if "/*" in line else comment and "*/" not in line
    end()
    return functions, declared, rest


class Tree:
    """The parsed program of some defines.  Parsing takes longer than most analyses."""

    def __init__(self, defines, work, cache, version):
        self.defines, self.work, self.cache = defines, work, cache
        self.saved = os.path.join(work, "tree." + digest(defines))
        self.lock = threading.RLock()
        sources = [read(os.path.join(work, name)) for name in SOURCES]
        self.key = digest(FORMAT, version, defines, *sources)
        self.items = None

    def parse(self):
        with self.lock:
            if os.path.exists(self.saved):
                return
            flags = "-I%s %s" % (self.work, self.defines)
            run(["frama-c"] + MACHINE + ["-cpp-extra-args=" + flags, os.path.join(self.work, "drivers.c"), "-save", self.saved,
                                         "-print", "-ocode", self.saved + ".c"], self.saved + ".log")
            if not os.path.exists(self.saved):
                raise RuntimeError("no program: " + read(self.saved + ".log")[-2000:])

    def text(self):
        """The printed program, kept as long as the sources stay byte by byte."""
        kept = self.cache and os.path.join(self.cache, "text-" + self.key)
        with self.lock:
            if self.items is None:
                if not kept or not os.path.exists(kept):
                    self.parse()
                    keep(kept, read(self.saved + ".c"))
                self.items = items_of(read(kept or self.saved + ".c"))
            return self.items

    def reached_by(self, entry, stages):
        """The functions that the entry can reach, and all that as text: of stages only the contracts."""
        functions, declared, rest = self.text()
        seen, todo = set(), [entry] + [w for r in rest for w in re.findall(r"\w+", r) if w in functions]
        parts = list(rest)
        while todo:
            f = todo.pop()
            if f in seen or (f not in functions and f not in declared):
                continue
            seen.add(f)
            parts += declared.get(f, [])
            body = functions.get(f, "")
            if f in stages:
                body = body.split("\n{\n")[0]
            parts.append(body)
            todo += [w for w in re.findall(r"\w+", body) if w in functions or w in declared]
        return seen, "\n".join(sorted(parts))


def keep(path, text):
    if path:
        part = "%s.%d.%d" % (path, os.getpid(), threading.get_ident())
        with open(part, "w") as file:
            file.write(text)
        os.replace(part, path)


# ---- a driver -----------------------------------------------------------------------------------

def stages_in(options):
    return set(",".join(re.findall(r"-eva-use-spec (\S+)", options)).split(",")) - {""}


def facts_of(log, table):
    """What Eva has found: number of alarms, statements reached of each function, properties."""
    text = read(log)
    alarms = re.search(r"^ *(\d+) alarms? generated", text, re.M)
    cover = {f: [int(n), int(all_)] for f, n, all_ in
             re.findall(r"^ *(\w+): (\d+) stmts out of (\d+) ", text, re.M)}
    entered = {f for f, (n, _) in cover.items() if n}
    rows = {}
    if os.path.exists(table):
        with open(table, newline="", encoding="utf-8", errors="replace") as file:
            for _, _, line, function, kind, status, what in list(csv.reader(
                    file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
                if kind != "from clause" and (function in entered or status not in ("Dead",) + PROVED):
                    key = "\t".join((function, kind, status, what[:100] if status != "Valid" else ""))
                    rows[key] = rows.get(key, 0) + 1
    return {"alarms": int(alarms[1]) if alarms else None, "cover": cover,
            "properties": sorted(k.split("\t") + [n] for k, n in rows.items())}


def faults_of(facts, entry, body, stages, shows):
    """Why a driver does not pass; shows: functions that write no more than their contracts name."""
    constant = len(re.findall(r"\bif \(\d+ [<>]=? \d+\)", body))  # by its macros: one side is never taken
    cover, faults = facts["cover"], []
    if facts["alarms"] is None:
        return ["no result"]
    if facts["alarms"]:
        faults.append("%d alarms" % facts["alarms"])
    if not cover.get(entry, [0])[0]:
        faults.append("the driver is not entered")
    elif cover[entry][0] < cover[entry][1] - constant:
        faults.append("%d of the driver's %d statements are reached" % tuple(cover[entry]))
    for function, kind, status, what, _ in facts["properties"]:
        if function in stages and kind in ("postcondition", "assigns clause", "termination clause"):
            if "nvalid" in status:
                faults.append("%s: %s %s: %s" % (function, kind, status, what))
        elif kind == "assigns clause":
            if status != "Valid" and function in shows:
                faults.append("%s may write more than its contract names: %s" % (function, what))
        elif status == "Dead" and function == entry and kind == "user assertion":
            faults.append("%s: an assertion that is never met: %s" % (function, what))
        elif status != "Dead" and status not in PROVED:
            faults.append("%s: %s %s: %s" % (function, kind, status, what))
    written = {function for function, kind, status, _, _ in facts["properties"] if kind == "assigns clause"}
    return faults + ["what %s writes was not compared with a contract" % f for f in sorted(shows - written)]


class Driver:
    def __init__(self, line, trees, work, cache, version):
        self.name, self.entry, self.defines, self.options = [x.strip() for x in line.split("|")]
        self.tree = trees.setdefault(self.defines, Tree(self.defines, work, cache, version))
        self.shows = set(re.findall(r"\w+", "".join(re.findall(r"&(\S+)", self.options))))
        self.options = re.sub(r"&\S+", "-from-verify-assigns", self.options)
        self.stages = stages_in(self.options)
        self.work, self.cache, self.version = work, cache, version
        self.facts, self.passed, self.seconds = None, False, 0.0

    def try_kept(self):
        _, text = self.tree.reached_by(self.entry, self.stages)
        key = digest(FORMAT, self.version, " ".join(EVA + MACHINE), self.options, self.entry, text)
        self.kept = self.cache and os.path.join(self.cache, "%s-%s" % (self.name, key))
        if not self.kept or not os.path.exists(self.kept):
            return False
        self.facts = json.loads(read(self.kept))
        self.seconds = self.facts["seconds"]
        return not faults_of(self.facts, self.entry, self.tree.text()[0][self.entry], self.stages, self.shows)

    def prove(self):
        try:
            if self.try_kept():
                self.passed = True
                return self.tell("cached", [])
            self.tree.parse()
        except RuntimeError as error:
            return self.tell("", [str(error)])
        log, table = os.path.join(self.work, self.name + ".log"), os.path.join(self.work, self.name + ".csv")
        command = ["frama-c", "-load", self.tree.saved] + EVA + self.options.split() + ["-main", self.entry]
        command += ["-then", "-metrics", "-metrics-eva-cover", "-report-csv", table]
        code, self.seconds = run(command, log)
        self.facts = facts_of(log, table)
        self.facts["seconds"] = self.seconds
        faults = faults_of(self.facts, self.entry, self.tree.text()[0][self.entry], self.stages, self.shows)
        if code in (124, -24, 152):
            faults.insert(0, "past its limit of %d s" % LIMIT)
        elif code:
            faults.insert(0, "frama-c ends with %d" % code)
        if faults:
            faults += [s.replace("\n", " ") for s in re.findall(
                r"(?:alarm\]|User Error|syntax error|annot-error).*\n.*", read(log)) if "\\from" not in s]
        else:
            self.passed = True
            keep(self.kept, json.dumps(self.facts))
        return self.tell("", faults)

    def tell(self, word, faults):
        cover = self.facts["cover"].values() if self.facts else []
        all_ = sum(n[1] for n in cover)
        say("\n".join(["%-6s %-18s coverage %3d%% cpu %6.1f s %s" % (
            "ok" if self.passed else "FAILED", self.name,
            100 * sum(n[0] for n in cover) // all_ if all_ else 0, self.seconds, word)]
            + ["    " + f for f in faults[:12]]).rstrip())
        return self


def prove_integers(work, cache, version):
    """WP: every goal of contracts.c, over a copy of the headers in which two loops have invariants.
    Returns 1, 0 or, if there is no prover, None."""
    folder = os.path.join(work, "wp")
    os.mkdir(folder)
    headers = {name: read(os.path.join(work, name)) for name in sorted(SOURCES) if name != "drivers.c"}
    headers["nsc.h"] = subprocess.run(["sed", "-f", "slots.sed", os.path.join(work, "nsc.h")], cwd=HERE,
                                      capture_output=True, text=True).stdout
    for name, text in headers.items():
        keep(os.path.join(folder, name), text)
    key = digest(FORMAT, version, WP, *headers.values(), read(os.path.join(HERE, "contracts.c")),
                 read(os.path.join(HERE, "slots.h")))
    kept = cache and os.path.join(cache, "wp-" + key)
    if kept and os.path.exists(kept):
        say("ok     wp                 %s goals cached" % read(kept))
        return 1
    why3 = os.path.join(work, "why3.conf")
    env = dict(os.environ, WHY3CONFIG=why3)
    try:
        subprocess.run(["why3", "config", "detect"], env=env, capture_output=True)
    except OSError:
        pass
    if not os.path.exists(why3) or not re.search("Z3|CVC4", read(why3)):
        say("skipped: wp: why3 finds neither z3 nor cvc4")
        return None
    log = os.path.join(work, "wp.log")
    _, seconds = run(["frama-c", "-wp", "-wp-rte", "-wp-prover", "z3,cvc4", "-wp-timeout", "20"] + MACHINE
                     + ["-cpp-extra-args=-I%s -I." % folder, "-wp-fct", WP, "contracts.c"], log, env)
    goals = re.search(r"Proved goals: *(\d+) / (\d+)", read(log))
    passed = bool(goals) and goals[1] == goals[2]
    say("%-6s wp                 %s goals cpu %.1f s" % (
        "ok" if passed else "FAILED", " of ".join(goals.groups()) if goals else "no", seconds))
    if passed:
        keep(kept, goals[1])
    return int(passed)


# ---- what all drivers show together -------------------------------------------------------------

def entries(name):
    """A list of prove.sh: lines of `what # reason`."""
    text = subprocess.run(["sh", "prove.sh", "--list", name], cwd=HERE, capture_output=True, text=True,
                          check=True).stdout
    return [line.strip() for line in text.split("\n") if line.strip()]


def tell_list(title, names):
    say(title)
    line = "   "
    for name in names:
        if len(line) + len(name) > 98:
            say(line)
            line = "   "
        line += " " + name + ","
    say(line.rstrip(","))


def judge_coverage(drivers, defined, but):
    """Statements that no driver reaches are those of the list `dead`, or fewer.
    but: functions that drivers left to the nightly run reach."""
    def size(n):
        return 1e9 if n == "all" else int(n)
    best = {}
    for d in drivers:
        for f, (n, all_) in d.facts["cover"].items() if d.facts else []:
            if f in defined and n:
                best[f] = min(all_ - n, best.get(f, all_))
    short = {f: str(n) for f, n in best.items() if n > 0}
    short.update({f: "all" for f in defined if f not in best})
    listed = {f: words[-1] for words in (line.split("#")[0].split() for line in entries("dead"))
              for f in words[:-1]}
    more = sorted("%s %s" % (f, n) for f, n in short.items() if size(n) > size(listed.get(f, "0")) and f not in but)
    less = sorted("%s %s (now %s)" % (f, n, short.get(f, "0")) for f, n in listed.items()
                  if size(n) > size(short.get(f, "0")) and f not in but)
    if more:
        tell_list("FAILED coverage: statements that no driver reaches, more than `dead` says:", more)
    else:
        say("ok     coverage           every statement of %d functions but those of %d in `dead`" % (
            len(defined), len(listed)))
    if less:
        tell_list("strike or lower in `dead`:", less)
    return not more


def judge_contracts(drivers, but):
    """What a stage writes: for each function that stands as a contract somewhere, a driver of its
    body has shown its `assigns`; but for the list `trusted`."""
    stages = set().union(*(d.stages for d in drivers))
    shown = set(WP.split(",")).union(*(d.shows for d in drivers if d.passed))
    trusted = {line.split("#")[0].strip(): line.split("#")[1].strip() for line in entries("trusted")}
    more = sorted(stages - shown - set(trusted) - but)
    less = sorted(f for f in trusted if (f in shown or f not in stages) and f not in but)
    if more:
        tell_list("FAILED contracts: no driver shows that these write no more than they name:", more)
    if less:
        tell_list("strike from `trusted` what is shown, or stands nowhere:", less)
    if not more:
        say("ok     contracts          what is written, of %d of %d" % (len(stages & shown), len(stages)))
    for f, why in sorted(trusted.items()):
        say("skipped: what %s writes is not shown: %s" % (f, why))
    return not more, len(trusted)


def main():
    names = sys.argv[1:] + (os.environ.get("ONLY") or "").split()
    but = (os.environ.get("BUT") or "").split()
    version = subprocess.run(["frama-c", "-version"], capture_output=True, text=True).stdout.strip()
    cache = os.environ.get("NSC_CACHE", os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nsc-prove"))
    if cache:
        os.makedirs(cache, exist_ok=True)
    nightly = [line.split("#")[0].strip() for line in entries("nightly")] if os.environ.get("GATE") else []
    if nightly:
        say("left to the nightly run: " + " ".join(nightly))
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as work:
        for name, path in SOURCES.items(): # a copy, as they may change while this runs
            keep(os.path.join(work, name), read(path))
        keep(os.path.join(work, "assigns.h"), assigns_of_stages(read(os.path.join(work, "drivers.c"))))
        trees = {}
        table = [Driver(line, trees, work, cache, version) for line in entries("table")]
        unknown = set(names + but + nightly) - {d.name for d in table} - {"wp"}
        if unknown:
            tell_list("FAILED no such driver:", sorted(unknown))
            failed += 1
        drivers = [d for d in table if (not names or d.name in names) and d.name not in nightly]
        for d in drivers:
            if d.name in but:
                say("skipped: %s: BUT leaves it out" % d.name)
                skipped += 1
        drivers = [d for d in drivers if d.name not in but]
        drivers.sort(key=lambda d: d.defines)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for d in pool.map(Driver.prove, drivers):
                passed += d.passed
                failed += not d.passed
        if not names or "wp" in names:
            done = prove_integers(work, cache, version)
            passed += done == 1
            failed += done == 0
            skipped += done is None
        whole = not names and not but
        if whole:
            untouched = set().union(*(d.tree.reached_by(d.entry, d.stages)[0]
                                      for d in table if d.name in nightly))
            defined = {f for tree in trees.values() for f in tree.text()[0] if not f.startswith("drive_")}
            covered = judge_coverage(drivers, defined, untouched)
            written, trusted = judge_contracts(drivers, untouched)
            passed += covered + written
            failed += (not covered) + (not written)
            skipped += trusted
            for line in entries("left"):
                say("skipped: no proof of " + ": ".join(x.strip() for x in line.split("|")))
                skipped += 1
        dear = sorted(drivers, key=lambda d: -d.seconds)[:10]
        say("dearest: " + ", ".join("%s %.0f s" % (d.name, d.seconds) for d in dear))
        say("cpu %.0f s now, %.0f s if nothing were cached" % (spent, sum(d.seconds for d in drivers)))
    say("prove: %d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return failed > 0 or passed == 0


sys.exit(main())
