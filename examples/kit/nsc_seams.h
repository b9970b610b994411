/* nsc_seams.h - bodies pass over the joins of shapes; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_SEAMS 1.
   Beside it: nsc.h.
   Floors laid of boxes, hulls, height fields or meshes side by side have edges and sides that no
   body can reach, but each shape by itself does not know: it pushes back what comes along over its
   neighbour.  With this part bodies slide and roll over such joins as over one shape.  It looks at
   the shapes of one body, and at those of all static bodies together.  No calls, no memory.

   The point of a contact on a shape lies on one or several of its faces, at an edge or a corner.
   Look a little beyond one of them, beneath the others: if a neighbour is there, the surface goes
   on, and that face is an inner one.  A normal that points into it is no possible one (the cone of
   normals of both shapes together lacks it): it is turned to the faces that are left, and the body
   is met with the plane of these in place of the shape, where this plane is over the shape.
   Nothing is left deep inside of a join: the contact is dropped.  Other engines judge the edges of
   a mesh by Voronoi regions in the same way (van den Bergen, Game Developers Conference 2016).

   Joins    Gaps and steps up to slop + margin / 10 + rounding [m] count as none, 1.5 mm by default;
            a higher step is one.  Slopes may meet at any angle; below 7 degrees a ridge counts as
            going on.
   Limits   A capsule over tiles of hulls strays by up to 4 mm; a box over small cells of a height
            field may lift by 0.03 m/s: contact points that it lacks without joins too.  Not in
            barrier contact, and not for what touches a compound body from a half-space, height
            field or mesh.  A kinematic body and a static one are not one.  Sensors, and what the
            body does not collide with, are no neighbours.
   Cost     For each contact of a shape that has a neighbour near the body, a look at all shapes of
            about 10 instructions each.  Not a bit changes where nothing adjoins. */
#ifndef NSC_SEAMS_H
#define NSC_SEAMS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_SEAMS 1 before nsc.h, which then includes nsc_seams.h"
#endif

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_mend_seams(nsc_world *w, nsc_real h);

#elif defined(NSCI_CODE) /* and again */

enum { NSCI_RIM = 8 };
/* Of a contact, in nsci_finding.used, while seams are mended */
enum { NSCI_GHOST, NSCI_FOUND, NSCI_MENDED };

/* What a shape is near a point: the faces that pass it, outward unit normals, and its height over
   their planes [m]; its depth in the shape [m], < 0 outside */
typedef struct nsci_rim {
    nsc_vec3 face[NSCI_RIM];
    nsc_real height[NSCI_RIM];
    nsc_real depth, near;        /* near: faces further away do not count [m] */
    int faces;
} nsci_rim;

static void nsci_add_face(nsci_rim *r, nsc_vec3 face, nsc_real height)
{
    int i = 0;
    if (height < -r->near)
        return;
    while (i < r->faces && nsci_dot3(r->face[i], face) < NSC_R(0.9999))
        i++;
    if (i == NSCI_RIM)
        return;
    r->face[i] = face;
    r->height[i] = height;
    if (i == r->faces)
        r->faces++;
}

/* A face of a convex shape */
static void nsci_add_side(nsci_rim *r, nsc_vec3 face, nsc_real height)
{
    r->depth = nsci_min(r->depth, -height);
    nsci_add_face(r, face, height);
}

#if NSCI_HULLS
static void nsci_rim_of_hull(const nsci_geom *g, nsc_vec3 p, nsci_rim *r)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int i;
    for (i = 0; i < hull->faces; i++) {
        nsc_vec3 on = nsci_hull_vertex(g, hull, hull->corner[hull->first[i]]);
        nsc_vec3 face = nsci_turned_face(g, i);
        nsci_add_side(r, face, nsci_dot3(nsci_sub(p, on), face));
    }
}
#endif

#if NSCI_TERRAIN_PART
/* A triangle, whose corners are relative to the point, and its open edges */
static void nsci_rim_of_facet(const nsci_facet *f, nsci_rim *r)
{
    nsc_vec3 normal = nsci_vec(f->t.half[0], f->t.half[1], f->t.half[2]);
    nsc_vec3 out[3];
    nsc_real beyond[3];
    nsc_real most = -NSC_REAL_MAX;
    int k;
    for (k = 0; k < 3; k++) {
        out[k] = nsci_cross(nsci_along_edge(&f->t, k), normal);
        beyond[k] = -nsci_dot3(f->p[k], out[k]);
        most = nsci_max(most, beyond[k]);
    }
    if (most > 4 * r->near)
        return;
    if (most <= r->near)
        r->depth = nsci_max(r->depth, nsci_dot3(f->p[0], normal));
    nsci_add_face(r, normal, -nsci_dot3(f->p[0], normal));
    for (k = 0; k < 3; k++)
        if (f->open[k])
            nsci_add_face(r, out[k], beyond[k]);
}

/* The triangles within a few lengths of the point, in the frame of the shape */
static void nsci_rim_of_terrain(const nsci_geom *g, nsc_vec3 p, nsci_rim *r)
{
    nsc_real reach = 8 * r->near;
    nsci_facet f;
    int k;
    p = nsci_mul_mtv(&g->axes, nsci_sub(p, g->centre));
    r->depth = -NSC_REAL_MAX;
#if NSC_TERRAIN
    if (g->kind == NSC_SHAPE_HEIGHT_FIELD) {
        const nsc_heights *h = NSCI_FIELD_OF(g);
        int i, j, from[2], to[2];
        nsci_cell_range(p.x - reach, p.x + reach, h->dx, h->nx, &from[0], &to[0]);
        nsci_cell_range(p.y - reach, p.y + reach, h->dy, h->ny, &from[1], &to[1]);
        for (j = from[1]; j <= to[1]; j++)
            for (i = from[0]; i <= to[0]; i++)
                for (k = 0; k < 2; k++) {
                    nsci_field_triangle(h, i, j, k, p, &f);
                    nsci_rim_of_facet(&f, r);
                }
    }
#endif
#if NSC_MESHES
    if (g->kind == NSC_SHAPE_MESH) {
        nsci_mesh_walk x = nsci_walk_mesh(NSCI_MESH_OF(g), p);
        for (k = 0; k < 3; k++) {
            x.box.min[k] = -reach;
            x.box.max[k] = reach;
        }
        while (nsci_next_facet(&x, &f) >= 0)
            if (nsci_facet_meets(&f, &x.box))
                nsci_rim_of_facet(&f, r);
    }
#endif
    for (k = 0; k < r->faces; k++)
        r->face[k] = nsci_mul_mv(&g->axes, r->face[k]);
}
#endif

/* The point p of shape g */
static void nsci_rim_at(const nsci_geom *g, nsc_vec3 p, nsc_real near, nsci_rim *r)
{
    nsc_vec3 d = nsci_sub(p, g->centre);
    nsc_vec3 across;
    nsc_real along = nsci_dot3(d, g->axes.c[2]);
    int k;
    r->faces = 0;
    r->near = near;
    r->depth = NSC_REAL_MAX;
    switch (g->kind) {
    case NSC_SHAPE_BOX:
        for (k = 0; k < 3; k++) {
            nsc_real x = nsci_dot3(d, g->axes.c[k]);
            nsc_vec3 face = x < 0 ? nsci_neg(g->axes.c[k]) : g->axes.c[k];
            nsci_add_side(r, face, nsci_abs(x) - g->half[k]);
        }
        break;
    case NSC_SHAPE_HALF_SPACE:
        nsci_add_side(r, g->axes.c[2], along);
        break;
    NSCI_IF(NSCI_HULLS, case NSC_SHAPE_HULL: nsci_rim_of_hull(g, p, r); break;)
    NSCI_IF(NSC_TERRAIN, case NSC_SHAPE_HEIGHT_FIELD: nsci_rim_of_terrain(g, p, r); break;)
    NSCI_IF(NSC_MESHES, case NSC_SHAPE_MESH: nsci_rim_of_terrain(g, p, r); break;)
    default: /* round about the core; a cylinder has ends too */
        if (g->kind == NSC_SHAPE_CYLINDER)
            nsci_add_side(r, along < 0 ? nsci_neg(g->axes.c[2]) : g->axes.c[2],
                          nsci_abs(along) - g->half[2]);
        else
            along = nsci_clamp(along, -g->half[2], g->half[2]);
        across = nsci_add_sv(d, -along, g->axes.c[2]);
        nsci_add_side(r, nsci_unit(across, g->axes.c[0]), nsci_norm(across) - g->radius);
    }
}

/* Do two shapes move as one? */
static int nsci_are_one(const nsc_world *w, int s, int t)
{
    int a = w->shapes[s].body;
    int b = w->shapes[t].body;
    return s != t && w->shapes[t].generation % 2 == 1 && !nsci_is_off(w, b) &&
           (a == b || (w->bodies[a].kind == NSC_STATIC_BODY &&
                       w->bodies[b].kind == NSC_STATIC_BODY));
}

/* The first shape from t on that moves with shape s, may hold shape `other`, and whose box meets
   the other's; -1: none */
static int nsci_next_beside(const nsc_world *w, int s, int other, int t)
{
    for (; t < w->shape_end; t++)
        if (nsci_overlap(&w->scratch.find.boxes[t], &w->scratch.find.boxes[other]) &&
            nsci_are_one(w, s, t) && !w->shapes[t].def.sensor)
            return t;
    return -1;
}

/* Has some neighbour of shape s, from t on, the point p in it, at least as deep as `least`? */
static int nsci_covered(const nsc_world *w, int s, int other, int t, nsc_vec3 p, nsc_real near,
                        nsc_real least)
{
    nsci_rim r;
    for (; t >= 0; t = nsci_next_beside(w, s, other, t + 1)) {
        nsci_rim_at(&w->scratch.find.geoms[t], p, near, &r);
        if (r.depth >= least && nsci_may_meet(w, t, other))
            return 1;
    }
    return 0;
}

/* A contact of shape s with another, whose neighbours begin with shape `first` */
typedef struct nsci_seam {
    int s, other, first;
    nsc_vec3 on, normal;         /* its point on s; away from s */
    nsc_real near;               /* what counts as rounding [m] */
} nsci_seam;

/* Does the normal point into no inner face (1)?  Else turn it away from these, with a point of the
   faces that are left (0); none is left: -1. */
static int nsci_is_outward(const nsc_world *w, nsci_seam *m)
{
    nsc_vec3 edge = m->on;
    nsc_vec3 along = nsci_vec(0, 0, 0);
    nsci_rim r;
    int inner[NSCI_RIM];
    int i, k, left, into = 0, best = -1;
    nsci_rim_at(&w->scratch.find.geoms[m->s], m->on, m->near, &r);
    left = r.faces;
    for (i = 0; i < r.faces; i++) {
        nsc_vec3 p = nsci_add_sv(m->on, 8 * m->near - r.height[i], r.face[i]);
        for (k = 0; k < r.faces; k++)
            if (k != i)
                p = nsci_add_sv(p, -m->near - r.height[k], r.face[k]);
        inner[i] = nsci_covered(w, m->s, m->other, m->first, p, m->near,
                                r.faces > 1 ? 0 : m->near);
        left -= inner[i];
        into |= inner[i] && nsci_dot3(r.face[i], m->normal) > NSC_R(1e-4);
    }
    if (!into)
        return 1;
    if (left == 0)
        return -1;
    for (i = 0; i < r.faces; i++) {
        if (inner[i])
            continue;
        edge = nsci_add_sv(edge, -r.height[i], r.face[i]);
        if (best >= 0)
            along = nsci_cross(r.face[best], r.face[i]);
        if (best < 0 || nsci_dot3(r.face[i], m->normal) > nsci_dot3(r.face[best], m->normal))
            best = i;
    }
    m->on = edge;
    along = nsci_unit(along, along);
    edge = nsci_add_sv(m->normal, -nsci_dot3(m->normal, along), along);
    m->normal = r.face[best];
    if (left == 2 && nsci_dot3(edge, m->normal) > NSC_R(0.01)) /* an edge that goes on */
        m->normal = nsci_unit(edge, edge);
    return 0;
}

/* Contacts with the plane in place of the one that is *free, where the plane is that of shape s;
   as many as there are.  *free: NULL if it is used */
static void nsci_meet_plane(nsc_world *w, const nsci_seam *m, nsc_contact **free, int side,
                            nsc_real h)
{
    nsci_finding *f = &w->scratch.find;
    nsc_contact like = **free;
    nsc_contact *c;
    nsci_geom plane;
    nsci_rim r;
    int i, n;
    nsci_clear(&plane, sizeof plane);
    plane.kind = NSC_SHAPE_HALF_SPACE;
    plane.centre = m->on;
    nsci_tangents(m->normal, &plane.axes.c[0], &plane.axes.c[1]);
    plane.axes.c[2] = m->normal;
    n = nsci_collide_any(w, &plane, &f->geoms[m->other],
                         w->def.margin + f->reach[m->s] + f->reach[m->other]);
    for (i = 0; i < n; i++) {
        nsci_point *p = &f->points[i];
        nsc_vec3 foot = nsci_add_sv(p->point, NSC_R(-0.5) * p->gap - m->near, m->normal);
        p->normal = side ? nsci_neg(m->normal) : m->normal;
        nsci_rim_at(&f->geoms[m->s], foot, m->near, &r);
        if (r.depth < -m->near ||
            (p->gap > w->def.margin &&
             nsci_gap_after(w, nsci_body_of(w, like.body_a), nsci_body_of(w, like.body_b),
                            nsci_round_of(w, like.shape_a), nsci_round_of(w, like.shape_b), p,
                            h) > 0))
            continue;
        c = *free ? *free : nsci_room(w, p->gap);
        *free = NULL;
        if (!c)
            continue;
        nsci_copy(c, &like, sizeof *c);
        c->feature = UINT32_C(0x40000000) | p->feature;
        c->point = p->point;
        c->normal = p->normal;
        c->gap = p->gap;
        f->used[c - w->found] = NSCI_MENDED;
    }
}

/* Mend contact i as one of its shape a (side 0) or b (1).  *done: normal of the plane that the
   pair's contact before it was replaced by, on the same side; or 0 */
static void nsci_mend_side(nsc_world *w, int i, int side, nsc_real h, nsc_vec3 *done)
{
    nsc_contact *c = &w->found[i];
    nsci_seam m;
    int k, kind, way;
    m.s = nsci_rank(side ? c->shape_b : c->shape_a) - 1;
    m.other = nsci_rank(side ? c->shape_a : c->shape_b) - 1;
    kind = w->scratch.find.geoms[m.other].kind;
    m.first = nsci_next_beside(w, m.s, m.other, 0);
    if (m.first < 0 || (kind >= NSC_SHAPE_HALF_SPACE && kind != NSC_SHAPE_HULL))
        return;
    m.normal = side ? nsci_neg(c->normal) : c->normal;
    m.on = nsci_add_sv(c->point, NSC_R(-0.5) * c->gap, m.normal);
    m.near = w->def.slop + NSC_R(0.1) * w->def.margin +
             32 * NSC_REAL_EPS *
                 (nsci_norm(m.on) + nsci_norm(w->bodies[w->shapes[m.s].body].position));
    way = nsci_is_outward(w, &m);
    for (k = 0; k < w->found_count && way < 1; k++)
        if (w->scratch.find.used[k] == NSCI_FOUND && nsci_same_pair(&w->found[k], c) &&
            nsci_dot3(w->found[k].normal, c->normal) > NSC_R(0.9999))
            w->scratch.find.used[k] = NSCI_GHOST; /* those of one face or edge */
    if (way != 0 || nsci_dot3(m.normal, *done) > NSC_R(0.9999))
        return;
    *done = m.normal;
    nsci_meet_plane(w, &m, &c, side, h);
}

/* Mend the contacts just found. */
static void nsci_mend_seams(nsc_world *w, nsc_real h)
{
    uint8_t *stays = w->scratch.find.used;
    nsc_vec3 done[2];
    int i, side, count = w->found_count, n = 0;
    if (nsci_is_barrier(w))
        return;
    for (i = 0; i < NSC_MAX_CONTACTS; i++)
        stays[i] = NSCI_FOUND;
    for (i = 0; i < count; i++) {
        const nsc_contact *c = &w->found[i];
        if (i == 0 || !nsci_same_pair(c - 1, c))
            done[0] = done[1] = nsci_vec(0, 0, 0);
        for (side = 0; side < 2 && stays[i] == NSCI_FOUND && c->shape_a >= 0 && !c->sensor; side++)
            nsci_mend_side(w, i, side, h, &done[side]);
    }
    for (i = 0; i < w->found_count; i++)
        if (stays[i] && n++ < i)
            nsci_copy(&w->found[n - 1], &w->found[i], sizeof *w->found);
    w->found_count = n;
}

#endif
