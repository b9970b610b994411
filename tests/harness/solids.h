/* solids.h - convex solids in double, and how far two are apart: the slow reference of contacts and distances.  Include it after
   nsc.h and random.h.

   A solid is known by its support: reach(n), the furthest of it along a unit vector n.  The separation of two along n is
       s(n) = -reach_b(-n) - reach_a(n),
   and their distance, or less their depth, is the largest s over all n.
   Apart: s is greatest at one n only.  It is found by the point of b - a nearest to 0 (Gilbert, Johnson and Keerthi), on subsets of
   four support points, all of which are tried.  The point is no nearer than s(n) and no further than its length: solid_gap goes
   on until these agree, so that the answer proves itself.
   Overlapping: the nearest point of the boundary lies where the boundary is smooth.  There n is normal to a face; or to an edge of
   each; or, with a cylinder, somewhere on the circle across its axis, or across an edge or axis of the other, which are scanned;
   or two rims touch, then n is searched for from many directions. */
#ifndef NSC_TEST_SOLIDS_H
#define NSC_TEST_SOLIDS_H
#include "random.h"

typedef struct d3 { double x, y, z; } d3;

SHARED d3 d3_of(double x, double y, double z)
{
    d3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

SHARED d3 d3_add(d3 a, double s, d3 b) { return d3_of(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
SHARED d3 d3_sub(d3 a, d3 b) { return d3_add(a, -1, b); }
SHARED d3 d3_mul(double s, d3 a) { return d3_of(s * a.x, s * a.y, s * a.z); }
SHARED double d3_dot(d3 a, d3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SHARED double d3_norm(d3 a) { return sqrt(d3_dot(a, a)); }
SHARED d3 d3_cross(d3 a, d3 b) { return d3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
SHARED d3 d3_from(nsc_vec3 v) { return d3_of(D(v.x), D(v.y), D(v.z)); }
SHARED nsc_vec3 d3_real(d3 v) { return vec(v.x, v.y, v.z); }

/* Of unit length; the given one if there is none */
SHARED d3 d3_unit(d3 a, d3 otherwise)
{
    double n = d3_norm(a);
    return n > 1e-300 ? d3_mul(1 / n, a) : otherwise;
}

SHARED d3 any_direction(void)
{
    double z = uniform(-1, 1), angle = uniform(-3.14159265358979, 3.14159265358979), r = sqrt(1 - z * z);
    return d3_of(r * cos(angle), r * sin(angle), z);
}

enum { SOLID_CORNERS = 42, SOLID_EDGES = 3 * SOLID_CORNERS, SOLID_FACES = 2 * SOLID_CORNERS };

/* A core of corners, its edges and the normals of its faces, with a rounding; or a cylinder */
typedef struct solid {
    int is_cylinder, corners, edges, faces;
    d3 centre, axis[3], corner[SOLID_CORNERS], edge[SOLID_EDGES], face[SOLID_FACES];
    double half, radius, size; /* of a cylinder its own; else the rounding; size: from the centre to the furthest point */
} solid;

SHARED d3 solid_local(const solid *s, double x, double y, double z)
{
    return d3_add(d3_add(d3_add(s->centre, x, s->axis[0]), y, s->axis[1]), z, s->axis[2]);
}

SHARED void solid_frame(solid *s, nsc_vec3 at, nsc_quat q)
{
    double w = D(q.w), x = D(q.x), y = D(q.y), z = D(q.z), k = 2 / (w * w + x * x + y * y + z * z);
    memset(s, 0, sizeof *s);
    s->centre = d3_from(at);
    s->axis[0] = d3_of(1 - k * (y * y + z * z), k * (x * y + w * z), k * (x * z - w * y));
    s->axis[1] = d3_of(k * (x * y - w * z), 1 - k * (x * x + z * z), k * (y * z + w * x));
    s->axis[2] = d3_of(k * (x * z + w * y), k * (y * z - w * x), 1 - k * (x * x + y * y));
}

SHARED void solid_box(solid *s, double x, double y, double z)
{
    int i;
    for (i = 0; i < 8; i++) s->corner[s->corners++] = solid_local(s, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (i = 0; i < 3; i++) {
        s->edge[s->edges++] = s->face[s->faces++] = s->axis[i];
        s->face[s->faces++] = d3_mul(-1, s->axis[i]);
    }
    s->size = sqrt(x * x + y * y + z * z);
}

/* A sphere if it has no length */
SHARED void solid_round(solid *s, double radius, double half)
{
    s->radius = radius, s->size = radius + half;
    s->corner[s->corners++] = solid_local(s, 0, 0, half);
    if (half <= 0) return;
    s->corner[s->corners++] = solid_local(s, 0, 0, -half);
    s->edge[s->edges++] = s->axis[2];
}

SHARED void solid_cylinder(solid *s, double radius, double half)
{
    s->is_cylinder = 1, s->radius = radius, s->half = half, s->size = sqrt(radius * radius + half * half);
    s->face[s->faces++] = s->axis[2];
    s->face[s->faces++] = d3_mul(-1, s->axis[2]);
}

#if NSCI_HULLS
/* Faces that are not quite plane have two normals at every corner. */
SHARED void solid_hull(solid *s, const nsc_hull *h)
{
    int f, i;
    for (i = 0; i < h->vertices; i++) {
        d3 p = d3_from(h->vertex[i]);
        s->corner[s->corners++] = solid_local(s, p.x, p.y, p.z);
        if (d3_norm(p) > s->size) s->size = d3_norm(p);
    }
    for (f = 0; f < h->faces; f++) {
        int first = h->first[f], end = h->first[f + 1];
        d3 n = solid_local(s, D(h->normal[f].x), D(h->normal[f].y), D(h->normal[f].z));
        if (s->faces < SOLID_FACES) s->face[s->faces++] = d3_sub(n, s->centre);
        for (i = first; i < end; i++) {
            int u = h->corner[i], v = h->corner[i + 1 < end ? i + 1 : first];
            if (u < v) s->edge[s->edges++] = d3_unit(d3_sub(s->corner[v], s->corner[u]), s->axis[0]);
        }
    }
    for (f = 0; f < h->faces; f++)
        for (i = h->first[f] + 2; i < h->first[f + 1]; i++) {
            d3 p = s->corner[h->corner[h->first[f]]], q = s->corner[h->corner[i - 1]], r = s->corner[h->corner[i]];
            if (s->faces < SOLID_FACES) s->face[s->faces++] = d3_unit(d3_cross(d3_sub(q, p), d3_sub(r, p)), s->axis[2]);
        }
}
#endif

SHARED void solid_triangle(solid *s, d3 p, d3 q, d3 r)
{
    memset(s, 0, sizeof *s);
    s->corner[0] = p, s->corner[1] = q, s->corner[2] = r;
    s->corners = s->edges = 3;
    s->centre = d3_mul(1 / 3., d3_add(d3_add(p, 1, q), 1, r));
    s->axis[0] = s->edge[0] = d3_unit(d3_sub(q, p), d3_of(1, 0, 0));
    s->edge[1] = d3_unit(d3_sub(r, q), d3_of(1, 0, 0));
    s->edge[2] = d3_unit(d3_sub(p, r), d3_of(1, 0, 0));
    s->axis[2] = s->face[0] = d3_unit(d3_cross(d3_sub(q, p), d3_sub(r, p)), d3_of(0, 0, 1));
    s->axis[1] = d3_cross(s->axis[2], s->axis[0]);
    s->face[1] = d3_mul(-1, s->face[0]);
    s->faces = 2;
    s->size = fmax(d3_norm(d3_sub(p, s->centre)), fmax(d3_norm(d3_sub(q, s->centre)), d3_norm(d3_sub(r, s->centre))));
}

SHARED void solid_move(solid *s, d3 by)
{
    int i;
    s->centre = d3_add(s->centre, 1, by);
    for (i = 0; i < s->corners; i++) s->corner[i] = d3_add(s->corner[i], 1, by);
}

/* The point of the core, or of the cylinder, furthest along n */
SHARED d3 solid_support(const solid *s, d3 n)
{
    int i, best = 0;
    double most = -1e300;
    if (s->is_cylinder) {
        double x = d3_dot(n, s->axis[0]), y = d3_dot(n, s->axis[1]), r = sqrt(x * x + y * y);
        r = r > 0 ? s->radius / r : 0;
        return solid_local(s, r * x, r * y, d3_dot(n, s->axis[2]) < 0 ? -s->half : s->half);
    }
    for (i = 0; i < s->corners; i++) {
        double t = d3_dot(n, d3_sub(s->corner[i], s->centre));
        if (t > most) most = t, best = i;
    }
    return s->corner[best];
}

SHARED double solid_rounding(const solid *s) { return s->is_cylinder ? 0 : s->radius; }

/* Of b - a: the point nearest to 0 in direction n, from a to b */
SHARED d3 solid_between(const solid *a, const solid *b, d3 n)
{
    return d3_sub(solid_support(b, d3_mul(-1, n)), solid_support(a, n));
}

/* Separation along the unit vector n */
SHARED double solid_along(const solid *a, const solid *b, d3 n)
{
    return d3_dot(solid_between(a, b, n), n) - solid_rounding(a) - solid_rounding(b);
}

/* The point nearest to 0 of the plane (line, point) through k points: its weights.  0 if these are not all >= 0. */
SHARED int solid_weights(const d3 *p, int k, double *weight)
{
    d3 e[3];
    double g[3][3], r[3], det, sum = 0;
    int i, j;
    for (i = 1; i < k; i++) e[i - 1] = d3_sub(p[i], p[0]);
    for (i = 0; i < k - 1; i++)
        for (r[i] = -d3_dot(e[i], p[0]), j = 0; j < k - 1; j++) g[i][j] = d3_dot(e[i], e[j]);
    for (i = 0; i < k - 1; i++) /* elimination of a positive matrix */
        for (j = i + 1; j < k - 1; j++) {
            double f;
            int m;
            if (!(g[i][i] > 0)) return 0;
            f = g[j][i] / g[i][i];
            for (m = i; m < k - 1; m++) g[j][m] -= f * g[i][m];
            r[j] -= f * r[i];
        }
    for (i = k - 2; i >= 0; i--) {
        det = r[i];
        for (j = i + 1; j < k - 1; j++) det -= g[i][j] * weight[j + 1];
        if (!(g[i][i] > 1e-13 * d3_dot(e[i], e[i]))) return 0;
        weight[i + 1] = det / g[i][i];
        if (!(weight[i + 1] >= 0)) return 0;
        sum += weight[i + 1];
    }
    weight[0] = 1 - sum;
    return weight[0] >= 0;
}

/* The largest separation of the cores where they are apart, and n; less than 0 where they overlap.  *sure: proven to 1e-7 of the
   smaller size */
SHARED double solid_apart(const solid *a, const solid *b, d3 *n, int *sure)
{
    d3 p[5], v = d3_sub(b->centre, a->centre);
    double best = -1e300, small = fmin(a->size, b->size), tol = 1e-7 * small + 1e-14 * (a->size + b->size);
    int k = 0, i, j, step;
    *sure = 0;
    for (step = 0; step < 200; step++) {
        d3 dir = d3_unit(v, d3_of(0, 0, 1));
        double length = step ? d3_norm(v) : 1e300, low, least = 1e300;
        int set, kept = 0;
        if (step && length <= tol) return *sure = 1, fmin(best, 0);
        p[k++] = solid_between(a, b, dir);
        low = d3_dot(p[k - 1], dir);
        if (low > best) best = low, *n = dir;
        if (length - best <= tol) return *sure = 1, best;
        for (set = 1; set < 1 << k; set++) {
            d3 q[5], at = d3_of(0, 0, 0);
            double weight[4];
            int m = 0;
            for (i = 0; i < k; i++)
                if (set >> i & 1) q[m++] = p[i];
            if (m > 4 || !solid_weights(q, m, weight)) continue;
            if (m == 4) return *sure = 1, fmin(best, 0); /* 0 is inside */
            for (j = 0; j < m; j++) at = d3_add(at, weight[j], q[j]);
            if (d3_norm(at) < least) least = d3_norm(at), kept = set, v = at;
        }
        for (i = j = 0; i < k; i++)
            if (kept >> i & 1) p[j++] = p[i];
        k = j;
        if (k == 0 || k == 4) break;
    }
    return best;
}

SHARED void solid_try(const solid *a, const solid *b, d3 n, double *best, d3 *at)
{
    double s;
    if (!(d3_norm(n) > 1e-12)) return;
    n = d3_unit(n, n);
    s = solid_along(a, b, n);
    if (s > *best) *best = s, *at = n;
}

SHARED void solid_try_both(const solid *a, const solid *b, d3 n, double *best, d3 *at)
{
    solid_try(a, b, n, best, at);
    solid_try(a, b, d3_mul(-1, n), best, at);
}

SHARED double solid_on_circle(const solid *a, const solid *b, d3 x, d3 y, double angle)
{
    return solid_along(a, b, d3_add(d3_mul(cos(angle), x), sin(angle), y));
}

/* The directions across an axis: each rise between three of 48 is narrowed. */
SHARED void solid_scan(const solid *a, const solid *b, d3 axis, double *best, d3 *at)
{
    enum { PARTS = 48 };
    const double step = 2 * 3.14159265358979323846 / PARTS, golden = 0.6180339887498949;
    d3 x = d3_cross(axis, fabs(axis.x) < 0.6 ? d3_of(1, 0, 0) : d3_of(0, 1, 0)), y;
    double s[PARTS];
    int i, k;
    x = d3_unit(x, axis);
    y = d3_cross(axis, x);
    for (i = 0; i < PARTS; i++) s[i] = solid_on_circle(a, b, x, y, step * i);
    for (i = 0; i < PARTS; i++) {
        double lo = step * (i - 1), hi = step * (i + 1), p, q, sp, sq;
        if (s[i] < s[(i + 1) % PARTS] || s[i] < s[(i + PARTS - 1) % PARTS]) continue;
        p = hi - golden * (hi - lo), q = lo + golden * (hi - lo);
        sp = solid_on_circle(a, b, x, y, p), sq = solid_on_circle(a, b, x, y, q);
        for (k = 0; k < 45; k++)
            if (sp > sq) hi = q, q = p, sq = sp, p = hi - golden * (hi - lo), sp = solid_on_circle(a, b, x, y, p);
            else lo = p, p = q, sp = sq, q = lo + golden * (hi - lo), sq = solid_on_circle(a, b, x, y, q);
        solid_try(a, b, d3_add(d3_mul(cos(p), x), sin(p), y), best, at);
    }
}

/* Ascend from n by steps to eight sides, which are halved where none is better by 1e-5 of a step: along the crest between two
   sides it would else go on for millions of steps that gain nothing. */
SHARED void solid_climb(const solid *a, const solid *b, d3 n, double *best, d3 *at)
{
    double own = solid_along(a, b, n), step = 0.1, least = 1e-5 * fmin(a->size, b->size);
    while (step > 1e-8) {
        d3 x = d3_unit(d3_cross(n, fabs(n.x) < 0.6 ? d3_of(1, 0, 0) : d3_of(0, 1, 0)), n), y = d3_cross(n, x);
        int k, better = 0;
        for (k = 0; k < 8 && !better; k++) {
            double angle = 0.785398163397448 * k + 1e3 * step;
            d3 m = d3_unit(d3_add(d3_add(n, step * cos(angle), x), step * sin(angle), y), n);
            double s = solid_along(a, b, m);
            if (s > own + least * step) own = s, n = m, better = 1;
        }
        if (!better) step /= 2;
    }
    solid_try(a, b, n, best, at);
}

/* Of two rims: from the best of 300 directions */
SHARED void solid_rims(const solid *a, const solid *b, double *best, d3 *at)
{
    enum { STARTS = 300 };
    static double s[STARTS];
    static d3 n[STARTS];
    int i, k;
    for (i = 0; i < STARTS; i++) {
        double z = 1 - (2 * i + 1.) / STARTS, r = sqrt(1 - z * z), angle = i * 2.39996322972865332;
        n[i] = d3_of(r * cos(angle), r * sin(angle), z);
        s[i] = solid_along(a, b, n[i]);
    }
    for (k = 0; k < 8; k++) {
        int top = 0;
        for (i = 1; i < STARTS; i++)
            if (s[i] > s[top]) top = i;
        s[top] = -1e300;
        solid_climb(a, b, n[top], best, at);
    }
}

/* Distance of two solids, below 0 their depth, and the unit vector from a to b along which they are so far apart.  Returns 0 if it
   could not be proven. */
SHARED int solid_gap(const solid *a, const solid *b, double *gap, d3 *n)
{
    int i, j, sure;
    double apart = solid_apart(a, b, n, &sure);
    *gap = apart - solid_rounding(a) - solid_rounding(b);
    if (apart > 1e-9 * fmin(a->size, b->size) || !sure) return sure;
    *gap = -1e300;
    for (i = 0; i < a->faces; i++) solid_try(a, b, a->face[i], gap, n);
    for (i = 0; i < b->faces; i++) solid_try(a, b, d3_mul(-1, b->face[i]), gap, n);
    for (i = 0; i < a->edges; i++)
        for (j = 0; j < b->edges; j++) solid_try_both(a, b, d3_cross(a->edge[i], b->edge[j]), gap, n);
    solid_try_both(a, b, d3_sub(b->centre, a->centre), gap, n);
    for (i = 0; i < 3; i++) solid_try_both(a, b, a->axis[i], gap, n), solid_try_both(a, b, b->axis[i], gap, n);
    if (a->is_cylinder) solid_scan(a, b, a->axis[2], gap, n);
    if (b->is_cylinder) solid_scan(a, b, b->axis[2], gap, n);
    for (i = 0; i < a->edges && b->is_cylinder; i++) solid_scan(a, b, a->edge[i], gap, n);
    for (i = 0; i < b->edges && a->is_cylinder; i++) solid_scan(a, b, b->edge[i], gap, n);
    if (a->is_cylinder && b->is_cylinder) solid_rims(a, b, gap, n);
    return 1;
}

/* Distance of a point from a solid, less than 0 inside */
SHARED double solid_point_gap(const solid *s, d3 p)
{
    solid point;
    double gap = 0;
    d3 n;
    memset(&point, 0, sizeof point);
    point.corners = 1, point.corner[0] = point.centre = p, point.size = s->size;
    point.axis[0] = d3_of(1, 0, 0), point.axis[1] = d3_of(0, 1, 0), point.axis[2] = d3_of(0, 0, 1);
    return solid_gap(s, &point, &gap, &n) ? gap : -1e300;
}

#endif
