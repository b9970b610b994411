/* nsc_terrain.h - height fields; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_TERRAIN 1.
   Beside it: nsc.h, nsc_convex.h, nsc_support.h.
   Meshes need it too.

   A shape is tested against a height field or mesh triangle by triangle, in the frame of the field
   or mesh.  In which directions a triangle may push depends on its neighbours: a shape must not
   catch on an inner edge of level ground.

   Limits   Of boxes that fall on ridges and rocks of slopes 0.5 to 4 one in 200 is lifted by 20 mm
            in some step: a triangle pushes it the long way out. */
#ifndef NSC_TERRAIN_H
#define NSC_TERRAIN_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_TERRAIN 1 before nsc.h, which then includes nsc_terrain.h"
#endif
#ifndef NSC_TERRAIN
#define NSC_TERRAIN 0 /* meshes asked for this file */
#endif

/* Terrain of nx by ny heights in the frame of its shape, a grid centred on it: sample (i, j) is at
   x = (i - (nx - 1) / 2) dx, and y likewise.  A cell is two triangles, cut from (i, j) to
   (i + 1, j + 1); solid below.  It stays where it is, in flash or static memory. */
typedef struct nsc_heights {
    const nsc_real *height;      /* [m] row by row: (i, j) is height[j nx + i] */
    uint16_t nx, ny;             /* 2 <= nx, ny */
    nsc_real dx, dy;             /* > 0 [m] */
    nsc_real low, high;          /* no height is below or above these [m]: nsc_heights_complete */
} nsc_heights;

#if NSC_TERRAIN
/* Write the least and the greatest height to low and high, for a field that is not a constant.
   Returns 0, or NSC_ERR_ARGUMENT for NULL or no heights.  Cost: heights. */
NSC_API int nsc_heights_complete(nsc_heights *field);

/* Give the world your table of height fields, `count` pointers, 0..65535.  Table and heights are
   read in every step: they must stay, and stay as they are.  All is checked here alone.  Only
   nsc_world_init forgets the table; another may take its place if it has a field for every shape.
   Returns 0; NSC_ERR_NOT_FINITE; or NSC_ERR_ARGUMENT: NULL, a size or step out of range, one whose
   square or inverse overflows, a height not within low..high, more than INT_MAX / 2 heights.
   Cost: heights. */
NSC_API int nsc_world_set_fields(nsc_world *world, const nsc_heights *const *fields, int count);

/* Make field `index` of the table a shape; any number of shapes may have the same one.  The body
   must not be dynamic.  Errors as nsc_world_add_shape; NSC_ERR_ARGUMENT also where the table has no
   such field.  World, images and hash (nsc_image.h) hold the index. */
NSC_API nsc_id nsc_world_add_height_field(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                          int index);
NSC_API nsc_shape_def nsc_default_height_field_def(void);
#endif

/* Height field of a shape, or NULL */
#define NSCI_FIELD_OF(g) \
    ((g)->kind == NSC_SHAPE_HEIGHT_FIELD ? (const nsc_heights *)(g)->data : NULL)

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_FIELD_REASONS(R) \
    R(NSCI_NO_HEIGHTS, "height field", \
      "index in the table of nsc_world_set_fields; the value is what was asked for") \
    R(NSCI_BAD_HEIGHTS, "nsc_heights", \
      "2 <= nx and ny, 0 < dx and dy, low <= heights <= high, all finite, with their squares; " \
      "the value is its index")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

#if NSC_TERRAIN
static int nsci_bound_field(const nsci_geom *g, nsc_real half[3], nsc_vec3 *centre);
#else
#define nsci_bound_field(g, half, centre) 0
#endif
NSCI_OWN_FRAME int nsci_collide_terrain(nsc_world *w, nsci_geom *a, const nsci_geom *b,
                                        nsc_real distance);

#elif defined(NSCI_CODE) /* and again */

#if NSC_TERRAIN
NSC_API nsc_shape_def nsc_default_height_field_def(void)
{
    return nsci_shape_def(NSC_SHAPE_HEIGHT_FIELD, 0, 0, 0, 0);
}

NSC_API int nsc_heights_complete(nsc_heights *field)
{
    long i, n = field ? (long)field->nx * field->ny : 0;
    if (n < 1 || !field->height)
        return NSC_ERR_ARGUMENT;
    field->low = field->high = field->height[0];
    for (i = 1; i < n; i++) {
        field->low = nsci_min(field->low, field->height[i]);
        field->high = nsci_max(field->high, field->height[i]);
    }
    return NSC_OK;
}

/* ---- what the core asks about height fields */

static int nsci_bound_field(const nsci_geom *g, nsc_real half[3], nsc_vec3 *centre)
{
    const nsc_heights *field = NSCI_FIELD_OF(g);
    nsc_real low;
    if (!field)
        return 0;
    half[0] = NSC_R(0.5) * (nsc_real)(field->nx - 1) * field->dx;
    half[1] = NSC_R(0.5) * (nsc_real)(field->ny - 1) * field->dy;
    /* Solid ground: also reach shapes that sank below its surface */
    low = field->low - 2 * nsci_max(half[0], half[1]);
    half[2] = NSC_R(0.5) * (field->high - low);
    *centre = nsci_add_sv(*centre, NSC_R(0.5) * (field->high + low), g->axes.c[2]);
    return 1;
}

/* ---- height fields of the caller */

/* Can the cells of a height field have normals?  Their area, its square and its inverse must be
   finite. */
static int nsci_is_cell(nsc_real dx, nsc_real dy)
{
    nsc_real area = dx * dy;
    return dx > 0 && dy > 0 && nsci_finite(area * area) && nsci_finite(1 / area);
}

static int nsci_check_heights(nsci_why *note, const nsc_heights *f, int index)
{
    const int most = (int)((unsigned)-1 >> 1) / 2; /* an int numbers the triangles, two a height */
    nsc_real range;
    int i, n, in = 1;
    if (!f || !f->height)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, (nsc_real)index);
    if (f->nx < 2 || f->ny < 2 || (long)f->nx > most || f->ny > most / (int)f->nx)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HEIGHTS, (nsc_real)index);
    n = (int)f->nx * (int)f->ny;
    range = f->high - f->low;
    if (!nsci_all_finite(f->height, n) || !nsci_finite((nsc_real)f->nx * f->dx) ||
        !nsci_finite((nsc_real)f->ny * f->dy) || !nsci_finite(f->low) || !nsci_finite(f->high))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_HEIGHTS, (nsc_real)index);
    for (i = 0; i < n; i++)
        in &= f->height[i] >= f->low && f->height[i] <= f->high;
    if (!in || !nsci_is_cell(f->dx, f->dy) || !nsci_finite(range * range))
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HEIGHTS, (nsc_real)index);
    return NSC_OK;
}

NSC_API int nsc_world_set_fields(nsc_world *w, const nsc_heights *const *fields, int count)
{
    int i;
    int code = nsci_check_table(w, fields != NULL, count, NSC_SHAPE_HEIGHT_FIELD, NSCI_NO_HEIGHTS);
    for (i = 0; i < count && code == NSC_OK; i++)
        code = nsci_check_heights(&w->note, fields[i], i);
    if (code < 0)
        return code;
    w->fields = fields;
    w->field_count = count;
    return NSC_OK;
}

NSC_API nsc_id nsc_world_add_height_field(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                          int index)
{
    return nsci_add_named(w, body, def, NSC_SHAPE_HEIGHT_FIELD, index, w ? w->field_count : 0,
                          NSCI_NO_HEIGHTS);
}
#endif

/* ---- collision with triangles, those of meshes too */

/* A triangle of a height field or mesh, and its neighbours */
typedef struct nsci_facet {
    nsci_geom t;
    nsc_vec3 p[3];               /* corners */
    nsc_vec3 apex[3];            /* far corner of the neighbour across each edge */
    int open[3];                 /* 1: the edge has no neighbour */
    int drops;                   /* 1: the ground drops vertically at open edges: a height field;
                                    0: it ends there: a mesh */
    uint32_t number;             /* of the triangle in its shape */
    int under;                   /* 1: the shape's middle is below or behind it */
    uint32_t of[NSCI_MAX_POINTS]; /* the number for each point found, or NSCI_NO_FACET */
    NSCI_IF(NSC_MESHES, const nsc_mesh_triangle *own;) /* of a mesh */
    int cut;                     /* 1: the shape cuts or touches some triangle */
    int held;                    /* 1: some triangle has a point within the margin */
    int last;                    /* 1: second pass, as it is cut and not held */
} nsci_facet;

#if NSC_MESHES
#define NSCI_OF_MESH(f) (!(f)->drops)
static int nsci_tops_mesh(const nsci_facet *f, int k, nsc_vec3 m);
#else
#define NSCI_OF_MESH(f) 0
#define nsci_tops_mesh(f, k, m) 1
#endif
#if NSC_TERRAIN
static int nsci_tops_field(const nsci_facet *f, int k, nsc_vec3 m);
#else
#define nsci_tops_field(f, k, m) 1
#endif

/* Fill in the triangle with corners f->p. */
static void nsci_make_triangle(nsci_facet *f)
{
    nsci_geom *t = &f->t;
    const nsc_vec3 *p = f->p;
    nsc_vec3 n;
    int k;
    t->kind = NSCI_TRIANGLE;
    t->radius = 0;
    t->centre = nsci_mul_sv(NSC_R(1.0) / 3, nsci_add(nsci_add(p[0], p[1]), p[2]));
    for (k = 0; k < 3; k++)
        t->axes.c[k] = nsci_sub(p[k], t->centre);
    n = nsci_unit(nsci_triangle_normal(p[0], p[1], p[2]), nsci_vec(0, 0, 1));
    nsci_put_vec(t->half, n);
    t->data = NULL;
}

/* Unit direction of the edge that begins at corner k */
static nsc_vec3 nsci_along_edge(const nsci_geom *t, int k)
{
    nsc_vec3 e = nsci_sub(t->axes.c[(k + 1) % 3], t->axes.c[k]);
    return nsci_unit(e, e);
}

/* The part of a triangle that is furthest along m: 0..2 a corner; 3..5 the edge that begins
   at corner 0..2; -1 all of it */
static int nsci_top_part(const nsci_facet *f, nsc_vec3 m)
{
    nsc_vec3 e;
    int i;
    int k = nsci_furthest(f->t.axes.c, 3, m);
    int edge = -1;
    int edges = 0;
    for (i = 1; i < 3; i++) {
        e = nsci_sub(f->p[(k + i) % 3], f->p[k]);
        if (nsci_dot3(m, e) <= NSC_R(-1e-3) * nsci_norm(e))
            continue;
        edge = i == 1 ? k : (k + 2) % 3;
        edges++;
    }
    return edges == 0 ? k : edges == 1 ? 3 + edge : -1;
}

/* May the triangle push along m?  Where m leans out over the edge that is furthest along it, the
   ground beyond must fall away from m by 90 degrees or more: it does not at an inner edge of level
   ground, or in a valley.  A corner pushes if all edges there fall away from m.  Beyond the border
   of a height field the ground counts as a vertical drop, beyond that of a mesh there is none.  A
   mere point is as far from ground as from its nearest triangle: over a field it may lean as it
   likes. */
static int nsci_may_lean(const nsci_facet *f, nsc_vec3 m, int point)
{
    const nsci_geom *t = &f->t;
    nsc_vec3 normal = nsci_face_normal(t, 0);
    nsc_vec3 apex;
    nsc_real slack = NSC_R(1e-3);
    int k;
    int part = nsci_top_part(f, m);
    if (nsci_dot3(m, normal) <= 0)
        return 0;
    if (point && f->drops)
        return 1;
    if (part >= 0 && part < 3)
        return NSCI_OF_MESH(f) ? nsci_tops_mesh(f, part, m) : nsci_tops_field(f, part, m);
    for (k = 0; k < 3; k++) {
        nsc_vec3 e = nsci_along_edge(t, k);
        nsc_vec3 out = nsci_cross(e, normal);
        if (nsci_dot3(m, out) <= slack || (part >= 0 && k != part - 3))
            continue;
        if (f->open[k]) {
            if (f->drops && m.z < 0)
                return 0;
            continue;
        }
        apex = nsci_sub(f->apex[k], nsci_add(t->centre, t->axes.c[k]));
        if (nsci_dot3(m, nsci_unit(nsci_without(apex, e), out)) > slack)
            return 0;
    }
    return 1;
}

/* Is the patch (face or edge) parallel to this plane? */
static int nsci_patch_lies(const nsci_patch *f, nsc_vec3 normal)
{
    nsc_vec3 d = nsci_sub(f->p[f->n > 1], f->p[0]);
    if (f->n > 2)
        return nsci_abs(nsci_dot3(f->normal, normal)) > NSC_R(0.9999);
    return nsci_abs(nsci_dot3(d, normal)) < NSC_R(0.01) * nsci_norm(d);
}

/* Greatest of the separations across the three edges, in the triangle's plane, across the shape's
   faces, and across a cylinder's axis at the corners, from behind the triangle too */
static nsc_real nsci_side_gap(const nsci_geom *a, const nsci_geom *t)
{
    nsc_vec3 normal = nsci_face_normal(t, 0);
    nsc_real most = -NSC_REAL_MAX;
    int k;
    for (k = 0; k < 3; k++) {
        nsc_vec3 corner = nsci_add(t->centre, t->axes.c[k]);
        most = nsci_max(most, nsci_gap(a, t, nsci_cross(normal, nsci_along_edge(t, k))));
        if (nsci_is_cylinder(a))
            most = nsci_max(most, nsci_gap(a, t, nsci_across(a, nsci_sub(corner, a->centre))));
    }
    for (k = 0; k < nsci_face_count(a); k++)
        most = nsci_max(most, nsci_gap(a, t, nsci_face_normal(a, k)));
    return most;
}

/* The edges, a bit each, across which the ground goes on level or rises: what ends at one of them
   goes on in the neighbour. */
static unsigned nsci_goes_on(const nsci_facet *f)
{
    nsc_vec3 normal = nsci_face_normal(&f->t, 0);
    unsigned edges = 0;
    int k;
    for (k = 0; k < 3; k++) {
        nsc_vec3 out = nsci_cross(nsci_along_edge(&f->t, k), normal);
        nsc_vec3 apex = nsci_sub(f->apex[k], nsci_add(f->t.centre, f->t.axes.c[k]));
        nsc_real rise = nsci_dot3(apex, normal);
        if (!f->open[k] && nsci_dot3(apex, out) > 0 && rise >= -NSC_R(1e-4) * nsci_norm(apex))
            edges |= 1u << k;
    }
    return edges;
}

/* Leave out the spots that end at such edges alone.  The id has the number of the edge that cut
   there, and of the edge that cut before if this is a corner of the triangle (nsci_clip_spots). */
static int nsci_leave_to_neighbours(nsci_spot *c, int n, unsigned edges)
{
    int i, kept = 0;
    for (i = 0; i < n; i++) {
        int cut = c[i].id - NSCI_CUT;
        unsigned by = cut < 0 ? 8 : 1u << cut % 3;
        if (cut >= 48 * 48)
            by |= 1u << cut / 48 % 3;
        if (by & ~edges)
            c[kept++] = c[i];
    }
    return kept;
}

/* Contacts of shape and triangle.  If nsci_may_lean rules out the direction of least separation,
   the triangle's own normal is used, and of a shape that does not lie flat only the lowest corners:
   the rest touches other triangles' edges.  A height field always pushes a shape whose middle is
   below up along that normal.  Where the ground goes on under what lies flat, points are at the
   shape's ends alone, not where this triangle's end: else they would crowd out those.
   A mesh's triangle leaves alone a shape that is wholly behind it.  It also leaves alone one that
   is more than twice as deep along the direction of least separation as across the nearest edge, or
   more than twice as deep along the normal as in one of these: such a shape lies on a neighbour and
   hangs over this triangle, the side of a solid.  If no triangle then holds a shape that cuts some,
   those push in a second pass: along the normal if the middle is behind, else along the direction
   of least separation.  So do those of a height field, as where a peak pokes the side of a rod. */
static int nsci_triangle_contacts(nsci_convex_scratch *x, const nsci_geom *a, nsci_facet *f,
                                  nsc_real distance)
{
    nsci_geom *t = &f->t;
    nsc_vec3 down = nsci_neg(nsci_face_normal(t, 0));
    nsc_vec3 p;
    nsci_way way, own;
    nsc_real size = nsci_size(a);
    nsc_real much = NSC_R(1e-3) * size;
    nsc_real least = NSC_REAL_MAX;
    nsc_real pushed = f->under ? nsci_rounding(a) : 0;
    nsc_real beside;
    int n;
    int steep = 0;
    unsigned left;
    int mesh = NSCI_OF_MESH(f);
    int last = f->last;
    own.n = down;
    own.side = 1;
    own.s = nsci_gap(a, t, down);
    if (own.s > distance || (mesh && nsci_gap(a, t, nsci_neg(down)) >= 0))
        return 0;
    if (mesh && f->under && !last) {
        f->cut |= own.s < 0;
        return 0;
    }
    if (mesh && last && nsci_gjk(x, a, t, pushed, &way.n) > pushed)
        return 0;
    if (!f->under) {
        if (!nsci_find_way(x, a, t, distance, &way))
            return 0;
        if (mesh && last)
            return nsci_patch_points(x, a, t, &way, distance, x->use.clip.own);
        if (a->kind == NSC_SHAPE_SPHERE && nsci_dot3(way.n, down) < 0)
            return 0; /* a ball behind it, and under or before another */
        f->cut |= way.s < (mesh ? 0 : much);
        if (mesh)
            least = 2 * nsci_min(nsci_side_gap(a, t), 0) - much;
        if (mesh && way.s < nsci_min(least, -nsci_rounding(a)))
            return 0; /* where the cores are apart, the direction is exact */
        steep = way.side != 1 && nsci_dot3(way.n, down) < NSC_R(0.999998);
        if (steep && (last || nsci_may_lean(f, nsci_neg(way.n), !(size > 0))))
            return nsci_patch_points(x, a, t, &way, distance, x->use.clip.own);
        /* GJK's way and the plane's differ by rounding, of a point too, for which `much` is 0 */
        if (mesh && own.s < nsci_max(least, way.s + nsci_min(way.s, -NSC_R(0.001) * way.s) - much))
            return 0;
    }
    nsci_find_patch(a, down, &x->use.clip.patch[0]);
    nsci_find_patch(t, nsci_neg(down), &x->use.clip.patch[1]);
    left = steep ? 7 : 0;
    if (nsci_patch_lies(&x->use.clip.patch[0], down))
        left = f->under ? 0 : nsci_goes_on(f); /* neighbours may be out of reach above */
    else if (steep)
        distance = nsci_min(distance, own.s + much);
    /* a ball's point may be beside both faces at an edge that is nearly flat */
    beside = mesh && x->use.clip.patch[0].n == 1 ? 10 * much : NSC_R(3e-3) * size;
    n = nsci_face_spots(x, a, t, &own, beside);
    if (n > 0 || steep) { /* else the lowest point may be beside the triangle, by a little */
        n = nsci_leave_to_neighbours(x->use.clip.spots, n, left);
        return nsci_spot_contacts(x, n, &own, distance, x->use.clip.own);
    }
    p = nsci_add_sv(nsci_support(a, down), nsci_rounding(a), down);
    return nsci_put(x->use.clip.own, 0, p, down, own.s, distance, 3);
}

#define NSCI_NO_FACET UINT32_MAX

/* Make p of this triangle point i of those found.  One that the shape's middle is under has no
   number: its points are never left out as longer ways. */
static void nsci_hold_point(nsc_world *w, nsci_facet *f, int i, const nsci_point *p)
{
    w->scratch.find.points[i] = *p;
    f->of[i] = f->under ? NSCI_NO_FACET : f->number;
}

/* Add a point to those found.  Each normal direction keeps four: the deepest and those widest
   apart.  Of two points nearer than `same` [m] the deeper stays. */
static int nsci_gather(nsc_world *w, nsci_facet *f, int n, const nsci_point *p, nsc_real same)
{
    int i, k, kept, count = 0, pick[4], member[NSC_MANIFOLD + 1];
    nsci_spot *c = w->scratch.find.convex.use.clip.spots;
    nsci_point *out = w->scratch.find.points;
    for (i = 0; i < n && count < NSC_MANIFOLD; i++) {
        nsc_vec3 d = nsci_sub(out[i].point, p->point);
        if (nsci_dot3(out[i].normal, p->normal) < NSC_R(0.9995))
            continue;
        if (nsci_dot3(d, d) < same * same) {
            if (p->gap < out[i].gap)
                nsci_hold_point(w, f, i, p);
            return n;
        }
        member[count++] = i;
    }
    if (count == NSC_MANIFOLD) {
        for (i = 0; i <= count; i++) {
            const nsci_point *q = i < count ? &out[member[i]] : p;
            c[i].p = q->point;
            c[i].w = q->gap;
            c[i].id = (uint16_t)i;
        }
        kept = nsci_spread(c, count + 1, p->normal, w->def.margin / 16, pick);
        /* Drop the last point not chosen: p, or a member, whose place p takes */
        for (i = count; i >= 0 && nsci_is_picked(pick, kept, i);)
            i--;
        if (i >= 0) {
            if (i < count)
                nsci_hold_point(w, f, member[i], p);
            return n;
        }
    }
    if (n < NSCI_MAX_POINTS) {
        nsci_hold_point(w, f, n, p);
        return n + 1;
    }
    for (i = 1, k = 0; i < n; i++)
        if (out[i].gap > out[k].gap)
            k = i;
    w->scratch.find.lost += nsci_max(p->gap, out[k].gap) <= w->def.margin;
    if (p->gap < out[k].gap)
        nsci_hold_point(w, f, k, p);
    return n;
}

/* Add the contacts of shape a with a triangle to the n points found. */
static int nsci_facet_contacts(nsc_world *w, const nsci_geom *a, nsci_facet *f,
                               nsc_real distance, int n)
{
    nsci_convex_scratch *x = &w->scratch.find.convex;
    nsc_real same = NSC_R(1e-2) * nsci_size(a);
    int k;
    int count = nsci_triangle_contacts(x, a, f, distance);
    for (k = 0; k < count; k++) { /* a corner of the shape keeps its id on every triangle */
        uint32_t id = x->use.clip.own[k].feature;
        int corner = id >> 27 == 1 && (id & 8191) < 64;
        f->held |= x->use.clip.own[k].gap <= w->def.margin;
        x->use.clip.own[k].feature = corner ? UINT32_C(0x80000000) | id
                                   : f->number << 13 ^ (id & UINT32_C(0x1fff)) ^ id >> 28 << 12;
        n = nsci_gather(w, f, n, &x->use.clip.own[k], same);
    }
    return n;
}

static void nsci_begin_passes(nsci_facet *f) { f->cut = f->held = f->last = 0; }

/* The first pass over all triangles, and a second if the first left a shape that cuts some */
static int nsci_needs_pass(const nsci_facet *f)
{
    return f->last == 0 || (f->last == 1 && f->cut && !f->held);
}

#if !NSC_TERRAIN
#define nsci_field_contacts(w, a, b, box, origin, distance) 0
#else
/* Index of the middle of so many samples */
static nsc_real nsci_middle_of(int samples) { return NSC_R(0.5) * (nsc_real)(samples - 1); }

/* For both triangles of a cell: (column, row) of the corners, then, for the edge that begins at
   each, of the neighbour's far corner */
static const signed char nsci_corners[2][6][2] = {
    {{0, 0}, {1, 0}, {1, 1}, {0, -1}, {2, 1}, {0, 1}},
    {{0, 0}, {1, 1}, {0, 1}, {1, 0}, {1, 2}, {-1, 0}}
};

/* Position of sample (i, j) from `origin` [m]; returns 0 outside the field */
static int nsci_sample(const nsc_heights *f, int i, int j, nsc_vec3 origin, nsc_vec3 *p)
{
    if (i < 0 || j < 0 || i >= f->nx || j >= f->ny)
        return 0;
    p->x = ((nsc_real)i - nsci_middle_of(f->nx)) * f->dx - origin.x;
    p->y = ((nsc_real)j - nsci_middle_of(f->ny)) * f->dy - origin.y;
    p->z = f->height[j * f->nx + i] - origin.z;
    return 1;
}

/* One of the two triangles (0, 1) of cell (i, j) */
static void nsci_field_triangle(const nsc_heights *g, int i, int j, int which, nsc_vec3 origin,
                                nsci_facet *f)
{
    int k;
    for (k = 0; k < 3; k++) {
        const signed char *own = nsci_corners[which][k], *far = nsci_corners[which][3 + k];
        f->p[k] = origin;
        nsci_sample(g, i + own[0], j + own[1], origin, &f->p[k]);
        f->open[k] = !nsci_sample(g, i + far[0], j + far[1], origin, &f->apex[k]);
    }
    f->drops = 1;
    f->number = 2 * ((uint32_t)j * g->nx + (uint32_t)i) + (uint32_t)which;
    nsci_make_triangle(f);
    f->t.data = g;
}

/* Does the ground about corner k fall away from m on all sides? */
static int nsci_tops_field(const nsci_facet *f, int k, nsc_vec3 m)
{
    static const signed char around[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    const nsc_heights *g = (const nsc_heights *)f->t.data;
    const signed char *own = nsci_corners[f->number % 2][k];
    int i = (int)(f->number / 2 % g->nx) + own[0];
    int j = (int)(f->number / 2 / g->nx) + own[1];
    nsc_vec3 at = nsci_vec(0, 0, 0);
    int n;
    nsci_sample(g, i, j, at, &at);
    for (n = 0; n < 6; n++) {
        nsc_vec3 e = nsci_vec(0, 0, -1); /* beyond the border */
        nsci_sample(g, i + around[n][0], j + around[n][1], at, &e);
        if (nsci_dot3(m, e) > NSC_R(1e-3) * nsci_norm(e))
            return 0;
    }
    return 1;
}

/* Is the shape's middle vertically below the triangle?  p: its corners, relative to the middle */
static int nsci_under(const nsci_geom *t, const nsc_vec3 *p)
{
    int k, in = 1;
    for (k = 0; k < 3; k++) {
        nsc_vec3 q = p[(k + 1) % 3];
        in &= p[k].x * q.y - p[k].y * q.x >= 0;
    }
    return in && nsci_dot3(p[0], nsci_face_normal(t, 0)) > 0;
}

/* Cells from..to that the interval lo..hi [m] covers along one axis; from > to: none */
static void nsci_cell_range(nsc_real lo, nsc_real hi, nsc_real step, int samples, int *from,
                            int *to)
{
    nsc_real half = nsci_middle_of(samples);
    nsc_real last = (nsc_real)(samples - 2);
    lo = lo / step + half;
    hi = hi / step + half;
    *from = 1;
    *to = 0;
    if (!(hi >= 0) || !(lo <= last + 1))
        return;
    *from = (int)nsci_min(nsci_max(lo, 0), last); /* lo, hi may be infinite */
    *to = (int)nsci_min(nsci_max(hi, 0), last);
}

/* Two triangles of a ridge each push along the way that is shortest for them alone.  Leave out the
   points of a triangle that another point's way out, not half as long, leads out of as well. */
static int nsci_leave_longer_ways(nsc_world *w, const nsci_geom *a, const nsc_heights *g,
                                  nsci_facet *f, nsc_vec3 origin, int n)
{
    nsci_point *out = w->scratch.find.points;
    unsigned seen = 0, gone = 0; /* a bit each; the shortest ways are seen first */
    int i, k, turn, left = 0;
    for (turn = 0; turn < n; turn++) {
        i = 0;
        for (k = 1; k < n; k++)
            if (!(seen >> k & 1) && (seen >> i & 1 || out[k].gap > out[i].gap))
                i = k;
        if (f->of[i] != NSCI_NO_FACET && out[i].gap < -w->def.slop) {
            uint32_t cell = f->of[i] / 2;
            nsci_field_triangle(g, (int)(cell % g->nx), (int)(cell / g->nx), (int)(f->of[i] % 2),
                                origin, f);
            for (k = 0; k < n; k++)
                if ((seen & ~gone) >> k & 1 && 2 * out[k].gap > out[i].gap &&
                    2 * nsci_gap(a, &f->t, out[k].normal) > out[i].gap)
                    gone |= 1u << i;
        }
        seen |= 1u << i;
    }
    for (i = 0; i < n; i++) {
        nsci_point p = out[i];
        if (!(gone >> i & 1))
            out[left++] = p;
    }
    return left;
}

/* Contacts of shape a, in the field's frame, with the cells under its box */
static int nsci_field_contacts(nsc_world *w, const nsci_geom *a, const nsci_geom *b,
                               const nsci_aabb *box, nsc_vec3 origin, nsc_real distance)
{
    const nsc_heights *g = NSCI_FIELD_OF(b);
    nsc_real low = box->min[2];
    nsci_facet f;
    int i, j, which, n = 0, from[2], to[2];
    nsci_cell_range(origin.x + box->min[0], origin.x + box->max[0], g->dx, g->nx, &from[0], &to[0]);
    nsci_cell_range(origin.y + box->min[1], origin.y + box->max[1], g->dy, g->ny, &from[1], &to[1]);
    if (origin.z + low > g->high)
        return 0;
    nsci_clear(f.of, sizeof f.of);
    nsci_begin_passes(&f);
    for (; nsci_needs_pass(&f); f.last++)
        for (j = from[1]; j <= to[1]; j++)
            for (i = from[0]; i <= to[0]; i++)
                for (which = 0; which < 2; which++) {
                    nsci_field_triangle(g, i, j, which, origin, &f);
                    if (f.p[0].z < low && f.p[1].z < low && f.p[2].z < low)
                        continue;
                    f.under = nsci_under(&f.t, f.p);
                    n = nsci_facet_contacts(w, a, &f, distance, n);
                }
    for (i = 0; i < n; i++)
        if (w->scratch.find.points[i].gap < -w->def.slop)
            return nsci_leave_longer_ways(w, a, g, &f, origin, n);
    return n;
}
#endif

#if NSC_MESHES
static int nsci_mesh_contacts(nsc_world *w, const nsci_geom *a, const nsci_geom *b,
                              const nsci_aabb *box, nsc_vec3 origin, nsc_real distance);
#else
#define nsci_mesh_contacts(w, a, b, box, origin, distance) 0
#endif

/* Contacts of shape a, changed and restored, with height field or mesh b */
NSCI_OWN_FRAME int nsci_collide_terrain(nsc_world *w, nsci_geom *a, const nsci_geom *b,
                                        nsc_real distance)
{
    nsci_geom home = *a;
    nsc_vec3 origin = nsci_mul_mtv(&b->axes, nsci_sub(a->centre, b->centre));
    nsc_vec3 offset;
    nsci_aabb box;
    int i, k, n;
    for (k = 0; k < 3; k++)
        a->axes.c[k] = nsci_mul_mtv(&b->axes, a->axes.c[k]);
    a->centre = nsci_vec(0, 0, 0);
    offset = nsci_middle(a); /* the origin is the middle, for nsci_under and nsci_behind */
    a->centre = nsci_neg(offset);
    origin = nsci_add(origin, offset);
    nsci_bounds(a, distance, &box);
    n = b->kind == NSC_SHAPE_HEIGHT_FIELD ? nsci_field_contacts(w, a, b, &box, origin, distance)
                                          : nsci_mesh_contacts(w, a, b, &box, origin, distance);
    *a = home;
    for (i = 0; i < n; i++) {
        nsci_point *p = &w->scratch.find.points[i];
        p->normal = nsci_mul_mv(&b->axes, p->normal);
        p->point = nsci_add(a->centre, nsci_mul_mv(&b->axes, nsci_add(p->point, offset)));
    }
    return n;
}

#endif
