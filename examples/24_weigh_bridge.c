/* A weigh-bridge.  A crate on a plank of two shapes: what does each shape bear, what is near, and what moves when parts are taken away?
   The plank is locked to a plane, damped, made static and dynamic again; a spring is changed and removed, a joint and a shape too.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h, nsc_joint_state.h), springs (nsc_springs.h), locks and
   damping (nsc_locks.h), a word a body (nsc_words.h), forces of shapes (nsc_touch.h), what is near (nsc_sense.h with
   nsc_convex.h and nsc_support.h), turns (nsc_pose.h) and images (nsc_image.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 24_weigh_bridge.c -lm */
#define NSC_MAX_BODIES 8
#define NSC_MAX_SHAPES 8
#define NSC_MAX_JOINTS 2
#define NSC_MAX_SPRINGS 2
#define NSC_LOCKS 1
#define NSC_WORDS 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_joint_state.h"
#include "nsc_pose.h"
#include "nsc_sense.h"
#include "nsc_touch.h"
#include <stdio.h>

static nsc_world world;

static nsc_vec3 at(double x, double y, double z)
{
    nsc_vec3 v = {0};
    v.x = (nsc_real)x, v.y = (nsc_real)y, v.z = (nsc_real)z;
    return v;
}

static void run(int steps)
{
    while (steps-- > 0) nsc_world_step(&world, NSC_R(1.0) / 240);
}

/* What a shape bears, upwards [N] */
static double load(nsc_id shape)
{
    nsc_vec3 force = {0}, moment;
    nsc_shape_get_contact_force(&world, shape, &force, &moment);
    return -(double)force.z;
}

static nsc_id crate_at(nsc_vec3 place, double size)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def((nsc_real)size, (nsc_real)size, (nsc_real)size);
    nsc_id id;
    b.pose.position = place;
    b.pose.orientation = nsc_quat_from_rpy(0, 0, NSC_R(0.3)); /* turned by 0.3 rad about z */
    id = nsc_world_add_body(&world, &b);
    nsc_world_add_shape(&world, id, &s);
    nsc_body_set_user(&world, id, 42);
    return id;
}

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(NSC_R(0.5), NSC_R(0.3), NSC_R(0.05));
    nsc_spring_def spring;
    nsc_joint_def joint;
    nsc_id plank, half[2], crate, hung, tie, hook, near[4];
    nsc_hit hit;
    nsc_pose pose;
    nsc_real slow[2];
    double borne;
    uint32_t word = 0;
    unsigned detail = 0;
    int i, met;
    if (nsc_selfcheck(&detail) < 0) { /* the arithmetic alone; nsc_world_selfcheck steps a scene too */
        printf("this build computes otherwise: %x\n", detail);
        return 1;
    }
    nsc_world_init(&world, &def);
    b.pose.position = at(0, 0, 0.5);
    plank = nsc_world_add_body(&world, &b);
    for (i = 0; i < 2; i++) {
        s.pose.position = at((double)i - 0.5, 0, 0);
        half[i] = nsc_world_add_shape(&world, plank, &s);
    }
    nsc_body_set_locks(&world, plank, NSC_LOCK_2D);
    nsc_body_set_damping(&world, plank, NSC_R(0.5), NSC_R(0.5));
    nsc_body_get_damping(&world, plank, &slow[0], &slow[1]);
    printf("plank: locks %d, damping %.1f and %.1f 1/s, an image takes %d bytes\n", nsc_body_get_locks(&world, plank), (double)slow[0],
           (double)slow[1], nsc_world_save_size(&world));

    /* Static, it bears the crate; each half says what. */
    nsc_body_set_kind(&world, plank, NSC_STATIC_BODY);
    crate = crate_at(at(0.5, 0, 0.65), 0.1);
    nsc_body_get_user(&world, crate, &word);
    run(240);
    printf("crate %u: left bears %.2f N, right %.2f N; its weight is %.2f N\n", (unsigned)word, load(half[0]), load(half[1]), 8 * 9.81);
    borne = load(half[1]);
    if (!(load(half[1]) > 78 && load(half[1]) < 79 && load(half[0]) < 0.1)) return 1;

    /* What is near?  Shapes that a ball of 0.2 m over the right half meets, and the nearest point below. */
    s = nsc_default_sphere_def(NSC_R(0.2));
    s.pose.position = at(0.5, 0, 0.8);
    met = nsc_world_overlap(&world, &s, UINT32_C(0xffffffff), near, 4);
    i = nsc_world_closest(&world, at(-0.5, 0, 0.75), 1, UINT32_C(0xffffffff), &hit);
    printf("a ball meets %d shape; %.3f m from a point over the left half to the plank\n", met, i > 0 ? (double)hit.distance : -1.0);
    if (met < 1 || i < 1) return 1;

    /* A crate hung from the ground by a spring, then by a softer one, then by none */
    hung = crate_at(at(3, 0, 2), 0.1);
    spring = nsc_default_spring_def(NSC_GROUND, hung);
    spring.point_a = at(3, 0, 3);
    spring.rest = NSC_R(0.5);
    spring.stiffness = 2000;
    spring.damping = 200;
    tie = nsc_world_add_spring(&world, &spring);
    run(1200);
    nsc_body_get_pose(&world, hung, &pose);
    printf("hung at %.4f m", (double)pose.position.z);
    spring.stiffness = 1000;
    nsc_spring_set_def(&world, tie, &spring);
    run(1200);
    nsc_body_get_pose(&world, hung, &pose);
    printf(", softer at %.4f m\n", (double)pose.position.z);
    nsc_world_remove_spring(&world, tie);
    joint = nsc_default_joint_def(NSC_JOINT_FIXED, NSC_GROUND, hung);
    nsc_joint_place(&world, &joint, pose.position, at(0, 0, 1), at(1, 0, 0));
    hook = nsc_world_add_joint(&world, &joint);
    run(240);
    nsc_body_get_pose(&world, hung, &pose);
    printf("fixed at %.4f m", (double)pose.position.z);
    nsc_world_remove_joint(&world, hook);
    run(60);
    nsc_body_get_pose(&world, hung, &pose);
    printf(", let go: %.4f m a quarter of a second later\n", (double)pose.position.z);

    /* The right half is taken away: the crate falls.  Then the plank falls too. */
    nsc_world_remove_shape(&world, half[1]);
    nsc_body_wake(&world, crate);
    run(60);
    nsc_body_get_pose(&world, crate, &pose);
    printf("without the right half the crate is at %.3f m;", (double)pose.position.z);
    if (pose.position.z > NSC_R(0.5)) return 1;
    nsc_body_set_kind(&world, plank, NSC_DYNAMIC_BODY);
    run(60);
    nsc_body_get_pose(&world, plank, &pose);
    printf(" the plank, kind %d, at %.3f m\n", nsc_body_get_kind(&world, plank), (double)pose.position.z);
    printf("a weigh-bridge of two halves: the one with the crate bears %.2f N, which weighs %.2f N; then its parts are taken away\n", borne,
           8 * 9.81);
    return pose.position.z < NSC_R(0.4) ? 0 : 1;
}
