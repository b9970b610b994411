/* nsc_convex.h - cylinders and convex hulls; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_CONVEX 1 for cylinders, NSC_HULL_VERTICES for hulls.
   Beside it: nsc.h, nsc_support.h.
   Height fields, meshes and barrier contact need it too.

   Cylinders, hulls and triangles of terrain against any convex shape.  A sphere or capsule is a
   core with a rounding radius, any other shape is all core.  First find the direction along which
   the two are furthest apart or least deep: by GJK (Gilbert, Johnson, Keerthi 1988) where the cores
   are well apart, else the best face normal, improved by GJK with one shape moved apart along it.
   Then clip the patches that face each other along it, one by the other.  Of deep overlaps (beyond
   a thousandth of the size or so; of a sphere or capsule, of its core) a growing polytope shows
   that no way out is shorter by more than a thousandth of the smaller shape's size; where its 64
   corners do not do, as in the middle of a much larger round shape, the shortest that it met is
   taken.
   Coordinates are relative to the first shape's centre: no digits are lost far from the origin. */
#ifndef NSC_CONVEX_H
#define NSC_CONVEX_H
#ifndef NSC_NONSMOOTH_CONTACT_H
#error "nsc: set NSC_CONVEX 1 before nsc.h, which then includes nsc_convex.h"
#endif
#ifndef NSC_CONVEX
#define NSC_CONVEX 0 /* other shapes asked for this file */
#endif

/* Convex polyhedron in the frame of its shape.  Faces are polygons, seen from outside
   counter-clockwise.  Fill the members up to vertex; nsc_hull_complete computes the others.
   nsc_hull.h makes one of points, and prints it as a const table.  It stays where it is, in flash
   or static memory. */
enum {
    NSCI_CORNERS = NSCI_HULLS ? NSC_HULL_VERTICES : 4,
    NSC_HULL_FACES = 2 * NSCI_CORNERS - 4,
    NSC_HULL_CORNERS = 6 * NSCI_CORNERS - 12
};
typedef struct nsc_hull {
    uint8_t vertices, faces;                /* 4..NSC_HULL_VERTICES, 4..NSC_HULL_FACES */
    uint8_t first[NSC_HULL_FACES + 1];      /* (faces + 1) where each face begins in corner */
    uint8_t corner[NSC_HULL_CORNERS];       /* indices of vertices, face by face */
    nsc_vec3 vertex[NSCI_CORNERS];          /* [m] */
    nsc_vec3 normal[NSC_HULL_FACES];        /* outward unit */
    nsc_real volume;                        /* [m^3] */
    nsc_vec3 centroid;                      /* [m] */
    nsc_real inertia[6];                    /* about the centroid at density 1 [m^5] xx yy zz xy xz
                                               yz */
} nsc_hull;

#if NSCI_CONVEX
/* Cylinder along z [m].  Without NSC_CONVEX 1 no shape may be one: NSC_ERR_ARGUMENT */
NSC_API nsc_shape_def nsc_default_cylinder_def(nsc_real radius, nsc_real half_length);
#endif

#if NSCI_HULLS
/* Compute the members after vertex.  Returns 0; or, *hull as it was: NSC_ERR_ARGUMENT: NULL, not
   closed, not convex or a face not plane (to 2e-3 of the hull's size), or flat (thinner than 1e-3
   of it); NSC_ERR_NOT_FINITE; NSC_ERR_INERTIA: so small or large that numbers end, in float 1e-8 m;
   NSC_ERR_CAPACITY: more corners than NSC_HULL_VERTICES or faces than NSC_HULL_FACES.  Cost:
   vertices * faces.  Takes a hull on the stack. */
NSC_API int nsc_hull_complete(nsc_hull *hull);

/* Give the world your table of complete hulls, `count` pointers, 0..65535.  Table and hulls are
   read in every step: they must stay, and stay as they are.  Only nsc_world_init forgets the table,
   and another may take its place if it has a hull for every shape; masses stay as they are until a
   shape of the body is added or removed.  All is checked here: errors of nsc_hull_complete, and
   NSC_ERR_ARGUMENT for a normal, volume, centroid or inertia that is not that of the corners.
   Takes a hull on the stack.  Cost: vertices * faces of each. */
NSC_API int nsc_world_set_hulls(nsc_world *world, const nsc_hull *const *hulls, int count);

/* Make hull `index` of the table a shape; any number of shapes may have the same one.  World,
   images and hash (nsc_image.h) hold the index.  Errors as nsc_world_add_shape; NSC_ERR_ARGUMENT
   also where the table has no such hull. */
NSC_API nsc_id nsc_world_add_hull(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                  int index);
NSC_API nsc_shape_def nsc_default_hull_def(void);
#endif

/* Hull of a shape, or NULL */
#if NSCI_HULLS
#define NSCI_HULL_OF(g) ((g)->kind == NSC_SHAPE_HULL ? (const nsc_hull *)(g)->data : NULL)
#else
#define NSCI_HULL_OF(g) ((void)(g), (const nsc_hull *)NULL)
#endif

/* Scratch of the narrow phase, here because it is too large for the stack */
enum {
    NSCI_PATCH = NSCI_CORNERS > 9 ? NSCI_CORNERS : 9,
    NSCI_SPOTS = 2 * NSCI_PATCH + 8
};
typedef struct nsci_simplex {    /* points of b - a, and the points of a and b they come from */
    int n;
    nsc_real weight[4];
    nsc_vec3 w[4], on_a[4], on_b[4];
} nsci_simplex;
typedef struct nsci_patch {      /* face, edge or corner of a shape towards some direction */
    int n, face;                 /* face: -1 for an edge or corner */
    nsc_vec3 normal;             /* of the face, outward unit */
    nsc_vec3 p[NSCI_PATCH];      /* counter-clockwise from outside */
    uint8_t id[NSCI_PATCH];
} nsci_patch;
typedef struct nsci_spot {       /* corner of a clipped patch */
    nsc_vec3 p;
    nsc_real w;                  /* height over the reference face */
    uint16_t id, edge;           /* edge: the one that starts here */
} nsci_spot;
/* Polytope inside the difference b - a of two cores that overlap, while nsci_expand grows it */
enum { NSCI_TIPS = 64 };
typedef struct nsci_growth {
    nsc_vec3 tip[NSCI_TIPS];
    nsc_real depth[2 * NSCI_TIPS];      /* of 0 below each side; NSC_REAL_MAX: of no concern [m] */
    uint8_t side[2 * NSCI_TIPS][3];     /* tips, counter-clockwise from outside */
    uint8_t rim[NSCI_TIPS][2];          /* edges around the sides that a new tip sees */
    int tips, sides;
} nsci_growth;
typedef struct nsci_convex_scratch {
    /* Barrier: the world of the shapes: the direction that separates most, without preference */
    NSCI_IF(NSCI_ASKED(NSC_BARRIER), const nsc_world *exact;) /* its seam comes later */
    nsci_simplex simplex;
    nsc_vec3 near_a, near_b;     /* nearest points of the cores */
    union {                      /* the growth ends before a patch is found */
        nsci_growth growth;
        struct {
            nsci_patch patch[2];
            nsci_spot spots[NSCI_SPOTS];
            nsci_point own[4];   /* points on one triangle of terrain */
        } clip;
    } use;
} nsci_convex_scratch;

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_HULL_REASONS(R) \
    R(NSCI_FULL_VERTICES, "NSC_HULL_VERTICES", \
      "room for the corners of the hull: enlarge it; the value is the capacity") \
    R(NSCI_BAD_HULL, "nsc_hull", \
      "finite, closed, convex, not flat, faces plane and counter-clockwise; the value is an " \
      "index or count") \
    R(NSCI_NO_HULL, "hull", \
      "index of a hull in the table of nsc_world_set_hulls; the value is what was asked for") \
    R(NSCI_UNLIKE_HULL, "nsc_hull", \
      "normals, volume, centroid and inertia as nsc_hull_complete computes them; the value is " \
      "its index in the table")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static nsc_real nsci_cylinder_mass(const nsc_shape_def *d, nsc_real I[3]);
static void nsci_bound_cylinder(const nsci_geom *g, nsc_real more, nsc_vec3 *e);
static int nsci_is_convex(int kind);
static int nsci_collide_convex(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance);
static nsc_real nsci_rim_of(const nsc_world *w, nsc_id shape, nsc_vec3 normal, nsc_vec3 p,
                            nsc_vec3 *axis);
static nsc_vec3 nsci_on_axis(nsc_vec3 p, nsc_real rim, nsc_vec3 normal, nsc_vec3 axis);
#if NSCI_HULLS
static nsc_real nsci_hull_mass(const nsc_world *w, const nsc_shape *s, nsc_vec3 *centre,
                               nsc_real I[6]);
static int nsci_bound_hull(const nsci_geom *g, nsc_real more, nsci_aabb *box);
NSC_MAYBE_UNUSED static int nsci_hull_faces(const nsci_geom *g);
NSC_MAYBE_UNUSED static nsc_vec3 nsci_turned_face(const nsci_geom *g, int i);
static nsc_real nsci_inner_hull(const nsci_geom *g, nsc_vec3 *middle);
#endif

#elif defined(NSCI_CODE) /* and again */

#include "nsc_support.h"

NSC_API nsc_shape_def nsc_default_cylinder_def(nsc_real radius, nsc_real half_length)
{
    return nsci_shape_def(NSC_SHAPE_CYLINDER, radius, 0, 0, half_length);
}

/* ---- tables of the caller */

/* Check a new table of hulls, height fields or meshes: its count, and that it has all that shapes
   name. */
NSC_MAYBE_UNUSED static int nsci_check_table(nsc_world *w, int given, int count, int kind,
                                             int reason)
{
    int i;
    int code = nsci_enter(w);
    if (code < 0)
        return code;
    if (count < 0 || (long)count > 65535)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, (nsc_real)count);
    if (!given && count > 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    for (i = 0; i < w->shape_end; i++) {
        int entry = w->shapes[i].data;
        if (w->shapes[i].generation % 2 && w->shapes[i].def.kind == kind && entry >= count)
            return nsci_refused(&w->note, NSC_ERR_ARGUMENT, reason, (nsc_real)entry);
    }
    return NSC_OK;
}

/* Make entry `index` of a table with `count` entries a shape. */
NSC_MAYBE_UNUSED static nsc_id nsci_add_named(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                              int kind, int index, int count, int reason)
{
    int b = nsci_check_new_shape(w, body, def, kind);
    if (b < 0)
        return b;
    if (index < 0 || index >= count)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, reason, (nsc_real)index);
    return nsci_add_shape(w, b, def, index);
}

/* ---- what the core asks about cylinders and hulls */

static nsc_real nsci_cylinder_mass(const nsc_shape_def *d, nsc_real I[3])
{
    nsc_real r2 = d->radius * d->radius;
    nsc_real L = 2 * d->half.z;
    nsc_real m = d->density * NSCI_PI * r2 * L;
    I[2] = NSC_R(0.5) * m * r2;
    I[0] = I[1] = m * (r2 / 4 + L * L / 12);
    return m;
}

/* Of the disc's two radii: by its normal its extent would be 0 where it is level to half of the
   digits. */
static void nsci_bound_cylinder(const nsci_geom *g, nsc_real more, nsc_vec3 *e)
{
    const nsc_real *x = &g->axes.c[0].x;
    const nsc_real *y = &g->axes.c[1].x;
    int k;
    for (k = 0; k < 3 && g->kind == NSC_SHAPE_CYLINDER; k++)
        (&e->x)[k] = more + g->radius * NSC_SQRT(x[k] * x[k] + y[k] * y[k]);
}

#if NSCI_HULLS
static nsc_real nsci_hull_mass(const nsc_world *w, const nsc_shape *s, nsc_vec3 *centre,
                               nsc_real I[6])
{
    const nsc_hull *hull = w->hulls[s->data];
    int i;
    for (i = 0; i < 6; i++)
        I[i] = s->def.density * hull->inertia[i];
    *centre = hull->centroid;
    return s->def.density * hull->volume;
}

static int nsci_bound_hull(const nsci_geom *g, nsc_real more, nsci_aabb *box)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int k;
    if (!hull)
        return 0;
    for (k = 0; k < 3; k++) {
        nsc_vec3 d = nsci_vec((nsc_real)(k == 0), (nsc_real)(k == 1), (nsc_real)(k == 2));
        box->max[k] = nsci_dot3(nsci_hull_support(g, hull, d), d) + more;
        box->min[k] = nsci_dot3(nsci_hull_support(g, hull, nsci_neg(d)), d) - more;
    }
    return 1;
}

NSC_MAYBE_UNUSED static int nsci_hull_faces(const nsci_geom *g) { return NSCI_HULL_OF(g)->faces; }

NSC_MAYBE_UNUSED static nsc_vec3 nsci_turned_face(const nsci_geom *g, int i)
{
    return nsci_mul_mv(&g->axes, NSCI_HULL_OF(g)->normal[i]);
}

/* ---- hulls of the caller */

NSC_API nsc_shape_def nsc_default_hull_def(void)
{
    return nsci_shape_def(NSC_SHAPE_HULL, 0, 0, 0, 0);
}

/* Copy the corners and faces of a hull, checked: counts and indices in range, numbers finite. */
static int nsci_copy_hull(nsci_why *note, nsc_hull *h, const nsc_hull *from)
{
    int f, i;
    int v = from->vertices;
    int faces = from->faces;
    if (v > NSC_HULL_VERTICES || faces > NSC_HULL_FACES)
        return nsci_refused(note, NSC_ERR_CAPACITY, NSCI_FULL_VERTICES,
                            (nsc_real)NSC_HULL_VERTICES);
    if (v < 4 || faces < 4 || from->first[0] != 0)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)v);
    NSC_MEMSET(h, 0, sizeof *h);
    h->vertices = (uint8_t)v;
    h->faces = (uint8_t)faces;
    for (f = 0; f < faces; f++) {
        h->first[f + 1] = from->first[f + 1];
        if (h->first[f + 1] < h->first[f] + 3 || h->first[f + 1] > NSC_HULL_CORNERS)
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)f);
    }
    for (i = 0; i < h->first[faces]; i++) {
        h->corner[i] = from->corner[i];
        if (h->corner[i] >= v)
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)h->corner[i]);
    }
    for (i = 0; i < v; i++) {
        h->vertex[i] = from->vertex[i];
        if (!nsci_vec_finite(h->vertex[i]))
            return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_HULL, (nsc_real)i);
    }
    return NSC_OK;
}

/* Largest extent of the corners along an axis [m] */
static nsc_real nsci_hull_extent(const nsc_hull *h)
{
    nsc_vec3 lo = h->vertex[0];
    nsc_vec3 hi = lo;
    int i;
    for (i = 1; i < h->vertices; i++) {
        nsc_vec3 p = h->vertex[i];
        lo = nsci_vec(nsci_min(lo.x, p.x), nsci_min(lo.y, p.y), nsci_min(lo.z, p.z));
        hi = nsci_vec(nsci_max(hi.x, p.x), nsci_max(hi.y, p.y), nsci_max(hi.z, p.z));
    }
    hi = nsci_sub(hi, lo);
    return nsci_max(hi.x, nsci_max(hi.y, hi.z));
}

/* Compute the normal of a face from all its corners.  Returns 1 if these are in one plane and all
   others behind it, some by 1e-3 of the hull's size or more. */
static int nsci_hull_face(nsc_hull *h, int face, nsc_real size)
{
    nsc_vec3 at = h->vertex[h->corner[h->first[face]]];
    nsc_vec3 sum = nsci_vec(0, 0, 0);
    nsc_real high = 0, low = 0, plane = 0;
    int i;
    for (i = h->first[face] + 2; i < h->first[face + 1]; i++)
        sum = nsci_add(sum, nsci_cross(nsci_sub(h->vertex[h->corner[i - 1]], at),
                                       nsci_sub(h->vertex[h->corner[i]], at)));
    if (!(nsci_dot3(sum, sum) > 0))
        return 0;
    h->normal[face] = nsci_unit(sum, sum);
    for (i = 0; i < h->vertices; i++) {
        nsc_real s = nsci_dot3(h->normal[face], nsci_sub(h->vertex[i], at));
        high = nsci_max(high, s);
        low = nsci_min(low, s);
    }
    for (i = h->first[face]; i < h->first[face + 1]; i++) {
        nsc_vec3 arm = nsci_sub(h->vertex[h->corner[i]], at);
        plane = nsci_min(plane, nsci_dot3(h->normal[face], arm));
    }
    return high <= NSC_R(2e-3) * size && -plane <= NSC_R(2e-3) * size && -low >= NSC_R(1e-3) * size;
}

/* Is every edge shared by two faces that run along it in opposite directions, and is the surface
   one closed piece (Euler)? */
static int nsci_hull_closed(const nsc_hull *h)
{
    int f, k, g, m;
    int end = h->first[h->faces];
    if (2 * h->vertices + 2 * h->faces != end + 4)
        return 0;
    for (f = 0; f < h->faces; f++)
        for (k = h->first[f]; k < h->first[f + 1]; k++) {
            int u = h->corner[k];
            int v = h->corner[k + 1 < h->first[f + 1] ? k + 1 : h->first[f]];
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

/* Add volume, first moment and inertia about 0 of the tetrahedron 0 a b c, exactly; det is six
   times its volume.  Its inertia is that of four points of mass det / 120. */
static void nsci_add_tetrahedron(nsc_hull *h, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c)
{
    nsc_real det = nsci_dot3(a, nsci_cross(b, c));
    nsc_vec3 s = nsci_add(nsci_add(a, b), c);
    h->volume += det / 6;
    h->centroid = nsci_add_sv(h->centroid, det / 24, s);
    det /= 120;
    nsci_add_offset(h->inertia, det, s);
    nsci_add_offset(h->inertia, det, a);
    nsci_add_offset(h->inertia, det, b);
    nsci_add_offset(h->inertia, det, c);
}

/* Volume, centroid and inertia by tetrahedra with an apex at the vertices' mean (Tonon 2004) */
static int nsci_hull_measure(nsc_hull *h)
{
    nsc_vec3 mean = nsci_vec(0, 0, 0);
    int i, f;
    for (i = 0; i < h->vertices; i++)
        mean = nsci_add_sv(mean, 1 / (nsc_real)h->vertices, h->vertex[i]);
    for (f = 0; f < h->faces; f++)
        for (i = h->first[f] + 2; i < h->first[f + 1]; i++)
            nsci_add_tetrahedron(h, nsci_sub(h->vertex[h->corner[h->first[f]]], mean),
                                 nsci_sub(h->vertex[h->corner[i - 1]], mean),
                                 nsci_sub(h->vertex[h->corner[i]], mean));
    if (!(h->volume > 0) || !nsci_finite(1 / h->volume))
        return NSC_ERR_ARGUMENT;
    h->centroid = nsci_mul_sv(1 / h->volume, h->centroid);
    nsci_add_offset(h->inertia, -h->volume, h->centroid);
    h->centroid = nsci_add(h->centroid, mean);
    return nsci_vec_finite(h->centroid) ? nsci_check_inertia(NULL, h->inertia) : NSC_ERR_NOT_FINITE;
}

/* Copy a hull of the user's, and compute what it does not bring. */
static int nsci_take_hull(nsci_why *note, nsc_hull *h, const nsc_hull *from)
{
    nsc_real size;
    int f;
    int code = nsci_copy_hull(note, h, from);
    if (code < 0)
        return code;
    size = nsci_hull_extent(h);
    if (!nsci_finite(size * size))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_HULL, size);
    for (f = 0; f < h->faces; f++)
        if (!nsci_hull_face(h, f, size))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)f);
    code = nsci_hull_closed(h) ? nsci_hull_measure(h) : NSC_ERR_ARGUMENT;
    return code < 0 ? nsci_refused(note, code, NSCI_BAD_HULL, (nsc_real)h->faces) : NSC_OK;
}

NSC_API int nsc_hull_complete(nsc_hull *hull)
{
    nsc_hull h;
    int code = hull ? nsci_take_hull(NULL, &h, hull) : NSC_ERR_ARGUMENT;
    if (code < 0)
        return code;
    NSC_MEMCPY(hull, &h, sizeof h);
    return NSC_OK;
}

/* Are all components nearer than `by`? */
static int nsci_near_vec(nsc_vec3 a, nsc_vec3 b, nsc_real by)
{
    return nsci_abs(a.x - b.x) <= by && nsci_abs(a.y - b.y) <= by && nsci_abs(a.z - b.z) <= by;
}

/* Check a complete hull of the caller's: recompute its derived members, and compare them. */
NSCI_OWN_FRAME int nsci_check_hull(nsci_why *note, const nsc_hull *from, int index)
{
    nsc_hull h;
    const nsc_real *I = h.inertia;
    nsc_real size;
    int i, like, code;
    if (!from)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, (nsc_real)index);
    code = nsci_take_hull(note, &h, from);
    if (code < 0)
        return code;
    size = nsci_hull_extent(&h);
    like = nsci_abs(h.volume - from->volume) <= NSC_R(1e-3) * h.volume &&
           nsci_near_vec(h.centroid, from->centroid, NSC_R(1e-4) * size) &&
           nsci_check_inertia(NULL, from->inertia) == NSC_OK;
    for (i = 0; i < h.faces; i++)
        like &= nsci_near_vec(h.normal[i], from->normal[i], NSC_R(1e-4));
    for (i = 0; i < 6; i++)
        like &= nsci_abs(I[i] - from->inertia[i]) <= NSC_R(1e-4) * (I[0] + I[1] + I[2]);
    return like ? NSC_OK
                : nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_UNLIKE_HULL, (nsc_real)index);
}

NSC_API int nsc_world_set_hulls(nsc_world *w, const nsc_hull *const *hulls, int count)
{
    int i;
    int code = nsci_check_table(w, hulls != NULL, count, NSC_SHAPE_HULL, NSCI_NO_HULL);
    for (i = 0; i < count && code == NSC_OK; i++)
        code = nsci_check_hull(&w->note, hulls[i], i);
    if (code < 0)
        return code;
    w->hulls = hulls;
    w->hull_count = count;
    return NSC_OK;
}

NSC_API nsc_id nsc_world_add_hull(nsc_world *w, nsc_id body, const nsc_shape_def *def, int index)
{
    return nsci_add_named(w, body, def, NSC_SHAPE_HULL, index, w ? w->hull_count : 0,
                          NSCI_NO_HULL);
}
#endif

/* ---- collision */

/* Keep simplex points with weight > 0 in the point nearest to 0.  Returns 1 if 0 is inside. */
static int nsci_nearest_in_simplex(nsci_simplex *s)
{
    int i, n = 0;
    s->weight[0] = 1;
    if (s->n == 2)
        nsci_segment_weights(s->w, s->weight);
    if (s->n == 3)
        nsci_triangle_weights(s->w[0], s->w[1], s->w[2], s->weight);
    if (s->n == 4 && nsci_tetrahedron_weights(s->w, s->weight))
        return 1;
    for (i = 0; i < s->n; i++) {
        if (!(s->weight[i] > 0))
            continue;
        s->weight[n] = s->weight[i];
        s->w[n] = s->w[i];
        s->on_a[n] = s->on_a[i];
        s->on_b[n] = s->on_b[i];
        n++;
    }
    s->n = n;
    return 0;
}

/* The point of the simplex nearest to 0.  Of an edge or triangle much longer than it is away, the
   weights are rounded: what they leave along the edges is taken out. */
static nsc_vec3 nsci_from_simplex(const nsci_simplex *s)
{
    nsc_vec3 v = nsci_blend(s->w, s->weight, s->n);
    nsc_vec3 n, e;
    if (s->n == 2) {
        e = nsci_sub(s->w[1], s->w[0]);
        return nsci_add_sv(v, -nsci_share(nsci_dot3(v, e), nsci_dot3(e, e)), e);
    }
    if (s->n == 3) {
        n = nsci_triangle_normal(s->w[2], s->w[0], s->w[1]);
        return nsci_mul_sv(nsci_share(nsci_dot3(n, s->w[0]), nsci_dot3(n, n)), n);
    }
    return v;
}

/* Does the last point of the simplex repeat another? */
static int nsci_seen(const nsci_simplex *s)
{
    int i;
    for (i = 0; i + 1 < s->n; i++) {
        nsc_vec3 d = nsci_sub(s->w[i], s->w[s->n - 1]);
        if (!(nsci_dot3(d, d) > 0))
            return 1;
    }
    return 0;
}

/* Add the support points, of a along d and of b along -d. */
static void nsci_extend_simplex(nsci_simplex *s, const nsci_geom *a, const nsci_geom *b, nsc_vec3 d)
{
    int k = s->n < 4 ? s->n++ : 3; /* full only if numbers overflow: replace any point */
    s->on_a[k] = nsci_support(a, d);
    s->on_b[k] = nsci_support(b, nsci_neg(d));
    s->w[k] = nsci_sub(s->on_b[k], s->on_a[k]);
}

/* Distance of the cores; 0 if they overlap, a lower bound if beyond `enough`, or if rounding ends
   the search before it has met the shortest difference.  v: of the directions met
   from a to b (not unit) the one that separates most.  The length, which GJK minimises, depends on
   the direction in second order only, so rounding would hide a poor one. */
NSCI_OWN_FRAME nsc_real nsci_gjk(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                                 nsc_real enough, nsc_vec3 *v)
{
    nsci_simplex *s = &x->simplex;
    nsc_real best = NSC_REAL_MAX;
    nsc_real most = 0;
    nsc_real bound = -NSC_REAL_MAX;
    nsc_real length = 1;
    nsc_real low;
    nsc_vec3 next = nsci_sub(nsci_middle(b), nsci_middle(a));
    int i, stalled = 0;
    s->n = 0;
    s->weight[0] = 1;
    next = nsci_unit(next, nsci_vec(0, 0, 1));
    for (i = 0; i < 32; i++) {
        int known = s->n < 4 ? s->n : 3;
        nsci_extend_simplex(s, a, b, next);
        low = nsci_dot3(s->w[known], next) / length;
        if (low > bound || i == 0) {
            bound = low;
            *v = next;
        }
        if (bound > enough)
            return bound;
        if ((i > 0 && best - bound <= 8 * NSC_REAL_EPS * best) || nsci_seen(s))
            break;
        most = nsci_max(most, nsci_dot3(s->w[known], s->w[known]));
        if (nsci_nearest_in_simplex(s))
            break;
        next = nsci_from_simplex(s);
        length = nsci_norm(next);
        if (length * length <= 16 * NSC_REAL_EPS * NSC_REAL_EPS * most)
            return 0;
        if (length < best) {
            best = length;
            x->near_a = nsci_blend(s->on_a, s->weight, s->n);
            x->near_b = nsci_blend(s->on_b, s->weight, s->n);
        } else if (++stalled > 3) {
            break;
        }
    }
    return best - bound <= NSC_R(1e-4) * best ? best : nsci_max(bound, 0);
}

/* Unit direction from a to b, separation along it [m], the shape whose face it is normal to (0 a, 1
   b, -1 neither), and the size of the smaller shape [m] (nsci_find_way) */
typedef struct nsci_way {
    nsc_vec3 n;
    nsc_real s;
    int side;
    nsc_real size;
} nsci_way;

/* Take direction n if it separates more than the best by `clear`; returns 1 if so. */
static int nsci_try(nsci_way *best, const nsci_geom *a, const nsci_geom *b, nsc_vec3 n,
                    nsc_real clear, int side)
{
    nsc_real s;
    /* Refuse directions from below the triangle */
    if (nsci_is_triangle(b) && nsci_dot3(n, nsci_face_normal(b, 0)) >= 0)
        return 0;
    s = nsci_gap(a, b, n);
    if (!(s > best->s + clear))
        return 0;
    best->n = n;
    best->s = s;
    best->side = side;
    return 1;
}

/* The face of shape `side` that separates most; with `near`, of those within 8 degrees of it */
static nsci_way nsci_best_face(const nsci_geom *a, const nsci_geom *b, int side,
                               const nsc_vec3 *near)
{
    const nsci_geom *g = side ? b : a;
    int i, n = nsci_face_count(g);
    nsci_way best;
    best.n = g->axes.c[2];
    best.s = -NSC_REAL_MAX;
    best.side = side;
    best.size = 0; /* known to nsci_find_way */
    for (i = 0; i < n; i++) {
        nsc_vec3 normal = nsci_face_normal(g, i);
        if (side)
            normal = nsci_neg(normal);
        if (!near || nsci_dot3(normal, *near) > NSC_R(0.99))
            nsci_try(&best, a, b, normal, 0, side);
    }
    return best;
}

/* The better face of the two shapes.  The first must be beaten by `clear`, so that the choice does
   not flicker: b's if a has round sides or b is a triangle, else a's. */
static nsci_way nsci_better_face(const nsci_geom *a, const nsci_geom *b, const nsc_vec3 *near,
                                 nsc_real clear)
{
    int first = a->kind <= NSC_SHAPE_CYLINDER || nsci_is_triangle(b);
    nsci_way one = nsci_best_face(a, b, first, near);
    nsci_way other = nsci_best_face(a, b, !first, near);
    return other.s > one.s + clear ? other : one;
}

/* If two edges are nearest, try the normal to both: it is exact where GJK's is rounded. */
static void nsci_try_edges(const nsci_simplex *s, nsci_way *best, const nsci_geom *a,
                           const nsci_geom *b, nsc_real small)
{
    nsc_vec3 x = nsci_vec(0, 0, 0);
    nsc_vec3 y = x;
    nsc_vec3 n;
    int i;
    for (i = 1; i < s->n; i++) {
        nsc_vec3 p = nsci_sub(s->on_a[i], s->on_a[0]);
        nsc_vec3 q = nsci_sub(s->on_b[i], s->on_b[0]);
        if (nsci_dot3(p, p) > nsci_dot3(x, x))
            x = p;
        if (nsci_dot3(q, q) > nsci_dot3(y, y))
            y = q;
    }
    n = nsci_cross(x, y);
    if (!(nsci_dot3(n, n) > NSC_R(1e-4) * nsci_dot3(x, x) * nsci_dot3(y, y)))
        return;
    n = nsci_unit(n, best->n);
    if (nsci_dot3(n, best->n) < 0)
        n = nsci_neg(n);
    if (nsci_dot3(n, best->n) > NSC_R(0.9))
        nsci_try(best, a, b, n, -small, -1);
}

/* Improve a direction: with b moved along it until the cores are size / 10 apart, GJK's direction
   separates no worse, mostly better.  b is put back. */
NSCI_OWN_FRAME void nsci_improve(nsci_convex_scratch *x, nsci_way *best, const nsci_geom *a,
                                 nsci_geom *b, nsc_real size, nsc_real clear)
{
    nsc_real apart = NSC_R(0.1) * size;
    nsc_vec3 home = b->centre, shift, v;
    int i, better;
    for (i = 0; i < 8; i++) {
        shift = nsci_mul_sv(nsci_max(apart - best->s - nsci_rounding(a) - nsci_rounding(b), 0),
                            best->n);
        b->centre = nsci_add(home, shift);
        better = nsci_gjk(x, a, b, NSC_REAL_MAX, &v) > 0;
        b->centre = home;
        x->near_b = nsci_sub(x->near_b, shift);
        if (!better)
            return;
        better = nsci_try(best, a, b, nsci_unit(v, best->n), i == 0 ? clear : NSC_R(0.1) * clear,
                          -1);
        if (best->side < 0)
            nsci_try_edges(&x->simplex, best, a, b, NSC_R(0.01) * clear);
        if (!better)
            return;
    }
}

/* Try directions besides the faces: between the middles, and across a capsule's or cylinder's
   axis */
static int nsci_try_middles(nsci_way *best, const nsci_geom *a, const nsci_geom *b, nsc_real clear)
{
    nsc_vec3 d = nsci_sub(nsci_middle(b), nsci_middle(a));
    nsc_vec3 up = nsci_vec(0, 0, 1);
    int i;
    int better = nsci_try(best, a, b, nsci_unit(d, up), clear, -1);
    for (i = 0; i < 2; i++) {
        const nsci_geom *g = i ? b : a;
        if (g->kind == NSC_SHAPE_CAPSULE || nsci_is_cylinder(g))
            better |= nsci_try(best, a, b, nsci_across(g, d), clear, -1);
    }
    return better;
}

static void nsci_try_both(nsci_way *best, const nsci_geom *a, const nsci_geom *b, nsc_vec3 n)
{
    if (!(nsci_dot3(n, n) > NSC_R(1e-6)))
        return;
    n = nsci_unit(n, n);
    nsci_try(best, a, b, n, 0, -1);
    nsci_try(best, a, b, nsci_neg(n), 0, -1);
}

/* Across a cylinder, which is too wide for the polytope to be as fine as the other shape, try the
   directions across an edge or axis of each, and of each axis of round shapes what is across the
   other one. */
static void nsci_try_crosses(nsci_way *best, const nsci_geom *a, const nsci_geom *b)
{
    nsc_vec3 x, y;
    int i, j, end;
    for (i = 0; i < NSC_HULL_CORNERS && nsci_edge_along(a, i, &x); i++)
        for (j = 0; nsci_dot3(x, x) > 0 && j < NSC_HULL_CORNERS && nsci_edge_along(b, j, &y); j++) {
            x = nsci_unit(x, nsci_vec(0, 0, 0));
            y = nsci_unit(y, x);
            nsci_try_both(best, a, b, nsci_cross(x, y));
            if (b->kind > NSC_SHAPE_CYLINDER)
                continue;
            nsci_try_both(best, a, b, nsci_without(x, y));
            nsci_try_both(best, a, b, nsci_without(y, x));
            for (end = -1; end < 2; end += 2) /* away from the ends of a's axis */
                nsci_try_both(best, a, b,
                              nsci_across(b, nsci_sub(nsci_core(a, (nsc_real)end), b->centre)));
        }
}

/* How deep a point is in a cylinder, box or hull; < 0: outside */
static nsc_real nsci_depth_in(const nsci_geom *g, nsc_vec3 p)
{
    const nsc_hull *h = NSCI_HULL_OF(g);
    nsc_vec3 d = nsci_mul_mtv(&g->axes, nsci_sub(p, g->centre));
    nsc_real depth = NSC_REAL_MAX;
    int i, n = nsci_face_count(g);
    for (i = 0; i < n; i++) {
        nsc_vec3 normal = h ? h->normal[i] : nsci_face_normal(g, i);
        nsc_vec3 to = h ? nsci_sub(h->vertex[h->corner[h->first[i]]], d)
                        : nsci_sub(nsci_support(g, normal), p);
        depth = nsci_min(depth, nsci_dot3(normal, to));
    }
    if (nsci_is_cylinder(g))
        depth = nsci_min(depth, g->radius - NSC_SQRT(d.x * d.x + d.y * d.y));
    return depth;
}

/* Is no other way shorter?  A point that is x deep in one shape and y in the other needs x + y. */
static int nsci_is_shortest(const nsci_convex_scratch *x, const nsci_way *way, const nsci_geom *a,
                            const nsci_geom *b, nsc_real clear)
{
    int i;
    for (i = 0; i < 3; i++) {
        nsc_vec3 p = nsci_mul_sv(NSC_R(0.5), nsci_add(x->near_a, x->near_b));
        nsc_real in_a, in_b;
        if (i > 0) { /* the middle of a shape, on its side that faces the other */
            const nsci_geom *g = i == 1 ? b : a;
            nsc_vec3 n = i == 1 ? nsci_neg(way->n) : way->n;
            p = nsci_middle(g);
            p = nsci_add_sv(p, nsci_dot3(nsci_sub(nsci_support(g, n), p), n), n);
        }
        in_a = nsci_depth_in(a, p);
        in_b = nsci_depth_in(b, p);
        if (in_a >= -clear && in_b >= -clear && in_a + in_b >= -way->s - clear)
            return 1;
    }
    return 0;
}

/* Add a side with these tips. */
static void nsci_grow_side(nsci_growth *g, int i, int j, int k)
{
    int at = g->sides;
    nsc_vec3 n = nsci_triangle_normal(g->tip[i], g->tip[j], g->tip[k]);
    if (at >= 2 * NSCI_TIPS)
        return;
    g->side[at][0] = (uint8_t)i;
    g->side[at][1] = (uint8_t)j;
    g->side[at][2] = (uint8_t)k;
    n = nsci_unit(n, nsci_vec(0, 0, 0));
    g->depth[at] = nsci_dot3(n, n) > 0 ? nsci_dot3(n, g->tip[i]) : NSC_REAL_MAX;
    g->sides = at + 1;
}

static nsc_vec3 nsci_side_normal(const nsci_growth *g, const uint8_t *side)
{
    return nsci_triangle_normal(g->tip[side[0]], g->tip[side[1]], g->tip[side[2]]);
}

/* Take side i away: its edges are added to the n of the rim, or taken out where they stand the
   other way round.  Returns how many there are. */
static int nsci_grow_rim(nsci_growth *g, int i, int n)
{
    uint8_t side[3];
    int e, k;
    NSC_MEMCPY(side, g->side[i], 3);
    g->sides--;
    g->depth[i] = g->depth[g->sides];
    NSC_MEMCPY(g->side[i], g->side[g->sides], 3);
    for (k = 0; k < 3; k++) {
        uint8_t u = side[k], v = side[(k + 1) % 3];
        for (e = 0; e < n && !(g->rim[e][0] == v && g->rim[e][1] == u); e++) {
        }
        if (e < n) {
            n--;
            NSC_MEMCPY(g->rim[e], g->rim[n], 2);
        } else if (n < NSCI_TIPS) {
            g->rim[n][0] = u;
            g->rim[n++][1] = v;
        }
    }
    return n;
}

/* The side beyond an edge of the rim if the last tip sees it by more than `thin`, else -1 */
static int nsci_grow_sees(const nsci_growth *g, const uint8_t *edge, nsc_real thin)
{
    int i, k;
    for (i = 0; i < g->sides; i++)
        for (k = 0; k < 3; k++)
            if (g->side[i][k] == edge[1] && g->side[i][(k + 1) % 3] == edge[0]) {
                nsc_vec3 m = nsci_side_normal(g, g->side[i]);
                nsc_vec3 arm = nsci_sub(g->tip[g->tips - 1], g->tip[edge[0]]);
                return nsci_dot3(m, arm) > thin * nsci_norm(m) ? i : -1;
            }
    return -1;
}

/* Grow to the last tip, which is outside side i: what it sees of the polytope gives way to sides
   from the rim to it. */
static void nsci_grow_to(nsci_growth *g, int i, nsc_real thin)
{
    int e, n = nsci_grow_rim(g, i, 0);
    for (e = 0; e < n; e++) {
        i = nsci_grow_sees(g, g->rim[e], thin);
        if (i < 0)
            continue;
        n = nsci_grow_rim(g, i, n);
        e = -1;
    }
    for (e = 0; e < n; e++)
        nsci_grow_side(g, g->rim[e][0], g->rim[e][1], g->tips - 1);
}

/* Add the point of the difference that is furthest along m; returns how far from the first. */
static nsc_real nsci_grow_tip(nsci_growth *g, const nsci_geom *a, const nsci_geom *b, nsc_vec3 m)
{
    nsc_vec3 *tip = &g->tip[g->tips++];
    *tip = nsci_sub(nsci_support(b, m), nsci_support(a, nsci_neg(m)));
    return nsci_dot3(m, nsci_sub(*tip, g->tip[0]));
}

/* Begin with a tetrahedron, which need not have 0 inside.  Returns 0 if the difference is flatter
   than `thin`. */
static int nsci_germinate(nsci_growth *g, const nsci_geom *a, const nsci_geom *b, nsc_vec3 m,
                          nsc_real thin)
{
    nsc_vec3 other;
    int i, j = 0;
    g->tips = g->sides = 0;
    for (i = 0; i < 4; i++) {
        if (i == 2)
            nsci_tangents(nsci_unit(nsci_sub(g->tip[1], g->tip[0]), m), &m, &other);
        if (i == 3)
            m = nsci_unit(nsci_triangle_normal(g->tip[0], g->tip[1], g->tip[2]), m);
        j = !(nsci_grow_tip(g, a, b, m) > thin);
        m = nsci_neg(m);
        if (i == 0 || !j)
            continue;
        g->tips--;
        if (!(nsci_grow_tip(g, a, b, m) > thin))
            return 0;
    }
    nsci_grow_side(g, j, 2, !j);
    nsci_grow_side(g, j, !j, 3);
    nsci_grow_side(g, !j, 2, 3);
    nsci_grow_side(g, 2, j, 3);
    return 1;
}

/* Look for a way that is shorter by `clear`, by the expanding polytope of van den Bergen (2001): it
   grows where its surface is nearest to 0, until no side is nearer by that than the shortest way
   found.  No way is shorter than the nearest side. */
NSCI_OWN_FRAME void nsci_expand(nsci_convex_scratch *x, nsci_way *best, const nsci_geom *a,
                                nsci_geom *b, const nsci_tolerance *t)
{
    nsci_growth *g = &x->use.growth;
    nsci_way way = *best;
    nsc_vec3 near_a = x->near_a;
    nsc_vec3 near_b = x->near_b;
    nsc_vec3 m;
    nsc_real clear = NSC_R(0.5) * t->clear;
    nsc_real out = nsci_rounding(a) + nsci_rounding(b);
    nsc_real s;
    int i, k;
    if (nsci_is_cylinder(a) || nsci_is_cylinder(b))
        nsci_try_crosses(&way, a, b);
    k = nsci_germinate(g, a, b, nsci_neg(best->n), clear);
    if (!k)
        return;
    while (g->tips < NSCI_TIPS) {
        for (i = 1, k = 0; i < g->sides; i++)
            if (g->depth[i] < g->depth[k])
                k = i;
        if (g->depth[k] + out + clear >= -way.s)
            break;
        m = nsci_side_normal(g, g->side[k]);
        m = nsci_unit(m, m);
        if (nsci_is_triangle(b) && nsci_dot3(m, nsci_face_normal(b, 0)) <= 0) {
            g->depth[k] = NSC_REAL_MAX; /* from below the triangle */
            continue;
        }
        (void)nsci_grow_tip(g, a, b, m);
        s = -nsci_dot3(m, g->tip[g->tips - 1]) - out;
        if (s > way.s) {
            way.s = s;
            way.n = nsci_neg(m);
        }
        if (nsci_furthest(g->tip, g->tips, m) < g->tips - 1) {
            g->depth[k] = NSC_REAL_MAX; /* a fold of rounding */
            g->tips--;
        } else {
            nsci_grow_to(g, k, t->small);
        }
    }
    if (!(way.s > best->s + NSC_R(0.5) * clear))
        return;
    way.side = -1;
    x->near_a = nsci_support(a, way.n);
    x->near_b = nsci_support(b, nsci_neg(way.n));
    nsci_improve(x, &way, a, b, t->size, t->small);
    if (way.s > best->s + clear) {
        *best = way;
        return;
    }
    x->near_a = near_a;
    x->near_b = near_b;
}

/* The direction that separates most, where cores overlap or nearly touch; v: GJK's, if apart > 0 */
static nsci_way nsci_close_way(nsci_convex_scratch *x, const nsci_geom *a, nsci_geom *b,
                               const nsci_tolerance *t, nsc_vec3 v, nsc_real apart)
{
    nsci_way best = nsci_better_face(a, b, NULL, t->clear);
    int smooth = a->kind <= NSC_SHAPE_CYLINDER || b->kind <= NSC_SHAPE_CYLINDER;
    int solid = a->kind >= NSC_SHAPE_CYLINDER && !nsci_is_triangle(b);
    nsc_real clear = smooth || apart > 0 ? t->small : t->clear;
    nsc_real deep = solid ? t->clear : NSC_R(0.05) * t->size;
    v = nsci_unit(v, best.n);
    if (apart > 0 && !nsci_try(&best, a, b, v, clear, -1) && nsci_is_triangle(b) &&
        nsci_gap(a, b, v) > best.s + clear) {
        best.n = v; /* apart along the triangle's plane or from below: no other way is its own */
        best.s = nsci_gap(a, b, v);
        best.side = -1;
        return best;
    }
    nsci_try_middles(&best, a, b, clear);
    x->near_a = nsci_support(a, best.n);
    x->near_b = nsci_support(b, nsci_neg(best.n));
    nsci_improve(x, &best, a, b, t->size, clear);
    if (a->kind < NSC_SHAPE_CYLINDER && !nsci_is_triangle(b))
        deep = a->radius + t->clear; /* its core overlaps */
    else if (solid && smooth)
        deep *= NSC_R(0.5); /* nsci_size of a cylinder is more than it measures */
    if (best.s < -deep && !(solid && nsci_is_shortest(x, &best, a, b, clear)))
        nsci_expand(x, &best, a, b, t);
    return best;
}

#define NSCI_EXACT(x) NSCI_IF(NSC_BARRIER, (x)->exact) NSCI_UNLESS(NSC_BARRIER, 0)
#if NSC_BARRIER
static int nsci_exact_way(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                          nsc_real distance, nsci_way *way);
#else
#define nsci_exact_way(x, a, b, distance, way) 0
#endif

/* The direction that separates most.  Returns 0 if they are further apart than the distance. */
NSCI_OWN_FRAME int nsci_find_way(nsci_convex_scratch *x, const nsci_geom *a, nsci_geom *b,
                                 nsc_real distance, nsci_way *best)
{
    nsci_tolerance t = nsci_tolerances(a, b);
    nsc_real enough = distance + nsci_rounding(a) + nsci_rounding(b);
    nsc_real apart;
    nsci_way face;
    nsc_vec3 v;
    if (NSCI_EXACT(x))
        return nsci_exact_way(x, a, b, distance, best);
    apart = nsci_gjk(x, a, b, enough, &v);
    if (apart > enough)
        return 0;
    if (apart > t.near) {
        best->n = nsci_unit(v, v);
        best->side = -1;
        best->s = nsci_gap(a, b, best->n);
        nsci_try_edges(&x->simplex, best, a, b, NSC_R(0.1) * t.small);
        if (nsci_is_cylinder(b))
            nsci_try(best, a, b, nsci_across(b, nsci_sub(b->centre, x->near_a)), 0, -1);
    } else {
        *best = nsci_close_way(x, a, b, &t, v, apart);
    }
    if (best->side < 0) {
        face = nsci_better_face(a, b, &best->n, t.small);
        if (face.s >= best->s - (a->kind == NSC_SHAPE_SPHERE ? 0 : t.small))
            *best = face;
    }
    best->size = t.size;
    return best->s <= distance;
}

/* ---- patches */

/* The corner that follows */
static int nsci_next(const nsci_patch *f, int i) { return i + 1 < f->n ? i + 1 : 0; }

static void nsci_patch_add(nsci_patch *f, nsc_vec3 p, int id)
{
    if (f->n >= NSCI_PATCH)
        return;
    f->p[f->n] = p;
    f->id[f->n++] = (uint8_t)id;
}

static void nsci_box_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f)
{
    nsc_vec3 local = nsci_mul_mtv(&g->axes, d);
    nsc_real l[3], q[3];
    int i, j = 0, k, up;
    nsci_put_vec(l, local);
    for (i = 1; i < 3; i++)
        if (nsci_abs(l[i]) > nsci_abs(l[j]))
            j = i;
    up = l[j] >= 0;
    f->face = 2 * j + up;
    for (i = 0; i < 4; i++) {
        int turn = up ? i : 3 - i;
        int id = up << j | (turn % 3 == 0) << (j + 1) % 3 | (turn < 2) << (j + 2) % 3;
        for (k = 0; k < 3; k++)
            q[k] = id >> k & 1 ? g->half[k] : -g->half[k];
        nsci_patch_add(f, nsci_local_point(g, q), id);
    }
}

/* A cap: eight points of the rim that are fixed to the body and, unless it is level, the one
   furthest along d.  Steep, as a coin that rolls on its rim, it is without those within an eighth
   of a turn of that one, which would take turns with it in bearing the coin. */
static void nsci_cap_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f)
{
#define NSCI_EIGHTH NSC_R(0.70710678118654752440)
    static const nsc_real cosine[8] = {1, NSCI_EIGHTH,  0, -NSCI_EIGHTH,
                                       -1, -NSCI_EIGHTH, 0, NSCI_EIGHTH};
#undef NSCI_EIGHTH
    nsc_real up = nsci_dot3(d, g->axes.c[2]) < 0 ? -1 : 1;
    nsc_vec3 x = g->axes.c[0];
    nsc_vec3 y = nsci_mul_sv(up, g->axes.c[1]);
    nsc_vec3 centre = nsci_core(g, up);
    nsc_vec3 low = nsci_across(g, d);
    nsc_real u = nsci_dot3(low, x);
    nsc_real v = nsci_dot3(low, y);
    int i;
    nsc_real tilt = nsci_norm(nsci_cross(d, g->axes.c[2])) / nsci_norm(d);
    f->face = up > 0;
    for (i = 0; i < 8; i++) {
        nsc_real c = cosine[i];
        nsc_real s = cosine[(i + 6) % 8];
        nsc_real c1 = cosine[(i + 1) % 8];
        nsc_real s1 = cosine[(i + 7) % 8];
        if (!(tilt > NSC_R(0.05) && c * u + s * v > cosine[1]))
            nsci_patch_add(f, nsci_add_sv(centre, g->radius, nsci_add_sv(nsci_mul_sv(c, x), s, y)),
                           i);
        if (tilt > NSC_R(1e-4) && c * v - s * u > 0 && u * s1 - v * c1 > 0)
            nsci_patch_add(f, nsci_add_sv(centre, g->radius, low), 8);
    }
}

/* Of the faces at the corner that is furthest along d, the one that faces that way most.  (Where
   corners are sharp, it need not be the one of all that does.) */
static void nsci_hull_patch(const nsci_geom *g, const nsc_hull *h, nsc_vec3 d, nsci_patch *f)
{
    nsc_vec3 local = nsci_mul_mtv(&g->axes, d);
    nsc_real s, most = -NSC_REAL_MAX;
    int i, k, best = 0;
    int top = nsci_furthest(h->vertex, h->vertices, local);
    for (k = 0; k < h->faces; k++) {
        s = nsci_dot3(h->normal[k], local);
        for (i = h->first[k]; s > most && i < h->first[k + 1]; i++)
            if (h->corner[i] == top) {
                most = s;
                best = k;
            }
    }
    f->face = best;
    for (i = h->first[best]; i < h->first[best + 1]; i++)
        nsci_patch_add(f, nsci_hull_vertex(g, h, h->corner[i]), h->corner[i]);
}

/* The polygon of a shape that faces along d; of a round side, the line or point */
NSCI_OWN_FRAME void nsci_find_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f)
{
    nsc_real along = nsci_dot3(d, g->axes.c[2]);
    nsc_vec3 out = nsci_mul_sv(g->radius, nsci_is_cylinder(g) ? nsci_across(g, d) : d);
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int i;
    f->n = 0;
    f->face = -1;
    if (g->kind == NSC_SHAPE_BOX) {
        nsci_box_patch(g, d, f);
    } else if (hull) {
        nsci_hull_patch(g, hull, d, f);
    } else if (nsci_is_triangle(g)) {
        f->face = 0;
        for (i = 0; i < 3; i++)
            nsci_patch_add(f, nsci_add(g->centre, g->axes.c[i]), i);
    } else if (nsci_is_cylinder(g) && along * along > NSC_R(0.5)) {
        nsci_cap_patch(g, d, f);
    } else {
        nsci_patch_add(f, nsci_add(nsci_core(g, -1), out), 32);
        if (g->half[2] > 0)
            nsci_patch_add(f, nsci_add(nsci_core(g, 1), out), 33);
    }
    f->normal = f->face < 0 ? d : nsci_face_normal(g, f->face);
}

/* ---- manifold */

/* Spots with ids from NSCI_CUT on are made by clipping, those with lower ids are corners. */
enum { NSCI_CUT = 64 };

/* Copy a patch to spots, with heights over the reference face */
static int nsci_take_spots(nsci_spot *c, const nsci_patch *f, nsc_vec3 origin, nsc_vec3 normal)
{
    int i;
    for (i = 0; i < f->n; i++) {
        c[i].p = f->p[i];
        c[i].w = nsci_dot3(nsci_sub(f->p[i], origin), normal);
        c[i].id = f->id[i];
        c[i].edge = f->id[i];
    }
    return f->n;
}

/* Point on the edge from p to q, at the share t of its length from p */
static nsci_spot nsci_between(const nsci_spot *p, const nsci_spot *q, nsc_real t)
{
    nsci_spot c = *p;
    c.p = nsci_add_sv(p->p, t, nsci_sub(q->p, p->p));
    c.w = p->w + t * (q->w - p->w);
    return c;
}

/* Clip by side m of a face, whose inside is (p - at) . out <= bound; otherwise like nsci_clip.
   Two spots are a line. */
static int nsci_clip_spots(nsci_spot *c, int n, int m, nsc_vec3 at, nsc_vec3 out, nsc_real bound)
{
    nsci_spot first = c[0];
    nsci_spot a = first;
    nsci_spot b;
    int i, count = 0;
    for (i = 0; i < n; i++, a = b) {
        nsc_real da, db;
        b = i + 1 < n ? c[i + 1] : first;
        da = nsci_dot3(nsci_sub(a.p, at), out) - bound;
        db = nsci_dot3(nsci_sub(b.p, at), out) - bound;
        if (da <= 0 && count < NSCI_SPOTS)
            c[count++] = a;
        if ((da <= 0) == (db <= 0) || count > i + 1 || count >= NSCI_SPOTS)
            continue;
        if (n < 3 && i + 1 == n)
            continue;
        c[count] = nsci_between(&a, &b, da / (da - db));
        c[count].id = (uint16_t)(NSCI_CUT + 48 * a.edge + m);
        c[count].edge = (uint16_t)(da <= 0 ? 48 + m : a.edge);
        count++;
    }
    return count;
}

/* Clip spots by all sides of a polygonal face, moved out by `bound` [m] */
static int nsci_clip_by_polygon(nsci_spot *c, int n, const nsci_patch *f, nsc_real bound)
{
    int m;
    for (m = 0; m < f->n && n > 0; m++) {
        nsc_vec3 e = nsci_sub(f->p[nsci_next(f, m)], f->p[m]);
        nsc_vec3 out = nsci_cross(e, f->normal);
        n = nsci_clip_spots(c, n, m, f->p[m], nsci_unit(out, out), bound);
    }
    return n;
}

/* Where the edge from p to q crosses the rim of a disc around `at`: up to two spots */
static int nsci_cut_by_disc(nsci_spot *c, int n, const nsci_spot *p, const nsci_spot *q,
                            nsc_vec3 at, nsc_vec3 axis, nsc_real r)
{
    nsc_vec3 d = nsci_without(nsci_sub(p->p, at), axis);
    nsc_vec3 e = nsci_without(nsci_sub(q->p, p->p), axis);
    nsc_real A = nsci_dot3(e, e);
    nsc_real B = nsci_dot3(d, e);
    nsc_real C = nsci_dot3(d, d) - r * r;
    nsc_real root = B * B - A * C;
    int k;
    if (!(A > 0) || !(root > 0))
        return n;
    root = NSC_SQRT(root);
    for (k = 0; k < 2; k++) {
        nsc_real t = ((k ? root : -root) - B) / A;
        if (!(t > 0 && t < 1) || n >= NSCI_SPOTS)
            continue;
        c[n] = nsci_between(p, q, t);
        c[n++].id = (uint16_t)(NSCI_CUT + 2 * p->edge + k);
    }
    return n;
}

/* Add the cap's rim points that lie over a polygon, at its height */
static int nsci_rim_over(nsci_spot *c, int n, const nsci_patch *cap, const nsci_patch *f)
{
    nsc_real slope = nsci_dot3(cap->normal, f->normal);
    int i, m, in;
    if (f->n < 3 || nsci_abs(slope) < NSC_R(0.1))
        return n;
    for (i = 0; i < cap->n && n < NSCI_SPOTS; i++) {
        c[n].w = nsci_dot3(nsci_sub(f->p[0], cap->p[i]), f->normal) / slope;
        c[n].p = nsci_add_sv(cap->p[i], c[n].w, cap->normal);
        for (m = 0, in = 1; m < f->n; m++) {
            nsc_vec3 e = nsci_sub(f->p[nsci_next(f, m)], f->p[m]);
            in &= nsci_dot3(nsci_cross(e, nsci_sub(c[n].p, f->p[m])), f->normal) >= 0;
        }
        if (!in)
            continue;
        c[n].edge = cap->id[i];
        c[n++].id = (uint16_t)(512 + cap->id[i]);
    }
    return n;
}

/* Clip a patch by a cap: corners and edges inside the disc, and the rim inside the patch */
static int nsci_clip_by_cap(nsci_spot *c, const nsci_geom *g, const nsci_patch *cap,
                            const nsci_patch *f, nsc_real size)
{
    nsc_vec3 at = nsci_add_sv(g->centre, g->half[2], cap->normal);
    nsc_real reach = g->radius + NSC_R(1e-3) * size;
    nsci_spot p, q;
    int i, n = 0;
    for (i = 0; i < f->n; i++) {
        nsc_vec3 d = nsci_sub(f->p[i], at);
        q.p = f->p[nsci_next(f, i)];
        q.w = nsci_dot3(nsci_sub(q.p, at), cap->normal);
        p.p = f->p[i];
        p.w = nsci_dot3(d, cap->normal);
        p.id = p.edge = f->id[i];
        d = nsci_add_sv(d, -p.w, cap->normal);
        if (nsci_dot3(d, d) <= reach * reach && n < NSCI_SPOTS)
            c[n++] = p;
        if (i + 1 < f->n || f->n > 2)
            n = nsci_cut_by_disc(c, n, &p, &q, at, cap->normal, g->radius);
    }
    return nsci_rim_over(c, n, cap, f);
}

/* The spot furthest from `from` along the face, or with `side` (unit) furthest that way.  One that
   touches, w <= low, counts as four times as far, or others would stand for it; what is higher than
   `from` for nothing at a slope of 1/8.  The first of equals within a thousandth; `from` if there
   is none. */
static int nsci_furthest_spot(const nsci_spot *c, int n, int from, nsc_real low,
                              const nsc_vec3 *side)
{
    nsc_real most = -NSC_REAL_MAX;
    int i, best = from;
    for (i = 0; i < n; i++) {
        nsc_vec3 d = nsci_sub(c[i].p, c[from].p);
        nsc_real up = c[i].w - c[from].w;
        nsc_real along = side ? nsci_dot3(d, *side) : 0;
        nsc_real far = side ? along * along : nsci_dot3(d, d) - up * up;
        nsc_real s = far;
        if (along < 0 || far <= up * up)
            continue;
        if (c[i].w <= low)
            s *= 16;
        else if (up > 0)
            s -= 64 * up * up;
        if (s > most + NSC_R(1e-3) * nsci_abs(most)) {
            most = s;
            best = i;
        }
    }
    return best;
}

/* Choose up to four spots: the deepest, the one furthest from it, and the widest to either side of
   that line; rather such as touch, w <= low [m].  The first of equals, so that rounding does not
   shuffle them.  Returns how many. */
NSCI_OWN_FRAME int nsci_spread(const nsci_spot *c, int n, nsc_vec3 normal, nsc_real low,
                               int *pick)
{
    nsc_real level, length;
    nsc_vec3 side;
    int i, k, count = 2, deepest = 0;
    for (i = 1; i < n; i++)
        if (c[i].w < c[deepest].w)
            deepest = i;
    k = nsci_furthest_spot(c, n, deepest, low, NULL);
    level = c[deepest].w + NSC_R(3e-5) * nsci_norm(nsci_sub(c[k].p, c[deepest].p));
    for (i = 0; i < deepest && c[i].w > level; i++) {
    }
    pick[0] = i;
    pick[1] = nsci_furthest_spot(c, n, i, low, NULL);
    k = nsci_furthest_spot(c, n, pick[1], low, NULL);
    if (c[k].w <= level)
        pick[0] = k;
    if (pick[0] == pick[1])
        return 1;
    side = nsci_cross(normal, nsci_sub(c[pick[1]].p, c[pick[0]].p));
    length = nsci_norm(side);
    side = nsci_unit(side, normal);
    for (i = 0; i < 2; i++, side = nsci_neg(side)) {
        k = nsci_furthest_spot(c, n, pick[0], low, &side);
        if (nsci_dot3(nsci_sub(c[k].p, c[pick[0]].p), side) > NSC_R(1e-3) * length)
            pick[count++] = k;
    }
    return count;
}

static int nsci_is_picked(const int *pick, int count, int i)
{
    int k;
    for (k = 0; k < count && pick[k] != i; k++) {
    }
    return k < count;
}

/* Keep spots with w <= distance, at most four of them.  Returns how many. */
static int nsci_thin_spots(nsci_spot *c, int n, nsc_vec3 normal, nsc_real distance)
{
    int i, count, kept = 0, pick[4];
    for (i = 0; i < n; i++)
        if (c[i].w <= distance)
            c[kept++] = c[i];
    if (kept <= NSC_MANIFOLD)
        return kept;
    count = nsci_spread(c, kept, normal, distance / 16, pick);
    for (i = 0, n = 0; i < kept; i++)
        if (nsci_is_picked(pick, count, i))
            c[n++] = c[i];
    return n;
}

/* The spots over the reference face, that of shape way->side, whose sides are moved out by `bound`
   [m].  Returns how many. */
static int nsci_face_spots(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                           const nsci_way *way, nsc_real bound)
{
    const nsci_patch *f = &x->use.clip.patch[way->side];
    const nsci_patch *other = &x->use.clip.patch[!way->side];
    const nsci_geom *g = way->side ? b : a;
    nsci_spot *c = x->use.clip.spots;
    nsc_vec3 normal = way->side ? nsci_neg(way->n) : way->n;
    if (nsci_is_cylinder(g))
        return nsci_clip_by_cap(c, g, f, other, way->size);
    return nsci_clip_by_polygon(c, nsci_take_spots(c, other, f->p[0], normal), f, bound);
}

/* Contacts of n spots over the reference face */
NSCI_OWN_FRAME int nsci_spot_contacts(nsci_convex_scratch *x, int n, const nsci_way *way,
                                      nsc_real distance, nsci_point *out)
{
    nsci_spot *c = x->use.clip.spots;
    nsc_vec3 normal = way->side ? nsci_neg(way->n) : way->n;
    uint32_t base = (uint32_t)way->side << 27 |
                    (uint32_t)(x->use.clip.patch[way->side].face + 1) << 20 |
                    (uint32_t)(x->use.clip.patch[!way->side].face + 1) << 13;
    int i, kept = 0;
    n = nsci_thin_spots(c, n, normal, distance);
    for (i = 0; i < n; i++) {
        nsc_vec3 on_a = way->side ? c[i].p : nsci_add_sv(c[i].p, -c[i].w, normal);
        kept = nsci_put(out, kept, on_a, way->n, c[i].w, distance, base | (uint32_t)c[i].id);
    }
    return nsci_go_across(out, kept);
}

/* The edge of a patch that is furthest along d: its middle and half of it.  0 if there is none. */
static int nsci_lowest_edge(const nsci_geom *g, const nsci_patch *f, nsc_vec3 d, nsc_vec3 *middle,
                            nsc_vec3 *half)
{
    nsc_real best = -NSC_REAL_MAX;
    int i, k, found = 0;
    if (f->n < 2 || (f->n > 2 && nsci_is_cylinder(g)))
        return 0;
    for (i = 0; i < f->n; i++) {
        nsc_real s = nsci_min(nsci_dot3(f->p[i], d), nsci_dot3(f->p[nsci_next(f, i)], d));
        if (s > best) {
            best = s;
            found = i;
        }
    }
    k = nsci_next(f, found);
    *middle = nsci_mul_sv(NSC_R(0.5), nsci_add(f->p[found], f->p[k]));
    *half = nsci_mul_sv(NSC_R(0.5), nsci_sub(f->p[k], f->p[found]));
    return 1;
}

/* Parallel edges side by side: contacts at the ends of their overlap.  Returns 0 if they are
   not. */
static int nsci_line_contacts(const nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                              const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_vec3 p, q, u, v, on_a, d;
    nsc_real uu, uv, vv, lo, hi, e, gap;
    nsc_real thin = NSC_R(0.02) * way->size;
    int i, n = 0;
    if (!nsci_lowest_edge(a, &x->use.clip.patch[0], way->n, &p, &u) ||
        !nsci_lowest_edge(b, &x->use.clip.patch[1], nsci_neg(way->n), &q, &v))
        return 0;
    uu = nsci_dot3(u, u);
    vv = nsci_dot3(v, v);
    uv = nsci_dot3(u, v);
    if (!(uv * uv > NSC_R(0.999) * uu * vv))
        return 0;
    e = nsci_abs(uv) / uu;
    lo = nsci_dot3(nsci_sub(q, p), u) / uu;
    hi = nsci_min(lo + e, 1);
    lo = nsci_max(lo - e, -1);
    if (hi - lo < NSC_R(1e-3))
        return 0;
    for (i = 0; i < 2; i++) {
        on_a = nsci_add_sv(p, i ? hi : lo, u);
        e = nsci_clamp(nsci_dot3(nsci_sub(on_a, q), v) / vv, -1, 1);
        d = nsci_sub(nsci_add_sv(q, e, v), on_a);
        gap = nsci_dot3(d, way->n);
        d = nsci_add_sv(d, -gap, way->n);
        if (nsci_norm(d) > thin || gap < way->s - thin)
            return 0;
        n = nsci_put(out, n, nsci_add_sv(on_a, NSC_R(0.5), d), way->n, gap, distance,
                     UINT32_C(0x10000000) | (uint32_t)i);
    }
    return n;
}

/* One contact, midway between the nearest points.  If a is round, it is b's point; and the normal
   is the line between the cores where that separates more: the way is then that of a face which
   ends before it. */
static int nsci_point_contact(const nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                              const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_real r = nsci_rounding(a);
    nsc_vec3 p = nsci_add_sv(x->near_a, r, way->n);
    nsc_vec3 d = nsci_sub(x->near_b, x->near_a);
    nsc_vec3 n = nsci_unit(d, way->n);
    nsc_real s = r > 0 ? nsci_gap(a, b, n) : way->s;
    if (!(s > way->s)) {
        n = way->n;
        s = way->s;
    }
    d = nsci_add_sv(x->near_b, -s, n);
    p = r > 0 ? d : nsci_mul_sv(NSC_R(0.5), nsci_add(p, d));
    return nsci_put(out, 0, p, n, s, distance, UINT32_C(0x10000002));
}

#if NSC_BARRIER
static int nsci_exact_points(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             const nsci_way *way, nsc_real distance, nsci_point *out);
#else
#define nsci_exact_points(x, a, b, way, distance, out) 0
#endif

/* Contacts along a direction.  If clipping loses the deepest point (a face normal may only be close
   to the true direction), it is put back. */
static int nsci_patch_points(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_real least = NSC_REAL_MAX;
    int i, n, last = 0;
    if (NSCI_EXACT(x))
        return nsci_exact_points(x, a, b, way, distance, out);
    if (a->kind == NSC_SHAPE_SPHERE) /* one point, the same by whatever way it was found */
        return nsci_put(out, 0, nsci_add_sv(a->centre, a->radius, way->n), way->n, way->s,
                        distance, UINT32_C(0x10000002));
    nsci_find_patch(a, way->n, &x->use.clip.patch[0]);
    nsci_find_patch(b, nsci_neg(way->n), &x->use.clip.patch[1]);
    if (way->side >= 0)
        n = nsci_spot_contacts(x, nsci_face_spots(x, a, b, way, 0), way, distance, out);
    else
        n = nsci_line_contacts(x, a, b, way, distance, out);
    for (i = 0; i < n; i++) {
        least = nsci_min(least, out[i].gap);
        if (out[i].gap > out[last].gap)
            last = i;
    }
    if (least <= way->s + NSC_R(5e-5) * way->size)
        return n;
    if (n < NSC_MANIFOLD)
        return n + nsci_point_contact(x, a, b, way, distance, out + n);
    nsci_point_contact(x, a, b, way, distance, out + last);
    return n;
}

/* Contacts of two convex shapes.  Both are moved, a to the origin, and put back. */
static int nsci_convex(nsci_convex_scratch *x, nsci_geom *a, nsci_geom *b, nsc_real distance,
                       nsci_point *out)
{
    nsc_vec3 origin = a->centre;
    nsc_vec3 home = b->centre;
    nsci_way way;
    int i, n = 0;
    a->centre = nsci_vec(0, 0, 0);
    b->centre = nsci_sub(home, origin);
    if (nsci_find_way(x, a, b, distance, &way))
        n = nsci_patch_points(x, a, b, &way, distance, out);
    a->centre = origin;
    b->centre = home;
    for (i = 0; i < n; i++)
        out[i].point = nsci_add(origin, out[i].point);
    return n;
}

/* Cylinder or hull over a half-space: up to four of its points */
static int nsci_convex_plane(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             nsc_real distance, nsci_point *out)
{
    nsc_vec3 up = b->axes.c[2];
    nsc_vec3 down = nsci_neg(up);
    nsci_spot *c = x->use.clip.spots;
    const nsc_hull *hull = NSCI_HULL_OF(a);
    int i, n = 0, kept = 0;
    for (i = 0; hull && i < hull->vertices; i++) {
        c[n].p = nsci_hull_vertex(a, hull, i);
        c[n].w = nsci_dot3(nsci_sub(c[n].p, b->centre), up);
        c[n++].id = (uint16_t)i;
    }
    if (nsci_is_cylinder(a)) {
        nsci_find_patch(a, down, &x->use.clip.patch[0]);
        n = nsci_take_spots(c, &x->use.clip.patch[0], b->centre, up);
    }
    n = nsci_thin_spots(c, n, up, distance);
    for (i = 0; i < n; i++)
        kept = nsci_put(out, kept, c[i].p, down, c[i].w, distance, (uint32_t)c[i].id);
    return kept;
}

/* The point that is `rim` from p across the axis of a cylinder, on the side of the normal */
static nsc_vec3 nsci_on_axis(nsc_vec3 p, nsc_real rim, nsc_vec3 normal, nsc_vec3 axis)
{
    nsc_vec3 across;
    nsc_real square;
    if (nsci_abs(rim) <= 0)
        return p;
    across = nsci_add_sv(normal, -nsci_dot3(normal, axis), axis);
    square = nsci_dot3(across, across);
    return square > NSC_R(4e-4) ? nsci_add_sv(p, rim / NSC_SQRT(square), across) : p;
}

/* Radius of a cylinder that touches at p with its side or rim, where the normal outward is given:
   it rolls on and does not go with the material.  Else 0.  *axis: its direction */
static nsc_real nsci_rim_of(const nsc_world *w, nsc_id shape, nsc_vec3 normal, nsc_vec3 p,
                            nsc_vec3 *axis)
{
    const nsc_shape *own = &w->shapes[nsci_rank(shape) - 1];
    nsci_geom g;
    if (own->def.kind != NSC_SHAPE_CYLINDER)
        return 0;
    nsci_place_shape(w, own, &g);
    *axis = g.axes.c[2];
    p = nsci_sub(nsci_on_axis(p, -g.radius, normal, *axis), g.centre);
    p = nsci_add_sv(p, -nsci_dot3(p, *axis), *axis); /* from the axis */
    return nsci_dot3(p, p) < NSC_R(1e-3) * g.radius * g.radius ? g.radius : 0;
}

static int nsci_is_convex(int kind)
{
    return (NSC_CONVEX && kind == NSC_SHAPE_CYLINDER) ||
           (NSCI_HULLS && kind == NSC_SHAPE_HULL);
}

/* Contact points of a cylinder or hull with another shape */
static int nsci_collide_convex(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance)
{
    nsci_finding *find = &w->scratch.find;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_convex_plane(&find->convex, a, b, distance, find->points);
    return nsci_convex(&find->convex, a, b, distance, find->points);
}

#endif
