/* nsc_motor.h of examples/kit: closed answers of a winding, of no-load speed, stall torque, time constants and temperature, what
   goes in as electrical power comes out, delays tick by tick, controllers that recover; in nsc's own step; what is refused. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_JOINTS 4
#include "nsc.h"
#include "nsc_motor.h"
#include "random.h"
#include "by.h"
#include <float.h>
#include <math.h>

static const double EPS = sizeof(nsc_real) == 8 ? 2.3e-16 : 1.2e-7;
static nsc_motor motor;
static nsc_pid pid;

static nsc_motor_def some_motor(void)
{
    nsc_motor_def d = nsc_default_motor_def();
    d.resistance = REAL(0.6);
    d.inductance = REAL(3e-4);
    d.constant = REAL(0.03);
    d.ratio = 20;
    d.rotor = REAL(2e-6);
    return d;
}

/* What one more tick gives, at a velocity that is held */
static double tick(double command, double velocity)
{
    nsc_real torque = 99;
    CHECK_ONCE(nsc_motor_step(&motor, REAL(command), REAL(velocity), &torque) == NSC_OK);
    return D(torque);
}

static void exponentials(void)
{
    double x, most = 0;
    for (x = 1e-9; x < 1e3; x *= 1.01) {
        double exact = -expm1(-D(REAL(x)));
        most = fmax(most, fabs(D(nsci_settle(REAL(x))) / exact - 1));
    }
    CHECK(most < 8 * EPS);
    CHECK(D(nsci_settle(0)) == 0 && D(nsci_settle(REAL(1e30))) == 1);
}

/* A locked rotor: i = U / R (1 - exp(-t R / L)), its torque the mean of the tick, for ticks of 0.001 to 1000 time constants */
static void a_winding(void)
{
    static const double ticks[5] = {5e-7, 5e-5, 5e-4, 5e-3, 0.5};
    nsc_motor_def d = some_motor();
    int i, k;
    for (i = 0; i < 5; i++) {
        double h = ticks[i], R = D(d.resistance), T = D(d.inductance) / R, sum = 0, t;
        CASE("tick %g", h);
        CHECK(nsc_motor_init(&motor, &d, REAL(h)) == NSC_OK);
        for (k = 1; k <= 50; k++) {
            sum += h * tick(12, 0) / (D(d.constant) * 20);
            t = k * h;
            CHECK_NEAR(motor.current, -12 / R * expm1(-t / T), 200 * EPS * 20);
            CHECK_NEAR(sum / (12 / R * t), 1 + T / t * expm1(-t / T), 200 * EPS);
        }
    }
    CASE_END();
    d.inductance = 0;
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_OK);
    CHECK_NEAR(tick(6, 0), 20 * 0.03 * 10, 20 * EPS);
    CHECK_NEAR(motor.current, 10, 20 * EPS);
}

static void stall_and_no_load(void)
{
    nsc_motor_def d = some_motor();
    int k;
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_OK);
    for (k = 0; k < 100; k++) tick(24, 0);
    CHECK_NEAR(tick(24, 0), 20 * 0.03 * 24 / 0.6, 400 * EPS);
    for (k = 0; k < 100; k++) tick(24, 24 / (0.03 * 20));
    CHECK_NEAR(tick(24, 24 / (0.03 * 20)), 0, 100 * EPS);
    for (k = 0; k < 100; k++) tick(0, 40); /* shorted: it brakes */
    CHECK_NEAR(tick(0, 40), -20 * 0.03 * (0.03 * 20 * 40) / 0.6, 400 * EPS);
    d.ratio = -20;
    CHECK(nsc_motor_init(&motor, &d, REAL(1)) == NSC_OK);
    CHECK_NEAR(tick(24, 0), -20 * 0.03 * 24 / 0.6, 100);
}

/* In any tick: u i = R i^2 + d/dt L i^2 / 2 + torque w, as means */
static int power_is_conserved(void)
{
    nsc_motor_def d = nsc_default_motor_def();
    double h = exp(uniform(-9, -3)), T = exp(uniform(-9, -3)), R = uniform(0.1, 2), u = uniform(-20, 20), w = uniform(-50, 50);
    double i0, heat, torque, in, out;
    d.resistance = REAL(R);
    d.inductance = REAL(T * R);
    d.constant = REAL(uniform(0.01, 0.1));
    d.ratio = REAL(exp(uniform(-2, 3.4)));
    d.heat_resistance = 1;
    d.heat_capacity = REAL(h / 100); /* so small that the temperature is that of the tick */
    CHECK(nsc_motor_init(&motor, &d, REAL(h)) == NSC_OK);
    tick(uniform(-20, 20), w);
    i0 = D(motor.current);
    torque = tick(u, w);
    heat = D(motor.rise);
    in = u * torque / D(d.constant * d.ratio);
    out = heat + D(d.inductance) * (D(motor.current) * D(motor.current) - i0 * i0) / (2 * D(REAL(h))) + torque * w;
    said("in %g, out %g", in, out);
    return fabs(in - out) <= 2000 * EPS * (fabs(in) + fabs(heat) + fabs(torque * w) + D(d.inductance) * i0 * i0 / h);
}

static void limits(void)
{
    nsc_motor_def d = some_motor();
    int k;
    d.max_voltage = 24;
    d.max_current = 15;
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_OK);
    for (k = 0; k < 20; k++) tick(20, 0); /* 33 A would flow */
    CHECK_NEAR(motor.current, 15, 40 * EPS);
    CHECK(motor.limits == NSC_MOTOR_AT_CURRENT);
    CHECK_NEAR(motor.voltage, 9, 40 * EPS);
    CHECK_NEAR(tick(20, 0), 20 * 0.03 * 15, 200 * EPS);
    tick(5, 0);
    CHECK(motor.limits == 0);
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_OK);
    tick(1000, 30); /* 18 V of back-EMF: 6 V are left */
    CHECK(motor.limits == NSC_MOTOR_AT_VOLTAGE && D(motor.voltage) == 24);
    CHECK_NEAR(motor.current, 10 * -expm1(-2.0), 40 * EPS);
    d.command = NSC_MOTOR_CURRENT;
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_OK);
    tick(5, 10); /* in one tick where the voltage allows */
    CHECK_NEAR(motor.current, 5, 20 * EPS);
    CHECK(motor.limits == 0);
    CHECK_NEAR(tick(5, 10), 20 * 0.03 * 5, 100 * EPS);
    for (k = 0; k < 20; k++) tick(-99, 10);
    CHECK_NEAR(motor.current, -15, 40 * EPS);
    CHECK(motor.limits == NSC_MOTOR_AT_CURRENT);
    for (k = 0; k < 20; k++) tick(5, 100); /* beyond the driver's voltage: it generates */
    CHECK_NEAR(motor.current, (24 - 60) / 0.6, 400 * EPS);
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-4)) == NSC_OK);
    tick(15, 0); /* in a short tick the voltage does not suffice */
    CHECK(motor.limits == NSC_MOTOR_AT_VOLTAGE && D(motor.voltage) == 24);
    CHECK_NEAR(motor.current, 40 * -expm1(-0.2), 40 * EPS);
}

/* Rise R Rth i^2 (1 - exp(-t / T)), T = Rth C; and the limit holds it */
static void heat(void)
{
    nsc_motor_def d = some_motor();
    const double Rth = 4, C = 30, h = 0.05;
    double most = 0;
    int k;
    d.command = NSC_MOTOR_CURRENT;
    d.inductance = 0;
    d.heat_resistance = REAL(Rth);
    d.heat_capacity = REAL(C);
    CHECK(nsc_motor_init(&motor, &d, REAL(h)) == NSC_OK);
    for (k = 1; k <= 4000; k++) {
        tick(5, 0);
        most = fmax(most, fabs(D(motor.rise) - Rth * 0.6 * 25 * -expm1(-k * h / (Rth * C))));
    }
    CHECK(most < 4000 * EPS * 60);
    d.max_rise = 40;
    d.max_current = 8;
    CHECK(nsc_motor_init(&motor, &d, REAL(h)) == NSC_OK);
    for (k = 0, most = 0; k < 20000; k++) {
        tick(8, 0);
        most = fmax(most, D(motor.rise));
        if (k == 100) CHECK(D(motor.current) == 8 && motor.limits == 0);
    }
    CHECK(most <= 40 * (1 + 100 * EPS));
    CHECK(motor.limits == NSC_MOTOR_AT_HEAT);
    CHECK_NEAR(motor.current, sqrt(40 / (0.6 * Rth)), 4e4 * EPS);
    tick(2, 0);
    CHECK(motor.limits == 0 && D(motor.current) == 2);
}

static void delays(void)
{
    nsc_motor_def d = some_motor();
    nsc_delay line;
    int n, k;
    d.inductance = 0;
    for (n = 0; n <= NSC_DELAY_TICKS; n++) {
        CASE("%d ticks", n);
        CHECK(nsc_delay_init(&line, n, -1) == NSC_OK);
        for (k = 0; k < 60; k++) CHECK(D(nsc_delay_step(&line, (nsc_real)k)) == (k < n ? -1 : k - n));
        d.delay = n;
        CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_OK);
        for (k = 0; k < 40; k++) CHECK((fabs(tick(6, 0)) > 0) == (k >= n));
    }
    CASE_END();
    d.delay = NSC_DELAY_TICKS + 1;
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_ERR_CAPACITY);
    CHECK(nsc_delay_init(&line, NSC_DELAY_TICKS + 1, 0) == NSC_ERR_CAPACITY);
    CHECK(nsc_delay_init(&line, -1, 0) == NSC_ERR_ARGUMENT && nsc_delay_init(NULL, 1, 0) == NSC_ERR_ARGUMENT);
    CHECK(nsc_delay_init(&line, 1, REAL(NAN)) == NSC_ERR_NOT_FINITE);
}

/* ---- on a hinge of nsc */

static nsc_id wheel, hinge;

static void mount(double inertia, double h)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_joint_def axle;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = REAL(inertia);
    wheel = nsc_world_add_body(&world, &body);
    axle = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, wheel);
    CHECK(nsc_joint_place(&world, &axle, vec(0, 0, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    nsc_motor_mount(&motor, &axle.axis[0]);
    hinge = nsc_world_add_joint(&world, &axle);
    CHECK(hinge >= 0 && h > 0);
}

static double turn(double command, double h)
{
    nsc_axis_state s;
    nsc_real torque;
    nsc_joint_get_axis(&world, hinge, 0, &s);
    CHECK_ONCE(nsc_motor_step(&motor, REAL(command), s.velocity, &torque) == NSC_OK);
    CHECK_ONCE(nsc_joint_set_force(&world, hinge, 0, torque) == NSC_OK);
    CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
    nsc_joint_get_axis(&world, hinge, 0, &s);
    return D(s.velocity);
}

/* w = w0 (1 - exp(-t / T)), T = J R / (ratio k)^2, the rotor counting in J; with friction w0 is what the voltage leaves */
static void a_wheel_runs_up(void)
{
    nsc_motor_def d = some_motor();
    const double h = 1e-3, k = 0.03 * 20, U = 12, inertia = 0.2, J = inertia + 400 * 2e-6, T = J * 0.6 / (k * k);
    double w = 0, most = 0;
    int i;
    d.inductance = 0;
    CHECK(nsc_motor_init(&motor, &d, REAL(h)) == NSC_OK);
    mount(inertia, h);
    for (i = 1; i <= 3000; i++) {
        w = turn(U, h);
        most = fmax(most, fabs(w - U / k * -expm1(-i * h / T)));
    }
    CHECK(most < U / k * h / T); /* of first order in the tick */
    CHECK_NEAR(w, U / k, U / k * 2e-4);
    d.friction = REAL(0.01);
    d.damping = REAL(1e-4);
    CHECK(nsc_motor_init(&motor, &d, REAL(h)) == NSC_OK);
    mount(inertia, h);
    for (i = 0; i < 5000; i++) w = turn(U, h);
    CHECK_NEAR(w, (U / 0.6 * k - 20 * 0.01) / (k * k / 0.6 + 400 * 1e-4), 2e-3);
    mount(inertia, h); /* less than the friction: it stands */
    for (i = 0; i < 500; i++) w = turn(0.9 * 0.6 * 20 * 0.01 / k, h);
    CHECK_NEAR(w, 0, 1e-5);
}

/* ---- controllers */

static double ask(double target, double value)
{
    nsc_real out = 99;
    CHECK_ONCE(nsc_pid_step(&pid, REAL(target), REAL(value), &out) == NSC_OK);
    return D(out);
}

static nsc_pid_def some_pid(double p, double i, double d)
{
    nsc_pid_def def;
    memset(&def, 0, sizeof def);
    def.p = REAL(p), def.i = REAL(i), def.d = REAL(d);
    def.low = -10, def.high = 10;
    return def;
}

static void controllers(void)
{
    const double h = 1.0 / 1024; /* exact */
    nsc_pid_def d = some_pid(2, 0, 0);
    double y = 0, u = 0;
    int i, k;
    CHECK(nsc_pid_init(&pid, &d, REAL(h)) == NSC_OK);
    CHECK(ask(3, 1) == 4 && ask(9, 1) == 10 && ask(-9, 1) == -10);
    d = some_pid(0, 8, 0);
    CHECK(nsc_pid_init(&pid, &d, REAL(h)) == NSC_OK);
    for (k = 0; k < 512; k++) u = ask(1, 0);
    CHECK_NEAR(u, 4, 600 * EPS);
    d = some_pid(0, 0, 0.5);
    CHECK(nsc_pid_init(&pid, &d, REAL(h)) == NSC_OK);
    CHECK(ask(1, 7) == 0); /* no kick, neither at the beginning nor by the target */
    CHECK(ask(9, 7) == 0);
    CHECK_NEAR(ask(0, 7 + 3 * h), -1.5, 2e4 * EPS);
    d.filter = REAL(0.01);
    CHECK(nsc_pid_init(&pid, &d, REAL(h)) == NSC_OK);
    ask(0, 0);
    for (k = 1; k <= 10; k++) u = ask(0, 3 * k * h);
    CHECK_NEAR(u, -1.5 * -expm1(-10 * h / 0.01), 400 * EPS);
    /* A plant y' = u - y: the integral takes the error away */
    d = some_pid(4, 20, 0);
    CHECK(nsc_pid_init(&pid, &d, REAL(h)) == NSC_OK);
    for (k = 0; k < 12288; k++) y += h * (ask(2, y) - y);
    CHECK_NEAR(y, 2, 100 * EPS + 1e-6);
    /* Held for long: what is asked cannot be reached; then it can, and the output is free at once */
    for (k = 0; k < 100000; k++) u = ask(100, 0);
    CHECK(u == 10 && D(pid.integral) <= 10);
    u = ask(0, 1);
    CHECK(u < 10);
    for (k = 0; k < 2048 && u > 0; k++) u = ask(0, 1);
    CHECK(k * h < 0.5); /* what of the integral is left, 10 at 20 a second */
    for (k = 0; k < 100000; k++) u = ask(-100, 0);
    CHECK(u == -10 && D(pid.integral) >= -10);
    /* Where the error alone asks for more than there is, the integral stays as it was, to both sides */
    for (k = -1; k <= 1; k += 2) {
        CHECK(nsc_pid_init(&pid, &d, REAL(h)) == NSC_OK);
        for (i = 0; i < 100; i++) CHECK_NEAR(ask(100 * k, 0), 10 * k, 0);
        CHECK(fabs(D(pid.integral)) <= 0);
    }
}

static void refusals(void)
{
    const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
    nsc_motor_def good = some_motor(), d;
    nsc_pid_def p = some_pid(1, 1, 1), q;
    nsc_motor before;
    nsc_pid earlier;
    nsc_real out = 77, *field;
    int i, k, code;
    memset(&motor, 0, sizeof motor);
    memset(&pid, 0, sizeof pid);
    CHECK(nsc_motor_step(&motor, 1, 1, &out) == NSC_ERR_ARGUMENT && nsc_pid_step(&pid, 1, 1, &out) == NSC_ERR_ARGUMENT);
    good.heat_resistance = good.heat_capacity = 1;
    CHECK(nsc_motor_init(&motor, &good, REAL(1e-3)) == NSC_OK && nsc_pid_init(&pid, &p, REAL(1e-3)) == NSC_OK);
    memcpy(&before, &motor, sizeof motor);
    memcpy(&earlier, &pid, sizeof pid);
    for (i = 0; i < 12; i++)
        for (k = 0; k < 5; k++) {
            d = good;
            field = &d.resistance + i;
            *field = REAL(bad[k]);
            CASE("field %d, %g", i, bad[k]);
            code = nsc_motor_init(&motor, &d, REAL(1e-3));
            if (k == 0) CHECK((code == NSC_OK) == (i == 1 || (i > 3 && i < 7) || i == 9));
            else if (k == 1 && i != 3) CHECK(code == NSC_ERR_ARGUMENT);
            else if (k > 1) CHECK(code == NSC_ERR_NOT_FINITE);
            if (code < 0) CHECK(memcmp(&before, &motor, sizeof motor) == 0);
            else memcpy(&motor, &before, sizeof motor);
        }
    CASE_END();
    d = good;
    d.command = 2;
    CHECK(nsc_motor_init(&motor, &d, REAL(1e-3)) == NSC_ERR_ARGUMENT);
    CHECK(nsc_motor_init(&motor, &good, 0) == NSC_ERR_ARGUMENT && nsc_motor_init(&motor, &good, REAL(NAN)) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_motor_init(NULL, &good, 1) == NSC_ERR_ARGUMENT && nsc_motor_init(&motor, NULL, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_motor_step(&motor, REAL(NAN), 1, &out) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_motor_step(&motor, 1, REAL(INFINITY), &out) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_motor_step(&motor, NSC_REAL_MAX, 0, &out) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_motor_step(&motor, 1, 1, NULL) == NSC_ERR_ARGUMENT && nsc_motor_step(NULL, 1, 1, &out) == NSC_ERR_ARGUMENT);
    CHECK(memcmp(&before, &motor, sizeof motor) == 0 && D(out) == 77);
    q = p;
    q.low = q.high;
    CHECK(nsc_pid_init(&pid, &q, 1) == NSC_ERR_ARGUMENT && nsc_pid_init(&pid, &p, 0) == NSC_ERR_ARGUMENT);
    q = p;
    q.filter = -1;
    CHECK(nsc_pid_init(&pid, &q, 1) == NSC_ERR_ARGUMENT);
    q.filter = REAL(NAN);
    CHECK(nsc_pid_init(&pid, &q, 1) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_pid_init(NULL, &p, 1) == NSC_ERR_ARGUMENT && nsc_pid_init(&pid, NULL, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_pid_step(&pid, REAL(NAN), 1, &out) == NSC_ERR_NOT_FINITE && nsc_pid_step(&pid, 1, REAL(INFINITY), &out) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_pid_step(&pid, NSC_REAL_MAX, -NSC_REAL_MAX, &out) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_pid_step(&pid, 1, 1, NULL) == NSC_ERR_ARGUMENT && nsc_pid_step(NULL, 1, 1, &out) == NSC_ERR_ARGUMENT);
    CHECK(memcmp(&earlier, &pid, sizeof pid) == 0 && D(out) == 77);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    exponentials();
    a_winding();
    stall_and_no_load();
    search("power is conserved", power_is_conserved, trials(100, 10000));
    limits();
    heat();
    delays();
    a_wheel_runs_up();
    controllers();
    refusals();
    return TEST_END("motor");
}
