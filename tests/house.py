"""Where the library's text stands: the core in two headers, the shelf in examples/kit.  For the tools that read or change it."""
import os
import re

CORE = ("nsc.h", "nsc_solvers.h")
KIT = "examples/kit"


def core_and_shelf(root="."):
    """Paths of the core and of every file that nsc_all.h includes, or a file of these: parts, solvers and what comes after nsc.h."""
    found = []

    def add(path):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if path not in found:
            found.append(path)
            for name in re.findall(r'^ *# *include "(nsc\w*\.h)"', text, re.M):
                add(name if name in CORE else KIT + "/" + name)
    add(KIT + "/nsc_all.h")
    return list(CORE) + sorted(set(found) - set(CORE))


def add_ons(root="."):
    """Paths of the rest of the shelf: what a program includes after nsc.h if it wants it."""
    names = sorted(name for name in os.listdir(os.path.join(root, KIT)) if re.match(r"nsc_(?!all)\w*\.h$", name))
    return [path for path in (KIT + "/" + name for name in names) if path not in core_and_shelf(root)]
