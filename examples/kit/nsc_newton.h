/* nsc_newton.h - the solver NEWTON; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_newton; see nsc_calls.solve.
   Beside it: nsc_solvers.h, nsc_factor.h.

   Primal Newton (projected Newton; SAP of Castro et al. 2022; MuJoCo) for the rigid problem by the
   proximal point method: around a centre c every row gets the compliance eps/rho, and

       y = c - rho u / eps,    u = N w + r,    w = P(y)

   is solved for the impulse w by semismooth Newton steps d, (I + G N) d = -(w - P(y)), with G =
   (rho/eps) dP/dy block by block.  Then c = w, eps falls, and the steps repeat: the compliance
   vanishes from the answer.  For CONE, w = P(y) is the stationarity of a convex function, and an
   exact line search sets the step length.  In the other laws friction is bounded by the normal part
   of y; this adds the unsymmetric entry d lambda_t / d y_n to the Jacobian, which BiCGStab applies
   to the factor's answer, and the step is halved until |N (w - P(y))| falls.

   From the sixth factor on a factor serves several steps: BiCGStab, with the old factor as its
   preconditioner, solves for the present Jacobian.  Where that does not converge in a few steps,
   and after five uses, the factor is made anew.

   A run that gets stuck goes back to its last centre, mostly sweeps SIPGS from there, and
   continues with a larger eps.  It does not return to its best iterate: where N is singular the
   centres move along its null space until the friction fits, and the residual does not show this
   before the end.  The first time under COULOMB, the third in the other laws, it tries the barrier
   below instead.  A run ends when only rounding of the impulses is left, or joints alone contradict
   each other.  Joints alone begin with one factor and the least eps: mostly that solves a chain at
   once, in time proportional to its length. */
#include "nsc_solvers.h"

#ifndef NSC_NEWTON_H
#define NSC_NEWTON_H

/* Scratch in reals for a problem with so many bodies and rows; _MATRIX: with problem.delassus.
   Where an int has 16 bits, pass a long. */
#define NSC_ARENA_NEWTON(bodies, rows) \
    (14 * (rows) + 25 * (bodies) + 3 * (bodies) * (6 * (bodies) + 1))
#define NSC_ARENA_NEWTON_MATRIX(rows) (17 * (rows) + (rows) * ((rows) + 1) / 2)

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it.  Scratch: NSC_ARENA_NEWTON, or _MATRIX.  Returns
   NSC_ERR_CAPACITY also for more than 900 bodies or 32000 rows, in float for more than 5792 of a
   given delassus. */
NSC_API int nsc_solve_newton(nsc_problem *problem, const nsc_settings *settings,
                             nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_NEWTON_DONE)
#define NSC_NEWTON_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

#include "nsc_factor.h"

#define NSCI_NW_EPS NSC_R(1e-2)  /* first compliance, as a share of the block's own 1/rho */
/* Least compliance: u is not accurate enough for a smaller one. */
#define NSCI_NW_LEAST (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-4) : NSC_R(1e-9))
#define NSCI_NW_WARM_SWEEPS 50   /* most sweeps of SIPGS before the first step */
#define NSCI_NW_WARM 100         /* a change below so many tolerances ends them */
#define NSCI_NW_WARM_LEAST 10    /* fewest sweeps */
/* Most sweeps when stuck.  With few factors left there are fewer in proportion, and no barrier. */
#define NSCI_NW_SWEEPS 200
#define NSCI_NW_DEAR 12          /* factors left: fewer than this are few */
#define NSCI_NW_WITHOUT 6        /* of so many times stuck, one is without sweeps */
#define NSCI_NW_INNER 30         /* steps around one centre before a run counts as stuck */
#define NSCI_NW_VECTORS 11       /* of row_count reals, in the arena */
/* A centre is settled below this share of the noise in y from rounding of w. */
#define NSCI_NW_ROUNDING NSC_R(0.5)
#define NSCI_NW_IDLE 5           /* steps without a gain of 5 % before rounding is suspected */
#define NSCI_NW_HALVINGS 5
#define NSCI_NW_SLOWLY NSC_R(0.8) /* factor on the least eps at each centre, once stuck */
/* The same factor below NSCI_NW_SMALL, if a centre took at most two steps */
#define NSCI_NW_QUICKLY NSC_R(0.1)
#define NSCI_NW_SMALL NSC_R(1e-4)
/* Number of times stuck at which the barrier is tried */
#define NSCI_NW_RESCUE(law) ((law) == NSC_LAW_COULOMB ? 1u : 3u)
#define NSCI_NW_FRESH 6          /* the first factor that may serve more than one step */
#define NSCI_NW_USES 5           /* most steps that a factor serves */
/* Most steps of BiCGStab (three are usual), and the square of its relative residual: with a factor
   of this step, of an earlier one, and in the barrier, where small impulses count */
#define NSCI_NW_KRYLOV 8
#define NSCI_NW_EXACT NSC_R(1e-4)
#define NSCI_NW_AGAIN_KRYLOV 16
#define NSCI_NW_AGAIN_EXACT NSC_R(1e-6)
#define NSCI_IP_KRYLOV 20
#define NSCI_IP_EXACT NSC_R(1e-8)
#define NSCI_NW_LOOSE 10 /* COULOMB: a centre is settled at so many times the distance from P(y) */

typedef struct nsci_newton {
    nsc_problem *p;
    nsci_run *run;
    nsci_factor factor;
    int law, convex;          /* convex: CONE without rolling friction */
    int linear;               /* joints alone: no row has a bound */
    int done;                 /* the run is over */
    unsigned retreats;        /* times it was stuck */
    unsigned uses;            /* steps the factor has served; 0: there is none to use again */
    nsc_real *c;              /* (rows) centre */
    nsc_real *w, *u;          /* (rows) iterate; N w + r */
    nsc_real *y, *g;          /* (rows) as above; w - P(y) */
    nsc_real *d, *Nd;         /* (rows) step */
    nsc_real *work[4];        /* (rows) of BiCGStab */
    int inside;               /* 1 while the barrier runs */
    nsc_real energy;          /* of the defects of the last iterate offered [J] */
    nsc_real eps, least;      /* present compliance, and its present minimum */
} nsci_newton;

/* How the barrier treats a block */
enum { NSCI_NO_CONE, NSCI_RAY, NSCI_LORENTZ };

static int nsci_ip_kind(const nsc_block *k)
{
    if (k->kind != NSC_BLOCK_CONTACT || k->rho <= 0)
        return NSCI_NO_CONE;
    return k->rows == 3 && k->mu > 0 ? NSCI_LORENTZ : NSCI_RAY;
}

/* Set y and g = w - P(y) at w + a d.  Returns g'N d, the slope of what CONE minimises. */
static nsc_real nsci_newton_map(nsci_newton *q, nsc_real a)
{
    nsc_real slope = 0, normal = 0;
    int i;
    NSCI_EACH_BLOCK(q->p, b) {
        nsc_real *g = q->g + b->row;
        nsc_real t = b->rho / q->eps;
        if (q->inside && nsci_ip_kind(b) != NSCI_NO_CONE) {
            normal = nsci_max(q->w[b->row], 0);
            continue; /* the barrier sets these g */
        }
        for (i = b->row; i < b->row + b->rows; i++)
            q->g[i] = q->y[i] = q->c[i] - t * (q->u[i] + a * q->Nd[i]);
        nsci_project_law(b, q->law, b->kind == NSC_BLOCK_ROLLING ? normal : g[0], g);
        if (b->kind == NSC_BLOCK_CONTACT)
            normal = g[0];
        for (i = b->row; i < b->row + b->rows; i++) {
            q->g[i] = q->w[i] + a * q->d[i] - q->g[i];
            slope += q->g[i] * q->Nd[i];
        }
    }
    return slope;
}

/* |N g| [m/s sqrt(kg)]: how far w is from P(y) */
static nsc_real nsci_newton_imbalance(nsci_newton *q)
{
    nsci_product(q->p, q->g, q->work[0]);
    return NSC_SQRT(nsci_sum_energy(q->p, q->work[0]));
}

/* Is the problem around this centre solved well enough to move it: is w nearer to P(y) than P(y) to
   the centre, or as near as rounding of N w permits? */
static int nsci_newton_settled(nsci_newton *q)
{
    nsc_real sum = 0, size = 0;
    int i;
    NSCI_EACH_BLOCK(q->p, b) {
        for (i = b->row; i < b->row + b->rows; i++) {
            nsc_real move = q->w[i] - q->g[i] - q->c[i];
            if (b->rho > 0) {
                sum += move * move / b->rho;
                size += q->w[i] * q->w[i] / b->rho;
            }
        }
    }
    return nsci_newton_imbalance(q) <=
           nsci_max((q->law == NSC_LAW_COULOMB ? NSCI_NW_LOOSE : 1) * q->eps * NSC_SQRT(sum),
                    NSCI_NW_ROUNDING * NSC_REAL_EPS * NSC_SQRT(size) / q->eps);
}

/* dP/dy of a friction disc of this radius: rows 1 and 2 of the packed G */
static void nsci_slope_disc(const nsc_real *y, nsc_real radius, nsc_real G[6])
{
    nsc_real t = NSC_SQRT(y[1] * y[1] + y[2] * y[2]);
    nsc_real s, a, b;
    if (t <= radius) {
        G[2] = G[5] = radius > 0 ? 1 : 0;
        return;
    }
    s = radius / t;
    a = y[1] / t;
    b = y[2] / t;
    G[2] = s * b * b;
    G[4] = -s * a * b;
    G[5] = s * a * a;
}

/* dP/dy of the cone */
static void nsci_slope_cone(const nsc_real *y, nsc_real mu, nsc_real G[6])
{
    nsc_real t = NSC_SQRT(y[1] * y[1] + y[2] * y[2]);
    nsc_real c = 1 / (1 + mu * mu);
    nsc_real a, b;
    if (mu * t <= -y[0] && t > mu * y[0])
        return;
    nsci_slope_disc(y, t <= mu * y[0] ? NSC_REAL_MAX : mu * c * (y[0] + mu * t), G);
    G[0] = 1;
    if (t <= mu * y[0])
        return;
    a = y[1] / t;
    b = y[2] / t;
    G[0] = c;
    G[1] = mu * c * a;
    G[3] = mu * c * b;
    G[2] += mu * mu * c * a * a;
    G[4] += mu * mu * c * a * b;
    G[5] += mu * mu * c * b * b;
}

static nsc_real nsci_is_inside(nsc_real x, nsc_real lo, nsc_real hi)
{
    return x > lo && x < hi ? 1 : 0;
}

/* Symmetric part of dP/dy of one block, packed 00 10 11 20 21 22; normal: the impulse that bounds
   its friction */
static void nsci_newton_slope(const nsc_block *k, int law, const nsc_real *y, nsc_real normal,
                              nsc_real G[6])
{
    static const int diagonal[3] = {0, 2, 5};
    nsc_real limit = k->mu * normal;
    int i;
    for (i = 0; i < 6; i++)
        G[i] = 0;
    if (k->rho <= 0)
        return;
    if (k->kind < NSC_BLOCK_CONTACT) {
        for (i = 0; i < k->rows; i++)
            G[diagonal[i]] = k->kind == NSC_BLOCK_EQUALITY
                                 ? 1
                                 : nsci_is_inside(y[i], k->lo[i], k->hi[i]);
        return;
    }
    if (k->kind == NSC_BLOCK_CONTACT && k->rows == 3 && law == NSC_LAW_CONE) {
        nsci_slope_cone(y, k->mu, G);
        return;
    }
    G[0] = k->kind == NSC_BLOCK_CONTACT
               ? nsci_is_inside(y[0], 0, NSC_REAL_MAX)
               : nsci_is_inside(y[0], -k->hi[0] * normal, k->hi[0] * normal);
    if (k->rows == 1)
        return;
    if (law != NSC_LAW_PYRAMID)
        nsci_slope_disc(y, limit, G);
    else {
        G[2] = nsci_is_inside(y[1], -limit, limit);
        G[5] = nsci_is_inside(y[2], -limit, limit);
    }
}

/* Unsymmetric part: e, the derivative of P(y) by the normal part that bounds friction */
static void nsci_newton_coupling(const nsc_block *k, int law, const nsc_real *y, nsc_real normal,
                                 nsc_real e[3])
{
    nsc_real limit = k->mu * normal, t;
    int i;
    e[0] = e[1] = e[2] = 0;
    if (k->kind < NSC_BLOCK_CONTACT || k->rows < 3 || normal <= 0 || law == NSC_LAW_CONE)
        return;
    if (k->kind == NSC_BLOCK_ROLLING && nsci_abs(y[0]) >= k->hi[0] * normal)
        e[0] = y[0] < 0 ? -k->hi[0] : k->hi[0];
    t = NSC_SQRT(y[1] * y[1] + y[2] * y[2]);
    for (i = 1; i < 3; i++) {
        if (law == NSC_LAW_PYRAMID && nsci_abs(y[i]) >= limit)
            e[i] = y[i] < 0 ? -k->mu : k->mu;
        if (law == NSC_LAW_COULOMB && t > limit)
            e[i] = k->mu * y[i] / t;
    }
}

/* COULOMB in the barrier: e = column 0 of the block's G; returns the change of the slack's normal
   part by the tangents of Nx. */
static nsc_real nsci_barrier_coupling(const nsci_newton *q, const nsc_block *b, const nsc_real *Nx,
                                      nsc_real e[3])
{
    const nsc_real *Q = q->factor.Q + 3 * b->row;
    const nsc_real *s = q->c + b->row;
    nsc_real t;
    int i, j;
    e[0] = e[1] = e[2] = 0;
    if (nsci_ip_kind(b) != NSCI_LORENTZ)
        return 0;
    t = NSC_SQRT(s[1] * s[1] + s[2] * s[2]);
    if (!(t > 0))
        return 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            e[i] += Q[3 * i + j] * Q[j];
    return b->mu * (s[1] * Nx[1] + s[2] * Nx[2]) / t;
}

/* g += (slope at the present y - G of the factor) x, of one block; normal bounds its friction. */
static void nsci_newton_add_change(const nsci_newton *q, const nsc_block *b, nsc_real normal,
                                   const nsc_real x[3], nsc_real *g)
{
    const nsc_real *Q = q->factor.Q + 3 * b->row;
    nsc_real G[6];
    int i, j;
    nsci_newton_slope(b, q->law, q->y + b->row, normal, G);
    for (i = 0; i < b->rows; i++) {
        for (j = 0; j < b->rows; j++) {
            nsc_real slope = G[nsci_lower(i > j ? i : j, i > j ? j : i)];
            g[i] += (slope * b->rho / q->eps - nsci_dot(Q + 3 * i, Q + 3 * j, 3)) * x[j];
        }
    }
}

/* out = x + (I + G N)^-1 (E + C) N x: E the unsymmetric part, C the change of the symmetric part
   since the factor was made.  Uses g. */
static void nsci_newton_operator(nsci_newton *q, const nsc_real *x, nsc_real *out)
{
    nsc_real e[3], Nx[3], normal_u = 0, normal_y = 0;
    int i;
    nsci_product(q->p, x, q->g);
    NSCI_EACH_BLOCK(q->p, b) {
        nsc_real *g = q->g + b->row;
        if (q->inside) {
            normal_u = nsci_barrier_coupling(q, b, g, e);
        } else {
            if (b->kind == NSC_BLOCK_CONTACT) {
                normal_u = b->rho * g[0] / q->eps;
                normal_y = q->y[b->row];
            }
            nsci_newton_coupling(b, q->law, q->y + b->row, normal_y, e);
        }
        for (i = 0; i < b->rows; i++) {
            Nx[i] = g[i];
            g[i] = e[i] * normal_u;
        }
        if (q->uses > 0)
            nsci_newton_add_change(q, b, nsci_max(normal_y, 0), Nx, g);
    }
    nsci_factor_solve(&q->factor, q->g, out);
    for (i = 0; i < q->p->row_count; i++)
        out[i] += x[i];
}

/* BiCGStab (van der Vorst 1992): d = A^-1 d with the operator A above, in at most so many steps.
   1: the square of the residual, relative to the first d, is at most `exact` */
static int nsci_newton_couple(nsci_newton *q, int most, nsc_real exact)
{
    nsc_real *d = q->d;
    nsc_real *rest = q->work[0];
    nsc_real *shadow = q->work[1];
    nsc_real *s = q->work[2];
    nsc_real *As = q->work[3];
    nsc_real *At = q->Nd;
    nsc_real rho, alpha = 1, omega = 1, last = 1, enough;
    int it, i, n = q->p->row_count;
    enough = exact * nsci_dot_long(d, d, n);
    nsci_newton_operator(q, d, rest);
    for (i = 0; i < n; i++) {
        rest[i] = d[i] - rest[i];
        shadow[i] = rest[i];
        s[i] = As[i] = 0;
    }
    for (it = 0; it < most && nsci_dot_long(rest, rest, n) > enough; it++) {
        rho = nsci_dot_long(shadow, rest, n);
        for (i = 0; i < n; i++)
            s[i] = rest[i] + rho / last * (alpha / omega) * (s[i] - omega * As[i]);
        nsci_newton_operator(q, s, As);
        alpha = rho / nsci_dot_long(shadow, As, n);
        for (i = 0; i < n; i++)
            rest[i] -= alpha * As[i];
        nsci_newton_operator(q, rest, At);
        omega = nsci_dot_long(At, At, n);
        omega = omega > 0 ? nsci_dot_long(At, rest, n) / omega : 0; /* 0: no residual left */
        for (i = 0; i < n; i++) {
            d[i] += alpha * s[i] + omega * rest[i];
            rest[i] -= omega * At[i];
        }
        last = rho;
    }
    return nsci_dot_long(rest, rest, n) <= enough;
}

/* Set G of a block; normal as in nsci_newton_slope. */
static void nsci_newton_set(nsci_newton *q, const nsc_block *b, nsc_real normal)
{
    nsc_real G[6];
    int i;
    nsci_newton_slope(b, q->law, q->y + b->row, normal, G);
    for (i = 0; i < 6; i++)
        G[i] *= b->rho / q->eps;
    nsci_factor_set(&q->factor, b, G);
}

/* Factorise for the present y, w and g.  0: a pivot is not positive */
static int nsci_newton_factor(nsci_newton *q)
{
    nsc_real normal = 0;
    NSCI_EACH_BLOCK(q->p, b) {
        if (b->kind == NSC_BLOCK_CONTACT)
            normal = nsci_max(q->w[b->row] - q->g[b->row], 0);
        nsci_newton_set(q, b, normal);
    }
    q->run->factorizations++;
    return nsci_factor_run(&q->factor);
}

/* Solve for d with the factor of an earlier step.  0: it has served enough steps, or fits the
   present y too badly.  Not for CONE with rolling friction: the bound of that is the normal part of
   P(y), which BiCGStab overwrites. */
static int nsci_newton_again(nsci_newton *q)
{
    if (q->run->factorizations < NSCI_NW_FRESH || q->uses == 0 || q->uses >= NSCI_NW_USES)
        return 0;
    if (q->law == NSC_LAW_CONE && !q->convex)
        return 0;
    nsci_factor_solve(&q->factor, q->g, q->d);
    if (nsci_newton_couple(q, NSCI_NW_AGAIN_KRYLOV, NSCI_NW_AGAIN_EXACT) &&
        nsci_all_finite(q->d, q->p->row_count))
        return 1;
    nsci_newton_map(q, 0); /* BiCGStab overwrote g. */
    return 0;
}

/* Set d and N d.  0: a pivot is not positive, or d is not finite */
static int nsci_newton_direction(nsci_newton *q)
{
    int i;
    if (!nsci_newton_again(q)) {
        q->uses = 0;
        if (!nsci_newton_factor(q))
            return 0;
        nsci_factor_solve(&q->factor, q->g, q->d);
        if (q->law != NSC_LAW_CONE)
            nsci_newton_couple(q, NSCI_NW_KRYLOV, NSCI_NW_EXACT);
    }
    q->uses++;
    for (i = 0; i < q->p->row_count; i++)
        q->d[i] = -q->d[i];
    if (!nsci_all_finite(q->d, q->p->row_count))
        return 0;
    nsci_product(q->p, q->d, q->Nd);
    return 1;
}

/* Step length at which the slope along d is down to a tenth: bracketed by doubling, then
   bisected */
static nsc_real nsci_newton_exact_search(nsci_newton *q)
{
    nsc_real lo = 0, hi = 1, a = 1;
    nsc_real enough = NSC_R(0.1) * nsci_abs(nsci_newton_map(q, 0));
    nsc_real slope = nsci_newton_map(q, a);
    int t;
    for (t = 0; t < 6 && slope < -enough; t++) {
        lo = hi;
        a = hi = 2 * hi;
        slope = nsci_newton_map(q, a);
    }
    for (t = 0; t < 30 && nsci_abs(slope) > enough; t++) {
        a = NSC_R(0.5) * (lo + hi);
        slope = nsci_newton_map(q, a);
        if (slope < 0)
            lo = a;
        else
            hi = a;
    }
    return a;
}

/* Copy w into the blocks, and recompute u. */
static void nsci_newton_refresh(nsci_newton *q)
{
    nsci_set_lambda(q->p, q->w);
    nsci_get_velocities(q->p, q->p->v, 1, q->u);
}

/* Project w + a d into the blocks and note its defects; sets done if the run is over.  0: the
   defects are not finite */
static int nsci_newton_offer(nsci_newton *q, nsc_real a)
{
    nsci_defects defects;
    int i;
    NSCI_EACH_BLOCK(q->p, b) {
        for (i = 0; i < b->rows; i++) {
            int n = b->row + i;
            b->lambda[i] = b->eff_mass[i] > 0 ? q->w[n] + a * q->d[n] : 0;
        }
        nsci_project_law(b, q->law, nsci_normal_of(b, b->lambda), b->lambda);
    }
    defects = nsci_residual(q->p, q->law);
    q->energy = defects.energy;
    if (!nsci_finite(defects.worst) || !nsci_finite(defects.energy))
        return 0;
    q->done = nsci_note(q->run, q->run->iterations, defects);
    return 1;
}

/* Step length: 1 if that gives a new best iterate, else the largest of 1, 1/2, 1/4 ... that reduces
   the imbalance; 0: none */
static nsc_real nsci_newton_halving_search(nsci_newton *q)
{
    nsc_real a = 1;
    nsc_real before = q->run->energy;
    int t;
    nsci_newton_offer(q, a);
    if (q->run->energy < before || q->done)
        return a;
    nsci_newton_map(q, 0);
    before = nsci_newton_imbalance(q);
    for (t = 0; t < NSCI_NW_HALVINGS; t++, a *= NSC_R(0.5)) {
        nsci_newton_map(q, a);
        if (nsci_newton_imbalance(q) <= (1 - NSC_R(1e-4) * a) * before)
            return a;
    }
    return 0;
}

/* Move the centre to the lambda in the blocks; with `begin` also w. */
static void nsci_newton_recentre(nsci_newton *q, int begin)
{
    nsci_get_lambda(q->p, q->c);
    if (begin) {
        nsci_get_lambda(q->p, q->w);
        /* d and Nd, which follows, may hold NaN */
        nsci_clear(q->d, 2 * sizeof(nsc_real) * (size_t)q->p->row_count);
    }
    nsci_newton_refresh(q);
}

static void nsci_newton_begin(nsci_newton *q, nsci_run *run)
{
    nsc_problem *p = q->p = run->problem;
    int i, n = p->row_count;
    q->linear = 1;
    q->run = run;
    q->law = run->law;
    q->convex = run->law == NSC_LAW_CONE;
    q->done = 0;
    q->retreats = 0;
    q->uses = 0;
    q->c = p->arena;
    q->w = q->c + n;
    q->u = q->w + n;
    q->y = q->u + n;
    q->g = q->y + n;
    q->d = q->g + n;
    q->Nd = q->d + n;
    for (i = 0; i < 4; i++)
        q->work[i] = q->Nd + (i + 1) * n;
    q->inside = 0;
    q->energy = run->energy;
    nsci_factor_begin(&q->factor, p, q->work[3] + n);
    NSCI_EACH_BLOCK(p, b) {
        q->convex &= b->kind != NSC_BLOCK_ROLLING;
        q->linear &= b->kind == NSC_BLOCK_EQUALITY;
    }
    q->least = NSCI_NW_LEAST;
    q->eps = q->linear ? q->least : NSCI_NW_EPS;
}

/* ---- The barrier: an interior point method before the Newton steps.  Every contact has a slack s,
   its linearised gap as a velocity.  The barrier -log(s_n^2 - mu^2 |s_t|^2) keeps impulse and slack
   strictly inside their cones; N w + r - s falls to 0 with the barrier.  Nesterov & Todd's scaling
   W, W lambda = W^-1 s, gives such a block G = W^-2 in the same factor, which serves two right
   sides: Mehrotra's predictor and corrector.  In coordinates (mu lambda_n, lambda_t) and (s_n/mu,
   s_t) both cones are the Lorentz cone.  Under COULOMB mu |s_t| is added to the slack's normal part
   (De Saxce).  Its derivative is unsymmetric: BiCGStab applies it to the factor's answer, as a
   lagged term would converge only linearly.  Joints, boxes and rolling friction are treated as
   above.  A few Newton steps finish the solution. */

/* The barrier ends at this energy ratio; not under COULOMB. */
#define NSCI_IP_DONE (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-3) : NSC_R(1e-6))
#define NSCI_IP_EPS (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-3) : NSC_R(1e-5))
/* Compliance of the Newton steps that follow a barrier above NSCI_IP_DONE: larger ones undo it. */
#define NSCI_IP_UNDONE NSC_R(1e-4)
#define NSCI_IP_STEPS 40
#define NSCI_IP_IDLE 5           /* steps without half the energy after which it gives up */
#define NSCI_IP_FRACTION NSC_R(0.99) /* share of the way to the boundary that a step goes */

typedef struct nsci_scaling {
    nsc_real beta, v[3]; /* W = beta (2 v v^T - diag(1, -1, -1)) */
} nsci_scaling;

/* x_0^2 - x_1^2 - x_2^2 */
static nsc_real nsci_lorentz(const nsc_real x[3])
{
    nsc_real t = NSC_SQRT(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

/* out = x with its normal part times s */
static void nsci_stretch(nsc_real s, const nsc_real *x, nsc_real out[3])
{
    out[0] = s * x[0];
    out[1] = x[1];
    out[2] = x[2];
}

static void nsci_scaling_make(nsci_scaling *w, const nsc_real z[3], const nsc_real s[3])
{
    nsc_real dz = NSC_SQRT(nsci_lorentz(z));
    nsc_real ds = NSC_SQRT(nsci_lorentz(s));
    nsc_real g;
    int i;
    g = 2 * NSC_SQRT(NSC_R(0.5) * (1 + nsci_dot(z, s, 3) / (dz * ds)));
    for (i = 0; i < 3; i++)
        w->v[i] = (s[i] / ds + (i ? -z[i] : z[i]) / dz) / g;
    w->beta = NSC_SQRT(ds / dz);
    g = NSC_SQRT(2 * (w->v[0] + 1));
    w->v[0] += 1;
    for (i = 0; i < 3; i++)
        w->v[i] /= g;
}

/* out = W x, or W^-1 x; out may be x */
static void nsci_scaling_times(const nsci_scaling *w, int inverse, const nsc_real *x, nsc_real *out)
{
    nsc_real side = inverse ? -1 : 1;
    nsc_real b = inverse ? 1 / w->beta : w->beta;
    nsc_real d = 2 * (w->v[0] * x[0] + side * (w->v[1] * x[1] + w->v[2] * x[2]));
    out[0] = b * (d * w->v[0] - x[0]);
    out[1] = b * (side * d * w->v[1] + x[1]);
    out[2] = b * (side * d * w->v[2] + x[2]);
}

/* Solve l o x = y for x; o is the Jordan product of the Lorentz cone */
static void nsci_lorentz_divide(const nsc_real l[3], const nsc_real y[3], nsc_real x[3])
{
    x[0] = (l[0] * y[0] - l[1] * y[1] - l[2] * y[2]) / nsci_lorentz(l);
    x[1] = (y[1] - x[0] * l[1]) / l[0];
    x[2] = (y[2] - x[0] * l[2]) / l[0];
}

/* The largest step along d that stays in the cone */
static nsc_real nsci_lorentz_step(const nsc_real x[3], const nsc_real d[3])
{
    nsc_real a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    nsc_real b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    nsc_real c = nsci_lorentz(x);
    nsc_real disc = b * b - a * c;
    nsc_real q;
    nsc_real t = d[0] < 0 ? -x[0] / d[0] : NSC_REAL_MAX;
    if (disc < 0)
        return t;
    q = b < 0 ? NSC_SQRT(disc) - b : -NSC_SQRT(disc) - b;
    if (q * a > 0 && q / a < t)
        t = q / a;
    if (q > 0 && c / q < t)
        t = c / q;
    return t;
}

typedef struct nsci_barrier {
    nsci_newton *q;
    nsc_real *s, *rest; /* (rows) slack; N w + r - s, both without mu |s_t| */
    nsc_real gap;       /* mean lambda's of the cones [J] */
    nsc_real aim;       /* target gap, as a share of gap; < 0: predictor */
    int cones;
} nsci_barrier;

/* Map a slack, or a change of it, to the Lorentz cone.  Under COULOMB m->s holds u_n as normal
   part, so mu |s_t| is added. */
static void nsci_barrier_dual(const nsci_barrier *m, const nsc_block *b, const nsc_real *x,
                              nsc_real out[3])
{
    const nsc_real *s = m->s + b->row;
    nsc_real t = NSC_SQRT(s[1] * s[1] + s[2] * s[2]);
    nsc_real along = s[1] * x[1] + s[2] * x[2];
    nsci_stretch(1 / b->mu, x, out);
    if (m->q->law == NSC_LAW_COULOMB && t > 0)
        out[0] += along / t;
}

/* Start inside both cones, at the size of r. */
static void nsci_barrier_begin(nsci_barrier *m, nsci_newton *q)
{
    nsc_real size = 0;
    int i, n = q->p->row_count;
    m->q = q;
    m->s = q->c;
    m->rest = q->y;
    m->cones = 0;
    nsci_get_velocities(q->p, q->p->v_free, 0, q->u);
    for (i = 0; i < n; i++)
        size = nsci_max(size, nsci_abs(q->u[i]));
    if (!(size > 0))
        size = 1;
    nsci_clear(m->s, sizeof(nsc_real) * (size_t)n);
    NSCI_EACH_BLOCK(q->p, b) {
        int kind = nsci_ip_kind(b);
        nsc_real mu = kind == NSCI_LORENTZ ? b->mu : 1;
        if (kind == NSCI_NO_CONE)
            continue;
        m->cones++;
        for (i = b->row; i < b->row + b->rows; i++)
            q->w[i] = 0;
        q->w[b->row] = b->rho * size / mu;
        m->s[b->row] = size * mu;
    }
}

/* Set G of every block, the mean gap, and N w + r - s. */
static void nsci_barrier_assemble(nsci_barrier *m)
{
    nsci_newton *q = m->q;
    nsc_real G[6], z[3], s[3], t;
    nsci_scaling w;
    int i;
    m->gap = 0;
    NSCI_EACH_BLOCK(q->p, b) {
        int n = b->row;
        int kind = nsci_ip_kind(b);
        if (kind == NSCI_NO_CONE) {
            nsci_newton_set(q, b, nsci_max(q->w[b->kind == NSC_BLOCK_ROLLING ? b[-1].row : n], 0));
            continue;
        }
        for (i = n; i < n + b->rows; i++)
            m->rest[i] = q->u[i] - m->s[i];
        nsci_clear(G, sizeof G);
        if (kind == NSCI_LORENTZ) {
            nsci_stretch(b->mu, q->w + n, z);
            nsci_barrier_dual(m, b, m->s + n, s);
            m->gap += nsci_dot(z, s, 3);
            nsci_scaling_make(&w, z, s);
            t = 2 * w.v[0]; /* W^-2 = (2 z z^T - diag(1, -1, -1)) / beta^2 */
            z[0] = t * w.v[0] - 1;
            z[1] = -t * w.v[1];
            z[2] = -t * w.v[2];
            t = 1 / (w.beta * w.beta);
            G[0] = t * (2 * z[0] * z[0] - 1) / (b->mu * b->mu);
            G[1] = t * 2 * z[0] * z[1] / b->mu;
            G[3] = t * 2 * z[0] * z[2] / b->mu;
            G[2] = t * (2 * z[1] * z[1] + 1);
            G[4] = t * 2 * z[1] * z[2];
            G[5] = t * (2 * z[2] * z[2] + 1);
        } else {
            m->gap += q->w[n] * m->s[n];
            G[0] = q->w[n] / m->s[n];
        }
        nsci_factor_set(&q->factor, b, G);
    }
    m->gap /= (nsc_real)m->cones;
}

/* Right side of one Lorentz cone: G rest - W^-1 c, c = -W lambda + the corrector's terms */
static void nsci_barrier_lorentz(const nsci_barrier *m, const nsc_block *b, nsc_real *g)
{
    const nsci_newton *q = m->q;
    nsc_real z[3], s[3], l[3], x[3], y[3], c[3];
    nsc_real up = b->mu;
    nsc_real down = 1 / b->mu;
    nsci_scaling w;
    int i, n = b->row;
    nsci_stretch(up, q->w + n, z);
    nsci_barrier_dual(m, b, m->s + n, s);
    nsci_scaling_make(&w, z, s);
    nsci_scaling_times(&w, 0, z, l);
    for (i = 0; i < 3; i++)
        c[i] = -l[i];
    if (m->aim >= 0) {
        nsci_stretch(up, q->d + n, x);
        nsci_barrier_dual(m, b, q->Nd + n, y);
        nsci_scaling_times(&w, 0, x, x);
        nsci_scaling_times(&w, 1, y, y);
        z[0] = m->aim * m->gap - nsci_dot(x, y, 3);
        z[1] = -(x[0] * y[1] + y[0] * x[1]);
        z[2] = -(x[0] * y[2] + y[0] * x[2]);
        nsci_lorentz_divide(l, z, x);
        for (i = 0; i < 3; i++)
            c[i] += x[i];
    }
    nsci_barrier_dual(m, b, m->rest + n, x);
    nsci_scaling_times(&w, 1, x, x);
    for (i = 0; i < 3; i++)
        x[i] -= c[i];
    nsci_scaling_times(&w, 1, x, x);
    nsci_stretch(down, x, g);
}

/* Set d of predictor or corrector (see aim), and as Nd the change of the slack, N d + rest.  The
   corrector reads the predictor's. */
static void nsci_barrier_direction(nsci_barrier *m)
{
    nsci_newton *q = m->q;
    int i, n = q->p->row_count;
    nsci_newton_map(q, 0);
    NSCI_EACH_BLOCK(q->p, b) {
        int kind = nsci_ip_kind(b);
        int row = b->row;
        if (kind == NSCI_LORENTZ)
            nsci_barrier_lorentz(m, b, q->g + row);
        if (kind == NSCI_RAY) {
            nsc_real c = -m->s[row];
            if (m->aim >= 0)
                c += (m->aim * m->gap - q->d[row] * q->Nd[row]) / q->w[row];
            q->g[row] = q->w[row] / m->s[row] * (m->rest[row] - c);
            for (i = row + 1; i < row + b->rows; i++)
                q->g[i] = 0;
        }
    }
    nsci_factor_solve(&q->factor, q->g, q->d);
    if (q->law == NSC_LAW_COULOMB)
        nsci_newton_couple(q, NSCI_IP_KRYLOV, NSCI_IP_EXACT);
    for (i = 0; i < n; i++)
        q->d[i] = -q->d[i];
    nsci_product(q->p, q->d, q->Nd);
    for (i = 0; i < n; i++)
        q->Nd[i] += m->rest[i];
}

/* The largest step up to `most` that leaves impulse and slack in their cones */
static nsc_real nsci_barrier_reach(const nsci_barrier *m, nsc_real most)
{
    const nsci_newton *q = m->q;
    nsc_real x[3], d[3], a = most, t;
    int dual;
    NSCI_EACH_BLOCK(q->p, b) {
        int kind = nsci_ip_kind(b);
        int n = b->row;
        for (dual = 0; kind != NSCI_NO_CONE && dual < 2; dual++) {
            const nsc_real *from = dual ? m->s + n : q->w + n;
            const nsc_real *along = (dual ? q->Nd : q->d) + n;
            if (kind == NSCI_LORENTZ && !(dual && q->law == NSC_LAW_COULOMB)) {
                t = dual ? 1 / b->mu : b->mu;
                nsci_stretch(t, from, x);
                nsci_stretch(t, along, d);
                t = nsci_lorentz_step(x, d);
            } else {
                t = along[0] < 0 ? -from[0] / along[0] : NSC_REAL_MAX;
            }
            if (t < a)
                a = t;
        }
    }
    return a;
}

/* Mean gap after a step a */
static nsc_real nsci_barrier_gap(const nsci_barrier *m, nsc_real a)
{
    const nsci_newton *q = m->q;
    nsc_real sum = 0, s[3];
    int i;
    NSCI_EACH_BLOCK(q->p, b) {
        if (nsci_ip_kind(b) == NSCI_NO_CONE)
            continue;
        for (i = b->row; i < b->row + b->rows; i++)
            sum += (q->w[i] + a * q->d[i]) *
                   (s[i - b->row] = m->s[i] + a * q->Nd[i]);
        if (q->law == NSC_LAW_COULOMB && b->rows == 3)
            sum += b->mu * (q->w[b->row] + a * q->d[b->row]) * NSC_SQRT(s[1] * s[1] + s[2] * s[2]);
    }
    return sum / (nsc_real)m->cones;
}

/* One predictor and corrector with one factor.  0: a pivot is not positive, or the step is tiny or
   not finite */
static int nsci_barrier_step(nsci_barrier *m)
{
    nsci_newton *q = m->q;
    nsc_real a;
    int i;
    NSCI_EACH_BLOCK(q->p, b) {
        for (i = b->row; nsci_ip_kind(b) == NSCI_NO_CONE && i < b->row + b->rows; i++)
            q->c[i] = q->w[i];
    }
    nsci_newton_refresh(q);
    nsci_newton_map(q, 0);
    nsci_barrier_assemble(m);
    q->run->factorizations++;
    if (!nsci_factor_run(&q->factor))
        return 0;
    m->aim = -1;
    nsci_barrier_direction(m);
    a = nsci_barrier_gap(m, nsci_barrier_reach(m, 1)) / m->gap;
    m->aim = nsci_clamp(a * a * a, 0, 1);
    nsci_barrier_direction(m);
    a = NSCI_IP_FRACTION * nsci_barrier_reach(m, 1 / NSCI_IP_FRACTION);
    if (!(a > NSC_R(1e-4)) || !nsci_all_finite(q->d, q->p->row_count))
        return 0;
    for (i = 0; i < q->p->row_count; i++) {
        q->w[i] += a * q->d[i];
        m->s[i] += a * q->Nd[i];
    }
    return 1;
}

/* Leaves the last iterate in the blocks, or the best if that is not finite. */
static void nsci_barrier_steps(nsci_newton *q)
{
    nsci_barrier m;
    nsci_run *run = q->run;
    nsc_real done = 0, least = NSC_REAL_MAX;
    int it, idle = 0, sound = 1;
    nsci_barrier_begin(&m, q);
    NSCI_EACH_BLOCK(q->p, b) {
        done += NSCI_IP_DONE * NSCI_IP_DONE * b->rho *
                nsci_dot(q->u + b->row, q->u + b->row, b->rows);
    }
    q->eps = NSCI_IP_EPS;
    q->inside = 1;
    q->uses = 0;
    for (it = 0; sound && m.cones > 0 && it < NSCI_IP_STEPS && idle < NSCI_IP_IDLE; it++) {
        if (run->iterations >= run->settings->max_iterations || !nsci_may_factorize(run))
            break;
        run->iterations++;
        if (!nsci_barrier_step(&m))
            break;
        sound = nsci_newton_offer(q, 0);
        if (q->done || (q->law != NSC_LAW_COULOMB && q->energy <= done))
            break;
        idle++;
        if (q->energy < NSC_R(0.5) * least) {
            least = q->energy;
            idle = 0;
        }
    }
    if (!q->convex && q->energy > done)
        q->eps = NSCI_IP_UNDONE;
    q->least = NSCI_NW_LEAST;
    q->inside = 0;
    if (!sound)
        nsci_restore_best(q->p);
}

/* Sweep from the lambda in the blocks until the defects met are at most `enough` [m/s] or the
   caller stops it. */
static void nsci_newton_sweep(nsci_newton *q, int most, nsc_real enough)
{
    nsci_run *run = q->run;
    nsc_real change = NSC_REAL_MAX;
    int i;
    for (i = 0; i < most && !run->stopped && (i < NSCI_NW_WARM_LEAST || change > enough); i++) {
        change = nsci_sipgs_sweep(q->p, run->settings, 0);
        nsci_asked_to_stop(run);
    }
    if (!run->stopped)
        return;
    q->done = 1;
    run->status = NSC_STOPPED;
    nsci_note(run, run->iterations, nsci_residual(q->p, q->law));
}

/* Stuck at this eps: return to the last centre and raise eps; at NSCI_NW_RESCUE run the barrier.
   Mostly sweep from that centre, but not each time: sweeps may lead to the same place for ever. */
static void nsci_newton_retreat(nsci_newton *q)
{
    unsigned most = (unsigned)q->run->settings->max_factorizations;
    unsigned made = q->run->factorizations;
    unsigned left = made < most ? most - made : 0;
    if (left > NSCI_NW_DEAR)
        left = NSCI_NW_DEAR;
    if (++q->retreats == NSCI_NW_RESCUE(q->law) && left == NSCI_NW_DEAR) {
        nsci_barrier_steps(q);
        if (!q->done)
            nsci_newton_recentre(q, 1);
        return;
    }
    nsci_set_lambda(q->p, q->c);
    if (q->retreats % NSCI_NW_WITHOUT != 0)
        nsci_newton_sweep(q, (int)left * NSCI_NW_SWEEPS / NSCI_NW_DEAR, 0);
    nsci_newton_recentre(q, 1);
    q->least = 2 * q->eps;
    q->eps *= 4;
    if (q->eps > 1)
        q->eps = q->least = NSCI_NW_EPS;
}

/* Has the residual stopped falling at a size that rounding of the impulses explains?  Joints alone
   take one step a centre: what remains comes from contradicting rows. */
static int nsci_newton_at_rounding(const nsci_newton *q)
{
    nsc_real most = 0;
    int i;
    int idle = q->run->iterations - q->run->mark_iteration;
    if (q->linear && idle >= 2 * NSCI_NW_IDLE)
        return 1;
    if (idle < NSCI_NW_IDLE)
        return 0;
    NSCI_EACH_BLOCK(q->p, b) {
        for (i = 0; i < b->rows; i++)
            most = nsci_max(most, nsci_abs(b->best[i]) * b->delassus[nsci_packed(i, i)]);
    }
    return q->run->best <= 2 * NSC_REAL_EPS * most;
}

/* Joints alone: repeat the step with the same factor while that reduces the residual.  If it stays
   above the tolerance, this eps leaves the factor too few digits: the Newton steps go on with a
   larger one. */
static void nsci_newton_linear(nsci_newton *q)
{
    nsci_run *run = q->run;
    nsc_real before = NSC_REAL_MAX;
    int i;
    int stuck = nsci_newton_factor(q) ? 0 : 2;
    while (stuck < 2 && run->iterations < run->settings->max_iterations) {
        run->iterations++;
        nsci_newton_map(q, 0);
        nsci_factor_solve(&q->factor, q->g, q->d);
        for (i = 0; i < q->p->row_count; i++) {
            q->w[i] -= q->d[i];
            q->d[i] = 0;
        }
        if (!nsci_newton_offer(q, 0))
            break;
        if (q->done)
            return;
        stuck = run->best <= NSC_R(0.5) * before ? 0 : stuck + 1;
        before = run->best;
        nsci_newton_recentre(q, 0);
    }
    q->eps = NSCI_NW_EPS;
    nsci_restore_best(q->p);
    nsci_apply_lambda(q->p);
}

/* Newton steps from the present w.  inner counts steps around one centre.  A centre that is not
   finite ends the run: the best iterate remains. */
static void nsci_newton_steps(nsci_newton *q)
{
    nsci_run *run = q->run;
    int i, inner = 0, sound;
    for (;;) {
        nsc_real a = 0;
        sound = nsci_newton_offer(q, a);
        if (!q->done && (inner > 0 ? nsci_newton_at_rounding(q) : !sound)) {
            q->done = 1;
            run->status = NSC_STALLED;
        }
        if (q->done || run->iterations >= run->settings->max_iterations || !nsci_may_factorize(run))
            return;
        nsci_newton_map(q, a);
        if (sound && inner > 0 && nsci_newton_settled(q)) {
            nsci_newton_recentre(q, 0);
            q->eps = nsci_max(NSC_R(0.1) * q->eps, q->least);
            q->least *= inner <= 2 && q->least < NSCI_NW_SMALL ? NSCI_NW_QUICKLY : NSCI_NW_SLOWLY;
            q->least = nsci_max(q->least, NSCI_NW_LEAST);
            inner = 0;
            continue;
        }
        run->iterations++;
        if (sound && inner < NSCI_NW_INNER) {
            inner++;
            if (nsci_newton_direction(q))
                a = q->convex ? nsci_newton_exact_search(q) : nsci_newton_halving_search(q);
        }
        if (q->done)
            return;
        for (i = 0; i < q->p->row_count && a > 0; i++) {
            q->w[i] += a * q->d[i];
            q->u[i] += a * q->Nd[i];
        }
        if (a > 0)
            continue;
        nsci_newton_retreat(q);
        inner = 0;
    }
}

/* ---- The driver ---- */

static int nsci_newton_fits(const nsc_problem *p) { return nsci_factor_fits(p, NSCI_NW_VECTORS); }

NSC_API int nsc_solve_newton(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_newton q;
    int room = !nsci_is_prepared(p) || nsci_newton_fits(p);
    int code = nsci_begin_in(&run, NSC_SOLVER_NEWTON, room, p, s, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    nsci_newton_begin(&q, &run);
    nsci_newton_recentre(&q, 1);
    if (s->barrier && !q.linear)
        nsci_barrier_steps(&q);
    if (q.linear)
        nsci_newton_linear(&q);
    if (!s->barrier && !q.done)
        nsci_newton_sweep(&q, NSCI_NW_WARM_SWEEPS, NSCI_NW_WARM * s->tolerance);
    nsci_newton_recentre(&q, 1);
    if (!q.done)
        nsci_newton_steps(&q);
    return nsci_finish(&run, report);
}

NSCI_C_END
NSCI_BITS_END
#endif
