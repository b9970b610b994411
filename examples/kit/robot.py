#!/usr/bin/env python3
"""robot.py - a URDF or MJCF file as a const C table for nsc_robot.h

    python3 robot.py dog.urdf > dog.h            python3 robot.py arm.xml > arm.h

Needs Python 3.7 or later, and nothing else.  What it leaves out and what it repairs is named on
stderr and in the table's comment.  A file of which no sound table can be made gives none, one line
that names the file, the element and the value, and exit code 1.  MIT licence, in full at the end of
nsc.h.

What is taken
    both    links or bodies with mass, centre and inertia; joints with limits, damping, friction;
            boxes, spheres, cylinders, capsules; meshes (STL, OBJ) as convex hulls
    URDF    bounds of effort and velocity; mimic, where both joints hang on one link; gazebo's mu1.
            Links that a joint connects do not collide.  Links behind fixed joints become part of
            their parent.  A root link called world is the ground; one without mass does not move
    MJCF    default classes, compiler options, frames, includes; masses of geoms; fromto; planes,
            ellipsoids; primitives fitted to a mesh; armature, springs, ref; actuators: motor,
            position, velocity, and what of general is one of these; contype and conaffinity;
            equality: connect, weld, and joint where both hang on one body; sites; keyframes;
            sensors of joints and actuators, and framepos, framequat, framelinvel, frameangvel,
            velocimeter, gyro, accelerometer, force, torque of sites and bodies

Several joints on one body are one joint of nsc where they are one: two slides and a hinge across
them PLANAR, two hinges across each other UNIVERSAL, a slide and a hinge along one line CYLINDRICAL,
three free hinges through one point BALL.  Between others small links are put, which weigh 0.09 % of
the body together.  A gear between sliders side by side, or hinges on one axis, on a link that moves
is a wheel on that link, which weighs a thousandth of the lighter of the two, and turns half of
their armatures.  With either step by TREE with nsc_newton.h before it, by NEWTON or AUTO: sweeps
are slow on such mass ratios, but for wheels with armature.

Limits: 50 000 links in a file; in a table 16 382 links, 5000 joints, 16 383 shapes, as worlds have;
30 MB of XML, 100 MB of a mesh, 200 elements within each other.  20 000 links take about 2 s, a mesh
of 100 000 points 1 s.

Conventions of the table: the axis of a joint is z of its frames; positions count as in the file.
Numbers have the digits that a double needs."""
import argparse
import contextlib
import math
import os
import re
import struct
import sys
import xml.etree.ElementTree as ET

INF = float("inf")
GREATEST = 1e18      # of a number in a file
LONGEST = 1e9        # of what is printed as a length [m]
LEAST = 1e-9         # size of a shape [m]
LIGHTEST, HEAVIEST = 1e-14, 1e9   # mass of a link [kg]
DEEPEST = 200        # elements within each other
MOST_READ = 50000    # links in a file
MOST_BYTES = 100000000   # of a mesh
MOST_TEXT = 30000000     # of an XML file [bytes]
# Of a table: what NSC_MAX_BODIES, NSC_MAX_JOINTS and NSC_MAX_SHAPES of nsc.h may be
MOST_LINKS, MOST_JOINTS, MOST_SHAPES = 16382, 5000, 16383
HELPERS = 0.0009     # of a body's mass: what all links put between its joints get together

# What no table may be called: words of C and C++, and functions of their libraries
TAKEN = set("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t
    char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval
    constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit
    export extern false final float for friend goto if import inline int linux long main module
    mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected
    public register reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid
    typename typeof union unix unsigned using virtual void volatile wchar_t while xor xor_eq NULL
    abort abs acos acosh asin asinh atan atan2 atanh atof atoi bsearch calloc cbrt ceil clock
    copysign cos cosh div erf erfc errno exit exp exp2 expm1 fabs fdim floor fma fmax fmin fmod free
    frexp gamma getenv hypot ilogb index j0 j1 jn labs ldexp lgamma llrint llround log log10 log1p
    log2 logb lrint lround malloc memcmp memcpy memmove memset modf nan nearbyint nextafter
    nexttoward pow printf puts qsort raise rand read realloc remainder remove remquo rename rindex
    rint round scalb scalbln scalbn signal significand sin sinh sqrt srand stderr stdin stdout
    strcat strchr strcmp strcpy strlen strstr system tan tanh tgamma time tmpfile trunc write y0 y1
    yn""".split())


class Bad(Exception):
    """The file cannot become a table"""

    placed = False


@contextlib.contextmanager
def reading(what, name=None):
    """What is refused within is of this element, unless one within it has said so"""
    try:
        yield
    except Bad as e:
        if e.placed:
            raise
        e = Bad("%s: %s" % (what if name is None else "%s %s" % (what, name), e))
        e.placed = True
        raise e


def plain(text):
    """In printable ASCII"""
    return "".join(c if 32 <= ord(c) < 127 else c.encode("unicode_escape").decode() for c in text)


# ---- vectors, rotation matrices (rows), poses (rotation, position)

ONE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
HERE = (ONE, (0.0, 0.0, 0.0))


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def scaled(s, a):
    return tuple(s * x for x in a)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    n = norm(a)
    if not n > 0 or n == INF:
        raise Bad("a direction of length %g" % n)
    return scaled(1 / n, a)


def turned(m, a):
    return (dot(m[0], a), dot(m[1], a), dot(m[2], a))


def transposed(m):
    return tuple(zip(*m))


def times(m, n):
    columns = transposed(n)
    return tuple(tuple(dot(row, c) for c in columns) for row in m)


def pose_times(p, q):
    return (times(p[0], q[0]), add(p[1], turned(p[0], q[1])))


def pose_inverse(p):
    back = transposed(p[0])
    return (back, scaled(-1, turned(back, p[1])))


def from_columns(x, y, z):
    return transposed((x, y, z))


def about(axis, angle):
    x, y, z = unit(axis)
    c, s = math.cos(angle), math.sin(angle)
    d = 1 - c
    return ((c + d * x * x, d * x * y - s * z, d * x * z + s * y),
            (d * x * y + s * z, c + d * y * y, d * y * z - s * x),
            (d * x * z - s * y, d * y * z + s * x, c + d * z * z))


def from_rpy(r, p, y):
    return times(times(about((0, 0, 1), y), about((0, 1, 0), p)), about((1, 0, 0), r))


def from_quat(q):
    n = math.sqrt(sum(x * x for x in q))
    if not n > 0:
        raise Bad("a quaternion of length 0")
    w, x, y, z = (v / n for v in q)
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def to_quat(m):
    """Unit quaternion w x y z; of its two signs that whose first part that is not 0 is positive"""
    t = m[0][0] + m[1][1] + m[2][2]
    squares = [1 + t] + [1 + 2 * m[i][i] - t for i in range(3)]
    k = squares.index(max(squares))
    if k == 0:
        q = [squares[0], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    else:
        i, j, n = k - 1, k % 3, (k + 1) % 3
        q = [m[n][j] - m[j][n], 0.0, 0.0, 0.0]
        q[1 + i] = squares[k]
        q[1 + j] = m[j][i] + m[i][j]
        q[1 + n] = m[n][i] + m[i][n]
    length = math.sqrt(sum(x * x for x in q))
    q = [0.0 if abs(x / length) < 1e-12 else x / length for x in q]
    first = [x for x in q if x != 0][0]
    return [x if first > 0 else 0.0 - x for x in q]


def to_axis(axis):
    """The least rotation that takes z to the axis"""
    z = unit(axis)
    x = cross((0.0, 0.0, 1.0), z)
    s = norm(x)
    if s < 1e-12:
        return ONE if z[2] > 0 else ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    return about(x, math.atan2(s, z[2]))


# ---- inertia: symmetric matrices about the centre of mass

ZERO3 = ((0.0, 0.0, 0.0),) * 3


def plus3(a, b):
    return tuple(add(x, y) for x, y in zip(a, b))


def scaled3(s, a):
    return tuple(scaled(s, x) for x in a)


def diagonal(a, b, c):
    return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))


def rotated(m, inertia):
    return times(times(m, inertia), transposed(m))


def steiner(mass, arm):
    """Inertia of a point mass at the end of an arm"""
    s = dot(arm, arm)
    return tuple(tuple(mass * ((s if i == j else 0.0) - arm[i] * arm[j]) for j in range(3))
                 for i in range(3))


def together(parts):
    """Mass, centre and inertia of several (mass, centre, inertia)"""
    parts = [p for p in parts if p[0] > 0]
    mass = sum(p[0] for p in parts)
    if not parts:
        return (0.0, (0.0, 0.0, 0.0), ZERO3)
    if len(parts) == 1:
        return parts[0]
    centre = (0.0, 0.0, 0.0)
    inertia = ZERO3
    for m, c, _ in parts:
        centre = add(centre, scaled(m / mass, c))
    for m, c, i in parts:
        inertia = plus3(inertia, plus3(i, steiner(m, sub(c, centre))))
    return (mass, centre, inertia)


def moved(pose, body):
    """Mass, centre and inertia seen from an outer frame"""
    mass, centre, inertia = body
    return (mass, add(pose[1], turned(pose[0], centre)), rotated(pose[0], inertia))


def principal(inertia):
    """Principal moments, ascending, each with its axis, by rotations of Jacobi"""
    a = [list(row) for row in inertia]
    axes = ONE                            # columns
    for _ in range(60):
        i, j = max(((0, 1), (0, 2), (1, 2)), key=lambda k: abs(a[k[0]][k[1]]))
        if a[i][j] == 0 or abs(a[i][j]) <= 1e-17 * abs(a[i][i] + a[j][j]):
            break
        h = (a[j][j] - a[i][i]) / (2 * a[i][j])
        t = (1.0 if h >= 0 else -1.0) / (abs(h) + math.sqrt(h * h + 1))
        c = 1 / math.sqrt(t * t + 1)
        r = [list(row) for row in ONE]
        r[i][i] = r[j][j] = c
        r[i][j] = t * c
        r[j][i] = -t * c
        a = [list(row) for row in times(times(transposed(r), a), r)]
        axes = times(axes, r)
    return sorted((a[k][k], transposed(axes)[k]) for k in range(3))


def moments(inertia):
    return [moment for moment, _ in principal(inertia)]


def box_of(body):
    """Half sizes of the solid box of this mass and inertia, and its pose: z along the longest"""
    mass, centre, inertia = body
    (least, z), (middle, y), (most, x) = principal(inertia)
    half = [math.sqrt(max(0.0, 1.5 * s / mass)) for s in (least + middle - most,
                                                          least + most - middle,
                                                          middle + most - least)]
    return half, (from_columns(cross(y, z), y, z), centre)


# ---- what both readers fill

class Link:
    def __init__(self, name, pose):
        self.name = name
        self.pose = pose                  # in the robot's frame
        self.kind = "NSC_DYNAMIC_BODY"
        self.body = (0.0, (0.0, 0.0, 0.0), ZERO3)
        self.shapes = []
        self.frames = []                  # (name, pose in the link)
        self.joint = None                 # that it hangs on
        self.wheel = None                 # one that couples two joints: (their link, joint, ratio)


class Joint:
    def __init__(self, name, kind, parent, child, pose):
        self.name = name
        self.kind = kind                  # HINGE, SLIDER, BALL ..., GEAR, or AXIS
        # links, parent None: ground; GEAR: joints; AXIS: a joint, and which of its axes this is
        self.parent, self.child = parent, child
        self.pose = pose                  # in the robot's frame, axis along z
        self.parent_pose = None           # of the same on the parent, where it differs
        self.moves = {"HINGE": "turn", "SLIDER": "slide"}.get(kind)   # the axis of this entry
        self.screw = pose                 # where that axis is: along z
        self.hung = child                 # the link that it moves
        self.collide = 0
        self.ref = 0.0                    # its position there
        self.lower = self.upper = None
        self.effort = self.speed = 0.0
        self.armature = self.friction = self.damping = self.spring = self.rest = 0.0
        self.drive = "NSC_DRIVE_NONE"
        self.driven = False               # by an actuator that is read later
        self.stiffness = self.gain = 0.0
        self.ratio = 1.0

    def joins_links(self):
        return self.kind not in ("GEAR", "AXIS")


class Shape:
    def __init__(self, kind, pose, half=(0.0, 0.0, 0.0), radius=0.0):
        self.kind = kind
        self.pose = pose
        self.half = half
        self.radius = radius
        self.friction = None
        self.group = (1, 1)               # contype, conaffinity
        self.hull = None                  # index

    def is_point(self):
        return self.hull is None and self.radius == 0 and not any(self.half)


class Model:
    def __init__(self, options):
        self.name = "robot"
        self.options = options
        self.links, self.joints = [], []
        self.world = None                 # MJCF: the link that worldbody is
        self.bodies = []                  # MJCF: all, in the file's order
        self.states, self.sensors = [], []
        self.merged = {}                  # link: (the one it became a part of, its pose there)
        self.hulls = []                   # (name, vertices, faces, note)
        self.hull_at = {}
        self.fixed_base = 0
        self.left, self.repairs, self.noticed = {}, {}, {}

    def leave(self, what, where=None):
        self.left.setdefault(what, []).append(where)

    def repair(self, what, where=None):
        self.repairs.setdefault(what, []).append(where)

    def notice(self, what):
        self.noticed.setdefault(what, []).append(None)


def listed(notes):
    out = []
    for what, places in notes.items():
        names = []
        for p in places:
            if p is not None and p not in names:
                names.append(p)
        count = "%d x " % len(places) if len(places) > 1 else ""
        if names:
            shown = ", ".join(names[:8])
            rest = " and %d more" % (len(names) - 8) if len(names) > 8 else ""
            out.append("%s%s: %s%s" % (count, what, shown, rest))
        else:
            out.append(count + what)
    return out


# ---- numbers in files

DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def numbers(text, count=None, what=""):
    """The numbers in a text: so many, or at least one"""
    words = text.split()
    brief = text if len(text) < 60 else text[:60] + "..."
    if any(NOT_FINITE.fullmatch(x) for x in words):
        raise Bad("%s: %r is not finite" % (what, brief))
    if not all(DECIMAL.fullmatch(x) for x in words):
        raise Bad("%s: %r is not a list of numbers" % (what, brief))
    out = [float(x) for x in words]
    if any(abs(x) > GREATEST for x in out):
        raise Bad("%s: %r is beyond %g" % (what, brief, GREATEST))
    if len(out) != (max(len(out), 1) if count is None else count):
        raise Bad("%s: %r should be %s" % (what, brief, "numbers" if count is None else
                                           "%d number%s" % (count, "s" if count > 1 else "")))
    return out


def number(element, key, otherwise=0.0):
    text = element.get(key) if element is not None else None
    return otherwise if text is None else numbers(text, 1, "%s of <%s>" % (key, element.tag))[0]


def integer(text, what):
    x = numbers(text, 1, what)[0]
    if x != int(x) or abs(x) > 0xffffffff:
        raise Bad("%s: %s is not an integer of 32 bits" % (what, text))
    return int(x)


def parse(path):
    """The root of an XML file"""
    data = read_bytes(path, MOST_TEXT, "XML: " + path)
    try:
        root = ET.fromstring(data.lstrip(b" \t\r\n"))   # blank lines before <?xml are common
    except (ET.ParseError, ValueError, LookupError) as e:
        raise Bad("XML: %s" % e)
    space = root.tag[:root.tag.rfind("}") + 1]
    if space:                             # xmlns="...", as drake's files have it
        for e in root.iter():
            if isinstance(e.tag, str) and e.tag.startswith(space):
                e.tag = e.tag[len(space):]
    level, depth = [root], 0
    while level:
        depth += 1
        level = [inner for e in level for inner in e]
    if depth > DEEPEST:
        raise Bad("XML: %d elements within each other, at most %d are read" % (depth, DEEPEST))
    return root


# ---- meshes

def read_bytes(path, most, what):
    """A file that is one, and not larger than so many bytes"""
    if not os.path.isfile(path):
        raise Bad("%s is no file" % what)
    if os.path.getsize(path) > most:
        raise Bad("%s: %d bytes, at most %d are read" % (what, os.path.getsize(path), most))
    with open(path, "rb") as f:
        return f.read()


def read_mesh(path):
    """Points and triangles (indices) of an STL or OBJ file"""
    data = read_bytes(path, MOST_BYTES, "mesh " + path)
    if path.lower().endswith(".obj"):
        return read_obj(data.decode("utf-8", "replace"), path)
    if path.lower().endswith(".stl"):
        if len(data) >= 84 and len(data) == 84 + 50 * struct.unpack_from("<I", data, 80)[0]:
            corners = []
            for x in struct.iter_unpack("<12x9f2x", data[84:]):
                corners += [x[0:3], x[3:6], x[6:9]]
        elif data.lstrip()[:5].lower() == b"solid":
            corners = [tuple(numbers(" ".join(line.split()[1:]), 3, "mesh " + path))
                       for line in data.decode("utf-8", "replace").splitlines()
                       if line.split()[:1] == ["vertex"]]
        else:
            raise Bad("mesh %s: neither a binary nor an ascii STL" % path)
        index = dict((c, i) for i, c in enumerate(dict.fromkeys(corners)))
        points = list(index)
        flat = [index[c] for c in corners]
        if len(flat) % 3 or not all(-INF < x < INF for p in points for x in p):
            raise Bad("mesh %s: damaged" % path)
        return points, [tuple(flat[i:i + 3]) for i in range(0, len(flat), 3)]
    return None


def read_obj(text, path):
    points, triangles = [], []
    for line in text.splitlines():
        word = line.split()
        if word[:1] == ["v"]:
            points.append(tuple(numbers(" ".join(word[1:4]), 3, "mesh " + path)))
        elif word[:1] == ["f"]:
            loop = []
            for w in word[1:]:
                i = integer(w.split("/")[0], "face of mesh " + path)
                loop.append(i - 1 if i > 0 else len(points) + i)
            if any(i < 0 or i >= len(points) for i in loop):
                raise Bad("mesh %s: a face of points that are not there" % path)
            triangles += [(loop[0], loop[k], loop[k + 1]) for k in range(1, len(loop) - 1)]
    return points, triangles


def volume_of(points, triangles):
    """(volume, centre, inertia at density 1) inside the triangles"""
    ox, oy, oz = points[0]
    sums = [0.0] * 10                     # volume; x y z; xx yy zz xy xz yz
    for i, j, k in triangles:
        ax, ay, az = points[i]
        bx, by, bz = points[j]
        cx, cy, cz = points[k]
        ax, ay, az = ax - ox, ay - oy, az - oz
        bx, by, bz = bx - ox, by - oy, bz - oz
        cx, cy, cz = cx - ox, cy - oy, cz - oz
        v = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        x, y, z = ax + bx + cx, ay + by + cy, az + bz + cz
        sums[0] += v
        sums[1] += v * x
        sums[2] += v * y
        sums[3] += v * z
        sums[4] += v * (x * x + ax * ax + bx * bx + cx * cx)
        sums[5] += v * (y * y + ay * ay + by * by + cy * cy)
        sums[6] += v * (z * z + az * az + bz * bz + cz * cz)
        sums[7] += v * (x * y + ax * ay + bx * by + cx * cy)
        sums[8] += v * (x * z + ax * az + bx * bz + cx * cz)
        sums[9] += v * (y * z + ay * az + by * bz + cy * cz)
    turned_out = -1.0 if sums[0] < 0 else 1.0
    volume = turned_out * sums[0] / 6
    if not volume > 0:
        return None
    centre = tuple(turned_out * x / 24 / volume for x in sums[1:4])
    xx, yy, zz, xy, xz, yz = (turned_out * x / 120 for x in sums[4:])
    inertia = ((yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy))
    inertia = plus3(inertia, scaled3(-1, steiner(volume, centre)))
    return volume, add(centre, points[0]), inertia


# ---- hulls: the same steps and tolerances as nsc_hull.h, which says how they go

OUTER, PLANE, FLAT, LEVEL = 1e-4, 2e-4, 1e-3, 1e-9   # in units of the cloud's size
NOWHERE = (0.0, None)
PORTION = 20000      # points that are looked at together
MANY, CELLS = 6000, 48   # of so many points only the furthest in each direction can be a corner


def outermost(points):
    """Of the points in each of 6 x 48 x 48 directions from the middle the furthest one.  A hull of
    these is within 1e-4 of that of all: a cell is a fortieth wide, and the square counts"""
    low = [min(column) for column in zip(*points)]
    high = [max(column) for column in zip(*points)]
    mx, my, mz = (0.5 * (h + l) for h, l in zip(high, low))
    sx, sy, sz = (2 / (h - l) if h > l else 0.0 for h, l in zip(high, low))
    half = CELLS / 2
    best = {}
    for i, (x, y, z) in enumerate(points):
        x, y, z = sx * (x - mx), sy * (y - my), sz * (z - mz)
        far = x * x + y * y + z * z
        ax, ay, az = abs(x), abs(y), abs(z)
        if ax >= ay and ax >= az:
            side, u, v, w = (0 if x > 0 else 1), y, z, ax
        elif ay >= az:
            side, u, v, w = (2 if y > 0 else 3), x, z, ay
        else:
            side, u, v, w = (4 if z > 0 else 5), x, y, az
        if w == 0:
            continue
        cell = (side, int(half + half * u / w), int(half + half * v / w))
        kept = best.get(cell)
        if kept is None or far > kept[0]:
            best[cell] = (far, i)
    return [points[i] for i in sorted(i for _, i in best.values())]


class Hull:
    def __init__(self, points, corners, join=True):
        self.size = max(max(column) - min(column) for column in zip(*points)) if points else 0.0
        self.points = points
        self.corners = corners
        self.flat = True
        if not self.size > 0 or len(points) < 4:
            return
        x0, y0, z0 = points[0]
        unit_of = 1 / self.size
        self.p = [(unit_of * (x - x0), unit_of * (y - y0), unit_of * (z - z0))
                  for x, y, z in points]
        self.at = [None] * corners        # the point in each slot
        self.triangles = []               # [slots, normal, area, joined]
        self.edge = {}
        if not self.begin():
            return
        self.flat = False
        self.best = {}
        self.look(list(range(len(points))), self.triangles)
        while self.extend():
            pass
        self.faces = []
        if not join:                      # triangles are enough for its volume
            self.faces = [list(t[0]) for t in self.triangles]
            return
        self.join_all()
        for slot in range(corners):
            self.straighten(slot)

    def away(self, base):
        """Distance of every point from the point, line or plane through one, two or three"""
        a = base[0]
        if len(base) == 1:
            return [norm(sub(p, a)) for p in self.p]
        x = unit(sub(base[1], a))
        if len(base) == 2:
            return [norm(cross(x, sub(p, a))) for p in self.p]
        nx, ny, nz = unit(cross(x, sub(base[2], a)))
        d = dot((nx, ny, nz), a)
        return [abs(nx * px + ny * py + nz * pz - d) for px, py, pz in self.p]

    def begin(self):
        first = min(range(len(self.p)), key=lambda i: (self.points[i][0], i))
        chosen = [first]
        while len(chosen) < 4:
            away = self.away([self.p[i] for i in chosen])
            far = max(away)
            if not far >= FLAT:
                return False
            chosen.append(away.index(far))
        self.at[:4] = chosen
        a, b, c, d = (self.p[i] for i in chosen)
        up = dot(cross(sub(b, a), sub(c, a)), sub(d, a)) > 0
        b, c = (2, 1) if up else (1, 2)
        for t in ((0, b, c), (0, c, 3), (c, b, 3), (b, 0, 3)):
            self.add_triangle(*t)
        return True

    def add_triangle(self, i, j, k):
        a, b, c = (self.p[self.at[s]] for s in (i, j, k))
        n = cross(sub(b, a), sub(c, a))
        area = norm(n)
        n = scaled(1 / area, n) if area > 0 else (0.0, 0.0, 0.0)
        t = [(i, j, k), n, area, False, dot(n, a)]
        self.triangles.append(t)
        for e in ((i, j), (j, k), (k, i)):
            self.edge[e] = t
        return t

    def look(self, points, triangles):
        """Note for each point the triangle it is furthest outside of; drop those inside all"""
        for begin in range(0, len(points) if triangles else 0, PORTION):
            portion = points[begin:begin + PORTION]
            xyz = [self.p[i] for i in portion]
            rows = []
            for t in triangles:
                (a, b, c), d = t[1], t[4]
                rows.append([a * x + b * y + c * z - d for x, y, z in xyz])
            for i, outside in zip(portion, zip(*rows)):
                far = max(outside)
                if far > 0 and far > self.best.get(i, NOWHERE)[0]:
                    self.best[i] = (far, triangles[outside.index(far)])

    def extend(self):
        far, point, over = 0.0, -1, None
        for i, (s, t) in self.best.items():
            if s > far or (s == far and i < point):
                far, point, over = s, i, t
        if far <= OUTER:
            return False
        p = self.p[point]
        seen, stack = {id(over)}, [over]
        while stack:
            i, j, k = stack.pop()[0]
            for e in ((j, i), (k, j), (i, k)):
                t = self.edge[e]
                if id(t) not in seen and dot(t[1], p) - t[4] >= -LEVEL:
                    seen.add(id(t))
                    stack.append(t)
        after, total = {}, 0
        for t in self.triangles:
            if id(t) in seen:
                for n in range(3):
                    i, j = t[0][n], t[0][(n + 1) % 3]
                    if id(self.edge[(j, i)]) not in seen:
                        if i in after:
                            return False
                        after[i] = j
                        total += 1
        ring, slot = [], min(after) if after else 0
        while len(ring) < total:
            ring.append(slot)
            slot = after[slot]
            if slot == ring[0]:
                break
        kept = [t for t in self.triangles if id(t) not in seen]
        used = set(s for t in kept for s in t[0])
        free = [s for s in range(self.corners) if s not in used]
        if len(ring) != total or total < 3 or not free:
            return False
        gone = [t for t in self.triangles if id(t) in seen]
        for t in gone:
            for n in range(3):
                self.edge.pop((t[0][n], t[0][(n + 1) % 3]), None)
        self.triangles = kept
        for t in kept:
            for n in range(3):
                self.edge[(t[0][n], t[0][(n + 1) % 3])] = t
        for s in free:
            self.at[s] = None
        self.at[free[0]] = point
        fresh = [self.add_triangle(ring[n], ring[(n + 1) % total], free[0]) for n in range(total)]
        lost = [i for i, (_, t) in self.best.items() if id(t) in seen]
        stay = [i for i, (_, t) in self.best.items() if id(t) not in seen]
        for i in lost:
            del self.best[i]
        self.look(lost, self.triangles)
        self.look(stay, fresh)
        self.best.pop(point, None)
        return True

    def normal(self, loop):
        a = self.p[self.at[loop[0]]]
        n = (0.0, 0.0, 0.0)
        for i in range(2, len(loop)):
            n = add(n, cross(sub(self.p[self.at[loop[i - 1]]], a),
                             sub(self.p[self.at[loop[i]]], a)))
        s = norm(n)
        return scaled(1 / s, n) if s > 0 else n

    def right(self, n, a, b, c):
        a, b, c = (self.p[self.at[s]] for s in (a, b, c))
        y = sub(c, a)
        s = norm(y)
        return -dot(n, cross(scaled(1 / s, y) if s > 0 else y, sub(b, a)))

    def is_face(self, loop):
        n = self.normal(loop)
        first = self.p[self.at[loop[0]]]
        if any(i is not None and dot(n, sub(self.p[i], first)) > PLANE for i in self.at):
            return False
        m = len(loop)
        for k in range(m):
            if dot(n, sub(self.p[self.at[loop[k]]], first)) < -PLANE:
                return False
            if self.right(n, loop[k], loop[(k + 1) % m], loop[(k + 2) % m]) < -PLANE:
                return False
        return True

    def joined(self, t, loop, k):
        n = len(loop)
        after = (k + 1) % n
        tip = [s for s in t[0] if s not in (loop[k], loop[after])][0]
        wider = list(loop)
        if tip in loop:
            twin = loop.index(tip)
            drop = after if twin == (after + 1) % n else k
            if n == 3 or (drop == k and twin != (k + n - 1) % n):
                return None
            del wider[drop]
        else:
            wider.insert(k + 1, tip)
        return wider if self.is_face(wider) else None

    def join_all(self):
        for seed in sorted(self.triangles, key=lambda t: -t[2]):
            if seed[3]:
                continue
            loop, k = list(seed[0]), 0
            seed[3] = True
            while k < len(loop):
                t = self.edge[(loop[(k + 1) % len(loop)], loop[k])]
                wider = None if t[3] else self.joined(t, loop, k)
                if wider is None:
                    k += 1
                else:
                    t[3] = True
                    loop, k = wider, 0
            self.faces.append(loop)

    def straighten(self, slot):
        mine = [f for f in self.faces if slot in f]
        if len(mine) > 2:
            return
        for f in mine:
            i, n = f.index(slot), len(f)
            if n == 3 or self.right(self.normal(f), f[i - 1], slot, f[(i + 1) % n]) > PLANE:
                return
        for f in mine:
            f.remove(slot)

    def result(self, cloud):
        """Vertices, faces, and how far the furthest point of the cloud is outside"""
        used = sorted(set(s for f in self.faces for s in f), key=lambda s: self.at[s])
        number_of = dict((s, i) for i, s in enumerate(used))
        most = 0.0
        for f in self.faces:
            nx, ny, nz = self.normal(f)
            d = dot((nx, ny, nz), self.points[self.at[f[0]]])
            most = max(most, max([nx * x + ny * y + nz * z for x, y, z in cloud]) - d)
        return ([self.points[self.at[s]] for s in used],
                [[number_of[s] for s in f] for f in self.faces], most)


def hull_shape(model, key, name, points, pose):
    """A shape from points; equal meshes share one hull.  None: flat"""
    if key not in model.hull_at:
        if any(max(column) > LONGEST or min(column) < -LONGEST for column in zip(*points)):
            raise Bad("mesh %s: a coordinate beyond %g m" % (name, LONGEST))
        points = [(0.0 if abs(x) < 1e-12 else x, 0.0 if abs(y) < 1e-12 else y,
                   0.0 if abs(z) < 1e-12 else z) for x, y, z in dict.fromkeys(points)]
        hull = Hull(outermost(points) if len(points) > MANY else points, model.options.corners)
        model.hull_at[key] = -1
        if not hull.flat:
            vertices, faces, left = hull.result(points)
            edges = sum(len(f) for f in faces)
            if 2 * len(vertices) + 2 * len(faces) - edges != 4:
                raise Bad("mesh %s: its hull is not closed" % name)
            note = "%s: %d points by %d corners; the furthest is %.2g m outside" % (
                name, len(points), len(vertices), left)
            model.hull_at[key] = len(model.hulls)
            model.hulls.append((name, vertices, faces, note))
    if model.hull_at[key] < 0:
        return None
    shape = Shape("NSC_SHAPE_HULL", pose)
    shape.hull = model.hull_at[key]
    return shape


# ---- URDF

def origin_of(element):
    o = element.find("origin") if element is not None else None
    if o is None:
        return HERE
    rpy = numbers(o.get("rpy", "0 0 0"), 3, "rpy")
    return (from_rpy(*rpy), tuple(numbers(o.get("xyz", "0 0 0"), 3, "xyz")))


def urdf_file(name, folder, options):
    """The place of a mesh: package:// is looked for in --package, then upwards from the URDF"""
    for scheme in ("file://", "package://", "model://"):
        if name.startswith(scheme):
            break
    else:
        return os.path.join(folder, name)
    rest = name[len(scheme):]
    if scheme == "file://":
        return rest
    package, _, inner = rest.partition("/")
    for given in options.package:
        key, _, place = given.partition("=")
        if key == package:
            return os.path.join(place, inner)
    up = os.path.abspath(folder)
    while True:
        for place in (os.path.join(up, package, inner), os.path.join(up, inner)):
            if os.path.exists(place):
                return place
        if os.path.dirname(up) == up:
            return os.path.join(folder, inner)
        up = os.path.dirname(up)


def urdf_shape(model, collision, link_name, folder):
    pose = origin_of(collision)
    geometry = collision.find("geometry")
    kind = list(geometry)[0] if geometry is not None and len(geometry) else None
    if kind is None:
        return model.leave("collision without geometry", link_name)
    if kind.tag == "box":
        half = tuple(x / 2 for x in numbers(kind.get("size", ""), 3, "size of a box"))
        return Shape("NSC_SHAPE_BOX", pose, half)
    if kind.tag == "sphere":
        return Shape("NSC_SHAPE_SPHERE", pose, radius=number(kind, "radius"))
    if kind.tag in ("cylinder", "capsule"):
        return Shape("NSC_SHAPE_" + kind.tag.upper(), pose, (0.0, 0.0, number(kind, "length") / 2),
                     number(kind, "radius"))
    if kind.tag != "mesh":
        return model.leave("collision shape <%s>" % kind.tag, link_name)
    name = kind.get("filename", "")
    scale = tuple(numbers(kind.get("scale", "1 1 1"), 3, "scale"))
    path = urdf_file(name, folder, model.options)
    if not name or not os.path.exists(path):
        return model.leave("mesh whose file is not there", "%s (%s)" % (name, link_name))
    key = (path, scale)
    mesh = read_mesh(path) if key not in model.hull_at else ([], [])
    if mesh is None:
        return model.leave("mesh of a format that is not read", "%s (%s)" % (name, link_name))
    points = [tuple(s * x for s, x in zip(scale, p)) for p in mesh[0]]
    shape = hull_shape(model, key, os.path.basename(name), points, pose)
    if shape is None:
        model.leave("mesh that is flat", "%s (%s)" % (name, link_name))
    return shape


def read_urdf(model, root, path):
    options = model.options
    folder = os.path.dirname(path)
    if any("xacro" in e.tag for e in root.iter() if isinstance(e.tag, str)):
        raise Bad("xacro: expand it first (xacro file > robot.urdf)")
    elements = dict((e.get("name"), e) for e in root.findall("link"))
    joints = root.findall("joint")
    if not all(elements):
        raise Bad("a <link> has no name")
    if len(elements) != len(root.findall("link")):
        raise Bad("two links have the same name")
    children, parent_of = {}, {}
    for j in joints:
        ends = [j.find(tag).get("link") if j.find(tag) is not None else None
                for tag in ("parent", "child")]
        if ends[0] == "world" and "world" not in elements:
            elements["world"] = ET.Element("link", name="world")
        for name in ends:
            if name not in elements:
                raise Bad("joint %s: no link %s" % (j.get("name"), name))
        if ends[1] in parent_of:
            raise Bad("link %s hangs on two joints" % ends[1])
        parent_of[ends[1]] = j
        children.setdefault(ends[0], []).append((j, ends[1]))
    roots = [n for n in elements if n not in parent_of]
    if len(roots) != 1:
        raise Bad("%d root links: there should be one" % len(roots))

    friction = {}
    for g in root.findall("gazebo"):
        mu = g.find("mu1")
        if mu is not None and g.get("reference"):
            with reading("gazebo", g.get("reference")):
                text = mu.get("value", mu.text or "")
                friction[g.get("reference")] = numbers(text, 1, "mu1")[0]
    made = {}

    def make(name, pose):
        e = elements[name]
        link = made[name] = Link(name, pose)
        inertial = e.find("inertial")
        if inertial is not None:
            inner = origin_of(inertial)
            i = inertial.find("inertia")
            xx, yy, zz, xy, xz, yz = (number(i, k) for k in ("ixx", "iyy", "izz", "ixy", "ixz",
                                                             "iyz"))
            tensor = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
            mass = number(inertial.find("mass"), "value")
            if mass < 0:
                raise Bad("mass %g" % mass)
            if mass > 0:
                link.body = moved(inner, (mass, (0.0, 0.0, 0.0), tensor))
        for c in e.findall("collision"):
            shape = urdf_shape(model, c, name, folder)
            if shape is not None and shape.is_point():
                model.leave("collision shape of size 0", name)
            elif shape is not None:
                shape.friction = friction.get(name)
                link.shapes.append(shape)
        for _ in e.findall("visual"):
            model.leave("visual")
        model.links.append(link)
        return link

    todo = [(None, None, roots[0])]       # parent, joint, link: each before what hangs on it
    while todo:
        parent, j, name = todo.pop()
        pose = HERE
        if j is not None:
            with reading("joint", j.get("name") or name):
                pose = pose_times(parent.pose, origin_of(j))
        with reading("link", name):
            link = make(name, pose)
        if j is not None:
            with reading("joint", j.get("name") or name):
                urdf_joint(model, j, parent, link)
        todo += [(link, inner, child) for inner, child in reversed(children.get(name, []))]
    if len(made) != len(elements):
        raise Bad("joints make a loop of links " + ", ".join(n for n in elements if n not in made))
    order = dict((l, i) for i, l in enumerate(model.links))
    model.joints.sort(key=lambda j: order[j.child])
    urdf_mimic(model, joints)
    base = model.links[0]
    if base.name == "world" and not base.shapes:
        urdf_world(model, base)
    elif options.fixed_base or base.name == "world":
        model.fixed_base = 1
    for e in root:
        if isinstance(e.tag, str) and e.tag not in ("link", "joint", "material"):
            if e.tag == "gazebo" and e.find("mu1") is not None and len(e) == 1:
                continue
            model.leave("<%s>" % e.tag, e.get("name") or e.get("reference"))


def urdf_world(model, base):
    """A root link called world is the ground"""
    if base.body[0] > 0:
        model.leave("mass", base.name)
    model.links.remove(base)
    for j in list(model.joints):
        if j.parent is base:
            j.parent = None
            j.collide = 1
            if j.kind == "FIXED":
                j.child.kind = "NSC_STATIC_BODY"
                j.child.joint = None
                model.joints.remove(j)


def urdf_joint(model, e, parent, child):
    name, kind = e.get("name") or child.name, e.get("type")
    kinds = {"revolute": "HINGE", "continuous": "HINGE", "prismatic": "SLIDER", "fixed": "FIXED",
             "planar": "PLANAR", "ball": "BALL", "spherical": "BALL"}
    if kind == "floating":
        return model.leave("floating joint: the link moves freely", name)
    if kind not in kinds:
        raise Bad("type %s" % kind)
    axis = (1.0, 0.0, 0.0)
    if e.find("axis") is not None:
        axis = tuple(numbers(e.find("axis").get("xyz", "1 0 0"), 3, "axis"))
    frame = HERE
    if kinds[kind] in ("HINGE", "SLIDER", "PLANAR"):
        frame = (to_axis(axis), (0.0, 0.0, 0.0))
    joint = Joint(name, kinds[kind], parent, child, pose_times(child.pose, frame))
    child.joint = joint
    model.joints.append(joint)
    limit, dynamics = e.find("limit"), e.find("dynamics")
    if joint.kind in ("HINGE", "SLIDER"):
        if kind != "continuous" and limit is not None:
            joint.lower, joint.upper = number(limit, "lower"), number(limit, "upper")
        if kind == "revolute" and limit is None:
            model.notice("joint %s is revolute and has no <limit>: it turns without end" % name)
        if joint.kind == "HINGE" and joint.lower is not None:
            most = max(abs(joint.lower), abs(joint.upper))
            if most > 2 * math.pi:
                model.notice("joint %s: a limit of %g rad is more than a turn; are these degrees?"
                             % (name, most))
        if limit is not None:
            joint.effort, joint.speed = number(limit, "effort"), number(limit, "velocity")
            if joint.effort == 0:
                model.repair("effort 0 is taken as no bound", name)
            if joint.speed == 0:
                model.repair("velocity 0 is taken as no bound", name)
        joint.damping, joint.friction = number(dynamics, "damping"), number(dynamics, "friction")
    elif joint.kind != "FIXED" and (limit is not None or dynamics is not None):
        model.leave("limits and dynamics of a %s joint" % kind, name)
    for tag in ("safety_controller", "calibration"):
        if e.find(tag) is not None:
            model.leave(tag, name)


def urdf_mimic(model, elements):
    by_name = dict((j.name, j) for j in model.joints)
    for e in elements:
        mimic = e.find("mimic")
        if mimic is None:
            continue
        one, two = by_name.get(e.get("name")), by_name.get(mimic.get("joint"))
        with reading("mimic of joint", e.get("name")):
            ratio, offset = number(mimic, "multiplier", 1.0), number(mimic, "offset")
            if one is None or two is None:
                raise Bad("no joint %s" % mimic.get("joint"))
        gear(model, one, two, ratio, "mimic", one.name)
        if offset != 0:
            model.leave("offset of mimic: the gear keeps the positions at the beginning", one.name)


def gear(model, one, two, ratio, what, name):
    good = all(j.kind in ("HINGE", "SLIDER") for j in (one, two)) and one is not two
    if not good or not 1e-6 <= abs(ratio) <= 1e6:
        return model.leave(what + " of joints that no gear can connect", name)
    model.joints.append(Joint(what + " " + name, "GEAR", one, two, HERE))
    model.joints[-1].ratio = ratio


def check_gears(model):
    """What nsc_world_add_joint would refuse.  Where fixed links went is known by now"""
    kept = []
    for j in model.joints:
        if j.kind != "GEAR":
            kept.append(j)
        elif j.parent.parent is not j.child.parent:
            model.leave("gear between joints that hang on different links", j.name)
        elif moves(model, j.parent.parent) and side_by_side(j.parent, j.child):
            kept += wheel_between(model, j)
        else:
            kept.append(j)
    model.joints = sorted(kept, key=lambda j: j.kind == "GEAR")


def wheel_between(model, gear_of_both):
    """Parallel sliders, or hinges on one axis, on a link that moves: as in a gripper, a wheel on
    that link is geared with both.  It weighs a thousandth of the lighter link, from the common
    link, and has half of both armatures: a light wheel between them would slow sweeps down"""
    one, two = gear_of_both.parent, gear_of_both.child
    base = one.parent
    mass, centre, inertia = base.body
    own = 1e-3 * min(one.child.body[0], two.child.body[0])
    if not 1e-8 <= own <= 0.1 * mass:
        model.leave("gear of joints side by side, on a link that is much lighter than what it "
                    "moves", gear_of_both.name)
        return []
    apart = norm(sub(one.pose[1], two.pose[1]))
    radius = max(apart, 0.01)             # of gyration, and of the gear with a slider
    axis = transposed(one.pose[0])[2]
    across = min(ONE, key=lambda e: abs(dot(axis, e)))
    place = scaled(0.5, add(one.pose[1], two.pose[1]))
    wheel = Link("wheel of " + gear_of_both.name, (to_axis(cross(axis, across)), place))
    unit_of = radius if one.kind == "SLIDER" else 1.0
    sides = ((one, unit_of), (two, unit_of / gear_of_both.ratio))
    moment = own * radius * radius + sum(0.5 * j.armature * unit * unit for j, unit in sides)
    one.armature, two.armature = 0.5 * one.armature, 0.5 * two.armature
    wheel.body = (own, (0.0, 0.0, 0.0), diagonal(moment, moment, moment))
    inner = pose_times(pose_inverse(base.pose), wheel.pose)
    rest = scaled(1 / (mass - own), sub(scaled(mass, centre), scaled(own, inner[1])))
    base.body = (mass - own, rest, inertia)
    model.links.append(wheel)
    hinge = Joint(wheel.name, "HINGE", base, wheel, wheel.pose)
    wheel.joint = hinge
    wheel.wheel = (base, one, unit_of)
    model.repair("joints side by side on a link that moves: a wheel is put between them",
                 gear_of_both.name)
    out = [hinge]
    for j, ratio in sides:
        out.append(Joint("%s and %s" % (wheel.name, j.name), "GEAR", j, hinge, HERE))
        out[-1].ratio = ratio
    return out


def moves(model, link):
    if link is None or (model.fixed_base and link is model.links[0]):
        return False
    return link.kind == "NSC_DYNAMIC_BODY"


def side_by_side(one, two):
    """No wrench between the two driven links turns both axes (nsci_gear_wrench)"""
    middle = scaled(0.5, add(one.pose[1], two.pose[1]))
    apart = norm(sub(one.pose[1], two.pose[1]))
    scale = 1 / (apart * apart) if apart > 1e-6 else 1.0
    screws = []
    for j in (one, two):
        axis = transposed(j.pose[0])[2]
        arm = sub(middle, j.pose[1])
        screws.append((axis, (0.0, 0.0, 0.0)) if j.kind == "SLIDER" else (cross(axis, arm), axis))

    def product(a, b):
        return scale * dot(a[0], b[0]) + dot(a[1], b[1])

    g11, g12, g22 = (product(screws[a], screws[b]) for a, b in ((0, 0), (0, 1), (1, 1)))
    return g11 * g22 - g12 * g12 <= 2e-4 * g11 * g22


# ---- what both have in common: fixed joints, mass, inertia

def merge_fixed(model):
    """Make links behind fixed joints parts of the link that these hang on"""
    into = {}                             # child: (the link it goes into, its pose there)
    parts = {}
    gone = set()
    for j in model.joints:
        child = j.child
        if j.kind != "FIXED" or child.joint is not j:
            continue
        if model.options.keep_fixed and child.body[0] > 0 and j.parent.body[0] > 0:
            continue
        into[child] = (j.parent, pose_times(pose_inverse(j.parent.pose), child.pose))
        gone.add(j)
    for link in [l for l in model.links if l in into]:
        way = [link]
        while into[way[-1]][0] in into:
            way.append(into[way[-1]][0])
        for below in reversed(way[:-1]):   # from the kept link down: each step is gone once
            middle, inner = into[below]
            kept, outer = into[middle]
            into[below] = (kept, pose_times(outer, inner))
        kept, inner = into[link]
        parts.setdefault(kept, [kept.body]).append(moved(inner, link.body))
        kept.frames.append((link.name, inner))
        kept.frames += [(n, pose_times(inner, p)) for n, p in link.frames]
        for s in link.shapes:
            s.pose = pose_times(inner, s.pose)
            kept.shapes.append(s)
    for kept, bodies in parts.items():
        kept.body = together(bodies)
    model.links = [l for l in model.links if l not in into]
    model.joints = [j for j in model.joints if j not in gone]
    for j in model.joints:
        if j.joins_links():
            j.parent = into[j.parent][0] if j.parent in into else j.parent
            j.child = into[j.child][0] if j.child in into else j.child
    model.merged = into


def stand_massless(model):
    """A root link without mass is what a robot is mounted on, as in Bullet and Drake"""
    base = model.links[0] if model.links else None
    if base is None or model.fixed_base or model.options.bound:
        return
    if base.kind == "NSC_DYNAMIC_BODY" and not base.body[0] > 0:
        model.fixed_base = 1
        model.repair("the root link has no mass: it does not move", base.name)


def check_inertia(model):
    wrong = []
    bound = model.options.bound
    for link in model.links:
        mass, centre, inertia = link.body
        if link.kind != "NSC_DYNAMIC_BODY" or (model.fixed_base and link is model.links[0]):
            continue
        if bound:
            least = moments(inertia)[0]
            if mass < bound[0] or least < bound[1]:
                more = max(0.0, bound[1] - least)
                mass, inertia = max(mass, bound[0]), plus3(inertia, diagonal(more, more, more))
                model.repair("mass or inertia raised to the bound", link.name)
        link.body = (mass, centre, inertia)
        if not mass > 0:
            wrong.append("link %s has no mass (--bound MASS INERTIA gives it some)" % link.name)
            continue
        if not LIGHTEST <= mass <= HEAVIEST:
            wrong.append("link %s: mass %g kg, which is not %g..%g" % (link.name, mass, LIGHTEST,
                                                                       HEAVIEST))
            continue
        low, middle, high = moments(inertia)
        if not low > 1e-6 * high:
            wrong.append("link %s: inertia is not positive definite, its least principal moment is "
                         "%.3g kg m^2 (--bound MASS INERTIA raises it)" % (link.name, low))
        elif not 1e-18 <= low <= high <= GREATEST:
            wrong.append("link %s: principal moments of inertia %.3g..%.3g kg m^2, which are not "
                         "1e-18..%g" % (link.name, low, high, GREATEST))
        elif high - low - middle > 0.5e-4 * (low + middle + high):
            excess = "by %.3g kg m^2, %.3g %%" % (high - low - middle,
                                                  100 * (high - low - middle) / high)
            if model.options.balance:
                mean = (low + middle + high) / 3
                link.body = (mass, centre, diagonal(mean, mean, mean))
                model.repair("greatest principal moment exceeded the sum of the others %s: all "
                             "became their mean" % excess, link.name)
            else:
                wrong.append("link %s: its greatest principal moment exceeds the sum of the others "
                             "%s, which no body has (--balance repairs it)" % (link.name, excess))
    if wrong:
        raise Bad("; ".join(wrong))


# ---- several joints on one body

def axis_of(joint):
    return transposed(joint.screw[0])[2]


def crosses(one, two):
    return abs(dot(axis_of(one), axis_of(two))) < 1e-9


def through_one_point(joints):
    first = joints[0].screw[1]
    return all(norm(sub(j.screw[1], first)) <= 1e-9 for j in joints)


def is_bare(joint):
    """A hinge that turns freely: nothing acts on its angle"""
    return joint.lower is None and not any((joint.spring, joint.damping, joint.friction,
                                            joint.armature, joint.effort, joint.driven))


def kind_of_group(group):
    """The kind of nsc's joints that these are together, in this order from the parent; or None"""
    kinds = "".join({"HINGE": "h", "SLIDER": "s"}.get(j.kind, "-") for j in group)
    if kinds == "ssh" and all(crosses(*pair) for pair in zip(group, group[1:] + group[:1])):
        return "PLANAR"
    if kinds == "hhh" and through_one_point(group) and all(is_bare(j) for j in group) and \
            crosses(group[0], group[1]) and crosses(group[1], group[2]):
        return "BALL"
    if kinds == "hh" and through_one_point(group) and crosses(*group):
        return "UNIVERSAL"
    if kinds in ("sh", "hs") and norm(sub(axis_of(group[0]), axis_of(group[1]))) < 1e-9:
        return "CYLINDRICAL"
    return None


def one_joint(group):
    """The joint that a group is, and entries for its further axes.  The file's poses are those at
    each joint's ref"""
    if len(group) == 1:
        return group[0], []
    kind = kind_of_group(group)
    if kind == "CYLINDRICAL":
        group = sorted(group, key=lambda j: j.kind == "HINGE")
    main = group[0]
    z = axis_of(group[-1])
    if kind == "PLANAR":
        if dot(cross(axis_of(group[0]), axis_of(group[1])), z) < 0:
            group = [group[1], group[0], group[2]]
            main = group[0]
        x = axis_of(main)
        pose = (from_columns(x, cross(z, x), z), group[2].screw[1])
        main.pose = pose_times(pose, about_z(group[2].ref))
        main.parent_pose = pose_times(pose, (ONE, (-group[0].ref, -group[1].ref, 0.0)))
    elif kind == "UNIVERSAL":
        first, x = axis_of(group[0]), z
        pose = (from_columns(x, cross(first, x), first), main.screw[1])
        main.pose = pose_times(pose, (about((1.0, 0.0, 0.0), group[1].ref), (0.0, 0.0, 0.0)))
        main.parent_pose = pose_times(pose, about_z(-group[0].ref))
    elif kind == "CYLINDRICAL":
        main.pose = group[1].screw
        main.parent_pose = pose_times(main.pose, pose_times(
            (ONE, (0.0, 0.0, -group[0].ref)), about_z(-group[1].ref)))
    else:
        main.pose = (ONE, main.screw[1])
    main.kind = kind
    if kind == "BALL":
        for j in group:
            j.moves = None
        main.name = " ".join(j.name for j in group)
        return main, []
    for n, j in enumerate(group[1:]):
        j.kind = "AXIS"
        j.parent, j.child = main, n + 1
    return main, group[1:]


def about_z(angle):
    return (about((0.0, 0.0, 1.0), angle), (0.0, 0.0, 0.0))


# ---- MJCF

class Mjcf:
    """MJCF is read element by element; attributes come from the class in force, then from the
    element"""

    TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
    KNOWN = {
        "geom": "name class type size pos quat axisangle euler xyaxes zaxis fromto contype "
                "conaffinity condim group mass density friction rgba material mesh user hfield "
                "fitscale",
        "joint": "name class type pos axis range limited damping frictionloss armature stiffness "
                 "springref ref actuatorfrcrange actuatorfrclimited group user",
        "body": "name pos quat axisangle euler xyaxes zaxis childclass mocap user",
        "compiler": "angle eulerseq autolimits meshdir assetdir texturedir strippath boundmass "
                    "boundinertia balanceinertia inertiafromgeom inertiagrouprange settotalmass "
                    "discardvisual fusestatic convexhull usethread exactmeshinertia coordinate "
                    "fitaabb",
        "actuator": "name class joint gear kp kv dampratio ctrlrange forcerange ctrllimited "
                    "forcelimited gainprm biasprm gaintype biastype dyntype dynprm group user "
                    "inheritrange timeconst jointinparent tendon site body",
        "mesh": "name class file scale refpos refquat vertex face normal texcoord inertia "
                "smoothnormal maxhullvert content_type material",
    }

    def __init__(self, model, root, path):
        options = model.options
        self.folder = os.path.dirname(path)
        self.model = model
        self.included = set([os.path.realpath(path)])
        self.include(root)
        self.root = root
        self.compiler = {}
        for e in root.findall("compiler"):
            self.compiler.update(e.attrib)
        self.name_attributes("compiler", self.compiler, None)
        with reading("<compiler>"):
            self.read_compiler()
        if self.compiler.get("coordinate", "local") != "local":
            raise Bad("<compiler>: coordinate=\"%s\"" % self.compiler["coordinate"])
        self.degrees = self.compiler.get("angle", "degree") == "degree"
        self.classes = {"main": {}}
        for e in root.findall("default"):
            self.read_default(e, None)
        self.meshes, self.read = {}, {}
        for asset in root.findall("asset"):
            for e in asset:
                if e.tag == "mesh":
                    self.read_mesh_asset(e)
                elif e.tag not in ("texture", "material", "skin"):
                    self.model.leave("<%s>" % e.tag, e.get("name"))
                else:
                    self.model.leave("<%s>" % e.tag)
        self.by_body, self.by_joint = {}, {}
        self.by_actuator, self.sites = {}, {}
        self.excluded = []
        self.find_geared()
        self.world = Link("world", HERE)
        self.world.kind = "NSC_STATIC_BODY"
        self.model.world = self.world
        for e in root.findall("worldbody"):
            self.inside(e, self.world, HERE, HERE, "main", [])
        self.by_body["world"] = None
        if self.world.shapes and not options.no_world:
            self.model.links.append(self.world)
        elif self.world.shapes:
            self.model.leave("shape of the world (--no-world)")
        for part in root.findall("contact"):
            with reading("<contact>"):
                self.read_contact(part)
        for part in root.findall("equality"):
            for e in part:
                with reading("<%s> of <equality>" % e.tag, e.get("name")):
                    self.read_equality(e)
        self.actuators = [e for part in root.findall("actuator") for e in part]
        for e in root:
            if e.tag in ("compiler", "default", "asset", "worldbody", "contact", "equality",
                         "actuator"):
                continue
            if e.tag in ("visual", "statistic", "size"):
                self.model.leave("<%s>" % e.tag)
            elif e.tag in ("keyframe", "sensor"):
                continue                  # read when all links and joints are known
            elif e.tag == "option":
                self.model.leave("<option>", " ".join('%s="%s"' % a for a in e.attrib.items()))
            else:
                for inner in e:
                    self.model.leave("<%s> of <%s>" % (inner.tag, e.tag), inner.get("name"))
        if self.compiler.get("balanceinertia") == "true":
            options.balance = True
        if max(self.bound) > 0 and not options.bound:
            options.bound = self.bound

    def find_geared(self):
        """Names of joints that equality joins: each must stay a joint of its own.  Names of those
        that something drives"""
        self.geared, self.driven = set(), set()
        for part in self.root.findall("equality"):
            for e in part.findall("joint"):
                self.geared |= set([e.get("joint1"), e.get("joint2")])
        for part in self.root.findall("actuator"):
            self.driven |= set(e.get("joint") or e.get("jointinparent") for e in part)

    def read_compiler(self):
        compiler = self.compiler
        self.bound = [number_of(compiler, k, 0.0) for k in ("boundmass", "boundinertia")]
        self.total = number_of(compiler, "settotalmass", -1.0)
        self.groups = numbers(compiler.get("inertiagrouprange", "0 5"), 2, "inertiagrouprange")
        self.order = compiler.get("eulerseq", "xyz")
        if len(self.order) != 3 or any(c not in "xyzXYZ" for c in self.order):
            raise Bad("eulerseq=\"%s\"" % self.order)

    def include(self, root):
        """Put what is included in the place of each include; a file once, as in MuJoCo"""
        todo = [root]
        while todo:
            parent = todo.pop()
            place = 0
            while place < len(parent):
                e = parent[place]
                if e.tag != "include":
                    place += 1
                    continue
                path = os.path.join(self.folder, e.get("file", ""))
                if os.path.realpath(path) in self.included:
                    raise Bad("include %s: it is included twice" % e.get("file"))
                self.included.add(os.path.realpath(path))
                with reading("include", e.get("file")):
                    inner = parse(path)
                parent.remove(e)
                for k, part in enumerate(inner):
                    parent.insert(place + k, part)
            todo.extend(parent)

    def name_attributes(self, kind, attributes, where):
        for key in attributes:
            if key not in self.KNOWN[kind].split():
                self.model.leave("attribute %s of <%s>" % (key, kind), where)

    def read_default(self, e, parent):
        name = e.get("class") or ("main" if parent is None else None)
        if name is None:
            raise Bad("default: a nested one has no class")
        made = dict((k, dict(v)) for k, v in self.classes[parent or "main"].items())
        self.classes[name] = made
        for part in e:
            if part.tag == "default":
                continue
            if part.tag in ("general", "motor", "position", "velocity", "intvelocity", "damper",
                            "cylinder", "muscle", "adhesion"):
                with reading("default", name):
                    made["actuator"] = self.actuator_of(part.tag, part.attrib,
                                                        made.get("actuator", {}))
            else:
                made.setdefault(part.tag, {}).update(part.attrib)
        for part in e:
            if part.tag == "default":
                self.read_default(part, name)

    def attributes(self, e, childclass, tag=None):
        name = e.get("class") or childclass
        if name not in self.classes:
            raise Bad("<%s>: no default class %s" % (e.tag, name))
        own = dict(e.attrib)
        out = dict(self.classes[name].get(tag or e.tag, {}))
        if any(k in own for k in self.TURNS):
            out = dict((k, v) for k, v in out.items() if k not in self.TURNS)
        out.update(own)
        return out

    def angle(self, x):
        return math.radians(x) if self.degrees else x

    def pose_of(self, a, what):
        place = tuple(numbers(a.get("pos", "0 0 0"), 3, "pos of " + what))
        if "quat" in a:
            return from_quat(numbers(a["quat"], 4, "quat of " + what)), place
        if "axisangle" in a:
            x = numbers(a["axisangle"], 4, "axisangle of " + what)
            return about(x[:3], self.angle(x[3])), place
        if "xyaxes" in a:
            v = numbers(a["xyaxes"], 6, "xyaxes of " + what)
            x = unit(tuple(v[:3]))
            y = unit(sub(v[3:], scaled(dot(x, v[3:]), x)))
            return from_columns(x, y, cross(x, y)), place
        if "zaxis" in a:
            return to_axis(tuple(numbers(a["zaxis"], 3, "zaxis of " + what))), place
        if "euler" in a:
            m = ONE
            turns = numbers(a["euler"], 3, "euler of " + what)
            for letter, x in zip(self.order, turns):
                one = about(ONE["xyz".index(letter.lower())], self.angle(x))
                m = times(m, one) if letter.islower() else times(one, m)
            return m, place
        return ONE, place

    def read_mesh_asset(self, e):
        a = self.attributes(e, "main")
        name = a.get("name") or os.path.splitext(os.path.basename(a.get("file", "")))[0]
        self.name_attributes("mesh", a, name)
        self.meshes[name] = a

    def mesh_points(self, name):
        if name not in self.read:
            self.read[name] = self.read_points(name)
        return self.read[name]

    def read_points(self, name):
        """All points of a mesh in the frame of the geom, and points and triangles of its surface; a
        reason in words if there are none"""
        a = self.meshes.get(name)
        if a is None:
            raise Bad("no mesh %s" % name)
        if "vertex" in a:
            x = numbers(a["vertex"], None, "vertex of mesh " + name)
            f = []
            if a.get("face", "").split():
                f = [int(i) for i in numbers(a["face"], None, "face of mesh " + name)]
            if len(x) % 3 or len(f) % 3 or any(not 0 <= i < len(x) // 3 for i in f):
                raise Bad("mesh %s: vertex or face is not in threes, or a face of points that are "
                          "not there" % name)
            mesh = ([tuple(x[i:i + 3]) for i in range(0, len(x) - 2, 3)],
                    [tuple(f[i:i + 3]) for i in range(0, len(f) - 2, 3)])
        else:
            file = a.get("file", "")
            if self.compiler.get("strippath") == "true":
                file = os.path.basename(file)
            folder = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
            path = os.path.join(self.folder, folder, file)
            if not file or not os.path.exists(path):
                return "mesh whose file is not there"
            mesh = read_mesh(path)
            if mesh is None:
                return "mesh of a format that is not read"
        scale = numbers(a.get("scale", "1 1 1"), 3, "scale of mesh " + name)
        back = transposed(from_quat(numbers(a.get("refquat", "1 0 0 0"), 4, "refquat")))
        place = numbers(a.get("refpos", "0 0 0"), 3, "refpos")
        points = [turned(back, sub([s * x for s, x in zip(scale, p)], place)) for p in mesh[0]]
        if not points or any(abs(x) > LONGEST for p in points for x in p):
            raise Bad("mesh %s: no points, or a coordinate beyond %g m" % (name, LONGEST))
        if not mesh[1]:
            cloud = list(dict.fromkeys(points))
            wide = Hull(outermost(cloud) if len(cloud) > MANY else cloud, 255, False)
            if wide.flat:
                return "mesh that is flat"
            corners, faces, _ = wide.result(cloud)
            return points, corners, [(f[0], f[k], f[k + 1]) for f in faces
                                     for k in range(1, len(f) - 1)]
        return points, points, mesh[1]

    # -- bodies

    def inside(self, e, link, body_pose, inner, childclass, joints):
        """The elements in a body, or in a frame in it.  inner: pose of the frame in the body"""
        model = self.model
        for part in e:
            tag = part.tag
            if not isinstance(tag, str):
                continue
            if tag == "geom":
                with reading("geom", part.get("name") or "of " + link.name):
                    self.geom(part, link, inner, childclass)
            elif tag in ("joint", "freejoint"):
                joints.append((part, inner, childclass))
            elif tag == "body":
                self.body(part, link, pose_times(body_pose, inner), childclass)
            elif tag == "frame":
                with reading("frame in body", link.name):
                    pose = pose_times(inner, self.pose_of(part.attrib, "frame"))
                self.inside(part, link, body_pose, pose, part.get("childclass") or childclass,
                            joints)
            elif tag == "site":
                with reading("site", part.get("name")):
                    a = self.attributes(part, childclass)
                    pose = self.segment(a)[0] if "fromto" in a else self.pose_of(a, "site")
                if not a.get("name") or link is self.world:
                    model.leave("site without name, or of the world")
                else:
                    link.frames.append((a["name"], pose_times(inner, pose)))
                    self.sites[a["name"]] = (link, pose_times(inner, pose))
            elif tag != "inertial":
                model.leave("<%s>" % tag, part.get("name"))

    def body(self, e, parent, parent_pose, childclass):
        model = self.model
        name = e.get("name") or "body%d" % (len(self.by_body) + 1)
        self.name_attributes("body", e.attrib, name)
        childclass = e.get("childclass") or childclass
        if name in self.by_body or name == "world":
            raise Bad("body %s: two bodies have this name" % name)
        with reading("body", name):
            pose = self.pose_of(e.attrib, "body")
        link = Link(name, pose_times(parent_pose, pose))
        self.by_body[name] = link
        model.bodies.append(link)
        link.masses = []
        link.given = e.find("inertial") is not None
        at = len(model.links)
        model.links.append(link)
        joints = []
        self.inside_first(e, link, childclass, joints)
        link.chain, link.helpers = [], {}
        link.up = None if parent is self.world else parent
        link.offset = pose_times(pose_inverse(parent.pose), link.pose)
        with reading("body", name):
            self.mass(e, link)
            link.whole_body = link.body
            free = [j for j, _, c in joints
                    if j.tag == "freejoint" or self.attributes(j, c).get("type") == "free"]
        top = parent is self.world
        link.free = bool(free)
        if free and not top:
            raise Bad("body %s: a free joint below another body" % name)
        if e.get("mocap") == "true":
            link.kind = "NSC_KINEMATIC_BODY"
        elif not joints and top:
            link.kind = "NSC_STATIC_BODY"
        elif not joints:
            j = Joint(name, "FIXED", parent, link, link.pose)
            link.joint = j
            model.joints.append(j)
        if joints and not free:
            self.hang(link, None if top else parent, joints, at)
        self.inside_bodies(e, link, link.pose, HERE, childclass)

    def inside_first(self, e, link, childclass, joints):
        """All but the bodies, so that links and joints stand in the order of the tree"""
        bare = self.without(e)
        self.inside(bare, link, link.pose, HERE, childclass, joints)

    def without(self, e):
        bare = ET.Element(e.tag, e.attrib)
        for part in e:
            if part.tag == "frame":
                bare.append(self.without(part))
            elif part.tag != "body":
                bare.append(part)
        return bare

    def inside_bodies(self, e, link, body_pose, inner, childclass):
        for part in e:
            if part.tag == "body":
                self.body(part, link, pose_times(body_pose, inner), childclass)
            elif part.tag == "frame":
                pose = pose_times(inner, self.pose_of(part.attrib, "frame"))
                self.inside_bodies(part, link, body_pose, pose,
                                   part.get("childclass") or childclass)

    def mass(self, e, link):
        inertial = e.find("inertial")
        how = self.compiler.get("inertiafromgeom", "auto")
        if how == "true" or (inertial is None and how != "false"):
            link.body = together(link.masses)
            return
        if inertial is None:
            return
        a = inertial.attrib
        what = "inertial of " + link.name
        mass = numbers(a.get("mass", "0"), 1, what)[0]
        if mass < 0:
            raise Bad("%s: mass %g" % (what, mass))
        if "fullinertia" in a:
            xx, yy, zz, xy, xz, yz = numbers(a["fullinertia"], 6, what)
            tensor = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        else:
            tensor = diagonal(*numbers(a.get("diaginertia", "0 0 0"), 3, what))
        if mass > 0:
            link.body = moved(self.pose_of(a, what), (mass, (0.0, 0.0, 0.0), tensor))

    def asks_mass(self, link):
        how = self.compiler.get("inertiafromgeom", "auto")
        return link is not self.world and (how == "true" or (how == "auto" and not link.given))

    def segment(self, a):
        """Pose and half length of what is given by fromto"""
        x = numbers(a["fromto"], 6, "fromto")
        along = sub(x[:3], x[3:])
        return (to_axis(along), scaled(0.5, add(x[:3], x[3:]))), norm(along) / 2

    def geom(self, e, link, inner, childclass):
        model = self.model
        a = self.attributes(e, childclass)
        name = a.get("name") or "geom of " + link.name
        self.name_attributes("geom", a, name)
        kind = a.get("type", "sphere")
        size = numbers(a.get("size", "0"), None, "size of " + name) + [0.0, 0.0]
        pose = self.pose_of(a, name)
        if "mesh" in a and kind in ("sphere", "capsule", "cylinder", "box", "ellipsoid"):
            fitted = self.fitted(kind, a, name)
            if isinstance(fitted, str):
                return model.leave(fitted, name)
            size, inner_pose = fitted
            pose = pose_times(pose, inner_pose)
        elif "fromto" in a and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            pose, half = self.segment(a)
            round_one = kind in ("capsule", "cylinder")
            size = [size[0], half, 0.0] if round_one else [size[0], size[0], half]
        pose = pose_times(inner, pose)
        r, h = size[0], size[1]
        pi = math.pi
        shape, mass = None, None
        density = numbers(a.get("density", "1000"), 1, "density of " + name)[0]
        given = numbers(a["mass"], 1, "mass of " + name)[0] if "mass" in a else None
        if density < 0 or (given is not None and given < 0):
            raise Bad("mass or density is below 0")
        low, high = self.groups
        weighs = low <= integer(a.get("group", "0"), "group") <= high and \
            link is not self.world and (density > 0 if given is None else given > 0)
        group = tuple(integer(a.get(k, "1"), k) & 0xffffffff for k in ("contype", "conaffinity"))
        if group == (0, 0) and not (weighs and self.asks_mass(link)):
            return model.leave("geom that collides with nothing")
        if kind == "plane":
            shape = Shape("NSC_SHAPE_HALF_SPACE", pose)
            if r > 0 or h > 0:
                model.repair("plane of finite size is taken as unbounded", name)
        elif kind == "sphere":
            shape = Shape("NSC_SHAPE_SPHERE", pose, radius=r)
            i = 0.4 * r * r
            mass = (4 / 3 * pi * r * r * r, (i, i, i))
        elif kind == "cylinder":
            shape = Shape("NSC_SHAPE_CYLINDER", pose, (0.0, 0.0, h), r)
            i = r * r / 4 + h * h / 3
            mass = (2 * pi * r * r * h, (i, i, r * r / 2))
        elif kind == "capsule":
            shape = Shape("NSC_SHAPE_CAPSULE", pose, (0.0, 0.0, h), r)
            tube, ball = 2 * pi * r * r * h, 4 / 3 * pi * r * r * r
            i = tube * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r)
            k = tube * r * r / 2 + ball * 0.4 * r * r
            v = tube + ball
            mass = (v, (i / v, i / v, k / v)) if v > 0 else None
        elif kind == "box":
            shape = Shape("NSC_SHAPE_BOX", pose, tuple(size[:3]))
            x, y, z = (s * s / 3 for s in size[:3])
            mass = (8 * size[0] * size[1] * size[2], (y + z, x + z, x + y))
        elif kind == "ellipsoid":
            x, y, z = (s * s / 5 for s in size[:3])
            mass = (4 / 3 * pi * size[0] * size[1] * size[2], (y + z, x + z, x + y))
        elif kind == "mesh":
            mesh = self.mesh_points(a.get("mesh", ""))
            if isinstance(mesh, str):
                return model.leave(mesh, a.get("mesh"))
        else:
            return model.leave("geom of type %s" % kind, name)

        if weighs and self.asks_mass(link):
            if kind == "mesh":
                solid = volume_of(mesh[1], mesh[2])
                if solid is None:
                    model.leave("mass of a mesh without volume", name)
                else:
                    d = density if given is None else given / solid[0]
                    link.masses.append(moved(pose, (d * solid[0], solid[1], scaled3(d, solid[2]))))
            elif mass is not None and mass[0] > 0:
                m = density * mass[0] if given is None else given
                link.masses.append(moved(pose, (m, (0.0, 0.0, 0.0),
                                                scaled3(m, diagonal(*mass[1])))))
        if group == (0, 0):
            return model.leave("geom that collides with nothing")
        if kind == "ellipsoid":
            shape = hull_shape(model, ("ellipsoid", tuple(size)), name, ball_points(size), pose)
        if kind == "mesh":
            shape = hull_shape(model, ("mesh", a["mesh"]), a["mesh"], mesh[0], pose)
        if shape is None:
            return model.leave("mesh that is flat", a.get("mesh"))
        shape.group = group
        shape.name = name
        condim = integer(a.get("condim", "3"), "condim")
        slide = numbers(a.get("friction", "1"), None, "friction of " + name)[0]
        shape.friction = 0.0 if condim == 1 else slide
        if condim > 3:
            model.leave("torsional and rolling friction of condim=\"%d\"" % condim, name)
        if kind == "plane" and link is not self.world:
            shape.name = "plane " + name
        link.shapes.append(shape)

    def fitted(self, kind, a, name):
        """Size and pose of a primitive fitted to a mesh: to the box of its mass and inertia"""
        if self.compiler.get("fitaabb") == "true":
            return "primitive fitted to the bounds of a mesh (fitaabb)"
        mesh = self.mesh_points(a["mesh"])
        if isinstance(mesh, str):
            return mesh
        solid = volume_of(mesh[1], mesh[2])
        if solid is None:
            return "primitive fitted to a mesh without volume"
        (x, y, z), pose = box_of(solid)
        scale = numbers(a.get("fitscale", "1"), 1, "fitscale of " + name)[0]
        size = {"sphere": [(x + y + z) / 3, 0.0, 0.0],
                "capsule": [(x + y) / 2, max(0.0, z - (x + y) / 4), 0.0],
                "cylinder": [(x + y) / 2, z, 0.0]}.get(kind, [x, y, z])
        return [scale * s for s in size], pose

    # -- joints

    def hang(self, link, parent, joints, at):
        """Joints of one body, the outermost first: kinds of nsc that are several of them, and small
        links between the rest"""
        model = self.model
        made = []
        for n, (e, inner, childclass) in enumerate(joints):
            more = str(n + 1) if len(joints) > 1 else ""
            name = e.get("name") or "%s_joint%s" % (link.name, more)
            with reading("joint", name):
                made.append(self.joint(e, inner, childclass, name, link))
        link.chain = made
        groups = self.grouped(made)
        outer = parent
        for n, group in enumerate(groups):
            child = link
            if n + 1 < len(groups):
                child = self.helper(link, group, len(groups) - 1)
                model.links.insert(at + n, child)
            for j in group:
                j.hung = child
            main, axes = one_joint(group)
            if main.kind == "BALL" and len(group) > 1:
                model.repair("three free hinges through one point are a ball joint", main.name)
            main.parent, main.child = outer, child
            child.joint = main
            model.joints.append(main)
            model.joints += axes
            outer = child
        if len(groups) > 1 and parent is not None:
            self.excluded.append((parent, link, "parent of several joints"))

    def helper(self, link, group, count):
        """One of so many small links between the joints of a body"""
        self.model.repair("bodies with several joints: small links are put between them, of %g %% "
                          "of the body's mass and inertia together" % (100 * HELPERS), link.name)
        child = Link("%s behind %s" % (link.name, group[-1].name), link.pose)
        link.helpers[link.chain.index(group[-1])] = child
        mass, centre, inertia = link.whole_body
        share = HELPERS / count
        if mass > 0:
            child.body = (share * mass, centre, scaled3(share, inertia))
            link.body = (mass * (1 - HELPERS), centre, scaled3(1 - HELPERS, inertia))
        return child

    def grouped(self, joints):
        """Joints side by side that one joint of nsc is"""
        groups, at = [], 0
        while at < len(joints):
            count = 1
            for n in (3, 2):
                group = joints[at:at + n]
                alone = all(j.name not in self.geared for j in group)
                if len(group) == n and alone and kind_of_group(group) is not None:
                    count = n
                    break
            groups.append(joints[at:at + count])
            at += count
        return groups

    def joint(self, e, inner, childclass, name, link):
        model = self.model
        a = self.attributes(e, childclass)
        self.name_attributes("joint", a, name)
        kinds = {"hinge": "HINGE", "slide": "SLIDER", "ball": "BALL"}
        kind = a.get("type", "hinge")
        if kind not in kinds:
            raise Bad("type %s" % kind)
        place = tuple(numbers(a.get("pos", "0 0 0"), 3, "pos of " + name))
        axis = tuple(numbers(a.get("axis", "0 0 1"), 3, "axis of " + name))
        turn = ONE if kind == "ball" else to_axis(axis)
        pose = pose_times(link.pose, pose_times(inner, (turn, place)))
        j = Joint(name, kinds[kind], None, link, pose)
        j.is_ball, j.slides = kind == "ball", kind == "slide"
        if name in self.by_joint:
            raise Bad("two joints have this name")
        self.by_joint[name] = j
        j.driven = name in self.driven

        def value(key):
            x = numbers(a.get(key, "0"), None, "%s of %s" % (key, name))
            if len(x) > 1 and any(x[1:]):
                model.leave("higher terms of %s" % key, name)
            return x[0]

        angle = self.angle if kind == "hinge" else (lambda x: x)
        j.armature, j.friction = value("armature"), value("frictionloss")
        j.damping, j.spring = value("damping"), value("stiffness")
        limited = a.get("limited", "auto")
        if limited == "true" or (limited == "auto" and "range" in a and
                                 self.compiler.get("autolimits", "true") == "true"):
            low, high = numbers(a.get("range", "0 0"), 2, "range of " + name)
            j.lower, j.upper = angle(low), angle(high)
        if kind == "ball":
            if j.lower is not None or j.spring or j.damping or j.friction or j.armature:
                model.leave("range, spring, damping, friction and armature of a ball joint", name)
            j.lower = j.upper = None
            j.spring = j.damping = j.friction = j.armature = 0.0
            return j
        j.rest, j.ref = angle(value("springref")), angle(value("ref"))
        frc = a.get("actuatorfrclimited", "auto")
        if frc == "true" or (frc == "auto" and "actuatorfrcrange" in a):
            low, high = numbers(a.get("actuatorfrcrange", "0 0"), 2, "actuatorfrcrange of " + name)
            j.effort = self.symmetric(low, high, "actuatorfrcrange", name)
        return j

    def symmetric(self, low, high, what, name):
        if abs(low + high) > 1e-9 * (abs(low) + abs(high)):
            self.model.repair("%s is not symmetric: the lesser side is taken for both" % what, name)
        return min(abs(low), abs(high)) or max(abs(low), abs(high))

    # -- contacts, equality, actuators

    def link_of(self, name):
        if name not in self.by_body:
            raise Bad("no body %s" % name)
        return self.by_body[name]

    def read_contact(self, part):
        for e in part:
            if e.tag == "exclude":
                one, two = self.link_of(e.get("body1")), self.link_of(e.get("body2"))
                self.excluded.append((one or self.world, two or self.world, "exclude"))
            else:
                self.model.leave("<%s> of <contact>" % e.tag, e.get("name") or " ".join(
                    v for k, v in e.attrib.items() if k.startswith("geom")))

    def read_equality(self, e):
        model = self.model
        a = self.attributes(e, "main", "equality")
        name = a.get("name") or " ".join(v for k, v in a.items()
                                         if k in ("body1", "body2", "joint1", "joint2"))
        if a.get("active") == "false":
            return model.leave("<%s> of <equality> that is not active" % e.tag, name)
        if e.tag == "joint" and "joint2" in a:
            poly = numbers(a.get("polycoef", "0 1 0 0 0"), None, "polycoef") + [0.0] * 5
            one, two = (self.by_joint.get(a.get(k)) for k in ("joint1", "joint2"))
            if one is None or two is None:
                raise Bad("no such joint: %s" % name)
            if any(poly[2:]):
                return model.leave("<joint> of <equality> with a polynomial", name)
            if poly[0] != 0:
                model.leave("offset of <joint> of <equality>: the gear keeps the positions at the "
                            "beginning", name)
            return gear(model, one, two, poly[1], "equality", name)
        if e.tag not in ("connect", "weld") or "body1" not in a:
            return model.leave("<%s> of <equality>" % e.tag, name)
        one, two = self.link_of(a["body1"]), self.link_of(a.get("body2", "world"))
        flip = two is None
        if flip:
            one, two = None, one
        first = two if flip else one
        if e.tag == "connect":
            anchor = tuple(numbers(a.get("anchor", "0 0 0"), 3, "anchor of " + name))
            pose = pose_times(first.pose, (ONE, anchor))
            j = Joint(e.tag + " " + name, "BALL", one, two, pose)
        else:
            relpose = numbers(a.get("relpose", "0 0 0 0 0 0 0"), 7, "relpose of " + name)
            j = Joint(e.tag + " " + name, "FIXED", one, two, two.pose)
            if any(relpose[3:]) and not flip:
                j.parent_pose = pose_times(one.pose, (from_quat(relpose[3:]), tuple(relpose[:3])))
            elif any(relpose[3:]):
                return model.leave("<weld> of <equality> to the world with relpose", name)
        j.collide = 1
        model.joints.append(j)

    def actuator_of(self, tag, own, before):
        """Attributes of an actuator in the words of <general>"""
        out = dict(before)
        out.update(own)
        gain = (numbers(before.get("gainprm", "1"), None, "gainprm") + [0.0] * 3)[:3]
        bias = (numbers(before.get("biasprm", "0"), None, "biasprm") + [0.0] * 3)[:3]
        if tag in ("position", "intvelocity"):
            gain[0] = number_of(own, "kp", gain[0])
            bias = [0.0, -gain[0], -number_of(own, "kv", -bias[2])]
            out.update(gaintype="fixed", biastype="affine")
            if tag == "intvelocity":
                out["dyntype"] = "integrator"
            elif number_of(own, "timeconst", 0.0) > 0:
                out["dyntype"] = "filterexact"
        elif tag == "velocity":
            gain[0] = number_of(own, "kv", gain[0])
            bias = [0.0, 0.0, -gain[0]]
            out.update(gaintype="fixed", biastype="affine")
        elif tag == "motor":
            gain, bias = [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]
            out.update(gaintype="fixed", biastype="none")
        elif tag == "general":
            return out
        else:
            out["gaintype"] = tag
            return out
        out["gainprm"] = " ".join(repr(x) for x in gain)
        out["biasprm"] = " ".join(repr(x) for x in bias)
        return out

    def read_actuators(self):
        """After the links are joined: dampratio asks for the inertia that hangs on a joint"""
        driven = {}
        self.below = {}
        for j in self.model.joints:
            if j.joins_links() and j.child.joint is j:
                self.below.setdefault(j.parent, []).append(j.child)
        for e in self.actuators:
            name = self.name_of(e)
            self.name_attributes("actuator", dict((k, v) for k, v in e.attrib.items()), name)
            with reading("actuator", name):
                base = self.attributes(ET.Element("x", {"class": e.get("class") or "main"}), "main",
                                       "actuator")
                base.pop("class", None)
                a = self.actuator_of(e.tag, e.attrib, base)
                why = self.drive(e.tag, a, name, driven)
            if why:
                self.model.leave("actuator: " + why, name)

    def name_of(self, actuator):
        return actuator.get("name") or actuator.get("joint") or "?"

    def drive(self, tag, a, name, driven):
        j = self.by_joint.get(a.get("joint") or a.get("jointinparent"))
        if j is None:
            return "it drives no joint of the table"
        if j.moves is None:
            return "it drives a joint of several axes"
        if a.get("gaintype", "fixed") != "fixed" or \
                a.get("biastype", "none") not in ("none", "affine"):
            return "<%s> is not understood" % tag
        if a.get("dyntype", "none") != "none":
            self.model.leave("dynamics (%s) of an actuator" % a["dyntype"], name)
        g = numbers(a.get("gear", "1"), None, "gear of " + name)[0]
        if g == 0:
            return "its gear is 0"
        self.by_actuator[name] = (j, g)
        gain = (numbers(a.get("gainprm", "1"), None, "gainprm of " + name) + [0.0] * 3)[:3]
        bias = (numbers(a.get("biasprm", "0"), None, "biasprm of " + name) + [0.0] * 3)[:3]
        if a.get("biastype", "none") == "none":
            bias = [0.0, 0.0, 0.0]
        limits = {}
        for what in ("force", "ctrl"):
            flag = a.get(what + "limited", "auto")
            if flag == "true" or (flag == "auto" and what + "range" in a):
                low, high = numbers(a.get(what + "range", "0 0"), 2, what + "range of " + name)
                limits[what] = (low, high)
        if bias[1] > 0 or bias[0] != 0 or (bias[1] == 0 and bias[2] > 0):
            return "its bias is neither that of a servo nor none"
        motor = bias[1] == 0 and bias[2] == 0
        effort = []
        if "force" in limits:
            low, high = limits["force"]
            effort.append(abs(g) * self.symmetric(low, high, "forcerange", name))
        if motor and "ctrl" in limits:
            low, high = limits["ctrl"]
            effort.append(abs(g * gain[0]) * self.symmetric(low, high, "ctrlrange", name))
        kp, kv = -bias[1], -bias[2]
        if kv < 0:   # dampratio, resolved against the inertia
            kv = -kv
            a = dict(a, dampratio=repr(kv))
        if "dampratio" in a and kp > 0:
            inertia = self.hanging(j) / (g * g)
            kv = number_of(a, "dampratio", 0.0) * 2 * math.sqrt(kp * inertia)
        if kp > 0 and gain[0] != kp:
            self.model.leave("gain of an actuator other than its stiffness", name)
        if "ctrl" in limits and not motor:
            self.model.leave("ctrlrange of a servo: keep the target within it")
        if j in driven:
            if motor or driven[j] == "motor":
                return "its joint has a drive already"
            if (kp > 0) == (j.stiffness > 0):
                return "its joint has a drive already"
        driven[j] = "motor" if motor else "servo"
        j.drive = "NSC_DRIVE_FORCE" if motor else "NSC_DRIVE_SERVO"
        j.stiffness += g * g * kp
        j.gain += g * g * kv
        if effort:
            bound = min(effort)
            j.effort = min(j.effort, bound) if j.effort > 0 else bound
        if g != 1 and kp > 0:
            self.model.leave("gear of a servo: its target is ctrl / gear, stiffness and damping "
                             "are of the joint", name)
        elif g * gain[0] != 1 and motor:
            self.model.leave("gear of a motor: the force of its joint is %.6g * ctrl" % (g * gain[0]), name)
        return None

    def hanging(self, joint):
        """Inertia about the joint's axis, or mass along it, of all that hangs on the joint"""
        below = [joint.hung]
        for link in below:
            below += self.below.get(link, [])
        mass, centre, inertia = together([moved(link.pose, link.body) for link in below])
        if joint.moves == "slide":
            return mass + joint.armature
        axis = axis_of(joint)
        about_axis = plus3(inertia, steiner(mass, sub(centre, joint.screw[1])))
        return dot(axis, turned(about_axis, axis)) + joint.armature

    # -- keyframes

    def read_key(self, e):
        """A state of the whole robot: what qpos and qvel say, by the kinematics of the file"""
        bodies = self.model.bodies
        joints = [j for l in bodies for j in l.chain]
        balls = sum(1 for j in joints if j.is_ball)
        free = sum(1 for l in bodies if l.free)
        q = self.read_row(e, "qpos", len(joints) + 3 * balls + 7 * free)
        v = self.read_row(e, "qvel", len(joints) + 2 * balls + 6 * free)
        ctrl = self.read_row(e, "ctrl", len(self.actuators))
        for key in ("act", "mpos", "mquat", "time"):
            if key in e.attrib:
                self.model.leave("%s of a keyframe" % key, e.get("name"))
        state = State(e.get("name") or "key%d" % (len(self.model.states) + 1))
        state.rests = not v or not any(v)
        for link in bodies:
            flow = state.flow.get(link.up, Flow())
            flow = flow.then(link.offset)
            if link.free:
                flow = free_flow(link, q, v)
            for n, j in enumerate(link.chain):
                flow, state.position[j] = joint_flow(link, j, flow, q, v)
                if n in link.helpers:
                    state.flow[link.helpers[n]] = flow
            state.flow[link] = flow
        for actuator, x in zip(self.actuators, ctrl or []):
            name = self.name_of(actuator)
            j, gear_of_it = self.by_actuator.get(name, (None, 1.0))
            if j is not None and j.drive == "NSC_DRIVE_SERVO" and j.stiffness > 0:
                state.target[j] = x / gear_of_it
            elif x != 0:
                self.model.leave("ctrl of a keyframe for what is no servo", name)
        self.model.states.append(state)

    def read_row(self, e, key, count):
        """The numbers of a row of a keyframe; None: there are none"""
        if key not in e.attrib:
            return None
        return numbers(e.get(key), count, key) if count > 0 else []

    # -- sensors

    def read_sensor(self, e):
        model = self.model
        name = e.get("name") or "sensor%d" % (len(model.sensors) + 1)
        if e.tag in JOINT_SENSORS:
            kind, key, power = JOINT_SENSORS[e.tag]
            scale = 1.0
            if key == "joint":
                j = self.by_joint.get(e.get("joint"))
            else:
                j, scale = self.by_actuator.get(e.get("actuator"), (None, 1.0))
            if j is None or j.moves is None:
                return model.leave("<%s> of a joint that has no single axis" % e.tag, name)
            sensor = Sensor(name, kind, j)
            sensor.scale = scale ** power
        elif e.tag in LINK_SENSORS:
            link, pose = self.place_of(e)
            if link is None or e.get("refname"):
                return model.leave("<%s> of <sensor> of what is no site or body, or relative" %
                                   e.tag, name)
            kept, pose = self.at_last(link, pose)
            sensor = Sensor(name, LINK_SENSORS[e.tag], kept)
            sensor.pose = pose
            if e.tag in ("force", "torque"):
                sensor.joint = link.joint
                sensor.scale = -1.0       # MuJoCo tells what the link bears, nsc what it exerts
                if link is not kept or link.joint is None:
                    return model.leave("<%s> of <sensor> where no joint is" % e.tag, name)
        else:
            return model.leave("<%s> of <sensor>" % e.tag, name)
        for key in ("cutoff", "noise"):
            if number(e, key) > 0:
                model.leave("%s of a sensor" % key, name)
        model.sensors.append(sensor)

    def place_of(self, e):
        """Link and pose in it of what a sensor is on; None: neither a site nor a body"""
        if "site" in e.attrib or e.get("objtype") == "site":
            return self.sites.get(e.get("site") or e.get("objname"), (None, HERE))
        link = self.by_body.get(e.get("objname"))
        if link is None or e.get("objtype") not in ("body", "xbody"):
            return None, HERE
        if e.get("objtype") == "xbody":
            return link, HERE
        if e.tag == "framequat":
            return None, HERE             # of the principal axes of inertia
        return link, (ONE, link.whole_body[1])

    # -- after fixed bodies have become part of their parents

    def finish(self):
        model = self.model
        moving = [l for l in model.links if l.kind == "NSC_DYNAMIC_BODY" and l.body[0] > 0]
        if self.total > 0 and moving:
            s = self.total / sum(l.body[0] for l in moving)
            for l in moving:
                l.body = (s * l.body[0], l.body[1], scaled3(s, l.body[2]))
        self.read_actuators()
        for part in self.root.findall("keyframe"):
            for e in part.findall("key"):
                with reading("key", e.get("name") or "without name"):
                    self.read_key(e)
        for part in self.root.findall("sensor"):
            for e in part:
                with reading("<%s> of <sensor>" % e.tag, e.get("name")):
                    self.read_sensor(e)
        flags = [f.attrib for o in self.root.findall("option") for f in o.findall("flag")]
        loose = any(f.get("filterparent") == "disable" for f in flags)
        for j in model.joints:
            # what hangs on the ground collides with it, as in MuJoCo
            if j.joins_links() and (loose or j.parent is None or
                                     j.parent.kind == "NSC_STATIC_BODY"):
                j.collide = 1
        self.kept = set(model.links)
        self.between = {}
        for j in reversed(model.joints):
            if j.joins_links():
                self.between[frozenset([j.parent, j.child])] = j
        for one, two, why in self.excluded:
            self.exclude(self.at_last(one)[0], self.at_last(two)[0])
        for link in model.links:
            for s in list(link.shapes):
                if s.kind == "NSC_SHAPE_HALF_SPACE" and link.kind == "NSC_DYNAMIC_BODY":
                    link.shapes.remove(s)
                    model.leave("plane on a body that moves", s.name)
        if model.links and model.links[0].kind == "NSC_STATIC_BODY":
            model.fixed_base = 1
        elif model.options.fixed_base:
            model.fixed_base = 1

    def at_last(self, link, pose=HERE):
        """The link that a link went into, and this pose in its frame"""
        if link not in self.model.merged:
            return link, pose
        kept, inner = self.model.merged[link]
        return kept, pose_times(inner, pose)

    def exclude(self, one, two):
        """No contact between two links: their joint says so, or one that holds nothing"""
        model = self.model
        if one is two or one not in self.kept or two not in self.kept:
            return
        key = frozenset([one, two])
        if key not in self.between:
            j = Joint("exclude %s %s" % (one.name, two.name), "DISTANCE", one, two, two.pose)
            model.joints.append(j)
            self.between[key] = j
        self.between[key].collide = 0


class Flow:
    """Pose of a frame in the robot's, and how it moves: turn rate, and velocity of the point that
    is at the robot's origin"""

    def __init__(self, pose=HERE, spin=(0.0, 0.0, 0.0), slip=(0.0, 0.0, 0.0)):
        self.pose, self.spin, self.slip = pose, spin, slip

    def then(self, inner):
        """Of a frame that is fixed to this one"""
        return Flow(pose_times(self.pose, inner), self.spin, self.slip)

    def velocity(self):
        return add(self.slip, cross(self.spin, self.pose[1]))


class State:
    def __init__(self, name):
        self.name = name
        self.rests = True
        self.flow, self.position, self.target = {}, {}, {}


class Sensor:
    def __init__(self, name, kind, of):
        self.name = name
        self.kind = kind                  # NSC_ROBOT_*
        self.of = of                      # joint or link
        self.joint = None
        self.scale = 1.0
        self.pose = HERE


# kind, what it is of, power of the actuator's gear
JOINT_SENSORS = {"jointpos": ("JOINT_POSITION", "joint", 0),
                 "jointvel": ("JOINT_VELOCITY", "joint", 0),
                 "jointactuatorfrc": ("JOINT_DRIVE", "joint", 0),
                 "actuatorpos": ("JOINT_POSITION", "actuator", 1),
                 "actuatorvel": ("JOINT_VELOCITY", "actuator", 1),
                 "actuatorfrc": ("JOINT_DRIVE", "actuator", -1)}
LINK_SENSORS = {"framepos": "PLACE", "framequat": "ORIENTATION", "framelinvel": "VELOCITY",
                "frameangvel": "TURN_RATE", "velocimeter": "VELOCIMETER", "gyro": "GYRO",
                "accelerometer": "ACCELEROMETER", "force": "FORCE", "torque": "TORQUE"}


def taken(row, count, otherwise):
    """The next numbers of a row, which loses them"""
    if row is None:
        return otherwise
    out = row[:count]
    del row[:count]
    return out


def free_flow(link, q, v):
    place = taken(q, 3, link.pose[1])
    turn = taken(q, 4, None)
    pose = (link.pose[0] if turn is None else from_quat(turn), tuple(place))
    speed = tuple(taken(v, 3, (0.0, 0.0, 0.0)))
    spin = turned(pose[0], taken(v, 3, (0.0, 0.0, 0.0)))
    return Flow(pose, spin, sub(speed, cross(spin, pose[1])))


def joint_flow(link, j, flow, q, v):
    """Behind a joint of a link; and its position"""
    inner = pose_times(pose_inverse(link.pose), j.screw)
    at = pose_times(flow.pose, inner)
    axis = transposed(at[0])[2]
    if j.is_ball:
        turn = from_quat(taken(q, 4, [1.0, 0.0, 0.0, 0.0]))
        pose = pose_times(at, (turn, (0.0, 0.0, 0.0)))
        pose = pose_times(pose, pose_inverse(inner))
        rate = turned(pose[0], taken(v, 3, (0.0, 0.0, 0.0)))
        return Flow(pose, add(flow.spin, rate), add(flow.slip, cross(at[1], rate))), 0.0
    x = taken(q, 1, [j.ref])[0]
    rate = taken(v, 1, [0.0])[0]
    if j.slides:
        pose = pose_times(at, (ONE, (0.0, 0.0, x - j.ref)))
        flow = Flow(None, flow.spin, add(flow.slip, scaled(rate, axis)))
    else:
        pose = pose_times(at, about_z(x - j.ref))
        flow = Flow(None, add(flow.spin, scaled(rate, axis)),
                    add(flow.slip, scaled(rate, cross(at[1], axis))))
    flow.pose = pose_times(pose, pose_inverse(inner))
    return flow, x


def number_of(attributes, key, otherwise):
    return numbers(attributes[key], 1, key)[0] if key in attributes else otherwise


def ball_points(half):
    """Points of an ellipsoid, evenly spread"""
    out, n = [], 500
    for i in range(n):
        z = 1 - (2 * i + 1) / n
        r, turn = math.sqrt(1 - z * z), i * math.pi * (3 - math.sqrt(5))
        out.append((half[0] * r * math.cos(turn), half[1] * r * math.sin(turn), half[2] * z))
    return out


# ---- the table

def shown(x):
    """A number as C, with as many digits as a double needs: up to 17"""
    x = float(x)
    if abs(x) < 1e-37:
        return "0"                        # a float would be, or lose digits
    text = repr(int(x)) if x == int(x) and abs(x) < 1e9 else repr(x)
    if text.lstrip("-").isdigit():
        return text
    if "." not in text:
        text = text.replace("e", ".0e") if "e" in text else text + ".0"
    return "NSC_R(%s)" % text


def clean(values, unit_of=1.0):
    """What rounding left of a zero is zero"""
    return [0.0 if abs(x) < 1e-12 * unit_of else x for x in values]


def braces(values, unit_of=1.0):
    return "{%s}" % ", ".join(shown(x) for x in clean(values, unit_of))


def shown_pose(pose):
    return "{%s, %s}" % (braces(pose[1]), braces(to_quat(pose[0])))


def quoted(text):
    out = ""
    for c in text:
        out += c if 32 <= ord(c) < 127 and c not in '"\\?' else "_"
    return '"%s"' % out


def identifier(text):
    out = "".join(c if c.isalnum() and ord(c) < 127 else "_" for c in text)
    free = re.match("[A-Za-z]", out) and out not in TAKEN and out[:3].lower() != "nsc"
    if not free or (out[-1] in "fl" and out[:-1] in TAKEN):   # of sin there are sinf and sinl
        out = "robot_" + out
    return out


def remark(text):
    """What can stand in a comment"""
    return plain(text).replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def wrapped(text, indent, width=100):
    """Words in lines; the first is not indented"""
    lines, line = [], ""
    for word in text.split():
        if line and len(indent) + len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = line + " " + word if line else word
    return ("\n" + indent).join(lines + [line])


def masks(model):
    """Category and mask of each group of shapes.  MuJoCo asks that one of two geoms names the
    other, nsc that both do: so each group has a bit, and the mask those of the groups it collides
    with.
    Bit 0 is what shapes outside the table have unless told otherwise."""
    if model.options.no_self:             # the world collides with all
        for l in model.links:
            for s in l.shapes:
                s.group = "world" if l is model.world else "robot"
        return {"world": (1, 0xffffffff), "robot": (2, 0xfffffffd)}
    groups = sorted(set(s.group for l in model.links for s in l.shapes) - set([(1, 1)]))
    if len(groups) > 31:
        raise Bad("%d kinds of contype and conaffinity: 31 are possible" % len(groups))
    bits = dict((g, 2 << n) for n, g in enumerate(groups))
    bits[(1, 1)] = 1
    rest = 0xffffffff & ~sum(bits.values())
    out = {}
    for g in bits:
        mask = 0
        for other in bits:
            if g[0] & other[1] or other[0] & g[1]:
                mask |= bits[other] | (rest if other == (1, 1) else 0)
        out[g] = (bits[g], mask)
    return out


def hull_normal(vertices, face):
    """Outward unit normal of a face, from all its corners"""
    total = (0.0, 0.0, 0.0)
    for b, c in zip(face[1:], face[2:]):
        total = add(total, cross(sub(vertices[b], vertices[face[0]]),
                                 sub(vertices[c], vertices[face[0]])))
    length = math.sqrt(dot(total, total))
    return tuple(x / length for x in total)


def hull_measure(vertices, faces):
    """Volume, centroid, and inertia about it at density 1 (xx yy zz xy xz yz), by tetrahedra"""
    mean = tuple(sum(x) / len(vertices) for x in zip(*vertices))
    volume, moment, second = 0.0, [0.0] * 3, [[0.0] * 3 for _ in range(3)]
    for face in faces:
        for i in range(2, len(face)):
            corners = [sub(vertices[face[k]], mean) for k in (0, i - 1, i)]
            det = dot(corners[0], cross(corners[1], corners[2]))
            total = tuple(sum(x) for x in zip(*corners))
            volume += det / 6
            for r in range(3):
                moment[r] += det * total[r] / 24
                for c in range(3):
                    second[r][c] += det / 120 * (total[r] * total[c] +
                                                 sum(p[r] * p[c] for p in corners))
    centre = [x / volume for x in moment]
    for r in range(3):
        for c in range(3):
            second[r][c] -= volume * centre[r] * centre[c]
    xx, yy, zz = second[0][0], second[1][1], second[2][2]
    inertia = (yy + zz, xx + zz, xx + yy, -second[0][1], -second[0][2], -second[1][2])
    return volume, add(mean, centre), inertia


def print_hull(name, hull, out):
    _, vertices, faces, note = hull
    first, corner = [0], []
    for f in faces:
        corner += f
        first.append(len(corner))
    out.append("/* " + wrapped(remark(note), "   ") + " */")
    out.append("static const nsc_hull %s = {%d, %d," % (name, len(vertices), len(faces)))
    for row in (first, corner):
        out.append("    {" + wrapped(", ".join(str(i) for i in row), "     ") + "},")
    out.append("    {")
    size = max(abs(x) for v in vertices for x in v)
    for i, v in enumerate(vertices):
        out.append("    %s%s" % (braces(v, size), "," if i + 1 < len(vertices) else ""))
    out.append("    }, {")
    for i, f in enumerate(faces):
        out.append("    %s%s" % (braces(hull_normal(vertices, f), 1),
                                 "," if i + 1 < len(faces) else ""))
    volume, centre, inertia = hull_measure(vertices, faces)
    out.append("    }, %s, %s, {" % (shown(volume), braces(centre, size)))
    numbers = [shown(x) for x in clean(inertia, max(inertia))]
    out.append("    " + ", ".join(numbers[:3]) + ",")
    out.append("    " + ", ".join(numbers[3:]) + "}};")
    out.append("")


def flow_of(state, link):
    """How a link of the table stands and moves in a state"""
    if link.wheel is not None:
        base = link.wheel[0]
        flow = flow_of(state, base).then(pose_times(pose_inverse(base.pose), link.pose))
        return flow.then(about_z(position_of(state, link.joint)))
    return state.flow.get(link, Flow(link.pose))


def position_of(state, joint):
    if joint.joins_links() and joint.child.wheel is not None:
        _, driver, ratio = joint.child.wheel
        return (position_of(state, driver) - driver.ref) / ratio
    return 0.0 if joint.kind == "BALL" else state.position.get(joint, joint.ref)


def print_states(model, name, out):
    rows = []
    for n, s in enumerate(model.states):
        flows = [flow_of(s, l) for l in model.links]
        arrays = [("pose", "nsc_pose", ["    " + shown_pose(f.pose) for f in flows])]
        if not s.rests:
            arrays.append(("velocity", "nsc_vec3", [
                "    %s, %s" % (braces(f.velocity()), braces(f.spin)) for f in flows]))
        if model.joints:
            arrays.append(("position", "nsc_real", [
                "    " + shown(position_of(s, j)) for j in model.joints]))
        if s.target:
            arrays.append(("target", "nsc_real", [
                "    " + shown(s.target.get(j, 0.0)) for j in model.joints]))
        names = {}
        for what, kind, entries in arrays:
            names[what] = "%s_%s%d" % (name, what, n)
            count = len(entries) * (2 if what == "velocity" else 1)
            out.append("static const %s %s[%d] = {" % (kind, names[what], count))
            out.append(",\n".join(entries))
            out.append("};")
        rows.append("    {%s, %s}" % (quoted(s.name), ", ".join(
            names.get(what, "NULL") for what in ("pose", "velocity", "position", "target"))))
    if rows:
        out.append("static const nsc_robot_state_def %s_states[%d] = {" % (name, len(rows)))
        out.append(",\n".join(rows))
        out.append("};")
        out.append("")


def table(model, source):
    name = identifier(model.options.name or model.name)
    links, joints = model.links, model.joints
    link_at = dict((l, i) for i, l in enumerate(links))
    joint_at = dict((j, i) for i, j in enumerate(joints))
    shapes = [(link_at[l], s) for l in links for s in l.shapes]
    frames = [(link_at[l], n, p) for l in links for n, p in l.frames]
    if model.options.no_frames:
        frames = []
    mass = sum(l.body[0] for i, l in enumerate(links)
               if l.kind == "NSC_DYNAMIC_BODY" and not (i == 0 and model.fixed_base))
    filters = masks(model)
    out = []
    hulls = len([s for _, s in shapes if s.hull is not None])
    corners = max([len(h[1]) for h in model.hulls] + [0])
    needs = "NSC_MAX_BODIES %d, NSC_MAX_SHAPES %d" % (len(links) + 1, max(len(shapes), 1))
    if joints:
        needs += ", NSC_MAX_JOINTS %d, NSC_MAX_JOINT_BLOCKS at most %d" % (
            len(joints), 4 * len(joints))
    if any(s.kind == "NSC_SHAPE_CYLINDER" for _, s in shapes):
        needs += ", NSC_CONVEX 1"
    if hulls:
        needs += ", NSC_HULL_VERTICES %d, its hulls in the table of nsc_world_set_hulls" % corners
    if any(s.kind.endswith("ACCELEROMETER") for s in model.sensors):
        needs += ", NSC_IMU 1"
    text = "%s: written by robot.py from %s, for nsc_robot.h. %d links, %d joints, %d shapes; " \
           "%s kg move. It needs %s, and room for the rest of the world." % (
               name, source, len(links), len(joints), len(shapes), "%.6g" % mass, needs)
    if joints:
        room = "NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, 24)"
        if any(link.name.startswith("wheel of ") for link in links):
            text += " nsc_solve_tree, for its wheels with nsc_newton.h included before nsc_tree.h, needs NSC_ARENA (2 * %s)." % room
        else:
            text += " nsc_solve_tree needs NSC_ARENA %s." % room
    if any(s.kind == "NSC_SHAPE_HALF_SPACE" for s in (model.world.shapes if model.world else [])):
        text += " The ground is among its shapes."
    out.append("/* " + wrapped(remark(text), "   "))
    for title, notes in (("Left out", model.left), ("Repaired", model.repairs), ("To be looked at", model.noticed)):
        if notes or notes is not model.noticed:
            out.append("   %s:%s" % (title, "" if notes else " nothing"))
        for line in listed(notes):
            out.append("     - " + wrapped(remark(line), "       "))
    out[-1] += " */"
    out.append("")
    out.append("enum { %s_LINKS = %d, %s_JOINTS = %d };" % (name, len(links), name, len(joints)))
    out.append("")
    for i, h in enumerate(model.hulls):
        print_hull("%s_hull%d" % (name, i), h, out)

    def rows(kind, what, entries):
        if entries:
            out.append("static const nsc_robot_%s_def %s_%s[%d] = {" % (
                kind, name, what, len(entries)))
            out.append(",\n".join(entries))
            out.append("};")
            out.append("")

    entries = []
    for l in links:
        m, c, t = l.body
        trace = t[0][0] + t[1][1] + t[2][2]
        tensor = [t[0][0], t[1][1], t[2][2], t[0][1], t[0][2], t[1][2]]
        tensor = [shown(x) for x in clean(tensor, trace)]
        entries.append("    {%s, %s,\n     %s,\n     %s, %s,\n     {%s,\n      %s}}" % (
            quoted(l.name), l.kind, shown_pose(l.pose), shown(m), braces(c), ", ".join(tensor[:3]),
            ", ".join(tensor[3:])))
    rows("link", "links", entries)

    entries = []
    for j in joints:
        kind = "NSC_JOINT_" + j.kind
        if j.kind == "GEAR":
            ends = (joint_at[j.parent], joint_at[j.child])
            a = b = HERE
        elif j.kind == "AXIS":
            kind = "NSC_ROBOT_AXIS"
            ends = (joint_at[j.parent], j.child)
            a = b = HERE
        else:
            ends = (-1 if j.parent is None else link_at[j.parent], link_at[j.child])
            back = HERE
            if j.ref and j.kind == "HINGE":
                back = about_z(-j.ref)
            elif j.ref and j.kind == "SLIDER":
                back = (ONE, (0.0, 0.0, -j.ref))
            b = pose_times(pose_inverse(j.child.pose), j.pose)
            a = pose_times(j.parent_pose or j.pose, back)
            if j.parent is not None:
                a = pose_times(pose_inverse(j.parent.pose), a)
        limited = j.lower is not None
        entries.append("    {%s, %s, %d, %d, %d,\n     %s,\n     %s,\n     %s" % (
            quoted(j.name), kind, j.collide, ends[0], ends[1], shown_pose(a), shown_pose(b),
            ", ".join([shown(j.ratio), "1" if limited else "0", shown(j.lower if limited else 0),
                       shown(j.upper if limited else 0), shown(j.effort), shown(j.speed),
                       shown(j.armature)])) + ",\n     " +
            ", ".join([shown(j.friction), shown(j.damping), shown(j.spring), shown(j.rest), j.drive,
                       shown(j.stiffness), shown(j.gain)]) + "}")
    rows("joint", "joints", entries)

    entries = []
    for link, s in shapes:
        category, mask = filters[s.group]
        friction = model.options.friction if s.friction is None else s.friction
        entries.append("    {%d, %s,\n     %s,\n     %s, %s, %s, 0x%xu, 0x%xu, %s}" % (
            link, s.kind, shown_pose(s.pose), braces(s.half), shown(s.radius), shown(friction),
            category, mask, "NULL" if s.hull is None else "&%s_hull%d" % (name, s.hull)))
    rows("shape", "shapes", entries)
    rows("frame", "frames", ["    {%s, %d,\n     %s}" % (quoted(n), link, shown_pose(p))
                             for link, n, p in frames])
    if model.hulls:
        out.append("static const nsc_hull *const %s_hulls[%d] = {" % (name, len(model.hulls)))
        out.append("    " + wrapped(", ".join("&%s_hull%d" % (name, i)
                                              for i in range(len(model.hulls))), "    "))
        out.append("};")
        out.append("")
    print_states(model, name, out)
    sensors = [s for s in model.sensors if s.of in link_at or s.of in joint_at]
    rows("sensor", "sensors", [
        "    {%s, NSC_ROBOT_%s, %d, %d, %s,\n     %s}" % (
            quoted(s.name), s.kind, link_at.get(s.of, joint_at.get(s.of)),
            joint_at.get(s.joint, -1), shown(s.scale), shown_pose(s.pose)) for s in sensors])
    arrays = [("%s_%s" % (name, what) if count else "NULL") for what, count in (
        ("links", len(links)), ("joints", len(joints)), ("shapes", len(shapes)),
        ("frames", len(frames)), ("states", len(model.states)), ("sensors", len(sensors)))]
    out.append("static const nsc_robot %s = {%s, %d, %d, %d, %d, %d,\n    %s,\n    %d, %d, %s, %d, %s};" % (
        name, quoted(model.name), model.fixed_base, len(links), len(joints), len(shapes),
        len(frames), ", ".join(arrays[:4]), len(model.states), len(sensors),
        ", ".join(arrays[4:]), len(model.hulls), "%s_hulls" % name if model.hulls else "NULL"))
    return "\n".join(out) + "\n"


def check(model):
    """What the loader would refuse"""
    for name, things in (("link", model.links), ("joint", model.joints), ("key", model.states),
                         ("sensor", model.sensors)):
        seen = set()
        for x in things:
            if x.name in seen:
                raise Bad("%s %s: two have this name" % (name, x.name))
            seen.add(x.name)
    if not model.links:
        raise Bad("there is no link: neither a <link>, nor a <body>, nor a shape of the world")
    shapes = sum(len(l.shapes) for l in model.links)
    for what, count, most in (("links", len(model.links), MOST_LINKS),
                              ("joints", len(model.joints), MOST_JOINTS),
                              ("shapes", shapes, MOST_SHAPES)):
        if count > most:
            raise Bad("%d %s: a world has at most %d" % (count, what, most))
    for j in model.joints:
        if j.lower is not None and j.lower > j.upper:
            raise Bad("joint %s: its lower limit %g is above its upper one %g" % (
                j.name, j.lower, j.upper))
        for what in ("friction", "damping", "spring", "armature", "effort", "speed", "stiffness",
                     "gain"):
            if getattr(j, what) < 0:
                raise Bad("joint %s: %s is %g" % (j.name, what, getattr(j, what)))
        if not abs(j.ref) <= LONGEST:
            raise Bad("joint %s: ref %g" % (j.name, j.ref))
    for l in model.links:
        check_place("link " + l.name, l.pose[1], l.body[1], *(p[1] for _, p in l.frames))
        for s in l.shapes:
            kind = s.kind[10:].lower()
            sizes = {"sphere": (s.radius,), "box": s.half}.get(kind, (s.radius, s.half[2]))
            sizes = sizes if kind in ("sphere", "box", "capsule", "cylinder") else ()
            for size in sizes:
                if not LEAST <= size <= LONGEST:
                    raise Bad("link %s: a %s of size %g" % (l.name, kind, size))
            if s.friction is not None and s.friction < 0:
                raise Bad("link %s: friction %g" % (l.name, s.friction))
            check_place("link " + l.name, s.pose[1])
    for j in model.joints:
        check_place("joint " + j.name, j.pose[1])
    for s in model.states:
        for l in model.links:
            flow = flow_of(s, l)
            check_place("key " + s.name, flow.pose[1], flow.velocity(), flow.spin)
        for what, rows in (("qpos", s.position), ("ctrl", s.target)):
            for j, x in rows.items():
                if not abs(x) <= LONGEST:
                    raise Bad("key %s: %s of joint %s is %g" % (s.name, what, j.name, x))


def check_place(what, *points):
    for p in points:
        if not all(abs(x) <= LONGEST for x in p):
            raise Bad("%s: a place of %g %g %g m" % ((what,) + tuple(p)))


def lowest(model, shape, pose, up):
    """How far a shape with its link's pose reaches along `up`, at least"""
    m, middle = pose_times(pose, shape.pose)
    along = turned(transposed(m), up)
    if shape.hull is not None:
        return dot(up, middle) + min(dot(along, v) for v in model.hulls[shape.hull][1])
    if shape.kind == "NSC_SHAPE_BOX":
        reach = sum(abs(x) * h for x, h in zip(along, shape.half))
    elif shape.kind == "NSC_SHAPE_CYLINDER":
        reach = abs(along[2]) * shape.half[2] + shape.radius * math.hypot(along[0], along[1])
    else:
        reach = abs(along[2]) * shape.half[2] + shape.radius
    return dot(up, middle) - reach


def check_floor(model):
    """A start from a key whose feet are in the ground begins with a jump: say so"""
    for ground in [s for s in (model.world.shapes if model.world else []) if s.kind == "NSC_SHAPE_HALF_SPACE"]:
        up = turned(ground.pose[0], (0.0, 0.0, 1.0))
        for state in model.states:
            deepest, what = 0.0, ""
            for n, link in enumerate(model.links):
                moves_there = link.kind == "NSC_DYNAMIC_BODY" and not (n == 0 and model.fixed_base)
                for shape in link.shapes if moves_there else ():
                    meets = shape.group[0] & ground.group[1] or ground.group[0] & shape.group[1]
                    if shape.kind == "NSC_SHAPE_HALF_SPACE" or not meets:
                        continue
                    depth = dot(up, ground.pose[1]) - lowest(model, shape, flow_of(state, link).pose, up)
                    if depth > deepest:
                        deepest, what = depth, link.name
            if deepest > 1e-3:
                model.notice("key %s: %s begins %.1f mm deep in the ground" % (
                    state.name, what, 1000 * deepest))


def convert(model, path):
    """Fill the model from the file"""
    root = parse(path)
    model.name = root.get("name" if root.tag == "robot" else "model") or "robot"
    links = len(root.findall("link")) + sum(1 for _ in root.iter("body"))
    if links > MOST_READ:
        raise Bad("<%s>: %d links, at most %d are read" % (root.tag, links, MOST_READ))
    if root.tag == "robot":
        read_urdf(model, root, path)
        merge_fixed(model)
        stand_massless(model)
    elif root.tag == "mujoco":
        reader = Mjcf(model, root, path)
        merge_fixed(model)
        reader.finish()
    else:
        raise Bad("<%s> is neither URDF nor MJCF" % root.tag)
    model.joints = [j for j in model.joints if j.parent is not j.child]
    check_gears(model)
    check(model)
    check_inertia(model)
    check_floor(model)


def main():
    p = argparse.ArgumentParser(
        description="A URDF or MJCF file as a const C table for nsc_robot.h")
    p.add_argument("file")
    p.add_argument("--name", help="of the table; else the robot's")
    p.add_argument("--corners", type=int, default=16, help="of a hull, 4..42; default 16")
    p.add_argument("--friction", type=float, default=0.5, help="where the file names none; 0.5")
    p.add_argument("--fixed-base", action="store_true", help="link 0 does not move")
    p.add_argument("--keep-fixed", action="store_true",
                   help="keep fixed joints, where both links have mass")
    p.add_argument("--no-self", action="store_true", help="links do not collide with each other")
    p.add_argument("--no-world", action="store_true",
                   help="leave out the shapes of MJCF's worldbody")
    p.add_argument("--no-frames", action="store_true",
                   help="leave out names of sites and merged links")
    p.add_argument("--balance", action="store_true",
                   help="repair an inertia that no body has, as MuJoCo's balanceinertia")
    p.add_argument("--bound", type=float, nargs=2, metavar=("MASS", "INERTIA"),
                   help="raise mass and principal moments to these")
    p.add_argument("--package", action="append", default=[], metavar="NAME=DIR",
                   help="where package://NAME is")
    options = p.parse_args()
    if not 4 <= options.corners <= 42:
        p.error("--corners should be 4..42")
    if not 0 <= options.friction <= GREATEST:
        p.error("--friction should be 0 or more")
    if options.bound and not all(0 <= x <= GREATEST for x in options.bound):
        p.error("--bound should be 0 or more")
    model = Model(options)
    try:
        convert(model, options.file)
        text = table(model, os.path.basename(options.file))
    except (Bad, OSError) as e:
        say(model)
        text = plain(str(e))
        text = text if len(text) < 1000 else text[:1000] + "..."
        sys.exit("robot.py: %s: %s" % (plain(options.file), text))
    say(model)
    sys.stdout.write(text)


def say(model):
    """What is left out, repaired and to be looked at, on stderr; of a file that is refused too"""
    for title, notes in (("left out", model.left), ("repaired", model.repairs), ("to be looked at", model.noticed)):
        for line in listed(notes):
            sys.stderr.write("%s: %s\n" % (title, plain(line)))


if __name__ == "__main__":
    main()
