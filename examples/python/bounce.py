"""A ball bounces: python3 bounce.py [bounce.svg].  Needs a C compiler, and no package."""
import sys
import nsc

world = nsc.Library().World()
world.add_shape(nsc.GROUND, "half_space", restitution=0.8)
ball = world.add_body(position=(0, 0, 1))
world.add_shape(ball, "sphere", radius=0.1)

heights = []
for i in range(480):
    world.step(1 / 240)
    heights.append(float(world.pose(ball).position[2]))
for row in range(10, 0, -1):  # a star where the ball is, 0.1 m a row and 1/40 s a column
    print("%3.1f m |" % (row / 10) + "".join("*" if row - 0.5 <= 10 * z < row + 0.5 else " " for z in heights[::6]))
if len(sys.argv) > 1:
    nsc.plot(sys.argv[1], {"height": ([i / 240 for i in range(480)], heights)}, "time [s]", "height of the centre [m]")
