/* nsc_support.h - furthest points, faces and edges of convex shapes
   MIT licence, at the end of nsc.h.
   nsc_convex.h and nsc_sense.h include it.
   Beside it: nsc.h. */
#ifndef NSC_SUPPORT_H
#define NSC_SUPPORT_H

static nsc_vec3 nsci_hull_vertex(const nsci_geom *g, const nsc_hull *hull, int i)
{
    return nsci_add(g->centre, nsci_mul_mv(&g->axes, hull->vertex[i]));
}

/* Vertex furthest along d */
static int nsci_hull_furthest(const nsci_geom *g, const nsc_hull *hull, nsc_vec3 d)
{
    nsc_vec3 local = nsci_mul_mtv(&g->axes, d);
    nsc_real best = nsci_dot3(local, hull->vertex[0]);
    int i, found = 0;
    for (i = 1; i < hull->vertices; i++) {
        nsc_real s = nsci_dot3(local, hull->vertex[i]);
        if (s > best) {
            best = s;
            found = i;
        }
    }
    return found;
}

static nsc_vec3 nsci_hull_support(const nsci_geom *g, const nsc_hull *hull, nsc_vec3 d)
{
    return nsci_hull_vertex(g, hull, nsci_hull_furthest(g, hull, d));
}

/* Restrict lo..hi to the shares t >= 0 for which the interval min..max, moved by v t, meets
   from..to; if none is left, then hi < lo. */
NSC_MAYBE_UNUSED static void nsci_narrow(nsc_real min, nsc_real max, nsc_real v,
                                         nsc_real from, nsc_real to, nsc_real *lo, nsc_real *hi)
{
    if (v > 0) {
        *lo = nsci_max(*lo, (from - max) / v);
        *hi = nsci_min(*hi, (to - min) / v);
    } else if (v < 0) {
        *lo = nsci_max(*lo, (to - min) / v);
        *hi = nsci_min(*hi, (from - max) / v);
    } else if (min > to || max < from) {
        *hi = -1;
    }
}

/* May box a, moved by v times 0..`end`, meet box b?  slack: relative error of `end` */
NSC_MAYBE_UNUSED static int nsci_way_meets(const nsci_aabb *a, const nsci_aabb *b, nsc_vec3 v,
                                           nsc_real end, nsc_real slack)
{
    nsc_real lo = 0, hi = end;
    nsci_narrow(a->min[0], a->max[0], v.x, b->min[0], b->max[0], &lo, &hi);
    nsci_narrow(a->min[1], a->max[1], v.y, b->min[1], b->max[1], &lo, &hi);
    nsci_narrow(a->min[2], a->max[2], v.z, b->min[2], b->max[2], &lo, &hi);
    return lo <= hi * (1 + slack);
}

static int nsci_is_cylinder(const nsci_geom *g)
{
    return NSC_CONVEX && g->kind == NSC_SHAPE_CYLINDER;
}

static int nsci_is_triangle(const nsci_geom *g)
{
    return NSCI_TERRAIN_PART && g->kind == NSCI_TRIANGLE;
}

static nsc_real nsci_rounding(const nsci_geom *g)
{
    return g->kind <= NSC_SHAPE_CAPSULE ? g->radius : 0;
}

/* d without its part along the unit vector n */
static nsc_vec3 nsci_without(nsc_vec3 d, nsc_vec3 n) { return nsci_add_sv(d, -nsci_dot3(d, n), n); }

/* A point well inside the shape */
static nsc_vec3 nsci_middle(const nsci_geom *g)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    return hull ? nsci_add(g->centre, nsci_mul_mv(&g->axes, hull->centroid)) : g->centre;
}

#if NSCI_HULLS
/* Radius of the largest ball in a hull about its centroid [m], and where that is */
static nsc_real nsci_inner_hull(const nsci_geom *g, nsc_vec3 *middle)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    nsc_real r = NSC_REAL_MAX;
    int i;
    for (i = 0; i < hull->faces; i++) {
        nsc_vec3 corner = hull->vertex[hull->corner[hull->first[i]]];
        r = nsci_min(r, nsci_dot3(hull->normal[i], nsci_sub(corner, hull->centroid)));
    }
    *middle = nsci_middle(g);
    return r;
}
#endif

/* Approximate extent of the shape from its middle [m] */
static nsc_real nsci_size(const nsci_geom *g)
{
    nsc_real most = 0;
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int i;
    int corners = hull ? hull->vertices : 3;
    if (!hull && !nsci_is_triangle(g))
        return nsci_half_diagonal(g) + g->radius;
    for (i = 0; i < corners; i++) {
        nsc_vec3 d = hull ? nsci_sub(hull->vertex[i], hull->centroid) : g->axes.c[i];
        most = nsci_max(most, nsci_dot3(d, d));
    }
    return NSC_SQRT(most);
}

/* Index of the first of n vectors that is furthest along d */
static NSC_MAYBE_UNUSED int nsci_furthest(const nsc_vec3 *p, int n, nsc_vec3 d)
{
    int i, best = 0;
    for (i = 1; i < n; i++)
        if (nsci_dot3(p[i], d) > nsci_dot3(p[best], d))
            best = i;
    return best;
}

/* Normal of the triangle pqr, twice as long as its area */
static NSC_MAYBE_UNUSED nsc_vec3 nsci_triangle_normal(nsc_vec3 p, nsc_vec3 q, nsc_vec3 r)
{
    return nsci_cross(nsci_sub(q, p), nsci_sub(r, p));
}

/* Lengths [m]: distances up to `small` are rounding, or a touch; a face must separate more by
   `clear` to be preferred; cores within `near` nearly touch; size: extent of the smaller shape */
typedef struct nsci_tolerance { nsc_real small, clear, near, size; } nsci_tolerance;

static nsci_tolerance nsci_tolerances(const nsci_geom *a, const nsci_geom *b)
{
    nsc_real x = nsci_size(a);
    nsc_real y = nsci_size(b);
    nsc_real least = nsci_min(x, y);
    nsc_real most = nsci_max(x, y);
    nsci_tolerance t;
    t.small = NSC_R(3e-5) * least + 8 * NSC_REAL_EPS * most;
    t.clear = NSC_R(1e-3) * least + 8 * NSC_REAL_EPS * most;
    t.near = NSC_R(1e-2) * least + 256 * NSC_REAL_EPS * most;
    t.size = least;
    return t;
}

/* Unit direction of d across axis 2; made of axes 0 and 1, so that no rounding lies along axis 2 */
static nsc_vec3 nsci_across(const nsci_geom *g, nsc_vec3 d)
{
    nsc_real x = nsci_dot3(d, g->axes.c[0]);
    nsc_real y = nsci_dot3(d, g->axes.c[1]);
    nsc_real n = NSC_SQRT(x * x + y * y);
    if (!(n > NSC_R(1e-18)))
        return g->axes.c[0];
    return nsci_add_sv(nsci_mul_sv(x / n, g->axes.c[0]), y / n, g->axes.c[1]);
}

/* Point of the core furthest along d */
static nsc_vec3 nsci_support(const nsci_geom *g, nsc_vec3 d)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    nsc_real q[3];
    int i;
    if (hull)
        return nsci_hull_support(g, hull, d);
    if (nsci_is_triangle(g))
        return nsci_add(g->centre, g->axes.c[nsci_furthest(g->axes.c, 3, d)]);
    if (g->kind != NSC_SHAPE_BOX) {
        nsc_vec3 end = nsci_core(g, nsci_dot3(d, g->axes.c[2]) < 0 ? -1 : 1);
        return nsci_is_cylinder(g) ? nsci_add_sv(end, g->radius, nsci_across(g, d)) : end;
    }
    for (i = 0; i < 3; i++)
        q[i] = nsci_dot3(d, g->axes.c[i]) < 0 ? -g->half[i] : g->half[i];
    return nsci_local_point(g, q);
}

/* Separation along the unit direction n from a to b; < 0: overlap */
static nsc_real nsci_gap(const nsci_geom *a, const nsci_geom *b, nsc_vec3 n)
{
    nsc_vec3 d = nsci_sub(nsci_support(b, nsci_neg(n)), nsci_support(a, n));
    return nsci_dot3(d, n) - nsci_rounding(a) - nsci_rounding(b);
}

/* The point of a triangle that has these barycentric weights */
static nsc_vec3 nsci_weigh(const nsc_real *weight, nsc_vec3 p, nsc_vec3 q, nsc_vec3 r)
{
    return nsci_add_sv(nsci_add_sv(nsci_mul_sv(weight[0], p), weight[1], q), weight[2], r);
}

/* ---- faces and edges */

NSC_MAYBE_UNUSED static int nsci_face_count(const nsci_geom *g)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    if (hull)
        return hull->faces;
    if (nsci_is_cylinder(g))
        return 2;
    return g->kind == NSC_SHAPE_BOX ? 6 : nsci_is_triangle(g);
}

/* Outward normal of a face; a triangle has only its upper face. */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_face_normal(const nsci_geom *g, int i)
{
    nsc_vec3 axis = g->axes.c[g->kind == NSC_SHAPE_BOX ? i / 2 : 2];
    const nsc_hull *hull = NSCI_HULL_OF(g);
    if (hull)
        return nsci_mul_mv(&g->axes, hull->normal[i]);
    if (nsci_is_triangle(g))
        return nsci_vec_at(g->half);
    return i % 2 ? axis : nsci_neg(axis);
}

/* Corners u and v of edge i of a hull.  Returns 0 for the second time that an edge stands there. */
static int nsci_hull_edge(const nsc_hull *h, int i, int *u, int *v)
{
    int k = 0;
    while (h->first[k + 1] <= i)
        k++;
    *u = h->corner[i];
    *v = h->corner[i + 1 < h->first[k + 1] ? i + 1 : h->first[k]];
    return *v > *u;
}

/* Direction i of the straight edges of a shape, its axis if its sides are round; of a hull, where
   each edge stands twice, the second is 0.  Returns 0 if there are no more. */
NSC_MAYBE_UNUSED static int nsci_edge_along(const nsci_geom *g, int i, nsc_vec3 *e)
{
    const nsc_hull *h = NSCI_HULL_OF(g);
    int u, v;
    if (h) {
        if (i >= h->first[h->faces])
            return 0;
        *e = nsci_vec(0, 0, 0);
        if (nsci_hull_edge(h, i, &u, &v))
            *e = nsci_mul_mv(&g->axes, nsci_sub(h->vertex[v], h->vertex[u]));
        return 1;
    }
    if (nsci_is_triangle(g) || g->kind == NSC_SHAPE_SPHERE ||
        i >= (g->kind == NSC_SHAPE_BOX ? 3 : 1))
        return 0;
    *e = g->axes.c[g->kind == NSC_SHAPE_BOX ? i : 2];
    return 1;
}

/* ---- nearest points of simplices */

/* x / y, or 0 unless y > 0 */
static nsc_real nsci_share(nsc_real x, nsc_real y) { return y > 0 ? x / y : 0; }

/* Barycentric weights of the point of a segment (below: of a triangle) nearest to the origin
   (Ericson 5.1.2, 5.1.5) */
NSC_MAYBE_UNUSED static void nsci_segment_weights(const nsc_vec3 *p, nsc_real *weight)
{
    nsc_vec3 e = nsci_sub(p[1], p[0]);
    weight[1] = nsci_clamp(nsci_share(-nsci_dot3(p[0], e), nsci_dot3(e, e)), 0, 1);
    weight[0] = 1 - weight[1];
}

static void nsci_weights(nsc_real *weight, nsc_real x, nsc_real y, nsc_real z)
{
    weight[0] = x;
    weight[1] = y;
    weight[2] = z;
}

static void nsci_triangle_weights(nsc_vec3 p, nsc_vec3 q, nsc_vec3 r, nsc_real *weight)
{
    nsc_vec3 x = nsci_sub(q, p);
    nsc_vec3 y = nsci_sub(r, p);
    nsc_real d1 = -nsci_dot3(x, p);
    nsc_real d2 = -nsci_dot3(y, p);
    nsc_real d3 = -nsci_dot3(x, q);
    nsc_real d4 = -nsci_dot3(y, q);
    nsc_real d5 = -nsci_dot3(x, r);
    nsc_real d6 = -nsci_dot3(y, r);
    nsc_real s;
    nsc_vec3 z = nsci_sub(r, q);
    nsc_vec3 n = nsci_cross(y, z);
    nsc_real u = nsci_dot3(n, nsci_cross(q, z));
    nsc_real v = nsci_dot3(n, nsci_cross(y, r));
    nsc_real w = nsci_dot3(n, nsci_cross(p, x));
    if (d1 <= 0 && d2 <= 0) {
        nsci_weights(weight, 1, 0, 0);
    } else if (d3 >= 0 && d4 <= d3) {
        nsci_weights(weight, 0, 1, 0);
    } else if (w <= 0 && d1 >= 0 && d3 <= 0) {
        s = nsci_share(d1, d1 - d3);
        nsci_weights(weight, 1 - s, s, 0);
    } else if (d6 >= 0 && d5 <= d6) {
        nsci_weights(weight, 0, 0, 1);
    } else if (v <= 0 && d2 >= 0 && d6 <= 0) {
        s = nsci_share(d2, d2 - d6);
        nsci_weights(weight, 1 - s, 0, s);
    } else if (u <= 0 && d4 >= d3 && d5 >= d6) {
        s = nsci_share(d4 - d3, (d4 - d3) + (d5 - d6));
        nsci_weights(weight, 0, 1 - s, s);
    } else {
        s = u + v + w;
        v = nsci_share(v, s);
        w = nsci_share(w, s);
        nsci_weights(weight, 1 - v - w, v, w);
    }
}

/* Weighted sum of n points */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_blend(const nsc_vec3 *p, const nsc_real *weight, int n)
{
    nsc_vec3 sum = nsci_mul_sv(weight[0], p[0]);
    int i;
    for (i = 1; i < n; i++)
        sum = nsci_add_sv(sum, weight[i], p[i]);
    return sum;
}

/* Weights as above for a tetrahedron: of the nearest of the faces that have the origin on their
   outer side.  Returns 1 if none has. */
NSC_MAYBE_UNUSED static int nsci_tetrahedron_weights(const nsc_vec3 *p, nsc_real *weight)
{
    nsc_real best = NSC_REAL_MAX, own[3];
    int f, inside = 1;
    for (f = 0; f < 4; f++) {
        int i = (f + 1) % 4;
        int j = (f + 2) % 4;
        int l = (f + 3) % 4;
        nsc_vec3 n = nsci_triangle_normal(p[i], p[j], p[l]);
        nsc_vec3 e = nsci_sub(p[f], p[i]);
        nsc_vec3 v;
        nsc_real here = -nsci_dot3(n, p[i]);
        nsc_real there = nsci_dot3(n, e);
        nsc_real flat = 8 * NSC_REAL_EPS * nsci_norm(n) * nsci_norm(e);
        if ((here < 0) == (there < 0) && nsci_abs(there) > flat)
            continue;
        inside = 0;
        nsci_triangle_weights(p[i], p[j], p[l], own);
        v = nsci_weigh(own, p[i], p[j], p[l]);
        if (nsci_dot3(v, v) >= best)
            continue;
        best = nsci_dot3(v, v);
        weight[f] = 0;
        weight[i] = own[0];
        weight[j] = own[1];
        weight[l] = own[2];
    }
    return inside;
}

#endif
