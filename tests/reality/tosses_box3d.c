/* tosses_box3d.c - the tosses in Box3D, built from its source tree: with 4 sub-steps, by its defaults, and with contacts of
   240 Hz and impacts from 0.2 m/s on that bounce, as in nsc, not from 1 m/s.  Fitted are friction and restitution.
       tosses_box3d FOLDER [whole] */
#include "tosses.h"
#include <box3d/box3d.h>

static toss tosses[TOSS_NUMBERS];
static toss_kept kept;
static b3WorldId world;

static b3Vec3 vec3(double x, double y, double z)
{
    b3Vec3 v = {(float)x, (float)y, (float)z};
    return v;
}

/* Of two frictions it takes the root of the product, of two restitutions the greater. */
static b3ShapeDef surface(const double *numbers)
{
    b3ShapeDef d = b3DefaultShapeDef();
    d.baseMaterial.friction = (float)numbers[0];
    d.baseMaterial.restitution = (float)numbers[1];
    d.updateBodyMass = false;
    return d;
}

/* The table, a thick plate as it has no half-space, and the cube in its first frame */
static b3BodyId begin(const toss_row *r, const double *numbers, int tuned)
{
    b3WorldDef w = b3DefaultWorldDef();
    b3BodyDef b = b3DefaultBodyDef();
    b3ShapeDef s = surface(numbers);
    b3BoxHull plate = b3MakeBoxHull(5, 5, 1), box = b3MakeBoxHull((float)TOSS_HALF, (float)TOSS_HALF, (float)TOSS_HALF);
    b3MassData m;
    b3BodyId cube;
    double spin[3];
    w.gravity = vec3(0, 0, -TOSS_GRAVITY);
    w.workerCount = 1;
    if (tuned) w.contactHertz = 240, w.restitutionThreshold = 0.2f;
    world = b3CreateWorld(&w);
    b.position = vec3(0, 0, -1);
    b3CreateHullShape(b3CreateBody(world, &b), &s, &plate.base);
    toss_turn(r->q, r->w, spin);
    b = b3DefaultBodyDef();
    b.type = b3_dynamicBody;
    b.position = vec3(r->x[0], r->x[1], r->x[2]);
    b.rotation.s = (float)r->q[0];
    b.rotation.v = vec3(r->q[1], r->q[2], r->q[3]);
    b.linearVelocity = vec3(r->v[0], r->v[1], r->v[2]);
    b.angularVelocity = vec3(spin[0], spin[1], spin[2]);
    b.enableSleep = false;
    cube = b3CreateBody(world, &b);
    b3CreateHullShape(cube, &s, &box.base);
    m.mass = (float)TOSS_MASS;
    m.center = vec3(0, 0, 0);
    m.inertia.cx = vec3(TOSS_INERTIA, 0, 0);
    m.inertia.cy = vec3(0, TOSS_INERTIA, 0);
    m.inertia.cz = vec3(0, 0, TOSS_INERTIA);
    b3Body_SetMassData(cube, m);
    return cube;
}

static void throw_one(const toss_engine *e, const double *numbers, int per, const toss *t, toss_error *error, toss_result *r)
{
    b3BodyId cube = begin(t->row, numbers, e->which);
    int j, k;
    for (k = 1; k < t->rows; k++) {
        double x[3], q[4];
        for (j = 0; j < per; j++) {
            b3Pos p;
            b3Quat turn;
            b3World_Step(world, (float)(1.0 / (TOSS_RATE * per)), 4);
            r->steps++;
            p = b3Body_GetWorldCenter(cube);
            turn = b3Body_GetRotation(cube);
            x[0] = (double)p.x, x[1] = (double)p.y, x[2] = (double)p.z;
            q[0] = (double)turn.s, q[1] = (double)turn.v.x, q[2] = (double)turn.v.y, q[3] = (double)turn.v.z;
            error->deepest = fmax(error->deepest, -toss_lowest(x, q));
        }
        toss_compare(error, t->row, x, q, k, t->rows);
    }
    b3DestroyWorld(world);
}

int main(int argc, char **argv)
{
    static const toss_engine engines[2] = {
        {"Box3D", "default", throw_one, 0, 2, {TOSS_FRICTION, TOSS_RESTITUTION}, {.02, .1}, {0, 0}, {1, 1}},
        {"Box3D", "240 Hz", throw_one, 1, 2, {TOSS_FRICTION, TOSS_RESTITUTION}, {.02, .1}, {0, 0}, {1, 1}},
    };
    int count = toss_read_all(toss_folder(argc, argv), tosses), i;
    if (count < 1 || !toss_keep(kept, 0)) return 1;
    for (i = 0; i < 2; i++) toss_table(&engines[i], tosses, count, argc > 2, kept);
    return 0;
}
