/* Which settings does your world need?  Sweeps of SIPGS, solvers and sub-steps, each tried on the
   whole motion and compared with an accurate run: three tables, and under each what to take and
   why.
   Files: nsc.h and nsc_solvers.h, and all of kit/, as it compares all solvers (nsc_all.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 13_tune.c -lm
   Your world: replace build() and control() below, or leave this file as it is and compile it with
   -DTUNE_WORLD='"mine.c"' and -I for its folder.  mine.c defines its capacities (NSC_MAX_BODIES
   and so on), includes "nsc_all.h", and has these two functions (a robot or chain takes TREE first:
   its joints need no sweeps),
       static int build(nsc_world *world, nsc_world_def def)                  negative: it failed
       static void control(nsc_world *world, int step, nsc_real h)            may be empty
   It may define the TUNE_ macros, but not NSC_ARENA: all solvers are compared.
   Expected: the balancer below needs 4 sweeps of SIPGS: with 2 it ends 2 mm off, with 3 its joints
   come apart by more than 1 mm; one sub-step is enough; the last line says what to take. */
#ifndef NSC_ARENA /* enough for every solver; set a smaller one by -D if that is too much memory */
#define NSC_ARENA \
    (NSC_ARENA_DANTZIG(3 * NSC_MAX_BLOCKS) + \
     NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS))
#endif
#define NSC_IMPLEMENTATION
#ifdef TUNE_WORLD
#include TUNE_WORLD
#else

/* ---- the world: a balancer of 1 kg on two wheels of 0.06 kg (1:17), driven by torque, and beside
   it a stack of three boxes */

#define NSC_MAX_BODIES 8
#define NSC_MAX_CONTACTS 32
#define NSC_MAX_JOINTS 2
#include "nsc_all.h"

static nsc_id trunk, motor[2];

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0};
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* Make the world.  The tool sets law, max_iterations, max_factorizations of def.solver, and
   def.substeps: leave these as they are.  All else is yours to change. */
static int build(nsc_world *world, nsc_world_def def)
{
    const nsc_real radius = NSC_R(0.05), height = NSC_R(0.25);
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_shape_def tyre = nsc_default_cylinder_def(radius, NSC_R(0.01));
    nsc_shape_def brick = nsc_default_box_def(NSC_R(0.1), NSC_R(0.1), NSC_R(0.1));
    nsc_body_def body = nsc_default_body_def();
    int i;
    if (nsc_world_init(world, &def) < 0) return -1;
    if (nsc_world_add_shape(world, NSC_GROUND, &ground) < 0) return -1;
    body.pose.position = vec(0, 0, height);
    body.mass = 1;
    body.inertia[0] = NSC_R(0.0042);
    body.inertia[1] = NSC_R(0.0036);
    body.inertia[2] = NSC_R(0.0011);
    trunk = nsc_world_add_body(world, &body);
    tyre.pose.orientation.w = tyre.pose.orientation.x = NSC_R(0.70710678); /* its axis along y */
    tyre.density = NSC_R(382.0);
    tyre.friction = NSC_R(0.8);
    for (i = 0; i < 2; i++) {
        nsc_vec3 at = vec(0, i == 0 ? NSC_R(0.08) : NSC_R(-0.08), radius);
        nsc_joint_def hinge;
        nsc_id wheel;
        body = nsc_default_body_def();
        body.pose.position = at;
        wheel = nsc_world_add_body(world, &body);
        if (nsc_world_add_shape(world, wheel, &tyre) < 0) return -1;
        hinge = nsc_default_joint_def(NSC_JOINT_HINGE, trunk, wheel);
        if (nsc_joint_place(world, &hinge, at, vec(0, 1, 0), vec(1, 0, 0)) < 0) return -1;
        hinge.axis[0].drive = NSC_DRIVE_MOTOR;
        hinge.axis[0].max_force = 0;
        motor[i] = nsc_world_add_joint(world, &hinge);
        if (motor[i] < 0) return -1;
    }
    for (i = 0; i < 3; i++) {
        nsc_id id;
        body = nsc_default_body_def();
        body.pose.position.x = 2;
        body.pose.position.y = NSC_R(0.01) * (nsc_real)i;
        body.pose.position.z = NSC_R(0.1) + NSC_R(0.2) * (nsc_real)i;
        id = nsc_world_add_body(world, &body);
        if (nsc_world_add_shape(world, id, &brick) < 0) return -1;
    }
    return 0;
}

/* A torque on a wheel: a motor that never gets up to its speed gives all its force. */
static int push(nsc_world *world, nsc_id joint, nsc_real torque)
{
    nsc_joint_def d;
    nsc_joint_get_def(world, joint, &d);
    d.axis[0].target_velocity = torque > 0 ? NSC_R(1e4) : NSC_R(-1e4);
    d.axis[0].max_force = torque > 0 ? torque : -torque;
    return nsc_joint_set_axis(world, joint, 0, &d.axis[0]);
}

/* Called before each step.  Reset what you keep between steps at step 0, where each run begins.
   Here: state feedback (LQR), and a shove at the start. */
static void control(nsc_world *world, int step, nsc_real h)
{
    nsc_pose p;
    nsc_vec3 v, w;
    nsc_real tilt, yaw, drive, turn;
    nsc_body_get_pose(world, trunk, &p);
    nsc_body_get_velocity(world, trunk, &v, &w);
    tilt = 2 * (p.orientation.w * p.orientation.y - p.orientation.x * p.orientation.z);
    yaw = 2 * (p.orientation.w * p.orientation.z + p.orientation.x * p.orientation.y);
    drive = NSC_R(4.6) * p.position.x + NSC_R(5.6) * tilt + NSC_R(2.6) * v.x + NSC_R(0.88) * w.y;
    turn = NSC_R(0.05) * yaw + NSC_R(0.01) * w.z;
    push(world, motor[0], drive / 2 + turn);
    push(world, motor[1], drive / 2 - turn);
    if ((nsc_real)step * h < NSC_R(0.05))
        nsc_body_add_force(world, trunk, vec(4, 1, 0), vec(0, 0, 0));
}

#define TUNE_BUILT_IN 1
#ifndef TUNE_H /* this one needs no shorter steps */
#define TUNE_H 0.004
#endif
#ifndef TUNE_STEPS
#define TUNE_STEPS 600
#endif
#endif /* TUNE_WORLD */
#include "nsc_all.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- what is simulated, and what is good enough for you: in metres, radians, seconds */

#ifndef TUNE_H
#define TUNE_H 0.002         /* step length */
#endif
#ifndef TUNE_STEPS
#define TUNE_STEPS 1200      /* simulated each time */
#endif
#ifndef TUNE_LONG
#define TUNE_LONG 5          /* times as long is what the sweeps to take must also stand */
#endif
#ifndef TUNE_ERROR
#define TUNE_ERROR 0.001     /* of a body's pose at the end, by the solver */
#endif
#ifndef TUNE_STEP_ERROR
#define TUNE_STEP_ERROR 0.005 /* by the length of the (sub-)step */
#endif
#ifndef TUNE_FALL
#define TUNE_FALL 0.005      /* a body may be so much lower at the end than in the accurate run */
#endif
#ifndef TUNE_CREEP
#define TUNE_CREEP 0.001     /* and this and the next three more than in it: speed at the end */
#endif
#ifndef TUNE_JOINT
#define TUNE_JOINT 0.001     /* drift of a joint */
#endif
#ifndef TUNE_JOINT_ANGLE
#define TUNE_JOINT_ANGLE 0.01
#endif
#ifndef TUNE_DEEP
#define TUNE_DEEP 0.001      /* deepest penetration */
#endif
#ifndef TUNE_REST
#define TUNE_REST 0.01       /* slower is at rest [m/s] */
#endif
#ifndef TUNE_REPEATS
#define TUNE_REPEATS 1       /* runs of each setting; more for steadier times */
#endif

enum { REACH = 1024, BODIES = NSC_MAX_BODIES, FINE = 8, ROWS = 24 };
enum { PARTS = 10, REPEATS = 9, LOOKS = 20 };
static const double nudge = 1e-5; /* [m/s] */
static nsc_world world;

typedef struct setting {
    char name[32];
    nsc_solver *solve;
    int law;
    int sweeps;         /* max_iterations; 0: as by default */
    int factors;        /* max_factorizations; 0: as by default */
    int substeps;
    int splits;         /* steps of h / splits, with control() every h and its forces held */
} setting;

typedef struct place { double at[3], q[4]; } place; /* of a centre of mass */

enum { ERROR, FALL, CREEP, JOINT, JOINT_ANGLE, DEEP, ENERGY, MEASURES, REST = MEASURES };
typedef struct outcome {
    setting s;
    int code;                   /* < 0: refused */
    nsc_refusal why;
    double value[MEASURES];     /* [m], [m], [m/s], [m], [rad], [m], [J] */
    double energy;              /* mechanical, at the end [J] */
    double span;                /* its largest less its least */
    double residual;            /* the worst step [m/s] */
    double solved;              /* share of the steps */
    double part[PARTS];         /* time of a step of h [s], the mean in each part of the run */
    double time;                /* the median of these, over all repeats */
    int median, worst;          /* iterations */
    int rest;                   /* steps until all rest for good */
    int beyond;                 /* bits: measures, and REST, beyond what is allowed */
    place at[LOOKS][BODIES];    /* after each twentieth of the run */
} outcome;

static outcome exact, nudged, fine, longer[ROWS], sweep[ROWS], other[ROWS], sub[ROWS];
static int sweeps, others, subs, failed;
static int steps = TUNE_STEPS;
static int chaotic; /* 1: the nudged run left the accurate one */
static int look = LOOKS - 1; /* the last before that, where error is measured; -1: none */
static int iterations[REACH + 1];

static void must(int ok, const char *what)
{
    static const char *said;
    if (ok) return;
    failed = 1;
    if (said != what) printf("FAILED: %s\n", what);
    said = what;
}

/* ---- measures */

static int moves(int i)
{
    return world.bodies[i].generation % 2 == 1 && world.bodies[i].kind == NSC_DYNAMIC_BODY;
}

static double length(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

/* Radius of gyration: makes a length of an angle */
static double radius(const nsc_body *b)
{
    if (b->particle || b->mass <= 0) return 0;
    return sqrt((double)(b->inertia[0] + b->inertia[1] + b->inertia[2]) / (2 * (double)b->mass));
}

static void note_places(place p[])
{
    int i;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        p[i].at[0] = (double)b->position.x;
        p[i].at[1] = (double)b->position.y;
        p[i].at[2] = (double)b->position.z;
        p[i].q[0] = (double)b->orientation.w;
        p[i].q[1] = (double)b->orientation.x;
        p[i].q[2] = (double)b->orientation.y;
        p[i].q[3] = (double)b->orientation.z;
    }
}

/* Between two places of a body [m]: distance, and angle times radius of gyration */
static double apart(const place *a, const place *b, double r)
{
    const double *p = a->q, *q = b->q;
    double x = p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2];
    double y = p[0] * q[2] - p[2] * q[0] - p[3] * q[1] + p[1] * q[3];
    double z = p[0] * q[3] - p[3] * q[0] - p[1] * q[2] + p[2] * q[1];
    double sine = length(x, y, z);
    double angle = 2 * asin(sine < 1 ? sine : 1);
    double far = length(a->at[0] - b->at[0], a->at[1] - b->at[1], a->at[2] - b->at[2]);
    return length(far, r * angle, 0);
}

static double farthest(const place a[], const place b[])
{
    double most = 0;
    int i;
    for (i = 1; i < world.body_end; i++)
        if (moves(i)) most = fmax(most, apart(&a[i], &b[i], radius(&world.bodies[i])));
    return most;
}

/* How much lower, along gravity, some body is in a than in b [m] */
static double lower(const place a[], const place b[])
{
    nsc_vec3 g = world.def.gravity;
    double size = length((double)g.x, (double)g.y, (double)g.z), most = 0;
    int i;
    for (i = 1; i < world.body_end && size > 0; i++) {
        double down = (double)g.x * (a[i].at[0] - b[i].at[0]);
        down += (double)g.y * (a[i].at[1] - b[i].at[1]);
        down += (double)g.z * (a[i].at[2] - b[i].at[2]);
        if (moves(i)) most = fmax(most, down / size);
    }
    return most;
}

static double dot(nsc_vec3 a, nsc_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* Twice the energy of turning [J]: with the axes of its body in the world, w I w */
static double turning(const nsc_body *b)
{
    nsc_quat q = b->orientation;
    nsc_vec3 w = b->angular_velocity, x = {0}, y = {0}, z = {0};
    double u, v, s;
    x.x = 1 - 2 * (q.y * q.y + q.z * q.z);
    x.y = 2 * (q.x * q.y + q.w * q.z);
    x.z = 2 * (q.x * q.z - q.w * q.y);
    y.x = 2 * (q.x * q.y - q.w * q.z);
    y.y = 1 - 2 * (q.x * q.x + q.z * q.z);
    y.z = 2 * (q.y * q.z + q.w * q.x);
    z.x = 2 * (q.x * q.z + q.w * q.y);
    z.y = 2 * (q.y * q.z - q.w * q.x);
    z.z = 1 - 2 * (q.x * q.x + q.y * q.y);
    u = dot(w, x);
    v = dot(w, y);
    s = dot(w, z);
    u = (double)b->inertia[0] * u * u + (double)b->inertia[1] * v * v +
        (double)b->inertia[2] * s * s + 2 * (double)b->inertia[3] * u * v +
        2 * (double)b->inertia[4] * u * s + 2 * (double)b->inertia[5] * v * s;
    return b->particle ? 0 : u;
}

/* Of motion and gravity [J]; what springs and servos store is not counted. */
static double energy(void)
{
    double sum = 0;
    int i;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        if (!moves(i)) continue;
        sum += ((double)b->mass * dot(b->velocity, b->velocity) + turning(b)) / 2;
        sum -= (double)(b->mass * b->gravity_scale) * dot(world.def.gravity, b->position);
    }
    return sum;
}

static double fastest(void)
{
    double most = 0;
    int i;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        nsc_vec3 v = b->velocity, w = b->angular_velocity;
        if (!moves(i)) continue;
        most = fmax(most, length((double)v.x, (double)v.y, (double)v.z));
        most = fmax(most, radius(b) * length((double)w.x, (double)w.y, (double)w.z));
    }
    return most;
}

static void joint_drift(outcome *o)
{
#if NSC_MAX_JOINTS > 0
    int i;
    for (i = 0; i < world.joint_end; i++) {
        uint16_t generation = world.joints[i].generation;
        nsc_real distance, angle;
        nsc_id id;
        if (generation % 2 == 0) continue;
        id = nsci_handle(&world, NSCI_JOINT_HANDLE, i, generation);
        if (nsc_joint_get_drift(&world, id, &distance, &angle) < 0) continue;
        o->value[JOINT] = fmax(o->value[JOINT], (double)distance);
        o->value[JOINT_ANGLE] = fmax(o->value[JOINT_ANGLE], (double)angle);
    }
#else
    (void)o;
#endif
}

static void measure(outcome *o, int step)
{
    const nsc_step_report *r = nsc_world_report(&world);
    int n = r->solver.iterations;
    o->solved += r->solver.status == NSC_OK;
    o->residual = fmax(o->residual, (double)r->solver.residual);
    o->value[DEEP] = fmax(o->value[DEEP], (double)r->penetration);
    if (n > o->worst) o->worst = n;
    iterations[n < REACH ? n : REACH]++;
    if (fastest() > TUNE_REST) o->rest = step + 1;
    joint_drift(o);
}

/* ---- a run */

static int same(const nsc_world_def *a, const nsc_world_def *b)
{
    const nsc_settings *s = &a->solver, *t = &b->solver;
    if (s->law != t->law || a->substeps != b->substeps) return 0;
    return s->max_iterations == t->max_iterations && s->max_factorizations == t->max_factorizations;
}

static int begin(const setting *s, int nudge_it)
{
    nsc_world_def def = nsc_default_world_def();
    int i;
    def.solver.law = s->law;
    if (s->sweeps > 0) def.solver.max_iterations = s->sweeps;
    if (s->factors > 0) def.solver.max_factorizations = s->factors;
    def.substeps = s->substeps;
    memset(&world, 0, sizeof world);
    if (build(&world, def) < 0) return NSC_ERR_ARGUMENT;
    must(same(&world.def, &def), "build() hands solver and substeps of def on to nsc_world_init");
    for (i = 1; i < world.body_end && nudge_it; i++) {
        nsc_vec3 v = world.bodies[i].velocity, w = world.bodies[i].angular_velocity;
        v.x += (nsc_real)(i % 2 ? nudge : -nudge);
        v.y += (nsc_real)(i % 3 ? nudge : -nudge);
        if (moves(i)) nsc_body_set_velocity(&world, nsc_world_body_at(&world, i), v, w);
    }
    return NSC_OK;
}

/* A step of h, the forces of control() held through its parts.  Adds up the steps' time. */
static int advance(outcome *o, int step)
{
    const double share = (double)PARTS / steps / CLOCKS_PER_SEC;
    static nsc_vec3 force[BODIES], torque[BODIES];
    nsc_calls calls = nsc_default_calls();
    int i, k, code = NSC_OK;
    calls.solve = o->s.solve;
    control(&world, step, (nsc_real)TUNE_H);
    for (i = 1; i < world.body_end; i++) {
        force[i] = world.bodies[i].force;
        torque[i] = world.bodies[i].torque;
    }
    for (k = 0; k < o->s.splits && code >= 0; k++) {
        clock_t t;
        for (i = 1; i < world.body_end && k > 0; i++)
            if (moves(i))
                nsc_body_add_force(&world, nsc_world_body_at(&world, i), force[i], torque[i]);
        t = clock();
        code = nsc_world_step_with(&world, (nsc_real)(TUNE_H / o->s.splits), &calls);
        o->part[step * PARTS / steps] += (double)(clock() - t) * share;
        if (code >= 0) measure(o, step);
    }
    return code;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of some times, which are sorted. */
static double median(double time[], int count)
{
    qsort(time, (size_t)count, sizeof time[0], ascending);
    return time[count / 2];
}

static void run_once(outcome *o, const setting *s, int nudge_it)
{
    static place before[BODIES];
    const int window = TUNE_STEPS / 5;
    double low = 0, high = 0, time[PARTS];
    int i, half = 0;
    memset(o, 0, sizeof *o);
    memset(iterations, 0, sizeof iterations);
    o->s = *s;
    o->code = begin(s, nudge_it);
    for (i = 0; i < steps && o->code >= 0; i++) {
        double e = energy();
        low = i == 0 ? e : fmin(low, e);
        high = i == 0 ? e : fmax(high, e);
        if (i == steps - window) note_places(before);
        o->code = advance(o, i);
        if ((i + 1) * LOOKS / steps > i * LOOKS / steps)
            note_places(o->at[(i + 1) * LOOKS / steps - 1]);
    }
    if (o->code < 0) {
        o->why = nsc_world_last_refusal(&world);
        return;
    }
    o->value[CREEP] = farthest(o->at[LOOKS - 1], before) / (window * TUNE_H);
    o->energy = energy();
    o->span = high - low;
    o->solved /= steps * s->splits;
    memcpy(time, o->part, sizeof time);
    o->time = median(time, PARTS);
    for (i = 0; 2 * half < steps * s->splits; i++) {
        half += iterations[i];
        o->median = i;
    }
}

/* Some runs, which must agree to the bit; the median of their times. */
static void run(outcome *o, setting s, int repeats)
{
    static outcome again;
    static double time[REPEATS * PARTS];
    int i;
    if (repeats > REPEATS) repeats = REPEATS;
    run_once(o, &s, 0);
    if (o->code < 0) return;
    memcpy(time, o->part, sizeof o->part);
    for (i = 1; i < repeats; i++) {
        run_once(&again, &s, 0);
        memcpy(time + PARTS * i, again.part, sizeof again.part);
        must(memcmp(again.at, o->at, sizeof o->at) == 0,
             "the same setting gives the same bits: at step 0 control() begins anew");
    }
    o->time = median(time, PARTS * repeats);
}

/* ---- judging */

/* A lull of some steps is no rest: it must last for the final twentieth of the run. */
static int never_rests(const outcome *o)
{
    return o->rest > steps - steps / 20;
}

static void judge(outcome *o, const outcome *to, double error)
{
    static const double more[MEASURES] = {0,         0, TUNE_CREEP, TUNE_JOINT, TUNE_JOINT_ANGLE,
                                          TUNE_DEEP, 0};
    int rests = to->rest <= steps - steps / 10 && nudged.rest <= steps - steps / 10;
    int m, k = look < 0 ? LOOKS - 1 : look;
    o->beyond = 0;
    if (o->code < 0) return;
    o->value[ERROR] = farthest(o->at[k], to->at[k]);
    o->value[FALL] = lower(o->at[k], to->at[k]);
    o->value[ENERGY] = o->energy - to->energy;
    for (m = CREEP; m <= DEEP; m++)
        if (o->value[m] > fmax(to->value[m], nudged.value[m]) + more[m]) o->beyond |= 1 << m;
    if (rests && never_rests(o)) o->beyond |= 1 << REST;
    if (chaotic) {
        double scatter = fmax(2 * fabs(nudged.value[ENERGY]), to->span / 20);
        if (fabs(o->value[ENERGY]) > scatter) o->beyond |= 1 << ENERGY;
    }
    if (look < 0) return;
    if (o->value[ERROR] > error) o->beyond |= 1 << ERROR;
    if (o->value[FALL] > TUNE_FALL) o->beyond |= 1 << FALL;
}

static int good(const outcome *o) { return o->code >= 0 && o->beyond == 0; }

/* ---- tables */

static void heading(const char *first)
{
    printf("%-12s  error  lower  creep  joint  joint   deep  energy residual  ok iterations"
           " rest    time\n"
           "                mm     mm   mm/s     mm   mrad     mm       J      m/s   %% med worst"
           " steps     us\n", first);
}

/* A number in `width` columns, and what is beyond marked */
static void number(double x, int width, int mark)
{
    int digits = fabs(x) < 9.9995 ? 3 : fabs(x) < 99.995 ? 2 : fabs(x) < 999.95 ? 1 : 0;
    if (fabs(x) < 0.0005) x = 0; /* no -0.000 */
    if (fabs(x) < 99999) printf(" %*.*f%c", width, digits, x, mark ? '!' : ' ');
    else printf(" %*s%c", width, "huge", mark ? '!' : ' ');
}

static void row(const outcome *o, int take)
{
    static const double unit[MEASURES] = {1e3, 1e3, 1e3, 1e3, 1e3, 1e3, 1};
    int m;
    printf("%c%-11.11s", take ? '>' : ' ', o->s.name);
    if (o->code < 0) {
        printf(" refused: %.40s should be %.35s\n", o->why.field, o->why.rule);
        return;
    }
    for (m = 0; m < MEASURES; m++)
        number(unit[m] * o->value[m], m == ENERGY ? 6 : 5, o->beyond >> m & 1);
    printf(" %7.1e %3.0f %3d %4d ", o->residual, floor(100 * o->solved), o->median, o->worst);
    if (!never_rests(o)) printf("%5d ", o->rest);
    else printf("%5s%c", "-", o->beyond >> REST & 1 ? '!' : ' ');
    printf(" %6.1f\n", 1e6 * o->time);
}

static void say_why_not(const outcome *o)
{
    static const char *const what[MEASURES + 1] = {"error",       "lower",       "creep",
                                                   "joint drift", "joint angle", "penetration",
                                                   "energy",      "no rest"};
    int m, n = 0;
    if (o->code < 0) printf("refused");
    for (m = 0; m <= REST; m++)
        if (o->beyond >> m & 1) printf("%s%s", n++ > 0 ? ", " : "", what[m]);
}

static setting named(const char *name, nsc_solver *solve, int law, int iterations_most)
{
    setting s;
    memset(&s, 0, sizeof s);
    sprintf(s.name, "%.11s", name);
    s.solve = solve;
    s.law = law;
    s.sweeps = iterations_most;
    s.substeps = s.splits = 1;
    return s;
}

static setting sipgs(int n)
{
    setting s = named("SIPGS", nsc_solve_sipgs, NSC_LAW_COULOMB, n);
    sprintf(s.name, "SIPGS %d", n);
    return s;
}

/* ---- the three questions */

static void find_chaos(void)
{
    int i;
    for (i = 0; i < LOOKS && farthest(nudged.at[i], exact.at[i]) <= TUNE_ERROR / 2; i++) {
    }
    look = i - 1;
    chaotic = i < LOOKS;
}

static int reference(void)
{
    setting s = named("accurate", nsc_solve_newton, NSC_LAW_COULOMB, 200);
    s.factors = 1000;
    run(&exact, s, 2);
    if (exact.code < 0) { /* NSC_ARENA has no room for it */
        s = sipgs(4000);
        sprintf(s.name, "accurate");
        run(&exact, s, 2);
    }
    if (exact.code < 0) {
        printf("refused: %s should be %s\n", exact.why.field, exact.why.rule);
        return -1;
    }
    judge(&exact, &exact, TUNE_ERROR);
    sprintf(s.name, "nudged");
    run_once(&nudged, &s, 1);
    find_chaos();
    judge(&nudged, &exact, TUNE_ERROR);
    sprintf(s.name, "h/%d", FINE);
    s.splits = FINE;
    run_once(&fine, &s, 0);
    judge(&fine, &exact, TUNE_STEP_ERROR);
    return 0;
}

/* Try n sweeps, kept in order; the index. */
static int try_sweeps(int n)
{
    int i, k;
    for (i = 0; i < sweeps && sweep[i].s.sweeps < n; i++) {
    }
    if (i < sweeps && sweep[i].s.sweeps == n) return i;
    for (k = sweeps; k > i; k--) sweep[k] = sweep[k - 1];
    sweeps++;
    run(&sweep[i], sipgs(n), TUNE_REPEATS);
    judge(&sweep[i], &exact, TUNE_ERROR);
    return i;
}

/* Index of the fewest sweeps that are good, as are all more that were tried; `sweeps`: none */
static int fewest(void)
{
    int i = sweeps;
    while (i > 0 && good(&sweep[i - 1])) i--;
    return i;
}

static int tune_sweeps(void)
{
    int n, i, low, high;
    for (n = 2; n <= 256 && (n <= 16 || fewest() > sweeps - 2); n *= 2) /* until two are good */
        try_sweeps(n);
    for (i = fewest(); i > 0 && i < sweeps; i = fewest()) { /* halve the interval, to an eighth */
        low = sweep[i - 1].s.sweeps;
        high = sweep[i].s.sweeps;
        if (high - low <= 1 || 8 * (high - low) <= high) break;
        try_sweeps((low + high) / 2);
    }
    if (i < sweeps) try_sweeps(2 * sweep[i].s.sweeps);
    return fewest();
}

/* What is slow to grow, such as a shake, shows only later: the sweeps from index n on, run
   TUNE_LONG times as long, until some are good.  Their index; `sweeps`: none.  *count: rows in
   longer */
static int confirm(int n, int *count)
{
    static outcome kept[2];
    int k = 0, kept_chaotic = chaotic, kept_look = look;
    kept[0] = exact;
    kept[1] = nudged;
    steps = TUNE_STEPS * TUNE_LONG;
    run_once(&exact, &kept[0].s, 0);
    run_once(&nudged, &kept[1].s, 1);
    if (exact.code < 0 || nudged.code < 0) must(0, "the accurate run stands the longer time");
    find_chaos();
    judge(&exact, &exact, TUNE_ERROR);
    longer[k++] = exact;
    for (; n < sweeps; n++) {
        run(&longer[k], sweep[n].s, 1);
        judge(&longer[k], &exact, TUNE_ERROR);
        if (good(&longer[k++])) break;
    }
    *count = k;
    exact = kept[0];
    nudged = kept[1];
    chaotic = kept_chaotic;
    look = kept_look;
    return n;
}

static const struct { const char *name, *call; nsc_solver *solve; int law; } solvers[] = {
    {"SIPGS 100", "nsc_solve_sipgs", nsc_solve_sipgs, NSC_LAW_COULOMB},
    {"AUTO", "nsc_solve_auto", nsc_solve_auto, NSC_LAW_COULOMB},
    {"NEWTON", "nsc_solve_newton", nsc_solve_newton, NSC_LAW_COULOMB},
    {"ADMM", "nsc_solve_admm", nsc_solve_admm, NSC_LAW_COULOMB},
    {"APGD", "nsc_solve_apgd", nsc_solve_apgd, NSC_LAW_COULOMB},
    {"BB", "nsc_solve_bb", nsc_solve_bb, NSC_LAW_COULOMB},
    {"DANTZIG *", "nsc_solve_dantzig", nsc_solve_dantzig, NSC_LAW_PYRAMID}};
enum { SOLVERS = (int)(sizeof solvers / sizeof solvers[0]) };

static void tune_solver(const outcome *few)
{
    int i;
    if (few) other[others++] = *few;
    for (i = 0; i < SOLVERS; i++) {
        setting s = named(solvers[i].name, solvers[i].solve, solvers[i].law, 0);
        run(&other[others], s, TUNE_REPEATS);
        judge(&other[others++], &exact, TUNE_ERROR);
    }
}

/* The good one of least time, NULL: none */
static const outcome *quickest(const outcome list[], int count)
{
    const outcome *best = NULL;
    int i;
    for (i = 0; i < count; i++)
        if (good(&list[i]) && (!best || list[i].time < best->time)) best = &list[i];
    return best;
}

static void try_substeps(setting s, int substeps, int splits, int iterations_most)
{
    s.substeps = substeps;
    s.splits = splits;
    if (iterations_most > 0) s.sweeps = iterations_most;
    if (splits > 1) sprintf(s.name, "h/%d %d", splits, s.sweeps);
    else sprintf(s.name, "%d x %d", substeps, s.sweeps);
    run(&sub[subs], s, TUNE_REPEATS);
    judge(&sub[subs++], &fine, TUNE_STEP_ERROR);
}

/* Index of the first good one in the order tried: by sub-steps, then by sweeps; `subs`: none */
static int tune_substeps(const setting *s)
{
    int n = s->sweeps > 0 ? s->sweeps : nsc_default_settings().max_iterations, k;
    try_substeps(*s, 1, 1, n);
    for (k = 2; k <= 4; k *= 2) {
        try_substeps(*s, k, 1, (n + k - 1) / k); /* the same work */
        try_substeps(*s, k, 1, n);
    }
    try_substeps(*s, 1, 2, n);
    try_substeps(*s, 1, 4, n);
    for (k = 0; k < subs && !good(&sub[k]); k++) {
    }
    return k;
}

/* ---- what is said */

static void say_reference(void)
{
    printf("%d steps of %g s, compared with an accurate run by %s.\n", steps, TUNE_H,
           exact.s.solve == nsc_solve_newton ? "NEWTON" : "SIPGS");
    printf("nudged: the same, velocities changed by %g m/s at the start.  ", nudge);
    printf("h/%d: in shorter steps.\n", FINE);
    printf("!: beyond what is allowed.  >: to be taken.\n"
           "error, lower: how far off, and how much lower, a body ends.  creep: speed at the end.\n"
           "joint: drift.  deep: penetration.  energy: at the end, less that of the accurate run.\n"
           "residual: of the worst step.  ok: share of steps solved.  rest: steps until all rest.\n"
           "time: of a step, on this machine in this build, median over %d parts of the run.\n\n",
           PARTS);
    heading("reference");
    row(&exact, 0);
    row(&nudged, 0);
    row(&fine, 0);
    if (exact.solved < 0.99)
        printf("The accurate run met its tolerance in only %.0f %% of its steps.\n",
               100 * exact.solved);
    if (chaotic) {
        double far = farthest(nudged.at[LOOKS - 1], exact.at[LOOKS - 1]);
        printf("This motion is chaotic: nudged, it ends %.3g mm away.  ", 1e3 * far);
        if (look < 0) printf("Error and lower are not judged.\n");
        else printf("Error and lower are of step %d.\n", (look + 1) * steps / LOOKS);
        printf("What follows is less certain for it: try also calmer motion, as from rest.\n");
    }
    printf("\n");
}

static void say_sweeps(int first, int n)
{
    int k;
    if (n == sweeps) {
        printf("None up to %d sweeps is within what is allowed: take another solver.\n\n",
               sweep[sweeps - 1].s.sweeps);
        return;
    }
    printf("Take %d sweeps: the fewest tried within what is allowed, also in %d times the steps.\n",
           sweep[n].s.sweeps, TUNE_LONG);
    if (n > 0) {
        printf("%d sweeps are too few: ", sweep[n - 1].s.sweeps);
        say_why_not(n > first ? &longer[n - first] : &sweep[n - 1]);
        printf("%s.\n", n > first ? " in the longer run" : "");
    }
    for (k = n; k < sweeps; k++) {
        double gain = sweep[k].value[ERROR] / fmax(sweep[n].value[ERROR], 1e-9);
        double cost = sweep[k].time / fmax(sweep[n].time, 1e-9);
        if (sweep[k].s.sweeps != 2 * sweep[n].s.sweeps) continue;
        printf("Leave room for motion not tried: %d sweeps have %.2g times the error",
               sweep[k].s.sweeps, gain);
        printf(" in %.2f times the time.\n", cost);
    }
    printf("\n");
}

static void say_solver(const outcome *few, const outcome *quick)
{
    printf("* PYRAMID bounds friction axis by axis: its error is that of another law, too.\n");
    if (few) {
        printf("Take SIPGS with %d sweeps: their number bounds the time of the worst step.\n",
               few->s.sweeps);
        if (quick != few && quick->time < 0.8 * few->time)
            printf("%s was quicker here: %d iterations in the median and %d in the worst step.\n",
                   quick->s.name, quick->median, quick->worst);
    } else if (quick) {
        printf("Take %s: the quickest here of those within all that is allowed.\n", quick->s.name);
    } else {
        printf("None is within all that is allowed: allow more, or take a shorter step.\n");
    }
    printf("\n");
}

static void say_substeps(int k)
{
    const setting *s = &sub[k < subs ? k : 0].s;
    int i;
    if (k == subs) {
        printf("None is within what is allowed of h/%d: take a shorter h.\n", FINE);
        return;
    }
    if (s->splits > 1) printf("Sub-steps do not suffice: take steps of h/%d.\n\n", s->splits);
    else printf("Take substeps = %d: the fewest within what is allowed of h/%d.\n\n",
                s->substeps, FINE);
    for (i = 1; i < SOLVERS; i++) /* SIPGS is what nsc_world_step takes */
        if (s->solve == solvers[i].solve)
            printf("    calls.solve = %s; /* for nsc_world_step_with */\n", solvers[i].call);
    if (s->law == NSC_LAW_PYRAMID) printf("    def.solver.law = NSC_LAW_PYRAMID;\n");
    printf("    def.solver.max_iterations = %d;\n", s->sweeps);
    printf("    def.substeps = %d; /* steps of %g s */\n", s->substeps, TUNE_H / s->splits);
}

int main(void)
{
    const outcome *few, *quick;
    int i, n, k, first;
    if (reference() < 0) return 1;
    say_reference();

    first = tune_sweeps();
    heading("sweeps");
    for (i = 0; i < sweeps; i++) row(&sweep[i], i == first);
    n = first;
    if (first < sweeps) {
        n = confirm(first, &k);
        printf("\n");
        heading("longer");
        for (i = 0; i < k; i++) row(&longer[i], i > 0 && good(&longer[i]));
        steps = TUNE_STEPS;
    }
    say_sweeps(first, n);

    tune_solver(n < sweeps ? &sweep[n] : NULL);
    few = n < sweeps ? &other[0] : NULL;
    quick = quickest(other, others);
    heading("solver");
    for (i = 0; i < others; i++) row(&other[i], &other[i] == (few ? few : quick));
    say_solver(few, quick);
    if (!few && !quick) return failed;

    k = tune_substeps(few ? &few->s : &quick->s);
    heading("sub x sweeps");
    for (i = 0; i < subs; i++) row(&sub[i], i == k);
    say_substeps(k);
#ifdef TUNE_BUILT_IN
    must(exact.solved > 0.99 && !chaotic, "the accurate run is accurate");
    must(few && few->s.sweeps > 2 && few->s.sweeps < 10, "three to nine sweeps are right");
    must(sweep[0].value[ERROR] > TUNE_ERROR && sweep[0].value[JOINT] > TUNE_JOINT,
         "with two sweeps it ends a millimetre off and joints drift");
    must(k == 0, "one sub-step is enough");
    if (!failed)
        printf("a balancing robot and a stack simulated with %d settings, to find what suffices: %d sweeps of the solver a step; "
               "with %d it ends %.1f mm off\n",
               sweeps + others + subs, few->s.sweeps, sweep[0].s.sweeps, 1e3 * sweep[0].value[ERROR]);
#endif
    return failed;
}
