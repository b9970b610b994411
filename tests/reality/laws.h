/* laws.h - solvers of a user's own, passed as nsc_calls.solve, that tell how much a law matters: friction cones of k sides, and
   restitution by Newton's, Poisson's and the energetic hypothesis.  For comparison, not for use: they are slow, take contacts
   alone, and NSC_LAW_COULOMB alone.  Include it after nsc.h. */
#ifndef NSC_REALITY_LAWS_H
#define NSC_REALITY_LAWS_H
#include <math.h>
#include <string.h>

static double law_speed(const nsc_problem *p, const nsc_block *k, int row)
{
    double sum = 0;
    int i;
    for (i = 0; i < 6; i++)
        sum += (double)k->J[row][i] * (double)p->v[6 * k->a + i] + (double)k->J[row][6 + i] * (double)p->v[6 * k->b + i];
    return sum;
}

/* v += M^-1 J^T of one row, times an impulse */
static void law_push(const nsc_problem *p, const nsc_block *k, int row, double impulse)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    int side, i, j;
    for (side = 0; side < 2; side++) {
        int body = side ? k->b : k->a;
        const nsc_mass *m = &p->masses[body];
        const nsc_real *J = k->J[row] + 6 * side;
        for (i = 0; i < 3; i++) {
            double turn = 0;
            for (j = 0; j < 3; j++) turn += (double)m->inv_inertia[at[i][j]] * (double)J[3 + j];
            p->v[6 * body + i] += (nsc_real)(impulse * (double)m->inv_mass * (double)J[i]);
            p->v[6 * body + 3 + i] += (nsc_real)(impulse * turn);
        }
    }
}

/* ---- friction cones of k sides: the friction of a contact stays within a regular polygon whose corners lie on Coulomb's disc, one
   of them on t1 (Stewart and Trinkle 1996).  Projected Gauss-Seidel with the exact projection onto the polygon. */
static int law_sides = 8, law_sweeps = 400;

static void law_into_polygon(int sides, double radius, double *x)
{
    const double pi = 3.14159265358979323846, half = pi / sides;
    double sector = floor(atan2(x[1], x[0]) / (2 * half)), a = (2 * sector + 1) * half;
    double out = x[0] * cos(a) + x[1] * sin(a), along = x[1] * cos(a) - x[0] * sin(a);
    if (out <= radius * cos(half)) return;
    out = radius * cos(half);
    along = fmax(-radius * sin(half), fmin(radius * sin(half), along));
    x[0] = out * cos(a) - along * sin(a), x[1] = out * sin(a) + along * cos(a);
}

static int law_solve_sides(nsc_problem *p, const nsc_settings *s, nsc_report *r)
{
    double change = 0;
    int sweep, n, i;
    memcpy(p->v, p->v_free, 6 * sizeof *p->v * (size_t)p->body_count);
    for (n = 0; n < p->block_count; n++)
        for (i = 0; i < p->blocks[n].rows; i++) {
            if (!s->warm_start) p->blocks[n].lambda[i] = 0;
            law_push(p, &p->blocks[n], i, (double)p->blocks[n].lambda[i]);
        }
    for (sweep = 0; sweep < law_sweeps; sweep++) {
        for (change = 0, n = 0; n < p->block_count; n++) {
            nsc_block *k = &p->blocks[n];
            double next[3], *t = next + 1, step = 0;
            const double G11 = (double)k->delassus[3], G22 = (double)k->delassus[5];
            if (k->eff_mass[0] <= 0) continue;
            next[0] = fmax(0, (double)k->lambda[0] - (double)k->eff_mass[0] *
                                  (law_speed(p, k, 0) + (double)k->bias[0] + (double)k->cfm[0] * (double)k->lambda[0]));
            law_push(p, k, 0, next[0] - (double)k->lambda[0]);
            if (k->rows == 3) {
                for (i = 0; i < 2; i++)
                    t[i] = (double)k->lambda[i + 1] - (law_speed(p, k, i + 1) + (double)k->bias[i + 1]) / (G11 + G22);
                law_into_polygon(law_sides, (double)k->mu * next[0], t);
                for (i = 1; i < 3; i++) law_push(p, k, i, next[i] - (double)k->lambda[i]);
            }
            for (i = 0; i < k->rows; i++) {
                step = fmax(step, fabs(next[i] - (double)k->lambda[i]) / (double)k->rho);
                k->lambda[i] = (nsc_real)next[i];
            }
            change = fmax(change, step);
        }
        if (change <= (double)s->tolerance) break;
    }
    r->iterations = sweep, r->residual = (nsc_real)change;
    return r->status = change <= (double)s->tolerance ? NSC_OK : NSC_ITERATION_LIMIT;
}

static NSC_MAYBE_UNUSED int law_solve_4(nsc_problem *p, const nsc_settings *s, nsc_report *r) { return law_sides = 4, law_solve_sides(p, s, r); }
static NSC_MAYBE_UNUSED int law_solve_8(nsc_problem *p, const nsc_settings *s, nsc_report *r) { return law_sides = 8, law_solve_sides(p, s, r); }
static NSC_MAYBE_UNUSED int law_solve_16(nsc_problem *p, const nsc_settings *s, nsc_report *r) { return law_sides = 16, law_solve_sides(p, s, r); }

/* ---- restitution.  One contact after the other, that which approaches fastest first, goes through its impact: the normal impulse
   grows from 0, and friction follows Coulomb's law at each instant (Routh; Keller 1986).  Compression lasts until the contact
   no longer approaches.  The impact ends
       LAW_NEWTON    when it separates with the share e of the speed with which it came;
       LAW_POISSON   when the impulse since is the share e of that of compression;
       LAW_ENERGETIC when the normal work since is the share e^2 of that of compression (Stronge 1990).
   For a central impact these are the same.  What is then left of the step is solved by SIPGS without restitution. */
enum { LAW_NEWTON, LAW_POISSON, LAW_ENERGETIC };

/* u: relative velocity at the contact, l: its impulse so far; G 3 x 3, 00 01 02 11 12 22.  u and l become those of its end. */
static void law_impact(int rule, double e, double mu, const double *G, double *u, double *l)
{
    const double first = u[0], dp = -first / G[0] / 500;
    double share[2] = {0, 0}, done = 0, squeezed = 0, p_squeezed = 0, p = 0;
    int step, i, ends, opens = 0;
    for (step = 0; step < 100000; step++) {
        double t[2], next[3], reach, work, part = 1;
        int round;
        for (round = 0; round < 30; round++) { /* friction of this part, implicit in the sliding that it ends with */
            double rho = 1 / (G[3] + G[5]), change;
            t[0] = u[1] + dp * (G[1] + G[3] * share[0] + G[4] * share[1]);
            t[1] = u[2] + dp * (G[2] + G[4] * share[0] + G[5] * share[1]);
            for (i = 0; i < 2; i++) t[i] = share[i] - rho * t[i] / dp;
            reach = sqrt(t[0] * t[0] + t[1] * t[1]);
            for (i = 0; i < 2 && reach > mu; i++) t[i] *= mu / reach;
            change = fabs(t[0] - share[0]) + fabs(t[1] - share[1]);
            share[0] = t[0], share[1] = t[1];
            if (change < 1e-6) break;
        }
        next[0] = u[0] + dp * (G[0] + G[1] * share[0] + G[2] * share[1]);
        next[1] = u[1] + dp * (G[1] + G[3] * share[0] + G[4] * share[1]);
        next[2] = u[2] + dp * (G[2] + G[4] * share[0] + G[5] * share[1]);
        work = dp * (u[0] + next[0]) / 2;
        if (!opens) part = next[0] > 0 ? -u[0] / (next[0] - u[0]) : 1; /* the share of this part until it opens, or ends */
        else if (rule == LAW_NEWTON) part = (-e * first - u[0]) / (next[0] - u[0]);
        else if (rule == LAW_POISSON) part = ((1 + e) * p_squeezed - p) / dp;
        else part = (squeezed * (1 - e * e) - done) / work;
        ends = opens && part >= 0 && part <= 1;
        part = part >= 0 && part < 1 ? part : 1;
        for (i = 0; i < 3; i++) next[i] = u[i] + part * (next[i] - u[i]);
        done += part * dp * (u[0] + next[0]) / 2, p += part * dp;
        l[0] += part * dp, l[1] += part * dp * share[0], l[2] += part * dp * share[1];
        for (i = 0; i < 3; i++) u[i] = next[i];
        if (ends) return;
        if (!opens && u[0] >= -1e-12) opens = 1, squeezed = done, p_squeezed = p;
    }
}

enum { LAW_BLOCKS = 64 };
static double law_restitution; /* of all contacts */

static int law_solve_impacts(nsc_problem *p, const nsc_settings *s, nsc_report *r, int rule)
{
    static nsc_real v_free[6 * LAW_BLOCKS], bias[LAW_BLOCKS];
    double struck[LAW_BLOCKS][3];
    nsc_problem rest;
    int impact, n, i, code;
    if (p->block_count > LAW_BLOCKS || p->body_count > LAW_BLOCKS) return NSC_ERR_CAPACITY;
    memset(struck, 0, sizeof struck);
    memcpy(p->v, p->v_free, 6 * sizeof *p->v * (size_t)p->body_count);
    for (impact = 0; impact < 50; impact++) {
        double fastest = -0.01, u[3], l[3] = {0, 0, 0}, G[6];
        int which = -1;
        for (n = 0; n < p->block_count; n++) {
            nsc_block *k = &p->blocks[n];
            double speed = law_speed(p, k, 0);
            if (!(k->bias[0] < k->hi[0]) || speed + (double)k->hi[0] >= 0 || speed >= fastest) continue; /* a world keeps the bias
                                                                                         without restitution in hi */
            fastest = speed, which = n;
        }
        if (which < 0) break;
        for (i = 0; i < 3; i++) u[i] = i < p->blocks[which].rows ? law_speed(p, &p->blocks[which], i) : 0;
        for (i = 0; i < 6; i++) G[i] = (double)p->blocks[which].delassus[i];
        if (p->blocks[which].rows < 3) G[1] = G[2] = G[4] = 0, G[3] = G[5] = 1;
        law_impact(rule, law_restitution, (double)p->blocks[which].mu, G, u, l);
        for (i = 0; i < p->blocks[which].rows; i++) struck[which][i] += l[i], law_push(p, &p->blocks[which], i, l[i]);
    }
    if (impact == 0) return nsc_solve_sipgs(p, s, r);
    rest = *p;
    memcpy(v_free, p->v, 6 * sizeof *p->v * (size_t)p->body_count);
    rest.v_free = v_free;
    for (n = 0; n < p->block_count; n++) {
        nsc_block *k = &p->blocks[n];
        bias[n] = k->bias[0];
        if (k->bias[0] < k->hi[0]) k->bias[0] = k->hi[0];
        for (i = 0; i < 3; i++) k->lambda[i] = 0;
    }
    code = nsc_solve_sipgs(&rest, s, r);
    for (n = 0; n < p->block_count; n++) {
        p->blocks[n].bias[0] = bias[n];
        for (i = 0; i < 3; i++) p->blocks[n].lambda[i] += (nsc_real)struck[n][i];
    }
    return code;
}

static NSC_MAYBE_UNUSED int law_solve_newton(nsc_problem *p, const nsc_settings *s, nsc_report *r)
{
    return law_solve_impacts(p, s, r, LAW_NEWTON);
}

static NSC_MAYBE_UNUSED int law_solve_poisson(nsc_problem *p, const nsc_settings *s, nsc_report *r)
{
    return law_solve_impacts(p, s, r, LAW_POISSON);
}

static NSC_MAYBE_UNUSED int law_solve_energetic(nsc_problem *p, const nsc_settings *s, nsc_report *r)
{
    return law_solve_impacts(p, s, r, LAW_ENERGETIC);
}
#endif
