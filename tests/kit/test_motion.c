/* The image of what moves alone: what is loaded has the hash that was saved, and so has every step after it; another world's is
   refused, and so is what is cut, damaged or forged.  Scenes of every target, and random worlds.  Prints the bytes a body. */
#define SCENES_PARTS 1
#define NSC_BARRIER 1
#define NSC_IMPLEMENTATION
#include "targets/scenes.h"
#include "nsc_motion.h"
#include "random.h"

enum { IMAGE = 32768, AHEAD = 24 };
static nsc_world other, before;
static unsigned char image[IMAGE], again[IMAGE];
static uint32_t hashes[AHEAD];

/* Is the world as `before` was, but for what a refusal leaves behind? */
static int unchanged(void)
{
    before.note = world.note;
    before.resting = world.resting;
    memcpy(&before.scratch, &world.scratch, sizeof world.scratch);
    return memcmp(&before, &world, sizeof world) == 0;
}

static nsc_id joint_at(const nsc_world *w, int i)
{
    return w->joints[i].generation % 2 == 0 ? NSC_ERR_HANDLE
                                            : (nsc_id)((int32_t)3 << 29 | (int32_t)w->def.tag << 25 |
                                                       (int32_t)(w->joints[i].generation / 2) << 14 | (int32_t)i);
}

static int live_bodies(const nsc_world *w)
{
    int i, n = 0;
    for (i = 1; i < w->body_end; i++) n += w->bodies[i].generation % 2;
    return n;
}

/* ---- random worlds */

static nsc_shape_def some_shape(void)
{
    double size = uniform(.1, .3), half = uniform(.1, .3);
    nsc_shape_def s = nsc_default_box_def(REAL(size), REAL(half), REAL(.2));
    int kind = below(4);
    if (kind == 1) s = nsc_default_sphere_def(REAL(size));
    if (kind == 2) s = nsc_default_capsule_def(REAL(size), REAL(half));
    if (kind == 3) s = nsc_default_cylinder_def(REAL(size), REAL(half));
    if (below(4) == 0) s.restitution = REAL(.5);
    if (below(4) == 0) s.rolling = REAL(.01);
    if (below(4) == 0) s.friction = REAL(uniform(0, 1));
    if (below(8) == 0) s.stiffness = 10000;
    if (below(8) == 0) s.cohesion = 1;
    if (below(8) == 0) s.sensor = 1;
    if (below(8) == 0) s.surface_velocity.x = 1;
    return s;
}

static void some_joint(nsc_world *w)
{
    static const int kinds[] = {NSC_JOINT_BALL, NSC_JOINT_HINGE, NSC_JOINT_SLIDER, NSC_JOINT_FIXED, NSC_JOINT_UNIVERSAL};
    nsc_id a = nsc_world_body_at(w, below(w->body_end)), b = nsc_world_body_at(w, below(w->body_end));
    nsc_joint_def d = nsc_default_joint_def(kinds[below(5)], a, b);
    if (a < 0 || b < 0 || a == b || nsc_joint_place(w, &d, w->bodies[b & 16383].position, vec(0, 0, 1), vec(0, 0, 0)) < 0) return;
    if (d.kind != NSC_JOINT_FIXED && below(2)) {
        d.axis[0].drive = NSC_DRIVE_SERVO;
        d.axis[0].stiffness = 40;
        d.axis[0].damping = 4;
    }
    nsc_world_add_joint(w, &d);
}

/* rests: a box lies beside the others on a box, and what is slow falls asleep */
static void build_random(nsc_world *w, int rests)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    int i, n = 3 + below(10), smooth = below(5) == 0;
    def.substeps = below(4) == 0 ? 3 : 1;
    def.sleep_time = below(2) || rests ? REAL(.1) : 0;
    def.sleep_speed = REAL(.2);
    def.tag = below(16);
    def.solver.max_iterations = 8;
    if (smooth) def.contact_model = NSC_CONTACT_SMOOTH;
    if (smooth && below(2)) def.stepper = NSC_STEPPER_HHT;
    CHECK(nsc_world_init(w, &def) == NSC_OK);
    if (below(2) || rests) {
        ground = nsc_default_box_def(5, 5, 1);
        ground.pose.position.z = -1;
    }
    CHECK(nsc_world_add_shape(w, NSC_GROUND, &ground) >= 0);
    if (rests) {
        nsc_body_def d = nsc_default_body_def();
        nsc_shape_def s = nsc_default_box_def(REAL(.2), REAL(.2), REAL(.2));
        d.pose.position = vec(3, 0, .2);
        CHECK(nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s) >= 0);
    }
    for (i = 0; i < n; i++) {
        nsc_body_def d = nsc_default_body_def();
        nsc_shape_def s = some_shape();
        d.kind = below(8) == 0 ? NSC_KINEMATIC_BODY : NSC_DYNAMIC_BODY;
        d.pose.position = any_in(-.6, .6, -.6, .6, .2, 2);
        if (below(3) == 0) d.pose.orientation = any_turn();
        d.velocity = any_vec(1);
        CHECK(nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s) >= 0);
    }
    if (below(4) == 0) nsc_world_remove_body(w, nsc_world_body_at(w, 1 + below(w->body_end - 1)));
    for (i = 0; i < 3 && !smooth; i++) some_joint(w);
    if (below(2)) {
        nsc_spring_def d = nsc_default_spring_def(NSC_GROUND, nsc_world_body_at(w, w->body_end - 1));
        d.stiffness = 50;
        d.damping = 1;
        nsc_world_add_spring(w, &d);
    }
}

/* What a program does to a world between steps: the same for the same number */
static void meddle(nsc_world *w, uint32_t with)
{
    nsc_id body;
    aside_begin(with);
    body = nsc_world_body_at(w, below(w->body_end));
    if (below(3) == 0 && body > 0) nsc_body_add_force(w, body, any_vec(20), any_vec(1));
    if (below(4) == 0 && body > 0) { /* a contact of the program's own: it waits for the step, and no image has it */
        nsc_contact c = nsc_default_contact();
        c.body_a = NSC_GROUND;
        c.body_b = body;
        c.point = w->bodies[body & 16383].position;
        c.gap = REAL(.001);
        c.feature = 3;
        nsc_world_add_contact(w, &c);
    }
    if (below(8) == 0 && body > 0) nsc_body_set_velocity(w, body, any_vec(2), any_vec(2));
    if (w->joint_end > 0 && below(2)) {
        nsc_id joint = joint_at(w, below(w->joint_end));
        if (joint >= 0) nsc_joint_set_target(w, joint, 0, REAL(uniform(-.5, .5)), 0);
    }
    aside_end();
}

/* ---- saving and loading */

static int one_step(int which, int step) { return which >= 0 ? scene_step(&world, step) : nsc_world_step(&world, NSC_R(0.0078125)); }

/* Save, go on, go back, go on again; the same in a world that was built alike and has gone on otherwise.  Returns the bytes. */
static int comes_back(int which, int step, uint32_t with, nsc_world *elsewhere)
{
    static nsc_world once;
    uint32_t hash;
    int k, size, same = 1, flags = below(2), codes[AHEAD], turn, count = world.contact_count;
    if (below(2)) meddle(&world, with + 77); /* a force or a target that waits for the step */
    world.found_count = 0;
    hash = nsc_world_hash(&world);
    size = nsc_world_motion_size(&world, flags);
    CHECK(nsc_world_save_motion(&world, image, IMAGE, flags) == size);
    CHECK(nsc_world_save_motion(&world, image, size - 1, flags) == NSC_ERR_CAPACITY);
    before = world;
    for (k = 0; k < AHEAD; k++) {
        meddle(&world, with + (uint32_t)k);
        codes[k] = one_step(which, step + k);
        hashes[k] = nsc_world_hash(&world);
    }
    for (turn = 0; turn < 2; turn++) {
        if (turn) once = world, world = *elsewhere;
        k = nsc_world_load_motion(&world, image, size);
        if (turn && k == NSC_ERR_CONFIG && nsc_world_frame(&world) != nsc_world_frame(&before)) {
            world = once; /* the scene changes more than what moves */
            break;
        }
        CHECK(k == NSC_OK);
        same &= nsc_world_hash(&world) == hash && world.contact_count == count;
        CHECK(nsc_world_save_motion(&world, again, IMAGE, flags) == size && memcmp(image, again, (size_t)size) == 0);
        if (flags) CHECK(memcmp(world.bodies, before.bodies, sizeof world.bodies) == 0);
        if (flags) CHECK(memcmp(world.joints, before.joints, sizeof world.joints) == 0);
        CHECK(memcmp(world.manifolds, before.manifolds, sizeof world.manifolds) == 0 && world.manifold_end == before.manifold_end);
        CHECK(world.step_count == before.step_count && world.report.dropped_ever == before.report.dropped_ever);
        for (k = 0; k < AHEAD && same; k++) {
            meddle(&world, with + (uint32_t)k);
            same &= one_step(which, step + k) == codes[k];
            same &= nsc_world_hash(&world) == hashes[k];
        }
        CHECK(same);
    }
    return nsc_world_motion_size(&before, 0);
}

/* The scene changes shapes or definitions while it runs: an image of before is another world's */
static int changes_frame(int which, int steps)
{
    uint32_t first;
    int k;
    CHECK(scene_begin(&other, which) == NSC_OK);
    first = nsc_world_frame(&other);
    for (k = 0; k < steps; k++) {
        scene_step(&other, k);
        if (nsc_world_frame(&other) != first) return 1;
    }
    return 0;
}

static void scenes_come_back(void)
{
    int which, step, size, n, most = 0, tried = 0;
    for (which = 0; which < SCENE_COUNT; which++) {
        int steps = trials(30, 300), least = IMAGE, largest = 0;
        double mean = 0;
        if (changes_frame(which, steps + AHEAD)) {
            printf("    %s: changes more than what moves\n", scenes[which].name);
            continue;
        }
        for (n = 0; n < trials(1, 8); n++) {
            int at = below(steps);
            uint32_t with = seed;
            CHECK(scene_begin(&other, which) == NSC_OK);
            CHECK(scene_begin(&world, which) == NSC_OK);
            for (step = 0; step < at; step++) one_step(which, step);
            size = comes_back(which, at, with, &other) / (live_bodies(&world) > 0 ? live_bodies(&world) : 1);
            mean += size;
            if (size < least) least = size;
            if (size > largest) largest = size;
        }
        tried++;
        if (largest > most) most = largest;
        printf("    %-26s %4d to %4d bytes a body, %.0f on average\n", scenes[which].name, least, largest, mean / n);
        if (!is_double) CHECK(mean < 250 * n);
    }
    CHECK(tried >= 40);
}

static int bodies, total, over, kept, slept;

static int a_random_world_comes_back(void)
{
    int rests = nth(2), at = rests ? 40 + below(110) : below(150), size, step, behind = below(20);
    uint32_t with;
    build_random(&other, rests);
    world = other;
    with = seed;
    for (step = 0; step < at; step++) {
        if (!rests) meddle(&world, with + (uint32_t)step);
        one_step(-1, step);
    }
    for (step = 0; step < behind; step++) nsc_world_step(&other, NSC_R(0.0078125));
    size = comes_back(-1, at, with, &other);
    said("%d bodies, %d steps, the other world %d steps; %d bytes a body", live_bodies(&world), at, behind, size);
    kept += before.manifold_end > 0;
    slept += before.report.asleep > 0;
    bodies += live_bodies(&world);
    total += size;
    over += size > 250 * live_bodies(&world);
    return 1;
}

static void random_worlds_come_back(void)
{
    int worlds = trials(20, 2000);
    seed = 1;
    if (!search("a random world comes back", a_random_world_comes_back, worlds)) return;
    printf("    %d random worlds: %.0f bytes a body; %d above 250; %d with kept points, %d with sleepers\n", worlds,
           (double)total / bodies, over, kept, slept);
    CHECK(kept > worlds / 20 && slept > worlds / 20);
    if (!is_double) CHECK(total < 250 * bodies);
}

/* ---- refusals */

static void settled(void)
{
    int step;
    CHECK(scene_begin(&world, 14) == NSC_OK);
    for (step = 0; step < 60; step++) nsc_world_step(&world, NSC_R(0.0078125));
}

static void another_world_is_refused(void)
{
    nsc_world_def def;
    nsc_shape_def shape;
    nsc_joint_def joint;
    int k, size;
    for (k = 0; k < 9; k++) {
        nsc_id body, first;
        seed = 5;
        settled();
        body = nsc_world_body_at(&world, 2);
        first = nsc_world_shape_at(&world, 1);
        joint = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, body);
        CHECK(nsc_world_add_joint(&world, &joint) >= 0);
        size = nsc_world_save_motion(&world, image, IMAGE, 0);
        CHECK(size > 0);
        shape = nsc_default_sphere_def(1);
        def = world.def;
        def.margin *= 2;
        if (k == 0) CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        if (k == 1) CHECK(nsc_world_remove_body(&world, body) == NSC_OK);
        if (k == 2) CHECK(nsc_world_add_shape(&world, body, &shape) >= 0);
        if (k == 3) shape = world.shapes[1].def, shape.friction = REAL(.9), CHECK(nsc_shape_set_def(&world, first, &shape) == NSC_OK);
        if (k == 4) CHECK(nsc_world_remove_joint(&world, joint_at(&world, 0)) == NSC_OK);
        if (k == 5) { /* as before, but its slot was used once more */
            CHECK(nsc_world_remove_joint(&world, joint_at(&world, 0)) == NSC_OK);
            CHECK(nsc_world_add_joint(&world, &joint) >= 0);
        }
        if (k == 6) {
            nsc_axis_def axis = joint.axis[0];
            axis.friction = 1;
            CHECK(nsc_joint_set_axis(&world, joint_at(&world, 0), 0, &axis) == NSC_OK);
        }
        if (k == 7) CHECK(nsc_body_set_mass(&world, body, 5) == NSC_OK);
        if (k == 8) {
            CHECK(nsc_body_set_damping(&world, body, 1, 0) == NSC_OK);
        }
        before = world;
        CHECK(nsc_world_load_motion(&world, image, size) == NSC_ERR_CONFIG);
        CHECK(unchanged());
    }
}

/* A force or torque that waits for the next step acts after loading, once. */
static void forces_that_wait_are_kept(void)
{
    int which;
    for (which = 0; which < 3; which++) {
        nsc_vec3 push = vec(which != 1, 0, 0), twist = vec(0, which != 0, 0);
        uint32_t with, then;
        nsc_id body;
        int size;
        settled();
        body = nsc_world_body_at(&world, 2);
        before = world;
        CHECK(nsc_body_add_force(&world, body, push, twist) == NSC_OK);
        size = nsc_world_save_motion(&world, image, IMAGE, 0);
        CHECK(size > 0 && nsc_world_step(&world, REAL(0.01)) == NSC_OK);
        with = nsc_world_hash(&world);
        CHECK(nsc_world_step(&world, REAL(0.01)) == NSC_OK);
        then = nsc_world_hash(&world);
        world = before; /* without the force */
        CHECK(nsc_world_step(&world, REAL(0.01)) == NSC_OK && nsc_world_hash(&world) != with);
        CHECK(nsc_world_load_motion(&world, image, size) == NSC_OK);
        CHECK(nsc_world_step(&world, REAL(0.01)) == NSC_OK && nsc_world_hash(&world) == with);
        CHECK(nsc_world_step(&world, REAL(0.01)) == NSC_OK && nsc_world_hash(&world) == then);
    }
}

static int asked;
static void in_callback(void *user, const nsc_world *w, nsc_id body, nsc_force *f)
{
    (void)w;
    (void)body;
    (void)f;
    asked = nsc_world_load_motion(&world, image, *(int *)user);
}

/* An image is of one definition: whichever number of it changes, the frame is another. */
static void every_setting_is_compared(void)
{
    uint32_t frame, word;
    size_t at;
    settled();
    frame = nsc_world_frame(&world);
    for (at = 0; at < sizeof world.def; at += sizeof(nsc_real)) {
        unsigned char *byte = (unsigned char *)&world.def + at;
        memcpy(&word, byte, sizeof word);
        word ^= 8;
        memcpy(byte, &word, sizeof word);
        CHECK(nsc_world_frame(&world) != frame);
        word ^= 8;
        memcpy(byte, &word, sizeof word);
    }
    CHECK(nsc_world_frame(&world) == frame);
    CHECK(nsc_body_set_velocity(&world, 7, vec(0, 0, 0), vec(0, 0, 0)) == NSC_ERR_HANDLE); /* the last refusal that there is */
    CHECK(nsc_world_load_motion(&world, image, nsc_world_save_motion(&world, image, IMAGE, 0)) == NSC_OK);
    CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_HANDLE);
}

static void bad_arguments_are_refused(void)
{
    nsc_calls calls;
    int size;
    settled();
    size = nsc_world_save_motion(&world, image, IMAGE, 0);
    before = world;
    CHECK(nsc_world_motion_size(NULL, 0) == NSC_ERR_ARGUMENT && nsc_world_motion_size(&world, 2) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_motion_size(&world, -1) == NSC_ERR_ARGUMENT && nsc_world_frame(NULL) == 0);
    CHECK(nsc_world_save_motion(NULL, image, IMAGE, 0) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_save_motion(&world, NULL, IMAGE, 0) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_save_motion(&world, image, -1, 0) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_load_motion(NULL, image, size) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_load_motion(&world, NULL, size) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_load_motion(&world, image, -1) == NSC_ERR_ARGUMENT);
    CHECK(unchanged());
    memset(&calls, 0, sizeof calls);
    calls.force = in_callback;
    calls.user = &size;
    asked = 0;
    CHECK(nsc_world_step_with(&world, NSC_R(0.0078125), &calls) == NSC_OK && asked == NSC_ERR_BUSY);
}

static void damage_is_refused(void)
{
    int k, bit, size, refused = 0, tried = 0;
    settled();
    size = nsc_world_save_motion(&world, image, IMAGE, 0);
    before = world;
    for (k = 0; k < size; k += sample(11, trials(3, 1))) {
        CHECK(nsc_world_load_motion(&world, image, k) < 0);
        memcpy(again, image, (size_t)size);
        for (bit = 0; bit < 8; bit++) {
            again[k] = (unsigned char)(image[k] ^ 1 << bit);
            tried++;
            refused += nsc_world_load_motion(&world, again, size) < 0;
        }
    }
    CHECK(refused == tried);
    printf("    %d single bits and %d lengths refused\n", refused, size);
    CHECK(nsc_world_load_motion(&world, image, size + 1) == NSC_ERR_ARGUMENT);
    CHECK(unchanged());
}

/* Give the image the sum of what it now says: what its reader finds there, if it reads to the end. */
static void sign(unsigned char *bytes, int size)
{
    nsci_motion_tape t;
    nsci_motion_start(&t, &world, 0);
    t.to = &world;
    t.in = bytes;
    t.size = (uint32_t)size;
    nsci_motion_walk(&t, nsc_world_frame(&world));
    if (t.at == (uint32_t)size)
        for (size -= 4; size < (int)t.at; size++, t.sum >>= 8) bytes[size] = (unsigned char)(t.sum & 255);
}

/* Images with a right sum that say anything are refused, or describe a world that goes on or refuses its steps. */
static int tries, of_world, image_size, loaded, refused;

static int a_forged_image_does_no_harm(void)
{
    int n, code, wanted = nth(tries) / 500;
    if (wanted != of_world) {
        of_world = wanted;
        aside_begin((uint32_t)wanted + 1);
        if (wanted % 2) settled();
        else {
            build_random(&world, 0);
            for (n = 0; n < 40; n++) one_step(-1, n);
        }
        aside_end();
        before = world;
        image_size = nsc_world_save_motion(&world, image, IMAGE, wanted / 2 % 2);
    }
    world = before;
    memcpy(again, image, (size_t)image_size);
    for (n = 1 + below(3); n > 0; n--) {
        int at = 12 + below(image_size - 16);
        again[at] = (unsigned char)(below(3) ? below(256) : 255 * below(2));
    }
    sign(again, image_size);
    code = nsc_world_load_motion(&world, again, image_size);
    said("image of world %d: load returns %d", wanted, code);
    refused += code < 0;
    if (code < 0) CHECK(unchanged());
    else {
        loaded++;
        for (n = 0; n < 2; n++)
            if (nsc_world_step(&world, NSC_R(0.0078125)) < 0) nsc_world_hash(&world);
    }
    return 1;
}

static void forged_images_do_no_harm(void)
{
    tries = sample(600, trials(4000, 400000)), of_world = -1;
    if (!search("a forged image does no harm", a_forged_image_does_no_harm, tries)) return;
    printf("    %d forged: %d refused, %d loaded\n", tries, refused, loaded);
    CHECK(loaded > 0 && refused > 0);
}

/* What turns is in the image where nothing else of its kind is there, and no body turns or moves
   that cannot. */
static void turning_is_kept_or_refused(void)
{
    nsc_contact *c = &world.contacts[0];
    nsc_body *b = &world.bodies[2];
    int i, size;
    for (i = 0; i < 2; i++) {
        settled();
        CHECK(world.contact_count > 0 && world.bodies[2].kind == NSC_DYNAMIC_BODY);
        memset(&c->impulse, 0, sizeof c->impulse);
        memset(&c->shear, 0, sizeof c->shear);
        c->impact = 0;
        if (i == 0) c->moment = vec(0, 0, .125);
        if (i == 1) c->twist = vec(0, 0, .125);
        before = world;
        size = nsc_world_save_motion(&world, image, IMAGE, 0);
        c->moment = c->twist = vec(0, 0, 0);
        CHECK(nsc_world_load_motion(&world, image, size) == NSC_OK);
        CHECK_NEAR(c->moment.z, i == 0 ? .125 : 0, 0);
        CHECK_NEAR(c->twist.z, i == 1 ? .125 : 0, 0);
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&before));
    }
    /* Still; turning: a free body, a particle, a static body; asleep; moving */
    for (i = 0; i < 6; i++) {
        settled();
        b->velocity = b->angular_velocity = vec(0, 0, 0);
        b->asleep = i == 4;
        if (i == 2) b->particle = 1;
        if (i == 3 || i == 5) b->kind = NSC_STATIC_BODY;
        if (i == 4) b->kind = NSC_KINEMATIC_BODY;
        if (i > 0 && i < 4) b->angular_velocity.y = 1;
        if (i == 5) b->velocity.y = 1;
        before = world;
        size = nsc_world_save_motion(&world, image, IMAGE, 0);
        CHECK(nsc_world_load_motion(&world, image, size) == (i < 2 ? NSC_OK : NSC_ERR_ARGUMENT));
        if (i > 1) CHECK(unchanged());
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    scenes_come_back();
    random_worlds_come_back();
    another_world_is_refused();
    forces_that_wait_are_kept();
    every_setting_is_compared();
    bad_arguments_are_refused();
    damage_is_refused();
    forged_images_do_no_harm();
    turning_is_kept_or_refused();
    return TEST_END("motion");
}
