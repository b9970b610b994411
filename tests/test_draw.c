/* Looking: every line lies where the shape is; the text of a contact problem is the problem, bit for bit. */
#define NSC_MAX_BODIES 10
#define NSC_MAX_SHAPES 12
#define NSC_MAX_CONTACTS 32
#define NSC_MAX_JOINTS 4
#ifndef NSC_MAX_ROLLING
#define NSC_MAX_ROLLING 2
#endif
#define NSC_MAX_SPRINGS 2
#define NSC_MAX_HULLS 1
#define NSC_MAX_FIELDS 1
#define NSC_FIELD_SAMPLES 16
#define NSC_IMPLEMENTATION
#include "../nsc.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define H NSC_R(0.0078125)
enum { MAX_LINES = 4096, MAX_TEXT = 400000 };
typedef struct stroke { nsc_vec3 from, to; int colour; } stroke;
static stroke lines[MAX_LINES], points[MAX_LINES];
static int line_count, point_count;
static nsc_world world;
static char text[MAX_TEXT];
static size_t text_size;

static void on_line(void *user, nsc_vec3 from, nsc_vec3 to, int colour)
{
    CHECK(user == &world && line_count < MAX_LINES);
    lines[line_count].from = from, lines[line_count].to = to, lines[line_count].colour = colour;
    line_count++;
}

static void on_point(void *user, nsc_vec3 at, int colour)
{
    CHECK(user == &world && point_count < MAX_LINES);
    points[point_count].from = points[point_count].to = at, points[point_count].colour = colour;
    point_count++;
}

static nsc_draw pen(void)
{
    nsc_draw d;
    d.user = &world, d.line = on_line, d.point = on_point, d.force_scale = NSC_R(0.01);
    return d;
}

static int draw(int what)
{
    nsc_draw d = pen();
    int i, ok = 1, code;
    line_count = point_count = 0;
    code = nsc_world_draw(&world, &d, what);
    for (i = 0; i < line_count; i++) ok &= nsci_vec_finite(lines[i].from) && nsci_vec_finite(lines[i].to);
    for (i = 0; i < point_count; i++) ok &= nsci_vec_finite(points[i].from);
    CHECK(ok);
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
    b.pose.position = nsci_vec((nsc_real)x, (nsc_real)y, (nsc_real)z);
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
    nsc_vec3 d = nsci_sub(p, g.centre);
    double x = (double)nsci_dot3(d, g.axes.c[0]), y = (double)nsci_dot3(d, g.axes.c[1]), z = (double)nsci_dot3(d, g.axes.c[2]);
    double r = (double)s->def.radius, half = (double)s->def.half.z, across = sqrt(x * x + y * y), end;
    switch (s->def.kind) {
    case NSC_SHAPE_SPHERE: return fabs(sqrt(across * across + z * z) - r);
    case NSC_SHAPE_CAPSULE:
        end = fmax(fabs(z) - half, 0.0);
        return fabs(sqrt(across * across + end * end) - r);
    case NSC_SHAPE_CYLINDER: return fmax(fabs(across - r), fmax(fabs(z) - half, 0.0));
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
        nsc_vec3 middle = nsci_mul_sv(NSC_R(0.5), nsci_add(lines[i].from, lines[i].to));
        worst = fmax(worst, fmax(off_surface(lines[i].from), off_surface(lines[i].to)));
        worst_middle = fmax(worst_middle, off_surface(middle));
        size = fmax(size, (double)nsci_norm(nsci_sub(lines[i].from, lines[i].to)));
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
    CHECK(nsc_world_remove_body(&world, nsci_body_handle(&world, 1)) == NSC_OK);
    CHECK(draw(NSC_DRAW_ALL) == NSC_OK && line_count == 0 && point_count == 0);
}

/* A hull and a height field, filled by hand: every edge once, every line between samples. */
static void pieces(void)
{
    static const uint8_t corner[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    nsc_hull *h = &world.hulls[0];
    nsc_field *f = &world.fields[0];
    int i, j, twice = 0;
    begin();
    add(nsc_default_sphere_def(NSC_R(0.5)), NSC_STATIC_BODY, 0.0, 0.0, 0.0);
    h->used = 1, h->vertices = h->faces = 4;
    for (i = 0; i < 5; i++) h->first[i] = (uint8_t)(3 * i);
    memcpy(h->corner, corner, sizeof corner);
    h->vertex[1].x = h->vertex[2].y = h->vertex[3].z = NSC_R(1.0);
    world.shapes[0].def.kind = NSC_SHAPE_HULL;
    CHECK(draw(NSC_DRAW_SHAPES) == NSC_OK && line_count == 6);
    for (i = 0; i < 6; i++)
        for (j = 0; j < i; j++)
            twice += !(nsci_norm(nsci_sub(nsci_add(lines[i].from, lines[i].to), nsci_add(lines[j].from, lines[j].to))) > NSC_R(0.1));
    CHECK(twice == 0);
    f->used = 1, f->nx = 4, f->ny = 3, f->dx = NSC_R(0.5), f->dy = NSC_R(2.0);
    for (i = 0; i < 12; i++) f->height[i] = (nsc_real)(i * i % 7);
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

static double long_line(int i) { return (double)nsci_norm(nsci_sub(lines[i].to, lines[i].from)); }

static void joints(void)
{
    nsc_joint *j = &world.joints[1];
    int i, links = 0;
    begin();
    add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5)), NSC_DYNAMIC_BODY, 0.0, 0.0, 0.5);
    j->generation = 1;
    j->def.kind = NSC_JOINT_HINGE;
    j->def.body_a = NSC_GROUND, j->def.body_b = nsci_body_handle(&world, 1);
    j->def.frame_a.orientation.w = j->def.frame_b.orientation.w = NSC_R(1.0);
    j->def.frame_a.position.x = NSC_R(3.0), j->def.frame_b.position.x = NSC_R(1.0);
    world.joint_end = 2;
    CHECK(draw(NSC_DRAW_JOINTS) == NSC_OK && point_count == 2 && line_count == 3 + 3 + 1 + 1);
    CHECK_NEAR(points[0].from.x, 3.0, 1e-6);
    CHECK_NEAR(points[1].from.x, 1.0, 1e-6);
    CHECK_NEAR(points[1].from.z, 0.5, 1e-6);
    for (i = 0; i < line_count; i++) links += lines[i].colour == NSC_COLOUR_JOINT;
    CHECK(links == 2);
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
        if (i > 0) CHECK(nsc_world_remove_body(&world, nsci_body_handle(&world, 1)) == NSC_OK);
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
    c.normal = nsci_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(-1.0));
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
    world.last_h = H, own->impulse = nsci_vec(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0));
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
    CHECK(lines[0].colour == NSC_COLOUR_JOINT);
}

static void nobody(void *user, const char *piece) { (void)user, (void)piece; }

static void refused(void)
{
    nsc_draw d = pen();
    nsc_world before;
    contacts();
    memcpy(&before, &world, sizeof before);
    CHECK(nsc_world_draw(NULL, &d, 1) == NSC_ERR_ARGUMENT && nsc_world_draw(&world, NULL, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_draw(&world, &d, -1) == NSC_ERR_ARGUMENT && nsc_world_draw(&world, &d, 32) == NSC_ERR_ARGUMENT);
    d.force_scale = NSC_REAL_MAX * NSC_R(2.0);
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_ALL) == NSC_ERR_ARGUMENT);
    d.force_scale = NSC_R(1.0);
    d.line = NULL, line_count = point_count = 0;
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_ALL) == NSC_OK && line_count == 0 && point_count == 4);
    d.point = NULL, point_count = 0;
    CHECK(nsc_world_draw(&world, &d, NSC_DRAW_ALL) == NSC_OK && line_count == 0 && point_count == 0);
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
        if (k == 0) CHECK(nsc_body_add_force(&world, id, nsci_vec(NSC_REAL_MAX, NSC_R(0.0), NSC_R(0.0)), nsci_vec(0, 0, 0)) == NSC_OK);
        if (k == 1) world.bodies[1].asleep = world.bodies[2].asleep = 1, world.def.gravity.z = -NSC_REAL_MAX;
        if (k == 2) world.bodies[1].asleep = world.bodies[2].asleep = 1;
        if (k == 3) world.def.stepper = NSC_STEPPER_EULER_IMPLICIT, add(ball, NSC_KINEMATIC_BODY, 0.0, 0.9, 0.0);
        memcpy(&before, &world, sizeof before);
        CHECK(nsc_world_dump(&world, NSC_R(1024.0), 0, nobody, NULL) == expected);
        CHECK(memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0);
    }
}

/* ---- the text */

static void on_text(void *user, const char *piece)
{
    size_t n = strlen(piece);
    CHECK(user == &world && n > 0 && n < 40 && text_size + n < MAX_TEXT);
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
    }
    if (strstr(cursor, "bias_error")) CHECK(word("bias_error")), p->bias_error = number();
    CHECK(word("") && *cursor == 0);
    p->body_count = read_bodies + 1, p->masses = read_masses, p->v_free = read_free, p->v = read_v;
    p->block_count = blocks, p->blocks = read_blocks;
    p->arena = read_arena, p->arena_size = (int)(sizeof read_arena / sizeof read_arena[0]);
}

static int same(const nsc_real *a, const nsc_real *b, int n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

/* The problem in the text against that which the dump has left in the world */
static void compare_problem(const nsc_problem *p, const nsc_island *own, int driven)
{
    int i, k, side, wrong = own->bodies != read_bodies || own->blocks != p->block_count;
    double apart = 0.0;
    for (i = 1; i <= read_bodies; i++) {
        wrong += !same(world.scratch.solve.v_free + 6 * i, read_free + 6 * i, 6) || !same(&world.scratch.solve.masses[i].inv_mass, &read_masses[i].inv_mass, 1);
        wrong += !same(world.scratch.solve.masses[i].inv_inertia, read_masses[i].inv_inertia, 6);
        wrong += read_mass[i] != (double)world.bodies[world.members[own->first_body + i - 1]].mass;
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
    CHECK(nsc_joint_place(&world, &j, world.bodies[world.body_end - 3].position, nsci_vec(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0)), nsci_vec(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0))) == NSC_OK);
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, id[6]);
    j.axis[0].friction = NSC_R(0.3);
    CHECK(nsc_joint_place(&world, &j, nsci_vec(NSC_R(4.5), NSC_R(1.0), NSC_R(1.8)), nsci_vec(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0)), nsci_vec(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0))) == NSC_OK);
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
        CHECK(nsc_problem_prepare(&p) == NSC_OK && nsc_solve(&p, &world.def.solver, NULL) >= 0);
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
        for (k = 0; k < p.blocks[i].rows; k++) wrong += !nsci_finite(p.blocks[i].bias[k]);
    CHECK(wrong == 0);
    world.def.substeps = 1;
    CHECK(memcmp(&twin, &world, NSC_WORLD_STATE_SIZE) == 0);
}

/* Blocks that are no contacts, by hand: the other part of the text */
static void joint_text(void)
{
    nsc_block saved[2];
    nsc_problem p;
    nsci_text out;
    int i, k;
    heap(0);
    nsc_world_remove_joint(&world, nsci_handle(&world, NSCI_JOINT_HANDLE, 0, 1));
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
    memcpy(world.scratch.solve.masses + 1, read_masses + 1, sizeof *read_masses * 7);
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    out.write = on_text, out.user = &world;
    text_size = 0;
    CHECK(nsci_dump_problem(&out, &world, &p) == 2);
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
    nsci_text out;
    nsc_real y;
    out.write = on_text, out.user = &world;
    text_size = 0;
    nsci_say_real(&out, x);
    cursor = text;
    y = number();
    CHECK(same(&x, &y, 1) && *cursor == 0);
}

static void number_text(void)
{
    nsc_real x = NSC_R(1.0);
    uint32_t seed = 1;
    int i;
    one_number(NSC_R(0.0)), one_number(-NSC_R(0.0)), one_number(NSC_R(1.0)), one_number(NSC_R(-0.1));
    one_number(NSC_REAL_MAX), one_number(NSC_REAL_MIN), one_number(NSC_REAL_MIN * NSC_REAL_EPS);
    one_number(NSC_REAL_MAX * NSC_R(2.0)), one_number(-NSC_REAL_MAX * NSC_R(2.0));
    for (i = 0; i < 20000; i++) {
        nsci_bits bits = 0;
        unsigned b;
        for (b = 0; b < 8 * sizeof bits; b += 8) {
            seed = seed * 1664525u + 1013904223u;
            bits |= (nsci_bits)(seed >> 24) << b;
        }
        memcpy(&x, &bits, sizeof x);
        if (nsci_finite(x)) one_number(x);
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
    refused();
    dumps();
    number_text();
    problem_text();
    rolling_room();
    substep_text();
    joint_text();
    return TEST_END("test_draw");
}
