"""A box is thrown 200 times, each time a little otherwise, as a batch of worlds on all cores: python3 throw.py [throw.svg].
How far does it come?"""
import random, sys, time
import nsc

COUNT = 200
lib = nsc.Library(NSC_MAX_BODIES=2, NSC_MAX_CONTACTS=16, NSC_MAX_JOINTS=1, NSC_MAX_EVENTS=0)
world = lib.World()
world.add_shape(nsc.GROUND, "half_space", friction=0.4, restitution=0.3)
box = world.add_body(position=(0, 0, 1))
world.add_shape(box, "box", half=(0.1, 0.07, 0.05))

batch = lib.Batch(world, COUNT)
draw = random.Random(7)
speeds, spins = [draw.uniform(2, 4) for _ in range(COUNT)], [draw.uniform(-8, 8) for _ in range(COUNT)]
for one, speed, spin in zip(batch.worlds, speeds, spins):
    one.set_velocity(box, (speed, 0, 1), (0, spin, 0))
begin = time.perf_counter()
codes = batch.step(1 / 240, 960)
took = time.perf_counter() - begin

ends = [float(batch.centres[i][1][0]) for i in range(COUNT)]  # world, slot of the box, x
resting = sum(1 for i in range(COUNT) if abs(float(batch.velocities[i][1][0])) < 0.01)
order = sorted(range(COUNT), key=lambda i: speeds[i])
print("%d worlds, %d steps each, in %.2f s; %d rest; from %.2f to %.2f m" % (COUNT, 960, took, resting, min(ends), max(ends)))
if len(sys.argv) > 1:
    nsc.plot(sys.argv[1], {"where it rests": ([speeds[i] for i in order], [ends[i] for i in order])}, "speed of the throw [m/s]", "[m]")
sys.exit(min(codes) < 0 or resting < COUNT)
