"""Runs a program of Python, which is read and compiled once, again and again: forks.py PROGRAM DIRECTORY.
A line on stdin is a call, its arguments each with the character 31 behind it; what the program prints goes to DIRECTORY/table and
DIRECTORY/said, its exit code to stdout.  The program begins in a process of its own each time, and finds nothing of the calls before."""
import os
import sys
import xml.etree.ElementTree  # noqa: F401, what programs that read robots import

program, directory = sys.argv[1:3]
with open(program, encoding="utf-8") as source:
    code = compile(source.read(), program, "exec")
sys.path[0] = os.path.dirname(program)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        for name, number in (("table", 1), ("said", 2)):
            file = os.open(os.path.join(directory, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            os.dup2(file, number)
        sys.argv = [program] + line.rstrip("\n").split("\x1f")[:-1]
        exec(code, {"__name__": "__main__", "__file__": program})
        sys.exit(0)
    status = os.waitpid(child, 0)[1]
    print(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status), flush=True)
