/* examples/kit: every line and triangle lies where the shape is; the text of a contact problem is the
   problem, bit for bit. */
#define NSC_HULL_VERTICES 16
#define NSC_MAX_BODIES 10
#define NSC_MAX_SHAPES 12
#define NSC_MAX_CONTACTS 32
#define NSC_MAX_JOINTS 4
#ifndef NSC_MAX_ROLLING
#define NSC_MAX_ROLLING 2
#endif
#define NSC_MAX_SPRINGS 2
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_IMPLEMENTATION
#include "all.h"
#include "nsc_draw.h"
#include "nsc_dump.h"
#include <stdlib.h>
#include <string.h>
#include "search.h"
#include "world.h"
#include "by.h"
#include "plain.h"

#define H NSC_R(0.0078125)
enum { MAX_LINES = 4096, MAX_TEXT = 400000 };
typedef struct stroke {
    nsc_vec3 from, to;
    nsc_id body, shape;
    int colour;
} stroke;
typedef struct facet {
    nsc_vec3 corner[3], normal;
    nsc_draw_from from;
} facet;
static int finite_vec(nsc_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }
static stroke lines[MAX_LINES], points[MAX_LINES];
static facet facets[MAX_LINES];
static int line_count, point_count, facet_count;
static char text[MAX_TEXT];
static nsc_id first_joint;
static size_t text_size;

static stroke stroke_of(nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    stroke s;
    s.from = start;
    s.to = end;
    s.body = from->body;
    s.shape = from->shape;
    s.colour = from->colour;
    return s;
}

static void on_line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    CHECK(user == &world && line_count < MAX_LINES);
    lines[line_count++] = stroke_of(start, end, from);
}

static void on_point(void *user, nsc_vec3 at, const nsc_draw_from *from)
{
    CHECK(user == &world && point_count < MAX_LINES);
    points[point_count++] = stroke_of(at, at, from);
}

static void on_triangle(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 normal,
                        const nsc_draw_from *from)
{
    facet *f = &facets[facet_count++];
    CHECK(user == &world && facet_count < MAX_LINES);
    f->corner[0] = a;
    f->corner[1] = b;
    f->corner[2] = c;
    f->normal = normal;
    f->from = *from;
}

static nsc_draw pen(void)
{
    nsc_draw d;
    d.user = &world;
    d.line = on_line;
    d.point = on_point;
    d.triangle = on_triangle;
    d.force_scale = NSC_R(0.01);
    return d;
}

static int draw(int what)
{
    nsc_draw d = pen();
    int i, ok = 1, code;
    line_count = point_count = facet_count = 0;
    code = nsc_world_draw(&world, &d, what);
    for (i = 0; i < line_count; i++) ok &= finite_vec(lines[i].from) && finite_vec(lines[i].to);
    for (i = 0; i < point_count; i++) ok &= finite_vec(points[i].from);
    for (i = 0; i < 3 * facet_count; i++) ok &= finite_vec(facets[i / 3].corner[i % 3]);
    CHECK(ok);
    CHECK(facet_count == 0 || (what & NSC_DRAW_TRIANGLES) != 0);
    return code;
}

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id add(nsc_shape_def shape, int kind, double x, double y, double z)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    b.kind = kind;
    b.pose.position = vec(x, y, z);
    id = nsc_world_add_body(&world, &b);
    CHECK(id > 0 && nsc_world_add_shape(&world, id, &shape) >= 0);
    return id;
}

static nsc_quat oblique(void)
{
    nsc_quat q;
    q.w = NSC_R(0.5), q.x = NSC_R(0.1), q.y = NSC_R(-0.7), q.z = NSC_R(0.5);
    return nsci_quat_normalise(q);
}

/* How far a point is from the surface of the only shape of the world [m], in double */
static double off_surface(nsc_vec3 p)
{
    const nsc_shape *s = &world.shapes[0];
    nsci_geom g = nsci_place(&world, s);
    nsc_vec3 d = minus(p, g.centre);
    double x = dot(d, g.axes.c[0]), y = dot(d, g.axes.c[1]), z = dot(d, g.axes.c[2]);
    double r = (double)s->def.radius, half = (double)s->def.half.z, across = sqrt(x * x + y * y), end;
    switch (s->def.kind) {
    case NSC_SHAPE_SPHERE: return fabs(sqrt(across * across + z * z) - r);
    case NSC_SHAPE_CAPSULE:
        end = fmax(fabs(z) - half, 0.0);
        return fabs(sqrt(across * across + end * end) - r);
    case NSC_SHAPE_CYLINDER: return fabs(fmax(across - r, fabs(z) - half));
    case NSC_SHAPE_BOX:
        return fabs(fmax(fmax(fabs(x) - (double)s->def.half.x, fabs(y) - (double)s->def.half.y), fabs(z) - half));
    default: return fabs(z);
    }
}

/* Both ends of every line on the surface; the middles of arcs are within the sagitta. */
static void one_shape(nsc_shape_def shape, int kind, int expected)
{
    double worst = 0.0, size = 1e-9, worst_middle = 0.0;
    int i;
    begin();
    shape.pose.position.x = NSC_R(0.3), shape.pose.orientation = oblique();
    add(shape, kind, 1.0, 2.0, 3.0);
    if (kind == NSC_DYNAMIC_BODY) world.bodies[1].orientation = oblique();
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == expected && point_count == 0);
    for (i = 0; i < line_count - (shape.kind == NSC_SHAPE_HALF_SPACE); i++) {
        nsc_vec3 middle = multiple(0.5, plus(lines[i].from, lines[i].to));
        worst = fmax(worst, fmax(off_surface(lines[i].from), off_surface(lines[i].to)));
        worst_middle = fmax(worst_middle, off_surface(middle));
        size = fmax(size, length(minus(lines[i].from, lines[i].to)));
        CHECK(lines[i].colour == (kind == NSC_STATIC_BODY ? NSC_COLOUR_STATIC : NSC_COLOUR_AWAKE));
    }
    CHECK_NEAR(worst, 0.0, 40.0 * (double)NSC_REAL_EPS);
    CHECK(size > 0.05 && worst_middle < 0.009 * 0.5);
}

static void shapes(void)
{
    nsc_shape_def sensor = nsc_default_sphere_def(NSC_R(0.5));
    one_shape(sensor, NSC_DYNAMIC_BODY, 3 * 24);
    one_shape(nsc_default_capsule_def(NSC_R(0.2), NSC_R(0.5)), NSC_DYNAMIC_BODY, 2 * 24 + 4 * 12 + 4);
    one_shape(nsc_default_cylinder_def(NSC_R(0.2), NSC_R(0.5)), NSC_KINEMATIC_BODY, 2 * 24 + 4);
    one_shape(nsc_default_box_def(NSC_R(0.2), NSC_R(0.3), NSC_R(0.5)), NSC_DYNAMIC_BODY, 12);
    one_shape(nsc_default_half_space_def(), NSC_STATIC_BODY, 2 * 9 + 1);
    begin();
    sensor.sensor = 1;
    add(sensor, NSC_DYNAMIC_BODY, 0.0, 0.0, 0.0);
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && lines[0].colour == NSC_COLOUR_SENSOR);
    world.shapes[0].def.sensor = 0, world.bodies[1].asleep = 1;
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && lines[0].colour == NSC_COLOUR_ASLEEP);
    CHECK(nsc_world_remove_body(&world, nsc_world_body_at(&world, 1)) == NSC_OK);
    CHECK(draw(NSC_DRAW_ALL) == NSC_OK && line_count == 0 && point_count == 0);
}

static nsc_hull drawn_hull;
static const nsc_hull *const drawn_hulls = &drawn_hull;
static nsc_real drawn_height[24];
static nsc_heights drawn_field = {drawn_height, 0, 0, 0, 0, 0, 0};
static const nsc_heights *const drawn_fields = &drawn_field;

/* A hull and a height field, filled by hand: every edge once, every line between samples. */
static void pieces(void)
{
    static const uint8_t corner[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    nsc_hull *h = &drawn_hull;
    int i, j, twice = 0;
    begin();
    world.hulls = &drawn_hulls, world.fields = &drawn_fields;
    add(nsc_default_sphere_def(NSC_R(0.5)), NSC_STATIC_BODY, 0.0, 0.0, 0.0);
    h->vertices = h->faces = 4;
    for (i = 0; i < 5; i++) h->first[i] = (uint8_t)(3 * i);
    memcpy(h->corner, corner, sizeof corner);
    h->vertex[1].x = h->vertex[2].y = h->vertex[3].z = NSC_R(1.0);
    world.shapes[0].def.kind = NSC_SHAPE_HULL;
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == 6);
    for (i = 0; i < 6; i++)
        for (j = 0; j < i; j++)
            twice += !(length(minus(plus(lines[i].from, lines[i].to), plus(lines[j].from, lines[j].to))) > 0.1);
    CHECK(twice == 0);
    drawn_field.nx = 4, drawn_field.ny = 3, drawn_field.dx = NSC_R(0.5), drawn_field.dy = NSC_R(2.0);
    for (i = 0; i < 12; i++) drawn_height[i] = (nsc_real)(i * i % 7);
    world.shapes[0].def.kind = NSC_SHAPE_HEIGHT_FIELD;
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == 3 * 3 + 4 * 2);
    for (i = 0; i < line_count; i++) {
        int x = (int)((double)lines[i].from.x / 0.5 + 1.5), y = (int)((double)lines[i].from.y / 2.0 + 1.0);
        CHECK_NEAR(lines[i].from.z, (y * 4 + x) * (y * 4 + x) % 7, 1e-6);
    }
}

static void contacts(void)
{
    nsc_shape_def ground = nsc_default_half_space_def();
    double force = 0.0;
    int i;
    begin();
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5)), NSC_DYNAMIC_BODY, 0.0, 0.0, 0.5);
    for (i = 0; i < 50; i++) CHECK(nsc_world_step(&world, H) == NSC_OK);
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_OK && point_count == 4 && line_count == 8);
    for (i = 0; i < line_count; i++) {
        if (lines[i].colour == NSC_COLOUR_FORCE) force += (double)(lines[i].to.z - lines[i].from.z);
        else CHECK(lines[i].colour == NSC_COLOUR_CONTACT && lines[i].to.z > lines[i].from.z);
    }
    CHECK_NEAR(force, 9810.0 * 0.01, 0.1); /* its weight, drawn with 0.01 m/N */
    CHECK(draw(NSC_DRAW_BOUNDS) == NSC_OK && line_count == 12 && point_count == 0); /* a half-space has none */
    for (i = 0; i < 12; i++) CHECK_NEAR(fabs((double)lines[i].from.x), 0.5, 1e-3);
    CHECK(draw(NSC_DRAW_AXES) == NSC_OK && line_count == 3);
    CHECK(lines[0].colour == NSC_COLOUR_X && lines[2].colour == NSC_COLOUR_Z && lines[2].to.z > lines[2].from.z);
}

static double long_line(int i) { return length(minus(lines[i].to, lines[i].from)); }

static void joints(void)
{
    nsc_joint *j = &world.joints[1];
    int i, links = 0;
    begin();
    add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5)), NSC_DYNAMIC_BODY, 0.0, 0.0, 0.5);
    j->generation = 1;
    j->def.kind = NSC_JOINT_HINGE;
    j->def.body_a = NSC_GROUND, j->def.body_b = nsc_world_body_at(&world, 1);
    j->def.frame_a.orientation.w = j->def.frame_b.orientation.w = NSC_R(1.0);
    j->def.frame_a.position.x = NSC_R(3.0), j->def.frame_b.position.x = NSC_R(1.0);
    world.joint_end = 2;
    CHECK(draw(NSC_DRAW_JOINTS) == NSC_OK && point_count == 2 && line_count == 3 + 3 + 1 + 1);
    CHECK_NEAR(points[0].from.x, 3.0, 1e-6);
    CHECK_NEAR(points[1].from.x, 1.0, 1e-6);
    CHECK_NEAR(points[1].from.z, 0.5, 1e-6);
    for (i = 0; i < line_count; i++) links += lines[i].colour == NSC_COLOUR_JOINT;
    CHECK(links == 2 && lines[0].body == j->def.body_b && points[0].body == j->def.body_b && lines[0].shape < 0);
    j->def.kind = NSC_JOINT_BALL;
    CHECK(draw(NSC_DRAW_JOINTS) == NSC_OK && line_count == 3 + 3 + 1);
    j->def.kind = NSC_JOINT_FIXED;
    CHECK(draw(NSC_DRAW_JOINTS) == NSC_OK && line_count == 3 + 3 + 1);
    j->def.kind = NSC_JOINT_DISTANCE, j->def.body_a = j->def.body_b, j->def.body_b = NSC_GROUND; /* the box lends its size from either end */
    CHECK(draw(NSC_DRAW_JOINTS) == NSC_OK && line_count == 3 + 3 + 1);
    CHECK_NEAR(long_line(0), 0.25, 1e-5);
    j->def.kind = NSC_JOINT_GEAR;
    CHECK(draw(NSC_DRAW_JOINTS) == NSC_OK && line_count == 0);
}

/* A plane reaches as far as the bodies do: 1 m where there are none, and a thousand kilometres at most. */
static void reach_of_a_plane(void)
{
    static const double far[4][2] = {{0, 1}, {0.3, 0.5}, {5, 8}, {1e7, 1048576}};
    nsc_shape_def plane = nsc_default_half_space_def(), ball = nsc_default_sphere_def(NSC_R(0.5));
    int i, k;
    for (i = 0; i < 4; i++) {
        begin();
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
        CHECK(nsc_world_remove_body(&world, add(ball, NSC_DYNAMIC_BODY, 99.0, 0.0, 0.0)) == NSC_OK); /* gone: it does not count */
        if (i > 0) add(ball, NSC_DYNAMIC_BODY, 3.0, 0.0, 0.0), add(ball, NSC_DYNAMIC_BODY, far[i][0], 0.0, 0.0);
        if (i > 0) CHECK(nsc_world_remove_body(&world, nsc_world_body_at(&world, 1)) == NSC_OK);
        CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK);
        for (k = 0; k < 18; k++) CHECK_NEAR(long_line(k), 2 * far[i][1], 1e-6 * far[i][1]);
        CHECK(draw(NSC_DRAW_AXES) == NSC_OK && line_count == (i > 0 ? 3 : 0));
    }
    begin();
    add(plane, NSC_KINEMATIC_BODY, 0.0, 0.0, 2.0); /* its own size is none: 1 m */
    CHECK(draw(NSC_DRAW_AXES) == NSC_OK && line_count == 3);
    for (k = 0; k < 3; k++) CHECK_NEAR(long_line(k), 1, 1e-6);
}

/* What is drawn of a contact: a dot, the normal and, where there is one, the force; as long as the body on it is large. */
static void kinds_of_contacts(void)
{
    nsc_real big = NSC_REAL_MAX / NSC_R(4.0);
    nsc_contact c = nsc_default_contact(), *own = &world.contacts[0];
    int i;
    begin();
    c.body_a = add(nsc_default_box_def(NSC_R(0.5), NSC_R(2.0), NSC_R(0.5)), NSC_DYNAMIC_BODY, 0.0, 0.0, 0.5), c.body_b = NSC_GROUND;
    c.normal = vec(0.0, 0.0, -1.0);
#if NSC_MAX_ROLLING > 0
    c.rolling = NSC_R(-1.0);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
    c.rolling = NSC_R(0.0);
#endif
    for (i = 0; i < 2; i++) CHECK(nsc_world_add_contact(&world, &c) == NSC_OK && nsc_world_step(&world, H) == NSC_OK);
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_OK && point_count == 1 && line_count == 2);
    CHECK_NEAR(long_line(0), 0.5, 1e-2); /* a quarter of half the longest edge, 2 m */
    CHECK(lines[0].colour == NSC_COLOUR_CONTACT && lines[1].colour == NSC_COLOUR_FORCE);
    world.last_h = NSC_R(0.0);
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_OK && line_count == 1);
    world.last_h = H, own->impulse = vec(0.0, 0.0, 0.0);
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_OK && line_count == 1);
    own->impulse.z = NSC_R(-1.0), own->sensor = 1;
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_OK && line_count == 1 && lines[0].colour == NSC_COLOUR_SENSOR && points[0].colour == NSC_COLOUR_SENSOR);
    world.shapes[0].def.half.y = NSC_REAL_MAX; /* no size that is a number: 1 m */
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_OK && line_count == 1);
    CHECK_NEAR(long_line(0), 0.25, 1e-6);
    world.shapes[0].def.half.y = big, own->point.z = -NSC_REAL_MAX; /* the normal's end is beyond the numbers */
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_ERR_NOT_FINITE && point_count == 1 && line_count == 0);
    own->point.z *= NSC_R(2.0);
    CHECK(draw(NSC_DRAW_CONTACTS) == NSC_ERR_NOT_FINITE && point_count == 0 && line_count == 0);
}

/* A spring is a line from end to end. */
static void springs(void)
{
    nsc_spring_def d;
    nsc_id one, two;
    begin();
    one = add(nsc_default_sphere_def(NSC_R(0.5)), NSC_DYNAMIC_BODY, 0.0, 0.0, 0.0);
    two = add(nsc_default_sphere_def(NSC_R(0.5)), NSC_DYNAMIC_BODY, 3.0, 4.0, 0.0);
    d = nsc_default_spring_def(one, two), d.stiffness = NSC_R(1.0);
    one = nsc_world_add_spring(&world, &d), two = nsc_world_add_spring(&world, &d);
    CHECK(one >= 0 && two >= 0 && draw(NSC_DRAW_JOINTS) == NSC_OK && line_count == 2);
    CHECK(nsc_world_remove_spring(&world, one) == NSC_OK && draw(NSC_DRAW_JOINTS) == NSC_OK && line_count == 1);
    CHECK_NEAR(long_line(0), 5, 1e-5);
    CHECK(lines[0].colour == NSC_COLOUR_JOINT && lines[0].body == d.body_b && lines[0].shape < 0);
}

/* ---- triangles */

static nsc_vec3 cross_of(const facet *f)
{
    return cross(minus(f->corner[1], f->corner[0]), minus(f->corner[2], f->corner[0]));
}

static int same_point(nsc_vec3 a, nsc_vec3 b)
{
    return !(a.x < b.x || a.x > b.x || a.y < b.y || a.y > b.y || a.z < b.z || a.z > b.z);
}

/* How many edges of the facets have not exactly one neighbour, which runs the other way */
static int open_edges(void)
{
    int i, j, open = 0;
    for (i = 0; i < 3 * facet_count; i++) {
        const facet *f = &facets[i / 3];
        nsc_vec3 from = f->corner[i % 3], to = f->corner[(i + 1) % 3];
        int neighbours = 0, twins = 0;
        for (j = 0; j < 3 * facet_count; j++) {
            const facet *g = &facets[j / 3];
            nsc_vec3 start = g->corner[j % 3], end = g->corner[(j + 1) % 3];
            neighbours += same_point(from, end) && same_point(to, start);
            twins += same_point(from, start) && same_point(to, end);
        }
        open += neighbours != 1 || twins != 1;
    }
    return open;
}

/* Normals are of length 1 and stand on the triangles; every triangle says whose it is. */
static void check_facets(nsc_id body, nsc_id shape, int colour)
{
    double shortest = 1.0, longest = 1.0, skew = 1.0;
    int i, strangers = 0, empty = 0;
    for (i = 0; i < facet_count; i++) {
        const facet *f = &facets[i];
        nsc_vec3 across = cross_of(f);
        double size = length(f->normal);
        skew = fmin(skew, dot(f->normal, across) / length(across));
        empty += !(length(across) > 0);
        shortest = fmin(shortest, size);
        longest = fmax(longest, size);
        strangers += f->from.body != body || f->from.shape != shape || f->from.colour != colour;
    }
    CHECK(strangers == 0 && empty == 0);
    CHECK_NEAR(shortest, 1.0, 10.0 * (double)NSC_REAL_EPS);
    CHECK_NEAR(longest, 1.0, 10.0 * (double)NSC_REAL_EPS);
    CHECK_NEAR(skew, 1.0, 1e-5); /* of corners that are rounded to some eps of 4 m */
}

/* Volume [m^3] within the facets; *inward: how many normals do not point away from the centre */
static double volume_within(nsc_vec3 centre, int *inward)
{
    double volume = 0.0;
    int i;
    *inward = 0;
    for (i = 0; i < facet_count; i++) {
        const facet *f = &facets[i];
        nsc_vec3 a = minus(f->corner[0], centre), b = minus(f->corner[1], centre);
        nsc_vec3 c = minus(f->corner[2], centre);
        volume += dot(a, cross(b, c)) / 6.0;
        *inward += !(dot(f->normal, a) > 0);
    }
    return volume;
}

/* A closed surface around its centre, whose volume is between two parts of the shape's */
static void one_solid(nsc_shape_def shape, int kind, int expected, double volume, double least,
                      double most)
{
    double worst = 0.0, within;
    nsc_id body;
    int i, inward;
    begin();
    add(nsc_default_sphere_def(NSC_R(0.5)), NSC_DYNAMIC_BODY, 9.0, 0.0, 0.0);
    CHECK(nsc_world_remove_body(&world, nsc_world_body_at(&world, 1)) == NSC_OK);
    shape.pose.position.x = NSC_R(0.3);
    shape.pose.orientation = oblique();
    body = add(shape, kind, 1.0, 2.0, 3.0);
    CHECK(nsc_world_body_at(&world, 1) == body && nsc_world_shape_at(&world, 0) >= 0);
    if (kind == NSC_DYNAMIC_BODY) world.bodies[1].orientation = oblique();
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == expected);
    CHECK(line_count == 0 && point_count == 0);
    check_facets(body, nsc_world_shape_at(&world, 0),
                 kind == NSC_STATIC_BODY ? NSC_COLOUR_STATIC : NSC_COLOUR_AWAKE);
    CHECK(open_edges() == 0);
    within = volume_within(nsci_place(&world, &world.shapes[0]).centre, &inward);
    CHECK(inward == 0);
    CHECK(within >= least * volume && within <= most * volume);
    for (i = 0; i < 3 * facet_count; i++)
        worst = fmax(worst, off_surface(facets[i / 3].corner[i % 3]));
    CHECK_NEAR(worst, 0.0, 40.0 * (double)NSC_REAL_EPS);
}

static void solids(void)
{
    const double pi = 3.14159265358979, r = 0.2, l = 1.0, exact = 1e-5;
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.5));
    one_solid(s, NSC_DYNAMIC_BODY, 528, pi / 6.0, 0.95, 1.0);
    one_solid(nsc_default_capsule_def(NSC_R(0.2), NSC_R(0.5)), NSC_KINEMATIC_BODY, 576,
              pi * r * r * (l + r * 4.0 / 3.0), 0.95, 1.0);
    one_solid(nsc_default_cylinder_def(NSC_R(0.2), NSC_R(0.5)), NSC_STATIC_BODY, 96,
              pi * r * r * l, 0.95, 1.0);
    /* a prism of 24 sides: 12 sin 15 degrees instead of pi */
    one_solid(nsc_default_cylinder_def(NSC_R(0.2), NSC_R(0.5)), NSC_DYNAMIC_BODY, 96,
              12.0 * 0.258819045102521 * r * r * l, 1.0 - exact, 1.0 + exact);
    one_solid(nsc_default_box_def(NSC_R(0.2), NSC_R(0.3), NSC_R(0.5)), NSC_DYNAMIC_BODY, 12,
              8.0 * 0.2 * 0.3 * 0.5, 1.0 - exact, 1.0 + exact);
}

/* A pyramid on a square, whose face of four corners becomes two triangles */
static void hull_faces(void)
{
    static const uint8_t first[6] = {0, 4, 7, 10, 13, 16};
    static const uint8_t corner[16] = {0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    const nsc_real side = NSC_R(0.70710678118654752440);
    nsc_hull *h = &drawn_hull;
    nsc_real least = NSC_REAL_MAX, least_line = NSC_REAL_MAX;
    nsc_id body;
    int i, inward;
    begin();
    world.hulls = &drawn_hulls;
    body = add(nsc_default_sphere_def(NSC_R(0.5)), NSC_DYNAMIC_BODY, 1.0, 2.0, 3.0);
    h->vertices = 5;
    h->faces = 5;
    memcpy(h->first, first, sizeof first);
    memcpy(h->corner, corner, sizeof corner);
    for (i = 0; i < 4; i++)
        h->vertex[i] = vec(i == 1 || i == 2 ? 1 : -1, i < 2 ? -1 : 1, -0.25);
    h->vertex[4] = vec(0, 0, 0.75);
    h->normal[0] = vec(0, 0, -1);
    h->normal[1] = vec(0, -D(side), D(side));
    h->normal[2] = vec(D(side), 0, D(side));
    h->normal[3] = vec(0, D(side), D(side));
    h->normal[4] = vec(-D(side), 0, D(side));
    world.shapes[0].def.kind = NSC_SHAPE_HULL;
    world.bodies[1].orientation = oblique();
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 6);
    check_facets(body, nsc_world_shape_at(&world, 0), NSC_COLOUR_AWAKE);
    CHECK(open_edges() == 0);
    CHECK_NEAR(volume_within(world.bodies[1].position, &inward), 4.0 / 3.0, 1e-5);
    CHECK(inward == 0);
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == 8);
    CHECK(draw(NSC_DRAW_BOUNDS) == NSC_OK && line_count == 12 && lines[0].shape == nsc_world_shape_at(&world, 0));
    for (i = 0; i < 24; i++) {
        nsc_real x = i < 12 ? lines[i].from.x : lines[i - 12].to.x;
        least_line = x < least_line ? x : least_line;
    }
    for (i = 0; i < 5; i++) {
        nsc_vec3 at = rotate(world.bodies[1].orientation, h->vertex[i]);
        at = plus(at, world.bodies[1].position);
        least = at.x < least ? at.x : least;
    }
    CHECK_NEAR(least_line, least, 10.0 * (double)NSC_REAL_EPS);
    h->vertex[1].x = NSC_REAL_MAX * NSC_R(2.0);
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_ERR_NOT_FINITE && facet_count == 3);
}

/* A half-space is a square, as large as its lines, and terrain is two triangles a cell. */
static void open_surfaces(void)
{
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_id id;
    int i, k, used = 0;
    begin();
    id = nsc_world_add_shape(&world, NSC_GROUND, &plane);
    add(nsc_default_sphere_def(NSC_R(0.5)), NSC_DYNAMIC_BODY, 3.0, 0.0, 0.0);
    world.shape_end = 1;
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 2);
    check_facets(NSC_GROUND, id, NSC_COLOUR_STATIC);
    for (i = 0; i < 6; i++) {
        nsc_vec3 at = facets[i / 3].corner[i % 3];
        CHECK_NEAR(fabs((double)at.x), 4.0, 0.0);
        CHECK_NEAR(fabs((double)at.y), 4.0, 0.0);
        CHECK_NEAR(at.z, 0.0, 0.0);
    }
    CHECK_NEAR(facets[0].normal.z, 1.0, 0.0);
    world.fields = &drawn_fields;
    drawn_field.nx = 4;
    drawn_field.ny = 3;
    drawn_field.dx = NSC_R(0.5);
    drawn_field.dy = NSC_R(2.0);
    for (i = 0; i < 12; i++) drawn_height[i] = (nsc_real)(i * i % 7);
    world.shapes[0].def.kind = NSC_SHAPE_HEIGHT_FIELD;
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 2 * 3 * 2);
    check_facets(NSC_GROUND, id, NSC_COLOUR_STATIC);
    for (i = 0; i < facet_count; i++) {
        CHECK(facets[i].normal.z > 0);
        for (k = 0; k < 3; k++) {
            nsc_vec3 at = facets[i].corner[k], next = facets[i].corner[(k + 1) % 3];
            int x = (int)((double)at.x / 0.5 + 1.5), y = (int)((double)at.y / 2.0 + 1.0);
            CHECK_NEAR(at.z, (y * 4 + x) * (y * 4 + x) % 7, 1e-6);
            /* of the two diagonals of a cell, the one from low x and y to high x and y */
            CHECK((at.x - next.x) * (at.y - next.y) >= 0);
            used |= 1 << (y * 4 + x);
        }
    }
    CHECK(used == (1 << 12) - 1);
}

/* Colours and owners of the triangles and lines of several bodies; normals do not depend on where a
   body is. */
static void owners(void)
{
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.2), NSC_R(0.3), NSC_R(0.5));
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.3)), sensor = ball;
    static facet near_by[MAX_LINES];
    nsc_id one, two, extra;
    int i, wrong = 0;
    begin();
    one = add(box, NSC_STATIC_BODY, 0.0, 0.0, 0.0);
    two = add(ball, NSC_DYNAMIC_BODY, 5.0, 0.0, 0.0);
    sensor.sensor = 1;
    extra = nsc_world_add_shape(&world, two, &sensor);
    world.bodies[2].asleep = 1;
    CHECK(nsc_world_body_at(&world, 0) == NSC_GROUND && nsc_world_body_at(&world, 2) == two);
    CHECK(nsc_world_shape_at(&world, 2) == extra);
    CHECK(nsc_world_body_at(&world, 3) == NSC_ERR_HANDLE && nsc_world_body_at(&world, -1) == NSC_ERR_HANDLE);
    CHECK(nsc_world_shape_at(&world, 3) == NSC_ERR_HANDLE && nsc_world_shape_at(&world, -1) == NSC_ERR_HANDLE);
    CHECK(nsc_world_body_at(NULL, 0) == NSC_ERR_ARGUMENT && nsc_world_shape_at(NULL, 0) == NSC_ERR_ARGUMENT);
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 12 + 528 + 528);
    for (i = 0; i < facet_count; i++) {
        const nsc_draw_from *from = &facets[i].from;
        nsc_id shape = nsc_world_shape_at(&world, i < 12 ? 0 : i < 12 + 528 ? 1 : 2);
        int colour = i < 12 ? NSC_COLOUR_STATIC : i < 12 + 528 ? NSC_COLOUR_ASLEEP : NSC_COLOUR_SENSOR;
        wrong += from->body != (i < 12 ? one : two) || from->shape != shape || from->colour != colour;
    }
    CHECK(wrong == 0);
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == 12 + 72 + 72);
    CHECK(lines[0].body == one && lines[0].shape == nsc_world_shape_at(&world, 0));
    CHECK(lines[12].body == two && lines[12].shape == nsc_world_shape_at(&world, 1));
    CHECK(lines[12 + 72].body == two && lines[12 + 72].shape == extra);
    CHECK(draw(NSC_DRAW_AXES) == NSC_OK && lines[0].body == one && lines[3].body == two && lines[3].shape < 0);
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK);
    memcpy(near_by, facets, sizeof facets);
    world.bodies[2].position.x = NSC_R(3e7);
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 12 + 528 + 528);
    for (i = 0; i < facet_count; i++) wrong += !same_point(facets[i].normal, near_by[i].normal);
    CHECK(wrong == 0);
    world.bodies[2].position.x = NSC_REAL_MAX * NSC_R(2.0);
    CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_ERR_NOT_FINITE && facet_count == 12);
    CHECK(nsc_world_remove_shape(&world, nsc_world_shape_at(&world, 0)) == NSC_OK);
    CHECK(nsc_world_shape_at(&world, 0) == NSC_ERR_HANDLE && nsc_world_remove_body(&world, one) == NSC_OK);
    CHECK(nsc_world_body_at(&world, 1) == NSC_ERR_HANDLE);
    while (world.body_end < NSC_MAX_BODIES) add(ball, NSC_DYNAMIC_BODY, 0.0, 0.0, 0.0);
    CHECK(nsc_world_body_at(&world, NSC_MAX_BODIES) == NSC_ERR_HANDLE);
}

static void nobody(void *user, const char *piece) { (void)user, (void)piece; }

static void refused(void)
{
    nsc_draw d = pen();
    nsc_world before;
    contacts();
    memcpy(&before, &world, sizeof before);
    CHECK(nsc_world_draw(NULL, &d, 1) == NSC_ERR_ARGUMENT && nsc_world_draw(&world, NULL, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_draw(&world, &d, -1) == NSC_ERR_ARGUMENT && nsc_world_draw(&world, &d, 64) == NSC_ERR_ARGUMENT);
    d.force_scale = NSC_REAL_MAX * NSC_R(2.0);
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_ALL) == NSC_ERR_ARGUMENT);
    d.force_scale = NSC_R(1.0);
    d.line = NULL, line_count = point_count = 0;
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_ALL) == NSC_OK && line_count == 0 && point_count == 4);
    d.point = NULL, point_count = 0;
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_ALL) == NSC_OK && line_count == 0 && point_count == 0);
    d.triangle = NULL;
    facet_count = 0;
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 0);
    CHECK(nsc_world_dump(NULL, H, 0, nobody, NULL) == NSC_ERR_ARGUMENT && nsc_world_dump(&world, H, 0, NULL, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_dump(&world, NSC_R(0.0), 0, nobody, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_dump(&world, NSC_REAL_MAX * NSC_R(2.0), 0, nobody, NULL) == NSC_ERR_ARGUMENT);
    before.note = world.note;
    CHECK(memcmp(&before, &world, sizeof before) == 0);
}

/* A dump is refused where the step would be, and leaves the world as it was, asleep and all. */
static void dumps(void)
{
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.5));
    nsc_world before;
    int k;
    for (k = 0; k < 4; k++) {
        int expected = k < 2 ? NSC_ERR_NOT_FINITE : 0;
        nsc_id id;
        begin();
        id = add(ball, NSC_DYNAMIC_BODY, 0.0, 0.0, 0.0), add(ball, NSC_DYNAMIC_BODY, 0.9, 0.0, 0.0);
        if (k == 0) CHECK(nsc_body_add_force(&world, id, vec(D(NSC_REAL_MAX), 0.0, 0.0), vec(0, 0, 0)) == NSC_OK);
        if (k == 1) world.bodies[1].asleep = world.bodies[2].asleep = 1, world.def.gravity.z = -NSC_REAL_MAX;
        if (k == 2) world.bodies[1].asleep = world.bodies[2].asleep = 1;
        if (k == 3) world.def.stepper = NSC_STEPPER_EULER_IMPLICIT, add(ball, NSC_KINEMATIC_BODY, 0.0, 0.9, 0.0);
        if (k == 3) world.bodies[1].velocity.x = world.bodies[3].velocity.x = NSC_R(1e-3);
        memcpy(&before, &world, sizeof before);
        CHECK(nsc_world_dump(&world, NSC_R(1024.0), 0, nobody, NULL) == expected);
        CHECK(memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0);
    }
}

/* ---- the text */

static void on_text(void *user, const char *piece)
{
    size_t n = strlen(piece);
    CHECK(user == &world && n > 0 && n <= 31 && text_size + n < MAX_TEXT);
    memcpy(text + text_size, piece, n + 1);
    text_size += n;
}

static int dump(int island)
{
    text_size = 0;
    return nsc_world_dump(&world, H, island, on_text, &world);
}

static const char *cursor;

static nsc_real number(void)
{
    char *end;
    double x = strtod(cursor, &end);
    CHECK(end != cursor);
    cursor = end;
    return (nsc_real)x;
}

static void numbers(nsc_real *to, int n)
{
    for (; n > 0; n--) *to++ = number();
}

static int word(const char *expected)
{
    size_t n = strlen(expected);
    while (*cursor == ' ' || *cursor == '\n') cursor++;
    if (strncmp(cursor, expected, n) != 0) return 0;
    cursor += n;
    return 1;
}

enum { MAX_READ = 64 };
static nsc_block read_blocks[MAX_READ];
static nsc_mass read_masses[16];
static nsc_real read_free[96], read_v[96], read_arena[NSC_ARENA_APGD(3 * MAX_READ)], read_twist[96];
static double read_mass[16], read_inertia[16][6];
static int read_bodies, read_contacts, read_joints;

/* The text into a problem: body 0 is what does not move. */
static void parse(nsc_problem *p)
{
    static nsc_block contact[MAX_READ], joint[MAX_READ];
    int i, k, c = 0, j = 0, blocks;
    memset(p, 0, sizeof *p), memset(contact, 0, sizeof contact), memset(joint, 0, sizeof joint);
    memset(read_masses, 0, sizeof read_masses), memset(read_free, 0, sizeof read_free);
    cursor = text;
    CHECK(word("fcp1 global"));
    read_bodies = (int)number(), read_contacts = (int)number();
    CHECK(word("nsc") && read_bodies < 16 && read_contacts < MAX_READ);
    for (i = 1; i <= read_bodies; i++) {
        read_mass[i] = (double)number();
        for (k = 0; k < 6; k++) read_inertia[i][k] = (double)number();
        numbers(read_free + 6 * i, 6);
    }
    for (i = 0; i < read_contacts; i++) {
        nsc_block *b = &contact[i];
        b->a = (int)number() + 1, b->b = (int)number() + 1;
        b->mu = number();
        numbers(b->bias, 3);
        for (k = 0; k < 3; k++) numbers(b->J[k], 12);
    }
    CHECK(word("joints"));
    read_joints = (int)number();
    for (i = 0; i < read_joints; i++) {
        nsc_block *b = &joint[i];
        b->a = (int)number() + 1, b->b = (int)number() + 1;
        b->kind = (unsigned char)number(), b->rows = (unsigned char)number(), b->mu = number();
        for (k = 0; k < b->rows; k++) {
            numbers(b->J[k], 12);
            b->bias[k] = number(), b->cfm[k] = number(), b->lo[k] = number(), b->hi[k] = number();
        }
    }
    CHECK(word("inverse"));
    for (i = 1; i <= read_bodies; i++) read_masses[i].inv_mass = number(), numbers(read_masses[i].inv_inertia, 6);
    CHECK(word("order"));
    blocks = (int)number();
    CHECK(blocks == read_contacts + read_joints);
    for (i = 0; i < blocks; i++) {
        int kind = (int)number(), rows = (int)number();
        read_blocks[i] = kind == NSC_BLOCK_CONTACT ? contact[c++] : joint[j++];
        read_blocks[i].kind = (unsigned char)kind, read_blocks[i].rows = (unsigned char)rows;
        numbers(read_blocks[i].cfm, 3), numbers(read_blocks[i].lambda, 3);
        read_blocks[i].form = (unsigned char)number();
        if (read_blocks[i].form == NSC_ROWS_AT_ARMS) numbers(read_blocks[i].arm_a, 3), numbers(read_blocks[i].arm_b, 3);
    }
    if (strstr(cursor, "bias_error")) CHECK(word("bias_error")), p->bias_error = number();
    if (strstr(cursor, "turned")) CHECK(word("turned")), p->turned = 1;
    CHECK(word("") && *cursor == 0);
    p->body_count = read_bodies + 1, p->masses = read_masses, p->v_free = read_free, p->v = read_v;
    p->block_count = blocks, p->blocks = read_blocks;
    p->arena = read_arena, p->arena_size = (int)(sizeof read_arena / sizeof read_arena[0]);
}

static int same(const nsc_real *a, const nsc_real *b, int n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

/* Mass and inertia are inverses of inverses.  Each inverse of the mass is rounded once, to eps / 2.
   The inverses of the inertia err by a few eps times its condition, here at most 2.6. */
static void masses_apart(int i, const nsc_body *b)
{
    nsci_mat3 R = nsci_rotation(b->orientation);
    double trace;
    nsc_real inertia[6];
    int k;
    nsci_sym_rotate(&R, b->inertia, inertia);
    trace = (double)inertia[0] + (double)inertia[1] + (double)inertia[2];
    CHECK_NEAR(read_mass[i] / (double)b->mass, 1.0, 1.01 * (double)NSC_REAL_EPS);
    for (k = 0; k < 6; k++)
        CHECK_NEAR(read_inertia[i][k] / trace, (double)inertia[k] / trace,
                   10.0 * (double)NSC_REAL_EPS);
}

/* The problem in the text against that which the dump has left in the world */
static void compare_problem(const nsc_problem *p, const nsc_island *own, int driven)
{
    int i, k, side, wrong = own->bodies != read_bodies || own->blocks != p->block_count;
    double apart = 0.0;
    for (i = 1; i <= read_bodies; i++) {
        wrong += !same(world.scratch.solve.v_free + 6 * i, read_free + 6 * i, 6) || !same(&world.scratch.solve.masses[i].inv_mass, &read_masses[i].inv_mass, 1);
        wrong += !same(world.scratch.solve.masses[i].inv_inertia, read_masses[i].inv_inertia, 6);
        masses_apart(i, &world.bodies[world.members[own->first_body + i - 1]]);
        apart = fmax(apart, fabs(read_inertia[i][0] * (double)read_masses[i].inv_inertia[0] +
                                 read_inertia[i][3] * (double)read_masses[i].inv_inertia[3] +
                                 read_inertia[i][4] * (double)read_masses[i].inv_inertia[4] - 1.0));
    }
    CHECK_NEAR(apart, 0.0, 20.0 * (double)NSC_REAL_EPS); /* M times its inverse */
    for (i = 0; i < p->block_count; i++) {
        const nsc_block *w = &world.scratch.solve.blocks[own->first_block + i], *r = &p->blocks[i];
        wrong += r->a != (w->a <= read_bodies ? w->a : 0) || r->b != (w->b <= read_bodies ? w->b : 0);
        wrong += r->kind != w->kind || r->rows != w->rows || !same(&w->mu, &r->mu, 1);
        wrong += !same(w->cfm, r->cfm, w->rows) || !same(w->lambda, r->lambda, w->rows);
        if (!driven) wrong += !same(w->bias, r->bias, w->rows);
        for (k = 0; k < w->rows; k++)
            for (side = 0; side < 2; side++)
                if ((side ? r->b : r->a) > 0) wrong += !same(w->J[k] + 6 * side, r->J[k] + 6 * side, 6);
    }
    CHECK(wrong == 0);
}

/* Boxes and balls thrown together, rough, smooth, soft and bouncing, rolling, two of them joined, in the midst of it;
   a pendulum apart */
static void heap(int driven)
{
    nsc_joint_def j;
    nsc_id id[7];
    nsc_shape_def ground = nsc_default_half_space_def(), s = nsc_default_box_def(NSC_R(0.3), NSC_R(0.2), NSC_R(0.1));
    nsc_body_def belt = nsc_default_body_def();
    int i;
    begin();
    world.def.solver.max_iterations = 15;
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    if (driven) {
        belt.kind = NSC_KINEMATIC_BODY;
        belt.velocity.x = NSC_R(0.5), belt.angular_velocity.z = NSC_R(0.3);
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &belt), &s) >= 0);
    }
    for (i = 0; i < 7; i++) {
        nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.15));
        s.friction = i == 2 ? NSC_R(0.0) : NSC_R(0.6);
        if (NSC_MAX_ROLLING > 0) ball.rolling = NSC_R(0.01), ball.torsion = NSC_R(0.003);
        s.restitution = i == 3 ? NSC_R(0.5) : NSC_R(0.0);
        s.stiffness = i == 4 ? NSC_R(1e5) : NSC_R(0.0), s.damping = i == 4 ? NSC_R(50.0) : NSC_R(0.0);
        id[i] = add(i % 3 == 1 ? ball : s, NSC_DYNAMIC_BODY, i == 6 ? 4.0 : 0.05 * i, 0.03 * i * i, 0.3 + 0.25 * i);
    }
    j = nsc_default_joint_def(NSC_JOINT_UNIVERSAL, id[3], id[5]);
    j.axis[0].drive = NSC_DRIVE_SERVO, j.axis[0].stiffness = NSC_R(20.0), j.axis[0].damping = NSC_R(1.0), j.axis[0].max_force = NSC_R(5.0);
    j.axis[1].limited = 1, j.axis[1].lower = NSC_R(-0.2), j.axis[1].upper = NSC_R(0.2);
    CHECK(nsc_joint_place(&world, &j, world.bodies[world.body_end - 3].position, vec(0.0, 1.0, 0.0), vec(1.0, 0.0, 0.0)) == NSC_OK);
    first_joint = nsc_world_add_joint(&world, &j);
    CHECK(first_joint >= 0);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, id[6]);
    j.axis[0].friction = NSC_R(0.3);
    CHECK(nsc_joint_place(&world, &j, vec(4.5, 1.0, 1.8), vec(0.0, 1.0, 0.0), vec(1.0, 0.0, 0.0)) == NSC_OK);
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    for (i = 0; i < 60; i++) CHECK(nsc_world_step(&world, H) == NSC_OK);
}

/* Every island of one step: its text, solved, gives the impulses that the step finds. */
typedef struct tally { int islands, contacts, joint_blocks, rolling; size_t longest; } tally;

static void one_step_told(int driven, tally *sum)
{
    static nsc_real lambda[3 * NSC_MAX_BLOCKS];
    static nsc_world before;
    nsc_problem p;
    int i, k, island, others, blocks = 0, contacts = 0, wrong = 0, islands = 0;
    double apart = 0.0;
    memcpy(&before, &world, sizeof before);
    for (island = 0; (others = dump(island)) >= 0; island++) {
        CHECK(memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0 && world.found_count == 0);
        if (text_size > sum->longest) sum->longest = text_size;
        parse(&p);
        CHECK(read_joints == others);
        compare_problem(&p, &world.islands[island], driven);
        contacts += read_contacts;
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &world.def.solver, NULL) >= 0);
        if (world.islands[island].asleep) continue;
        for (i = 0; i < p.block_count; i++, blocks++) {
            memcpy(lambda + 3 * blocks, p.blocks[i].lambda, 3 * sizeof *lambda);
            sum->rolling += p.blocks[i].kind == NSC_BLOCK_ROLLING, sum->joint_blocks += p.blocks[i].kind < NSC_BLOCK_CONTACT;
        }
    }
    CHECK(others == NSC_ERR_ARGUMENT && dump(-1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_step(&world, H) == NSC_OK); /* the very step that was told of */
    for (k = 0, i = 0; k < world.report.islands; k++) i += world.islands[k].contacts;
    CHECK(world.report.islands == island && i == contacts && world.contact_count >= contacts); /* elastic ones may wait */
    for (island = 0, k = 0; island < world.report.islands; island++) k += world.islands[island].blocks, islands += world.islands[island].blocks > 0;
    CHECK(k == blocks);
    for (i = 0; i < blocks; i++)
        for (k = 0; k < world.scratch.solve.blocks[i].rows; k++) {
            wrong += !same(&lambda[3 * i + k], &world.scratch.solve.blocks[i].lambda[k], 1);
            apart = fmax(apart, fabs((double)(lambda[3 * i + k] - world.scratch.solve.blocks[i].lambda[k])));
        }
    if (driven) CHECK_NEAR(apart, 0.0, 2e5 * (double)NSC_REAL_EPS); /* a belt's speed is summed elsewhere */
    else CHECK(wrong == 0);
    sum->islands += islands, sum->contacts += contacts;
}

static void problem_text(void)
{
    tally sum = {0, 0, 0, 0, 0};
    int round, driven, sleepers = 0;
    for (driven = 0; driven < 2; driven++) {
        heap(driven);
        for (round = 0; round < 20; round++) {
            CHECK(nsc_world_step(&world, H) == NSC_OK);
            one_step_told(driven, &sum);
        }
        world.def.sleep_time = NSC_R(0.05), world.def.sleep_speed = NSC_R(0.5);
        for (round = 0; round < 20; round++) {
            one_step_told(driven, &sum);
            sleepers += world.report.asleep;
        }
    }
    CHECK(sum.contacts > 400 && sum.islands > 120 && sum.joint_blocks > 200 && (sum.rolling > 40 || NSC_MAX_ROLLING == 0) && sleepers > 20);
    printf("dumped 80 steps: %d islands, %d contacts, %d blocks of joints, %d of rolling friction; the longest text %lu bytes\n", sum.islands,
           sum.contacts, sum.joint_blocks, sum.rolling, (unsigned long)sum.longest);
}

/* Where the first islands use up the room for rolling friction, the text of a later one says so too. */
static void rolling_room(void)
{
#if NSC_MAX_ROLLING > 0
    nsc_shape_def ground = nsc_default_half_space_def(), ball = nsc_default_sphere_def(NSC_R(0.15));
    tally sum = {0, 0, 0, 0, 0};
    int i;
    begin();
    ball.rolling = NSC_R(0.01);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    for (i = 0; i < NSC_MAX_ROLLING + 2; i++) add(ball, NSC_DYNAMIC_BODY, i, 0.0, 0.15);
    for (i = 0; i < 5; i++) one_step_told(0, &sum);
    CHECK(world.report.dropped_rolling == 2 && sum.rolling == 5 * NSC_MAX_ROLLING && sum.islands == 5 * (NSC_MAX_ROLLING + 2));
#endif
}

/* The first of the sub-steps is told, with its own length. */
static void substep_text(void)
{
    static nsc_world twin;
    nsc_problem p;
    int i, k, wrong = 0;
    heap(0);
    memcpy(&twin, &world, sizeof twin);
    world.def.substeps = 3;
    CHECK(dump(0) >= 0);
    parse(&p);
    CHECK(nsc_problem_prepare(&p) == NSC_OK && p.block_count > 5);
    for (i = 1; i <= read_bodies; i++) { /* gravity for a third of the step */
        const nsc_body *b = &world.bodies[world.members[i - 1]];
        wrong += fabs((double)(read_free[6 * i + 2] - b->velocity.z) + 9.81 / 3.0 * (double)H) > 1e-5;
    }
    for (i = 0; i < p.block_count; i++)
        for (k = 0; k < p.blocks[i].rows; k++) wrong += !isfinite(p.blocks[i].bias[k]);
    CHECK(wrong == 0);
    world.def.substeps = 1;
    CHECK(memcmp(&twin, &world, NSC_WORLD_STATE_SIZE) == 0);
}

/* Blocks that are no contacts, by hand: the other part of the text */
static void joint_text(void)
{
    nsc_block saved[2];
    nsc_problem p;
    int i, k;
    heap(0);
    CHECK(nsc_world_remove_joint(&world, first_joint) == NSC_OK);
    for (i = 0; i < world.shape_end; i++) world.shapes[i].def.rolling = world.shapes[i].def.torsion = NSC_R(0.0);
    CHECK(dump(0) == 0);
    parse(&p);
    CHECK(p.block_count > 2);
    for (i = 0; i < 2; i++) {
        nsc_block *b = &read_blocks[i];
        b->kind = (unsigned char)(i ? NSC_BLOCK_BOX : NSC_BLOCK_EQUALITY), b->rows = (unsigned char)(i ? 2 : 3);
        for (k = 0; k < 3; k++) b->cfm[k] = NSC_R(0.1) * (nsc_real)k, b->lo[k] = NSC_R(-0.3), b->hi[k] = NSC_REAL_MAX * NSC_R(2.0);
        b->lambda[1] = NSC_REAL_MIN / NSC_R(3.0); /* subnormal */
        saved[i] = *b;
    }
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    text_size = 0;
    CHECK(nsc_dump_problem(&p, on_text, &world) == 2);
    memcpy(read_twist, read_free, sizeof read_twist);
    parse(&p);
    CHECK(read_joints == 2 && same(read_twist, read_free, 6 * read_bodies + 6));
    for (i = 0; i < 2; i++) {
        const nsc_block *b = &p.blocks[i];
        CHECK(b->kind == saved[i].kind && b->rows == saved[i].rows && b->a == saved[i].a && b->b == saved[i].b);
        CHECK(same(b->cfm, saved[i].cfm, b->rows) && same(b->lambda, saved[i].lambda, b->rows));
        for (k = 0; k < b->rows; k++) CHECK(same(&b->bias[k], &saved[i].bias[k], 1) && same(&b->J[k][6], &saved[i].J[k][6], 6));
    }
    CHECK(same(p.blocks[1].lo, saved[1].lo, 2) && same(p.blocks[1].hi, saved[1].hi, 2));
}

static void one_number(nsc_real x)
{
    nsci_dump_text out;
    nsc_real y;
    out.write = on_text, out.user = &world;
    text_size = 0;
    nsci_dump_real(&out, x);
    cursor = text;
    y = number();
    CHECK(same(&x, &y, 1) && *cursor == 0);
}

/* Of any bits */
static int any_number_reads_back(void)
{
    nsc_real x = NSC_R(1.0);
    nsci_dump_bits bits = 0;
    unsigned b;
    for (b = 0; b < 8 * sizeof bits; b += 8) bits |= (nsci_dump_bits)below(256) << b;
    memcpy(&x, &bits, sizeof x);
    said("%.17g", (double)x);
    if (isfinite(x)) one_number(x);
    return 1;
}

static void number_text(void)
{
    one_number(NSC_R(0.0)), one_number(-NSC_R(0.0)), one_number(NSC_R(1.0)), one_number(NSC_R(-0.1));
    one_number(NSC_REAL_MAX), one_number(NSC_REAL_MIN), one_number(NSC_REAL_MIN * NSC_REAL_EPS);
    one_number(NSC_REAL_MAX * NSC_R(2.0)), one_number(-NSC_REAL_MAX * NSC_R(2.0));
    search("any number reads back", any_number_reads_back, 20000);
}

/* Solved where it is, the problem of each island gives the impulses of the step, bit for bit. */
static void problems(void)
{
    static nsc_real lambda[3 * NSC_MAX_BLOCKS];
    static nsc_world before;
    nsc_problem p, kept;
    int round, island, i, blocks, wrong = 0, code;
    heap(1);
    for (round = 0; round < 20; round++) {
        memcpy(&before, &world, sizeof before);
        blocks = 0;
        for (island = 0; (code = nsc_world_problem(&world, H, island, &p)) == NSC_OK; island++) {
            CHECK(memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0 && world.found_count == 0);
            CHECK(p.stop == NULL && p.blocks == world.scratch.solve.blocks + blocks);
            CHECK(solve_by(&p, &world.def.solver, NULL) >= 0);
            for (i = 0; i < p.block_count; i++, blocks++)
                memcpy(lambda + 3 * blocks, p.blocks[i].lambda, 3 * sizeof *lambda);
        }
        CHECK(code == NSC_ERR_ARGUMENT && island > 1 && blocks > 4);
        CHECK(nsc_world_step(&world, H) == NSC_OK && world.report.islands == island);
        for (i = 0; i < blocks; i++)
            wrong += !same(lambda + 3 * i, world.scratch.solve.blocks[i].lambda,
                           world.scratch.solve.blocks[i].rows);
    }
    CHECK(wrong == 0);
    memset(&kept, 0x5a, sizeof kept);
    memcpy(&p, &kept, sizeof p);
    CHECK(nsc_world_problem(&world, H, 99, &p) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_problem(&world, NSC_R(0.0), 0, &p) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_problem(NULL, H, 0, &p) == NSC_ERR_ARGUMENT);
    world.bodies[2].velocity.x = NSC_REAL_MAX * NSC_R(2.0);
    CHECK(nsc_world_problem(&world, H, 0, &p) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_NOT_FINITE);
    CHECK(memcmp(&p, &kept, sizeof p) == 0);
}

/* A problem that no world made: the second of four bodies does not move, and the others are a rotor,
   a particle and a solid. */
static nsc_mass own_masses[4];
static nsc_real own_free[24];
static nsc_block own_blocks[3];

static nsc_problem own_problem_begin(void)
{
    nsc_problem p;
    int i, k;
    memset(&p, 0, sizeof p);
    memset(own_masses, 0, sizeof own_masses);
    memset(own_blocks, 0, sizeof own_blocks);
    for (i = 0; i < 24; i++) own_free[i] = NSC_R(0.5) * (nsc_real)i;
    for (k = 0; k < 3; k++) {
        own_masses[0].inv_inertia[k] = k < 2 ? 1 : NSC_R(1e-4) * NSC_REAL_EPS;
        own_masses[3].inv_inertia[k] = (nsc_real)(k + 2);
    }
    own_masses[2].inv_mass = NSC_R(0.25);
    own_masses[3].inv_mass = NSC_R(0.5);
    own_masses[3].inv_inertia[3] = NSC_R(1.0);
    for (i = 0; i < 3; i++) {
        nsc_block *b = &own_blocks[i];
        b->a = i;
        b->b = 3;
        b->kind = (unsigned char)(i == 0 ? NSC_BLOCK_CONTACT : NSC_BLOCK_BOX);
        b->rows = (unsigned char)(i == 1 ? 2 : 1);
        for (k = 0; k < 12; k++) b->J[0][k] = (nsc_real)(k + 1);
        b->bias[0] = NSC_R(0.125);
        b->J[2][0] = NSC_REAL_MAX * NSC_R(2.0); /* no row of the block */
        b->bias[2] = b->J[2][0];
    }
    p.body_count = 4;
    p.masses = own_masses;
    p.v_free = own_free;
    p.block_count = 3;
    p.blocks = own_blocks;
    return p;
}

static void own_problem(void)
{
    nsc_problem own = own_problem_begin(), p;
    double bias = 0.125;
    int i;
    text_size = 0;
    CHECK(nsc_dump_problem(&own, on_text, &world) == 2);
    parse(&p);
    CHECK(read_bodies == 3 && read_contacts == 1 && read_joints == 2);
    CHECK(read_mass[1] > (double)NSC_REAL_MAX); /* it cannot be pushed */
    CHECK_NEAR(read_mass[2], 4.0, 0.0);
    CHECK_NEAR(read_mass[3], 2.0, 0.0);
    for (i = 0; i < 6; i++) {
        CHECK_NEAR(read_inertia[1][i], 0.0, 0.0); /* singular to rounding */
        CHECK_NEAR(read_inertia[2][i], 0.0, 0.0);
    }
    CHECK_NEAR(read_inertia[3][0], 0.6, 4.0 * (double)NSC_REAL_EPS); /* of {{2, 1, 0}, {1, 3, 0}, {0, 0, 4}} */
    CHECK_NEAR(read_inertia[3][1], 0.4, 4.0 * (double)NSC_REAL_EPS);
    CHECK_NEAR(read_inertia[3][2], 0.25, 4.0 * (double)NSC_REAL_EPS);
    CHECK_NEAR(read_inertia[3][3], -0.2, 4.0 * (double)NSC_REAL_EPS);
    CHECK(same(read_free + 6, own_free, 6) && same(read_free + 12, own_free + 12, 12));
    CHECK(p.blocks[0].a == 1 && p.blocks[1].a == 0 && p.blocks[2].a == 2 && p.blocks[0].b == 3);
    CHECK(same(p.blocks[0].J[0], own_blocks[0].J[0], 12));
    for (i = 0; i < 24; i++) CHECK_NEAR(p.blocks[0].J[1 + i / 12][i % 12], 0.0, 0.0);
    for (i = 0; i < 6; i++) {
        CHECK_NEAR(p.blocks[1].J[0][i], (double)own_blocks[1].J[0][i], 0.0); /* of a body that is at rest in the text */
        bias += (i + 1) * (double)own_free[6 + i];
    }
    CHECK_NEAR(p.blocks[1].bias[0], bias, 0.0); /* sums of eighths */
    CHECK_NEAR(p.blocks[0].bias[0], 0.125, 0.0);
    CHECK_NEAR(p.blocks[0].bias[2], 0.0, 0.0);
}

static int pieces_of_text;
static void count_piece(void *user, const char *piece)
{
    (void)user;
    (void)piece;
    pieces_of_text++;
}

static void own_problem_refused(void)
{
    const nsc_real inf = NSC_REAL_MAX * NSC_R(2.0), none = inf - inf;
    nsc_real matrix = 1;
    int i;
    for (i = 0; i < 32; i++) {
        nsc_problem p = own_problem_begin();
        int expected = i < 18 ? NSC_ERR_ARGUMENT : i < 31 ? NSC_ERR_NOT_FINITE : 2, code;
        if (i == 0) p.delassus = &matrix;
        if (i == 1) p.body_count = 0;
        if (i == 2) p.masses = NULL;
        if (i == 3) p.v_free = NULL;
        if (i == 4) p.block_count = -1;
        if (i == 5) p.blocks = NULL;
        if (i == 6) own_blocks[2].a = -1;
        if (i == 7) own_blocks[2].a = 4;
        if (i == 8) own_blocks[0].b = -1;
        if (i == 9) own_blocks[0].b = 4;
        if (i == 10) own_blocks[1].kind = 0;
        if (i == 11) own_blocks[1].kind = NSC_BLOCK_ROLLING + 1;
        if (i == 12) own_blocks[1].rows = 0;
        if (i == 13) own_blocks[1].rows = 4;
        if (i == 14) own_blocks[1].lo[1] = 1;
        if (i == 15) own_blocks[1].lo[0] = none;
        if (i == 16) own_blocks[2].hi[0] = none;
        if (i == 17) own_blocks[2].hi[0] = -inf;
        if (i == 18) p.bias_error = none;
        if (i == 19) own_masses[2].inv_mass = inf;
        if (i == 20) own_masses[3].inv_inertia[5] = none;
        if (i == 21) own_free[23] = inf;
        if (i == 22) own_blocks[0].J[0][11] = none;
        if (i == 23) own_blocks[1].J[1][0] = inf;
        if (i == 24) own_blocks[1].bias[1] = none;
        if (i == 25) own_blocks[1].cfm[1] = inf;
        if (i == 26) own_blocks[1].lambda[1] = none;
        if (i == 27) own_blocks[0].mu = none;
        if (i == 28) own_blocks[1].J[0][0] = NSC_REAL_MAX; /* with 3 m/s the row overflows */
        if (i == 29) {
            own_blocks[1].kind = NSC_BLOCK_ROLLING;
            own_blocks[1].hi[0] = inf;
        }
        if (i == 30) own_free[6] = none;
        pieces_of_text = 0;
        code = nsc_dump_problem(&p, count_piece, NULL);
        CHECK(code == expected && (pieces_of_text > 0) == (i == 31));
        if (code != expected) printf("    case %d: %d\n", i, code);
        CHECK(nsc_dump_problem(i == 31 ? &p : NULL, i == 31 ? NULL : count_piece, NULL) == NSC_ERR_ARGUMENT);
    }
}

/* ---- terrain of 6 by 4 samples, 2 by 3 m each */

enum { NX = 6, NY = 4 };
static const double DX = 2, DY = 3;
static nsc_real heights[NX * NY];

static nsc_id terrain(void)
{
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_id id = world_add_field(&world, NSC_GROUND, &d, heights, NX, NY, REAL(DX), REAL(DY));
    CHECK(id >= 0);
    return id;
}

static int grid_seen[NX * NY][2], grid_lines, strange;

static int sample_at(nsc_vec3 p) /* which one stands there, or -1 */
{
    double i = D(p.x) / DX + .5 * (NX - 1), j = D(p.y) / DY + .5 * (NY - 1);
    int n = (int)(i + .5) + NX * (int)(j + .5);
    if (fabs(i - floor(i + .5)) > 1e-4 || fabs(j - floor(j + .5)) > 1e-4 || i < -.1 || j < -.1 || i > NX - .9 || j > NY - .9) return -1;
    return fabs(D(p.z) - D(heights[n])) < 1e-4 ? n : -1;
}

static void grid_line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    int a = sample_at(start), b = sample_at(end);
    (void)user, (void)from;
    grid_lines++;
    if (a < 0 || (b != a + 1 && b != a + NX)) strange++;
    else grid_seen[a][b == a + NX]++;
}

static void grid_point(void *user, nsc_vec3 at, const nsc_draw_from *from) { (void)user, (void)at, (void)from; }

/* Each edge of the grid is one grid_line. */
static void drawn_terrain(void)
{
    nsc_draw draw;
    int i, j;
    memset(&draw, 0, sizeof draw);
    draw.line = grid_line, draw.point = grid_point;
    exact_world(0);
    for (i = 0; i < NX * NY; i++) heights[i] = REAL(.125 * i + .01 * i * i);
    terrain();
    CHECK(nsc_world_draw(&world, &draw, NSC_DRAW_SHAPES) == NSC_OK);
    CHECK(strange == 0 && grid_lines == (NX - 1) * NY + NX * (NY - 1));
    for (j = 0; j < NY; j++)
        for (i = 0; i < NX; i++) CHECK(grid_seen[i + NX * j][0] == (i + 1 < NX) && grid_seen[i + NX * j][1] == (j + 1 < NY));
}

/* A tetrahedron, closed, and without its base, on a body that is moved and turned: each edge is one line, though two triangles
   share it, and an edge of one triangle alone is drawn too; the triangles enclose the volume and look outward. */
static void drawn_mesh(void)
{
    static const nsc_mesh_vertex corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    static const nsc_mesh_triangle closed[4] = {{{0, 2, 1}, {2, 3, 1}}, {{0, 1, 3}, {0, 3, 2}}, {{0, 3, 2}, {1, 3, 0}}, {{1, 2, 3}, {0, 2, 1}}};
    static const nsc_mesh_triangle open[3] = {{{0, 1, 3}, {NSC_MESH_OPEN, 2, 1}}, {{0, 3, 2}, {0, 2, NSC_MESH_OPEN}}, {{1, 2, 3}, {NSC_MESH_OPEN, 1, 0}}};
    static const nsc_mesh_node whole = {{0, 0, 0}, {1, 2, 3}, 1, 0, 4, 0}, cut = {{0, 0, 0}, {1, 2, 3}, 1, 0, 3, 0};
    static const nsc_mesh solid = {corner, closed, &whole, 4, 4, 1}, bowl = {corner, open, &cut, 4, 3, 1};
    static const nsc_mesh *const table[2] = {&solid, &bowl};
    int which, i, k, n, inward;
    for (which = 0; which < 2; which++) {
        nsc_shape_def d = nsc_default_mesh_def();
        nsc_body_def b = nsc_default_body_def();
        nsc_vec3 at[4], centre;
        nsc_id body, shape;
        begin();
        CHECK(nsc_world_set_meshes(&world, table, 2) == NSC_OK);
        b.kind = NSC_STATIC_BODY;
        b.pose.position = vec(0.5, -1, 2);
        b.pose.orientation = oblique();
        d.pose.position = vec(0.25, 0, 0);
        body = nsc_world_add_body(&world, &b);
        shape = nsc_world_add_mesh(&world, body, &d, which);
        CHECK(shape >= 0);
        CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == 6 && point_count == 0);
        for (i = 0; i < 4; i++) {
            nsc_vec3 p = vec((double)corner[i].x + 0.25, (double)corner[i].y, (double)corner[i].z);
            at[i] = nsci_add(b.pose.position, nsci_rotate(b.pose.orientation, p));
        }
        for (i = 0; i < 4; i++)
            for (k = i + 1; k < 4; k++) {
                int drawn = 0;
                for (n = 0; n < line_count; n++) {
                    const stroke *l = &lines[n];
                    drawn += length(minus(l->from, at[i])) + length(minus(l->to, at[k])) < 1e-5 ||
                             length(minus(l->from, at[k])) + length(minus(l->to, at[i])) < 1e-5;
                }
                CHECK(drawn == 1);
            }
        CHECK(draw(NSC_DRAW_TRIANGLES) == NSC_OK && facet_count == 4 - which);
        check_facets(body, shape, NSC_COLOUR_STATIC);
        centre = multiple(0.25, plus(plus(at[0], at[1]), plus(at[2], at[3])));
        CHECK_NEAR(volume_within(centre, &inward), which ? 0.75 : 1.0, 1e-5); /* of 1 m^3 a quarter is above the base */
        CHECK(inward == 0);
    }
}

int main(void)
{
    shapes();
    pieces();
    contacts();
    joints();
    reach_of_a_plane();
    kinds_of_contacts();
    springs();
    solids();
    hull_faces();
    open_surfaces();
    owners();
    refused();
    dumps();
    number_text();
    problem_text();
    rolling_room();
    substep_text();
    joint_text();
    problems();
    own_problem();
    own_problem_refused();
    drawn_terrain();
    drawn_mesh();
    return TEST_END("draw");
}
