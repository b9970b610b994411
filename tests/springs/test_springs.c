/* Springs between bodies, and particles: closed forms under every stepper, handles, refusals, images, sleep. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#ifndef TEST_PART
#include "nsc_draw.h"
#include "nsc_dump.h"
#endif
#include <math.h>
#include <string.h>
#include "world.h"
#include "by.h"
#include "plain.h"

#define R(x) ((nsc_real)(x))
static const double EPS = sizeof(nsc_real) == 8 ? 2.2e-16 : 1.2e-7;
enum { IMAGE = 200000 };
static nsc_world other;
static NSC_MAYBE_UNUSED unsigned char image[IMAGE];

/* A world of one stepper; gravity along -z.  What it must have of smooth contact, it gets. */
static void begin(int stepper, double gravity)
{
    nsc_world_def d = default_def();
    d.stepper = stepper;
    d.gravity = vec(0, 0, -gravity);
    CASE("stepper %d", stepper);
    stepped_by = NSC_SOLVER_NEWTON;
    d.solver.tolerance = sizeof(nsc_real) == 8 ? R(1e-13) : R(1e-6);
    d.newton_tolerance = sizeof(nsc_real) == 8 ? R(1e-12) : R(1e-5);
    if (stepper == NSC_STEPPER_EULER_FORWARD || stepper >= NSC_STEPPER_HHT) d.contact_model = NSC_CONTACT_SMOOTH;
    CHECK_ONCE(nsc_world_init(&world, &d) == NSC_OK);
}

static nsc_id particle(double mass, nsc_vec3 at, nsc_vec3 v)
{
    nsc_body_def b = nsc_default_body_def();
    b.particle = 1, b.mass = R(mass), b.pose.position = at, b.velocity = v;
    return nsc_world_add_body(&world, &b);
}

static nsc_id solid(double mass, double inertia, nsc_vec3 at, nsc_vec3 v)
{
    nsc_body_def b = nsc_default_body_def();
    b.mass = R(mass), b.pose.position = at, b.velocity = v;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = R(inertia);
    return nsc_world_add_body(&world, &b);
}

static nsc_id spring(nsc_id a, nsc_id b, double rest, double k, double d)
{
    nsc_spring_def s = nsc_default_spring_def(a, b);
    s.rest = R(rest), s.stiffness = R(k), s.damping = R(d);
    return nsc_world_add_spring(&world, &s);
}

/* ---- closed forms */

/* m g = k (length - rest), in every stepper, with and without sub-steps; the force is the weight */
static void a_spring_bears_the_weight_in_every_stepper(void)
{
    int stepper, substeps, i;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++)
        for (substeps = 1; substeps <= 3; substeps += 2) {
            nsc_id p, s;
            nsc_real length;
            nsc_vec3 force;
            nsc_world_def d;
            begin(stepper, 10.0);
            d = world.def;
            d.substeps = substeps;
            CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
            p = particle(2.0, vec(0, 0, -1.0), vec(0, 0, 0));
            s = spring(NSC_GROUND, p, 1.0, 200.0, 40.0);
            for (i = 0; i < 1000; i++) CHECK(step_by(&world, R(0.01)) == NSC_OK);
            CHECK(nsc_spring_get_force(&world, s, &length, &force) == NSC_OK);
            CHECK_NEAR(length, 1.1, 40 * EPS);
            CHECK_NEAR(force.z, 20.0, 2000 * EPS);
            CHECK_NEAR(force.x, 0.0, 100 * EPS);
        }
}

/* Times of upward zero crossings: the period, over `periods` of them */
static double period(int stepper, double k, double h, int periods, double *amplitude)
{
    nsc_id p;
    double before, now = 0.1, first = 0, last = 0, t = 0;
    int n = -1;
    begin(stepper, 0.0);
    p = particle(1.0, vec(1.1, 0, 0), vec(0, 0, 0));
    spring(NSC_GROUND, p, 1.0, k, 0.0);
    *amplitude = 0;
    while (n < periods && t < 100) {
        before = now;
        CHECK(step_by(&world, R(h)) == NSC_OK);
        t += h;
        now = (double)(position(p).x - R(1.0));
        if (n >= periods - 1 && now > *amplitude) *amplitude = now;
        if (!(before < 0 && now >= 0)) continue;
        last = t - h * now / (now - before);
        if (n < 0) first = last;
        n++;
    }
    return (last - first) / periods;
}

static void periods_are_those_of_each_stepper(void)
{
    double omega = 2.0, h = 0.05, pi = 3.14159265358979, amplitude, T, damped = pow(1 + omega * omega * h * h, -0.5);
    /* symplectic: sin(w' h / 2) = w h / 2, no damping */
    T = period(NSC_STEPPER_EULER_SYMPLECTIC, omega * omega, h, 8, &amplitude);
    CHECK_NEAR(T, pi * h / asin(omega * h / 2), 2e-4);
    CHECK_NEAR(amplitude, 0.1, 0.002);
    /* implicit: tan(w' h) = w h, and each step shrinks by 1 / sqrt(1 + w^2 h^2) */
    T = period(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, omega * omega, h, 8, &amplitude);
    CHECK_NEAR(T, 2 * pi * h / atan(omega * h), 2e-3);
    T = period(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, omega * omega, 0.001, 1, &amplitude);
    CHECK_NEAR(T, pi, 2e-4);
    CHECK(damped < 1);
    T = period(NSC_STEPPER_HHT, omega * omega, h, 8, &amplitude);
    CHECK_NEAR(T, pi, 0.01); /* second order */
    CHECK(amplitude > 0.095);
    printf("HHT, w h = 0.1: period %.5f (pi), amplitude after 8: %.5f of 0.1\n", T, amplitude);
}

/* v' = (v - h k x / m) / (1 + h d / m + h^2 k / m), x' = x + h v', and the same for 0.3 kg against 0.6 kg */
static void every_step_follows_the_steppers_formula(int stepper)
{
    double m = 0.3, M = 0.6, mu = m * M / (m + M), k = 300.0, d = 1.5, h = 0.01, x = 0.2, v = 0, worst = 0;
    nsc_id a, b;
    int i;
    begin(stepper, 0.0);
    a = particle(m, vec(-0.6, 0, 0), vec(0, 0, 0));
    b = particle(M, vec(0.6, 0, 0), vec(0, 0, 0));
    spring(a, b, 1.0, k, d);
    for (i = 0; i < 300; i++) {
        double e, now;
        CHECK(step_by(&world, R(h)) == NSC_OK);
        v = (v - h * k * x / mu) / (1 + h * d / mu + h * h * k / mu);
        x += h * v;
        now = (double)(position(b).x - position(a).x) - 1;
        e = fabs(now - x);
        worst = e > worst ? e : worst;
    }
    printf("damped oscillator, stepper %d: off by %.1e\n", stepper, worst);
    CHECK(worst < 20 * EPS);
    CHECK(fabs(x) < 0.01);
}

/* Four sub-steps are four steps; the force is the mean: mass times the change of velocity over the whole step. */
static void four_substeps_are_four_steps(void)
{
    static const int steppers[4] = {1, 2, 3, 5};
    int k, i, run;
    for (k = 0; k < 4; k++) {
        nsc_vec3 at[2], before = vec(0, 0, 0), force;
        nsc_id p, s;
        for (run = 0; run < 2; run++) {
            nsc_world_def d;
            begin(steppers[k], 0.0);
            d = world.def, d.substeps = run ? 4 : 1;
            CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
            p = particle(2.0, vec(1.3, 0, 0), vec(0, 1, 0));
            s = spring(NSC_GROUND, p, 1.0, 60.0, 0.5);
            for (i = 0; i < (run ? 10 : 40); i++) {
                before = velocity(p);
                CHECK(step_by(&world, run ? R(0.03125) : R(0.0078125)) == NSC_OK);
                CHECK(nsc_spring_get_force(&world, s, NULL, &force) == NSC_OK);
                CHECK_NEAR(force.x, 2 * (double)(velocity(p).x - before.x) / (run ? 0.03125 : 0.0078125), 3000 * EPS);
                CHECK_NEAR(force.y, 2 * (double)(velocity(p).y - before.y) / (run ? 0.03125 : 0.0078125), 3000 * EPS);
            }
            at[run] = position(p);
        }
        CHECK_NEAR(at[0].x, at[1].x, 50 * EPS);
        CHECK_NEAR(at[0].y, at[1].y, 50 * EPS);
    }
}

/* ---- momentum */

static nsc_vec3 momenta(const nsc_id *id, const double *m, double inertia, int n, nsc_vec3 *angular)
{
    nsc_vec3 p = vec(0, 0, 0), L = p;
    int i;
    for (i = 0; i < n; i++) {
        nsc_vec3 v, o;
        nsc_body_get_velocity(&world, id[i], &v, &o);
        p = plus_multiple(p, m[i], v);
        L = plus(L, plus_multiple(cross(position(id[i]), multiple(m[i], v)), inertia, o));
    }
    *angular = L;
    return p;
}

/* Two particles that turn about each other: momentum stays in all; symplectic Euler keeps the moment of momentum, too;
   the others change it by a factor a step that is known. */
static void two_particles_keep_their_momentum(int stepper)
{
    double m[2] = {1.0, 3.0}, mu = 0.75, k = 50.0, rest = 0.8, h = 0.01, stretched = 1, worst = 0, lost = 0, factor, tension, expected;
    nsc_id id[2];
    nsc_vec3 p0, p, L0, L;
    int i, known = stepper <= NSC_STEPPER_EULER_IMPLICIT;
    begin(stepper, 0.0);
    id[0] = particle(m[0], vec(0.75, 0, 0), vec(0.3, 2.0, 0));
    id[1] = particle(m[1], vec(-0.25, 0, 0), vec(0.3, -0.5, 0.1));
    spring(id[0], id[1], rest, k, 0.0);
    p0 = momenta(id, m, 0, 2, &L0);
    for (i = 0; i < 400; i++) {
        nsc_vec3 apart = minus(position(id[0]), position(id[1])), rel = minus(velocity(id[0]), velocity(id[1]));
        nsc_vec3 own = multiple(mu, cross(apart, rel)), after;
        stretched = length(apart);
        CHECK(step_by(&world, R(h)) == NSC_OK);
        CHECK(world.report.unsettled == 0);
        apart = minus(position(id[0]), position(id[1])), rel = minus(velocity(id[0]), velocity(id[1]));
        after = multiple(mu, cross(apart, rel));
        if (stepper == NSC_STEPPER_EULER_IMPLICIT) stretched = length(apart);
        tension = k * (stretched - rest) / stretched;
        factor = 1 / (1 + h * h * (tension > 0 ? tension : 0) / mu);
        if (stepper == NSC_STEPPER_EULER_IMPLICIT) factor = 1 / (1 + h * h * tension / mu); /* whatever its sign */
        if (stepper == NSC_STEPPER_EULER_SYMPLECTIC) factor = 1;
        if (stepper == NSC_STEPPER_EULER_FORWARD) factor = 1 + h * h * tension / mu;
        expected = factor * (double)own.z;
        if (fabs((double)after.z - expected) > lost) lost = fabs((double)after.z - expected);
        p = minus(momenta(id, m, 0, 2, &L), p0);
        if (sqrt(dot(p, p)) > worst) worst = sqrt(dot(p, p));
    }
    printf("two particles, stepper %d: momentum off by %.1e, moment of momentum by %.1e from its factor, %.2f %% lost in 4 s\n", stepper, worst, lost,
           100 * (1 - (double)(L.z / L0.z)));
    CHECK(worst < 400 * EPS);
    if (known) CHECK(lost < 40 * EPS);
    else CHECK(fabs((double)(L.z / L0.z) - 1) < 0.05);
}

/* Off centre on two solids: the force has a moment about each; of both together, symplectic Euler keeps it. */
static void off_centre_the_moment_of_momentum_is_kept(void)
{
    double m[2] = {1.0, 2.0}, worst = 0;
    nsc_spring_def d;
    nsc_id id[2], s;
    nsc_vec3 p0, p, L0, L, o, force;
    nsc_real length;
    int i;
    begin(NSC_STEPPER_EULER_SYMPLECTIC, 0.0);
    id[0] = solid(m[0], 0.1, vec(0, 0, 0), vec(0, 0.1, 0)), id[1] = solid(m[1], 0.1, vec(2, 0, 0), vec(0, 0.5, 0.3));
    d = nsc_default_spring_def(id[0], id[1]);
    d.point_a = vec(0, 0.5, 0), d.point_b = vec(-0.3, 0.5, 0.2), d.rest = R(1.0), d.stiffness = R(10.0);
    s = nsc_world_add_spring(&world, &d);
    CHECK(nsc_spring_get_force(&world, s, &length, &force) == NSC_OK);
    CHECK_NEAR(length, sqrt(1.7 * 1.7 + 0.04), 4 * EPS);
    CHECK(!(dot(force, force) > 0)); /* no step yet */
    p0 = momenta(id, m, 0.1, 2, &L0);
    CHECK(step_by(&world, R(0.001)) == NSC_OK);
    CHECK(nsc_spring_get_force(&world, s, NULL, &force) == NSC_OK);
    CHECK_NEAR(sqrt(dot(force, force)), 10 * (sqrt(2.93) - 1), 100 * EPS);
    CHECK_NEAR(force.x, -1.7 / sqrt(2.93) * 10 * (sqrt(2.93) - 1), 100 * EPS);
    nsc_body_get_velocity(&world, id[0], NULL, &o); /* r x f: (0, .5, 0) x -force, over the inertia */
    CHECK_NEAR(o.z, -0.001 / 0.1 * 0.5 * -(double)force.x, 10 * EPS);
    CHECK_NEAR(o.x, 0.001 / 0.1 * 0.5 * -(double)force.z, 10 * EPS);
    for (i = 0; i < 2000; i++) {
        CHECK(step_by(&world, R(0.001)) == NSC_OK);
        p = minus(momenta(id, m, 0.1, 2, &L), p0);
        L = minus(L, L0);
        if (sqrt(dot(p, p)) > worst) worst = sqrt(dot(p, p));
    }
    CHECK(worst < 400 * EPS);
    CHECK(sqrt(dot(L, L)) < 4000 * EPS);
    printf("off centre: momentum off by %.1e, moment of momentum by %.1e of %.2f\n", worst, sqrt(dot(L, L)), sqrt(dot(L0, L0)));
}

/* The same thrown about, under the others: their Newton's method settles though the arms turn, too. */
static void off_centre_newton_settles(int stepper)
{
    double m[2] = {1.0, 2.0}, worst = 0, spin = 0;
    nsc_spring_def d;
    nsc_id id[2];
    nsc_vec3 p0, p, L0, L;
    int i, most = 0, unsettled = 0;
    begin(stepper, 0.0);
    id[0] = solid(m[0], 0.1, vec(0, 0, 0), vec(0, 1, 0)), id[1] = solid(m[1], 0.1, vec(2, 0, 0), vec(0, -0.5, 0.3));
    d = nsc_default_spring_def(id[0], id[1]);
    d.point_a = vec(0, 0.5, 0), d.point_b = vec(-0.3, 0.5, 0.2), d.rest = R(1.0), d.stiffness = R(200.0), d.damping = R(0.2);
    CHECK(nsc_world_add_spring(&world, &d) > 0);
    p0 = momenta(id, m, 0.1, 2, &L0);
    for (i = 0; i < 200; i++) {
        CHECK(step_by(&world, R(0.01)) == NSC_OK);
        p = minus(momenta(id, m, 0.1, 2, &L), p0);
        if (sqrt(dot(p, p)) > worst) worst = sqrt(dot(p, p));
        if (world.report.newton_steps > most) most = world.report.newton_steps;
        unsettled += world.report.unsettled;
    }
    L = minus(L, L0);
    spin = sqrt(dot(L, L)) / sqrt(dot(L0, L0));
    printf("off centre, stepper %d: momentum off by %.1e, moment of momentum by %.2f %%, Newton steps at most %d, unsettled %d\n", stepper, worst,
           100 * spin, most, unsettled);
    CHECK(worst < 400 * EPS && unsettled == 0);
    if (stepper == NSC_STEPPER_EULER_SYMPLECTIC) CHECK(spin < 4000 * EPS);
    else CHECK(spin < 0.5 || stepper == NSC_STEPPER_EULER_FORWARD); /* that one gains without end */
}

/* h = 10 / omega: what is implicit stays where it is, what is not flies off */
static void stiff_springs_stay_where_they_are_implicit(void)
{
    int stepper, i, code;
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) {
        nsc_id p;
        double far = 0;
        if (stepper == NSC_STEPPER_EULER_FORWARD) continue;
        begin(stepper, 0.0);
        p = particle(1.0, vec(1.01, 0, 0), vec(0, 0.1, 0));
        spring(NSC_GROUND, p, 1.0, 1e6, 0.0);
        code = NSC_OK;
        for (i = 0; i < 300 && code == NSC_OK && far < 1e3; i++) {
            code = step_by(&world, R(0.01));
            if (fabs(length(position(p)) - 1) > far) far = fabs(length(position(p)) - 1);
        }
        if (stepper == NSC_STEPPER_EULER_SYMPLECTIC) CHECK(far > 10 || code == NSC_ERR_NOT_FINITE);
        else CHECK(far < 0.011 && code == NSC_OK);
        printf("w h = 10, stepper %d: at most %.3g m from the rest length\n", stepper, far);
    }
}

/* Without a rest length it pulls to the point from every side, and at the point, too. */
static void without_a_length_it_pulls_to_the_point(void)
{
    double h = 0.02, k = 100, x = 0, v = 1;
    nsc_id p;
    int i;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0.0);
    p = particle(1.0, vec(0, 0, 0), vec(0, 1, 0));
    spring(NSC_GROUND, p, 0.0, k, 0.0);
    for (i = 0; i < 200; i++) {
        CHECK(step_by(&world, R(h)) == NSC_OK);
        v = (v - h * k * x) / (1 + h * h * k);
        x += h * v;
        CHECK_NEAR(position(p).y, x, 20 * EPS);
    }
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 0.0);
    p = particle(1.0, vec(0, 0, 0), vec(0, 0, 0));
    spring(NSC_GROUND, p, 0.5, k, 1.0);
    for (i = 0; i < 2000; i++) CHECK(step_by(&world, R(h)) == NSC_OK);
    CHECK_NEAR(length(position(p)), 0.5, 20 * EPS); /* pushed off where there is no direction */
}

#if NSC_MAX_JOINTS > 0
/* A ball on the ground, lightened by a spring, with another hung beside it on a joint and a spring: one island with all kinds of
   blocks.  Contact and springs carry the weight, in every stepper that takes hard contact, with sub-steps and without. */
static void contact_joint_and_springs_carry_the_weight_together(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), ball = nsc_default_sphere_def(R(0.1));
    int stepper, substeps, i;
    for (stepper = 1; stepper <= STEPPERS(5); stepper++)
        for (substeps = 1; substeps <= 3; substeps += 2) {
            nsc_world_def d;
            nsc_joint_def joint;
            nsc_spring_def up;
            nsc_id a, b, s, t, rod;
            nsc_vec3 push, f, g, held;
            if (stepper == NSC_STEPPER_EULER_FORWARD) continue;
            begin(stepper, 10.0);
            d = world.def, d.substeps = substeps;
            CHECK(nsc_world_set_def(&world, &d) == NSC_OK && nsc_world_add_shape(&world, NSC_GROUND, &ground) > 0);
            a = solid(2.0, 0.01, vec(0, 0, 0.1), vec(0, 0, 0)), b = particle(1.0, vec(1, 0, 1.1), vec(0, 0, 0));
            CHECK(nsc_world_add_shape(&world, a, &ball) > 0);
            up = nsc_default_spring_def(NSC_GROUND, a);
            up.point_a = vec(0, 0, 1.1), up.rest = R(0.9), up.stiffness = R(50.0), up.damping = R(5.0);
            s = nsc_world_add_spring(&world, &up); /* pulls with 5 N */
            up.body_b = b, up.point_a = vec(1, 0, 2.1);
            t = nsc_world_add_spring(&world, &up);
            joint = nsc_default_joint_def(NSC_JOINT_DISTANCE, a, b); /* a rod */
            joint.axis[0].limited = 1, joint.axis[0].lower = joint.axis[0].upper = R(sqrt(2.0));
            rod = nsc_world_add_joint(&world, &joint);
            CHECK(rod > 0);
            for (i = 0; i < 400; i++) CHECK(step_by(&world, R(0.005)) == NSC_OK);
            CHECK(world.report.islands == 1 && nsc_world_island(&world, 0)->springs == 2 && nsc_world_island(&world, 0)->joints == 1);
            nsc_body_get_contact_force(&world, a, &push, NULL);
            nsc_spring_get_force(&world, s, NULL, &f), nsc_spring_get_force(&world, t, NULL, &g);
            nsc_joint_get_force(&world, rod, &held, NULL);
            CHECK_NEAR(push.z + f.z - held.z, 20.0 + 2 * (double)world.bodies[1].acceleration.z, 0.001);
            CHECK_NEAR(g.z + held.z, 10.0 + (double)world.bodies[2].acceleration.z, 0.001);
            CHECK(push.z > R(1.0) && world.report.contacts == 1);
        }
}
#endif

/* ---- the functions */

static void bad_springs_are_refused(void)
{
    nsc_real nan = NSC_REAL_MAX * 2 - NSC_REAL_MAX * 2;
    nsc_spring_def d, e;
    nsc_id a, b, s;
    int i;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 9.81);
    a = particle(1.0, vec(0, 0, 0), vec(0, 0, 0)), b = particle(1.0, vec(1, 0, 0), vec(0, 0, 0));
    d = nsc_default_spring_def(a, b);
    memcpy(&other, &world, sizeof world);
    CHECK(nsc_world_add_spring(&world, &d) == NSC_ERR_ARGUMENT); /* neither stiff nor damped */
    d.stiffness = R(10.0);
#define REFUSED(change, code) e = d, change, CHECK(nsc_world_add_spring(&world, &e) == (code))
    REFUSED(e.body_b = a, NSC_ERR_ARGUMENT);
    REFUSED(e.body_b = b + (1 << 14), NSC_ERR_HANDLE);
    REFUSED(e.body_a = -1, NSC_ERR_HANDLE);
    REFUSED(e.rest = R(-0.1), NSC_ERR_ARGUMENT);
    REFUSED(e.stiffness = R(-0.1), NSC_ERR_ARGUMENT);
    REFUSED(e.damping = R(-0.1), NSC_ERR_ARGUMENT);
    REFUSED(e.rest = nan, NSC_ERR_NOT_FINITE);
    REFUSED(e.stiffness = nan, NSC_ERR_NOT_FINITE);
    REFUSED(e.damping = nan, NSC_ERR_NOT_FINITE);
    REFUSED(e.point_a.y = nan, NSC_ERR_NOT_FINITE);
    REFUSED(e.point_b.z = nan, NSC_ERR_NOT_FINITE);
    CHECK(nsc_world_add_spring(&world, NULL) == NSC_ERR_ARGUMENT && nsc_world_add_spring(NULL, &d) == NSC_ERR_ARGUMENT);
    other.note = world.note, CHECK(memcmp(&other, &world, sizeof world) == 0);

    s = nsc_world_add_spring(&world, &d);
    CHECK(s > 0 && nsc_spring_get_def(&world, s, &e) == NSC_OK && memcmp(&d, &e, sizeof d) == 0);
    memcpy(&other, &world, sizeof world);
    e.body_a = NSC_GROUND;
    CHECK(nsc_spring_set_def(&world, s, &e) == NSC_ERR_ARGUMENT);
    e = d, e.body_a = d.body_b, e.body_b = d.body_a;
    CHECK(nsc_spring_set_def(&world, s, &e) == NSC_ERR_ARGUMENT);
    e = d, e.stiffness = R(0.0);
    CHECK(nsc_spring_set_def(&world, s, &e) == NSC_ERR_ARGUMENT);
    e = d, e.point_a.x = nan;
    CHECK(nsc_spring_set_def(&world, s, &e) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_spring_set_def(&world, s, NULL) == NSC_ERR_ARGUMENT && nsc_spring_set_def(NULL, s, &d) == NSC_ERR_ARGUMENT);
    CHECK(nsc_spring_set_def(&world, a, &d) == NSC_ERR_HANDLE && nsc_spring_get_def(NULL, s, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_spring_get_def(&world, NSC_GROUND, &e) == NSC_ERR_HANDLE && nsc_spring_get_def(&world, s, NULL) == NSC_OK);
    CHECK(nsc_spring_get_force(&world, a, NULL, NULL) == NSC_ERR_HANDLE && nsc_spring_get_force(NULL, s, NULL, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_spring_get_force(&world, s, NULL, NULL) == NSC_OK);
    CHECK(nsc_world_remove_spring(&world, a) == NSC_ERR_HANDLE && nsc_world_remove_spring(NULL, s) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_remove_spring(&world, NSC_GROUND) == NSC_ERR_HANDLE && nsc_world_remove_spring(&world, -1) == NSC_ERR_HANDLE);
    other.note = world.note, CHECK(memcmp(&other, &world, sizeof world) == 0);
    e = d, e.stiffness = R(0.0), e.damping = R(3.0), e.rest = R(0.25);
    CHECK(nsc_spring_set_def(&world, s, &e) == NSC_OK);

    for (i = 1; i < NSC_MAX_SPRINGS; i++) CHECK(nsc_world_add_spring(&world, &d) > 0);
    CHECK(nsc_world_add_spring(&world, &d) == NSC_ERR_CAPACITY);
    CHECK(nsc_world_remove_spring(&world, s) == NSC_OK && nsc_world_add_spring(&world, &d) > 0);
    CHECK(nsc_world_add_spring(&world, &d) == NSC_ERR_CAPACITY);
}

#if NSC_MAX_JOINTS > 0
static void handles_of_springs_go_stale(void)
{
    nsc_spring_def d;
    nsc_shape_def ball = nsc_default_sphere_def(R(0.1));
    nsc_joint_def joint;
    nsc_shape_def ignored;
    nsc_id a, b, s, t, shape, hinge;
    int tag;
    for (tag = 0; tag < 16; tag += 5) {
        nsc_world_def w = default_def();
        w.tag = tag;
        CHECK(nsc_world_init(&world, &w) == NSC_OK);
        a = particle(1.0, vec(0, 0, 0), vec(0, 0, 0)), b = particle(1.0, vec(1, 0, 0), vec(0, 0, 0));
        shape = nsc_world_add_shape(&world, a, &ball);
        joint = nsc_default_joint_def(NSC_JOINT_BALL, a, b);
        hinge = nsc_world_add_joint(&world, &joint);
        d = nsc_default_spring_def(a, b), d.stiffness = R(1.0);
        s = nsc_world_add_spring(&world, &d);
        t = nsc_world_add_spring(&world, &d);
        CHECK(s > 0 && t > 0 && s != t);
        CHECK(nsc_body_get_pose(&world, s, NULL) == NSC_ERR_HANDLE && nsc_body_get_pose(&world, t, NULL) == NSC_ERR_HANDLE);
        CHECK(nsc_shape_get_def(&world, s, &ignored) == NSC_ERR_HANDLE && nsc_joint_get_def(&world, s, NULL) == NSC_ERR_HANDLE);
        CHECK(nsc_spring_get_def(&world, a, NULL) == NSC_ERR_HANDLE && nsc_spring_get_def(&world, b, NULL) == NSC_ERR_HANDLE);
        CHECK(nsc_spring_get_def(&world, shape, NULL) == NSC_ERR_HANDLE && nsc_spring_get_def(&world, hinge, NULL) == NSC_ERR_HANDLE);
        CHECK(nsc_spring_get_def(&world, s ^ 1 << 25, NULL) == NSC_ERR_HANDLE); /* of another world */
        CHECK(nsc_world_remove_spring(&world, s) == NSC_OK && nsc_world_remove_spring(&world, s) == NSC_ERR_HANDLE);
        CHECK(nsc_spring_get_def(&world, t, NULL) == NSC_OK && world.spring_end == 2);
        CHECK(nsc_world_add_spring(&world, &d) != s && nsc_spring_get_def(&world, s, NULL) == NSC_ERR_HANDLE); /* stale */
        CHECK(nsc_world_remove_body(&world, b) == NSC_OK && world.spring_end == 0);
        CHECK(nsc_spring_get_def(&world, t, NULL) == NSC_ERR_HANDLE);
        CHECK(step_by(&world, R(0.01)) == NSC_OK);
    }
}
#endif

/* Two on a line under the ceiling fall asleep; their springs keep their force, whatever the step; then things wake them. */
static void sleeping_springs_keep_their_force_and_wake(void)
{
    nsc_world_def d;
    nsc_spring_def e;
    nsc_id a, b, s, t;
    nsc_vec3 force, before;
    nsc_body_def still = nsc_default_body_def();
    int i;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10.0);
    d = world.def, d.sleep_time = R(0.2);
    CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
    a = particle(1.0, vec(0, 0, -1.2), vec(0, 0, 0)), b = particle(1.0, vec(0, 0, -2.1), vec(0, 0, 0));
    s = spring(NSC_GROUND, a, 1.0, 100.0, 10.0), t = spring(a, b, 1.0, 100.0, 10.0);
    for (i = 0; i < 1000 && !nsc_body_is_asleep(&world, b); i++) step_by(&world, R(0.01));
    CHECK(i < 1000 && nsc_body_is_asleep(&world, a) == 1 && world.report.islands == 1 && nsc_world_island(&world, 0)->springs == 2);
    nsc_spring_get_force(&world, s, NULL, &before);
    CHECK_NEAR(before.z, 20.0, 0.1);
    for (i = 0; i < 4; i++) CHECK(step_by(&world, i % 2 ? R(0.005) : R(0.02)) == NSC_OK);
    nsc_spring_get_force(&world, s, NULL, &force);
    CHECK_NEAR(force.z, before.z, 100 * EPS);
    CHECK(nsc_body_is_asleep(&world, a) == 1 && world.report.solver.iterations == 0);
    nsc_spring_get_def(&world, t, &e);
    e.stiffness = R(120.0);
    CHECK(nsc_spring_set_def(&world, t, &e) == NSC_OK && nsc_body_is_asleep(&world, a) == 0 && nsc_body_is_asleep(&world, b) == 0);
    for (i = 0; i < 1000 && !nsc_body_is_asleep(&world, b); i++) step_by(&world, R(0.01));
    CHECK(nsc_body_is_asleep(&world, a) == 1);
    CHECK(nsc_world_remove_body(&world, b) == NSC_OK && nsc_body_is_asleep(&world, a) == 0);
    for (i = 0; i < 1000 && !nsc_body_is_asleep(&world, a); i++) step_by(&world, R(0.01));
    nsc_spring_get_force(&world, s, NULL, &force);
    CHECK_NEAR(force.z, 10.0, 0.1);
    CHECK(nsc_world_remove_spring(&world, s) == NSC_OK && nsc_body_is_asleep(&world, a) == 0);

    still.kind = NSC_KINEMATIC_BODY, still.pose.position = vec(0, 0, 1);
    b = nsc_world_add_body(&world, &still);
    s = spring(b, a, 1.0, 100.0, 10.0), t = spring(NSC_GROUND, b, 1.0, 100.0, 0.0); /* the second between what does not move */
    for (i = 0; i < 1000 && !nsc_body_is_asleep(&world, a); i++) CHECK(step_by(&world, R(0.01)) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, a) == 1);
    nsc_spring_get_force(&world, t, NULL, &force);
    CHECK(!(dot(force, force) > 0));
    nsc_body_set_velocity(&world, b, vec(0.5, 0, 0), vec(0, 0, 0)); /* its support moves on */
    for (i = 0; i < 300; i++) CHECK(step_by(&world, R(0.01)) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, a) == 0);
    CHECK_NEAR(position(a).x, 1.5, 0.4); /* and it swings */
}

/* ---- images, drawing, text */

#ifndef TEST_PART
static void count_line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    int *n = (int *)user;
    (void)start, (void)end;
    *n += from->colour == NSC_COLOUR_JOINT;
}

static void count_text(void *user, const char *text)
{
    int *n = (int *)user;
    for (; *text; text++) *n += *text == '\n';
}

static void springs_are_saved_hashed_and_drawn(void)
{
    static const int steppers[4] = {1, 3, 5, 6};
    nsc_draw pen;
    uint32_t hash;
    int k, i, size, n = 0, lines = 0;
    for (k = 0; k < 4; k++) {
        nsc_id a, b, s, cut;
        begin(steppers[k], 9.81);
        a = particle(1.0, vec(1, 0, 0), vec(0, 1, 0)), b = solid(2.0, 0.1, vec(2, 0, 0), vec(0, 0, 1));
        s = spring(NSC_GROUND, a, 0.9, 200.0, 1.0);
        cut = spring(NSC_GROUND, b, 0.5, 20.0, 1.0);
        spring(a, b, 0.8, 300.0, 0.0);
        CHECK(nsc_world_remove_spring(&world, cut) == NSC_OK);
        for (i = 0; i < 20; i++) CHECK(step_by(&world, R(0.01)) == NSC_OK);
        size = nsc_world_save(&world, image, IMAGE);
        hash = nsc_world_hash(&world);
        CHECK(size > 0 && size == nsc_world_save_size(&world));
        memset(&other, 0x5a, sizeof other);
        CHECK(nsc_world_load(&other, image, size) == NSC_OK && nsc_world_hash(&other) == hash && other.spring_end == 3);
        CHECK(nsc_spring_get_def(&other, cut, NULL) == NSC_ERR_HANDLE && nsc_spring_get_def(&other, s, NULL) == NSC_OK);
        for (i = 0; i < 20; i++) step_by(&world, R(0.01)), step_by(&other, R(0.01));
        CHECK(nsc_world_hash(&other) == nsc_world_hash(&world) && nsc_world_hash(&other) != hash);
        hash = nsc_world_hash(&world);
        world.springs[0].impulse.y += R(1.0);
        CHECK(nsc_world_hash(&world) != hash);
        world.springs[0].impulse.y -= R(1.0);
        hash = nsc_world_hash(&world), lines = 0;
        CHECK(nsc_world_dump(&world, R(0.01), 0, count_text, &lines) == 2 && lines > 10);
        CHECK(nsc_world_hash(&world) == hash);
        memcpy(&other, &world, sizeof world); /* the first problem of the step is what the text tells */
        other.def.newton_steps = 1;
        CHECK(step_by(&other, R(0.01)) == NSC_OK);
        for (i = 0; i < 2; i++) {
            const nsc_block *told = &world.scratch.solve.blocks[i], *solved = &other.scratch.solve.blocks[i];
            CHECK(memcmp(told->J, solved->J, (size_t)told->rows * sizeof told->J[0]) == 0 && told->rows == (steppers[k] == 3 ? 1 : 3));
            CHECK(memcmp(told->bias, solved->bias, (size_t)told->rows * sizeof told->bias[0]) == 0);
        }
    }
    pen.user = &n, pen.line = count_line, pen.point = NULL, pen.force_scale = R(0.0);
    CHECK(nsc_world_draw(&world, &pen, NSC_DRAW_JOINTS) == NSC_OK && n == 2);
    CHECK(nsc_world_draw(&world, &pen, NSC_DRAW_ALL - NSC_DRAW_JOINTS) == NSC_OK && n == 2);
}
#endif

/* ---- particles */

#ifndef TEST_PART
static void particles_do_not_turn(void)
{
    nsc_shape_def ball = nsc_default_sphere_def(R(0.1)), ground = nsc_default_half_space_def();
    nsc_joint_def joint;
    nsc_real mass, inertia[6];
    nsc_vec3 v = vec(0, 0, 0), o = v, acceleration, rate;
    nsc_body_def b = nsc_default_body_def();
    nsc_id p, q;
    int i, solver, size;
    begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10.0);
    b.particle = 1;
    CHECK(nsc_world_add_body(&world, &b) == NSC_ERR_ARGUMENT); /* without a mass */
    b.mass = R(1.0), b.kind = NSC_KINEMATIC_BODY;
    CHECK(nsc_world_add_body(&world, &b) == NSC_ERR_ARGUMENT);
    b.kind = NSC_DYNAMIC_BODY, b.particle = 2;
    CHECK(nsc_world_add_body(&world, &b) == NSC_ERR_ARGUMENT);
    b.particle = 1, b.angular_velocity.z = R(5.0), b.inertia[0] = R(-3.0);
    p = nsc_world_add_body(&world, &b);
    CHECK(p > 0 && nsc_body_get_mass(&world, p, &mass, NULL, inertia) == NSC_OK && !(inertia[0] < 0 || inertia[0] > 0) && mass >= 1 && mass <= 1);
    CHECK(nsc_world_add_shape(&world, p, &ball) > 0);
    CHECK(nsc_body_add_impulse_at(&world, p, vec(0, 2, 0), vec(1, 0, 0)) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, p, vec(0, 3, 0), vec(0, 0, 7)) == NSC_OK);
    CHECK(nsc_body_add_force(&world, p, vec(0, 0, 0), vec(0, 0, 5)) == NSC_OK && nsc_body_add_force_at(&world, p, vec(0, 0, 10), vec(3, 0, 0)) == NSC_OK);
    CHECK(step_by(&world, R(0.01)) == NSC_OK && nsc_body_get_velocity(&world, p, &v, &o) == NSC_OK);
    CHECK_NEAR(v.y, 3.0, 4 * EPS);
    CHECK_NEAR(v.z, 0.0, 4 * EPS);
    CHECK(!(dot(o, o) > 0) && world.bodies[1].orientation.w >= 1);
    b.pose.position = vec(0.3, 0, 0);
    CHECK(nsc_body_get_imu(&world, p, b.pose, &acceleration, &rate) == NSC_OK && !(dot(rate, rate) > 0));
    CHECK_NEAR(acceleration.z, 10.0, 100 * EPS);

    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_AUTO; solver++) { /* on a plane, and on a pendulum, in every solver */
        nsc_world_def d;
        begin(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 10.0);
        d = world.def, d.solver = nsc_default_settings(), stepped_by = solver, d.sleep_time = R(0.3);
        d.solver.law = solver == NSC_SOLVER_DANTZIG ? NSC_LAW_PYRAMID : d.solver.law;
        CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
        if (solver == NSC_SOLVER_MINRES) continue; /* joints alone */
        nsc_world_add_shape(&world, NSC_GROUND, &ground);
        p = particle(0.5, vec(5, 0, 0.1), vec(1, 0, 0));
        nsc_world_add_shape(&world, p, &ball);
        q = particle(0.5, vec(1, 0, 2), vec(0, 0, 0));
        joint = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, q);
        joint.frame_a.position = vec(0, 0, 2), joint.frame_b.position = vec(-1, 0, 0);
        CHECK(nsc_world_add_joint(&world, &joint) > 0); /* as it does not turn, it stays */
        for (i = 0; i < 200; i++) CHECK(step_by(&world, R(0.01)) == NSC_OK);
        CHECK(nsc_body_is_asleep(&world, p) == 1 && nsc_body_is_asleep(&world, q) == 1);
        CHECK_NEAR(position(p).x, 5.1, 0.02); /* v^2 / 2 mu g: it slides, it does not roll */
        CHECK_NEAR(position(q).z, 2.0, 0.001);
        size = nsc_world_save(&world, image, IMAGE);
        CHECK(nsc_world_load(&other, image, size) == NSC_OK && nsc_world_hash(&other) == nsc_world_hash(&world));
        other.bodies[1].angular_velocity.x = R(1.0);
        size = nsc_world_save(&other, image, IMAGE);
        CHECK(nsc_world_load(&world, image, size) == NSC_ERR_ARGUMENT);
    }
}

/* Two particles held together in all ways: what would turn them has no mass, and is left out. */
static void rows_without_mass_are_left_out(void)
{
    nsc_joint_def joint;
    nsc_id p, q;
    int i, stepper;
    for (stepper = 1; stepper <= STEPPERS(5); stepper++) {
        if (stepper == NSC_STEPPER_EULER_FORWARD) continue;
        begin(stepper, 10.0);
        p = particle(1.0, vec(0, 0, 0), vec(1, 0, 0)), q = particle(1.0, vec(1, 0, 0), vec(0, 0, 0));
        joint = nsc_default_joint_def(NSC_JOINT_FIXED, p, q);
        joint.frame_a.position.x = R(1.0);
        CHECK(nsc_world_add_joint(&world, &joint) > 0);
        for (i = 0; i < 50; i++) CHECK(step_by(&world, R(0.01)) == NSC_OK);
        CHECK_NEAR(position(q).x - position(p).x, 1.0, 200 * EPS);
        CHECK_NEAR(velocity(p).x, 0.5, 100 * EPS);
        CHECK_NEAR(velocity(q).z, -5.0, 100 * EPS);
    }
}
#endif

/* ---- a sheet */

enum { SIDE = 6 };
static void a_pinned_sheet_comes_to_rest(int stepper)
{
    nsc_id id[SIDE][SIDE];
    nsc_world_def d = default_def();
    double energy = 0, low = 0, mean = 0;
    int i, j, k, most = 0, unsettled = 0;
    d.stepper = stepper, stepped_by = NSC_SOLVER_NEWTON;
    CHECK_ONCE(nsc_world_init(&world, &d) == NSC_OK);
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            int pinned = i == 0 && (j == 0 || j == SIDE - 1);
            nsc_body_def b = nsc_default_body_def();
            b.kind = pinned ? NSC_KINEMATIC_BODY : NSC_DYNAMIC_BODY;
            b.particle = !pinned, b.mass = pinned ? R(0.0) : R(0.02);
            b.pose.position = vec(0.1 * j, 0.1 * i, 0);
            id[i][j] = nsc_world_add_body(&world, &b);
            CHECK(id[i][j] > 0);
            if (i > 0) CHECK(spring(id[i - 1][j], id[i][j], 0.1, 500.0, 0.05) > 0);
            if (j > 0) CHECK(spring(id[i][j - 1], id[i][j], 0.1, 500.0, 0.05) > 0);
            if (i > 0 && j > 0) CHECK(spring(id[i - 1][j - 1], id[i][j], 0.1414213562, 100.0, 0.02) > 0);
            if (i > 0 && j > 0) CHECK(spring(id[i - 1][j], id[i][j - 1], 0.1414213562, 100.0, 0.02) > 0);
        }
    for (k = 0; k < 300; k++) {
        CHECK(step_by(&world, NSC_R(1.0) / 30) == NSC_OK);
        if (world.report.newton_steps > most) most = world.report.newton_steps;
        unsettled += world.report.unsettled;
        mean += world.report.newton_steps / 300.0;
    }
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            energy += 0.01 * dot(velocity(id[i][j]), velocity(id[i][j]));
            if ((double)position(id[i][j]).z < low) low = (double)position(id[i][j]).z;
        }
    printf("sheet, stepper %d: lowest %.4f m, energy of motion %.1e J, Newton steps %.1f, at most %d, change %.1e, unsettled %d\n", stepper, low,
           energy, mean, most, (double)world.report.newton_change, unsettled);
    CHECK(energy < 1e-4 && low < -0.3 && low > -0.8);
    if (stepper == NSC_STEPPER_EULER_IMPLICIT) CHECK(unsettled == 0 && world.report.newton_change <= world.def.newton_tolerance && most > 1);
}

/* Weights that hang from springs of their own: each spring bears its own, and EULER_IMPLICIT has
   solved its equation, m (v - v0) / h = m g - c x, when it says so. */
static void springs_apart(int stepper)
{
    const double g = 10, h = .01, stiffness = 1000;
    nsc_world_def def = exact_world(g);
    nsc_spring_def d;
    nsc_id spring[3], b[3];
    nsc_vec3 force, before;
    nsc_real long_now;
    int i, n;
    def.stepper = stepper;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    for (i = 0; i < 3; i++) {
        b[i] = heavy_body(vec(2 * i, 0, 0), 1 + i, 1);
        d = nsc_default_spring_def(NSC_GROUND, b[i]);
        d.point_a = vec(2 * i, 0, 1);
        d.rest = REAL(1), d.stiffness = REAL(stiffness), d.damping = REAL(40);
        spring[i] = nsc_world_add_spring(&world, &d);
    }
    for (n = 0; n < 400; n++) CHECK(step_by(&world, REAL(h)) >= 0);
    for (i = 0; i < 3; i++) {
        CHECK(nsc_spring_get_force(&world, spring[i], &long_now, &force) == NSC_OK);
        CHECK_NEAR(force.z, (1 + i) * g, .01);
        CHECK_NEAR(long_now, 1 + (1 + i) * g / stiffness, 1e-4);
    }
    if (stepper != NSC_STEPPER_EULER_IMPLICIT) return;
    d.damping =
        REAL(0); /* swinging far: the spring's direction and force are those after the step */
    CHECK(nsc_spring_set_def(&world, spring[0], &d) < 0); /* of other bodies */
    CHECK(nsc_spring_get_def(&world, spring[0], &d) == NSC_OK);
    d.damping = REAL(0);
    CHECK(nsc_spring_set_def(&world, spring[0], &d) == NSC_OK);
    CHECK(nsc_body_set_velocity(&world, b[0], vec(20, 0, 0), vec(0, 0, 0)) == NSC_OK);
    for (n = 0; n < 10; n++) {
        nsc_pose pose;
        double x, z, r, pull;
        before = velocity_of(b[0], 0);
        CHECK(step_by(&world, REAL(h)) >= 0);
        CHECK(nsc_body_get_pose(&world, b[0], &pose) == NSC_OK);
        x = D(pose.position.x), z = D(pose.position.z) - 1, r = sqrt(x * x + z * z);
        pull = -stiffness * (r - 1) / r;
        CHECK_NEAR(D(velocity_of(b[0], 0).x - before.x) / h, pull * x, BY_REAL(1e-6, .3));
        CHECK_NEAR(D(velocity_of(b[0], 0).z - before.z) / h, pull * z - g, BY_REAL(1e-6, .3));
        CHECK(world.report.newton_steps >= 2 && world.report.unsettled == 0);
    }
}

int main(void)
{
    int stepper;
    a_spring_bears_the_weight_in_every_stepper();
    if (NSC_STEPPERS) periods_are_those_of_each_stepper();
    if (NSC_STEPPERS) every_step_follows_the_steppers_formula(NSC_STEPPER_EULER_IMPLICIT);
    every_step_follows_the_steppers_formula(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED);
    if (NSC_STEPPERS) every_step_follows_the_steppers_formula(NSC_STEPPER_EULER_IMPLICIT_PROJECTED);
    if (NSC_STEPPERS) four_substeps_are_four_steps();
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) two_particles_keep_their_momentum(stepper);
    if (NSC_STEPPERS) off_centre_the_moment_of_momentum_is_kept();
    for (stepper = 1; stepper <= STEPPERS(7); stepper++) off_centre_newton_settles(stepper);
    stiff_springs_stay_where_they_are_implicit();
    without_a_length_it_pulls_to_the_point();
#if NSC_MAX_JOINTS > 0
    contact_joint_and_springs_carry_the_weight_together();
#endif
    bad_springs_are_refused();
#if NSC_MAX_JOINTS > 0
    handles_of_springs_go_stale();
#endif
    sleeping_springs_keep_their_force_and_wake();
#ifndef TEST_PART
    springs_are_saved_hashed_and_drawn();
    particles_do_not_turn();
    rows_without_mass_are_left_out();
#endif
    if (!test_quick()) a_pinned_sheet_comes_to_rest(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED);
    if (NSC_STEPPERS) a_pinned_sheet_comes_to_rest(NSC_STEPPER_EULER_IMPLICIT);
    springs_apart(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED);
    if (NSC_STEPPERS) springs_apart(NSC_STEPPER_EULER_IMPLICIT);
    return TEST_END("springs");
}
