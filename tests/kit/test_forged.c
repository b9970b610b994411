/* Images of worlds in which everything of NSC_LOCKS, NSC_BELTS, NSC_WORDS, NSC_MESHES and NSC_TERRAIN has a value, with one number of theirs replaced at a time and
   the checksum mended: each is refused and changes nothing, or is a world that steps and goes on as its own image. */
#define NSC_IMPLEMENTATION
#define NSC_LOCKS 1
#define NSC_BELTS 1
#define NSC_WORDS 1
#define NSC_MESHES 1
#define NSC_MAX_BODIES 8
#define NSC_MAX_SHAPES 12
#define NSC_MAX_CONTACTS 24
#define NSC_MAX_JOINTS 4
#define NSC_MAX_SPRINGS 1
#define NSC_MAX_ROLLING 8
#define NSC_HULL_VERTICES 8
#define NSC_TERRAIN 1
#define NSC_MAX_ITERATIONS 20000 /* what bounds the time of an image's step, else it may be years */
#include "all.h"
#include "image.h"
#include "meshes/ramp.h"
#include "world.h"

enum { IMAGE = 20000 };
static nsc_world before;
static unsigned char genuine[IMAGE], image[IMAGE], again[IMAGE];
static const nsc_mesh *const meshes[] = {&ramp};
static const nsc_real flat[4] = {0, 0, 0};
static const nsc_heights level = {flat, 2, 2, REAL(1), REAL(1), REAL(0), REAL(0)};
static const nsc_heights *const fields[] = {&level};

static nsc_id body(int kind, double x, double z)
{
    nsc_body_def d = nsc_default_body_def();
    d.kind = kind;
    d.pose.position = vec(x, 0, z);
    d.locks = kind == NSC_DYNAMIC_BODY ? NSC_LOCK_TURN_X : 0;
    d.linear_damping = REAL(0.25);
    d.angular_damping = REAL(0.5);
    d.user = 77;
    return nsc_world_add_body(&world, &d);
}

/* Boxes on a box, on a mesh and on terrain, joints with a gear, a spring, a body switched off and one removed */
static int rich_image(int contact_model)
{
    static const nsc_real heights[9] = {0, 0, 0};
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def box = nsc_default_box_def(REAL(0.25), REAL(0.25), REAL(0.125)), field = nsc_default_height_field_def();
    nsc_shape_def mesh = nsc_default_mesh_def();
    nsc_id bodies[6], joints[2];
    nsc_joint_def joint;
    nsc_spring_def spring;
    int i;
    def.contact_model = contact_model;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    CHECK(nsc_world_set_meshes(&world, meshes, 1) == NSC_OK);
    CHECK(nsc_world_add_mesh(&world, NSC_GROUND, &mesh, 0) > 0);
    CHECK(nsc_world_set_fields(&world, fields, 1) == NSC_OK);
    field.pose.position = vec(9, -1, 0);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &field, 0) > 0);
    field.pose.position = vec(4, -1, 0);
    CHECK(world_add_field(&world, NSC_GROUND, &field, heights, 3, 3, REAL(1), REAL(1)) > 0);
    box.rolling = REAL(0.001);
    box.surface_velocity = vec(0.125, 0, 0);
    box.user = 5;
    box.stiffness = contact_model == NSC_CONTACT_SMOOTH ? REAL(1e4) : 0;
    for (i = 0; i < 6; i++) {
        bodies[i] = body(NSC_DYNAMIC_BODY, i < 2 ? -1.0 : 2.5 + i, 0.125 + 0.25 * (i == 1));
        CHECK(nsc_world_add_shape(&world, bodies[i], &box) > 0);
    }
    for (i = 0; i < 2; i++) {
        joint = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, bodies[2 + i]);
        joint.axis[0].limited = 1;
        joint.axis[0].lower = REAL(-0.5);
        joint.axis[0].upper = REAL(0.5);
        CHECK(nsc_joint_place(&world, &joint, position(bodies[2 + i]), vec(0, 1, 0), vec(0, 0, 1)) == NSC_OK);
        joints[i] = nsc_world_add_joint(&world, &joint);
        CHECK(joints[i] > 0);
    }
    joint = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    joint.joint_a = joints[0];
    joint.joint_b = joints[1];
    joint.ratio = REAL(2);
    joint.axis[0].spring = REAL(50);
    CHECK(nsc_world_add_joint(&world, &joint) > 0);
    spring = nsc_default_spring_def(bodies[3], bodies[4]);
    spring.stiffness = REAL(10);
    CHECK(nsc_world_add_spring(&world, &spring) > 0);
    for (i = 0; i < 3; i++) CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_body_set_kind(&world, bodies[4], NSC_DISABLED_BODY) == NSC_OK);
    CHECK(nsc_world_remove_body(&world, bodies[5]) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    memcpy(&before, &world, sizeof world);
    return nsc_world_save(&world, genuine, IMAGE);
}

static int real_finite(nsc_real x) { return is_finite(D(x)); }

/* Of what a step reads: bodies, contacts, joints, gravity */
static int all_finite(void)
{
    int i, k, ok = IS_FINITE(world.def.gravity);
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        const nsc_body *b = &world.bodies[i];
        ok &= IS_FINITE(b->position) && IS_FINITE(b->orientation) && real_finite(b->orientation.w);
        ok &= IS_FINITE(b->velocity) && IS_FINITE(b->angular_velocity);
        ok &= IS_FINITE(b->force) && IS_FINITE(b->torque);
        ok &= IS_FINITE(b->acceleration) && IS_FINITE(b->angular_acceleration);
        for (k = 0; k < 6; k++) ok &= real_finite(b->rate[k]) && real_finite(b->mean_rate[k]);
    }
    for (i = 0; i < world.contact_count; i++) {
        const nsc_contact *c = &world.contacts[i];
        ok &= IS_FINITE(c->point) && IS_FINITE(c->normal) && real_finite(c->gap);
        ok &= IS_FINITE(c->impulse) && IS_FINITE(c->moment);
    }
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        const nsc_joint *j = &world.joints[i];
        for (k = 0; k < 3; k++) ok &= real_finite(j->angle[k]);
        for (k = 0; k < NSC_JOINT_ROWS; k++) ok &= real_finite(j->impulse[k]);
    }
    return ok;
}

static void one_wrong_number_is_refused_or_can_be_lived_in(int contact_model)
{
    static const uint32_t words[] = {0, 1, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000,
        0x7f000000, 0x00000100, 0xffff, 0xbff00000, 0x7ff80000, 0x40400000};
    enum { WORDS = sizeof words / sizeof words[0] };
    int size = rich_image(contact_model), at, k, i, refused = 0, taken = 0;
    CHECK(size > 0 && nsc_world_load(&world, genuine, size) == NSC_OK);
    for (at = IMAGE_HEADER; at < size - 4; at++)
        for (k = 0; k < WORDS; k++) {
            int bytes = k < 3 && at % 2 ? 1 : 4, code;
            if ((at * WORDS + k) % (test_long() ? 5 : 67)) continue;
            memcpy(image, genuine, (size_t)size);
            image_put(image + at, words[k], bytes);
            image_sign(image, size);
            memcpy(&world, &before, sizeof world);
            code = nsc_world_load(&world, image, size);
            if (code < 0) {
                refused++;
                CHECK(nsc_world_hash(&world) == nsc_world_hash(&before));
                continue;
            }
            taken++;
            CHECK(all_finite());
            i = nsc_world_save(&world, again, IMAGE);
            CHECK(i > 0);
            if (taken % 8) continue;
            for (i = 0; i < 2; i++) nsc_world_step(&world, REAL(1 / 240.));
            CHECK(all_finite());
        }
    CHECK(refused > taken / 20 && taken > refused / 20);
    printf("forged: of %d images %d refused\n", taken + refused, refused);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    one_wrong_number_is_refused_or_can_be_lived_in(NSC_CONTACT_HARD);
    one_wrong_number_is_refused_or_can_be_lived_in(NSC_CONTACT_SMOOTH);
    return TEST_END("forged");
}
