/* nsc_bb.h - the solver BB; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_bb; see nsc_calls.solve.
   Beside it: nsc_solvers.h.

   Spectral projected gradient (Barzilai & Borwein 1988; Birgin, Martinez & Raydan 2000; on contacts
   Heyn et al. 2013) with directions made conjugate (Birgin & Martinez 2001).  One iteration, s the
   previous direction:
       p = P(x - rho (N x + r + shift) / L) - x
       d = P(x + p + beta s) - x      beta = -p'Ns / s'Ns: conjugate gradients until a bound acts
       d = p                          if that is no descent, p'd <= 0 in the metric
       x = x + t d                    t = min(1, L p'd / d'Nd): to the minimum along d, but inside K
       L = |N d| / |d|                in the metric; 1/L is the geometric mean of both step lengths
                                      of Barzilai and Borwein (Dai, Al-Baali & Yang 2015), never < 0
   The slope of f along d is taken as -L p'd.  With no active bound that is g'd, g the gradient; for
   d = p it is not steeper than g'd, so that f falls.  At a sliding contact g'd itself is a small
   difference of large numbers: in float it is noise once g is down to the root of the precision.
   As t is exact, no history of f is needed; on the published problems this beats the non-monotone
   search with any rule for L.  N s is the last N d: one product an iteration, one more every 50 so
   that N x does not drift. */
#include "nsc_solvers.h"

#ifndef NSC_BB_H
#define NSC_BB_H

/* Scratch in reals for a problem with so many rows; where an int has 16 bits, pass a long. */
#define NSC_ARENA_BB(rows) (7 * (rows))

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it.  Scratch: NSC_ARENA_BB(rows) */
NSC_API int nsc_solve_bb(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_BB_DONE)
#define NSC_BB_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

typedef struct nsci_bb {
    nsci_gradient g;            /* iterate x; L from the last direction */
    nsc_real *p;                /* (rows) projected gradient step */
    nsc_real *d, *Nd;           /* (rows) direction, and N times it */
} nsci_bb;
static int nsci_bb_fits(const nsc_problem *p) { return nsci_arena_fits(p, NSC_ARENA_BB(1)); }

static void nsci_bb_begin(nsc_problem *p, nsci_bb *a)
{
    int n = p->row_count;
    a->p = p->arena + 4 * n;
    a->d = a->p + n;
    a->Nd = a->d + n;
    nsci_gradient_begin(p, &a->g, a->d, a->Nd);
    nsci_clear(a->d, 2 * sizeof(nsc_real) * (size_t)n); /* and Nd */
}

/* x'y in the metric */
static nsc_real nsci_bb_dot(const nsc_problem *p, const nsc_real *x, const nsc_real *y)
{
    nsc_real sum = 0;
    NSCI_EACH_BLOCK(p, b) {
        if (b->rho > 0)
            sum += nsci_dot(x + b->row, y + b->row, b->rows) / b->rho;
    }
    return sum;
}

/* Set d, conjugate to the previous d or else p, and N d. */
static void nsci_bb_direction(nsc_problem *p, int law, nsci_bb *a)
{
    nsc_real sNs, beta, *x = a->g.x;
    int i, n = p->row_count;
    nsci_gradient_step(p, law, &a->g, x, a->g.Nx, a->p);
    for (i = 0; i < n; i++)
        a->p[i] -= x[i];
    sNs = nsci_dot(a->d, a->Nd, n);
    beta = sNs > 0 ? -nsci_dot(a->p, a->Nd, n) / sNs : 0;
    for (i = 0; i < n; i++)
        a->d[i] = x[i] + a->p[i] + beta * a->d[i];
    nsci_gradient_project(p, law, a->d);
    for (i = 0; i < n; i++)
        a->d[i] -= x[i];
    if (!(nsci_bb_dot(p, a->p, a->d) > 0))
        NSC_MEMCPY(a->d, a->p, sizeof(nsc_real) * (size_t)n);
    nsci_product(p, a->d, a->Nd);
}

/* Move x to the minimum along d, but not beyond x + d. */
static void nsci_bb_move(const nsc_problem *p, int law, nsci_bb *a)
{
    nsc_real fall = a->g.L * nsci_bb_dot(p, a->p, a->d);
    nsc_real dNd = nsci_dot(a->d, a->Nd, p->row_count);
    nsc_real t = fall < dNd ? fall / dNd : 1;
    int i;
    for (i = 0; i < p->row_count; i++) {
        a->g.x[i] += t * a->d[i];
        a->g.Nx[i] += t * a->Nd[i];
    }
    nsci_gradient_project(p, law, a->g.x); /* only rounding can have left K */
}

/* L = |N d| / |d| in the metric; unchanged if d = 0. */
static void nsci_bb_curvature(const nsc_problem *p, nsci_bb *a)
{
    nsc_real dd = nsci_bb_dot(p, a->d, a->d);
    if (dd > 0)
        a->g.L = nsci_max(NSC_SQRT(nsci_sum_energy(p, a->Nd) / dd), a->g.least_L);
}

NSC_API int nsc_solve_bb(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_bb a;
    int it;
    int code = nsci_begin_in(&run, NSC_SOLVER_BB, nsci_bb_fits(p), p, s, NSC_LAW_CONE);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    nsci_bb_begin(p, &a);
    if (s->law == NSC_LAW_COULOMB && s->warm_start)
        nsci_gradient_shift(p, &a.g, 1);
    for (it = 0; it < s->max_iterations;) {
        nsci_bb_direction(p, s->law, &a);
        nsci_bb_move(p, s->law, &a);
        run.iterations = ++it;
        if (it % 50 == 0)
            nsci_product(p, a.g.x, a.g.Nx);
        if (nsci_gradient_check(&run, it, a.g.x, a.g.Nx, a.g.r))
            break;
        nsci_bb_curvature(p, &a);
        if (s->law == NSC_LAW_COULOMB)
            nsci_gradient_shift(p, &a.g, NSC_R(0.25));
    }
    return nsci_finish(&run, report);
}

NSCI_C_END
NSCI_BITS_END
#endif
