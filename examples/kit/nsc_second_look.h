/* nsc_second_look.h - falling heaps whose bodies do not overlap; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_SECOND_LOOK 1.
   Beside it: nsc.h.

   The rows of a contact hold its points and normal as they were when the step began.  An impact
   that turns a cube by 0.3 rad within the step leaves them behind, and the cubes overlap.  So after
   the solve this part looks at the poses that the new velocities lead to.  Where two shapes overlap
   there, deeper than they did by a quarter of the margin, it adds rows for the points found there,
   linearised at these poses, and solves again from the impulses that it has: at most twice.  It
   looks only at bodies whose velocity the step changes by more than the margin over h, so what
   rests or rolls on costs nothing and keeps its bits.

   In each (sub-)step, with hard contact and the default stepper; others are as without this part.
   The points that were added are among the contacts of the step: their point and normal are those
   at its end, and their impulse belongs to the sums of nsc_body_get_contact_force.  They have
   friction, no rolling friction, stiffness or cohesion.  Restitution: a pair that free motion
   closes bounces; one that the impulses of others drive together faster than bounce_speed has no
   row in this step, overlaps, and bounces in the next.  A sleeping body is immovable in the look,
   and woken by the contact in the next step.  Forces of your callback, nsc_calls.meet and contact
   are asked again.  The derivatives of nsc_derive.h leave these points out.

   Report: looks, how often the step looked at poses; ahead, points added, which are among
   contacts; unseen, sub-steps whose last solve was not looked at again.  Points without room in
   NSC_MAX_CONTACTS are counted in dropped. */
#ifndef NSC_SECOND_LOOK_H
#define NSC_SECOND_LOOK_H

/* Most solves again in a (sub-)step: an expression of yours; 0: none */
#ifndef NSC_LOOKS
#define NSC_LOOKS 2
#endif

#elif defined(NSCI_CODE) /* nsc.h includes it again */


/* An overlap that is left as it is [m] */
static nsc_real nsci_unlooked(const nsc_world *w) { return NSC_R(0.25) * w->def.margin; }

/* May the (sub-)step move a point of body a by more than that, as seen from body b?  Points are
   taken to be within twice the radius of gyration. */
static int nsci_goes_far(const nsc_world *w, const nsci_scheme *s, int a, int b)
{
    const nsc_real *va = w->v_free + 6 * a, *vb = w->v_free + 6 * b;
    nsc_real square = 0, way = nsci_unlooked(w);
    int i, k;
    for (i = 0; i < 3; i++)
        square += (va[i] - vb[i]) * (va[i] - vb[i]);
    for (k = a;; k = b) {
        const nsc_body *c = &w->bodies[k];
        const nsc_real *o = w->v_free + 6 * k + 3;
        square += 2 * c->inv_mass * (c->inertia[0] + c->inertia[1] + c->inertia[2]) * nsci_dot(o, o, 3);
        if (k == b)
            break;
    }
    return s->h * s->h * square > way * way;
}

/* Add the contact points of two shapes at the end of the sub-step, if they overlap there more than
   at its start.  gap: at the end; approach: the gap that is allowed there. */
static void nsci_look_at(nsc_world *w, const nsci_scheme *s, int low, int high, int *asked)
{
    nsci_finding *f = &w->scratch.find;
    const nsc_contact *like = NULL;
    nsc_real was = 0, deepest = 0, tolerance = nsci_unlooked(w);
    nsc_real undone;
    int i, n = nsci_collide_any(w, &f->geoms[low], &f->geoms[high], w->def.margin);
    w->report.pairs++;
    for (i = 0; i < n; i++)
        deepest = nsci_min(deepest, f->points[i].gap);
    for (i = 0; i < w->regular && deepest < -tolerance; i++) {
        const nsc_contact *c = &w->found[i];
        if (nsci_rank(c->shape_a) != low + 1 || nsci_rank(c->shape_b) != high + 1)
            continue;
        like = c;
        was = nsci_min(was, c->gap);
    }
    if (deepest > was - tolerance)
        return;
    undone = nsci_min(was + w->def.slop, 0);
    undone = nsci_max(w->def.recovery * undone * s->h / s->undo, -w->def.recovery_speed * s->h);
    for (i = 0; i < n; i++) {
        const nsci_point *p = &f->points[i];
        nsc_contact *c = &w->found[w->found_count];
        if (w->found_count == NSC_MAX_CONTACTS) {
            w->report.dropped++;
            continue;
        }
        if (like) {
            nsci_copy(c, like, sizeof *c);
        } else {
            nsci_clear(c, sizeof *c);
            nsci_mix_shapes(w, c, low, high);
            f->order[(*asked)++] = (uint16_t)w->found_count;
        }
        nsci_begin_contact(c);
        c->manifold = 0;
        NSCI_IF(NSC_SMOOTH, c->cohesion = 0;)
        c->feature = ~p->feature; /* matched by its place in the next step */
        c->point = p->point;
        c->normal = p->normal;
        c->gap = p->gap;
        c->approach = was - undone;
        w->found_count++;
    }
}

/* Find what overlaps at the end of the sub-step.  Returns 0 or an error of the caller's contact. */
static int nsci_look(nsc_world *w, const nsci_scheme *s)
{
    nsci_finding *f = &w->scratch.find;
    int i, j, n, all, asked = 0, code;
    nsci_copy(&w->kept, f, sizeof w->kept);
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_hold_body(&w->stood[i], b, 0);
        if (b->generation % 2 && b->kind != NSC_STATIC_BODY && !nsci_rests(w, i))
            nsci_move_body(w, s, i, b, w->v_free + 6 * i);
    }
    f->calls = s->calls && s->calls->meet ? s->calls : NULL;
    f->lost = 0;
    n = nsci_bound_shapes(w, 0);
    for (i = 0; i < n; i++) {
        f->strip[f->sweep[i]] = 0;
    }
    nsci_sort(w, 0, f->sweep, n);
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++) {
            int a = f->sweep[i], b = f->sweep[j];
            if (f->boxes[b].min[0] > f->boxes[a].max[0])
                break;
            if (nsci_overlap(&f->boxes[a], &f->boxes[b]) &&
                nsci_goes_far(w, s, w->shapes[a].body, w->shapes[b].body) && !w->shapes[a].def.sensor && !w->shapes[b].def.sensor && nsci_may_meet(w, a, b))
                nsci_look_at(w, s, a < b ? a : b, a < b ? b : a, &asked);
        }
    all = w->found_count;
    w->found_count = asked;
    code = nsci_ask_contacts(w, s->calls);
    w->found_count = all;
    w->report.dropped += f->lost;
    for (i = 1; i < w->body_end; i++)
        nsci_hold_body(&w->stood[i], &w->bodies[i], 1);
    nsci_copy(f, &w->kept, sizeof w->kept);
    return code;
}

#if NSC_MAX_ROWS > 0
/* Take back twice the travel that nsci_take_rows has added to the errors. */
static void nsci_unmove(nsc_world *w, const nsci_link *l, const nsci_scheme *s)
{
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    const nsc_real *v = w->scratch.solve.v;
    int r;
    for (r = 0; r < k->rows; r++)
        w->row_error[l->item][r] -= 2 * (nsci_row_travel(w, s, k, r, v + 6 * k->a, v + 6 * k->b) -
                                         s->h * s->calls->rows[l->item].rate[r]);
}
#endif

/* Has the link a block that is solved? */
static int nsci_is_solved(const nsc_world *w, const nsci_link *l)
{
    return l->block != NSCI_NOWHERE && !nsci_rests(w, l->a) && !nsci_rests(w, l->b);
}

/* Number the bodies in the blocks of all islands as in the world, or (back = 1) as in the islands.
   Returns the number of blocks; *error: the largest nsc_problem.bias_error. */
static int nsci_join_blocks(nsc_world *w, const nsci_scheme *s, int back, nsc_real *error)
{
    int i, k, n = 0;
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = &w->islands[i];
        if (own->places == 0)
            continue;
        nsci_gather_bodies(w, own, s);
        *error = nsci_max(*error, nsci_bias_error(w, own, s));
        for (k = 0; k < own->places; k++, n++) {
            nsc_block *b = &w->scratch.solve.blocks[own->first_block + k];
            if (k >= own->blocks) {
                nsci_clear(b, sizeof *b);
                b->kind = NSC_BLOCK_BOX;
                b->rows = 1;
            }
            b->a = back ? w->inner[b->a] : w->outer[b->a];
            b->b = back ? w->inner[b->b] : w->outer[b->b];
        }
    }
    return n;
}

/* Add (share = 1) or take off (-1) the impulses of all links, whose blocks have the bodies of the
   world; first: the first link that the look has added. */
static void nsci_take_all(nsc_world *w, const nsci_scheme *s, nsc_real share, int first)
{
    int i, k, joint_blocks = 0;
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = &w->islands[i];
        for (k = own->first_link; k != NSCI_NOWHERE && own->places > 0; k = w->links[k].next) {
            const nsci_link *l = &w->links[k];
            nsci_take_link *take = nsci_link_kinds[l->kind].take;
            if (take)
                take(w, l, s, share);
            NSCI_IF(NSCI_ROWS, if (share < 0 && l->kind == NSCI_ROWS_LINK) nsci_unmove(w, l, s);)
        }
        nsci_take_joints(w, own, s, share, joint_blocks);
        joint_blocks += own->joint_blocks;
    }
    for (i = first; i < w->link_count; i++)
        nsci_take_contact(w, &w->links[i], s, share);
}

/* Fill the block of a contact that the look has found.  Returns 0: it has none, as the caller wants
   no force or a spring, or as it is to bounce in the next step. */
static int nsci_fill_ahead(const nsc_world *w, const nsci_scheme *s, nsc_contact *c, nsc_block *k)
{
    const nsc_real *va, *vb;
    nsc_real u, allowed = c->approach;
    if (c->sensor || c->stiffness > 0)
        return 0;
    nsci_clear(k, sizeof *k);
    k->kind = NSC_BLOCK_CONTACT;
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    k->mu = c->friction;
    k->a = nsci_body_of(w, c->body_a);
    k->b = nsci_body_of(w, c->body_b);
    va = w->scratch.solve.v + 6 * k->a;
    vb = w->scratch.solve.v + 6 * k->b;
    nsci_contact_rows(w, c,
                      nsci_add_sv(w->bodies[k->a].position, s->h, nsci_vec(va[0], va[1], va[2])),
                      nsci_add_sv(w->bodies[k->b].position, s->h, nsci_vec(vb[0], vb[1], vb[2])), k);
    nsci_drive_belt(c, k, 1);
    u = nsci_dot12(k->J[0], va, vb);
    k->bias[0] = (c->gap - allowed) / s->h - u;
    k->hi[0] = nsci_max(k->bias[0], 0);
    c->gap -= s->h * u;
    c->approach = nsci_clamp_finite(nsci_min(nsci_row_speed(w, k, 0), u));
    if (nsci_strikes(w, c))
        k->bias[0] = nsci_min(
            k->bias[0], -nsci_bounce(c->restitution, -c->approach,
                                     c->approach - nsci_free_speed(w, k), 0, s->h));
    return 1;
}

/* Give the contacts found from `found` on their blocks, behind the n that there are, and links.
   Returns the number of blocks. */
static int nsci_link_ahead(nsc_world *w, const nsci_scheme *s, int found, int n)
{
    int i, end = w->found_count;
    w->found_count = found;
    for (i = found; i < end; i++) {
        nsc_contact *c = &w->found[w->found_count];
        if (c != &w->found[i])
            nsci_copy(c, &w->found[i], sizeof *c);
        if (!nsci_fill_ahead(w, s, c, &w->scratch.solve.blocks[n]))
            continue;
        nsci_add_link(w, NSCI_CONTACT_LINK, w->found_count++, c->body_a, c->body_b);
        w->links[w->link_count - 1].block = (uint16_t)n++;
    }
    w->report.ahead += w->found_count - found;
    return n;
}

/* Solve all islands and what the looks have found as one problem, from the impulses that they have.
   first: link of the sub-step's first contact of a look; found: the present look's first. */
static int nsci_solve_again(nsc_world *w, const nsci_scheme *s, int first, int found)
{
    nsci_solving *x = &w->scratch.solve;
    nsc_problem p;
    nsc_report r;
    nsc_island all;
    size_t size = 6 * sizeof *w->v_free * (size_t)w->body_end;
    int i, code = NSC_OK, derivatives = w->report.dropped_derivatives;
    int iterations = w->def.solver.max_iterations;
    nsci_clear(&p, sizeof p);
    nsci_clear(&all, sizeof all);
    all.bodies = (uint16_t)(w->body_end - 1);
    p.block_count = nsci_join_blocks(w, s, 0, &p.bias_error) + w->link_count - first;
    nsci_copy(x->v, w->v_free, size);
    nsci_take_all(w, s, -1, first);
    nsci_clear(x->masses, sizeof *x->masses * (size_t)w->body_end);
    for (i = 0; i < w->body_end && code >= 0; i++) {
        w->outer[i] = (uint16_t)i;
        code = nsci_free_velocity(w, i, s, nsci_rests(w, i));
        if (nsci_is_dynamic(w, i) && !nsci_rests(w, i))
            nsci_fill_mass(w, s, &w->bodies[i], &x->masses[i]);
    }
    w->report.dropped_derivatives = derivatives;
    if (code < 0)
        return code;
    nsci_copy(x->v_free, w->v_free, size);
    for (i = w->first_contact; i < first; i++) {
        const nsci_link *l = &w->links[i];
        nsc_block *k = &x->blocks[l->block];
        if (l->item >= w->regular || !nsci_is_solved(w, l))
            continue;
        nsci_apply_pull(w, &w->found[l->item], k, s);
        if (nsci_bounces(k)) /* their restitution may have been limited */
            nsci_contact_bias(w, &w->found[l->item], k, s);
    }
    p.block_count = nsci_link_ahead(w, s, found, p.block_count);
    p.body_count = w->body_end;
    p.masses = x->masses;
    p.v_free = x->v_free;
    p.v = x->v;
    p.blocks = x->blocks;
    p.stop = s->calls ? s->calls->stop : NULL;
    p.user = s->calls ? s->calls->user : NULL;
    NSCI_IF(NSC_PARALLEL, p.parallel = s->calls ? s->calls->parallel : NULL;)
    NSCI_IF(NSC_PARALLEL, p.parts = s->calls ? s->calls->parts : 1;)
    p.arena = x->arena;
    p.arena_size = NSC_ARENA;
    code = nsci_prepare(&p);
    w->def.solver.max_iterations = (iterations + 3) / 4;
    if (code >= 0)
        code = nsci_solve_impacts(w, &all, s, &p, &r);
    w->def.solver.max_iterations = iterations;
    if (code < 0)
        return code;
    nsci_note_island(w, &all, &r);
    nsci_copy(w->v_free, x->v, size);
    nsci_take_all(w, s, 1, first);
    nsci_join_blocks(w, s, 1, &p.bias_error);
    return nsci_check_motion(w, s->h);
}

/* After the last solve: move the contacts on, unless the step is over, else bring the links into
   the order of pairs. */
static void nsci_end_looks(nsc_world *w, const nsci_scheme *s, int first)
{
    int i, j;
    for (i = w->first_contact; i < w->link_count; i++) {
        nsci_link l = w->links[i];
        nsc_contact *c = &w->found[l.item];
        const nsc_block *k = &w->scratch.solve.blocks[l.block];
        const nsc_real *va = w->v_free + 6 * l.a, *vb = w->v_free + 6 * l.b;
        if (i >= first) {
            c->gap += s->h * nsci_dot12(k->J[0], va, vb);
        } else if (!nsci_is_last(s) && c - w->found < w->regular && nsci_is_solved(w, &l)) {
            c->approach = nsci_clamp_finite(nsci_dot12(k->J[0], va, vb));
            if (nsci_moves(w, s, c))
                nsci_move_contact(w, &l, s, va, vb);
            else
                c->gap += nsci_row_travel(w, s, k, 0, va, vb);
        }
        for (j = i; nsci_is_last(s) && j > w->first_contact &&
                    nsci_pair_order(c, &w->found[w->links[j - 1].item]) < 0; j--)
            w->links[j] = w->links[j - 1];
        w->links[j] = l;
    }
}

static int nsci_solve_and_look(nsc_world *w, nsc_real h, const nsci_scheme *s)
{
    nsci_scheme held = *s; /* so that contacts do not move on */
    int round, i, first, found, thrown, code;
    if (nsci_mode(s) != NSCI_LINEARIZED || nsci_is_smooth(w) || NSC_LOOKS == 0)
        return nsci_solve_substep(w, h, s);
    held.last = 1;
    code = nsci_solve_substep(w, h, &held);
    first = w->link_count;
    if (nsci_is_first(s))
        w->regular = w->found_count;
    for (round = 0; round <= NSC_LOOKS && code >= 0; round++) {
        for (i = 1, thrown = 0; i < w->body_end && !thrown; i++)
            thrown = nsci_goes_far(w, s, i, 0);
        if (!thrown)
            break;
        if (round == NSC_LOOKS) {
            w->report.unseen++;
            break;
        }
        found = w->found_count;
        w->report.looks++;
        code = nsci_look(w, s);
        if (code < 0 || w->found_count == found)
            break;
        code = nsci_solve_again(w, &held, first, found);
    }
    if (code >= 0)
        nsci_end_looks(w, s, first);
    return code;
}

#endif
