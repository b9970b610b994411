/* An arm with the numbers of a public robot, Franka Emika's Panda, from its file 28_panda.xml: it begins in a keyframe, floats by
   gravity compensation alone, is led by hand, closes its fingers, which mimic each other, on a cube, and holds it.  Its sensors say
   where its tip is.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h, nsc_joint_state.h), robots from tables (nsc_robot.h,
   nsc_pose.h), their dynamics (nsc_dynamics.h) and the solver NEWTON (nsc_newton.h, nsc_factor.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 28_panda.c -lm */
#define NSC_MAX_BODIES 14
#define NSC_MAX_SHAPES 4
#define NSC_MAX_CONTACTS 16
#define NSC_MAX_JOINTS 12
#define NSC_MAX_JOINT_BLOCKS 48
#define NSC_ARENA NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)
#define NSC_IMPLEMENTATION
#include "nsc_newton.h"
#include "nsc.h"
#include "nsc_dynamics.h"
#include "28_panda.h"
#include <math.h>
#include <stdio.h>

enum { HZ = 250 };
static nsc_world world;
static nsc_dynamics model;
static nsc_id body[panda_LINKS], joint[panda_JOINTS];

static nsc_vec3 tip_of(const char *sensor)
{
    nsc_vec3 v = {0};
    nsc_real told[4] = {0};
    nsc_robot_read(&world, &panda, body, joint, nsc_robot_sensor(&panda, sensor), told);
    v.x = told[0], v.y = told[1], v.z = told[2];
    return v;
}

static double apart(nsc_vec3 a, nsc_vec3 b)
{
    double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
    return sqrt(x * x + y * y + z * z);
}

/* So many seconds: the arm carries itself and `load` at its tip, the fingers close with `grip`, somebody pulls its tip by `pull` [N]. */
static int run(double seconds, nsc_real load, nsc_real grip, nsc_real pull)
{
    const nsc_robot_frame_def *tip = &panda_frames[nsc_robot_frame(&panda, "tip")];
    nsc_real q[NSC_DYNAMICS_NUMBERS], v[NSC_DYNAMICS_NUMBERS], effort[NSC_DYNAMICS_NUMBERS];
    nsc_real force[panda_JOINTS];
    nsc_vec3 none = {0}, lift = {0}, hand = {0};
    nsc_calls calls = nsc_default_calls();
    int i, k, code = NSC_OK;
    calls.solve = nsc_solve_newton;
    lift.z = load;
    hand.y = pull;
    for (i = 0; i < (int)(seconds * HZ) && code >= 0; i++) {
        code = nsc_dynamics_read(&model, &world, body, joint, q, v);
        if (code >= 0) code = nsc_dynamics_set(&model, q, v);
        if (code >= 0) code = nsc_dynamics_gravity(&model, effort);
        if (code >= 0) code = nsc_dynamics_push(&model, tip->link, tip->pose.position, lift, none, effort);
        for (k = 0; k < panda_JOINTS; k++) {
            int number = nsc_dynamics_number(&model, k);
            force[k] = number < 0 ? 0 : effort[number] - (panda_joints[k].kind == NSC_JOINT_HINGE ? 4 * v[number] : 0);
        }
        force[nsc_robot_joint(&panda, "finger1")] -= grip;
        if (code >= 0) code = nsc_robot_set_forces(&world, &panda, joint, force);
        if (code >= 0) code = nsc_body_add_force_at(&world, body[tip->link], hand, tip_of("tip"));
        if (code >= 0) code = nsc_world_step_with(&world, NSC_R(1.0) / HZ, &calls);
    }
    return code < 0 ? code : NSC_OK;
}

int main(void)
{
    const nsc_real weight = NSC_R(0.1) * NSC_R(9.81);
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def shape = nsc_default_box_def(NSC_R(0.02), NSC_R(0.02), NSC_R(0.02));
    nsc_body_def load = nsc_default_body_def();
    nsc_pose base = {{0, 0, 0}, {1, 0, 0, 0}}, pose;
    nsc_vec3 home, led, held;
    nsc_real left = 0, right = 0;
    nsc_id cube = NSC_GROUND, table = NSC_GROUND;
    double floats, leads, carries, slips;
    int code, good;
    def.solver.max_factorizations = 20; /* in float a tenth of the steps would end before they are solved */
    code = nsc_world_init(&world, &def);
    if (code >= 0) code = nsc_robot_add(&world, &panda, base, body, joint);
    if (code >= 0) code = nsc_robot_set_state(&world, &panda, base, nsc_robot_state(&panda, "home"), body, joint);
    if (code >= 0) code = nsc_dynamics_init(&model, &panda, base);

    home = tip_of("tip");
    if (code >= 0) code = run(2.0, 0, 0, 0);
    floats = apart(home, tip_of("tip"));
    printf("gravity compensation alone: after 2 s the tip is %.4f mm off (%.3f %.3f %.3f m)\n", 1e3 * floats, (double)home.x,
           (double)home.y, (double)home.z);

    if (code >= 0) code = run(1.0, 0, 0, NSC_R(4.0));
    if (code >= 0) code = run(3.0, 0, 0, 0);
    led = tip_of("tip");
    leads = (double)(led.y - home.y);
    printf("led by 4 N for a second, then let go: it comes to rest %.2f m to the side, at %.4f m/s\n", leads,
           apart(tip_of("tip_speed"), (nsc_vec3){0}));

    load.pose.position = tip_of("tip");
    load.pose.orientation = model.link[nsc_robot_link(&panda, "left_finger")].pose.orientation;
    shape.density = NSC_R(0.1) / NSC_R(0.000064);
    shape.friction = NSC_R(0.8);
    if (code >= 0) code = (int)(cube = nsc_world_add_body(&world, &load));
    if (code >= 0) code = (int)nsc_world_add_shape(&world, cube, &shape);
    load.kind = NSC_STATIC_BODY; /* a table under the cube */
    load.pose.position.z -= NSC_R(0.03);
    shape.half.z = NSC_R(0.01);
    if (code >= 0) code = (int)(table = nsc_world_add_body(&world, &load));
    if (code >= 0) code = (int)nsc_world_add_shape(&world, table, &shape);
    if (code >= 0) code = run(1.0, 0, 20, 0); /* the fingers close; then the table goes */
    if (code >= 0) code = nsc_world_remove_body(&world, table);
    if (code >= 0) code = run(0.1, weight, 20, 0);
    held = tip_of("tip");
    nsc_body_get_pose(&world, cube, &load.pose);
    if (code >= 0) code = run(2.0, weight, 20, 0);
    carries = apart(held, tip_of("tip"));
    nsc_body_get_pose(&world, cube, &pose);
    slips = fabs(apart(pose.position, tip_of("tip")) - apart(load.pose.position, held));
    nsc_robot_read(&world, &panda, body, joint, nsc_robot_sensor(&panda, "left"), &left);
    nsc_robot_read(&world, &panda, body, joint, nsc_robot_sensor(&panda, "right"), &right);
    printf("fingers at %.3f and %.3f mm on a cube of 40 mm; in 2 s it slips %.4f mm, the tip moves %.3f mm\n", 1e3 * (double)left,
           1e3 * (double)right, 1e3 * slips, 1e3 * carries);
    good = code >= 0 && floats < 1e-4 && leads > 0.05 && fabs((double)(left - right)) < 1e-4 && slips < 1e-4 && carries < 2e-3;
    printf("an arm floated by gravity compensation, was led %.2f m by hand, and holds a cube that slips %.1f um in 2 s%s\n", leads,
           1e6 * slips, good ? "" : ": NOT as it should be");
    return !good;
}
