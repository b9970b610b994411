/* TREE and joints that do not quite fit: four-bars whose hinges are not parallel, and doors whose second hinge is off the axis of the
   first, make no speed from nothing. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 5
#define NSC_MAX_JOINTS 5
#define NSC_MAX_JOINT_BLOCKS 20
#define NSC_ARENA 20000
#include "all.h"
#include "random.h"
#include "by.h"

static nsc_id ids[3];
static nsc_quat turned;

static nsc_vec3 seen(double x, double y, double z) { return nsci_rotate(turned, vec(x, y, z)); }

static void begin(void)
{
    nsc_world_def d = default_def();
    stepped_by = NSC_SOLVER_TREE;
    turned = any_turn();
    d.gravity = seen(0, 0, -9.81);
    CHECK_ONCE(nsc_world_init(&world, &d) == NSC_OK);
}

/* A rod between two points of the plane y = 0 */
static nsc_id rod(double x0, double z0, double x1, double z1)
{
    nsc_body_def d = nsc_default_body_def();
    double mass = uniform(0.5, 2);
    d.pose.position = seen((x0 + x1) / 2, 0, (z0 + z1) / 2);
    d.mass = REAL(mass);
    d.inertia[0] = d.inertia[1] = d.inertia[2] = REAL(mass * ((x1 - x0) * (x1 - x0) + (z1 - z0) * (z1 - z0)) / 12);
    return nsc_world_add_body(&world, &d);
}

/* A hinge about y, whose axis and point are off by up to so much */
static void hinge(nsc_id a, nsc_id b, nsc_vec3 at, double tilt, double off)
{
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
    double x = uniform(-tilt, tilt), y = uniform(-tilt, tilt);
    CHECK_ONCE(nsc_joint_place(&world, &d, at, seen(0, 1, 0), vec(0, 0, 0)) == NSC_OK);
    d.frame_a.position = plus(d.frame_a.position, any_vec(off));
    d.frame_a.orientation = nsci_quat_normalise(nsci_quat_mul(d.frame_a.orientation, quat(1, x, y, 0)));
    CHECK_ONCE(nsc_world_add_joint(&world, &d) > 0);
}

/* The highest speed of so many bodies in a second, within the limits of iterations, and none called solved that is not */
static double fastest(int bodies)
{
    double most = 0;
    int k, i;
    for (k = 0; k < 240; k++) {
        const nsc_report *r = &world.report.solver;
        CHECK_ONCE(step_by(&world, REAL(1 / 240.0)) >= 0);
        CHECK_ONCE(r->iterations <= world.def.solver.max_iterations);
        CHECK_ONCE(r->status != NSC_OK || (double)r->residual < 1e-3);
        for (i = 0; i < bodies; i++) {
            nsc_vec3 v, w;
            CHECK_ONCE(nsc_body_get_velocity(&world, ids[i], &v, &w) == NSC_OK);
            most = fmax(most, fmax(length(v), length(w)));
        }
    }
    return most;
}

static void four_bars_that_are_not_parallel(void)
{
    int tilt, n;
    seed = 11;
    for (tilt = -12; tilt <= -2; tilt += 2)
        for (n = 0; n < 4; n++) {
            double off = pow(10, tilt), x1 = uniform(-0.5, 0.5), z1 = uniform(-1, -0.5), x2 = uniform(0.8, 1.5), z2 = uniform(-1, -0.5), v;
            CASE("tilt of 1e%d, %d", tilt, n);
            begin();
            ids[0] = rod(0, 0, x1, z1), ids[1] = rod(x1, z1, x2, z2), ids[2] = rod(x2, z2, 1, 0);
            hinge(NSC_GROUND, ids[0], seen(0, 0, 0), off, 0);
            hinge(ids[0], ids[1], seen(x1, 0, z1), off, 0);
            hinge(ids[1], ids[2], seen(x2, 0, z2), off, 0);
            hinge(ids[2], NSC_GROUND, seen(1, 0, 0), off, 0);
            v = fastest(3);
            said("%g m/s", v);
            CHECK(v > 0.01 && v < 10);
        }
}

static void doors_on_two_hinges(void)
{
    int tilt, n;
    seed = 12;
    for (tilt = -12; tilt <= -2; tilt += 2)
        for (n = 0; n < 4; n++) {
            double off = pow(10, tilt), v;
            CASE("off by 1e%d, %d", tilt, n);
            begin();
            ids[0] = rod(0, 0, uniform(0.5, 1), uniform(-1, 1));
            hinge(NSC_GROUND, ids[0], seen(0, uniform(0, 1), 0), 0, 0);
            hinge(NSC_GROUND, ids[0], seen(0, uniform(-1, 0), 0), off, off);
            v = fastest(1);
            said("%g m/s", v);
            CHECK(v > 0.01 && v < 20);
        }
}

int main(int argc, char **argv)
{
    argc = test_begin(argc, argv);
    (void)argc;
    four_bars_that_are_not_parallel();
    doors_on_two_hinges();
    return TEST_END("tree misfits");
}
