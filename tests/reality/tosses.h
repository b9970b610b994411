/* tosses.h - tracked tosses of a real cube, and how far a simulation is from them.  For nsc and for its peers alike: nothing of
   nsc is in here.  Format, origin and measure: README.md of the folder tosses of the data. */
#ifndef NSC_TOSSES_H
#define NSC_TOSSES_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOSS_HALF 0.0524     /* half an edge [m] */
#define TOSS_WIDTH 0.1048    /* [m] */
#define TOSS_MASS 0.37       /* [kg] */
#define TOSS_INERTIA 8.1e-4  /* about every axis [kg m^2] */
#define TOSS_FRICTION 0.18   /* published */
#define TOSS_RESTITUTION 0.125
#define TOSS_GRAVITY 9.81    /* [m/s^2] */
enum { TOSS_RATE = 148, TOSS_ROWS = 600, TOSS_NUMBERS = 570, TOSS_FIT = 5 };

/* A row is a frame: place [m], orientation w x y z (world from cube), velocity [m/s], angular velocity in the frame of the
   cube [rad/s]. */
typedef struct toss_row {
    double x[3], q[4], v[3], w[3];
} toss_row;

typedef struct toss {
    int number, rows;
    toss_row *row;
} toss;

/* What a simulation of one toss is off.  Means are over the frames after the first; sums of several are divided by `count`. */
typedef struct toss_error {
    double count;
    double position;    /* [widths] */
    double angle;       /* [rad] */
    double corner;      /* root of the mean square distance of the eight corners, its mean over the frames [widths] */
    double end;         /* position in the last frame [widths] */
    double face;        /* 1: the same face is up in the last frame */
    double deepest;     /* below the table, of all steps [m] */
} toss_error;

static inline const char *toss_folder(int argc, char **argv) { return argc > 1 ? argv[1] : "../shared/data"; }

/* 1: read; 0: no file of this number; -1: a file that is none of a toss */
static inline int toss_read(const char *folder, int number, toss *t)
{
    char name[500];
    toss_row r;
    FILE *f;
    int code = 1;
    snprintf(name, sizeof name, "%.400s/tosses/%d.csv", folder, number);
    f = fopen(name, "r");
    if (!f) return 0;
    t->number = number, t->rows = 0;
    t->row = (toss_row *)malloc(TOSS_ROWS * sizeof *t->row);
    while (code > 0 && t->row) {
        int n = fscanf(f, " %lf , %lf , %lf , %lf , %lf , %lf , %lf , %lf , %lf , %lf , %lf , %lf , %lf", &r.x[0], &r.x[1], &r.x[2], &r.q[0],
                       &r.q[1], &r.q[2], &r.q[3], &r.v[0], &r.v[1], &r.v[2], &r.w[0], &r.w[1], &r.w[2]);
        if (n == EOF) break;
        if (n != 13 || t->rows == TOSS_ROWS) code = -1;
        else t->row[t->rows++] = r;
    }
    fclose(f);
    return code > 0 && t->rows > 1 ? 1 : -1;
}

/* All that are in the folder, at most TOSS_NUMBERS; how many, or -1 */
static inline int toss_read_all(const char *folder, toss *all)
{
    int number, count = 0;
    for (number = 0; number < TOSS_NUMBERS; number++) {
        int code = toss_read(folder, number, &all[count]);
        if (code < 0) {
            printf("%s/tosses/%d.csv is no toss\n", folder, number);
            return -1;
        }
        count += code;
    }
    return count;
}

/* Into the world */
static void toss_turn(const double *q, const double *v, double *out)
{
    const double *u = q + 1;
    double s = 2 / (q[0] * q[0] + u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), t[3];
    int i;
    for (i = 0; i < 3; i++) t[i] = s * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    for (i = 0; i < 3; i++) out[i] = v[i] + q[0] * t[i] + u[(i + 1) % 3] * t[(i + 2) % 3] - u[(i + 2) % 3] * t[(i + 1) % 3];
}

/* Height of the lowest corner over the table [m] */
static inline double toss_lowest(const double *x, const double *q)
{
    double sum = 0;
    int i;
    for (i = 0; i < 3; i++) {
        double axis[3] = {0, 0, 0}, turned[3];
        axis[i] = 1;
        toss_turn(q, axis, turned);
        sum += fabs(turned[2]);
    }
    return x[2] - TOSS_HALF * sum;
}

/* The face that is up: 1 to 3, or -1 to -3 */
static inline int toss_up(const double *q)
{
    double most = 0;
    int i, face = 0;
    for (i = 0; i < 3; i++) {
        double axis[3] = {0, 0, 0}, turned[3];
        axis[i] = 1;
        toss_turn(q, axis, turned);
        if (fabs(turned[2]) > most) most = fabs(turned[2]), face = turned[2] > 0 ? i + 1 : -i - 1;
    }
    return face;
}

static double toss_distance(const double *a, const double *b)
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)) / TOSS_WIDTH;
}

static double toss_angle(const double *a, const double *b)
{
    double dot = 0, aa = 0, bb = 0;
    int i;
    for (i = 0; i < 4; i++) dot += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    return 2 * acos(fmin(fabs(dot) / sqrt(aa * bb), 1));
}

/* Add what a simulated frame is off; `of` is the toss as measured, or as simulated otherwise. */
static void toss_compare(toss_error *e, const toss_row *of, const double *x, const double *q, int row, int rows)
{
    double far = toss_distance(of[row].x, x), angle = toss_angle(of[row].q, q);
    e->position += far / (rows - 1);
    e->angle += angle / (rows - 1);
    e->corner += sqrt(far * far + 1 - cos(angle)) / (rows - 1);
    if (row < rows - 1) return;
    e->end += far;
    e->face += toss_up(of[row].q) == toss_up(q);
    e->count++;
}

static inline void toss_add(toss_error *sum, const toss_error *e)
{
    sum->count += e->count, sum->position += e->position, sum->angle += e->angle, sum->corner += e->corner;
    sum->end += e->end, sum->face += e->face, sum->deepest += e->deepest;
}

/* ---- An engine with one setting, and the numbers that are fitted to it.  All engines are fitted in the same way: a pattern search
   from their first numbers on the corners' distance, over every fifth toss, at the step at which they are judged on others.  Where
   a toss ends is chance for a few of them: a move counts if it is better by more than its own standard error over the same
   tosses, or it is their chance that is fitted.  TOSS_SURE in the environment: by more than this many; 0: if at all. */
enum { TOSS_MOST = 4, TOSS_RATES = 5, TOSS_TRIES = 40 /* a number that is fitted */ };

typedef struct toss_engine toss_engine;
typedef struct toss_result toss_result;

/* A driver's own: one toss; its error, and what else it adds to the result.  per: steps a frame */
typedef void toss_throw(const toss_engine *e, const double *numbers, int per, const toss *t, toss_error *error, toss_result *r);

struct toss_engine {
    const char *name, *setting;
    toss_throw *run;
    int which; /* of the driver's own settings */
    int fitted; /* how many numbers: friction, then restitution or what stands for it */
    double first[TOSS_MOST], move[TOSS_MOST], low[TOSS_MOST], high[TOSS_MOST];
};

struct toss_result {
    toss_error error;
    double steps, seconds;
    double limit, refused;         /* steps that ended at the limit of iterations, or stalled; that were refused.  nsc alone */
    double corner[TOSS_NUMBERS];   /* by the number of the toss; 0: not judged */
};

/* Of all tosses those of the fit, or of the others first, first + stride, ... */
static inline toss_result toss_throw_all(const toss_engine *e, const double *numbers, int per, const toss *all, int count, int fit,
                                         int stride)
{
    toss_result r;
    clock_t start = clock();
    int i, judged = 0;
    memset(&r, 0, sizeof r);
    for (i = 0; i < count; i++) {
        toss_error error;
        if ((i % TOSS_FIT == 0) != fit || judged++ % stride) continue;
        memset(&error, 0, sizeof error);
        e->run(e, numbers, per, &all[i], &error, &r);
        r.corner[all[i].number] = error.corner;
        toss_add(&r.error, &error);
    }
    r.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return r;
}

/* Mean difference of the corners' distance, of n tosses, and its standard error [% of the width] */
typedef struct toss_difference {
    double n, mean, error;
} toss_difference;

static inline toss_difference toss_differ(const double *corner, const double *base)
{
    toss_difference d = {0, 0, 0};
    double squares = 0;
    int i;
    for (i = 0; i < TOSS_NUMBERS; i++) {
        double more = 100 * (corner[i] - base[i]);
        if (!(corner[i] > 0 && base[i] > 0)) continue;
        d.n++, d.mean += more, squares += more * more;
    }
    d.mean /= d.n;
    d.error = sqrt((squares / d.n - d.mean * d.mean) / (d.n - 1));
    return d;
}

typedef struct toss_numbers {
    double of[TOSS_MOST], least; /* least: mean distance of corners, of the tosses of the fit */
    int tries;
} toss_numbers;

static inline toss_numbers toss_fit(const toss_engine *e, int per, const toss *all, int count)
{
    const char *asked = getenv("TOSS_SURE");
    const double sure = asked ? atof(asked) : 1;
    toss_numbers best;
    toss_result at, r;
    double move[TOSS_MOST];
    int round, side, moved;
    memcpy(best.of, e->first, sizeof best.of), memcpy(move, e->move, sizeof move);
    at = toss_throw_all(e, best.of, per, all, count, 1, 1);
    best.tries = 1;
    for (round = 0; round < 4; round++) {
        do {
            for (side = moved = 0; side < 2 * e->fitted; side++) {
                toss_difference d;
                double next[TOSS_MOST];
                int k = side / 2;
                memcpy(next, best.of, sizeof next);
                next[k] += side % 2 ? -move[k] : move[k];
                if (next[k] < e->low[k] || next[k] > e->high[k]) continue;
                r = toss_throw_all(e, next, per, all, count, 1, 1);
                best.tries++;
                d = toss_differ(r.corner, at.corner);
                if (d.mean + sure * d.error < 0) at = r, memcpy(best.of, next, sizeof next), moved = 1;
            }
        } while (moved && best.tries < TOSS_TRIES * e->fitted);
        for (side = 0; side < e->fitted; side++) move[side] /= 2;
    }
    best.least = at.error.corner / at.error.count;
    return best;
}

/* The corners of each judged toss by nsc's default, at each step, by published and by fitted numbers: its peers say what they
   are more on the same tosses. */
typedef double toss_kept[TOSS_RATES][2][TOSS_NUMBERS];

/* save: 1: write; else 1: it was read */
static inline int toss_keep(double (*corner)[2][TOSS_NUMBERS], int save)
{
    FILE *f = fopen("build/tosses_kept.txt", save ? "w" : "r");
    int i, k, fit, code = f != NULL;
    for (i = 0; i < TOSS_NUMBERS && code; i++)
        for (k = 0; k < TOSS_RATES; k++)
            for (fit = 0; fit < 2; fit++) {
                if (save) fprintf(f, "%.9g\n", corner[k][fit][i]);
                else code &= fscanf(f, "%lf", &corner[k][fit][i]) == 1;
            }
    if (f) fclose(f);
    return code;
}

/* The columns that every engine prints: numbers, position [% of the width], angle [degrees], corners, end, face, penetration [mm] */
#define TOSS_COLUMNS "position  angle corners    end  face    deep"
#define TOSS_UNITS   "       %    deg       %      %     %      mm"
static inline void toss_print(const toss_error *e)
{
    printf("%8.2f %6.2f %7.2f %6.1f %5.1f %7.4f", 100 * e->position / e->count, 57.29578 * e->angle / e->count, 100 * e->corner / e->count,
           100 * e->end / e->count, 100 * e->face / e->count, 1e3 * e->deepest / e->count);
}

static inline void toss_print_head(void)
{
    printf("\n%-8s %-10s %5s            numbers%15s%s  us a   corners more than those of nsc by default\n", "engine", "setting", "1/h", "",
           TOSS_COLUMNS);
    printf("%-8s %-10s %5s            %-22s%s  step   at the same step  at 1/148 s, fitted alike\n", "", "", "1/s", "friction, others",
           TOSS_UNITS);
}

static inline void toss_print_row(const toss_engine *e, int per, int fitted, const double *numbers, const toss_result *r)
{
    int i;
    printf("%-8s %-10s %5d  %-9s", e->name, e->setting, TOSS_RATE * per, fitted ? "fitted" : "published");
    for (i = 0; i < TOSS_MOST; i++) {
        if (i < e->fitted) printf(i ? "%6.3f" : "%7.4f", numbers[i]);
        else printf("      ");
    }
    toss_print(&r->error);
    printf(" %6.2f", 1e6 * r->seconds / r->steps);
}

/* The table of an engine, beside what nsc has kept; at which steps: all, or in a short run 1/148 s and 1/1184 s, the first alone
   fitted */
static inline int toss_in_run(int rate, int whole) { return whole || rate == 0 || rate == 3; }

static inline void toss_table(const toss_engine *e, const toss *all, int count, int whole, double (*kept)[2][TOSS_NUMBERS])
{
    int rate, fitted;
    for (rate = 0; rate < TOSS_RATES; rate++) {
        toss_numbers n;
        memcpy(n.of, e->first, sizeof n.of);
        for (fitted = 0; fitted < 2; fitted++) {
            toss_result r;
            toss_difference d[2];
            if (!toss_in_run(rate, whole) || (fitted && !whole && rate > 0)) continue;
            if (fitted) n = toss_fit(e, 1 << rate, all, count);
            r = toss_throw_all(e, n.of, 1 << rate, all, count, 0, whole ? 1 : 4);
            d[0] = toss_differ(r.corner, kept[rate][fitted]), d[1] = toss_differ(r.corner, kept[0][fitted]);
            toss_print_row(e, 1 << rate, fitted, n.of, &r);
            printf("  %+6.2f +- %.2f  %+6.2f +- %.2f", d[0].mean, d[0].error, d[1].mean, d[1].error);
            if (fitted) printf("  (%.2f on its own, %d tries)", 100 * n.least, n.tries);
            printf("\n");
            fflush(stdout);
        }
    }
}
#endif
