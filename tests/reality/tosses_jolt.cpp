// tosses_jolt.cpp - the tosses in Jolt, built from its source tree: 10 velocity and 2 position steps, its
// default, and 50 and 10 with impacts from 0.2 m/s on that bounce, as in nsc, not from 1 m/s.
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
#include <time.h>

static toss tosses[TOSS_NUMBERS];
static double kept[TOSS_NUMBERS]; // corners by nsc at 1/592 s

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
static JPH::BodyID add(JPH::PhysicsSystem &world, JPH::BodyCreationSettings &b)
{
    b.mFriction = float(TOSS_FRICTION), b.mRestitution = float(TOSS_RESTITUTION);
    b.mLinearDamping = b.mAngularDamping = 0;
    b.mAllowSleeping = false;
    bool still = b.mMotionType == JPH::EMotionType::Static;
    return world.GetBodyInterfaceNoLock().CreateAndAddBody(b, still ? JPH::EActivation::DontActivate : JPH::EActivation::Activate);
}

static JPH::BodyID add_cube(JPH::PhysicsSystem &world, const toss_row &r)
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
    return add(world, b);
}

int main(int argc, char **argv)
{
    static const int sweeps[2][2] = {{10, 2}, {50, 10}};
    int count = toss_read_all(toss_folder(argc, argv), tosses), stride = argc > 2 ? 1 : 4;
    if (count < 1 || !toss_kept(kept, 0)) return 1;
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory;
    JPH::RegisterTypes();
    JPH::TempAllocatorImpl scratch(8 * 1024 * 1024);
    JPH::JobSystemSingleThreaded jobs(JPH::cMaxPhysicsJobs);
    JPH::RefConst<JPH::Shape> plate = new JPH::BoxShape(JPH::Vec3(5, 5, 1));
    for (int s = 0; s < 2; s++) {
        for (int per = 1; per <= 16; per *= 2) {
            toss_error sum;
            toss_difference more = {0, 0, 0};
            double steps = 0;
            clock_t start = clock();
            int judged = 0;
            memset(&sum, 0, sizeof sum);
            for (int i = 0; i < count; i++) {
                const toss *t = &tosses[i];
                if (i % TOSS_FIT == 0 || judged++ % stride) continue;
                JPH::PhysicsSystem world;
                world.Init(4, 0, 16, 16, tree_of_layer, trees_of_layer, pairs);
                JPH::PhysicsSettings p = world.GetPhysicsSettings();
                p.mNumVelocitySteps = JPH::uint(sweeps[s][0]), p.mNumPositionSteps = JPH::uint(sweeps[s][1]);
                if (s) p.mMinVelocityForRestitution = 0.2f;
                world.SetPhysicsSettings(p);
                world.SetGravity(JPH::Vec3(0, 0, float(-TOSS_GRAVITY)));
                JPH::BodyCreationSettings table(plate, JPH::Vec3(0, 0, -1), JPH::Quat::sIdentity(), JPH::EMotionType::Static, 0);
                add(world, table);
                JPH::BodyID cube = add_cube(world, t->row[0]);
                const JPH::BodyInterface &bodies = world.GetBodyInterfaceNoLock();
                toss_error e;
                memset(&e, 0, sizeof e);
                for (int k = 1; k < t->rows; k++) {
                    double x[3], q[4];
                    for (int j = 0; j < per; j++) {
                        world.Update(float(1.0 / (TOSS_RATE * per)), 1, &scratch, &jobs);
                        steps++;
                        JPH::RVec3 at = bodies.GetCenterOfMassPosition(cube);
                        JPH::Quat turn = bodies.GetRotation(cube);
                        x[0] = double(at.GetX()), x[1] = double(at.GetY()), x[2] = double(at.GetZ());
                        q[0] = double(turn.GetW()), q[1] = double(turn.GetX()), q[2] = double(turn.GetY()), q[3] = double(turn.GetZ());
                        e.deepest = fmax(e.deepest, -toss_lowest(x, q));
                    }
                    toss_compare(&e, t->row, x, q, k, t->rows);
                }
                toss_add(&sum, &e);
                toss_differ(&more, e.corner - kept[t->number]);
            }
            printf("Jolt     %2d+%2d      %6d  ", sweeps[s][0], sweeps[s][1], per * TOSS_RATE);
            toss_print(&sum);
            printf("        %6.2f | ", 1e6 * double(clock() - start) / CLOCKS_PER_SEC / steps);
            toss_print_difference(&more);
            printf(" more corners than nsc's at 1/592 s\n");
        }
    }
    return 0;
}
