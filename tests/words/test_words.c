/* Words of the user's on bodies and shapes, NSC_WORDS: kept, saved and hashed; and the force on the shapes of a word (nsc_touch.h). */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_touch.h"
#include "by.h"
#include "plain.h"
#include "floor.h"

#ifndef TEST_PART
static nsc_world other;

static void words_are_saved(void)
{
    static unsigned char image[20000];
    nsc_shape_def s;
    nsc_id b, shape;
    uint32_t plain, word;
    int size;
    begin(NSC_SOLVER_SIPGS);
    b = box(0.1, 0.1, 0.1, 0, 0, 1);
    shape = add_floor();
    plain = nsc_world_hash(&world);
    CHECK(nsc_body_set_user(&world, b, 0xfeedu) == NSC_OK && nsc_world_hash(&world) != plain);
    plain = nsc_world_hash(&world);
    CHECK(nsc_shape_get_def(&world, shape, &s) == NSC_OK && s.user == 0);
    s.user = 77;
    CHECK(nsc_shape_set_def(&world, shape, &s) == NSC_OK && nsc_world_hash(&world) != plain);
    run(20);
    size = nsc_world_save_size(&world);
    CHECK(size <= (int)sizeof image && nsc_world_save(&world, image, (int)sizeof image) == size);
    CHECK(nsc_world_init(&other, &settings) == NSC_OK && nsc_world_load(&other, image, size) == NSC_OK);
    CHECK(nsc_body_get_user(&other, b, &word) == NSC_OK && word == 0xfeedu);
    CHECK(nsc_shape_get_def(&other, shape, &s) == NSC_OK && s.user == 77);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
}
#endif

/* Of a definition, set later, of the ground; it wakes nobody and moves nothing. */
static void words_are_kept(void)
{
    nsc_body_def d = nsc_default_body_def();
    uint32_t word = 3;
    nsc_id b;
    begin(NSC_SOLVER_SIPGS);
    settings.sleep_time = REAL(0.1);
    change();
    add_floor();
    d.user = 0xffffffffu;
    d.mass = 1;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
    b = nsc_world_add_body(&world, &d);
    CHECK(nsc_body_get_user(&world, b, &word) == NSC_OK && word == 0xffffffffu);
    b = box(0.1, 0.1, 0.1, 1, 0, 0.1);
    CHECK(nsc_body_get_user(&world, b, &word) == NSC_OK && word == 0);
    run(120);
    CHECK(nsc_body_is_asleep(&world, b) == 1);
    CHECK(nsc_body_set_user(&world, b, 12) == NSC_OK && nsc_body_is_asleep(&world, b) == 1);
    CHECK(nsc_body_get_user(&world, b, &word) == NSC_OK && word == 12);
    CHECK(nsc_body_set_user(&world, b, 3) == NSC_OK && nsc_body_get_user(&world, b, &word) == NSC_OK && word == 3);
    CHECK(nsc_body_get_user(&world, b, NULL) == NSC_OK);
    CHECK(nsc_body_get_user(&world, NSC_GROUND, &word) == NSC_OK && word == 0);
    keep_world();
    word = 5;
    CHECK(nsc_body_set_user(&world, NSC_GROUND, 1) == NSC_ERR_HANDLE && nsc_body_set_user(&world, 55, 1) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_user(NULL, b, 1) == NSC_ERR_ARGUMENT && nsc_body_get_user(NULL, b, &word) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_get_user(&world, 55, &word) == NSC_ERR_HANDLE && word == 5 && world_is_kept());
}

/* A plate on four feet, two of a name each, that carries a weight off its middle: the feet of each name hold their share, their
   shapes one by one have the same sum, and all names together that of the body. */
static void patches_sum_their_shapes(void)
{
    nsc_shape_def s = nsc_default_half_space_def();
    nsc_vec3 f, m, part, moment, sum, all, turn;
    nsc_id plate, foot[4], own = -1, apart;
    nsc_contact open = nsc_default_contact();
    int i;
    begin(NSC_SOLVER_NEWTON);
    own = nsc_world_add_shape(&world, NSC_GROUND, &s);
    s.user = 7;
    CHECK(nsc_shape_set_def(&world, own, &s) == NSC_OK);
    plate = box(0.5, 0.5, 0.05, 0, 0, 0.25);
    for (i = 0; i < 4; i++) {
        s = nsc_default_sphere_def(REAL(0.1));
        s.density = 0;
        s.pose.position = vec(i % 2 ? 0.3 : -0.4, i / 2 ? 0.4 : -0.4, -0.15);
        s.user = i % 2 ? 11 : 12;
        foot[i] = nsc_world_add_shape(&world, plate, &s);
    }
    apart = box(0.25, 0.25, 0.25, 2, 0, 0.25);
    run(240);
    open.body_a = plate;
    open.body_b = apart;
    open.point = vec(1, 0, 0.25);
    open.normal = vec(1, 0, 0);
    open.gap = 1;
    CHECK(nsc_world_add_contact(&world, &open) >= 0); /* a contact without shapes, on none of the patches */
    run(1);
    sum = moment = vec(0, 0, 0);
    for (i = 0; i < 2; i++) {
        int k;
        CHECK(nsc_body_get_patch_force(&world, plate, i ? 11 : 12, &f, &m) == NSC_OK);
        CHECK_NEAR(f.z, 100 * g * (i ? 4. : 3.) / 7, 0.05); /* levers 0.4 and 0.3 m */
        part = vec(0, 0, 0);
        for (k = i; k < 4; k += 2) {
            CHECK(nsc_shape_get_contact_force(&world, foot[k], &all, NULL) == NSC_OK);
            part = plus(part, all);
        }
        CHECK_NEAR(length(minus(part, f)), 0, 1e-3);
        sum = plus(sum, f);
        moment = plus(moment, m);
    }
    CHECK(nsc_body_get_contact_force(&world, plate, &all, &turn) == NSC_OK);
    CHECK_NEAR(length(minus(all, sum)), 0, 1e-3);
    CHECK_NEAR(length(minus(turn, moment)), 0, 1e-3);
    CHECK(nsc_body_get_patch_force(&world, NSC_GROUND, 7, &f, NULL) == NSC_OK);
    CHECK(nsc_body_get_contact_force(&world, apart, &all, NULL) == NSC_OK);
    CHECK_NEAR(f.z, -100 * g - (double)all.z, 0.05);
    CHECK(nsc_body_get_patch_force(&world, plate, 7, &f, &m) == NSC_OK && !(length(f) > 0) && !(length(m) > 0));
    CHECK(nsc_body_get_patch_force(&world, NSC_GROUND, 11, &f, &m) == NSC_OK && !(length(f) > 0)); /* another body's name */
    CHECK(nsc_body_get_patch_force(&world, plate, 11, NULL, NULL) == NSC_OK);
    f = vec(1, 2, 3);
    CHECK(nsc_body_get_patch_force(&world, 55, 11, &f, &m) == NSC_ERR_HANDLE && f.z > 2);
    CHECK(nsc_body_get_patch_force(NULL, plate, 11, &f, &m) == NSC_ERR_ARGUMENT);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    words_are_kept();
#ifndef TEST_PART
    words_are_saved();
#endif
    patches_sum_their_shapes();
    return TEST_END("words");
}
