/* Random problems for every solver and law: what comes out goes into hashes, which are compared with
   tests/targets/bits.h, as in test_same_bits.  Blocks of all kinds in chains, heaps and rings, in
   part the same twice; masses alike or far apart; numbers are multiples of a power of two, so that
   ties come about.  Solved from nothing, from an answer, from a wild guess, until stopped, by parts,
   and with the matrix given.  test_replay_trees has trees of joints for TREE, and many contacts that
   vectors take side by side. */
#define NSC_PARALLEL 1
#define NSCI_LEAST_SHARE 1
#define NSC_IMPLEMENTATION
#include "nsc_all_solvers.h"
#ifdef REPLAY_TREES
#include "nsc_tree.h"
#define NAME "replay_trees"
#define BLOCKS_OF_PROBLEM 56
#else
#define NAME "replay_solvers"
#define BLOCKS_OF_PROBLEM 28
#endif
typedef struct nsc_vec3 { nsc_real x, y, z, unused; } nsc_vec3; /* tcc errs with three floats */
#include "replay.h"
#include "by.h"

enum { BODIES = 10, BLOCKS = BLOCKS_OF_PROBLEM, ROWS = 3 * BLOCKS, ARENA = 20000, ROUNDS = 4 };

static nsc_mass masses[BODIES];
static nsc_block blocks[BLOCKS];
static nsc_real v_free[6 * BODIES], row_free[ROWS], v[6 * BODIES + ROWS], arena[ARENA];
static nsc_real matrix[ROWS * ROWS];

/* 1/64 .. 64 */
static nsc_real size(void)
{
    nsc_real x = NSC_R(0.015625);
    int doublings = pick(13);
    while (doublings-- > 0) x *= NSC_R(2.0);
    return x;
}

enum { JOINTS = 1, BOXES = 2, MATRIX = 4, BARRIER = 8, ALIKE = 16, FAR = 32, FAST = 64, MANY = 128, CONTACTS = 256, LOOPS = 512 };

static void any_mass(nsc_mass *m, int what)
{
    nsc_real inv = what & ALIKE ? NSC_R(1.0) : what & FAR ? size() : NSC_R(0.25) * (nsc_real)(1 + pick(8));
    int i;
    memset(m, 0, sizeof *m);
    if (pick(12) == 0) return;
    m->inv_mass = inv;
    if (pick(12) == 0) return; /* a particle */
    for (i = 0; i < 3; i++) m->inv_inertia[i] = what & ALIKE ? NSC_R(4.0) : NSC_R(0.25) * (nsc_real)(16 + pick(16)) * inv;
    for (i = 3; i < 6 && !(what & ALIKE); i++) m->inv_inertia[i] = part() * inv;
}

/* Rows of a point at the arms x from a and y from b, its normal along an axis or aslant */
static void point_rows(nsc_block *k, int askew)
{
    static const nsc_real axes[3][3][3] = {
        {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{NSC_R(0.6), 0, NSC_R(0.8)}, {NSC_R(0.8), 0, NSC_R(-0.6)}, {0, 1, 0}}};
    nsc_vec3 x = any_vec(NSC_R(1.0)), y = any_vec(NSC_R(1.0));
    int i;
    for (i = 0; i < k->rows; i++) {
        const nsc_real *n = axes[askew][i];
        k->J[i][0] = -n[0], k->J[i][1] = -n[1], k->J[i][2] = -n[2];
        k->J[i][3] = n[1] * x.z - n[2] * x.y;
        k->J[i][4] = n[2] * x.x - n[0] * x.z;
        k->J[i][5] = n[0] * x.y - n[1] * x.x;
        k->J[i][6] = n[0], k->J[i][7] = n[1], k->J[i][8] = n[2];
        k->J[i][9] = y.y * n[2] - y.z * n[1];
        k->J[i][10] = y.z * n[0] - y.x * n[2];
        k->J[i][11] = y.x * n[1] - y.y * n[0];
    }
}

static void turn_rows(nsc_block *k)
{
    int i;
    for (i = 0; i < k->rows; i++) k->J[i][3 + i] = NSC_R(-1.0), k->J[i][9 + i] = NSC_R(1.0);
}

static void any_block(nsc_block *k, int n, int bodies, int what, int shape)
{
    int kind = what & JOINTS ? 0 : what & BOXES ? 5 + pick(3) : what & CONTACTS ? 8 : pick(9), i;
    memset(k, 0, sizeof *k);
    k->b = 1 + (shape ? n % (bodies - 1) : pick(bodies - 1));
    k->a = shape == 1 ? k->b - 1 : shape == 2 && k->b == bodies - 1 ? 1 : pick(bodies);
    if (k->a == k->b) k->a = 0;
    k->kind = NSC_BLOCK_CONTACT, k->rows = 3;
    if (kind < 2) k->kind = NSC_BLOCK_EQUALITY, k->rows = (unsigned char)(1 + pick(3));
    else if (kind < 4) k->rows = (unsigned char)(pick(4) ? 3 : 1);
    else if (kind < 6) k->kind = NSC_BLOCK_BOX, k->rows = (unsigned char)(1 + pick(3));
    if (k->kind == NSC_BLOCK_CONTACT || pick(2)) point_rows(k, pick(3));
    else turn_rows(k);
    k->mu = NSC_R(0.25) * (nsc_real)pick(6);
    for (i = 0; i < k->rows; i++) {
        if (pick(4) == 0) k->bias[i] = part();
        if (pick(5) == 0) k->cfm[i] = NSC_R(0.0625) * (nsc_real)pick(5);
        if (pick(4) == 0) k->lambda[i] = part();
        k->lo[i] = pick(4) ? NSC_R(-0.125) * (nsc_real)pick(16) : -NSC_REAL_MAX;
        k->hi[i] = pick(4) ? NSC_R(0.125) * (nsc_real)pick(16) : NSC_REAL_MAX;
    }
    if (k->kind == NSC_BLOCK_CONTACT && pick(3) == 0) k->cfm[1] = k->cfm[2] = k->cfm[0];
    if (what & CONTACTS && pick(6)) memset(k->cfm, 0, sizeof k->cfm);
}

static void any_velocities(int bodies)
{
    int i;
    for (i = 0; i < 6 * bodies; i++) v_free[i] = i < 6 ? NSC_R(0.0) : NSC_R(2.0) * part();
}

static void any_problem(nsc_problem *p, int what)
{
    int shape = pick(4), n, i;
    memset(p, 0, sizeof *p);
    p->body_count = 2 + pick(what & MANY ? BODIES - 2 : 4);
    for (i = 0; i < p->body_count; i++) any_mass(&masses[i], what);
    if (pick(5)) memset(&masses[0], 0, sizeof masses[0]);
    any_velocities(p->body_count);
    n = what & MANY ? 16 + pick(BLOCKS - 16) : 1 + pick(8);
    for (i = 0; i < n; i++) {
        nsc_block *k = &blocks[i], *last = i > 0 ? k - 1 : k;
        any_block(k, i, p->body_count, what, shape);
        if (i == 0 || what & (JOINTS | BOXES)) continue;
        if (what & CONTACTS) {
            if (pick(3) == 0) k->a = last->a, k->b = last->b;
            else if (pick(2)) k->a = 0;
            continue;
        }
        if (last->kind == NSC_BLOCK_CONTACT && last->rows == 3 && pick(3) == 0) {
            k->kind = NSC_BLOCK_ROLLING, k->rows = 3, k->a = last->a, k->b = last->b;
            memset(k->J, 0, sizeof k->J);
            turn_rows(k);
            k->mu = NSC_R(0.125) * (nsc_real)pick(4), k->hi[0] = NSC_R(0.125) * (nsc_real)pick(4);
        } else if (pick(8) == 0) *k = *last;
        if (k->kind == NSC_BLOCK_ROLLING && last->kind != NSC_BLOCK_CONTACT) k->kind = NSC_BLOCK_EQUALITY;
    }
    p->block_count = n, p->blocks = blocks, p->masses = masses, p->v_free = v_free, p->v = v;
    p->arena = arena, p->arena_size = ARENA;
    if (pick(6) == 0) p->bias_error = NSC_R(0.0009765625);
}

#ifdef REPLAY_TREES
/* A block of rows that turn about axes first .. first + rows - 1 */
static nsc_block *turning(nsc_problem *p, int kind, int rows, int a, int b, int first)
{
    nsc_block *k = &blocks[p->block_count++];
    int i;
    memset(k, 0, sizeof *k);
    k->kind = (unsigned char)kind, k->rows = (unsigned char)rows, k->a = (nsc_place)a, k->b = (nsc_place)b;
    for (i = 0; i < rows; i++) k->J[i][3 + (first + i) % 3] = NSC_R(-1.0), k->J[i][9 + (first + i) % 3] = NSC_R(1.0);
    return k;
}

/* Spring, servo, motor, friction or limit in a row */
static void any_drive(nsc_block *k, int i)
{
    int how = pick(5);
    k->lo[i] = -NSC_REAL_MAX, k->hi[i] = NSC_REAL_MAX;
    if (how < 3) k->cfm[i] = NSC_R(0.0625) * (nsc_real)(1 + pick(16));
    if (how > 1) k->hi[i] = NSC_R(0.125) * (nsc_real)(1 + pick(16)), k->lo[i] = -k->hi[i];
    if (how == 4) k->lo[i] = NSC_R(0.0);
    if (pick(2)) k->bias[i] = part();
    if (pick(3) == 0) k->lambda[i] = NSC_R(0.25) * part();
}

/* What holds two bodies: hinge, ball, rigid, slider, rod, or a hinge with more about its axis */
static void any_tree_joint(nsc_problem *p, int a, int b)
{
    int kind = pick(9), axis = pick(3), i;
    nsc_block *k = &blocks[p->block_count];
    if (kind < 8) {
        memset(k, 0, sizeof *k);
        k->kind = NSC_BLOCK_EQUALITY, k->a = (nsc_place)a, k->b = (nsc_place)b;
        k->rows = (unsigned char)(kind == 6 ? 2 : kind == 7 ? 1 : 3);
        point_rows(k, pick(3));
        for (i = 0; i < k->rows; i++) k->bias[i] = pick(3) ? NSC_R(0.0) : NSC_R(0.25) * part();
        p->block_count++;
    }
    if (kind < 4 || kind == 8) k = turning(p, NSC_BLOCK_EQUALITY, 2, a, b, axis);
    if (kind == 4 || kind == 6) k = turning(p, NSC_BLOCK_EQUALITY, 3, a, b, 0);
    if (kind < 8 && pick(8) == 0) k->cfm[0] = NSC_R(0.03125);
    if (pick(3)) {
        k = turning(p, NSC_BLOCK_BOX, kind == 5 ? 3 : 1, a, b, axis + 2);
        for (i = 0; i < k->rows; i++) any_drive(k, i);
    }
}

/* Each body hangs on one with a smaller number, or with a larger one; then contacts, and what closes
   loops */
static void any_forest(nsc_problem *p, int what)
{
    int chain = pick(2), down = pick(3) == 0, n, i;
    memset(p, 0, sizeof *p);
    p->body_count = 3 + pick(what & MANY ? BODIES - 2 : 4);
    for (i = 0; i < p->body_count; i++) any_mass(&masses[i], what);
    if (pick(4)) memset(&masses[0], 0, sizeof masses[0]);
    any_velocities(p->body_count);
    for (i = 1; i < p->body_count; i++) {
        int above = chain ? i - 1 : pick(i), last = p->body_count - 1;
        if (pick(10) == 0) continue;
        if (down) any_tree_joint(p, last - above, last - i);
        else if (pick(2)) any_tree_joint(p, i, above);
        else any_tree_joint(p, above, i);
    }
    n = what & LOOPS ? 1 + pick(3) : 0;
    for (i = 0; i < n; i++) {
        int a = pick(p->body_count), b = pick(p->body_count - 1);
        any_tree_joint(p, a, b < a ? b : b + 1);
    }
    n = what & JOINTS ? 0 : 1 + pick(what & MANY ? 10 : 4);
    for (i = 0; i < n; i++) any_block(&blocks[p->block_count++], i, p->body_count, what & FAR ? 0 : CONTACTS, 0);
    p->blocks = blocks, p->masses = masses, p->v_free = v_free, p->v = v;
    p->arena = arena, p->arena_size = ARENA;
    if (pick(6) == 0) p->bias_error = NSC_R(0.0009765625);
}
#endif

/* N = J M^-1 J^T of all rows, from what nsc_problem_prepare has filled in */
static void to_matrix(nsc_problem *p)
{
    int i, j, r, s, c, m = p->row_count;
    nsc_real y[12];
    for (i = 0; i < p->block_count; i++)
        for (r = 0; r < blocks[i].rows; r++) {
            const nsc_block *k = &blocks[i];
            nsc_real sum = NSC_R(0.0);
            for (c = 0; c < 6; c++) sum += k->J[r][c] * v_free[6 * k->a + c] + k->J[r][6 + c] * v_free[6 * k->b + c];
            row_free[k->row + r] = sum;
            for (j = 0; j < p->block_count; j++)
                for (s = 0; s < blocks[j].rows; s++) {
                    const nsc_block *l = &blocks[j];
                    sum = NSC_R(0.0);
                    response(p, l, s, y);
                    for (c = 0; c < 6; c++) {
                        if (k->a == l->a) sum += k->J[r][c] * y[c];
                        if (k->a == l->b) sum += k->J[r][c] * y[6 + c];
                        if (k->b == l->a) sum += k->J[r][6 + c] * y[c];
                        if (k->b == l->b) sum += k->J[r][6 + c] * y[6 + c];
                    }
                    matrix[(k->row + r) * m + l->row + s] = sum;
                }
        }
    for (i = 0; i < m; i++)
        for (j = 0; j < i; j++) matrix[i * m + j] = matrix[j * m + i];
    p->delassus = matrix, p->v_free = row_free;
}

typedef struct caller {
    int left;
    unsigned order;
} caller;

static int stop(void *user)
{
    caller *c = (caller *)user;
    return --c->left <= 0;
}

static void watch(void *user, int iteration, nsc_real residual, nsc_real change)
{
    (void)user;
    feed_int(iteration);
    feed(&residual, 1);
    feed(&change, 1);
}

static void in_parts(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    const caller *c = (const caller *)user;
    int i;
    for (i = 0; i < parts; i++) work(job, c->order & 1 ? parts - 1 - i : i);
}

static void feed_prepared(const nsc_problem *p)
{
    int k, i;
    feed_int(p->row_count);
    feed_int(p->skipped_rows);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        feed_int(b->soft + 2 * b->no_stick + 4 * b->form);
        feed(&b->rho, 1);
        for (i = 0; i < b->rows; i++) feed(&b->eff_mass[i], 1);
        feed(b->delassus, b->rows == 3 ? 6 : 1);
    }
}

static void feed_answer(const nsc_problem *p, int code, const nsc_report *r)
{
    int k;
    feed_int(code);
    feed_report(r);
    if (code < 0) return;
    for (k = 0; k < p->block_count; k++) feed(p->blocks[k].lambda, p->blocks[k].rows);
    feed(p->v, p->delassus ? p->row_count : 6 * p->body_count);
}

static const struct way {
    const char *name;
    int solver, law, what, most;
} ways[] = {
#ifdef REPLAY_TREES
    {"tree", NSC_SOLVER_TREE, NSC_LAW_COULOMB, 0, 60},
    {"tree cone", NSC_SOLVER_TREE, NSC_LAW_CONE, MANY, 60},
    {"tree pyramid", NSC_SOLVER_TREE, NSC_LAW_PYRAMID, FAR, 60},
    {"tree joints", NSC_SOLVER_TREE, NSC_LAW_COULOMB, JOINTS | MANY, 20},
    {"tree loops", NSC_SOLVER_TREE, NSC_LAW_COULOMB, LOOPS | MANY, 60},
    {"tree short", NSC_SOLVER_TREE, NSC_LAW_COULOMB, LOOPS | FAR, 12},
    {"tree alike", NSC_SOLVER_TREE, NSC_LAW_COULOMB, ALIKE | MANY | LOOPS, 80},
    {"auto trees", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, MANY, 25},
    {"contacts by waves", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, CONTACTS | MANY | FAST, 40},
    {"contacts", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, CONTACTS | MANY, 30},
    {"contacts of far masses", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, CONTACTS | MANY | FAST | FAR, 30},
#else
    {"sipgs", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 0, 12},
    {"sipgs many", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, MANY, 12},
    {"sipgs by waves", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, MANY | FAST, 60},
    {"sipgs boxes by waves", NSC_SOLVER_SIPGS, NSC_LAW_CONE, MANY | FAST | BOXES, 60},
    {"sipgs cone", NSC_SOLVER_SIPGS, NSC_LAW_CONE, MANY, 10},
    {"sipgs pyramid", NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID, MANY | FAR, 10},
    {"sipgs matrix", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, MATRIX, 10},
    {"sipgs boxes", NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, BOXES, 10},
    {"apgd", NSC_SOLVER_APGD, NSC_LAW_COULOMB, 0, 20},
    {"apgd cone", NSC_SOLVER_APGD, NSC_LAW_CONE, FAR, 20},
    {"apgd matrix", NSC_SOLVER_APGD, NSC_LAW_CONE, MATRIX, 20},
    {"bb", NSC_SOLVER_BB, NSC_LAW_COULOMB, 0, 25},
    {"bb cone", NSC_SOLVER_BB, NSC_LAW_CONE, FAR, 25},
    {"bb pyramid", NSC_SOLVER_BB, NSC_LAW_PYRAMID, MATRIX, 25},
    {"dantzig", NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 0, 1},
    {"dantzig boxes", NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, BOXES, 1},
    {"dantzig many", NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, MANY | ALIKE, 1},
    {"dantzig matrix", NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, MATRIX, 1},
    {"minres", NSC_SOLVER_MINRES, NSC_LAW_COULOMB, JOINTS, 30},
    {"minres of all", NSC_SOLVER_MINRES, NSC_LAW_COULOMB, FAR, 30},
    {"minres matrix", NSC_SOLVER_MINRES, NSC_LAW_CONE, MATRIX, 30},
    {"admm", NSC_SOLVER_ADMM, NSC_LAW_COULOMB, 0, 25},
    {"admm cone", NSC_SOLVER_ADMM, NSC_LAW_CONE, MANY, 12},
    {"admm pyramid", NSC_SOLVER_ADMM, NSC_LAW_PYRAMID, FAR, 25},
    {"admm matrix", NSC_SOLVER_ADMM, NSC_LAW_CONE, MATRIX, 25},
    {"newton", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, 30},
    {"newton cone", NSC_SOLVER_NEWTON, NSC_LAW_CONE, FAR, 30},
    {"newton pyramid", NSC_SOLVER_NEWTON, NSC_LAW_PYRAMID, ALIKE, 30},
    {"newton many", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, MANY, 15},
    {"newton joints", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTS, 30},
    {"newton matrix", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, MATRIX, 20},
    {"barrier", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, BARRIER, 25},
    {"barrier cone", NSC_SOLVER_NEWTON, NSC_LAW_CONE, BARRIER, 25},
    {"barrier boxes", NSC_SOLVER_NEWTON, NSC_LAW_PYRAMID, BARRIER | BOXES, 25},
    {"barrier matrix", NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, BARRIER | MATRIX, 25},
    {"auto", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, 0, 25},
    {"auto far", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, FAR, 25},
    {"auto cone", NSC_SOLVER_AUTO, NSC_LAW_CONE, MANY, 12},
    {"auto joints", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, JOINTS, 25},
    {"auto pyramid", NSC_SOLVER_AUTO, NSC_LAW_PYRAMID, BOXES, 25},
    {"auto matrix", NSC_SOLVER_AUTO, NSC_LAW_COULOMB, MATRIX, 20},
#endif
};
enum { WAYS = sizeof ways / sizeof *ways };

static void solve(const struct way *w, unsigned number)
{
    nsc_settings s = default_settings();
    nsc_problem p;
    nsc_report r;
    caller c;
    int round, code, i;
    seed = number * 7919u + 1u;
#ifdef REPLAY_TREES
    if (!(w->what & CONTACTS)) any_forest(&p, w->what);
    else
#endif
        any_problem(&p, w->what);
    memset(&c, 0, sizeof c);
    p.user = &c;
    code = nsc_problem_prepare(&p);
    feed_int(code);
    if (code < 0) return;
    feed_prepared(&p);
    if (w->what & MATRIX) {
        to_matrix(&p);
        feed_int(nsc_problem_prepare(&p));
    }
    solved_by = w->solver, s.law = w->law, s.barrier = (w->what & BARRIER) != 0;
    for (round = 0; round < ROUNDS; round++) {
        s.tolerance = pick(2) ? NSC_R(1e-5) : pick(4) ? NSC_R(1e-3) : NSC_R(0.0);
        s.passes = 1 + pick(4);
        s.symmetric = pick(2);
        s.judge = pick(4) > 0;
        s.warm_start = pick(4) > 0;
        s.check_interval = 1 + pick(4);
        s.stall_window = pick(3) ? 0 : 2 + pick(4);
        s.omega = pick(3) ? NSC_R(1.0) : NSC_R(0.75) + NSC_R(0.25) * (nsc_real)pick(4);
        s.max_iterations = round < 2 ? w->most : 1 + pick(6);
        s.max_factorizations = round < 2 ? 40 : 1 + pick(3);
        p.stop = NULL, p.watch = NULL;
        c.left = 1 + pick(12), c.order = (unsigned)pick(2);
        if (round == 1) {
            any_velocities(p.body_count);
            if (w->what & MATRIX) to_matrix(&p);
        }
        if (round == 2 && pick(2)) p.watch = watch;
        if (round == 3) {
            if (pick(2)) p.stop = stop;
            for (i = 0; i < p.block_count; i++) {
                int row = pick(3);
                blocks[i].lambda[row] = NSC_R(8.0) * part();
            }
        }
        p.parallel = NULL;
        if (pick(2)) p.parallel = in_parts, p.parts = 1 + pick(4);
        if (w->what & FAST) s.judge = s.stall_window = 0, s.check_interval = 10, s.max_iterations = w->most;
#ifdef REPLAY_TREES
        s.relative_tolerance = NSC_R(0.0009765625) * (nsc_real)pick(64);
        if (pick(4) == 0) s.relative_tolerance = NSC_R(0.0);
#endif
        p.arena_size = pick(6) || w->what & FAST ? ARENA : pick(400);
        memset(arena, 0xff, sizeof arena);
        code = solve_by(&p, &s, &r);
        feed_answer(&p, code, &r);
        if (code >= 0 && round == 0) {
            code = nsc_problem_measure(&p, 1 + pick(3), &r);
            feed_answer(&p, code, &r);
        }
    }
}

/* All that nsc_default_settings fills in, and what comes without settings */
static void defaults(void)
{
    nsc_settings s = default_settings();
    nsc_problem p;
    nsc_report r;
    int code;
    hash = UINT32_C(2166136261);
    feed_int(s.law), feed_int(s.max_iterations), feed_int(s.stall_window);
    feed_int(s.check_interval), feed_int(s.warm_start), feed_int(s.symmetric), feed_int(s.passes);
    feed_int(s.barrier), feed_int(s.judge), feed_int(s.max_factorizations);
    feed(&s.tolerance, 1), feed(&s.omega, 1);
    seed = 3;
    any_problem(&p, 0);
    feed_int(nsc_problem_prepare(&p));
    memset(&r, 0, sizeof r);
    code = solve_by(&p, NULL, &r);
    feed_int(code), feed_int(r.status), feed_int(r.solver);
    feed_int(solve_by(NULL, &s, &r));
    meet("replay", "default settings", hash);
}

int main(int argc, char **argv)
{
    int i;
    unsigned n;
    argc = test_begin(argc, argv);
    accepting = argc > 1 && strcmp(argv[1], "accept") == 0;
#ifdef REPLAY_TREES
    (void)defaults;
#else
    defaults();
#endif
    for (i = 0; i < WAYS; i++) {
        hash = UINT32_C(2166136261);
        for (n = 0; n < (ways[i].what & MANY ? 24u : 80u); n++) solve(&ways[i], n);
        meet("replay", ways[i].name, hash);
    }
    if (accepting) return 0;
    return TEST_END(NAME);
}
