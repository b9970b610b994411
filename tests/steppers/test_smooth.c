/* Smooth contact: restitution, duration and depth in closed form, friction that does not creep, cohesion, implicit and explicit
   steppers, what is refused.  g = 9.81 unless said. */
#define NSC_SMOOTH 1
#define NSC_STEPPERS 1
#define NSC_IMPLEMENTATION
#include "shared.h"
#include <math.h>
#include "random.h"
#include "by.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static NSC_MAYBE_UNUSED nsc_world other;
static nsc_world_def def;
static const int laws[3] = {NSC_SMOOTH_HOOKE, NSC_SMOOTH_HERTZ, NSC_SMOOTH_FLORES};
static const char *const law_name[4] = {"", "HOOKE", "HERTZ", "FLORES"};
static const char *const stepper_name[8] = {"", "LINEARIZED", "PROJECTED", "SYMPLECTIC", "FORWARD", "IMPLICIT", "HHT", "NEWMARK"};

/* ---- scenes ---- */

/* material of the shapes that follow */
typedef struct material { double friction, restitution, young, rolling, torsion, cohesion; } material;
static material of;

static void begin(int stepper, int law, double friction, double restitution, double young)
{
    def = default_def();
    def.contact_model = NSC_CONTACT_SMOOTH;
    def.stepper = stepper, def.contact_law = law;
    of.friction = friction, of.restitution = restitution, of.young = young;
    of.rolling = of.torsion = of.cohesion = 0;
    CASE("stepper %d, smooth law %d", stepper, law);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
}

static void gravity(double x, double y, double z)
{
    def.gravity = vec(x, y, z);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
}

static nsc_id fix(nsc_id body, nsc_shape_def shape)
{
    nsc_id id;
    shape.friction = REAL(of.friction), shape.restitution = REAL(of.restitution), shape.young = REAL(of.young);
    shape.rolling = REAL(of.rolling), shape.torsion = REAL(of.torsion), shape.cohesion = REAL(of.cohesion);
    id = nsc_world_add_shape(&world, body, &shape);
    CHECK(id >= 0);
    return id;
}

static nsc_id add(nsc_shape_def shape, double mass, nsc_vec3 at, nsc_vec3 velocity)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position = at, body.velocity = velocity;
    shape.density = REAL(mass / volume(&shape));
    id = nsc_world_add_body(&world, &body);
    CHECK(id > 0);
    fix(id, shape);
    return id;
}

static nsc_id add_ball(double r, double mass, nsc_vec3 at, nsc_vec3 velocity) { return add(nsc_default_sphere_def(REAL(r)), mass, at, velocity); }

static void run(double h, double time)
{
    int i, n = (int)(time / h + 0.5), bad = 0;
    for (i = 0; i < n; i++) bad += step_by(&world, REAL(h)) != NSC_OK;
    CHECK(bad == 0);
}

/* sum of the contacts' impulses on a body, over h */
static nsc_vec3 support(nsc_id id, double h)
{
    nsc_vec3 sum = vec(0, 0, 0);
    int i;
    for (i = 0; i < world.contact_count; i++) {
        const nsc_contact *c = &world.contacts[i];
        double sign = c->body_b == id ? 1 : c->body_a == id ? -1 : 0;
        sum = vec(D(sum.x) + sign * D(c->impulse.x) / h, D(sum.y) + sign * D(c->impulse.y) / h, D(sum.z) + sign * D(c->impulse.z) / h);
    }
    return sum;
}

/* ---- impacts ---- */

static int substeps = 1; /* of the collisions that follow */

/* Two balls head on; out: the restitution found, the longest touch, the deepest point */
static double collide(int stepper, int law, double e, double h, double *duration, double *depth)
{
    nsc_id a, b;
    int i, touching = 0;
    *duration = *depth = 0;
    begin(stepper, law, 0.5, e, 2e5);
    def.substeps = substeps;
    gravity(0, 0, 0);
    a = add_ball(0.5, 1, vec(-0.501, 0, 0), vec(1, 0, 0));
    b = add_ball(0.5, 1, vec(0.501, 0, 0), vec(-1, 0, 0));
    for (i = 0; i * h < 0.4; i++) {
        CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
        if (world.contact_count == 1 && D(world.contacts[0].gap) < 0) {
            touching = 1, *duration += h;
            *depth = fmax(*depth, -D(world.contacts[0].gap));
        } else if (touching) break;
    }
    CHECK(touching);
    return (D(velocity(b).x) - D(velocity(a).x)) / 2;
}

static void restitution_is_the_given_one(void)
{
    static const double es[5] = {0, 0.25, 0.5, 0.75, 1};
    int l, k;
    for (l = 0; l < 3; l++) {
        double worst = 0, t, d;
        for (k = 0; k < 5; k += trials(2, 1)) worst = fmax(worst, fabs(collide(NSC_STEPPER_EULER_SYMPLECTIC, laws[l], es[k], 3e-5, &t, &d) - es[k]));
        printf("smooth: restitution with %s, largest error %.2e\n", law_name[laws[l]], worst);
        CHECK(worst < 1e-3);
        substeps = 8;
        CHECK_NEAR(collide(NSC_STEPPER_EULER_SYMPLECTIC, laws[l], 0.5, 2.4e-4, &t, &d), 0.5, 2e-3);
        substeps = 1;
    }
}

static void an_impact_lasts_and_sinks_as_hertz_says(void)
{
    double m = 0.5, R = 0.25, E = 1 / (2 * (1 - 0.09) / 2e5), v = 2, t, d, K = 4.0 / 3 * E * sqrt(R), k;
    double duration = 2.8683 * pow(m * m / (R * E * E * v), 0.2), depth = pow(5 * m * v * v / (4 * K), 0.4);
    collide(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_HERTZ, 1, 3e-5, &t, &d);
    CHECK_NEAR(t, duration, 0.01 * duration);
    CHECK_NEAR(d, depth, 0.002 * depth);
    K = 16.0 / 15 * E * sqrt(R), k = K * pow(m * 1 / K, 0.2); /* made for 1 m/s */
    collide(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_HOOKE, 1, 3e-5, &t, &d);
    CHECK_NEAR(t, pi * sqrt(m / k), 0.01 * t);
    CHECK_NEAR(d, v * sqrt(m / k), 0.002 * d);
}

/* The speed at which a touch began is kept until it ends, and is not less than bounce_speed. */
static void impact_speed_is_kept_until_the_touch_ends(void)
{
    static const double speeds[2] = {1, 0.01};
    int k, i, seen;
    for (k = 0; k < 2; k++) {
        begin(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_FLORES, 0.5, 0.5, 2e5);
        gravity(0, 0, 0);
        add_ball(0.5, 1, vec(-0.5001, 0, 0), vec(speeds[k], 0, 0));
        add_ball(0.5, 1, vec(0.5001, 0, 0), vec(-speeds[k], 0, 0));
        for (i = seen = 0; i < 20000 && seen < 20; i++) {
            CHECK(step_by(&world, REAL(1e-4)) == NSC_OK);
            if (world.contact_count != 1 || !(world.contacts[0].gap < 0)) continue;
            seen++;
            CHECK_NEAR(world.contacts[0].impact, fmax(2 * speeds[k], D(def.bounce_speed)), 1e-5);
        }
        CHECK(seen == 20);
    }
}

/* Implicit steppers of a small step find the same restitution; Newton's converge. */
static void implicit_steppers_find_the_same_restitution(void)
{
    static const int steppers[5] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_IMPLICIT_PROJECTED, NSC_STEPPER_EULER_IMPLICIT,
                                    NSC_STEPPER_HHT, NSC_STEPPER_NEWMARK};
    int i, l;
    double t, d;
    for (i = 0; i < 5; i++)
        for (l = 0; l < 3; l++) {
            double half, full;
            if (!test_long() && l != i % 3) continue;
            half = collide(steppers[i], laws[l], 0.5, 1e-4, &t, &d), full = collide(steppers[i], laws[l], 1, 1e-4, &t, &d);
            printf("smooth: %s %s at 0.1 ms: e 0.5 -> %.4f, 1 -> %.4f\n", stepper_name[steppers[i]], law_name[laws[l]], half, full);
            CHECK(fabs(half - 0.5) < 0.012 && full < 1 + 1e-3 && full > 0.97);
            CHECK(world.report.unsettled == 0);
        }
}

/* ---- at rest ---- */

static void a_ball_at_rest_sinks_by_its_weight(void)
{
    static const int steppers[7] = {1, 2, 3, 4, 5, 6, 7};
    int i, l;
    for (i = 0; i < 7; i++)
        for (l = 0; l < 3; l++) {
            double E = 1 / ((1 - 0.09) / 2e6 * 2), K = 4.0 / 3 * E * sqrt(0.5), h = steppers[i] == 3 || steppers[i] == 4 ? 2e-4 : 1e-3, depth;
            double hooke = 16.0 / 15 * E * sqrt(0.5);
            nsc_id b;
            begin(steppers[i], laws[l], 0.5, 0.2, 2e6);
            fix(NSC_GROUND, nsc_default_half_space_def());
            depth = pow(g / K, 2.0 / 3);
            if (laws[l] == NSC_SMOOTH_HOOKE) depth = g / (hooke * pow(1 / hooke, 0.2));
            b = add_ball(0.5, 1, vec(0, 0, 0.5 - depth), vec(0, 0, 0));
            run(h, trials(1, 2));
            CHECK_NEAR(0.5 - D(position(b).z), depth, depth * (is_double ? 1e-3 : 1e-2));
            CHECK_NEAR(support(b, h).z, g, 0.01 * g);
            CHECK(world.report.unsettled == 0);
        }
}

/* Stiff as polyethylene at h = 1/240: a ball, dropped, comes to rest at the right depth; and a box on four corners. */
static void stiff_contact_comes_to_rest_at_the_right_depth(void)
{
    static const int steppers[5] = {1, 2, 5, 6, 7};
    int i, l, box;
    for (i = 0; i < 5; i++)
        for (l = 0; l < 3; l++)
            for (box = 0; box < 2; box++) {
                double E = 1 / ((1 - 0.09) / 1e9 * 2), R = box ? 0.1 : 0.5, load = box ? g / 4 : g, K = 4.0 / 3 * E * sqrt(R), depth;
                double hooke = 0.8 * K, h = 1.0 / 240, low = 1, fast = 0;
                nsc_id b;
                int k, unsettled = 0;
                begin(steppers[i], laws[l], 0.5, 0, 1e9);
                def.solver.max_iterations = 1000;
                gravity(0, 0, -g);
                fix(NSC_GROUND, nsc_default_half_space_def());
                b = box ? add(nsc_default_box_def(REAL(0.5), REAL(0.5), REAL(0.5)), 1, vec(0, 0, 0.7), vec(0, 0, 0)) : add_ball(0.5, 1, vec(0, 0, 0.7), vec(0, 0, 0));
                depth = pow(load / K, 2.0 / 3);
                if (laws[l] == NSC_SMOOTH_HOOKE) depth = load / (hooke * pow((box ? 0.25 : 1) / hooke, 0.2));
                for (k = 0; k < 240 * 3; k++) {
                    CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
                    unsettled += world.report.unsettled;
                    low = fmin(low, D(position(b).z) - 0.5);
                    if (k > 480) fast = fmax(fast, length(velocity(b)));
                }
                if (laws[l] != NSC_SMOOTH_HOOKE || !box) CHECK_NEAR(0.5 - D(position(b).z), depth, depth * 0.01 + (is_double ? 0 : 6e-7)); /* float: ten roundings of the position */
                if (!(fast < 1e-3 && low > -2e-3 && unsettled == 0)) printf("stiff %s %s box %d: fast %g low %g unsettled %d\n", stepper_name[steppers[i]], law_name[laws[l]], box, fast, low, unsettled);
                CHECK(fast < 1e-3 && low > -2e-3 && unsettled == 0);
                CHECK_NEAR(support(b, h).z, g, 0.01 * g);
            }
}

/* ---- friction ---- */

/* A box on a slope: gravity is turned, not the ground */
static nsc_id on_slope(int stepper, int law, double mu, double angle, double azimuth)
{
    nsc_id b;
    begin(stepper, law, mu, 0.3, 2e6);
    fix(NSC_GROUND, nsc_default_half_space_def());
    b = add(nsc_default_box_def(REAL(0.5), REAL(0.5), REAL(0.1)), 1, vec(0, 0, 0.09995), vec(0, 0, 0));
    gravity(g * sin(angle) * cos(azimuth), g * sin(angle) * sin(azimuth), -g * cos(angle));
    return b;
}

static void a_slope_holds_below_the_cone_and_slides_above_it_by_coulombs_law(void)
{
    static const int steppers[7] = {1, 2, 3, 4, 5, 6, 7};
    int i, l, a;
    double worst = 0;
    for (i = 0; i < 7; i++)
        for (l = 0; l < 3; l++)
            for (a = 0; a < 3; a++) {
                double h = steppers[i] == 3 || steppers[i] == 4 ? 2e-4 : 1.0 / 240, azimuth = 0.4 * a, angle = atan(0.5) - 0.01, v0;
                nsc_id b;
                nsc_vec3 from;
                if (steppers[i] != NSC_STEPPER_EULER_SYMPLECTIC && a > 0 && l != 1) continue;
                if (!test_long() && h < 1e-3 && (a > 0 || l != 1)) continue;
                b = on_slope(steppers[i], laws[l], 0.5, angle, azimuth);
                run(h, 1);
                from = position(b);
                run(h, l == 1 && a == 1 ? trials(4, 10) : 2);
                worst = fmax(worst, length(minus(position(b), from)));
                if (!(length(minus(position(b), from)) < 1e-6)) printf("drift %s %s azimuth %g: %g\n", stepper_name[steppers[i]], law_name[laws[l]], azimuth, length(minus(position(b), from)));
                CHECK(length(minus(position(b), from)) < 1e-6);
                b = on_slope(steppers[i], laws[l], 0.5, atan(0.5) + 0.1, azimuth);
                run(h, 0.2);
                v0 = length(velocity(b));
                run(h, 0.5);
                angle = atan(0.5) + 0.1;
                CHECK_NEAR((length(velocity(b)) - v0) / 0.5, g * (sin(angle) - 0.5 * cos(angle)), 0.01);
                CHECK_NEAR(atan2(D(velocity(b).y), D(velocity(b).x)), azimuth, 0.002);
            }
    printf("smooth: largest drift on a slope %.1e m\n", worst);
}

/* A box dropped flat that slides: friction never points along the slide, however fast the damper makes the normal force grow, so the
   speed falls all the way. */
static void friction_of_a_box_dropped_sliding_never_pushes_it_forward(void)
{
    static const double es[3] = {0, 0.3, 0.9}, youngs[3] = {2e5, 2e6, 1e9};
    int i, l, k, n;
    double worst = 0, up = 0;
    for (n = 2; n < 16; n++)
        for (l = 0; l < 3; l++)
            for (k = 0; k < 9; k++) {
                double E = youngs[k / 3], h = n / 2 == 3 || n / 2 == 4 ? (k > 5 ? 2e-5 : 2e-4) : 1e-3, azimuth = 0.4 * k;
                double last, push = 0;
                nsc_vec3 way = vec(cos(azimuth), sin(azimuth), 0);
                nsc_id b;
                int slid = 0;
                if (test_quick() && (3 * l + k + n) % 7) continue;
                if (!test_long() && (test_quick() || n % 2 || k > 5) && (l + k + n / 2) % 3) continue;
                begin(n / 2, laws[l], 0.5, es[k % 3], E);
                def.substeps = 1 + n % 2 * 3;
                gravity(0, 0, -g);
                fix(NSC_GROUND, nsc_default_half_space_def());
                b = add(nsc_default_box_def(REAL(0.5), REAL(0.5), REAL(0.1)), 1, vec(0, 0, 0.1005), vec(cos(azimuth), sin(azimuth), -0.3));
                for (i = 0; i * h < (h < 1e-4 ? 0.05 : 0.4); i++) {
                    int c;
                    last = dot(velocity(b), way);
                    CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
                    if (dot(velocity(b), way) < 0.1) break; /* then a corner may turn back, as the box tips */
                    up = fmax(up, dot(velocity(b), way) - last);
                    for (c = 0; c < world.contact_count; c++) {
                        double power = dot(world.contacts[c].impulse, way) / h; /* the normal has no part in it */
                        slid += power < -0.1;
                        push = fmax(push, power);
                    }
                }
                if (push > 1e-3 || !slid) printf("%s %s e %g E %g: pushed by %g N\n", stepper_name[n / 2], law_name[laws[l]], es[k % 3], E, push);
                worst = fmax(worst, push);
                CHECK(slid);
            }
    printf("smooth: a box that slides gains at most %.1e m/s in a step, by %.1e N\n", up, worst);
    CHECK(worst <= 0 && up <= 1.5 * D(NSC_REAL_EPS)); /* rounding of 1 m/s, of two components, where a contact opened within the sweeps */
}

/* The stretch is that of Mindlin's spring. */
static void the_stretch_is_that_of_mindlins_spring(void)
{
    double pull = 0, kappa = 2 * (1 - 0.3) / (2 - 0.3);
    int i;
    on_slope(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_HERTZ, 0.5, 0.3, 0);
    run(2e-4, 2);
    CHECK(world.contact_count == 4);
    for (i = 0; i < world.contact_count; i++) {
        const nsc_contact *c = &world.contacts[i];
        CHECK_NEAR(c->tangential, kappa, 1e-6);
        pull += 1.5 * D(c->hertz) * sqrt(-D(c->gap)) * kappa * D(c->shear.x);
    }
    CHECK_NEAR(pull, g * sin(0.3), 0.001 * g);
}

/* Where nothing slips the stretch is the way gone, by whatever rule the stepper moves. */
static void without_slip_the_stretch_is_the_way_gone(void)
{
    int n;
    for (n = 2; n < 16; n++) {
        nsc_body_def body = nsc_default_body_def();
        nsc_id b;
        int i, stuck = 1;
        begin(n / 2, NSC_SMOOTH_HERTZ, 0.9, 0.3, 2e6);
        def.substeps = 1 + n % 2 * 3;
        gravity(1, 0, -g);
        fix(NSC_GROUND, nsc_default_half_space_def());
        body.particle = 1, body.mass = 1, body.pose.position = vec(0, 0, 0.4996);
        b = nsc_world_add_body(&world, &body);
        fix(b, nsc_default_sphere_def(REAL(0.5)));
        for (i = 0; i < 30; i++) {
            CHECK(step_by(&world, REAL(1e-3)) == NSC_OK);
            stuck &= fabs(D(world.contacts[0].shear.x) - D(position(b).x)) < (is_double ? 1e-15 : 1e-9);
        }
        CHECK(stuck && D(position(b).x) > 1e-6);
    }
}

/* So does a ball stuck to a plate that slides off under it: the stretch is how far they have parted. */
static void on_a_sliding_plate_the_stretch_is_the_way_apart(void)
{
    int n;
    for (n = 2; n < 16; n++) {
        nsc_body_def body = nsc_default_body_def();
        nsc_id plate, ball;
        int i, k, stuck = 1;
        begin(n / 2, NSC_SMOOTH_HERTZ, 0, 0.3, 2e6);
        def.substeps = 1 + n % 2 * 3;
        gravity(0, 0, -g);
        fix(NSC_GROUND, nsc_default_half_space_def()); /* smooth: without friction */
        of.friction = 0.9;
        body.particle = 1, body.mass = 3, body.pose.position = vec(0, 0, 0.0996), body.velocity = vec(0.01, 0, 0);
        plate = nsc_world_add_body(&world, &body);
        fix(plate, nsc_default_box_def(REAL(1), REAL(1), REAL(0.1)));
        body.mass = 1, body.pose.position = vec(0, 0, 0.6992), body.velocity = vec(0, 0, 0);
        ball = nsc_world_add_body(&world, &body);
        fix(ball, nsc_default_sphere_def(REAL(0.5)));
        for (i = 0; i < 10; i++) {
            CHECK(step_by(&world, REAL(1e-3)) == NSC_OK);
            for (k = 0; k < world.contact_count; k++) {
                const nsc_contact *c = &world.contacts[k];
                double apart = D(position(ball).x) - D(position(plate).x);
                if (c->body_a != ball && c->body_b != ball) continue;
                stuck &= fabs(D(c->shear.x) * (c->body_b == ball ? 1 : -1) - apart) < (is_double ? 1e-15 : 1e-9);
            }
        }
        CHECK(world.contact_count == 5 && stuck && D(position(plate).x) > 2e-5);
    }
}

/* So between two bodies, however stiff they are: the upper box is pulled below the cone, the lower one is held by its own weight on
   rough ground, and the springs of each layer bear the pull.  Both rest. */
static void the_stretch_between_two_boxes_bears_the_pull(void)
{
    static const int steppers[3] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_IMPLICIT, NSC_STEPPER_HHT};
    static const double youngs[2] = {2e6, 2e9};
    double kappa = 2 * (1 - 0.3) / (2 - 0.3);
    int i, n, e;
    for (n = 0; n < 3; n++)
        for (e = 0; e < 2; e++) {
            nsc_id box[2];
            double pull[2] = {0, 0};
            if (test_quick() && e != n % 2) continue;
            begin(steppers[n], NSC_SMOOTH_HERTZ, 0.5, 0.1, youngs[e]);
            def.solver.max_iterations = 1000;
            gravity(0, 0, -g);
            fix(NSC_GROUND, nsc_default_half_space_def());
            for (i = 0; i < 2; i++) box[i] = add(nsc_default_box_def(REAL(0.3), REAL(0.3), REAL(0.1)), 1, vec(0, 0, 0.1 + 0.2 * i), vec(0, 0, 0));
            for (i = 0; i < 900; i++) {
                CHECK(nsc_body_add_force(&world, box[1], vec(2, -1, 0), vec(0, 0, 0)) == NSC_OK);
                run(2e-3, 2e-3);
            }
            CHECK(world.contact_count == 8);
            CHECK(length(velocity(box[0])) < 1e-4 && length(velocity(box[1])) < 1e-4);
            for (i = 0; i < world.contact_count; i++) {
                const nsc_contact *c = &world.contacts[i];
                int over = c->body_a == box[0] || c->body_b == box[0] ? (c->body_a == box[1] || c->body_b == box[1]) : 0;
                double k = 1.5 * D(c->hertz) * sqrt(fmax(-D(c->gap), 0)) * kappa, sign = c->body_b == box[over] ? 1 : -1;
                pull[over] += sign * k * (2 * D(c->shear.x) - D(c->shear.y)) / 5; /* along the pull, of sqrt(5) N */
            }
            printf("smooth: two boxes %s E %g: the springs bear %.5f and %.5f of the pull\n", stepper_name[steppers[n]], youngs[e], pull[0], pull[1]);
            for (i = 0; i < 2 && n > 0; i++) CHECK_NEAR(pull[i], 1, 0.01); /* LINEARIZED has the chord's stiffness */
        }
}

/* Slide to roll: v = 5/7 v0 after 2 v0 / (7 mu g) */
static void a_sliding_ball_rolls_at_five_sevenths_of_its_speed(void)
{
    int n, i;
    for (n = 2; n < 16; n++) {
        double h = n / 2 == 3 || n / 2 == 4 ? 1e-4 : 1e-3, v0 = 5, mu = 0.2, t = 2 * v0 / (7 * mu * g);
        nsc_id b;
        i = n / 2;
        begin(i, NSC_SMOOTH_HERTZ, mu, n % 2 ? 0 : 0.3, 2e6); /* without restitution the tangent still is not overdamped */
        fix(NSC_GROUND, nsc_default_half_space_def());
        b = add_ball(0.5, 1, vec(0, 0, 0.4998), vec(v0, 0, 0));
        run(h, t * 0.9);
        CHECK(D(velocity(b).x) - 0.5 * D(spin(b).y) > 0.1);
        run(h, t * 0.1);
        CHECK_NEAR(position(b).x, 12 * v0 * v0 / (49 * mu * g), 0.02);
        run(h, 0.3);
        CHECK_NEAR(velocity(b).x, 5 * v0 / 7, 0.01);
        CHECK_NEAR(D(velocity(b).x) - 0.5 * D(spin(b).y), 0, 0.002);
    }
}

static void rolling_resistance_holds_slows_and_stops_spin(void)
{
    int i;
    for (i = 1; i <= 7; i++) {
        double h = i == 3 || i == 4 ? 2e-4 : 1.0 / 240, rho = 0.02, angle = atan(rho / 0.5) * 0.9;
        nsc_id b;
        nsc_vec3 from;
        begin(i, NSC_SMOOTH_HERTZ, 0.5, 0.2, 2e6);
        of.rolling = rho, of.torsion = 0.01;
        fix(NSC_GROUND, nsc_default_half_space_def());
        b = add_ball(0.5, 1, vec(0, 0, 0.4998), vec(0, 0, 0));
        gravity(g * sin(angle), 0, -g * cos(angle));
        run(h, sample(4, 5));
        from = position(b);
        run(h, sample(2, 3));
        CHECK(length(minus(position(b), from)) < (is_double ? 1e-6 : 2e-6));
        angle = atan(rho / 0.5) * 2;
        gravity(g * sin(angle), 0, -g * cos(angle));
        run(h, 0.5);
        from = velocity(b);
        run(h, 1);
        CHECK_NEAR(D(velocity(b).x) - D(from.x), (g * sin(angle) - rho / 0.5 * g * cos(angle)) * 5 / 7, 0.01);
        gravity(0, 0, -g);
        CHECK(nsc_body_set_velocity(&world, b, vec(0, 0, 0), vec(0, 0, 2)) == NSC_OK); /* 0.01 N over 0.1 kg m^2: 0.981 rad/s^2 */
        run(h, 1);
        CHECK_NEAR(spin(b).z, 2 - g * 0.01 / (0.4 * 0.25), 0.02);
        run(h, 3);
        CHECK(fabs(D(spin(b).z)) < 1e-4);
    }
}

/* A box on a turntable stays where it is: what it leans on turns with it. */
static void a_box_stays_where_it_is_on_a_turntable(void)
{
    int i;
    for (i = 1; i <= 7; i++) {
        double h = i == 3 || i == 4 ? 2e-4 : 1e-3, more = sample(2, 4), first, lag, r;
        nsc_body_def table = nsc_default_body_def();
        nsc_id b, t;
        begin(i, NSC_SMOOTH_HERTZ, 0.5, 0.3, 2e6);
        table.kind = NSC_KINEMATIC_BODY;
        table.pose.position = vec(0, 0, -0.1);
        table.angular_velocity = vec(0, 0, 1.5);
        t = nsc_world_add_body(&world, &table);
        fix(t, nsc_default_box_def(REAL(3), REAL(3), REAL(0.1)));
        b = add(nsc_default_box_def(REAL(0.2), REAL(0.2), REAL(0.05)), 1, vec(1.5, 0, 0.0499), vec(0, 2.25, 0));
        CHECK(nsc_body_set_velocity(&world, b, vec(0, 2.25, 0), vec(0, 0, 1.5)) == NSC_OK); /* 3.4 m/s^2 of 4.9 */
        run(h, 3);
        first = hypot(D(position(b).x), D(position(b).y));
        lag = atan2(D(position(b).y), D(position(b).x)) - 4.5;
        run(h, more);
        r = hypot(D(position(b).x), D(position(b).y));
        CHECK(fabs(r - first) < 4 * h * 3.375 / 2 * 1.05 + 1e-4); /* a step leaves the circle by its tangent */
        CHECK_NEAR(spin(b).z, 1.5, 1e-3);
        lag -= atan2(D(position(b).y), D(position(b).x)) - 4.5 - 1.5 * more;
        CHECK_NEAR(sin(lag), 0, is_double ? 2e-5 : 1e-4); /* it does not creep round on its stretch: 3e-4 */
    }
}

/* What sleeps on a slope has kept what it leans on when it is woken. */
static void what_sleeps_on_a_slope_keeps_its_stretch(void)
{
    nsc_id b = on_slope(1, NSC_SMOOTH_HERTZ, 0.5, 0.4, 0.3);
    nsc_vec3 from;
    def.sleep_time = REAL(0.5);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    run(1.0 / 240, 3);
    CHECK(world.report.asleep == 1);
    from = position(b);
    CHECK(length(world.contacts[0].shear) > 0);
    def.sleep_time = REAL(0);
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, b, vec(0, 0, 0), vec(0, 0, 0)) == NSC_OK);
    run(1.0 / 240, 2);
    CHECK(world.report.asleep == 0);
    CHECK(length(minus(position(b), from)) < 1e-6);
}

/* Every solver finds the same forces */
static void every_solver_finds_the_same_forces(void)
{
    static const int solvers[7] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_BB, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM, NSC_SOLVER_AUTO, NSC_SOLVER_DANTZIG};
    static const int steppers[3] = {1, 3, 5};
    int i, k, n;
    for (k = 0; k < 3; k++)
        for (i = 0; i < 7; i++) {
            double h = steppers[k] == 3 ? 2e-4 : 1.0 / 240;
            nsc_id b[3];
            nsc_vec3 from;
            if (!test_long() && steppers[k] == 3 && i > 0) continue;
            begin(steppers[k], NSC_SMOOTH_HERTZ, 0.5, 0.3, 2e6);
            stepped_by = solvers[i], def.solver.max_iterations = 300;
            if (solvers[i] == NSC_SOLVER_DANTZIG) def.solver.law = NSC_LAW_PYRAMID;
            gravity(g * sin(0.3), 0, -g * cos(0.3));
            fix(NSC_GROUND, nsc_default_half_space_def());
            for (n = 0; n < 3; n++) b[n] = add(nsc_default_box_def(REAL(0.3), REAL(0.3), REAL(0.1)), 1 + n, vec(0, 0, 0.0995 + 0.199 * n), vec(0, 0, 0));
            run(h, 1.5);
            from = position(b[2]);
            run(h, 0.5);
            CHECK(length(minus(position(b[2]), from)) < 2e-5);
            CHECK_NEAR(support(b[2], h).z, 3 * g * cos(0.3), 0.01 * g);
            CHECK_NEAR(support(b[2], h).x, -3 * g * sin(0.3), 0.01 * g);
        }
}

/* ---- cohesion ---- */

static void cohesion_holds_up_to_its_force(void)
{
    int i, hangs;
    for (i = 1; i <= 7; i++)
        for (hangs = 0; hangs < 2; hangs++) {
            double h = i == 3 || i == 4 ? 2e-4 : 1e-3;
            nsc_id b;
            begin(i, NSC_SMOOTH_HERTZ, 0.5, 0.2, 2e6);
            of.cohesion = hangs ? 1.2 * g : 0.8 * g;
            of.cohesion *= 2; /* the smaller counts */
            fix(NSC_GROUND, nsc_default_half_space_def());
            of.cohesion /= 2;
            b = add_ball(0.5, 1, vec(0, 0, 0.4995), vec(0, 0, 0));
            gravity(0, 0, g);
            run(h, 3);
            if (hangs) {
                CHECK_NEAR(position(b).z, 0.5, 2e-3);
                CHECK_NEAR(support(b, h).z, -g, 0.01 * g);
            } else {
                CHECK(D(position(b).z) > 10);
            }
        }
    /* what pulls does not rub: lifted until the repulsive part has nearly gone, sliding is free but for it */
    begin(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_HERTZ, 0.5, 0.2, 2e6);
    of.cohesion = 1.001 * g;
    fix(NSC_GROUND, nsc_default_half_space_def());
    {
        nsc_id b = add_ball(0.5, 1, vec(0, 0, 0.49999), vec(1, 0, 0));
        gravity(0, 0, g);
        run(2e-4, 0.5);
        CHECK(D(position(b).z) < 0.5);
        CHECK_NEAR(velocity(b).x, 1 - 0.5 * 0.001 * g * 0.5, 2e-3);
    }
}

/* ---- steps and their limits ---- */

static void steps_over_the_limit_are_counted_and_steps_under_it_stable(void)
{
    int l, far;
    for (l = 0; l < 3; l++)
        for (far = 0; far < 3; far++) {
            double h, top = 0, limit;
            nsc_id b;
            int k, over = 0, code = NSC_OK;
            begin(NSC_STEPPER_EULER_SYMPLECTIC, laws[l], 0.5, l == 2 ? 0.5 : 0, 2e6);
            fix(NSC_GROUND, nsc_default_half_space_def());
            b = add(nsc_default_box_def(REAL(0.5), REAL(0.5), REAL(0.5)), 1, vec(0, 0, 0.4999), vec(0, 0, 0));
            CHECK(step_by(&world, REAL(1e-6)) == NSC_OK);
            limit = D(world.report.step_limit);
            CHECK(limit > 0 && world.report.over_limit == 0);
            h = limit * (far == 0 ? 0.95 : far == 1 ? 2 : 30);
            for (k = 0; k < 2000 && code == NSC_OK; k++) {
                code = step_by(&world, REAL(h));
                if (code != NSC_OK) break;
                over += world.report.over_limit;
                top = fmax(top, length(velocity(b)));
            }
            if (far == 0) CHECK(code == NSC_OK && top < 0.1);
            else CHECK(over > 0);
            if (far == 2) CHECK(top > 0.1);
        }
    begin(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_HERTZ, 0.5, 0, 2e6);
    add_ball(0.5, 1, vec(0, 0, 3), vec(0, 0, 0));
    run(1e-3, 0.01);
    CHECK(!(world.report.step_limit > 0) && world.report.over_limit == 0);
}

/* A ball dropped: energy with implicit steppers never grows, with e = 1 and a step that resolves the touch stays. */
static void bounces_gain_no_energy(void)
{
    int i;
    for (i = 1; i <= 7; i++) {
        double h = 2e-4, top = 0;
        int k, unsettled = 0, up = 0, n = trials(12000, 20000);
        nsc_id b;
        if (i == NSC_STEPPER_EULER_FORWARD) continue;
        begin(i, NSC_SMOOTH_HERTZ, 0, 1, 2e5);
        fix(NSC_GROUND, nsc_default_half_space_def());
        b = add_ball(0.5, 1, vec(0, 0, 1.0), vec(0, 0, 0));
        for (k = 0; k < n; k++) {
            CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
            unsettled += world.report.unsettled;
            if (D(velocity(b).z) > 0) up = 1;
            if (k > 3 * n / 4) top = fmax(top, D(position(b).z));
            if (!up) top = 0;
        }
        printf("smooth: %s, e = 1, height after %g s of bouncing %.4f of %.4f\n", stepper_name[i], h * n, top - 0.5, 0.5);
        CHECK(unsettled == 0 && top < 1.0 + 5e-3 && top > (i == 3 || i >= 6 ? 0.95 : 0.8));
    }
}

/* Energy does not grow with implicit steppers (with HHT by percents where few steps see a touch), soft or stiff at h = 1/240 and e = 1: height of a ball and of a
   spinning box [m] after five of ten seconds */
static void energy_does_not_grow_with_implicit_steppers(void)
{
    static const int steppers[5] = {1, 2, 5, 6, 7};
    int i, l, box, k, n = trials(150, 2400);
    double E, stiffer = trials(100, 10);
    for (i = 0; i < 5; i++)
        for (l = 0; l < 2; l++)
            for (box = 0; box < 2; box++)
                for (E = 1e6; E < 1e11; E *= stiffer) {
                    double top = 0, low = 1, before = 1 + box * 0.5 * (0.41 + 0.09) / 3 / g, h = 1.0 / 240;
                    nsc_id b;
                    begin(steppers[i], laws[l], 0.5, 1, E);
                    fix(NSC_GROUND, nsc_default_half_space_def());
                    b = box ? add(nsc_default_box_def(REAL(0.5), REAL(0.4), REAL(0.3)), 500, vec(0, 0, 1), vec(0, 0, 0)) : add_ball(0.5, 500, vec(0, 0, 1), vec(0, 0, 0));
                    if (box) CHECK(nsc_body_set_velocity(&world, b, vec(0, 0, 0), vec(1, 0, 0)) == NSC_OK);
                    for (k = 0; k < n; k++) {
                        CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
                        low = fmin(low, D(position(b).z));
                        if (k > n / 2) top = fmax(top, D(position(b).z) + dot(velocity(b), velocity(b)) / (2 * g));
                    }
                    CHECK(top < before * (steppers[i] == NSC_STEPPER_HHT ? 1.03 : 1.001) && top > 0.1 && low > 0.1);
                }
}

/* ---- hard and smooth ---- */

/* Three cylinders: two on the ground between walls, one on them.  Forces follow from statics. */
static void pile(int smooth, double h, double *wall, double *ground)
{
    nsc_shape_def c = nsc_default_sphere_def(REAL(0.5)), w = nsc_default_half_space_def();
    int i;
    begin(1, NSC_SMOOTH_HERTZ, 0, 0, 2e7);
    def.contact_model = smooth ? NSC_CONTACT_SMOOTH : NSC_CONTACT_HARD;
    def.solver.max_iterations = 2000;
    gravity(0, 0, -g);
    fix(NSC_GROUND, w);
    w.pose.position = vec(-1.1, 0, 0);
    w.pose.orientation.w = w.pose.orientation.y = REAL(sqrt(0.5));
    fix(NSC_GROUND, w);
    w.pose.position = vec(1.1, 0, 0);
    w.pose.orientation.y = REAL(-sqrt(0.5));
    fix(NSC_GROUND, w);
    add(c, 1, vec(-0.6, 0, 0.5), vec(0, 0, 0));
    add(c, 1, vec(0.6, 0, 0.5), vec(0, 0, 0));
    add(c, 1, vec(0, 0, 1.3), vec(0, 0, 0));
    run(h, 3);
    *wall = *ground = 0;
    for (i = 0; i < world.contact_count; i++) {
        const nsc_contact *k = &world.contacts[i];
        if (k->body_a != NSC_GROUND) continue;
        *wall = fmax(*wall, fabs(D(k->impulse.x)) / h);
        *ground = fmax(*ground, fabs(D(k->impulse.z)) / h);
    }
}

static void smooth_contact_bears_what_hard_contact_does(void)
{
    double wall[2], ground[2], tilt = 0.6 / sqrt(1 - 0.36);
    int i;
    for (i = 0; i < 2; i++) pile(i, 1.0 / 240, &wall[i], &ground[i]);
    CHECK_NEAR(wall[0], g / 2 * tilt, 0.01 * wall[0]);
    CHECK_NEAR(wall[1], wall[0], 0.01 * wall[0]);
    CHECK_NEAR(ground[0], 1.5 * g, 0.01 * ground[0]);
    CHECK_NEAR(ground[1], ground[0], 0.01 * ground[0]);
}

/* ---- snapshots, sub-steps, refusals, fuzz ---- */

#ifndef TEST_PART
static void scene(int stepper, int law, int parts)
{
    int i;
    begin(stepper, law, 0.5, 0.3, 2e6);
    def.substeps = parts;
    gravity(1, 0.5, -g);
    of.rolling = 0.01, of.torsion = 0.01, of.cohesion = 0.5;
    fix(NSC_GROUND, nsc_default_half_space_def());
    for (i = 0; i < 3; i++) add(nsc_default_box_def(REAL(0.3), REAL(0.3), REAL(0.2)), 1, vec(0.05 * i, 0, 0.25 + 0.42 * i), vec(0, 0, 0));
    add_ball(0.3, 1, vec(1, 0, 0.4), vec(1, 0, 0));
    add(nsc_default_capsule_def(REAL(0.2), REAL(0.3)), 1, vec(-1, 0.2, 0.6), vec(0, 0, 0));
}

static void an_image_goes_on_with_the_same_bits(void)
{
    static unsigned char image[1 << 17];
    int i, k, n;
    for (i = 1; i <= 7; i++) {
        double h = i == 3 || i == 4 ? 2e-4 : 1.0 / 240;
        scene(i, laws[i % 3], 1 + i % 2);
        run(h, h * 60);
        n = nsc_world_save(&world, image, (int)sizeof image);
        CHECK(n > 0 && nsc_world_init(&other, &def) == NSC_OK && nsc_world_load(&other, image, n) == NSC_OK);
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
        for (k = 0; k < 60; k++) {
            CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
            CHECK(step_by(&other, REAL(h)) == NSC_OK);
        }
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    }
}

/* Law and history of a contact are in its image, number by number, and what can only be positive is refused below 0. */
static void an_image_holds_every_number_of_a_contact(void)
{
    static unsigned char image[1 << 17];
    nsc_contact *c = &world.contacts[0];
    nsc_real *number[10];
    uint32_t hash;
    int i, k, n;
#ifndef TEST_PART
    scene(NSC_STEPPER_EULER_SYMPLECTIC, NSC_SMOOTH_HERTZ, 1);
#endif
    run(2e-4, 2e-4 * 600);
    CHECK(world.contact_count > 0 && D(c->hertz) > 0 && D(c->rolling) > 0);
    number[0] = &c->hertz, number[1] = &c->tangential, number[2] = &c->cohesion, number[3] = &c->impact;
    number[4] = &c->shear.x, number[5] = &c->shear.y, number[6] = &c->shear.z;
    number[7] = &c->twist.x, number[8] = &c->twist.y, number[9] = &c->twist.z;
    for (i = 0; i < 10; i++) {
        hash = nsc_world_hash(&world);
        *number[i] = REAL(0.125 * (i + 1));
        CHECK(nsc_world_hash(&world) != hash);
    }
    n = nsc_world_save(&world, image, (int)sizeof image);
    CHECK(n > 0 && nsc_world_init(&other, &def) == NSC_OK && nsc_world_load(&other, image, n) == NSC_OK);
    CHECK(nsc_world_hash(&other) == nsc_world_hash(&world));
    for (i = 0; i < 10; i++) {
        const nsc_real *was = (const nsc_real *)(const void *)((const char *)number[i] - (const char *)&world + (const char *)&other);
        CHECK_NEAR(*was, 0.125 * (i + 1), 0);
    }
    for (i = 0; i < 10; i++) { /* of ten numbers the first four */
        *number[i] = -*number[i];
        n = nsc_world_save(&world, image, (int)sizeof image);
        k = n < 0 ? n : nsc_world_load(&other, image, n);
        CHECK(i < 4 ? k < 0 : k == NSC_OK);
        *number[i] = -*number[i];
    }
}
#endif

/* n sub-steps of one step are as good as n steps where the contact does not move off */
static void substeps_are_as_good_as_steps(void)
{
    int i;
    for (i = 1; i <= 7; i++) {
        double h = i == 3 || i == 4 ? 1e-3 : 1.0 / 120;
        nsc_vec3 from;
        nsc_id b = on_slope(i, NSC_SMOOTH_HERTZ, 0.5, 0.4, 0.3);
        def.substeps = 8;
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        run(h, 2);
        CHECK_NEAR(support(b, h).z, g * cos(0.4), 0.01 * g);
        from = position(b);
        run(h, 2);
        CHECK(length(minus(position(b), from)) < 1e-6);
        CHECK_NEAR(0.1 - D(from.z), pow(g * cos(0.4) / 4 / (4.0 / 3 * 1e6 / 0.91 * sqrt(0.1)), 2.0 / 3), 3e-6);
    }
}

static void what_smooth_contact_cannot_do_is_refused(void)
{
    nsc_contact c = nsc_default_contact();
    nsc_id a, b;
    def = default_def();
    for (def.stepper = 4; def.stepper <= 7; def.stepper++)
        CHECK(nsc_world_init(&world, &def) == (def.stepper == NSC_STEPPER_EULER_IMPLICIT ? NSC_OK : NSC_ERR_STEPPER_CONTACT));
    def.contact_model = NSC_CONTACT_SMOOTH;
    def.stepper = NSC_STEPPER_NEWMARK, def.gamma = REAL(0.49);
    CHECK(nsc_world_init(&world, &def) == NSC_ERR_STEPPER_UNSTABLE);
    def.gamma = REAL(0.5), def.beta = REAL(0.25);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    of.friction = 0.5, of.restitution = 0, of.young = 2e5, of.rolling = of.torsion = of.cohesion = 0;
    a = add_ball(0.5, 1, vec(0, 0, 2), vec(0, 0, 0)), b = add_ball(0.5, 1, vec(2, 0, 2), vec(0, 0, 0));
#if NSC_MAX_JOINTS > 0
    {
        nsc_joint_def joint = nsc_default_joint_def(NSC_JOINT_BALL, a, b);
        joint.frame_b.position = vec(-2, 0, 0);
        CHECK(nsc_world_add_joint(&world, &joint) < 0); /* the trapezoidal rule holds nothing */
        def.gamma = REAL(0.6), def.beta = REAL(0.3);
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        CHECK(nsc_world_add_joint(&world, &joint) >= 0);
        def.gamma = REAL(0.5), def.beta = REAL(0.25);
        CHECK(nsc_world_set_def(&world, &def) < 0);
    }
#endif
    (void)a;
    c.body_b = b, c.point = vec(2, 0, 1.5);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
    c.hertz = REAL(-1), c.stiffness = REAL(1000);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
    c.hertz = REAL(0), c.cohesion = REAL(-1);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
    c.cohesion = REAL(0);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    def.contact_law = 4;
    CHECK(nsc_world_set_def(&world, &def) == NSC_ERR_ARGUMENT);
}

/* A contact of the caller's with a given spring: a mass on it stands at m g / k, and swings with e = exp(-pi z / sqrt(1 - z^2))
   only where the pull is not cut off: here it rests. */
static void an_own_contact_has_the_given_spring(void)
{
    int i, k;
    for (i = 1; i <= 7; i++) {
        nsc_id b;
        begin(i, NSC_SMOOTH_HERTZ, 0.5, 0, 2e5);
        b = add_ball(0.5, 1, vec(0, 0, 0.5), vec(0, 0, 0));
        for (k = 0; k < 3000; k++) {
            nsc_contact c = nsc_default_contact();
            c.body_b = b, c.gap = REAL(D(position(b).z) - 0.5), c.point = vec(0, 0, 0);
            c.stiffness = REAL(1000), c.damping = REAL(20);
            CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
            CHECK(step_by(&world, REAL(1e-3)) == NSC_OK);
        }
        CHECK_NEAR(position(b).z, 0.5 - g / 1000, is_double ? 1e-6 : 1e-5);
    }
}

/* The scene at a thousandth and a thousand times its size, times scaled with the root: the same to rounding */
static void a_scaled_scene_is_the_same_to_rounding(void)
{
    int i, l, k;
    for (k = -1; k <= 1; k++)
        for (i = 1; i <= 7; i++)
            for (l = 0; l < 3; l++) {
                double scale = k < 0 ? 1e-3 : k > 0 ? 1e3 : 1, h = (i == 3 || i == 4 ? 2e-4 : 1.0 / 240) * sqrt(scale), depth;
                nsc_id b;
                if (!test_long() && (i == 3 || i == 4) && l != i - 3) continue;
                begin(i, laws[l], 0.5, 0.2, 2e6 * scale); /* pressure grows as length at equal density */
                def.margin *= REAL(scale), def.slop *= REAL(scale), def.match_distance *= REAL(scale);
                def.contact_speed *= REAL(sqrt(scale)), def.contact_radius *= REAL(scale), def.bounce_speed *= REAL(sqrt(scale));
                gravity(0, 0, -g);
                fix(NSC_GROUND, nsc_default_half_space_def());
                b = add_ball(0.5 * scale, pow(scale, 3), vec(0, 0, 0.52 * scale), vec(0, 0, 0));
                run(h, 3 * sqrt(scale));
                depth = pow(g / (4.0 / 3 * 1e6 / 0.91 * sqrt(0.5)), 2.0 / 3);
                if (laws[l] == NSC_SMOOTH_HOOKE) depth = g / (0.8 * 4.0 / 3 * 1e6 / 0.91 * sqrt(0.5) * pow(1 / (0.8 * 4.0 / 3 * 1e6 / 0.91 * sqrt(0.5)), 0.2));
                CHECK_NEAR(0.5 - D(position(b).z) / scale, depth, depth * (is_double ? 2e-3 : 2e-2));
            }
}

/* Absurd numbers: a code, or a finite world */
static int refused, kept;

static int absurd_numbers_give_a_code_or_a_finite_world(void)
{
    int i, n = nth(420);
    nsc_shape_def shape = nsc_default_sphere_def(REAL(0.5));
    nsc_body_def body = nsc_default_body_def();
    double power = is_double ? 60 : 18;
    def = default_def();
    def.contact_model = NSC_CONTACT_SMOOTH;
    def.contact_law = laws[n % 3], def.stepper = 1 + n / 3 % 7;
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    shape.young = REAL(pow(10, (uniform(0, 1) - 0.5) * 2 * power));
    shape.poisson = REAL(uniform(0, 1) * 1.49 - 0.99);
    shape.restitution = REAL(n % 5 ? uniform(0, 1) : n % 2);
    shape.cohesion = REAL(n % 4 ? 0 : pow(10, (uniform(0, 1) - 0.5) * power));
    shape.rolling = REAL(n % 3 ? 0 : pow(10, (uniform(0, 1) - 0.5) * 10));
    shape.torsion = shape.rolling;
    shape.density = REAL(pow(10, (uniform(0, 1) - 0.5) * 12));
    if (nsc_world_add_shape(&world, NSC_GROUND, &shape) < 0) return 1;
    for (i = 0; i < 3; i++) {
        nsc_id id;
        body.pose.position.x = REAL(uniform(0, 1)), body.pose.position.y = REAL(uniform(0, 1));
        body.pose.position.z = REAL(0.8 + uniform(0, 1));
        body.velocity = vec(0, 0, -pow(10, (uniform(0, 1) - 0.5) * 12));
        id = nsc_world_add_body(&world, &body);
        if (id > 0) nsc_world_add_shape(&world, id, &shape);
    }
    for (i = 0; i < 20; i++) {
        uint32_t before = nsc_world_hash(&world);
        int k, code = step_by(&world, REAL(pow(10, -4 * uniform(0, 1))));
        if (code < 0) {
            CHECK(code == NSC_ERR_NOT_FINITE || code == NSC_ERR_INERTIA);
            CHECK(nsc_world_hash(&world) == before);
            refused++;
            break;
        }
        kept++;
        for (k = 1; k < world.body_end; k++) {
            const nsc_body *b = &world.bodies[k];
            CHECK(IS_FINITE(b->position) && IS_FINITE(b->velocity) && IS_FINITE(b->angular_velocity));
        }
        for (k = 0; k < world.contact_count; k++) {
            const nsc_contact *c = &world.contacts[k];
            CHECK(IS_FINITE(c->impulse) && IS_FINITE(c->shear) && IS_FINITE(c->twist) && is_finite(D(c->impact)));
        }
    }
    return 1;
}

/* A moment of rolling friction beyond all numbers refuses the step, which then has changed nothing. */
static void rolling_moments_that_overflow_are_refused(void)
{
    static const int steppers[3] = {NSC_STEPPER_EULER_SYMPLECTIC, NSC_STEPPER_EULER_FORWARD, NSC_STEPPER_EULER_IMPLICIT_LINEARIZED};
    int k, part;
    for (k = 0; k < 3; k++)
        for (part = 0; part < 2; part++) {
            double most = D(NSC_REAL_MAX) / 2;
            uint32_t before;
            nsc_id b;
            begin(steppers[k], NSC_SMOOTH_HERTZ, 0.5, 0, 2e5);
            fix(NSC_GROUND, nsc_default_half_space_def());
            of.young = 1e9;
            if (part) of.torsion = most;
            else of.rolling = most;
            b = add_ball(0.1, 4.2, vec(0, 0, 0.09), vec(0, 0, -1));
            CHECK(nsc_body_set_velocity(&world, b, vec(0, 0, -1), vec(100, 50, 100)) == NSC_OK);
            before = nsc_world_hash(&world);
            CHECK(step_by(&world, REAL(1 / 240.)) == NSC_ERR_NOT_FINITE);
            CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_NOT_FINITE);
            CHECK(nsc_world_hash(&world) == before);
        }
}

static void absurd_numbers(void)
{
    CASE_END();
    search("absurd numbers give a code or a finite world", absurd_numbers_give_a_code_or_a_finite_world, trials(100, 1500));
    printf("smooth: fuzz, %d steps made, %d refused\n", kept, refused);
}

int main(void)
{
    restitution_is_the_given_one();
    an_impact_lasts_and_sinks_as_hertz_says();
    implicit_steppers_find_the_same_restitution();
    impact_speed_is_kept_until_the_touch_ends();
    a_ball_at_rest_sinks_by_its_weight();
    stiff_contact_comes_to_rest_at_the_right_depth();
    a_slope_holds_below_the_cone_and_slides_above_it_by_coulombs_law();
    friction_of_a_box_dropped_sliding_never_pushes_it_forward();
    the_stretch_is_that_of_mindlins_spring();
    without_slip_the_stretch_is_the_way_gone();
    on_a_sliding_plate_the_stretch_is_the_way_apart();
    the_stretch_between_two_boxes_bears_the_pull();
    a_sliding_ball_rolls_at_five_sevenths_of_its_speed();
    rolling_resistance_holds_slows_and_stops_spin();
    a_box_stays_where_it_is_on_a_turntable();
    what_sleeps_on_a_slope_keeps_its_stretch();
    every_solver_finds_the_same_forces();
    cohesion_holds_up_to_its_force();
    steps_over_the_limit_are_counted_and_steps_under_it_stable();
    bounces_gain_no_energy();
    energy_does_not_grow_with_implicit_steppers();
    smooth_contact_bears_what_hard_contact_does();
#ifndef TEST_PART
    an_image_goes_on_with_the_same_bits();
    an_image_holds_every_number_of_a_contact();
#endif
    substeps_are_as_good_as_steps();
    what_smooth_contact_cannot_do_is_refused();
    an_own_contact_has_the_given_spring();
    a_scaled_scene_is_the_same_to_rounding();
    rolling_moments_that_overflow_are_refused();
    absurd_numbers();
    return TEST_END("smooth");
}
