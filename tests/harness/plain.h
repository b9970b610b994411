/* plain.h - plain worlds, bodies and joints for checks that set up a world of their own.  Include it after nsc.h and by.h. */
#ifndef NSC_TEST_PLAIN_H
#define NSC_TEST_PLAIN_H
#include "world.h"

#define BY_REAL(in_double, in_float) (sizeof(nsc_real) == 8 ? (in_double) : (in_float))

/* Solved to rounding; gravity along -z */
SHARED nsc_world_def exact_world(double gravity)
{
    nsc_world_def def = default_def();
    def.gravity.z = REAL(-gravity);
    def.solver.tolerance = REAL(BY_REAL(1e-12, 1e-7));
    def.solver.max_iterations = 2000;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    return def;
}

/* As it comes, or with islands that fall asleep after a quarter of a second */
SHARED void plain_world(double sleep_time)
{
    nsc_world_def def = default_def();
    if (sleep_time > 0) def.sleep_time = REAL(sleep_time);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

SHARED void plain_steps(int n, double h)
{
    while (n-- > 0) CHECK(step_by(&world, REAL(h)) == NSC_OK);
}

/* A body without a shape, its inertia alike about all axes */
SHARED nsc_id heavy_body(nsc_vec3 at, double mass, double inertia)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position = at;
    d.mass = REAL(mass);
    d.inertia[0] = d.inertia[1] = d.inertia[2] = REAL(inertia);
    return nsc_world_add_body(&world, &d);
}

/* A body of that kind without a shape, one with a ball of 0.25 m, and one with a shape */
SHARED nsc_id bare_body(int kind, double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    d.kind = kind;
    d.pose.position = vec(x, y, z);
    return nsc_world_add_body(&world, &d);
}

SHARED nsc_id small_ball(int kind, double x, double y, double z)
{
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.25));
    nsc_id b = bare_body(kind, x, y, z);
    CHECK(nsc_world_add_shape(&world, b, &s) > 0);
    return b;
}

SHARED nsc_id lone_body(nsc_vec3 at, nsc_shape_def shape)
{
    nsc_id id = bare_body(NSC_DYNAMIC_BODY, D(at.x), D(at.y), D(at.z));
    CHECK(nsc_world_add_shape(&world, id, &shape) >= 0);
    return id;
}

SHARED nsc_vec3 velocity_of(nsc_id id, int angular)
{
    nsc_vec3 linear, turning;
    CHECK(nsc_body_get_velocity(&world, id, &linear, &turning) == NSC_OK);
    return angular ? turning : linear;
}

SHARED double height_now(nsc_id id)
{
    nsc_pose pose;
    CHECK(nsc_body_get_pose(&world, id, &pose) == NSC_OK);
    return D(pose.position.z);
}

/* About an axis of unit length */
SHARED nsc_quat turn_about(nsc_vec3 axis, double angle)
{
    nsc_quat q;
    memset(&q, 0, sizeof q);
    q.w = REAL(cos(angle / 2)), q.x = REAL(sin(angle / 2) * D(axis.x)), q.y = REAL(sin(angle / 2) * D(axis.y)), q.z = REAL(sin(angle / 2) * D(axis.z));
    return q;
}

/* keep_world, a call that is refused, and the state is kept */
SHARED nsc_world world_before;
SHARED void keep_world(void) { memcpy(&world_before, &world, sizeof world); }
SHARED int world_is_kept(void) { return memcmp(&world_before, &world, NSC_WORLD_STATE_SIZE) == 0; }

#if NSC_MAX_JOINTS > 0
/* A joint on an axis along z, and a gear of two joints, of ratio 2 */
SHARED nsc_id upright_joint(int kind, nsc_id a, nsc_id b, double x, double y, double z)
{
    nsc_joint_def j = nsc_default_joint_def(kind, a, b);
    CHECK(nsc_joint_place(&world, &j, vec(x, y, z), vec(0, 0, 1), vec(0, 0, 0)) == NSC_OK);
    return nsc_world_add_joint(&world, &j);
}

SHARED nsc_id gear_of_two(nsc_id a, nsc_id b)
{
    nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    j.joint_a = a;
    j.joint_b = b;
    j.ratio = REAL(2);
    return nsc_world_add_joint(&world, &j);
}
#endif
#endif
