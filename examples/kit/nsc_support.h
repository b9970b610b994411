/* nsc_support.h - furthest points of convex shapes
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

#endif
