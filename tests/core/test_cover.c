/* What the other tests leave out, as coverage and surviving mutants showed: mostly closed forms. */
#define NSC_MAX_BODIES 8
#define NSC_MAX_SHAPES 10
#define NSC_MAX_CONTACTS 8
#define NSC_MAX_JOINTS 4
#define NSC_MAX_JOINT_BLOCKS 7
#define NSC_MAX_FORCES 1
#define NSC_MAX_SPRINGS 3
#define NSC_MAX_FIELDS 1
#define NSC_FIELD_SAMPLES 24
#define NSC_IMPLEMENTATION
#include "all.h"
#define NSC_DRAW_IMPLEMENTATION
#include "nsc_draw.h"
#define NSC_DUMP_IMPLEMENTATION
#include "nsc_dump.h"
#include <limits.h>
#include <math.h>
#include "world.h"
#include "by.h"

#define PICK(in_double, in_float) (sizeof(nsc_real) == 8 ? (in_double) : (in_float))

static nsc_world other;

static nsc_world_def begin(double gravity)
{
    nsc_world_def def = default_def();
    def.gravity.z = REAL(-gravity);
    def.solver.tolerance = REAL(PICK(1e-12, 1e-7));
    def.solver.max_iterations = 2000;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    return def;
}

static nsc_id body_at(nsc_vec3 at, double mass, double inertia)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position = at;
    d.mass = REAL(mass);
    d.inertia[0] = d.inertia[1] = d.inertia[2] = REAL(inertia);
    return nsc_world_add_body(&world, &d);
}

static nsc_vec3 speed(nsc_id id, int angular)
{
    nsc_vec3 v, o;
    CHECK(nsc_body_get_velocity(&world, id, &v, &o) == NSC_OK);
    return angular ? o : v;
}

static double height(nsc_id id)
{
    nsc_pose pose;
    CHECK(nsc_body_get_pose(&world, id, &pose) == NSC_OK);
    return D(pose.position.z);
}

/* ---- gears */

/* The joints' axis and a direction across it */
static const double upright[2][3] = {{0, 0, 1}, {1, 0, 0}}, tilted[2][3] = {{2. / 3, -1. / 3, 2. / 3}, {1. / 3, -2. / 3, -2. / 3}};
static const double (*frame)[3] = upright;

static nsc_vec3 at(double across, double s)
{
    return vec(across * frame[1][0] + s * frame[0][0], across * frame[1][1] + s * frame[0][1], across * frame[1][2] + s * frame[0][2]);
}

static double along(nsc_vec3 v) { return D(v.x) * frame[0][0] + D(v.y) * frame[0][1] + D(v.z) * frame[0][2]; }

static nsc_id joint_on(int kind, nsc_id base, nsc_id body, nsc_vec3 point)
{
    nsc_joint_def d = nsc_default_joint_def(kind, base, body);
    CHECK(nsc_joint_place(&world, &d, point, at(0, 1), at(1, 0)) == NSC_OK);
    return nsc_world_add_joint(&world, &d);
}

/* Two wheels on one shaft, or two carriages side by side: speed a = ratio * speed b; the gear's impulse L and -ratio L */
static double apart = 1; /* half the distance of the joints' points along the axis [m] */

static void gear_on_one_axis(int kind, double offset, double ratio)
{
    double ma = 2, mb = 5, a0 = 3, b0 = .5, b, drift;
    int turns = kind == NSC_JOINT_HINGE, i;
    nsc_id one, two;
    nsc_joint_def d;
    nsc_axis_state axis;
    nsc_real distance, angle;
    nsc_vec3 force, torque;
    begin(0);
    one = body_at(at(offset, 1), turns ? 1 : ma, turns ? ma : 1);
    two = body_at(at(-offset, -1), turns ? 1 : mb, turns ? mb : 1);
    d = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    d.joint_a = joint_on(kind, NSC_GROUND, one, at(2 * offset, apart));
    d.joint_b = joint_on(kind, NSC_GROUND, two, at(-2 * offset, -apart));
    d.ratio = REAL(ratio);
    CHECK(nsc_world_add_joint(&world, &d) >= 0);
    CHECK(nsc_body_set_velocity(&world, one, at(0, turns ? 0 : a0), at(0, turns ? a0 : 0)) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, two, at(0, turns ? 0 : b0), at(0, turns ? b0 : 0)) == NSC_OK);
    CHECK(step_by(&world, REAL(.01)) == NSC_OK);
    b = (ma * ratio * a0 + mb * b0) / (ma * ratio * ratio + mb);
    CHECK_NEAR(along(speed(two, turns)), b, 1e-5); /* in the first step: what is off later would be undone by recovery */
    CHECK_NEAR(along(speed(one, turns)), ratio * b, 1e-5);
    CHECK(nsc_joint_get_force(&world, d.joint_a, &force, &torque) == NSC_OK); /* the gear acts at the joint: nothing for the bearing */
    CHECK_NEAR(length(force), 0, .02);
    CHECK_NEAR(length(torque), turns ? 0 : fabs(ma * (ratio * b - a0) / .01 * offset), .02); /* but for a centre beside the slider */
    for (i = 0; i < 10; i++) CHECK(step_by(&world, REAL(.01)) == NSC_OK);
    for (i = 0, drift = 0; i < 2; i++) {
        CHECK(nsc_joint_get_axis(&world, i ? d.joint_b : d.joint_a, 0, &axis) == NSC_OK);
        drift += i ? -ratio * D(axis.position) : D(axis.position);
        CHECK(nsc_joint_get_drift(&world, i ? d.joint_b : d.joint_a, &distance, &angle) == NSC_OK);
        CHECK_NEAR(distance, 0, 1e-5);
        CHECK_NEAR(angle, 0, 1e-5);
    }
    CHECK_NEAR(drift, 0, 1e-4);
}

/* Against a base that moves there is no wrench for it. */
static void gear_on_a_moving_base(void)
{
    nsc_id base, one, two;
    nsc_joint_def d;
    begin(0);
    base = body_at(vec(0, 0, 0), 1, 1);
    one = body_at(vec(0, 0, 1), 1, 1);
    two = body_at(vec(0, 0, -1), 1, 1);
    d = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    d.joint_a = joint_on(NSC_JOINT_HINGE, base, one, vec(0, 0, 1));
    d.joint_b = joint_on(NSC_JOINT_HINGE, base, two, vec(0, 0, -1));
    d.ratio = REAL(2);
    CHECK(nsc_world_add_joint(&world, &d) == NSC_ERR_ARGUMENT);
}

/* Between joints of one body, of too long a ratio, or on two bases of which one can move, there is no gear. */
static void gears_that_are_none(void)
{
    static const int kinds[3] = {NSC_STATIC_BODY, NSC_KINEMATIC_BODY, NSC_DYNAMIC_BODY};
    int k, swap;
    for (k = 0; k < 3; k++)
        for (swap = 0; swap < 2; swap++) {
            nsc_body_def b = nsc_default_body_def();
            nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
            nsc_id one, two, base;
            begin(0);
            b.kind = kinds[k], b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = REAL(1);
            base = nsc_world_add_body(&world, &b);
            one = body_at(vec(0, 0, 1), 1, 1), two = body_at(vec(0, 0, -1), 1, 1);
            d.joint_a = joint_on(NSC_JOINT_HINGE, swap ? base : NSC_GROUND, one, vec(0, 0, 1));
            d.joint_b = joint_on(NSC_JOINT_HINGE, swap ? NSC_GROUND : base, two, vec(0, 0, -1));
            d.ratio = REAL(-2e6);
            CHECK(nsc_world_add_joint(&world, &d) == NSC_ERR_ARGUMENT);
            d.ratio = REAL(-2);
            CHECK((nsc_world_add_joint(&world, &d) >= 0) == (k == 0));
            d.joint_b = joint_on(NSC_JOINT_HINGE, NSC_GROUND, one, vec(1, 0, 1));
            CHECK(d.joint_b >= 0 && nsc_world_add_joint(&world, &d) == NSC_ERR_ARGUMENT);
        }
}

/* ---- room for joints: HINGE needs two blocks, and a third when its axis is in use */

static void joint_room(void)
{
    nsc_id body, hinge[4];
    nsc_axis_def axis;
    nsc_joint_def d;
    int i;
    begin(0);
    body = body_at(vec(0, 0, 0), 1, 1);
    for (i = 0; i < 3; i++) hinge[i] = joint_on(NSC_JOINT_HINGE, NSC_GROUND, body, vec(i, 0, 0));
    CHECK(hinge[0] >= 0 && hinge[1] >= 0 && hinge[2] >= 0); /* six of seven blocks */
    CHECK(joint_on(NSC_JOINT_HINGE, NSC_GROUND, body, vec(3, 0, 0)) == NSC_ERR_CAPACITY);
    CHECK(nsc_joint_get_def(&world, hinge[1], &d) == NSC_OK);
    axis = d.axis[0];
    axis.friction = REAL(1);
    CHECK(nsc_joint_set_axis(&world, hinge[1], 0, &axis) == NSC_OK); /* seven */
    CHECK(nsc_joint_set_axis(&world, hinge[1], 0, &axis) == NSC_OK); /* in its own place */
    CHECK(nsc_joint_set_axis(&world, hinge[2], 0, &axis) == NSC_ERR_CAPACITY);
    CHECK(joint_on(NSC_JOINT_BALL, NSC_GROUND, body, vec(0, 0, 0)) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_remove_joint(&world, hinge[0]) == NSC_OK);
    CHECK(nsc_joint_set_axis(&world, hinge[2], 0, &axis) == NSC_OK); /* six: what is gone does not count */
    CHECK(joint_on(NSC_JOINT_HINGE, NSC_GROUND, body, vec(0, 0, 0)) == NSC_ERR_CAPACITY);
    hinge[3] = joint_on(NSC_JOINT_BALL, NSC_GROUND, body, vec(0, 0, 0));
    CHECK(hinge[3] >= 0);
    CHECK(step_by(&world, REAL(.01)) == NSC_OK);
}

/* ---- sleep */

static nsc_id drop_ball(double x, double z)
{
    nsc_shape_def ball = nsc_default_sphere_def(REAL(.5));
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.pose.position = vec(x, 0, z);
    id = nsc_world_add_body(&world, &d);
    ball.friction = REAL(1);
    CHECK(nsc_world_add_shape(&world, id, &ball) >= 0);
    return id;
}

static void steps(int n)
{
    while (n-- > 0) CHECK(step_by(&world, REAL(1) / 128) == NSC_OK);
}

/* Two stacks of two balls on a kinematic plate, asleep */
static void sleepers(nsc_id *plate, nsc_id *plate_shape, nsc_id ball[4])
{
    nsc_world_def def = begin(9.81);
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def top = nsc_default_box_def(REAL(5), REAL(5), REAL(.5));
    int i;
    def.sleep_time = REAL(.25);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    d.kind = NSC_KINEMATIC_BODY;
    d.pose.position = vec(0, 0, -.5);
    *plate = nsc_world_add_body(&world, &d);
    *plate_shape = nsc_world_add_shape(&world, *plate, &top);
    for (i = 0; i < 4; i++) ball[i] = drop_ball(i / 2 ? 3 : 0, i % 2 ? 1.5 : .5);
    steps(64);
    for (i = 0; i < 4; i++) CHECK(nsc_body_is_asleep(&world, ball[i]) == 1);
}

static int awake(const nsc_id ball[4]) /* as decimal digits, for a readable failure */
{
    int i, code = 0;
    for (i = 0; i < 4; i++) code = 10 * code + (nsc_body_is_asleep(&world, ball[i]) == 0);
    return code;
}

static void waking(void)
{
    nsc_id plate, shape, ball[4];
    nsc_pose pose;
    sleepers(&plate, &shape, ball);
    CHECK(nsc_body_wake(&world, ball[2]) == NSC_OK && awake(ball) == 10); /* at once this one */
    steps(1);
    CHECK(awake(ball) == 11); /* and with the step its island, but no other */
    steps(64);
    CHECK(awake(ball) == 0);
    CHECK(nsc_body_wake(&world, -1) == NSC_ERR_HANDLE && nsc_body_wake(NULL, ball[0]) == NSC_ERR_ARGUMENT);

    /* the plate is taken away: all fall freely */
    CHECK(nsc_body_get_pose(&world, plate, &pose) == NSC_OK);
    pose.position.z = REAL(-50);
    CHECK(nsc_body_set_pose(&world, plate, pose) == NSC_OK && awake(ball) == 1111);
    steps(32);
    CHECK_NEAR(height(ball[0]), .5 - 9.81 * .25 * .25 / 2, .05);
    CHECK_NEAR(height(ball[3]), 1.5 - 9.81 * .25 * .25 / 2, .05);

    /* a body moved by hand wakes, faces as asked, and has lost its contacts */
    sleepers(&plate, &shape, ball);
    CHECK(nsc_body_get_pose(&world, ball[3], &pose) == NSC_OK);
    pose.position.x = REAL(-2), pose.orientation.w = REAL(.6), pose.orientation.y = REAL(.8);
    CHECK(nsc_body_set_pose(&world, ball[3], pose) == NSC_OK && awake(ball) == 1 && nsc_world_contact_count(&world) == 3);
    CHECK(nsc_body_get_pose(&world, ball[3], &pose) == NSC_OK);
    CHECK_NEAR(pose.orientation.y, .8, 1e-6);
    steps(1);
    CHECK(awake(ball) == 1);
    CHECK(nsc_body_wake(&world, NSC_GROUND) == NSC_OK && awake(ball) == 1);

    /* what touched the thing removed wakes, and forgets those contacts */
    sleepers(&plate, &shape, ball);
    CHECK(nsc_world_contact_count(&world) == 4);
    CHECK(nsc_world_remove_body(&world, ball[3]) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, ball[2]) == 0 && nsc_body_is_asleep(&world, ball[0]) == 1 && nsc_body_is_asleep(&world, ball[1]) == 1);
    CHECK(nsc_world_contact_count(&world) == 3);
    sleepers(&plate, &shape, ball);
    CHECK(nsc_world_remove_shape(&world, shape) == NSC_OK);
    CHECK(awake(ball) == 1010 && nsc_world_contact_count(&world) == 2); /* the lower ones touched it */
    steps(32);
    CHECK_NEAR(height(ball[1]), 1.5 - 9.81 * .25 * .25 / 2, .05);
}

static void pull_none(void *user, const nsc_world *w, nsc_id body, nsc_force *f) { (void)user, (void)w, (void)body, (void)f; }

/* Two stacks that sleep stay where they are with projection too, while a sensor that covers them feels no force, and while the
   caller's force makes one island of all that is awake. */
static void sleeping_on(void)
{
    nsc_id plate, shape, ball[4], other_body;
    nsc_shape_def ghost = nsc_default_sphere_def(REAL(9));
    nsc_body_def d = nsc_default_body_def();
    nsc_vec3 o = vec(0, 0, 0);
    nsc_calls calls;
    double z[4];
    int i, k, sensed = 0;
    sleepers(&plate, &shape, ball);
    ghost.sensor = 1;
    CHECK(nsc_world_add_shape(&world, plate, &ghost) >= 0);
    steps(80); /* the sensor has woken them */
    for (i = 0; i < 4; i++) z[i] = height(ball[i]);
    d.pose.position = vec(0, 4, 20), d.mass = d.inertia[0] = d.inertia[1] = d.inertia[2] = REAL(1), d.gravity_scale = REAL(0);
    other_body = nsc_world_add_body(&world, &d);
    CHECK(nsc_body_set_velocity(&world, other_body, vec(.5, 0, 0), o) == NSC_OK);
    memset(&calls, 0, sizeof calls);
    calls.force = pull_none;
    for (k = 0; k < 3; k++) {
        world.def.stepper = k == 0 ? NSC_STEPPER_EULER_IMPLICIT_PROJECTED : k == 1 ? NSC_STEPPER_EULER_IMPLICIT : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
        CHECK(step_by_with(&world, REAL(1) / 128, &calls) == NSC_OK);
        for (i = 0; i < 4; i++) CHECK(nsc_body_is_asleep(&world, ball[i]) == 1 && !(height(ball[i]) < z[i] || height(ball[i]) > z[i]));
        CHECK(nsc_body_get_island(&world, plate) == -1 && nsc_body_get_island(&world, other_body) >= 0);
        CHECK_NEAR(speed(other_body, 0).x, .5, 1e-6);
        for (i = 0; i < nsc_world_contact_count(&world); i++)
            if (nsc_world_contact(&world, i)->sensor) sensed++, CHECK_NEAR(length(nsc_world_contact(&world, i)->impulse), 0, 0);
    }
    CHECK(sensed > 0);
}

/* A plane added on the ground wakes those whose box it meets, not those wholly above it. */
static void planes_wake_what_they_meet(void)
{
    nsc_id plate, shape, ball[4];
    nsc_shape_def plane = nsc_default_half_space_def();
    double tilt;
    for (tilt = 0; tilt < .25; tilt += .2) {
        sleepers(&plate, &shape, ball);
        plane.pose.orientation = nsc_quat_from_axis_angle(vec(0, 1, 0), REAL(tilt));
        plane.pose.position = vec(0, 0, -3);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0 && awake(ball) == 0); /* far below all */
        plane.pose.orientation = nsc_quat_from_axis_angle(vec(0, 1, 0), REAL(-2 * tilt));
        plane.pose.position = vec(0, 0, tilt > 0 ? -.5 : .2); /* level it meets the lower ones; tilted it rises to the one at x = 3 */
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0 && awake(ball) == (tilt > 0 ? 10 : 1010));
    }
}

/* All asleep on a static body: steps go on without looking only where they would change nothing. */
static void sleep_of_every_stepper(void)
{
    int stepper, parts, i;
    for (stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED; stepper <= NSC_STEPPER_EULER_SYMPLECTIC; stepper++)
        for (parts = 1; parts < 3; parts++) {
            nsc_world_def def = begin(9.81);
            nsc_body_def d = nsc_default_body_def();
            nsc_shape_def top = nsc_default_box_def(REAL(5), REAL(5), REAL(.5));
            int plain = stepper == NSC_STEPPER_EULER_IMPLICIT_LINEARIZED && parts == 1;
            nsc_id ball;
            double z;
            def.sleep_time = REAL(.25), def.stepper = stepper, def.substeps = parts;
            CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
            d.kind = NSC_STATIC_BODY, d.pose.position = vec(0, 0, -.5);
            CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &d), &top) >= 0);
            ball = drop_ball(0, .5);
            steps(64);
            z = height(ball);
            CHECK(nsc_body_is_asleep(&world, ball) == 1);
            for (i = 0; i < 3; i++) {
                steps(1);
                CHECK((world.resting == NSCI_RESTING + world.step_count) == plain && !(height(ball) < z || height(ball) > z));
            }
            CHECK(world.step_count == 67 && world.report.asleep == 1 && world.bodies[1].still <= 0);
            CHECK(world.bodies[2].still > REAL(.25));
        }
}

/* A soft ball comes to rest on its weight, in a build without rolling friction. */
static void soft_ball(void)
{
    static const int steppers[3] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_SYMPLECTIC, NSC_STEPPER_EULER_IMPLICIT};
    int k, i;
    for (k = 0; k < 3; k++) {
        nsc_shape_def ground = nsc_default_half_space_def(), ball = nsc_default_sphere_def(REAL(.5));
        nsc_world_def def = begin(10);
        nsc_body_def d = nsc_default_body_def();
        nsc_vec3 force;
        nsc_real mass = REAL(0);
        nsc_id id;
        def.contact_model = NSC_CONTACT_SMOOTH, def.stepper = steppers[k];
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        d.pose.position.z = REAL(.5);
        id = nsc_world_add_body(&world, &d);
        ball.density = REAL(10), ball.restitution = REAL(.5);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0 && nsc_world_add_shape(&world, id, &ball) >= 0);
        for (i = 0; i < 1024; i++) CHECK(step_by(&world, REAL(1) / 1024) == NSC_OK);
        CHECK(nsc_body_get_contact_force(&world, id, &force, NULL) == NSC_OK && nsc_body_get_mass(&world, id, &mass, NULL, NULL) == NSC_OK);
        CHECK_NEAR(force.z, 10 * D(mass), .1);
        CHECK(height(id) < .5 && height(id) > .48);
    }
}

/* A joint in the slot of another begins without its impulses. */
static void joints_in_used_slots(void)
{
    nsc_joint fresh;
    nsc_joint_def d;
    nsc_id b, j;
    begin(10);
    b = body_at(vec(1, 0, 0), 1, 1);
    d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, b);
    CHECK(nsc_joint_place(&world, &d, vec(0, 0, 0), vec(0, 1, 0), vec(0, 0, 0)) == NSC_OK);
    d.axis[0].drive = NSC_DRIVE_MOTOR, d.axis[0].target_velocity = 3;
    j = nsc_world_add_joint(&world, &d);
    steps(5);
    memset(&fresh, 0, sizeof fresh);
    CHECK(memcmp(&world.joints[0].impulse, &fresh.impulse, sizeof fresh.impulse) != 0);
    CHECK(nsc_world_remove_joint(&world, j) == NSC_OK && nsc_world_add_joint(&world, &d) >= 0);
    CHECK(memcmp(&world.joints[0].impulse, &fresh.impulse, sizeof fresh.impulse) == 0);
}

/* Normals of contacts are of unit length to 1e-3, squared. */
static void own_normals(void)
{
    nsc_contact c = nsc_default_contact();
    begin(10);
    c.body_b = body_at(vec(0, 0, 1), 1, 1);
    c.normal = vec(0, 0, sqrt(1.0009));
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    c.normal = vec(0, 0, sqrt(1.0015));
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
    c.normal = vec(0, sqrt(.9985), 0);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
}

/* Eight contacts of the caller's own wait; four deeper ones of a box take their room in a step that is refused. */
static void own_contacts_wait(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(.5), REAL(.5), REAL(.5));
    nsc_contact c = nsc_default_contact();
    nsc_body_def d = nsc_default_body_def();
    nsc_id id, free_body;
    int i, own = 0;
    begin(10);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    d.pose.position = vec(0, 0, .49);
    id = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, id, &box) >= 0);
    free_body = body_at(vec(0, 0, 50), 1, 1);
    c.body_b = id, c.normal = vec(0, 0, 1), c.gap = REAL(.005);
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        c.point = vec(.1 * i, 0, 0), c.feature = (uint32_t)i;
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    }
    CHECK(nsc_body_add_force(&world, free_body, vec(PICK(1e300, 1e38), 0, 0), vec(0, 0, 0)) == NSC_OK);
    CHECK(step_by(&world, REAL(.01)) == NSC_ERR_NOT_FINITE && world.found_count == 4);
    CHECK(nsc_body_clear_force(&world, free_body) == NSC_OK && step_by(&world, REAL(.01)) == NSC_OK);
    for (i = 0; i < nsc_world_contact_count(&world); i++) own += nsc_world_contact(&world, i)->shape_a < 0;
    CHECK(nsc_world_contact_count(&world) == NSC_MAX_CONTACTS && own == 4);
}

/* Contacts of your own are solved by bodies, then by feature, whatever the order they came in; alike ones as they came. */
static void own_contacts_in_any_order(void)
{
    static const int order[4][6] = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}, {2, 5, 0, 4, 1, 3}};
    uint32_t hash = 0;
    int k, i;
    for (k = 0; k < 4; k++) {
        nsc_id b[3];
        begin(10);
        for (i = 0; i < 3; i++) b[i] = body_at(vec(i, 0, 1), 1 + i, 1), CHECK(b[i] > 0);
        for (i = 0; i < 6; i++) {
            static const int first[6] = {-1, -1, 0, 0, 0, 1}, second[6] = {0, 2, 1, 1, 2, 2}, feature[6] = {4, 4, 2, 3, 1, 1};
            nsc_contact c = nsc_default_contact();
            int n = order[k][i];
            c.body_a = first[n] < 0 ? NSC_GROUND : b[first[n]], c.body_b = b[second[n]], c.feature = (uint32_t)feature[n];
            c.normal = vec(.6, 0, .8), c.point = vec(.3 * n, .1, 1), c.gap = REAL(-.001 * n);
            CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        }
        CHECK(step_by(&world, REAL(.01)) == NSC_OK && nsc_world_contact_count(&world) == 6);
        if (k == 0) hash = nsc_world_hash(&world);
        CHECK(nsc_world_hash(&world) == hash);
        for (i = 1; i < 6; i++) {
            const nsc_contact *x = nsc_world_contact(&world, i - 1), *y = nsc_world_contact(&world, i);
            CHECK(x->body_a < y->body_a || (x->body_a == y->body_a && (x->body_b < y->body_b || (x->body_b == y->body_b && x->feature < y->feature))));
        }
    }
    for (k = 0; k < 2; k++) { /* alike */
        nsc_contact c = nsc_default_contact();
        begin(10);
        c.body_b = body_at(vec(0, 0, 1), 1, 1), c.normal = vec(0, 0, 1);
        for (i = 0; i < 3; i++) {
            c.feature = i == 2 ? 1 : 2;
            c.point = vec(i == k ? 1 : 2, 0, 0);
            CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        }
        CHECK(step_by(&world, REAL(.01)) == NSC_OK && nsc_world_contact_count(&world) == 3);
        CHECK(nsc_world_contact(&world, 0)->feature == 1);
        CHECK_NEAR(nsc_world_contact(&world, 1)->point.x, k == 0 ? 1 : 2, 0), CHECK_NEAR(nsc_world_contact(&world, 2)->point.x, k == 0 ? 2 : 1, 0);
    }
}

enum { NX = 6, NY = 4 };
static const double DX = 2, DY = 3;
static nsc_real heights[NX * NY];

static nsc_id terrain(void)
{
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_id id = nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, NX, NY, REAL(DX), REAL(DY));
    CHECK(id >= 0);
    return id;
}

/* What cannot move each other may touch: a moving plane or plate, the ground and terrain. */
static void immovable_contacts(void)
{
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_body_def d = nsc_default_body_def();
    nsc_contact c = nsc_default_contact();
    nsc_id body;
    int i;
    begin(10);
    for (i = 0; i < NX * NY; i++) heights[i] = REAL(0);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
    terrain();
    d.kind = NSC_KINEMATIC_BODY;
    body = nsc_world_add_body(&world, &d);
    plane.sensor = 1;
    CHECK(nsc_world_add_shape(&world, body, &plane) >= 0 && nsc_body_set_velocity(&world, body, vec(0, 0, 1), vec(0, 0, 0)) == NSC_OK);
    c.body_b = body, c.normal = vec(0, 0, 1), c.gap = REAL(-.1);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK && step_by(&world, REAL(.5)) == NSC_OK);
    CHECK_NEAR(height(body), .5, 1e-6);
    CHECK(nsc_world_contact_count(&world) <= 1 && nsc_body_get_island(&world, body) == -1);
    for (i = 0; i < 3; i++) { /* the same from either side */
        nsci_geom half = nsci_place(&world, &world.shapes[0]), field = nsci_place(&world, &world.shapes[1]);
        CHECK(nsci_collide_any(&world, &half, i == 0 ? &field : &half, REAL(1)) == 0 && nsci_collide_any(&world, &field, &half, REAL(1)) == 0);
    }
}

/* ---- forces */

static void cleared_force(void)
{
    nsc_id id;
    nsc_vec3 v;
    begin(0);
    id = body_at(vec(0, 0, 0), 1, 1);
    CHECK(nsc_body_add_force(&world, id, vec(1, 2, 3), vec(4, 5, 6)) == NSC_OK);
    CHECK(nsc_body_clear_force(&world, id) == NSC_OK && nsc_body_clear_force(&world, NSC_GROUND) == NSC_ERR_HANDLE);
    CHECK(step_by(&world, REAL(.5)) == NSC_OK);
    v = speed(id, 0);
    CHECK(!(v.x < 0 || v.x > 0 || v.y < 0 || v.y > 0 || v.z < 0 || v.z > 0));
    v = speed(id, 1);
    CHECK(!(v.x < 0 || v.x > 0 || v.y < 0 || v.y > 0 || v.z < 0 || v.z > 0));
}

static double K[6][6], C[6][6], f0[6];

static void pull(void *user, const nsc_world *w, nsc_id body, nsc_force *f)
{
    int i, k;
    (void)user, (void)w, (void)body;
    f->force = vec(f0[0], f0[1], f0[2]), f->torque = vec(f0[3], f0[4], f0[5]);
    f->derivative = 1;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) f->stiffness[i][k] = REAL(K[i][k]), f->damping[i][k] = REAL(C[i][k]);
}

static void gauss(double A[6][7])
{
    int i, k, j;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) {
            double s = A[k][i] / A[i][i];
            for (j = i; j < 7 && k != i; j++) A[k][j] -= s * A[i][j];
        }
    for (i = 0; i < 6; i++) A[i][6] /= A[i][i];
}

/* Force and torque coupled, no axis an eigenvector: (M + h C + h^2 K) v' = (M + h C) v + h f */
static void coupled_force(int rank)
{
    static const double root[6][6] = {{3, 1, 0, 2, 0, 1}, {-1, 2, 1, 0, 1, 0}, {0, 1, 4, 1, -2, 0},
                                      {1, 0, -1, 2, 1, 3}, {2, -1, 0, 1, 5, 1}, {0, 2, 1, -1, 0, 2}};
    const double h = 1 / 16., m = 2, inertia = 3, v0[6] = {1, -2, 3, .5, -.25, 1};
    double A[6][7];
    nsc_world_def def = begin(0);
    nsc_calls calls;
    nsc_vec3 v;
    nsc_id id;
    int i, j, k;
    stepped_by = NSC_SOLVER_NEWTON;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    memset(&calls, 0, sizeof calls);
    calls.force = pull;
    for (i = 0; i < 6; i++)
        for (k = 0, f0[i] = i - 2; k < 6; k++)
            for (j = 0, K[i][k] = C[i][k] = 0; j < rank; j++) K[i][k] += 20 * root[i][j] * root[k][j], C[i][k] += root[i][j] * root[k][j] / 3;
    for (i = 0; i < 6; i++)
        for (k = 0, A[i][6] = h * f0[i]; k < 6; k++) {
            double M = (i == k ? (i < 3 ? m : inertia) : 0) + h * C[i][k];
            A[i][k] = M + h * h * K[i][k], A[i][6] += M * v0[k];
        }
    gauss(A);
    id = body_at(vec(1, 2, 3), m, inertia);
    CHECK(nsc_body_set_velocity(&world, id, vec(v0[0], v0[1], v0[2]), vec(v0[3], v0[4], v0[5])) == NSC_OK);
    CHECK(step_by_with(&world, REAL(h), &calls) == NSC_OK);
    v = speed(id, 0);
    CHECK_NEAR(v.x, A[0][6], 2e-5), CHECK_NEAR(v.y, A[1][6], 2e-5), CHECK_NEAR(v.z, A[2][6], 2e-5);
    v = speed(id, 1);
    CHECK_NEAR(v.x, A[3][6], 2e-5), CHECK_NEAR(v.y, A[4][6], 2e-5), CHECK_NEAR(v.z, A[5][6], 2e-5);
}

/* A derivative too slight to be a row: the step is that of the force alone, to rounding. */
static void slight_derivative(void)
{
    double least = D(NSC_REAL_MIN) * D(NSC_REAL_EPS);
    int i, k;
    for (k = 0; k < 2; k++) {
        nsc_calls calls;
        nsc_vec3 v;
        nsc_id id;
        begin(0);
        memset(&calls, 0, sizeof calls), memset(K, 0, sizeof K), memset(C, 0, sizeof C);
        for (i = 0; i < 6; i++) f0[i] = i + 1, C[i][i] = least * (k ? 1e4 : 4);
        calls.force = pull;
        id = body_at(vec(1, 2, 3), 2, 4);
        CHECK(step_by_with(&world, REAL(.125), &calls) == NSC_OK);
        v = speed(id, 0);
        CHECK_NEAR(v.x, .0625, 1e-7), CHECK_NEAR(v.y, .125, 1e-7), CHECK_NEAR(v.z, .1875, 1e-7);
        v = speed(id, 1);
        CHECK_NEAR(v.x, .125, 1e-7), CHECK_NEAR(v.y, .15625, 1e-7), CHECK_NEAR(v.z, .1875, 1e-7);
    }
}

/* ---- terrain of 6 by 4 samples, 2 by 3 m each */

static int seen[NX * NY][2], lines, strange;

static int sample(nsc_vec3 p) /* which one stands there, or -1 */
{
    double i = D(p.x) / DX + .5 * (NX - 1), j = D(p.y) / DY + .5 * (NY - 1);
    int n = (int)(i + .5) + NX * (int)(j + .5);
    if (fabs(i - floor(i + .5)) > 1e-4 || fabs(j - floor(j + .5)) > 1e-4 || i < -.1 || j < -.1 || i > NX - .9 || j > NY - .9) return -1;
    return fabs(D(p.z) - D(heights[n])) < 1e-4 ? n : -1;
}

static void line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    int a = sample(start), b = sample(end);
    (void)user, (void)from;
    lines++;
    if (a < 0 || (b != a + 1 && b != a + NX)) strange++;
    else seen[a][b == a + NX]++;
}

static void point(void *user, nsc_vec3 at, const nsc_draw_from *from) { (void)user, (void)at, (void)from; }

/* Each edge of the grid is one line. */
static void drawn_terrain(void)
{
    nsc_draw draw;
    int i, j;
    memset(&draw, 0, sizeof draw);
    draw.line = line, draw.point = point;
    begin(0);
    for (i = 0; i < NX * NY; i++) heights[i] = REAL(.125 * i + .01 * i * i);
    terrain();
    CHECK(nsc_world_draw(&world, &draw, NSC_DRAW_SHAPES) == NSC_OK);
    CHECK(strange == 0 && lines == (NX - 1) * NY + NX * (NY - 1));
    for (j = 0; j < NY; j++)
        for (i = 0; i < NX; i++) CHECK(seen[i + NX * j][0] == (i + 1 < NX) && seen[i + NX * j][1] == (j + 1 < NY));
}

/* Low rays over flat ground to each cell near the edges, from all sides, and past the edges */
static void flat_rays(void)
{
    nsc_hit hit;
    double x, y;
    int k;
    begin(0);
    for (k = 0; k < NX * NY; k++) heights[k] = REAL(1);
    terrain();
    for (x = -4.5; x < 5; x += 1.5)
        for (y = -4; y < 4.5; y += 2)
            for (k = 0; k < 8; k++) {
                static const double way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, .7}, {-.7, 1}, {.9, -1}, {-1, -.8}};
                double dx = 9 * way[k][0], dy = 9 * way[k][1], dz = -1;
                int hits = nsc_world_cast_ray(&world, vec(x - dx, y - dy, 2), vec(1.5 * dx, 1.5 * dy, 1.5 * dz), 0xffffffffu, &hit);
                CHECK(hits == 1);
                CHECK_NEAR(hit.distance, sqrt(dx * dx + dy * dy + dz * dz), 1e-4);
                CHECK_NEAR(hit.normal.z, 1, 1e-5);
                /* the same height, but over the edge before it comes down */
                CHECK(nsc_world_cast_ray(&world, vec(x, y, 1.5), vec(4 * dx, 4 * dy, -.1), 0xffffffffu, &hit) == 0);
            }
    for (k = 0; k < 400; k++) { /* over all edges, where rounding may take a ray into a cell that is not there */
        x = 4.9 * sin(k), y = 4.4 * sin(1.7 * k);
        CHECK(nsc_world_cast_ray(&world, vec(x, y, 1.01), vec(20 * sin(2.3 * k), 20 * cos(2.3 * k), .01), 0xffffffffu, &hit) == 0);
    }
    for (k = 0; k < 8; k++) { /* beside the terrain, and on it */
        static const double beside[8][2] = {{20, 0}, {-20, 0}, {0, 20}, {0, -20}, {4, 0}, {-4, 0}, {0, 4}, {0, -4}};
        nsc_shape_def ball = nsc_default_sphere_def(REAL(1));
        ball.pose.position = vec(beside[k][0], beside[k][1], 1.5);
        CHECK(nsc_world_overlap(&world, &ball, 0xffffffffu, NULL, 0) == (k >= 4));
    }
    CHECK(nsc_world_cast_ray(&world, vec(5, 0, 2), vec(0, 0, -2), 0xffffffffu, &hit) == 1); /* on the border */
    CHECK(nsc_world_cast_ray(&world, vec(5.01, 0, 2), vec(0, 0, -2), 0xffffffffu, &hit) == 0);
    CHECK(nsc_world_cast_ray(&world, vec(0, 4.49, 2), vec(0, 0, -2), 0xffffffffu, &hit) == 1);
    CHECK(nsc_world_cast_ray(&world, vec(0, 4.51, 2), vec(0, 0, -2), 0xffffffffu, &hit) == 0);
}

/* Along the axis of what is round: inside it is hit at its end, outside not at all.  Of two at one place the first is met. */
static void rays_along_an_axis(void)
{
    int k, kind;
    for (kind = 0; kind < 2; kind++) {
        nsc_shape_def round = kind ? nsc_default_cylinder_def(REAL(.5), REAL(1)) : nsc_default_capsule_def(REAL(.5), REAL(.5));
        nsc_id first;
        begin(0);
        first = nsc_world_add_shape(&world, NSC_GROUND, &round);
        CHECK(first >= 0 && nsc_world_add_shape(&world, NSC_GROUND, &round) >= 0);
        for (k = 0; k < 4; k++) {
            nsc_hit hit;
            double x = .25 * k;
            CHECK(nsc_world_cast_ray(&world, vec(x, 0, 5), vec(0, 0, -9), 0xffffffffu, &hit) == (x <= .5));
            if (k < 2) CHECK(hit.shape == first), CHECK_NEAR(hit.distance, kind ? 4 : 4.5 - sqrt(.25 - x * x), 1e-5);
        }
    }
}

/* ---- all contacts there is room for: two boxes of four, each of a quarter of the weight; the world is whole after it */

static void full_of_contacts(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(.5), REAL(.5), REAL(.5));
    nsc_body_def d = nsc_default_body_def();
    nsc_id id[2];
    nsc_vec3 force;
    int i, k;
    begin(10);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    for (i = 0; i < 2; i++) {
        d.pose.position = vec(2 * i, 0, .5);
        id[i] = nsc_world_add_body(&world, &d);
        CHECK(nsc_world_add_shape(&world, id[i], &box) >= 0);
    }
    for (k = 0; k < 20; k++) {
        CHECK(step_by(&world, REAL(.01)) == NSC_OK && nsc_world_contact_count(&world) == NSC_MAX_CONTACTS);
        CHECK(nsc_world_report(&world)->dropped == 0);
        for (i = 0; i < 2; i++) {
            CHECK(nsc_body_get_contact_force(&world, id[i], &force, NULL) == NSC_OK);
            CHECK_NEAR(force.z, 1e4, 1);
        }
    }
    memcpy(&other, &world, sizeof other);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
}

/* ---- refusals, one wrong argument each: nothing changes */

static uint32_t hash;
static const nsc_real tiny = REAL(PICK(1e-300, 1e-37));
#define REFUSED(call) (CHECK((call) < 0), CHECK(nsc_world_hash(&world) == hash))

static void stroke(void *user, const char *text) { (void)user, (void)text; }

static void refused_joints(nsc_id body, nsc_id hinge, nsc_vec3 wild)
{
    const nsc_real nan = wild.x - wild.x;
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, body);
    nsc_vec3 o = vec(0, 0, 0), z = vec(0, 0, 1);
    nsc_axis_state state;
    REFUSED(nsc_joint_place(NULL, &d, o, z, o));
    REFUSED(nsc_joint_place(&world, NULL, o, z, o));
    REFUSED(nsc_joint_place(&world, &d, wild, z, o));
    REFUSED(nsc_joint_place(&world, &d, o, wild, o));
    REFUSED(nsc_joint_place(&world, &d, o, z, wild));
    REFUSED(nsc_joint_place(&world, &d, o, o, z));
    REFUSED(nsc_world_add_joint(NULL, &d));
    REFUSED(nsc_world_add_joint(&world, NULL));
    REFUSED(nsc_joint_get_axis(&world, hinge, -1, &state));
    REFUSED(nsc_joint_get_axis(&world, hinge, 1, &state));
    REFUSED(nsc_joint_get_axis(&world, hinge, 3, &state));
    REFUSED(nsc_joint_set_target(&world, hinge, 0, nan, REAL(0)));
    REFUSED(nsc_joint_set_target(&world, hinge, 0, REAL(0), nan));
    REFUSED(nsc_joint_get_axis(&world, hinge, 3, NULL));
    CHECK(nsc_joint_get_axis(&world, hinge, 0, NULL) == NSC_OK && nsc_joint_get_def(&world, hinge, NULL) == NSC_OK);
    d.body_a = body;
    REFUSED(nsc_world_add_joint(&world, &d));
    d.body_a = hinge;
    REFUSED(nsc_world_add_joint(&world, &d));
    d.body_a = NSC_GROUND, d.body_b = -1;
    REFUSED(nsc_world_add_joint(&world, &d));
    d.body_b = body, d.collide = 2;
    REFUSED(nsc_world_add_joint(&world, &d));
    d.collide = -1;
    REFUSED(nsc_world_add_joint(&world, &d));
    d.collide = 0, d.kind = 0;
    REFUSED(nsc_world_add_joint(&world, &d));
    d.kind = NSC_JOINT_GEAR + 1;
    REFUSED(nsc_world_add_joint(&world, &d));
    d = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    d.joint_a = hinge, d.joint_b = hinge, d.axis[0].spring = -1;
    REFUSED(nsc_world_add_joint(&world, &d));
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_axis_def.spring") == 0);
    CHECK(nsci_held(0) == 0 && nsci_held(NSC_JOINT_GEAR + 1) == 0 && nsci_axis(-1, 0) == 0 && nsci_axis(NSC_JOINT_HINGE, 0) != 0);
    {
        nsc_world_def def = world.def, hht = def; /* a bound of an axis' speed is a limit, which HHT does not take */
        nsc_body_def at = nsc_default_body_def();
        hht.stepper = NSC_STEPPER_HHT, hht.contact_model = NSC_CONTACT_SMOOTH;
        CHECK(nsc_world_init(&other, &hht) == NSC_OK);
        at.mass = at.inertia[0] = at.inertia[1] = at.inertia[2] = 1;
        d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, nsc_world_add_body(&other, &at));
        d.axis[0].max_speed = 1;
        CHECK(nsc_world_add_joint(&other, &d) == NSC_ERR_STEPPER_CONTACT);
        d.axis[0].limited = 1, d.axis[0].lower = REAL(-1), d.axis[0].upper = REAL(1);
        CHECK(nsc_world_add_joint(&other, &d) == NSC_ERR_STEPPER_CONTACT);
        d.axis[0].upper = REAL(-1), d.axis[0].max_speed = 0; /* a lock */
        CHECK(nsc_world_add_joint(&other, &d) >= 0);
    }
}

static void refused_terrain(nsc_id body, nsc_vec3 wild)
{
    const nsc_real inf = wild.x, nan = inf - inf, one = REAL(1);
    nsc_shape_def d = nsc_default_height_field_def(), ball = nsc_default_sphere_def(one);
    REFUSED(nsc_world_add_height_field(NULL, NSC_GROUND, &d, heights, 4, 4, one, one));
    REFUSED(nsc_world_add_height_field(&world, body, &d, heights, 4, 4, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, NULL, heights, 4, 4, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &ball, heights, 4, 4, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, NULL, 4, 4, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 1, 4, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 1, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, REAL(0), one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, one, REAL(0)));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, nan, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, inf, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, one, inf));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, NSC_REAL_MAX / 2, tiny));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, tiny, NSC_REAL_MAX / 2));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, tiny, tiny));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 5, 5, one, one));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 70000, 2, one, one));
    heights[5] = nan;
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, one, one));
    heights[5] = NSC_REAL_MAX, heights[6] = -NSC_REAL_MAX;
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, one, one));
    heights[5] = REAL(PICK(1e200, 1e25));
    heights[6] = -heights[5]; /* the square of the rise is infinite */
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 4, 4, one, one));
    heights[5] = heights[6] = REAL(0);
    d.pose.position.x = REAL(100);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 6, 4, one, one) >= 0); /* all samples there are */
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 2, 2, one, one)); /* the only one */
}

static void refused_queries(nsc_id body, nsc_vec3 wild)
{
    const nsc_real inf = wild.x, nan = inf - inf;
    nsc_shape_def ball = nsc_default_sphere_def(REAL(1)), plane = nsc_default_half_space_def();
    nsc_vec3 o = vec(0, 0, 5), down = vec(0, 0, -9);
    nsc_calls calls;
    nsc_draw draw;
    nsc_problem problem;
    nsc_hit hit;
    nsc_id ids[2];
    unsigned char image[8];
    REFUSED(nsc_world_overlap(NULL, &ball, 1, ids, 2));
    REFUSED(nsc_world_overlap(&world, NULL, 1, ids, 2));
    REFUSED(nsc_world_overlap(&world, &plane, 1, ids, 2));
    REFUSED(nsc_world_overlap(&world, &ball, 1, NULL, 2));
    REFUSED(nsc_world_overlap(&world, &ball, 1, ids, -1));
    CHECK(nsc_world_overlap(&world, &ball, 1, NULL, 0) == 2 && nsc_world_overlap(&world, &ball, 1, ids, 1) == 2);
    REFUSED(nsc_world_cast_ray(NULL, o, down, 1, &hit));
    REFUSED(nsc_world_cast_ray(&world, o, down, 1, NULL));
    REFUSED(nsc_world_cast_ray(&world, wild, down, 1, &hit));
    REFUSED(nsc_world_cast_ray(&world, o, wild, 1, &hit));
    REFUSED(nsc_world_cast_shape(NULL, &ball, down, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, NULL, down, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, &plane, down, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, &ball, down, 1, NULL));
    REFUSED(nsc_world_cast_shape(&world, &ball, wild, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, &ball, vec(0, 0, 0), 1, &hit));
    REFUSED(nsc_world_closest(NULL, o, REAL(9), 1, &hit));
    REFUSED(nsc_world_closest(&world, o, REAL(9), 1, NULL));
    REFUSED(nsc_world_closest(&world, o, REAL(-1), 1, &hit));
    REFUSED(nsc_world_closest(&world, wild, REAL(9), 1, &hit));
    REFUSED(step_by(NULL, REAL(1)));
    REFUSED(step_by(&world, REAL(0)));
    REFUSED(step_by(&world, inf));
    REFUSED(step_by(&world, nan));
    REFUSED(step_by(&world, tiny));
    memset(&calls, 0, sizeof calls);
    REFUSED(step_by_with(NULL, REAL(1), &calls));
    memset(&draw, 0, sizeof draw);
    draw.line = line, draw.point = point;
    REFUSED(nsc_world_draw(NULL, &draw, 1));
    REFUSED(nsc_world_draw(&world, NULL, 1));
    REFUSED(nsc_world_draw(&world, &draw, -1));
    REFUSED(nsc_world_draw(&world, &draw, NSC_DRAW_ALL + NSC_DRAW_TRIANGLES + 1));
    draw.force_scale = nan;
    REFUSED(nsc_world_draw(&world, &draw, 1));
    REFUSED(nsc_world_problem(NULL, REAL(1), 0, &problem));
    REFUSED(nsc_world_problem(&world, REAL(1), 0, NULL));
    REFUSED(nsc_world_problem(&world, REAL(1), -1, &problem));
    REFUSED(nsc_world_problem(&world, REAL(1), 9, &problem));
    REFUSED(nsc_world_body_at(NULL, 0));
    REFUSED(nsc_world_shape_at(NULL, 0));
    REFUSED(nsc_world_dump(NULL, REAL(1), 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, REAL(1), 0, NULL, NULL));
    REFUSED(nsc_world_dump(&world, REAL(1), -1, stroke, NULL));
    REFUSED(nsc_world_dump(&world, REAL(0), 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, inf, 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, tiny, 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, REAL(1), 9, stroke, NULL));
    REFUSED(nsc_world_save_size(NULL));
    REFUSED(nsc_world_save(NULL, image, 8));
    REFUSED(nsc_world_save(&world, NULL, 8));
    REFUSED(nsc_world_save(&world, image, -1));
    REFUSED(nsc_world_save(&world, image, 8));
    REFUSED(nsc_world_load(NULL, image, 8));
    REFUSED(nsc_world_load(&world, NULL, 8));
    REFUSED(nsc_world_load(&world, image, -1));
    REFUSED(nsc_world_load(&world, image, 0));
    CHECK(nsc_world_hash(NULL) == 0);
    CHECK(!nsc_world_contact(NULL, 0) && !nsc_world_contact(&world, -1) && !nsc_world_contact(&world, 0));
    CHECK(!nsc_world_island(NULL, 0) && !nsc_world_island(&world, -1) && !nsc_world_island(&world, 9));
    CHECK(!nsc_world_event(NULL, 0) && !nsc_world_event(&world, -1) && !nsc_world_event(&world, 0) && nsc_world_event_count(NULL) == 0);
    CHECK(nsc_body_get_island(&world, NSC_GROUND) == -1 && nsc_body_get_island(&world, body) == -1); /* no step yet */
    REFUSED(nsc_body_get_island(NULL, body));
    REFUSED(nsc_body_get_island(&world, -1));
}

/* What a shape is made of may change, where it is and what mass it gives its body may not. */
static void changed_shape(nsc_id shape)
{
    nsc_shape_def d, e;
    CHECK(nsc_shape_get_def(&world, shape, &d) == NSC_OK);
    e = d, e.pose.position.x += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.position.y += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.position.z += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.orientation.w = REAL(.6), e.pose.orientation.x = REAL(.8);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.orientation.w = REAL(-1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.kind = NSC_SHAPE_CAPSULE, e.half.z = REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.kind = NSC_SHAPE_CAPSULE, e.half.z = d.half.z;
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.radius += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.density += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.stiffness = REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.friction = REAL(-1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d;
    e.sensor = 1, e.category = 6, e.mask = 5, e.friction = REAL(.25), e.restitution = REAL(.125);
    e.young = REAL(3e5), e.poisson = REAL(.25), e.cohesion = REAL(2);
    CHECK(nsc_shape_set_def(&world, shape, &e) == NSC_OK && nsc_shape_get_def(&world, shape, &d) == NSC_OK);
    CHECK(d.sensor == 1 && d.category == 6 && d.mask == 5 && !(d.friction < e.friction || d.friction > e.friction));
    CHECK_NEAR(d.restitution, .125, 0);
    CHECK_NEAR(d.young, 3e5, 0);
    CHECK_NEAR(d.poisson, .25, 0);
    CHECK_NEAR(d.cohesion, 2, 0);
    hash = nsc_world_hash(&world);
}

/* z of a joint's frame lies along the axis, x as far across as it can, for every turn of the frame. */
static void placed_frames(nsc_id body)
{
    static const double axes[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    int i, k;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) {
            const double *a = axes[i], *b = axes[k];
            nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, body);
            double w, x, y, z;
            if (i / 2 == k / 2) continue;
            CHECK(nsc_joint_place(&world, &d, vec(1, 2, 3), vec(2 * a[0], 2 * a[1], 2 * a[2]), vec(b[0] + a[0], b[1] + a[1], b[2] + a[2])) == NSC_OK);
            w = D(d.frame_a.orientation.w), x = D(d.frame_a.orientation.x), y = D(d.frame_a.orientation.y), z = D(d.frame_a.orientation.z);
            CHECK_NEAR(2 * (x * z + w * y) * a[0] + 2 * (y * z - w * x) * a[1] + (1 - 2 * (x * x + y * y)) * a[2], 1, 1e-6);
            CHECK_NEAR((1 - 2 * (y * y + z * z)) * b[0] + 2 * (x * y + w * z) * b[1] + 2 * (x * z - w * y) * b[2], 1, 1e-6);
            CHECK_NEAR(w * w + x * x + y * y + z * z, 1, 1e-6);
            CHECK_NEAR(d.frame_a.position.z, 3, 0);
            CHECK_NEAR(d.frame_b.position.z, 2, 1e-6); /* the body is at (0, 0, 1) */
        }
}

/* Contacts of one's own in a world of smooth contact */
static void refused_contacts(void)
{
    nsc_world_def def = begin(0);
    nsc_contact c = nsc_default_contact(), e;
    nsc_id body;
    def.contact_model = NSC_CONTACT_SMOOTH;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    body = body_at(vec(0, 0, 1), 1, 1);
    c.body_b = body;
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_add_contact(&world, &c)); /* neither stiffness nor hertz */
    c.hertz = REAL(1e4);
    e = c, e.hertz = REAL(-1);
    REFUSED(nsc_world_add_contact(&world, &e));
    e = c, e.tangential = REAL(-1);
    REFUSED(nsc_world_add_contact(&world, &e));
    e = c, e.cohesion = REAL(-1);
    REFUSED(nsc_world_add_contact(&world, &e));
    e = c, e.hertz = REAL(0), e.sensor = 1;
    CHECK(nsc_world_add_contact(&world, &e) == NSC_OK);
    e.sensor = 0, e.stiffness = REAL(10);
    CHECK(nsc_world_add_contact(&world, &e) == NSC_OK && nsc_world_add_contact(&world, &c) == NSC_OK);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    def.contact_model = NSC_CONTACT_HARD; /* not while contacts of the other kind wait */
    REFUSED(nsc_world_set_def(&world, &def));
}

static void refusals(void)
{
    nsc_shape_def ball = nsc_default_sphere_def(REAL(1)), other_def;
    nsc_vec3 wild = vec(0, 0, 0), o = vec(0, 0, 0);
    nsc_body_def d = nsc_default_body_def();
    nsc_contact c = nsc_default_contact();
    nsc_id body, hinge, shape;
    wild.x = NSC_REAL_MAX * 2;
    begin(10);
    body = body_at(vec(0, 0, 1), 1, 1);
    hinge = joint_on(NSC_JOINT_HINGE, NSC_GROUND, body, o);
    shape = nsc_world_add_shape(&world, body, &ball);
    CHECK(hinge >= 0 && shape >= 0 && nsc_world_add_shape(&world, NSC_GROUND, &ball) >= 0);
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_add_body(NULL, &d));
    REFUSED(nsc_world_add_body(&world, NULL));
    REFUSED(nsc_world_remove_body(&world, NSC_GROUND));
    REFUSED(nsc_world_add_shape(NULL, body, &ball));
    REFUSED(nsc_world_add_shape(&world, body, NULL));
    REFUSED(nsc_shape_get_def(NULL, shape, &other_def));
    REFUSED(nsc_shape_get_def(&world, shape, NULL));
    REFUSED(nsc_shape_get_def(&world, body, &other_def)); /* a handle of something else */
    REFUSED(nsc_shape_set_def(NULL, shape, &ball));
    REFUSED(nsc_shape_set_def(&world, shape, NULL));
    REFUSED(nsc_world_set_def(NULL, &world.def));
    REFUSED(nsc_world_set_def(&world, NULL));
    REFUSED(nsc_world_add_contact(NULL, &c));
    REFUSED(nsc_world_add_contact(&world, NULL));
    REFUSED(nsc_body_set_velocity(&world, body, wild, o));
    REFUSED(nsc_body_set_velocity(&world, body, o, wild));
    REFUSED(nsc_body_add_force(&world, body, wild, o));
    REFUSED(nsc_body_add_force(&world, body, o, wild));
    REFUSED(nsc_body_add_force_at(&world, body, o, wild));
    refused_joints(body, hinge, wild);
    refused_queries(body, wild);
    refused_terrain(body, wild);
    placed_frames(body);
    changed_shape(shape);
    refused_contacts();
}

/* ---- problems */

static nsc_block blocks[12];
static nsc_mass masses[14];
static nsc_real v_free[84], v[84], arena[20000];
enum { MANY = 10667 }; /* blocks of three rows: more than 32000 */
static nsc_block many[MANY];

/* n balls of 1 kg in a pile under the last of 1000 kg: sweeps crawl */
static nsc_problem pile(int n)
{
    nsc_problem p;
    int i;
    memset(&p, 0, sizeof p);
    memset(blocks, 0, sizeof blocks);
    memset(v_free, 0, sizeof v_free);
    for (i = 0; i < n; i++) {
        nsc_block *b = &blocks[i];
        masses[i + 1].inv_mass = i == n - 1 ? REAL(.001) : REAL(1);
        v_free[6 * i + 8] = REAL(-.1);
        b->a = i, b->b = i + 1;
        b->kind = NSC_BLOCK_CONTACT, b->rows = 3, b->mu = REAL(.5);
        b->J[0][8] = b->J[1][6] = b->J[2][7] = REAL(1);
        b->J[0][2] = b->J[1][0] = b->J[2][1] = REAL(-1);
    }
    p.body_count = n + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.block_count = n, p.blocks = blocks, p.arena = arena;
    return p;
}

/* AUTO takes the first of NEWTON, ADMM, BB that the arena holds, and none where it holds none. */
static void reserves_of_auto(void)
{
    enum { N = 8 };
    nsc_settings s = default_settings();
    const int rows = 3 * N, room[4] = {NSC_ARENA_NEWTON(N + 1, rows), NSC_ARENA_ADMM(N + 1, rows), NSC_ARENA_BB(rows), NSC_ARENA_BB(rows) - 1};
    const int solver[4] = {NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM, NSC_SOLVER_BB, NSC_SOLVER_SIPGS};
    int k;
    solved_by = NSC_SOLVER_AUTO;
    s.max_iterations = 2000;
    s.tolerance = REAL(PICK(1e-10, 1e-4));
    for (k = 0; k < 4; k++) {
        nsc_problem p = pile(N);
        nsc_report r;
        p.arena_size = room[k];
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK((solve_by(&p, &s, &r) == NSC_OK) == (k < 3) && r.solver == solver[k]);
        if (k == 0) CHECK_NEAR(blocks[0].lambda[0], .1 * (N - 1) + 100, PICK(1e-6, .8)); /* N 1000 kg tolerance */
    }
}

/* A value wrong in one field alone is refused, with its code, before anything is written. */
#define WRONG(change, code)                               \
    do {                                                  \
        nsc_problem p = pile(3);                          \
        nsc_block *b = &blocks[2];                        \
        (void)b;                                          \
        p.row_count = 77;                                 \
        change;                                           \
        CHECK(nsc_problem_prepare(&p) == (code));         \
        CHECK(p.row_count == ((code) == NSC_OK ? 9 : 77)); \
    } while (0)

static void refused_problems(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf;
    static nsc_real matrix[81];
    int i;
    WRONG((void)0, NSC_OK);
    CHECK(nsc_problem_prepare(NULL) == NSC_ERR_ARGUMENT);
    WRONG(p.bias_error = nan, NSC_ERR_NOT_FINITE);
    WRONG(p.bias_error = REAL(-1), NSC_ERR_ARGUMENT);
    WRONG(p.block_count = -1, NSC_ERR_ARGUMENT);
    WRONG(p.v_free = NULL, NSC_ERR_ARGUMENT);
    WRONG(p.v = NULL, NSC_ERR_ARGUMENT);
    WRONG(p.v = v_free, NSC_ERR_ARGUMENT);
    WRONG(p.blocks = NULL, NSC_ERR_ARGUMENT);
    WRONG(p.body_count = 0, NSC_ERR_ARGUMENT);
    WRONG(p.masses = NULL, NSC_ERR_ARGUMENT);
    WRONG(masses[0].inv_mass = nan, NSC_ERR_NOT_FINITE);
    masses[0].inv_mass = REAL(0);
    WRONG(masses[2].inv_mass = nan, NSC_ERR_NOT_FINITE);
    WRONG(masses[2].inv_mass = REAL(-1), NSC_ERR_ARGUMENT);
    for (i = 0; i < 6; i++) {
        WRONG(masses[2].inv_inertia[i] = inf, NSC_ERR_NOT_FINITE);
        memset(masses, 0, sizeof masses);
    }
    WRONG(b->kind = 0, NSC_ERR_ARGUMENT);
    WRONG(b->kind = 5, NSC_ERR_ARGUMENT);
    WRONG(b->rows = 0, NSC_ERR_ARGUMENT);
    WRONG(b->rows = 4, NSC_ERR_ARGUMENT);
    WRONG(b->rows = 2, NSC_ERR_ARGUMENT);
    WRONG(b->a = -1, NSC_ERR_ARGUMENT);
    WRONG(b->b = -1, NSC_ERR_ARGUMENT);
    WRONG(b->a = 4, NSC_ERR_ARGUMENT);
    WRONG(b->b = 4, NSC_ERR_ARGUMENT);
    WRONG((b->a = 3, b->b = 0), NSC_OK);
    for (i = 0; i < 12; i++) WRONG(b->J[i % 3][i] = nan, NSC_ERR_NOT_FINITE);
    WRONG(b->cfm[1] = inf, NSC_ERR_NOT_FINITE);
    WRONG(b->bias[2] = nan, NSC_ERR_NOT_FINITE);
    WRONG(b->cfm[2] = REAL(-1), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->lo[1] = REAL(1)), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->lo[1] = nan), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->hi[2] = nan), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->lo[0] = -inf, b->hi[0] = inf), NSC_OK);
    WRONG((b->kind = NSC_BLOCK_EQUALITY, b->lo[1] = REAL(1)), NSC_OK);
    WRONG(b->mu = nan, NSC_ERR_NOT_FINITE);
    WRONG(b->mu = REAL(-1), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->mu = REAL(-1)), NSC_OK);
    WRONG(b->kind = NSC_BLOCK_ROLLING, NSC_OK);
    WRONG(blocks[0].kind = NSC_BLOCK_ROLLING, NSC_ERR_ARGUMENT); /* behind no contact */
    WRONG((blocks[1].kind = NSC_BLOCK_BOX, b->kind = NSC_BLOCK_ROLLING), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->rows = 1), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->hi[0] = nan), NSC_ERR_NOT_FINITE);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->hi[0] = REAL(-1)), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->mu = REAL(-1)), NSC_ERR_ARGUMENT);
    for (i = 0; i < 9; i++) matrix[10 * i] = REAL(1);
    WRONG(p.delassus = matrix, NSC_OK);
    WRONG((p.delassus = matrix, p.body_count = 0, p.masses = NULL, b->a = -1, b->J[0][0] = nan), NSC_OK); /* not looked at */
    matrix[80] = nan;
    WRONG(p.delassus = matrix, NSC_ERR_NOT_FINITE);
    for (i = 0; i < MANY; i++) many[i].kind = NSC_BLOCK_EQUALITY, many[i].rows = 3;
    WRONG((p.delassus = matrix, p.blocks = many, p.block_count = MANY), NSC_ERR_CAPACITY); /* the matrix is not looked at */
}

/* What was not prepared, or has lost a pointer since, settings out of their ranges, a law that is none: refused by every solver,
   and the report holds nothing but that.  So is what is too large to count in. */
static void refused_solves(void)
{
    nsc_settings s;
    nsc_report r;
    int k, solver, code;
    for (k = 0; k < 13; k++)
        for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_AUTO; solver++) {
            nsc_problem p = pile(3);
            p.arena_size = 20000;
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            s = default_settings(), solved_by = solver, s.law = solver == NSC_SOLVER_DANTZIG ? NSC_LAW_PYRAMID : NSC_LAW_CONE;
            blocks[0].lambda[0] = REAL(7);
            if (k == 0) p.v = NULL;
            if (k == 1) p.v_free = NULL;
            if (k == 2) p.block_count = -1;
            if (k == 3) p.row_count = 0;
            if (k == 4) s.law = NSC_LAW_COULOMB - 1;
            if (k == 5) s.law = NSC_LAW_PYRAMID + 1;
            if (k == 6) s.max_iterations = 0;
            if (k == 7) s.tolerance = NSC_REAL_MAX * 2;
            if (k == 8) s.stall_window = -1;
            if (k == 9) s.check_interval = 0;
            if (k == 10) s.omega = REAL(2);
            if (k == 11) s.passes = 0;
            if (k == 12) s.max_factorizations = 0;
            CHECK((code = solve_by(&p, &s, &r)) == NSC_ERR_ARGUMENT && r.status == code && r.iterations == 0 && r.worst_block == -1);
            CHECK(!(blocks[0].lambda[0] < REAL(7)));
            if (k < 4) CHECK(nsc_problem_measure(&p, NSC_LAW_CONE, &r) == NSC_ERR_ARGUMENT);
            if (k == 4 || k == 5) CHECK(nsc_problem_measure(&p, s.law, &r) == NSC_ERR_ARGUMENT);
            p = pile(3);
            CHECK(nsc_problem_prepare(&p) == NSC_OK && nsc_problem_measure(&p, NSC_LAW_CONE, NULL) == NSC_ERR_ARGUMENT);
        }
    s = default_settings();
    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_AUTO; solver++) {
        solved_by = solver;
        CHECK(solve_by(NULL, &s, &r) == NSC_ERR_ARGUMENT || solve_by(NULL, &s, &r) == NSC_ERR_CAPACITY);
    }
    for (k = 0; k < 3; k++) {
        nsc_problem p = pile(3);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK(nsc_solve_sipgs(&p, NULL, &r) == NSC_ERR_ARGUMENT && nsc_solve_auto(&p, NULL, &r) == NSC_ERR_ARGUMENT);
        s = default_settings(), solved_by = k == 0 ? NSC_SOLVER_DANTZIG : k == 1 ? NSC_SOLVER_MINRES : NSC_SOLVER_NEWTON, s.law = NSC_LAW_PYRAMID;
        p.arena = NULL, p.arena_size = 20000;
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY);
    }
    CHECK(nsc_solve_auto(NULL, NULL, NULL) == NSC_ERR_ARGUMENT && nsc_problem_measure(NULL, NSC_LAW_CONE, &r) == NSC_ERR_ARGUMENT);
    for (k = 0; k < 5; k++) { /* the arena's size counts as enough: it must be refused for what cannot be counted */
        static const int which[5] = {NSC_SOLVER_DANTZIG, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM};
        nsc_problem p = pile(3);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        p.arena_size = INT_MAX;
        if (k < 3) p.row_count = 32001;
        else p.body_count = 901;
        solved_by = which[k], s.law = k == 0 ? NSC_LAW_PYRAMID : NSC_LAW_CONE;
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY && r.status == NSC_ERR_CAPACITY);
    }
}

/* AUTO's first choice and what it falls back on, by law, kind of rows and arena; the answer is the same where there is one. */
static void choices_of_auto(void)
{
    enum { N = 2, ROWS = 3 * N };
    static const struct choice {
        int law, kind, room, solver;
    } choices[] = {{NSC_LAW_CONE, NSC_BLOCK_EQUALITY, NSC_ARENA_NEWTON(N + 1, ROWS), NSC_SOLVER_NEWTON},
                   {NSC_LAW_CONE, NSC_BLOCK_EQUALITY, NSC_ARENA_MINRES(ROWS), NSC_SOLVER_MINRES},
                   {NSC_LAW_CONE, NSC_BLOCK_EQUALITY, NSC_ARENA_MINRES(ROWS) - 1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_CONE, NSC_BLOCK_EQUALITY, -1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_PYRAMID, NSC_BLOCK_CONTACT, NSC_ARENA_DANTZIG(ROWS), NSC_SOLVER_DANTZIG},
                   {NSC_LAW_PYRAMID, NSC_BLOCK_CONTACT, NSC_ARENA_DANTZIG(ROWS) - 1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_PYRAMID, NSC_BLOCK_CONTACT, -1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_CONE, NSC_BLOCK_CONTACT, -1, NSC_SOLVER_SIPGS}};
    size_t n;
    for (n = 0; n < sizeof choices / sizeof choices[0]; n++) {
        nsc_problem p = pile(N);
        nsc_settings s = default_settings();
        nsc_report r;
        int i;
        for (i = 0; i < N; i++) blocks[i].kind = (unsigned char)choices[n].kind, masses[i + 1].inv_mass = REAL(1);
        solved_by = NSC_SOLVER_AUTO, s.law = choices[n].law, s.max_iterations = 2000, s.tolerance = REAL(PICK(1e-9, 1e-5));
        p.arena = choices[n].room < 0 ? NULL : arena, p.arena_size = choices[n].room;
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK && r.solver == choices[n].solver);
        CHECK_NEAR(blocks[1].lambda[0], .1, 1e-4); /* 1 kg at 0.1 m/s, and another on top of it */
        CHECK_NEAR(blocks[0].lambda[0], .2, 1e-4);
    }
}

/* Rolling friction that an image brings into a build without room for it */
static void rolling_from_elsewhere(void)
{
    static const nsci_members map[] = {NSCI_ROLLING_MEMBERS};
    int k, i;
    for (k = 0; k < 3; k++) {
        unsigned char bytes[5 * sizeof(nsc_real)];
        nsc_contact c = nsc_default_contact();
        nsci_tape t;
        nsci_tape_start(&t, NSCI_WRITE, &world);
        t.out = bytes, t.size = sizeof bytes;
        for (i = 0; i < 5; i++) {
            nsc_real x = i == k ? REAL(.25) : REAL(0);
            nsci_tape_reals(&t, &x, 1);
        }
        nsci_tape_start(&t, NSCI_READ, NULL);
        t.in = bytes, t.size = sizeof bytes;
        NSCI_WALK(&t, map, &c);
        CHECK(t.code == (k < 2 ? NSC_ERR_CAPACITY : NSC_OK));
    }
}

/* Edges of the small functions, where the next line would divide by nothing, or count on for ever */
static void edges(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf;
    nsc_real s[6] = {0}, out[6];
    nsc_problem p = pile(1);
    nsc_settings set = default_settings();
    nsc_report r;
    nsci_mat3 m;
    nsc_joint j;
    CHECK(nsci_clamp_finite(inf) >= NSC_REAL_MAX && nsci_clamp_finite(-inf) <= -NSC_REAL_MAX);
    CHECK_NEAR(nsci_clamp_finite(nan), 0, 0), CHECK_NEAR(nsci_clamp_finite(REAL(-2)), -2, 0);
    s[0] = s[1] = s[2] = NSC_REAL_MAX;
    CHECK(nsci_sym_inverse(s, out) == 0); /* the trace overflows */
    CHECK_NEAR(nsci_atan2(REAL(0), REAL(0)), 0, 0);
    CHECK_NEAR(nsci_fifth_root(REAL(0)), 0, 0), CHECK(nsci_fifth_root(inf) > NSC_REAL_MAX);
    CHECK_NEAR(nsci_fifth_root(REAL(243)), 3, 1e-5), CHECK_NEAR(nsci_fifth_root(REAL(1e-5)), .1, 1e-6);
    CHECK(nsci_add_count(INT_MAX, INT_MAX) == INT_MAX && nsci_add_count(1, 2) == 3);
    memset(&m, 0, sizeof m);
    m.c[0].x = m.c[1].x = m.c[2].x = REAL(1);
    CHECK_NEAR(nsci_solve3(&m, vec(1, 2, 3)).y, 2, 0); /* singular */
    memset(&j, 0, sizeof j);
    j.angle[0] = REAL(3), j.turns[0] = 1000000000;
    s[0] = REAL(-3);
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == 1000000000); /* and no further */
    j.turns[0] = 7;
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == 8);
    j.angle[0] = REAL(-3), s[0] = REAL(3);
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == 6);
    j.turns[0] = -1000000000;
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == -1000000000);
    CHECK_NEAR(length(nsci_turn_of(vec(0, 0, 0), REAL(-1), vec(1, 0, 0))), 3.14159265358979, 1e-6); /* half a turn */
    CHECK_NEAR(length(nsci_turn_of(vec(0, 0, 0), REAL(1), vec(1, 0, 0))), 0, 0);
    CHECK_NEAR(length(nsci_turn_of(vec(0, 1, 0), REAL(0), vec(1, 0, 0))), 1.5707963267949, 1e-6);
    p.block_count = 0, set.symmetric = 1, v_free[8] = REAL(-.5); /* a sweep backwards through nothing */
    CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &set, &r) == NSC_OK);
    CHECK(nsci_sipgs_sweep(&p, &set, 1) <= 0);
    CHECK_NEAR(v[8], -.5, 0);
}

/* Impulses to begin from that are not finite count as 0, each by itself. */
static void guesses_that_are_not_finite(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2;
    nsc_settings set = default_settings();
    nsc_real lambda[3];
    nsc_report r;
    int k, i;
    set.max_iterations = 1;
    for (k = 0; k < 4; k++) {
        nsc_problem p = pile(3);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        for (i = 0; i < p.block_count; i++) p.blocks[i].lambda[0] = REAL(.5), p.blocks[i].lambda[1] = REAL(.125), p.blocks[i].lambda[2] = 0;
        if (k < 2) p.blocks[1].lambda[1] = k ? inf - inf : 0;
        if (k == 2) p.blocks[1].lambda[0] = inf, p.blocks[1].lambda[1] = 0;
        if (k == 3) p.blocks[1].lambda[0] = 0, p.blocks[1].lambda[1] = 0;
        CHECK(solve_by(&p, &set, &r) >= 0);
        if (k % 2 == 0 && k < 3) memcpy(lambda, p.blocks[1].lambda, sizeof lambda);
        if (k == 1 || k == 3) CHECK(memcmp(lambda, p.blocks[1].lambda, sizeof lambda) == 0);
    }
}

/* What is allowed at the limits: no blocks, one body alone, mu 0; rows that are not in use are not looked at. */
static void bare_problems(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf;
    nsc_problem p = pile(1);
    p.block_count = 0, p.blocks = NULL;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 0);
    p.body_count = 1;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 0);
    p = pile(1);
    p.blocks = NULL;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    p = pile(2);
    blocks[0].mu = REAL(0);
    blocks[0].rows = 1;
    blocks[0].cfm[1] = blocks[0].bias[1] = blocks[0].J[1][0] = nan;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 4 && blocks[0].row == 0 && blocks[1].row == 1);
    blocks[1].kind = NSC_BLOCK_BOX, blocks[1].rows = 2, blocks[1].lo[1] = REAL(1), blocks[1].hi[1] = REAL(1), blocks[1].hi[2] = REAL(-9);
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 3);
    blocks[1].lo[1] = REAL(2), blocks[1].hi[2] = REAL(9);
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
}

/* ---- mechanisms in closed form, quick ones */

/* Two wheels apart on parallel axes, both on a free base: in one step a motor between base and a
   gives T h.  With I_B that of the base and the wheels' weight about the middle, f the base's
   speed, a' that of a against it and b' = a'/r, (I_B + I_a + I_b) f + (I_a + I_b / r) a' = 0, (I_a
   + I_b / r) f + (I_a + I_b / r^2) a' = T h and the gear's force goes from point to point: nothing
   is lost of momentum or angular momentum. */
static void gear_on_a_free_base(double r, double y)
{
    const double Ia = .3, Ib = .2, T = .5, h = .001, arm = .25 + y * y;
    double A = 1 + 4 * arm + Ia + Ib, B = Ia + Ib / r, E = Ia + Ib / (r * r),
           rate = T * h / (E - B * B / A);
    nsc_joint_def d, gear = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    nsc_axis_state a, b;
    nsc_id base, one, two;
    nsc_vec3 P, L;
    begin(0);
    base = body_at(vec(0, 0, 0), 3, 1), one = body_at(vec(.5, y, 0), 2, Ia);
    two = body_at(vec(-.5, -y, 0), 2, Ib);
    d = nsc_default_joint_def(NSC_JOINT_HINGE, base, one);
    CHECK(nsc_joint_place(&world, &d, vec(.5, y, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    d.axis[0].drive = NSC_DRIVE_MOTOR, d.axis[0].target_velocity = REAL(1000);
    d.axis[0].max_force = REAL(T);
    gear.joint_a = nsc_world_add_joint(&world, &d);
    d = nsc_default_joint_def(NSC_JOINT_HINGE, base, two);
    CHECK(nsc_joint_place(&world, &d, vec(-.5, -y, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    gear.joint_b = nsc_world_add_joint(&world, &d);
    gear.ratio = REAL(r);
    CHECK(nsc_world_add_joint(&world, &gear) >= 0);
    CHECK(step_by(&world, REAL(h)) >= 0);
    CHECK(nsc_joint_get_axis(&world, gear.joint_a, 0, &a) == NSC_OK);
    CHECK(nsc_joint_get_axis(&world, gear.joint_b, 0, &b) == NSC_OK);
    CHECK_NEAR(a.velocity, rate, PICK(1e-8, 1e-3) * rate);
    CHECK_NEAR(b.velocity, rate / r, PICK(1e-8, 1e-3) * rate);
    CHECK_NEAR(a.drive, T, 1e-5);
    P = plus(multiple(3, speed(base, 0)), multiple(2, plus(speed(one, 0), speed(two, 0))));
    CHECK_NEAR(length(P), 0, PICK(1e-12, 1e-7));
    L = plus(speed(base, 1), plus(multiple(Ia, speed(one, 1)), multiple(Ib, speed(two, 1))));
    L = plus(L, multiple(2, cross(vec(.5, y, 0), minus(speed(one, 0), speed(two, 0)))));
    CHECK_NEAR(length(L), 0, PICK(1e-10, 1e-6));
}

/* A motor of a limited torque, and dry friction that it has to overcome: I w = (T - F) t; then
   friction alone stops it. */
static void motor_against_friction(void)
{
    const double T = 2, F = .5, I = 3, h = .01;
    nsc_joint_def d;
    nsc_axis_state axis;
    nsc_id b, j;
    int i;
    begin(0);
    b = body_at(vec(0, 0, 0), 1, I);
    d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, b);
    d.axis[0].drive = NSC_DRIVE_MOTOR, d.axis[0].target_velocity = REAL(-100);
    d.axis[0].max_force = REAL(T);
    d.axis[0].friction = REAL(F);
    j = nsc_world_add_joint(&world, &d);
    for (i = 0; i < 10; i++) CHECK(step_by(&world, REAL(h)) == NSC_OK);
    CHECK(nsc_joint_get_axis(&world, j, 0, &axis) == NSC_OK);
    CHECK_NEAR(axis.velocity, -(T - F) * 10 * h / I, 1e-5);
    CHECK_NEAR(axis.drive, -T, 1e-4), CHECK_NEAR(axis.friction, F, 1e-4);
    d.axis[0].max_force = REAL(0);
    CHECK(nsc_joint_set_axis(&world, j, 0, &d.axis[0]) == NSC_OK);
    for (i = 0; i < 10; i++) CHECK(step_by(&world, REAL(h)) == NSC_OK);
    CHECK(nsc_joint_get_axis(&world, j, 0, &axis) == NSC_OK);
    CHECK_NEAR(axis.velocity, -(T - 2 * F) * 10 * h / I, 1e-5);
    for (i = 0; i < 50; i++) CHECK(step_by(&world, REAL(h)) == NSC_OK);
    CHECK(nsc_joint_get_axis(&world, j, 0, &axis) == NSC_OK);
    CHECK_NEAR(axis.velocity, 0, 1e-5);
}

/* A bar held level at one end by a bracket, or by a servo in a hinge: at rest it bears m g and m g
   l, be the step one or three sub-steps long; and a bar that sleeps keeps both, whatever the step.
 */
static void bar_at_rest(int kind, int substeps, int stepper)
{
    const double m = 2, l = .5, g = 10, h = .01;
    nsc_world_def def = begin(g);
    nsc_joint_def d;
    nsc_axis_state axis;
    nsc_vec3 force, torque;
    nsc_id b, j;
    int i;
    def.substeps = substeps, def.stepper = stepper;
    def.sleep_time = REAL(stepper == NSC_STEPPER_EULER_IMPLICIT_LINEARIZED ? .1 : 0);
    def.sleep_speed = REAL(.05);
    if (stepper == NSC_STEPPER_HHT) def.contact_model = NSC_CONTACT_SMOOTH;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    b = body_at(vec(l, 0, 0), m, .1);
    d = nsc_default_joint_def(kind, NSC_GROUND, b);
    CHECK(nsc_joint_place(&world, &d, vec(0, 0, 0), vec(0, 1, 0), vec(1, 0, 0)) == NSC_OK);
    if (kind == NSC_JOINT_HINGE) {
        d.axis[0].drive = NSC_DRIVE_SERVO, d.axis[0].stiffness = REAL(1e4), d.axis[0].damping = REAL(100);
        d.axis[0].max_force = REAL(1000);
        d.axis[0].target = REAL(-m * g * l / 1e4); /* so it hangs level */
    }
    j = nsc_world_add_joint(&world, &d);
    for (i = 0; i < 60; i++) {
        CHECK(step_by(&world, REAL(i < 40 ? h : .25 * h)) >= 0);
        if (i % 20 != 19) continue;
        CHECK(nsc_joint_get_force(&world, j, &force, &torque) == NSC_OK);
        CHECK_NEAR(force.z, m * g, PICK(1e-4, .01) * m * g);
        CHECK_NEAR(torque.y, -m * g * l, PICK(1e-4, .01) * m * g);
        CHECK_NEAR(force.x, 0, .02), CHECK_NEAR(force.y, 0, .02);
        CHECK_NEAR(torque.x, 0, .02), CHECK_NEAR(torque.z, 0, .02);
        if (kind != NSC_JOINT_HINGE) continue;
        CHECK(nsc_joint_get_axis(&world, j, 0, &axis) == NSC_OK);
        CHECK_NEAR(axis.drive, -m * g * l, PICK(1e-4, .01) * m * g);
    }
    if (def.sleep_time > 0) CHECK(nsc_body_is_asleep(&world, b) == 1);
}

/* HHT and NEWMARK are exact under gravity alone; what throws a body begins anew, with the new speed
   and no rate of before. */
static void thrown_in_flight(int stepper)
{
    const double h = .01, g = 10;
    nsc_world_def def = begin(g);
    nsc_id free_body, thrown, late = -1;
    double speed_now = 2;
    int i;
    def.stepper = stepper, def.contact_model = NSC_CONTACT_SMOOTH;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    thrown = body_at(vec(0, 0, 1), 1, 1), free_body = body_at(vec(2, 0, 1), 1, 1);
    CHECK(nsc_body_set_velocity(&world, thrown, vec(0, 0, 2), vec(0, 0, 0)) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, free_body, vec(0, 0, 2), vec(0, 0, 0)) == NSC_OK);
    for (i = 0; i < 30; i++) {
        if (i == 10) {
            CHECK(nsc_body_set_velocity(&world, thrown, vec(0, 0, 3), vec(0, 0, 0)) == NSC_OK);
            speed_now = 3;
        }
        if (i == 20) {
            late = body_at(vec(4, 0, 1), 1, 1);
            CHECK(nsc_body_set_velocity(&world, late, vec(0, 0, 1), vec(0, 0, 0)) == NSC_OK);
        }
        CHECK(step_by(&world, REAL(h)) == NSC_OK);
        CHECK_NEAR(speed(thrown, 0).z, speed_now - g * h * (i < 10 ? i + 1 : i - 9), 1e-5);
        CHECK_NEAR(speed(free_body, 0).z, 2 - g * h * (i + 1), 1e-5);
        if (i >= 20) CHECK_NEAR(speed(late, 0).z, 1 - g * h * (i - 19), 1e-5);
    }
    CHECK(world.steady == 2);
}

/* A servo goes where it is told, beside others that are told otherwise. */
static void servos_told(void)
{
    nsc_id j[2];
    nsc_axis_state axis;
    int i, n;
    begin(0);
    for (i = 0; i < 2; i++) {
        nsc_id b = body_at(vec(i, 0, 0), 1, 1);
        nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, b);
        CHECK(nsc_joint_place(&world, &d, vec(i, 0, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
        d.axis[0].drive = NSC_DRIVE_SERVO, d.axis[0].stiffness = REAL(100), d.axis[0].damping = REAL(20);
        j[i] = nsc_world_add_joint(&world, &d);
    }
    for (i = 0; i < 2; i++)
        CHECK(nsc_joint_set_target(&world, j[i], 0, REAL(1.25 * i - .5), REAL(0)) == NSC_OK);
    for (n = 0; n < 300; n++) CHECK(step_by(&world, REAL(.01)) == NSC_OK);
    for (i = 0; i < 2; i++) {
        CHECK(nsc_joint_get_axis(&world, j[i], 0, &axis) == NSC_OK);
        CHECK_NEAR(axis.position, 1.25 * i - .5, 1e-4);
    }
}

/* Weights that hang from springs of their own: each spring bears its own, and EULER_IMPLICIT has
   solved its equation, m (v - v0) / h = m g - c x, when it says so. */
static void springs_apart(int stepper)
{
    const double g = 10, h = .01, stiffness = 1000;
    nsc_world_def def = begin(g);
    nsc_spring_def d;
    nsc_id spring[3], b[3];
    nsc_vec3 force, before;
    nsc_real long_now;
    int i, n;
    def.stepper = stepper;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    for (i = 0; i < 3; i++) {
        b[i] = body_at(vec(2 * i, 0, 0), 1 + i, 1);
        d = nsc_default_spring_def(NSC_GROUND, b[i]);
        d.point_a = vec(2 * i, 0, 1);
        d.rest = REAL(1), d.stiffness = REAL(stiffness), d.damping = REAL(40);
        spring[i] = nsc_world_add_spring(&world, &d);
    }
    for (n = 0; n < 400; n++) CHECK(step_by(&world, REAL(h)) >= 0);
    for (i = 0; i < 3; i++) {
        CHECK(nsc_spring_get_force(&world, spring[i], &long_now, &force) == NSC_OK);
        CHECK_NEAR(force.z, (1 + i) * g, .01);
        CHECK_NEAR(long_now, 1 + (1 + i) * g / stiffness, 1e-4);
    }
    if (stepper != NSC_STEPPER_EULER_IMPLICIT) return;
    d.damping =
        REAL(0); /* swinging far: the spring's direction and force are those after the step */
    CHECK(nsc_spring_set_def(&world, spring[0], &d) < 0); /* of other bodies */
    CHECK(nsc_spring_get_def(&world, spring[0], &d) == NSC_OK);
    d.damping = REAL(0);
    CHECK(nsc_spring_set_def(&world, spring[0], &d) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, b[0], vec(20, 0, 0), vec(0, 0, 0)) == NSC_OK);
    for (n = 0; n < 10; n++) {
        nsc_pose pose;
        double x, z, r, pull;
        before = speed(b[0], 0);
        CHECK(step_by(&world, REAL(h)) >= 0);
        CHECK(nsc_body_get_pose(&world, b[0], &pose) == NSC_OK);
        x = D(pose.position.x), z = D(pose.position.z) - 1, r = sqrt(x * x + z * z);
        pull = -stiffness * (r - 1) / r;
        CHECK_NEAR(D(speed(b[0], 0).x - before.x) / h, pull * x, PICK(1e-6, .3));
        CHECK_NEAR(D(speed(b[0], 0).z - before.z) / h, pull * z - g, PICK(1e-6, .3));
        CHECK(world.report.newton_steps >= 2 && world.report.unsettled == 0);
    }
}

/* Small functions by their closed forms */
static void by_closed_form(void)
{
    const double pi = 3.14159265358979323846, eps = D(NSC_REAL_EPS);
    static const nsc_real askew[6] = {3, 2, 1, 0, 1, 0}; /* xz: 2 +- sqrt 2 */
    nsc_refusal why;
    nsc_real s, c;
    int i;
    for (i = 0; i < 1000; i++) {
        double x = .01 * i;
        nsci_sin_cos(REAL(x), &s, &c);
        CHECK_NEAR(s, sin(D(REAL(x))), 2 * eps), CHECK_NEAR(c, cos(D(REAL(x))), 2 * eps);
    }
    for (i = -100; i <= 100; i++) {
        double a = .01 * pi * i;
        s = REAL(3 * sin(a)), c = REAL(3 * cos(a));
        if (i == -100) continue;
        if (i == 100 || i == 0) s = REAL(0);
        CHECK_NEAR(nsci_atan2(s, c), a, 8 * eps);
    }
    CHECK_NEAR(nsci_least_moment(askew), 2 - sqrt(2), 1e-5);
    /* the root of a s^2 + b s + c with a = square, b = with - without - square, c = without */
    CHECK_NEAR(nsci_most_share(REAL(2), REAL(-1), REAL(4)), (1 + sqrt(17)) / 8, 1e-6);
    CHECK_NEAR(nsci_most_share(REAL(3), REAL(-1), REAL(2)), (sqrt(12) - 2) / 4, 1e-6);
    CHECK_NEAR(nsci_most_share(REAL(-2), REAL(-1), REAL(1)), 1, 0);
    begin(0);
    why = nsc_world_last_refusal(&world);
    CHECK(why.code == NSC_OK && why.number == 0 && why.value <= 0 && why.value >= 0);
}

/* Oblique rays at a slope of oblong cells are stopped where the plane is. */
static void rays_at_a_slope(void)
{
    const double dx = .5, dy = .25, a = .3, b = -.2;
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_real slope[24];
    nsc_hit hit;
    int i;
    for (i = 0; i < 24; i++) slope[i] = REAL(a * dx * (i % 6 - 2.5) + b * dy * (i / 6 - 1.5));
    begin(0);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &d, slope, 6, 4, REAL(dx), REAL(dy)) >= 0);
    for (i = 0; i < 60; i++) {
        double x = .02 * (i % 60) - .6, y = .011 * (7 * i % 60) - .33, z = a * x + b * y;
        double rx = .3 * (i % 5 - 2), ry = .25 * (i % 7 - 3);
        nsc_vec3 from = vec(x - rx, y - ry, z + 1), ray = vec(3 * rx, 3 * ry, -3);
        CHECK(nsc_world_cast_ray(&world, from, ray, UINT32_C(0xffffffff), &hit) == 1);
        CHECK_NEAR(hit.point.x, x, 1e-5), CHECK_NEAR(hit.point.y, y, 1e-5);
        CHECK_NEAR(hit.point.z, z, 1e-5);
    }
}

/* The fits against the equations they are of, and the fifth root */
static void fits_meet_their_equations(void)
{
    double worst_z = 0, worst_c = 0, worst_root = 0;
    int i;
    for (i = 0; i <= 1000; i++) {
        double e = 0.001 + 0.999 * i / 1000, z = D(nsci_damping_ratio(REAL(e))), c = D(nsci_flores(REAL(e))), found, lo = 1e-9, hi = fmin(1, (1 - 1e-12) / c), x;
        int k;
        if (z < 1) found = exp(-2 * acos(z) * z / sqrt(1 - z * z));
        else found = exp(-2 * acosh(z) * z / sqrt(z * z - 1));
        worst_z = fmax(worst_z, fabs(found - e));
        for (k = 0; k < 100; k++) {
            double mid = (lo + hi) / 2;
            if (c * (1 + mid) > log((1 + c) / (1 - c * mid))) lo = mid;
            else hi = mid;
        }
        if (c > 0.01) worst_c = fmax(worst_c, fabs(lo - e)); /* the equation has no digits left below */
        x = pow(10, (i - 500) * (is_double ? 0.6 : 0.07));
        worst_root = fmax(worst_root, fabs(pow(D(nsci_fifth_root(REAL(x))), 5) / D(REAL(x)) - 1) / 5);
    }
    printf("cover: fits: e of the damping ratio off by %.1e, of Flores' factor by %.1e, fifth root by %.1e\n", worst_z, worst_c, worst_root);
    CHECK(worst_z < 5e-5 && worst_c < 2e-4 && worst_root < 4 * D(NSC_REAL_EPS));
}

int main(void)
{
    int k;
    fits_meet_their_equations();
    for (k = 0; k < 3; k++) {
        gear_on_a_free_base(k - .5 + 2. * (k == 1), 0);
        gear_on_a_free_base(-1.5 * (k + 1), .25);
        bar_at_rest(NSC_JOINT_FIXED, 2 * k + 1, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED);
        bar_at_rest(NSC_JOINT_HINGE, 2 * k + 1, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED);
    }
    bar_at_rest(NSC_JOINT_FIXED, 3, NSC_STEPPER_EULER_IMPLICIT_PROJECTED);
    bar_at_rest(NSC_JOINT_HINGE, 2, NSC_STEPPER_HHT);
    motor_against_friction();
    servos_told();
    springs_apart(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED);
    springs_apart(NSC_STEPPER_EULER_IMPLICIT);
    by_closed_form();
    rays_at_a_slope();
    thrown_in_flight(NSC_STEPPER_HHT);
    thrown_in_flight(NSC_STEPPER_NEWMARK);
    gear_on_one_axis(NSC_JOINT_HINGE, 0, -2);
    gear_on_one_axis(NSC_JOINT_SLIDER, 1, -2);
    frame = tilted;
    gear_on_one_axis(NSC_JOINT_HINGE, 0, .5);
    gear_on_one_axis(NSC_JOINT_SLIDER, 1, .5);
    frame = upright;
    apart = 0;
    gear_on_one_axis(NSC_JOINT_HINGE, 0, -2);
    gear_on_a_moving_base();
    gears_that_are_none();
    joint_room();
    waking();
    planes_wake_what_they_meet();
    sleep_of_every_stepper();
    sleeping_on();
    soft_ball();
    own_contacts_wait();
    own_contacts_in_any_order();
    joints_in_used_slots();
    own_normals();
    immovable_contacts();
    cleared_force();
    coupled_force(6);
    coupled_force(4);
    slight_derivative();
    drawn_terrain();
    flat_rays();
    rays_along_an_axis();
    full_of_contacts();
    rolling_from_elsewhere();
    refusals();
    reserves_of_auto();
    choices_of_auto();
    refused_problems();
    refused_solves();
    guesses_that_are_not_finite();
    bare_problems();
    edges();
    return TEST_END("cover");
}
