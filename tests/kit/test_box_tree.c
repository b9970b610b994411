/* Rays, casts, overlaps and closest points where there are many shapes: the answers of the calls of a world and of a tree of boxes are, to
   the last bit, those of a loop over all shapes (below); and how much is looked at is counted: nodes of the tree and shapes.  Rays at random,
   at corners and rims, along axes, from inside, from far away; shapes of all kinds, fixed and on turned bodies. */
#define NSC_IMPLEMENTATION
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 16
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_MAX_BODIES 1502
#define NSC_MAX_SHAPES 3004
#define NSC_MAX_CONTACTS 64
#define NSC_ARENA 0
#include "nsc.h"
static long placed; /* shapes whose geometry was asked for */
#define nsci_place(w, s) (placed++, nsci_place(w, s))
#include "nsc_sense.h"
#include "nsc_hull.h"
#include "shapes.h"
#include "solids.h"

enum { HULLS = 8, ALL = -1 };
static int shapes;
static nsc_box_tree tree;
static nsc_hull hulls[HULLS];
static const nsc_hull *hull_table[HULLS];
static double wide; /* they are in a cube of twice this [m]: about four cubic metres a shape, of up to a metre each */

/* ---- the same by a loop over all shapes */

static int loop_ray(nsc_vec3 origin, nsc_vec3 ray, uint32_t mask, nsc_hit *hit)
{
    nsc_real best = 1;
    int s, found = 0;
    for (s = 0; s < world.shape_end; s++) {
        nsci_geom g;
        nsci_span span;
        if (!nsci_is_seen(&world, mask, s)) continue;
        g = nsci_place(&world, &world.shapes[s]);
        span = nsci_cut_by_shape(&g, origin, ray);
        if (!(span.enter >= 0 && span.enter <= span.leave) || span.enter > best || (found && span.enter >= best)) continue;
        best = span.enter, found = 1;
        nsci_fill_hit(&world, s, nsci_add_sv(origin, best, ray), span.normal, best * nsci_norm(ray), hit);
    }
    return found;
}

static int loop_cast(const nsc_shape_def *def, nsc_vec3 way, uint32_t mask, nsc_hit *hit)
{
    nsci_geom probe, g;
    nsci_cast c;
    nsc_vec3 start;
    int s, found = 0;
    nsci_place_probe(def, &probe);
    c.length = nsci_norm(way);
    c.u = nsci_mul_sv(1 / c.length, way);
    start = probe.centre;
    probe.centre = nsci_vec(0, 0, 0);
    for (s = 0; s < world.shape_end; s++) {
        if (!nsci_is_seen(&world, mask, s)) continue;
        g = nsci_place(&world, &world.shapes[s]);
        g.centre = nsci_sub(g.centre, start);
        if (!nsci_cast_on(&world, &c, &probe, &g) || (found && !(c.t < c.length))) continue;
        found = 1, c.length = c.t;
        nsci_fill_hit(&world, s, nsci_add(start, c.p), nsci_neg(c.n), c.t, hit);
    }
    return found;
}

static int loop_overlap(const nsc_shape_def *def, uint32_t mask, nsc_id *ids)
{
    nsci_geom probe, g;
    int s, n = 0;
    nsci_place_probe(def, &probe);
    for (s = 0; s < world.shape_end; s++) {
        if (!nsci_is_seen(&world, mask, s)) continue;
        g = nsci_place(&world, &world.shapes[s]);
        if (nsci_collide_any(&world, &probe, &g, 0) > 0) ids[n++] = nsc_world_shape_at(&world, s);
    }
    return n;
}

static int loop_closest(nsc_vec3 point, nsc_real distance, uint32_t mask, nsc_hit *hit)
{
    nsc_shape_def def = nsc_default_sphere_def(0);
    nsci_geom probe, g;
    nsci_point p;
    int s, found = 0;
    def.pose.position = point;
    nsci_place_probe(&def, &probe);
    for (s = 0; s < world.shape_end; s++) {
        nsci_aabb box;
        if (!nsci_is_seen(&world, mask, s)) continue;
        g = nsci_place(&world, &world.shapes[s]);
        nsci_bounds(&g, NSC_R(1.001) * distance, &box);
        if (!nsci_holds(&box, point)) continue;
        if (!nsci_closest_on(&world, &probe, &g, distance, &p) || (found && p.gap >= hit->distance)) continue;
        found = 1;
        nsci_fill_hit(&world, s, nsci_add_sv(point, p.gap, p.normal), nsci_neg(p.normal), p.gap, hit);
    }
    return found;
}

static int same(int code, const nsc_hit *a, int other, const nsc_hit *b)
{
    return code == other && (code != 1 || memcmp(a, b, sizeof *a) == 0);
}

/* ---- scenes */

static nsc_vec3 anywhere(void) { return any_vec(wide); }

static nsc_shape_def any_def(int kind)
{
    double flat = pow(10, -uniform(0, 2));
    double a = uniform(0.05, 0.5), b = uniform(0.05, 0.5), c = flat * uniform(0.05, 0.5);
    if (kind == NSC_SHAPE_SPHERE) return nsc_default_sphere_def(REAL(a));
    if (kind == NSC_SHAPE_CAPSULE) return nsc_default_capsule_def(REAL(0.5 * a), REAL(b));
    if (kind == NSC_SHAPE_CYLINDER) return nsc_default_cylinder_def(REAL(a), REAL(c));
    return kind == NSC_SHAPE_BOX ? nsc_default_box_def(REAL(a), REAL(b), REAL(c)) : nsc_default_hull_def();
}

static void make_hulls(void)
{
    nsc_vec3 p[12];
    int i, k;
    for (i = 0; i < HULLS; i++) {
        do {
            double flat = pow(10, -uniform(0, 2.5));
            for (k = 0; k < 12; k++) p[k] = any_in(-0.5, 0.5, -0.5, 0.5, -0.5 * flat, 0.5 * flat);
        } while (nsc_hull_from_points(&hulls[i], p, 12, 12, NULL) < 0);
        hull_table[i] = &hulls[i];
    }
    CHECK(nsc_world_set_hulls(&world, hull_table, HULLS) == NSC_OK);
}

static const nsc_real heights[9] = {0, REAL(0.2), 0, REAL(-0.1), REAL(0.3), 0, REAL(0.1), 0, 0};

/* kind: of all n shapes; ALL: any, with a plane and a field below them */
static void make_scene(int n, int kind)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_shape_def last = nsc_default_sphere_def(1);
    int i, which = 0;
    shapes = n;
    wide = 0.8 * pow(n, 1 / 3.);
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
    make_hulls();
    for (i = 0; i < n; i++) {
        int is = kind == ALL ? NSC_SHAPE_SPHERE + below(5) : kind, hull = is == NSC_SHAPE_HULL;
        nsc_shape_def s = any_def(is);
        nsc_body_def b = nsc_default_body_def();
        nsc_id body = NSC_GROUND;
        if (i % 2) {
            b.pose.position = anywhere();
            if (i % 3) b.pose.orientation = any_turn();
            body = nsc_world_add_body(&world, &b);
            CHECK_ONCE(body > 0);
        } else {
            s.pose.position = anywhere();
        }
        if (i % 5 == 1) s.pose.position = any_vec(1);
        if (i % 4 == 0) s.pose.orientation = any_turn();
        if (i % 10 == 4) s = last, hull = s.kind == NSC_SHAPE_HULL; /* the same once more in the same place */
        else if (i % 10 != 3) which = below(HULLS);
        if (i % 2 == 0) last = s;
        if (hull) CHECK_ONCE(nsc_world_add_hull(&world, body, &s, which) >= 0);
        else CHECK_ONCE(nsc_world_add_shape(&world, body, &s) >= 0);
    }
    if (kind == ALL) {
        nsc_shape_def s = nsc_default_half_space_def();
        s.pose.position = vec(0, 0, -1.2 * wide);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
        s = nsc_default_height_field_def();
        s.pose.position = vec(0, 0, -0.8 * wide);
        CHECK(world_add_field(&world, NSC_GROUND, &s, heights, 3, 3, REAL(0.5 * wide), REAL(0.5 * wide)) >= 0);
    }
    CHECK(nsc_box_tree_make(&tree, &world) == NSC_OK);
    CHECK(tree.unbounded == (kind == ALL) && (n == 0 || tree.nodes == (kind == ALL) + 2 * (n + (kind == ALL)) - 1));
}

/* A corner, or a point of a rim or pole, of any shape */
static nsc_vec3 any_corner(nsci_geom *g)
{
    *g = nsci_place(&world, &world.shapes[below(shapes)]);
    return nsci_support(g, any_vec(1));
}

static void any_ray(nsc_vec3 *origin, nsc_vec3 *ray)
{
    nsci_geom g;
    nsc_vec3 at = any_corner(&g);
    int how = below(7);
    *origin = anywhere();
    *ray = anywhere();
    if (how == 1) *origin = nsci_add(g.centre, any_vec(0.05)); /* from inside */
    if (how == 2 || how == 3) *ray = multiple(uniform(0.5, 3), nsci_sub(at, *origin));
    if (how == 4) *origin = plus_multiple(at, -3, g.axes.c[0]), *ray = multiple(6, g.axes.c[below(3)]); /* along a face or edge */
    if (how == 5) *origin = multiple(pow(10, uniform(0, 5)), *origin), *ray = multiple(uniform(0.9, 1.5), nsci_sub(at, *origin));
    if (how == 6) {
        double x = uniform(-20, 20);
        int k = below(3);
        *ray = vec(k == 0 ? x : 0, k == 1 ? x : 0, k == 2 ? x : 0);
        if (below(2)) origin->x = at.x, origin->y = at.y;
    }
}

/* Nodes that a ray of full length looks at */
static long count_nodes(nsc_vec3 origin, nsc_vec3 ray)
{
    nsci_aabb box = nsci_point_box(origin);
    nsci_quest q;
    long n = 0;
    int i, met;
    nsci_ask(&q, &tree, &world, UINT32_MAX, &box, ray);
    for (i = 0; i < tree.nodes; i = met ? i + 1 : tree.node[i].skip, n++)
        met = i < tree.unbounded || nsci_entry(&q, tree.node[i].low, tree.node[i].high) <= q.end;
    return n;
}

static int a_ray_sees_the_same(void)
{
    nsc_hit a, b, c;
    nsc_vec3 origin, ray;
    uint32_t mask = below(4) ? UINT32_MAX : 2;
    int code;
    any_ray(&origin, &ray);
    if (!(D(nsci_norm(ray)) > 0)) return 1;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(&c, 0, sizeof c);
    code = loop_ray(origin, ray, mask, &a);
    said("ray from %g %g %g along %g %g %g: %d", D(origin.x), D(origin.y), D(origin.z), D(ray.x), D(ray.y), D(ray.z), code);
    return same(code, &a, nsc_world_cast_ray(&world, origin, ray, mask, &b), &b) &&
           same(code, &a, nsc_box_tree_cast_ray(&tree, &world, origin, ray, mask, &c), &c);
}

static int a_cast_meets_the_same(void)
{
    nsc_hit a, b, c;
    nsc_vec3 origin, ray;
    nsc_shape_def def = any_def(NSC_SHAPE_SPHERE + below(4));
    int code;
    any_ray(&origin, &ray);
    if (!(D(nsci_norm(ray)) > 0)) return 1;
    def.pose.position = origin, def.pose.orientation = any_turn();
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(&c, 0, sizeof c);
    code = loop_cast(&def, ray, UINT32_MAX, &a);
    return same(code, &a, nsc_world_cast_shape(&world, &def, ray, UINT32_MAX, &b), &b) &&
           same(code, &a, nsc_box_tree_cast_shape(&tree, &world, &def, ray, UINT32_MAX, &c), &c);
}

static int an_overlap_is_the_same(void)
{
    static nsc_id all[NSC_MAX_SHAPES];
    nsc_id b[5], c[5];
    nsci_geom g;
    nsc_shape_def def = any_def(NSC_SHAPE_SPHERE + below(4));
    int n, k, i;
    if (def.kind == NSC_SHAPE_BOX) def.half = any_in(0.1, 2, 0.1, 2, 0.1, 2);
    def.pose.position = below(2) ? any_corner(&g) : anywhere();
    def.pose.orientation = any_turn();
    n = loop_overlap(&def, UINT32_MAX, all);
    if (nsc_world_overlap(&world, &def, UINT32_MAX, b, 5) != n || nsc_box_tree_overlap(&tree, &world, &def, UINT32_MAX, c, 5) != n) return 0;
    for (i = 0, k = 0; i < n && i < 5; i++) k += b[i] != all[i] || c[i] != all[i];
    return k == 0;
}

static int the_closest_is_the_same(void)
{
    nsc_hit a, b, c;
    nsci_geom g;
    nsc_vec3 at = below(2) ? any_corner(&g) : anywhere();
    nsc_real far = REAL(pow(10, uniform(-2, 1)));
    int code;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(&c, 0, sizeof c);
    code = loop_closest(at, far, UINT32_MAX, &a);
    return same(code, &a, nsc_world_closest(&world, at, far, UINT32_MAX, &b), &b) &&
           same(code, &a, nsc_box_tree_closest(&tree, &world, at, far, UINT32_MAX, &c), &c);
}

/* Rays twice as long as `wide` from anywhere: nodes looked at if nothing stops them, and shapes placed, by the tree and without it */
static void work(int n, double budget_nodes, double budget_shapes, double budget_loop)
{
    nsc_hit hit;
    double by_tree, by_world, looked = 0;
    long before;
    int i, count = trials(300, 3000);
    make_scene(n, NSC_SHAPE_BOX);
    by_tree = by_world = 0;
    for (i = 0; i < count; i++) {
        nsc_vec3 from = anywhere(), ray = d3_real(d3_mul(2 * wide, any_direction()));
        looked += (double)count_nodes(from, ray);
        before = placed;
        CHECK_ONCE(nsc_box_tree_cast_ray(&tree, &world, from, ray, UINT32_MAX, &hit) >= 0);
        by_tree += (double)(placed - before);
        before = placed;
        CHECK_ONCE(nsc_world_cast_ray(&world, from, ray, UINT32_MAX, &hit) >= 0);
        by_world += (double)(placed - before);
    }
    printf("    %d boxes: a ray looks at %.1f nodes and %.2f shapes; without a tree at %.2f\n", n, looked / count, by_tree / count, by_world / count);
    CHECK(looked <= budget_nodes * count);
    CHECK(by_tree <= budget_shapes * count);
    CHECK(by_world <= budget_loop * count);
}

/* An overlap looks only at shapes whose box its own may meet: in a row of balls 3 m apart, at one, by the tree and by the world. */
static void an_overlap_looks_at_what_is_near(void)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_shape_def s = nsc_default_sphere_def(1);
    nsc_id id;
    long before;
    int i, axis;
    for (axis = 0; axis < 3; axis++) {
        CASE("axis %d", axis);
        CHECK(nsc_world_init(&world, &d) == NSC_OK);
        for (i = 0; i < 9; i++) {
            s.pose.position = vec(axis == 0 ? 3 * i : 0, axis == 1 ? 3 * i : 0, axis == 2 ? 3 * i : 0);
            CHECK_ONCE(nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
        }
        CHECK(nsc_box_tree_make(&tree, &world) == NSC_OK);
        s.pose.position = vec(axis == 0 ? 12.5 : 0, axis == 1 ? 12.5 : 0, axis == 2 ? 12.5 : 0);
        before = placed;
        CHECK(nsc_box_tree_overlap(&tree, &world, &s, UINT32_MAX, &id, 1) == 1 && placed == before + 1);
        CHECK(nsc_world_overlap(&world, &s, UINT32_MAX, &id, 1) == 1 && placed == before + 2);
    }
    CASE_END();
}

/* What stands in a hull behind its counts is nobody's: rays and casts give the same whatever it is. */
static void hulls_end_where_they_say(void)
{
    static nsc_hull clean, dirty;
    const nsc_hull *table[1];
    nsc_world_def d = nsc_default_world_def();
    nsc_shape_def s = nsc_default_hull_def(), probe = nsc_default_sphere_def(REAL(0.1));
    nsc_vec3 p[12];
    nsc_hit hits[2][40], casts[2][40];
    int i, k, codes[2][40];
    seed = 9;
    do
        for (k = 0; k < 12; k++) p[k] = any_vec(0.5);
    while (nsc_hull_from_points(&clean, p, 12, 12, NULL) < 0);
    dirty = clean;
    for (k = clean.faces; k < (int)(sizeof clean.normal / sizeof clean.normal[0]); k++) dirty.normal[k] = nsci_unit(nsci_sub(clean.centroid, clean.vertex[0]), vec(1, 0, 0));
    memset(hits, 0, sizeof hits), memset(casts, 0, sizeof casts);
    for (i = 0; i < 2; i++) {
        table[0] = i ? &dirty : &clean;
        CHECK(nsc_world_init(&world, &d) == NSC_OK && nsc_world_set_hulls(&world, table, 1) == NSC_OK);
        CHECK(nsc_world_add_hull(&world, NSC_GROUND, &s, 0) >= 0);
        seed = 10;
        for (k = 0; k < 40; k++) {
            nsc_vec3 from = any_vec(2), way = multiple(-2, from);
            probe.pose.position = from;
            codes[i][k] = nsc_world_cast_ray(&world, from, way, UINT32_MAX, &hits[i][k]);
            codes[i][k] += 2 * nsc_world_cast_shape(&world, &probe, way, UINT32_MAX, &casts[i][k]);
        }
    }
    CHECK(memcmp(codes[0], codes[1], sizeof codes[0]) == 0 && memcmp(hits[0], hits[1], sizeof hits[0]) == 0);
    CHECK(memcmp(casts[0], casts[1], sizeof casts[0]) == 0);
}

static void refusals(void)
{
    nsc_hit hit;
    nsc_id id;
    nsc_shape_def def = nsc_default_sphere_def(1);
    nsc_vec3 at = vec(0, 0, 0), up = vec(0, 0, 1);
    make_scene(0, NSC_SHAPE_BOX);
    CHECK(nsc_box_tree_cast_ray(&tree, &world, at, up, UINT32_MAX, &hit) == 0);
    CHECK(nsc_box_tree_overlap(&tree, &world, &def, UINT32_MAX, &id, 1) == 0);
    CHECK(nsc_box_tree_make(NULL, &world) == NSC_ERR_ARGUMENT && nsc_box_tree_make(&tree, NULL) == NSC_ERR_ARGUMENT);
    make_scene(3, NSC_SHAPE_BOX);
    CHECK(nsc_world_step(&world, REAL(0.001)) >= 0);
    CHECK(nsc_box_tree_cast_ray(&tree, &world, at, up, UINT32_MAX, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_box_tree_cast_shape(&tree, &world, &def, up, UINT32_MAX, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_box_tree_overlap(&tree, &world, &def, UINT32_MAX, &id, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_box_tree_closest(&tree, &world, at, 1, UINT32_MAX, &hit) == NSC_ERR_ARGUMENT);
    CHECK(nsc_box_tree_make(&tree, &world) == NSC_OK);
    CHECK(nsc_box_tree_cast_ray(&tree, &world, at, up, UINT32_MAX, &hit) >= 0);
    id = nsc_world_shape_at(&world, 1); /* one that goes is not seen by a tree that knew it */
    CHECK(nsc_world_remove_shape(&world, id) == NSC_OK);
    def.pose.position = at, def.radius = REAL(10);
    {
        nsc_id ids[4];
        int i, n = nsc_box_tree_overlap(&tree, &world, &def, UINT32_MAX, ids, 4);
        CHECK(n == 2);
        for (i = 0; i < n && i < 4; i++) CHECK(ids[i] != id);
    }
}

/* What no mask sees has no leaf; what is too far out for boxes is in the tree, is asked each time, and what overflows is refused. */
static void unseen_and_far_out(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.5));
    nsc_body_def b = nsc_default_body_def();
    nsc_hit by_tree, by_world;
    nsc_id near_by, far_out, hidden;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    near_by = nsc_world_add_shape(&world, nsc_world_add_body(&world, &b), &s);
    s.category = 0, s.pose.position = vec(0, 0, 2);
    hidden = nsc_world_add_shape(&world, NSC_GROUND, &s);
    s.category = 1, s.pose.position = vec(0.3 * D(NSC_REAL_MAX), 0, 0);
    far_out = nsc_world_add_shape(&world, NSC_GROUND, &s);
    CHECK(near_by >= 0 && hidden >= 0 && far_out >= 0);
    CHECK(nsc_box_tree_make(&tree, &world) == NSC_OK && tree.nodes == 2 && tree.unbounded == 1);
    CHECK(nsc_box_tree_closest(&tree, &world, vec(0, 0, 1), 10, UINT32_MAX, &by_tree) == 1 && by_tree.shape == near_by);
    CHECK(nsc_world_closest(&world, vec(0, 0, 1), NSC_REAL_MAX, UINT32_MAX, &by_world) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_box_tree_closest(&tree, &world, vec(0, 0, 1), NSC_REAL_MAX, UINT32_MAX, &by_tree) == NSC_ERR_NOT_FINITE);
}

int main(int argc, char **argv)
{
    static const int counts[3] = {16, 300, 3000};
    int i, n;
    test_begin(argc, argv);
    CASE("refusals");
    refusals();
    for (i = 0; i < 3; i++) {
        CASE("%d shapes", counts[i]);
        make_scene(counts[i], ALL);
        n = sample(1000, trials(6000, 1000000)) / (i == 2 ? 10 : 1);
        search("a ray sees the same", a_ray_sees_the_same, n);
        search("a cast meets the same", a_cast_meets_the_same, n / 20);
        search("an overlap is the same", an_overlap_is_the_same, n / 20);
        search("the closest point is the same", the_closest_is_the_same, n / 20);
    }
    an_overlap_looks_at_what_is_near();
    hulls_end_where_they_say();
    CASE("unseen, far out");
    unseen_and_far_out();
    CASE("work");
    work(16, 10, 0.3, 0.8);
    work(300, 38, 0.6, 1.7);
    work(3000, 85, 1.1, 3);
    return TEST_END("box_tree");
}
