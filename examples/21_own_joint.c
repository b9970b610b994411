/* A hoist, which is no joint of nsc: a rope runs from a weight over a drum to a heavier one.  Two rows of our own say how the
   rope couples each weight to the drum; it can pull, not push.  The acceleration follows in closed form.
   Files: nsc.h, nsc_solvers.h, examples/kit/nsc_rows.h.
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 21_own_joint.c -lm */
#define NSC_MAX_ROWS 2 /* entries of nsc_calls.rows */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>
#include <stdio.h>

static nsc_world world;
static const nsc_real radius = NSC_R(0.2); /* of the drum [m] */

static nsc_id add(nsc_real mass, nsc_real inertia, nsc_real x, nsc_real gravity_scale)
{
    nsc_body_def body = nsc_default_body_def();
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
    body.pose.position.x = x;
    body.gravity_scale = gravity_scale;
    return nsc_world_add_body(&world, &body);
}

/* The rope from the drum to a weight at its side, 1: right, -1: left.  `out` of it has run off the drum since the start [m], and the
   weight hangs no lower: u = v_z + side radius w_y, of the weight and of the drum, is >= 0 where the rope is taut. */
static void rope(nsc_rows *rows, nsc_id drum, nsc_id weight, nsc_real side, nsc_real out)
{
    nsc_pose pose;
    nsc_body_get_pose(&world, weight, &pose);
    rows->body_a = drum; /* its axle is held, so the rope only turns it: no entry for its velocity */
    rows->body_b = weight;
    rows->count = 1;
    rows->J[0][4] = side * radius;
    rows->J[0][8] = 1;
    rows->error[0] = pose.position.z + out; /* [m]; above 0: slack */
    rows->limited[0] = 1;
    rows->lower[0] = 0;                     /* the force along J only lifts the weight */
    rows->upper[0] = (nsc_real)HUGE_VAL;
}

int main(void)
{
    const double g = 9.81, light = 2.0, heavy = 3.0, inertia = 0.02, h = 1.0 / 256.0, r = (double)radius;
    const double a = g * (heavy - light) / (heavy + light + inertia / (r * r)); /* of the weights [m/s^2] */
    nsc_world_def def = nsc_default_world_def();
    nsc_rows rows[2] = {{0}};
    nsc_calls calls = nsc_default_calls();
    nsc_id drum, left, right;
    nsc_vec3 spin, v;
    double turned = 0.0, worst = 0.0;
    int i;
    def.solver.max_iterations = 200;
    nsc_world_init(&world, &def);
    drum = add(NSC_R(1.0), (nsc_real)inertia, NSC_R(0.0), NSC_R(0.0));
    left = add((nsc_real)light, NSC_R(0.1), -radius, NSC_R(1.0));
    right = add((nsc_real)heavy, NSC_R(0.1), radius, NSC_R(1.0));
    calls.rows = rows;
    calls.row_count = 2;
    for (i = 1; i <= 256; i++) {
        rope(&rows[0], drum, left, NSC_R(-1.0), (nsc_real)(-r * turned));
        rope(&rows[1], drum, right, NSC_R(1.0), (nsc_real)(r * turned));
        if (nsc_world_step_with(&world, (nsc_real)h, &calls) < 0) return 1;
        nsc_body_get_velocity(&world, drum, NULL, &spin);
        nsc_body_get_velocity(&world, right, &v, NULL);
        turned += h * (double)spin.y;
        worst = fmax(worst, fabs((double)v.z + a * i * h));
        if (i % 64 == 0)
            printf("%.2f s: %.3f m/s, drum %.2f rad/s, rope pulls with %.2f N and %.2f N\n", i * h, -(double)v.z, (double)spin.y,
                   (double)rows[0].impulse[0] / h, (double)rows[1].impulse[0] / h);
    }
    printf("closed form: %.3f m/s, %.2f N, %.2f N\n", a, light * (g + a), heavy * (g - a));
    printf("a hoist, rope over a drum, by two rows of your own: the speed is off the closed form by %.1e m/s at most\n", worst);
    return !(worst < 1e-3 && fabs((double)rows[1].impulse[0] / h - heavy * (g - a)) < 0.01);
}
