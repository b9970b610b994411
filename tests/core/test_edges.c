/* The edges of the number range, and things that are gone: each call says what is wrong and changes nothing, or passes over what
   is not there any more. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "meshes/ramp.h"
#include "world.h"

static const uint32_t ALL = 0xffffffff;
static nsc_world before;

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id body_at(int kind, double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    d.kind = kind;
    d.pose.position = vec(x, y, z);
    return nsc_world_add_body(&world, &d);
}

static nsc_id ball_at(int kind, double x, double y, double z)
{
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.25));
    nsc_id b = body_at(kind, x, y, z);
    CHECK(nsc_world_add_shape(&world, b, &s) > 0);
    return b;
}

static nsc_id joint(int kind, nsc_id a, nsc_id b, double x, double y, double z)
{
    nsc_joint_def j = nsc_default_joint_def(kind, a, b);
    CHECK(nsc_joint_place(&world, &j, vec(x, y, z), vec(0, 0, 1), vec(0, 0, 0)) == NSC_OK);
    return nsc_world_add_joint(&world, &j);
}

static nsc_id gear(nsc_id a, nsc_id b)
{
    nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    j.joint_a = a;
    j.joint_b = b;
    j.ratio = REAL(2);
    return nsc_world_add_joint(&world, &j);
}

static void keep(void) { memcpy(&before, &world, sizeof world); }
static int kept(void) { return nsc_world_hash(&world) == nsc_world_hash(&before); }

/* A chain of hinges with gears, of which one joint and one gear are gone */
static void joints_are_set_beside_gears_and_gaps(void)
{
    nsc_id b[6], j[5], first, second;
    nsc_axis_state state;
    int i;
    begin();
    for (i = 0; i < 6; i++) b[i] = ball_at(NSC_DYNAMIC_BODY, i, 0, 1);
    for (i = 0; i < 5; i++) j[i] = joint(NSC_JOINT_HINGE, i < 3 ? NSC_GROUND : b[i - 1], b[i], i, 0, 1);
    first = gear(j[0], j[1]);
    second = gear(j[2], j[1]);
    CHECK(first > 0 && second > 0);
    CHECK(nsc_body_set_kind(&world, b[1], NSC_STATIC_BODY) == NSC_ERR_ARGUMENT); /* on joint_b of both */
    CHECK(strstr(nsc_world_last_refusal(&world).rule, "gear names") != NULL);
    CHECK(nsc_body_set_kind(&world, b[5], NSC_STATIC_BODY) == NSC_OK);
    CHECK(nsc_joint_set_state(&world, j[1], 0, REAL(0.5), 0) == NSC_OK); /* its gears are set anew */
    CHECK(nsc_joint_set_state(&world, j[2], 0, REAL(0.25), 0) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_joint_get_axis(&world, j[1], 0, &state) == NSC_OK);
    CHECK_NEAR(D(state.position), 0.5, 1e-3); /* no gear pulls it back */
    CHECK(nsc_world_remove_joint(&world, first) == NSC_OK);
    CHECK(nsc_body_set_kind(&world, b[0], NSC_KINEMATIC_BODY) == NSC_OK);
    CHECK(nsc_body_set_kind(&world, b[2], NSC_STATIC_BODY) == NSC_ERR_ARGUMENT);
    CHECK(nsc_joint_set_state(&world, j[0], 0, REAL(0.5), 0) == NSC_ERR_ARGUMENT); /* its b moves by itself */
    CHECK(nsc_joint_set_state(&world, j[3], 0, REAL(0.5), REAL(1)) == NSC_OK);
    CHECK(nsc_world_remove_joint(&world, j[1]) == NSC_OK); /* with its gear */
    CHECK(nsc_joint_set_state(&world, j[2], 0, REAL(0.125), 0) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_body_set_kind(&world, b[1], NSC_STATIC_BODY) == NSC_OK);
}

static void states_beyond_the_numbers_are_refused(void)
{
    nsc_real huge = REAL(0.75) * NSC_REAL_MAX;
    nsc_id slider, rod, ball, b, base;
    nsc_body_def particle = nsc_default_body_def();
    nsc_pose pose;
    begin();
    base = body_at(NSC_KINEMATIC_BODY, 0, 0, 0);
    b = ball_at(NSC_DYNAMIC_BODY, 0, 0, 1);
    slider = joint(NSC_JOINT_SLIDER, base, b, 0, 0, 1);
    rod = joint(NSC_JOINT_DISTANCE, NSC_GROUND, ball_at(NSC_DYNAMIC_BODY, 6, 0, 1), 6, 0, 1);
    ball = joint(NSC_JOINT_BALL, NSC_GROUND, ball_at(NSC_DYNAMIC_BODY, 9, 0, 1), 9, 0, 1);
    keep();
    CHECK(nsc_joint_set_state(&world, rod, 0, REAL(-1), 0) == NSC_ERR_ARGUMENT);
    CHECK(nsc_joint_set_state(&world, ball, 0, REAL(-1), 0) == NSC_ERR_ARGUMENT);
    CHECK(nsc_joint_set_state(&world, slider, 0, REAL(NAN), 0) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_joint_set_state(&world, slider, 0, 0, REAL(NAN)) == NSC_ERR_NOT_FINITE);
    CHECK(kept());
    CHECK(nsc_body_set_velocity(&world, base, vec(0, 0, 0), vec(0, 0, 0)) == NSC_OK);
    pose.position = vec(0, 0, 0);
    pose.position.z = huge;
    pose.orientation.x = pose.orientation.y = pose.orientation.z = 0;
    pose.orientation.w = 1;
    CHECK(nsc_body_set_pose(&world, base, pose) == NSC_OK);
    keep();
    CHECK(nsc_joint_set_state(&world, slider, 0, huge, 0) == NSC_ERR_NOT_FINITE);
    CHECK(kept());
    pose.position = vec(0, 0, 0);
    CHECK(nsc_body_set_pose(&world, base, pose) == NSC_OK);
    pose.position.z = huge;
    CHECK(nsc_body_set_velocity(&world, base, pose.position, vec(0, 0, 0)) == NSC_OK);
    keep();
    CHECK(nsc_joint_set_state(&world, slider, 0, 0, huge) == NSC_ERR_NOT_FINITE);
    CHECK(kept());

    /* a particle at a rod keeps its orientation */
    begin();
    particle.particle = 1;
    particle.mass = REAL(1);
    particle.pose.position = vec(0, 0, 2);
    b = nsc_world_add_body(&world, &particle);
    rod = joint(NSC_JOINT_DISTANCE, NSC_GROUND, b, 0, 0, 2);
    CHECK(rod > 0);
    CHECK(nsc_joint_set_state(&world, rod, 0, REAL(0.5), 0) == NSC_OK);
    CHECK(nsc_body_get_pose(&world, b, &pose) == NSC_OK);
    CHECK(D(pose.orientation.w) >= 1);
}

static void masses_beyond_the_numbers_are_refused(void)
{
    nsc_body_def particle = nsc_default_body_def();
    nsc_id b, p;
    nsc_real mass;
    begin();
    b = ball_at(NSC_DYNAMIC_BODY, 0, 0, 1);
    particle.particle = 1;
    particle.mass = REAL(1);
    p = nsc_world_add_body(&world, &particle);
    keep();
    CHECK(nsc_body_set_mass(&world, b, NSC_REAL_MIN / 8) == NSC_ERR_ARGUMENT); /* 1 / m overflows */
    CHECK(nsc_body_set_mass(&world, b, NSC_REAL_MIN * 2) == NSC_ERR_INERTIA);
    CHECK(nsc_body_set_mass(&world, b, REAL(NAN)) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_set_mass(&world, NSC_GROUND, REAL(1)) < 0);
    CHECK(kept());
    CHECK(nsc_body_set_mass(&world, p, REAL(3)) == NSC_OK);
    CHECK(nsc_body_get_mass(&world, p, &mass, NULL, NULL) == NSC_OK && mass >= 3 && mass <= 3);
}

/* Becoming dynamic may give no mass; then all stays as it was. */
static void a_kind_that_gives_no_mass_is_refused(void)
{
    nsc_shape_def heavy = nsc_default_sphere_def(REAL(100));
    nsc_id b;
    int k;
    begin();
    heavy.density = NSC_REAL_MAX / 1000;
    b = body_at(NSC_KINEMATIC_BODY, 0, 0, 1);
    CHECK(nsc_world_add_shape(&world, b, &heavy) > 0);
    keep();
    CHECK(nsc_body_set_kind(&world, b, NSC_DYNAMIC_BODY) < 0);
    CHECK(kept() && nsc_body_get_kind(&world, b) == NSC_KINEMATIC_BODY);
    /* shapes that are gone do not hinder a fall */
    begin();
    b = body_at(NSC_KINEMATIC_BODY, 0, 0, 1);
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

/* A shape removed, a shape of another category and a body switched off are not seen. */
static void what_is_gone_is_not_sensed(void)
{
    nsc_shape_def s = nsc_default_box_def(REAL(0.5), REAL(0.5), REAL(0.5)), probe = nsc_default_sphere_def(REAL(0.25));
    nsc_id gone, other, off, seen, ids[4];
    nsc_hit hit;
    int k;
    begin();
    gone = nsc_world_add_shape(&world, NSC_GROUND, &s);
    s.category = 2;
    other = nsc_world_add_shape(&world, NSC_GROUND, &s);
    s.category = 1;
    off = body_at(NSC_DYNAMIC_BODY, 0, 0, 0);
    CHECK(nsc_world_add_shape(&world, off, &s) > 0);
    CHECK(gone > 0 && other > 0 && nsc_world_remove_shape(&world, gone) == NSC_OK);
    for (k = 0; k < 2; k++) { /* the last shape has the slot of the first, then not */
        CHECK(nsc_body_set_kind(&world, off, NSC_DISABLED_BODY) == NSC_OK);
        CHECK(nsc_world_cast_ray(&world, vec(-4, 0, 0), vec(8, 0, 0), 1, &hit) == 0);
        CHECK(nsc_world_overlap(&world, &probe, 1, ids, 4) == 0);
        CHECK(nsc_world_closest(&world, vec(-1, 0, 0), REAL(4), 1, &hit) == 0);
        probe.pose.position = vec(-4, 0, 0);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(8, 0, 0), 1, &hit) == 0);
        probe.pose.position = vec(0, 0, 0);
        CHECK(nsc_world_overlap(&world, &probe, 2, ids, 4) == 1 && ids[0] == other);
        CHECK(nsc_body_set_kind(&world, off, NSC_DYNAMIC_BODY) == NSC_OK);
        CHECK(nsc_world_cast_ray(&world, vec(-4, 0, 0), vec(8, 0, 0), 1, &hit) == 1 && hit.body == off);
        CHECK(nsc_world_closest(&world, vec(-1, 0, 0), REAL(4), 1, &hit) == 1 && hit.body == off);
        probe.pose.position = vec(-4, 0, 0);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(8, 0, 0), ALL, &hit) == 1);
        probe.pose.position = vec(0, 0, 0);
        seen = nsc_world_add_shape(&world, NSC_GROUND, &s);
        CHECK(seen > 0 && nsc_world_remove_shape(&world, seen) == NSC_OK);
    }
    /* two in the way: the nearer one counts, in both orders of their slots */
    begin();
    for (k = 0; k < 3; k++) {
        s.pose.position = vec(k == 0 ? 0 : 2 * k - 4, 0, 0);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &s) > 0);
    }
    probe.pose.position = vec(-6, 0, 0);
    CHECK(nsc_world_cast_shape(&world, &probe, vec(12, 0, 0), ALL, &hit) == 1);
    CHECK_NEAR(D(hit.point.x), -2.5, 1e-5);
    probe.pose.position = vec(6, 0, 0);
    CHECK(nsc_world_cast_shape(&world, &probe, vec(-12, 0, 0), ALL, &hit) == 1);
    CHECK_NEAR(D(hit.point.x), 0.5, 1e-5);
}

/* A cast that begins deep within terrain or a mesh ends at once, and one that ends short of it meets nothing. */
static void casts_begin_inside_terrain(void)
{
    static const nsc_real heights[9] = {0, 0, 0};
    static const nsc_mesh *const meshes[] = {&ramp};
    nsc_shape_def field = nsc_default_height_field_def(), mesh = nsc_default_mesh_def();
    nsc_shape_def probe = nsc_default_box_def(REAL(0.125), REAL(0.125), REAL(0.125));
    nsc_hit hit;
    int k;
    for (k = 0; k < 2; k++) {
        begin();
        if (k == 0) CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &field, heights, 3, 3, REAL(2), REAL(2)) > 0);
        if (k == 1) {
            CHECK(nsc_world_set_meshes(&world, meshes, 1) == NSC_OK);
            CHECK(nsc_world_add_mesh(&world, NSC_GROUND, &mesh, 0) > 0);
        }
        probe.pose.position = vec(0.01, 0.02, -0.03);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(1, 0, 0), ALL, &hit) == 1);
        CHECK(D(hit.distance) <= 0 && D(hit.normal.z) > 0.99);
        probe.pose.position = vec(0.01, 0.02, 0.5);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(0, 0, -0.25), ALL, &hit) == 0);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(0, 0, -0.5), ALL, &hit) == 1);
        CHECK_NEAR(D(hit.distance), 0.375, 1e-5);
    }
}

/* A second mesh that is wrong refuses both. */
static void one_wrong_mesh_of_two(void)
{
    nsc_mesh none = ramp;
    const nsc_mesh *two[2];
    none.triangles = 0;
    two[0] = &none;
    two[1] = &ramp;
    begin();
    CHECK(nsc_world_set_meshes(&world, two, 2) < 0);
    two[0] = &ramp;
    two[1] = &none;
    CHECK(nsc_world_set_meshes(&world, two, 2) < 0);
    CHECK(nsc_world_add_mesh(&world, NSC_GROUND, (const nsc_shape_def *)0, 0) < 0);
}

/* Which island a body is in: none for the ground, for what is not dynamic, and before the first step */
static void islands_of_what_is_not_dynamic(void)
{
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_id moving, falling;
    begin();
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
    moving = ball_at(NSC_KINEMATIC_BODY, 3, 0, 1);
    falling = ball_at(NSC_DYNAMIC_BODY, 0, 0, 1);
    CHECK(nsc_body_get_island(&world, falling) == -1);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_body_get_island(&world, falling) == 0);
    CHECK(nsc_body_get_island(&world, moving) == -1);
    CHECK(nsc_body_get_island(&world, NSC_GROUND) == -1);
    CHECK(nsc_body_get_island(&world, ball_at(NSC_DYNAMIC_BODY, 9, 0, 1)) == -1);
    CHECK(nsc_body_set_kind(&world, falling, NSC_STATIC_BODY) == NSC_OK);
    CHECK(nsc_body_get_island(&world, falling) == -1);
}

/* Bodies fall asleep with every stepper, with sub-steps, smoothly, and beside kinematic bodies at rest. */
static void all_sleep_under_every_stepper(void)
{
    int stepper, n;
    for (stepper = 1; stepper <= 7; stepper++)
        for (n = 0; n < 3; n++) {
            nsc_world_def def = nsc_default_world_def();
            nsc_shape_def plane = nsc_default_half_space_def();
            nsc_id b;
            int i;
            def.stepper = stepper;
            def.sleep_time = REAL(0.25);
            def.substeps = n == 1 ? 2 : 1;
            def.contact_model = n == 2 || stepper == NSC_STEPPER_EULER_FORWARD || stepper >= NSC_STEPPER_HHT
                ? NSC_CONTACT_SMOOTH : NSC_CONTACT_HARD;
            CHECK(nsc_world_init(&world, &def) == NSC_OK);
            plane.restitution = REAL(0.1);
            CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
            b = ball_at(NSC_DYNAMIC_BODY, 0, 0, 0.25);
            ball_at(NSC_KINEMATIC_BODY, 5, 0, 1);
            for (i = 0; i < 3000; i++) CHECK(nsc_world_step(&world, REAL(1 / 1000.)) >= 0);
            CHECK(nsc_body_is_asleep(&world, b) == 1);
        }
}

/* A flat or inverted hull has no volume. */
static void hulls_without_volume_are_refused(void)
{
    static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    nsc_shape_def s = nsc_default_hull_def();
    int flat, i, k;
    for (flat = 0; flat < 4; flat++) {
        nsc_hull h;
        memset(&h, 0, sizeof h);
        h.vertices = 8;
        h.faces = 6;
        for (i = 0; i < 8; i++) {
            double x = i % 4 == 1 || i % 4 == 2 ? 1 : -1, y = i % 4 > 1 ? 1 : -1, z = i > 3 ? 1 : -1;
            if (flat == 1) z = 0;
            if (flat == 2) z = -z; /* inside out */
            h.vertex[i] = vec(x, y, z);
            if (flat == 3) h.vertex[i] = vec(1e-14 * x, 1e-14 * y, 1e-14 * z);
        }
        for (i = 0; i < 6; i++) {
            h.first[i] = (uint8_t)(4 * i);
            for (k = 0; k < 4; k++) h.corner[4 * i + k] = (uint8_t)faces[i][k];
        }
        h.first[6] = 24;
        begin();
        i = nsc_world_add_hull_data(&world, body_at(NSC_DYNAMIC_BODY, 0, 0, 1), &s, &h);
        CHECK(flat ? i < 0 : i > 0);
    }
}

/* Energy of motion, of height, and of the servo's spring */
static double energy_beside(nsc_id servo)
{
    double sum = 0;
    int i, k;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        nsc_real inertia[6], spin[3];
        nsc_quat back = b->orientation;
        nsc_pose frame = nsc_default_body_def().pose;
        nsc_vec3 turn;
        back.w = -back.w;
        frame.orientation = back;
        turn = nsc_pose_vector(frame, b->angular_velocity);
        spin[0] = turn.x, spin[1] = turn.y, spin[2] = turn.z;
        CHECK(nsc_body_get_mass(&world, nsc_world_body_at(&world, i), NULL, NULL, inertia) == NSC_OK);
        for (k = 0; k < 3; k++) sum += 0.5 * D(inertia[k]) * D(spin[k]) * D(spin[k]);
        sum += D(b->mass) * (0.5 * dot(b->velocity, b->velocity) + 9.81 * D(b->position.z));
    }
    if (servo > 0) {
        nsc_axis_state s;
        CHECK(nsc_joint_get_axis(&world, servo, 0, &s) == NSC_OK);
        sum += 0.5 * 20 * D(s.position) * D(s.position);
    }
    return sum;
}

/* A motor of limited force beside a bounce: its work counts as the impact's, or not, but energy grows by the motor's work alone. */
static void a_bounce_beside_motors_gains_nothing(void)
{
    int k;
    for (k = 0; k < 8; k++) {
        nsc_shape_def plane = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(0.5), REAL(0.125), REAL(0.125));
        nsc_id a, b, hinge;
        nsc_joint_def j;
        double first, work = 0, gain = 0;
        int i;
        begin();
        plane.restitution = REAL(0.9);
        plane.friction = REAL(0.8);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
        a = body_at(NSC_DYNAMIC_BODY, 0, 0, 1);
        b = body_at(NSC_DYNAMIC_BODY, 1, 0, 1.2);
        CHECK(nsc_world_add_shape(&world, a, &box) > 0 && nsc_world_add_shape(&world, b, &box) > 0);
        j = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
        CHECK(nsc_joint_place(&world, &j, vec(0.5, 0, 1.1), vec(0, 1, 0), vec(0, 0, 1)) == NSC_OK);
        j.axis[0].drive = k % 2 ? NSC_DRIVE_MOTOR : NSC_DRIVE_SERVO;
        j.axis[0].target_velocity = REAL(k & 2 ? 2 : 0);
        j.axis[0].stiffness = REAL(20);
        j.axis[0].max_force = k & 4 ? REAL(2) : NSC_REAL_MAX;
        j.axis[0].friction = REAL(0.1);
        hinge = nsc_world_add_joint(&world, &j);
        CHECK(hinge > 0);
        first = energy_beside(k % 2 ? 0 : hinge);
        for (i = 0; i < 480; i++) {
            nsc_axis_state was, is;
            double more;
            CHECK(nsc_joint_get_axis(&world, hinge, 0, &was) == NSC_OK);
            CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
            CHECK(nsc_joint_get_axis(&world, hinge, 0, &is) == NSC_OK);
            if (k % 2) work += D(is.drive) * (D(was.velocity) + D(is.velocity)) / 480;
            more = energy_beside(k % 2 ? 0 : hinge) - first - work;
            if (more > gain) gain = more;
        }
        CHECK(gain < 1e-3 * first);
    }
}

/* Each word of a body's extras is part of the hash, alone too. */
static void each_extra_counts_in_the_hash(void)
{
    nsc_id b;
    nsc_body_extras e;
    uint32_t plain;
    int k;
    begin();
    b = ball_at(NSC_DYNAMIC_BODY, 0, 0, 1);
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

/* Soft stops, a bound on speed and limits of twist, together and alone, under steppers that iterate and that do not */
static void limits_of_axes_in_every_mixture(void)
{
    static const int steppers[] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_IMPLICIT, NSC_STEPPER_EULER_IMPLICIT_PROJECTED,
                                   NSC_STEPPER_EULER_SYMPLECTIC};
    int s, k;
    for (s = 0; s < 4; s++)
        for (k = 0; k < 8; k++) {
            nsc_world_def def = nsc_default_world_def();
            nsc_joint_def j;
            nsc_axis_state state;
            nsc_id b, ball;
            int i;
            def.stepper = steppers[s];
            CHECK(nsc_world_init(&world, &def) == NSC_OK);
            b = ball_at(NSC_DYNAMIC_BODY, 0.5, 0, 1);
            j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, b);
            CHECK(nsc_joint_place(&world, &j, vec(0, 0, 1), vec(0, 1, 0), vec(0, 0, 0)) == NSC_OK);
            j.axis[0].limited = k & 1;
            j.axis[0].lower = REAL(-0.25);
            j.axis[0].upper = REAL(0.25);
            j.axis[0].limit_stiffness = k & 2 ? 300 : 0;
            j.axis[0].max_speed = k & 4 ? REAL(1) : 0;
            b = nsc_world_add_joint(&world, &j);
            CHECK(b > 0);
            ball = ball_at(NSC_DYNAMIC_BODY, 5, 0, 1);
            CHECK(nsc_body_set_velocity(&world, ball, vec(0, 0, 0), vec(1, 2, 3)) == NSC_OK);
            j = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, ball);
            CHECK(nsc_joint_place(&world, &j, vec(5, 0, 1.5), vec(0, 0, 1), vec(0, 0, 0)) == NSC_OK);
            j.axis[0].limited = j.axis[1].limited = 1;
            j.axis[0].upper = REAL(0.5);
            j.axis[1].lower = REAL(-0.5);
            j.axis[1].upper = REAL(0.5);
            CHECK(nsc_world_add_joint(&world, &j) > 0);
            for (i = 0; i < 240; i++) {
                CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
                CHECK(nsc_joint_get_axis(&world, b, 0, &state) == NSC_OK);
                if (k == 4 || k == 5 || k == 6) CHECK(fabs(D(state.velocity)) < 1.1); /* 7: within a soft stop none acts */
                if ((k & 3) == 1) CHECK(fabs(D(state.position)) < 0.26);
            }
        }
}

/* A world in which all sleep steps on where a contact of the caller's own wakes it; planes may turn. */
static void a_contact_of_your_own_wakes_a_sleeping_world(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_contact c = nsc_default_contact();
    nsc_id b, tilting;
    int i;
    def.sleep_time = REAL(0.1);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
    b = ball_at(NSC_DYNAMIC_BODY, 0, 0, 0.25);
    for (i = 0; i < 480; i++) CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_body_is_asleep(&world, b) == 1);
    c.body_b = b;
    c.point = vec(-0.25, 0, 0.25);
    c.normal = vec(1, 0, 0);
    c.gap = REAL(-0.01);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_world_contact_count(&world) == 2);
    tilting = body_at(NSC_KINEMATIC_BODY, 0, 0, -1);
    CHECK(nsc_world_add_shape(&world, tilting, &plane) > 0);
    CHECK(nsc_body_set_velocity(&world, tilting, vec(0, 0, 0), vec(0, 10, 0)) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
}

/* A second terrain finds no room and leaves the first as it is. */
static void terrain_beyond_capacity(void)
{
    static const nsc_real heights[9] = {0, 0, 0};
    nsc_shape_def field = nsc_default_height_field_def();
    nsc_id first;
    begin();
    first = nsc_world_add_height_field(&world, NSC_GROUND, &field, heights, 3, 3, REAL(2), REAL(2));
    CHECK(first > 0);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &field, heights, 3, 3, REAL(2), REAL(2)) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_remove_shape(&world, first) == NSC_OK);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &field, heights, 3, 3, REAL(2), REAL(2)) > 0);
}

int main(void)
{
    each_extra_counts_in_the_hash();
    limits_of_axes_in_every_mixture();
    a_contact_of_your_own_wakes_a_sleeping_world();
    terrain_beyond_capacity();
    joints_are_set_beside_gears_and_gaps();
    states_beyond_the_numbers_are_refused();
    masses_beyond_the_numbers_are_refused();
    a_kind_that_gives_no_mass_is_refused();
    what_is_gone_is_not_sensed();
    casts_begin_inside_terrain();
    one_wrong_mesh_of_two();
    islands_of_what_is_not_dynamic();
    all_sleep_under_every_stepper();
    hulls_without_volume_are_refused();
    a_bounce_beside_motors_gains_nothing();
    return TEST_END("edges");
}
