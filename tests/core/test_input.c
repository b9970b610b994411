/* Bad input: every one has its error code, and the world is the same to the byte before and after. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 5
#define NSC_MAX_SHAPES 5
#define NSC_MAX_CONTACTS 6
#include "all.h"
#include "search.h"
#include <math.h>
#include "by.h"

static nsc_world world, before;
static nsc_id box;              /* dynamic, with one shape */
static nsc_real nan_, inf_;

/* all but the note why */
#define REFUSED(call, code) \
    (memcpy(&before, &world, sizeof world), CHECK((call) == (code)), before.note = world.note, CHECK(memcmp(&before, &world, sizeof world) == 0))
#define REFUSED_STEP(h, code) \
    (memcpy(&before, &world, sizeof world), CHECK(step_by(&world, h) == (code)), CHECK(memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0))
/* a definition with one thing changed */
#define BAD_BODY(change, code) do { nsc_body_def d = good_body(); change; REFUSED(nsc_world_add_body(&world, &d), code); } while (0)
#define BAD_BOX(change, code) \
    do { nsc_shape_def d = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5)); change; REFUSED(nsc_world_add_shape(&world, box, &d), code); } while (0)
#define BAD_SHAPE(make, change, code) do { nsc_shape_def d = make; change; REFUSED(nsc_world_add_shape(&world, NSC_GROUND, &d), code); } while (0)
#define BAD_CONTACT(change, code) do { nsc_contact d = good_contact(); change; REFUSED(nsc_world_add_contact(&world, &d), code); } while (0)
#define BAD_WORLD(change, code)                                                                                                     \
    do {                                                                                                                            \
        nsc_world_def d = default_def();                                                                                  \
        change;                                                                                                                     \
        REFUSED(nsc_world_set_def(&world, &d), code);                                                                               \
        REFUSED(nsc_world_init(&world, &d), code);                                                                                  \
    } while (0)

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

static nsc_body_def good_body(void)
{
    nsc_body_def d = nsc_default_body_def();
    d.mass = d.inertia[0] = d.inertia[1] = d.inertia[2] = NSC_R(1.0);
    return d;
}

static nsc_contact good_contact(void)
{
    nsc_contact c = nsc_default_contact();
    c.body_a = NSC_GROUND, c.body_b = box;
    return c;
}

static void begin(int tag)
{
    nsc_world_def w = default_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_half_space_def();
    w.tag = tag;
    CHECK(nsc_world_init(&world, &w) == NSC_OK);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
    b.pose.position.z = NSC_R(0.5);
    CHECK((box = nsc_world_add_body(&world, &b)) > 0);
    s = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    CHECK(nsc_world_add_shape(&world, box, &s) > 0);
    CHECK(step_by(&world, NSC_R(0.01)) == NSC_OK && nsc_world_contact_count(&world) == 4);
}

static void bad_world_definitions_are_refused(void)
{
    enum { most = NSC_MAX_ITERATIONS };
    begin(0);
    BAD_WORLD(memset(&d, 0, sizeof d), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.gravity.y = nan_, NSC_ERR_NOT_FINITE);
    BAD_WORLD(d.gravity.z = -inf_, NSC_ERR_NOT_FINITE);
    BAD_WORLD(d.margin = NSC_R(-0.1), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.margin = nan_, NSC_ERR_NOT_FINITE);
    BAD_WORLD(d.slop = NSC_R(-0.1), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.recovery = NSC_R(1.1), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.recovery = NSC_R(-0.1), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.recovery_speed = inf_, NSC_ERR_NOT_FINITE);
    BAD_WORLD(d.bounce_speed = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.match_distance = nan_, NSC_ERR_NOT_FINITE);
    BAD_WORLD(d.tag = 16, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.tag = -1, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.law = 0, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.law = 4, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.max_iterations = 0, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.tolerance = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.tolerance = nan_, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.relative_tolerance = -1, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.stall_window = -1, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.check_interval = 0, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.omega = NSC_R(0.0), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.omega = NSC_R(2.0), NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.omega = nan_, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.passes = 0, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.max_factorizations = 0, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.max_iterations = most + 1, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.max_iterations = 2147483647, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.passes = most + 1, NSC_ERR_ARGUMENT);
    BAD_WORLD(d.solver.max_factorizations = most + 1, NSC_ERR_ARGUMENT);
    BAD_WORLD((d.substeps = 64, d.solver.max_iterations = most / 64 + 1), NSC_ERR_ARGUMENT);
    {
        nsc_world_def d = default_def();
        d.solver.max_iterations = d.solver.passes = d.solver.max_factorizations = most, d.newton_steps = 1000;
        CHECK(nsc_world_set_def(&world, &d) == NSC_OK); /* this stepper makes no Newton steps */
        d.substeps = 64, d.solver.max_iterations = d.solver.passes = d.solver.max_factorizations = most / 64;
        CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
        d = default_def();
        CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
    }
    REFUSED(nsc_world_init(&world, NULL), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_def(&world, NULL), NSC_ERR_ARGUMENT);
    REFUSED(nsci_world_init(&world, &world.def, sizeof world - 4, NSCI_CONFIG_WORD), NSC_ERR_CONFIG);
    REFUSED(nsci_world_init(&world, &world.def, sizeof world, NSCI_CONFIG_WORD + 1), NSC_ERR_CONFIG);
}

static void bad_body_definitions_are_refused(void)
{
    begin(0);
    BAD_BODY(memset(&d, 0, sizeof d), NSC_ERR_ARGUMENT);
    BAD_BODY(d.kind = 4, NSC_ERR_ARGUMENT);
    BAD_BODY(d.mass = nan_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.mass = inf_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.mass = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_BODY(d.gravity_scale = nan_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.velocity.x = inf_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.angular_velocity.z = nan_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.centre.y = nan_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.pose.position.x = nan_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.pose.orientation.y = inf_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.pose.orientation.w = NSC_R(1.1), NSC_ERR_ARGUMENT);
    BAD_BODY(d.pose.orientation.w = NSC_R(0.0), NSC_ERR_ARGUMENT);
    BAD_BODY(d.inertia[3] = nan_, NSC_ERR_NOT_FINITE);
    BAD_BODY(d.inertia[1] = NSC_R(0.0), NSC_ERR_INERTIA);
    BAD_BODY(d.inertia[2] = NSC_R(-1.0), NSC_ERR_INERTIA);
    BAD_BODY(memset(d.inertia, 0, sizeof d.inertia), NSC_ERR_INERTIA);
    BAD_BODY(d.inertia[3] = NSC_R(1.5), NSC_ERR_INERTIA);  /* indefinite */
    BAD_BODY(d.inertia[0] = NSC_R(2.1), NSC_ERR_INERTIA);  /* more than the other two: no mass lies so */
    BAD_BODY(d.inertia[5] = NSC_R(0.6), NSC_ERR_INERTIA);  /* principal moments 0.4, 1, 1.6 */
    REFUSED(nsc_world_add_body(&world, NULL), NSC_ERR_ARGUMENT);
    CHECK(nsc_world_add_body(NULL, NULL) == NSC_ERR_ARGUMENT);
}

static void bad_shapes_are_refused(void)
{
    const nsc_real half = NSC_R(0.5);
    begin(0);
    BAD_BOX(memset(&d, 0, sizeof d), NSC_ERR_ARGUMENT);
    BAD_BOX(d.kind = 5, NSC_ERR_ARGUMENT);
    BAD_BOX(d.half.x = NSC_R(0.0), NSC_ERR_ARGUMENT);
    BAD_BOX(d.half.y = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_BOX(d.half.z = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.half.x = inf_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.density = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_BOX(d.density = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.density = NSC_REAL_MAX / NSC_R(2.0), NSC_ERR_NOT_FINITE); /* with 1000 kg the inertia overflows */
    BAD_BOX(d.friction = NSC_R(-0.1), NSC_ERR_ARGUMENT);
    BAD_BOX(d.friction = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.friction = inf_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.restitution = NSC_R(1.1), NSC_ERR_ARGUMENT);
    BAD_BOX(d.restitution = NSC_R(-0.1), NSC_ERR_ARGUMENT);
    BAD_BOX(d.restitution = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.stiffness = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_BOX(d.damping = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.pose.position.z = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d.pose.orientation.x = NSC_R(0.1), NSC_ERR_ARGUMENT);
    BAD_SHAPE(nsc_default_sphere_def(half), d.radius = NSC_R(0.0), NSC_ERR_ARGUMENT);
    BAD_SHAPE(nsc_default_sphere_def(half), d.radius = -half, NSC_ERR_ARGUMENT);
    BAD_SHAPE(nsc_default_sphere_def(half), d.radius = nan_, NSC_ERR_NOT_FINITE);
    BAD_SHAPE(nsc_default_capsule_def(half, half), d.radius = inf_, NSC_ERR_NOT_FINITE);
    BAD_SHAPE(nsc_default_capsule_def(half, half), d.half.z = NSC_R(0.0), NSC_ERR_ARGUMENT);
    BAD_SHAPE(nsc_default_half_space_def(), d.pose.orientation.w = nan_, NSC_ERR_NOT_FINITE);
    BAD_BOX(d = nsc_default_half_space_def(), NSC_ERR_ARGUMENT); /* on a dynamic body */
    REFUSED(nsc_world_add_shape(&world, box, NULL), NSC_ERR_ARGUMENT);
}

static void bad_own_contacts_are_refused(void)
{
    begin(0);
    BAD_CONTACT(memset(&d, 0, sizeof d), NSC_ERR_ARGUMENT);
    BAD_CONTACT(d.body_b = NSC_GROUND, NSC_ERR_ARGUMENT);
    BAD_CONTACT(d.body_b = -1, NSC_ERR_HANDLE);
    BAD_CONTACT(d.normal.z = NSC_R(0.9), NSC_ERR_ARGUMENT);
    BAD_CONTACT(d.normal.x = nan_, NSC_ERR_NOT_FINITE);
    BAD_CONTACT(d.point.x = inf_, NSC_ERR_NOT_FINITE);
    BAD_CONTACT(d.gap = nan_, NSC_ERR_NOT_FINITE);
    BAD_CONTACT(d.friction = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    BAD_CONTACT(d.restitution = NSC_R(2.0), NSC_ERR_ARGUMENT);
    BAD_CONTACT(d.stiffness = nan_, NSC_ERR_NOT_FINITE);
    BAD_CONTACT(d.damping = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_contact(&world, NULL), NSC_ERR_ARGUMENT);
}

/* all that takes a body's handle */
static void refused_everywhere(nsc_id id)
{
    nsc_pose pose = nsc_default_body_def().pose;
    nsc_vec3 v = vec(1, 1, 1);
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.5));
    REFUSED(nsc_world_remove_body(&world, id), NSC_ERR_HANDLE);
    if (id != NSC_GROUND) {
        REFUSED(nsc_world_add_shape(&world, id, &s), NSC_ERR_HANDLE);
        REFUSED(nsc_body_get_pose(&world, id, &pose), NSC_ERR_HANDLE);
        REFUSED(nsc_body_get_velocity(&world, id, &v, &v), NSC_ERR_HANDLE);
        REFUSED(nsc_body_get_mass(&world, id, NULL, &v, NULL), NSC_ERR_HANDLE);
        REFUSED(nsc_body_get_contact_force(&world, id, &v, &v), NSC_ERR_HANDLE);
        BAD_CONTACT(d.body_a = id, NSC_ERR_HANDLE);
    }
    REFUSED(nsc_body_set_pose(&world, id, pose), NSC_ERR_HANDLE);
    REFUSED(nsc_body_set_velocity(&world, id, v, v), NSC_ERR_HANDLE);
    REFUSED(nsc_body_add_force(&world, id, v, v), NSC_ERR_HANDLE);
    REFUSED(nsc_body_add_force_at(&world, id, v, v), NSC_ERR_HANDLE);
    REFUSED(nsc_body_clear_force(&world, id), NSC_ERR_HANDLE);
    REFUSED(nsc_body_add_impulse_at(&world, id, v, v), NSC_ERR_HANDLE);
}

static void stale_and_foreign_handles_are_refused(void)
{
    nsc_body_def b = good_body();
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.5));
    nsc_id old_body, old_shape, foreign;
    begin(3);
    foreign = box;
    begin(0);
    old_body = nsc_world_add_body(&world, &b);
    old_shape = nsc_world_add_shape(&world, old_body, &s);
    CHECK(old_body > 0 && old_shape > 0);
    refused_everywhere(old_shape); /* of the wrong kind */
    REFUSED(nsc_world_remove_shape(&world, old_body), NSC_ERR_HANDLE);
    CHECK(nsc_world_remove_shape(&world, old_shape) == NSC_OK);
    REFUSED(nsc_world_remove_shape(&world, old_shape), NSC_ERR_HANDLE);
    CHECK(nsc_world_remove_body(&world, old_body) == NSC_OK);
    refused_everywhere(old_body); /* stale, slot empty */
    CHECK(nsc_world_add_body(&world, &b) > 0 && nsc_world_add_shape(&world, box, &s) > 0);
    refused_everywhere(old_body); /* stale, slot taken again */
    REFUSED(nsc_world_remove_shape(&world, old_shape), NSC_ERR_HANDLE);
    refused_everywhere(foreign);
    refused_everywhere(-1);
    refused_everywhere(0x7fffffff);
    refused_everywhere(NSC_GROUND);
}

static void full_worlds_refuse_more(void)
{
    nsc_body_def b = good_body();
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.1));
    nsc_contact c;
    int i;
    begin(0);
    for (i = 2; i < NSC_MAX_BODIES; i++) CHECK(nsc_world_add_body(&world, &b) > 0);
    REFUSED(nsc_world_add_body(&world, &b), NSC_ERR_CAPACITY);
    for (i = 2; i < NSC_MAX_SHAPES; i++) CHECK(nsc_world_add_shape(&world, box, &s) > 0);
    REFUSED(nsc_world_add_shape(&world, box, &s), NSC_ERR_CAPACITY);
    c = good_contact();
    for (i = 0; i < NSC_MAX_CONTACTS; i++) CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_CAPACITY);
    CHECK(step_by(&world, NSC_R(0.01)) == NSC_OK);
    CHECK(nsc_world_report(&world)->contacts == NSC_MAX_CONTACTS && nsc_world_report(&world)->dropped > 0);
    CHECK(nsc_world_contact(&world, NSC_MAX_CONTACTS) == NULL && nsc_world_contact(&world, -1) == NULL);
}

static void bad_arguments_of_setters_are_refused(void)
{
    nsc_pose p = nsc_default_body_def().pose;
    nsc_vec3 zero = vec(0, 0, 0), bad[2];
    nsc_body_def b = nsc_default_body_def();
    nsc_id fixed;
    int i;
    begin(0);
    bad[0] = vec(nan_, 0, 0), bad[1] = vec(0, 0, -inf_);
    for (i = 0; i < 2; i++) {
        REFUSED(nsc_body_add_force(&world, box, bad[i], zero), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_add_force(&world, box, zero, bad[i]), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_add_force_at(&world, box, bad[i], zero), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_add_force_at(&world, box, zero, bad[i]), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_add_impulse_at(&world, box, bad[i], zero), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_add_impulse_at(&world, box, zero, bad[i]), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_set_velocity(&world, box, bad[i], zero), NSC_ERR_NOT_FINITE);
        REFUSED(nsc_body_set_velocity(&world, box, zero, bad[i]), NSC_ERR_NOT_FINITE);
        p.position = bad[i];
        REFUSED(nsc_body_set_pose(&world, box, p), NSC_ERR_NOT_FINITE);
    }
    p.position = zero, p.orientation.w = NSC_R(2.0);
    REFUSED(nsc_body_set_pose(&world, box, p), NSC_ERR_ARGUMENT);
    b.kind = NSC_STATIC_BODY;
    fixed = nsc_world_add_body(&world, &b);
    REFUSED(nsc_body_set_velocity(&world, fixed, zero, zero), NSC_ERR_ARGUMENT);
    REFUSED(nsc_body_add_impulse_at(&world, fixed, zero, zero), NSC_ERR_ARGUMENT);
    REFUSED(nsc_body_get_pose(&world, box, NULL), NSC_OK);
    REFUSED(nsc_body_get_velocity(&world, box, NULL, NULL), NSC_OK);
    REFUSED(nsc_body_get_mass(&world, box, NULL, NULL, NULL), NSC_OK);
    REFUSED(nsc_body_get_contact_force(&world, box, NULL, NULL), NSC_OK);
    CHECK(nsc_body_add_force(NULL, box, zero, zero) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_remove_body(NULL, box) == NSC_ERR_ARGUMENT && step_by(NULL, NSC_R(0.01)) == NSC_ERR_ARGUMENT);
}

static void bad_steps_are_refused(void)
{
    nsc_real much = NSC_REAL_MAX / NSC_R(1.5), h = NSC_R(0.01), half = NSC_R(0.5);
    nsc_vec3 zero = vec(0, 0, 0);
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_sphere_def(half);
    nsc_id bare;
    begin(0);
    REFUSED_STEP(NSC_R(0.0), NSC_ERR_ARGUMENT);
    REFUSED_STEP(-h, NSC_ERR_ARGUMENT);
    REFUSED_STEP(nan_, NSC_ERR_ARGUMENT);
    REFUSED_STEP(inf_, NSC_ERR_ARGUMENT);
    REFUSED_STEP(NSC_R(1.001e6), NSC_ERR_ARGUMENT); /* products of longer ones with velocities overflow */
    REFUSED_STEP(NSC_REAL_MAX, NSC_ERR_ARGUMENT);

    CHECK(nsc_body_add_force(&world, box, vec(much, 0, 0), zero) == NSC_OK);
    CHECK(nsc_body_add_force(&world, box, vec(much, 0, 0), zero) == NSC_ERR_NOT_FINITE); /* the sum would be infinite */
    REFUSED_STEP(h, NSC_ERR_NOT_FINITE);
    REFUSED_STEP(h, NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_clear_force(&world, box) == NSC_OK && step_by(&world, h) == NSC_OK);

    CHECK(nsc_body_add_force(&world, box, vec(0, 0, much), zero) == NSC_OK); /* finite, its square is not */
    REFUSED_STEP(NSC_R(100.0), NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_clear_force(&world, box) == NSC_OK && step_by(&world, h) == NSC_OK);

    world.bodies[1].force.y = nan_;
    REFUSED_STEP(h, NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_clear_force(&world, box) == NSC_OK && step_by(&world, h) == NSC_OK);
    world.bodies[1].torque.z = nan_;
    REFUSED_STEP(h, NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_clear_force(&world, box) == NSC_OK && step_by(&world, h) == NSC_OK);
    world.bodies[1].angular_velocity.x = nan_;
    REFUSED_STEP(h, NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_set_velocity(&world, box, zero, zero) == NSC_OK && step_by(&world, h) == NSC_OK);
    world.bodies[1].orientation.w = nan_;
    REFUSED_STEP(h, NSC_ERR_NOT_FINITE);

    begin(0); /* own contacts wait through a refused step */
    {
        nsc_contact c = good_contact();
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    }
    REFUSED_STEP(nan_, NSC_ERR_ARGUMENT);
    CHECK(nsc_body_add_force(&world, box, vec(0, 0, much), zero) == NSC_OK);
    REFUSED_STEP(NSC_R(100.0), NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_clear_force(&world, box) == NSC_OK && step_by(&world, h) == NSC_OK);
    CHECK(nsc_world_contact_count(&world) == 5);

    bare = nsc_world_add_body(&world, &b); /* dynamic, no mass yet */
    CHECK(bare > 0);
    REFUSED_STEP(h, NSC_ERR_INERTIA);
    s.density = NSC_R(0.0);
    CHECK(nsc_world_add_shape(&world, bare, &s) > 0);
    REFUSED_STEP(h, NSC_ERR_INERTIA);
    s.density = NSC_R(1.0);
    CHECK(nsc_world_add_shape(&world, bare, &s) > 0);
    CHECK(step_by(&world, h) == NSC_OK);
}

static void every_code_has_its_text(void)
{
    int code;
    for (code = -10; code <= 10; code++) CHECK(nsc_error_text(code) && nsc_error_text(code)[0]);
}

/* ---- after code 0 the state is finite, whatever the length of the step and the motion before it */

/* Of either sign, its logarithm uniform */
static nsc_real any_size(double low, double high)
{
    double x = pow(10, uniform(low, high));
    return (nsc_real)(below(2) ? -x : x);
}

static nsc_vec3 any_vec(double low, double high)
{
    return vec(any_size(low, high), any_size(low, high), any_size(low, high));
}

static int state_is_finite(void)
{
    int i;
    nsc_real zero = 0;
    for (i = 0; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        nsc_quat q = b->orientation;
        zero += 0 * (b->position.x) + 0 * b->position.y + 0 * b->position.z;
        zero += 0 * b->velocity.x + 0 * b->velocity.y + 0 * b->velocity.z;
        zero += 0 * b->angular_velocity.x + 0 * b->angular_velocity.y + 0 * b->angular_velocity.z;
        if (!(fabs((double)(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) - 1) < 1e-3)) return 0;
    }
    for (i = 0; i < world.contact_count; i++) {
        const nsc_contact *c = &world.contacts[i];
        zero += 0 * c->gap + 0 * c->impulse.x + 0 * c->impulse.y + 0 * c->impulse.z + 0 * c->point.x + 0 * c->normal.z;
    }
#if NSC_MAX_MANIFOLDS > 0
    for (i = 0; i < world.manifold_end; i++) zero += 0 * world.manifolds[i].reach + 0 * world.manifolds[i].limit;
#endif
    return zero <= 0;
}

static int steps_taken, steps_too_long;

static int a_step_is_refused_or_stays_finite(void)
{
    double top = sizeof(nsc_real) == 4 ? 37 : 300;
    nsc_world_def w = default_def();
    nsc_shape_def s = nsc_default_half_space_def();
    int i;
    w.substeps = below(3) == 0 ? 4 : 1, w.sleep_time = below(3) == 0 ? NSC_R(1e-3) : 0;
    if (below(2)) w.gravity.z = any_size(-30, 20);
    CHECK(nsc_world_init(&world, &w) == NSC_OK && nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
    for (i = 0; i < 2; i++) {
        nsc_body_def b = nsc_default_body_def();
        double most = below(2) ? 3 : top;
        nsc_id id;
        b.kind = below(3) == 0 ? NSC_KINEMATIC_BODY : NSC_DYNAMIC_BODY;
        b.mass = (nsc_real)pow(10, uniform(-3, 3));
        b.inertia[0] = b.mass, b.inertia[1] = b.mass * (nsc_real)uniform(1, 1.9), b.inertia[2] = b.mass * (nsc_real)uniform(1, 1.9);
        b.velocity = any_vec(-3, most), b.angular_velocity = any_vec(-3, most);
        b.pose.position.z = below(2) ? NSC_R(0.5) : any_size(-3, most);
        s = below(2) ? nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5)) : nsc_default_sphere_def(NSC_R(0.5));
        s.restitution = below(2) ? 0 : (nsc_real)uniform(0, 1);
        id = nsc_world_add_body(&world, &b);
        if (id >= 0) nsc_world_add_shape(&world, id, &s);
    }
    for (i = 0; i < 3; i++) {
        double longest = below(4) == 0 ? top : 6.5; /* two numbers, drawn one after the other */
        double h = pow(10, uniform(below(2) ? -3 : 0, longest));
        int code = step_by(&world, (nsc_real)h);
        steps_taken += code == NSC_OK, steps_too_long += code == NSC_ERR_ARGUMENT;
        if (code < 0) return h < 1e6 || code == NSC_ERR_ARGUMENT;
        said("a step of %g s", h);
        if (h > 1.0001e6 || !state_is_finite()) return 0;
    }
    return 1;
}

static void long_steps_are_refused_or_stay_finite(void)
{
    if (!search("a step is refused or stays finite", a_step_is_refused_or_stays_finite, trials(2000, 40000))) return;
    CHECK(steps_taken > 500 && steps_too_long > 50);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    nan_ = (nsc_real)NAN, inf_ = (nsc_real)INFINITY;
    bad_world_definitions_are_refused();
    bad_body_definitions_are_refused();
    bad_shapes_are_refused();
    bad_own_contacts_are_refused();
    stale_and_foreign_handles_are_refused();
    full_worlds_refuse_more();
    bad_arguments_of_setters_are_refused();
    bad_steps_are_refused();
    every_code_has_its_text();
    long_steps_are_refused_or_stay_finite();
    return TEST_END("input");
}
