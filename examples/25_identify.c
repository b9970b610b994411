/* What friction and restitution does a thing have that you have filmed?  A cube was thrown onto a table and tracked: find the two
   numbers with which simulated throws come nearest to the recorded ones, and how far to trust them.  Mass plays no part in it.
       25_identify                                   throws that are made up: friction 0.3, restitution 0.25
       25_identify RATE HALF INERTIA FILE...         frames a second, half an edge [m], moment of inertia over mass and HALF^2
                                                     (2/3 for a solid cube), and a recording a file
   The tosses of a real cube that tests/reality speaks of: 25_identify 148 0.0524 0.797 DATA/tosses/?.csv DATA/tosses/??.csv
   A file has a line a frame: x, y, z [m] of the centre, then w, x, y, z of the orientation (world from cube); further columns
   and lines that are no numbers are skipped.  The table is z = 0.  It begins in free flight, for at least six frames.
   Files: nsc.h and nsc_solvers.h alone.
   cc -std=c99 -O2 -ffp-contract=off -I.. 25_identify.c -lm
   Expected: friction 0.3 within three of its standard errors, these below 0.01, restitution within 0.1 of 0.25. */
#define NSC_MAX_BODIES 2
#define NSC_MAX_CONTACTS 8
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THROWS = 600, FRAMES = 600, PER_FRAME = 4, LEAST = 6 };
static const double g = 9.81;

typedef struct frame {
    double x[3], q[4];
} frame;

typedef struct recording {
    int frames;
    frame *seen;
    double v[3], w[3]; /* at its first frame, world [m/s, rad/s] */
} recording;

typedef struct material {
    double number[2]; /* friction, restitution */
} material;

static nsc_world world;
static recording recorded[THROWS];
static int count, tries;
static double rate = 148, half = 0.05, inertia = 2.0 / 3;

/* ---- rotations */
static void turn(const double *q, const double *v, double *out)
{
    double t[3];
    int i;
    for (i = 0; i < 3; i++) t[i] = 2 * (q[1 + (i + 1) % 3] * v[(i + 2) % 3] - q[1 + (i + 2) % 3] * v[(i + 1) % 3]);
    for (i = 0; i < 3; i++) out[i] = v[i] + q[0] * t[i] + q[1 + (i + 1) % 3] * t[(i + 2) % 3] - q[1 + (i + 2) % 3] * t[(i + 1) % 3];
}

/* To unit length; 0: far from it */
static int unit(double *q)
{
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    int i;
    if (!(n > 0.5 && n < 2)) return 0;
    for (i = 0; i < 4; i++) q[i] /= n;
    return 1;
}

/* conjugate(a) b: the turn from a to b, in the frame of a */
static void between(const double *a, const double *b, double *q)
{
    q[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    q[1] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    q[2] = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3];
    q[3] = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1];
}

static double lowest(const frame *f)
{
    double reach = 0;
    int i;
    for (i = 0; i < 3; i++) {
        double axis[3] = {0, 0, 0}, turned[3];
        axis[i] = 1;
        turn(f->q, axis, turned);
        reach += fabs(turned[2]);
    }
    return f->x[2] - half * reach;
}

/* Root of the mean square distance of the eight corners [edges] */
static double distance(const frame *a, const frame *b)
{
    double q[4], far = 0;
    int i;
    for (i = 0; i < 3; i++) far += pow(a->x[i] - b->x[i], 2);
    between(a->q, b->q, q);
    return sqrt(far / (4 * half * half) + 2 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
}

/* ---- The velocity at the first frame, by least squares over the flight before the first touch: a parabola, and a turn that
   is the same each frame in the frame of the cube, as its inertia is alike about all axes */
static int find_velocity(recording *r)
{
    double spin[3] = {0, 0, 0};
    int i, k, n = 0;
    while (n < r->frames && lowest(&r->seen[n]) > 0.1 * half) n++;
    if (n < LEAST) return -1;
    for (i = 0; i < 3; i++) {
        double t_sum = 0, tt = 0, ty = 0, y_sum = 0;
        for (k = 0; k < n; k++) {
            double t = k / rate, y = r->seen[k].x[i] + (i == 2 ? 0.5 * g * t * t : 0);
            t_sum += t, tt += t * t, ty += t * y, y_sum += y;
        }
        r->v[i] = (n * ty - t_sum * y_sum) / (n * tt - t_sum * t_sum);
    }
    for (k = 0; k + 1 < n; k++) { /* weights of least squares for the slope of a line, by its differences */
        double q[4], weight = 6.0 * (k + 1) * (n - 1 - k) / (n * ((double)n * n - 1)), s, c;
        between(r->seen[k].q, r->seen[k + 1].q, q);
        s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), c = fabs(q[0]);
        for (i = 0; i < 3 && s > 0; i++) spin[i] += weight * (q[0] < 0 ? -1 : 1) * q[1 + i] * 2 * atan2(s, c) / s * rate;
    }
    turn(r->seen[0].q, spin, r->w);
    return 0;
}

/* ---- A simulated throw, from the first frame and the velocities of r; frames go to `to` if that is not NULL.  Returns the
   mean distance from the recorded ones, or -1. */
static nsc_vec3 vec(const double *v)
{
    nsc_vec3 r;
    memset(&r, 0, sizeof r);
    r.x = (nsc_real)v[0], r.y = (nsc_real)v[1], r.z = (nsc_real)v[2];
    return r;
}

static double simulate(const recording *r, material m, int per, frame *to)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def shape[2];
    const nsc_body *b = &world.bodies[1];
    double sum = 0;
    int i, k;
    if (nsc_world_init(&world, &def) < 0) return -1;
    shape[0] = nsc_default_half_space_def();
    shape[1] = nsc_default_box_def((nsc_real)half, (nsc_real)half, (nsc_real)half);
    body.mass = 1;
    for (i = 0; i < 3; i++) body.inertia[i] = (nsc_real)(inertia * half * half);
    body.pose.position = vec(r->seen[0].x);
    body.pose.orientation.w = (nsc_real)r->seen[0].q[0], body.pose.orientation.x = (nsc_real)r->seen[0].q[1];
    body.pose.orientation.y = (nsc_real)r->seen[0].q[2], body.pose.orientation.z = (nsc_real)r->seen[0].q[3];
    body.velocity = vec(r->v), body.angular_velocity = vec(r->w);
    for (i = 0; i < 2; i++) {
        nsc_id id = i ? nsc_world_add_body(&world, &body) : NSC_GROUND;
        shape[i].friction = (nsc_real)m.number[0], shape[i].restitution = (nsc_real)m.number[1];
        if (id < 0 || nsc_world_add_shape(&world, id, &shape[i]) < 0) return -1;
    }
    for (i = 1; i < r->frames; i++) {
        frame f;
        for (k = 0; k < per; k++)
            if (nsc_world_step(&world, (nsc_real)(1 / (rate * per))) < 0) return -1;
        f.x[0] = (double)b->position.x, f.x[1] = (double)b->position.y, f.x[2] = (double)b->position.z;
        f.q[0] = (double)b->orientation.w, f.q[1] = (double)b->orientation.x, f.q[2] = (double)b->orientation.y;
        f.q[3] = (double)b->orientation.z;
        if (to) to[i] = f;
        else sum += distance(&r->seen[i], &f) / (r->frames - 1);
    }
    return sum;
}

/* Mean over the recordings [edges]; each: NULL, or the distance of each */
static double error_of(material m, double *each)
{
    double sum = 0;
    int i;
    tries++;
    for (i = 0; i < count; i++) {
        double e = simulate(&recorded[i], m, PER_FRAME, NULL);
        if (each) each[i] = e;
        sum += e < 0 ? HUGE_VAL : e / count;
    }
    return sum;
}

static int possible(material m) { return m.number[0] >= 0 && m.number[1] >= 0 && m.number[1] <= 1; }

/* A coarse grid, then steps along each axis that are halved where none helps */
static material search(double *least)
{
    static const double friction[7] = {0.05, 0.1, 0.17, 0.25, 0.35, 0.5, 0.8};
    double move[2] = {0.04, 0.1};
    material best = {{0, 0}}, m;
    int i, k, side, moved;
    *least = HUGE_VAL;
    for (i = 0; i < 7; i++) {
        for (k = 0; k < 3; k++) {
            double e;
            m.number[0] = friction[i], m.number[1] = 0.3 * k;
            e = error_of(m, NULL);
            if (e < *least) *least = e, best = m;
        }
    }
    while (move[0] > 0.001) {
        for (side = moved = 0; side < 4; side++) {
            double e;
            m = best, m.number[side / 2] += side % 2 ? move[side / 2] : -move[side / 2];
            if (!possible(m)) continue;
            e = error_of(m, NULL);
            if (e < *least) *least = e, best = m, moved = 1;
        }
        if (!moved) move[0] /= 2, move[1] /= 2;
    }
    return best;
}

/* How far to trust number i of the fit.  With w to both sides, the error has the curvature k, and each recording by itself has a
   slope; the standard error of their mean, over k, is by how much the minimum would move with other recordings like these.  Of a
   single recording: the distance at which its error has grown by a tenth.  The minimum itself is that of a parabola through the
   three, if it lies between them.  Near 0 the three are 0, w and 2 w. */
static double certainty(material *m, int i, double w)
{
    static double each[3][THROWS];
    double error[3], k, slope = 0, squares = 0;
    int side, j;
    m->number[i] = fmax(m->number[i], w);
    for (side = 0; side < 3; side++) {
        material other = *m;
        other.number[i] += w * (side - 1);
        error[side] = error_of(other, each[side]);
    }
    k = (error[0] + error[2] - 2 * error[1]) / (w * w);
    if (!(k > 0)) return HUGE_VAL;
    for (j = 0; j < count; j++) {
        double s = (each[2][j] - each[0][j]) / (2 * w);
        slope += s / count, squares += s * s / count;
    }
    m->number[i] -= fmax(-w, fmin(w, slope / k));
    return count > 1 ? sqrt((squares - slope * slope) / (count - 1)) / k : sqrt(0.2 * error[1] / k);
}

/* ---- recordings */
static int read_throw(const char *name)
{
    recording *r = &recorded[count];
    FILE *f = fopen(name, "r");
    char line[1000];
    if (!f || count == THROWS) {
        printf("%s: %s\n", name, f ? "too many files" : "cannot be read");
        return -1;
    }
    r->frames = 0;
    r->seen = (frame *)malloc(FRAMES * sizeof(frame));
    while (r->seen && r->frames < FRAMES && fgets(line, sizeof line, f)) {
        frame *p = &r->seen[r->frames];
        int i;
        for (i = 0; line[i]; i++)
            if (line[i] == ',' || line[i] == ';') line[i] = ' ';
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf", &p->x[0], &p->x[1], &p->x[2], &p->q[0], &p->q[1], &p->q[2], &p->q[3]) != 7) continue;
        if (!unit(p->q)) {
            printf("%s: line %d has no orientation\n", name, r->frames + 1);
            fclose(f);
            return -1;
        }
        r->frames++;
    }
    fclose(f);
    if (r->seen && r->frames > 1 && find_velocity(r) == 0) {
        count++;
        return 0;
    }
    printf("%s: left out, it does not fly for %d frames\n", name, LEAST);
    free(r->seen);
    return 0;
}

/* Of mean 0 and standard deviation 1 */
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

/* Twenty throws of friction 0.3 and restitution 0.25, at a shorter step than the fit takes, seen to 0.5 mm and 0.3 degrees */
static void make_up(void)
{
    const material truth = {{0.3, 0.25}};
    int i, k, j;
    for (count = 0; count < 20; count++) {
        recording *r = &recorded[count];
        frame *f = (frame *)calloc(100, sizeof(frame));
        if (!f) exit(1);
        r->seen = f, r->frames = 100;
        f[0].x[2] = 0.25, f[0].q[0] = 1;
        for (i = 0; i < 3; i++) r->v[i] = normal(), r->w[i] = normal() * 4, f[0].q[i + 1] = normal() * 0.2;
        r->v[2] = 0.5;
        unit(f[0].q);
        if (simulate(r, truth, 16, f) < 0) exit(1);
        for (k = 0; k < r->frames; k++) {
            for (j = 0; j < 3; j++) f[k].x[j] += 5e-4 * normal();
            for (j = 0; j < 4; j++) f[k].q[j] += 2.6e-3 * normal();
            unit(f[k].q);
        }
        if (find_velocity(r) < 0) printf("throw %d flies for too short\n", count), exit(1);
    }
}

int main(int argc, char **argv)
{
    material best;
    double least, trust[2];
    int i, frames = 0;
    if (argc > 4) {
        rate = atof(argv[1]), half = atof(argv[2]), inertia = atof(argv[3]);
        if (!(rate > 1 && rate < 1e5 && half > 1e-4 && half < 100 && inertia > 0.01 && inertia < 2)) {
            printf("rate 1 to 1e5 a second, half an edge 1e-4 to 100 m, inertia 0.01 to 2\n");
            return 1;
        }
        for (i = 4; i < argc; i++)
            if (read_throw(argv[i]) < 0) return 1;
        if (count == 0) return 1;
    } else if (argc == 1) {
        make_up();
    } else {
        printf("25_identify, or 25_identify RATE HALF INERTIA FILE...\n");
        return 1;
    }
    for (i = 0; i < count; i++) frames += recorded[i].frames;
    printf("%d throws, %d frames at %g Hz\n", count, frames, rate);
    best = search(&least);
    printf("least error at friction %.3f, restitution %.3f: corners %.1f %% of an edge off, on average\n", best.number[0], best.number[1],
           100 * least);
    trust[0] = certainty(&best, 0, 0.02);
    trust[1] = certainty(&best, 1, 0.1);
    printf("%s: friction %.4f +- %.4f, restitution %.3f +- %.3f; %d tries\n", count > 1 ? "standard error over the throws" :
           "the error grows by a tenth within", best.number[0], trust[0], best.number[1], trust[1], tries);
    if (argc == 1) printf("friction found from %d throws that were made up with 0.3: %.3f +- %.3f; restitution, of 0.25: %.3f +- %.3f\n", count,
                          best.number[0], trust[0], best.number[1], trust[1]);
    for (i = 0; i < count; i++) free(recorded[i].seen);
    return argc > 1 || (fabs(best.number[0] - 0.3) < 3 * trust[0] && trust[0] < 0.01 && fabs(best.number[1] - 0.25) < 0.1) ? 0 : 1;
}
