/* nsc_admm.h - the solver ADMM; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_admm; see nsc_calls.solve.
   Beside it: nsc_solvers.h, nsc_factor.h.

   Operator splitting (Boyd et al. 2011; Tasora's ADMM in Chrono), with the penalty beta/rho a
   block, so that cones keep their shape and masses do not matter:

       (N + beta/rho) x = -r + beta/rho (z - y),    z = P(x + y),    y = y + x - z

   x ignores the bounds and uses the factor of nsc_factor.h with G = rho/beta; z obeys them and is
   the answer.  x is over-relaxed by 1.6.  beta follows the ratio of the two residuals, |x - z| and
   beta |change of z|; it is renewed, with the factor, when off by half.  COULOMB: P projects onto
   the disc that the normal part allows; its fixed point is Coulomb's law. */
#include "nsc_solvers.h"

#ifndef NSC_ADMM_H
#define NSC_ADMM_H

/* Scratch in reals for a problem with so many bodies and rows; _MATRIX: with problem.delassus.
   Where an int has 16 bits, pass a long. */
#define NSC_ARENA_ADMM(bodies, rows) \
    (9 * (rows) + 25 * (bodies) + 3 * (bodies) * (6 * (bodies) + 1))
#define NSC_ARENA_ADMM_MATRIX(rows) (12 * (rows) + (rows) * ((rows) + 1) / 2)

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it.  Scratch: NSC_ARENA_ADMM, or _MATRIX.  Returns
   NSC_ERR_CAPACITY where NEWTON does. */
NSC_API int nsc_solve_admm(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_ADMM_DONE)
#define NSC_ADMM_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

#include "nsc_factor.h"

#define NSCI_ADMM_VECTORS 6
static int nsci_admm_fits(const nsc_problem *p) { return nsci_factor_fits(p, NSCI_ADMM_VECTORS); }
/* Sweeps of SIPGS before the first iteration: a run cut short then does not gain energy. */
#define NSCI_ADMM_SWEEPS 10
#define NSCI_ADMM_RELAX NSC_R(1.6)
#define NSCI_ADMM_ADAPT 5          /* iterations between checks of beta */
#define NSCI_ADMM_FACTOR NSC_R(1.5) /* beta is renewed when off by more */
#define NSCI_ADMM_CHANGE NSC_R(2500.0) /* square of the largest factor on beta at once */
#define NSCI_ADMM_LEAST (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-3) : NSC_R(1e-6))
#define NSCI_ADMM_MOST NSC_R(1e3)

typedef struct nsci_admm {
    nsc_problem *p;
    nsci_run *run;
    nsci_factor factor;
    nsc_real *r, *x, *z, *y, *g, *last; /* (rows); last: previous z */
    nsc_real beta;
} nsci_admm;

/* Factorise for the present beta.  0: a pivot is not positive */
static int nsci_admm_factor(nsci_admm *a)
{
    nsc_real G[6] = {0};
    NSCI_EACH_BLOCK(a->p, b) {
        G[0] = G[2] = G[5] = b->rho / a->beta;
        nsci_factor_set(&a->factor, b, G);
    }
    a->run->factorizations++;
    return nsci_factor_run(&a->factor);
}

/* Start z at the lambda in the blocks, y at the -rho u / beta of its velocity. */
static void nsci_admm_begin(nsci_admm *a, nsci_run *run)
{
    nsc_problem *p = a->p = run->problem;
    nsc_real u[3];
    int i, n = p->row_count;
    a->run = run;
    a->beta = 1;
    a->r = p->arena;
    a->x = a->r + n;
    a->z = a->x + n;
    a->y = a->z + n;
    a->g = a->y + n;
    a->last = a->g + n;
    nsci_factor_begin(&a->factor, p, a->last + n);
    nsci_get_velocities(p, p->v_free, 0, a->r);
    NSCI_EACH_BLOCK(p, b) {
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        for (i = 0; i < b->rows; i++) {
            a->z[b->row + i] = b->lambda[i];
            a->y[b->row + i] = -b->rho / a->beta * u[i];
        }
    }
}

/* x = z + d, (I + G N) d = -y - G u, with the velocities u of z */
static void nsci_admm_x(nsci_admm *a)
{
    int i;
    nsci_get_velocities(a->p, a->p->v, 1, a->g);
    NSCI_EACH_BLOCK(a->p, b) {
        for (i = b->row; i < b->row + b->rows; i++)
            a->g[i] = -a->y[i] - b->rho / a->beta * a->g[i];
    }
    nsci_factor_solve(&a->factor, a->g, a->x);
    for (i = 0; i < a->p->row_count; i++)
        a->x[i] += a->z[i];
}

static void nsci_admm_z(nsci_admm *a)
{
    nsc_real normal = 0;
    int i;
    for (i = 0; i < a->p->row_count; i++) {
        a->last[i] = a->z[i];
        a->x[i] = NSCI_ADMM_RELAX * a->x[i] + (1 - NSCI_ADMM_RELAX) * a->z[i];
        a->z[i] = a->x[i] + a->y[i];
    }
    NSCI_EACH_BLOCK(a->p, b) {
        nsc_real *z = a->z + b->row;
        for (i = 0; i < b->rows; i++)
            z[i] = b->eff_mass[i] > 0 ? z[i] : 0;
        nsci_project_law(b, a->run->law, b->kind == NSC_BLOCK_ROLLING ? normal : z[0], z);
        if (b->kind == NSC_BLOCK_CONTACT)
            normal = z[0];
        for (i = 0; i < b->rows; i++)
            b->lambda[i] = z[i];
    }
    for (i = 0; i < a->p->row_count; i++)
        a->y[i] += a->x[i] - a->z[i];
}

/* Factor for beta: the square root of the ratio of the residuals, relative to |z| and |r| */
static nsc_real nsci_admm_balance(const nsci_admm *a)
{
    nsc_real apart = 0, moved = 0, impulse = 0, speed = 0;
    int i;
    NSCI_EACH_BLOCK(a->p, b) {
        nsc_real t = b->rho > 0 ? 1 / b->rho : 0;
        for (i = b->row; i < b->row + b->rows; i++) {
            apart += t * (a->x[i] - a->z[i]) * (a->x[i] - a->z[i]);
            moved += t * (a->z[i] - a->last[i]) * (a->z[i] - a->last[i]);
            impulse += t * a->z[i] * a->z[i];
            speed += b->rho * a->r[i] * a->r[i];
        }
    }
    apart = NSC_SQRT(apart) * NSC_SQRT(speed);
    moved = a->beta * NSC_SQRT(moved) * NSC_SQRT(impulse);
    if (!(apart > 0) && !(moved > 0))
        return 1;
    return NSC_SQRT(nsci_clamp(apart / nsci_max(moved, apart / NSCI_ADMM_CHANGE),
                               1 / NSCI_ADMM_CHANGE, NSCI_ADMM_CHANGE));
}

/* Renew beta if off by NSCI_ADMM_FACTOR; y, an impulse, is rescaled to keep its velocity.  0: a
   pivot is not positive */
static int nsci_admm_adapt(nsci_admm *a)
{
    nsc_real beta = nsci_clamp(a->beta * nsci_admm_balance(a), NSCI_ADMM_LEAST, NSCI_ADMM_MOST);
    nsc_real share = a->beta / beta;
    int i;
    if (share < NSCI_ADMM_FACTOR && share * NSCI_ADMM_FACTOR > 1)
        return 1;
    a->beta = beta;
    for (i = 0; i < a->p->row_count; i++)
        a->y[i] *= share;
    return nsci_admm_factor(a);
}

NSC_API int nsc_solve_admm(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_admm a;
    nsci_defects swept;
    int i, ok;
    int room = !nsci_is_prepared(p) || nsci_admm_fits(p);
    int code = nsci_begin_in(&run, NSC_SOLVER_ADMM, room, p, s, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    for (i = 0; i < NSCI_ADMM_SWEEPS && !run.stopped; i++) {
        nsci_sipgs_sweep(p, s, 0);
        nsci_asked_to_stop(&run);
    }
    swept = nsci_residual(p, s->law);
    if (run.stopped) {
        run.iterations = i;
        nsci_note(&run, i, swept);
        return nsci_finish(&run, report);
    }
    nsci_admm_begin(&a, &run);
    ok = nsci_admm_factor(&a);
    while (ok && run.iterations < s->max_iterations) {
        run.iterations++;
        nsci_admm_x(&a);
        nsci_admm_z(&a);
        if (nsci_note(&run, run.iterations, nsci_residual(p, s->law)))
            break;
        if (run.iterations % NSCI_ADMM_ADAPT == 0 && nsci_may_factorize(&run))
            ok = nsci_admm_adapt(&a);
    }
    if (!ok)
        run.status = NSC_SINGULAR;
    return nsci_finish(&run, report);
}

NSCI_C_END
NSCI_BITS_END
#endif
