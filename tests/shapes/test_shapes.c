/* Cylinders, hulls and terrain: against an oracle that tries directions, and scenes with known answers. */
#define NSC_HULL_VERTICES 16
#define NSC_IMPLEMENTATION
#define NSC_CONVEX 1
#define NSC_TERRAIN 1
#define NSC_MAX_ROLLING 8
#define NSC_MAX_CONTACTS 160
#define NSC_ARENA 0
#include "all.h"
#include "nsc_hull.h"
#include <math.h>
#include <stdlib.h>
#include "random.h"
#include "by.h"
#include "plain.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static nsc_world before;
static double mu = 0.5;

/* ---- numbers ---- */

static nsc_quat about(double angle, double x, double y, double z)
{
    return quat(cos(angle / 2), sin(angle / 2) * x, sin(angle / 2) * y, sin(angle / 2) * z);
}

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
    id = world_add_points(&world, to, &d, p, n);
    CHECK(id >= 0);
    return id;
}

static nsc_id add_field(nsc_quat q, double (*height)(double, double), int nx, int ny, double dx, double dy)
{
    static nsc_real z[4096];
    nsc_shape_def d = nsc_default_height_field_def();
    int i, j;
    nsc_id id;
    for (j = 0; j < ny; j++)
        for (i = 0; i < nx; i++) z[j * nx + i] = REAL(height((i - .5 * (nx - 1)) * dx, (j - .5 * (ny - 1)) * dy));
    d.pose.orientation = q;
    d.friction = REAL(mu);
    id = world_add_field(&world, NSC_GROUND, &d, z, nx, ny, REAL(dx), REAL(dy));
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

/* ---- oracle: the largest separation over directions, by dense sampling and refinement ---- */

typedef struct solid { /* in double, from a placed shape */
    int kind, n;
    double c[3], axis[3][3], half[3], radius, v[64][3];
} solid;

static solid solid_of(const nsci_geom *s)
{
    const nsc_hull *hull = NSCI_HULL_OF(s);
    solid o;
    int i, k;
    memset(&o, 0, sizeof o);
    o.kind = s->kind, o.radius = D(s->radius);
    o.c[0] = D(s->centre.x), o.c[1] = D(s->centre.y), o.c[2] = D(s->centre.z);
    for (i = 0; i < 3; i++) {
        o.axis[i][0] = D(s->axes.c[i].x), o.axis[i][1] = D(s->axes.c[i].y), o.axis[i][2] = D(s->axes.c[i].z);
        o.half[i] = D(s->half[i]);
    }
    if (s->kind == NSC_SHAPE_HULL)
        for (i = 0, o.n = hull->vertices; i < o.n; i++)
            for (k = 0; k < 3; k++)
                o.v[i][k] = o.axis[0][k] * D(hull->vertex[i].x) + o.axis[1][k] * D(hull->vertex[i].y) +
                            o.axis[2][k] * D(hull->vertex[i].z);
    return o;
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* how far the solid reaches along the unit vector n */
static double reach(const solid *s, const double *n)
{
    double along = dot3(n, s->axis[2]), most = -1e300;
    int i;
    if (s->kind == NSC_SHAPE_HULL) {
        for (i = 0; i < s->n; i++) most = fmax(most, dot3(n, s->v[i]));
        return dot3(n, s->c) + most;
    }
    if (s->kind == NSC_SHAPE_BOX) {
        for (i = 0, most = 0; i < 3; i++) most += s->half[i] * fabs(dot3(n, s->axis[i]));
        return dot3(n, s->c) + most;
    }
    /* by the axes across, not sqrt(1 - along^2): in float the axis is a unit vector to 6e-8 only, whose root is 3.4e-4 */
    most = s->kind == NSC_SHAPE_CYLINDER ? s->radius * hypot(dot3(n, s->axis[0]), dot3(n, s->axis[1])) : s->radius;
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
            double x[3], y[3], angle = unrecorded(0, 2 * pi);
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
static int deep_count;

static void check_points(int n, double distance)
{
    int i, unit_normals = 1, near = 1;
    for (i = 0; i < n; i++) {
        const nsci_point *p = &world.scratch.find.points[i];
        unit_normals &= fabs(length(p->normal) - 1) < 1e-5;
        near &= D(p->gap) <= distance && isfinite(length(p->point)) && isfinite(p->gap);
    }
    CHECK(n <= NSC_MANIFOLD);
    CHECK(unit_normals);
    CHECK(near);
}

static double scale; /* of the pairs that are tried */

static int contact_of_a_pair_is_what_an_oracle_says(void)
{
    static const char *const names[7] = {"sphere", "capsule", "cylinder", "disc", "box", "tetrahedron", "hull"};
    int pair = nth(solid_count * solid_count), one = pair / solid_count, two = pair % solid_count;
    double spread = uniform(0, 2), distance = .3 * scale, want, gap = 1e300, back = 1e300, size;
    nsci_geom a = placed(solids[one], vec(0, 0, 0), any_turn()), b;
    nsc_vec3 at = any_in(-1, 1, -1, 1, -1, 1), normal = at;
    solid sa, sb;
    double v[3];
    int n, m, i, deepest = 0, kinds;
    CASE("scale %g, %s and %s", scale, names[one], names[two]);
    kinds = 2 * (a.kind == NSC_SHAPE_CYLINDER || a.kind == NSC_SHAPE_HULL);
    size = spread * scale / (length(at) + 1e-9);
    b = placed(solids[two], vec(D(at.x) * size, D(at.y) * size, D(at.z) * size), any_turn());
    kinds += 2 * (b.kind == NSC_SHAPE_CYLINDER || b.kind == NSC_SHAPE_HULL);
    sa = solid_of(&a), sb = solid_of(&b);
    want = oracle(&sa, &sb);
    n = nsci_collide_any(&world, &a, &b, REAL(distance));
    check_points(n, distance);
    for (i = 0; i < n; i++)
        if (D(world.scratch.find.points[i].gap) < gap) gap = D(world.scratch.find.points[i].gap), deepest = i;
    if (n > 0) normal = world.scratch.find.points[deepest].normal;
    m = nsci_collide_any(&world, &b, &a, REAL(distance));
    for (i = 0; i < m; i++) back = fmin(back, D(world.scratch.find.points[i].gap));
    said("%s and %s: gap %g, the other way round %g, by the oracle %g", names[one], names[two], gap, back, want);
    if (kinds < 2) return 1; /* boxes and capsules among themselves have code, and tests, of their own */
    if (want > distance * .999) {
        CHECK(want <= distance * 1.001 || (n == 0 && m == 0));
        return 1;
    }
    CHECK(n > 0 && m > 0);
    if (n == 0 || m == 0) return 1;
    v[0] = D(normal.x), v[1] = D(normal.y), v[2] = D(normal.z);
    if (want > 0) {
        double along = apart(&sa, &sb, v);
        CHECK(along > want - 5e-4 * scale);
        want = fmax(want, along); /* the search for it may fall short; no direction sets them further apart than they are */
        worst_apart = fmax(worst_apart, fabs(gap - want) / scale);
        CHECK_NEAR(gap, back, 1e-4 * scale);
        CHECK(gap >= want - 5e-5 * scale && gap <= want + 5e-4 * scale);
    } else {
        double lost = (want - gap) / scale;
        deep_count++;
        sum_deep += lost;
        worst_deep = fmax(worst_deep, lost);
        CHECK(lost < 1e-3); /* the shortest way out, or one as short */
        CHECK_NEAR(gap, apart(&sa, &sb, v), 1e-4 * scale);
        CHECK_NEAR(gap, back, 1e-3 * scale);
    }
    return 1;
}

static void pairs_in_random_poses(double of_scale, int rounds)
{
    int all;
    scale = of_scale, worst_apart = worst_deep = sum_deep = 0, deep_count = 0;
    make_solids(scale);
    CASE("scale %g", scale);
    all = search("contact of a pair is what an oracle says", contact_of_a_pair_is_what_an_oracle_says, rounds * solid_count * solid_count);
    CASE("scale %g", scale);
    if (all) CHECK(deep_count >= 10 * rounds);
    CASE_END();
    printf("scale %g: apart off by %.2g at most; %d overlaps lost %.2g at most, on average %.2g\n", scale, worst_apart, deep_count, worst_deep,
           deep_count ? sum_deep / deep_count : 0);
}

/* ---- rolling ---- */

static double level(double x, double y) { (void)x, (void)y; return 0; }
static double valley(double x, double y) { (void)y; return .5 * fabs(x); }
static double ridge(double x, double y) { (void)y; return -.5 * fabs(x); }
static double basin(double x, double y) { return fabs(x) < 2 ? -.5 * fabs(x) : fabs(x) - 3 + .05 * fabs(y); }
static double waves(double x, double y) { return .1 * sin(x) * cos(1.3 * y); }

enum { ON_PLANE, ON_BOX, ON_TERRAIN, ON_HULL };
static const char *ground_name[] = {"half-space", "box", "terrain", "hull"};

/* ground whose surface goes through the origin, descending along x */
static void ground(int kind, double angle)
{
    nsc_quat q = about(angle, 0, 1, 0);
    nsc_vec3 p[8];
    if (kind == ON_PLANE) floor_plane(q);
    if (kind == ON_TERRAIN) add_field(q, level, 60, 16, .37, .41);
    if (kind == ON_BOX || kind == ON_HULL) {
        nsc_id b = body(NSC_STATIC_BODY, vec(-sin(angle), 0, -cos(angle)), q, vec(0, 0, 0));
        cube_points(p, 10, 4, 1);
        if (kind == ON_BOX) fix(b, nsc_default_box_def(10, 4, 1));
        else add_hull(b, p, 8);
    }
}

/* a rolling cylinder is a disc: a = 2/3 g sin if friction suffices, else slips with g (sin - mu cos) */
static void roll_down(int kind, double angle, double friction)
{
    double h = 1.0 / 240, t = 0, want = 2.0 / 3 * g * sin(angle), v, w, side;
    nsc_id c;
    int i;
    begin(friction);
    ground(kind, angle);
    c = thing(vec(.5 * sin(angle), .03, .5 * cos(angle)), quat(sqrt(.5), sqrt(.5), 0, 0), vec(0, 0, 0), nsc_default_cylinder_def(REAL(.5), REAL(.3)));
    for (i = 0; i < 240; i++) step(h), t += h;
    if (tan(angle) > 3 * friction) want = g * (sin(angle) - friction * cos(angle));
    v = D(velocity(c).x) * cos(angle) - D(velocity(c).z) * sin(angle);
    w = D(spin(c).y), side = fabs(D(velocity(c).y));
    printf("    %-10s slope %.2f: a = %.5f, expected %.5f; v - w r = %.2g; aside %.2g\n", ground_name[kind], angle, v / t, want, v - .5 * w, side);
    CHECK_NEAR(v / t, want, 5e-3 * want);
    if (tan(angle) < 3 * friction) CHECK_NEAR(v, .5 * w, 2e-3 * v);
    CHECK(side < 1e-3);
}

/* Euler's disk: a coin that rolls on its rim, its centre at rest, precesses for ever at the rate W with
   W^2 sin a (I1 cos a - I3 t/R sin a) = m g (R cos a - t sin a), a its tilt and 2 t its thickness */
static void eulers_disk(int stepper, double rate)
{
    const double a = .3, R = .1, t = .002, I1 = R * R / 4 + t * t / 3, I3 = R * R / 2, s = sin(a), c = cos(a);
    double W = sqrt(g * (R * c - t * s) / (s * (I1 * c - I3 * t / R * s))), e0 = 0, e1 = 0, e = 0, w3, tilt;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def k = nsc_default_cylinder_def(REAL(R), REAL(t));
    nsc_vec3 axis = vec(0, 0, 1), w, v;
    nsc_id coin;
    int i;
    begin(1);
    floor_plane(quat(1, 0, 0, 0));
    world.def.stepper = stepper;
    d.mass = 1, d.inertia[0] = d.inertia[1] = REAL(I1), d.inertia[2] = REAL(I3);
    d.pose.position = vec(0, 0, R * s + t * c), d.pose.orientation = about(a, 0, 1, 0);
    d.angular_velocity = vec(W * s * (t / R * s - c), 0, W * s * (s + t / R * c));
    coin = nsc_world_add_body(&world, &d);
    fix(coin, k);
    for (i = 0; i <= 5 * rate; i++) {
        w = spin(coin), v = velocity(coin), axis = rotate(world.bodies[1].orientation, vec(0, 0, 1)), w3 = dot(w, axis);
        e = .5 * dot(v, v) + .5 * I1 * (dot(w, w) - w3 * w3) + .5 * I3 * w3 * w3 + g * D(position(coin).z);
        if (i == 0) e0 = e;
        if (i == (int)rate) e1 = e;
        step(1 / rate);
    }
    tilt = acos(D(axis.z));
    printf("    Euler's disk at %g Hz: energy after 1 s %+.2f %%, after 5 s %+.2f %%, tilt %.4f\n", rate, 100 * (e1 / e0 - 1), 100 * (e / e0 - 1), tilt);
    CHECK(fabs(e1 / e0 - 1) < (rate < 500 ? .02 : .002));
    CHECK(fabs(e / e0 - 1) < (rate < 500 ? .02 : .004) && fabs(tilt - a) < .03);
}

/* On a round table that turns at W, and stands anyhow, a ball rolls in a circle and keeps its speed.  Its contact is the same one from step
   to step, by whatever way it was found. */
static int a_ball_keeps_its_speed_on_a_round_table(void)
{
    const double R = uniform(.08, .2), W = uniform(1.2, 2), v0 = uniform(.3, .7), turned_by = W * uniform(.5, 1.2), h = 1 / 240.;
    nsc_quat q = any_turn();
    nsc_body_def d = nsc_default_body_def();
    nsc_id ball;
    double gain, off = 0;
    int i;
    begin(1);
    world.def.gravity = rotate(q, vec(0, 0, -g));
    d.kind = NSC_KINEMATIC_BODY, d.pose.orientation = q, d.pose.position = rotate(q, vec(0, 0, -.5)), d.angular_velocity = rotate(q, vec(0, 0, W));
    fix(nsc_world_add_body(&world, &d), nsc_default_cylinder_def(9, REAL(.5)));
    d = nsc_default_body_def();
    d.pose.position = rotate(q, vec(turned_by / W, 0, R));
    d.velocity = rotate(q, vec(0, v0, 0)), d.angular_velocity = rotate(q, vec((turned_by - v0) / R, 0, 0));
    ball = nsc_world_add_body(&world, &d);
    fix(ball, nsc_default_sphere_def(REAL(R)));
    for (i = 0; i < 2400; i++) {
        nsc_vec3 below = plus_multiple(world.bodies[2].position, -R, rotate(q, vec(0, 0, 1)));
        step(h);
        off = fmax(off, world.contact_count == 1 ? length(minus(world.contacts[0].point, below)) : 1);
    }
    gain = length(velocity(ball)) / v0 - 1;
    said("a ball of %g m at %g m/s, %g m out on a table at %g rad/s: %+g %% in 10 s, its contact off by %g m", R, v0, turned_by / W, W, 100 * gain, off);
    return fabs(gain) < 5e-4 && off < 1e-4;
}

/* thrown with the speed of rolling on level ground it keeps it, and does not jump */
static void roll_on(int kind)
{
    double h = 1.0 / 240, up = 0, lo = 1e9, hi = 0;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_cylinder_def(REAL(.5), REAL(.3));
    nsc_id c;
    int i;
    begin(.5);
    ground(kind, 0);
    d.pose.position = vec(-5, .03, .5), d.pose.orientation = quat(sqrt(.5), sqrt(.5), 0, 0);
    d.velocity = vec(3, 0, 0), d.angular_velocity = vec(0, 6, 0);
    c = nsc_world_add_body(&world, &d);
    fix(c, s);
    for (i = 0; i < 720; i++) {
        step(h);
        up = fmax(up, fabs(D(velocity(c).z)));
        lo = fmin(lo, D(velocity(c).x)), hi = fmax(hi, D(velocity(c).x));
    }
    printf("    %-10s rolls at %.6f..%.6f m/s, vertical at most %.2g\n", ground_name[kind], lo, hi, up);
    CHECK(hi - lo < 3e-3 && up < 2e-3);
}

/* what slides over level ground of many cells loses mu g, as on a half-space, and feels no edge */
static void slide(int what, int kind)
{
    double h = 1.0 / 240, up = 0, want, v, turn = 0;
    nsc_vec3 p[8];
    nsc_shape_def s = what == 0 ? nsc_default_box_def(REAL(.3), REAL(.25), REAL(.2)) : nsc_default_cylinder_def(REAL(.3), REAL(.2));
    nsc_id c;
    int i;
    begin(.2);
    ground(kind, 0);
    c = body(NSC_DYNAMIC_BODY, vec(-5, .03, .2), about(.3, 0, 0, 1), vec(4, .5, 0));
    cube_points(p, .3, .25, .2);
    if (what == 2) add_hull(c, p, 8);
    else fix(c, s);
    for (i = 0; i < 360; i++) {
        step(h);
        up = fmax(up, fabs(D(velocity(c).z))), turn = fmax(turn, length(spin(c)));
    }
    v = length(velocity(c)), want = sqrt(16.25) - .2 * g * 1.5;
    printf("    %-8s on %-10s v = %.5f, expected %.5f; vertical at most %.2g, turning %.2g\n", what == 0 ? "box" : what == 1 ? "cylinder" : "hull", ground_name[kind], v, want, up, turn);
    CHECK_NEAR(v, want, 1e-2);
    CHECK(up < 5e-3 && turn < .02);
}

/* a ball over level terrain: 5/7 of its speed once it rolls, and no bump */
static void ball_over(int kind)
{
    double up = 0;
    nsc_id c;
    int i;
    begin(.5);
    ground(kind, 0);
    c = thing(vec(-5, .03, .3), quat(1, 0, 0, 0), vec(4, .7, 0), nsc_default_sphere_def(REAL(.3)));
    for (i = 0; i < 480; i++) {
        step(1.0 / 240);
        up = fmax(up, fabs(D(velocity(c).z)));
    }
    printf("    ball on %-10s v = %.6f, expected %.6f; vertical at most %.2g\n", ground_name[kind], D(velocity(c).x), 4 * 5. / 7, up);
    CHECK_NEAR(velocity(c).x, 4 * 5. / 7, 2e-3);
    CHECK(up < 1e-3);
}

static void test_rolling(void)
{
    int kind, what;
    for (kind = ON_PLANE; kind <= ON_HULL; kind++) {
        roll_down(kind, .3, .5);
        roll_down(kind, .5, .1);
        roll_on(kind);
        ball_over(kind);
        for (what = 0; what < 3; what++) slide(what, kind);
    }
}

/* ---- terrain ---- */

static nsc_shape_def shape_of(int what)
{
    return what == 0   ? nsc_default_sphere_def(REAL(.3))
           : what == 1 ? nsc_default_box_def(REAL(.3), REAL(.3), REAL(.3))
           : what == 2 ? nsc_default_cylinder_def(REAL(.3), REAL(.3))
                       : nsc_default_capsule_def(REAL(.3), REAL(.3));
}

static double lowest_over(nsc_id id, double (*height)(double, double))
{
    nsc_vec3 p = position(id);
    return D(p.z) - height(D(p.x), D(p.y));
}

/* dropped on terrain of any form, nothing falls through, nothing sinks; the box comes to rest, what is round may roll to and fro */
static void drop(double (*height)(double, double), const char *name, double friction)
{
    nsc_id c[4];
    double deepest = 0, fast;
    int i, k, steps = sample(300, 1500);
    begin(friction);
    add_field(quat(1, 0, 0, 0), height, 41, 41, .25, .25);
    for (k = 0; k < 4; k++) c[k] = thing(vec(.07 * (k + 1), -3 + 2 * k, 1.2), any_turn(), vec(0, 0, 0), shape_of(k));
    for (i = 0; i < steps; i++) {
        step(1.0 / 240);
        if (i >= 200) deepest = fmax(deepest, D(nsc_world_report(&world)->penetration));
    }
    for (k = 0; k < 4; k++) {
        CHECK(lowest_over(c[k], height) > .2 || fabs(D(position(c[k]).y)) > 5); /* over the border is no fault */
        CHECK(fabs(D(position(c[k]).x)) < 4.5);
    }
    fast = length(velocity(c[1]));
    printf("    %s: the box at %.2g m/s, deepest %.2g m\n", name, fast, deepest);
    CHECK(deepest < .01);
    if (steps == 1500) CHECK(fast < 1e-4);
}

/* pushed up from below the surface, whole or in part */
static void sunk(double depth)
{
    int k, i;
    for (k = 0; k < 4; k++) {
        nsc_id c;
        begin(.5);
        add_field(quat(1, 0, 0, 0), waves, 41, 41, .25, .25);
        c = thing(vec(.1, .2, waves(.1, .2) - depth), any_turn(), vec(0, 0, 0), shape_of(k));
        for (i = 0; i < 240 * 7 && (test_long() || lowest_over(c, waves) <= .2); i++) step(1.0 / 240); /* quick: until it is out */
        CHECK(lowest_over(c, waves) > .2);
        if (!(lowest_over(c, waves) > .2)) printf("    sunk %g kind %d height %g\n", depth, k, lowest_over(c, waves));
    }
}

static void test_terrain(void)
{
    int k;
    drop(level, "level", .5);
    drop(valley, "valley", .5);
    drop(basin, "ridge", .9);
    drop(waves, "waves", .7);
    for (k = sample(9, 0); k < 15; k += trials(9, 1)) sunk(.1 * k);
    { /* frictionless box slides along the top of a ridge, as if there were no ridge */
        nsc_id c;
        int i;
        double up = 0;
        begin(0);
        add_field(quat(1, 0, 0, 0), ridge, 21, 61, .25, .25);
        c = thing(vec(0, -5, .2), quat(1, 0, 0, 0), vec(0, 3, 0), nsc_default_box_def(REAL(.4), REAL(.3), REAL(.2)));
        for (i = 0; i < 480; i++) step(1.0 / 240), up = fmax(up, fabs(D(velocity(c).z)));
        printf("    along a ridge: v = %.6f, vertical at most %.2g, height %.5f\n", D(velocity(c).y), up, D(position(c).z));
        CHECK_NEAR(velocity(c).y, 3, 1e-3);
        CHECK_NEAR(position(c).z, .2, 2e-3);
    }
    for (k = 0; k < 3; k++) { /* and across it, without weight: the flat bottom meets the ridge with its own normal */
        nsc_vec3 p[8];
        nsc_world_def def = nsc_default_world_def();
        nsc_id c;
        int i;
        begin(0);
        def.gravity = vec(0, 0, 0);
        CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
        add_field(quat(1, 0, 0, 0), ridge, 21, 61, .25, .25);
        c = body(NSC_DYNAMIC_BODY, vec(-.3, .03, .2), quat(1, 0, 0, 0), vec(1, .1, 0));
        cube_points(p, .4, .3, .2);
        if (k == 0) fix(c, nsc_default_box_def(REAL(.4), REAL(.3), REAL(.2)));
        else if (k == 1) fix(c, nsc_default_cylinder_def(REAL(.4), REAL(.2)));
        else add_hull(c, p, 8);
        for (i = 0; i < 240; i++) step(1.0 / 240);
        printf("    across a ridge: v = %.6f %.6f %.2g, turning %.2g\n", D(velocity(c).x), D(velocity(c).y), D(velocity(c).z), length(spin(c)));
        CHECK_NEAR(velocity(c).x, 1, 1e-5);
        CHECK(length(spin(c)) < 1e-5 && fabs(D(velocity(c).z)) < 1e-5);
    }
}

/* ---- hulls ---- */

static void cube_tower(int hulls, int n, double *drift, double *fast)
{
    nsc_vec3 p[8];
    nsc_id c[8];
    int i;
    begin(.5);
    floor_plane(quat(1, 0, 0, 0));
    cube_points(p, .25, .25, .25);
    for (i = 0; i < n; i++) {
        c[i] = body(NSC_DYNAMIC_BODY, vec(.01 * (i % 2), 0, .25 + .5 * i), about(.2 * i, 0, 0, 1), vec(0, 0, 0));
        if (hulls) add_hull(c[i], p, 8);
        else fix(c[i], nsc_default_box_def(REAL(.25), REAL(.25), REAL(.25)));
    }
    for (i = 0; i < 240 * 5; i++) step(1.0 / 240);
    for (i = 0, *drift = *fast = 0; i < n; i++) {
        *drift = fmax(*drift, fabs(D(position(c[i]).x) - .01 * (i % 2)) + fabs(D(position(c[i]).y)) + fabs(D(position(c[i]).z) - .25 - .5 * i));
        *fast = fmax(*fast, length(velocity(c[i])));
    }
}

static int a_turned_cube_with_points_in_its_faces_has_six(void)
{
    nsc_vec3 p[20];
    nsc_quat turn = any_turn();
    nsc_id a = body(NSC_STATIC_BODY, vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0));
    int i;
    cube_points(p, .3, .2, .4);
    for (i = 8; i < 20; i++) p[i] = any_in(-.3, .3, 0, 0, -.4, .4), p[i].y = REAL(i % 2 ? .2 : -.2);
    for (i = 0; i < 20; i++) p[i] = rotate(turn, p[i]);
    add_hull(a, p, 20);
    CHECK(world.hulls[0]->vertices == 8 && world.hulls[0]->faces == 6);
    CHECK(nsc_world_remove_body(&world, a) == 0);
    return 1;
}

static int a_random_hull_is_closed(void)
{
    nsc_vec3 p[16];
    nsc_id a = body(NSC_STATIC_BODY, vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0));
    int i;
    for (i = 0; i < 16; i++) p[i] = any_in(-1, 1, -1, 1, -.3, 1);
    add_hull(a, p, 16); /* which checks that it is taken */
    CHECK(nsc_world_remove_body(&world, a) == 0);
    return 1;
}

static void test_hulls(void)
{
    static const nsc_vec3 tetrahedron[4] = {{1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}, {0, 0, 1}};
    nsc_vec3 p[40];
    nsc_real m, I[6], m2 = 0, I2[6];
    nsc_vec3 centre;
    nsc_id a, b;
    double drift, fast;
    int i, k, n;
    begin(.5);
    cube_points(p, .3, .2, .4);
    n = 8;
    for (i = 0; i < 6; i++) p[n++] = vec(i / 2 == 0 ? (i % 2 ? .3 : -.3) : .05, i / 2 == 1 ? (i % 2 ? .2 : -.2) : .03, i / 2 == 2 ? (i % 2 ? .4 : -.4) : 0); /* in faces */
    for (i = 0; i < 4; i++) p[n++] = vec(0, .2, .1 * i); /* more in a face */
    p[n++] = vec(.3, .2, .1), p[n++] = p[0], p[n++] = vec(0, 0, 0); /* on an edge, double, inside */
    for (i = 0; i < n; i++) p[i] = vec(D(p[i].x) + 1, D(p[i].y) - 2, D(p[i].z) + .5);
    a = body(NSC_DYNAMIC_BODY, vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0));
    add_hull(a, p, n);
    CHECK(world.hulls[0]->vertices == 8 && world.hulls[0]->faces == 6 && world.hulls[0]->first[6] == 24);
    b = thing(vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0), nsc_default_box_def(REAL(.3), REAL(.2), REAL(.4)));
    CHECK(nsc_body_get_mass(&world, a, &m, &centre, I) == 0 && nsc_body_get_mass(&world, b, &m2, NULL, I2) == 0);
    CHECK_NEAR(m, m2, 2e-6 * D(m2));
    for (i = 0; i < 6; i++) CHECK_NEAR(I[i], I2[i], 4e-6 * D(I2[0]));
    CHECK_NEAR(centre.x, 1, 1e-5), CHECK_NEAR(centre.y, -2, 1e-5), CHECK_NEAR(centre.z, .5, 1e-5);
    CHECK(nsc_world_remove_body(&world, a) == 0);
    search("a turned cube with points in its faces has six", a_turned_cube_with_points_in_its_faces_has_six, 100);
    search("a random hull is closed", a_random_hull_is_closed, 100);
    cube_tower(1, 6, &drift, &fast);
    printf("    tower of hulls drifts %.2g, %.2g m/s", drift, fast);
    CHECK(drift < .01 && fast < .01);
    cube_tower(0, 6, &drift, &fast);
    printf("; of boxes %.2g, %.2g m/s\n", drift, fast);
    for (k = ON_PLANE; k <= ON_HULL; k++) { /* a tetrahedron comes to rest on a face */
        begin(.5);
        ground(k, 0);
        a = body(NSC_DYNAMIC_BODY, vec(0, 0, 1.5), any_turn(), vec(0, 0, 0));
        add_hull(a, tetrahedron, 4);
        for (i = 0; i < 240 * 6; i++) step(1.0 / 240);
        printf("    tetrahedron on %s: %.2g m/s %.2g rad/s, deepest %.2g, points %d\n", ground_name[k], length(velocity(a)), length(spin(a)), D(nsc_world_report(&world)->penetration), nsc_world_report(&world)->contacts);
        CHECK(length(velocity(a)) < 5e-3 && length(spin(a)) < 5e-3 && nsc_world_report(&world)->contacts >= 3);
        CHECK(D(nsc_world_report(&world)->penetration) < 2e-3);
    }
}

/* Boxes, prisms and hulls of points on an ellipsoid fall turned anyhow on flat ground, at 60 and 240 Hz.  They come to rest on it,
   and none of their corners is below it.  Boxes and prisms from 8 mm thick, ellipsoids from 4 cm: of five corners that touch four
   are held, and a lens of 8 to 14 mm then rocks for ever on a half-space, in 6 of 2000. */
static int falls_on, falls_as_hull;
static int what_falls_comes_to_rest(void)
{
    double h = below(2) ? 1 / 60. : 1 / 240., a = uniform(.05, .2), b = uniform(.05, .2), c = .2 * pow(10, -uniform(0, 1.7)), fast, deep = 0;
    int style = below(3), n = style == 0 ? 8 : style == 1 ? 12 : 6 + below(8), i;
    nsc_vec3 p[16], v, w, from;
    nsc_quat turned;
    nsc_pose at;
    nsc_id id;
    if (style == 2) c = fmax(c, .02);
    begin(.5);
    ground(falls_on, 0);
    for (i = 0; i < n; i++) {
        nsc_vec3 r = any_vec(1);
        double turn = pi / 3 * (i / 2), unit = length(r) + 1e-9;
        if (style == 0) p[i] = vec(i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
        if (style == 1) p[i] = vec(a * cos(turn), b * sin(turn), i & 1 ? c : -c);
        if (style == 2) p[i] = vec(a * D(r.x) / unit, b * D(r.y) / unit, c * D(r.z) / unit);
    }
    from = any_in(-.3, .3, -.3, .3, .4, .7), turned = any_turn(), v = any_vec(2), w = any_vec(10);
    id = body(NSC_DYNAMIC_BODY, from, turned, v);
    if (falls_as_hull) add_hull(id, p, n);
    else fix(id, nsc_default_box_def(REAL(a), REAL(b), REAL(c)));
    CHECK_ONCE(nsc_body_set_velocity(&world, id, v, w) == NSC_OK);
    for (i = 0; i * h < 10; i++) step(h);
    fast = length(velocity(id)) + .2 * length(spin(id));
    CHECK_ONCE(nsc_body_get_pose(&world, id, &at) == NSC_OK);
    for (i = 0; i < n && (falls_as_hull || style == 0); i++) deep = fmax(deep, -D(plus(at.position, rotate(at.orientation, p[i])).z));
    said("%g by %g by %g, form %d, at %g Hz: %g m/s, a corner %g m deep", a, b, c, style, 1 / h, fast, deep);
    return fast < .01 && deep < 2e-3;
}

/* What lies wholly below flat terrain, level and near its surface, is pushed up, however small the cells are. */
static int what_sank_comes_up(void)
{
    double cell = pow(10, uniform(-1, .5)), a = uniform(.1, .5), b = uniform(.1, .5), c = uniform(.05, .3), turn = uniform(0, 3);
    int kind = below(4), i;
    nsc_vec3 at = vec(uniform(-.5, .5), 0, -c - .02);
    nsc_id id;
    begin(.5);
    add_field(quat(1, 0, 0, 0), level, 30, 30, cell, cell);
    id = body(NSC_DYNAMIC_BODY, at, kind == 1 || kind == 2 ? about(pi / 2, 0, 1, 0) : about(turn, 0, 0, 1), vec(0, 0, 0));
    fix(id, kind == 0 ? nsc_default_sphere_def(REAL(c)) : kind == 1 ? nsc_default_capsule_def(REAL(c), REAL(a)) :
        kind == 2 ? nsc_default_cylinder_def(REAL(c), REAL(a)) : nsc_default_box_def(REAL(a), REAL(b), REAL(c)));
    for (i = 0; i < 480; i++) step(1 / 240.);
    said("kind %d, %g by %g by %g, cells of %g: it is at %g", kind, a, b, c, cell, D(position(id).z));
    return fabs(D(position(id).z) - c) < 2e-3;
}

static double steep, cell;
static int rocks;
static double ridges(double x, double y)
{
    (void)y;
    return steep * cell * (rocks ? uniform(0, 1) : floor(x / cell + .5) / 2 - floor((x / cell + .5) / 2) > .25);
}

/* [J/kg] of a box of these half sizes */
static double energy_of(nsc_id id, double a, double b, double c)
{
    nsc_pose p;
    nsc_vec3 v = velocity(id), w = spin(id);
    CHECK(nsc_body_get_pose(&world, id, &p) == NSC_OK);
    p.orientation.x = -p.orientation.x, p.orientation.y = -p.orientation.y, p.orientation.z = -p.orientation.z;
    w = rotate(p.orientation, w);
    return .5 * dot(v, v) + 9.81 * D(p.position.z) + ((b * b + c * c) * D(w.x) * D(w.x) + (c * c + a * a) * D(w.y) * D(w.y) + (a * a + b * b) * D(w.z) * D(w.z)) / 6;
}

/* The most that a box, let go over ridges or rocks of slopes 0.5 to 4, gains in one step [J/kg] */
static double lifted_by_ridges(void)
{
    double a = uniform(.05, .3), b = uniform(.05, .3), c = uniform(.05, .3), angle = uniform(0, 3), x = uniform(-.57, .57), y = uniform(-.57, .57), earlier, most = 0;
    nsc_vec3 at = vec(uniform(-.5, .5), uniform(-.5, .5), 0);
    nsc_id id;
    int i;
    steep = uniform(.5, 4), cell = uniform(.2, .4), rocks = below(2);
    at.z = REAL(steep * cell + length(vec(a, b, c)));
    begin(0);
    id = body(NSC_DYNAMIC_BODY, at, about(angle, x, y, sqrt(1 - x * x - y * y)), vec(0, 0, 0));
    fix(id, nsc_default_box_def(REAL(a), REAL(b), REAL(c)));
    add_field(quat(1, 0, 0, 0), ridges, 9, 9, cell, cell);
    for (i = 0; i < 240; i++) {
        earlier = energy_of(id, a, b, c);
        step(1 / 240.);
        most = fmax(most, energy_of(id, a, b, c) - earlier);
    }
    return most;
}

/* Of two triangles of a ridge none pushes a box out of the far side: at most one of 50 boxes is ever lifted by 0.2 J/kg, 20 mm, in a step. */
static void ridges_lift_nothing(void)
{
    int i, lifted = 0, n = trials(sample(100, 200), 3000);
    for (i = 0; i < n; i++) lifted += lifted_by_ridges() > .2;
    printf("    %d of %d boxes on ridges and rocks are lifted\n", lifted, n);
    CHECK(50 * lifted <= n);
}

/* Its corners are over different triangles, and all of them hold it. */
static void plates_stay_on_a_field(void)
{
    int i, spins;
    for (spins = 0; spins < 6; spins++) {
        nsc_id id;
        begin(.5);
        ground(ON_TERRAIN, 0);
        id = body(NSC_DYNAMIC_BODY, vec(0, 0, .5), quat(1, 0, 0, 0), vec(0, 0, 0));
        fix(id, nsc_default_box_def(REAL(.17), REAL(.14), REAL(.02)));
        CHECK(nsc_body_set_velocity(&world, id, vec(0, 0, 0), vec(1 + spins % 3, spins / 3, 2)) == NSC_OK);
        for (i = 0; i < 300; i++) step(1 / 60.);
        CHECK_NEAR(position(id).z, .02, 1e-3);
    }
}

static void test_falling(void)
{
    plates_stay_on_a_field();
    search("what sank comes up", what_sank_comes_up, trials(sample(20, 60), 2000));
    ridges_lift_nothing();
    for (falls_on = ON_PLANE; falls_on <= ON_HULL; falls_on++)
        for (falls_as_hull = 0; falls_as_hull < 2; falls_as_hull++) {
            CASE("%s on a %s", falls_as_hull ? "hull" : "box", ground_name[falls_on]);
            search("what falls comes to rest", what_falls_comes_to_rest, trials(sample(3, 15), 500));
        }
}

/* ---- towers of what is round ---- */

static void test_towers(void)
{
    int what, i, k;
    for (what = 0; what < 4; what++) {
        nsc_id c[5];
        nsc_vec3 p[8];
        double drift = 0, fast = 0;
        begin(.5);
        floor_plane(quat(1, 0, 0, 0));
        cube_points(p, .3, .3, .1);
        for (i = 0; i < 5; i++) {
            double half = what == 2 ? .02 : what == 3 && i % 2 ? .1 : .2, z = half;
            for (k = 0; k < i; k++) z += 2 * (what == 2 ? .02 : what == 3 && k % 2 ? .1 : .2);
            c[i] = body(NSC_DYNAMIC_BODY, vec(.02 * (i % 2), 0, z), about(.2 * i, 0, 0, 1), vec(0, 0, 0));
            if (what == 3 && i % 2) add_hull(c[i], p, 8);
            else if (what == 1 && i % 2) fix(c[i], nsc_default_box_def(REAL(.25), REAL(.25), REAL(.2)));
            else fix(c[i], nsc_default_cylinder_def(REAL(.25), REAL(half)));
        }
        for (i = 0; i < 240 * 4; i++) step(1.0 / 240);
        for (i = 0; i < 5; i++) {
            drift = fmax(drift, fabs(D(position(c[i]).x) - .02 * (i % 2)) + fabs(D(position(c[i]).y)));
            fast = fmax(fast, length(velocity(c[i])) + length(spin(c[i])));
        }
        printf("    tower %d: drift %.2g, %.2g m/s, deepest %.2g\n", what, drift, fast, D(nsc_world_report(&world)->penetration));
        CHECK(drift < .01 && fast < .02 && D(nsc_world_report(&world)->penetration) < 2e-3);
    }
    { /* a coin thrown spinning comes to rest flat, if rolling costs it something */
        nsc_shape_def coin = nsc_default_cylinder_def(REAL(.2), REAL(.01));
        nsc_id c;
        nsc_body_def d = nsc_default_body_def();
        begin(.4);
        floor_plane(quat(1, 0, 0, 0));
        d.pose.position = vec(0, 0, .3), d.pose.orientation = about(1.2, 1, 0, 0), d.angular_velocity = vec(0, 0, 10);
        c = nsc_world_add_body(&world, &d);
        coin.rolling = REAL(.01);
        fix(c, coin);
        for (i = 0; i < 240 * 8; i++) step(1.0 / 240);
        printf("    coin: height %.5f, %.2g m/s %.2g rad/s\n", D(position(c).z), length(velocity(c)), length(spin(c)));
        CHECK_NEAR(position(c).z, .01, 1e-3);
        CHECK(length(velocity(c)) < .01 && length(spin(c)) < .05);
    }
    { /* three logs: two side by side on the ground, the third in the groove between, held by friction of the ground */
        nsc_id c[3];
        nsc_quat q = quat(sqrt(.5), sqrt(.5), 0, 0);
        begin(.8);
        floor_plane(quat(1, 0, 0, 0));
        for (i = 0; i < 3; i++)
            c[i] = thing(vec(i < 2 ? .25 * (2 * i - 1) : 0, 0, i < 2 ? .25 : .25 + .25 * sqrt(3)), q, vec(0, 0, 0), nsc_default_cylinder_def(REAL(.25), REAL(.5)));
        for (i = 0; i < 240 * 3; i++) step(1.0 / 240);
        for (i = 0; i < 3; i++) printf("    log %d at %.4f %.4f %.4f, %.2g m/s\n", i, D(position(c[i]).x), D(position(c[i]).y), D(position(c[i]).z), length(velocity(c[i])));
        CHECK_NEAR(position(c[2]).z, .25 + .25 * sqrt(3), 5e-3);
    }
}

/* ---- what is refused leaves no trace ---- */

static void refused(nsc_id got, int code)
{
    CHECK(got == code);
    before.note = world.note;
    CHECK(memcmp(&world, &before, sizeof world) == 0);
}

static void test_refusals(void)
{
    static nsc_real z[4160];
    nsc_shape_def hull = nsc_default_hull_def(), field = nsc_default_height_field_def(), d;
    nsc_shape_def cylinder = nsc_default_cylinder_def(REAL(.5), REAL(.5));
    nsc_vec3 p[300];
    nsc_real big = NSC_REAL_MAX, none;
    nsc_id b, s;
    int i;
    none = big * REAL(10.0) - big * REAL(10.0);
    begin(.5);
    b = body(NSC_DYNAMIC_BODY, vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0));
    cube_points(p, 1, 1, 1);
    memcpy(&before, &world, sizeof world);
    refused(nsc_world_add_shape(&world, b, &hull), NSC_ERR_ARGUMENT);
    refused(nsc_world_add_shape(&world, NSC_GROUND, &field), NSC_ERR_ARGUMENT);
    refused(world_add_points(&world, b, &cylinder, p, 8), NSC_ERR_ARGUMENT);
    refused(world_add_points(&world, b, &hull, p, 3), NSC_ERR_ARGUMENT);
    refused(world_add_points(&world, b, &hull, p, 4), NSC_ERR_ARGUMENT); /* a square */
    refused(world_add_points(&world, b, &hull, NULL, 8), NSC_ERR_ARGUMENT);
    refused(world_add_points(&world, b, NULL, p, 8), NSC_ERR_ARGUMENT);
    refused(world_add_points(&world, 12345, &hull, p, 8), NSC_ERR_HANDLE);
    CHECK(world_add_points(NULL, b, &hull, p, 8) == NSC_ERR_ARGUMENT);
    cube_points(p, 1, 1, 4e-4);
    refused(world_add_points(&world, b, &hull, p, 8), NSC_ERR_ARGUMENT); /* flat */
    for (i = 0; i < 8; i++) p[i] = vec(i, 2 * i, 3 * i);
    refused(world_add_points(&world, b, &hull, p, 8), NSC_ERR_ARGUMENT); /* a line */
    for (i = 0; i < 8; i++) p[i] = vec(1, 1, 1);
    refused(world_add_points(&world, b, &hull, p, 8), NSC_ERR_ARGUMENT); /* a point */
    cube_points(p, 1, 1, 1);
    p[5].y = none;
    refused(world_add_points(&world, b, &hull, p, 8), NSC_ERR_NOT_FINITE);
    p[5].y = big;
    refused(world_add_points(&world, b, &hull, p, 8), NSC_ERR_NOT_FINITE);
    for (i = 0; i < 40; i++) p[i] = vec(cos(i * 2.4) * sqrt(1 - (i - 19.5) * (i - 19.5) / 400), sin(i * 2.4) * sqrt(1 - (i - 19.5) * (i - 19.5) / 400), (i - 19.5) / 20);
    refused(world_add_points(&world, b, &hull, p, 40), NSC_ERR_CAPACITY); /* a ball of 40 vertices */
    refused(world_add_field(&world, b, &field, z, 4, 4, REAL(1), REAL(1)), NSC_ERR_ARGUMENT); /* moves */
    refused(world_add_field(&world, NSC_GROUND, &field, z, 1, 4, REAL(1), REAL(1)), NSC_ERR_ARGUMENT);
    refused(world_add_field(&world, NSC_GROUND, &field, z, 4, 4, REAL(0), REAL(1)), NSC_ERR_ARGUMENT);
    refused(world_add_field(&world, NSC_GROUND, &field, z, 4, 4, REAL(1), none), NSC_ERR_NOT_FINITE);
    refused(world_add_field(&world, NSC_GROUND, &field, NULL, 4, 4, REAL(1), REAL(1)), NSC_ERR_ARGUMENT);
    refused(world_add_field(&world, NSC_GROUND, &hull, z, 4, 4, REAL(1), REAL(1)), NSC_ERR_ARGUMENT);
    z[7] = none;
    refused(world_add_field(&world, NSC_GROUND, &field, z, 4, 4, REAL(1), REAL(1)), NSC_ERR_NOT_FINITE);
    z[7] = 0;
    CHECK(world_add_field(&world, NSC_GROUND, &field, z, 4, 4, REAL(1), REAL(1)) >= 0);
    memcpy(&before, &world, sizeof world);
    cylinder.radius = 0;
    refused(nsc_world_add_shape(&world, b, &cylinder), NSC_ERR_ARGUMENT);
    cylinder.radius = REAL(.5), cylinder.half.z = none;
    refused(nsc_world_add_shape(&world, b, &cylinder), NSC_ERR_NOT_FINITE);

    /* definitions: what is felt may change, what the thing is may not */
    s = fix(b, nsc_default_cylinder_def(REAL(.5), REAL(.5)));
    CHECK(nsc_shape_get_def(&world, s, &d) == NSC_OK && d.kind == NSC_SHAPE_CYLINDER);
    memcpy(&before, &world, sizeof world);
    CHECK(nsc_shape_get_def(&world, -1, &d) == NSC_ERR_HANDLE && nsc_shape_get_def(&world, s, NULL) == NSC_ERR_ARGUMENT);
    for (i = 0; i < 12; i++) {
        nsc_shape_def e = d;
        if (i == 0) e.kind = NSC_SHAPE_CAPSULE;
        if (i == 1) e.radius = REAL(.6);
        if (i == 2) e.half.z = REAL(.6);
        if (i == 3) e.density = REAL(2);
        if (i == 4) e.pose.position.y = REAL(.1);
        if (i == 5) e.pose.orientation.x = REAL(.001);
        if (i == 6) e.stiffness = REAL(1);
        if (i == 7) e.friction = REAL(-1);
        if (i == 8) e.restitution = REAL(2);
        if (i == 9) e.sensor = 2;
        if (i == 10) e.rolling = none;
        if (i == 11) e.torsion = REAL(-1);
        refused(nsc_shape_set_def(&world, s, &e), i == 10 ? NSC_ERR_NOT_FINITE : NSC_ERR_ARGUMENT);
    }
    d.friction = REAL(.9), d.restitution = REAL(.3), d.rolling = REAL(.01), d.torsion = REAL(.02), d.category = 8, d.mask = 7, d.sensor = 1;
    CHECK(nsc_shape_set_def(&world, s, &d) == NSC_OK);
    CHECK(memcmp(&world.shapes[s & 16383].def, &d, sizeof d) == 0);

}

/* mass of a cylinder: closed form; a shape off its body's frame by the parallel axis theorem */
static void test_mass(void)
{
    nsc_shape_def d = nsc_default_cylinder_def(REAL(.3), REAL(.5));
    nsc_real m, I[6];
    nsc_id b;
    double want = 1000 * pi * .09;
    begin(.5);
    b = thing(vec(0, 0, 0), quat(1, 0, 0, 0), vec(0, 0, 0), d);
    CHECK(nsc_body_get_mass(&world, b, &m, NULL, I) == NSC_OK);
    CHECK_NEAR(m, want, 1e-4);
    CHECK_NEAR(I[2], want * .045, 1e-4);
    CHECK_NEAR(I[0], want * (.09 / 4 + 1. / 12), 1e-4);
    CHECK_NEAR(I[1], I[0], 1e-6);
}

static nsc_vec3 within(double r) { return any_in(-r, r, -r, r, -r, r); }

/* The nearest point of a triangle to the origin: no corner lies further towards the origin than it does.  All seven regions are met. */
static void test_nearest_of_a_triangle(void)
{
    int i, k, region[8] = {0};
    for (i = 0; i < 4000; i++) {
        nsc_vec3 p[3], v = vec(0, 0, 0), off = within(1.5);
        nsc_real weight[3];
        double sum = 0;
        int used = 0;
        for (k = 0; k < 3; k++) p[k] = plus(off, within(1));
        if (length(cross(minus(p[1], p[0]), minus(p[2], p[0]))) < .1) continue;
        nsci_triangle_weights(p[0], p[1], p[2], weight);
        for (k = 0; k < 3; k++) {
            v = plus_multiple(v, D(weight[k]), p[k]);
            sum += D(weight[k]);
            used |= (D(weight[k]) > 0) << k;
            CHECK(D(weight[k]) > -1e-5);
        }
        CHECK_NEAR(sum, 1, 1e-5);
        for (k = 0; k < 3; k++) CHECK(dot(v, minus(p[k], v)) > (is_double ? -1e-12 : -2e-5));
        region[used]++;
    }
    for (k = 1; k < 8; k++) CHECK(region[k] > 20);
}

/* Where an edge crosses a cylinder's rim: on the cylinder, on the edge, at the height that the edge has there, in their order. */
static void test_edge_and_rim(void)
{
    int i, k, found[3] = {0, 0, 0};
    for (i = 0; i < 2000; i++) {
        nsc_vec3 at = within(.5), axis = within(1), d, e;
        nsci_spot p, q, c[NSCI_SPOTS];
        double r = .6, A, B, C, root, t[2];
        int n, want = 0;
        memset(&p, 0, sizeof p), memset(&q, 0, sizeof q);
        axis = multiple(1 / length(axis), axis);
        p.p = plus(at, within(1.5)), q.p = plus(at, within(1.5));
        p.w = REAL(dot(minus(p.p, at), axis)), q.w = REAL(dot(minus(q.p, at), axis));
        p.edge = (uint16_t)(i % 7), q.edge = 99;
        d = plus_multiple(minus(p.p, at), -dot(minus(p.p, at), axis), axis);
        e = plus_multiple(minus(q.p, p.p), -dot(minus(q.p, p.p), axis), axis);
        A = dot(e, e), B = dot(d, e), C = dot(d, d) - r * r, root = B * B - A * C;
        if (A < .01 || fabs(root) < .01) continue;
        for (k = 0; k < 2; k++) {
            t[k] = root > 0 ? ((k ? sqrt(root) : -sqrt(root)) - B) / A : 2;
            want += t[k] > 0 && t[k] < 1;
        }
        if (root > 0 && (fabs(t[0]) < 1e-3 || fabs(t[1]) < 1e-3 || fabs(t[0] - 1) < 1e-3 || fabs(t[1] - 1) < 1e-3)) continue;
        n = nsci_cut_by_disc(c, 0, &p, &q, at, axis, REAL(r));
        CHECK(n == want);
        found[want]++;
        for (k = 0; k < n; k++) {
            double s = t[n == 2 ? k : t[0] > 0 && t[0] < 1 ? 0 : 1];
            nsc_vec3 x = plus_multiple(p.p, s, minus(q.p, p.p));
            CHECK(length(minus(c[k].p, x)) < 1e-4);
            CHECK_NEAR(c[k].w, dot(minus(x, at), axis), 1e-4);
            CHECK(c[k].edge == p.edge);
            CHECK(c[k].id == NSCI_CUT + 2 * p.edge + (n == 2 ? k : t[0] > 0 && t[0] < 1 ? 0 : 1));
        }
    }
    for (k = 0; k < 3; k++) CHECK(found[k] > 50);
}

/* Each edge of a box made a hull once, and no other line */
static void test_edges_of_a_hull(void)
{
    nsc_vec3 p[8];
    const nsc_hull *hull;
    int i, u, v, edges = 0, seen = 0;
    plain_world(1);
    cube_points(p, 1, 2, 3);
    CHECK(add_hull(NSC_GROUND, p, 8) >= 0);
    hull = world.hulls[0];
    for (i = 0; i < hull->first[hull->faces]; i++) {
        nsc_vec3 e;
        if (!nsci_hull_edge(hull, i, &u, &v)) continue;
        e = minus(hull->vertex[v], hull->vertex[u]);
        CHECK((fabs(D(e.x)) > 1e-3) + (fabs(D(e.y)) > 1e-3) + (fabs(D(e.z)) > 1e-3) == 1);
        edges++, seen |= 1 << u | 1 << v;
    }
    CHECK(edges == 12 && seen == 255);
}

/* two long thin capsules that cross nearly parallel */
static void crossed_capsules_do_not_pass_through_each_other(void)
{
    double angle;
    for (angle = 0; angle < 3; angle += .25) {
        nsc_shape_def c = nsc_default_capsule_def(REAL(.01), REAL(1));
        nsc_body_def b = nsc_default_body_def();
        nsc_id id;
        plain_world(.25);
        c.pose.orientation = turn_about(vec(0, 1, 0), 1.57079633);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &c) >= 0);
        b.pose.position = vec(0, 0, .02);
        b.pose.orientation = turn_about(vec(0, 0, 1), angle * 3.14159265 / 180);
        id = nsc_world_add_body(&world, &b);
        CHECK(nsc_world_add_shape(&world, id, &c) >= 0);
        plain_steps(60, 1 / 240.);
        CHECK_NEAR(position(id).z, .02, 1e-3);
    }
}

int main(int argc, char **argv)
{
    const char *only = (argc = test_begin(argc, argv)) > 1 ? argv[1] : "frthwx";
    if (strchr(only, 'f')) pairs_in_random_poses(1, sample(2, trials(3, 40))), pairs_in_random_poses(1e-3, trials(1, 10)), pairs_in_random_poses(1e3, trials(1, 10));
    if (strchr(only, 'r')) test_rolling(), eulers_disk(1, 240), eulers_disk(1, 1000);
#if NSC_STEPPERS
    if (strchr(only, 'r')) eulers_disk(NSC_STEPPER_EULER_IMPLICIT_PROJECTED, 240), eulers_disk(NSC_STEPPER_EULER_IMPLICIT, 240);
#endif
    if (strchr(only, 'r')) search("a ball keeps its speed on a round table", a_ball_keeps_its_speed_on_a_round_table, trials(6, 200));
    if (strchr(only, 't')) test_terrain();
    if (strchr(only, 'h')) test_hulls(), test_falling();
    if (strchr(only, 'w')) test_towers();
    if (strchr(only, 'x')) test_refusals(), test_mass(), test_nearest_of_a_triangle(), test_edge_and_rim(), test_edges_of_a_hull();
    crossed_capsules_do_not_pass_through_each_other();
    return TEST_END("shapes");
}
