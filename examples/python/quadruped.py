"""A quadruped from its URDF file stands up: python3 quadruped.py [quadruped.svg].  Servos are given to its joints by name; qpos and
qvel are laid out as MuJoCo's, ctrl as the joints are."""
import os, sys
import nsc

file = os.path.join(nsc.ROOT, "tests", "robots", "quadruped.urdf")
lib = nsc.Library(robots={"quadruped": file}, NSC_MAX_BODIES=14, NSC_MAX_SHAPES=18, NSC_MAX_JOINTS=12, NSC_MAX_CONTACTS=32)
world = lib.World(solver="tree")
world.add_shape(nsc.GROUND, "half_space", friction=1.28)
dog = world.add_robot("quadruped", position=(0, 0, 0.0999))

thighs = [name for name in dog.joints if "thigh" in name]
calves = [name for name in dog.joints if "calf" in name]
for name in dog.joints:
    dog.drive(name, "servo", stiffness=150, damping=3)


def bend(put, angle, back=0.02):
    """Thighs to this angle, knees twice as far: the feet stay below the hips."""
    for thigh, calf in zip(thighs, calves):
        put[thigh] = angle + back
        put[calf] = -2 * angle


bend(dog.qpos, 1.38, 0)  # folded, so that the feet reach the ground
times, heights, torques = [], [], []
for i in range(1500):
    rise = min(1.0, i / 500)
    bend(dog.ctrl, 1.38 - 0.58 * rise * rise * (3 - 2 * rise))
    world.step(1 / 500)
    times.append(i / 500)
    heights.append(float(dog.qpos["base"][2]))
    torques.append(dog.qfrc["FL_calf_joint"])
weight = 9.81 * sum(world.mass(body) for body in dog.body)
feet = sum(float(world.contact_force(body).force[2]) for body in dog.body)
print("trunk from %.3f to %.3f m; the feet carry %.1f of %.1f N; knee %.2f N m; residual %.1e m/s"
      % (heights[0], heights[-1], feet, weight, torques[-1], world.report.residual))
if len(sys.argv) > 1:
    nsc.plot(sys.argv[1], {"height of the trunk [m]": (times, heights)}, "time [s]", "[m]")
sys.exit(not (heights[-1] > 0.28 and abs(feet / weight - 1) < 0.02))
