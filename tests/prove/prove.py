"""Runs the drivers of prove.sh's table and judges them.  Called by prove.sh, which has the lists.

A driver passes if Eva gives no alarm, every property it meets is proved, and every statement of
drivers.c that it enters is reached: the end of the driver, and each assertion on the way.  What it
passed with is kept under a key of all that it depends on, and is judged again when it is taken from
there; a failure is never kept.
"""
import concurrent.futures
import csv
import functools
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading

FORMAT = "3"  # of what is kept; another number forgets all
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
PREPROCESS = ["gcc", "-E", "-C", "-dD", "-nostdinc", "-m32", "-D__FRAMAC__", "-D__FC_MACHDEP_GCC_X86_32"]
RECORD = os.path.join(HERE, "proved.txt")  # the drivers that passed, and the key of what they passed with
AGAIN = 30  # seconds of what the record says that a gate proves again
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


def without_comments(code):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)


def split(text):
    """The items of a preprocessed program: each ends with a semicolon or, a function, with its last brace.
    Of a function also what stands before its body: contract and head."""
    begin, depth, head = 0, 0, ""
    tokens = r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}();]"""
    for token in re.finditer(tokens, text, re.S):
        if token[0] == "{" and depth == 0 and without_comments(text[begin:token.start()]).rstrip().endswith(")"):
            head = text[begin:token.start()].strip()
        depth += (token[0] in ("{", "(")) - (token[0] in ("}", ")"))
        if depth == 0 and (token[0] == ";" or token[0] == "}" and head):
            yield text[begin:token.end()].strip(), head
            begin, head = token.end(), ""
    yield text[begin:].strip(), ""


def names_of(item):
    """What an item that is no function defines or declares; nothing where that cannot be told."""
    code = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", without_comments(item)).strip(" \n;")
    names = re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", code)
    if re.match(r"(typedef\s+)?enum\b", code):
        names += re.findall(r"\w+", code[code.find("{"):])
    while "{" in code:
        inner = re.sub(r"\{[^{}]*\}", " ", code)
        if inner == code:
            return []
        code = inner
    declared = re.sub(r"(\s*\[[^]]*\])+$", "", re.split(r"(?<![<>=!])=(?!=)", code)[0].strip())
    if "," in re.sub(r"\([^()]*(\([^()]*\)[^()]*)*\)", "", declared):
        return []
    last = name_of(declared) if declared.endswith(")") else re.search(r"(\w*)$", declared)[1]
    return names + [last] if last else names


def enumerators_of(item):
    """Of an enum without a name: each constant, as text, by its name; so that others may join it behind."""
    code = without_comments(item)
    last, ahead, found = "0", 0, {}
    for part in code[code.find("{") + 1:code.rfind("}")].split(","):
        name, _, value = part.strip().partition("=")
        if value:
            last, ahead = value.strip(), 0
        if name.strip():
            found[name.strip()] = "%s is %s + %d" % (name.strip(), last, ahead)
        ahead += 1
    return found


TAKEN_APART = {"nsc_world", "nsci_scheme"} # no initialiser gives their members by order


def members_of(item):
    """Of such a struct: each member, as text, by its name.  A member that a driver's text does not name changes nothing that it shows."""
    found = {}
    for part in re.split(r";", without_comments(item)[item.find("{") + 1:item.rfind("}")]):
        for declared in part.split(","):
            name = re.search(r"(\w+)(\s*\[[^]]*\])*\s*$", declared.strip())
            if name:
                found.setdefault(name[1], []).append(" ".join(part.split()))
    return found


def items_of(text):
    """The functions of the preprocessed program by name, each with contract and head beside the whole; its declarations, types,
    tables and variables by what they name; and what is none of these, on which every driver depends."""
    functions, named, rest = {}, {}, []
    for item, head in split(text):
        if head:
            functions[name_of(without_comments(head))] = head, item
        elif re.match(r"enum\s*\{[^()]*\}\s*;$", without_comments(item)):
            for name, constant in enumerators_of(item).items():
                named.setdefault(name, []).append(constant)
        elif re.match(r"struct\s+(%s)\s*\{" % "|".join(sorted(TAKEN_APART)), without_comments(item)):
            for name, texts in members_of(without_comments(item)).items():
                named.setdefault(name, []).extend(texts)
            named.setdefault(names_of(item)[0], []).append("struct %s of members\n" % names_of(item)[0])
        elif item:
            names = names_of(item)
            for name in names:
                named.setdefault(name, []).append(item)
            if not names:
                rest.append(item)
    return functions, named, rest


@functools.lru_cache(None)
def libc():
    """The headers of libc that Frama-C reads"""
    share = subprocess.run(["frama-c", "-print-share-path"], capture_output=True, text=True).stdout
    return share.strip() + "/libc"


class Tree:
    """The program of some defines: its text, and what Frama-C has parsed, which takes longer than most analyses."""

    def __init__(self, defines, work):
        self.defines, self.work = defines, work
        self.saved = os.path.join(work, "tree." + digest(defines))
        self.lock = threading.RLock()
        self.items, self.names = None, {}

    def parse(self):
        with self.lock:
            if os.path.exists(self.saved):
                return
            flags = "-I%s %s" % (self.work, self.defines)
            code, _ = run(["frama-c"] + MACHINE + ["-cpp-extra-args=" + flags, os.path.join(self.work, "drivers.c"), "-save", self.saved,
                                                   "-print", "-ocode", self.saved + ".c"], self.saved + ".log")
            if code or not os.path.exists(self.saved):
                raise RuntimeError("no program, code %d: %s" % (code, read(self.saved + ".log")[-2000:]))
            os.replace(self.saved + ".c", self.saved + ".text")  # what loads the tree prints it again, while others read

    def text(self):
        """The program as the preprocessor gives it to Frama-C: of our files alone, with no comments but contracts."""
        with self.lock:
            if self.items is None:
                said = subprocess.run(PREPROCESS + ["-I" + libc()] + self.defines.split() + ["-I" + self.work, os.path.join(self.work, "drivers.c")],
                                      capture_output=True, text=True)
                if said.returncode:
                    raise RuntimeError("no program: " + said.stderr[-2000:])
                lines, macros, ours = [], {}, False
                for line in said.stdout.split("\n"):
                    if not line.startswith("#"):
                        if ours:
                            lines.append(line.rstrip())
                        continue
                    marker = re.match(r'# \d+ "([^"]*)"', line)
                    macro = re.match(r"#define (\w+(?:\([^)]*\))?) (.*)", line)
                    if marker:
                        ours = marker[1].startswith(self.work)
                    elif macro:
                        macros[macro[1].split("(")[0]] = macro[0]
                text = re.sub(r"/\*(?!@).*?\*/", " ", "\n".join(lines), flags=re.S)
                text = re.sub(r"//(?!@)[^\n]*", "", text)
                text = re.sub(r"[ \t]+(?=\n)", "", text)
                functions, named, rest = items_of(text)
                # The preprocessor leaves the macros of contracts: what they stand for is part of the text.
                for name, line in macros.items():
                    named.setdefault(name, []).append(line)
                self.items = functions, named, rest
            return self.items

    def body(self, entry):
        """A function of the parsed program, as Frama-C prints it."""
        self.parse()
        found = re.search(r"^[^\n]*\b%s\([^\n]*(\n[^\n{}]+)*\n\{\n.*?\n\}$" % entry, read(self.saved + ".text"), re.M | re.S)
        if not found:
            raise RuntimeError("no %s in the %d bytes that Frama-C printed" % (entry, os.path.getsize(self.saved + ".text")))
        return found[0]

    def reached_by(self, entry, stages):
        """What the entry can reach, by name, and all that as text: of stages only contract and head."""
        functions, named, rest = self.text()
        seen, todo, parts = set(), {entry} | self.names_in("\n".join(rest)), set(rest)
        while todo:
            name = todo.pop()
            seen.add(name)
            found = named.get(name, []) + ([functions[name][name not in stages]] if name in functions else [])
            parts.update(found)
            todo |= self.names_in("\n".join(found)) - seen
        return seen, "\n".join(sorted(parts))

    def names_in(self, text):
        """What of the program a text names."""
        if text not in self.names:
            functions, named, _ = self.items
            self.names[text] = {w for w in re.findall(r"\w+", text) if w in functions or w in named}
        return self.names[text]


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


def faults_of(facts, entry, stages, shows):
    """Why a driver does not pass; shows: functions that write no more than their contracts name."""
    cover, faults = facts["cover"], []
    if facts["alarms"] is None:
        return ["no result"]
    if facts["alarms"]:
        faults.append("%d alarms" % facts["alarms"])
    if not cover.get(entry, [0])[0]:
        faults.append("the driver is not entered")
    elif cover[entry][0] < cover[entry][1] - facts["constant"]:
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
        self.tree = trees.setdefault(self.defines, Tree(self.defines, work))
        self.shows = set(re.findall(r"\w+", "".join(re.findall(r"&(\S+)", self.options))))
        self.options = re.sub(r"&\S+", "-from-verify-assigns", self.options)
        self.stages = stages_in(self.options)
        self.work, self.cache, self.version = work, cache, version
        self.facts, self.passed, self.seconds, self.known = None, False, 0.0, None

    def key(self):
        """Of all that it depends on: what it can reach, as text, and how it is analysed."""
        if self.known is None:
            _, text = self.tree.reached_by(self.entry, self.stages)
            self.known = digest(FORMAT, self.version, " ".join(EVA + MACHINE), self.options, self.entry, text)
        return self.known

    def try_kept(self):
        self.kept = self.cache and os.path.join(self.cache, "%s-%s" % (self.name, self.key()))
        if not self.kept or not os.path.exists(self.kept):
            return False
        self.facts = json.loads(read(self.kept))
        self.seconds = self.facts["seconds"]
        return not faults_of(self.facts, self.entry, self.stages, self.shows)

    def recorded(self, seconds):
        self.passed, self.seconds = True, seconds
        return self

    def prove(self):
        try:
            if self.try_kept():
                self.passed = True
                return self.tell("cached", [])
            printed = self.tree.body(self.entry)
        except RuntimeError as error:
            return self.tell("", [str(error)])
        log, table = os.path.join(self.work, self.name + ".log"), os.path.join(self.work, self.name + ".csv")
        command = ["frama-c", "-load", self.tree.saved] + EVA + self.options.split() + ["-main", self.entry]
        command += ["-then", "-metrics", "-metrics-eva-cover", "-report-csv", table]
        code, self.seconds = run(command, log)
        self.facts = facts_of(log, table)
        self.facts["seconds"] = self.seconds
        # by its macros: one side is never taken
        self.facts["constant"] = len(re.findall(r"\bif \(\d+ [<>]=? \d+\)", printed))
        faults = faults_of(self.facts, self.entry, self.stages, self.shows)
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


def prove_integers(work, cache, version, gate):
    """WP: every goal of contracts.c, over a copy of the headers in which two loops have invariants.
    Returns 1, 0 or, if there is no prover, None; and the key."""
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
        return 1, key
    if gate and read_record().get("wp", [""])[0] == key:
        say("skipped: wp is not proved again: proved.txt has its key")
        return None, key
    why3 = os.path.join(work, "why3.conf")
    env = dict(os.environ, WHY3CONFIG=why3)
    try:
        subprocess.run(["why3", "config", "detect"], env=env, capture_output=True)
    except OSError:
        pass
    if not os.path.exists(why3) or not re.search("Z3|CVC4", read(why3)):
        say("skipped: wp: why3 finds neither z3 nor cvc4")
        return None, key
    log = os.path.join(work, "wp.log")
    _, seconds = run(["frama-c", "-wp", "-wp-rte", "-wp-prover", "z3,cvc4", "-wp-timeout", "20"] + MACHINE
                     + ["-cpp-extra-args=-I%s -I." % folder, "-wp-fct", WP, "contracts.c"], log, env)
    goals = re.search(r"Proved goals: *(\d+) / (\d+)", read(log))
    passed = bool(goals) and goals[1] == goals[2]
    say("%-6s wp                 %s goals cpu %.1f s" % (
        "ok" if passed else "FAILED", " of ".join(goals.groups()) if goals else "no", seconds))
    if passed:
        keep(kept, goals[1])
    return int(passed), key


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


def judge_coverage(drivers, defined):
    """Statements that no driver reaches are those of the list `dead`, neither more nor fewer."""
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
    more = sorted("%s %s" % (f, n) for f, n in short.items() if size(n) > size(listed.get(f, "0")))
    less = sorted("%s %s (now %s)" % (f, n, short.get(f, "0")) for f, n in listed.items()
                  if size(n) > size(short.get(f, "0")))
    if more:
        tell_list("FAILED coverage: statements that no driver reaches, more than `dead` says:", more)
    else:
        say("ok     coverage           every statement of %d functions but those of %d in `dead`" % (
            len(defined), len(listed)))
    if less:
        tell_list("FAILED coverage: strike or lower in `dead`:", less)
    return not more and not less


def judge_contracts(drivers):
    """What a stage writes: for each function that stands as a contract somewhere, a driver of its
    body has shown its `assigns`; but for the list `trusted`."""
    stages = set().union(*(d.stages for d in drivers))
    shown = set(WP.split(",")).union(*(d.shows for d in drivers if d.passed))
    trusted = {line.split("#")[0].strip(): line.split("#")[1].strip() for line in entries("trusted")}
    more = sorted(stages - shown - set(trusted))
    less = sorted(f for f in trusted if f in shown or f not in stages)
    if more:
        tell_list("FAILED contracts: no driver shows that these write no more than they name:", more)
    if less:
        tell_list("strike from `trusted` what is shown, or stands nowhere:", less)
    if not more:
        say("ok     contracts          what is written, of %d of %d" % (len(stages & shown), len(stages)))
    for f, why in sorted(trusted.items()):
        say("skipped: what %s writes is not shown: %s" % (f, why))
    return not more, len(trusted)


def read_record():
    return {words[0]: words[1:] for words in (line.split() for line in read(RECORD).split("\n")) if len(words) == 3}


def take_record(drivers):
    """Of these drivers those that the gate proves now: what is not in the record with this key, and of the rest some, others for
    every program text, those of one parsed program together.  All others
    are skipped: they passed with this key when the record was written."""
    record = read_record()
    known = [d for d in drivers if record.get(d.name, [""])[0] == d.key()]
    salt = digest(*[d.key() for d in known])
    again, seconds = set(), 0.0
    for d in sorted(known, key=lambda d: (digest(salt, d.defines), digest(salt, d.name))):
        cost = float(record[d.name][1])
        if seconds + cost <= AGAIN:
            seconds += cost
            again.add(d)
    for d in known:
        if d not in again:
            d.recorded(float(record[d.name][1]))
            say("skipped: %s is not proved again: proved.txt has its key" % d.name)
    return [d for d in drivers if d not in known or d in again]


def write_record(table, integers):
    lines = ["# What `make prove-accept` wrote: driver, key of its text and options, seconds.  prove.py says what a gate makes of it."]
    lines += ["%s %s %.0f" % (d.name, d.key(), d.seconds) for d in table] + ["wp %s 55" % integers]
    keep(RECORD, "\n".join(lines) + "\n")


def judge_reached(table, trees):
    """The quick form of judge_coverage: a function that no driver can reach, as text, is on the list `dead`."""
    dead = {f for line in entries("dead") for words in [line.split("#")[0].split()] if words[-1] == "all" for f in words[:-1]}
    reached = set().union(*(d.tree.reached_by(d.entry, d.stages)[0] for d in table))
    more = sorted({f for tree in trees.values() for f in tree.text()[0] if not f.startswith("drive_")} - reached - dead)
    if more:
        tell_list("FAILED coverage: functions that no driver can reach and `dead` does not name:", more)
    else:
        say("ok     coverage           a driver for every function but those that `dead` names; statements: make prove")
    return not more


def main():
    accept = "accept" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if name != "accept"] + (os.environ.get("ONLY") or "").split()
    but = (os.environ.get("BUT") or "").split()
    gate = bool(os.environ.get("GATE")) and not names
    version = subprocess.run(["frama-c", "-version"], capture_output=True, text=True).stdout.strip()
    cache = os.environ.get("NSC_CACHE", os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nsc-prove"))
    if cache:
        os.makedirs(cache, exist_ok=True)
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as work:
        for name, path in SOURCES.items(): # a copy, as they may change while this runs
            keep(os.path.join(work, name), read(path))
        keep(os.path.join(work, "assigns.h"), assigns_of_stages(read(os.path.join(work, "drivers.c"))))
        trees = {}
        table = [Driver(line, trees, work, cache, version) for line in entries("table")]
        unknown = set(names + but) - {d.name for d in table} - {"wp"}
        if unknown:
            tell_list("FAILED no such driver:", sorted(unknown))
            failed += 1
        drivers = [d for d in table if not names or d.name in names]
        for d in drivers:
            if d.name in but:
                say("skipped: %s: BUT leaves it out" % d.name)
                skipped += 1
        drivers = [d for d in drivers if d.name not in but]
        drivers.sort(key=lambda d: d.defines)
        now = take_record(drivers) if gate else drivers
        skipped += len(drivers) - len(now)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for d in pool.map(Driver.prove, now):
                passed += d.passed
                failed += not d.passed
        if not names or "wp" in names:
            done, integers = prove_integers(work, cache, version, gate)
            passed += done == 1
            failed += done == 0
            skipped += done is None
        if not names and not but:
            if gate:
                covered = judge_reached(table, trees)
            else:
                defined = {f for tree in trees.values() for f in tree.text()[0] if not f.startswith("drive_")}
                covered = judge_coverage(drivers, defined)
            written, trusted = judge_contracts(drivers)
            passed += covered + written
            failed += (not covered) + (not written)
            skipped += trusted
            for line in entries("left"):
                say("skipped: no proof of " + ": ".join(x.strip() for x in line.split("|")))
                skipped += 1
            if accept and not failed:
                write_record(table, integers)
        dear = sorted(now, key=lambda d: -d.seconds)[:10]
        say("dearest: " + ", ".join("%s %.0f s" % (d.name, d.seconds) for d in dear))
        say("cpu %.0f s now, %.0f s if nothing were cached or recorded" % (spent, sum(d.seconds for d in drivers)))
    say("prove: %d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return failed > 0 or passed == 0


sys.exit(main())
