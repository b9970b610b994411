/* Inertial unit in its mounting, contact force of a shape, products of poses */
#ifdef TEST_PART
#define NSC_HULL_VERTICES 16
#endif
#define NSC_IMU 1
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_pose.h"
#include "nsc_touch.h"
#include "nsc_hull.h"
#include <math.h>
#include "random.h"

static const double EPS = sizeof(nsc_real) == 8 ? 2.3e-16 : 1.2e-7;

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id fix(nsc_shape_def d)
{
    nsc_id id = nsc_world_add_shape(&world, NSC_GROUND, &d);
    CHECK(id >= 0);
    return id;
}

static nsc_vec3 any_unit(void)
{
    nsc_vec3 v;
    do v = any_vec(1);
    while (length(v) < .1 || length(v) > 1);
    return multiple(1 / length(v), v);
}

static int poses_multiply_as_matrices_do(void)
{
    nsc_quat q;
    nsc_vec3 x = vec(1, 0, 0);
    nsc_pose a, b, c;
    nsc_vec3 p = any_vec(3), axis = any_unit();
    double angle = uniform(-20, 20), r = uniform(-4, 4), e = uniform(-4, 4), y = uniform(-4, 4), tol = 40 * EPS;
    a.position = any_vec(3), a.orientation = any_turn(), b.position = any_vec(3), b.orientation = any_turn();
    c = nsc_pose_multiply(a, b);
    CHECK_NEAR(length(minus(nsc_pose_point(c, p), plus(a.position, rotate(a.orientation, plus(b.position, rotate(b.orientation, p)))))), 0, 4 * tol);
    CHECK_NEAR(length(minus(nsc_pose_vector(a, p), rotate(a.orientation, p))), 0, tol);
    c = nsc_pose_multiply(nsc_pose_inverse(c), c);
    CHECK_NEAR(length(c.position), 0, 4 * tol);
    CHECK_NEAR(fabs(D(c.orientation.w)), 1, tol);
    q = nsc_quat_from_axis_angle(multiple(uniform(.1, 9), axis), REAL(angle)); /* Rodrigues */
    angle = D(REAL(angle));
    CHECK_NEAR(length(minus(rotate(q, p), plus(plus(multiple(cos(angle), p), multiple(sin(angle), cross(axis, p))),
                                               multiple((1 - cos(angle)) * dot(axis, p), axis)))), 0, 8 * tol);
    q = nsc_quat_from_rpy(REAL(r), REAL(e), REAL(y)); /* x forward of the turned frame, and its matrix's last row, by URDF */
    CHECK_NEAR(length(minus(rotate(q, x), vec(cos(y) * cos(e), sin(y) * cos(e), -sin(e)))), 0, 2 * tol);
    CHECK_NEAR(rotate(q, vec(0, 1, 0)).z, cos(e) * sin(r), 2 * tol);
    CHECK_NEAR(rotate(q, vec(0, 0, 1)).z, cos(e) * cos(r), 2 * tol);
    return 1;
}

static void poses(void)
{
    nsc_quat q;
    nsc_vec3 x = vec(1, 0, 0);
    search("poses multiply as matrices do", poses_multiply_as_matrices_do, 300);
    q = nsc_quat_from_axis_angle(vec(0, 0, 0), REAL(1));
    CHECK(q.w >= 1 && q.w <= 1 && !(dot(vec(D(q.x), D(q.y), D(q.z)), vec(1, 1, 1)) > 0));
    q = nsc_quat_from_axis_angle(x, REAL((double)NAN));
    CHECK(q.w >= 1 && q.x <= 0);
    q = nsc_quat_from_rpy(REAL((double)INFINITY), 0, 0);
    CHECK(q.w >= 1 && q.x <= 0);
}

/* A spinning and pushed box: a + alpha x r + w x (w x r), less g, turned into the unit's frame */
static int the_imu_reads_in_its_mounting(void)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def d = nsc_default_box_def(REAL(.2), REAL(.3), REAL(.4));
    nsc_pose unit, pose, bad;
    nsc_vec3 a, w, got, rate, r, alpha, force, torque, v0, w0, v1 = vec(0, 0, 0), w1 = v1, centre;
    nsc_id id;
    double h = 1e-3;
    begin();
    b.pose.orientation = any_turn(), b.velocity = any_vec(3), b.angular_velocity = any_vec(5);
    id = nsc_world_add_body(&world, &b);
    d.pose.position = any_vec(.2);
    CHECK(nsc_world_add_shape(&world, id, &d) >= 0);
    force = any_vec(3000), torque = any_vec(200);
    CHECK(nsc_body_get_velocity(&world, id, &v0, &w0) == NSC_OK && nsc_body_add_force(&world, id, force, torque) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK && nsc_body_get_velocity(&world, id, &v1, &w1) == NSC_OK);
    nsc_body_get_pose(&world, id, &pose), nsc_body_get_mass(&world, id, NULL, &centre, NULL);
    unit.position = any_vec(.5), unit.orientation = any_turn();
    CHECK(nsc_body_get_imu(&world, id, unit, &got, &rate) == NSC_OK);
    r = rotate(pose.orientation, minus(unit.position, centre));
    a = multiple(1 / h, minus(v1, v0)), alpha = multiple(1 / h, minus(w1, w0));
    a = plus(plus(a, cross(alpha, r)), cross(w1, cross(w1, r)));
    a = rotate_back(unit.orientation, rotate_back(pose.orientation, plus(a, vec(0, 0, 9.81))));
    w = rotate_back(unit.orientation, rotate_back(pose.orientation, w1));
    CHECK_NEAR(length(minus(got, a)), 0, is_double ? 1e-9 : 2e-2);
    CHECK_NEAR(length(minus(rate, w)), 0, 200 * EPS);
    bad = unit, bad.orientation.w = REAL(D(bad.orientation.w) + 1);
    got = rate = vec(7, 7, 7);
    bad.orientation.x = REAL(1);
    CHECK(nsc_body_get_imu(&world, id, bad, &got, &rate) == NSC_ERR_ARGUMENT && got.x >= 7 && rate.x >= 7);
    bad = unit, bad.position.x = REAL((double)NAN);
    CHECK(nsc_body_get_imu(&world, id, bad, &got, &rate) == NSC_ERR_NOT_FINITE && got.x >= 7);
    bad = unit, bad.orientation.x = REAL((double)NAN);
    CHECK(nsc_body_get_imu(&world, id, bad, &got, &rate) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_get_imu(&world, 12345, unit, &got, &rate) == NSC_ERR_HANDLE && nsc_body_get_imu(&world, id, unit, NULL, NULL) == NSC_OK);
    return 1;
}

/* What nsc_imu.h says of rounding: the largest error of a box at rest, one that slides at 100 m/s, and one that friction brakes from
   there, in steps of 1/240, 1/1000 and 1/8000 s.  The last is not less than a third of what is said. */
static void reading_has_the_rounding_of_velocities(void)
{
    const double hertz[3] = {240, 1000, 8000}, still[2] = {2e-6, 2e-4}, braked[3] = {.002, .007, .02}, mu = .5;
    nsc_pose unit = {{0, 0, 0}, {1, 0, 0, 0}};
    nsc_vec3 got;
    int i, kind, step;
    for (i = 0; i < 3; i++)
        for (kind = 0; kind < 3; kind++) {
            nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(.1), REAL(.1), REAL(.1));
            nsc_body_def b = nsc_default_body_def();
            double worst = 0, said = kind < 2 ? still[kind] : braked[i];
            nsc_id id;
            begin();
            ground.friction = box.friction = REAL(kind == 2 ? mu : 0);
            fix(ground);
            b.pose.position.z = REAL(.1), b.velocity.x = REAL(kind > 0 ? 100 : 0);
            id = nsc_world_add_body(&world, &b);
            CHECK(nsc_world_add_shape(&world, id, &box) >= 0);
            for (step = 0; step < hertz[i]; step++) {
                CHECK(nsc_world_step(&world, REAL(1 / hertz[i])) == NSC_OK);
                CHECK(nsc_body_get_imu(&world, id, unit, &got, NULL) == NSC_OK);
                if (step >= hertz[i] / 4) worst = fmax(worst, length(minus(got, vec(kind == 2 ? -mu * 9.81 : 0, 0, 9.81))));
            }
            CHECK(worst <= (is_double ? 2e-6 : 1.2 * said)); /* the last digit said is rounded; in double the solver's tolerance */
            CHECK(is_double || kind < 2 || worst > said / 3);
        }
}

/* A body whose velocity is set, by an impulse or by hand, or that is kinematic: its unit feels the forces of the step alone.  One on a
   hinge, set to turn, feels what keeps it on its circle from the second step on, as its first goes straight on. */
static void the_unit_feels_what_a_step_does(void)
{
    nsc_pose unit = {{0, 0, 0}, {1, 0, 0, 0}}, away = unit;
    nsc_vec3 got = vec(9, 9, 9);
    double h = 1 / 240.;
    int how;
    for (how = 0; how < 4; how++) {
        nsc_body_def b = nsc_default_body_def();
        nsc_id id;
        CASE("%s", how == 0 ? "impulse" : how == 1 ? "velocity" : how == 2 ? "kinematic, pose" : "kinematic, velocity");
        begin();
        b.kind = how < 2 ? NSC_DYNAMIC_BODY : NSC_KINEMATIC_BODY;
        b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
        id = nsc_world_add_body(&world, &b);
        CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK);
        if (how == 0) CHECK(nsc_body_add_impulse_at(&world, id, vec(1, 0, 0), position(id)) == NSC_OK);
        if (how % 2) CHECK(nsc_body_set_velocity(&world, id, vec(1, 0, 0), vec(0, 0, 0)) == NSC_OK);
        away.position.x = REAL(.1);
        if (how == 2) CHECK(nsc_body_set_pose(&world, id, away) == NSC_OK);
        CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK && nsc_body_get_imu(&world, id, unit, &got, NULL) == NSC_OK);
        CHECK_NEAR(length(minus(got, vec(0, 0, how < 2 ? 0 : 9.81))), 0, is_double ? 1e-9 : 1e-3);
    }
    CASE_END();
#if NSC_MAX_JOINTS > 0
    {
        nsc_body_def b = nsc_default_body_def();
        nsc_joint_def j;
        nsc_world_def def;
        nsc_id id;
        begin();
        def = world.def, def.gravity.z = 0;
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        b.pose.position.x = b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
        id = nsc_world_add_body(&world, &b);
        j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, id);
        CHECK(nsc_joint_place(&world, &j, vec(0, 0, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK && nsc_world_add_joint(&world, &j) > 0);
        CHECK(nsc_body_set_velocity(&world, id, vec(0, 2, 0), vec(0, 0, 2)) == NSC_OK);
        for (how = 0; how < 40; how++) {
            CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK && nsc_body_get_imu(&world, id, unit, &got, NULL) == NSC_OK);
            if (how == 0) CHECK_NEAR(length(got), 0, 1e-3);
            else CHECK_NEAR(got.x, -4, how < 20 ? .45 : .05); /* and what undoes the drift of that first step */
        }
    }
#endif
}

/* A beam with round feet at x = -1 and 1 and its weight at x = .4: statics gives 30 % and 70 % */
static void feet_share_the_weight(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), foot = nsc_default_sphere_def(REAL(.05));
    nsc_body_def b = nsc_default_body_def();
    nsc_vec3 f, m, all, moment, sum = vec(0, 0, 0), turn = sum;
    nsc_id id, feet[2], plane;
    int i;
    const double mass = 20, at[2] = {-1, 1}, share[2] = {.3, .7};
    begin();
    plane = fix(ground);
    b.mass = REAL(mass), b.centre = vec(.4, 0, 0);
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
    b.pose.position.z = REAL(.05);
    id = nsc_world_add_body(&world, &b);
    for (i = 0; i < 2; i++) {
        foot.pose.position = vec(at[i], 0, 0);
        feet[i] = nsc_world_add_shape(&world, id, &foot);
        CHECK(feet[i] >= 0);
    }
    for (i = 0; i < 200; i++) CHECK(nsc_world_step(&world, REAL(1. / 200)) == NSC_OK);
    CHECK(nsc_body_add_force(&world, id, vec(20, 0, 0), vec(0, 0, 0)) == NSC_OK && nsc_world_step(&world, REAL(1. / 200)) == NSC_OK);
    for (i = 0; i < 2; i++) { /* pushed along x at the height of the feet's middles: friction .05 below turns it */
        CHECK(nsc_shape_get_contact_force(&world, feet[i], &f, &m) == NSC_OK);
        CHECK_NEAR(f.z, 9.81 * mass * share[i] + (i ? .5 : -.5) * 20 * .05, 5e-3 * mass);
        CHECK_NEAR(length(minus(m, vec(.05 * D(f.y), -.05 * D(f.x), 0))), 0, 1e-3);
        sum = plus(sum, f);
        turn = plus(turn, plus(m, cross(vec(at[i] - .4, 0, 0), f)));
    }
    CHECK_NEAR(sum.x, -20, .02);
    CHECK(nsc_body_get_contact_force(&world, id, &all, &moment) == NSC_OK);
    CHECK_NEAR(length(minus(sum, all)), 0, 1e-3);
    CHECK_NEAR(length(minus(turn, moment)), 0, 2e-2);
    CHECK_NEAR(all.z, 9.81 * mass, 1e-2 * mass);
    CHECK(nsc_shape_get_contact_force(&world, plane, &f, NULL) == NSC_OK);
    CHECK_NEAR(length(plus(f, all)), 0, 1e-3);
    CHECK(nsc_shape_get_contact_force(&world, id, &f, &m) == NSC_ERR_HANDLE && nsc_shape_get_contact_force(NULL, plane, &f, &m) == NSC_ERR_ARGUMENT);
    CHECK(nsc_shape_get_contact_force(&world, plane, NULL, NULL) == NSC_OK);
}

/* A plate on the ground pushed with half of the friction that it has: of its four points one is at its cone, whatever the number of
   sweeps, while the sum is right and the plate sticks. */
static void one_point_may_be_at_its_cone(void)
{
    const double mu = .5, mass = 10, push = .5 * mu * mass * 9.81, h = 1 / 240.;
    int sweeps, i;
    for (sweeps = 4; sweeps <= 100; sweeps += 96) {
        nsc_shape_def ground = nsc_default_half_space_def(), plate = nsc_default_box_def(REAL(.5), REAL(.5), REAL(.1));
        nsc_body_def b = nsc_default_body_def();
        nsc_world_def def;
        nsc_vec3 f = vec(0, 0, 0), before = f;
        double most = 0;
        nsc_id id;
        CASE("%d sweeps", sweeps);
        begin();
        def = world.def, def.solver.max_iterations = sweeps;
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        ground.friction = plate.friction = REAL(mu);
        fix(ground);
        b.pose.position.z = REAL(.1);
        id = nsc_world_add_body(&world, &b);
        CHECK(nsc_world_add_shape(&world, id, &plate) >= 0 && nsc_body_set_mass(&world, id, REAL(mass)) == NSC_OK);
        for (i = 0; i < 480; i++) {
            CHECK(nsc_body_add_force(&world, id, vec(push, 0, 0), vec(0, 0, 0)) == NSC_OK && nsc_world_step(&world, REAL(h)) == NSC_OK);
            if (i == 240) before = position(id);
        }
        CHECK(nsc_body_get_contact_force(&world, id, &f, NULL) == NSC_OK);
        for (i = 0; i < nsc_world_contact_count(&world); i++) {
            const nsc_contact *c = nsc_world_contact(&world, i);
            most = fmax(most, hypot(D(c->impulse.x), D(c->impulse.y)) / (mu * D(c->impulse.z)));
        }
        CHECK(most > .99);
        CHECK_NEAR(length(minus(f, vec(-push, 0, mass * 9.81))), 0, .01);
        CHECK_NEAR(length(minus(position(id), before)), 0, 1e-6);
    }
    CASE_END();
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    seed = 7;
    poses();
    search("the IMU reads in its mounting", the_imu_reads_in_its_mounting, 60);
    reading_has_the_rounding_of_velocities();
    the_unit_feels_what_a_step_does();
    feet_share_the_weight();
    one_point_may_be_at_its_cone();
    return TEST_END("mounting");
}
