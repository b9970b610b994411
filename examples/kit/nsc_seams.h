/* nsc_seams.h - bodies pass over the joins of shapes; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_SEAMS 1.
   Beside it: nsc.h.
   Floors laid of boxes, hulls, height fields or meshes side by side have edges and sides that no
   body can reach, but each shape by itself does not know: it pushes back what comes along over its
   neighbour.  With this part bodies slide and roll over such joins as over one shape.  It looks at
   shapes of one body, and at those of all static bodies together.  No call, no memory in a world.

   The point of a contact on a shape lies on one or several of its faces, at an edge or a corner.
   Look a little beyond one of them, beneath the others: if a neighbour is there, the surface goes
   on, and that face is an inner one.  The normal may point into none: it is turned to the faces
   that are left (the cone of normals of both shapes together), and the gap with it.  The contact
   is dropped where no face is left, or where the neighbour has one that holds the body alike.  The
   idea is that of the Voronoi regions by which other engines judge edges of meshes (van den Bergen,
   Game Developers Conference 2016), on what is solid rather than on lists of edges.

   Joins    Gaps and steps up to slop + margin / 10 + rounding [m] count as none: 1.5 mm by default.
            A higher step is one.  Slopes may meet at any angle.
   Limits   Not in barrier contact.  A kinematic body's shapes and a static body's are two bodies.
            Neighbours that are sensors, or do not collide with the body, do not count.
   Cost     For each contact whose shape has a neighbour near the other, a look at all shapes: about
            10 instructions each.  Nothing else changes: not a bit where nothing adjoins. */
#ifndef NSC_SEAMS_H
#define NSC_SEAMS_H

#elif defined(NSCI_CODE) /* nsc.h includes it again */

enum { NSCI_RIM = 8 };

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
    nsci_aabb box;
    nsci_facet f;
    int k;
    p = nsci_mul_mtv(&g->axes, nsci_sub(p, g->centre));
    r->depth = -NSC_REAL_MAX;
    for (k = 0; k < 3; k++) {
        box.min[k] = -reach;
        box.max[k] = reach;
    }
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
        x.box = box;
        while (nsci_next_facet(&x, &f) >= 0)
            if (nsci_facet_meets(&f, &box))
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

/* The first neighbour of shape s from t on that has p in it, at least as deep as `least`; -1: none
 */
static int nsci_covers(const nsc_world *w, int s, int other, int t, nsc_vec3 p, nsc_real near,
                       nsc_real least)
{
    nsci_rim r;
    for (; t >= 0; t = nsci_next_beside(w, s, other, t + 1)) {
        nsci_rim_at(&w->scratch.find.geoms[t], p, near, &r);
        if (r.depth >= least && nsci_may_meet(w, t, other))
            return t;
    }
    return -1;
}

/* Does a contact of shape t hold the other shape along this normal, which points away from t?  One
   that is round: at this place. */
static int nsci_holds(const nsc_world *w, int t, int other, nsc_vec3 normal, nsc_vec3 place)
{
    nsc_real radius = w->scratch.find.geoms[other].radius;
    int i;
    for (i = 0; i < w->found_count; i++) {
        const nsc_contact *c = &w->found[i];
        int a = nsci_rank(c->shape_a) - 1;
        int b = nsci_rank(c->shape_b) - 1;
        nsc_real along = nsci_dot3(c->normal, normal);
        nsc_vec3 d = nsci_sub(c->point, place);
        if (!w->scratch.find.used[i] || (radius > 0 && nsci_dot3(d, d) > radius * radius))
            continue;
        if ((a == t && b == other && along > NSC_R(0.99)) ||
            (a == other && b == t && along < NSC_R(-0.99)))
            return 1;
    }
    return 0;
}

/* Turn the contact's normal away from the inner faces of its shape a (side 0) or b (1), whose first
   neighbour is given.  Returns 0: no such contact. */
static int nsci_mend_side(nsc_world *w, nsc_contact *c, int side, int s, int other, int first,
                          nsc_real h)
{
    nsc_vec3 normal = side ? nsci_neg(c->normal) : c->normal; /* away from shape s */
    nsc_vec3 on = nsci_add_sv(c->point, NSC_R(-0.5) * c->gap, normal);
    nsc_vec3 top = nsci_add_sv(on, c->gap, normal);           /* the other shape's point */
    nsc_vec3 edge = on;                                       /* on the planes of the faces left */
    nsc_vec3 along = nsci_vec(0, 0, 0);
    nsc_vec3 at = w->bodies[w->shapes[s].body].position;
    nsc_real near = w->def.slop + NSC_R(0.1) * w->def.margin +
                    32 * NSC_REAL_EPS * (nsci_norm(on) + nsci_norm(at));
    nsci_rim r;
    int inner[NSCI_RIM];
    int i, k, left, into = 0, best = -1;
    nsci_rim_at(&w->scratch.find.geoms[s], on, near, &r);
    left = r.faces;
    for (i = 0; i < r.faces; i++) {
        nsc_vec3 p = nsci_add_sv(on, 8 * near - r.height[i], r.face[i]);
        for (k = 0; k < r.faces; k++)
            if (k != i)
                p = nsci_add_sv(p, -near - r.height[k], r.face[k]);
        inner[i] = nsci_covers(w, s, other, first, p, near, r.faces > 1 ? 0 : near) >= 0;
        left -= inner[i];
        into |= inner[i] && nsci_dot3(r.face[i], normal) > NSC_R(1e-4);
    }
    if (!into)
        return 1;
    if (left == 0)
        return 0;
    for (i = 0; i < r.faces; i++) {
        if (inner[i])
            continue;
        edge = nsci_add_sv(edge, -r.height[i], r.face[i]);
        if (best >= 0)
            along = nsci_cross(r.face[best], r.face[i]);
        if (best < 0 || nsci_dot3(r.face[i], normal) > nsci_dot3(r.face[best], normal))
            best = i;
    }
    if (left == 2) { /* an edge that goes on: no part along it */
        along = nsci_unit(along, along);
        normal = nsci_unit(nsci_add_sv(normal, -nsci_dot3(normal, along), along), r.face[best]);
    }
    if (left != 2 || nsci_dot3(normal, r.face[best]) < NSC_R(0.01))
        normal = r.face[best];
    c->gap = nsci_dot3(nsci_sub(top, edge), normal);
    c->point = nsci_add_sv(top, NSC_R(-0.5) * c->gap, normal);
    c->normal = side ? nsci_neg(normal) : normal;
    top = nsci_add_sv(top, -near - c->gap, normal);
    for (i = first; i >= 0; i = nsci_next_beside(w, s, other, i + 1)) {
        i = nsci_covers(w, s, other, i, top, near, -near);
        if (i < 0)
            break;
        if (nsci_holds(w, i, other, normal, top))
            return 0;
    }
    return !(c->gap > w->def.margin &&
             nsci_gap_after(w, nsci_body_of(w, c->body_a), nsci_body_of(w, c->body_b), c->point,
                            c->normal, c->gap, h) > 0);
}

/* Mend the contacts just found. */
static void nsci_mend_seams(nsc_world *w, nsc_real h)
{
    uint8_t *stays = w->scratch.find.used;
    int i, side, n = 0;
    if (nsci_is_barrier(w))
        return;
    for (i = 0; i < w->found_count; i++)
        stays[i] = 1;
    for (i = 0; i < w->found_count; i++) {
        nsc_contact *c = &w->found[i];
        int a = nsci_rank(c->shape_a) - 1;
        int b = nsci_rank(c->shape_b) - 1;
        for (side = 0; side < 2 && a >= 0 && stays[i] && !c->sensor; side++) {
            int s = side ? b : a;
            int other = side ? a : b;
            int first = nsci_next_beside(w, s, other, 0);
            stays[i] = 0; /* a contact does not hold itself */
            stays[i] = first < 0 || nsci_mend_side(w, c, side, s, other, first, h);
        }
    }
    for (i = 0; i < w->found_count; i++)
        if (stays[i] && n++ < i)
            nsci_copy(&w->found[n - 1], &w->found[i], sizeof *w->found);
    w->found_count = n;
}

#endif
