/* floor.h - a floor, boxes and balls, and a run of steps of 1/240 s, for tests of what changes how they move.
   Include it after nsc.h and by.h. */
#ifndef NSC_TEST_FLOOR_H
#define NSC_TEST_FLOOR_H
#include "world.h"

SHARED nsc_world_def settings;
static const double g = 9.81, h = 1 / 240.;

SHARED void begin(int solver)
{
    settings = default_def();
    stepped_by = solver;
    settings.solver.max_iterations = 200;
    settings.solver.tolerance = REAL(1e-6);
    CHECK(nsc_world_init(&world, &settings) == NSC_OK);
}

SHARED void change(void) { CHECK(nsc_world_set_def(&world, &settings) == NSC_OK); }

SHARED nsc_id body_at(double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position = vec(x, y, z);
    return nsc_world_add_body(&world, &d);
}

SHARED nsc_id box(double hx, double hy, double hz, double x, double y, double z)
{
    nsc_shape_def s = nsc_default_box_def(REAL(hx), REAL(hy), REAL(hz));
    nsc_id b = body_at(x, y, z);
    CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
    return b;
}

SHARED nsc_id ball(double r, double x, double y, double z)
{
    nsc_shape_def s = nsc_default_sphere_def(REAL(r));
    nsc_id b = body_at(x, y, z);
    CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
    return b;
}

SHARED nsc_id add_floor(void)
{
    nsc_shape_def s = nsc_default_half_space_def();
    return nsc_world_add_shape(&world, NSC_GROUND, &s);
}

SHARED void run(int steps)
{
    int i;
    for (i = 0; i < steps; i++) CHECK(step_by(&world, REAL(h)) == NSC_OK);
}
#endif
