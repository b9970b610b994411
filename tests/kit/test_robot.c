/* nsc_robot.h of examples/kit, on the tables that robot.py prints for tests/robots: masses and inertias against closed forms of
   the numbers in the files, axes, positions, limits and drives; the quadruped stands, the arm moves; what is refused.  That
   robot.py prints just these tables is for tests/robots/check.sh. */
#define NSC_CONVEX 1
#ifdef TEST_PART
#define NSC_MAX_JOINTS 32
#define NSC_HULL_VERTICES 16
#endif
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_robot.h"
#include "robots/arm.h"
#include "robots/crab.h"
#include "robots/quadruped.h"
#include "test.h"
#include "by.h"
#include <math.h>

static nsc_world world, other;
static nsc_id body[quadruped_LINKS], joint[quadruped_JOINTS];
static const char *const legs[4] = {"FL", "FR", "RL", "RR"};
static const double eps = sizeof(nsc_real) > 4 ? 1e-15 : 2e-7; /* tables have 17 digits */

static nsc_vec3 vec(double x, double y, double z)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v);
    v.x = (nsc_real)x;
    v.y = (nsc_real)y;
    v.z = (nsc_real)z;
    return v;
}

static nsc_pose place(double x, double y, double z)
{
    nsc_pose p;
    memset(&p, 0, sizeof p);
    p.position = vec(x, y, z);
    p.orientation.w = 1;
    return p;
}

static void begin(void)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_world_init(&world, &d);
    CHECK(nsc_world_set_hulls(&world, arm.hull, arm.hulls) == NSC_OK);
}

static int named(const char *leg, const char *part, int is_joint)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%s", leg, part);
    return is_joint ? nsc_robot_joint(&quadruped, name) : nsc_robot_link(&quadruped, name);
}

static void check_mass(nsc_id id, double mass, double x, double y, double z, const double *inertia)
{
    nsc_real m = 0, I[6] = {0};
    nsc_vec3 c = vec(9, 9, 9);
    double trace = inertia[0] + inertia[1] + inertia[2];
    int k;
    CHECK(nsc_body_get_mass(&world, id, &m, &c, I) == NSC_OK);
    CHECK_NEAR((double)m / mass, 1, eps);
    CHECK_NEAR(c.x, x, eps);
    CHECK_NEAR(c.y, y, eps);
    CHECK_NEAR(c.z, z, eps);
    for (k = 0; k < 6; k++) CHECK_NEAR((double)I[k] / trace, inertia[k] / trace, 4 * eps);
}

/* v in the frame turned by q, by arithmetic of the test's own */
static nsc_vec3 turned(nsc_quat q, nsc_vec3 v)
{
    double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    double a = (double)v.x, b = (double)v.y, c = (double)v.z;
    return vec((1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
               2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
               2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c);
}

/* Where the joint is and its axis points, in the world, as both of its bodies have it */
static void check_axis(nsc_id id, double x, double y, double z, double ax, double ay, double az)
{
    nsc_joint_def d;
    nsc_pose p;
    nsc_vec3 at, axis;
    int side;
    CHECK(nsc_joint_get_def(&world, id, &d) == NSC_OK);
    for (side = 0; side < 2; side++) {
        const nsc_pose *frame = side ? &d.frame_b : &d.frame_a;
        CHECK(nsc_body_get_pose(&world, side ? d.body_b : d.body_a, &p) == NSC_OK);
        at = turned(p.orientation, frame->position);
        axis = turned(p.orientation, turned(frame->orientation, vec(0, 0, 1)));
        CHECK_NEAR(at.x + p.position.x, x, 8 * eps);
        CHECK_NEAR(at.y + p.position.y, y, 8 * eps);
        CHECK_NEAR(at.z + p.position.z, z, 8 * eps);
        CHECK_NEAR(axis.x, ax, 8 * eps);
        CHECK_NEAR(axis.y, ay, 8 * eps);
        CHECK_NEAR(axis.z, az, 8 * eps);
    }
}

static double position(nsc_id id)
{
    nsc_axis_state s;
    memset(&s, 0, sizeof s);
    CHECK(nsc_joint_get_axis(&world, id, 0, &s) == NSC_OK);
    return (double)s.position;
}

static void check_drift(const nsc_id *ids, int n)
{
    nsc_real distance, angle;
    int i;
    for (i = 0; i < n; i++) {
        CHECK(nsc_joint_get_drift(&world, ids[i], &distance, &angle) == NSC_OK);
        CHECK_NEAR(distance, 0, 8 * eps);
        CHECK_NEAR(angle, 0, 1e-6);
    }
}

/* ---- the quadruped */

static void the_quadruped_has_the_masses_of_its_file(void)
{
    /* The trunk with the imu, of 0.05 kg at (0.1, 0, 0.06): reduced mass times the squares of what is between the centres */
    double m = 5 * 0.05 / 5.05, x = 0.09, z = 0.06;
    double trunk[6] = {0.015 + 1e-5 + m * z * z, 0.065 + 1e-5 + m * (x * x + z * z), 0.07 + 1e-5 + m * x * x, 0.001, -m * x * z, 0};
    /* The calf with its foot, 0.11 m apart */
    double n = 0.2 * 0.06 / 0.26, d = 0.11;
    double calf[6] = {0.001 + 1e-5 + n * d * d, 0.001 + 1e-5 + n * d * d, 0.00004 + 1e-5, 0, 0, 0};
    /* The hip's inertial frame is turned by half a radian about x. */
    double c = cos(0.5), s = sin(0.5);
    double hip[6] = {0.0003, 0.0006 * c * c + 0.0004 * s * s, 0.0006 * s * s + 0.0004 * c * c, 0, 0, 0.0002 * s * c};
    double thigh[6] = {0.006, 0.006, 0.001, 0, 0, 0};
    double total = 0;
    int i;
    begin();
    CHECK(nsc_robot_add(&world, &quadruped, place(0, 0, 1), body, joint) == NSC_OK);
    check_mass(body[nsc_robot_link(&quadruped, "trunk")], 5.05, 0.05 / 5.05 + 0.005 / 5.05, 0, 0.003 / 5.05, trunk);
    for (i = 0; i < 4; i++) {
        double side = i % 2 ? -1 : 1;
        check_mass(body[named(legs[i], "hip", 0)], 0.6, 0, 0.005 * side, 0, hip);
        check_mass(body[named(legs[i], "thigh", 0)], 1, 0, -0.02 * side, -0.03, thigh);
        check_mass(body[named(legs[i], "calf", 0)], 0.26, 0, 0, -(0.2 * 0.1 + 0.06 * 0.21) / 0.26, calf);
    }
    for (i = 0; i < quadruped.links; i++) {
        nsc_real mass;
        nsc_body_get_mass(&world, body[i], &mass, NULL, NULL);
        total += (double)mass;
    }
    CHECK_NEAR(total, 12.49, 1e-5);
}

static void its_joints_stand_where_the_file_says(void)
{
    static const char *const parts[3] = {"hip_joint", "thigh_joint", "calf_joint"};
    static const double lower[3] = {-0.86, -0.69, -2.8}, upper[3] = {0.86, 4.5, -0.9}, effort[3] = {24, 24, 36}, speed[3] = {30, 30, 20};
    int i, k;
    begin();
    CHECK(nsc_robot_add(&world, &quadruped, place(0, 0, 1), body, joint) == NSC_OK);
    for (i = 0; i < 4; i++)
        for (k = 0; k < 3; k++) {
            nsc_id id = joint[named(legs[i], parts[k], 1)];
            nsc_joint_def d;
            CHECK_NEAR(position(id), 0, 8 * eps);
            CHECK(nsc_joint_get_def(&world, id, &d) == NSC_OK);
            CHECK(d.kind == NSC_JOINT_HINGE && !d.collide && d.axis[0].limited && d.axis[0].drive == NSC_DRIVE_NONE);
            CHECK_NEAR(d.axis[0].lower, lower[k], eps * 4);
            CHECK_NEAR(d.axis[0].upper, upper[k], eps * 4);
            CHECK_NEAR(d.axis[0].max_force, effort[k], eps);
            CHECK_NEAR(d.axis[0].max_speed, speed[k], eps);
            CHECK_NEAR(d.axis[0].friction, 0.2, eps);
            CHECK_NEAR(d.axis[0].spring_damping, 0.01, eps);
            check_axis(id, i < 2 ? 0.19 : -0.19, (i % 2 ? -1 : 1) * (k ? 0.13 : 0.05), k == 2 ? 0.79 : 1, k == 0, k != 0, 0);
        }
    check_drift(joint, quadruped.joints);
}

/* Turned by a quarter about z and moved: the axes turn along, the positions stay zero. */
static void the_base_takes_all_along(void)
{
    nsc_pose base = place(3, 2, 1), p;
    base.orientation.w = base.orientation.z = (nsc_real)sqrt(0.5);
    begin();
    CHECK(nsc_robot_add(&world, &quadruped, base, body, joint) == NSC_OK);
    check_axis(joint[named("FL", "hip_joint", 1)], 3 - 0.05, 2 + 0.19, 1, 0, 1, 0);
    check_axis(joint[named("FL", "calf_joint", 1)], 3 - 0.13, 2 + 0.19, 0.79, -1, 0, 0);
    CHECK(nsc_body_get_pose(&world, body[named("RR", "calf", 0)], &p) == NSC_OK);
    CHECK_NEAR(p.position.x, 3.13, 8 * eps);
    CHECK_NEAR(p.position.y, 1.81, 8 * eps);
    CHECK_NEAR(p.orientation.z, sqrt(0.5), 8 * eps);
    CHECK_NEAR(position(joint[named("RR", "thigh_joint", 1)]), 0, 8 * eps);
    check_drift(joint, quadruped.joints);
}

static void names_are_found(void)
{
    int i = nsc_robot_frame(&quadruped, "imu");
    CHECK(nsc_robot_link(&quadruped, "trunk") == 0);
    CHECK(nsc_robot_link(&quadruped, "FL_foot") == nsc_robot_link(&quadruped, "FL_calf")); /* merged */
    CHECK(nsc_robot_link(&quadruped, "FL_foo") == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_link(&quadruped, "FL_foot2") == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_joint(&quadruped, "RR_calf_joint") == quadruped_JOINTS - 1);
    CHECK(nsc_robot_joint(&quadruped, "") == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_joint(NULL, "x") == NSC_ERR_ARGUMENT && nsc_robot_link(&arm, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_frame(&quadruped, NULL) == NSC_ERR_ARGUMENT && nsc_robot_link(NULL, "") == NSC_ERR_ARGUMENT);
    CHECK(i >= 0 && quadruped.frame[i].link == 0);
    CHECK_NEAR(quadruped.frame[i].pose.position.z, 0.05, eps);
    CHECK_NEAR(quadruped.frame[i].pose.orientation.z, 1, eps); /* turned by half a turn */
    CHECK(nsc_robot_frame(&arm, "tip") >= 0);
}

/* On bent legs, held by servos: thighs 0.8 rad back, calves 1.6 rad forth, so that the feet are below the hips.  Height of the trunk */
static double stand_up(void)
{
    const double bent = 0.8, height = 2 * 0.21 * cos(bent) + 0.02;
    nsc_shape_def ground = nsc_default_half_space_def();
    int i, k;
    begin();
    nsc_world_add_shape(&world, NSC_GROUND, &ground);
    CHECK(nsc_robot_add(&world, &quadruped, place(0, 0, height), body, joint) == NSC_OK);
    for (i = 0; i < 4; i++)
        for (k = 0; k < 3; k++) {
            nsc_id id = joint[named(legs[i], k == 0 ? "hip_joint" : k == 1 ? "thigh_joint" : "calf_joint", 1)];
            double q = k == 0 ? 0 : k == 1 ? bent : -2 * bent;
            nsc_joint_def d;
            nsc_joint_get_def(&world, id, &d);
            d.axis[0].drive = NSC_DRIVE_SERVO;
            d.axis[0].stiffness = 120;
            d.axis[0].damping = 3;
            d.axis[0].target = (nsc_real)q;
            CHECK(nsc_joint_set_axis(&world, id, 0, &d.axis[0]) == NSC_OK);
            CHECK(nsc_joint_set_state(&world, id, 0, (nsc_real)q, 0) == NSC_OK);
        }
    return height;
}

static void it_stands(void)
{
    nsc_pose p;
    double most = 0, weight = 0, height = stand_up();
    int i, k, steps = 500 * trials(1, 20);
    CHECK(nsc_body_get_pose(&world, body[named("FL", "calf", 0)], &p) == NSC_OK);
    CHECK_NEAR(p.position.z, height / 2 + 0.01, 1e-5);
    for (i = 0; i < steps; i++) {
        CHECK(nsc_world_step(&world, NSC_R(0.002)) == NSC_OK);
        CHECK(nsc_world_report(&world)->dropped == 0);
        for (k = 0; k < quadruped.joints; k++) {
            nsc_axis_state s;
            nsc_joint_get_axis(&world, joint[k], 0, &s);
            if (fabs((double)s.drive) > most) most = fabs((double)s.drive);
        }
    }
    for (i = 0; i < 4; i++) {
        nsc_vec3 f;
        CHECK(nsc_body_get_contact_force(&world, body[named(legs[i], "foot", 0)], &f, NULL) == NSC_OK);
        CHECK(f.z > 10);
        weight += (double)f.z;
    }
    CHECK_NEAR(weight, 12.49 * 9.81, 0.5);
    CHECK(nsc_body_get_pose(&world, body[0], &p) == NSC_OK);
    {
        nsc_real q[quadruped_JOINTS], v[quadruped_JOINTS], force[quadruped_JOINTS];
        CHECK(nsc_robot_get_state(&world, &quadruped, joint, q, v, force) == NSC_OK);
        for (k = 0; k < quadruped.joints; k++) {
            nsc_axis_state s;
            CHECK(nsc_joint_get_axis(&world, joint[k], 0, &s) == NSC_OK);
            CHECK_NEAR(q[k], s.position, 0);
            CHECK_NEAR(v[k], s.velocity, 0);
            CHECK_NEAR(force[k], s.drive, 0);
            q[k] = s.position + NSC_R(0.125) * (nsc_real)k;
        }
        CHECK(nsc_robot_get_state(&world, &quadruped, joint, NULL, NULL, NULL) == NSC_OK);
        CHECK(nsc_robot_set_targets(&world, &quadruped, joint, q, v) == NSC_OK);
        CHECK(nsc_robot_set_forces(&world, &quadruped, joint, force) == NSC_OK);
        for (k = 0; k < quadruped.joints; k++) {
            nsc_joint_def d;
            CHECK(nsc_joint_get_def(&world, joint[k], &d) == NSC_OK);
            CHECK_NEAR(d.axis[0].target, q[k], 0);
            CHECK_NEAR(d.axis[0].target_velocity, v[k], 0);
            CHECK_NEAR(d.axis[0].force, force[k], 0);
        }
        force[3] = (nsc_real)NAN;
        CHECK(nsc_robot_set_forces(&world, &quadruped, joint, force) == NSC_ERR_NOT_FINITE);
        CHECK(nsc_robot_set_forces(&world, &quadruped, joint, NULL) == NSC_ERR_ARGUMENT);
        CHECK(nsc_robot_get_state(NULL, &quadruped, joint, q, v, force) == NSC_ERR_ARGUMENT);
        CHECK(nsc_robot_get_state(&world, NULL, joint, q, v, force) == NSC_ERR_ARGUMENT);
        CHECK(nsc_robot_get_state(&world, &quadruped, NULL, q, v, force) == NSC_ERR_ARGUMENT);
        CHECK(nsc_robot_set_targets(&world, NULL, joint, q, v) == NSC_ERR_ARGUMENT);
        nsc_world_remove_joint(&world, joint[5]);
        CHECK(nsc_robot_get_state(&world, &quadruped, joint, q, v, force) == NSC_ERR_HANDLE);
    }
    printf("    it stands at %.4f m of %.4f m, upright to %.4f rad, after the largest torque of %.1f N m\n", (double)p.position.z, height,
           2 * sqrt((double)(p.orientation.x * p.orientation.x + p.orientation.y * p.orientation.y)), most);
    CHECK(p.position.z < (nsc_real)height && (double)p.position.z > height - 0.03);
    CHECK(fabs((double)p.orientation.x) + fabs((double)p.orientation.y) < 0.03);
    CHECK(fabs((double)p.position.x) + fabs((double)p.position.y) < 0.03);
    CHECK(most < 24);
}

/* Of SIPGS at 1/240 s: with four sweeps the feet shake by one per cent of its weight.  Where drift is undone at once after unsolved
   steps they bear 62 to 172 N, and joints part by 4.7 mm. */
static void it_stands_with_four_sweeps(void)
{
    static const int sweeps[3] = {4, 10, 20};
    int i, k, n;
    for (n = 0; n < 3; n++) {
        double low = 1e9, high = 0, drift = 0;
        nsc_world_def d;
        CASE("%d sweeps", sweeps[n]);
        stand_up();
        d = world.def;
        d.solver.max_iterations = sweeps[n];
        CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
        for (i = 0; i < 720; i++) {
            double weight = 0;
            CHECK(nsc_world_step(&world, (nsc_real)(1 / 240.)) == NSC_OK);
            for (k = 0; k < 4; k++) {
                nsc_vec3 f;
                CHECK(nsc_body_get_contact_force(&world, body[named(legs[k], "foot", 0)], &f, NULL) == NSC_OK);
                weight += (double)f.z;
            }
            if (i < 480) continue;
            low = fmin(low, weight), high = fmax(high, weight);
            drift = fmax(drift, (double)nsc_world_report(&world)->drift);
        }
        printf("    on its feet with %d sweeps: they bear %.1f to %.1f N, joints %.2f mm apart\n", sweeps[n], low, high, 1e3 * drift);
        CHECK(high - low < (sweeps[n] < 10 ? 4 : 2) && drift < 3e-4);
        CHECK(low > 12.49 * 9.81 - 2 && high < 12.49 * 9.81 + 2);
    }
    CASE_END();
}

static void a_fixed_base_stays(void)
{
    nsc_robot fixed = quadruped;
    nsc_pose p;
    int i;
    fixed.fixed_base = 1;
    begin();
    CHECK(nsc_robot_add(&world, &fixed, place(0, 0, 1), body, joint) == NSC_OK);
    for (i = 0; i < 200; i++) CHECK(nsc_world_step(&world, NSC_R(0.002)) == NSC_OK);
    CHECK(nsc_body_get_pose(&world, body[0], &p) == NSC_OK && p.position.z == 1);
    CHECK(position(joint[named("FL", "calf_joint", 1)]) < -0.5); /* to its limit, which zero is beyond */
}

/* ---- the arm */

static nsc_id part[arm_LINKS], axle[arm_JOINTS];

static nsc_id link_id(const char *name) { return part[nsc_robot_link(&arm, name)]; }
static nsc_id axle_id(const char *name) { return axle[nsc_robot_joint(&arm, name)]; }

static void the_arm_weighs_what_its_geoms_do(void)
{
    const double pi = 3.14159265358979;
    /* A ball; a capsule along x beside a box of 0.5 kg; an inertial turned by a quarter about z with the palm, a box; wedges. */
    double ball = 800 * 4 / 3.0 * pi * pow(0.05, 3), i0 = 0.4 * ball * 0.05 * 0.05, one[6] = {i0, i0, i0, 0, 0, 0};
    double r = 0.03, h = 0.15, tube = 800 * pi * r * r * 2 * h, caps = 800 * 4 / 3.0 * pi * r * r * r, bone = tube + caps;
    double along = (tube / 2 + caps * 0.4) * r * r;
    double across = tube * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
    double m = bone * 0.5 / (bone + 0.5), d = 0.06, cube = 0.5 / 3 * 2 * 0.02 * 0.02;
    double two[6] = {along + cube + m * d * d, across + cube + m * d * d, across + cube, 0, 0, 0};
    double palm = 800 * 0.02 * 0.1 * 0.04, n = palm * 1.2 / (palm + 1.2), e = 0.15;
    double three[6] = {0.01 + palm / 3 * (0.05 * 0.05 + 0.02 * 0.02), 0.002 + palm / 3 * (0.01 * 0.01 + 0.02 * 0.02) + n * e * e,
                       0.011 + palm / 3 * (0.01 * 0.01 + 0.05 * 0.05) + n * e * e, 0, 0, 0};
    double w = 800 * 12e-6, a = 0.04, b = 0.02, c = 0.03; /* legs a, b of the triangle, length c */
    double four[6] = {w * (b * b / 18 + c * c / 12), w * (a * a / 18 + c * c / 12), w * (a * a + b * b) / 18, w * a * b / 36, 0, 0};
    begin();
    CHECK(nsc_robot_add(&world, &arm, place(0, 0, 0), part, axle) == NSC_OK);
    check_mass(link_id("shoulder"), ball, 0, 0, 0, one);
    check_mass(link_id("upper"), bone + 0.5, 0.25, 0, 0.06 * 0.5 / (bone + 0.5), two);
    check_mass(link_id("fore"), palm + 1.2, (0.1 * 1.2 + 0.25 * palm) / (palm + 1.2), 0, 0, three);
    check_mass(link_id("left"), w, a / 3, b / 3, c / 2, four);
    check_mass(link_id("right"), w, a / 3, b / 3, c / 2, four);
}

static void its_axes_count_as_in_the_file(void)
{
    const double pi = 3.14159265358979;
    nsc_joint_def d;
    begin();
    CHECK(nsc_robot_add(&world, &arm, place(0, 0, 0), part, axle) == NSC_OK);
    CHECK_NEAR(position(axle_id("yaw")), 0, 8 * eps);
    CHECK_NEAR(position(axle_id("pitch")), -pi / 2, 8 * eps); /* its ref */
    CHECK_NEAR(position(axle_id("left_turn")), 0, 8 * eps);
    check_axis(axle_id("yaw"), 0, 0, 0.25, 0, 0, 1);
    check_axis(axle_id("pitch"), 0, 0, 0.25, 0, 1, 0);
    check_axis(axle_id("elbow"), 0, 0, 0.25 + 0.48, 0, 1, 0);
    check_axis(axle_id("right_turn"), 0, -0.01, 0.25 + 0.765, 1, 0, 0);
    check_drift(axle, arm.joints);

    nsc_joint_get_def(&world, axle_id("yaw"), &d);
    CHECK(d.axis[0].drive == NSC_DRIVE_SERVO && d.axis[0].stiffness == 50 && d.axis[0].damping == 2 && d.axis[0].max_force == 30);
    CHECK_NEAR(d.axis[0].lower, -170 * pi / 180, 8 * eps);
    CHECK_NEAR(d.axis[0].friction, 0.3, eps);
    CHECK_NEAR(d.axis[0].armature, 0.01, eps);
    CHECK(d.collide == 0); /* excluded; else what hangs on a fixed base collides with it */
    nsc_joint_get_def(&world, axle_id("pitch"), &d); /* gear 2: four times kp and kv, twice the force */
    CHECK(d.axis[0].stiffness == 320 && d.axis[0].damping == 8 && d.axis[0].max_force == 60 && d.axis[0].spring == 3);
    CHECK_NEAR(d.axis[0].spring_rest, -pi / 4, 8 * eps);
    nsc_joint_get_def(&world, axle_id("elbow"), &d); /* gear 10, ctrlrange 1: less than actuatorfrcrange */
    CHECK(d.axis[0].drive == NSC_DRIVE_FORCE && d.axis[0].max_force == 10 && !d.axis[0].limited);
    nsc_joint_get_def(&world, axle_id("left_turn"), &d);
    CHECK(d.kind == NSC_JOINT_HINGE && d.axis[0].spring_damping == NSC_R(0.05) && d.axis[0].armature == 0);
    CHECK(d.axis[0].drive == NSC_DRIVE_SERVO && d.axis[0].stiffness == 0 && d.axis[0].damping == NSC_R(0.4));
}

/* contype 2 and conaffinity 1 against 1 and 1: fingers meet all but each other. */
static void its_filters_are_those_of_the_file(void)
{
    int i, k;
    for (i = 0; i < arm.shapes; i++)
        for (k = 0; k < arm.shapes; k++) {
            const nsc_robot_shape_def *a = &arm.shape[i], *b = &arm.shape[k];
            int fingers = (a->kind == NSC_SHAPE_HULL) + (b->kind == NSC_SHAPE_HULL);
            CHECK(((a->category & b->mask) && (b->category & a->mask)) == (fingers < 2));
        }
    CHECK(arm.shapes == 9); /* the visual one is left out */
    begin();
    CHECK(nsc_robot_add(&world, &arm, place(0, 0, 0), part, axle) == NSC_OK);
    for (i = 0; i < arm.shapes; i++) { /* the world is empty: shapes stand in the order of the table */
        nsc_shape_def d;
        CHECK(nsc_shape_get_def(&world, nsc_world_shape_at(&world, i), &d) == NSC_OK);
        CHECK(d.kind == arm.shape[i].kind && d.category == arm.shape[i].category && d.mask == arm.shape[i].mask);
        CHECK(d.friction == NSC_R(0.7) && d.radius == arm.shape[i].radius);
    }
}

/* The servos hold; a finger is driven, and the gear takes the other along; excluded links and fingers do not touch. */
static void the_arm_moves(void)
{
    const double pi = 3.14159265358979;
    nsc_joint_def elbow;
    int i;
    begin();
    CHECK(nsc_robot_add(&world, &arm, place(0, 0, 1), part, axle) == NSC_OK);
    nsc_joint_get_def(&world, axle_id("elbow"), &elbow); /* its motor keeps its bound as a servo */
    elbow.axis[0].drive = NSC_DRIVE_SERVO;
    elbow.axis[0].stiffness = 50;
    elbow.axis[0].damping = 2;
    CHECK(nsc_joint_set_axis(&world, axle_id("elbow"), 0, &elbow.axis[0]) == NSC_OK);
    CHECK(nsc_joint_set_target(&world, axle_id("yaw"), 0, NSC_R(0.5), 0) == NSC_OK);
    CHECK(nsc_joint_set_target(&world, axle_id("pitch"), 0, NSC_R(-1.2), 0) == NSC_OK);
    CHECK(nsc_joint_set_target(&world, axle_id("left_turn"), 0, 0, NSC_R(0.5)) == NSC_OK);
    for (i = 0; i < 2000; i++) {
        CHECK(nsc_world_step(&world, NSC_R(0.001)) == NSC_OK);
        CHECK(nsc_world_contact_count(&world) == 0);
    }
    CHECK_NEAR(position(axle_id("yaw")), 0.5, 0.02);
    CHECK_NEAR(position(axle_id("pitch")), -1.2, 0.1);
    CHECK_NEAR(position(axle_id("left_turn")), pi / 6, 1e-3); /* its limit */
    CHECK_NEAR(position(axle_id("right_turn")), position(axle_id("left_turn")), 1e-4);
}

/* ---- tables of the test's own */

static const nsc_robot_link_def two_links[2] = {
    {"a", NSC_DYNAMIC_BODY, {{0, 0, 0}, {1, 0, 0, 0}}, 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}},
    {"b", NSC_DYNAMIC_BODY, {{1, 0, 0}, {1, 0, 0, 0}}, 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
static const nsc_robot_shape_def two_shapes[2] = {
    {0, NSC_SHAPE_SPHERE, {{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, NSC_R(0.7), NSC_R(0.5), 1, 0xffffffffu, NULL},
    {1, NSC_SHAPE_SPHERE, {{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, NSC_R(0.7), NSC_R(0.5), 1, 0xffffffffu, NULL}};
static const nsc_robot_joint_def apart[1] = {
    {"exclude", NSC_JOINT_DISTANCE, 0, 0, 1, {{0, 0, 0}, {1, 0, 0, 0}}, {{0, 0, 0}, {1, 0, 0, 0}}, 1, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, NSC_DRIVE_NONE, 0, 0}};

/* A DISTANCE joint without limit, spring and drive holds nothing, but its bodies do not collide: so robot.py excludes pairs. */
static void an_exclusion_holds_nothing(void)
{
    nsc_robot two = {"two", 0, 2, 0, 2, 0, two_links, apart, two_shapes, NULL, 0, 0, NULL, NULL, 0, NULL};
    nsc_id ids[2], joints[1];
    nsc_vec3 v;
    int with, i;
    for (with = 0; with < 2; with++) {
        begin();
        two.joints = with;
        CHECK(nsc_robot_add(&world, &two, place(0, 0, 0), ids, joints) == NSC_OK);
        nsc_body_set_velocity(&world, ids[1], vec(0.5, 0, 0), vec(0, 0, 0));
        for (i = 0; i < 10; i++) CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
        CHECK(nsc_world_report(&world)->contacts == (with ? 0 : 1));
        nsc_body_get_velocity(&world, ids[1], &v, NULL);
        if (with) CHECK_NEAR(v.x, 0.5, 1e-6);
    }
}

/* A state's full turns are those of its own joint, whatever joint stands next to it in the table. */
static void full_turns_of_a_state_reach_their_joint(void)
{
    static const nsc_pose poses[3] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{1, 0, 0}, {1, 0, 0, 0}}, {{2, 0, 0}, {1, 0, 0, 0}}};
    static const nsc_real turns = NSC_R(12.566370614359172);
    nsc_robot_joint_def table[2];
    nsc_robot_state_def state = {"turned twice", poses, NULL, NULL, NULL};
    nsc_robot_link_def three_links[3] = {two_links[0], two_links[1], two_links[1]};
    nsc_robot three = {"three", 0, 3, 2, 0, 0, three_links, table, NULL, NULL, 1, 0, &state, NULL, 0, NULL};
    nsc_id ids[3], joints[2];
    nsc_real want[2], got[2];
    int hinge;
    three_links[2].pose = poses[2];
    for (hinge = 0; hinge < 2; hinge++) {
        table[0] = table[1] = apart[0];
        table[1 - hinge].parent = 1, table[1 - hinge].child = 2;
        table[hinge].name = "hinge", table[hinge].kind = NSC_JOINT_HINGE, table[hinge].frame_a.position.x = 1;
        want[hinge] = turns, want[1 - hinge] = 0;
        state.position = want;
        begin();
        CHECK(nsc_robot_add(&world, &three, place(0, 0, 0), ids, joints) == NSC_OK);
        CHECK(nsc_robot_set_state(&world, &three, place(0, 0, 0), 0, ids, joints) == NSC_OK);
        CHECK(nsc_robot_get_state(&world, &three, joints, got, NULL, NULL) == NSC_OK);
        CHECK_NEAR(got[hinge], turns, 1e-5);
    }
}

/* A hinge on the ground stands where the base says; its body collides with what collides with it, if the table says so. */
static void a_joint_on_the_ground_goes_with_the_base(void)
{
    nsc_robot_joint_def hinge = apart[0];
    nsc_robot two = {"two", 0, 2, 1, 2, 0, two_links, NULL, two_shapes, NULL, 0, 0, NULL, NULL, 0, NULL};
    nsc_id ids[2], joints[1];
    nsc_pose base = place(5, 6, 7);
    nsc_joint_def d;
    base.orientation.w = base.orientation.z = (nsc_real)sqrt(0.5);
    hinge.kind = NSC_JOINT_HINGE;
    hinge.parent = -1;
    hinge.frame_a.position.x = 1; /* where link b is */
    hinge.collide = 1;
    two.joint = &hinge;
    begin();
    CHECK(nsc_robot_add(&world, &two, base, ids, joints) == NSC_OK);
    check_axis(joints[0], 5, 7, 7, 0, 0, 1);
    CHECK(nsc_joint_get_def(&world, joints[0], &d) == NSC_OK && d.collide == 1 && d.body_a == NSC_GROUND);
    check_drift(joints, 1);
}

/* One entry of a table is spoilt at a time.  The world has another body, which goes on as if nothing had been asked. */
static void what_is_refused_leaves_nothing(void)
{
    enum { CASES = 19 };
    static nsc_robot_link_def links[arm_LINKS];
    static nsc_robot_joint_def joints[arm_JOINTS];
    static nsc_robot_shape_def shapes[16];
    static nsc_hull bent;
    int trial, i, gear = nsc_robot_joint(&arm, "equality right_turn left_turn");
    const nsc_real none = NSC_R(0.0);
    CHECK(gear == arm_JOINTS - 1);
    for (trial = 0; trial < CASES; trial++) {
        nsc_robot bad = arm;
        nsc_body_def ball = nsc_default_body_def();
        nsc_shape_def sphere = nsc_default_sphere_def(1);
        nsc_id id, held[NSC_MAX_BODIES];
        int code, expected = NSC_ERR_ARGUMENT, n = 0;
        nsc_pose base = place(0, 0, 0), p, q;
        memcpy(links, arm_links, sizeof arm_links);
        memcpy(joints, arm_joints, sizeof arm_joints);
        memcpy(shapes, arm_shapes, sizeof arm_shapes);
        bad.link = links;
        bad.joint = joints;
        bad.shape = shapes;
        begin();
        ball.pose.position.z = 30;
        id = nsc_world_add_body(&world, &ball);
        nsc_world_add_shape(&world, id, &sphere);
        if (trial == 0) bad.link = NULL;
        if (trial == 1) bad.links = 0;
        if (trial == 2) bad.joint = NULL;
        if (trial == 3) bad.shape = NULL;
        if (trial == 4) shapes[3].link = arm_LINKS;
        if (trial == 5) shapes[3].link = -1;
        if (trial == 6) joints[1].child = arm_LINKS;
        if (trial == 7) joints[1].parent = -2;
        if (trial == 8) joints[1].child = -1;
        if (trial == 9) joints[gear].child = gear; /* itself */
        if (trial == 10) joints[gear].parent = -1;
        if (trial == 11) links[5].mass = -1;
        if (trial == 12) links[5].inertia[0] = 1, expected = NSC_ERR_INERTIA;
        if (trial == 13) shapes[6].hull = NULL;
        if (trial == 14) {
            bent = arm_hull0;
            bent.vertex[0].x = NSC_R(0.1);
            shapes[7].hull = &bent;
        }
        if (trial == 15) joints[4].upper = -1;
        if (trial == 16) joints[3].kind = 77;
        if (trial == 17) links[3].pose.position.x = 1 / none, expected = NSC_ERR_NOT_FINITE;
        if (trial == 18) {
            for (i = 0; i < NSC_MAX_BODIES; i++) {
                nsc_id made = nsc_world_add_body(&world, &ball);
                if (made >= 0) held[n++] = made;
            }
            for (i = 0; i < 3; i++) nsc_world_remove_body(&world, held[--n]);
            expected = NSC_ERR_CAPACITY;
        }
        memcpy(&other, &world, sizeof world);
        code = nsc_robot_add(&world, &bad, base, part, axle);
        CHECK(code == expected);
        if (trial != 18) {
            int bodies = 0, shapes_left = 0;
            for (i = 0; i < NSC_MAX_BODIES; i++) bodies += nsc_world_body_at(&world, i) >= 0;
            for (i = 0; i < NSC_MAX_SHAPES; i++) shapes_left += nsc_world_shape_at(&world, i) >= 0;
            CHECK(bodies == 2 && shapes_left == 1); /* the ground and the ball */
        }
        if (trial >= 4)
            for (i = 0; i < arm_LINKS; i++) CHECK(part[i] < 0);
        if (trial >= 4)
            for (i = 0; i < arm_JOINTS; i++) CHECK(axle[i] < 0);
        if (trial == 12) CHECK(part[5] == NSC_ERR_INERTIA && strcmp(nsc_world_last_refusal(&world).field, "inertia") == 0);
        if (trial == 15) CHECK(axle[4] == NSC_ERR_ARGUMENT && axle[3] == NSC_ERR_HANDLE);
        if (trial == 14) CHECK(part[5] == NSC_ERR_ARGUMENT && part[4] == NSC_ERR_HANDLE);
        if (trial == 18) continue;
        for (i = 0; i < 20; i++) {
            CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
            CHECK(nsc_world_step(&other, NSC_R(0.01)) == NSC_OK);
        }
        CHECK(nsc_body_get_pose(&world, id, &p) == NSC_OK && nsc_body_get_pose(&other, id, &q) == NSC_OK);
        CHECK(memcmp(&p, &q, sizeof p) == 0);
        CHECK(nsc_robot_add(&world, &arm, base, part, axle) == NSC_OK); /* there is room as before */
    }
    begin();
    CHECK(nsc_robot_add(NULL, &arm, place(0, 0, 0), part, axle) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_add(&world, NULL, place(0, 0, 0), part, axle) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_add(&world, &arm, place(0, 0, 0), NULL, axle) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_add(&world, &arm, place(0, 0, 0), part, NULL) == NSC_ERR_ARGUMENT);
}

/* Two at once: their handles are their own. */
static void two_robots_share_a_world(void)
{
    nsc_id twin[quadruped_LINKS], hinges[quadruped_JOINTS];
    nsc_pose p;
    begin();
    CHECK(nsc_robot_add(&world, &quadruped, place(0, 0, 1), body, joint) == NSC_OK);
    CHECK(nsc_robot_add(&world, &quadruped, place(2, 0, 1), twin, hinges) == NSC_OK);
    CHECK(nsc_body_get_pose(&world, twin[0], &p) == NSC_OK);
    CHECK_NEAR(p.position.x, 2, eps);
    CHECK(nsc_body_get_pose(&world, body[0], &p) == NSC_OK);
    CHECK_NEAR(p.position.x, 0, eps);
    CHECK_NEAR(position(hinges[11]), 0, 8 * eps);
}

/* ---- the crab: bodies with several joints, states, sensors, a gear by a wheel */

static nsc_id shell[crab_LINKS], claw[crab_JOINTS];

static nsc_vec3 sum(nsc_vec3 a, nsc_vec3 b) { return vec((double)a.x + (double)b.x, (double)a.y + (double)b.y, (double)a.z + (double)b.z); }
static nsc_vec3 minus(nsc_vec3 a, nsc_vec3 b) { return vec((double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z); }
static nsc_vec3 x(nsc_vec3 a, nsc_vec3 b)
{
    return vec((double)a.y * (double)b.z - (double)a.z * (double)b.y, (double)a.z * (double)b.x - (double)a.x * (double)b.z,
               (double)a.x * (double)b.y - (double)a.y * (double)b.x);
}
static nsc_vec3 about_x(double q, nsc_vec3 v)
{
    return vec((double)v.x, cos(q) * (double)v.y - sin(q) * (double)v.z, sin(q) * (double)v.y + cos(q) * (double)v.z);
}
static nsc_vec3 about_y(double q, nsc_vec3 v)
{
    return vec(cos(q) * (double)v.x + sin(q) * (double)v.z, (double)v.y, -sin(q) * (double)v.x + cos(q) * (double)v.z);
}

static void check_vec(const nsc_real *got, nsc_vec3 v, double near)
{
    CHECK_NEAR(got[0], v.x, near);
    CHECK_NEAR(got[1], v.y, near);
    CHECK_NEAR(got[2], v.z, near);
}

static void read_three(const char *name, nsc_real *value)
{
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, name), value) == 3);
}

static void put_crab(const char *state, nsc_pose base)
{
    begin();
    CHECK(nsc_robot_add(&world, &crab, base, shell, claw) == NSC_OK);
    CHECK(nsc_robot_set_state(&world, &crab, base, nsc_robot_state(&crab, state), shell, claw) == NSC_OK);
}

/* Positions and rates as the keyframes of crab.xml name them, of a base that is turned by a quarter about z */
static void states_are_those_of_the_file(void)
{
    static const char *const names[11] = {"along", "up", "lean", "roll", "pitch", "turn", "push", "neck_x", "neck_y", "neck_z", "left_slide"};
    static const double bent[11] = {0.3, 1.5, 0.4, 0.6, -0.2, 7, 0.05, 0.2, -0.3, 0.4, 0.01};
    static const double swung[11] = {0.3, 1.5, 0.4, -2, 0.9, 0.5, -0.1, 0, 0, 0, 0.02};
    static const double rates[11] = {0.5, -0.6, 0.7, 0.8, -0.9, 1, -1.1, 1.2, 1.3, -1.4, 0.05};
    nsc_real q[crab_JOINTS], v[crab_JOINTS];
    nsc_pose base = place(3, 2, 1), p, off, kept;
    nsc_joint_def d;
    int twice, i, k;
    base.orientation.w = base.orientation.z = (nsc_real)sqrt(0.5);
    for (twice = 0; twice < 2; twice++)
        for (k = 0; k < 2; k++) {
            put_crab(k ? "swung" : "bent", base);
            if (twice) { /* from a state far off, after steps */
                for (i = 0; i < 5; i++) CHECK(nsc_world_step(&world, NSC_R(0.001)) == NSC_OK);
                CHECK(nsc_robot_set_state(&world, &crab, base, k, shell, claw) == NSC_OK);
            }
            CHECK(nsc_robot_get_state(&world, &crab, claw, q, v, NULL) == NSC_OK);
            for (i = 0; i < 11; i++) {
                CHECK_NEAR(q[nsc_robot_joint(&crab, names[i])], k ? swung[i] : bent[i], 50 * eps);
                CHECK_NEAR(v[nsc_robot_joint(&crab, names[i])], k ? rates[i] : 0, 50 * eps);
            }
            check_drift(claw, crab_JOINTS - 2); /* the last two are gears */
            CHECK(nsc_body_get_pose(&world, shell[0], &p) == NSC_OK);
            CHECK_NEAR(p.position.x, 3, 50 * eps);
            CHECK_NEAR(p.position.y, 2 + 0.3 - 0.1 * sin(0.4), 50 * eps);
            CHECK_NEAR(p.position.z, 1 + 1.6 - 0.1 * cos(0.4), 50 * eps);
            CHECK(nsc_joint_get_def(&world, claw[nsc_robot_joint(&crab, "roll")], &d) == NSC_OK && d.kind == NSC_JOINT_UNIVERSAL);
            CHECK_NEAR(d.axis[0].target, k ? 0 : 0.7, eps);
        }
    CHECK(crab.joint[nsc_robot_joint(&crab, "pitch")].kind == NSC_ROBOT_AXIS);
    CHECK(claw[nsc_robot_joint(&crab, "pitch")] == claw[nsc_robot_joint(&crab, "roll")]);
    CHECK(d.axis[0].limited && !d.axis[1].limited && d.axis[0].drive == NSC_DRIVE_SERVO && d.axis[1].drive == NSC_DRIVE_NONE);
    CHECK_NEAR(d.axis[0].lower, -4, eps);
    CHECK(nsc_robot_set_targets(&world, &crab, claw, q, v) == NSC_OK);
    CHECK(nsc_joint_get_def(&world, claw[nsc_robot_joint(&crab, "roll")], &d) == NSC_OK);
    CHECK_NEAR(d.axis[1].target, 0.9, 50 * eps);
    CHECK(nsc_joint_get_def(&world, claw[nsc_robot_joint(&crab, "lean")], &d) == NSC_OK && d.kind == NSC_JOINT_PLANAR);
    CHECK_NEAR(d.axis[2].armature, 0.02, eps);
    CHECK_NEAR(d.axis[2].spring_damping, 0.1, eps);
    CHECK(nsc_joint_get_def(&world, claw[nsc_robot_joint(&crab, "push")], &d) == NSC_OK && d.kind == NSC_JOINT_CYLINDRICAL);
    CHECK(nsc_robot_set_state(&world, &crab, base, 2, shell, claw) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_set_state(&world, &crab, base, -1, shell, claw) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_set_state(&world, &crab, base, 0, NULL, claw) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_set_state(&world, &crab, base, 0, shell, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_set_state(NULL, &crab, base, 0, shell, claw) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_get_pose(&world, shell[1], &p) == NSC_OK);
    off = base; /* rounded to four digits, it is taken where it was added so */
    off.orientation.w = off.orientation.z = NSC_R(0.7071);
    begin();
    CHECK(nsc_robot_add(&world, &crab, off, shell, claw) == NSC_OK);
    CHECK(nsc_robot_set_state(&world, &crab, off, 0, shell, claw) == NSC_OK);
    put_crab("bent", base);
    CHECK(nsc_body_get_pose(&world, shell[1], &p) == NSC_OK);
    off.position.x = (nsc_real)NAN;
    CHECK(nsc_robot_set_state(&world, &crab, off, 0, shell, claw) == NSC_ERR_NOT_FINITE);
    off = base;
    off.position.x += NSC_R(0.001); /* a joint to the ground keeps its place there */
    CHECK(nsc_robot_set_state(&world, &crab, off, 0, shell, claw) == NSC_ERR_ARGUMENT);
    off = base;
    off.orientation.w = (nsc_real)cos(0.7854), off.orientation.z = (nsc_real)sin(0.7854 + 1e-4);
    CHECK(nsc_robot_set_state(&world, &crab, off, 0, shell, claw) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_get_pose(&world, shell[1], &kept) == NSC_OK && memcmp(&p, &kept, sizeof p) == 0);
    CHECK(nsc_world_remove_joint(&world, claw[nsc_robot_joint(&crab, "along")]) == NSC_OK);
    CHECK(nsc_robot_set_state(&world, &crab, base, 1, shell, claw) == NSC_ERR_HANDLE);
    CHECK(nsc_body_get_pose(&world, shell[1], &kept) == NSC_OK && memcmp(&p, &kept, sizeof p) == 0);
    CHECK(nsc_robot_state(&crab, "none") == NSC_ERR_ARGUMENT && nsc_robot_state(NULL, "bent") == NSC_ERR_ARGUMENT);
    nsc_world_remove_body(&world, shell[3]);
    CHECK(nsc_robot_set_state(&world, &crab, base, 0, shell, claw) == NSC_ERR_HANDLE);
}

/* A link that is driven gets its velocity, too; one that does not move gets none. */
static void driven_links_move_as_their_state_says(void)
{
    nsc_robot_link_def link[2];
    nsc_robot_state_def state;
    nsc_robot sled;
    nsc_pose pose[2], base = place(1, 0, 0);
    nsc_vec3 moves[4], v, w;
    int i;
    memset(link, 0, sizeof link), memset(&state, 0, sizeof state), memset(&sled, 0, sizeof sled), memset(moves, 0, sizeof moves);
    pose[0] = pose[1] = place(0, 0, 0);
    pose[1].position.z = 1;
    link[0].kind = NSC_STATIC_BODY, link[1].kind = NSC_KINEMATIC_BODY;
    for (i = 0; i < 2; i++) link[i].name = "link", link[i].pose = pose[i];
    moves[0] = moves[2] = vec(1, 2, 3), moves[3] = vec(0, 0, 0.5);
    sled.name = "sled", sled.links = 2, sled.link = link, sled.states = 1, sled.state = &state;
    state.name = "off", state.pose = pose, state.velocity = moves;
    begin();
    CHECK(nsc_robot_add(&world, &sled, base, body, NULL) == NSC_OK);
    CHECK(nsc_robot_set_state(&world, &sled, base, 0, body, NULL) == NSC_OK);
    CHECK(nsc_body_get_velocity(&world, body[1], &v, &w) == NSC_OK);
    CHECK_NEAR(v.x, 1, eps), CHECK_NEAR(v.y, 2, eps), CHECK_NEAR(v.z, 3, eps), CHECK_NEAR(w.z, 0.5, eps);
    CHECK(nsc_body_get_velocity(&world, body[0], &v, &w) == NSC_OK);
    CHECK_NEAR(v.x, 0, 0);
}

/* Against the kinematics of the file, by arithmetic of the test's own */
static void sensors_tell_what_is(void)
{
    nsc_vec3 anchor = vec(0.3, 0, 1.6), hip, leg, toe, spin, leg_spin, speed, force, torque, point;
    nsc_real got[4], own[4];
    nsc_quat turn, back;
    nsc_joint_def d;
    nsc_pose p;
    nsc_id roll;
    put_crab("swung", place(0, 0, 0));
    hip = sum(anchor, about_y(0.4, vec(0.2, 0, -0.1)));
    leg = about_y(0.4, about_x(-2.25, about_y(1.4, vec(0, 0, -0.33))));
    toe = sum(hip, leg);
    spin = vec(0, 0.7, 0);
    leg_spin = sum(spin, about_y(0.4, sum(vec(0.8, 0, 0), about_x(-2.25, vec(0, -0.9, 0)))));
    speed = sum(sum(vec(0.5, 0, -0.6), x(spin, minus(hip, anchor))), x(leg_spin, leg));
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, "roll_angle"), got) == 1);
    CHECK_NEAR(got[0], -2, 50 * eps);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, "pitch_rate"), got) == 1);
    CHECK_NEAR(got[0], -0.9, 50 * eps);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, "toe_turn"), got) == 4);
    turn.w = got[0], turn.x = got[1], turn.y = got[2], turn.z = got[3];
    back = turn;
    back.x = -turn.x, back.y = -turn.y, back.z = -turn.z;
    own[0] = turned(turn, vec(cos(0.5), -sin(0.5), 0)).x;  /* the leg's own x axis */
    own[1] = turned(turn, vec(cos(0.5), -sin(0.5), 0)).y;
    own[2] = turned(turn, vec(cos(0.5), -sin(0.5), 0)).z;
    check_vec(own, about_y(0.4, about_x(-2.25, about_y(1.4, vec(1, 0, 0)))), 50 * eps);
    read_three("toe_place", got);
    check_vec(got, toe, 50 * eps);
    read_three("toe_speed", got);
    check_vec(got, speed, 50 * eps);
    read_three("toe_spin", got);
    check_vec(got, leg_spin, 50 * eps);
    read_three("toe_own", got);
    check_vec(got, turned(back, speed), 50 * eps);
    read_three("toe_gyro", got);
    check_vec(got, turned(back, leg_spin), 50 * eps);
    CHECK(nsc_world_step(&world, NSC_R(0.001)) == NSC_OK);
    roll = claw[nsc_robot_joint(&crab, "roll")];
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, "toe_turn"), got) == 4);
    back.w = got[0], back.x = -got[1], back.y = -got[2], back.z = -got[3];
    read_three("toe_place", own);
    CHECK(nsc_joint_get_force(&world, roll, &force, &torque) == NSC_OK);
    CHECK(nsc_joint_get_def(&world, roll, &d) == NSC_OK && nsc_body_get_pose(&world, d.body_b, &p) == NSC_OK);
    point = sum(p.position, turned(p.orientation, d.frame_b.position));
    read_three("toe_force", got);
    check_vec(got, turned(back, force), 1e-4); /* on the leg: as MuJoCo tells */
    CHECK(fabs((double)got[0]) + fabs((double)got[1]) + fabs((double)got[2]) > 0.1);
    read_three("toe_torque", got);
    check_vec(got, turned(back, sum(torque, x(minus(point, vec((double)own[0], (double)own[1], (double)own[2])), force))), 1e-4);
#if NSC_IMU
    {
        const nsc_robot_sensor_def *s = &crab.sensor[nsc_robot_sensor(&crab, "toe_felt")];
        nsc_vec3 felt;
        CHECK(nsc_body_get_imu(&world, shell[s->index], s->pose, &felt, NULL) == NSC_OK);
        read_three("toe_felt", got);
        check_vec(got, felt, 0);
    }
#else
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, "toe_felt"), got) == NSC_ERR_ARGUMENT);
#endif
    CHECK(nsc_robot_sensor(&crab, "toe_touch") == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, crab.sensors, got) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, -1, got) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, 0, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_read(&world, &crab, NULL, claw, 0, got) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_read(&world, &crab, shell, NULL, 0, got) == NSC_ERR_ARGUMENT);
    CHECK(nsc_robot_read(NULL, &crab, shell, claw, 0, got) == NSC_ERR_ARGUMENT);
    nsc_world_remove_body(&world, shell[crab.sensor[3].index]);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, 3, got) == NSC_ERR_HANDLE);
}

/* A sensor of what the robot does not have, or of what was removed, is refused, and writes nothing. */
static void sensors_of_nothing_are_refused(void)
{
    static const struct {
        const char *name;
        int kind, index, joint, code;
    } bad[] = {
        {"roll_angle", NSC_ROBOT_JOINT_POSITION - 1, 0, 0, NSC_ERR_ARGUMENT}, {"roll_angle", NSC_ROBOT_TORQUE + 1, 0, 0, NSC_ERR_ARGUMENT},
        {"roll_angle", NSC_ROBOT_JOINT_POSITION, -1, 0, NSC_ERR_ARGUMENT}, {"roll_angle", NSC_ROBOT_JOINT_VELOCITY, crab_JOINTS, 0, NSC_ERR_ARGUMENT},
        {"toe_place", NSC_ROBOT_PLACE, -1, 0, NSC_ERR_ARGUMENT}, {"toe_place", NSC_ROBOT_PLACE, crab_LINKS, 0, NSC_ERR_ARGUMENT},
        {"toe_force", NSC_ROBOT_FORCE, 0, -1, NSC_ERR_ARGUMENT}, {"toe_torque", NSC_ROBOT_TORQUE, 0, crab_JOINTS, NSC_ERR_ARGUMENT}};
    static nsc_robot_joint_def joints[crab_JOINTS];
    nsc_robot odd = crab;
    nsc_robot_sensor_def sensor;
    nsc_real got[4] = {-7, -7, -7, -7};
    int i, roll = nsc_robot_joint(&crab, "roll"), toe = nsc_robot_sensor(&crab, "toe_force");
    put_crab("bent", place(0, 0, 0));
    odd.sensor = &sensor, odd.sensors = 1;
    for (i = 0; i < (int)(sizeof bad / sizeof *bad); i++) {
        CASE("%s %d", bad[i].name, i);
        sensor = crab.sensor[nsc_robot_sensor(&crab, bad[i].name)];
        sensor.kind = bad[i].kind, sensor.index = bad[i].index, sensor.joint = bad[i].joint;
        CHECK(nsc_robot_read(&world, &odd, shell, claw, 0, got) == bad[i].code);
    }
    CASE_END();
    sensor = crab.sensor[toe];
    CHECK(nsc_robot_read(&world, &odd, shell, claw, 0, got) == 3);
    CHECK(nsc_robot_read(&world, &odd, shell, NULL, 0, got) == NSC_ERR_ARGUMENT);
    got[0] = got[1] = got[2] = -7;
    memcpy(joints, crab_joints, sizeof crab_joints); /* a joint that has no axis has no position */
    joints[roll].kind = NSC_JOINT_FIXED;
    odd.joint = joints;
    sensor = crab.sensor[nsc_robot_sensor(&crab, "roll_angle")];
    CHECK(sensor.index == roll);
    CHECK(nsc_robot_read(&world, &odd, shell, claw, 0, got) < 0);
    odd.joint = crab.joint;
    CHECK(nsc_world_remove_joint(&world, claw[roll]) == NSC_OK);
    CHECK(nsc_robot_read(&world, &odd, shell, claw, 0, got) == NSC_ERR_HANDLE);
    sensor = crab.sensor[toe];
    sensor.joint = roll;
    CHECK(nsc_robot_read(&world, &odd, shell, claw, 0, got) == NSC_ERR_HANDLE);
    for (i = 0; i < 4; i++) CHECK_NEAR(got[i], -7, 0);
}

/* A motor moves one finger, the wheel the other one as far; the hand, which falls, feels nothing of it.  By NEWTON: sweeps are slow
   where a light wheel is between heavy fingers. */
#ifdef NSC_NEWTON_H
static void fingers_on_a_hand_that_moves_go_together(void)
{
    int left = nsc_robot_joint(&crab, "left_slide"), right = nsc_robot_joint(&crab, "right_slide"), i;
    double mass = 8 * 0.01 * 0.01 * 0.04 * 1000, t = 0.05, way;
    nsc_real q[crab_JOINTS], got;
    nsc_vec3 v, w;
    put_crab("bent", place(0, 0, 0));
    stepped_by = NSC_SOLVER_NEWTON;
    CHECK(nsc_joint_set_force(&world, claw[left], 0, 1) == NSC_OK);
    for (i = 0; i < 50; i++) CHECK(step_by(&world, NSC_R(0.001)) == NSC_OK);
    CHECK(nsc_robot_get_state(&world, &crab, claw, q, NULL, NULL) == NSC_OK);
    way = 0.5 * t * (t + 0.001) / (2 * mass);
    CHECK_NEAR((double)q[left] - 0.01, way, 3e-3 * way);
    CHECK_NEAR(q[right], q[left], 1e-5);
    CHECK(nsc_body_get_velocity(&world, shell[nsc_robot_link(&crab, "hand")], &v, &w) == NSC_OK);
    CHECK_NEAR(v.y, 0, 2e-4);
    CHECK_NEAR(w.x, 0, 2e-3);
    CHECK(nsc_robot_read(&world, &crab, shell, claw, nsc_robot_sensor(&crab, "grip_force"), &got) == 1);
    CHECK_NEAR(got, 0.5, 1e-6); /* of a gear of 2 */
}
#endif

/* An entry for an axis must be of a joint before it, of a kind that has it. */
static void an_axis_needs_its_joint(void)
{
    static nsc_robot_joint_def joints[crab_JOINTS];
    int pitch = nsc_robot_joint(&crab, "pitch"), trial;
    nsc_real q[crab_JOINTS];
    for (trial = 0; trial < 7; trial++) {
        nsc_robot bad = crab;
        memcpy(joints, crab_joints, sizeof crab_joints);
        bad.joint = joints;
        if (trial == 0) joints[pitch].parent = -1;
        if (trial == 1) joints[pitch].parent = pitch;
        if (trial == 2) joints[pitch].parent = pitch - 2; /* an axis itself */
        if (trial == 3) joints[pitch].child = 0;
        if (trial == 4) joints[pitch].child = 2;
        if (trial == 5) joints[pitch].child = -7;
        if (trial == 6) joints[pitch - 1].kind = NSC_JOINT_HINGE;
        begin();
        CHECK(nsc_robot_add(&world, &bad, place(0, 0, 0), shell, claw) == NSC_ERR_ARGUMENT);
        CHECK(claw[0] == NSC_ERR_HANDLE && claw[pitch] == NSC_ERR_ARGUMENT);
        CHECK(nsc_world_body_at(&world, 1) < 0);
    }
    put_crab("bent", place(0, 0, 0));
    nsc_world_remove_joint(&world, claw[pitch]);
    CHECK(nsc_robot_get_state(&world, &crab, claw, q, NULL, NULL) == NSC_ERR_HANDLE);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    states_are_those_of_the_file();
    driven_links_move_as_their_state_says();
    sensors_tell_what_is();
    sensors_of_nothing_are_refused();
#ifdef NSC_NEWTON_H
    fingers_on_a_hand_that_moves_go_together();
#endif
    an_axis_needs_its_joint();
    the_quadruped_has_the_masses_of_its_file();
    its_joints_stand_where_the_file_says();
    the_base_takes_all_along();
    names_are_found();
    it_stands();
    it_stands_with_four_sweeps();
    a_fixed_base_stays();
    the_arm_weighs_what_its_geoms_do();
    its_axes_count_as_in_the_file();
    its_filters_are_those_of_the_file();
    the_arm_moves();
    an_exclusion_holds_nothing();
    full_turns_of_a_state_reach_their_joint();
    a_joint_on_the_ground_goes_with_the_base();
    what_is_refused_leaves_nothing();
    two_robots_share_a_world();
    return TEST_END("robot");
}
