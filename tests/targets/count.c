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

/* a box that slides for ever: gravity along the ground, tan 45 degrees, friction 0.5 */
static void sliding(nsc_world *w)
{
    nsc_world_def def = w->def;
    def.gravity.x = def.gravity.z;
    nsc_world_set_def(w, &def);
    box_at_rest(w);
}

/* "NAME long" after NAME: the same with more iterations, for the cost of one.
   cold: from lambda 0, or the sweeps have nothing left to change and the residual is measured in each. */
static const struct {
    const char *name;
    void (*build)(nsc_world *w);
    int solver, law, iterations, cold;
} table[] = {
    {"box at rest, SIPGS", box_at_rest, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0},
    {"box at rest, APGD", box_at_rest, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20, 0},
    {"box at rest, DANTZIG", box_at_rest, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20, 0},
    {"stack of ten, SIPGS", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0},
    {"stack of ten, SIPGS long", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 120, 0},
    {"stack of ten, SIPGS CONE", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 20, 0},
    {"stack of ten, SIPGS CONE long", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 120, 0},
    {"stack of ten, SIPGS BOX", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 20, 0},
    {"stack of ten, SIPGS BOX long", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 120, 0},
    {"stack of ten, APGD", scene_stack, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20, 0},
    {"stack of ten, APGD long", scene_stack, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 120, 0},
    {"sliding box, SIPGS", sliding, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 2, 1},
    {"sliding box, SIPGS long", sliding, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 5, 1},
    {"pile of spheres, SIPGS", scene_pile, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0},
    {"pile of spheres, APGD", scene_pile, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20, 0},
    {"pile of spheres, DANTZIG", scene_pile, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20, 0},
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
    def.solver.warm_start = !table[i].cold;
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
