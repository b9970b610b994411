// tosses_bullet.cpp - the tosses in Bullet: its sequential impulses with 10 and 50 iterations, collision margin 0.1 mm.
//     tosses_bullet FOLDER [whole]
#include "tosses.h"
#include <btBulletDynamicsCommon.h>
#include <time.h>

static toss tosses[TOSS_NUMBERS];
static double kept[TOSS_NUMBERS]; /* corners by nsc at 1/592 s */

int main(int argc, char **argv)
{
    static const int sweeps[2] = {10, 50};
    int count = toss_read_all(toss_folder(argc, argv), tosses), stride = argc > 2 ? 1 : 4;
    if (count < 1 || !toss_kept(kept, 0)) return 1;
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
                btDefaultCollisionConfiguration configuration;
                btCollisionDispatcher dispatcher(&configuration);
                btDbvtBroadphase broad;
                btSequentialImpulseConstraintSolver solver;
                btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
                world.setGravity(btVector3(0, 0, btScalar(-TOSS_GRAVITY)));
                world.getSolverInfo().m_numIterations = sweeps[s];
                btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
                btBoxShape box(btVector3(btScalar(TOSS_HALF), btScalar(TOSS_HALF), btScalar(TOSS_HALF)));
                plane.setMargin(btScalar(1e-4)), box.setMargin(btScalar(1e-4));
                // friction and restitution of a pair are products
                btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, NULL, &plane));
                ground.setFriction(1), ground.setRestitution(1);
                const toss_row &r = t->row[0];
                double turned[3];
                toss_turn(r.q, r.w, turned);
                btRigidBody cube(btRigidBody::btRigidBodyConstructionInfo(btScalar(TOSS_MASS), NULL, &box,
                                                                           btVector3(btScalar(TOSS_INERTIA), btScalar(TOSS_INERTIA), btScalar(TOSS_INERTIA))));
                cube.setWorldTransform(btTransform(btQuaternion(btScalar(r.q[1]), btScalar(r.q[2]), btScalar(r.q[3]), btScalar(r.q[0])),
                                                   btVector3(btScalar(r.x[0]), btScalar(r.x[1]), btScalar(r.x[2]))));
                cube.setLinearVelocity(btVector3(btScalar(r.v[0]), btScalar(r.v[1]), btScalar(r.v[2])));
                cube.setAngularVelocity(btVector3(btScalar(turned[0]), btScalar(turned[1]), btScalar(turned[2])));
                cube.setFriction(btScalar(TOSS_FRICTION)), cube.setRestitution(btScalar(TOSS_RESTITUTION));
                cube.setActivationState(DISABLE_DEACTIVATION);
                world.addRigidBody(&ground), world.addRigidBody(&cube);
                toss_error e;
                memset(&e, 0, sizeof e);
                for (int k = 1; k < t->rows; k++) {
                    double x[3], q[4];
                    for (int j = 0; j < per; j++) {
                        world.stepSimulation(btScalar(1.0 / (TOSS_RATE * per)), 0);
                        steps++;
                        const btTransform &at = cube.getWorldTransform();
                        const btQuaternion turn = at.getRotation();
                        for (int m = 0; m < 3; m++) x[m] = double(at.getOrigin()[m]);
                        q[0] = double(turn.w()), q[1] = double(turn.x()), q[2] = double(turn.y()), q[3] = double(turn.z());
                        e.deepest = fmax(e.deepest, -toss_lowest(x, q));
                    }
                    toss_compare(&e, t->row, x, q, k, t->rows);
                }
                toss_add(&sum, &e);
                toss_differ(&more, e.corner - kept[t->number]);
                world.removeRigidBody(&cube), world.removeRigidBody(&ground);
            }
            printf("Bullet   %2d sweeps  %6d  ", sweeps[s], per * TOSS_RATE);
            toss_print(&sum);
            printf("        %6.2f | ", 1e6 * double(clock() - start) / CLOCKS_PER_SEC / steps);
            toss_print_difference(&more);
            printf(" more corners than nsc's at 1/592 s\n");
        }
    }
    return 0;
}
