/* What every solver has to hold: heavy stacks, sliding, Painleve's rod, singular and contradicting rows, joints with motors,
   nasty numbers.  One table names the solvers, what they are for and how much time they get; a new one is one line of it.
   Each solve is certified on the way, see certify().  test_hard -v prints the numbers, with a table of mass ratios. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "search.h"
#include "hard.h"
#include "by.h"

enum { COULOMB = 1, CONE = 2, BOX = 4, CONTACTS = 8, HEAVY = 16, CHAINS = 32, FACTORS = 64, ROUNDS = 128 };

typedef struct entry {
    int solver;
    const char *name;
    unsigned is;  /* the laws it offers; CONTACTS: not for joints alone; HEAVY, CHAINS: keeps mass ratios of 1000 in stacks, in
                     chains of joints; FACTORS: reports factorisations; ROUNDS: NSC_OK up to rounding above the tolerance */
    int patience; /* iterations it gets where the answer itself is asked for */
    int heavy;    /* iterations it gets for heavy stacks */
} entry;

static const entry table[] = { /* in the order of NSC_SOLVER_* */
    {NSC_SOLVER_SIPGS, "SIPGS", COULOMB | CONE | BOX | CONTACTS, 100000, 1000},
    {NSC_SOLVER_APGD, "APGD", COULOMB | CONE | CONTACTS | ROUNDS, 50000, 1000},
    {NSC_SOLVER_DANTZIG, "DANTZIG", BOX | CONTACTS | CHAINS | ROUNDS, 1000, 1000},
    {NSC_SOLVER_BB, "BB", COULOMB | CONE | CONTACTS, 50000, 1000},
    {NSC_SOLVER_MINRES, "MINRES", CONE | CHAINS, 1000, 1000},
    {NSC_SOLVER_ADMM, "ADMM", COULOMB | CONE | CONTACTS | HEAVY | CHAINS | FACTORS, 5000, 1000},
    {NSC_SOLVER_NEWTON, "NEWTON", COULOMB | CONE | CONTACTS | HEAVY | CHAINS | FACTORS, 1000, 200},
    {NSC_SOLVER_AUTO, "AUTO", COULOMB | CONE | CONTACTS | HEAVY | CHAINS, 5000, 1000},
};

enum { MOST_FACTORIZATIONS = 30 };
static const char *const law_name[4] = {"", "COULOMB", "CONE", "PYRAMID"};

/* ---- who is tested, where ------------------------------------------------------------------------------------------------ */

static const entry *now; /* the solver, the law, the scene and the report of the last solve */
static int law, verbose;
static char scene[80];
static nsc_report r;

static void hold(int ok, const char *what, int line)
{
    if (test_at(ok, what, __FILE__, line, 1))
        printf("    %s: status %d, iterations %d, residual %g, eta %g\n", scene, r.status, r.iterations, (double)r.residual, (double)r.eta);
}

/* With -v: what came out, and one number more */
static void tell(const char *what, double number)
{
    if (!verbose) return;
    printf("  %-7s %-7s %-46s status %d %6d it %3d fact  residual %.1e eta %.1e gap %.1e", now->name, law_name[law], scene, r.status,
           r.iterations, r.factorizations, (double)r.residual, (double)r.eta, (double)r.duality_gap);
    if (*what) printf(" %s %.2e", what, number);
    printf("\n");
}

/* A check that fails where a defect is known, and named, counts as skipped. */
static void hold_unless(int defect, int ok, const char *what, const char *why, int line)
{
    char text[240];
    if (ok || !defect) {
        hold(ok, what, line);
        return;
    }
    snprintf(text, sizeof text, "%s %s: %s", now->name, law_name[law], why);
    SKIP(text);
}

#define HOLD(cond) hold(!!(cond), #cond, __LINE__)
#define HOLD_UNLESS(defect, cond, why) hold_unless(defect, !!(cond), #cond, why, __LINE__)
#define NAME(...) snprintf(scene, sizeof scene, __VA_ARGS__)

static int offers(int some_law) { return (now->is & 1u << (some_law - 1)) != 0; }
static int is(unsigned promise) { return (now->is & promise) != 0; }

/* ---- scenes -------------------------------------------------------------------------------------------------------------- */

/* Cubes on the ground, four contacts an interface, the top one `ratio` as heavy */
static void stack(int n, double ratio, double size, double m)
{
    int i, k;
    begin();
    for (i = 1; i <= n; i++) {
        double own = i == n ? m * ratio : m;
        body(own, own * size * size / 6, 0, 0, (i - 0.5) * size);
        for (k = 0; k < 4; k++) contact(i - 1, i, (k & 1 ? 0.5 : -0.5) * size, (k & 2 ? 0.5 : -0.5) * size, (i - 1) * size, 0.5);
    }
}

/* Largest relative error of a level's normal impulses against the weight above it */
static double support_error(void)
{
    double worst = 0, weight = 0, sum, e;
    int i, k;
    for (i = P.body_count - 1; i > 0; i--) {
        weight += mass[i] * gravity * h;
        for (k = 0, sum = 0; k < P.block_count; k++)
            if (blocks[k].b == i) sum += (double)blocks[k].lambda[0];
        e = fabs(sum - weight) / weight;
        if (e > worst) worst = e;
    }
    return worst;
}

/* A plate of 1 kg on contacts at `corners` points, each `times` times, shoved sideways */
static void plate(int corners, int times, double mu)
{
    int i;
    begin();
    body(1, 1.0 / 6, 0, 0, 0.5);
    v_free[6] = NSC_R(0.7), v_free[7] = NSC_R(0.2), v_free[11] = NSC_R(0.1);
    for (i = 0; i < corners * times; i++) {
        int k = i % corners;
        contact(0, 1, k == 2 && corners == 3 ? 0.1 : k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0, mu);
    }
}

/* ---- one certified solve ------------------------------------------------------------------------------------------------- */

static int same(nsc_real a, nsc_real b) { return !(a < b) && !(a > b); }

/* v - v_free = M^-1 J^T lambda: momentum is what the impulses gave, no more */
static int momentum_is_kept(void)
{
    double dv[6 * BODIES] = {0}, size[6 * BODIES] = {0};
    int k, i, ok = 1;
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) add_impulse(&blocks[k], i, (double)blocks[k].lambda[i], dv, size);
    for (i = 0; i < 6 * P.body_count; i++) {
        double limit = 4 * eps * (P.row_count + 4) * (size[i] + fabs((double)v_free[i])) + 4 * (double)NSC_REAL_MIN;
        ok &= fabs((double)v[i] - (double)v_free[i] - dv[i]) <= limit;
    }
    return ok;
}

/* So much of a row's velocity is only rounding */
static double rounding(void)
{
    static const int diagonal[3] = {0, 2, 5}; /* of a symmetric matrix in six numbers */
    double worst = 0;
    int k, i, j;
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) {
            const nsc_block *b = &blocks[k];
            double sum = fabs((double)b->bias[i]), l = fabs((double)b->lambda[i]);
            sum += fmax(l * (double)b->delassus[diagonal[i]], b->rho > 0 ? l / (double)b->rho : 0);
            for (j = 0; j < 12 && !P.delassus; j++) {
                int n = j < 6 ? 6 * b->a + j : 6 * b->b + j - 6;
                sum += fabs((double)b->J[i][j]) * (fabs((double)v[n]) + fabs((double)v_free[n]));
            }
            if (sum > worst) worst = sum;
        }
    return 64 * eps * worst;
}

/* The report's floor by its definition, in double */
static double floor_in_double(void)
{
    double size[6 * BODIES], worst = 0;
    nsc_real y[12];
    int k, i, j;
    for (i = 0; i < 6 * P.body_count; i++) size[i] = fabs((double)v_free[i]);
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) {
            response(&P, &blocks[k], i, y);
            for (j = 0; j < 12; j++)
                size[j < 6 ? 6 * blocks[k].a + j : 6 * blocks[k].b + j - 6] += fabs((double)y[j] * (double)blocks[k].lambda[i]);
        }
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) {
            const nsc_block *b = &blocks[k];
            double sum = fabs((double)b->bias[i]) + fabs((double)b->cfm[i] * (double)b->lambda[i]);
            for (j = 0; j < 12; j++) {
                int n = j < 6 ? 6 * b->a + j : 6 * b->b + j - 6;
                sum += fabs((double)b->J[i][j]) * size[n];
            }
            if (b->eff_mass[i] > 0) worst = fmax(worst, sum);
        }
    return 0.5 * eps * worst + (double)P.bias_error;
}

static double slack(void) { return table[r.solver - 1].is & ROUNDS ? rounding() : 0; }

static int a_box_without_zero(void)
{
    int k, i, found = 0;
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++)
            found |= blocks[k].kind == NSC_BLOCK_BOX && (blocks[k].lo[i] > 0 || blocks[k].hi[i] < 0);
    return found;
}

/* DANTZIG's friction is bounded by the normals of the pass before: as far outside as the residual says, or as the status does */
static double frozen_bounds(void)
{
    double rho = 0;
    int k;
    if (r.solver != NSC_SOLVER_DANTZIG) return 0;
    for (k = 0; k < P.block_count; k++) rho = fmax(rho, (double)blocks[k].rho);
    return r.status == NSC_OK ? 4 * rho * ((double)r.residual + rounding()) : HUGE_VAL;
}

/* The report is what its definitions give in double, up to rounding. */
static void check_report(void)
{
    double w[6 * BODIES], vf[6 * BODIES], residual, objective, gap, size, coarse = fine(1e-3, 1e-9);
    measure_in_double(law, in_double(v, w), in_double(v_free, vf), &residual, &objective, &gap, &size);
    HOLD(fabs((double)r.residual - residual) <= rounding() + coarse * residual);
    HOLD(fabs((double)r.objective - objective) <= coarse * size);
    HOLD(fabs((double)r.duality_gap - gap) <= coarse * size);
}

/* What must be true of every answer, whatever the problem */
static void certify(const nsc_settings *s, int code)
{
    nsc_report again;
    double largest = 0, coarse = fine(1e-3, 1e-9), enough;
    int k, i, finite = 1;
    HOLD(r.status == code && (code >= NSC_OK || code == NSC_ERR_NOT_FINITE));
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) {
            finite &= is_finite((double)blocks[k].lambda[i]);
            largest = fmax(largest, fabs((double)blocks[k].lambda[i]));
        }
    for (i = 0; i < (P.delassus ? P.row_count : 6 * P.body_count); i++) finite &= is_finite((double)P.v[i]);
    HOLD(finite);
    if (!P.delassus) HOLD(momentum_is_kept());
    if (code < 0) HOLD(largest <= 0);
    if (code < 0) return;
    HOLD(nsc_problem_measure(&P, s->law, &again) == NSC_OK);
    HOLD(same(again.residual, r.residual) && same(again.eta, r.eta) && same(again.violation, r.violation));
    HOLD(same(again.objective, r.objective) && same(again.duality_gap, r.duality_gap) && again.worst_block == r.worst_block);
    if (!P.delassus) check_report();
    if (!P.delassus && r.floor > 0 && r.residual > s->tolerance) HOLD(fabs((double)r.floor / floor_in_double() - 1) <= coarse);
    HOLD_UNLESS(a_box_without_zero(), (double)r.violation <= 16 * eps * largest + frozen_bounds(),
                "a guess scaled to 0, or a row without mass, is outside its box");
    HOLD(now->solver == NSC_SOLVER_AUTO ? r.solver >= NSC_SOLVER_SIPGS && r.solver < NSC_SOLVER_AUTO : r.solver == now->solver);
    HOLD(r.iterations >= 0 && (r.solver == NSC_SOLVER_DANTZIG || r.iterations <= s->max_iterations));
    if (is(FACTORS)) HOLD(r.factorizations > 0 || r.iterations == 0 || r.skipped_rows == P.row_count);
    enough = fmax((double)s->tolerance, (double)r.floor);
    if (code == NSC_OK)
        HOLD_UNLESS(r.solver == NSC_SOLVER_DANTZIG && (a_box_without_zero() || (double)r.eta < 1e-2),
                    (double)r.residual <= enough + slack(), "says NSC_OK of what is not solved");
}

static int solve(int iterations, double tolerance, int warm)
{
    nsc_settings s = default_settings();
    int code;
    solved_by = now->solver, s.law = law, s.max_iterations = iterations, s.tolerance = (nsc_real)tolerance, s.warm_start = warm;
    s.passes = 200, s.max_factorizations = iterations;
    HOLD(nsc_problem_prepare(&P) == NSC_OK);
    code = solve_by(&P, &s, &r);
    certify(&s, code);
    return code;
}

static int solve_well(void) { return solve(now->patience, fine(2e-6, 1e-10), 0); }

/* ---- 1  heavy stacks at rest (METHODS 2.5) ------------------------------------------------------------------------------- */

static void heavy_stack(int n, double ratio, double size, double m)
{
    double limit = fine(1e-4, 1e-6);
    NAME("%d boxes, top %gx, size %g m, %g kg", n, ratio, size, m);
    stack(n, ratio, size, m);
    solve(now->heavy, fine(n > 10 ? 0.5 : 0.9, 0.5) * limit, 0);
    tell("support", support_error());
    if (!is(HEAVY) || law == NSC_LAW_PYRAMID) return;
    HOLD((double)r.residual <= limit);
    HOLD((double)r.eta <= 4 * n * limit); /* no unit, no scale: holds in grams and tons */
    HOLD(support_error() <= 0.01);
    if (n <= 10) HOLD(r.factorizations <= MOST_FACTORIZATIONS);
}

static void heavy_stacks(void)
{
    static const int boxes[3] = {5, 10, 20};
    int i;
    double ratio, scale;
    for (i = 0; i < 3; i++)
        for (ratio = 1; ratio <= 1000; ratio *= 10) h = i ? 0.01 : 1.0 / 60, heavy_stack(boxes[i], ratio, 1, 1);
    for (scale = 1e-3; scale < 1e4; scale *= 1e6)
        heavy_stack(5, 100, scale, 1), heavy_stack(5, 100, 1, scale), heavy_stack(5, 100, scale, scale);
    h = 1.0 / 60;
}

/* ---- 2  the same, sliding (METHODS 2.4) ---------------------------------------------------------------------------------- */

/* Each contact that slides does it by its law, as far as the residual lets one tell. */
static void check_friction(void)
{
    double w[6 * BODIES];
    const nsc_block *b;
    in_double(v, w);
    for (b = blocks; b < blocks + P.block_count; b++) {
        double n = (double)b->lambda[0], x = (double)b->lambda[1], y = (double)b->lambda[2], mu = (double)b->mu;
        double un = row_velocity(b, 0, w), u1 = row_velocity(b, 1, w), u2 = row_velocity(b, 2, w), speed = sqrt(u1 * u1 + u2 * u2);
        double e = 4 * ((double)r.residual + rounding()), small = 4 * e * (double)b->rho;
        HOLD(un >= -e);
        if (speed <= 100 * e || n <= small) continue;
        small += 4 * mu * n * e / speed;
        HOLD(fabs(x + mu * n * u1 / speed) <= small && fabs(y + mu * n * u2 / speed) <= small);
        HOLD(fabs(law == NSC_LAW_CONE ? un - mu * speed : un) <= e * (1 + mu));
    }
}

static void sliding_stack(int n, double ratio, int from, int to, double speed)
{
    int i;
    double limit = fine(ratio < 1000 ? 1e-4 : 2e-4, 1e-6); /* in float the heaviest impulse rounds away what moves the light ones */
    NAME("%d boxes, top %gx, boxes %d..%d at %g m/s", n, ratio, from, to, speed);
    stack(n, ratio, 1, 1);
    for (i = from; i <= to; i++) v_free[6 * i] = (nsc_real)speed;
    solve(now->patience < 5000 ? now->patience : 5000, 0.1 * limit, 0);
    tell("", 0);
    if (is(HEAVY))
        HOLD_UNLESS(now->solver == NSC_SOLVER_ADMM && law == NSC_LAW_COULOMB && n == 10 && to == 2, (double)r.eta <= limit,
                    "crawls where SIPGS takes ten thousand sweeps");
    if ((double)r.eta <= limit && law != NSC_LAW_PYRAMID) check_friction();
}

static void sliding_stacks(void)
{
    double ratio;
    for (ratio = sample(1000, 1); ratio <= 1000; ratio *= trials(1000, 10)) { /* quick: the greatest; the long mode: all */
        sliding_stack(5, ratio, 1, 1, 5), sliding_stack(5, ratio, 1, 4, 5), sliding_stack(5, ratio, 5, 5, 1);
        sliding_stack(3, ratio, 1, 3, 5);
        if (!test_quick()) sliding_stack(10, ratio, 10, 10, 1), sliding_stack(10, ratio, 1, 2, 5);
    }
}

/* ---- 3  Painleve's rod (METHODS B6) -------------------------------------------------------------------------------------- */

/* Uniform rod of 2 m and 1 kg, at 63.43 degrees on its tip, where friction jams from mu = 4/3 on */
static void rod(double mu, double sideways, double down)
{
    double c = sqrt(0.2), s = sqrt(0.8), limit = fine(1e-4, 1e-7);
    double w[6 * BODIES];
    int code;
    NAME("rod, mu %g, tip at %g, %g m/s", mu, sideways, down);
    begin();
    body(1, 1.0 / 3, c, 0, s);
    v_free[6] = (nsc_real)sideways, v_free[8] = (nsc_real)down;
    contact(0, 1, 0, 0, 0, mu);
    code = solve(now->patience, 0.1 * limit, 0);
    tell("", 0);
    HOLD((double)r.eta <= 1 + 16 * eps);
    if (law == NSC_LAW_CONE || mu < 1.3) HOLD((double)r.residual <= limit); /* else there may be no answer but a jam */
    if (code == NSC_OK) HOLD(row_velocity(blocks, 0, in_double(v, w)) >= -limit);
    if (code == NSC_OK && law != NSC_LAW_PYRAMID) check_friction();
}

static void painleve(void)
{
    static const double mu[3] = {1, 1.3, 2};
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 8; k++) rod(mu[i], (k & 1 ? 1 : -1) * (k & 4 ? 5 : 0.5), k & 2 ? -0.1635 : -1e-3);
}

/* ---- 4  singular, empty, contradicting, soft ----------------------------------------------------------------------------- */

static void doubled_contacts(int corners, double mu)
{
    double first[6 * BODIES];
    int times;
    for (times = 1; times <= 5; times += times == 1 ? 1 : 3) {
        NAME("plate on %d points, each %d times, mu %g", corners, times, mu);
        plate(corners, times, mu);
        solve_well();
        HOLD((double)r.residual <= fine(1e-5, 1e-9));
        if (times == 1) in_double(v, first);
        HOLD(distance(first) <= fine(1e-3, 1e-6));
    }
}

static void doubled_joint(void)
{
    int times, i;
    for (times = 1; times <= 3; times++) {
        NAME("a rod on a ball joint, written %d times", times);
        begin();
        body(2, 0.1, 0.5, 0, 0);
        for (i = 0; i < times; i++) point(NSC_BLOCK_EQUALITY, 0, 1, 0, 0, 0);
        solve_well();
        HOLD((double)r.residual <= fine(1e-5, 1e-9));
        HOLD(fabs((double)v[8] + gravity * h * 0.5 / 0.6 * 1.0) <= fine(1e-5, 1e-8)); /* m d^2 / (I + m d^2) of the fall */
    }
}

/* Nothing to do, one row, and rows that cannot be moved */
static void small_problems(void)
{
    NAME("no block"), begin(), body(1, 1, 0, 0, 0);
    HOLD(solve_well() == NSC_OK && same(v[8], v_free[8]));
    NAME("nothing moves"), plate(4, 1, 0.5);
    memset(masses, 0, sizeof masses);
    HOLD(solve_well() == NSC_OK && r.skipped_rows == 12 && blocks[0].lambda[0] <= 0 && same(v[8], v_free[8]));
    NAME("a row of zeros, a bias of 1"), begin(), body(1, 1, 0, 0, 0);
    memset(point(NSC_BLOCK_EQUALITY, 0, 1, 0, 0, 0)->J, 0, sizeof blocks[0].J);
    blocks[0].bias[0] = 1;
    HOLD(solve_well() == NSC_OK && r.skipped_rows == 3 && same(v[8], v_free[8]));
    NAME("one row"), begin(), body(2, 1, 0, 0, 0);
    point(NSC_BLOCK_EQUALITY, 0, 1, 0, 0, 0)->rows = 1;
    HOLD(solve_well() == NSC_OK && fabs((double)blocks[0].lambda[0] - 2 * gravity * h) <= fine(1e-5, 1e-8));
}

static void small_contacts(void)
{
    double k = 1000, d = 5, gap = -0.01, cfm = 1 / (h * (h * k + d)), bias = gap * k / (h * k + d);
    int rows;
    for (rows = 1; rows <= 3; rows += 2) {
        NAME("a ball without friction, %d rows", rows), begin(), body(2, 1, 0, 0, 1);
        v_free[6] = 1, contact(0, 1, 0, 0, 0, 0)->rows = (unsigned char)rows;
        HOLD(solve_well() == NSC_OK && fabs((double)blocks[0].lambda[0] - 2 * gravity * h) <= fine(1e-5, 1e-8) && same(v[6], v_free[6]));
        NAME("a ball on a spring, %d rows", rows), begin(), body(2, 1, 0, 0, 1);
        contact(0, 1, 0, 0, 0, 0.5)->rows = (unsigned char)rows;
        blocks[0].cfm[0] = (nsc_real)cfm, blocks[0].bias[0] = (nsc_real)bias;
        HOLD(solve_well() == NSC_OK && fabs((double)blocks[0].lambda[0] - (gravity * h - bias) / (0.5 + cfm)) <= fine(1e-5, 1e-8));
    }
    for (rows = 0; rows <= 1; rows++) {
        NAME("a ball that comes off, mu %d", rows), begin(), body(1, 1, 0, 0, 1);
        v_free[8] = 1, contact(0, 1, 0, 0, 0, rows);
        HOLD(solve_well() == NSC_OK && fabs((double)blocks[0].lambda[0]) <= 0); /* it never pulls */
    }
}

static void contradiction(void)
{
    int i;
    NAME("two rows that contradict each other"), begin(), body(1, 1, 0, 0, 0);
    for (i = 0; i < 2; i++) point(NSC_BLOCK_EQUALITY, 0, 1, 0, 0, 0)->rows = 1, blocks[i].bias[0] = (nsc_real)i;
    HOLD(solve(1000, fine(2e-6, 1e-10), 0) > NSC_OK && (double)r.residual >= 0.49);
}

static void singular(void)
{
    if (is(CONTACTS) && law == NSC_LAW_CONE) doubled_contacts(3, 0.3), doubled_contacts(4, 0.3), doubled_contacts(4, 5);
    if (is(CONTACTS)) small_contacts();
    doubled_joint(), small_problems(), contradiction();
}

/* ---- 5  closed answers (METHODS A1, A2), N given ------------------------------------------------------------------------- */

static void closed(const nsc_real *N_given, const nsc_real *q, int count, const double *coulomb, const double *cone, double u_n)
{
    const double *answer = law == NSC_LAW_CONE ? cone : coulomb;
    int i, k;
    begin();
    for (i = 0; i < count; i++) blocks[i].kind = NSC_BLOCK_CONTACT, blocks[i].rows = 3, blocks[i].mu = NSC_R(0.1);
    P.block_count = count, P.delassus = N_given, P.v_free = q;
    solve(now->patience, fine(1e-6, 1e-11), 0);
    for (k = 0; k < count; k++)
        for (i = 0; i < 3; i++) HOLD(fabs((double)blocks[k].lambda[i] - answer[i]) <= fine(2e-5, 2e-9));
    HOLD(fabs((double)v[0] - (law == NSC_LAW_CONE ? u_n : 0)) <= fine(3e-4, 2e-8));
}

static void closed_answers(void)
{
    static const double cone1[3] = {1.30319580794, -0.0412106699, -0.1236320097}, coulomb1[3] = {1, -0.0316227766, -0.0948683298};
    static const double cone2[3] = {0.0871792791, -0.0048974519, -0.0072122972}, coulomb2[3] = {0.0656956829, -0.0036786149, -0.0054430708};
    static const nsc_real N2[9] = {15, -1, -2, -1, 14, 1, -2, 1, 16}, q2[3] = {-1, 2, 3};
    nsc_real N1[81] = {0}, q1[9];
    int i;
    if (law == NSC_LAW_PYRAMID || !is(CONTACTS)) return;
    for (i = 0; i < 9; i++) N1[10 * i] = 1, q1[i] = (nsc_real)(i % 3 == 0 ? -1 : i % 3 == 1 ? 1 : 3);
    NAME("A1"), closed(N1, q1, 3, coulomb1, cone1, 1.30319580794 - 1);
    NAME("A2"), closed(N2, q2, 1, coulomb2, cone2, 0.3270112333);
}

/* ---- 6  joints, motors, limits, rolling ---------------------------------------------------------------------------------- */

/* Links of 1 m and 1 kg hanging from the world by balls and hinges in turn, the last `ratio` as heavy */
static void chain(int n, double ratio)
{
    int i;
    begin();
    for (i = 1; i <= n; i++) {
        double m = i == n ? ratio : 1;
        body(m, m / 12, 0, 0, 0.5 - i);
        point(NSC_BLOCK_EQUALITY, i - 1, i, 0, 0, 1 - i);
        if (i % 2) turning(NSC_BLOCK_EQUALITY, i - 1, i, 2, 2);
    }
}

static void hanging(int n, double ratio)
{
    const nsc_block *b;
    double worst = 0, below = 0;
    int i;
    NAME("%d links, the last %gx", n, ratio);
    chain(n, ratio);
    solve_well();
    for (b = blocks + P.block_count - 1; b >= blocks; b--) {
        if ((double)b->J[0][8] > 0) below += mass[b->b];
        for (i = 0; i < b->rows; i++) {
            double answer = i == 0 && (double)b->J[0][8] > 0 ? below * gravity * h : 0;
            worst = fmax(worst, fabs((double)b->lambda[i] - answer) / (below * gravity * h));
        }
    }
    tell("impulses", worst);
    if (ratio <= 1 || is(CHAINS)) HOLD(worst <= fine(1e-2, 1e-6));
}

/* An arm on a hinge along y, on a base with three feet; it falls, driven by a motor or held by a stop */
static void arm(double torque, double speed, double stop)
{
    nsc_block *motor;
    begin();
    turn_inertia(body(5, 1, 0, 0, 0.3)), turn_inertia(body(1, 0.1, 0.6, 0, 0.6));
    contact(0, 1, -0.5, -0.5, 0, 0.5), contact(0, 1, 0.5, -0.5, 0, 0.5), contact(0, 1, 0.1, 0.5, 0, 0.5);
    point(NSC_BLOCK_EQUALITY, 1, 2, 0.1, 0, 0.6), turning(NSC_BLOCK_EQUALITY, 1, 2, 2, 2);
    motor = turning(NSC_BLOCK_BOX, 1, 2, 1, 1);
    motor->lo[0] = (nsc_real)(-torque * h), motor->hi[0] = (nsc_real)(torque * h), motor->bias[0] = (nsc_real)-speed;
    if (stop > 0) motor->lo[0] = -NSC_REAL_MAX, motor->hi[0] = 0;
    if (stop < 0) motor->lo[0] = 0, motor->hi[0] = NSC_REAL_MAX;
}

/* A cart with three feet and a pendulum on a ball joint, struck; or two balls that roll against friction */
static void cart(void)
{
    begin();
    turn_inertia(body(3, 0.6, 0, 0, 0.3)), turn_inertia(body(0.5, 0.02, 0.1, 0.2, 1));
    contact(0, 1, -0.5, -0.5, 0, 0.5), contact(0, 1, 0.5, -0.5, 0, 0.5), contact(0, 1, 0.1, 0.5, 0, 0.5);
    point(NSC_BLOCK_EQUALITY, 1, 2, 0, 0, 0.6);
    v_free[6] = NSC_R(0.3), v_free[13] = NSC_R(0.4), v_free[11] = NSC_R(0.2);
}

static void rolling(double mu, double spin)
{
    int i;
    begin();
    for (i = 1; i <= 2; i++) {
        nsc_block *k;
        body(i, 0.1 * i, 3 * i, 0, 0.5), contact(0, i, 3 * i, 0, 0, 0.4);
        k = turning(NSC_BLOCK_ROLLING, 0, i, 2, 3);
        k->mu = (nsc_real)mu, k->hi[0] = (nsc_real)spin;
        v_free[6 * i] = NSC_R(0.5), v_free[6 * i + 3] = NSC_R(0.3), v_free[6 * i + 4] = (nsc_real)(i - 1), v_free[6 * i + 5] = NSC_R(0.2);
    }
}

/* The velocities are the reference's; and so is the CONE objective, to within the gap that is reported. */
static void compare(void)
{
    double sum = 0;
    int k, i;
    solve_well();
    tell("distance", distance(v_ref));
    HOLD(distance(v_ref) <= fine(1e-3, 1e-6));
    for (k = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) sum += fabs((double)blocks[k].lambda[i]);
    if (law == NSC_LAW_CONE)
        HOLD((double)r.objective - objective_ref <= (double)r.duality_gap + 4 * sum * ((double)r.residual + rounding()));
}

static void mixed(void)
{
    int n;
    hanging(8, 1), hanging(5, 1000);
    for (n = 0; n < 8 && is(CONTACTS); n++) {
        NAME("mixed %d", n);
        if (n < 2) arm(n ? 50 : 1, -2, 0); /* stalls; turns */
        else if (n < 4) arm(0, 0, n == 2 ? 1 : -1); /* held by the stop; leaves it */
        else if (n < 5) cart();
        else if (n < 8) rolling(n == 5 ? 0.02 : n == 6 ? 10 : 0, n == 7 ? 0 : 0.01);
        HOLD(reference(law) < 1e-9);
        compare();
    }
}

/* ---- 7  cut short: feasible, and no worse than the first guess; 8  again from its own answer ----------------------------- */

static void some_scene(int n)
{
    NAME("scene %d", n);
    if (n == 0) chain(6, 10);
    if (n == 1) plate(4, 1, 0.3);
    if (n == 2) arm(1, -2, 0);
    if (n == 3) cart();
    if (n >= 4) stack(n == 4 ? 3 : 5, n == 4 ? 1 : 100, 1, 1);
    if (n == 6) v_free[6] = 5, v_free[12] = 5;
}

static void cut_short(void)
{
    nsc_report guess;
    int n, i, k, warm;
    for (n = 0; n < (is(CONTACTS) ? 7 : 1); n++)
        for (i = 1; i <= 2; i++)
            for (warm = 0; warm <= (n != 0 && n != 2 && n != 3); warm++) { /* a guess of joints may be scaled down */
                some_scene(n);
                for (k = 0; k < P.block_count && warm; k++) blocks[k].lambda[0] = NSC_R(0.03), blocks[k].lambda[1] = NSC_R(0.005);
                HOLD(nsc_problem_prepare(&P) == NSC_OK && nsc_problem_measure(&P, law, &guess) == NSC_OK);
                HOLD(solve(i, fine(1e-6, 1e-10), warm) >= NSC_OK);
                HOLD((double)r.eta <= (double)guess.eta * (1 + 16 * eps) + 16 * eps);
            }
}

static void warm_start(void)
{
    double tolerance = fine(1e-5, 1e-8);
    nsc_report cold;
    int n;
    for (n = 0; n < (is(CONTACTS) ? sample(4, 7) : 1); n++) {
        some_scene(n);
        solve(now->patience, tolerance, 0);
        cold = r;
        solve(now->patience, tolerance, 1);
        HOLD((double)r.residual <= fmax((double)cold.residual, fmax(tolerance, (double)r.floor) + slack()));
        HOLD_UNLESS(r.solver == NSC_SOLVER_APGD && law == NSC_LAW_COULOMB,
                    r.iterations <= cold.iterations && r.factorizations <= cold.factorizations, "begins from the CONE law, warm or not");
        HOLD(solve(1, tolerance, 1) >= NSC_OK);
        /* the guess was taken; within rounding one iteration may go up again, and what goes down is the energy of the defects */
        HOLD((double)r.residual <= fmax((double)cold.residual, fmax(tolerance, 2 * (double)r.floor) + slack()) ||
             (double)r.eta <= (double)cold.eta * (1 + 16 * eps));
    }
}

/* ---- 9  nasty numbers ---------------------------------------------------------------------------------------------------- */

static double rnd(void) { return uniform(-1, 1); }
static double decade(double most) { return pow(10, floor(most * rnd() + 0.5)); }

static void nasty_block(nsc_block *k, nsc_real scale)
{
    int i, j, kind = 1 + below(is(CONTACTS) ? 4 : 1);
    if (kind == NSC_BLOCK_ROLLING && (k == blocks || k[-1].kind != NSC_BLOCK_CONTACT)) kind = NSC_BLOCK_CONTACT;
    k->kind = (unsigned char)kind, k->rows = (unsigned char)(kind < NSC_BLOCK_CONTACT ? 1 + below(3) : 3);
    if (kind == NSC_BLOCK_CONTACT && rnd() > 0.7) k->rows = 1;
    k->a = below(P.body_count), k->b = (k->a + 1 + below(P.body_count)) % P.body_count;
    k->mu = rnd() > 0.5 ? 0 : (nsc_real)(5 + 5 * rnd());
    aside_begin((uint32_t)below(1 << 16)); /* hundreds of numbers: one for all */
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 12; j++) k->J[i][j] = rnd() > 0 ? 0 : scale * (nsc_real)rnd();
        k->bias[i] = rnd() > 0.8 ? (nsc_real)1e6 : rnd() > 0.8 ? (nsc_real)1e-12 : (nsc_real)rnd();
        k->cfm[i] = rnd() > 0.8 ? (nsc_real)decade(3) : 0;
        k->lo[i] = rnd() > 0 ? -NSC_REAL_MAX : (nsc_real)(rnd() - 1);
        k->lambda[i] = (nsc_real)decade(2), k->lambda[i] *= (nsc_real)rnd();
        k->hi[i] = rnd() > 0 ? NSC_REAL_MAX : k->lo[i] > -10 && rnd() > 0 ? k->lo[i] : (nsc_real)fabs(rnd());
    }
    aside_end();
    if (kind == NSC_BLOCK_ROLLING) k->hi[0] = (nsc_real)fabs(rnd());
}

static int nasty_solved;

static int a_nasty_problem(void)
{
    int i, count = 1 + below(9), others = 1 + below(4), warm = below(2);
    NAME("nasty");
    begin();
    for (i = 0; i < others; i++) {
        double m = decade(6), inertia = decade(6);
        int b = body(m, inertia, 0, 0, 0);
        turn_inertia(b);
        if (rnd() > 0.6) memset(masses[b].inv_inertia, 0, sizeof masses[b].inv_inertia);
        if (rnd() > 0.8) masses[b].inv_mass = 0;
        v_free[6 * b] = (nsc_real)(rnd() > 0.7 ? 1e3 * rnd() : rnd());
    }
    for (i = 0; i < count; i++) {
        if (i > 0 && rnd() > 0.6 && blocks[i - 1].kind < NSC_BLOCK_ROLLING) blocks[i] = blocks[i - 1];
        else nasty_block(&blocks[i], (nsc_real)decade(1));
        P.block_count++;
        said("kind %d, %d rows, bodies %d and %d, mu %g", blocks[i].kind, blocks[i].rows, blocks[i].a, blocks[i].b, (double)blocks[i].mu);
    }
    nasty_solved += solve(100, fine(1e-4, 1e-8), warm) == NSC_OK;
    return 1; /* what is wrong, certify() has seen */
}

static void nasty(void)
{
    int problems = sample(30, trials(60, 300));
    seed = 12345, nasty_solved = 0; /* the same problems for all */
    search("a nasty problem", a_nasty_problem, problems);
    if (verbose) printf("  %-7s %-7s %d of %d solved\n", now->name, law_name[law], nasty_solved, problems);
}

/* ---- 10  the largest mass ratio held ------------------------------------------------------------------------------------- */

static void ladder(void)
{
    double ratio, held = 0;
    for (ratio = 1; ratio < 2e6; ratio *= 10) {
        NAME("ladder %g", ratio), stack(5, ratio, 1, 1);
        solve(100, 1e-5, 0);
        if ((double)r.residual < 1e-4 && support_error() <= 0.01 && (held > 0 || ratio < 2)) held = ratio;
        else break;
    }
    printf("  %-7s %-7s holds 5 boxes up to a mass ratio of %g in 100 iterations\n", now->name, law_name[law], held);
}

/* ------------------------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
    unsigned of; /* who is asked: solvers with this promise */
} tests[] = {
    {"heavy stacks", heavy_stacks, CONTACTS},
    {"sliding stacks", sliding_stacks, CONTACTS},
    {"Painleve's rod", painleve, CONTACTS},
    {"singular", singular, CONTACTS | CHAINS},
    {"closed answers", closed_answers, CONTACTS},
    {"mixed", mixed, CONTACTS | CHAINS},
    {"cut short", cut_short, CONTACTS | CHAINS},
    {"warm start", warm_start, CONTACTS | CHAINS},
    {"nasty numbers", nasty, CONTACTS | CHAINS},
    {"mass ratios", ladder, CONTACTS},
};
enum { TESTS = sizeof tests / sizeof *tests, SOLVERS = sizeof table / sizeof *table };

/* A solver that is not written, or compiled out, refuses the simplest problem there is. */
static int exists(void)
{
    nsc_settings s = default_settings();
    begin(), body(1, 1, 0, 0, 0), point(NSC_BLOCK_EQUALITY, 0, 1, 0, 0, 0);
    solved_by = now->solver, s.law = NSC_LAW_CONE;
    if (!offers(s.law)) s.law = NSC_LAW_PYRAMID;
    return nsc_problem_prepare(&P) == NSC_OK && solve_by(&P, &s, NULL) != NSC_ERR_ARGUMENT;
}

/* 1 if it is there; else its tests are skipped, by its name and theirs. */
static int is_there(int tests_run)
{
    char text[240];
    int t, there = exists();
    if (there) return 1;
    for (t = 0; t < tests_run; t++) {
        if (!is(tests[t].of)) continue;
        snprintf(text, sizeof text, "%s is not in this build: %s", now->name, tests[t].name);
        SKIP(text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int i, t, there[SOLVERS], count = TESTS;
    argc = test_begin(argc, argv);
    verbose = argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v';
    if (!verbose) count--; /* the table of mass ratios is for reading */
    for (i = 0; i < SOLVERS; i++) now = &table[i], there[i] = is_there(count);
    for (t = 0; t < count; t++) {
        if (verbose) printf("%s\n", tests[t].name);
        for (i = 0; i < SOLVERS; i++) {
            now = &table[i];
            for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++) {
                if (!there[i] || !is(tests[t].of) || !offers(law)) continue;
                CASE("%s, %s %s", tests[t].name, now->name, law_name[law]);
                tests[t].run();
            }
        }
    }
    return TEST_END("hard");
}
