/* A robot on two wheels computes its own controller: A and B of a step through contact
   (kit/nsc_derive.h), the gain from them by Riccati's iteration, in fixed arrays.  It falls without
   control, and stands after a push with it.  In float (PREDICT_FLOAT: firmware/predict.c) the gains
   differ by 0.3 %.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h) and derivatives
   (nsc_derive.h, nsc_joint_state.h, nsc_problem.h, and the solver NEWTON: nsc_newton.h, nsc_factor.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 16_predict.c -lm */
#ifndef PREDICT_FLOAT
#define NSC_DOUBLE
#endif
#define NSC_MAX_BODIES 4 /* ground, trunk, two wheels */
#define NSC_MAX_SHAPES 4
#define NSC_MAX_CONTACTS 8
#define NSC_MAX_JOINTS 2
#define NSC_MAX_JOINT_BLOCKS 6
#define NSC_ARENA NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)
#define NSC_IMPLEMENTATION
#include "nsc_newton.h" /* for nsc_derive.h */
#include "nsc.h"
#include "nsc_problem.h"
#define NSC_DERIVE_ROWS 24
#include "nsc_derive.h"
#include <math.h>
#include <stdio.h>

enum { RATE = 500, LEAN = 0, LEAN_RATE = 1, PLACE = 2, SPEED = 3, N = 4 };
static const nsc_real radius = NSC_R(0.05), up = NSC_R(0.2), most_effort = NSC_R(0.3); /* [m], [m], [N m] of a wheel */
static nsc_world world, trial;
static nsc_derive derive;
static nsc_id trunk, wheel[2], motor[2];
static nsc_real A[N][N], B[N], K[N]; /* x' = A x + B u, u = -K x the effort of both wheels */

static nsc_id part(nsc_real mass, nsc_shape_def shape, nsc_real y, nsc_real z)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position.y = y;
    body.pose.position.z = z;
    id = nsc_world_add_body(&world, &body);
    if (id < 0 || nsc_world_add_shape(&world, id, &shape) < 0 || nsc_body_set_mass(&world, id, mass) < 0) return -1;
    return id;
}

/* The robot of 14_balancer.c, upright */
static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), rim = nsc_default_sphere_def(radius);
    int i;
    rim.friction = 1;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return -1;
    trunk = part(1, nsc_default_box_def(NSC_R(0.03), NSC_R(0.05), NSC_R(0.1)), 0, radius + up);
    for (i = 0; i < 2; i++) {
        nsc_joint_def axle;
        nsc_vec3 at = {0, 0, 0}, y = {0, 1, 0}, none = {0, 0, 0};
        at.y = i ? NSC_R(-0.08) : NSC_R(0.08);
        at.z = radius;
        wheel[i] = part(NSC_R(0.06), rim, at.y, at.z);
        if (trunk < 0 || wheel[i] < 0) return -1;
        axle = nsc_default_joint_def(NSC_JOINT_HINGE, trunk, wheel[i]);
        nsc_joint_place(&world, &axle, at, y, none);
        axle.axis[0].drive = NSC_DRIVE_FORCE;
        axle.axis[0].max_force = most_effort;
        axle.axis[0].armature = NSC_R(1.8e-4);
        motor[i] = nsc_world_add_joint(&world, &axle);
        if (motor[i] < 0) return -1;
    }
    return 0;
}

/* Change of the state after one step, along one direction of inputs */
static int column(const nsc_derive_input *input, const nsc_real *x, int inputs, nsc_real state[N])
{
    static nsc_real change[12 * NSC_MAX_BODIES]; /* 12 a slot: position, turn, velocity, spin; slot 1 is the trunk */
    int code = nsc_derive_product(&derive, input, inputs, x, change);
    state[LEAN] = change[12 + 4];
    state[LEAN_RATE] = change[12 + 10];
    state[PLACE] = (change[24 + 0] + change[36 + 0]) / 2;
    state[SPEED] = (change[24 + 6] + change[36 + 6]) / 2;
    return code;
}

/* The robot has 36 coordinates of bodies, but joints and rolling leave it two motions: it leans about the axle (the trunk's
   centre, `up` over it, moves along), or it rolls (all move, and the wheels turn by 1 / radius).  A and B are taken along them. */
static int linearise(void)
{
    nsc_derive_input in[5];
    nsc_real state[N], x[5];
    int i, k, code = nsc_derive_begin(&derive, &world, &trial, (nsc_real)1 / RATE);
    for (k = 0; k < N && code == NSC_OK; k++) {
        int rate = k == LEAN_RATE || k == SPEED, leans = k == LEAN || k == LEAN_RATE;
        for (i = 0; i < 5; i++) { /* trunk along x, trunk about y, or wheels along x and about y */
            in[i].id = i == 0 ? trunk : leans ? trunk : wheel[(i - 1) / 2];
            in[i].axis = leans ? i : i == 0 || i % 2 ? 0 : 1;
            in[i].kind = in[i].axis == 0 ? NSC_DERIVE_POSITION : NSC_DERIVE_TURN;
            if (rate) in[i].kind += NSC_DERIVE_VELOCITY - NSC_DERIVE_POSITION;
            x[i] = leans ? (i == 0 ? up : 1) : in[i].axis == 0 ? 1 : 1 / radius;
        }
        code = column(in, x, leans ? 2 : 5, state);
        for (i = 0; i < N; i++) A[i][k] = state[i];
    }
    for (i = 0; i < 2; i++) {
        in[i].kind = NSC_DERIVE_EFFORT;
        in[i].id = motor[i];
        in[i].axis = 0;
        x[i] = 0.5;
    }
    return code == NSC_OK ? column(in, x, 2, B) : code;
}

/* P = Q + A'PA - A'PB (R + B'PB)^-1 B'PA until K stays; returns the number of iterations. */
static int riccati(void)
{
    const nsc_real Q[N] = {40, 1, 20, 2}, R = 60;
    nsc_real P[N][N] = {{0}}, PA[N][N], next[N], PB[N], s, change = 1;
    int i, j, k, n;
    for (i = 0; i < N; i++) P[i][i] = Q[i];
    for (n = 0; n < 20000 && change > 1e-10; n++) {
        s = R;
        for (i = 0; i < N; i++) {
            PB[i] = 0;
            for (k = 0; k < N; k++) PB[i] += P[i][k] * B[k];
            s += B[i] * PB[i];
            for (j = 0; j < N; j++) {
                PA[i][j] = 0;
                for (k = 0; k < N; k++) PA[i][j] += P[i][k] * A[k][j];
            }
        }
        change = 0;
        for (j = 0; j < N; j++) {
            next[j] = 0;
            for (k = 0; k < N; k++) next[j] += PB[k] * A[k][j];
            change += (nsc_real)fabs(next[j] / s - K[j]);
            K[j] = next[j] / s;
        }
        for (i = 0; i < N; i++)
            for (j = 0; j <= i; j++) { /* kept symmetric: what is not grows as the square of the unstable eigenvalue */
                s = (i == j ? Q[i] : 0) - next[i] * K[j];
                for (k = 0; k < N; k++) s += A[k][i] * PA[k][j];
                P[i][j] = P[j][i] = s;
            }
    }
    return n;
}

static void look(nsc_real x[N])
{
    nsc_vec3 speed, spin;
    nsc_pose pose;
    int i;
    nsc_body_get_pose(&world, trunk, &pose);
    nsc_body_get_velocity(&world, trunk, &speed, &spin);
    x[LEAN] = 2 * (nsc_real)atan2(pose.orientation.y, pose.orientation.w);
    x[LEAN_RATE] = spin.y;
    x[PLACE] = x[SPEED] = 0;
    for (i = 0; i < 2; i++) {
        nsc_body_get_pose(&world, wheel[i], &pose);
        nsc_body_get_velocity(&world, wheel[i], &speed, &spin);
        x[PLACE] += pose.position.x / 2;
        x[SPEED] += speed.x / 2;
    }
}

/* Pushed for 0.1 s with a force; runs until `seconds` or a lean of 1 rad, and returns how long [s] it took. */
static nsc_real run(int controlled, nsc_real force, nsc_real seconds, int print, nsc_real x[N])
{
    nsc_vec3 push = {0, 0, 0}, none = {0, 0, 0};
    nsc_real guess[N] = {0}, u;
    int step, i, k;
    push.x = force;
    for (step = 0; step < seconds * RATE; step++) {
        look(x);
        if (fabs(x[LEAN]) > 1) break;
        if (step == RATE / 10) for (i = 0; i < N; i++) guess[i] = x[i]; /* from here A and B foretell the way */
        if (print && step % (RATE / 2) == RATE / 10)
            printf("%4.1f s  lean %7.4f rad, foretold %7.4f   place %7.4f m, foretold %7.4f\n", (double)step / RATE, x[LEAN], guess[LEAN],
                   x[PLACE], guess[PLACE]);
        u = 0;
        for (k = 0; k < N; k++) u -= controlled ? K[k] * x[k] : 0;
        for (i = 0; i < 2; i++) if (nsc_joint_set_force(&world, motor[i], 0, u / 2) < 0) return -1;
        if (step < RATE / 10 && nsc_body_add_force(&world, trunk, push, none) < 0) return -1;
        if (nsc_world_step(&world, (nsc_real)1 / RATE) < 0) return -1;
        if (step >= RATE / 10) {
            nsc_real next[N];
            u = 0;
            for (k = 0; k < N; k++) u -= controlled ? K[k] * guess[k] : 0;
            for (i = 0; i < N; i++) {
                next[i] = B[i] * u;
                for (k = 0; k < N; k++) next[i] += A[i][k] * guess[k];
            }
            for (i = 0; i < N; i++) guess[i] = next[i];
        }
    }
    look(x);
    return (nsc_real)step / RATE;
}

#ifndef PREDICT_NO_MAIN
/* Largest eigenvalue of A - B K, or of A, by its powers */
static nsc_real growth(int controlled)
{
    nsc_real x[N] = {1, 1, 1, 1}, y[N], u, size = 0, before = 0;
    int i, k, n;
    for (n = 0; n < 20000; n++) {
        u = 0;
        for (k = 0; k < N; k++) u -= controlled ? K[k] * x[k] : 0;
        size = 0;
        for (i = 0; i < N; i++) {
            y[i] = B[i] * u;
            for (k = 0; k < N; k++) y[i] += A[i][k] * x[k];
            size += y[i] * y[i];
        }
        size = sqrt(size);
        for (i = 0; i < N; i++) x[i] = y[i] / size;
        before += n >= 10000 ? log(size) / 10000 : 0; /* the mean, for a pair turns */
    }
    return exp(before);
}

int main(void)
{
    nsc_real x[N], first, fall, eigenvalue, held, time;
    int i, code, iterations;
    if (setup() < 0) return 1;
    code = linearise();
    if (code < 0) {
        printf("%s\n", nsc_derive_error_text(code));
        return 2;
    }
    for (i = 0; i < N; i++) printf("A  %9.6f %9.6f %9.6f %9.6f   B  %9.6f\n", A[i][0], A[i][1], A[i][2], A[i][3], B[i]);
    iterations = riccati();
    eigenvalue = growth(0);
    held = growth(1);
    printf("gain %.4f %.4f %.4f %.4f after %d iterations\n", K[0], K[1], K[2], K[3], iterations);
    if (run(0, 1e-3, 0.4, 0, x) < 0) return 3;
    first = x[LEAN_RATE];
    if (run(0, 0, 0.1, 0, x) < 0) return 3;
    fall = pow(x[LEAN_RATE] / first, 1 / (0.1 * RATE));
    printf("without control a small lean grows by %.5f a step; A has the eigenvalue %.5f\n", fall, eigenvalue);
    time = run(0, 0, 5, 0, x);
    printf("fallen %.2f s later; with control the largest eigenvalue is %.5f\n", time, held);
    if (setup() < 0) return 1;
    time = run(1, 5, 5, 1, x);
    printf("a robot on two wheels computed by simulating itself how to balance: 5 s after a push it leans %.3f degrees, %.2f mm from its place\n",
           57.3 * fabs(x[LEAN]), 1e3 * fabs(x[PLACE]));
    if (!(fabs(fall - eigenvalue) < 1e-3 && eigenvalue > 1.001 && held < 1)) return 4;
    return time > 4.99 && fabs(x[LEAN]) < 1e-3 && fabs(x[PLACE]) < 0.01 ? 0 : 5;
}
#endif
