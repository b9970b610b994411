/* scenes.h - what is simulated, for every engine alike; a little vector maths.  C99 that is C++ too. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- >>maths --------------------------------------------------------------------------------- */

static const double PI = 3.14159265358979323846;
typedef struct v3 { double x, y, z; } v3;
typedef struct q4 { double w, x, y, z; } q4;

static v3 vec(double x, double y, double z)
{
    v3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

static q4 quat(double w, double x, double y, double z)
{
    q4 q;
    q.w = w, q.x = x, q.y = y, q.z = z;
    return q;
}

static v3 add(v3 a, v3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static v3 sub(v3 a, v3 b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static v3 mul(double s, v3 a) { return vec(s * a.x, s * a.y, s * a.z); }
static double dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static v3 cross(v3 a, v3 b) { return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static double len(v3 a) { return sqrt(dot(a, a)); }
static v3 unit(v3 a) { return mul(1 / len(a), a); }
static q4 conj4(q4 q) { return quat(q.w, -q.x, -q.y, -q.z); }
static q4 turn(v3 axis, double angle)
{
    double s = sin(angle / 2);
    return quat(cos(angle / 2), s * axis.x, s * axis.y, s * axis.z);
}

static q4 times(q4 a, q4 b)
{
    v3 u = vec(a.x, a.y, a.z), v = vec(b.x, b.y, b.z), c = add(add(mul(a.w, v), mul(b.w, u)), cross(u, v));
    return quat(a.w * b.w - dot(u, v), c.x, c.y, c.z);
}

static v3 rotate(q4 q, v3 v)
{
    v3 u = vec(q.x, q.y, q.z), t = mul(2, cross(u, v));
    return add(add(v, mul(q.w, t)), cross(u, t));
}

/* ---- >>scenes -------------------------------------------------------------------------------- */

enum { BOX, SPHERE, CYLINDER, HULL, NONE }; /* shape.kind; a hull here has 8 corners and 6 quadrangles */
enum { MEET_NOTHING, MEET_GROUND, MEET_ALL };
enum { MAX_SHAPES = 4, MAX_BODIES = 4096, MAX_PLANES = 5, MAX_JOINTS = 64 };
enum { BALL, HINGE };

typedef struct shape {
    int kind;
    v3 half;             /* box; cylinder: half.z, its axis is z        */
    double radius;       /* sphere, cylinder                            */
    v3 corner[8];        /* box, hull: round the lower end, round the upper */
    v3 normal[6], edge[12];
    int normals, edges;  /* those not parallel to another               */
    double reach;        /* radius of a ball that holds it              */
    v3 inertia;          /* principal, of 1 kg                          */
} shape;
static const int shape_face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

typedef struct body {
    int shape;
    double mass;
    v3 inertia, place, at; /* principal; centre of mass; shape in the body's frame */
    v3 v, w;               /* velocities at the start */
    q4 turned;
} body;
typedef struct plane { /* n.x >= d is free */
    v3 n;
    double d, extent;  /* half size for an engine without endless planes */
    q4 turned;         /* takes z to n */
} plane;
typedef struct joint { /* position 0 is how it begins; torque on b: -stiffness angle + damping (velocity - rate) */
    int kind, a, b;    /* a: -1 is the world */
    v3 anchor, axis;
    double stiffness, damping, velocity, most; /* most 0: not driven */
} joint;
typedef struct scene {
    const char *name;
    int shapes, bodies, planes, joints, meet;
    int moves;  /* the targets of its servos do */
    int falls;  /* judged by its worst second: the slowest, and the deepest penetration of the whole run */
    int sleeps; /* bodies at rest may sleep; in the other scenes they may not */
    int worlds; /* > 0: so many are built, run and removed, one after another, and all that is timed */
    shape shape_[MAX_SHAPES];
    body body_[MAX_BODIES];
    plane plane_[MAX_PLANES];
    joint joint_[MAX_JOINTS];
    double friction, gravity, seconds, slope;
    v3 downhill;
} scene;
typedef struct state { v3 p, v, w; q4 q; } state; /* of the centre of mass, world */

static const char *const scene_names[] = {"S1_stack10", "S2_pyramid210", "S3_pile512", "S4_heavy", "S5_stick", "S5_slip",
                                          "S6_chain30", "S7_arch15", "X1_small10", "rover", "quadruped",
                                          "S3_fall512", "S8_fall512", "S9_awake1000", "S10_worlds5", NULL};
static const double GRAVITY = 9.81, FRICTION = 0.5, ROVER_SPEED = 0.5;
static scene the_scene;

static v3 box_inertia(v3 h)
{
    return vec((h.y * h.y + h.z * h.z) / 3, (h.x * h.x + h.z * h.z) / 3, (h.x * h.x + h.y * h.y) / 3);
}

static int collect(v3 *list, int n, v3 a)
{
    int i;
    a = unit(a);
    for (i = 0; i < n; i++)
        if (fabs(dot(a, list[i])) > 1 - 1e-9) return n;
    list[n] = a;
    return n + 1;
}

static shape *new_shape(scene *s, int kind, v3 half, double radius)
{
    shape *k = &s->shape_[s->shapes++];
    double r2 = radius * radius, across = r2 / 4 + half.z * half.z / 3;
    int i, j;
    k->kind = kind, k->half = half, k->radius = radius;
    if (kind == SPHERE) k->inertia = vec(0.4 * r2, 0.4 * r2, 0.4 * r2);
    if (kind == CYLINDER) k->inertia = vec(across, across, r2 / 2);
    k->reach = kind == SPHERE ? radius : sqrt(r2 + half.z * half.z);
    if (kind == BOX) {
        k->inertia = box_inertia(half);
        for (i = 0; i < 8; i++) k->corner[i] = vec((i + 1) & 2 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    if (kind == HULL) { /* a voussoir: half.x at the inner edge, radius at the outer, half.y deep, from -half.z up; its centre is 0 */
        double xi = half.x, xo = radius, b = half.y, low = -half.z, tall = half.z * 3 * (xi + xo) / (xi + 2 * xo), xx = 0, zz = 0, w = 0;
        for (i = 0; i < 8; i++) {
            double x = i & 4 ? xo : xi;
            k->corner[i] = vec((i + 1) & 2 ? x : -x, i & 2 ? b : -b, i & 4 ? low + tall : low);
        }
        for (i = 0; i <= 64; i++) { /* Simpson: exact here */
            double z = low + tall * i / 64, x = xi + (xo - xi) * i / 64, f = i % 64 == 0 ? 1 : i % 2 ? 4 : 2;
            w += f * x, xx += f * x * x * x / 3, zz += f * x * z * z;
        }
        k->inertia = vec(zz / w + b * b / 3, (xx + zz) / w, xx / w + b * b / 3);
    }
    if (kind == BOX || kind == HULL)
        for (i = 0, k->reach = 0; i < 6; i++) {
            const int *f = shape_face[i];
            v3 from = k->corner[f[0]];
            k->normals = collect(k->normal, k->normals, cross(sub(k->corner[f[1]], from), sub(k->corner[f[2]], from)));
            for (j = 0; j < 4; j++) {
                k->edges = collect(k->edge, k->edges, sub(k->corner[f[(j + 1) % 4]], k->corner[f[j]]));
                if (len(k->corner[f[j]]) > k->reach) k->reach = len(k->corner[f[j]]);
            }
        }
    return k;
}

static body *new_body(scene *s, double mass, v3 place, q4 turned)
{
    body *b = &s->body_[s->bodies++];
    b->shape = s->shapes - 1; /* the latest */
    b->mass = mass, b->place = place, b->turned = turned;
    b->inertia = mul(mass, s->shape_[b->shape].inertia);
    return b;
}

static void new_plane(scene *s, q4 turned, double d, double extent)
{
    plane *p = &s->plane_[s->planes++];
    p->turned = turned, p->n = rotate(turned, vec(0, 0, 1)), p->d = d, p->extent = extent;
}

static joint *new_joint(scene *s, int kind, int a, int b, v3 anchor, v3 axis)
{
    joint *j = &s->joint_[s->joints++];
    j->kind = kind, j->a = a, j->b = b, j->anchor = anchor, j->axis = axis;
    return j;
}

static double jitter(unsigned long long *seed) /* in [-1, 1) */
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void make_quadruped(scene *s)
{
    const double bone = 0.16, foot = 0.02, angle = 0.65; /* of the thigh to the vertical */
    const double across = bone * sin(angle), down = bone * cos(angle), hip_z = 2 * down + foot, trunk_z = hip_z - 0.02;
    const v3 thin = vec(0.015, 0.015, bone / 2);
    int leg, i, trunk = 0;
    q4 none = quat(1, 0, 0, 0);
    s->meet = MEET_GROUND;
    new_shape(s, BOX, vec(0.2, 0.08, 0.06), 0);
    new_body(s, 5, vec(0, 0, trunk_z), none);
    new_shape(s, NONE, vec(0, 0, 0), 0);
    for (leg = 0; leg < 4; leg++) {
        double x = leg < 2 ? 0.17 : -0.17, side = leg % 2 ? -1 : 1;
        v3 hip = vec(x, side * 0.12, hip_z), knee = vec(x - across, hip.y, hip_z - down);
        int first = s->bodies;
        new_body(s, 0.25, vec(x, side * 0.1, hip_z), none)->inertia = mul(0.25, box_inertia(vec(0.03, 0.03, 0.03)));
        new_body(s, 0.3, mul(0.5, add(hip, knee)), turn(vec(0, 1, 0), angle))->inertia = mul(0.3, box_inertia(thin));
        new_body(s, 0.2, vec(x - across / 2, hip.y, knee.z - down / 2), turn(vec(0, 1, 0), -angle))->inertia = mul(0.2, box_inertia(thin));
        s->body_[first + 2].shape = 2;
        s->body_[first + 2].at = vec(0, 0, -bone / 2);
        for (i = 0; i < 3; i++) {
            v3 anchor = i == 0 ? vec(x, side * 0.08, hip_z) : i == 1 ? hip : knee;
            joint *j = new_joint(s, HINGE, i == 0 ? trunk : first + i - 1, first + i, anchor, vec(i == 0, i > 0, 0));
            j->stiffness = 100, j->damping = 2, j->most = 12;
        }
    }
    new_shape(s, SPHERE, vec(0, 0, 0), foot);
}

#ifdef ENGINE_TARGETS
/* Where the servos of the robot are to be at a time: it crouches and rises once a second, its feet
   below its hips, and sways to the side once in two. */
static void target_of(int j, double time, double *angle, double *rate)
{
    static const double size[3] = {0.08, 0.15, -0.3}, turns[3] = {0.5, 1, 1};
    double omega = 2 * PI * turns[j % 3];
    *angle = size[j % 3] * sin(omega * time);
    *rate = size[j % 3] * omega * cos(omega * time);
}
#endif

static void make_rover(scene *s)
{
    const double radius = 0.1;
    int i;
    s->meet = MEET_GROUND;
    new_shape(s, BOX, vec(0.35, 0.15, 0.06), 0);
    new_body(s, 8, vec(0, 0, 0.16), quat(1, 0, 0, 0));
    new_shape(s, CYLINDER, vec(0, 0, 0.03), radius);
    for (i = 0; i < 6; i++) {
        v3 at = vec(0.25 * (i / 2 - 1), i % 2 ? -0.2 : 0.2, radius);
        joint *j;
        new_body(s, 0.5, at, turn(vec(1, 0, 0), -PI / 2)); /* its axis along y */
        j = new_joint(s, HINGE, 0, i + 1, at, vec(0, 1, 0));
        j->damping = 0.1, j->velocity = ROVER_SPEED / radius, j->most = 0.5;
    }
}

/* yaw: of the slope, times 11.25 degrees.  A number in a name is the number of bodies.  0: no such scene. */
static int make_scene(scene *s, const char *name, int yaw)
{
    const q4 none = quat(1, 0, 0, 0);
    const char *digit = name + strcspn(name, "_");
    int i, n, k = 0, row, small = !strncmp(name, "X1_small", 8);
    digit += strcspn(digit, "0123456789");
    n = atoi(digit);
    memset(s, 0, sizeof *s);
    s->name = name, s->friction = FRICTION, s->gravity = GRAVITY, s->seconds = 5, s->meet = MEET_ALL;
    if (n > MAX_BODIES || (*digit && n < 1)) return 0;
    if (small || !strncmp(name, "S1_stack", 8) || !strcmp(name, "S4_heavy")) {
        double half = small ? 0.01 : 0.5; /* 1:50, lengths in the engines' settings left alone */
        new_plane(s, none, 0, small ? 0.5 : 25);
        new_shape(s, BOX, vec(half, half, half), 0);
        if (!n) n = 6;
        for (i = 0; i < n; i++) new_body(s, small ? 0.008 : i == 5 && name[1] == '4' ? 1000 : 1, vec(0, 0, (2 * i + 1) * half), none);
    } else if (!strncmp(name, "S2_pyramid", 10)) {
        while (k * (k + 1) / 2 < n) k++;
        new_plane(s, none, 0, 25);
        new_shape(s, BOX, vec(0.5, 0.5, 0.5), 0);
        for (row = 0; row < k; row++)
            for (i = 0; i < k - row && s->bodies < n; i++) new_body(s, 1, vec(1.05 * (i - 0.5 * (k - 1 - row)), 0, row + 0.5), none);
    } else if (!strncmp(name, "apart_", 6)) {
        int side = n > 1024 ? 64 : 32;
        new_plane(s, none, 0, n > 1024 ? 150 : 50);
        new_shape(s, BOX, vec(0.5, 0.5, 0.5), 0);
        for (i = 0; i < n; i++) new_body(s, 1, vec(2.0 * (i % side), 2.0 * (i / side), 0.5), none);
    } else if (!strncmp(name, "S3_pile", 7) || !strncmp(name, "S3_fall", 7)) {
        unsigned long long seed = 0x9E3779B97F4A7C15ULL;
        s->falls = name[3] == 'f';
        while (k * k * k < n) k++;
        new_plane(s, none, 0, 4);
        for (i = 0; i < 4; i++) new_plane(s, times(turn(vec(0, 0, 1), i * PI / 2), turn(vec(0, 1, 0), PI / 2)), -0.125 * k, 4);
        new_shape(s, SPHERE, vec(0, 0, 0), 0.1);
        for (i = 0; i < n; i++) {
            double x = 0.01 * jitter(&seed), y = 0.01 * jitter(&seed), z = 0.01 * jitter(&seed), mid = 0.5 * (k - 1);
            new_body(s, 1, vec(x + 0.24 * (i % k - mid), y + 0.24 * (i / k % k - mid), z + 0.15 + 0.24 * (i / k / k)), none);
        }
    } else if (!strncmp(name, "S8_fall", 7)) { /* cubes turned anyhow fall into a bin */
        unsigned long long seed = 0x9E3779B97F4A7C15ULL;
        s->falls = 1;
        while (k * k * k < n) k++;
        new_plane(s, none, 0, 8);
        for (i = 0; i < 4; i++) new_plane(s, times(turn(vec(0, 0, 1), i * PI / 2), turn(vec(0, 1, 0), PI / 2)), -0.17 * k, 8);
        new_shape(s, BOX, vec(0.1, 0.1, 0.1), 0);
        for (i = 0; i < n; i++) {
            double x = jitter(&seed), y = jitter(&seed), z = jitter(&seed), mid = 0.5 * (k - 1);
            q4 turned = turn(unit(vec(x, y, z + 1e-3)), 3 * jitter(&seed));
            new_body(s, 1, vec(0.33 * (i % k - mid), 0.33 * (i / k % k - mid), 0.25 + 0.36 * (i / k / k)), turned);
        }
    } else if (!strncmp(name, "S9_awake", 8)) { /* stacks of ten, asleep, and a tenth of all bodies: balls that roll */
        s->sleeps = 1;
        new_plane(s, none, 0, 100);
        new_shape(s, BOX, vec(0.5, 0.5, 0.5), 0);
        for (i = 0; i < n - n / 10; i++) new_body(s, 1, vec(3.0 * (i / 10 % 10), 3.0 * (i / 100), i % 10 + 0.5), none);
        new_shape(s, SPHERE, vec(0, 0, 0), 0.1);
        for (i = 0; i < n / 10; i++) {
            body *b = new_body(s, 1, vec(-10, 0.5 * i, 0.1), none);
            b->v = vec(1, 0, 0), b->w = vec(0, 10, 0);
        }
    } else if (!strncmp(name, "S10_worlds", 10)) { /* a stack in each, a quarter of a second */
        s->worlds = 1000, s->seconds = 0.25;
        new_plane(s, none, 0, 25);
        new_shape(s, BOX, vec(0.5, 0.5, 0.5), 0);
        for (i = 0; i < n; i++) new_body(s, 1, vec(0, 0, i + 0.5), none);
    } else if (!strcmp(name, "S5_stick") || !strcmp(name, "S5_slip")) {
        q4 q;
        s->slope = atan((name[4] == 't' ? 0.98 : 1.2) * FRICTION);
        q = times(turn(vec(0, 0, 1), yaw * PI / 16), turn(vec(0, 1, 0), s->slope));
        s->downhill = rotate(q, vec(1, 0, 0));
        new_plane(s, q, 0, 50);
        new_shape(s, BOX, vec(0.5, 0.5, 0.5), 0);
        new_body(s, 1, mul(0.5, s->plane_[0].n), q);
    } else if (!strncmp(name, "S6_chain", 8) && n <= MAX_JOINTS) {
        s->meet = MEET_NOTHING;
        new_shape(s, BOX, vec(0.1, 0.025, 0.025), 0);
        for (i = 0; i < n; i++) {
            new_body(s, 1, vec(0.2 * i + 0.1, 0, 0), none);
            new_joint(s, BALL, i - 1, i, vec(0.2 * i, 0, 0), vec(0, 1, 0));
        }
    } else if (!strncmp(name, "S7_arch", 7)) {
        double half = PI / (2 * n), xi = 4 * sin(half), xo = 5 * sin(half), zi = 4 * cos(half), zo = 5 * cos(half);
        double centre = zi + (zo - zi) / 3 * (xi + 2 * xo) / (xi + xo);
        new_plane(s, none, 0, 25);
        new_shape(s, HULL, vec(xi, 0.5, centre - zi), xo);
        for (i = 0; i < n; i++) {
            double a = (i + 0.5) * PI / n;
            new_body(s, 1, vec(centre * cos(a), 0, centre * sin(a)), turn(vec(0, 1, 0), PI / 2 - a));
        }
    } else if (!strcmp(name, "rover") || !strcmp(name, "quadruped") || !strcmp(name, "robot")) {
        new_plane(s, none, 0, 25);
        s->moves = !strcmp(name, "robot");
        if (!strcmp(name, "rover")) make_rover(s);
        else make_quadruped(s);
    } else {
        return 0;
    }
    return 1;
}
#endif
