/* jolt.cpp - Jolt in the benchmark, built from its source tree.
   "V+P": V iterations for velocities and P for positions; 10+2 is its default.  "60hz": one step of
   1/60 s in place of four; the three steps between cost nothing.  What is not said is its default;
   damping, which is not in the scenes, is off, and nothing sleeps where the scene does not say so. */
#include <Jolt/Jolt.h>
#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/EmptyShape.h>
#include <Jolt/Physics/Collision/Shape/OffsetCenterOfMassShape.h>
#include <Jolt/Physics/Collision/Shape/RotatedTranslatedShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Constraints/HingeConstraint.h>
#include <Jolt/Physics/Constraints/PointConstraint.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>
#define ENGINE_THREADS
#include "bench.h"

typedef JPH::RefConst<JPH::Shape> shape_ref;
enum { GROUND_LAYER, BODY_LAYER, GHOST_LAYER }; /* GHOST: meets nothing */

static const char *const settings[] = {"60hz-10+2", "4+1", "10+2", "50+10"};
enum { SETTINGS = sizeof settings / sizeof settings[0] };
static JPH::PhysicsSystem *world;
static JPH::TempAllocatorImpl *scratch;
static JPH::JobSystem *jobs;
static JPH::BodyID ids[MAX_BODIES];
static double step_length;
static int every, stepped; /* every: so many calls of engine_step are one step */

static const char *engine_name(void) { return "jolt"; }
static const char *engine_flags(void) { return "-O2 -DNDEBUG -fno-rtti -fno-exceptions"; }
static const char *engine_setting(int i) { return i < SETTINGS ? settings[i] : NULL; }
static const char *engine_remark(void) { return NULL; }
static int engine_iterations(void) { return -1; }
static double engine_residual(void) { return -1; }

static JPH::Vec3 to_jolt(v3 a) { return JPH::Vec3(float(a.x), float(a.y), float(a.z)); }
static JPH::Quat to_jolt(q4 a)
{
    return JPH::Quat(float(a.x), float(a.y), float(a.z), float(a.w)).Normalized();
}

struct layer_pairs : JPH::ObjectLayerPairFilter {
    bool ShouldCollide(JPH::ObjectLayer a, JPH::ObjectLayer b) const override
    {
        if (a == GHOST_LAYER || b == GHOST_LAYER) return false;
        if (a == BODY_LAYER && b == BODY_LAYER) return the_scene.meet == MEET_ALL;
        return a != b;
    }
};

/* One tree for what stands still, one for what moves */
struct trees : JPH::BroadPhaseLayerInterface {
    JPH::uint GetNumBroadPhaseLayers() const override { return 2; }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer a) const override
    {
        return JPH::BroadPhaseLayer(a == GROUND_LAYER ? 0 : 1);
    }
};

struct layer_trees : JPH::ObjectVsBroadPhaseLayerFilter {
    bool ShouldCollide(JPH::ObjectLayer a, JPH::BroadPhaseLayer tree) const override
    {
        if (a == GHOST_LAYER) return false;
        if (a == BODY_LAYER && tree == JPH::BroadPhaseLayer(1)) return the_scene.meet == MEET_ALL;
        return a == BODY_LAYER || tree == JPH::BroadPhaseLayer(1);
    }
};

static layer_pairs pairs;
static trees tree_of_layer;
static layer_trees trees_of_layer;

static JPH::BodyID add_body(JPH::BodyCreationSettings &b)
{
    b.mFriction = float(the_scene.friction);
    b.mRestitution = 0;
    b.mLinearDamping = b.mAngularDamping = 0;
    b.mAllowSleeping = the_scene.sleeps != 0;
    JPH::EActivation wake = JPH::EActivation::Activate;
    if (b.mMotionType == JPH::EMotionType::Static) wake = JPH::EActivation::DontActivate;
    return world->GetBodyInterfaceNoLock().CreateAndAddBody(b, wake);
}

/* A thick plate: its plane gives fewer points of a face. */
static void new_ground(const plane *p)
{
    double thick = fmin(2, p->extent / 2);
    shape_ref plate = new JPH::BoxShape(to_jolt(vec(p->extent, p->extent, thick)));
    JPH::BodyCreationSettings b(plate, to_jolt(mul(p->d - thick, p->n)), to_jolt(p->turned),
                                JPH::EMotionType::Static, GROUND_LAYER);
    add_body(b);
}

/* Its margin, which has to fit into the shape, is a tenth of the shape and at most the default. */
static shape_ref new_shape_of(const shape *k)
{
    double thin = fmin(k->half.x, fmin(k->half.y, k->half.z));
    if (k->kind == CYLINDER) thin = fmin(k->radius, k->half.z);
    float margin = float(fmin(double(JPH::cDefaultConvexRadius), 0.1 * thin));
    if (k->kind == BOX) return new JPH::BoxShape(to_jolt(k->half), margin);
    if (k->kind == SPHERE) return new JPH::SphereShape(float(k->radius));
    if (k->kind == CYLINDER) {
        JPH::Quat up = to_jolt(turn(vec(1, 0, 0), PI / 2)); /* its axis is y */
        shape_ref c = new JPH::CylinderShape(float(k->half.z), float(k->radius), margin);
        return new JPH::RotatedTranslatedShape(JPH::Vec3::sZero(), up, c);
    }
    if (k->kind == HULL) {
        JPH::Vec3 points[8];
        for (int i = 0; i < 8; i++) points[i] = to_jolt(k->corner[i]);
        JPH::ConvexHullShapeSettings hull(points, 8);
        hull.SetEmbedded();
        JPH::ShapeSettings::ShapeResult made = hull.Create();
        if (made.HasError()) abort();
        return made.Get();
    }
    return new JPH::EmptyShape;
}

static JPH::BodyID new_dynamic(const scene *s, const body *b, shape_ref k)
{
    if (len(b->at) > 0) { /* a shape carries the centre of mass with it: it is put back */
        k = new JPH::RotatedTranslatedShape(to_jolt(b->at), JPH::Quat::sIdentity(), k);
        k = new JPH::OffsetCenterOfMassShape(k, to_jolt(mul(-1, b->at)));
    }
    bool ghost = s->meet == MEET_NOTHING || s->shape_[b->shape].kind == NONE;
    JPH::BodyCreationSettings c(k, to_jolt(b->place), to_jolt(b->turned), JPH::EMotionType::Dynamic,
                                JPH::ObjectLayer(ghost ? GHOST_LAYER : BODY_LAYER));
    c.mLinearVelocity = to_jolt(b->v);
    c.mAngularVelocity = to_jolt(b->w);
    c.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
    c.mMassPropertiesOverride.mMass = float(b->mass);
    c.mMassPropertiesOverride.mInertia = JPH::Mat44::sScale(to_jolt(b->inertia));
    return add_body(c);
}

static JPH::Constraint *new_constraint(const joint *j)
{
    const JPH::BodyLockInterface &bodies = world->GetBodyLockInterfaceNoLock();
    JPH::Body *a = j->a < 0 ? &JPH::Body::sFixedToWorld : bodies.TryGetBody(ids[j->a]);
    JPH::Body *b = bodies.TryGetBody(ids[j->b]);
    if (j->kind == BALL) {
        JPH::PointConstraintSettings point;
        point.mPoint1 = point.mPoint2 = to_jolt(j->anchor);
        return point.Create(*a, *b);
    }
    JPH::HingeConstraintSettings d;
    d.mPoint1 = d.mPoint2 = to_jolt(j->anchor);
    d.mHingeAxis1 = d.mHingeAxis2 = to_jolt(j->axis);
    d.mNormalAxis1 = d.mNormalAxis2 = d.mHingeAxis1.GetNormalizedPerpendicular();
    if (j->most > 0) {
        JPH::SpringSettings &drive = d.mMotorSettings.mSpringSettings;
        drive.mMode = JPH::ESpringMode::StiffnessAndDamping;
        drive.mStiffness = float(j->stiffness);
        drive.mDamping = float(j->damping);
        d.mMotorSettings.SetTorqueLimit(float(j->most));
    }
    JPH::HingeConstraint *hinge = static_cast<JPH::HingeConstraint *>(d.Create(*a, *b));
    if (j->most > 0) {
        hinge->SetMotorState(JPH::EMotorState::PositionAndVelocity);
        hinge->SetTargetAngularVelocity(float(j->velocity));
    }
    return hinge;
}

static void start_once(void)
{
    if (JPH::Factory::sInstance) return;
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory;
    JPH::RegisterTypes();
}

static int engine_build(const scene *s, const char *setting, double dt)
{
    JPH::uint n = JPH::uint(s->bodies + s->planes + 1);
    shape_ref shared[MAX_SHAPES];
    start_once();
    every = strstr(setting, "60hz") ? 4 : 1;
    step_length = every * dt;
    stepped = 0;
    scratch = new JPH::TempAllocatorImpl(32 * 1024 * 1024);
    if (threads > 1) jobs = new JPH::JobSystemThreadPool(JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers, threads - 1);
    else jobs = new JPH::JobSystemSingleThreaded(JPH::cMaxPhysicsJobs);
    world = new JPH::PhysicsSystem;
    world->Init(n, 0, 16 * n, 16 * n, tree_of_layer, trees_of_layer, pairs);
    JPH::PhysicsSettings p = world->GetPhysicsSettings();
    const char *numbers = every > 1 ? setting + 5 : setting;
    p.mNumVelocitySteps = JPH::uint(atoi(numbers));
    p.mNumPositionSteps = JPH::uint(atoi(strchr(numbers, '+') + 1));
    p.mAllowSleeping = s->sleeps != 0;
    world->SetPhysicsSettings(p);
    world->SetGravity(to_jolt(vec(0, 0, -s->gravity)));
    for (int i = 0; i < s->planes; i++) new_ground(&s->plane_[i]);
    for (int i = 0; i < s->shapes; i++) shared[i] = new_shape_of(&s->shape_[i]);
    for (int i = 0; i < s->bodies; i++) {
        const body *b = &s->body_[i];
        ids[i] = new_dynamic(s, b, shared[b->shape]);
    }
    for (int i = 0; i < s->joints; i++) world->AddConstraint(new_constraint(&s->joint_[i]));
    world->OptimizeBroadPhase();
    return 1;
}

static void engine_step(void)
{
    stepped++;
    if (stepped % every == 0) world->Update(float(step_length), 1, scratch, jobs);
}

/* It tells of contacts only while it steps: one more step, after what is measured. */
static int engine_contacts(void)
{
    struct counter : JPH::ContactListener {
        int points = 0;
        typedef const JPH::Body &one;
        typedef const JPH::ContactManifold &manifold;
        void OnContactAdded(one, one, manifold m, JPH::ContactSettings &) override
        {
            points += int(m.mRelativeContactPointsOn1.size());
        }
        void OnContactPersisted(one a, one b, manifold m, JPH::ContactSettings &with) override
        {
            OnContactAdded(a, b, m, with);
        }
    } all;
    world->SetContactListener(&all);
    world->Update(float(step_length), 1, scratch, jobs);
    world->SetContactListener(nullptr);
    return all.points;
}

static void engine_get(int i, state *o)
{
    const JPH::BodyInterface &bodies = world->GetBodyInterfaceNoLock();
    JPH::RVec3 p = bodies.GetCenterOfMassPosition(ids[i]);
    JPH::Quat q = bodies.GetRotation(ids[i]);
    JPH::Vec3 v = bodies.GetLinearVelocity(ids[i]), w = bodies.GetAngularVelocity(ids[i]);
    o->p = vec(double(p.GetX()), double(p.GetY()), double(p.GetZ()));
    o->q = quat(double(q.GetW()), double(q.GetX()), double(q.GetY()), double(q.GetZ()));
    o->v = vec(double(v.GetX()), double(v.GetY()), double(v.GetZ()));
    o->w = vec(double(w.GetX()), double(w.GetY()), double(w.GetZ()));
}

static void engine_free(void)
{
    delete world;
    delete jobs;
    delete scratch;
}
