/* nsc_auto.h - the solver AUTO; a file of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_AUTO 1.
   Beside it: nsc_solvers.h.

   Gauss-Seidel is cheap and solves most problems.  Where it is slow - heavy bodies on light ones,
   long chains - a factor is worth its cost.  AUTO sweeps in legs of ten, each from the best iterate
   of the last.  The gain of a leg predicts the sweeps still needed.  If these exceed max_iterations
   or cost more than the reserve, the reserve takes over: the first of NEWTON, ADMM, BB, APGD that
   is compiled in, supports the law and fits the arena.  Before that, joints alone go to NEWTON, or
   to MINRES where a factor is expensive, and a few rows under PYRAMID to DANTZIG.
   Worst case: MINRES or DANTZIG, then max_iterations sweeps and as many iterations of the reserve,
   which makes no more than max_factorizations. */
#ifndef NSC_AUTO_H
#define NSC_AUTO_H

/* As nsc_solve by this solver */
NSC_API int nsc_solve_auto(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

#elif defined(NSCI_CODE) /* nsc_solvers.h includes it again */

/* Costs in sweeps of SIPGS: instructions counted on Cortex-M4F (make count), times the iterations
   that the published problems take */
#define NSCI_AUTO_LEG 10
#define NSCI_AUTO_NEWTON 300          /* 15 steps without their factors: 20 sweeps each */
#define NSCI_AUTO_NEWTON_FACTORS 15
#define NSCI_AUTO_ADMM 240            /* 60 iterations: 4 sweeps each */
#define NSCI_AUTO_ADMM_FACTORS 6
#define NSCI_AUTO_GRADIENT 900        /* 300 iterations: 3 sweeps each */
#define NSCI_AUTO_SWEEP 150  /* multiplications a block, to convert a factor's */
#define NSCI_AUTO_LINEAR 50  /* sweeps; joints alone go to MINRES if a factor costs more */
#define NSCI_AUTO_TINY 24             /* rows; up to here pivoting is faster than sweeping */

/* Multiplications of one factor: n^3/6 of a dense one; with bodies n w^2/2, w the widest span of a
   block */
static nsc_real nsci_auto_factor(const nsc_problem *p)
{
    nsc_real n = (nsc_real)(p->delassus ? p->row_count : 6 * p->body_count);
    nsc_real reach = n;
    int k, widest = 1;
    for (k = 0; !p->delassus && k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        int width = b->a < b->b ? b->b - b->a + 1 : b->a - b->b + 1;
        if (b->a > 0 && b->b > 0 && width > widest)
            widest = width;
    }
    if (!p->delassus)
        reach = (nsc_real)(6 * widest);
    return n * reach * reach / (p->delassus ? 6 : 2);
}

/* The reserve solver, 0: none; sets its cost in sweeps. */
static int nsci_auto_reserve(const nsc_problem *p, const nsc_settings *s, nsc_real *price)
{
    nsc_real factor = nsci_auto_factor(p) / (NSCI_AUTO_SWEEP * (nsc_real)p->block_count);
    *price = NSCI_AUTO_NEWTON + NSCI_AUTO_NEWTON_FACTORS * factor;
    if (NSCI_NEWTON_FITS(p))
        return NSC_SOLVER_NEWTON;
    *price = NSCI_AUTO_ADMM + NSCI_AUTO_ADMM_FACTORS * factor;
    if (NSCI_ADMM_FITS(p))
        return NSC_SOLVER_ADMM;
    *price = NSCI_AUTO_GRADIENT;
    if (s->law == NSC_LAW_PYRAMID)
        return 0;
    return NSCI_BB_FITS(p) ? NSC_SOLVER_BB : NSCI_APGD_FITS(p) ? NSC_SOLVER_APGD : 0;
}

/* The solver to try first in a special case; 0: none */
static int nsci_auto_special(const nsc_problem *p, const nsc_settings *s)
{
    int k, joints = p->row_count > 0;
    for (k = 0; k < p->block_count; k++)
        joints &= p->blocks[k].kind == NSC_BLOCK_EQUALITY;
    if (joints && NSCI_NEWTON_FITS(p) &&
        nsci_auto_factor(p) < NSCI_AUTO_LINEAR * NSCI_AUTO_SWEEP * (nsc_real)p->block_count)
        return NSC_SOLVER_NEWTON;
    if (joints && NSCI_MINRES_FITS(p))
        return NSC_SOLVER_MINRES;
    if (s->law == NSC_LAW_PYRAMID && p->row_count <= NSCI_AUTO_TINY && NSCI_DANTZIG_FITS(p))
        return NSC_SOLVER_DANTZIG;
    return 0;
}

/* Sweeps still needed at the rate of the last leg, at most `most` */
static int nsci_auto_sweeps_left(nsc_real before, nsc_real now, nsc_real tolerance, int most)
{
    nsc_real rate = now / before;
    int sweeps = 0;
    if (!(rate < 1))
        return most;
    for (; sweeps < most && now > tolerance; sweeps += NSCI_AUTO_LEG)
        now *= rate;
    return sweeps < most ? sweeps : most;
}

NSC_API int nsc_solve_auto(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsc_settings leg;
    nsc_report own;
    nsc_real price = 0, before = 0;
    int reserve;
    int left = s ? s->max_iterations : 0;
    int code = NSC_ITERATION_LIMIT;
    if (!report)
        report = &own;
    if (!nsci_is_prepared(p) || !s || nsci_bad_setting(s))
        return nsci_refuse(report, NSC_ERR_ARGUMENT);
    leg = *s;
    leg.solver = nsci_auto_special(p, s);
    if (leg.solver > 0) {
        code = nsci_solve_by(leg.solver, p, &leg, report);
        if (code == NSC_OK || code == NSC_STOPPED || code < 0 || leg.solver == NSC_SOLVER_NEWTON)
            return code;
        leg.warm_start = 1;
    }
    leg.solver = NSC_SOLVER_SIPGS;
    leg.stall_window = 0;
    reserve = nsci_auto_reserve(p, s, &price);
    while (left > 0) {
        leg.max_iterations = left < NSCI_AUTO_LEG ? left : NSCI_AUTO_LEG;
        code = nsc_solve_sipgs(p, &leg, report);
        /* Count the sweeps of all legs. */
        report->iterations =
            (int)(((unsigned)report->iterations + (unsigned)(s->max_iterations - left)) &
                  (unsigned)-1 >> 1);
        if (code != NSC_ITERATION_LIMIT)
            return code;
        left = left > NSCI_AUTO_LEG ? left - NSCI_AUTO_LEG : 0;
        leg.warm_start = 1;
        if (reserve > 0 && before > 0) {
            int more = nsci_auto_sweeps_left(before, report->residual, s->tolerance, left);
            if (more >= left || (nsc_real)more > price)
                break;
        }
        before = report->residual;
    }
    if (reserve == 0)
        return code;
    leg = *s;
    leg.solver = reserve;
    leg.warm_start = 1;
    return nsci_solve_by(reserve, p, &leg, report);
}

#define NSCI_SOLVE_AUTO nsc_solve_auto

#endif
