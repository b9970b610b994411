/* Grains: the run-out of a column of spheres that collapses, and the angle at which a heap of spheres stands.

   Spheres of 0.08 m to 0.12 m, mean D = 0.1 m, friction 0.5, without restitution or rolling friction, in a channel a few D wide
   between smooth walls, on a floor of such spheres that are fixed.

   A column of half width R0 and height H0 stands between two smooth walls, which vanish at once.  The run-out R is that of the
   spheres which touch the heap, as single ones roll on.  In channels it was measured as (R - R0) / R0 = 1.2 a, a = H0 / R0,
   for a < 1.8 (Lube, Huppert, Sparks and Freundt, Phys. Rev. E 72 (2005) 041301; for glass beads Lajeunesse, Monnier and
   Homsy, Phys. Fluids 17 (2005) 103302).  The factor is no constant of nature: discrete elements in a plane gave 1.67 (Kumar,
   thesis, Cambridge 2015, which also tells the numbers of the beads below).  Columns of few grains run less far.

   A heap is what stays of a bed whose end has been opened.  Lajeunesse's glass beads of 1.15 mm had an angle of repose of
   22 +- 0.5 degrees, and began to slide at 27.4 +- 0.5.

   Both scatter from one arrangement of the spheres to the next: the program tells mean, scatter and error over arrangements.
   With -DREALITY_PAGE, main writes build/grains.html, the part of build/reality.html about them. */
#define NSC_MAX_BODIES 1600
#define NSC_MAX_SHAPES 2400
#define NSC_MAX_CONTACTS 7000
#define NSC_MAX_MANIFOLDS 0
#define NSC_STRIPS 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "search.h"
#include "world.h"

enum { GRAINS = NSC_MAX_BODIES - 3 };
static const double pi = 3.14159265358979323846, diameter = .1;
static double friction = .5; /* of spheres and floor */

typedef struct sphere {
    nsc_id id;
    double radius;
    int layer;   /* in which it was put */
    int in_heap; /* it touches the heap */
} sphere;
static sphere grain[GRAINS];
static int grains;

/* Half width, height and width of the bed in diameters */
typedef struct scene {
    double rate, half, high, wide;
    int opens;       /* 0: both walls vanish, a column; 1: one does, and the floor ends there */
    double relative; /* nsc_settings.relative_tolerance; 0: the default */
    int arrangement;
} scene;

typedef struct outcome {
    double aspect, answer; /* run-out over R0 a; or the slope [degrees] */
    double deepest;        /* overlap at the end, over the diameter */
    int moving;            /* spheres that do at the end */
} outcome;

static void fix(nsc_id body, nsc_shape_def s, double mu)
{
    s.friction = REAL(mu);
    CHECK_ONCE(nsc_world_add_shape(&world, body, &s) >= 0);
}

static void put_grain(double x, double y, double z, double r, int layer)
{
    nsc_body_def b = nsc_default_body_def();
    sphere *g = &grain[grains];
    CHECK_ONCE(grains < GRAINS);
    if (grains == GRAINS) return;
    b.pose.position = vec(x, y, z);
    g->id = nsc_world_add_body(&world, &b), g->radius = r, g->layer = layer, grains++;
    fix(g->id, nsc_default_sphere_def(REAL(r)), friction);
}

/* A smooth wall at x; side: where its solid lies */
static nsc_id put_wall(double x, int side)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    b.kind = NSC_STATIC_BODY, b.pose.position = vec(x + .5 * side, 0, 10);
    id = nsc_world_add_body(&world, &b);
    fix(id, nsc_default_box_def(REAL(.5), 2, 20), 0);
    return id;
}

static void put_channel(const scene *s)
{
    const double half = s->half * diameter, wide = .5 * s->wide * diameter, end = s->opens ? half - .5 * diameter : 4 * half;
    nsc_shape_def floor = nsc_default_box_def(REAL(s->opens ? half : 100), 2, REAL(.5)), side = nsc_default_half_space_def();
    double x, y;
    int k;
    floor.pose.position = vec(0, 0, -.5);
    fix(NSC_GROUND, floor, friction);
    for (k = -1; k <= 1; k += 2) {
        side.pose.position = vec(0, k * wide, 0);
        side.pose.orientation.w = REAL(sqrt(.5)), side.pose.orientation.x = REAL(k * sqrt(.5));
        fix(NSC_GROUND, side, 0);
    }
    for (x = -end; x < end; x += diameter)
        for (y = -wide; y <= wide; y += diameter) {
            nsc_shape_def ball = nsc_default_sphere_def(REAL(diameter * uniform(.4, .6)));
            ball.pose.position = vec(x + diameter * uniform(-.2, .2), y + diameter * uniform(-.2, .2), 0);
            fix(NSC_GROUND, ball, friction);
        }
}

/* Layers of spheres, one above the other, that fall a little and come to lie */
static void put_bed(const scene *s)
{
    const double half = s->half * diameter, wide = .5 * s->wide * diameter, pitch = 1.22 * diameter, lies = .58;
    double x, y, z = 1.1 * diameter, filled = 0, all = 2 * half * 2 * wide * s->high * diameter * lies;
    int layer;
    for (layer = 0; filled < all; layer++, z += 1.14 * diameter)
        for (x = -half + (layer % 2 ? 1.1 : .6) * diameter; x < half - .6 * diameter && filled < all; x += pitch)
            for (y = -wide + .6 * diameter; y <= wide - .59 * diameter; y += pitch) {
                double r = diameter * uniform(.4, .6);
                put_grain(x, y, z + .02 * diameter * uniform(0, 1), r, layer);
                filled += 4 / 3. * pi * r * r * r;
            }
}

static void run(const scene *s, double seconds)
{
    int i, n = (int)(seconds * s->rate + .5);
    for (i = 0; i < n; i++) {
        CHECK_ONCE(nsc_world_step(&world, REAL(1 / s->rate)) >= 0);
        CHECK_ONCE(nsc_world_report(&world)->dropped == 0);
    }
}

/* What has fallen off the end is taken away; how many of the others still move */
static int count_moving(void)
{
    int i, count = 0;
    for (i = 0; i < grains; i++) {
        if (D(position(grain[i].id).z) < -.5) {
            CHECK_ONCE(nsc_world_remove_body(&world, grain[i].id) == NSC_OK);
            grain[i--] = grain[--grains];
        } else count += length(velocity(grain[i].id)) > .05;
    }
    return count;
}

static nsc_id walls[2];
static void build(const scene *s)
{
    nsc_world_def def = nsc_default_world_def();
    def.solver.relative_tolerance = REAL(s->relative);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    aside_begin((uint32_t)(7919 * s->arrangement + 1));
    grains = 0;
    put_channel(s);
    put_bed(s);
    aside_end();
    walls[0] = put_wall(-s->half * diameter, -1), walls[1] = put_wall(s->half * diameter, 1);
    run(s, .8);
}

static void open_walls(const scene *s)
{
    CHECK_ONCE(nsc_world_remove_body(&world, walls[1]) == NSC_OK);
    if (!s->opens) CHECK_ONCE(nsc_world_remove_body(&world, walls[0]) == NSC_OK);
}

/* Until it is at rest */
static void collapse(const scene *s)
{
    double t;
    run(s, 1);
    for (t = 1; t < 7 && count_moving() > 0; t += .25) run(s, .25);
}

/* ---- what is measured */
static double height_of_centre(void)
{
    double sum = 0, all = 0;
    int i;
    for (i = 0; i < grains; i++) {
        double m = pow(grain[i].radius, 3);
        sum += m * D(position(grain[i].id).z), all += m;
    }
    return sum / all;
}

/* Those that touch each other, and the one nearest to x on the floor */
static void find_heap(double x)
{
    static int todo[GRAINS];
    double least = HUGE_VAL;
    int count = 1, i;
    for (i = 0; i < grains; i++) {
        nsc_vec3 p = position(grain[i].id);
        double far = fabs(D(p.x) - x) + fabs(D(p.z) - diameter);
        grain[i].in_heap = 0;
        if (far < least) least = far, todo[0] = i;
    }
    grain[todo[0]].in_heap = 1;
    while (count > 0) {
        const sphere *from = &grain[todo[--count]];
        nsc_vec3 p = position(from->id);
        for (i = 0; i < grains; i++)
            if (!grain[i].in_heap && length(minus(position(grain[i].id), p)) < grain[i].radius + from->radius + .02 * diameter)
                grain[i].in_heap = 1, todo[count++] = i;
    }
}

/* The line through the highest spheres of each diameter along the channel, but for the two at each end */
static double surface(const scene *s, double *level)
{
    double x0 = 0, z0 = 0, xx = 0, xz = 0, slope;
    int b, i, bins = 0;
    for (b = 2; b < 2 * s->half - 2; b++, bins++) {
        double x = (b + .5 - s->half) * diameter, top = 0;
        for (i = 0; i < grains; i++) {
            nsc_vec3 p = position(grain[i].id);
            if (grain[i].in_heap && fabs(D(p.x) - x) < .75 * diameter) top = fmax(top, D(p.z) + grain[i].radius);
        }
        x0 += x, z0 += top, xx += x * x, xz += x * top;
    }
    slope = (bins * xz - x0 * z0) / (bins * xx - x0 * x0);
    *level = (z0 - slope * x0) / bins;
    return slope;
}

static double run_out(double half)
{
    double left = 0, right = 0;
    int i;
    for (i = 0; i < grains; i++)
        if (grain[i].in_heap) {
            double x = D(position(grain[i].id).x), r = grain[i].radius;
            left = fmin(left, x - r), right = fmax(right, x + r);
        }
    return .5 * (right - left) / half - 1;
}

static outcome judge(const scene *s, double aspect)
{
    outcome a = {0, 0, 0, 0};
    double level;
    int i;
    a.moving = count_moving(), a.aspect = aspect;
    find_heap(s->opens ? -.8 * s->half * diameter : 0);
    a.answer = s->opens ? atan(-surface(s, &level)) * 180 / pi : run_out(s->half * diameter) / aspect;
    for (i = 0; i < world.contact_count; i++) a.deepest = fmax(a.deepest, -D(world.contacts[i].gap) / diameter);
    return a;
}

/* Of the bed that lies: twice the height of its centre over the spheres of the floor, which fill 0.35 of a diameter */
static double aspect_of(const scene *s) { return 2 * (height_of_centre() / diameter - .35) / s->half; }

static outcome play(const scene *s)
{
    double aspect;
    build(s);
    aspect = aspect_of(s);
    open_walls(s);
    collapse(s);
    return judge(s, aspect);
}

/* ---- many arrangements */
typedef struct spread {
    double mean, scatter, error, aspect; /* scatter: of one; error: of the mean */
} spread;

static spread many(scene s, int arrangements)
{
    spread m = {0, 0, 0, 0};
    double sum2 = 0;
    int i;
    for (i = 0; i < arrangements; i++) {
        outcome a;
        s.arrangement = i + 1, a = play(&s);
        m.mean += a.answer / arrangements, m.aspect += a.aspect / arrangements, sum2 += a.answer * a.answer;
        if (getenv("GRAINS")) printf("      %.3f %.3f moving %d of %d deepest %.4f\n", a.aspect, a.answer, a.moving, grains, a.deepest);
        CHECK(a.moving <= 2);
        CHECK(a.deepest < .02);
    }
    m.scatter = arrangements > 1 ? sqrt(fmax(0, sum2 - arrangements * m.mean * m.mean) / (arrangements - 1)) : 0;
    m.error = m.scatter / sqrt(arrangements);
    return m;
}

int main(int argc, char **argv)
{
    scene column = {240, 6, 6, 4, 0, .03, 0}, heap = {240, 8, 6.5, 4, 1, .03, 0};
    int i;
    argc = test_begin(argc, argv);
    if (argc > 1) { /* exploration */
        scene *s = argv[1][0] == 'c' ? &column : &heap;
        spread m;
        s->rate = atof(argv[2]), s->half = atof(argv[3]), s->high = atof(argv[4]), s->wide = atof(argv[5]), s->relative = atof(argv[6]);
        if (argc > 8) friction = atof(argv[8]);
        i = clock() / 1000;
        m = many(*s, atoi(argv[7]));
        printf("%s rate %g half %g high %g wide %g rel %g mu %g: aspect %.3f, %.3f +- %.3f (scatter %.3f), grains %d, %.2f s each\n", argv[1], s->rate, s->half, s->high, s->wide, s->relative, friction, m.aspect, m.mean, m.error, m.scatter, grains, (clock() / 1000 - i) / 1000. / atoi(argv[7]));
        return 0;
    }
    return TEST_END("grains");
}
