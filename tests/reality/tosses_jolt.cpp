// tosses_jolt.cpp - the tosses in Jolt, built from its source tree: 10 velocity and 2 position steps, its
// default, and 50 and 10 with impacts from 0.2 m/s on that bounce, as in nsc, not from 1 m/s.  Fitted are friction and
// restitution.
//     tosses_jolt FOLDER [whole]
#include <Jolt/Jolt.h>
#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>
#include "tosses.h"

static toss tosses[TOSS_NUMBERS];
static toss_kept kept;

// The table is layer 0, the cube layer 1.
struct layer_pairs : JPH::ObjectLayerPairFilter {
    bool ShouldCollide(JPH::ObjectLayer a, JPH::ObjectLayer b) const override { return a != b; }
};

struct trees : JPH::BroadPhaseLayerInterface {
    JPH::uint GetNumBroadPhaseLayers() const override { return 2; }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer a) const override { return JPH::BroadPhaseLayer(JPH::uint8(a)); }
};

struct layer_trees : JPH::ObjectVsBroadPhaseLayerFilter {
    bool ShouldCollide(JPH::ObjectLayer, JPH::BroadPhaseLayer) const override { return true; }
};

static layer_pairs pairs;
static trees tree_of_layer;
static layer_trees trees_of_layer;

static JPH::Vec3 to_jolt(const double *v) { return JPH::Vec3(float(v[0]), float(v[1]), float(v[2])); }

// Of two frictions it takes the root of the product, of two restitutions the greater.
static JPH::BodyID add(JPH::PhysicsSystem &world, JPH::BodyCreationSettings &b, const double *numbers)
{
    b.mFriction = float(numbers[0]), b.mRestitution = float(numbers[1]);
    b.mLinearDamping = b.mAngularDamping = 0;
    b.mAllowSleeping = false;
    bool still = b.mMotionType == JPH::EMotionType::Static;
    return world.GetBodyInterfaceNoLock().CreateAndAddBody(b, still ? JPH::EActivation::DontActivate : JPH::EActivation::Activate);
}

static JPH::BodyID add_cube(JPH::PhysicsSystem &world, const toss_row &r, const double *numbers)
{
    double spin[3];
    toss_turn(r.q, r.w, spin);
    JPH::Quat q = JPH::Quat(float(r.q[1]), float(r.q[2]), float(r.q[3]), float(r.q[0])).Normalized();
    JPH::RefConst<JPH::Shape> box = new JPH::BoxShape(JPH::Vec3::sReplicate(float(TOSS_HALF)), 1e-3f);
    JPH::BodyCreationSettings b(box, to_jolt(r.x), q, JPH::EMotionType::Dynamic, 1);
    b.mLinearVelocity = to_jolt(r.v), b.mAngularVelocity = to_jolt(spin);
    b.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
    b.mMassPropertiesOverride.mMass = float(TOSS_MASS);
    b.mMassPropertiesOverride.mInertia = JPH::Mat44::sScale(float(TOSS_INERTIA));
    return add(world, b, numbers);
}

static JPH::TempAllocatorImpl *scratch;
static JPH::JobSystemSingleThreaded *jobs;
static JPH::RefConst<JPH::Shape> plate;

static void throw_one(const toss_engine *e, const double *numbers, int per, const toss *t, toss_error *error, toss_result *result)
{
    static const int sweeps[2][2] = {{10, 2}, {50, 10}};
    JPH::PhysicsSystem world;
    world.Init(4, 0, 16, 16, tree_of_layer, trees_of_layer, pairs);
    JPH::PhysicsSettings p = world.GetPhysicsSettings();
    p.mNumVelocitySteps = JPH::uint(sweeps[e->which][0]), p.mNumPositionSteps = JPH::uint(sweeps[e->which][1]);
    if (e->which) p.mMinVelocityForRestitution = 0.2f;
    world.SetPhysicsSettings(p);
    world.SetGravity(JPH::Vec3(0, 0, float(-TOSS_GRAVITY)));
    JPH::BodyCreationSettings table(plate, JPH::Vec3(0, 0, -1), JPH::Quat::sIdentity(), JPH::EMotionType::Static, 0);
    add(world, table, numbers);
    JPH::BodyID cube = add_cube(world, t->row[0], numbers);
    const JPH::BodyInterface &bodies = world.GetBodyInterfaceNoLock();
    for (int k = 1; k < t->rows; k++) {
        double x[3], q[4];
        for (int j = 0; j < per; j++) {
            world.Update(float(1.0 / (TOSS_RATE * per)), 1, scratch, jobs);
            result->steps++;
            JPH::RVec3 at = bodies.GetCenterOfMassPosition(cube);
            JPH::Quat turn = bodies.GetRotation(cube);
            x[0] = double(at.GetX()), x[1] = double(at.GetY()), x[2] = double(at.GetZ());
            q[0] = double(turn.GetW()), q[1] = double(turn.GetX()), q[2] = double(turn.GetY()), q[3] = double(turn.GetZ());
            error->deepest = fmax(error->deepest, -toss_lowest(x, q));
        }
        toss_compare(error, t->row, x, q, k, t->rows);
    }
}

int main(int argc, char **argv)
{
    static const toss_engine engines[2] = {
        {"Jolt", "10+2", throw_one, 0, 2, {TOSS_FRICTION, TOSS_RESTITUTION}, {.02, .1}, {0, 0}, {1, 1}},
        {"Jolt", "50+10", throw_one, 1, 2, {TOSS_FRICTION, TOSS_RESTITUTION}, {.02, .1}, {0, 0}, {1, 1}},
    };
    int count = toss_read_all(toss_folder(argc, argv), tosses);
    if (count < 1 || !toss_keep(kept, 0)) return 1;
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory;
    JPH::RegisterTypes();
    scratch = new JPH::TempAllocatorImpl(8 * 1024 * 1024);
    jobs = new JPH::JobSystemSingleThreaded(JPH::cMaxPhysicsJobs);
    plate = new JPH::BoxShape(JPH::Vec3(5, 5, 1));
    for (int i = 0; i < 2; i++) toss_table(&engines[i], tosses, count, argc > 2, kept);
    return 0;
}
