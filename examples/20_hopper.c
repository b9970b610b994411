/* A robot on one leg computes its own controller in the coordinates of its joints: lean of the leg,
   angle of the hip, length of the leg, and their rates.  A and B of a step through contact come
   from kit/nsc_derive.h, the gain from Riccati's iteration, in fixed arrays; libc only prints.
   It falls without control.  With it, it stands, recovers from a push, and hops: it jumps off,
   flies with a slack hip, and the same gain catches it where it lands.
   In float: HOPPER_FLOAT (firmware/hopper.c).
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h) and derivatives
   (nsc_derive.h, nsc_joint_state.h, nsc_problem.h, and the solver NEWTON: nsc_newton.h, nsc_factor.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 20_hopper.c -lm */
#ifndef HOPPER_FLOAT
#define NSC_DOUBLE
#endif
#define NSC_MAX_BODIES 4 /* ground, shin, thigh, trunk */
#define NSC_MAX_SHAPES 6
#define NSC_MAX_CONTACTS 4
#define NSC_MAX_JOINTS 2
#define NSC_MAX_JOINT_BLOCKS 6
#define NSC_ARENA NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)
#define NSC_IMPLEMENTATION
#include "nsc_newton.h"
#include "nsc.h"
#include "nsc_problem.h"
#define NSC_DERIVE_ROWS 18
#include "nsc_derive.h"
#include <stdio.h>

/* State, in this order, and inputs: efforts beside those that carry the weight */
enum { LEAN, LEAN_RATE, HIP, HIP_RATE, LENGTH, LENGTH_RATE, N };
enum { TORQUE, THRUST, M };
enum { RATE = 500 }; /* steps a second */
static const nsc_real foot = NSC_R(0.02), middle = NSC_R(0.12), hip_height = NSC_R(0.45); /* [m] */
static nsc_world world, trial;
static nsc_derive derive;
static nsc_id shin, thigh, trunk, hip, leg;
static nsc_real weight; /* of what the leg carries [N] */
static nsc_real A[N][N], B[N][M], K[M][N]; /* x' = A x + B u, u = -K x */

static nsc_real size_of(nsc_real x) { return x < 0 ? -x : x; }

static nsc_id part(nsc_real mass, nsc_shape_def shape, nsc_real z)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position.z = z;
    id = nsc_world_add_body(&world, &body);
    shape.category = 2; /* only feet and ground touch */
    shape.mask = 0;
    if (id < 0 || nsc_world_add_shape(&world, id, &shape) < 0)
        return -1;
    return nsc_body_set_mass(&world, id, mass) < 0 ? -1 : id;
}

static nsc_id joint(int kind, nsc_id a, nsc_id b, nsc_real z, nsc_vec3 axis, nsc_real most)
{
    nsc_joint_def j = nsc_default_joint_def(kind, a, b);
    nsc_vec3 at = {0, 0, 0}, x = {1, 0, 0};
    at.z = z;
    nsc_joint_place(&world, &j, at, axis, x);
    j.axis[0].drive = NSC_DRIVE_FORCE;
    j.axis[0].max_force = most;
    return nsc_world_add_joint(&world, &j);
}

/* Upright, on two small balls side by side, which let it lean forward and back */
static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), toe = nsc_default_sphere_def(foot);
    nsc_vec3 y = {0, 1, 0}, z = {0, 0, 1};
    int i;
    ground.friction = toe.friction = 1;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0)
        return -1;
    shin = part(NSC_R(0.3), nsc_default_box_def(NSC_R(0.01), NSC_R(0.01), NSC_R(0.1)), middle);
    thigh = part(NSC_R(0.4), nsc_default_box_def(NSC_R(0.02), NSC_R(0.02), NSC_R(0.1)),
                 NSC_R(0.33));
    trunk = part(2, nsc_default_box_def(NSC_R(0.25), NSC_R(0.08), NSC_R(0.04)),
                 hip_height + NSC_R(0.02));
    if (shin < 0 || thigh < 0 || trunk < 0)
        return -1;
    toe.density = 0;
    for (i = 0; i < 2; i++) {
        toe.pose.position.y = i ? NSC_R(-0.08) : NSC_R(0.08);
        toe.pose.position.z = foot - middle;
        if (nsc_world_add_shape(&world, shin, &toe) < 0)
            return -1;
    }
    /* b of each joint is the side away from the foot: it moves with the axis */
    leg = joint(NSC_JOINT_SLIDER, shin, thigh, NSC_R(0.22), z, 150);
    hip = joint(NSC_JOINT_HINGE, thigh, trunk, hip_height, y, 12);
    weight = NSC_R(2.4) * NSC_R(9.81);
    return leg < 0 || hip < 0 || nsc_joint_set_force(&world, leg, 0, weight) < 0 ? -1 : 0;
}

static nsc_derive_input input(int kind, nsc_id id, int axis)
{
    nsc_derive_input in;
    in.kind = kind;
    in.id = id;
    in.axis = axis;
    return in;
}

/* Feet on the ground leave the robot three of its eight motions: it leans about the line of its
   feet (the shin's middle moves along, and all that hangs on it), bends the hip, or stretches the
   leg. */
static int linearise(void)
{
    nsc_derive_input in[8], out[N], effort[M];
    nsc_real direction[N][8] = {{0}};
    int i, code;
    for (i = 0; i < 2; i++) { /* poses, rates */
        in[4 * i] = input(i ? NSC_DERIVE_PIECE_SPIN : NSC_DERIVE_PIECE_TURN, shin, 1);
        in[4 * i + 1] = input(i ? NSC_DERIVE_RATE : NSC_DERIVE_AXIS, hip, 0);
        in[4 * i + 2] = input(i ? NSC_DERIVE_RATE : NSC_DERIVE_AXIS, leg, 0);
        in[4 * i + 3] = input(i ? NSC_DERIVE_PIECE_VELOCITY : NSC_DERIVE_PIECE_POSITION, shin, 0);
        out[LEAN + i] = in[4 * i];
        out[HIP + i] = in[4 * i + 1];
        out[LENGTH + i] = in[4 * i + 2];
        direction[LEAN + i][4 * i] = 1;
        direction[LEAN + i][4 * i + 3] = middle;
        direction[HIP + i][4 * i + 1] = 1;
        direction[LENGTH + i][4 * i + 2] = 1;
    }
    effort[TORQUE] = input(NSC_DERIVE_EFFORT, hip, 0);
    effort[THRUST] = input(NSC_DERIVE_EFFORT, leg, 0);
    code = nsc_derive_begin(&derive, &world, &trial, (nsc_real)1 / RATE);
    if (code == NSC_OK)
        code = nsc_derive_directions(&derive, in, 8, direction[0], N, out, N, A[0]);
    return code == NSC_OK ? nsc_derive_dense(&derive, effort, M, out, N, B[0]) : code;
}

/* K and P of one iteration: K = (R + B'PB)^-1 B'PA, P = Q + A'PA - A'PB K.  Returns the largest
   change of K. */
static nsc_real iterate(nsc_real P[N][N], const nsc_real Q[N], const nsc_real R[M])
{
    nsc_real PA[N][N], PB[N][M], S[M][M], BPA[M][N], whole, change = 0;
    int i, j, k;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            PA[i][j] = 0;
            for (k = 0; k < N; k++)
                PA[i][j] += P[i][k] * A[k][j];
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            PB[i][j] = 0;
            for (k = 0; k < N; k++)
                PB[i][j] += P[i][k] * B[k][j];
        }
    for (i = 0; i < M; i++) {
        for (j = 0; j < M; j++) {
            S[i][j] = i == j ? R[i] : 0;
            for (k = 0; k < N; k++)
                S[i][j] += B[k][i] * PB[k][j];
        }
        for (j = 0; j < N; j++) {
            BPA[i][j] = 0;
            for (k = 0; k < N; k++)
                BPA[i][j] += PB[k][i] * A[k][j];
        }
    }
    whole = S[0][0] * S[1][1] - S[0][1] * S[1][0];
    for (i = 0; i < M; i++)
        for (j = 0; j < N; j++) {
            nsc_real x = (S[1 - i][1 - i] * BPA[i][j] - S[i][1 - i] * BPA[1 - i][j]) / whole;
            if (size_of(x - K[i][j]) > change)
                change = size_of(x - K[i][j]);
            K[i][j] = x;
        }
    for (i = 0; i < N; i++)
        for (j = 0; j <= i; j++) { /* kept symmetric */
            nsc_real sum = i == j ? Q[i] : 0;
            for (k = 0; k < N; k++)
                sum += A[k][i] * PA[k][j];
            for (k = 0; k < M; k++)
                sum -= BPA[k][i] * K[k][j];
            P[i][j] = P[j][i] = sum;
        }
    return change;
}

/* Until K stays; returns the number of iterations. */
static int riccati(void)
{
    const nsc_real Q[N] = {100, 1, 20, 1, 4000, 10}, R[M] = {2, NSC_R(0.01)};
    nsc_real P[N][N] = {{0}}, most = 1;
    int i, j, n = 0;
    for (i = 0; i < N; i++)
        P[i][i] = Q[i];
    while (n < 5000) {
        n++;
        if (!(iterate(P, Q, R) > NSC_R(0.03) * NSC_REAL_EPS * most + NSC_R(1e-6)))
            return n;
        for (i = 0; i < M; i++)
            for (j = 0; j < N; j++)
                most = size_of(K[i][j]) > most ? size_of(K[i][j]) : most;
    }
    return n;
}

static int look(nsc_real x[N])
{
    nsc_axis_state h, l;
    nsc_vec3 speed, spin;
    nsc_pose pose;
    nsc_body_get_pose(&world, shin, &pose);
    nsc_body_get_velocity(&world, shin, &speed, &spin);
    if (nsc_joint_get_axis(&world, hip, 0, &h) < 0 || nsc_joint_get_axis(&world, leg, 0, &l) < 0)
        return -1;
    x[LEAN] = 2 * pose.orientation.y / pose.orientation.w; /* of small angles */
    x[LEAN_RATE] = spin.y;
    x[HIP] = h.position;
    x[HIP_RATE] = h.velocity;
    x[LENGTH] = l.position;
    x[LENGTH_RATE] = l.velocity;
    return 0;
}

/* Do the feet bear anything? */
static int stands(void)
{
    nsc_vec3 force = {0, 0, 0};
    return nsc_body_get_contact_force(&world, shin, &force, NULL) == NSC_OK && force.z > 0;
}

typedef struct run_report {
    nsc_real seconds;  /* until it had fallen, or all */
    nsc_real lean;     /* largest [rad] */
    nsc_real height;   /* highest of the feet over the ground [m] */
    int flights;
} run_report;

/* Pushed for 0.1 s by a force at the trunk; then it jumps off `jumps` times, 1.5 s apart.  Runs for
   `seconds` or until a lean of 0.8 rad.  x: state at the end. */
static int run(int controlled, nsc_real force, int jumps, nsc_real seconds, int print,
               nsc_real x[N], run_report *report)
{
    nsc_vec3 push = {0, 0, 0}, none = {0, 0, 0};
    nsc_calls calls = nsc_default_calls();
    nsc_real torque, thrust;
    nsc_pose pose;
    int step, k, flies, flew = 0;
    push.x = force;
    calls.solve = nsc_solve_newton;
    report->lean = report->height = 0;
    report->flights = 0;
    for (step = 0; step < seconds * RATE; step++) {
        if (look(x) < 0)
            return -1;
        if (size_of(x[LEAN]) > NSC_R(0.8))
            break;
        nsc_body_get_pose(&world, shin, &pose);
        flies = step > 0 && !stands();
        report->flights += flies && !flew;
        flew = flies;
        report->lean = size_of(x[LEAN]) > report->lean ? size_of(x[LEAN]) : report->lean;
        if (flies && pose.position.z - middle > report->height)
            report->height = pose.position.z - middle;
        if (print && step % (RATE / 2) == RATE / 10)
            printf("%4.1f s  lean %7.4f rad   hip %7.4f rad   leg %7.4f m%s\n", (double)step / RATE,
                   (double)x[LEAN], (double)x[HIP], (double)x[LENGTH], flies ? "   flies" : "");
        torque = thrust = 0;
        for (k = 0; k < N && controlled; k++) {
            torque -= flies ? 0 : K[TORQUE][k] * x[k];
            thrust -= flies && k < LENGTH ? 0 : K[THRUST][k] * x[k];
        }
        if (step / (3 * RATE / 2) < jumps && step % (3 * RATE / 2) < RATE / 10)
            thrust += 45;
        if (nsc_joint_set_force(&world, hip, 0, torque) < 0 ||
            nsc_joint_set_force(&world, leg, 0, thrust + (flies ? 0 : weight)) < 0)
            return -1;
        if (step < RATE / 10 && nsc_body_add_force(&world, trunk, push, none) < 0)
            return -1;
        if (nsc_world_step_with(&world, (nsc_real)1 / RATE, &calls) < 0)
            return -1;
    }
    report->seconds = (nsc_real)step / RATE;
    return look(x);
}

#ifndef HOPPER_NO_MAIN
/* The largest eigenvalue of A - B K, by the growth of a state */
static double growth(void)
{
    nsc_real x[N], y[N], size, all = 1;
    int i, j, k, n;
    for (i = 0; i < N; i++)
        x[i] = 1;
    for (n = 0; n < 4000; n++) {
        size = 0;
        for (i = 0; i < N; i++) {
            y[i] = 0;
            for (k = 0; k < N; k++) {
                y[i] += A[i][k] * x[k];
                for (j = 0; j < M; j++)
                    y[i] -= B[i][j] * K[j][k] * x[k];
            }
            size += y[i] * y[i];
        }
        size = NSC_SQRT(size);
        for (i = 0; i < N; i++)
            x[i] = y[i] / size;
        all *= n >= 4000 - 1024 ? size : 1;
    }
    for (i = 0; i < 10; i++)
        all = NSC_SQRT(all);
    return (double)all;
}

int main(void)
{
    nsc_real x[N], guess[N], next[N], held;
    run_report r;
    int i, k, n, code, iterations;
    if (setup() < 0)
        return 1;
    code = linearise();
    if (code < 0) {
        printf("%s\n", nsc_derive_error_text(code));
        return 2;
    }
    printf("A, B       lean     rate      hip     rate   length     rate     torque   thrust\n");
    for (i = 0; i < N; i++)
        printf("       %8.5f %8.5f %8.5f %8.5f %8.5f %8.5f   %8.5f %8.5f\n", A[i][0], A[i][1],
               A[i][2], A[i][3], A[i][4], A[i][5], B[i][0], B[i][1]);
    iterations = riccati();
    for (i = 0; i < M; i++)
        printf("gain %s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", i ? "of thrust" : "of torque",
               K[i][0], K[i][1], K[i][2], K[i][3], K[i][4], K[i][5]);
    held = growth();
    printf("after %d iterations; no switch within %.3f N s of a foot\n", iterations,
           derive.switch_impulse);
    if (run(0, NSC_R(0.1), 0, NSC_R(0.1), 0, guess, &r) < 0 ||
        run(0, 0, 0, NSC_R(0.3), 0, x, &r) < 0)
        return 3;
    for (n = 0; n < 3 * RATE / 10; n++) {
        for (i = 0; i < N; i++) {
            next[i] = 0;
            for (k = 0; k < N; k++)
                next[i] += A[i][k] * guess[k];
        }
        for (i = 0; i < N; i++)
            guess[i] = next[i];
    }
    printf("without control a small push makes it lean %.5f rad in 0.4 s; A foretells %.5f rad\n",
           x[LEAN], guess[LEAN]);
    if (!(size_of(x[LEAN] - guess[LEAN]) < 0.005 * size_of(x[LEAN])))
        return 4;
    if (run(0, 0, 0, 5, 0, x, &r) < 0)
        return 3;
    printf("and it has fallen %.2f s later; with control the largest eigenvalue is %.5f\n",
           r.seconds, held);
    if (!(r.seconds < 4 && held < 1))
        return 4;
    if (setup() < 0 || run(1, 2, 0, 5, 1, x, &r) < 0)
        return 5;
    printf("pushed by 0.2 N s it leaned up to %.3f rad; 5 s later by %.5f rad\n", r.lean, x[LEAN]);
    if (!(r.seconds > 4.99 && size_of(x[LEAN]) < 1e-3 && size_of(x[HIP]) < 1e-2))
        return 6;
    if (run(1, NSC_R(0.5), 3, 7, 0, x, &r) < 0)
        return 7;
    printf("pushed by 0.05 N s as it jumped off it hopped %d times, up to %.0f mm high,\n"
           "and leaned up to %.3f rad; in the end by %.5f rad\n", r.flights, 1000 * r.height,
           r.lean, size_of(x[LEAN]));
    printf("a robot on one leg computed by simulating itself how to stand; it hopped %d times %.0f mm high, and ends leaning by %.3f degrees\n",
           r.flights, 1000 * r.height, 57.3 * size_of(x[LEAN]));
    return r.seconds > 6.99 && r.flights == 3 && size_of(x[LEAN]) < 1e-3 ? 0 : 8;
}
#endif
