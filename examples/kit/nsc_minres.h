/* nsc_minres.h - the solver MINRES; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_minres; see nsc_calls.solve.
   Beside it: nsc_solvers.h.

   Minimal residual (Paige & Saunders 1975) for u = N lambda + r = 0 of the joints.  N is symmetric
   without negative eigenvalues; redundant rows make some 0.  For such a matrix conjugate
   residuals (Stiefel 1955; compared by Fong & Saunders 2012) give the same iterates, with the
   residual u itself, in five vectors.  The preconditioner is each block's own inverse, M = G^-1: it
   halves the iterations of M = rho, and units of length and angle do not matter.  A step minimises
   u'Mu.  Both coefficients are projections of the present vectors, so that u may be replaced by a
   recomputed one (van der Vorst & Ye 2000), which is done whenever the residual is measured. */
#include "nsc_solvers.h"

#ifndef NSC_MINRES_H
#define NSC_MINRES_H

/* Scratch in reals for a problem with so many rows; where an int has 16 bits, pass a long. */
#define NSC_ARENA_MINRES(rows) (5 * (rows))

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it.  Scratch:  NSC_ARENA_MINRES(rows).  Solves u = 0 of the
   EQUALITY blocks.  The impulses of all other blocks stay at the first guess: their lambda
   projected onto its bounds, scaled down if too large, or 0 without warm_start.  Use it where all
   blocks are EQUALITY, or after another solver to close the joints; the next step then corrects the
   contacts.  Iterations, stall_window and the best iterate consider the joints alone, the report
   and NSC_OK all blocks: solved joints beside unsolved contacts give NSC_STALLED.  So do
   contradicting rows, left with their least-squares residual, and rounding that stops progress
   above report.floor. */
NSC_API int nsc_solve_minres(nsc_problem *problem, const nsc_settings *settings,
                             nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_MINRES_DONE)
#define NSC_MINRES_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* Iteration limit.  With rounding, a mass ratio of 1e4 took three times the rows. */
#define NSCI_MINRES_MOST(rows) (4 * (rows) + 20)
static int nsci_minres_fits(const nsc_problem *p)
{
    return nsci_arena_fits(p, NSC_ARENA_MINRES(1));
}

typedef struct nsci_minres {
    int n;                  /* rows of the whole problem; entries of other blocks stay 0 */
    nsc_real *u;            /* (n) velocity of the joints' rows */
    nsc_real *d, *Nd, *MNd; /* (n) direction of lambda, N and M N times it */
    nsc_real *Nz;           /* (n) N times z = M u */
    nsc_real energy, gain;  /* u'Mu before the last step, and its fall by that step [J] */
} nsci_minres;

static int nsci_is_joint(const nsc_block *b) { return b->kind == NSC_BLOCK_EQUALITY && b->rho > 0; }

/* y = M x of one block; a row linearly dependent on earlier rows gives 0. */
static void nsci_minres_metric(const nsc_block *b, const nsc_real *x, nsc_real y[3])
{
    int i;
    nsci_solve_equality(b, b->rows, x, y);
    for (i = 0; i < 3; i++)
        y[i] = -y[i];
}

/* Nz = N z; adds u'z to energy.  The bias is left out, because a small z would be lost in its
   rounding.  p->v is the work vector. */
static void nsci_minres_product(nsc_problem *p, nsci_minres *m)
{
    const nsc_block *b;
    const nsc_block *end = p->blocks + p->block_count;
    nsc_real z[3];
    int i;
    nsci_clear(p->v, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (b = p->blocks; b < end; b++) {
        if (!nsci_is_joint(b))
            continue;
        nsci_minres_metric(b, m->u + b->row, z);
        nsci_block_apply(p, b, z, p->v);
        for (i = 0; i < b->rows; i++)
            m->Nz[b->row + i] = b->cfm[i] * z[i];
        m->energy += nsci_dot(m->u + b->row, z, b->rows);
    }
    for (b = p->blocks; b < end; b++)
        for (i = 0; nsci_is_joint(b) && i < b->rows; i++)
            m->Nz[b->row + i] += p->delassus
                                     ? p->v[b->row + i]
                                     : nsci_along_row(b, i, p->v + 6 * b->a, p->v + 6 * b->b);
}

/* Next direction d: z minus a share of the last d; makes N d M-orthogonal to the last. */
static void nsci_minres_turn(nsc_problem *p, nsci_minres *m)
{
    nsc_real z[3], share;
    nsc_real below = nsci_dot(m->Nd, m->MNd, m->n);
    int i, r;
    m->energy = 0;
    nsci_minres_product(p, m);
    share = below > 0 ? nsci_dot(m->Nz, m->MNd, m->n) / below : 0;
    NSCI_EACH_BLOCK(p, b) {
        if (!nsci_is_joint(b))
            continue;
        nsci_minres_metric(b, m->u + b->row, z);
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            m->d[r] = z[i] - share * m->d[r];
            m->Nd[r] = m->Nz[r] - share * m->Nd[r];
        }
        nsci_minres_metric(b, m->Nd + b->row, z);
        for (i = 0; i < b->rows; i++)
            m->MNd[b->row + i] = z[i];
    }
}

/* Step along d to the least u'Mu.  Returns max |u| of the updated u [m/s], which does not show the
   rounding of the velocities. */
static nsc_real nsci_minres_step(nsc_problem *p, nsci_minres *m)
{
    nsc_real below = nsci_dot(m->Nd, m->MNd, m->n);
    nsc_real along = nsci_dot(m->u, m->MNd, m->n);
    nsc_real worst = 0;
    nsc_real step = below > 0 ? along / below : 0;
    int i, r;
    NSCI_EACH_BLOCK(p, b) {
        if (!nsci_is_joint(b))
            continue;
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            b->lambda[i] -= step * m->d[r];
            m->u[r] -= step * m->Nd[r];
        }
        worst = nsci_max(worst, nsci_dot(m->u + b->row, m->u + b->row, b->rows));
    }
    m->gain = step * along;
    return NSC_SQRT(worst);
}

/* Recompute u of the joints from the lambda of all blocks.  Returns their defects. */
static nsci_defects nsci_minres_residual(nsc_problem *p, int law, nsci_minres *m)
{
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    const nsc_block *b;
    int i;
    nsci_apply_lambda(p);
    for (b = p->blocks; b < p->blocks + p->block_count && nsci_finite(d.worst); b++) {
        if (!nsci_is_joint(b))
            continue;
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        for (i = 0; i < b->rows; i++)
            m->u[b->row + i] = b->eff_mass[i] > 0 ? u[i] : 0;
        nsci_add_defect(&d, b, nsci_defect(b, law, b->lambda, u));
    }
    d.worst = NSC_SQRT(d.worst);
    return d;
}

/* Divide the arena; note the first guess again, with the defects of the joints alone. */
static void nsci_minres_begin(nsci_run *run, nsci_minres *m)
{
    nsc_problem *p = run->problem;
    int n = m->n = p->row_count;
    m->u = p->arena;
    m->d = m->u + n;
    m->Nd = m->d + n;
    m->MNd = m->Nd + n;
    m->Nz = m->MNd + n;
    nsci_clear(m->u, sizeof(nsc_real) * (size_t)NSC_ARENA_MINRES(n));
    nsci_note(run, 0, nsci_minres_residual(p, run->law, m));
    run->status = NSC_ITERATION_LIMIT;
}

/* NSC_OK of the joints becomes NSC_STALLED if the residual of the whole problem exceeds the
   tolerance. */
static int nsci_minres_finish(nsci_run *run, nsc_report *report)
{
    nsc_report own;
    int code;
    if (!report)
        report = &own;
    code = nsci_finish(run, report);
    if (code == NSC_OK && report->residual > run->tolerance)
        code = report->status = NSC_STALLED;
    return code;
}

/* Iteration limit; 0 without rows, when the arena may be NULL. */
static int nsci_minres_most(const nsc_settings *s, int rows)
{
    if (rows == 0)
        return 0;
    if (rows >= s->max_iterations || NSCI_MINRES_MOST(rows) > s->max_iterations)
        return s->max_iterations;
    return NSCI_MINRES_MOST(rows);
}

NSC_API int nsc_solve_minres(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_minres m;
    int it, most;
    int code = nsci_begin_in(&run, NSC_SOLVER_MINRES, nsci_minres_fits(p), p, s, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    most = nsci_minres_most(s, p->row_count);
    if (most > 0)
        nsci_minres_begin(&run, &m);
    for (it = 0; it < most;) {
        nsci_defects is;
        nsc_real left;
        int done;
        run.iterations = ++it;
        nsci_minres_turn(p, &m);
        run.change = left = nsci_minres_step(p, &m);
        done = left <= run.tolerance || m.gain <= NSC_REAL_EPS * m.energy;
        if (!done && it % s->check_interval != 0 && it < most && !nsci_asked_to_stop(&run)) {
            nsci_show(&run, it, -1);
            continue;
        }
        is = nsci_minres_residual(p, s->law, &m);
        if (nsci_note(&run, it, is))
            break;
        if (run.last_is_best || (!done && left > NSC_R(0.5) * is.worst))
            continue;
        run.status = NSC_STALLED; /* contradicting rows, or only rounding is left */
        break;
    }
    return nsci_minres_finish(&run, report);
}

NSCI_C_END
NSCI_BITS_END
#endif
