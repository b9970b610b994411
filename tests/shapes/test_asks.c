/* Rays, casts, overlaps and closest points against solids.h: shapes of every kind, aspects to 1:1000, sizes to 1000:1, scales 1e-3 to 1e3;
   from outside and inside, aimed at random, and past a surface by 1e-8 to 1e-1 of the size.
   How far two convex shapes are apart, less their depth, is a convex function g of the way of the one.  The reference goes on by g over
   the speed along the normal, which never oversteps (conservative advancement), so a way that it misses is missed; and where it
   arrives, g sinks below the tolerance or grazes.
   Right: where nsc stops, and at half the way from there to the reference's stop, g is 0 to the tolerance, 1e-5 of the smaller size and
   32 units in the last place of the lengths met.  The shapes are so far apart along the normal too, to 1e-4 of the size, and the point
   is on both.  A ray is a point that is cast; from inside it sees nothing.
   test_asks rates [n [kind]]: how many of each are wrong, the first three shown. */
#include "items.h"

enum { MISSED, GHOST, DISTANCE, NORMAL, POINT, WAYS };
static const char *const way_name[WAYS] = {"missed", "ghosts", "distances", "normals", "points"};
static int kind_a, kind_b;
static long wrong[WAYS], touched, passed, unproven;
static const double eps = sizeof(nsc_real) == 8 ? 2.3e-16 : 1.2e-7;
static nsc_hit hit;
static item one, two;
static double small, tol; /* the smaller size [m], what is allowed [m] */

static int is_wrong(int way)
{
    wrong[way]++;
    said("wrong: %s", way_name[way]);
    return 0;
}

static void solid_point(solid *s, d3 p, double size)
{
    memset(s, 0, sizeof *s);
    s->corners = 1, s->corner[0] = s->centre = p, s->size = size;
    s->axis[0] = d3_of(1, 0, 0), s->axis[1] = d3_of(0, 1, 0), s->axis[2] = d3_of(0, 0, 1);
}

/* g after t of the way u: how far shape `two` is then from `one`; 1e300 if that could not be proven */
static double gap_at(double t, d3 u, d3 *n)
{
    solid moved = two.solid;
    double gap;
    if (kind_a == ITEM_HALF_SPACE) {
        *n = one.solid.axis[2];
        return d3_dot(d3_sub(d3_add(solid_support(&two.solid, d3_mul(-1, *n)), t, u), d3_from(one.def.pose.position)), *n) - solid_rounding(&two.solid);
    }
    solid_move(&moved, d3_mul(t, u));
    if (solid_gap(&one.solid, &moved, &gap, n)) return gap;
    unproven++;
    return 1e300;
}

/* Does it touch before `way`?  Then *t: where */
static int advance(double way, d3 u, double *t)
{
    d3 n = u;
    int i;
    for (*t = 0, i = 0; i < 500; i++) {
        double g = gap_at(*t, u, &n), closing = -d3_dot(n, u);
        if (g <= tol / 16) return 1;
        if (closing * (way - *t) < g) return 0;
        *t += g / closing;
    }
    return 1; /* it creeps along the surface */
}

/* The least of g, which is convex, from t to `way`; no less than is asked for */
static double least_gap(double from, double way, d3 u, double enough)
{
    double lo = from, hi = way, best = 1e300;
    d3 n;
    int i;
    for (i = 0; i < 60 && best > enough; i++) {
        double p = lo + (hi - lo) / 3, q = hi - (hi - lo) / 3, gp = gap_at(p, u, &n), gq = gap_at(q, u, &n);
        best = fmin(best, fmin(gp, gq));
        if (gp < gq) hi = q;
        else lo = p;
    }
    return best;
}

/* Shape one, and a way for the other: its start (of its centre) and its end */
static int begin(d3 *from, d3 *to, int is_ray)
{
    double scale = pow(10, below(3) ? 0 : uniform(-3, 3)), ratio = below(3) ? pow(10, uniform(-3, 3)) : 1, off, sizes;
    d3 n, side, at;
    int ground = kind_a == ITEM_HALF_SPACE;
    make_item(&one, kind_a, below(2) ? 3 : 0.5, scale);
    make_item(&two, kind_b, below(2) ? 3 : 0.5, ground ? scale : scale * ratio);
    if (below(4)) one.def.pose.orientation = any_turn();
    if (below(2)) one.def.pose.position = any_vec(3 * scale);
    two.def.pose.orientation = below(3) ? any_turn() : one.def.pose.orientation;
    if (!item_solid(&one) || !item_solid(&two)) return 0;
    if (is_ray) solid_point(&two.solid, d3_of(0, 0, 0), one.solid.size);
    sizes = ground ? two.solid.size : one.solid.size + (is_ray ? 0 : two.solid.size);
    small = ground ? two.solid.size : fmin(one.solid.size, two.solid.size);
    /* a place where they touch, or nearly; the way leads through it, mostly nearly along the surface there */
    n = ground ? one.solid.axis[2] : any_direction();
    at = ground ? d3_from(one.def.pose.position) : solid_support(&one.solid, n);
    off = solid_rounding(&one.solid) * !ground + solid_rounding(&two.solid);
    at = d3_sub(d3_add(at, off, n), d3_sub(solid_support(&two.solid, d3_mul(-1, n)), two.solid.centre));
    at = d3_add(at, small * pow(10, uniform(-8, -1)) * (below(2) ? 1 : -1), n);
    side = any_direction();
    if (below(2)) side = d3_unit(d3_add(side, pow(10, uniform(-4, 0)) - d3_dot(side, n), n), n); /* towards the start */
    if (below(8) == 0) at = d3_add(ground ? at : one.solid.centre, uniform(0, 1) * small, any_direction());
    *from = d3_add(at, sizes * uniform(0, 3) * (below(8) != 0), side);
    *to = d3_add(at, -sizes * uniform(0.01, 3), side);
    *from = d3_from(d3_real(*from));
    two.def.pose.position = d3_real(*from);
    if (!item_solid(&two)) return 0;
    if (is_ray) solid_point(&two.solid, *from, one.solid.size);
    tol = (kind_a == ITEM_HULL ? 1e-3 : 1e-5) * small + 32 * eps * (sizes + d3_norm(*from) + d3_norm(*to) + d3_norm(d3_from(one.def.pose.position)));
    if (kind_a == ITEM_MESH) tol += 1.2e-7 * one.solid.size; /* its table is in float */
    return begin_items(0.01 * small) && place_item(&one, NSC_GROUND);
}

static int judge_way(int got, d3 from, d3 to, int is_ray)
{
    double way, t = 0, start, g, cosine, apart;
    int hits;
    d3 u, n, p;
    way = d3_norm(d3_sub(to, from));
    u = d3_unit(d3_sub(to, from), d3_of(0, 0, 1));
    start = gap_at(0, u, &n);
    if (fabs(start) > 1e200) return 1;
    said("%s of %g, %s of %g, way %g, apart by %g: %d at %.9g, allowed %g", item_name[kind_a], one.solid.size, is_ray ? "ray" : item_name[kind_b],
         two.solid.size, way, start, got, got > 0 ? D(hit.distance) : 0, tol);
    if (start < -tol - (is_ray ? 0 : 6e-5 * small)) { /* from inside */
        passed++;
        if (is_ray) return got == 0 || (kind_a == ITEM_MESH) ? 1 : is_wrong(GHOST);
        if (kind_a == ITEM_MESH) return 1; /* its triangles are surfaces, it has no inside */
        return got != 1 ? is_wrong(MISSED) : D(hit.distance) > 0 ? is_wrong(DISTANCE) : 1;
    }
    if (start < tol) return 1;
    hits = advance(way, u, &t);
    said("the reference %s at %.9g", hits ? "touches" : "has none", t);
    if (got != 1) {
        passed++;
        return !hits || least_gap(t, way, u, -tol) > -tol || way - t < 4 * tol ? 1 : is_wrong(MISSED);
    }
    touched++;
    g = gap_at(D(hit.distance), u, &n);
    if (g > 1e200) return 1;
    said("where it stops they are %g apart", g);
    if (!hits && g > tol) return is_wrong(GHOST);
    if (fabs(g) > tol) return is_wrong(DISTANCE);
    if (hits && (g = gap_at(0.5 * (t + D(hit.distance)), u, &n)) < -tol && g > -1e200) return is_wrong(DISTANCE);
    n = d3_from(hit.normal);
    cosine = -d3_dot(n, u);
    if (fabs(d3_norm(n) - 1) > 1e-4) return is_wrong(NORMAL);
    p = d3_mul(D(hit.distance), u);
    apart = kind_a == ITEM_HALF_SPACE ? d3_dot(n, one.solid.axis[2]) - 1 : solid_along(&one.solid, &two.solid, n) + d3_dot(p, n);
    said("along its normal %g, cosine %g", apart, cosine);
    if (kind_a != ITEM_MESH && apart < -tol - 1e-4 * small) return is_wrong(NORMAL);
    p = d3_from(hit.point);
    if (is_ray) return d3_norm(d3_sub(p, d3_add(from, D(hit.distance), u))) > tol ? is_wrong(POINT) : 1;
    {
        solid at, moved = two.solid;
        double a = 0, b = 0, allowed = (tol + 1e-3 * small) / fmax(cosine, 1e-2);
        d3 m;
        solid_point(&at, p, small);
        solid_move(&moved, d3_mul(D(hit.distance), u));
        if (kind_a == ITEM_HALF_SPACE) a = d3_dot(d3_sub(p, d3_from(one.def.pose.position)), one.solid.axis[2]);
        else if (!solid_gap(&one.solid, &at, &a, &m)) return 1;
        if (!solid_gap(&moved, &at, &b, &m)) return 1;
        said("the point is %g and %g from the shapes, allowed %g", a, b, allowed);
        if (fmax(fabs(a), fabs(b)) > allowed) return is_wrong(POINT);
    }
    return 1;
}

static int ray(void)
{
    d3 from, to;
    nsc_vec3 way;
    int got;
    if (!begin(&from, &to, 1)) return 1;
    way = d3_real(d3_sub(to, from));
    to = d3_add(from, 1, d3_from(way));
    got = nsc_world_cast_ray(&world, d3_real(from), way, UINT32_MAX, &hit);
    CHECK_ONCE(got >= 0);
    return judge_way(got, from, to, 1);
}

static int cast(void)
{
    d3 from, to;
    nsc_vec3 way;
    int got;
    if (!begin(&from, &to, 0)) return 1;
    way = d3_real(d3_sub(to, from));
    to = d3_add(from, 1, d3_from(way));
    got = nsc_world_cast_shape(&world, &two.def, way, UINT32_MAX, &hit);
    CHECK_ONCE(got >= 0);
    return judge_way(got, from, to, 0);
}

static int overlap(void)
{
    d3 from, to, n;
    double g;
    int got;
    nsc_id id = 0;
    if (!begin(&from, &to, 0)) return 1;
    got = nsc_world_overlap(&world, &two.def, UINT32_MAX, &id, 1);
    CHECK_ONCE(got >= 0);
    g = gap_at(0, d3_of(0, 0, 1), &n);
    said("%s of %g, %s of %g, apart by %g: %d, allowed %g", item_name[kind_a], one.solid.size, item_name[kind_b], two.solid.size, g, got, tol);
    if (g > 1e200 || (kind_a == ITEM_MESH && g < 0)) return 1;
    *(got ? &touched : &passed) += 1;
    if (got && g > tol) return is_wrong(GHOST);
    return !got && g < -tol ? is_wrong(MISSED) : 1;
}

/* The closest point of a field, of all its triangles one by one */
static int closest_on_field(void)
{
    double scale = pow(10, uniform(-3, 3)), step, best = 1e300, got_gap;
    int i, j, k, got;
    d3 p, near = d3_of(0, 0, 0), m = d3_of(0, 0, 0);
    solid at, tri;
    make_item(&one, ITEM_FIELD, 0, scale);
    if (below(2)) one.def.pose.position = any_vec(3 * scale);
    if (below(2)) one.def.pose.orientation = any_turn();
    for (i = 0; i < ITEM_GRID * ITEM_GRID; i++) item_height[i] = REAL(scale * uniform(-0.3, 0.3));
    if (!item_solid(&one) || !begin_items(0.01 * scale) || !place_item(&one, NSC_GROUND)) return 1;
    solid_frame(&at, one.def.pose.position, one.def.pose.orientation);
    step = D(REAL(scale / 2));
    p = d3_from(d3_real(solid_local(&at, 1.9 * scale * uniform(-1, 1), 1.9 * scale * uniform(-1, 1), scale * (0.3 + pow(10, uniform(-6, 0.3))))));
    tol = 1e-5 * scale + 32 * eps * (4 * scale + d3_norm(p) + d3_norm(at.centre));
    for (i = 0; i < ITEM_GRID - 1; i++)
        for (j = 0; j < ITEM_GRID - 1; j++)
            for (k = 0; k < 2; k++) {
                d3 c[4], n;
                double g, height;
                int l;
                solid point;
                for (l = 0; l < 4; l++) {
                    int x = i + (l & 1), y = j + (l >> 1);
                    c[l] = solid_local(&at, (x - 0.5 * (ITEM_GRID - 1)) * step, (y - 0.5 * (ITEM_GRID - 1)) * step, D(item_height[ITEM_GRID * y + x]));
                }
                solid_triangle(&tri, c[0], k ? c[3] : c[1], k ? c[2] : c[3]);
                solid_point(&point, p, scale);
                height = d3_dot(d3_sub(p, c[0]), tri.axis[2]);
                if (height <= 0) continue; /* a surface is seen from above */
                if (!solid_gap(&tri, &point, &g, &n)) return unproven++, 1;
                if (g < best) best = g, m = n, near = d3_add(p, -g, n);
            }
    if (best > 1e200) return 1;
    got = nsc_world_closest(&world, d3_real(p), REAL(10 * scale), UINT32_MAX, &hit);
    got_gap = got > 0 ? D(hit.distance) : 0;
    said("field of %g, distance %.9g: %d, %.9g, allowed %g; off %g", scale, best, got, got_gap, tol, d3_norm(d3_sub(near, d3_from(hit.point))));
    touched++;
    if (got != 1) return is_wrong(MISSED);
    if (fabs(got_gap - best) > tol) return is_wrong(DISTANCE);
    if (fabs(d3_norm(d3_sub(p, d3_from(hit.point))) - best) > tol) return is_wrong(POINT);
    near = d3_sub(d3_add(p, -best, d3_from(hit.normal)), d3_from(hit.point));
    (void)m;
    return d3_norm(near) > 1e-3 * scale + tol ? is_wrong(NORMAL) : 1;
}

/* Below the ground of a height field the distance is negative, but no deeper than the vertical way up, and does not depend on how
   far is looked; a point that is under no triangle is not inside. */
static int closest_below_a_field(void)
{
    double scale = pow(10, uniform(-3, 3)), steep = pow(10, uniform(-1, 0.5)), step = D(REAL(scale / 2)), up = 1e300, x, y, got[2];
    double half = 0.5 * (ITEM_GRID - 1) * step;
    int i, j, found[2];
    make_item(&one, ITEM_FIELD, 0, scale);
    for (i = 0; i < ITEM_GRID * ITEM_GRID; i++) item_height[i] = REAL(step * steep * uniform(-1, 1));
    if (!item_solid(&one) || !begin_items(0.01 * scale) || !place_item(&one, NSC_GROUND)) return 1;
    x = 1.2 * half * uniform(-1, 1);
    y = 1.2 * half * uniform(-1, 1);
    i = (int)floor((x + half) / step);
    j = (int)floor((y + half) / step);
    if (i >= 0 && j >= 0 && i < ITEM_GRID - 1 && j < ITEM_GRID - 1) {
        double u = (x + half) / step - i, v = (y + half) / step - j;
        const nsc_real *c = item_height + ITEM_GRID * j + i;
        double a = D(c[0]), b = D(c[1]), e = D(c[ITEM_GRID]), f = D(c[ITEM_GRID + 1]);
        up = u > v ? a + u * (b - a) + v * (f - b) : a + v * (e - a) + u * (f - e);
    }
    {
        double z = (up < 1e200 ? up : 0) - step * pow(10, uniform(-2, 0.3));
        up -= z;
        for (i = 0; i < 2; i++) {
            found[i] = nsc_world_closest(&world, vec(x, y, z), REAL(i ? 30 * scale * (1 + steep) : 0.3 * step), UINT32_MAX, &hit);
            got[i] = found[i] > 0 ? D(hit.distance) : 1e300;
        }
    }
    tol = 1e-5 * scale * (1 + steep);
    said("field of %g, steep %g, %g below: %d, %g; looked farther %d, %g", scale, steep, up, found[0], got[0], found[1], got[1]);
    touched++;
    if (up > 1e200) return (found[0] > 0 && got[0] < 0) || (found[1] > 0 && got[1] < 0) ? is_wrong(GHOST) : 1;
    if (found[0] != 1 || found[1] != 1) return is_wrong(MISSED);
    return got[0] > 0 || got[0] < -up - tol || fabs(got[0] - got[1]) > tol ? is_wrong(DISTANCE) : 1;
}

static void judge(const char *name, int (*trial)(void), int n, int rates)
{
    long seen[WAYS] = {0};
    int i, k;
    CASE("%s: %s %s", name, item_name[kind_a], trial == ray ? "" : item_name[kind_b]);
    touched = passed = unproven = 0;
    memset(wrong, 0, sizeof wrong);
    if (!rates) {
        (void)search(name, trial, n);
        return;
    }
    search_begin(test_label);
    for (i = 0; i < n; i++) {
        uint32_t own = seed, next;
        search_number = i;
        (void)trial();
        next = seed;
        for (k = 0; k < WAYS && wrong[k] == seen[k]; k++) {}
        if (k == WAYS) continue;
        memcpy(seen, wrong, sizeof wrong);
        if (seen[k] > 3) continue;
        seed = own, search_tells = 1;
        (void)trial();
        search_tells = 0, seed = next;
        memcpy(wrong, seen, sizeof wrong);
    }
    printf("%-8s %-10s %-10s: %6ld touch, %6ld not", name, item_name[kind_a], trial == ray ? "" : item_name[kind_b], touched, passed);
    for (k = 0; k < WAYS; k++) printf(", %ld %s", wrong[k], way_name[k]);
    printf("; %ld unproven\n", unproven);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rates, n;
    argc = test_begin(argc, argv);
    rates = argc > 1 && strcmp(argv[1], "rates") == 0;
    n = rates && argc > 2 ? atoi(argv[2]) : trials(10, 5000);
    for (kind_a = 0; kind_a < ITEM_FIELD; kind_a++) {
        if (rates && argc > 3 && kind_a != atoi(argv[3])) continue;
        kind_b = ITEM_SPHERE;
        judge("ray", ray, n, rates);
        for (; kind_b <= ITEM_BOX; kind_b++) {
            if (rates && argc > 4 && kind_b != atoi(argv[4])) continue;
            judge("cast", cast, n, rates);
            judge("overlap", overlap, n, rates);
        }
    }
    kind_a = ITEM_FIELD;
    judge("closest", closest_on_field, rates ? n : 20 * n, rates);
    judge("below", closest_below_a_field, rates ? n : 20 * n, rates);
    CASE("a cast that stopped too early");
    kind_a = ITEM_BOX, kind_b = ITEM_CYLINDER, seed = 1964081685u;
    if (!is_double && !rates) CHECK(cast());
    CASE_END();
    return TEST_END("asks");
}
