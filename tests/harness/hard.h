/* hard.h - problems out of bodies, points and axes, and their answer in double by a method of its own. */
#ifndef NSC_TEST_HARD_H
#define NSC_TEST_HARD_H
#include <math.h>
#include <string.h>

enum { BODIES = 24, BLOCKS = 100, REALS = 60000 };
static const int is_float = sizeof(nsc_real) == sizeof(float);
static const double eps = (double)NSC_REAL_EPS, gravity = 9.81;

static double fine(double in_float, double in_double) { return is_float ? in_float : in_double; }

/* ---- bodies and blocks --------------------------------------------------------------------------------------------------- */

static nsc_problem P;
static nsc_mass masses[BODIES];
static nsc_real v_free[6 * BODIES], v[6 * BODIES], arena[REALS];
static nsc_block blocks[BLOCKS];
static double mass[BODIES], centre[BODIES][3], h = 1.0 / 60.0;

/* Body 0 is the world. */
static void begin(void)
{
    memset(&P, 0, sizeof P), memset(masses, 0, sizeof masses), memset(v_free, 0, sizeof v_free), memset(blocks, 0, sizeof blocks);
    memset(centre, 0, sizeof centre);
    P.body_count = 1, P.masses = masses, P.v_free = v_free, P.v = v, P.blocks = blocks, P.arena = arena, P.arena_size = REALS;
}

/* A body under gravity, all its moments alike */
static int body(double m, double inertia, double x, double y, double z)
{
    int i, b = P.body_count++;
    mass[b] = m, centre[b][0] = x, centre[b][1] = y, centre[b][2] = z;
    masses[b].inv_mass = (nsc_real)(1 / m);
    for (i = 0; i < 3; i++) masses[b].inv_inertia[i] = (nsc_real)(1 / inertia);
    v_free[6 * b + 2] = (nsc_real)(-gravity * h);
    return b;
}

/* Principal axes turned: the inverse inertia gets entries off its diagonal. */
static void turn_inertia(int b)
{
    nsc_real *I = masses[b].inv_inertia, unit = I[0];
    I[1] = 2 * unit, I[2] = 3 * unit, I[3] = NSC_R(0.5) * unit, I[4] = NSC_R(-0.3) * unit, I[5] = NSC_R(0.4) * unit;
}

/* Three rows at a point of the world: z, x, y */
static nsc_block *point(int kind, int a, int b, double x, double y, double z)
{
    nsc_block *k = &blocks[P.block_count++];
    int i, side, d, at;
    k->a = a, k->b = b, k->kind = (unsigned char)kind, k->rows = 3;
    for (i = 0; i < 3; i++)
        for (side = 0; side < 2; side++) {
            const double *c = centre[side ? b : a];
            double arm[3], sign = side ? 1 : -1;
            arm[0] = x - c[0], arm[1] = y - c[1], arm[2] = z - c[2];
            d = (i + 2) % 3, at = 6 * side;
            k->J[i][at + d] = (nsc_real)sign;
            k->J[i][at + 3 + (d + 1) % 3] = (nsc_real)(sign * arm[(d + 2) % 3]); /* arm x d */
            k->J[i][at + 3 + (d + 2) % 3] = (nsc_real)(-sign * arm[(d + 1) % 3]);
        }
    return k;
}

static nsc_block *contact(int a, int b, double x, double y, double z, double mu)
{
    nsc_block *k = point(NSC_BLOCK_CONTACT, a, b, x, y, z);
    k->mu = (nsc_real)mu;
    return k;
}

/* Rows of turning about the axes first, first + 1, ... */
static nsc_block *turning(int kind, int a, int b, int first, int rows)
{
    nsc_block *k = &blocks[P.block_count++];
    int i;
    k->a = a, k->b = b, k->kind = (unsigned char)kind, k->rows = (unsigned char)rows;
    for (i = 0; i < rows; i++) k->J[i][3 + (first + i) % 3] = -1, k->J[i][9 + (first + i) % 3] = 1;
    return k;
}

/* ---- the same in double, nothing of nsc_solvers.h in it ------------------------------------------------------------------ */

static double inverse_mass(int b, int i, int j)
{
    static const int packed[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    if (i < 3 || j < 3) return i == j ? (double)masses[b].inv_mass : 0;
    return (double)masses[b].inv_inertia[packed[i - 3][j - 3]];
}

/* dv += M^-1 J^T l of row i; size, if given, grows by what that is summed from. */
static void add_impulse(const nsc_block *k, int i, double l, double *dv, double *size)
{
    int side, n, m;
    for (side = 0; side < 2; side++)
        for (n = 0; n < 36; n++) {
            int b = side ? k->b : k->a;
            double w = inverse_mass(b, n / 6, n % 6) * (double)k->J[i][6 * side + n % 6] * l;
            m = 6 * b + n / 6;
            dv[m] += w;
            if (size) size[m] += fabs(w);
        }
}

/* J x + bias of row i */
static double row_velocity(const nsc_block *k, int i, const double *x)
{
    double u = (double)k->bias[i];
    int j;
    for (j = 0; j < 12; j++) u += (double)k->J[i][j] * x[j < 6 ? 6 * k->a + j : 6 * k->b + j - 6];
    return u;
}

static const double *in_double(const nsc_real *x, double *out)
{
    int i;
    for (i = 0; i < 6 * P.body_count; i++) out[i] = (double)x[i];
    return out;
}

static double distance(const double *from)
{
    double worst = 0;
    int i;
    for (i = 0; i < 6 * P.body_count; i++) worst = fmax(worst, fabs((double)v[i] - from[i]));
    return worst;
}

/* ---- the reference: block by block, lambda = P(lambda - u / bound), in double ------------------------------------------- */

static double lambda_ref[BLOCKS][3], v_ref[6 * BODIES], objective_ref;

static double cut(double x, double most) { return x < -most ? -most : x > most ? most : x; }

/* normal: the impulse that bounds rolling, and friction under BOX */
static void reference_project(const nsc_block *k, int law, double normal, double *x)
{
    double mu = (double)k->mu, t = sqrt(x[1] * x[1] + x[2] * x[2]);
    int i;
    if (k->kind == NSC_BLOCK_BOX)
        for (i = 0; i < k->rows; i++) x[i] = fmin(fmax(x[i], (double)k->lo[i]), (double)k->hi[i]);
    if (k->kind < NSC_BLOCK_CONTACT) return;
    if (k->kind == NSC_BLOCK_ROLLING) x[0] = cut(x[0], (double)k->hi[0] * normal);
    else if (law != NSC_LAW_PYRAMID && t > mu * x[0]) x[0] = mu * t <= -x[0] ? 0 : (x[0] + mu * t) / (1 + mu * mu);
    if (k->kind == NSC_BLOCK_CONTACT) x[0] = fmax(x[0], 0), normal = law == NSC_LAW_PYRAMID ? fmax(normal, 0) : x[0];
    for (i = 1; i < 3; i++) {
        if (law == NSC_LAW_PYRAMID) x[i] = cut(x[i], mu * normal);
        else if (t > mu * normal) x[i] *= mu * normal / t;
    }
}

/* One visit; returns how far lambda moved, as a velocity */
static double reference_visit(const nsc_block *k, int law, double *l)
{
    double u[3] = {0, 0, 0}, x[3] = {0, 0, 0}, bound = 0, moved = 0;
    int i, j;
    for (i = 0; i < k->rows; i++) {
        double zero[6 * BODIES] = {0}, row = (double)k->cfm[i];
        add_impulse(k, i, 1, zero, NULL);
        for (j = 0; j < k->rows; j++) row += fabs(row_velocity(k, j, zero) - (double)k->bias[j]);
        bound = fmax(bound, row);
        u[i] = row_velocity(k, i, v_ref) + (double)k->cfm[i] * l[i];
    }
    if (law == NSC_LAW_COULOMB && k->kind == NSC_BLOCK_CONTACT) u[0] += (double)k->mu * sqrt(u[1] * u[1] + u[2] * u[2]);
    for (i = 0; i < k->rows; i++) x[i] = l[i] - u[i] / bound;
    reference_project(k, law, k->kind == NSC_BLOCK_ROLLING ? lambda_ref[k - 1 - blocks][0] : l[0], x);
    for (i = 0; i < k->rows; i++) {
        add_impulse(k, i, x[i] - l[i], v_ref, NULL);
        moved = fmax(moved, fabs(x[i] - l[i]) * bound), l[i] = x[i];
    }
    return moved;
}

/* Fills lambda_ref, v_ref and objective_ref.  Returns the last defect [m/s]. */
static double reference(int law)
{
    double moved = 1, vf[6 * BODIES];
    int k, i, sweep;
    in_double(v_free, vf), in_double(v_free, v_ref);
    memset(lambda_ref, 0, sizeof lambda_ref);
    for (sweep = 0; sweep < 20000 && moved > 1e-12; sweep++)
        for (k = 0, moved = 0; k < P.block_count; k++) moved = fmax(moved, reference_visit(&blocks[k], law, lambda_ref[k]));
    for (k = 0, objective_ref = 0; k < P.block_count; k++)
        for (i = 0; i < blocks[k].rows; i++)
            objective_ref += lambda_ref[k][i] * 0.5 * (row_velocity(&blocks[k], i, v_ref) + row_velocity(&blocks[k], i, vf));
    return moved;
}

/* The gap's part of one block by its definition: lambda'u less the least y'u of the set's y, bounded as it is by the normal */
static double gap_in_double(const nsc_block *k, int law, const double *u)
{
    double n = fmax((double)(k->kind == NSC_BLOCK_ROLLING ? k[-1].lambda[0] : k->lambda[0]), 0), sum = 0;
    double t = law == NSC_LAW_PYRAMID ? fabs(u[1]) + fabs(u[2]) : sqrt(u[1] * u[1] + u[2] * u[2]);
    int i;
    if (k->rho <= 0 || k->kind == NSC_BLOCK_EQUALITY) return 0;
    for (i = 0; i < k->rows; i++) {
        nsc_real bound = u[i] > 0 ? k->lo[i] : k->hi[i];
        if (k->kind != NSC_BLOCK_BOX) sum += (double)k->lambda[i] * u[i];
        else if (fabs((double)bound) < (double)NSC_REAL_MAX) sum += ((double)k->lambda[i] - (double)bound) * u[i];
    }
    if (k->kind == NSC_BLOCK_BOX) return sum;
    if (k->rows < 3 || (law == NSC_LAW_CONE && k->kind == NSC_BLOCK_CONTACT)) return fabs(sum);
    if (k->kind == NSC_BLOCK_ROLLING) sum += (double)k->hi[0] * n * fabs(u[0]);
    return fabs(sum + (double)k->mu * n * t);
}

/* |e| of one block, as a velocity; what cannot be moved is not judged */
static double defect_in_double(const nsc_block *k, int law, const double *u)
{
    double w[3], x[3] = {0, 0, 0}, e2 = 0, rho = (double)k->rho;
    int i;
    if (rho <= 0) return 0;
    for (i = 0; i < 3; i++) w[i] = i < k->rows && k->eff_mass[i] > 0 ? u[i] : 0;
    if (law == NSC_LAW_COULOMB && k->kind == NSC_BLOCK_CONTACT) w[0] += (double)k->mu * sqrt(w[1] * w[1] + w[2] * w[2]);
    for (i = 0; i < k->rows; i++) x[i] = (double)k->lambda[i] - rho * w[i];
    reference_project(k, law, (double)(k->kind == NSC_BLOCK_ROLLING ? k[-1].lambda[0] : k->lambda[0]), x);
    for (i = 0; i < k->rows; i++) e2 += ((double)k->lambda[i] - x[i]) * ((double)k->lambda[i] - x[i]);
    return sqrt(e2) / rho;
}

/* Largest impulse a row of the block could have, as far as that is bounded */
static double reach_of(const nsc_block *k, int i)
{
    double lo = fabs((double)k->lo[i]), hi = fabs((double)k->hi[i]), l = fabs((double)k->lambda[i]);
    if (k->kind == NSC_BLOCK_BOX) return l + (lo < (double)NSC_REAL_MAX ? lo : 0) + (hi < (double)NSC_REAL_MAX ? hi : 0);
    if (k->kind == NSC_BLOCK_ROLLING) return l + ((double)k->mu + (double)k->hi[0]) * fabs((double)k[-1].lambda[0]);
    return l + (k->kind == NSC_BLOCK_CONTACT ? (double)k->mu * fabs((double)k->lambda[0]) : 0);
}

/* Residual, objective and gap of the lambda in the blocks at velocity w; size: what objective and gap are summed from */
static void measure_in_double(int law, const double *w, const double *vf, double *residual, double *objective, double *gap, double *size)
{
    const nsc_block *k;
    int i;
    *residual = *objective = *gap = *size = 0;
    for (k = blocks; k < blocks + P.block_count; k++) {
        double u[3] = {0, 0, 0};
        for (i = 0; i < k->rows; i++) {
            double l = (double)k->lambda[i], free_u = row_velocity(k, i, vf);
            u[i] = row_velocity(k, i, w) + (double)k->cfm[i] * l;
            *objective += 0.5 * l * (u[i] + free_u);
            *size += reach_of(k, i) * (fabs(u[i]) + fabs(free_u) + (k->rho > 0 ? fabs(l) / (double)k->rho : 0));
        }
        *gap += gap_in_double(k, law, u);
        *residual = fmax(*residual, defect_in_double(k, law, u));
    }
}

#endif
