/* nsc_motor.h - electric motors, delays, PID controllers: what stands between a command and a joint
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h; nsc_joints.h for nsc_motor_mount.

   EXAMPLE  A wheel at 1 kHz, by voltage, with a delay of two ticks to the driver
       nsc_motor_def def = nsc_default_motor_def();
       def.resistance = NSC_R(0.6);
       def.inductance = NSC_R(1e-4);
       def.constant = NSC_R(0.03);
       def.ratio = 30;
       def.rotor = NSC_R(2e-6);
       def.max_voltage = 24;
       def.delay = 2;
       code = nsc_motor_init(&motor, &def, h);
       nsc_motor_mount(&motor, &hinge.axis[0]);            before nsc_world_add_joint
       ... in each tick:
       nsc_joint_get_axis(&world, joint, 0, &s);
       nsc_pid_step(&pid, wanted, s.velocity, &volts);
       nsc_motor_step(&motor, volts, s.velocity, &torque);
       nsc_joint_set_force(&world, joint, 0, torque);
       nsc_world_step(&world, h);

   MODEL  L di/dt = u - R i - k w, torque k i, w = ratio times the axis's velocity; a winding of one
   temperature, heated by R i^2.  Within a tick u and w are constant, and both equations are solved
   exactly for its length: current and temperature are stable however short L / R is beside the
   tick, the torque is the mean of the tick.  The motion is not solved here: the back-EMF damps the
   axis by (ratio k)^2 / R with what w was, which is stable for ticks below twice the mechanical
   time constant J R / (ratio k)^2 of all that turns, J at the axis; accurate, far below it.
   Of linear axes lengths stand for angles and forces for torques.

   SAME BITS  + - * / sqrt in a fixed order; exponentials are found at initialisation, likewise.

   ERRORS  Each call of type int returns 0 or an error, and then nothing has changed:
       NSC_ERR_ARGUMENT    NULL, or a field beyond the range given there
       NSC_ERR_NOT_FINITE  an input, or a result that would overflow
       NSC_ERR_CAPACITY    a delay of more than NSC_DELAY_TICKS */
#ifndef NSC_MOTOR_H
#define NSC_MOTOR_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

#ifndef NSC_DELAY_TICKS
#define NSC_DELAY_TICKS 16       /* longest delay */
#endif

NSCI_C_BEGIN

/* A ring buffer: what goes in comes out so many calls later; with 0 in the same call. */
typedef struct nsc_delay {
    int ticks, at;
    nsc_real value[NSC_DELAY_TICKS];
} nsc_delay;

/* Until then `value` comes out.  ticks: 0..NSC_DELAY_TICKS */
NSC_API int nsc_delay_init(nsc_delay *delay, int ticks, nsc_real value);
NSC_API nsc_real nsc_delay_step(nsc_delay *delay, nsc_real value);

/* What a command is: VOLTAGE at the winding [V], CURRENT in it [A], which the driver reaches at the
   end of the tick if its voltage allows */
enum { NSC_MOTOR_VOLTAGE = 0, NSC_MOTOR_CURRENT = 1 };

typedef struct nsc_motor_def {
    int command;                 /* NSC_MOTOR_*; default NSC_MOTOR_VOLTAGE */
    int delay;                   /* of the command [ticks]; default 0 */
    nsc_real resistance;         /* [ohm] > 0, of the hot winding; usual: 0.05 .. 20 */
    nsc_real inductance;         /* [H] >= 0; 0, the default: the current follows at once */
    nsc_real constant;           /* torque a current [N m/A], which is back-EMF a rate [V s/rad], of
                                    the rotor, > 0; a motor of kv [rpm/V] has about 9.55 / kv */
    nsc_real ratio;              /* of the gear: turns of the rotor for one of the axis, not 0;
                                    default 1 */
    nsc_real rotor;              /* inertia of the rotor [kg m^2] >= 0; default 0 */
    nsc_real friction, damping;  /* of the rotor [N m], [N m s/rad] >= 0; default 0 */
    nsc_real max_voltage;        /* of the driver, either way [V] > 0; default: none */
    nsc_real max_current;        /* to which the driver holds the current [A] > 0; default: none */
    nsc_real heat_resistance;    /* from winding to ambient [K/W] >= 0; 0, the default: no heat */
    nsc_real heat_capacity;      /* of the winding [J/K] > 0 where heat_resistance is */
    nsc_real max_rise;           /* temperature above the ambient [K] > 0, to which the driver holds
                                    the winding by lowering its max_current, which the current of an
                                    inductance follows later: up to a third above it where L / R
                                    and the time of heating are some ticks; default: none */
} nsc_motor_def;

enum { NSC_MOTOR_AT_VOLTAGE = 1, NSC_MOTOR_AT_CURRENT = 2, NSC_MOTOR_AT_HEAT = 4 };
typedef struct nsc_motor {
    nsc_motor_def def;
    nsc_real current;            /* at the end of the last tick [A] */
    nsc_real voltage;            /* of the driver in it [V] */
    nsc_real rise;               /* temperature above the ambient [K] */
    int limits;                  /* NSC_MOTOR_AT_*, those that were reached in the last tick */
    nsc_delay delay;
    nsc_real settle;             /* of a tick: 1 - exp(-h R / L), */
    nsc_real mean, square;       /* means of exp(-t R / L) and of its square, */
    nsc_real heat;               /* 1 - exp(-h / thermal time constant) */
} nsc_motor;

NSC_API nsc_motor_def nsc_default_motor_def(void);

/* h: the tick [s] > 0.  The motor is cold, without current. */
NSC_API int nsc_motor_init(nsc_motor *motor, const nsc_motor_def *def, nsc_real h);

/* A tick: command [V or A]; velocity of the axis [rad/s], the true one.  torque: what the rotor
   exerts on the axis in this tick, mean [N m].  Cost: 60 operations. */
NSC_API int nsc_motor_step(nsc_motor *motor, nsc_real command, nsc_real velocity,
                           nsc_real *torque);

#if NSC_MAX_JOINTS > 0
/* Give an axis what of the motor is mechanical: armature ratio^2 rotor, friction, damping, and a
   drive by force. */
NSC_API void nsc_motor_mount(const nsc_motor *motor, nsc_axis_def *axis);
#endif

/* A PID controller: p e + integral of i e - d rate, e = target - value, held within low .. high.
   The integral, too, is held within low .. high and 0, and stands while the output is held and e
   would drive it further; the rate is that of the value, so that a jump of the target gives no
   kick. */
typedef struct nsc_pid_def {
    nsc_real p, i, d;            /* any sign; [output / value], with [1/s], [s] */
    nsc_real low, high;          /* of the output, low < high */
    nsc_real filter;             /* time constant of the rate's low pass [s] >= 0 */
} nsc_pid_def;

typedef struct nsc_pid {
    nsc_pid_def def;
    nsc_real integral, rate, before; /* [output], [value / s], [value] */
    nsc_real h, settle;
    int begun;                   /* 0: there is no value before */
} nsc_pid;

/* h: the tick [s] > 0 */
NSC_API int nsc_pid_init(nsc_pid *pid, const nsc_pid_def *def, nsc_real h);
NSC_API int nsc_pid_step(nsc_pid *pid, nsc_real target, nsc_real value, nsc_real *output);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_MOTOR_DONE)
#define NSC_MOTOR_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* 1 - exp(-x) for x >= 0, to rounding: the series for a part of x, then doubled */
static nsc_real nsci_settle(nsc_real x)
{
    nsc_real s = 1;
    int k, doubled = 0;
    if (!(x < 64))
        return 1;
    for (; x > NSC_R(0.125); x *= NSC_R(0.5))
        doubled++;
    for (k = 12; k > 1; k--)
        s = 1 - x / (nsc_real)k * s;
    for (s *= x; doubled > 0; doubled--)
        s *= 2 - s;
    return s;
}

NSC_API int nsc_delay_init(nsc_delay *d, int ticks, nsc_real value)
{
    int i;
    if (!d || ticks < 0)
        return NSC_ERR_ARGUMENT;
    if (ticks > NSC_DELAY_TICKS)
        return NSC_ERR_CAPACITY;
    if (!nsci_finite(value))
        return NSC_ERR_NOT_FINITE;
    d->ticks = ticks;
    d->at = 0;
    for (i = 0; i < NSC_DELAY_TICKS; i++)
        d->value[i] = value;
    return NSC_OK;
}

NSC_API nsc_real nsc_delay_step(nsc_delay *d, nsc_real value)
{
    nsc_real old;
    if (d->ticks == 0)
        return value;
    old = d->value[d->at];
    d->value[d->at] = value;
    d->at = d->at + 1 < d->ticks ? d->at + 1 : 0;
    return old;
}

NSC_API nsc_motor_def nsc_default_motor_def(void)
{
    nsc_motor_def d;
    nsci_clear(&d, sizeof d);
    d.ratio = 1;
    d.max_voltage = d.max_current = d.max_rise = NSC_REAL_MAX;
    return d;
}

NSC_API int nsc_motor_init(nsc_motor *m, const nsc_motor_def *def, nsc_real h)
{
    nsc_motor_def d;
    nsc_delay delay;
    nsc_real x, settle, heat;
    int code;
    if (!m || !def)
        return NSC_ERR_ARGUMENT;
    NSC_MEMCPY(&d, def, sizeof d);
    if (!nsci_all_finite(&d.resistance, 12) || !nsci_finite(h))
        return NSC_ERR_NOT_FINITE;
    if (!(h > 0) || (d.command != NSC_MOTOR_VOLTAGE && d.command != NSC_MOTOR_CURRENT) ||
        !(d.resistance > 0) || d.inductance < 0 || !(d.constant > 0) || !(nsci_abs(d.ratio) > 0) ||
        d.rotor < 0 || d.friction < 0 || d.damping < 0 || !(d.max_voltage > 0) ||
        !(d.max_current > 0) || d.heat_resistance < 0 || !(d.max_rise > 0) ||
        (d.heat_resistance > 0 && !(d.heat_capacity > 0)))
        return NSC_ERR_ARGUMENT;
    code = nsc_delay_init(&delay, d.delay, 0);
    if (code < 0)
        return code;
    x = d.heat_resistance * d.heat_capacity;
    heat = x > 0 ? nsci_settle(h / x) : 0;
    x = h * d.resistance / d.inductance;
    settle = d.inductance > 0 && nsci_finite(x) ? nsci_settle(x) : 1;
    if (!(settle > 0) || (d.heat_resistance > 0 && !(heat > 0)))
        return NSC_ERR_ARGUMENT;
    nsci_clear(m, sizeof *m);
    NSC_MEMCPY(&m->def, &d, sizeof d);
    NSC_MEMCPY(&m->delay, &delay, sizeof delay);
    m->settle = settle;
    m->heat = heat;
    if (d.inductance > 0 && nsci_finite(x)) {
        m->mean = settle / x;
        m->square = settle * (2 - settle) / (2 * x);
    }
    return NSC_OK;
}

/* The voltage that takes the current to `goal` in this tick, as far as the driver has it */
static nsc_real nsci_motor_reach(const nsc_motor *m, nsc_real goal, nsc_real back)
{
    nsc_real kept = m->current * (1 - m->settle);
    return nsci_clamp(m->def.resistance * ((goal - kept) / m->settle) + back, -m->def.max_voltage,
                      m->def.max_voltage);
}

/* Most current: what takes the winding to its temperature in this tick, if that is less */
static nsc_real nsci_motor_limit(const nsc_motor *m)
{
    nsc_real rise, of_square = m->def.resistance * m->def.heat_resistance;
    if (!(m->heat > 0) || m->def.max_rise >= NSC_REAL_MAX)
        return m->def.max_current;
    rise = (m->def.max_rise - m->rise * (1 - m->heat)) / m->heat;
    return nsci_min(m->def.max_current, NSC_SQRT(nsci_max(rise, 0) / of_square));
}

NSC_API int nsc_motor_step(nsc_motor *m, nsc_real command, nsc_real velocity, nsc_real *torque)
{
    nsc_real back, u, most, part, out[4];
    nsc_delay delay;
    int limits = 0;
    if (!m || !torque || !(m->settle > 0))
        return NSC_ERR_ARGUMENT;
    if (!nsci_finite(command) || !nsci_finite(velocity))
        return NSC_ERR_NOT_FINITE;
    NSC_MEMCPY(&delay, &m->delay, sizeof delay);
    command = nsc_delay_step(&delay, command);
    back = m->def.constant * m->def.ratio * velocity;
    most = nsci_motor_limit(m);
    if (m->def.command == NSC_MOTOR_CURRENT)
        u = nsci_motor_reach(m, command, back);
    else
        u = nsci_clamp(command, -m->def.max_voltage, m->def.max_voltage);
    out[0] = m->current + m->settle * ((u - back) / m->def.resistance - m->current);
    if (nsci_abs(out[0]) > most) {
        limits = most < m->def.max_current ? NSC_MOTOR_AT_HEAT : NSC_MOTOR_AT_CURRENT;
        u = nsci_motor_reach(m, out[0] > 0 ? most : -most, back);
        out[0] = m->current + m->settle * ((u - back) / m->def.resistance - m->current);
    }
    if (nsci_abs(u) >= m->def.max_voltage)
        limits |= NSC_MOTOR_AT_VOLTAGE;
    /* The current is `out[1]` and a part that decays; means of it and of its square */
    out[1] = (u - back) / m->def.resistance;
    part = m->current - out[1];
    out[2] = out[1] * out[1] + part * (2 * out[1] * m->mean + part * m->square);
    out[2] = m->def.resistance * m->def.heat_resistance * nsci_max(out[2], 0);
    out[2] = m->rise + m->heat * (out[2] - m->rise);
    out[3] = m->def.ratio * m->def.constant * (out[1] + part * m->mean);
    if (!nsci_all_finite(out, 4))
        return NSC_ERR_NOT_FINITE;
    NSC_MEMCPY(&m->delay, &delay, sizeof delay);
    m->current = out[0];
    m->rise = out[2];
    m->voltage = u;
    m->limits = limits;
    *torque = out[3];
    return NSC_OK;
}

#if NSC_MAX_JOINTS > 0
NSC_API void nsc_motor_mount(const nsc_motor *m, nsc_axis_def *axis)
{
    nsc_real ratio = nsci_abs(m->def.ratio);
    axis->drive = NSC_DRIVE_FORCE;
    axis->max_force = NSC_REAL_MAX;
    axis->armature = ratio * ratio * m->def.rotor;
    axis->friction = ratio * m->def.friction;
    axis->spring_damping = ratio * ratio * m->def.damping;
}
#endif

NSC_API int nsc_pid_init(nsc_pid *pid, const nsc_pid_def *def, nsc_real h)
{
    nsc_pid_def d;
    if (!pid || !def)
        return NSC_ERR_ARGUMENT;
    NSC_MEMCPY(&d, def, sizeof d);
    if (!nsci_all_finite(&d.p, 6) || !nsci_finite(h))
        return NSC_ERR_NOT_FINITE;
    if (!(h > 0) || !(d.low < d.high) || d.filter < 0)
        return NSC_ERR_ARGUMENT;
    nsci_clear(pid, sizeof *pid);
    NSC_MEMCPY(&pid->def, &d, sizeof d);
    pid->h = h;
    pid->settle = d.filter > 0 ? nsci_settle(h / d.filter) : 1;
    return NSC_OK;
}

NSC_API int nsc_pid_step(nsc_pid *pid, nsc_real target, nsc_real value, nsc_real *output)
{
    const nsc_pid_def *d;
    nsc_real e, more, out[3];
    if (!pid || !output || !(pid->h > 0))
        return NSC_ERR_ARGUMENT;
    if (!nsci_finite(target) || !nsci_finite(value))
        return NSC_ERR_NOT_FINITE;
    d = &pid->def;
    e = target - value;
    more = d->i * pid->h * e;
    out[0] = pid->begun ? (value - pid->before) / pid->h : 0;
    out[0] = pid->rate + pid->settle * (out[0] - pid->rate);
    out[1] = pid->integral + more;
    out[2] = d->p * e + out[1] - d->d * out[0];
    if (!nsci_all_finite(out, 3))
        return NSC_ERR_NOT_FINITE;
    if ((out[2] > d->high && more > 0) || (out[2] < d->low && more < 0))
        out[1] = pid->integral;
    pid->integral = nsci_clamp(out[1], nsci_min(d->low, 0), nsci_max(d->high, 0));
    pid->rate = out[0];
    pid->before = value;
    pid->begun = 1;
    *output = nsci_clamp(out[2], d->low, d->high);
    return NSC_OK;
}

NSCI_C_END
NSCI_BITS_END
#endif
