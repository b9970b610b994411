/* Islands, sleep, sub-steps, sensors, filters, inertial readings. */
#define NSC_MAX_BODIES 32
#define NSC_MAX_CONTACTS 128
#ifndef TEST_PART
#define NSC_MAX_JOINTS 4
#endif
#define NSC_ARENA NSC_ARENA_DANTZIG(120)
#define NSC_IMPLEMENTATION
#include "all.h"
#include <math.h>
#include <string.h>
#include "world.h"
#include "by.h"
#include "plain.h"

static nsc_world other, copy;

static nsc_world_def defaults(void)
{
    nsc_world_def d = default_def();
    d.solver.max_iterations = 30;
    return d;
}

static nsc_id add(nsc_world *w, nsc_shape_def shape, double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.pose.position = vec(x, y, z);
    id = nsc_world_add_body(w, &d);
    CHECK(nsc_world_add_shape(w, id, &shape) >= 0);
    return id;
}

static nsc_id add_box(nsc_world *w, double x, double y, double z)
{
    return add(w, nsc_default_box_def((nsc_real)0.2, (nsc_real)0.2, (nsc_real)0.2), x, y, z);
}

static nsc_id ground(nsc_world *w)
{
    nsc_shape_def d = nsc_default_half_space_def();
    return nsc_world_add_shape(w, NSC_GROUND, &d);
}

static void steps(nsc_world *w, int n, double h)
{
    while (n-- > 0) CHECK(step_by(w, (nsc_real)h) == NSC_OK);
}

static int same_motion(const nsc_world *a, nsc_id i, const nsc_world *b, nsc_id j)
{
    nsc_pose p, q;
    nsc_vec3 v[4];
    memset(&p, 0, sizeof p), memset(&q, 0, sizeof q), memset(v, 0, sizeof v);
    nsc_body_get_pose(a, i, &p), nsc_body_get_pose(b, j, &q);
    nsc_body_get_velocity(a, i, &v[0], &v[1]), nsc_body_get_velocity(b, j, &v[2], &v[3]);
    return memcmp(&p, &q, sizeof p) == 0 && memcmp(v, v + 2, 2 * sizeof v[0]) == 0;
}

static double height(const nsc_world *w, nsc_id id)
{
    nsc_pose p;
    nsc_body_get_pose(w, id, &p);
    return (double)p.position.z;
}

/* a stack of three, slightly askew */
static void stack(nsc_world *w, double x, nsc_id *out)
{
    int i;
    for (i = 0; i < 3; i++) out[i] = add_box(w, x + 0.01 * i, 0.02 * i, 0.2 + 0.4 * i);
}

/* What is apart is solved apart: a stack moves bit for bit as if it were alone in the world. */
static void what_is_apart_is_solved_apart(void)
{
    nsc_world_def d = defaults();
    nsc_id a[3], b[3], alone[3], lone;
    int i, k;
    nsc_world_init(&world, &d), nsc_world_init(&other, &d);
    ground(&world), ground(&other);
    stack(&world, 0, a), stack(&world, 3, b);
    lone = add_box(&world, 6, 0, 5);
    stack(&other, 0, alone);
    for (i = 0; i < 400; i++) {
        int same = 1;
        steps(&world, 1, 1 / 240.0), steps(&other, 1, 1 / 240.0);
        for (k = 0; k < 3; k++) same &= same_motion(&world, a[k], &other, alone[k]);
        CHECK(same);
    }
    CHECK(nsc_world_report(&world)->islands == 3);
    CHECK(nsc_body_get_island(&world, a[0]) == 0 && nsc_body_get_island(&world, a[2]) == 0);
    CHECK(nsc_body_get_island(&world, b[1]) == 1);
    CHECK(nsc_body_get_island(&world, lone) == 2);
    CHECK(nsc_body_get_island(&world, NSC_GROUND) == -1);
    CHECK(nsc_world_island(&world, 0)->bodies == 3 && nsc_world_island(&world, 0)->contacts == 12);
    CHECK(nsc_world_island(&world, 0)->blocks == 12 && nsc_world_island(&world, 0)->solver == NSC_SOLVER_SIPGS);
    CHECK(nsc_world_island(&world, 0)->iterations > 0 && nsc_world_island(&world, 0)->residual < (nsc_real)1e-3);
    CHECK(nsc_world_island(&world, 3) == NULL && nsc_world_island(&world, -1) == NULL && nsc_world_island(NULL, 0) == NULL);
    CHECK(nsc_body_get_island(NULL, lone) < 0);
    CHECK(nsc_world_report(&world)->solver.residual >= nsc_world_island(&world, 0)->residual);
    CHECK(nsc_world_remove_body(&world, b[0]) == NSC_OK);
    lone = add_box(&world, 9, 0, 5); /* in its slot */
    CHECK(nsc_body_get_island(&world, lone) == -1);
}

/* Two boxes apart: the report's objective is the sum of what each has alone. */
static void the_report_is_of_all_islands(void)
{
    nsc_world_def d = defaults();
    double one, two;
    d.solver.judge = 1, d.solver.law = NSC_LAW_CONE;
    nsc_world_init(&world, &d), nsc_world_init(&other, &d);
    ground(&world), ground(&other);
    add_box(&world, 0, 0, 0.2), add_box(&world, 4, 0, 0.2), add_box(&other, 0, 0, 0.2);
    steps(&world, 3, 1 / 240.0), steps(&other, 3, 1 / 240.0);
    one = (double)nsc_world_report(&other)->solver.objective, two = (double)nsc_world_report(&world)->solver.objective;
    CHECK(nsc_world_report(&world)->islands == 2 && one < 0);
    CHECK_NEAR(two / one, 2, 1e-4);
}

/* Two islands that touch become one; a kinematic body, or the ground, does not join what stands on it. */
static void islands_that_touch_become_one(void)
{
    nsc_world_def d = defaults();
    nsc_body_def platform = nsc_default_body_def();
    nsc_shape_def plate = nsc_default_box_def(2, 2, (nsc_real)0.1);
    nsc_id moving, a, b;
    nsc_world_init(&world, &d);
    platform.kind = NSC_KINEMATIC_BODY;
    platform.velocity = vec(0.3, 0, 0);
    moving = nsc_world_add_body(&world, &platform);
    nsc_world_add_shape(&world, moving, &plate);
    a = add_box(&world, -0.5, 0, 0.3), b = add_box(&world, 0.5, 0, 0.3);
    steps(&world, 60, 1 / 240.0);
    CHECK(nsc_world_report(&world)->islands == 2);
    CHECK(nsc_world_island(&world, 0)->contacts == 4 && nsc_world_island(&world, 1)->contacts == 4);
    nsc_body_set_velocity(&world, a, vec(4, 0, 0), vec(0, 0, 0));
    for (moving = 0; moving < 120 && nsc_world_report(&world)->islands == 2; moving++) steps(&world, 1, 1 / 240.0);
    CHECK(nsc_world_report(&world)->islands == 1);
    CHECK(nsc_body_get_island(&world, a) == 0 && nsc_body_get_island(&world, b) == 0);
}

/* Sleep: what is awake moves as without it; what sleeps does not move at all, and keeps its forces. */
static void what_sleeps_does_not_move_and_keeps_its_forces(void)
{
    nsc_world_def d = defaults(), off = d;
    nsc_shape_def ball = nsc_default_sphere_def((nsc_real)0.2);
    nsc_id a[3], b[3], bouncer, free_bouncer;
    nsc_vec3 force, moment;
    nsc_pose before, after;
    int i, slept = 0;
    double weight = 3 * 9.81 * 1000 * 0.4 * 0.4 * 0.4;
    d.sleep_time = (nsc_real)0.5;
    nsc_world_init(&world, &d), nsc_world_init(&other, &off);
    ball.restitution = 1;
    ground(&world), ground(&other);
    stack(&world, 0, a), stack(&other, 0, b);
    bouncer = add(&world, ball, 4, 0, 1.3), free_bouncer = add(&other, ball, 4, 0, 1.3);
    for (i = 0; i < 1200; i++) {
        steps(&world, 1, 1 / 240.0), steps(&other, 1, 1 / 240.0);
        CHECK(same_motion(&world, bouncer, &other, free_bouncer));
        if (nsc_body_is_asleep(&world, a[0]) == 1 && !slept) slept = i;
    }
    CHECK(slept >= 119 && slept < 600);
    CHECK(nsc_body_is_asleep(&world, a[2]) == 1 && nsc_body_is_asleep(&world, bouncer) == 0);
    CHECK(nsc_body_is_asleep(&other, b[0]) == 0);
    CHECK(nsc_world_report(&world)->asleep == 3 && nsc_world_report(&world)->islands == 2);
    CHECK(nsc_world_island(&world, 0)->asleep == 1 && nsc_world_island(&world, 0)->iterations == 0);
    CHECK(nsc_world_contact_count(&world) >= 12);
    memset(&before, 0, sizeof before), memset(&after, 0, sizeof after);
    nsc_body_get_pose(&world, a[2], &before);
    steps(&world, 100, 1 / 240.0), steps(&world, 50, 1 / 100.0);
    nsc_body_get_pose(&world, a[2], &after);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    nsc_body_get_contact_force(&world, a[0], &force, &moment);
    CHECK_NEAR(force.z, weight / 3, weight * 1e-3);  /* the lowest carries itself: ground less what stands on it */
    nsc_body_get_contact_force(&world, NSC_GROUND, &force, &moment);
    CHECK(height(&world, bouncer) > 0.21); /* in the air: the ground bears the stack alone */
    CHECK_NEAR(-force.z, weight, weight * 1e-3);
}

/* A world whose stack sleeps; returns its lowest box. */
static nsc_id asleep(nsc_id *out)
{
    nsc_world_def d = defaults();
    d.sleep_time = (nsc_real)0.25;
    nsc_world_init(&world, &d);
    ground(&world);
    stack(&world, 0, out);
    steps(&world, 480, 1 / 240.0);
    CHECK(nsc_body_is_asleep(&world, out[0]) == 1 && nsc_body_is_asleep(&world, out[2]) == 1);
    return out[0];
}

static void forces_hits_and_changes_wake_an_island(void)
{
    nsc_id a[3], thrown, plate, shape;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(1, 1, (nsc_real)0.1);
    nsc_world_def def;
    int i;
    /* by force: the whole island wakes in the step */
    asleep(a);
    CHECK(nsc_body_add_force(&world, a[1], vec(1, 0, 0), vec(0, 0, 0)) == NSC_OK);
    steps(&world, 1, 1 / 240.0);
    for (i = 0; i < 3; i++) CHECK(nsc_body_is_asleep(&world, a[i]) == 0);
    /* by a body thrown at it: nothing moves before, and it falls over after */
    asleep(a);
    thrown = add_box(&world, -3, 0, 1.0); /* a new shape wakes its own body's island alone */
    CHECK(nsc_body_is_asleep(&world, a[0]) == 1);
    nsc_world_remove_body(&world, thrown);
    steps(&world, 240, 1 / 240.0);
    CHECK(nsc_body_is_asleep(&world, a[0]) == 1);
    asleep(a);
    thrown = add_box(&world, -4, 0, 1.2);
    nsc_body_set_velocity(&world, thrown, vec(0, 0, 0), vec(0, 0, 0));
    world.bodies[thrown & 16383].gravity_scale = 0;
    steps(&world, 240, 1 / 240.0); /* all sleep, the floating one too */
    CHECK(nsc_body_is_asleep(&world, thrown) == 1);
    CHECK(nsc_body_set_velocity(&world, thrown, vec(8, 0, 0), vec(0, 0, 0)) == NSC_OK);
    for (i = 0; i < 200 && nsc_body_is_asleep(&world, a[2]); i++) steps(&world, 1, 1 / 240.0);
    CHECK(i > 80 && i < 120); /* 3.6 m at 8 m/s: 108 steps */
    steps(&world, 120, 1 / 240.0);
    CHECK(height(&world, a[2]) < 0.9);
    /* by taking away what carries it */
    asleep(a);
    nsc_world_remove_body(&world, a[0]);
    CHECK(nsc_body_is_asleep(&world, a[1]) == 0);
    steps(&world, 60, 1 / 240.0);
    CHECK(height(&world, a[2]) < 0.7);
    /* by other settings */
    asleep(a);
    def = world.def;
    def.gravity = vec(0, 0, 1);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK && nsc_body_is_asleep(&world, a[0]) == 0);
    /* by a plate under it that begins to move, or is taken away */
    def.gravity = vec(0, 0, -9.81);
    nsc_world_init(&world, &def);
    d.kind = NSC_KINEMATIC_BODY;
    plate = nsc_world_add_body(&world, &d);
    shape = nsc_world_add_shape(&world, plate, &s);
    stack(&world, 0, a);
    for (i = 0; i < 3; i++) {
        nsc_pose p;
        nsc_body_get_pose(&world, a[i], &p);
        p.position.z += (nsc_real)0.1;
        nsc_body_set_pose(&world, a[i], p);
    }
    steps(&world, 480, 1 / 240.0);
    CHECK(nsc_body_is_asleep(&world, a[0]) == 1);
    nsc_body_set_velocity(&world, plate, vec(0.2, 0, 0), vec(0, 0, 0));
    steps(&world, 120, 1 / 240.0);
    CHECK(nsc_body_is_asleep(&world, a[0]) == 0);
    CHECK_NEAR(world.bodies[a[0] & 16383].velocity.x, 0.2, 1e-3);
    nsc_body_set_velocity(&world, plate, vec(0, 0, 0), vec(0, 0, 0));
    steps(&world, 480, 1 / 240.0);
    CHECK(nsc_body_is_asleep(&world, a[0]) == 1);
    nsc_world_remove_shape(&world, shape);
    steps(&world, 30, 1 / 240.0);
    CHECK(height(&world, a[0]) < 0.29);
#if NSC_MAX_JOINTS > 0
    /* by a joint that changes */
    {
        nsc_joint_def j;
        nsc_id hinge;
        nsc_world_init(&world, &def);
        a[0] = add_box(&world, 0, 0, 1);
        j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, a[0]);
        CHECK(nsc_joint_place(&world, &j, vec(0, 0, 1), vec(0, 1, 0), vec(0, 0, 0)) == NSC_OK);
        j.axis[0].drive = NSC_DRIVE_SERVO, j.axis[0].stiffness = 500, j.axis[0].damping = 50;
        hinge = nsc_world_add_joint(&world, &j);
        CHECK(hinge >= 0);
        steps(&world, 240, 1 / 240.0);
        CHECK(nsc_body_is_asleep(&world, a[0]) == 1);
        CHECK(nsc_joint_set_target(&world, hinge, 0, 1, 0) == NSC_OK);
        CHECK(nsc_body_is_asleep(&world, a[0]) == 0);
        steps(&world, 240, 1 / 240.0);
        CHECK_NEAR(world.joints[0].angle[0], 1, 0.02);
    }
#endif
    CHECK(nsc_body_wake(&world, 12345) == NSC_ERR_HANDLE && nsc_body_wake(NULL, a[0]) == NSC_ERR_ARGUMENT);
    CHECK(nsc_body_is_asleep(&world, -1) == NSC_ERR_HANDLE);
}

/* A sub-step is a step but for the contacts' geometry: without contacts, n sub-steps of a step are n steps. */
#ifndef TEST_PART
/* A world in which everybody sleeps makes its steps without looking: they must be the steps it would have made.  `other` is
   the same world, but a question that is asked before each step has it look. */
static void make_sleepy(nsc_world *w, nsc_id *box)
{
    nsc_world_def d = defaults();
    nsc_joint_def j;
    nsc_id sensor;
    nsc_shape_def zone = nsc_default_sphere_def((nsc_real)0.5);
    d.sleep_time = (nsc_real)0.25, d.sleep_speed = (nsc_real)0.05;
    CHECK(nsc_world_init(w, &d) == NSC_OK);
    ground(w);
    stack(w, 0, box);
    zone.sensor = 1;
    sensor = nsc_world_add_shape(w, NSC_GROUND, &zone);
    CHECK(sensor >= 0);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, box[0], add_box(w, 0.5, 0, 0.2));
    CHECK(nsc_joint_place(w, &j, vec(0.25, 0, 0.2), vec(0, 1, 0), vec(0, 0, 0)) == NSC_OK);
    CHECK(nsc_world_add_joint(w, &j) >= 0);
}

static int same_worlds(void)
{
    return nsc_world_hash(&world) == nsc_world_hash(&other) && memcmp(&world.report, &other.report, sizeof world.report) == 0 &&
           memcmp(world.contacts, other.contacts, sizeof world.contacts) == 0 && world.step_count == other.step_count &&
           memcmp(world.bodies, other.bodies, sizeof world.bodies) == 0 && memcmp(world.joints, other.joints, sizeof world.joints) == 0;
}

static void a_resting_world_steps_to_the_same_bits(void)
{
    nsc_shape_def probe = nsc_default_sphere_def((nsc_real)0.1);
    nsc_id box[8], twin[8];
    nsc_vec3 v;
    int i, quick = 0, same = 1;
    memset(&world, 0, sizeof world), memset(&other, 0, sizeof other);
    make_sleepy(&world, box);
    make_sleepy(&other, twin);
    for (i = 0; i < 1200; i++) {
        double h = i > 1000 ? 1 / 120.0 : 1 / 240.0; /* another length is looked at, and scales the impulses */
        if (i == 900) nsc_body_wake(&world, box[1]), nsc_body_wake(&other, twin[1]);
        if (i == 700 || (i > 750 && i < 754)) { /* contacts of one's own do not wake, and are forgotten */
            nsc_contact own = nsc_default_contact();
            own.body_b = box[1], own.gap = (nsc_real)(i == 700 ? 0.1 : -0.001);
            CHECK(nsc_world_add_contact(&world, &own) == NSC_OK);
            own.body_b = twin[1];
            CHECK(nsc_world_add_contact(&other, &own) == NSC_OK);
        }
        nsc_world_overlap(&other, &probe, 1, NULL, 0);
        quick += world.resting == NSCI_RESTING + world.step_count;
        CHECK(other.resting != NSCI_RESTING + other.step_count);
        steps(&world, 1, h), steps(&other, 1, h);
        same &= same_worlds();
    }
    CHECK(same);
    CHECK(quick > 600 && world.resting == NSCI_RESTING + world.step_count);
    CHECK(nsc_world_report(&world)->asleep == nsc_world_report(&other)->asleep && nsc_world_report(&world)->asleep > 0);
    memcpy(&copy, &world, NSC_WORLD_STATE_SIZE); /* rests on without the scratch */
    steps(&copy, 3, 1 / 120.0), steps(&world, 3, 1 / 120.0);
    CHECK(nsc_world_hash(&copy) == nsc_world_hash(&world));
    CHECK(nsc_body_add_force(&world, box[1], vec(500, 0, 0), vec(0, 0, 0)) == NSC_OK && world.resting != NSCI_RESTING);
    steps(&world, 1, 1 / 120.0);
    CHECK(nsc_body_get_velocity(&world, box[1], &v, NULL) == NSC_OK && v.x > 0); /* and is woken as ever */
    add(&copy, nsc_default_sphere_def((nsc_real)0.1), 0, 0, 3); /* what comes to it wakes it */
    for (i = 0; i < 200 && nsc_body_is_asleep(&copy, box[0]) == 1; i++) steps(&copy, 1, 1 / 120.0);
    CHECK(i > 20 && i < 200);
}
#endif

static void four_substeps_are_four_steps(void)
{
    nsc_world_def d = defaults();
    nsc_id a, b;
    int i;
    nsc_shape_def box = nsc_default_box_def((nsc_real)0.1, (nsc_real)0.2, (nsc_real)0.4);
    nsc_world_init(&world, &d);
    d.substeps = 4;
    nsc_world_init(&other, &d);
    a = add(&world, box, 0, 0, 2), b = add(&other, box, 0, 0, 2);
    nsc_body_set_velocity(&world, a, vec(1, 0, 2), vec(3, 1, 5));
    nsc_body_set_velocity(&other, b, vec(1, 0, 2), vec(3, 1, 5));
    for (i = 0; i < 100; i++) {
        steps(&world, 4, 1 / 256.0), steps(&other, 1, 4 / 256.0);
        CHECK(same_motion(&world, a, &other, b));
    }
    /* a stack at 60 Hz with 4 sub-steps rests, its forces are means over the whole step */
    {
        nsc_id s[3];
        nsc_vec3 force, moment;
        double worst = 0, weight = 9.81 * 1000 * 0.4 * 0.4 * 0.4;
        nsc_world_init(&world, &d);
        ground(&world);
        stack(&world, 0, s);
        for (i = 0; i < 300; i++) {
            steps(&world, 1, 1 / 60.0);
            if ((double)world.report.penetration > worst) worst = (double)world.report.penetration;
        }
        for (i = 0; i < 3; i++) CHECK_NEAR(height(&world, s[i]), 0.2 + 0.4 * i, 1e-3);
        nsc_body_get_contact_force(&world, s[2], &force, &moment);
        CHECK_NEAR(force.z, weight, 1e-3 * weight);
        nsc_body_get_contact_force(&world, NSC_GROUND, &force, &moment);
        CHECK_NEAR(force.z, -3 * weight, 3e-3 * weight);
        CHECK(worst < 1.5e-3);
        CHECK(world.contacts[0].matched == 1);
    }
    /* an elastic ball: gaps go on between the sub-steps, so it turns within the step, never below the ground */
    {
        nsc_shape_def ball = nsc_default_sphere_def((nsc_real)0.1);
        double top = 0, low = 1;
        ball.restitution = 1;
        d.substeps = 16;
        nsc_world_init(&world, &d);
        ground(&world);
        a = add(&world, ball, 0, 0, 1.1);
        for (i = 0; i < 240; i++) {
            steps(&world, 1, 1 / 60.0);
            if (height(&world, a) < low) low = height(&world, a);
            if (i > 60 && height(&world, a) > top) top = height(&world, a);
        }
        CHECK(low > 0.0995);
        CHECK_NEAR(top, 1.1, 0.02);
    }
    d.substeps = 0;
    CHECK(nsc_world_init(&other, &d) == NSC_ERR_ARGUMENT);
    d.substeps = 65;
    CHECK(nsc_world_init(&other, &d) == NSC_ERR_ARGUMENT);
}

/* A step refused in a later sub-step leaves the state byte for byte. */
static void a_step_refused_in_a_substep_leaves_the_state(void)
{
    nsc_world_def d = defaults();
    nsc_id a[3];
    double huge = is_double ? 1.0e154 : 1.4e19;
    d.substeps = 2;
    nsc_world_init(&world, &d);
    ground(&world);
    stack(&world, 0, a);
    steps(&world, 20, 1 / 240.0);
    /* after the first half v^2 is still finite, after the second not */
    nsc_body_add_force(&world, a[2], vec(huge * 64 * 480, 0, 0), vec(0, 0, 0));
    copy = world;
    CHECK(step_by(&world, (nsc_real)(1 / 240.0)) == NSC_ERR_NOT_FINITE);
    CHECK(memcmp(&copy, &world, NSC_WORLD_STATE_SIZE) == 0);
    nsc_body_clear_force(&world, a[2]);
    CHECK(step_by(&world, (nsc_real)(1 / 240.0)) == NSC_OK);
}

static void category_and_mask_choose_what_collides(void)
{
    nsc_world_def d = defaults();
    nsc_shape_def floor = nsc_default_half_space_def(), ball = nsc_default_sphere_def((nsc_real)0.1);
    nsc_id a, b, c;
    nsc_world_init(&world, &d);
    floor.category = 2;
    nsc_world_add_shape(&world, NSC_GROUND, &floor);
    a = add(&world, ball, 0, 0, 0.1);
    ball.mask = ~(uint32_t)2; /* does not see the floor */
    b = add(&world, ball, 1, 0, 0.1);
    ball.mask = 2, ball.category = 4; /* the floor only */
    c = add(&world, ball, 0, 0, 0.15); /* lies in a, unseen */
    steps(&world, 100, 1 / 240.0);
    CHECK_NEAR(height(&world, a), 0.1, 1e-3);
    CHECK(height(&world, b) < -0.5);
    CHECK_NEAR(height(&world, c), 0.1, 1e-3);
}

/* Recovery pushes out at its speed and no faster: the top of the flight is at most speed^2 / 2g above where the shape is
   free, and in each step the energy grows by no more than impulse times speed. */
static void recovery_is_no_faster_than_its_speed(void)
{
    double depth;
    int kind, i;
    for (kind = 0; kind < 3; kind++)
        for (depth = 0.001; depth < 0.2; depth *= 3) {
            nsc_world_def d = defaults();
            nsc_shape_def s = kind == 0 ? nsc_default_sphere_def((nsc_real)0.2) : kind == 1 ? nsc_default_box_def((nsc_real)0.2, (nsc_real)0.3, (nsc_real)0.2)
                                                                                         : nsc_default_capsule_def((nsc_real)0.2, (nsc_real)0.3);
            nsc_pose p;
            nsc_id a;
            double top = 0, worst = 0, mass, E, before;
            nsc_world_init(&world, &d);
            ground(&world);
            a = add(&world, s, 0, 0, 0.2 - depth);
            if (kind == 2) { /* lying */
                nsc_body_get_pose(&world, a, &p);
                p.orientation.w = p.orientation.y = (nsc_real)0.70710678118654752;
                nsc_body_set_pose(&world, a, p);
            }
            mass = (double)world.bodies[a & 16383].mass;
            before = mass * 9.81 * height(&world, a);
            for (i = 0; i < 240; i++) {
                double impulse = 0;
                int k;
                steps(&world, 1, 1 / 240.0);
                for (k = 0; k < world.contact_count; k++) impulse += (double)world.contacts[k].impulse.z;
                E = (double)world.bodies[a & 16383].velocity.z;
                E = 0.5 * mass * E * E + mass * 9.81 * height(&world, a);
                if (E - before - 0.6 * impulse > worst) worst = E - before - 0.6 * impulse;
                before = E;
                if (height(&world, a) > top) top = height(&world, a);
            }
            CHECK(worst < 1e-3 * mass * 9.81 * 0.2);
            CHECK(top - 0.2 < 0.6 * 0.6 / (2 * 9.81) + 1e-4);
        }
}

#if NSC_IMU
static nsc_pose at(double x, double y, double z)
{
    nsc_pose p = nsc_default_body_def().pose;
    p.position = vec(x, y, z);
    return p;
}

static void the_imu_reads_g_at_rest_and_nothing_in_free_fall(void)
{
    nsc_world_def d = defaults();
    nsc_id a;
    nsc_vec3 f, w;
    nsc_pose p;
    const double c = 0.8775825618903728, s = 0.479425538604203; /* of 0.5: turned by 1 rad about y */
    nsc_world_init(&world, &d);
    ground(&world);
    a = add(&world, nsc_default_sphere_def((nsc_real)0.2), 0, 0, 0.2);
    nsc_body_get_pose(&world, a, &p);
    p.orientation.w = (nsc_real)c, p.orientation.y = (nsc_real)s;
    nsc_body_set_pose(&world, a, p);
    steps(&world, 20, 1 / 240.0);
    CHECK(nsc_body_get_imu(&world, a, at(0, 0, 0), &f, &w) == NSC_OK); /* at rest: up by g, seen from the body */
    CHECK_NEAR(f.x, -9.81 * sin(1.0), 1e-3), CHECK_NEAR(f.y, 0, 1e-3), CHECK_NEAR(f.z, 9.81 * cos(1.0), 1e-3);
    nsc_world_init(&world, &d);
    a = add(&world, nsc_default_sphere_def((nsc_real)0.2), 0, 0, 9);
    nsc_body_set_velocity(&world, a, vec(1, 2, 3), vec(0, 0, 4));
    steps(&world, 20, 1 / 240.0);
    nsc_body_get_imu(&world, a, at(0, 0, 0), &f, &w); /* in free fall: nothing */
    CHECK_NEAR(sqrt((double)(f.x * f.x + f.y * f.y + f.z * f.z)), 0, 2e-3);
    CHECK_NEAR(w.z, 4, 1e-5);
    nsc_body_get_imu(&world, a, at(0.5, 0, 0.1), &f, &w); /* off the axis: towards it, by w^2 r */
    CHECK_NEAR(f.x, -16 * 0.5, 2e-3), CHECK_NEAR(f.y, 0, 2e-3), CHECK_NEAR(f.z, 0, 2e-3);
    nsc_body_add_force(&world, a, vec(0, 0, 0), vec(0, 0, 2)); /* alpha = torque / I */
    steps(&world, 1, 1 / 240.0);
    nsc_body_get_imu(&world, a, at(0.5, 0, 0), &f, &w);
    CHECK_NEAR(f.y, 0.5 * 2 / (double)world.bodies[a & 16383].inertia[0], 5e-3);
    CHECK(nsc_body_get_imu(&world, 77, at(0, 0, 0), &f, &w) == NSC_ERR_HANDLE);
    CHECK(nsc_body_get_imu(&world, a, at((double)NAN, 0, 0), &f, &w) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_body_get_imu(NULL, a, at(0, 0, 0), &f, &w) == NSC_ERR_ARGUMENT);
}
#endif

static nsc_id ball_that_falls(double x, double z)
{
    nsc_shape_def ball = nsc_default_sphere_def(REAL(.5));
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.pose.position = vec(x, 0, z);
    id = nsc_world_add_body(&world, &d);
    ball.friction = REAL(1);
    CHECK(nsc_world_add_shape(&world, id, &ball) >= 0);
    return id;
}

/* Two stacks of two balls on a kinematic plate, asleep */
static void sleepers(nsc_id *plate, nsc_id *plate_shape, nsc_id ball[4])
{
    nsc_world_def def = exact_world(9.81);
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def top = nsc_default_box_def(REAL(5), REAL(5), REAL(.5));
    int i;
    def.sleep_time = REAL(.25);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    d.kind = NSC_KINEMATIC_BODY;
    d.pose.position = vec(0, 0, -.5);
    *plate = nsc_world_add_body(&world, &d);
    *plate_shape = nsc_world_add_shape(&world, *plate, &top);
    for (i = 0; i < 4; i++) ball[i] = ball_that_falls(i / 2 ? 3 : 0, i % 2 ? 1.5 : .5);
    plain_steps(64, 1 / 128.);
    for (i = 0; i < 4; i++) CHECK(nsc_body_is_asleep(&world, ball[i]) == 1);
}

static int awake_of(const nsc_id ball[4]) /* as decimal digits, for a readable failure */
{
    int i, code = 0;
    for (i = 0; i < 4; i++) code = 10 * code + (nsc_body_is_asleep(&world, ball[i]) == 0);
    return code;
}

static void waking(void)
{
    nsc_id plate, shape, ball[4];
    nsc_pose pose;
    sleepers(&plate, &shape, ball);
    CHECK(nsc_body_wake(&world, ball[2]) == NSC_OK && awake_of(ball) == 10); /* at once this one */
    plain_steps(1, 1 / 128.);
    CHECK(awake_of(ball) == 11); /* and with the step its island, but no other */
    plain_steps(64, 1 / 128.);
    CHECK(awake_of(ball) == 0);
    CHECK(nsc_body_wake(&world, -1) == NSC_ERR_HANDLE && nsc_body_wake(NULL, ball[0]) == NSC_ERR_ARGUMENT);

    /* the plate is taken away: all fall freely */
    CHECK(nsc_body_get_pose(&world, plate, &pose) == NSC_OK);
    pose.position.z = REAL(-50);
    CHECK(nsc_body_set_pose(&world, plate, pose) == NSC_OK && awake_of(ball) == 1111);
    plain_steps(32, 1 / 128.);
    CHECK_NEAR(height_now(ball[0]), .5 - 9.81 * .25 * .25 / 2, .05);
    CHECK_NEAR(height_now(ball[3]), 1.5 - 9.81 * .25 * .25 / 2, .05);

    /* a body moved by hand wakes with what it touched, faces as asked, and has lost its contacts */
    sleepers(&plate, &shape, ball);
    CHECK(nsc_body_get_pose(&world, ball[3], &pose) == NSC_OK);
    pose.position.x = REAL(-2), pose.orientation.w = REAL(.6), pose.orientation.y = REAL(.8);
    CHECK(nsc_body_set_pose(&world, ball[3], pose) == NSC_OK && awake_of(ball) == 11 && nsc_world_contact_count(&world) == 3);
    CHECK(nsc_body_get_pose(&world, ball[3], &pose) == NSC_OK);
    CHECK_NEAR(pose.orientation.y, .8, 1e-6);
    plain_steps(1, 1 / 128.);
    CHECK(awake_of(ball) == 11);
    sleepers(&plate, &shape, ball);
    CHECK(nsc_body_wake(&world, ball[3]) == NSC_OK && awake_of(ball) == 1);
    CHECK(nsc_body_wake(&world, NSC_GROUND) == NSC_OK && awake_of(ball) == 1);

    /* what touched the thing removed wakes, and forgets those contacts */
    sleepers(&plate, &shape, ball);
    CHECK(nsc_world_contact_count(&world) == 4);
    CHECK(nsc_world_remove_body(&world, ball[3]) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, ball[2]) == 0 && nsc_body_is_asleep(&world, ball[0]) == 1 && nsc_body_is_asleep(&world, ball[1]) == 1);
    CHECK(nsc_world_contact_count(&world) == 3);
    sleepers(&plate, &shape, ball);
    CHECK(nsc_world_remove_shape(&world, shape) == NSC_OK);
    CHECK(awake_of(ball) == 1010 && nsc_world_contact_count(&world) == 2); /* the lower ones touched it */
    plain_steps(32, 1 / 128.);
    CHECK_NEAR(height_now(ball[1]), 1.5 - 9.81 * .25 * .25 / 2, .05);
}

static void pull_none(void *user, const nsc_world *w, nsc_id body, nsc_force *f) { (void)user, (void)w, (void)body, (void)f; }

/* Two stacks that sleep stay where they are with projection too, while a sensor that covers them feels no force, and while the
   caller's force makes one island of all that is awake. */
static void sleeping_on(void)
{
    nsc_id plate, shape, ball[4], other_body;
    nsc_shape_def ghost = nsc_default_sphere_def(REAL(9));
    nsc_body_def d = nsc_default_body_def();
    nsc_vec3 o = vec(0, 0, 0);
    nsc_calls calls;
    double z[4];
    int i, k, sensed = 0;
    sleepers(&plate, &shape, ball);
    ghost.sensor = 1;
    CHECK(nsc_world_add_shape(&world, plate, &ghost) >= 0);
    plain_steps(80, 1 / 128.); /* the sensor has woken them */
    for (i = 0; i < 4; i++) z[i] = height_now(ball[i]);
    d.pose.position = vec(0, 4, 20), d.mass = d.inertia[0] = d.inertia[1] = d.inertia[2] = REAL(1), d.gravity_scale = REAL(0);
    other_body = nsc_world_add_body(&world, &d);
    CHECK(nsc_body_set_velocity(&world, other_body, vec(.5, 0, 0), o) == NSC_OK);
    memset(&calls, 0, sizeof calls);
    calls.force = pull_none;
    for (k = NSC_STEPPERS ? 0 : 2; k < 3; k++) {
        world.def.stepper = k == 0 ? NSC_STEPPER_EULER_IMPLICIT_PROJECTED : k == 1 ? NSC_STEPPER_EULER_IMPLICIT : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
        CHECK(step_by_with(&world, REAL(1) / 128, &calls) == NSC_OK);
        for (i = 0; i < 4; i++) CHECK(nsc_body_is_asleep(&world, ball[i]) == 1 && !(height_now(ball[i]) < z[i] || height_now(ball[i]) > z[i]));
        CHECK(nsc_body_get_island(&world, plate) == -1 && nsc_body_get_island(&world, other_body) >= 0);
        CHECK_NEAR(velocity_of(other_body, 0).x, .5, 1e-6);
        for (i = 0; i < nsc_world_contact_count(&world); i++)
            if (nsc_world_contact(&world, i)->sensor) sensed++, CHECK_NEAR(length(nsc_world_contact(&world, i)->impulse), 0, 0);
    }
    CHECK(sensed > 0);
}

/* A plane added on the ground wakes those whose box it meets, not those wholly above it. */
static void planes_wake_what_they_meet(void)
{
    nsc_id plate, shape, ball[4];
    nsc_shape_def plane = nsc_default_half_space_def();
    double tilt;
    for (tilt = 0; tilt < .25; tilt += .2) {
        sleepers(&plate, &shape, ball);
        plane.pose.orientation = turn_about(vec(0, 1, 0), tilt);
        plane.pose.position = vec(0, 0, -3);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0 && awake_of(ball) == 0); /* far below all */
        plane.pose.orientation = turn_about(vec(0, 1, 0), -2 * tilt);
        plane.pose.position = vec(0, 0, tilt > 0 ? -.5 : .2); /* level it meets the lower ones; tilted it rises to the one at x = 3 */
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0 && awake_of(ball) == (tilt > 0 ? 10 : 1010));
    }
}

/* All asleep on a static body: steps go on without looking only where they would change nothing. */
static void sleep_of_every_stepper(void)
{
    int stepper, parts, i;
    for (stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED; stepper <= STEPPERS(NSC_STEPPER_EULER_SYMPLECTIC); stepper++)
        for (parts = 1; parts < 3; parts++) {
            nsc_world_def def = exact_world(9.81);
            nsc_body_def d = nsc_default_body_def();
            nsc_shape_def top = nsc_default_box_def(REAL(5), REAL(5), REAL(.5));
            int plain = stepper == NSC_STEPPER_EULER_IMPLICIT_LINEARIZED && parts == 1;
            nsc_id ball;
            double z;
            def.sleep_time = REAL(.25), def.stepper = stepper, def.substeps = parts;
            CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
            d.kind = NSC_STATIC_BODY, d.pose.position = vec(0, 0, -.5);
            CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &d), &top) >= 0);
            ball = ball_that_falls(0, .5);
            plain_steps(64, 1 / 128.);
            z = height_now(ball);
            CHECK(nsc_body_is_asleep(&world, ball) == 1);
            for (i = 0; i < 3; i++) {
                plain_steps(1, 1 / 128.);
                CHECK((world.resting == NSCI_RESTING + world.step_count) == plain && !(height_now(ball) < z || height_now(ball) > z));
            }
            CHECK(world.step_count == 67 && world.report.asleep == 1 && world.bodies[1].still <= 0);
            CHECK(world.bodies[2].still > REAL(.25));
        }
}

/* Bodies fall asleep with every stepper, with sub-steps, smoothly, and beside kinematic bodies at rest. */
static void all_sleep_under_every_stepper(void)
{
    int stepper, n;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++)
        for (n = 0; n < (NSC_SMOOTH ? 3 : 2); n++) {
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
            b = small_ball(NSC_DYNAMIC_BODY, 0, 0, 0.25);
            small_ball(NSC_KINEMATIC_BODY, 5, 0, 1);
            for (i = 0; i < 3000; i++) CHECK(nsc_world_step(&world, REAL(1 / 1000.)) >= 0);
            CHECK(nsc_body_is_asleep(&world, b) == 1);
        }
}

/* In a world in which all sleep a contact of the caller's own is there and wakes nobody; a plane that turns wakes what it comes to. */
static void a_contact_of_your_own_wakes_nobody_and_a_turning_plane_does(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_contact c = nsc_default_contact();
    nsc_id b, tilting;
    nsc_quat before;
    int i, met = -1;
    def.sleep_time = REAL(0.1);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
    b = small_ball(NSC_DYNAMIC_BODY, 0, 0, 0.25);
    for (i = 0; i < 480; i++) CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_body_is_asleep(&world, b) == 1);
    c.body_b = b;
    c.point = vec(-0.25, 0, 0.25);
    c.normal = vec(1, 0, 0);
    c.gap = REAL(-0.01);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
    CHECK(nsc_world_contact_count(&world) == 2 && nsc_body_is_asleep(&world, b) == 1 && length(velocity(b)) <= 0);
    tilting = bare_body(NSC_KINEMATIC_BODY, 0, 0, -1);
    CHECK(nsc_world_add_shape(&world, tilting, &plane) > 0);
    CHECK(nsc_body_set_velocity(&world, tilting, vec(0, 0, 0), vec(0, 10, 0)) == NSC_OK);
    before = inside(tilting)->orientation;
    for (i = 1; i <= 60 && met < 0; i++) {
        int k;
        CHECK(nsc_body_is_asleep(&world, b) == 1);
        before = inside(tilting)->orientation;
        CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
        CHECK_NEAR(inside(tilting)->orientation.y, sin(5 * i / 240.), 1e-5);
        for (k = 0; k < nsc_world_contact_count(&world); k++)
            if (nsc_world_contact(&world, k)->body_b == tilting) met = k;
    }
    CHECK(met >= 0);
    if (met < 0) return;
    CHECK(nsc_world_contact(&world, met)->body_a == b && nsc_body_is_asleep(&world, b) == 0);
    CHECK(length(plus(nsc_world_contact(&world, met)->normal, rotate(before, vec(0, 0, 1)))) < 1e-5);
    CHECK(D(nsc_world_contact(&world, met)->normal.x) < -0.9); /* it has come up by 70 degrees at least */
}

/* A box sleeps on something that leaves: a lift that sinks at 10 m/s, a lift that is put elsewhere, a box that is kicked away or put
   elsewhere.  It falls, however little weight adds to its speed in a step. */
static void what_loses_its_support_falls(void)
{
    static const double rates[][2] = {{60, .5}, {240, 1.62}, {240, 9.81}, {1000, 9.81}, {4000, 9.81}};
    int i, way;
    for (i = 0; i < 5; i++)
        for (way = 0; way < 4; way++) {
            double h = 1 / rates[i][0], g = rates[i][1], t = .5, fell;
            nsc_shape_def box = nsc_default_box_def(REAL(.25), REAL(.25), REAL(.25));
            nsc_world_def def = default_def();
            nsc_body_def lift = nsc_default_body_def();
            nsc_id below, above;
            def.gravity.z = REAL(-g), def.sleep_time = REAL(.1);
            CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
            ground(&world);
            box.friction = REAL(0);
            lift.pose.position.z = REAL(1.25), lift.kind = NSC_KINEMATIC_BODY;
            below = way < 2 ? nsc_world_add_body(&world, &lift) : add(&world, box, 0, 0, .25);
            if (way < 2) CHECK_ONCE(nsc_world_add_shape(&world, below, &box) >= 0);
            above = add(&world, box, 0, 0, way < 2 ? 1.75 : .75);
            steps(&world, (int)(1 / h), h);
            CHECK_ONCE(nsc_body_is_asleep(&world, above) == 1);
            fell = height(&world, above);
            if (way == 0) nsc_body_set_velocity(&world, below, vec(0, 0, -10), vec(0, 0, 0));
            else if (way == 2) nsc_body_set_velocity(&world, below, vec(20, 0, 0), vec(0, 0, 0));
            else {
                lift.pose.position = vec(5, 0, 3);
                nsc_body_set_pose(&world, below, lift.pose);
            }
            steps(&world, (int)(t / h), h);
            fell -= height(&world, above);
            if (way == 2) t -= .5 / 20; /* it has slid from below by then */
            CHECK_ONCE(fell > fmin(.9 * g * t * t / 2 - .01, way < 2 ? 1.4 : .49));
        }
}

/* A stack with restitution is woken from above: for no step it falls freely. */
static void elastic_bodies_wake_where_they_are(void)
{
    int k;
    for (k = 0; k < 30; k++) {
        nsc_shape_def ball = nsc_default_sphere_def(REAL(.05 + .002 * k));
        double r = .05 + .002 * k, z;
        nsc_id below, above;
        plain_world(.3);
        ground(&world);
        ball.restitution = REAL(.5);
        below = add(&world, ball, 0, 0, r + .001), above = add(&world, ball, 0, 0, 3 * r + .002);
        steps(&world, 300, 1 / 60.);
        CHECK_ONCE(nsc_body_is_asleep(&world, below) == 1);
        z = height(&world, below);
        nsc_body_wake(&world, above);
        steps(&world, 1, 1 / 60.);
        CHECK_ONCE(fabs(height(&world, below) - z) < 1e-4);
    }
}

/* Balls fall on the ground, and are pushed at 400 m/s^2 against a thin wall: however many sub-steps, what they meet in the step is
   found with the speed that they have at its end. */
static void substeps_meet_what_the_step_meets(void)
{
    int n, k;
    for (n = 1; n <= 64; n *= 4)
        for (k = 0; k < 20; k++) {
            nsc_shape_def wall = nsc_default_box_def(REAL(.01), 1, 1);
            nsc_world_def def = defaults();
            double deepest = 0;
            nsc_id ball;
            int i;
            def.substeps = n;
            CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
            ground(&world);
            add(&world, nsc_default_sphere_def(REAL(.1)), 0, 0, .12 + .01 * k);
            for (i = 0; i < 15; i++) {
                steps(&world, 1, 1 / 30.);
                deepest = fmax(deepest, D(world.report.penetration));
            }
            CHECK_ONCE(deepest <= D(def.slop));
            def.gravity.z = 0;
            CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
            wall.pose.position.x = REAL(.1 + .03 * k);
            CHECK_ONCE(nsc_world_add_shape(&world, NSC_GROUND, &wall) >= 0);
            ball = add(&world, nsc_default_sphere_def(REAL(.01)), 0, 0, 0);
            CHECK_ONCE(nsc_body_set_mass(&world, ball, 1) == NSC_OK);
            for (i = 0; i < 12; i++) {
                nsc_body_add_force(&world, ball, vec(400, 0, 0), vec(0, 0, 0));
                steps(&world, 1, 1 / 60.);
            }
            CHECK_ONCE(D(position(ball).x) < D(wall.pose.position.x));
        }
}

/* After a refused step nothing tells of islands that it had begun to build. */
static void a_refused_step_has_no_islands(void)
{
    nsc_calls calls = nsc_default_calls();
    nsc_id box, other_box;
    plain_world(0);
    ground(&world);
    box = add_box(&world, 0, 0, .2);
    steps(&world, 20, 1 / 240.);
    other_box = add_box(&world, 3, 0, .2);
    CHECK(nsc_body_get_island(&world, box) == 0 && nsc_body_get_island(&world, other_box) == -1);
    calls.solve = nsc_solve_dantzig;
    nsc_body_add_force(&world, box, vec(is_double ? 1e300 : 1e38, 0, 0), vec(0, 0, 0));
    CHECK(nsc_world_step_with(&world, REAL(1 / 240.), &calls) < 0);
    CHECK(nsc_body_get_island(&world, other_box) == -1);
    CHECK(nsc_world_island(&world, 0)->bodies == 0);
}

static unsigned char state_before[NSC_WORLD_STATE_SIZE];

/* a state is taken while a box falls, and copied back when the box sleeps on the ground */
static void a_state_copied_into_a_world_at_rest_goes_on(void)
{
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_id box;
    double high;
    plain_world(.25);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    box = lone_body(vec(0, 0, .8), nsc_default_box_def(REAL(.5), REAL(.5), REAL(.5)));
    plain_steps(5, 1 / 240.);
    memcpy(state_before, &world, sizeof state_before);
    high = D(position(box).z);
    plain_steps(600, 1 / 240.);
    CHECK(nsc_body_is_asleep(&world, box) == 1);
    memcpy(&world, state_before, sizeof state_before);
    plain_steps(20, 1 / 240.);
    CHECK(D(position(box).z) < high - .02);
}

/* Back to a state in which a box has just fallen asleep, from a future of the same start in which it sleeps already */
static void a_state_of_another_past_goes_on(void)
{
    static unsigned char start[NSC_WORLD_STATE_SIZE];
    nsc_id box;
    int i, n;
    plain_world(.2);
    memcpy(&other, &world, sizeof world);
    ground(&world);
    box = add_box(&world, 0, 0, .2);
    memcpy(start, &world, sizeof start);
    for (n = 0; n < 200 && !nsc_body_is_asleep(&world, box); n++) {
        if (n == 20) nsc_body_set_velocity(&world, box, vec(.3, 0, 0), vec(0, 0, 0));
        steps(&world, 1, 1 / 240.);
    }
    CHECK(n < 200);
    memcpy(state_before, &world, sizeof state_before);
    memcpy(&world, start, sizeof start);
    steps(&world, n, 1 / 240.);
    memcpy(&world, state_before, sizeof state_before), memcpy(&other, state_before, sizeof state_before);
    for (i = 0; i < 3; i++) {
        steps(&world, 1, 1 / 240.), steps(&other, 1, 1 / 240.);
        CHECK(memcmp(&world, &other, NSC_WORLD_STATE_SIZE) == 0);
    }
}

int main(void)
{
    what_is_apart_is_solved_apart();
    the_report_is_of_all_islands();
    islands_that_touch_become_one();
    what_sleeps_does_not_move_and_keeps_its_forces();
    forces_hits_and_changes_wake_an_island();
#ifndef TEST_PART
    a_resting_world_steps_to_the_same_bits();
#endif
    four_substeps_are_four_steps();
    a_step_refused_in_a_substep_leaves_the_state();
    category_and_mask_choose_what_collides();
    recovery_is_no_faster_than_its_speed();
#if NSC_IMU
    the_imu_reads_g_at_rest_and_nothing_in_free_fall();
#endif
    waking();
    planes_wake_what_they_meet();
    sleep_of_every_stepper();
    sleeping_on();
    all_sleep_under_every_stepper();
    a_contact_of_your_own_wakes_nobody_and_a_turning_plane_does();
    a_state_copied_into_a_world_at_rest_goes_on();
    a_state_of_another_past_goes_on();
    what_loses_its_support_falls();
    elastic_bodies_wake_where_they_are();
    substeps_meet_what_the_step_meets();
    a_refused_step_has_no_islands();
    return TEST_END("islands");
}
