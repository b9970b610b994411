/* Steps to be counted, one between each pair of marks; prints "step NAME CONTACTS ITERATIONS" for each, in order.
   Another one is a line in the table. */
#include "scenes.h"
#include <stdio.h>

static nsc_world world;

__attribute__((noinline)) void nsc_mark_begin(void);
__attribute__((noinline)) void nsc_mark_end(void);
void nsc_mark_begin(void) { __asm__ volatile(""); }
void nsc_mark_end(void) { __asm__ volatile(""); }

static void box_at_rest(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25)), NSC_R(0.0), NSC_R(-0.5), NSC_R(0.25));
}

static const struct {
    const char *name;
    void (*build)(nsc_world *w);
    int solver, law, iterations;
} table[] = {
    {"box at rest, SIPGS", box_at_rest, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20},
    {"box at rest, APGD", box_at_rest, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20},
    {"box at rest, DANTZIG", box_at_rest, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20},
    {"stack of ten, SIPGS", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20},
    {"stack of ten, SIPGS CONE", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 20},
    {"stack of ten, SIPGS BOX", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 20},
    {"stack of ten, APGD", scene_stack, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20},
    {"pile of spheres, SIPGS", scene_pile, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20},
    {"pile of spheres, APGD", scene_pile, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20},
    {"pile of spheres, DANTZIG", scene_pile, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20},
    {"120 sweeps", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 120}, /* less 20 sweeps: a contact and iteration */
    {"120 sweeps CONE", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 120},
    {"120 sweeps BOX", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 120},
};

/* 256 steps of SIPGS to settle, then one of the solver asked for to warm it up, then the one that counts */
static void measure(int i)
{
    nsc_world_def def = nsc_default_world_def();
    int step;
    def.solver.max_iterations = 20;
    nsc_world_init(&world, &def);
    table[i].build(&world);
    for (step = 0; step < 256; step++) nsc_world_step(&world, NSC_R(0.00390625));
    def.solver.solver = table[i].solver;
    def.solver.law = table[i].law;
    def.solver.max_iterations = table[i].iterations;
    def.solver.tolerance = NSC_R(0.0);
    def.solver.check_interval = 1000;
    nsc_world_set_def(&world, &def);
    nsc_world_step(&world, NSC_R(0.00390625));
    nsc_mark_begin();
    nsc_world_step(&world, NSC_R(0.00390625));
    nsc_mark_end();
    printf("step %s: %d %d\n", table[i].name, world.report.contacts, world.report.solver.iterations);
}

int main(void)
{
    int i;
    for (i = 0; i < (int)(sizeof table / sizeof table[0]); i++) measure(i);
    return 0;
}
