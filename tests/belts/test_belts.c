/* Surfaces that move, NSC_BELTS: belts and tracks, against closed forms; contacts of one's own and of a callback that are belts. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "by.h"
#include "plain.h"
#include "floor.h"

/* A floor whose surface moves */
static nsc_id floor_of(nsc_vec3 speed)
{
    nsc_shape_def s = nsc_default_half_space_def();
    s.surface_velocity = speed;
    return nsc_world_add_shape(&world, NSC_GROUND, &s);
}

/* ---- hard contact */

/* A box laid on a belt of 1 m/s gains mu g until it moves with the belt; when the belt stops, it loses mu g and stops. */
static void belt_carries_and_stops(void)
{
    static const int solvers[4] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_NEWTON, NSC_SOLVER_AUTO};
    int k, law;
    for (k = 0; k < 4; k++)
        for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++) {
            nsc_shape_def s;
            nsc_id belt, b;
            int slips = 36; /* steps: 0.15 s; it is as quick as the belt after 0.204 s */
            if (law == NSC_LAW_CONE || (law == NSC_LAW_PYRAMID && solvers[k] == NSC_SOLVER_APGD)) continue;
            begin(solvers[k]);
            settings.solver.law = law;
            change();
            belt = floor_of(vec(1, 0, 0.5)); /* what points out of the surface does not count */
            b = box(0.1, 0.1, 0.02, 0, 0, 0.02);
            run(slips);
            CHECK_NEAR(velocity(b).x, 0.5 * g * h * slips, 2e-4);
            CHECK_NEAR(position(b).x, 0.5 * g * h * h * slips * (slips + 1) / 2, 1e-4);
            run(60);
            CHECK_NEAR(velocity(b).x, 1, 1e-4);
            CHECK_NEAR(position(b).z, 0.02, 6e-4);
            CHECK(nsc_shape_get_def(&world, belt, &s) == NSC_OK);
            s.surface_velocity = vec(0, 0, 0);
            CHECK(nsc_shape_set_def(&world, belt, &s) == NSC_OK);
            run(slips);
            CHECK_NEAR(velocity(b).x, 1 - 0.5 * g * h * slips, 3e-4);
            run(60);
            CHECK_NEAR(length(velocity(b)), 0, 1e-4);
            CHECK_NEAR(position(b).y, 0, 1e-4);
        }
}

/* A solid ball laid on a belt slips until it rolls, then with 2/7 of the belt's speed. */
static void ball_rolls_on_a_belt(void)
{
    nsc_id b;
    begin(NSC_SOLVER_NEWTON);
    floor_of(vec(0, 3, 0));
    b = ball(0.05, 0, 0, 0.05);
    run(240);
    CHECK_NEAR(velocity(b).y, 3 * 2 / 7., 3e-3);
    CHECK_NEAR(D(velocity(b).y) + 0.05 * D(spin(b).x), 3, 3e-3); /* of its lowest point */
}

/* A vehicle whose tracks run backward under it drives forward; turned by 90 degrees it drives that way. */
static void tracks_drive(void)
{
    int turned;
    for (turned = 0; turned < 2; turned++) {
        nsc_shape_def s = nsc_default_box_def(REAL(0.3), REAL(0.05), REAL(0.05));
        nsc_body_def d = nsc_default_body_def();
        nsc_id b;
        int side;
        begin(NSC_SOLVER_AUTO);
        floor_of(vec(0, 0, 0));
        d.pose.position = vec(0, 0, 0.05);
        if (turned) d.pose.orientation.w = d.pose.orientation.z = REAL(sqrt(0.5));
        b = nsc_world_add_body(&world, &d);
        s.surface_velocity = vec(-0.8, 0, 0);
        for (side = -1; side <= 1; side += 2) {
            s.pose.position = vec(0, 0.2 * side, 0);
            CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
        }
        run(240);
        CHECK_NEAR(turned ? velocity(b).y : velocity(b).x, 0.8, 1e-3);
        CHECK_NEAR(turned ? velocity(b).x : velocity(b).y, 0, 1e-3);
    }
}

#if NSC_SMOOTH
/* The same belt under smooth contact, with implicit and explicit steppers */
static void belt_carries_in_smooth_contact(void)
{
    static const int steppers[4] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_SYMPLECTIC,
                                    NSC_STEPPER_EULER_IMPLICIT, NSC_STEPPER_HHT};
    int k, i;
    for (k = 0; k < 4; k++) {
        nsc_shape_def s;
        nsc_id b, belt;
        double x, z, v;
        begin(NSC_SOLVER_NEWTON);
        settings.stepper = steppers[k];
        settings.contact_model = NSC_CONTACT_SMOOTH;
        change();
        belt = floor_of(vec(0, 0, 0));
        b = body_at(0, 0, 0.02);
        s = nsc_default_box_def(REAL(0.1), REAL(0.1), REAL(0.02));
        s.restitution = REAL(0.3);
        CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
        for (i = 0; i < 2000; i++) CHECK(step_by(&world, REAL(2e-4)) == NSC_OK);
        x = D(position(b).x), z = D(position(b).z), v = D(velocity(b).z);
        CHECK(nsc_shape_get_def(&world, belt, &s) == NSC_OK);
        s.surface_velocity = vec(0.5, 0, 0);
        CHECK(nsc_shape_set_def(&world, belt, &s) == NSC_OK);
        for (i = 0; i < 400; i++) CHECK(step_by(&world, REAL(2e-4)) == NSC_OK);
        /* mu times what carries the weight and its motion; before that the tangential spring is stretched */
        CHECK_NEAR(position(b).x, x + 0.5 * (0.5 * g * 0.08 * 0.08 + D(position(b).z) - z - 0.08 * v), 2e-3);
        CHECK(D(velocity(b).x) > 0.35 && D(velocity(b).x) < 0.4);
        for (; i < 2500; i++) CHECK(step_by(&world, REAL(2e-4)) == NSC_OK);
        CHECK_NEAR(velocity(b).x, 0.5, 5e-3);
    }
}
#endif

/* A box thrown onto a belt moves as one thrown onto a floor at rest, seen from the belt: hard and smooth contact, every stepper. */
static void a_belt_is_a_moving_floor(void)
{
    int stepper, i, k;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_vec3 x[2], v[2], turn[2];
        for (k = 0; k < 2; k++) {
            nsc_body_def d = nsc_default_body_def();
            nsc_shape_def s = nsc_default_box_def(REAL(0.1), REAL(0.05), REAL(0.07));
            nsc_id b;
            begin(NSC_SOLVER_NEWTON);
            settings.stepper = stepper;
            settings.contact_model = stepper <= 3 ? NSC_CONTACT_HARD : NSC_CONTACT_SMOOTH;
            change();
            floor_of(k ? vec(0.6, -0.3, 0) : vec(0, 0, 0));
            d.pose.position = vec(0, 0, 0.2);
            d.velocity = k ? vec(0.1, 0.2, -1) : vec(-0.5, 0.5, -1);
            d.angular_velocity = vec(1, 2, 3);
            b = nsc_world_add_body(&world, &d);
            s.restitution = REAL(0.3);
            CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
            for (i = 0; i < 300; i++) CHECK(step_by(&world, REAL(1e-3)) == NSC_OK);
            x[k] = position(b), v[k] = velocity(b), turn[k] = spin(b);
            if (k) x[k] = minus(x[k], vec(0.18, -0.09, 0)), v[k] = minus(v[k], vec(0.6, -0.3, 0));
        }
        CHECK_NEAR(length(minus(x[0], x[1])), 0, is_double ? 1e-7 : 2e-4);
        CHECK_NEAR(length(minus(v[0], v[1])), 0, is_double ? 1e-5 : 5e-3);
        CHECK_NEAR(length(minus(turn[0], turn[1])), 0, is_double ? 1e-4 : 5e-2);
    }
}

/* The velocity is in the frame of the shape, which is turned on its body, which is turned in the world. */
static void a_belt_turns_with_its_shape(void)
{
    nsc_shape_def s = nsc_default_box_def(2, 2, REAL(0.1));
    nsc_body_def d = nsc_default_body_def();
    nsc_id plate, b;
    begin(NSC_SOLVER_SIPGS);
    d.kind = NSC_KINEMATIC_BODY;
    d.pose.orientation = turn_about(vec(0, 0, 1), 0.4);
    plate = nsc_world_add_body(&world, &d);
    s.pose.position = vec(0, 0, -0.1);
    s.pose.orientation = turn_about(vec(0, 0, 1), 0.7);
    s.surface_velocity = vec(0.5, 0, 0);
    CHECK(nsc_world_add_shape(&world, plate, &s) >= 0);
    b = box(0.1, 0.1, 0.02, 0, 0, 0.02);
    run(120);
    CHECK_NEAR(velocity(b).x, 0.5 * cos(1.1), 1e-3);
    CHECK_NEAR(velocity(b).y, 0.5 * sin(1.1), 1e-3);
}

/* A box that sleeps on a belt wakes when the belt starts. */
static void a_belt_wakes(void)
{
    nsc_shape_def s;
    nsc_id belt, b;
    begin(NSC_SOLVER_SIPGS);
    settings.sleep_time = REAL(0.2);
    change();
    belt = floor_of(vec(0, 0, 0));
    b = box(0.1, 0.1, 0.1, 0, 0, 0.1);
    run(120);
    CHECK(nsc_body_is_asleep(&world, b) == 1);
    CHECK(nsc_shape_get_def(&world, belt, &s) == NSC_OK);
    s.surface_velocity = vec(0, 0.2, 0);
    CHECK(nsc_shape_set_def(&world, belt, &s) == NSC_OK);
    run(60);
    CHECK_NEAR(velocity(b).y, 0.2, 1e-3);
}

/* ---- contacts that are belts */

/* A contact of one's own may be a belt too. */
static void own_contacts_are_belts(void)
{
    nsc_id b;
    int i;
    begin(NSC_SOLVER_SIPGS);
    b = box(0.1, 0.1, 0.1, 0, 0, 0);
    for (i = 0; i < 120; i++) {
        int k;
        for (k = 0; k < 4; k++) {
            nsc_contact c = nsc_default_contact();
            c.body_b = b;
            c.feature = (uint32_t)k;
            c.point = plus(position(b), vec(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, -0.1));
            c.surface_velocity = vec(0, -0.3, 7); /* of b's surface: b goes the other way */
            CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        }
        CHECK(step_by(&world, REAL(h)) == NSC_OK);
    }
    CHECK_NEAR(velocity(b).y, 0.3, 1e-3);
    CHECK_NEAR(velocity(b).x, 0, 1e-3);
}

static void drive(void *user, const nsc_world *w, nsc_contact *c)
{
    (void)w;
    c->surface_velocity = *(const nsc_vec3 *)user;
}

/* nsc_calls.contact may make a belt of a floor at rest. */
static void callbacks_make_belts(void)
{
    nsc_vec3 speed = vec(0.4, 0, 0);
    nsc_calls calls;
    nsc_id a;
    int i;
    begin(NSC_SOLVER_SIPGS);
    add_floor();
    a = box(0.1, 0.1, 0.05, 0, 0, 0.05);
    memset(&calls, 0, sizeof calls);
    calls.user = &speed, calls.contact = drive;
    for (i = 0; i < 120; i++) CHECK(step_by_with(&world, REAL(h), &calls) == NSC_OK);
    CHECK_NEAR(velocity(a).x, -0.4, 1e-3); /* shape a of the contact is the floor, b the box: b's surface runs forward */
    speed.z = REAL(NAN);
    CHECK(step_by_with(&world, REAL(h), &calls) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_contact.surface_velocity") == 0);
}

/* ---- images, bad input */

#ifndef TEST_PART
/* The speed of a belt is part of image and hash. */
static void belts_are_state(void)
{
    static unsigned char image[20000];
    static nsc_world other;
    nsc_shape_def s;
    nsc_id shape;
    uint32_t still;
    int size, i;
    begin(NSC_SOLVER_SIPGS);
    box(0.1, 0.1, 0.1, 0, 0, 0.1);
    shape = floor_of(vec(0, 0, 0));
    still = nsc_world_hash(&world);
    CHECK(nsc_shape_get_def(&world, shape, &s) == NSC_OK);
    s.surface_velocity = vec(0.3, 0, 0);
    CHECK(nsc_shape_set_def(&world, shape, &s) == NSC_OK);
    CHECK(nsc_world_hash(&world) != still);
    run(20);
    size = nsc_world_save_size(&world);
    CHECK(size <= (int)sizeof image && nsc_world_save(&world, image, (int)sizeof image) == size);
    CHECK(nsc_world_init(&other, &settings) == NSC_OK && nsc_world_load(&other, image, size) == NSC_OK);
    CHECK(nsc_shape_get_def(&other, shape, &s) == NSC_OK && D(s.surface_velocity.x) > 0.29);
    for (i = 0; i < 100; i++) {
        CHECK(step_by(&world, REAL(h)) == NSC_OK && step_by(&other, REAL(h)) == NSC_OK);
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    }
}
#endif

static void bad_belts_are_refused(void)
{
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.1));
    nsc_contact c = nsc_default_contact();
    nsc_id b, shape;
    begin(NSC_SOLVER_SIPGS);
    b = body_at(0, 0, 0);
    shape = nsc_world_add_shape(&world, b, &s);
    CHECK(shape >= 0);
    s.surface_velocity.y = REAL(NAN);
    CHECK(nsc_world_add_shape(&world, b, &s) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_shape_def.surface_velocity") == 0);
    CHECK(nsc_shape_set_def(&world, shape, &s) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_shape_get_def(&world, shape, &s) == NSC_OK && !(length(s.surface_velocity) > 0));
    c.body_b = b;
    c.surface_velocity.z = REAL(INFINITY);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_contact.surface_velocity") == 0);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    belt_carries_and_stops();
    ball_rolls_on_a_belt();
    tracks_drive();
#if NSC_SMOOTH
    belt_carries_in_smooth_contact();
#endif
    a_belt_is_a_moving_floor();
    a_belt_turns_with_its_shape();
    a_belt_wakes();
    own_contacts_are_belts();
    callbacks_make_belts();
#ifndef TEST_PART
    belts_are_state();
#endif
    bad_belts_are_refused();
    return TEST_END("belts");
}
