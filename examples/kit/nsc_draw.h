/* nsc_draw.h - v0.1.0 - an nsc world as lines, points and triangles
   MIT licence at the end of the file.  Needs nsc.h, which it includes.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_draw.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too: with
   NSC_STATIC all functions are static, and the capacities must be the same in every file.

   EXAMPLE
       static void line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
       {
           ...                                         your graphics; from->colour, from->body
       }

       nsc_draw draw = {0};
       draw.line = line;
       draw.force_scale = 0.001f;
       nsc_world_draw(&world, &draw, NSC_DRAW_ALL);

   Everything is in the world frame, in metres.  Nothing is stored and nothing is allocated.  Built
   with -ffp-contract=off, the same world gives the same bits on every machine. */
#ifndef NSC_KIT_DRAW_H
#define NSC_KIT_DRAW_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What to draw.  NSC_DRAW_ALL is all lines and points; triangles are asked for by name. */
enum {
    NSC_DRAW_SHAPES = 1,         /* lines: outlines of shapes, also of disabled bodies */
    NSC_DRAW_CONTACTS = 2,       /* points; lines: normals and forces of the last step */
    NSC_DRAW_JOINTS = 4,         /* points and lines: frames, anchors and axes of joints; springs;
                                    rows of your own (nsc_rows.h) are not known here */
    NSC_DRAW_AXES = 8,           /* lines: frames of bodies, at their centres of mass */
    NSC_DRAW_BOUNDS = 16,        /* lines: boxes around shapes, along the world's axes */
    NSC_DRAW_ALL = 31,
    NSC_DRAW_TRIANGLES = 32      /* triangles: surfaces of shapes */
};

enum {
    NSC_COLOUR_STATIC = 1, NSC_COLOUR_AWAKE = 2, NSC_COLOUR_ASLEEP = 3, NSC_COLOUR_SENSOR = 4,
    NSC_COLOUR_CONTACT = 5, NSC_COLOUR_FORCE = 6, NSC_COLOUR_JOINT = 7,
    NSC_COLOUR_X = 8, NSC_COLOUR_Y = 9, NSC_COLOUR_Z = 10
};

/* What a line, point or triangle belongs to; valid during the callback */
typedef struct nsc_draw_from {
    nsc_id body;                 /* of contacts, joints and springs: body b, which receives the
                                    force that is drawn */
    nsc_id shape;                /* of a contact: shape b; negative: of no shape */
    int colour;                  /* NSC_COLOUR_* */
} nsc_draw_from;

/* Callbacks; NULL leaves out what it would get.  They may read the world.  A callback that changes
   it is not found out: what is drawn after that, is undefined. */
typedef struct nsc_draw {
    void *user;                  /* passed to the callbacks */
    void (*line)(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from);
    void (*point)(void *user, nsc_vec3 at, const nsc_draw_from *from);
    /* Corners counter-clockwise seen from outside; normal: outward unit, one for all triangles of a
       flat face.  Bounded shapes are closed: neighbours share the very same corners.  Read only
       with NSC_DRAW_TRIANGLES.  A sphere has 528 triangles, a capsule 576, a cylinder 96, a box 12,
       a half-space 2, a height field 2 for each cell. */
    void (*triangle)(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 normal,
                     const nsc_draw_from *from);
    nsc_real force_scale;        /* length of contact forces [m/N], any sign; usual 0.001 */
} nsc_draw;

/* Call back with the lines, points and triangles of `what`, a sum of NSC_DRAW_*.  Returns 0,
   NSC_ERR_ARGUMENT (NULL, what, force_scale), or NSC_ERR_NOT_FINITE where lines, points and
   triangles not finite were left out.  May be called from the callbacks of a step, where bodies
   stand as the step has moved them so far.  Cost: contacts and joints times shapes. */
NSC_API int nsc_world_draw(const nsc_world *world, const nsc_draw *draw, int what);

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_DRAW_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_DRAW_DONE)
#define NSC_DRAW_DONE

#ifdef __cplusplus
extern "C" {
#endif

/* ---- vectors */

static nsc_vec3 nsci_draw_vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static nsc_vec3 nsci_draw_scale(nsc_real s, nsc_vec3 v)
{
    return nsci_draw_vec(s * v.x, s * v.y, s * v.z);
}

/* a + s b */
static nsc_vec3 nsci_draw_add(nsc_vec3 a, nsc_real s, nsc_vec3 b)
{
    return nsci_draw_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static nsc_real nsci_draw_length(nsc_vec3 v)
{
    return NSC_SQRT(v.x * v.x + v.y * v.y + v.z * v.z);
}

static nsc_real nsci_draw_larger(nsc_real a, nsc_real b) { return a > b ? a : b; }
static nsc_real nsci_draw_abs(nsc_real x) { return x < 0 ? -x : x; }

static int nsci_draw_finite(nsc_vec3 v)
{
    return nsci_draw_abs(v.x) <= NSC_REAL_MAX && nsci_draw_abs(v.y) <= NSC_REAL_MAX &&
           nsci_draw_abs(v.z) <= NSC_REAL_MAX;
}

/* A frame in the world */
typedef struct nsci_draw_frame {
    nsc_vec3 origin;
    nsc_vec3 axis[3];
} nsci_draw_frame;

/* A direction of the frame, in the world */
static nsc_vec3 nsci_draw_turn(const nsci_draw_frame *f, nsc_vec3 v)
{
    const nsc_vec3 *c = f->axis;
    return nsci_draw_vec(c[0].x * v.x + c[1].x * v.y + c[2].x * v.z,
                         c[0].y * v.x + c[1].y * v.y + c[2].y * v.z,
                         c[0].z * v.x + c[1].z * v.y + c[2].z * v.z);
}

/* A point of the frame, in the world */
static nsc_vec3 nsci_draw_at(const nsci_draw_frame *f, nsc_vec3 v)
{
    return nsci_draw_add(f->origin, 1, nsci_draw_turn(f, v));
}

static nsci_draw_frame nsci_draw_pose(nsc_vec3 origin, nsc_quat q)
{
    nsci_draw_frame f;
    nsc_real one = 1, two = 2 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    f.origin = origin;
    f.axis[0] = nsci_draw_vec(one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z),
                              two * (q.x * q.z - q.w * q.y));
    f.axis[1] = nsci_draw_vec(two * (q.x * q.y - q.w * q.z), one - two * (q.x * q.x + q.z * q.z),
                              two * (q.y * q.z + q.w * q.x));
    f.axis[2] = nsci_draw_vec(two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x),
                              one - two * (q.x * q.x + q.y * q.y));
    return f;
}

/* A point of the body, in the world */
static nsc_vec3 nsci_draw_on_body(const nsc_body *b, nsc_vec3 point)
{
    nsci_draw_frame body = nsci_draw_pose(b->position, b->orientation);
    return nsci_draw_at(&body, nsci_draw_add(point, -1, b->centre));
}

/* A frame that is fixed to the body, in the world */
static nsci_draw_frame nsci_draw_place(const nsc_body *b, const nsc_pose *pose)
{
    nsci_draw_frame body = nsci_draw_pose(b->position, b->orientation);
    nsci_draw_frame f = nsci_draw_pose(nsci_draw_on_body(b, pose->position), pose->orientation);
    int k;
    for (k = 0; k < 3; k++)
        f.axis[k] = nsci_draw_turn(&body, f.axis[k]);
    return f;
}

/* Index of a body, 0 for the ground */
static int nsci_draw_body(const nsc_world *w, nsc_id id)
{
    int i;
    for (i = w->body_end - 1; i > 0; i--)
        if (nsc_world_body_at(w, i) == id)
            return i;
    return 0;
}

/* ---- pen */

typedef struct nsci_draw_pen {
    const nsc_draw *draw;
    nsc_draw_from from;
    int code;                /* NSC_ERR_NOT_FINITE once anything was left out */
} nsci_draw_pen;

static void nsci_draw_line(nsci_draw_pen *p, nsc_vec3 start, nsc_vec3 end)
{
    if (!nsci_draw_finite(start) || !nsci_draw_finite(end))
        p->code = NSC_ERR_NOT_FINITE;
    else if (p->draw->line)
        p->draw->line(p->draw->user, start, end, &p->from);
}

static void nsci_draw_point(nsci_draw_pen *p, nsc_vec3 at)
{
    if (!nsci_draw_finite(at))
        p->code = NSC_ERR_NOT_FINITE;
    else if (p->draw->point)
        p->draw->point(p->draw->user, at, &p->from);
}

/* corner: in the world; normal: any length, in frame f */
static void nsci_draw_triangle(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_vec3 *a,
                               const nsc_vec3 *b, const nsc_vec3 *c, nsc_vec3 normal)
{
    nsc_vec3 n = nsci_draw_turn(f, nsci_draw_scale(1 / nsci_draw_length(normal), normal));
    if (!nsci_draw_finite(*a) || !nsci_draw_finite(*b) || !nsci_draw_finite(*c) ||
        !nsci_draw_finite(n))
        p->code = NSC_ERR_NOT_FINITE;
    else if (p->draw->triangle)
        p->draw->triangle(p->draw->user, *a, *b, *c, n, &p->from);
}

/* Two triangles of a flat face with four corners */
static void nsci_draw_quad(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_vec3 *corner,
                           nsc_vec3 normal)
{
    nsci_draw_triangle(p, f, &corner[0], &corner[1], &corner[2], normal);
    nsci_draw_triangle(p, f, &corner[0], &corner[2], &corner[3], normal);
}

/* ---- outlines of shapes */

enum { NSCI_DRAW_ARC = 24 }; /* lines of a full circle */
#define NSCI_DRAW_COS NSC_R(0.96592582628906828675) /* of 15 degrees */
#define NSCI_DRAW_SIN NSC_R(0.25881904510252076235)

/* n / NSCI_DRAW_ARC of a circle (ellipse) from centre + u through centre + v */
static void nsci_draw_arc(nsci_draw_pen *p, nsc_vec3 centre, nsc_vec3 u, nsc_vec3 v, int n)
{
    nsc_vec3 start = nsci_draw_add(centre, 1, u), end;
    nsc_real c = 1, s = 0, next;
    int i;
    for (i = 0; i < n; i++) {
        next = c * NSCI_DRAW_COS - s * NSCI_DRAW_SIN;
        s = c * NSCI_DRAW_SIN + s * NSCI_DRAW_COS;
        c = next;
        end = nsci_draw_add(nsci_draw_add(centre, c, u), s, v);
        nsci_draw_line(p, start, end);
        start = end;
    }
}

static void nsci_draw_sphere(nsci_draw_pen *p, const nsci_draw_frame *f, nsc_real radius)
{
    int k;
    for (k = 0; k < 3; k++)
        nsci_draw_arc(p, f->origin, nsci_draw_scale(radius, f->axis[k]),
                      nsci_draw_scale(radius, f->axis[(k + 1) % 3]), NSCI_DRAW_ARC);
}

/* Capsule and cylinder: a circle at each end, four lines between, half circles over round ends */
static void nsci_draw_rod(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_shape_def *d)
{
    nsc_vec3 up = nsci_draw_scale(d->half.z, f->axis[2]), side[4];
    int end, k;
    side[0] = nsci_draw_scale(d->radius, f->axis[0]);
    side[1] = nsci_draw_scale(d->radius, f->axis[1]);
    side[2] = nsci_draw_scale(-1, side[0]);
    side[3] = nsci_draw_scale(-1, side[1]);
    for (end = -1; end <= 1; end += 2) {
        nsc_vec3 centre = nsci_draw_add(f->origin, (nsc_real)end, up);
        nsci_draw_arc(p, centre, side[0], side[1], NSCI_DRAW_ARC);
        for (k = 0; d->kind == NSC_SHAPE_CAPSULE && k < 2; k++)
            nsci_draw_arc(p, centre, side[k],
                          nsci_draw_scale((nsc_real)end * d->radius, f->axis[2]),
                          NSCI_DRAW_ARC / 2);
    }
    for (k = 0; k < 4; k++) {
        nsc_vec3 middle = nsci_draw_add(f->origin, 1, side[k]);
        nsci_draw_line(p, nsci_draw_add(middle, -1, up), nsci_draw_add(middle, 1, up));
    }
}

/* The twelve edges of a box with half edges x, y, z */
static void nsci_draw_box(nsci_draw_pen *p, nsc_vec3 centre, nsc_vec3 x, nsc_vec3 y, nsc_vec3 z)
{
    nsc_vec3 at, first;
    int i, k;
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 4; i++) {
            at = nsci_draw_add(centre, i & 1 ? 1 : -1, y);
            at = nsci_draw_add(at, i & 2 ? 1 : -1, z);
            nsci_draw_line(p, nsci_draw_add(at, -1, x), nsci_draw_add(at, 1, x));
        }
        first = x;
        x = y;
        y = z;
        z = first;
    }
}

/* Half the edge of the patch that stands for a half-space.  It reaches as far as the bodies, and is
   a power of two [m], so it rarely changes. */
static nsc_real nsci_draw_patch(const nsc_world *w, nsc_vec3 origin)
{
    nsc_real half = 0, edge = NSC_R(0.0009765625);
    int i;
    for (i = 1; i < w->body_end; i++)
        if (w->bodies[i].generation % 2) {
            nsc_vec3 apart = nsci_draw_add(w->bodies[i].position, -1, origin);
            half = nsci_draw_larger(half, nsci_draw_length(apart));
        }
    if (!(half > 0))
        half = 1;
    while (edge < half && edge < NSC_R(1e6))
        edge *= 2;
    return edge;
}

/* A patch of 8 by 8 squares, and the normal */
static void nsci_draw_plane(nsci_draw_pen *p, const nsci_draw_frame *f, nsc_real edge)
{
    nsc_vec3 x = nsci_draw_scale(edge, f->axis[0]), y = nsci_draw_scale(edge, f->axis[1]), o;
    nsc_real t;
    int i;
    o = f->origin;
    for (i = -4; i <= 4; i++) {
        t = (nsc_real)i / 4;
        nsci_draw_line(p, nsci_draw_add(nsci_draw_add(o, -1, x), t, y),
                       nsci_draw_add(nsci_draw_add(o, 1, x), t, y));
        nsci_draw_line(p, nsci_draw_add(nsci_draw_add(o, -1, y), t, x),
                       nsci_draw_add(nsci_draw_add(o, 1, y), t, x));
    }
    nsci_draw_line(p, o, nsci_draw_add(o, NSC_R(0.25) * edge, f->axis[2]));
}

#if NSCI_HULLS
/* Each edge belongs to two faces; the one where its vertex index rises draws it. */
static void nsci_draw_hull(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_hull *hull)
{
    int face, i;
    for (face = 0; face < hull->faces; face++)
        for (i = hull->first[face]; i < hull->first[face + 1]; i++) {
            int last = i + 1 == hull->first[face + 1];
            int a = hull->corner[i], b = hull->corner[last ? hull->first[face] : i + 1];
            if (a < b)
                nsci_draw_line(p, nsci_draw_at(f, hull->vertex[a]),
                               nsci_draw_at(f, hull->vertex[b]));
        }
}

static void nsci_draw_hull_faces(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_hull *hull)
{
    int face, i;
    for (face = 0; face < hull->faces; face++) {
        const uint8_t *corner = hull->corner + hull->first[face];
        int n = hull->first[face + 1] - hull->first[face];
        nsc_vec3 a = nsci_draw_at(f, hull->vertex[corner[0]]);
        for (i = 1; i + 1 < n; i++) {
            nsc_vec3 b = nsci_draw_at(f, hull->vertex[corner[i]]);
            nsc_vec3 c = nsci_draw_at(f, hull->vertex[corner[i + 1]]);
            nsci_draw_triangle(p, f, &a, &b, &c, hull->normal[face]);
        }
    }
}
#endif

#if NSC_TERRAIN
static nsc_real nsci_draw_height(const nsc_heights *t, int i, int j)
{
    return t->height[j * t->nx + i];
}

static nsc_vec3 nsci_draw_sample(const nsci_draw_frame *f, const nsc_heights *t, int i, int j)
{
    nsc_real x = ((nsc_real)i - NSC_R(0.5) * (nsc_real)(t->nx - 1)) * t->dx;
    nsc_real y = ((nsc_real)j - NSC_R(0.5) * (nsc_real)(t->ny - 1)) * t->dy;
    return nsci_draw_at(f, nsci_draw_vec(x, y, nsci_draw_height(t, i, j)));
}

static void nsci_draw_field(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_heights *t)
{
    int i, j;
    for (j = 0; j < t->ny; j++)
        for (i = 0; i < t->nx; i++) {
            nsc_vec3 at = nsci_draw_sample(f, t, i, j);
            if (i + 1 < t->nx)
                nsci_draw_line(p, at, nsci_draw_sample(f, t, i + 1, j));
            if (j + 1 < t->ny)
                nsci_draw_line(p, at, nsci_draw_sample(f, t, i, j + 1));
        }
}

/* The two triangles of each cell, as nsc_field cuts it */
static void nsci_draw_field_faces(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_heights *t)
{
    int i, j;
    for (j = 0; j + 1 < t->ny; j++)
        for (i = 0; i + 1 < t->nx; i++) {
            nsc_vec3 a = nsci_draw_sample(f, t, i, j), b = nsci_draw_sample(f, t, i + 1, j);
            nsc_vec3 c = nsci_draw_sample(f, t, i + 1, j + 1);
            nsc_vec3 d = nsci_draw_sample(f, t, i, j + 1);
            nsc_real low = nsci_draw_height(t, i, j), high = nsci_draw_height(t, i + 1, j + 1);
            nsc_real right = nsci_draw_height(t, i + 1, j), left = nsci_draw_height(t, i, j + 1);
            nsci_draw_triangle(p, f, &a, &b, &c,
                               nsci_draw_vec((low - right) / t->dx, (right - high) / t->dy, 1));
            nsci_draw_triangle(p, f, &a, &c, &d,
                               nsci_draw_vec((left - high) / t->dx, (low - left) / t->dy, 1));
        }
}
#endif

#if NSC_MESHES
static nsc_vec3 nsci_draw_corner(const nsci_draw_frame *f, const nsc_mesh *m,
                                 const nsc_mesh_triangle *t, int k)
{
    const nsc_mesh_vertex *v = &m->vertex[t->corner[k]];
    return nsci_draw_at(f, nsci_draw_vec((nsc_real)v->x, (nsc_real)v->y, (nsc_real)v->z));
}

/* Every edge once: an inner one with the triangle of the lower index */
static void nsci_draw_mesh(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_mesh *m)
{
    int32_t i;
    int k;
    for (i = 0; i < m->triangles; i++) {
        const nsc_mesh_triangle *t = &m->triangle[i];
        for (k = 0; k < 3; k++)
            if (i < t->beyond[k])
                nsci_draw_line(p, nsci_draw_corner(f, m, t, k),
                               nsci_draw_corner(f, m, t, (k + 1) % 3));
    }
}

static void nsci_draw_mesh_faces(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_mesh *m)
{
    int32_t i;
    for (i = 0; i < m->triangles; i++) {
        const nsc_mesh_vertex *u = &m->vertex[m->triangle[i].corner[0]];
        const nsc_mesh_vertex *v = &m->vertex[m->triangle[i].corner[1]];
        const nsc_mesh_vertex *w = &m->vertex[m->triangle[i].corner[2]];
        nsc_vec3 a = nsci_draw_corner(f, m, &m->triangle[i], 0);
        nsc_vec3 b = nsci_draw_corner(f, m, &m->triangle[i], 1);
        nsc_vec3 c = nsci_draw_corner(f, m, &m->triangle[i], 2);
        nsc_vec3 d = nsci_draw_vec((nsc_real)(v->x - u->x), (nsc_real)(v->y - u->y),
                                   (nsc_real)(v->z - u->z));
        nsc_vec3 e = nsci_draw_vec((nsc_real)(w->x - u->x), (nsc_real)(w->y - u->y),
                                   (nsc_real)(w->z - u->z));
        nsci_draw_triangle(p, f, &a, &b, &c,
                           nsci_draw_vec(d.y * e.z - d.z * e.y, d.z * e.x - d.x * e.z,
                                         d.x * e.y - d.y * e.x));
    }
}
#endif

/* ---- surfaces of shapes */

/* Cosine of k times 15 degrees, k >= 0.  The sine is the cosine of k + 18.  From a table, so that
   the end of a circle is its beginning. */
static nsc_real nsci_draw_cos(int k)
{
    static const nsc_real table[7] = {
        1, NSCI_DRAW_COS, NSC_R(0.86602540378443864676), NSC_R(0.70710678118654752440),
        NSC_R(0.5), NSCI_DRAW_SIN, 0
    };
    k %= NSCI_DRAW_ARC;
    if (k > 12)
        k = NSCI_DRAW_ARC - k;
    return k <= 6 ? table[k] : -table[12 - k];
}

/* Point k of the profile that makes a shape when it is turned about z: at the distance
   radius * across from the axis, and the height radius * along + half.z * end */
typedef struct nsci_draw_profile {
    nsc_real across, along, end;
} nsci_draw_profile;

static nsci_draw_profile nsci_draw_profile_at(int kind, int k)
{
    nsci_draw_profile at;
    if (kind == NSC_SHAPE_CYLINDER) {
        at.across = k == 1 || k == 2 ? 1 : 0;
        at.along = 0;
        at.end = k < 2 ? -1 : 1;
    } else {
        int angle = k < 7 ? k : k - 1; /* from the lower pole; the equator comes twice */
        at.across = nsci_draw_cos(angle + 18);
        at.along = nsci_draw_cos(angle + 12);
        at.end = k < 7 ? -1 : 1;
    }
    return at;
}

/* Point j of the circle that a point of the profile makes */
static nsc_vec3 nsci_draw_ring(const nsci_draw_frame *f, const nsc_shape_def *d,
                               const nsci_draw_profile *at, int j)
{
    nsc_real r = d->radius * at->across, half = d->kind == NSC_SHAPE_SPHERE ? 0 : d->half.z;
    return nsci_draw_at(f, nsci_draw_vec(r * nsci_draw_cos(j), r * nsci_draw_cos(j + 18),
                                         d->radius * at->along + half * at->end));
}

/* Sphere, capsule and cylinder, band by band from the lower end */
static void nsci_draw_turned(nsci_draw_pen *p, const nsci_draw_frame *f, const nsc_shape_def *d)
{
    int last = d->kind == NSC_SHAPE_CYLINDER ? 3 : 13, k, j;
    for (k = 0; k < last; k++) {
        nsci_draw_profile low = nsci_draw_profile_at(d->kind, k);
        nsci_draw_profile high = nsci_draw_profile_at(d->kind, k + 1);
        nsc_real out = high.across - low.across;
        nsc_real up = high.along - low.along + (high.end - low.end);
        if (d->kind == NSC_SHAPE_SPHERE && k == 6)
            continue;
        for (j = 0; j < NSCI_DRAW_ARC; j++) {
            nsc_vec3 corner[4], normal;
            corner[0] = nsci_draw_ring(f, d, &low, j);
            corner[1] = nsci_draw_ring(f, d, &low, j + 1);
            corner[2] = nsci_draw_ring(f, d, &high, j + 1);
            corner[3] = nsci_draw_ring(f, d, &high, j);
            /* The middle of a chord is cos 7.5 degrees from the axis, and twice the square of that
               is 1 + cos 15 degrees. */
            normal = nsci_draw_vec(up * (nsci_draw_cos(j) + nsci_draw_cos(j + 1)),
                                   up * (nsci_draw_cos(j + 18) + nsci_draw_cos(j + 19)),
                                   -out * (1 + NSCI_DRAW_COS));
            if (low.across > 0)
                nsci_draw_triangle(p, f, &corner[0], &corner[1], &corner[2], normal);
            if (high.across > 0)
                nsci_draw_triangle(p, f, &corner[0], &corner[2], &corner[3], normal);
        }
    }
}

static void nsci_draw_box_faces(nsci_draw_pen *p, const nsci_draw_frame *f, nsc_vec3 half)
{
    /* Corners by face; bit 0 of a corner is the side along x, 1 along y, 2 along z. */
    static const uint8_t faces[6][4] = {
        {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}
    };
    int i, k;
    for (i = 0; i < 6; i++) {
        nsc_real side = i & 1 ? 1 : -1;
        nsc_vec3 corner[4];
        for (k = 0; k < 4; k++) {
            int at = faces[i][k];
            corner[k] = nsci_draw_at(f, nsci_draw_vec(at & 1 ? half.x : -half.x,
                                                      at & 2 ? half.y : -half.y,
                                                      at & 4 ? half.z : -half.z));
        }
        nsci_draw_quad(p, f, corner,
                       nsci_draw_vec(i / 2 == 0 ? side : 0, i / 2 == 1 ? side : 0,
                                     i / 2 == 2 ? side : 0));
    }
}

static void nsci_draw_plane_faces(nsci_draw_pen *p, const nsci_draw_frame *f, nsc_real edge)
{
    nsc_vec3 corner[4];
    corner[0] = nsci_draw_at(f, nsci_draw_vec(-edge, -edge, 0));
    corner[1] = nsci_draw_at(f, nsci_draw_vec(edge, -edge, 0));
    corner[2] = nsci_draw_at(f, nsci_draw_vec(edge, edge, 0));
    corner[3] = nsci_draw_at(f, nsci_draw_vec(-edge, edge, 0));
    nsci_draw_quad(p, f, corner, nsci_draw_vec(0, 0, 1));
}

/* ---- shapes */

static void nsci_draw_outline(nsci_draw_pen *p, const nsc_world *w, const nsc_shape *s,
                              const nsci_draw_frame *f)
{
    const nsc_shape_def *d = &s->def;
    if (d->kind == NSC_SHAPE_SPHERE)
        nsci_draw_sphere(p, f, d->radius);
    if (d->kind == NSC_SHAPE_CAPSULE || d->kind == NSC_SHAPE_CYLINDER)
        nsci_draw_rod(p, f, d);
    if (d->kind == NSC_SHAPE_BOX)
        nsci_draw_box(p, f->origin, nsci_draw_scale(d->half.x, f->axis[0]),
                      nsci_draw_scale(d->half.y, f->axis[1]),
                      nsci_draw_scale(d->half.z, f->axis[2]));
    if (d->kind == NSC_SHAPE_HALF_SPACE)
        nsci_draw_plane(p, f, nsci_draw_patch(w, f->origin));
#if NSCI_HULLS
    if (d->kind == NSC_SHAPE_HULL)
        nsci_draw_hull(p, f, w->hulls[s->data]);
#endif
#if NSC_TERRAIN
    if (d->kind == NSC_SHAPE_HEIGHT_FIELD)
        nsci_draw_field(p, f, w->fields[s->data]);
#endif
#if NSC_MESHES
    if (d->kind == NSC_SHAPE_MESH)
        nsci_draw_mesh(p, f, w->meshes[s->data]);
#endif
}

static void nsci_draw_surface(nsci_draw_pen *p, const nsc_world *w, const nsc_shape *s,
                              const nsci_draw_frame *f)
{
    const nsc_shape_def *d = &s->def;
    if (d->kind == NSC_SHAPE_SPHERE || d->kind == NSC_SHAPE_CAPSULE ||
        d->kind == NSC_SHAPE_CYLINDER)
        nsci_draw_turned(p, f, d);
    if (d->kind == NSC_SHAPE_BOX)
        nsci_draw_box_faces(p, f, d->half);
    if (d->kind == NSC_SHAPE_HALF_SPACE)
        nsci_draw_plane_faces(p, f, nsci_draw_patch(w, f->origin));
#if NSCI_HULLS
    if (d->kind == NSC_SHAPE_HULL)
        nsci_draw_hull_faces(p, f, w->hulls[s->data]);
#endif
#if NSC_TERRAIN
    if (d->kind == NSC_SHAPE_HEIGHT_FIELD)
        nsci_draw_field_faces(p, f, w->fields[s->data]);
#endif
#if NSC_MESHES
    if (d->kind == NSC_SHAPE_MESH)
        nsci_draw_mesh_faces(p, f, w->meshes[s->data]);
#endif
}

/* Extent of a unit disc along an axis on which its unit normal has component x */
static nsc_real nsci_draw_rim(nsc_real x) { return NSC_SQRT(nsci_draw_larger(1 - x * x, 0)); }

#if NSCI_HULLS
static void nsci_draw_hull_reach(const nsci_draw_frame *f, const nsc_hull *hull, nsc_vec3 *min,
                                 nsc_vec3 *max)
{
    int i;
    *min = *max = nsci_draw_at(f, hull->vertex[0]);
    for (i = 1; i < hull->vertices; i++) {
        nsc_vec3 at = nsci_draw_at(f, hull->vertex[i]);
        min->x = at.x < min->x ? at.x : min->x;
        min->y = at.y < min->y ? at.y : min->y;
        min->z = at.z < min->z ? at.z : min->z;
        max->x = nsci_draw_larger(max->x, at.x);
        max->y = nsci_draw_larger(max->y, at.y);
        max->z = nsci_draw_larger(max->z, at.z);
    }
}
#endif

/* Box around a shape along the world's axes.  Returns 0 if the shape is not bounded. */
static int nsci_draw_reach(const nsc_world *w, const nsc_shape *s, const nsci_draw_frame *f,
                           nsc_vec3 *min, nsc_vec3 *max)
{
    const nsc_shape_def *d = &s->def;
    nsc_vec3 z = f->axis[2], e;
    nsc_real half[3], r = d->kind <= NSC_SHAPE_CYLINDER ? d->radius : 0;
    int k;
    if (d->kind >= NSC_SHAPE_HALF_SPACE) /* height fields and meshes too */
        return 0;
#if NSCI_HULLS
    if (d->kind == NSC_SHAPE_HULL) {
        nsci_draw_hull_reach(f, w->hulls[s->data], min, max);
        return 1;
    }
#endif
    (void)w;
    half[0] = d->kind == NSC_SHAPE_BOX ? d->half.x : 0;
    half[1] = d->kind == NSC_SHAPE_BOX ? d->half.y : 0;
    half[2] = d->kind == NSC_SHAPE_SPHERE ? 0 : d->half.z;
    e = nsci_draw_vec(r, r, r);
    if (d->kind == NSC_SHAPE_CYLINDER)
        e = nsci_draw_vec(r * nsci_draw_rim(z.x), r * nsci_draw_rim(z.y), r * nsci_draw_rim(z.z));
    for (k = 0; k < 3; k++)
        e = nsci_draw_vec(e.x + nsci_draw_abs(half[k] * f->axis[k].x),
                          e.y + nsci_draw_abs(half[k] * f->axis[k].y),
                          e.z + nsci_draw_abs(half[k] * f->axis[k].z));
    *min = nsci_draw_add(f->origin, -1, e);
    *max = nsci_draw_add(f->origin, 1, e);
    return 1;
}

static void nsci_draw_bounds(nsci_draw_pen *p, const nsc_world *w, const nsc_shape *s,
                             const nsci_draw_frame *f)
{
    nsc_vec3 min, max, middle, half;
    nsc_real zero = 0;
    if (!nsci_draw_reach(w, s, f, &min, &max))
        return;
    middle = nsci_draw_scale(NSC_R(0.5), nsci_draw_add(min, 1, max));
    half = nsci_draw_scale(NSC_R(0.5), nsci_draw_add(max, -1, min));
    nsci_draw_box(p, middle, nsci_draw_vec(half.x, zero, zero), nsci_draw_vec(zero, half.y, zero),
                  nsci_draw_vec(zero, zero, half.z));
}

/* Half the longest edge of the boxes around a body's bounded shapes; 1 without any [m] */
static nsc_real nsci_draw_body_size(const nsc_world *w, int body)
{
    nsc_real size = 0;
    int i;
    for (i = 0; i < w->shape_end; i++) {
        const nsc_shape *s = &w->shapes[i];
        nsci_draw_frame f;
        nsc_vec3 min, max, half;
        if (s->generation % 2 == 0 || (int)s->body != body)
            continue;
        f = nsci_draw_place(&w->bodies[body], &s->def.pose);
        if (!nsci_draw_reach(w, s, &f, &min, &max))
            continue;
        half = nsci_draw_scale(NSC_R(0.5), nsci_draw_add(max, -1, min));
        size = nsci_draw_larger(size, nsci_draw_larger(half.x, nsci_draw_larger(half.y, half.z)));
    }
    return size > 0 && size <= NSC_REAL_MAX ? size : 1;
}

static int nsci_draw_colour(const nsc_body *b, const nsc_shape *s)
{
    if (s->def.sensor)
        return NSC_COLOUR_SENSOR;
    if (b->kind == NSC_STATIC_BODY)
        return NSC_COLOUR_STATIC;
    return b->asleep ? NSC_COLOUR_ASLEEP : NSC_COLOUR_AWAKE;
}

static void nsci_draw_shape(nsci_draw_pen *p, const nsc_world *w, int i, int what)
{
    const nsc_shape *s = &w->shapes[i];
    const nsc_body *b = &w->bodies[s->body];
    nsci_draw_frame f = nsci_draw_place(b, &s->def.pose);
    p->from.body = nsc_world_body_at(w, (int)s->body);
    p->from.shape = nsc_world_shape_at(w, i);
    p->from.colour = nsci_draw_colour(b, s);
    if (what & NSC_DRAW_SHAPES)
        nsci_draw_outline(p, w, s, &f);
    if (what & NSC_DRAW_TRIANGLES)
        nsci_draw_surface(p, w, s, &f);
    if (what & NSC_DRAW_BOUNDS)
        nsci_draw_bounds(p, w, s, &f);
}

/* ---- contacts, joints, springs, bodies */

static void nsci_draw_contact(nsci_draw_pen *p, const nsc_world *w, const nsc_contact *c)
{
    int b = nsci_draw_body(w, c->body_b);
    nsc_real size = nsci_draw_body_size(w, b > 0 ? b : nsci_draw_body(w, c->body_a));
    p->from.body = c->body_b;
    p->from.shape = c->shape_b;
    p->from.colour = c->sensor ? NSC_COLOUR_SENSOR : NSC_COLOUR_CONTACT;
    nsci_draw_point(p, c->point);
    nsci_draw_line(p, c->point, nsci_draw_add(c->point, NSC_R(0.25) * size, c->normal));
    if (c->sensor || !(w->last_h > 0) || !(nsci_draw_length(c->impulse) > 0))
        return;
    p->from.colour = NSC_COLOUR_FORCE;
    nsci_draw_line(p, c->point,
                   nsci_draw_add(c->point, p->draw->force_scale / w->last_h, c->impulse));
}

/* A frame as three lines */
static void nsci_draw_axes(nsci_draw_pen *p, const nsci_draw_frame *f, nsc_real length)
{
    int k;
    for (k = 0; k < 3; k++) {
        p->from.colour = NSC_COLOUR_X + k;
        nsci_draw_line(p, f->origin, nsci_draw_add(f->origin, length, f->axis[k]));
    }
}

#if NSC_MAX_JOINTS > 0
/* Both frames, a line between the anchors, and the axis through that on a.  A gear has no
   position. */
static void nsci_draw_joint(nsci_draw_pen *p, const nsc_world *w, const nsc_joint_def *d)
{
    int a = nsci_draw_body(w, d->body_a), b = nsci_draw_body(w, d->body_b);
    nsc_real length = NSC_R(0.5) * nsci_draw_body_size(w, b > 0 ? b : a);
    nsci_draw_frame on_a, on_b;
    if (d->kind == NSC_JOINT_GEAR)
        return;
    on_a = nsci_draw_place(&w->bodies[a], &d->frame_a);
    on_b = nsci_draw_place(&w->bodies[b], &d->frame_b);
    p->from.body = d->body_b;
    nsci_draw_axes(p, &on_a, length);
    nsci_draw_axes(p, &on_b, length);
    p->from.colour = NSC_COLOUR_JOINT;
    nsci_draw_point(p, on_a.origin);
    nsci_draw_point(p, on_b.origin);
    nsci_draw_line(p, on_a.origin, on_b.origin);
    if (d->kind != NSC_JOINT_BALL && d->kind != NSC_JOINT_FIXED && d->kind != NSC_JOINT_DISTANCE) {
        nsc_vec3 axis = nsci_draw_scale(2 * length, on_a.axis[2]);
        nsci_draw_line(p, nsci_draw_add(on_a.origin, -1, axis),
                       nsci_draw_add(on_a.origin, 1, axis));
    }
}

static void nsci_draw_joints(nsci_draw_pen *p, const nsc_world *w)
{
    int i;
    for (i = 0; i < w->joint_end; i++)
        if (w->joints[i].generation % 2)
            nsci_draw_joint(p, w, &w->joints[i].def);
}
#else
#define nsci_draw_joints(p, w) ((void)0)
#endif

#if NSC_MAX_SPRINGS > 0
static void nsci_draw_spring(nsci_draw_pen *p, const nsc_world *w, const nsc_spring_def *d)
{
    const nsc_body *a = &w->bodies[nsci_draw_body(w, d->body_a)];
    const nsc_body *b = &w->bodies[nsci_draw_body(w, d->body_b)];
    p->from.body = d->body_b;
    p->from.colour = NSC_COLOUR_JOINT;
    nsci_draw_line(p, nsci_draw_on_body(a, d->point_a), nsci_draw_on_body(b, d->point_b));
}

static void nsci_draw_springs(nsci_draw_pen *p, const nsc_world *w)
{
    int i;
    for (i = 0; i < w->spring_end; i++)
        if (w->springs[i].generation % 2)
            nsci_draw_spring(p, w, &w->springs[i].def);
}
#else
#define nsci_draw_springs(p, w) ((void)0)
#endif

NSC_API int nsc_world_draw(const nsc_world *w, const nsc_draw *draw, int what)
{
    nsci_draw_pen p;
    int i;
    if (!w || !draw || what < 0 || what > NSC_DRAW_ALL + NSC_DRAW_TRIANGLES ||
        !(nsci_draw_abs(draw->force_scale) <= NSC_REAL_MAX))
        return NSC_ERR_ARGUMENT;
    p.draw = draw;
    p.code = NSC_OK;
    for (i = 0; i < w->shape_end; i++)
        if (w->shapes[i].generation % 2)
            nsci_draw_shape(&p, w, i, what);
    for (i = 0; (what & NSC_DRAW_CONTACTS) && i < w->contact_count; i++)
        nsci_draw_contact(&p, w, &w->contacts[i]);
    p.from.shape = NSC_ERR_HANDLE;
    if (what & NSC_DRAW_JOINTS) {
        nsci_draw_joints(&p, w);
        nsci_draw_springs(&p, w);
    }
    for (i = 1; (what & NSC_DRAW_AXES) && i < w->body_end; i++)
        if (w->bodies[i].generation % 2) {
            const nsc_body *b = &w->bodies[i];
            nsci_draw_frame f = nsci_draw_pose(b->position, b->orientation);
            p.from.body = nsc_world_body_at(w, i);
            nsci_draw_axes(&p, &f, nsci_draw_body_size(w, i));
        }
    return p.code;
}

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
