/* Locked axes, damping, and bodies that change their kind, NSC_LOCKS: against closed forms and a joint; state, bad input. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "random.h"
#include "by.h"
#include "plain.h"
#include "floor.h"

#ifndef TEST_PART
static nsc_world other;
#endif

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
        d.locks = NSC_LOCK_2D;
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
        d.locks = NSC_LOCK_X | NSC_LOCK_Y | NSC_LOCK_Z | NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y;
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
        CHECK(nsc_body_get_locks(&world, a) == 0);
        CHECK(nsc_body_set_locks(&world, a, locked ? NSC_LOCK_X : 0) == NSC_OK);
        run(120);
        CHECK_NEAR(velocity(a).x, locked ? 0 : 2 * D(inside(b)->mass) / (D(inside(a)->mass) + D(inside(b)->mass)), 1e-4);
        if (locked) CHECK_NEAR(velocity(b).x, -1, 1e-4);
    }
}

/* A character: a capsule that does not turn, without friction, whose velocity along x is set before each step, at a kerb.  How high
   above the kerb its lower end comes [m], -1: it stands before it */
static double over_a_kerb(double kerb, double speed, double hertz)
{
    const double r = 0.3, half = 0.5, edge = 2;
    nsc_shape_def floor_shape = nsc_default_half_space_def(), step = nsc_default_box_def(5, 2, REAL(kerb / 2));
    nsc_shape_def capsule = nsc_default_capsule_def(REAL(r), REAL(half));
    double top = 0;
    nsc_id hero;
    int i;
    begin(NSC_SOLVER_SIPGS);
    step.pose.position = vec(edge + 5, 0, kerb / 2);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &floor_shape) >= 0 && nsc_world_add_shape(&world, NSC_GROUND, &step) >= 0);
    hero = body_at(edge - 1.5 * r, 0, r + half);
    capsule.friction = 0;
    CHECK(nsc_world_add_shape(&world, hero, &capsule) >= 0);
    CHECK(nsc_body_set_locks(&world, hero, NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y | NSC_LOCK_TURN_Z) == NSC_OK);
    for (i = 0; i < 2 * hertz / speed && D(position(hero).x) < edge + 1; i++) {
        CHECK(nsc_body_set_velocity(&world, hero, vec(speed, 0, D(velocity(hero).z)), vec(0, 0, 0)) == NSC_OK);
        CHECK(step_by(&world, REAL(1 / hertz)) == NSC_OK);
        top = fmax(top, D(position(hero).z) - r - half - kerb);
    }
    return D(position(hero).x) > edge ? top : -1;
}

/* It climbs an edge, where its round end has the slope tan, while its speed is above g h tan: each step gives it speed * tan upwards
   at most, less g h tan^2.  A fast one is thrown up, the higher the shorter the step. */
static void a_character_climbs(void)
{
    static const double speeds[3] = {0.2, 0.5, 1.6}, r = 0.3;
    int i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 2; k++) {
            double hertz = k ? 240 : 60, tan = speeds[i] * hertz / g, most = r * (1 - 1 / sqrt(1 + tan * tan));
            CASE("%g m/s, %g Hz", speeds[i], hertz);
            if (hertz < 100) printf("    at %g m/s and %g Hz a capsule climbs %.2f of its radius\n", speeds[i], hertz, most / r);
            CHECK(over_a_kerb(most - 0.005, speeds[i], hertz) >= 0);
            CHECK(over_a_kerb(fmin(most + 0.005, r), speeds[i], hertz) < 0);
        }
    for (i = 0; i < 8; i++) { /* how high depends on where the step begins that meets the kerb */
        CASE("thrown up, %d", i);
        CHECK_NEAR(over_a_kerb(0.1, 4 - 0.01 * i, 60), 0.23, 0.05);
        CHECK_NEAR(over_a_kerb(0.1, 4 - 0.01 * i, 240), 0.46, 0.06);
    }
    CASE_END();
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
        add_floor();
        d.pose.position = vec(0, 0, 0.3);
        d.pose.orientation.w = REAL(cos(0.3)), d.pose.orientation.y = REAL(sin(0.3));
        d.velocity = vec(1, 0, 0);
        if (k == 0) d.locks = NSC_LOCK_2D;
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
        int i;
        begin(NSC_SOLVER_AUTO);
        settings.stepper = stepper;
        settings.contact_model = stepper == 1 || stepper == 2 ? NSC_CONTACT_HARD : NSC_CONTACT_SMOOTH;
        change();
        add_floor();
        a = box(0.1, 0.1, 0.1, 0, 0, 0.12);
        b = box(0.1, 0.1, 0.1, 0.3, 0, 0.3);
        c = ball(0.1, -0.3, 0, 0.3);
        CHECK(nsc_body_set_locks(&world, a, NSC_LOCK_2D) == NSC_OK && nsc_body_set_locks(&world, b, NSC_LOCK_2D) == NSC_OK);
        CHECK(nsc_body_set_locks(&world, c, NSC_LOCK_Y | NSC_LOCK_TURN_X) == NSC_OK);
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
    d.linear_damping = REAL(4);
    d.angular_damping = REAL(0.5);
    b = nsc_world_add_body(&world, &d);
    run(100);
    CHECK_NEAR(velocity(b).x, 2 * pow(1 + 4 * h, -100), 1e-5);
    CHECK_NEAR(spin(b).y, 5 * pow(1 + 0.5 * h, -100), 2e-5);
    run(2000);
    CHECK_NEAR(velocity(b).z, -g / 4, 1e-4);
}

/* Damping that is set later acts from then on, and the getter tells it. */
static void damping_is_set(void)
{
    nsc_real linear = -1, angular = -1;
    nsc_id b;
    begin(NSC_SOLVER_SIPGS);
    settings.gravity = vec(0, 0, 0);
    change();
    b = ball(0.1, 0, 0, 0);
    CHECK(nsc_body_set_velocity(&world, b, vec(2, 0, 0), vec(0, 5, 0)) == NSC_OK);
    run(10);
    CHECK_NEAR(velocity(b).x, 2, 0);
    CHECK(nsc_body_get_damping(&world, b, &linear, &angular) == NSC_OK && !(linear > 0 || linear < 0) && !(angular > 0 || angular < 0));
    CHECK(nsc_body_set_damping(&world, b, 4, REAL(0.5)) == NSC_OK);
    CHECK(nsc_body_get_damping(&world, b, &linear, NULL) == NSC_OK && D(linear) == 4);
    CHECK(nsc_body_get_damping(&world, b, NULL, &angular) == NSC_OK && D(angular) == 0.5);
    run(100);
    CHECK_NEAR(velocity(b).x, 2 * pow(1 + 4 * h, -100), 1e-5);
    CHECK_NEAR(spin(b).y, 5 * pow(1 + 0.5 * h, -100), 2e-5);
}

/* Locks and damping that are set wake the body. */
static void setters_wake(void)
{
    nsc_id b;
    int k;
    for (k = 0; k < 2; k++) {
        begin(NSC_SOLVER_SIPGS);
        settings.sleep_time = REAL(0.1);
        change();
        add_floor();
        b = box(0.1, 0.1, 0.1, 0, 0, 0.1);
        run(120);
        CHECK(nsc_body_is_asleep(&world, b) == 1);
        CHECK((k ? nsc_body_set_damping(&world, b, 1, 1) : nsc_body_set_locks(&world, b, NSC_LOCK_X)) == NSC_OK);
        CHECK(nsc_body_is_asleep(&world, b) == 0);
    }
}

/* ---- kinds */

static void a_body_changes_its_kind(void)
{
    nsc_id a, b;
    double fallen;
    begin(NSC_SOLVER_SIPGS);
    add_floor();
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

static double size_of(nsc_vec3 v) { return fabs(D(v.x)) + fabs(D(v.y)) + fabs(D(v.z)); }

/* A joint or spring to a disabled body has no force; one between static bodies keeps its force, however long the steps are. */
static void a_joint_that_is_left_out_has_no_force(void)
{
    static const double lengths[3] = {1 / 480., 1 / 120., 1 / 240.};
    int kind, i, both;
    for (kind = NSC_JOINT_BALL; kind <= NSC_JOINT_PLANAR; kind++)
        for (both = 0; both < 2; both++) {
            nsc_joint_def j;
            nsc_spring_def p;
            nsc_id a, b, joint, spring;
            nsc_vec3 f, t, held, pulled;
            double turned;
            plain_world(0);
            a = lone_body(vec(0, 0, 1), nsc_default_sphere_def(REAL(.1)));
            b = lone_body(vec(.3, 0, 1), nsc_default_sphere_def(REAL(.1)));
            CHECK(nsc_body_set_kind(&world, a, NSC_STATIC_BODY) == NSC_OK);
            j = nsc_default_joint_def(kind, a, b);
            CHECK(nsc_joint_place(&world, &j, vec(0, 0, 1), vec(1, 0, 0), vec(0, 1, 0)) == NSC_OK);
            if (kind == NSC_JOINT_DISTANCE) {
                j.frame_b.position = vec(0, 0, 0);
                j.axis[0].limited = 1;
                j.axis[0].lower = j.axis[0].upper = REAL(.3);
            }
            joint = nsc_world_add_joint(&world, &j);
            p = nsc_default_spring_def(a, b);
            p.stiffness = 100;
            p.rest = REAL(.2);
            spring = nsc_world_add_spring(&world, &p);
            CHECK(joint >= 0 && spring >= 0);
            plain_steps(5, 1 / 240.);
            CHECK(nsc_joint_get_force(&world, joint, &held, &t) == NSC_OK);
            CHECK(nsc_spring_get_force(&world, spring, NULL, &pulled) == NSC_OK);
            turned = D(t.y);
            CHECK(size_of(held) + size_of(t) > 1e-2 && size_of(pulled) > 1);
            CHECK(nsc_body_set_kind(&world, both ? b : a, both ? NSC_STATIC_BODY : NSC_DISABLED_BODY) == NSC_OK);
            for (i = 0; i < 3; i++) {
                plain_steps(1, lengths[i]);
                CHECK(nsc_joint_get_force(&world, joint, &f, &t) == NSC_OK);
                CHECK_NEAR(f.z, both ? D(held.z) : 0, both ? 1e-4 * size_of(held) : 0);
                CHECK_NEAR(t.y, both ? turned : 0, both ? 1e-4 * fabs(turned) : 0);
                CHECK(nsc_spring_get_force(&world, spring, NULL, &f) == NSC_OK);
                if (!both) CHECK_NEAR(size_of(f), 0, 0);
            }
        }
}

/* Contacts of one's own with a disabled body hold nothing up; what a body measured before it became static is over. */
static void contacts_and_sensors_follow_the_kind(void)
{
    nsc_contact held = nsc_default_contact();
    nsc_id below, above;
    int i;
    plain_world(0);
    below = lone_body(vec(0, 0, 0), nsc_default_box_def(REAL(.25), REAL(.25), REAL(.25)));
    above = lone_body(vec(0, 0, 1), nsc_default_box_def(REAL(.25), REAL(.25), REAL(.25)));
    CHECK(nsc_body_set_kind(&world, below, NSC_DISABLED_BODY) == NSC_OK);
    held.body_a = below, held.body_b = above, held.point = vec(0, 0, .75);
    for (i = 0; i < 60; i++) {
        CHECK_ONCE(nsc_world_add_contact(&world, &held) == NSC_OK);
        plain_steps(1, 1 / 240.);
    }
    CHECK_NEAR(height_now(above), 1 - 9.81 * .25 * .25 / 2, .03);
#if NSC_IMU
    {
        nsc_vec3 f, w;
        nsc_pose middle = nsc_default_body_def().pose;
        CHECK(nsc_body_get_imu(&world, above, middle, &f, &w) == NSC_OK);
        CHECK_NEAR(f.z, 0, 1e-3);
        CHECK(nsc_body_set_kind(&world, above, NSC_STATIC_BODY) == NSC_OK);
        plain_steps(2, 1 / 240.);
        CHECK(nsc_body_get_imu(&world, above, middle, &f, &w) == NSC_OK);
        CHECK_NEAR(f.z, 9.81, 1e-3);
    }
#endif
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

/* Locks stay while a body is not dynamic or is switched off, and can be set then. */
static void locks_outlive_a_kind(void)
{
    nsc_id b;
    begin(NSC_SOLVER_SIPGS);
    b = ball(0.1, 0, 0, 1);
    CHECK(nsc_body_set_locks(&world, b, NSC_LOCK_X) == NSC_OK);
    CHECK(nsc_body_set_kind(&world, b, NSC_DISABLED_BODY) == NSC_OK && nsc_body_get_locks(&world, b) == NSC_LOCK_X);
    CHECK(nsc_body_set_locks(&world, b, NSC_LOCK_2D) == NSC_OK && nsc_body_get_kind(&world, b) == NSC_DISABLED_BODY);
    run(10);
    CHECK_NEAR(position(b).z, 1, 0);
    CHECK(nsc_body_set_kind(&world, b, NSC_DYNAMIC_BODY) == NSC_OK && nsc_body_get_locks(&world, b) == NSC_LOCK_2D);
    CHECK(nsc_body_set_velocity(&world, b, vec(1, 1, 0), vec(0, 0, 0)) == NSC_OK);
    run(1);
    CHECK_NEAR(velocity(b).y, 0, 0);
    CHECK_NEAR(velocity(b).x, 1, 0);
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

/* ---- state, bad input */

#ifndef TEST_PART
static void locks_are_state(void)
{
    static unsigned char image[20000];
    nsc_real linear;
    nsc_id b;
    uint32_t plain;
    int size, i;
    begin(NSC_SOLVER_SIPGS);
    b = box(0.1, 0.1, 0.1, 0, 0, 1);
    add_floor();
    plain = nsc_world_hash(&world);
    CHECK(nsc_body_set_locks(&world, b, NSC_LOCK_2D) == NSC_OK && nsc_body_set_damping(&world, b, REAL(0.25), 0) == NSC_OK);
    CHECK(nsc_world_hash(&world) != plain);
    run(200);
    size = nsc_world_save_size(&world);
    CHECK(size <= (int)sizeof image && nsc_world_save(&world, image, (int)sizeof image) == size);
    CHECK(nsc_world_init(&other, &settings) == NSC_OK && nsc_world_load(&other, image, size) == NSC_OK);
    CHECK(nsc_body_get_locks(&other, b) == NSC_LOCK_2D);
    CHECK(nsc_body_get_damping(&other, b, &linear, NULL) == NSC_OK && D(linear) == 0.25);
    world.bodies[1].locks = 4 * NSC_LOCK_TURN_Z; /* six locks, and disabled: a bit more than there is */
    CHECK(nsc_world_save(&world, image, (int)sizeof image) == size && nsc_world_load(&other, image, size) == NSC_ERR_ARGUMENT);
    world.bodies[1].locks = NSC_LOCK_2D;
    for (i = 0; i < 100; i++) {
        CHECK(step_by(&world, REAL(h)) == NSC_OK && step_by(&other, REAL(h)) == NSC_OK);
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    }
}
#endif

/* Locks and each damping are part of the hash, alone too. */
static void each_counts_in_the_hash(void)
{
    nsc_id b;
    uint32_t plain;
    int k;
    plain_world(0);
    b = small_ball(NSC_DYNAMIC_BODY, 0, 0, 1);
    plain = nsc_world_hash(&world);
    for (k = 0; k < 3; k++) {
        CHECK(nsc_body_set_locks(&world, b, k == 0 ? NSC_LOCK_X : 0) == NSC_OK);
        CHECK(nsc_body_set_damping(&world, b, REAL(k == 1 ? 0.5 : 0), REAL(k == 2 ? 0.5 : 0)) == NSC_OK);
        CHECK(nsc_world_hash(&world) != plain);
    }
    CHECK(nsc_body_set_damping(&world, b, 0, 0) == NSC_OK && nsc_world_hash(&world) == plain);
}

static const char *told_field(void) { return nsc_world_last_refusal(&world).field; }

static void bad_locks_are_refused(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_real x = 7;
    nsc_id b;
    begin(NSC_SOLVER_SIPGS);
    b = ball(0.1, 0, 0, 0);
    d.locks = 64;
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(told_field(), "nsc_body_def.locks") == 0);
    d.locks = -1;
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_ARGUMENT);
    d.locks = 0;
    d.linear_damping = REAL(-1);
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(told_field(), "nsc_body_def.linear_damping") == 0);
    d.linear_damping = REAL(NAN);
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_NOT_FINITE);
    d.linear_damping = 0;
    d.angular_damping = REAL(INFINITY);
    CHECK(nsc_world_add_body(&world, &d) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(told_field(), "nsc_body_def.angular_damping") == 0);
    CHECK(nsc_body_set_locks(&world, b, 5) == NSC_OK && nsc_body_set_damping(&world, b, 1, 2) == NSC_OK);
    keep_world();
    CHECK(nsc_body_set_locks(&world, b, 64) == NSC_ERR_ARGUMENT && nsc_body_set_locks(&world, b, -1) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(told_field(), "nsc_body_def.locks") == 0);
    CHECK(nsc_body_set_damping(&world, b, 0, REAL(INFINITY)) == NSC_ERR_NOT_FINITE);
    CHECK(strcmp(told_field(), "nsc_body_def.angular_damping") == 0);
    CHECK(nsc_body_set_damping(&world, b, REAL(-0.5), 0) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_damping(&world, b, REAL(NAN), 0) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_set_locks(&world, 55, 0) == NSC_ERR_HANDLE && nsc_body_get_locks(&world, 55) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_damping(&world, 55, 0, 0) == NSC_ERR_HANDLE && nsc_body_get_damping(&world, 55, &x, &x) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_locks(&world, NSC_GROUND, 0) == NSC_ERR_HANDLE && nsc_body_set_damping(&world, NSC_GROUND, 0, 0) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_locks(NULL, b, 0) == NSC_ERR_ARGUMENT && nsc_body_get_locks(NULL, b) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_set_damping(NULL, b, 0, 0) == NSC_ERR_ARGUMENT && nsc_body_get_damping(NULL, b, &x, &x) == NSC_ERR_ARGUMENT);
    CHECK(D(x) == 7 && world_is_kept());
    CHECK(nsc_body_get_locks(&world, NSC_GROUND) == 0);
    d = nsc_default_body_def(); /* damping beyond all measure stops, and is no NaN */
    d.mass = 1;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 1;
    d.velocity = vec(1, 0, 0);
    d.linear_damping = NSC_REAL_MAX;
    b = nsc_world_add_body(&world, &d);
    run(1);
    CHECK_NEAR(length(velocity(b)), 0, 1e-20);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    search("two dimensions stay two", two_dimensions_stay_two, 5);
    one_free_turn_has_its_own_inertia();
    a_locked_body_is_a_wall();
    a_character_climbs();
#ifndef TEST_PART
    locks_agree_with_a_planar_joint();
    locks_hold_beside_all_else();
#endif
    damping_slows_and_bounds();
    damping_is_set();
    setters_wake();
    a_body_changes_its_kind();
#ifndef TEST_PART
    a_disabled_body_takes_no_part();
    a_joint_that_is_left_out_has_no_force();
    contacts_and_sensors_follow_the_kind();
    wrong_kinds_are_refused();
#endif
    a_kind_that_gives_no_mass_is_refused();
    locks_outlive_a_kind();
    islands_of_what_is_not_dynamic();
#ifndef TEST_PART
    locks_are_state();
#endif
    each_counts_in_the_hash();
    bad_locks_are_refused();
    return TEST_END("locks");
}
