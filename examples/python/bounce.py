"""A ball bounces, stepped from Python by ctypes: python3 bounce.py [bounce.svg].  Needs a C compiler, and no package."""
import ctypes, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
with tempfile.TemporaryDirectory() as made:
    so = os.path.join(made, "bounce.so")
    subprocess.check_call(["cc", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-I" + here + "/../..",
                           "-I" + here + "/../kit", here + "/bounce.c", "-o", so, "-lm"])
    nsc = ctypes.CDLL(so)
nsc.begin.argtypes, nsc.step.argtypes = [ctypes.c_float, ctypes.c_float], [ctypes.c_float]
nsc.height.restype = ctypes.c_float  # nsc_real is float, with NSC_DOUBLE double; nsc_id is int32

ball = nsc.begin(1.0, 0.8)
heights = [nsc.height(ball) for i in range(480) if nsc.step(1 / 240) >= 0]
if ball < 0 or len(heights) < 480:
    sys.exit("nsc refused something")
for row in range(10, 0, -1):  # a star where the ball is, 0.1 m a row and 1/40 s a column
    print("%3.1f m |" % (row / 10) + "".join("*" if row - 0.5 <= 10 * z < row + 0.5 else " " for z in heights[::6]))
if len(sys.argv) > 1:
    points = " ".join("%d,%.1f" % (i, 220 - 200 * z) for i, z in enumerate(heights))
    with open(sys.argv[1], "w") as svg:
        svg.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 220"><polyline fill="none" '
                  'stroke="black" points="%s"/></svg>\n' % points)
