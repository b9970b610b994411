/* A quadruped of 8 kg: a trunk and four legs of three hinges, twelve servos with stiffness, damping and limited torque.  It lies
   on its belly, stands up, and trots in place: two feet of a diagonal at a time.
   cc -std=c99 -O2 -ffp-contract=off -I.. 08_quadruped.c -lm
   Expected: the feet carry 78.5 N together at rest; while it trots, FL RR and FR RL lift in turn by some centimetres; the trunk
   stays at 0.25 m and tilts by less than 5 degrees; it wanders off slowly, for nothing holds its place; the last line says that it
   did not fall. */
#define NSC_MAX_BODIES 14
#define NSC_MAX_SHAPES 14
#define NSC_MAX_CONTACTS 32
#define NSC_MAX_JOINTS 12
#define NSC_ONLY_SIPGS
#define NSC_ARENA 0
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <stdio.h>

enum { FL, FR, RL, RR, LEGS, SWAY = 0, HIP, KNEE, HINGES, RATE = 500, HALF = RATE / 4 }; /* HALF: steps of half a gait cycle */
#define LENGTH NSC_R(0.16)    /* of thigh and shank [m] */
#define FOOT NSC_R(0.02)      /* radius [m] */
#define FOLDED NSC_R(1.38948) /* angle of the thigh to the vertical when it lies: sine 60/61, cosine 11/61 */
#define STANDS NSC_R(0.65)    /* and when it stands; the knee turns twice as far, and the foot stays under the hip */

#define BACK NSC_R(0.06)      /* the legs lean back by this [rad], to stand below the centre of mass: bent knees weigh too */

static nsc_world world;
static nsc_id trunk, link[LEGS][HINGES], joint[LEGS][HINGES];
static double worst; /* residual [m/s] */

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0};
    v.x = x, v.y = y, v.z = z;
    return v;
}

/* A body with the inertia of a box */
static nsc_id part(nsc_real mass, nsc_vec3 half, nsc_vec3 at, nsc_real cosine, nsc_real sine)
{
    nsc_body_def body = nsc_default_body_def();
    body.pose.position = at;
    body.pose.orientation.w = cosine; /* of half the turn about y */
    body.pose.orientation.y = sine;
    body.mass = mass;
    body.inertia[0] = mass / 3 * (half.y * half.y + half.z * half.z);
    body.inertia[1] = mass / 3 * (half.x * half.x + half.z * half.z);
    body.inertia[2] = mass / 3 * (half.x * half.x + half.y * half.y);
    return nsc_world_add_body(&world, &body);
}

/* Meets the ground, but no other part of the machine */
static int skin(nsc_id body, nsc_shape_def shape, nsc_real z)
{
    shape.pose.position.z = z;
    shape.friction = NSC_R(0.8);
    shape.category = 2;
    shape.mask = 1;
    return nsc_world_add_shape(&world, body, &shape);
}

static int servo(int leg, int i, nsc_id a, nsc_vec3 at, nsc_vec3 axis)
{
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, a, link[leg][i]);
    if (nsc_joint_place(&world, &d, at, axis, vec(0, 0, 1)) < 0) return -1; /* position 0 is how it lies */
    d.axis[0].drive = NSC_DRIVE_SERVO;
    d.axis[0].stiffness = NSC_R(100.0);
    d.axis[0].damping = NSC_R(2.0);
    d.axis[0].max_force = NSC_R(12.0);
    joint[leg][i] = nsc_world_add_joint(&world, &d);
    return joint[leg][i] < 0 ? -1 : 0;
}

static int setup(void)
{
    const nsc_real c = NSC_R(0.768221), s = NSC_R(0.640184), across = LENGTH * 60 / 61, down = LENGTH * 11 / 61;
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_vec3 bone = vec(NSC_R(0.015), NSC_R(0.015), LENGTH / 2);
    int i;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return -1;
    trunk = part(5, vec(NSC_R(0.2), NSC_R(0.08), NSC_R(0.06)), vec(0, 0, NSC_R(0.06)), 1, 0);
    if (skin(trunk, nsc_default_box_def(NSC_R(0.2), NSC_R(0.08), NSC_R(0.06)), 0) < 0) return -1;
    for (i = 0; i < LEGS; i++) {
        nsc_real x = i < RL ? NSC_R(0.17) : NSC_R(-0.17), side = i % 2 == 0 ? NSC_R(1.0) : NSC_R(-1.0);
        nsc_vec3 shoulder = vec(x, side * NSC_R(0.08), NSC_R(0.08)), hip = vec(x, side * NSC_R(0.12), NSC_R(0.08));
        nsc_vec3 knee = vec(x - across, hip.y, hip.z - down);
        link[i][SWAY] = part(NSC_R(0.25), vec(NSC_R(0.03), NSC_R(0.03), NSC_R(0.03)), vec(x, side * NSC_R(0.1), hip.z), 1, 0);
        link[i][HIP] = part(NSC_R(0.3), bone, vec(x - across / 2, hip.y, hip.z - down / 2), c, s);
        link[i][KNEE] = part(NSC_R(0.2), bone, vec(x - across / 2, hip.y, knee.z - down / 2), c, -s);
        if (skin(link[i][HIP], nsc_default_capsule_def(NSC_R(0.015), LENGTH / 2), 0) < 0) return -1;
        if (skin(link[i][KNEE], nsc_default_capsule_def(NSC_R(0.012), LENGTH / 2), 0) < 0) return -1;
        if (skin(link[i][KNEE], nsc_default_sphere_def(FOOT), -LENGTH / 2) < 0) return -1;
        if (servo(i, SWAY, trunk, shoulder, vec(1, 0, 0)) < 0 || servo(i, HIP, link[i][SWAY], hip, vec(0, 1, 0)) < 0) return -1;
        if (servo(i, KNEE, link[i][HIP], knee, vec(0, 1, 0)) < 0) return -1;
    }
    return 0;
}

/* Bend a leg, the thigh to this angle: the foot goes up and down below the hip.  SWAY stays at its target, 0. */
static int bend(int leg, nsc_real angle, nsc_real back)
{
    if (nsc_joint_set_target(&world, joint[leg][HIP], 0, angle - FOLDED + back, 0) < 0) return -1;
    return nsc_joint_set_target(&world, joint[leg][KNEE], 0, -2 * (angle - FOLDED), 0);
}

/* Height of a foot's sole over the ground [mm] */
static double sole(int leg)
{
    nsc_pose p;
    nsc_quat q;
    nsc_body_get_pose(&world, link[leg][KNEE], &p);
    q = p.orientation;
    return 1e3 * (double)(p.position.z - (1 - 2 * (q.x * q.x + q.y * q.y)) * LENGTH / 2 - FOOT);
}

/* Sines of roll and pitch */
static void tilt(nsc_pose *p, double *roll, double *pitch)
{
    nsc_quat q;
    nsc_body_get_pose(&world, trunk, p);
    q = p->orientation;
    *roll = 2 * (double)(q.y * q.z + q.w * q.x);
    *pitch = -2 * (double)(q.x * q.z - q.w * q.y);
}

static void show(const char *what, int i)
{
    nsc_pose p, mounting = nsc_default_body_def().pose; /* the inertial unit: in the trunk's frame */
    nsc_vec3 a, w, f;
    double roll, pitch, torque = 0;
    int leg, k;
    tilt(&p, &roll, &pitch);
    nsc_body_get_imu(&world, trunk, mounting, &a, &w);
    printf("%5.2f %-7s %6.3f %5.1f %5.1f |", i / (double)RATE, what, (double)p.position.z, roll * 57.3, pitch * 57.3);
    for (leg = 0; leg < LEGS; leg++) {
        nsc_axis_state x;
        nsc_body_get_contact_force(&world, link[leg][KNEE], &f, NULL);
        printf(" %5.1f", (double)f.z);
        for (k = 0; k < HINGES; k++) {
            nsc_joint_get_axis(&world, joint[leg][k], 0, &x);
            if ((double)x.drive > torque) torque = (double)x.drive;
            if (-(double)x.drive > torque) torque = -(double)x.drive;
        }
    }
    printf(" | %4.0f %4.0f %4.0f %4.0f |", sole(FL), sole(FR), sole(RL), sole(RR));
    printf(" %5.1f %5.1f %5.1f  %5.2f %5.2f %5.2f | %4.1f\n", (double)a.x, (double)a.y, (double)a.z, (double)w.x, (double)w.y,
           (double)w.z, torque);
}

int main(void)
{
    const int up = 2 * RATE, go = 3 * RATE, end = 11 * RATE;
    nsc_pose p;
    double roll, pitch, low = 1, most = 0, sum = 0;
    int i, leg, lifted[2] = {0}, odd = 0;
    if (setup() < 0) return 1;
    printf("one world: %lu bytes; %d steps a second\n", (unsigned long)sizeof world, RATE);
    printf("t [s]         trunk  roll pitch | foot forces [N]         | soles [mm]          | accelerometer [m/s2] gyro [rad/s]"
           "      | most N m\n              [m]   [deg] [deg] |  FL    FR    RL    RR   |  FL   FR   RL   RR  |\n");
    for (i = 0; i <= end; i++) {
        nsc_real t = (nsc_real)i / (nsc_real)up, s = t < 1 ? t * t * (3 - 2 * t) : 1; /* rises smoothly */
        int pair = (i - go) / HALF % 2;                                             /* 0: FL and RR lift */
        nsc_real phase = (nsc_real)((i - go) % HALF) / HALF, lift = 4 * phase * (1 - phase);
        if (i % RATE == 0 && i <= go) show(i == 0 ? "lies" : i < up ? "rises" : "stands", i);
        else if (i > go && (i - go) % (2 * RATE) >= 2 * RATE - 2 * HALF && (i - go) % HALF == HALF / 2) show("trots", i);
        tilt(&p, &roll, &pitch);
        for (leg = 0; leg < LEGS; leg++) {
            int swings = i >= go && (leg == FL || leg == RR) == (pair == 0);
            nsc_real angle = FOLDED + s * (STANDS - FOLDED) + (swings ? NSC_R(0.3) * lift : 0);
            if (bend(leg, angle, s * BACK) < 0) return 1;
        }
        if (nsc_world_step(&world, NSC_R(1.0) / RATE) < 0) return 1;
        if ((double)nsc_world_report(&world)->solver.residual > worst) worst = (double)nsc_world_report(&world)->solver.residual;
        sum += nsc_world_report(&world)->solver.iterations;
        if (i < up) continue;
        if ((double)p.position.z < low) low = (double)p.position.z;
        if (roll * roll + pitch * pitch > most) most = roll * roll + pitch * pitch;
        if (i < go) continue;
        lifted[0] += sole(FL) > 5 && sole(RR) > 5;
        lifted[1] += sole(FR) > 5 && sole(RL) > 5;
        odd += (sole(FL) > 5 || sole(RR) > 5) && (sole(FR) > 5 || sole(RL) > 5);
    }
    printf("FL RR in the air %.0f %% of the trot, FR RL %.0f %%, feet of both pairs %.0f %%; walked off by %.3f %.3f m\n",
           100.0 * lifted[0] / (end - go), 100.0 * lifted[1] / (end - go), 100.0 * odd / (end - go), (double)p.position.x,
           (double)p.position.y);
    printf("iterations %.0f a step, residual at most %.0e m/s\n", sum / end, worst);
    i = low > 0.2 && most < 0.04 && lifted[0] > (end - go) / 5 && lifted[1] > (end - go) / 5;
    printf("trunk never below %.3f m, tilt at most %.1f degrees: %s\n", low, 57.3 * (double)NSC_SQRT((nsc_real)most),
           i ? "did not fall" : "NOT AS EXPECTED");
    return !i;
}
