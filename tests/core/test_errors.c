/* What a refusal says, calls from callbacks, and numbers so large that products of them overflow. */
#include <string.h>
static void set_bytes(void *to, int c, size_t n);
#define NSC_HULL_VERTICES 16
#define NSC_MEMCPY(to, from, n) memcpy(to, from, n)
#define NSC_MEMSET(to, c, n) set_bytes(to, c, n)
#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 6
#define NSC_MAX_SHAPES 8
#define NSC_MAX_CONTACTS 24
#define NSC_MAX_JOINTS 2
#define NSC_MAX_SPRINGS 2
#define NSC_MAX_FORCES 1
#define NSC_TERRAIN 1
#include "all.h"
#include "nsc_hull.h"
#include "nsc_draw.h"
#include "shapes.h"
#include "test.h"
#include <math.h>
#include "by.h"

static nsc_world world, before, other;
static unsigned char image[1 << 16];
static unsigned char *spoilt; /* this byte of the image changes when a world is cleared */

static void set_bytes(void *to, int c, size_t n)
{
    if (spoilt && n > sizeof(nsc_world) / 2) *spoilt ^= 0x7f;
    memset(to, c, n);
}

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

static void begin(nsc_real sleep_time)
{
    nsc_world_def d = default_def();
    d.sleep_time = sleep_time;
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
    CHECK(nsc_world_last_refusal(&world).code == NSC_OK);
}

static nsc_id add_ground(void)
{
    nsc_shape_def s = nsc_default_half_space_def();
    return nsc_world_add_shape(&world, NSC_GROUND, &s);
}

static nsc_id add_box(nsc_real x, nsc_real z, nsc_id *shape)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_id id, own;
    b.pose.position = vec(x, 0, z);
    id = nsc_world_add_body(&world, &b);
    own = nsc_world_add_shape(&world, id, &s);
    CHECK(id > 0 && own > 0);
    if (shape) *shape = own;
    return id;
}

/* The call is refused with this code, the state is what it was, and the note names that field. */
static void refused(int got, int code, const char *field)
{
    nsc_refusal r = nsc_world_last_refusal(&world);
    CASE("%s", field);
    CHECK(got == code && r.code == code);
    CHECK(memcmp(&world, &before, NSC_WORLD_STATE_SIZE) == 0);
    CHECK(strcmp(r.field, field) == 0 && r.rule[0]);
    if (strcmp(r.field, field) != 0) printf("    %s, expected %s\n", r.field, field);
    CASE_END();
}
#define REFUSED(call, code, field) do { before = world; refused((int)(call), code, field); } while (0)

/* Every field of a definition, spoilt in turn, is the one that is named: reals by NaN, choices by -77. */
static void spoil(void *member, int rule)
{
    nsc_real none = (nsc_real)NAN;
    int choice = -77;
    if (rule >= NSCI_CHOICE) memcpy(member, &choice, sizeof choice);
    else memcpy(member, &none, sizeof none);
}
#define SPOIL(type, member, rule) \
    do { type bad = good; spoil(&bad.member, rule); REFUSED(CALL, rule >= NSCI_CHOICE ? NSC_ERR_ARGUMENT : NSC_ERR_NOT_FINITE, #type "." #member); } while (0);

static void every_field_is_named(void)
{
    nsc_id a, b;
    begin(0);
    a = add_box(0, 1, NULL), b = add_box(0, 3, NULL);
    {
        nsc_world_def good = default_def();
#define CALL nsc_world_set_def(&world, &bad)
        NSCI_WORLD_FIELDS(SPOIL)
#undef CALL
    }
    {
        nsc_body_def good = nsc_default_body_def();
        good.mass = good.inertia[0] = good.inertia[1] = good.inertia[2] = 1;
#define CALL nsc_world_add_body(&world, &bad)
        NSCI_BODY_FIELDS(SPOIL)
#undef CALL
    }
    {
        nsc_contact good = nsc_default_contact();
        good.body_b = b;
#define CALL nsc_world_add_contact(&world, &bad)
        NSCI_CONTACT_FIELDS(SPOIL)
#undef CALL
    }
    {
        nsc_spring_def good = nsc_default_spring_def(a, b);
        good.stiffness = 1;
#define CALL nsc_world_add_spring(&world, &bad)
        NSCI_SPRING_FIELDS(SPOIL)
#undef CALL
    }
}

static void a_world_that_was_not_made_is_refused(void)
{
    nsc_body_def b = nsc_default_body_def();
    memset(&world, 0, sizeof world);
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_ARGUMENT, "world");
    REFUSED(step_by(&world, NSC_R(0.01)), NSC_ERR_ARGUMENT, "world");
}

static void what_is_wrong_is_said(void)
{
    nsc_world_def d = default_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(-0.25));
    nsc_joint_def j;
    nsc_id one, two, shape;
    nsc_refusal r;
    int i;
    begin(0);
    one = add_box(0, 1, &shape), two = add_box(0, 3, NULL);
    b.mass = -2;
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_ARGUMENT, "nsc_body_def.mass");
    CHECK_NEAR(nsc_world_last_refusal(&world).value, -2, 0);
    REFUSED(nsc_world_add_body(&world, NULL), NSC_ERR_ARGUMENT, "argument");
    b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = 1, b.pose.orientation.w = NSC_R(1.5);
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_ARGUMENT, "nsc_body_def.pose");
    CHECK_NEAR(nsc_world_last_refusal(&world).value, 2.25, 1e-6);
    b.pose.orientation.w = 1, b.inertia[0] = NSC_R(2.5);
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_INERTIA, "inertia");
    r = nsc_world_last_refusal(&world);
    CHECK(strstr(r.rule, "sum of the other two") != NULL);
    CHECK_NEAR(r.value, 0.5, 2e-3);
    b.inertia[0] = 1, b.inertia[3] = NSC_R(1.5); /* principal moments -0.5, 1, 2.5 */
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_INERTIA, "inertia");
    r = nsc_world_last_refusal(&world);
    CHECK(strstr(r.rule, "positive definite") != NULL);
    CHECK_NEAR(r.value, -0.5, 2e-3);
    REFUSED(nsc_world_add_shape(&world, one, &s), NSC_ERR_ARGUMENT, "nsc_shape_def.radius");
    REFUSED(nsc_world_add_shape(&world, shape, &s), NSC_ERR_HANDLE, "body");
    REFUSED(nsc_world_remove_body(&world, NSC_GROUND), NSC_ERR_HANDLE, "body");
    REFUSED(nsc_world_remove_shape(&world, one), NSC_ERR_HANDLE, "shape");
    d = default_def(), d.solver.omega = 2;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT, "nsc_settings.omega");
    d = default_def(), d.solver.passes = 0;
    REFUSED(nsc_world_init(&world, &d), NSC_ERR_ARGUMENT, "nsc_settings.passes");
    d = default_def(), d.substeps = 50, d.solver.max_iterations = 40000;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT, "NSC_MAX_ITERATIONS");
    CHECK_NEAR(nsc_world_last_refusal(&world).value, 2e6, 1);
    REFUSED(step_by(&world, 0), NSC_ERR_ARGUMENT, "h");
    j = nsc_default_joint_def(NSC_JOINT_HINGE, one, two);
    j.axis[0].drive = NSC_DRIVE_SERVO;
    REFUSED(nsc_world_add_joint(&world, &j), NSC_ERR_ARGUMENT, "nsc_axis_def.stiffness");
    j.axis[0].drive = NSC_DRIVE_NONE, j.axis[0].friction = -1;
    REFUSED(nsc_world_add_joint(&world, &j), NSC_ERR_ARGUMENT, "nsc_axis_def.friction");
    j.axis[0].friction = 0;
    CHECK(nsc_world_add_joint(&world, &j) >= 0 && nsc_world_add_joint(&world, &j) >= 0);
    REFUSED(nsc_world_add_joint(&world, &j), NSC_ERR_CAPACITY, "NSC_MAX_JOINTS");
    b.inertia[3] = 0;
    for (i = 0; nsc_world_add_body(&world, &b) >= 0; i++) {}
    CHECK(i == 3);
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_CAPACITY, "NSC_MAX_BODIES");
    CHECK_NEAR(nsc_world_last_refusal(&world).value, NSC_MAX_BODIES, 0);
    CHECK(nsc_world_last_refusal(NULL).code == NSC_OK);
    for (i = 0; i < NSCI_NUMBERS; i++) { /* every text is there */
        world.note.code = -1, world.note.number = (uint16_t)i;
        r = nsc_world_last_refusal(&world);
        CHECK(r.field[0] && r.rule[0] && strlen(r.field) < 40 && strlen(r.rule) < 120);
    }
    world.note.number = NSCI_NUMBERS;
    CHECK(nsc_world_last_refusal(&world).code == NSC_OK && nsc_world_last_refusal(&world).field[0] == 0);
}

/* Definitions whose fields are each in order, but not together */
static void what_does_not_fit_together(void)
{
    static const struct heavy {
        double radius, density, radius_double, density_double;
        int code;
        const char *field;
    } heavy[] = {{1e10, 1e10, 1e100, 1e100, NSC_ERR_NOT_FINITE, "mass of the shapes"}, /* the mass overflows */
                 {1e-3, 1e-34, 1e-3, 1e-303, NSC_ERR_NOT_FINITE, "mass of the shapes"}, /* its inverse does */
                 {1e20, 0, 1e160, 0, NSC_ERR_NOT_FINITE, "mass of the shapes"}, /* the volume does */
                 {4e-13, 1e10, 1e-100, 1e100, NSC_ERR_INERTIA, "inertia"}}; /* the inertia is below the least number */
    static nsc_hull small;
    static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    nsc_real tiny = sizeof(nsc_real) == 4 ? NSC_R(2e-13) : NSC_R(1e-40) * NSC_R(1e-40) * NSC_R(1e-24);
    nsc_world_def d = default_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def hull = nsc_default_hull_def();
    nsc_joint_def j;
    nsc_contact c = nsc_default_contact();
    nsc_vec3 corners[4];
    nsc_id one, two, bare;
    size_t i;
    begin(0);
    one = add_box(0, 1, NULL), two = add_box(0, 3, NULL);
    b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = 1, b.particle = 1, b.kind = NSC_KINEMATIC_BODY;
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_ARGUMENT, "nsc_body_def.particle");
    b.kind = NSC_DYNAMIC_BODY, b.mass = 0;
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_ARGUMENT, "nsc_body_def.particle");
    b.particle = 0, b.mass = NSC_REAL_MIN / 8;
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_ARGUMENT, "nsc_body_def.mass");
    b.mass = 0;
    bare = nsc_world_add_body(&world, &b);
    CHECK(bare >= 0);
    for (i = 0; i < sizeof heavy / sizeof heavy[0]; i++) {
        int is_float = sizeof(nsc_real) == 4;
        nsc_shape_def s = nsc_default_sphere_def((nsc_real)(is_float ? heavy[i].radius : heavy[i].radius_double));
        s.density = (nsc_real)(is_float ? heavy[i].density : heavy[i].density_double);
        REFUSED(nsc_world_add_shape(&world, bare, &s), heavy[i].code, heavy[i].field);
    }
    for (i = 0; i < 4; i++) corners[i] = vec((nsc_real)tetrahedron[i][0], (nsc_real)tetrahedron[i][1], (nsc_real)tetrahedron[i][2]);
    CHECK(nsc_hull_from_points(&small, corners, 4, 4, NULL) == NSC_OK);
    for (i = 0; i < 4; i++) small.vertex[i] = vec(tiny * small.vertex[i].x, tiny * small.vertex[i].y, tiny * small.vertex[i].z);
    REFUSED(world_add_hull(&world, NSC_GROUND, &hull, &small), NSC_ERR_ARGUMENT, "nsc_hull");
    c.body_b = one, c.sensor = 2;
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_ARGUMENT, "nsc_contact.sensor");
    d.stepper = NSC_STEPPER_HHT;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_STEPPER_CONTACT, "nsc_world_def.contact_model");
    d.stepper = NSC_STEPPER_NEWMARK, d.contact_model = NSC_CONTACT_SMOOTH, d.gamma = NSC_R(0.75), d.beta = NSC_R(0.25);
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_STEPPER_UNSTABLE, "nsc_world_def.gamma");
    j = nsc_default_joint_def(NSC_JOINT_HINGE, one, two);
    j.axis[0].limited = 1, j.axis[0].lower = -1, j.axis[0].upper = 1;
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    j.axis[0].limited = 0;
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    d.stepper = NSC_STEPPER_HHT;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_STEPPER_CONTACT, "nsc_axis_def.limited"); /* for the limit of the first */
    d.stepper = NSC_STEPPER_EULER_FORWARD;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_STEPPER_CONTACT, "nsc_axis_def.limited");
}

/* Lengths of step, and motions, at the ends of the numbers: refused with nothing changed, the body that is lost named */
static void steps_stay_finite(void)
{
    nsc_real fast = sizeof(nsc_real) == 4 ? NSC_R(1e18) : NSC_R(1e36) * NSC_R(1e38) * NSC_R(1e38) * NSC_R(1e38);
    nsc_real h = NSC_R(1e6), longer = NSC_R(1.001e6);
    nsc_world_def d = default_def();
    nsc_contact c = nsc_default_contact();
    nsc_id a;
    int i;
    for (i = 0; i < 3; i++) {
        nsc_real *x;
        nsc_vec3 *p;
        begin(0);
        world.def.gravity.z = 0;
        a = add_box(0, 0, NULL);
        CHECK(nsc_body_set_velocity(&world, a, vec(i == 0 ? fast : 0, i == 1 ? fast : 0, i == 2 ? fast : 0), vec(0, 0, 0)) == NSC_OK);
        p = &world.bodies[1].position;
        x = i == 0 ? &p->x : i == 1 ? &p->y : &p->z;
        p->x = p->y = p->z = NSC_REAL_MAX; /* their sum is not finite */
        REFUSED(step_by(&world, h), NSC_ERR_NOT_FINITE, "body");
        p->x = p->y = p->z = 0;
        REFUSED(step_by(&world, longer), NSC_ERR_ARGUMENT, "h");
        CHECK(step_by(&world, h) == NSC_OK);
        *x = NSC_REAL_MAX * 2; /* what a caller who writes to the structure may do */
        CHECK(step_by(&world, 1) == NSC_ERR_NOT_FINITE);
        *x = 0, world.bodies[1].orientation.y = NSC_REAL_MAX * 2;
        CHECK(step_by(&world, 1) == NSC_ERR_NOT_FINITE);
    }
    begin(0);
    a = add_box(0, 5, NULL);
    c.body_b = a, c.sensor = 1, c.point = vec(NSC_REAL_MAX, NSC_REAL_MAX, 0);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK && step_by(&world, NSC_R(0.01)) == NSC_ERR_NOT_FINITE);
    d.substeps = 64;
    CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
    REFUSED(step_by(&world, NSC_REAL_MIN * NSC_REAL_EPS), NSC_ERR_ARGUMENT, "h"); /* a 64th of it is nothing */
}

/* ---- callbacks */

static nsc_id ids[2], own_shape, own_joint, own_spring;
static int calls, not_busy, misread;

static void expect_busy(int code) { not_busy += code != NSC_ERR_BUSY; }
static void no_line(void *user, nsc_vec3 a, nsc_vec3 b, const nsc_draw_from *from) { (void)user, (void)a, (void)b, (void)from; }

static void try_to_change(void)
{
    nsc_world_def wd = default_def();
    nsc_body_def bd = nsc_default_body_def();
    nsc_shape_def sd = nsc_default_sphere_def(1);
    nsc_joint_def jd = nsc_default_joint_def(NSC_JOINT_BALL, ids[0], ids[1]);
    nsc_spring_def pd = nsc_default_spring_def(ids[0], ids[1]);
    nsc_contact cd = nsc_default_contact();
    nsc_vec3 v = vec(0, 0, 1);
    nsc_hull hull;
    nsc_real heights[4] = {0, 0, 0, 0};
    nsc_pose pose;
    nsc_hit hit;
    nsc_problem problem;
    nsc_id found;
    nsc_body_get_pose(&world, ids[0], &pose);
    calls++;
    expect_busy(step_by(&world, 1)), expect_busy(nsc_world_set_def(&world, &wd));
    expect_busy(nsc_world_add_body(&world, &bd)), expect_busy(nsc_world_remove_body(&world, ids[1]));
    expect_busy(nsc_world_add_shape(&world, ids[0], &sd)), expect_busy(nsc_world_remove_shape(&world, own_shape));
    memset(&hull, 0, sizeof hull);
    expect_busy(world_add_hull(&world, ids[0], &sd, &hull));
    expect_busy(world_add_field(&world, NSC_GROUND, &sd, heights, 2, 2, 1, 1));
    expect_busy(nsc_shape_set_def(&world, own_shape, &sd));
    expect_busy(nsc_world_add_spring(&world, &pd)), expect_busy(nsc_world_remove_spring(&world, own_spring));
    expect_busy(nsc_spring_set_def(&world, own_spring, &pd));
    expect_busy(nsc_world_add_joint(&world, &jd)), expect_busy(nsc_world_remove_joint(&world, own_joint));
    expect_busy(nsc_joint_set_axis(&world, own_joint, 0, &jd.axis[0])), expect_busy(nsc_joint_set_target(&world, own_joint, 0, 1, 1));
    expect_busy(nsc_world_add_contact(&world, &cd)), expect_busy(nsc_body_set_pose(&world, ids[0], pose));
    expect_busy(nsc_body_set_velocity(&world, ids[0], v, v)), expect_busy(nsc_body_add_force(&world, ids[0], v, v));
    expect_busy(nsc_body_add_force_at(&world, ids[0], v, v)), expect_busy(nsc_body_clear_force(&world, ids[0]));
    expect_busy(nsc_body_add_impulse_at(&world, ids[0], v, v)), expect_busy(nsc_body_wake(&world, ids[0]));
    expect_busy(nsc_world_overlap(&world, &sd, ~(uint32_t)0, &found, 1)), expect_busy(nsc_world_closest(&world, v, 1, ~(uint32_t)0, &hit));
    expect_busy(nsc_world_cast_shape(&world, &sd, v, ~(uint32_t)0, &hit));
    expect_busy(nsc_world_load(&world, image, (int)sizeof image)), expect_busy(nsc_world_problem(&world, 1, 0, &problem));
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "world") == 0);
    misread += nsc_world_cast_ray(&world, vec(0, 0, 50), vec(0, 0, -100), ~(uint32_t)0, &hit) != 1;
    misread += nsc_world_save_size(&world) <= 0 || nsc_world_save(&world, image, (int)sizeof image) <= 0 || nsc_world_hash(&world) == 0;
    misread += nsc_body_get_velocity(&world, ids[1], &v, NULL) != NSC_OK || nsc_body_is_asleep(&world, ids[1]) != 0;
}

static int change_in_stop(void *user)
{
    (void)user;
    try_to_change();
    return 0;
}

static void change_in_force(void *user, const nsc_world *w, nsc_id body, nsc_force *force)
{
    nsc_draw draw;
    (void)user, (void)w, (void)body, (void)force;
    memset(&draw, 0, sizeof draw);
    draw.line = no_line;
    misread += nsc_world_draw(&world, &draw, NSC_DRAW_ALL) != NSC_OK; /* and it is still busy after that */
    try_to_change();
}

static void callbacks_may_only_read(void)
{
    nsc_calls c;
    nsc_problem problem;
    nsc_joint_def j;
    nsc_spring_def p;
    int i;
    begin(0);
    add_ground();
    ids[0] = add_box(0, NSC_R(0.5), &own_shape), ids[1] = add_box(0, NSC_R(1.5), NULL);
    j = nsc_default_joint_def(NSC_JOINT_BALL, ids[0], ids[1]), j.frame_a.position.z = NSC_R(0.5), j.frame_b.position.z = NSC_R(-0.5);
    own_joint = nsc_world_add_joint(&world, &j);
    p = nsc_default_spring_def(ids[0], ids[1]), p.stiffness = 1;
    own_spring = nsc_world_add_spring(&world, &p);
    world.def.solver.tolerance = 0; /* or it may be done before it asks */
    CHECK(own_joint >= 0 && own_spring >= 0 && step_by(&world, NSC_R(0.01)) == NSC_OK);
    other = world;
    memset(&c, 0, sizeof c);
    for (i = 0; i < 3; i++) {
        calls = not_busy = misread = 0;
        c.stop = i == 1 ? NULL : change_in_stop, c.force = i == 0 ? NULL : change_in_force;
        CHECK(step_by_with(&world, NSC_R(0.01), &c) == NSC_OK);
        CHECK(calls > 0 && not_busy == 0 && misread == 0);
        c.stop = NULL, c.force = NULL;
        if (i == 0) CHECK(step_by(&other, NSC_R(0.01)) == NSC_OK && nsc_world_hash(&world) == nsc_world_hash(&other));
    }
    before = world;
    CHECK(nsc_world_problem(&world, NSC_R(0.01), 0, &problem) == NSC_OK);
    CHECK(memcmp(&world, &before, NSC_WORLD_STATE_SIZE) == 0);
    REFUSED(nsc_world_problem(&world, NSC_R(0.01), 99, &problem), NSC_ERR_ARGUMENT, "island");
    REFUSED(nsc_world_problem(&world, NSC_R(0.01), -1, &problem), NSC_ERR_ARGUMENT, "island");
    REFUSED(nsc_world_problem(&world, NSC_R(0.0), 0, &problem), NSC_ERR_ARGUMENT, "h");
    REFUSED(nsc_world_problem(&world, NSC_R(0.01), 0, NULL), NSC_ERR_ARGUMENT, "argument");
    CHECK_NEAR(nsc_world_last_refusal(&world).value, 0, 0);
    CHECK(nsc_body_add_force(&world, ids[0], vec(NSC_REAL_MAX, 0, 0), vec(0, 0, 0)) == NSC_OK); /* every way out clears the mark */
    before = world;
    CHECK(step_by(&world, 1000) == NSC_ERR_NOT_FINITE && memcmp(&world, &before, NSC_WORLD_STATE_SIZE) == 0);
    CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_NOT_FINITE && nsc_world_last_refusal(&world).field[0]);
    CHECK(nsc_body_clear_force(&world, ids[0]) == NSC_OK && step_by(&world, NSC_R(0.01)) == NSC_OK);
}

/* ---- large numbers */

/* The world's own image is accepted, and goes on as it does. */
static void own_image_is_good(void)
{
    int n = nsc_world_save(&world, image, (int)sizeof image);
    nsc_world_def d = default_def();
    CHECK(n > 0 && nsc_world_init(&other, &d) == NSC_OK && nsc_world_load(&other, image, n) == NSC_OK);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
}

static void a_moved_centre_stays_finite(void)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(1, 1, 1);
    nsc_id id, first, second;
    nsc_pose pose = nsc_default_body_def().pose;
    begin(0);
    b.angular_velocity.x = NSC_R(0.9) * NSC_REAL_MAX;
    id = nsc_world_add_body(&world, &b);
    s.pose.position.y = 4;
    REFUSED(nsc_world_add_shape(&world, id, &s), NSC_ERR_NOT_FINITE, "pose");
    s.pose.position.y = 0;
    first = nsc_world_add_shape(&world, id, &s);
    CHECK(nsc_body_set_velocity(&world, id, vec(0, 0, 0), vec(0, 0, 0)) == NSC_OK);
    s.pose.position.y = 8;
    second = nsc_world_add_shape(&world, id, &s);
    CHECK(first >= 0 && second >= 0 && nsc_body_set_velocity(&world, id, vec(0, 0, 0), vec(NSC_R(0.9) * NSC_REAL_MAX, 0, 0)) == NSC_OK);
    REFUSED(nsc_world_remove_shape(&world, first), NSC_ERR_NOT_FINITE, "pose"); /* the centre would move by 4 m */
    CHECK(nsc_shape_get_def(&world, first, &s) == NSC_OK);
    pose.position.y = NSC_REAL_MAX;
    b = nsc_default_body_def();
    b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = 1, b.centre.y = NSC_REAL_MAX;
    id = nsc_world_add_body(&world, &b);
    REFUSED(nsc_body_set_pose(&world, id, pose), NSC_ERR_NOT_FINITE, "pose");
    b.pose = pose;
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_NOT_FINITE, "pose");
}

static void only_the_island_wakes(void)
{
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.1)), wall = nsc_default_half_space_def();
    nsc_id a, b, c, on_ground;
    int i;
    begin(NSC_R(0.1));
    add_ground();
    a = add_box(0, NSC_R(0.5), NULL), b = add_box(5, NSC_R(0.5), NULL), c = add_box(5, NSC_R(1.5), NULL);
    for (i = 0; i < 200; i++) step_by(&world, NSC_R(0.01));
    CHECK(nsc_body_is_asleep(&world, a) == 1 && nsc_body_is_asleep(&world, b) == 1 && nsc_body_is_asleep(&world, c) == 1);
    CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
    CHECK(step_by(&world, NSC_R(0.01)) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, a) == 1 && nsc_body_is_asleep(&world, b) == 0 && nsc_body_is_asleep(&world, c) == 0);
    for (i = 0; i < 200; i++) step_by(&world, NSC_R(0.01));
    CHECK(nsc_body_is_asleep(&world, b) == 1);
    s.pose.position = vec(NSC_R(0.55), 0, NSC_R(0.5)); /* beside box a */
    on_ground = nsc_world_add_shape(&world, NSC_GROUND, &s);
    CHECK(on_ground >= 0 && nsc_body_is_asleep(&world, a) == 0 && nsc_body_is_asleep(&world, b) == 1);
    wall.pose.position.z = -50; /* nothing is there */
    for (i = 0; i < 200; i++) step_by(&world, NSC_R(0.01));
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &wall) >= 0 && nsc_body_is_asleep(&world, a) == 1);
    wall.pose.position.z = NSC_R(1.2); /* in the upper box */
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &wall) >= 0 && nsc_body_is_asleep(&world, c) == 0 && nsc_body_is_asleep(&world, a) == 0);
    for (i = 0; i < 12; i++) { /* walls of all directions, short of a box and into it */
        static const nsc_real turns[6][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, -1, 0}, {1, -1, 0, 0}, {1, 1, 0, 0}};
        static const nsc_real ways[6][3] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
        const nsc_real *q = turns[i / 2], *way = ways[i / 2], length = NSC_SQRT(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        nsc_real back = i % 2 ? NSC_R(-0.45) : NSC_R(-0.75);
        begin(0);
        a = add_box(3, 4, NULL);
        world.bodies[1].asleep = 1;
        wall.pose.orientation.w = q[0] / length, wall.pose.orientation.x = q[1] / length, wall.pose.orientation.y = q[2] / length;
        wall.pose.position = vec(3 + back * way[0], back * way[1], 4 + back * way[2]);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &wall) >= 0 && nsc_body_is_asleep(&world, a) == !(i % 2));
    }
}

/* The contact of two shapes in one place; one is a sensor, so that nothing is solved for */
static nsc_contact mixed(nsc_shape_def a, nsc_shape_def b)
{
    nsc_body_def d = nsc_default_body_def();
    begin(0);
    b.sensor = 1;
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &a) > 0);
    CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &d), &b) > 0);
    CHECK(step_by(&world, NSC_R(0.001)) == NSC_OK && nsc_world_contact_count(&world) > 0);
    return *nsc_world_contact(&world, 0);
}

static void large_stiffness_is_mixed(void)
{
    nsc_real big = sizeof(nsc_real) == sizeof(float) ? NSC_R(1e20) : NSC_REAL_MAX / NSC_R(1e10), tiny = NSC_REAL_MIN;
    nsc_shape_def a = nsc_default_box_def(1, 1, 1), b = a;
    nsc_contact c;
    int k;
    a.stiffness = b.stiffness = big, a.damping = b.damping = big;
    a.friction = b.friction = NSC_REAL_MAX / 2;
    c = mixed(a, b);
    CHECK_NEAR(c.stiffness / big, 0.5, 1e-6);
    CHECK_NEAR(c.damping / big, 0.5, 1e-6);
    CHECK_NEAR(c.friction / NSC_REAL_MAX, 0.5, 1e-5);
    a.stiffness = NSC_REAL_MAX, b.stiffness = tiny, a.damping = NSC_REAL_MAX, b.damping = 3;
    c = mixed(a, b);
    CHECK_NEAR(c.stiffness / tiny, 1, 1e-6);
    CHECK_NEAR(c.damping, 3, 1e-6);
    a.stiffness = 0;
    c = mixed(a, b);
    CHECK_NEAR(c.stiffness / tiny, 1, 1e-6);
    CHECK_NEAR(c.damping, 3, 0); /* the rigid one's does not count */
    a.stiffness = 100, a.damping = 8, b.stiffness = 300, b.damping = 16;
    c = mixed(a, b);
    CHECK_NEAR(c.stiffness, 75, 1e-4);
    CHECK_NEAR(c.damping, 0.5625 * 8 + 0.0625 * 16, 1e-5);
    for (k = 0; k < 2; k++) {
        nsc_shape_def g = nsc_default_half_space_def(), s = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
        nsc_body_def body = nsc_default_body_def();
        int i, worst = NSC_OK;
        begin(0);
        g.stiffness = s.stiffness = k ? big : NSC_R(3e10), g.damping = s.damping = NSC_R(1e10);
        body.pose.position.z = NSC_R(0.499);
        nsc_world_add_shape(&world, NSC_GROUND, &g);
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &s) >= 0);
        for (i = 0; i < 50; i++) worst = step_by(&world, NSC_R(1.0) / 240) < 0 ? -1 : worst;
        CHECK(worst == NSC_OK && world.contact_count == 4 && world.bodies[1].position.z > NSC_R(0.49) && world.bodies[1].position.z < NSC_R(0.51));
        own_image_is_good();
    }
}

static void what_is_kept_is_finite(void)
{
    nsc_contact c = nsc_default_contact();
    nsc_id a;
    begin(0);
    a = add_box(0, 5, NULL);
    CHECK(nsc_body_set_velocity(&world, a, vec(0, 0, 0), vec(NSC_R(1e9), 0, 0)) == NSC_OK);
    c.body_b = a, c.sensor = 1, c.point = vec(0, NSC_REAL_MAX / 4, 0), c.gap = NSC_REAL_MAX / -4;
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK && step_by(&world, NSC_R(1e-12)) == NSC_OK);
    CHECK(world.contact_count == 1 && fabs((double)world.contacts[0].approach) > 1e30);
    own_image_is_good();
    begin(0);
    a = add_box(0, 5, NULL);
    CHECK(nsc_body_add_force(&world, a, vec(NSC_R(1e20), 0, 0), vec(0, 0, 0)) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, a, vec(NSC_R(1e18), 0, 0), vec(0, 0, 0)) == NSC_OK);
    CHECK(step_by(&world, NSC_R(1e-3)) == NSC_OK);
    own_image_is_good();
}

static int lines, bad_lines;
static void count_line(void *user, nsc_vec3 a, nsc_vec3 b, const nsc_draw_from *from)
{
    (void)user, (void)from;
    lines++, bad_lines += !IS_FINITE(a) || !IS_FINITE(b);
}

static void getters_give_finite_numbers(void)
{
    nsc_spring_def sp;
    nsc_joint_def jd;
    nsc_id x, y, spring, joint;
    nsc_pose far, near, own;
    nsc_vec3 v = vec(7, 7, 7), w = v;
    nsc_real length = 7, angle = 7;
    nsc_axis_state axis;
    nsc_draw draw;
    nsc_hit hit;
    begin(0);
    x = add_box(0, 0, NULL), y = add_box(0, 0, NULL);
    sp = nsc_default_spring_def(x, y), sp.stiffness = 1;
    spring = nsc_world_add_spring(&world, &sp);
    jd = nsc_default_joint_def(NSC_JOINT_SLIDER, x, y);
    joint = nsc_world_add_joint(&world, &jd);
    far = near = nsc_default_body_def().pose, near.position.y = 1, far.position = vec(NSC_REAL_MAX, NSC_REAL_MAX, 0);
    CHECK(nsc_body_set_pose(&world, x, far) == NSC_OK);
    CHECK(nsc_spring_get_force(&world, spring, &length, &v) == NSC_ERR_NOT_FINITE && length == 7 && v.x == 7);
    CHECK(nsc_joint_get_drift(&world, joint, &length, &angle) == NSC_ERR_NOT_FINITE && length == 7 && angle == 7);
    CHECK(nsc_body_set_velocity(&world, x, vec(0, 0, 0), vec(NSC_REAL_MAX, NSC_REAL_MAX, 0)) == NSC_OK);
    memset(&axis, 0, sizeof axis);
    CHECK(nsc_joint_get_axis(&world, joint, 0, &axis) == NSC_ERR_NOT_FINITE && axis.velocity == 0);
    CHECK(nsc_body_get_imu(&world, x, near, &v, &w) == NSC_ERR_NOT_FINITE && v.x == 7 && w.x == 7);
    CHECK(nsc_world_closest(&world, vec(0, 0, 0), NSC_REAL_MAX * 2, 1, &hit) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_joint_place(&world, &jd, vec(-NSC_REAL_MAX, 0, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_ERR_NOT_FINITE);
    jd.body_a = y, jd.body_b = x;
    CHECK(nsc_joint_place(&world, &jd, vec(-NSC_REAL_MAX, 0, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_ERR_NOT_FINITE);
    v = vec(7, 7, 7), world.last_h = NSC_REAL_MIN, world.joints[0].torque_impulse.x = 8;
    CHECK(nsc_joint_get_force(&world, joint, &v, &v) == NSC_ERR_NOT_FINITE && v.x == 7);
    CHECK(nsc_body_set_pose(&world, x, nsc_default_body_def().pose) == NSC_OK);
    world.springs[0].impulse.y = 8;
    CHECK(nsc_spring_get_force(&world, spring, &length, &v) == NSC_ERR_NOT_FINITE && length == 7 && v.x == 7);
    world.last_h = 0;
    CHECK(nsc_spring_get_def(&world, spring, NULL) == NSC_OK && nsc_spring_set_def(&world, spring, &world.springs[0].def) == NSC_OK);
    sp.body_b = NSC_GROUND;
    REFUSED(nsc_spring_set_def(&world, spring, &sp), NSC_ERR_ARGUMENT, "nsc_spring_def.body_a");
    CHECK(nsc_body_set_pose(&world, x, far) == NSC_OK);
    world.bodies[1].centre = vec(-NSC_REAL_MAX, 0, 0);
    CHECK(nsc_body_get_pose(&world, x, &own) == NSC_ERR_NOT_FINITE);
    world.bodies[1].centre = vec(0, 0, 0);
    memset(&draw, 0, sizeof draw);
    draw.line = count_line, draw.force_scale = 1;
    lines = bad_lines = 0;
    CHECK(nsc_world_draw(&world, &draw, NSC_DRAW_ALL) == NSC_ERR_NOT_FINITE && bad_lines == 0 && lines > 0);
    CHECK(nsc_world_cast_ray(&world, vec(0, 0, 9), vec(0, 0, -9), ~(uint32_t)0, &hit) == 1 && IS_FINITE(hit.point));
}

static void a_field_too_long_or_without_width_is_refused(void)
{
    static nsc_real heights[140004];
    static nsc_heights long_one;
    static const nsc_heights *const list = &long_one;
    nsc_shape_def f = nsc_default_height_field_def();
    begin(0);
    REFUSED(world_add_field(&world, NSC_GROUND, &f, heights, 2, 2, 0, 1), NSC_ERR_ARGUMENT, "nsc_heights");
    REFUSED(world_add_field(&world, NSC_GROUND, &f, heights, 2, 2, 1, 0), NSC_ERR_ARGUMENT, "nsc_heights");
    long_one.height = heights, long_one.nx = 2, long_one.ny = 65535, long_one.dx = long_one.dy = 1;
    CHECK(nsc_heights_complete(&long_one) == NSC_OK && nsc_world_set_fields(&world, &list, 1) == NSC_OK);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &f, 0) >= 0 && world.fields[0]->ny == 65535);
    heights[131069] = 3;
    REFUSED(nsc_world_set_fields(&world, &list, 1), NSC_ERR_ARGUMENT, "nsc_heights");
    CHECK(nsc_heights_complete(&long_one) == NSC_OK && long_one.high >= 3 && nsc_heights_complete(NULL) == NSC_ERR_ARGUMENT);
}

/* An image that changes between its two readings: whatever byte, the world is one that can go on. */
static void a_changing_image_leaves_a_world(void)
{
    int n, i, refusals = 0;
    begin(0);
    add_ground();
    add_box(0, NSC_R(0.5), NULL), add_box(3, NSC_R(0.5), NULL);
    step_by(&world, NSC_R(0.01));
    n = nsc_world_save(&world, image, (int)sizeof image);
    CHECK(n > 0);
    for (i = 0; i < n; i++) {
        int code;
        nsc_world_def d = default_def();
        nsc_world_init(&other, &d);
        spoilt = &image[i];
        code = nsc_world_load(&other, image, n);
        spoilt = NULL;
        refusals += code < 0;
        image[i] ^= 0x7f;
        CHECK(code == NSC_OK || (other.body_end == 1 && other.contact_count == 0 && nsc_world_last_refusal(&other).code == code));
        CHECK(nsc_world_save(&other, (unsigned char *)&before, (int)sizeof before) > 0 && nsc_world_load(&other, &before, (int)sizeof before) == NSC_OK);
        code = step_by(&other, NSC_R(0.01));
        CHECK(code == NSC_OK || code == NSC_ERR_NOT_FINITE || code == NSC_ERR_INERTIA || code == NSC_ERR_ARGUMENT || code == NSC_ERR_CAPACITY);
    }
    CHECK(refusals > n / 8);
}

/* ---- solvers alone */

static void solver_reports_are_finite(void)
{
    static const int solvers[] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_BB, NSC_SOLVER_MINRES, NSC_SOLVER_DANTZIG, NSC_SOLVER_ADMM, NSC_SOLVER_NEWTON, NSC_SOLVER_AUTO};
    static nsc_real arena[4000];
    int t, i, k;
    for (k = 0; k < 8; k++)
        for (t = 0; t < 4; t++) {
            nsc_mass m[2];
            nsc_real vf[12], v[12], huge = NSC_REAL_MAX / 3;
            nsc_block b[2];
            nsc_problem p;
            nsc_report r;
            nsc_settings s = default_settings();
            int code;
            memset(m, 0, sizeof m), memset(b, 0, sizeof b), memset(vf, 0, sizeof vf), memset(v, 0, sizeof v), memset(&p, 0, sizeof p);
            m[1].inv_mass = m[1].inv_inertia[0] = m[1].inv_inertia[1] = m[1].inv_inertia[2] = 1;
            vf[6] = 1, vf[8] = -1;
            b[0].kind = NSC_BLOCK_CONTACT, b[0].rows = 3, b[0].mu = NSC_R(0.5), b[0].b = 1;
            for (i = 0; i < 3; i++) b[0].J[i][6 + (i + 2) % 3] = 1, b[0].lo[i] = -huge, b[0].hi[i] = huge;
            solved_by = solvers[k], s.max_iterations = 2, s.omega = NSC_R(0.5), s.law = solved_by == NSC_SOLVER_DANTZIG ? NSC_LAW_PYRAMID : NSC_LAW_CONE;
            p.body_count = 2, p.masses = m, p.v_free = vf, p.v = v, p.blocks = b, p.block_count = 1, p.arena = arena, p.arena_size = 4000;
            if (t == 0) b[0].kind = NSC_BLOCK_BOX, vf[6] = 100, vf[8] = -100; /* bounds that a user writes for none */
            if (t == 1) p.block_count = 2, b[1] = b[0], b[1].J[0][9] = m[1].inv_inertia[0] = NSC_R(10.0) * NSC_SQRT(NSC_REAL_MAX);
            if (t == 2) vf[8] = (nsc_real)INFINITY, b[0].lambda[0] = 7;
            if (t == 3) vf[8] = vf[6] = NSC_REAL_MAX / -2, b[0].lambda[0] = 7;
            code = nsc_problem_prepare(&p);
            CHECK(code == (t == 1 ? NSC_ERR_NOT_FINITE : NSC_OK));
            memset(&r, 0, sizeof r);
            code = solve_by(&p, &s, &r);
            CHECK(t == 0 ? code >= 0 : t == 1 ? code == NSC_ERR_ARGUMENT || code == NSC_ERR_CAPACITY : code == NSC_ERR_NOT_FINITE);
            CHECK(r.status == code && is_finite((double)r.eta) && is_finite((double)r.duality_gap) && is_finite((double)r.residual) && is_finite((double)r.violation));
            if (code == NSC_ERR_NOT_FINITE) CHECK(memcmp(v, vf, sizeof v) == 0 && !(b[0].lambda[0] > 0 || b[0].lambda[0] < 0));
        }
}

int main(void)
{
    a_world_that_was_not_made_is_refused();
    every_field_is_named();
    what_is_wrong_is_said();
    what_does_not_fit_together();
    steps_stay_finite();
    callbacks_may_only_read();
    a_moved_centre_stays_finite();
    only_the_island_wakes();
    large_stiffness_is_mixed();
    what_is_kept_is_finite();
    getters_give_finite_numbers();
    a_field_too_long_or_without_width_is_refused();
    a_changing_image_leaves_a_world();
    solver_reports_are_finite();
    CHECK(strlen(nsc_error_text(NSC_ERR_BUSY)) > 10 && strcmp(nsc_error_text(NSC_ERR_BUSY), nsc_error_text(-1000)) != 0);
    return TEST_END("errors");
}
