/* nsc_hull.h - v0.2.0 - convex hulls from points, for nsc
   MIT licence at the end of the file.  Needs nsc.h, which it includes, and snprintf for
   nsc_hull_print.
   Beside it: nsc.h, nsc_convex.h, nsc_support.h.

   DO THIS
       #define NSC_HULL_VERTICES 16        in every file: the default is 0
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_hull.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too: with
   NSC_STATIC all functions are static, and NSC_HULL_VERTICES must be the same in every file.
   NSC_HULL_NO_PRINT leaves out nsc_hull_print and stdio.h.  Built with -ffp-contract=off, the same
   points give the same hull on every machine whose double has 64 bits.

   EXAMPLE
       static nsc_hull rock;
       static const nsc_hull *const table[] = {&rock};
       nsc_shape_def def = nsc_default_hull_def();
       code = nsc_hull_from_points(&rock, points, count, NSC_HULL_VERTICES, NULL);
       if (code == NSC_OK)
           code = nsc_world_set_hulls(&world, table, 1);
       if (code == NSC_OK)
           code = nsc_world_add_hull(&world, body, &def, 0);        negative: an error code

   A hull for flash is made on the desktop: nsc_hull_print writes it as a const table.

   HOW
   A tetrahedron of four extreme points grows: the point furthest outside becomes a corner, the
   triangles that see it go, and a fan from it to their rim takes their place, until no point is
   outside or there are corners enough (quickhull: Barber, Dobkin, Huhdanpaa 1996).  Then triangles
   in one plane are joined to faces. */
#ifndef NSC_KIT_HULL_H
#define NSC_KIT_HULL_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#if NSC_HULL_VERTICES < 4
#error "nsc_hull.h needs NSC_HULL_VERTICES, 4..42, in every file: the corners that a hull may have"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Hull of 4 or more points [m], with at most `corners` corners, 4..NSC_HULL_VERTICES.  Inner points
   and duplicates are left out.  Writes to *left_out (may be NULL) how far the furthest point,
   corners too, is above the plane of a face [m], up to rounding of the size: up to 1e-3 of the
   cloud's size is the tolerance of the faces, more means that corners were wanting.
   The hull is complete.  Returns 0; NSC_ERR_CAPACITY, if left_out is NULL and a point is outside by
   more than 2e-3 of the size: more corners are wanted; NSC_ERR_ARGUMENT (NULL, a number out of
   range, or a flat cloud, thinner than 1e-3 of its size, or a volume beyond numbers);
   NSC_ERR_INERTIA (so small or large that numbers end, in float 1e-8 m); or NSC_ERR_NOT_FINITE
   (also a size whose square is not).  After an error *hull is as before, and nsc_world_last_refusal
   knows no reason.  Memory: 3 KiB of stack at 16 corners, 7 at 42.  Cost: count * corners^2 to
   choose corners, and corners^4 at most to join faces; for setting up, best on the desktop. */
NSC_API int nsc_hull_from_points(nsc_hull *hull, const nsc_vec3 *points, int count, int corners,
                                 nsc_real *left_out);

/* Write the hull as C: static const nsc_hull <name> = {...};  It gives the same bits in a build
   with the same nsc_real, and fits where NSC_HULL_VERTICES is large enough.  Returns 0, or
   NSC_ERR_ARGUMENT (NULL, or counts and indices out of range: a hull that was not made). */
#ifndef NSC_HULL_NO_PRINT
NSC_API int nsc_hull_print(const nsc_hull *hull, const char *name,
                           void (*write)(void *user, const char *text), void *user);
#endif

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_HULL_H */

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_HULL_DONE)
#define NSC_HULL_DONE
#ifndef NSC_HULL_NO_PRINT
#include <stdio.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The hull of the points taken so far, as triangles.  A slot is the place of a corner in `at`.  All
   lengths are in units of the cloud's size, and doubles: then rounding is far below every tolerance
   also where nsc_real is float. */
enum { NSCI_WRAP_TRIANGLES = 2 * NSC_HULL_VERTICES };

typedef struct nsci_wrap_triangle {
    uint8_t slot[3];                         /* counter-clockwise, seen from outside */
    uint8_t joined;                          /* 1: part of a face already */
    double normal[3], area;                  /* outward unit; twice the area */
} nsci_wrap_triangle;

typedef struct nsci_wrap_draft {
    const nsc_vec3 *points;
    int count;
    double unit;                             /* 1 / size [1/m] */
    int point[NSC_HULL_VERTICES];            /* the point in each slot; -1: free */
    double at[NSC_HULL_VERTICES + 1][3];     /* the last: of a point that may become a corner */
    nsci_wrap_triangle triangle[NSCI_WRAP_TRIANGLES];
    int triangles;
    nsc_hull hull;
} nsci_wrap_draft;

/* Tolerances, in units of the cloud's size: a point this far outside becomes a corner; corners this
   far from a plane are in it; a cloud thinner than this is flat; a point this far below a plane is
   still taken to see it, so that triangles in one plane are replaced together; but where corners
   are then this far above the new triangles, only those that it sees are. */
static const double nsci_wrap_outer = 1e-4;
static const double nsci_wrap_plane = 2e-4;
static const double nsci_wrap_flat = 1e-3;
static const double nsci_wrap_level = 1e-9;
static const double nsci_wrap_fold = 1e-6;

/* ---- vectors */

static double nsci_wrap_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void nsci_wrap_sub(double *out, const double *a, const double *b)
{
    int k;
    for (k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static void nsci_wrap_cross(double *out, const double *a, const double *b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Scale to length 1; returns the length it had.  The square root of nsc.h begins, and two steps of
   Newton give it the digits of a double. */
static double nsci_wrap_unit(double *a)
{
    double square = nsci_wrap_dot(a, a), length = (double)NSC_SQRT((nsc_real)square);
    int k;
    if (!(length > 0))
        return 0;
    for (k = 0; k < 2; k++)
        length = (length + square / length) / 2;
    for (k = 0; k < 3; k++)
        a[k] /= length;
    return length;
}

/* Point i, from the first point, in units of the size */
static void nsci_wrap_point(const nsci_wrap_draft *d, int i, double *out)
{
    out[0] = ((double)d->points[i].x - (double)d->points[0].x) * d->unit;
    out[1] = ((double)d->points[i].y - (double)d->points[0].y) * d->unit;
    out[2] = ((double)d->points[i].z - (double)d->points[0].z) * d->unit;
}

/* ---- triangles */

static double nsci_wrap_height(const nsci_wrap_draft *d, const nsci_wrap_triangle *t,
                               const double *p)
{
    double arm[3];
    nsci_wrap_sub(arm, p, d->at[t->slot[0]]);
    return nsci_wrap_dot(t->normal, arm);
}

static void nsci_wrap_take(nsci_wrap_draft *d, int slot, int point)
{
    d->point[slot] = point;
    nsci_wrap_point(d, point, d->at[slot]);
}

static void nsci_wrap_add_triangle(nsci_wrap_draft *d, int i, int j, int k)
{
    nsci_wrap_triangle *t = &d->triangle[d->triangles++];
    double x[3], y[3];
    t->slot[0] = (uint8_t)i;
    t->slot[1] = (uint8_t)j;
    t->slot[2] = (uint8_t)k;
    t->joined = 0;
    nsci_wrap_sub(x, d->at[j], d->at[i]);
    nsci_wrap_sub(y, d->at[k], d->at[i]);
    nsci_wrap_cross(t->normal, x, y);
    t->area = nsci_wrap_unit(t->normal);
}

/* The triangle with the edge from slot i to slot j, or -1 */
static int nsci_wrap_beside(const nsci_wrap_draft *d, int i, int j)
{
    int t, k;
    for (t = 0; t < d->triangles; t++)
        for (k = 0; k < 3; k++)
            if (d->triangle[t].slot[k] == i && d->triangle[t].slot[(k + 1) % 3] == j)
                return t;
    return -1;
}

/* How far point p is from the first n slots: from a point, a line, a plane */
static double nsci_wrap_away(const nsci_wrap_draft *d, int n, const double *p)
{
    double x[3], y[3], z[3], w[3];
    nsci_wrap_sub(y, p, d->at[0]);
    if (n == 1)
        return nsci_wrap_unit(y);
    nsci_wrap_sub(x, d->at[1], d->at[0]);
    nsci_wrap_unit(x);
    if (n == 2) {
        nsci_wrap_cross(z, x, y);
        return nsci_wrap_unit(z);
    }
    nsci_wrap_sub(w, d->at[2], d->at[0]);
    nsci_wrap_cross(z, x, w);
    nsci_wrap_unit(z);
    return nsci_wrap_dot(z, y) > 0 ? nsci_wrap_dot(z, y) : -nsci_wrap_dot(z, y);
}

/* Begin with a tetrahedron of points far from each other.  Returns 0 where all are nearly in one
   plane. */
static int nsci_wrap_begin(nsci_wrap_draft *d)
{
    int i, n, first = 0, best = 0, b, c;
    double far, s, p[3];
    for (i = 1; i < d->count; i++)
        if (d->points[i].x < d->points[first].x)
            first = i;
    nsci_wrap_take(d, 0, first);
    for (n = 1; n < 4; n++) {
        for (i = 0, far = 0; i < d->count; i++) {
            nsci_wrap_point(d, i, p);
            s = nsci_wrap_away(d, n, p);
            if (s > far) {
                far = s;
                best = i;
            }
        }
        if (!(far >= nsci_wrap_flat))
            return 0;
        nsci_wrap_take(d, n, best);
    }
    nsci_wrap_add_triangle(d, 0, 1, 2);
    b = nsci_wrap_height(d, &d->triangle[0], d->at[3]) > 0 ? 2 : 1;
    c = 3 - b;
    d->triangles = 0;
    nsci_wrap_add_triangle(d, 0, b, c);
    nsci_wrap_add_triangle(d, 0, c, 3);
    nsci_wrap_add_triangle(d, c, b, 3);
    nsci_wrap_add_triangle(d, b, 0, 3);
    return 1;
}

/* The point furthest outside a triangle; *far is how far. */
static int nsci_wrap_furthest(const nsci_wrap_draft *d, double *far, int *over)
{
    int i, t, best = -1;
    double s, p[3];
    *far = 0;
    for (i = 0; i < d->count; i++) {
        nsci_wrap_point(d, i, p);
        for (t = 0; t < d->triangles; t++) {
            s = nsci_wrap_height(d, &d->triangle[t], p);
            if (s > *far) {
                *far = s;
                *over = t;
                best = i;
            }
        }
    }
    return best;
}

/* Mark the triangles that see p, or would if it were `level` higher, from one of them on to its
   neighbours: they are one piece. */
static void nsci_wrap_look(const nsci_wrap_draft *d, double level, int from, unsigned char *seen)
{
    const double *p = d->at[NSC_HULL_VERTICES];
    int t, k, next, more = 1;
    NSC_MEMSET(seen, 0, NSCI_WRAP_TRIANGLES);
    seen[from] = 1;
    while (more)
        for (t = 0, more = 0; t < d->triangles; t++)
            for (k = 0; seen[t] && k < 3; k++) {
                const uint8_t *slot = d->triangle[t].slot;
                next = nsci_wrap_beside(d, slot[(k + 1) % 3], slot[k]);
                if (seen[next] || nsci_wrap_height(d, &d->triangle[next], p) < -level)
                    continue;
                seen[next] = 1;
                more = 1;
            }
}

/* The edges of the marked piece, one after the other around it.  Returns how many, or 0 where the
   edge is not one ring that passes each corner once. */
static int nsci_wrap_rim(const nsci_wrap_draft *d, const unsigned char *seen, uint8_t *ring)
{
    uint8_t after[NSC_HULL_VERTICES] = {0}, edges[NSC_HULL_VERTICES] = {0};
    int t, k, n = 0, total = 0, slot = 0, begin;
    for (t = 0; t < d->triangles; t++)
        for (k = 0; seen[t] && k < 3; k++) {
            int i = d->triangle[t].slot[k], j = d->triangle[t].slot[(k + 1) % 3];
            if (seen[nsci_wrap_beside(d, j, i)])
                continue;
            after[i] = (uint8_t)j;
            if (edges[i]++)
                return 0;
            slot = i;
            total++;
        }
    begin = slot;
    do {
        ring[n++] = (uint8_t)slot;
        slot = after[slot];
    } while (slot != begin && n < total);
    return n == total && slot == begin ? n : 0;
}

/* Are all corners below the fan from a ring to the last of `at`?  Where that is in line with an
   edge, what is replaced although it is not quite seen may turn a triangle over. */
static int nsci_wrap_fits(nsci_wrap_draft *d, const uint8_t *ring, int n)
{
    int k, i;
    for (k = 0; k < n; k++) {
        nsci_wrap_add_triangle(d, ring[k], ring[(k + 1) % n], NSC_HULL_VERTICES);
        d->triangles--;
        for (i = 0; i < NSC_HULL_VERTICES; i++)
            if (d->point[i] >= 0 &&
                nsci_wrap_height(d, &d->triangle[d->triangles], d->at[i]) > nsci_wrap_fold)
                return 0;
    }
    return 1;
}

/* Make a point a corner: the triangles that see it give way to a fan over their rim, and corners
   that are of no triangle any more become free.  Returns 0 where that is not possible. */
static int nsci_wrap_extend(nsci_wrap_draft *d, int point, int over, int corners)
{
    unsigned char seen[NSCI_WRAP_TRIANGLES], used[NSC_HULL_VERTICES] = {0};
    uint8_t ring[NSC_HULL_VERTICES];
    int t, k, n, kept = 0, slot = 0;
    nsci_wrap_point(d, point, d->at[NSC_HULL_VERTICES]);
    for (k = 0, n = 0; k < 2 && n == 0; k++) {
        nsci_wrap_look(d, k ? 0 : nsci_wrap_level, over, seen);
        n = nsci_wrap_rim(d, seen, ring);
        if (n >= 3 && !nsci_wrap_fits(d, ring, n))
            n = 0;
    }
    for (t = 0; t < d->triangles; t++)
        for (k = 0; !seen[t] && k < 3; k++)
            used[d->triangle[t].slot[k]] = 1;
    while (slot < corners && used[slot])
        slot++;
    if (n < 3 || slot == corners)
        return 0;
    for (t = 0; t < d->triangles; t++)
        if (!seen[t])
            d->triangle[kept++] = d->triangle[t];
    d->triangles = kept;
    for (k = 0; k < corners; k++)
        if (!used[k])
            d->point[k] = -1;
    nsci_wrap_take(d, slot, point);
    for (k = 0; k < n; k++)
        nsci_wrap_add_triangle(d, ring[k], ring[(k + 1) % n], slot);
    return 1;
}

/* ---- faces */

/* Unit normal of a polygon, from all its corners */
static void nsci_wrap_normal(const nsci_wrap_draft *d, const uint8_t *loop, int n, double *normal)
{
    double x[3], y[3], z[3];
    int i, k;
    normal[0] = normal[1] = normal[2] = 0;
    for (i = 2; i < n; i++) {
        nsci_wrap_sub(x, d->at[loop[i - 1]], d->at[loop[0]]);
        nsci_wrap_sub(y, d->at[loop[i]], d->at[loop[0]]);
        nsci_wrap_cross(z, x, y);
        for (k = 0; k < 3; k++)
            normal[k] += z[k];
    }
    nsci_wrap_unit(normal);
}

/* How far corner b is to the right of the way from a to c, seen along the normal's tip */
static double nsci_wrap_right(const nsci_wrap_draft *d, const double *normal, int a, int b, int c)
{
    double x[3], y[3], z[3];
    nsci_wrap_sub(x, d->at[b], d->at[a]);
    nsci_wrap_sub(y, d->at[c], d->at[a]);
    nsci_wrap_unit(y);
    nsci_wrap_cross(z, y, x);
    return -nsci_wrap_dot(normal, z);
}

/* Do the corners make a face: in one plane, no other corner above it, and convex? */
static int nsci_wrap_is_face(const nsci_wrap_draft *d, const uint8_t *loop, int n)
{
    double normal[3], x[3];
    int i;
    nsci_wrap_normal(d, loop, n, normal);
    for (i = 0; i < NSC_HULL_VERTICES; i++) {
        nsci_wrap_sub(x, d->at[i], d->at[loop[0]]);
        if (d->point[i] >= 0 && nsci_wrap_dot(normal, x) > nsci_wrap_plane)
            return 0;
    }
    for (i = 0; i < n; i++) {
        nsci_wrap_sub(x, d->at[loop[i]], d->at[loop[0]]);
        if (nsci_wrap_dot(normal, x) < -nsci_wrap_plane)
            return 0;
        if (nsci_wrap_right(d, normal, loop[i], loop[(i + 1) % n], loop[(i + 2) % n]) <
            -nsci_wrap_plane)
            return 0;
    }
    return 1;
}

/* Widen a face by the triangle over the edge that leaves its corner k.  Returns how many corners it
   has then, or 0 where the two do not make a face together. */
static int nsci_wrap_join(const nsci_wrap_draft *d, const nsci_wrap_triangle *t, uint8_t *loop,
                          int n, int k)
{
    uint8_t wider[NSC_HULL_VERTICES + 1];
    int i, m = 0, next = (k + 1) % n, tip = t->slot[0], twin = -1, drop = -1;
    for (i = 0; i < 3; i++)
        if (t->slot[i] != loop[k] && t->slot[i] != loop[next])
            tip = t->slot[i];
    for (i = 0; i < n; i++)
        if (loop[i] == tip)
            twin = i;
    /* A triangle that shares two edges with the face takes their common corner inside. */
    if (twin >= 0) {
        drop = twin == (next + 1) % n ? next : k;
        if (n == 3 || (drop == k && twin != (k + n - 1) % n))
            return 0;
    }
    for (i = 0; i < n; i++) {
        if (i != drop)
            wider[m++] = loop[i];
        if (i == k && twin < 0)
            wider[m++] = (uint8_t)tip;
    }
    if (!nsci_wrap_is_face(d, wider, m))
        return 0;
    NSC_MEMCPY(loop, wider, (size_t)m);
    return m;
}

/* A face from a triangle: widened by its neighbours as long as one fits.  Returns the number of
   corners. */
static int nsci_wrap_grow(nsci_wrap_draft *d, nsci_wrap_triangle *seed, uint8_t *loop)
{
    int k, m, n = 3;
    NSC_MEMCPY(loop, seed->slot, sizeof seed->slot);
    seed->joined = 1;
    for (k = 0; k < n; k++) {
        nsci_wrap_triangle *t = &d->triangle[nsci_wrap_beside(d, loop[(k + 1) % n], loop[k])];
        m = t->joined ? 0 : nsci_wrap_join(d, t, loop, n, k);
        if (m == 0)
            continue;
        t->joined = 1;
        n = m;
        k = -1;
    }
    return n;
}

/* Join triangles in one plane to faces, the largest first.  The hull's corners are slots. */
static void nsci_wrap_join_all(nsci_wrap_draft *d, nsc_hull *h)
{
    uint8_t loop[NSC_HULL_VERTICES + 1];
    int t, best, n;
    NSC_MEMSET(h, 0, sizeof *h);
    for (;;) {
        for (t = 0, best = -1; t < d->triangles; t++)
            if (!d->triangle[t].joined &&
                (best < 0 || d->triangle[t].area > d->triangle[best].area))
                best = t;
        if (best < 0)
            return;
        n = nsci_wrap_grow(d, &d->triangle[best], loop);
        NSC_MEMCPY(h->corner + h->first[h->faces], loop, (size_t)n);
        h->first[h->faces + 1] = (uint8_t)(h->first[h->faces] + n);
        h->faces++;
    }
}

/* Take a corner out of two faces if it lies on the straight edge between them, and both are faces
   without it: a narrow one may have got its plane from that corner. */
static void nsci_wrap_straighten(const nsci_wrap_draft *d, nsc_hull *h, int slot)
{
    uint8_t rest[NSC_HULL_VERTICES + 1];
    double normal[3], right;
    int f, i, k, m, n, found = 0, kept = 0, begin = 0;
    for (f = 0; f < h->faces; f++)
        for (i = h->first[f]; i < h->first[f + 1]; i++) {
            const uint8_t *loop = h->corner + h->first[f];
            if (h->corner[i] != slot)
                continue;
            n = h->first[f + 1] - h->first[f];
            nsci_wrap_normal(d, loop, n, normal);
            i -= h->first[f];
            right = nsci_wrap_right(d, normal, loop[(i + n - 1) % n], slot, loop[(i + 1) % n]);
            i += h->first[f];
            if (++found > 2 || n == 3 || right > nsci_wrap_plane)
                return;
            for (k = 0, m = 0; k < n; k++)
                if (loop[k] != slot)
                    rest[m++] = loop[k];
            if (!nsci_wrap_is_face(d, rest, m))
                return;
        }
    for (f = 0; f < h->faces; f++) {
        for (i = begin; i < h->first[f + 1]; i++)
            if (h->corner[i] != slot)
                h->corner[kept++] = h->corner[i];
        begin = h->first[f + 1];
        h->first[f + 1] = (uint8_t)kept;
    }
}

/* Number the corners that are left in the order of the points, and write them. */
static void nsci_wrap_number(const nsci_wrap_draft *d, nsc_hull *h)
{
    uint8_t used[NSC_HULL_VERTICES] = {0}, number[NSC_HULL_VERTICES] = {0};
    int i, k;
    for (i = 0; i < h->first[h->faces]; i++)
        used[h->corner[i]] = 1;
    for (i = 0; i < NSC_HULL_VERTICES; i++) {
        if (!used[i])
            continue;
        for (k = 0; k < NSC_HULL_VERTICES; k++)
            number[i] = (uint8_t)(number[i] + (used[k] && d->point[k] < d->point[i]));
        h->vertex[number[i]] = d->points[d->point[i]];
        h->vertices++;
    }
    for (i = 0; i < h->first[h->faces]; i++)
        h->corner[i] = number[h->corner[i]];
}

/* ---- what is called */

/* Largest extent along an axis [m], or -1 if it or a coordinate is not finite */
static nsc_real nsci_wrap_size(const nsc_vec3 *p, int n)
{
    nsc_vec3 lo = p[0], hi = p[0];
    nsc_real x, y, z, zero;
    int i;
    for (i = 0; i < n; i++) {
        zero = (p[i].x - p[i].x) + (p[i].y - p[i].y) + (p[i].z - p[i].z);
        if (!(zero <= 0))
            return -1;
        lo.x = p[i].x < lo.x ? p[i].x : lo.x;
        lo.y = p[i].y < lo.y ? p[i].y : lo.y;
        lo.z = p[i].z < lo.z ? p[i].z : lo.z;
        hi.x = p[i].x > hi.x ? p[i].x : hi.x;
        hi.y = p[i].y > hi.y ? p[i].y : hi.y;
        hi.z = p[i].z > hi.z ? p[i].z : hi.z;
    }
    x = hi.x - lo.x;
    y = hi.y - lo.y;
    z = hi.z - lo.z;
    if (!(x * x + y * y + z * z <= NSC_REAL_MAX))
        return -1;
    x = x > y ? x : y;
    return x > z ? x : z;
}

/* How far the furthest point is outside the complete hull [m]: nsc_hull_complete has rounded its
   normals, and those of narrow faces may be off by a thousand roundings. */
static nsc_real nsci_wrap_outside(const nsc_hull *h, const nsc_vec3 *p, int n)
{
    nsc_real most = 0;
    int i, f;
    for (i = 0; i < n; i++)
        for (f = 0; f < h->faces; f++) {
            nsc_vec3 at = h->vertex[h->corner[h->first[f]]], up = h->normal[f];
            nsc_real s =
                up.x * (p[i].x - at.x) + up.y * (p[i].y - at.y) + up.z * (p[i].z - at.z);
            most = s > most ? s : most;
        }
    return most;
}

NSC_API int nsc_hull_from_points(nsc_hull *hull, const nsc_vec3 *points, int count, int corners,
                                 nsc_real *left_out)
{
    nsci_wrap_draft draft;
    nsc_real size, outside;
    double far;
    int i, point, code, over = 0;
    if (!hull || !points || count < 4 || corners < 4 || corners > NSC_HULL_VERTICES)
        return NSC_ERR_ARGUMENT;
    size = nsci_wrap_size(points, count);
    if (size < 0)
        return NSC_ERR_NOT_FINITE;
    NSC_MEMSET(&draft, 0, sizeof draft);
    draft.points = points;
    draft.count = count;
    draft.unit = 1 / (double)size;
    for (i = 0; i < NSC_HULL_VERTICES; i++)
        draft.point[i] = -1;
    if (!(size > 0) || !nsci_wrap_begin(&draft))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < count; i++) {
        point = nsci_wrap_furthest(&draft, &far, &over);
        if (point < 0 || far <= nsci_wrap_outer || !nsci_wrap_extend(&draft, point, over, corners))
            break;
    }
    nsci_wrap_join_all(&draft, &draft.hull);
    for (i = 0; i < NSC_HULL_VERTICES; i++)
        nsci_wrap_straighten(&draft, &draft.hull, i);
    nsci_wrap_number(&draft, &draft.hull);
    code = nsc_hull_complete(&draft.hull);
    if (code < 0)
        return code;
    outside = nsci_wrap_outside(&draft.hull, points, count);
    if (!left_out && outside > NSC_R(2e-3) * size)
        return NSC_ERR_CAPACITY;
    if (left_out)
        *left_out = outside;
    NSC_MEMCPY(hull, &draft.hull, sizeof *hull);
    return NSC_OK;
}

#ifndef NSC_HULL_NO_PRINT
typedef struct nsci_wrap_writer {
    void (*write)(void *user, const char *text);
    void *user;
} nsci_wrap_writer;

static void nsci_wrap_print_bytes(const nsci_wrap_writer *out, const uint8_t *x, int n)
{
    char text[8];
    int i;
    out->write(out->user, "{");
    for (i = 0; i < n; i++) {
        snprintf(text, sizeof text, i > 0 ? ", %d" : "%d", x[i]);
        out->write(out->user, text);
    }
    out->write(out->user, "}");
}

/* Are counts and indices those of a hull? */
static int nsci_wrap_is_made(const nsc_hull *hull)
{
    int i;
    if (hull->vertices < 4 || hull->vertices > NSC_HULL_VERTICES || hull->faces < 4 ||
        hull->faces > NSC_HULL_FACES || hull->first[0] != 0)
        return 0;
    for (i = 0; i < hull->faces; i++)
        if (hull->first[i + 1] < hull->first[i] + 3 || hull->first[i + 1] > NSC_HULL_CORNERS)
            return 0;
    for (i = 0; i < hull->first[hull->faces]; i++)
        if (hull->corner[i] >= hull->vertices)
            return 0;
    return 1;
}

NSC_API int nsc_hull_print(const nsc_hull *hull, const char *name,
                           void (*write)(void *user, const char *text), void *user)
{
    const char *vertex = sizeof(nsc_real) > 4 ? "    {NSC_R(%.16e), NSC_R(%.16e), NSC_R(%.16e)}%s"
                                              : "    {NSC_R(%.8e), NSC_R(%.8e), NSC_R(%.8e)}%s";
    const char *number = sizeof(nsc_real) > 4 ? "%sNSC_R(%.16e)%s" : "%sNSC_R(%.8e)%s";
    nsci_wrap_writer out;
    char text[160];
    int i;
    if (!hull || !name || !write || !nsci_wrap_is_made(hull))
        return NSC_ERR_ARGUMENT;
    out.write = write;
    out.user = user;
    write(user, "static const nsc_hull ");
    write(user, name);
    snprintf(text, sizeof text, " = {%d, %d,\n    ", hull->vertices, hull->faces);
    write(user, text);
    nsci_wrap_print_bytes(&out, hull->first, hull->faces + 1);
    write(user, ",\n    ");
    nsci_wrap_print_bytes(&out, hull->corner, hull->first[hull->faces]);
    write(user, ",\n    {\n");
    for (i = 0; i < hull->vertices; i++) {
        snprintf(text, sizeof text, vertex, (double)hull->vertex[i].x, (double)hull->vertex[i].y,
                 (double)hull->vertex[i].z, i + 1 < hull->vertices ? ",\n" : "\n");
        write(user, text);
    }
    write(user, "    },\n    {\n");
    for (i = 0; i < hull->faces; i++) {
        snprintf(text, sizeof text, vertex, (double)hull->normal[i].x, (double)hull->normal[i].y,
                 (double)hull->normal[i].z, i + 1 < hull->faces ? ",\n" : "\n");
        write(user, text);
    }
    snprintf(text, sizeof text, number, "    }, ", (double)hull->volume, ",\n");
    write(user, text);
    snprintf(text, sizeof text, vertex, (double)hull->centroid.x, (double)hull->centroid.y,
             (double)hull->centroid.z, ",\n    {");
    write(user, text);
    for (i = 0; i < 6; i++) {
        snprintf(text, sizeof text, number, "", (double)hull->inertia[i],
                 i == 2 ? ",\n     " : i < 5 ? ", " : "}};\n");
        write(user, text);
    }
    return NSC_OK;
}
#endif /* NSC_HULL_NO_PRINT */

#ifdef __cplusplus
}
#endif
#endif /* NSC_IMPLEMENTATION */

/* ---- licence
   MIT License

   Copyright (c) 2026 the nsc authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or
   substantial portions of the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT.  IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
