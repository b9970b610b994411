/* nsc_barrier.h - contact whose gaps never close; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_BARRIER 1, NSC_SMOOTH 1, NSC_STEPPERS 1.
   Beside it: nsc.h, nsc_smooth.h, nsc_steppers.h, nsc_convex.h, nsc_support.h.
   28 bytes a body, 20 a contact, and the scratch for finding contacts has memory of its own. */
#ifndef NSC_BARRIER_H
#define NSC_BARRIER_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_BARRIER 1 before nsc.h, which then includes nsc_barrier.h"
#endif

NSCI_REQUIRE(barrier_needs_NSC_SMOOTH_and_NSC_STEPPERS, NSC_SMOOTH && NSC_STEPPERS);

/* NSC_SMOOTH_BARRIER: contact on the incremental potential (Li et al. 2020).  Below the gap
   d = barrier_distance a barrier pushes surfaces apart, and every Newton step is cut where the gap
   of any two shapes would close, so that they neither overlap nor pass through each other, however
   fast and thin.
   At a gap x d the push is k d (1 / x - 1), of the potential k d^2 (x - 1 - ln x).  (Li et al. take
   (x - 1)^2 ln x.  This one begins with a slope, which Newton's method sees from beyond d.)  k is
   the stiffness of the shapes (nsc_shape_def.stiffness), or if that is 0 m / h^2, m the masses of
   both bodies in series: then a ball at rest keeps the gap d / (1 + g h^2 / d).
   Friction grows with the sliding speed up to barrier_speed, and is then mu times the push of the
   last step: a touch has none in its first step.  A block that sticks on a slope creeps at less
   than barrier_speed.
   Only with EULER_IMPLICIT (else NSC_ERR_STEPPER_CONTACT), without sub-steps and sleep; all bodies
   are one island.  Not used: restitution, damping, cohesion, rolling friction.  Not taken: height
   fields and meshes (the step is refused), and contacts of your own.  Callbacks are asked in every
   Newton step.
   Cost: in every Newton step contacts are found anew, and pairs whose boxes meet on the way are
   cast.  Take 100 newton_steps, and a solver that converges, NEWTON or AUTO.  Where Newton's method
   ends before it has converged (report.unsettled), gaps are open, but all bodies may be too slow,
   and kinematic bodies that had not arrived go on alone.  Shapes without an open gap are counted
   (report.overlaps) and pushed apart; nothing keeps those two from going through.  Gaps must stand
   out from rounding: in float, fast cylinders that are piled up came to overlap, and of the steps
   of a heap 10 m high half ended unsettled. */

/* Barrier: motion of a body in a Newton step: of its centre [m], and difference of its
   orientations */
typedef struct nsci_path {
    nsc_vec3 move;
    nsc_quat turn;
} nsci_path;

/* Barrier: push of a contact in the last Newton step [N], and what bounded its friction [N s] */
typedef struct nsci_push {
    nsc_id shape_a, shape_b;
    uint32_t feature;
    nsc_real force, most;
} nsci_push;

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_BARRIER_FIELDS(F) \
    F(nsc_world_def, barrier_distance, NSCI_RADIUS) \
    F(nsc_world_def, barrier_speed, NSCI_SPEED)
#define NSCI_BARRIER_REASONS(R) \
    R(NSCI_BARRIER_STEPPER, "nsc_world_def.stepper", "EULER_IMPLICIT with NSC_SMOOTH_BARRIER") \
    R(NSCI_BARRIER_WIDE, "nsc_world_def.barrier_distance", "at most margin") \
    R(NSCI_BARRIER_SLEEP, "nsc_world_def.sleep_time", "0 with NSC_SMOOTH_BARRIER") \
    R(NSCI_BARRIER_PARTS, "nsc_world_def.substeps", "1 with NSC_SMOOTH_BARRIER") \
    R(NSCI_BARRIER_SHAPE, "nsc_shape_def.kind", \
      "no height field or mesh with NSC_SMOOTH_BARRIER; the value is the shape's slot") \
    R(NSCI_BARRIER_OWN, "nsc_world_def.contact_law", \
      "no contacts of your own with NSC_SMOOTH_BARRIER")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static int nsci_check_barrier_def(nsci_why *note, const nsc_world_def *d);
static int nsci_check_barrier_shapes(nsc_world *w);
static int nsci_check_barrier_contact(nsc_world *w, const nsc_contact *c);
static void nsci_begin_exact(nsc_world *w, const nsci_geom *b);
static void nsci_cast_pair(nsc_world *w, int s, int t);
static void nsci_begin_barrier(nsc_world *w, const nsci_scheme *s);
#define nsci_casts(w) ((w)->casting)

#elif defined(NSCI_CODE) /* and again */

static int nsci_check_barrier_def(nsci_why *note, const nsc_world_def *d)
{
    if (!nsci_has_barrier(d))
        return NSC_OK;
    if (d->stepper != NSC_STEPPER_EULER_IMPLICIT)
        return nsci_refused(note, NSC_ERR_STEPPER_CONTACT, NSCI_BARRIER_STEPPER,
                            (nsc_real)d->stepper);
    if (d->barrier_distance > d->margin)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BARRIER_WIDE, d->barrier_distance);
    if (d->sleep_time > 0)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BARRIER_SLEEP, d->sleep_time);
    if (d->substeps > 1)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BARRIER_PARTS, (nsc_real)d->substeps);
    return NSC_OK;
}

/* Barrier contact does not handle height fields and meshes. */
static int nsci_check_barrier_shapes(nsc_world *w)
{
    int i;
    for (i = 0; nsci_is_barrier(w) && i < w->shape_end; i++)
        if (w->shapes[i].generation % 2 && w->shapes[i].def.kind > NSC_SHAPE_HALF_SPACE)
            return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BARRIER_SHAPE, (nsc_real)i);
    return NSC_OK;
}

/* Refuse a contact of the caller's own: its gap along the way of a Newton step is not known. */
static int nsci_check_barrier_contact(nsc_world *w, const nsc_contact *c)
{
    (void)c;
    if (nsci_is_barrier(w))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BARRIER_OWN, 0);
    return NSC_OK;
}

/* Say whether the shapes that are now collided, the second of them b, are those of a barrier. */
static void nsci_begin_exact(nsc_world *w, const nsci_geom *b)
{
    int exact = nsci_is_barrier(w) && b->kind <= NSC_SHAPE_HALF_SPACE;
    w->scratch.find.convex.exact = exact ? w : NULL;
}

/* nsci_find_way without its preferences, which keep contact points from flickering but may take an
   open gap for a closed one.  way->s is the separation along way->n: the gap is at least that. */
static int nsci_exact_way(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                          nsc_real distance, nsci_way *way)
{
    nsc_real p = nsci_size(a);
    nsc_real q = nsci_size(b);
    nsc_real small = 8 * NSC_REAL_EPS * (p + q);
    nsc_real apart;
    nsc_vec3 v;
    apart = nsci_gjk(x, a, b, distance + nsci_rounding(a) + nsci_rounding(b), &v);
    if (apart > distance + nsci_rounding(a) + nsci_rounding(b))
        return 0;
    *way = nsci_better_face(a, b, NULL, 0);
    nsci_try(way, a, b, nsci_unit(v, way->n), small, -1);
    if (apart > 0)
        nsci_try_edges(&x->simplex, way, a, b, 0);
    way->size = NSC_R(1e-3) * nsci_min(p, q);
    return way->s <= distance;
}

/* Replace the normal of a point over the reference face by that of the features that meet there: of
   two edges where a side of the face has cut one, of the other face at a corner of the reference.
   The gap is then measured along it. */
static void nsci_turn_normal(const nsci_convex_scratch *x, const nsci_way *face, nsci_point *p)
{
    const nsci_patch *f = &x->use.clip.patch[face->side];
    const nsci_patch *other = &x->use.clip.patch[!face->side];
    int id = (int)(p->feature & 8191) - NSCI_CUT;
    int m = id % 48;
    int k = 0;
    nsc_vec3 n = other->normal;
    if (id < 0 || other->face < 0)
        return; /* a corner over the face, or of a round side */
    if (id < 48 * 48) {
        while (k + 1 < other->n && other->id[k] != id / 48)
            k++;
        n = nsci_cross(nsci_sub(f->p[nsci_next(f, m)], f->p[m]),
                       nsci_sub(other->p[nsci_next(other, k)], other->p[k]));
    }
    n = nsci_unit(n, p->normal);
    if (nsci_dot3(n, p->normal) < 0)
        n = nsci_neg(n);
    if (nsci_dot3(n, p->normal) < NSC_R(0.1))
        return; /* edges side by side */
    p->gap *= nsci_dot3(n, p->normal);
    p->normal = n;
}

/* Find the patches of both shapes along a face's normal; returns the spots over it. */
static int nsci_exact_spots(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                            const nsci_way *face)
{
    nsci_find_patch(a, face->n, &x->use.clip.patch[0]);
    nsci_find_patch(b, nsci_neg(face->n), &x->use.clip.patch[1]);
    return face->side >= 0 ? nsci_face_spots(x, a, b, face, 0) : 0;
}

/* Features of two shapes' contacts in the last step of the world; returns how many. */
static int nsci_last_features(const nsc_world *w, const nsci_geom *a, const nsci_geom *b,
                              uint32_t *out)
{
    const nsci_geom *g = w->scratch.find.geoms;
    int i, n = 0;
    for (i = 0; i < w->contact_count && n < NSC_MANIFOLD; i++) {
        const nsc_contact *c = &w->contacts[i];
        const nsci_geom *s, *t;
        if (c->shape_a < 0)
            continue; /* your own, under another law */
        s = &g[nsci_rank(c->shape_a) - 1];
        t = &g[nsci_rank(c->shape_b) - 1];
        if ((s == a && t == b) || (s == b && t == a))
            out[n++] = c->feature;
    }
    return n;
}

/* Take the spots that were the four contacts of the last step, over a face of the same shape.
   Returns 4, or fewer if these contacts are not all there.  Four of more spots chosen anew at each
   iterate, by their heights, would change where two choices meet, and the potential would jump
   there: without a minimum on either side, Newton's method goes to and fro. */
static int nsci_spots_again(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                            nsci_way *face)
{
    nsci_spot *c = x->use.clip.spots;
    uint32_t feature[NSC_MANIFOLD];
    int i, k, n, kept = 0;
    if (nsci_last_features(x->exact, a, b, feature) < NSC_MANIFOLD)
        return 0;
    *face = nsci_best_face(a, b, (int)(feature[0] >> 27 & 1), NULL);
    if (!(face->s > -NSC_REAL_MAX))
        return 0;
    n = nsci_exact_spots(x, a, b, face);
    for (i = 0; i < n; i++) {
        for (k = 0; k < NSC_MANIFOLD && c[i].id != (feature[k] & 8191); k++) {
        }
        if (k < NSC_MANIFOLD)
            c[kept++] = c[i];
    }
    return kept;
}

/* The points over the best face, and the nearest point of both shapes unless one of these is nearly
   as near.  The points over the face stay while the direction that separates most turns from its
   normal to that of two edges. */
static int nsci_exact_points(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_real small = 8 * NSC_REAL_EPS * (nsci_size(a) + nsci_size(b));
    nsc_real least = NSC_REAL_MAX;
    nsci_way face;
    int i, kept = 0, last = 0;
    int n = nsci_spots_again(x, a, b, &face);
    if (n < NSC_MANIFOLD) {
        face = nsci_better_face(a, b, NULL, small);
        if (!(face.s > -NSC_REAL_MAX))
            face = *way;
        n = nsci_exact_spots(x, a, b, &face);
    }
    n = face.side >= 0 ? nsci_spot_contacts(x, n, &face, distance, out)
                       : nsci_line_contacts(x, a, b, &face, distance, out);
    for (i = 0; i < n; i++) {
        if (out[i].gap < way->s - small)
            continue; /* belongs to a face on the far side */
        if (face.side >= 0 && !nsci_is_cylinder(face.side ? b : a))
            nsci_turn_normal(x, &face, &out[i]);
        out[i].gap = nsci_max(out[i].gap, way->s);
        least = nsci_min(least, out[i].gap);
        out[kept] = out[i];
        last = out[kept].gap > out[last].gap ? kept : last;
        kept++;
    }
    if (kept > 0 && way->s > NSC_R(0.9) * least)
        return kept;
    if (kept < NSC_MANIFOLD)
        last = kept++;
    nsci_point_contact(x, a, b, way, distance, out + last);
    return kept;
}

/* Turn the tangents of a contact so that the first lies along its sliding velocity at Newton's
   iterate; returns the sliding speed. */
static nsc_real nsci_align_tangents(const nsc_world *w, nsc_block *k)
{
    nsc_real u = nsci_row_speed(w, k, 1);
    nsc_real v = nsci_row_speed(w, k, 2);
    nsc_real keep = k->lambda[1];
    nsc_real size = NSC_SQRT(u * u + v * v);
    int i;
    if (!(size > 0))
        return 0;
    u /= size;
    v /= size;
    for (i = 0; i < 12; i++) {
        nsc_real along = u * k->J[1][i] + v * k->J[2][i];
        k->J[2][i] = u * k->J[2][i] - v * k->J[1][i];
        k->J[1][i] = along;
    }
    k->lambda[1] = u * keep + v * k->lambda[2];
    k->lambda[2] = u * k->lambda[2] - v * keep;
    return size;
}

/* Push of a contact in the last Newton step [N], or the largest of its pair's; < 0: none.  *bound:
   what bounded its friction there, if it was there */
static nsc_real nsci_last_push(const nsc_world *w, const nsc_contact *c, nsc_real *bound)
{
    nsc_real most = -1;
    int i;
    for (i = 0; i < w->push_count; i++) {
        const nsci_push *p = &w->pushes[i];
        if (p->shape_a != c->shape_a || p->shape_b != c->shape_b)
            continue;
        if (p->feature == c->feature) {
            *bound = p->most;
            return p->force;
        }
        most = nsci_max(most, p->force);
    }
    return most;
}

/* The barrier at Newton's iterate, which is where the contact was found.  The normal row has the
   force F there, but not its slope: with F = k d (d / g - 1) linearised as F g = k d (d - g), a row
   of slope (k d + P) / g leads to the gap at which the push is P.  P is the push in the last Newton
   step.  This undoes too small a gap at once; by the slope of F a Newton step could only double it.
   In the first step P is that of the contact alone, with m (g - g0) / h^2 = P, g0 the gap without
   it.  Friction is bounded by the push in the last step of the world, and so has a potential: a
   BOX.  Whether a contact is one of the last step depends on how far its normal has turned, so the
   bound stays as the contact's first Newton step finds it: the potential must not jump. */
static void nsci_barrier_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                              nsc_block *roll, const nsci_scheme *s)
{
    const nsc_real *v = w->scratch.solve.v_free;
    nsc_real one = 1;
    nsc_real d = w->def.barrier_distance;
    nsc_real u = nsci_row_speed(w, k, 0);
    nsc_real heavy, end, slow;
    nsc_real x = c->gap > 0 ? c->gap / d : NSC_R(0.5);
    nsc_real most = c->friction * nsci_max(nsci_dot3(c->impulse, c->normal), 0);
    nsc_real last = nsci_last_push(w, c, &most);
    nsc_real stiff;
    nsc_real free = nsci_along_row(k, 0, v + 6 * k->a, v + 6 * k->b) - u;
    int i;
    stiff = c->stiffness;
    if (!(stiff > 0))
        stiff = one / (s->hx * s->hf * (w->bodies[w->outer[k->a]].inv_mass +
                                        w->bodies[w->outer[k->b]].inv_mass));
    if (most < NSC_REAL_EPS * s->hf * stiff * d)
        most = 0;
    heavy = nsci_row_mass(w, k, 0) / (s->hx * s->hf * stiff);
    end = one - heavy * (x + s->hx * free / d);
    end = NSC_R(0.5) * (end + NSC_SQRT(end * end + 4 * heavy)); /* d / g */
    end = nsci_max(nsci_max(end, one / x), 1);
    if (last >= 0) {
        end = one + last / (stiff * d);
        k->lambda[0] = s->hf * last;
    }
    k->kind = NSC_BLOCK_BOX;
    k->mu = 0;
    k->rows = (unsigned char)(most > 0 ? 3 : 1);
    slow = most > 0 ? nsci_align_tangents(w, k) : 0;
    slow = nsci_max(slow, w->def.barrier_speed); /* across the sliding its force only turns */
    k->lo[0] = 0;
    k->hi[0] = NSC_REAL_MAX;
    if (!nsci_yield(s, k, 0, stiff * d * (one / x - 1), stiff * end / x, 0, u))
        nsci_give(k, 0, 0);
    for (i = 1; i < k->rows; i++) {
        k->lo[i] = -most;
        k->hi[i] = most;
        if (!nsci_yield(s, k, i, 0, 0, most / (s->hf * (i > 1 ? slow : w->def.barrier_speed)), 0))
            nsci_give(k, i, 0);
    }
    nsci_drive_belt(c, k, 1);
    if (roll)
        nsci_give_block(roll, 0, 0, 0);
}

/* ---- barrier: how much of a Newton step keeps gaps open (conservative advancement).  On the way
   from the trial poses to those after the step, share x = 0..1, the centres of bodies move along
   lines, and their orientations by interpolated quaternions.  The separation f of two convex shapes
   along a direction that one of them carries along bounds their gap from below.  f is the least
   over all pairs of their points, and so from x to x + e at least min(f(x), f(x + e)) - M e^2 / 8,
   where M bounds the acceleration of any point of one shape, seen from the other. */

/* A shape at a share of its body's path */
static nsci_geom nsci_place_along(nsc_world *w, int shape, nsc_real share)
{
    nsc_body *b = &w->bodies[w->shapes[shape].body];
    const nsci_path *p = &w->path[w->shapes[shape].body];
    nsc_vec3 position = b->position;
    nsc_quat q = b->orientation;
    nsc_quat turned = q;
    nsci_geom g;
    turned.w += share * p->turn.w;
    turned.x += share * p->turn.x;
    turned.y += share * p->turn.y;
    turned.z += share * p->turn.z;
    b->position = nsci_add_sv(position, share, p->move);
    b->orientation = nsci_quat_normalise(turned);
    g = nsci_place(w, &w->shapes[shape]);
    b->position = position;
    b->orientation = q;
    return g;
}

/* Fastest turn rate of a body on its path [rad]; its derivative is at most a quarter of the
   cube. */
static nsc_real nsci_turn_rate(const nsc_world *w, int body)
{
    nsc_real chord2 = nsci_quat_norm2(w->path[body].turn);
    return chord2 > 0 ? 2 * NSC_SQRT(chord2 / (1 - NSC_R(0.25) * chord2)) : 0;
}

/* Distance of a shape's points from its body's centre of mass, but of a sphere's from its middle */
static nsc_real nsci_arm(const nsc_world *w, int body, const nsci_geom *g)
{
    nsc_real size = g->kind == NSC_SHAPE_SPHERE ? 0 : nsci_size(g);
    return nsci_norm(nsci_sub(nsci_middle(g), w->bodies[body].position)) + size;
}

/* Separation of a and b along n, a->kind <= b->kind */
static nsc_real nsci_separation(const nsci_geom *a, const nsci_geom *b, nsc_vec3 n)
{
    nsci_geom p = *a;
    nsci_geom q = *b;
    q.centre = nsci_sub(b->centre, a->centre);
    p.centre = nsci_vec(0, 0, 0);
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_dot3(nsci_sub(q.centre, nsci_support(&p, n)), n) - nsci_rounding(a);
    return nsci_gap(&p, &q, n);
}

/* Gap of a and b, a->kind <= b->kind, NSC_REAL_MAX if it is beyond `enough`; *n: the direction in
   which they are apart; *side: the shape that carries it, 0 or 1.  Moves both shapes. */
static nsc_real nsci_open_gap(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real enough,
                              nsc_vec3 *n, int *side)
{
    nsci_way way;
    *n = nsci_neg(b->axes.c[2]);
    *side = 1;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_separation(a, b, *n);
    b->centre = nsci_sub(b->centre, a->centre);
    a->centre = nsci_vec(0, 0, 0);
    if (!nsci_exact_way(&w->scratch.find.convex, a, b, enough, &way))
        return NSC_REAL_MAX;
    *n = way.n;
    *side = way.side != 0;
    return way.s;
}

/* Reduce w->share until the gap of two shapes stays open on their paths. */
static void nsci_cast_pair(nsc_world *w, int s, int t)
{
    int first = w->shapes[s].def.kind <= w->shapes[t].def.kind ? s : t;
    int second = s + t - first;
    int body[2], side, i, fresh = 1;
    nsci_geom a = nsci_place_along(w, first, 0);
    nsci_geom b = nsci_place_along(w, second, 0);
    nsci_geom c = a;
    nsci_geom d = b;
    nsc_real turn[2], arm[2];
    nsc_real x = 0;
    nsc_real step = w->share;
    nsc_real gap = 0;
    nsc_real least = -1;
    nsc_real worst, far, small;
    nsc_real bend = 0, reach;
    nsc_vec3 n = nsci_vec(0, 0, 0);
    nsc_vec3 carried;
    body[0] = w->shapes[first].body;
    body[1] = w->shapes[second].body;
    if (w->shapes[s].def.sensor || w->shapes[t].def.sensor)
        return;
    for (i = 0; i < 2; i++) {
        turn[i] = nsci_turn_rate(w, body[i]);
        arm[i] = nsci_arm(w, body[i], i ? &b : &a);
    }
    far = nsci_norm(nsci_sub(w->path[body[1]].move, w->path[body[0]].move));
    small = 32 * NSC_REAL_EPS * (nsci_norm(a.centre) + arm[0] + arm[1]); /* above rounding */
    small = nsci_max(small, NSC_R(1e-5) * w->def.barrier_distance);
    for (i = 0; i < 100 && x < w->share; i++) {
        if (fresh) {
            c = a;
            d = b;
            gap = nsci_open_gap(w, &c, &d, far + turn[0] * arm[0] + turn[1] * arm[1] +
                                               w->def.barrier_distance, &n, &side);
            if (least < 0)
                least = nsci_max(w->left * nsci_min(gap, w->def.barrier_distance),
                                 nsci_min(NSC_R(0.9) * gap, small));
            if (!(least > 0) || gap >= NSC_REAL_MAX)
                return; /* they overlap, or do not meet */
            if (x > 0 && gap < NSC_R(1.5) * least)
                break;
            carried = nsci_mul_mtv(side ? &b.axes : &a.axes, n);
            reach = nsci_norm(nsci_sub(nsci_middle(side ? &a : &b),
                                       w->bodies[body[side]].position)) +
                    nsci_size(side ? &a : &b) + 2 * far;
            bend = turn[!side] * turn[!side] * (1 + NSC_R(0.25) * turn[!side]) * arm[!side] +
                   2 * turn[side] * (far + turn[!side] * arm[!side]) +
                   turn[side] * turn[side] * (1 + NSC_R(0.25) * turn[side]) * reach;
        }
        c = nsci_place_along(w, first, x + step);
        d = nsci_place_along(w, second, x + step);
        worst = nsci_separation(&c, &d, nsci_mul_mv(side ? &d.axes : &c.axes, carried));
        worst = nsci_min(gap, worst) - NSC_R(0.125) * bend * step * step;
        fresh = worst >= least;
        if (fresh) {
            x += step;
            step = w->share - x;
            a = c;
            b = d;
        } else {
            step *= NSC_R(0.95) * (gap - least) / (gap - worst);
        }
    }
    w->share = nsci_min(w->share, x);
}

/* Move the kinematic bodies by a share of their motion. */
static void nsci_lead(nsc_world *w, const nsci_scheme *s, nsc_real share)
{
    int i;
    w->led = share;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        if (b->kind != NSC_KINEMATIC_BODY)
            continue;
        b->velocity = nsci_mul_sv(share, w->start[i].velocity);
        b->angular_velocity = nsci_mul_sv(share, w->start[i].angular_velocity);
        nsci_try_motion(w, s, i);
    }
}

/* Barrier: Newton's method begins without motion, where all gaps are open. */
static void nsci_begin_barrier(nsc_world *w, const nsci_scheme *s)
{
    int i, lead = 1;
    if (!nsci_is_barrier(w))
        return;
    w->push_count = 0;
    for (i = 1; i < w->body_end; i++) {
        lead &= w->bodies[i].kind != NSC_KINEMATIC_BODY;
        w->bodies[i].velocity = w->bodies[i].angular_velocity = nsci_vec(0, 0, 0);
    }
    nsci_lead(w, s, (nsc_real)lead);
}

/* Find the contacts at the trial poses. */
static int nsci_find_anew(nsc_world *w, const nsci_scheme *s)
{
    nsc_real *v = w->scratch.solve.v; /* before the step */
    nsc_real scale = w->last_h > 0 ? s->hf / w->last_h : 0; /* of impulses */
    int i, code;
    w->found_count = w->rolling_count = w->report.pairs = w->report.matched = 0;
    nsci_find_contacts(w, s->h, scale);
    code = nsci_ask_contacts(w, s->calls);
    for (i = 0; i < w->body_end; i++)
        nsci_put_pair(v + 6 * i, w->start[i].velocity, w->start[i].angular_velocity);
    w->link_count = w->first_contact;
    for (i = 0; i < w->found_count; i++) {
        int item = w->scratch.find.order[i];
        nsc_contact *c = &w->found[item];
        const nsci_link *l = &w->links[w->link_count];
        nsci_add_link(w, NSCI_CONTACT_LINK, item, c->body_a, c->body_b);
        if (c->matched)
            continue; /* asleep, see nsci_keep_sleeping */
        nsci_begin_contact(c);
        c->approach = nsci_clamp_finite(nsci_normal_velocity(w, v, l->a, l->b, c->point,
                                                             c->normal));
    }
    nsci_match_contacts(w, scale);
    for (i = 0; i < w->report.islands; i++) {
        nsc_island *own = &w->islands[i];
        own->first_link = NSCI_NOWHERE;
        own->joints = own->springs = own->contacts = 0;
    }
    for (i = w->link_count - 1; i >= 0; i--)
        nsci_chain_link(w, i, s->h);
    return code;
}

/* Write the paths of all bodies for a share of the Newton step. */
static void nsci_plan_paths(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                            nsc_real share)
{
    nsc_real led = w->led, sign;
    int i;
    for (i = 0; i < w->body_end; i++) {
        w->path[i].move = w->bodies[i].position;
        w->path[i].turn = w->bodies[i].orientation;
    }
    nsci_go_along(w, own, share);
    nsci_lead(w, s, led + share * (1 - led));
    for (i = 0; i < own->bodies; i++)
        nsci_try_motion(w, s, w->members[own->first_body + i]);
    for (i = 0; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_path *p = &w->path[i];
        nsc_vec3 x = b->position;
        nsc_quat q = b->orientation;
        nsc_quat from = p->turn;
        b->position = p->move;
        b->orientation = from;
        p->move = nsci_sub(x, p->move);
        sign = q.w * from.w + q.x * from.x + q.y * from.y + q.z * from.z < 0 ? -1 : 1;
        p->turn.w = sign * q.w - from.w;
        p->turn.x = sign * q.x - from.x;
        p->turn.y = sign * q.y - from.y;
        p->turn.z = sign * q.z - from.z;
    }
    nsci_go_along(w, own, -share);
    w->led = led;
}

/* Write the boxes that shapes sweep on their paths, and the sweep list; returns how many. */
static int nsci_bound_paths(nsc_world *w)
{
    int s, n = 0;
    for (s = 0; s < w->shape_end; s++) {
        int body = w->shapes[s].body;
        nsc_vec3 d = w->path[body].move;
        nsci_geom *g = &w->scratch.find.geoms[s];
        nsci_aabb *box = &w->scratch.find.boxes[s];
        nsc_real swing;
        if (w->shapes[s].generation % 2 == 0 || nsci_is_off(w, body))
            continue;
        nsci_place_shape(w, &w->shapes[s], g);
        swing = nsci_turn_rate(w, body) * nsci_arm(w, body, g);
        if (g->kind == NSC_SHAPE_HALF_SPACE && swing > 0)
            g->axes.c[2] = nsci_vec(1, 1, 1); /* no axis of the world: no bounds */
        nsci_bounds(g, swing + NSC_R(0.5) * w->def.barrier_distance, box);
        box->min[0] += nsci_min(d.x, 0);
        box->min[1] += nsci_min(d.y, 0);
        box->min[2] += nsci_min(d.z, 0);
        box->max[0] += nsci_max(d.x, 0);
        box->max[1] += nsci_max(d.y, 0);
        box->max[2] += nsci_max(d.z, 0);
        w->scratch.find.sweep[n++] = (nsci_index)s;
    }
    return n;
}

/* Share of the Newton step that keeps all gaps open.  It is found for the path of the whole step,
   and then, as rotation is not linear, again for the path of the share. */
static nsc_real nsci_open_share(nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_real share = 1;
    int i, n;
    for (i = 0; i < 8 && nsci_is_barrier(w); i++) {
        nsci_plan_paths(w, own, s, share);
        n = nsci_bound_paths(w);
        w->left = i ? NSC_R(0.05) : NSC_R(0.1);
        w->share = 1;
        w->casting = 1;
        nsci_meet_all(w, n, 0);
        if (w->share >= 1)
            return share;
        share *= w->share;
    }
    return nsci_is_barrier(w) ? 0 : 1;
}

/* Keep the pushes of the problem just solved. */
static void nsci_keep_pushes(nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    int i;
    w->push_count = 0;
    for (i = own->first_link; i != NSCI_NOWHERE && nsci_is_barrier(w); i = w->links[i].next) {
        const nsc_contact *c = &w->found[w->links[i].item];
        const nsc_block *k = &w->scratch.solve.blocks[w->links[i].block];
        nsci_push *p = &w->pushes[w->push_count];
        if (w->links[i].kind != NSCI_CONTACT_LINK)
            continue;
        w->push_count++;
        p->shape_a = c->shape_a;
        p->shape_b = c->shape_b;
        p->feature = c->feature;
        p->force = k->lambda[0] / s->hf;
        p->most = k->rows > 1 ? k->hi[1] : 0;
    }
}

/* Move the kinematic bodies by the same share; returns 1 if they had arrived before. */
static int nsci_lead_on(nsc_world *w, const nsci_scheme *s, nsc_real share)
{
    int done = !nsci_is_barrier(w) || w->led >= 1;
    if (!done)
        nsci_lead(w, s, share < 1 ? w->led + share * (1 - w->led) : 1);
    return done;
}

/* Take the trial velocities for the answer: the solver's may lie beyond the share that keeps gaps
   open. */
static void nsci_keep_trial(nsc_world *w, const nsc_island *own)
{
    int i;
    for (i = 1; i <= own->bodies && nsci_is_barrier(w); i++)
        nsci_velocity_of(&w->bodies[w->outer[i]], w->scratch.solve.v + 6 * i);
}

#endif
