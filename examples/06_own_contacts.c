/* Own collision detection, own integration.  A ball slides on a plane until it rolls.
   Files: nsc_solvers.h alone.
   cc -std=c99 -O2 -ffp-contract=off -I.. 06_own_contacts.c -lm */
#define NSC_IMPLEMENTATION
#include "nsc_solvers.h"
#include <stdio.h>

int main(void)
{
    const nsc_real radius = NSC_R(0.1), mass = NSC_R(1.0), h = NSC_R(0.001), mu = NSC_R(0.2);
    nsc_real inertia = NSC_R(0.4) * mass * radius * radius, z = radius, x = NSC_R(0.0);
    static nsc_mass masses[2];            /* 0: the ground, all zeros; 1: the ball */
    static nsc_real v_free[12], v[12];    /* v_x v_y v_z w_x w_y w_z of each */
    static nsc_block contact;
    static nsc_problem problem;
    nsc_settings settings = nsc_default_settings();
    nsc_report report;
    int i, k;

    masses[1].inv_mass = NSC_R(1.0) / mass;
    for (i = 0; i < 3; i++) masses[1].inv_inertia[i] = NSC_R(1.0) / inertia;
    problem.body_count = 2;
    problem.masses = masses;
    problem.v_free = v_free;
    problem.v = v;
    problem.block_count = 1;
    problem.blocks = &contact;
    contact.b = 1; /* a = 0: the normal points from the ground to the ball */
    contact.kind = NSC_BLOCK_CONTACT;
    contact.rows = 3;
    contact.mu = mu;
    contact.J[0][8] = NSC_R(1.0);                           /* normal z */
    contact.J[1][6] = NSC_R(1.0), contact.J[1][10] = -radius; /* tangent x: v_x - r w_y */
    contact.J[2][7] = NSC_R(1.0), contact.J[2][9] = radius;   /* tangent y: v_y + r w_x */
    if (nsc_problem_prepare(&problem) < 0) return 1;

    v[6] = NSC_R(5.0);
    for (i = 0; i < 1000; i++) {
        for (k = 0; k < 12; k++) v_free[k] = v[k];
        v_free[8] -= NSC_R(9.81) * h;
        contact.bias[0] = (z - radius) / h;
        if (nsc_solve_sipgs(&problem, &settings, &report) < 0) return 1;
        x += h * v[6];
        z += h * v[8];
        if (i % 200 == 199)
            printf("t %.1f s: x %.3f m, v %.4f m/s, slip %.4f m/s, residual %.1e m/s\n", (i + 1) * 0.001, (double)x,
                   (double)v[6], (double)(v[6] - radius * v[10]), (double)report.residual);
    }
    if (nsc_problem_measure(&problem, NSC_LAW_CONE, &report) < 0) return 1; /* the same impulses, by another law */
    printf("they solve it by Coulomb's law; to Chrono's cone they are %.1e m/s off\n", (double)report.residual);
    printf("a ball by collision detection of your own slides until it rolls at 5/7 of its speed: %.4f m/s, expected %.4f\n",
           (double)v[6], 25.0 / 7.0);
    return v[6] > NSC_R(3.55) && v[6] < NSC_R(3.59) ? 0 : 1;
}
