/* The worst and the median step of each solver, one step between each pair of marks; prints "world SOLVER SCENE" after
   each.  Sixteen bodies at most: a stack of ten falls and is hit from the side by a heavy ball, and a quadruped whose
   servos are given new targets while it stands and walks.  Settings are the defaults, but for the last line's. */
#include "scenes.h"
#include <stdio.h>

static nsc_world world;

__attribute__((noinline)) void nsc_mark_begin(void);
__attribute__((noinline)) void nsc_mark_end(void);
void nsc_mark_begin(void) { __asm__ volatile(""); }
void nsc_mark_end(void) { __asm__ volatile(""); }

enum { STEPS = 160 };

static const struct {
    const char *name;
    nsc_solver *solve;
    int factorizations; /* 0: as many as the default */
} solvers[] = {{"SIPGS", nsc_solve_sipgs, 0},   {"APGD", nsc_solve_apgd, 0}, {"BB", nsc_solve_bb, 0},
               {"ADMM", nsc_solve_admm, 0},     {"NEWTON", nsc_solve_newton, 0},
               {"AUTO", nsc_solve_auto, 0},     {"AUTO-120", nsc_solve_auto, 120}};

static void falling_stack(nsc_world *w)
{
    int i;
    scene_stack(w);
    for (i = 1; i < 11; i++) nsc_body_set_velocity(w, (nsc_id)((int32_t)1 << 29 | i), scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(-1.0)), scene_vec(NSC_R(0.0), NSC_R(0.25), NSC_R(0.0)));
}

static void hit(nsc_world *w)
{
    nsc_id ball = scene_body(w, nsc_default_sphere_def(NSC_R(0.25)), NSC_R(-1.0), NSC_R(0.0), NSC_R(1.0));
    nsc_body_set_velocity(w, ball, scene_vec(NSC_R(8.0), NSC_R(0.5), NSC_R(0.0)), scene_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)));
}

static void walk(nsc_world *w, int step)
{
    int i;
    for (i = 0; i < 12; i++)
        nsc_joint_set_target(w, (nsc_id)((int32_t)3 << 29 | i), 0, (step / 40 + i) % 2 ? NSC_R(0.375) : NSC_R(-0.125), NSC_R(0.0));
}

static void measure(int s, int robot)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_calls calls;
    int step;
    NSC_MEMSET(&calls, 0, sizeof calls);
    calls.solve = solvers[s].solve;
    if (solvers[s].factorizations) def.solver.max_factorizations = solvers[s].factorizations;
    nsc_world_init(&world, &def);
    if (robot) scene_quadruped(&world);
    else falling_stack(&world);
    for (step = 0; step < STEPS; step++) {
        if (!robot && step == 100) hit(&world);
        if (robot && step % 40 == 20) walk(&world, step);
        nsc_mark_begin();
        nsc_world_step_with(&world, NSC_R(0.00390625), &calls);
        nsc_mark_end();
        printf("world %s %s %d\n", solvers[s].name, robot ? "quadruped" : "stack", world.report.solver.factorizations);
    }
}

int main(void)
{
    int s;
    for (s = 0; s < (int)(sizeof solvers / sizeof solvers[0]); s++) measure(s, 0), measure(s, 1);
    return 0;
}
