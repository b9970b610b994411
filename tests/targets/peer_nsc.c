/* peer_nsc.c - nsc in count-peers; its size is set by the NSC_ defines of the command line. */
#include "peer.h"
#define NSC_IMPLEMENTATION
#include "nsc_all.h"

static nsc_world world;
static nsc_id ids[BODIES];
static nsc_real step_length;

static nsc_vec3 to_nsc(place p)
{
    nsc_vec3 v;
    v.x = p.x;
    v.y = p.y;
    v.z = p.z;
    return v;
}

static void add_link(int i)
{
#if NSC_MAX_JOINTS > 0
    place hinge = {LINK * (float)i, 0.0f, 0.0f}, axis = {0.0f, 1.0f, 0.0f};
    place none = {0.0f, 0.0f, 0.0f};
    nsc_id from = SCENE == SCENE_WHEELS ? ids[0] : i ? ids[i - 1] : NSC_GROUND;
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, from, ids[i]);
    if (SCENE == SCENE_WHEELS) {
        hinge = place_of(i);
        d.axis[0].drive = NSC_DRIVE_MOTOR;
        d.axis[0].target_velocity = WHEEL_SPEED;
        d.axis[0].max_force = WHEEL_TORQUE;
    }
    nsc_joint_place(&world, &d, to_nsc(hinge), to_nsc(axis), to_nsc(none));
    nsc_world_add_joint(&world, &d);
#else
    (void)i;
#endif
}

void peer_build(float step)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    int i;
    step_length = step;
    def.gravity.z = -GRAVITY;
#ifdef SWEEPS
    def.solver.max_iterations = SWEEPS;
#endif
    nsc_world_init(&world, &def);
    ground.friction = FRICTION;
    if (SCENE != SCENE_CHAIN) nsc_world_add_shape(&world, NSC_GROUND, &ground);
    for (i = 0; i < BODIES; i++) {
        nsc_shape_def shape = nsc_default_box_def(HALF, HALF, HALF);
        nsc_body_def body = nsc_default_body_def();
        place inertia = inertia_of(i);
        body.pose.position = to_nsc(place_of(i));
        body.mass = 1.0f;
        body.inertia[0] = inertia.x;
        body.inertia[1] = inertia.y;
        body.inertia[2] = inertia.z;
        ids[i] = nsc_world_add_body(&world, &body);
        if (SCENE == SCENE_BALLS) shape = nsc_default_sphere_def(ball_radius(i));
        if (SCENE == SCENE_WHEELS) {
            shape = nsc_default_capsule_def(WHEEL, 0.5f * TYRE);
            shape.pose.orientation.w = shape.pose.orientation.x = NSC_R(0.70710678);
        }
        shape.friction = FRICTION;
        if (SCENE == SCENE_CHAIN || (SCENE == SCENE_WHEELS && i > 0)) add_link(i);
        if (SCENE != SCENE_CHAIN && (SCENE != SCENE_WHEELS || i > 0)) nsc_world_add_shape(&world, ids[i], &shape);
    }
}

void peer_step(void) { nsc_world_step(&world, step_length); }

void peer_pose(int i, float *pose)
{
    nsc_pose p;
    nsc_body_get_pose(&world, ids[i], &p);
    pose[0] = p.position.x;
    pose[1] = p.position.y;
    pose[2] = p.position.z;
    pose[3] = p.orientation.w;
    pose[4] = p.orientation.x;
    pose[5] = p.orientation.y;
    pose[6] = p.orientation.z;
}
