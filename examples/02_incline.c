/* Coulomb's law: mu = 0.5 holds up to 26.565 degrees.
   Files: nsc.h and nsc_solvers.h.
   cc -std=c99 -O2 -ffp-contract=off -I.. 02_incline.c -lm */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>
#include <stdio.h>

static nsc_world world;

/* How far a box creeps or slides down the slope in ten seconds [m] */
static double slide(double degrees)
{
    double angle = degrees * 3.14159265358979 / 180.0;
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def slope = nsc_default_half_space_def(), shape = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.25));
    nsc_body_def body = nsc_default_body_def();
    nsc_pose before, after;
    nsc_id box;
    int i;
    def.gravity.x = (nsc_real)(9.81 * sin(angle)); /* tilting gravity tilts the slope */
    def.gravity.z = (nsc_real)(-9.81 * cos(angle));
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &slope) < 0) return -1.0;
    body.pose.position.z = NSC_R(0.25);
    box = nsc_world_add_body(&world, &body);
    if (nsc_world_add_shape(&world, box, &shape) < 0 || nsc_body_get_pose(&world, box, &before) < 0) return -1.0;
    for (i = 0; i < 2400; i++)
        if (nsc_world_step(&world, NSC_R(1.0) / NSC_R(240.0)) < 0) return -1.0;
    nsc_body_get_pose(&world, box, &after);
    return (double)(after.position.x - before.position.x);
}

int main(void)
{
    double stick = slide(26.5), slip = slide(26.6), a = 9.81 * (sin(0.46425758) - 0.5 * cos(0.46425758));
    printf("friction 0.5 on a slope, 10 s: at 26.5 degrees a box creeps %.2f um, at 26.6 it slides %.4f m (Coulomb's law: %.4f m)\n",
           stick * 1e6, slip, 0.5 * a * 100.0);
    return !(stick >= 0.0 && stick < 1e-6 && slip > 0.1);
}
