/* nsc_svg.h - v0.2.0 - an nsc world as a picture, in SVG
   MIT licence at the end of nsc.h.  For a host with files: it needs stdio.h, math.h, stdlib.h, and
   nsc_draw.h.  Include it also where NSC_IMPLEMENTATION is defined.
   Beside it: nsc.h, nsc_draw.h.

   EXAMPLE
       static nsc_svg picture;                      fixed capacity: NSC_SVG_FACES, NSC_SVG_SHAPES
       FILE *file = fopen("stack.svg", "w");
       nsc_svg_begin(&picture, file, 800, 500, "Ten cubes");
       nsc_svg_look(&picture, 6, -9, 4, 0, 0, 2);   eye and what it looks at [m], z up
       nsc_svg_world(&picture, &world, 0, 0, 800, 500);
       nsc_svg_end(&picture);                       picture.dropped: faces that had no room

   Shapes are painted from back to front, one wholly after another: which of two is in front, says
   the plane that parts them best. That is right for convex shapes which do not pierce each other,
   unless three hide each other in turn.  Terrain is painted before all, the plane z = 0 not at all
   but for the shadows on it.  Titles and texts are written as they are: no < or &. */
#ifndef NSC_KIT_SVG_H
#define NSC_KIT_SVG_H
#include "nsc_draw.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NSC_SVG_FACES
#define NSC_SVG_FACES 4000 /* triangles in one world */
#endif
#ifndef NSC_SVG_SHAPES
#define NSC_SVG_SHAPES 64
#endif

typedef struct nsc_svg_face {
    double p[3][3], normal[3]; /* in the world */
    double x[3], y[3], depth;  /* in the picture */
    unsigned colour;
} nsc_svg_face;

typedef struct nsc_svg_shape {
    nsc_id id;
    int first, end;           /* its faces; none: a ball */
    double centre[3], radius; /* of the ball; otherwise the mean of its corners, and 0 */
    double depth, box[4];     /* in the picture: left, right, top, bottom */
    unsigned colour;          /* of the ball */
    int corners, painted;
    unsigned char before[NSC_SVG_SHAPES]; /* it hides this one */
} nsc_svg_shape;

typedef struct nsc_svg {
    FILE *file;
    int (*colour)(void *user, nsc_id body); /* NULL, or 0xRRGGBB of a body */
    void *user;
    double zoom; /* 1: what is 1 m high at a distance of 2.5 m fills the frame; set it after
                    nsc_svg_look */
    double eye[3], axis[3][3]; /* axis: to the right, up, towards the eye */
    double left, top, width, height;
    int faces, shapes, terrain, dropped;
    const nsc_world *world;
    nsc_svg_face face[NSC_SVG_FACES]; /* terrain is kept from the end downwards */
    nsc_svg_shape shape[NSC_SVG_SHAPES];
} nsc_svg;

static const double nsc_svg_light[3] = {-0.24, -0.32, 0.9165}; /* to the light, of unit length */

static double nsc_svg_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void nsc_svg_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void nsc_svg_unit(double *a)
{
    double l = sqrt(nsc_svg_dot(a, a));
    int i;
    for (i = 0; i < 3; i++)
        a[i] = l > 0 ? a[i] / l : 0;
}

static void nsc_svg_copy(double *to, nsc_vec3 v)
{
    to[0] = (double)v.x;
    to[1] = (double)v.y;
    to[2] = (double)v.z;
}

static NSC_MAYBE_UNUSED void nsc_svg_look(nsc_svg *s, double ex, double ey, double ez, double tx,
                                          double ty, double tz)
{
    static const double up[3] = {0, 0, 1}, north[3] = {0, 1, 0};
    s->eye[0] = ex, s->eye[1] = ey, s->eye[2] = ez;
    s->axis[2][0] = ex - tx, s->axis[2][1] = ey - ty, s->axis[2][2] = ez - tz;
    nsc_svg_unit(s->axis[2]);
    nsc_svg_cross(up, s->axis[2], s->axis[0]);
    if (nsc_svg_dot(s->axis[0], s->axis[0]) < 1e-12) /* straight down or up: y is up */
        nsc_svg_cross(north, s->axis[2], s->axis[0]);
    nsc_svg_unit(s->axis[0]);
    nsc_svg_cross(s->axis[2], s->axis[0], s->axis[1]);
    s->zoom = 1;
}

/* Place in the picture of a point of the world; returns its depth, or 0 if it is behind the eye,
   far outside the picture, or nowhere, as all is for an eye that is not finite */
static double nsc_svg_place(const nsc_svg *s, const double *p, double *x, double *y)
{
    const double far = 1e8; /* in units of the picture */
    double d[3], depth, scale, right, high;
    int i;
    for (i = 0; i < 3; i++)
        d[i] = p[i] - s->eye[i];
    depth = -nsc_svg_dot(s->axis[2], d);
    *x = *y = 0;
    if (!(depth >= 0.05))
        return 0;
    scale = 2.5 * s->zoom * s->height / depth;
    right = scale * nsc_svg_dot(s->axis[0], d);
    high = scale * nsc_svg_dot(s->axis[1], d);
    if (!(fabs(right) <= far && fabs(high) <= far))
        return 0;
    *x = s->left + 0.5 * s->width + right;
    *y = s->top + 0.5 * s->height - high;
    return depth;
}

static NSC_MAYBE_UNUSED void nsc_svg_begin(nsc_svg *s, FILE *file, int width, int height,
                                           const char *title)
{
    memset(s, 0, sizeof *s);
    s->file = file;
    nsc_svg_look(s, 4, -6, 3, 0, 0, 0);
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
            "font-family='sans-serif' role='img'>\n",
            width, height, width, height);
    fprintf(file, "<title>%s</title>\n", title);
    fprintf(
        file,
        "<defs><linearGradient id='sky' x2='0' y2='1'><stop offset='0' stop-color='#eef2f5'/><stop "
        "offset='1' stop-color='#fbfaf7'/>"
        "</linearGradient><radialGradient id='ball' cx='.36' cy='.28' r='.75'><stop offset='0' "
        "stop-color='#fff' stop-opacity='.4'/>"
        "<stop offset='.6' stop-color='#000' stop-opacity='0'/><stop offset='1' stop-color='#000' "
        "stop-opacity='.35'/>"
        "</radialGradient><filter id='soft'><feGaussianBlur stdDeviation='2.2'/></filter></defs>\n"
        "<rect width='%d' height='%d' fill='url(#sky)'/>\n",
        width, height);
}

/* Colour of a body's surface; lit: cosine of the angle to the light */
static unsigned nsc_svg_paint(const nsc_svg *s, nsc_id body, double lit)
{
    unsigned rgb = s->colour ? (unsigned)s->colour(s->user, body) : 0x9aa5adu, paint = 0;
    double shade = 0.70 + (lit > 0 ? 0.36 : 0.5) * lit;
    int shift;
    for (shift = 16; shift >= 0; shift -= 8)
        paint |= (unsigned)fmin(255, (rgb >> shift & 255u) * shade) << shift;
    return paint;
}

static void nsc_svg_widen(nsc_svg_shape *h, double x, double y)
{
    h->box[0] = fmin(h->box[0], x);
    h->box[1] = fmax(h->box[1], x);
    h->box[2] = fmin(h->box[2], y);
    h->box[3] = fmax(h->box[3], y);
}

static nsc_svg_shape *nsc_svg_new_shape(nsc_svg *s, nsc_id id)
{
    nsc_svg_shape *h = &s->shape[s->shapes];
    if (s->shapes >= NSC_SVG_SHAPES)
        return NULL;
    memset(h, 0, sizeof *h);
    h->id = id;
    h->first = h->end = s->faces;
    h->box[0] = h->box[2] = 1e9;
    h->box[1] = h->box[3] = -1e9;
    s->shapes++;
    return h;
}

/* The callback of nsc_world_draw: the triangles of a shape come one after another. */
static void nsc_svg_triangle(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 normal,
                             const nsc_draw_from *from)
{
    nsc_svg *s = (nsc_svg *)user;
    nsc_svg_shape *h = s->shapes > 0 ? &s->shape[s->shapes - 1] : NULL;
    nsc_svg_face *f;
    nsc_shape_def def;
    int i, k, terrain, kept;
    if (nsc_shape_get_def(s->world, from->shape, &def) < 0 || def.kind == NSC_SHAPE_HALF_SPACE)
        return;
    terrain = def.kind == NSC_SHAPE_HEIGHT_FIELD || def.kind == NSC_SHAPE_MESH;
    /* A ball is a circle: of its triangles only the mean is taken. */
    kept = def.kind != NSC_SHAPE_SPHERE;
    if (!terrain && (!h || h->id != from->shape))
        h = nsc_svg_new_shape(s, from->shape);
    if ((!terrain && !h) || s->faces + s->terrain >= NSC_SVG_FACES) {
        s->dropped++;
        return;
    }
    f = &s->face[terrain ? NSC_SVG_FACES - 1 - s->terrain : s->faces];
    nsc_svg_copy(f->p[0], a);
    nsc_svg_copy(f->p[1], b);
    nsc_svg_copy(f->p[2], c);
    nsc_svg_copy(f->normal, normal);
    f->depth = 0;
    for (i = 0; i < 3; i++) {
        double depth = nsc_svg_place(s, f->p[i], &f->x[i], &f->y[i]);
        if (depth <= 0)
            return;
        f->depth += depth / 3;
    }
    f->colour = nsc_svg_paint(s, from->body, kept ? nsc_svg_dot(f->normal, nsc_svg_light) : 0.7);
    if (terrain) {
        s->terrain++;
        return;
    }
    for (i = 0; i < 3; i++) {
        h->corners++;
        nsc_svg_widen(h, f->x[i], f->y[i]);
        for (k = 0; k < 3; k++)
            h->centre[k] += (f->p[i][k] - h->centre[k]) / h->corners;
    }
    h->radius = kept ? 0 : (double)def.radius;
    h->colour = f->colour;
    s->faces += kept;
    h->end = s->faces;
}

/* How far a shape reaches along a direction, and back */
static void nsc_svg_reach(const nsc_svg *s, const nsc_svg_shape *h, const double *n, double *low,
                          double *high)
{
    double at = nsc_svg_dot(n, h->centre);
    int i, k;
    *low = at - h->radius;
    *high = at + h->radius;
    for (i = h->first; i < h->end; i++)
        for (k = 0; k < 3; k++) {
            at = nsc_svg_dot(n, s->face[i].p[k]);
            *low = fmin(*low, at);
            *high = fmax(*high, at);
        }
}

/* Whether a is in front of b: on the eye's side of the plane that parts them with the widest gap,
   among those along their faces and that across the line of their centres */
static int nsc_svg_in_front(const nsc_svg *s, const nsc_svg_shape *a, const nsc_svg_shape *b)
{
    double widest = -1e9, n[3], low[2], high[2];
    int i, k, front = 0, count = a->end - a->first + b->end - b->first;
    for (i = 0; i <= count; i++) {
        double gap;
        int of_a = i < a->end - a->first;
        for (k = 0; k < 3; k++) /* from a to b */
            n[k] = i == count ? b->centre[k] - a->centre[k]
                   : of_a     ? s->face[a->first + i].normal[k]
                              : -s->face[b->first + i - (a->end - a->first)].normal[k];
        nsc_svg_unit(n);
        nsc_svg_reach(s, a, n, &low[0], &high[0]);
        nsc_svg_reach(s, b, n, &low[1], &high[1]);
        gap = low[1] - high[0];
        if (gap <= widest)
            continue;
        widest = gap;
        front = nsc_svg_dot(n, s->eye) < 0.5 * (low[1] + high[0]);
    }
    return front;
}

static void nsc_svg_sort(nsc_svg *s)
{
    int i, k;
    for (i = 0; i < s->shapes; i++) {
        double x, y;
        s->shape[i].depth = nsc_svg_place(s, s->shape[i].centre, &x, &y);
        for (k = 0; k < i; k++) {
            nsc_svg_shape *a = &s->shape[i], *b = &s->shape[k];
            if (a->box[0] > b->box[1] || b->box[0] > a->box[1] || a->box[2] > b->box[3] ||
                b->box[2] > a->box[3])
                continue;
            a->before[k] = (unsigned char)nsc_svg_in_front(s, a, b);
            b->before[i] = !a->before[k];
        }
    }
}

/* The next to paint: the farthest that hides nothing which is still to come; NULL: none left */
static nsc_svg_shape *nsc_svg_next(nsc_svg *s)
{
    nsc_svg_shape *best = NULL;
    int i, k, fewest = NSC_SVG_SHAPES;
    for (i = 0; i < s->shapes; i++) {
        nsc_svg_shape *h = &s->shape[i];
        int hides = 0;
        if (h->painted)
            continue;
        for (k = 0; k < s->shapes; k++)
            hides += !s->shape[k].painted && h->before[k];
        if (hides > fewest || (hides == fewest && best && h->depth <= best->depth))
            continue;
        fewest = hides;
        best = h;
    }
    if (best)
        best->painted = 1;
    return best;
}

static void nsc_svg_path(const nsc_svg *s, const double *x, const double *y)
{
    fprintf(s->file, "M%.1f %.1f %.1f %.1f %.1f %.1fz", x[0], y[0], x[1], y[1], x[2], y[2]);
}

static int nsc_svg_seen(const nsc_svg *s, const nsc_svg_face *f)
{
    double way[3];
    int k;
    for (k = 0; k < 3; k++)
        way[k] = s->eye[k] - f->p[0][k];
    return nsc_svg_dot(f->normal, way) > 0;
}

/* Faces of one plane are one path, so that no seam shows between them. */
static void nsc_svg_faces(const nsc_svg *s, int first, int end)
{
    int i, open = -1;
    for (i = first; i < end; i++) {
        const nsc_svg_face *f = &s->face[i];
        if (!nsc_svg_seen(s, f))
            continue;
        if (open < 0 || nsc_svg_dot(f->normal, s->face[open].normal) < 0.99999) {
            if (open >= 0)
                fprintf(s->file, "'/>\n");
            fprintf(
                s->file,
                "<path fill='#%06x' stroke='#%06x' stroke-width='.5' stroke-linejoin='round' d='",
                f->colour, f->colour);
            open = i;
        }
        nsc_svg_path(s, f->x, f->y);
    }
    if (open >= 0)
        fprintf(s->file, "'/>\n");
}

/* Where the shadow of a point falls on the ground; 0 where that is not seen */
static int nsc_svg_shadow(const nsc_svg *s, const double *p, double *x, double *y)
{
    double t = fmax(p[2], 0) / nsc_svg_light[2], q[3];
    int i;
    for (i = 0; i < 3; i++)
        q[i] = p[i] - t * nsc_svg_light[i];
    return nsc_svg_place(s, q, x, y) > 0;
}

static void nsc_svg_shadows(const nsc_svg *s)
{
    double x[24], y[24], across[2][3], p[3];
    int i, k, n, seen;
    fprintf(s->file, "<path opacity='.22' fill='#23303a' filter='url(#soft)' d='");
    for (i = 0; i < s->faces; i++) {
        if (nsc_svg_dot(s->face[i].normal, nsc_svg_light) <= 0)
            continue;
        for (k = 0, seen = 1; k < 3; k++)
            seen &= nsc_svg_shadow(s, s->face[i].p[k], &x[k], &y[k]);
        if (seen)
            nsc_svg_path(s, x, y);
    }
    nsc_svg_cross(nsc_svg_light, s->axis[1], across[0]);
    nsc_svg_unit(across[0]);
    nsc_svg_cross(nsc_svg_light, across[0], across[1]);
    for (i = 0; i < s->shapes; i++) {
        const nsc_svg_shape *h = &s->shape[i];
        for (n = 0, seen = h->radius > 0; n < 24; n++) { /* the ball's rim, seen from the light */
            double c = h->radius * cos(n * 0.2617993877991494),
                   d = h->radius * sin(n * 0.2617993877991494);
            for (k = 0; k < 3; k++)
                p[k] = h->centre[k] + c * across[0][k] + d * across[1][k];
            seen &= nsc_svg_shadow(s, p, &x[n], &y[n]);
        }
        for (n = 0; n < 24 && seen; n++)
            fprintf(s->file, "%c%.1f %.1f%s", n ? 'L' : 'M', x[n], y[n], n == 23 ? "z" : "");
    }
    fprintf(s->file, "'/>\n");
}

static int nsc_svg_farther(const void *a, const void *b)
{
    double d = ((const nsc_svg_face *)a)->depth - ((const nsc_svg_face *)b)->depth;
    return d > 0 ? -1 : d < 0;
}

/* Draw a world into a frame of the picture.  Returns 0, or the number of triangles there was no
 * room for. */
static NSC_MAYBE_UNUSED int nsc_svg_world(nsc_svg *s, const nsc_world *world, double left,
                                          double top, double width, double height)
{
    const nsc_svg_shape *h;
    nsc_draw draw;
    s->left = left, s->top = top, s->width = width, s->height = height;
    s->world = world;
    s->faces = s->shapes = s->terrain = s->dropped = 0;
    memset(&draw, 0, sizeof draw);
    draw.user = s;
    draw.triangle = nsc_svg_triangle;
    draw.force_scale = NSC_R(0.001);
    nsc_world_draw(world, &draw, NSC_DRAW_TRIANGLES);
    nsc_svg_sort(s);
    fprintf(s->file,
            "<svg x='%.1f' y='%.1f' width='%.1f' height='%.1f' viewBox='%.1f %.1f %.1f %.1f' "
            "overflow='visible'>\n",
            left, top, width, height, left, top, width, height);
    qsort(&s->face[NSC_SVG_FACES - s->terrain], (size_t)s->terrain, sizeof *s->face,
          nsc_svg_farther);
    nsc_svg_faces(s, NSC_SVG_FACES - s->terrain, NSC_SVG_FACES);
    nsc_svg_shadows(s);
    while ((h = nsc_svg_next(s)) != NULL) {
        double x = 0.5 * (h->box[0] + h->box[1]), y = 0.5 * (h->box[2] + h->box[3]),
               r = 0.5 * (h->box[1] - h->box[0]);
        nsc_svg_faces(s, h->first, h->end);
        if (h->radius > 0)
            fprintf(s->file,
                    "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='#%06x'/><circle cx='%.1f' "
                    "cy='%.1f' r='%.1f' fill='url(#ball)'/>\n",
                    x, y, r, h->colour, x, y, r);
    }
    fprintf(s->file, "</svg>\n");
    return s->dropped;
}

static NSC_MAYBE_UNUSED void nsc_svg_text(nsc_svg *s, double x, double y, double size,
                                          const char *anchor, const char *text)
{
    fprintf(s->file,
            "<text x='%.1f' y='%.1f' font-size='%.1f' text-anchor='%s' fill='#33404a'>%s</text>\n",
            x, y, size, anchor, text);
}

static NSC_MAYBE_UNUSED void nsc_svg_end(nsc_svg *s) { fprintf(s->file, "</svg>\n"); }
#endif
