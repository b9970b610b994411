#!/usr/bin/env python3
"""dynamics.py - nsc_dynamics.h on tables of robot.py beside MuJoCo: dynamics.py BY_MUJOCO FILE...

    BY_MUJOCO    the program of tests/robots/dynamics_mujoco.c
    FILE         MJCF

Of each file bodies, joints, inertias and, where a body has none, its simple shapes are taken, nothing else: no meshes are needed.  With keyframes of random positions and speeds.
Compared are what both programs print.  The greatest difference of each kind over the greatest value of its kind must be below 1e-9;
below 1e-3 where robot.py must put small links between joints that MuJoCo has in one body."""
import os
import random
import re
import subprocess
import sys
import traceback
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "robots"))
sys.path.insert(0, os.path.join(ROOT, "examples", "kit"))
sys.dont_write_bytecode = True
import argparse
import against_mujoco
import robot

KINDS = ("motion", "jacobian", "centre", "inertia", "force")
KEPT = {"mujoco", "worldbody", "body", "joint", "freejoint", "inertial", "default", "compiler"}
# What is not compared, and what one of the two does not know
LOST = ("range", "limited", "damping", "stiffness", "frictionloss", "springdamper", "springref", "autolimits", "actuatorfrcrange",
        "actuatorfrclimited", "meshdir", "texturedir", "assetdir", "inertiafromgeom", "solreflimit", "solimplimit", "margin",
        "solreffriction", "solimpfriction", "mocap", "gravcomp", "user", "balanceinertia", "boundmass", "boundinertia",
        "inertiagrouprange", "fitaabb", "group", "material", "strippath", "discardvisual")


def whole(path):
    """The file's tree with what it includes"""
    node = ET.parse(path).getroot()

    def include(node):
        for i, part in enumerate(list(node)):
            if part.tag == "include":
                inner = whole(os.path.join(os.path.dirname(path), part.get("file")))
                at = list(node).index(part)
                node.remove(part)
                for n, more in enumerate(list(inner)):
                    node.insert(at + n, more)
            else:
                include(part)
    include(node)
    return node


def strip(node):
    heavy = node.tag in ("body", "worldbody") and node.find("inertial") is not None
    for part in list(node):
        if part.tag in KEPT or (part.tag == "geom" and not heavy and node.tag != "worldbody" and not part.get("mesh")):
            strip(part)
        else:
            node.remove(part)
    if "fullinertia" in node.attrib: # MuJoCo turns it into principal moments to 1e-8 only: both get it without its products
        node.set("diaginertia", " ".join(node.attrib.pop("fullinertia").split()[:3]))
    for word in LOST:
        node.attrib.pop(word, None)


def compare(path, by_mujoco, out):
    root = whole(path)
    strip(root)
    bare = os.path.join(out, "bare.xml")
    keyed = os.path.join(out, "keyed.xml")
    ET.ElementTree(root).write(bare)
    options = argparse.Namespace(corners=8, friction=0.5, fixed_base=False, keep_fixed=False, no_self=True, no_world=False,
                                 no_frames=False, balance=False, bound=None, package=[], name="robot")
    model = robot.Model(options)
    robot.convert(model, bare)
    positions, speeds = against_mujoco.rows(model.bodies)
    rng = random.Random(os.path.basename(path))
    ET.ElementTree(against_mujoco.with_keys(bare, rng, positions, speeds)).write(keyed)
    model = robot.Model(options)
    robot.convert(model, keyed)
    text = robot.table(model, "keyed")
    theirs = subprocess.run([by_mujoco, keyed], stdout=subprocess.PIPE).stdout.decode()
    if theirs.startswith("refused"):
        raise robot.Bad("by MuJoCo: " + theirs)
    theirs = against_mujoco.lines_of(theirs)
    table = os.path.join(out, "keyed.h")
    with open(table, "w") as f:
        f.write(text)
    need = dict(re.findall(r"(NSC_MAX_\w+|NSC_HULL_VERTICES)(?: at\s+most)? (\d+)", text.split("*/")[0].replace("\n  ", "")))
    need.setdefault("NSC_MAX_JOINTS", "1")
    need.setdefault("NSC_MAX_JOINT_BLOCKS", "4")
    need.setdefault("NSC_MAX_SHAPES", "1")
    program = os.path.join(out, "dynamics_nsc")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c99", "-O1", "-w", "-ffp-contract=off", "-DNSC_DOUBLE", "-DTABLE=\"%s\"" % table,
                    "-I" + ROOT, "-I" + os.path.join(ROOT, "examples/kit"), os.path.join(ROOT, "tests/robots/dynamics_nsc.c"),
                    "-o", program, "-lm"] + ["-D%s=%s" % x for x in need.items()], check=True)
    ours = against_mujoco.lines_of(subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode())
    found = against_mujoco.differences(ours, theirs)
    names = [link.name for link in model.links] if hasattr(model, "links") else []
    return found, " behind " in text or any(" behind " in name for name in names), len(model.bodies)


def main():
    by_mujoco = os.path.abspath(sys.argv[1])
    out = os.path.dirname(by_mujoco)
    passed = failed = skipped = 0
    for path in sys.argv[2:]:
        try:
            found, small, bodies = compare(os.path.abspath(path), by_mujoco, out)
        except (robot.Bad, OSError, ET.ParseError) as e: # refused by one of the two
            print("skipped: %s: %s" % (path, str(e).split("\n")[0]))
            skipped += 1
            continue
        except Exception:
            print("FAILED: %s: %s" % (path, traceback.format_exc()))
            failed += 1
            continue
        words = ["%s %.1e (%d)" % (what, found[what][0], found[what][2]) for what in KINDS if what in found]
        print("%s: %d bodies%s: %s" % (path, bodies, ", small links" if small else "", ", ".join(words)))
        wrong = [what for what in found if not found[what][0] <= (1e-3 if small else 1e-9)]
        for what in wrong:
            print("    FAILED: %s of %s" % (what, found[what][1]))
        if "inertia" not in found:
            skipped += 1
        elif wrong:
            failed += 1
        else:
            passed += 1
        sys.stdout.flush()
    print("dynamics beside MuJoCo: %d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
