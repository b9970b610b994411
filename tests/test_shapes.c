/* Cylinders, hulls and terrain: against an oracle that tries directions, and scenes with known answers. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_HULLS 12
#define NSC_MAX_FIELDS 1
#define NSC_FIELD_SAMPLES 4096
#define NSC_MAX_CONTACTS 160
#define NSC_ARENA 0
#include "../nsc.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>

#define REAL(x) ((nsc_real)(x))
#define D(x) ((double)(x))
static const double pi = 3.14159265358979323846, g = 9.81;
static const int is_double = sizeof(nsc_real) == 8;
static nsc_world world, before;
static double mu = 0.5;

/* ---- numbers ---- */

static uint32_t seed = 12345;
static double uniform(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (double)(seed >> 8) / 16777216.0;
}

static nsc_vec3 vec(double x, double y, double z)
{
    nsc_vec3 v;
    NSCI_CLEAR(v);
    v.x = REAL(x), v.y = REAL(y), v.z = REAL(z);
    return v;
}

static double dot(nsc_vec3 a, nsc_vec3 b) { return D(a.x) * D(b.x) + D(a.y) * D(b.y) + D(a.z) * D(b.z); }
static nsc_vec3 minus(nsc_vec3 a, nsc_vec3 b) { return vec(D(a.x) - D(b.x), D(a.y) - D(b.y), D(a.z) - D(b.z)); }
static double length(nsc_vec3 a) { return sqrt(dot(a, a)); }

static nsc_quat quat(double w, double x, double y, double z)
{
    double n = sqrt(w * w + x * x + y * y + z * z);
    nsc_quat q;
    q.w = REAL(w / n), q.x = REAL(x / n), q.y = REAL(y / n), q.z = REAL(z / n);
    return q;
}

static nsc_quat about(double angle, double x, double y, double z)
{
    return quat(cos(angle / 2), sin(angle / 2) * x, sin(angle / 2) * y, sin(angle / 2) * z);
}

static nsc_quat any_turn(void) { return quat(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }

/* ---- scenes ---- */

static void begin(double friction)
{
    nsc_world_def def = nsc_default_world_def();
    mu = friction;
    def.solver.max_iterations = 60;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id body(int kind, nsc_vec3 position, nsc_quat q, nsc_vec3 velocity)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.kind = kind, d.pose.position = position, d.pose.orientation = q, d.velocity = velocity;
    id = nsc_world_add_body(&world, &d);
    CHECK(id > 0);
    return id;
}

static nsc_id fix(nsc_id to, nsc_shape_def shape)
{
    nsc_id id;
    shape.friction = REAL(mu);
    id = nsc_world_add_shape(&world, to, &shape);
    CHECK(id >= 0);
    return id;
}

static nsc_id thing(nsc_vec3 position, nsc_quat q, nsc_vec3 velocity, nsc_shape_def shape)
{
    nsc_id id = body(NSC_DYNAMIC_BODY, position, q, velocity);
    fix(id, shape);
    return id;
}

static nsc_id add_hull(nsc_id to, const nsc_vec3 *p, int n)
{
    nsc_shape_def d = nsc_default_hull_def();
    nsc_id id;
    d.friction = REAL(mu);
    id = nsc_world_add_hull(&world, to, &d, p, n);
    CHECK(id >= 0);
    return id;
}

static nsc_id add_field(nsc_quat q, double (*height)(double, double), int nx, int ny, double dx, double dy)
{
    static nsc_real z[NSC_FIELD_SAMPLES];
    nsc_shape_def d = nsc_default_height_field_def();
    int i, j;
    nsc_id id;
    for (j = 0; j < ny; j++)
        for (i = 0; i < nx; i++) z[j * nx + i] = REAL(height((i - .5 * (nx - 1)) * dx, (j - .5 * (ny - 1)) * dy));
    d.pose.orientation = q;
    d.friction = REAL(mu);
    id = nsc_world_add_height_field(&world, NSC_GROUND, &d, z, nx, ny, REAL(dx), REAL(dy));
    CHECK(id >= 0);
    return id;
}

static void floor_plane(nsc_quat q)
{
    nsc_shape_def s = nsc_default_half_space_def();
    s.pose.orientation = q;
    fix(NSC_GROUND, s);
}

static void cube_points(nsc_vec3 *p, double x, double y, double z)
{
    int i;
    for (i = 0; i < 8; i++) p[i] = vec(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
}

static void step(double h) { CHECK(nsc_world_step(&world, REAL(h)) >= 0); }

static nsc_vec3 position(nsc_id id)
{
    nsc_pose p;
    CHECK(nsc_body_get_pose(&world, id, &p) == NSC_OK);
    return p.position;
}

static nsc_vec3 velocity(nsc_id id)
{
    nsc_vec3 v;
    CHECK(nsc_body_get_velocity(&world, id, &v, NULL) == NSC_OK);
    return v;
}

static nsc_vec3 spin(nsc_id id)
{
    nsc_vec3 v;
    CHECK(nsc_body_get_velocity(&world, id, NULL, &v) == NSC_OK);
    return v;
}

/* ---- oracle: the largest separation over directions, by dense sampling and refinement ---- */

typedef struct solid { /* in double, from a placed shape */
    int kind, n;
    double c[3], axis[3][3], half[3], radius, v[64][3];
} solid;

static solid solid_of(const nsci_geom *s)
{
    solid o;
    int i, k;
    memset(&o, 0, sizeof o);
    o.kind = s->kind, o.radius = D(s->radius);
    o.c[0] = D(s->centre.x), o.c[1] = D(s->centre.y), o.c[2] = D(s->centre.z);
    for (i = 0; i < 3; i++) {
        o.axis[i][0] = D(s->axes.c[i].x), o.axis[i][1] = D(s->axes.c[i].y), o.axis[i][2] = D(s->axes.c[i].z);
        o.half[i] = D(s->half[i]);
    }
    if (s->kind == NSC_HULL)
        for (i = 0, o.n = s->hull->vertices; i < o.n; i++)
            for (k = 0; k < 3; k++)
                o.v[i][k] = o.axis[0][k] * D(s->hull->vertex[i].x) + o.axis[1][k] * D(s->hull->vertex[i].y) +
                            o.axis[2][k] * D(s->hull->vertex[i].z);
    return o;
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* how far the solid reaches along the unit vector n */
static double reach(const solid *s, const double *n)
{
    double along = dot3(n, s->axis[2]), most = -1e300;
    int i;
    if (s->kind == NSC_HULL) {
        for (i = 0; i < s->n; i++) most = fmax(most, dot3(n, s->v[i]));
        return dot3(n, s->c) + most;
    }
    if (s->kind == NSC_BOX) {
        for (i = 0, most = 0; i < 3; i++) most += s->half[i] * fabs(dot3(n, s->axis[i]));
        return dot3(n, s->c) + most;
    }
    most = s->kind == NSC_CYLINDER ? s->radius * sqrt(fmax(1 - along * along, 0)) : s->radius;
    return dot3(n, s->c) + s->half[2] * fabs(along) + most;
}

static double apart(const solid *a, const solid *b, const double *n)
{
    double m[3];
    m[0] = -n[0], m[1] = -n[1], m[2] = -n[2];
    return -reach(b, m) - reach(a, n);
}

static void unit(double *n)
{
    double l = sqrt(dot3(n, n));
    n[0] /= l, n[1] /= l, n[2] /= l;
}

/* climb from n by a pattern search */
static double climb(const solid *a, const solid *b, double *n, double size)
{
    double best = apart(a, b, n), t[3], s;
    int k, moved;
    while (size > 1e-7) {
        for (k = 0, moved = 0; k < 20; k++) { /* at random: fixed directions get stuck on a ridge */
            double x[3], y[3], angle = uniform(0, 2 * pi);
            int i, least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
            if (fabs(n[2]) < fabs(n[least])) least = 2;
            for (i = 0; i < 3; i++) x[i] = (i == least) - n[least] * n[i];
            unit(x);
            y[0] = n[1] * x[2] - n[2] * x[1], y[1] = n[2] * x[0] - n[0] * x[2], y[2] = n[0] * x[1] - n[1] * x[0];
            for (i = 0; i < 3; i++) t[i] = n[i] + size * (cos(angle) * x[i] + sin(angle) * y[i]);
            unit(t);
            s = apart(a, b, t);
            if (s > best) best = s, memcpy(n, t, sizeof t), moved = 1;
        }
        if (!moved) size *= .7;
    }
    return best;
}

static double oracle(const solid *a, const solid *b)
{
    enum { N = 1500, KEEP = 8 };
    double top[KEEP], dir[KEEP][3], n[3], s, best = -1e300;
    int i, k, worst;
    for (k = 0; k < KEEP; k++) top[k] = -1e300;
    for (i = 0; i < N; i++) {
        double z = 1 - (2 * i + 1.0) / N, r = sqrt(1 - z * z), p = i * 2.39996322972865332;
        n[0] = r * cos(p), n[1] = r * sin(p), n[2] = z;
        s = apart(a, b, n);
        for (k = 1, worst = 0; k < KEEP; k++)
            if (top[k] < top[worst]) worst = k;
        if (s > top[worst]) top[worst] = s, memcpy(dir[worst], n, sizeof n);
    }
    for (k = 0; k < KEEP; k++) best = fmax(best, climb(a, b, dir[k], .05));
    return best;
}

/* ---- every pair in random poses ---- */

static nsc_id solids[16];
static int solid_count;

static void make_solids(double scale)
{
    static const nsc_vec3 tetrahedron[4] = {{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}, {0, 0, 1}};
    nsc_vec3 p[12];
    int i;
    nsc_id b;
    begin(.5);
    b = body(NSC_STATIC_BODY, vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0));
    solid_count = 0;
    solids[solid_count++] = fix(b, nsc_default_sphere_def(REAL(.4 * scale)));
    solids[solid_count++] = fix(b, nsc_default_capsule_def(REAL(.3 * scale), REAL(.5 * scale)));
    solids[solid_count++] = fix(b, nsc_default_cylinder_def(REAL(.5 * scale), REAL(.4 * scale)));
    solids[solid_count++] = fix(b, nsc_default_cylinder_def(REAL(.6 * scale), REAL(.06 * scale)));
    solids[solid_count++] = fix(b, nsc_default_box_def(REAL(.3 * scale), REAL(.5 * scale), REAL(.4 * scale)));
    for (i = 0; i < 4; i++) p[i] = vec(D(tetrahedron[i].x) * scale, D(tetrahedron[i].y) * scale, D(tetrahedron[i].z) * scale);
    solids[solid_count++] = add_hull(b, p, 4);
    for (i = 0; i < 12; i++) { /* random, off centre */
        double z = uniform(-1, 1), a = uniform(0, 2 * pi), r = sqrt(1 - z * z);
        p[i] = vec((.7 * r * cos(a) + .3) * scale, .6 * r * sin(a) * scale, .5 * z * scale);
    }
    solids[solid_count++] = add_hull(b, p, 12);
}

static nsci_geom placed(nsc_id id, nsc_vec3 at, nsc_quat q)
{
    nsci_geom s = nsci_place(&world, &world.shapes[id & 16383]);
    s.centre = at;
    s.axes = nsci_rotation(q);
    return s;
}

static double worst_apart, worst_deep, sum_deep;
static int deep_count, bad_deep;

static void check_points(int n, double distance)
{
    int i;
    CHECK(n <= NSC_MANIFOLD);
    for (i = 0; i < n; i++) {
        const nsc_point *p = &world.points[i];
        if (!(fabs(length(p->normal) - 1) < 1e-5)) CHECK(!"unit normal");
        if (!(D(p->gap) <= distance) || !nsci_vec_finite(p->point) || !nsci_finite(p->gap)) CHECK(!"finite and near");
    }
}

static void fuzz_pair(nsc_id one, nsc_id two, double scale, double spread)
{
    nsci_geom a = placed(one, vec(0, 0, 0), any_turn()), b;
    double distance = .3 * scale, want, gap = 1e300, back = 1e300, size;
    nsc_vec3 at = vec(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)), normal = at;
    solid sa, sb;
    int n, m, i, deepest = 0, kinds = 0;
    kinds = 2 * (a.kind == NSC_CYLINDER || a.kind == NSC_HULL);
    size = spread * scale / (length(at) + 1e-9);
    b = placed(two, vec(D(at.x) * size, D(at.y) * size, D(at.z) * size), any_turn());
    kinds += 2 * (b.kind == NSC_CYLINDER || b.kind == NSC_HULL);
    sa = solid_of(&a), sb = solid_of(&b);
    want = oracle(&sa, &sb);
    n = nsci_collide_any(&world, &a, &b, REAL(distance));
    check_points(n, distance);
    for (i = 0; i < n; i++)
        if (D(world.points[i].gap) < gap) gap = D(world.points[i].gap), deepest = i;
    if (n > 0) normal = world.points[deepest].normal;
    m = nsci_collide_any(&world, &b, &a, REAL(distance));
    for (i = 0; i < m; i++) back = fmin(back, D(world.points[i].gap));
    if (kinds < 2) return; /* boxes and capsules among themselves have code, and tests, of their own */
    if (want > distance * 1.001) {
        CHECK(n == 0 && m == 0);
        return;
    }
    if (want > distance * .999) return;
    if (!(n > 0 && m > 0)) {
        CHECK(!"a contact");
        printf("    kinds %d %d, separation %g\n", a.kind, b.kind, want);
        return;
    }
    if (fabs(gap - back) > (want > 0 ? 1e-4 : .02) * scale && (want > 0 || fabs(gap - want) < .02 * scale))
        CHECK_NEAR(gap, back, 0);
    if (want > 0) {
        double v[3];
        v[0] = D(normal.x), v[1] = D(normal.y), v[2] = D(normal.z);
        worst_apart = fmax(worst_apart, fabs(gap - want) / scale);
        if (fabs(gap - want) > 5e-4 * scale) {printf("%d %d n%d gap %g back %g want %g\n",a.kind,b.kind,n,gap,back,want);CHECK_NEAR(gap, want, 5e-4 * scale);}
        if (!(apart(&sa, &sb, v) > want - 5e-4 * scale)) CHECK(!"normal separates");
    } else {
        double lost = (want - gap) / scale;
        deep_count++;
        sum_deep += lost;
        worst_deep = fmax(worst_deep, lost);
        if (lost > 0.02) bad_deep++;
        if (lost > 0.02 && getenv("V")) printf("deep %d %d n%d gap %g back %g want %g\n",a.kind,b.kind,n,gap,back,want);
        if (!(gap < want + 2e-3 * scale)) printf("%d %d n%d gap %g back %g want %g\n",a.kind,b.kind,n,gap,back,want);
    }
}

static void fuzz(double scale, int rounds)
{
    int i, j, k;
    worst_apart = worst_deep = sum_deep = 0, deep_count = bad_deep = 0;
    make_solids(scale);
    for (k = 0; k < rounds; k++)
        for (i = 0; i < solid_count; i++)
            for (j = 0; j < solid_count; j++)
                fuzz_pair(solids[i], solids[j], scale, uniform(0, 2));
    printf("scale %g: apart off by %.2g at most; of %d overlaps %d lost more than 2%%, at most %.2g, on average %.2g\n", scale, worst_apart, deep_count, bad_deep, worst_deep, sum_deep / deep_count);
}

#include <stdlib.h>
int main(void)
{
    fuzz(1, 40);
    fuzz(1e-3, 10);
    fuzz(1e3, 10);
    (void)g; (void)before; (void)is_double; (void)minus; (void)about; (void)thing; (void)add_field; (void)floor_plane;(void)cube_points;(void)step;(void)position;(void)velocity;(void)spin;
    return TEST_END("shapes");
}
