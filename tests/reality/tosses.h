/* tosses.h - tracked tosses of a real cube, and how far a simulation is from them.  For nsc and for its peers alike: nothing of
   nsc is in here.  Format, origin and measure: README.md of the folder tosses of the data. */
#ifndef NSC_TOSSES_H
#define NSC_TOSSES_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The corners of each judged toss by nsc, so that its peers say what they are more on the same tosses.  save: 1: write */
static inline int toss_kept(double *corner, int save)
{
    FILE *f = fopen("build/tosses_kept.txt", save ? "w" : "r");
    int i;
    for (i = 0; i < TOSS_NUMBERS && f; i++) {
        if (save) fprintf(f, "%.9g\n", corner[i]);
        else if (fscanf(f, "%lf", &corner[i]) != 1) corner[i] = 0;
    }
    if (f) fclose(f);
    return f != NULL;
}

/* Mean difference of the corners' distance, of n tosses, and its standard error [% of the width] */
typedef struct toss_difference {
    double n, sum, squares;
} toss_difference;

static inline void toss_differ(toss_difference *d, double more)
{
    d->n++, d->sum += 100 * more, d->squares += 1e4 * more * more;
}

static inline void toss_print_difference(const toss_difference *d)
{
    double mean = d->sum / d->n;
    printf("%+6.2f +- %.2f", mean, sqrt((d->squares / d->n - mean * mean) / (d->n - 1)));
}

/* The columns that every engine prints: position [% of the width], angle [degrees], corners, end, face, penetration [mm] */
#define TOSS_COLUMNS "position  angle corners    end  face    deep"
#define TOSS_UNITS   "       %    deg       %      %     %      mm"
static inline void toss_print(const toss_error *e)
{
    printf("%8.2f %6.2f %7.2f %6.1f %5.1f %7.4f", 100 * e->position / e->count, 57.29578 * e->angle / e->count, 100 * e->corner / e->count,
           100 * e->end / e->count, 100 * e->face / e->count, 1e3 * e->deepest / e->count);
}
#endif
