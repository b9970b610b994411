/* Hulls and height fields, tables of the user's: steps, mass, rays, casts, overlaps and pictures do not depend on the order of a
   table; what nsc_hull_print prints is the hull; snapshots and images; bad tables. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_image.h"
#include "nsc_sense.h"
#include "nsc_hull.h"
#include "nsc_draw.h"
#include "world.h"

enum { ROCKS = 3, SIDE = 8, BODIES = 6 };
static nsc_hull rock[ROCKS];
static nsc_real height[SIDE * SIDE];
static nsc_heights hills;
static const nsc_hull *hulls[ROCKS] = {&rock[0], &rock[1], &rock[2]};
static const nsc_hull *turned[ROCKS] = {&rock[2], &rock[1], &rock[0]};
static const nsc_heights *fields[1] = {&hills};
static nsc_world other, before;
static unsigned seed = 1;

static double chance(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (double)(seed >> 8) / 16777216.0;
}

static void make_tables(void)
{
    nsc_vec3 p[20];
    nsc_real outside;
    int k, i;
    for (k = 0; k < ROCKS; k++) {
        for (i = 0; i < 20; i++) {
            p[i].x = REAL(chance(-0.4, 0.4));
            p[i].y = REAL(chance(-0.3, 0.3));
            p[i].z = REAL(chance(-0.1, 0.3));
        }
        CHECK(nsc_hull_from_points(&rock[k], p, 20, 10 + 2 * k, &outside) == NSC_OK);
    }
    hills.height = height, hills.nx = hills.ny = SIDE, hills.dx = hills.dy = REAL(0.5);
    for (i = 0; i < SIDE * SIDE; i++) {
        height[i] = REAL(chance(-0.15, 0.15) + 0.1 * ((i % SIDE - 3) * (i % SIDE - 3) + (i / SIDE - 3) * (i / SIDE - 3)) / 4);
        if (i == 0 || height[i] < hills.low) hills.low = height[i];
        if (i == 0 || height[i] > hills.high) hills.high = height[i];
    }
}

static void tables(nsc_world *w)
{
    CHECK(nsc_world_set_hulls(w, hulls, ROCKS) == NSC_OK);
    CHECK(nsc_world_set_fields(w, fields, 1) == NSC_OK);
}

/* Straight or turned: the order of the hulls in the table.  Rocks, a box, a sphere and a cylinder over hills; a hull that is static; two hulls on one body */
static void build(nsc_world *w, int straight)
{
    nsc_world_def wd = nsc_default_world_def();
    nsc_shape_def d = nsc_default_height_field_def(), h = nsc_default_hull_def();
    int i;
    CHECK(nsc_world_init(w, &wd) == NSC_OK);
    CHECK(nsc_world_set_hulls(w, straight ? hulls : turned, ROCKS) == NSC_OK);
    CHECK(nsc_world_set_fields(w, fields, 1) == NSC_OK);
    CHECK(nsc_world_add_height_field(w, NSC_GROUND, &d, 0) > 0);
    for (i = 0; i < BODIES + 1; i++) {
        nsc_body_def b = nsc_default_body_def();
        nsc_id body = NSC_GROUND;
        int k, shapes = i == 3 ? 2 : 1;
        b.pose.position = vec(0.4 * (i % 3) - 0.4, 0.5 * (i / 3) - 0.3, 1 + 0.5 * (i / 2));
        b.angular_velocity = vec(1, 0.5 * i, -1);
        if (i > 0) body = nsc_world_add_body(w, &b);
        if (i > 3) {
            nsc_shape_def s = nsc_default_box_def(REAL(0.2), REAL(0.15), REAL(0.1));
            if (i == 5) s = nsc_default_sphere_def(REAL(0.2));
            if (i == 6) s = nsc_default_cylinder_def(REAL(0.15), REAL(0.2));
            CHECK(nsc_world_add_shape(w, body, &s) > 0);
            continue;
        }
        for (k = 0; k < shapes; k++) {
            h.pose.position = i ? vec(0.3 * k, 0, 0) : vec(0.3, 0.2, 0.3);
            CHECK(nsc_world_add_hull(w, body, &h, straight ? (i + k) % ROCKS : ROCKS - 1 - (i + k) % ROCKS) > 0);
        }
    }
}

typedef struct view {
    nsc_hit ray[3], closest[3], cast[3];
    int code[3][3], overlaps;
    nsc_id id[12];
    double drawn;
} view;

static void line(void *user, nsc_vec3 a, nsc_vec3 b, const nsc_draw_from *from)
{
    view *v = (view *)user;
    (void)from;
    v->drawn = 0.75 * v->drawn + D(a.x) + 2 * D(a.y) + 3 * D(a.z) - D(b.x) * 0.5 - D(b.y) * 0.25 - D(b.z);
}

static void triangle(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 n, const nsc_draw_from *from)
{
    line(user, a, b, from);
    line(user, c, n, from);
}

static void look(nsc_world *w, int step, view *v)
{
    nsc_shape_def probe = nsc_default_capsule_def(REAL(0.1), REAL(0.2));
    nsc_draw draw;
    int i;
    memset(v, 0, sizeof *v);
    for (i = 0; i < 3; i++) {
        nsc_vec3 at = vec(0.31 * i - 0.3 + 0.001 * step, 0.17 * i - 0.2, 3);
        v->code[0][i] = nsc_world_cast_ray(w, at, vec(0.1, 0.2 * i, -5), UINT32_C(0xffffffff), &v->ray[i]);
        probe.pose.position = at;
        v->code[1][i] = nsc_world_cast_shape(w, &probe, vec(0.1, 0.2 * i, -5), UINT32_C(0xffffffff), &v->cast[i]);
        at.z = REAL(0.6);
        v->code[2][i] = nsc_world_closest(w, at, REAL(2.0), UINT32_C(0xffffffff), &v->closest[i]);
    }
    probe.pose.position.z = REAL(0.2);
    v->overlaps = nsc_world_overlap(w, &probe, UINT32_C(0xffffffff), v->id, 12);
    memset(&draw, 0, sizeof draw);
    draw.user = v, draw.line = line, draw.triangle = triangle;
    CHECK(nsc_world_draw(w, &draw, NSC_DRAW_ALL + NSC_DRAW_TRIANGLES) >= 0);
}

/* What no table is in: bodies, contacts, reports */
static int same_motion(const nsc_world *a, const nsc_world *b)
{
    int i, same = a->contact_count == b->contact_count;
    for (i = 0; i < a->body_end; i++) {
        const nsc_body *p = &a->bodies[i], *q = &b->bodies[i];
        same &= memcmp(&p->position, &q->position, sizeof p->position) == 0;
        same &= memcmp(&p->orientation, &q->orientation, sizeof p->orientation) == 0;
        same &= memcmp(&p->velocity, &q->velocity, sizeof p->velocity) == 0;
        same &= memcmp(&p->angular_velocity, &q->angular_velocity, sizeof p->angular_velocity) == 0;
        same &= memcmp(&p->mass, &q->mass, sizeof p->mass) == 0;
        same &= memcmp(p->inv_inertia, q->inv_inertia, sizeof p->inv_inertia) == 0;
    }
    return same && memcmp(a->contacts, b->contacts, (size_t)a->contact_count * sizeof a->contacts[0]) == 0;
}

static void order_of_a_table_does_not_matter(void)
{
    view a, b;
    int step, hull_hits = 0, field_hits = 0, touching = 0;
    build(&world, 0);
    build(&other, 1);
    CHECK(nsc_world_hash(&world) != nsc_world_hash(&other)); /* the indices are in it */
    CHECK(nsc_world_save_size(&other) == nsc_world_save_size(&world));
    for (step = 0; step < 400; step++) {
        CHECK(nsc_world_step(&world, REAL(1 / 128.0)) == nsc_world_step(&other, REAL(1 / 128.0)));
        if (!same_motion(&world, &other)) break;
        touching += world.contact_count;
        if (step % 10) continue;
        look(&world, step, &a);
        look(&other, step, &b);
        if (memcmp(&a, &b, sizeof a) != 0) break;
        hull_hits += a.code[0][0] == 1 && world.shapes[a.ray[0].shape & 16383].def.kind == NSC_SHAPE_HULL;
        field_hits += a.code[0][2] == 1 && world.shapes[a.ray[2].shape & 16383].def.kind == NSC_SHAPE_HEIGHT_FIELD;
    }
    CHECK(step == 400);
    CHECK(touching > 400 * 6 && hull_hits > 0 && field_hits > 0);
    printf("    two orders of the table: the same for %d steps, %d contacts, %d and %d rays onto hulls and hills\n", step, touching, hull_hits, field_hits);
}

static void snapshots_and_images_go_on(void)
{
    static unsigned char image[60000], again[60000];
    nsc_world_def wd = nsc_default_world_def();
    int step, size, i;
    build(&world, 1);
    for (step = 0; step < 60; step++) CHECK(nsc_world_step(&world, REAL(1 / 128.0)) == NSC_OK);
    memcpy(&before, &world, sizeof world);
    size = nsc_world_save(&world, image, (int)sizeof image);
    CHECK(size > 0);
    memset(&other, 0, sizeof other); /* not made, as nsc_world_init leaves one of another configuration: nothing is written */
    memcpy(&before, &other, sizeof other);
    CHECK(nsc_world_set_fields(&other, fields, 1) == NSC_ERR_ARGUMENT && nsc_world_set_hulls(&other, hulls, ROCKS) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT && memcmp(&before, &other, sizeof other) == 0);
    memcpy(&before, &world, sizeof world);
    CHECK(nsc_world_init(&other, &wd) == NSC_OK);
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT); /* it has no tables */
    CHECK(strcmp(nsc_world_last_refusal(&other).field, "height field") == 0);
    CHECK(nsc_world_set_fields(&other, fields, 1) == NSC_OK);
    CHECK(nsc_world_set_hulls(&other, hulls, ROCKS - 1) == NSC_OK);
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&other).field, "hull") == 0);
    CHECK(nsc_world_last_refusal(&other).value > 1 && nsc_world_last_refusal(&other).value < 3);
    tables(&other);
    CHECK(nsc_world_load(&other, image, size) == NSC_OK);
    CHECK(nsc_world_load(&other, image, size) == NSC_OK); /* the tables stay */
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
    CHECK(nsc_world_save(&other, again, (int)sizeof again) == size && memcmp(image, again, (size_t)size) == 0);
    for (step = 0; step < 60; step++) {
        CHECK(nsc_world_step(&world, REAL(1 / 128.0)) == NSC_OK);
        CHECK(nsc_world_step(&other, REAL(1 / 128.0)) == NSC_OK);
    }
    CHECK(same_motion(&world, &other));
    i = (int)nsc_world_hash(&world);
    memcpy(&world, &before, sizeof world);
    for (step = 0; step < 60; step++) CHECK(nsc_world_step(&world, REAL(1 / 128.0)) == NSC_OK);
    CHECK((int)nsc_world_hash(&world) == i);
    /* no pointer is in the image: the same tables at another place give the same bytes */
    {
        static nsc_hull moved[ROCKS];
        static const nsc_hull *list[ROCKS] = {&moved[0], &moved[1], &moved[2]};
        memcpy(moved, rock, sizeof moved);
        CHECK(nsc_world_set_hulls(&world, list, ROCKS) == NSC_OK);
        CHECK((int)nsc_world_hash(&world) == i);
        CHECK(nsc_world_step(&world, REAL(1 / 128.0)) == NSC_OK && nsc_world_step(&other, REAL(1 / 128.0)) == NSC_OK);
        CHECK(same_motion(&world, &other));
    }
}

/* ---- the printed table */

static char text[20000];
static void collect(void *user, const char *piece) { (void)user, strncat(text, piece, sizeof text - strlen(text) - 1); }

static double number_after(const char **at)
{
    const char *p = strstr(*at, "NSC_R(");
    if (!p) return 0;
    *at = p + 6;
    return strtod(*at, NULL);
}

static void print_keeps_all_bits(void)
{
    const char *at = text;
    nsc_hull h;
    int i, same = 1;
    text[0] = 0;
    CHECK(nsc_hull_print(&rock[1], "rock", collect, NULL) == NSC_OK);
    h = rock[1];
#define READ(x) ((x) = REAL(number_after(&at)))
    for (i = 0; i < h.vertices; i++) READ(h.vertex[i].x), READ(h.vertex[i].y), READ(h.vertex[i].z);
    for (i = 0; i < h.faces; i++) READ(h.normal[i].x), READ(h.normal[i].y), READ(h.normal[i].z);
    READ(h.volume);
    READ(h.centroid.x), READ(h.centroid.y), READ(h.centroid.z);
    for (i = 0; i < 6; i++) READ(h.inertia[i]);
    CHECK(strstr(at, "NSC_R(") == NULL);
    same = memcmp(&h, &rock[1], sizeof h) == 0;
    CHECK(same);
}

/* ---- bad input */

#define REFUSED(call, code) \
    (memcpy(&before, &world, sizeof world), CHECK((call) == (code)), before.note = world.note, CHECK(memcmp(&before, &world, sizeof world) == 0))
#define BAD_HULL(change, code, about) do { \
    nsc_hull h = rock[0]; const nsc_hull *list[1]; list[0] = &h; change; \
    REFUSED(nsc_world_set_hulls(&world, list, 1), code); CHECK(strcmp(nsc_world_last_refusal(&world).field, about) == 0); } while (0)
#define BAD_FIELD(change, code, about) do { \
    nsc_heights h = hills; const nsc_heights *list[1]; list[0] = &h; change; \
    REFUSED(nsc_world_set_fields(&world, list, 1), code); CHECK(strcmp(nsc_world_last_refusal(&world).field, about) == 0); } while (0)

static void bad_tables_are_refused(void)
{
    nsc_real inf = NSC_REAL_MAX * 2, none = inf - inf;
    nsc_world_def wd = nsc_default_world_def();
    nsc_shape_def hd = nsc_default_hull_def(), f = nsc_default_height_field_def(), ball = nsc_default_sphere_def(1);
    nsc_body_def b = nsc_default_body_def();
    const nsc_hull *gone[1] = {NULL};
    const nsc_heights *lost[1] = {NULL};
    nsc_id body;
    int i;
    CHECK(nsc_world_init(&world, &wd) == NSC_OK);
    CHECK(nsc_world_set_hulls(NULL, hulls, 1) == NSC_ERR_ARGUMENT && nsc_world_set_fields(NULL, fields, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_add_hull(NULL, 0, &hd, 0) == NSC_ERR_ARGUMENT && nsc_world_add_height_field(NULL, 0, &f, 0) == NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_hulls(&world, NULL, 1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_hulls(&world, hulls, -1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_hulls(&world, hulls, 65536), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_hulls(&world, gone, 1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_fields(&world, NULL, 1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_fields(&world, fields, -1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_fields(&world, fields, 65536), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_fields(&world, lost, 1), NSC_ERR_ARGUMENT);
    /* corners and faces */
    BAD_HULL(h.vertices = 3, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.faces = 3, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.vertices = NSC_HULL_VERTICES + 1, NSC_ERR_CAPACITY, "NSC_HULL_VERTICES");
    BAD_HULL(h.faces = 255, NSC_ERR_CAPACITY, "NSC_HULL_VERTICES");
    BAD_HULL(h.faces--, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.first[0] = 1, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.first[2] = 255, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.corner[4] = 200, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.vertex[3].x = none, NSC_ERR_NOT_FINITE, "nsc_hull");
    BAD_HULL(h.vertex[3].y = inf, NSC_ERR_NOT_FINITE, "nsc_hull");
    BAD_HULL(h.vertex[3] = h.centroid, NSC_ERR_ARGUMENT, "nsc_hull"); /* not convex */
    /* what nsc_hull_complete computes */
    for (i = 0; i < rock[0].faces; i++) {
        BAD_HULL(h.normal[i].y += REAL(0.001), NSC_ERR_ARGUMENT, "nsc_hull");
        BAD_HULL(h.normal[i].x = none, NSC_ERR_ARGUMENT, "nsc_hull");
    }
    BAD_HULL(memset(h.normal, 0, sizeof h.normal), NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.volume = 0, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.volume = none, NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.volume *= REAL(1.01), NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.centroid.z += REAL(0.01), NSC_ERR_ARGUMENT, "nsc_hull");
    BAD_HULL(h.centroid.z = none, NSC_ERR_ARGUMENT, "nsc_hull");
    for (i = 0; i < 6; i++) {
        BAD_HULL(h.inertia[i] += REAL(0.01) * h.inertia[2], NSC_ERR_ARGUMENT, "nsc_hull");
        BAD_HULL(h.inertia[i] = none, NSC_ERR_ARGUMENT, "nsc_hull");
    }
    CHECK(nsc_world_last_refusal(&world).rule[0] != 0);
    BAD_FIELD(h.height = NULL, NSC_ERR_ARGUMENT, "argument");
    BAD_FIELD(h.nx = 1, NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.ny = 0, NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD((h.nx = 65535, h.ny = 65535), NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.dx = 0, NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.dy = -h.dy, NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.dx = h.dy = NSC_REAL_MIN, NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.dx = none, NSC_ERR_NOT_FINITE, "nsc_heights");
    BAD_FIELD(h.dy = inf, NSC_ERR_NOT_FINITE, "nsc_heights");
    BAD_FIELD(h.low = none, NSC_ERR_NOT_FINITE, "nsc_heights");
    BAD_FIELD(h.high = inf, NSC_ERR_NOT_FINITE, "nsc_heights");
    BAD_FIELD(h.low += REAL(0.001), NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.high -= REAL(0.001), NSC_ERR_ARGUMENT, "nsc_heights");
    BAD_FIELD(h.high = NSC_REAL_MAX / 2, NSC_ERR_ARGUMENT, "nsc_heights");
    for (i = 0; i < SIDE * SIDE; i += 21) {
        nsc_real was = height[i];
        height[i] = none;
        BAD_FIELD((void)h, NSC_ERR_NOT_FINITE, "nsc_heights");
        height[i] = was;
    }
    /* shapes */
    tables(&world);
    body = nsc_world_add_body(&world, &b);
    REFUSED(nsc_world_add_hull(&world, body, &hd, -1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_hull(&world, body, &hd, ROCKS), NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "hull") == 0);
    REFUSED(nsc_world_add_hull(&world, body, &f, 0), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_hull(&world, body, &ball, 0), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_hull(&world, body, NULL, 0), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_hull(&world, body + 1, &hd, 0), NSC_ERR_HANDLE);
    REFUSED(nsc_world_add_height_field(&world, body, &f, 0), NSC_ERR_ARGUMENT); /* dynamic */
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &f, 1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &hd, 0), NSC_ERR_ARGUMENT);
    CHECK(nsc_world_add_hull(&world, body, &hd, 2) > 0);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &f, 0) > 0);
    REFUSED(nsc_world_set_hulls(&world, hulls, 2), NSC_ERR_ARGUMENT);
    CHECK(nsc_world_last_refusal(&world).value > 1);
    REFUSED(nsc_world_set_fields(&world, NULL, 0), NSC_ERR_ARGUMENT);
    CHECK(nsc_world_remove_body(&world, body) == NSC_OK);
    CHECK(nsc_world_set_hulls(&world, NULL, 0) == NSC_OK);
    CHECK(nsc_hull_complete(NULL) == NSC_ERR_ARGUMENT);
    {
        nsc_hull bad = rock[0], was;
        bad.vertex[2].x = none;
        memcpy(&was, &bad, sizeof bad);
        CHECK(nsc_hull_complete(&bad) == NSC_ERR_NOT_FINITE && memcmp(&bad, &was, sizeof bad) == 0);
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    make_tables();
    order_of_a_table_does_not_matter();
    snapshots_and_images_go_on();
    print_keeps_all_bits();
    bad_tables_are_refused();
    return TEST_END("tables");
}
