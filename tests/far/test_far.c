/* Positions far out and at short steps, NSC_FAR: a body moves as fast as its velocity says, and images hold the remainder. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 4
#ifndef NSC_FAR
#define NSC_FAR 1
#endif
#include "nsc.h"
#include "nsc_image.h"
#include "by.h"
#include "random.h"
#include "plain.h"

static nsc_id thrown(nsc_vec3 at, nsc_vec3 velocity)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_world_def def = default_def();
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.1));
    nsc_id id;
    def.gravity = vec(0, 0, 0);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    b.pose.position = at;
    b.velocity = velocity;
    id = nsc_world_add_body(&world, &b);
    CHECK(nsc_world_add_shape(&world, id, &s) >= 0);
    return id;
}

static nsc_vec3 place_of(nsc_id id)
{
    nsc_pose p;
    CHECK(nsc_body_get_pose(&world, id, &p) == NSC_OK);
    return p.position;
}

/* Coordinates to 1 km, 1 to 16 kHz, 1 mm/s to 1 m/s: the way is right to 1 % and the last digit there. */
static int moves_as_its_velocity_says(void)
{
    double out = pow(10, uniform(0, 3)), hz = pow(10, uniform(3, 4.2)), speed = pow(10, uniform(-3, 0)), off = 0;
    nsc_vec3 at = any_vec(out), v = any_vec(speed), end;
    nsc_id id = thrown(at, v);
    int steps = 4000;
    double ulp = 2 * out * (is_double ? 2.3e-16 : 1.2e-7);
    at = place_of(id);
    plain_steps(steps, 1 / hz);
    end = minus(place_of(id), at);
    off = length(minus(end, multiple(steps / hz, v)));
    said("%g m out, %g Hz, %g m/s: off by %g of %g m", out, hz, speed, off, length(v) * steps / hz);
    return off < 0.01 * length(v) * steps / hz + ulp;
}

/* The case of the report: 100 m out, 8 kHz, 0.02 m/s, one second */
static void the_reported_case(void)
{
    nsc_id id = thrown(vec(100, 0, 0), vec(0.02, 0, 0));
    plain_steps(8000, 1 / 8000.);
    CHECK_NEAR(D(place_of(id).x) - 100, 0.02, 2e-4);
}

/* A world that is saved and loaded, or copied, goes on with the same bits; another remainder is another hash, and a pose that is set forgets it. */
static void images_hold_it(void)
{
    static unsigned char image[4096];
    static nsc_world other;
    nsc_world_def def = default_def();
    nsc_id id = thrown(vec(100, -50, 20), vec(0.013, 0.007, -0.011));
    long size;
    uint32_t hash;
    nsc_pose p;
    plain_steps(333, 1 / 8000.);
    CHECK(fabs(D(world.bodies[1].rest.x)) > 0);
    size = (long)nsc_world_save(&world, image, sizeof image);
    CHECK(size > 0);
    CHECK(nsc_world_init(&other, &def) == NSC_OK);
    CHECK(nsc_world_load(&other, image, (int)size) == NSC_OK);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
    plain_steps(500, 1 / 8000.);
    hash = nsc_world_hash(&world);
    for (size = 0; size < 500; size++) CHECK(step_by(&other, REAL(1 / 8000.)) == NSC_OK);
    CHECK(nsc_world_hash(&other) == hash);
    CHECK(memcmp(&other.bodies[1].rest, &world.bodies[1].rest, sizeof(nsc_vec3)) == 0);
    other.bodies[1].rest.y += other.bodies[1].rest.y + REAL(1e-9);
    CHECK(nsc_world_hash(&other) != hash);
    CHECK(nsc_body_get_pose(&world, id, &p) == NSC_OK);
    CHECK(nsc_body_set_pose(&world, id, p) == NSC_OK);
    CHECK(!(fabs(D(world.bodies[1].rest.x)) > 0));
}

int main(int argc, char **argv)
{
    int rates, i, n, failed = 0;
    argc = test_begin(argc, argv);
    rates = argc > 1 && strcmp(argv[1], "rates") == 0;
    n = argc > 2 ? atoi(argv[2]) : trials(60, 1000);
    if (rates) {
        for (i = 0; i < n; i++) failed += !moves_as_its_velocity_says();
        printf("%d of %d do not move as fast as they should\n", failed, n);
        return 0;
    }
    the_reported_case();
    images_hold_it();
    search("it moves as its velocity says", moves_as_its_velocity_says, n);
    return TEST_END("far");
}
