/* tosses_box3d.c - the tosses in Box3D, built from its source tree: with 4 sub-steps, by its defaults, and with contacts of
   240 Hz and impacts from 0.2 m/s on that bounce, as in nsc, not from 1 m/s.
       tosses_box3d FOLDER [whole] */
#include "tosses.h"
#include <box3d/box3d.h>
#include <time.h>

static toss tosses[TOSS_NUMBERS];
static double kept[TOSS_NUMBERS]; /* corners by nsc at 1/592 s */
static b3WorldId world;

static b3Vec3 vec3(double x, double y, double z)
{
    b3Vec3 v = {(float)x, (float)y, (float)z};
    return v;
}

/* Of two frictions it takes the root of the product, of two restitutions the greater. */
static b3ShapeDef surface(void)
{
    b3ShapeDef d = b3DefaultShapeDef();
    d.baseMaterial.friction = (float)TOSS_FRICTION;
    d.baseMaterial.restitution = (float)TOSS_RESTITUTION;
    d.updateBodyMass = false;
    return d;
}

/* The table, a thick plate as it has no half-space, and the cube in its first frame */
static b3BodyId begin(const toss_row *r, int tuned)
{
    b3WorldDef w = b3DefaultWorldDef();
    b3BodyDef b = b3DefaultBodyDef();
    b3ShapeDef s = surface();
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

static toss_error throw(const toss *t, int per, int tuned, double *steps)
{
    b3BodyId cube = begin(t->row, tuned);
    toss_error e;
    int j, k;
    memset(&e, 0, sizeof e);
    for (k = 1; k < t->rows; k++) {
        double x[3], q[4];
        for (j = 0; j < per; j++) {
            b3Pos p;
            b3Quat turn;
            b3World_Step(world, (float)(1.0 / (TOSS_RATE * per)), 4);
            ++*steps;
            p = b3Body_GetWorldCenter(cube);
            turn = b3Body_GetRotation(cube);
            x[0] = (double)p.x, x[1] = (double)p.y, x[2] = (double)p.z;
            q[0] = (double)turn.s, q[1] = (double)turn.v.x, q[2] = (double)turn.v.y, q[3] = (double)turn.v.z;
            e.deepest = fmax(e.deepest, -toss_lowest(x, q));
        }
        toss_compare(&e, t->row, x, q, k, t->rows);
    }
    b3DestroyWorld(world);
    return e;
}

int main(int argc, char **argv)
{
    int count = toss_read_all(toss_folder(argc, argv), tosses), stride = argc > 2 ? 1 : 4, s, per;
    if (count < 1 || !toss_kept(kept, 0)) return 1;
    for (s = 0; s < 2; s++)
        for (per = 1; per <= 16; per *= 2) {
            toss_error sum;
            toss_difference more = {0, 0, 0};
            double steps = 0;
            clock_t start = clock();
            int i, judged = 0;
            memset(&sum, 0, sizeof sum);
            for (i = 0; i < count; i++) {
                toss_error e;
                if (i % TOSS_FIT == 0 || judged++ % stride) continue;
                e = throw(&tosses[i], per, s, &steps);
                toss_add(&sum, &e);
                toss_differ(&more, e.corner - kept[tosses[i].number]);
            }
            printf("Box3D    %s %6d  ", s ? "240 Hz   " : "default  ", per * TOSS_RATE);
            toss_print(&sum);
            printf("        %6.2f | ", 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / steps);
            toss_print_difference(&more);
            printf(" more corners than nsc's at 1/592 s\n");
        }
    return 0;
}
