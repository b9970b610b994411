/* sides.c - friction cones of k sides on published contact problems:  sides DATA
   Each problem is solved with friction within a regular polygon whose corners lie on Coulomb's disc, k = 4 to 32, by Gauss and Seidel's
   method on the dense matrix in double; then the answer is held against Coulomb's law itself: the residual is the velocity by which it
   is wrong, here as a share of the largest free velocity.  The disc by the same method stands beside it.
   Formats and origin of the data: ../bench/problem_files.h. */
#define NSC_DOUBLE
#define NSC_IMPLEMENTATION
#include "../bench/problem_files.h"
#include "laws.h"

enum { PROBLEMS = 200, SIDES = 5, LARGEST = 600, SWEEPS = 3000 };
static const int sides[SIDES] = {4, 8, 16, 32, 0};

static void into_disc(double radius, double *t)
{
    double size = sqrt(t[0] * t[0] + t[1] * t[1]);
    if (size > radius) t[0] *= radius / size, t[1] *= radius / size;
}

/* u of contact c */
static void speeds(const problem_file *f, const double *l, int c, double *u)
{
    int i, j;
    for (i = 0; i < 3; i++)
        for (u[i] = f->q[3 * c + i], j = 0; j < f->rows; j++) u[i] += f->W[(3 * c + i) * f->rows + j] * l[j];
}

/* Sweeps until the answer changes velocities by less than 1e-8 of the largest, or SWEEPS */
static int solve(const problem_file *f, int k, double scale, double *l)
{
    int sweep, c, i;
    memset(l, 0, sizeof *l * (size_t)f->rows);
    for (sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0;
        for (c = 0; c < f->contacts; c++) {
            const double *W0 = f->W + 3 * c * f->rows + 3 * c, *W1 = W0 + f->rows, *W2 = W1 + f->rows;
            double u[3], next[3], *x = l + 3 * c;
            speeds(f, l, c, u);
            next[0] = fmax(0, x[0] - u[0] / W0[0]);
            for (i = 1; i < 3; i++) next[i] = x[i] - (u[i] + (i == 1 ? W1 : W2)[0] * (next[0] - x[0])) / (W1[1] + W2[2]);
            if (k) law_into_polygon(k, f->mu[c] * next[0], next + 1);
            else into_disc(f->mu[c] * next[0], next + 1);
            for (i = 0; i < 3; i++) change = fmax(change, fabs(next[i] - x[i]) * W0[0]), x[i] = next[i];
        }
        if (change < 1e-8 * scale) break;
    }
    return sweep;
}

/* The natural map of Coulomb's law, the largest */
static double residual(const problem_file *f, const double *l)
{
    double worst = 0;
    int c, i;
    for (c = 0; c < f->contacts; c++) {
        double u[3], x[3], e = 0, trace = 0;
        for (i = 0; i < 3; i++) trace += f->W[(3 * c + i) * (f->rows + 1)] / 3;
        speeds(f, l, c, u);
        x[0] = fmax(0, l[3 * c] - u[0] / trace);
        for (i = 1; i < 3; i++) x[i] = l[3 * c + i] - u[i] / trace;
        into_disc(f->mu[c] * fmax(l[3 * c], 0), x + 1);
        for (i = 0; i < 3; i++) e += pow((x[i] - l[3 * c + i]) * trace, 2);
        worst = fmax(worst, sqrt(e));
    }
    return worst;
}

static int smaller(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return d > 0 ? 1 : d < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    static double wrong[SIDES][PROBLEMS], swept[SIDES][PROBLEMS];
    char name[600];
    FILE *list;
    int n = 0, i;
    (void)problem_file_read_answer, (void)law_solve_sides, (void)law_solve_impacts;
    snprintf(name, sizeof name, "ls %.400s/fclib/*.fcp", argc > 1 ? argv[1] : "../shared/data");
    list = popen(name, "r");
    while (list && n < PROBLEMS && fgets(name, sizeof name, list)) {
        static problem_file f;
        double *l, scale = 0, answers[SIDES], sweeps[SIDES];
        FILE *in;
        name[strcspn(name, "\n")] = 0;
        in = fopen(name, "r");
        if (!in) continue;
        if (problem_file_read(&f, in)) {
            if (f.contacts > 0 && f.rows <= LARGEST && (l = file_doubles(&f, f.rows)) != NULL) {
                for (i = 0; i < f.rows; i++) scale = fmax(scale, fabs(f.q[i]));
                for (i = 0; i < SIDES; i++) sweeps[i] = solve(&f, sides[i], scale, l), answers[i] = residual(&f, l) / scale;
                if (sweeps[SIDES - 1] < SWEEPS) { /* the disc converges: the polygon is to blame */
                    for (i = 0; i < SIDES; i++) wrong[i][n] = answers[i], swept[i][n] = sweeps[i];
                    n++;
                }
            }
            problem_file_free(&f);
        }
        fclose(in);
    }
    if (list) pclose(list);
    if (n == 0) {
        printf("skipped: no problems in the folder fclib of the data\n");
        return 0;
    }
    printf("Friction cones of k sides on %d published problems: residual by Coulomb's law, share of the largest free velocity; sweeps\n", n);
    for (i = 0; i < SIDES; i++) {
        int unfinished = 0, k;
        for (k = 0; k < n; k++) unfinished += swept[i][k] >= SWEEPS;
        qsort(wrong[i], (size_t)n, sizeof(double), smaller), qsort(swept[i], (size_t)n, sizeof(double), smaller);
        printf("    %2d sides%s: median %.1e, nine of ten below %.1e, worst %.1e; %4.0f sweeps (median), %d not done after %d\n", sides[i],
               sides[i] ? "" : " (disc)", wrong[i][n / 2], wrong[i][n * 9 / 10], wrong[i][n - 1], swept[i][n / 2], unfinished, SWEEPS);
    }
    return wrong[0][n / 2] > wrong[SIDES - 1][n / 2] ? 0 : 1;
}
