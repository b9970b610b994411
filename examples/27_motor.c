/* A gear motor at 24 V lifts an arm of 1 kg and holds it level: a PID controller sets the voltage from an encoder that is two
   ticks late.  At rest the current, the winding's temperature and the bearing's force follow in closed form.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h) and motors (nsc_motor.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 27_motor.c -lm */
#define NSC_MAX_JOINTS 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_motor.h"
#include <math.h>
#include <stdio.h>

enum { HZ = 1000, SECONDS = 20 };
static nsc_world world;
static const nsc_real tick = NSC_R(1.0) / HZ;
static const double mass = 1.0, reach = 0.3, g = 9.81; /* [kg], of its centre from the axis [m], [m/s^2] */

/* The arm hangs down from its axis, which is y. */
static nsc_id hang_arm(const nsc_motor *motor)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_vec3 point = {0}, axis = {0}, across = {0};
    nsc_joint_def hinge;
    nsc_id arm;
    d.mass = (nsc_real)mass;
    d.inertia[0] = d.inertia[1] = NSC_R(0.03);
    d.inertia[2] = NSC_R(0.001);
    d.pose.position.z = -(nsc_real)reach;
    arm = nsc_world_add_body(&world, &d);
    hinge = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, arm);
    axis.y = -1; /* so that a positive angle lifts it towards x */
    across.x = 1;
    nsc_joint_place(&world, &hinge, point, axis, across);
    nsc_motor_mount(motor, &hinge.axis[0]);
    return nsc_world_add_joint(&world, &hinge);
}

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_motor_def maker = nsc_default_motor_def();
    nsc_pid_def gains = {NSC_R(60.0), NSC_R(80.0), NSC_R(6.0), -24, 24, NSC_R(0.002)};
    const double quarter = 1.5707963267948966;
    double highest = 0.0, risen = 0.0, needed, hot, current, rise, force;
    nsc_motor motor;
    nsc_delay encoder;
    nsc_pid pid;
    nsc_axis_state s;
    nsc_real volts, torque;
    nsc_vec3 pull, moment;
    nsc_id joint;
    int i, held = 0, good;

    maker.resistance = NSC_R(1.2);         /* [ohm] */
    maker.inductance = NSC_R(3e-4);        /* [H] */
    maker.constant = NSC_R(0.03);          /* [N m/A] */
    maker.ratio = 30;
    maker.rotor = NSC_R(2e-6);             /* [kg m^2] */
    maker.max_voltage = 24;
    maker.max_current = 8;
    maker.heat_resistance = NSC_R(5.0);    /* [K/W] */
    maker.heat_capacity = NSC_R(0.4);      /* [J/K]: a time constant of 2 s */
    if (nsc_motor_init(&motor, &maker, tick) < 0) return printf("no such motor\n"), 1;
    nsc_pid_init(&pid, &gains, tick);
    nsc_world_init(&world, &def);
    joint = hang_arm(&motor);
    if (joint < 0) return printf("%s\n", nsc_error_text(joint)), 1;
    nsc_joint_get_axis(&world, joint, 0, &s);
    nsc_delay_init(&encoder, 2, s.position);

    for (i = 1; i <= HZ * SECONDS; i++) {
        nsc_pid_step(&pid, (nsc_real)quarter, nsc_delay_step(&encoder, s.position), &volts);
        nsc_motor_step(&motor, volts, s.velocity, &torque);
        nsc_joint_set_force(&world, joint, 0, torque);
        if (nsc_world_step(&world, tick) < 0) return printf("refused\n"), 1;
        nsc_joint_get_axis(&world, joint, 0, &s);
        held += (motor.limits & NSC_MOTOR_AT_CURRENT) != 0;
        if (risen <= 0.0 && (double)s.position >= 0.9 * quarter) risen = i / (double)HZ;
        highest = fmax(highest, (double)s.position);
    }

    nsc_joint_get_force(&world, joint, &pull, &moment);
    needed = mass * g * reach / 30 / 0.03;
    hot = 5.0 * 1.2 * needed * needed;
    current = (double)motor.current, rise = (double)motor.rise, force = (double)pull.z;
    printf("risen to 90 %% in %.3f s, %.1f degrees too far; the driver held its 8 A for %d ms\n", risen,
           (highest - quarter) * 57.29578, held);
    printf("%.4f rad, to be %.4f\n", (double)s.position, quarter);
    printf("%.4f A, by the balance of moments %.4f\n", current, needed);
    printf("%.2f K above the ambient, by the heat flow %.2f\n", rise, hot);
    printf("%.4f N in the bearing, by the weight %.4f\n", force, mass * g);
    good = fabs((double)s.position - quarter) < 1e-3 && fabs(current - needed) < 2e-3 * needed && fabs(rise - hot) < 0.01 * hot &&
           fabs(force - mass * g) < 1e-3 * mass * g;
    printf("a gear motor lifted 1 kg in %.2f s and holds it: %.4f A, %.1f K warmer, as balance and heat flow say%s\n", risen, current, rise,
           good ? "" : ": NOT");
    return !good;
}
