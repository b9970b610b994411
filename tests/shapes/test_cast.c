/* Shapes that are cast: closed forms, and a proof of each random cast by a plane and a point. */
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 42
#define NSC_TERRAIN 1
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_sense.h"
#include "nsc_hull.h"
#include <math.h>
#include "random.h"

static const double SCALES[3] = {1e-3, 1, 1e3};
static const double EPS = sizeof(nsc_real) == 8 ? 2.3e-16 : 1.2e-7;
/* The cast ends when plane and portal are within 8 EPS of both sizes, and reads poses rounded to EPS of their place. A plane
   that is off by so little is tilted by sqrt(16 EPS size / radius) on a ball: 18 sqrt(EPS) for a radius of size / 20. The point
   is a mean of up to three whose weights are rounded, on narrow portals by much more than EPS. */
#define TOLERANCE (16 * EPS)
#define POINT (is_double ? 1e-8 : 1e-4) /* about sqrt(EPS) / 2: what a distance tells of the place on a curved surface */
#define EARLY (is_double ? 1e-12 : 0)
static nsc_hit hit;

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_shape_def put(nsc_shape_def d, nsc_vec3 at, nsc_quat q)
{
    d.pose.position = at, d.pose.orientation = q;
    return d;
}

static nsc_id fix(nsc_shape_def d)
{
    nsc_id id = nsc_world_add_shape(&world, NSC_GROUND, &d);
    CHECK(id >= 0);
    return id;
}

static int cast(const nsc_shape_def *d, nsc_vec3 way) { return nsc_world_cast_shape(&world, d, way, 0xffffffffu, &hit); }

/* A touch at t [m] with this outward normal, in shapes of this size; cosine: between way and normal */
static void expect(int code, nsc_id shape, double t, nsc_vec3 normal, double size, double way, double cosine)
{
    double tolerance = TOLERANCE * (size + way) / cosine;
    CHECK(code == 1 && hit.shape == shape && hit.body == NSC_GROUND);
    CHECK_NEAR(hit.distance, t, tolerance);
    CHECK_NEAR(length(minus(hit.normal, normal)), 0, 18 * sqrt(EPS));
}

static nsc_vec3 any_unit(void)
{
    nsc_vec3 v;
    do v = any_vec(1);
    while (length(v) < .1 || length(v) > 1);
    return multiple(1 / length(v), v);
}

static int balls_met;
static int a_cast_touches_where_closed_forms_say(void)
{
    double L = SCALES[nth(3)], r = L * uniform(.1, .5), R = L * uniform(.1, 1), way = L * uniform(2, 9), t, near, c, h;
    nsc_vec3 o = any_vec(5 * L), from, u, d, normal, axis;
    nsc_quat none = quat(1, 0, 0, 0), q;
    nsc_shape_def ball, other;
    nsc_id s;
    int code;

    /* ball on ball: textbook; not grazing */
    from = plus_multiple(o, L * uniform(2, 4), any_unit());
    ball = put(nsc_default_sphere_def(REAL(r)), from, none);
    begin();
    s = fix(put(nsc_default_sphere_def(REAL(R)), o, none));
    d = minus(plus(o, any_vec(L)), from);
    u = multiple(1 / length(d), d);
    d = minus(o, from);
    t = dot(d, u), near = sqrt(fmax(dot(d, d) - t * t, 0)), c = sqrt(fmax(1 - near * near / ((r + R) * (r + R)), 0));
    code = cast(&ball, multiple(way, u));
    if (length(d) > 1.001 * (r + R) && near < .999 * (r + R)) {
        t -= c * (r + R);
        normal = minus(plus_multiple(from, t, u), o);
        if (t < .999 * way) balls_met++, expect(code, s, t, multiple(1 / length(normal), normal), fmin(r, R), 9 * L, c);
        else if (t > 1.001 * way) CHECK(code == 0);
    } else if (near > 1.001 * (r + R)) CHECK(code == 0);

    /* ball, and capsule, on a half-space that is turned */
    begin();
    q = any_turn();
    s = fix(put(nsc_default_half_space_def(), o, q));
    axis = rotate(q, vec(0, 0, 1)), h = L * uniform(.6, 3);
    from = plus_multiple(o, h + r, axis);
    do u = any_unit();
    while (dot(u, axis) > -.05);
    ball = put(nsc_default_sphere_def(REAL(r)), from, none);
    t = h / -dot(u, axis);
    code = cast(&ball, multiple(1.01 * t, u));
    expect(code, s, t, axis, r, 2 * t + 9 * L, -dot(u, axis));
    CHECK_NEAR(dot(minus(hit.point, o), axis), 0, 16 * EPS * (9 * L + t));
    CHECK(cast(&ball, multiple(.99 * t, u)) == 0 && cast(&ball, multiple(-1, u)) == 0);
    q = any_turn();
    other = put(nsc_default_capsule_def(REAL(r), REAL(R)), plus_multiple(from, R, axis), q);
    t = (h + R - R * fabs(dot(rotate(q, vec(0, 0, 1)), axis))) / -dot(u, axis);
    code = cast(&other, multiple(1.01 * t, u));
    expect(code, s, t, axis, r, 2 * t + 9 * L, -dot(u, axis));

    /* ball on a box: a face, then across an edge, in the frame of the box */
    begin();
    q = any_turn();
    s = fix(put(nsc_default_box_def(REAL(R), REAL(.8 * R), REAL(.6 * R)), o, q));
    from = plus(o, rotate(q, any_in(-.4 * R, .4 * R, -.4 * R, .4 * R, .6 * R + r + h, .6 * R + r + h)));
    ball = put(nsc_default_sphere_def(REAL(r)), from, none);
    u = any_in(-.1 * R, .1 * R, -.1 * R, .1 * R, -h, -h);
    t = length(u), c = h / t;
    code = cast(&ball, rotate(q, multiple(1.01, u)));
    expect(code, s, t, rotate(q, vec(0, 0, 1)), fmin(r, R), 9 * L + t, c);
    near = uniform(.1, .9) * r, t = h; /* beside the edge x = R, z = .6 R by `near`, falling along z */
    from = plus(o, rotate(q, vec(R + near, uniform(-.5, .5) * R, .6 * R + sqrt(r * r - near * near) + h)));
    ball = put(nsc_default_sphere_def(REAL(r)), from, none);
    code = cast(&ball, rotate(q, vec(0, 0, -1.01 * h)));
    normal = rotate(q, vec(near / r, 0, sqrt(1 - near * near / (r * r))));
    expect(code, s, t, normal, fmin(r, R), 9 * L + t, sqrt(1 - near * near / (r * r)));

    /* box on box along an axis, face on face */
    other = nsc_default_box_def(REAL(.3 * R), REAL(r), REAL(.5 * r));
    other = put(other, plus(o, rotate(q, any_in(-.5 * R, .5 * R, -.5 * R, .5 * R, .6 * R + .5 * r + h, .6 * R + .5 * r + h))), q);
    code = cast(&other, rotate(q, vec(0, 0, -1.2 * h)));
    expect(code, s, h, rotate(q, vec(0, 0, 1)), fmin(r, R), 9 * L + h, 1);
    return 1;
}

static void casts_touch_where_closed_forms_say(void)
{
    int n = trials(500, 4000);
    if (!search("a cast touches where closed forms say", a_cast_touches_where_closed_forms_say, n)) return;
    printf("    %d balls met balls\n", balls_met);
    CHECK(balls_met > n / 8);
}

static nsc_real heights[900];
static nsc_id make(int kind, double L)
{
    static const double corner[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    nsc_vec3 p[6];
    nsc_shape_def d;
    nsc_id id;
    int i, j;
    double x = .7 * L;
    begin();
    d = kind == NSC_SHAPE_SPHERE       ? nsc_default_sphere_def(REAL(.8 * L))
        : kind == NSC_SHAPE_CAPSULE    ? nsc_default_capsule_def(REAL(.3 * L), REAL(x))
        : kind == NSC_SHAPE_CYLINDER   ? nsc_default_cylinder_def(REAL(.6 * L), REAL(uniform(.02, .6) * L))
        : kind == NSC_SHAPE_BOX        ? nsc_default_box_def(REAL(.8 * L), REAL(.5 * L), REAL(uniform(.02, .8) * L))
        : kind == NSC_SHAPE_HULL       ? nsc_default_hull_def()
        : kind == NSC_SHAPE_HALF_SPACE ? nsc_default_half_space_def()
                                       : nsc_default_height_field_def();
    d = put(d, any_vec(.5 * L), any_turn());
    for (i = 0; i < 6; i++) p[i] = vec(L * corner[i][0], L * corner[i][1], L * corner[i][2]);
    for (j = 0; j < 30; j++)
        for (i = 0; i < 30; i++) heights[30 * j + i] = REAL(L * .3 * sin(.7 * i) * cos(.5 * j));
    id = kind == NSC_SHAPE_HULL           ? world_add_points(&world, NSC_GROUND, &d, p, 6)
         : kind == NSC_SHAPE_HEIGHT_FIELD ? world_add_field(&world, NSC_GROUND, &d, heights, 30, 30, REAL(.3 * L), REAL(.25 * L))
                                          : nsc_world_add_shape(&world, NSC_GROUND, &d);
    CHECK(id >= 0);
    return id;
}

static nsc_shape_def any_probe(int kind, double L)
{
    nsc_shape_def d = kind == NSC_SHAPE_SPHERE     ? nsc_default_sphere_def(REAL(.3 * L))
                      : kind == NSC_SHAPE_CAPSULE  ? nsc_default_capsule_def(REAL(.15 * L), REAL(.4 * L))
                      : kind == NSC_SHAPE_CYLINDER ? nsc_default_cylinder_def(REAL(.3 * L), REAL(.2 * L))
                                                   : nsc_default_box_def(REAL(.3 * L), REAL(.2 * L), REAL(.25 * L));
    return put(d, multiple(L * uniform(1.5, 4), any_unit()), any_turn());
}

/* Depth of a point in a shape, > 0 inside; exact near its faces */
static double depth(const nsc_shape_def *g, double L, nsc_vec3 p)
{
    nsc_vec3 q = rotate_back(g->pose.orientation, minus(p, g->pose.position));
    double x = D(q.x), y = D(q.y), z = D(q.z), r = sqrt(x * x + y * y), h = D(g->half.z), i, j, u, v, a;
    const nsc_real *c;
    switch (g->kind) {
    case NSC_SHAPE_SPHERE: return D(g->radius) - sqrt(r * r + z * z);
    case NSC_SHAPE_CAPSULE: return D(g->radius) - sqrt(r * r + pow(fmax(fabs(z) - h, 0), 2));
    case NSC_SHAPE_CYLINDER: return fmin(D(g->radius) - r, h - fabs(z));
    case NSC_SHAPE_BOX: return fmin(fmin(D(g->half.x) - fabs(x), D(g->half.y) - fabs(y)), h - fabs(z));
    case NSC_SHAPE_HULL: return (L - fabs(x) - fabs(y) - fabs(z)) / sqrt(3);
    case NSC_SHAPE_HALF_SPACE: return -z;
    default: break;
    }
    u = x / (.3 * L) + 14.5, v = y / (.25 * L) + 14.5;
    i = fmin(fmax(floor(u), 0), 28), j = fmin(fmax(floor(v), 0), 28), u -= i, v -= j;
    c = heights + 30 * (int)j + (int)i;
    a = D(c[0]) + (u > v ? u * D(c[1] - c[0]) + v * D(c[31] - c[1]) : v * D(c[30] - c[0]) + u * D(c[31] - c[30]));
    return a - z;
}

/* Height of a shape along unit direction n, from the origin: the largest x . n of its points.  In double, and by other code
   than the library's. */
static double reach(const nsc_shape_def *g, double L, const double n[3])
{
    double w = D(g->pose.orientation.w), x = D(g->pose.orientation.x), y = D(g->pose.orientation.y);
    double z = D(g->pose.orientation.z), s = 2 / (w * w + x * x + y * y + z * z), r = D(g->radius), m[3];
    double at = D(g->pose.position.x) * n[0] + D(g->pose.position.y) * n[1] + D(g->pose.position.z) * n[2];
    m[0] = (1 - s * (y * y + z * z)) * n[0] + s * (x * y + w * z) * n[1] + s * (x * z - w * y) * n[2];
    m[1] = s * (x * y - w * z) * n[0] + (1 - s * (x * x + z * z)) * n[1] + s * (y * z + w * x) * n[2];
    m[2] = s * (x * z + w * y) * n[0] + s * (y * z - w * x) * n[1] + (1 - s * (x * x + y * y)) * n[2];
    switch (g->kind) {
    case NSC_SHAPE_SPHERE: return at + r;
    case NSC_SHAPE_CAPSULE: return at + r + D(g->half.z) * fabs(m[2]);
    case NSC_SHAPE_CYLINDER: return at + r * sqrt(m[0] * m[0] + m[1] * m[1]) + D(g->half.z) * fabs(m[2]);
    case NSC_SHAPE_BOX: return at + D(g->half.x) * fabs(m[0]) + D(g->half.y) * fabs(m[1]) + D(g->half.z) * fabs(m[2]);
    case NSC_SHAPE_HULL: return at + D(REAL(L)) * fmax(fmax(fabs(m[0]), fabs(m[1])), fabs(m[2])); /* octahedron */
    default: return m[2] > 1 - 8 * EPS ? at : 1e30;                                              /* half-space */
    }
}

/* Gap of shape b, and shape a moved by t u, along unit direction n */
static double gap(const nsc_shape_def *a, const nsc_shape_def *b, double L, double t, const double u[3], const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    return -reach(b, L, back) - reach(a, L, n) - t * (u[0] * n[0] + u[1] * n[1] + u[2] * n[2]);
}

static void unit_of(nsc_vec3 v, double *u)
{
    double r = length(v);
    u[0] = D(v.x) / r, u[1] = D(v.y) / r, u[2] = D(v.z) / r;
}

/* Worst error by pair of kinds: of the gap, and of the point's depth, in L */
static double worst[8][8][2];
static const nsc_shape_def *target;
static nsc_id target_id;
static double size_of_scene, far_away;
static int hits, misses, starts, passes;

static void note(double *most, double x) { *most = fmax(*most, x); }

/* Is the hit the first touch?  The proof has two halves.  hit.point lies in both shapes, so they touch there or have touched
   before; and the plane across hit.normal has them on its two sides, closing, so they have not touched before. */
static int is_first_touch(const nsc_shape_def *probe, const double u[3], double tolerance)
{
    double n[3], s, on[2], L = size_of_scene, t = D(hit.distance), c;
    nsc_shape_def moved = *probe;
    nsc_vec3 p = probe->pose.position, q = hit.point;
    int k, ok;
    unit_of(multiple(-1, hit.normal), n);
    c = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
    s = gap(probe, target, L, t, u, n);
    on[1] = depth(target, L, hit.point);
    moved.pose.position = vec(0, 0, 0);
    q = vec(D(q.x) - (D(p.x) + t * u[0]), D(q.y) - (D(p.y) + t * u[1]), D(q.z) - (D(p.z) + t * u[2]));
    on[0] = depth(&moved, L, q);
    ok = fabs(length(hit.normal) - 1) < 8 * EPS && c > -8 * EPS && s >= -tolerance && s <= tolerance + EARLY * L &&
         fabs(on[1]) <= POINT * L + tolerance && fabs(on[0]) <= (POINT * L + tolerance) / fmax(c, 1e-6);
    for (k = 0; k < 2; k++) note(&worst[probe->kind][target->kind][1], fabs(on[k]) * (k ? 1 : c) / (L + far_away));
    note(&worst[probe->kind][target->kind][0], fabs(s) / (L + far_away));
    if (!ok)
        said("%d on %d, scale %g: cosine %g, t %.9g, gap %.3g, depth of the point %.3g and %.3g, tolerance %.3g",
             probe->kind, target->kind, L, c, t, s, on[0], on[1], tolerance);
    return ok;
}

/* The gap along the best direction across the way: > 0 if the shape passes beside the other */
static double clearance(const nsc_shape_def *a, const nsc_shape_def *b, double L, const double u[3])
{
    double e[2][3], best = -1e30, at = 0, step, n[3], s;
    int i, k, least = fabs(u[0]) < fabs(u[1]) ? (fabs(u[0]) < fabs(u[2]) ? 0 : 2) : (fabs(u[1]) < fabs(u[2]) ? 1 : 2);
    double r = sqrt(1 - u[least] * u[least]);
    for (k = 0; k < 3; k++) e[0][k] = ((k == least) - u[least] * u[k]) / r;
    for (k = 0; k < 3; k++) e[1][k] = u[(k + 1) % 3] * e[0][(k + 2) % 3] - u[(k + 2) % 3] * e[0][(k + 1) % 3];
    for (step = 6.2831853071795865 / 72; step > 1e-17; step /= 5) {
        double middle = at;
        for (i = -36; i <= 36; i++) {
            double angle = middle + i * step;
            if (step < .08 && (i < -6 || i > 6)) continue;
            for (k = 0; k < 3; k++) n[k] = cos(angle) * e[0][k] + sin(angle) * e[1][k];
            s = gap(a, b, L, 0, u, n);
            if (s > best) best = s, at = angle;
        }
    }
    return best;
}

/* The same way from further back, along its line: when does it enter and, from the other end, leave the other shape? */
static int line_of(const nsc_shape_def *probe, nsc_vec3 u, double back, double tolerance, double *enter, double *leave)
{
    nsc_shape_def d = *probe;
    double v[3];
    int ok;
    d.pose.position = plus_multiple(probe->pose.position, -back, u);
    if (cast(&d, multiple(2 * back, u)) != 1) return 0;
    unit_of(u, v);
    ok = is_first_touch(&d, v, tolerance);
    *enter = D(hit.distance) - back;
    d.pose.position = plus_multiple(probe->pose.position, back, u);
    if (cast(&d, multiple(-2 * back, u)) != 1) return 0;
    unit_of(multiple(-1, u), v);
    ok &= is_first_touch(&d, v, tolerance);
    *leave = back - D(hit.distance);
    CHECK(ok);
    return 1;
}

static void check_cast(const nsc_shape_def *probe, nsc_vec3 way, double tolerance)
{
    double u[3], L = size_of_scene, enter, leave, slack = 4e-5 * L + tolerance;
    nsc_vec3 unit = multiple(1 / length(way), way);
    int code = cast(probe, way), known;
    nsc_hit own = hit;
    unit_of(way, u);
    CHECK(code == 0 || code == 1);
    if (code == 1 && D(hit.distance) > 0) {
        CHECK(hit.shape == target_id && D(hit.distance) <= length(way) * (1 + 4 * EPS) && is_first_touch(probe, u, tolerance));
        hits++;
        return;
    }
    if (target->kind == NSC_SHAPE_HALF_SPACE) {
        double n[3];
        unit_of(rotate(target->pose.orientation, vec(0, 0, -1)), n);
        CHECK(code ? gap(probe, target, L, 0, u, n) <= tolerance : gap(probe, target, L, length(way), u, n) >= -slack);
        starts += code, misses += !code;
        return;
    }
    known = line_of(probe, unit, 8 * L + far_away, 2 * tolerance, &enter, &leave);
    if (!known) {
        double beside = clearance(probe, target, L, u);
        CHECK(beside >= -2 * tolerance && (code == 0 || beside <= 2 * tolerance));
        passes++;
    } else if (code == 0) {
        CHECK(enter >= length(way) - slack || leave <= slack || clearance(probe, target, L, u) >= -slack);
        misses++;
    } else {
        CHECK(enter <= slack && leave >= -slack);
        CHECK_NEAR(depth(target, L, own.point), 0, tolerance);
        starts++;
    }
}

static nsc_id make_octahedron(nsc_shape_def d, double L)
{
    static const double corner[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    nsc_vec3 p[6];
    nsc_id id;
    int i;
    for (i = 0; i < 6; i++) p[i] = vec(L * corner[i][0], L * corner[i][1], L * corner[i][2]);
    id = world_add_points(&world, NSC_GROUND, &d, p, 6);
    CHECK(id >= 0);
    return id;
}

static double grid(double L) { return L / 4 * (below(17) - 8); }

static int probe_kind, other_kind;

/* A pair of convex shapes, at random, also from far; every second on a lattice, where faces, edges and axes are parallel
   or meet exactly */
static int a_cast_is_proved(void)
{
    int k = nth(120);
    double L = SCALES[k % 3], from = k % 5 == 4 ? 40 * L : 0;
    nsc_shape_def probe, other;
    nsc_vec3 u, way;
    target_id = make(other_kind, L);
    CHECK(nsc_shape_get_def(&world, target_id, &other) == NSC_OK);
    target = &other, size_of_scene = L, far_away = from;
    probe = any_probe(probe_kind, L);
    u = minus(any_vec(.9 * L), probe.pose.position);
    if (k % 4 < 2) {
        CHECK(nsc_world_remove_shape(&world, target_id) == NSC_OK);
        other.pose.position = vec(0, 0, 0), other.pose.orientation = quat(1, 0, 0, k % 4 == 1);
        target_id = other_kind == NSC_SHAPE_HULL ? make_octahedron(other, L) : fix(other);
        probe.pose.orientation = quat(1, k % 8 > 3, 0, 0);
        probe.pose.position.x = REAL(grid(L)), probe.pose.position.y = REAL(grid(L)), probe.pose.position.z = REAL(grid(L));
        u.x = REAL(grid(L)), u.y = REAL(grid(L)), u.z = REAL(grid(L));
        if (k % 8 == 0) u.x = u.y = 0;
    }
    if (!(length(u) > 0)) return 1;
    u = multiple(1 / length(u), u);
    way = multiple(L * uniform(2, 6) + from, u);
    probe.pose.position = plus_multiple(probe.pose.position, -from, u);
    check_cast(&probe, way, TOLERANCE * (6 * L + from));
    return 1;
}

static void casts_are_proved(void)
{
    int a, b;
    for (a = probe_kind = NSC_SHAPE_SPHERE; a <= NSC_SHAPE_BOX; probe_kind = ++a)
        for (b = other_kind = NSC_SHAPE_SPHERE; b <= NSC_SHAPE_HALF_SPACE; other_kind = ++b) {
            CASE("shape of kind %d on %d", a, b);
            search("a cast is proved", a_cast_is_proved, trials(150, 5000));
        }
    CASE_END();
    printf("    %d hit, %d stopped before or were past, %d passed beside, %d began inside\n", hits, misses, passes, starts);
    printf("    worst gap, and depth of the point, in NSC_REAL_EPS of the lengths:\n");
    for (a = NSC_SHAPE_SPHERE; a <= NSC_SHAPE_BOX; a++) {
        printf("   ");
        for (b = NSC_SHAPE_SPHERE; b <= NSC_SHAPE_HALF_SPACE; b++) printf("  %6.3g %6.3g", worst[a][b][0] / EPS, worst[a][b][1] / EPS);
        printf("\n");
    }
}

/* How deep is a point of the terrain, of a grid twice as fine, in the probe? */
static double deepest(const nsc_shape_def *probe, const nsc_shape_def *terrain, double L, double t, nsc_vec3 u)
{
    nsc_shape_def d = *probe;
    double most = -1e9;
    int i, j;
    d.pose.position = plus_multiple(d.pose.position, t, u);
    for (j = 0; j <= 58; j++)
        for (i = 0; i <= 58; i++) {
            nsc_vec3 p = vec(.3 * L * (i / 2. - 14.5), .25 * L * (j / 2. - 14.5), 0);
            p = plus(terrain->pose.position, rotate(terrain->pose.orientation, p));
            p = plus_multiple(p, depth(terrain, L, p), rotate(terrain->pose.orientation, vec(0, 0, 1)));
            if (length(minus(p, d.pose.position)) < .7 * L) most = fmax(most, depth(&d, L, p));
        }
    return most;
}

/* Terrain from above: the point of touch is on both surfaces, and before it, or where nothing is hit, no point of a grid on
   the terrain is inside the shape. */
static int met, missed;
static int a_cast_stops_on_terrain(void)
{
    double L = SCALES[nth(3)], way = L * uniform(2, 4), tolerance = TOLERANCE * 12 * L, c, on[2], v[3], n3[3];
    nsc_shape_def probe = any_probe(probe_kind, L), moved, other;
    nsc_id s = make(NSC_SHAPE_HEIGHT_FIELD, L);
    nsc_vec3 u, p;
    int i, code, bad = 0;
    CHECK(nsc_shape_get_def(&world, s, &other) == NSC_OK);
    p = probe.pose.position = plus(other.pose.position, rotate(other.pose.orientation, plus(vec(0, 0, 2 * L), any_vec(L))));
    u = minus(rotate(other.pose.orientation, any_vec(.8 * L)), minus(p, other.pose.position));
    u = multiple(1 / length(u), u);
    unit_of(u, v);
    code = cast(&probe, multiple(way, u));
    CHECK(code == 0 || code == 1);
    if (code == 1) {
        CHECK(hit.shape == s && D(hit.distance) >= 0 && D(hit.distance) <= way * (1 + 4 * EPS));
        unit_of(multiple(-1, hit.normal), n3);
        c = n3[0] * v[0] + n3[1] * v[1] + n3[2] * v[2];
        moved = probe, moved.pose.position = vec(0, 0, 0);
        on[0] = depth(&moved, L, vec(D(hit.point.x) - D(p.x) - D(hit.distance) * v[0], D(hit.point.y) - D(p.y) - D(hit.distance) * v[1],
                                     D(hit.point.z) - D(p.z) - D(hit.distance) * v[2]));
        on[1] = depth(&other, L, hit.point);
        CHECK(c > -8 * EPS);
        if (D(hit.distance) > 0) {
            CHECK_NEAR(on[0], 0, (POINT * L + tolerance) / fmax(c, 1e-6));
            CHECK_NEAR(on[1], 0, 2 * (POINT * L + tolerance)); /* its height, over slopes up to 1 */
        }
        met++;
    } else c = 1, missed++;
    for (i = 1; i <= 4; i++) bad += deepest(&probe, &other, L, (code ? D(hit.distance) : way) * i / 4, u) > 2 * tolerance;
    CHECK(bad == 0 || (code && D(hit.distance) <= 0));
    return 1;
}

static void casts_stop_on_terrain(void)
{
    int a, all = 1, n = sample(15, trials(30, 3000));
    for (a = probe_kind = NSC_SHAPE_SPHERE; a <= NSC_SHAPE_BOX; probe_kind = ++a) {
        CASE("shape of kind %d", a);
        all &= search("a cast stops on terrain", a_cast_stops_on_terrain, n);
    }
    CASE_END();
    printf("    %d met the terrain, %d did not\n", met, missed);
    CHECK(!all || (met > 2 * n && missed > n / 8));
}

static void casts_do_not_tunnel_and_say_what_is_wrong(void)
{
    nsc_shape_def d = nsc_default_sphere_def(REAL(.01)), plane = nsc_default_half_space_def(), wrong;
    nsc_quat none = quat(1, 0, 0, 0);
    nsc_id s, t;
    int k;
    for (k = NSC_SHAPE_SPHERE; k <= NSC_SHAPE_BOX; k++) { /* a sheet of a tenth of a millimetre, a kilometre in one stride */
        begin();
        s = fix(put(nsc_default_box_def(REAL(2), REAL(2), REAL(5e-5)), vec(0, 0, 1), none));
        d = any_probe(k, .1);
        d.pose.position = vec(.3, .2, 400);
        CHECK(cast(&d, vec(0, 0, -1000)) == 1 && hit.shape == s);
        CHECK_NEAR(hit.normal.z, 1, 1e-4);
        CHECK_NEAR(hit.point.z, 1, is_double ? 1e-3 : 1e-2);
    }
    /* at the start: inside, touching, moving away */
    begin();
    s = fix(put(nsc_default_box_def(REAL(1), REAL(1), REAL(1)), vec(0, 0, 0), none));
    d = put(nsc_default_box_def(REAL(.2), REAL(.2), REAL(.2)), vec(.3, .1, 1.1), none);
    CHECK(cast(&d, vec(1, 0, 0)) == 1 && hit.shape == s && D(hit.distance) <= 0);
    CHECK_NEAR(hit.normal.z, 1, 1e-6);
    CHECK_NEAR(hit.point.z, 1, 1e-5);
    d.pose.position.z = REAL(1.25);
    CHECK(cast(&d, vec(1, 0, 0)) == 0 && cast(&d, vec(1, 0, .001)) == 0 && cast(&d, vec(1, 0, -.2)) == 1);
    t = fix(put(nsc_default_sphere_def(REAL(.3)), vec(0, 0, 3), none)); /* the first of two; masks */
    d.pose.position = vec(0, 0, 6);
    CHECK(cast(&d, vec(0, 0, -9)) == 1 && hit.shape == t);
    CHECK_NEAR(hit.distance, 2.5, 1e-4);
    CHECK(nsc_world_cast_shape(&world, &d, vec(0, 0, -9), 2, &hit) == 0);
    d.pose.position = vec(0, 0, -6);
    CHECK(cast(&d, vec(0, 0, 9)) == 1 && hit.shape == s);

    memset(&hit, 7, sizeof hit);
    CHECK(nsc_world_cast_shape(NULL, &d, vec(0, 0, 9), 1, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_cast_shape(&world, NULL, vec(0, 0, 9), 1, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_cast_shape(&world, &d, vec(0, 0, 9), 1, NULL) == NSC_ERR_ARGUMENT);
    CHECK(cast(&d, vec(0, 0, 0)) == NSC_ERR_ARGUMENT && cast(&plane, vec(0, 0, 1)) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&world).field, "nsc_shape_def.kind") == 0);
    wrong = nsc_default_hull_def();
    CHECK(cast(&wrong, vec(0, 0, 1)) == NSC_ERR_ARGUMENT);
    wrong = d, wrong.half.x = REAL(-1);
    CHECK(cast(&wrong, vec(0, 0, 1)) == NSC_ERR_ARGUMENT);
    wrong = d, wrong.pose.orientation.w = REAL(1.1);
    CHECK(cast(&wrong, vec(0, 0, 1)) == NSC_ERR_ARGUMENT);
    CHECK(cast(&d, vec(0, 0, (double)INFINITY)) == NSC_ERR_NOT_FINITE && cast(&d, vec((double)NAN, 0, 0)) == NSC_ERR_NOT_FINITE);
    CHECK(hit.shape == 0x07070707);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    seed = 7;
    casts_touch_where_closed_forms_say();
    casts_are_proved();
    casts_stop_on_terrain();
    casts_do_not_tunnel_and_say_what_is_wrong();
    return TEST_END("cast");
}
