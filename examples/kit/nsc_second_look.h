/* nsc_second_look.h - falling heaps whose bodies do not overlap; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_SECOND_LOOK 1.
   Beside it: nsc.h.

   The rows of a contact hold its points and normal as they were when the step began.  An impact
   that turns a cube by 0.3 rad within the step leaves them behind, and the cubes overlap.  So after
   the solve this part looks at the poses that the new velocities lead to.  Where two shapes overlap
   there deeper than they did, by a quarter of nsc_world_def.margin, it adds rows for the points
   found there, linearised at these poses, and solves the islands that these touch again, from the
   impulses that they have: at most four times (NSC_LOOKS), with 8 iterations and an eighth of
   max_iterations.  It looks only at pairs that move on each other by a quarter of the margin in the
   step: what rests costs a few instructions a body and keeps its bits.

   In each (sub-)step, with hard contact and the default stepper; others are as without this part.
   Points that were added are among the contacts of the step, with point and normal as they are at
   its end, or, of two bodies that go past each other within the step, when they met; and
   nsc_body_get_contact_force has their impulse.  They have friction and restitution,
   no rolling friction or cohesion; a pair with stiffness gets none.  What impulses of others drive
   together bounces in the same step.  No row makes energy: what has to separate is limited as
   bounces are (nsc_world_report()->limited_bounces).  A sleeping body is immovable in the look,
   and woken by the contact of the next step.  Forces of your callback, nsc_calls.meet and contact
   are asked again.  nsc_derive.h, nsc_problem.h and nsc_bound.h know nothing of a second look.

   Left: an overlap of 1 cm or more in at most 0.1 % of the steps of a heap of 0.2 m cubes, hulls,
   capsules or cylinders at 60 Hz, falling or thrown at 10 m/s, on any floor, and 0.3 % with
   restitution; up to 6 cm, where a capsule's own turn drives it into the ground.  0.4 % at 30 Hz.

   Report: looks, how often the step looked; ahead, points added, which are among contacts; unseen,
   sub-steps whose last solve was not looked at.  Points without room in NSC_MAX_CONTACTS are
   counted in dropped.  53 bytes a body, and the scratch for finding contacts once more.  A look
   tests all pairs of boxes, with nsc_strips.h those of its strips, and adds the same points in the
   same order.  It does not know nsc_seams.h. */
#ifndef NSC_SECOND_LOOK_H
#define NSC_SECOND_LOOK_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_SECOND_LOOK 1 before nsc.h, which then includes nsc_second_look.h"
#endif

/* Most solves again in a (sub-)step: an expression of yours; 0: none */
#ifndef NSC_LOOKS
#define NSC_LOOKS 4
#endif

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static int nsci_solve_and_look(nsc_world *w, nsc_real h, const nsci_scheme *s);

#elif defined(NSCI_CODE) /* and again */

/* An overlap that is left as it is [m] */
static nsc_real nsci_unlooked(const nsc_world *w) { return NSC_R(0.25) * w->def.margin; }

/* Square of the speed of a body's points by its turning, at twice the radius of gyration */
static nsc_real nsci_turn_square(const nsc_world *w, int i)
{
    const nsc_body *b = &w->bodies[i];
    const nsc_real *o = w->v_free + 6 * i + 3;
    return 2 * b->inv_mass * (b->inertia[0] + b->inertia[1] + b->inertia[2]) * nsci_dot(o, o, 3);
}

/* May the (sub-)step move a point of body a by more than that, as seen from body b? */
static int nsci_goes_far(const nsc_world *w, const nsci_scheme *s, int a, int b)
{
    const nsc_real *va = w->v_free + 6 * a;
    const nsc_real *vb = w->v_free + 6 * b;
    nsc_vec3 d = nsci_sub(nsci_vec(va[0], va[1], va[2]), nsci_vec(vb[0], vb[1], vb[2]));
    nsc_real square = nsci_dot3(d, d) + nsci_turn_square(w, a) + nsci_turn_square(w, b);
    return s->h * s->h * square > nsci_unlooked(w) * nsci_unlooked(w);
}

/* Bring body i, which stands where it stood, to where it is after a share of the (sub-)step. */
static void nsci_move_ahead(nsc_world *w, const nsci_scheme *s, int i, nsc_real share)
{
    nsci_scheme part = *s;
    nsc_body *b = &w->bodies[i];
    part.h *= share;
    if (b->generation % 2 && b->kind != NSC_STATIC_BODY && !nsci_rests(w, i))
        nsci_move_body(w, &part, i, b, w->v_free + 6 * i);
}

/* Place a shape where it is after so many sixteenths of the (sub-)step. */
static void nsci_place_ahead(nsc_world *w, const nsci_scheme *s, int shape, int sixteenths)
{
    int i = w->shapes[shape].body;
    if (i > 0) {
        nsci_hold_body(&w->stood[i], &w->bodies[i], 1);
        nsci_move_ahead(w, s, i, (nsc_real)sixteenths / 16);
    }
    nsci_place_shape(w, &w->shapes[shape], &w->scratch.find.geoms[shape]);
}

/* Speed with which two shapes separate at a point of theirs, as their bodies turn now */
static nsc_real nsci_look_speed(const nsc_world *w, int low, int high, const nsci_point *p)
{
    const nsc_body *a = &w->bodies[w->shapes[low].body];
    const nsc_body *b = &w->bodies[w->shapes[high].body];
    return nsci_dot3(p->normal, nsci_sub(nsci_velocity_at(b, p->point),
                                         nsci_velocity_at(a, p->point)));
}

/* The deepest of the points of two shapes; *speed: with which they separate there */
static nsc_real nsci_look_deepest(nsc_world *w, int low, int high, nsc_real *speed)
{
    nsci_finding *f = &w->scratch.find;
    int i, n = nsci_collide_any(w, &f->geoms[low], &f->geoms[high], 0);
    nsc_real deepest = 0;
    for (i = 0; i < n; i++)
        if (f->points[i].gap < deepest) {
            deepest = f->points[i].gap;
            *speed = nsci_look_speed(w, low, high, &f->points[i]);
        }
    return deepest;
}

/* Append the contact points of two shapes at the end of the sub-step to found, if they overlap
   there more than at its start.  Where they separate there, they have gone past each other: the
   points are those of a time at which they overlap and approach, found by bisection, and gaps are
   those to which they then go on.  For nsci_fill_ahead, approach is the gap that is allowed, and
   matched how many sixteenths of the step are after that time. */
static void nsci_look_at(nsc_world *w, const nsci_scheme *s, int low, int high)
{
    nsci_finding *f = &w->scratch.find;
    nsc_real speed = 0;
    nsc_real deepest = nsci_look_deepest(w, low, high, &speed);
    nsc_real was = 0;
    nsc_real undone;
    int i, n, half, at = 16;
    for (i = 0; i < w->regular && deepest < -nsci_unlooked(w); i++) {
        const nsc_contact *c = &w->found[i];
        if (nsci_rank(c->shape_a) == low + 1 && nsci_rank(c->shape_b) == high + 1)
            was = nsci_min(was, c->gap);
    }
    if (deepest > was - nsci_unlooked(w))
        return;
    for (half = 8; half > 0 && speed > 0; half /= 2) {
        nsc_real past = speed;
        nsci_place_ahead(w, s, low, at - half);
        nsci_place_ahead(w, s, high, at - half);
        if (nsci_look_deepest(w, low, high, &speed) > was - nsci_unlooked(w))
            speed = past;
        else
            at -= half;
    }
    nsci_place_ahead(w, s, low, at);
    nsci_place_ahead(w, s, high, at);
    n = nsci_collide_any(w, &f->geoms[low], &f->geoms[high], w->def.margin);
    undone = w->def.recovery * nsci_min(was + w->def.slop, 0) * s->h / s->undo;
    undone = nsci_max(undone, -w->def.recovery_speed * s->h);
    for (i = 0; i < n; i++) {
        const nsci_point *p = &f->points[i];
        nsc_contact *c = &w->found[w->found_count];
        if (w->found_count == NSC_MAX_CONTACTS) {
            w->report.dropped += n - i;
            break;
        }
        nsci_clear(c, sizeof *c);
        nsci_mix_shapes(w, c, low, high);
        NSCI_IF(NSC_SMOOTH, c->cohesion = 0;)
        c->feature = ~p->feature; /* the next step finds it by its place */
        c->point = p->point;
        c->normal = p->normal;
        c->gap = p->gap +
                 s->h * (nsc_real)(16 - at) / 16 * nsci_look_speed(w, low, high, p);
        c->approach = was - undone;
        c->matched = (uint8_t)(16 - at);
        w->found_count++;
    }
    nsci_place_ahead(w, s, low, 16);
    nsci_place_ahead(w, s, high, 16);
}

/* Let the caller change the contacts found from `first` on, and link those that exert a force. */
static int nsci_link_ahead(nsc_world *w, const nsci_scheme *s, int first)
{
    int i, code, count = w->found_count - first;
    for (i = 0; i < count; i++)
        w->scratch.find.order[i] = (nsci_index)(first + i);
    w->found_count = count;
    code = nsci_ask_contacts(w, s->calls);
    w->found_count = first;
    for (i = first; i < first + count; i++) {
        const nsci_link *l = &w->links[w->link_count];
        nsc_contact *c = &w->found[w->found_count];
        if (w->found[i].sensor || w->found[i].stiffness > 0)
            continue;
        if (c != &w->found[i])
            nsci_copy(c, &w->found[i], sizeof *c);
        nsci_add_link(w, NSCI_CONTACT_LINK, w->found_count++, c->body_a, c->body_b);
        if (nsci_is_dynamic(w, l->a))
            w->touched[w->island[l->a]] = 1;
        if (nsci_is_dynamic(w, l->b))
            w->touched[w->island[l->b]] = 1;
    }
    return code;
}

/* Was the body's island solved again? */
static int nsci_moved_again(const nsc_world *w, int body)
{
    return w->island[body] != NSCI_NOWHERE && w->touched[w->island[body]];
}

/* Look at two shapes whose boxes overlap and that may meet, if the step moves them far enough.
   all: 0: only if a body of them was solved again; the others were looked at as they are */
static void nsci_look_at_boxes(nsc_world *w, const nsci_scheme *s, int i, int j, int all)
{
    const nsci_finding *f = &w->scratch.find;
    int low = i < j ? i : j;
    int high = i < j ? j : i;
    if (nsci_overlap(&f->boxes[low], &f->boxes[high]) &&
        (all || nsci_moved_again(w, w->shapes[low].body) ||
         nsci_moved_again(w, w->shapes[high].body)) &&
        nsci_goes_far(w, s, w->shapes[low].body, w->shapes[high].body) &&
        nsci_may_meet(w, low, high))
        nsci_look_at(w, s, low, high);
}

/* Look at all pairs of the first n shapes of the sweep list. */
static void nsci_look_at_all(nsc_world *w, const nsci_scheme *s, int n, int all)
{
    const nsci_finding *f = &w->scratch.find;
    int i, j;
#if NSC_STRIPS
    const nsci_strips *p = &f->strips;
    nsci_plan_strips(w, n);
    nsci_sort_strips(w, n);
    for (i = 0; i < n; i++) {
        const nsci_aabb *box = &f->boxes[f->sweep[i]];
        int own = p->strip[f->sweep[i]];
        int k, last = nsci_strip_at(p, box->max[p->across]);
        for (k = own; k <= last; k++) {
            j = k == own ? i + 1 : nsci_first_in_strip(f, k, box->min[p->axis]);
            for (; j < p->end[k] && f->boxes[f->sweep[j]].min[p->axis] <= box->max[p->axis]; j++)
                nsci_look_at_boxes(w, s, f->sweep[i], f->sweep[j], all);
        }
    }
#else
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            nsci_look_at_boxes(w, s, f->sweep[i], f->sweep[j], all);
#endif
}

/* Bring what the look has found, contacts from `first` on, into the order of pairs. */
static NSC_MAYBE_UNUSED void nsci_order_ahead(nsc_world *w, int first)
{
    int i, k;
    for (i = first + 1; i < w->found_count; i++)
        for (k = i; k > first && nsci_pair_order(&w->found[k], &w->found[k - 1]) < 0; k--) {
            nsc_contact c = w->found[k];
            nsci_copy(&w->found[k], &w->found[k - 1], sizeof c);
            nsci_copy(&w->found[k - 1], &c, sizeof c);
        }
}

/* Find what overlaps at the end of the sub-step.  all: see nsci_look_at_boxes.  Returns 0 or the
   caller's error. */
static int nsci_look(nsc_world *w, const nsci_scheme *s, int all)
{
    nsci_finding *f = &w->scratch.find;
    int i, code;
    int first = w->found_count;
    nsci_copy(&w->kept, f, sizeof w->kept);
    for (i = 1; i < w->body_end; i++) {
        nsci_hold_body(&w->stood[i], &w->bodies[i], 0);
        nsci_move_ahead(w, s, i, 1);
    }
    f->calls = s->calls && s->calls->meet ? s->calls : NULL;
    f->lost = 0;
    nsci_look_at_all(w, s, nsci_bound_shapes(w, 0), all);
    NSCI_IF(NSC_STRIPS, nsci_order_ahead(w, first);)
    w->report.dropped += f->lost;
    for (i = 1; i < w->body_end; i++)
        nsci_hold_body(&w->stood[i], &w->bodies[i], 1);
    code = nsci_link_ahead(w, s, first);
    nsci_copy(f, &w->kept, sizeof w->kept);
    w->report.looks++;
    w->report.ahead += w->found_count - first;
    return code;
}

/* ---- the problem of all islands that the look touched */

static void nsci_reverse_blocks(nsc_block *blocks, int from, int to)
{
    nsc_block k;
    for (to--; from < to; from++, to--) {
        nsci_copy(&k, &blocks[from], sizeof k);
        nsci_copy(&blocks[from], &blocks[to], sizeof k);
        nsci_copy(&blocks[to], &k, sizeof k);
    }
}

/* Number the places of an island's blocks anew, from `to` on. */
static void nsci_renumber(nsc_world *w, nsc_island *own, int to)
{
    int i;
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next)
        w->links[i].block = (nsci_index)(w->links[i].block + to - own->first_block);
    own->first_block = (nsci_index)to;
}

/* Bring the blocks of the touched islands behind all others.  Returns where they begin; *end: where
   they end */
static int nsci_part_blocks(nsc_world *w, int *end)
{
    nsc_block *blocks = w->scratch.solve.blocks;
    int i, k, more, first = 0, n = 0;
    for (;; n += more) {
        for (i = 0; i < w->report.islands; i++) /* a look before may have changed their order */
            if (w->islands[i].places > 0 && w->islands[i].first_block == n)
                break;
        *end = n;
        if (i == w->report.islands)
            return first;
        more = w->islands[i].places;
        if (w->touched[i])
            continue;
        if (first < n) {
            nsci_reverse_blocks(blocks, first, n);
            nsci_reverse_blocks(blocks, n, n + more);
            nsci_reverse_blocks(blocks, first, n + more);
            for (k = 0; k < w->report.islands; k++)
                if (k != i && w->islands[k].places > 0 && w->islands[k].first_block >= first &&
                    w->islands[k].first_block < n)
                    nsci_renumber(w, &w->islands[k], w->islands[k].first_block + more);
            nsci_renumber(w, &w->islands[i], first);
        }
        first += more;
    }
}

/* Number the bodies in the blocks of the touched islands as in the world, or (back = 1) as in the
   islands.  Returns the largest nsc_problem.bias_error of these. */
static nsc_real nsci_join_blocks(nsc_world *w, const nsci_scheme *s, int back)
{
    nsc_real error = 0;
    int i, k;
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = &w->islands[i];
        if (!w->touched[i] || own->places == 0)
            continue;
        nsci_gather_bodies(w, own, s);
        error = nsci_max(error, nsci_bias_error(w, own, s));
        for (k = 0; k < own->places; k++) {
            nsc_block *b = &w->scratch.solve.blocks[own->first_block + k];
            if (k >= own->blocks) { /* reserved for the derivative of a force */
                nsci_clear(b, sizeof *b);
                b->kind = NSC_BLOCK_BOX;
                b->rows = 1;
            }
            b->a = (nsc_place)(back ? w->inner[b->a] : w->outer[b->a]);
            b->b = (nsc_place)(back ? w->inner[b->b] : w->outer[b->b]);
        }
    }
    return error;
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

/* Add (share = 1) or take off (-1) the impulses of the touched islands and of the links from
   `first` on.  Blocks and v have the bodies of the world. */
static void nsci_take_touched(nsc_world *w, const nsci_scheme *s, nsc_real share, int first)
{
    int i, k, joint_blocks = 0;
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = &w->islands[i];
        int touched = w->touched[i] && own->places > 0;
        for (k = own->first_link; touched && k != NSCI_NOWHERE; k = w->links[k].next) {
            const nsci_link *l = &w->links[k];
            nsci_take_link *take = nsci_link_kinds[l->kind].take;
            if (take)
                take(w, l, s, share);
            NSCI_IF(NSCI_ROWS, if (share < 0 && l->kind == NSCI_ROWS_LINK) nsci_unmove(w, l, s);)
        }
        if (touched)
            nsci_take_joints(w, own, s, share, joint_blocks);
        joint_blocks += own->joint_blocks;
    }
    for (i = first; i < w->link_count; i++)
        nsci_take_contact(w, &w->links[i], s, share);
}

/* Fill the block of a contact that the look has found: linear at the poses at which it was found,
   to which the velocities v of the problem lead. */
static void nsci_fill_ahead(const nsc_world *w, const nsci_scheme *s, nsc_contact *c, nsc_block *k)
{
    const nsc_real *va, *vb;
    nsc_real u, allowed = c->approach;
    nsc_real h = s->h * (nsc_real)(16 - c->matched) / 16;
    c->matched = 0;
    nsci_clear(k, sizeof *k);
    k->kind = NSC_BLOCK_CONTACT;
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    k->mu = c->friction;
    k->a = (nsc_place)nsci_body_of(w, c->body_a);
    k->b = (nsc_place)nsci_body_of(w, c->body_b);
    va = w->scratch.solve.v + 6 * k->a;
    vb = w->scratch.solve.v + 6 * k->b;
    nsci_contact_rows(
        w, c, nsci_add_sv(w->bodies[k->a].position, h, nsci_vec(va[0], va[1], va[2])),
        nsci_add_sv(w->bodies[k->b].position, h, nsci_vec(vb[0], vb[1], vb[2])), k);
    nsci_drive_belt(c, k, 1);
    u = nsci_along_row(k, 0, va, vb);
    c->gap -= s->h * u;
    k->bias[0] = (c->gap - allowed) / s->h;
    k->hi[0] = nsci_max(k->bias[0], 0); /* so nsci_limit_bounces limits what has to separate */
    c->approach = nsci_clamp_finite(nsci_min(nsci_row_speed(w, k, 0), u));
    if (nsci_strikes(w, c))
        k->bias[0] = nsci_min(
            k->bias[0], -nsci_bounce(c->restitution, -c->approach,
                                     c->approach - nsci_free_speed(w, k), 0, s->h));
}

/* Before another solve, undo what the last one did to a block for the sake of its restitution. */
static void nsci_restore_bias(nsc_world *w, const nsci_scheme *s, const nsci_link *l, int regular)
{
    nsc_block *k = &w->scratch.solve.blocks[l->block];
    if (regular) {
        nsci_apply_pull(w, &w->found[l->item], k, s);
        if (nsci_bounces(k))
            nsci_contact_bias(w, &w->found[l->item], k, s, 0);
    } else if (k->hi[0] < k->bias[0]) {
        k->bias[0] = k->hi[0];
        k->hi[0] = 0;
    }
}

/* Is it a contact found by the step itself, with a block in a touched island? */
static int nsci_is_touched(const nsc_world *w, const nsci_link *l)
{
    int own = nsci_island_of(w, l->a, l->b);
    return l->item < w->regular && l->block != NSCI_NOWHERE && w->touched[own] &&
           !w->islands[own].asleep;
}

/* Solve the touched islands with what the looks have found, links from `first` on, as one problem,
   from the impulses that they have.  fresh: the first of these that has no block yet */
static int nsci_solve_again(nsc_world *w, const nsci_scheme *s, int first, int fresh)
{
    nsci_solving *x = &w->scratch.solve;
    nsc_problem p;
    nsc_report r;
    nsc_island all;
    size_t size = 6 * sizeof *w->v_free * (size_t)w->body_end;
    int derivatives = w->report.dropped_derivatives;
    int iterations = w->def.solver.max_iterations;
    int i, end, begin, links = w->link_count, code = NSC_OK;
    nsci_clear(&all, sizeof all);
    begin = nsci_part_blocks(w, &end);
    nsci_begin_problem(w, s, begin, &p);
    all.first_block = (nsci_index)begin;
    all.bodies = (nsci_index)(w->body_end - 1);
    p.bias_error = nsci_join_blocks(w, s, 0);
    nsci_copy(x->v, w->v_free, size);
    w->link_count = fresh;
    nsci_take_touched(w, s, -1, first);
    w->link_count = links;
    nsci_clear(x->masses, sizeof *x->masses * (size_t)w->body_end);
    for (i = 0; i < w->body_end; i++) {
        w->outer[i] = (nsci_index)i;
        if (w->island[i] == NSCI_NOWHERE || !w->touched[w->island[i]] || nsci_rests(w, i))
            continue;
        nsci_fill_mass(w, s, &w->bodies[i], &x->masses[i]);
        code = nsci_free_velocity(w, i, s, 0);
        if (code < 0)
            return code;
    }
    w->report.dropped_derivatives = derivatives;
    nsci_copy(x->v_free, w->v_free, size);
    for (i = w->first_contact; i < fresh; i++)
        if (i >= first || nsci_is_touched(w, &w->links[i])) {
            w->links[i].block = (nsci_index)(i < first ? w->links[i].block : end + i - first);
            nsci_restore_bias(w, s, &w->links[i], i < first);
        }
    for (i = fresh; i < links; i++) {
        w->links[i].block = (nsci_index)(end + i - first);
        nsci_fill_ahead(w, s, &w->found[w->links[i].item], &x->blocks[end + i - first]);
    }
    p.body_count = w->body_end;
    p.block_count = end - begin + links - first;
    code = nsci_prepare(&p);
    if (iterations > 9)
        w->def.solver.max_iterations = 8 + iterations / 8;
    if (code >= 0)
        code = nsci_solve_impacts(w, &all, s, &p, &r);
    w->def.solver.max_iterations = iterations;
    if (code < 0)
        return code;
    nsci_note_island(w, &all, &r);
    nsci_copy(w->v_free, x->v, size);
    nsci_take_touched(w, s, 1, first);
    nsci_join_blocks(w, s, 1);
    return nsci_check_motion(w, s->h);
}

/* After the last solve: move the contacts on, or, when the step is over, bring the links into the
   order of pairs. */
static void nsci_end_looks(nsc_world *w, const nsci_scheme *s, int first)
{
    int i, j;
    if (nsci_is_last(s) && w->report.ahead == 0)
        return;
    if (!nsci_is_last(s))
        nsci_move_contacts(w, s, w->regular);
    for (i = w->first_contact; i < w->link_count; i++) {
        nsci_link l = w->links[i];
        nsc_contact *c = &w->found[l.item];
        const nsc_block *k = &w->scratch.solve.blocks[l.block == NSCI_NOWHERE ? 0 : l.block];
        const nsc_real *va = w->v_free + 6 * l.a;
        const nsc_real *vb = w->v_free + 6 * l.b;
        if (i >= first) {
            c->gap += s->h * nsci_along_row(k, 0, va, vb);
        } else if (!nsci_is_last(s) && l.item < w->regular && l.block != NSCI_NOWHERE &&
                   !nsci_moves(w, s, c) && !nsci_rests(w, l.a) && !nsci_rests(w, l.b)) {
            c->approach = nsci_clamp_finite(nsci_along_row(k, 0, va, vb));
            c->gap += nsci_row_travel(w, s, k, 0, va, vb);
        }
        for (j = i; nsci_is_last(s) && j > w->first_contact &&
                    nsci_pair_order(c, &w->found[w->links[j - 1].item]) < 0; j--)
            w->links[j] = w->links[j - 1];
        w->links[j] = l;
    }
}

/* nsci_solve_substep, looks and solves again */
static int nsci_solve_and_look(nsc_world *w, nsc_real h, const nsci_scheme *s)
{
    nsci_scheme held = *s; /* so that contacts do not move on */
    int i, round, code;
    int first, fresh;
    if (nsci_mode(s) != NSCI_LINEARIZED || nsci_is_smooth(w) || NSC_LOOKS == 0)
        return nsci_solve_substep(w, h, s);
    held.last = 1;
    code = nsci_solve_substep(w, h, &held);
    first = w->link_count;
    if (nsci_is_first(s))
        w->regular = w->found_count;
    NSC_MEMSET(w->touched, 0, sizeof w->touched); /* no whole words */
    for (round = 0; code >= 0; round++) {
        for (i = 1; i < w->body_end && !nsci_goes_far(w, s, i, 0); i++) {
        }
        if (i == w->body_end)
            break;
        if (round == NSC_LOOKS) {
            w->report.unseen++;
            break;
        }
        fresh = w->link_count;
        code = nsci_look(w, s, round == 0);
        if (w->link_count == fresh)
            break;
        if (code >= 0)
            code = nsci_solve_again(w, &held, first, fresh);
    }
    if (code >= 0)
        nsci_end_looks(w, s, first);
    return code;
}

#endif
