/* nsc_rows.h - constraint rows of your own, for a joint that nsc does not have; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_ROWS, the most entries of nsc_calls.rows.
   Beside it: nsc.h.

   A pulley, a rack and pinion, a differential: say before each step how the velocities of two
   bodies enter, and how far off they are; examples/21_own_joint.c is a hoist.  The world keeps
   nothing of it: the array is yours, passed to each step, and its impulses are part of your
   snapshot.  Two bodies with rows between them still collide.  Rows wake nothing: call
   nsc_body_wake where you add, drop or change them; those of a sleeping island are not solved, and
   keep their impulse. */
#ifndef NSC_ROWS_H
#define NSC_ROWS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MAX_ROWS > 0 before nsc.h, which then includes nsc_rows.h"
#endif

NSCI_REQUIRE(NSC_MAX_ROWS_is_0_to_10000, NSC_MAX_ROWS >= 0 && NSC_MAX_ROWS <= 10000);

/* Up to three rows between two bodies.  Begin with all zeros: rows that hold both ways.  The step
   changes error[r] at u - rate[r], u = J[r] (v_a w_a v_b w_b), and draws it to 0 as the drift of
   joints (joint_recovery, joint_speed).  J is constant within a step, in its sub-steps and Newton's
   iterations too: on a curved path that leaves a drift of order h^2 a step, which joints do not
   have.  A step is refused with NSC_ERR_HANDLE once a body of rows in use is gone, with
   NSC_ERR_ARGUMENT for a number out of range, and as for joints where HHT, NEWMARK or EULER_FORWARD
   cannot have the row: NSC_ERR_STEPPER_CONTACT, NSC_ERR_STEPPER_JOINTS. */
struct nsc_rows {
    nsc_id body_a, body_b;       /* not the same */
    int count;                   /* rows in this step, 0..3; 0: not looked at */
    nsc_real J[3][12];           /* (count x 12) columns v_a w_a v_b w_b: of the centres of mass,
                                    world frame.  Points at r_a, r_b from them, kept together along
                                    d: -d, -(r_a x d), d, r_b x d */
    nsc_real error[3];           /* (count) in the present poses [m], [rad] */
    nsc_real rate[3];            /* (count) u that is held instead of 0: a motor [m/s], [rad/s] */
    nsc_real stiffness[3];       /* (count) >= 0.  Where this or damping is above 0, the row is a
                                    spring: force = -stiffness error - damping (u - rate) */
    nsc_real damping[3];         /* (count) >= 0 */
    int limited[3];              /* (count) 1: lower and upper count; 0: the row holds both ways */
    nsc_real lower[3], upper[3]; /* (count) limits of the force along the row [N], [N m], each
                                    finite or infinite, lower <= upper.  Where the row only pushes
                                    (lower >= 0), an error above 0 is a gap that may close, where it
                                    only pulls (upper <= 0), one below 0 */
    nsc_real impulse[3];         /* (count) of the last step, where the next begins [N s].  Written
                                    by a step that is not refused; clear it when the rows change */
};

/* Reasons for refusals (>>checks in nsc.h) */
#define NSCI_ROWS_REASONS(R) \
    R(NSCI_BAD_ROW_COUNT, "nsc_calls.row_count", "0..NSC_MAX_ROWS, and 0 where rows is NULL") \
    R(NSCI_BAD_ROWS, "nsc_rows", \
      "count 0..3; all numbers finite; stiffness, damping >= 0; limited 0 or 1, then " \
      "lower <= upper; the value is the index") \
    R(NSCI_ROW_LIMIT_STEPPER, "nsc_rows.limited", \
      "no rigid row that only pushes or pulls with HHT, NEWMARK or EULER_FORWARD; the value is " \
      "the index") \
    R(NSCI_ROW_STEPPER, "nsc_rows", \
      "no rigid row with NEWMARK at gamma = 1/2, or HHT at alpha = 0; the value is the index")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static int nsci_check_rows(nsc_world *w, const nsc_calls *calls);
static void nsci_list_rows(nsc_world *w, const nsc_calls *calls);
static int nsci_fill_rows_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                               nsc_real scale, nsc_block *k);
static void nsci_take_rows(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                           nsc_real share);
NSC_MAYBE_UNUSED static void nsci_move_rows(nsc_world *w, const nsci_link *l,
                                            const nsci_scheme *s);
static void nsci_store_rows(nsc_world *w, nsc_real h, const nsc_calls *calls);

#elif defined(NSCI_CODE) /* and again */

static int nsci_row_count(const nsc_calls *calls) { return calls ? calls->row_count : 0; }

/* Are the numbers of row r in range? */
static int nsci_row_is_fine(const nsc_rows *p, int r)
{
    int limits = p->lower[r] <= p->upper[r] && p->lower[r] <= NSC_REAL_MAX &&
                 p->upper[r] >= -NSC_REAL_MAX;
    return nsci_all_finite(p->J[r], 12) && nsci_finite(p->error[r]) && nsci_finite(p->rate[r]) &&
           nsci_finite(p->impulse[r]) && nsci_finite(p->stiffness[r]) && p->stiffness[r] >= 0 &&
           nsci_finite(p->damping[r]) && p->damping[r] >= 0 &&
           (p->limited[r] == 0 || (p->limited[r] == 1 && limits));
}

static int nsci_row_is_soft(const nsc_rows *p, int r)
{
    return p->stiffness[r] > 0 || p->damping[r] > 0;
}
static int nsci_row_pushes(const nsc_rows *p, int r) { return p->limited[r] && p->lower[r] >= 0; }
static int nsci_row_pulls(const nsc_rows *p, int r) { return p->limited[r] && p->upper[r] <= 0; }

/* Can the stepper handle the row?  The answers are those for joints. */
static int nsci_check_row_stepper(nsc_world *w, const nsc_rows *p, int r, int index)
{
    const nsc_world_def *d = &w->def;
    if (nsci_row_is_soft(p, r))
        return NSC_OK;
    if ((nsci_is_newmark(d) || d->stepper == NSC_STEPPER_EULER_FORWARD) &&
        (nsci_row_pushes(p, r) || nsci_row_pulls(p, r)))
        return nsci_refused(&w->note, NSC_ERR_STEPPER_CONTACT, NSCI_ROW_LIMIT_STEPPER,
                            (nsc_real)index);
    if (nsci_is_trapezoidal(d) && !p->limited[r])
        return nsci_refused(&w->note, NSC_ERR_STEPPER_JOINTS, NSCI_ROW_STEPPER, (nsc_real)index);
    return NSC_OK;
}

static int nsci_check_rows(nsc_world *w, const nsc_calls *calls)
{
    int i, r, fine, code = NSC_OK, count = nsci_row_count(calls);
    if (count < 0 || count > NSC_MAX_ROWS || (count > 0 && !calls->rows))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ROW_COUNT, (nsc_real)count);
    for (i = 0; i < count; i++) {
        const nsc_rows *p = &calls->rows[i];
        if (p->count == 0)
            continue;
        fine = p->count > 0 && p->count <= 3;
        for (r = 0; fine && r < p->count; r++)
            fine = nsci_row_is_fine(p, r);
        if (!fine)
            return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ROWS, (nsc_real)i);
        code = nsci_check_ends(w, p->body_a, p->body_b);
        for (r = 0; r < p->count && code == NSC_OK; r++)
            code = nsci_check_row_stepper(w, p, r, i);
        if (code < 0)
            return code;
    }
    return NSC_OK;
}

static void nsci_list_rows(nsc_world *w, const nsc_calls *calls)
{
    int i;
    for (i = 0; i < nsci_row_count(calls); i++) {
        const nsc_rows *p = &calls->rows[i];
        if (p->count == 0)
            continue;
        nsci_clear(w->row_sum[i], sizeof w->row_sum[i]);
        nsci_copy(w->row_error[i], p->error, sizeof w->row_error[i]);
        if (!nsci_stays_off(w, p->body_a, p->body_b))
            nsci_add_link(w, NSCI_ROWS_LINK, i, p->body_a, p->body_b);
    }
}

/* Travel since the step began, of Newton's trial velocity */
static nsc_real nsci_trial_travel(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                  int r)
{
    nsc_real v[12];
    nsci_velocity_of(&w->bodies[w->outer[k->a]], v);
    nsci_velocity_of(&w->bodies[w->outer[k->b]], v + 6);
    return nsci_row_travel(w, s, k, r, v, v + 6);
}

/* Bias of rigid row r.  x: its error; moves: its speed at Newton's trial velocity, of which x has
   the travel.  Where the row may open, it moves to where the error is 0. */
static nsc_real nsci_row_bias(const nsc_world *w, const nsci_scheme *s, const nsc_rows *p, int r,
                              nsc_real x, nsc_real moves)
{
    nsc_real undo = nsci_mode(s) == NSCI_VELOCITY   ? 0
                    : nsci_mode(s) >= NSCI_POSITION ? x / s->hx
                                                    : w->def.joint_recovery * x / s->undo;
    if ((nsci_row_pushes(p, r) && x > 0) || (nsci_row_pulls(p, r) && x < 0))
        return x / s->hx - moves;
    return nsci_clamp(undo - moves, -w->def.joint_speed, w->def.joint_speed);
}

/* Fill row r.  Returns 1 if it holds both ways without limits. */
static int nsci_fill_own_row(const nsc_world *w, const nsci_scheme *s, const nsc_rows *p, int r,
                             nsc_real x, nsc_block *k)
{
    int limited = p->limited[r];
    int soft = nsci_row_is_soft(p, r);
    int driven = p->rate[r] > 0 || p->rate[r] < 0;
    nsc_real moves = 0;
    nsci_copy(k->J[r], p->J[r], sizeof k->J[r]);
    k->cfm[r] = 0;
    /* A motor's work counts like that of forces: it has limits, if only the largest. */
    k->lo[r] = driven ? -NSC_REAL_MAX / 2 : -NSC_REAL_MAX;
    k->hi[r] = -k->lo[r];
    if (limited) {
        k->lo[r] = nsci_clamp_finite(s->hf * p->lower[r]);
        k->hi[r] = nsci_clamp_finite(s->hf * p->upper[r]);
    }
    /* At Newton's trial velocity; a motor is held at its rate, wherever that leads */
    if (nsci_mode(s) == NSCI_NEWTON && (soft || !driven)) {
        moves = nsci_row_speed(w, k, r);
        x += nsci_trial_travel(w, s, k, r);
    }
    if (soft) { /* At the end of the step the target has moved on. */
        x -= nsci_mode(s) == NSCI_EXPLICIT ? 0 : s->h * p->rate[r];
        nsci_soften(w, s, k, r, p->stiffness[r], p->damping[r], x, p->rate[r], 0);
        return 0;
    }
    if (nsci_mode(s) == NSCI_POSITION && limited && p->lower[r] < 0 && p->upper[r] > 0) {
        nsci_give(k, r, 0); /* a motor or brake has done what it could */
        return 0;
    }
    k->bias[r] = nsci_row_bias(w, s, p, r, x, moves);
    if (driven)
        k->bias[r] = nsci_mode(s) == NSCI_POSITION ? 0 : k->bias[r] - p->rate[r];
    return !limited && !driven;
}

static int nsci_fill_rows_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                               nsc_real scale, nsc_block *k)
{
    const nsc_rows *p = &s->calls->rows[l->item];
    int r, rigid = 1;
    (void)first;
    k->a = nsci_inner_of(w, l->a);
    k->b = nsci_inner_of(w, l->b);
    k->rows = (unsigned char)p->count;
    k->form = NSC_ROWS_ANY;
    k->mu = 0;
    for (r = 0; r < p->count; r++) {
        if (scale >= 0)
            k->lambda[r] = scale * p->impulse[r];
        rigid &= nsci_fill_own_row(w, s, p, r, w->row_error[l->item][r], k);
    }
    k->kind = rigid ? NSC_BLOCK_EQUALITY : NSC_BLOCK_BOX;
    return 1;
}

/* Add the impulses; carry the errors on to the next solve. */
static void nsci_take_rows(nsc_world *w, const nsci_link *l, const nsci_scheme *s, nsc_real share)
{
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    const nsc_rows *p = &s->calls->rows[l->item];
    const nsc_real *v = w->scratch.solve.v;
    int r;
    for (r = 0; r < k->rows; r++) {
        w->row_sum[l->item][r] += share * k->lambda[r];
        w->row_error[l->item][r] +=
            nsci_row_travel(w, s, k, r, v + 6 * k->a, v + 6 * k->b) - s->h * p->rate[r];
    }
}

/* Carry the errors on where the second solve of EULER_IMPLICIT_PROJECTED has moved the bodies. */
NSC_MAYBE_UNUSED static void nsci_move_rows(nsc_world *w, const nsci_link *l, const nsci_scheme *s)
{
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    const nsc_real *v = w->scratch.solve.v;
    int r;
    for (r = 0; r < k->rows; r++)
        w->row_error[l->item][r] += s->h * nsci_along_row(k, r, v + 6 * k->a, v + 6 * k->b);
}

/* Hand the impulses of the step back; rows of a sleeping island keep their force. */
static void nsci_store_rows(nsc_world *w, nsc_real h, const nsc_calls *calls)
{
    nsc_real scale = w->last_h > 0 ? h / w->last_h : 1;
    int i, r;
    for (i = 0; i < nsci_row_count(calls); i++) {
        nsc_rows *p = &calls->rows[i];
        int rests = nsci_rests(w, nsci_body_of(w, p->body_a)) ||
                    nsci_rests(w, nsci_body_of(w, p->body_b));
        for (r = 0; r < p->count; r++)
            p->impulse[r] =
                nsci_clamp_finite(rests ? scale * p->impulse[r] : w->row_sum[i][r]);
    }
}

#endif
