/* nsc.c - nsc in the benchmark, once in float and once with -DNSC_DOUBLE.  curve.c includes it. */
#include "bench.h"

#define NSC_MAX_BODIES 1025
#define NSC_MAX_CONTACTS 8192
#define NSC_MAX_JOINTS 64
#define NSC_MAX_HULLS 16
#define NSC_HULL_VERTICES 8
#define NSC_ARENA (20 * 1000 * 1000) /* memory that is never touched costs nothing; with 4400 rows DANTZIG uses all of it */
#define NSC_IMPLEMENTATION
#include "nsc.h"

/* ---- settings: 0 is the library's default ---------------------------------------------------- */

static const struct setting {
    const char *name;
    int solver, law, iterations;
    double tolerance;
    int substeps, stepper, symmetric, check_interval;
    double recovery, joint_recovery;
} settings[] = {
    {"sipgs", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"sipgs10", 0, 0, 10, 0, 0, 0, 0, 0, 0, 0},
    {"sipgs50", 0, 0, 50, 0, 0, 0, 0, 0, 0, 0},
    {"sub4", 0, 0, 4, 0, 4, 0, 0, 0, 0, 0},
    {"auto", NSC_SOLVER_AUTO, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"apgd", NSC_SOLVER_APGD, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"bb", NSC_SOLVER_BB, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"minres", NSC_SOLVER_MINRES, 0, 0, 0, 0, 0, 0, 0, 0, 0}, /* joints alone */
    {"dantzig", NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 0, 0, 0, 0, 0, 0, 0, 0},
    {"admm", NSC_SOLVER_ADMM, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"newton", NSC_SOLVER_NEWTON, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static nsc_world world;
static nsc_id ids[MAX_BODIES];
static nsc_real step_length;
static char remark[96];

static const char *engine_name(void) { return sizeof(nsc_real) == 8 ? "nsc-double" : "nsc-float"; }
static const char *engine_setting(int i) { return i < SETTINGS ? settings[i].name : NULL; }
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
    return k->kind == HULL ? nsc_world_add_hull(&world, id, &d, points, 8) : nsc_world_add_shape(&world, id, &d);
}

static int add_joint(const joint *j)
{
    nsc_joint_def d = nsc_default_joint_def(j->kind == BALL ? NSC_BALL : NSC_HINGE, j->a < 0 ? NSC_GROUND : ids[j->a], ids[j->b]);
    int code = nsc_joint_place(&world, &d, to_nsc(j->anchor), to_nsc(j->axis), to_nsc(vec(0, 0, 0)));
    if (code < 0) return code;
    if (j->most > 0) {
        d.axis[0].drive = NSC_SERVO;
        d.axis[0].stiffness = (nsc_real)j->stiffness, d.axis[0].damping = (nsc_real)j->damping;
        d.axis[0].target_velocity = (nsc_real)j->velocity, d.axis[0].max_force = (nsc_real)j->most;
    }
    return nsc_world_add_joint(&world, &d);
}

static int engine_build(const scene *s, const char *name, double dt)
{
    const struct setting *k = settings;
    nsc_world_def def = nsc_default_world_def();
    int i;
    while (k < settings + SETTINGS - 1 && strcmp(k->name, name)) k++;
    *remark = 0;
    if (strcmp(k->name, name) || (k->solver == NSC_SOLVER_MINRES && s->meet != MEET_NOTHING)) return 0;
    if (k->solver) def.solver.solver = k->solver;
    if (k->law) def.solver.law = k->law;
    if (k->iterations) def.solver.max_iterations = k->iterations;
    if (k->tolerance > 0) def.solver.tolerance = (nsc_real)k->tolerance;
    if (k->check_interval) def.solver.check_interval = k->check_interval;
    if (k->substeps) def.substeps = k->substeps;
    if (k->stepper) def.stepper = k->stepper;
    if (k->recovery > 0) def.recovery = (nsc_real)k->recovery;
    if (k->joint_recovery > 0) def.joint_recovery = (nsc_real)k->joint_recovery;
    def.solver.symmetric = k->symmetric;
    def.gravity = to_nsc(vec(0, 0, -s->gravity));
    step_length = (nsc_real)dt;
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
        d.mass = (nsc_real)b->mass;
        d.inertia[0] = (nsc_real)b->inertia.x, d.inertia[1] = (nsc_real)b->inertia.y, d.inertia[2] = (nsc_real)b->inertia.z;
        ids[i] = nsc_world_add_body(&world, &d);
        if (refused(ids[i]) < 0) return 0;
        if (s->meet == MEET_NOTHING || s->shape_[b->shape].kind == NONE) continue;
        if (refused(add_shape(ids[i], &s->shape_[b->shape], b->at, s->friction)) < 0) return 0;
    }
    for (i = 0; i < s->joints; i++)
        if (refused(add_joint(&s->joint_[i])) < 0) return 0;
    return 1;
}

static void engine_step(void)
{
    refused(nsc_world_step(&world, step_length));
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
