/* bench.h - judge and clock, the same for every engine; the scenes are in scenes.h.  C99 that is C++ too.

   A driver includes this file and defines the functions under >>engine; main() is here.  What is measured is computed in
   double from poses and velocities alone: no engine judges itself.

       driver [--setting NAME]... [--scene NAME]... [--reps N] [--budget SECONDS] [--dt SECONDS] [--yaw N]
              [--gravity G] [--friction MU] [--count STEPS] [--threads N] [--angles FILE] [--angles-to FILE]
       driver --header | --list | --scenes | --flags

   dt = 1/240 s, 5 s, 9.81 m/s^2, friction 0.5, no restitution, one thread.  Two passes: one with the judge, one with the
   clock around every step, repeated; the time of a step is the median of the repetitions.  Quoted is the last 40 %.
   --gravity and --friction change what the engine gets, not what the judge expects.  --count runs without clock and
   judge, the last 40 % of the steps through bench_counted_step, for callgrind --toggle-collect.
   A scene that falls is judged by its worst second: its time is the mean of the slowest second, its error the deepest
   penetration at any time.  Of many small worlds the time is that of a step with its share of making and removing them.
   --threads: with so many, of an engine that defines ENGINE_THREADS; the clock is then that of the wall.
   Scene "robot", which --scenes does not list, is the quadruped with servos that move; its error is
   that of the joint angles against FILE, which --angles-to wrote in another run.  A driver that can
   take it defines ENGINE_TARGETS. */
#ifndef BENCH_H
#define BENCH_H
#include "scenes.h"
#include <stdio.h>
#include <time.h>

#if defined(__GNUC__)
#define BENCH_NOINLINE __attribute__((noinline))
#else
#define BENCH_NOINLINE
#endif

/* ---- >>engine: what a driver defines --------------------------------------------------------- */

static const char *engine_name(void);        /* with the precision: nsc-float                     */
static const char *engine_flags(void);       /* of its build, for the record                      */
static const char *engine_setting(int i);    /* NULL after the last                               */
static int engine_build(const scene *s, const char *setting, double dt); /* 0: it cannot take the scene */
static void engine_step(void);
static void engine_get(int i, state *out);
static int engine_contacts(void);            /* points in the last step                           */
static int engine_iterations(void);          /* -1: it does not say                               */
static double engine_residual(void);         /* -1: it does not say                               */
static const char *engine_remark(void);      /* NULL, or why it could not: "refused: ..."         */
static void engine_free(void);
#ifdef ENGINE_TARGETS
static void engine_target(int j, double time); /* of joint j, for the step that begins at a time */
enum { TAKES_TARGETS = 1 };
#else
static void engine_target(int j, double time) { (void)j, (void)time; }
enum { TAKES_TARGETS = 0 };
#endif

static int threads = 1; /* --threads */
#ifdef ENGINE_THREADS
enum { TAKES_THREADS = 1 };
#else
enum { TAKES_THREADS = 0 };
#endif

#ifdef __cplusplus
extern "C"
#endif
void bench_counted_step(void);
static volatile int bench_counted;
BENCH_NOINLINE void bench_counted_step(void)
{
    engine_step();
    bench_counted++; /* no jump out of here: callgrind sees the return */
}

/* ---- >>judge --------------------------------------------------------------------------------- */

static state now[MAX_BODIES], first[MAX_BODIES];

static void look(const scene *s, state *to)
{
    int i;
    for (i = 0; i < s->bodies; i++) engine_get(i, &to[i]);
}

static void project(const shape *k, const state *t, v3 axis, double *low, double *high)
{
    v3 a = rotate(conj4(t->q), axis);
    int i;
    *low = 1e300, *high = -1e300;
    for (i = 0; i < 8; i++) {
        double d = dot(a, k->corner[i]);
        if (d < *low) *low = d;
        if (d > *high) *high = d;
    }
    *low += dot(axis, t->p), *high += dot(axis, t->p);
}

/* How far two polyhedra overlap, by separating axes; <= 0: they do not */
static double overlap(const shape *ka, const state *a, const shape *kb, const state *b)
{
    double best = 1e300;
    int i, faces = ka->normals + kb->normals, axes = faces + ka->edges * kb->edges;
    for (i = 0; i < axes && best > 0; i++) {
        double la, ha, lb, hb, o;
        v3 axis;
        if (i < ka->normals) axis = rotate(a->q, ka->normal[i]);
        else if (i < faces) axis = rotate(b->q, kb->normal[i - ka->normals]);
        else axis = cross(rotate(a->q, ka->edge[(i - faces) / kb->edges]), rotate(b->q, kb->edge[(i - faces) % kb->edges]));
        if (len(axis) < 1e-3) continue; /* edges in parallel: the faces tell */
        axis = unit(axis);
        project(ka, a, axis, &la, &ha);
        project(kb, b, axis, &lb, &hb);
        o = ha - lb < hb - la ? ha - lb : hb - la;
        if (o < best) best = o;
    }
    return best;
}

/* The deepest penetration of all [m] */
static double penetration(const scene *s)
{
    double worst = 0, d, low, high;
    int i, j;
    for (i = 0; i < s->bodies && s->meet != MEET_NOTHING; i++) {
        const shape *k = &s->shape_[s->body_[i].shape];
        v3 centre = add(now[i].p, rotate(now[i].q, s->body_[i].at));
        if (k->kind == NONE) continue;
        for (j = 0; j < s->planes; j++) {
            const plane *p = &s->plane_[j];
            double c = dot(p->n, rotate(now[i].q, vec(0, 0, 1)));
            low = dot(p->n, centre) - k->radius;
            if (k->kind == CYLINDER) low = dot(p->n, centre) - fabs(c) * k->half.z - k->radius * sqrt(c * c < 1 ? 1 - c * c : 0);
            if (k->kind == BOX || k->kind == HULL) project(k, &now[i], p->n, &low, &high);
            if (p->d - low > worst) worst = p->d - low;
        }
        for (j = i + 1; j < s->bodies && s->meet == MEET_ALL; j++) {
            const shape *m = &s->shape_[s->body_[j].shape];
            v3 apart = sub(now[j].p, now[i].p);
            d = k->reach + m->reach;
            if (dot(apart, apart) >= d * d) continue;
            d = k->kind == SPHERE ? d - len(apart) : overlap(k, &now[i], m, &now[j]);
            if (d > worst) worst = d;
        }
    }
    return worst;
}

static double kinetic(const scene *s)
{
    double e = 0;
    int i;
    for (i = 0; i < s->bodies; i++) {
        v3 w = rotate(conj4(now[i].q), now[i].w), I = s->body_[i].inertia;
        e += 0.5 * (s->body_[i].mass * dot(now[i].v, now[i].v) + I.x * w.x * w.x + I.y * w.y * w.y + I.z * w.z * w.z);
    }
    return e;
}

static double potential(const scene *s)
{
    double e = 0;
    int i;
    for (i = 0; i < s->bodies; i++) e += GRAVITY * s->body_[i].mass * now[i].p.z;
    return e;
}

static double joints_open(const scene *s)
{
    double worst = 0;
    int i, side;
    for (i = 0; i < s->joints; i++) {
        const joint *j = &s->joint_[i];
        v3 at[2];
        for (side = 0; side < 2; side++) {
            int b = side ? j->b : j->a;
            at[side] = j->anchor;
            if (b >= 0) at[side] = add(now[b].p, rotate(times(now[b].q, conj4(s->body_[b].turned)), sub(j->anchor, s->body_[b].place)));
        }
        worst = fmax(worst, len(sub(at[0], at[1])));
    }
    return worst;
}

/* Angle of hinge j from how it began */
static double angle_of(const scene *s, int j)
{
    const joint *k = &s->joint_[j];
    q4 a = times(now[k->a].q, conj4(s->body_[k->a].turned));
    q4 b = times(now[k->b].q, conj4(s->body_[k->b].turned)), q = times(conj4(a), b);
    double sine = dot(vec(q.x, q.y, q.z), k->axis);
    return q.w < 0 ? 2 * atan2(-sine, -q.w) : 2 * atan2(sine, q.w);
}

static FILE *angles_from, *angles_to;
static double angles_worst, angles_square;
static int angles_seen;

/* The angles at one time: compared with those of the file, or written there */
static void compare_angles(const scene *s)
{
    int j;
    for (j = 0; j < s->joints; j++) {
        double known, angle = angle_of(s, j);
        if (angles_to) fprintf(angles_to, "%.9g\n", angle);
        if (!angles_from || fscanf(angles_from, "%lf", &known) != 1) continue;
        angles_worst = fmax(angles_worst, fabs(angle - known));
        angles_square += (angle - known) * (angle - known);
        angles_seen++;
    }
}

typedef struct result {
    int built, finite, cut, steps, reps, contacts, ok;
    double mean, median, worst, all; /* us: of the last 40 % (mean: see above), and the mean of the whole run */
    double iterations, residual;     /* mean and worst of the last 40 %; -1: not known */
    double penetration, drift, tilt, energy, error; /* error: the one number that is plotted; at the scene in conclude() */
    double rate, friction, friction_low, friction_high, energy_error, tip[2];
    char remark[96];
} result;

/* Free end of S6_chain30 (x, z) after 1 and 1.5 s: reduced coordinates, RK4 at 1e-5 s */
static const double tip_reference[2][2] = {{2.547891552, -4.908631064}, {-4.264958989, -3.703008654}};

static double median(double *x, int n);

static void conclude(const scene *s, result *r, const state *early, const state *late, double dt, double open)
{
    double span = r->steps * dt - 0.1 * s->seconds, height = 0, size = 2 * s->shape_[0].half.x;
    int i, whole = r->finite && !r->cut && !*r->remark, inside = 1;
    for (i = 0; i < s->bodies; i++) {
        q4 q = times(now[i].q, conj4(first[i].q));
        r->drift = fmax(r->drift, len(sub(now[i].p, first[i].p)));
        if (i == 0 || !s->joints) r->tilt = fmax(r->tilt, 360 / PI * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w)));
        height += now[i].p.z / s->bodies;
    }
    if (!strncmp(s->name, "S3", 2) || s->falls) { /* packed at rest in the box; drift: the mean height */
        for (i = 0; i < s->bodies * s->planes; i++) {
            const plane *p = &s->plane_[i % s->planes];
            inside = inside && dot(p->n, now[i / s->planes].p) > p->d;
        }
        r->drift = height, r->tilt = 0, r->error = r->penetration;
        r->ok = inside && r->energy < 0.01 * s->bodies;
        if (!s->falls) r->ok = r->ok && r->penetration < 0.05 && height < 0.08 * cbrt(s->bodies);
    } else if (s->sleeps) { /* the stacks stand, the balls, which come last, have rolled on */
        for (i = 0, r->drift = 0; i < s->bodies; i++)
            if (len(s->body_[i].v) <= 0) r->drift = fmax(r->drift, len(sub(now[i].p, first[i].p)));
        r->tilt = 0, r->error = fmax(r->drift, r->penetration);
        r->ok = r->drift < 0.5 * size && r->penetration < 0.05 * size && now[s->bodies - 1].p.x > first[s->bodies - 1].p.x + 4;
    } else if (s->slope > 0) {
        double a = dot(s->downhill, sub(now[0].v, early->v)) / span;
        r->drift = dot(s->downhill, sub(now[0].p, first[0].p));
        r->rate = dot(s->downhill, sub(now[0].p, early->p)) / span;
        r->friction = tan(s->slope) - a / (GRAVITY * cos(s->slope));
        r->error = s->name[4] == 't' ? fabs(r->drift) : fabs(r->friction / FRICTION - 1); /* m; relative */
        r->ok = s->name[4] == 't' ? r->error < 1e-3 : r->error < 0.01;
    } else if (!strncmp(s->name, "S6", 2)) {
        r->drift = open, r->error = r->tip[0];
        r->ok = open < 0.01 && r->energy_error < 0.1;
    } else if (!strcmp(s->name, "rover")) {
        v3 way = sub(now[0].p, first[0].p);
        double speed = (now[0].p.x - late->p.x) / (0.4 * s->seconds);
        r->drift = open, r->error = fmax(open, r->penetration);
        r->ok = open < 0.005 && r->penetration < 0.01 && fabs(speed / ROVER_SPEED - 1) < 0.02 && fabs(way.y) < 0.05 && fabs(way.z) < 0.01;
    } else if (s->moves) { /* radians: root of the mean square, and the worst */
        r->error = angles_seen ? sqrt(angles_square / angles_seen) : 0;
        r->drift = angles_worst;
        r->ok = angles_worst < 0.1 && open < 0.01 && r->penetration < 0.02;
    } else if (!strcmp(s->name, "quadruped")) {
        r->drift = open, r->error = fmax(open, r->penetration);
        r->ok = open < 0.01 && r->penetration < 0.005 && fabs(now[0].p.z - first[0].p.z) < 0.03 && r->tilt < 5 && r->energy < 0.01;
    } else { /* stands within half a body of where it was; the arch within 0.2 m */
        double far = strncmp(s->name, "S7", 2) ? 0.5 * size : 0.2, deep = strncmp(s->name, "S7", 2) ? 0.05 * size : 0.05;
        r->error = fmax(r->drift, r->penetration);
        r->ok = r->drift < far && r->penetration < deep;
    }
    r->ok = r->ok && whole;
}

/* ---- >>clock --------------------------------------------------------------------------------- */

static double clock_us(void) /* processor time of this thread; with others the time that passes */
{
    struct timespec t;
    clock_gettime(threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double clock_cost(void)
{
    double best = 1e9, a, b;
    int i;
    for (i = 0; i < 2000; i++) {
        a = clock_us(), b = clock_us();
        if (b - a < best) best = b - a;
    }
    return best;
}

/* The targets of the step after step k are set outside of the clock. */
static void set_targets(const scene *s, int k, double dt)
{
    int j;
    for (j = 0; j < s->joints && s->moves; j++) engine_target(j, k * dt);
}

static double timed_step(double cost)
{
    double t = clock_us();
    engine_step();
    t = clock_us() - t - cost;
    return t > 0 ? t : 0;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n) /* sorts x */
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n == 0 ? 0 : 0.5 * (x[n / 2] + x[(n - 1) / 2]);
}

/* The run with the judge; its times go to t */
static void run_judged(const scene *s, double dt, double budget, double cost, double *t, result *r)
{
    const int n = (int)floor(s->seconds / dt + 0.5), often = s->joints || s->slope > 0 ? 1 : s->falls ? 4 : s->bodies > 100 ? 48 : s->bodies > 20 ? 12 : 6;
    const int chain = !strncmp(s->name, "S6_chain30", 10);
    double deepest = 0, all_deepest = 0, open = 0, start, size = 0, its = 0, began = clock_us();
    state early, late;
    int i, k, its_known = 1;
    look(s, now);
    memcpy(first, now, sizeof now);
    early = late = now[0];
    start = kinetic(s) + potential(s);
    for (i = 0; i < s->bodies; i++) size += s->body_[i].mass * GRAVITY * fabs(first[i].p.x);
    r->finite = 1, r->residual = -1;
    for (k = 1; k <= n && !r->cut && r->finite && !engine_remark(); k++) {
        int tail = k > 0.6 * n, i_its;
        set_targets(s, k - 1, dt);
        t[k - 1] = timed_step(cost);
        r->steps = k, r->cut = k < n && clock_us() - began > 1e6 * budget;
        i_its = engine_iterations();
        if (i_its < 0) its_known = 0;
        if (tail) its += i_its;
        if (tail && engine_residual() > r->residual) r->residual = engine_residual();
        if (k % often && k != n && !r->cut) continue;
        look(s, now);
        for (i = 0; i < s->bodies; i++)
            if (!(fabs(now[i].p.x) + fabs(now[i].p.y) + fabs(now[i].p.z) + len(now[i].v) + len(now[i].w) < 1e30)) r->finite = 0;
        if (!r->finite) break;
        if (k % 6 == 0 || k == n || !s->joints) {
            double deep = penetration(s);
            all_deepest = fmax(all_deepest, deep);
            if (tail) deepest = fmax(deepest, deep);
        }
        if (k == (int)(0.1 * n + 0.5)) early = now[0];
        if (k == (int)(0.6 * n + 0.5)) late = now[0];
        open = fmax(open, joints_open(s));
        if (s->moves && floor(k * dt * 60 + 1e-6) > floor((k - 1) * dt * 60 + 1e-6)) compare_angles(s);
        if (chain) {
            v3 tip = add(now[s->bodies - 1].p, rotate(now[s->bodies - 1].q, vec(0.1, 0, 0)));
            r->energy_error = fmax(r->energy_error, fabs(kinetic(s) + potential(s) - start) / size);
            for (i = 0; i < 2; i++)
                if (fabs(k * dt - 1 - 0.5 * i) < dt / 2) r->tip[i] = hypot(tip.x - tip_reference[i][0], tip.z - tip_reference[i][1]);
        }
    }
    if (engine_remark()) sprintf(r->remark, "%.90s", engine_remark());
    r->iterations = its_known && r->steps > 0.6 * n ? its / (r->steps - floor(0.6 * n)) : its_known ? engine_iterations() : -1;
    if (r->residual < 0) r->residual = engine_residual();
    r->contacts = engine_contacts();
    r->energy = kinetic(s);
    r->penetration = r->steps > 0.6 * n && !s->falls ? deepest : all_deepest;
    if (!r->finite) sprintf(r->remark, "left the finite numbers");
    else if (r->cut) sprintf(r->remark, "out of time after %d of %d steps", r->steps, n);
    conclude(s, r, &early, &late, dt, open);
}

/* Mean time of the slowest second [us] */
static double worst_second(const double *t, int n, int second)
{
    double sum = 0, most = 0;
    int k;
    for (k = 0; k < n; k++) {
        sum += t[k] - (k >= second ? t[k - second] : 0);
        most = fmax(most, sum);
    }
    return most / second;
}

/* Many small worlds, one after another: time of a step with its share of making and removing them [us] */
static double time_worlds(const scene *s, const char *setting, double dt, int steps)
{
    double began = clock_us();
    int i, k;
    for (i = 0; i < s->worlds && engine_build(s, setting, dt); i++) {
        for (k = 0; k < steps; k++) engine_step();
        engine_free();
    }
    return (clock_us() - began) / ((double)s->worlds * steps);
}

static void run(const scene *s, const char *setting, double dt, double budget, int reps, result *r)
{
    static double cost = -1;
    const int most = 16;
    int n, k, i, from;
    double *t = (double *)calloc((size_t)(s->seconds / dt + 2) * (size_t)most, sizeof *t), one[16], spent = 0, sum = 0;
    if (cost < 0) cost = clock_cost();
    memset(r, 0, sizeof *r);
    angles_worst = angles_square = angles_seen = 0;
    if (angles_from) rewind(angles_from);
    r->built = (TAKES_TARGETS || !s->moves) && engine_build(s, setting, dt);
    if (!r->built) {
        sprintf(r->remark, "%.90s", engine_remark() ? engine_remark() : "cannot take this scene");
        free(t);
        return;
    }
    run_judged(s, dt, budget, cost, t, r);
    engine_free();
    n = r->steps;
    if (r->remark[0]) reps = 0; /* the times of the judged run must do */
    if (reps > most) reps = most;
    for (r->reps = 0; r->reps < reps && (r->reps == 0 || spent < 1e6 * budget); r->reps++) {
        engine_build(s, setting, dt);
        for (k = 0; k < n; k++) {
            set_targets(s, k, dt);
            spent += t[r->reps * n + k] = timed_step(cost);
        }
        engine_free();
    }
    from = n - (int)(0.4 * n + 0.5);
    for (k = 0; k < n; k++) {
        for (i = 0; i < r->reps; i++) one[i] = t[i * n + k];
        if (r->reps) t[k] = median(one, r->reps); /* reps in front are not read again */
        r->all += t[k] / n;
        if (k >= from) sum += t[k], r->worst = fmax(r->worst, t[k]);
    }
    r->mean = s->worlds ? time_worlds(s, setting, dt, n) : s->falls ? worst_second(t, n, (int)floor(1 / dt + 0.5)) : n > from ? sum / (n - from) : 0;
    r->median = median(t + from, n - from);
    free(t);
}

static void count(const scene *s, const char *setting, double dt, int steps)
{
    int k, counted = 0;
    if (!engine_build(s, setting, dt)) {
        printf("counted 0\n");
        return;
    }
    for (k = 0; k < steps; k++) {
        set_targets(s, k, dt);
        if (k < 0.6 * steps) engine_step();
        else bench_counted_step(), counted++;
    }
    printf("counted %d contacts %d iterations %d\n", counted, engine_contacts(), engine_iterations());
    engine_free();
}

/* ---- >>main ---------------------------------------------------------------------------------- */

static struct options { double dt, budget, gravity, friction; int reps, yaw, count; } opt;

static int prepared(const char *name, int yaw)
{
    if (!make_scene(&the_scene, name, yaw)) return 0;
    if (opt.gravity >= 0) the_scene.gravity = opt.gravity;
    if (opt.friction >= 0) the_scene.friction = opt.friction;
    return 1;
}

/* One line.  On a slope the accuracy is the worst of nine yaws, and the time that of the first. */
static int bench_case(const char *name, const char *setting)
{
    const int slope = !strncmp(name, "S5", 2), last = opt.yaw >= 0 ? opt.yaw : slope ? 8 : 0;
    double low = 1e9, high = -1e9, rate = 0;
    result r, one, time;
    int yaw, from = opt.yaw >= 0 ? opt.yaw : 0;
    memset(&r, 0, sizeof r), time = r;
    for (yaw = from; yaw <= last; yaw++) {
        if (!prepared(name, yaw)) {
            fprintf(stderr, "%s: no such scene\n", name);
            return 2;
        }
        if (opt.count) return count(&the_scene, setting, opt.dt, opt.count), 0;
        run(&the_scene, setting, opt.dt, opt.budget, yaw > from ? 0 : opt.reps ? opt.reps : slope || the_scene.bodies > 100 ? 3 : 5, &one);
        low = fmin(low, one.friction), high = fmax(high, one.friction);
        if (fabs(one.rate) > fabs(rate)) rate = one.rate;
        if (yaw == from) time = one;
        if (yaw == from || one.remark[0] || !(one.error <= r.error)) r = one;
        if (one.remark[0]) break;
    }
    if (!slope) low = high = 0;
    printf("%s,%s,%s,%s,%.4g,%.4g,%.4g,%.4g,%d,%.4g,%.3g,%.4g,%.4g,%.4g,%.4g,%.4g,%.3g,%.6g,%.6g,%.4g,%.4g,%.4g,%d,%d,,%s\n", engine_name(),
           setting, name, r.ok ? "yes" : "no", time.mean, time.median, time.worst, time.all, time.contacts, time.iterations, r.residual,
           r.penetration, r.drift, r.tilt, r.energy, r.error, rate, low, high, r.energy_error, r.tip[0], r.tip[1], r.steps, time.reps,
           r.remark);
    fflush(stdout);
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: the top of bench.h tells\n");
    return 2;
}

int bench_main(int argc, char **argv);
int bench_main(int argc, char **argv)
{
    const char *settings[64], *scenes[64];
    int i, j, n = 0, m = 0;
    opt.dt = 1.0 / 240, opt.budget = 10, opt.gravity = opt.friction = -1, opt.yaw = -1;
    for (i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(a, "--header")) {
            printf("engine,setting,scene,passes,mean_us,median_us,worst_us,all_us,contacts,iterations,residual,penetration,drift,tilt,"
                   "end_energy,error,creep_rate,friction_low,friction_high,energy_error,tip_1s,tip_1.5s,steps,reps,instructions,remark\n");
            return 0;
        }
        if (!strcmp(a, "--flags")) return printf("%s: %s\n", engine_name(), engine_flags()), 0;
        if (!strcmp(a, "--list") || !strcmp(a, "--scenes")) {
            for (j = 0; a[2] == 'l' && engine_setting(j); j++) printf("%s\n", engine_setting(j));
            for (j = 0; a[2] == 's' && scene_names[j]; j++) printf("%s\n", scene_names[j]);
            return 0;
        }
        i++;
        if (!strcmp(a, "--setting") && n < 63) settings[n++] = v;
        else if (!strcmp(a, "--scene") && m < 63) scenes[m++] = v;
        else if (!strcmp(a, "--reps")) opt.reps = atoi(v);
        else if (!strcmp(a, "--budget")) opt.budget = atof(v);
        else if (!strcmp(a, "--dt")) opt.dt = atof(v);
        else if (!strcmp(a, "--yaw")) opt.yaw = atoi(v);
        else if (!strcmp(a, "--gravity")) opt.gravity = atof(v);
        else if (!strcmp(a, "--friction")) opt.friction = atof(v);
        else if (!strcmp(a, "--count")) opt.count = atoi(v);
        else if (!strcmp(a, "--threads") && TAKES_THREADS) threads = atoi(v);
        else if (!strcmp(a, "--angles") && (angles_from = fopen(v, "r")) != NULL) continue;
        else if (!strcmp(a, "--angles-to") && (angles_to = fopen(v, "w")) != NULL) continue;
        else return usage();
    }
    if (!(opt.dt > 1e-6)) return usage();
    for (j = 0; n == 0 && engine_setting(j) && j < 63; j++) settings[j] = engine_setting(j);
    if (n == 0) n = j;
    for (j = 0; m == 0 && scene_names[j]; j++) scenes[j] = scene_names[j];
    if (m == 0) m = j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            if (bench_case(scenes[i], settings[j])) return 2;
    return angles_to && fclose(angles_to) != 0;
}
#ifndef BENCH_OWN_MAIN
int main(int argc, char **argv) { return bench_main(argc, argv); }
#endif
#endif
