/* tosses.c - 285 tracked tosses of a real cube, run by nsc with each law and solver, smooth contact and barrier, at steps of
   1/148 s to 1/2368 s: one table, and build/tosses.svg.
       tosses FOLDER [whole]      FOLDER: the data, in which tosses/ is
   Friction and restitution, for smooth contact Young's modulus too, for the barrier friction alone, are fitted on every fifth toss,
   for each law at the step at which it is judged.  The table judges on others: on every fourth of these, at 1/148 s and
   1/1184 s, the first alone fitted; with "whole" on all of them and at all steps, fitted at each.  What is said apart from the
   table is at 1/592 s. */
#define NSC_MAX_BODIES 2
#define NSC_MAX_CONTACTS 8
#define NSC_MAX_JOINTS 0
#define NSC_BARRIER 1
#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include "nsc_svg.h"
#include "tosses.h"
#include "laws.h"
#include <stdint.h>

enum { HARD, SMOOTH, BARRIER };
typedef struct way {
    const char *name, *law_name;
    nsc_solver *solve;
    int law, model, stepper, substeps;
    int same; /* 1: its fitted numbers are those of the row before that has 0: another solver of the same law */
} way;

static const way ways[] = {
    {"SIPGS", "COULOMB", nsc_solve_sipgs, NSC_LAW_COULOMB, HARD, 0, 1, 0},
    {"APGD", "COULOMB", nsc_solve_apgd, NSC_LAW_COULOMB, HARD, 0, 1, 1},
    {"BB", "COULOMB", nsc_solve_bb, NSC_LAW_COULOMB, HARD, 0, 1, 1},
    {"ADMM", "COULOMB", nsc_solve_admm, NSC_LAW_COULOMB, HARD, 0, 1, 1},
    {"NEWTON", "COULOMB", nsc_solve_newton, NSC_LAW_COULOMB, HARD, 0, 1, 1},
    {"AUTO", "COULOMB", nsc_solve_auto, NSC_LAW_COULOMB, HARD, 0, 1, 1},
    {"PROJECTED", "COULOMB", nsc_solve_sipgs, NSC_LAW_COULOMB, HARD, NSC_STEPPER_EULER_IMPLICIT_PROJECTED, 1, 1},
    {"IMPLICIT", "COULOMB", nsc_solve_sipgs, NSC_LAW_COULOMB, HARD, NSC_STEPPER_EULER_IMPLICIT, 1, 1},
    {"SYMPLECTIC", "COULOMB", nsc_solve_sipgs, NSC_LAW_COULOMB, HARD, NSC_STEPPER_EULER_SYMPLECTIC, 1, 1},
    {"SIPGS x2", "COULOMB", nsc_solve_sipgs, NSC_LAW_COULOMB, HARD, 0, 2, 0},
    {"SIPGS x4", "COULOMB", nsc_solve_sipgs, NSC_LAW_COULOMB, HARD, 0, 4, 0},
    {"SIPGS", "CONE", nsc_solve_sipgs, NSC_LAW_CONE, HARD, 0, 1, 0},
    {"APGD", "CONE", nsc_solve_apgd, NSC_LAW_CONE, HARD, 0, 1, 1},
    {"BB", "CONE", nsc_solve_bb, NSC_LAW_CONE, HARD, 0, 1, 1},
    {"ADMM", "CONE", nsc_solve_admm, NSC_LAW_CONE, HARD, 0, 1, 1},
    {"NEWTON", "CONE", nsc_solve_newton, NSC_LAW_CONE, HARD, 0, 1, 1},
    {"SIPGS", "PYRAMID", nsc_solve_sipgs, NSC_LAW_PYRAMID, HARD, 0, 1, 0},
    {"DANTZIG", "PYRAMID", nsc_solve_dantzig, NSC_LAW_PYRAMID, HARD, 0, 1, 1},
    {"NEWTON", "PYRAMID", nsc_solve_newton, NSC_LAW_PYRAMID, HARD, 0, 1, 1},
    {"SIPGS", "smooth", nsc_solve_sipgs, NSC_LAW_COULOMB, SMOOTH, 0, 1, 0},
    {"SIPGS x8", "smooth", nsc_solve_sipgs, NSC_LAW_COULOMB, SMOOTH, 0, 8, 0},
    {"HHT", "smooth", nsc_solve_sipgs, NSC_LAW_COULOMB, SMOOTH, NSC_STEPPER_HHT, 1, 0},
    {"NEWMARK", "smooth", nsc_solve_sipgs, NSC_LAW_COULOMB, SMOOTH, NSC_STEPPER_NEWMARK, 1, 0},
    {"NEWTON", "barrier", nsc_solve_newton, NSC_LAW_COULOMB, BARRIER, NSC_STEPPER_EULER_IMPLICIT, 1, 0},
    {"4 sides", "polygon", law_solve_4, NSC_LAW_COULOMB, HARD, 0, 1, 0},
    {"8 sides", "polygon", law_solve_8, NSC_LAW_COULOMB, HARD, 0, 1, 0},
    {"16 sides", "polygon", law_solve_16, NSC_LAW_COULOMB, HARD, 0, 1, 0},
    {"Newton", "impacts", law_solve_newton, NSC_LAW_COULOMB, HARD, 0, 1, 0},
    {"Poisson", "impacts", law_solve_poisson, NSC_LAW_COULOMB, HARD, 0, 1, 0},
    {"energetic", "impacts", law_solve_energetic, NSC_LAW_COULOMB, HARD, 0, 1, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0], APART = 2 /* of the rates, 1/592 s, for what is said apart from the table */ };
enum { RESTITUTION = 27 /* the first of impacts */ };

typedef struct material {
    double friction, restitution, young; /* logarithm of Young's modulus [Pa], base 10; smooth contact alone reads it */
} material;

static nsc_world world;
static nsc_svg picture;
static toss tosses[TOSS_NUMBERS];
static int count;
static double last_corner; /* distance of the toss that ran last */
static toss_row *trace; /* NULL, or where the frames of the toss that runs are written */

static nsc_vec3 vec(const double *v)
{
    nsc_vec3 r = {0};
    r.x = (nsc_real)v[0], r.y = (nsc_real)v[1], r.z = (nsc_real)v[2];
    return r;
}

/* Of 2e7 Pa, with which the cube sinks in by 0.1 to 0.5 mm: stiffer asks for shorter steps */
static const double young = 7.3;

static int begin(const way *w, material m, const toss_row *first)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def shape[2];
    double spin[3];
    int i;
    def.gravity.z = (nsc_real)-TOSS_GRAVITY;
    def.solver.law = w->law;
    def.substeps = w->substeps;
    if (w->stepper) def.stepper = w->stepper;
    if (w->model != HARD) def.contact_model = NSC_CONTACT_SMOOTH;
    if (w->model == BARRIER) def.contact_law = NSC_SMOOTH_BARRIER, def.barrier_distance = NSC_R(1e-4);
    if (nsc_world_init(&world, &def) < 0) return -1;
    shape[0] = nsc_default_half_space_def();
    shape[1] = nsc_default_box_def((nsc_real)TOSS_HALF, (nsc_real)TOSS_HALF, (nsc_real)TOSS_HALF);
    body.mass = (nsc_real)TOSS_MASS;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = (nsc_real)TOSS_INERTIA;
    body.pose.position = vec(first->x);
    body.pose.orientation.w = (nsc_real)first->q[0], body.pose.orientation.x = (nsc_real)first->q[1];
    body.pose.orientation.y = (nsc_real)first->q[2], body.pose.orientation.z = (nsc_real)first->q[3];
    body.velocity = vec(first->v);
    toss_turn(first->q, first->w, spin);
    body.angular_velocity = vec(spin);
    for (i = 0; i < 2; i++) {
        nsc_id id = i ? nsc_world_add_body(&world, &body) : NSC_GROUND;
        shape[i].friction = (nsc_real)m.friction, shape[i].restitution = (nsc_real)m.restitution;
        shape[i].young = (nsc_real)pow(10, m.young);
        if (id < 0 || nsc_world_add_shape(&world, id, &shape[i]) < 0) return -1;
    }
    return 0;
}

/* One toss from `first`, compared with the rows of `of`; per: steps a frame */
static void throw_it(const way *w, material m, int per, const toss_row *first, const toss_row *of, int rows, toss_result *r)
{
    nsc_calls calls = nsc_default_calls();
    const nsc_body *b = &world.bodies[1];
    toss_error e;
    double x[3], q[4], deepest = 0;
    int i, k, code;
    memset(&e, 0, sizeof e);
    calls.solve = w->solve;
    law_restitution = m.restitution;
    if (begin(w, m, first) < 0) {
        printf("a world that is refused: %s\n", nsc_world_last_refusal(&world).field);
        exit(1);
    }
    for (i = 0; i < rows; i++) {
        for (k = 0; k < per && i > 0; k++) {
            code = nsc_world_step_with(&world, (nsc_real)(1.0 / (TOSS_RATE * per)), &calls);
            r->steps++;
            r->refused += code < 0;
            r->limit += nsc_world_report(&world)->solver.status != NSC_OK || nsc_world_report(&world)->unsettled;
            x[0] = (double)b->position.x, x[1] = (double)b->position.y, x[2] = (double)b->position.z;
            q[0] = (double)b->orientation.w, q[1] = (double)b->orientation.x;
            q[2] = (double)b->orientation.y, q[3] = (double)b->orientation.z;
            deepest = fmax(deepest, -toss_lowest(x, q));
        }
        if (i > 0) toss_compare(&e, of, x, q, i, rows);
        if (trace) memcpy(trace[i].x, i ? x : first->x, sizeof x), memcpy(trace[i].q, i ? q : first->q, sizeof q);
    }
    e.deepest = deepest;
    last_corner = e.corner;
    toss_add(&r->error, &e);
}

static void throw_one(const toss_engine *e, const double *numbers, int per, const toss *t, toss_error *error, toss_result *r)
{
    const material m = {numbers[0], numbers[1], ways[e->which].model == HARD ? young : numbers[2]};
    toss_result one;
    memset(&one, 0, sizeof one);
    throw_it(&ways[e->which], m, per, t->row, t->row, t->rows, &one);
    *error = one.error;
    r->steps += one.steps, r->limit += one.limit, r->refused += one.refused;
}

/* ---- How exact is the first row?  In free flight the cube's velocity is a straight line in time and, as its inertia is alike
   about all axes, its angular velocity stays in its own frame too.  Each flight of a toss, until a corner is 10 mm over the
   table, gives the velocity of its first frame by all its places (least squares); the first row's is off by the difference. */
typedef struct flight {
    int frames;
    double v[3], w[3]; /* by the places; mean of the angular velocities */
} flight;

static flight flight_of(const toss *t)
{
    flight f;
    int i, k;
    memset(&f, 0, sizeof f);
    while (f.frames < t->rows && toss_lowest(t->row[f.frames].x, t->row[f.frames].q) > 0.01) f.frames++;
    if (f.frames < 6) return f;
    for (i = 0; i < 3; i++) {
        double n = 0, sum = 0, tt = 0, ty = 0, y_sum = 0;
        for (k = 0; k < f.frames; k++) {
            double time = (double)k / TOSS_RATE, y = t->row[k].x[i] + (i == 2 ? TOSS_GRAVITY / 2 * time * time : 0);
            n++, sum += time, tt += time * time, ty += time * y, y_sum += y;
            f.w[i] += t->row[k].w[i] / f.frames;
        }
        f.v[i] = (n * ty - sum * y_sum) / (n * tt - sum * sum);
    }
    return f;
}

/* Standard deviations of a component [m/s, rad/s]; how many tosses gave them */
static int uncertainty(double *linear, double *angular)
{
    int i, k, n = 0;
    *linear = *angular = 0;
    for (i = 0; i < count; i++) {
        flight f = flight_of(&tosses[i]);
        if (f.frames < 6) continue;
        n++;
        for (k = 0; k < 3; k++) {
            *linear += pow(tosses[i].row[0].v[k] - f.v[k], 2);
            *angular += pow(tosses[i].row[0].w[k] - f.w[k], 2);
        }
    }
    *linear = sqrt(*linear / (3 * n)), *angular = sqrt(*angular / (3 * n));
    return n;
}

/* Of mean 0 and standard deviation 1: the sum of twelve, from a fixed seed */
static uint32_t dice = 1;
static double normal(void)
{
    double sum = -6;
    int i;
    for (i = 0; i < 12; i++) {
        dice ^= dice << 13, dice ^= dice >> 17, dice ^= dice << 5;
        sum += dice / 4294967296.0;
    }
    return sum;
}

/* The same tosses from first rows whose velocities are disturbed, compared with those that are not: what a model that were
   the truth would still be off by */
static toss_error spread(const way *w, material m, int per, int stride, double linear, double angular)
{
    static toss_row simulated[TOSS_ROWS];
    static toss_result r, dull;
    int i, k, repeat, judged = 0;
    memset(&r, 0, sizeof r), memset(&dull, 0, sizeof dull);
    for (i = 0; i < count; i++) {
        if (i % TOSS_FIT == 0 || judged++ % stride) continue;
        trace = simulated;
        throw_it(w, m, per, tosses[i].row, tosses[i].row, tosses[i].rows, &dull);
        trace = NULL;
        for (repeat = 0; repeat < 4; repeat++) {
            toss_row first = tosses[i].row[0];
            for (k = 0; k < 3; k++) first.v[k] += linear * normal(), first.w[k] += angular * normal();
            throw_it(w, m, per, &first, simulated, tosses[i].rows, &r);
        }
    }
    return r.error;
}

/* The judged tosses from velocities of their whole flight instead of the first row's */
static toss_error from_flights(const way *w, material m, int per, int stride, toss_error *same)
{
    toss_result r, row;
    int i, judged = 0;
    memset(&r, 0, sizeof r), memset(&row, 0, sizeof row);
    for (i = 0; i < count; i++) {
        flight f = flight_of(&tosses[i]);
        toss_row first = tosses[i].row[0];
        if (i % TOSS_FIT == 0 || judged++ % stride || f.frames < 6) continue;
        throw_it(w, m, per, &first, tosses[i].row, tosses[i].rows, &row);
        memcpy(first.v, f.v, sizeof f.v), memcpy(first.w, f.w, sizeof f.w);
        throw_it(w, m, per, &first, tosses[i].row, tosses[i].rows, &r);
    }
    *same = row.error;
    return r.error;
}

/* ---- The picture: three tosses from above, measured and simulated, and the error over time of those that are judged */
enum { WIDE = 1080, HIGH = 640 };

/* A cube as it lies, seen from above: its three edges that go up and down are not drawn apart */
static void outline(double left, double top, double scale, const double *centre, const double *x, const double *q, const char *style)
{
    int i, k;
    for (i = 0; i < 3; i++) { /* four edges along each axis */
        for (k = 0; k < 4; k++) {
            double from[3], to[3], a[3], b[3];
            from[i] = -TOSS_HALF, to[i] = TOSS_HALF;
            from[(i + 1) % 3] = to[(i + 1) % 3] = k & 1 ? TOSS_HALF : -TOSS_HALF;
            from[(i + 2) % 3] = to[(i + 2) % 3] = k & 2 ? TOSS_HALF : -TOSS_HALF;
            toss_turn(q, from, a), toss_turn(q, to, b);
            fprintf(picture.file, "<path d='M%.1f %.1fL%.1f %.1f' %s/>", left + scale * (x[0] + a[0] - centre[0]),
                    top - scale * (x[1] + a[1] - centre[1]), left + scale * (x[0] + b[0] - centre[0]),
                    top - scale * (x[1] + b[1] - centre[1]), style);
        }
    }
    fprintf(picture.file, "\n");
}

static void path_of(const toss_row *row, int rows, double left, double top, double scale, const double *centre, const char *style)
{
    int i;
    fprintf(picture.file, "<path fill='none' %s d='", style);
    for (i = 0; i < rows; i++)
        fprintf(picture.file, "%c%.1f %.1f", i ? 'L' : 'M', left + scale * (row[i].x[0] - centre[0]), top - scale * (row[i].x[1] - centre[1]));
    fprintf(picture.file, "'/>\n");
}

/* Where the error of a toss stands among those that are judged */
typedef struct place {
    double corner;
    int toss;
} place;

static int smaller(const void *a, const void *b)
{
    double d = ((const place *)a)->corner - ((const place *)b)->corner;
    return d > 0 ? 1 : d < 0 ? -1 : 0;
}

static int draw(const way *w, material m, int per, double linear, double angular)
{
    enum { CURVES = 4, SECONDS = 1 }; /* place, orientation; the same of the spread */
    static const char *const style[CURVES] = {"stroke='#c8704f' stroke-width='2'", "stroke='#66788a' stroke-width='2'",
                                              "stroke='#c8704f' stroke-width='1.4' stroke-dasharray='2 4'",
                                              "stroke='#66788a' stroke-width='1.4' stroke-dasharray='2 4'"};
    static const char *const name[CURVES] = {"place, % of the width", "orientation, degrees", "place, first frame alone", "orientation, likewise"};
    static toss_row simulated[TOSS_ROWS], again[TOSS_ROWS];
    static double curve[CURVES][SECONDS * TOSS_RATE + 1];
    static place order[TOSS_NUMBERS];
    static toss_result dull;
    const char *measured = "stroke='#66788a' stroke-width='1.4'", *by_nsc = "stroke='#c8704f' stroke-width='1.4'";
    char text[200];
    FILE *file = fopen("build/tosses.svg", "w");
    int i, k, n = 0, frames = SECONDS * TOSS_RATE;
    if (!file) return -1;
    memset(&dull, 0, sizeof dull);
    for (i = 0; i < count; i++) { /* a toss that has ended keeps its last error */
        const toss *t = &tosses[i];
        toss_row first = t->row[0];
        if (i % TOSS_FIT == 0) continue;
        for (k = 0; k < 3; k++) first.v[k] += linear * normal(), first.w[k] += angular * normal();
        trace = simulated;
        throw_it(w, m, per, t->row, t->row, t->rows, &dull);
        order[n].corner = last_corner, order[n++].toss = i;
        trace = again;
        throw_it(w, m, per, &first, t->row, t->rows, &dull);
        for (k = 0; k <= frames; k++) {
            int row = k < t->rows ? k : t->rows - 1;
            curve[0][k] += 100 * toss_distance(t->row[row].x, simulated[row].x);
            curve[1][k] += 57.29578 * toss_angle(t->row[row].q, simulated[row].q);
            curve[2][k] += 100 * toss_distance(simulated[row].x, again[row].x);
            curve[3][k] += 57.29578 * toss_angle(simulated[row].q, again[row].q);
        }
    }
    qsort(order, (size_t)n, sizeof *order, smaller);
    nsc_svg_begin(&picture, file, WIDE, HIGH, "Tosses of a real cube, measured and simulated");
    nsc_svg_text(&picture, 20, 26, 15, "start", "Three tosses from above, the cube as tracked and as nsc simulates it from the first frame");
    fprintf(file, "<path d='M800 22h24' %s/><path d='M920 22h24' %s/>", measured, by_nsc);
    nsc_svg_text(&picture, 830, 26, 13, "start", "measured"), nsc_svg_text(&picture, 950, 26, 13, "start", "simulated");
    trace = simulated;
    for (i = 0; i < 3; i++) {
        const toss *t = &tosses[order[n * (i + 1) / 4].toss];
        const toss_row *last = &t->row[t->rows - 1];
        double left = 190 + 350 * i, top = 200, scale, centre[2], reach;
        memset(&dull, 0, sizeof dull);
        throw_it(w, m, per, t->row, t->row, t->rows, &dull);
        for (k = 0; k < 2; k++) centre[k] = 0.5 * (t->row[0].x[k] + last->x[k]);
        reach = 0.5 * toss_distance(t->row[0].x, last->x) * TOSS_WIDTH + 0.09;
        scale = 150 / reach;
        for (k = 0; k < t->rows; k += t->rows - 1) {
            outline(left, top, scale, centre, t->row[k].x, t->row[k].q, "stroke='#66788a' stroke-width='1'");
            if (k) outline(left, top, scale, centre, simulated[k].x, simulated[k].q, "stroke='#c8704f' stroke-width='1'");
        }
        path_of(t->row, t->rows, left, top, scale, centre, measured);
        path_of(simulated, t->rows, left, top, scale, centre, by_nsc);
        snprintf(text, sizeof text, "toss %d, nearer than %d %% of all:", t->number, 75 - 25 * i);
        nsc_svg_text(&picture, left + 20, 356, 12, "middle", text);
        snprintf(text, sizeof text, "off by %.0f %% of its width, %.0f degrees", 100 * dull.error.position, 57.29578 * dull.error.angle);
        nsc_svg_text(&picture, left + 20, 373, 12, "middle", text);
        fprintf(file, "<path d='M%.1f 364h%.1f' stroke='#33404a'/>", left - 150, 0.1 * scale);
        nsc_svg_text(&picture, left - 150, 360, 11, "start", "0.1 m");
    }
    trace = NULL;
    snprintf(text, sizeof text, "Mean error over time of %d tosses", n);
    nsc_svg_text(&picture, 20, 424, 15, "start", text);
    for (i = 0; i <= 4; i++) {
        fprintf(file, "<path d='M90 %dH990' stroke='#d5dade'/>", 600 - 36 * i);
        snprintf(text, sizeof text, "%d %%", 10 * i), nsc_svg_text(&picture, 82, 604 - 36 * i, 12, "end", text);
        snprintf(text, sizeof text, "%d deg", 10 * i), nsc_svg_text(&picture, 998, 604 - 36 * i, 12, "start", text);
        snprintf(text, sizeof text, "%.2f s", 0.25 * SECONDS * i), nsc_svg_text(&picture, 90 + 225 * i, 618, 12, "middle", text);
    }
    for (i = 0; i < CURVES; i++) {
        double legend = 350 + 180 * i;
        fprintf(file, "<path fill='none' %s d='", style[i]);
        for (k = 0; k <= frames; k++) fprintf(file, "%c%.1f %.1f", k ? 'L' : 'M', 90 + 900.0 * k / frames, 600 - 3.6 * curve[i][k] / n);
        fprintf(file, "'/>\n<path d='M%.0f 419h24' %s/>", legend, style[i]);
        nsc_svg_text(&picture, legend + 30, 424, 13, "start", name[i]);
    }
    nsc_svg_end(&picture);
    return fclose(file);
}

/* Of the same tosses */
static void compare(const char *what, const toss_result *a, const toss_result *b)
{
    toss_difference d = toss_differ(a->corner, b->corner);
    printf("    %-44s %+6.2f +- %.2f %%\n", what, d.mean, d.error);
}

static toss_engine engine_of(int i)
{
    const toss_engine all = {"", "", throw_one, 0, 2, {TOSS_FRICTION, TOSS_RESTITUTION, young}, {.02, .1, .3}, {0, 0, 5}, {1, 1, 8.5}};
    toss_engine e = all;
    if (ways[i].model != HARD) e.fitted = ways[i].model == SMOOTH ? 3 : 1; /* a barrier knows friction alone */
    e.name = ways[i].law_name, e.setting = ways[i].name, e.which = i;
    return e;
}

static double fits[WAYS][TOSS_RATES][TOSS_MOST]; /* fitted */
static toss_kept kept;                              /* by the first way */

/* The rows of one way; what the others are more than nsc's default is told of the same step */
static void table(int i, int whole)
{
    const toss_engine e = engine_of(i);
    int rate, fitted;
    for (rate = 0; rate < TOSS_RATES; rate++)
        for (fitted = 0; fitted < 2; fitted++) {
            toss_result r;
            toss_numbers n = {{0, 0, 0, 0}, 0, 0};
            toss_difference d[2];
            if (!toss_in_run(rate, whole) || (fitted && !whole && rate > 0)) continue;
            if (fitted && !ways[i].same) {
                n = toss_fit(&e, 1 << rate, tosses, count);
                memcpy(fits[i][rate], n.of, sizeof n.of);
            } else memcpy(fits[i][rate], fitted ? fits[i - 1][rate] : e.first, sizeof n.of);
            r = toss_throw_all(&e, fits[i][rate], 1 << rate, tosses, count, 0, whole ? 1 : 4);
            if (i == 0) memcpy(kept[rate][fitted], r.corner, sizeof r.corner);
            d[0] = toss_differ(r.corner, kept[rate][fitted]), d[1] = toss_differ(r.corner, kept[0][fitted]);
            toss_print_row(&e, 1 << rate, fitted, fits[i][rate], &r);
            printf("  %+6.2f +- %.2f  %+6.2f +- %.2f", d[0].mean, d[0].error, d[1].mean, d[1].error);
            if (r.limit > 0) printf("  limit %.2f %%", 100 * r.limit / r.steps);
            if (n.tries) printf("  (%.2f on its own, %d tries)", 100 * n.least, n.tries);
            printf("%s\n", r.refused > 0 ? "  REFUSED" : "");
            fflush(stdout);
        }
}

/* Restitution, one contact after the other, at 1/592 s */
static void impacts(int whole)
{
    toss_engine e = engine_of(0);
    toss_result base, other, one_by_one;
    int i, fitted;
    memset(&one_by_one, 0, sizeof one_by_one);
    for (fitted = 0; fitted < (whole ? 2 : 1); fitted++) {
        printf("Restitution, contacts one by one, 1/%d s, %s: more than all contacts together by Newton's law\n", TOSS_RATE << APART,
               fitted ? "fitted" : "published parameters");
        base = toss_throw_all(&e, fitted ? fits[0][APART] : e.first, 1 << APART, tosses, count, 0, whole ? 1 : 4);
        for (i = RESTITUTION; i < RESTITUTION + 3; i++) {
            e = engine_of(i);
            other = toss_throw_all(&e, fitted ? fits[i][APART] : e.first, 1 << APART, tosses, count, 0, whole ? 1 : 4);
            compare(ways[i].name, &other, &base);
            if (i == RESTITUTION) one_by_one = other;
            else compare("    and than Newton's one by one", &other, &one_by_one);
        }
        e = engine_of(0);
    }
}

int main(int argc, char **argv)
{
    const material published = {TOSS_FRICTION, TOSS_RESTITUTION, young};
    const int whole = argc > 2, stride = whole ? 1 : 4, per = 1 << APART;
    int i, measured;
    double linear, angular;
    toss_error off, same;
    count = toss_read_all(toss_folder(argc, argv), tosses);
    if (count < 20) {
        printf("skipped: no tosses in %s\nreality: 0 passed, 0 failed, 1 skipped\n", toss_folder(argc, argv));
        return count < 0;
    }
    printf("%d tosses; fitted on %d, judged on %d of the others; nsc_real is %s\n", count, (count + TOSS_FIT - 1) / TOSS_FIT,
           (count - (count + TOSS_FIT - 1) / TOSS_FIT + stride - 1) / stride, sizeof(nsc_real) == 8 ? "double" : "float");
    toss_print_head();
    for (i = 0; i < WAYS; i++) table(i, whole);
    if (!toss_keep(kept, 1)) {
        printf("\nno folder build/\n");
        return 1;
    }
    impacts(whole);
    measured = uncertainty(&linear, &angular);
    printf("\nVelocities of first rows against those of the whole flight, of %d tosses: %.4f m/s, %.3f rad/s a component.\n", measured, linear,
           angular);
    off = spread(&ways[0], published, per, stride, linear, angular);
    printf("Spread that this alone gives, nsc against nsc (COULOMB, SIPGS, 1/%d s, published parameters, four repeats, seed 1):\n%51s",
           TOSS_RATE * per, "");
    toss_print(&off);
    off = from_flights(&ways[0], published, per, stride, &same);
    printf("\nFrom the first rows, tosses with such a flight alone, against the measured:\n%51s", "");
    toss_print(&same);
    printf("\nThe same from the velocities of the flights:\n%51s", "");
    toss_print(&off);
    if (draw(&ways[0], published, per, linear, angular)) {
        printf("\nno folder build/\n");
        return 1;
    }
    printf("\n\nwrote build/tosses.svg\n");
    return 0;
}
