/* nsc_problem.h - the contact problem that a step would solve
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h. */
#ifndef NSC_PROBLEM_H
#define NSC_PROBLEM_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

NSCI_C_BEGIN

/* The contact problem of one island that nsc_world_step(world, h) would hand to the solver next, h
   [s] > 0: for another solver, or to write it down.  It is prepared: call nsc_solve_sipgs or
   another solver, with world->def.solver or settings of your own.  0 <= island < the number of
   islands in that step's report; with sub-steps or Newton's method it is the first problem of the
   step; without nsc_calls, so rows, forces and callbacks of yours are not in it; sleeping islands
   count as awake.  Body 0 of the problem is immovable, then come the
   island's dynamic bodies, then kinematic ones; velocities and impulses are in the world frame.
   The problem's arrays lie in the world's scratch: they are valid until the next call that takes a
   world that is not const.  Returns 0 or the error of that step, or NSC_ERR_ARGUMENT (problem
   NULL, island); then problem is as it was.  The world is left as it was, except for its scratch
   (nsc_world_island) and contacts of yours that deeper ones displaced.  Cost: a step without its
   solver. */
NSC_API int nsc_world_problem(nsc_world *world, nsc_real h, int island, nsc_problem *problem);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_PROBLEM_DONE)
#define NSC_PROBLEM_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* Run nsc_world_step up to the solver of one island.  The islands before are built too: they may
   use up the room for rolling friction. */
static int nsci_reach_problem(nsc_world *w, nsc_real h, int island, nsc_problem *p)
{
    nsci_scheme s = nsci_begin_scheme(w, h / (nsc_real)w->def.substeps, NULL);
    int i, k, blocks = 0, code = NSC_OK;
    nsci_hold_start(w, 0);
    for (i = 0; i < w->body_end && code == NSC_OK; i++)
        code = nsci_free_velocity(w, i, &s, w->bodies[i].asleep);
    if (code == NSC_OK)
        code = nsci_begin_step(w, h, &s);
    nsci_try_kinematic(w, &s);
    if (code == NSC_OK && island >= w->report.islands)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_ISLAND,
                            (nsc_real)w->report.islands);
    for (k = 0; k <= island && code == NSC_OK; k++) {
        nsc_island *own = &w->islands[k];
        own->first_block = (nsci_index)blocks;
        if (k < island && own->asleep)
            continue;
        for (i = 0; i < own->bodies && own->asleep && code == NSC_OK; i++)
            code = nsci_free_velocity(w, w->members[own->first_body + i], &s, 0);
        if (NSC_STEPPERS && s.mode == NSCI_NEWTON)
            nsci_begin_barrier(w, &s);
        NSCI_IF(NSC_STEPPERS, for (i = 0; s.mode == NSCI_NEWTON && i < own->bodies; i++)
                                  nsci_try_motion(w, &s, w->members[own->first_body + i]);)
        if (code == NSC_OK)
            code = nsci_build_problem(w, own, &s, 1, p);
        blocks += own->blocks;
    }
    return code;
}

NSC_API int nsc_world_problem(nsc_world *w, nsc_real h, int island, nsc_problem *problem)
{
    nsc_problem p;
    nsci_why note;
    int code = nsci_enter(w), own;
    if (code == NSC_OK && !problem)
        code = nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (code == NSC_OK && island < 0)
        code = nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_ISLAND,
                            (nsc_real)w->report.islands);
    if (code == NSC_OK)
        code = nsci_check_length(w, h);
    if (code == NSC_OK)
        code = nsci_check_barrier_shapes(w);
    if (code < 0)
        return code;
    note = w->note;
    w->note.code = NSC_OK;
    nsci_copy(&w->report_before, &w->report, sizeof w->report);
    own = w->found_count;
    nsci_begin_report(w);
    code = nsci_reach_problem(w, h, island, &p);
    nsci_hold_start(w, 1);
    nsci_copy(&w->report, &w->report_before, sizeof w->report);
    w->found_count = nsci_keep_own(w->found, own);
    nsci_free_manifolds(w);
    if (code < 0) {
        return nsci_refuse_unsolved(w, code);
    }
    w->note = note;
    *problem = p;
    return NSC_OK;
}

NSCI_C_END
NSCI_BITS_END
#endif
