/* Ten cubes of 1 kg: what each level carries.
   Files: nsc.h and nsc_solvers.h.
   cc -std=c99 -O2 -ffp-contract=off -I.. 03_stack.c -lm */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>
#include <stdio.h>

static nsc_world world;

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), cube = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    const nsc_step_report *report = nsc_world_report(&world);
    nsc_id id[10];
    double worst = 0.0;
    int i, k;
    cube.density = NSC_R(1.0);
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return 1;
    for (i = 0; i < 10; i++) {
        nsc_body_def body = nsc_default_body_def();
        body.pose.position.z = NSC_R(0.5) + (nsc_real)i;
        id[i] = nsc_world_add_body(&world, &body);
        if (nsc_world_add_shape(&world, id[i], &cube) < 0) return 1;
    }
    for (i = 0; i < 1200; i++)
        if (nsc_world_step(&world, NSC_R(1.0) / NSC_R(240.0)) < 0) return 1;
    printf("level   carries [N]   expected [N]\n");
    for (i = 0; i < 10; i++) {
        double force = 0.0;
        for (k = 0; k < nsc_world_contact_count(&world); k++) {
            const nsc_contact *c = nsc_world_contact(&world, k);
            if (c->body_b == id[i] && (i == 0 ? c->body_a == NSC_GROUND : c->body_a == id[i - 1])) force += (double)c->impulse.z;
            if (c->body_a == id[i] && (i == 0 ? c->body_b == NSC_GROUND : c->body_b == id[i - 1])) force -= (double)c->impulse.z;
        }
        printf("%5d   %11.4f   %12.4f\n", i, force * 240.0, 9.81 * (10 - i));
        worst = fmax(worst, fabs(force * 240.0 - 9.81 * (10 - i)));
    }
    printf("%d contacts, residual %.2g m/s, %s\n", report->contacts, (double)report->solver.residual,
           nsc_error_text(report->solver.status));
    printf("ten cubes stand: each level carries the weight above it to %.4f N of %.1f N; they sink in by %.0f um\n", worst, 98.1,
           1e6 * (double)report->penetration);
    return worst > 0.01;
}
