/* mujoco.c - MuJoCo in the benchmark.  Joints are generalised coordinates here: they cannot drift.  "stiff": contacts with a
   time constant of two steps; "ell": the elliptic cone; "noslip": its pass against slip; rk4, implicit: integrators, for what
   is jointed only. */
#define ENGINE_TARGETS
#include "bench.h"
#include <mujoco/mujoco.h>
#include <stdarg.h>

static const char *const settings[] = {"newton", "cg", "pgs", "newton-stiff", "cg-ell-stiff", "newton-ell-noslip-stiff", "rk4", "implicit"};
static mjModel *model;
static mjData *data;
static int ids[MAX_BODIES], seen; /* seen: positions of bodies follow the coordinates */
static char text[1 << 20], loaded[1 << 20], *end_of_text, error[300];

static const char *engine_name(void) { return sizeof(mjtNum) == 8 ? "mujoco-double" : "mujoco-float"; }
static const char *engine_flags(void) { return "the package's"; }
static const char *engine_setting(int i) { return i < 8 ? settings[i] : NULL; }
static const char *engine_remark(void) { return *error ? error : NULL; }
static int engine_contacts(void) { return data->ncon; }
static int engine_iterations(void) { return data->solver_iter; }
static double engine_residual(void) { return -1; }

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    end_of_text += vsnprintf(end_of_text, (size_t)(text + sizeof text - end_of_text), format, list);
    va_end(list);
    if (end_of_text >= text + sizeof text) abort();
}

static void say_v3(const char *name, v3 a) { say(" %s='%.17g %.17g %.17g'", name, a.x, a.y, a.z); }
static void say_q4(q4 q) { say(" quat='%.17g %.17g %.17g %.17g'", q.w, q.x, q.y, q.z); }

/* Body i and what hangs on it; joints go from parent to child */
static void say_body(const scene *s, int i, int via)
{
    const body *b = &s->body_[i];
    const shape *k = &s->shape_[b->shape];
    const joint *j = via < 0 ? NULL : &s->joint_[via];
    int m;
    v3 place = b->place;
    q4 turned = b->turned, back;
    if (j && j->a >= 0) {
        back = conj4(s->body_[j->a].turned);
        place = rotate(back, sub(place, s->body_[j->a].place)), turned = times(back, turned);
    }
    say("<body name='b%d'", i);
    say_v3("pos", place), say_q4(turned), say(">");
    if (j) {
        back = conj4(b->turned);
        say("<joint name='j%d' type='%s' damping='%.17g'", via, j->kind == BALL ? "ball" : "hinge", j->damping);
        say_v3("pos", rotate(back, sub(j->anchor, b->place))), say_v3("axis", rotate(back, j->axis)), say("/>");
    } else {
        say("<freejoint/>");
    }
    say("<inertial pos='0 0 0' mass='%.17g'", b->mass), say_v3("diaginertia", b->inertia), say("/>");
    if (s->meet != MEET_NOTHING && k->kind != NONE) {
        say("<geom"), say_v3("pos", b->at);
        if (s->meet == MEET_GROUND) say(" contype='0'");
        if (k->kind == BOX) say(" type='box'"), say_v3("size", k->half), say("/>");
        if (k->kind == SPHERE) say(" type='sphere' size='%.17g'/>", k->radius);
        if (k->kind == CYLINDER) say(" type='cylinder' size='%.17g %.17g'/>", k->radius, k->half.z);
        if (k->kind == HULL) say(" type='mesh' mesh='hull'/>");
    }
    for (m = 0; m < s->joints; m++)
        if (s->joint_[m].a == i) say_body(s, s->joint_[m].b, m);
    say("</body>");
}

static int parent_joint(const scene *s, int i)
{
    int m;
    for (m = 0; m < s->joints; m++)
        if (s->joint_[m].b == i) return m;
    return -1;
}

/* The state at the start, of a model that is there */
static int start(const scene *s)
{
    int i, j;
    mj_resetData(model, data);
    for (i = j = 0; i < s->joints; i++)
        if (s->joint_[i].most > 0) data->ctrl[j++] = s->joint_[i].damping * s->joint_[i].velocity;
    for (i = 0; i < s->bodies; i++) {
        const v3 *v = &s->body_[i].v, *w = &s->body_[i].w;
        char name[16];
        sprintf(name, "b%d", i);
        ids[i] = mj_name2id(model, mjOBJ_BODY, name);
        if (len(*v) + len(*w) > 0) { /* bodies that move at first are free and not turned */
            mjtNum *to = data->qvel + model->body_dofadr[ids[i]];
            to[0] = v->x, to[1] = v->y, to[2] = v->z, to[3] = w->x, to[4] = w->y, to[5] = w->z;
        }
    }
    seen = 0;
    return 1;
}

static int engine_build(const scene *s, const char *setting, double dt)
{
    const int integrator = !strcmp(setting, "rk4") || !strcmp(setting, "implicit"), n = s->bodies;
    mjVFS *files;
    int i, j, many = n > 100;
    *error = 0, end_of_text = text;
    if (s->meet == MEET_NOTHING ? !integrator && strcmp(setting, "newton") : integrator && !s->joints) return 0;
    say("<mujoco><compiler angle='radian' coordinate='local'/>");
    say("<option timestep='%.17g' gravity='0 0 %.17g' solver='%s' cone='%s'", dt, -s->gravity,
        strstr(setting, "cg") ? "CG" : strstr(setting, "pgs") ? "PGS" : "Newton", strstr(setting, "ell") ? "elliptic" : "pyramidal");
    say("%s%s/>", strstr(setting, "noslip") ? " noslip_iterations='20'" : "",
        !strcmp(setting, "rk4") ? " integrator='RK4'" : !strcmp(setting, "implicit") ? " integrator='implicit'" : "");
    /* njmax^2 and njmax nv are set aside at once, their bytes counted in an int */
    say("<size nconmax='%d' njmax='%d' nstack='%d'/>", many ? 4000 : 7 * n + 9, many ? (n > 300 ? 7500 : 8000) : 4 * (7 * n + 9),
        many ? (n > 300 ? 120000000 : 60000000) : 20000 + 5000 * n);
    say("<default><geom condim='3' friction='%.17g 0 0'", s->friction);
    if (strstr(setting, "stiff")) say(" solref='%.17g 1' solimp='0.99 0.999 0.0001'", 2 * dt);
    say("/></default>");
    for (i = 0; i < s->shapes; i++) {
        if (s->shape_[i].kind != HULL) continue;
        say("<asset><mesh name='hull' vertex='");
        for (j = 0; j < 8; j++) say("%.17g %.17g %.17g ", s->shape_[i].corner[j].x, s->shape_[i].corner[j].y, s->shape_[i].corner[j].z);
        say("'/></asset>");
    }
    say("<worldbody>");
    for (i = 0; i < s->planes; i++) {
        const plane *p = &s->plane_[i];
        say("<geom type='plane' size='%g %g 1'", p->extent, p->extent), say_v3("pos", mul(p->d, p->n)), say_q4(p->turned), say("/>");
    }
    for (i = 0; i < n; i++) {
        j = parent_joint(s, i);
        if (j < 0 || s->joint_[j].a < 0) say_body(s, i, j);
    }
    say("</worldbody><actuator>"); /* the damping of the joint, implicit, is the other half of each drive */
    for (i = 0; i < s->joints; i++)
        if (s->joint_[i].most > 0)
            say("<general joint='j%d' gainprm='1' biastype='affine' biasprm='0 %.17g 0' forcelimited='true' forcerange='%.17g %.17g'/>", i,
                -s->joint_[i].stiffness, -s->joint_[i].most, s->joint_[i].most);
    say("</actuator></mujoco>");
    if (model && !strcmp(text, loaded)) return start(s); /* one model serves many worlds */
    mj_deleteData(data);
    mj_deleteModel(model);
    model = NULL, data = NULL;
    strcpy(loaded, text);
    files = (mjVFS *)malloc(sizeof *files);
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "scene.xml", (int)(end_of_text - text));
    memcpy(files->filedata[mj_findFileVFS(files, "scene.xml")], text, (size_t)(end_of_text - text));
    model = mj_loadXML("scene.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    free(files);
    if (!model) return 0;
    *error = 0; /* warnings */
    data = mj_makeData(model);
    return data && start(s);
}

/* The actuators are in the order of the joints; the stiffness of a servo is explicit here, so its
   target is that of the beginning of the step. */
static void engine_target(int j, double time)
{
    const joint *servo = &the_scene.joint_[j];
    double angle, rate;
    target_of(j, time, &angle, &rate);
    data->ctrl[j] = servo->stiffness * angle + servo->damping * rate;
}

static void engine_step(void)
{
    mj_step(model, data);
    seen = 0;
}

static void engine_get(int i, state *o)
{
    const mjtNum *p, *q;
    mjtNum w[6]; /* turning first */
    if (!seen) {
        mj_kinematics(model, data);
        mj_comPos(model, data);
        mj_comVel(model, data);
        seen = 1;
    }
    p = data->xpos + 3 * ids[i], q = data->xquat + 4 * ids[i];
    mj_objectVelocity(model, data, mjOBJ_BODY, ids[i], w, 0);
    o->p = vec(p[0], p[1], p[2]), o->q = quat(q[0], q[1], q[2], q[3]);
    o->w = vec(w[0], w[1], w[2]), o->v = vec(w[3], w[4], w[5]);
}

static void engine_free(void) {} /* see engine_build */
