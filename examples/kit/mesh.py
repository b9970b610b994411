#!/usr/bin/env python3
"""mesh.py - an OBJ or STL file as a const C table for nsc_world_set_meshes

    python3 mesh.py floor.obj > floor.h
    python3 mesh.py --scale 0.001 --name ramp part.stl > ramp.h       millimetres to metres

    #define NSC_MESHES 1                        in every file, before nsc.h
    #include "floor.h"                          static const nsc_mesh floor
    static const nsc_mesh *const table[] = {&floor};
    nsc_world_set_meshes(&world, table, 1);
    nsc_shape_def d = nsc_default_mesh_def();
    nsc_world_add_mesh(&world, NSC_GROUND, &d, 0);

Needs Python 3.7 or later, and nothing else.  Corners nearer than --weld metres become one vertex,
polygons are cut into triangles, triangles whose corners are on a line or that stand there twice are
dropped.  How many, and what else deserves a look, is named on stderr and in the table's comment.  A
file of which no sound table can be made gives none, and exit code 1: a table has at most 65 535
vertices, triangles and nodes; files above 262 140 triangles or 100 MB are not read.  Triangles must
be counter-clockwise seen from outside (--flip turns them all).  MIT licence, in full at the end of
nsc.h."""
import argparse
import math
import os
import re
import struct
import sys

OPEN = 65535
LEAF = 4           # triangles of a leaf
THIN = 2e-5        # least height of a triangle, of its longest edge; nsc.h refuses 1e-5
LARGE = 1e9        # greatest coordinate [m]
MOST = 65535       # vertices, triangles, nodes of a table
READ = 4 * MOST    # triangles in a file
BYTES = 100000000  # of a file


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


def is_free(name):
    """Can a table in C be called so?  Of sin there are sinf and sinl"""
    return bool(re.fullmatch(r"[A-Za-z]\w*", name, flags=re.ASCII)) and name not in TAKEN and \
        name[:3].lower() != "nsc" and not (name[-1] in "fl" and name[:-1] in TAKEN)


def plain(text):
    """In printable ASCII"""
    return "".join(c if 32 <= ord(c) < 127 else c.encode("unicode_escape").decode() for c in text)


def remark(text):
    """What can stand in a comment"""
    return plain(text).replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def to_float(x):
    """The nearest number that a C float holds"""
    if not abs(x) < LARGE:
        raise Bad("a coordinate of %g" % x)
    return struct.unpack("<f", struct.pack("<f", x))[0]


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def read_bytes(path):
    if os.path.exists(path) and not os.path.isfile(path):
        raise Bad("STL or OBJ: no file")
    if os.path.getsize(path) > BYTES:
        raise Bad("%d bytes: at most %d are read" % (os.path.getsize(path), BYTES))
    with open(path, "rb") as f:
        return f.read()


# ---- files: lists of points, and of triangles as three indices

def check_count(triangles, most):
    if triangles > most:
        raise Bad("more than %d triangles: a table has at most %d, cut the mesh in parts" % (
            most, MOST))


def read_obj(text):
    points, triangles = [], []
    for number, line in enumerate(text.splitlines(), 1):
        word = line.split("#")[0].split()
        try:
            if word[:1] == ["v"]:
                points.append(tuple(float(x) for x in word[1:4]))
                if len(points[-1]) < 3:
                    raise ValueError
            elif word[:1] == ["f"]:
                face = [int(x.split("/")[0]) for x in word[1:]]
                face = [i - 1 if i > 0 else len(points) + i for i in face]
                if len(face) < 3 or min(face) < 0 or max(face) >= len(points):
                    raise ValueError
                for k in range(1, len(face) - 1):
                    triangles.append((face[0], face[k], face[k + 1]))
                check_count(len(triangles), READ)
        except ValueError:
            raise Bad("line %d: %s" % (number, line.strip()[:60]))
    return points, triangles


def read_stl_text(text):
    numbers = re.findall(r"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", text)
    try:
        points = [tuple(float(x) for x in p) for p in numbers]
    except ValueError:
        raise Bad("a vertex that is no number")
    check_count(len(points) // 3, READ)
    if len(points) % 3:
        raise Bad("%d vertices are no whole triangles" % len(points))
    return points, [(i, i + 1, i + 2) for i in range(0, len(points), 3)]


def read_stl(data):
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else 0
    if len(data) < 84 or len(data) != 84 + 50 * count:
        if data.lstrip()[:5].lower() == b"solid" and b"facet" in data:
            return read_stl_text(data.decode("latin-1"))
        raise Bad("neither a text STL file nor a whole binary one")
    check_count(count, READ)
    points = []
    for x in struct.iter_unpack("<12x9f2x", data[84:]):
        points += [x[0:3], x[3:6], x[6:9]]
    return points, [(i, i + 1, i + 2) for i in range(0, len(points), 3)]


# ---- vertices and triangles

def weld(points, near):
    """Which vertex each point becomes, and the vertices: the first of those near each other"""
    cells, vertices, become = {}, [], []
    size = near if near > 0 else 1.0
    for p in points:
        cell = tuple(math.floor(x / size) for x in p)
        found = None
        reach = (-1, 0, 1) if near > 0 else (0,)
        for c in ((cell[0] + i, cell[1] + j, cell[2] + k)
                  for i in reach for j in reach for k in reach):
            for v in cells.get(c, ()):
                d = sub(vertices[v], p)
                if dot(d, d) <= near * near and (found is None or v < found):
                    found = v
        if found is None:
            found = len(vertices)
            vertices.append(p)
            cells.setdefault(cell, []).append(found)
        become.append(found)
    return become, vertices


def is_thin(p, q, r):
    longest = max(dot(sub(a, b), sub(a, b)) for a, b in ((p, q), (q, r), (r, p)))
    n = cross(sub(q, p), sub(r, p))
    return math.sqrt(dot(n, n)) <= max(THIN * longest, 2e-18)


def sound_triangles(vertices, triangles, notes):
    kept, seen, thin, twice = [], set(), 0, 0
    for t in triangles:
        first = t.index(min(t))
        turned = t[first:] + t[:first]
        if len(set(t)) < 3 or is_thin(*(vertices[i] for i in t)):
            thin += 1
        elif turned in seen:
            twice += 1
        else:
            seen.add(turned)
            kept.append(t)
    if thin:
        notes.append("dropped: %d triangles with corners on a line or at one place" % thin)
    if twice:
        notes.append("dropped: %d triangles that stand there twice" % twice)
    return kept


def share(points, triangles, axis):
    """Of the area: what looks along this axis, within 60 degrees, and what against it"""
    whole, along, against = 0.0, 0.0, 0.0
    for p, q, r in ((points[i] for i in t) for t in triangles):
        n = cross(sub(q, p), sub(r, p))
        size = math.sqrt(dot(n, n))
        whole += size
        along += size if n[axis] > 0.5 * size else 0.0
        against += size if n[axis] < -0.5 * size else 0.0
    return (along / whole, against / whole) if 0 < whole < math.inf else (0.0, 0.0)


def check_sides(points, triangles, is_turned, notes):
    """Is this ground that looks down, or whose up is y?  What has two sides is none"""
    few, most = 0.1, 0.6
    up, down = share(points, triangles, 2)
    if down > most and up < few:
        notes.append("%.0f %% of its faces look down, and hold nothing from above: --flip turns "
                     "them" % (100 * down))
    if max(up, down) >= few:
        return
    along, against = share(points, triangles, 1)
    if max(along, against) > most and min(along, against) < few:
        hint = "if y is up in this file, --y-up" + (" --flip" if against > along else "")
        if is_turned:
            hint = "if z is up in this file, leave out --y-up"
        notes.append("%.0f %% of its faces look along %sy: %s" % (
            100 * max(along, against), "-" if against > along else "", hint))


# ---- tree and neighbours

def bounds(vertices, triangles):
    points = [vertices[i] for t in triangles for i in t]
    return (tuple(min(p[k] for p in points) for k in range(3)),
            tuple(max(p[k] for p in points) for k in range(3)))


def grow(vertices, triangles, order, nodes):
    """Add the node of these triangles, and what stands below it; leaves add theirs to `order`"""
    low, high = bounds(vertices, triangles)
    own = len(nodes)
    nodes.append(None)
    if len(triangles) <= LEAF:
        nodes[own] = (low, high, own + 1, len(order), len(triangles))
        order.extend(triangles)
        return
    axis = max(range(3), key=lambda k: high[k] - low[k])
    triangles = sorted(triangles, key=lambda t: (sum(vertices[i][axis] for i in t), t))
    # leaves are full but for the last one
    half = LEAF * ((len(triangles) + 2 * LEAF - 1) // (2 * LEAF))
    grow(vertices, triangles[:half], order, nodes)
    grow(vertices, triangles[half:], order, nodes)
    nodes[own] = (low, high, len(nodes), 0, 0)


def neighbours(triangles, notes):
    """Index of the triangle across each edge, which must be the only one there"""
    owners = {}
    for i, t in enumerate(triangles):
        for k in range(3):
            owners.setdefault((t[k], t[(k + 1) % 3]), []).append(i)
    beyond, border, odd = [], 0, 0
    for t in triangles:
        row = []
        for k in range(3):
            edge = (t[k], t[(k + 1) % 3])
            other = owners.get(edge[::-1], [])
            sound = len(owners[edge]) == 1 and len(other) == 1
            row.append(other[0] if sound else OPEN)
            border += len(owners[edge]) == 1 and not other
            odd += len(owners[edge]) > 1 or len(other) > 1
        beyond.append(tuple(row))
    if border:
        notes.append("open: %d edges with a triangle on one side alone" % border)
    if odd:
        notes.append("open: %d edges of triangles that are turned the other way than their "
                     "neighbour, or more than two" % odd)
    return beyond


# ---- the table

def c_float(x):
    text = "%.9g" % x
    return (text if "." in text or "e" in text else text + ".0") + "f"


def c_floats(row):
    return "{" + ", ".join(c_float(x) for x in row) + "}"


def c_table(kind, name, rows):
    return "static const nsc_mesh_%s %s_%s[%d] = {\n%s};\n" % (
        kind, name, kind, len(rows), "".join("    %s,\n" % r for r in rows))


def table(name, source, points, triangles, near, notes):
    if not triangles:
        raise Bad("no triangles")
    points = [tuple(to_float(x) for x in p) for p in points]
    size = max(max(p[k] for p in points) - min(p[k] for p in points) for k in range(3))
    places = dict((p, i) for i, p in enumerate(dict.fromkeys(points)))
    become, vertices = weld(list(places), 1e-6 * size if near is None else near)
    become = [become[places[p]] for p in points]
    welded = [tuple(become[i] for i in t) for t in triangles]
    welded = sound_triangles(vertices, welded, notes)
    check_count(len(welded), MOST)
    if not welded:
        raise Bad("all triangles are dropped")
    used = sorted(set(i for t in welded for i in t))
    number = {v: i for i, v in enumerate(used)}
    vertices = [vertices[v] for v in used]
    welded = [tuple(number[i] for i in t) for t in welded]
    order, nodes = [], []
    grow(vertices, welded, order, nodes)
    beyond = neighbours(order, notes)
    if max(len(vertices), len(order), len(nodes)) > MOST:
        raise Bad("%d vertices, %d triangles, %d nodes: at most %d of each, cut the mesh in parts"
                  % (len(vertices), len(order), len(nodes), MOST))
    count = (len(vertices), len(order), len(nodes))
    said = "".join("\n   %s." % n for n in notes)
    rows = ["{{%d, %d, %d}, {%d, %d, %d}}" % (t + b) for t, b in zip(order, beyond)]
    boxes = ["{%s, %s, %d, %d, %d, 0}" % (c_floats(n[0]), c_floats(n[1]), n[2], n[3], n[4])
             for n in nodes]
    return "".join((
        "/* %s: %d vertices, %d triangles, %d nodes, %d bytes; "
        "from %s by mesh.py of nsc.%s */\n" % (
            (name,) + count + (12 * count[0] + 12 * count[1] + 32 * count[2], source, said)),
        c_table("vertex", name, [c_floats(v) for v in vertices]),
        c_table("triangle", name, rows),
        c_table("node", name, boxes),
        "static const nsc_mesh %s = {%s_vertex, %s_triangle, %s_node, %d, %d, %d};\n" % (
            (name,) * 4 + count)))


def main():
    parser = argparse.ArgumentParser(description="an OBJ or STL file as a const C table for nsc")
    parser.add_argument("file")
    parser.add_argument("--name", help="of the table; the file's by default")
    parser.add_argument("--scale", type=float, default=1.0, help="metres per unit of the file")
    parser.add_argument("--weld", type=float, help="[m] corners that are nearer become one; "
                        "a millionth of the size by default")
    parser.add_argument("--flip", action="store_true", help="turn every triangle the other way")
    parser.add_argument("--y-up", action="store_true", help="y is up in the file: x y z become "
                        "x -z y")
    options = parser.parse_args()
    source = os.path.basename(options.file)
    name = options.name
    if name is None:
        name = re.sub(r"\W", "_", os.path.splitext(source)[0], flags=re.ASCII)
        name = name if is_free(name) else "mesh_" + name
    notes = []
    try:
        if not is_free(name):
            raise Bad("%s is no name in C, or taken: give another with --name" % name)
        if not 0 < options.scale < LARGE or not (options.weld is None or 0 <= options.weld < LARGE):
            raise Bad("--scale must be > 0 and --weld >= 0")
        data = read_bytes(options.file)
        if options.file.lower().endswith(".obj"):
            points, triangles = read_obj(data.decode("latin-1"))
        else:
            points, triangles = read_stl(data)
        points = [tuple(options.scale * x for x in p) for p in points]
        if options.y_up:
            points = [(p[0], 0.0 - p[2], p[1]) for p in points]
        if options.flip:
            triangles = [(t[0], t[2], t[1]) for t in triangles]
        check_sides(points, triangles, options.y_up, notes)
        text = table(name, remark(source), points, triangles, options.weld, notes)
    except (Bad, OSError) as e:
        print("mesh.py: %s: %s" % (plain(options.file), plain(str(e))), file=sys.stderr)
        return 1
    for n in notes:
        print("mesh.py: %s: %s" % (plain(options.file), n), file=sys.stderr)
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
