/* nsc_dynamics.h of examples/kit: closed answers of pendulums, of a slider, of a free body; identities that hold for any robot, on
   random ones of all joints (energy, power, inverse and forward, Jacobians against differences); the steps of nsc itself: robots that
   its forces hold still, and accelerations of a step; what is refused.  Beside MuJoCo: tests/robots/against_mujoco.py. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_dynamics.h"
#include "random.h"
#include "robots/arm.h"
#include "robots/crab.h"
#include "robots/quadruped.h"
#include <math.h>

enum { LINKS = 8, ENTRIES = 24, MOST = NSC_DYNAMICS_NUMBERS };
static const double EPS = sizeof(nsc_real) == 8 ? 2.3e-16 : 1.2e-7;
static const int in_double = sizeof(nsc_real) == 8;

static nsc_robot_link_def link[LINKS];
static nsc_robot_joint_def entry[ENTRIES];
static nsc_robot robot;
static nsc_dynamics model, other;
static nsc_real q[2 * MOST], v[MOST], a[MOST], f[MOST], M[MOST * MOST];
static nsc_id body[LINKS + 16], joint[ENTRIES];

static nsc_pose pose_of(nsc_vec3 at, nsc_quat turn)
{
    nsc_pose p;
    memset(&p, 0, sizeof p);
    p.position = at;
    p.orientation = turn;
    return p;
}

static nsc_pose at_rest_frame(double x, double y, double z) { return pose_of(vec(x, y, z), quat(1, 0, 0, 0)); }

static nsc_robot_link_def rod(double mass, nsc_vec3 centre, double xx, double yy, double zz)
{
    nsc_robot_link_def l;
    memset(&l, 0, sizeof l);
    l.name = "link";
    l.kind = NSC_DYNAMIC_BODY;
    l.pose = at_rest_frame(0, 0, 0);
    l.mass = REAL(mass);
    l.centre = centre;
    l.inertia[0] = REAL(xx), l.inertia[1] = REAL(yy), l.inertia[2] = REAL(zz);
    return l;
}

static nsc_robot_joint_def held(int kind, int parent, int child, nsc_pose frame_a)
{
    nsc_robot_joint_def j;
    memset(&j, 0, sizeof j);
    j.name = "joint";
    j.kind = kind;
    j.parent = parent, j.child = child;
    j.frame_a = frame_a;
    j.frame_b = at_rest_frame(0, 0, 0);
    j.ratio = 1;
    j.drive = NSC_DRIVE_FORCE;
    return j;
}

static void begin(int links, int entries, int fixed)
{
    memset(&robot, 0, sizeof robot);
    robot.name = "robot";
    robot.links = links, robot.joints = entries;
    robot.link = link, robot.joint = entry;
    robot.fixed_base = fixed;
}

static int start(void) { return nsc_dynamics_init(&model, &robot, at_rest_frame(0, 0, 0)); }

static double sum_of(const nsc_real *x, const nsc_real *y, int n)
{
    double sum = 0;
    int i;
    for (i = 0; i < n; i++) sum += D(x[i]) * D(y[i]);
    return sum;
}

/* A moment of inertia (xx, yy, zz, xy, xz, yz), times x */
static nsc_vec3 times(const nsc_real *s, nsc_vec3 x)
{
    return vec(D(s[0]) * D(x.x) + D(s[3]) * D(x.y) + D(s[4]) * D(x.z), D(s[3]) * D(x.x) + D(s[1]) * D(x.y) + D(s[5]) * D(x.z),
               D(s[4]) * D(x.x) + D(s[5]) * D(x.y) + D(s[2]) * D(x.z));
}

/* By what nsc_dynamics_set has found of each link */
static double energy_of(const nsc_dynamics *d, double *potential)
{
    double twice = 0, high = 0;
    int i;
    for (i = 0; i < d->robot->links; i++) {
        const nsc_dynamics_link *l = &d->link[i];
        nsc_vec3 w = l->velocity[1];
        twice += D(l->mass) * dot(l->velocity[0], l->velocity[0]) + dot(w, times(l->spin, w));
        high -= D(l->mass) * dot(d->gravity, l->centre);
    }
    for (i = 0; i < d->numbers; i++) twice += D(d->armature[i]) * D(d->rate[i]) * D(d->rate[i]);
    if (potential) *potential = high;
    return twice / 2;
}

/* The forces of the numbers as forces on the bodies, which needs no drive; no armature is moved by it. */
static int apply(const nsc_real *force)
{
    int i, k, side, code = NSC_OK;
    for (i = 0; i < model.robot->links; i++)
        for (k = model.link[i].first; k < model.link[i].first + model.link[i].count; k++)
            for (side = 0; side < 2 && code >= 0; side++) {
                int on = side ? model.link[i].parent : i;
                nsc_vec3 f1 = multiple(side ? -D(force[k]) : D(force[k]), model.axis[k]);
                if (!(model.link[on].mass > 0)) continue;
                code = model.turns[k] ? nsc_body_add_force(&world, body[on], vec(0, 0, 0), f1)
                                      : nsc_body_add_force_at(&world, body[on], f1, model.link[i].anchor);
            }
    return code;
}

/* Accelerations under these forces: M a = force - h, by elimination with pivots */
static int forward(nsc_dynamics *d, const nsc_real *force, nsc_real *out)
{
    static nsc_real h[MOST], inertia[MOST * MOST];
    static double A[MOST][MOST + 1];
    int i, k, c, n = d->numbers, code = nsc_dynamics_inertia(d, inertia);
    if (code >= 0) code = nsc_dynamics_inverse(d, NULL, h);
    if (code < 0) return code;
    for (i = 0; i < n; i++) {
        for (k = 0; k < n; k++) A[i][k] = D(inertia[i * n + k]);
        A[i][n] = D(force[i]) - D(h[i]);
    }
    for (c = 0; c < n; c++) {
        int best = c;
        for (i = c; i < n; i++) best = fabs(A[i][c]) > fabs(A[best][c]) ? i : best;
        for (k = 0; k <= n; k++) {
            double x = A[c][k];
            A[c][k] = A[best][k];
            A[best][k] = x;
        }
        for (i = 0; i < n; i++)
            for (k = n; k >= c && i != c; k--) A[i][k] -= A[i][c] / A[c][c] * A[c][k];
    }
    for (i = 0; i < n; i++) out[i] = REAL(A[i][n] / A[i][i]);
    return NSC_OK;
}

/* ---- closed answers */

/* About z of a frame that points along the world's y: a rod of length l hangs along -z at angle 0, and turns towards -x */
static const nsc_quat along_y = {REAL(0.70710678118654752440), REAL(-0.70710678118654752440), 0, 0};

static void a_pendulum(void)
{
    const double m = 2, l = 0.4, I = 0.05, rotor = 0.3, x = 0.7, w = 1.3, acceleration = -2.1;
    double g = 9.81;
    nsc_real mass;
    double kinetic, potential;
    nsc_vec3 centre, way;
    nsc_pose base = pose_of(vec(0, 0, 0), along_y);
    /* Frame b's axes are those of the joint: z about y, y along -z */
    link[0] = rod(1, vec(0, 0, 0), 1, 1, 1);
    link[1] = rod(m, vec(0, l, 0), I, I / 2, I);
    entry[0] = held(NSC_JOINT_HINGE, 0, 1, base);
    entry[0].armature = REAL(rotor);
    begin(2, 1, 1);
    CHECK(start() == NSC_OK);
    CHECK(model.numbers == 1 && model.positions == 1 && model.left_out == 0 && nsc_dynamics_number(&model, 0) == 0);
    q[0] = REAL(x), v[0] = REAL(w), a[0] = REAL(acceleration);
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(nsc_dynamics_inverse(&model, a, f) == NSC_OK);
    CHECK_NEAR(f[0], (m * l * l + I + rotor) * acceleration + m * g * l * sin(x), 40 * EPS);
    CHECK(nsc_dynamics_gravity(&model, f) == NSC_OK);
    CHECK_NEAR(f[0], m * g * l * sin(x), 20 * EPS);
    CHECK(nsc_dynamics_inertia(&model, M) == NSC_OK);
    CHECK_NEAR(M[0], m * l * l + I + rotor, 4 * EPS);
    f[0] = 0;
    CHECK(forward(&model, f, a) == NSC_OK);
    CHECK_NEAR(a[0], -m * g * l * sin(x) / (m * l * l + I + rotor), 40 * EPS);
    kinetic = energy_of(&model, &potential);
    CHECK_NEAR(kinetic, (m * l * l + I + rotor) * w * w / 2, 4 * EPS);
    CHECK_NEAR(potential, -m * g * l * cos(x), 20 * EPS);
    CHECK(nsc_dynamics_centre(&model, &mass, &centre, &way) == NSC_OK);
    CHECK_NEAR(mass, m, 0);
    CHECK_NEAR(centre.x, -l * sin(x), 2 * EPS);
    CHECK_NEAR(centre.z, -l * cos(x), 2 * EPS);
    CHECK_NEAR(way.x, -l * w * cos(x), 4 * EPS);
    CHECK_NEAR(way.z, l * w * sin(x), 4 * EPS);
    mass = 0;
    CHECK(nsc_dynamics_centre(&model, &mass, NULL, NULL) == NSC_OK && nsc_dynamics_centre(&model, NULL, NULL, NULL) == NSC_OK);
    CHECK_NEAR(mass, m, 0);
}

/* Two rods in a plane, the second angle against the first (Spong, Hutchinson, Vidyasagar) */
static void a_double_pendulum(void)
{
    const double m1 = 1.5, m2 = 0.8, l1 = 0.5, c1 = 0.2, c2 = 0.3, I1 = 0.02, I2 = 0.01, g = 9.81;
    const double x1 = 0.4, x2 = -1.1, w1 = 1.7, w2 = 2.3, a1 = 3.1, a2 = -4.2;
    double m11 = m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2 + 2 * l1 * c2 * cos(x2)) + I1 + I2;
    double m12 = m2 * (c2 * c2 + l1 * c2 * cos(x2)) + I2, m22 = m2 * c2 * c2 + I2;
    double h = -m2 * l1 * c2 * sin(x2), g2 = m2 * c2 * g * sin(x1 + x2), g1 = (m1 * c1 + m2 * l1) * g * sin(x1) + g2;
    nsc_real J[12];
    nsc_dynamics_point_state tip;
    link[0] = rod(1, vec(0, 0, 0), 1, 1, 1);
    link[1] = rod(m1, vec(0, c1, 0), I1, I1 / 2, I1);
    link[2] = rod(m2, vec(0, c2, 0), I2, I2 / 2, I2);
    entry[0] = held(NSC_JOINT_HINGE, 0, 1, pose_of(vec(0, 0, 0), along_y));
    entry[1] = held(NSC_JOINT_HINGE, 1, 2, at_rest_frame(0, l1, 0));
    begin(3, 2, 1);
    CHECK(start() == NSC_OK);
    q[0] = REAL(x1), q[1] = REAL(x2), v[0] = REAL(w1), v[1] = REAL(w2), a[0] = REAL(a1), a[1] = REAL(a2);
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(nsc_dynamics_inertia(&model, M) == NSC_OK);
    CHECK_NEAR(M[0], m11, 4 * EPS);
    CHECK_NEAR(M[1], m12, 4 * EPS);
    CHECK_NEAR(M[2], m12, 4 * EPS);
    CHECK_NEAR(M[3], m22, 4 * EPS);
    CHECK(nsc_dynamics_inverse(&model, a, f) == NSC_OK);
    CHECK_NEAR(f[0], m11 * a1 + m12 * a2 + h * (2 * w1 * w2 + w2 * w2) + g1, 100 * EPS);
    CHECK_NEAR(f[1], m12 * a1 + m22 * a2 - h * w1 * w1 + g2, 100 * EPS);
    CHECK(nsc_dynamics_gravity(&model, f) == NSC_OK);
    CHECK_NEAR(f[0], g1, 40 * EPS);
    CHECK_NEAR(f[1], g2, 40 * EPS);
    CHECK(nsc_dynamics_jacobian(&model, 2, vec(0, 0.4, 0), J) == NSC_OK);
    CHECK_NEAR(J[0], -l1 * cos(x1) - 0.4 * cos(x1 + x2), 4 * EPS);
    CHECK_NEAR(J[1], -0.4 * cos(x1 + x2), 4 * EPS);
    CHECK_NEAR(J[4], l1 * sin(x1) + 0.4 * sin(x1 + x2), 4 * EPS);
    CHECK_NEAR(J[8], 1, 4 * EPS);
    CHECK(nsc_dynamics_point(&model, 2, vec(0, 0.4, 0), &tip) == NSC_OK);
    CHECK_NEAR(tip.acceleration.x, l1 * w1 * w1 * sin(x1) + 0.4 * (w1 + w2) * (w1 + w2) * sin(x1 + x2), 60 * EPS);
    CHECK_NEAR(tip.turn_rate.y, w1 + w2, 8 * EPS);
}

/* Euler's equations of a free body, in the numbers of nsc_body_get_velocity */
static void a_free_body(void)
{
    const double m = 3, I[3] = {0.2, 0.5, 0.6};
    nsc_vec3 w = vec(0.3, -1.2, 2.1), turn = vec(-0.4, 0.9, 0.1);
    int k, n;
    link[0] = rod(m, vec(0.1, 0.2, -0.3), I[0], I[1], I[2]);
    begin(1, 0, 0);
    CHECK(start() == NSC_OK);
    CHECK(model.numbers == 6 && model.positions == 7);
    memset(q, 0, sizeof q);
    q[0] = 1, q[1] = 2, q[2] = 3, q[3] = 1;
    memset(v, 0, sizeof v);
    v[0] = 5, v[3] = w.x, v[4] = w.y, v[5] = w.z;
    memset(a, 0, sizeof a);
    a[0] = 1, a[1] = 2, a[2] = 3, a[3] = turn.x, a[4] = turn.y, a[5] = turn.z;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(nsc_dynamics_inverse(&model, a, f) == NSC_OK);
    CHECK_NEAR(f[0], m, 8 * EPS);
    CHECK_NEAR(f[1], 2 * m, 8 * EPS);
    CHECK_NEAR(f[2], m * (3 + 9.81), 40 * EPS);
    CHECK_NEAR(f[3], I[0] * D(turn.x) + (I[2] - I[1]) * D(w.y) * D(w.z), 8 * EPS);
    CHECK_NEAR(f[4], I[1] * D(turn.y) + (I[0] - I[2]) * D(w.z) * D(w.x), 8 * EPS);
    CHECK_NEAR(f[5], I[2] * D(turn.z) + (I[1] - I[0]) * D(w.x) * D(w.y), 8 * EPS);
    CHECK(nsc_dynamics_inertia(&model, M) == NSC_OK);
    for (k = 0; k < 6; k++)
        for (n = 0; n < 6; n++) CHECK_NEAR(M[6 * k + n], k != n ? 0 : k < 3 ? m : I[k - 3], 4 * EPS);
}

/* ---- random robots */

static double mass_of(void) { return exp(uniform(-2, 1)); }

static nsc_robot_link_def any_link(void)
{
    double m = mass_of(), x = uniform(0.05, 0.3), y = uniform(0.05, 0.3), z = uniform(0.05, 0.3), r = uniform(-0.4, 0.4) * x * y;
    nsc_robot_link_def l = rod(m, any_vec(0.2), m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y));
    l.inertia[3] = REAL(m * r);
    l.pose = pose_of(any_vec(0.5), any_turn());
    return l;
}

/* A tree of up to 6 links by joints of all kinds; the links stand in the table in some order */
static void any_robot(int armature)
{
    static const int kinds[7] = {NSC_JOINT_HINGE, NSC_JOINT_SLIDER, NSC_JOINT_BALL, NSC_JOINT_UNIVERSAL, NSC_JOINT_CYLINDRICAL,
                                 NSC_JOINT_PLANAR, NSC_JOINT_FIXED};
    int at[LINKS], links = 1 + below(6), entries = 0, i, k, parent, kind;
    for (i = 0; i < links; i++) at[i] = i;
    for (i = 1; i < links; i++) { /* link 0 stays first */
        k = 1 + below(i);
        at[i] = at[k];
        at[k] = i;
    }
    for (i = 0; i < links; i++) link[i] = any_link();
    for (i = 1; i < links; i++) {
        parent = below(i + 1) - 1;
        kind = kinds[below(7)];
        entry[entries] = held(kind, parent < 0 ? -1 : at[parent], at[i], pose_of(any_vec(0.3), any_turn()));
        entry[entries].frame_b = pose_of(any_vec(0.3), any_turn());
        entry[entries++].armature = REAL(armature && kind != NSC_JOINT_BALL ? uniform(0, 0.5) : 0);
        for (k = 1; k < (kind == NSC_JOINT_PLANAR ? 3 : kind == NSC_JOINT_UNIVERSAL || kind == NSC_JOINT_CYLINDRICAL ? 2 : 1); k++) {
            entry[entries] = held(NSC_ROBOT_AXIS, parent = k == 1 ? entries - 1 : parent, k, at_rest_frame(0, 0, 0));
            entry[entries++].armature = REAL(armature ? uniform(0, 0.5) : 0);
        }
    }
    begin(links, entries, below(2));
}

/* A state: numbers to `spread`, the quaternions of unit length */
static void any_state(double spread)
{
    int i, k;
    for (k = 0; k < model.positions; k++) q[k] = REAL(uniform(-spread, spread));
    for (k = 0; k < model.numbers; k++) v[k] = REAL(uniform(-1, 1));
    for (k = 0; k < model.numbers; k++) a[k] = REAL(uniform(-1, 1));
    for (i = 0; i < robot.links; i++)
        if (model.link[i].turn >= 0) {
            nsc_quat t = any_turn();
            nsc_real *to = q + model.link[i].turn;
            to[0] = t.w, to[1] = t.x, to[2] = t.y, to[3] = t.z;
        }
}

/* q after the time t at velocities v: along axes; by the exponential for orientations */
static void move(double t, const nsc_real *from, const nsc_real *rate, nsc_real *to)
{
    int i, k;
    memcpy(to, from, (size_t)model.positions * sizeof *to);
    for (i = 0; i < robot.links; i++) {
        const nsc_dynamics_link *l = &model.link[i];
        const nsc_real *r = rate + l->first;
        nsc_real *at = to + l->place;
        for (k = 0; k < l->count && l->turn < 0; k++) at[k] += REAL(t) * r[k];
        if (l->turn < 0) continue;
        if (l->count == 6) r += 3;
        at = to + l->turn;
        {
            double x = D(r[0]), y = D(r[1]), z = D(r[2]), w = sqrt(x * x + y * y + z * z), s = w > 0 ? sin(w * t / 2) / w : 0;
            nsc_quat now, turn = quat(cos(w * t / 2), s * x, s * y, s * z);
            now.w = at[0], now.x = at[1], now.y = at[2], now.z = at[3];
            now = nsc_pose_multiply(pose_of(vec(0, 0, 0), turn), pose_of(vec(0, 0, 0), now)).orientation;
            if (l->count == 6) { /* place of the frame: the centre of mass moves by v */
                nsc_vec3 before = rotate(quat(D(now.w), D(now.x), D(now.y), D(now.z)), l->middle), c;
                nsc_quat old;
                old.w = at[0], old.x = at[1], old.y = at[2], old.z = at[3];
                c = rotate(old, l->middle);
                to[l->place] += c.x - before.x + REAL(t) * rate[l->first];
                to[l->place + 1] += c.y - before.y + REAL(t) * rate[l->first + 1];
                to[l->place + 2] += c.z - before.z + REAL(t) * rate[l->first + 2];
            }
            at[0] = now.w, at[1] = now.x, at[2] = now.y, at[3] = now.z;
        }
    }
}

static double most(const nsc_real *x, int n)
{
    double m = 0;
    int i;
    for (i = 0; i < n; i++) m = fmax(m, fabs(D(x[i])));
    return m;
}

/* A robot in a state that moves; 0: its table was refused */
static int any_moving_robot(int armature)
{
    any_robot(armature);
    if (start() != NSC_OK) return 0;
    any_state(1);
    return 1;
}

/* M is symmetric, and the sum over links of what their Jacobians make of mass and inertia; v'Mv/2 is the energy */
static int inertia_is_that_of_the_links(void)
{
    static nsc_real J[6 * MOST];
    double sum, size, kinetic;
    int i, k, n, c, N;
    if (!any_moving_robot(1)) return 0;
    N = model.numbers;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(nsc_dynamics_inertia(&model, M) == NSC_OK);
    size = most(M, N * N) + 1e-9;
    for (k = 0; k < N; k++)
        for (n = 0; n < N; n++) {
            sum = k == n ? D(model.armature[k]) : 0;
            for (i = 0; i < robot.links; i++) {
                const nsc_dynamics_link *l = &model.link[i];
                nsc_vec3 s1, s2;
                if (nsc_dynamics_jacobian(&model, i, l->middle, J) != NSC_OK) return 0;
                for (c = 0; c < 3; c++) sum += D(l->mass) * D(J[c * N + k]) * D(J[c * N + n]);
                s1 = vec(D(J[3 * N + k]), D(J[4 * N + k]), D(J[5 * N + k]));
                s2 = vec(D(J[3 * N + n]), D(J[4 * N + n]), D(J[5 * N + n]));
                sum += dot(times(l->spin, s1), s2);
            }
            if (fabs(sum - D(M[k * N + n])) > 60 * EPS * size) return said("M[%d][%d] %g is not %g", k, n, D(M[k * N + n]), sum), 0;
        }
    sum = 0;
    for (k = 0; k < N; k++) sum += D(v[k]) * sum_of(M + k * N, v, N) / 2;
    kinetic = energy_of(&model, NULL);
    said("energy %g, v'Mv/2 %g", kinetic, sum);
    return fabs(sum - kinetic) <= 200 * EPS * (size + sum);
}

/* inverse(a) = M a + inverse(0); forward(inverse(a)) = a */
static int inverse_and_forward_agree(void)
{
    static nsc_real h[MOST], b[MOST];
    double size, worst = 0;
    int k, N;
    if (!any_moving_robot(1)) return 0;
    N = model.numbers;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(nsc_dynamics_inertia(&model, M) == NSC_OK);
    CHECK(nsc_dynamics_inverse(&model, NULL, h) == NSC_OK);
    CHECK(nsc_dynamics_inverse(&model, a, f) == NSC_OK);
    size = most(M, N * N) + most(h, N) + 1e-9;
    for (k = 0; k < N; k++) worst = fmax(worst, fabs(sum_of(M + k * N, a, N) + D(h[k]) - D(f[k])));
    said("off by %g of %g", worst, size);
    if (worst > 200 * EPS * size) return 0;
    CHECK(forward(&model, f, b) == NSC_OK);
    for (k = 0, worst = 0; k < N; k++) worst = fmax(worst, fabs(D(a[k]) - D(b[k])));
    said("accelerations off by %g", worst);
    return worst < 1e5 * EPS;
}

/* Places of points at t and -t along v: their difference is J v and what nsc_dynamics_point says; that of velocities its acceleration.
   Forces as what they do: power of inverse dynamics is the rise of energy. */
static int motion_is_that_of_differences(void)
{
    static nsc_real to[2 * MOST], rate[MOST], J[6 * MOST];
    const double t = in_double ? 1e-5 : 2e-3, tolerance = in_double ? 1e-8 : 4e-3;
    nsc_dynamics_point_state now, end[2];
    double kinetic[2], potential[2];
    nsc_real mass;
    nsc_vec3 point, centre[2], way, push;
    double power, size = 0, off = 0;
    int on, k, side, c, N;
    if (!any_moving_robot(1)) return 0;
    N = model.numbers;
    on = below(robot.links);
    point = any_vec(0.3);
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(nsc_dynamics_point(&model, on, point, &now) == NSC_OK);
    CHECK(nsc_dynamics_jacobian(&model, on, point, J) == NSC_OK);
    CHECK(nsc_dynamics_inverse(&model, a, f) == NSC_OK);
    if (nsc_dynamics_centre(&model, &mass, &centre[0], &way) != NSC_OK) way = vec(0, 0, 0);
    CHECK_NEAR(sum_of(J, v, N), now.velocity.x, 100 * EPS);
    CHECK_NEAR(sum_of(J + N, v, N), now.velocity.y, 100 * EPS);
    CHECK_NEAR(sum_of(J + 2 * N, v, N), now.velocity.z, 100 * EPS);
    CHECK_NEAR(sum_of(J + 3 * N, v, N), now.turn_rate.x, 100 * EPS);
    CHECK_NEAR(sum_of(J + 4 * N, v, N), now.turn_rate.y, 100 * EPS);
    CHECK_NEAR(sum_of(J + 5 * N, v, N), now.turn_rate.z, 100 * EPS);
    for (side = 0; side < 2; side++) {
        double s = side ? t : -t;
        move(s, q, v, to);
        CHECK(nsc_dynamics_set(&model, to, v) == NSC_OK);
        CHECK(nsc_dynamics_point(&model, on, point, &end[side]) == NSC_OK);
        if (nsc_dynamics_centre(&model, &mass, &centre[side], &push) != NSC_OK) centre[side] = vec(0, 0, 0);
        for (k = 0; k < N; k++) rate[k] = v[k] + REAL(s) * a[k];
        CHECK(nsc_dynamics_set(&model, to, rate) == NSC_OK);
        kinetic[side] = energy_of(&model, &potential[side]);
    }
    off = fmax(off, D(length(minus(multiple(1 / (2 * t), minus(end[1].place, end[0].place)), now.velocity))));
    off = fmax(off, D(length(minus(multiple(1 / (2 * t), minus(centre[1], centre[0])), way))));
    size = D(length(now.velocity)) + D(length(way)) + D(length(now.turn_rate)) + 1;
    said("velocity off by %g of %g", off, size);
    if (off > tolerance * size * size) return 0;
    off = D(length(minus(multiple(1 / (2 * t), minus(end[1].velocity, end[0].velocity)), now.acceleration)));
    off = fmax(off, D(length(minus(multiple(1 / (2 * t), minus(end[1].turn_rate, end[0].turn_rate)), now.turn_acceleration))));
    c = off <= tolerance * size * size * size;
    said("acceleration off by %g", off);
    power = sum_of(f, v, N);
    off = (kinetic[1] - kinetic[0] + potential[1] - potential[0]) / (2 * t);
    size += most(f, N) + fabs(kinetic[0]) + fabs(potential[0]) / (in_double ? 1 : t);
    said("power %g, energy rises by %g", power, off);
    return c && fabs(power - off) <= tolerance * size * size;
}

/* A push is J' force, and what gravity exerts is that of the links' weights */
static int pushes_are_the_jacobian_transposed(void)
{
    static nsc_real J[6 * MOST], g[MOST];
    nsc_vec3 point, push, torque, none = vec(0, 0, 0);
    double size, worst = 0;
    int i, k, on, N;
    if (!any_moving_robot(1)) return 0;
    N = model.numbers;
    on = below(robot.links);
    point = any_vec(0.3), push = any_vec(1), torque = any_vec(1);
    CHECK(nsc_dynamics_set(&model, q, NULL) == NSC_OK);
    CHECK(nsc_dynamics_jacobian(&model, on, point, J) == NSC_OK);
    for (k = 0; k < N; k++) f[k] = 0;
    CHECK(nsc_dynamics_push(&model, on, point, push, torque, f) == NSC_OK);
    for (k = 0; k < N; k++)
        worst = fmax(worst, fabs(D(J[k]) * D(push.x) + D(J[N + k]) * D(push.y) + D(J[2 * N + k]) * D(push.z) +
                                 D(J[3 * N + k]) * D(torque.x) + D(J[4 * N + k]) * D(torque.y) + D(J[5 * N + k]) * D(torque.z) - D(f[k])));
    said("push off by %g", worst);
    if (worst > 100 * EPS) return 0;
    CHECK(nsc_dynamics_gravity(&model, g) == NSC_OK);
    size = most(g, N) + 1;
    for (i = 0; i < robot.links; i++)
        CHECK(nsc_dynamics_push(&model, i, model.link[i].middle, multiple(D(model.link[i].mass), model.gravity), none, g) == NSC_OK);
    said("weight off by %g of %g", most(g, N), size);
    return most(g, N) <= 100 * EPS * size;
}

/* ---- nsc's own step */

/* The robot in a world, in the model's state */
static int stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
static int enter(const nsc_dynamics *d)
{
    nsc_world_def def = nsc_default_world_def();
    int i, code;
    def.stepper = stepper;
    if (NSC_SMOOTH) def.contact_model = NSC_CONTACT_SMOOTH; /* all steppers take it; nothing touches here */
    def.solver.tolerance = REAL(in_double ? 1e-12 : 1e-7);
    def.solver.max_iterations = 2000;
    def.solver.max_factorizations = 100;
    def.joint_recovery = 0;
    def.gravity = d->gravity;
    nsc_world_init(&world, &def);
    code = nsc_world_set_hulls(&world, d->robot->hull, d->robot->hulls);
    if (code >= 0) code = nsc_robot_add(&world, d->robot, d->base, body, joint);
    for (i = 0; i < d->robot->links && code >= 0; i++) {
        code = nsc_body_set_pose(&world, body[i], d->link[i].pose);
        if (code >= 0 && d->link[i].mass > 0) code = nsc_body_set_velocity(&world, body[i], d->link[i].velocity[0], d->link[i].velocity[1]);
    }
    return code;
}

static int step(double h)
{
    nsc_calls calls;
    memset(&calls, 0, sizeof calls);
    calls.solve = nsc_solve_newton;
    return nsc_world_step_with(&world, REAL(h), &calls);
}

/* What nsc_dynamics_read makes of bodies and joints is what they were set to */
static int the_world_reads_back(void)
{
    static nsc_real p[2 * MOST], w[MOST];
    double off = 0, s;
    int i, k;
    if (!any_moving_robot(0)) return 0;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    if (enter(&model) < 0) return said("refused: %s", nsc_world_last_refusal(&world).field), 0;
    CHECK(nsc_dynamics_init(&other, &robot, model.base) == NSC_OK);
    CHECK(other.numbers == model.numbers);
    CHECK(nsc_dynamics_read(&other, &world, body, joint, p, w) == NSC_OK);
    for (k = 0; k < model.numbers; k++) off = fmax(off, fabs(D(v[k]) - D(w[k])));
    for (i = 0; i < robot.links; i++) {
        const nsc_dynamics_link *l = &model.link[i];
        for (k = l->place; k < l->place + l->count; k++) {
            s = fabs(D(p[k]) - D(q[k])) / 6.28318530717958647693; /* how often an axis has turned, a pose does not tell */
            if (l->turn < 0 && model.turns[l->first + k - l->place]) s -= floor(s + 0.5), s = fabs(s);
            if (l->count == 6 ? k < l->turn : l->turn < 0) off = fmax(off, s);
        }
        if (l->turn < 0) continue;
        s = sum_of(p + l->turn, q + l->turn, 4);
        off = fmax(off, fabs(fabs(s) - 1));
    }
    said("off by %g", off);
    return off < 100 * EPS;
}

/* From rest: a small step's change of velocities is h M^-1 (force - h) */
static int driven, pushed; /* trials, by how the forces came about */
static int a_step_accelerates_as_forward_dynamics(void)
{
    static nsc_real p[2 * MOST], w[MOST], b[MOST];
    const double h = in_double ? 1e-6 : 1e-3;
    double off = 0, size;
    int k, N, drives;
    drives = below(2);
    if (!any_moving_robot(drives)) return 0;
    N = model.numbers;
    CHECK(nsc_dynamics_set(&model, q, NULL) == NSC_OK);
    CHECK(forward(&model, a, b) == NSC_OK);
    if (enter(&model) < 0) return said("refused: %s", nsc_world_last_refusal(&world).field), 0;
    if (drives) { /* balls and free links have no drive, other links no armature without one */
        for (k = 0; k < robot.links; k++)
            if (model.link[k].turn >= 0) return 1;
        CHECK(nsc_dynamics_drive(&model, &world, joint, a) == NSC_OK);
        driven++;
    } else CHECK(apply(a) == NSC_OK), pushed++;
    CHECK(step(h) == NSC_OK);
    CHECK(nsc_dynamics_read(&model, &world, body, joint, p, w) == NSC_OK);
    size = most(b, N) + 1;
    for (k = 0; k < N; k++) off = fmax(off, fabs(D(w[k]) / h - D(b[k])));
    said("%d numbers, %s, off by %g of %g", N, drives ? "drives" : "forces", off, size);
    return off <= (in_double ? 1e-5 : 3e-2) * size;
}

/* In motion, with armature or without: what the axes' rates change by in a step that follows others, whose first brings velocities
   from those that hold the joints where they are to those that hold them where they go.  HHT begins with EULER_IMPLICIT, and what that
   leaves in the joints' forces dies out in 40 steps; in NEWMARK it does not.  Where all drift is undone in each step, rounding of
   positions over h is in the rates. */
static int with_armature;
static int it_accelerates_so_in_motion(void)
{
    static nsc_real p[2 * MOST], w[MOST], before[MOST], b[MOST];
    const int drifts = stepper == NSC_STEPPER_EULER_IMPLICIT_LINEARIZED || stepper == NSC_STEPPER_EULER_SYMPLECTIC;
    const double h = !in_double ? 1e-3 : drifts ? 1e-6 : 2e-5;
    double off = 0, size;
    int k, n, N, worst = 0;
    if (!any_moving_robot(with_armature)) return 0;
    N = model.numbers;
    for (k = 0; k < N; k++) f[k] = 0;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
    CHECK(forward(&model, f, b) == NSC_OK);
    if (enter(&model) < 0) return said("refused: %s", nsc_world_last_refusal(&world).field), 0;
    for (n = 0; n < (stepper == NSC_STEPPER_HHT ? 40 : 3); n++) {
        memcpy(before, w, sizeof w);
        if (n >= 3) {
            CHECK(nsc_dynamics_set(&model, p, w) == NSC_OK);
            CHECK(forward(&model, f, b) == NSC_OK);
        }
        CHECK(step(h) == NSC_OK);
        CHECK(nsc_dynamics_read(&model, &world, body, joint, p, w) == NSC_OK);
    }
    size = most(b, N) + 1;
    for (k = 0; k < N; k++)
        if (fabs((D(w[k]) - D(before[k])) / h - D(b[k])) > off) off = fabs((D(w[k]) - D(before[k])) / h - D(b[k])), worst = k;
    said("%d numbers, number %d off by %g of %g", N, worst, off, size);
    return off <= (!in_double ? 5e-2 : drifts ? 1e-4 : 2e-3) * size;
}

/* Two links that tumble in free space, joined by an axis with armature: their energy, armature included, stays for a second. */
static void an_armature_keeps_energy(void)
{
    static const int kinds[5] = {NSC_JOINT_HINGE, NSC_JOINT_SLIDER, NSC_JOINT_UNIVERSAL, NSC_JOINT_CYLINDRICAL, NSC_JOINT_PLANAR};
    static const double rates[8] = {0.2, 0.1, 0, 0.3, 0.2, 2, 0.8, 0.4};
    static nsc_real p[2 * MOST], w[MOST];
    double before, after;
    int i, k, n;
    for (i = 0; i < 5; i++) {
        if (!test_long() && (i + stepper) % sample(5, 2)) continue;
        CASE("joint %d, stepper %d", kinds[i], stepper);
        for (k = 0; k < 2; k++) link[k] = rod(1, vec(0, 0, 0), 0.02, 0.03, 0.045);
        entry[0] = held(kinds[i], 0, 1, pose_of(vec(0.15, 0, 0), quat(1, 0, 1, 0)));
        entry[0].frame_b = pose_of(vec(-0.15, 0, 0), quat(1, 0, 1, 0));
        entry[0].armature = REAL(0.3);
        entry[1] = held(NSC_ROBOT_AXIS, 0, 1, at_rest_frame(0, 0, 0));
        entry[1].armature = REAL(0.1);
        begin(2, kinds[i] == NSC_JOINT_HINGE || kinds[i] == NSC_JOINT_SLIDER ? 1 : 2, 0);
        CHECK(start() == NSC_OK);
        model.gravity = vec(0, 0, 0);
        for (k = 0; k < model.positions; k++) q[k] = REAL(k == 3);
        for (k = 0; k < model.numbers; k++) v[k] = REAL(k < 8 ? rates[k] : 0);
        CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
        before = energy_of(&model, NULL);
        CHECK(enter(&model) >= 0);
        for (n = 0; n < sample(400, 1000); n++) CHECK_ONCE(step(1e-3) >= 0);
        CHECK(nsc_dynamics_read(&model, &world, body, joint, p, w) == NSC_OK);
        CHECK(nsc_dynamics_set(&model, p, w) == NSC_OK);
        after = energy_of(&model, NULL);
        CHECK_NEAR(after / before, 1, 5e-3);
    }
    CASE_END();
}

/* For a second at 1 kHz, the forces of gravity alone keep any robot where it is. */
static int gravity_forces_hold_it_still(void)
{
    static nsc_real p[2 * MOST], w[MOST];
    double off = 0;
    int i, k, n;
    if (!any_moving_robot(0)) return 0;
    CHECK(nsc_dynamics_set(&model, q, NULL) == NSC_OK);
    CHECK(nsc_dynamics_gravity(&model, f) == NSC_OK);
    if (enter(&model) < 0) return 0;
    for (n = 0; n < 20; n++) {
        CHECK(apply(f) == NSC_OK);
        if (step(1e-3) < 0) return 0;
    }
    CHECK(nsc_dynamics_read(&model, &world, body, joint, p, w) == NSC_OK);
    for (k = 0; k < model.numbers; k++) off = fmax(off, fabs(D(w[k])));
    for (i = 0; i < robot.links; i++) {
        nsc_pose at;
        nsc_body_get_pose(&world, body[i], &at);
        off = fmax(off, D(length(minus(at.position, model.link[i].pose.position))));
    }
    said("moves by %g", off);
    return off < (in_double ? 1e-10 : 2e-3);
}

static void begin_tables(const nsc_robot *of)
{
    int k;
    CASE("%s", of->name);
    robot = *of;
    CHECK(nsc_dynamics_init(&model, of, at_rest_frame(0, 0, 1)) == NSC_OK);
    seed = 7;
    for (k = 0; k < model.positions; k++) q[k] = REAL(uniform(-0.3, 0.3));
    for (k = 0; k < model.numbers; k++) v[k] = 0;
    for (k = 0; k < of->links; k++)
        if (model.link[k].turn >= 0) q[model.link[k].turn] = 1;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK);
}

/* The tables of robot.py: gears are left out, the rest is held by gravity's forces */
static void tables_of_robots(void)
{
    static const nsc_robot *const robots[3] = {&arm, &crab, &quadruped};
    int i, k, n;
    for (i = 0; i < 3; i++) {
        begin_tables(robots[i]);
        for (k = n = 0; k < robots[i]->joints; k++)
            n += nsc_dynamics_number(&model, k) < 0 ? 0 : robots[i]->joint[k].kind == NSC_JOINT_BALL ? 3 : 1;
        CHECK(n == model.numbers - (i == 0 ? 0 : 6)); /* the crab's hand and the quadruped move freely */
        for (k = n = 0; k < robots[i]->joints; k++)
            n += robots[i]->joint[k].kind == NSC_JOINT_GEAR || robots[i]->joint[k].kind == NSC_JOINT_DISTANCE;
        CHECK(model.left_out == n);
        CHECK(nsc_dynamics_gravity(&model, f) == NSC_OK);
        CHECK(forward(&model, f, a) == NSC_OK);
        for (k = 0; k < model.numbers; k++) CHECK_NEAR(a[k], 0, in_double ? 1e-9 : 0.5);
    }
    CASE_END();
}

/* ---- what is refused */

static void refusals(void)
{
    static const nsc_vec3 none = {0};
    nsc_dynamics_point_state s;
    nsc_real J[12], x[2] = {0, 0}, kept = 77, moment;
    nsc_pose here = at_rest_frame(0, 0, 0), bad = here, from = here;
    double huge = 1e30;
    a_double_pendulum();
    bad.orientation.w = 0;
    CHECK(nsc_dynamics_init(NULL, &robot, here) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_init(&other, NULL, here) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_init(&other, &robot, bad) < 0);
    memset(&other, 0, sizeof other);
    CHECK(nsc_dynamics_set(&other, x, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_gravity(&other, x) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_init(&other, &robot, here) == NSC_OK);
    CHECK(nsc_dynamics_gravity(&other, x) == NSC_ERR_ARGUMENT); /* no state yet */
    CHECK(nsc_dynamics_inertia(&other, M) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_centre(&other, &kept, &s.place, &s.velocity) == NSC_ERR_ARGUMENT && D(kept) == 77);
    CHECK(nsc_dynamics_set(&other, NULL, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_read(&model, &world, body, joint, NULL, v) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_read(&model, &world, body, joint, q, NULL) == NSC_ERR_ARGUMENT);
    memcpy(&other, &model, sizeof other);
    x[1] = REAL(NAN);
    CHECK(nsc_dynamics_set(&other, x, NULL) == NSC_ERR_NOT_FINITE);
    x[1] = REAL(2e5);
    CHECK(nsc_dynamics_set(&other, x, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_set(&other, q, x) == NSC_ERR_ARGUMENT);
    CHECK(memcmp(&other, &model, sizeof other) == 0);
    x[1] = REAL(huge);
    f[0] = f[1] = kept;
    CHECK(nsc_dynamics_inverse(&other, x, f) == NSC_ERR_ARGUMENT);
    CHECK(D(f[0]) == 77 && D(f[1]) == 77);
    x[1] = REAL(INFINITY);
    CHECK(nsc_dynamics_inverse(&other, x, f) == NSC_ERR_NOT_FINITE);
    CHECK(D(f[0]) == 77 && D(f[1]) == 77);
    CHECK(nsc_dynamics_jacobian(&model, 3, none, J) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_jacobian(&model, -1, none, J) == NSC_ERR_ARGUMENT);
    CHECK(nsc_dynamics_point(&model, 2, vec(INFINITY, 0, 0), &s) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_dynamics_push(&model, 2, none, vec(0, NAN, 0), none, f) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_dynamics_push(&model, 2, none, none, vec(0, 0, 1e30), f) == NSC_ERR_NOT_FINITE);
    CHECK(D(f[0]) == 77 && D(f[1]) == 77);
    CHECK(nsc_dynamics_number(&model, 2) == NSC_ERR_ARGUMENT && nsc_dynamics_number(&model, -1) == NSC_ERR_ARGUMENT);
    other.gravity.x = REAL(NAN);
    CHECK(nsc_dynamics_gravity(&other, f) == NSC_ERR_NOT_FINITE);
    entry[1].frame_a.position.x = REAL(1e20); /* no NaN from what overflows; and a good state comes back after it */
    CHECK(start() == NSC_OK);
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_dynamics_gravity(&model, f) == NSC_ERR_ARGUMENT && D(f[0]) == 77);
    entry[1].frame_a.position.x = 0;
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_OK && nsc_dynamics_gravity(&model, f) == NSC_OK);
    /* Tables */
    link[2].mass = 0;
    CHECK(start() == NSC_ERR_INERTIA && nsc_dynamics_set(&model, q, v) == NSC_ERR_ARGUMENT);
    link[2].mass = 1;
    moment = link[1].inertia[0];
    link[1].inertia[0] = -1;
    CHECK(start() == NSC_ERR_INERTIA);
    link[1].inertia[0] = link[1].inertia[1] + link[1].inertia[2] + 1; /* no distribution of mass has it */
    CHECK(start() == NSC_ERR_INERTIA);
    link[1].inertia[0] = moment;
    CHECK(start() == NSC_OK);
    from.position.x = REAL(NAN);
    CHECK(nsc_dynamics_init(&model, &robot, from) == NSC_ERR_NOT_FINITE && nsc_dynamics_set(&model, q, v) == NSC_ERR_ARGUMENT);
    from.position.x = 0, from.orientation.w = 0;
    CHECK(nsc_dynamics_init(&model, &robot, from) == NSC_ERR_ARGUMENT);
    entry[1].parent = 3;
    CHECK(start() == NSC_ERR_ARGUMENT);
    entry[1].parent = 1;
    entry[1].frame_b.orientation.w = 0;
    CHECK(start() == NSC_ERR_ARGUMENT);
    entry[1].frame_b.orientation.w = 1;
    entry[1].kind = 77;
    CHECK(start() == NSC_ERR_ARGUMENT);
    entry[1].kind = NSC_JOINT_HINGE;
    robot.links = NSC_DYNAMICS_LINKS + 1;
    CHECK(start() == NSC_ERR_CAPACITY);
    CHECK(strstr(nsc_dynamics_error_text(NSC_ERR_CAPACITY), "NSC_DYNAMICS_LINKS") != NULL);
    CHECK(strstr(nsc_dynamics_error_text(NSC_ERR_ARGUMENT), "nsc_dynamics_init") && strstr(nsc_dynamics_error_text(NSC_ERR_INERTIA), "armature"));
    CHECK(strcmp(nsc_dynamics_error_text(NSC_ERR_HANDLE), nsc_error_text(NSC_ERR_HANDLE)) == 0);
    robot.links = 3;
    entry[1].armature = -1;
    CHECK(start() == NSC_ERR_INERTIA);
    entry[1].armature = 0;
    entry[2] = held(NSC_ROBOT_AXIS, 99, 1, here); /* a further axis of no entry */
    robot.joints = 3;
    CHECK(start() == NSC_ERR_ARGUMENT);
    /* A loop, a ring of two without a base, a link that hangs on nothing: no error, the latter moves freely */
    entry[2] = held(NSC_JOINT_HINGE, 0, 2, here);
    robot.joints = 3;
    CHECK(start() == NSC_OK && model.left_out == 1 && model.numbers == 2 && nsc_dynamics_number(&model, 2) == NSC_ERR_ARGUMENT);
    entry[0].parent = 2;
    robot.joints = 2;
    CHECK(start() == NSC_OK && model.left_out == 1 && model.numbers == 7);
    robot.joints = 1;
    CHECK(start() == NSC_OK && model.left_out == 0 && model.numbers == 7);
    memset(q, 0, sizeof q);
    CHECK(nsc_dynamics_set(&model, q, v) == NSC_ERR_NOT_FINITE); /* an orientation of length 0 */
}

static void too_many_numbers(void)
{
    int i;
    for (i = 0; i < LINKS; i++) link[i] = rod(1, vec(0, 0, 0), 1, 1, 1);
    begin(LINKS, 0, 0);
    CHECK(start() == (6 * LINKS > MOST ? NSC_ERR_CAPACITY : NSC_OK));
}

int main(int argc, char **argv)
{
    int n;
    test_begin(argc, argv);
    a_pendulum();
    a_double_pendulum();
    a_free_body();
    search("inertia is that of the links", inertia_is_that_of_the_links, trials(40, 2000));
    search("inverse and forward agree", inverse_and_forward_agree, trials(40, 2000));
    search("motion is that of differences", motion_is_that_of_differences, trials(40, 2000));
    search("pushes are the Jacobian transposed", pushes_are_the_jacobian_transposed, trials(40, 2000));
    search("the world reads back", the_world_reads_back, trials(30, 1000));
    n = trials(30, 1000);
    if (search("a step accelerates as forward dynamics", a_step_accelerates_as_forward_dynamics, n)) CHECK(20 * driven > n && 4 * pushed > n);
    search("it accelerates so in motion", it_accelerates_so_in_motion, trials(30, 1000));
    with_armature = 1;
    for (stepper = 1; stepper <= (NSC_STEPPERS ? NSC_STEPPER_NEWMARK : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED); stepper++) {
        if (stepper <= NSC_STEPPER_EULER_FORWARD || (in_double && stepper < NSC_STEPPER_NEWMARK)) search("it accelerates so in motion with armature", it_accelerates_so_in_motion, trials(30, 1000));
        an_armature_keeps_energy();
    }
    stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
    search("gravity's forces hold it still", gravity_forces_hold_it_still, trials(15, 300));
    tables_of_robots();
    refusals();
    too_many_numbers();
    return TEST_END("dynamics");
}
