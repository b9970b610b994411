/* nsc_tree.h - the solver TREE; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_tree; see nsc_calls.solve.
   Beside it: nsc_solvers.h, nsc_tree_forest.h, nsc_tree_hinge.h.

   Joints that form trees are eliminated exactly, from the leaves to the root (Featherstone's
   articulated bodies, in the bodies' own velocities); all other rows are swept by Gauss-Seidel in
   the numbers w that the trees leave free.  A chain of 50 hinges takes the instructions of 4 sweeps
   of SIPGS, one of 200 in proportion (x86-64).

   Limits: sweeps of contacts on w converge as those of SIPGS do.  Where 32 of them have not ended,
   NEWTON goes on with the rows outside the trees, if nsc_newton.h is included before this file and
   the arena holds as much again: n (n + 2) and NSC_ARENA_NEWTON_MATRIX(n) for their n rows; else
   many contacts of stiff trees may take hundreds.  A net of joints has deep trees and wide rows.
   While rows are outside, the last 8 of max_iterations, of fewer than 16 half, are sweeps of SIPGS
   on all rows.

   A body c, with the bodies that hang on it, costs 1/2 |z|^2, z = D^1/2 (U x + h), at the velocity
   x, where U has ones on its diagonal and D is one too.  Its rows with its parent p are, with C =
   J_c U^-1 D^-1/2 and the compliance on s of unit mass,

       C (z - D^1/2 h) + cfm^1/2 s + J_p x_p = -e,  [C  cfm^1/2] = [L 0] Q^T   (Householder)

   so that the first numbers of Q^T [z; s] follow the parent, -(T x_p + t) with T = L^-1 J_p, and
   cost it 1/2 |T x_p + t|^2; the others are free: one for each axis of the joint, six of a root.
   Rotations turn the rows T into the parent's U.  Of a hinge the rows of U are turned against its
   axis instead: nsc_tree_hinge.h.
   The free numbers are w, and have unit mass.  A row outside the tree is F w + r, and all of these
   have the operator F F^T + diag(cfm): F has a number for each free one on the paths of its bodies
   to the root.  Free bodies are trees of one body.

   Inside the tree are, of two bodies that a joint holds, all EQUALITY rows and those BOX rows whose
   last impulse is within its bounds: springs, servos, motors, friction that sticks, limits that
   bear.  Where the answer breaks a bound, the row leaves the tree for the rest of the solve; where
   sweeps are slow, rows enter that have come within their bounds.  Each time the factor is made
   anew (max_factorizations).  Joints that close a loop, gears and contacts are outside; an EQUALITY
   row that the tree already holds is skipped: where it contradicts the tree, it keeps its defect.
   Rows are weak that others hold but for a small part, NSCI_TREE_WEAK: in a loop of hinges that are
   not quite parallel, or where a door's second hinge is a little off its axis.  Where rows cannot
   all be solved, such small parts would take any velocity, and impulses whose rounding hides that:
   a second attempt skips the weak rows.

   The answer takes three passes: h from the leaves to the roots, the velocities from the roots to
   the leaves, by h and again by w where rows outside were swept, and from the leaves to the roots
   the impulses, each joint what the bodies that hang on it have taken from no one else.
   The defects of the rows in the tree are recomputed from the bodies' velocities each time, so that
   repeating the elimination removes its rounding.  v takes the elimination's velocities and not
   those that the rounded impulses make: in float 0.005 N s for a load of ten tonnes at 1/240 s, and
   0.005 m/s for a link of 1 kg that bears it.  Where the impulses are off by much more, as rounding
   of the velocity of a body that hardly turns is a large torque, the elimination is repeated.
   report.residual is that of v; where rounding of the impulses may be above the tolerance,
   report.floor is what it may be. */
#include "nsc_solvers.h"

#ifndef NSC_TREE_H
#define NSC_TREE_H

/* Scratch in reals.  wide: the numbers of w that one row reaches, 6 for each of its bodies without
   a joint; in a tree 6 for the root, none for the world, and the free axes of each joint from there
   to the body: 6 + 3 for the foot of a legged robot, n for a chain of n hinges on the ground. */
#undef NSC_ARENA_TREE
#define NSC_ARENA_TREE(bodies, rows, wide) (70L * (bodies) + (50L + (wide)) * (rows))

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it, of all three laws.  Scratch: NSC_ARENA_TREE.  It does not
   take problem.delassus (NSC_ERR_ARGUMENT); settings.symmetric is not read.  iterations: sweeps of
   the rows outside the tree, and repetitions of the elimination. */
NSC_API int nsc_solve_tree(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_TREE_DONE)
#define NSC_TREE_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

enum {
    NSCI_TREE_SOFT = 4,                     /* rows with compliance of one joint in the tree */
    NSCI_TREE_NUMBERS = 6 + NSCI_TREE_SOFT, /* z and s of a joint; also the most rows */
    NSCI_TREE_IDLE = 4,                     /* times without gain before a run is over */
    NSCI_TREE_TURNS = 8,                    /* most steps of one contact in a visit */
    NSCI_TREE_LOOK = 32,                    /* sweeps before the residual is measured */
    NSCI_TREE_ROUNDING = 8 /* so many floors may be the rounding of a heavy load's impulses; more
                              are rows that contradict each other */
};
#define NSCI_TREE_MOST (1L << 24) /* reals: places in the arena must be exact in a float */
/* A row whose own part is below this share of its size is held already; the squares of both count.
   So is, in a second attempt, one below NSCI_TREE_WEAK. */
#define NSCI_TREE_HELD (NSC_REAL_EPS / 64)
#define NSCI_TREE_WEAK NSC_R(1e-3)

typedef struct nsci_tree {
    nsc_problem *p;
    nsc_real *room;      /* the rest of the arena */
    long left;           /* reals in it */
    int links;           /* movable bodies, in an order from the roots to the leaves */
    int wide;            /* numbers of w */
    int extras;          /* blocks with rows outside the tree */
    int law, warm;       /* settings.law, settings.warm_start */
    int fresh;           /* 1: v is without the impulses of the awake blocks */
    int weak;            /* 1: some rows are below NSCI_TREE_WEAK */
    nsc_real held;       /* share of its size up to which a row is held already */
    nsc_real floor;      /* > 0: v was closed exactly, and this is the floor of the impulses */
    nsc_real rounding;   /* by which the impulses in the tree may be off, in velocities */
    nsc_real lost;       /* by which they are off, as they were carried last */
    nsc_real *place;     /* (bodies) the body's link; -1: immovable */
    /* by link */
    nsc_real *body, *parent; /* its body; its parent's link, -1: none or immovable */
    nsc_real *size;      /* numbers of y: 3 of a particle, else 6 */
    nsc_real *edge;      /* first block between it and its parent; -1: none */
    nsc_real *first, *rows; /* its rows in the tree: first in the list, and number */
    nsc_real *soft;      /* of these with compliance */
    nsc_real *free, *offset; /* its free numbers, and where they begin in w */
    nsc_real *loaded;    /* 1: bodies hang on it */
    nsc_real *at;        /* where the records of its rows begin in the arena */
    nsc_real *hinge;     /* 1: its rows in the tree are those of a hinge, nsc_tree_hinge.h */
    nsc_real *own;       /* (7) xy, xz, yz of V: its own inverse inertia is V E V^T; mass, 1 / E */
    nsc_real *R;         /* (21) 1 / D, and U above its diagonal */
    nsc_real *root;      /* (6) D^-1/2 of a link without a hinge */
    nsc_real *h;         /* (6) h, of a hinge e; then x, and then the impulse on the body */
    /* by block */
    nsc_real *follow;    /* the next block of the same edge; -1: none */
    nsc_real *awake;     /* 1: its rows outside are swept; 0: so far they are where they belong;
                            -1: it has none, and is part of a hinge in the tree */
    nsc_real *extra;     /* awake blocks with rows outside the tree */
    nsc_real *record;    /* where the record of the same begins in the arena */
    /* by row */
    nsc_real *owner;     /* its block */
    nsc_real *inside;    /* 1: in the tree; 0: not; -1: not, and it stays outside; -2: not, for the
                            rows there hold it already */
    nsc_real *list;      /* the rows in the tree, joint by joint */
    nsc_real *t;         /* t of the same */
    nsc_real *w;
    nsc_real *x;         /* (bodies x 6) what a closing has added to v; then what joints have */
    nsc_real *start;     /* memory that the factor divides */
    long start_left;
} nsci_tree;

/* Record of a row in the tree: 2 / |v|^2 of its reflection, T, its own number of L inverted, the
   others of L and behind them v without its zeros, its rotations against the parent's rows */
enum {
    NSCI_TREE_BETA, NSCI_TREE_T, NSCI_TREE_L_OWN = NSCI_TREE_T + 6, NSCI_TREE_L,
    NSCI_TREE_V = NSCI_TREE_L, NSCI_TREE_LOAD = NSCI_TREE_V + NSCI_TREE_NUMBERS,
    NSCI_TREE_RECORD = NSCI_TREE_LOAD + 18
};
/* Record of a block outside: delassus, stick_inverse, eff_mass, rho and no_stick in w, which change
   places with those of the block; r; lambda before the sweeps; number of stretches and width;
   stretches of w; F */
enum {
    NSCI_TREE_OWN = 14, NSCI_TREE_R = 14, NSCI_TREE_WAS = 17, NSCI_TREE_STRETCHES = 20,
    NSCI_TREE_WIDTH, NSCI_TREE_F
};

static int nsci_int(nsc_real x) { return (int)x; }

/* The next n reals of the arena, or NULL */
static nsc_real *nsci_tree_take(nsci_tree *t, long n)
{
    nsc_real *x = t->room;
    if (n > t->left)
        return NULL;
    t->left -= n;
    t->room += n;
    return x;
}

/* ---- bodies */

/* 1 / x, or 0 of 0 */
static nsc_real nsci_tree_inverse(nsc_real x) { return x > 0 ? 1 / x : 0; }

/* R and `own` of a body alone, whose inverse inertia is V E V^T with an upper triangle V, and its
   inertia U^T U / E with U = V^-1 */
static void nsci_tree_root(const nsc_mass *m, nsc_real *own, nsc_real *R)
{
    const nsc_real *I = m->inv_inertia;
    nsc_real *V = own, *E = R + 3, *U = R + 18, yy, xx;
    int i;
    for (i = 0; i < 3; i++)
        R[i] = m->inv_mass;
    for (; i < 21; i++)
        R[i] = 0;
    E[2] = nsci_max(I[2], 0);
    V[1] = E[2] > 0 ? I[4] / E[2] : 0;
    V[2] = E[2] > 0 ? I[5] / E[2] : 0;
    yy = I[1] - V[2] * I[5];
    E[1] = yy > 16 * NSC_REAL_EPS * I[1] ? yy : 0;
    V[0] = E[1] > 0 ? (I[3] - V[1] * I[5]) / E[1] : 0;
    xx = I[0] - V[1] * I[4] - V[0] * V[0] * E[1];
    E[0] = xx > 16 * NSC_REAL_EPS * I[0] ? xx : 0;
    U[0] = -V[0];
    U[1] = V[0] * V[2] - V[1];
    U[2] = -V[2];
    for (i = 0; i < 4; i++)
        own[3 + i] = nsci_tree_inverse(R[2 + i]);
}

/* f = the impulse that gives one body alone the velocity x */
static void nsci_tree_impulse(const nsc_real *own, const nsc_real *x, nsc_real *f)
{
    nsc_real y = x[4] - own[2] * x[5];
    f[0] = own[3] * x[0];
    f[1] = own[3] * x[1];
    f[2] = own[3] * x[2];
    f[3] = own[4] * (x[3] - own[0] * y - own[1] * x[5]);
    f[4] = own[5] * y - own[0] * f[3];
    f[5] = own[6] * x[5] - own[1] * f[3] - own[2] * f[4];
}

/* Loops of known length are unrolled where code is to be fast; sums keep their order. */
#if NSCI_FAST && defined(__GNUC__) && __GNUC__ >= 8
#define NSCI_UNROLL _Pragma("GCC unroll 8")
#else
#define NSCI_UNROLL
#endif

/* x = D^-1/2 U^-T x of a link without a hinge */
static void nsci_tree_down(const nsci_tree *t, int link, nsc_real *NSC_RESTRICT x)
{
    const nsc_real *NSC_RESTRICT U = t->R + 21 * link + 6;
    const nsc_real *NSC_RESTRICT root = t->root + 6 * link;
    nsc_real y[6];
    int i, j;
    NSCI_UNROLL
    for (i = 0; i < 6; i++)
        y[i] = x[i];
    if (t->loaded[link] > 0) {
        NSCI_UNROLL
        for (i = 0; i < 6; i++) {
            NSCI_UNROLL
            for (j = i + 1; j < 6; j++, U++)
                y[j] -= *U * y[i];
        }
    } else {
        y[4] -= U[12] * y[3];
        y[5] -= U[13] * y[3] + U[14] * y[4];
    }
    NSCI_UNROLL
    for (i = 0; i < 6; i++)
        x[i] = root[i] * y[i];
}

/* x -= sum of c T over the records of rows, six numbers each */
static void nsci_tree_follow(const nsc_real *NSC_RESTRICT T, const nsc_real *NSC_RESTRICT c,
                               int rows, nsc_real *NSC_RESTRICT x)
{
    int i;
    for (T += NSCI_TREE_T; rows > 0; rows--, c++, T += NSCI_TREE_RECORD) {
        NSCI_UNROLL
        for (i = 0; i < 6; i++)
            x[i] -= *c * T[i];
    }
}

/* ---- the trees */

#include "nsc_tree_forest.h" /* not found: copy examples/kit/nsc_tree_forest.h */

/* Divide the arena and choose the trees.  0: no room */
static int nsci_tree_plan(nsci_tree *t, nsc_problem *p)
{
    nsc_real **by_link[12], **by_row[4];
    int i, n = p->body_count;
    long fixed = 70L * n + 14L * p->row_count + 16;
    t->p = p;
    t->room = p->arena;
    t->left = p->arena ? p->arena_size : 0;
    if (t->left > NSCI_TREE_MOST)
        t->left = NSCI_TREE_MOST;
    if (fixed > t->left)
        return 0;
    by_link[0] = &t->body, by_link[1] = &t->parent, by_link[2] = &t->size, by_link[3] = &t->edge;
    by_link[4] = &t->first, by_link[5] = &t->rows, by_link[6] = &t->soft, by_link[7] = &t->offset;
    by_link[8] = &t->loaded, by_link[9] = &t->at, by_link[10] = &t->free, by_link[11] = &t->hinge;
    by_row[0] = &t->owner, by_row[1] = &t->inside, by_row[2] = &t->list, by_row[3] = &t->t;
    t->place = nsci_tree_take(t, n);
    for (i = 0; i < 12; i++)
        *by_link[i] = nsci_tree_take(t, n);
    for (i = 0; i < 4; i++)
        *by_row[i] = nsci_tree_take(t, p->row_count);
    t->own = nsci_tree_take(t, 7L * n);
    t->R = nsci_tree_take(t, 21L * n);
    t->root = nsci_tree_take(t, 6L * n);
    t->h = nsci_tree_take(t, 6L * n);
    t->w = nsci_tree_take(t, 6L * n);
    t->x = nsci_tree_take(t, 6L * n);
    t->follow = nsci_tree_take(t, p->block_count);
    t->awake = nsci_tree_take(t, p->block_count);
    t->extra = nsci_tree_take(t, p->block_count);
    t->record = nsci_tree_take(t, p->block_count);
    t->start = t->room;
    t->start_left = t->left;
    return nsci_forest_plant(t);
}

/* ---- the factor */

/* A link while it is worked on.  Its z and s are ten numbers: six of the body, of which a particle
   uses three, and those of the soft rows. */
typedef struct nsci_limb {
    int link, parent, first, rows, hard, size;
    nsc_real *record; /* of its first row */
} nsci_limb;

static nsci_limb nsci_tree_limb(const nsci_tree *t, int link)
{
    nsci_limb m;
    m.link = link;
    m.parent = nsci_int(t->parent[link]);
    m.first = nsci_int(t->first[link]);
    m.rows = nsci_int(t->rows[link]);
    m.hard = m.rows - nsci_int(t->soft[link]);
    m.size = nsci_int(t->size[link]);
    m.record = t->p->arena + nsci_int(t->at[link]);
    return m;
}

/* Where the number c of z and s stands of which row c fixes its own, and the rest are free */
static int nsci_tree_spot(const nsci_limb *m, int c) { return c < m->size ? c : c + 6 - m->size; }

/* Free numbers of a link */
static int nsci_tree_free(const nsci_limb *m) { return m->size - m->hard; }

/* z = Q^T z by the reflections z -= beta v v'z of its rows, or Q z, in reverse */
static void nsci_tree_reflect(const nsci_limb *m, int reverse, nsc_real *NSC_RESTRICT z)
{
    int i, j;
    for (j = 0; j < m->rows; j++) {
        int q = reverse ? m->rows - 1 - j : j;
        const nsc_real *NSC_RESTRICT record = m->record + NSCI_TREE_RECORD * q;
        const nsc_real *NSC_RESTRICT v = record + NSCI_TREE_V;
        int last = q < m->hard ? 6 : 7 + q - m->hard;
        nsc_real sum = 0;
        for (i = nsci_tree_spot(m, q); i < last; i++)
            sum += v[i] * z[i];
        sum *= record[NSCI_TREE_BETA];
        for (i = nsci_tree_spot(m, q); i < last; i++)
            z[i] -= sum * v[i];
    }
}

/* The block of the row of the list, and its number in that */
static nsc_block *nsci_tree_block(const nsci_tree *t, int row, int *i)
{
    int r = nsci_int(t->list[row]);
    nsc_block *k = &t->p->blocks[nsci_int(t->owner[r])];
    *i = r - k->row;
    return k;
}

/* Does row i of a block of a joint belong into the tree, with the impulse it has? */
static int nsci_tree_belongs(const nsci_tree *t, const nsc_block *k, int i)
{
    nsc_real x = t->warm ? k->lambda[i] : 0;
    if (t->inside[k->row + i] < 0 || k->eff_mass[i] <= 0)
        return 0;
    return k->kind == NSC_BLOCK_EQUALITY || nsci_tree_is_free(k, i) ||
           (x > k->lo[i] && x < k->hi[i]);
}

#include "nsc_tree_hinge.h" /* not found: copy examples/kit/nsc_tree_hinge.h */

/* Add row i of block k to the rows of a link, unless these hold it already, or it is weak and
   waits for the others.  0: no room */
static int nsci_tree_add(nsci_tree *t, nsci_limb *m, const nsc_block *k, int i, int waits)
{
    nsc_real z[NSCI_TREE_NUMBERS], whole = 0, own = 0, alpha, *record, *T, *L, *v;
    int q = m->rows, soft = k->cfm[i] > 0, last = 6 + q - m->hard;
    int child = k->b == nsci_int(t->body[m->link]) ? 6 : 0;
    int j, pivot = nsci_tree_spot(m, q);
    nsc_real room[12];
    const nsc_real *J = nsci_row_of(k, i, room);
    if (last + soft > NSCI_TREE_NUMBERS || (q >= m->size && !soft)) {
        t->inside[k->row + i] = -2;
        return 1;
    }
    for (j = 0; j < 6; j++)
        z[j] = J[child + j];
    nsci_tree_down(t, m->link, z);
    for (j = 6; j < last; j++)
        z[j] = 0;
    if (soft)
        z[last++] = NSC_SQRT(k->cfm[i]);
    for (j = 0; j < last; j++)
        whole += z[j] * z[j];
    nsci_tree_reflect(m, 0, z);
    for (j = pivot; j < last; j++)
        own += z[j] * z[j];
    if (waits && !(own > NSCI_TREE_WEAK * whole))
        return 1;
    t->weak |= own <= NSCI_TREE_WEAK * whole;
    if (!(own > t->held * whole)) {
        t->inside[k->row + i] = -2;
        return 1;
    }
    record = nsci_tree_take(t, NSCI_TREE_RECORD);
    if (!record)
        return 0;
    t->list[m->first + q] = (nsc_real)(k->row + i);
    t->inside[k->row + i] = 1;
    alpha = z[pivot] > 0 ? -NSC_SQRT(own) : NSC_SQRT(own);
    own -= z[pivot] * alpha; /* |v|^2 / 2 of v = z - alpha e */
    record[NSCI_TREE_BETA] = 1 / own;
    T = record + NSCI_TREE_T;
    v = record + NSCI_TREE_V;
    L = record + NSCI_TREE_L;
    for (j = 0; j < q; j++)
        L[j] = z[nsci_tree_spot(m, j)];
    record[NSCI_TREE_L_OWN] = 1 / alpha;
    v[pivot] = z[pivot] - alpha;
    for (j = pivot + 1; j < last; j++)
        v[j] = z[j];
    for (j = 0; j < 6; j++)
        T[j] = J[6 - child + j];
    nsci_tree_follow(m->record, L, q, T);
    for (j = 0; j < 6; j++)
        T[j] *= record[NSCI_TREE_L_OWN];
    if (m->parent >= 0) {
        nsc_real x[6];
        for (j = 0; j < 6; j++)
            x[j] = T[j];
        nsci_tree_merge(t->R + 21 * m->parent, 0, x, 1, record + NSCI_TREE_LOAD);
    }
    m->rows++;
    m->hard += !soft;
    return 1;
}

/* Rows of a link: first the hard ones, of these the weak last: which is weak may depend on which
   came first.  0: no room */
static int nsci_tree_join(nsci_tree *t, nsci_limb *m)
{
    int pass, i, ok = 1;
    for (pass = 0; pass < 3; pass++) {
        int block = nsci_int(t->edge[m->link]);
        for (; block >= 0; block = nsci_int(t->follow[block])) {
            const nsc_block *k = &t->p->blocks[block];
            for (i = 0; i < k->rows && ok; i++)
                if ((k->cfm[i] > 0) == (pass == 2) && t->inside[k->row + i] <= 0 &&
                    nsci_tree_belongs(t, k, i))
                    ok = nsci_tree_add(t, m, k, i, pass == 0);
        }
    }
    t->rows[m->link] = (nsc_real)m->rows;
    t->soft[m->link] = (nsc_real)(m->rows - m->hard);
    return ok;
}

/* Has row i an F?  Of a BOX only where it is outside the tree */
static int nsci_tree_is_outside(const nsci_tree *t, const nsc_block *k, int i)
{
    return k->kind != NSC_BLOCK_BOX || (t->inside[k->row + i] <= 0 && k->eff_mass[i] > 0);
}

/* The next link on the paths of two links to their roots, from the leaves; these go on. */
static int nsci_tree_up(const nsci_tree *t, int *i, int *j)
{
    int link = *i > *j ? *i : *j;
    if (*i == link)
        *i = nsci_int(t->parent[link]);
    if (*j == link)
        *j = nsci_int(t->parent[link]);
    return link;
}

/* Reals of the record of block k; its stretches of w, and width */
static long nsci_tree_room(const nsci_tree *t, const nsc_block *k, int *stretches, int *width)
{
    int c, rows = 0, last = -1;
    int i = nsci_int(t->place[k->a]);
    int j = nsci_int(t->place[k->b]);
    *stretches = *width = 0;
    for (c = 0; c < k->rows; c++)
        rows += nsci_tree_is_outside(t, k, c);
    while (i >= 0 || j >= 0) {
        int link = nsci_tree_up(t, &i, &j);
        int n = nsci_int(t->free[link]), offset = nsci_int(t->offset[link]);
        if (n == 0)
            continue;
        *width += n;
        *stretches += offset + n != last;
        last = offset;
    }
    return NSCI_TREE_F + 2L * *stretches + (long)rows * *width;
}

/* Record of block k.  NULL: no room */
static nsc_real *nsci_tree_open(nsci_tree *t, const nsc_block *k)
{
    int stretches, width, last = -1;
    int i = nsci_int(t->place[k->a]);
    int j = nsci_int(t->place[k->b]);
    nsc_real *record = nsci_tree_take(t, nsci_tree_room(t, k, &stretches, &width));
    nsc_real *stretch;
    if (!record)
        return NULL;
    record[NSCI_TREE_STRETCHES] = (nsc_real)stretches;
    record[NSCI_TREE_WIDTH] = (nsc_real)width;
    stretch = record + NSCI_TREE_F + 2 * stretches;
    while (i >= 0 || j >= 0) {
        int link = nsci_tree_up(t, &i, &j);
        int n = nsci_int(t->free[link]), offset = nsci_int(t->offset[link]);
        if (n == 0)
            continue;
        if (offset + n != last) {
            stretch -= 2;
            stretch[1] = 0;
        }
        stretch[0] = (nsc_real)(last = offset);
        stretch[1] += (nsc_real)n;
    }
    return record;
}

static nsc_real *nsci_tree_F(nsc_real *record)
{
    return record + NSCI_TREE_F + 2 * nsci_int(record[NSCI_TREE_STRETCHES]);
}

/* F of a row with the parts x and y of its two bodies at links i and j.  end: of its F */
static void nsci_tree_trace(const nsci_tree *t, int i, nsc_real *x, int j, nsc_real *y,
                            nsc_real *end)
{
    nsc_real z[NSCI_TREE_NUMBERS], e[NSCI_TREE_NUMBERS];
    int c;
    while (i >= 0 || j >= 0) {
        nsci_limb m;
        if (i == j) {
            for (c = 0; c < 6; c++)
                x[c] += y[c];
            j = -1;
        } else if (i < j) {
            nsc_real *swap = x;
            int link = i;
            x = y;
            y = swap;
            i = j;
            j = link;
        }
        if (t->hinge[i] > 0) {
            *--end = nsci_hinge_trace(t->p->arena + nsci_int(t->at[i]), x);
            i = nsci_int(t->parent[i]);
            continue;
        }
        if (t->rows[i] <= 0 && t->parent[i] < 0) {
            nsci_tree_down(t, i, x);
            for (c = nsci_int(t->size[i]) - 1; c >= 0; c--)
                *--end = x[c];
            i = -1;
            continue;
        }
        m = nsci_tree_limb(t, i);
        for (c = 0; c < 6; c++) {
            z[c] = x[c];
            x[c] = 0;
        }
        for (; c < NSCI_TREE_NUMBERS; c++)
            z[c] = 0;
        nsci_tree_down(t, i, z);
        nsci_tree_reflect(&m, 0, z);
        if (m.parent >= 0) {
            for (c = 0; c < m.rows; c++)
                e[c] = z[nsci_tree_spot(&m, c)];
            nsci_tree_follow(m.record, e, m.rows, x);
        }
        for (c = m.rows + nsci_tree_free(&m) - 1; c >= m.rows; c--)
            *--end = z[nsci_tree_spot(&m, c)];
        i = m.parent;
    }
}

NSCI_INLINE void nsci_tree_exchange(nsc_real *x, nsc_real *y)
{
    nsc_real keep = *x;
    *x = *y;
    *y = keep;
}

/* Exchange what nsc_problem_prepare knows of a block for what it is in w, and back. */
static void nsci_tree_swap(nsc_block *k, nsc_real *record)
{
    nsc_real x;
    int i;
    for (i = 0; i < 6; i++)
        nsci_tree_exchange(&k->delassus[i], &record[i]);
    for (i = 0; i < 3; i++) {
        nsci_tree_exchange(&k->stick_inverse[i], &record[6 + i]);
        nsci_tree_exchange(&k->eff_mass[i], &record[9 + i]);
    }
    nsci_tree_exchange(&k->rho, &record[12]);
    x = (nsc_real)k->no_stick;
    k->no_stick = record[NSCI_TREE_OWN - 1] > 0;
    record[NSCI_TREE_OWN - 1] = x;
}

/* F F^T + cfm of a block, and what follows from it.  Rows in the tree get no effective mass, and
   neither do joint rows that the trees hold already.  Other rows that nothing can move keep that of
   the free bodies, so that their impulse goes to its bound by steps; BOX rows by large ones, such
   as friction of an axis at its limit.  A body of a tree may turn or
   slide one way only, where visits that step all rows of a block would run to and fro: rolling
   friction gets a diagonal that bounds G, and a contact that cannot stick for it a little more on
   the diagonal.  Both leave the answer as it is, for at that the rows ask for no change. */
static void nsci_tree_weigh(nsci_tree *t, nsc_block *k, nsc_real *record)
{
    nsc_real *F[3], G[6];
    nsc_real share = k->kind == NSC_BLOCK_BOX ? NSC_R(1.0) / 1024 : 1;
    int width = nsci_int(record[NSCI_TREE_WIDTH]);
    int outside[3];
    int i, j;
    F[0] = nsci_tree_F(record);
    for (i = 0; i < k->rows; i++) {
        outside[i] = nsci_tree_is_outside(t, k, i);
        if (i < 2)
            F[i + 1] = F[i] + (outside[i] ? width : 0);
    }
    for (i = 0; i < 6; i++)
        G[i] = k->delassus[i];
    for (i = 0; i < NSCI_TREE_OWN; i++)
        record[i] = 0;
    record[NSCI_TREE_OWN - 1] = 1;
    nsci_tree_swap(k, record);
    for (i = 0; i < k->rows; i++) {
        nsc_real all = G[nsci_packed(i, i)], own = 0;
        int gone = t->inside[k->row + i] > 0, held;
        if (!outside[i])
            continue;
        if (!gone)
            own = nsci_dot(F[i], F[i], width);
        held = k->cfm[i] <= 0 && !(own > t->held * all);
        gone |= held && k->kind == NSC_BLOCK_EQUALITY;
        if (held)
            nsci_clear(F[i], sizeof *F[i] * (size_t)width);
        k->delassus[nsci_packed(i, i)] = gone ? 0 : held ? share * all : own + k->cfm[i];
    }
    for (i = 0; i < k->rows; i++)
        for (j = i + 1; j < k->rows; j++)
            if (k->delassus[nsci_packed(i, i)] > 0 && k->delassus[nsci_packed(j, j)] > 0)
                k->delassus[nsci_packed(i, j)] = nsci_dot(F[i], F[j], width);
    if (k->kind == NSC_BLOCK_EQUALITY)
        nsci_tree_depend(t, k, G);
    if (k->kind == NSC_BLOCK_ROLLING) {
        nsc_real *own = k->delassus;
        nsc_real x = nsci_abs(own[1]), y = nsci_abs(own[2]), z = nsci_abs(own[4]);
        own[0] += x + y;
        own[3] += x + z;
        own[5] += y + z;
        own[1] = own[2] = own[4] = 0;
    }
    nsci_effective_mass(k);
    if (k->kind == NSC_BLOCK_CONTACT && k->rows == 3)
        nsci_prepare_stick(k);
    else if (k->kind == NSC_BLOCK_EQUALITY || k->kind == NSC_BLOCK_ROLLING)
        nsci_prepare_equality(k);
    if (k->kind == NSC_BLOCK_CONTACT && k->rows == 3 && k->no_stick && k->rho > 0) {
        for (i = 0; i < 3; i++)
            k->delassus[nsci_packed(i, i)] += NSC_R(1e-3) / k->rho;
        nsci_effective_mass(k);
        nsci_prepare_stick(k);
    }
    if (k->kind == NSC_BLOCK_CONTACT)
        k->delassus[3] = k->delassus[5] =
            nsci_max(k->delassus[3], k->delassus[5]) + nsci_abs(k->delassus[4]);
    nsci_tree_swap(k, record);
}

/* F of the rows of block k outside the tree.  0: no room */
static int nsci_tree_outside(nsci_tree *t, int block)
{
    nsc_block *k = &t->p->blocks[block];
    nsc_real *record = nsci_tree_open(t, k), *end;
    int a = nsci_int(t->place[k->a]), b = nsci_int(t->place[k->b]);
    int i, c;
    if (!record)
        return 0;
    for (i = t->extras++; i > 0 && nsci_int(t->extra[i - 1]) > block; i--) {
        t->extra[i] = t->extra[i - 1];
        t->record[i] = t->record[i - 1];
    }
    t->extra[i] = (nsc_real)block;
    t->record[i] = (nsc_real)(record - t->p->arena);
    end = nsci_tree_F(record);
    for (i = 0; i < k->rows; i++) {
        nsc_real x[6], y[6], room[12];
        const nsc_real *J = nsci_row_of(k, i, room);
        if (!nsci_tree_is_outside(t, k, i))
            continue;
        end += nsci_int(record[NSCI_TREE_WIDTH]);
        for (c = 0; c < 6; c++) {
            x[c] = J[c];
            y[c] = J[6 + c];
        }
        nsci_tree_trace(t, a, x, b, y, end);
    }
    nsci_tree_weigh(t, k, record);
    return 1;
}

/* Has the block rows outside the tree that move something? */
static int nsci_tree_is_extra(const nsci_tree *t, const nsc_block *k)
{
    int i, extra = 0;
    for (i = 0; i < k->rows; i++)
        extra |= t->inside[k->row + i] <= 0 && k->eff_mass[i] > 0;
    return extra;
}

/* Trace the blocks outside that have become awake: those whose impulse does not obey its law at the
   velocities v that there are.  A limit that is far off or a contact that opens costs no sweeps.
   all: also the others that are awake.  -1: no room, else whether there were any */
static int nsci_tree_wake(nsci_tree *t, int all)
{
    nsc_problem *p = t->p;
    int i, j, woken = 0;
    for (i = 0; i < p->block_count; i++) {
        const nsc_block *k = &p->blocks[i];
        nsc_real u[3];
        int was = t->awake[i] > 0;
        if ((was && !all) || t->awake[i] < 0 || !nsci_tree_is_extra(t, k))
            continue;
        if (!was) {
            nsci_block_velocity(p, k, p->v, k->lambda, u);
            for (j = 0; j < k->rows; j++)
                if (t->inside[k->row + j] > 0)
                    u[j] = 0;
            t->awake[i] = nsci_defect(k, t->law, k->lambda, u) > 0 ||
                          (i + 1 < p->block_count && k[1].kind == NSC_BLOCK_ROLLING);
        }
        if (t->awake[i] <= 0)
            continue;
        if (!nsci_tree_outside(t, i))
            return -1;
        woken = 1;
    }
    return woken;
}

/* Factorise the trees.  0: no room */
static int nsci_tree_factor(nsci_tree *t)
{
    int i, c, link, listed = 0, ok = 1;
    t->room = t->start;
    t->left = t->start_left;
    t->wide = t->extras = 0;
    for (i = 0; i < t->p->row_count; i++)
        if (t->inside[i] > 0 || t->inside[i] < -1)
            t->inside[i] = 0;
    for (i = 0; i < t->p->block_count; i++)
        t->awake[i] = nsci_max(t->awake[i], 0);
    for (i = 0; i < t->links; i++) {
        t->loaded[i] = t->rows[i] = t->soft[i] = 0;
        nsci_tree_root(&t->p->masses[nsci_int(t->body[i])], t->own + 7 * i, t->R + 21 * i);
    }
    for (link = t->links - 1; link >= 0 && ok; link--) {
        nsci_limb m;
        int hinge;
        t->first[link] = (nsc_real)listed;
        t->at[link] = (nsc_real)(t->room - t->p->arena);
        hinge = nsci_hinge_join(t, link);
        t->hinge[link] = t->free[link] = (nsc_real)hinge;
        ok = hinge >= 0;
        if (hinge == 0) {
            m = nsci_tree_limb(t, link);
            for (c = 0; c < 6; c++)
                t->root[6 * link + c] = NSC_SQRT(t->R[21 * link + c]);
            ok = nsci_tree_join(t, &m);
            t->free[link] = (nsc_real)nsci_tree_free(&m);
        }
        if (t->rows[link] > 0 && t->parent[link] >= 0)
            t->loaded[nsci_int(t->parent[link])] = 1;
        listed += nsci_int(t->rows[link]);
    }
    for (link = 0; link < t->links; link++) {
        t->offset[link] = (nsc_real)t->wide;
        t->wide += nsci_int(t->free[link]);
    }
    return ok;
}

/* ---- the answer of the joints */

/* t of the rows of a link, and what they add to h of its parent */
static void nsci_tree_gather(nsci_tree *t, int link)
{
    nsc_problem *p = t->p;
    nsc_real z[NSCI_TREE_NUMBERS], u[3];
    nsci_limb m = nsci_tree_limb(t, link);
    nsc_real *e = t->t + m.first;
    const nsc_block *last = NULL;
    int q, c, i;
    for (q = 0; q < m.rows; q++) {
        const nsc_real *L = m.record + NSCI_TREE_RECORD * q + NSCI_TREE_L;
        const nsc_block *k = nsci_tree_block(t, m.first + q, &i);
        if (k != last)
            nsci_block_velocity(p, k, p->v, k->lambda, u);
        last = k;
        e[q] = u[i];
        for (c = 0; c < q; c++)
            e[q] -= L[c] * e[c];
        e[q] *= m.record[NSCI_TREE_RECORD * q + NSCI_TREE_L_OWN];
    }
    if (m.rows > 0 && t->loaded[link] > 0) {
        for (c = 0; c < NSCI_TREE_NUMBERS; c++) {
            nsc_real root = c < 6 ? t->root[6 * link + c] : 0;
            z[c] = root > 0 ? t->h[6 * link + c] / root : 0;
        }
        nsci_tree_reflect(&m, 0, z);
        for (q = 0; q < m.rows; q++)
            e[q] -= z[nsci_tree_spot(&m, q)];
    }
    for (q = 0; q < m.rows && m.parent >= 0; q++)
        nsci_tree_turn(m.record + NSCI_TREE_RECORD * q + NSCI_TREE_LOAD, 0, t->h + 6 * m.parent,
                       e[q]);
}

/* Velocity of the body of a link from that of its parent, in h: what the rows need, or by_w: what w
   gives.  s of its rows with compliance, in t */
static void nsci_tree_spread(nsci_tree *t, int link, int by_w)
{
    nsc_real z[NSCI_TREE_NUMBERS];
    nsci_limb m = nsci_tree_limb(t, link);
    const nsc_real *U = t->R + 21 * link + 6 + 15;
    nsc_real *e = t->t + m.first, *h = t->h + 6 * link;
    int q, c;
    for (c = 0; c < NSCI_TREE_NUMBERS; c++)
        z[c] = 0;
    for (q = 0; q < m.rows; q++) {
        const nsc_real *T = m.record + NSCI_TREE_RECORD * q + NSCI_TREE_T;
        nsc_real sum = by_w ? 0 : e[q];
        for (c = 0; c < 6 && m.parent >= 0; c++)
            sum += T[c] * t->h[6 * m.parent + c];
        z[nsci_tree_spot(&m, q)] = -sum;
    }
    for (c = 0; c < nsci_tree_free(&m) && by_w; c++)
        z[nsci_tree_spot(&m, m.rows + c)] = t->w[nsci_int(t->offset[link]) + c];
    nsci_tree_reflect(&m, 1, z);
    for (q = m.hard; q < m.rows; q++)
        e[q] = z[6 + q - m.hard] + (by_w ? e[q] : 0);
    for (q = 5; q >= 0; q--) {
        h[q] = t->root[6 * link + q] * z[q] - (by_w ? 0 : h[q]);
        U -= 5 - q;
        for (c = q + 1; c < 6; c++)
            h[q] -= U[c - q - 1] * h[c];
    }
}

/* Impulses of the rows of a link from that on its body, in h, where what they lack of it is left;
   what they do to its parent's */
static void nsci_tree_load(nsci_tree *t, int link)
{
    nsc_real z[NSCI_TREE_NUMBERS];
    nsci_limb m = nsci_tree_limb(t, link);
    nsc_real *e = t->t + m.first, *h = t->h + 6 * link;
    int q, c, i;
    for (c = 0; c < NSCI_TREE_NUMBERS; c++)
        z[c] = c < 6 ? h[c] : 0;
    nsci_tree_down(t, link, z);
    for (q = m.hard; q < m.rows; q++)
        z[6 + q - m.hard] = e[q];
    nsci_tree_reflect(&m, 0, z);
    for (q = 0; q < m.rows; q++)
        e[q] = z[nsci_tree_spot(&m, q)];
    if (m.parent >= 0)
        nsci_tree_follow(m.record, e, m.rows, t->h + 6 * m.parent);
    for (q = m.rows - 1; q >= 0; q--) {
        const nsc_real *L = m.record + NSCI_TREE_RECORD * q + NSCI_TREE_L, *J;
        nsc_real room[12], own;
        nsc_block *k;
        e[q] *= m.record[NSCI_TREE_RECORD * q + NSCI_TREE_L_OWN];
        for (c = 0; c < q; c++)
            e[c] -= L[c] * e[q];
        k = nsci_tree_block(t, m.first + q, &i);
        k->lambda[i] += e[q];
        own = k->delassus[nsci_packed(i, i)];
        t->lost = nsci_max(t->lost, NSC_REAL_EPS * own * nsci_abs(k->lambda[i]));
        J = nsci_row_of(k, i, room) + (k->b == nsci_int(t->body[link]) ? 6 : 0);
        nsci_add3(-e[q], J, h);
        nsci_add3(-e[q], J + 3, h + 3);
    }
}

/* The velocities of the links, from the roots to the leaves, are added to v and x. */
static void nsci_tree_move(nsci_tree *t, int by_w)
{
    int link, i;
    for (link = 0; link < t->links; link++) {
        int body = 6 * nsci_int(t->body[link]);
        if (t->hinge[link] > 0)
            nsci_hinge_spread(t, link, by_w);
        else
            nsci_tree_spread(t, link, by_w);
        for (i = 0; i < 6; i++) {
            t->x[body + i] += t->h[6 * link + i];
            t->p->v[body + i] += t->h[6 * link + i];
        }
    }
}

/* v takes what closes the rows in the tree.  On the way up h grows by rotations: no weight of the
   tree multiplies the rounding of a light body's velocity. */
static void nsci_tree_settle(nsci_tree *t)
{
    int link;
    if (!t->fresh)
        nsci_apply_lambda(t->p);
    nsci_clear(t->h, sizeof *t->h * 6 * (size_t)t->links);
    nsci_clear(t->x, sizeof *t->x * 6 * (size_t)t->p->body_count);
    for (link = t->links - 1; link >= 0; link--)
        if (t->hinge[link] > 0)
            nsci_hinge_gather(t, link);
        else
            nsci_tree_gather(t, link);
    nsci_tree_move(t, 0);
}

/* What rounding of an impulse f may change of a body's velocities */
static nsc_real nsci_tree_rounds(const nsc_mass *m, const nsc_real *f)
{
    const nsc_real *I = m->inv_inertia;
    return NSC_REAL_EPS * (m->inv_mass * (nsci_abs(f[0]) + nsci_abs(f[1]) + nsci_abs(f[2])) +
                           (I[0] + I[1] + I[2]) *
                               (nsci_abs(f[3]) + nsci_abs(f[4]) + nsci_abs(f[5])));
}

/* The most that an impulse f changes of a body's velocities */
static nsc_real nsci_tree_moves(const nsc_mass *m, const nsc_real *f)
{
    nsc_real y[6], most = 0;
    int i;
    nsci_inverse_mass(m, f, y);
    for (i = 0; i < 6; i++)
        most = nsci_max(most, nsci_abs(y[i]));
    return most;
}

/* The rows in the tree take the impulses that have moved the bodies by x: each joint those of the
   bodies that hang on it. */
static void nsci_tree_carry(nsci_tree *t)
{
    const nsc_mass *masses = t->p->masses;
    int link;
    t->lost = 0;
    for (link = 0; link < t->links; link++)
        nsci_tree_impulse(t->own + 7 * link, t->x + 6 * nsci_int(t->body[link]), t->h + 6 * link);
    for (link = t->links - 1; link >= 0; link--) {
        const nsc_real *f = t->h + 6 * link;
        const nsc_mass *own = &masses[nsci_int(t->body[link])], *above = NULL;
        nsc_real off = nsci_tree_rounds(own, f);
        if (t->parent[link] >= 0)
            above = &masses[nsci_int(t->body[nsci_int(t->parent[link])])];
        if (above)
            off += nsci_tree_rounds(above, f);
        if (t->rows[link] > 0)
            t->rounding = nsci_max(t->rounding, off);
        if (t->hinge[link] > 0)
            nsci_hinge_load(t, link);
        else if (t->rows[link] > 0)
            nsci_tree_load(t, link);
        off = nsci_tree_moves(own, f);
        if (above && t->hinge[link] > 0)
            off += nsci_tree_moves(above, f);
        t->lost = nsci_max(t->lost, off);
    }
    t->fresh = 0;
}

/* Rows in the tree whose impulse is beyond a bound get the bound, and leave; all: every row with a
   bound leaves.  1: some did */
static int nsci_tree_release(nsci_tree *t, int all)
{
    int n, i, left = 0;
    for (n = 0; n < t->p->block_count; n++) {
        nsc_block *k = &t->p->blocks[n];
        for (i = 0; i < k->rows && k->kind == NSC_BLOCK_BOX; i++) {
            nsc_real x = k->lambda[i];
            if (t->inside[k->row + i] <= 0 || nsci_tree_is_free(k, i) ||
                (!all && x >= k->lo[i] && x <= k->hi[i]))
                continue;
            k->lambda[i] = nsci_clamp(x, k->lo[i], k->hi[i]);
            t->inside[k->row + i] = -1;
            left = 1;
        }
    }
    if (left)
        nsci_apply_lambda(t->p);
    return left;
}

/* Sweeps are slow.  Do rows of joints now belong into the tree that are outside?  If none does, but
   rows there hold others that have a bound, all with a bound leave.  1: factorise anew */
static int nsci_tree_change(nsci_tree *t)
{
    const nsc_problem *p = t->p;
    int n, i, wants = 0, held = 0;
    for (n = 0; n < t->extras; n++) {
        const nsc_block *k = &p->blocks[nsci_int(t->extra[n])];
        for (i = 0; i < k->rows && k->kind == NSC_BLOCK_BOX; i++) {
            wants |= nsci_tree_belongs(t, k, i) && t->inside[k->row + i] <= 0;
            held |= t->inside[k->row + i] < -1;
        }
    }
    return wants || (held && nsci_tree_release(t, 1));
}

/* ---- sweeps of the rows outside, on w */

/* u += G d */
static void nsci_tree_advance(const nsc_real *G, const nsc_real *d, nsc_real *u)
{
    u[0] += G[0] * d[0] + G[1] * d[1] + G[2] * d[2];
    u[1] += G[1] * d[0] + G[3] * d[1] + G[4] * d[2];
    u[2] += G[2] * d[0] + G[4] * d[1] + G[5] * d[2];
}

/* A contact that slides, under COULOMB: the normal impulse for a direction of friction stops the
   normal row, and the direction follows the velocity that is left, by half each time.  A leg
   couples friction and normal so strongly that they cannot be solved in turn.  0: it jams */
static int nsci_tree_slide(const nsc_block *k, const nsc_real *u, nsc_real *x)
{
    const nsc_real *G = k->delassus;
    nsc_real back[3], v[3], t[3], size, slope;
    int i, pass;
    for (i = 0; i < 3; i++) {
        back[i] = -k->lambda[i];
        v[i] = u[i];
        x[i] = 0;
    }
    nsci_tree_advance(G, back, v); /* without this contact */
    if (v[0] >= 0)
        return 1;
    size = k->mu * k->lambda[0];
    t[1] = k->lambda[1];
    t[2] = k->lambda[2];
    if (t[1] * t[1] + t[2] * t[2] < NSC_R(0.5) * size * size || !(size > 0)) {
        t[1] = -u[1];
        t[2] = -u[2];
    }
    for (pass = 0; pass < NSCI_TREE_TURNS; pass++) {
        size = NSC_SQRT(t[1] * t[1] + t[2] * t[2]);
        if (!(size > 0))
            return 0;
        t[0] = 1;
        t[1] *= k->mu / size;
        t[2] *= k->mu / size;
        slope = G[0] + G[1] * t[1] + G[2] * t[2];
        if (!(slope > NSC_R(1e-3) * G[0]))
            return 0;
        for (i = 0; i < 3; i++) {
            x[i] = -v[0] / slope * t[i];
            back[i] = v[i];
        }
        nsci_tree_advance(G, x, back);
        size = NSC_SQRT(back[1] * back[1] + back[2] * back[2]);
        if (!(size > 0))
            return 1;
        t[1] -= k->mu / size * back[1];
        t[2] -= k->mu / size * back[2];
    }
    return 1;
}

/* x = the new impulse of a block outside, whose rows have the velocity u in w */
static void nsci_tree_answer(const nsc_block *k, const nsc_settings *s, nsc_real *u, nsc_real *x)
{
    nsc_real d[3], step;
    int i, pass;
    if (k->kind != NSC_BLOCK_CONTACT || k->rows < 3 || s->law == NSC_LAW_PYRAMID) {
        nsci_sipgs_answer(k, s, u, x);
        return;
    }
    if (s->law == NSC_LAW_COULOMB) {
        nsc_real couple = k->mu * (nsci_abs(k->delassus[1]) + nsci_abs(k->delassus[2]));
        if (!k->no_stick && nsci_stick(k, s->omega, u, x, d))
            return;
        if (couple < NSC_R(0.5) * k->delassus[0]) {
            nsci_slide(k, s->omega, u, x, d);
            return;
        }
        if (nsci_tree_slide(k, u, x))
            return;
    }
    step = nsci_max(k->delassus[0], nsci_max(k->delassus[3], k->delassus[5])) +
           nsci_abs(k->delassus[1]) + nsci_abs(k->delassus[2]) + nsci_abs(k->delassus[4]);
    for (i = 0; i < 3; i++)
        x[i] = k->lambda[i];
    for (pass = 0; pass < NSCI_TREE_TURNS; pass++) {
        for (i = 0; i < 3; i++) {
            d[i] = -x[i];
            x[i] -= u[i] / step;
        }
        if (s->law == NSC_LAW_CONE) {
            nsci_project_cone(k->mu, x);
        } else {
            x[0] = nsci_max(x[0], 0);
            nsci_project_disc(k->mu * x[0], x + 1);
        }
        for (i = 0; i < 3; i++)
            d[i] += x[i];
        nsci_tree_advance(k->delassus, d, u);
    }
}

/* F w of one row */
static nsc_real nsci_tree_read(const nsci_tree *t, const nsc_real *stretch, const nsc_real *F,
                               const nsc_real *end)
{
    nsc_real sum = 0;
    for (; stretch < end; stretch += 2) {
        const nsc_real *w = t->w + nsci_int(stretch[0]);
        const nsc_real *stop = F + nsci_int(stretch[1]);
        while (F < stop)
            sum += *F++ * *w++;
    }
    return sum;
}

/* w += F^T d of one row */
static void nsci_tree_write(const nsci_tree *t, const nsc_real *stretch,
                            const nsc_real *NSC_RESTRICT F, const nsc_real *end, nsc_real d)
{
    for (; stretch < end; stretch += 2) {
        nsc_real *NSC_RESTRICT w = t->w + nsci_int(stretch[0]);
        const nsc_real *stop = F + nsci_int(stretch[1]);
        while (F < stop)
            *w++ += d * *F++;
    }
}

/* Visit of a block, as nsci_sipgs_visit.  Returns its squared defect. */
static nsc_real nsci_tree_visit(nsci_tree *t, nsc_block *k, nsc_real *record, const nsc_settings *s)
{
    nsc_real u[3], x[3], d[3], sum = 0;
    const nsc_real *stretch = record + NSCI_TREE_F;
    const nsc_real *F = nsci_tree_F(record), *end = F;
    int width = nsci_int(record[NSCI_TREE_WIDTH]);
    int i, j;
    if (k->kind == NSC_BLOCK_BOX) {
        for (i = 0; i < k->rows; i++) {
            nsc_real mass = k->eff_mass[i], old = k->lambda[i];
            if (mass <= 0)
                continue;
            d[0] = record[NSCI_TREE_R + i] + nsci_tree_read(t, stretch, F, end) + k->cfm[i] * old;
            k->lambda[i] = nsci_clamp(old - s->omega * mass * d[0], k->lo[i], k->hi[i]);
            d[0] = k->lambda[i] - old;
            if (d[0] > 0 || d[0] < 0)
                nsci_tree_write(t, stretch, F, end, d[0]);
            sum += d[0] / mass * (d[0] / mass);
            F += width;
        }
        return sum;
    }
    if (k->rho <= 0)
        return sum;
    for (i = 0; i < 3; i++)
        u[i] = record[NSCI_TREE_R + i];
    if (k->rows == 3)
        for (; stretch < end; stretch += 2) {
            const nsc_real *w = t->w + nsci_int(stretch[0]);
            int n = nsci_int(stretch[1]);
            for (j = 0; j < n; j++) {
                u[0] += F[j] * w[j];
                u[1] += F[width + j] * w[j];
                u[2] += F[2 * width + j] * w[j];
            }
            F += n;
        }
    else
        for (i = 0; i < k->rows; i++)
            u[i] += nsci_tree_read(t, stretch, F + i * width, end);
    for (i = 0; i < k->rows; i++)
        u[i] = k->eff_mass[i] > 0 ? u[i] + k->cfm[i] * k->lambda[i] : 0;
    nsci_tree_answer(k, s, u, x);
    for (i = 0; i < k->rows; i++) {
        nsc_real e;
        d[i] = k->eff_mass[i] > 0 ? x[i] - k->lambda[i] : 0;
        k->lambda[i] += d[i];
        e = d[i] * k->delassus[nsci_packed(i, i)];
        sum += e * e;
    }
    stretch = record + NSCI_TREE_F;
    F = end;
    if (k->rows == 3)
        for (; stretch < end; stretch += 2) {
            nsc_real *NSC_RESTRICT w = t->w + nsci_int(stretch[0]);
            int n = nsci_int(stretch[1]);
            for (j = 0; j < n; j++)
                w[j] += d[0] * F[j] + d[1] * F[width + j] + d[2] * F[2 * width + j];
            F += n;
        }
    else
        for (i = 0; i < k->rows; i++)
            nsci_tree_write(t, stretch, F + i * width, end, d[i]);
    return sum;
}

/* v is to be without the impulses of the blocks that are awake: those begin in w. */
static void nsci_tree_unload(nsci_tree *t)
{
    int i;
    nsci_free_velocities(t->p);
    for (i = 0; i < t->p->block_count; i++) {
        const nsc_block *k = &t->p->blocks[i];
        if (t->awake[i] <= 0 && nsci_is_pressed(k))
            nsci_block_apply(t->p, k, k->lambda, t->p->v);
    }
    t->fresh = 1;
    t->rounding = 0;
}

/* F of row i of a block outside with that record, NULL: it has none; its stretches */
static const nsc_real *nsci_tree_row(const nsc_block *k, nsc_real *record, int i,
                                     nsc_real **stretch)
{
    const nsc_real *F = nsci_tree_F(record);
    int j;
    *stretch = record + NSCI_TREE_F;
    if (k->eff_mass[i] <= 0)
        return NULL;
    for (j = 0; j < i; j++)
        if (k->kind != NSC_BLOCK_BOX || k->eff_mass[j] > 0)
            F += nsci_int(record[NSCI_TREE_WIDTH]);
    return F;
}

/* w of what the impulses outside have changed; others are as they were. */
static void nsci_tree_gain(nsci_tree *t)
{
    int n, i;
    nsci_clear(t->w, sizeof *t->w * (size_t)t->wide);
    for (n = 0; n < t->extras; n++) {
        nsc_block *k = &t->p->blocks[nsci_int(t->extra[n])];
        nsc_real *record = t->p->arena + nsci_int(t->record[n]), *stretch;
        for (i = 0; i < k->rows; i++) {
            const nsc_real *F = nsci_tree_row(k, record, i, &stretch);
            nsc_real was = record[NSCI_TREE_WAS + i];
            if (F)
                nsci_tree_write(t, stretch, F, nsci_tree_F(record), k->lambda[i] - was);
            else
                k->lambda[i] = was;
        }
    }
}

/* The blocks outside take their rows' velocity, and what they are in w. */
static void nsci_tree_enter(nsci_tree *t)
{
    nsc_problem *p = t->p;
    int n, i;
    for (n = 0; n < t->extras; n++) {
        nsc_block *k = &p->blocks[nsci_int(t->extra[n])];
        nsc_real *record = p->arena + nsci_int(t->record[n]);
        nsc_real *r = record + NSCI_TREE_R;
        nsci_block_velocity(p, k, p->v, k->lambda, r);
        for (i = 0; i < k->rows; i++) {
            r[i] -= k->cfm[i] * k->lambda[i];
            record[NSCI_TREE_WAS + i] = t->fresh ? 0 : k->lambda[i];
        }
        nsci_tree_swap(k, record);
    }
    nsci_tree_gain(t);
}

/* v takes what the sweeps have changed; x is then what the joints have moved. */
static void nsci_tree_leave(nsci_tree *t)
{
    nsc_problem *p = t->p;
    int n, i;
    nsci_tree_move(t, 1);
    for (n = 0; n < t->extras; n++) {
        nsc_block *k = &p->blocks[nsci_int(t->extra[n])];
        nsc_real *record = p->arena + nsci_int(t->record[n]);
        nsc_real d[3];
        nsci_tree_swap(k, record);
        d[0] = d[1] = d[2] = 0;
        for (i = 0; i < k->rows; i++)
            d[i] = record[NSCI_TREE_WAS + i] - k->lambda[i];
        nsci_block_apply(p, k, d, t->x);
    }
}

/* The iteration at which nsci_tree_end takes over, if rows outside the trees are what is left */
static int nsci_tree_last(const nsci_tree *t, const nsc_settings *s)
{
    int half = t->extras > 0 && t->held < NSCI_TREE_WEAK ? s->max_iterations / 2 : 0;
    return s->max_iterations - (half < 8 ? half : 8);
}

/* Sweep until the change is at most `enough`, or NSCI_TREE_LOOK sweeps are done. */
static void nsci_tree_sweep(nsci_tree *t, nsci_run *run, nsc_real enough)
{
    int left = nsci_tree_last(t, run->settings) - run->iterations;
    int n, i, most = left > NSCI_TREE_LOOK ? NSCI_TREE_LOOK : (left + 1) / 2;
    nsci_tree_enter(t);
    for (i = 0; i < most; i++) {
        nsc_real sum = 0;
        for (n = 0; n < t->extras; n++)
            sum += nsci_tree_visit(t, &t->p->blocks[nsci_int(t->extra[n])],
                                   t->p->arena + nsci_int(t->record[n]), run->settings);
        run->change = NSC_SQRT(sum);
        run->iterations++;
        if (!(run->change > enough) || nsci_asked_to_stop(run))
            break;
        nsci_show(run, run->iterations, -1);
    }
    nsci_tree_leave(t);
}

#ifdef NSC_NEWTON_H
/* The blocks outside change places with those at the front, or back: NEWTON takes a problem of
   these alone, and rows are numbered anew. */
static void nsci_tree_permute(nsci_tree *t, int back)
{
    nsc_problem *p = t->p;
    int n, i, row = 0;
    for (i = 0; i < t->extras; i++) {
        nsc_block keep, *one, *other;
        n = back ? t->extras - 1 - i : i;
        one = &p->blocks[n];
        other = &p->blocks[nsci_int(t->extra[n])];
        keep = *one;
        *one = *other;
        *other = keep;
    }
    for (i = 0; i < p->block_count; i++) {
        p->blocks[i].row = (nsc_place)row;
        row += p->blocks[i].rows;
    }
}

/* Where sweeps crawl: solve the rows outside by NEWTON, as a problem of N = F F^T.  0: no room, or
   rolling friction whose contact is not outside */
static int nsci_tree_newton(nsci_tree *t, nsci_run *run, nsc_real enough)
{
    nsc_problem *p = t->p, q = *p;
    nsc_settings s = *run->settings;
    nsc_report report;
    nsc_real *N, *free, *stretch;
    long left = t->left;
    int n, m, i, j, r, c;
    for (n = q.row_count = 0; n < t->extras; n++) {
        i = nsci_int(t->extra[n]);
        q.row_count += p->blocks[i].rows;
        if (p->blocks[i].kind == NSC_BLOCK_ROLLING && (n == 0 || nsci_int(t->extra[n - 1]) < i - 1))
            return 0;
    }
    N = nsci_tree_take(t, (long)q.row_count * (q.row_count + 2));
    q.block_count = t->extras;
    q.delassus = N;
    q.arena = t->room;
    q.arena_size = (int)t->left;
    t->room -= left - t->left;
    t->left = left;
    s.warm_start = 1;
    s.tolerance = enough;
    if (t->weak) /* what a second attempt needs */
        s.max_iterations = nsci_tree_last(t, &s);
    s.max_iterations -= run->iterations;
    s.max_factorizations -= (int)run->factorizations + t->weak;
    if (!N || !nsci_newton_fits(&q) || s.max_iterations < 1 || s.max_factorizations < 1)
        return 0;
    q.v = N + (size_t)q.row_count * (size_t)q.row_count;
    q.v_free = free = q.v + q.row_count;
    nsci_tree_enter(t);
    nsci_tree_permute(t, 0);
    for (n = r = 0; n < t->extras; n++)
        for (i = 0; i < p->blocks[n].rows; i++, r++) {
            nsc_real *record = p->arena + nsci_int(t->record[n]);
            const nsc_real *F = nsci_tree_row(&p->blocks[n], record, i, &stretch);
            nsci_clear(t->w, sizeof *t->w * (size_t)t->wide);
            if (F)
                nsci_tree_write(t, stretch, F, nsci_tree_F(record), 1);
            free[r] = record[NSCI_TREE_R + i] - p->blocks[n].bias[i];
            for (m = c = 0; m < t->extras; m++)
                for (j = 0; j < p->blocks[m].rows; j++, c++) {
                    nsc_real *at = p->arena + nsci_int(t->record[m]);
                    const nsc_real *other = nsci_tree_row(&p->blocks[m], at, j, &stretch);
                    nsc_real *x = &N[(size_t)r * (size_t)q.row_count + (size_t)c];
                    *x = F && other ? nsci_tree_read(t, stretch, other, nsci_tree_F(at)) : 0;
                    free[r] -= *x * at[NSCI_TREE_WAS + j];
                }
        }
    nsc_solve_newton(&q, &s, &report);
    run->iterations += report.iterations;
    run->factorizations += (unsigned)report.factorizations;
    run->change = 0;
    run->stopped |= report.status == NSC_STOPPED;
    nsci_tree_permute(t, 1);
    nsci_tree_gain(t);
    nsci_tree_leave(t);
    run->energy = run->best = NSC_REAL_MAX; /* NEWTON has used their places */
    return 1;
}
#else
#define nsci_tree_newton(t, run, enough) 0
#endif

/* The answer of the rows in the trees needs no guess. */
static void nsci_tree_forget(nsci_tree *t)
{
    int i;
    NSCI_EACH_BLOCK(t->p, k)
        for (i = 0; i < k->rows; i++)
            if (t->inside[k->row + i] > 0)
                k->lambda[i] = 0;
}

/* Does the arena hold the trees and rows of a problem?  The trees' factor is then made. */
static int nsci_tree_fits(nsci_tree *t, nsc_problem *p, const nsc_settings *s)
{
    long left;
    int i, stretches, width;
    if (!nsci_is_prepared(p) || p->row_count == 0 || p->delassus || !s)
        return 1;
    t->law = s->law;
    t->warm = s->warm_start;
    t->weak = 0;
    t->held = NSCI_TREE_HELD;
    if (!nsci_tree_plan(t, p) || !nsci_tree_factor(t))
        return 0;
    if (!nsci_bad_setting(s))
        nsci_tree_forget(t);
    if ((nsc_real)p->block_count * (nsc_real)(NSCI_TREE_F + 2L * t->links + 3L * t->wide) <
        NSC_R(0.99) * (nsc_real)t->left)
        return 1; /* more than any rows need */
    for (i = 0, left = t->left; i < p->block_count; i++)
        if (nsci_tree_is_extra(t, &p->blocks[i]))
            left -= nsci_tree_room(t, &p->blocks[i], &stretches, &width);
    return left >= 0;
}

/* For AUTO: may the arena hold the trees? */
NSC_MAYBE_UNUSED static int nsci_tree_may_fit(const nsc_problem *p)
{
    return p->arena && !p->delassus;
}

/* As nsci_sum_defects; v must belong to the answer. */
static nsci_defects nsci_tree_defects(nsci_tree *t)
{
    nsc_problem *p = t->p;
    nsci_defects d = nsci_no_defects();
    nsc_real u[3], e2;
    int i;
    for (i = 0; i < p->block_count && nsci_finite(d.worst); i++) {
        const nsc_block *k = &p->blocks[i];
        nsci_block_velocity(p, k, p->v, k->lambda, u);
        e2 = t->awake[i] < 0 ? nsci_triple(u, u) : nsci_defect(k, t->law, k->lambda, u);
        if (i == 0 || !(e2 <= d.worst))
            d.block = i;
        nsci_add_defect(&d, k, e2);
    }
    d.worst = d.worst < NSC_REAL_MIN ? 0 : NSC_SQRT(d.worst);
    return d;
}

/* Measure the answer; where rounding is what is left, close the rows exactly; so also where the
   impulses are off by more than their own rounding, as long as that helps; not while the factor
   holds rows that have been released.  1: the run ends */
static int nsci_tree_judge(nsci_tree *t, nsci_run *run, int released)
{
    nsci_defects d = nsci_tree_defects(t);
    nsc_real enough, before;
    int is_off;
    nsci_heed_rounding(run, d.worst);
    t->floor = 0;
    if (!released && d.worst <= (nsc_real)NSCI_TREE_ROUNDING * run->floor)
        t->floor = run->floor;
    enough = (nsc_real)NSCI_TREE_ROUNDING * nsci_max(t->rounding, run->tolerance);
    is_off = t->floor > 0 || (!released && d.worst <= run->tolerance && t->lost > enough);
    while (is_off) {
        before = t->lost;
        nsci_tree_settle(t);
        nsci_tree_carry(t);
        d = nsci_tree_defects(t);
        is_off = t->lost > enough && t->lost < NSC_R(0.5) * before;
    }
    run->known = 1;
    return nsci_note(run, run->iterations, d);
}

/* The run is at a limit, maybe with impulses just cut to their bounds: sweep as SIPGS does, from
   the best answer, as often as is left. */
static void nsci_tree_end(nsci_run *run)
{
    nsc_problem *p = run->problem;
    nsci_restore_best(p);
    nsci_apply_lambda(p);
    for (; run->iterations < run->settings->max_iterations && !nsci_asked_to_stop(run);
         run->iterations++)
        nsci_sipgs_sweep(p, run->settings, 0);
    nsci_apply_lambda(p); /* without what the sweeps have rounded */
    nsci_note(run, run->iterations, nsci_residual(p, run->law));
    run->known = 1;
}

/* Do rows contradict each other, of which some are weak?  Begin anew without the weak rows, which
   keep their defects.  0: no, or there is no room or factor left, and sweeps begin anew */
static int nsci_tree_again(nsci_tree *t, nsci_run *run)
{
    nsc_problem *p = t->p;
    nsc_real rounds = NSCI_IS_DOUBLE ? NSC_R(1e-9) : NSC_R(1e-3);
    if (!t->weak || t->held >= NSCI_TREE_WEAK || run->status < 0 || run->status == NSC_STOPPED ||
        !run->known || run->is.worst <= run->settings->tolerance ||
        p->blocks[run->is.block].kind != NSC_BLOCK_EQUALITY ||
        (t->floor > 0 && nsci_eta(p, &run->is) <= rounds))
        return 0;
    NSCI_EACH_BLOCK(p, k)
        nsci_clear(k->lambda, sizeof k->lambda);
    nsci_keep_best(p);
    nsci_apply_lambda(p);
    t->held = NSCI_TREE_WEAK;
    t->floor = run->floor = 0;
    run->tolerance = run->settings->tolerance;
    run->energy = run->best = run->mark = NSC_REAL_MAX;
    run->status = NSC_ITERATION_LIMIT;
    if (!nsci_may_factorize(run) || !nsci_tree_factor(t) || nsci_tree_wake(t, 1) < 0)
        return 0;
    run->factorizations++;
    nsci_tree_unload(t);
    return 1;
}

/* Close the joints, sweep the other rows, and choose anew which are which, until the run ends. */
static void nsci_tree_run(nsci_tree *t, nsci_run *run)
{
    const nsc_settings *s = run->settings;
    nsc_real enough = s->tolerance, before = NSC_REAL_MAX;
    int anew, crawls = 0, idles = 0, woken;
    for (;;) {
        nsci_tree_settle(t);
        if (t->extras > 0) {
            if (!crawls || !nsci_tree_newton(t, run, enough))
                nsci_tree_sweep(t, run, enough);
            crawls = 0;
        } else {
            run->change = 0;
            run->iterations++;
        }
        nsci_tree_carry(t);
        t->warm = 1;
        anew = nsci_tree_release(t, 0);
        if (nsci_tree_judge(t, run, anew) || run->iterations >= nsci_tree_last(t, s))
            break;
        woken = nsci_tree_wake(t, 0);
        if (woken < 0)
            break;
        if (woken && !anew) {
            enough = s->tolerance;
            before = NSC_REAL_MAX;
            continue;
        }
        if (!anew && run->change > enough) {
            anew = nsci_may_factorize(run) && nsci_tree_change(t);
            crawls = !anew;
        } else if (!anew) {
            /* Closer by sweeping on, to a smaller change, as long as that helps.  Then by rows
               outside that a bounded row in the tree may keep from moving */
            int idle = !(run->is.worst < NSC_R(0.5) * before);
            idles += idle;
            if (idles >= NSCI_TREE_IDLE) {
                anew = nsci_tree_release(t, 1);
                if (!anew) {
                    run->status = NSC_STALLED;
                    break;
                }
            }
            enough = idle ? 0 : NSC_R(0.25) * enough;
            before = run->is.worst;
        }
        if (!anew)
            continue;
        if (!nsci_may_factorize(run) || !nsci_tree_factor(t) || nsci_tree_wake(t, 1) < 0)
            break;
        run->factorizations++;
        enough = s->tolerance;
        before = NSC_REAL_MAX;
        idles = 0;
    }
}

NSC_API int nsc_solve_tree(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_tree t;
    int code = p && p->delassus ? NSC_ERR_ARGUMENT : NSC_OK;
    if (code == NSC_OK)
        code = nsci_begin_in(&run, NSC_SOLVER_TREE, nsci_tree_fits(&t, p, s), p, s,
                             NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    run.factorizations = 1;
    nsci_tree_wake(&t, 1);
    nsci_tree_unload(&t);
    do
        nsci_tree_run(&t, &run);
    while (nsci_tree_again(&t, &run));
    /* with a floor rounding is what is left, and v is closed exactly */
    if (run.status == NSC_ITERATION_LIMIT && t.floor <= 0) {
        nsci_tree_end(&run);
        t.lost = 0;
    }
    t.rounding = nsci_max(t.rounding, t.lost);
    code = nsci_finish(&run, report);
    if (report && code >= 0 && run.known && (t.floor > 0 || t.rounding > s->tolerance))
        report->floor = nsci_max(t.floor, t.rounding);
    return code;
}

NSCI_C_END
NSCI_BITS_END
#endif
