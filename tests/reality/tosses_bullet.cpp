// tosses_bullet.cpp - the tosses in Bullet: its sequential impulses with 10 and 50 iterations, collision margin 0.1 mm.  Fitted are
// friction and restitution.
//     tosses_bullet FOLDER [whole]
#include "tosses.h"
#include <btBulletDynamicsCommon.h>

static toss tosses[TOSS_NUMBERS];
static toss_kept kept;

static void throw_one(const toss_engine *e, const double *numbers, int per, const toss *t, toss_error *error, toss_result *result)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-TOSS_GRAVITY)));
    world.getSolverInfo().m_numIterations = e->which;
    btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
    btBoxShape box(btVector3(btScalar(TOSS_HALF), btScalar(TOSS_HALF), btScalar(TOSS_HALF)));
    plane.setMargin(btScalar(1e-4)), box.setMargin(btScalar(1e-4));
    // friction and restitution of a pair are products
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, NULL, &plane));
    ground.setFriction(1), ground.setRestitution(1);
    const toss_row &r = t->row[0];
    double turned[3];
    toss_turn(r.q, r.w, turned);
    const btVector3 inertia(btScalar(TOSS_INERTIA), btScalar(TOSS_INERTIA), btScalar(TOSS_INERTIA));
    btRigidBody cube(btRigidBody::btRigidBodyConstructionInfo(btScalar(TOSS_MASS), NULL, &box, inertia));
    cube.setWorldTransform(btTransform(btQuaternion(btScalar(r.q[1]), btScalar(r.q[2]), btScalar(r.q[3]), btScalar(r.q[0])),
                                       btVector3(btScalar(r.x[0]), btScalar(r.x[1]), btScalar(r.x[2]))));
    cube.setLinearVelocity(btVector3(btScalar(r.v[0]), btScalar(r.v[1]), btScalar(r.v[2])));
    cube.setAngularVelocity(btVector3(btScalar(turned[0]), btScalar(turned[1]), btScalar(turned[2])));
    cube.setFriction(btScalar(numbers[0])), cube.setRestitution(btScalar(numbers[1]));
    cube.setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(&ground), world.addRigidBody(&cube);
    for (int k = 1; k < t->rows; k++) {
        double x[3], q[4];
        for (int j = 0; j < per; j++) {
            world.stepSimulation(btScalar(1.0 / (TOSS_RATE * per)), 0);
            result->steps++;
            const btTransform &at = cube.getWorldTransform();
            const btQuaternion turn = at.getRotation();
            for (int m = 0; m < 3; m++) x[m] = double(at.getOrigin()[m]);
            q[0] = double(turn.w()), q[1] = double(turn.x()), q[2] = double(turn.y()), q[3] = double(turn.z());
            error->deepest = fmax(error->deepest, -toss_lowest(x, q));
        }
        toss_compare(error, t->row, x, q, k, t->rows);
    }
    world.removeRigidBody(&cube), world.removeRigidBody(&ground);
}

int main(int argc, char **argv)
{
    static const toss_engine engines[2] = {
        {"Bullet", "10 sweeps", throw_one, 10, 2, {TOSS_FRICTION, TOSS_RESTITUTION}, {.02, .1}, {0, 0}, {1, 1}},
        {"Bullet", "50 sweeps", throw_one, 50, 2, {TOSS_FRICTION, TOSS_RESTITUTION}, {.02, .1}, {0, 0}, {1, 1}},
    };
    int count = toss_read_all(toss_folder(argc, argv), tosses);
    if (count < 1 || !toss_keep(kept, 0)) return 1;
    for (int i = 0; i < 2; i++) toss_table(&engines[i], tosses, count, argc > 2, kept);
    return 0;
}
