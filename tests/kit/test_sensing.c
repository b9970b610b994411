/* Rays, overlap and nearest surface: closed forms, and marching along the ray in small steps. */
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 42
#define NSC_TERRAIN 1
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_sense.h"
#include "nsc_hull.h"
#include <math.h>
#include "random.h"
#include "by.h"
#include "plain.h"

static nsc_hit hit;

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id fix(nsc_shape_def d, nsc_vec3 at, nsc_quat q)
{
    nsc_id id;
    d.pose.position = at, d.pose.orientation = q;
    id = nsc_world_add_shape(&world, NSC_GROUND, &d);
    CHECK(id >= 0);
    return id;
}

static nsc_id fix_hull(nsc_vec3 at, nsc_quat q)
{
    static const nsc_vec3 p[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}; /* octahedron */
    nsc_shape_def d = nsc_default_hull_def();
    nsc_id id;
    d.pose.position = at, d.pose.orientation = q;
    id = world_add_points(&world, NSC_GROUND, &d, p, 6);
    CHECK(id >= 0);
    return id;
}

static nsc_real heights[900];
static nsc_id fix_field(nsc_vec3 at, nsc_quat q, double wave)
{
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_id id;
    int i, j;
    for (j = 0; j < 30; j++)
        for (i = 0; i < 30; i++) heights[30 * j + i] = REAL(wave * sin(.7 * i) * cos(.5 * j));
    d.pose.position = at, d.pose.orientation = q;
    id = world_add_field(&world, NSC_GROUND, &d, heights, 30, 30, REAL(.2), REAL(.25));
    CHECK(id >= 0);
    return id;
}

static int cast(nsc_vec3 from, nsc_vec3 ray) { return nsc_world_cast_ray(&world, from, ray, 0xffffffffu, &hit); }

static void expect(nsc_id shape, double distance, nsc_vec3 normal)
{
    CHECK(hit.shape == shape && hit.body == NSC_GROUND);
    CHECK_NEAR(hit.distance, distance, 1e-5);
    CHECK_NEAR(dot(hit.normal, normal), 1, 1e-5);
}

static void rays_hit_where_closed_forms_say(void)
{
    nsc_quat none = quat(1, 0, 0, 0);
    nsc_id s;
    begin();
    s = fix(nsc_default_sphere_def(REAL(.5)), vec(0, 0, 1), none);
    CHECK(cast(vec(0, 0, 5), vec(0, 0, -10)) == 1);
    expect(s, 3.5, vec(0, 0, 1));
    CHECK_NEAR(hit.point.z, 1.5, 1e-5);
    CHECK(cast(vec(0, 0, 5), vec(0, 0, -3.4)) == 0 && cast(vec(0, 0, 5), vec(0, 0, 10)) == 0);
    CHECK(cast(vec(0, 0, 1.2), vec(0, 0, 10)) == 0); /* begins inside */
    CHECK(cast(vec(.3, 0, -5), vec(0, 0, 10)) == 1);
    expect(s, 5.6, vec(.6, 0, -.8));
    CHECK(cast(vec(.501, 0, -5), vec(0, 0, 10)) == 0);

    begin();
    s = fix(nsc_default_capsule_def(REAL(.5), REAL(1)), vec(0, 0, 0), none);
    CHECK(cast(vec(3, .3, .5), vec(-10, 0, 0)) == 1);
    expect(s, 2.6, vec(.8, .6, 0));
    CHECK(cast(vec(.3, 0, 5), vec(0, 0, -10)) == 1);
    expect(s, 3.6, vec(.6, 0, .8));
    CHECK(cast(vec(3, 0, 1.51), vec(-10, 0, 0)) == 0);

    begin();
    s = fix(nsc_default_cylinder_def(REAL(.5), REAL(1)), vec(0, 0, 0), none);
    CHECK(cast(vec(3, .3, .5), vec(-10, 0, 0)) == 1);
    expect(s, 2.6, vec(.8, .6, 0));
    CHECK(cast(vec(.3, 0, 5), vec(0, 0, -10)) == 1);
    expect(s, 4, vec(0, 0, 1));
    CHECK(cast(vec(.3, 0, .5), vec(0, 0, -10)) == 0);
    CHECK(cast(vec(3, 0, 1.01), vec(-10, 0, 0)) == 0);

    begin();
    s = fix(nsc_default_box_def(REAL(.5), REAL(1), REAL(2)), vec(1, 2, 3), none);
    CHECK(cast(vec(1.2, -7, 3), vec(0, 20, 0)) == 1);
    expect(s, 8, vec(0, -1, 0));
    CHECK(cast(vec(1.2, 9, 3), vec(0, -1, 0)) == 0 && cast(vec(1.51, -7, 3), vec(0, 20, 0)) == 0);

    begin();
    s = fix(nsc_default_half_space_def(), vec(0, 0, 1), none);
    CHECK(cast(vec(0, 0, 3), vec(3, 0, -4)) == 1);
    expect(s, 2.5, vec(0, 0, 1));
    CHECK(cast(vec(0, 0, 0), vec(3, 0, -4)) == 0 && cast(vec(0, 0, 0), vec(0, 0, 4)) == 0 && cast(vec(0, 0, 2), vec(9, 0, 0)) == 0);

    begin();
    s = fix_hull(vec(0, 0, 0), none);
    CHECK(cast(vec(.25, .25, 5), vec(0, 0, -10)) == 1);
    expect(s, 4.5, vec(sqrt(1. / 3), sqrt(1. / 3), sqrt(1. / 3)));
    CHECK(cast(vec(.6, .41, 5), vec(0, 0, -10)) == 0);

    begin();
    s = fix_field(vec(0, 0, 1), none, 0);
    CHECK(cast(vec(.2, .1, 4), vec(3, 0, -4)) == 1);
    expect(s, 3.75, vec(0, 0, 1));
    CHECK(cast(vec(0, 0, 0), vec(0, 0, 4)) == 0 && cast(vec(0, 0, 2), vec(.1, .2, 0)) == 0 && cast(vec(2.95, 0, 2), vec(0, 0, -4)) == 0);
    CHECK(cast(vec(-100, 0, 101), vec(200, 0, -200)) == 1);
    CHECK_NEAR(hit.distance, 100 * sqrt(2), 1e-4);

    begin(); /* the first of several; what the mask leaves out is not seen */
    fix(nsc_default_sphere_def(REAL(.5)), vec(0, 0, 0), none);
    s = fix(nsc_default_sphere_def(REAL(.5)), vec(0, 0, 2), none);
    CHECK(cast(vec(0, 0, 5), vec(0, 0, -10)) == 1 && hit.shape == s);
    CHECK(nsc_world_cast_ray(&world, vec(0, 0, 5), vec(0, 0, -10), 2, &hit) == 0);
    CHECK(nsc_world_cast_ray(NULL, vec(0, 0, 5), vec(0, 0, -10), 1, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_cast_ray(&world, vec(0, 0, 5), vec(0, 0, -10), 1, NULL) == NSC_ERR_ARGUMENT);
    CHECK(cast(vec(0, 0, 5), vec(0, 0, 0)) == NSC_ERR_ARGUMENT);
    CHECK(cast(vec(0, 0, 1e38 * 1e38 * 1e308), vec(0, 0, 1)) == NSC_ERR_NOT_FINITE);
}

static nsc_shape_def shape_of(nsc_id id)
{
    nsc_shape_def d = nsc_default_box_def(REAL(1), REAL(1), REAL(1));
    CHECK(nsc_shape_get_def(&world, id, &d) == NSC_OK);
    return d;
}

/* depth of a point in the one shape there is, by its definition; > 0 inside */
static double is_inside(const nsc_shape_def *g, nsc_vec3 p)
{
    nsc_vec3 q = rotate_back(g->pose.orientation, minus(p, g->pose.position));
    double x = D(q.x), y = D(q.y), z = D(q.z), r = sqrt(x * x + y * y), h = D(g->half.z), i, j, u, v;
    switch (g->kind) {
    case NSC_SHAPE_SPHERE: return D(g->radius) - sqrt(r * r + z * z);
    case NSC_SHAPE_CAPSULE: return D(g->radius) - sqrt(r * r + pow(fmax(fabs(z) - h, 0), 2));
    case NSC_SHAPE_CYLINDER: return fmin(D(g->radius) - r, h - fabs(z));
    case NSC_SHAPE_BOX: return fmin(fmin(D(g->half.x) - fabs(x), D(g->half.y) - fabs(y)), h - fabs(z));
    case NSC_SHAPE_HULL: return (1 - fabs(x) - fabs(y) - fabs(z)) / sqrt(3);
    case NSC_SHAPE_HEIGHT_FIELD:
        u = x / .2 + 14.5, v = y / .25 + 14.5;
        if (u < 0 || v < 0 || u > 29 || v > 29) return -1;
        i = fmin(floor(u), 28), j = fmin(floor(v), 28), u -= i, v -= j;
        {
            const nsc_real *c = heights + 30 * (int)j + (int)i;
            double at = D(c[0]);
            at += u > v ? u * D(c[1] - c[0]) + v * D(c[31] - c[1]) : v * D(c[30] - c[0]) + u * D(c[31] - c[30]);
            return at - z;
        }
    default: return -z;
    }
}

static nsc_id make(int of_kind)
{
    nsc_vec3 at = any_in(-.5, .5, -.5, .5, -.5, .5);
    nsc_quat q = any_turn();
    begin();
    return of_kind == NSC_SHAPE_SPHERE     ? fix(nsc_default_sphere_def(REAL(.8)), at, q)
           : of_kind == NSC_SHAPE_CAPSULE  ? fix(nsc_default_capsule_def(REAL(.4), REAL(.6)), at, q)
           : of_kind == NSC_SHAPE_CYLINDER ? fix(nsc_default_cylinder_def(REAL(.6), REAL(.4)), at, q)
           : of_kind == NSC_SHAPE_BOX      ? fix(nsc_default_box_def(REAL(.8), REAL(.5), REAL(.6)), at, q)
           : of_kind == NSC_SHAPE_HULL     ? fix_hull(at, q)
           : of_kind == NSC_SHAPE_HALF_SPACE ? fix(nsc_default_half_space_def(), at, q)
                                    : fix_field(at, q, .4);
}

static int kind, hits; /* of the shape; in all */

static int a_ray_hits_where_marching_finds_the_surface(void)
{
    int i, n = 4000;
    nsc_id s = make(kind);
    nsc_shape_def g = shape_of(s);
    nsc_vec3 from = any_in(-2.5, 2.5, -2.5, 2.5, -2.5, 2.5), to, ray;
    double at = -1, l, graze = 1;
    int code;
    to = any_in(-1, 1, -1, 1, -1, 1);
    ray = vec(2 * (D(to.x) - D(from.x)), 2 * (D(to.y) - D(from.y)), 2 * (D(to.z) - D(from.z)));
    l = length(ray);
    if (l < .1 || (is_inside(&g, from) > 0 && kind != NSC_SHAPE_HEIGHT_FIELD)) {
        if (l > .1) CHECK(cast(from, ray) == 0);
        return 1;
    }
    for (i = 1; i <= n && at < 0; i++) {
        double t = (double)i / n, was = is_inside(&g, plus_multiple(from, t - 1.0 / n, ray));
        double now = is_inside(&g, plus_multiple(from, t, ray));
        if (now > 0 && was <= 0 && was > -.99) at = t * l;
        else graze = fmin(graze, fabs(now));
    }
    code = cast(from, ray);
    if (at < 0 && code == 1 && graze < 2 * l / n) return 1; /* cut a corner between two steps */
    said("kind %d: %d at %g, hit at %g", kind, code, at, D(hit.distance));
    CHECK(code == (at >= 0));
    if (code != 1 || at < 0) return 1;
    hits++;
    CHECK_NEAR(hit.distance, at - .5 * l / n, 1.5 * l / n);
    CHECK_NEAR(is_inside(&g, hit.point), 0, 2e-5);
    CHECK_NEAR(length(hit.normal), 1, 1e-5);
    CHECK(dot(hit.normal, ray) <= 0);
    return 1;
}

/* A search for each kind of shape */
static int for_each_kind(const char *name, int (*trial)(void), int n)
{
    int k, all = 1;
    for (k = NSC_SHAPE_SPHERE; k <= NSC_SHAPE_HEIGHT_FIELD; k++) {
        kind = k;
        CASE("shape of kind %d", k);
        all &= search(name, trial, n);
    }
    CASE_END();
    return all;
}

static void rays_hit_where_marching_finds_the_surface(void)
{
    if (!for_each_kind("a ray hits where marching finds the surface", a_ray_hits_where_marching_finds_the_surface, 60)) return;
    printf("    %d rays hit\n", hits);
    CHECK(hits > 150);
}

/* Ray parameter where it goes down through triangle p q r, or 2; its sides are moved out by `wide` of their length */
static double through(nsc_vec3 from, nsc_vec3 ray, nsc_vec3 p, nsc_vec3 q, nsc_vec3 r, double wide)
{
    nsc_vec3 n = cross(minus(q, p), minus(r, p)), at;
    double down = dot(n, ray), t = dot(n, minus(p, from)) / down, v, w;
    if (!(down < 0) || t < -wide || t > 1 + wide) return 2;
    at = minus(plus_multiple(from, t, ray), p);
    v = dot(n, cross(at, minus(r, p))) / dot(n, n);
    w = dot(n, cross(minus(q, p), at)) / dot(n, n);
    return v >= -wide && w >= -wide && v + w <= 1 + wide ? t : 2;
}

static double first_through(nsc_vec3 from, nsc_vec3 ray, double wide)
{
    double first = 2;
    int i, j;
    for (j = 0; j < 29; j++)
        for (i = 0; i < 29; i++) {
            nsc_vec3 c[4];
            int k;
            for (k = 0; k < 4; k++) c[k] = vec((i + k % 2 - 14.5) * .2, (j + k / 2 - 14.5) * .25, D(heights[30 * (j + k / 2) + i + k % 2]));
            first = fmin(first, through(from, ray, c[0], c[1], c[3], wide));
            first = fmin(first, through(from, ray, c[0], c[3], c[2], wide));
        }
    return first;
}

/* Over ground where no two triangles are alike, a ray meets the first one that it goes down through: from above, from beside the
   field at half its height, along rows, columns and diagonals of it, straight down, and not beyond its end. */
static int met, missed, unsure;

static int a_ray_meets_the_first_triangle_of_rough_ground(void)
{
    nsc_vec3 from = any_in(-4, 4, -5, 5, .31, .6), ray = any_in(-6, 6, -8, 8, -.9, .1);
    double strict, loose;
    int way = nth(6), code;
    if (way == 1) ray = any_in(-8, 8, 0, 0, -.9, 0);
    if (way == 2) ray = any_in(0, 0, -9, 9, -.9, 0);
    if (way == 3) ray.y = ray.x * REAL(1.25);
    if (way == 4) ray = any_in(0, 0, 0, 0, -.9, -.3);
    if (way == 5) from.x = REAL(D(from.x) < 0 ? -3 : 3), ray.x = -from.x, from.z = REAL(.05);
    if (way == 0) ray = multiple(.15, ray);
    strict = first_through(from, ray, -1e-4);
    loose = first_through(from, ray, 1e-4);
    if (fabs(strict - loose) > 1e-12) {
        unsure++;
        return 1;
    }
    code = cast(from, ray);
    said("from %g %g %g along %g %g %g: %d, expected %d", D(from.x), D(from.y), D(from.z), D(ray.x), D(ray.y), D(ray.z), code, strict <= 1);
    CHECK(code == (strict <= 1));
    if (code != 1 || strict > 1) {
        missed++;
        return 1;
    }
    met++;
    CHECK_NEAR(hit.distance, strict * length(ray), is_double ? 1e-9 : 2e-4);
    return 1;
}

static void rays_meet_the_first_triangle_of_rough_ground(void)
{
    nsc_shape_def d = nsc_default_height_field_def();
    int i, n = sample(500, 3000);
    begin();
    aside_begin(7); /* the same ground for a trial that runs alone */
    for (i = 0; i < 900; i++) heights[i] = REAL(uniform(-.3, .3));
    aside_end();
    CHECK(world_add_field(&world, NSC_GROUND, &d, heights, 30, 30, REAL(.2), REAL(.25)) >= 0);
    if (!search("a ray meets the first triangle of rough ground", a_ray_meets_the_first_triangle_of_rough_ground, n)) return;
    printf("    rough ground: %d rays hit, %d do not, %d are too close to an edge to tell\n", met, missed, unsure);
    CHECK(30 * met > 8 * n && 30 * missed > 8 * n && 60 * unsure < n);
}

/* nearest point of the shape by sampling: no sample inside may be nearer than what is told */
static int found;

static int no_sample_is_nearer_than_the_closest_point(void)
{
    int i;
    nsc_id s = make(kind);
    nsc_shape_def g = shape_of(s);
    nsc_vec3 p = any_in(-2, 2, -2, 2, -2, 2);
    int code = nsc_world_closest(&world, p, REAL(1.5), 1, &hit), in = is_inside(&g, p) > 0, bad = 0;
    if (kind == NSC_SHAPE_HEIGHT_FIELD && is_inside(&g, p) <= -1) return 1;
    if (in) CHECK(code == 1 && D(hit.distance) <= 1e-5);
    if (code == 1) {
        found++;
        CHECK(hit.shape == s);
        CHECK_NEAR(length(hit.normal), 1, 1e-5);
        if (!in) CHECK(D(hit.distance) >= -1e-5 && D(hit.distance) <= 1.5);
        if (!in && kind != NSC_SHAPE_HEIGHT_FIELD) CHECK_NEAR(is_inside(&g, hit.point), 0, 5e-5);
    }
    aside_begin(~seed);
    for (i = 0; i < 4000 && !in; i++) {
        double r = (code == 1 ? D(hit.distance) : 1.5) * .998;
        nsc_vec3 d = any_in(-1, 1, -1, 1, -1, 1);
        if (length(d) > 1) continue;
        bad += is_inside(&g, plus_multiple(p, r, d)) > 1e-4;
    }
    aside_end();
    said("kind %d, told %g: %d samples are nearer", kind, D(hit.distance), bad);
    CHECK(bad == 0);
    return 1;
}

static void closest_points(void)
{
    for_each_kind("no sample is nearer than the closest point", no_sample_is_nearer_than_the_closest_point, 40);
    printf("    %d surfaces found\n", found);
    begin();
    CHECK(nsc_world_closest(NULL, vec(0, 0, 0), REAL(1), 1, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_closest(&world, vec(0, 0, 0), REAL(1), 1, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_closest(&world, vec(0, 0, 0), REAL(-1), 1, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_closest(&world, vec(0, 0, 0), REAL(1), 1, &hit) == 0);
}

/* overlap of a small ball agrees with the distance from its middle */
static int overlaps;

static int overlap_agrees_with_the_distance(void)
{
    nsc_shape_def ball = nsc_default_sphere_def(REAL(.3));
    nsc_id ids[4], s;
    int near, n;
    s = make(kind);
    ball.pose.position = any_in(-2, 2, -2, 2, -2, 2);
    near = nsc_world_closest(&world, ball.pose.position, REAL(5), 1, &hit);
    n = nsc_world_overlap(&world, &ball, 1, ids, 4);
    CHECK(n == 0 || (n == 1 && ids[0] == s));
    if (near == 1 && fabs(D(hit.distance) - .3) > 1e-3) CHECK(n == (D(hit.distance) < .3));
    overlaps += n;
    return 1;
}

static void overlap(void)
{
    nsc_shape_def other;
    nsc_id ids[4], s;
    int all = for_each_kind("overlap agrees with the distance", overlap_agrees_with_the_distance, 60);
    CHECK(!all || overlaps > 50);
    begin();
    fix(nsc_default_box_def(REAL(1), REAL(1), REAL(1)), vec(0, 0, 0), quat(1, 0, 0, 0));
    s = fix(nsc_default_cylinder_def(REAL(1), REAL(1)), vec(3, 0, 0), quat(1, 0, 0, 0));
    other = nsc_default_box_def(REAL(1), REAL(.1), REAL(.1));
    other.pose.position = vec(1.5, 0, 0);
    CHECK(nsc_world_overlap(&world, &other, 1, ids, 4) == 2);
    CHECK(nsc_world_overlap(&world, &other, 1, ids, 1) == 2 && nsc_world_overlap(&world, &other, 1, NULL, 0) == 2);
    other = nsc_default_cylinder_def(REAL(.4), REAL(.4));
    other.pose.position = vec(1.7, 0, 0);
    CHECK(nsc_world_overlap(&world, &other, 1, ids, 4) == 1 && ids[0] == s);
    CHECK(nsc_world_overlap(&world, &other, 2, ids, 4) == 0);
    CHECK(nsc_world_overlap(&world, &other, 1, NULL, 4) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_overlap(&world, NULL, 1, ids, 4) == NSC_ERR_ARGUMENT);
    other = nsc_default_half_space_def();
    CHECK(nsc_world_overlap(&world, &other, 1, ids, 4) == NSC_ERR_ARGUMENT);
}

/* ---- terrain of 6 by 4 samples, 2 by 3 m each */

enum { NX = 6, NY = 4 };
static const double DX = 2, DY = 3;
static nsc_real low[NX * NY];

static nsc_id terrain(void)
{
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_id id = world_add_field(&world, NSC_GROUND, &d, low, NX, NY, REAL(DX), REAL(DY));
    CHECK(id >= 0);
    return id;
}

/* Low rays over flat ground to each cell near the edges, from all sides, and past the edges */
static void flat_rays(void)
{
    nsc_hit struck;
    double x, y;
    int k;
    exact_world(0);
    for (k = 0; k < NX * NY; k++) low[k] = REAL(1);
    terrain();
    for (x = -4.5; x < 5; x += 1.5)
        for (y = -4; y < 4.5; y += 2)
            for (k = 0; k < 8; k++) {
                static const double way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, .7}, {-.7, 1}, {.9, -1}, {-1, -.8}};
                double dx = 9 * way[k][0], dy = 9 * way[k][1], dz = -1;
                int count = nsc_world_cast_ray(&world, vec(x - dx, y - dy, 2), vec(1.5 * dx, 1.5 * dy, 1.5 * dz), 0xffffffffu, &struck);
                CHECK(count == 1);
                CHECK_NEAR(struck.distance, sqrt(dx * dx + dy * dy + dz * dz), 1e-4);
                CHECK_NEAR(struck.normal.z, 1, 1e-5);
                /* the same height, but over the edge before it comes down */
                CHECK(nsc_world_cast_ray(&world, vec(x, y, 1.5), vec(4 * dx, 4 * dy, -.1), 0xffffffffu, &struck) == 0);
            }
    for (k = 0; k < 400; k++) { /* over all edges, where rounding may take a ray into a cell that is not there */
        x = 4.9 * sin(k), y = 4.4 * sin(1.7 * k);
        CHECK(nsc_world_cast_ray(&world, vec(x, y, 1.01), vec(20 * sin(2.3 * k), 20 * cos(2.3 * k), .01), 0xffffffffu, &struck) == 0);
    }
    for (k = 0; k < 8; k++) { /* beside the terrain, and on it */
        static const double beside[8][2] = {{20, 0}, {-20, 0}, {0, 20}, {0, -20}, {4, 0}, {-4, 0}, {0, 4}, {0, -4}};
        nsc_shape_def ball = nsc_default_sphere_def(REAL(1));
        ball.pose.position = vec(beside[k][0], beside[k][1], 1.5);
        CHECK(nsc_world_overlap(&world, &ball, 0xffffffffu, NULL, 0) == (k >= 4));
    }
    CHECK(nsc_world_cast_ray(&world, vec(5, 0, 2), vec(0, 0, -2), 0xffffffffu, &struck) == 1); /* on the border */
    CHECK(nsc_world_cast_ray(&world, vec(5.01, 0, 2), vec(0, 0, -2), 0xffffffffu, &struck) == 0);
    CHECK(nsc_world_cast_ray(&world, vec(0, 4.49, 2), vec(0, 0, -2), 0xffffffffu, &struck) == 1);
    CHECK(nsc_world_cast_ray(&world, vec(0, 4.51, 2), vec(0, 0, -2), 0xffffffffu, &struck) == 0);
}

/* Along the axis of what is round: inside it is struck at its end, outside not at all.  Of two at one place the first is met. */
static void rays_along_an_axis(void)
{
    int k, of_kind;
    for (of_kind = 0; of_kind < 2; of_kind++) {
        nsc_shape_def round = of_kind ? nsc_default_cylinder_def(REAL(.5), REAL(1)) : nsc_default_capsule_def(REAL(.5), REAL(.5));
        nsc_id first;
        exact_world(0);
        first = nsc_world_add_shape(&world, NSC_GROUND, &round);
        CHECK(first >= 0 && nsc_world_add_shape(&world, NSC_GROUND, &round) >= 0);
        for (k = 0; k < 4; k++) {
            nsc_hit struck;
            double x = .25 * k;
            CHECK(nsc_world_cast_ray(&world, vec(x, 0, 5), vec(0, 0, -9), 0xffffffffu, &struck) == (x <= .5));
            if (k < 2) CHECK(struck.shape == first), CHECK_NEAR(struck.distance, of_kind ? 4 : 4.5 - sqrt(.25 - x * x), 1e-5);
        }
    }
}

/* Oblique rays at a slope of oblong cells are stopped where the plane is. */
static void rays_at_a_slope(void)
{
    const double dx = .5, dy = .25, a = .3, b = -.2;
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_real slope[24];
    nsc_hit struck;
    int i;
    for (i = 0; i < 24; i++) slope[i] = REAL(a * dx * (i % 6 - 2.5) + b * dy * (i / 6 - 1.5));
    exact_world(0);
    CHECK(world_add_field(&world, NSC_GROUND, &d, slope, 6, 4, REAL(dx), REAL(dy)) >= 0);
    for (i = 0; i < 60; i++) {
        double x = .02 * (i % 60) - .6, y = .011 * (7 * i % 60) - .33, z = a * x + b * y;
        double rx = .3 * (i % 5 - 2), ry = .25 * (i % 7 - 3);
        nsc_vec3 from = vec(x - rx, y - ry, z + 1), ray = vec(3 * rx, 3 * ry, -3);
        CHECK(nsc_world_cast_ray(&world, from, ray, UINT32_C(0xffffffff), &struck) == 1);
        CHECK_NEAR(struck.point.x, x, 1e-5), CHECK_NEAR(struck.point.y, y, 1e-5);
        CHECK_NEAR(struck.point.z, z, 1e-5);
    }
}

/* rays from above at the inner nodes and edges of a slope that is a plane */
static void rays_meet_height_fields_at_edges_and_nodes(void)
{
    enum { N = 16 };
    static nsc_real height[N * N];
    nsc_shape_def s = nsc_default_height_field_def();
    int i, j;
    plain_world(.25);
    for (j = 0; j < N; j++)
        for (i = 0; i < N; i++)
            height[j * N + i] = REAL(.1 * i + .03 * j);
    CHECK(world_add_field(&world, NSC_GROUND, &s, height, N, N, REAL(.5), REAL(.5)) >= 0);
    for (j = 4; j < 2 * N - 4; j++)
        for (i = 4; i < 2 * N - 4; i++) {
            nsc_vec3 from = vec(.1, .2, 3);
            nsc_vec3 to = vec(.25 * i - 3.75, .25 * j - 3.75, .05 * i + .015 * j);
            nsc_hit struck;
            CHECK(nsc_world_cast_ray(&world, from, multiple(1.3, minus(to, from)), 1, &struck) == 1);
            CHECK(length(minus(struck.point, to)) < 1e-3);
        }
}

#if NSC_LOCKS
/* A shape removed, a shape of another category and a body switched off are not seen. */
static void what_is_gone_is_not_sensed(void)
{
    nsc_shape_def s = nsc_default_box_def(REAL(0.5), REAL(0.5), REAL(0.5)), probe = nsc_default_sphere_def(REAL(0.25));
    nsc_id gone, other, off, seen, ids[4];
    nsc_hit struck;
    int k;
    plain_world(0);
    gone = nsc_world_add_shape(&world, NSC_GROUND, &s);
    s.category = 2;
    other = nsc_world_add_shape(&world, NSC_GROUND, &s);
    s.category = 1;
    off = bare_body(NSC_DYNAMIC_BODY, 0, 0, 0);
    CHECK(nsc_world_add_shape(&world, off, &s) > 0);
    CHECK(gone > 0 && other > 0 && nsc_world_remove_shape(&world, gone) == NSC_OK);
    for (k = 0; k < 2; k++) { /* the last shape has the slot of the first, then not */
        CHECK(nsc_body_set_kind(&world, off, NSC_DISABLED_BODY) == NSC_OK);
        CHECK(nsc_world_cast_ray(&world, vec(-4, 0, 0), vec(8, 0, 0), 1, &struck) == 0);
        CHECK(nsc_world_overlap(&world, &probe, 1, ids, 4) == 0);
        CHECK(nsc_world_closest(&world, vec(-1, 0, 0), REAL(4), 1, &struck) == 0);
        probe.pose.position = vec(-4, 0, 0);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(8, 0, 0), 1, &struck) == 0);
        probe.pose.position = vec(0, 0, 0);
        CHECK(nsc_world_overlap(&world, &probe, 2, ids, 4) == 1 && ids[0] == other);
        CHECK(nsc_body_set_kind(&world, off, NSC_DYNAMIC_BODY) == NSC_OK);
        CHECK(nsc_world_cast_ray(&world, vec(-4, 0, 0), vec(8, 0, 0), 1, &struck) == 1 && struck.body == off);
        CHECK(nsc_world_closest(&world, vec(-1, 0, 0), REAL(4), 1, &struck) == 1 && struck.body == off);
        probe.pose.position = vec(-4, 0, 0);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(8, 0, 0), 0xffffffffu, &struck) == 1);
        probe.pose.position = vec(0, 0, 0);
        seen = nsc_world_add_shape(&world, NSC_GROUND, &s);
        CHECK(seen > 0 && nsc_world_remove_shape(&world, seen) == NSC_OK);
    }
    /* two in the way: the nearer one counts, in both orders of their slots */
    plain_world(0);
    for (k = 0; k < 3; k++) {
        s.pose.position = vec(k == 0 ? 0 : 2 * k - 4, 0, 0);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &s) > 0);
    }
    probe.pose.position = vec(-6, 0, 0);
    CHECK(nsc_world_cast_shape(&world, &probe, vec(12, 0, 0), 0xffffffffu, &struck) == 1);
    CHECK_NEAR(D(struck.point.x), -2.5, 1e-5);
    probe.pose.position = vec(6, 0, 0);
    CHECK(nsc_world_cast_shape(&world, &probe, vec(-12, 0, 0), 0xffffffffu, &struck) == 1);
    CHECK_NEAR(D(struck.point.x), 0.5, 1e-5);
}
#endif

int main(void)
{
    seed = 99;
    rays_hit_where_closed_forms_say();
    rays_hit_where_marching_finds_the_surface();
    rays_meet_the_first_triangle_of_rough_ground();
    closest_points();
    overlap();
    flat_rays();
    rays_along_an_axis();
    rays_at_a_slope();
    rays_meet_height_fields_at_edges_and_nodes();
#if NSC_LOCKS
    what_is_gone_is_not_sensed();
#endif
    return TEST_END("sensing");
}
