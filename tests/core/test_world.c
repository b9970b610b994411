/* Mechanics: what bodies must do, in closed form (g = 9.81). */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include <math.h>
#include "world.h"
#include "by.h"

#define H (NSC_R(1.0) / NSC_R(240.0))
static const int is_float = sizeof(nsc_real) == 4;
static const double PI = 3.14159265358979323846;
static nsc_world_def def;

/* An empty world with ground of friction mu and restitution e */
static void begin(double mu, double e)
{
    nsc_shape_def ground = nsc_default_half_space_def();
    ground.friction = (nsc_real)mu, ground.restitution = (nsc_real)e;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    if (mu >= 0) CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
}

static nsc_id add(nsc_shape_def shape, double x, double y, double z, double mu, double mass)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position = vec(x, y, z);
    shape.friction = (nsc_real)mu;
    shape.density = (nsc_real)(mass / volume(&shape));
    id = nsc_world_add_body(&world, &body);
    CHECK(id > 0 && nsc_world_add_shape(&world, id, &shape) >= 0);
    return id;
}

static nsc_id add_box(double x, double y, double z, double mu, double mass)
{
    return add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5)), x, y, z, mu, mass);
}

static void run(double seconds, nsc_real h)
{
    int i, n = (int)(seconds / (double)h + 0.5), worst = 0;
    for (i = 0; i < n; i++) {
        int code = step_by(&world, h);
        if (code < worst) worst = code;
    }
    CHECK(worst == NSC_OK);
}

static void a_box_holds_at_26_5_degrees_and_slips_at_26_6(void) /* B1 */
{
    int k;
    for (k = 0; k < 16; k++) {
        double azimuth = 2 * PI * k / 16 + 0.1, hold = 26.5 * PI / 180, slip = 26.6 * PI / 180;
        nsc_vec3 before, after;
        nsc_id box;
        def = default_def();
        def.gravity = vec(9.81 * sin(hold) * cos(azimuth), 9.81 * sin(hold) * sin(azimuth), -9.81 * cos(hold));
        begin(0.5, 0);
        box = add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.25)), 0, 0, 0.25, 0.5, 1);
        run(0.1, H);
        before = position(box);
        run(10, H);
        after = position(box);
        CHECK(hypot((double)(after.x - before.x), (double)(after.y - before.y)) < 1e-6);
        def.gravity = vec(9.81 * sin(slip) * cos(azimuth), 9.81 * sin(slip) * sin(azimuth), -9.81 * cos(slip));
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        run(10, H);
        CHECK_NEAR(hypot((double)(position(box).x - after.x), (double)(position(box).y - after.y)),
                   50 * 9.81 * (sin(slip) - 0.5 * cos(slip)), 0.01);
    }
}

static void sliding_stops_after_v_squared_over_2_mu_g(void) /* B2 */
{
    int k;
    for (k = 0; k < 3; k++) {
        double heading = k * PI / 8, exact = 0, v = 2, step = 0.3 * 9.81 * (double)H, s;
        nsc_vec3 x;
        nsc_id box;
        def = default_def();
        begin(0.3, 0);
        box = add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.1)), 0, 0, 0.1, 0.3, 1);
        CHECK(nsc_body_set_velocity(&world, box, vec(2 * cos(heading), 2 * sin(heading), 0), vec(0, 0, 0)) == NSC_OK);
        while ((v -= step) > 0) exact += v * (double)H;
        run(1, H);
        x = position(box);
        s = hypot((double)x.x, (double)x.y);
        CHECK_NEAR(s, exact, 2e-4);
        CHECK_NEAR(s, 0.6796, 0.005); /* v^2 / 2 mu g; the step takes h v / 2 off */
        CHECK_NEAR(atan2((double)x.y, (double)x.x), heading, 0.1 * PI / 180);
        CHECK_NEAR(x.z, 0.1, 1e-4);
    }
}

static void the_convex_law_hops_by_its_formula(void) /* METHODS 2.3: hop speed mu v0 / (1 + mu^2) */
{
    int solver;
    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_APGD; solver++) {
        nsc_id box;
        def = default_def();
        def.solver.law = NSC_LAW_CONE, stepped_by = solver, def.solver.max_iterations = 3000, def.gravity.z = 0;
        begin(0.5, 0);
        box = add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.01)), 0, 0, 0.01, 0.5, 1);
        CHECK(nsc_body_set_velocity(&world, box, vec(6, 0, -3), vec(0, 0, 0)) == NSC_OK);
        run(0.004, NSC_R(0.004));
        /* one sliding contact patch: u_n = mu u_t on the cone's edge */
        CHECK(velocity(box).z > NSC_R(1.0));
    }
}

static void a_sliding_sphere_comes_to_roll(void) /* B3 */
{
    nsc_id ball;
    nsc_vec3 w = vec(0, 0, 0);
    double t;
    def = default_def();
    begin(0.2, 0);
    ball = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 0.1, 0.2, 1);
    CHECK(nsc_body_set_velocity(&world, ball, vec(5, 0, 0), vec(0, 0, 0)) == NSC_OK);
    for (t = 0; t < 2; t += 0.001) {
        run(0.001, NSC_R(0.001));
        nsc_body_get_velocity(&world, ball, NULL, &w);
        if ((double)velocity(ball).x - 0.1 * (double)w.y < 1e-3) break;
    }
    CHECK_NEAR(t, 0.7282, 0.003);
    CHECK_NEAR(velocity(ball).x, 25.0 / 7.0, 0.005);
    CHECK_NEAR(position(ball).x, 3.120, 0.01);
    CHECK(nsc_body_set_velocity(&world, ball, vec(0, 0, 0), vec(0, 10, 0)) == NSC_OK);
    run(1, NSC_R(0.001));
    CHECK_NEAR(velocity(ball).x, 2 * 0.1 * 10 / 7, 1e-3);
    def.gravity = vec(9.81 * sin(0.3), 0, -9.81 * cos(0.3));
    begin(0.5, 0);
    ball = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 0.1, 0.5, 1);
    run(1, NSC_R(0.001));
    CHECK_NEAR(velocity(ball).x, 5.0 / 7.0 * 9.81 * sin(0.3), 0.005);
}

/* Energy per mass of a ball after 100 elastic bounces from 1 m, relative change */
static double bounce_drift(nsc_real h)
{
    nsc_id ball;
    int bounces = 0, i;
    nsc_vec3 v;
    def = default_def();
    begin(0, 1);
    ball = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 1.1, 0, 1);
    for (i = 0; i < 10000000 && bounces < 100; i++) {
        double before = (double)velocity(ball).z;
        CHECK(step_by(&world, h) >= 0);
        bounces += before < 0 && (double)velocity(ball).z > 0;
    }
    CHECK(bounces == 100);
    v = velocity(ball);
    return fabs((9.81 * (double)(position(ball).z - NSC_R(0.1)) + 0.5 * length(v) * length(v)) / 9.81 - 1);
}

static void bounces_reach_e_squared_of_the_height(void) /* B4 */
{
    double top[3] = {0, 0, 0}, z, high = 0, coarse, fine;
    int phase = 0, i;
    nsc_id ball, box;
    def = default_def();
    def.bounce_speed = NSC_R(0.05);
    begin(0, 0.5);
    ball = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 1.1, 0, 1);
    for (i = 0; i < 3000; i++) {
        run(0.0005, NSC_R(0.0005));
        if (velocity(ball).z > 0 && phase < 3) {
            z = (double)position(ball).z - 0.1;
            if (z > top[phase]) top[phase] = z;
        } else if (phase < 3 && top[phase] > 0 && velocity(ball).z < NSC_R(-0.1)) phase++;
    }
    CHECK_NEAR(top[0], 0.25, 0.0025);
    CHECK_NEAR(top[1], 0.0625, 0.002);
    CHECK(length(velocity(ball)) < 1e-3); /* rests after 1.3545 s */
    coarse = bounce_drift(NSC_R(0.004)), fine = bounce_drift(NSC_R(0.002));
    printf("world: 100 elastic bounces, energy error %.2e at h = 4 ms, %.2e at 2 ms\n", coarse, fine);
    CHECK(fine <= 0.51 * coarse);
    begin(0, 0);
    ball = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 1.1, 0, 1);
    for (i = 0; i < 480; i++) {
        run((double)H, H);
        if (i > 120 && (double)position(ball).z - 0.1 > high) high = (double)position(ball).z - 0.1;
    }
    CHECK(high < 1e-3);
    begin(0.3, 1); /* a tilted elastic box never gets above its first height */
    box = add_box(0, 0, 2, 0.3, 1);
    CHECK(nsc_body_set_velocity(&world, box, vec(0, 0, 0), vec(1, 2, 0.5)) == NSC_OK);
    for (i = 0, high = 0; i < 2400; i++) {
        run((double)H, H);
        if ((double)position(box).z > high) high = (double)position(box).z;
    }
    CHECK(high < 2.06); /* start height plus the turning energy: (1 + 4 + .25)/6/2/9.81 = 0.045 m */
}

static void dzhanibekovs_body_turns_over_in_time(void) /* B5 */
{
    static const double expected[3] = {10.377305, 31.131915, 51.886524};
    double t = 0, last = 1, found[3] = {0, 0, 0}, tolerance = is_float ? 0.4 : 1e-4;
    nsc_body_def b = nsc_default_body_def();
    nsc_vec3 w = vec(0, 0, 0);
    int n = 0;
    def = default_def();
    def.gravity.z = 0;
    begin(-1, 0);
    b.mass = 1, b.inertia[0] = 1, b.inertia[1] = 2, b.inertia[2] = 3;
    b.angular_velocity = vec(0.01, 1, 0);
    CHECK(nsc_world_add_body(&world, &b) > 0);
    for (; t < 53; t += (double)H) {
        step_by(&world, H);
        w = rotate_back(world.bodies[1].orientation, world.bodies[1].angular_velocity);
        if ((double)w.y * last < 0 && n < 3) found[n++] = t + (double)H - (double)H * (double)w.y / ((double)w.y - last);
        last = (double)w.y;
    }
    printf("world: Dzhanibekov crossings %.6f %.6f %.6f s\n", found[0], found[1], found[2]);
    CHECK_NEAR(found[0], expected[0], is_float ? 1e-3 : 1e-4);
    CHECK_NEAR(found[1], expected[1], tolerance);
    CHECK_NEAR(found[2], expected[2], tolerance);
    CHECK_NEAR(0.5 * (double)(w.x * w.x + 2 * w.y * w.y + 3 * w.z * w.z), 1.00005, is_float ? 1e-4 : 1e-9);
    CHECK_NEAR(sqrt((double)(w.x * w.x + 4 * w.y * w.y + 9 * w.z * w.z)), 2.000025, is_float ? 1e-4 : 1e-9);
}

static void a_box_at_rest_does_not_creep(void) /* B7 */
{
    nsc_id box;
    nsc_vec3 before;
    int i;
    def = default_def();
    begin(0.5, 0);
    box = add(nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.1)), 0, 0, 0.1, 0.5, 1);
    run(0.1, H);
    before = position(box);
    for (i = 0; i < 1200; i++) {
        CHECK(nsc_body_add_force(&world, box, vec(4.9, 0, 0), vec(0, 0, 0)) == NSC_OK);
        step_by(&world, H);
    }
    CHECK(fabs((double)(position(box).x - before.x)) < 1e-6);
    for (i = 0; i < 1200; i++) {
        nsc_body_add_force(&world, box, vec(5.0, 0, 0), vec(0, 0, 0));
        step_by(&world, H);
    }
    CHECK_NEAR(position(box).x - before.x, 0.5 * 0.095 * 25, 0.02);
}

static void a_pinched_capsule_is_held(void) /* B7: a 45 g capsule pressed to a wall with 1 N by a pad, mu .8 */
{
    nsc_shape_def wall = nsc_default_box_def(NSC_R(0.01), NSC_R(0.05), NSC_R(0.05));
    nsc_body_def pad = nsc_default_body_def();
    nsc_id capsule, id;
    double before = 0;
    int i;
    def = default_def();
    begin(-1, 0);
    wall.friction = NSC_R(0.8), wall.pose.position.x = NSC_R(-0.03);
    nsc_world_add_shape(&world, NSC_GROUND, &wall);
    wall.pose.position.x = 0;
    pad.pose.position = vec(0.03, 0, 0), pad.gravity_scale = 0, pad.mass = NSC_R(0.1);
    pad.inertia[0] = pad.inertia[1] = pad.inertia[2] = 1;
    id = nsc_world_add_body(&world, &pad);
    nsc_world_add_shape(&world, id, &wall);
    capsule = add(nsc_default_capsule_def(NSC_R(0.02), NSC_R(0.03)), 0, 0, 0, 0.8, 0.045);
    for (i = 0; i < 1440; i++) {
        nsc_body_add_force(&world, id, vec(-1, 0, 0), vec(0, 0, 0));
        step_by(&world, H);
        if (i == 239) before = (double)position(capsule).z;
    }
    CHECK_NEAR(position(capsule).z, before, 5e-6); /* 1 um/s over 5 s */
}

static void a_stack_stands(int solver, int law, int iterations, int levels, double top) /* E2 */
{
    nsc_id id[10];
    int i, k;
    def = default_def();
    stepped_by = solver, def.solver.law = law, def.solver.max_iterations = iterations;
    begin(0.5, 0);
    for (i = 0; i < levels; i++) id[i] = add_box(0, 0, 0.5 + i, 0.5, i == levels - 1 ? top : 1);
    run(10, H);
    for (i = 0; i < levels; i++) {
        double force = 0, weight = 9.81 * (levels - 1 - i + top);
        for (k = 0; k < nsc_world_contact_count(&world); k++) {
            const nsc_contact *c = nsc_world_contact(&world, k);
            if (c->body_b == id[i] && c->body_a == (i ? id[i - 1] : NSC_GROUND)) force += (double)c->impulse.z;
        }
        CHECK_NEAR(force / (double)H, weight, 0.01 * weight);
        CHECK_NEAR(position(id[i]).z, 0.5 + i, 0.0005 * (i + 1));
    }
    CHECK(length(velocity(id[levels - 1])) < 1e-3);
}

static void a_copy_goes_on_with_the_same_bits(void)
{
    static nsc_world copy, end;
    int i;
    def = default_def();
    begin(0.5, 0.3);
    for (i = 0; i < 6; i++) add_box(0.1 * i, 0.03 * i, 0.7 + 1.2 * i, 0.5, 1);
    run(0.5, H);
    copy = world;
    run(100 * (double)H, H);
    end = world;
    world = copy;
    run(100 * (double)H, H);
    CHECK(memcmp(&world, &end, NSC_WORLD_STATE_SIZE) == 0);
    memset(&world, 0xA5, sizeof world);
    memcpy(&world, &copy, NSC_WORLD_STATE_SIZE);
    world.found_count = 0;
    run(100 * (double)H, H);
    CHECK(memcmp(&world, &end, NSC_WORLD_STATE_SIZE) == 0);
}

static void default_calls_make_the_plain_step(void)
{
    static nsc_world copy;
    nsc_calls calls, noise;
    int i;
    memset(&noise, 0x55, sizeof noise);
    memcpy(&calls, &noise, sizeof calls); /* where they are put was used before */
    calls = nsc_default_calls();
    begin(.5, .3);
    nsc_body_set_velocity(&world, add_box(0, 0, .7, .5, 1), vec(1, 0, -2), vec(1, 2, 3));
    memcpy(&copy, &world, sizeof world);
    for (i = 0; i < 60; i++) CHECK(nsc_world_step_with(&world, H, &calls) == NSC_OK && nsc_world_step(&copy, H) == NSC_OK);
    CHECK(memcmp(&world, &copy, NSC_WORLD_STATE_SIZE) == 0);
}

static void a_scaled_scene_gives_the_same_picture(void) /* lengths times s, gravity too: the same times, the same picture */
{
    double s, z[3];
    int k = 0;
    for (s = 1e-3; s < 2e3; s *= 1e3, k++) {
        nsc_id box = 0;
        int i;
        def = default_def();
        def.gravity.z *= (nsc_real)s;
        def.margin *= (nsc_real)s, def.slop *= (nsc_real)s, def.match_distance *= (nsc_real)s;
        def.recovery_speed *= (nsc_real)s, def.bounce_speed *= (nsc_real)s, def.solver.tolerance *= (nsc_real)s;
        begin(0.5, 0);
        for (i = 0; i < 3; i++)
            box = add(nsc_default_box_def((nsc_real)(0.5 * s), (nsc_real)(0.5 * s), (nsc_real)(0.5 * s)), 0.1 * i * s, 0, (0.6 + 1.1 * i) * s, 0.5, s * s * s);
        run(4, H);
        z[k] = (double)position(box).z / s;
        CHECK_NEAR(z[k], 2.5, 0.002);
    }
}

static void soft_contact_sinks_by_the_weight(void)
{
    nsc_shape_def soft = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_id box;
    def = default_def();
    begin(0.5, 0);
    soft.stiffness = 500, soft.damping = 20; /* at each of four corners */
    box = add(soft, 0, 0, 0.5, 0.5, 10);
    run(10, H);
    CHECK_NEAR(position(box).z, 0.5 - 10 * 9.81 / (4 * 500), 1e-4);
}

/* A rod that spins about z, 1 m long in all, its first direction `start` [rad] from x */
static nsc_id spinning_rod(int kind, double start, double omega, double height)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def rod = kind == 0 ? nsc_default_box_def(REAL(.5), REAL(.01), REAL(.01))
                      : kind == 1 ? nsc_default_capsule_def(REAL(.01), REAL(.49)) : nsc_default_box_def(REAL(.01), REAL(.01), REAL(.5));
    nsc_id id;
#if NSC_CONVEX
    if (kind == 2) rod = nsc_default_cylinder_def(REAL(.01), REAL(.5));
#endif
    if (kind > 0) rod.pose.orientation.w = rod.pose.orientation.y = REAL(sqrt(.5));
    body.pose.position = vec(0, height, 0);
    body.pose.orientation.w = REAL(cos(start / 2)), body.pose.orientation.z = REAL(sin(start / 2));
    body.angular_velocity.z = REAL(omega);
    id = nsc_world_add_body(&world, &body);
    CHECK(id > 0 && nsc_world_add_shape(&world, id, &rod) >= 0);
    return id;
}

static double spin_of(nsc_id id)
{
    nsc_vec3 v, o;
    CHECK(nsc_body_get_velocity(&world, id, &v, &o) == NSC_OK);
    return D(o.z);
}

/* Rods that turn up to 0.42 rad a step, their tips 0.2 m, meet a plate of 2 mm and are thrown back; where they only pass by,
   nothing happens. */
static void what_spins_fast_does_not_tunnel(void)
{
    static const double rates[4] = {30, 60, 80, 100}, slow[3] = {5, 20, 100};
    nsc_shape_def plate = nsc_default_box_def(REAL(.2), REAL(.001), REAL(.2)), plane = nsc_default_half_space_def();
    int kind, k, i, code, n = trials(20, 200);
    nsc_id rod;
    def = default_def();
    def.gravity = vec(0, 0, 0);
    plate.pose.position = vec(.5, 0, 0);
    plane.pose.orientation = (nsc_quat){REAL(sqrt(.5)), REAL(-sqrt(.5)), 0, 0}; /* its normal is y */
    for (kind = 0; kind < 3; kind++) {
        for (k = 0; k < 4 * n; k++) {
            double start = -1.2 - .6 * k / (4 * n), omega = rates[k % 4];
            begin(-1, 0);
            CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plate) >= 0);
            rod = spinning_rod(kind, start, omega, 0);
            for (i = 0, code = NSC_OK; omega * D(H) * i < 1 - start && code >= 0; i++) code = step_by(&world, H);
            CHECK(code >= 0 && spin_of(rod) < .99 * omega && D(velocity(rod).y) < -.1 * omega * .5); /* thrown back */
        }
        for (k = 0; k < 3; k++) { /* 9 mm above the plane */
            begin(-1, 0);
            CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
            rod = spinning_rod(kind, .2, slow[k], .51);
            run(1, H);
            CHECK_NEAR(spin_of(rod), slow[k], 2e-5 * slow[k]);
            CHECK_NEAR(position(rod).y, .51, 1e-5);
        }
    }
}

static void own_contacts_compounds_bullets_and_belts(void)
{
    nsc_contact c = nsc_default_contact();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def half = nsc_default_box_def(NSC_R(0.25), NSC_R(0.5), NSC_R(0.5)), wall = nsc_default_box_def(NSC_R(0.005), 1, 1);
    nsc_real mass, I[6];
    nsc_vec3 centre, force;
    nsc_id id, belt;
    int i;
    def = default_def();
    begin(-1, 0); /* contacts of our own, nothing else */
    id = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 0.1, 0.5, 1);
    c.body_b = id;
    for (i = 0; i < 240; i++) {
        c.gap = position(id).z - NSC_R(0.1);
        c.point = vec(0, 0, 0);
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        step_by(&world, H);
    }
    CHECK_NEAR(position(id).z, 0.1, 1e-6);
    CHECK(nsc_body_get_contact_force(&world, id, &force, NULL) == NSC_OK);
    CHECK_NEAR(force.z, 9.81, 1e-3);
    CHECK(nsc_world_report(&world)->matched == 1);

    begin(-1, 0); /* two half boxes are one box */
    id = nsc_world_add_body(&world, &body);
    half.density = 100, half.pose.position.x = NSC_R(0.75);
    nsc_world_add_shape(&world, id, &half);
    half.pose.position.x = NSC_R(1.25);
    nsc_world_add_shape(&world, id, &half);
    CHECK(nsc_body_get_mass(&world, id, &mass, &centre, I) == NSC_OK);
    CHECK_NEAR(mass, 100, 1e-4);
    CHECK_NEAR(centre.x, 1, 1e-6);
    for (i = 0; i < 3; i++) CHECK_NEAR(I[i], 100.0 / 6, 1e-4);
    for (i = 3; i < 6; i++) CHECK_NEAR(I[i], 0, 1e-4);
    CHECK_NEAR(position(id).x, 0, 1e-6);

    begin(-1, 0); /* a bullet does not pass a thin wall */
    nsc_world_add_shape(&world, NSC_GROUND, &wall);
    id = add(nsc_default_sphere_def(NSC_R(0.01)), -1, 0, 0, 0.5, 0.01);
    nsc_body_set_velocity(&world, id, vec(100, 0, 0), vec(0, 0, 0));
    run(0.1, H);
    CHECK(position(id).x < 0);

    begin(-1, 0); /* a conveyor takes a box to its speed */
    body.kind = NSC_KINEMATIC_BODY, body.velocity = vec(1, 0, 0), body.pose.position = vec(0, 0, -0.5);
    belt = nsc_world_add_body(&world, &body);
    half.half = vec(5, 5, 0.5), half.pose.position = vec(0, 0, 0);
    CHECK(nsc_world_add_shape(&world, belt, &half) >= 0);
    id = add_box(0, 0, 0.5, 0.5, 1);
    run(2, H);
    CHECK_NEAR(velocity(id).x, 1, 1e-4);
    CHECK_NEAR(position(belt).x, 2, 1e-4);

    def.gravity.z = 0; /* momentum */
    begin(-1, 0);
    id = add_box(0, 0, 0, 0.5, 1);
    belt = add_box(1.5, 0.3, 0.2, 0.5, 3);
    nsc_body_set_velocity(&world, id, vec(2, 0, 0), vec(0, 0, 1));
    run(2, H);
    CHECK_NEAR(velocity(id).x + 3 * velocity(belt).x, 2, 1e-5);
    CHECK(velocity(belt).x > NSC_R(0.1));

    def = default_def(); /* more contacts than there is room for: counted, the deepest kept */
    begin(0.5, 0);
    for (i = 0; i < 15; i++) add_box((i % 4) * 1.0, (i / 4) * 1.0, 0.499, 0.5, 1);
    step_by(&world, H);
    CHECK(nsc_world_contact_count(&world) == NSC_MAX_CONTACTS && nsc_world_report(&world)->dropped > 0);
    CHECK(nsc_world_report(&world)->dropped_ever == (uint32_t)nsc_world_report(&world)->dropped);
}

/* The impulse of an impact does not start the next step, that of a contact which pressed does; and the ground is not moved. */
static void an_impact_is_no_warm_start(void)
{
    nsc_pose pose, away;
    nsc_id ball;
    int i;
    def = default_def();
    begin(0, 0.5);
    ball = add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 0.1, 0, 1);
    CHECK(nsc_body_set_velocity(&world, ball, vec(0, 0, -2), vec(0, 0, 0)) == NSC_OK);
    step_by(&world, NSC_R(1e-4)); /* strikes, and is within the margin for some steps more */
    CHECK(velocity(ball).z > 0 && nsc_world_contact_count(&world) == 1 && length(nsc_world_contact(&world, 0)->impulse) > 1);
    step_by(&world, NSC_R(1e-4));
    CHECK(nsc_world_contact_count(&world) == 1 && nsc_world_contact(&world, 0)->matched == 0 && nsc_world_report(&world)->matched == 0);
    begin(0, 0.5);
    (void)add(nsc_default_sphere_def(NSC_R(0.1)), 0, 0, 0.1, 0, 1);
    for (i = 0; i < 5; i++) step_by(&world, NSC_R(1e-3));
    CHECK(nsc_world_contact_count(&world) == 1 && nsc_world_contact(&world, 0)->matched == 1);
    CHECK(nsc_body_get_pose(&world, NSC_GROUND, &pose) == NSC_OK);
    away = pose, away.position = vec(1, 2, 3);
    CHECK(nsc_body_set_pose(&world, NSC_GROUND, away) == NSC_ERR_HANDLE);
    CHECK(nsc_body_set_velocity(&world, NSC_GROUND, vec(1, 0, 0), vec(0, 0, 0)) == NSC_ERR_HANDLE);
    CHECK(nsc_body_get_pose(&world, NSC_GROUND, &away) == NSC_OK && memcmp(&pose, &away, sizeof pose) == 0);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    an_impact_is_no_warm_start();
    a_box_holds_at_26_5_degrees_and_slips_at_26_6();
    sliding_stops_after_v_squared_over_2_mu_g();
    the_convex_law_hops_by_its_formula();
    a_sliding_sphere_comes_to_roll();
    bounces_reach_e_squared_of_the_height();
    dzhanibekovs_body_turns_over_in_time();
    a_box_at_rest_does_not_creep();
    a_pinched_capsule_is_held();
    a_stack_stands(NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 100, 10, 1);
    a_stack_stands(NSC_SOLVER_APGD, NSC_LAW_COULOMB, 200, 3, 1);
    a_stack_stands(NSC_SOLVER_APGD, NSC_LAW_CONE, 200, 3, 10);
    a_stack_stands(NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 1, 3, 1);
    a_stack_stands(NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 200, 3, 10);
    a_copy_goes_on_with_the_same_bits();
    default_calls_make_the_plain_step();
    a_scaled_scene_gives_the_same_picture();
    soft_contact_sinks_by_the_weight();
    own_contacts_compounds_bullets_and_belts();
    what_spins_fast_does_not_tunnel();
    return TEST_END("world");
}
