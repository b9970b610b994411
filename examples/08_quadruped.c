/* A quadruped of 12.5 kg: a trunk and four legs of three hinges, twelve servos with stiffness,
   damping and limited torque.  The robot is the table that `python3 kit/robot.py quadruped.urdf`
   printed.  It crouches, stands up, and trots in place: two feet of a diagonal at a time.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h,
   nsc_joint_state.h), cylinders (nsc_convex.h, nsc_support.h), the inertial unit (nsc_imu.h), the
   robot's table (nsc_robot.h) and the line that says what was refused (nsc_print.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 08_quadruped.c -lm
   Expected: the feet carry 122.5 N together at rest; while it trots, FL RR and FR RL lift in turn
   by some centimetres; the trunk stays at 0.3 m and tilts by less than 5 degrees; it walks backward
   by 6 cm a second, for nothing holds its place; the last line says how far it tilted. */
#define NSC_MAX_BODIES 14
#define NSC_MAX_SHAPES 18
#define NSC_MAX_CONTACTS 32
#define NSC_MAX_JOINTS 12
#define NSC_MAX_JOINT_BLOCKS 48
#define NSC_CONVEX 1
#define NSC_IMU 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_print.h"
#include "nsc_robot.h"
#include "../tests/robots/quadruped.h"
#include <stdio.h>

enum { FL, FR, RL, RR, LEGS, SWAY = 0, HIP, KNEE, HINGES, RATE = 500, HALF = RATE / 4 }; /* HALF: steps of half a gait cycle */
#define LENGTH NSC_R(0.21)    /* of thigh and shank [m] */
#define FOOT NSC_R(0.02)      /* radius [m] */
#define FOLDED NSC_R(1.38)    /* angle of the thigh to the vertical when it crouches */
#define STANDS NSC_R(0.80)    /* and when it stands; the knee turns twice as far, and the foot stays under the hip */
#define BACK NSC_R(0.02)      /* the legs lean back by this [rad], to stand below the centre of mass */

static nsc_world world;
static nsc_id body[quadruped_LINKS], joint[quadruped_JOINTS];
static nsc_id trunk, shank[LEGS];
static int place[LEGS][HINGES]; /* of a leg's joints among the robot's */
static nsc_real target[quadruped_JOINTS];
static double worst; /* residual [m/s] */

static int setup(void)
{
    static const char *const links[LEGS] = {"FL_calf", "FR_calf", "RL_calf", "RR_calf"};
    static const char *const joints[LEGS][HINGES] = {{"FL_hip_joint", "FL_thigh_joint", "FL_calf_joint"},
                                                     {"FR_hip_joint", "FR_thigh_joint", "FR_calf_joint"},
                                                     {"RL_hip_joint", "RL_thigh_joint", "RL_calf_joint"},
                                                     {"RR_hip_joint", "RR_thigh_joint", "RR_calf_joint"}};
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_pose base = nsc_default_body_def().pose;
    int i, k;
    base.position.z = NSC_R(0.0999); /* so that folded legs just reach the ground: 2 LENGTH cos FOLDED + FOOT */
    ground.friction = NSC_R(1.28);   /* 0.8 with the robot's 0.5 */
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return -1;
    if (nsc_robot_add(&world, &quadruped, base, body, joint) < 0) return -1;
    trunk = body[0];
    for (i = 0; i < LEGS; i++) {
        shank[i] = body[nsc_robot_link(&quadruped, links[i])];
        for (k = 0; k < HINGES; k++) {
            nsc_joint_def d;
            nsc_id id;
            place[i][k] = nsc_robot_joint(&quadruped, joints[i][k]);
            id = joint[place[i][k]];
            if (nsc_joint_get_def(&world, id, &d) < 0) return -1;
            d.axis[0].drive = NSC_DRIVE_SERVO; /* its largest torque is in the table */
            d.axis[0].stiffness = NSC_R(150.0);
            d.axis[0].damping = NSC_R(3.0);
            if (nsc_joint_set_axis(&world, id, 0, &d.axis[0]) < 0) return -1;
            if (nsc_joint_set_state(&world, id, 0, k == SWAY ? 0 : k == HIP ? FOLDED : -2 * FOLDED, 0) < 0) return -1;
        }
    }
    return 0;
}

/* Bend a leg, the thigh to this angle: the foot goes up and down below the hip.  SWAY stays at its target, 0. */
static void bend(int leg, nsc_real angle, nsc_real back)
{
    target[place[leg][HIP]] = angle + back;
    target[place[leg][KNEE]] = -2 * angle;
}

/* Height of a foot's sole over the ground [mm] */
static double sole(int leg)
{
    nsc_pose p;
    nsc_quat q;
    nsc_body_get_pose(&world, shank[leg], &p);
    q = p.orientation;
    return 1e3 * (double)(p.position.z - (1 - 2 * (q.x * q.x + q.y * q.y)) * LENGTH - FOOT);
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
    printf("%5.2f %-8s %6.3f %5.1f %5.1f |", i / (double)RATE, what, (double)p.position.z, roll * 57.3, pitch * 57.3);
    for (leg = 0; leg < LEGS; leg++) {
        nsc_axis_state x;
        nsc_body_get_contact_force(&world, shank[leg], &f, NULL);
        printf(" %5.1f", (double)f.z);
        for (k = 0; k < HINGES; k++) {
            nsc_joint_get_axis(&world, joint[place[leg][k]], 0, &x);
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
    const int up = 2 * RATE, go = 3 * RATE, end = 7 * RATE;
    nsc_pose p;
    double roll, pitch, low = 1, most = 0, sum = 0;
    int i, leg, lifted[2] = {0}, odd = 0;
    if (setup() < 0) {
        nsc_print_refusal(stdout, &world, nsc_world_last_refusal(&world).code);
        return 1;
    }
    printf("one world: %lu bytes; %d steps a second\n", (unsigned long)sizeof world, RATE);
    printf("t [s]          trunk  roll pitch | foot forces [N]         | soles [mm]          | accelerometer [m/s2] gyro [rad/s]"
           "      | most N m\n               [m]   [deg] [deg] |  FL    FR    RL    RR   |  FL   FR   RL   RR  |\n");
    for (i = 0; i <= end; i++) {
        nsc_real t = (nsc_real)i / (nsc_real)up, s = t < 1 ? t * t * (3 - 2 * t) : 1; /* rises smoothly */
        int pair = (i - go) / HALF % 2;                                             /* 0: FL and RR lift */
        nsc_real phase = (nsc_real)((i - go) % HALF) / HALF, lift = 4 * phase * (1 - phase);
        if (i % RATE == 0 && i <= go) show(i == 0 ? "crouches" : i < up ? "rises" : "stands", i);
        else if (i > go && (i - go) % (2 * RATE) >= 2 * RATE - 2 * HALF && (i - go) % HALF == HALF / 2) show("trots", i);
        tilt(&p, &roll, &pitch);
        for (leg = 0; leg < LEGS; leg++) {
            int swings = i >= go && (leg == FL || leg == RR) == (pair == 0);
            nsc_real angle = FOLDED + s * (STANDS - FOLDED) + (swings ? NSC_R(0.3) * lift : 0);
            bend(leg, angle, s * BACK);
        }
        if (nsc_robot_set_targets(&world, &quadruped, joint, target, NULL) < 0) return 1;
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
    printf("a quadruped of twelve servos stood up and trotted %d s: trunk never below %.3f m, tilt at most %.1f degrees%s\n",
           (end - go) / RATE, low, 57.3 * (double)NSC_SQRT((nsc_real)most), i ? "" : ": NOT AS EXPECTED");
    return !i;
}
