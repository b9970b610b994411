/* A box and a ball fall on the ground.
   Files: nsc.h and nsc_solvers.h.
   cc -std=c99 -O2 -ffp-contract=off -I.. 01_drop.c -o drop -lm */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <stdio.h>

static nsc_world world;

static nsc_id drop(nsc_shape_def shape, nsc_real x, nsc_real z)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position.x = x;
    body.pose.position.z = z;
    id = nsc_world_add_body(&world, &body);
    return nsc_world_add_shape(&world, id, &shape) < 0 ? -1 : id;
}

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), ball_shape = nsc_default_sphere_def(NSC_R(0.1));
    nsc_id box, ball;
    int i;
    ground.restitution = NSC_R(0.6);
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return 1;
    box = drop(nsc_default_box_def(NSC_R(0.1), NSC_R(0.1), NSC_R(0.1)), NSC_R(0.0), NSC_R(1.0));
    ball = drop(ball_shape, NSC_R(1.0), NSC_R(1.0));
    printf("one world: %lu bytes, nothing else is ever used\n", (unsigned long)sizeof world);
    printf("  t [s]   box z [m]   ball z [m]\n");
    for (i = 0; i <= 480; i++) {
        nsc_pose a, b;
        if (nsc_body_get_pose(&world, box, &a) < 0 || nsc_body_get_pose(&world, ball, &b) < 0) return 1;
        if (i % 60 == 0) printf("%7.2f   %9.5f   %10.5f\n", i / 240.0, (double)a.position.z, (double)b.position.z);
        if (nsc_world_step(&world, NSC_R(1.0) / NSC_R(240.0)) < 0) return 1;
    }
    printf("a box and a ball fell from 1 m and rest on the ground: %d contacts, residual %.1e m/s\n", nsc_world_contact_count(&world),
           (double)nsc_world_report(&world)->solver.residual);
    return 0;
}
