/* Constraint rows of one's own: closed forms under every stepper, limits and gaps, springs, sleep, snapshots, refusals. */
#define NSC_IMPLEMENTATION
#ifdef TEST_PART
#define NSC_MAX_ROWS 4
#define NSC_MAX_SPRINGS 2
#include "nsc_newton.h"
#endif
#include "shared.h"
#include "world.h"

#define R(x) ((nsc_real)(x))
static const double EPS = sizeof(nsc_real) == 8 ? 2.2e-16 : 1.2e-7;
static nsc_rows rows[NSC_MAX_ROWS];
static nsc_calls calls;
static nsc_world before, other;

/* A world of one stepper; gravity along -z; no rows */
static void begin(int stepper, double gravity)
{
    nsc_world_def d = nsc_default_world_def();
    d.stepper = stepper;
    d.gravity = vec(0, 0, -gravity);
    CASE("stepper %d", stepper);
    d.solver.tolerance = sizeof(nsc_real) == 8 ? R(1e-13) : R(1e-6);
    d.newton_tolerance = sizeof(nsc_real) == 8 ? R(1e-12) : R(1e-5);
    d.solver.max_factorizations = 100;
    if (stepper == NSC_STEPPER_EULER_FORWARD || stepper >= NSC_STEPPER_HHT) d.contact_model = NSC_CONTACT_SMOOTH;
    CHECK_ONCE(nsc_world_init(&world, &d) == NSC_OK);
    memset(rows, 0, sizeof rows), memset(&calls, 0, sizeof calls);
    calls.rows = rows, calls.row_count = 1, calls.solve = nsc_solve_newton;
}

static nsc_id solid(double mass, double inertia, nsc_vec3 at, nsc_vec3 v)
{
    nsc_body_def b = nsc_default_body_def();
    b.mass = R(mass), b.pose.position = at, b.velocity = v;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = R(inertia);
    return nsc_world_add_body(&world, &b);
}

/* Steppers without accelerations to spoil; only these take rows that push or pull alone. */
static int has_impacts(int stepper) { return stepper != NSC_STEPPER_EULER_FORWARD && stepper < NSC_STEPPER_HHT; }

/* Rounding of the last step that a result of size 1 may show: HHT and NEWMARK end by newton_tolerance, which their impulses and
   velocities, differences over the step, show enlarged. */
static double near_one(int stepper) { return (stepper < NSC_STEPPER_HHT ? 400 : 2e4) * EPS; }

static int step(double h) { return nsc_world_step_with(&world, R(h), &calls); }

/* Two weights on a rope over a wheel without mass: row 0 of entry i keeps z_a + z_b at `sum`, and can only push both up */
static void pulley(int i, nsc_id a, nsc_id b, double sum, int rope)
{
    nsc_rows *r = &rows[i];
    r->body_a = a, r->body_b = b, r->count = 1;
    r->J[0][2] = r->J[0][8] = 1;
    r->error[0] = R(D(position(a).z) + D(position(b).z) - sum);
    if (rope) r->limited[0] = 1, r->upper[0] = R(HUGE_VAL);
}

/* ---- closed forms */

/* Atwood's machine: a = g (m1 - m2) / (m1 + m2), T = 2 g m1 m2 / (m1 + m2), in every stepper, with sub-steps, at three scales */
static void atwoods_machine_falls_as_it_should(void)
{
    static const double sizes[3] = {1, 1e-3, 1e3};
    int stepper, substeps, k, i;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++)
        for (substeps = 1; substeps <= 3; substeps += 2)
            for (k = 0; k < 3; k++) {
                double L = sizes[k], g = 10 * L, m1 = 3 * L * L * L, m2 = L * L * L, h = 1 / 128., a = g * (m1 - m2) / (m1 + m2);
                double tension = 2 * g * m1 * m2 / (m1 + m2), t = 32 * h, near = 400 * EPS * L;
                nsc_world_def d;
                nsc_id one, two;
                begin(stepper, g);
                d = world.def, d.substeps = substeps, d.solver.tolerance = R(D(d.solver.tolerance) * L);
                d.newton_tolerance = R(D(d.newton_tolerance) * L);
                CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
                one = solid(m1, m1 * L * L, vec(-L, 0, 0), vec(0, 0, 0)), two = solid(m2, m2 * L * L, vec(L, 0, 0), vec(0, 0, 0));
                for (i = 0; i < 32; i++) {
                    pulley(0, one, two, 0, has_impacts(stepper));
                    CHECK(step(h) == NSC_OK);
                }
                CHECK_NEAR(velocity(one).z, -a * t, near);
                CHECK_NEAR(velocity(two).z, a * t, near);
                CHECK_NEAR(D(rows[0].impulse[0]) / h, tension, near_one(stepper) * tension);
                CHECK_NEAR(position(one).z + position(two).z, 0, near);
            }
}

/* A slack rope leaves both alone until it is taut; then both have the velocity that momentum gives them. */
static void a_slack_rope_does_nothing_until_it_is_taut(void)
{
    int i, taut = 0;
    nsc_id one, two;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0);
    one = solid(1, 1, vec(-1, 0, 0.5), vec(0, 0, -1)), two = solid(3, 1, vec(1, 0, 0), vec(0, 0, 0));
    for (i = 0; i < 128; i++) {
        pulley(0, one, two, 0, 1);
        CHECK(step(1 / 128.) == NSC_OK);
        if (i < 63) CHECK(!(rows[0].impulse[0] > 0));
        taut += rows[0].impulse[0] > 0;
    }
    CHECK(taut > 0);
    CHECK_NEAR(velocity(one).z, -0.25, 100 * EPS); /* impulse 3/4: -1 + 3/4 and 3/4 / 3 */
    CHECK_NEAR(velocity(two).z, 0.25, 100 * EPS);
    CHECK_NEAR(position(one).z + position(two).z, 0, 100 * EPS);
}

/* Rack of mass m, pinion of inertia I and radius r: under force F on the rack a = F / (m + I / r^2) */
static void a_rack_turns_its_pinion(void)
{
    const double m = 2, I = 0.3, radius = 0.25, F = 5, h = 1 / 64., a = F / (m + I / (radius * radius));
    int i, stepper;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_id rack, pinion;
        begin(stepper, 0);
        rack = solid(m, 1, vec(0, 0, 0), vec(0, 0, 0)), pinion = solid(1, I, vec(0, radius, 0), vec(0, 0, 0));
        rows[0].body_a = rack, rows[0].body_b = pinion, rows[0].count = 1;
        rows[0].J[0][0] = 1, rows[0].J[0][11] = R(-radius);
        for (i = 0; i < 64; i++) {
            CHECK(nsc_body_add_force(&world, rack, vec(F, 0, 0), vec(0, 0, 0)) == NSC_OK);
            CHECK(step(h) == NSC_OK);
        }
        CHECK_NEAR(velocity(rack).x, a, 300 * EPS);
        CHECK_NEAR(spin(pinion).z, a / radius, 1500 * EPS);
        CHECK_NEAR(D(rows[0].impulse[0]) / h, -(F - m * a), near_one(stepper)); /* on the rack, along +x */
    }
}

#if NSC_MAX_JOINTS > 0
/* Three rows at once, as a ball joint has them: a point of a body stays where it is, whatever it does; as nsc's own joint does */
static void three_rows_are_a_ball_joint(void)
{
    static const int with_joint[2] = {0, 1};
    nsc_vec3 end[2];
    int way, i, k;
    for (way = 0; way < 2; way++) {
        nsc_id id;
        begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10);
        id = solid(1, 0.1, vec(1, 0, 0), vec(0, 1, 0));
        calls.row_count = !with_joint[way];
        if (with_joint[way]) {
            nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, id);
            j.frame_b.position = vec(-1, 0, 0);
            CHECK(nsc_world_add_joint(&world, &j) > 0);
        }
        for (i = 0; i < 100; i++) {
            nsc_rows *r = &rows[0];
            nsc_pose pose;
            nsc_vec3 arm;
            CHECK(nsc_body_get_pose(&world, id, &pose) == NSC_OK);
            arm = rotate(pose.orientation, vec(-1, 0, 0));
            memset(r->J, 0, sizeof r->J);
            r->body_a = NSC_GROUND, r->body_b = id, r->count = 3;
            for (k = 0; k < 3; k++) {
                nsc_vec3 d = vec(k == 0, k == 1, k == 2), c = cross(arm, d), off = plus(pose.position, arm);
                r->J[k][6] = d.x, r->J[k][7] = d.y, r->J[k][8] = d.z;
                r->J[k][9] = c.x, r->J[k][10] = c.y, r->J[k][11] = c.z;
                r->error[k] = R(dot(d, off));
            }
            CHECK(step(1 / 100.) == NSC_OK);
        }
        end[way] = position(id);
    }
    CHECK_NEAR(length(minus(end[0], end[1])), 0, 1e5 * EPS);
    CHECK_NEAR(length(end[0]), 1, 0.01);
}
#endif

/* A motor holds its rate; where its limit does not suffice, it accelerates by the limit. */
static void a_motor_is_held_by_its_limits(void)
{
    int stepper, i;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_id b;
        begin(stepper, 0);
        world.def.substeps = 1 + 3 * (stepper % 2);
        b = solid(2, 1, vec(0, 0, 0), vec(0, 0, 0));
        for (i = 0; i < 64; i++) {
            rows[0].body_b = b, rows[0].count = 1;
            rows[0].J[0][6] = 1, rows[0].rate[0] = 3, rows[0].limited[0] = 1, rows[0].lower[0] = -8, rows[0].upper[0] = 8;
            CHECK(step(1 / 64.) == NSC_OK);
            if (stepper < NSC_STEPPER_HHT || i < 46) /* a = 8 / 2; where it ends, the others ring */
                CHECK_NEAR(velocity(b).x, 4 * (i + 1) / 64. < 3 ? 4 * (i + 1) / 64. : 3, 2000 * EPS);
        }
        CHECK_NEAR(velocity(b).x, 3, 0.01);
    }
}

/* A damped row with a rate, m dv/dt = -d (v - rate), by implicit Euler */
static void a_damper_may_move(void)
{
    double v = 0;
    int i;
    nsc_id b;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0);
    b = solid(2, 1, vec(0, 0, 0), vec(0, 0, 0));
    rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1, rows[0].rate[0] = 3, rows[0].damping[0] = 5;
    for (i = 0; i < 64; i++) {
        CHECK(step(1 / 64.) == NSC_OK);
        v = (v + 5 / 64. * 3 / 2) / (1 + 5 / 64. / 2);
        CHECK_NEAR(velocity(b).x, v, 200 * EPS);
    }
}

/* One sweep a step: each begins where the last ended, and so the loads are found in the end. */
static void the_next_step_begins_with_the_last_impulses(void)
{
    nsc_id upper, lower;
    int i;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10);
    upper = solid(1, 1, vec(0, 0, -1), vec(0, 0, 0)), lower = solid(3, 1, vec(0, 0, -2), vec(0, 0, 0));
    calls.solve = NULL, calls.row_count = 2, world.def.solver.max_iterations = 1;
    for (i = 0; i < 400; i++) {
        rows[0].body_b = upper, rows[0].count = 1, rows[0].J[0][8] = 1, rows[0].error[0] = R(D(position(upper).z) + 1);
        rows[1].body_a = upper, rows[1].body_b = lower, rows[1].count = 1, rows[1].J[0][2] = -1, rows[1].J[0][8] = 1;
        rows[1].error[0] = R(D(position(lower).z) - D(position(upper).z) + 1);
        CHECK(step(1 / 64.) == NSC_OK);
    }
    CHECK_NEAR(rows[0].impulse[0] * 64, 40, 0.1);
    CHECK_NEAR(rows[1].impulse[0] * 64, 30, 0.1);
}

/* A row with stiffness and damping is the spring that nsc_springs.h has along a line that does not turn. */
static void a_soft_row_is_a_spring(void)
{
    int stepper, way, i;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_vec3 end[2], v[2];
        for (way = 0; way < 2; way++) {
            nsc_id b;
            begin(stepper, 0);
            b = solid(2, 1, vec(1.2, 0, 0), vec(0.5, 0, 0));
            calls.row_count = way;
            if (way == 0) {
                nsc_spring_def s = nsc_default_spring_def(NSC_GROUND, b);
                s.rest = 1, s.stiffness = 50, s.damping = 3;
                CHECK(nsc_world_add_spring(&world, &s) > 0 || nsc_world_last_refusal(&world).code == 0);
            }
            for (i = 0; i < 50; i++) {
                rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1;
                rows[0].error[0] = R(D(position(b).x) - 1), rows[0].stiffness[0] = 50, rows[0].damping[0] = 3;
                CHECK(step(0.01) == NSC_OK);
            }
            end[way] = position(b), v[way] = velocity(b);
        }
        CHECK_NEAR(end[0].x, end[1].x, 300 * EPS);
        CHECK_NEAR(v[0].x, v[1].x, 1000 * EPS);
    }
}

/* Drift is undone: a fifth of it in each step, all of it with EULER_IMPLICIT_PROJECTED */
static void drift_is_undone(void)
{
    int i;
    nsc_id b;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0);
    b = solid(1, 1, vec(0.1, 0, 0), vec(0, 0, 0));
    rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1;
    for (i = 1; i <= 5; i++) {
        rows[0].error[0] = position(b).x;
        CHECK(step(0.1) == NSC_OK);
        CHECK_NEAR(position(b).x, 0.1 * pow(0.8, i), 10 * EPS);
    }
    for (i = 1; i <= 6 && NSC_STEPPERS; i++) {
        begin(NSC_STEPPER_EULER_IMPLICIT_PROJECTED, 0);
        world.def.substeps = i;
        b = solid(1, 1, vec(0.1, 0, 0), vec(0, 0, 0));
        rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1, rows[0].error[0] = R(0.1);
        CHECK(step(0.1) == NSC_OK);
        CHECK_NEAR(position(b).x, 0, 10 * EPS);
        CHECK_NEAR(velocity(b).x, 0, 10 * EPS);
    }
}

/* Motors and brakes spend their force once, under EULER_IMPLICIT_PROJECTED too: x = a t^2 / 2 + a h t / 2 and so on. */
static void motors_and_brakes_spend_their_force_once(void)
{
    int stepper, brake, i;
    for (stepper = 1; stepper <= STEPPERS(2); stepper++)
        for (brake = 0; brake < 2; brake++) {
            double x = 0, v = brake ? 5 : 0, h = 1 / 64.;
            nsc_id b;
            begin(stepper, 0);
            b = solid(2, 1, vec(0, 0, 0), vec(v, 0, 0));
            for (i = 0; i < 32; i++) {
                rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1;
                rows[0].rate[0] = brake ? 0 : 100, rows[0].limited[0] = 1, rows[0].lower[0] = -8, rows[0].upper[0] = 8;
                CHECK(step(h) == NSC_OK);
                v += h * (brake ? -4 : 4), x += h * v;
            }
            CHECK_NEAR(velocity(b).x, v, 200 * EPS);
            CHECK_NEAR(position(b).x, x, 200 * EPS);
        }
}

/* A limit of 0 is no force at all. */
static void a_motor_turned_down_to_nothing_exerts_nothing(void)
{
    nsc_id b;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0);
    b = solid(2, 1, vec(0, 0, 0), vec(0, 0, 0));
    rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1, rows[0].rate[0] = 100, rows[0].limited[0] = 1;
    CHECK(step(0.01) == NSC_OK);
    CHECK_NEAR(velocity(b).x, 0, 0);
}

/* A servo along a path, with stiffness, damping and the rate of the path, does not lag behind it, in any stepper. */
static void a_servo_follows_its_path(void)
{
    int stepper, i;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        double x = 0, h = 1 / 64.;
        nsc_id b;
        begin(stepper, 0);
        world.def.substeps = 1 + stepper % 3;
        b = solid(2, 1, vec(0, 0, 0), vec(1, 0, 0));
        for (i = 0; i < 128; i++, x += h) {
            rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][6] = 1;
            rows[0].error[0] = R(D(position(b).x) - x), rows[0].rate[0] = 1, rows[0].stiffness[0] = 1000, rows[0].damping[0] = 50;
            CHECK(step(h) == NSC_OK);
        }
        CHECK_NEAR(position(b).x, x, 2000 * EPS);
        CHECK_NEAR(velocity(b).x, 1, 10 * near_one(stepper));
    }
}

/* A ball that bounces without loss on a platform which a motor lifts: the platform's work is not a gain to be cut. */
static void a_lift_may_do_work_on_what_bounces(void)
{
    double top[2];
    int way, i;
    for (way = 0; way < 2; way++) { /* the platform is kinematic, or lifted by a row without limits */
        nsc_shape_def s = nsc_default_sphere_def(R(0.1)), plate = nsc_default_box_def(1, 1, R(0.1));
        nsc_body_def d = nsc_default_body_def();
        nsc_id platform, ball;
        begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10);
        s.restitution = plate.restitution = 1, plate.density = 5000;
        d.kind = way ? NSC_DYNAMIC_BODY : NSC_KINEMATIC_BODY, d.velocity = vec(0, 0, 1), d.pose.position = vec(0, 0, -0.1);
        platform = nsc_world_add_body(&world, &d);
        d.kind = NSC_DYNAMIC_BODY, d.velocity = vec(0, 0, 0), d.pose.position = vec(0, 0, 0.6);
        ball = nsc_world_add_body(&world, &d);
        CHECK(nsc_world_add_shape(&world, platform, &plate) >= 0 && nsc_world_add_shape(&world, ball, &s) >= 0);
        rows[0].body_b = platform, rows[0].count = 1, rows[0].J[0][8] = 1, rows[0].rate[0] = 1;
        calls.row_count = way;
        for (i = 0, top[way] = 0; i < 400; i++) {
            CHECK(step(1e-3) == NSC_OK);
            if (D(velocity(ball).z) > top[way]) top[way] = D(velocity(ball).z);
        }
    }
    CHECK(top[0] > 3.5);
    CHECK_NEAR(top[1], top[0], 0.02);
}

/* What the stepper refuses of joints it refuses of rows, and an entry that is not in use may hold anything. */
static void steppers_refuse_of_rows_what_they_refuse_of_joints(void)
{
    int stepper;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_id b;
        begin(stepper, 10);
        b = solid(1, 1, vec(0, 0, 0), vec(0, 0, 0));
        rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][8] = 1;
        rows[1].body_a = 77, rows[1].lower[0] = R(HUGE_VAL), calls.row_count = 2;
        CHECK(step(0.01) == NSC_OK); /* gamma is above 1/2 by default */
        rows[0].limited[0] = 1, rows[0].upper[0] = R(HUGE_VAL);
        CHECK(step(0.01) == (has_impacts(stepper) ? NSC_OK : NSC_ERR_STEPPER_CONTACT));
        rows[0].limited[0] = 0;
        if (stepper != NSC_STEPPER_NEWMARK) continue;
        world.def.gamma = R(0.5), world.def.beta = R(0.25);
        CHECK(step(0.01) == NSC_ERR_STEPPER_JOINTS);
        CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_rows") == 0);
        rows[0].stiffness[0] = 100;
        CHECK(step(0.01) == NSC_OK);
    }
}

/* A row that only pushes is a floor: the gap closes, no more; and one that only pulls a ceiling. */
static void a_row_that_only_pushes_is_a_floor(void)
{
    int sign, i;
    for (sign = -1; sign <= 1; sign += 2) {
        nsc_id b;
        begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10 * sign);
        b = solid(2, 1, vec(0, 0, sign), vec(0, 0, 0));
        for (i = 0; i < 100; i++) {
            rows[0].body_b = b, rows[0].count = 1, rows[0].J[0][8] = 1, rows[0].error[0] = position(b).z;
            rows[0].limited[0] = 1, rows[0].lower[0] = sign > 0 ? 0 : R(-HUGE_VAL), rows[0].upper[0] = sign > 0 ? R(HUGE_VAL) : 0;
            CHECK(step(0.01) == NSC_OK);
            CHECK(sign * D(position(b).z) > -10 * EPS);
        }
        CHECK_NEAR(position(b).z, 0, 10 * EPS);
        CHECK_NEAR(rows[0].impulse[0], sign * 0.2, 100 * EPS);
    }
}

/* ---- in a world */

/* Bodies that only rows join are one island, sleep and wake together; asleep the force stays. */
static void rows_join_an_island_that_sleeps_as_one(void)
{
    nsc_world_def d;
    nsc_id one, two;
    double held;
    int i;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10);
    d = world.def, d.sleep_time = R(0.1), d.sleep_speed = R(0.05);
    CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
    one = solid(1, 1, vec(-1, 0, 0), vec(0, 0, 0)), two = solid(1, 1, vec(1, 0, 0), vec(0, 0, 0));
    for (i = 0; i < 40; i++) {
        pulley(0, one, two, 0, 0);
        CHECK(step(0.01) == NSC_OK);
        if (i == 1) CHECK(nsc_world_report(&world)->islands == 1);
    }
    CHECK(nsc_body_is_asleep(&world, one) == 1 && nsc_body_is_asleep(&world, two) == 1);
    held = D(rows[0].impulse[0]);
    CHECK_NEAR(held, 0.1, 100 * EPS);
    CHECK(nsc_body_add_impulse_at(&world, one, vec(0, 0, -1), position(one)) == NSC_OK);
    CHECK(step(0.01) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, two) == 0);
    CHECK_NEAR(velocity(two).z, 0.5, 100 * EPS); /* half of 1 N s on 1 kg */
}

/* The world and the array together are a snapshot; a step that is refused leaves both as they were. */
static void the_array_is_part_of_a_snapshot(void)
{
    nsc_rows kept[NSC_MAX_ROWS];
    nsc_id one, two;
    uint32_t hash[2];
    int i, round;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10);
    one = solid(1, 1, vec(-1, 0, 0), vec(0, 0, 0)), two = solid(3, 1, vec(1, 0, 0), vec(0, 0, 0));
    calls.solve = NULL; /* SIPGS begins where the last step ended */
    world.def.solver.max_iterations = 1;
    for (i = 0; i < 5; i++) pulley(0, one, two, 0, 0), CHECK(step(0.01) == NSC_OK);
    memcpy(&other, &world, sizeof world), memcpy(kept, rows, sizeof kept);
    for (round = 0; round < 2; round++) {
        for (i = 0; i < 15; i++) pulley(0, one, two, 0, 0), CHECK(step(0.01) == NSC_OK);
        hash[round] = nsc_world_hash(&world);
        if (round == 0) memcpy(&world, &other, sizeof world), memcpy(rows, kept, sizeof kept);
    }
    CHECK(hash[0] == hash[1]);
    memcpy(kept, rows, sizeof kept);
    before = world;
    CHECK(nsc_body_add_force(&world, one, vec(0, 0, sizeof(nsc_real) == 8 ? 1e308 : 3e38), vec(0, 0, 0)) == NSC_OK);
    before = world;
    CHECK(step(1e6) == NSC_ERR_NOT_FINITE);
    CHECK(memcmp(kept, rows, sizeof kept) == 0 && memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0);
}

/* ---- refusals */

#define REFUSED(change, wanted, name)                                                                              \
    do {                                                                                                           \
        nsc_rows good[NSC_MAX_ROWS];                                                                               \
        nsc_calls fine = calls;                                                                                    \
        memcpy(good, rows, sizeof good);                                                                           \
        before = world;                                                                                            \
        change;                                                                                                    \
        CHECK(step(0.01) == (wanted));                                                                             \
        CHECK(strcmp(nsc_world_last_refusal(&world).field, name) == 0);                                            \
        CHECK(memcmp(&before, &world, NSC_WORLD_STATE_SIZE) == 0);                                                 \
        memcpy(rows, good, sizeof good), calls = fine;                                                             \
        CHECK(step(0.01) == NSC_OK);                                                                               \
    } while (0)

/* The largest number is a bound as any other. */
static void the_widest_limits_are_taken(void)
{
    nsc_id one;
    int k;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0);
    one = solid(1, 1, vec(0, 0, 0), vec(0, 0, 0));
    for (k = 0; k < 3; k++) {
        pulley(0, one, NSC_GROUND, 0, 0);
        rows[0].limited[0] = 1, rows[0].lower[0] = k == 1 ? -NSC_REAL_MAX : NSC_REAL_MAX;
        rows[0].upper[0] = k == 0 ? R(HUGE_VAL) : rows[0].lower[0];
        CHECK(step(0.01) != NSC_ERR_ARGUMENT);
    }
}

/* Three rows hold a body where it is, whatever pulls it, and leave a pulley beside it alone, which goes as it does without them;
   in two sub-steps. */
static void entries_do_not_mix(void)
{
    int stepper, k, with, i;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_vec3 at[2];
        for (with = 0; with < 2; with++) {
            nsc_id held, one, two;
            nsc_world_def d;
            begin(stepper, 10);
            d = world.def, d.substeps = 2;
            CHECK_ONCE(nsc_world_set_def(&world, &d) == NSC_OK);
            one = solid(3, 1, vec(-1, 0, 0), vec(0, 0, 0)), two = solid(1, 1, vec(1, 0, 0), vec(0, 0, 0));
            held = solid(2, 1, vec(0, 5, 0), vec(0, 0, 0));
            calls.row_count = 1 + with;
            for (i = 0; i < 20; i++) {
                pulley(with, one, two, 0, 0);
                if (with) {
                    rows[0].body_a = held, rows[0].body_b = NSC_GROUND, rows[0].count = 3;
                    for (k = 0; k < 3; k++) rows[0].J[k][k] = 1, rows[0].J[k][6 + k] = -1;
                    rows[0].error[0] = position(held).x, rows[0].error[1] = position(held).y - 5, rows[0].error[2] = position(held).z;
                }
                CHECK_ONCE(step(1 / 128.) >= 0);
            }
            at[with] = position(one);
            if (with) CHECK(length(minus(position(held), vec(0, 5, 0))) < 1e3 * EPS);
        }
        CHECK(length(minus(at[0], at[1])) < 100 * near_one(stepper) && D(at[0].z) < -0.01);
    }
}

static void wrong_rows_are_refused_and_nothing_moves(void)
{
    nsc_real inf = R(HUGE_VAL), nan = inf - inf;
    nsc_id one, two;
    int r;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10);
    one = solid(1, 1, vec(-1, 0, 0), vec(0, 0, 0)), two = solid(1, 1, vec(1, 0, 0), vec(0, 0, 0));
    pulley(0, one, two, 0, 0), pulley(1, one, NSC_GROUND, 0, 0);
    rows[1].count = 3, rows[1].J[1][0] = rows[1].J[2][1] = 1;
    calls.row_count = 2;
    REFUSED(calls.row_count = -1, NSC_ERR_ARGUMENT, "nsc_calls.row_count");
    REFUSED(calls.row_count = NSC_MAX_ROWS + 1, NSC_ERR_ARGUMENT, "nsc_calls.row_count");
    REFUSED(calls.rows = NULL, NSC_ERR_ARGUMENT, "nsc_calls.row_count");
    REFUSED(rows[0].body_a = two, NSC_ERR_ARGUMENT, "body_b");
    REFUSED(rows[1].body_a = 12345, NSC_ERR_HANDLE, "body");
    REFUSED(rows[0].count = 4, NSC_ERR_ARGUMENT, "nsc_rows");
    REFUSED(rows[0].count = -1, NSC_ERR_ARGUMENT, "nsc_rows");
    for (r = 0; r < 3; r++) {
        CASE("row %d", r);
        REFUSED(rows[1].J[r][11] = inf, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED(rows[1].error[r] = nan, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED(rows[1].rate[r] = inf, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED(rows[1].stiffness[r] = -1, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED(rows[1].damping[r] = nan, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED(rows[1].impulse[r] = nan, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED(rows[1].limited[r] = 2, NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED((rows[1].limited[r] = 1, rows[1].lower[r] = 1), NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED((rows[1].limited[r] = 1, rows[1].upper[r] = nan), NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED((rows[1].limited[r] = 1, rows[1].lower[r] = rows[1].upper[r] = inf), NSC_ERR_ARGUMENT, "nsc_rows");
        REFUSED((rows[1].limited[r] = 1, rows[1].lower[r] = rows[1].upper[r] = -inf), NSC_ERR_ARGUMENT, "nsc_rows");
    }
    CHECK(nsc_world_last_refusal(&world).value >= 1);
    calls.row_count = 0, calls.rows = NULL;
    CHECK(step(0.01) == NSC_OK);
    CHECK(nsc_world_step(&world, R(0.01)) == NSC_OK);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    atwoods_machine_falls_as_it_should();
    a_slack_rope_does_nothing_until_it_is_taut();
    a_rack_turns_its_pinion();
#if NSC_MAX_JOINTS > 0
    three_rows_are_a_ball_joint();
#endif
    a_motor_is_held_by_its_limits();
    a_damper_may_move();
    the_next_step_begins_with_the_last_impulses();
    a_soft_row_is_a_spring();
    drift_is_undone();
    motors_and_brakes_spend_their_force_once();
    a_motor_turned_down_to_nothing_exerts_nothing();
    a_servo_follows_its_path();
    a_lift_may_do_work_on_what_bounces();
    steppers_refuse_of_rows_what_they_refuse_of_joints();
    a_row_that_only_pushes_is_a_floor();
    rows_join_an_island_that_sleeps_as_one();
    the_array_is_part_of_a_snapshot();
    the_widest_limits_are_taken();
    entries_do_not_mix();
    wrong_rows_are_refused_and_nothing_moves();
    return TEST_END("rows");
}
