/* MINRES: chains and loops of joints against closed answers, a dense factorisation and SIPGS. */
#define NSC_IMPLEMENTATION
#ifdef TEST_PART
#include "nsc_minres.h"
#endif
#include "shared.h"
#include "test.h"
#include <math.h>
#include <string.h>
#include "by.h"

enum { LINKS = 60, BLOCKS = 2 * LINKS + 2, ROWS = 3 * BLOCKS, DENSE = 100 };
static nsc_mass masses[LINKS + 1];
static nsc_real v_free[6 * (LINKS + 1)], v[6 * (LINKS + 1)], before[6 * (LINKS + 1)], arena[NSC_ARENA_MINRES(ROWS)];
static nsc_block blocks[BLOCKS];
static unsigned seed = 1;

#define PICK(in_double, in_float) (sizeof(nsc_real) == 8 ? (in_double) : (in_float))

static nsc_real rnd(void) /* -1..1 */
{
    seed = seed * 1664525u + 1013904223u;
    return (nsc_real)(seed >> 8) / NSC_R(8388608.0) - NSC_R(1.0);
}

static nsc_settings exact(int solver)
{
    nsc_settings s = default_settings();
    solved_by = solver, s.warm_start = 0, s.max_iterations = 200000;
    s.tolerance = (nsc_real)PICK(1e-10, 2e-6);
    return s;
}

/* Row of a block along a direction, at lever arms ra and rb */
static void row(nsc_real *J, int axis, const nsc_real *ra, const nsc_real *rb)
{
    int i;
    nsc_real d[3] = {0, 0, 0};
    d[axis] = 1;
    for (i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        J[i] = -d[i], J[6 + i] = d[i];
        J[3 + i] = -(ra[j] * d[k] - ra[k] * d[j]);
        J[9 + i] = rb[j] * d[k] - rb[k] * d[j];
    }
}

static void ball(nsc_block *b, int from, int to, const nsc_real *ra, const nsc_real *rb)
{
    int k;
    memset(b, 0, sizeof *b);
    b->a = from, b->b = to, b->kind = NSC_BLOCK_EQUALITY, b->rows = 3;
    for (k = 0; k < 3; k++) row(b->J[k], k, ra, rb);
}

static nsc_problem empty(int bodies)
{
    nsc_problem p;
    memset(&p, 0, sizeof p);
    memset(blocks, 0, sizeof blocks), memset(masses, 0, sizeof masses), memset(v_free, 0, sizeof v_free);
    p.body_count = bodies + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.blocks = blocks;
    p.arena = arena, p.arena_size = NSC_ARENA_MINRES(ROWS);
    return p;
}

/* Links of `length` in a row along x, joined ball by ball, the first to the ground.  Every second mass is `ratio`;
   crooked: the joints beside the line.  The free velocity is a fall along x, or anything. */
static nsc_problem chain(int n, double length, double ratio, int crooked)
{
    nsc_problem p = empty(n);
    int i, k;
    for (i = 1; i <= n; i++) {
        double m = i % 2 ? 1 : ratio;
        nsc_real ra[3] = {0, 0, 0}, rb[3] = {0, 0, 0};
        masses[i].inv_mass = (nsc_real)(1 / m);
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = (nsc_real)(12 / (m * length * length));
        ra[0] = (nsc_real)(i > 1 ? length / 2 : 0), rb[0] = (nsc_real)(-length / 2);
        if (crooked) ra[1] = (nsc_real)(0.1 * length * (i % 3)), rb[1] = (nsc_real)(0.1 * length * (i % 2));
        ball(&blocks[i - 1], i - 1, i, ra, rb);
        v_free[6 * i] = NSC_R(0.1);
        for (k = 0; crooked && k < 6; k++) v_free[6 * i + k] = NSC_R(0.1) * rnd() / (k < 3 ? 1 : (nsc_real)length);
    }
    p.block_count = n;
    return p;
}

/* Append copies of all blocks, last first. */
static void redouble(nsc_problem *p)
{
    int i, n = p->block_count;
    for (i = 0; i < n; i++) blocks[2 * n - 1 - i] = blocks[i];
    p->block_count *= 2;
}

static nsc_report solve(nsc_problem *p, const nsc_settings *s)
{
    nsc_report r;
    CHECK(nsc_problem_prepare(p) == NSC_OK);
    CHECK(solve_by(p, s, &r) >= 0);
    return r;
}

/* J M^-1 J' of row i of one block and row j of another */
static double coupling(const nsc_problem *p, const nsc_block *B, int i, const nsc_block *C, int j)
{
    double sum = 0;
    nsc_real y[12];
    int k;
    response(p, C, j, y);
    for (k = 0; k < 6; k++) {
        double wa = (double)y[k], wb = (double)y[6 + k];
        sum += (double)B->J[i][k] * ((B->a == C->a ? wa : 0) + (B->a == C->b ? wb : 0));
        sum += (double)B->J[i][6 + k] * ((B->b == C->a ? wa : 0) + (B->b == C->b ? wb : 0));
    }
    return sum;
}

/* J v of row i */
static double row_velocity(const nsc_block *b, int i, const nsc_real *of)
{
    double sum = 0;
    int k;
    for (k = 0; k < 6; k++)
        sum += (double)b->J[i][k] * (double)of[6 * b->a + k] +
               (double)b->J[i][6 + k] * (double)of[6 * b->b + k];
    return sum;
}

/* lambda of the whole problem by Cholesky in double */
static void dense(const nsc_problem *p, double *x)
{
    static double N[DENSE][DENSE];
    int i, j, k, n = p->row_count, b, c;
    for (b = 0; b < p->block_count; b++)
        for (c = 0; c < p->block_count; c++)
            for (i = 0; i < blocks[b].rows; i++)
                for (j = 0; j < blocks[c].rows; j++) {
                    double soft = b == c && i == j ? (double)blocks[b].cfm[i] : 0;
                    N[blocks[b].row + i][blocks[c].row + j] = soft + coupling(p, &blocks[b], i, &blocks[c], j);
                }
    for (b = 0; b < p->block_count; b++)
        for (i = 0; i < blocks[b].rows; i++)
            x[blocks[b].row + i] = -(double)blocks[b].bias[i] - row_velocity(&blocks[b], i, v_free);
    for (j = 0; j < n; j++) {
        for (k = 0; k < j; k++)
            for (i = j; i < n; i++) N[i][j] -= N[i][k] * N[j][k];
        N[j][j] = sqrt(N[j][j]);
        for (i = j + 1; i < n; i++) N[i][j] /= N[j][j];
    }
    for (i = 0; i < n; i++) {
        for (k = 0; k < i; k++) x[i] -= N[i][k] * x[k];
        x[i] /= N[i][i];
    }
    for (i = n - 1; i >= 0; i--) {
        for (k = i + 1; k < n; k++) x[i] -= N[k][i] * x[k];
        x[i] /= N[i][i];
    }
}

/* Largest difference of lambda, by its largest */
static double difference(const nsc_problem *p, const double *x)
{
    double worst = 0, size = 0;
    int b, i;
    for (b = 0; b < p->block_count; b++)
        for (i = 0; i < blocks[b].rows; i++) {
            worst = fmax(worst, fabs((double)blocks[b].lambda[i] - x[blocks[b].row + i]));
            size = fmax(size, fabs(x[blocks[b].row + i]));
        }
    return worst / size;
}

static double change(int bodies)
{
    double worst = 0;
    int i;
    for (i = 0; i < 6 * (bodies + 1); i++) worst = fmax(worst, fabs((double)(v[i] - before[i])));
    return worst;
}

/* n links hang still: joint i carries the n - i below it */
static void joints_of_a_chain_carry_what_hangs_below(void)
{
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    nsc_problem p;
    int n, i;
    for (n = 1; n <= LINKS; n += n < 5 ? 1 : 11) {
        nsc_report r;
        p = chain(n, 1, 1, 0);
        r = solve(&p, &s);
        CHECK(r.status == NSC_OK && r.residual <= s.tolerance && r.solver == NSC_SOLVER_MINRES && r.iterations <= n + 10);
        for (i = 0; i < n; i++) CHECK_NEAR(blocks[i].lambda[0], -0.1 * (n - i), PICK(1e-7, 1e-3));
    }
}

static void answers_are_those_of_a_dense_factor(void)
{
    static const double ratio[3] = {1, 100, 1e4}, length[3] = {1, 1e-3, 1e3};
    static double x[DENSE];
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    int i, k, soft;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++)
            for (soft = 0; soft < 2; soft++) {
                nsc_problem p = chain(20, length[k], ratio[i], 1);
                nsc_report r;
                int b;
                for (b = 0; b < 20; b++) blocks[b].bias[b % 3] = NSC_R(0.05) * rnd(), blocks[b].cfm[b % 2] = soft ? NSC_R(0.3) : 0;
                s.tolerance = (nsc_real)PICK(1e-11, 2e-6 * (i == 2 ? 2e3 : i == 1 ? 20 : 1)); /* rounding: eps lambda / m */
                r = solve(&p, &s);
                dense(&p, x);
                CHECK(r.status == NSC_OK);
                if (sizeof(nsc_real) == 8 || i < 2) CHECK_NEAR(difference(&p, x), 0, PICK(1e-7, i == 1 ? 1e-2 : 1e-4));
            }
}

/* As far as it goes with tolerance 0: it must end by itself, at rounding */
static void with_tolerance_0_it_ends_at_rounding(void)
{
    static const double ratio[3] = {1, 100, 1e4};
    int i;
    for (i = 0; i < 3; i++) {
        nsc_problem p = chain(LINKS, 1, ratio[i], 1);
        nsc_settings s = exact(NSC_SOLVER_MINRES);
        nsc_report r, g;
        s.tolerance = 0;
        r = solve(&p, &s);
        CHECK(r.iterations <= 500 && r.status == (r.residual <= r.floor ? NSC_OK : NSC_STALLED));
        CHECK_NEAR(r.residual, 0, PICK(1e-13, 4e-6) * (ratio[i] > 1 ? 3 * ratio[i] : 3));
        solved_by = NSC_SOLVER_SIPGS, s.max_iterations = 2000;
        g = solve(&p, &s);
        printf("minres: 60 crooked links, masses 1:%g, tolerance 0: residual %.2g after %d iterations; SIPGS %.2g after %d\n", ratio[i],
               (double)r.residual, r.iterations, (double)g.residual, g.iterations);
    }
}

/* Iterations against SIPGS's sweeps, on the straight hanging chain */
static void iterations_grow_with_the_links_not_their_square(void)
{
    int n, last[2] = {0, 0};
    for (n = 15; n <= LINKS; n *= 2) {
        int k, count[2];
        for (k = 0; k < 2; k++) {
            nsc_problem p = chain(n, 1, 1, 0);
            nsc_settings s = exact(k ? NSC_SOLVER_SIPGS : NSC_SOLVER_MINRES);
            nsc_report r;
            s.tolerance = NSC_R(1e-5);
            r = solve(&p, &s);
            CHECK(r.status == NSC_OK);
            count[k] = r.iterations;
        }
        printf("minres: %d hanging links to 1e-5 m/s: %d iterations, SIPGS %d sweeps\n", n, count[0], count[1]);
        CHECK(count[0] <= n + 5 && count[1] > 10 * count[0]);
        if (n > 15) CHECK(count[0] < 3 * last[0] && count[1] > 3 * last[1]); /* n against n^2 */
        last[0] = count[0], last[1] = count[1];
    }
}

/* Every joint twice: the same velocities, half the impulse each */
static void doubled_joints_bear_half_each(void)
{
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    nsc_problem p = chain(30, 1, 1, 1);
    nsc_report r = solve(&p, &s);
    int i, once = r.iterations;
    nsc_real single = blocks[4].lambda[0];
    CHECK(r.status == NSC_OK);
    memcpy(before, v, sizeof v);
    redouble(&p);
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK && r.iterations <= once + 10);
    CHECK_NEAR(change(30), 0, PICK(1e-8, 1e-4));
    for (i = 0; i < 30; i++) CHECK_NEAR(blocks[i].lambda[1], blocks[59 - i].lambda[1], PICK(1e-9, 1e-4));
    CHECK_NEAR(blocks[4].lambda[0], single / 2, PICK(1e-8, 1e-3));
}

/* Four bars in a plane on four hinges: 20 rows, of which 17 are independent */
static void four_bars_with_redundant_rows_are_solved(void)
{
    static const nsc_real at[4][3] = {{0, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 0, 0}};
    static const nsc_real centre[4][3] = {{0, 0, 0}, {0, NSC_R(0.5), 0}, {1, 1, 0}, {2, NSC_R(0.5), 0}};
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    nsc_problem p = empty(3);
    nsc_report r;
    int i, k;
    for (i = 1; i <= 3; i++) {
        masses[i].inv_mass = 1 / (nsc_real)i;
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = NSC_R(3.0) / (nsc_real)(i + k);
        for (k = 0; k < 6; k++) v_free[6 * i + k] = rnd();
    }
    for (i = 0; i < 4; i++) {
        int a = i, b = (i + 1) % 4;
        nsc_real ra[3], rb[3];
        nsc_block *axes;
        for (k = 0; k < 3; k++) ra[k] = at[i][k] - centre[a][k], rb[k] = at[i][k] - centre[b][k];
        ball(&blocks[2 * i], a, b, ra, rb);
        axes = &blocks[2 * i + 1];
        axes->a = a, axes->b = b, axes->kind = NSC_BLOCK_EQUALITY, axes->rows = 2;
        for (k = 0; k < 2; k++) axes->J[k][3 + k] = -1, axes->J[k][9 + k] = 1;
    }
    p.block_count = 8;
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK && r.iterations <= 25);
    for (i = 1; i <= 3; i++) { /* a parallelogram at right angles: the bars turn alike, the coupler slides */
        CHECK_NEAR(v[6 * i + 2], 0, PICK(1e-8, 1e-5));
        CHECK_NEAR(v[6 * i + 3], 0, PICK(1e-8, 1e-5));
        CHECK_NEAR(v[6 * i + 4], 0, PICK(1e-8, 1e-5));
    }
    CHECK_NEAR(v[11], v[23], PICK(1e-8, 1e-5));
    CHECK_NEAR(v[12], -v[11], PICK(1e-8, 1e-5));
    memcpy(before, v, sizeof v);
    s = exact(NSC_SOLVER_SIPGS);
    r = solve(&p, &s);
    CHECK_NEAR(change(3), 0, PICK(1e-7, 1e-4));
}

/* Two joints that want different things, and two rows of one block that do: neither OK nor a hang, the mean of both */
static void contradicting_joints_end_at_the_mean(void)
{
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    nsc_problem p = chain(10, 1, 1, 1);
    nsc_report r;
    int b, i;
    redouble(&p);
    for (i = 0; i < 3; i++) blocks[4].bias[i] = NSC_R(0.2), blocks[15].bias[i] = NSC_R(-0.4);
    r = solve(&p, &s);
    CHECK((r.status == NSC_STALLED || r.status == NSC_ITERATION_LIMIT) && r.iterations < 200);
    CHECK_NEAR(r.residual, 0.3 * sqrt(3.0), PICK(1e-8, 1e-5));
    for (b = 0; b < 20; b++)
        for (i = 0; i < 3; i++) CHECK(fabs((double)blocks[b].lambda[i]) < 10);
    memcpy(before, v, sizeof v);
    for (i = 0; i < 3; i++) blocks[4].bias[i] = NSC_R(-0.1), blocks[15].bias[i] = NSC_R(-0.1);
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK);
    CHECK_NEAR(change(10), 0, PICK(1e-8, 1e-4));
    p = chain(3, 1, 1, 1);
    memcpy(blocks[1].J[2], blocks[1].J[0], sizeof blocks[1].J[0]);
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK);
    blocks[1].bias[2] = NSC_R(0.1);
    r = solve(&p, &s);
    CHECK((r.status == NSC_STALLED || r.status == NSC_ITERATION_LIMIT) && r.residual < NSC_R(0.11));
    CHECK(r.iterations <= 4 * 9 + 20);
}

/* A chain of four over a ground it touches with its end: joints opened, contacts as SIPGS left them */
static void joints_are_closed_and_contacts_left_alone(void)
{
    int law;
    for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++) {
        nsc_settings s = exact(NSC_SOLVER_SIPGS);
        nsc_problem p = chain(30, 1, 1, 1);
        nsc_real arm[3] = {NSC_R(0.5), 0, 0}, none[3] = {0, 0, 0}, contact[3];
        double worst = 0;
        nsc_report r, first;
        int i;
        for (i = 1; i <= 30; i++) v_free[6 * i + 1] = NSC_R(0.02) * rnd(), v_free[6 * i + 2] = NSC_R(-0.1);
        ball(&blocks[30], 0, 30, none, arm);
        for (i = 0; i < 12; i++) {
            nsc_real x = blocks[30].J[0][i]; /* normal along z */
            blocks[30].J[0][i] = blocks[30].J[2][i], blocks[30].J[2][i] = blocks[30].J[1][i], blocks[30].J[1][i] = x;
        }
        blocks[30].kind = NSC_BLOCK_CONTACT, blocks[30].mu = NSC_R(0.5), blocks[30].rows = 3;
        p.block_count = 31;
        s.law = law, s.max_iterations = 10;
        first = solve(&p, &s);
        CHECK(first.status == NSC_ITERATION_LIMIT && first.residual > NSC_R(1e-4));
        memcpy(contact, blocks[30].lambda, sizeof contact);
        CHECK(contact[0] > NSC_R(0.01));
        solved_by = NSC_SOLVER_MINRES, s.warm_start = 1, s.max_iterations = 1000;
        CHECK(solve_by(&p, &s, &r) == r.status);
        for (i = 0; i < 30; i++) {
            double sum = 0;
            int k;
            for (k = 0; k < 3; k++) {
                double soft = (double)(blocks[i].cfm[k] * blocks[i].lambda[k]);
                sum += pow(row_velocity(&blocks[i], k, v) + (double)blocks[i].bias[k] + soft, 2);
            }
            worst = fmax(worst, sqrt(sum));
        }
        CHECK(worst <= (double)s.tolerance);
        for (i = 0; i < 3; i++) CHECK_NEAR(blocks[30].lambda[i], contact[i], 4 * NSC_REAL_EPS * contact[0]);
        CHECK(r.violation <= 4 * NSC_REAL_EPS * contact[0]);
        CHECK(r.status == (r.residual <= s.tolerance ? NSC_OK : NSC_STALLED)); /* never OK because of the joints alone */
        CHECK(r.residual > s.tolerance && r.worst_block == 30);
        memcpy(contact, blocks[30].lambda, sizeof contact);
        CHECK(solve_by(&p, &s, NULL) == NSC_STALLED);
    }
}

/* With N given, and with its rows the long way round */
static void a_given_matrix_gives_the_same_answer(void)
{
    static nsc_real N[30 * 30], free_u[30], out[30];
    static double x[DENSE];
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    nsc_problem p = chain(10, 1, 3, 1);
    nsc_report r;
    int b, i, k;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    dense(&p, x);
    for (b = 0; b < 10; b++)
        for (i = 0; i < 3; i++) {
            for (k = 0; k < 30; k++) N[30 * (3 * b + i) + k] = (nsc_real)coupling(&p, &blocks[b], i, &blocks[k / 3], k % 3);
            free_u[3 * b + i] = (nsc_real)row_velocity(&blocks[b], i, v_free);
        }
    p.delassus = N, p.v_free = free_u, p.v = out, p.masses = NULL;
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK);
    CHECK_NEAR(difference(&p, x), 0, PICK(1e-8, 1e-4));
}

static int stop_after;
static int stop(void *user) { return (*(int *)user)++ >= stop_after; }

static void nothing_to_solve_no_room_and_no_end_are_told(void)
{
    static nsc_block copy[BLOCKS];
    static nsc_real out[6 * (LINKS + 1)];
    nsc_settings s = exact(NSC_SOLVER_MINRES);
    nsc_problem p = empty(3);
    nsc_report r;
    int i, asks = 0;
    p.arena = NULL, p.arena_size = 0;
    r = solve(&p, &s); /* nothing */
    CHECK(r.status == NSC_OK && r.iterations == 0 && r.worst_block == -1);
    p = chain(5, 1, 1, 1);
    memset(masses, 0, sizeof masses);
    r = solve(&p, &s); /* nothing that moves */
    CHECK(r.status == NSC_OK && r.skipped_rows == 15 && fabs((double)blocks[2].lambda[0]) <= 0);
    p = chain(1, 1, 1, 0);
    blocks[0].rows = 1, blocks[0].bias[0] = NSC_R(0.4);
    r = solve(&p, &s); /* one row */
    CHECK(r.status == NSC_OK && r.iterations <= 2);
    CHECK_NEAR(blocks[0].lambda[0], -0.5, PICK(1e-14, 1e-6));
    blocks[0].cfm[0] = 3;
    r = solve(&p, &s); /* and held softly */
    CHECK(r.status == NSC_OK);
    CHECK_NEAR(blocks[0].lambda[0], -0.125, PICK(1e-14, 1e-6));
    p = chain(5, 1, 1, 1);
    memset(blocks[2].J[1], 0, sizeof blocks[2].J[1]);
    blocks[2].bias[1] = 7;
    r = solve(&p, &s); /* a row without mass is not judged */
    CHECK(r.status == NSC_OK && r.skipped_rows == 1 && fabs((double)blocks[2].lambda[1]) <= 0);
    p = chain(1, 1, 1, 0);
    memset(blocks[0].J[1], 0, sizeof blocks[0].J[1]);
    blocks[0].bias[1] = 7;
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK && r.iterations <= 3);
    p = chain(5, 1, 1, 1);
    p.arena_size = NSC_ARENA_MINRES(15);
    r = solve(&p, &s);
    CHECK(r.status == NSC_OK);
    memcpy(copy, blocks, sizeof copy);
    p.arena_size--;
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY && r.status == NSC_ERR_CAPACITY && memcmp(copy, blocks, sizeof copy) == 0);
    p.arena = NULL;
    CHECK(solve_by(&p, &s, NULL) == NSC_ERR_CAPACITY);
    p = chain(LINKS, 1, 1, 1);
    for (i = NSC_LAW_COULOMB; i <= NSC_LAW_PYRAMID; i++) { /* the law does not matter, nor what was there before */
        s.law = i;
        for (asks = 0; asks < 5; asks++) arena[7 * asks] = rnd();
        r = solve(&p, &s);
        CHECK(r.status == NSC_OK && r.iterations <= PICK(80, 60));
        if (i > NSC_LAW_COULOMB) CHECK(memcmp(copy, blocks, sizeof copy) == 0 && memcmp(out, v, sizeof v) == 0);
        memcpy(copy, blocks, sizeof copy), memcpy(out, v, sizeof v);
    }
    s.max_iterations = 7;
    r = solve(&p, &s);
    CHECK(r.status == NSC_ITERATION_LIMIT && r.iterations == 7);
    s.max_iterations = 1000, s.tolerance = 0, s.stall_window = 1, s.check_interval = 1;
    r = solve(&p, &s);
    CHECK(r.status == NSC_STALLED);
    asks = 0, stop_after = 3, p.stop = stop, p.user = &asks, s.stall_window = 0;
    r = solve(&p, &s);
    CHECK(r.status == NSC_STOPPED && r.iterations < 6);
    p.stop = NULL;
    v_free[6] = NSC_REAL_MAX, v_free[12] = -NSC_REAL_MAX;
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_NOT_FINITE && fabs((double)blocks[0].lambda[0]) <= 0);
}

int main(void)
{
    joints_of_a_chain_carry_what_hangs_below();
    answers_are_those_of_a_dense_factor();
    with_tolerance_0_it_ends_at_rounding();
    iterations_grow_with_the_links_not_their_square();
    doubled_joints_bear_half_each();
    four_bars_with_redundant_rows_are_solved();
    contradicting_joints_end_at_the_mean();
    joints_are_closed_and_contacts_left_alone();
    a_given_matrix_gives_the_same_answer();
    nothing_to_solve_no_room_and_no_end_are_told();
    return TEST_END("minres");
}
