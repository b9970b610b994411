/* nsc_sense.h - rays, shapes that are cast, overlap, closest point
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h, nsc_convex.h, nsc_support.h. */
#ifndef NSC_SENSE_H
#define NSC_SENSE_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

#include "nsc_convex.h" /* what it declares */

NSCI_C_BEGIN

/* ---- sensing.  mask: only shapes whose category has a bit of it are seen, sensors too. */

typedef struct nsc_hit {
    nsc_id shape, body;
    nsc_vec3 point;              /* on the surface, world [m] */
    nsc_vec3 normal;             /* outward unit, world */
    nsc_real distance;           /* [m]; ray: from its origin; shape: that it travels; closest: to
                                    the surface, < 0 inside */
} nsc_hit;

/* The first shape along the ray from `origin` to origin + ray.  A ray that begins inside a shape
   does not see it; of a mesh it sees the front of each triangle.  Returns 1 (hit), 0 (no hit), or
   NSC_ERR_ARGUMENT (NULL; a ray of 0, or whose square is), NSC_ERR_NOT_FINITE.  Cost: shapes, most
   at the price of a test of a box; for many shapes and rays see nsc_box_tree. */
NSC_API int nsc_world_cast_ray(const nsc_world *world, nsc_vec3 origin, nsc_vec3 ray, uint32_t mask,
                               nsc_hit *hit);

/* Move a sphere, capsule, cylinder or box (def->pose is in the world; no hulls) from there along
   `way` [m] without turning: which shape does it touch first, and after what distance?  hit->point
   is on the surface of that shape, one of them where several touch at once, and hit->normal points
   out of it, one of them at an edge.  No shape is too thin to be met.  A shape that it overlaps at
   its start is hit at distance 0, with the normal along which it leaves a short way; the first of
   several in the order of their slots.  An overlap of less than 3e-5 of the size of the smaller
   shape is a touch: that shape is not hit if the way leads along or away from it.  Measured along
   the normal, where they have stopped they touch to 16 NSC_REAL_EPS of the lengths met: sizes,
   way, and distances from the world's origin (in double they may be 1e-12 of the size apart); a
   shape passed within that may be hit or not.  The point lies on both to 1e-4 of the size, mostly
   1e-5 (in double 1e-8, mostly 1e-10: a distance tells where a curved surface is touched to the
   root of its rounding), over the cosine between way and normal; the normal of a curved surface is
   good to 6e-3 (in double 3e-7).  The side below the border of a height field is no surface, and
   that behind a mesh's triangle neither.
   Returns 1 (hit), 0 (no hit), or NSC_ERR_ARGUMENT (also a way of 0, or whose square is),
   NSC_ERR_NOT_FINITE, NSC_ERR_CAPACITY (rolling in def), NSC_ERR_BUSY.
   Cost: shapes; for each whose box is met about 20 furthest points of both, at most 180, and on a
   height field so for each triangle under the way. */
NSC_API int nsc_world_cast_shape(nsc_world *world, const nsc_shape_def *def, nsc_vec3 way,
                                 uint32_t mask, nsc_hit *hit);

/* Find the shapes that overlap a sphere, capsule, cylinder or box (def->pose is in the world): the
   first `room` handles go to `ids` (room 0: NULL will do).  Returns how many there are, or
   NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_CAPACITY (rolling in def), NSC_ERR_BUSY. */
NSC_API int nsc_world_overlap(nsc_world *world, const nsc_shape_def *def, uint32_t mask,
                              nsc_id *ids, int room);

/* Find the nearest surface within `distance` [m], >= 0, of a point; inside a shape its depth counts
   as a negative distance.  Returns 1 (found), 0 (none), or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE
   (also where a shape within `distance` is so far that the square overflows: 1e19 m in float),
   NSC_ERR_BUSY. */
NSC_API int nsc_world_closest(nsc_world *world, nsc_vec3 point, nsc_real distance, uint32_t mask,
                              nsc_hit *hit);

/* ---- many questions about one instant.  The calls above look at every shape.  A tree of boxes
   around them, made once, lets a question look at those near its way alone; the answers are the
   same, to the last bit.  It is yours to place, 56 bytes a shape (in double 112), with no pointers
   in it.  It knows where the shapes were when it was made: make it again after each step, and after
   any call that moves, adds or removes a body or shape, as nsc_world_load does.  (After a step an
   older one is refused; after another call shapes that moved or came may be missed.) */

typedef struct nsc_box_node {
    nsc_real low[3], high[3];    /* around all shapes below, x y z [m] */
    uint16_t skip;               /* index of the node after all that stand below */
    uint16_t shape;              /* of a leaf: slot of its shape; else 65535 */
} nsc_box_node;
typedef struct nsc_box_tree {    /* in the order of a walk: a node, then all that stand below it */
    int nodes, unbounded;        /* how many; the first of them are leaves without bounds */
    uint32_t step_count;         /* of the world, when it was made */
    nsc_box_node node[2 * NSC_MAX_SHAPES];
} nsc_box_tree;

/* Write the tree of the world's shapes.  Returns 0, or NSC_ERR_ARGUMENT: NULL.  Cost: shapes times
   the logarithm of their number; of 300, that of seven rays without a tree. */
NSC_API int nsc_box_tree_make(nsc_box_tree *tree, const nsc_world *world);

/* As the calls of the world, of which `tree` was made; it may be NULL.  NSC_ERR_ARGUMENT also where
   a step has been taken since.  Cost: for each shape that is near, and the logarithm of shapes. */
NSC_API int nsc_box_tree_cast_ray(const nsc_box_tree *tree, const nsc_world *world,
                                  nsc_vec3 origin, nsc_vec3 ray, uint32_t mask, nsc_hit *hit);
NSC_API int nsc_box_tree_cast_shape(const nsc_box_tree *tree, nsc_world *world,
                                    const nsc_shape_def *def, nsc_vec3 way, uint32_t mask,
                                    nsc_hit *hit);
NSC_API int nsc_box_tree_overlap(const nsc_box_tree *tree, nsc_world *world,
                                 const nsc_shape_def *def, uint32_t mask, nsc_id *ids, int room);
NSC_API int nsc_box_tree_closest(const nsc_box_tree *tree, nsc_world *world, nsc_vec3 point,
                                 nsc_real distance, uint32_t mask, nsc_hit *hit);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_SENSE_DONE)
#define NSC_SENSE_DONE
#include "nsc_support.h"

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* A ray, and the interval of its parameters (0..1: the ray) inside a convex shape; normal: where it
   enters.  Empty: enter > leave */
typedef struct nsci_span {
    nsc_vec3 from, ray;
    nsc_real enter, leave;
    nsc_vec3 normal;
} nsci_span;

static void nsci_empty_span(nsci_span *s)
{
    s->enter = NSC_REAL_MAX;
    s->leave = -NSC_REAL_MAX;
}

/* Restrict the span to the half space (p - at) . n <= 0, n unit. */
static void nsci_cut_span(nsci_span *s, nsc_vec3 at, nsc_vec3 n)
{
    nsc_real height = nsci_dot3(nsci_sub(s->from, at), n);
    nsc_real speed = nsci_dot3(s->ray, n);
    nsc_real t;
    if (nsci_abs(speed) * NSC_REAL_MAX <= nsci_abs(height) || nsci_abs(speed) <= 0) {
        if (height > 0)
            nsci_empty_span(s);
        return;
    }
    t = -height / speed;
    if (speed > 0)
        s->leave = nsci_min(s->leave, t);
    else if (t > s->enter) {
        s->enter = t;
        s->normal = n;
    }
}

/* Restrict the span to distance r from `at`, or (with an axis) from the line through it.  It is
   solved from the ray's nearest point, because the discriminant of the quadratic in the ray
   parameter loses all digits where the ray begins far away. */
static void nsci_cut_span_round(nsci_span *s, nsc_vec3 at, const nsc_vec3 *axis, nsc_real r)
{
    nsc_vec3 d = nsci_sub(s->from, at);
    nsc_vec3 v = s->ray;
    nsc_vec3 near;
    nsc_real length, t, half;
    if (axis) {
        d = nsci_without(d, *axis);
        v = nsci_without(v, *axis);
    }
    length = nsci_norm(v);
    if (!(length > NSC_REAL_EPS * nsci_norm(s->ray))) {
        if (nsci_dot3(d, d) > r * r)
            nsci_empty_span(s);
        return;
    }
    t = -nsci_dot3(d, v) / length / length;
    near = nsci_add_sv(d, t, v);
    half = r * r - nsci_dot3(near, near);
    if (!(half > 0)) {
        nsci_empty_span(s);
        return;
    }
    half = NSC_SQRT(half) / length;
    s->leave = nsci_min(s->leave, t + half);
    if (t - half > s->enter) {
        s->enter = t - half;
        d = nsci_add_sv(near, -half, v);
        if (axis)
            d = nsci_without(d, *axis); /* of a thin tube its rounding would lean */
        s->normal = nsci_unit(d, v);
    }
}

static nsci_span nsci_whole_span(nsc_vec3 from, nsc_vec3 ray)
{
    nsci_span s;
    s.from = from;
    s.ray = ray;
    s.enter = -NSC_REAL_MAX;
    s.leave = 1;
    s.normal = ray;
    return s;
}

static void nsci_cut_by_planes(nsci_span *s, const nsci_geom *g)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int sides = g->kind == NSC_SHAPE_BOX ? 3 : nsci_is_cylinder(g);
    int k;
    if (g->kind == NSC_SHAPE_HALF_SPACE)
        nsci_cut_span(s, g->centre, g->axes.c[2]);
    for (k = 0; k < sides; k++) {
        int i = g->kind == NSC_SHAPE_BOX ? k : 2;
        nsc_vec3 n = g->axes.c[i];
        nsci_cut_span(s, nsci_add_sv(g->centre, g->half[i], n), n);
        nsci_cut_span(s, nsci_add_sv(g->centre, -g->half[i], n), nsci_neg(n));
    }
    for (k = 0; hull && k < hull->faces; k++)
        nsci_cut_span(s, nsci_hull_vertex(g, hull, hull->corner[hull->first[k]]),
                      nsci_mul_mv(&g->axes, hull->normal[k]));
    if (nsci_is_cylinder(g))
        nsci_cut_span_round(s, g->centre, &g->axes.c[2], g->radius);
}

/* Ray through a ball, or a capsule (a tube and two balls): from first entry to last exit, as it is
   convex. */
static void nsci_cut_by_round(nsci_span *s, const nsci_geom *g)
{
    const nsci_span whole = *s;
    int k;
    nsci_empty_span(s);
    for (k = 0; k < (g->half[2] > 0 ? 3 : 1); k++) {
        nsc_vec3 at = k == 2 ? g->centre : nsci_core(g, k ? 1 : -1);
        nsc_vec3 n = g->axes.c[2];
        nsci_span part = whole;
        if (k == 2) {
            nsci_cut_span(&part, nsci_core(g, 1), n);
            nsci_cut_span(&part, nsci_core(g, -1), nsci_neg(n));
        }
        nsci_cut_span_round(&part, at, k == 2 ? &n : NULL, g->radius);
        if (part.enter > part.leave)
            continue;
        if (part.enter < s->enter) {
            s->enter = part.enter;
            s->normal = part.normal;
        }
        s->leave = nsci_max(s->leave, part.leave);
    }
}

#if !NSC_TERRAIN
#define nsci_cut_by_field(s, g) ((void)(s))
#else
/* Height of a ray above the plane of triangle t at ray parameter x */
static nsc_real nsci_ray_height(const nsci_geom *t, const nsci_span *s, nsc_real x)
{
    return nsci_dot3(nsci_sub(nsci_add_sv(s->from, x, s->ray), t->centre), nsci_face_normal(t, 0));
}

/* Does a piece of a ray, from t0 to t1, enter the ground over one triangle?  Returns 1 and where,
   else 0.  Pieces share their ends, and a piece begins above the ground where the last one ended
   above it (hit->leave >= 0), whatever its own plane says of that point: so no ray slips through
   an edge. */
static int nsci_ray_triangle(const nsc_heights *f, int i, int j, int which, const nsci_span *ray,
                             nsc_real t0, nsc_real t1, nsci_span *hit)
{
    nsci_facet t;
    nsc_real h0, h1;
    nsci_field_triangle(f, i, j, which, nsci_vec(0, 0, 0), &t);
    h0 = nsci_ray_height(&t.t, ray, t0);
    h1 = nsci_ray_height(&t.t, ray, t1);
    if (hit->leave >= 0)
        h0 = nsci_max(h0, 0);
    if (t1 >= t0)
        hit->leave = h1 >= 0 ? 0 : -1;
    if (!(t1 >= t0) || h0 < 0 || h1 >= 0)
        return 0;
    hit->enter = t0 + (t1 - t0) * (h0 / (h0 - h1));
    hit->normal = nsci_face_normal(&t.t, 0);
    return 1;
}

/* The same over one cell, split where the ray crosses the diagonal */
static int nsci_ray_cell(const nsc_heights *f, int i, int j, const nsci_span *in, nsc_real t0,
                         nsc_real t1, nsci_span *hit)
{
    nsc_vec3 corner = in->from;
    nsc_vec3 from = in->from;
    nsc_vec3 ray = in->ray;
    nsc_real d0, slope, middle;
    int which;
    nsci_sample(f, i, j, nsci_vec(0, 0, 0), &corner);
    slope = ray.y / f->dy - ray.x / f->dx; /* > 0: rising above the diagonal, to triangle 1 */
    d0 = (from.y - corner.y) / f->dy - (from.x - corner.x) / f->dx;
    which = d0 + NSC_R(0.5) * (t0 + t1) * slope > 0;
    if (nsci_abs(slope) > 0 && -d0 / slope > t0 && -d0 / slope < t1) {
        middle = -d0 / slope;
        which = slope < 0;
        if (nsci_ray_triangle(f, i, j, which, in, t0, middle, hit))
            return 1;
        return nsci_ray_triangle(f, i, j, !which, in, middle, t1, hit);
    }
    return nsci_ray_triangle(f, i, j, which, in, t0, t1, hit);
}

/* Along one axis: index of the cell at x; then, ray parameter where the ray leaves cell k */
static int nsci_cell_at(nsc_real x, nsc_real step, int samples)
{
    /* 0 for a NaN */
    return (int)nsci_min(nsci_max(x / step + nsci_middle_of(samples), 0), (nsc_real)(samples - 2));
}

static nsc_real nsci_cell_end(nsc_real from, nsc_real ray, nsc_real step, int samples, int k)
{
    nsc_real edge = ((nsc_real)(k + (ray > 0)) - nsci_middle_of(samples)) * step;
    return nsci_abs(ray) > 0 ? (edge - from) / ray : NSC_REAL_MAX;
}

/* Walk the cells under the ray's span, which is given in the field's frame. */
static int nsci_ray_walk(const nsc_heights *f, const nsci_span *in, nsci_span *hit)
{
    nsc_vec3 from = in->from;
    nsc_vec3 ray = in->ray;
    nsc_real t0 = in->enter;
    nsc_real t1 = in->leave;
    int i = nsci_cell_at(from.x + t0 * ray.x, f->dx, f->nx);
    int j = nsci_cell_at(from.y + t0 * ray.y, f->dy, f->ny);
    int k;
    for (k = 0; k < f->nx + f->ny; k++) {
        nsc_real x = nsci_cell_end(from.x, ray.x, f->dx, f->nx, i);
        nsc_real y = nsci_cell_end(from.y, ray.y, f->dy, f->ny, j);
        nsc_real end = nsci_max(nsci_min(nsci_min(x, y), t1), t0);
        if (nsci_ray_cell(f, i, j, in, t0, end, hit))
            return 1;
        if (end >= t1)
            return 0;
        if (x < y)
            i += ray.x > 0 ? 1 : -1;
        else
            j += ray.y > 0 ? 1 : -1;
        if (i < 0 || j < 0 || i > f->nx - 2 || j > f->ny - 2)
            return 0;
        t0 = end;
    }
    return 0;
}

static void nsci_cut_by_field(nsci_span *s, const nsci_geom *g)
{
    const nsc_heights *f = NSCI_FIELD_OF(g);
    nsci_span in = nsci_whole_span(nsci_mul_mtv(&g->axes, nsci_sub(s->from, g->centre)),
                                   nsci_mul_mtv(&g->axes, s->ray));
    nsc_real x = nsci_middle_of(f->nx) * f->dx;
    nsc_real y = nsci_middle_of(f->ny) * f->dy;
    int k;
    in.enter = 0;
    for (k = 0; k < 4; k++) {
        nsc_real side = k % 2 ? 1 : -1;
        nsc_vec3 n = k < 2 ? nsci_vec(side, 0, 0) : nsci_vec(0, side, 0);
        nsci_cut_span(&in, nsci_mul_sv(k < 2 ? x : y, n), n);
    }
    nsci_empty_span(s);
    if (!(in.enter <= in.leave) || !nsci_ray_walk(f, &in, s))
        return;
    s->leave = 1;
    s->normal = nsci_mul_mv(&g->axes, s->normal);
}
#endif

#if !NSC_MESHES
#define nsci_cut_by_mesh(s, g) ((void)(s))
#else
/* Ray parameter where the ray enters through the triangle with corners p, relative to the ray's
   origin, and this unit normal; or a negative number.  On which side of an edge the ray passes is
   judged in the plane of two vectors across the ray.  There a corner is at the same place for each
   of its triangles, and two products compare as they would unrounded or are equal: so no ray slips
   through at an edge or corner. */
static nsc_real nsci_ray_facet(const nsc_vec3 *p, nsc_vec3 normal, nsc_vec3 ray,
                               const nsc_vec3 *across)
{
    nsc_real speed = -nsci_dot3(ray, normal);
    nsc_real x[4], y[4];
    int k;
    if (!(speed > 0))
        return -1;
    for (k = 0; k < 4; k++) {
        x[k] = nsci_dot3(p[k % 3], across[0]);
        y[k] = nsci_dot3(p[k % 3], across[1]);
    }
    for (k = 0; k < 3; k++)
        if (x[k] * y[k + 1] > y[k] * x[k + 1])
            return -1;
    return -nsci_dot3(p[0], normal) / speed;
}

static void nsci_cut_by_mesh(nsci_span *s, const nsci_geom *g)
{
    nsc_vec3 from = nsci_mul_mtv(&g->axes, nsci_sub(s->from, g->centre));
    nsci_mesh_walk x = nsci_walk_mesh(NSCI_MESH_OF(g), from);
    nsci_facet f;
    nsc_vec3 across[2];
    x.way = nsci_mul_mtv(&g->axes, s->ray);
    x.end = 1;
    x.slack = 8 * NSC_REAL_EPS;
    nsci_tangents(nsci_unit(x.way, x.way), &across[0], &across[1]);
    nsci_empty_span(s);
    while (nsci_next_facet(&x, &f) >= 0) {
        nsc_vec3 normal = nsci_face_normal(&f.t, 0);
        nsc_real t = nsci_ray_facet(f.p, normal, x.way, across);
        if (!(t >= 0 && t <= x.end) || (t >= x.end && s->leave > 0))
            continue;
        x.end = s->enter = t;
        s->leave = 1;
        s->normal = nsci_mul_mv(&g->axes, normal);
    }
}
#endif

static nsci_span nsci_cut_by_shape(const nsci_geom *g, nsc_vec3 from, nsc_vec3 ray)
{
    nsci_span s = nsci_whole_span(from, ray);
    if (NSC_MESHES && g->kind == NSC_SHAPE_MESH)
        nsci_cut_by_mesh(&s, g);
    else if (NSC_TERRAIN && g->kind == NSC_SHAPE_HEIGHT_FIELD)
        nsci_cut_by_field(&s, g);
    else if (g->kind <= NSC_SHAPE_CAPSULE)
        nsci_cut_by_round(&s, g);
    else
        nsci_cut_by_planes(&s, g);
    return s;
}

/* ---- which shapes a question looks at: those that the mask selects and whose box may meet a box
   that moves along a way.  All boxes are larger by what the answers may be off by rounding. */

enum { NSCI_QUEST_WAITS = 18 }; /* a tree of 65535 leaves is 17 deep */

typedef struct nsci_quest {
    const nsc_world *world;
    const nsc_box_tree *tree;    /* or NULL */
    uint32_t mask;
    int next;                    /* slot, or node of the tree up to its root */
    int waits;                   /* nodes of the tree that are still to be looked at, the nearest
                                    last, and where on the way their boxes begin */
    uint16_t node[NSCI_QUEST_WAITS];
    nsc_real entry[NSCI_QUEST_WAITS];
    nsc_real low[3], high[3];    /* the box that moves, at its start [m] */
    nsc_real inverse[3];         /* of the way [1/m] */
    nsc_real end;                /* it moves by the way times 0..end, end <= 1 */
} nsci_quest;

static nsc_real nsci_sum_abs(nsc_vec3 v) { return nsci_abs(v.x) + nsci_abs(v.y) + nsci_abs(v.z); }

/* What positions may be off by rounding, where numbers of this size are met [m] */
static nsc_real nsci_fuzz(nsc_real size) { return 32 * NSC_REAL_EPS * size; }

static void nsci_widen(nsci_aabb *box, nsc_real more)
{
    int k;
    for (k = 0; k < 3; k++) {
        box->min[k] -= more;
        box->max[k] += more;
    }
}

/* box: at the start of the way */
static void nsci_ask(nsci_quest *q, const nsc_box_tree *tree, const nsc_world *w, uint32_t mask,
                     const nsci_aabb *box, nsc_vec3 way)
{
    const nsc_real *v = &way.x;
    nsc_real size = nsci_sum_abs(way);
    int k;
    q->world = w;
    q->tree = tree;
    q->mask = mask;
    q->next = q->waits = 0;
    q->end = 1;
    for (k = 0; k < 3; k++)
        size += nsci_max(nsci_abs(box->min[k]), nsci_abs(box->max[k]));
    for (k = 0; k < 3; k++) {
        q->low[k] = box->min[k] - nsci_fuzz(size);
        q->high[k] = box->max[k] + nsci_fuzz(size);
        q->inverse[k] = nsci_abs(v[k]) * NSC_REAL_MAX > 1 ? 1 / v[k] : NSC_REAL_MAX;
    }
}

/* Where on its way the moving box may begin to meet the one from low to high; above q->end: it
   does not */
static nsc_real nsci_entry(const nsci_quest *q, const nsc_real *low, const nsc_real *high)
{
    nsc_real from = 0;
    nsc_real to = q->end;
    int k;
    for (k = 0; k < 3; k++) {
        nsc_real one = (low[k] - q->high[k]) * q->inverse[k];
        nsc_real other = (high[k] - q->low[k]) * q->inverse[k];
        from = nsci_max(from, nsci_min(one, other));
        to = nsci_min(to, nsci_max(one, other));
        if (from > to)
            return NSC_REAL_MAX;
    }
    return from;
}

/* May it meet the shape?  Its box here is that of a ball around it, for which it need not be
   turned. */
static int nsci_may_pass_shape(const nsci_quest *q, const nsc_shape *s)
{
    const nsc_body *b = &q->world->bodies[s->body];
    const nsc_hull *hull;
    nsc_vec3 offset = nsci_sub(s->def.pose.position, b->centre);
    nsci_geom g;
    nsci_aabb box;
    nsc_real reach, far;
    int k;
    nsci_place_def(&g, &s->def);
    if (g.kind >= NSC_SHAPE_HALF_SPACE)
        return 1;
    g.data = nsci_shape_data(q->world, s);
    hull = NSCI_HULL_OF(&g);
    far = nsci_sum_abs(offset);
    if (far > 0)
        offset = nsci_rotate(b->orientation, offset);
    g.centre = nsci_add(b->position, offset);
    reach = nsci_size(&g) + (hull ? nsci_norm(hull->centroid) : 0);
    reach += nsci_fuzz(nsci_sum_abs(g.centre) + far + reach);
    for (k = 0; k < 3; k++) {
        box.min[k] = (&g.centre.x)[k] - reach;
        box.max[k] = (&g.centre.x)[k] + reach;
    }
    return nsci_entry(q, box.min, box.max) <= q->end;
}

/* Is the shape in use and selected by the mask, and its body not switched off? */
static int nsci_is_seen(const nsc_world *w, uint32_t mask, int slot)
{
    const nsc_shape *s = &w->shapes[slot];
    return s->generation % 2 && s->def.category & mask && !nsci_is_off(w, s->body);
}

static void nsci_await(nsci_quest *q, int node, nsc_real entry)
{
    if (entry > q->end)
        return;
    q->node[q->waits] = (uint16_t)node;
    q->entry[q->waits++] = entry;
}

/* The next node of the tree that may be met, -1: none.  The nearest comes first, as it may end the
   way. */
static int nsci_next_node(nsci_quest *q)
{
    const nsc_box_tree *t = q->tree;
    if (q->next < t->unbounded)
        return q->next++;
    if (q->next++ == t->unbounded && t->nodes > t->unbounded) {
        const nsc_box_node *root = &t->node[t->unbounded];
        nsci_await(q, t->unbounded, nsci_entry(q, root->low, root->high));
    }
    while (q->waits > 0)
        if (q->entry[--q->waits] <= q->end)
            return q->node[q->waits];
    return -1;
}

/* Slot of the next shape, or -1.  Without a tree they come in the order of the slots. */
static int nsci_find_seen(nsci_quest *q)
{
    const nsc_world *w = q->world;
    int i;
    while (q->tree && (i = nsci_next_node(q)) >= 0) {
        const nsc_box_node *n = &q->tree->node[i], *one = n + 1, *other;
        nsc_real to_one, to_other;
        if (n->shape < NSC_MAX_SHAPES) {
            if (nsci_is_seen(w, q->mask, n->shape))
                return n->shape;
            continue;
        }
        other = &q->tree->node[one->skip];
        to_one = nsci_entry(q, one->low, one->high);
        to_other = nsci_entry(q, other->low, other->high);
        if (to_one < to_other)
            nsci_await(q, one->skip, to_other);
        nsci_await(q, i + 1, to_one);
        if (!(to_one < to_other))
            nsci_await(q, one->skip, to_other);
    }
    while (!q->tree && q->next < w->shape_end) {
        int s = q->next++;
        if (nsci_is_seen(w, q->mask, s) && nsci_may_pass_shape(q, &w->shapes[s]))
            return s;
    }
    return -1;
}

/* Write the slots of all such shapes to the world's sweep list, in ascending order; returns how
   many. */
static int nsci_list_seen(nsc_world *w, nsci_quest *q)
{
    nsci_index *list = w->scratch.find.sweep;
    int s, gap, i, j;
    int n = 0;
    for (s = nsci_find_seen(q); s >= 0; s = nsci_find_seen(q))
        list[n++] = (nsci_index)s;
    for (gap = 1; gap < n / 3;)
        gap = 3 * gap + 1;
    for (; gap > 0 && q->tree; gap /= 3) /* Shell sort */
        for (i = gap; i < n; i++) {
            nsci_index item = list[i];
            for (j = i; j >= gap && item < list[j - gap]; j -= gap)
                list[j] = list[j - gap];
            list[j] = item;
        }
    return n;
}

/* The box around a point */
static nsci_aabb nsci_point_box(nsc_vec3 p)
{
    nsci_aabb box;
    box.min[0] = box.max[0] = p.x;
    box.min[1] = box.max[1] = p.y;
    box.min[2] = box.max[2] = p.z;
    return box;
}

/* Was the tree, if there is one, made since the last step? */
static int nsci_is_fresh(const nsc_box_tree *tree, const nsc_world *w)
{
    return !tree || tree->step_count == w->step_count;
}

/* ---- the tree.  A node of m leaves has a child of the first (m + 1) / 2 right behind it, then one
   of the others: where each stands follows from the count. */

/* From node k with m leaves, *first of which is the first, go to the child that holds this leaf. */
static void nsci_descend(int leaf, int *k, int *first, int *m)
{
    int half = (*m + 1) / 2;
    if (leaf < *first + half) {
        *k += 1;
        *m = half;
    } else {
        *k += 2 * half;
        *first += half;
        *m -= half;
    }
}

static void nsci_swap_nodes(nsc_box_node *a, nsc_box_node *b)
{
    nsc_box_node c = *a;
    *a = *b;
    *b = c;
}

/* Twice the middle of a box along an axis */
static nsc_real nsci_box_middle(const nsc_box_node *n, int axis)
{
    return n->low[axis] + n->high[axis];
}

/* Put the `k` lowest of n leaves along an axis first (Hoare 1961, algorithm 65). */
static void nsci_part_leaves(nsc_box_node *leaf, int n, int k, int axis)
{
    int lo = 0;
    int hi = n - 1;
    while (lo < hi) {
        nsc_real x = nsci_box_middle(&leaf[k], axis);
        int i = lo;
        int j = hi;
        while (i <= j) {
            while (nsci_box_middle(&leaf[i], axis) < x)
                i++;
            while (x < nsci_box_middle(&leaf[j], axis))
                j--;
            if (i <= j)
                nsci_swap_nodes(&leaf[i++], &leaf[j--]);
        }
        if (j < k)
            lo = i;
        if (k < i)
            hi = j;
    }
}

/* Axis along which the middles of the leaves' boxes are spread most */
static int nsci_widest(const nsc_box_node *leaf, int n)
{
    nsc_real most = -1;
    int i, k, axis = 0;
    for (k = 0; k < 3; k++) {
        nsc_real low = NSC_REAL_MAX;
        nsc_real high = -NSC_REAL_MAX;
        for (i = 0; i < n; i++) {
            low = nsci_min(low, nsci_box_middle(&leaf[i], k));
            high = nsci_max(high, nsci_box_middle(&leaf[i], k));
        }
        if (high - low > most) {
            most = high - low;
            axis = k;
        }
    }
    return axis;
}

/* Put n leaves into the order of a walk: part them all in two, then each half, and so on. */
static void nsci_order_leaves(nsc_box_node *leaf, int n)
{
    int level, i, j, k, first, m, parted = 1;
    for (level = 0; parted; level++) {
        parted = 0;
        for (i = 0; i < n; i = first + m) {
            k = first = 0;
            m = n;
            for (j = 0; j < level && m > 1; j++)
                nsci_descend(i, &k, &first, &m);
            if (m < 3)
                continue;
            nsci_part_leaves(leaf + first, m, (m + 1) / 2, nsci_widest(leaf + first, m));
            parted = 1;
        }
    }
}

/* Make a tree of n ordered leaves, at index `base` of the array, where there is room for all its
   nodes. */
static void nsci_grow(nsc_box_node *node, int base, int n)
{
    int i, j, k, first, m;
    for (i = n - 1; i >= 0; i--) { /* each leaf to its place, which is no earlier than it was */
        k = first = 0;
        for (m = n; m > 1;)
            nsci_descend(i, &k, &first, &m);
        node[base + k] = node[base + i];
        node[base + k].skip = (uint16_t)(base + k + 1);
    }
    for (i = 0; i < n; i++) {
        k = first = 0;
        for (m = n; m > 1; nsci_descend(i, &k, &first, &m)) {
            node[base + k].skip = (uint16_t)(base + k + 2 * m - 1);
            node[base + k].shape = 65535;
        }
    }
    for (i = base + 2 * n - 2; i >= base; i--) {
        const nsc_box_node *one = &node[i + 1];
        if (node[i].shape < 65535)
            continue;
        for (j = 0; j < 3; j++) {
            node[i].low[j] = nsci_min(one->low[j], node[one->skip].low[j]);
            node[i].high[j] = nsci_max(one->high[j], node[one->skip].high[j]);
        }
    }
}

/* Write the leaf of a shape; returns 1 if it has bounds. */
static int nsci_make_leaf(const nsc_world *w, int slot, nsc_box_node *n)
{
    const nsc_shape *s = &w->shapes[slot];
    nsci_geom g = nsci_place(w, s);
    nsc_vec3 offset = nsci_sub(s->def.pose.position, w->bodies[s->body].centre);
    nsc_real size = nsci_sum_abs(g.centre) + nsci_sum_abs(offset);
    nsci_aabb box;
    int k;
    nsci_bounds(&g, 0, &box);
    for (k = 0; k < 3; k++)
        size += box.max[k] - box.min[k];
    for (k = 0; k < 3; k++) {
        n->low[k] = box.min[k] - nsci_fuzz(size);
        n->high[k] = box.max[k] + nsci_fuzz(size);
    }
    n->shape = (uint16_t)slot;
    return g.kind != NSC_SHAPE_HALF_SPACE && size < NSC_R(0.1) * NSC_REAL_MAX;
}

NSC_API int nsc_box_tree_make(nsc_box_tree *tree, const nsc_world *w)
{
    nsc_box_node *node;
    int s, first = 0, n = 0;
    if (!tree || !w)
        return NSC_ERR_ARGUMENT;
    node = tree->node;
    for (s = 0; s < w->shape_end; s++) {
        if (!nsci_is_seen(w, UINT32_MAX, s))
            continue;
        if (!nsci_make_leaf(w, s, &node[n])) {
            nsci_swap_nodes(&node[n], &node[first]);
            node[first].skip = (uint16_t)(first + 1);
            first++;
        }
        n++;
    }
    n -= first;
    nsci_order_leaves(node + first, n);
    nsci_grow(node, first, n);
    tree->unbounded = first;
    tree->nodes = first + (n > 0 ? 2 * n - 1 : 0);
    tree->step_count = w->step_count;
    return NSC_OK;
}

static void nsci_fill_hit(const nsc_world *w, int shape, nsc_vec3 point, nsc_vec3 normal,
                          nsc_real distance, nsc_hit *hit)
{
    hit->shape = nsci_handle(w, NSCI_SHAPE_HANDLE, shape, w->shapes[shape].generation);
    hit->body = nsci_body_handle(w, w->shapes[shape].body);
    hit->point = point;
    hit->normal = normal;
    hit->distance = distance;
}

/* Write the hit of a call to *hit; returns `found`, or the error if its numbers overflow. */
static int nsci_give_hit(nsci_why *note, int found, const nsc_hit *own, nsc_hit *hit)
{
    if (!found)
        return 0;
    if (!nsci_vec_finite(own->point) || !nsci_vec_finite(own->normal))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE, own->distance);
    *hit = *own;
    return 1;
}

NSC_API int nsc_box_tree_cast_ray(const nsc_box_tree *tree, const nsc_world *w, nsc_vec3 origin,
                                  nsc_vec3 ray, uint32_t mask, nsc_hit *hit)
{
    nsc_real length;
    nsc_vec3 normal = ray;
    nsci_aabb box = nsci_point_box(origin);
    nsci_quest q;
    nsc_hit own;
    int s, found = -1;
    if (!w || !hit || !nsci_is_fresh(tree, w))
        return NSC_ERR_ARGUMENT;
    length = nsci_norm(ray);
    if (!nsci_vec_finite(origin) || !nsci_finite(length))
        return NSC_ERR_NOT_FINITE;
    if (!(length > 0))
        return NSC_ERR_ARGUMENT;
    nsci_ask(&q, tree, w, mask, &box, ray);
    for (s = nsci_find_seen(&q); s >= 0; s = nsci_find_seen(&q)) {
        nsci_geom g = nsci_place(w, &w->shapes[s]);
        nsci_span span = nsci_cut_by_shape(&g, origin, ray);
        if (!(span.enter >= 0 && span.enter <= span.leave) || span.enter > q.end ||
            (span.enter >= q.end && found >= 0 && found < s))
            continue;
        q.end = span.enter;
        normal = span.normal;
        found = s;
    }
    if (found >= 0)
        nsci_fill_hit(w, found, nsci_add_sv(origin, q.end, ray), normal, q.end * length, &own);
    return nsci_give_hit(NULL, found >= 0, &own, hit);
}

NSC_API int nsc_world_cast_ray(const nsc_world *w, nsc_vec3 origin, nsc_vec3 ray, uint32_t mask,
                               nsc_hit *hit)
{
    return nsc_box_tree_cast_ray(NULL, w, origin, ray, mask, hit);
}

/* The first of the points with the least gap */
static const nsci_point *nsci_deepest(const nsci_point *p, int n)
{
    const nsci_point *deepest = p;
    int i;
    for (i = 1; i < n; i++)
        if (p[i].gap < deepest->gap)
            deepest = &p[i];
    return deepest;
}

/* Find the surface point of shape g nearest to the probe's centre; returns 0 if none is within the
   distance. */
static int nsci_closest_on(nsc_world *w, nsci_geom *probe, nsci_geom *g, nsc_real distance,
                           nsci_point *best)
{
    int n = nsci_collide_any(w, probe, g, distance);
    if (n == 0)
        return 0;
    *best = *nsci_deepest(w->scratch.find.points, n);
    /* Box contacts switch to a face's normal a little early: compute it exactly. */
    if (g->kind == NSC_SHAPE_BOX && best->gap > 0) {
        const nsc_real *half = g->half;
        nsc_vec3 q = nsci_mul_mtv(&g->axes, nsci_sub(probe->centre, g->centre));
        nsc_vec3 e;
        e.x = nsci_clamp(q.x, -half[0], half[0]) - q.x;
        e.y = nsci_clamp(q.y, -half[1], half[1]) - q.y;
        e.z = nsci_clamp(q.z, -half[2], half[2]) - q.z;
        best->gap = nsci_norm(e);
        best->normal = nsci_unit(nsci_mul_mv(&g->axes, e), best->normal);
    }
    return best->gap <= distance;
}

/* Place a shape whose pose is in the world. */
static void nsci_place_probe(const nsc_shape_def *def, nsci_geom *probe)
{
    probe->axes = nsci_rotation(nsci_quat_normalise(def->pose.orientation));
    probe->centre = def->pose.position;
    nsci_place_def(probe, def);
}

/* Begin a call that asks by a tree, or without one. */
static int nsci_begin_quest(const nsc_box_tree *tree, nsc_world *w)
{
    int code = nsci_enter(w);
    if (code == NSC_OK && !nsci_is_fresh(tree, w))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT,
                            (nsc_real)tree->step_count);
    return code;
}

/* Begin a call that asks about a shape of its own: check it, and place it. */
static int nsci_begin_probe(const nsc_box_tree *tree, nsc_world *w, const nsc_shape_def *def,
                            nsci_geom *probe)
{
    int code = nsci_begin_quest(tree, w);
    if (code == NSC_OK)
        code = nsci_check_shape_def(&w->note, def);
    if (code < 0)
        return code;
    if (def->kind > NSC_SHAPE_BOX)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_WRONG_SHAPE, (nsc_real)def->kind);
    nsci_place_probe(def, probe);
    return NSC_OK;
}

NSC_API int nsc_box_tree_overlap(const nsc_box_tree *tree, nsc_world *w,
                                 const nsc_shape_def *def, uint32_t mask, nsc_id *ids, int room)
{
    nsci_geom probe;
    nsci_aabb box;
    nsci_quest q;
    int i, n;
    int count = 0;
    int code = nsci_begin_probe(tree, w, def, &probe);
    if (code < 0)
        return code;
    if (room < 0 || (!ids && room > 0))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT,
                            room < 0 ? NSCI_BAD_ARGUMENT : NSCI_NO_POINTER, (nsc_real)room);
    nsci_bounds(&probe, 0, &box);
    nsci_ask(&q, tree, w, mask, &box, nsci_vec(0, 0, 0));
    n = nsci_list_seen(w, &q);
    for (i = 0; i < n; i++) {
        int s = w->scratch.find.sweep[i];
        nsci_geom g = nsci_place(w, &w->shapes[s]);
        if (nsci_collide_any(w, &probe, &g, 0) == 0)
            continue;
        if (count < room)
            ids[count] = nsci_handle(w, NSCI_SHAPE_HANDLE, s, w->shapes[s].generation);
        count++;
    }
    return count;
}

NSC_API int nsc_world_overlap(nsc_world *w, const nsc_shape_def *def, uint32_t mask, nsc_id *ids,
                              int room)
{
    return nsc_box_tree_overlap(NULL, w, def, mask, ids, room);
}

/* ---- shape cast.  Shape a, moved by t along the way, touches b where the way enters the convex
   set of differences, points of b less points of a.  Three points of the set whose triangle, the
   portal, the way crosses give an upper bound of t, a plane beyond which the whole set lies a lower
   one.  First a portal is found in the plane across the way, or the set lies beside the way.  Then
   the furthest point of the set beyond the portal takes the place of one of the three, until none
   is beyond: the simplex method of linear programming, where columns are made as needed.  It never
   divides by a distance of the shapes: that they nearly touch is no special case.  Coordinates are
   relative to the moved shape's centre. */

enum { NSCI_CAST_STEPS = 64 };
typedef struct nsci_cast {
    nsc_vec3 u;                  /* unit direction of the way */
    nsc_real length;             /* touches beyond are not looked for [m] */
    nsc_real t;                  /* result: way to the touch [m] */
    nsc_vec3 n, p;               /* result: unit from the moved shape to the other; point on the
                                    latter's surface, from the moved one's centre at its start */
} nsci_cast;

typedef struct nsci_difference { /* the set, in a frame whose axis 2 is the way */
    const nsci_geom *a, *b;
    nsci_mat3 frame;
    nsc_real scale;              /* unit of length [m] */
} nsci_difference;

typedef struct nsci_vertex {     /* point of the set */
    nsc_vec3 w, n;               /* position; unit direction along which it is the set's first */
    nsc_vec3 on_b;               /* [m] */
} nsci_vertex;

static nsci_vertex nsci_first(const nsci_difference *d, nsc_real x, nsc_real y, nsc_real z)
{
    nsci_vertex v;
    nsc_vec3 n;
    v.n = nsci_unit(nsci_vec(x, y, z), nsci_vec(1, 0, 0));
    n = nsci_mul_mv(&d->frame, v.n);
    v.on_b = nsci_add_sv(nsci_support(d->b, nsci_neg(n)), -nsci_rounding(d->b), n);
    v.w = nsci_sub(v.on_b, nsci_add_sv(nsci_support(d->a, n), nsci_rounding(d->a), n));
    v.w = nsci_mul_sv(1 / d->scale, nsci_mul_mtv(&d->frame, v.w));
    return v;
}

/* Across the way: > 0 if q is on the left of p, seen from the way */
static nsc_real nsci_left(const nsci_vertex *p, const nsci_vertex *q)
{
    return p->w.x * q->w.y - p->w.y * q->w.x;
}

static int nsci_beside(const nsci_vertex *v) { return nsci_dot3(v->w, v->n) > 0; }

/* Find v[0], v[1], v[2] of the set around the way, counter-clockwise: v[0] is within the set, the
   others are on its outline.  Returns 0 if the way passes beside the set. */
NSCI_OWN_FRAME int nsci_find_portal(nsci_difference *d, nsci_vertex *v)
{
    int i;
    v[0].on_b = nsci_middle(d->b);
    v[0].n = nsci_vec(0, 0, 0);
    v[0].w = nsci_mul_sv(1 / d->scale, nsci_mul_mtv(&d->frame, nsci_sub(v[0].on_b,
                                                                      nsci_middle(d->a))));
    v[1] = nsci_first(d, v[0].w.x, v[0].w.y, 0);
    if (nsci_beside(&v[1]))
        return 0;
    if (nsci_left(&v[0], &v[1]) < 0) { /* mirror: the way is on the left of v[0] to v[1] */
        d->frame.c[0] = nsci_neg(d->frame.c[0]);
        v[0].w.x = -v[0].w.x;
        v[1].w.x = -v[1].w.x;
        v[1].n.x = -v[1].n.x;
    }
    for (i = 0; i < 8; i++) {
        v[2] = nsci_first(d, v[1].w.y - v[0].w.y, v[0].w.x - v[1].w.x, 0);
        if (nsci_beside(&v[2]))
            return 0;
        if (nsci_left(&v[0], &v[2]) <= 0)
            break;
        v[1] = v[2];
    }
    for (i = 0; i < 40; i++) {
        if (nsci_left(&v[1], &v[2]) >= 0)
            return 1;
        v[3] = nsci_first(d, v[1].w.y - v[2].w.y, v[2].w.x - v[1].w.x, 0);
        if (nsci_beside(&v[3]))
            return 0;
        v[nsci_left(&v[0], &v[3]) > 0 ? 1 : 2] = v[3];
    }
    return 0;
}

/* Share of q in the point of the edge from p to q that is nearest to the way */
static nsc_real nsci_along(const nsci_vertex *p, const nsci_vertex *q)
{
    nsc_real x = q->w.x - p->w.x;
    nsc_real y = q->w.y - p->w.y;
    nsc_real square = x * x + y * y;
    return square > 0 ? nsci_clamp(-(p->w.x * x + p->w.y * y) / square, 0, 1) : 0;
}

/* Where the way crosses the portal, as weights of its vertices.  A portal may be very narrow: take
   the weight of the vertex across its longest edge, then the place along that; by rounding it may
   be beyond another edge. */
static void nsci_portal_weights(const nsci_vertex *v, nsc_real *weight)
{
    nsc_vec3 e = nsci_vec(0, 0, 0);
    nsc_vec3 p, q;
    nsc_real most = 0, area, share = 0;
    int i, j, k = 0;
    for (i = 0; i < 3; i++) {
        p = nsci_sub(v[(i + 1) % 3].w, v[i].w);
        if (p.x * p.x + p.y * p.y > most) {
            most = p.x * p.x + p.y * p.y;
            e = p;
            k = (i + 2) % 3;
        }
    }
    i = (k + 1) % 3;
    j = (k + 2) % 3;
    q = nsci_sub(v[k].w, v[i].w);
    area = e.x * q.y - e.y * q.x;
    weight[k] = area > 0 ? nsci_clamp(nsci_left(&v[i], &v[j]) / area, 0, 1) : 0;
    p = nsci_add_sv(nsci_mul_sv(weight[k], v[k].w), 1 - weight[k], v[i].w);
    if (most > 0)
        share = -(p.x * e.x + p.y * e.y) / most;
    if (share < 0)
        weight[k] = nsci_along(&v[i], &v[k]);
    else if (share > 1 - weight[k]) {
        weight[k] = nsci_along(&v[j], &v[k]);
        share = 1; /* nothing is left for v[i] */
    }
    weight[j] = nsci_clamp(share, 0, 1 - weight[k]);
    weight[i] = 1 - weight[k] - weight[j];
}

/* Put v[3] in the place of one of the three so that the way still crosses the portal. */
static void nsci_enter_portal(nsci_vertex *v)
{
    nsc_real best = -NSC_REAL_MAX, x, c[3], slack[3];
    nsc_real far = nsci_max(nsci_abs(v[3].w.x), nsci_abs(v[3].w.y));
    int i, k = 0;
    for (i = 0; i < 3; i++) {
        c[i] = nsci_left(&v[3], &v[i]);
        slack[i] = 2 * NSC_REAL_EPS * (far + nsci_abs(v[i].w.x) + nsci_abs(v[i].w.y));
    }
    for (i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        x = nsci_min(c[i] + slack[i], slack[j] - c[j]);
        if (x >= 0) /* of two that do, up to rounding, the wider */
            x = nsci_max(c[i] - c[j] + nsci_left(&v[i], &v[j]), 0);
        if (x > best) {
            best = x;
            k = (i + 2) % 3;
        }
    }
    v[k] = v[3];
}

/* Is the set beyond the plane at x but for rounding, where the way has come to `up`?  If this plane
   shows it best, n is its normal. */
static int nsci_cast_done(const nsci_vertex *x, nsc_real up, nsc_real *least, nsc_vec3 *n)
{
    nsc_real gap = up * x->n.z - nsci_dot3(x->w, x->n);
    if (!(x->n.z > 0) || gap > 8 * NSC_REAL_EPS)
        return 0;
    if (gap < *least) {
        *least = gap;
        *n = x->n;
    }
    return 1;
}

/* Where does the way, or its line before the start, enter the set of differences?  Returns 1 and
   the result in c, or 0: it passes beside. */
NSCI_OWN_FRAME int nsci_cast_line(nsci_cast *c, const nsci_geom *a, nsci_geom *b)
{
    const nsc_real rounding = 4 * NSC_REAL_EPS;
    nsci_difference d;
    nsci_vertex v[4], other, far;
    nsc_vec3 home = b->centre;
    nsc_vec3 n = c->u;
    nsc_vec3 across, mean;
    nsc_real weight[3], up, low, beyond;
    nsc_real bound = -NSC_REAL_MAX;
    nsc_real touch = 0;
    nsc_real least = NSC_REAL_MAX;
    nsc_real skip = nsci_dot3(nsci_sub(nsci_middle(b), nsci_middle(a)), c->u);
    int i, k, found, done, stuck = 0;
    d.a = a;
    d.b = b;
    d.scale = nsci_size(a) + nsci_size(b);
    nsci_tangents(c->u, &d.frame.c[0], &d.frame.c[1]);
    d.frame.c[2] = c->u;
    b->centre = nsci_add_sv(home, -skip, c->u);
    found = nsci_find_portal(&d, v);
    for (i = 0; i < NSCI_CAST_STEPS && found; i++) {
        across = nsci_triangle_normal(v[0].w, v[1].w, v[2].w);
        nsci_portal_weights(v, weight);
        up = weight[0] * v[0].w.z + weight[1] * v[1].w.z + weight[2] * v[2].w.z;
        v[3] = nsci_first(&d, across.x, across.y, across.z);
        beyond = nsci_dot3(nsci_sub(v[0].w, v[3].w), v[3].n);
        /* Where the surface is curved, the mean of the normals at the vertices is nearer to that
           at the way than the portal's. */
        mean = nsci_weigh(weight, v[0].n, v[1].n, v[2].n);
        if (i % 2 == 0)
            mean = nsci_add(nsci_unit(mean, v[3].n), v[3].n);
        other = nsci_first(&d, mean.x, mean.y, mean.z);
        for (k = 0; k < 2; k++) {
            const nsci_vertex *x = k ? &other : &v[3];
            low = nsci_dot3(x->w, x->n);
            if (x->n.z > 0 && (low - rounding) / x->n.z > bound) {
                bound = (low - rounding) / x->n.z;
                touch = low / x->n.z;
                n = x->n;
            }
        }
        /* Done when the upper bound, the portal, meets the plane of the lower one on the way. */
        done = (up - touch) * n.z <= rounding;
        for (k = 0; k < 2; k++)
            done |= nsci_cast_done(k ? &other : &v[3], up, &least, &n);
        if (least < NSC_REAL_MAX)
            touch = up;
        stuck += beyond <= rounding;
        if (done || stuck > 15)
            break;
        far = v[3];
        if (beyond <= rounding || nsci_dot3(nsci_sub(v[0].w, other.w), far.n) > rounding) {
            v[3] = other;
            nsci_enter_portal(v);
            across = nsci_triangle_normal(v[0].w, v[1].w, v[2].w);
        }
        v[3] = far;
        if (nsci_dot3(nsci_sub(v[0].w, far.w), across) > 0)
            nsci_enter_portal(v);
    }
    nsci_portal_weights(v, weight);
    c->t = skip + d.scale * touch;
    c->n = nsci_mul_mv(&d.frame, n);
    c->p = nsci_add_sv(nsci_weigh(weight, v[0].on_b, v[1].on_b, v[2].on_b), skip, c->u);
    b->centre = home;
    return found && bound > -NSC_REAL_MAX;
}

/* Cast a on b, which is convex.  third: a direction in which they may be apart, tried where they
   overlap at the start.  Returns 1 and the result in c, or 0. */
static int nsci_cast_convex(nsci_cast *c, const nsci_geom *a, nsci_geom *b, nsc_vec3 third)
{
    nsc_real small = nsci_tolerances(a, b).small;
    nsc_real s;
    nsc_real best = -NSC_REAL_MAX;
    nsci_cast in = *c;
    nsci_cast out = *c;
    nsc_vec3 n[3];
    int i;
    if (!nsci_cast_line(&in, a, b) || !(in.t <= c->length))
        return 0;
    if (!(in.t > 0)) {
        out.u = nsci_neg(c->u);
        if (!nsci_cast_line(&out, a, b) || out.t > 0)
            return 0;
        n[0] = third;
        n[1] = in.n;
        n[2] = out.n;
        for (i = 0; i < 3; i++) {
            s = nsci_gap(a, b, n[i]);
            if (nsci_dot3(n[i], n[i]) > 0 && s > best) {
                best = s;
                in.n = n[i];
            }
        }
        /* The shapes only touch at the start, and at the end of the way no more than that. */
        if (best >= -small && best - c->length * nsci_dot3(in.n, c->u) >= -small)
            return 0;
        in.t = 0;
        in.p = nsci_add_sv(nsci_support(b, nsci_neg(in.n)), -nsci_rounding(b), in.n);
    }
    *c = in;
    return 1;
}

/* The same on half-space b */
static int nsci_cast_plane(nsci_cast *c, const nsci_geom *a, const nsci_geom *b)
{
    nsc_vec3 n = nsci_neg(b->axes.c[2]);
    nsc_vec3 p = nsci_add_sv(nsci_support(a, n), nsci_rounding(a), n);
    nsc_real s = nsci_dot3(nsci_sub(b->centre, p), n);
    nsc_real rate = nsci_dot3(n, c->u);
    nsc_real small = NSC_R(3e-5) * nsci_size(a) + 8 * NSC_REAL_EPS * nsci_norm(b->centre);
    if (s > 0 ? !(rate * c->length >= s) : s >= -small && s - rate * c->length >= -small)
        return 0;
    c->n = n;
    c->t = s > 0 ? s / rate : 0;
    c->p = nsci_add_sv(nsci_add_sv(p, c->t, c->u), nsci_min(s, 0), n);
    return 1;
}

#if !NSCI_TERRAIN_PART
#define nsci_cast_terrain(c, a, b, more) 0
#else
/* Cast a on a triangle, both in the frame of its height field or mesh.  A mesh's triangle is not
   met from behind. */
static int nsci_cast_facet(nsci_cast *c, const nsci_geom *a, nsci_facet *f)
{
    nsc_vec3 up = nsci_face_normal(&f->t, 0);
    nsc_vec3 down = nsci_neg(up);
    nsc_real s = nsci_gap(a, &f->t, down);
    if (s > 0 && !(nsci_dot3(down, c->u) * c->length >= s))
        return 0;
    if (NSCI_OF_MESH(f) && s <= 0 && nsci_gap(a, &f->t, up) >= 0)
        return 0;
    if (!nsci_cast_convex(c, a, &f->t, down))
        return 0;
    c->length = c->t;
    return 1;
}

#if !NSC_TERRAIN
#define nsci_cast_field(c, a, f, box, origin) 0
#else
/* Cast a on the triangles under the way, one row of cells after the other; box: bounds of a */
static int nsci_cast_field(nsci_cast *c, const nsci_geom *a, const nsc_heights *g,
                           const nsci_aabb *box, nsc_vec3 origin)
{
    nsci_facet f;
    int i, j, which, found = 0, from, to;
    for (j = 0; j < g->ny - 1; j++) {
        nsc_real y = ((nsc_real)j - nsci_middle_of(g->ny)) * g->dy - origin.y;
        nsc_real lo = 0;
        nsc_real hi = c->length;
        nsc_real one, other;
        nsci_narrow(box->min[2], box->max[2], c->u.z, g->low - origin.z, g->high - origin.z, &lo,
                    &hi);
        nsci_narrow(box->min[1], box->max[1], c->u.y, y, y + g->dy, &lo, &hi);
        if (lo > hi)
            continue;
        one = lo * c->u.x;
        other = hi * c->u.x;
        nsci_cell_range(origin.x + nsci_min(one, other) + box->min[0],
                        origin.x + nsci_max(one, other) + box->max[0], g->dx, g->nx, &from, &to);
        for (i = from; i <= to; i++)
            for (which = 0; which < 2; which++) {
                nsci_field_triangle(g, i, j, which, origin, &f);
                found |= nsci_cast_facet(c, a, &f);
            }
    }
    return found;
}
#endif

#if !NSC_MESHES
#define nsci_cast_mesh(c, a, m, box, origin) 0
#else
/* Cast a on the triangles of the nodes under the way; box: bounds of a */
static int nsci_cast_mesh(nsci_cast *c, const nsci_geom *a, const nsc_mesh *m,
                          const nsci_aabb *box, nsc_vec3 origin)
{
    nsci_mesh_walk x = nsci_walk_mesh(m, origin);
    nsci_facet f;
    int found = 0;
    x.box = *box;
    x.way = c->u;
    x.end = c->length;
    while (nsci_next_facet(&x, &f) >= 0) {
        found |= nsci_cast_facet(c, a, &f);
        x.end = c->length;
    }
    return found;
}
#endif

/* Cast a on height field or mesh b, in its frame; more: margin of a's box [m] */
NSCI_OWN_FRAME int nsci_cast_terrain(nsci_cast *c, const nsci_geom *a, const nsci_geom *b,
                                     nsc_real more)
{
    nsci_geom own = *a;
    nsci_cast d = *c;
    nsc_vec3 origin = nsci_neg(nsci_mul_mtv(&b->axes, b->centre));
    nsci_aabb box;
    int k, found;
    for (k = 0; k < 3; k++)
        own.axes.c[k] = nsci_mul_mtv(&b->axes, a->axes.c[k]);
    d.u = nsci_mul_mtv(&b->axes, c->u);
    nsci_bounds(&own, more, &box);
    if (b->kind == NSC_SHAPE_HEIGHT_FIELD)
        found = nsci_cast_field(&d, &own, NSCI_FIELD_OF(b), &box, origin);
    else
        found = nsci_cast_mesh(&d, &own, NSCI_MESH_OF(b), &box, origin);
    c->t = d.t;
    c->n = nsci_mul_mv(&b->axes, d.n);
    c->p = nsci_mul_mv(&b->axes, d.p);
    return found;
}
#endif

/* Cast a, with its centre at the origin, on b, both of any kind. */
static int nsci_cast_on(nsc_world *w, nsci_cast *c, nsci_geom *a, nsci_geom *b)
{
    nsc_real more = NSC_R(1e-3) * nsci_size(a) +
                    16 * NSC_REAL_EPS * (nsci_norm(b->centre) + c->length);
    const nsci_point *deepest;
    nsci_aabb mine, other;
    int n;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_cast_plane(c, a, b);
    nsci_bounds(a, more, &mine);
    nsci_bounds(b, 0, &other);
    if (!nsci_way_meets(&mine, &other, c->u, c->length, 0))
        return 0;
    n = nsci_collide_any(w, a, b, more);
    deepest = nsci_deepest(w->scratch.find.points, n);
    if (b->kind < NSC_SHAPE_HALF_SPACE)
        return nsci_cast_convex(c, a, b, n > 0 ? deepest->normal : nsci_vec(0, 0, 0));
    if (n == 0 || deepest->gap >= -nsci_tolerances(a, a).small)
        return nsci_cast_terrain(c, a, b, more);
    c->t = 0;
    c->n = deepest->normal;
    c->p = nsci_add_sv(deepest->point, NSC_R(0.5) * deepest->gap, c->n);
    return 1;
}

NSC_API int nsc_box_tree_cast_shape(const nsc_box_tree *tree, nsc_world *w,
                                    const nsc_shape_def *def, nsc_vec3 way, uint32_t mask,
                                    nsc_hit *hit)
{
    nsci_geom probe;
    nsci_aabb box;
    nsci_quest q;
    nsci_cast c;
    nsc_hit own;
    nsc_vec3 start;
    int i, n;
    int found = 0;
    int code = nsci_begin_probe(tree, w, def, &probe);
    if (code < 0)
        return code;
    if (!hit)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    c.length = nsci_norm(way);
    if (!nsci_finite(c.length))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE, c.length);
    if (!(c.length > 0))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, c.length);
    c.u = nsci_mul_sv(1 / c.length, way);
    start = probe.centre;
    nsci_bounds(&probe, NSC_R(1e-3) * nsci_size(&probe), &box);
    nsci_ask(&q, tree, w, mask, &box, way);
    n = nsci_list_seen(w, &q);
    probe.centre = nsci_vec(0, 0, 0);
    for (i = 0; i < n; i++) {
        int s = w->scratch.find.sweep[i];
        nsci_geom g = nsci_place(w, &w->shapes[s]);
        g.centre = nsci_sub(g.centre, start);
        if (!nsci_cast_on(w, &c, &probe, &g) || (found && !(c.t < c.length)))
            continue;
        found = 1;
        c.length = c.t;
        nsci_fill_hit(w, s, nsci_add(start, c.p), nsci_neg(c.n), c.t, &own);
    }
    return nsci_give_hit(&w->note, found, &own, hit);
}

NSC_API int nsc_world_cast_shape(nsc_world *w, const nsc_shape_def *def, nsc_vec3 way,
                                 uint32_t mask, nsc_hit *hit)
{
    return nsc_box_tree_cast_shape(NULL, w, def, way, mask, hit);
}

/* Does the box hold the point? */
static int nsci_holds(const nsci_aabb *box, nsc_vec3 p)
{
    return p.x >= box->min[0] && p.x <= box->max[0] && p.y >= box->min[1] && p.y <= box->max[1] &&
           p.z >= box->min[2] && p.z <= box->max[2];
}

NSC_API int nsc_box_tree_closest(const nsc_box_tree *tree, nsc_world *w, nsc_vec3 point,
                                 nsc_real distance, uint32_t mask, nsc_hit *hit)
{
    nsc_shape_def def = nsc_default_sphere_def(0);
    nsci_geom probe;
    nsci_point p;
    nsc_real far;
    nsc_hit own;
    nsci_aabb around;
    nsci_quest q;
    int i, n;
    int found = 0;
    int code = nsci_begin_quest(tree, w);
    if (code < 0)
        return code;
    if (!hit)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (!nsci_vec_finite(point) || !nsci_finite(distance))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE,
                            nsci_finite(distance) ? nsci_norm(point) : distance);
    if (distance < 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, distance);
    def.pose.position = point;
    nsci_place_probe(&def, &probe);
    far = nsci_min(NSC_R(1.001) * distance, NSC_REAL_MAX);
    around = nsci_point_box(point);
    nsci_widen(&around, far);
    nsci_ask(&q, tree, w, mask, &around, nsci_vec(0, 0, 0));
    n = nsci_list_seen(w, &q);
    for (i = 0; i < n; i++) {
        nsci_aabb box;
        int s = w->scratch.find.sweep[i];
        nsci_geom g = nsci_place(w, &w->shapes[s]);
        nsc_vec3 d = nsci_sub(g.centre, point);
        nsci_bounds(&g, far, &box);
        if (!nsci_holds(&box, point))
            continue;
        if (g.kind != NSC_SHAPE_HALF_SPACE && !nsci_finite(nsci_dot3(d, d)))
            return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE, nsci_norm(d));
        if (!nsci_closest_on(w, &probe, &g, distance, &p) || (found && p.gap >= own.distance))
            continue;
        found = 1;
        nsci_fill_hit(w, s, nsci_add_sv(point, p.gap, p.normal), nsci_neg(p.normal), p.gap, &own);
    }
    return nsci_give_hit(&w->note, found, &own, hit);
}

NSC_API int nsc_world_closest(nsc_world *w, nsc_vec3 point, nsc_real distance, uint32_t mask,
                              nsc_hit *hit)
{
    return nsc_box_tree_closest(NULL, w, point, distance, mask, hit);
}

NSCI_C_END
NSCI_BITS_END
#endif
