/* A pendulum and a stiff spring with every stepper, over a range of steps: a table, and of five
   steppers plots, build/steppers_pendulum.svg and build/steppers_spring.svg.
   In double, so that rounding does not hide what the steppers do.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h), steppers
   (nsc_steppers.h), smooth contact, without which some steppers refuse (nsc_smooth.h), and the
   solver NEWTON (nsc_newton.h, nsc_factor.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 12_steppers.c -lm */
#ifndef NSC_DOUBLE
#define NSC_DOUBLE
#endif
#define NSC_MAX_BODIES 2
#define NSC_MAX_CONTACTS 4
#define NSC_MAX_JOINTS 1
#define NSC_STEPPERS 1
#define NSC_SMOOTH 1
#define NSC_ARENA NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)
#define NSC_IMPLEMENTATION
#include "nsc_newton.h"
#include "nsc.h"
#include <math.h>
#include <stdio.h>

enum { METHODS = 7, MOST = 10, FIT = 4 };
static const struct { int stepper, order; const char *name, *label, *colour, *dash; } methods[METHODS] = {
    {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, 1, "EULER_IMPLICIT_LINEARIZED", "LINEARIZED (default)", "#000000", "none"},
    {NSC_STEPPER_EULER_IMPLICIT_PROJECTED, 1, "EULER_IMPLICIT_PROJECTED", "PROJECTED", "#e377c2", "10 5"},
    {NSC_STEPPER_EULER_SYMPLECTIC, 1, "EULER_SYMPLECTIC", "SYMPLECTIC", "#ff7f0e", "4 4"},
    {NSC_STEPPER_EULER_FORWARD, 1, "EULER_FORWARD", "FORWARD", "#d62728", "none"},
    {NSC_STEPPER_EULER_IMPLICIT, 1, "EULER_IMPLICIT", "EULER_IMPLICIT", "#2ca02c", "2 4"},
    {NSC_STEPPER_HHT, 2, "HHT (alpha -0.2)", "HHT", "#1f77b4", "none"},
    {NSC_STEPPER_NEWMARK, 1, "NEWMARK (0.3, 0.6)", "NEWMARK", "#9467bd", "none"}};

/* A rod of 1 m and 1 kg on a hinge, let go 1.5 rad off; and 1 kg on a spring of 10 kN/m: 100 rad/s */
enum { PENDULUM = 0, SPRING = 1, SCENES = 2 };
static const struct { const char *name; double time; int fewest; double low, high, shown; } scenes[SCENES] = {
    {"pendulum: rod of 1 m, let go 1.5 rad off, after 1 s", 1.0, 8, 1e-8, 1, 1.0 / 256},
    {"stiff spring: 100 rad/s, let go 0.1 m off, after 0.1 s", 0.1, 2, 1e-8, 10, 0.1 / 256}};
static const double g = 9.81, amplitude = 1.5, rate = 100, stretch = 0.1;
static nsc_world world;

typedef struct curve { int count, newton; double h[MOST], error[MOST], order; } curve;
static curve curves[SCENES][METHODS];

static nsc_vec3 vec(double x, double y, double z)
{
    nsc_vec3 v;
    v.x = (nsc_real)x, v.y = (nsc_real)y, v.z = (nsc_real)z;
    return v;
}

/* The angle from hanging, of theta'' = -3 g / (2 l) sin(theta), by RK4 */
static double pendulum_angle(double time)
{
    const double w2 = 1.5 * g, h = time / 20000;
    double a = amplitude, v = 0;
    int i;
    for (i = 0; i < 20000; i++) {
        double a1 = v, v1 = -w2 * sin(a);
        double a2 = v + h / 2 * v1, v2 = -w2 * sin(a + h / 2 * a1);
        double a3 = v + h / 2 * v2, v3 = -w2 * sin(a + h / 2 * a2);
        double a4 = v + h * v3, v4 = -w2 * sin(a + h * a3);
        a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
    return a;
}

/* Where the centre of mass of the pendulum is, or the mass on the spring, at the end */
static nsc_vec3 goal(int scene)
{
    static double a;
    if (!(a > 0 || a < 0)) a = pendulum_angle(scenes[PENDULUM].time);
    if (scene == PENDULUM) return vec(0.5 * sin(a), 0, -0.5 * cos(a));
    return vec(0, 0, stretch * cos(rate * scenes[SPRING].time));
}

static int build(int scene, int method)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_joint_def joint;
    nsc_id id;
    def.stepper = methods[method].stepper;
    def.contact_model = NSC_CONTACT_SMOOTH; /* nothing touches; some take no other */
    def.solver.tolerance = (nsc_real)1e-12;
    if (scene == SPRING) def.gravity = vec(0, 0, 0);
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = (nsc_real)(1.0 / 12.0), body.inertia[2] = (nsc_real)0.01;
    if (scene == PENDULUM) { /* the rod lies along z of its body */
        body.pose.position = vec(0.5 * sin(amplitude), 0, -0.5 * cos(amplitude));
        body.pose.orientation.w = (nsc_real)cos(-amplitude / 2), body.pose.orientation.y = (nsc_real)sin(-amplitude / 2);
    } else {
        body.pose.position = vec(0, 0, stretch);
    }
    if (nsc_world_init(&world, &def) < 0) return -1;
    id = nsc_world_add_body(&world, &body);
    joint = nsc_default_joint_def(scene == PENDULUM ? NSC_JOINT_HINGE : NSC_JOINT_SLIDER, NSC_GROUND, id);
    if (scene == PENDULUM && nsc_joint_place(&world, &joint, vec(0, 0, 0), vec(0, 1, 0), vec(0, 0, 0)) < 0) return -1;
    if (scene == SPRING) joint.axis[0].spring = (nsc_real)(rate * rate); /* along z, from the frames' origins */
    return nsc_world_add_joint(&world, &joint) < 0 ? -1 : id;
}

/* Distance from the goal [m], a large one if a step was refused; *newton: the most steps of Newton's method */
static double run(int scene, int method, int steps, int *newton)
{
    nsc_vec3 to = goal(scene);
    nsc_calls calls = nsc_default_calls();
    nsc_pose pose;
    double x, z;
    int i, id = build(scene, method);
    *newton = 0;
    calls.solve = nsc_solve_newton;
    for (i = 0; i < steps && id >= 0; i++) {
        if (nsc_world_step_with(&world, (nsc_real)(scenes[scene].time / steps), &calls) < 0) return 1e30;
        if (*newton < nsc_world_report(&world)->newton_steps) *newton = nsc_world_report(&world)->newton_steps;
    }
    if (id < 0 || nsc_body_get_pose(&world, id, &pose) < 0) return 1e30;
    x = (double)(pose.position.x - to.x), z = (double)(pose.position.z - to.z);
    return sqrt(x * x + z * z);
}

/* Slope of log error over log h, least squares, of the FIT smallest steps */
static double order_of(const curve *c)
{
    double mx = 0, my = 0, a = 0, b = 0;
    int i;
    for (i = c->count - FIT; i < c->count; i++) mx += log(c->h[i]) / FIT, my += log(c->error[i]) / FIT;
    for (i = c->count - FIT; i < c->count; i++) {
        a += (log(c->h[i]) - mx) * (log(c->error[i]) - my);
        b += (log(c->h[i]) - mx) * (log(c->h[i]) - mx);
    }
    return a / b;
}

/* ---- a picture a scene: h [s] and error [m], both logarithmic, of five steppers */

static const int drawn[] = {0, 1, 2, 3, 5};
static const double left = 76, width = 460, top = 24, height = 324;
static double longest_of(int s) { return scenes[s].time / scenes[s].fewest; }
static double plot_x(int s, double h) { return left + width * (1 + log10(h / longest_of(s)) / ((MOST - 1) * log10(2.0))); }
static double plot_y(int s, double e) { return top + height * log10(scenes[s].high / e) / log10(scenes[s].high / scenes[s].low); }

static void draw_axes(FILE *f, int s)
{
    double e, h, longest = longest_of(s), shortest = longest / pow(2, MOST - 1);
    int k;
    fprintf(f, "<clipPath id='c'><rect x='%.0f' y='%.0f' width='%.0f' height='%.0f'/></clipPath>\n", left, top, width, height);
    for (k = -8; k <= 1; k++) {
        e = pow(10, k);
        if (e > 1.01 * scenes[s].high || e < 0.99 * scenes[s].low) continue;
        fprintf(f, "<path d='M%.1f %.1fh%.1f' stroke='#ddd'/>", left, plot_y(s, e), width);
        if (k % 2 == 0) fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='end'>1e%d</text>\n", left - 6, plot_y(s, e) + 5, k);
    }
    for (k = -5; k <= 0; k++) {
        h = pow(10, k);
        if (h > 1.01 * longest || h < shortest) continue;
        fprintf(f, "<path d='M%.1f %.1fv%.1f' stroke='#ddd'/><text x='%.1f' y='%.1f' text-anchor='middle'>1e%d</text>\n", plot_x(s, h), top,
                height, plot_x(s, h), top + height + 20, k);
    }
    fprintf(f, "<text x='%.0f' y='%.0f' text-anchor='middle'>length of a step [s]</text>", left + width / 2, top + height + 44);
    fprintf(f, "<text transform='translate(18 %.0f) rotate(-90)' text-anchor='middle'>error of position [m]</text>\n", top + height / 2);
    for (k = 1; k <= 2; k++) { /* slopes to compare with, through a low corner */
        double from = 0.004 * longest, e0 = 3 * scenes[s].low;
        fprintf(f, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#888' stroke-width='1.5'/><text x='%.1f' y='%.1f' fill='#555'>order %d</text>\n",
                plot_x(s, from), plot_y(s, e0), plot_x(s, 8 * from), plot_y(s, e0 * pow(8, k)), plot_x(s, 8 * from) + 4,
                plot_y(s, e0 * pow(8, k)) + 4, k);
    }
}

static void draw_curve(FILE *f, int s, int place)
{
    int i, m = drawn[place], x = 76 + 245 * (place % 2), y = 416 + 25 * (place / 2);
    const curve *c = &curves[s][m];
    fprintf(f, "<path fill='none' clip-path='url(#c)' stroke-width='2.5' stroke='%s' stroke-dasharray='%s' d='", methods[m].colour, methods[m].dash);
    for (i = 0; i < c->count; i++) {
        double e = c->error[i] > 1e6 ? 1e6 : c->error[i];
        fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', plot_x(s, c->h[i]), plot_y(s, e));
    }
    fprintf(f, "'/><path d='M%d %dh34' stroke-width='2.5' stroke='%s' stroke-dasharray='%s'/><text x='%d' y='%d'>%s</text>\n", x, y,
            methods[m].colour, methods[m].dash, x + 42, y + 5, methods[m].label);
}

static int draw(int s)
{
    FILE *f = fopen(s == PENDULUM ? "build/steppers_pendulum.svg" : "build/steppers_spring.svg", "w");
    int i;
    if (!f) return 0;
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 560 486' width='560' height='486' font-family='sans-serif' font-size='15'>\n"
               "<title>%s: error against the length of a step</title><rect width='100%%' height='100%%' fill='white'/>\n", scenes[s].name);
    draw_axes(f, s);
    for (i = 0; i < (int)(sizeof drawn / sizeof drawn[0]); i++) draw_curve(f, s, i);
    fprintf(f, "</svg>\n");
    return fclose(f) == 0;
}

/* ---- what is to be so */

static int failed;
static void must(int ok, const char *what, const char *name)
{
    if (ok) return;
    failed = 1;
    printf("FAILED: %s: %s\n", name, what);
}

int main(void)
{
    int s, m, i, newton;
    for (s = 0; s < SCENES; s++) {
        printf("%s\n%-28s order   error [m] at h = %.2g s   Newton steps\n", scenes[s].name, "stepper", scenes[s].shown);
        for (m = 0; m < METHODS; m++) {
            curve *c = &curves[s][m];
            double shown = 0, worst = 0;
            for (i = 0; i < MOST; i++) {
                int steps = scenes[s].fewest << i;
                c->h[i] = scenes[s].time / steps;
                c->error[i] = run(s, m, steps, &newton);
                if (c->h[i] < 1.01 * scenes[s].shown && c->h[i] > 0.99 * scenes[s].shown) shown = c->error[i], c->newton = newton;
                if (c->error[i] > worst) worst = c->error[i];
                c->count++;
            }
            c->order = order_of(c);
            printf("%-28s %.2f    %24.1e   %12d\n", methods[m].name, c->order, shown, c->newton);
            must(fabs(c->order - methods[m].order) < 0.15, "order", methods[m].name);
            if (s != SPRING) continue;
            if (methods[m].stepper == NSC_STEPPER_EULER_SYMPLECTIC || methods[m].stepper == NSC_STEPPER_EULER_FORWARD)
                must(worst > 10 * stretch, "should not bear h = 2.5 / omega", methods[m].name);
            else must(worst < 2 * stretch, "should bear h = 5 / omega", methods[m].name);
        }
        printf("\n");
    }
    printf("%d ways to step a pendulum and a spring through time: in steps half as long the default's error falls to %.0f %%, HHT's to %.0f %%; %s\n",
           (int)METHODS, 100 * pow(0.5, curves[PENDULUM][0].order), 100 * pow(0.5, curves[PENDULUM][5].order), draw(PENDULUM) && draw(SPRING) ? "build/steppers_*.svg" : "no folder build/, no picture");
    return failed;
}
