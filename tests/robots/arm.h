/* arm: written by robot.py from arm.xml, for nsc_robot.h. 7 links, 7 joints, 9 shapes; 2.97114 kg
   move. It needs NSC_MAX_BODIES 8, NSC_MAX_SHAPES 9, NSC_MAX_JOINTS 7, NSC_MAX_JOINT_BLOCKS at most
   28, NSC_CONVEX 1, NSC_HULL_VERTICES 6, its hulls in the table of nsc_world_set_hulls, and room
   for the rest of the world. nsc_solve_tree needs NSC_ARENA NSC_ARENA_TREE(NSC_MAX_BODIES, 3 *
   NSC_MAX_BLOCKS, 24). The ground is among its shapes.
   Left out:
     - <texture>
     - <light>
     - geom that collides with nothing
     - <option>: timestep="0.002"
     - gear of a servo: its target is ctrl / gear, stiffness and damping are of the joint:
       pitch_servo
     - gear of a motor: the force of its joint is 10 * ctrl: elbow_motor
   Repaired: nothing */

enum { arm_LINKS = 7, arm_JOINTS = 7 };

/* wedge: 7 points by 6 corners; the furthest is 0 m outside */
static const nsc_hull arm_hull0 = {6, 5,
    {0, 4, 8, 11, 14, 18},
    {5, 4, 1, 2, 0, 1, 4, 3, 1, 0, 2, 4, 5, 3, 5, 2, 0, 3},
    {
    {0, 0, 0},
    {NSC_R(0.04), 0, 0},
    {0, NSC_R(0.02), 0},
    {0, 0, NSC_R(0.03)},
    {NSC_R(0.04), 0, NSC_R(0.03)},
    {0, NSC_R(0.02), NSC_R(0.03)}
    }, {
    {NSC_R(0.4472135954999579), NSC_R(0.8944271909999159), 0},
    {0, -1, 0},
    {0, 0, -1},
    {0, 0, 1},
    {-1, 0, 0}
    }, NSC_R(1.1999999999999997e-05), {NSC_R(0.013333333333333332), NSC_R(0.006666666666666666), NSC_R(0.015)}, {
    NSC_R(1.1666666666666664e-09), NSC_R(1.966666666666666e-09), NSC_R(1.333333333333333e-09),
    NSC_R(2.666666666666667e-10), 0, 0}};

static const nsc_robot_link_def arm_links[7] = {
    {"base", NSC_STATIC_BODY,
     {{0, 0, NSC_R(0.1)}, {1, 0, 0, 0}},
     NSC_R(3.2169908772759483), {0, 0, 0},
     {NSC_R(0.01587048832789468), NSC_R(0.01587048832789468), NSC_R(0.010294370807283034),
      0, 0, 0}},
    {"shoulder", NSC_DYNAMIC_BODY,
     {{0, 0, NSC_R(0.25)}, {1, 0, 0, 0}},
     NSC_R(0.4188790204786391), {0, 0, 0},
     {NSC_R(0.0004188790204786392), NSC_R(0.0004188790204786392), NSC_R(0.0004188790204786392),
      0, 0, 0}},
    {"upper", NSC_DYNAMIC_BODY,
     {{0, 0, NSC_R(0.25)}, {NSC_R(0.7071067811865475), 0, NSC_R(-0.7071067811865475), 0}},
     NSC_R(1.2690618815987813), {NSC_R(0.25), 0, NSC_R(0.023639509179966538)},
     {NSC_R(0.001562082896495684), NSC_R(0.0088398964378018), NSC_R(0.007749081713200796),
      0, 0, 0}},
    {"fore", NSC_DYNAMIC_BODY,
     {{0, 0, NSC_R(0.75)}, {NSC_R(0.7071067811865475), 0, NSC_R(-0.7071067811865475), 0}},
     NSC_R(1.264), {NSC_R(0.10759493670886076), 0, 0},
     {NSC_R(0.01006186666666667), NSC_R(0.003377755274261604), NSC_R(0.012422555274261601),
      0, 0, 0}},
    {"left", NSC_DYNAMIC_BODY,
     {{0, NSC_R(0.01), NSC_R(1.015)}, {NSC_R(0.7071067811865475), 0, NSC_R(-0.7071067811865475), 0}},
     NSC_R(0.009600000000000001), {NSC_R(0.013333333333333336), NSC_R(0.006666666666666665), NSC_R(0.014999999999999998)},
     {NSC_R(9.333333333333334e-07), NSC_R(1.5733333333333328e-06), NSC_R(1.0666666666666663e-06),
      NSC_R(2.1333333333333334e-07), 0, 0}},
    {"right", NSC_DYNAMIC_BODY,
     {{0, NSC_R(-0.01), NSC_R(1.015)}, {0, NSC_R(0.7071067811865475), 0, NSC_R(0.7071067811865475)}},
     NSC_R(0.009600000000000001), {NSC_R(0.013333333333333336), NSC_R(0.006666666666666665), NSC_R(0.014999999999999998)},
     {NSC_R(9.333333333333334e-07), NSC_R(1.5733333333333328e-06), NSC_R(1.0666666666666663e-06),
      NSC_R(2.1333333333333334e-07), 0, 0}},
    {"world", NSC_STATIC_BODY,
     {{0, 0, 0}, {1, 0, 0, 0}},
     0, {0, 0, 0},
     {0, 0, 0,
      0, 0, 0}}
};

static const nsc_robot_joint_def arm_joints[7] = {
    {"yaw", NSC_JOINT_HINGE, 0, 0, 1,
     {{0, 0, NSC_R(0.15)}, {1, 0, 0, 0}},
     {{0, 0, 0}, {1, 0, 0, 0}},
     1, 1, NSC_R(-2.9670597283903604), NSC_R(2.9670597283903604), 30, 0, NSC_R(0.01),
     NSC_R(0.3), NSC_R(0.1), 0, 0, NSC_DRIVE_SERVO, 50, 2},
    {"pitch", NSC_JOINT_HINGE, 0, 1, 2,
     {{0, 0, 0}, {NSC_R(0.7071067811865475), NSC_R(-0.7071067811865475), 0, 0}},
     {{0, 0, 0}, {NSC_R(0.7071067811865475), NSC_R(-0.7071067811865475), 0, 0}},
     1, 1, NSC_R(-2.0943951023931953), NSC_R(0.5235987755982988), 60, 0, NSC_R(0.01),
     0, NSC_R(0.1), 3, NSC_R(-0.7853981633974483), NSC_DRIVE_SERVO, 320, 8},
    {"elbow", NSC_JOINT_HINGE, 0, 2, 3,
     {{NSC_R(0.48), 0, 0}, {NSC_R(0.7071067811865475), NSC_R(-0.7071067811865475), 0, 0}},
     {{NSC_R(-0.020000000000000018), 0, 0}, {NSC_R(0.7071067811865475), NSC_R(-0.7071067811865475), 0, 0}},
     1, 0, 0, 0, 10, 0, NSC_R(0.01),
     0, NSC_R(0.1), 0, 0, NSC_DRIVE_FORCE, 0, 0},
    {"left_turn", NSC_JOINT_HINGE, 0, 3, 4,
     {{NSC_R(0.2649999999999999), NSC_R(0.01), 0}, {1, 0, 0, 0}},
     {{0, 0, 0}, {1, 0, 0, 0}},
     1, 1, 0, NSC_R(0.5235987755982988), 30, 0, 0,
     0, NSC_R(0.05), 0, 0, NSC_DRIVE_SERVO, 0, NSC_R(0.4)},
    {"right_turn", NSC_JOINT_HINGE, 0, 3, 5,
     {{NSC_R(0.2649999999999999), NSC_R(-0.01), 0}, {0, 1, 0, 0}},
     {{0, 0, 0}, {1, 0, 0, 0}},
     1, 1, 0, NSC_R(0.5235987755982988), 0, 0, 0,
     0, NSC_R(0.05), 0, 0, NSC_DRIVE_NONE, 0, 0},
    {"exclude shoulder fore", NSC_JOINT_DISTANCE, 0, 1, 3,
     {{0, 0, NSC_R(0.5)}, {NSC_R(0.7071067811865475), 0, NSC_R(-0.7071067811865475), 0}},
     {{0, 0, 0}, {1, 0, 0, 0}},
     1, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, NSC_DRIVE_NONE, 0, 0},
    {"equality right_turn left_turn", NSC_JOINT_GEAR, 0, 4, 3,
     {{0, 0, 0}, {1, 0, 0, 0}},
     {{0, 0, 0}, {1, 0, 0, 0}},
     1, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, NSC_DRIVE_NONE, 0, 0}
};

static const nsc_robot_shape_def arm_shapes[9] = {
    {0, NSC_SHAPE_CYLINDER,
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0, 0, NSC_R(0.1)}, NSC_R(0.08), NSC_R(0.7), 0x1u, 0xffffffffu, NULL},
    {1, NSC_SHAPE_SPHERE,
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0, 0, 0}, NSC_R(0.05), NSC_R(0.7), 0x1u, 0xffffffffu, NULL},
    {2, NSC_SHAPE_CAPSULE,
     {{NSC_R(0.25), 0, 0}, {NSC_R(0.7071067811865475), 0, NSC_R(-0.7071067811865475), 0}},
     {0, 0, NSC_R(0.15000000000000002)}, NSC_R(0.03), NSC_R(0.7), 0x1u, 0xffffffffu, NULL},
    {2, NSC_SHAPE_BOX,
     {{NSC_R(0.25), 0, NSC_R(0.06)}, {1, 0, 0, 0}},
     {NSC_R(0.02), NSC_R(0.02), NSC_R(0.02)}, 0, NSC_R(0.7), 0x1u, 0xffffffffu, NULL},
    {3, NSC_SHAPE_CAPSULE,
     {{NSC_R(0.11), 0, 0}, {NSC_R(0.7071067811865475), 0, NSC_R(-0.7071067811865475), 0}},
     {0, 0, NSC_R(0.09000000000000001)}, NSC_R(0.025), NSC_R(0.7), 0x1u, 0xffffffffu, NULL},
    {3, NSC_SHAPE_BOX,
     {{NSC_R(0.25), 0, 0}, {1, 0, 0, 0}},
     {NSC_R(0.01), NSC_R(0.05), NSC_R(0.02)}, 0, NSC_R(0.7), 0x1u, 0xffffffffu, NULL},
    {4, NSC_SHAPE_HULL,
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0, 0, 0}, 0, NSC_R(0.7), 0x2u, 0xfffffffdu, &arm_hull0},
    {5, NSC_SHAPE_HULL,
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0, 0, 0}, 0, NSC_R(0.7), 0x2u, 0xfffffffdu, &arm_hull0},
    {6, NSC_SHAPE_HALF_SPACE,
     {{0, 0, 0}, {1, 0, 0, 0}},
     {0, 0, 0}, 0, NSC_R(0.7), 0x1u, 0xffffffffu, NULL}
};

static const nsc_robot_frame_def arm_frames[2] = {
    {"tip", 3,
     {{NSC_R(0.3), 0, 0}, {1, 0, 0, 0}}},
    {"palm", 3,
     {{NSC_R(0.25), 0, 0}, {1, 0, 0, 0}}}
};

static const nsc_hull *const arm_hulls[1] = {
    &arm_hull0
};

static const nsc_robot_sensor_def arm_sensors[1] = {
    {"sensor1", NSC_ROBOT_JOINT_POSITION, 0, -1, 1,
     {{0, 0, 0}, {1, 0, 0, 0}}}
};

static const nsc_robot arm = {"arm", 1, 7, 7, 9, 2,
    arm_links, arm_joints, arm_shapes, arm_frames,
    0, 1, NULL, arm_sensors, 1, arm_hulls};
