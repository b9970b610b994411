/* bullet.cpp - Bullet in the benchmark: sequential impulses, nonsmooth conjugate gradients and Dantzig; once in float, once with
   BT_USE_DOUBLE_PRECISION. */
#include "bench.h"
#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

static const char *const settings[] = {"si10", "si50", "nncg50", "dantzig"};
static btDefaultCollisionConfiguration *config;
static btCollisionDispatcher *dispatcher;
static btBroadphaseInterface *broadphase;
static btMLCPSolverInterface *pivoting;
static btConstraintSolver *solver;
static btDiscreteDynamicsWorld *world;
static btRigidBody *ids[MAX_BODIES];
static btHingeConstraint *hinge[MAX_JOINTS];
static btAlignedObjectArray<btCollisionShape *> shapes;
static btAlignedObjectArray<btRigidBody *> bodies;
static btAlignedObjectArray<btTypedConstraint *> joints;
static double step_length, begun[MAX_JOINTS]; /* angle of a hinge that is 0 here */

static const char *engine_name(void) { return sizeof(btScalar) == 8 ? "bullet-double" : "bullet-float"; }
static const char *engine_flags(void) { return "the package's"; }
static const char *engine_setting(int i) { return i < 4 ? settings[i] : NULL; }
static const char *engine_remark(void) { return NULL; }
static int engine_iterations(void) { return -1; }
static double engine_residual(void) { return -1; }

static btVector3 to_bt(v3 a) { return btVector3(btScalar(a.x), btScalar(a.y), btScalar(a.z)); }
static btQuaternion to_bt(q4 q) { return btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)); }

static btRigidBody *new_rigid(double mass, v3 inertia, btCollisionShape *k, v3 place, q4 turned)
{
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), NULL, k, to_bt(inertia));
    info.m_startWorldTransform = btTransform(to_bt(turned), to_bt(place));
    info.m_friction = btScalar(sqrt(the_scene.friction)); /* those of two bodies are multiplied */
    btRigidBody *b = new btRigidBody(info);
    if (!the_scene.sleeps) b->setActivationState(DISABLE_DEACTIVATION);
    bodies.push_back(b);
    return b;
}

/* The corners with every face moved in by m: Bullet wraps a margin around a hull */
static btCollisionShape *new_hull(const shape *k, double m)
{
    btConvexHullShape *h = new btConvexHullShape;
    for (int i = 0; i < 8; i++) {
        v3 n[3];
        double d[3];
        int faces = 0;
        for (int f = 0; f < 6; f++)
            for (int j = 0; j < 4; j++)
                if (shape_face[f][j] == i) {
                    v3 a = k->corner[shape_face[f][0]], b = k->corner[shape_face[f][1]], c = k->corner[shape_face[f][2]];
                    n[faces] = unit(cross(sub(b, a), sub(c, a)));
                    d[faces] = dot(n[faces], k->corner[i]) - m, faces++;
                }
        v3 p = add(add(mul(d[0], cross(n[1], n[2])), mul(d[1], cross(n[2], n[0]))), mul(d[2], cross(n[0], n[1])));
        h->addPoint(to_bt(mul(1 / dot(n[0], cross(n[1], n[2])), p)));
    }
    h->setMargin(btScalar(m));
    h->initializePolyhedralFeatures();
    return h;
}

static btCollisionShape *new_bt_shape(const shape *k)
{
    if (k->kind == BOX) return new btBoxShape(to_bt(k->half));
    if (k->kind == SPHERE) return new btSphereShape(btScalar(k->radius));
    if (k->kind == CYLINDER) return new btCylinderShapeZ(to_bt(vec(k->radius, k->radius, k->half.z)));
    if (k->kind == HULL) return new_hull(k, 0.01);
    return new btEmptyShape;
}

static void new_constraint(const scene *s, int i)
{
    const joint *j = &s->joint_[i];
    v3 at[2], axis[2];
    for (int side = 0; side < 2; side++) {
        int k = side ? j->b : j->a;
        at[side] = j->anchor, axis[side] = j->axis;
        if (k < 0) continue;
        q4 back = conj4(s->body_[k].turned);
        at[side] = rotate(back, sub(j->anchor, s->body_[k].place)), axis[side] = rotate(back, j->axis);
    }
    hinge[i] = NULL;
    if (j->kind == BALL && j->a < 0) joints.push_back(new btPoint2PointConstraint(*ids[j->b], to_bt(at[1])));
    else if (j->kind == BALL) joints.push_back(new btPoint2PointConstraint(*ids[j->a], *ids[j->b], to_bt(at[0]), to_bt(at[1])));
    else hinge[i] = new btHingeConstraint(*ids[j->a], *ids[j->b], to_bt(at[0]), to_bt(at[1]), to_bt(axis[0]), to_bt(axis[1]));
    if (hinge[i]) joints.push_back(hinge[i]);
    if (hinge[i]) begun[i] = double(hinge[i]->getHingeAngle());
    world->addConstraint(joints[joints.size() - 1], true);
}

static int engine_build(const scene *s, const char *setting, double dt)
{
    btDefaultCollisionConstructionInfo info; /* pools of the scene's size */
    btCollisionShape *shared[MAX_SHAPES];
    info.m_defaultMaxPersistentManifoldPoolSize = info.m_defaultMaxCollisionAlgorithmPoolSize = 16 + 8 * s->bodies;
    config = new btDefaultCollisionConfiguration(info);
    dispatcher = new btCollisionDispatcher(config);
    broadphase = new btDbvtBroadphase;
    pivoting = new btDantzigSolver;
    if (!strcmp(setting, "dantzig")) solver = new btMLCPSolver(pivoting);
    else if (!strcmp(setting, "nncg50")) solver = new btNNCGConstraintSolver;
    else solver = new btSequentialImpulseConstraintSolver;
    world = new btDiscreteDynamicsWorld(dispatcher, broadphase, solver, config);
    world->setGravity(to_bt(vec(0, 0, -s->gravity)));
    world->getSolverInfo().m_numIterations = strcmp(setting, "si10") ? 50 : 10;
    if (!strcmp(setting, "dantzig")) world->getSolverInfo().m_minimumSolverBatchSize = 1; /* as its own example */
    step_length = dt;
    for (int i = 0; i < s->planes; i++) {
        const plane *p = &s->plane_[i];
        if (s->shape_[0].kind == SPHERE) {
            shapes.push_back(new btStaticPlaneShape(to_bt(p->n), btScalar(p->d)));
            world->addRigidBody(new_rigid(0, vec(0, 0, 0), shapes[shapes.size() - 1], vec(0, 0, 0), quat(1, 0, 0, 0)));
        } else { /* a box gives all points of a face at once, a plane one a step */
            double thick = fmin(2, p->extent / 2);
            shapes.push_back(new btBoxShape(to_bt(vec(p->extent, p->extent, thick))));
            world->addRigidBody(new_rigid(0, vec(0, 0, 0), shapes[shapes.size() - 1], mul(p->d - thick, p->n), p->turned));
        }
    }
    for (int i = 0; i < s->shapes; i++) shapes.push_back(shared[i] = new_bt_shape(&s->shape_[i]));
    for (int i = 0; i < s->bodies; i++) {
        const body *b = &s->body_[i];
        btCollisionShape *k = shared[b->shape];
        if (len(b->at) > 0) {
            btCompoundShape *moved = new btCompoundShape;
            moved->addChildShape(btTransform(btQuaternion::getIdentity(), to_bt(b->at)), k);
            shapes.push_back(k = moved);
        }
        ids[i] = new_rigid(b->mass, b->inertia, k, b->place, b->turned);
        ids[i]->setLinearVelocity(to_bt(b->v));
        ids[i]->setAngularVelocity(to_bt(b->w));
        bool meets = s->meet != MEET_NOTHING && s->shape_[b->shape].kind != NONE;
        if (s->meet == MEET_ALL) world->addRigidBody(ids[i]);
        else world->addRigidBody(ids[i], 64, meets ? int(btBroadphaseProxy::StaticFilter) : 0);
    }
    for (int i = 0; i < s->joints; i++) new_constraint(s, i);
    return 1;
}

static void engine_step(void)
{
    for (int i = 0; i < the_scene.joints; i++) { /* its motors hold a speed: that of the drive without a load; its angle is a's */
        const joint *j = &the_scene.joint_[i];
        if (j->most <= 0) continue;
        double pull = step_length * j->stiffness + j->damping;
        double speed = (-j->damping * j->velocity - j->stiffness * (double(hinge[i]->getHingeAngle()) - begun[i])) / pull;
        hinge[i]->enableAngularMotor(true, btScalar(speed), btScalar(j->most * step_length));
    }
    world->stepSimulation(btScalar(step_length), 0);
}

static int engine_contacts(void)
{
    int n = 0;
    for (int i = 0; i < dispatcher->getNumManifolds(); i++) n += dispatcher->getManifoldByIndexInternal(i)->getNumContacts();
    return n;
}

static void engine_get(int i, state *o)
{
    const btTransform &t = ids[i]->getWorldTransform();
    btQuaternion q = t.getRotation();
    btVector3 p = t.getOrigin(), v = ids[i]->getLinearVelocity(), w = ids[i]->getAngularVelocity();
    o->p = vec(p.x(), p.y(), p.z()), o->q = quat(q.w(), q.x(), q.y(), q.z());
    o->v = vec(v.x(), v.y(), v.z()), o->w = vec(w.x(), w.y(), w.z());
}

static void engine_free(void)
{
    for (int i = 0; i < joints.size(); i++) world->removeConstraint(joints[i]), delete joints[i];
    for (int i = 0; i < bodies.size(); i++) world->removeRigidBody(bodies[i]), delete bodies[i];
    for (int i = 0; i < shapes.size(); i++) delete shapes[i];
    joints.clear(), bodies.clear(), shapes.clear();
    delete world;
    delete solver;
    delete pivoting;
    delete broadphase;
    delete dispatcher;
    delete config;
}
