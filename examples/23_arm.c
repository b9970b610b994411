/* An arm of six axes from a table follows a circle by computed torque, goes to a wall, and presses on it with 20 N: no sensor but its
   encoders, no force beyond what is asked.  Also runs on a Cortex-M4F: firmware/arm.c.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h), robots from tables (nsc_robot.h, nsc_pose.h, nsc_joint_state.h), their
   dynamics (nsc_dynamics.h) and the solver TREE (nsc_tree.h, nsc_tree_hinge.h, nsc_tree_forest.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 23_arm.c -lm */
#define NSC_MAX_JOINTS 6
#define NSC_MAX_JOINT_BLOCKS 18
#define NSC_ARENA NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, 24)
#define NSC_IMPLEMENTATION
#include "nsc_tree.h"
#include "nsc.h"
#include "nsc_joint_state.h"
#include "nsc_dynamics.h"
#include <math.h>
#include <stdio.h>

/* ---- the table: straight up in its zero position; robot.py writes such a table from a URDF or MJCF file */
#define HALF NSC_R(0.70710678)
#define ALONG_Z {NSC_R(1.0), 0, 0, 0}
#define ALONG_Y {HALF, -HALF, 0, 0}
#define LINK(name, z, mass, centre, across, along) {name, NSC_DYNAMIC_BODY, {{0, 0, NSC_R(z)}, ALONG_Z}, \
    NSC_R(mass), {0, 0, NSC_R(centre)}, {NSC_R(across), NSC_R(across), NSC_R(along), 0, 0, 0}}
#define AXIS(name, parent, z, turn, effort, rotor) {name, NSC_JOINT_HINGE, 0, parent, parent + 1, {{0, 0, NSC_R(z)}, turn}, \
    {{0, 0, 0}, turn}, 1, 0, 0, 0, NSC_R(effort), 0, NSC_R(rotor), 0, 0, 0, 0, NSC_DRIVE_FORCE, 0, 0}
static const nsc_robot_link_def links[7] = {
    {"base", NSC_STATIC_BODY, {{0, 0, 0}, ALONG_Z}, 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}},
    LINK("turntable", 0.1, 3.0, 0.05, 0.01, 0.01), LINK("upper", 0.2, 4.0, 0.2, 0.06, 0.01), LINK("fore", 0.6, 2.5, 0.15, 0.03, 0.005),
    LINK("roll", 0.95, 0.8, 0.03, 0.001, 0.001), LINK("pitch", 1.0, 0.6, 0.03, 0.001, 0.001), LINK("tool", 1.05, 0.4, 0.05, 0.001, 0.0005)};
static const nsc_robot_joint_def axes[6] = {
    AXIS("yaw", 0, 0.1, ALONG_Z, 100.0, 0.2), AXIS("shoulder", 1, 0.1, ALONG_Y, 100.0, 0.2), AXIS("elbow", 2, 0.4, ALONG_Y, 60.0, 0.1),
    AXIS("wrist roll", 3, 0.35, ALONG_Z, 20.0, 0.02), AXIS("wrist pitch", 4, 0.05, ALONG_Y, 20.0, 0.02),
    AXIS("tool roll", 5, 0.05, ALONG_Z, 10.0, 0.01)};
static const nsc_robot_shape_def shapes[1] = {
    {6, NSC_SHAPE_SPHERE, {{0, 0, NSC_R(0.1)}, ALONG_Z}, {0, 0, 0}, NSC_R(0.02), NSC_R(0.5), 1, 1, NULL}};
static const nsc_robot robot = {"arm", 1, 7, 6, 1, 0, links, axes, shapes, NULL, 0, 0, NULL, NULL, 0, NULL};

enum { RATE = 1000, CIRCLES = 3 };
static const nsc_real h = NSC_R(1.0) / RATE, wanted = NSC_R(20.0), wall = NSC_R(0.74); /* [s, N, m] */
static nsc_world world;
static nsc_dynamics model;
static nsc_id body[7], joint[6];
static nsc_vec3 tip = {0, 0, NSC_R(0.1)}, start;
static nsc_pose upright;
static nsc_real push, error; /* on the wall [N]; of the place on the circle [m] */
static int touched;          /* ticks for which it has stood at the wall */

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0};
    v.x = x, v.y = y, v.z = z;
    return v;
}

static int setup(void)
{
    static const nsc_real pose[6] = {0, NSC_R(0.3), NSC_R(1.6), 0, NSC_R(-0.4), 0};
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_pose base = {{0, 0, 0}, ALONG_Z};
    int k, code = nsc_world_init(&world, &def);
    plane.pose.orientation.w = HALF; /* a wall that faces -x */
    plane.pose.orientation.y = -HALF;
    plane.pose.position.x = wall;
    if (code >= 0) code = (int)nsc_world_add_shape(&world, NSC_GROUND, &plane);
    if (code >= 0) code = nsc_robot_add(&world, &robot, base, body, joint);
    for (k = 0; k < 6 && code >= 0; k++) code = nsc_joint_set_state(&world, joint[k], 0, pose[k], 0);
    if (code >= 0) code = nsc_dynamics_init(&model, &robot, base);
    if (code >= 0) code = nsc_dynamics_set(&model, pose, NULL);
    upright = model.link[6].pose;
    start = nsc_pose_point(upright, tip);
    return code;
}

static void swap(nsc_real *a, nsc_real *b)
{
    nsc_real t = *a;
    *a = *b, *b = t;
}

/* x becomes A^-1 x, 6 x 6, by elimination with pivots */
static void solve6(nsc_real *A, nsc_real *x)
{
    int c, i, k;
    for (c = 0; c < 6; c++) {
        for (i = k = c; i < 6; i++)
            if (A[6 * i + c] * A[6 * i + c] > A[6 * k + c] * A[6 * k + c]) k = i;
        for (i = 0; i < 6 && k != c; i++) swap(&A[6 * c + i], &A[6 * k + i]);
        swap(&x[c], &x[k]);
        for (i = 0; i < 6; i++) {
            nsc_real f = i == c ? 0 : A[6 * i + c] / A[7 * c];
            for (k = c; k < 6; k++) A[6 * i + k] -= f * A[6 * c + k];
            x[i] -= f * x[c];
        }
    }
    for (i = 0; i < 6; i++) x[i] /= A[7 * i];
}

/* One tick of the controller: encoders in, efforts out */
static int control(int step)
{
    const nsc_real radius = NSC_R(0.1), kp = NSC_R(900.0), kd = NSC_R(60.0), slow = NSC_R(0.002);
    nsc_real q[6], v[6], J[36], a[6], effort[6], angle, w, c, s, t = h * (nsc_real)step, spin = t < 1 ? NSC_R(6.2831853) : 0;
    nsc_dynamics_point_state p;
    nsc_vec3 e, at = start, rate = vec(0, 0, 0), way = rate, none = rate;
    nsc_quat turn;
    int code = nsc_dynamics_read(&model, &world, body, joint, q, v);
    if (code >= 0) code = nsc_dynamics_set(&model, q, v);
    if (code >= 0) code = nsc_dynamics_point(&model, 6, tip, &p);
    if (code >= 0) code = nsc_dynamics_jacobian(&model, 6, tip, J);
    if (code < 0) return code;
    if (step < CIRCLES * RATE) { /* in the plane y z, from its lowest point, faster and faster for a second */
        w = NSC_R(6.2831853) * (t < 1 ? t : 1), angle = w * (t < 1 ? t / 2 : t - NSC_R(0.5));
        c = radius * (nsc_real)cos((double)angle), s = radius * (nsc_real)sin((double)angle);
        at = vec(start.x, start.y + s, start.z + radius - c);
        rate = vec(0, w * c, w * s);
        way = vec(0, spin * c - w * w * s, spin * s + w * w * c);
    }
    e = vec(at.x - p.place.x, at.y - p.place.y, at.z - p.place.z);
    error = NSC_SQRT(e.x * e.x + e.y * e.y + e.z * e.z);
    a[0] = way.x + kp * e.x + kd * (rate.x - p.velocity.x) - p.acceleration.x;
    a[1] = way.y + kp * e.y + kd * (rate.y - p.velocity.y) - p.acceleration.y;
    a[2] = way.z + kp * e.z + kd * (rate.z - p.velocity.z) - p.acceleration.z;
    if (step >= CIRCLES * RATE) { /* to the wall, the last 3 mm slowly; where it stands, no velocity but a force */
        nsc_real go = wall - NSC_R(0.02) - p.place.x > NSC_R(0.003) ? NSC_R(0.1) : slow;
        touched = touched > 20 || (go <= slow && p.velocity.x < slow / 4) ? touched + 1 : 0;
        a[0] = (touched > 20 ? 0 : kd * (go - p.velocity.x)) - p.acceleration.x;
        push = touched > 20 ? wanted * (nsc_real)(touched > 220 ? 200 : touched - 20) / 200 : 0;
    }
    turn = nsc_pose_multiply(upright, nsc_pose_inverse(model.link[6].pose)).orientation; /* what is left, small */
    s = turn.w < 0 ? -2 * kp : 2 * kp;
    a[3] = s * turn.x - kd * p.turn_rate.x - p.turn_acceleration.x;
    a[4] = s * turn.y - kd * p.turn_rate.y - p.turn_acceleration.y;
    a[5] = s * turn.z - kd * p.turn_rate.z - p.turn_acceleration.z;
    solve6(J, a); /* of no use where the arm is stretched: inverse refuses what is not finite */
    code = nsc_dynamics_inverse(&model, a, effort);
    if (code >= 0) code = nsc_dynamics_push(&model, 6, tip, vec(push, 0, 0), none, effort);
    return code < 0 ? code : nsc_dynamics_drive(&model, &world, joint, effort);
}

/* The controller, a step of the world, and what the wall feels [N] */
static int tick(int step, nsc_real *felt)
{
    static nsc_calls calls;
    nsc_vec3 force = vec(0, 0, 0);
    int code = control(step);
    calls.solve = nsc_solve_tree;
    if (code >= 0) code = nsc_world_step_with(&world, h, &calls);
    if (code >= 0) code = nsc_body_get_contact_force(&world, body[6], &force, NULL);
    *felt = force.x < 0 ? -force.x : 0;
    return code;
}

#ifndef ARM_NO_MAIN
int main(void)
{
    nsc_real off = 0, most = 0, now = 0;
    int step;
    if (setup() < 0) return 1;
    for (step = 0; step < (CIRCLES + 3) * RATE; step++) {
        if (tick(step, &now) < 0) return 2;
        if (step < CIRCLES * RATE && error > off) off = error;
        if (now > most) most = now;
        if (step % (RATE / 2) == 0) printf("%3.1f s  %6.3f mm off  asks %5.2f N, the wall feels %5.2f N\n", (double)(h * (nsc_real)step),
            step < CIRCLES * RATE ? 1e3 * (double)error : 0.0, (double)push, (double)now);
    }
    printf("an arm of six axes drew a circle of 0.2 m, one a second, %.2f mm off at most, then pressed a wall by %.2f N of %.0f N asked\n",
           1e3 * (double)off, (double)now, (double)wanted);
    return off < NSC_R(1e-3) && most < NSC_R(1.02) * wanted && now > NSC_R(0.99) * wanted ? 0 : 3;
}
#endif
