/* AUTO whose list has APGD alone behind the sweeps; and a reserve whose factor is dear, before it. */
#include "nsc_solvers.h"
static int dear(nsc_problem *p, const nsc_settings *s, nsc_report *report);
static int dear_fits(const nsc_problem *p);
#define NSC_AUTO_LIST {dear, dear_fits, NSCI_FOR_SLOW, NSC_LAW_PYRAMID, 300, 15}, NSC_AUTO_APGD
#define NSC_IMPLEMENTATION
#include "nsc_auto.h"
#include "test.h"

enum { N = 6, ROWS = 3 * N };
static nsc_real matrix[ROWS * ROWS], v_free[ROWS], v[ROWS], arena[NSC_ARENA_APGD(ROWS)];
static nsc_block blocks[N];

/* A pile of balls of 1 kg under one of 1000 kg, by its Delassus matrix */
static nsc_problem pile(void)
{
    nsc_problem p;
    int i, k;
    memset(&p, 0, sizeof p);
    memset(blocks, 0, sizeof blocks);
    for (i = 0; i < ROWS; i++) {
        matrix[(ROWS + 1) * i] = i < 3 ? NSC_R(1.0) : i < ROWS - 3 ? NSC_R(2.0) : NSC_R(1.001);
        k = i + 3;
        if (k < ROWS) matrix[ROWS * i + k] = matrix[ROWS * k + i] = NSC_R(-1.0);
    }
    v_free[0] = NSC_R(-0.1);
    for (i = 1; i < N; i++) v_free[3 * i] = NSC_R(0.0);
    for (i = 0; i < N; i++) blocks[i].kind = NSC_BLOCK_CONTACT, blocks[i].rows = 3, blocks[i].mu = NSC_R(0.5);
    p.delassus = matrix, p.v_free = v_free, p.v = v, p.block_count = N, p.blocks = blocks, p.arena = arena;
    return p;
}

/* ---- a reserve that says after how many factors it is done */

enum { TURNS = 20 };
static int is_dear, turns, budget[TURNS], done_after;

static int dear_fits(const nsc_problem *p) { return is_dear && p->arena_size > 0; }

static int dear(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    int i, sum = 0;
    CHECK_ONCE(turns < TURNS && s->warm_start && p->blocks[0].lambda[0] > 0); /* it goes on from what the sweeps have */
    budget[turns++] = s->max_factorizations;
    for (i = 0; i < turns; i++) sum += budget[i];
    report->factorizations = s->max_factorizations;
    report->status = sum < done_after ? NSC_ITERATION_LIMIT : NSC_OK;
    return report->status;
}

/* A pile of bodies whose numbers lie far apart, a heavy one on top: a factor costs about a hundred sweeps */
static nsc_problem wide_pile(void)
{
    enum { BODIES = 13 };
    static nsc_mass masses[BODIES];
    static nsc_real free[6 * BODIES], speed[6 * BODIES];
    static nsc_block pair[BODIES - 1];
    nsc_problem p;
    int i, c, last = 0;
    memset(&p, 0, sizeof p), memset(pair, 0, sizeof pair), memset(masses, 0, sizeof masses);
    for (i = 0; i < BODIES - 1; i++) {
        int at = i % 2 ? BODIES - 1 - i / 2 : 1 + i / 2; /* 1, 12, 2, 11, .. */
        masses[at].inv_mass = i == BODIES - 2 ? NSC_R(0.001) : NSC_R(1.0);
        free[6 * at + 2] = NSC_R(-0.1);
        pair[i].kind = NSC_BLOCK_CONTACT, pair[i].rows = 3, pair[i].mu = NSC_R(0.5), pair[i].a = last, pair[i].b = at;
        for (c = 0; c < 3; c++) pair[i].J[c][(c + 2) % 3] = NSC_R(-1.0), pair[i].J[c][6 + (c + 2) % 3] = NSC_R(1.0);
        last = at;
    }
    p.masses = masses, p.body_count = BODIES, p.v_free = free, p.v = speed, p.block_count = BODIES - 1, p.blocks = pair;
    p.arena = arena, p.arena_size = ROWS;
    return p;
}

/* Sweeps and a dear reserve take turns, of 16 factors and then of 16 more than all before; the reserve has then done no more than twice
   the work of the sweeps: 20 of them and a factor count for each it makes.  When these are used up it has what is left of max_factorizations. */
static void a_dear_reserve_takes_turns(void)
{
    static const int needs[4] = {16, 17, 49, 400};
    double factor = 6.0 * 13 * 72 * 72 / 2 / (150 * 12); /* in sweeps: n w^2 / 2 multiplications, 150 a block and sweep */
    nsc_settings s = nsc_default_settings();
    int k, i;
    s.max_iterations = 30000, s.max_factorizations = 300;
    s.tolerance = sizeof(nsc_real) == 8 ? (nsc_real)1e-9 : NSC_R(1e-5);
    is_dear = 1;
    for (k = 0; k < 4; k++) {
        nsc_problem p = wide_pile();
        nsc_report r;
        int sum = 0, code;
        done_after = needs[k], turns = 0;
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        code = nsc_solve_auto(&p, &s, &r);
        for (i = 0; i < turns; i++) {
            CHECK(i == turns - 1 && k == 3 ? budget[i] == 300 - sum : budget[i] == sum + 16);
            sum += budget[i];
        }
        CHECK(turns == k + 1);
        CHECK(code == (k == 3 ? NSC_ITERATION_LIMIT : NSC_OK) && r.factorizations == sum && sum <= 300);
        if (k < 3) CHECK((300 / 15 + factor) * sum <= 2 * r.iterations);
        printf("auto: done after %d factors: %d turns, %d factors, %d sweeps\n", needs[k], turns, sum, r.iterations);
    }
    is_dear = 0;
}

int main(void)
{
    nsc_settings s = nsc_default_settings();
    nsc_problem p = pile();
    nsc_report r;
    int k;
    s.max_iterations = 3000;
    s.tolerance = sizeof(nsc_real) == 8 ? (nsc_real)1e-9 : NSC_R(1e-5);
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    for (k = 0; k < 4; k++) { /* enough, one real too few, none, and a law that APGD has not */
        p.arena = k == 2 ? NULL : arena;
        p.arena_size = NSC_ARENA_APGD(ROWS) - (k == 1);
        s.law = k == 3 ? NSC_LAW_PYRAMID : NSC_LAW_COULOMB;
        s.warm_start = 0;
        CHECK(nsc_solve_auto(&p, &s, &r) >= 0 && r.solver == (k == 0 ? NSC_SOLVER_APGD : NSC_SOLVER_SIPGS));
        CHECK(k > 0 || r.status == NSC_OK);
        if (k == 0) CHECK_NEAR(blocks[0].lambda[0], 100.5, sizeof(nsc_real) == 8 ? 1e-5 : .1);
    }
    a_dear_reserve_takes_turns();
    return TEST_END("auto");
}
