"""examples/python/nsc.py: against closed answers, against the C library's own hashes, and its refusals, in float and double, with
numpy and without it: python3 test_nsc.py [--without-numpy].  The last line counts."""
import math, os, random, sys, tempfile

if "--without-numpy" in sys.argv:
    sys.modules["numpy"] = None
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "python"))
import nsc

passed = failed = skipped = 0


def check(fact, what):
    global passed, failed
    if fact:
        passed += 1
    else:
        failed += 1
        print("FAILED: %s (line %d)" % (what, sys._getframe(1).f_lineno))


def near(a, b, tolerance, what):
    a, b = [list(x) if hasattr(x, "__len__") else [x] for x in (a, b)]
    check(len(a) == len(b) and all(abs(float(p) - float(q)) <= tolerance for p, q in zip(a, b)), "%s: %s, should be %s" % (what, a, b))


def refused(what, field, call, *arguments, **fields):
    try:
        call(*arguments, **fields)
        check(False, what + " is not refused")
    except nsc.Refused as why:
        check(why.code < 0 and why.field == field and "look at" in str(why), "%s: %s %s" % (what, why.field, why))


def raises(error, what, call, *arguments, **fields):
    try:
        call(*arguments, **fields)
        check(False, what + " raises nothing")
    except error:
        check(True, what)


def ground(lib, **fields):
    world = lib.World(**fields)
    world.add_shape(nsc.GROUND, "half_space")
    return world


def bodies(lib, real):
    tolerance = 1e-5 if real == 4 else 1e-12
    world = lib.World(gravity=(0, 0, -10))
    a = world.add_body(position=(1, 2, 3), velocity=(1, 0, 0), angular_velocity=(0, 0, 2))
    world.add_shape(a, "box", half=(0.1, 0.2, 0.3), density=500)
    near(world.mass(a), 500 * 8 * 0.1 * 0.2 * 0.3, 1e-4, "mass of a box")
    world.step(0.001, 1000)  # implicit Euler: z = -g h^2 n (n + 1) / 2
    near(world.pose(a).position, (2, 2, 3 - 10 * 1e-6 * 1000 * 1001 / 2), 100 * tolerance, "a body falls")
    near(world.pose(a).orientation, (math.cos(1), 0, 0, math.sin(1)), 1e-3, "and turns")
    near(world.velocity(a).linear, (1, 0, -10), 100 * tolerance, "its velocity")
    near(world.centres[1], world.pose(a).position, 1e-6, "the view of centres")
    near(world.velocities[1], world.velocity(a).linear, 1e-6, "the view of velocities")
    world.set_pose(a, (0, 0, 0), (1, 0, 0, 0))
    world.set_velocity(a)
    world.add_force(a, (0, 0, 22 * 24))
    world.step(0.5)
    near(world.velocity(a).linear, (0, 0, 6), 100 * tolerance, "a force of 22 times the mass")
    world.add_impulse(a, (24, 0, 0), world.centres[1])
    near(world.velocity(a).linear, (1, 0, 6), 100 * tolerance, "an impulse")
    if nsc.numpy:
        check(isinstance(world.centres, nsc.numpy.ndarray) and world.centres.shape == (lib.bodies, 3), "a view is an array")
        raises(ValueError, "a view is written to", world.centres.__setitem__, (1, 0), 7)
        check(world.centres.dtype.itemsize == real, "of the library's reals")
        view = world.centres
        world.step(0.1)
        near(view[1], world.pose(a).position, 1e-6, "a view shows the present")
    else:
        check(isinstance(world.centres, list) and len(world.centres) == lib.bodies, "without numpy a list")


def contact(lib, real):
    world = ground(lib)
    a = world.add_body(position=(0, 0, 0.5))
    world.add_shape(a, "sphere", radius=0.5)
    world.step(0.01, 50)
    near(world.contact_force(a).force[2], 9.81 * world.mass(a), 1, "the ground carries a ball")
    check(len(world.contacts) == 1 == world.report.contacts and world.report.islands == 1, "one contact, one island")
    near(world.contacts[0].normal, (0, 0, 1), 1e-6, "its normal")
    check(0 <= world.report.residual < 1e-4 and world.report.iterations >= 0 and world.report.dropped == 0, "the report")
    raises(AttributeError, "a field that a report does not have", getattr, world.report, "speed")
    hit = world.ray((0, 0, 3), (0, 0, -5))
    check(hit.body == a, "a ray meets the ball")
    near(hit.point, (0, 0, 1), 2e-3, "at its top")
    check(world.ray((0, 0, 3), (0, 0, 5)) is None, "upward it meets nothing")
    many = world.rays([(x / 10, 0, 3) for x in range(-20, 21)], [(0, 0, -5)] * 41)
    check(sum(1 for h in many if h.body == a) in (9, 10, 11), "a fan of rays")
    near([h.distance for h in many], [world.ray((x / 10, 0, 3), (0, 0, -5)).distance for x in range(-20, 21)], 1e-6, "a tree finds the same")
    raises(nsc.Refused, "a ray of no length", world.ray, (0, 0, 1), (0, 0, 0))


def touches(lib, real):
    world = lib.World()
    floor = world.add_shape(nsc.GROUND, "half_space")
    gate = world.add_shape(nsc.GROUND, "box", half=(0.1, 0.1, 0.1), position=(0, 0, 1), sensor=1)
    a = world.add_body(position=(0, 0, 1.5))
    ball = world.add_shape(a, "sphere", radius=0.1)
    seen = []
    for _ in range(240):
        world.step(1 / 240)
        seen += world.events
    check(world.events == [] and world.report.dropped_events == 0, "nothing begins where all rests")
    fall = [("begin", {gate, ball}), ("end", {gate, ball}), ("begin", {floor, ball})]
    check([(e.kind, {e.shape_a, e.shape_b}) for e in seen] == fall, "a ball falls through a gate onto a floor: %s" % (seen,))
    check(all({e.body_a, e.body_b} == {nsc.GROUND, a} for e in seen), "the bodies of these shapes")
    before = world.hash
    check(world.overlap("sphere", radius=0.5, position=(0, 0, 0.7)) == [gate, ball], "what a sphere overlaps")
    check(world.overlap("box", half=(0.1, 0.1, 0.1), position=(5, 0, 2)) == [], "and what is far off it does not")
    check([world.overlap("capsule", half=1, radius=0.1, position=(0, 0, 2), mask=m) for m in (1, 2)] == [[gate], []], "nor what a mask leaves out")
    check(world.hash == before, "asking changes nothing")
    for i in range(20):
        world.add_shape(nsc.GROUND, "sphere", radius=0.1, position=(0, 0.1 * i, -5))
    check(len(world.overlap("box", half=(3, 3, 1), position=(0, 0, -5))) == 21, "more than the first room")
    refused("a sphere of no radius", "nsc_shape_def.radius", world.overlap, "sphere", radius=0)
    raises(ValueError, "a shape that is none", world.overlap, "cone")
    world = lib.World(gravity=(0, 0, -10))
    a = world.add_body(position=(0, 0, -1), mass=2, inertia=(1, 1, 1, 0, 0, 0))
    spring = world.add_spring(nsc.GROUND, a, point_b=(0, 0, 0.25), stiffness=100, damping=20, rest=0.5)
    world.step(1 / 240, 2400)
    near(world.spring(spring).length, 0.5 + 2 * 10 / 100, 1e-4, "a spring carries 2 kg")
    near(world.spring(spring).force, (0, 0, 20), 1e-2, "with their weight")
    near(world.pose(a).position, (0, 0, -0.95), 1e-4, "from a point of the body")
    refused("a spring that is none", "nsc_spring_def.stiffness", world.add_spring, nsc.GROUND, a)
    raises(ValueError, "a spring to None", world.add_spring, nsc.GROUND, None, stiffness=1)
    raises(nsc.Refused, "the force of a spring that is none", world.spring, 12345)


def snapshots(lib, real):
    world = ground(lib)
    draw = random.Random(3)
    for i in range(6):
        b = world.add_body(position=(draw.uniform(-1, 1), draw.uniform(-1, 1), 0.3 + 0.3 * i))
        world.add_shape(b, "box", half=(0.1, 0.1, 0.1))
    before, image = world.copy(), world.save()
    world.step(1 / 120, 200)
    once, place = world.hash, list(world.centres[3])
    world.set(before)
    world.step(1 / 120, 200)
    check(world.hash == once and list(world.centres[3]) == place, "back and forth: the same bits")
    check(before.hash != once, "a copy does not move along")
    again = lib.World()
    again.load(image)
    again.step(1 / 120, 200)
    check(again.hash == once, "an image goes on with the same bits")
    raises(nsc.Refused, "a damaged image", again.load, image[:40] + bytes([image[40] ^ 1]) + image[41:])
    batch = lib.Batch(before, 5)
    one = lib.Batch(before, 5)
    for b in (batch, one):
        for i, w in enumerate(b.worlds):
            w.set_velocity((1 << 29) + 1, (0.1 * i, 0, 0))
    check(batch.step(1 / 120, 200, threads=3) == one.step(1 / 120, 200, threads=1), "codes of a batch")
    check([w.hash for w in batch.worlds] == [w.hash for w in one.worlds], "threads do not change the bits")
    check(len(set(w.hash for w in batch.worlds)) == 5, "worlds differ")
    near(batch.centres[2][3], batch[2].pose((1 << 29) + 3).position, 1e-6, "the view of a batch")


def joints(lib, real):
    world = lib.World(gravity=(0, 0, 0))
    a = world.add_body(position=(1, 0, 0), mass=1, inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    hinge = world.add_joint("hinge", nsc.GROUND, a, point=(0, 0, 0), axis=(0, 0, 1),
                            axes=[dict(drive="servo", stiffness=40, damping=8, target=0.5)])
    world.step(0.005, 2000)
    near(world.joint(hinge).position, 0.5, 1e-3, "a servo reaches its target")
    near(world.pose(a).position, (math.cos(0.5), math.sin(0.5), 0), 2e-3, "the body with it")
    world.set_target(hinge, -0.25)
    world.step(0.005, 2000)
    near(world.joint(hinge).position, -0.25, 1e-3, "another target")
    world.set_joint(hinge, 0.1)
    near(world.joint(hinge).position, 0.1, 1e-5, "a joint is set")
    slider = world.add_joint("slider", nsc.GROUND, world.add_body(mass=2, inertia=(1, 1, 1, 0, 0, 0)), point=(0, 0, 0), axis=(1, 0, 0),
                             axes=[dict(drive="force", upper=1, lower=-9)])
    world.set_force(slider, 4)
    world.step(0.001, 500)
    near(world.joint(slider).velocity, 1, 1e-3, "4 N on 2 kg for half a second")
    world.step(0.001, 2000)
    near(world.joint(slider).position, 1, 2e-3, "and the limit holds it")
    near(world.joint(slider).limit, -4, 0.1, "against the force")


def robots(lib, real):
    check(lib.World(stepper="euler_symplectic", law="cone").hash == lib.World(stepper=3, law=2).hash, "settings by name")
    raises(ValueError, "a stepper that is none", lambda: lib.World(stepper="rk4"))
    world = lib.World(solver="tree", gravity=(0, 0, 0))
    arm = world.add_robot("arm")
    check(not arm.free and "elbow" in [name for name, _, _ in arm.qpos.names], "an arm's joints by name")
    n = len(arm.qpos)
    check(n == len(arm.qvel) == len(arm.entries) and len(arm.ctrl) > 0, "qpos, qvel and ctrl of a fixed robot")
    arm.qpos["yaw"] = 0.3
    near(arm.qpos["yaw"], 0.3, 1e-5, "a joint is set by name")
    values = list(arm.qpos[:])
    values[0] = 0.25
    arm.qpos[:] = values
    near(arm.qpos[:], values, 1e-5, "all at once")
    arm.qvel["yaw"] = 0.5
    near(arm.qvel["yaw"], 0.5, 1e-5, "so is its velocity")
    near(arm.qpos["yaw"], 0.25, 1e-5, "and its position stays")
    name = arm.ctrl.names[0][0]
    arm.ctrl[name] = 0.1
    near(arm.ctrl[name], 0.1, 1e-6, "a command is kept")
    world.step(0.002, 2500)
    check(abs(float(arm.qpos[name]) - 0.1) < 0.05, "and obeyed: %s at %g" % (name, arm.qpos[name]))
    raises(KeyError, "a joint that is none", lambda: arm.qpos["wing"])
    raises(KeyError, "a drive on a joint that is none", arm.drive, "wing")
    raises(ValueError, "too few numbers", arm.qpos.__setitem__, slice(None), [1, 2])
    before = world.hash
    for what in (arm.qpos, arm.qvel, arm.ctrl):
        values = [x + 0.01 for x in what[:]]
        values[-1] = float("nan")
        raises(nsc.Refused, "a number that is none", what.__setitem__, slice(None), values)
        check(world.hash == before, "and the others are not taken either")
    raises(TypeError, "sensors are read only", arm.sensordata.__setitem__, 0, 1)

    world = lib.World(solver="tree", gravity=(0, 0, 0))
    crab = world.add_robot("crab", position=(0, 0, 2))
    check([name for name, _, _ in crab.qvel.names if name != "base"] == crab.joints, "joints are those of qpos, and no entry of robot.py's own: %s" % crab.joints)
    other = lib.World().add_robot("crab")
    for name in other.joints:
        other.drive(name, "servo", stiffness=1, damping=1)
    check([name for name, _, _ in other.ctrl.names] == other.joints, "and each takes a drive")
    check(not crab.free and "exclude cart neck" not in [name for name, _, _ in crab.qpos.names], "a base on rails is no free one")
    crab.drive("left_slide", "servo", stiffness=2000, damping=50)
    crab.ctrl["left_slide"] = 0.02
    world.step(0.002, 400)
    near(crab.qpos["left_slide"], 0.02, 2e-4, "a finger goes where its servo says, by TREE")
    near(crab.qpos["right_slide"], crab.qpos["left_slide"], 1e-4, "and a wheel takes the other as far")
    check(world.report.drift < 1e-3, "with joints closed: %g" % world.report.drift)
    world = lib.World(solver="tree", gravity=(0, 0, 0))
    crab = world.add_robot("crab", position=(0, 0, 2))
    roll = crab.sensordata["roll_angle"]
    crab.qpos["roll"] = 0.4
    near(crab.sensordata["roll_angle"], 0.4, 1e-5, "a sensor by name tells the joint (it was %g)" % roll)
    crab.set_state("bent", position=(0, 0, 2))
    where = world.hash
    raises(nsc.Refused, "a joint holds it to the ground", crab.set_state, "bent", position=(1, 0, 2))
    check(world.hash == where, "and nothing is changed")
    crab.set_state("bent")
    check(world.hash == where, "by default it stays where it was added")
    check(len(crab.sensordata[:]) == sum(c for _, _, c in crab.sensordata.names) and len(crab.sensordata["toe_turn"]) == 4, "sensors of a keyframe")
    batch = lib.Batch(world, 3)
    twins = [crab.of(w) for w in batch.worlds]
    for i, twin in enumerate(twins):
        twin.ctrl["roll"] = 0.1 * i
    batch.step(0.002, 100)
    near([twin.ctrl["roll"] for twin in twins], [0, 0.1, 0.2], 1e-6, "a batch of robots, each with its command")
    check(twins[0].qpos["roll"] < twins[1].qpos["roll"] < twins[2].qpos["roll"], "that each obeys")


def free_robots(lib, real):
    world = lib.World(solver="tree", gravity=(0, 0, 0))
    dog = world.add_robot("quadruped", position=(0, 0, 2))
    check(dog.free and len(dog.qpos) == 7 + 12 and len(dog.qvel) == 6 + 12 and len(dog.ctrl) == 0, "a base that moves, 12 joints")
    dog.drive("FL_calf_joint", "servo", stiffness=10, damping=1)
    check([name for name, _, _ in dog.ctrl.names] == ["FL_calf_joint"], "a drive is a command more")
    dog.qpos["FL_calf_joint"] = -1.5
    base = list(dog.qpos["base"])
    before = world.pose(dog.link("FL_calf")).position
    dog.qpos["base"] = [base[0] + 1, base[1], base[2] + 2] + base[3:]
    near(world.pose(dog.link("FL_calf")).position, [before[0] + 1, before[1], before[2] + 2], 1e-5, "the base takes all links along")
    half = math.sqrt(0.5)
    dog.qpos["base"] = [0, 0, 3, half, 0, 0, half]
    near(dog.qpos["base"], (0, 0, 3, half, 0, 0, half), 1e-5, "and turns")
    near(dog.qpos["FL_calf_joint"], -1.5, 1e-5, "and the joints stay")
    dog.qvel["base"] = [0.1, 0.2, 0.3, 0, 0.4, 0.5]
    near(dog.qvel["base"], (0.1, 0.2, 0.3, 0, 0.4, 0.5), 1e-5, "velocity of the base")
    near(dog.qvel[6:], [0] * 12, 1e-4, "its joints rest")
    place = list(dog.qpos["base"][:3])
    world.step(0.001)
    near([1000 * (float(b) - float(a)) for a, b in zip(place, dog.qpos["base"][:3])], (0.1, 0.2, 0.3), 0.02, "it moves so")


HOUND = """<mujoco model="hound"><worldbody><geom type="plane" size="5 5 .1"/>
<body name="trunk" pos="0 0 0.5"><freejoint/><geom type="box" size=".2 .1 .05" mass="6"/>
%s</body></worldbody>
<keyframe><key name="home" qpos="0 0 .5 1 0 0 0 .1 .2 .3 .4"/></keyframe></mujoco>""" % "".join(
    '<body name="leg%d" pos="%g %g 0"><joint name="hip%d" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .05 0 -.2" mass="1"/></body>'
    % (i, 0.15 * (1 - i // 2 * 2), 0.12 * (1 - i % 2 * 2), i) for i in range(4))


def on_a_floor(lib, real):
    """An MJCF file whose floor is a link of the robot"""
    world = lib.World(solver="tree")
    hound = world.add_robot("hound")
    floor = world.pose(hound.body[len(hound.links) - 1]).position
    check(hound.free and len(hound.links) == 6, "a trunk, four legs and the floor: %s" % hound.links)
    hound.qpos["base"] = [0.1, 0, 0.4, 1, 0, 0, 0]
    near(hound.qpos["base"], (0.1, 0, 0.4, 1, 0, 0, 0), 1e-6, "the base is put elsewhere")
    values = list(hound.qpos[:])
    values[2], values[8] = 0.45, 0.3
    hound.qpos[:] = values
    near(hound.qpos[:], values, 1e-5, "so is all")
    hound.qvel["base"] = [0.4, 0, 0, 0, 0, 0.2]
    near(hound.qvel["base"], (0.4, 0, 0, 0, 0, 0.2), 1e-5, "it moves")
    near(world.pose(hound.body[len(hound.links) - 1]).position, floor, 0, "the floor stays")
    hound.set_state("home")
    near(hound.qpos[7:], (0.1, 0.2, 0.3, 0.4), 1e-5, "a keyframe")
    raises(ValueError, "a keyframe that is none", hound.set_state, "hom")
    rolled = (math.sqrt(0.5), 0, math.sqrt(0.5), 0)
    one = lib.World(solver="tree").add_robot("hound", orientation=rolled, fixed=True)
    two = lib.World(solver="tree").add_robot("hound", fixed=True)
    one.set_state("home")
    two.set_state("home", orientation=rolled)
    near(two.dynamics().gravity[:], one.dynamics().gravity[:], 1e-4, "its dynamics are those of where it stands now")
    check(max(abs(float(f)) for f in one.dynamics().gravity[:]) > 0.1, "and that is not nothing")
    before, level = two.world.copy(), two.dynamics().gravity[:]
    two.set_state("home")
    two.world.set(before)
    near(two.dynamics().gravity[:], level, 1e-6, "a snapshot brings them back")
    raises(ValueError, "fewer than no steps", world.step, 1 / 240, -3)
    old, tree = world.copy(), world.solver
    world.solver = "sipgs"
    world.set(old)
    check(world.solver == tree, "a snapshot knows its solver")
    raises(ValueError, "a link that is none", hound.link, "leg9")
    world.step(1 / 240, 480)
    near(sum(float(world.contact_force(b).force[2]) for b in hound.body), 0, 1e-2, "what the floor gets the feet give")
    near(sum(float(world.contact_force(b).force[2]) for b, n in zip(hound.body, hound.links) if n != "world"), 98.1, 2, "its weight on the floor")


def dynamics(lib, real):
    tolerance = 1e-3 if real == 4 else 1e-6
    world = lib.World(solver="tree")
    dog = world.add_robot("quadruped", position=(0, 0, 2))
    for i, name in enumerate(dog.joints):
        dog.qpos[name] = 0.1 * (i % 4) - 0.2
    rest = dog.dynamics()
    weight = 9.81 * sum(world.mass(b) for b in dog.body)
    check([n for n, _, _ in rest.names] == ["base"] + dog.joints and rest.count == 18, "numbers of a dog: %s" % rest.names)
    near(rest.gravity["base"][2], weight, 1e-4 * weight, "a free base bears the weight")
    near(list(rest.bias[:]), list(rest.gravity[:]), tolerance, "at rest nothing but gravity")
    M, a = rest.inertia, [0.1 * k - 0.5 for k in range(18)]
    near([sum(float(m) * x for m, x in zip(row, a)) + float(b) for row, b in zip(M, rest.bias[:])], rest.inverse(a)[:], 10 * tolerance, "M a + bias = force")
    J = rest.jacobian("FL_calf", (0, 0, -0.1))
    check(len(J) == 6 and len(J[0]) == 18, "six rows")
    near([float(x) for x in J[0][:3]], (1, 0, 0), 1e-6, "of the place of the base")
    raises(ValueError, "too few accelerations", rest.inverse, [0])
    raises(ValueError, "a link that is none", rest.jacobian, "tail")
    arm_world = lib.World(solver="tree")
    arm = arm_world.add_robot("quadruped", fixed=True)
    for i, name in enumerate(arm.joints):
        arm.drive(name, "force", max_force=1e6)
        arm.qpos[name] = 0.02 * i - 0.1 if "calf" not in name else -1.5
    before = list(arm.qpos[:])
    for _ in range(50):
        now = arm.dynamics()
        for name in arm.joints:
            arm.ctrl[name] = now.gravity[name]
        arm_world.step(0.002)
    near(arm.qpos[:], before, 2e-3, "gravity compensation holds legs in the air by forces alone")
    box = lib.World()
    still = box.add_body(mass=1, inertia=(1, 1, 1, 0, 0, 0), gravity_scale=0)
    box.step(0.01)
    near(box.imu(still).acceleration, (0, 0, 9.81), 1e-5, "a unit that does not fall feels no fall")
    raises(AttributeError, "a misspelt attribute", setattr, box, "gravity", (0, 0, 0))
    check("residual=" in repr(box.report), "a report shows its fields")


def edited():
    """A robot whose file has changed: another table, the same library; both stay in one process"""
    with tempfile.TemporaryDirectory() as folder:
        old, os.environ["NSC_CACHE"] = os.environ.get("NSC_CACHE"), os.path.join(folder, "cache")
        file, masses, libs = os.path.join(folder, "hound.xml"), (6, 7), []
        for mass in masses:
            with open(file, "w") as to:
                to.write(HOUND.replace('mass="6"', 'mass="%d"' % mass))
            libs.append(nsc.Library(robots={"hound": [file, "--no-self"]}, flags=["-O0"]))
        os.environ.pop("NSC_CACHE") if old is None else os.environ.update(NSC_CACHE=old)
        kinds = sorted(name.split("_")[0] for name in os.listdir(os.path.join(folder, "cache")))
        check(kinds == ["nsc", "robots", "robots"], "a robot whose file has changed compiles its table alone: %s" % kinds)
        for lib, mass in zip(libs, masses):
            world = lib.World()
            near(world.mass(world.add_robot("hound").link("trunk")), mass, 1e-5, "each library has its own robots")


def refusals(lib, real):
    world = ground(lib)
    refused("a mass of -2", "nsc_body_def.mass", world.add_body, mass=-2)
    refused("a radius of 0", "nsc_shape_def.radius", world.add_shape, nsc.GROUND, "sphere", radius=0)
    refused("100 sub-steps", "nsc_world_def.substeps", lib.World, substeps=100)
    refused("a step of 0", "h", world.step, 0)
    refused("NaN", "h", world.step, float("nan"))
    refused("a body that is none", "body", world.set_velocity, 12345)
    raises(nsc.Refused, "the pose of a body that is none", world.pose, 12345)
    raises(AttributeError, "a field that is none", world.add_body, weight=1)
    raises(ValueError, "a shape that is none", world.add_shape, nsc.GROUND, "cone")
    raises(ValueError, "a vector of two numbers", world.add_body, velocity=(1, 2))
    raises(ValueError, "a solver that is none", lib.World, solver="best")
    for none in ("best", len(nsc.SOLVERS), -1):
        raises(ValueError, "a solver that is none, later", setattr, world, "solver", none)
    raises(ValueError, "more iterations than an int holds", lib.World, max_iterations=2**32 + 3)
    raises(ValueError, "more steps than an int holds", world.step, 0.01, 2**32)
    raises(ValueError, "a handle of more bits", world.pose, 2**32 + 1)
    raises(ValueError, "a batch of no worlds", lib.Batch, world, 0)
    made = 0
    try:
        while made < 1000:
            world.add_body()
            made += 1
    except nsc.Refused as why:
        check(why.field == "NSC_MAX_BODIES" and why.value == lib.bodies and made == lib.bodies - 1, "a full world")
    spare = lib.World()
    b = spare.add_body(mass=1, inertia=(1, 1, 1, 0, 0, 0))
    before = spare.hash
    raises(ValueError, "an impulse of four numbers", spare.add_impulse, b, (1, 0, 0, 5), (0, 0, 0))
    raises(ValueError, "a velocity of two numbers", spare.set_velocity, b, (1, 0))
    raises(ValueError, "vectors of four and two numbers", spare.add_force, b, (0, 0, 0, 1), (0, 0))
    raises(ValueError, "a quaternion of three numbers", spare.set_pose, b, (0, 0, 0), (1, 0, 0))
    raises(ValueError, "a ray of two numbers", spare.ray, (0, 0, 1), (0, 0))
    raises(ValueError, "fewer rays than origins", spare.rays, [(0, 0, 1)] * 2, [(0, 0, -1)])
    raises(ValueError, "a shape of None", spare.add_shape, None, "half_space")
    raises(ValueError, "an axis without a point", spare.add_joint, "hinge", nsc.GROUND, b, axis=(0, 1, 0))
    raises(ValueError, "a joint to None", spare.add_joint, "hinge", None, b, point=(0, 0, 0))
    raises(ValueError, "the pose of None", spare.pose, None)
    raises(ValueError, "a velocity for None", spare.set_velocity, None)
    robot = lib.World().add_robot("quadruped")
    raises(ValueError, "a base of three numbers", robot.qpos.__setitem__, "base", (0, 0, 0))
    check(spare.hash == before, "and nothing has changed")
    falls = lib.World(gravity=(0, 0, -1e18 if real == 4 else -1e153))
    b = falls.add_body(mass=1, inertia=(1, 1, 1, 0, 0, 0))
    once = falls.copy()
    try:
        falls.step(0.25, 100)
        check(False, "a velocity that overflows is not refused")
    except nsc.Refused as why:
        check(0 < why.steps < 100 and "%d of 100 steps were made" % why.steps in str(why), "steps before a refused one: %s" % why)
        check(once.step(0.25, why.steps) == 0 and once.hash == falls.hash, "these were made, and no more")
    raises(RuntimeError, "a library that does not compile", nsc.Library, NSC_BARRIER=1, NSC_SMOOTH=0)
    raises(ValueError, "a macro that no header has", nsc.Library, NSC_MAX_BODY=4)


def main():
    here = os.path.join(nsc.ROOT, "tests", "robots")
    files = {"arm": os.path.join(here, "arm.xml"), "crab": os.path.join(here, "crab.xml"), "quadruped": os.path.join(here, "quadruped.urdf")}
    hound = os.path.join(tempfile.mkdtemp(), "hound.xml")
    with open(hound, "w") as file:
        file.write(HOUND)
    files["hound"] = [hound, "--no-self"]
    for double in (False, True):
        lib = nsc.Library(robots=files, double=double, flags=["-O0"], NSC_MAX_BODIES=40)
        for test in (bodies, contact, touches, snapshots, joints, robots, free_robots, on_a_floor, dynamics, refusals):
            test(lib, 8 if double else 4)
    edited()
    small = nsc.Library(flags=["-O0"], NSC_MAX_BODIES=4, NSC_MAX_JOINTS=2, NSC_MAX_CONTACTS=8)
    raises(ValueError, "a world of another library", small.World().set, lib.World())
    raises(ValueError, "a batch of a world of another library", small.Batch, lib.World(), 2)
    for solver in nsc.SOLVERS:
        if solver in ("minres", "dantzig"):  # for joints alone, and PYRAMID
            continue
        world = ground(lib, solver=solver)
        world.add_shape(world.add_body(position=(0, 0, 0.2)), "box", half=(0.2, 0.2, 0.2))
        world.step(0.01, 20)
        near(world.centres[1][2], 0.2, 2e-3, "a box rests by " + solver)
    print("nsc.py, %s: %d passed, %d failed, %d skipped" % ("with numpy" if nsc.numpy else "without numpy", passed, failed, skipped))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
