/* Shapes that are cast: closed forms, and overlap along the way.  Inertial unit in its mounting, contact force of a shape,
   products of poses. */
#define NSC_IMPLEMENTATION
#define NSC_MAX_HULLS 2
#define NSC_MAX_FIELDS 1
#define NSC_FIELD_SAMPLES 900
#define NSC_ARENA 0
#include "../nsc.h"
#define NSC_HULL_IMPLEMENTATION
#include "../examples/kit/nsc_hull.h"
#include <math.h>
#include "world.h"

static const double SCALES[3] = {1e-3, 1, 1e3};
static const double EPS = sizeof(nsc_real) == 8 ? 2.3e-16 : 1.2e-7;
static nsc_hit hit;
static uint32_t seed = 7;

static double uniform(double lo, double hi)
{
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (double)(seed >> 8) / 16777216.0;
}

static nsc_quat quat(double w, double x, double y, double z)
{
    double n = sqrt(w * w + x * x + y * y + z * z);
    nsc_quat q;
    q.w = REAL(w / n), q.x = REAL(x / n), q.y = REAL(y / n), q.z = REAL(z / n);
    return q;
}

static nsc_vec3 any_vec(double r)
{
    double x = uniform(-r, r), y = uniform(-r, r), z = uniform(-r, r);
    return vec(x, y, z);
}

static nsc_quat any_turn(void)
{
    double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    return quat(w, x, y, z);
}

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
    double tolerance = (3e-5 * size + 8 * EPS * (size + way)) / cosine;
    CHECK(code == 1 && hit.shape == shape && hit.body == NSC_GROUND);
    CHECK_NEAR(hit.distance, t, tolerance);
    CHECK_NEAR(length(minus(hit.normal, normal)), 0, is_double ? 1e-4 : 2e-3);
}

static nsc_vec3 any_unit(void)
{
    nsc_vec3 v;
    do v = any_vec(1);
    while (length(v) < .1 || length(v) > 1);
    return multiple(1 / length(v), v);
}

static void casts_touch_where_closed_forms_say(void)
{
    int i, n = trials(500, 4000), hits = 0;
    for (i = 0; i < n; i++) {
        double L = SCALES[i % 3], r = L * uniform(.1, .5), R = L * uniform(.1, 1), way = L * uniform(2, 9), t, near, c, h;
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
            if (t < .999 * way) hits++, expect(code, s, t, multiple(1 / length(normal), normal), fmin(r, R), 9 * L, c);
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
        from = plus(o, rotate(q, vec(uniform(-.4, .4) * R, uniform(-.4, .4) * R, .6 * R + r + h)));
        ball = put(nsc_default_sphere_def(REAL(r)), from, none);
        u = vec(uniform(-.1, .1) * R, uniform(-.1, .1) * R, -h);
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
        other = put(other, plus(o, rotate(q, vec(uniform(-.5, .5) * R, uniform(-.5, .5) * R, .6 * R + .5 * r + h))), q);
        code = cast(&other, rotate(q, vec(0, 0, -1.2 * h)));
        expect(code, s, h, rotate(q, vec(0, 0, 1)), fmin(r, R), 9 * L + h, 1);
    }
    printf("    %d balls met balls\n", hits);
    CHECK(hits > n / 8);
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
    id = kind == NSC_SHAPE_HULL           ? nsc_world_add_hull(&world, NSC_GROUND, &d, p, 6)
         : kind == NSC_SHAPE_HEIGHT_FIELD ? nsc_world_add_height_field(&world, NSC_GROUND, &d, heights, 30, 30, REAL(.3 * L), REAL(.25 * L))
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

static int overlaps(nsc_shape_def d, double t, nsc_vec3 u)
{
    d.pose.position = plus_multiple(d.pose.position, t, u);
    return nsc_world_overlap(&world, &d, 0xffffffffu, NULL, 0);
}

/* All pairs: free before the touch, overlapping just after it, by nsc_world_overlap; nothing overlaps where nothing is hit */
static void overlap_begins_where_casts_touch(void)
{
    int a, b, k, i, hits = 0, misses = 0, starts = 0, grazes = 0, n = trials(6, 240);
    for (a = NSC_SHAPE_SPHERE; a <= NSC_SHAPE_BOX; a++)
        for (b = NSC_SHAPE_SPHERE; b <= NSC_SHAPE_HEIGHT_FIELD; b++)
            for (k = 0; k < 3 * n; k++) {
                double L = SCALES[k % 3], way = L * uniform(3, 6), end, c, slack, first = -1;
                nsc_id s = make(b, L);
                nsc_shape_def probe = any_probe(a, L);
                nsc_vec3 u = minus(any_vec(.8 * L), probe.pose.position);
                int code, bad = 0;
                u = multiple(1 / length(u), u);
                code = cast(&probe, multiple(way, u));
                CHECK(code == 0 || code == 1);
                if (code == 1) {
                    CHECK(hit.shape == s && D(hit.distance) >= 0 && D(hit.distance) <= way * (1 + 4 * EPS));
                    CHECK_NEAR(length(hit.normal), 1, 1e-5);
                }
                if (overlaps(probe, 0, u)) {
                    if (code != 1 || D(hit.distance) > 2e-3 * L) printf("    %d on %d: start\n", a, b);
                    CHECK(code == 1 && D(hit.distance) <= 2e-3 * L);
                    starts++;
                    continue;
                }
                c = code ? -dot(u, hit.normal) : 1;
                /* overlap counts boxes and hulls as touching from 1e-3 of their size on */
                slack = 1.5e-3 * L;
                end = code ? D(hit.distance) - slack / fmax(c, .02) : way;
                for (i = 0; i <= 100; i++)
                    if (end > 0 && overlaps(probe, end * i / 100, u)) {
                        first = end * i / 100;
                        bad++;
                    }
                /* a graze: overlap, if at all, is no deeper than the slack */
                if (bad) {
                    nsc_shape_def less = probe;
                    less.radius = REAL(D(less.radius) - 3e-3 * L), less.half.x = REAL(D(less.half.x) - 3e-3 * L);
                    less.half.y = REAL(D(less.half.y) - 3e-3 * L), less.half.z = REAL(D(less.half.z) - 3e-3 * L);
                    for (i = 0, bad = 0; i <= 100; i++) bad += overlaps(less, end * i / 100, u);
                    grazes++;
                }
                if (bad) printf("    %d on %d, scale %g: code %d at %.9g, cosine %g, overlap at %.9g\n", a, b, L, code, D(hit.distance), c, first);
                CHECK(bad == 0);
                if (code == 0) {
                    misses++;
                    continue;
                }
                hits++;
                if (c < .1) continue;
                bad = !overlaps(probe, D(hit.distance) + 3e-4 * L / c, u);
                if (bad) printf("    %d on %d, scale %g: hit at %.9g, cosine %g, no overlap there\n", a, b, L, D(hit.distance), c);
                CHECK(!bad);
            }
    printf("    %d hit, %d missed, %d began inside, %d grazed\n", hits, misses, starts, grazes);
    CHECK(hits > 3 * 28 * n / 3 && misses > 20);
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

static void poses_multiply_as_matrices_do(void)
{
    int i;
    nsc_quat q;
    nsc_vec3 x = vec(1, 0, 0);
    for (i = 0; i < 300; i++) {
        nsc_pose a, b, c;
        nsc_vec3 p = any_vec(3), axis = any_unit();
        double angle = uniform(-20, 20), r = uniform(-4, 4), e = uniform(-4, 4), y = uniform(-4, 4), tol = 40 * EPS;
        a.position = any_vec(3), a.orientation = any_turn(), b.position = any_vec(3), b.orientation = any_turn();
        c = nsc_pose_multiply(a, b);
        CHECK_NEAR(length(minus(nsc_pose_point(c, p), plus(a.position, rotate(a.orientation, plus(b.position, rotate(b.orientation, p)))))), 0, 4 * tol);
        CHECK_NEAR(length(minus(nsc_pose_vector(a, p), rotate(a.orientation, p))), 0, tol);
        c = nsc_pose_multiply(nsc_pose_inverse(c), c);
        CHECK_NEAR(length(c.position), 0, 4 * tol);
        CHECK_NEAR(fabs(D(c.orientation.w)), 1, tol);
        q = nsc_quat_from_axis_angle(multiple(uniform(.1, 9), axis), REAL(angle)); /* Rodrigues */
        angle = D(REAL(angle));
        CHECK_NEAR(length(minus(rotate(q, p), plus(plus(multiple(cos(angle), p), multiple(sin(angle), cross(axis, p))),
                                                   multiple((1 - cos(angle)) * dot(axis, p), axis)))), 0, 8 * tol);
        q = nsc_quat_from_rpy(REAL(r), REAL(e), REAL(y)); /* x forward of the turned frame, and its matrix's last row, by URDF */
        CHECK_NEAR(length(minus(rotate(q, x), vec(cos(y) * cos(e), sin(y) * cos(e), -sin(e)))), 0, 2 * tol);
        CHECK_NEAR(rotate(q, vec(0, 1, 0)).z, cos(e) * sin(r), 2 * tol);
        CHECK_NEAR(rotate(q, vec(0, 0, 1)).z, cos(e) * cos(r), 2 * tol);
    }
    q = nsc_quat_from_axis_angle(vec(0, 0, 0), REAL(1));
    CHECK(q.w >= 1 && q.w <= 1 && !(dot(vec(D(q.x), D(q.y), D(q.z)), vec(1, 1, 1)) > 0));
    q = nsc_quat_from_axis_angle(x, REAL((double)NAN));
    CHECK(q.w >= 1 && q.x <= 0);
    q = nsc_quat_from_rpy(REAL((double)INFINITY), 0, 0);
    CHECK(q.w >= 1 && q.x <= 0);
}

/* A spinning and pushed box: a + alpha x r + w x (w x r), less g, turned into the unit's frame */
static void the_imu_reads_in_its_mounting(void)
{
    int i;
    for (i = 0; i < 60; i++) {
        nsc_body_def b = nsc_default_body_def();
        nsc_shape_def d = nsc_default_box_def(REAL(.2), REAL(.3), REAL(.4));
        nsc_pose unit, pose, bad;
        nsc_vec3 a, w, got, rate, r, alpha, force, torque, v0, w0, v1, w1, centre;
        nsc_id id;
        double h = 1e-3;
        begin();
        b.pose.orientation = any_turn(), b.velocity = any_vec(3), b.angular_velocity = any_vec(5);
        id = nsc_world_add_body(&world, &b);
        d.pose.position = any_vec(.2);
        CHECK(nsc_world_add_shape(&world, id, &d) >= 0);
        force = any_vec(3000), torque = any_vec(200);
        CHECK(nsc_body_get_velocity(&world, id, &v0, &w0) == NSC_OK && nsc_body_add_force(&world, id, force, torque) == NSC_OK);
        CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK && nsc_body_get_velocity(&world, id, &v1, &w1) == NSC_OK);
        nsc_body_get_pose(&world, id, &pose), nsc_body_get_mass(&world, id, NULL, &centre, NULL);
        unit.position = any_vec(.5), unit.orientation = any_turn();
        CHECK(nsc_body_get_imu(&world, id, unit, &got, &rate) == NSC_OK);
        r = rotate(pose.orientation, minus(unit.position, centre));
        a = multiple(1 / h, minus(v1, v0)), alpha = multiple(1 / h, minus(w1, w0));
        a = plus(plus(a, cross(alpha, r)), cross(w1, cross(w1, r)));
        a = rotate_back(unit.orientation, rotate_back(pose.orientation, plus(a, vec(0, 0, 9.81))));
        w = rotate_back(unit.orientation, rotate_back(pose.orientation, w1));
        CHECK_NEAR(length(minus(got, a)), 0, is_double ? 1e-9 : 2e-2);
        CHECK_NEAR(length(minus(rate, w)), 0, 200 * EPS);
        bad = unit, bad.orientation.w = REAL(D(bad.orientation.w) + 1);
        got = rate = vec(7, 7, 7);
        bad.orientation.x = REAL(1);
        CHECK(nsc_body_get_imu(&world, id, bad, &got, &rate) == NSC_ERR_ARGUMENT && got.x >= 7 && rate.x >= 7);
        bad = unit, bad.position.x = REAL((double)NAN);
        CHECK(nsc_body_get_imu(&world, id, bad, &got, &rate) == NSC_ERR_NOT_FINITE && got.x >= 7);
        bad = unit, bad.orientation.x = REAL((double)NAN);
        CHECK(nsc_body_get_imu(&world, id, bad, &got, &rate) == NSC_ERR_NOT_FINITE);
        CHECK(nsc_body_get_imu(&world, 12345, unit, &got, &rate) == NSC_ERR_HANDLE && nsc_body_get_imu(&world, id, unit, NULL, NULL) == NSC_OK);
    }
}

/* A beam with round feet at x = -1 and 1 and its weight at x = .4: statics gives 30 % and 70 % */
static void feet_share_the_weight(void)
{
    nsc_shape_def ground = nsc_default_half_space_def(), foot = nsc_default_sphere_def(REAL(.05));
    nsc_body_def b = nsc_default_body_def();
    nsc_vec3 f, m, all, moment, sum = vec(0, 0, 0), turn = sum;
    nsc_id id, feet[2], plane;
    int i;
    const double mass = 20, at[2] = {-1, 1}, share[2] = {.3, .7};
    begin();
    plane = fix(ground);
    b.mass = REAL(mass), b.centre = vec(.4, 0, 0);
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
    b.pose.position.z = REAL(.05);
    id = nsc_world_add_body(&world, &b);
    for (i = 0; i < 2; i++) {
        foot.pose.position = vec(at[i], 0, 0);
        feet[i] = nsc_world_add_shape(&world, id, &foot);
        CHECK(feet[i] >= 0);
    }
    for (i = 0; i < 200; i++) CHECK(nsc_world_step(&world, REAL(1. / 200)) == NSC_OK);
    CHECK(nsc_body_add_force(&world, id, vec(20, 0, 0), vec(0, 0, 0)) == NSC_OK && nsc_world_step(&world, REAL(1. / 200)) == NSC_OK);
    for (i = 0; i < 2; i++) { /* pushed along x at the height of the feet's middles: friction .05 below turns it */
        CHECK(nsc_shape_get_contact_force(&world, feet[i], &f, &m) == NSC_OK);
        CHECK_NEAR(f.z, 9.81 * mass * share[i] + (i ? .5 : -.5) * 20 * .05, 5e-3 * mass);
        CHECK_NEAR(length(minus(m, vec(.05 * D(f.y), -.05 * D(f.x), 0))), 0, 1e-3);
        sum = plus(sum, f);
        turn = plus(turn, plus(m, cross(vec(at[i] - .4, 0, 0), f)));
    }
    CHECK_NEAR(sum.x, -20, .02);
    CHECK(nsc_body_get_contact_force(&world, id, &all, &moment) == NSC_OK);
    CHECK_NEAR(length(minus(sum, all)), 0, 1e-3);
    CHECK_NEAR(length(minus(turn, moment)), 0, 2e-2);
    CHECK_NEAR(all.z, 9.81 * mass, 1e-2 * mass);
    CHECK(nsc_shape_get_contact_force(&world, plane, &f, NULL) == NSC_OK);
    CHECK_NEAR(length(plus(f, all)), 0, 1e-3);
    CHECK(nsc_shape_get_contact_force(&world, id, &f, &m) == NSC_ERR_HANDLE && nsc_shape_get_contact_force(NULL, plane, &f, &m) == NSC_ERR_ARGUMENT);
    CHECK(nsc_shape_get_contact_force(&world, plane, NULL, NULL) == NSC_OK);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    casts_touch_where_closed_forms_say();
    overlap_begins_where_casts_touch();
    casts_do_not_tunnel_and_say_what_is_wrong();
    poses_multiply_as_matrices_do();
    the_imu_reads_in_its_mounting();
    feet_share_the_weight();
    return TEST_END("cast");
}
