/* AUTO whose list has APGD alone behind the sweeps. */
#define NSC_AUTO_LIST NSC_AUTO_APGD
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
    return TEST_END("auto");
}
