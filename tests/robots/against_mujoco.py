#!/usr/bin/env python3
"""against_mujoco.py - tables of robot.py beside MuJoCo: against_mujoco.py BY_MUJOCO FILE...

    BY_MUJOCO    the program of tests/robots/by_mujoco.c
    FILE         MJCF

Each file gets keyframes of random positions and speeds.  Compared are the mass, the limits, poses
and velocities of all bodies in each keyframe, what gravity exerts on each joint, and how each
joint begins to move.  For each the greatest difference is printed, over the greatest value of its
kind; beyond the bounds below it is a failure."""
import argparse
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOUNDS = {"mass": 1e-6, "range": 1e-6, "pose": 1e-6, "velocity": 1e-6, "gravity": 1e-3,
          "acceleration": 1e-3, "in motion": 1.0}
KEYS = 4


def lines_of(text):
    """{(what, name, key): numbers}"""
    out, key = {}, None
    for line in text.splitlines():
        word = line.split("\t")
        if word[0] == "key":
            key = word[1]
        elif word[0] == "refused":
            raise ValueError(line)
        else:
            out.setdefault((word[0], word[1], key), [float(x) for x in word[2:]])
    return out


def with_keys(path, rng, positions, speeds):
    root = ET.parse(path).getroot()
    for part in root.findall("keyframe") + root.findall("sensor"):
        root.remove(part)
    keyframe = ET.SubElement(root, "keyframe")
    for n in range(KEYS):
        q, v = positions(rng), speeds(rng)
        ET.SubElement(keyframe, "key", name="k%d" % n, qpos=" ".join("%.6f" % x for x in q),
                      qvel=" ".join("%.6f" % (x if n % 2 else 0) for x in v))
    return root


def rows(bodies):
    """What qpos and qvel of this model are, from robot.py's own reading of it"""
    def positions(rng):
        out = []
        for link in bodies:
            if link.free:
                out += [rng.uniform(-1, 1) for _ in range(7)]
            for j in link.chain:
                if j.is_ball:
                    out += [rng.uniform(-1, 1) for _ in range(4)]
                else:
                    out.append(j.ref + rng.uniform(-1, 1) * (0.2 if j.slides else 1.5))
        return out

    def speeds(rng):
        out = []
        for link in bodies:
            out += [rng.uniform(-1, 1) for _ in range(6 if link.free else 0)]
            for j in link.chain:
                out += [rng.uniform(-2, 2) for _ in range(3 if j.is_ball else 1)]
        return out
    return positions, speeds


def unsigned(x):
    """A pose whose quaternion has one sign"""
    first = next((v for v in x[3:] if abs(v) > 1e-3), 1)
    return x[:3] + [v if first > 0 else -v for v in x[3:]]


def compare(path, robot, by_mujoco, out):
    options = argparse.Namespace(corners=8, friction=0.5, fixed_base=False, keep_fixed=False,
                                 no_self=True, no_world=False, no_frames=False, balance=False,
                                 bound=None, package=[], name="robot")
    model = robot.Model(options)
    robot.convert(model, path)
    positions, speeds = rows(model.bodies)
    rng = random.Random(os.path.basename(path))
    keyed = os.path.join(os.path.dirname(path), "keyed_%s" % os.path.basename(path))
    try:
        ET.ElementTree(with_keys(path, rng, positions, speeds)).write(keyed)
        options.bound, options.balance = None, False
        model = robot.Model(options)
        robot.convert(model, keyed)
        text = robot.table(model, "keyed")
        p = subprocess.run([by_mujoco, keyed], stdout=subprocess.PIPE, cwd=out)
    finally:
        os.remove(keyed)
    theirs = lines_of(p.stdout.decode())
    table = os.path.join(out, "keyed.h")
    with open(table, "w") as f:
        f.write(text)
    need = dict(re.findall(r"(NSC_MAX_\w+|NSC_HULL_VERTICES)(?: at\s+most)? (\d+)",
                           text.split("*/")[0].replace("\n  ", "")))
    need.setdefault("NSC_MAX_JOINTS", "1")
    need.setdefault("NSC_MAX_JOINT_BLOCKS", "4")
    flags = ["-D%s=%s" % x for x in need.items()]
    program = os.path.join(out, "by_nsc")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c99", "-O1", "-w", "-DNSC_DOUBLE",
                    "-DTABLE=\"%s\"" % table, "-I" + ROOT, "-I" + os.path.join(ROOT, "examples/kit"),
                    os.path.join(ROOT, "tests/robots/by_nsc.c"), "-o", program, "-lm"] + flags, check=True)
    ours = lines_of(subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.decode())
    return differences(ours, theirs)


def differences(ours, theirs):
    """{what: (greatest difference over the greatest value of its kind, where, how many)}"""
    most, scale, count = {}, {}, {}
    for key, x in theirs.items():
        if key[0] != "mass" and not key[1] or key not in ours:
            continue
        y = ours[key]
        if key[0] == "acceleration" and int(key[2]) % 2:
            key = ("in motion",) + key[1:]
        if key[0] == "pose":
            x, y = unsigned(x), unsigned(y)
        d = max(abs(a - b) for a, b in zip(x, y))
        count[key[0]] = count.get(key[0], 0) + 1
        scale[key[0]] = max(scale.get(key[0], 1e-9), max(abs(a) for a in x))
        if d >= most.get(key[0], (-1, ""))[0]:
            most[key[0]] = (d, "%s in key %s" % (key[1], key[2]))
    return dict((what, (d / scale[what], where, count[what])) for what, (d, where) in most.items())


def main():
    by_mujoco = os.path.abspath(sys.argv[1])
    sys.path.insert(0, os.path.join(ROOT, "examples", "kit"))
    sys.dont_write_bytecode = True
    import robot
    out = os.path.dirname(by_mujoco)
    passed = failed = 0
    for path in sys.argv[2:]:
        try:
            found = compare(os.path.abspath(path), robot, by_mujoco, out)
        except (robot.Bad, ValueError, subprocess.CalledProcessError, ET.ParseError) as e:
            print("%s: %s" % (path, e))
            failed += 1
            continue
        words = ["%s %.1e (%d)" % (what, found[what][0], found[what][2]) for what in BOUNDS if what in found]
        print("%s: %s" % (os.path.basename(path), ", ".join(words)))
        wrong = [what for what in found if not found[what][0] <= BOUNDS[what]]
        for what in wrong:
            print("    FAILED: %s of %s" % (what, found[what][1]))
        if "pose" not in found:
            print("    FAILED: no pose was compared")
            wrong.append("pose")
        failed += 1 if wrong else 0
        passed += 0 if wrong else 1
        sys.stdout.flush()
    print("robots beside MuJoCo: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
