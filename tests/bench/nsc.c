/* nsc.c - nsc in the benchmark, in float, and with -DNSC_DOUBLE, -DNSC_SECOND_LOOK=1, -DBENCH_SMALL (capacities as nsc.h comes
   with) or -DNSC_PARALLEL=1 (threads).  curve.c includes it. */
#define ENGINE_TARGETS
#ifdef NSC_PARALLEL
#define ENGINE_THREADS
#endif
#include "bench.h"

#ifndef BENCH_SMALL
#define NSC_MAX_BODIES 4097
#define NSC_MAX_CONTACTS 32768
#define NSC_MAX_JOINTS 64
#define NSC_HULL_VERTICES 8
#define NSC_ARENA (20 * 1000 * 1000) /* memory that is never touched costs nothing; with 4400 rows DANTZIG uses all of it */
#endif
#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include <string.h>
#include "../harness/by.h"
#include "nsc_hull.h"
#include "../harness/shapes.h"

/* ---- settings: what is not said is the library's default.  What is on the right can be given as --setting, too; words are
   parted by spaces or by +.  MINRES is left out: it takes problems of joints, no world. ------------------------------------- */

static const char *const settings[][2] = {
    {"sipgs", ""},
    {"sipgs4", "iterations=4"},
    {"sipgs10", "iterations=10"},
    {"sipgs50", "iterations=50"},
    {"sipgs-1e-4", "tolerance=1e-4 check=5"},
    {"sipgs-3%", "relative=0.03"},
    {"sub4", "substeps=4 iterations=4"},
    {"sub8", "substeps=8 iterations=1"},
    {"60hz-sub4", "every=4 substeps=4 iterations=4"},
    {"60hz-3%", "every=4 relative=0.03"},
    {"auto", "solver=auto"},
    {"auto-1e-5", "solver=auto tolerance=1e-5"},
    {"apgd", "solver=apgd"},
    {"bb", "solver=bb"},
    {"bb-1e-5", "solver=bb tolerance=1e-5"},
    {"dantzig", "solver=dantzig law=box"},
    {"admm", "solver=admm"},
    {"newton", "solver=newton"},
    {"tree", "solver=tree"},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static const char *const solver_words[] = {"", "sipgs", "apgd", "dantzig", "bb", "minres", "admm", "newton", "auto", "tree", NULL};
static const char *const law_words[] = {"", "coulomb", "cone", "box", NULL};
static const char *const stepper_words[] = {"", "linearized", "projected", "symplectic", "forward", "implicit", "hht", "newmark", NULL};
static const char *const contact_words[] = {"", "hard", "smooth", NULL};

/* Place of a value in a list of words: the library's number of it; 0: not there */
static int place_of(const char *value, const char *const *words)
{
    int i;
    for (i = 1; words[i]; i++)
        if (!strcmp(value, words[i])) return i;
    return 0;
}

static int every, stepped; /* every: so many calls of engine_step are one step, as long as they all */

static int set_one(nsc_world_def *d, const char *key, const char *value)
{
    const struct { const char *key; int *whole; nsc_real *real; const char *const *words; } keys[] = {
        {"solver", &stepped_by, NULL, solver_words}, {"law", &d->solver.law, NULL, law_words},
        {"stepper", &d->stepper, NULL, stepper_words},     {"iterations", &d->solver.max_iterations, NULL, NULL},
        {"check", &d->solver.check_interval, NULL, NULL},  {"symmetric", &d->solver.symmetric, NULL, NULL},
        {"stall", &d->solver.stall_window, NULL, NULL},    {"warm", &d->solver.warm_start, NULL, NULL},
        {"passes", &d->solver.passes, NULL, NULL},         {"barrier", &d->solver.barrier, NULL, NULL},
        {"every", &every, NULL, NULL},
        {"factorizations", &d->solver.max_factorizations, NULL, NULL},
        {"substeps", &d->substeps, NULL, NULL},            {"tolerance", NULL, &d->solver.tolerance, NULL},
        {"relative", NULL, &d->solver.relative_tolerance, NULL},
        {"omega", NULL, &d->solver.omega, NULL},           {"slop", NULL, &d->slop, NULL},
        {"margin", NULL, &d->margin, NULL},                {"recovery", NULL, &d->recovery, NULL},
        {"recovery_speed", NULL, &d->recovery_speed, NULL}, {"joint_recovery", NULL, &d->joint_recovery, NULL},
        {"joint_speed", NULL, &d->joint_speed, NULL},      {"contact", &d->contact_model, NULL, contact_words},
    };
    unsigned i;
    for (i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(key, keys[i].key)) continue;
        if (keys[i].real) *keys[i].real = (nsc_real)atof(value);
        else *keys[i].whole = keys[i].words ? place_of(value, keys[i].words) : atoi(value);
        return 1;
    }
    return 0;
}

static int set_all(nsc_world_def *d, const char *text)
{
    char copy[256], *word, *value;
    int i;
    for (i = 0; i < SETTINGS; i++)
        if (!strcmp(text, settings[i][0])) text = settings[i][1];
    sprintf(copy, "%.255s", text);
    for (word = strtok(copy, " +"); word; word = strtok(NULL, " +")) {
        value = strchr(word, '=');
        if (!value) return 0;
        *value++ = 0;
        if (!set_one(d, word, value)) return 0;
    }
    return 1;
}

static nsc_world world;
static nsc_id ids[MAX_BODIES], joint_ids[MAX_JOINTS];
static nsc_real step_length;
static char remark[96];

static const char *engine_name(void)
{
#if defined(BENCH_SMALL)
    return "nsc-float-small";
#elif NSC_SECOND_LOOK
    return "nsc-float-look";
#else
    return sizeof(nsc_real) == 8 ? "nsc-double" : "nsc-float";
#endif
}
static const char *engine_setting(int i) { return i < SETTINGS ? settings[i][0] : NULL; }
static const char *engine_remark(void) { return *remark ? remark : NULL; }
static void engine_free(void) {}
static int engine_contacts(void) { return nsc_world_report(&world)->contacts; }
static int engine_iterations(void) { return nsc_world_report(&world)->solver.iterations; }
static double engine_residual(void) { return (double)nsc_world_report(&world)->solver.residual; }

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
#ifndef BENCH_FLAGS
#define BENCH_FLAGS unknown
#endif
static const char *engine_flags(void) { return TEXT_OF(BENCH_FLAGS); }

static nsc_vec3 to_nsc(v3 a)
{
    nsc_vec3 v = {0};
    v.x = (nsc_real)a.x, v.y = (nsc_real)a.y, v.z = (nsc_real)a.z;
    return v;
}

static nsc_quat to_quat(q4 a)
{
    nsc_quat q;
    q.w = (nsc_real)a.w, q.x = (nsc_real)a.x, q.y = (nsc_real)a.y, q.z = (nsc_real)a.z;
    return q;
}

/* Returns code, and keeps its text if it is a refusal */
static int refused(int code)
{
    if (code < 0 && !*remark) sprintf(remark, "refused: %.80s", nsc_error_text(code));
    return code;
}

static nsc_id add_shape(nsc_id id, const shape *k, v3 at, double friction)
{
    nsc_real r = (nsc_real)k->radius;
    nsc_vec3 h = to_nsc(k->half), points[8];
    nsc_shape_def d = k->kind == BOX ? nsc_default_box_def(h.x, h.y, h.z) : k->kind == SPHERE ? nsc_default_sphere_def(r)
                    : k->kind == CYLINDER ? nsc_default_cylinder_def(r, h.z) : nsc_default_hull_def();
    int i;
    d.friction = (nsc_real)friction, d.pose.position = to_nsc(at), d.category = 2;
    d.mask = the_scene.meet == MEET_ALL ? 3 : 1;
    for (i = 0; i < 8; i++) points[i] = to_nsc(k->corner[i]);
    return k->kind == HULL ? world_add_points(&world, id, &d, points, 8) : nsc_world_add_shape(&world, id, &d);
}

static int add_joint(const joint *j)
{
    nsc_joint_def d = nsc_default_joint_def(j->kind == BALL ? NSC_JOINT_BALL : NSC_JOINT_HINGE, j->a < 0 ? NSC_GROUND : ids[j->a], ids[j->b]);
    int code = nsc_joint_place(&world, &d, to_nsc(j->anchor), to_nsc(j->axis), to_nsc(vec(0, 0, 0)));
    if (code < 0) return code;
    if (j->most > 0) {
        d.axis[0].drive = NSC_DRIVE_SERVO;
        d.axis[0].stiffness = (nsc_real)j->stiffness, d.axis[0].damping = (nsc_real)j->damping;
        d.axis[0].target_velocity = (nsc_real)j->velocity, d.axis[0].max_force = (nsc_real)j->most;
    }
    return nsc_world_add_joint(&world, &d);
}

static int engine_build(const scene *s, const char *name, double dt)
{
    nsc_world_def def = default_def();
    int i;
    *remark = 0;
    every = 1;
    stepped = 0;
    if (!set_all(&def, name)) {
        sprintf(remark, "refused: setting \"%.60s\"", name);
        return 0;
    }
    if (every < 1) every = 1;
    def.gravity = to_nsc(vec(0, 0, -s->gravity));
    def.sleep_time = s->sleeps ? NSC_R(0.5) : 0;
    step_length = (nsc_real)(every * dt);
    if (refused(nsc_world_init(&world, &def)) < 0) return 0;
    for (i = 0; i < s->planes; i++) {
        nsc_shape_def d = nsc_default_half_space_def();
        d.friction = (nsc_real)s->friction;
        d.pose.position = to_nsc(mul(s->plane_[i].d, s->plane_[i].n)), d.pose.orientation = to_quat(s->plane_[i].turned);
        if (refused(nsc_world_add_shape(&world, NSC_GROUND, &d)) < 0) return 0;
    }
    for (i = 0; i < s->bodies; i++) {
        const body *b = &s->body_[i];
        nsc_body_def d = nsc_default_body_def();
        d.pose.position = to_nsc(b->place), d.pose.orientation = to_quat(b->turned);
        d.velocity = to_nsc(b->v), d.angular_velocity = to_nsc(b->w);
        d.mass = (nsc_real)b->mass;
        d.inertia[0] = (nsc_real)b->inertia.x, d.inertia[1] = (nsc_real)b->inertia.y, d.inertia[2] = (nsc_real)b->inertia.z;
        ids[i] = nsc_world_add_body(&world, &d);
        if (refused(ids[i]) < 0) return 0;
        if (s->meet == MEET_NOTHING || s->shape_[b->shape].kind == NONE) continue;
        if (refused(add_shape(ids[i], &s->shape_[b->shape], b->at, s->friction)) < 0) return 0;
    }
    for (i = 0; i < s->joints; i++) {
        joint_ids[i] = add_joint(&s->joint_[i]);
        if (refused(joint_ids[i]) < 0) return 0;
    }
    return 1;
}

/* The servo is implicit: its target is that of the end of the step. */
static void engine_target(int j, double time)
{
    double angle, rate;
    target_of(j, time + (double)step_length / every, &angle, &rate);
    refused(nsc_joint_set_target(&world, joint_ids[j], 0, (nsc_real)angle, (nsc_real)rate));
}

#ifdef ENGINE_THREADS
#include <pthread.h>
#include <sched.h>

/* A team whose members wait in a loop, as a wave of work lasts some microseconds only */
static struct team {
    void (*work)(void *job, int part);
    void *job;
    unsigned begun, done; /* rounds; members ready, of all rounds */
    int members;          /* beside the thread that steps */
} team;

static void *member(void *part)
{
    unsigned round;
    for (round = 1;; round++) {
        int turns = 0;
        while (__atomic_load_n(&team.begun, __ATOMIC_ACQUIRE) != round)
            if (++turns > 2000) sched_yield();
        team.work(team.job, (int)(size_t)part);
        __atomic_fetch_add(&team.done, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void all_together(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    unsigned ready = (team.begun + 1) * (unsigned)team.members;
    (void)user, (void)parts;
    team.work = work, team.job = job;
    __atomic_fetch_add(&team.begun, 1, __ATOMIC_RELEASE);
    work(job, 0);
    while (__atomic_load_n(&team.done, __ATOMIC_ACQUIRE) != ready) {}
}

static int step_world(void)
{
    nsc_calls calls = nsc_default_calls();
    pthread_t thread;
    while (team.members < threads - 1)
        if (pthread_create(&thread, NULL, member, (void *)(size_t)++team.members)) exit(2);
    if (threads > 1) calls.parallel = all_together, calls.parts = threads;
    return step_by_with(&world, step_length, &calls);
}
#else
static int step_world(void) { return step_by(&world, step_length); }
#endif

static void engine_step(void)
{
    stepped++;
    if (stepped % every) return;
    refused(step_world());
#ifdef NSC_STAGE
    NSC_STAGE(NSC_STAGE_REST + 1); /* outside */
#endif
    if (nsc_world_report(&world)->dropped_ever && !*remark) sprintf(remark, "refused: contacts dropped");
}

static void engine_get(int i, state *o)
{
    nsc_pose p;
    nsc_vec3 v, w;
    nsc_body_get_pose(&world, ids[i], &p);
    nsc_body_get_velocity(&world, ids[i], &v, &w);
    o->p = vec((double)p.position.x, (double)p.position.y, (double)p.position.z);
    o->q = quat((double)p.orientation.w, (double)p.orientation.x, (double)p.orientation.y, (double)p.orientation.z);
    o->v = vec((double)v.x, (double)v.y, (double)v.z), o->w = vec((double)w.x, (double)w.y, (double)w.z);
}
