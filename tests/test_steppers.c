/* The steppers against closed forms, RK4 in minimal coordinates (reference.h), and their own theory: order of convergence,
   stability, amplification, drift of what is held, refusals, snapshots.  `-v` prints what was measured. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_BODIES 16
#define NSC_MAX_SHAPES 16
#define NSC_MAX_CONTACTS 64
#define NSC_MAX_JOINTS 10
#define NSC_MAX_JOINT_BLOCKS 30
#include "../nsc.h"
#include "test.h"
#include "reference.h"
#include <math.h>
#include <string.h>

#define REAL(x) ((nsc_real)(x))
#define D(x) ((double)(x))
#define DOUBLE (sizeof(nsc_real) == 8)
#define PICK(in_double, in_float) (DOUBLE ? (in_double) : (in_float))
#define SHOW(...) (verbose ? (void)printf(__VA_ARGS__) : (void)0)
static const double pi = 3.14159265358979323846, g = 9.81;
static int verbose;
static nsc_world world, other;
static nsc_world_def def;

/* ---- the steppers ---- */

enum { LINEARIZED, PROJECTED, SYMPLECTIC, FORWARD, IMPLICIT, HHT, NEWMARK, TRAPEZOIDAL, STEPPERS };
static const struct {
    int stepper, order, hard;                 /* hard: takes hard contact                                */
    double alpha, beta, gamma;
    const char *name;
} steppers[STEPPERS] = {
    {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 1, 1, -.2, .3, .6, "EULER_IMPLICIT_LINEARIZED"},
    {NSC_STEPPER_EULER_IMPLICIT_PROJECTED, 1, 1, -.2, .3, .6, "EULER_IMPLICIT_PROJECTED"},
    {NSC_STEPPER_EULER_SYMPLECTIC, 1, 1, -.2, .3, .6, "EULER_SYMPLECTIC"},
    {NSC_STEPPER_EULER_FORWARD, 1, 0, -.2, .3, .6, "EULER_FORWARD"},
    {NSC_STEPPER_EULER_IMPLICIT, 1, 1, -.2, .3, .6, "EULER_IMPLICIT"},
    {NSC_STEPPER_HHT, 2, 0, -.2, .3, .6, "HHT"},
    {NSC_STEPPER_NEWMARK, 1, 0, -.2, .3, .6, "NEWMARK 0.3 0.6"},
    {NSC_STEPPER_NEWMARK, 2, 0, -.2, .25, .5, "NEWMARK 0.25 0.5"}};

/* A solver that goes on to rounding, so that what is left over is the stepper's */
static nsc_world_def def_of(int s)
{
    nsc_world_def d = nsc_default_world_def();
    d.gravity.x = d.gravity.y = d.gravity.z = NSC_R(0.0);
    d.stepper = steppers[s].stepper;
    d.alpha = REAL(steppers[s].alpha), d.beta = REAL(steppers[s].beta), d.gamma = REAL(steppers[s].gamma);
    d.contact_model = steppers[s].hard ? NSC_CONTACT_HARD : NSC_CONTACT_SMOOTH;
    d.solver.solver = NSC_SOLVER_NEWTON;
    d.solver.tolerance = REAL(PICK(1e-13, 1e-6));
    d.newton_tolerance = REAL(PICK(1e-11, 1e-6));
    return d;
}

static void begin(int s)
{
    def = def_of(s);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static void use_def(void) { CHECK(nsc_world_set_def(&world, &def) == NSC_OK); }

/* ---- scenes ---- */

static nsc_vec3 vec(double x, double y, double z)
{
    nsc_vec3 v;
    v.x = REAL(x), v.y = REAL(y), v.z = REAL(z);
    return v;
}

static nsc_vec3 vec_of(const double *x) { return vec(x[0], x[1], x[2]); }
static nsc_vec3 zero(void) { return vec(0, 0, 0); }
static void get(nsc_vec3 v, double *out) { out[0] = D(v.x), out[1] = D(v.y), out[2] = D(v.z); }
static const nsc_body *inside(nsc_id id) { return &world.bodies[id & 16383]; }

static nsc_quat quat_of(double R[3][3])
{
    double q[4];
    nsc_quat r;
    ref_quaternion(R, q);
    r.w = REAL(q[0]), r.x = REAL(q[1]), r.y = REAL(q[2]), r.z = REAL(q[3]);
    return r;
}

static void rotation_of(nsc_id id, double R[3][3])
{
    double q[4];
    q[0] = D(inside(id)->orientation.w), q[1] = D(inside(id)->orientation.x);
    q[2] = D(inside(id)->orientation.y), q[3] = D(inside(id)->orientation.z);
    ref_matrix(q, R);
}

static nsc_id body(double mass, const double *I, nsc_vec3 position, nsc_vec3 velocity)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.mass = REAL(mass), d.pose.position = position, d.velocity = velocity;
    d.inertia[0] = REAL(I[0]), d.inertia[1] = REAL(I[1]), d.inertia[2] = REAL(I[2]);
    id = nsc_world_add_body(&world, &d);
    CHECK(id > 0);
    return id;
}

static nsc_id point_mass(double mass, nsc_vec3 position, nsc_vec3 velocity)
{
    static const double I[3] = {.1, .1, .1};
    return body(mass, I, position, velocity);
}

static nsc_joint_def joint_def(int kind, nsc_id a, nsc_id b, nsc_vec3 point, nsc_vec3 axis)
{
    nsc_joint_def d = nsc_default_joint_def(kind, a, b);
    CHECK(nsc_joint_place(&world, &d, point, axis, zero()) == NSC_OK);
    return d;
}

static nsc_id add(const nsc_joint_def *d)
{
    nsc_id id = nsc_world_add_joint(&world, d);
    CHECK(id >= 0);
    return id;
}

static nsc_id join(int kind, nsc_id a, nsc_id b, nsc_vec3 point, nsc_vec3 axis)
{
    nsc_joint_def d = joint_def(kind, a, b, point, axis);
    return add(&d);
}

/* A spring from the ground's point `from` to the centre of a body: axis 0 of a joint that holds nothing */
static nsc_id spring_to(nsc_id b, nsc_vec3 from, double k, double d, double rest)
{
    nsc_joint_def j = nsc_default_joint_def(NSC_DISTANCE, NSC_GROUND, b);
    j.frame_a.position = from;
    j.axis[0].spring = REAL(k), j.axis[0].spring_damping = REAL(d), j.axis[0].spring_rest = REAL(rest);
    return add(&j);
}

static void step(double h) { CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK); }

/* ---- mechanisms with a reference ---- */

enum { PENDULUM, DOUBLE_PENDULUM, SPHERICAL, SLIDER, ELASTIC, FREE, TOP, SCENES };
typedef struct scene {
    const char *name;
    int kind, links, rigid;                   /* of its joint                                            */
    double time, h;                           /* how long, and the largest step [s]                      */
    double y[2 * REF_DOF + 1];                /* coordinates and speeds at the beginning                 */
    double end[2 * REF_DOF + 1];              /* by RK4                                                  */
    ref_mechanism M;
} scene;
static scene scenes[SCENES];

/* a point mass on an elastic string in the plane x y, q = (x, y) */
static void walk_plane(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, f);
    ref_slide(f, 0, 0, q[0], u[0]);
    ref_slide(f, 1, 1, q[1], u[1]);
    ref_end(M, f);
}

static void elastic_rates(const scene *s, const double *y, double *dy)
{
    double l = sqrt(y[0] * y[0] + y[1] * y[1]), pull = s->M.k / s->M.m[0] * (l - s->M.rest) / l;
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = s->M.g[0] - pull * y[0], dy[3] = s->M.g[1] - pull * y[1];
}

static void elastic_step(const scene *s, double *y, double h)
{
    double k[4][4], z[4];
    int i;
    elastic_rates(s, y, k[0]);
    for (i = 0; i < 4; i++) z[i] = y[i] + .5 * h * k[0][i];
    elastic_rates(s, z, k[1]);
    for (i = 0; i < 4; i++) z[i] = y[i] + .5 * h * k[1][i];
    elastic_rates(s, z, k[2]);
    for (i = 0; i < 4; i++) z[i] = y[i] + h * k[2][i];
    elastic_rates(s, z, k[3]);
    for (i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void add_scene(int which, const char *name, int kind, double time, double h)
{
    static const double ez[3] = {0, 0, 1};
    scene *s = &scenes[which];
    ref_mechanism *M = &s->M;
    memset(s, 0, sizeof *s);
    s->name = name, s->kind = kind, s->links = 1, s->rigid = kind != 0 && kind != NSC_DISTANCE;
    s->time = time, s->h = h;
    M->dof = M->bodies = 1;
    M->m[0] = M->m[1] = 2;
    M->I[0][0] = M->I[1][0] = .02, M->I[0][1] = M->I[1][1] = .13, M->I[0][2] = M->I[1][2] = .14;
    M->g[0] = g; /* down is x, so that 0 hangs */
    ref_rotation(ez, 0, M->base_R);
    ref_rotation(ez, 0, M->R0);
}

static void make_scenes(void)
{
    static const double tilt[3] = {0, 1, 0};
    double R[3][3];
    int k, i;
    scene *s;
    add_scene(PENDULUM, "pendulum", NSC_HINGE, .8, .01);
    s = &scenes[PENDULUM], s->M.walk = ref_walk_hinge, s->M.c[0] = .6, s->y[0] = 2.2, s->y[1] = .5;
    add_scene(DOUBLE_PENDULUM, "double pendulum", NSC_HINGE, .6, .01);
    s = &scenes[DOUBLE_PENDULUM], s->M.walk = ref_walk_double, s->M.c[0] = .8, s->M.dof = s->M.bodies = s->links = 2;
    s->y[0] = 1.2, s->y[1] = .6, s->y[2] = -1, s->y[3] = 2;
    add_scene(SPHERICAL, "spherical pendulum", NSC_BALL, .6, .01);
    s = &scenes[SPHERICAL], s->M.walk = ref_walk_ball, s->M.c[0] = .5, s->M.dof = 3, s->M.ball = 1;
    s->y[0] = cos(.5), s->y[2] = sin(.5), s->y[4] = 2.5, s->y[5] = .3, s->y[6] = -1;
    add_scene(SLIDER, "mass on a spring, w = 20", NSC_SLIDER, .25, .01);
    s = &scenes[SLIDER], s->M.walk = ref_walk_slider, s->M.k = 800, s->y[0] = .1;
    add_scene(ELASTIC, "elastic string, w = 20", NSC_DISTANCE, .3, .01);
    s = &scenes[ELASTIC], s->M.walk = walk_plane, s->M.k = 800, s->M.rest = .5, s->M.dof = 2;
    s->y[0] = .45, s->y[1] = .2, s->y[2] = 1, s->y[3] = -1;
    add_scene(FREE, "free body", 0, 2, .02);
    s = &scenes[FREE], s->M.walk = ref_walk_ball, s->M.dof = 3, s->M.ball = 1;
    s->M.I[0][0] = 1, s->M.I[0][1] = 2, s->M.I[0][2] = 2.5, s->M.g[0] = 0;
    s->y[0] = 1, s->y[4] = .3, s->y[5] = 3, s->y[6] = .2; /* about the middle axis: it turns over */
    add_scene(TOP, "heavy top", NSC_BALL, .4, .004);
    s = &scenes[TOP], s->M.walk = ref_walk_ball, s->M.dof = 3, s->M.ball = 1;
    s->M.I[0][0] = s->M.I[0][1] = .05, s->M.I[0][2] = .03, s->M.c[2] = .2, s->M.g[0] = 0, s->M.g[2] = -g;
    ref_rotation(tilt, .5, R);
    ref_quaternion(R, s->y);
    for (i = 0; i < 3; i++) s->y[4 + i] = 40 * R[i][2];
    for (k = 0; k < SCENES; k++) {
        s = &scenes[k];
        memcpy(s->end, s->y, sizeof s->end);
        for (i = 0; i < 20000; i++)
            if (k == ELASTIC) elastic_step(s, s->end, s->time / 20000);
            else ref_step(&s->M, s->end, s->time / 20000);
    }
}

/* Bodies as the reference has them at the beginning, and the joints where they then are; returns the first body. */
static nsc_id build(const scene *s)
{
    ref_frame f[REF_BODIES];
    nsc_id id[REF_BODIES], before = NSC_GROUND;
    double p[3] = {0, 0, 0}, axis[3];
    int i, k;
    memset(f, 0, sizeof f);
    ref_look(&s->M, s->y, f);
    def.gravity = vec_of(s->M.g);
    use_def();
    for (i = 0; i < s->M.bodies; i++) {
        nsc_pose pose;
        id[i] = body(s->M.m[i], s->M.I[i], vec_of(f[i].p), vec_of(f[i].v));
        pose.position = vec_of(f[i].p), pose.orientation = quat_of(f[i].R);
        CHECK(nsc_body_set_pose(&world, id[i], pose) == NSC_OK);
        CHECK(nsc_body_set_velocity(&world, id[i], vec_of(f[i].v), vec_of(f[i].w)) == NSC_OK);
    }
    if (s->kind == NSC_DISTANCE) spring_to(id[0], zero(), s->M.k, s->M.d, s->M.rest);
    for (i = 0; i < s->links && s->rigid; i++) {
        nsc_joint_def d;
        for (k = 0; k < 3; k++) axis[k] = f[i].R[k][2], p[k] = i == 0 ? 0 : 2 * f[0].p[k];
        d = joint_def(s->kind, before, id[i], vec_of(p), vec_of(axis));
        if (s->kind == NSC_SLIDER) {
            d.frame_a.position = d.frame_b.position = zero(); /* so its position counts from the origin */
            d.axis[0].spring = REAL(s->M.k);
        }
        add(&d);
        before = id[i];
    }
    return id[0];
}

/* Distance of the bodies from where the reference has them, and of their turns */
static double error_of(const scene *s, nsc_id first)
{
    ref_frame f[REF_BODIES];
    double sum = 0, x[3], R[3][3];
    int i, k, l;
    memset(f, 0, sizeof f);
    ref_look(&s->M, s->end, f);
    for (i = 0; i < s->M.bodies; i++) {
        get(inside(first + i)->position, x);
        rotation_of(first + i, R);
        for (k = 0; k < 3; k++) {
            sum += (x[k] - f[i].p[k]) * (x[k] - f[i].p[k]);
            for (l = 0; l < 3 && s->kind != NSC_DISTANCE; l++) sum += .5 * (R[k][l] - f[i].R[k][l]) * (R[k][l] - f[i].R[k][l]);
        }
    }
    return sqrt(sum);
}

static double run_scene(const scene *s, int stepper, int steps)
{
    nsc_id first;
    int i;
    begin(stepper);
    first = build(s);
    for (i = 0; i < steps; i++) step(s->time / steps);
    return error_of(s, first);
}

/* ---- a. order of convergence ---- */

/* least squares slope of y over x */
static double slope_of(const double *x, const double *y, int n)
{
    double mx = 0, my = 0, a = 0, b = 0;
    int i;
    for (i = 0; i < n; i++) mx += x[i] / n, my += y[i] / n;
    for (i = 0; i < n; i++) a += (x[i] - mx) * (y[i] - my), b += (x[i] - mx) * (x[i] - mx);
    return a / b;
}

static void test_order(void)
{
    int k, s, i;
    for (k = 0; k < SCENES; k++)
        for (s = 0; s < STEPPERS; s++) {
            enum { SIZES = 4 };
            int sizes = PICK(SIZES, steppers[s].order == 1 && k != FREE ? 4 : 3); /* float: above 1e-5 only, where rounding is not seen */
            double x[SIZES], y[SIZES], slope;
            int steps = (int)(scenes[k].time / scenes[k].h + .5), order = steppers[s].order;
            if (k == FREE && steppers[s].hard) order = 2; /* free rotation is by the implicit midpoint */
            if (s == TRAPEZOIDAL && scenes[k].rigid) continue;
            steps *= order == 1 ? 4 : PICK(2, 1);
            for (i = 0; i < sizes; i++, steps *= 2) {
                double e = run_scene(&scenes[k], s, steps);
                CHECK(world.report.unsettled == 0);
                x[i] = log(scenes[k].time / steps), y[i] = log(e);
            }
            slope = slope_of(x, y, sizes);
            SHOW("%-26s %-28s order %.3f   error %.2e .. %.2e   newton %d\n", scenes[k].name, steppers[s].name, slope, exp(y[0]),
                 exp(y[sizes - 1]), world.report.newton_steps);
            CHECK_NEAR(slope, order, .15);
        }
}

/* ---- b, c. the linear oscillator ---- */

/* A mass of 1 on a spring, along z: on a slider, or (where no rigid joint is allowed) at the end of a string of length 1 */
static nsc_id oscillator(int s, double w2, double x, double v)
{
    nsc_joint_def d;
    nsc_id b;
    begin(s);
    if (s == TRAPEZOIDAL) {
        b = point_mass(1, vec(0, 0, 1 + x), vec(0, 0, v));
        spring_to(b, zero(), w2, 0, 1);
        return b;
    }
    b = point_mass(1, vec(0, 0, x), vec(0, 0, v));
    d = nsc_default_joint_def(NSC_SLIDER, NSC_GROUND, b);
    d.axis[0].spring = REAL(w2);
    add(&d);
    return b;
}

static double place_of(int s, nsc_id b) { return D(inside(b)->position.z) - (s == TRAPEZOIDAL); }
static double speed_of(nsc_id b) { return D(inside(b)->velocity.z); }

static void test_stability(void)
{
    const double w = 50, x0 = .1;
    double most, x, v, before = 0;
    int s, i;
    nsc_id b;
    for (s = 0; s < STEPPERS; s++) {
        if (s == SYMPLECTIC || s == FORWARD) continue;
        b = oscillator(s, w * w, x0, 0);
        for (i = 0, most = 0; i < 2000; i++) {
            step(10 / w);
            x = fabs(place_of(s, b)) + fabs(speed_of(b)) / w;
            if (i < 1000) continue; /* the last thousand steps are not above where it began */
            most = x > most ? x : most;
        }
        SHOW("h = 10/w    %-28s %.3g of the beginning\n", steppers[s].name, most / x0);
        CHECK(most <= (s == TRAPEZOIDAL ? 1.5 : 1e-3) * x0);
    }
    b = oscillator(SYMPLECTIC, w * w, x0, 0);
    for (i = 0, most = 0; i < 10000; i++) {
        step(1.99 / w);
        x = fabs(place_of(SYMPLECTIC, b));
        most = x > most ? x : most;
    }
    SHOW("h = 1.99/w  SYMPLECTIC  %.6f of the beginning, theory %.6f\n", most / x0, 1 / sqrt(1 - .995 * .995));
    CHECK_NEAR(most / x0, 1 / sqrt(1 - .995 * .995), .02);
    b = oscillator(SYMPLECTIC, w * w, x0, 0);
    for (i = 0; i < 100; i++) {
        step(2.01 / w);
        if (i == 49) before = fabs(place_of(SYMPLECTIC, b));
    }
    x = log(fabs(place_of(SYMPLECTIC, b)) / before) / 50; /* eigenvalue -e^a, 2 cosh a = (h w)^2 - 2 */
    SHOW("h = 2.01/w  SYMPLECTIC  grows by %.4f a step, theory %.4f\n", exp(x), exp(acosh(.5 * 2.01 * 2.01 - 1)));
    CHECK_NEAR(x, acosh(.5 * 2.01 * 2.01 - 1), 1e-3);
    b = oscillator(FORWARD, w * w, x0, 0);
    for (i = 0; i < 100; i++) {
        x = place_of(FORWARD, b), v = speed_of(b), before = w * w * x * x + v * v;
        step(.3 / w);
        x = place_of(FORWARD, b), v = speed_of(b);
        CHECK_NEAR(sqrt((w * w * x * x + v * v) / before), sqrt(1 + .09), PICK(1e-13, 1e-6));
    }
}

/* Energy of Euler's steps on the oscillator, step by step */
static void test_energy(void)
{
    static const double share[3] = {.05, .7, 10}; /* h w */
    const double w = 30;
    int s, i, k;
    for (k = 0; k < 3; k++)
        for (s = 0; s <= IMPLICIT; s++) {
            double hw = share[k], h = hw / w, x = .1, v = 1, before, after, factor = 1 / (1 + hw * hw), far = 0;
            nsc_id b;
            if (s == SYMPLECTIC && hw > 2) continue;
            if (s == SYMPLECTIC) factor = 1;
            if (s == FORWARD) factor = 1 + hw * hw;
            b = oscillator(s, w * w, x, v);
            for (i = 0; i < PICK(100, 20); i++) {
                before = w * w * x * x + v * v - (s == SYMPLECTIC) * h * w * w * x * v;
                if (!(before > PICK(1e-20, 1e-8)) || before > 1e20) break;
                step(h);
                x = place_of(s, b), v = speed_of(b);
                after = w * w * x * x + v * v - (s == SYMPLECTIC) * h * w * w * x * v;
                far = fmax(far, fabs(after / before / factor - 1));
            }
            SHOW("h w = %-5g %-28s energy x %-10.6g a step, off by %.1e in %d\n", hw, steppers[s].name, factor, far, i);
            CHECK(i >= 4);
            CHECK(far < PICK(2e-12, 3e-6));
        }
}

/* x, h v, h^2 a after a step of HHT or Newmark on x'' = -s x (h = 1) */
static void amplification(double s, double alpha, double beta, double gamma, double A[3][3])
{
    double y[3], a;
    int i, k;
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 3; i++) y[i] = i == k;
        a = (alpha * s * y[0] - (1 + alpha) * s * (y[0] + y[1] + (.5 - beta) * y[2])) / (1 + (1 + alpha) * s * beta);
        A[0][k] = y[0] + y[1] + (.5 - beta) * y[2] + beta * a;
        A[1][k] = y[1] + (1 - gamma) * y[2] + gamma * a;
        A[2][k] = a;
    }
}

/* |largest eigenvalue|: A^(2^48) */
static double spectral_radius(double A[3][3])
{
    double B[3][3], size, sum = 0;
    int i, j, k;
    memcpy(B, A, sizeof B);
    for (k = 0; k < 48; k++) {
        for (i = 0, size = 0; i < 3; i++) for (j = 0; j < 3; j++) size = fmax(size, fabs(B[i][j]));
        for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) B[i][j] /= size;
        sum += ldexp(log(size), -k);
        ref_mul_mm(B, B, B);
    }
    return exp(sum);
}

/* Four places in a row obey the recurrence whose polynomial is that of the matrix, x3 = c1 x2 - c2 x1 + c3 x0: so the code's
   amplification has its eigenvalues.  Returns the largest. */
static double check_amplification(int s, double alpha, double hw)
{
    const double w = 20;
    double A[3][3], c1, c2, c3, x[4] = {0, 0, 0, 0}, beta, gamma, worst = 0, rho, first = 0, v, h = hw / w;
    int i, told = 0;
    nsc_id b = oscillator(s, w * w, .5, 0);
    if (s == HHT) def.alpha = REAL(alpha), use_def();
    alpha = s == HHT ? D(def.alpha) : 0;
    beta = s == HHT ? .25 * (1 - alpha) * (1 - alpha) : D(def.beta), gamma = s == HHT ? .5 - alpha : D(def.gamma);
    amplification(hw * hw, alpha, beta, gamma, A);
    c1 = A[0][0] + A[1][1] + A[2][2];
    c2 = A[0][0] * A[1][1] - A[0][1] * A[1][0] + A[0][0] * A[2][2] - A[0][2] * A[2][0] + A[1][1] * A[2][2] - A[1][2] * A[2][1];
    c3 = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
    rho = spectral_radius(A);
    for (i = 0; i < 400; i++) {
        step(h); /* the first: of EULER_IMPLICIT */
        x[0] = x[1], x[1] = x[2], x[2] = x[3], x[3] = place_of(s, b);
        v = fabs(x[1]) + fabs(x[2]) + fabs(x[3]);
        if (i == 2) first = v;
        if (i >= 3 && v > PICK(1e-6, 1e-3) * first)
            worst = fmax(worst, fabs(x[3] - c1 * x[2] + c2 * x[1] - c3 * x[0]) / (fabs(x[0]) + v)), told++;
    }
    SHOW("h w = %-7g %-18s alpha %6.3f  spectral radius %.6f, recurrence off by %.1e in %d\n", hw, steppers[s].name, alpha, rho, worst, told);
    CHECK(told >= 3);
    CHECK(worst < (40 + 4 * hw * hw) * D(NSC_REAL_EPS)); /* a rate is (h w)^2 times the rounding of a place */
    return rho;
}

static void test_amplification(void)
{
    static const double alphas[3] = {-.1, -.2, -1. / 3}, steps[5] = {.05, .5, 2, 10, 100};
    double x, v, E0 = 0, E, far, low, lower;
    int i, k;
    nsc_id b;
    for (i = 0; i < 3; i++) {
        double a = alphas[i], A[3][3];
        for (k = 0; k < 5; k++) check_amplification(HHT, a, steps[k]);
        amplification(1e12, a, .25 * (1 - a) * (1 - a), .5 - a, A);
        CHECK_NEAR(spectral_radius(A), (1 + a) / (1 - a), 2e-3); /* what is far too fast for h is damped */
        low = check_amplification(HHT, a, .1), lower = check_amplification(HHT, a, .05);
        CHECK_NEAR(log((1 - low) / (1 - lower)) / log(2), 4, .05); /* what is slow hardly: damping ratio (1 - rho) / (h w) = O((h w)^3) */
    }
    for (k = 0; k < 5; k++) {
        CHECK(check_amplification(NEWMARK, 0, steps[k]) < 1);
        if (k < 3) CHECK_NEAR(check_amplification(TRAPEZOIDAL, 0, steps[k]), 1, 1e-5);
    }
    for (k = 0; k < 3; k++) { /* the trapezoidal rule keeps the energy */
        b = oscillator(TRAPEZOIDAL, 400, .2, 1);
        for (i = 0, far = 0; i < 1000; i++) {
            step(steps[k] / 20);
            x = place_of(TRAPEZOIDAL, b), v = speed_of(b), E = 400 * x * x + v * v;
            if (i == 0) E0 = E;
            far = fmax(far, fabs(E / E0 - 1));
        }
        SHOW("h w = %-5g NEWMARK 0.25 0.5 keeps energy to %.1e\n", steps[k], far);
        CHECK(far < PICK(1e-10, 2e-3));
    }
}

/* ---- the heavy top in the fast limit: precession m g r / (I w) ---- */

static void test_precession(void)
{
    int s, i, n;
    for (s = 0; s < STEPPERS; s++) {
        scene top = scenes[TOP];
        double R[3][3], x[3], angle = 0, before, now, turned, rate, h;
        nsc_id b;
        if (s == TRAPEZOIDAL) continue;
        ref_matrix(top.y, R);
        rate = top.M.m[0] * g * top.M.c[2] / (top.M.I[0][2] * 400);
        for (i = 0; i < 3; i++) top.y[4 + i] = 400 * R[i][2] + (i == 2) * rate;
        begin(s);
        b = build(&top);
        n = s == FORWARD ? 8000 : 2000, h = .5 / n;
        get(inside(b)->position, x);
        for (i = 0, before = atan2(x[1], x[0]); i < n; i++, before = now) {
            step(h);
            get(inside(b)->position, x);
            now = atan2(x[1], x[0]);
            turned = now - before;
            angle += turned - 2 * pi * floor(turned / (2 * pi) + .5);
        }
        SHOW("top at 400 rad/s, %-28s precession %.4f rad/s, fast limit %.4f\n", steppers[s].name, angle / .5, rate);
        CHECK_NEAR(angle / .5, rate, .03 * rate);
    }
}

int main(int argc, char **argv)
{
    verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    make_scenes();
    test_order();
    test_stability();
    test_energy();
    test_amplification();
    test_precession();
    (void)other, (void)join;
    return TEST_END(DOUBLE ? "steppers (double)" : "steppers (float)");
}
