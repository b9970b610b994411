#!/usr/bin/env python3
"""Does every test program fail when its subject is broken?  One fault for each, in tests/mutants/subjects.txt.

usage: subjects.py [look]     (from the project's directory; look: only whether the table fits programs and headers, in a second)

Each program is built in float and has to pass; then it is built again with its fault, and has to fail by a check (CHECK
below): a crash, an end without a word, or a complaint about the program as a whole is no proof that the program looks at what
it is about.  Fails, too, where a program has no fault in the table, or the text that a fault replaces does not stand exactly
once where the table says.

environment: CC        compiler, default cc
             ONLY      names of test programs (test_world ...), default all
             JOBS      programs at a time, default 1
"""
import glob, multiprocessing.pool, os, re, resource, shutil, subprocess, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from source import bare, functions

DIR = "build/subjects"
TABLE = "tests/mutants/subjects.txt"
PRELUDE = "tests/mutants/prelude.c"
FLAGS = "-std=c99 -w -ffp-contract=off -I. -Iexamples/kit -Itests -Itests/harness".split()
OPTIMISED = ["test_parallel"]  # nsc has vectors only where the compiler optimises
# What test.h, search.h and fuzz.h print of a check that fails: where it stands, or how to repeat its trial
CHECK = re.compile(r"\S+:\d+: (FAILED \S|\S.* does not hold$)|FAILED .*: TEST_SEED=\d+ TEST_TRIAL=")
SECONDS = 120  # processor time after which a program is stopped


def faults():
    """{program: its fault: file, function or "", old lines and new ones} of the table."""
    table = {}
    with open(TABLE) as file:
        for line in file:
            words = line.split()
            if line.startswith("    - "):
                fault["old"] += [line[6:].rstrip("\n")]
            elif line.startswith("    + "):
                fault["new"] += [line[6:].rstrip("\n")]
            elif words and not line.startswith((" ", "#")):
                if words[0] in table:
                    sys.exit("FAILED: %s stands twice in %s" % (words[0], TABLE))
                fault = {"file": words[1], "function": "".join(words[2:3]), "old": [], "new": []}
                table[words[0]] = fault
    return table


def within(source, name):
    """Where a function of that name begins and ends; all of the source without a name."""
    if not name:
        return 0, len(source)
    for function in functions("", source, bare(source)):
        if function["name"] == name:
            return function["begin"], function["end"]
    raise LookupError("no function %s" % name)


def broken(source, fault):
    """The source with the fault."""
    begin, end = within(source, fault["function"])
    old, new = "\n".join(fault["old"]), "\n".join(fault["new"])
    count = source.count(old, begin, end)
    if not old or count != 1:
        raise LookupError("the text stands there %d times: %s" % (count, old))
    return source[:begin] + source[begin:end].replace(old, new) + source[end:]


def build(name, tree):
    """Compiler's messages, or nothing."""
    level = "-O1" if name in OPTIMISED else "-O0"
    command = os.environ.get("CC", "cc").split() + FLAGS + [level, *glob.glob("tests/*/%s.c" % name), PRELUDE, "-o", "program", "-lm", "-pthread"]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    return done.stdout if done.returncode else ""


def run(tree):
    """(first failed check, exit code, last line) of the program, which is stopped at a failed check."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    failed, last = "", ""
    with subprocess.Popen(["./program"], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=bound) as process:
        for line in process.stdout:
            last = line.decode(errors="replace").strip()
            if CHECK.search(last): # it may stand behind a line that the program has begun
                failed = last
                process.kill()
                break
        code = process.wait()
    return failed, code, last


def look(name, fault):
    """Has a program a fault, and does its text stand where the table says?"""
    if not fault:
        return False, "has no fault in %s" % TABLE
    try:
        with open(fault["file"]) as file:
            broken(file.read(), fault)
    except LookupError as error:
        return False, "%s %s: %s" % (fault["file"], fault["function"], error)
    return True, "its fault can be built in"


def judge(name, fault):
    """What is wrong with a program, or the check that found the fault."""
    fits, said = look(name, fault)
    if not fits:
        return fits, said
    tree = os.path.join(DIR, name)
    shutil.copytree("tests", os.path.join(tree, "tests"), ignore=shutil.ignore_patterns("*.new"))
    shutil.copytree("examples/kit", os.path.join(tree, "examples", "kit"))
    for header in glob.glob("*.h"):
        shutil.copy(header, tree)
    path = os.path.join(tree, fault["file"])
    with open(path) as file:
        text = broken(file.read(), fault)
    messages = build(name, tree)
    if messages:
        return False, "does not compile\n" + messages[:2000]
    failed, code, last = run(tree)
    if failed or code:
        return False, "fails without a fault, exit code %d: %s" % (code, failed or last)
    with open(path, "w") as file:
        file.write(text)
    messages = build(name, tree)
    if messages:
        return False, "does not compile with its fault\n" + messages[:2000]
    failed, code, last = run(tree)
    shutil.rmtree(tree)
    if failed:
        return True, failed
    return False, "passes with its fault" if code == 0 else "ends with code %d and no failed check: %s" % (code, last)


def main():
    table = faults()
    programs = [os.path.basename(path)[:-2] for path in sorted(glob.glob("tests/*/test_*.c"))]
    gone = sorted(set(table) - set(programs))
    only = os.environ.get("ONLY", "").split()
    chosen = [name for name in programs if not only or name in only]
    shutil.rmtree(DIR, ignore_errors=True)
    os.makedirs(DIR)
    passed = 0
    examine = look if sys.argv[1:] == ["look"] else judge
    with multiprocessing.pool.ThreadPool(int(os.environ.get("JOBS") or 1)) as pool:
        for name, (fine, said) in zip(chosen, pool.imap(lambda name: examine(name, table.get(name)), chosen)):
            if not fine or examine is judge:
                print("%s%s: %s" % ("" if fine else "FAILED: ", name, said), flush=True)
            passed += fine
    for name in gone:
        print("FAILED: %s stands in %s, and there is no such program" % (name, TABLE))
    used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    print("processor seconds: %.0f" % sum(u.ru_utime + u.ru_stime for u in used))
    failed = len(chosen) - passed + len(gone)
    print("subjects: %d passed, %d failed, 0 skipped" % (passed, failed))
    return failed > 0 or not chosen


if __name__ == "__main__":
    sys.exit(main())
