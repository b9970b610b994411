/* Snapshots: what is saved comes back with its bits and goes on with them; what is damaged does not come in. */
#define NSC_HULL_VERTICES 16
#define NSC_MAX_BODIES 12
#define NSC_MAX_SHAPES 16
#define NSC_MAX_CONTACTS 48
#define NSC_MAX_JOINTS 8
#ifndef NSC_MAX_ROLLING
#define NSC_MAX_ROLLING 2
#endif
#define NSC_MAX_SPRINGS 3
#define NSC_TERRAIN 1
#define NSC_IMPLEMENTATION
#include "all.h"
#include "nsc_hull.h"
#include "shapes.h"
#include "search.h"
#include "image.h"
#include "by.h"

#define H NSC_R(0.0078125)
enum { IMAGE = 65536 };
static nsc_world world, other, first, second;

/* Is the world as `first` was, but for the note that says why a call was refused? */
static int unchanged(void)
{
    first.note = world.note;
    return memcmp(&first, &world, sizeof world) == 0;
}
static unsigned char image[IMAGE], again[IMAGE], small[IMAGE];
static nsc_real between(double lo, double hi) { return (nsc_real)uniform(lo, hi); }

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v); /* tcc's vectors have padding, and worlds are compared by their bytes */
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* What is in a slot of a world of begin(), by the layout of handles: kind, tag, how often it was
   used, slot */
enum { SPRING = 0, BODY = 1, JOINT = 3, TAG = 5 };

static nsc_id handle(int kind, int slot, int generation)
{
    if (kind == BODY && slot == 0) return NSC_GROUND;
    return (nsc_id)((int32_t)kind << 29 | (int32_t)TAG << 25 |
                    (int32_t)(generation / 2 % 2048) << 14 | (int32_t)slot);
}

static nsc_id body_handle(const nsc_world *w, int i)
{
    return handle(BODY, i, w->bodies[i].generation);
}

static int is_zero(nsc_vec3 v)
{
    return !(v.x < 0 || v.x > 0 || v.y < 0 || v.y > 0 || v.z < 0 || v.z > 0);
}

/* One coordinate after the other: the order in which arguments are evaluated is the compiler's */
static nsc_vec3 any_vec(double x0, double x1, double y0, double y1, double z0, double z1)
{
    nsc_real x = between(x0, x1), y = between(y0, y1), z = between(z0, z1);
    return vec(x, y, z);
}

static nsc_shape_def some_shape(void)
{
    nsc_shape_def s = nsc_default_sphere_def(between(0.1, 0.4));
    int kind = below(3);
    nsc_vec3 size = any_vec(0.1, 0.3, 0.1, 0.4, 0.1, 0.4);
    if (kind == 1) s = nsc_default_box_def(size.x, size.y, size.z);
    if (kind == 2) s = nsc_default_capsule_def(size.x, size.y);
    s.pose.position = any_vec(-0.1, 0.1, -0.1, 0.1, 0.0, 0.0);
    s.friction = between(0.0, 1.0);
    s.restitution = below(3) == 0 ? between(0.0, 0.9) : NSC_R(0.0);
    if (below(4) == 0) s.stiffness = NSC_R(1e5), s.damping = NSC_R(100.0);
    return s;
}

static void some_body(nsc_world *w)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = some_shape();
    nsc_id id;
    b.pose.position = any_vec(-1.0, 1.0, -1.0, 1.0, 0.3, 2.0);
    b.velocity = any_vec(-1.0, 1.0, -1.0, 1.0, -2.0, 0.0);
    b.angular_velocity = any_vec(-2.0, 2.0, -2.0, 2.0, -2.0, 2.0);
    if (below(5) == 0) b.kind = NSC_KINEMATIC_BODY;
    id = nsc_world_add_body(w, &b);
    if (id < 0) return;
    if (nsc_world_add_shape(w, id, &s) < 0) nsc_world_remove_body(w, id);
}

static void begin(nsc_world *w)
{
    nsc_world_def def = default_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_settings s = def.solver;
    memset(&def.solver, 0, sizeof def.solver); /* in double a default has padding, and that is not in an image */
    def.solver.law = s.law, def.solver.max_iterations = 10;
    def.solver.tolerance = s.tolerance, def.solver.check_interval = s.check_interval, def.solver.warm_start = 1;
    def.solver.omega = s.omega, def.solver.passes = s.passes, def.solver.max_factorizations = s.max_factorizations;
    def.tag = TAG;
    CHECK(nsc_world_init(w, &def) == NSC_OK);
    CHECK(nsc_world_add_shape(w, NSC_GROUND, &ground) >= 0);
}

/* Something a game might do between two steps */
static void meddle(nsc_world *w)
{
    int i = below(NSC_MAX_BODIES), what = below(10);
    nsc_id id = i < w->body_end && w->bodies[i].generation % 2 ? body_handle(w, i) : -1;
    nsc_shape_def extra = some_shape();
    nsc_spring_def s = nsc_default_spring_def(id, body_handle(w, below(w->body_end)));
    if (what == 8) {
        s.stiffness = between(0.0, 500.0), s.damping = between(0.1, 9.0), s.rest = between(0.0, 1.0), s.point_a.x = NSC_R(0.1);
        nsc_world_add_spring(w, &s);
    }
    if (what == 9 && w->spring_end > 0) nsc_world_remove_spring(w, handle(SPRING, 1, w->springs[0].generation));
    if (what <= 2) some_body(w);
    if (what == 3) nsc_world_remove_body(w, id);
    if (what == 4) nsc_body_add_force(w, id, any_vec(-9, 9, -9, 9, 0, 99), vec(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0)));
    if (what == 5 && i > 0) nsc_world_add_shape(w, id, &extra);
    if (what == 6 && w->shape_end > 1) nsc_world_remove_shape(w, w->contact_count > 0 ? w->contacts[0].shape_b : -1);
    if (what == 7) nsc_body_set_velocity(w, id, any_vec(-1, 1, 0, 0, 0, 3), vec(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0)));
}

/* A body that lost its last shape has no mass, and the step would be refused. */
static void drop_massless(nsc_world *w)
{
    int i;
    for (i = NSC_MAX_BODIES - 1; i > 0; i--)
        if (w->bodies[i].generation % 2 && w->bodies[i].kind == NSC_DYNAMIC_BODY && !(w->bodies[i].mass > NSC_R(0.0)))
            nsc_world_remove_body(w, body_handle(w, i));
}

static int settle(nsc_world *w, int steps)
{
    int i, refused = 0;
    for (i = 0; i < steps; i++) refused += step_by(w, H) < 0;
    return refused;
}

#define TIDY(places, count) \
    for (i = 0; i < (count); i++) \
        if (w->places[i].generation % 2 == 0) { \
            generation = w->places[i].generation; \
            memset(&w->places[i], 0, sizeof w->places[i]); \
            w->places[i].generation = generation; \
        }

/* Leavings in free places are no state. */
static void tidy(nsc_world *w)
{
    int i;
    uint16_t generation;
    TIDY(bodies, NSC_MAX_BODIES)
    TIDY(shapes, NSC_MAX_SHAPES)
    TIDY(joints, NSC_MAX_JOINTS)
    TIDY(springs, NSC_MAX_SPRINGS)
    memset(&w->contacts[w->contact_count], 0, sizeof w->contacts - (size_t)w->contact_count * sizeof w->contacts[0]);
    memset(&w->events[w->event_count], 0, sizeof w->events - (size_t)w->event_count * sizeof w->events[0]);
}

static int same_state(const nsc_world *a, const nsc_world *b) { return memcmp(a, b, NSC_WORLD_STATE_SIZE) == 0; }

/* Save, step, restore, step: by an image, into this world and into a fresh one, and by memcpy.  Returns what differed;
   the world is then some steps on. */
static int there_and_back(int steps)
{
    uint32_t before, after;
    int size, bad = 0;
    world.found_count = 0;
    before = nsc_world_hash(&world);
    size = nsc_world_save(&world, image, IMAGE);
    bad += size != nsc_world_save_size(&world) || size <= IMAGE_HEADER;
    memcpy(&first, &world, NSC_WORLD_STATE_SIZE);
    bad += settle(&world, steps);
    after = nsc_world_hash(&world);
    memcpy(&second, &world, sizeof world);

    memcpy(&world, &first, NSC_WORLD_STATE_SIZE); /* the prefix */
    bad += nsc_world_hash(&world) != before;
    settle(&world, steps);
    bad += !same_state(&world, &second) || nsc_world_hash(&world) != after;

    bad += nsc_world_load(&world, image, size) != NSC_OK || nsc_world_hash(&world) != before;
    bad += nsc_world_save(&world, again, IMAGE) != size || memcmp(image, again, (size_t)size) != 0;
    bad += nsc_body_get_island(&world, body_handle(&world, 1)) >= 0; /* not known before the next step */
    tidy(&first);
    bad += !same_state(&world, &first);
    memset(&other, 0xa5, sizeof other);
    other.hulls = world.hulls, other.hull_count = world.hull_count, other.fields = world.fields, other.field_count = world.field_count;
    bad += nsc_world_load(&other, image, size) != NSC_OK || memcmp(&world, &other, sizeof world) != 0;
    settle(&world, steps);
    tidy(&second), tidy(&world);
    return bad + (!same_state(&world, &second) || nsc_world_hash(&world) != after);
}

static int contacts, removed, springs;

static int a_restored_world_goes_on_with_the_same_bits(void)
{
    int round, i, rounds = 1 + below(50);
    begin(&world);
    for (round = 0; round < rounds; round++) {
        for (i = 0; i < 3; i++) meddle(&world);
        drop_massless(&world);
        CHECK(settle(&world, 1 + below(4)) == 0);
        meddle(&world);
        drop_massless(&world);
        CHECK(there_and_back(4) == 0);
        for (i = 0; i < NSC_MAX_BODIES; i++) removed += world.bodies[i].generation > 0 && world.bodies[i].generation % 2 == 0;
        contacts += world.contact_count;
        for (i = 0; i < world.spring_end; i++) springs += !is_zero(world.springs[i].impulse);
    }
    return 1;
}

static void restored_worlds_go_on_with_the_same_bits(void)
{
    if (!search("a restored world goes on with the same bits", a_restored_world_goes_on_with_the_same_bits, sample(20, 40))) return;
    printf("rollbacks: %d contacts, %d springs, %d removed slots met\n", contacts, springs, removed);
    CHECK(contacts > sample(1000, 2000) && removed > sample(250, 500) && springs > sample(100, 200));
}

/* ---- a machine: two geared wheels with a motor, a servo, a ball on a rope, rolling balls, a joined stack that sleeps and is
   now and then hit */

typedef struct machine { nsc_id slider, wheel, hit, glued; } machine;

static nsc_id place(double x, double z, nsc_shape_def shape)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    b.pose.position = vec((nsc_real)x, NSC_R(0.0), (nsc_real)z);
    id = nsc_world_add_body(&world, &b);
    CHECK(nsc_world_add_shape(&world, id, &shape) >= 0);
    return id;
}

static nsc_id join(nsc_joint_def *d, double x, double z)
{
    nsc_id id;
    CHECK(nsc_joint_place(&world, d, vec((nsc_real)x, NSC_R(0.0), (nsc_real)z), vec(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0)), vec(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0))) == NSC_OK);
    id = nsc_world_add_joint(&world, d);
    CHECK(id >= 0);
    return id;
}

static machine build(int substeps)
{
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.2), NSC_R(0.2), NSC_R(0.2)), ball = nsc_default_sphere_def(NSC_R(0.15));
    nsc_joint_def d;
    nsc_world_def def;
    nsc_id one, two, low, a;
    machine m;
    begin(&world);
    def = world.def;
    def.substeps = substeps, def.sleep_time = NSC_R(0.1), def.sleep_speed = NSC_R(0.05);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    one = place(0.0, 2.0, box), two = place(0.6, 2.0, box);
    d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, one);
    d.axis[0].drive = NSC_DRIVE_MOTOR, d.axis[0].target_velocity = NSC_R(60.0), d.axis[0].max_force = NSC_R(80.0);
    m.wheel = join(&d, 0.0, 2.0);
    d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, two);
    d.axis[0].friction = NSC_R(2.0);
    a = join(&d, 0.6, 2.0);
    d = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    d.joint_a = m.wheel, d.joint_b = a, d.ratio = NSC_R(-2.0);
    CHECK(nsc_world_add_joint(&world, &d) >= 0);
    a = place(2.0, 1.0, box);
    d = nsc_default_joint_def(NSC_JOINT_SLIDER, NSC_GROUND, a);
    d.axis[0].drive = NSC_DRIVE_SERVO, d.axis[0].stiffness = NSC_R(5000.0), d.axis[0].damping = NSC_R(300.0);
    d.axis[0].limited = 1, d.axis[0].lower = NSC_R(-0.5), d.axis[0].upper = NSC_R(0.5);
    m.slider = join(&d, 2.0, 1.0);
    a = place(-1.0, 1.0, ball);
    d = nsc_default_joint_def(NSC_JOINT_DISTANCE, NSC_GROUND, a); /* a rope */
    d.axis[0].limited = 1, d.axis[0].upper = NSC_R(0.7);
    d.frame_a.position = vec(NSC_R(-1.5), NSC_R(0.0), NSC_R(1.5));
    CHECK(nsc_world_add_joint(&world, &d) >= 0);
    low = place(-3.0, 0.2, box), a = place(-3.0, 0.6, box);
    d = nsc_default_joint_def(NSC_JOINT_FIXED, low, a);
    m.glued = join(&d, -3.0, 0.4);
    ball.rolling = NSC_MAX_ROLLING > 0 ? NSC_R(0.02) : NSC_R(0.0), ball.torsion = ball.rolling;
    a = place(4.0, 0.15, ball);
    nsc_body_set_velocity(&world, a, vec(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0)), vec(NSC_R(0.0), NSC_R(0.0), NSC_R(9.0)));
    place(5.0, 0.15, ball), place(6.0, 0.15, ball);
    m.hit = place(-3.0, 0.95, ball);
    return m;
}

static void running_machines_go_on_with_the_same_bits(void)
{
    static const int steps[2] = {1, 3};
    machine m;
    nsc_axis_state turn;
    nsc_pose p;
    int run, round, i, bad, slept, events, rolled, woke, dropped, was;
    for (run = 0; run < 2; run++) {
        m = build(steps[run]);
        bad = slept = events = rolled = woke = dropped = was = 0;
        for (round = 0; round < 150; round++) {
            nsc_joint_set_target(&world, m.slider, 0, between(-0.6, 0.6), NSC_R(0.0));
            if (round % 30 == 29) {
                p = nsc_default_body_def().pose;
                p.position = vec(NSC_R(-3.0), NSC_R(0.0), NSC_R(1.2));
                CHECK(nsc_body_set_pose(&world, m.hit, p) == NSC_OK);
            }
            bad += settle(&world, 1 + below(3)) + there_and_back(3);
            slept += world.report.asleep > 0, events += world.event_count, dropped += world.report.dropped_rolling > 0;
            woke += was > world.report.asleep, was = world.report.asleep;
#if NSC_MAX_ROLLING > 0
            for (i = 0; i < world.contact_count; i++) rolled += !is_zero(world.contacts[i].moment);
#endif
        }
        (void)i;
        CHECK(bad == 0);
        CHECK(nsc_joint_get_axis(&world, m.wheel, 0, &turn) == NSC_OK && turn.position > NSC_R(10.0)); /* more than a turn */
        printf("machine of %d sub-steps: %d of 150 times asleep, %d woken, %d events, %d rolling, %d without room; %d bytes\n", steps[run],
               slept, woke, events, rolled, dropped, nsc_world_save_size(&world));
        CHECK(slept > 20 && woke > 0 && (rolled > 20 || NSC_MAX_ROLLING == 0));
    }
}

/* A world with two bodies in contact, one of them over a removed slot, forces waiting */
static int small_image(nsc_world *w)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.2), NSC_R(0.2), NSC_R(0.2)), ball = nsc_default_sphere_def(NSC_R(0.2));
    nsc_id lost, id;
    begin(w);
    b.pose.position.z = NSC_R(0.2);
    CHECK(nsc_world_add_shape(w, nsc_world_add_body(w, &b), &box) >= 0);
    lost = nsc_world_add_body(w, &b);
    b.pose.position.z = NSC_R(0.6);
    id = nsc_world_add_body(w, &b);
    CHECK(nsc_world_add_shape(w, id, &ball) >= 0);
    CHECK(nsc_world_remove_body(w, lost) == NSC_OK);
    settle(w, 20);
    CHECK(w->contact_count == 5);
    CHECK(nsc_body_add_force(w, id, vec(NSC_R(1.0), NSC_R(2.0), NSC_R(3.0)), vec(NSC_R(4.0), NSC_R(5.0), NSC_R(6.0))) == NSC_OK);
#if NSC_MAX_EVENTS > 0
    w->event_count = 1;
    w->events[0].kind = NSC_TOUCH_BEGIN;
    w->events[0].body_a = lost;
#endif
    return nsc_world_save(w, small, IMAGE);
}

/* Stale handles stay stale: what was saved in use 1 of a slot must not come back as use 0. */
static void stale_handles_stay_stale(void)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_id old, fresh;
    begin(&world);
    nsc_world_add_body(&world, &b);
    old = nsc_world_add_body(&world, &b);
    CHECK(nsc_world_remove_body(&world, old) == NSC_OK); /* its slot is now above body_end */
    CHECK(nsc_world_load(&other, image, nsc_world_save(&world, image, IMAGE)) == NSC_OK);
    fresh = nsc_world_add_body(&other, &b);
    CHECK(fresh > 0 && fresh != old && nsc_body_get_pose(&other, old, NULL) == NSC_ERR_HANDLE);
    CHECK(fresh == nsc_world_add_body(&world, &b) && nsc_world_hash(&other) == nsc_world_hash(&world));
}

/* Every byte flipped, every truncation: refused, and not one byte of the world has changed. */
static void damaged_images_are_refused(void)
{
    int size = small_image(&other), i, bit, accepted = 0, changed = 0;
    begin(&world);
    some_body(&world);
    settle(&world, 3);
    memcpy(&first, &world, sizeof world);
    for (i = 0; i < size; i++)
        for (bit = 0; bit < 8; bit++) {
            small[i] = (unsigned char)(small[i] ^ 1 << bit);
            accepted += nsc_world_load(&world, small, size) >= 0;
            changed += !unchanged();
            small[i] = (unsigned char)(small[i] ^ 1 << bit);
        }
    for (i = 0; i < size; i++) {
        accepted += nsc_world_load(&world, small, i) != NSC_ERR_ARGUMENT;
        changed += !unchanged();
    }
    CHECK(accepted == 0 && changed == 0);
    CHECK(nsc_world_save(&other, image, size - 1) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_save(&other, NULL, size) == NSC_ERR_ARGUMENT && nsc_world_save(NULL, image, size) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_load(NULL, small, size) == NSC_ERR_ARGUMENT && nsc_world_load(&world, NULL, size) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_load(&world, small, -1) == NSC_ERR_ARGUMENT && nsc_world_save_size(NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_hash(NULL) == 0 && unchanged());
    memset(small + size, 0x77, 100);
    tidy(&other);
    CHECK(nsc_world_load(&world, small, size + 100) == NSC_OK && same_state(&world, &other)); /* a flash page may be larger */
}

static int finite_world(const nsc_world *w)
{
    int i, ok = 1;
    for (i = 0; i < w->body_end; i++) {
        const nsc_body *b = &w->bodies[i];
        if (b->generation % 2 == 0) continue;
        ok &= IS_FINITE(b->position) && IS_FINITE(b->velocity) && IS_FINITE(b->angular_velocity);
        ok &= is_finite((double)b->orientation.w) && is_finite((double)b->orientation.x) && is_finite((double)b->mass);
    }
    for (i = 0; i < w->contact_count; i++) ok &= IS_FINITE(w->contacts[i].impulse) && IS_FINITE(w->contacts[i].point);
    return ok;
}

static void corrupt(unsigned char *bytes, int size)
{
    static const uint32_t odd[8] = {0, 1, 0xffffffffu, 0x7f800000u, 0x7fc00000u, 0x80000000u, 0x7fffffffu, 0x00800000u};
    int n = 1 + below(3), at;
    uint32_t x;
    for (; n > 0; n--) {
        at = IMAGE_HEADER + below(size - IMAGE_HEADER - 8);
        x = odd[below(8)];
        if (below(2)) at -= at % 4;
        if (below(2)) bytes[at] = (unsigned char)(bytes[at] ^ 1 << below(8));
        else image_put(bytes + at, x, 4);
    }
}

static void put_spring(nsc_world *w, int i)
{
    nsc_spring *s = &w->springs[i];
    memset(s, 0, sizeof *s);
    s->generation = 1;
    s->def.body_a = body_handle(w, 1), s->def.body_b = body_handle(w, 3);
    s->def.point_a = vec(NSC_R(0.1), NSC_R(0.2), NSC_R(0.3)), s->def.point_b = vec(NSC_R(-0.1), NSC_R(0.4), NSC_R(0.5));
    s->def.rest = NSC_R(0.25), s->def.stiffness = NSC_R(10.0), s->def.damping = NSC_R(0.5);
    s->impulse = vec(NSC_R(1.0), NSC_R(2.0), NSC_R(3.0));
    if (i >= w->spring_end) w->spring_end = i + 1;
}

/* A forger who can compute checksums: refused with nothing changed, or a world that can be lived in. */
static int small_size, refused;

static int a_forged_image_is_refused_or_can_be_lived_in(void)
{
    nsc_world_def def;
    int i, code;
    memcpy(&world, &first, sizeof world);
    memcpy(image, small, (size_t)small_size);
    corrupt(image, small_size);
    image_sign(image, small_size);
    code = nsc_world_load(&world, image, small_size);
    said("load: %d", code);
    if (code < 0) {
        refused++;
        CHECK(unchanged());
        return 1;
    }
    CHECK(nsc_world_load(&other, again, nsc_world_save(&world, again, IMAGE)) == NSC_OK);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
    def = world.def;
    if (def.solver.max_iterations > 50) def.solver.max_iterations = 50; /* else it may be years */
    if (def.solver.passes > 4) def.solver.passes = 4;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    for (i = 0; i < 5; i++) step_by(&world, H);
    CHECK(finite_world(&world));
    return 1;
}

static void forged_images_are_refused_or_can_be_lived_in(void)
{
    int rounds = trials(400, 20000);
    small_image(&other);
    put_spring(&other, 0);
    small_size = nsc_world_save(&other, small, IMAGE);
    begin(&world);
    aside_begin(1);
    some_body(&world);
    aside_end();
    settle(&world, 3);
    memcpy(&first, &world, sizeof world);
    if (!search("a forged image is refused or can be lived in", a_forged_image_is_refused_or_can_be_lived_in, rounds)) return;
    CHECK(refused > rounds / 5 && refused < rounds / 20 * 19); /* both happen */
    printf("forged images: %d refused of %d\n", refused, rounds);
}

/* ---- one wrong value at a time, as a forger would have it */

static int loads(const nsc_world *w)
{
    int code, size = nsc_world_save(w, image, IMAGE);
    begin(&world);
    memcpy(&first, &world, sizeof world);
    code = nsc_world_load(&world, image, size);
    if (code < 0) CHECK(unchanged());
    return code;
}

#define REFUSED(change, expected) \
    do { \
        memcpy(&other, &second, sizeof other); \
        change; \
        CHECK(loads(&other) == (expected)); \
    } while (0)

static void each_wrong_value_is_refused(void)
{
    nsc_real huge = NSC_REAL_MAX, nan = huge * NSC_R(2.0) - huge * NSC_R(2.0), zero = NSC_R(0.0), one = NSC_R(1.0);
    small_image(&second);
    REFUSED((void)0, NSC_OK);
    REFUSED(other.def.gravity.z = nan, NSC_ERR_ARGUMENT);
    REFUSED(other.def.solver.law = 9, NSC_ERR_ARGUMENT);
    REFUSED(other.def.tag = 16, NSC_ERR_ARGUMENT);
    REFUSED(other.def.tag = 4, NSC_ERR_ARGUMENT); /* the contacts' handles say 5 */
    REFUSED(other.last_h = -one, NSC_ERR_ARGUMENT);
    REFUSED(other.last_h = NSC_REAL_MIN / NSC_R(64.0), NSC_ERR_ARGUMENT);
    REFUSED(other.report.islands = -1, NSC_ERR_ARGUMENT);
    REFUSED(other.report.islands = NSC_MAX_BODIES + 1, NSC_ERR_CAPACITY);
    REFUSED(other.report.penetration = nan, NSC_OK);
    REFUSED(other.bodies[0].generation = 3, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[0].kind = NSC_DYNAMIC_BODY, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[0].velocity.x = one, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[0].angular_velocity.z = NSC_R(0.001), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].kind = 0, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].kind = NSC_STATIC_BODY, NSC_ERR_ARGUMENT); /* with a mass */
    REFUSED(other.bodies[1].orientation.w += one, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].position.y = nan, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].force.y = huge * NSC_R(2.0), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].inv_mass *= NSC_R(1.5), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].mass = -one, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].inertia[3] = one, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].inv_inertia[0] *= NSC_R(1.5), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].still = -one, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].asleep = 2, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].generation++, NSC_ERR_ARGUMENT); /* its shape hangs in the air */
    REFUSED(other.shapes[1].body = 9, NSC_ERR_ARGUMENT);
    REFUSED(other.shapes[1].body = 2, NSC_ERR_ARGUMENT); /* removed */
    REFUSED(other.shapes[0].body = 1, NSC_ERR_ARGUMENT); /* a half-space on a dynamic body */
    REFUSED(other.shapes[1].def.kind = 8, NSC_ERR_ARGUMENT);
    REFUSED(other.shapes[1].def.half.x = zero, NSC_ERR_ARGUMENT);
    REFUSED(other.shapes[1].def.restitution = NSC_R(1.5), NSC_ERR_ARGUMENT);
    REFUSED(other.shapes[1].def.sensor = 2, NSC_ERR_ARGUMENT);
    REFUSED(other.shapes[1].def.pose.orientation.x = one, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].body_b = other.contacts[0].body_a, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].body_b += 1 << 14, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].shape_b = other.contacts[0].body_b, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].shape_a = -1, NSC_ERR_ARGUMENT); /* half of it the caller's own */
    REFUSED(other.contacts[0].normal.z = zero, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].touching = 2, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].friction = -one, NSC_ERR_ARGUMENT);
    REFUSED(other.contacts[0].impulse.x = nan, NSC_ERR_ARGUMENT);
    REFUSED(other.events[0].kind = 3, NSC_ERR_ARGUMENT);
    REFUSED(other.events[0].body_b = -77, NSC_OK); /* may be stale */
    REFUSED((other.event_count = 2, other.events[1] = other.events[0], other.events[0].kind = 3), NSC_ERR_ARGUMENT);
    REFUSED((other.event_count = 2, other.events[1] = other.events[0]), NSC_OK);
}

/* An image that says another count at `at`, or another byte */
static int patched(uint32_t at, uint32_t value, int bytes)
{
    int size = nsc_world_save(&second, image, IMAGE);
    image_put(image + at, value, bytes);
    image_sign(image, size);
    return nsc_world_load(&world, image, size);
}

/* Where the images of `other` and `second` begin to differ: a count of slots, where one has more of
   them */
static uint32_t first_difference(void)
{
    int size = nsc_world_save(&second, image, IMAGE), at = IMAGE_HEADER;
    CHECK(size > 0 && nsc_world_save(&other, again, IMAGE) > 0);
    while (at < size && image[at] == again[at]) at++;
    return (uint32_t)at;
}

/* What comes from a build of another size, version or precision */
static void images_of_other_builds_are_refused(void)
{
    nsc_body_def more = nsc_default_body_def();
    uint32_t slots, size = (uint32_t)small_image(&second);
    memcpy(&other, &second, sizeof other);
    while (other.body_end <= second.body_end) CHECK(nsc_world_add_body(&other, &more) > 0);
    slots = first_difference();
    begin(&world);
    memcpy(&first, &world, sizeof world);
    CHECK(patched(IMAGE_VERSION_AT, small[IMAGE_VERSION_AT] + 1u, 2) == NSC_ERR_CONFIG);
    CHECK(patched(IMAGE_REAL_AT, 12 - sizeof(nsc_real), 2) == NSC_ERR_CONFIG);
    CHECK(patched(0, 0, 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(IMAGE_LENGTH_AT, size + 1, 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(IMAGE_LENGTH_AT, size - 1, 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(IMAGE_LENGTH_AT, 0, 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(slots, NSC_MAX_BODIES + 1, 4) == NSC_ERR_CAPACITY);
    CHECK(patched(slots, 0, 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(slots, UINT32_C(0xffffffff), 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(slots + 4 + 12 * 4, NSC_MAX_SHAPES + 1, 4) == NSC_ERR_CAPACITY);
    CHECK(patched(slots + 8 + 12 * 7, NSC_MAX_JOINTS + 1, 4) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_save(&second, image, IMAGE) == (int)size);
    image[size] = 0; /* one byte too many, and it says so */
    image_put(image + IMAGE_LENGTH_AT, size + 1, 4);
    image_sign(image, (int)size + 1);
    CHECK( nsc_world_load(&world, image, (int)size + 1) == NSC_ERR_ARGUMENT);
    CHECK(unchanged());
    CHECK(patched(slots, 4, 4) == NSC_OK); /* so many it has */
    CHECK(image[0] == 'N' && image[1] == 'S' && image[2] == 'C' && image[3] == 'W');
    CHECK(image_crc(0, (const unsigned char *)"123456789", 9) == UINT32_C(0xcbf43926)); /* the check value of CRC-32 */
}

/* ---- joints, hulls and height fields, filled by hand */

static nsc_id joint_handle(int i) { return handle(JOINT, i, 1); }

static void put_joint(nsc_world *w, int i, int kind)
{
    nsc_joint *j = &w->joints[i];
    int k;
    memset(j, 0, sizeof *j);
    j->generation = 1;
    j->def.kind = kind;
    j->def.body_a = body_handle(w, 1), j->def.body_b = body_handle(w, 3);
    j->def.frame_a.orientation.w = j->def.frame_b.orientation.w = NSC_R(1.0);
    j->def.frame_a.position.x = NSC_R(0.25);
    for (k = 0; k < 3; k++) {
        j->turns[k] = -70000 * k;
        j->def.axis[k].max_force = NSC_REAL_MAX;
        j->angle[k] = (nsc_real)k * NSC_R(0.5);
    }
    j->def.axis[0].limited = 1, j->def.axis[0].lower = NSC_R(-1.0), j->def.axis[0].upper = NSC_R(1.0);
    for (k = 0; k < NSC_JOINT_ROWS; k++) j->impulse[k] = (nsc_real)k;
    if (i >= w->joint_end) w->joint_end = i + 1;
}

/* The joints of a gear may stand on two bodies, if neither can move. */
static void gear_on_two_bases(void)
{
    nsc_body_def fixed = nsc_default_body_def();
    fixed.kind = NSC_STATIC_BODY;
    CHECK(nsc_world_add_body(&second, &fixed) == body_handle(&second, 2));
    second.joints[2].def.body_b = second.joints[3].def.body_b = second.joints[0].def.body_a;
    REFUSED((other.joints[0].def.body_a = NSC_GROUND, other.joints[2].def.body_a = body_handle(&other, 2)), NSC_OK);
    REFUSED((other.joints[0].def.body_a = NSC_GROUND, other.joints[2].def.body_a = other.joints[0].def.body_b), NSC_ERR_ARGUMENT);
}

/* Five planar joints with all rows of all axes in use take six blocks each. */
static void full_of_blocks(void)
{
    int i, k;
    small_image(&second);
    for (i = 0; i < 5; i++) {
        put_joint(&second, i, NSC_JOINT_PLANAR);
        for (k = 0; k < 3; k++) {
            nsc_axis_def *a = &second.joints[i].def.axis[k];
            a->limited = 1, a->lower = NSC_R(-1.0), a->upper = NSC_R(1.0), a->drive = NSC_DRIVE_MOTOR;
            a->friction = a->spring = NSC_R(1.0);
        }
    }
    REFUSED((void)0, NSC_ERR_CAPACITY);
    REFUSED(other.joints[4].generation = 0, NSC_OK);
}

static void wrong_joints_are_refused(void)
{
    small_image(&second);
    put_joint(&second, 0, NSC_JOINT_HINGE), put_joint(&second, 2, NSC_JOINT_SLIDER), put_joint(&second, 3, NSC_JOINT_GEAR);
    second.joints[1].generation = 2;
    second.joints[3].def.joint_a = joint_handle(0), second.joints[3].def.joint_b = joint_handle(2);
    second.joints[2].def.body_b = NSC_GROUND;
    second.joints[3].def.body_a = second.joints[0].def.body_b, second.joints[3].def.body_b = NSC_GROUND;
    second.joints[3].def.ratio = NSC_R(-2.0);
    REFUSED((void)0, NSC_OK);
    tidy(&second);
    CHECK(same_state(&world, &second) && world.joint_end == 4);
    REFUSED(other.joints[0].def.kind = 10, NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].def.body_b = other.joints[0].def.body_a, NSC_ERR_ARGUMENT);
    REFUSED(other.joints[3].def.body_b = other.joints[0].def.body_a, NSC_ERR_ARGUMENT); /* not what joint_b drives */
    REFUSED(other.joints[0].def.body_b ^= 1 << 14, NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].def.frame_a.orientation.w = NSC_R(0.0), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].def.axis[0].lower = NSC_R(2.0), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].def.axis[0].drive = NSC_DRIVE_SERVO, NSC_ERR_ARGUMENT); /* without spring or damper */
    REFUSED(other.joints[0].def.axis[0].friction = NSC_R(-1.0), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].def.axis[2].friction = NSC_R(-1.0), NSC_OK); /* a hinge has one axis */
    REFUSED(other.joints[0].impulse[5] = NSC_REAL_MAX * NSC_R(2.0), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].generation = 2, NSC_ERR_ARGUMENT); /* the gear's */
    REFUSED(other.joints[3].def.joint_b = joint_handle(0), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[3].def.joint_b = joint_handle(3), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[3].def.ratio = NSC_R(0.0), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[2].def.kind = NSC_JOINT_BALL, NSC_ERR_ARGUMENT);
    REFUSED(other.joints[2].def.body_a = NSC_GROUND, NSC_ERR_ARGUMENT); /* not on one body */
    REFUSED(other.joints[2].generation = 2, NSC_ERR_ARGUMENT);
    REFUSED(other.joints[3].def.body_a = other.joints[0].def.body_a, NSC_ERR_ARGUMENT);
    REFUSED(other.joints[3].def.ratio = NSC_R(-2e6), NSC_ERR_ARGUMENT);
    REFUSED(other.joints[0].def.collide = 1, NSC_OK);
    REFUSED(other.joints[0].def.collide = 2, NSC_ERR_ARGUMENT);
    REFUSED((other.joints[3].def.joint_a = joint_handle(2), other.joints[3].def.joint_b = joint_handle(0),
             other.joints[3].def.body_a = NSC_GROUND, other.joints[3].def.body_b = other.joints[0].def.body_b), NSC_OK);
    gear_on_two_bases();
    full_of_blocks();
}

static void wrong_springs_are_refused(void)
{
    nsc_real zero = NSC_R(0.0), nan = NSC_REAL_MAX * NSC_R(2.0) - NSC_REAL_MAX * NSC_R(2.0);
    uint32_t begins;
    small_image(&second);
    put_spring(&second, 0);
    memcpy(&other, &second, sizeof other);
    put_spring(&second, 2);
    begins = 4 + first_difference();
    second.springs[1].generation = 4;
    second.springs[2].def.body_b = NSC_GROUND;
    REFUSED((void)0, NSC_OK);
    tidy(&second);
    CHECK(same_state(&world, &second) && world.spring_end == 3);
    REFUSED(other.springs[0].def.body_b = other.springs[0].def.body_a, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[0].def.body_b ^= 1 << 14, NSC_ERR_ARGUMENT); /* stale */
    REFUSED(other.springs[0].def.body_a = other.contacts[0].shape_a, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[0].def.body_a = -1, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[0].def.rest = NSC_R(-0.5), NSC_ERR_ARGUMENT);
    REFUSED(other.springs[0].def.stiffness = NSC_R(-0.5), NSC_ERR_ARGUMENT);
    REFUSED(other.springs[0].def.damping = nan, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[0].def.stiffness = other.springs[0].def.damping = zero, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[2].def.point_b.y = nan, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[2].impulse.y = nan, NSC_ERR_ARGUMENT);
    REFUSED(other.springs[2].generation = 2, NSC_OK);
    CHECK(patched(begins - 4, NSC_MAX_SPRINGS + 1, 4) == NSC_ERR_CAPACITY);
    CHECK(patched(begins - 4, NSC_MAX_SPRINGS - 1, 4) == NSC_ERR_ARGUMENT);
    CHECK(patched(begins + 2, 2, 2) == NSC_ERR_ARGUMENT); /* of one kind only */
    CHECK(patched(begins + 2, 0, 2) == NSC_ERR_ARGUMENT);
    CHECK(patched(begins + 2, 1, 2) == NSC_OK);
}

/* A particle says so, and has no inertia. */
static void wrong_particles_are_refused(void)
{
    nsc_body_def b = nsc_default_body_def();
    small_image(&second);
    b.particle = 1, b.mass = NSC_R(2.0), b.pose.position.z = NSC_R(3.0);
    CHECK(nsc_world_add_body(&second, &b) >= 0 && second.bodies[2].particle == 1);
    REFUSED((void)0, NSC_OK);
    REFUSED(other.bodies[2].particle = 2, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[2].particle = 0, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[2].inertia[0] = NSC_R(1.0), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[2].inv_inertia[0] = NSC_R(1.0), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[2].mass_given = 0, NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[2].angular_velocity.y = NSC_R(1.0), NSC_ERR_ARGUMENT);
    REFUSED(other.bodies[1].particle = 1, NSC_ERR_ARGUMENT);
}

/* A hull, a height field: an image holds which entry of the table they are, and is refused by a world whose table has no such entry. */
static void entries_of_tables(void)
{
    static const nsc_real height[6] = {0};
    nsc_vec3 corner[4];
    nsc_shape_def def = nsc_default_hull_def(), ball = nsc_default_sphere_def(NSC_R(0.1)), field = nsc_default_height_field_def();
    nsc_id one;
    int i, size;
    begin(&world);
    for (i = 0; i < 4; i++) corner[i] = vec(i == 1, i == 2, i == 3);
    one = world_add_points(&world, NSC_GROUND, &def, corner, 4);
    corner[3].z = NSC_R(2.0);
    CHECK(one >= 0 && world_add_points(&world, NSC_GROUND, &def, corner, 4) >= 0);
    CHECK(nsc_world_remove_shape(&world, one) == NSC_OK && nsc_world_add_shape(&world, NSC_GROUND, &ball) >= 0);
    corner[3].z = NSC_R(3.0);
    CHECK(world_add_points(&world, NSC_GROUND, &def, corner, 4) >= 0);
    CHECK(world_add_field(&world, NSC_GROUND, &field, height, 3, 2, NSC_R(1.0), NSC_R(1.0)) >= 0);
    CHECK(world.shapes[2].data == 1 && world.shapes[3].data == 0);
    size = nsc_world_save(&world, image, IMAGE);
    begin(&other);
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT && strcmp(nsc_world_last_refusal(&other).field, "hull") == 0);
    share_tables(&other, &world);
    other.hull_count = 1;
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT && nsc_world_last_refusal(&other).value > 0);
    other.hull_count = 2;
    other.field_count = 0;
    CHECK(nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT && strcmp(nsc_world_last_refusal(&other).field, "height field") == 0);
    other.field_count = 1;
    CHECK(nsc_world_load(&other, image, size) == NSC_OK);
    tidy(&world);
    CHECK(same_state(&world, &other) && nsc_world_hash(&world) == nsc_world_hash(&other));
    other.shapes[2].data = 0;
    CHECK(nsc_world_hash(&world) != nsc_world_hash(&other));
}

/* ---- nothing is forgotten: every byte of the state is hashed and saved, but for what is named here */

enum { NEITHER = 0, SAVED = 1, HASHED = 2 };
static int inside(size_t at, size_t begins, size_t size) { return at >= begins && at < begins + size; }
#define IN(field) inside(at, offsetof(nsc_world, field), sizeof second.field)

#define WITHIN(type, field) inside(in, offsetof(type, field), sizeof ((const type *)0)->field)

static int fate(const nsc_world *w, size_t at)
{
    size_t in, kind = offsetof(nsc_shape, def) + offsetof(nsc_shape_def, kind);
    int i;
    if (IN(body_end) || IN(shape_end) || IN(joint_end) || IN(spring_end) || IN(manifold_end)) return NEITHER; /* follow from the slots */
    if (IN(contact_count) || IN(event_count)) return -1;                /* a wrong one would have us read beyond */
    if (IN(step_count) || IN(report)) return SAVED;
    if (IN(events)) return at < offsetof(nsc_world, events) + sizeof(nsc_event) ? SAVED : NEITHER;
    if (IN(contacts)) {
        in = (at - offsetof(nsc_world, contacts)) % sizeof(nsc_contact);
        if ((int)((at - offsetof(nsc_world, contacts)) / sizeof(nsc_contact)) >= w->contact_count) return NEITHER;
        if (WITHIN(nsc_contact, manifold)) return -1; /* the same */
        if (WITHIN(nsc_contact, matched) || WITHIN(nsc_contact, approach)) return SAVED;
    }
    if (IN(bodies)) {
        i = (int)((at - offsetof(nsc_world, bodies)) / sizeof(nsc_body));
        in = (at - offsetof(nsc_world, bodies)) % sizeof(nsc_body);
        if (in >= 2 && w->bodies[i].generation % 2 == 0) return NEITHER;
        if (WITHIN(nsc_body, unused)) return NEITHER;
        if (WITHIN(nsc_body, acceleration) || WITHIN(nsc_body, angular_acceleration)) return SAVED;
    }
    if (IN(shapes)) {
        i = (int)((at - offsetof(nsc_world, shapes)) / sizeof(nsc_shape));
        in = (at - offsetof(nsc_world, shapes)) % sizeof(nsc_shape);
        if (in >= 2 && w->shapes[i].generation % 2 == 0) return NEITHER;
        if (WITHIN(nsc_shape, data)) return SAVED;
        if (WITHIN(nsc_shape, unused)) return NEITHER;
        if (in >= kind && in < kind + 4 && *((const unsigned char *)w + at) == 0) return -1; /* 1..7 in two bytes */
    }
    if (IN(joints)) {
        i = (int)((at - offsetof(nsc_world, joints)) / sizeof(nsc_joint));
        in = (at - offsetof(nsc_world, joints)) % sizeof(nsc_joint);
        if (in >= 2 && w->joints[i].generation % 2 == 0) return NEITHER;
        if (WITHIN(nsc_joint, unused)) return NEITHER;
        if (WITHIN(nsc_joint, def.joint_a) || WITHIN(nsc_joint, def.joint_b) || WITHIN(nsc_joint, def.ratio)) return SAVED; /* a hinge */
        if (WITHIN(nsc_joint, def.axis) && !WITHIN(nsc_joint, def.axis[0])) return SAVED;
        if (WITHIN(nsc_joint, force_impulse) || WITHIN(nsc_joint, torque_impulse)) return SAVED;
        kind = offsetof(nsc_joint, def) + offsetof(nsc_joint_def, kind);
        if (in >= kind && in < kind + 4 && *((const unsigned char *)w + at) == 0) return -1;
    }
    if (IN(springs)) {
        i = (int)((at - offsetof(nsc_world, springs)) / sizeof(nsc_spring));
        in = (at - offsetof(nsc_world, springs)) % sizeof(nsc_spring);
        if (in >= 2 && w->springs[i].generation % 2 == 0) return NEITHER;
        if (WITHIN(nsc_spring, unused)) return NEITHER;
    }
    if (at >= offsetof(nsc_world, shapes) + sizeof w->shapes && at < offsetof(nsc_world, joints)) return NEITHER; /* tables are no state */
    if (IN(manifolds)) {
        const nsci_manifold *m;
        i = (int)((at - offsetof(nsc_world, manifolds)) / sizeof(nsci_manifold));
        in = (at - offsetof(nsc_world, manifolds)) % sizeof(nsci_manifold);
        m = &w->manifolds[i];
        if (WITHIN(nsci_manifold, count)) return -1;
        if (m->count == 0 || WITHIN(nsci_manifold, used) || WITHIN(nsci_manifold, unused)) return NEITHER;
        if (m->count == 3 && (WITHIN(nsci_manifold, feature[3]) || WITHIN(nsci_manifold, gap[3]))) return NEITHER;
        if (m->count == 3 && (WITHIN(nsci_manifold, on_a[3]) || WITHIN(nsci_manifold, on_b[3]))) return NEITHER;
    }
    return SAVED + HASHED;
}

static void no_byte_of_the_state_is_forgotten(void)
{
    unsigned char *byte;
    size_t at;
    uint32_t hash;
    int size, is, expected, wrong = 0, checked = 0;
    if (sizeof(nsc_vec3) != 3 * sizeof(float)) {
        SKIP("bytes of the state one by one: in double, and with tcc, there is padding between the fields");
        return;
    }
    small_image(&second);
    put_joint(&second, 0, NSC_JOINT_HINGE), put_spring(&second, 1);
    tidy(&second);
    hash = nsc_world_hash(&second);
    size = nsc_world_save(&second, again, IMAGE);
    for (at = 0; at < NSC_WORLD_STATE_SIZE; at += (size_t)sample(3, 1)) {
        expected = fate(&second, at);
        if (expected < 0) continue;
        byte = (unsigned char *)&second + at;
        *byte = (unsigned char)(*byte ^ 4);
        is = nsc_world_hash(&second) != hash ? HASHED : 0;
        is += nsc_world_save(&second, image, IMAGE) != size || memcmp(image, again, (size_t)size) != 0 ? SAVED : 0;
        *byte = (unsigned char)(*byte ^ 4);
        checked += is == SAVED + HASHED;
        if (is != expected && wrong++ < 5) printf("    byte %lu of the state: is %d, expected %d\n", (unsigned long)at, is, expected);
    }
    CHECK(wrong == 0 && checked > sample(300, 1000));
    printf("image of 3 bodies, 3 shapes, 5 contacts, 1 joint, 1 spring: %d bytes; state in memory %lu\n", size, (unsigned long)NSC_WORLD_STATE_SIZE);
}

int main(void)
{
    restored_worlds_go_on_with_the_same_bits();
    running_machines_go_on_with_the_same_bits();
    stale_handles_stay_stale();
    damaged_images_are_refused();
    each_wrong_value_is_refused();
    images_of_other_builds_are_refused();
    wrong_joints_are_refused();
    wrong_springs_are_refused();
    wrong_particles_are_refused();
    entries_of_tables();
    no_byte_of_the_state_is_forgotten();
    forged_images_are_refused_or_can_be_lived_in();
    return TEST_END("snapshot");
}
