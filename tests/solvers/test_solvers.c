/* Closed answers, projections, statuses and refusals of all solvers. */
#define NSC_IMPLEMENTATION
#include "nsc_all_solvers.h"
#include "search.h"
#include <math.h>
#include "by.h"

static const double TOL = sizeof(nsc_real) == 4 ? 2e-5 : 1e-9;
static nsc_real arena[1000];

static nsc_real rnd(void) { return (nsc_real)uniform(-1, 1); }

/* The laws a solver offers for problems with contacts, as a sum of 1 << law: a solver more is a row more.
   JOINTS: takes every law and leaves the contacts alone */
enum { JOINTS = 1, COULOMB = 1 << NSC_LAW_COULOMB, CONE = 1 << NSC_LAW_CONE, BOX = 1 << NSC_LAW_PYRAMID };
static const struct offer {
    int solver, laws, barrier;
} offers_of[] = {{NSC_SOLVER_SIPGS, COULOMB | CONE | BOX, 0},  {NSC_SOLVER_APGD, COULOMB | CONE, 0},
                 {NSC_SOLVER_DANTZIG, BOX, 0},                 {NSC_SOLVER_BB, COULOMB | CONE, 0},
                 {NSC_SOLVER_MINRES, JOINTS, 0},               {NSC_SOLVER_ADMM, COULOMB | CONE | BOX, 0},
                 {NSC_SOLVER_NEWTON, COULOMB | CONE | BOX, 0}, {NSC_SOLVER_NEWTON, COULOMB | CONE | BOX, 1},
                 {NSC_SOLVER_AUTO, COULOMB | CONE | BOX, 0}};
enum { SOLVERS = sizeof offers_of / sizeof offers_of[0] };

static int offers(int solver, int law)
{
    int i;
    for (i = 0; i < SOLVERS; i++)
        if (offers_of[i].solver == solver) return offers_of[i].laws >> law & 1;
    return 0;
}

static int takes(int solver, int law) /* without complaint */
{
    return law >= NSC_LAW_COULOMB && law <= NSC_LAW_PYRAMID && (offers(solver, law) || offers(solver, 0));
}

static nsc_settings exact(int solver, int law)
{
    nsc_settings s = default_settings();
    CASE("solver %d, law %d", solver, law);
    solved_by = solver;
    s.law = law;
    s.max_iterations = 20000;
    s.tolerance = sizeof(nsc_real) == 4 ? NSC_R(1e-6) : NSC_R(1e-12);
    s.warm_start = 0;
    return s;
}

static nsc_problem matrix(const nsc_real *N, const nsc_real *q, nsc_real *v, nsc_block *b, int count, nsc_real mu)
{
    nsc_problem p;
    int i;
    memset(&p, 0, sizeof p);
    memset(b, 0, sizeof *b * (size_t)count);
    for (i = 0; i < count; i++) b[i].kind = NSC_BLOCK_CONTACT, b[i].rows = 3, b[i].mu = mu;
    p.delassus = N, p.v_free = q, p.v = v, p.blocks = b, p.block_count = count;
    p.arena = arena, p.arena_size = 1000;
    return p;
}

/* METHODS A1, A2: the two closed answers that tell the convex law from Coulomb's */
static void the_convex_law_and_coulombs_meet_their_closed_answers(void)
{
    static const double ccp1[3] = {1.30319580794, -0.0412106699, -0.1236320097}, ncp1[3] = {1, -0.0316227766, -0.0948683298};
    static const double ccp2[3] = {0.0871792791, -0.0048974519, -0.0072122972}, ncp2[3] = {0.0656956829, -0.0036786149, -0.0054430708};
    nsc_real N1[81] = {0}, q1[9], v[9], N2[9] = {15, -1, -2, -1, 14, 1, -2, 1, 16}, q2[3] = {-1, 2, 3};
    nsc_block b[3];
    int i, k, n, law;
    for (i = 0; i < 9; i++) N1[10 * i] = 1, q1[i] = (nsc_real)(i % 3 == 0 ? -1 : i % 3 == 1 ? 1 : 3);
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_CONE; law++) {
            nsc_settings s = exact(offers_of[n].solver, law);
            nsc_problem p = matrix(N1, q1, v, b, 3, NSC_R(0.1));
            nsc_report r;
            if (!offers(solved_by, law)) continue;
            s.barrier = offers_of[n].barrier;
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            CHECK(solve_by(&p, &s, &r) == NSC_OK);
            for (k = 0; k < 3; k++)
                for (i = 0; i < 3; i++) CHECK_NEAR(b[k].lambda[i], law == NSC_LAW_CONE ? ccp1[i] : ncp1[i], TOL + 1e-9);
            p = matrix(N2, q2, v, b, 1, NSC_R(0.1));
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            CHECK(solve_by(&p, &s, &r) == NSC_OK);
            for (i = 0; i < 3; i++) CHECK_NEAR(b[0].lambda[i], law == NSC_LAW_CONE ? ccp2[i] : ncp2[i], TOL);
            CHECK_NEAR(v[0], law == NSC_LAW_CONE ? 0.3270112333 : 0.0, TOL * 15);
        }
    for (n = 0; n < SOLVERS; n++) { /* each friction row slides by itself, at mu times the normal impulse */
        static const double box[3] = {1, -0.1, -0.1};
        nsc_settings s = exact(offers_of[n].solver, NSC_LAW_PYRAMID);
        nsc_problem p = matrix(N1, q1, v, b, 3, NSC_R(0.1));
        nsc_report r;
        if (!offers(solved_by, NSC_LAW_PYRAMID)) continue;
        s.barrier = offers_of[n].barrier;
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK);
        for (k = 0; k < 9; k++) CHECK_NEAR(b[k / 3].lambda[k % 3], box[k % 3], TOL);
        for (k = 0; k < 9; k++) CHECK_NEAR(v[k], (double)q1[k] + box[k % 3], TOL);
    }
}

static int projections_onto_the_cone_are_as_moreau_says(void)
{
    int i, n = nth(385);
    nsc_real mu = n % 5 == 0 ? NSC_R(0.0) : n % 5 == 1 ? NSC_R(10.0) : NSC_R(1.0) + rnd();
    nsc_real scale = n % 7 == 0 ? NSC_R(1e-12) : NSC_R(1.0), x[3], y[3], px[3], py[3], again[3], d2 = 0, p2 = 0, inner = 0;
    for (i = 0; i < 3; i++) x[i] = scale * rnd(), y[i] = scale * rnd();
    if (n % 11 == 0) x[0] = 0;
    memcpy(px, x, sizeof x), memcpy(py, y, sizeof y);
    nsci_project_cone(mu, px), nsci_project_cone(mu, py);
    memcpy(again, px, sizeof px);
    nsci_project_cone(mu, again);
    for (i = 0; i < 3; i++) {
        CHECK_NEAR(again[i], px[i], 1e-5 * TOL * (double)scale + 4e-7 * (sizeof x[0] == 4) * (double)scale);
        d2 += (x[i] - y[i]) * (x[i] - y[i]), p2 += (px[i] - py[i]) * (px[i] - py[i]);
        inner += px[i] * (x[i] - px[i]);
    }
    CHECK(p2 <= d2 * (1 + 100 * NSC_REAL_EPS)); /* non-expansive */
    CHECK(fabs((double)inner) <= (double)(20 * NSC_REAL_EPS * scale * scale)); /* Moreau: x - Px in the polar cone, orthogonal */
    CHECK(mu * NSC_SQRT((x[1] - px[1]) * (x[1] - px[1]) + (x[2] - px[2]) * (x[2] - px[2])) <=
          -(x[0] - px[0]) + 50 * NSC_REAL_EPS * scale);
    return 1;
}

/* One body of 1 kg, contacts with the ground at the corners of a square; free velocity down and sideways */
static nsc_mass masses[2];
static nsc_real v_free[12], v_out[12];
static nsc_block blocks[8];

static nsc_problem plate(int count)
{
    nsc_problem p;
    int i;
    memset(&p, 0, sizeof p), memset(blocks, 0, sizeof blocks), memset(masses, 0, sizeof masses), memset(v_free, 0, sizeof v_free);
    masses[1].inv_mass = 1;
    for (i = 0; i < 3; i++) masses[1].inv_inertia[i] = 6;
    v_free[6] = NSC_R(0.5), v_free[8] = NSC_R(-1.0);
    for (i = 0; i < count; i++) {
        nsc_real x = i & 1 ? NSC_R(0.5) : NSC_R(-0.5), y = i & 2 ? NSC_R(0.5) : NSC_R(-0.5), z = NSC_R(-0.5);
        nsc_block *b = &blocks[i];
        b->b = 1, b->kind = NSC_BLOCK_CONTACT, b->rows = 3, b->mu = NSC_R(0.3);
        b->J[0][8] = 1, b->J[0][9] = y, b->J[0][10] = -x;
        b->J[1][6] = 1, b->J[1][10] = z, b->J[1][11] = -y;
        b->J[2][7] = 1, b->J[2][9] = -z, b->J[2][11] = x;
    }
    p.body_count = 2, p.masses = masses, p.v_free = v_free, p.v = v_out, p.blocks = blocks, p.block_count = count;
    p.arena = arena, p.arena_size = 1000;
    return p;
}

static void statuses_tell_how_a_run_ended(void)
{
    nsc_problem p = plate(4);
    nsc_settings s = exact(NSC_SOLVER_SIPGS, NSC_LAW_COULOMB);
    nsc_report r, again;
    int solver, law;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) == NSC_OK && r.iterations > 1 && r.residual <= s.tolerance);
    CHECK(nsc_problem_measure(&p, s.law, &again) == NSC_OK);
    CHECK_NEAR(again.residual, r.residual, 1e-30);
    CHECK_NEAR(v_out[6], 0.5 - 0.3, 1e3 * TOL); /* slides on with mu times the normal impulse gone */
    s.max_iterations = 1;
    CHECK(solve_by(&p, &s, &r) == NSC_ITERATION_LIMIT && r.iterations == 1);
    s.max_iterations = 100000, s.tolerance = 0, s.stall_window = 50;
    CHECK(solve_by(&p, &s, &r) == NSC_OK && r.residual <= r.floor); /* rounding is not asked away */
    CHECK(r.iterations < 100);
    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_AUTO; solver++)
        for (law = NSC_LAW_COULOMB - 1; law <= NSC_LAW_PYRAMID + 1; law++) {
            s = exact(solver, law);
            CHECK((solve_by(&p, &s, &r) != NSC_ERR_ARGUMENT) == takes(solver, law));
        }
    s = exact(NSC_SOLVER_SIPGS, NSC_LAW_COULOMB);
    s.omega = NSC_R(1.2), s.symmetric = 1;
    CHECK(solve_by(&p, &s, &r) == NSC_OK);
}

/* Cut short anywhere, the impulses of a cone law are in their cones but for rounding. */
static void impulses_cut_short_are_in_their_cones(void)
{
    int n, law;
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_CONE; law++) {
            nsc_problem p = plate(4);
            nsc_settings s = exact(offers_of[n].solver, law);
            nsc_report r;
            s.barrier = offers_of[n].barrier;
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            for (s.max_iterations = 1; offers(solved_by, law) && s.max_iterations <= 12; s.max_iterations++)
                CHECK(solve_by(&p, &s, &r) >= 0 && r.violation <= 8 * NSC_REAL_EPS);
        }
}

/* One real less than the macro says is refused, and nothing written; what it says is enough. */
static void an_arena_one_real_short_is_refused(void)
{
    static const struct size {
        int solver, law, given, reals; /* given: N is */
    } sizes[] = {{NSC_SOLVER_APGD, NSC_LAW_CONE, 0, NSC_ARENA_APGD(12)},         {NSC_SOLVER_BB, NSC_LAW_CONE, 0, NSC_ARENA_BB(12)},
                 {NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 0, NSC_ARENA_DANTZIG(12)},    {NSC_SOLVER_MINRES, NSC_LAW_PYRAMID, 0, NSC_ARENA_MINRES(12)},
                 {NSC_SOLVER_ADMM, NSC_LAW_CONE, 0, NSC_ARENA_ADMM(2, 12)},      {NSC_SOLVER_ADMM, NSC_LAW_CONE, 1, NSC_ARENA_ADMM_MATRIX(9)},
                 {NSC_SOLVER_NEWTON, NSC_LAW_CONE, 0, NSC_ARENA_NEWTON(2, 12)},  {NSC_SOLVER_NEWTON, NSC_LAW_CONE, 1, NSC_ARENA_NEWTON_MATRIX(9)},
                 {NSC_SOLVER_NEWTON, NSC_LAW_PYRAMID, 0, NSC_ARENA_NEWTON(2, 12)},   {NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 1, NSC_ARENA_DANTZIG(9)}};
    nsc_real N[81] = {0}, q[9];
    size_t n;
    int i;
    for (i = 0; i < 9; i++) N[10 * i] = 1, q[i] = (nsc_real)(i % 3 - 1);
    for (n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        nsc_problem p = sizes[n].given ? matrix(N, q, v_out, blocks, 3, NSC_R(0.1)) : plate(4);
        nsc_settings s = exact(sizes[n].solver, sizes[n].law);
        nsc_report r;
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        for (i = 0; i < 1000; i++) arena[i] = 7;
        blocks[0].lambda[0] = -1;
        p.arena_size = sizes[n].reals - 1;
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY && r.status == NSC_ERR_CAPACITY && blocks[0].lambda[0] <= -1);
        p.arena_size = sizes[n].reals;
        CHECK(solve_by(&p, &s, &r) >= 0 && arena[sizes[n].reals] >= 7);
    }
}

static void bad_problems_and_settings_are_refused(void)
{
    static const nsc_real bad_values[2] = {NSC_REAL_MAX, -1};
    nsc_problem p = plate(2);
    nsc_settings s = default_settings(), unfilled;
    nsc_report r;
    nsc_real nan = bad_values[0] * 10 - bad_values[0] * 10;
    CHECK(nsc_problem_prepare(NULL) == NSC_ERR_ARGUMENT);
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_ARGUMENT); /* not prepared */
    blocks[1].mu = nan;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_NOT_FINITE);
    blocks[1].mu = -1;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    blocks[1].mu = 1, blocks[1].b = 2;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    blocks[1].b = 1, blocks[1].rows = 2;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    blocks[1].rows = 3, blocks[1].kind = 0;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    blocks[1].kind = NSC_BLOCK_CONTACT, blocks[1].J[1][3] = nan;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_NOT_FINITE);
    blocks[1].J[1][3] = 0;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    memset(&unfilled, 0, sizeof unfilled);
    CHECK(solve_by(&p, &unfilled, &r) == NSC_ERR_ARGUMENT && solve_by(&p, NULL, &r) == NSC_ERR_ARGUMENT);
    v_free[7] = nan;
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_NOT_FINITE);
    v_free[7] = 0;
    CHECK(solve_by(&p, &s, NULL) >= 0);
}

/* No effective mass anywhere, no block at all, a joint block with a redundant row: finite answers, no hang */
static void degenerate_problems_end_finite(void)
{
    int n;
    for (n = 0; n < SOLVERS; n++) {
        int solver = offers_of[n].solver;
        nsc_settings s = exact(solver, offers(solver, NSC_LAW_CONE) ? NSC_LAW_CONE : NSC_LAW_PYRAMID);
        nsc_problem p = plate(4);
        nsc_report r;
        s.barrier = offers_of[n].barrier;
        memset(masses, 0, sizeof masses);
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK(solve_by(&p, &s, &r) == NSC_OK && r.skipped_rows == 12 && blocks[0].lambda[0] <= 0 && v_out[8] <= -1);
        p = plate(4);
        memset(v_free, 0, sizeof v_free);
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK); /* at rest already */
        CHECK_NEAR(blocks[0].lambda[0], 0, TOL);
        p = plate(0);
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK && v_out[8] <= -1);
        p = plate(1);
        blocks[0].kind = NSC_BLOCK_EQUALITY;
        memcpy(blocks[0].J[2], blocks[0].J[1], sizeof blocks[0].J[2]);
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK);
        CHECK(r.residual < (sizeof(nsc_real) == 4 ? NSC_R(1e-5) : NSC_R(1e-11)));
        memset(v_free, 0, sizeof v_free);
        blocks[0].bias[1] = 1, blocks[0].bias[2] = -1; /* the same row twice, wanting opposite things: no answer, but numbers */
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) >= 0 && r.residual < 10);
    }
}

/* A plate slides on ground that moves, slowly or fast, as on ground that rests.  (MINRES leaves contacts alone.) */
static void ground_may_move(void)
{
    static const nsc_real along[3] = {NSC_R(0.0), NSC_R(0.25), NSC_R(2.0)};
    double slides[3] = {0, 0, 0};
    int n, law, fast, k;
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++)
            for (fast = 0; fast < 3; fast++) {
                nsc_problem p = plate(4);
                nsc_settings s = exact(offers_of[n].solver, law);
                nsc_report r;
                if (!offers(solved_by, law) || solved_by == NSC_SOLVER_MINRES) continue;
                s.barrier = offers_of[n].barrier;
                for (k = 0; k < 36; k++) blocks[k / 9].J[k / 3 % 3][k % 3] = -blocks[k / 9].J[k / 3 % 3][6 + k % 3];
                for (k = 0; k < 12; k++) v_free[k] += k % 6 == 0 ? along[fast] : k % 6 == 2 ? -along[fast] / 4 : 0;
                CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK);
                for (k = 0; k < 3; k++) {
                    if (fast == 0) slides[k] = (double)(v_out[6 + k] - v_out[k]);
                    CHECK_NEAR(v_out[6 + k] - v_out[k], slides[k], 100 * TOL);
                }
            }
    CASE_END();
}

/* An EQUALITY block alone is solved by the first visit, whatever its rows have to do with each other. */
static int a_block_is_solved_by_one_visit(void)
{
    nsc_problem p = plate(0);
    nsc_settings s = exact(NSC_SOLVER_SIPGS, NSC_LAW_COULOMB);
    nsc_report r;
    int soft = (int)below(2), i, k;
    for (i = 0; i < 2; i++) {
        masses[i].inv_mass = 1 + rnd() / 2;
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = 2 + rnd();
        for (k = 3; k < 6; k++) masses[i].inv_inertia[k] = rnd() / 4;
    }
    for (i = 0; i < 12; i++) v_free[i] = rnd();
    blocks[0].b = 1, blocks[0].kind = NSC_BLOCK_EQUALITY, blocks[0].rows = (unsigned char)(1 + below(3));
    for (i = 0; i < blocks[0].rows; i++) {
        blocks[0].bias[i] = rnd(), blocks[0].cfm[i] = soft ? 1 + rnd() : 0;
        for (k = 0; k < 12; k++) blocks[0].J[i][k] = rnd();
    }
    p.block_count = 1, s.max_iterations = 1;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) >= 0 && r.iterations == 1);
    CHECK_NEAR(r.residual, 0, 20 * TOL);
    return 1;
}

/* Where rows contradict each other DANTZIG says NSC_SINGULAR, and answers what twenty sweeps from the first guess answer. */
static void dantzig_gives_up_into_sweeps(void)
{
    nsc_mass mass[3] = {{0}};
    nsc_real free_motion[18] = {0}, motion[18], swept[18];
    int warm, i;
    for (warm = 0; warm < 2; warm++) {
        nsc_problem p = plate(4);
        nsc_settings s = exact(NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID);
        nsc_report r, by_sweeps;
        nsc_real lambda[2][18];
        for (i = 4; i < 6; i++) { /* a second body that shall move at 0.25 and at -0.25 m/s */
            blocks[i].b = 2, blocks[i].kind = NSC_BLOCK_EQUALITY, blocks[i].rows = 1;
            blocks[i].J[0][6] = 1, blocks[i].bias[0] = (nsc_real)(2 * i - 9) / 4;
        }
        mass[1] = mass[2] = masses[1];
        memcpy(free_motion, v_free, sizeof v_free);
        free_motion[9] = NSC_R(0.25); /* it tips, so that twenty sweeps do not end it */
        p.body_count = 3, p.masses = mass, p.v_free = free_motion, p.v = motion, p.block_count = 6;
        s.max_iterations = s.check_interval = 20, s.warm_start = warm, s.stall_window = 0;
        for (i = 0; i < 2; i++) {
            int k;
            for (k = 0; k < 6; k++) blocks[k].lambda[0] = k < 4 ? NSC_R(0.25) : 0, blocks[k].lambda[1] = blocks[k].lambda[2] = 0;
            solved_by = i ? NSC_SOLVER_DANTZIG : NSC_SOLVER_SIPGS;
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            CHECK(solve_by(&p, &s, i ? &r : &by_sweeps) == (i ? NSC_SINGULAR : NSC_ITERATION_LIMIT));
            if (i == 0) memcpy(swept, motion, sizeof motion);
            for (k = 0; k < 6; k++) memcpy(lambda[i] + 3 * k, blocks[k].lambda, sizeof blocks[k].lambda);
        }
        CHECK(by_sweeps.iterations == 20);
        for (i = 0; i < 18; i++) CHECK_NEAR(lambda[1][i], lambda[0][i], TOL);
        for (i = 0; i < 18; i++) CHECK_NEAR(motion[i], swept[i], TOL);
        CHECK_NEAR(r.residual, by_sweeps.residual, 0);
        CHECK_NEAR(lambda[0][0] + lambda[0][3] + lambda[0][6] + lambda[0][9], 1, 0.1); /* the plate stands */
    }
    CASE_END();
}

/* ---- What nobody wrote is not read: the arena's old contents do not change a bit ---- */

static nsc_real guarded[1000];

/* A plate on three contacts, one with rolling friction, one without friction, held by a motor with bounds and by a joint */
static nsc_problem every_kind(int joint)
{
    nsc_problem p = plate(4);
    nsc_block *b = blocks + 4;
    int i;
    blocks[3].rows = 1;
    memmove(blocks + 2, blocks + 1, 3 * sizeof *blocks);
    memset(blocks + 1, 0, sizeof *blocks);
    blocks[1].b = 1, blocks[1].kind = NSC_BLOCK_ROLLING, blocks[1].rows = 3, blocks[1].mu = NSC_R(0.01), blocks[1].hi[0] = NSC_R(0.02);
    for (i = 0; i < 3; i++) blocks[1].J[i][9 + (i + 2) % 3] = 1;
    b++;
    b->b = 1, b->kind = NSC_BLOCK_BOX, b->rows = 2;
    b->J[0][11] = b->J[1][9] = 1;
    b->lo[0] = b->lo[1] = NSC_R(-0.01), b->hi[0] = b->hi[1] = NSC_R(0.01), b->cfm[1] = NSC_R(0.1), b->bias[0] = NSC_R(0.3);
    if (joint) {
        b++;
        b->b = 1, b->kind = NSC_BLOCK_EQUALITY, b->rows = 1;
        b->J[0][7] = 1, b->bias[0] = NSC_R(0.125);
    }
    p.block_count = joint ? 7 : 6;
    p.arena = guarded;
    v_free[7] = NSC_R(0.25), v_free[11] = NSC_R(0.5);
    return p;
}

static void what_was_in_the_arena_does_not_matter(void)
{
    nsc_real fills[4];
    int n, law, joint, f, i, k;
    fills[0] = 0, fills[1] = 3, fills[2] = NSC_REAL_MAX, fills[3] = fills[2] * 10 - fills[2] * 10;
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++)
            for (joint = 0; joint < 2; joint++) {
                nsc_real first[24] = {0};
                for (f = 0; f < 4; f++) {
                    nsc_problem p = every_kind(joint);
                    nsc_settings s = exact(offers_of[n].solver, law);
                    nsc_report r;
                    if (!offers(solved_by, law) && solved_by != NSC_SOLVER_MINRES) continue;
                    s.barrier = offers_of[n].barrier, s.max_iterations = 40;
                    for (i = 0; i < 1000; i++) guarded[i] = fills[f];
                    CHECK(nsc_problem_prepare(&p) == NSC_OK);
                    CHECK(solve_by(&p, &s, &r) >= 0);
                    for (k = 0; k < p.block_count; k++) {
                        if (f == 0) memcpy(first + 3 * k, blocks[k].lambda, sizeof blocks[k].lambda);
                        CHECK(memcmp(first + 3 * k, blocks[k].lambda, sizeof blocks[k].lambda) == 0);
                    }
                }
            }
}

static int all_finite(const nsc_real *x, int n)
{
    while (n-- > 0)
        if (!(fabs((double)x[n]) <= (double)NSC_REAL_MAX)) return 0;
    return 1;
}

/* Whatever overflows on the way, what is answered is finite; a run that had measured something gives that back. */
static void overflows_end_finite(void)
{
    const int half = sizeof(nsc_real) == 4 ? 64 : 512; /* 2^half squared overflows */
    const nsc_real none[3] = {0, 0, 0};
    int n, law, power, i;
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++)
            for (power = half - 16; power < 2 * half; power += power < half + 4 ? 1 : 16) {
                nsc_real scale = (nsc_real)ldexp(1, power);
                nsc_problem p = every_kind(1);
                nsc_settings s = exact(offers_of[n].solver, law);
                nsc_report r;
                int code;
                if (!offers(solved_by, law)) continue;
                s.barrier = offers_of[n].barrier, s.max_iterations = 40;
                for (i = 6; i < 12; i++) v_free[i] *= scale;
                CHECK(nsc_problem_prepare(&p) == NSC_OK);
                code = solve_by(&p, &s, &r);
                CHECK(code >= 0 || (code == NSC_ERR_NOT_FINITE && power > half - 4));
                CHECK(all_finite(v_out, 12) && (code >= 0 || memcmp(v_out + 6, v_free + 6, 6 * sizeof *v_out) == 0));
                for (i = 0; i < p.block_count; i++) CHECK(all_finite(blocks[i].lambda, 3) && (code >= 0 || memcmp(blocks[i].lambda, none, sizeof none) == 0));
                if (code >= 0) CHECK(r.residual / 20 < scale);
                CHECK(code != NSC_OK || r.residual <= s.tolerance || r.residual <= r.floor);
            }
    CASE_END();
}

/* A bound on factorisations holds on every path and is what ends the run; 1 is enough to begin with. */
static void factorizations_are_bounded_on_every_path(void)
{
    static const int limits[5] = {1, 2, 3, 7, 20};
    int n, law, i;
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++)
            for (i = 0; i < 5; i++) {
                nsc_problem p = every_kind(1);
                nsc_settings s = exact(offers_of[n].solver, law);
                nsc_report r;
                if (!offers(solved_by, law)) continue;
                s.barrier = offers_of[n].barrier, s.tolerance = 0, s.max_factorizations = limits[i];
                s.max_iterations = 400;
                CHECK(nsc_problem_prepare(&p) == NSC_OK);
                CHECK(solve_by(&p, &s, &r) >= 0 && r.factorizations <= limits[i]);
                if (solved_by == NSC_SOLVER_NEWTON && limits[i] < 3 && r.residual > r.floor) CHECK(r.status == NSC_ITERATION_LIMIT && r.factorizations == limits[i]);
                s.max_factorizations = 0;
                CHECK(solve_by(&p, &s, &r) == NSC_ERR_ARGUMENT);
            }
}

/* Joints that contradict each other: NEWTON sees that there is nothing more to gain, and says so. */
static void newton_sees_joints_that_contradict(void)
{
    nsc_settings s = exact(NSC_SOLVER_NEWTON, NSC_LAW_COULOMB);
    nsc_problem p = plate(2);
    nsc_report r;
    int k;
    for (k = 0; k < 2; k++) blocks[k].kind = NSC_BLOCK_EQUALITY;
    memcpy(blocks[1].J, blocks[0].J, sizeof blocks[0].J);
    blocks[1].bias[0] = NSC_R(0.001);
    s.max_iterations = 1000, s.max_factorizations = 1000;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) == NSC_STALLED);
    CHECK(r.factorizations <= 20);
    CHECK_NEAR(r.residual, 0.0005, 1e-5); /* least squares: half the contradiction in each */
}

/* ---- Rolling friction in closed form ---- */

/* A ball of mass m, moment I and radius R that rolls along a direction and spins about z.  The
   ground presses with n = m g h; the torques at the contact, mu_r n against rolling and mu_s n
   against spinning, take mu_r n R / (I + m R^2) from the speed and mu_s n / I from the spin, and
   stop what is less than that. */
static void ball(double along_x, double along_y, double speed, double spin, int solver, int barrier,
                 int law)
{
    const double m = 2, I = 0.2, R = 0.5, n = 1, mu_r = 0.1, mu_s = 0.05,
                 tol = sizeof(nsc_real) == 4 ? 2e-5 : 1e-8;
    double v_after = speed - mu_r * n * R / (I + m * R * R), spin_after = spin - mu_s * n / I;
    nsc_settings s = exact(solver, law);
    nsc_problem p = plate(1);
    nsc_report r;
    int i;
    if (v_after < 0) v_after = 0;
    if (spin_after < 0) spin_after = 0;
    masses[1].inv_mass = (nsc_real)(1 / m);
    for (i = 0; i < 3; i++) masses[1].inv_inertia[i] = (nsc_real)(1 / I);
    memset(blocks, 0, 2 * sizeof *blocks);
    for (i = 0; i < 2; i++) {
        blocks[i].b = 1, blocks[i].rows = 3;
        blocks[i].kind = (unsigned char)(NSC_BLOCK_CONTACT + i);
    }
    blocks[0].J[0][8] = blocks[0].J[1][6] = blocks[0].J[2][7] = 1;
    blocks[0].J[1][10] = (nsc_real)-R, blocks[0].J[2][9] = (nsc_real)R;
    for (i = 0; i < 3; i++) blocks[1].J[i][9 + (i + 2) % 3] = 1;
    blocks[0].mu = 2, blocks[1].mu = (nsc_real)mu_r, blocks[1].hi[0] = (nsc_real)mu_s;
    v_free[6] = (nsc_real)(along_x * speed), v_free[7] = (nsc_real)(along_y * speed);
    v_free[8] = (nsc_real)(-n / m);
    v_free[9] = (nsc_real)(-along_y * speed / R), v_free[10] = (nsc_real)(along_x * speed / R);
    v_free[11] = (nsc_real)spin;
    p.block_count = 2;
    s.barrier = barrier;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK);
    CHECK_NEAR(v_out[6], along_x * v_after, tol), CHECK_NEAR(v_out[7], along_y * v_after, tol);
    CHECK_NEAR(v_out[8], 0, tol);
    CHECK_NEAR(v_out[9], -along_y * v_after / R, tol);
    CHECK_NEAR(v_out[10], along_x * v_after / R, tol);
    CHECK_NEAR(v_out[11], spin_after, tol);
    CHECK_NEAR(blocks[0].lambda[0], n, tol);
    CHECK_NEAR(blocks[1].lambda[0], I * (spin_after - spin), tol);
    CHECK_NEAR(blocks[1].lambda[1], along_y * (speed - v_after) * (I + m * R * R) / R, tol);
    CHECK_NEAR(blocks[1].lambda[2], -along_x * (speed - v_after) * (I + m * R * R) / R, tol);
    CHECK(nsc_problem_measure(&p, law, &r) == NSC_OK);
    CHECK_NEAR(r.duality_gap, 0, 10 * tol);
}

static void rolling_and_spinning_stop_within_their_bounds(void)
{
    int n, law;
    for (n = 0; n < SOLVERS; n++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++) {
            int solver = offers_of[n].solver, barrier = offers_of[n].barrier;
            if (!offers(solver, law)) continue;
            ball(1, 0, 1, 4, solver, barrier, law);      /* goes on */
            ball(0, -1, 1, 0.125, solver, barrier, law); /* spins no longer */
            ball(-1, 0, 0.05, 4, solver, barrier, law);  /* rolls no longer */
            if (law != NSC_LAW_PYRAMID) ball(0.6, -0.8, 2, 1, solver, barrier, law);
        }
}

/* ---- What NEWTON is made of ---- */

/* Jacobian of the projection by the solver's own parts: the symmetric one, and the column of the
   normal */
static void slope_of(const nsc_block *k, int law, const nsc_real *y, nsc_real normal,
                     double D[3][3])
{
    static const int packed[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    nsc_real G[6], e[3];
    int i, j;
    nsci_newton_slope(k, law, y, normal, G);
    nsci_newton_coupling(k, law, y, normal, e);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            D[i][j] = (double)G[packed[i][j]] +
                      (j == 0 && k->kind == NSC_BLOCK_CONTACT ? (double)e[i] : 0);
}

/* NEWTON's derivatives of the projection are what differences of it are, wherever it has no kink
   between. */
static int compared;

static int derivatives_of_the_projection_are_its_differences(void)
{
    const nsc_real h = sizeof(nsc_real) == 4 ? NSC_R(0.0078125) : NSC_R(1e-5);
    const double tol = sizeof(nsc_real) == 4 ? 0.03 : 1e-4;
    int i, j, number = nth(24), n = number / 3, law = NSC_LAW_COULOMB + number % 3;
    nsc_real y[3], at[3][3], normal;
    double D[3][3];
    nsc_block k;
    memset(&k, 0, sizeof k);
    k.kind = (unsigned char)(1 + n % 4), k.rows = 3, k.rho = k.delassus[0] = 1;
    k.mu = NSC_R(0.5) + NSC_R(0.4) * rnd();
    for (i = 0; i < 3; i++) y[i] = rnd(), k.lo[i] = NSC_R(-0.3), k.hi[i] = NSC_R(0.4);
    if (n % 8 < 4) y[0] = y[0] < 0 ? -y[0] : y[0];
    normal = k.kind == NSC_BLOCK_ROLLING ? NSC_R(1.0) + rnd() : y[0];
    memcpy(at[0], y, sizeof y);
    nsci_project_law(&k, law, normal, at[0]);
    if (k.kind == NSC_BLOCK_CONTACT) normal = at[0][0];
    slope_of(&k, law, y, normal, D);
    for (j = 0; j < 3; j++) {
        double there[2];
        for (i = 1; i < 3; i++) {
            memcpy(at[i], y, sizeof y);
            at[i][j] += i == 1 ? h : -h;
            nsci_project_law(&k, law, k.kind == NSC_BLOCK_ROLLING ? normal : at[i][0],
                             at[i]);
        }
        for (i = 0; i < 3; i++) {
            there[0] = (double)((at[1][i] - at[0][i]) / h);
            there[1] = (double)((at[0][i] - at[2][i]) / h);
            if (fabs(there[0] - there[1]) > tol)
                continue; /* a kink, or too much of a bend */
            CHECK_NEAR(D[i][j], 0.5 * (there[0] + there[1]), tol), compared++;
        }
    }
    return 1;
}

/* Rolling friction grows with the normal impulse: the coupling, where P is on its bound. */
static int the_coupling_of_rolling_is_its_difference(void)
{
    const nsc_real h = NSC_R(0.0078125);
    int i, law = nth(2) ? NSC_LAW_PYRAMID : NSC_LAW_COULOMB;
    nsc_real y[3], less[3], more[3], e[3], normal = NSC_R(1.5) + rnd();
    nsc_block k;
    memset(&k, 0, sizeof k);
    k.kind = NSC_BLOCK_ROLLING, k.rows = 3, k.rho = k.delassus[0] = 1, k.mu = NSC_R(0.25);
    k.hi[0] = NSC_R(0.375);
    for (i = 0; i < 3; i++) less[i] = more[i] = y[i] = NSC_R(2.0) * rnd();
    nsci_newton_coupling(&k, law, y, normal, e);
    nsci_project_law(&k, law, normal - h, less);
    nsci_project_law(&k, law, normal + h, more);
    for (i = 0; i < 3; i++) {
        double difference = (double)((more[i] - less[i]) / (2 * h)),
               most = i == 0 ? 0.375 : 0.25;
        int on_bound = fabs(difference) > 0.999 * most, inside = fabs(difference) < 1e-4;
        if ((law == NSC_LAW_PYRAMID || i == 0) && (on_bound || inside))
            CHECK_NEAR(e[i], difference, 1e-3);
        if (law == NSC_LAW_COULOMB && i > 0 && fabs((double)e[i]) > 0)
            CHECK_NEAR(e[i], difference, 0.02);
    }
    return 1;
}

/* Nesterov and Todd's scaling maps both to one point, its inverse undoes it, and the division
   undoes the product. */
static int the_scaling_maps_both_to_one_point(void)
{
    const double tol = sizeof(nsc_real) == 4 ? 1e-4 : 1e-12;
    int i;
    nsc_real z[3], s[3], l[3], m[3], x[3], back[3], t, after[3];
    nsci_scaling w;
    for (i = 1; i < 3; i++) z[i] = rnd(), s[i] = rnd(), x[i] = rnd();
    z[0] = NSC_SQRT(z[1] * z[1] + z[2] * z[2]) + NSC_R(1.1) + rnd(), x[0] = rnd();
    s[0] = NSC_SQRT(s[1] * s[1] + s[2] * s[2]) + NSC_R(1.1) + rnd();
    nsci_scaling_make(&w, z, s);
    nsci_scaling_times(&w, 0, z, l), nsci_scaling_times(&w, 1, s, m);
    for (i = 0; i < 3; i++) CHECK_NEAR(l[i], m[i], tol * (1 + fabs((double)l[0])));
    nsci_scaling_times(&w, 0, x, back), nsci_scaling_times(&w, 1, back, back);
    for (i = 0; i < 3; i++) CHECK_NEAR(back[i], x[i], 5 * tol * (1 + fabs((double)x[0])));
    nsci_lorentz_divide(l, x, back);
    CHECK_NEAR(l[0] * back[0] + l[1] * back[1] + l[2] * back[2], x[0], 5 * tol);
    for (i = 1; i < 3; i++) CHECK_NEAR(l[0] * back[i] + back[0] * l[i], x[i], 20 * tol);
    t = nsci_lorentz_step(z, x); /* just inside before, on the boundary there */
    if (t > 100) return 1;
    for (i = 0; i < 3; i++) after[i] = z[i] + t * x[i];
    CHECK_NEAR(nsci_lorentz(after) / (1 + t * t), 0, 5 * tol);
    for (i = 0; i < 3; i++) after[i] = z[i] + NSC_R(0.99) * t * x[i];
    CHECK(after[0] > 0 && nsci_lorentz(after) > 0);
    return 1;
}

/* Along a direction in the cone */
static int a_step_in_the_cone_is_without_bound(void)
{
    nsc_real z[3], x[3];
    z[0] = NSC_R(1.5), z[1] = NSC_R(0.5) * rnd(), z[2] = NSC_R(0.5) * rnd();
    x[0] = 1, x[1] = NSC_R(0.7) * rnd(), x[2] = NSC_R(0.7) * rnd();
    return nsci_lorentz_step(z, x) > NSC_R(1e6);
}

/* (I + G N) h = g, of bodies or of a given N; G any positive block, soft rows among them */
static void the_factor_solves_its_system(int given)
{
    const double tol = sizeof(nsc_real) == 4 ? 1e-4 : 1e-12;
    static nsc_real N[1000], memory[2000], by_row[24];
    nsc_problem p = every_kind(1);
    nsc_real g[24], kept[24], h[24], Nh[24], Gb[8][6];
    nsci_factor f;
    int n, k, i, j;
    static const int packed[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    masses[1].inv_inertia[3] = 1, masses[1].inv_inertia[4] = NSC_R(-0.5);
    masses[1].inv_inertia[5] = NSC_R(0.25);
    blocks[2].cfm[0] = NSC_R(0.25), blocks[2].cfm[1] = NSC_R(0.5);
    blocks[5].a = 1, blocks[5].b = 0; /* the other way about */
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.row_count <= 24);
    n = p.row_count;
    if (given) {
        for (j = 0; j < n; j++) { /* column by column: N e_j without the compliance */
            for (i = 0; i < n; i++) h[i] = i == j ? 1 : 0;
            nsci_product(&p, h, Nh);
            for (i = 0; i < n; i++) N[i * n + j] = Nh[i];
        }
        for (k = 0; k < p.block_count; k++)
            for (i = 0; i < blocks[k].rows; i++)
                N[(blocks[k].row + i) * (n + 1)] -= blocks[k].cfm[i];
        p.delassus = N, p.v_free = g, p.v = by_row;
    }
    nsci_factor_begin(&f, &p, memory);
    for (k = 0; k < p.block_count; k++) {
        nsc_real a[3][3];
        for (i = 0; i < 6; i++) Gb[k][i] = 0;
        for (i = 0; i < 3; i++)
            for (j = 0; j < 3; j++) a[i][j] = rnd();
        for (i = 0; i < blocks[k].rows; i++)
            for (j = 0; j <= i; j++)
                Gb[k][packed[i][j]] = a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2] + (i == j ? NSC_R(0.25) : 0);
        nsci_factor_set(&f, &blocks[k], Gb[k]);
    }
    CHECK(nsci_factor_run(&f) == 1);
    for (i = 0; i < n; i++) kept[i] = g[i] = rnd();
    nsci_factor_solve(&f, g, h);
    nsci_product(&p, h, Nh);
    for (k = 0; k < p.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++) {
            double sum = (double)h[blocks[k].row + i];
            for (j = 0; j < blocks[k].rows; j++)
                sum += (double)(Gb[k][packed[i][j]] * Nh[blocks[k].row + j]);
            CHECK_NEAR(sum, kept[blocks[k].row + i], 40 * tol);
        }
}

/* How many factorisations NEWTON makes on forty problems, from a cold start and then from near the
   answer: a wrong derivative, search or step of the barrier still ends at the answer, but later.
   The bounds are what was measured and a tenth more. */
static void newton_is_quick(void)
{
    static const struct bound {
        int law, barrier, mixed, cold[2], warm[2]; /* in float, in double */
    } bounds[] = {{NSC_LAW_COULOMB, 0, 0, {14, 29}, {6, 18}},
                  {NSC_LAW_COULOMB, 1, 0, {398, 608}, {401, 624}},
                  {NSC_LAW_CONE, 0, 0, {91, 128}, {21, 49}},
                  {NSC_LAW_CONE, 1, 0, {281, 453}, {271, 437}},
                  {NSC_LAW_PYRAMID, 0, 0, {23, 49}, {8, 43}},
                  {NSC_LAW_PYRAMID, 1, 0, {689, 926}, {668, 867}},
                  {NSC_LAW_COULOMB, 0, 1, {629, 959}, {68, 225}},
                  {NSC_LAW_CONE, 0, 1, {149, 309}, {93, 262}},
                  {NSC_LAW_CONE, 1, 1, {423, 857}, {438, 875}},
                  {NSC_LAW_PYRAMID, 0, 1, {218, 381}, {60, 227}}};
    const int real = sizeof(nsc_real) == 8;
    const struct bound *b;
    int n, i;
    for (b = bounds; b < bounds + sizeof bounds / sizeof *bounds; b++) {
        int cold = 0, warm = 0;
        seed = 7;
        for (n = 0; n < 40; n++) {
            nsc_problem p = b->mixed ? every_kind(n % 2) : plate(1 + n % 4);
            nsc_settings s = exact(NSC_SOLVER_NEWTON, b->law);
            nsc_report r;
            s.barrier = b->barrier, s.tolerance = real ? NSC_R(1e-9) : NSC_R(1e-5);
            masses[1].inv_inertia[3] = 1, masses[1].inv_inertia[4] = NSC_R(-0.5);
            masses[1].inv_inertia[5] = NSC_R(0.25);
            for (i = 6; i < 12; i++) v_free[i] = rnd();
            v_free[8] -= NSC_R(0.5);
            CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK);
            cold += r.factorizations;
            s.warm_start = 1;
            for (i = 6; i < 12; i++) v_free[i] += NSC_R(0.01) * rnd();
            CHECK(solve_by(&p, &s, &r) == NSC_OK);
            warm += r.factorizations;
        }
        CHECK(cold <= b->cold[real]);
        CHECK(warm <= b->warm[real]);
    }
}

int main(void)
{
    rolling_and_spinning_stop_within_their_bounds();
    if (search("derivatives of the projection are its differences", derivatives_of_the_projection_are_its_differences, 1800))
        CHECK(compared > 12000);
    search("the coupling of rolling is its difference", the_coupling_of_rolling_is_its_difference, 400);
    search("the scaling maps both to one point", the_scaling_maps_both_to_one_point, 200);
    search("a step in the cone is without bound", a_step_in_the_cone_is_without_bound, 100);
    the_factor_solves_its_system(0);
    the_factor_solves_its_system(1);
    newton_is_quick();
    what_was_in_the_arena_does_not_matter();
    factorizations_are_bounded_on_every_path();
    newton_sees_joints_that_contradict();
    the_convex_law_and_coulombs_meet_their_closed_answers();
    CASE_END();
    search("a block is solved by one visit", a_block_is_solved_by_one_visit, 60);
    search("projections onto the cone are as Moreau says", projections_onto_the_cone_are_as_moreau_says, 2000);
    statuses_tell_how_a_run_ended();
    impulses_cut_short_are_in_their_cones();
    an_arena_one_real_short_is_refused();
    bad_problems_and_settings_are_refused();
    degenerate_problems_end_finite();
    ground_may_move();
    dantzig_gives_up_into_sweeps();
    overflows_end_finite();
    return TEST_END("solvers");
}
