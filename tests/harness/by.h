/* by.h - solvers by their numbers, for tables of tests.  Include it after nsc_solvers.h or nsc.h, and after the files of the
   solvers that the test names. */
#ifndef NSC_TEST_BY_H
#define NSC_TEST_BY_H

/* The function of NSC_SOLVER_*, NULL: there is none in this build */
static NSC_MAYBE_UNUSED nsc_solver *solver_of(int number)
{
    switch (number) {
    case NSC_SOLVER_SIPGS: return nsc_solve_sipgs;
    case NSC_SOLVER_APGD: return nsc_solve_apgd;
    case NSC_SOLVER_DANTZIG: return nsc_solve_dantzig;
#ifdef NSC_BB_H
    case NSC_SOLVER_BB: return nsc_solve_bb;
#endif
#ifdef NSC_MINRES_H
    case NSC_SOLVER_MINRES: return nsc_solve_minres;
#endif
#ifdef NSC_ADMM_H
    case NSC_SOLVER_ADMM: return nsc_solve_admm;
#endif
#ifdef NSC_NEWTON_H
    case NSC_SOLVER_NEWTON: return nsc_solve_newton;
#endif
#ifdef NSC_AUTO_H
    case NSC_SOLVER_AUTO: return nsc_solve_auto;
#endif
#ifdef NSC_TREE_H
    case NSC_SOLVER_TREE: return nsc_solve_tree;
#endif
    default: return NULL;
    }
}

/* What solve_by solves with; default_settings sets it to SIPGS. */
static NSC_MAYBE_UNUSED int solved_by = NSC_SOLVER_SIPGS;

static NSC_MAYBE_UNUSED nsc_settings default_settings(void)
{
    solved_by = NSC_SOLVER_SIPGS;
    return nsc_default_settings();
}

static NSC_MAYBE_UNUSED int solve_by(nsc_problem *p, const nsc_settings *s, nsc_report *r)
{
    return solver_of(solved_by)(p, s, r);
}

#ifdef NSC_NONSMOOTH_CONTACT_H
/* What step_by steps with; default_def sets it to SIPGS. */
static NSC_MAYBE_UNUSED int stepped_by = NSC_SOLVER_SIPGS;

static NSC_MAYBE_UNUSED nsc_world_def default_def(void)
{
    stepped_by = NSC_SOLVER_SIPGS;
    return nsc_default_world_def();
}

/* After a step that says it went well no body is at NaN or infinity, turned by it, or moves so: a test that keeps the largest of
   what it sees by fmax or > would not see a NaN. */
static NSC_MAYBE_UNUSED int all_is_finite(const nsc_world *w)
{
    int i, k;
    for (i = 0; i < w->body_end; i++) {
        const nsc_body *b = &w->bodies[i];
        const nsc_real of[13] = {b->position.x, b->position.y, b->position.z, b->velocity.x, b->velocity.y, b->velocity.z,
                                 b->orientation.w, b->orientation.x, b->orientation.y, b->orientation.z,
                                 b->angular_velocity.x, b->angular_velocity.y, b->angular_velocity.z};
        for (k = 0; k < 13; k++)
            if (!(of[k] - of[k] <= 0)) return 0;
    }
    return 1;
}

/* nsc_world_step_with, where calls may be NULL */
static NSC_MAYBE_UNUSED int step_by_with(nsc_world *w, nsc_real length, const nsc_calls *calls)
{
    nsc_calls own;
    int code;
    memset(&own, 0, sizeof own);
    if (calls) own = *calls;
    own.solve = solver_of(stepped_by);
    code = nsc_world_step_with(w, length, &own);
#ifdef NSC_TEST_H
    if (code >= 0) CHECK_ONCE(all_is_finite(w));
#endif
    return code;
}

static NSC_MAYBE_UNUSED int step_by(nsc_world *w, nsc_real length) { return step_by_with(w, length, NULL); }

static NSC_MAYBE_UNUSED int step_by_until(nsc_world *w, nsc_real length, int (*stop)(void *user), void *user)
{
    nsc_calls calls;
    memset(&calls, 0, sizeof calls);
    calls.stop = stop, calls.user = user;
    return step_by_with(w, length, &calls);
}
#endif

/* M^-1 J' of row i of a block: (12) velocity changes of its bodies per unit impulse */
static NSC_MAYBE_UNUSED void response(const nsc_problem *p, const nsc_block *k, int i, nsc_real *y)
{
    nsc_real J[12];
    int side;
    nsc_block_row(k, i, J);
    for (side = 0; side < 2; side++, y += 6) {
        const nsc_mass *m = &p->masses[side ? k->b : k->a];
        const nsc_real *x = J + 6 * side, *I = m->inv_inertia;
        y[0] = m->inv_mass * x[0], y[1] = m->inv_mass * x[1], y[2] = m->inv_mass * x[2];
        y[3] = I[0] * x[3] + I[3] * x[4] + I[4] * x[5];
        y[4] = I[3] * x[3] + I[1] * x[4] + I[5] * x[5];
        y[5] = I[4] * x[3] + I[5] * x[4] + I[2] * x[5];
    }
}

#endif
