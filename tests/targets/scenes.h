/* Scenes for every target, set up with numbers that a contraction cannot change: hashed by hash.c, counted by count.c, watched for stack by stack.c.
   A new feature adds its scene here: a build function and a line in the table.  The first of the table fit
   the 8 KiB of an AVR: those of SCENES_SMALL 1 have four bodies, those of SCENES_SMALL 2 two bodies and a joint.  The
   others, without SCENES_SMALL, want everything nsc has.  At the end are problems for the solvers alone, with no world. */
#ifndef SCENES_H
#define SCENES_H

#ifndef SCENES_SMALL
#define SCENES_SMALL 0
#endif
#ifndef SCENES_WAVES /* 1: a build with NSC_BARRIER and NSC_PARALLEL: scenes from SCENE_PLAIN_COUNT on */
#define SCENES_WAVES 0
#endif
#if SCENES_WAVES
#define NSC_BARRIER 1
#define NSC_PARALLEL 1
#define NSCI_LEAST_SHARE 1 /* so that few bodies are shared among cores */
#endif
#ifndef SCENES_PARTS /* 1: a build with locks, belts, words, meshes and tables: scenes from SCENE_PLAIN_COUNT on.  (The others' images would be longer.) */
#define SCENES_PARTS 0
#endif
#if SCENES_PARTS
#define NSC_LOCKS 1
#define NSC_BELTS 1
#define NSC_WORDS 1
#define NSC_MESHES 1
#endif
#if SCENES_SMALL
#if SCENES_SMALL == 1
#define NSC_MAX_BODIES 4
#define NSC_MAX_JOINTS 0
#define NSC_ARENA NSC_ARENA_DANTZIG(12)
#else
#define NSC_MAX_BODIES 2
#define NSC_MAX_JOINTS 1
#define NSC_ARENA 0
#endif
#define NSC_HULL_VERTICES 0 /* none of their scenes has one */
#define NSC_MAX_CONTACTS 4
#define NSC_MAX_MANIFOLDS 0
#define NSC_MAX_EVENTS 0
#define NSC_NO_SUBSTEPS
#define NSC_STEPPERS 0
#define NSC_SMOOTH 0
#define NSC_CONVEX 0
#else
#define NSC_MAX_BODIES 16
#define NSC_MAX_SHAPES 18
#define NSC_MAX_CONTACTS 44
#define NSC_MAX_JOINTS 14
#define NSC_MAX_JOINT_BLOCKS 42
#define NSC_MAX_ROLLING 8
#define NSC_HULL_VERTICES 10
#define NSC_TERRAIN 1
#define NSC_MAX_SPRINGS 24
#define NSC_MAX_FORCES 2
#define NSC_ARENA (NSC_ARENA_NEWTON(16, 3 * NSC_MAX_BLOCKS) > NSC_ARENA_DANTZIG(96) ? NSC_ARENA_NEWTON(16, 3 * NSC_MAX_BLOCKS) : NSC_ARENA_DANTZIG(96))
#endif
#ifndef SCENES_NO_IMPLEMENTATION
#define NSC_IMPLEMENTATION
#endif
#include "nsc_all.h"
#if !SCENES_SMALL
#define NSC_HULL_NO_PRINT /* no stdio on wasm */
#include "nsc_hull.h"
#endif

static nsc_vec3 scene_vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

static nsc_id scene_body(nsc_world *w, nsc_shape_def shape, nsc_real x, nsc_real y, nsc_real z)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id body;
    d.pose.position.x = x, d.pose.position.y = y, d.pose.position.z = z;
    d.angular_velocity.x = NSC_R(0.5) + y, d.angular_velocity.y = NSC_R(2.0) * x, d.angular_velocity.z = NSC_R(1.0);
    body = nsc_world_add_body(w, &d);
    nsc_world_add_shape(w, body, &shape);
    return body;
}

static void scene_ground(nsc_world *w)
{
    nsc_shape_def d = nsc_default_half_space_def();
    nsc_world_add_shape(w, NSC_GROUND, &d);
}

#if SCENES_SMALL != 1
/* a joint of two bodies, at a point along an axis */
static nsc_joint_def scene_joint(nsc_world *w, int kind, nsc_id a, nsc_id b, nsc_vec3 point, nsc_vec3 axis)
{
    nsc_joint_def j = nsc_default_joint_def(kind, a, b);
    nsc_joint_place(w, &j, point, axis, scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)));
    return j;
}

static void scene_motor(nsc_axis_def *axis, nsc_real speed, nsc_real max_force)
{
    axis->drive = NSC_DRIVE_MOTOR;
    axis->target_velocity = speed, axis->max_force = max_force;
}

static void scene_servo(nsc_axis_def *axis, nsc_real target, nsc_real stiffness, nsc_real damping)
{
    axis->drive = NSC_DRIVE_SERVO;
    axis->target = target, axis->stiffness = stiffness, axis->damping = damping;
}

static int scene_unlimited; /* 1: the stepper takes no limits */
static void scene_limit(nsc_axis_def *axis, nsc_real lower, nsc_real upper)
{
    if (scene_unlimited) return;
    axis->limited = 1;
    axis->lower = lower, axis->upper = upper;
}

/* a weak motor, so that it swings; dry friction in the bearing, and a stop */
static void scene_pendulum(nsc_world *w)
{
    nsc_id b = scene_body(w, nsc_default_box_def(NSC_R(0.0625), NSC_R(0.25), NSC_R(0.0625)), NSC_R(0.0), NSC_R(0.25), NSC_R(1.0));
    nsc_joint_def j = scene_joint(w, NSC_JOINT_HINGE, NSC_GROUND, b, scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)),
                                  scene_vec(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0)));
    scene_motor(&j.axis[0], NSC_R(2.0), NSC_R(6.0));
    j.axis[0].friction = NSC_R(0.5);
    scene_limit(&j.axis[0], NSC_R(-1.75), NSC_R(1.25));
    nsc_world_add_joint(w, &j);
}

/* up and down a slope: a servo, a spring behind it, and a ground it cannot leave */
static void scene_slider(nsc_world *w)
{
    nsc_id b = scene_body(w, nsc_default_box_def(NSC_R(0.125), NSC_R(0.125), NSC_R(0.25)), NSC_R(0.5), NSC_R(0.0), NSC_R(0.5));
    nsc_joint_def j = scene_joint(w, NSC_JOINT_SLIDER, NSC_GROUND, b, scene_vec(NSC_R(0.5), NSC_R(0.0), NSC_R(0.5)),
                                  scene_vec(NSC_R(0.75), NSC_R(0.0), NSC_R(1.0)));
    j.collide = 1;
    scene_ground(w);
    scene_servo(&j.axis[0], NSC_R(-0.375), NSC_R(4000.0), NSC_R(100.0));
    j.axis[0].spring = NSC_R(500.0), j.axis[0].spring_damping = NSC_R(10.0), j.axis[0].spring_rest = NSC_R(-0.125);
    nsc_world_add_joint(w, &j);
}
#endif

#if SCENES_SMALL != 2
static nsc_shape_def scene_lively(nsc_shape_def shape, nsc_real friction, nsc_real restitution)
{
    shape.friction = friction;
    shape.restitution = restitution;
    return shape;
}

/* a platform that turns and moves under whatever lies on it */
static void scene_platform(nsc_world *w)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(NSC_R(1.0), NSC_R(1.0), NSC_R(0.1));
    d.kind = NSC_KINEMATIC_BODY;
    d.angular_velocity.z = NSC_R(0.3);
    d.velocity.x = NSC_R(0.05);
    nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s);
}

static void scene_ball(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, scene_lively(nsc_default_sphere_def(NSC_R(0.2)), NSC_R(0.3), NSC_R(0.8)), NSC_R(0.0), NSC_R(0.0), NSC_R(1.0));
}

static void scene_box(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.2), NSC_R(0.3), NSC_R(0.1)), NSC_R(0.4), NSC_R(0.1), NSC_R(0.8));
}

static void scene_capsules(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, nsc_default_capsule_def(NSC_R(0.1), NSC_R(0.3)), NSC_R(0.0), NSC_R(0.2), NSC_R(0.6));
    scene_body(w, nsc_default_capsule_def(NSC_R(0.15), NSC_R(0.2)), NSC_R(0.05), NSC_R(0.2), NSC_R(1.3));
}

static void scene_on_box(nsc_world *w)
{
    scene_platform(w);
    scene_body(w, scene_lively(nsc_default_sphere_def(NSC_R(0.15)), NSC_R(0.6), NSC_R(0.5)), NSC_R(0.1), NSC_R(0.2), NSC_R(0.6));
    scene_body(w, nsc_default_capsule_def(NSC_R(0.1), NSC_R(0.2)), NSC_R(-0.4), NSC_R(0.1), NSC_R(0.5));
}

static void scene_boxes(nsc_world *w)
{
    scene_platform(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.2), NSC_R(0.15), NSC_R(0.1)), NSC_R(0.1), NSC_R(0.2), NSC_R(0.5));
}

/* springs and dampers in the contact, and a body of two shapes with its mass in neither */
static void scene_springs(nsc_world *w)
{
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.1));
    nsc_id body;
    scene_ground(w);
    s.stiffness = NSC_R(2e4), s.damping = NSC_R(20.0);
    body = scene_body(w, s, NSC_R(0.0), NSC_R(0.0), NSC_R(0.4));
    s.pose.position.x = NSC_R(0.3);
    nsc_world_add_shape(w, body, &s);
}

static void scene_may_sleep(nsc_world *w)
{
    nsc_world_def def = w->def;
    def.sleep_time = NSC_R(0.0625);
    def.sleep_speed = NSC_R(0.125);
    nsc_world_set_def(w, &def);
    scene_ground(w);
}

static void scene_sleeper_at(nsc_world *w, nsc_real x, nsc_real z)
{
    nsc_vec3 zero = {0, 0, 0};
    nsc_shape_def s = nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.125));
    nsc_body_set_velocity(w, scene_body(w, s, x, NSC_R(0.0), z), zero, zero);
}

/* falls asleep, and is kicked awake */
static void scene_sleeper(nsc_world *w)
{
    scene_may_sleep(w);
    scene_sleeper_at(w, NSC_R(0.0), NSC_R(0.125));
}
#endif

#if !SCENES_SMALL
static void scene_stack(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 10; i++) {
        nsc_id b = scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25)), NSC_R(0.015625) * (nsc_real)(i % 3),
                              NSC_R(0.0), NSC_R(0.25) + NSC_R(0.5) * (nsc_real)i);
        nsc_vec3 zero = {0, 0, 0};
        nsc_body_set_velocity(w, b, zero, zero);
    }
}

static void scene_pile(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 14; i++)
        scene_body(w, nsc_default_sphere_def(NSC_R(0.09375) + NSC_R(0.015625) * (nsc_real)(i % 4)), NSC_R(0.125) * (nsc_real)(i % 3 - 1),
                   NSC_R(0.11) * (nsc_real)(i / 3 % 2), NSC_R(0.25) + NSC_R(0.21875) * (nsc_real)i);
}

static void scene_heap(nsc_world *w)
{
    int i;
    scene_ground(w);
    scene_platform(w);
    for (i = 0; i < 12; i++) {
        nsc_real z = NSC_R(0.375) + NSC_R(0.3125) * (nsc_real)i, size = NSC_R(0.09375) + NSC_R(0.015625) * (nsc_real)(i % 5);
        nsc_shape_def s = i % 3 == 0   ? nsc_default_box_def(size, NSC_R(0.15), NSC_R(0.1))
                          : i % 3 == 1 ? nsc_default_capsule_def(size, NSC_R(0.15))
                                       : nsc_default_sphere_def(size);
        scene_body(w, scene_lively(s, NSC_R(0.1) * (nsc_real)(i % 7), NSC_R(0.2)), NSC_R(0.125) * (nsc_real)(i % 4) - NSC_R(0.1875),
                   NSC_R(0.0625) * (nsc_real)(i % 5) - NSC_R(0.125), z);
    }
}

/* fixed bracket, ball, universal, rope: every joint that holds a point, one below the other */
static void scene_chain(nsc_world *w)
{
    nsc_vec3 down = {0, 0, NSC_R(-1.0)}, across = {0, NSC_R(1.0), 0};
    nsc_shape_def link = nsc_default_box_def(NSC_R(0.0625), NSC_R(0.09375), NSC_R(0.125));
    nsc_joint_def j;
    nsc_id b[5];
    int i;
    scene_ground(w);
    for (i = 0; i < 5; i++) b[i] = scene_body(w, link, NSC_R(0.0), NSC_R(0.0), NSC_R(2.0) - NSC_R(0.25) * (nsc_real)i);
    j = scene_joint(w, NSC_JOINT_FIXED, NSC_GROUND, b[0], scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(2.125)), down);
    nsc_world_add_joint(w, &j);
    j = scene_joint(w, NSC_JOINT_BALL, b[0], b[1], scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(1.875)), down);
    scene_limit(&j.axis[0], NSC_R(0.0), NSC_R(0.75));
    nsc_world_add_joint(w, &j);
    j = scene_joint(w, NSC_JOINT_UNIVERSAL, b[1], b[2], scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(1.625)), across);
    scene_servo(&j.axis[0], NSC_R(0.5), NSC_R(8.0), NSC_R(0.25));
    scene_limit(&j.axis[1], NSC_R(-0.5), NSC_R(0.5));
    nsc_world_add_joint(w, &j);
    j = nsc_default_joint_def(NSC_JOINT_DISTANCE, b[2], b[3]); /* a rope, slack at first */
    scene_limit(&j.axis[0], NSC_R(0.0), NSC_R(0.5));
    nsc_world_add_joint(w, &j);
    j = nsc_default_joint_def(NSC_JOINT_DISTANCE, b[3], b[4]); /* a spring */
    j.axis[0].spring = NSC_R(400.0), j.axis[0].spring_damping = NSC_R(4.0), j.axis[0].spring_rest = NSC_R(0.25);
    nsc_world_add_joint(w, &j);
}

/* two wheels in gear, a screw without a thread (cylindrical) and a puck on a table (planar) */
static void scene_gears(nsc_world *w)
{
    nsc_vec3 y = {0, NSC_R(1.0), 0}, up = {0, 0, NSC_R(1.0)};
    nsc_shape_def wheel = nsc_default_cylinder_def(NSC_R(0.25), NSC_R(0.0625));
    nsc_joint_def j, gear = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    nsc_id b;
    wheel.pose.orientation.w = wheel.pose.orientation.x = NSC_R(0.70710678);
    b = scene_body(w, wheel, NSC_R(0.0), NSC_R(0.0), NSC_R(1.0));
    j = scene_joint(w, NSC_JOINT_HINGE, NSC_GROUND, b, scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)), y);
    scene_motor(&j.axis[0], NSC_R(8.0), NSC_R(4.0));
    gear.joint_a = nsc_world_add_joint(w, &j);
    b = scene_body(w, wheel, NSC_R(0.5), NSC_R(0.0), NSC_R(1.0));
    j = scene_joint(w, NSC_JOINT_HINGE, NSC_GROUND, b, scene_vec(NSC_R(0.5), NSC_R(0.0), NSC_R(1.0)), y);
    j.axis[0].friction = NSC_R(0.25);
    gear.joint_b = nsc_world_add_joint(w, &j);
    gear.ratio = NSC_R(-1.5);
    nsc_world_add_joint(w, &gear);
    b = scene_body(w, nsc_default_box_def(NSC_R(0.125), NSC_R(0.25), NSC_R(0.125)), NSC_R(2.0), NSC_R(0.0), NSC_R(1.0));
    j = scene_joint(w, NSC_JOINT_CYLINDRICAL, NSC_GROUND, b, scene_vec(NSC_R(2.0), NSC_R(0.0), NSC_R(1.0)), up);
    scene_servo(&j.axis[0], NSC_R(0.25), NSC_R(4000.0), NSC_R(200.0));
    scene_motor(&j.axis[1], NSC_R(3.0), NSC_R(2.0));
    nsc_world_add_joint(w, &j);
    b = scene_body(w, nsc_default_box_def(NSC_R(0.125), NSC_R(0.25), NSC_R(0.125)), NSC_R(3.0), NSC_R(0.0), NSC_R(1.0));
    j = scene_joint(w, NSC_JOINT_PLANAR, NSC_GROUND, b, scene_vec(NSC_R(3.0), NSC_R(0.0), NSC_R(1.0)), up);
    scene_limit(&j.axis[0], NSC_R(-0.125), NSC_R(0.25));
    scene_servo(&j.axis[1], NSC_R(0.125), NSC_R(2000.0), NSC_R(50.0));
    j.axis[2].friction = NSC_R(0.75);
    nsc_world_add_joint(w, &j);
}

/* a trunk on four legs of three servos each, on its feet; what a walking machine asks of a step */
static void scene_quadruped(nsc_world *w)
{
    nsc_vec3 x = {NSC_R(1.0), 0, 0}, y = {0, NSC_R(1.0), 0};
    nsc_shape_def hip = nsc_default_sphere_def(NSC_R(0.0625)), upper = nsc_default_capsule_def(NSC_R(0.03125), NSC_R(0.0625));
    nsc_shape_def foot = nsc_default_sphere_def(NSC_R(0.03125));
    nsc_vec3 zero = {0, 0, 0};
    nsc_id trunk;
    int leg, i;
    scene_ground(w);
    trunk = scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.125), NSC_R(0.0625)), NSC_R(0.0), NSC_R(0.0), NSC_R(0.53125));
    for (leg = 0; leg < 4; leg++) {
        nsc_real px = leg < 2 ? NSC_R(0.25) : NSC_R(-0.25), py = leg % 2 ? NSC_R(0.1875) : NSC_R(-0.1875);
        nsc_id last = trunk;
        for (i = 0; i < 3; i++) { /* hip, thigh, shank: the joint is at its top */
            static const nsc_real top[3] = {NSC_R(0.53125), NSC_R(0.5), NSC_R(0.28125)}, middle[3] = {NSC_R(0.53125), NSC_R(0.390625), NSC_R(0.15625)};
            nsc_id b = scene_body(w, i == 0 ? hip : upper, px, py, middle[i]);
            nsc_joint_def j = scene_joint(w, NSC_JOINT_HINGE, last, b, scene_vec(px, py, top[i]), i == 0 ? x : y);
            scene_servo(&j.axis[0], NSC_R(0.0), NSC_R(200.0), NSC_R(4.0));
            j.axis[0].max_force = NSC_R(20.0);
            scene_limit(&j.axis[0], NSC_R(-1.0), NSC_R(1.0));
            nsc_world_add_joint(w, &j);
            last = b;
        }
        foot.pose.position.z = NSC_R(-0.125);
        nsc_world_add_shape(w, last, &foot);
    }
    for (i = 1; i < w->body_end; i++)
        nsc_body_set_velocity(w, (nsc_id)((int32_t)1 << 29 | i), zero, zero);
}

static void scene_cylinder(nsc_world *w)
{
    nsc_shape_def s = nsc_default_cylinder_def(NSC_R(0.125), NSC_R(0.1875));
    scene_platform(w);
    scene_body(w, s, NSC_R(0.25), NSC_R(-0.125), NSC_R(0.5)); /* on its end, nearly */
    s.pose.orientation.w = s.pose.orientation.x = NSC_R(0.70710678);
    scene_body(w, s, NSC_R(-0.25), NSC_R(0.0), NSC_R(0.375)); /* rolls */
    scene_body(w, nsc_default_capsule_def(NSC_R(0.0625), NSC_R(0.125)), NSC_R(0.25), NSC_R(-0.0625), NSC_R(1.0));
}

static nsc_hull scene_stone[5];
static const nsc_hull *const scene_stones[5] = {&scene_stone[0], &scene_stone[1], &scene_stone[2], &scene_stone[3], &scene_stone[4]};

static nsc_id scene_hull(nsc_world *w, nsc_real x, nsc_real y, nsc_real z, int i)
{
    static const nsc_real p[10][3] = {
        {NSC_R(0.25), NSC_R(0.0), NSC_R(-0.125)}, {NSC_R(-0.25), NSC_R(0.0625), NSC_R(-0.125)}, {NSC_R(0.0), NSC_R(0.1875), NSC_R(-0.125)},
        {NSC_R(0.0625), NSC_R(-0.25), NSC_R(-0.125)}, {NSC_R(0.1875), NSC_R(0.125), NSC_R(0.125)}, {NSC_R(-0.125), NSC_R(-0.125), NSC_R(0.1875)},
        {NSC_R(-0.1875), NSC_R(0.125), NSC_R(0.15625)}, {NSC_R(0.1875), NSC_R(-0.15625), NSC_R(0.0625)}, {NSC_R(0.0), NSC_R(0.0), NSC_R(0.25)},
        {NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)}};
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_hull_def();
    nsc_vec3 points[10];
    nsc_id body;
    int k;
    for (k = 0; k < 10; k++) points[k] = scene_vec(p[k][0], p[k][1], p[k][2]);
    d.pose.position = scene_vec(x, y, z);
    d.angular_velocity = scene_vec(NSC_R(0.5), NSC_R(-1.0), NSC_R(0.25));
    body = nsc_world_add_body(w, &d);
    s.friction = NSC_R(0.375);
    for (k = 0; k < 5; k++) nsc_hull_from_points(&scene_stone[k], points, 6 + k, NSC_HULL_VERTICES, NULL);
    nsc_world_set_hulls(w, scene_stones, 5);
    nsc_world_add_hull(w, body, &s, i);
    return body;
}

static void scene_hulls(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 5; i++)
        scene_hull(w, NSC_R(0.0625) * (nsc_real)(i % 3), NSC_R(0.0625) * (nsc_real)(i % 2), NSC_R(0.25) + NSC_R(0.5) * (nsc_real)i, i);
    scene_body(w, nsc_default_box_def(NSC_R(0.125), NSC_R(0.125), NSC_R(0.125)), NSC_R(0.125), NSC_R(0.0), NSC_R(3.0));
    scene_body(w, nsc_default_cylinder_def(NSC_R(0.125), NSC_R(0.125)), NSC_R(0.0), NSC_R(0.125), NSC_R(3.5));
}

static nsc_real scene_height[64];
static nsc_heights scene_ridges = {scene_height, 8, 8, NSC_R(0.5), NSC_R(0.5), NSC_R(0.0), NSC_R(0.0)};
static const nsc_heights *const scene_ridge[1] = {&scene_ridges};

static void scene_field(nsc_world *w)
{
    int i;
    nsc_shape_def s = nsc_default_height_field_def();
    for (i = 0; i < 64; i++) scene_height[i] = NSC_R(0.03125) * (nsc_real)(i * i % 7) + (i % 8 % 7 == 0 || i / 8 % 7 == 0 ? NSC_R(0.5) : NSC_R(0.0));
    nsc_heights_complete(&scene_ridges);
    nsc_world_set_fields(w, scene_ridge, 1);
    nsc_world_add_height_field(w, NSC_GROUND, &s, 0);
}

static void scene_terrain(nsc_world *w)
{
    scene_field(w);
    scene_body(w, nsc_default_sphere_def(NSC_R(0.1875)), NSC_R(0.0), NSC_R(0.125), NSC_R(0.75));
    scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.1875), NSC_R(0.125)), NSC_R(0.75), NSC_R(0.0), NSC_R(0.75));
    scene_body(w, nsc_default_cylinder_def(NSC_R(0.125), NSC_R(0.1875)), NSC_R(-0.5), NSC_R(-0.75), NSC_R(0.75));
    scene_body(w, nsc_default_capsule_def(NSC_R(0.125), NSC_R(0.125)), NSC_R(-0.75), NSC_R(0.5), NSC_R(0.875));
    scene_hull(w, NSC_R(0.25), NSC_R(0.875), NSC_R(0.75), 3);
}

static void scene_rolling(nsc_world *w)
{
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.125));
    nsc_id b;
    scene_platform(w);
    s.rolling = NSC_R(0.015625), s.torsion = NSC_R(0.0078125);
    b = scene_body(w, s, NSC_R(-0.5), NSC_R(0.0), NSC_R(0.25));
    nsc_body_set_velocity(w, b, scene_vec(NSC_R(1.0), NSC_R(0.25), NSC_R(0.0)), scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(16.0)));
    s.rolling = NSC_R(0.0);
    scene_body(w, s, NSC_R(0.5), NSC_R(0.25), NSC_R(0.25));
}

/* two stacks: one wakes, later both by a collision */
static void scene_sleepers(nsc_world *w)
{
    int i;
    scene_may_sleep(w);
    for (i = 0; i < 6; i++)
        scene_sleeper_at(w, i % 2 ? NSC_R(0.0) : NSC_R(0.625), NSC_R(0.125) + NSC_R(0.25) * (nsc_real)(i / 2));
}

static void scene_three(nsc_world *w, void (*build)(nsc_world *))
{
    nsc_world_def def = w->def;
    def.substeps = 3;
    nsc_world_set_def(w, &def);
    build(w);
}

static void scene_substeps(nsc_world *w) { scene_three(w, scene_heap); }
static void scene_chain_substeps(nsc_world *w) { scene_three(w, scene_chain); }

/* a sensor that hangs in the way, and masks: some fall through others */
static void scene_sensors(nsc_world *w)
{
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.25));
    nsc_body_def d = nsc_default_body_def();
    int i;
    scene_ground(w);
    d.kind = NSC_STATIC_BODY;
    d.pose.position.z = NSC_R(0.5);
    s.sensor = 1;
    nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s);
    for (i = 0; i < 6; i++) {
        s = nsc_default_sphere_def(NSC_R(0.125));
        s.category = (uint32_t)1 << i % 2;
        s.mask = i % 3 == 0 ? UINT32_C(0xffffffff) : UINT32_C(1);
        s.restitution = NSC_R(0.75);
        scene_body(w, s, NSC_R(0.0625) * (nsc_real)(i % 3), NSC_R(0.03125) * (nsc_real)i, NSC_R(0.75) + NSC_R(0.3125) * (nsc_real)i);
    }
}
#endif

#if !SCENES_SMALL
/* ---- steppers, smooth contact, springs, forces of the caller */
static void scene_stepper(nsc_world *w, int stepper, int model, int law, void (*build)(nsc_world *))
{
    nsc_world_def def = w->def;
    int i;
    def.stepper = stepper, def.contact_model = model, def.contact_law = law;
    def.newton_steps = 6;
    nsc_world_set_def(w, &def);
    scene_unlimited = stepper == NSC_STEPPER_HHT || stepper == NSC_STEPPER_NEWMARK || stepper == NSC_STEPPER_EULER_FORWARD;
    build(w);
    scene_unlimited = 0;
    for (i = 0; i < w->shape_end && model == NSC_CONTACT_SMOOTH; i++) { /* without restitution explicit steps would have to be shorter */
        nsc_id id = (nsc_id)((int32_t)2 << 29 | i);
        nsc_shape_def shape;
        nsc_shape_get_def(w, id, &shape);
        shape.restitution = NSC_R(0.5);
        nsc_shape_set_def(w, id, &shape);
    }
}

/* a net of particles, held at one corner by what moves, falls over a ball */
static void scene_net(nsc_world *w)
{
    static const int reach[4] = {1, 3, 4, 2}; /* right, down, across, across */
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.375));
    nsc_body_def d = nsc_default_body_def();
    nsc_id id[9];
    int i, k;
    nsc_world_add_shape(w, NSC_GROUND, &s);
    s = nsc_default_sphere_def(NSC_R(0.03125));
    for (i = 0; i < 9; i++) {
        d.pose.position = scene_vec(NSC_R(0.25) * (nsc_real)(i % 3 - 1), NSC_R(0.25) * (nsc_real)(i / 3 - 1), NSC_R(0.5));
        d.kind = i == 0 ? NSC_KINEMATIC_BODY : NSC_DYNAMIC_BODY;
        d.velocity.x = i == 0 ? NSC_R(-0.0625) : NSC_R(0.0);
        d.particle = i > 0;
        d.mass = i > 0 ? NSC_R(0.125) : NSC_R(0.0);
        id[i] = nsc_world_add_body(w, &d);
        nsc_world_add_shape(w, id[i], &s);
    }
    for (i = 0; i < 9; i++)
        for (k = 0; k < 4; k++) {
            nsc_spring_def spring;
            int to = i + reach[k];
            if (to > 8 || (i % 3 == 2 && k % 2 == 0) || (i % 3 == 0 && k == 3)) continue;
            spring = nsc_default_spring_def(id[i], id[to]);
            spring.stiffness = k < 2 ? NSC_R(400.0) : NSC_R(100.0);
            spring.damping = NSC_R(0.125);
            spring.rest = k < 2 ? NSC_R(0.25) : NSC_R(0.34375);
            nsc_world_add_spring(w, &spring);
        }
}

/* drag on the first two bodies, with its derivative, and a weak pull to an axis on the others */
static int scene_pulls;
static void scene_force(void *user, const nsc_world *w, nsc_id body, nsc_force *f)
{
    const nsc_body *b = &w->bodies[body & 16383];
    int i;
    (void)user;
    if ((body & 16383) > 2) {
        f->force = scene_vec(NSC_R(-4.0) * b->position.x, NSC_R(-2.0) * b->position.y, NSC_R(0.0));
        return;
    }
    f->derivative = 1;
    f->force = scene_vec(NSC_R(-64.0) * b->velocity.x - NSC_R(512.0) * b->position.x, NSC_R(-64.0) * b->velocity.y, NSC_R(0.0));
    f->torque.z = NSC_R(-0.5) * b->angular_velocity.z;
    f->stiffness[0][0] = NSC_R(512.0), f->stiffness[0][1] = NSC_R(64.0);
    for (i = 0; i < 2; i++) f->damping[i][i] = NSC_R(64.0);
    f->damping[5][5] = NSC_R(0.5);
}

static void scene_pulled(nsc_world *w)
{
    scene_pile(w);
    scene_pulls = 1;
}

static void scene_chain_projected(nsc_world *w)
{
    scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_PROJECTED, NSC_CONTACT_HARD, NSC_SMOOTH_HERTZ, scene_chain);
}
static void scene_heap_projected(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_PROJECTED, NSC_CONTACT_HARD, NSC_SMOOTH_HERTZ, scene_substeps); }
static void scene_gears_symplectic(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_SYMPLECTIC, NSC_CONTACT_HARD, NSC_SMOOTH_HERTZ, scene_gears); }
static void scene_pile_forward(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_FORWARD, NSC_CONTACT_SMOOTH, NSC_SMOOTH_FLORES, scene_pulled); }
static void scene_net_linearized(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_CONTACT_HARD, NSC_SMOOTH_HERTZ, scene_net); }
static void scene_net_implicit(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT, NSC_CONTACT_HARD, NSC_SMOOTH_HERTZ, scene_net); }
static void scene_net_hht(nsc_world *w) { scene_stepper(w, NSC_STEPPER_HHT, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_net); }
static void scene_chain_hht(nsc_world *w) { scene_stepper(w, NSC_STEPPER_HHT, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_chain); }
static void scene_gears_newmark(nsc_world *w) { scene_stepper(w, NSC_STEPPER_NEWMARK, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HOOKE, scene_gears); }
static void scene_pulled_linearized(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HOOKE, scene_pulled); }
static void scene_pulled_implicit(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_pulled); }
static void scene_heap_smooth(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_SYMPLECTIC, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_heap); }
static void scene_rolling_smooth(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_SYMPLECTIC, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HOOKE, scene_rolling); }
static void scene_rolling_implicit(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_CONTACT_SMOOTH, NSC_SMOOTH_FLORES, scene_rolling); }
#endif

#if SCENES_PARTS
/* ---- locks, damping, kinds, belts, and tables in const memory */
static const nsc_mesh_vertex scene_vertices[6] = {
    {-2.0f, -2.0f, 0.5f}, {0.0f, -2.0f, 0.0f}, {2.0f, -2.0f, 0.5f}, {-2.0f, 2.0f, 0.5f}, {0.0f, 2.0f, 0.0f}, {2.0f, 2.0f, 0.5f}};
static const nsc_mesh_triangle scene_triangles[4] = {
    {{0, 1, 4}, {NSC_MESH_OPEN, 3, 1}}, {{0, 4, 3}, {0, NSC_MESH_OPEN, NSC_MESH_OPEN}},
    {{1, 2, 5}, {NSC_MESH_OPEN, NSC_MESH_OPEN, 3}}, {{1, 5, 4}, {2, NSC_MESH_OPEN, 0}}};
static const nsc_mesh_node scene_nodes[3] = {
    {{-2.0f, -2.0f, 0.0f}, {2.0f, 2.0f, 0.5f}, 3, 0, 0, 0}, {{-2.0f, -2.0f, 0.0f}, {0.0f, 2.0f, 0.5f}, 2, 0, 2, 0},
    {{0.0f, -2.0f, 0.0f}, {2.0f, 2.0f, 0.5f}, 3, 2, 2, 0}};
static const nsc_mesh scene_valley = {scene_vertices, scene_triangles, scene_nodes, 6, 4, 3};
static const nsc_mesh *const scene_meshes[1] = {&scene_valley};
static const nsc_real scene_samples[16] = {
    NSC_R(0.25), NSC_R(0.125), NSC_R(0.0), NSC_R(0.25), NSC_R(0.125), NSC_R(0.0), NSC_R(0.0625), NSC_R(0.125),
    NSC_R(0.1875), NSC_R(0.0), NSC_R(0.0), NSC_R(0.25), NSC_R(0.25), NSC_R(0.125), NSC_R(0.25), NSC_R(0.375)};
static const nsc_heights scene_hills = {scene_samples, 4, 4, NSC_R(0.75), NSC_R(0.75), NSC_R(0.0), NSC_R(0.375)};
static const nsc_heights *const scene_fields[1] = {&scene_hills};
static nsc_hull scene_rock;
static const nsc_hull *const scene_rocks[1] = {&scene_rock};

/* The tables are no part of a world's image. */
static void scene_tables(nsc_world *w)
{
    nsc_vec3 p[7];
    int i;
    for (i = 0; i < 7; i++)
        p[i] = scene_vec(i & 1 ? NSC_R(0.25) : NSC_R(-0.25), i & 2 ? NSC_R(0.1875) : NSC_R(-0.1875), i & 4 ? NSC_R(0.125) : NSC_R(-0.125));
    nsc_hull_from_points(&scene_rock, p, 7, 7, NULL);
    nsc_world_set_meshes(w, scene_meshes, 1);
    nsc_world_set_hulls(w, scene_rocks, 1);
    nsc_world_set_fields(w, scene_fields, 1);
}

static nsc_id scene_thing(nsc_world *w, int i, int locks, nsc_real damping)
{
    nsc_shape_def s = nsc_default_box_def(NSC_R(0.1875), NSC_R(0.125), NSC_R(0.125));
    nsc_id body;
    if (i % 3 == 1) s = nsc_default_capsule_def(NSC_R(0.125), NSC_R(0.125));
    if (i % 3 == 2) s = nsc_default_sphere_def(NSC_R(0.1875));
    s.rolling = i % 2 ? NSC_R(0.0078125) : NSC_R(0.0);
    body = scene_body(w, s, NSC_R(0.125) * (nsc_real)(i % 4 - 1), NSC_R(0.0625) * (nsc_real)(i % 3), NSC_R(0.5) + NSC_R(0.375) * (nsc_real)i);
    nsc_body_set_locks(w, body, locks);
    nsc_body_set_damping(w, body, damping, NSC_R(2.0) * damping);
    nsc_body_set_user(w, body, (uint32_t)i);
    return body;
}

static void scene_locks(nsc_world *w)
{
    static const int locks[6] = {NSC_LOCK_2D, NSC_LOCK_X, NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y, NSC_LOCK_Z, 63, NSC_LOCK_TURN_Z};
    int i;
    scene_ground(w);
    for (i = 0; i < 6; i++) scene_thing(w, i, locks[i], NSC_R(0.0));
}

/* two belts that run against each other, one askew */
static void scene_belts(nsc_world *w)
{
    nsc_shape_def s = nsc_default_box_def(NSC_R(1.0), NSC_R(1.0), NSC_R(0.125));
    int i;
    for (i = 0; i < 2; i++) {
        s.pose.position = scene_vec(i ? NSC_R(-1.0) : NSC_R(1.0), NSC_R(0.0), NSC_R(-0.125));
        s.surface_velocity = scene_vec(i ? NSC_R(0.5) : NSC_R(-0.25), NSC_R(0.125), NSC_R(0.0625));
        nsc_world_add_shape(w, NSC_GROUND, &s);
    }
    for (i = 0; i < 5; i++) scene_thing(w, i, 0, NSC_R(0.0));
}

static void scene_damped(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 5; i++) scene_thing(w, i, 0, NSC_R(0.5) * (nsc_real)i);
}

/* scene_step changes their kinds */
static void scene_kinds(nsc_world *w)
{
    scene_damped(w);
    scene_pulls = 2;
}

static void scene_change_kind(nsc_world *w, int step)
{
    static const int kinds[4] = {NSC_KINEMATIC_BODY, NSC_DISABLED_BODY, NSC_STATIC_BODY, NSC_DYNAMIC_BODY};
    int i = 1 + step / 16 % (w->body_end - 1);
    nsc_id id = (nsc_id)((int32_t)1 << 29 | (int32_t)(w->bodies[i].generation / 2) << 14 | i);
    nsc_body_set_kind(w, id, kinds[step / 16 % 4]);
    if (step / 16 % 4 == 0) nsc_body_set_velocity(w, id, scene_vec(NSC_R(0.25), NSC_R(0.0), NSC_R(0.125)), scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)));
}

static void scene_mesh(nsc_world *w)
{
    nsc_shape_def s = nsc_default_mesh_def();
    int i;
    nsc_world_add_mesh(w, NSC_GROUND, &s, 0);
    for (i = 0; i < 6; i++) scene_thing(w, i, 0, NSC_R(0.0));
}

static void scene_const(nsc_world *w)
{
    nsc_shape_def s = nsc_default_height_field_def();
    nsc_body_def d = nsc_default_body_def();
    int i;
    nsc_world_add_height_field(w, NSC_GROUND, &s, 0);
    s = nsc_default_hull_def();
    for (i = 0; i < 3; i++) {
        d.pose.position = scene_vec(NSC_R(0.125) * (nsc_real)i, NSC_R(0.0625), NSC_R(0.75) + NSC_R(0.5) * (nsc_real)i);
        d.angular_velocity.y = (nsc_real)i;
        nsc_world_add_hull(w, nsc_world_add_body(w, &d), &s, 0);
    }
    for (i = 0; i < 3; i++) scene_thing(w, i + 3, 0, NSC_R(0.0));
}
#endif

#if SCENES_WAVES
/* ---- NSC_BARRIER, NSC_PARALLEL */

/* Every convex shape, on the ground and on what a kinematic box pushes along */
static void scene_barrier(nsc_world *w)
{
    nsc_world_def def = w->def;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(NSC_R(0.125), NSC_R(0.5), NSC_R(0.125));
    nsc_real gap = NSC_R(0.00390625), r = NSC_R(0.125);
    def.stepper = NSC_STEPPER_EULER_IMPLICIT;
    def.contact_model = NSC_CONTACT_SMOOTH, def.contact_law = NSC_SMOOTH_BARRIER;
    def.newton_steps = 40;
    nsc_world_set_def(w, &def);
    scene_ground(w);
    d.kind = NSC_KINEMATIC_BODY;
    d.pose.position = scene_vec(NSC_R(-0.5), NSC_R(0.0), NSC_R(0.25));
    d.velocity.x = NSC_R(1.0);
    nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s);
    scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), r), NSC_R(0.0), NSC_R(0.0), r + gap);
    scene_body(w, nsc_default_sphere_def(r), NSC_R(0.125), NSC_R(0.0), 3 * r + 2 * gap);
    scene_body(w, nsc_default_capsule_def(r, r), NSC_R(0.5), NSC_R(0.125), 2 * r + gap);
    scene_hull(w, NSC_R(0.0), NSC_R(-0.5), 2 * r, 2);
    scene_body(w, nsc_default_cylinder_def(r, r), NSC_R(-0.1875), NSC_R(0.0), 3 * r + 16 * gap);
    d = nsc_default_body_def();
    d.particle = 1, d.mass = NSC_R(0.125);
    d.pose.position = scene_vec(NSC_R(0.125), NSC_R(0.0), 4 * r + 64 * gap);
    d.velocity.z = NSC_R(-8.0);
    s = nsc_default_sphere_def(NSC_R(0.03125));
    nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s);
}

/* Balls and boxes side by side on the ground, some with rolling friction, and a second layer */
static void scene_layers(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 12; i++) {
        nsc_shape_def s = i % 3 == 1 ? nsc_default_sphere_def(NSC_R(0.125)) : nsc_default_box_def(NSC_R(0.125), NSC_R(0.125), NSC_R(0.125));
        s.rolling = i % 3 == 1 ? NSC_R(0.00390625) : NSC_R(0.0);
        scene_body(w, s, NSC_R(0.3125) * (nsc_real)(i % 3) + NSC_R(0.03125) * (nsc_real)(i / 6), NSC_R(0.3125) * (nsc_real)(i / 3 % 2),
                   NSC_R(0.140625) + NSC_R(0.28125) * (nsc_real)(i / 6));
    }
}

/* Parts that scene_step shares the sweeps among, 0: none; the calls that this made */
static int scene_parts, scene_shared;

/* nsc_calls.parallel: the parts one after the other, the last first; on an RP2040 on both cores */
static void scene_backward(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    (void)user;
    scene_shared++;
#ifdef RP2040_PORT_H
    rp2040_both(work, job, parts);
#else
    while (parts > 0) work(job, --parts);
#endif
}
#endif

typedef struct scene {
    const char *name;
    void (*build)(nsc_world *w);
    nsc_solver *solve;
    int law, iterations;
} scene;

static const scene scenes[] = {
#if SCENES_SMALL != 2
    {"ball", scene_ball, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"box", scene_box, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"box psor", scene_box, nsc_solve_sipgs, NSC_LAW_CONE, 10},
    {"box pyramid", scene_box, nsc_solve_sipgs, NSC_LAW_PYRAMID, 10},
    {"box apgd", scene_box, nsc_solve_apgd, NSC_LAW_COULOMB, 10},
    {"box apgd cone", scene_box, nsc_solve_apgd, NSC_LAW_CONE, 10},
    {"box dantzig", scene_box, nsc_solve_dantzig, NSC_LAW_PYRAMID, 10},
    {"capsules", scene_capsules, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"on box", scene_on_box, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"boxes", scene_boxes, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"springs", scene_springs, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"sleeper", scene_sleeper, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
#endif
#if SCENES_SMALL != 1
    {"pendulum", scene_pendulum, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
    {"slider", scene_slider, nsc_solve_sipgs, NSC_LAW_COULOMB, 10},
#endif
#if !SCENES_SMALL
    {"stack", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"pile", scene_pile, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"heap", scene_heap, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"heap apgd", scene_heap, nsc_solve_apgd, NSC_LAW_COULOMB, 20},
    {"pile dantzig", scene_pile, nsc_solve_dantzig, NSC_LAW_PYRAMID, 20},
    {"chain", scene_chain, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"chain apgd", scene_chain, nsc_solve_apgd, NSC_LAW_COULOMB, 20},
    {"chain dantzig", scene_chain, nsc_solve_dantzig, NSC_LAW_PYRAMID, 20},
    {"gears", scene_gears, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"quadruped", scene_quadruped, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"cylinder", scene_cylinder, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"hulls", scene_hulls, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"terrain", scene_terrain, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"rolling", scene_rolling, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"rolling apgd", scene_rolling, nsc_solve_apgd, NSC_LAW_COULOMB, 20},
    {"sleepers", scene_sleepers, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"sensors", scene_sensors, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"substeps", scene_substeps, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"chain substeps", scene_chain_substeps, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"chain projected", scene_chain_projected, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"heap projected", scene_heap_projected, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"gears symplectic", scene_gears_symplectic, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"pile forward smooth", scene_pile_forward, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"net linearized", scene_net_linearized, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"net implicit", scene_net_implicit, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"net hht", scene_net_hht, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"chain hht", scene_chain_hht, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"gears newmark", scene_gears_newmark, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"pulled linearized smooth", scene_pulled_linearized, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"pulled implicit smooth", scene_pulled_implicit, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"heap smooth", scene_heap_smooth, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"rolling smooth", scene_rolling_smooth, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"rolling smooth implicit", scene_rolling_implicit, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"boxes auto", scene_boxes, nsc_solve_auto, NSC_LAW_COULOMB, 20},
#endif
#if SCENES_PARTS
    {"locks", scene_locks, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"belts", scene_belts, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"damped", scene_damped, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"kinds", scene_kinds, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"mesh", scene_mesh, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"const", scene_const, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
#endif
#if SCENES_WAVES
    {"barrier", scene_barrier, nsc_solve_auto, NSC_LAW_COULOMB, 60},
    {"stack by waves", scene_stack, nsc_solve_sipgs, NSC_LAW_CONE, 20},
    {"layers by waves", scene_layers, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
    {"quadruped by waves", scene_quadruped, nsc_solve_sipgs, NSC_LAW_COULOMB, 20},
#endif
};
enum { SCENE_COUNT = sizeof scenes / sizeof scenes[0], SCENE_SMALL_COUNT = SCENES_SMALL == 2 ? 0 : 12, SCENE_JOINT_COUNT = SCENE_SMALL_COUNT + (SCENES_SMALL == 1 ? 0 : 2) };
enum { SCENE_PLAIN_COUNT = SCENE_COUNT - (SCENES_PARTS ? 6 : SCENES_WAVES ? 4 : 0) };

static nsc_solver *scene_solve; /* that of the scene begun last */

/* Begin scene i in world w.  Returns 0 or the refusal. */
static int scene_begin(nsc_world *w, int i)
{
    nsc_world_def def = nsc_default_world_def();
    int code;
    scene_solve = scenes[i].solve;
    def.solver.law = scenes[i].law;
    def.solver.max_iterations = scenes[i].iterations;
    def.solver.passes = 4;
    def.keep_manifolds = i >= SCENE_SMALL_COUNT; /* an AVR has no flash left for it */
    code = nsc_world_init(w, &def);
#if !SCENES_SMALL
    scene_pulls = 0;
#endif
#if SCENES_PARTS
    scene_tables(w);
#endif
    if (code == NSC_OK) scenes[i].build(w);
    return code;
}

/* One step; every 64th gives a body a kick, or all would soon be at rest. */
static int scene_step(nsc_world *w, int step)
{
    nsc_calls calls;
    if (step % 64 == 63) {
        int i = 1 + step / 64 % (w->body_end - 1);
        nsc_body *b = &w->bodies[i];
        if (b->kind == NSC_DYNAMIC_BODY) {
            nsc_id id = (nsc_id)((int32_t)1 << 29 | (int32_t)(b->generation / 2) << 14 | i);
            nsc_vec3 kick, at = b->position;
            kick.x = NSC_R(0.5) * b->mass, kick.y = NSC_R(-0.3) * b->mass, kick.z = NSC_R(1.5) * b->mass;
            at.x += NSC_R(0.02), at.y += NSC_R(0.01);
            nsc_body_add_impulse_at(w, id, kick, at);
        }
    }
#if SCENES_PARTS
    if (scene_pulls == 2 && step % 16 == 15) scene_change_kind(w, step);
#endif
    NSC_MEMSET(&calls, 0, sizeof calls);
    calls.solve = scene_solve;
#if !SCENES_SMALL
    if (scene_pulls == 1) calls.force = scene_force;
#if SCENES_WAVES
    else if (scene_parts > 0) calls.parallel = scene_backward, calls.parts = scene_parts;
#endif
#endif
    return nsc_world_step_with(w, NSC_R(0.00390625), &calls);
}

/* ---- Problems without a world: what a solver does with every kind of block, a few times over from warm starts ---- */
#if !SCENES_SMALL

enum { SCENE_BODIES = 4, SCENE_BLOCKS = 11, SCENE_ROWS = 30, SCENE_ROUNDS = 3 };
#define SCENE_ARENA (2 * SCENE_ROWS * SCENE_ROWS)

typedef struct scene_problem {
    const char *name;
    nsc_solver *solve;
    int law, barrier, iterations;
    int chain;  /* joints alone, closed to a loop with one too many; else contacts of all kinds, a joint and a motor */
    int matrix; /* N given */
} scene_problem;

static const scene_problem scene_problems[] = {
    {"bb", nsc_solve_bb, NSC_LAW_COULOMB, 0, 60, 0, 0},
    {"bb cone", nsc_solve_bb, NSC_LAW_CONE, 0, 60, 0, 0},
    {"bb matrix", nsc_solve_bb, NSC_LAW_CONE, 0, 20, 0, 1},
    {"minres", nsc_solve_minres, NSC_LAW_COULOMB, 0, 40, 1, 0},
    {"minres matrix", nsc_solve_minres, NSC_LAW_COULOMB, 0, 40, 1, 1},
    {"minres beside contacts", nsc_solve_minres, NSC_LAW_PYRAMID, 0, 40, 0, 0},
    {"admm", nsc_solve_admm, NSC_LAW_COULOMB, 0, 40, 0, 0},
    {"admm cone", nsc_solve_admm, NSC_LAW_CONE, 0, 40, 0, 0},
    {"admm pyramid", nsc_solve_admm, NSC_LAW_PYRAMID, 0, 20, 0, 0},
    {"admm matrix", nsc_solve_admm, NSC_LAW_CONE, 0, 10, 0, 1},
    {"newton", nsc_solve_newton, NSC_LAW_COULOMB, 0, 12, 0, 0},
    {"newton cone", nsc_solve_newton, NSC_LAW_CONE, 0, 12, 0, 0},
    {"newton pyramid", nsc_solve_newton, NSC_LAW_PYRAMID, 0, 8, 0, 0},
    {"newton chain", nsc_solve_newton, NSC_LAW_COULOMB, 0, 6, 1, 0},
    {"newton matrix", nsc_solve_newton, NSC_LAW_COULOMB, 0, 4, 0, 1},
    {"barrier", nsc_solve_newton, NSC_LAW_COULOMB, 1, 16, 0, 0},
    {"barrier cone", nsc_solve_newton, NSC_LAW_CONE, 1, 16, 0, 0},
    {"barrier matrix", nsc_solve_newton, NSC_LAW_COULOMB, 1, 6, 0, 1},
    {"auto", nsc_solve_auto, NSC_LAW_COULOMB, 0, 30, 0, 0},
    {"auto cone", nsc_solve_auto, NSC_LAW_CONE, 0, 30, 0, 0},
    {"auto pyramid", nsc_solve_auto, NSC_LAW_PYRAMID, 0, 20, 0, 0},
    {"auto chain", nsc_solve_auto, NSC_LAW_COULOMB, 0, 30, 1, 0},
    {"auto matrix", nsc_solve_auto, NSC_LAW_COULOMB, 0, 20, 0, 1},
};
enum { SCENE_PROBLEM_COUNT = sizeof scene_problems / sizeof scene_problems[0] };

static nsc_mass scene_masses[SCENE_BODIES];
static nsc_block scene_blocks[SCENE_BLOCKS];
static nsc_real scene_free[6 * SCENE_BODIES], scene_row_free[SCENE_ROWS], scene_v[6 * SCENE_BODIES + SCENE_ROWS];
static nsc_real scene_matrix[SCENE_ROWS * SCENE_ROWS], scene_reals[SCENE_ARENA];

/* The next block, at levers (x, y, up) of a and (x, y, -up) of b: its rows along z, x, y. */
static nsc_block *scene_block(nsc_problem *p, int kind, int rows, int a, int b, nsc_real x, nsc_real y, nsc_real up)
{
    nsc_block *k = &scene_blocks[p->block_count++];
    int i, m;
    k->a = a, k->b = b, k->kind = (unsigned char)kind, k->rows = (unsigned char)rows;
    k->mu = NSC_R(0.5);
    for (i = 0; i < rows; i++) {
        int d = (i + 2) % 3, e = (d + 1) % 3, f = (d + 2) % 3;
        for (m = 0; m < 2; m++) {
            nsc_real side = m ? NSC_R(1.0) : NSC_R(-1.0), arm[3], *J = k->J[i] + 6 * m;
            arm[0] = x, arm[1] = y, arm[2] = -side * up;
            J[d] = side, J[3 + e] = side * arm[f], J[3 + f] = -side * arm[e];
        }
    }
    return k;
}

/* Turning alone, about z, x, y */
static nsc_block *scene_turning(nsc_problem *p, int kind, int rows, int a, int b)
{
    nsc_block *k = scene_block(p, kind, rows, a, b, NSC_R(0.0), NSC_R(0.0), NSC_R(0.0));
    int i, d;
    for (i = 0; i < rows; i++) {
        d = (i + 2) % 3;
        k->J[i][3 + d] = NSC_R(-1.0), k->J[i][9 + d] = NSC_R(1.0);
        k->J[i][d] = k->J[i][6 + d] = NSC_R(0.0);
    }
    return k;
}

/* A crate on the ground, another on it askew, a ball that rolls on that, held by a joint and driven by a motor */
static void scene_blocks_of_contacts(nsc_problem *p)
{
    nsc_real near = NSC_R(0.25);
    nsc_block *k;
    int i;
    for (i = 0; i < 4; i++) scene_block(p, NSC_BLOCK_CONTACT, 3, 0, 1, i % 2 ? near : -near, i / 2 ? near : -near, near);
    scene_blocks[3].mu = NSC_R(0.0);
    scene_block(p, NSC_BLOCK_CONTACT, 3, 1, 2, NSC_R(0.1875), NSC_R(-0.125), near);
    k = scene_block(p, NSC_BLOCK_CONTACT, 3, 1, 2, NSC_R(-0.25), NSC_R(0.0625), near);
    k->cfm[0] = NSC_R(0.25), k->bias[0] = NSC_R(0.015625);
    scene_block(p, NSC_BLOCK_CONTACT, 1, 1, 2, NSC_R(0.0), NSC_R(0.25), near);
    scene_block(p, NSC_BLOCK_CONTACT, 3, 2, 3, NSC_R(0.0625), NSC_R(0.0), NSC_R(0.125));
    k = scene_turning(p, NSC_BLOCK_ROLLING, 3, 2, 3);
    k->mu = NSC_R(0.0625), k->hi[0] = NSC_R(0.03125);
    k = scene_block(p, NSC_BLOCK_EQUALITY, 2, 3, 0, NSC_R(0.5), NSC_R(0.0), NSC_R(0.0));
    k->cfm[1] = NSC_R(0.125);
    k = scene_turning(p, NSC_BLOCK_BOX, 1, 0, 3);
    k->lo[0] = NSC_R(-0.03125), k->hi[0] = NSC_R(0.03125), k->bias[0] = NSC_R(-0.5);
}

/* Ground, three links, ground; the last link twice */
static void scene_blocks_of_joints(nsc_problem *p)
{
    int i;
    for (i = 0; i < 4; i++)
        scene_block(p, NSC_BLOCK_EQUALITY, 3, i, (i + 1) % 4, NSC_R(0.0625) * (nsc_real)i, NSC_R(0.125), NSC_R(0.5));
    scene_block(p, NSC_BLOCK_EQUALITY, 3, 2, 3, NSC_R(0.125), NSC_R(0.125), NSC_R(0.5));
    scene_block(p, NSC_BLOCK_EQUALITY, 2, 2, 3, NSC_R(0.25), NSC_R(0.125), NSC_R(0.5));
}

/* M^-1 J' of row i of a block: (12) velocity changes of its bodies per unit impulse */
static NSC_MAYBE_UNUSED void scene_response(const nsc_problem *p, const nsc_block *k, int i, nsc_real *y)
{
    int side;
    for (side = 0; side < 2; side++, y += 6) {
        const nsc_mass *m = &p->masses[side ? k->b : k->a];
        const nsc_real *x = k->J[i] + 6 * side, *I = m->inv_inertia;
        y[0] = m->inv_mass * x[0], y[1] = m->inv_mass * x[1], y[2] = m->inv_mass * x[2];
        y[3] = I[0] * x[3] + I[3] * x[4] + I[4] * x[5];
        y[4] = I[3] * x[3] + I[1] * x[4] + I[5] * x[5];
        y[5] = I[4] * x[3] + I[5] * x[4] + I[2] * x[5];
    }
}

/* N of a prepared problem, its rows' free velocities too */
static void scene_to_matrix(nsc_problem *p)
{
    const nsc_block *k, *m, *end = scene_blocks + p->block_count;
    int i, j, c, side, other;
    nsc_real y[12];
    for (k = scene_blocks; k < end; k++)
        for (i = 0; i < k->rows; i++) {
            nsc_real sum = NSC_R(0.0);
            for (c = 0; c < 6; c++) sum += k->J[i][c] * scene_free[6 * k->a + c] + k->J[i][6 + c] * scene_free[6 * k->b + c];
            scene_row_free[k->row + i] = sum;
            for (m = scene_blocks; m < end; m++)
                for (j = 0; j < m->rows; j++) {
                    scene_response(p, m, j, y);
                    for (side = 0, sum = NSC_R(0.0); side < 4; side++) {
                        other = side / 2;
                        if ((side % 2 ? k->b : k->a) != (other ? m->b : m->a)) continue;
                        for (c = 0; c < 6; c++) sum += k->J[i][6 * (side % 2) + c] * y[6 * other + c];
                    }
                    scene_matrix[(k->row + i) * p->row_count + m->row + j] = sum;
                }
        }
}

/* Problem i, its blocks without impulse.  Bodies: the ground and three of very different mass.  Returns 0 or the refusal. */
static NSC_MAYBE_UNUSED int scene_problem_begin(nsc_problem *p, nsc_settings *s, int i)
{
    static const nsc_real inv_mass[SCENE_BODIES] = {NSC_R(0.0), NSC_R(1.0), NSC_R(0.25), NSC_R(4.0)};
    const scene_problem *is = &scene_problems[i];
    int k;
    NSC_MEMSET(p, 0, sizeof *p);
    NSC_MEMSET(scene_masses, 0, sizeof scene_masses);
    NSC_MEMSET(scene_blocks, 0, sizeof scene_blocks);
    for (k = 0; k < SCENE_BODIES; k++) {
        nsc_mass *m = &scene_masses[k];
        m->inv_mass = inv_mass[k];
        m->inv_inertia[0] = NSC_R(24.0) * inv_mass[k], m->inv_inertia[1] = NSC_R(20.0) * inv_mass[k];
        m->inv_inertia[2] = NSC_R(16.0) * inv_mass[k], m->inv_inertia[4] = NSC_R(2.0) * inv_mass[k];
    }
    p->body_count = SCENE_BODIES, p->masses = scene_masses, p->v_free = scene_free, p->v = scene_v;
    p->blocks = scene_blocks;
    if (is->chain) scene_blocks_of_joints(p);
    else scene_blocks_of_contacts(p);
    *s = nsc_default_settings();
    s->law = is->law, s->max_iterations = is->iterations, s->barrier = is->barrier;
    s->tolerance = NSC_R(1e-5);
    return nsc_problem_prepare(p);
}

/* Reals that the arena of problem i must have */
static int scene_problem_arena(const nsc_problem *p, int i)
{
    int n = p->row_count;
    nsc_solver *solve = scene_problems[i].solve;
    if (solve == nsc_solve_bb) return NSC_ARENA_BB(n);
    if (solve == nsc_solve_minres) return NSC_ARENA_MINRES(n);
    if (solve == nsc_solve_admm) return p->delassus ? NSC_ARENA_ADMM_MATRIX(n) : NSC_ARENA_ADMM(SCENE_BODIES, n);
    if (solve == nsc_solve_newton) return p->delassus ? NSC_ARENA_NEWTON_MATRIX(n) : NSC_ARENA_NEWTON(SCENE_BODIES, n);
    return SCENE_ARENA;
}

/* Solve it, in each round with other velocities.  The arena has no more than the solver needs, and NaN in it. */
static NSC_MAYBE_UNUSED int scene_problem_solve(nsc_problem *p, const nsc_settings *s, int i, int round, nsc_report *r)
{
    int k;
    for (k = 0; k < 6 * SCENE_BODIES; k++) {
        scene_free[k] = k < 6 ? NSC_R(0.0) : NSC_R(0.03125) * (nsc_real)(k * (round + 5) % 11 - 5);
        if (k > 6 && k % 6 == 2) scene_free[k] -= NSC_R(0.25);
    }
    if (scene_problems[i].matrix) {
        scene_to_matrix(p);
        p->delassus = scene_matrix, p->v_free = scene_row_free;
    }
    p->arena = scene_reals, p->arena_size = scene_problem_arena(p, i);
    NSC_MEMSET(scene_reals, 0xff, sizeof scene_reals);
    return scene_problems[i].solve(p, s, r);
}
#endif

#endif
