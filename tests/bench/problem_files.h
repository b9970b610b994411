/* problem_files.h - contact problems and LCPs from text files, as an nsc_problem and in double.

   The files are not part of nsc.  Where they come from:
       FCLIB    https://github.com/FrictionalContactLibrary   frictional contact problems
       Siconos  https://github.com/siconos/siconos            its test data, and the re-simulated scenes
   Two plain formats, numbers parted by white space, converted once from those:

   fcp1   contacts.  Rows are normal, tangent, tangent; J acts on (v_a w_a v_b w_b).
       fcp1 global NB NC NAME
           NB times   mass  ixx iyy izz ixy ixz iyz  vx vy vz wx wy wz      (free velocity)
           NC times   a b mu  c_n c_t1 c_t2  J[3][12]                       (body -1: immovable)
       fcp1 local NC NBLK NAME
           mu[NC]  q[3 NC]  then NBLK times  i j W_ij[3][3]                 (i <= j, W symmetric)
       answers in ref/NAME.ref:
           fcpref1 NC NAME  objective err err  r_cone[3 NC] u_cone[3 NC] r_coulomb[3 NC]
   blcp1  lo <= x <= hi, w = A x + b, w >= 0 at lo, w <= 0 at hi, w = 0 between.
       blcp1 N NAME  A[N][N] b[N] lo[N] hi[N]                               (bounds may be infinite)
       answers in NAME.sol:  N objective kkt unique  x[N]

   Every problem is kept twice: as the caller of nsc would fill it, in nsc_real; and as one dense
   double matrix u = W lambda + q, assembled here, so that a judge need not trust the library.  */
#ifndef NSC_PROBLEM_FILES_H
#define NSC_PROBLEM_FILES_H

#include "nsc_all_solvers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_ROWS = 6000, FILE_MAX_BODIES = 10000, FILE_MAX_MEMORY = 32 };

typedef struct problem_file {
    char name[64];
    int rows, contacts;        /* contacts == 0: an LCP, one BOX block a row                      */
    nsc_problem problem;       /* prepared, with an arena for any solver                          */
    double *W, *q;             /* (rows x rows) symmetric, (rows)                                 */
    double *mu;                /* (contacts)                                                      */
    double *lo, *hi;           /* (rows) LCP only                                                 */
    double objective;          /* of the answer; the three below are NULL if none was read        */
    double *cone, *cone_u;     /* (rows) lambda and u of the convex law; LCP: x in cone only      */
    double *coulomb;           /* (rows) lambda of Coulomb's law                                  */
    void *memory[FILE_MAX_MEMORY];
    int memory_count;
} problem_file;

/* Zeroed memory that problem_file_free gives back, or NULL. */
static void *file_take(problem_file *f, int count, size_t size)
{
    void *m = NULL;
    if (count >= 0 && f->memory_count < FILE_MAX_MEMORY) m = calloc((size_t)count + 1, size);
    if (m) f->memory[f->memory_count++] = m;
    return m;
}

static double *file_doubles(problem_file *f, int count) { return file_take(f, count, sizeof(double)); }
static nsc_real *file_reals(problem_file *f, int count) { return file_take(f, count, sizeof(nsc_real)); }

static void problem_file_free(problem_file *f)
{
    while (f->memory_count > 0) free(f->memory[--f->memory_count]);
    memset(f, 0, sizeof *f);
}

/* n numbers, infinite ones only where allowed; 1 if all were there */
static int file_read(FILE *in, double *x, int n, double limit)
{
    int i;
    if (!x) return 0;
    for (i = 0; i < n; i++)
        if (fscanf(in, "%lf", &x[i]) != 1 || !(fabs(x[i]) <= limit)) return 0;
    return 1;
}

static int file_read_finite(FILE *in, double *x, int n) { return file_read(in, x, n, DBL_MAX); }

/* A whole number from..to.  Read as a double: %d is undefined when the file holds too many digits. */
static int file_read_int(FILE *in, int from, int to, int *value)
{
    double x;
    if (!file_read_finite(in, &x, 1) || x < from || x > to) return 0;
    *value = (int)x;
    return (double)*value >= x && (double)*value <= x;
}

/* The blocks, of the kind that f->contacts tells. */
static nsc_block *file_take_blocks(problem_file *f)
{
    int k, n = f->contacts > 0 ? f->contacts : f->rows;
    nsc_block *blocks = file_take(f, n, sizeof *blocks);
    if (!blocks) return NULL;
    for (k = 0; k < n; k++) {
        blocks[k].kind = f->contacts > 0 ? NSC_BLOCK_CONTACT : NSC_BLOCK_BOX;
        blocks[k].rows = f->contacts > 0 ? 3 : 1;
        if (f->contacts > 0) blocks[k].mu = (nsc_real)f->mu[k];
        if (f->lo) blocks[k].lo[0] = (nsc_real)f->lo[k];
        if (f->hi) blocks[k].hi[0] = (nsc_real)f->hi[k];
    }
    f->problem.block_count = n;
    return f->problem.blocks = blocks;
}

/* nsc_real copies of n doubles */
static nsc_real *file_rounded(problem_file *f, const double *x, int n)
{
    nsc_real *y = file_reals(f, n);
    int i;
    for (i = 0; y && i < n; i++) y[i] = (nsc_real)x[i];
    return y;
}

/* W and q are read: nsc gets them as its Delassus matrix. */
static int file_finish_dense(problem_file *f)
{
    int n = f->rows;
    f->problem.delassus = file_rounded(f, f->W, n * n);
    f->problem.v_free = file_rounded(f, f->q, n);
    f->problem.v = file_reals(f, n);
    return f->problem.delassus && f->problem.v_free && f->problem.v && file_take_blocks(f);
}

static int file_read_local(FILE *in, problem_file *f)
{
    int count, c, i, j, n;
    if (!file_read_int(in, 1, FILE_MAX_ROWS / 3, &f->contacts)) return 0;
    n = f->rows = 3 * f->contacts;
    if (!file_read_int(in, 0, f->contacts * (f->contacts + 1) / 2, &count)) return 0;
    if (fscanf(in, "%63s", f->name) != 1) return 0;
    f->mu = file_doubles(f, f->contacts);
    f->q = file_doubles(f, n);
    f->W = file_doubles(f, n * n);
    if (!f->W || !file_read_finite(in, f->mu, f->contacts) || !file_read_finite(in, f->q, n)) return 0;
    for (c = 0; c < count; c++) {
        double w[9];
        if (!file_read_int(in, 0, f->contacts - 1, &i) || !file_read_int(in, i, f->contacts - 1, &j)) return 0;
        if (!file_read_finite(in, w, 9)) return 0;
        for (int e = 0; e < 9; e++) {
            int row = 3 * i + e / 3, column = 3 * j + e % 3;
            f->W[row * n + column] = f->W[column * n + row] = w[e];
        }
    }
    return file_finish_dense(f);
}

static int file_read_lcp(FILE *in, problem_file *f)
{
    int n;
    if (!file_read_int(in, 1, FILE_MAX_ROWS, &n) || fscanf(in, "%63s", f->name) != 1) return 0;
    f->rows = n;
    f->W = file_doubles(f, n * n);
    f->q = file_doubles(f, n);
    f->lo = file_doubles(f, n);
    f->hi = file_doubles(f, n);
    return file_read_finite(in, f->W, n * n) && file_read_finite(in, f->q, n) &&
           file_read(in, f->lo, n, HUGE_VAL) && file_read(in, f->hi, n, HUGE_VAL) && file_finish_dense(f);
}

/* The numbers of a global file; body 0 is added as the immovable one. */
typedef struct file_bodies {
    double *inverse;           /* (7 bodies) 1/mass, inverse inertia xx yy zz xy xz yz            */
    double *twist;             /* (6 bodies) free velocity                                        */
    double *bias, *J;          /* (rows), (rows x 12)                                             */
    int count;
} file_bodies;

/* 1/mass and inverse inertia by cofactors; both as in the file */
static void file_invert_mass(const double b[7], double out[7])
{
    double cxx = b[2] * b[3] - b[6] * b[6], cxy = b[5] * b[6] - b[4] * b[3], cxz = b[4] * b[6] - b[5] * b[2];
    double det = b[1] * cxx + b[4] * cxy + b[5] * cxz;
    out[0] = 1.0 / b[0];
    out[1] = cxx / det;
    out[2] = (b[1] * b[3] - b[5] * b[5]) / det;
    out[3] = (b[1] * b[2] - b[4] * b[4]) / det;
    out[4] = cxy / det;
    out[5] = cxz / det;
    out[6] = (b[4] * b[5] - b[1] * b[6]) / det;
}

static void file_inverse_mass_times(const double m[7], const double *x, double *y)
{
    for (int i = 0; i < 3; i++) y[i] = m[0] * x[i];
    y[3] = m[1] * x[3] + m[4] * x[4] + m[5] * x[5];
    y[4] = m[4] * x[3] + m[2] * x[4] + m[6] * x[5];
    y[5] = m[5] * x[3] + m[6] * x[4] + m[3] * x[5];
}

static double file_dot6(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
}

/* W = J M^-1 J^T, q = J v_free + bias */
static void file_assemble(const problem_file *f, const file_bodies *d)
{
    for (int j = 0; j < f->rows; j++) {
        const double *J = d->J + 12 * j;
        const nsc_block *b = &f->problem.blocks[j / 3];
        double y[12];
        file_inverse_mass_times(d->inverse + 7 * b->a, J, y);
        file_inverse_mass_times(d->inverse + 7 * b->b, J + 6, y + 6);
        f->q[j] = d->bias[j] + file_dot6(J, d->twist + 6 * b->a) + file_dot6(J + 6, d->twist + 6 * b->b);
        for (int i = 0; i < f->rows; i++) {
            const nsc_block *c = &f->problem.blocks[i / 3];
            const double *Ji = d->J + 12 * i;
            double w = 0.0;
            if (c->a == b->a) w += file_dot6(Ji, y);
            if (c->a == b->b) w += file_dot6(Ji, y + 6);
            if (c->b == b->a) w += file_dot6(Ji + 6, y);
            if (c->b == b->b) w += file_dot6(Ji + 6, y + 6);
            f->W[i * f->rows + j] = w;
        }
    }
}

static int file_read_bodies(FILE *in, problem_file *f, file_bodies *d)
{
    nsc_mass *masses = file_take(f, d->count, sizeof *masses);
    d->inverse = file_doubles(f, 7 * d->count);
    d->twist = file_doubles(f, 6 * d->count);
    if (!masses || !d->inverse || !d->twist) return 0;
    for (int k = 1; k < d->count; k++) {
        double b[7];
        if (!file_read_finite(in, b, 7) || !file_read_finite(in, d->twist + 6 * k, 6)) return 0;
        file_invert_mass(b, d->inverse + 7 * k);
        masses[k].inv_mass = (nsc_real)d->inverse[7 * k];
        for (int i = 0; i < 6; i++) masses[k].inv_inertia[i] = (nsc_real)d->inverse[7 * k + 1 + i];
    }
    f->problem.body_count = d->count;
    f->problem.masses = masses;
    f->problem.v_free = file_rounded(f, d->twist, 6 * d->count);
    f->problem.v = file_reals(f, 6 * d->count);
    return f->problem.v_free && f->problem.v;
}

static int file_read_contacts(FILE *in, problem_file *f, file_bodies *d)
{
    nsc_block *blocks = file_take_blocks(f);
    d->bias = file_doubles(f, f->rows);
    d->J = file_doubles(f, 12 * f->rows);
    if (!blocks || !d->bias || !d->J) return 0;
    for (int k = 0; k < f->contacts; k++) {
        nsc_block *b = &blocks[k];
        if (!file_read_int(in, -1, d->count - 2, &b->a) || !file_read_int(in, -1, d->count - 2, &b->b)) return 0;
        if (!file_read_finite(in, &f->mu[k], 1) || !file_read_finite(in, d->bias + 3 * k, 3)) return 0;
        if (!file_read_finite(in, d->J + 36 * k, 36)) return 0;
        b->a++, b->b++;
        b->mu = (nsc_real)f->mu[k];
        for (int i = 0; i < 3; i++) {
            b->bias[i] = (nsc_real)d->bias[3 * k + i];
            for (int j = 0; j < 12; j++) b->J[i][j] = (nsc_real)d->J[36 * k + 12 * i + j];
        }
    }
    return 1;
}

static int file_read_global(FILE *in, problem_file *f)
{
    file_bodies d;
    if (!file_read_int(in, 1, FILE_MAX_BODIES, &d.count)) return 0;
    d.count++;
    if (!file_read_int(in, 1, FILE_MAX_ROWS / 3, &f->contacts) || fscanf(in, "%63s", f->name) != 1) return 0;
    f->rows = 3 * f->contacts;
    f->mu = file_doubles(f, f->contacts);
    if (!f->mu || !file_read_bodies(in, f, &d) || !file_read_contacts(in, f, &d)) return 0;
    f->q = file_doubles(f, f->rows);
    f->W = file_doubles(f, f->rows * f->rows);
    if (!f->q || !f->W) return 0;
    file_assemble(f, &d);
    return 1;
}

static int file_larger(int a, int b) { return a > b ? a : b; }

/* Reals of scratch that any solver is content with.  MINRES, BB and ADMM ask for no more than APGD or NEWTON do. */
static int file_arena(const nsc_problem *p, int rows)
{
    int newton = p->delassus ? NSC_ARENA_NEWTON_MATRIX(rows) : NSC_ARENA_NEWTON(p->body_count, rows);
    return file_larger(newton, file_larger(NSC_ARENA_DANTZIG(rows), NSC_ARENA_APGD(rows)));
}

/* Read one problem and prepare it.  1, or 0 with nothing held if the file is not whole. */
static int problem_file_read(problem_file *f, FILE *in)
{
    char word[8] = "";
    int ok = 0;
    memset(f, 0, sizeof *f);
    if (fscanf(in, "%7s", word) != 1) return 0;
    if (strcmp(word, "blcp1") == 0) {
        ok = file_read_lcp(in, f);
    } else if (strcmp(word, "fcp1") == 0 && fscanf(in, "%7s", word) == 1) {
        if (strcmp(word, "local") == 0) ok = file_read_local(in, f);
        if (strcmp(word, "global") == 0) ok = file_read_global(in, f);
    }
    if (ok) f->problem.arena_size = file_arena(&f->problem, f->rows);
    if (ok) ok = (f->problem.arena = file_reals(f, f->problem.arena_size)) != NULL;
    if (ok) ok = nsc_problem_prepare(&f->problem) == NSC_OK;
    if (!ok) problem_file_free(f);
    return ok;
}

/* Read the answer that belongs to f.  1, or 0 and f has no answer. */
static int problem_file_read_answer(problem_file *f, FILE *in)
{
    double *x = file_doubles(f, f->rows), *u = file_doubles(f, f->rows), *y = file_doubles(f, f->rows);
    double skip[2];
    char name[64];
    int n, ok;
    if (!x || !u || !y || (f->contacts > 0 && fscanf(in, " fcpref1%1[ ]", name) != 1)) return 0;
    if (!file_read_int(in, 1, FILE_MAX_ROWS, &n) || n != (f->contacts > 0 ? f->contacts : f->rows)) return 0;
    if (f->contacts > 0 && fscanf(in, "%63s", name) != 1) return 0;
    ok = file_read_finite(in, &f->objective, 1) && file_read_finite(in, skip, 2) && file_read_finite(in, x, f->rows);
    if (f->contacts > 0) ok = ok && file_read_finite(in, u, f->rows) && file_read_finite(in, y, f->rows);
    if (!ok) return 0;
    f->cone = x;
    if (f->contacts > 0) f->cone_u = u, f->coulomb = y;
    return 1;
}
#endif
