/* Impacts and long runs: several bodies struck at once, elastic bouncing, free flight, free rotation.  Every number is
   published or follows in closed form; where nsc reaches less, the number it reaches is checked, and said. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 224
#define NSC_MAX_CONTACTS 1200
#include "all.h"
#include <math.h>
#include <string.h>
#include "world.h"
#include "random.h"
#include "by.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static nsc_world_def def;
static double mu, bounce; /* of the shapes that follow */
enum { MOST = 216 };
static nsc_id id[MOST];

static void begin(double friction, double restitution, double gravity)
{
    mu = friction, bounce = restitution;
    def = default_def();
    def.gravity = vec(0, 0, -gravity);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
}

static void use_def(void) { CHECK_ONCE(nsc_world_set_def(&world, &def) == NSC_OK); }

static void fix(nsc_id body, nsc_shape_def shape)
{
    shape.friction = REAL(mu), shape.restitution = REAL(bounce);
    CHECK_ONCE(nsc_world_add_shape(&world, body, &shape) >= 0);
}

static nsc_id ball(double mass, double radius, nsc_vec3 position, nsc_vec3 velocity)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_sphere_def(REAL(radius));
    nsc_id body;
    d.pose.position = position, d.velocity = velocity;
    body = nsc_world_add_body(&world, &d);
    CHECK_ONCE(body > 0);
    s.density = REAL(mass / (4.0 / 3.0 * pi * radius * radius * radius));
    fix(body, s);
    return body;
}

static void wall(double x)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id body;
    d.kind = NSC_STATIC_BODY, d.pose.position = vec(x, 0, .5);
    body = nsc_world_add_body(&world, &d);
    fix(body, nsc_default_box_def(REAL(.5), REAL(2), REAL(2)));
}

static void step(double h) { CHECK_ONCE(step_by(&world, REAL(h)) >= 0); }

static double vx(int i) { return D(inside(id[i])->velocity.x); }

/* Kinetic and potential energy of the first n, less g h m v_z / 2: that is what free flight by the symplectic step
   v' = v - g h, z' = z + h v' conserves exactly, and so does a reversal of v_z at any height:
       (v - g h)^2 / 2 + g (z + h v - g h^2) - g h (v - g h) / 2 = v^2 / 2 + g z - g h v / 2,
       -v, z - h v:   v^2 / 2 + g (z - h v) + g h v / 2 = v^2 / 2 + g z - g h v / 2. */
static double energy(int n, double gravity, double h)
{
    double sum = 0;
    int i;
    for (i = 0; i < n; i++) {
        const nsc_body *b = inside(id[i]);
        double m = D(b->mass), z = D(b->position.z), v = D(b->velocity.z);
        sum += m * (.5 * dot(b->velocity, b->velocity) + gravity * z - .5 * gravity * h * v);
        sum += .5 * D(b->inertia[0]) * dot(b->angular_velocity, b->angular_velocity); /* spheres */
    }
    return sum;
}

/* ---- balls in a line ---- */

/* n equal balls of radius 1/2, gaps between them; the first comes with 1 m/s */
static void line(int n, double e, double gap, int on_table, int solver)
{
    int i;
    begin(0, e, on_table ? g : 0);
    stepped_by = solver;
    if (solver == NSC_SOLVER_DANTZIG) def.solver.law = NSC_LAW_PYRAMID;
    use_def();
    if (on_table) fix(NSC_GROUND, nsc_default_half_space_def());
    for (i = 0; i < n; i++) id[i] = ball(1, .5, vec((1 + gap) * i, 0, .5), vec(i == 0, 0, 0));
}

/* Newton's law of several impacts at once, u+ >= -e u-, u+ + e u- perpendicular to lambda, on n touching equal balls:
   the struck ones stay together with v', the first leaves them with e, and momentum is kept:
       n v' - e = 1,  v' = (1 + e) / n,  v_1 = v' - e.
   For n = 3, e = 1: (-1/3, 2/3, 2/3).  At e = 1 the energy is kept: (n - 1) (2/n)^2 + (2/n - 1)^2 = 1. */
static void touching(void)
{
    static const double es[3] = {1, .9, .5};
    int n, k, i, solver, table;
    double worst = 0, tol = is_double ? 1e-7 : 2e-5;
    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_DANTZIG; solver++)
        for (table = 0; solver_of(solver) && table < 2; table++)
            for (n = 3; n <= 7; n += 2)
                for (k = 0; k < 3; k++) {
                    CASE("solver %d, %d balls%s, e %g", solver, n, table ? " on a table" : "", es[k]);
                    line(n, es[k], 0, table, solver);
                    step(1e-3);
                    CHECK_NEAR(vx(0), (1 + es[k]) / n - es[k], tol);
                    for (i = 1; i < n; i++) {
                        double error = fabs(vx(i) - (1 + es[k]) / n);
                        if (error > worst) worst = error;
                    }
                }
    CASE_END();
    CHECK_NEAR(worst, 0, tol);
    line(3, 1, 0, 1, NSC_SOLVER_SIPGS);
    step(1e-3);
    CHECK_NEAR(vx(0), -1 / 3., tol);
    CHECK_NEAR(vx(1), 2 / 3., tol);
    CHECK_NEAR(vx(2), 2 / 3., tol);
    printf("    touching balls, e = 1: %.7f %.7f %.7f, simultaneous law -1/3 2/3 2/3; all of 3, 5, 7 balls within %.1g m/s\n", vx(0),
           vx(1), vx(2), worst);
}

/* With gaps longer than v h the impacts come one after the other.  Each passes on (1 + e) / 2 of the speed and keeps
   (1 - e) / 2: ball k has (1 - e) / 2 ((1 + e) / 2)^k, the last ((1 + e) / 2)^(n - 1).  e = 1: 0, ..., 0, 1. */
static void cradle(void)
{
    static const double es[2] = {1, .9};
    int n, k, i, t;
    double worst = 0, near_enough;
    for (n = 3; n <= 7; n += 2)
        for (k = 0; k < 2; k++) {
            double e = es[k];
            line(n, e, .05, 1, NSC_SOLVER_SIPGS);
            for (t = 0; t < 2000 && vx(n - 1) <= 0; t++) step(1e-3);
            for (i = 0; i < n; i++) {
                double expected = pow((1 + e) / 2, i) * (i == n - 1 ? 1 : (1 - e) / 2);
                if (fabs(vx(i) - expected) > worst) worst = fabs(vx(i) - expected);
            }
            CHECK(vx(n - 1) > 0);
        }
    CHECK_NEAR(worst, 0, is_double ? 1e-7 : 1e-5);
    printf("    balls with gaps: cradle result within %.1g m/s\n", worst);

    /* Between the two, a gap s < v h: the second contact would not close by itself in this step, so it waits for the next
       one.  Closing it here would cost energy: (-0.208333, 0.791667, 0.416667) has 27/32 of it left. */
    line(3, 1, .0005, 0, NSC_SOLVER_SIPGS);
    step(1e-3);
    near_enough = is_double ? 1e-6 : 2.4e-7 / 1e-3; /* float: a gap between 1 and 2 is rounded to 2.4e-7 m */
    CHECK_NEAR(vx(0), 0, near_enough);
    CHECK_NEAR(vx(1), 1, near_enough);
    CHECK_NEAR(vx(2), 0, near_enough);
    step(1e-3);
    CHECK_NEAR(vx(1), 0, near_enough);
    CHECK_NEAR(vx(2), 1, near_enough);
    CHECK_NEAR(energy(3, 0, 0), .5, near_enough);
}

/* n touching balls between two walls, ten seconds: at no step may the energy grow.  Recovery is off: float rounds x + h v to a side, 1e-7 m a step, which adds up to the slop in seconds, and
   undoing what is beyond does work: 2e-4 of the energy in the worst step of 7 balls. */
static void between_walls(int n, double e, double h)
{
    double E0, E, low, growth = 0, T = sample(4, 10);
    int i, steps = (int)(T / h + .5);
    line(n, e, 0, 1, NSC_SOLVER_SIPGS);
    def.recovery = REAL(0);
    use_def();
    wall(-1.3), wall(n + .35);
    E0 = low = energy(n, 0, 0);
    for (i = 0; i < steps; i++) {
        step(h);
        E = energy(n, 0, 0);
        if (E - low > growth) growth = E - low;
        if (E < low) low = E;
    }
    CHECK_NEAR(growth / E0, 0, is_double ? 1e-7 : 1e-5);
    printf("    %d balls between walls, e = %.1f, %g s at %g ms: energy grew by %.1g, %.4f of it is left\n", n, e, T, 1e3 * h, growth / E0,
           low / E0);
}

static void newtons_cradle(void)
{
    int n, k;
    for (n = 5; n <= 7; n += 2)
        for (k = 0; k < 2; k++) between_walls(n, k ? .9 : 1, 1e-3);
}

#if NSC_MAX_JOINTS > 0
/* The toy itself: n balls on hinges, 0.5 m under them, the first let go at 30 degrees.  With gaps longer than v h the last one
   rises to ((1 + e) / 2)^(2 (n - 1)) of the height; e = 1: all of it; touching: ((1 + e) / n)^2.  Returns by how much the
   energy grew on the way, as a share; a single pendulum borrows and returns O(h^2), impacts may not add to that. */
static double hung(int n, double e, double gap, double h)
{
    double L = .5, r = .05, a0 = pi / 6, E0, low, growth = 0, top = 0, expected = gap > 0 ? pow((1 + e) / 2, 2 * (n - 1)) : pow((1 + e) / n, 2);
    int i, steps = (int)(1.2 / h); /* the first comes down in 0.36 s, the last is up at 0.72 s */
    begin(0, e, g);
    def.solver.max_iterations = 300;
    use_def();
    for (i = 0; i < n; i++) {
        nsc_joint_def d;
        double x = (2 * r + gap) * i, a = i == 0 ? a0 : 0;
        id[i] = ball(1, r, vec(x - L * sin(a), 0, -L * cos(a)), vec(0, 0, 0));
        d = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, id[i]);
        CHECK(nsc_joint_place(&world, &d, vec(x, 0, 0), vec(0, 1, 0), vec(0, 0, 0)) == NSC_OK);
        CHECK(nsc_world_add_joint(&world, &d) >= 0);
    }
    E0 = energy(n, g, h) + n * g * L, low = E0;
    for (i = 0; i < steps; i++) {
        double E;
        step(h);
        E = energy(n, g, h) + n * g * L;
        if (E - low > growth) growth = E - low;
        if (E < low) low = E;
        if (i * h > .36 && D(inside(id[n - 1])->position.z) + L > top) top = D(inside(id[n - 1])->position.z) + L;
    }
    if (n == 1) return growth / E0;
    printf("    %d balls on hinges, gap %g mm, e = %.1f, h = %g ms: the last rises to %.4f of the height (%.4f), energy grew by %.1g, %.4f left\n",
           n, 1e3 * gap, e, 1e3 * h, top / (L - L * cos(a0)), expected, growth / E0, low / E0);
    CHECK_NEAR(top / (L - L * cos(a0)), expected, 1e-3);
    CHECK(e < 1 || low / E0 > .9999);
    return growth / E0;
}

static void hung_with(int n, double e, double gap, double h)
{
    double alone = hung(1, e, gap, h), together = hung(n, e, gap, h);
    printf("        a single one: %.1g\n", alone);
    CHECK(together < 1.5 * alone + (is_double ? 1e-7 : 2e-5));
}

static void hinges(void)
{
    hung_with(5, 1, 1e-3, 2.5e-4);
    hung_with(5, .9, 1e-3, 2.5e-4);
    hung_with(5, 1, 1e-3, 5e-4);
    hung_with(7, 1, 1e-3, 2.5e-4);
    hung_with(5, 1, 0, 2.5e-4);
}

#endif

/* ---- bouncing (leggedrobotics/SimBenchmark) ---- */

/* 49 balls of 10 kg, radius 0.1, centres at H = 5 over the ground, e = 1: 49 * 10 * 9.81 * 5 = 24034.5 J for 20 s. */
static void bouncing_energy(double h, double T)
{
    double E0, E, invariant, worst = 0, drift = 0, bound = .5 * g * h * sqrt(2 * g * (5 - .1)) * 490;
    int i, steps = (int)(T / h + .5);
    begin(0, 1, g);
    fix(NSC_GROUND, nsc_default_half_space_def());
    for (i = 0; i < 49; i++) id[i] = ball(10, .1, vec(2 * (i % 7), 2 * (i / 7), 5), vec(0, 0, 0));
    E0 = energy(49, g, 0);
    CHECK_NEAR(E0, 24034.5, is_double ? 1e-6 : .02);
    for (i = 0; i < steps; i++) {
        step(h);
        E = energy(49, g, 0), invariant = energy(49, g, h);
        if (fabs(E - E0) > worst) worst = fabs(E - E0);
        if (fabs(invariant - E0) > drift) drift = fabs(invariant - E0);
    }
    CHECK_NEAR(drift / E0, 0, is_double ? 1e-11 : 1e-4);
    CHECK(worst <= bound * 1.01 + drift); /* what the symplectic step borrows: m g h v / 2 */
    printf("    49 balls, h = %g s, %g s: energy 24034.5 J +- %.3g, of which drift %.2g J\n", h, T, worst, drift);
}

static void bouncing(void)
{
    bouncing_energy(.1, 20);
    bouncing_energy(.01, 20);
    bouncing_energy(.001, sample(3, trials(5, 20)));
    bouncing_energy(.0001, 1.5); /* one bounce and a half: falls 1 s */
}

/* 1000 bounces of one ball */
static void thousand_bounces(void)
{
    double h = 2e-3, E0, last, E, drift = 0;
    int count = 0, i, bounces = trials(60, 1000);
    begin(0, 1, g);
    fix(NSC_GROUND, nsc_default_half_space_def());
    id[0] = ball(1, .1, vec(0, 0, .6), vec(0, 0, 0));
    E0 = energy(1, g, 0);
    for (i = 0; i < 1000000 && count < bounces; i++) {
        last = D(inside(id[0])->velocity.z);
        step(h);
        count += last < 0 && D(inside(id[0])->velocity.z) > 0;
        E = energy(1, g, h) / E0 - 1;
        if (fabs(E) > drift) drift = fabs(E);
    }
    CHECK(count == bounces);
    CHECK_NEAR(drift, 0, is_double ? 1e-10 : 2e-3);
    printf("    %d elastic bounces: energy drifted by %.2g of itself\n", bounces, drift);
}

/* ---- 666 (leggedrobotics/SimBenchmark): 216 balls of 10 kg, radius 0.1, pitch 0.21, no friction ---- */

static unsigned long random_state;

static double random_unit(void)
{
    random_state = (random_state * 1103515245ul + 12345ul) & 0x7ffffffful;
    return (double)random_state / 2147483648.0;
}

static void cube_of_balls(double e, double height)
{
    int i;
    begin(0, e, g);
    fix(NSC_GROUND, nsc_default_half_space_def());
    random_state = 42;
    for (i = 0; i < 216; i++) {
        double x = .21 * (i % 6) + .001 * random_unit(), y = .21 * (i / 6 % 6) + .001 * random_unit();
        id[i] = ball(10, .1, vec(x, y, .21 * (i / 36) + .001 * random_unit() + height), vec(0, 0, 0));
    }
}

/* Inelastic: each step the sum of squared penetrations, its mean is the benchmark's error; here the deepest too. */
static void hard_contact(void)
{
    double h = 5e-3, deepest = 0, mean = 0;
    int i, k, steps = sample(200, 600);
    cube_of_balls(0, .101);
    for (i = 0; i < steps; i++) {
        step(h);
        if (D(nsc_world_report(&world)->penetration) > deepest) deepest = D(nsc_world_report(&world)->penetration);
        for (k = 0; k < nsc_world_contact_count(&world); k++) {
            double gap = D(nsc_world_contact(&world, k)->gap);
            mean += gap < 0 ? gap * gap / steps : 0;
        }
        CHECK(nsc_world_report(&world)->dropped == 0);
    }
    printf("    666: deepest penetration %.3g m, mean of the sum of squares %.3g m^2\n", deepest, mean);
    CHECK(deepest < 2e-3);
}

/* Elastic, dropped from 1.101: no step may take or give energy.  Returns what is lost, as a share. */
static double elastic_balls(double h, double T)
{
    double E0, E, low, high;
    int i, steps = (int)(T / h + .5);
    cube_of_balls(1, 1.101);
    def.bounce_speed = REAL(0);
    use_def();
    E0 = low = high = energy(216, g, 0);
    for (i = 0; i < steps; i++) {
        step(h);
        E = energy(216, g, h);
        if (E < low) low = E;
        if (E > high) high = E;
    }
    printf("    666 elastic, h = %g s, %g s: energy %.6f .. %.6f of the first\n", h, T, low / E0, high / E0);
    CHECK_NEAR(high / E0, 1, is_double ? 1e-6 : 1e-4); /* float rounds z + h v by up to 6e-5 of h v at 4 m/s */
    return 1 - low / E0;
}

static void elastic(void)
{
    double T = trials(1, 2), coarse = elastic_balls(2e-3, T), fine = elastic_balls(1e-3, T);
    double finest = test_long() ? elastic_balls(2.5e-4, T) : 0;
    CHECK(coarse < (is_double ? 1e-6 : 1e-4) && fine < (is_double ? 1e-6 : 1e-4) && finest < (is_double ? 1e-6 : 1e-3)); /* float: as above, 8000 steps */
}

/* ---- free flight ---- */

/* v_n = -n g h, z_n = z_0 - g h^2 n (n + 1) / 2.  With g and h powers of two both are exact in float too. */
static void free_fall(void)
{
    double h = 1 / 256., drop;
    int n, exact = 1;
    begin(0, 0, 8);
    id[0] = ball(2, .5, vec(0, 0, 0), vec(1, 0, 0));
    CHECK(nsc_body_set_velocity(&world, id[0], vec(1, 0, 0), vec(0, 0, 3)) == NSC_OK);
    for (n = 1; n <= 5000; n++) {
        step(h);
        drop = 8 * h * h * n * (n + 1.0) / 2;
        exact &= D(inside(id[0])->velocity.z) == -8 * h * n && D(inside(id[0])->position.z) == -drop;
        exact &= D(inside(id[0])->position.x) == h * n && D(inside(id[0])->angular_velocity.z) == 3;
    }
    CHECK(exact);
    begin(0, 0, g);
    id[0] = ball(2, .5, vec(0, 0, 0), vec(0, 0, 0));
    for (n = 1; n <= 1000; n++) step(1e-3);
    CHECK_NEAR(inside(id[0])->velocity.z, -g, is_double ? 1e-12 : 2e-4);
    CHECK_NEAR(inside(id[0])->position.z, -g * 1e-6 * 1000 * 1001 / 2, is_double ? 1e-12 : 2e-4);
}

/* A body with three different moments, left alone for 1000 s: energy, |L|, and the direction of L in the world */
static void tumbling(double h)
{
    nsc_body_def d = nsc_default_body_def();
    double E0 = 0, L0 = 0, E, worstE = 0, worstL = 0, turned = 0;
    nsc_vec3 L, start = vec(0, 0, 0);
    int i, seconds = trials(60, 1000), steps = (int)(seconds / h + .5);
    begin(0, 0, 0);
    d.mass = REAL(1), d.inertia[0] = REAL(1), d.inertia[1] = REAL(2), d.inertia[2] = REAL(2.5);
    d.angular_velocity = vec(.3, 2, .1);
    id[0] = nsc_world_add_body(&world, &d);
    for (i = 0; i <= steps; i++) {
        const nsc_body *b = inside(id[0]);
        nsc_vec3 o = rotate_back(b->orientation, b->angular_velocity), l = vec(D(o.x), 2 * D(o.y), 2.5 * D(o.z));
        double angle;
        L = rotate(b->orientation, l);
        E = .5 * dot(o, l);
        if (i == 0) E0 = E, L0 = sqrt(dot(l, l)), start = L;
        if (fabs(E / E0 - 1) > worstE) worstE = fabs(E / E0 - 1);
        if (fabs(sqrt(dot(l, l)) / L0 - 1) > worstL) worstL = fabs(sqrt(dot(l, l)) / L0 - 1);
        angle = acos(fmin(dot(L, start) / sqrt(dot(L, L) * dot(start, start)), 1)) * 180 / pi;
        if (angle > turned) turned = angle;
        step(h);
    }
    CHECK_NEAR(worstE, 0, is_double ? 1e-9 : 3e-4);
    CHECK_NEAR(worstL, 0, is_double ? 1e-9 : 3e-4);
    CHECK(turned < (is_double ? 1e-5 : 1e-2));
    printf("    tumbling %d s at %g s: energy within %.2g, |L| within %.2g of itself, L turned by at most %.3g degrees\n", seconds, h,
           worstE, worstL, turned);
}

static void tumble(void) { tumbling(.01), tumbling(.005); }

/* What spins fast, as what rolls fast does, hits a thin wall: balls, capsules and cubes, wherever a step begins */
static void spinning(void)
{
    static const double speeds[3] = {5, 19, 60};
    int kind, v, k, t, through = 0;
    for (kind = 0; kind < 3; kind++)
        for (v = 0; v < 3; v++)
            for (k = 0; k < 8; k++)
                for (t = 0; t < sample(5, 50); t++) {
                    nsc_shape_def s = kind == 0 ? nsc_default_sphere_def(REAL(.05)) : kind == 1 ? nsc_default_capsule_def(REAL(.05), REAL(.1))
                                                                                               : nsc_default_box_def(REAL(.05), REAL(.05), REAL(.05));
                    nsc_body_def b = nsc_default_body_def();
                    int i;
                    begin(0, 0, 0);
                    fix(NSC_GROUND, nsc_default_box_def(REAL(.01), REAL(2), REAL(2)));
                    b.pose.position = vec(-1 - .6 * t / sample(5, 50), 0, 0);
                    if (kind == 1) b.pose.orientation.w = b.pose.orientation.x = REAL(sqrt(.5));
                    b.velocity = vec(speeds[v], 0, 0);
                    b.angular_velocity = vec(0, k ? 12.5 * (1 << k) : 0, kind == 1 || !k ? 0 : 4 * (1 << k));
                    fix(nsc_world_add_body(&world, &b), s);
                    for (i = 0; i < 150 / speeds[v] + 2; i++) step(1 / 60.);
                    through += D(world.bodies[1].position.x) > 0;
                }
    CHECK(through == 0);
}

/* The same of rods, plates and boxes in any attitude, which turn by any angle in a step or not at all: they hit with a corner or an
   end, and turn the more.  A fifth of those that do not turn flew through at a metre a step. */
static int a_rod_stays(void)
{
    static const double speeds[3] = {5, 19, 60};
    int which = nth(96), kind = which / 24, k = which % 8, i;
    nsc_shape_def s = kind == 0   ? nsc_default_box_def(REAL(.2), REAL(.02), REAL(.02))
                      : kind == 1 ? nsc_default_box_def(REAL(.2), REAL(.2), REAL(.01))
                      : kind == 2 ? nsc_default_capsule_def(REAL(.02), REAL(.2))
                                  : nsc_default_box_def(REAL(.1), REAL(.05), REAL(.02));
    nsc_body_def b = nsc_default_body_def();
    double spin = k ? 3 * (1 << k) : 0, speed = speeds[which / 8 % 3];
    begin(0, 0, 0);
    fix(NSC_GROUND, nsc_default_box_def(REAL(.01), REAL(2), REAL(2)));
    b.pose.position = any_in(-1.6, -1, -1, 1, -1, 1);
    b.pose.orientation = any_turn();
    b.velocity = vec(speed, 0, 0);
    b.angular_velocity = any_vec(spin);
    fix(nsc_world_add_body(&world, &b), s);
    for (i = 0; i < 150 / speed + 2; i++) step(1 / 60.);
    said("kind %d at %g m/s and up to %g rad/s ends at x = %g", kind, speed, spin, D(world.bodies[1].position.x));
    return D(world.bodies[1].position.x) <= 0;
}

static void rods(void) { search("a rod does not fly through a wall", a_rod_stays, 96 * sample(5, 50)); }

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*run)(void); } scenes[] = {
        {"touching", touching}, {"cradle", cradle}, {"newtons_cradle", newtons_cradle}, {"bouncing", bouncing},
#if NSC_MAX_JOINTS > 0
        {"hinges", hinges},
#endif
        {"thousand_bounces", thousand_bounces}, {"hard_contact", hard_contact}, {"elastic", elastic}, {"free_fall", free_fall},
        {"tumble", tumble}, {"spinning", spinning}, {"rods", rods}};
    size_t i;
    argc = test_begin(argc, argv);
    for (i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (argc < 2 || strcmp(argv[1], scenes[i].name) == 0) scenes[i].run();
    return TEST_END("impacts");
}
