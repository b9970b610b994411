/* Bad input: a code, and not one byte of the world changed. */
#define NSC_MAX_BODIES 4
#define NSC_MAX_SHAPES 4
#define NSC_MAX_CONTACTS 4
#define NSC_IMPLEMENTATION
#include "../nsc.h"
#include "test.h"

static nsc_world world, before;
static nsc_id ball, ball_shape;
static nsc_real nan_value, inf_value;

/* `call` must return `code` and leave the world as it was */
#define REFUSED(call, code) (before = world, CHECK((call) == (code)), CHECK(memcmp(&world, &before, sizeof world) == 0))

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def shape = nsc_default_sphere_def(NSC_R(0.1)), ground = nsc_default_half_space_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    nsc_world_add_shape(&world, NSC_GROUND, &ground);
    body.pose.position.z = NSC_R(0.1);
    ball = nsc_world_add_body(&world, &body);
    ball_shape = nsc_world_add_shape(&world, ball, &shape);
    CHECK(ball > 0 && ball_shape > 0);
    CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
}

static void bad_worlds(void)
{
    nsc_world_def d = nsc_default_world_def(), empty;
    memset(&empty, 0, sizeof empty);
    REFUSED(nsc_world_init(&world, NULL), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_init(NULL, &d), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_init(&world, &empty), NSC_ERR_ARGUMENT);
    d.gravity.x = nan_value;
    REFUSED(nsc_world_init(&world, &d), NSC_ERR_NOT_FINITE);
    d = nsc_default_world_def(), d.margin = -1;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_world_def(), d.recovery = 2;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_world_def(), d.tag = 16;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_world_def(), d.solver.max_iterations = 0;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_world_def(), d.solver.omega = 2;
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_world_def(), d.solver.solver = NSC_SOLVER_DANTZIG; /* COULOMB is not its law */
    REFUSED(nsc_world_set_def(&world, &d), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_step(&world, 0), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_step(&world, -1), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_step(&world, nan_value), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_step(&world, inf_value), NSC_ERR_ARGUMENT);
    CHECK(nsc_world_step(NULL, 1) == NSC_ERR_ARGUMENT);
}

static void bad_bodies(void)
{
    nsc_body_def d = nsc_default_body_def(), empty;
    int i;
    memset(&empty, 0, sizeof empty);
    REFUSED(nsc_world_add_body(&world, NULL), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_body(&world, &empty), NSC_ERR_ARGUMENT);
    d.mass = nan_value;
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_NOT_FINITE);
    d.mass = -1;
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_ARGUMENT);
    d.mass = 1; /* without inertia */
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_INERTIA);
    for (i = 0; i < 3; i++) d.inertia[i] = 1;
    d.inertia[3] = 2; /* indefinite */
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_INERTIA);
    d.inertia[3] = 0, d.inertia[2] = 3; /* no mass is spread like that */
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_INERTIA);
    d.inertia[2] = inf_value;
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_NOT_FINITE);
    d = nsc_default_body_def(), d.pose.orientation.x = 1;
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_body_def(), d.pose.position.y = inf_value;
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_NOT_FINITE);
    d = nsc_default_body_def(), d.velocity.y = nan_value;
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_NOT_FINITE);
    d = nsc_default_body_def();
    for (i = 2; i < NSC_MAX_BODIES; i++) CHECK(nsc_world_add_body(&world, &d) > 0);
    REFUSED(nsc_world_add_body(&world, &d), NSC_ERR_CAPACITY);
    REFUSED(nsc_world_step(&world, NSC_R(0.01)), NSC_ERR_INERTIA); /* a dynamic body without mass */
}

static void bad_shapes(void)
{
    nsc_shape_def d = nsc_default_sphere_def(0), plane = nsc_default_half_space_def(), empty;
    memset(&empty, 0, sizeof empty);
    REFUSED(nsc_world_add_shape(&world, ball, NULL), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_shape(&world, ball, &empty), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_ARGUMENT);
    d.radius = nan_value;
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_NOT_FINITE);
    d = nsc_default_box_def(1, -1, 1);
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_ARGUMENT);
    d = nsc_default_sphere_def(1), d.friction = -1;
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_ARGUMENT);
    d.friction = nan_value;
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_NOT_FINITE);
    d.friction = 0, d.restitution = NSC_R(1.1);
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_ARGUMENT);
    d.restitution = 0, d.density = -1;
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_ARGUMENT);
    d.density = 1, d.pose.orientation.w = 2;
    REFUSED(nsc_world_add_shape(&world, ball, &d), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_shape(&world, ball, &plane), NSC_ERR_ARGUMENT); /* infinite on a dynamic body */
    d = nsc_default_sphere_def(1);
    REFUSED(nsc_world_add_shape(&world, ball_shape, &d), NSC_ERR_HANDLE); /* a shape is no body */
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &d) > 0 && nsc_world_add_shape(&world, NSC_GROUND, &d) > 0);
    REFUSED(nsc_world_add_shape(&world, NSC_GROUND, &d), NSC_ERR_CAPACITY);
}

static void bad_handles(void)
{
    static nsc_world other;
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_vec3 zero = {0, 0, 0};
    nsc_id foreign, stale, again;
    def.tag = 3;
    nsc_world_init(&other, &def);
    foreign = nsc_world_add_body(&other, &body);
    REFUSED(nsc_body_add_force(&world, foreign, zero, zero), NSC_ERR_HANDLE);
    REFUSED(nsc_body_add_force(&world, -5, zero, zero), NSC_ERR_HANDLE);
    REFUSED(nsc_body_add_force(&world, ball_shape, zero, zero), NSC_ERR_HANDLE);
    REFUSED(nsc_world_remove_body(&world, NSC_GROUND), NSC_ERR_HANDLE);
    REFUSED(nsc_world_remove_shape(&world, ball), NSC_ERR_HANDLE);
    stale = nsc_world_add_body(&world, &body);
    CHECK(nsc_world_remove_body(&world, stale) == NSC_OK);
    REFUSED(nsc_world_remove_body(&world, stale), NSC_ERR_HANDLE);
    again = nsc_world_add_body(&world, &body); /* the same slot */
    CHECK(again != stale && (again & 16383) == (stale & 16383));
    REFUSED(nsc_body_set_velocity(&world, stale, zero, zero), NSC_ERR_HANDLE);
    CHECK(nsc_world_remove_body(&world, again) == NSC_OK);
}

static void bad_forces(void)
{
    nsc_vec3 zero = {0, 0, 0}, huge = {0, 0, 0}, bad = {0, 0, 0};
    huge.x = NSC_REAL_MAX, bad.y = nan_value;
    REFUSED(nsc_body_add_force(&world, ball, bad, zero), NSC_ERR_NOT_FINITE);
    REFUSED(nsc_body_set_velocity(&world, ball, zero, bad), NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_add_force(&world, ball, huge, zero) == NSC_OK && nsc_body_add_force(&world, ball, huge, zero) == NSC_OK);
    before = world; /* the sum is infinite: the step refuses */
    CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_ERR_NOT_FINITE && memcmp(&world, &before, NSC_WORLD_STATE_SIZE) == 0);
    CHECK(nsc_body_clear_force(&world, ball) == NSC_OK && nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
    world.bodies[1].force.z = nan_value;
    before = world;
    CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_ERR_NOT_FINITE && memcmp(&world, &before, NSC_WORLD_STATE_SIZE) == 0);
    nsc_body_clear_force(&world, ball);
    CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
}

static void bad_contacts(void)
{
    nsc_contact c = nsc_default_contact();
    int i;
    REFUSED(nsc_world_add_contact(&world, NULL), NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_ARGUMENT); /* with itself */
    c.body_b = ball, c.gap = nan_value;
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_NOT_FINITE);
    c.gap = 0, c.normal.x = 1;
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_ARGUMENT);
    c.normal.x = 0, c.restitution = 2;
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_ARGUMENT);
    c.restitution = 0, c.body_a = 12345;
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_HANDLE);
    c.body_a = NSC_GROUND;
    for (i = 0; i < NSC_MAX_CONTACTS; i++) CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    REFUSED(nsc_world_add_contact(&world, &c), NSC_ERR_CAPACITY);
}

int main(void)
{
    volatile nsc_real most = NSC_REAL_MAX;
    inf_value = most * 2;
    nan_value = inf_value - inf_value;
    begin(), bad_worlds();
    begin(), bad_bodies();
    begin(), bad_shapes();
    begin(), bad_handles();
    begin(), bad_forces();
    begin(), bad_contacts();
    return TEST_END("input");
}
