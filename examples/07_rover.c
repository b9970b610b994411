/* A rover of 2 kg on hilly ground: four cylinders on hinges, a motor of at most 0.3 N m on each, no
   springs, and a height field.  It keeps its course by turning the wheels of one side faster, as
   such machines do.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h), cylinders
   (nsc_convex.h, nsc_support.h) and height fields (nsc_terrain.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 07_rover.c -lm
   Expected: it crosses a ridge and two bumps at about 0.5 m/s and stands on a plateau 0.25 m up;
   the motors spend more than the climb needs (4.9 J), never less: the last line says so.  Now and
   then a wheel hangs in the air; and when none does, the load on four wheels without springs is not
   determinate: what is printed is one of the answers. */
#define NSC_MAX_BODIES 6
#define NSC_MAX_SHAPES 6
#define NSC_MAX_CONTACTS 32
#define NSC_MAX_JOINTS 4
#define NSC_CONVEX 1
#define NSC_TERRAIN 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <stdio.h>

enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS, NX = 51, NY = 17, RATE = 250 };
#define CELL NSC_R(0.1)
#define RADIUS NSC_R(0.06)
#define CRUISE (NSC_R(0.5) / RADIUS) /* [rad/s] */
#define DROOP NSC_R(0.1)             /* [N m s/rad]; NSC_DRIVE_MOTOR would not give way at all, and the wheels would fight */

static nsc_world world;
static nsc_id chassis, wheel[WHEELS], hinge[WHEELS];
static nsc_real heights[NX * NY];
static nsc_heights ground = {heights, NX, NY, CELL, CELL, 0, 0};
static const nsc_heights *const grounds = &ground;

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0};
    v.x = x, v.y = y, v.z = z;
    return v;
}

/* A hill of height 1 and radius 1 */
static nsc_real hill(nsc_real x, nsc_real y)
{
    nsc_real s = 1 - x * x - y * y;
    return s > 0 ? s * s : 0;
}

static nsc_real ground_at(nsc_real x, nsc_real y)
{
    nsc_real ridge = NSC_R(0.12) * hill((x + NSC_R(0.9)) / NSC_R(0.7), 0);
    nsc_real left = NSC_R(0.08) * hill((x - NSC_R(0.1)) / NSC_R(0.4), (y - NSC_R(0.2)) / NSC_R(0.4));
    nsc_real right = NSC_R(0.06) * hill((x - NSC_R(0.6)) / NSC_R(0.4), (y + NSC_R(0.2)) / NSC_R(0.4));
    nsc_real up = (x - NSC_R(1.0)) / NSC_R(0.9);
    up = up < 0 ? 0 : up > 1 ? 1 : up;
    return ridge + left + right + NSC_R(0.25) * up * up * (3 - 2 * up);
}

static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def field = nsc_default_height_field_def(), shape = nsc_default_box_def(NSC_R(0.15), NSC_R(0.08), NSC_R(0.04));
    nsc_body_def body = nsc_default_body_def();
    int i, j;
    def.solver.symmetric = 1; /* sweeps there and back: better along chains of joints */
    if (nsc_world_init(&world, &def) < 0) return -1;
    for (j = 0; j < NY; j++)
        for (i = 0; i < NX; i++) heights[j * NX + i] = ground_at(CELL * (nsc_real)(i - NX / 2), CELL * (nsc_real)(j - NY / 2));
    field.friction = NSC_R(0.8);
    if (nsc_heights_complete(&ground) < 0 || nsc_world_set_fields(&world, &grounds, 1) < 0) return -1;
    if (nsc_world_add_height_field(&world, NSC_GROUND, &field, 0) < 0) return -1;

    shape.density = NSC_R(312.5); /* 1.2 kg */
    body.pose.position = vec(-2, 0, NSC_R(0.11));
    chassis = nsc_world_add_body(&world, &body);
    if (nsc_world_add_shape(&world, chassis, &shape) < 0) return -1;

    shape = nsc_default_cylinder_def(RADIUS, NSC_R(0.02));
    shape.density = NSC_R(442.1); /* 0.2 kg */
    shape.friction = NSC_R(0.8);
    shape.pose.orientation.w = shape.pose.orientation.x = NSC_R(0.70710678); /* its axis along y */
    for (i = 0; i < WHEELS; i++) {
        nsc_joint_def joint;
        nsc_vec3 at = vec(i < REAR_LEFT ? NSC_R(-1.88) : NSC_R(-2.12), i % 2 == 0 ? NSC_R(0.11) : NSC_R(-0.11), RADIUS);
        body.pose.position = at;
        wheel[i] = nsc_world_add_body(&world, &body);
        if (nsc_world_add_shape(&world, wheel[i], &shape) < 0) return -1;
        joint = nsc_default_joint_def(NSC_JOINT_HINGE, chassis, wheel[i]);
        if (nsc_joint_place(&world, &joint, at, vec(0, 1, 0), vec(1, 0, 0)) < 0) return -1;
        joint.axis[0].drive = NSC_DRIVE_SERVO; /* without stiffness: a motor that gives way, DROOP N m for each rad/s it lags */
        joint.axis[0].damping = DROOP;
        joint.axis[0].max_force = NSC_R(0.3);
        hinge[i] = nsc_world_add_joint(&world, &joint);
        if (hinge[i] < 0) return -1;
    }
    return 0;
}

/* The chassis's own x axis in the world */
static nsc_vec3 forward(nsc_quat q)
{
    return vec(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y));
}

static int steer(nsc_real speed, const nsc_pose *p)
{
    nsc_real turn = speed * (2 * p->position.y + 2 * forward(p->orientation).y); /* back to the line y = 0 */
    int i;
    for (i = 0; i < WHEELS; i++)
        if (nsc_joint_set_target(&world, hinge[i], 0, 0, i % 2 == 0 ? speed + turn : speed - turn) < 0) return -1;
    return 0;
}

/* Kinetic and potential energy of all that moves [J] */
static double energy(void)
{
    double e = 0;
    int i, k;
    for (i = 0; i <= WHEELS; i++) {
        nsc_id id = i < WHEELS ? wheel[i] : chassis;
        nsc_vec3 v, w;
        nsc_pose p;
        nsc_real m, I[6];
        nsc_body_get_pose(&world, id, &p);
        nsc_body_get_velocity(&world, id, &v, &w);
        nsc_body_get_mass(&world, id, &m, NULL, I);
        for (k = 1; k < 3; k++) I[0] = I[k] > I[0] ? I[k] : I[0]; /* of turning, an upper bound will do */
        e += (double)(m * (v.x * v.x + v.y * v.y + v.z * v.z) + I[0] * (w.x * w.x + w.y * w.y + w.z * w.z)) / 2;
        e += (double)(m * NSC_R(9.81) * p.position.z);
    }
    return e;
}

int main(void)
{
    nsc_axis_state axis[WHEELS];
    nsc_pose p;
    nsc_vec3 last = vec(-2, 0, 0), f;
    double spent = 0, braked = 0, path = 0, rolled = 0, start, gain, worst = 0, mean = 0, cosine, upright = 1;
    int i, k;
    if (setup() < 0) return 1;
    start = energy();
    printf("one world: %lu bytes; %d steps a second\n", (unsigned long)sizeof world, RATE);
    printf("  t      x      y      z   nose up | torques FL FR RL RR [N m]      | contact forces upward [N]\n");
    for (i = 0; i <= 10 * RATE; i++) {
        nsc_body_get_pose(&world, chassis, &p);
        f = vec(p.position.x - last.x, p.position.y - last.y, 0);
        path += (double)NSC_SQRT(f.x * f.x + f.y * f.y);
        last = p.position;
        cosine = 1 - 2 * (double)(p.orientation.x * p.orientation.x + p.orientation.y * p.orientation.y); /* of its tilt */
        if (cosine < upright) upright = cosine;
        if (i % (RATE / 2) == 0) {
            printf("%4.1f %6.3f %6.3f %6.3f %6.1f%% |", i / (double)RATE, (double)p.position.x, (double)p.position.y,
                   (double)p.position.z, 100 * (double)forward(p.orientation).z);
            for (k = 0; k < WHEELS; k++) printf(" %6.3f", i > 0 ? (double)axis[k].drive : 0.0);
            for (k = 0; k < WHEELS; k++) {
                nsc_body_get_contact_force(&world, wheel[k], &f, NULL);
                printf("%s%6.2f", k == 0 ? " | " : " ", (double)f.z);
            }
            printf("\n");
        }
        if (steer(p.position.x < NSC_R(2.1) ? CRUISE : 0, &p) < 0 || nsc_world_step(&world, NSC_R(1.0) / RATE) < 0) return 1;
        if ((double)nsc_world_report(&world)->solver.residual > worst) worst = (double)nsc_world_report(&world)->solver.residual;
        mean += nsc_world_report(&world)->solver.iterations;
        for (k = 0; k < WHEELS; k++) {
            double work;
            nsc_joint_get_axis(&world, hinge[k], 0, &axis[k]);
            work = (double)(axis[k].drive * axis[k].velocity) / RATE;
            if (work > 0) spent += work;
            else braked -= work;
        }
    }
    gain = energy() - start;
    for (k = 0; k < WHEELS; k++) rolled += (double)(axis[k].position * RADIUS) / WHEELS;
    printf("drove %.2f m, wheels rolled %.2f m; iterations %.0f a step, residual at most %.0e m/s, dropped %lu\n", path, rolled,
           mean / (10 * RATE), worst, (unsigned long)nsc_world_report(&world)->dropped_ever);
    printf("motors spent %.2f J and braked %.2f J; climb and motion took %.2f J, slip and impact %.2f J\n", spent, braked, gain,
           spent - braked - gain);
    i = p.position.x > 2 && upright > 0.5 && gain > 4 && spent - braked > gain;
    if (i) printf("a rover of four wheels crossed a ridge to a plateau 0.25 m up: motors spent %.1f J, climb and motion took %.1f J\n",
                  spent - braked, gain);
    else printf("NOT AS EXPECTED\n");
    return !i;
}
