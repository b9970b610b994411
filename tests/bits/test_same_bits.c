/* Same input, same bits: the scenes and problems of tests/targets and random problems for every
   solver, against a table of hashes.  It finds every change of what is computed, meant or not, and
   names what has changed.  After a change that is meant `make targets-accept` writes the table
   anew; test_same_bits accept prints this build's half of it. */
#define HASH_NO_MAIN
#define STEPS 68
#include "targets/hash.c"
#include "expected.h"
#include "by.h"

/* ---- Scenes once more: asleep, at other steps, woken; thrown from outside in the midst of it ----
 */

static nsc_id body_id(int i) { return (nsc_id)((int32_t)1 << 29 | i); }

static uint32_t disturbed(int i)
{
    const nsc_real h = NSC_R(0.0078125);
    nsc_vec3 thrown = {NSC_R(0.25), NSC_R(0.5), NSC_R(1.0)};
    uint32_t hash = UINT32_C(2166136261);
    int step, code = scene_begin(&world, i), last = world.body_end - 1;
    nsc_world_def def = world.def;
    nsc_calls calls;
    memset(&calls, 0, sizeof calls);
    calls.solve = scene_solve;
    def.sleep_time = NSC_R(0.046875), def.sleep_speed = NSC_R(8.0);
    if (def.stepper == NSC_STEPPER_HHT || def.stepper == NSC_STEPPER_NEWMARK)
        def.sleep_time = NSC_R(0.0);
    nsc_world_set_def(&world, &def);
    for (step = 0; step < 24 && code == NSC_OK; step++) {
        if (step == 14) nsc_body_set_velocity(&world, body_id(last), thrown, thrown);
        if (step == 18) nsc_body_add_impulse_at(&world, body_id(last), thrown, thrown);
        code = nsc_world_step_with(&world, step < 10 ? h : NSC_R(0.5) * h, &calls);
        feed_state(&hash, &world);
        feed_word(&hash, nsc_world_hash(&world));
    }
    feed_word(&hash, (uint32_t)code);
    return hash;
}

static void disturbances(void)
{
    static const char *const names[] = {"chain", "gears", "quadruped", "chain substeps", "rolling",
                                        "net linearized", "net implicit", "net hht", "chain hht",
                                        "gears newmark", "rolling smooth"};
    size_t n;
    int i;
    for (n = 0; n < sizeof names / sizeof *names; n++)
        for (i = 0; i < SCENE_COUNT; i++)
            if (strcmp(scenes[i].name, names[n]) == 0) meet("disturbed", names[n], disturbed(i));
}

/* ---- Random problems.  Their numbers are multiples of a power of two: nothing is rounded before
   the solver begins. ---- */

static unsigned seed;

static int pick(int n) /* 0 .. n - 1 */
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 16) % n;
}

static nsc_real part(void) { return NSC_R(0.0625) * (nsc_real)(pick(33) - 16); } /* -1 .. 1 */

/* 1/64 .. 64 */
static nsc_real size(void)
{
    nsc_real x = NSC_R(0.015625);
    int doublings = pick(13);
    while (doublings-- > 0) x *= NSC_R(2.0);
    return x;
}

/* One call of pick() a statement: compilers evaluate arguments in what order they like. */
static void random_block(nsc_problem *p, int joints)
{
    int what = joints ? 0 : pick(10), a = pick(SCENE_BODIES),
        b = (a + 1 + pick(SCENE_BODIES - 1)) % SCENE_BODIES, i;
    nsc_block *k;
    if (what > 1 || joints) {
        nsc_real x = part(), y = part(), z = part();
        k = scene_block(p, what > 2 ? NSC_BLOCK_CONTACT : NSC_BLOCK_EQUALITY, 3, a, b, x, y, z);
        k->mu = NSC_R(0.25) * (nsc_real)pick(6);
        if (what == 4 || what == 2 || (joints && pick(3) == 0))
            k->rows = (unsigned char)(what == 4 ? 1 : 1 + pick(2));
        if (what == 5) k->cfm[0] = size(), k->cfm[1] = NSC_R(0.5) * k->cfm[0];
        if (what == 6 || joints) k->bias[0] = part();
        return;
    }
    i = 1 + pick(3);
    k = scene_turning(p, NSC_BLOCK_BOX, i, a, b);
    for (i = 0; i < k->rows; i++) {
        k->lo[i] = pick(4) ? NSC_R(-0.125) * size() : -NSC_REAL_MAX;
        k->hi[i] = pick(4) ? NSC_R(0.125) * size() : NSC_REAL_MAX;
        k->bias[i] = part();
        if (what == 1) k->cfm[i] = size();
    }
}

/* Rolling friction beside the contact before, or that contact once more */
static void random_follower(nsc_problem *p)
{
    nsc_block *last = &scene_blocks[p->block_count - 1];
    if (last->kind == NSC_BLOCK_CONTACT && pick(2)) {
        nsc_block *k = scene_turning(p, NSC_BLOCK_ROLLING, 3, last->a, last->b);
        k->mu = NSC_R(0.125) * size(), k->hi[0] = NSC_R(0.125) * size();
    } else {
        scene_blocks[p->block_count++] = *last;
    }
}

static void random_velocities(void)
{
    int k;
    for (k = 6; k < 6 * SCENE_BODIES; k++) scene_free[k] = NSC_R(2.0) * part();
}

static int random_problem(nsc_problem *p, int joints, unsigned number)
{
    int k, i;
    NSC_MEMSET(p, 0, sizeof *p);
    NSC_MEMSET(scene_masses, 0, sizeof scene_masses);
    NSC_MEMSET(scene_blocks, 0, sizeof scene_blocks);
    NSC_MEMSET(scene_free, 0, sizeof scene_free);
    seed = number;
    p->body_count = SCENE_BODIES, p->masses = scene_masses, p->v_free = scene_free;
    p->v = scene_v, p->blocks = scene_blocks;
    for (k = 1; k < SCENE_BODIES; k++) {
        nsc_real inv_mass = size(), askew = part();
        scene_masses[k].inv_mass = inv_mass;
        for (i = 0; i < 3; i++)
            scene_masses[k].inv_inertia[i] = NSC_R(0.25) * (nsc_real)(16 + pick(16)) * inv_mass;
        scene_masses[k].inv_inertia[4] = askew * inv_mass;
    }
    while (p->block_count < 6 + pick(4)) {
        random_block(p, joints);
        if (p->block_count < SCENE_BLOCKS - 1 && pick(3) == 0) random_follower(p);
    }
    random_velocities();
    return nsc_problem_prepare(p);
}

static const struct way {
    const char *name;
    int solver, law, barrier, joints, matrix, most;
} ways[] = {
    {"sipgs", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 0, 0, 0, 30},
    {"sipgs cone", NSC_SOLVER_SIPGS, NSC_LAW_CONE, 0, 0, 0, 30},
    {"sipgs box", NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID, 0, 0, 0, 30},
    {"apgd", NSC_SOLVER_APGD, NSC_LAW_COULOMB, 0, 0, 0, 40},
    {"apgd cone", NSC_SOLVER_APGD, NSC_LAW_CONE, 0, 0, 0, 40},
    {"bb", NSC_SOLVER_BB, NSC_LAW_COULOMB, 0, 0, 0, 40},
    {"bb cone", NSC_SOLVER_BB, NSC_LAW_CONE, 0, 0, 0, 40},
    {"dantzig", NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 0, 0, 0, 1},
    {"dantzig matrix", NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 0, 0, 1, 1},
    {"minres", NSC_SOLVER_MINRES, NSC_LAW_COULOMB, 0, 1, 0, 40},
    {"admm", NSC_SOLVER_ADMM, NSC_LAW_COULOMB, 0, 0, 0, 40},
    {"admm cone", NSC_SOLVER_ADMM, NSC_LAW_CONE, 0, 0, 0, 40},
    {"admm matrix", NSC_SOLVER_ADMM, NSC_LAW_COULOMB, 0, 0, 1, 20},
    {"newton", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, 0, 0, 80},
    {"newton cone", NSC_SOLVER_NEWTON, NSC_LAW_CONE, 0, 0, 0, 80},
    {"newton box", NSC_SOLVER_NEWTON, NSC_LAW_PYRAMID, 0, 0, 0, 80},
    {"newton joints", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, 1, 0, 40},
    {"newton matrix", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, 0, 1, 40},
    {"barrier", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 1, 0, 0, 80},
    {"barrier cone", NSC_SOLVER_NEWTON, NSC_LAW_CONE, 1, 0, 0, 80},
    {"barrier box", NSC_SOLVER_NEWTON, NSC_LAW_PYRAMID, 1, 0, 0, 80},
    {"auto", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, 0, 0, 0, 40},
    {"auto cone", NSC_SOLVER_AUTO, NSC_LAW_CONE, 0, 0, 0, 40},
    {"auto joints", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, 0, 1, 0, 40},
};
enum { WAYS = sizeof ways / sizeof *ways, RANDOM_PROBLEMS = 6, RANDOM_ROUNDS = 3 };

/* A cold start, a warm one with other velocities, and one that is cut short */
static void random_rounds(uint32_t *hash, const struct way *w, unsigned number)
{
    nsc_settings s = default_settings();
    nsc_problem p;
    nsc_report r;
    int round, code = random_problem(&p, w->joints, number);
    solved_by = w->solver, s.law = w->law, s.barrier = w->barrier;
    s.tolerance = NSC_R(1e-5), s.passes = 4;
    s.symmetric = number % 2 == 1;
    feed_word(hash, (uint32_t)(int32_t)code);
    if (w->matrix) {
        scene_to_matrix(&p);
        p.delassus = scene_matrix, p.v_free = scene_row_free;
    }
    p.arena = scene_reals, p.arena_size = SCENE_ARENA;
    for (round = 0; round < RANDOM_ROUNDS && code >= 0; round++) {
        s.max_iterations = round < 2 ? w->most : 3;
        s.max_factorizations = round < 2 ? 60 : 2;
        if (round == 1) {
            random_velocities();
            if (w->matrix) scene_to_matrix(&p);
        }
        NSC_MEMSET(scene_reals, 0xff, sizeof scene_reals);
        code = solve_by(&p, &s, &r);
        feed_answer(hash, &p, code, &r);
    }
}

static void random_problems(void)
{
    unsigned n;
    int i;
    for (i = 0; i < WAYS; i++) {
        uint32_t hash = UINT32_C(2166136261);
        for (n = 0; n < RANDOM_PROBLEMS; n++) random_rounds(&hash, &ways[i], n);
        meet("random", ways[i].name, hash);
    }
}

int main(int argc, char **argv)
{
    int i;
    argc = test_begin(argc, argv);
    accepting = argc > 1 && strcmp(argv[1], "accept") == 0;
    for (i = 0; i < SCENE_PROBLEM_COUNT; i++)
        meet("problem", scene_problems[i].name, run_problem(i));
    random_problems();
    disturbances();
    for (i = 0; i < SCENE_COUNT; i++) meet("scene", scenes[i].name, run(i));
    if (accepting) return 0;
    return TEST_END("same_bits");
}
