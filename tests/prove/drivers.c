/* Drivers for Frama-C's Eva: each calls one function of nsc from ANY state - every float NaN, infinity or
   number, every integer in the range that any_world below allows - and asserts that the range holds again.
   No alarm: no undefined behaviour that Eva knows of, in any sequence of calls, at these sizes.  prove.sh runs all.

   Shown for float, 32-bit int, and the capacities here, small where Eva tells cases apart: 3 bodies, 3 shapes,
   4 contacts (sort 8, match 2); problems of 2 blocks with 0, 3 + 1, 2 + 1 or 2 + 3 rows, the arena as large as
   asked for.  Other capacities: by analogy only.
   Not shown: that a pointer into an array inside the world stays in that array and not only in the world; that
   the contracts below name all that is written (`assigns`; Eva takes them on trust); arguments that overlap;
   that a caller's problem has the sizes it says, or was prepared at all. */
#define NSC_SQRT(x) sqrtf(x) /* Eva knows the function, not the builtin */
#include <math.h>
#include <string.h>
#include <__fc_builtin.h>
#define NSC_IMPLEMENTATION
#ifndef NSC_MAX_BODIES
#define NSC_MAX_BODIES 3
#endif
#ifndef NSC_MAX_CONTACTS
#define NSC_MAX_CONTACTS 4
#endif
#include "nsc.h"

#define ANY(lo, hi) Frama_C_interval(lo, hi)
#define ANY_INT any_int
#define MAYBE(p) (Frama_C_interval(0, 1) ? (p) : NULL)
#define FILL(x) Frama_C_make_unknown((char *)&(x), sizeof(x))

static volatile float any; /* each read another float, NaN and infinities included */
static volatile int32_t any_int;

/* ---- contracts of the parts that are proved on their own, for -eva-use-spec ---------------------- */


/* by field: a corner has padding, which nothing ever writes */
#define CORNERS(n) (\initialized(&c[0 .. n - 1].u) && \initialized(&c[0 .. n - 1].v) && \initialized(&c[0 .. n - 1].w) && \
                    \initialized(&c[0 .. n - 1].id) && \initialized(&c[0 .. n - 1].edge))
#define CUT(n) (\result == n && CORNERS(n))

/*@ requires 0 <= n <= 8 && 0 <= m <= 3;
  @ requires CORNERS(1) && CORNERS(n);
  @ assigns \result, c[0 .. 7] \from c[0 .. 7], n, m, bound;
  @ ensures CORNERS(1);
  @ ensures \result == 0 || CUT(1) || CUT(2) || CUT(3) || CUT(4) || CUT(5) || CUT(6) || CUT(7) || CUT(8); */
static int nsci_clip(nsci_corner *c, int n, int m, nsc_real bound);

/*@ requires 0 <= n <= 8;
  @ requires CORNERS(n);
  @ assigns \result, c[0 .. 3] \from c[0 .. 7], n;
  @ ensures \result == 0 || CUT(1) || CUT(2) || CUT(3) || CUT(4); */
static int nsci_reduce(nsci_corner *c, int n);

/*@ requires \initialized(a) && \initialized(b) && \initialized(&out[0 .. 3]);
  @ assigns \result, out[0 .. 3] \from *a, *b, distance, out[0 .. 3];
  @ ensures 0 <= \result <= 4 && \initialized(&out[0 .. 3]); */
static int nsci_collide(const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsc_point *out);

#ifdef PROVE_STEP
/*@ requires \initialized(p) && 1 <= p->body_count <= NSC_MAX_BODIES && 0 <= p->block_count <= NSC_MAX_CONTACTS;
  @ requires \valid_read(&p->masses[0 .. p->body_count - 1]) && \initialized(&p->masses[0 .. p->body_count - 1]);
  @ requires \valid_read(&p->v_free[0 .. 6 * p->body_count - 1]) && \valid(&p->v[0 .. 6 * p->body_count - 1]);
  @ requires \valid(&p->blocks[0 .. p->block_count - 1]) && p->delassus == \null;
  @ requires \valid(&p->arena[0 .. p->arena_size - 1]);
  @ assigns \result, p->row_count, p->blocks[0 .. NSC_MAX_CONTACTS - 1] \from p->masses[0 .. NSC_MAX_BODIES - 1],
            p->blocks[0 .. NSC_MAX_CONTACTS - 1], p->v_free[0 .. 6 * NSC_MAX_BODIES - 1];
  @ ensures \initialized(&p->blocks[0 .. NSC_MAX_CONTACTS - 1]) && \initialized(&p->row_count); */
NSC_API int nsc_problem_prepare(nsc_problem *p);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. NSC_MAX_CONTACTS - 1], p->v[0 .. 6 * NSC_MAX_BODIES - 1],
            p->arena[0 .. NSC_ARENA - 1] \from *s, p->masses[0 .. NSC_MAX_BODIES - 1],
            p->blocks[0 .. NSC_MAX_CONTACTS - 1], p->v_free[0 .. 6 * NSC_MAX_BODIES - 1];
  @ ensures \initialized(r) && \initialized(&p->v[0 .. 6 * NSC_MAX_BODIES - 1]);
  @ ensures \initialized(&p->blocks[0 .. NSC_MAX_CONTACTS - 1]) && \initialized(&p->arena[0 .. NSC_ARENA - 1]); */
NSC_API int nsc_solve(nsc_problem *p, const nsc_settings *s, nsc_report *r);
#endif

/* Eva does not see that x < 1e5 excludes a NaN; the driver of this one takes the cases apart. */
/*@ requires \is_NaN(x) || x >= 0;
  @ assigns *sine, *cosine \from x;
  @ ensures \initialized(sine) && \initialized(cosine); */
static void nsci_sin_cos(nsc_real x, nsc_real *sine, nsc_real *cosine);

/* proved in contracts.c */
/*@ requires \valid_read(a) && \valid_read(b) && \initialized(a) && \initialized(b);
  @ assigns \result \from *a, *b;
  @ ensures a == b ==> \result == 0;
  @ ensures -1 <= \result <= 1; */
static int nsci_pair_order(const nsc_contact *a, const nsc_contact *b);

/*@ requires \initialized(w) && w->report.matched == 0;
  @ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS && 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ assigns w->used[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->report.matched
            \from w->contacts[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->def, h;
  @ ensures \initialized(&w->used[0 .. NSC_MAX_CONTACTS - 1]) && \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ ensures 0 <= w->report.matched <= 4 * NSC_MAX_CONTACTS; */
static void nsci_match_contacts(nsc_world *w, nsc_real h);

#ifdef PROVE_SELFCHECK
/*@ assigns \result \from *w; */
static uint32_t nsci_selfcheck_scene(nsc_world *w);
#endif

/* ---- the world: what is assumed before a call and asserted after it -------------------------------- */

static nsc_world W;

static void any_world(void)
{
    int i;
    FILL(W);
    W.def.tag = ANY(0, 15);
    W.body_end = ANY(1, NSC_MAX_BODIES);
    W.shape_end = ANY(0, NSC_MAX_SHAPES);
    W.contact_count = ANY(0, NSC_MAX_CONTACTS);
    W.found_count = ANY(0, NSC_MAX_CONTACTS);
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        W.shapes[i].body = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
        W.sweep[i] = (uint16_t)ANY(0, NSC_MAX_SHAPES - 1);
    }
    for (i = 0; i < NSC_MAX_CONTACTS; i++) W.order[i] = (uint16_t)ANY(0, NSC_MAX_CONTACTS - 1);
}

static void check_world(void)
{
    int i;
    //@ assert tag: 0 <= W.def.tag <= 15;
    //@ assert body_end: 1 <= W.body_end <= NSC_MAX_BODIES;
    //@ assert shape_end: 0 <= W.shape_end <= NSC_MAX_SHAPES;
    //@ assert contact_count: 0 <= W.contact_count <= NSC_MAX_CONTACTS;
    //@ assert found_count: 0 <= W.found_count <= NSC_MAX_CONTACTS;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        //@ assert body: W.shapes[i].body < NSC_MAX_BODIES;
        //@ assert sweep: W.sweep[i] < NSC_MAX_SHAPES;
        ;
    }
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        //@ assert order: W.order[i] < NSC_MAX_CONTACTS;
        ;
    }
}

static nsc_vec3 any_vec(void)
{
    nsc_vec3 v;
    FILL(v);
    return v;
}

/* ---- parts of the step ------------------------------------------------------------------------------ */

/* n corners, the others uninitialised, so that reading there is an alarm */
static void any_corners(nsci_corner *c, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        c[i].u = any, c[i].v = any, c[i].w = any;
        c[i].id = (uint8_t)ANY(0, 255), c[i].edge = (uint8_t)ANY(0, 255);
    }
}

void drive_clip(void)
{
    nsci_corner c[8];
    int n = ANY(0, 8);
    //@ split n;
    any_corners(c, n > 0 ? n : 1);
    nsci_clip(c, n, ANY(0, 3), any);
}

void drive_reduce(void)
{
    nsci_corner c[8];
    int n = ANY(0, 8);
    //@ split n;
    any_corners(c, n);
    nsci_reduce(c, n);
}

void drive_collide(void)
{
    nsci_geom a, b;
    nsc_point out[NSC_MANIFOLD]; /* the world's own: never uninitialised */
    FILL(out);
    FILL(a);
    FILL(b);
    nsci_collide(&a, &b, any, out);
}

void drive_sin_cos(void)
{
    nsc_real s, c;
    nsci_sin_cos(Frama_C_float_interval(0, FLT_MAX), &s, &c);
    nsci_sin_cos(INFINITY, &s, &c);
    /* a NaN fails x < 1e5 and goes on as the 0 of the first case */
}

/* With 2 contacts: Eva has to tell all orders apart to see that the walk ends and the counter cannot. */
void drive_match(void)
{
    int i;
    any_world();
    //@ split W.found_count;
    //@ split W.contact_count;
    for (i = 0; i < W.found_count; i++) {
        W.order[i] = (uint16_t)ANY(0, W.found_count - 1);
        //@ split W.order[i];
        ;
    }
    W.report.matched = 0;
    nsci_match_contacts(&W, any);
    check_world();
}

/* With 8 contacts: more than one gap width takes part. */
void drive_sort(void)
{
    any_world();
    nsci_sort(&W, -1, W.order, W.found_count);
    nsci_sort(&W, ANY(0, 2), W.sweep, W.shape_end);
    check_world();
}

/* ---- the world's functions --------------------------------------------------------------------------- */

void drive_step(void)
{
    any_world();
    nsc_world_step(MAYBE(&W), any);
    check_world();
}

void drive_init(void)
{
    nsc_world_def d;
    int code;
    FILL(d);
    FILL(W);
    code = nsc_world_init(&W, &d);
    if (code == NSC_OK) check_world();
    nsc_world_init(NULL, &d);
    nsc_world_init(&W, NULL);
    nsci_world_init(&W, &d, (size_t)ANY(0, 2147483647), ANY_INT);
}

void drive_set_def(void)
{
    nsc_world_def d;
    any_world();
    FILL(d);
    nsc_world_set_def(MAYBE(&W), MAYBE(&d));
    check_world();
}

void drive_add_body(void)
{
    nsc_body_def d;
    any_world();
    FILL(d);
    nsc_world_add_body(MAYBE(&W), MAYBE(&d));
    check_world();
}

void drive_remove_body(void)
{
    any_world();
    nsc_world_remove_body(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_shape(void)
{
    nsc_shape_def d;
    any_world();
    FILL(d);
    nsc_world_add_shape(MAYBE(&W), ANY_INT, MAYBE(&d));
    check_world();
}

void drive_remove_shape(void)
{
    any_world();
    nsc_world_remove_shape(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_contact(void)
{
    nsc_contact c;
    any_world();
    FILL(c);
    nsc_world_add_contact(MAYBE(&W), MAYBE(&c));
    check_world();
}

void drive_look(void)
{
    const nsc_contact *c;
    nsc_contact copy;
    any_world();
    nsc_world_report(MAYBE(&W));
    nsc_world_contact_count(MAYBE(&W));
    c = nsc_world_contact(MAYBE(&W), ANY_INT);
    if (c) copy = *c;
    check_world();
}

void drive_drop(void)
{
    any_world();
    W.contact_count = nsci_drop_contacts(W.contacts, W.contact_count, ANY_INT, ANY_INT);
    check_world();
}

void drive_get_pose(void)
{
    nsc_pose p;
    any_world();
    nsc_body_get_pose(MAYBE(&W), ANY_INT, MAYBE(&p));
    check_world();
}

void drive_set_pose(void)
{
    nsc_pose p;
    any_world();
    FILL(p);
    nsc_body_set_pose(MAYBE(&W), ANY_INT, p);
    check_world();
}

void drive_get_velocity(void)
{
    nsc_vec3 v, o;
    any_world();
    nsc_body_get_velocity(MAYBE(&W), ANY_INT, MAYBE(&v), MAYBE(&o));
    check_world();
}

void drive_set_velocity(void)
{
    any_world();
    nsc_body_set_velocity(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_get_mass(void)
{
    nsc_real mass, inertia[6];
    nsc_vec3 centre;
    any_world();
    nsc_body_get_mass(MAYBE(&W), ANY_INT, MAYBE(&mass), MAYBE(&centre), MAYBE(&inertia[0]));
    check_world();
}

void drive_add_force(void)
{
    any_world();
    nsc_body_add_force(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_add_force_at(void)
{
    any_world();
    nsc_body_add_force_at(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_clear_force(void)
{
    any_world();
    nsc_body_clear_force(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_impulse_at(void)
{
    any_world();
    nsc_body_add_impulse_at(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_get_contact_force(void)
{
    nsc_vec3 f, m;
    any_world();
    nsc_body_get_contact_force(MAYBE(&W), ANY_INT, MAYBE(&f), MAYBE(&m));
    check_world();
}

void drive_defaults(void)
{
    nsc_default_world_def();
    nsc_default_body_def();
    nsc_default_sphere_def(any);
    nsc_default_capsule_def(any, any);
    nsc_default_box_def(any, any, any);
    nsc_default_half_space_def();
    nsc_default_contact();
    nsc_default_settings();
    nsc_error_text(ANY_INT);
}

void drive_selfcheck(void)
{
    unsigned detail;
    nsc_selfcheck(MAYBE(&detail));
    nsc_selfcheck_text((unsigned)ANY_INT);
}

/* The scene has no input, so Eva executes it, 64 steps, as an interpreter would - and gets the same bits. */
void drive_scene(void)
{
    uint32_t hash;
    nsci_selfcheck_begin(&W, sizeof W, NSCI_CONFIG_WORD);
    hash = nsci_selfcheck_scene(&W);
    //@ assert same_bits: hash == NSCI_SELFCHECK_HASH;
    check_world();
}

/* With the contract of the scene: any hash */
void drive_world_selfcheck(void)
{
    unsigned detail;
    int code;
    any_world();
    code = nsci_world_selfcheck(MAYBE(&W), MAYBE(&detail), ANY(0, 1) ? sizeof W : 0, ANY_INT);
    check_world();
    code = nsc_world_selfcheck(&W, NULL);
}

/* ---- the solvers ---------------------------------------------------------------------------------------
   ROWS_n: the rows of the n-th block, so that the row count is a number; 0: no such block.  The arena ends
   where the solver's need ends, so that one real too far is an alarm. */
#ifndef ROWS_1
#define ROWS_1 3
#endif
#ifndef ROWS_2
#define ROWS_2 1
#endif
#ifndef BODIES
#define BODIES 2
#endif
#define BLOCKS ((ROWS_1 > 0) + (ROWS_2 > 0))
#define ROWS (ROWS_1 + ROWS_2)

static nsc_mass masses[BODIES];
static nsc_block blocks[BLOCKS > 0 ? BLOCKS : 1];
static nsc_real v_free[6 * BODIES], v[6 * BODIES], row_free[ROWS + 1], row_v[ROWS + 1], N[9 * BLOCKS * BLOCKS + 1];
static nsc_real arena[NSC_ARENA_DANTZIG(ROWS) + 1];
static nsc_problem P;
static nsc_settings S;
static nsc_report R;

/* Bodies, or a matrix; blocks of anything */
static void any_problem(int matrix, int arena_size)
{
    FILL(masses), FILL(blocks), FILL(v_free), FILL(v), FILL(row_free), FILL(row_v), FILL(N), FILL(arena);
    FILL(S);
    P.body_count = BODIES;
    P.masses = matrix ? NULL : masses;
    P.v_free = matrix ? row_free : v_free;
    P.v = matrix ? row_v : v;
    P.delassus = matrix ? N : NULL;
    P.blocks = blocks;
    P.block_count = BLOCKS;
    P.arena = arena + (sizeof arena / sizeof arena[0] - arena_size);
    P.arena_size = arena_size;
    P.row_count = ANY_INT;
}

/* What nsc_problem_prepare leaves of it when it succeeds */
static void prepared(int matrix)
{
    int i;
    P.row_count = ROWS;
    for (i = 0; i < BLOCKS; i++) {
        blocks[i].kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_CONTACT);
        blocks[i].rows = (unsigned char)(i == 0 ? ROWS_1 : ROWS_2);
        blocks[i].row = i == 0 ? 0 : ROWS_1;
        if (matrix) continue;
        blocks[i].a = ANY(0, BODIES - 1);
        blocks[i].b = ANY(0, BODIES - 1);
    }
}

/* The same, asserted: after prepare, and that no solver breaks it. */
static void check_problem(int matrix)
{
    int i;
    //@ assert count: P.row_count == ROWS;
    for (i = 0; i < BLOCKS; i++) {
        //@ assert kind: NSC_BLOCK_EQUALITY <= blocks[i].kind <= NSC_BLOCK_CONTACT;
        //@ assert rows: blocks[i].rows == (i == 0 ? ROWS_1 : ROWS_2);
        //@ assert row: blocks[i].row == (i == 0 ? 0 : ROWS_1);
        //@ assert a: matrix != 0 || 0 <= blocks[i].a < BODIES;
        //@ assert b: matrix != 0 || 0 <= blocks[i].b < BODIES;
        ;
    }
}

/* rows as given, all else as it comes */
static void prepare(int matrix)
{
    int code;
    any_problem(matrix, 0);
    blocks[0].rows = ROWS_1;
    if (BLOCKS > 1) blocks[1].rows = ROWS_2;
    code = nsc_problem_prepare(&P);
    if (code == NSC_OK) check_problem(matrix);
}

void drive_prepare(void) { prepare(0); }
void drive_prepare_matrix(void) { prepare(1); }

/* nothing as it should be */
void drive_prepare_refuse(void)
{
    any_problem(ANY(0, 1), 0);
    P.body_count = ANY(-2147483647, BODIES);
    P.block_count = ANY(-2147483647, BLOCKS);
    P.masses = MAYBE(masses);
    P.v_free = MAYBE(v_free);
    P.v = ANY(0, 1) ? v_free : MAYBE(v);
    P.blocks = MAYBE(blocks);
    nsc_problem_prepare(MAYBE(&P));
}

/* An arena that is too small or missing has to be refused. */
#define DRIVE(name, solver, matrix, size)      \
    void drive_##name(void)                    \
    {                                          \
        any_problem(matrix, size);             \
        prepared(matrix);                      \
        P.arena = MAYBE(P.arena);              \
        P.arena_size = ANY(-1, size);          \
        solver;                                \
        check_problem(matrix);                 \
    }

DRIVE(measure, nsc_problem_measure(MAYBE(&P), ANY_INT, MAYBE(&R)), 0, 0)
DRIVE(measure_matrix, nsc_problem_measure(MAYBE(&P), ANY_INT, MAYBE(&R)), 1, 0)
DRIVE(sipgs, nsc_solve_sipgs(MAYBE(&P), MAYBE(&S), MAYBE(&R)), 0, 0)
DRIVE(sipgs_matrix, nsc_solve_sipgs(MAYBE(&P), MAYBE(&S), MAYBE(&R)), 1, 0)
DRIVE(apgd, nsc_solve_apgd(MAYBE(&P), MAYBE(&S), MAYBE(&R)), 0, NSC_ARENA_APGD(ROWS))
DRIVE(apgd_matrix, nsc_solve_apgd(MAYBE(&P), MAYBE(&S), MAYBE(&R)), 1, NSC_ARENA_APGD(ROWS))
DRIVE(dantzig, nsc_solve_dantzig(MAYBE(&P), MAYBE(&S), MAYBE(&R)), 0, NSC_ARENA_DANTZIG(ROWS))
DRIVE(dantzig_matrix, nsc_solve_dantzig(MAYBE(&P), MAYBE(&S), MAYBE(&R)), 1, NSC_ARENA_DANTZIG(ROWS))

/* What every solver does first, and what it refuses */
void drive_begin(void)
{
    nsci_run run;
    any_problem(0, 0);
    prepared(0);
    P.v = MAYBE(v);
    P.v_free = MAYBE(v_free);
    P.row_count = ANY(0, 1) ? ROWS : 0;
    P.block_count = ANY(-1, 1) * BLOCKS;
    nsci_begin(&run, MAYBE(&P), MAYBE(&S), ANY(NSC_LAW_COULOMB, NSC_LAW_BOX), ANY(NSC_LAW_COULOMB, NSC_LAW_BOX));
}

/* Whichever solver the settings ask for, bodies or matrix */
void drive_solve(void)
{
    any_problem(0, NSC_ARENA_DANTZIG(ROWS));
    prepared(0);
    P.v = MAYBE(v);
    P.v_free = MAYBE(v_free);
    P.delassus = MAYBE(N);
    nsc_solve(MAYBE(&P), MAYBE(&S), MAYBE(&R));
    check_problem(0);
}
