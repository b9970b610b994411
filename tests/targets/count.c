/* Steps to be counted, one between each pair of marks; prints "step NAME: CONTACTS BLOCKS ITERATIONS" for each, in
   order; blocks: of contacts and joints.  Another one is a line in the table.  With NSC_NO_ISLANDS those that show
   what islands cost. */
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

/* nothing but joints: no weight, no ground, legs that are told to bend */
static void quadruped_afloat(nsc_world *w)
{
    nsc_world_def def = w->def;
    int i;
    def.gravity.z = NSC_R(0.0);
    nsc_world_set_def(w, &def);
    scene_quadruped(w);
    nsc_world_remove_shape(w, (nsc_id)((int32_t)2 << 29));
    for (i = 0; i < 12; i++) nsc_joint_set_target(w, (nsc_id)((int32_t)3 << 29 | i), 0, NSC_R(0.25), NSC_R(0.0));
}

static void ball_on_terrain(nsc_world *w)
{
    scene_field(w);
    scene_body(w, nsc_default_sphere_def(NSC_R(0.1875)), NSC_R(0.0), NSC_R(0.125), NSC_R(0.75));
}

static void box_on_terrain(nsc_world *w)
{
    scene_field(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.1875), NSC_R(0.125)), NSC_R(0.75), NSC_R(0.0), NSC_R(0.75));
}

/* "NAME long" after NAME: the same with more iterations, for the cost of one.
   cold: from lambda 0, or the sweeps have nothing left to change and the residual is measured in each.
   sleepy: may fall asleep, and has. */
static const struct {
    const char *name;
    void (*build)(nsc_world *w);
    int solver, law, iterations, cold, sleepy;
} table[] = {
#ifdef NSC_NO_ISLANDS
    {"stack of ten, no islands", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, no islands", scene_pile, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
#else
    {"box at rest, SIPGS", box_at_rest, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"box at rest, APGD", box_at_rest, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20, 0, 0},
    {"box at rest, DANTZIG", box_at_rest, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20, 0, 0},
    {"stack of ten, SIPGS", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, SIPGS long", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 120, 0, 0},
    {"stack of ten, SIPGS CONE", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 20, 0, 0},
    {"stack of ten, SIPGS CONE long", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 120, 0, 0},
    {"stack of ten, SIPGS BOX", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 20, 0, 0},
    {"stack of ten, SIPGS BOX long", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 120, 0, 0},
    {"stack of ten, APGD", scene_stack, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, APGD long", scene_stack, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 120, 0, 0},
    {"sliding box, SIPGS", sliding, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 2, 1, 0},
    {"sliding box, SIPGS long", sliding, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 5, 1, 0},
    {"pile of spheres, SIPGS", scene_pile, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, APGD", scene_pile, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, DANTZIG", scene_pile, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20, 0, 0},
    {"stack of ten, asleep", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 1},
    {"quadruped on its feet", scene_quadruped, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"quadruped afloat", quadruped_afloat, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"quadruped afloat long", quadruped_afloat, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 120, 0, 0},
    {"quadruped on its feet, DANTZIG", scene_quadruped, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20, 0, 0},
    {"ball on terrain", ball_on_terrain, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"box on terrain", box_on_terrain, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"cylinders on a box", scene_cylinder, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of hulls", scene_hulls, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20, 0, 0},
#endif
};

/* 256 steps of SIPGS to settle, then one of the solver asked for to warm it up, then the one that counts */
static void measure(int i)
{
    nsc_world_def def = nsc_default_world_def();
    int step, blocks;
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
    def.gravity = world.def.gravity;
    if (table[i].sleepy) def.sleep_time = NSC_R(0.0625), def.sleep_speed = NSC_R(0.125);
    nsc_world_set_def(&world, &def);
    for (step = 0; step < (table[i].sleepy ? 64 : 1); step++) nsc_world_step(&world, NSC_R(0.00390625));
    nsc_mark_begin();
    nsc_world_step(&world, NSC_R(0.00390625));
    nsc_mark_end();
    for (step = blocks = 0; step < world.report.islands; step++) blocks += world.islands[step].blocks;
    printf("step %s: %d %d %d\n", table[i].name, world.report.contacts, blocks, world.report.solver.iterations);
}

int main(void)
{
    int i;
    for (i = 0; i < (int)(sizeof table / sizeof table[0]); i++) measure(i);
    return 0;
}
