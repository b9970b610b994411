/* ode.c - ODE in the benchmark: quickstep (projected SOR) and worldstep (Dantzig). */
#include "bench.h"
#include <ode/ode.h>
#include <stdarg.h>

/* demo: what ODE's own box stack sets: CFM 1e-5, a surface layer of 1 mm, pushed out by at most 0.1 m/s */
static const char *const settings[] = {"quick20", "quick100", "quick20-demo", "dantzig", "dantzig-demo"};
static dWorldID world;
static dSpaceID space;
static dJointGroupID group;
static dBodyID ids[MAX_BODIES];
static dReal hull_planes[MAX_SHAPES][24], hull_points[MAX_SHAPES][24]; /* ODE keeps the pointers */
static unsigned hull_faces[MAX_SHAPES][30];
static double step_length;
static int quick, points;

static const char *engine_name(void) { return sizeof(dReal) == 8 ? "ode-double" : "ode-float"; }
static const char *engine_flags(void) { return "the package's"; }
static const char *engine_setting(int i) { return i < 5 ? settings[i] : NULL; }
static const char *engine_remark(void) { return NULL; }
static int engine_contacts(void) { return points; }
static int engine_iterations(void) { return -1; }
static double engine_residual(void) { return -1; }

static void silent(int number, const char *text, va_list rest)
{
    (void)number, (void)text, (void)rest;
}

static dGeomID new_geom(const scene *s, int i)
{
    const shape *k = &s->shape_[i];
    int f, j;
    if (k->kind == BOX) return dCreateBox(space, 2 * k->half.x, 2 * k->half.y, 2 * k->half.z);
    if (k->kind == SPHERE) return dCreateSphere(space, k->radius);
    if (k->kind == CYLINDER) return dCreateCylinder(space, k->radius, 2 * k->half.z);
    for (j = 0; j < 8; j++) {
        dReal *p = hull_points[i] + 3 * j;
        p[0] = k->corner[j].x, p[1] = k->corner[j].y, p[2] = k->corner[j].z;
    }
    for (f = 0; f < 6; f++) {
        v3 a = k->corner[shape_face[f][0]], b = k->corner[shape_face[f][1]], c = k->corner[shape_face[f][2]];
        v3 n = unit(cross(sub(b, a), sub(c, a)));
        dReal *p = hull_planes[i] + 4 * f;
        p[0] = n.x, p[1] = n.y, p[2] = n.z, p[3] = dot(n, a);
        hull_faces[i][5 * f] = 4;
        for (j = 0; j < 4; j++) hull_faces[i][5 * f + 1 + j] = (unsigned)shape_face[f][j];
    }
    return dCreateConvex(space, hull_planes[i], 6, hull_points[i], 8, hull_faces[i]);
}

/* A servo is a stop of no width, a damper a motor; both made soft by ERP and CFM, which is implicit Euler */
static void new_drive(dJointID id, const joint *j)
{
    double pull = step_length * j->stiffness + j->damping;
    if (j->stiffness > 0) {
        dJointSetHingeParam(id, dParamLoStop, 0);
        dJointSetHingeParam(id, dParamHiStop, 0);
        dJointSetHingeParam(id, dParamStopERP, step_length * j->stiffness / pull);
        dJointSetHingeParam(id, dParamStopCFM, 1 / pull);
    } else {
        dJointSetHingeParam(id, dParamVel, j->velocity);
        dJointSetHingeParam(id, dParamFMax, j->most);
        dJointSetHingeParam(id, dParamCFM, 1 / pull);
    }
}

static int engine_build(const scene *s, const char *setting, double dt)
{
    static int started;
    int i;
    if (!started) {
        dInitODE2(0);
        dSetMessageHandler(silent); /* Dantzig tells of its failures */
        started = 1;
    }
    dAllocateODEDataForThread(dAllocateMaskAll);
    dRandSetSeed(0);
    step_length = dt, quick = *setting == 'q';
    world = dWorldCreate();
    space = s->bodies > 100 ? dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ) : dHashSpaceCreate(0);
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -s->gravity);
    dWorldSetAutoDisableFlag(world, s->sleeps);
    if (quick) dWorldSetQuickStepNumIterations(world, atoi(setting + 5));
    if (strstr(setting, "demo")) {
        dWorldSetCFM(world, 1e-5);
        dWorldSetContactSurfaceLayer(world, 0.001);
        dWorldSetContactMaxCorrectingVel(world, 0.1);
    }
    for (i = 0; i < s->planes; i++) {
        const plane *p = &s->plane_[i];
        dCreatePlane(space, p->n.x, p->n.y, p->n.z, p->d);
    }
    for (i = 0; i < s->bodies; i++) {
        const body *b = &s->body_[i];
        dQuaternion q = {b->turned.w, b->turned.x, b->turned.y, b->turned.z};
        dGeomID g;
        dMass m;
        ids[i] = dBodyCreate(world);
        dMassSetParameters(&m, b->mass, 0, 0, 0, b->inertia.x, b->inertia.y, b->inertia.z, 0, 0, 0);
        dBodySetMass(ids[i], &m);
        dBodySetPosition(ids[i], b->place.x, b->place.y, b->place.z);
        dBodySetQuaternion(ids[i], q);
        dBodySetLinearVel(ids[i], b->v.x, b->v.y, b->v.z);
        dBodySetAngularVel(ids[i], b->w.x, b->w.y, b->w.z);
        if (s->meet == MEET_NOTHING || s->shape_[b->shape].kind == NONE) continue;
        g = new_geom(s, b->shape);
        dGeomSetBody(g, ids[i]);
        if (len(b->at) > 0) dGeomSetOffsetPosition(g, b->at.x, b->at.y, b->at.z);
        if (s->meet == MEET_GROUND) dGeomSetCategoryBits(g, 2), dGeomSetCollideBits(g, 1);
    }
    for (i = 0; i < s->joints; i++) {
        const joint *j = &s->joint_[i];
        dJointID id = j->kind == BALL ? dJointCreateBall(world, 0) : dJointCreateHinge(world, 0);
        dJointAttach(id, ids[j->b], j->a < 0 ? 0 : ids[j->a]);
        if (j->kind == BALL) {
            dJointSetBallAnchor(id, j->anchor.x, j->anchor.y, j->anchor.z);
        } else {
            dJointSetHingeAnchor(id, j->anchor.x, j->anchor.y, j->anchor.z);
            dJointSetHingeAxis(id, j->axis.x, j->axis.y, j->axis.z);
        }
        if (j->most > 0) new_drive(id, j);
    }
    return 1;
}

static void near(void *unused, dGeomID a, dGeomID b)
{
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact c[8];
    int i, n;
    (void)unused;
    if (!body_a && !body_b) return;
    n = dCollide(a, b, 8, &c[0].geom, sizeof c[0]);
    for (i = 0; i < n; i++) {
        c[i].surface.mode = dContactApprox1;
        c[i].surface.mu = the_scene.friction;
        dJointAttach(dJointCreateContact(world, group, &c[i]), body_a, body_b);
    }
    points += n;
}

static void engine_step(void)
{
    points = 0;
    dSpaceCollide(space, NULL, near);
    if (quick) dWorldQuickStep(world, step_length);
    else dWorldStep(world, step_length);
    dJointGroupEmpty(group);
}

static void engine_get(int i, state *o)
{
    const dReal *p = dBodyGetPosition(ids[i]), *q = dBodyGetQuaternion(ids[i]);
    const dReal *v = dBodyGetLinearVel(ids[i]), *w = dBodyGetAngularVel(ids[i]);
    o->p = vec(p[0], p[1], p[2]), o->q = quat(q[0], q[1], q[2], q[3]);
    o->v = vec(v[0], v[1], v[2]), o->w = vec(w[0], w[1], w[2]);
}

static void engine_free(void)
{
    dJointGroupDestroy(group);
    dSpaceDestroy(space);
    dWorldDestroy(world);
}
