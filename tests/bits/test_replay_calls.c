/* Calls of any kind with odd and ordinary numbers, as the fuzz targets decode them from random
   bytes: what they answer, and what each field of each definition is refused for, goes into hashes,
   which are compared with tests/targets/bits.h, as in test_same_bits. */
#define FUZZ_CORPUS
#include "fuzz/api.c"
#include "fuzz/problem.c"
#include "replay.h"

enum { INPUTS = 56, LENGTH = 220 };

/* `plain` in eight bytes are those of which fuzz_real makes an ordinary number. */
static void random_bytes(uint8_t *data, int n, int plain)
{
    int i;
    for (i = 0; i < n; i++) {
        data[i] = (uint8_t)pick(256);
        if (pick(8) < plain && data[i] < 64) data[i] = (uint8_t)(data[i] + 128);
    }
}

static void sequences(void)
{
    static uint8_t data[LENGTH];
    char name[80];
    int scene, i;
    for (scene = 0; scene < FUZZ_SCENES + FUZZ_NEWER_SCENES; scene++) {
        hash = UINT32_C(2166136261);
        seed = (uint32_t)scene + 1u;
        for (i = 0; i < INPUTS; i++) {
            random_bytes(data, LENGTH, i % 9);
            data[0] = (uint8_t)(scene < FUZZ_SCENES ? scene : 224 + scene - FUZZ_SCENES);
            feed_word(api_run(data, LENGTH, -1));
        }
        snprintf(name, sizeof name, "scene %d", scene);
        meet("calls", name, hash);
    }
}

static void problems(void)
{
    static uint8_t data[LENGTH];
    static problem_case c;
    static problem_answer a;
    char name[80];
    int solver, i;
    for (solver = 1; solver <= 8; solver++) {
        hash = UINT32_C(2166136261);
        seed = (uint32_t)solver;
        for (i = 0; i < 2 * INPUTS; i++) {
            fuzz_input in;
            random_bytes(data, LENGTH, i % 9);
            in.at = data, in.end = data + LENGTH;
            data[0] = (uint8_t)(8 * (data[0] / 8) + (solver + 7) % 8);
            problem_decode(&in, &c);
            problem_solve(&c, &a, 0xa5);
            feed_int(a.prepared);
            feed_int(a.code);
            if (a.prepared < 0 || a.code < 0) continue;
            feed_report(&a.report);
            feed(a.lambda, PROBLEM_MOST_ROWS);
            feed(a.v, PROBLEM_VELOCITIES);
        }
        snprintf(name, sizeof name, "problems %d", solver);
        meet("calls", name, hash);
    }
}

/* ---- Every field of every definition with numbers at and beyond its bounds */

static nsc_id some_body, some_joint, some_spring;

static int try_world(const void *def)
{
    return nsc_world_set_def(&api_world, (const nsc_world_def *)def);
}
static int try_init(const void *def)
{
    return nsc_world_init(&api_world, (const nsc_world_def *)def);
}
static int try_body(const void *def)
{
    return nsc_world_add_body(&api_world, (const nsc_body_def *)def);
}
static int try_shape(const void *def)
{
    return nsc_world_add_shape(&api_world, some_body, (const nsc_shape_def *)def);
}
static int try_spring(const void *def)
{
    return nsc_world_add_spring(&api_world, (const nsc_spring_def *)def);
}
static int try_joint(const void *def)
{
    return nsc_world_add_joint(&api_world, (const nsc_joint_def *)def);
}
static int try_axis(const void *def)
{
    return nsc_joint_set_axis(&api_world, some_joint, 0, (const nsc_axis_def *)def);
}
static int try_contact(const void *def)
{
    return nsc_world_add_contact(&api_world, (const nsc_contact *)def);
}

static const nsc_real numbers[] = {
    NSC_R(0.0), NSC_R(1.0), NSC_R(-1.0), NSC_R(0.5), NSC_R(-0.5), NSC_R(2.0), NSC_R(-2.0), NSC_R(0.25), NSC_R(0.3), NSC_R(0.6),
    NSC_R(-0.99), NSC_R(-0.999), NSC_R(0.51), NSC_R(-0.33333333), NSC_R(-0.34), NSC_R(1e-9),
    NSC_R(-1e-9), NSC_R(1e-6), NSC_R(9e-7), NSC_R(1e6), NSC_R(1.1e6), NSC_R(1e18), NSC_R(-1e18), NSC_R(1e30),
    NSC_R(1.001), NSC_R(0.999), NSC_R(1e-20), NSC_REAL_MAX, -NSC_REAL_MAX, NSC_REAL_MIN, NSC_REAL_EPS};
static const int integers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 63, 64, 65, 127, 128, 255, 256, 1000,
                               1001, -1, -2, 32767, 65535, 2147483647, -2147483647 - 1};

enum { NUMBERS = sizeof numbers / sizeof *numbers, INTEGERS = sizeof integers / sizeof *integers };

static void refuse(int (*call)(const void *def), const void *def)
{
    nsc_refusal why;
    int code;
    code = call(def);
    feed_int(code);
    why = nsc_world_last_refusal(&api_world);
    if (code < 0) {
        feed_int(why.code);
        feed_text(why.field);
        feed_text(why.rule);
        if (why.value - why.value == NSC_R(0.0)) feed(&why.value, 1);
    } else feed_word(nsc_world_hash(&api_world));
    memcpy(&api_world, &api_other, sizeof api_world);
}

static void each_field(const char *name, const void *def, size_t bytes, int (*call)(const void *def), const fuzz_field *fields, int count)
{
    static uint64_t changed[256];
    nsc_real odd[3];
    int i, k, n;
    hash = UINT32_C(2166136261);
    CHECK(bytes <= sizeof changed);
    odd[0] = NSC_REAL_MAX * NSC_R(2.0), odd[1] = -odd[0], odd[2] = odd[0] - odd[0];
    for (i = 0; i < count; i++)
        for (k = 0; k < fields[i].count; k++)
            for (n = 0; n < (fields[i].kind == 'r' ? NUMBERS + 3 : INTEGERS); n++) {
                char *to = (char *)changed + fields[i].offset;
                nsc_real x = n < NUMBERS ? numbers[n] : odd[n < NUMBERS + 3 ? n - NUMBERS : 0];
                memcpy(changed, def, bytes);
                if (fields[i].kind == 'r') memcpy(to + (size_t)k * sizeof x, &x, sizeof x);
                else memcpy(to + (size_t)k * sizeof(int), &integers[n], sizeof(int));
                refuse(call, changed);
            }
    meet("refusals", name, hash);
}

/* As many entries as a table may have, and one more */
static const nsc_mesh_vertex leaf_vertex[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const nsc_mesh_triangle leaf_triangle[1] = {{{0, 1, 2}, {NSC_MESH_OPEN, NSC_MESH_OPEN, NSC_MESH_OPEN}}};
static const nsc_mesh_node leaf_node[1] = {{{0, 0, 0}, {1, 1, 0}, 1, 0, 1, 0}};
static const nsc_mesh leaf = {leaf_vertex, leaf_triangle, leaf_node, 3, 1, 1};

static void long_tables(void)
{
    static nsc_hull peak;
    nsc_vec3 corner[4];
    static const nsc_mesh *many[65536];
    static const nsc_hull *rocks[65536];
    static const nsc_heights *hills[65536];
    int i;
    for (i = 0; i < 4; i++) corner[i] = fuzz_at((nsc_real)(i == 1), (nsc_real)(i == 2), (nsc_real)(i == 3));
    CHECK(nsc_hull_from_points(&peak, corner, 4, NSC_HULL_VERTICES, NULL) >= 0);
    for (i = 0; i < 65536; i++) many[i] = &leaf, rocks[i] = &peak, hills[i] = &fuzz_hills;
    CHECK(nsc_world_set_meshes(&api_world, many, 65536) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_set_meshes(&api_world, many, 65535) == NSC_OK);
    CHECK(nsc_world_set_meshes(&api_world, many, 1) == NSC_OK);
    CHECK(nsc_world_set_meshes(&api_world, many, 0) == NSC_OK);
    CHECK(nsc_world_set_hulls(&api_world, rocks, 65536) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_set_hulls(&api_world, rocks, 65535) == NSC_OK);
    CHECK(nsc_world_set_hulls(&api_world, rocks, 0) == NSC_OK);
    CHECK(nsc_world_set_fields(&api_world, hills, 65536) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_set_fields(&api_world, hills, 65535) == NSC_OK);
    CHECK(nsc_world_set_fields(&api_world, hills, 0) == NSC_OK);
}

static void feed_shape(nsc_shape_def d)
{
    feed_int(d.kind), feed_int(d.sensor), feed_word(d.category), feed_word(d.mask), feed_word(d.user);
    feed(&d.pose.position.x, 3), feed(&d.pose.orientation.w, 4), feed(&d.half.x, 3);
    feed(&d.radius, 1), feed(&d.density, 1), feed(&d.friction, 1), feed(&d.restitution, 1);
    feed(&d.stiffness, 1), feed(&d.damping, 1), feed(&d.rolling, 1), feed(&d.torsion, 1);
    feed(&d.young, 1), feed(&d.poisson, 1), feed(&d.cohesion, 1), feed(&d.surface_velocity.x, 3);
}

static void feed_fields(const void *def, const fuzz_field *fields, int count)
{
    int i, k;
    for (i = 0; i < count; i++)
        for (k = 0; k < fields[i].count; k++) {
            const char *from = (const char *)def + fields[i].offset;
            nsc_real x;
            int32_t n;
            if (fields[i].kind == 'r') memcpy(&x, from + (size_t)k * sizeof x, sizeof x), feed(&x, 1);
            else memcpy(&n, from + (size_t)k * sizeof n, sizeof n), feed_int((int)n);
        }
}

/* All that the functions nsc_default fill in */
static void defaults(void)
{
    nsc_world_def w = nsc_default_world_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_contact c = nsc_default_contact();
    nsc_spring_def s = nsc_default_spring_def(NSC_GROUND, NSC_GROUND);
    int k;
    hash = UINT32_C(2166136261);
    feed_fields(&w, N(api_world_fields));
    feed_fields(&b, N(api_body_fields));
    feed_fields(&c, N(api_contact_fields));
    feed_fields(&s, N(api_spring_fields));
    for (k = NSC_JOINT_BALL; k <= NSC_JOINT_GEAR; k++) {
        nsc_joint_def j = nsc_default_joint_def(k, NSC_GROUND, NSC_GROUND);
        int i;
        feed_fields(&j, N(api_joint_fields));
        for (i = 0; i < 3; i++) feed_fields(&j.axis[i], N(api_axis_fields));
    }
    feed_shape(nsc_default_sphere_def(NSC_R(0.25)));
    feed_shape(nsc_default_capsule_def(NSC_R(0.25), NSC_R(0.5)));
    feed_shape(nsc_default_cylinder_def(NSC_R(0.25), NSC_R(0.5)));
    feed_shape(nsc_default_box_def(NSC_R(0.25), NSC_R(0.5), NSC_R(0.75)));
    feed_shape(nsc_default_half_space_def());
    feed_shape(nsc_default_hull_def());
    feed_shape(nsc_default_height_field_def());
    feed_shape(nsc_default_mesh_def());
    meet("calls", "defaults", hash);
}

static void refusals(void)
{
    nsc_world_def w;
    nsc_body_def b = nsc_default_body_def();
    nsc_spring_def s;
    nsc_joint_def j;
    nsc_contact c = nsc_default_contact();
    static const char *const kinds[4] = {"sphere", "capsule", "cylinder", "box"};
    static const nsc_vec3 none;
    char name[80];
    int i, k;
    api_poison = -1;
    fuzz_scene(&api_world, 1);
    some_body = nsc_world_body_at(&api_world, 1);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, some_body);
    CHECK(nsc_joint_place(&api_world, &j, none, fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)), none) == NSC_OK);
    some_joint = nsc_world_add_joint(&api_world, &j);
    s = nsc_default_spring_def(NSC_GROUND, some_body);
    s.stiffness = NSC_R(8.0);
    some_spring = nsc_world_add_spring(&api_world, &s);
    CHECK(some_joint > 0 && some_spring > 0);
    memcpy(&api_other, &api_world, sizeof api_other);
    for (i = 1; i <= 7; i++) {
        w = api_world.def;
        w.stepper = i;
        if (i == 4 || i >= 6) w.contact_model = NSC_CONTACT_SMOOTH;
        snprintf(name, sizeof name, "world stepper %d", i);
        each_field(name, &w, sizeof w, i < 2 ? try_init : try_world, N(api_world_fields));
    }
    each_field("body", &b, sizeof b, try_body, N(api_body_fields));
    b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = NSC_R(1.0);
    each_field("body with mass", &b, sizeof b, try_body, N(api_body_fields));
    for (i = 0; i < 4; i++) {
        nsc_shape_def d = nsc_default_box_def(NSC_R(0.5), NSC_R(0.25), NSC_R(0.125));
        d.kind = 1 + i, d.radius = NSC_R(0.25);
        each_field(kinds[i], &d, sizeof d, try_shape, N(api_shape_fields));
    }
    each_field("spring", &s, sizeof s, try_spring, N(api_spring_fields));
    for (k = NSC_JOINT_BALL; k <= NSC_JOINT_GEAR; k++) {
        nsc_joint_def d = nsc_default_joint_def(k, NSC_GROUND, some_body);
        snprintf(name, sizeof name, "joint %d", k);
        each_field(name, &d, sizeof d, try_joint, N(api_joint_fields));
    }
    for (k = 0; k < 4; k++) {
        nsc_axis_def d = j.axis[0];
        d.drive = k, d.stiffness = NSC_R(4.0), d.limited = 1, d.upper = NSC_R(1.0);
        snprintf(name, sizeof name, "axis with drive %d", k);
        each_field(name, &d, sizeof d, try_axis, N(api_axis_fields));
    }
    c.body_a = NSC_GROUND, c.body_b = some_body;
    c.normal = fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0));
    long_tables();
    memcpy(&api_world, &api_other, sizeof api_world);
    each_field("contact", &c, sizeof c, try_contact, N(api_contact_fields));
}

int main(int argc, char **argv)
{
    (void)fuzz_api, (void)fuzz_problem; /* which solve twice and compare */
    argc = test_begin(argc, argv);
    accepting = argc > 1 && strcmp(argv[1], "accept") == 0;
    problems();
#if NSCI_PADDED_VEC3
    SKIP("vectors with padding: the fuzz targets hash them as bytes");
#else
    defaults();
    refusals();
    sequences();
#endif
    if (accepting) return test_failed > 0;
    return TEST_END("replay_calls");
}
