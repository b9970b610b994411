/* Contact problems without a world: what is refused, guesses, numbers at their limits, what AUTO chooses. */
#define NSC_IMPLEMENTATION
#include "nsc_all_solvers.h"
#include <limits.h>
#include <math.h>
#include "test.h"
#include "by.h"

#define REAL(x) ((nsc_real)(x))
#define BY_REAL(in_double, in_float) (sizeof(nsc_real) == 8 ? (in_double) : (in_float))

static nsc_block blocks[12];
static nsc_mass masses[14];
static nsc_real v_free[84], v[84], arena[20000];
enum { MANY = 10667 }; /* blocks of three rows: more than 32000 */
static nsc_block many[MANY];

/* n balls of 1 kg in a pile under the last of 1000 kg: sweeps crawl */
static nsc_problem pile(int n)
{
    nsc_problem p;
    int i;
    memset(&p, 0, sizeof p);
    memset(blocks, 0, sizeof blocks);
    memset(v_free, 0, sizeof v_free);
    for (i = 0; i < n; i++) {
        nsc_block *b = &blocks[i];
        masses[i + 1].inv_mass = i == n - 1 ? REAL(.001) : REAL(1);
        v_free[6 * i + 8] = REAL(-.1);
        b->a = i, b->b = i + 1;
        b->kind = NSC_BLOCK_CONTACT, b->rows = 3, b->mu = REAL(.5);
        b->J[0][8] = b->J[1][6] = b->J[2][7] = REAL(1);
        b->J[0][2] = b->J[1][0] = b->J[2][1] = REAL(-1);
    }
    p.body_count = n + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.block_count = n, p.blocks = blocks, p.arena = arena;
    return p;
}

/* AUTO takes the first of NEWTON, ADMM, BB that the arena holds, and none where it holds none. */
static void reserves_of_auto(void)
{
    enum { N = 8 };
    nsc_settings s = default_settings();
    const int rows = 3 * N, room[4] = {NSC_ARENA_NEWTON(N + 1, rows), NSC_ARENA_ADMM(N + 1, rows), NSC_ARENA_BB(rows), NSC_ARENA_BB(rows) - 1};
    const int solver[4] = {NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM, NSC_SOLVER_BB, NSC_SOLVER_SIPGS};
    int k;
    solved_by = NSC_SOLVER_AUTO;
    s.max_iterations = 2000;
    s.tolerance = REAL(BY_REAL(1e-10, 1e-4));
    for (k = 0; k < 4; k++) {
        nsc_problem p = pile(N);
        nsc_report r;
        p.arena_size = room[k];
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK((solve_by(&p, &s, &r) == NSC_OK) == (k < 3) && r.solver == solver[k]);
        if (k == 0) CHECK_NEAR(blocks[0].lambda[0], .1 * (N - 1) + 100, BY_REAL(1e-6, .8)); /* N 1000 kg tolerance */
    }
}

/* A value wrong in one field alone is refused, with its code, before anything is written. */
#define WRONG(change, code)                               \
    do {                                                  \
        nsc_problem p = pile(3);                          \
        nsc_block *b = &blocks[2];                        \
        (void)b;                                          \
        p.row_count = 77;                                 \
        change;                                           \
        CHECK(nsc_problem_prepare(&p) == (code));         \
        CHECK(p.row_count == ((code) == NSC_OK ? 9 : 77)); \
    } while (0)

static void refused_problems(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf;
    static nsc_real matrix[81];
    int i;
    WRONG((void)0, NSC_OK);
    CHECK(nsc_problem_prepare(NULL) == NSC_ERR_ARGUMENT);
    WRONG(p.bias_error = nan, NSC_ERR_NOT_FINITE);
    WRONG(p.bias_error = REAL(-1), NSC_ERR_ARGUMENT);
    WRONG(p.block_count = -1, NSC_ERR_ARGUMENT);
    WRONG(p.v_free = NULL, NSC_ERR_ARGUMENT);
    WRONG(p.v = NULL, NSC_ERR_ARGUMENT);
    WRONG(p.v = v_free, NSC_ERR_ARGUMENT);
    WRONG(p.blocks = NULL, NSC_ERR_ARGUMENT);
    WRONG(p.body_count = 0, NSC_ERR_ARGUMENT);
    WRONG(p.masses = NULL, NSC_ERR_ARGUMENT);
    WRONG(masses[0].inv_mass = nan, NSC_ERR_NOT_FINITE);
    masses[0].inv_mass = REAL(0);
    WRONG(masses[2].inv_mass = nan, NSC_ERR_NOT_FINITE);
    WRONG(masses[2].inv_mass = REAL(-1), NSC_ERR_ARGUMENT);
    for (i = 0; i < 6; i++) {
        WRONG(masses[2].inv_inertia[i] = inf, NSC_ERR_NOT_FINITE);
        memset(masses, 0, sizeof masses);
    }
    WRONG(b->kind = 0, NSC_ERR_ARGUMENT);
    WRONG(b->kind = 5, NSC_ERR_ARGUMENT);
    WRONG(b->rows = 0, NSC_ERR_ARGUMENT);
    WRONG(b->rows = 4, NSC_ERR_ARGUMENT);
    WRONG(b->rows = 2, NSC_ERR_ARGUMENT);
    WRONG(b->a = -1, NSC_ERR_ARGUMENT);
    WRONG(b->b = -1, NSC_ERR_ARGUMENT);
    WRONG(b->a = 4, NSC_ERR_ARGUMENT);
    WRONG(b->b = 4, NSC_ERR_ARGUMENT);
    WRONG((b->a = 3, b->b = 0), NSC_OK);
    for (i = 0; i < 12; i++) WRONG(b->J[i % 3][i] = nan, NSC_ERR_NOT_FINITE);
    WRONG(b->cfm[1] = inf, NSC_ERR_NOT_FINITE);
    WRONG(b->bias[2] = nan, NSC_ERR_NOT_FINITE);
    WRONG(b->cfm[2] = REAL(-1), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->lo[1] = REAL(1)), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->lo[1] = nan), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->hi[2] = nan), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->lo[0] = -inf, b->hi[0] = inf), NSC_OK);
    WRONG((b->kind = NSC_BLOCK_EQUALITY, b->lo[1] = REAL(1)), NSC_OK);
    WRONG(b->mu = nan, NSC_ERR_NOT_FINITE);
    WRONG(b->mu = REAL(-1), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_BOX, b->mu = REAL(-1)), NSC_OK);
    WRONG(b->kind = NSC_BLOCK_ROLLING, NSC_OK);
    WRONG(blocks[0].kind = NSC_BLOCK_ROLLING, NSC_ERR_ARGUMENT); /* behind no contact */
    WRONG((blocks[1].kind = NSC_BLOCK_BOX, b->kind = NSC_BLOCK_ROLLING), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->rows = 1), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->hi[0] = nan), NSC_ERR_NOT_FINITE);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->hi[0] = REAL(-1)), NSC_ERR_ARGUMENT);
    WRONG((b->kind = NSC_BLOCK_ROLLING, b->mu = REAL(-1)), NSC_ERR_ARGUMENT);
    for (i = 0; i < 9; i++) matrix[10 * i] = REAL(1);
    WRONG(p.delassus = matrix, NSC_OK);
    WRONG((p.delassus = matrix, p.body_count = 0, p.masses = NULL, b->a = -1, b->J[0][0] = nan), NSC_OK); /* not looked at */
    matrix[80] = nan;
    WRONG(p.delassus = matrix, NSC_ERR_NOT_FINITE);
    for (i = 0; i < MANY; i++) many[i].kind = NSC_BLOCK_EQUALITY, many[i].rows = 3;
    WRONG((p.delassus = matrix, p.blocks = many, p.block_count = MANY), NSC_ERR_CAPACITY); /* the matrix is not looked at */
}

/* What was not prepared, or has lost a pointer since, settings out of their ranges, a law that is none: refused by every solver,
   and the report holds nothing but that.  So is what is too large to count in. */
static void refused_solves(void)
{
    nsc_settings s;
    nsc_report r;
    int k, solver, code;
    for (k = 0; k < 14; k++)
        for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_AUTO; solver++) {
            nsc_problem p = pile(3);
            p.arena_size = 20000;
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            s = default_settings(), solved_by = solver, s.law = solver == NSC_SOLVER_DANTZIG ? NSC_LAW_PYRAMID : NSC_LAW_CONE;
            blocks[0].lambda[0] = REAL(7);
            if (k == 0) p.v = NULL;
            if (k == 1) p.v_free = NULL;
            if (k == 2) p.block_count = -1;
            if (k == 3) p.row_count = 0;
            if (k == 4) s.law = NSC_LAW_COULOMB - 1;
            if (k == 5) s.law = NSC_LAW_PYRAMID + 1;
            if (k == 6) s.max_iterations = 0;
            if (k == 7) s.tolerance = NSC_REAL_MAX * 2;
            if (k == 8) s.stall_window = -1;
            if (k == 9) s.check_interval = 0;
            if (k == 10) s.omega = REAL(2);
            if (k == 11) s.passes = 0;
            if (k == 12) s.max_factorizations = 0;
            if (k == 13) s.relative_tolerance = REAL(-1e-3);
            CHECK((code = solve_by(&p, &s, &r)) == NSC_ERR_ARGUMENT && r.status == code && r.iterations == 0 && r.worst_block == -1);
            CHECK(!(blocks[0].lambda[0] < REAL(7)));
            if (k < 4) CHECK(nsc_problem_measure(&p, NSC_LAW_CONE, &r) == NSC_ERR_ARGUMENT);
            if (k == 4 || k == 5) CHECK(nsc_problem_measure(&p, s.law, &r) == NSC_ERR_ARGUMENT);
            p = pile(3);
            CHECK(nsc_problem_prepare(&p) == NSC_OK && nsc_problem_measure(&p, NSC_LAW_CONE, NULL) == NSC_ERR_ARGUMENT);
        }
    s = default_settings();
    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_AUTO; solver++) {
        solved_by = solver;
        CHECK(solve_by(NULL, &s, &r) == NSC_ERR_ARGUMENT || solve_by(NULL, &s, &r) == NSC_ERR_CAPACITY);
    }
    for (k = 0; k < 3; k++) {
        nsc_problem p = pile(3);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK(nsc_solve_sipgs(&p, NULL, &r) == NSC_ERR_ARGUMENT && nsc_solve_auto(&p, NULL, &r) == NSC_ERR_ARGUMENT);
        s = default_settings(), solved_by = k == 0 ? NSC_SOLVER_DANTZIG : k == 1 ? NSC_SOLVER_MINRES : NSC_SOLVER_NEWTON, s.law = NSC_LAW_PYRAMID;
        p.arena = NULL, p.arena_size = 20000;
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY);
    }
    CHECK(nsc_solve_auto(NULL, NULL, NULL) == NSC_ERR_ARGUMENT && nsc_problem_measure(NULL, NSC_LAW_CONE, &r) == NSC_ERR_ARGUMENT);
    for (k = 0; k < 5; k++) { /* the arena's size counts as enough: it must be refused for what cannot be counted */
        static const int which[5] = {NSC_SOLVER_DANTZIG, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM};
        nsc_problem p = pile(3);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        p.arena_size = INT_MAX;
        if (k < 3) p.row_count = 32001;
        else p.body_count = 901;
        solved_by = which[k], s.law = k == 0 ? NSC_LAW_PYRAMID : NSC_LAW_CONE;
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY && r.status == NSC_ERR_CAPACITY);
    }
}

/* AUTO's first choice and what it falls back on, by law, kind of rows and arena; the answer is the same where there is one. */
static void choices_of_auto(void)
{
    enum { N = 2, ROWS = 3 * N };
    static const struct choice {
        int law, kind, room, solver;
    } choices[] = {{NSC_LAW_CONE, NSC_BLOCK_EQUALITY, NSC_ARENA_NEWTON(N + 1, ROWS), NSC_SOLVER_NEWTON},
                   {NSC_LAW_CONE, NSC_BLOCK_EQUALITY, NSC_ARENA_MINRES(ROWS), NSC_SOLVER_MINRES},
                   {NSC_LAW_CONE, NSC_BLOCK_EQUALITY, NSC_ARENA_MINRES(ROWS) - 1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_CONE, NSC_BLOCK_EQUALITY, -1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_PYRAMID, NSC_BLOCK_CONTACT, NSC_ARENA_DANTZIG(ROWS), NSC_SOLVER_DANTZIG},
                   {NSC_LAW_PYRAMID, NSC_BLOCK_CONTACT, NSC_ARENA_DANTZIG(ROWS) - 1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_PYRAMID, NSC_BLOCK_CONTACT, -1, NSC_SOLVER_SIPGS},
                   {NSC_LAW_CONE, NSC_BLOCK_CONTACT, -1, NSC_SOLVER_SIPGS}};
    size_t n;
    for (n = 0; n < sizeof choices / sizeof choices[0]; n++) {
        nsc_problem p = pile(N);
        nsc_settings s = default_settings();
        nsc_report r;
        int i;
        for (i = 0; i < N; i++) blocks[i].kind = (unsigned char)choices[n].kind, masses[i + 1].inv_mass = REAL(1);
        solved_by = NSC_SOLVER_AUTO, s.law = choices[n].law, s.max_iterations = 2000, s.tolerance = REAL(BY_REAL(1e-9, 1e-5));
        p.arena = choices[n].room < 0 ? NULL : arena, p.arena_size = choices[n].room;
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK && r.solver == choices[n].solver);
        CHECK_NEAR(blocks[1].lambda[0], .1, 1e-4); /* 1 kg at 0.1 m/s, and another on top of it */
        CHECK_NEAR(blocks[0].lambda[0], .2, 1e-4);
    }
}

/* Impulses to begin from that are not finite count as 0, each by itself. */
static void guesses_that_are_not_finite(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2;
    nsc_settings set = default_settings();
    nsc_real lambda[3];
    nsc_report r;
    int k, i;
    set.max_iterations = 1;
    for (k = 0; k < 4; k++) {
        nsc_problem p = pile(3);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        for (i = 0; i < p.block_count; i++) p.blocks[i].lambda[0] = REAL(.5), p.blocks[i].lambda[1] = REAL(.125), p.blocks[i].lambda[2] = 0;
        if (k < 2) p.blocks[1].lambda[1] = k ? inf - inf : 0;
        if (k == 2) p.blocks[1].lambda[0] = inf, p.blocks[1].lambda[1] = 0;
        if (k == 3) p.blocks[1].lambda[0] = 0, p.blocks[1].lambda[1] = 0;
        CHECK(solve_by(&p, &set, &r) >= 0);
        if (k % 2 == 0 && k < 3) memcpy(lambda, p.blocks[1].lambda, sizeof lambda);
        if (k == 1 || k == 3) CHECK(memcmp(lambda, p.blocks[1].lambda, sizeof lambda) == 0);
    }
}

/* What is allowed at the limits: no blocks, one body alone, mu 0; rows that are not in use are not looked at. */
static void bare_problems(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf;
    nsc_problem p = pile(1);
    p.block_count = 0, p.blocks = NULL;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 0);
    p.body_count = 1;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 0);
    p = pile(1);
    p.blocks = NULL;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    p = pile(2);
    blocks[0].mu = REAL(0);
    blocks[0].rows = 1;
    blocks[0].cfm[1] = blocks[0].bias[1] = blocks[0].J[1][0] = nan;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 4 && blocks[0].row == 0 && blocks[1].row == 1);
    blocks[1].kind = NSC_BLOCK_BOX, blocks[1].rows = 2, blocks[1].lo[1] = REAL(1), blocks[1].hi[1] = REAL(1), blocks[1].hi[2] = REAL(-9);
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count == 3);
    blocks[1].lo[1] = REAL(2), blocks[1].hi[2] = REAL(9);
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
}

static nsc_block block;
static nsc_mass lone_masses[2];
static nsc_real lone_free[12], lone_v[12], lone_arena[200];

/* a ball of 1 kg that falls with 1 m/s on the ground: one contact, three rows */
static nsc_problem drop(void)
{
    nsc_problem p;
    memset(&p, 0, sizeof p);
    memset(&block, 0, sizeof block);
    lone_masses[1].inv_mass = NSC_R(1.0);
    lone_free[8] = NSC_R(-1.0);
    block.b = 1;
    block.kind = NSC_BLOCK_CONTACT;
    block.rows = 3;
    block.mu = NSC_R(0.5);
    block.J[0][8] = block.J[1][6] = block.J[2][7] = NSC_R(1.0);
    p.body_count = 2, p.masses = lone_masses, p.v_free = lone_free, p.v = lone_v;
    p.block_count = 1, p.blocks = &block;
    return p;
}

static void numbers_at_their_limits(void)
{
    nsc_settings s = default_settings();
    nsc_problem p = drop();
    nsc_report r;

    /* loops that count to INT_MAX */
    s.max_iterations = s.passes = INT_MAX;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) == NSC_OK);
    CHECK_NEAR(block.lambda[0], 1, 1e-6);
    CHECK_NEAR(lone_v[8], 0, 1e-6);

    /* a speed whose energy overflows: no iterate is finite, so NEWTON makes no sweeps in search of one */
    s.max_iterations = 3000, solved_by = NSC_SOLVER_NEWTON;
    p.arena = lone_arena, p.arena_size = (int)(sizeof lone_arena / sizeof *lone_arena);
    lone_free[6] = NSC_SQRT(NSC_REAL_MAX) * NSC_R(8.0), lone_free[8] = -lone_free[6];
    for (s.law = NSC_LAW_COULOMB; s.law <= NSC_LAW_CONE; s.law++) {
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_NOT_FINITE && r.iterations <= 1);
    }

    /* a row's velocity that overflows, of numbers that do not */
    solved_by = NSC_SOLVER_DANTZIG, s.law = NSC_LAW_PYRAMID;
    lone_free[6] = 0, block.J[0][8] = NSC_SQRT(NSC_REAL_MAX) / 4;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_NOT_FINITE);
    block.J[0][8] = NSC_R(1.0), lone_free[8] = NSC_R(-1.0);
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    s = default_settings();
    p.arena = NULL;

    solved_by = NSC_SOLVER_APGD;
    p.arena_size = NSC_ARENA_APGD(3); /* and no lone_arena */
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY);
    p.block_count = 0;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK && r.iterations == 0);
    p.v = lone_free;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
}

/* A sweep backwards through nothing */
static void a_sweep_through_nothing(void)
{
    nsc_problem p = pile(1);
    nsc_settings set = default_settings();
    nsc_report r;
    p.block_count = 0, set.symmetric = 1, v_free[8] = REAL(-.5);
    CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &set, &r) == NSC_OK);
    CHECK(nsci_sipgs_sweep(&p, &set, 1) <= 0);
    CHECK_NEAR(v[8], -.5, 0);
}

int main(void)
{
    reserves_of_auto();
    choices_of_auto();
    refused_problems();
    refused_solves();
    guesses_that_are_not_finite();
    bare_problems();
    numbers_at_their_limits();
    a_sweep_through_nothing();
    return TEST_END("problems");
}
