/* 200 random problems: solvers of one law give the same velocities; doubled and permuted contacts change nothing. */
#define NSC_IMPLEMENTATION
#include "../nsc_solvers.h"
#include "test.h"

enum { BODIES = 7, BLOCKS = 24 };
static nsc_mass masses[BODIES];
static nsc_real v_free[6 * BODIES], v[6 * BODIES], first[6 * BODIES], arena[NSC_ARENA_DANTZIG(3 * BLOCKS)];
static nsc_block blocks[BLOCKS];
static unsigned seed = 7;

static nsc_real rnd(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (nsc_real)(seed >> 8) / NSC_R(8388608.0) - NSC_R(1.0);
}

/* Row of block b along a direction, at lever arms ra and rb */
static void row(nsc_real *J, const nsc_real *d, const nsc_real *ra, const nsc_real *rb)
{
    int i;
    for (i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        J[i] = -d[i], J[6 + i] = d[i];
        J[3 + i] = -(ra[j] * d[k] - ra[k] * d[j]);
        J[9 + i] = rb[j] * d[k] - rb[k] * d[j];
    }
}

static void block(nsc_block *b, int from, int to, nsc_real x, nsc_real y, int kind)
{
    nsc_real ra[3], rb[3], d[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    int i;
    memset(b, 0, sizeof *b);
    ra[0] = rb[0] = x, ra[1] = rb[1] = y, ra[2] = NSC_R(0.5), rb[2] = NSC_R(-0.5);
    b->a = from, b->b = to, b->rows = 3, b->kind = (unsigned char)kind, b->mu = NSC_R(0.4) + NSC_R(0.2) * rnd();
    for (i = 0; i < 3; i++) row(b->J[i], d[i], ra, rb);
}

/* A stack of plates, one joint, mass ratios to 1:100, under gravity and a shove.  On four corners a plate is
   statically indeterminate: then only CONE has unique velocities (sliding friction depends on who carries what). */
static nsc_problem stack(int joints, int corners)
{
    nsc_problem p;
    int i, k, n = 0, bodies = 2 + (int)(seed >> 20) % 4;
    memset(&p, 0, sizeof p), memset(masses, 0, sizeof masses), memset(v_free, 0, sizeof v_free);
    for (i = 1; i <= bodies; i++) {
        nsc_real m = rnd() > NSC_R(0.6) ? NSC_R(10.0) : NSC_R(1.0) + NSC_R(0.9) * rnd();
        masses[i].inv_mass = 1 / m;
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = 6 / m;
        v_free[6 * i + 2] = NSC_R(-0.04);
        for (k = 0; k < 2; k++) v_free[6 * i + k] = NSC_R(0.05) * rnd();
        if (joints && i == bodies) block(&blocks[n++], i - 1, i, 0, 0, NSC_BLOCK_EQUALITY);
        else
            for (k = 0; k < corners; k++)
                block(&blocks[n++], i - 1, i, (k & 1 ? 1 : -1) * (NSC_R(0.5) + NSC_R(0.1) * rnd()), (k & 2 ? 1 : -1) * (NSC_R(0.5) + NSC_R(0.1) * rnd()),
                      NSC_BLOCK_CONTACT);
    }
    p.body_count = bodies + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.blocks = blocks, p.block_count = n;
    p.arena = arena, p.arena_size = NSC_ARENA_DANTZIG(3 * BLOCKS);
    return p;
}

static int converged; /* of the last solve */

static void solve(nsc_problem *p, int solver, int law)
{
    nsc_settings s = nsc_default_settings();
    nsc_report r;
    s.solver = solver, s.law = law, s.warm_start = 0, s.max_iterations = 100000, s.passes = 200;
    s.tolerance = sizeof(nsc_real) == 4 ? NSC_R(2e-7) : NSC_R(1e-11), s.stall_window = 20000;
    CHECK(nsc_problem_prepare(p) == NSC_OK);
    CHECK(nsc_solve(p, &s, &r) >= 0);
    converged = r.residual < (sizeof(nsc_real) == 4 ? NSC_R(5e-6) : NSC_R(1e-9));
}

static double difference(const nsc_problem *p)
{
    double worst = 0;
    int i;
    for (i = 0; i < 6 * p->body_count; i++) {
        double d = (double)(v[i] - first[i]);
        if (d < 0) d = -d;
        if (d > worst) worst = d;
    }
    return worst / 0.1; /* the velocity scale of these problems */
}

int main(void)
{
    /* by law */
    static const int others[3][2] = {{NSC_SOLVER_APGD, NSC_SOLVER_BB}, {NSC_SOLVER_APGD, NSC_SOLVER_BB}, {NSC_SOLVER_DANTZIG, 0}};
    double limit = sizeof(nsc_real) == 4 ? 1e-3 : 1e-6;
    int law, n, m, unfinished[4] = {0}, other[4] = {0};
    for (n = 0; n < 200; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_BOX; law++) {
            nsc_problem p = stack(n % 3 == 0, law == NSC_LAW_CONE ? 4 : 3);
            int done, i;
            solve(&p, NSC_SOLVER_SIPGS, law);
            done = converged;
            memcpy(first, v, sizeof v);
            for (m = 0; m < 2 && others[law - 1][m]; m++) {
                solve(&p, others[law - 1][m], law);
                if (!done || !converged) unfinished[law]++;
                else if (difference(&p) <= limit) test_passed++;
                else if (law == NSC_LAW_CONE) CHECK(difference(&p) <= limit); /* unique: no excuse */
                else other[law]++;                                           /* two solutions of one law */
            }
            if (law != NSC_LAW_CONE || n % 4 || p.block_count > BLOCKS / 2) continue;
            for (i = 0; i < p.block_count; i++) blocks[2 * p.block_count - 1 - i] = blocks[i]; /* doubled, reversed */
            p.block_count *= 2;
            for (m = 0; m < 2; m++) {
                solve(&p, others[law - 1][m], law);
                if (converged) CHECK(difference(&p) <= limit);
            }
        }
    printf("agree: of 200 problems a law, unfinished runs %d COULOMB, %d CONE, %d BOX; second solutions %d COULOMB, %d BOX\n",
           unfinished[1], unfinished[2], unfinished[3], other[1], other[3]);
    for (law = 1; law <= 3; law++) CHECK(unfinished[law] <= 10 && other[law] <= 10);
    return TEST_END("agree");
}
