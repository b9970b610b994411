/* Room: what fits into the least capacities, what does not, and what is then left as it was. */
#define NSC_MAX_BODIES 8
#define NSC_MAX_SHAPES 10
#define NSC_MAX_CONTACTS 8
#define NSC_MAX_JOINTS 4
#define NSC_MAX_JOINT_BLOCKS 7
#define NSC_MAX_FORCES 1
#define NSC_MAX_SPRINGS 3
#define NSC_TERRAIN 1
#define NSC_IMPLEMENTATION
#include "all.h"
#include <math.h>
#include "by.h"
#include "plain.h"

static nsc_world other;

static void joint_room(void)
{
    nsc_id body, hinge[4];
    nsc_axis_def axis;
    nsc_joint_def d;
    int i;
    exact_world(0);
    body = heavy_body(vec(0, 0, 0), 1, 1);
    for (i = 0; i < 3; i++) hinge[i] = upright_joint(NSC_JOINT_HINGE, NSC_GROUND, body, i, 0, 0);
    CHECK(hinge[0] >= 0 && hinge[1] >= 0 && hinge[2] >= 0); /* six of seven blocks */
    CHECK(upright_joint(NSC_JOINT_HINGE, NSC_GROUND, body, 3, 0, 0) == NSC_ERR_CAPACITY);
    CHECK(nsc_joint_get_def(&world, hinge[1], &d) == NSC_OK);
    axis = d.axis[0];
    axis.friction = REAL(1);
    CHECK(nsc_joint_set_axis(&world, hinge[1], 0, &axis) == NSC_OK); /* seven */
    CHECK(nsc_joint_set_axis(&world, hinge[1], 0, &axis) == NSC_OK); /* in its own place */
    CHECK(nsc_joint_set_axis(&world, hinge[2], 0, &axis) == NSC_ERR_CAPACITY);
    CHECK(upright_joint(NSC_JOINT_BALL, NSC_GROUND, body, 0, 0, 0) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_remove_joint(&world, hinge[0]) == NSC_OK);
    CHECK(nsc_joint_set_axis(&world, hinge[2], 0, &axis) == NSC_OK); /* six: what is gone does not count */
    CHECK(upright_joint(NSC_JOINT_HINGE, NSC_GROUND, body, 0, 0, 0) == NSC_ERR_CAPACITY);
    hinge[3] = upright_joint(NSC_JOINT_BALL, NSC_GROUND, body, 0, 0, 0);
    CHECK(hinge[3] >= 0);
    CHECK(step_by(&world, REAL(.01)) == NSC_OK);
}

/* A soft ball comes to rest on its weight, in a build without rolling friction. */
static void soft_ball(void)
{
    static const int steppers[3] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_SYMPLECTIC, NSC_STEPPER_EULER_IMPLICIT};
    int k, i;
    for (k = 0; k < 3; k++) {
        nsc_shape_def ground = nsc_default_half_space_def(), ball = nsc_default_sphere_def(REAL(.5));
        nsc_world_def def = exact_world(10);
        nsc_body_def d = nsc_default_body_def();
        nsc_vec3 force;
        nsc_real mass = REAL(0);
        nsc_id id;
        def.contact_model = NSC_CONTACT_SMOOTH, def.stepper = steppers[k];
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        d.pose.position.z = REAL(.5);
        id = nsc_world_add_body(&world, &d);
        ball.density = REAL(10), ball.restitution = REAL(.5);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0 && nsc_world_add_shape(&world, id, &ball) >= 0);
        for (i = 0; i < 1024; i++) CHECK(step_by(&world, REAL(1) / 1024) == NSC_OK);
        CHECK(nsc_body_get_contact_force(&world, id, &force, NULL) == NSC_OK && nsc_body_get_mass(&world, id, &mass, NULL, NULL) == NSC_OK);
        CHECK_NEAR(force.z, 10 * D(mass), .1);
        CHECK(height_now(id) < .5 && height_now(id) > .48);
    }
}

/* Eight contacts of the caller's own wait; four deeper ones of a box take their room in a step that is refused. */
static void own_contacts_wait(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(.5), REAL(.5), REAL(.5));
    nsc_contact c = nsc_default_contact();
    nsc_body_def d = nsc_default_body_def();
    nsc_id id, free_body;
    int i, own = 0;
    exact_world(10);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    d.pose.position = vec(0, 0, .49);
    id = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, id, &box) >= 0);
    free_body = heavy_body(vec(0, 0, 50), 1, 1);
    c.body_b = id, c.normal = vec(0, 0, 1), c.gap = REAL(.005);
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        c.point = vec(.1 * i, 0, 0), c.feature = (uint32_t)i;
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    }
    CHECK(nsc_body_add_force(&world, free_body, vec(BY_REAL(1e300, 1e38), 0, 0), vec(0, 0, 0)) == NSC_OK);
    CHECK(step_by(&world, REAL(.01)) == NSC_ERR_NOT_FINITE && world.found_count == 4);
    CHECK(nsc_body_clear_force(&world, free_body) == NSC_OK && step_by(&world, REAL(.01)) == NSC_OK);
    for (i = 0; i < nsc_world_contact_count(&world); i++) own += nsc_world_contact(&world, i)->shape_a < 0;
    CHECK(nsc_world_contact_count(&world) == NSC_MAX_CONTACTS && own == 4);
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

/* What cannot move each other may touch: a moving plane or plate, the ground and terrain. */
static void immovable_contacts(void)
{
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_body_def d = nsc_default_body_def();
    nsc_contact c = nsc_default_contact();
    nsc_id body;
    int i;
    exact_world(10);
    for (i = 0; i < NX * NY; i++) heights[i] = REAL(0);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
    terrain();
    d.kind = NSC_KINEMATIC_BODY;
    body = nsc_world_add_body(&world, &d);
    plane.sensor = 1;
    CHECK(nsc_world_add_shape(&world, body, &plane) >= 0 && nsc_body_set_velocity(&world, body, vec(0, 0, 1), vec(0, 0, 0)) == NSC_OK);
    c.body_b = body, c.normal = vec(0, 0, 1), c.gap = REAL(-.1);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK && step_by(&world, REAL(.5)) == NSC_OK);
    CHECK_NEAR(height_now(body), .5, 1e-6);
    CHECK(nsc_world_contact_count(&world) <= 1 && nsc_body_get_island(&world, body) == -1);
    for (i = 0; i < 3; i++) { /* the same from either side */
        nsci_geom half = nsci_place(&world, &world.shapes[0]), field = nsci_place(&world, &world.shapes[1]);
        CHECK(nsci_collide_any(&world, &half, i == 0 ? &field : &half, REAL(1)) == 0 && nsci_collide_any(&world, &field, &half, REAL(1)) == 0);
    }
}

static void full_of_contacts(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(.5), REAL(.5), REAL(.5));
    nsc_body_def d = nsc_default_body_def();
    nsc_id id[2];
    nsc_vec3 force;
    int i, k;
    exact_world(10);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    for (i = 0; i < 2; i++) {
        d.pose.position = vec(2 * i, 0, .5);
        id[i] = nsc_world_add_body(&world, &d);
        CHECK(nsc_world_add_shape(&world, id[i], &box) >= 0);
    }
    for (k = 0; k < 20; k++) {
        CHECK(step_by(&world, REAL(.01)) == NSC_OK && nsc_world_contact_count(&world) == NSC_MAX_CONTACTS);
        CHECK(nsc_world_report(&world)->dropped == 0);
        for (i = 0; i < 2; i++) {
            CHECK(nsc_body_get_contact_force(&world, id[i], &force, NULL) == NSC_OK);
            CHECK_NEAR(force.z, 1e4, 1);
        }
    }
    memcpy(&other, &world, sizeof other);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
}

/* A box sleeps on a table; for two steps deeper contacts elsewhere take the room of its own.  Afterwards it has them again, and it
   falls when its table goes. */
static void sleepers_get_their_contacts_back(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(.25), REAL(.25), REAL(.25));
    nsc_body_def d = nsc_default_body_def();
    nsc_world_def def = exact_world(10);
    nsc_id table, top, other_box[2];
    nsc_vec3 force;
    int i, dropped = 0;
    def.sleep_time = REAL(.5);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    d.kind = NSC_STATIC_BODY, d.pose.position.z = 1;
    table = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, table, &box) >= 0);
    top = lone_body(vec(0, 0, 1.5), box);
    plain_steps(480, 1 / 240.);
    CHECK(nsc_body_is_asleep(&world, top) == 1);
    for (i = 0; i < 2; i++) other_box[i] = lone_body(vec(3 + 2 * i, 0, .249), box);
    for (i = 0; i < 2; i++) {
        plain_steps(1, 1 / 240.);
        dropped += nsc_world_report(&world)->dropped;
    }
    CHECK(dropped > 0);
    for (i = 0; i < 2; i++) CHECK(nsc_world_remove_body(&world, other_box[i]) == NSC_OK);
    plain_steps(240, 1 / 240.);
    CHECK(nsc_body_is_asleep(&world, top) == 1 && nsc_world_contact_count(&world) == 4);
    CHECK(nsc_body_get_contact_force(&world, top, &force, NULL) == NSC_OK);
    CHECK_NEAR(force.z, 1250, 1);
    CHECK(nsc_world_remove_body(&world, table) == NSC_OK);
    plain_steps(480, 1 / 240.);
    CHECK_NEAR(height_now(top), .25, .001);
}

/* Rolling friction that an image brings into a build without room for it */
static void rolling_from_elsewhere(void)
{
    static const nsci_members map[] = {NSCI_ROLLING_MEMBERS};
    int k, i;
    for (k = 0; k < 3; k++) {
        unsigned char bytes[5 * sizeof(nsc_real)];
        nsc_contact c = nsc_default_contact();
        nsci_tape t;
        nsci_tape_start(&t, NSCI_WRITE, &world);
        t.out = bytes, t.size = sizeof bytes;
        for (i = 0; i < 5; i++) {
            nsc_real x = i == k ? REAL(.25) : REAL(0);
            nsci_tape_reals(&t, &x, 1);
        }
        nsci_tape_start(&t, NSCI_READ, NULL);
        t.in = bytes, t.size = sizeof bytes;
        NSCI_WALK(&t, map, &c);
        CHECK(t.code == (k < 2 ? NSC_ERR_CAPACITY : NSC_OK));
    }
}

static uint32_t hash;
static const nsc_real tiny = REAL(BY_REAL(1e-300, 1e-37));
#define REFUSED(call) (CHECK((call) < 0), CHECK(nsc_world_hash(&world) == hash))

static void terrain_is_refused(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf, one = REAL(1);
    nsc_id body;
    nsc_shape_def d = nsc_default_height_field_def(), ball = nsc_default_sphere_def(one);
    exact_world(10);
    body = heavy_body(vec(0, 0, 1), 1, 1);
    memset(heights, 0, sizeof heights);
    hash = nsc_world_hash(&world);
    REFUSED(world_add_field(NULL, NSC_GROUND, &d, heights, 4, 4, one, one));
    REFUSED(world_add_field(&world, body, &d, heights, 4, 4, one, one));
    REFUSED(world_add_field(&world, NSC_GROUND, NULL, heights, 4, 4, one, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &ball, heights, 4, 4, one, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, NULL, 4, 4, one, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 1, 4, one, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 1, one, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, REAL(0), one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, one, REAL(0)));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, nan, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, inf, one));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, one, inf));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, NSC_REAL_MAX / 2, tiny));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, tiny, NSC_REAL_MAX / 2));
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, tiny, tiny));
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, 0)); /* the table is empty */
    heights[5] = nan;
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, one, one));
    heights[5] = NSC_REAL_MAX, heights[6] = -NSC_REAL_MAX;
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, one, one));
    heights[5] = REAL(BY_REAL(1e200, 1e25));
    heights[6] = -heights[5]; /* the square of the rise is infinite */
    REFUSED(world_add_field(&world, NSC_GROUND, &d, heights, 4, 4, one, one));
    heights[5] = heights[6] = REAL(0);
    d.pose.position.x = REAL(100);
    CHECK(world_add_field(&world, NSC_GROUND, &d, heights, 6, 4, one, one) >= 0);
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_add_height_field(&world, NSC_GROUND, &d, 1)); /* the only one */
}

int main(void)
{
    joint_room();
    soft_ball();
    own_contacts_wait();
    immovable_contacts();
    full_of_contacts();
    sleepers_get_their_contacts_back();
    rolling_from_elsewhere();
    terrain_is_refused();
    return TEST_END("room");
}
