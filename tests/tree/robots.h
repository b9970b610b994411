/* robots.h - problems of TREE: bodies, joints of all kinds, contacts, random robots; how they are solved.  Included behind shared.h and
   search.h. */
#ifndef NSC_TEST_ROBOTS_H
#define NSC_TEST_ROBOTS_H
#include <math.h>
#include "by.h"

enum { BODIES = 24, BLOCKS = 120, ROWS = 3 * BLOCKS, WIDE = 60, ARENA = 100000 };
static nsc_mass masses[BODIES];
static nsc_real v_free[6 * BODIES], v[6 * BODIES], first[6 * BODIES], arena[ARENA];
static nsc_block blocks[BLOCKS];
static const int is_double = sizeof(nsc_real) == 8;

static double place[BODIES][3], goal[BODIES][6]; /* velocities that every joint allows */

NSC_MAYBE_UNUSED static nsc_real rnd(void) { return (nsc_real)uniform(-1, 1); }
NSC_MAYBE_UNUSED static double size_of(double x) { return x < 0 ? -x : x; }

/* A random orthonormal frame, by rows */
NSC_MAYBE_UNUSED static void frame(double d[3][3])
{
    double q[4], s = 0;
    int i;
    for (i = 0; i < 4; i++) q[i] = uniform(-1, 1), s += q[i] * q[i];
    if (s < 0.01) q[0] = 1, q[1] = q[2] = q[3] = 0, s = 1;
    for (i = 0; i < 4; i++) q[i] /= sqrt(s);
    d[0][0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]), d[0][1] = 2 * (q[1] * q[2] - q[0] * q[3]), d[0][2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    d[1][0] = 2 * (q[1] * q[2] + q[0] * q[3]), d[1][1] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]), d[1][2] = 2 * (q[2] * q[3] - q[0] * q[1]);
    for (i = 0; i < 3; i++) d[2][i] = d[0][(i + 1) % 3] * d[1][(i + 2) % 3] - d[0][(i + 2) % 3] * d[1][(i + 1) % 3];
}

/* Row i of block k along d, or about it, at a point */
NSC_MAYBE_UNUSED static void row(nsc_block *k, int i, const double *d, int turn, const double *point)
{
    int end, c;
    for (end = 0; end < 2; end++) {
        double r[3], sign = end ? 1 : -1;
        nsc_real *J = k->J[i] + 6 * end;
        for (c = 0; c < 3; c++) r[c] = point[c] - place[end ? k->b : k->a][c];
        for (c = 0; c < 3; c++) {
            int m = (c + 1) % 3, n = (c + 2) % 3;
            J[c] = (nsc_real)(turn ? 0 : sign * d[c]);
            J[3 + c] = (nsc_real)(turn ? sign * d[c] : sign * (r[m] * d[n] - r[n] * d[m]));
        }
    }
}

NSC_MAYBE_UNUSED static nsc_block *add(nsc_problem *p, int kind, int a, int b)
{
    nsc_block *k = &blocks[p->block_count];
    if (p->block_count == BLOCKS) return NULL;
    p->block_count++;
    memset(k, 0, sizeof *k);
    k->a = a, k->b = b, k->kind = (unsigned char)kind;
    return k;
}

/* The rows that a kind of nsc_joints.h holds: bits 0-2 along, 3-5 about the axes of the joint */
enum { BALL = 7, HINGE = 7 + 24, SLIDER = 3 + 56, FIXED = 63, UNIVERSAL = 7 + 8, CYLINDRICAL = 3 + 24, PLANAR = 4 + 24, ROD = 1, FREE = 0 };
static const int kinds[9] = {HINGE, BALL, SLIDER, FIXED, UNIVERSAL, CYLINDRICAL, PLANAR, ROD, FREE};

/* What acts on axes: chances of each */
typedef struct on_axes {
    double springs, servos, friction, limits, soft;
} on_axes;

/* A joint of bodies a and b at a point, its frame d; springs, servos, friction and limits on its free axes */
NSC_MAYBE_UNUSED static void joint(nsc_problem *p, int held, int a, int b, double (*d)[3], const double *point, const on_axes *on)
{
    nsc_block *k = NULL;
    int i, c, what, turns;
    for (turns = 0; turns < 2; turns++)
        for (i = 0, k = NULL; i < 3; i++) {
            if (!(held >> (3 * turns + i) & 1)) continue;
            if (!k) k = add(p, NSC_BLOCK_EQUALITY, a, b);
            if (!k) return;
            row(k, k->rows, d[i], turns, point);
            for (c = 0; c < 6; c++)
                k->bias[k->rows] -= (nsc_real)((double)k->J[k->rows][c] * goal[a][c] + (double)k->J[k->rows][6 + c] * goal[b][c]);
            if (uniform(0, 1) < on->soft) k->cfm[k->rows] = (nsc_real)uniform(0.01, 1);
            k->rows++;
        }
    for (i = 0, k = NULL; i < 6; i++)
        for (what = 0; what < 4 && held; what++) {
            double chance = what == 0 ? on->springs : what == 1 ? on->servos : what == 2 ? on->friction : on->limits;
            if (held >> i & 1 || uniform(0, 1) >= chance) continue;
            if (!k || k->rows == 3) k = add(p, NSC_BLOCK_BOX, a, b);
            if (!k) return;
            row(k, k->rows, d[i % 3], i > 2, point);
            k->lo[k->rows] = -NSC_REAL_MAX, k->hi[k->rows] = NSC_REAL_MAX;
            if (what < 2) k->cfm[k->rows] = (nsc_real)uniform(0.05, 5), k->bias[k->rows] = rnd();
            if (what == 1 || what == 2) k->hi[k->rows] = (nsc_real)uniform(0.002, 0.1), k->lo[k->rows] = -k->hi[k->rows];
            if (what == 3) k->lo[k->rows] = 0, k->bias[k->rows] = (nsc_real)uniform(-0.1, 0.3);
            k->rows++;
        }
}

NSC_MAYBE_UNUSED static void contact(nsc_problem *p, int a, int b)
{
    double d[3][3], point[3];
    nsc_block *k = add(p, NSC_BLOCK_CONTACT, a, b);
    int i;
    if (!k) return;
    frame(d);
    if (d[0][2] < 0)
        for (i = 0; i < 3; i++) d[0][i] = -d[0][i], d[1][i] = -d[1][i];
    for (i = 0; i < 3; i++) point[i] = place[b][i] + 0.3 * uniform(-1, 1);
    k->rows = below(8) ? 3 : 1, k->mu = (nsc_real)uniform(0, 1);
    for (i = 0; i < 3; i++) row(k, i, d[i], 0, point);
    k->bias[0] = (nsc_real)uniform(-0.05, 0.1);
    if (k->rows == 3 && below(4) == 0 && (k = add(p, NSC_BLOCK_ROLLING, a, b)) != NULL) {
        k->rows = 3, k->mu = NSC_R(0.05), k->hi[0] = NSC_R(0.03);
        for (i = 0; i < 3; i++) row(k, i, d[i], 1, point);
    }
}

NSC_MAYBE_UNUSED static nsc_problem empty(int bodies)
{
    nsc_problem p;
    memset(&p, 0, sizeof p);
    memset(masses, 0, sizeof masses), memset(v_free, 0, sizeof v_free), memset(place, 0, sizeof place), memset(goal, 0, sizeof goal);
    p.body_count = bodies, p.masses = masses, p.v_free = v_free, p.v = v, p.blocks = blocks;
    p.arena = arena, p.arena_size = ARENA;
    return p;
}

/* A body: 1 a particle, 2 one that cannot turn about an axis */
NSC_MAYBE_UNUSED static void body(int i, double mass, int special)
{
    int c;
    masses[i].inv_mass = (nsc_real)(1 / mass);
    for (c = 0; c < 3 && special != 1; c++) masses[i].inv_inertia[c] = (nsc_real)(uniform(8, 20) / mass);
    for (c = 3; c < 6 && special == 0; c++) masses[i].inv_inertia[c] = (nsc_real)(uniform(-2, 2) / mass);
    if (special == 2) masses[i].inv_inertia[1] = 0;
    for (c = 0; c < 6; c++) v_free[6 * i + c] = special == 1 && c > 2 ? 0 : NSC_R(0.3) * rnd(), goal[i][c] = special == 1 && c > 2 ? 0 : 0.3 * uniform(-1, 1);
    if (special == 2) goal[i][4] = (double)v_free[6 * i + 4];
}

/* Trees of bodies at random, some on the ground or on a moving base; so many loops and contacts.  most: the greatest mass ratio */
NSC_MAYBE_UNUSED static nsc_problem robot(int bodies, int loops, int contacts, const on_axes *on, double most)
{
    nsc_problem p = empty(bodies);
    int i, c;
    double d[3][3], point[3];
    for (i = 1; i < bodies; i++) {
        int parent = below(i), held = kinds[below(9)], special = below(8);
        if (i == 1 && below(3) == 0) { /* immovable, but it moves */
            for (c = 0; c < 6; c++) v_free[6 * i + c] = NSC_R(0.2) * rnd(), goal[i][c] = (double)v_free[6 * i + c];
            for (c = 0; c < 3; c++) place[i][c] = uniform(-1, 1);
            continue;
        }
        if (special == 1 && held != FREE) held = below(2) ? BALL : ROD;
        body(i, exp(uniform(0, log(most))), special);
        for (c = 0; c < 3; c++) point[c] = place[parent][c] + uniform(-0.4, 0.4), place[i][c] = point[c] + (special == 1 && held == BALL ? 0 : uniform(-0.4, 0.4));
        if (special == 1 && held == ROD)
            for (c = 0; c < 3; c++) point[c] = place[i][c];
        frame(d);
        joint(&p, held, parent, i, d, point, on);
    }
    for (i = 0; i < loops; i++) {
        int a = below(bodies), b = below(bodies);
        for (c = 0; c < 3; c++) point[c] = (place[a][c] + place[b][c]) / 2;
        frame(d);
        if (a != b) joint(&p, below(2) ? BALL : ROD, a, b, d, point, on);
    }
    for (i = 0; i < contacts; i++) {
        int b = 1 + below(bodies - 1), a = below(3) ? 0 : below(bodies);
        if (a != b) contact(&p, a, b);
    }
    return p;
}

NSC_MAYBE_UNUSED static nsc_settings exact(int law)
{
    nsc_settings s = default_settings();
    s.law = law, s.warm_start = 0, s.max_iterations = 20000;
    s.tolerance = is_double ? NSC_R(1e-10) : NSC_R(1e-6);
    return s;
}

NSC_MAYBE_UNUSED static nsc_report solve(nsc_problem *p, int solver, const nsc_settings *s)
{
    nsc_report r;
    memset(&r, 0, sizeof r);
    CHECK_ONCE(nsc_problem_prepare(p) == NSC_OK);
    solved_by = solver;
    CHECK_ONCE(solve_by(p, s, &r) >= 0);
    return r;
}

NSC_MAYBE_UNUSED static double difference(const nsc_problem *p)
{
    double worst = 0;
    int i;
    for (i = 0; i < 6 * p->body_count; i++)
        if (!(size_of((double)(v[i] - first[i])) <= worst)) worst = size_of((double)(v[i] - first[i]));
    return worst;
}

/* A chain of n hinges on the ground, all links alike */
NSC_MAYBE_UNUSED static nsc_problem chain(int n)
{
    static const on_axes nothing = {0, 0, 0, 0, 0};
    nsc_problem p = empty(n + 1);
    int i, c;
    for (i = 1; i <= n; i++) {
        double d[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, point[3] = {0, 0, 0};
        point[0] = i - 1, place[i][0] = i - 0.5;
        masses[i].inv_mass = 1;
        for (c = 0; c < 3; c++) masses[i].inv_inertia[c] = 12;
        v_free[6 * i + 2] = NSC_R(-0.1);
        joint(&p, HINGE, i - 1, i, d, point, &nothing);
    }
    return p;
}
#endif
