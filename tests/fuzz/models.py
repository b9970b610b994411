#!/usr/bin/env python3
"""models.py - random models through examples/kit/robot.py and mesh.py, whole ones and damaged ones

    models.py robots --seed N --cases N          models.py meshes --seed N --seconds S

A whole model must give a table.  A damaged one gives a table, or a refusal: exit code 1, one line
on stderr that names the file and what is wrong, and nothing on stdout.  A table must compile
without a warning, nsc must accept it, and steps of that world stay finite, in float and in
double; of ten tables at most one may be too large for the world that is stepped.  Anything else
is a failure, and so are 10 s of CPU, 60 s or 1 GB for one model, and 20 s of CPU for its steps.
Of a failure the seed is printed, and a smaller model that still fails is written under
build/fuzz/found."""
import argparse
import importlib.util
import io
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build", "fuzz")
CRASH = 70                                # exit code of a tool that ends in an exception
BATCH = 250                               # tables of one C file
PATIENCE = float(os.environ.get("PATIENCE", "20"))   # seconds to make one failing model smaller

# ---- odd texts

NUMBERS = """0 -0 1 -1 2 0.5 nan inf -inf 1e400 -1e400 1e39 -1e39 1e300 1e200 1e19 1e18 1e10 1e9 1e6
1e5 1e-5 1e-6 1e-9 1e-10 1e-18 1e-30 1e-39 1e-46 1e-300 0x10 1,5 1e +1 1_000 65536 4294967296
99999999999999999999999 true -1e18 -1e-18 1e154 1e155 3.4e38 1.7e308""".split() + [
    "", " ", "1 2", "1 2 3", "0 0 0", "1;2", "\n1", "\uff11", "\u0661", "1\u00a02", "1" * 400]
NAMES = ["int", "while", "class", "NULL", "nsc_world", "_x", "1st", "-", "", " ", "a b", 'a"b', "a'b",
         "a\\", "a\nb", "a\n#error evil\n", "*/ int evil; /*", "/*", "//", "??/", '"};int evil;//',
         "\u30ed\u30dc", "\u00b2x", "n\u00e9", "x" * 300, "%s%d", "\t", "a\x7fb", "main", "double",
         "linux", "\U0001f916", "a,b", "{0}", "$HOME", "\u2028", "l0", "j0", "world"]


def odd(rng):
    return rng.choice(NAMES if rng.random() < 0.25 else NUMBERS)


def real(rng, low=0.02, high=1.0):
    return "%.4g" % rng.uniform(low, high)


def vector(rng, size=0.5, count=3):
    return " ".join("%.3g" % rng.uniform(-size, size) for _ in range(count))


def direction(rng):
    return rng.choice(["1 0 0", "0 1 0", "0 0 1", "0 0 -1", "1 1 0", "0.3 -0.4 0.5"])


def some(rng, chance):
    return rng.random() < chance


class Draws(random.Random):
    """Random numbers that are kept.  With `given`, its numbers are drawn in place of new ones; where it
    ends or has None, what adds least to a model: a number that lets no chance come true, the first of
    several"""
    given = None

    def __init__(self, seed):
        super().__init__(seed)
        self.kept = []

    def draw(self, new, least):
        n = len(self.kept)
        x = new if self.given is None else self.given[n] if n < len(self.given) else None
        self.kept.append(x)
        return least if x is None else x

    def random(self):
        return self.draw(super().random(), 0.999)

    def getrandbits(self, k):
        return int(self.draw((super().getrandbits(k) + 0.5) / (1 << k), 0) * (1 << k))


# ---- XML: elements whose attributes may stand there twice

class Element:
    def __init__(self, tag, *inside, **attributes):
        self.tag = tag
        self.attributes = [[k.rstrip("_"), v] for k, v in attributes.items()]
        self.inside = [x for x in inside if x is not None]

    def text(self):
        words = "".join(' %s="%s"' % (k, escaped(v)) for k, v in self.attributes)
        inner = "".join(x if isinstance(x, str) else x.text() for x in self.inside)
        return "<%s%s>%s</%s>" % (self.tag, words, inner, self.tag)

    def copy(self):
        twin = Element(self.tag)
        twin.attributes = [list(a) for a in self.attributes]
        twin.inside = [x if isinstance(x, str) else x.copy() for x in self.inside]
        return twin

    def all(self):
        """Every element, each after its parent"""
        todo, out = [self], []
        while todo:
            e = todo.pop()
            out.append(e)
            todo.extend(x for x in e.inside if not isinstance(x, str))
        return out


E = Element


def escaped(text):
    for c, name in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\n", "&#10;"), ("\t", "&#9;")):
        text = text.replace(c, name)
    return text


class Xml:
    """A model: the tree, and what is done to its text afterwards"""

    def __init__(self, root, options):
        self.root = root
        self.options = options
        self.spoil = None
        self.ending = ".urdf" if root.tag == "robot" else ".xml"

    def data(self):
        data = self.root.text().encode("utf-8", "surrogatepass")
        if self.spoil:
            how, at, byte = self.spoil
            at %= len(data)
            if how == "cut":
                data = data[:at]
            elif how == "byte":
                data = data[:at] + bytes([byte]) + data[at + 1:]
            elif how == "more":
                data = data[:at] + bytes([byte]) * 3 + data[at:]
            elif how == "wide":
                data = data.decode("utf-8", "replace").encode("utf-16")
            elif how == "mark":
                data = b"\xef\xbb\xbf<?xml version='1.0' encoding='latin-1'?>" + data
            elif how == "none":
                data = bytes(range(256))[:byte]
        return data

    def smaller(self):
        """Models that have one thing less, the largest first"""
        if self.spoil:
            yield self.changed(lambda root: None, spoil=None)
        for i in range(len(self.options)):
            if self.options[i].startswith("--"):
                end = i + 1
                while end < len(self.options) and not self.options[end].startswith("--"):
                    end += 1
                yield self.changed(lambda root: None, options=self.options[:i] + self.options[end:])
        count = len(self.root.all())
        for n in range(count):
            for k in range(len(self.root.all()[n].inside)):
                yield self.changed(lambda root: root.all()[n].inside.pop(k))
        for n in range(count):
            for k in range(len(self.root.all()[n].attributes)):
                yield self.changed(lambda root: root.all()[n].attributes.pop(k))

    def changed(self, change, **fields):
        twin = Xml(self.root.copy(), self.options)
        twin.spoil = self.spoil
        for key, value in fields.items():
            setattr(twin, key, value)
        change(twin.root)
        return twin


# ---- what a model may refer to

CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))]
WHOLE_MESHES = ["cube.obj", "cube.stl", "text.stl", "cloud.obj"]
MESHES = WHOLE_MESHES + ["flat.obj", "line.obj", "one.obj", "empty.obj", "empty.stl", "cut.stl",
                         "binary.obj", "nan.obj", "nan.stl", "huge.obj", "tiny.obj", "count.stl",
                         "index.obj", "zero.obj", "word.obj", "words.stl", "folder.stl", "pipe.stl",
                         "none.stl", "none.obj", "cube.dae", "../cube.obj", "file:///dev/zero",
                         "file:///dev/zero.stl", "package://p/cube.obj", "package://", "file://",
                         "two.obj", "a\nb.obj", "inward.obj", "CUBE.OBJ", "thin.obj", "x" * 300]


def obj(points, faces):
    return ("".join("v %.9g %.9g %.9g\n" % tuple(p) for p in points) +
            "".join("f %s\n" % " ".join(str(i + 1) for i in f) for f in faces)).encode()


def stl(points, triangles):
    out = b"binary".ljust(80) + struct.pack("<I", len(triangles))
    for t in triangles:
        out += struct.pack("<12fH", 0, 0, 0, *([x for i in t for x in points[i]] + [0]))
    return out


def stl_text(points, triangles):
    out = "solid cube\n"
    for t in triangles:
        out += "facet normal 0 0 0\nouter loop\n"
        out += "".join("vertex %g %g %g\n" % tuple(points[i]) for i in t) + "endloop\nendfacet\n"
    return (out + "endsolid cube\n").encode()


def write_files(folder):
    """The meshes and includes that models name"""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "folder.stl"))
    rng = random.Random(1)
    small = [tuple(0.2 * x for x in p) for p in CUBE]
    cloud = [tuple(rng.gauss(0, 0.1) for _ in range(3)) for _ in range(60)]
    files = {
        "cube.obj": obj(small, FACES), "CUBE.OBJ": obj(small, FACES), "cube.dae": b"<COLLADA/>",
        "cube.stl": stl(small, TRIANGLES), "text.stl": stl_text(small, TRIANGLES),
        "cloud.obj": obj(cloud, []), "flat.obj": obj([(x, y, 0) for x, y, _ in CUBE], FACES),
        "line.obj": obj([(x, 0, 0) for x, _, _ in CUBE], FACES), "one.obj": obj([(1, 2, 3)], []),
        "empty.obj": b"", "empty.stl": b"", "cut.stl": stl(small, TRIANGLES)[:300],
        "binary.obj": bytes(range(256)) * 4, "inward.obj": obj(small, [f[::-1] for f in FACES]),
        "nan.obj": b"v nan 0 0\n" + obj(small, FACES), "thin.obj": obj(
            [(x, y, 1e-5 * z) for x, y, z in CUBE], FACES),
        "nan.stl": stl([(float("nan"), 0, 0)] * 8, TRIANGLES),
        "huge.obj": obj([tuple(1e300 * x for x in p) for p in CUBE], FACES),
        "tiny.obj": obj([tuple(1e-200 * x for x in p) for p in CUBE], FACES),
        "count.stl": stl(small, TRIANGLES)[:80] + b"\xff\xff\xff\xff", "zero.obj": b"v 0 0 0\nf 0 0 0\n",
        "index.obj": obj(small, [(0, 1, 99)]), "word.obj": b"v x y z\nf a b c\nv\nf\n",
        "words.stl": b"solid x\nvertex 1 2\nvertex\nvertex a b c\nendsolid", "two.obj": obj(small[:4], [(0, 1)]),
        "part.xml": b'<mujoco><body name="part"><joint/><geom size="0.1"/></body></mujoco>',
        "self.xml": b'<mujoco><include file="self.xml"/></mujoco>', "bad.xml": b"<mujoco", "empty.xml": b"",
    }
    for n in range(9):
        files["ten%d.xml" % n] = b"<mujoco>" + b'<include file="ten%d.xml"/>' % (n + 1) * 10 + b"</mujoco>"
    files["ten9.xml"] = files["part.xml"]
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    for name in ("pipe.stl", "pipe.xml"):
        os.mkfifo(os.path.join(folder, name))


# ---- URDF

def urdf_origin(rng):
    return E("origin", xyz=vector(rng), rpy=vector(rng, 3)) if some(rng, 0.6) else None


def urdf_inertial(rng):
    base = rng.uniform(0.01, 0.02)
    moments = [base * rng.uniform(1, 1.3) for _ in range(3)]
    inertia = E("inertia", **dict((k, "%.5g" % x) for k, x in zip(("ixx", "iyy", "izz"), moments)))
    for k in ("ixy", "ixz", "iyz"):
        inertia.attributes.append([k, "%.3g" % rng.uniform(-1e-3, 1e-3)])
    return E("inertial", urdf_origin(rng), E("mass", value=real(rng, 0.1, 5)), inertia)


def urdf_shape(rng, meshes):
    kind = rng.choice(["box", "sphere", "cylinder", "capsule", "mesh"])
    if kind == "box":
        shape = E("box", size=" ".join(real(rng) for _ in range(3)))
    elif kind == "sphere":
        shape = E("sphere", radius=real(rng))
    elif kind == "mesh":
        shape = E("mesh", filename=rng.choice(meshes))
        if some(rng, 0.3):
            shape.attributes.append(["scale", rng.choice(["1 1 1", "0.5 0.5 2", "-1 1 1"])])
    else:
        shape = E(kind, radius=real(rng), length=real(rng))
    return E("collision", urdf_origin(rng), E("geometry", shape))


def urdf(rng):
    links = rng.choice([1, 2, 2, 3, 4, 6])
    root = E("robot", name=rng.choice(["dog", "arm", "my robot", "r-2"]))
    for i in range(links):
        e = E("link", urdf_inertial(rng), name="l%d" % i)
        for _ in range(rng.choice([0, 1, 1, 2])):
            e.inside.append(urdf_shape(rng, WHOLE_MESHES))
        if some(rng, 0.2):
            e.inside.append(E("visual", E("geometry", E("sphere", radius="1"))))
        root.inside.append(e)
    for i in range(1, links):
        kind = rng.choice(["revolute", "continuous", "prismatic", "fixed", "planar", "ball", "revolute"])
        e = E("joint", urdf_origin(rng), E("parent", link="l%d" % rng.randrange(i)),
              E("child", link="l%d" % i), name="j%d" % i, type=kind)
        if some(rng, 0.7):
            e.inside.append(E("axis", xyz=direction(rng)))
        if kind in ("revolute", "prismatic"):
            e.inside.append(E("limit", lower="-1", upper="1", effort=real(rng, 0, 50),
                              velocity=real(rng, 0, 9)))
        if some(rng, 0.3):
            e.inside.append(E("dynamics", damping=real(rng), friction=real(rng)))
        if kind == "revolute" and some(rng, 0.1):
            e.inside.append(E("safety_controller", k_velocity="1"))
        root.inside.append(e)
    if some(rng, 0.2):
        root.inside.append(E("gazebo", E("mu1", "0.7"), reference="l0"))
    if some(rng, 0.1):
        root.inside.append(E("transmission", name="t"))
    return root


# ---- MJCF

def turn(rng):
    key, text = rng.choice([("quat", "1 0.2 0 0"), ("euler", "10 20 30"), ("axisangle", "0 0 1 45"),
                            ("xyaxes", "1 0 0 0 1 0.1"), ("zaxis", "0 0.1 1"), ("pos", vector(rng))])
    return {key: text}


def geom(rng, **more):
    kind = rng.choice(["sphere", "box", "capsule", "cylinder", "ellipsoid", "mesh", "fromto"])
    a = dict(more)
    if some(rng, 0.5):
        a.update(turn(rng))
    if kind == "mesh":
        fit = rng.choice(["mesh", "mesh", "box", "capsule", "sphere", "cylinder", "ellipsoid"])
        a.update(type=fit, mesh=rng.choice(["m1", "m2"] if fit != "mesh" else ["m0", "m1", "m2"]))
    elif kind == "fromto":
        a.update(type=rng.choice(["capsule", "cylinder"]), size=real(rng), fromto="0 0 0 0.1 0.2 0.3")
    else:
        count = {"sphere": 1, "box": 3, "ellipsoid": 3}.get(kind, 2)
        a.update(type=kind, size=" ".join(real(rng) for _ in range(count)))
    for key, values in (("friction", ["0.5", "1 0.1 0.1"]), ("density", ["500"]), ("mass", ["2"]),
                        ("condim", ["1", "4"]), ("contype", ["0", "2"]), ("group", ["1", "3"]),
                        ("conaffinity", ["3"]), ("class_", ["c", "d"])):
        if some(rng, 0.1):
            a[key] = rng.choice(values)
    return E("geom", **a)


X, Y, Z = "1 0 0", "0 1 0", "0 0 1"
TOGETHER = [[("slide", X), ("slide", Z), ("hinge", Y)], [("slide", X), ("slide", Y), ("hinge", Z)],
            [("hinge", X), ("hinge", Y)], [("hinge", X), ("hinge", Y), ("hinge", Z)],
            [("slide", Z), ("hinge", Z)], [("hinge", Z), ("slide", Z), ("hinge", X)],
            [("slide", X), ("slide", Y), ("slide", Z), ("hinge", X), ("hinge", Y), ("hinge", Z)]]


def body(rng, count, depth):
    """A body and those below it; count: how many bodies and joints there are so far"""
    count[0] += 1
    e = E("body", name="b%d" % count[0], pos=vector(rng, 1))
    if some(rng, 0.3):
        e.attributes = [a for a in e.attributes if a[0] != "pos"]
        e.attributes += [list(a) for a in turn(rng).items()]
    if some(rng, 0.2):
        e.attributes.append(["childclass", "c"])
    if depth == 0 and some(rng, 0.4):
        e.inside.append(E("freejoint"))
    else:
        together = rng.choice(TOGETHER) if some(rng, 0.2) else None
        for kind in together or [None] * rng.choice([0, 1, 1, 1, 2]):
            count[1] += 1
            if together:
                e.inside.append(E("joint", name="j%d" % count[1], type=kind[0], axis=kind[1]))
                if some(rng, 0.3):
                    e.inside[-1].attributes.append(["ref", "0.3"])
                continue
            kind = rng.choice(["hinge", "hinge", "slide", "ball"])
            j = E("joint", name="j%d" % count[1], type=kind)
            if kind != "ball":
                j.attributes.append(["axis", direction(rng)])
                for key, text in (("range", "-1 1"), ("damping", "0.1"), ("armature", "0.01"),
                                  ("stiffness", "3"), ("springref", "0.1"), ("ref", "0.2"),
                                  ("frictionloss", "0.1"), ("actuatorfrcrange", "-5 5"), ("pos", "0 0 0.1")):
                    if some(rng, 0.15):
                        j.attributes.append([key, text])
            e.inside.append(j)
    if some(rng, 0.3):
        e.inside.append(E("inertial", pos=vector(rng, 0.1), mass=real(rng, 0.1, 5),
                          diaginertia="0.01 0.012 0.013"))
    e.inside.append(E("geom", type="box", size="0.1 0.11 0.12"))
    for _ in range(rng.choice([0, 0, 1, 2])):
        e.inside.append(geom(rng))
    if some(rng, 0.2):
        e.inside.append(E("site", name="s%d" % count[0], pos=vector(rng)))
    if some(rng, 0.15):
        e.inside.append(E("frame", geom(rng), **turn(rng)))
    for _ in range(rng.choice([0, 0, 1, 1, 2]) if depth < 3 and count[0] < 8 else 0):
        e.inside.append(body(rng, count, depth + 1))
    return e


def sensors(rng, bodies, joints):
    out = E("sensor")
    for kind in rng.sample(["gyro", "accelerometer", "velocimeter", "force", "torque", "touch"], 3):
        out.inside.append(E(kind, name=kind, site="s%d" % rng.randrange(1, bodies + 2)))
    for kind in ("framepos", "framequat", "framelinvel", "frameangvel"):
        if some(rng, 0.5):
            out.inside.append(E(kind, objtype=rng.choice(["body", "xbody"]),
                                objname="b%d" % rng.randrange(1, bodies + 1)))
    for kind in ("jointpos", "jointvel", "ballquat"):
        if joints and some(rng, 0.5):
            out.inside.append(E(kind, name=kind, joint=rng.choice(joints)))
    return out


def keyframe(rng, root):
    """One key of the lengths that the tree asks for"""
    q = v = 0
    for e in root.all():
        kind = dict(e.attributes).get("type") if e.tag == "joint" else None
        if e.tag == "freejoint":
            q, v = q + 7, v + 6
        elif kind == "ball":
            q, v = q + 4, v + 3
        elif e.tag == "joint" and kind is not None:
            q, v = q + 1, v + 1
    out = E("key", name="home")
    if q:
        out.attributes.append(["qpos", " ".join("%.2f" % rng.uniform(0.1, 1) for _ in range(q))])
        if some(rng, 0.5):
            out.attributes.append(["qvel", " ".join("%.2f" % rng.uniform(-1, 1) for _ in range(v))])
    return E("keyframe", out)


def mjcf(rng):
    count = [0, 0]
    world = E("worldbody")
    if some(rng, 0.5):
        world.inside.append(E("geom", type="plane", size="0 0 1"))
    if some(rng, 0.2):
        world.inside.append(geom(rng))
    for _ in range(rng.choice([1, 1, 2])):
        world.inside.append(body(rng, count, 0))
    asset = E("asset", E("mesh", name="m0", file=rng.choice(WHOLE_MESHES)),
              E("mesh", name="m1", vertex="0 0 0 1 0 0 0 1 0 0 0 1", scale="0.2 0.2 0.2"),
              E("mesh", name="m2", file="cube.obj", refpos="0.1 0 0", refquat="1 1 0 0"))
    default = E("default", E("geom", friction="0.9"), E("joint", damping="0.01"),
                E("default", E("geom", rgba="1 0 0 1"), E("joint", armature="0.1"),
                  E("position", kp="20"), E("default", E("geom", density="700"), class_="d"), class_="c"))
    root = E("mujoco", asset, default, world, model=rng.choice(["dog", "arm", "my robot"]))
    if some(rng, 0.4):
        compiler = E("compiler", angle=rng.choice(["radian", "degree"]))
        for key, values in (("eulerseq", ["zyx", "XYZ"]), ("autolimits", ["true", "false"]),
                            ("inertiafromgeom", ["true"]), ("balanceinertia", ["true"]),
                            ("boundmass", ["0.01"]), ("boundinertia", ["0.001"]), ("settotalmass", ["7"])):
            if some(rng, 0.15):
                compiler.attributes.append([key, rng.choice(values)])
        root.inside.insert(0, compiler)
    joints = ["j%d" % (i + 1) for i in range(count[1])]
    actuator = E("actuator")
    for j in joints:
        kind = rng.choice(["motor", "position", "velocity", "general", "muscle", None])
        if kind:
            e = E(kind, name="a" + j, joint=j)
            for key, text in (("gear", "2"), ("kp", "30"), ("kv", "3"), ("ctrlrange", "-1 1"),
                              ("forcerange", "-9 9"), ("dampratio", "1"), ("class", "c")):
                if some(rng, 0.2) and not (key in ("kp", "kv", "dampratio") and kind in ("motor", "general")):
                    e.attributes.append([key, text])
            actuator.inside.append(e)
    root.inside.append(actuator)
    if count[0] > 1 and some(rng, 0.3):
        root.inside.append(E("contact", E("exclude", body1="b1", body2="b2")))
    if some(rng, 0.3):
        root.inside.append(E("option", timestep="0.002"))
    if some(rng, 0.3):
        root.inside.append(sensors(rng, count[0], joints))
    if some(rng, 0.3):
        root.inside.append(keyframe(rng, root))
    if len(joints) > 1 and some(rng, 0.2):
        root.inside.append(E("equality", E("joint", joint1=joints[0], joint2=joints[1])))
    if count[0] > 1 and some(rng, 0.2):
        root.inside.append(E("equality", E(rng.choice(["weld", "connect"]), body1="b1", body2="b2")))
    return root


# ---- damage

WORDS = {
    "robot": """
    link joint inertial mass inertia origin collision geometry box sphere mesh cylinder
    parent child axis limit dynamics mimic gazebo mu1 name type xyz rpy value ixx ixy size
    radius length filename scale lower upper effort velocity damping friction multiplier
    offset reference xacro:x calibration material floating fixed planar revolute prismatic
    continuous spherical ball world l0 l1 j1
    """.split(),
    "mujoco": """
    body joint freejoint geom site frame inertial mesh default compiler include worldbody
    asset actuator equality contact exclude weld connect motor position general hfield plane
    keyframe tendon option name class childclass type pos quat axisangle euler xyaxes zaxis
    fromto size axis range limited damping armature mass density contype conaffinity condim
    group friction file vertex face scale refpos refquat fullinertia diaginertia mocap
    key qpos qvel ctrl sensor gyro framepos force objtype objname site jointpos fitscale
    polycoef joint1 joint2 body1 body2 anchor relpose kp kv gear dampratio gainprm biasprm
    gaintype biastype dyntype ctrlrange forcerange springref ref boundmass boundinertia
    settotalmass eulerseq inertiagrouprange meshdir strippath coordinate angle true false
    auto c d b1 j1 m0 part.xml self.xml bad.xml empty.xml pipe.xml ten0.xml none.xml free
    ball slide static flag filterparent disable affine user sphere capsule ellipsoid box
    """.split(),
}


def damage(rng, root):
    """Do one thing to the tree"""
    words = WORDS.get(root.tag, WORDS["robot"])
    elements = root.all()
    e = rng.choice(elements)
    a = rng.choice(e.attributes) if e.attributes else None
    others = [x for x in e.inside if not isinstance(x, str)]
    how = rng.randrange(16)
    if how == 0 and others:
        e.inside.remove(rng.choice(others))
    elif how == 1 and others:
        e.inside.append(rng.choice(others).copy())
    elif how == 2:
        e.inside.insert(rng.randrange(len(e.inside) + 1), rng.choice(elements).copy())
    elif how == 3 and a:
        e.attributes.remove(a)
    elif how == 4 and a and some(rng, 0.3):
        e.attributes.append(list(a))
    elif how == 5:
        key = rng.choice(words)
        if key not in [k for k, _ in e.attributes]:
            e.attributes.append([key, rng.choice(words) if some(rng, 0.3) else odd(rng)])
    elif how in (6, 7, 8) and a:
        parts = a[1].split() or [""]
        parts[rng.randrange(len(parts))] = odd(rng)
        a[1] = " ".join(parts)
    elif how == 9 and a:
        a[1] = odd(rng) if some(rng, 0.5) else rng.choice(words)
    elif how == 10 and a:
        parts = a[1].split()
        a[1] = " ".join(parts[1:] if some(rng, 0.5) else parts + parts[:1])
    elif how == 11 and a:
        a[0] = rng.choice(words)
    elif how == 12:
        e.tag = rng.choice(words)
    elif how == 13:
        e.inside.insert(0, rng.choice(["<!-- x -->", "<?x y?>", "text", "<![CDATA[<]]>", "&lt;", "&none;"]))
    elif how == 14:
        kinds = ("name", "link", "joint", "class", "file", "filename", "mesh", "reference")
        names = [x for y in elements for x in y.attributes if x[0] in kinds]
        if names:
            x = rng.choice(names)
            x[1] = rng.choice(MESHES) if x[0] in ("file", "filename") else rng.choice(
                [rng.choice(names)[1], rng.choice(NAMES)])
    elif how == 15 and some(rng, 0.1) and others:
        inner = rng.choice(others)
        place = e.inside.index(inner)
        for _ in range(rng.choice([30, 300, 1500])):
            outer = inner.copy() if len(inner.all()) == 1 else E(inner.tag, inner)
            outer.inside = [inner]
            inner = outer
        e.inside[place] = inner


def chain(rng):
    """Very many links, in a row or on one"""
    n = rng.choice([40, 400, 1500])
    root = E("robot", name="chain")
    kind = rng.choice(["fixed", "revolute", "continuous"])
    row = some(rng, 0.5)
    inertial = urdf_inertial(rng)
    for i in range(n):
        root.inside.append(E("link", inertial, name="l%d" % i))
        if i:
            root.inside.append(E("joint", E("parent", link="l%d" % (i - 1 if row else 0)),
                                 E("child", link="l%d" % i), name="j%d" % i, type=kind))
    return root


def rename(rng, root):
    """Give names everywhere, also where they are referred to, that are odd but allowed"""
    names = sorted(set(v for e in root.all() for k, v in e.attributes if k == "name"))
    for old in names:
        new = rng.choice(NAMES)
        if not some(rng, 0.3) or not new.strip() or new in names or new == "world":
            continue
        names.append(new)
        for e in root.all():
            for a in e.attributes:
                if a[1] == old and a[0] not in ("type",):
                    a[1] = new


def robot_options(rng, whole):
    out = []
    for word in ("--fixed-base", "--keep-fixed", "--no-self", "--no-world", "--no-frames", "--balance"):
        if some(rng, 0.08):
            out.append(word)
    if some(rng, 0.1):
        out += ["--corners", str(rng.choice([4, 5, 8, 16, 42]))]
    if some(rng, 0.1):
        out += ["--bound", "0.01", "0.0001"]
    if not whole and some(rng, 0.1):
        out += ["--bound", odd(rng), odd(rng)]
    if not whole and some(rng, 0.1):
        out += [rng.choice(["--friction", "--corners", "--name", "--package"]), odd(rng)]
    return out


def robot_model(rng):
    if some(rng, 0.004):
        return Xml(chain(rng), []), False
    whole = some(rng, 0.2)            # early, that draws behind it may be left out
    root = (urdf if some(rng, 0.5) else mjcf)(rng)
    if some(rng, 0.2):
        rename(rng, root)
    model = Xml(root, robot_options(rng, whole))
    if whole:
        return model, True
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        damage(rng, root)
    if some(rng, 0.05):
        how = rng.choice(["cut", "byte", "more", "wide", "mark", "none"])
        model.spoil = (how, rng.randrange(100000), rng.randrange(256))
    return model, False


# ---- meshes

class Mesh:
    """A file as pieces: lines, or triangles of a binary STL behind its head"""

    def __init__(self, pieces, ending, options):
        self.pieces = pieces
        self.ending = ending
        self.options = options

    def data(self):
        return b"".join(self.pieces)

    def smaller(self):
        for i in range(len(self.options)):
            if self.options[i].startswith("--"):
                end = i + (1 if self.options[i] == "--flip" else 2)
                yield Mesh(self.pieces, self.ending, self.options[:i] + self.options[end:])
        n = len(self.pieces)
        while n > 0:
            for i in range(0, len(self.pieces), n):
                yield Mesh(self.pieces[:i] + self.pieces[i + n:], self.ending, self.options)
            n //= 2


def surface(rng):
    """Points and triangles, closed or with a border"""
    if some(rng, 0.4):
        size = [rng.uniform(0.1, 3) for _ in range(3)]
        return [tuple(s * x for s, x in zip(size, p)) for p in CUBE], list(TRIANGLES)
    nx, ny = rng.randrange(2, 7), rng.randrange(2, 7)
    points = [(0.5 * i, 0.5 * j, rng.uniform(0, 0.3)) for j in range(ny) for i in range(nx)]
    faces = []
    for j in range(ny - 1):
        for i in range(nx - 1):
            a = j * nx + i
            faces += [(a, a + 1, a + nx + 1), (a, a + nx + 1, a + nx)]
    return points, faces


def mesh_options(rng, whole):
    out = []
    if some(rng, 0.1):
        out.append("--flip")
    if some(rng, 0.1):
        out += ["--scale", "0.1"]
    if some(rng, 0.1):
        out += ["--weld", rng.choice(["0", "1e-4"])]
    if some(rng, 0.1):
        out.append("--y-up")
    if not whole and some(rng, 0.15):
        out += [rng.choice(["--scale", "--weld", "--name"]), odd(rng)]
    return out


def mesh_model(rng):
    whole = some(rng, 0.2)
    points, faces = surface(rng)
    kind = rng.choice(["obj", "stl", "text"])
    points = [list(p) for p in points]
    if not whole:
        for _ in range(rng.choice([0, 0, 1, 2, 4])):
            p, q = rng.choice(points), rng.choice(points)
            how = rng.randrange(8)
            if how < 3:
                p[:] = q
                p[rng.randrange(3)] += rng.choice([0, 1e-9, 1e-6, 4e-6, 1e-5, 1e-4, 1e-300])
            elif how == 3:
                p[rng.randrange(3)] = rng.choice([1e9, 9.9e8, 1e30, 1e300, -1e12, 1e-39, 1e6, float("nan"),
                                                  float("inf")])
            elif how == 4:
                scale = rng.choice([1e-12, 1e-9, 1e-6, 1e3, 1e6, 1e9, 1e-30, 1e-200])
                for r in points:
                    r[:] = [scale * x for x in r]
            elif how == 5:
                faces.append(tuple(rng.randrange(len(points)) for _ in range(3)))
            elif how == 6:
                faces.append(rng.choice(faces)[::-1])
            else:
                axis = rng.randrange(3)
                for r in points:
                    r[axis] = 0.0
    if kind == "obj":
        pieces = ["v %.9g %.9g %.9g\n" % tuple(p) for p in points] + \
                 ["f %d %d %d\n" % tuple(i + 1 for i in f) for f in faces]
        pieces = [p.encode() for p in pieces]
    elif kind == "text":
        pieces = stl_text(points, faces).splitlines(True)
    else:
        f32 = [[x if abs(x) < 3e38 else 3e38 for x in p] for p in points]
        data = stl(f32, faces)
        pieces = [data[:84]] + [data[i:i + 50] for i in range(84, len(data), 50)]
    ending = ".obj" if kind == "obj" else ".stl"
    for _ in range(0 if whole else rng.choice([0, 1, 1, 2, 4])):
        spoil(rng, pieces)
    if not whole and some(rng, 0.05):
        pieces = [b"".join(pieces)[:rng.randrange(1, 400)]]
    if not whole and some(rng, 0.03):
        ending = rng.choice([".obj", ".stl", ".OBJ", ".ply", ""])
    return Mesh(pieces, ending, mesh_options(rng, whole)), whole


def spoil(rng, pieces):
    if not pieces:
        return
    at = rng.randrange(len(pieces))
    how = rng.randrange(8)
    words = pieces[at].split()
    if how == 0:
        del pieces[at]
    elif how == 1:
        pieces.insert(rng.randrange(len(pieces) + 1), pieces[at])
    elif how in (2, 3, 4) and words:
        words[rng.randrange(len(words))] = odd(rng).encode()
        pieces[at] = b" ".join(words) + b"\n"
    elif how == 5:
        k = rng.randrange(len(pieces[at]) + 1)
        pieces[at] = pieces[at][:k] + bytes([rng.randrange(256)]) + pieces[at][k + 1:]
    elif how == 6:
        pieces[at] = pieces[at][:rng.randrange(len(pieces[at]) + 1)]
    else:
        pieces.insert(at, rng.choice([b"f 1 2 3\n", b"f -1 -2 -3\n", b"f 1/2/3 2//1 3\n", b"f 0 1 2\n", b"#\n",
                                      b"f 1 2 3 4 5 6 7 8\n", b"v 1 2 3 4\n", b"vn 0 0 1\n", b"\0\0\n", b"\\\n",
                                      b"f 9999999999999999999 1 2\n", b"f 1.5 2 3\n", b"vertex 1 2 3\n"]))


# ---- one model through one tool

class Tool:
    def __init__(self, name, model, program):
        self.name = name
        self.model = model
        self.program = program            # C, around the tables
        path = os.path.join(ROOT, "examples", "kit", name)
        spec = importlib.util.spec_from_file_location(name[:-3], path)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def run(self, folder, data, ending, options):
        """Exit code, or -signal; stdout; stderr.  In a child, so that the time and the memory of each
        are bounded"""
        path = os.path.join(folder, "model" + ending)
        with open(path, "wb") as f:
            f.write(data)
        said, printed = os.path.join(folder, "said"), os.path.join(folder, "printed")
        pid = os.fork()
        if pid == 0:
            self.child(path, options, printed, said)
        _, status = os.waitpid(pid, 0)
        with open(printed, encoding="utf-8", errors="surrogateescape") as f:
            out = f.read()
        with open(said, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
            err = f.read()
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        return code, out, err

    def child(self, path, options, printed, said):
        code = CRASH
        try:
            sys.setrecursionlimit(1000)
            signal.alarm(60)
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
            # a terminal may be ASCII alone
            sys.stdout = io.open(printed, "w", encoding="ascii")
            sys.stderr = io.open(said, "w", encoding="ascii", errors="backslashreplace", newline="\n")
            sys.argv = [self.name] + options + [path]
            try:
                code = self.module.main() or 0
            except SystemExit as e:
                code = e.code
                if isinstance(code, str):
                    sys.stderr.write(code + "\n")
                    code = 1
            sys.stdout.flush()
        except BaseException:
            code = CRASH
            traceback.print_exc()
        finally:
            try:
                sys.stderr.flush()
            finally:
                os._exit(code or 0)

    def judge(self, code, out, err, options, whole):
        """What is wrong with this answer, in words that stay the same while a model is made smaller"""
        if code in (-signal.SIGALRM, -signal.SIGXCPU, -signal.SIGKILL):
            return "more than 10 s of CPU, or 60 s"
        if code < 0:
            return "ended by signal %d" % -code
        if code == CRASH:
            at = re.findall(r'File "[^"]*%s", line (\d+)' % re.escape(self.name), err)
            kind = err.strip().splitlines()[-1].split(":")[0]
            return "exception at line %s: %s" % (at[-1] if at else "?", kind)
        if code == 0 and out:
            return None
        if code in (1, 2) and whole:
            return "a whole model is refused, exit code %d" % code
        if code == 2 and options and "usage:" in err and not out:
            return None
        if code != 1 or out:
            return "exit code %d, %d characters printed" % (code, len(out))
        prefix = "%s: " % self.name
        said = [l for l in err.split("\n") if not l.startswith(("left out: ", "repaired: "))]
        if len(said) != 2 or said[1] or not said[0].startswith(prefix):
            return "a refusal that is not one line"
        err = said[0] + "\n"
        if any(ord(c) < 32 or ord(c) > 126 for c in err[:-1]):
            return "a refusal with characters that no terminal should get"
        if len(err) > 1500:
            return "a refusal that is too long"
        place, _, what = err[len(prefix):-1].partition(": ")
        if "model" not in place or not re.search(self.module_names, what):
            return "a refusal that does not name the file and the element"
        return None


ROBOT_NAMES = r"""(?x)<[\w:?]+ | ^(link|joints?|body|geom|site|frame|mesh|actuator|equality|exclude|include|robot|mimic
    |default|compiler|inertial|option|contact|gazebo|class|key|sensor)\b | line\ \d+ | links?\b | --\w+ | XML | URDF"""
MESH_NAMES = r"line \d+|vertex|vertices|triangle|coordinate|--\w+|STL|name in C|facet|byte"

HEAD = """#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 65
#define NSC_MAX_SHAPES 96
#define NSC_MAX_JOINTS 64
#define NSC_MAX_JOINT_BLOCKS 256
#define NSC_MAX_CONTACTS 256
#define NSC_HULL_VERTICES 42
#define NSC_MESHES 1
#include <stdio.h>
#ifdef RUN
#else
#undef NSC_IMPLEMENTATION
#endif
#include "nsc_all.h"
#include "nsc_robot.h"

static nsc_world models_world;

static int models_finite(void)
{
    int i;
    for (i = 0; i < models_world.body_end; i++) {
        const nsc_body *b = &models_world.bodies[i];
        nsc_real sum = b->position.x + b->position.y + b->position.z + b->velocity.x +
                       b->velocity.y + b->velocity.z + b->orientation.w + b->orientation.x +
                       b->angular_velocity.x + b->angular_velocity.y;
        if (sum - sum != 0)
            return 0;
    }
    return 1;
}

/* Some steps: 1, or what went wrong */
static int models_steps(int n, const char *what)
{
    int i, code = 0;
    for (i = 0; i < 8 && code >= 0; i++) {
        code = nsc_world_step(&models_world, NSC_R(0.002));
        if (code >= 0 && !models_finite()) {
            printf("%d nan\\n", n);
            return 0;
        }
    }
    if (code < 0)
        printf("%d %s %d\\n", n, what, code);
    return code >= 0;
}
"""
ROBOT_PROGRAM = HEAD + """
static nsc_id models_body[64], models_joint[64];
static void models_robot(int n, const nsc_robot *r)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_pose base = nsc_default_body_def().pose;
    nsc_real value[4];
    int code, i, k;
    if (r->links > 64 || r->joints > 64 || r->shapes > 96)
        return; /* not counted as stepped */
    nsc_world_init(&models_world, &def);
    code = nsc_world_set_hulls(&models_world, r->hull, r->hulls);
    if (code >= 0)
        code = nsc_robot_add(&models_world, r, base, models_body, models_joint);
    if (code == NSC_ERR_CAPACITY)
        return;
    if (code < 0)
        printf("%d refused %d %s\\n", n, code, nsc_world_last_refusal(&models_world).field);
    else if (models_steps(n, "step"))
        printf("%d stepped\\n", n);
    for (i = 0; i < r->states && code >= 0; i++) {
        code = nsc_robot_set_state(&models_world, r, base, i, models_body, models_joint);
        if (code < 0)
            printf("%d state refused %d %s\\n", n, code, nsc_world_last_refusal(&models_world).field);
        else if (!models_steps(n, "step from a state"))
            return;
    }
    for (i = 0; i < r->sensors && code >= 0; i++) {
        code = nsc_robot_read(&models_world, r, models_body, models_joint, i, value);
        if (code < 1 || code > 4)
            printf("%d sensor refused %d\\n", n, code);
        for (k = 0; k < code; k++)
            if (value[k] - value[k] != 0)
                printf("%d sensor not finite\\n", n);
    }
}
#define TRY(n, table) models_robot(n, &table)
"""
MESH_PROGRAM = HEAD + """
static void models_mesh(int n, const nsc_mesh *mesh)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def shape = nsc_default_mesh_def(), ball = nsc_default_sphere_def(NSC_R(0.3));
    nsc_body_def body = nsc_default_body_def();
    const nsc_mesh *table[1];
    nsc_id id;
    int code;
    table[0] = mesh;
    nsc_world_init(&models_world, &def);
    code = nsc_world_set_meshes(&models_world, table, 1);
    if (code >= 0)
        code = (int)nsc_world_add_mesh(&models_world, NSC_GROUND, &shape, 0);
    if (code < 0) {
        printf("%d refused %d %s\\n", n, code, nsc_world_last_refusal(&models_world).field);
        return;
    }
    body.pose.position.x = mesh->vertex[0].x, body.pose.position.y = mesh->vertex[0].y;
    body.pose.position.z = mesh->vertex[0].z;
    id = nsc_world_add_body(&models_world, &body);
    nsc_world_add_shape(&models_world, id, &ball);
    if (models_steps(n, "step"))
        printf("%d stepped\\n", n);
}
#define TRY(n, table) models_mesh(n, &table)
"""


# ---- tables through the C compiler

def found(name):
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.access(os.path.join(folder, name), os.X_OK):
            return name
    return None


REALS = ("-DNSC_FLOAT", "-DNSC_DOUBLE")


class Compiler:
    def __init__(self, cc, folder):
        read = ["-c", "-o", os.devnull] if "tcc" in cc else ["-fsyntax-only"]
        self.strict = cc.split() + read + ["-std=c99", "-Wall", "-Wextra", "-pedantic",
                                    "-Werror", "-Wno-unused", "-I" + ROOT, "-I" + ROOT + "/examples/kit"]
        fast = found("tcc")
        self.build = ([fast] if fast else cc.split() + ["-O0"]) + ["-std=c99", "-DRUN", "-I" + ROOT,
                                                                              "-I" + ROOT + "/examples/kit"]
        self.folder = folder
        self.stepped = set()              # (number of a table, precision)

    def source(self, tool, tables):
        """Each table at the outermost level, as in a program; of equal names all but the first in a
        function of their own"""
        names, inner = set(), []
        parts = [tool.program]
        for n, text in tables:
            name = re.findall(r"^static const nsc_(?:robot|mesh) (\w+) = ", text, re.M)
            name = name[-1] if name else "none"
            place = os.path.join(self.folder, "table_%d.h" % n)
            with open(place, "w", encoding="utf-8", errors="surrogateescape") as f:
                f.write(text)
            line = '#include "%s"\n' % place
            if name not in names:
                names.add(name)
                parts.append(line)
                line = ""
            inner.append('static void models_%d(void) {\n%s    puts("%d begins");\n    fflush(stdout);\n'
                         '    TRY(%d, %s);\n}\n' % (n, line, n, n, name))
        parts += inner
        parts.append("int main(void) {\n%s    return 0;\n}\n" % "".join("    models_%d();\n" % n for n, _ in tables))
        path = os.path.join(self.folder, "tables.c")
        with open(path, "w") as f:
            f.write("".join(parts))
        return path

    def faults(self, tool, tables, run=True):
        """{number of a table: what is wrong with it}"""
        out = {}
        self.stepped.clear()
        for n, text in tables:
            bare = re.sub(r'/\*.*?\*/|"(\\.|[^"\\\n])*"', "", text, flags=re.S)
            if re.search(r"\bevil\b", bare) or "*/" in bare or '"' in bare:
                out[n] = "text of the model became code"
        tables = [t for t in tables if t[0] not in out]
        for real in REALS:
            tables = [t for t in tables if t[0] not in out]
            if tables:
                self.one(tool, tables, real, run, out)
        return out

    def one(self, tool, tables, real, run, out):
        path = self.source(tool, tables)
        p = subprocess.run(self.strict + [real, path], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        text = p.stderr.decode("utf-8", "replace")
        if p.returncode != 0:
            bad = set(int(n) for n in re.findall(r"table_(\d+)\.h:\d+:\d+: (?:error|fatal)", text)) or \
                set(int(n) for n in re.findall(r"table_(\d+)\.h", text))
            if not bad and len(tables) > 1:
                half = len(tables) // 2
                self.one(tool, tables[:half], real, run, out)
                self.one(tool, tables[half:], real, run, out)
                return
            if not bad:
                bad = set(n for n, _ in tables)
            first = re.search(r"error: (.*)", text)
            for n in bad:
                mine = re.search(r"table_%d\.h:\d+:\d+: error: (.*)" % n, text) or first
                why = re.sub("['\u2018\"][^'\u2019\"]*['\u2019\"]", "?", mine.group(1) if mine else "?")
                out[n] = "does not compile: " + re.sub(r"\d+", "N", why)
            rest = [t for t in tables if t[0] not in bad]
            if rest:
                self.one(tool, rest, real, run, out)
            return
        if not run:
            return
        program = os.path.join(self.folder, "tables")
        p = subprocess.run(self.build + [real, path, "-o", program, "-lm"], stderr=subprocess.PIPE)
        if p.returncode != 0:
            raise SystemExit("models.py: %s" % p.stderr.decode("utf-8", "replace")[:2000])
        printed = os.path.join(self.folder, "tables.txt")
        limit = 20 + len(tables), 300
        with open(printed, "wb") as f:
            code = subprocess.run([program], stdout=f, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CPU, limit)).returncode
        if code == -signal.SIGXCPU:
            with open(printed) as f:
                bad = int(re.findall(r"^(\d+) begins$", f.read(), re.M)[-1])
            out[bad] = "its steps take more than 20 s of CPU"
            rest = [t for t in tables if t[0] != bad]
            if rest:
                self.one(tool, rest, real, run, out)
            return
        if code != 0:
            if len(tables) == 1:
                out[tables[0][0]] = "the program ended with %d" % code
                return
            half = len(tables) // 2
            self.one(tool, tables[:half], real, run, out)
            self.one(tool, tables[half:], real, run, out)
            return
        with open(printed) as f:
            for line in f:
                n, what = line.rstrip("\n").split(" ", 1)
                if what == "stepped":
                    self.stepped.add((int(n), real))
                elif what != "begins":
                    out.setdefault(int(n), "nsc: " + what)


# ---- the loop

def cost(model):
    return len(model.data()) + 20 * len(model.options)


class Fuzzer:
    def __init__(self, target, cc, run):
        self.target = target
        if target == "robots":
            self.tool = Tool("robot.py", robot_model, ROBOT_PROGRAM)
            self.tool.module_names = ROBOT_NAMES
        else:
            self.tool = Tool("mesh.py", mesh_model, MESH_PROGRAM)
            self.tool.module_names = MESH_NAMES
        self.folder = os.path.join(OUT, "%s_%d" % (target, os.getpid()))
        write_files(self.folder)
        self.compiler = Compiler(cc, self.folder)
        self.run = run
        self.tables = []
        self.counts = dict.fromkeys(("tables", "stepped", "refused", "failed"), 0)
        self.seen = {}                    # failures of each kind

    def case(self, seed, n, given=None):
        """A model, whether it is whole, and the draws that it was made by"""
        rng = Draws("%s %d %d" % (self.target, seed, n))
        rng.given = given
        return self.tool.model(rng) + (rng.kept,)

    def look(self, model, whole):
        """(fault or None, table or None)"""
        code, out, err = self.tool.run(self.folder, model.data(), model.ending, model.options)
        return self.tool.judge(code, out, err, model.options, whole), out if code == 0 else None, err

    def fault_of(self, model, whole):
        fault, table, _ = self.look(model, whole)
        if fault is None and table is not None:
            fault = self.compiler.faults(self.tool, [(0, table)], self.run).get(0)
        return fault

    def small(self, model, whole, fault):
        end = time.time() + PATIENCE
        again = True
        while again:
            again = False
            for other in model.smaller():
                if time.time() > end:
                    return model
                if self.fault_of(other, whole) == fault:
                    model, again = other, True
                    break
        return model

    def small_whole(self, seed, n, fault):
        """With fewer draws: what draws make of themselves stays whole"""
        end = time.time() + PATIENCE
        model, _, kept = self.case(seed, n)
        again = True
        while again:
            again = False
            size = len(kept)
            while size > 0:
                at = 0
                while at < len(kept):
                    for given in (kept[:at] + kept[at + size:], kept[:at] + [None] * size + kept[at + size:]):
                        if time.time() > end:
                            return model
                        other, whole, drawn = self.case(seed, n, given)
                        if whole and cost(other) < cost(model) and self.fault_of(other, whole) == fault:
                            model, kept, again = other, drawn, True
                            break
                    else:
                        at += size
                size //= 2
        return model

    def tell(self, seed, n, fault):
        self.counts["failed"] += 1
        self.seen[fault] = self.seen.get(fault, 0) + 1
        if self.seen[fault] > 1:
            return
        model, whole, _ = self.case(seed, n)
        model = self.small_whole(seed, n, fault) if whole else self.small(model, whole, fault)
        path = os.path.join(OUT, "found", "%s_%d_%d%s" % (self.target, seed, n, model.ending))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(model.data())
        print("FAILED: %s: seed %d, case %d: %s" % (self.tool.name, seed, n, fault))
        print("    %s %s" % (" ".join(map(repr, model.options)), os.path.relpath(path, ROOT)))
        err = self.look(model, whole)[2].strip().splitlines()
        if err:
            print("    %s" % err[-1][:300])
        sys.stdout.flush()

    def flush(self, seed):
        faults = self.compiler.faults(self.tool, self.tables, self.run) if self.tables else {}
        for n, _ in self.tables:
            both = [(n, real) in self.compiler.stepped for real in REALS]
            self.counts["stepped"] += all(both)
        self.tables = []
        for n, fault in sorted(faults.items()):
            self.tell(seed, n, fault)

    def go(self, seed, begin, cases, seconds):
        end = time.time() + seconds if seconds else None
        n = begin
        while (n < begin + cases) if end is None else time.time() < end:
            model, whole, _ = self.case(seed, n)
            fault, table, _ = self.look(model, whole)
            if fault:
                self.tell(seed, n, fault)
            elif table is None:
                self.counts["refused"] += 1
            else:
                self.counts["tables"] += 1
                self.tables.append((n, table))
            if len(self.tables) >= BATCH:
                self.flush(seed)
            n += 1
        self.flush(seed)
        shutil.rmtree(self.folder)
        for fault, count in sorted(self.seen.items()):
            if count > 1:
                print("    %d x %s" % (count, fault))
        print("%s: seed %d, %d models: %d tables, %d stepped, %d refused" % (
            self.target, seed, n - begin, self.counts["tables"], self.counts["stepped"], self.counts["refused"]))
        # both must happen, or nothing was tried
        empty = n == begin or not self.counts["tables"] or (not self.counts["refused"] and cases > 50)
        if self.run and self.counts["stepped"] + 1 < 0.9 * self.counts["tables"]:
            print("FAILED: of ten tables less than nine were stepped: the others do not fit into the world, or fail")
            empty = True
        return self.counts["failed"] + (1 if empty else 0), n - begin


def main():
    p = argparse.ArgumentParser()
    p.add_argument("target", choices=["robots", "meshes"])
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--cases", type=int, default=500)
    p.add_argument("--begin", type=int, default=0, help="the first case")
    p.add_argument("--seconds", type=float, default=0, help="instead of --cases")
    p.add_argument("--cc", default=os.environ.get("CC", "cc"))
    p.add_argument("--no-run", action="store_true", help="compile the tables, but run no steps")
    options = p.parse_args()
    sys.setrecursionlimit(20000)          # for models that are nested deeply
    fuzzer = Fuzzer(options.target, options.cc, not options.no_run)
    failed, n = fuzzer.go(options.seed, options.begin, options.cases, options.seconds)
    print("fuzz of %s: %d passed, %d failed, 0 skipped" % (options.target, max(n - failed, 0), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
