/* nsc_rows.h - constraint rows of your own, for a joint that nsc does not have; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_ROWS, the most entries of nsc_calls.rows.
   Beside it: nsc.h.

   A pulley, a rack and pinion, a differential: say before each step how the velocities of two
   bodies enter, and how far off they are; examples/21_own_joint.c has both.  The world keeps
   nothing of it: the array is yours, passed to each step, and its impulses are part of your
   snapshot. */
#ifndef NSC_ROWS_H
#define NSC_ROWS_H

/* Up to three rows between two bodies.  Begin with all zeros: rows that hold both ways.  The step
   changes error[r] at u - rate[r], u = J[r] (v_a w_a v_b w_b), and draws it to 0 as the drift of
   joints (joint_recovery, joint_speed).  J is constant within a step, sub-steps included. */
struct nsc_rows {
    nsc_id body_a, body_b;       /* not the same */
    int count;                   /* rows in this step, 0..3 */
    nsc_real J[3][12];           /* (count x 12) columns v_a w_a v_b w_b: of the centres of mass,
                                    world frame.  Points at r_a, r_b from them, kept together along
                                    d: -d, -(r_a x d), d, r_b x d */
    nsc_real error[3];           /* (count) in the present poses [m], [rad] */
    nsc_real rate[3];            /* (count) u that is held instead of 0: a motor [m/s], [rad/s] */
    nsc_real stiffness[3];       /* (count) >= 0.  Where this or damping is above 0, the row is a
                                    spring: force = -stiffness error - damping (u - rate) */
    nsc_real damping[3];         /* (count) >= 0 */
    nsc_real lower[3], upper[3]; /* (count) limits of the force along the row [N], [N m], each
                                    finite or infinite, lower <= upper; both 0: none.  Where the row
                                    only pushes (lower 0), an error above 0 is a gap that may close,
                                    where it only pulls (upper 0), one below 0 */
    nsc_real impulse[3];         /* (count) of the last step, where the next begins [N s].  Written
                                    by a step that is not refused; clear it when the rows change */
};

/* Reasons for refusals (>>checks in nsc.h) */
#define NSCI_ROWS_REASONS(R) \
    R(NSCI_BAD_ROW_COUNT, "nsc_calls.row_count", "0..NSC_MAX_ROWS, and 0 where rows is NULL") \
    R(NSCI_BAD_ROWS, "nsc_rows", \
      "count 0..3; all numbers finite, but lower <= upper; stiffness, damping >= 0; " \
      "the value is the index")

#elif defined(NSCI_CODE) /* nsc.h includes it again */

static int nsci_row_count(const nsc_calls *calls) { return calls ? calls->row_count : 0; }

/* Are the numbers of row r in range? */
static int nsci_row_is_fine(const nsc_rows *p, int r)
{
    nsc_real sum = p->error[r] + p->rate[r] + p->stiffness[r] + p->damping[r] + p->impulse[r];
    int i;
    for (i = 0; i < 12; i++)
        if (!nsci_finite(p->J[r][i]))
            return 0;
    return nsci_finite(sum) && p->stiffness[r] >= 0 && p->damping[r] >= 0 &&
           p->lower[r] <= p->upper[r] && p->lower[r] < NSC_REAL_MAX && p->upper[r] > -NSC_REAL_MAX;
}

static int nsci_check_rows(nsc_world *w, const nsc_calls *calls)
{
    int i, r, fine, code, count = nsci_row_count(calls);
    if (count < 0 || count > NSC_MAX_ROWS || (count > 0 && !calls->rows))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ROW_COUNT, (nsc_real)count);
    for (i = 0; i < count; i++) {
        const nsc_rows *p = &calls->rows[i];
        code = nsci_check_ends(w, p->body_a, p->body_b);
        if (code < 0)
            return code;
        fine = p->count >= 0 && p->count <= 3;
        for (r = 0; fine && r < p->count; r++)
            fine = nsci_row_is_fine(p, r);
        if (!fine)
            return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ROWS, (nsc_real)i);
    }
    return NSC_OK;
}

static void nsci_list_rows(nsc_world *w, const nsc_calls *calls)
{
    int i;
    for (i = 0; i < nsci_row_count(calls); i++) {
        const nsc_rows *p = &calls->rows[i];
        nsci_clear(w->row_sum[i], sizeof w->row_sum[i]);
        nsci_copy(w->row_error[i], p->error, sizeof w->row_error[i]);
        if (p->count > 0 && !nsci_stays_off(w, p->body_a, p->body_b))
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

/* Bias of a rigid row that is at x, as seen from there it moves already; push, pull: its force has
   only that sign.  Where it may open, it moves to where the error is 0. */
static nsc_real nsci_row_bias(const nsc_world *w, const nsci_scheme *s, nsc_real x, nsc_real moves,
                              int push, int pull)
{
    nsc_real share = nsci_mode(s) == NSCI_VELOCITY   ? 0
                     : nsci_mode(s) >= NSCI_POSITION ? 1
                                                     : w->def.joint_recovery;
    if ((push && x > 0) || (pull && x < 0))
        return x / s->hx - moves;
    return nsci_clamp(share * x / s->hx - moves, -w->def.joint_speed, w->def.joint_speed);
}

/* Fill row r.  Returns 1 if it holds both ways without limits. */
static int nsci_fill_own_row(const nsc_world *w, const nsci_scheme *s, const nsc_rows *p, int r,
                             nsc_real x, nsc_block *k)
{
    int limited = p->lower[r] < 0 || p->lower[r] > 0 || p->upper[r] < 0 || p->upper[r] > 0;
    int soft = p->stiffness[r] > 0 || p->damping[r] > 0;
    int driven = p->rate[r] > 0 || p->rate[r] < 0;
    nsc_real moves = 0;
    nsci_copy(k->J[r], p->J[r], sizeof k->J[r]);
    k->cfm[r] = 0;
    /* At Newton's trial velocity; a motor is held at its rate, wherever that leads */
    if (nsci_mode(s) == NSCI_NEWTON && (soft || !driven)) {
        moves = nsci_row_speed(w, k, r);
        x += nsci_trial_travel(w, s, k, r);
    }
    k->lo[r] = limited ? nsci_clamp_finite(s->hf * p->lower[r]) : -NSC_REAL_MAX;
    k->hi[r] = limited ? nsci_clamp_finite(s->hf * p->upper[r]) : NSC_REAL_MAX;
    if (soft) {
        nsci_soften(w, s, k, r, p->stiffness[r], p->damping[r], x, p->rate[r], 0);
        return 0;
    }
    k->bias[r] = nsci_row_bias(w, s, x, moves, limited && p->lower[r] >= 0,
                               limited && p->upper[r] <= 0);
    if (nsci_mode(s) != NSCI_POSITION)
        k->bias[r] -= p->rate[r];
    return !limited;
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
