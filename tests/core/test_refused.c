/* Refusals: one wrong argument in each call, and nothing changes. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_draw.h"
#include "nsc_dump.h"
#include <math.h>
#include "by.h"
#include "plain.h"

static uint32_t hash;
static const nsc_real tiny = REAL(BY_REAL(1e-300, 1e-37));
#define REFUSED(call) (CHECK((call) < 0), CHECK(nsc_world_hash(&world) == hash))

static void stroke(void *user, const char *text) { (void)user, (void)text; }
static void line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from) { (void)user, (void)start, (void)end, (void)from; }
static void point(void *user, nsc_vec3 at, const nsc_draw_from *from) { (void)user, (void)at, (void)from; }

static void refused_queries(nsc_id body, nsc_vec3 wild)
{
    const nsc_real inf = wild.x, nan = inf - inf;
    nsc_shape_def ball = nsc_default_sphere_def(REAL(1)), plane = nsc_default_half_space_def();
    nsc_vec3 o = vec(0, 0, 5), down = vec(0, 0, -9);
    nsc_calls calls;
    nsc_draw draw;
    nsc_problem problem;
    nsc_hit hit;
    nsc_id ids[2];
    unsigned char image[8];
    REFUSED(nsc_world_overlap(NULL, &ball, 1, ids, 2));
    REFUSED(nsc_world_overlap(&world, NULL, 1, ids, 2));
    REFUSED(nsc_world_overlap(&world, &plane, 1, ids, 2));
    REFUSED(nsc_world_overlap(&world, &ball, 1, NULL, 2));
    REFUSED(nsc_world_overlap(&world, &ball, 1, ids, -1));
    CHECK(nsc_world_overlap(&world, &ball, 1, NULL, 0) == 2 && nsc_world_overlap(&world, &ball, 1, ids, 1) == 2);
    REFUSED(nsc_world_cast_ray(NULL, o, down, 1, &hit));
    REFUSED(nsc_world_cast_ray(&world, o, down, 1, NULL));
    REFUSED(nsc_world_cast_ray(&world, wild, down, 1, &hit));
    REFUSED(nsc_world_cast_ray(&world, o, wild, 1, &hit));
    REFUSED(nsc_world_cast_shape(NULL, &ball, down, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, NULL, down, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, &plane, down, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, &ball, down, 1, NULL));
    REFUSED(nsc_world_cast_shape(&world, &ball, wild, 1, &hit));
    REFUSED(nsc_world_cast_shape(&world, &ball, vec(0, 0, 0), 1, &hit));
    REFUSED(nsc_world_closest(NULL, o, REAL(9), 1, &hit));
    REFUSED(nsc_world_closest(&world, o, REAL(9), 1, NULL));
    REFUSED(nsc_world_closest(&world, o, REAL(-1), 1, &hit));
    REFUSED(nsc_world_closest(&world, wild, REAL(9), 1, &hit));
    REFUSED(step_by(NULL, REAL(1)));
    REFUSED(step_by(&world, REAL(0)));
    REFUSED(step_by(&world, inf));
    REFUSED(step_by(&world, nan));
    REFUSED(step_by(&world, tiny));
    memset(&calls, 0, sizeof calls);
    REFUSED(step_by_with(NULL, REAL(1), &calls));
    memset(&draw, 0, sizeof draw);
    draw.line = line, draw.point = point;
    REFUSED(nsc_world_draw(NULL, &draw, 1));
    REFUSED(nsc_world_draw(&world, NULL, 1));
    REFUSED(nsc_world_draw(&world, &draw, -1));
    REFUSED(nsc_world_draw(&world, &draw, NSC_DRAW_ALL + NSC_DRAW_TRIANGLES + 1));
    draw.force_scale = nan;
    REFUSED(nsc_world_draw(&world, &draw, 1));
    REFUSED(nsc_world_problem(NULL, REAL(1), 0, &problem));
    REFUSED(nsc_world_problem(&world, REAL(1), 0, NULL));
    REFUSED(nsc_world_problem(&world, REAL(1), -1, &problem));
    REFUSED(nsc_world_problem(&world, REAL(1), 9, &problem));
    REFUSED(nsc_world_body_at(NULL, 0));
    REFUSED(nsc_world_shape_at(NULL, 0));
    REFUSED(nsc_world_dump(NULL, REAL(1), 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, REAL(1), 0, NULL, NULL));
    REFUSED(nsc_world_dump(&world, REAL(1), -1, stroke, NULL));
    REFUSED(nsc_world_dump(&world, REAL(0), 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, inf, 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, tiny, 0, stroke, NULL));
    REFUSED(nsc_world_dump(&world, REAL(1), 9, stroke, NULL));
    REFUSED(nsc_world_save_size(NULL));
    REFUSED(nsc_world_save(NULL, image, 8));
    REFUSED(nsc_world_save(&world, NULL, 8));
    REFUSED(nsc_world_save(&world, image, -1));
    REFUSED(nsc_world_save(&world, image, 8));
    REFUSED(nsc_world_load(NULL, image, 8));
    REFUSED(nsc_world_load(&world, NULL, 8));
    REFUSED(nsc_world_load(&world, image, -1));
    REFUSED(nsc_world_load(&world, image, 0));
    CHECK(nsc_world_hash(NULL) == 0);
    CHECK(!nsc_world_contact(NULL, 0) && !nsc_world_contact(&world, -1) && !nsc_world_contact(&world, 0));
    CHECK(!nsc_world_island(NULL, 0) && !nsc_world_island(&world, -1) && !nsc_world_island(&world, 9));
    CHECK(!nsc_world_event(NULL, 0) && !nsc_world_event(&world, -1) && !nsc_world_event(&world, 0) && nsc_world_event_count(NULL) == 0);
    CHECK(nsc_body_get_island(&world, NSC_GROUND) == -1 && nsc_body_get_island(&world, body) == -1); /* no step yet */
    REFUSED(nsc_body_get_island(NULL, body));
    REFUSED(nsc_body_get_island(&world, -1));
}

/* A centre of mass that is too far out in one direction: what is told of it is infinite, whichever direction it is. */
static void far_centre(void)
{
    int axis, side;
    for (axis = 0; axis < 3; axis++)
        for (side = 0; side < 2; side++) {
            nsc_body_def d = nsc_default_body_def();
            nsc_real far = side ? -NSC_REAL_MAX : NSC_REAL_MAX;
            nsc_refusal why;
            CASE("axis %d, side %d", axis, side);
            d.mass = 1, d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
            (&d.pose.position.x)[axis] = far, (&d.centre.x)[axis] = REAL(0.9) * far;
            REFUSED(nsc_world_add_body(&world, &d));
            why = nsc_world_last_refusal(&world);
            CHECK(why.code == NSC_ERR_NOT_FINITE && why.value >= REAL(0.8) * NSC_REAL_MAX);
        }
    CASE_END();
}

/* What a shape is made of may change, where it is and what mass it gives its body may not. */
static void changed_shape(nsc_id shape)
{
    nsc_shape_def d, e;
    CHECK(nsc_shape_get_def(&world, shape, &d) == NSC_OK);
    e = d, e.pose.position.x += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.position.y += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.position.z += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.orientation.w = REAL(.6), e.pose.orientation.x = REAL(.8);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.pose.orientation.w = REAL(-1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.kind = NSC_SHAPE_CAPSULE, e.half.z = REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.kind = NSC_SHAPE_CAPSULE, e.half.z = d.half.z;
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.radius += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.density += REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.stiffness = REAL(1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d, e.friction = REAL(-1);
    REFUSED(nsc_shape_set_def(&world, shape, &e));
    e = d;
    e.sensor = 1, e.category = 6, e.mask = 5, e.friction = REAL(.25), e.restitution = REAL(.125);
    e.young = REAL(3e5), e.poisson = REAL(.25), e.cohesion = REAL(2);
    CHECK(nsc_shape_set_def(&world, shape, &e) == NSC_OK && nsc_shape_get_def(&world, shape, &d) == NSC_OK);
    CHECK(d.sensor == 1 && d.category == 6 && d.mask == 5 && !(d.friction < e.friction || d.friction > e.friction));
    CHECK_NEAR(d.restitution, .125, 0);
    CHECK_NEAR(d.young, 3e5, 0);
    CHECK_NEAR(d.poisson, .25, 0);
    CHECK_NEAR(d.cohesion, 2, 0);
    hash = nsc_world_hash(&world);
}

/* Contacts of one's own in a world of smooth contact */
static void refused_contacts(void)
{
    nsc_world_def def = exact_world(0);
    nsc_contact c = nsc_default_contact(), e;
    nsc_id body;
    def.contact_model = NSC_CONTACT_SMOOTH;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    body = heavy_body(vec(0, 0, 1), 1, 1);
    c.body_b = body;
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_add_contact(&world, &c)); /* neither stiffness nor hertz */
    c.hertz = REAL(1e4);
    e = c, e.hertz = REAL(-1);
    REFUSED(nsc_world_add_contact(&world, &e));
    e = c, e.tangential = REAL(-1);
    REFUSED(nsc_world_add_contact(&world, &e));
    e = c, e.cohesion = REAL(-1);
    REFUSED(nsc_world_add_contact(&world, &e));
    e = c, e.hertz = REAL(0), e.sensor = 1;
    CHECK(nsc_world_add_contact(&world, &e) == NSC_OK);
    e.sensor = 0, e.stiffness = REAL(10);
    CHECK(nsc_world_add_contact(&world, &e) == NSC_OK && nsc_world_add_contact(&world, &c) == NSC_OK);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    def.contact_model = NSC_CONTACT_HARD; /* not while contacts of the other kind wait */
    REFUSED(nsc_world_set_def(&world, &def));
}

static void refusals(void)
{
    nsc_shape_def ball = nsc_default_sphere_def(REAL(1)), other_def;
    nsc_vec3 wild = vec(0, 0, 0), o = vec(0, 0, 0);
    nsc_body_def d = nsc_default_body_def();
    nsc_contact c = nsc_default_contact();
    nsc_id body, shape;
    wild.x = NSC_REAL_MAX * 2;
    exact_world(10);
    body = heavy_body(vec(0, 0, 1), 1, 1);
    shape = nsc_world_add_shape(&world, body, &ball);
    CHECK(shape >= 0 && nsc_world_add_shape(&world, NSC_GROUND, &ball) >= 0);
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_add_body(NULL, &d));
    REFUSED(nsc_world_add_body(&world, NULL));
    REFUSED(nsc_world_remove_body(&world, NSC_GROUND));
    REFUSED(nsc_world_add_shape(NULL, body, &ball));
    REFUSED(nsc_world_add_shape(&world, body, NULL));
    REFUSED(nsc_shape_get_def(NULL, shape, &other_def));
    REFUSED(nsc_shape_get_def(&world, shape, NULL));
    REFUSED(nsc_shape_get_def(&world, body, &other_def)); /* a handle of something else */
    REFUSED(nsc_shape_set_def(NULL, shape, &ball));
    REFUSED(nsc_shape_set_def(&world, shape, NULL));
    REFUSED(nsc_world_set_def(NULL, &world.def));
    REFUSED(nsc_world_set_def(&world, NULL));
    REFUSED(nsc_world_add_contact(NULL, &c));
    REFUSED(nsc_world_add_contact(&world, NULL));
    REFUSED(nsc_body_set_velocity(&world, body, wild, o));
    REFUSED(nsc_body_set_velocity(&world, body, o, wild));
    REFUSED(nsc_body_add_force(&world, body, wild, o));
    REFUSED(nsc_body_add_force(&world, body, o, wild));
    REFUSED(nsc_body_add_force_at(&world, body, o, wild));
    refused_queries(body, wild);
    changed_shape(shape);
    refused_contacts();
    far_centre();
}

static int busy_code;
static int adds(void *user)
{
    nsc_body_def b = nsc_default_body_def();
    (void)user;
    busy_code = (int)nsc_world_add_body(&world, &b);
    return 0;
}

static void refusals_name_the_number(void)
{
    static nsc_world unmade;
    nsc_world_def d;
    nsc_shape_def s = nsc_default_sphere_def(REAL(1));
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_id b;
    CHECK(nsc_world_add_shape(&unmade, NSC_GROUND, &s) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&unmade).field, "world") == 0);
    d = default_def();
    CHECK(nsc_world_set_def(&unmade, &d) == NSC_ERR_ARGUMENT);
    plain_world(.25);
    d.solver.omega = 3;
    CHECK(nsc_world_set_def(&world, &d) == NSC_ERR_ARGUMENT);
    CHECK_NEAR(nsc_world_last_refusal(&world).value, 3, 0);
    CHECK(nsc_body_wake(&world, NSC_ERR_CAPACITY) == NSC_ERR_HANDLE);
    CHECK_NEAR(nsc_world_last_refusal(&world).value, NSC_ERR_CAPACITY, 0);
    CHECK(nsc_world_overlap(&world, &s, 1, NULL, -1) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&world).rule, "in the range that is documented at the function") == 0);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    b = lone_body(vec(0, 0, .9), s);
    CHECK(nsc_body_add_force(&world, b, vec(0, 0, 0), vec(0, 0, HUGE_VAL)) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_world_last_refusal(&world).value > NSC_REAL_MAX);
    /* the step succeeds, and what its callback was refused stays known */
    CHECK(step_by_until(&world, REAL(.01), adds, NULL) == NSC_OK && busy_code == NSC_ERR_BUSY);
    CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_BUSY);
    /* a problem whose numbers overflow names who flies off */
    lone_body(vec(9, 0, .9), s);
    CHECK(nsc_body_add_force(&world, b, vec(D(NSC_REAL_MAX), 0, 0), vec(0, 0, 0)) == NSC_OK);
    CHECK(step_by(&world, REAL(1000)) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "contact problem") == 0);
    CHECK_NEAR(nsc_world_last_refusal(&world).value, b & 16383, 0);
}

int main(void)
{
    refusals();
    refusals_name_the_number();
    return TEST_END("refused");
}
