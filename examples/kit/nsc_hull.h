/* nsc_hull.h - v0.1.0 - convex hulls from points, for nsc
   MIT licence at the end of the file.  Needs nsc.h, which it includes, and snprintf for
   nsc_hull_print.

   DO THIS
       #define NSC_MAX_HULLS 4             in every file: the default is 0
       #define NSC_HULL_IMPLEMENTATION     in exactly one C or C++ file, then
       #include "nsc_hull.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too: with
   NSC_STATIC all functions are static, and NSC_HULL_VERTICES must be the same in every file.
   Built with -ffp-contract=off, the same points give the same hull on every machine.

   EXAMPLE
       nsc_shape_def def = nsc_default_hull_def();
       nsc_world_add_hull(&world, rock, &def, points, count);       negative: an error code

   A hull for flash is made on the desktop: nsc_hull_from_points, then nsc_hull_print writes it as a
   const table, which nsc_world_add_hull_data takes on the device.

   A face is found by three of its points that have all others behind them, and wrapped by going
   round it (gift wrapping).  That costs points^4, so of many points the corners are chosen first:
   four extreme ones, then always the one furthest outside the hull of those chosen. */
#ifndef NSC_KIT_HULL_H
#define NSC_KIT_HULL_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Hull of 4 or more points [m], with at most `corners` corners, 4..NSC_HULL_VERTICES.  Inner points
   and duplicates are left out.  Writes to *left_out (may be NULL) how far the furthest point is
   outside [m]: up to 1e-3 of the cloud's size is the tolerance for lying in a plane, more means
   that points were left out, for want of corners or because those chosen did not wrap.
   Returns 0; NSC_ERR_ARGUMENT (NULL, a number out of range, or flat: thinner than 1e-3 of the size,
   or so thin or noisy that no faces close; in float, sizes below 1e-9 m or above 1e9 m count as
   flat); or NSC_ERR_NOT_FINITE.  After an error *hull is undefined, and nsc_world_last_refusal
   knows no reason.  Memory: 3 KiB of stack at 16 corners.  Cost: up to 64 points count^4; of more
   count * corners^2 to choose, and corners^4 to wrap, for each corner that is dropped again.  For
   setting up, best on the desktop. */
NSC_API int nsc_hull_from_points(nsc_hull *hull, const nsc_vec3 *points, int count, int corners,
                                 nsc_real *left_out);

/* Add the hull of the points to a body, with at most NSC_HULL_VERTICES corners.  Returns the shape,
   or an error of the function above, or NSC_ERR_CAPACITY where a point would be left out by more
   than 2e-3 of the size (more corners are needed), or one of nsc_world_add_hull_data. */
NSC_API nsc_id nsc_world_add_hull(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                  const nsc_vec3 *points, int count);

/* Write the hull as C: static const nsc_hull <name> = {...};  It gives the same bits in a build
   with the same nsc_real, and fits where NSC_HULL_VERTICES is large enough.  Returns 0, or
   NSC_ERR_ARGUMENT (NULL, or counts and indices out of range: a hull that was not made). */
NSC_API int nsc_hull_print(const nsc_hull *hull, const char *name,
                           void (*write)(void *user, const char *text), void *user);

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_HULL_H */

#if defined(NSC_HULL_IMPLEMENTATION) && !defined(NSC_HULL_IMPLEMENTATION_DONE)
#define NSC_HULL_IMPLEMENTATION_DONE
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NSC_HULL_EXACT = 64,                     /* points up to which the wrapping takes them all */
    NSC_HULL_TRIANGLES = 2 * NSC_HULL_VERTICES
};

/* ---- vectors */

static nsc_vec3 nsc_hull_vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    NSC_MEMSET(&v, 0, sizeof v);
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static nsc_vec3 nsc_hull_sub(nsc_vec3 a, nsc_vec3 b)
{
    return nsc_hull_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static nsc_real nsc_hull_dot(nsc_vec3 a, nsc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static nsc_real nsc_hull_norm(nsc_vec3 a) { return NSC_SQRT(nsc_hull_dot(a, a)); }

static nsc_vec3 nsc_hull_cross(nsc_vec3 a, nsc_vec3 b)
{
    return nsc_hull_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static nsc_vec3 nsc_hull_scale(nsc_real s, nsc_vec3 a)
{
    return nsc_hull_vec(s * a.x, s * a.y, s * a.z);
}

static nsc_real nsc_hull_abs(nsc_real x) { return x < 0 ? -x : x; }

/* ---- wrapping */

/* Points to wrap, their largest extent [m], and the tolerance for lying in a plane [m] */
typedef struct nsc_hull_cloud {
    const nsc_vec3 *p;
    int n, corners;
    nsc_real size, tol;
} nsc_hull_cloud;

/* Unit normal of a triple with all points below its plane, up to tol.  Returns 1, 0 if it has none,
   -1 if all points are nearly in one plane. */
static int nsc_hull_plane(const nsc_hull_cloud *c, const int *t, nsc_vec3 *normal)
{
    nsc_vec3 x = nsc_hull_sub(c->p[t[1]], c->p[t[0]]), y = nsc_hull_sub(c->p[t[2]], c->p[t[0]]);
    nsc_vec3 n = nsc_hull_cross(x, y);
    nsc_real area = nsc_hull_norm(n), lo = 0, hi = 0;
    nsc_real xx = nsc_hull_dot(x, x), yy = nsc_hull_dot(y, y);
    int i;
    if (!(area > NSC_R(1e-3) * (xx > yy ? xx : yy)))
        return 0;
    n = nsc_hull_scale(1 / area, n);
    for (i = 0; i < c->n; i++) {
        nsc_real s = nsc_hull_dot(n, nsc_hull_sub(c->p[i], c->p[t[0]]));
        lo = s < lo ? s : lo;
        hi = s > hi ? s : hi;
    }
    if (hi - lo < NSC_R(1e-3) * c->size)
        return -1;
    if (hi > c->tol && -lo > c->tol)
        return 0;
    *normal = hi > c->tol ? nsc_hull_scale(-1, n) : n;
    return 1;
}

/* Is the triple part of a known face? */
static int nsc_hull_known(const nsc_hull *h, const nsc_hull_cloud *c, const int *t, nsc_vec3 normal)
{
    int f, i, in;
    for (f = 0; f < h->faces; f++) {
        nsc_vec3 at = h->vertex[h->corner[h->first[f]]];
        if (nsc_hull_dot(normal, h->normal[f]) < NSC_R(0.9))
            continue;
        for (i = 0, in = 1; i < 3; i++) {
            nsc_real s = nsc_hull_dot(h->normal[f], nsc_hull_sub(c->p[t[i]], at));
            in &= nsc_hull_abs(s) <= 2 * c->tol;
        }
        if (in)
            return 1;
    }
    return 0;
}

/* Is point i in the plane through `at`? */
static int nsc_hull_in_plane(const nsc_hull_cloud *c, nsc_vec3 at, nsc_vec3 normal, int i)
{
    return nsc_hull_abs(nsc_hull_dot(normal, nsc_hull_sub(c->p[i], at))) <= c->tol;
}

/* The corner after `from`, counter-clockwise around a face: all its other points are to the left;
   of collinear ones the furthest. */
static int nsc_hull_next(const nsc_hull_cloud *c, nsc_vec3 at, nsc_vec3 normal, int from)
{
    nsc_vec3 p = c->p[from], x = normal;
    int i, best = -1;
    for (i = 0; i < c->n; i++) {
        nsc_vec3 y = nsc_hull_sub(c->p[i], p);
        nsc_real turn, far = nsc_hull_norm(y), line;
        if (far <= c->tol || !nsc_hull_in_plane(c, at, normal, i))
            continue;
        turn = nsc_hull_dot(normal, nsc_hull_cross(x, y));
        line = 16 * NSC_REAL_EPS * far * nsc_hull_norm(x);
        if (best < 0 || turn < -line || (turn <= line && far > nsc_hull_norm(x))) {
            best = i;
            x = y;
        }
    }
    return best;
}

/* Drop corners that lie on the line between their neighbours; returns how many are left. */
static int nsc_hull_straighten(const nsc_hull_cloud *c, int *loop, int n)
{
    int i, kept = 0, first = loop[0], last = loop[n - 1];
    for (i = 0; i < n; i++) {
        nsc_vec3 a = c->p[kept > 0 ? loop[kept - 1] : last];
        nsc_vec3 b = c->p[i + 1 < n ? loop[i + 1] : kept > 0 ? loop[0] : first];
        nsc_vec3 x = nsc_hull_sub(b, a), y = nsc_hull_sub(c->p[loop[i]], a);
        if (nsc_hull_norm(nsc_hull_cross(x, y)) > c->tol * nsc_hull_norm(x))
            loop[kept++] = loop[i];
    }
    return kept;
}

/* Points around the face with this normal; returns how many, or an error. */
static int nsc_hull_wrap(const nsc_hull_cloud *c, const int *t, nsc_vec3 normal, int *loop,
                         int room)
{
    nsc_vec3 at = c->p[t[0]], x = nsc_hull_sub(c->p[t[1]], at);
    int i, n = 0, p = t[0];
    for (i = 0; i < c->n; i++)
        if (nsc_hull_in_plane(c, at, normal, i) &&
            nsc_hull_dot(nsc_hull_sub(c->p[i], c->p[p]), x) > 0)
            p = i;
    for (n = 0; n < room; n++) {
        for (i = 0; i < n && loop[i] != p; i++) {
        }
        /* A start in mid-edge is not reached again: the loop closes at the next corner. */
        if (i < n) {
            n -= i;
            for (p = 0; p < n; p++)
                loop[p] = loop[p + i];
            return nsc_hull_straighten(c, loop, n);
        }
        loop[n] = p;
        p = nsc_hull_next(c, at, normal, p);
        if (p < 0)
            return NSC_ERR_ARGUMENT;
    }
    return NSC_ERR_CAPACITY;
}

/* Index of the vertex at p, added if new; or NSC_ERR_CAPACITY */
static int nsc_hull_vertex(nsc_hull *h, const nsc_hull_cloud *c, nsc_vec3 p)
{
    int i;
    for (i = 0; i < h->vertices; i++)
        if (nsc_hull_norm(nsc_hull_sub(p, h->vertex[i])) <= 2 * c->tol)
            return i;
    if (h->vertices >= c->corners)
        return NSC_ERR_CAPACITY;
    h->vertex[h->vertices] = p;
    return h->vertices++;
}

/* Add a face of n points.  Its normal comes from all corners, and so does not depend on the triple
   that found it. */
static int nsc_hull_add_face(nsc_hull *h, const nsc_hull_cloud *c, const int *loop, int n)
{
    int i, v, first = h->first[h->faces];
    nsc_vec3 sum = nsc_hull_vec(0, 0, 0), at = c->p[loop[0]];
    if (h->faces >= NSC_HULL_FACES || first + n > NSC_HULL_CORNERS)
        return NSC_ERR_CAPACITY;
    for (i = 0; i < n; i++) {
        v = nsc_hull_vertex(h, c, c->p[loop[i]]);
        if (v < 0)
            return v;
        h->corner[first + i] = (uint8_t)v;
        if (i > 1) {
            nsc_vec3 x = nsc_hull_cross(nsc_hull_sub(c->p[loop[i - 1]], at),
                                        nsc_hull_sub(c->p[loop[i]], at));
            sum = nsc_hull_vec(sum.x + x.x, sum.y + x.y, sum.z + x.z);
        }
    }
    h->normal[h->faces++] = nsc_hull_scale(1 / nsc_hull_norm(sum), sum);
    h->first[h->faces] = (uint8_t)(first + n);
    return NSC_OK;
}

/* Is every edge shared by two faces that run along it in opposite directions, and is the surface
   one closed piece (Euler)? */
static int nsc_hull_closed(const nsc_hull *h)
{
    int f, k, g, m, end = h->first[h->faces];
    if (2 * h->vertices + 2 * h->faces != end + 4)
        return 0;
    for (f = 0; f < h->faces; f++)
        for (k = h->first[f]; k < h->first[f + 1]; k++) {
            int u = h->corner[k], v = h->corner[k + 1 < h->first[f + 1] ? k + 1 : h->first[f]];
            int found = 0;
            for (g = 0; g < h->faces; g++)
                for (m = h->first[g]; m < h->first[g + 1]; m++)
                    found += h->corner[m] == v &&
                             h->corner[m + 1 < h->first[g + 1] ? m + 1 : h->first[g]] == u;
            if (found != 1)
                return 0;
        }
    return 1;
}

/* How far the furthest point is outside the hull [m] */
static nsc_real nsc_hull_outside(const nsc_hull *h, const nsc_vec3 *p, int n)
{
    nsc_real most = 0;
    int i, f;
    for (i = 0; i < n; i++)
        for (f = 0; f < h->faces; f++) {
            nsc_vec3 at = h->vertex[h->corner[h->first[f]]];
            nsc_real s = nsc_hull_dot(h->normal[f], nsc_hull_sub(p[i], at));
            most = s > most ? s : most;
        }
    return most;
}

/* Find the faces: a triple with all points to one side is on one. */
static int nsc_hull_build(nsc_hull *h, const nsc_hull_cloud *c)
{
    int loop[2 * NSC_HULL_VERTICES], t[3], n, side;
    nsc_vec3 normal = nsc_hull_vec(0, 0, 0);
    NSC_MEMSET(h, 0, sizeof *h);
    for (t[0] = 0; t[0] < c->n; t[0]++)
        for (t[1] = t[0] + 1; t[1] < c->n; t[1]++)
            for (t[2] = t[1] + 1; t[2] < c->n; t[2]++) {
                side = nsc_hull_plane(c, t, &normal);
                if (side < 0)
                    return NSC_ERR_ARGUMENT;
                if (side == 0 || nsc_hull_known(h, c, t, normal))
                    continue;
                n = nsc_hull_wrap(c, t, normal, loop, 2 * NSC_HULL_VERTICES);
                if (n >= 0)
                    n = n < 3 ? NSC_ERR_ARGUMENT : nsc_hull_add_face(h, c, loop, n);
                if (n < 0)
                    return n;
            }
    if (h->faces < 4 || !nsc_hull_closed(h))
        return NSC_ERR_ARGUMENT;
    /* A narrow face may be tilted: what nsc_world_add_hull_data would refuse is not an answer. */
    return nsc_hull_outside(h, h->vertex, h->vertices) <= NSC_R(2e-3) * c->size ? NSC_OK
                                                                                : NSC_ERR_ARGUMENT;
}

/* Nearly coplanar points may fit together at one tolerance and not at another: three are tried. */
static int nsc_hull_fit(nsc_hull *h, nsc_hull_cloud *c)
{
    int i, code = NSC_ERR_ARGUMENT;
    for (i = 0; i < 3; i++) {
        c->tol = (i == 0 ? NSC_R(1e-4) : i == 1 ? NSC_R(5e-4) : NSC_R(2e-5)) * c->size;
        code = nsc_hull_build(h, c);
        if (code == NSC_OK)
            return code;
    }
    return code;
}

/* ---- choosing corners */

/* The hull of the corners chosen so far, as triangles */
typedef struct nsc_hull_choice {
    const nsc_vec3 *p;
    int n;
    int corner[NSC_HULL_VERTICES], corners;
    int triangle[NSC_HULL_TRIANGLES][3], triangles;
} nsc_hull_choice;

/* Height of point i over the plane of triangle t [m] */
static nsc_real nsc_hull_height(const nsc_hull_choice *c, const int *t, int i)
{
    nsc_vec3 at = c->p[t[0]];
    nsc_vec3 n = nsc_hull_cross(nsc_hull_sub(c->p[t[1]], at), nsc_hull_sub(c->p[t[2]], at));
    nsc_real length = nsc_hull_norm(n);
    return length > 0 ? nsc_hull_dot(n, nsc_hull_sub(c->p[i], at)) / length : 0;
}

/* The point furthest from the first k corners: from a point, a line, a plane */
static int nsc_hull_furthest(const nsc_hull_choice *c, int k, nsc_real *far)
{
    nsc_vec3 a = c->p[c->corner[0]], x = nsc_hull_sub(c->p[c->corner[k > 1 ? 1 : 0]], a);
    int i, best = 0;
    *far = -1;
    for (i = 0; i < c->n; i++) {
        nsc_vec3 y = nsc_hull_sub(c->p[i], a);
        nsc_real s = k == 1   ? nsc_hull_norm(y)
                     : k == 2 ? nsc_hull_norm(nsc_hull_cross(x, y)) / nsc_hull_norm(x)
                              : nsc_hull_abs(nsc_hull_height(c, c->corner, i));
        if (s > *far) {
            *far = s;
            best = i;
        }
    }
    return best;
}

static void nsc_hull_add_triangle(nsc_hull_choice *c, int i, int j, int k)
{
    int *t = c->triangle[c->triangles++];
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

/* Four points far from each other.  Returns 0 where all are nearly in one plane. */
static int nsc_hull_begin(nsc_hull_choice *c, nsc_real size)
{
    nsc_real far = 0;
    int i, *k = c->corner, swap;
    k[0] = 0;
    for (i = 1; i < c->n; i++)
        if (c->p[i].x < c->p[k[0]].x)
            k[0] = i;
    for (i = 1; i < 4; i++) {
        k[i] = nsc_hull_furthest(c, i, &far);
        if (!(far >= NSC_R(1e-3) * size))
            return 0;
    }
    if (nsc_hull_height(c, k, k[3]) > 0) {
        swap = k[1];
        k[1] = k[2];
        k[2] = swap;
    }
    c->corners = 4;
    c->triangles = 0;
    nsc_hull_add_triangle(c, k[0], k[1], k[2]);
    nsc_hull_add_triangle(c, k[0], k[2], k[3]);
    nsc_hull_add_triangle(c, k[2], k[1], k[3]);
    nsc_hull_add_triangle(c, k[1], k[0], k[3]);
    return 1;
}

/* The point furthest outside, and how far [m] */
static int nsc_hull_outermost(const nsc_hull_choice *c, nsc_real *far)
{
    int i, t, best = -1;
    *far = 0;
    for (t = 0; t < c->triangles; t++)
        for (i = 0; i < c->n; i++) {
            nsc_real s = nsc_hull_height(c, c->triangle[t], i);
            if (s > *far) {
                *far = s;
                best = i;
            }
        }
    return best;
}

/* Is the edge from i to j one of a triangle that sees the point? */
static int nsc_hull_sees(const nsc_hull_choice *c, const unsigned char *seen, int i, int j)
{
    int t, k;
    for (t = 0; t < c->triangles; t++)
        for (k = 0; seen[t] && k < 3; k++)
            if (c->triangle[t][k] == i && c->triangle[t][(k + 1) % 3] == j)
                return 1;
    return 0;
}

/* Add a corner: the triangles that see it give way to a fan over the edge of what it sees.
   Returns 0 where there is no room, because points nearly in one plane made the edge ragged. */
static int nsc_hull_extend(nsc_hull_choice *c, int point)
{
    unsigned char seen[NSC_HULL_TRIANGLES];
    int edge[3 * NSC_HULL_TRIANGLES][2], edges = 0, t, k, kept = 0;
    for (t = 0; t < c->triangles; t++)
        seen[t] = nsc_hull_height(c, c->triangle[t], point) > 0;
    for (t = 0; t < c->triangles; t++)
        for (k = 0; seen[t] && k < 3; k++) {
            int i = c->triangle[t][k], j = c->triangle[t][(k + 1) % 3];
            if (nsc_hull_sees(c, seen, j, i))
                continue;
            edge[edges][0] = i;
            edge[edges++][1] = j;
        }
    for (t = 0; t < c->triangles; t++)
        kept += !seen[t];
    if (kept + edges > NSC_HULL_TRIANGLES)
        return 0;
    for (t = 0, kept = 0; t < c->triangles; t++)
        if (!seen[t])
            NSC_MEMCPY(c->triangle[kept++], c->triangle[t], sizeof c->triangle[t]);
    c->triangles = kept;
    for (k = 0; k < edges; k++)
        nsc_hull_add_triangle(c, edge[k][0], edge[k][1], point);
    c->corner[c->corners++] = point;
    return 1;
}

/* The chosen corners, in the order of the points */
static int nsc_hull_chosen(const nsc_hull_choice *c, int corners, nsc_vec3 *out)
{
    int i, k, n = 0;
    for (i = 0; i < c->n && n < corners; i++)
        for (k = 0; k < corners; k++)
            if (c->corner[k] == i) {
                out[n++] = c->p[i];
                break;
            }
    return n;
}

/* ---- what is called */

/* Largest extent along an axis [m], or -1 if it or a coordinate is not finite */
static nsc_real nsc_hull_size(const nsc_vec3 *p, int n)
{
    nsc_vec3 lo = p[0], hi = p[0], d;
    nsc_real zero, most;
    int i;
    for (i = 0; i < n; i++) {
        zero = (p[i].x - p[i].x) + (p[i].y - p[i].y) + (p[i].z - p[i].z);
        if (!(zero <= 0))
            return -1;
        lo = nsc_hull_vec(p[i].x < lo.x ? p[i].x : lo.x, p[i].y < lo.y ? p[i].y : lo.y,
                          p[i].z < lo.z ? p[i].z : lo.z);
        hi = nsc_hull_vec(p[i].x > hi.x ? p[i].x : hi.x, p[i].y > hi.y ? p[i].y : hi.y,
                          p[i].z > hi.z ? p[i].z : hi.z);
    }
    d = nsc_hull_sub(hi, lo);
    most = d.x > d.y ? d.x : d.y;
    most = most > d.z ? most : d.z;
    return nsc_hull_dot(d, d) <= NSC_REAL_MAX ? most : -1;
}

NSC_API int nsc_hull_from_points(nsc_hull *hull, const nsc_vec3 *points, int count, int corners,
                                 nsc_real *left_out)
{
    nsc_vec3 chosen[NSC_HULL_VERTICES];
    nsc_hull_choice choice;
    nsc_hull_cloud cloud;
    nsc_real far = 0;
    int code = NSC_ERR_CAPACITY, point, n;
    if (!hull || !points || count < 4 || corners < 4 || corners > NSC_HULL_VERTICES)
        return NSC_ERR_ARGUMENT;
    cloud.p = points;
    cloud.n = count;
    cloud.corners = corners;
    cloud.size = nsc_hull_size(points, count);
    if (cloud.size < 0)
        return NSC_ERR_NOT_FINITE;
    if (count <= NSC_HULL_EXACT)
        code = nsc_hull_fit(hull, &cloud);
    choice.p = points;
    choice.n = count;
    if (code < 0 && !nsc_hull_begin(&choice, cloud.size))
        return NSC_ERR_ARGUMENT;
    while (code < 0 && choice.corners < corners) {
        point = nsc_hull_outermost(&choice, &far);
        if (point < 0 || far <= NSC_R(1e-3) * cloud.size || !nsc_hull_extend(&choice, point))
            break;
    }
    /* If the last corners make faces too narrow to wrap, do with fewer. */
    for (n = code < 0 ? choice.corners : 0; code < 0 && n >= 4; n--) {
        cloud.p = chosen;
        cloud.n = nsc_hull_chosen(&choice, n, chosen);
        code = nsc_hull_fit(hull, &cloud);
    }
    if (code == NSC_OK && left_out)
        *left_out = nsc_hull_outside(hull, points, count);
    return code < 0 ? NSC_ERR_ARGUMENT : NSC_OK;
}

NSC_API nsc_id nsc_world_add_hull(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                  const nsc_vec3 *points, int count)
{
    nsc_hull hull;
    nsc_real left_out = 0;
    int code = nsc_hull_from_points(&hull, points, count, NSC_HULL_VERTICES, &left_out);
    if (code < 0)
        return code;
    if (left_out > NSC_R(2e-3) * nsc_hull_size(points, count))
        return NSC_ERR_CAPACITY;
    return nsc_world_add_hull_data(world, body, def, &hull);
}

typedef struct nsc_hull_writer {
    void (*write)(void *user, const char *text);
    void *user;
} nsc_hull_writer;

static void nsc_hull_print_bytes(const nsc_hull_writer *out, const uint8_t *x, int n)
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

NSC_API int nsc_hull_print(const nsc_hull *hull, const char *name,
                           void (*write)(void *user, const char *text), void *user)
{
    const char *vertex = sizeof(nsc_real) > 4 ? "    {NSC_R(%.16e), NSC_R(%.16e), NSC_R(%.16e)}%s"
                                              : "    {NSC_R(%.8e), NSC_R(%.8e), NSC_R(%.8e)}%s";
    nsc_hull_writer out;
    char text[160];
    int i;
    if (!hull || !name || !write || hull->vertices > NSC_HULL_VERTICES ||
        hull->faces > NSC_HULL_FACES || hull->first[hull->faces] > NSC_HULL_CORNERS)
        return NSC_ERR_ARGUMENT;
    out.write = write;
    out.user = user;
    write(user, "static const nsc_hull ");
    write(user, name);
    snprintf(text, sizeof text, " = {0, %d, %d, 0,\n    ", hull->vertices, hull->faces);
    write(user, text);
    nsc_hull_print_bytes(&out, hull->first, hull->faces + 1);
    write(user, ",\n    ");
    nsc_hull_print_bytes(&out, hull->corner, hull->first[hull->faces]);
    write(user, ",\n    {\n");
    for (i = 0; i < hull->vertices; i++) {
        snprintf(text, sizeof text, vertex, (double)hull->vertex[i].x, (double)hull->vertex[i].y,
                 (double)hull->vertex[i].z, i + 1 < hull->vertices ? ",\n" : "\n");
        write(user, text);
    }
    /* The rest is zero until a world computes it. */
    write(user, "    }, {{0, 0, 0}}, 0, {0, 0, 0}, {0}};\n");
    return NSC_OK;
}

#ifdef __cplusplus
}
#endif
#endif /* NSC_HULL_IMPLEMENTATION */

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
