/* Rolling friction: it slows, holds and stops spin as in closed form; contacts without room go without and are counted. */
#define NSC_MAX_BODIES 32
#define NSC_MAX_CONTACTS 128
#define NSC_MAX_ROLLING 16
#define NSC_ARENA NSC_ARENA_DANTZIG(120)
#define NSC_IMPLEMENTATION
#include "all.h"
#include <math.h>
#include <string.h>
#include "world.h"
#include "by.h"
#include "plain.h"

static void ground(void)
{
    nsc_shape_def d = nsc_default_half_space_def();
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &d) >= 0);
}

/* A ball of radius R whose contact resists rolling with a moment delta N slows by 5/7 delta/R g and holds on a slope
   with tan <= delta/R, in every direction; spinning about the normal it stops after (2/5) R^2 w / (delta g). */
static void rolling_friction_slows_holds_and_stops_spin(int solver, int law)
{
    nsc_world_def d = default_def();
    const double R = 0.1, delta = 0.004, g = 9.81;
    double vx, vy;
    nsc_shape_def ball = nsc_default_sphere_def((nsc_real)R);
    nsc_id a;
    nsc_vec3 v, o;
    int i, heading;
    double t, spin = 20, slope;
    stepped_by = solver, d.solver.law = law;
    d.solver.max_iterations = 200;
    ball.rolling = (nsc_real)delta, ball.torsion = (nsc_real)delta;
    for (heading = 0; heading < 3; heading++) {
        double angle = 0.3927 * heading, s, x = cos(angle), y = sin(angle);
        nsc_pose p;
        if (law == NSC_LAW_PYRAMID && heading > 0) break; /* up to sqrt(2) too strong across the diagonal */
        nsc_world_init(&world, &d);
        ground();
        a = lone_body(vec(0, 0, R), ball);
        nsc_body_set_velocity(&world, a, vec(x, y, 0), vec(-y / R, x / R, 0));
        for (i = 0; i < 480; i++) plain_steps(1, 1 / 240.0);
        nsc_body_get_velocity(&world, a, &v, &o);
        s = 1 - 5.0 / 7 * delta / R * g * 2;
        vx = (double)v.x, vy = (double)v.y;
        CHECK_NEAR(vx * x + vy * y, s, 2e-3);
        CHECK_NEAR(vy * x - vx * y, 0, 1e-4);
        for (i = 0; i < 720; i++) plain_steps(1, 1 / 240.0); /* 3.57 s to stand still */
        nsc_body_get_pose(&world, a, &p);
        nsc_body_get_velocity(&world, a, &v, &o);
        CHECK_NEAR((double)p.position.x * x + (double)p.position.y * y, 1 / (2 * 5.0 / 7 * delta / R * g), 5e-3);
        CHECK_NEAR(sqrt((double)(v.x * v.x + v.y * v.y)), 0, 1e-6);
    }
    nsc_world_init(&world, &d);
    ground();
    a = lone_body(vec(0, 0, R), ball);
    nsc_body_set_velocity(&world, a, vec(0, 0, 0), vec(0, 0, spin));
    t = 0.4 * R * R * spin / (delta * g);
    for (i = 0; i < (int)(0.5 * t * 240); i++) plain_steps(1, 1 / 240.0);
    nsc_body_get_velocity(&world, a, &v, &o);
    CHECK_NEAR(o.z, spin * (1 - (i / 240.0) / t), 0.02);
    for (; i < (int)(1.2 * t * 240) + 2; i++) plain_steps(1, 1 / 240.0);
    nsc_body_get_velocity(&world, a, &v, &o);
    CHECK_NEAR(o.z, 0, 1e-5);
    for (slope = 0.95; slope < 1.1; slope += 0.1) { /* tan = 0.95, 1.05 of delta / R */
        double angle = atan(slope * delta / R);
        if (law == NSC_LAW_PYRAMID) break;
        d.gravity = vec(g * sin(angle) * 0.6, g * sin(angle) * 0.8, -g * cos(angle));
        nsc_world_init(&world, &d);
        ground();
        a = lone_body(vec(0, 0, R), ball);
        plain_steps(480, 1 / 240.0);
        nsc_body_get_velocity(&world, a, &v, &o);
        if (slope < 1) CHECK_NEAR(sqrt((double)(v.x * v.x + v.y * v.y)), 0, 1e-5);
        else CHECK_NEAR(sqrt((double)(v.x * v.x + v.y * v.y)), 5.0 / 7 * 2 * (g * sin(angle) - delta / R * g * cos(angle)), 1e-3);
    }
}

static void rolling_without_room_is_counted(void)
{
    nsc_world_def d = default_def();
    nsc_shape_def ball = nsc_default_sphere_def((nsc_real)0.1);
    int i;
    nsc_world_init(&world, &d);
    ground();
    ball.rolling = (nsc_real)0.001;
    for (i = 0; i < 18; i++) lone_body(vec(i, 0, 0.1), ball);
    plain_steps(3, 1 / 240.0);
    CHECK(world.report.dropped_rolling == 2 && world.report.contacts == 18 && world.report.solver.status == NSC_OK);
    ball.rolling = -1;
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ball) == NSC_ERR_ARGUMENT);
    ball.rolling = (nsc_real)NAN;
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ball) == NSC_ERR_NOT_FINITE);
}

int main(void)
{
    rolling_friction_slows_holds_and_stops_spin(NSC_SOLVER_SIPGS, NSC_LAW_COULOMB);
    rolling_friction_slows_holds_and_stops_spin(NSC_SOLVER_APGD, NSC_LAW_COULOMB);
    rolling_friction_slows_holds_and_stops_spin(NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID);
    rolling_without_room_is_counted();
    return TEST_END("rolling");
}
