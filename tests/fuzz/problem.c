/* problem.c - one contact problem, solved by one solver.  The arena is allocated at its exact size, so that the address sanitizer
   sees a read or write beside it, and the problem is solved twice with the arena and the answers filled with other bytes
   before: the bits must agree.  The second time it may be solved in parts, in any order, and by waves in an arena of any size.  Whatever the numbers are, the report is finite or the answer is that of a refusal. */
#ifndef FUZZ_CORPUS
#define NSC_PARALLEL 1
#define NSCI_LEAST_SHARE 1
#define NSC_IMPLEMENTATION
#include "nsc_all_solvers.h"
#endif
#include "fuzz.h"
#include "../harness/by.h"

/* An input gives so many bodies and blocks; PROBLEM_COPIES copies of them, side by side or hung together, are what can be
   shared among parts and lanes. */
enum { PROBLEM_BODIES = 5, PROBLEM_BLOCKS = 7, PROBLEM_COPIES = 7, PROBLEM_ROWS = 3 * PROBLEM_BLOCKS };
enum { PROBLEM_MOST_BODIES = PROBLEM_COPIES * PROBLEM_BODIES, PROBLEM_MOST_BLOCKS = PROBLEM_COPIES * PROBLEM_BLOCKS };
enum { PROBLEM_MOST_ROWS = 3 * PROBLEM_MOST_BLOCKS, PROBLEM_VELOCITIES = 6 * PROBLEM_MOST_BODIES };

typedef struct problem_case {
    nsc_mass masses[PROBLEM_MOST_BODIES];
    nsc_real v_free[PROBLEM_VELOCITIES];
    nsc_block blocks[PROBLEM_MOST_BLOCKS];
    nsc_real delassus[PROBLEM_ROWS * PROBLEM_ROWS];
    int bodies, count, rows, given, stop_after, arena;
    nsc_settings settings;
    int solver;
    /* of the second time */
    int parts;  /* 0: as the first time, with no function for parts */
    int waves;  /* reals of arena instead of SIPGS's none */
    unsigned order;
    int watched;
    nsc_real bias_error; /* both times */
} problem_case;

typedef struct problem_answer {
    int prepared, code;
    nsc_report report;
    nsc_real lambda[PROBLEM_MOST_ROWS], v[PROBLEM_VELOCITIES];
} problem_answer;

/* ---- decoding */

static nsc_real problem_positive(fuzz_input *in, int odd)
{
    nsc_real x = odd ? fuzz_real(in) : (nsc_real)(1 + fuzz_byte(in)) / NSC_R(64.0);
    return x < NSC_R(0.0) && !(odd & 2) ? -x : x;
}

static void problem_mass(fuzz_input *in, nsc_mass *m)
{
    int kind = fuzz_byte(in), i;
    memset(m, 0, sizeof *m);
    if (kind % 8 == 0) return; /* immovable */
    m->inv_mass = problem_positive(in, kind >> 6);
    for (i = 0; i < 3; i++) m->inv_inertia[i] = problem_positive(in, kind >> 6);
    for (i = 3; i < 6 && kind & 32; i++) m->inv_inertia[i] = fuzz_real(in);
}

/* Rows as a contact has them, or a few columns of any numbers */
static void problem_rows(fuzz_input *in, nsc_block *k, int style)
{
    int i, j;
    for (i = 0; i < k->rows; i++) {
        if (style % 4) {
            k->J[i][i] = NSC_R(-1.0), k->J[i][6 + i] = NSC_R(1.0);
            for (j = 0; j < 2; j++) k->J[i][3 + (i + j + 1) % 3] = (nsc_real)(fuzz_byte(in) - 128) / NSC_R(64.0);
            k->J[i][9 + (i + 1) % 3] = (nsc_real)(fuzz_byte(in) - 128) / NSC_R(64.0);
        } else
            for (j = fuzz_byte(in) % 8; j > 0; j--) {
                int column = fuzz_byte(in) % 12;
                k->J[i][column] = fuzz_real(in);
            }
    }
}

static void problem_block(fuzz_input *in, problem_case *c, int index)
{
    nsc_block *k = &c->blocks[index];
    int kind = fuzz_byte(in), odd = fuzz_byte(in), i;
    k->a = fuzz_byte(in) % 8, k->b = fuzz_byte(in) % 8; /* may be one that there is not */
    if (!(odd & 128)) k->a %= c->bodies, k->b %= c->bodies;
    k->kind = (unsigned char)(1 + kind % 4);
    k->rows = (unsigned char)(k->kind >= NSC_BLOCK_CONTACT ? 3 - 2 * (kind / 4 % 4 == 3) : 1 + kind / 4 % 3);
    if (kind >= 248) k->kind = (unsigned char)fuzz_byte(in), k->rows = (unsigned char)(fuzz_byte(in) % 5);
    for (i = 0; i < 3; i++) {
        k->lo[i] = NSC_R(-1.0), k->hi[i] = odd & 1 ? fuzz_real(in) : NSC_R(1.0);
        if (odd & 2) k->lo[i] = fuzz_real(in);
        k->cfm[i] = odd & 4 ? problem_positive(in, odd >> 5 & 3) : NSC_R(0.0);
        k->bias[i] = odd & 8 ? fuzz_real(in) : NSC_R(0.0);
        k->lambda[i] = odd & 16 ? fuzz_real(in) : NSC_R(0.0);
    }
    k->mu = problem_positive(in, odd >> 5 & 3);
    if (k->rows <= 3) problem_rows(in, k, kind / 16);
    if (k->rows >= 1 && k->rows <= 3) c->rows += k->rows;
}

/* N = A A^T of a few columns, so that it is one that some bodies could have; odd ones are any numbers. */
static void problem_delassus(fuzz_input *in, problem_case *c)
{
    nsc_real column[PROBLEM_ROWS];
    int i, j, k, n = c->rows, style = fuzz_byte(in);
    for (k = 0; k < 1 + style % 8; k++) {
        for (i = 0; i < n; i++) column[i] = (nsc_real)(fuzz_byte(in) - 128) / NSC_R(64.0);
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) c->delassus[i * n + j] += column[i] * column[j];
    }
    for (k = style >= 128 ? fuzz_byte(in) % 8 : 0; k > 0 && n > 0; k--) {
        i = fuzz_byte(in) % n, j = fuzz_byte(in) % n;
        c->delassus[i * n + j] = c->delassus[j * n + i] = fuzz_real(in);
    }
}

static const fuzz_field problem_settings[] = {
    FUZZ_INT(nsc_settings, judge), FUZZ_INT(nsc_settings, law), FUZZ_INT(nsc_settings, max_iterations),
    FUZZ_REAL(nsc_settings, tolerance), FUZZ_INT(nsc_settings, stall_window), FUZZ_INT(nsc_settings, check_interval),
    FUZZ_INT(nsc_settings, warm_start), FUZZ_REAL(nsc_settings, omega), FUZZ_INT(nsc_settings, symmetric),
    FUZZ_INT(nsc_settings, passes), FUZZ_INT(nsc_settings, barrier),
    FUZZ_INT(nsc_settings, max_factorizations),
    FUZZ_INT(nsc_settings, judge), FUZZ_REAL(nsc_settings, relative_tolerance)}; /* newer */
enum { PROBLEM_OLD_SETTINGS = 12 };

/* What a solver says it needs; AUTO takes what there is. */
static int problem_arena(const problem_case *c, int size)
{
    int rows = c->rows, bodies = c->bodies;
    switch (c->solver) {
    case NSC_SOLVER_APGD: return NSC_ARENA_APGD(rows);
    case NSC_SOLVER_BB: return NSC_ARENA_BB(rows);
    case NSC_SOLVER_MINRES: return NSC_ARENA_MINRES(rows);
    case NSC_SOLVER_DANTZIG: return NSC_ARENA_DANTZIG(rows);
    case NSC_SOLVER_NEWTON: return c->given ? NSC_ARENA_NEWTON_MATRIX(rows) : NSC_ARENA_NEWTON(bodies, rows);
    case NSC_SOLVER_ADMM: return c->given ? NSC_ARENA_ADMM_MATRIX(rows) : NSC_ARENA_ADMM(bodies, rows);
    case NSC_SOLVER_AUTO: return size % 4 == 0 ? NSC_ARENA_BB(rows) : size % 4 == 1 ? 10 * size : NSC_ARENA_NEWTON(bodies, rows) + NSC_ARENA_NEWTON_MATRIX(rows);
    default: return 0;
    }
}

/* Body `i` of copy `n`: the ground is the same in all, and a chain of copies hangs each one's body 1 at the last of the one
   before. */
static int problem_copied(const problem_case *c, int i, int n, int hung, int one)
{
    if (i < 0 || i >= one || i == 0) return i >= one ? i + c->bodies : i;
    return hung && i == 1 && n > 0 ? (n - 1) * one + one - 1 : n * one + i;
}

/* Copies of all bodies and blocks, each moving a little otherwise */
static void problem_repeat(problem_case *c, int copies, int hung)
{
    int one = c->bodies, blocks = c->count, rows = c->rows, n, i;
    for (n = 1; n < copies; n++) {
        for (i = 0; i < one; i++) c->masses[n * one + i] = c->masses[i];
        for (i = 0; i < 6 * one; i++) c->v_free[6 * n * one + i] = c->v_free[i] * (NSC_R(1.0) + (nsc_real)n * NSC_R(0.03125));
        for (i = 0; i < blocks; i++) {
            nsc_block *k = &c->blocks[n * blocks + i];
            *k = c->blocks[i];
            k->a = problem_copied(c, k->a, n, hung, one);
            k->b = problem_copied(c, k->b, n, hung, one);
        }
    }
    c->bodies = copies * one, c->count = copies * blocks, c->rows = copies * rows;
    if (copies > 1 && c->settings.max_iterations > 40) c->settings.max_iterations = 40;
}

/* What the second time does otherwise; zeros, as at the end of an input, change nothing. */
static void problem_newer(fuzz_input *in, problem_case *c)
{
    int how = fuzz_byte(in), size;
    if (!c->given && how % 8 > 0) problem_repeat(c, 1 + (how % 8) % PROBLEM_COPIES, how & 8);
    c->parts = how >> 4 & 7;
    if (c->parts > 5) c->parts = 5;
    c->watched = how >> 7;
    if (how == 0) return;
    c->order = fuzz_word(in);
    size = fuzz_byte(in);
    if (c->solver == NSC_SOLVER_SIPGS)
        c->waves = (size < 200 ? NSC_ARENA_WAVES(c->bodies, c->count) : (size - 200) * NSC_ARENA_WAVES(c->bodies, c->count) / 64);
    if (size % 8 == 7) c->bias_error = fuzz_real(in);
}

static void problem_decode(fuzz_input *in, problem_case *c)
{
    int how = fuzz_byte(in), laws = fuzz_byte(in), size, i;
    memset(c, 0, sizeof *c);
    c->settings = nsc_default_settings();
    c->solver = 1 + how % 8;
    c->settings.law = 1 + laws % 3;
    c->settings.barrier = laws & 16 ? 1 : 0;
    c->settings.max_iterations = 40;
    c->given = how / 8 % 4 == 3;
    c->stop_after = laws & 32 ? 1 + fuzz_byte(in) : 0;
    if (laws & 64) fuzz_change_newer(in, &c->settings, problem_settings, (int)(sizeof problem_settings / sizeof *problem_settings), PROBLEM_OLD_SETTINGS);
    if (c->settings.max_iterations > 200) c->settings.max_iterations = 200; /* bounded work, but not for minutes */
    if (c->settings.passes > 20) c->settings.passes = 20;
    size = fuzz_byte(in);
    c->bodies = 1 + size % PROBLEM_BODIES, c->count = size / 8 % (PROBLEM_BLOCKS + 1);
    for (i = 0; i < c->bodies; i++) problem_mass(in, &c->masses[i]);
    for (i = 0; i < c->count; i++) problem_block(in, c, i);
    if (c->given) problem_delassus(in, c);
    for (i = 0; i < (c->given ? c->rows : 6 * c->bodies); i++) {
        int b = fuzz_byte(in);
        c->v_free[i] = b == 255 ? fuzz_real(in) : (nsc_real)(b - 64) / NSC_R(16.0);
    }
    problem_newer(in, c);
    c->arena = problem_arena(c, size) - (laws & 128 ? 1 : 0);
    if (c->arena < 0) c->arena = 0;
}

/* ---- solving */

typedef struct problem_user {
    int left;
    unsigned order;
} problem_user;

static int problem_stop(void *user)
{
    problem_user *u = (problem_user *)user;
    return --u->left <= 0;
}

static void problem_parallel(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    fuzz_parts(work, job, parts, ((const problem_user *)user)->order);
}

/* -1 is what is not known; of numbers that overflow anything may be said. */
static void problem_watch(void *user, int iteration, nsc_real residual, nsc_real change)
{
    (void)user;
    FUZZ_CHECK(iteration >= 0 && !(residual < NSC_R(-1.0)) && !(change < NSC_R(-1.0)));
}

static nsc_real problem_size(nsc_real x) { return x < NSC_R(0.0) ? -x : x; }

/* Within its bounds to rounding of the largest impulse; of bounds above that square nothing is asked. */
static int problem_is_within(const nsc_block *k, int law, nsc_real normal, nsc_real largest)
{
    nsc_real slack = NSC_R(64.0) * NSC_REAL_EPS * largest, most = k->mu * k->lambda[0];
    nsc_real x[3], along, across;
    int i;
    memcpy(x, k->lambda, sizeof x);
    for (i = 0; i < k->rows && k->kind == NSC_BLOCK_BOX; i++)
        if (!(x[i] >= k->lo[i] && x[i] <= k->hi[i]) && k->eff_mass[i] > NSC_R(0.0)) return 0;
    if (k->kind == NSC_BLOCK_ROLLING && k->hi[0] < NSC_R(1e6)) return problem_size(x[0]) <= k->hi[0] * normal * NSC_R(1.001) + slack;
    if (k->kind != NSC_BLOCK_CONTACT || k->mu > NSC_R(1e6) || largest > NSC_SQRT(NSC_REAL_MAX) * NSC_R(0.1)) return 1;
    if (k->rows < 3) x[1] = x[2] = NSC_R(0.0);
    along = problem_size(x[1]);
    across = problem_size(x[2]);
    if (law == NSC_LAW_PYRAMID) {
        along = along > across ? along : across;
        across = NSC_R(0.0);
    }
    return x[0] >= NSC_R(0.0) && (nsc_real)hypot((double)along, (double)across) <= NSC_R(1.001) * most + slack * (NSC_R(1.0) + k->mu);
}

static void problem_check(const problem_case *c, const nsc_problem *p, const problem_answer *a, int warm_size)
{
    const nsc_report *r = &a->report;
    nsc_real largest = NSC_R(0.0);
    int k, i;
    FUZZ_CHECK(r->status == a->code);
    FUZZ_CHECK(a->code <= NSC_STOPPED && strcmp(nsc_error_text(a->code), nsc_error_text(-1000)) != 0);
    if (a->code == NSC_ERR_NOT_FINITE) {
        FUZZ_CHECK(memcmp(p->v, p->v_free, sizeof(nsc_real) * (size_t)warm_size) == 0);
        for (k = 0; k < c->count; k++)
            for (i = 0; i < p->blocks[k].rows; i++) FUZZ_CHECK(!(p->blocks[k].lambda[i] < NSC_R(0.0) || p->blocks[k].lambda[i] > NSC_R(0.0)));
    }
    if (a->code < 0) return;
    FUZZ_CHECK(fuzz_finite(&r->residual, 1) && fuzz_finite(&r->eta, 1) && fuzz_finite(&r->violation, 1));
    FUZZ_CHECK(fuzz_finite(&r->objective, 1));
    FUZZ_CHECK(fuzz_finite(&r->duality_gap, 1));
    FUZZ_CHECK(r->residual >= NSC_R(0.0) && r->eta >= NSC_R(0.0) && r->violation >= NSC_R(0.0));
    FUZZ_CHECK(r->worst_block >= -1 && r->worst_block < c->count && r->skipped_rows >= 0 && r->skipped_rows <= c->rows);
    if (a->code == NSC_OK)
        FUZZ_CHECK(r->residual <= c->settings.tolerance || r->residual <= r->floor);
    FUZZ_CHECK(fuzz_finite(p->v, warm_size));
    for (k = 0; k < c->count; k++) {
        FUZZ_CHECK(fuzz_finite(p->blocks[k].lambda, p->blocks[k].rows));
        for (i = 0; i < p->blocks[k].rows; i++)
            if (problem_size(p->blocks[k].lambda[i]) > largest)
                largest = problem_size(p->blocks[k].lambda[i]);
    }
    for (k = 0; k < c->count; k++) FUZZ_CHECK(problem_is_within(&p->blocks[k], c->settings.law, k > 0 ? p->blocks[k - 1].lambda[0] : NSC_R(0.0), largest));
}

/* Everything the solver is given lies in memory of its exact size. */
static void *problem_copy(const void *from, size_t size, int fill)
{
    void *to = malloc(size > 0 ? size : 1);
    FUZZ_CHECK(to != NULL);
    if (from) memcpy(to, from, size);
    else memset(to, fill, size);
    return to;
}

static void problem_solve(const problem_case *c, problem_answer *a, int fill)
{
    nsc_problem p;
    problem_user user;
    int size = c->given ? c->rows : 6 * c->bodies, second = fill != 0, arena = second && c->waves > 0 ? c->waves : c->arena, k, i, n = 0, known;
    size_t real = sizeof(nsc_real);
    nsc_real *v_free = (nsc_real *)problem_copy(c->v_free, real * (size_t)size, 0);
    nsc_mass *masses = (nsc_mass *)problem_copy(c->masses, sizeof(nsc_mass) * (size_t)c->bodies, 0);
    nsc_real *delassus = (nsc_real *)problem_copy(c->delassus, c->given ? real * (size_t)(c->rows * c->rows) : 0, 0);
    memset(&p, 0, sizeof p), memset(a, 0, sizeof *a);
    p.body_count = c->bodies, p.masses = masses, p.v_free = v_free, p.block_count = c->count;
    p.delassus = c->given ? delassus : NULL;
    p.v = (nsc_real *)problem_copy(NULL, real * (size_t)size, fill);
    p.blocks = (nsc_block *)problem_copy(c->blocks, sizeof(nsc_block) * (size_t)c->count, 0);
    for (k = 0; k < c->count; k++) {
        nsc_block *b = &p.blocks[k];
        memset(b->arm_a, fill, sizeof *b - offsetof(nsc_block, arm_a)); /* what nsc_problem_prepare fills */
        for (i = b->rows; i < 3; i++) memset(b->J[i], fill, sizeof b->J[i]), memset(&b->lambda[i], fill, real);
    }
    p.arena = (nsc_real *)problem_copy(NULL, real * (size_t)arena, fill);
    p.arena_size = arena;
    p.bias_error = c->bias_error;
    user.left = c->stop_after, user.order = c->order;
    p.user = &user;
    if (c->stop_after > 0) p.stop = problem_stop;
    if (second && c->parts > 0) p.parallel = problem_parallel, p.parts = c->parts;
    if (second && c->watched) p.watch = problem_watch;
    a->prepared = nsc_problem_prepare(&p);
    if (a->prepared >= 0) {
        FUZZ_CHECK(p.row_count == c->rows);
        a->code = solver_of(c->solver)(&p, &c->settings, &a->report);
        problem_check(c, &p, a, size);
        if (a->code >= 0) {
            nsc_report again;
            for (k = 0; k < c->count; k++)
                for (i = 0; i < p.blocks[k].rows; i++) a->lambda[n++] = p.blocks[k].lambda[i];
            memcpy(a->v, p.v, real * (size_t)size);
            known = nsc_problem_measure(&p, c->settings.law, &again);
            /* Without judge, v is as the sweeps left it, and rounding tells the residuals apart */
            if (c->settings.judge == 1 || c->bias_error > NSC_R(0.0))
                FUZZ_CHECK(known == NSC_OK && again.residual <= a->report.residual && again.residual >= a->report.residual);
        }
    }
    free(v_free), free(masses), free(delassus), free(p.v), free(p.blocks), free(p.arena);
}

static int fuzz_problem(const uint8_t *data, size_t size)
{
    static problem_case c;
    problem_answer first, second;
    fuzz_input in;
    in.at = data, in.end = data + size;
    problem_decode(&in, &c);
    problem_solve(&c, &first, 0);
    problem_solve(&c, &second, 0xa5);
    /* After an overflow the plain loop also writes 0 times infinity to bodies that cannot move: waves may end later. */
    if (c.parts + c.waves > 0 && first.code == NSC_ERR_NOT_FINITE && second.code == first.code) first.report.iterations = second.report.iterations = 0;
    FUZZ_CHECK(memcmp(&first, &second, sizeof first) == 0);
    return 0;
}

#ifndef FUZZ_CORPUS
static int32_t fuzz_handle(fuzz_input *in) { return fuzz_byte(in); } /* nothing here has one */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_problem(data, size); }
#endif
