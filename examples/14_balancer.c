/* A robot on two wheels balances: state feedback at 500 Hz, by effort drives, from an inertial unit
   and wheel encoders.  It starts tilted, is pushed after 2 s, and stands again.  Also runs on a
   Cortex-M4F: firmware/balancer.c.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h) and the inertial
   unit (nsc_imu.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 14_balancer.c -lm */
#define NSC_MAX_BODIES 4 /* ground, trunk, two wheels */
#define NSC_MAX_SHAPES 4
#define NSC_MAX_CONTACTS 8
#define NSC_MAX_JOINTS 2
#define NSC_MAX_JOINT_BLOCKS 6
#define NSC_MAX_MANIFOLDS 0 /* no boxes lie on each other */
#define NSC_GEARS 0 /* nor are there gears */
#define NSC_IMU 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>
#include <stdio.h>

#define RATE 500                     /* [Hz] */
#define RADIUS NSC_R(0.05)           /* of a wheel [m] */
#define ROTOR NSC_R(1.8e-4)          /* inertia of a motor, 2e-7 kg m^2, behind a gear of 30 [kg m^2] */
#define EFFORT NSC_R(0.3)            /* most a motor gives at its wheel [N m] */

static nsc_world world;
static nsc_id trunk, wheel[2], motor[2];
static nsc_real tilt; /* what the robot believes [rad] */

static nsc_id part(nsc_real mass, nsc_shape_def shape, nsc_real x, nsc_real y, nsc_real z, nsc_real angle)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position.x = x;
    body.pose.position.y = y;
    body.pose.position.z = z;
    body.pose.orientation.y = angle / 2; /* small: about y */
    body.pose.orientation.w = NSC_SQRT(1 - angle * angle / 4);
    id = nsc_world_add_body(&world, &body);
    if (id < 0 || nsc_world_add_shape(&world, id, &shape) < 0) return -1;
    return nsc_body_set_mass(&world, id, mass) < 0 ? -1 : id;
}

/* A kilogram whose centre is 0.2 m over the axle of two wheels of 60 g, tilted by 0.1 rad */
static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), rim = nsc_default_sphere_def(RADIUS);
    const nsc_real angle = NSC_R(0.1), up = NSC_R(0.2);
    int i;
    def.solver.max_iterations = 20; /* with 10 it stands too, but some cm off; with 6 it falls: 13_tune.c finds such numbers */
    rim.friction = 1;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return -1;
    trunk = part(1, nsc_default_box_def(NSC_R(0.03), NSC_R(0.05), NSC_R(0.1)), angle * up, 0, RADIUS + up, angle);
    for (i = 0; i < 2; i++) {
        nsc_joint_def axle;
        nsc_vec3 at = {0, 0, RADIUS}, y = {0, 1, 0}, none = {0, 0, 0};
        at.y = i ? NSC_R(-0.08) : NSC_R(0.08);
        wheel[i] = part(NSC_R(0.06), rim, 0, at.y, at.z, 0);
        if (trunk < 0 || wheel[i] < 0) return -1;
        axle = nsc_default_joint_def(NSC_JOINT_HINGE, trunk, wheel[i]);
        nsc_joint_place(&world, &axle, at, y, none);
        axle.axis[0].drive = NSC_DRIVE_FORCE;
        axle.axis[0].max_force = EFFORT;
        axle.axis[0].armature = ROTOR;
        motor[i] = nsc_world_add_joint(&world, &axle);
        if (motor[i] < 0) return -1;
    }
    tilt = 0; /* it does not know that it is tilted */
    return 0;
}

/* What the microcontroller does in each tick: read its sensors, estimate the tilt, drive both motors. */
static int control(void)
{
    nsc_pose unit = {{0, 0, NSC_R(-0.15)}, {1, 0, 0, 0}}; /* how it is mounted, in the trunk's frame */
    nsc_vec3 force, rate;
    nsc_real place = 0, speed = 0, effort;
    int i, code = nsc_body_get_imu(&world, trunk, unit, &force, &rate);
    for (i = 0; i < 2 && code == NSC_OK; i++) {
        nsc_axis_state encoder;
        code = nsc_joint_get_axis(&world, motor[i], 0, &encoder);
        place += RADIUS * encoder.position / 2;
        speed += RADIUS * encoder.velocity / 2;
    }
    if (code < 0) return code;
    /* The gyroscope is quick, the accelerometer knows where down is, in the mean. */
    tilt += rate.y / RATE;
    if (world.step_count > 0) tilt += NSC_R(0.002) * (-force.x / NSC_R(9.81) - tilt);
    place += RADIUS * tilt; /* encoders count from the trunk */
    speed += RADIUS * rate.y;
    /* Linear quadratic regulator for the weights 20, 2, 40, 1 of the state and 60 of the effort */
    effort = NSC_R(0.551) * place + NSC_R(0.519) * speed + NSC_R(2.143) * tilt + NSC_R(0.289) * rate.y;
    for (i = 0; i < 2 && code == NSC_OK; i++) code = nsc_joint_set_force(&world, motor[i], 0, effort / 2);
    return code;
}

static int tick(int step)
{
    nsc_vec3 push = {NSC_R(5.0), 0, 0}, none = {0, 0, 0};
    int code = control();
    if (code == NSC_OK && step >= 2 * RATE && step < 2 * RATE + RATE / 10) code = nsc_body_add_force(&world, trunk, push, none);
    return code < 0 ? code : nsc_world_step(&world, NSC_R(1.0) / RATE);
}

/* True tilt [rad] and place [m] */
static void look(nsc_real *angle, nsc_real *place)
{
    nsc_pose p;
    nsc_body_get_pose(&world, trunk, &p);
    *angle = 2 * p.orientation.y * p.orientation.w;
    nsc_body_get_pose(&world, wheel[0], &p);
    *place = p.position.x;
}

#ifndef BALANCER_NO_MAIN
int main(void)
{
    nsc_real angle = 0, place = 0, most = 0;
    nsc_axis_state axis;
    int step;
    if (setup() < 0) return 1;
    printf("  time    tilt  believed    place  effort of a wheel\n");
    for (step = 0; step < 10 * RATE; step++) {
        if (tick(step) < 0) return 2;
        look(&angle, &place);
        if (step >= 2 * RATE && (place > most || -place > most)) most = place > 0 ? place : -place;
        if (step % (RATE / 2) == 0 && nsc_joint_get_axis(&world, motor[0], 0, &axis) == NSC_OK)
            printf("%4.1f s  %6.3f   %6.3f   %6.3f m  %6.3f N m\n", (double)step / RATE, (double)angle, (double)tilt, (double)place,
                   (double)axis.drive);
    }
    printf("a robot on two wheels, pushed by 0.5 N s, rolled %.2f m and came back: 8 s later %.1f mm away, leaning %.2f mrad\n",
           (double)most, 1e3 * fabs((double)place), 1e3 * fabs((double)angle));
    return angle * angle < NSC_R(1e-4) && place * place < NSC_R(4e-4) ? 0 : 3;
}
#endif
