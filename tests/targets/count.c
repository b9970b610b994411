/* Steps to be counted, one between each pair of marks, eight of each scene; prints "step NAME: CONTACTS BLOCKS ITERATIONS" for each, in
   order; blocks: of contacts and joints.  Another one is a line in the table.  NEWTON makes 50 sweeps of SIPGS first, and each
   of its iterations is a factorisation; ADMM makes one and then, of five iterations, none.  With NSC_NO_ISLANDS those that show
   what islands cost; with SCENES_WAVES those of NSC_BARRIER, solved to the default tolerance, and of NSC_PARALLEL, two parts
   one after the other. */
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

/* ten of no cube's inertia, which turns a body that spins about another axis than its own */
static void stack_of_bricks(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 10; i++) {
        nsc_id b = scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.1875), NSC_R(0.125)), NSC_R(0.015625) * (nsc_real)(i % 3),
                              NSC_R(0.0), NSC_R(0.125) + NSC_R(0.25) * (nsc_real)i);
        nsc_vec3 zero = {0, 0, 0};
        nsc_body_set_velocity(w, b, zero, zero);
    }
}

static void bricks_in_four(nsc_world *w)
{
    nsc_world_def def = w->def;
    def.substeps = 4;
    nsc_world_set_def(w, &def);
    stack_of_bricks(w);
}

/* the upper half of the stack of ten is taken away */
static void stack_of_five(nsc_world *w)
{
    int i;
    scene_stack(w);
    for (i = 6; i < 11; i++) nsc_world_remove_body(w, (nsc_id)((int32_t)1 << 29 | i));
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

/* eight links in a row that fall from level, on hinges */
static void chain_of_hinges(nsc_world *w)
{
    nsc_shape_def link = nsc_default_box_def(NSC_R(0.125), NSC_R(0.0625), NSC_R(0.0625));
    nsc_vec3 across = {0, NSC_R(1.0), 0};
    nsc_id last = NSC_GROUND;
    int i;
    for (i = 0; i < 8; i++) {
        nsc_real x = NSC_R(0.25) * (nsc_real)i;
        nsc_id b = scene_body(w, link, x + NSC_R(0.125), NSC_R(0.0), NSC_R(4.0));
        nsc_joint_def j = scene_joint(w, NSC_JOINT_HINGE, last, b, scene_vec(x, NSC_R(0.0), NSC_R(4.0)), across);
        nsc_world_add_joint(w, &j);
        last = b;
    }
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

static void pile_given(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_SYMPLECTIC, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_pile); }
static void pile_yielding(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_pile); }
static void stack_projected(nsc_world *w) { scene_stepper(w, NSC_STEPPER_EULER_IMPLICIT_PROJECTED, NSC_CONTACT_HARD, NSC_SMOOTH_HERTZ, scene_stack); }
static void quadruped_hht(nsc_world *w) { scene_stepper(w, NSC_STEPPER_HHT, NSC_CONTACT_SMOOTH, NSC_SMOOTH_HERTZ, scene_quadruped); }

#if SCENES_WAVES
static void barrier(nsc_world *w)
{
    nsc_world_def def = w->def;
    def.stepper = NSC_STEPPER_EULER_IMPLICIT;
    def.contact_model = NSC_CONTACT_SMOOTH, def.contact_law = NSC_SMOOTH_BARRIER;
    def.newton_steps = 40;
    nsc_world_set_def(w, &def);
}

static void box_on_barrier(nsc_world *w)
{
    barrier(w);
    scene_ground(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25)), NSC_R(0.0), NSC_R(-0.5), NSC_R(0.25390625));
}

static void stack_on_barrier(nsc_world *w)
{
    nsc_vec3 zero = {0, 0, 0};
    int i;
    barrier(w);
    scene_ground(w);
    for (i = 0; i < 5; i++) {
        nsc_id b = scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25)), NSC_R(0.015625) * (nsc_real)(i % 3),
                              NSC_R(0.0), NSC_R(0.25390625) + NSC_R(0.50390625) * (nsc_real)i);
        nsc_body_set_velocity(w, b, zero, zero);
    }
}
#endif

/* "NAME long" after NAME: the same with more iterations, for the cost of one.
   cold: from lambda 0, or the sweeps have nothing left to change and the residual is measured in each.
   sleepy: may fall asleep, and has. */
static const struct {
    const char *name;
    void (*build)(nsc_world *w);
    nsc_solver *solve;
    int law, iterations, cold, sleepy;
} table[] = {
#if SCENES_WAVES
    {"box at rest, barrier", box_on_barrier, nsc_solve_auto, NSC_LAW_COULOMB, 100, 0, 0},
    {"stack of five, barrier", stack_on_barrier, nsc_solve_auto, NSC_LAW_COULOMB, 100, 0, 0},
    {"stack of ten, SIPGS, may be parallel", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, SIPGS, two parts", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
#elif defined(NSC_NO_ISLANDS)
    {"stack of ten, no islands", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, no islands", scene_pile, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
#else
    {"box at rest, SIPGS", box_at_rest, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"box at rest, APGD", box_at_rest, nsc_solve_apgd, NSC_LAW_COULOMB, 20, 0, 0},
    {"box at rest, DANTZIG", box_at_rest, nsc_solve_dantzig, NSC_LAW_PYRAMID, 20, 0, 0},
    {"box at rest, NEWTON", box_at_rest, nsc_solve_newton, NSC_LAW_COULOMB, 20, 0, 0},
    {"box at rest, AUTO", box_at_rest, nsc_solve_auto, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, SIPGS", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, SIPGS long", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 120, 0, 0},
    {"stack of ten, SIPGS CONE", scene_stack, nsc_solve_sipgs, NSC_LAW_CONE, 20, 0, 0},
    {"stack of ten, SIPGS CONE long", scene_stack, nsc_solve_sipgs, NSC_LAW_CONE, 120, 0, 0},
    {"stack of ten, SIPGS BOX", scene_stack, nsc_solve_sipgs, NSC_LAW_PYRAMID, 20, 0, 0},
    {"stack of ten, SIPGS BOX long", scene_stack, nsc_solve_sipgs, NSC_LAW_PYRAMID, 120, 0, 0},
    {"stack of ten, APGD", scene_stack, nsc_solve_apgd, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, APGD long", scene_stack, nsc_solve_apgd, NSC_LAW_COULOMB, 120, 0, 0},
    {"stack of ten, BB", scene_stack, nsc_solve_bb, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, BB long", scene_stack, nsc_solve_bb, NSC_LAW_COULOMB, 120, 0, 0},
    {"stack of ten, ADMM", scene_stack, nsc_solve_admm, NSC_LAW_COULOMB, 1, 0, 0}, /* one factor */
    {"stack of ten, ADMM long", scene_stack, nsc_solve_admm, NSC_LAW_COULOMB, 4, 0, 0}, /* the same factor */
    {"stack of five, NEWTON", stack_of_five, nsc_solve_newton, NSC_LAW_COULOMB, 1, 1, 0},
    {"stack of five, NEWTON long", stack_of_five, nsc_solve_newton, NSC_LAW_COULOMB, 5, 1, 0},
    {"stack of ten, NEWTON", scene_stack, nsc_solve_newton, NSC_LAW_COULOMB, 1, 1, 0},
    {"stack of ten, NEWTON long", scene_stack, nsc_solve_newton, NSC_LAW_COULOMB, 5, 1, 0},
    {"stack of ten, NEWTON CONE", scene_stack, nsc_solve_newton, NSC_LAW_CONE, 1, 1, 0},
    {"stack of ten, NEWTON CONE long", scene_stack, nsc_solve_newton, NSC_LAW_CONE, 5, 1, 0},
    {"stack of ten, AUTO", scene_stack, nsc_solve_auto, NSC_LAW_COULOMB, 20, 0, 0},
    {"sliding box, SIPGS", sliding, nsc_solve_sipgs, NSC_LAW_COULOMB, 2, 1, 0},
    {"sliding box, SIPGS long", sliding, nsc_solve_sipgs, NSC_LAW_COULOMB, 5, 1, 0},
    {"pile of spheres, SIPGS", scene_pile, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, APGD", scene_pile, nsc_solve_apgd, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, DANTZIG", scene_pile, nsc_solve_dantzig, NSC_LAW_PYRAMID, 20, 0, 0},
    {"stack of ten bricks, 4 sweeps", stack_of_bricks, nsc_solve_sipgs, NSC_LAW_COULOMB, 4, 0, 0},
    {"stack of ten bricks, 4 sub-steps", bricks_in_four, nsc_solve_sipgs, NSC_LAW_COULOMB, 4, 0, 0},
    {"stack of ten, asleep", scene_stack, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 1},
    {"quadruped on its feet", scene_quadruped, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"quadruped on its feet, 4 sweeps", scene_quadruped, nsc_solve_sipgs, NSC_LAW_COULOMB, 4, 0, 0},
    {"quadruped afloat", quadruped_afloat, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"quadruped afloat long", quadruped_afloat, nsc_solve_sipgs, NSC_LAW_COULOMB, 120, 0, 0},
    {"quadruped on its feet, DANTZIG", scene_quadruped, nsc_solve_dantzig, NSC_LAW_PYRAMID, 20, 0, 0},
    {"chain of eight hinges, SIPGS", chain_of_hinges, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"chain of eight hinges, TREE", chain_of_hinges, nsc_solve_tree, NSC_LAW_COULOMB, 20, 0, 0},
    {"quadruped on its feet, TREE", scene_quadruped, nsc_solve_tree, NSC_LAW_COULOMB, 20, 0, 0},
    {"ball on terrain", ball_on_terrain, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"box on terrain", box_on_terrain, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"cylinders on a box", scene_cylinder, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of hulls", scene_hulls, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"stack of ten, PROJECTED", stack_projected, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"quadruped on its feet, HHT", quadruped_hht, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"net of 20 springs, LINEARIZED", scene_net_linearized, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"net of 20 springs, EULER_IMPLICIT", scene_net_implicit, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, smooth, explicit", pile_given, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
    {"pile of spheres, smooth, implicit", pile_yielding, nsc_solve_sipgs, NSC_LAW_COULOMB, 20, 0, 0},
#endif
};

/* 256 steps of SIPGS to settle, then 16 of the solver asked for (of TREE 40, as joints are careful for 32 after unsolved steps), then the
   eight that count */
static void measure(int i)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_calls calls;
    int step, blocks;
    NSC_MEMSET(&calls, 0, sizeof calls);
    def.solver.max_iterations = 20;
#if SCENES_WAVES
    scene_solve = calls.solve = table[i].solve, def.solver.max_iterations = table[i].iterations;
    scene_parts = i == (int)(sizeof table / sizeof table[0]) - 1 ? 2 : 0;
#endif
    nsc_world_init(&world, &def);
    table[i].build(&world);
    for (step = 0; step < 256; step++) nsc_world_step_with(&world, NSC_R(0.00390625), &calls);
    calls.solve = table[i].solve;
    def.solver.law = table[i].law;
    def.solver.max_iterations = table[i].iterations;
    def.substeps = world.def.substeps;
    if (table[i].solve != nsc_solve_tree && def.substeps == 1) def.solver.tolerance = NSC_R(0.0); /* TREE is done at once */
    def.solver.check_interval = 1000;
    def.solver.warm_start = !table[i].cold;
    def.gravity = world.def.gravity;
    def.stepper = world.def.stepper, def.contact_model = world.def.contact_model, def.contact_law = world.def.contact_law;
#if SCENES_WAVES
    if (def.contact_model == NSC_CONTACT_SMOOTH) def.solver = world.def.solver, def.newton_steps = world.def.newton_steps;
#endif
    if (table[i].sleepy) def.sleep_time = NSC_R(0.0625), def.sleep_speed = NSC_R(0.125);
    nsc_world_set_def(&world, &def);
    for (step = 0; step < (table[i].sleepy ? 64 : table[i].solve == nsc_solve_tree ? 40 : 16); step++) nsc_world_step_with(&world, NSC_R(0.00390625), &calls);
    for (step = 0; step < 8; step++) {
        nsc_mark_begin();
#if SCENES_WAVES
        scene_step(&world, 0);
#else
        nsc_world_step_with(&world, NSC_R(0.00390625), &calls);
#endif
        nsc_mark_end();
    }
    for (step = blocks = 0; step < world.report.islands; step++) blocks += world.islands[step].blocks;
#if SCENES_WAVES
    if (world.report.unsettled + world.report.overlaps > 0 || (scene_parts > 0 && scene_shared == 0)) return; /* no such step */
#endif
    printf("step %s: %d %d %d\n", table[i].name, world.report.contacts, blocks, world.report.solver.iterations);
}

#if !defined(NSC_NO_ISLANDS) && !SCENES_WAVES
/* 14 links in a row, 42 rows: MINRES, which is for no world */
static void measure_chain(const char *name, int iterations)
{
    enum { LINKS = 14 };
    static nsc_mass masses[LINKS + 1];
    static nsc_block blocks[LINKS];
    static nsc_real v_free[6 * (LINKS + 1)], v[6 * (LINKS + 1)], arena[NSC_ARENA_MINRES(3 * LINKS)];
    nsc_settings s = nsc_default_settings();
    nsc_problem p;
    nsc_report r;
    int i, k;
    NSC_MEMSET(&p, 0, sizeof p);
    for (i = 1; i <= LINKS; i++) {
        nsc_block *b = &blocks[i - 1];
        masses[i].inv_mass = NSC_R(1.0);
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = NSC_R(12.0);
        v_free[6 * i + 2] = NSC_R(-0.0625), v_free[6 * i + i % 6] += NSC_R(0.125);
        b->a = i - 1, b->b = i, b->kind = NSC_BLOCK_EQUALITY, b->rows = 3;
        for (k = 0; k < 3; k++) b->J[k][k] = NSC_R(-1.0), b->J[k][6 + k] = NSC_R(1.0);
        b->J[1][5] = b->J[1][11] = NSC_R(-0.5), b->J[2][4] = b->J[2][10] = NSC_R(0.5);
    }
    p.body_count = LINKS + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.block_count = LINKS, p.blocks = blocks;
    p.arena = arena, p.arena_size = NSC_ARENA_MINRES(3 * LINKS);
    s.max_iterations = iterations, s.tolerance = NSC_R(0.0), s.check_interval = 1000, s.warm_start = 0;
    nsc_problem_prepare(&p);
    nsc_mark_begin();
    nsc_solve_minres(&p, &s, &r);
    nsc_mark_end();
    printf("step %s: 0 %d %d\n", name, p.block_count, r.iterations);
}
#endif

int main(void)
{
    int i;
#if !defined(NSC_NO_ISLANDS) && !SCENES_WAVES
    measure_chain("chain of 14, MINRES alone", 4);
    measure_chain("chain of 14, MINRES alone long", 12);
#endif
    for (i = 0; i < (int)(sizeof table / sizeof table[0]); i++) measure(i);
    return 0;
}
