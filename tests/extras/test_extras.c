/* What NSC_EXTRAS brings: locked axes, damping, change of kind, surfaces that move, callbacks that choose pairs and change
   contacts, words of the user's.  Against closed forms. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_touch.h"
#include "random.h"
#include "by.h"
#include "plain.h"

static nsc_world other;
static nsc_world_def settings;
static const double g = 9.81, h = 1 / 240.;

static void begin(int solver)
{
    settings = default_def();
    stepped_by = solver;
    settings.solver.max_iterations = 200;
    settings.solver.tolerance = REAL(1e-6);
    CHECK(nsc_world_init(&world, &settings) == NSC_OK);
}

static void change(void) { CHECK(nsc_world_set_def(&world, &settings) == NSC_OK); }

static nsc_id body_at(double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position = vec(x, y, z);
    return nsc_world_add_body(&world, &d);
}

static nsc_id box(double hx, double hy, double hz, double x, double y, double z)
{
    nsc_shape_def s = nsc_default_box_def(REAL(hx), REAL(hy), REAL(hz));
    nsc_id b = body_at(x, y, z);
    CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
    return b;
}

static nsc_id ball(double r, double x, double y, double z)
{
    nsc_shape_def s = nsc_default_sphere_def(REAL(r));
    nsc_id b = body_at(x, y, z);
    CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
    return b;
}

/* A floor whose surface moves */
static nsc_id floor_of(nsc_vec3 speed)
{
    nsc_shape_def s = nsc_default_half_space_def();
    s.surface_velocity = speed;
    return nsc_world_add_shape(&world, NSC_GROUND, &s);
}

static void run(int steps)
{
    int i;
    for (i = 0; i < steps; i++) CHECK(step_by(&world, REAL(h)) == NSC_OK);
}

/* ---- surfaces that move */

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

/* ---- locks */

/* Boxes and balls thrown about in two dimensions leave them by no bit. */
static int two_dimensions_stay_two(void)
{
    static const int solvers[5] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_BB, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM};
    int i;
    nsc_id id[6];
    nsc_shape_def s = nsc_default_half_space_def();
    begin(solvers[nth(5)]);
    s.pose.orientation.w = REAL(cos(0.1)), s.pose.orientation.x = REAL(sin(0.1)); /* it leans out of the plane */
    nsc_world_add_shape(&world, NSC_GROUND, &s);
    for (i = 0; i < 6; i++) {
        nsc_body_def d = nsc_default_body_def();
        double turn = uniform(-1, 1);
        d.pose.position = vec(0.15 * i, 0.01 * i, 0.5 + 0.3 * (i % 3));
        d.pose.orientation.w = REAL(cos(turn)), d.pose.orientation.y = REAL(sin(turn));
        d.velocity = any_vec(2);
        d.angular_velocity = any_in(-2, 2, -9, 9, -2, 2);
        d.extras.locks = NSC_LOCK_2D;
        id[i] = nsc_world_add_body(&world, &d);
        s = i % 2 ? nsc_default_box_def(REAL(0.1), REAL(0.05), REAL(0.07)) : nsc_default_sphere_def(REAL(0.1));
        s.restitution = REAL(0.3);
        s.pose.position = vec(0.02, 0, 0.01);
        CHECK(nsc_world_add_shape(&world, id[i], &s) >= 0);
    }
    for (i = 0; i < 300; i++) {
        CHECK(nsc_body_add_force(&world, id[1], vec(1, 5, 0), vec(3, 0.1, 2)) == NSC_OK);
        CHECK(step_by(&world, REAL(h)) == NSC_OK);
    }
    for (i = 0; i < 6; i++) {
        nsc_pose p;
        CHECK(nsc_body_get_pose(&world, id[i], &p) == NSC_OK);
        CHECK_NEAR(p.position.y, D(REAL(0.01 * i)), is_double ? 1e-15 : 1e-8);
        CHECK_NEAR(velocity(id[i]).y, 0, 0);
        CHECK_NEAR(fabs(D(spin(id[i]).x)) + fabs(D(spin(id[i]).z)), 0, 0);
        CHECK_NEAR(fabs(D(p.orientation.x)) + fabs(D(p.orientation.z)), 0, 0);
        CHECK(D(p.position.z) > -0.5 && D(p.position.z) < 2);
    }
    return 1;
}

/* A body that only turns about the vertical has 1 / I_zz, not the zz of the inverse, whatever its shape's axes: torque, impulse
   and contact. */
static void one_free_turn_has_its_own_inertia(void)
{
    int stepper;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_body_def d = nsc_default_body_def();
        double I = 0.9;
        nsc_id b;
        int i;
        begin(NSC_SOLVER_NEWTON);
        settings.stepper = stepper;
        if (NSC_SMOOTH) settings.contact_model = NSC_CONTACT_SMOOTH;
        settings.gravity = vec(0, 0, 0);
        change();
        d.mass = 2;
        d.inertia[0] = d.inertia[1] = 1;
        d.inertia[2] = REAL(I);
        d.inertia[3] = REAL(0.2), d.inertia[4] = REAL(0.3), d.inertia[5] = REAL(-0.25);
        d.extras.locks = NSC_LOCK_X | NSC_LOCK_Y | NSC_LOCK_Z | NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y;
        b = nsc_world_add_body(&world, &d);
        for (i = 0; i < 240; i++) {
            CHECK(nsc_body_add_force(&world, b, vec(3, 4, 5), vec(0.1, 0.2, 0.3)) == NSC_OK);
            CHECK(step_by(&world, REAL(h)) == NSC_OK);
        }
        if (stepper < NSC_STEPPER_HHT) CHECK_NEAR(spin(b).z, 0.3 / I, 2e-5);
        else CHECK_NEAR(spin(b).z, 0.3 / I, 0.3 / I * h); /* they take a mean of forces over two steps */
        CHECK_NEAR(length(position(b)), 0, 0);
        CHECK(nsc_body_set_velocity(&world, b, vec(0, 0, 0), vec(0, 0, 0)) == NSC_OK);
        CHECK(nsc_body_add_impulse_at(&world, b, vec(0, 1, 0), vec(0.5, 0, 0)) == NSC_OK);
        CHECK_NEAR(spin(b).z, 0.5 / I, 1e-6);
    }
}

/* An elastic ball bounces off a box locked along its way as off a wall, and off one that is free as momentum wants it. */
static void a_locked_body_is_a_wall(void)
{
    int locked;
    for (locked = 0; locked < 2; locked++) {
        nsc_body_extras e;
        nsc_shape_def s;
        nsc_id a, b;
        begin(NSC_SOLVER_NEWTON);
        settings.gravity = vec(0, 0, 0);
        change();
        a = box(0.1, 0.1, 0.1, 0, 0, 0);
        b = body_at(-0.3, 0, 0);
        s = nsc_default_sphere_def(REAL(0.05));
        s.restitution = 1;
        CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
        CHECK(nsc_body_set_velocity(&world, b, vec(1, 0, 0), vec(0, 0, 0)) == NSC_OK);
        CHECK(nsc_body_get_extras(&world, a, &e) == NSC_OK && e.locks == 0);
        e.locks = locked ? NSC_LOCK_X : 0;
        CHECK(nsc_body_set_extras(&world, a, &e) == NSC_OK);
        run(120);
        CHECK_NEAR(velocity(a).x, locked ? 0 : 2 * D(inside(b)->mass) / (D(inside(a)->mass) + D(inside(b)->mass)), 1e-4);
        if (locked) CHECK_NEAR(velocity(b).x, -1, 1e-4);
    }
}

#ifndef TEST_PART
/* A box dropped on its corner, in the plane by locks or by a joint to the ground: the same way. */
static void locks_agree_with_a_planar_joint(void)
{
    nsc_pose end[2];
    int k;
    for (k = 0; k < 2; k++) {
        nsc_body_def d = nsc_default_body_def();
        nsc_shape_def s = nsc_default_box_def(REAL(0.15), REAL(0.1), REAL(0.05));
        nsc_id b;
        begin(NSC_SOLVER_NEWTON);
        settings.solver.tolerance = is_double ? REAL(1e-10) : REAL(1e-6);
        settings.joint_recovery = 1;
        change();
        floor_of(vec(0, 0, 0));
        d.pose.position = vec(0, 0, 0.3);
        d.pose.orientation.w = REAL(cos(0.3)), d.pose.orientation.y = REAL(sin(0.3));
        d.velocity = vec(1, 0, 0);
        if (k == 0) d.extras.locks = NSC_LOCK_2D;
        b = nsc_world_add_body(&world, &d);
        CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
        if (k == 1) {
            nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_PLANAR, NSC_GROUND, b);
            j.collide = 1;
            CHECK(nsc_joint_place(&world, &j, vec(0, 0, 0.3), vec(0, 1, 0), vec(1, 0, 0)) == NSC_OK);
            CHECK(nsc_world_add_joint(&world, &j) >= 0);
        }
        run(200);
        CHECK(nsc_body_get_pose(&world, b, &end[k]) == NSC_OK);
    }
    CHECK_NEAR(end[0].position.x, D(end[1].position.x), is_double ? 1e-3 : 2e-3);
    CHECK_NEAR(end[0].position.z, D(end[1].position.z), 2e-4);
    CHECK_NEAR(end[0].orientation.y, D(end[1].orientation.y), 1e-3);
}

/* Joints, springs, servos and rolling friction between locked bodies stay finite and keep the locks. */
static void locks_hold_beside_all_else(void)
{
    int stepper;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_joint_def j;
        nsc_spring_def p;
        nsc_id a, b, c;
        nsc_body_extras e;
        int i;
        begin(NSC_SOLVER_AUTO);
        settings.stepper = stepper;
        settings.contact_model = stepper == 1 || stepper == 2 ? NSC_CONTACT_HARD : NSC_CONTACT_SMOOTH;
        change();
        floor_of(vec(0, 0, 0));
        a = box(0.1, 0.1, 0.1, 0, 0, 0.12);
        b = box(0.1, 0.1, 0.1, 0.3, 0, 0.3);
        c = ball(0.1, -0.3, 0, 0.3);
        CHECK(nsc_body_get_extras(&world, a, &e) == NSC_OK);
        e.locks = NSC_LOCK_2D;
        CHECK(nsc_body_set_extras(&world, a, &e) == NSC_OK && nsc_body_set_extras(&world, b, &e) == NSC_OK);
        e.locks = NSC_LOCK_Y | NSC_LOCK_TURN_X;
        CHECK(nsc_body_set_extras(&world, c, &e) == NSC_OK);
        j = nsc_default_joint_def(NSC_JOINT_BALL, a, b);
        CHECK(nsc_joint_place(&world, &j, vec(0.15, 0.05, 0.2), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
        CHECK(nsc_world_add_joint(&world, &j) >= 0);
        p = nsc_default_spring_def(a, c);
        p.stiffness = 100;
        p.damping = 1;
        p.point_a = vec(0, 0.1, 0.1);
        CHECK(nsc_world_add_spring(&world, &p) >= 0);
        for (i = 0; i < 400; i++) CHECK(step_by(&world, REAL(stepper == 4 ? 2e-4 : 1e-3)) == NSC_OK);
        CHECK(IS_FINITE(position(a)) && IS_FINITE(position(b)) && IS_FINITE(position(c)));
        CHECK_NEAR(position(a).y, 0, 0);
        CHECK_NEAR(position(b).y, 0, 0);
        CHECK_NEAR(position(c).y, 0, 0);
        CHECK_NEAR(spin(c).x, 0, 0);
        CHECK(length(velocity(a)) < 5 && length(velocity(c)) < 5);
    }
}
#endif

/* ---- damping */

/* v0 / (1 + h c)^n, and g / c in the end */
static void damping_slows_and_bounds(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id b;
    begin(NSC_SOLVER_SIPGS);
    d.mass = 3;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
    d.velocity = vec(2, 0, 0);
    d.angular_velocity = vec(0, 5, 0);
    d.extras.linear_damping = REAL(4);
    d.extras.angular_damping = REAL(0.5);
    b = nsc_world_add_body(&world, &d);
    run(100);
    CHECK_NEAR(velocity(b).x, 2 * pow(1 + 4 * h, -100), 1e-5);
    CHECK_NEAR(spin(b).y, 5 * pow(1 + 0.5 * h, -100), 2e-5);
    run(2000);
    CHECK_NEAR(velocity(b).z, -g / 4, 1e-4);
}

/* ---- kinds */

static void a_body_changes_its_kind(void)
{
    nsc_id a, b;
    double fallen;
    begin(NSC_SOLVER_SIPGS);
    floor_of(vec(0, 0, 0));
    a = box(0.1, 0.1, 0.1, 0, 0, 1);
    b = ball(0.1, 0, 0, 1.2);
    CHECK(nsc_body_get_kind(&world, a) == NSC_DYNAMIC_BODY);
    CHECK(nsc_body_set_kind(&world, a, NSC_STATIC_BODY) == NSC_OK);
    CHECK(nsc_body_get_kind(&world, a) == NSC_STATIC_BODY);
    run(120);
    CHECK_NEAR(position(a).z, 1, 0);
    CHECK_NEAR(position(b).z, 1.2, 1e-3);
    CHECK(nsc_body_set_kind(&world, a, NSC_KINEMATIC_BODY) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, a, vec(0, 0, 0.5), vec(0, 0, 0)) == NSC_OK);
    run(120);
    CHECK_NEAR(position(a).z, 1.25, 1e-5);
    CHECK_NEAR(position(b).z, 1.45, 1e-3);
    CHECK(nsc_body_set_kind(&world, a, NSC_DYNAMIC_BODY) == NSC_OK);
    CHECK_NEAR(inside(a)->mass, 8, 1e-5);
    fallen = D(position(a).z);
    CHECK_NEAR(velocity(a).z, 0.5, 0);
    run(24);
    CHECK_NEAR(position(a).z, fallen + 0.05 - g * h * h * 24 * 25 / 2, 1e-4);
    run(480);
    CHECK_NEAR(position(a).z, 0.1, 1e-3);
}

#ifndef TEST_PART
/* A disabled body is not met by bodies or rays, its joints and springs do not hold, and it comes back as it was. */
static void a_disabled_body_takes_no_part(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_joint_def j;
    nsc_spring_def p;
    nsc_hit hit;
    nsc_id a, b, bob;
    int size;
    begin(NSC_SOLVER_SIPGS);
    d.mass = 5;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
    d.pose.position = vec(0, 0, 1);
    a = nsc_world_add_body(&world, &d);
    {
        nsc_shape_def s = nsc_default_box_def(1, 1, REAL(0.1));
        CHECK(nsc_world_add_shape(&world, a, &s) >= 0);
    }
    b = ball(0.1, 0.5, 0, 1.5);
    bob = ball(0.05, 0, 0, 0.5);
    j = nsc_default_joint_def(NSC_JOINT_BALL, a, bob);
    CHECK(nsc_joint_place(&world, &j, vec(0, 0, 1), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    p = nsc_default_spring_def(a, b);
    p.stiffness = 1000;
    CHECK(nsc_world_add_spring(&world, &p) >= 0);
    CHECK(nsc_body_set_kind(&world, a, NSC_DISABLED_BODY) == NSC_OK);
    CHECK(nsc_body_get_kind(&world, a) == NSC_DISABLED_BODY);
    CHECK(nsc_world_cast_ray(&world, vec(0.9, 0.9, 5), vec(0, 0, -5), 0xffffffffu, &hit) == 0);
    run(120);
    CHECK_NEAR(position(a).z, 1, 0);
    CHECK_NEAR(position(b).z, 1.5 - g * h * h * 120 * 121 / 2, 2e-4);
    CHECK_NEAR(position(bob).z, 0.5 - g * h * h * 120 * 121 / 2, 2e-4);
    size = nsc_world_save_size(&world);
    {
        static unsigned char image[20000];
        CHECK(size <= (int)sizeof image && nsc_world_save(&world, image, (int)sizeof image) == size);
        CHECK(nsc_world_init(&other, &settings) == NSC_OK);
        CHECK(nsc_world_load(&other, image, size) == NSC_OK);
        CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
        CHECK(nsc_body_get_kind(&other, a) == NSC_DISABLED_BODY);
    }
    CHECK(nsc_body_set_kind(&world, a, NSC_DYNAMIC_BODY) == NSC_OK);
    CHECK_NEAR(inside(a)->mass, 5, 0);
    CHECK(nsc_world_cast_ray(&world, vec(0.9, 0.9, 5), vec(0, 0, -5), 0xffffffffu, &hit) == 1 && hit.body == a);
    run(1);
    CHECK(D(velocity(a).z) < -0.04); /* pulled down by the spring, and heavy again */
}

static void wrong_kinds_are_refused(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_half_space_def();
    nsc_joint_def j;
    nsc_id ground2, a, b, base, j1, j2;
    uint64_t hash;
    begin(NSC_SOLVER_SIPGS);
    d.kind = NSC_STATIC_BODY;
    ground2 = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, ground2, &s) >= 0);
    base = nsc_world_add_body(&world, &d);
    a = box(0.1, 0.1, 0.1, 1, 0, 1);
    b = box(0.1, 0.1, 0.1, 2, 0, 1);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, base, a);
    CHECK(nsc_joint_place(&world, &j, vec(1, 0, 1), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    j1 = nsc_world_add_joint(&world, &j);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, base, b);
    CHECK(nsc_joint_place(&world, &j, vec(2, 0, 1), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    j2 = nsc_world_add_joint(&world, &j);
    j = nsc_default_joint_def(NSC_JOINT_GEAR, 0, 0);
    j.joint_a = j1;
    j.joint_b = j2;
    j.ratio = 2;
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    hash = nsc_world_hash(&world);
    CHECK(nsc_body_set_kind(&world, ground2, NSC_DYNAMIC_BODY) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_kind(&world, base, NSC_DYNAMIC_BODY) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_kind(&world, a, NSC_DISABLED_BODY) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_kind(&world, a, 0) == NSC_ERR_ARGUMENT && nsc_body_set_kind(&world, a, 5) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_kind(&world, NSC_GROUND, NSC_DYNAMIC_BODY) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_kind(&world, 77, NSC_DYNAMIC_BODY) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_kind(NULL, a, NSC_DYNAMIC_BODY) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_get_kind(&world, 77) == NSC_ERR_HANDLE && nsc_body_get_kind(NULL, a) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_hash(&world) == hash);
    CHECK(nsc_body_set_kind(&world, ground2, NSC_DISABLED_BODY) == NSC_OK);
    CHECK(nsc_body_set_kind(&world, ground2, NSC_STATIC_BODY) == NSC_OK);
    CHECK(nsc_world_hash(&world) == hash);
}
#endif

/* ---- callbacks */

typedef struct watch {
    nsc_id apart[2], ice;
    int how, seen, changed;
} watch;

static int meet(void *user, const nsc_world *w, nsc_id a, nsc_id b)
{
    const watch *p = (const watch *)user;
    (void)w;
    return !((a == p->apart[0] && b == p->apart[1]) || (b == p->apart[0] && a == p->apart[1]));
}

static void touch(void *user, const nsc_world *w, nsc_contact *c)
{
    watch *p = (watch *)user;
    p->seen++;
    p->changed += nsc_world_hash(w) == 0;
    if (p->how == 1 && (c->shape_a == p->ice || c->shape_b == p->ice)) c->friction = 0;
    if (p->how == 2 && D(c->gap) < 0.02) c->sensor = 1;
    if (p->how == 3) c->friction = REAL(-1);
    if (p->how == 4) c->restitution = REAL(NAN);
    if (p->how == 5) c->body_a = 99, c->shape_b = 1234, c->normal = vec(0, 0, -1), c->gap = 5, c->feature = 3;
    if (p->how == 6) c->surface_velocity = vec(0.4, 0, 0);
    if (p->how == 7) p->changed += nsc_body_set_velocity(&world, c->body_b, vec(0, 0, 9), vec(0, 0, 0)) != NSC_ERR_BUSY;
}

static nsc_calls calls_of(watch *p)
{
    nsc_calls c;
    memset(&c, 0, sizeof c);
    memset(p, 0, sizeof *p);
    c.user = p;
    c.meet = meet;
    c.contact = touch;
    return c;
}

static void run_with(const nsc_calls *calls, int steps)
{
    int i;
    for (i = 0; i < steps; i++) CHECK(step_by_with(&world, REAL(h), calls) == NSC_OK);
}

static void pairs_are_chosen(void)
{
    watch p;
    nsc_calls calls = calls_of(&p);
    nsc_id a, b, low;
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.1));
    begin(NSC_SOLVER_SIPGS);
    low = floor_of(vec(0, 0, 0));
    a = body_at(0, 0, 0.1);
    b = body_at(0, 0, 0.4);
    p.apart[0] = nsc_world_add_shape(&world, a, &s);
    p.apart[1] = nsc_world_add_shape(&world, b, &s);
    CHECK(low >= 0);
    run_with(&calls, 240);
    CHECK_NEAR(position(a).z, 0.1, 1e-3);
    CHECK_NEAR(position(b).z, 0.1, 1e-3);
}

static void contacts_are_changed(void)
{
    watch p;
    nsc_calls calls = calls_of(&p);
    nsc_id a, b;
    nsc_world_def d;
    uint64_t hash;
    int how;
    begin(NSC_SOLVER_SIPGS);
    d = settings;
    d.gravity = vec(g * sin(0.3), 0, -g * cos(0.3)); /* on a slope of 0.3 rad, where friction 0.5 holds */
    CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
    floor_of(vec(0, 0, 0));
    a = box(0.1, 0.1, 0.05, 0, 0, 0.05);
    b = box(0.1, 0.1, 0.05, 0, 1, 0.05);
    p.ice = nsc_world_shape_at(&world, 1);
    p.how = 1;
    run_with(&calls, 120);
    CHECK_NEAR(velocity(a).x, g * sin(0.3) * 120 * h, 1e-3);
    CHECK_NEAR(velocity(b).x, 0, 1e-3);
    CHECK(p.seen >= 120 * 8 && p.changed == 0);
    for (how = 3; how <= 4; how++) { /* refused, and nothing has moved */
        p.how = how;
        hash = nsc_world_hash(&world);
        CHECK(step_by_with(&world, REAL(h), &calls) == (how == 3 ? NSC_ERR_ARGUMENT : NSC_ERR_NOT_FINITE));
        CHECK(nsc_world_hash(&world) == hash);
        CHECK(strstr(nsc_world_last_refusal(&world).field, how == 3 ? "friction" : "restitution") != NULL);
    }
    {
        nsc_contact c = nsc_default_contact(); /* one of the caller's that waits stays as it is, as no callback gets it */
        c.body_b = b;
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        CHECK(step_by_with(&world, REAL(h), &calls) == NSC_ERR_NOT_FINITE);
        CHECK(world.found_count == 1 && D(world.found[0].friction) == 0.5 && D(world.found[0].restitution) == 0);
        world.found_count = 0;
    }
    memcpy(&other, &world, sizeof world); /* what may not be changed is not */
    p.how = 0;
    run_with(&calls, 10);
    hash = nsc_world_hash(&world);
    memcpy(&world, &other, sizeof world);
    p.how = 5;
    run_with(&calls, 10);
    CHECK(nsc_world_hash(&world) == hash);
    p.how = 7;
    run_with(&calls, 1);
    CHECK(p.changed == 0);
    begin(NSC_SOLVER_SIPGS);
    floor_of(vec(0, 0, 0));
    a = box(0.1, 0.1, 0.05, 0, 0, 0.05);
    p.how = 6;
    run_with(&calls, 120);
    CHECK_NEAR(velocity(a).x, -0.4, 1e-3); /* shape a of the contact is the floor, b the box: b's surface runs forward */
    p.how = 2;
    run_with(&calls, 60);
    CHECK(D(position(a).z) < 0.05 - 0.1); /* it falls through */
}

/* ---- words, images, bad input */

static int of_sleepers, of_others;

static void count_contacts(void *user, const nsc_world *w, nsc_contact *c)
{
    const nsc_id *fast = (const nsc_id *)user;
    (void)w;
    if (c->body_a == *fast || c->body_b == *fast) of_others++;
    else of_sleepers++;
}

/* Contacts between bodies that sleep are not asked about, and stay. */
static void contacts_of_sleepers_are_not_asked_about(void)
{
    nsc_calls calls;
    nsc_id low, high, fast;
    begin(NSC_SOLVER_SIPGS);
    settings.sleep_time = REAL(0.1);
    change();
    floor_of(vec(0, 0, 0));
    low = box(0.2, 0.2, 0.1, 0, 0, 0.1), high = box(0.1, 0.1, 0.1, 0, 0, 0.3);
    run(120);
    CHECK(nsc_body_is_asleep(&world, low) == 1 && nsc_body_is_asleep(&world, high) == 1);
    fast = ball(0.1, 3, 0, 0.1);
    CHECK(nsc_body_set_velocity(&world, fast, vec(1, 0, 0), vec(0, 0, 0)) == NSC_OK);
    memset(&calls, 0, sizeof calls);
    calls.user = &fast, calls.contact = count_contacts;
    CHECK(step_by_with(&world, REAL(h), &calls) == NSC_OK);
    CHECK(of_sleepers == 0 && of_others == 1 && world.contact_count == 9 && nsc_body_is_asleep(&world, high) == 1);
    CHECK(nsc_body_wake(&world, low) == NSC_OK && step_by_with(&world, REAL(h), &calls) == NSC_OK);
    CHECK(of_sleepers == 8 && of_others == 2);
}

#if NSC_SMOOTH
/* A moment of rolling friction beyond all numbers refuses the step, which then has changed nothing. */
static void rolling_moments_that_overflow_are_refused(void)
{
    static const int steppers[3] = {NSC_STEPPER_EULER_SYMPLECTIC, NSC_STEPPER_EULER_FORWARD, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED};
    int k, part;
    for (k = 0; k < 3; k++)
        for (part = 0; part < 2; part++) {
            nsc_shape_def s = nsc_default_sphere_def(REAL(0.1));
            uint32_t before;
            nsc_id b;
            begin(NSC_SOLVER_SIPGS);
            settings.contact_model = NSC_CONTACT_SMOOTH, settings.stepper = steppers[k];
            change();
            floor_of(vec(0, 0, 0));
            if (part) s.torsion = NSC_REAL_MAX * REAL(0.5);
            else s.rolling = NSC_REAL_MAX * REAL(0.5);
            s.young = REAL(1e9);
            b = body_at(0, 0, 0.09);
            CHECK(nsc_world_add_shape(&world, b, &s) >= 0);
            CHECK(nsc_body_set_velocity(&world, b, vec(0, 0, -1), vec(100, 50, 100)) == NSC_OK);
            before = nsc_world_hash(&world);
            CHECK(step_by(&world, REAL(h)) == NSC_ERR_NOT_FINITE);
            CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_NOT_FINITE);
            CHECK(nsc_world_hash(&world) == before);
        }
}
#endif

#ifndef TEST_PART
static void words_and_locks_are_state(void)
{
    static unsigned char image[20000];
    nsc_body_extras e;
    nsc_shape_def s;
    nsc_id b, shape;
    uint64_t plain;
    int size, i;
    begin(NSC_SOLVER_SIPGS);
    b = box(0.1, 0.1, 0.1, 0, 0, 1);
    shape = floor_of(vec(0.3, 0, 0));
    plain = nsc_world_hash(&world);
    CHECK(nsc_body_get_extras(&world, b, &e) == NSC_OK);
    e.user = 0xfeedu;
    e.locks = NSC_LOCK_2D;
    e.linear_damping = REAL(0.25);
    CHECK(nsc_body_set_extras(&world, b, &e) == NSC_OK);
    CHECK(nsc_world_hash(&world) != plain);
    CHECK(nsc_shape_get_def(&world, shape, &s) == NSC_OK);
    s.user = 77;
    CHECK(nsc_shape_set_def(&world, shape, &s) == NSC_OK);
    run(200);
    size = nsc_world_save_size(&world);
    CHECK(size <= (int)sizeof image && nsc_world_save(&world, image, (int)sizeof image) == size);
    CHECK(nsc_world_init(&other, &settings) == NSC_OK && nsc_world_load(&other, image, size) == NSC_OK);
    CHECK(nsc_body_get_extras(&other, b, &e) == NSC_OK && e.user == 0xfeedu && e.locks == NSC_LOCK_2D);
    CHECK(nsc_shape_get_def(&other, shape, &s) == NSC_OK && s.user == 77 && D(s.surface_velocity.x) > 0.29);
    for (i = 0; i < 100; i++) {
        CHECK(step_by(&world, REAL(h)) == NSC_OK && step_by(&other, REAL(h)) == NSC_OK);
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    }
}
#endif

static void bad_extras_are_refused(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.1));
    nsc_contact c = nsc_default_contact();
    nsc_body_extras e, zero;
    nsc_id b;
    begin(NSC_SOLVER_SIPGS);
    b = ball(0.1, 0, 0, 0);
    CHECK(nsc_body_get_extras(&world, b, &zero) == NSC_OK);
    d.extras.locks = 64;
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_body_extras.locks") == 0);
    d.extras.locks = -1;
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_ARGUMENT);
    d.extras.locks = 0;
    d.extras.linear_damping = REAL(-1);
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_ARGUMENT);
    d.extras.linear_damping = REAL(NAN);
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_NOT_FINITE);
    e = zero;
    e.angular_damping = REAL(INFINITY);
    CHECK(nsc_body_set_extras(&world, b, &e) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_set_extras(&world, b, NULL) == NSC_ERR_ARGUMENT && nsc_body_get_extras(&world, b, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_extras(&world, 55, &zero) == NSC_ERR_HANDLE && nsc_body_get_extras(&world, 55, &e) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_extras(&world, NSC_GROUND, &zero) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_extras(NULL, b, &zero) == NSC_ERR_ARGUMENT && nsc_body_get_extras(NULL, b, &e) == NSC_ERR_ARGUMENT);
    s.surface_velocity.y = REAL(NAN);
    CHECK(nsc_world_add_shape(&world, b, &s) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_shape_def.surface_velocity") == 0);
    c.body_b = b;
    c.surface_velocity.z = REAL(INFINITY);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_NOT_FINITE);
    d = nsc_default_body_def(); /* damping beyond all measure stops, and is no NaN */
    d.mass = 1;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
    d.velocity = vec(1, 0, 0);
    d.extras.linear_damping = NSC_REAL_MAX;
    b = nsc_world_add_body(&world, &d);
    run(1);
    CHECK_NEAR(length(velocity(b)), 0, 1e-20);
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

/* Becoming dynamic may give no mass; then all stays as it was. */
static void a_kind_that_gives_no_mass_is_refused(void)
{
    nsc_shape_def heavy = nsc_default_sphere_def(REAL(100));
    nsc_id b;
    int k;
    plain_world(0);
    heavy.density = NSC_REAL_MAX / 1000;
    b = bare_body(NSC_KINEMATIC_BODY, 0, 0, 1);
    CHECK(nsc_world_add_shape(&world, b, &heavy) > 0);
    keep_world();
    CHECK(nsc_body_set_kind(&world, b, NSC_DYNAMIC_BODY) < 0);
    CHECK(world_is_kept() && nsc_body_get_kind(&world, b) == NSC_KINEMATIC_BODY);
    /* shapes that are gone do not hinder a fall */
    plain_world(0);
    b = bare_body(NSC_KINEMATIC_BODY, 0, 0, 1);
    for (k = 0; k < 2; k++) {
        nsc_shape_def plane = nsc_default_half_space_def();
        nsc_id s = nsc_world_add_shape(&world, b, &plane);
        CHECK(s > 0 && nsc_body_set_kind(&world, b, NSC_DYNAMIC_BODY) == NSC_ERR_ARGUMENT);
        CHECK(strcmp(nsc_world_last_refusal(&world).field, "kind") == 0);
        CHECK(nsc_world_remove_shape(&world, s) == NSC_OK);
    }
    {
        nsc_shape_def s = nsc_default_sphere_def(REAL(0.5));
        CHECK(nsc_world_add_shape(&world, b, &s) > 0);
    }
    CHECK(nsc_body_set_kind(&world, b, NSC_DYNAMIC_BODY) == NSC_OK);
}

/* Each word of a body's extras is part of the hash, alone too. */
static void each_extra_counts_in_the_hash(void)
{
    nsc_id b;
    nsc_body_extras e;
    uint32_t plain;
    int k;
    plain_world(0);
    b = small_ball(NSC_DYNAMIC_BODY, 0, 0, 1);
    plain = nsc_world_hash(&world);
    for (k = 0; k < 4; k++) {
        memset(&e, 0, sizeof e);
        if (k == 0) e.locks = NSC_LOCK_X;
        if (k == 1) e.user = 7;
        if (k == 2) e.linear_damping = REAL(0.5);
        if (k == 3) e.angular_damping = REAL(0.5);
        CHECK(nsc_body_set_extras(&world, b, &e) == NSC_OK);
        CHECK(nsc_world_hash(&world) != plain);
    }
}

/* Which island a body is in: none for the ground, for what is not dynamic, and before the first step */
static void islands_of_what_is_not_dynamic(void)
{
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_id moving, falling;
    plain_world(0);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
    moving = small_ball(NSC_KINEMATIC_BODY, 3, 0, 1);
    falling = small_ball(NSC_DYNAMIC_BODY, 0, 0, 1);
    CHECK(nsc_body_get_island(&world, falling) == -1);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_body_get_island(&world, falling) == 0);
    CHECK(nsc_body_get_island(&world, moving) == -1);
    CHECK(nsc_body_get_island(&world, NSC_GROUND) == -1);
    CHECK(nsc_body_get_island(&world, small_ball(NSC_DYNAMIC_BODY, 9, 0, 1)) == -1);
    CHECK(nsc_body_set_kind(&world, falling, NSC_STATIC_BODY) == NSC_OK);
    CHECK(nsc_body_get_island(&world, falling) == -1);
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
    a_belt_wakes();
    own_contacts_are_belts();
    search("two dimensions stay two", two_dimensions_stay_two, 5);
    one_free_turn_has_its_own_inertia();
    a_locked_body_is_a_wall();
#ifndef TEST_PART
    locks_agree_with_a_planar_joint();
    locks_hold_beside_all_else();
#endif
    damping_slows_and_bounds();
    a_body_changes_its_kind();
#ifndef TEST_PART
    a_disabled_body_takes_no_part();
    wrong_kinds_are_refused();
#endif
    pairs_are_chosen();
    contacts_are_changed();
    contacts_of_sleepers_are_not_asked_about();
#if NSC_SMOOTH
    rolling_moments_that_overflow_are_refused();
#endif
#ifndef TEST_PART
    words_and_locks_are_state();
#endif
    bad_extras_are_refused();
    patches_sum_their_shapes();
    a_kind_that_gives_no_mass_is_refused();
    each_extra_counts_in_the_hash();
    islands_of_what_is_not_dynamic();
    return TEST_END("extras");
}
