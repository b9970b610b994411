/* Joints without gears, NSC_GEARS 0: a gear is refused by name and changes nothing, in an image too; hinges turn as ever. */
#define NSC_MAX_JOINTS 3
#define NSC_GEARS 0
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_joint_state.h"
#include "test.h"

static nsc_world world, other;
static nsc_id wheel[2], hinge[2];

static void add_wheels(void)
{
    nsc_world_def settings = nsc_default_world_def();
    nsc_shape_def disc = nsc_default_sphere_def(NSC_R(0.1));
    nsc_vec3 axis = {0, 1, 0}, across = {1, 0, 0}, point = {0, 0, 1};
    int i;
    CHECK(nsc_world_init(&world, &settings) == NSC_OK);
    for (i = 0; i < 2; i++) {
        nsc_body_def body = nsc_default_body_def();
        nsc_joint_def d;
        point.x = (nsc_real)i;
        body.pose.position = point;
        wheel[i] = nsc_world_add_body(&world, &body);
        CHECK(nsc_world_add_shape(&world, wheel[i], &disc) >= 0);
        d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, wheel[i]);
        CHECK(nsc_joint_place(&world, &d, point, axis, across) == NSC_OK);
        d.axis[0].drive = NSC_DRIVE_MOTOR;
        d.axis[0].target_velocity = (nsc_real)(2 * i);
        hinge[i] = nsc_world_add_joint(&world, &d);
        CHECK(hinge[i] >= 0);
    }
}

static void gears_are_refused(void)
{
    static unsigned char image[8192];
    nsc_joint_def gear = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    nsc_real apart, angle;
    nsc_axis_state state;
    uint32_t before;
    int i, size, kind;
    add_wheels();
    before = nsc_world_hash(&world);
    gear.joint_a = hinge[0], gear.joint_b = hinge[1];
    CHECK(nsc_world_add_joint(&world, &gear) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_joint_def.kind") == 0);
    CHECK(strstr(nsc_world_last_refusal(&world).rule, "nsc_gears.h") != NULL);
    CHECK(nsc_world_hash(&world) == before && world.joint_end == 2);
    for (i = 0; i < 240; i++) CHECK(nsc_world_step(&world, NSC_R(1.0) / 240) == NSC_OK);
    for (i = 0; i < 2; i++) {
        CHECK(nsc_joint_get_axis(&world, hinge[i], 0, &state) == NSC_OK);
        CHECK(nsci_abs(state.position - (nsc_real)(2 * i)) < NSC_R(1e-4) && nsci_abs(state.velocity - (nsc_real)(2 * i)) < NSC_R(1e-4));
        CHECK(nsc_joint_get_drift(&world, hinge[i], &apart, &angle) == NSC_OK && apart < NSC_R(1e-5) && angle < NSC_R(1e-5));
    }
    CHECK(nsc_joint_set_state(&world, hinge[1], 0, NSC_R(0.5), 0) == NSC_OK);
    size = nsc_world_save_size(&world);
    CHECK(size <= (int)sizeof image && nsc_world_save(&world, image, (int)sizeof image) == size);
    CHECK(nsc_world_init(&other, &world.def) == NSC_OK && nsc_world_load(&other, image, size) == NSC_OK);
    kind = world.joints[1].def.kind; /* an image of a build that has gears */
    world.joints[1].def.kind = NSC_JOINT_GEAR;
    CHECK(nsc_world_save(&world, image, (int)sizeof image) == size);
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT);
    world.joints[1].def.kind = kind;
    CHECK(nsc_world_remove_joint(&world, hinge[0]) == NSC_OK && nsc_world_remove_body(&world, wheel[1]) == NSC_OK);
    CHECK(world.joint_end == 0);
}

int main(void)
{
    gears_are_refused();
    return TEST_END("no_gears");
}
