/* peer_box3d.c - Box3D in count-peers: SUBSTEPS in a step, no sleep, one worker. */
#include "peer.h"
#include <box3d/box3d.h>

static b3WorldId world;
static b3BodyId ids[BODIES];
static float step_length;

static b3Vec3 to_b3(place p)
{
    b3Vec3 v = {p.x, p.y, p.z};
    return v;
}

static void *take(int32_t size, int32_t align) { return peer_take((size_t)size, (size_t)align); }

static b3ShapeDef shape_def(void)
{
    b3ShapeDef d = b3DefaultShapeDef();
    d.baseMaterial.friction = FRICTION;
    d.baseMaterial.restitution = 0.0f;
    d.updateBodyMass = false;
    return d;
}

/* Its axis is the z of both frames: a quarter turn about x takes z to -y. */
static void add_link(b3BodyId ground, int i)
{
    b3RevoluteJointDef d = b3DefaultRevoluteJointDef();
    b3Quat quarter = {{0.70710678f, 0.0f, 0.0f}, 0.70710678f};
    place left = {-0.5f * LINK, 0.0f, 0.0f}, right = {i ? 0.5f * LINK : 0.0f, 0.0f, 0.0f};
    d.base.bodyIdA = i ? ids[i - 1] : ground;
    d.base.bodyIdB = ids[i];
    d.base.localFrameA.p = to_b3(right);
    d.base.localFrameB.p = to_b3(left);
    d.base.localFrameA.q = d.base.localFrameB.q = quarter;
    if (SCENE == SCENE_WHEELS) {
        place wheel = place_of(i), hub = {0.0f, 0.0f, 0.0f};
        d.base.bodyIdA = ids[0];
        wheel.z -= place_of(0).z;
        d.base.localFrameA.p = to_b3(wheel);
        d.base.localFrameB.p = to_b3(hub);
        d.enableMotor = true;
        d.motorSpeed = -WHEEL_SPEED; /* about -y */
        d.maxMotorTorque = WHEEL_TORQUE;
    }
    b3CreateRevoluteJoint(world, &d);
}

static void add_body(int i)
{
    place inertia = inertia_of(i), x = {0.0f, 0.0f, 0.0f}, y = x, z = x;
    b3ShapeDef shape = shape_def();
    b3BodyDef d = b3DefaultBodyDef();
    b3MassData m;
    d.type = b3_dynamicBody;
    d.position = to_b3(place_of(i));
    ids[i] = b3CreateBody(world, &d);
    if (SCENE == SCENE_BALLS) {
        b3Sphere ball = {{0.0f, 0.0f, 0.0f}, ball_radius(i)};
        b3CreateSphereShape(ids[i], &shape, &ball);
    } else if (SCENE == SCENE_WHEELS && i > 0) {
        b3Capsule tyre = {{0.0f, -0.5f * TYRE, 0.0f}, {0.0f, 0.5f * TYRE, 0.0f}, WHEEL};
        b3CreateCapsuleShape(ids[i], &shape, &tyre);
    } else if (!HINGES) {
        b3BoxHull cube = b3MakeCubeHull(HALF);
        b3CreateHullShape(ids[i], &shape, &cube.base);
    }
    x.x = inertia.x;
    y.y = inertia.y;
    z.z = inertia.z;
    m.mass = 1.0f;
    m.center.x = m.center.y = m.center.z = 0.0f;
    m.inertia.cx = to_b3(x);
    m.inertia.cy = to_b3(y);
    m.inertia.cz = to_b3(z);
    b3Body_SetMassData(ids[i], m);
}

void peer_build(float step)
{
    b3WorldDef def;
    b3BodyDef fixed = b3DefaultBodyDef();
    b3BodyId ground;
    int i;
    step_length = step;
    b3SetAllocator(take, peer_give);
    def = b3DefaultWorldDef();
    def.gravity.x = def.gravity.y = 0.0f;
    def.gravity.z = -GRAVITY;
    def.enableSleep = false;
    def.workerCount = 1;
    world = b3CreateWorld(&def);
    ground = b3CreateBody(world, &fixed);
    if (SCENE != SCENE_CHAIN) {
        b3Vec3 below = {0.0f, 0.0f, -1.0f};
        b3BoxHull plate = b3MakeOffsetBoxHull(25.0f, 25.0f, 1.0f, below);
        b3ShapeDef shape = shape_def();
        b3CreateHullShape(ground, &shape, &plate.base);
    }
    for (i = 0; i < BODIES; i++) {
        add_body(i);
        if (SCENE == SCENE_CHAIN || (SCENE == SCENE_WHEELS && i > 0)) add_link(ground, i);
    }
}

void peer_step(void) { b3World_Step(world, step_length, SUBSTEPS); }

void peer_pose(int i, float *pose)
{
    b3Pos p = b3Body_GetPosition(ids[i]);
    b3Quat q = b3Body_GetRotation(ids[i]);
    pose[0] = p.x;
    pose[1] = p.y;
    pose[2] = p.z;
    pose[3] = q.s;
    pose[4] = q.v.x;
    pose[5] = q.v.y;
    pose[6] = q.v.z;
}
