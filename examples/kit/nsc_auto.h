/* nsc_auto.h - the solver AUTO; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it before nsc.h, also where NSC_IMPLEMENTATION is defined, and name
   nsc_solve_auto; see nsc_calls.solve.
   Beside it: nsc_solvers.h, nsc_newton.h, nsc_factor.h.

   Gauss-Seidel is cheap and solves most problems.  Where it is slow - heavy bodies on light ones,
   long chains - a factor is worth its cost.  AUTO sweeps in legs of ten, each from the best iterate
   of the last.  The gain of a leg predicts the sweeps still needed.  If these exceed max_iterations
   or cost more than the reserve, the reserve takes over: the first of its list that takes the law
   and fits the arena.  Before that, a problem with joints goes to TREE; joints alone to NEWTON, or
   to MINRES where a factor is expensive; and a few rows under PYRAMID to DANTZIG, if these are in
   the list and fit.

   Where a factor costs more than 50 sweeps, as in a dense matrix of more than 100 contacts, no
   prediction is trusted with so much work.  There sweeps and reserve take turns: the reserve has
   done at most twice the work of the sweeps until these are used up, so AUTO costs about three
   times SIPGS at most where SIPGS would have been done in max_iterations.  The reserve's first turn
   is 16 factors, each further one 16 more than all before it.
   Worst case: TREE, MINRES or DANTZIG, then max_iterations sweeps and as many iterations of the
   reserve, which makes no more than max_factorizations in all its turns. */
#include "nsc_solvers.h"

#ifndef NSC_AUTO_H
#define NSC_AUTO_H

/* The solvers that AUTO may take beside SIPGS, the best first; by default NEWTON.  TREE's impulses
   may be off by more than its velocities, as its report.floor says.  Every solver:
       #include "nsc_newton.h"              and nsc_admm.h, nsc_bb.h, nsc_minres.h, nsc_tree.h
       #define NSC_AUTO_LIST NSC_AUTO_TREE, NSC_AUTO_NEWTON, NSC_AUTO_ADMM, NSC_AUTO_BB, \
                             NSC_AUTO_APGD, NSC_AUTO_MINRES, NSC_AUTO_DANTZIG */
#ifndef NSC_AUTO_LIST
#include "nsc_newton.h"
#define NSC_AUTO_LIST NSC_AUTO_NEWTON
#endif

NSCI_C_BEGIN

/* A solver as nsc_solvers.h describes it.  Scratch: any size, or NULL. */
NSC_API int nsc_solve_auto(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_AUTO_DONE)
#define NSC_AUTO_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* One solver of the list */
typedef struct nsci_reserve {
    nsc_solver *solve;
    int (*fits)(const nsc_problem *p); /* does the arena hold its vectors? */
    int for_what;                      /* a sum of NSCI_FOR_* */
    int last_law;                      /* it takes the laws up to this one */
    int sweeps, factors;               /* cost: so many sweeps of SIPGS, and factors */
} nsci_reserve;
/* Where Gauss-Seidel is slow; joints alone; a few rows under PYRAMID; some joints */
enum { NSCI_FOR_SLOW = 1, NSCI_FOR_JOINTS = 2, NSCI_FOR_TINY = 4, NSCI_FOR_TREES = 8 };

/* Costs in sweeps of SIPGS: instructions counted on Cortex-M4F (make count), times the iterations
   that the published problems take; those of NEWTON without its factors */
#define NSC_AUTO_NEWTON /* 15 steps */ \
    {nsc_solve_newton, nsci_newton_fits, NSCI_FOR_SLOW | NSCI_FOR_JOINTS, NSC_LAW_PYRAMID, 300, 15}
#define NSC_AUTO_ADMM /* 60 iterations */ \
    {nsc_solve_admm, nsci_admm_fits, NSCI_FOR_SLOW, NSC_LAW_PYRAMID, 240, 6}
#define NSC_AUTO_BB /* 300 iterations */ \
    {nsc_solve_bb, nsci_bb_fits, NSCI_FOR_SLOW, NSC_LAW_CONE, 900, 0}
#define NSC_AUTO_APGD {nsc_solve_apgd, nsci_apgd_fits, NSCI_FOR_SLOW, NSC_LAW_CONE, 900, 0}
#define NSC_AUTO_MINRES {nsc_solve_minres, nsci_minres_fits, NSCI_FOR_JOINTS, NSC_LAW_PYRAMID, 0, 0}
#define NSC_AUTO_TREE {nsc_solve_tree, nsci_tree_may_fit, NSCI_FOR_TREES, NSC_LAW_PYRAMID, 0, 0}
#define NSC_AUTO_DANTZIG \
    {nsc_solve_dantzig, nsci_dantzig_fits, NSCI_FOR_TINY, NSC_LAW_PYRAMID, 0, 0}
#define NSCI_AUTO_LEG 10
#define NSCI_AUTO_SWEEP 150  /* multiplications a block, to convert a factor's */
#define NSCI_AUTO_DEAR 50    /* sweeps; joints alone go to MINRES if a factor costs more */
#define NSCI_AUTO_TURN 16    /* factors of the first turn, where they are dear */
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

/* Sweeps that a factor of this problem costs; a sweep over a dense matrix reads all of it */
static nsc_real nsci_auto_factor_sweeps(const nsc_problem *p)
{
    nsc_real n = (nsc_real)(p->delassus ? p->row_count : 0);
    return nsci_auto_factor(p) / (NSCI_AUTO_SWEEP * (nsc_real)p->block_count + n * n);
}

static const nsci_reserve nsci_auto_list[] = {NSC_AUTO_LIST};

/* The first of the list for that, NULL: none.  Joints alone get no factor that is dear. */
static const nsci_reserve *nsci_auto_find(const nsc_problem *p, const nsc_settings *s, int for_what)
{
    const nsci_reserve *r = nsci_auto_list;
    const nsci_reserve *end = r + sizeof nsci_auto_list / sizeof *r;
    for (; r < end; r++) {
        if (!(r->for_what & for_what) || s->law > r->last_law || !r->fits(p))
            continue;
        if (for_what != NSCI_FOR_JOINTS || r->factors == 0 ||
            nsci_auto_factor_sweeps(p) < NSCI_AUTO_DEAR)
            return r;
    }
    return NULL;
}

/* The solver to try first in a special case; NULL: none.  trees: TREE too */
static const nsci_reserve *nsci_auto_special(const nsc_problem *p, const nsc_settings *s, int trees)
{
    const nsci_reserve *r = NULL;
    int k, some = 0, joints = p->row_count > 0;
    for (k = 0; k < p->block_count; k++) {
        joints &= p->blocks[k].kind == NSC_BLOCK_EQUALITY;
        some |= p->blocks[k].kind == NSC_BLOCK_EQUALITY;
    }
    if (some && trees)
        r = nsci_auto_find(p, s, NSCI_FOR_TREES);
    if (!r && joints)
        r = nsci_auto_find(p, s, NSCI_FOR_JOINTS);
    if (!r && s->law == NSC_LAW_PYRAMID && p->row_count <= NSCI_AUTO_TINY)
        r = nsci_auto_find(p, s, NSCI_FOR_TINY);
    return r;
}

/* Two counts, together; no overflow, whatever a solver of the list reports */
static int nsci_auto_sum(int a, int b)
{
    return (int)(((unsigned)a + (unsigned)b) & (unsigned)-1 >> 1);
}

/* Sweeps still needed, at most `most`, at the rate of the last leg of so many */
static int nsci_auto_sweeps_left(nsc_real before, nsc_real now, nsc_real tolerance, int leg,
                                 int most)
{
    nsc_real rate = now / before;
    int sweeps = 0;
    if (!(rate < 1))
        return most;
    while (now > tolerance) {
        if (most - sweeps <= leg)
            return most;
        sweeps = nsci_auto_sum(sweeps, leg);
        now *= rate;
    }
    return sweeps;
}

/* A turn of the reserve from the lambda in the blocks, that makes at most so many factors; made
   counts those of all turns. */
static int nsci_auto_turn(const nsci_reserve *reserve, nsc_problem *p, const nsc_settings *s,
                          int factors, int *made, nsc_report *report)
{
    nsc_settings turn = *s;
    int code;
    turn.warm_start = 1;
    turn.max_factorizations = factors;
    code = reserve->solve(p, &turn, report);
    *made = nsci_auto_sum(*made, report->factorizations);
    report->factorizations = *made;
    return code;
}

static int nsci_auto_run(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsc_settings leg = *s;
    nsc_real price = 0, before = 0, share = 0;
    const nsci_reserve *reserve = nsci_auto_special(p, s, 1);
    int left = s->max_iterations;
    int made = 0; /* factors of all turns */
    int code = NSC_ITERATION_LIMIT;
    if (reserve) {
        code = reserve->solve(p, &leg, report);
        if (code == NSC_ERR_CAPACITY) { /* TREE may find out only when it begins */
            reserve = nsci_auto_special(p, s, 0);
            code = reserve ? reserve->solve(p, &leg, report) : code;
        }
        if (code == NSC_OK || code == NSC_STOPPED || (code < 0 && code != NSC_ERR_CAPACITY))
            return code;
        if (reserve && (reserve->for_what & NSCI_FOR_SLOW))
            return code; /* it would be the reserve, too */
        if (code != NSC_ERR_CAPACITY)
            leg.warm_start = 1;
    }
    leg.stall_window = 0;
    reserve = nsci_auto_find(p, s, NSCI_FOR_SLOW);
    if (reserve)
        price = (nsc_real)reserve->sweeps + (nsc_real)reserve->factors * nsci_auto_factor_sweeps(p);
    if (reserve && reserve->factors > 0 && nsci_auto_factor_sweeps(p) > NSCI_AUTO_DEAR)
        share = 2 * (nsc_real)reserve->factors / price; /* factors for the work of two sweeps */
    while (left > 0) {
        int done = s->max_iterations - left;
        int length = share > 0 && done > NSCI_AUTO_LEG ? done : NSCI_AUTO_LEG;
        leg.max_iterations = left < length ? left : length;
        code = nsc_solve_sipgs(p, &leg, report);
        report->iterations = nsci_auto_sum(report->iterations, done); /* sweeps of all legs */
        report->factorizations = made;
        if (code != NSC_ITERATION_LIMIT)
            return code;
        left -= leg.max_iterations;
        leg.warm_start = 1;
        if (reserve && before > 0 && left > 0) {
            int more = nsci_auto_sweeps_left(before, report->residual, s->tolerance,
                                             leg.max_iterations, left);
            int slow = more >= left || (nsc_real)more > price;
            if (slow && share <= 0)
                break;
            if (slow && made < (s->max_factorizations - NSCI_AUTO_TURN) / 2 &&
                share * (nsc_real)report->iterations >= (nsc_real)(2 * made + NSCI_AUTO_TURN)) {
                code = nsci_auto_turn(reserve, p, s, made + NSCI_AUTO_TURN, &made, report);
                if (code != NSC_ITERATION_LIMIT)
                    return code;
                before = 0;
                continue;
            }
        }
        before = report->residual;
    }
    if (!reserve || made >= s->max_factorizations)
        return code;
    return nsci_auto_turn(reserve, p, s, s->max_factorizations - made, &made, report);
}

NSC_API int nsc_solve_auto(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsc_report own;
    if (!nsci_is_prepared(p) || !s || nsci_bad_setting(s))
        return nsci_refuse(report, NSC_ERR_ARGUMENT);
    return nsci_auto_run(p, s, report ? report : &own);
}

NSCI_C_END
NSCI_BITS_END
#endif
