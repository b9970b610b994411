/* box3d.c - Box3D in the benchmark, built from its source tree.
   "subN": N sub-steps in each step of 1/240 s.  "60hz": one step of 1/60 s in place of four, as its
   documentation advises; the three steps between cost nothing.  "stiff": contacts and joints of
   240 Hz, where the defaults are 30 and 60.  It limits contacts to an eighth of the rate of the
   sub-steps and joints to a quarter: with one sub-step nothing would change. */
#define ENGINE_THREADS
#include "bench.h"
#include <box3d/box3d.h>

static const char *const settings[] = {"60hz-sub4", "60hz-sub8-stiff", "60hz-sub16-stiff", "sub1", "sub4", "sub4-stiff"};
enum { SETTINGS = sizeof settings / sizeof settings[0], GROUND_BIT = 1, BODY_BIT = 2 };
static b3WorldId world;
static b3BodyId ids[MAX_BODIES];
static double step_length;
static int substeps, stiff, every, stepped; /* every: so many calls of engine_step are one step */
static const char *remark;

static const char *engine_name(void) { return "box3d"; }
static const char *engine_flags(void) { return "-O2 -DNDEBUG -ffp-contract=off"; }
static const char *engine_setting(int i) { return i < SETTINGS ? settings[i] : NULL; }
static const char *engine_remark(void) { return remark; }
static int engine_iterations(void) { return -1; }
static double engine_residual(void) { return -1; }

static b3Vec3 to_b3(v3 a)
{
    b3Vec3 v = {(float)a.x, (float)a.y, (float)a.z};
    return v;
}

static b3Quat to_quat(q4 a)
{
    b3Quat q;
    q.v = to_b3(vec(a.x, a.y, a.z));
    q.s = (float)a.w;
    return q;
}

static b3ShapeDef shape_def(const scene *s, unsigned is, unsigned meets)
{
    b3ShapeDef d = b3DefaultShapeDef();
    d.baseMaterial.friction = (float)s->friction;
    d.baseMaterial.restitution = 0;
    d.filter.categoryBits = is;
    d.filter.maskBits = meets;
    d.updateBodyMass = false;
    return d;
}

/* It has no half-space, so the ground is a thick plate. */
static void new_ground(const scene *s, const plane *p)
{
    double thick = fmin(2, p->extent / 2);
    b3BoxHull plate = b3MakeBoxHull((float)p->extent, (float)p->extent, (float)thick);
    b3ShapeDef d = shape_def(s, GROUND_BIT, BODY_BIT);
    b3BodyDef b = b3DefaultBodyDef();
    b.position = to_b3(mul(p->d - thick, p->n));
    b.rotation = to_quat(p->turned);
    b3CreateHullShape(b3CreateBody(world, &b), &d, &plate.base);
}

static void add_shape(b3BodyId id, const scene *s, const shape *k, v3 at)
{
    unsigned meets = s->meet == MEET_ALL ? GROUND_BIT | BODY_BIT : GROUND_BIT;
    b3ShapeDef d = shape_def(s, BODY_BIT, meets);
    b3Vec3 points[8];
    int i;
    if (k->kind == SPHERE) {
        b3Sphere ball;
        ball.center = to_b3(at);
        ball.radius = (float)k->radius;
        b3CreateSphereShape(id, &d, &ball);
    } else if (k->kind == BOX) {
        b3BoxHull box = b3MakeOffsetBoxHull((float)k->half.x, (float)k->half.y, (float)k->half.z,
                                            to_b3(at));
        b3CreateHullShape(id, &d, &box.base);
    } else {
        b3HullData *h;
        for (i = 0; i < 8; i++) points[i] = to_b3(add(at, k->corner[i]));
        h = b3CreateHull(points, 8, 8);
        if (!h) abort();
        b3CreateHullShape(id, &d, h);
        b3DestroyHull(h);
    }
}

static b3BodyId new_dynamic(const scene *s, const body *b)
{
    const shape *k = &s->shape_[b->shape];
    b3BodyDef d = b3DefaultBodyDef();
    b3MassData m;
    b3BodyId id;
    d.type = b3_dynamicBody;
    d.position = to_b3(b->place);
    d.rotation = to_quat(b->turned);
    d.linearVelocity = to_b3(b->v);
    d.angularVelocity = to_b3(b->w);
    d.enableSleep = s->sleeps != 0;
    id = b3CreateBody(world, &d);
    if (s->meet != MEET_NOTHING && k->kind != NONE) add_shape(id, s, k, b->at);
    m.mass = (float)b->mass;
    m.center = to_b3(vec(0, 0, 0));
    m.inertia.cx = to_b3(vec(b->inertia.x, 0, 0));
    m.inertia.cy = to_b3(vec(0, b->inertia.y, 0));
    m.inertia.cz = to_b3(vec(0, 0, b->inertia.z));
    b3Body_SetMassData(id, m);
    return id;
}

/* Frame of a joint in body i (-1: the ground), its z along the axis */
static b3Transform frame_in(const scene *s, int i, const joint *j)
{
    v3 z = vec(0, 0, 1), n = cross(z, j->axis), at = j->anchor;
    q4 q = len(n) > 1e-9 ? turn(unit(n), acos(dot(z, j->axis))) : quat(1, 0, 0, 0);
    b3Transform frame;
    if (i >= 0) {
        q4 back = conj4(s->body_[i].turned);
        at = rotate(back, sub(at, s->body_[i].place));
        q = times(back, q);
    }
    frame.p = to_b3(at);
    frame.q = to_quat(q);
    return frame;
}

/* 1 / inertia about an axis of the world */
static double ease(const body *b, v3 axis)
{
    v3 a = rotate(conj4(b->turned), axis);
    return a.x * a.x / b->inertia.x + a.y * a.y / b->inertia.y + a.z * a.z / b->inertia.z;
}

/* A servo is its spring, whose unit is the frequency with the inertia of the two bodies alone, and
   which knows no limit; a damper is a motor, which holds a speed. */
static void set_drive(const scene *s, const joint *j, b3RevoluteJointDef *d)
{
    double inertia = 1 / (ease(&s->body_[j->a], j->axis) + ease(&s->body_[j->b], j->axis));
    if (j->stiffness > 0) {
        d->enableSpring = true;
        d->hertz = (float)(sqrt(j->stiffness / inertia) / (2 * PI));
        d->dampingRatio = (float)(j->damping / (2 * sqrt(j->stiffness * inertia)));
    } else {
        d->enableMotor = true;
        d->maxMotorTorque = (float)j->most;
        d->motorSpeed = (float)j->velocity;
    }
}

static void set_base(const scene *s, const joint *j, b3BodyId ground, b3JointDef *d)
{
    d->bodyIdA = j->a < 0 ? ground : ids[j->a];
    d->bodyIdB = ids[j->b];
    d->localFrameA = frame_in(s, j->a, j);
    d->localFrameB = frame_in(s, j->b, j);
    if (stiff) d->constraintHertz = 240;
}

static int engine_build(const scene *s, const char *setting, double dt)
{
    b3WorldDef def = b3DefaultWorldDef();
    b3BodyDef fixed = b3DefaultBodyDef();
    b3BodyId ground;
    int i;
    remark = NULL;
    for (i = 0; i < s->shapes; i++)
        if (s->shape_[i].kind == CYLINDER) remark = "it has no cylinders";
    if (remark) return 0;
    every = strstr(setting, "60hz") ? 4 : 1;
    step_length = every * dt;
    stepped = 0;
    substeps = atoi(strstr(setting, "sub") + 3);
    def.gravity = to_b3(vec(0, 0, -s->gravity));
    def.enableSleep = s->sleeps != 0;
    def.workerCount = threads;
    stiff = strstr(setting, "stiff") != NULL;
    if (stiff) def.contactHertz = 240;
    world = b3CreateWorld(&def);
    ground = b3CreateBody(world, &fixed);
    for (i = 0; i < s->planes; i++) new_ground(s, &s->plane_[i]);
    for (i = 0; i < s->bodies; i++) ids[i] = new_dynamic(s, &s->body_[i]);
    for (i = 0; i < s->joints; i++) {
        const joint *j = &s->joint_[i];
        if (j->kind == BALL) {
            b3SphericalJointDef d = b3DefaultSphericalJointDef();
            set_base(s, j, ground, &d.base);
            b3CreateSphericalJoint(world, &d);
        } else {
            b3RevoluteJointDef d = b3DefaultRevoluteJointDef();
            set_base(s, j, ground, &d.base);
            if (j->most > 0) set_drive(s, j, &d);
            b3CreateRevoluteJoint(world, &d);
        }
    }
    return 1;
}

static void engine_step(void)
{
    stepped++;
    if (stepped % every == 0) b3World_Step(world, (float)step_length, substeps);
}

/* A contact of two bodies is in the lists of both. */
static int engine_contacts(void)
{
    int i, k, m, twice = 0;
    for (i = 0; i < the_scene.bodies; i++) {
        b3ContactData list[64];
        int n = b3Body_GetContactData(ids[i], list, 64);
        for (k = 0; k < n; k++) {
            b3BodyId a = b3Shape_GetBody(list[k].shapeIdA), b = b3Shape_GetBody(list[k].shapeIdB);
            int ground = b3Body_GetType(a) == b3_staticBody || b3Body_GetType(b) == b3_staticBody;
            for (m = 0; m < list[k].manifoldCount; m++)
                twice += (ground ? 2 : 1) * list[k].manifolds[m].pointCount;
        }
    }
    return twice / 2;
}

static void engine_get(int i, state *o)
{
    b3Pos p = b3Body_GetWorldCenter(ids[i]);
    b3Quat q = b3Body_GetRotation(ids[i]);
    b3Vec3 v = b3Body_GetLinearVelocity(ids[i]), w = b3Body_GetAngularVelocity(ids[i]);
    o->p = vec((double)p.x, (double)p.y, (double)p.z);
    o->q = quat((double)q.s, (double)q.v.x, (double)q.v.y, (double)q.v.z);
    o->v = vec((double)v.x, (double)v.y, (double)v.z);
    o->w = vec((double)w.x, (double)w.y, (double)w.z);
}

static void engine_free(void) { b3DestroyWorld(world); }
