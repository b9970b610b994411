#!/bin/sh
# examples/kit/mesh.py: does it print the table that tests/shapes/test_mesh.c loads, the same of OBJ and STL, and refuse or name what it
# should?  usage: check.sh DIRECTORY for what it writes
cd "$(dirname "$0")/../.." || exit 1
D=${1:-build/meshes}
passed=0 failed=0

python=$(python3 -c 'import sys; print(sys.executable if sys.version_info >= (3, 7) else "")' 2> /dev/null) # itself, not what finds it
if [ -z "$python" ]; then
    echo "skipped: no python3 of 3.7 or later, for mesh.py"
    echo "meshes: 0 passed, 0 failed, 1 skipped"
    exit
fi
mkdir -p "$D"

# mesh ARGUMENT...: mesh.py, as tests/robots/check.sh calls robot.py
rm -f "$D/calls" "$D/codes"
mkfifo "$D/calls" "$D/codes"
"$python" tests/robots/forks.py examples/kit/mesh.py "$D" < "$D/calls" > "$D/codes" &
exec 3> "$D/calls" 4< "$D/codes"
mesh() {
    printf '%s\037' "$@" >&3
    echo >&3
    read -r code_said <&4 || code_said=99
    return "$code_said"
}

ok() {
    passed=$((passed + 1))
}

bad() {
    failed=$((failed + 1))
    echo "FAILED: mesh.py: $1"
}

# says TEXT CODE FILE [OPTION...]: this exit code, and this text among what is said or printed
says() {
    text=$1 code=$2 file=$3
    shift 3
    if [ -n "${PYTHONIOENCODING:-}" ]; then "$python" examples/kit/mesh.py "$@" "$D/$file" > "$D/table" 2> "$D/said"; else mesh "$@" "$D/$file"; fi
    got=$?
    if [ $got -eq "$code" ] && grep -q -e "$text" "$D/table" "$D/said" && ! grep -q Traceback "$D/said"; then
        if [ "$code" -eq 0 ] || ! [ -s "$D/table" ]; then ok; else bad "prints a table and fails: $text"; fi
    else
        bad "code $got, not said: $text"
        head -5 "$D/said"
    fi
}

if mesh tests/meshes/ramp.obj && cmp -s "$D/table" tests/meshes/ramp.h; then ok; else bad "another table of ramp.obj"; diff "$D/table" tests/meshes/ramp.h | head -5; fi

# The ramp as text and binary STL: the same triangles, each with corners of its own
"$python" - "$D" << 'END'
import struct, sys
v, f = [], []
for line in open("tests/meshes/ramp.obj"):
    w = line.split()
    if w[0] == "v": v.append([float(x) for x in w[1:]])
    if w[0] == "f":
        c = [int(x.split("/")[0]) - 1 for x in w[1:]]
        f += [(c[0], c[k], c[k + 1]) for k in range(1, len(c) - 1)]
with open(sys.argv[1] + "/ramp.stl", "wb") as out:
    out.write(b"solid but binary".ljust(80) + struct.pack("<I", len(f)))
    for t in f: out.write(struct.pack("<12fH", 0, 0, 0, *(x for i in t for x in v[i]), 0))
with open(sys.argv[1] + "/text.stl", "w") as out:
    out.write("solid ramp\n")
    for t in f:
        out.write("facet normal 0 0 0\nouter loop\n")
        for i in t: out.write("vertex %.9g %.9g %.9g\n" % tuple(v[i]))
        out.write("endloop\nendfacet\n")
    out.write("endsolid\n")
END
for stl in ramp.stl text.stl; do
    # vertices may be numbered differently, the rest of the first line and the boxes not
    if mesh --name ramp "$D/$stl" && grep -q '14 vertices, 20 triangles, 9 nodes' "$D/table" && [ "$(grep -c 65535 "$D/table")" -eq 0 ]; then ok; else bad "another table of $stl"; fi
done
head -c 300 "$D/ramp.stl" > "$D/short.stl"
says 'whole' 1 short.stl
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$D/one.obj"
says '3 vertices, 1 triangles, 1 nodes' 0 one.obj
says 'open: 3 edges with a triangle on one side alone' 0 one.obj
says '{0, 2, 1}' 0 one.obj --flip
says '0.00100000005f' 0 one.obj --scale 0.001
says 'nsc_mesh other = ' 0 one.obj --name other
says 'is no name in C' 1 one.obj --name 1x
says 'scale must be > 0' 1 one.obj --scale -1
says 'scale must be > 0' 1 one.obj --scale nan
says 'all triangles are dropped' 1 one.obj --weld 3
says 'No such file' 1 none.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n' > "$D/odd.obj"
says 'open: 2 edges of triangles that are turned the other way' 0 odd.obj
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' > "$D/line.obj"
says 'all triangles are dropped' 1 line.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' > "$D/index.obj"
says 'line 4: f 1 2 4' 1 index.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nf 1 2\n' > "$D/two.obj"
says 'line 5: f 1 2' 1 two.obj
printf 'v 0 0 x\n' > "$D/word.obj"
says 'line 1' 1 word.obj
printf 'v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$D/nan.obj"
says 'a coordinate of nan' 1 nan.obj
printf 'v 0 0 1e30\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$D/far.obj"
says 'a coordinate of 1e+30' 1 far.obj
: > "$D/empty.obj"
says 'no triangles' 1 empty.obj
: > "$D/empty.stl"
says 'neither' 1 empty.stl
# What tests/fuzz/models.py found: names that C has already, and what no terminal should get
for name in int sinf nsc_world; do says "$name is no name in C, or taken" 1 one.obj --name $name; done
cp "$D/one.obj" "$D/index.obj"
says 'nsc_mesh mesh_index = ' 0 index.obj
cp "$D/one.obj" "$D/é*.obj"
PYTHONIOENCODING=ascii says 'from \\xe9\*.obj by' 0 'é*.obj'
printf 'v 0 0 0\nf 1\003 2 3\n' > "$D/odd.obj"
says 'line 2: f 1\\x03 2 3' 1 odd.obj

# Ground that looks down, or whose up is y: named with the option that helps, which then is silent.  A block has two sides.
quiet() { mesh "$@"; if [ $? -eq 0 ] && ! grep -q ' look ' "$D/said" "$D/table"; then ok; else bad "not silent: $*"; head -5 "$D/said"; fi; }
"$python" - "$D" << 'END'
import sys
def sheet(name, corner, faces):
    with open(sys.argv[1] + "/" + name, "w") as out:
        for i in range(5):
            for j in range(5): out.write("v %g %g %g\n" % corner(i, j, 0.1 * (i * j % 3)))
        for i in range(4):
            for j in range(4):
                c = [5 * i + j + 1, 5 * i + j + 6, 5 * i + j + 7, 5 * i + j + 2]
                out.write("f %d %d %d %d\n" % tuple(c if faces else c[::-1]))
sheet("up.obj", lambda i, j, h: (i, j, h), True)
sheet("down.obj", lambda i, j, h: (i, j, h), False)
sheet("y_up.obj", lambda i, j, h: (i, h, -j), True)
sheet("y_down.obj", lambda i, j, h: (i, h, -j), False)
END
quiet "$D/up.obj"
says '100 % of its faces look down, and hold nothing from above: --flip' 0 down.obj
quiet "$D/down.obj" --flip
says '100 % of its faces look along y: if y is up in this file, --y-up$' 0 y_up.obj
quiet "$D/y_up.obj" --y-up
mesh "$D/up.obj" --name same && cp "$D/table" "$D/same" && mesh "$D/y_up.obj" --y-up --name same
if [ "$(sed 1,2d "$D/table")" = "$(sed 1,2d "$D/same")" ]; then ok; else bad "y up is another table than z up"; fi
says '100 % of its faces look along -y: if y is up in this file, --y-up --flip$' 0 y_down.obj
quiet "$D/y_down.obj" --y-up --flip
says 'look along -y: if z is up in this file, leave out --y-up' 0 up.obj --y-up
quiet tests/meshes/ramp.obj

# The same seed each time; another one by make fuzz
if [ -n "$NSC_WHOLE" ]; then cases=150; else cases=20; fi
if "$python" tests/fuzz/models.py meshes --seed 1 --cases $cases > "$D/fuzz"; then ok; else
    bad "tests/fuzz/models.py meshes --seed 1"
    cat "$D/fuzz"
fi

echo "meshes: $passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
