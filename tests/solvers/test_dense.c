/* AUTO on dense matrices of more than 150 contacts, where a factor costs as much as 75 sweeps: of random bodies, few to many for their
   contacts, masses alike to 100:1, CONE and COULOMB.  Where SIPGS reaches the tolerance, AUTO's factors cost at most twice its sweeps, so
   that all is at most three times SIPGS.  A factor costs rows / 6 sweeps: rows^3 / 6 multiplications against rows^2.  Where SIPGS does
   not, max_factorizations bounds all of AUTO's turns together. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "test.h"
#include "search.h"
#include <math.h>

enum { MOST = 180, ROWS = 3 * MOST, BODIES = 100, SWEEPS = 500, FACTORS = 40 };
static nsc_real matrix[ROWS * ROWS], v_free[ROWS], v[ROWS], arena[NSC_ARENA_NEWTON_MATRIX(ROWS)];
static nsc_block blocks[MOST];
static double jacobian[ROWS][12], inverse[BODIES][2];
static int ends[MOST][2];
static long reached, taken;

static void cross(const double *a, const double *b, double *c)
{
    int i;
    for (i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void unit(double *a)
{
    double l = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    int i;
    for (i = 0; i < 3; i++) a[i] /= l;
}

/* A contact of bodies a (-1: none) and b at random places */
static void make_contact(int k)
{
    double e[3][3], arm[2][3];
    int i, r;
    for (i = 0; i < 3; i++) e[0][i] = uniform(-1, 1), e[1][i] = uniform(-1, 1), arm[0][i] = uniform(-1, 1), arm[1][i] = uniform(-1, 1);
    e[0][0] += 1e-3;
    unit(e[0]);
    cross(e[0], e[1], e[2]);
    unit(e[2]);
    cross(e[2], e[0], e[1]);
    for (r = 0; r < 3; r++) {
        double *row = jacobian[3 * k + r];
        for (i = 0; i < 3; i++) row[i] = -e[r][i], row[6 + i] = e[r][i];
        cross(e[r], arm[0], row + 3);
        cross(arm[1], e[r], row + 9);
        v_free[3 * k + r] = (nsc_real)(uniform(-1, 1) - (r == 0 ? 0.5 : 0));
    }
    memset(&blocks[k], 0, sizeof blocks[k]);
    blocks[k].kind = NSC_BLOCK_CONTACT, blocks[k].rows = 3, blocks[k].mu = (nsc_real)uniform(0, 1);
}

/* J M^-1 J^T of two rows */
static double entry(int i, int j)
{
    double sum = 0;
    int x, y, d;
    for (x = 0; x < 2; x++)
        for (y = 0; y < 2; y++) {
            int body = ends[i / 3][x];
            if (body < 0 || body != ends[j / 3][y]) continue;
            for (d = 0; d < 6; d++) sum += jacobian[i][6 * x + d] * inverse[body][d > 2] * jacobian[j][6 * y + d];
        }
    return sum;
}

static nsc_problem make_problem(int contacts, int bodies, double spread)
{
    nsc_problem p;
    int i, j, rows = 3 * contacts;
    for (i = 0; i < bodies; i++) inverse[i][0] = pow(10, uniform(-spread, spread)), inverse[i][1] = 2.5 * inverse[i][0];
    for (i = 0; i < contacts; i++) {
        ends[i][0] = below(bodies + bodies / 5 + 1) - bodies / 5 - 1, ends[i][1] = below(bodies - 1);
        if (ends[i][0] < 0) ends[i][0] = -1;
        else if (ends[i][1] >= ends[i][0]) ends[i][1]++;
        make_contact(i);
    }
    for (i = 0; i < rows; i++)
        for (j = 0; j <= i; j++) matrix[i * rows + j] = matrix[j * rows + i] = (nsc_real)entry(i, j);
    memset(&p, 0, sizeof p);
    p.delassus = matrix, p.v_free = v_free, p.v = v, p.block_count = contacts, p.blocks = blocks;
    p.arena = arena, p.arena_size = (int)(sizeof arena / sizeof *arena);
    return p;
}

static int sweeps_of_auto;
static int count_sweep(void *user) { return (void)user, sweeps_of_auto++, 0; }

static int auto_is_quick(void)
{
    int contacts = 151 + below(MOST - 150), bodies = 45 + below(BODIES - 45), factors;
    nsc_settings s = nsc_default_settings();
    nsc_problem p = make_problem(contacts, bodies, uniform(0, 1));
    nsc_report r, own;
    s.law = below(2) ? NSC_LAW_CONE : NSC_LAW_COULOMB;
    s.warm_start = 0;
    s.max_iterations = SWEEPS, s.max_factorizations = FACTORS;
    s.tolerance = sizeof(nsc_real) == 8 ? (nsc_real)1e-6 : NSC_R(1e-4);
    CHECK_ONCE(nsc_problem_prepare(&p) == NSC_OK);
    CHECK_ONCE(nsc_solve_sipgs(&p, &s, &r) >= 0);
    p.stop = count_sweep, sweeps_of_auto = 0;
    CHECK_ONCE(nsc_solve_auto(&p, &s, &own) >= 0);
    factors = own.factorizations;
    said("%d contacts of %d bodies: SIPGS %d after %d sweeps; AUTO %d by %d with %d factors, %d sweeps and steps", contacts, bodies, r.status,
         r.iterations, own.status, own.solver, factors, sweeps_of_auto);
    taken += own.solver == NSC_SOLVER_NEWTON;
    if (factors > FACTORS) return 0;
    if (r.status != NSC_OK) return 1;
    reached++;
    return own.status == NSC_OK && factors * contacts / 2 <= 2 * r.iterations;
}

/* Where sweeps crawl, AUTO gives NEWTON a turn of 16 factors once the sweeps have cost as much, and ends with what is exact. */
static void crawling_sweeps_get_a_turn_of_newton(void)
{
    nsc_settings s = nsc_default_settings();
    nsc_problem p;
    nsc_report r;
    seed = 5;
    p = make_problem(151, 46, 2);
    s.law = NSC_LAW_COULOMB;
    s.warm_start = 0;
    s.max_iterations = 4000, s.max_factorizations = 100;
    s.tolerance = sizeof(nsc_real) == 8 ? (nsc_real)1e-9 : NSC_R(1e-5);
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(nsc_solve_auto(&p, &s, &r) == NSC_OK);
    printf("dense: %d iterations, %d factors, status %d of solver %d\n", r.iterations, r.factorizations, r.status, r.solver);
    CHECK(r.factorizations > 0);
}

int main(int argc, char **argv)
{
    int n;
    argc = test_begin(argc, argv);
    (void)argc;
    n = sample(5, trials(8, 200));
    if (search("AUTO costs three times SIPGS at most", auto_is_quick, n)) CHECK(3 * reached > n && taken > 0);
    if (sample(0, 1)) crawling_sweeps_get_a_turn_of_newton();
    printf("dense: SIPGS reached the tolerance in %ld, NEWTON ended %ld\n", reached, taken);
    return TEST_END("dense");
}
