/* nsc_dantzig.h - the solver DANTZIG; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_dantzig; see nsc_calls.solve.
   Beside it: nsc_solvers.h.

   Principal pivoting (Cottle & Dantzig 1968; Baraff 1994; the method of ODE's box LCP solver).
   Rows are driven to their complementarity condition one after another.  A finished row is free
   with u = 0 (the set C), or rests at a bound with u of the right sign.  While the next row moves,
   x of C changes so that its u stays 0; a free row that meets a bound leaves C, a resting row whose
   u reaches 0 enters it.  A(C,C) = L D L^T gets a new last row when a row enters, a rank-one update
   when one leaves: O(n^2), the update always positive.

   Redundant rows make A(C,C) singular.  Therefore A + shift diag(A) is factorised: every pivot is
   positive, every step finite.  This adds shift A_ii (x - x_start) to u, one step of the proximal
   point method (Rockafellar 1976): repeated from its own answer it converges to the solution
   without that term.  These rounds recompute the factor, and u from the bodies, which removes
   rounding as well, and keep the active set.  Rows that contradict each other leave a residual.
   While it is small, the answer is the least impulses that leave no more; status NSC_STALLED.

   Friction bounds are constant during a pass: first 0, then +-mu lambda_n of the pass before.  One
   pass is ODE's answer; more converge linearly to consistent bounds: a handful when little slides,
   dozens with mu near 1 and many sliding contacts, never in some that jam. */
#include "nsc_solvers.h"

#ifndef NSC_DANTZIG_H
#define NSC_DANTZIG_H

/* Scratch in reals for a problem with so many rows; where an int has 16 bits, pass a long. */
#define NSC_ARENA_DANTZIG(rows) ((rows) * ((rows) + 1) + 6 * (rows))

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it.  Scratch: NSC_ARENA_DANTZIG(rows) */
NSC_API int nsc_solve_dantzig(nsc_problem *problem, const nsc_settings *settings,
                              nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_DANTZIG_DONE)
#define NSC_DANTZIG_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* The shift lies between rounding and the smallest eigenvalues that matter.  Measured: in float it
   could be up to three times larger, or smaller by a lesser factor, in double a hundred times
   either way. */
#define NSCI_DZ_SHIFT (NSCI_IS_DOUBLE ? NSC_R(1e-12) : NSC_R(1e-5))
#define NSCI_DZ_ROUNDING 8       /* accepted multiple of the noise in u; 3 was measured */
#define NSCI_DZ_ROUNDS 10                 /* limit for one set of bounds; two or three are usual */
#define NSCI_DZ_PIVOTS(n) (20 * (n) + 20) /* limit in a round; one to three a row are usual */
#define NSCI_DZ_DRIVE(n) (3 * (n) + 20)   /* limit of pivots to drive one row */

typedef struct nsci_dz {
    nsc_problem *p;
    nsci_run *run;
    int n;             /* rows */
    int free_count;    /* size of C */
    unsigned pivots;   /* done so far */
    unsigned most_pivots; /* value of pivots that ends this round */
    nsc_real scale;    /* max |r| [m/s] */
    nsc_real noise;    /* rounding error of u [m/s] */
    nsc_real *A, *L;   /* packed lower triangles: A of all rows; L of C by position, D on its
                          diagonal */
    nsc_real *x, *u;   /* (n) impulse and velocity of the rows */
    nsc_real *lo, *hi; /* (n) bounds of x */
    nsc_real *rate;    /* (n) by position: rate in the present motion, of x in C, of u elsewhere */
    nsc_real *order;   /* (n) a permutation: the rows of C in the order of L, then the others */
} nsci_dz;

static int nsci_dz_row(const nsci_dz *d, int k) { return (int)d->order[k]; }
static nsc_real nsci_dz_a(const nsci_dz *d, int i, int j)
{
    return d->A[i >= j ? nsci_lower(i, j) : nsci_lower(j, i)];
}

/* Position of row i in order; below free_count it is in C. */
static int nsci_dz_position(const nsci_dz *d, int i)
{
    int k = 0;
    while (k < d->n - 1 && nsci_dz_row(d, k) != i)
        k++;
    return k;
}

/* A = N + diag(cfm) */
static void nsci_dz_assemble(nsci_dz *d)
{
    const nsc_block *c;
    int j;
    NSCI_EACH_ROW(d->p, b, i) {
        nsc_real *row = d->A + nsci_lower(b->row + i, 0);
        for (c = d->p->blocks; c <= b; c++)
            for (j = 0; j < c->rows && c->row + j <= b->row + i; j++)
                row[c->row + j] = nsci_delassus(d->p, b, i, c, j);
        row[b->row + i] += b->cfm[i];
    }
}

/* Append row i to L.  Returns its pivot: the change of u_i as x_i grows by 1 and C follows. */
static nsc_real nsci_dz_border(nsci_dz *d, int i)
{
    int k, m = d->free_count;
    nsc_real *l = d->L + nsci_lower(m, 0);
    nsc_real shift = NSCI_DZ_SHIFT * nsci_dz_a(d, i, i);
    l[m] = nsci_dz_a(d, i, i) + shift;
    for (k = 0; k < m; k++)
        l[k] = nsci_dz_a(d, i, nsci_dz_row(d, k)) - nsci_dot(d->L + nsci_lower(k, 0), l, k);
    for (k = 0; k < m; k++) {
        nsc_real y = l[k];
        l[k] = y / d->L[nsci_lower(k, k)];
        l[m] -= y * l[k];
    }
    return l[m] = nsci_max(l[m], NSC_R(0.5) * shift);
}

/* Move the row at position k into C; nsci_dz_border appends it to L. */
static void nsci_dz_enter(nsci_dz *d, int k)
{
    nsc_real row = d->order[k];
    d->order[k] = d->order[d->free_count];
    d->order[d->free_count++] = row;
    d->u[(int)row] = 0;
}

/* Remove the row at position k from C: close the gap in L, then add back D_k l l^T, which it took
   from the rows behind (Gill, Golub, Murray & Saunders 1974, method C1). */
static void nsci_dz_leave(nsci_dz *d, int k)
{
    nsc_real *l = d->rate;
    nsc_real alpha = d->L[nsci_lower(k, k)];
    nsc_real row = d->order[k];
    int i, j, m = --d->free_count;
    for (i = k; i < m; i++) {
        const nsc_real *from = d->L + nsci_lower(i + 1, 0);
        nsc_real *to = d->L + nsci_lower(i, 0);
        l[i] = from[k];
        for (j = 0; j <= i; j++)
            to[j] = from[j < k ? j : j + 1];
        d->order[i] = d->order[i + 1];
    }
    d->order[m] = row;
    for (j = k; j < m; j++) {
        nsc_real *D = &d->L[nsci_lower(j, j)];
        nsc_real old = *D;
        nsc_real l_j = l[j];
        nsc_real beta;
        *D += alpha * l_j * l_j;
        beta = alpha * l_j / *D;
        alpha *= old / *D;
        for (i = j + 1; i < m; i++) {
            nsc_real *e = &d->L[nsci_lower(i, j)];
            l[i] -= l_j * *e;
            *e += beta * l[i];
        }
    }
}

/* Complete d->rate: in C solve L^T rate = rate; elsewhere set the change of u caused by C and by
   row i moving by `sign`.  A rate that is only rounding becomes 0, or a row would enter and leave
   without end. */
static void nsci_dz_spread(nsci_dz *d, int i, nsc_real sign)
{
    int j, k, m = d->free_count;
    for (k = m - 1; k >= 0; k--)
        for (j = 0; j < k; j++)
            d->rate[j] -= d->L[nsci_lower(k, j)] * d->rate[k];
    for (k = m; k < d->n; k++) {
        int r = nsci_dz_row(d, k);
        nsc_real own = i < 0 ? 0 : sign * nsci_dz_a(d, i, r);
        nsc_real sum = own;
        for (j = 0; j < m; j++)
            sum += nsci_dz_a(d, r, nsci_dz_row(d, j)) * d->rate[j];
        d->rate[k] = nsci_abs(sum) > NSCI_DZ_ROUNDING * NSC_REAL_EPS * nsci_abs(own) ? sum : 0;
    }
}

/* Is row i at a bound with u of the right sign, or fixed? */
static int nsci_dz_rests(const nsci_dz *d, int i)
{
    if (d->lo[i] >= d->hi[i])
        return 1;
    return (d->x[i] <= d->lo[i] && d->u[i] >= -d->noise) ||
           (d->x[i] >= d->hi[i] && d->u[i] <= d->noise);
}

/* Longest motion that the row at position k permits: x to a bound in C, u to 0 for a resting row.
   A row not yet driven, or wrong by rounding, sets no limit; the next round corrects the latter. */
static nsc_real nsci_dz_limit(const nsci_dz *d, int k)
{
    int i = nsci_dz_row(d, k);
    nsc_real rate = d->rate[k];
    nsc_real t = NSC_REAL_MAX;
    if (k < d->free_count) {
        if (rate < 0)
            t = (d->lo[i] - d->x[i]) / rate;
        if (rate > 0)
            t = (d->hi[i] - d->x[i]) / rate;
    } else if (d->lo[i] < d->hi[i] && nsci_dz_rests(d, i)) {
        if (d->x[i] <= d->lo[i] ? rate < 0 : rate > 0)
            t = -d->u[i] / rate;
    }
    return nsci_max(t, 0);
}

/* Position below `count` of the row that first stops a motion of length *t, the lowest row of
   equals, or -1; shortens *t to its limit.  The row at position `driven` does not stop itself. */
static int nsci_dz_blocker(const nsci_dz *d, int count, int driven, nsc_real *t)
{
    int k, found = -1;
    for (k = 0; k < count; k++) {
        nsc_real limit = k == driven ? NSC_REAL_MAX : nsci_dz_limit(d, k);
        if (limit < *t || (limit <= *t && found >= 0 && d->order[k] < d->order[found])) {
            found = k;
            *t = limit;
        }
    }
    return found;
}

static void nsci_dz_move(nsci_dz *d, nsc_real t)
{
    int k;
    for (k = 0; k < d->n; k++) {
        int i = nsci_dz_row(d, k);
        if (k < d->free_count)
            d->x[i] = nsci_clamp(d->x[i] + t * d->rate[k], d->lo[i], d->hi[i]);
        else
            d->u[i] += t * d->rate[k];
    }
}

/* Move the row at position k out of C, to its bound, or into C. */
static void nsci_dz_exchange(nsci_dz *d, int k)
{
    int i = nsci_dz_row(d, k);
    d->pivots++;
    if (k < d->free_count) {
        d->x[i] = d->rate[k] < 0 ? d->lo[i] : d->hi[i];
        nsci_dz_leave(d, k);
    } else {
        nsci_dz_border(d, i);
        nsci_dz_enter(d, k);
    }
}

/* Drive row i until its u is 0 or its x at a bound.  At a pivot limit the next round continues; a
   stop by the caller ends it. */
static void nsci_dz_drive(nsci_dz *d, int i)
{
    nsc_real sign = d->u[i] < 0 ? 1 : -1;
    nsc_real bound = sign > 0 ? d->hi[i] : d->lo[i];
    int k, budget, reaches;
    for (budget = NSCI_DZ_DRIVE(d->n);
         budget > 0 && d->pivots < d->most_pivots && d->free_count < d->n; budget--) {
        nsc_real pivot = nsci_dz_border(d, i);
        nsc_real way = sign * (bound - d->x[i]);
        nsc_real t = nsci_max(-sign * d->u[i] / pivot, 0);
        int at = nsci_dz_position(d, i);
        reaches = way <= t;
        if (reaches)
            t = way;
        if (nsci_asked_to_stop(d->run) || !nsci_finite(t))
            return;
        for (k = 0; k < d->free_count; k++)
            d->rate[k] = -sign * d->L[nsci_lower(d->free_count, k)];
        nsci_dz_spread(d, i, sign);
        d->rate[at] = sign * pivot;
        k = nsci_dz_blocker(d, d->n, at, &t);
        nsci_dz_move(d, t);
        d->x[i] = nsci_clamp(d->x[i] + sign * t, d->lo[i], d->hi[i]);
        if (k < 0) {
            d->pivots++;
            if (reaches)
                d->x[i] = bound;
            else
                nsci_dz_enter(d, at);
            return;
        }
        nsci_dz_exchange(d, k);
    }
}

/* Complete d->rate: in C solve L D L^T rate = rate. */
static void nsci_dz_answer(nsci_dz *d)
{
    int j, k, m = d->free_count;
    for (k = 0; k < m; k++)
        for (j = 0; j < k; j++)
            d->rate[k] -= d->L[nsci_lower(k, j)] * d->rate[j];
    for (k = 0; k < m; k++)
        d->rate[k] /= d->L[nsci_lower(k, k)];
    nsci_dz_spread(d, -1, 0);
}

/* Factorise C and bring its u to 0; rows that meet a bound on the way leave C, at most all. */
static void nsci_dz_release(nsci_dz *d)
{
    int j, k, m = d->free_count;
    for (d->free_count = 0; d->free_count < m; d->free_count++)
        nsci_dz_border(d, nsci_dz_row(d, d->free_count));
    for (; m > 0; m = d->free_count) {
        nsc_real t = 1;
        for (k = 0; k < m; k++)
            d->rate[k] = -d->u[nsci_dz_row(d, k)];
        nsci_dz_answer(d);
        j = nsci_dz_blocker(d, m, -1, &t);
        nsci_dz_move(d, t);
        for (k = 0; k < m; k++)
            d->u[nsci_dz_row(d, k)] *= 1 - t;
        if (j < 0)
            break;
        nsci_dz_exchange(d, j);
    }
}

/* Sum of the absolute terms of J v of a row [m/s]: its velocity may be their small difference. */
static nsc_real nsci_row_size(const nsc_block *b, int i, const nsc_real *v)
{
    nsc_real sum = 0;
    nsc_real room[12];
    const nsc_real *J = nsci_row_of(b, i, room);
    int k;
    for (k = 0; k < 6; k++)
        sum += nsci_abs(J[k] * v[6 * b->a + k]) + nsci_abs(J[6 + k] * v[6 * b->b + k]);
    return sum;
}

/* Copy x into the blocks; recompute u and its noise through the bodies.  Returns the largest
   natural map of a row for the present bounds [m/s]. */
static nsc_real nsci_dz_refresh(nsci_dz *d)
{
    const nsc_problem *p = d->p;
    nsc_real largest = 0, worst = 0;
    int i;
    nsci_set_lambda(d->p, d->x);
    nsci_get_velocities(p, p->v, 1, d->u);
    if (!p->delassus)
        NSCI_EACH_ROW(p, b, j)
            largest = nsci_max(largest, nsci_row_size(b, j, p->v));
    for (i = 0; i < d->n; i++) {
        nsc_real a = nsci_dz_a(d, i, i);
        nsc_real e = d->u[i];
        nsc_real y = d->x[i] - e / a;
        largest = nsci_max(largest, nsci_abs(d->x[i]) * a);
        if (d->lo[i] >= d->hi[i])
            continue;
        if (y < d->lo[i])
            e = (d->x[i] - d->lo[i]) * a;
        if (y > d->hi[i])
            e = (d->x[i] - d->hi[i]) * a;
        if (!(nsci_abs(e) <= worst))
            worst = nsci_abs(e);
    }
    d->noise = NSC_REAL_EPS * (d->scale + largest);
    return worst;
}

/* Largest residual that counts as rounding of the solver [m/s].  Capped: contradicting rows make
   impulses, and noise, grow without end. */
static nsc_real nsci_dz_rounding(const nsci_dz *d)
{
    return nsci_clamp(NSCI_DZ_ROUNDING * d->noise, 0, NSC_R(0.015625) * d->scale);
}

/* Redundant rows whose data are rounded contradict each other a little, as two hinges on one tilted
   pin do.  They leave a residual of that size, and each round pushes them harder against each
   other by residual / shift.  Keep the part of x that changes u:
   x = (A + shift diag(A))^-1 A x in C. */
static void nsci_dz_relax(nsci_dz *d)
{
    int time, k;
    for (time = 0; time < 2; time++) { /* the second time corrects the rounding of the first */
        for (k = 0; k < d->free_count; k++) {
            int i = nsci_dz_row(d, k);
            d->rate[k] = -NSCI_DZ_SHIFT * nsci_dz_a(d, i, i) * d->x[i];
        }
        nsci_dz_answer(d);
        nsci_dz_move(d, 1);
    }
    nsci_dz_refresh(d);
}

/* Solve for the present bounds, down to rounding.  0: failed: rows contradict each other, numbers
   overflow or the caller stops it. */
static int nsci_dz_solve_box(nsci_dz *d)
{
    nsc_real e = NSC_REAL_MAX, last;
    int i, round, idle = 0;
    for (round = 0; round < NSCI_DZ_ROUNDS && idle < 2 && !d->run->stopped; round++) {
        d->most_pivots = d->pivots + (unsigned)NSCI_DZ_PIVOTS(d->n);
        nsci_dz_release(d);
        for (i = 0; i < d->n; i++)
            if (nsci_dz_position(d, i) >= d->free_count && !nsci_dz_rests(d, i))
                nsci_dz_drive(d, i);
        last = e;
        e = nsci_dz_refresh(d);
        if (!nsci_finite(e))
            return 0;
        if (e <= nsci_dz_rounding(d) && (e <= d->noise || e > NSC_R(0.5) * last))
            return 1;
        idle = e > NSC_R(0.9) * last ? idle + 1 : 0;
    }
    if (e <= nsci_dz_rounding(d))
        return 1;
    if (!(e <= NSC_R(0.015625) * d->scale + 2 * d->p->bias_error)) /* errors of two rows add up */
        return 0;
    nsci_dz_relax(d);
    return 1;
}

/* Is row i of the block bounded by a normal impulse? */
static int nsci_dz_is_friction(const nsc_block *b, int i)
{
    return b->kind == NSC_BLOCK_ROLLING || (b->kind == NSC_BLOCK_CONTACT && i > 0);
}

/* First bounds of row i of a block; both 0 for friction and for rows without effective mass. */
static void nsci_dz_bounds(const nsc_block *b, int i, nsc_real *lo, nsc_real *hi)
{
    *lo = b->kind == NSC_BLOCK_CONTACT ? 0 : -NSC_REAL_MAX;
    *hi = NSC_REAL_MAX;
    if (b->kind == NSC_BLOCK_BOX) {
        *lo = b->lo[i];
        *hi = b->hi[i];
    }
    if (b->eff_mass[i] <= 0 || nsci_dz_is_friction(b, i))
        *lo = *hi = nsci_clamp(0, *lo, *hi);
}

/* Divide the arena, form A, take the first guess.  EQUALITY rows start in C, as do rows with a
   guess other than 0 inside their bounds. */
static void nsci_dz_begin(nsci_dz *d, nsci_run *run)
{
    nsc_problem *p = run->problem;
    nsc_real u[3];
    int i, r, n = p->row_count;
    nsci_clear(d, sizeof *d);
    d->A = p->arena;
    d->L = d->A + n * (n + 1) / 2;
    d->x = d->A + n * (n + 1);
    d->u = d->x + n;
    d->lo = d->u + n;
    d->hi = d->lo + n;
    d->rate = d->hi + n;
    d->order = d->rate + n;
    d->p = p;
    d->run = run;
    d->n = n;
    nsci_dz_assemble(d);
    NSCI_EACH_BLOCK(p, b) {
        nsci_live_velocity(p, b, p->v_free, nsci_zero, u);
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            nsci_dz_bounds(b, i, &d->lo[r], &d->hi[r]);
            d->order[r] = (nsc_real)r;
            d->x[r] = nsci_clamp(b->lambda[i], d->lo[r], d->hi[r]);
            d->scale = nsci_max(d->scale, nsci_abs(u[i]));
            if (d->x[r] <= d->lo[r] || d->x[r] >= d->hi[r])
                continue;
            if (b->kind == NSC_BLOCK_EQUALITY || nsci_abs(d->x[r]) > 0)
                nsci_dz_enter(d, r);
        }
    }
    nsci_dz_refresh(d);
}

/* Set the bounds of friction row i from the present normal; x at a bound follows it.  1: moved by
   more than rounding. */
static int nsci_dz_bound_row(nsci_dz *d, const nsc_block *b, int i)
{
    int r = b->row + i;
    int k = nsci_dz_position(d, r);
    nsc_real normal = d->x[b->kind == NSC_BLOCK_ROLLING ? b[-1].row : b->row];
    nsc_real limit = b->eff_mass[i] > 0 ? nsci_upper_bound(b, i, normal) : 0;
    nsc_real x = d->x[r];
    int moved = nsci_abs(limit - d->hi[r]) * nsci_dz_a(d, r, r) > d->noise;
    if (k >= d->free_count && nsci_abs(x) > 0)
        x = x > 0 ? limit : -limit;
    if (k < d->free_count && nsci_abs(x) >= limit)
        nsci_dz_leave(d, k);
    d->x[r] = nsci_clamp(x, -limit, limit);
    d->hi[r] = limit;
    d->lo[r] = -limit;
    return moved;
}

/* The same for all friction */
static int nsci_dz_bound_friction(nsci_dz *d)
{
    int moved = 0;
    NSCI_EACH_ROW(d->p, b, i)
        if (nsci_dz_is_friction(b, i))
            moved |= nsci_dz_bound_row(d, b, i);
    nsci_dz_refresh(d);
    return moved;
}

/* Lowest law accepted: with friction only PYRAMID. */
static int nsci_dz_first_law(const nsc_problem *p)
{
    NSCI_EACH_BLOCK(p, b)
        if (b->kind >= NSC_BLOCK_CONTACT && b->rows == 3 && b->mu > 0)
            return NSC_LAW_PYRAMID;
    return NSC_LAW_COULOMB;
}

/* Sweep SIPGS from the best iterate so far, at worst the first guess. */
static void nsci_dz_fall_back(nsci_run *run, int sweeps, int status)
{
    int sweep;
    nsci_restore_best(run->problem);
    nsci_apply_lambda(run->problem);
    for (sweep = 0; sweep < sweeps; sweep++)
        nsci_sipgs_sweep(run->problem, run->settings, 0);
    nsci_note(run, sweep, nsci_residual(run->problem, run->law));
    if (run->status >= 0)
        run->status = status;
}

/* Defects after a pass.  As it may be the final answer, friction is first projected into the bounds
   of its new normals. */
static nsci_defects nsci_dz_residual(const nsci_run *run)
{
    nsci_scale_lambda(run->problem, run->law, 1);
    return nsci_sum_defects(run->problem, run->law);
}

/* The caller stopped the run within a pass.  Its iterate counts if better than the best before.
   One sweep lets impulses grow from step to step even if no pass ends. */
static void nsci_dz_cut(nsci_run *run)
{
    nsci_defects d = nsci_dz_residual(run);
    if (nsci_finite(d.worst) && nsci_finite(d.energy))
        nsci_note(run, 1, d);
    nsci_dz_fall_back(run, 1, NSC_STOPPED);
}

static int nsci_dantzig_fits(const nsc_problem *p)
{
    long n = p->row_count;
    /* With more than 32000 rows the size overflows an int */
    return n <= 32000 && (n == 0 || (p->arena && p->arena_size >= NSC_ARENA_DANTZIG(n)));
}

/* NSC_ITERATION_LIMIT: friction bounds still move.  NSC_STALLED: pivoting ended above the tolerance
   and report.floor. */
NSC_API int nsc_solve_dantzig(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_dz d;
    int pass, ok, code;
    int prepared = nsci_is_prepared(p);
    if (prepared && !nsci_dantzig_fits(p))
        return nsci_refuse(report, NSC_ERR_CAPACITY);
    code = nsci_begin(&run, NSC_SOLVER_DANTZIG, p, s,
                      prepared ? nsci_dz_first_law(p) : NSC_LAW_COULOMB, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    nsci_keep_best(p);
    nsci_dz_begin(&d, &run);
    ok = nsci_dz_solve_box(&d);
    for (pass = 0; ok && pass < s->passes && nsci_dz_bound_friction(&d);) {
        ok = nsci_dz_solve_box(&d);
        if (ok && nsci_note(&run, ++pass, nsci_dz_residual(&run)))
            break;
    }
    if (!ok && run.stopped)
        nsci_dz_cut(&run);
    else if (!ok)
        nsci_dz_fall_back(&run, 20, NSC_SINGULAR);
    else if (pass == 0)
        nsci_note(&run, 1, nsci_residual(p, s->law)); /* no friction */
    if (ok && run.status == NSC_ITERATION_LIMIT && pass < s->passes)
        run.status = NSC_STALLED;
    run.iterations = (int)(d.pivots & (unsigned)-1 >> 1);
    return nsci_finish(&run, report);
}

NSCI_C_END
NSCI_BITS_END
#endif
