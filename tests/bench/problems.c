/* problems.c - every solver and law on problems nobody here wrote:  problems DATADIR
   Formats and origin of the data: problem_files.h.  Build once as it is and once with -DNSC_DOUBLE.

   The library never judges itself here: lambda is read back and measured in double against the
   numbers of the file, by the natural map e_i = (lambda_i - P(lambda_i - rho_i u_i)) / rho_i with
   rho_i = rows / trace(W_ii).  CONE has one objective and one u, so these are compared as well; a
   COULOMB or BOX answer need not be unique, so only its residual counts; impulses are never compared. */
#define NSC_IMPLEMENTATION
#include "problem_files.h"
#include "../harness/by.h"
#include <time.h>

enum { MAX_PROBLEMS = 256, CONTACT_PROBLEMS = 102, LCPS = 41, BUDGETS = 4 };
enum { DANTZIG_MAX_ROWS = 400 }; /* rows^3: beyond this it is not what the solver is for */

static const int budget[BUDGETS] = {100, 300, 1000, 3000};
static const int detailed = 2; /* index of the budget that is printed row by row */
static const int is_double = sizeof(nsc_real) == sizeof(double);

/* A row of methods[] each, in its order: a solver more is a name here and a row there. */
enum { SIPGS_COULOMB, SIPGS_CONE, SIPGS_BOX, APGD_COULOMB, APGD_CONE, BB_COULOMB, BB_CONE, DANTZIG_BOX, METHODS };

static const struct method {
    int solver, law, lcps; /* lcps: shown the LCPs as well, where all laws are one */
    const char *solver_name, *law_name;
} methods[METHODS] = {
    {NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 0, "SIPGS", "COULOMB"}, {NSC_SOLVER_SIPGS, NSC_LAW_CONE, 0, "SIPGS", "CONE"},
    {NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID, 1, "SIPGS", "PYRAMID"},         {NSC_SOLVER_APGD, NSC_LAW_COULOMB, 0, "APGD", "COULOMB"},
    {NSC_SOLVER_APGD, NSC_LAW_CONE, 1, "APGD", "CONE"},         {NSC_SOLVER_BB, NSC_LAW_COULOMB, 0, "BB", "COULOMB"},
    {NSC_SOLVER_BB, NSC_LAW_CONE, 1, "BB", "CONE"},             {NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 1, "DANTZIG", "PYRAMID"}};

/* Solvers that factorise: an iteration costs much more or less than another's, so each runs once, until it says that it is done.
   A solver more is a name and a row here as well. */
enum { NEWTON_CONE, BARRIER_CONE, AUTO_CONE, ADMM_CONE, NEWTON_COULOMB, BARRIER_COULOMB, AUTO_COULOMB, ADMM_COULOMB, FACTORISERS };

static const struct factoriser {
    struct method method;
    int barrier, iterations; /* settings        */
    double eta;              /* asked for in double */
} factorisers[FACTORISERS] = {{{NSC_SOLVER_NEWTON, NSC_LAW_CONE, 0, "NEWTON", "CONE"}, 0, 300, 1e-8},
                              {{NSC_SOLVER_NEWTON, NSC_LAW_CONE, 0, "NEWTON with barrier", "CONE"}, 1, 300, 1e-8},
                              {{NSC_SOLVER_AUTO, NSC_LAW_CONE, 0, "AUTO", "CONE"}, 0, 300, 1e-8},
                              {{NSC_SOLVER_ADMM, NSC_LAW_CONE, 0, "ADMM", "CONE"}, 0, 1000, 1e-6},
                              {{NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, "NEWTON", "COULOMB"}, 0, 300, 1e-9},
                              {{NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, "NEWTON with barrier", "COULOMB"}, 1, 300, 1e-9},
                              {{NSC_SOLVER_AUTO, NSC_LAW_COULOMB, 0, "AUTO", "COULOMB"}, 0, 300, 1e-9},
                              {{NSC_SOLVER_ADMM, NSC_LAW_COULOMB, 0, "ADMM", "COULOMB"}, 0, 1000, 1e-6}};
static const double eta_in_float = 1e-4;
enum { MOST_CONTACTS = 200, PROBLEMS_TO_MOST = 95 }; /* COULOMB has no descent: what is larger is run and not demanded */

/* Those left to stop by themselves */
enum { LONERS = 2 };
static const int loners[LONERS] = {APGD_COULOMB, BB_COULOMB};

/* What the judge says of one lambda. */
typedef struct verdict {
    double residual, eta;             /* [m/s], energy ratio                                          */
    double kkt;                       /* residual / max|q|                                            */
    double gap, u_gap;                /* CONE: (f - f_ref)/|f_ref|, max|u - u_ref| / max|q|           */
    double residual_scale, eta_scale; /* one rounding of every number at work moves them by eps times */
} verdict;

/* One method on one problem. */
typedef struct outcome {
    int ran, status, iterations; /* of the detailed budget */
    int factorizations;
    int last_status;             /* of the largest one     */
    double seconds;
    double eta[BUDGETS]; /* -1: not run */
    verdict detail;
} outcome;

static char group_of[MAX_PROBLEMS][4]; /* fc, si, re, lcp */
static char name_of[MAX_PROBLEMS][64];
static double floor_of[MAX_PROBLEMS]; /* relative KKT of the stored LCP answer once rounded to nsc_real */
static int problem_count, contact_count;
static outcome outcomes[MAX_PROBLEMS][METHODS];
static outcome stall_runs[MAX_PROBLEMS][LONERS];
static outcome factor_runs[MAX_PROBLEMS][FACTORISERS];
static int contacts_of[MAX_PROBLEMS];
static int passed, failed, skipped;

static int check(int ok, const char *what, const char *name, double measured, double demanded)
{
    ok ? passed++ : failed++;
    if (!ok) printf("FAILED  %s: %s, measured %.3g, demanded %.3g\n", what, name, measured, demanded);
    return ok;
}

/* ---- the judge ------------------------------------------------------------------------------- */

static void judge_project(const problem_file *f, int law, int block, double normal, double *x)
{
    double mu = f->contacts > 0 ? f->mu[block] : 0.0, t = hypot(x[1], x[2]), n = (x[0] + mu * t) / (1.0 + mu * mu);
    double bound = mu * fmax(normal, 0.0);
    if (f->contacts == 0) {
        x[0] = fmin(fmax(x[0], f->lo[block]), f->hi[block]);
    } else if (law == NSC_LAW_PYRAMID) {
        x[0] = fmax(x[0], 0.0);
        x[1] = fmin(fmax(x[1], -bound), bound);
        x[2] = fmin(fmax(x[2], -bound), bound);
    } else if (t > mu * x[0]) {
        if (n <= 0.0) n = t = 0.0; /* in the polar cone */
        x[0] = n;
        x[1] *= t > 0.0 ? mu * n / t : 0.0;
        x[2] *= t > 0.0 ? mu * n / t : 0.0;
    }
}

static double judge_rho(const problem_file *f, int rows, int first)
{
    double trace = 0.0;
    for (int i = first; i < first + rows; i++) trace += f->W[i * f->rows + i];
    return trace > 0.0 ? rows / trace : 0.0;
}

/* u = W lambda + q, and the sum of what was added in each row */
static void judge_velocity(const problem_file *f, const double *lambda, double *u, double *scale)
{
    for (int i = 0; i < f->rows; i++) {
        u[i] = f->q[i];
        scale[i] = fabs(f->q[i]);
        for (int j = 0; j < f->rows; j++) {
            u[i] += f->W[i * f->rows + j] * lambda[j];
            scale[i] += fabs(f->W[i * f->rows + j] * lambda[j]);
        }
    }
}

static verdict judge(const problem_file *f, int law, const double *lambda)
{
    static double u[FILE_MAX_ROWS], scale[FILE_MAX_ROWS];
    int rows = f->contacts > 0 ? 3 : 1;
    double sum_e = 0.0, sum_q = 0.0, sum_s = 0.0, max_q = 0.0, objective = 0.0, u_gap = 0.0;
    verdict v;
    memset(&v, 0, sizeof v);
    judge_velocity(f, lambda, u, scale);
    for (int k = 0; k < f->rows; k += rows) {
        double rho = judge_rho(f, rows, k), x[3] = {0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0}, e2 = 0.0, s2 = 0.0;
        for (int i = 0; i < rows; i++) w[i] = u[k + i];
        if (rows == 3 && law == NSC_LAW_COULOMB) w[0] += f->mu[k / 3] * hypot(w[1], w[2]);
        for (int i = 0; i < rows; i++) x[i] = lambda[k + i] - rho * w[i];
        judge_project(f, law, k / rows, lambda[k], x);
        for (int i = 0; i < rows; i++) {
            double e = rho > 0.0 ? (lambda[k + i] - x[i]) / rho : 0.0;
            double s = scale[k + i] + (rho > 0.0 ? fabs(lambda[k + i]) / rho : 0.0);
            e2 += e * e, s2 += s * s;
            sum_q += rho * f->q[k + i] * f->q[k + i];
            objective += 0.5 * lambda[k + i] * (u[k + i] + f->q[k + i]);
            max_q = fmax(max_q, fabs(f->q[k + i]));
            if (f->cone_u) u_gap = fmax(u_gap, fabs(u[k + i] - f->cone_u[k + i]));
        }
        sum_e += rho * e2, sum_s += rho * s2;
        v.residual = e2 >= 0.0 ? fmax(v.residual, sqrt(e2)) : e2;
        v.residual_scale = fmax(v.residual_scale, sqrt(s2));
    }
    v.eta = sum_q > 0.0 ? sqrt(sum_e / sum_q) : 0.0;
    v.eta_scale = sum_q > 0.0 ? sqrt(sum_s / sum_q) * (1.0 + v.eta) : 0.0;
    v.kkt = max_q > 0.0 ? v.residual / max_q : v.residual;
    v.gap = f->cone && fabs(f->objective) > 0.0 ? (objective - f->objective) / fabs(f->objective) : 0.0;
    v.u_gap = max_q > 0.0 ? u_gap / max_q : u_gap;
    return v;
}

/* The answers that come with the data judge the judge. */
static void check_answer(const problem_file *f)
{
    verdict v = judge(f, NSC_LAW_CONE, f->cone);
    check(v.kkt < 1e-9 && fabs(v.gap) < 1e-8 && v.u_gap < 1e-8, "stored answer, relative residual", f->name, v.kkt, 1e-9);
    for (int i = 0; i < f->rows; i++) f->cone[i] = (double)(nsc_real)f->cone[i];
    floor_of[problem_count] = judge(f, NSC_LAW_CONE, f->cone).kkt;
    if (f->coulomb) v = judge(f, NSC_LAW_COULOMB, f->coulomb);
    if (f->coulomb) check(v.kkt < 1e-5, "stored Coulomb answer, relative residual", f->name, v.kkt, 1e-5);
}

/* The library's own report against the judge.  In float the library works on rounded numbers: each
   enters with a relative error eps, and the sums over a body's contacts round a few dozen times more,
   with signs that mostly cancel.  P is a contraction, so e moves no further than u and lambda/rho do:
   a few eps of the sum of absolute values.  Met: 3.2; 16 leaves room for cancellation inside J v. */
static double report_bound(double measured, double scale)
{
    double rounding = 16.0 * (double)NSC_REAL_EPS * scale;
    return is_double ? 1e-6 * measured + 1e-12 + rounding : rounding;
}

static double worst_report; /* largest share of the bound used */

static void check_report(const problem_file *f, const struct method *m, const nsc_report *r, const verdict *v)
{
    char what[64];
    double residual_off = fabs((double)r->residual - v->residual) / report_bound(v->residual, v->residual_scale);
    double eta_off = fabs((double)r->eta - v->eta) / report_bound(v->eta, v->eta_scale);
    double off = fmax(residual_off, eta_off);
    int ok = residual_off <= 1.0 && eta_off <= 1.0;
    worst_report = fmax(worst_report, off);
    snprintf(what, sizeof what, "%s %s reports another residual than measured (x bound)", m->solver_name, m->law_name);
    check(ok, what, f->name, off, 1.0);
}

static void check_status(const problem_file *f, const struct method *m, int status)
{
    char what[64];
    snprintf(what, sizeof what, "%s %s, status", m->solver_name, m->law_name);
    check(status >= 0, what, f->name, status, 0);
}

/* ---- running --------------------------------------------------------------------------------- */

static nsc_settings cold_settings(const struct method *m, int iterations)
{
    nsc_settings s = nsc_default_settings();
    s.law = m->law;
    s.warm_start = 0;
    s.tolerance = NSC_R(0.0);
    s.max_iterations = iterations;
    return s;
}

static outcome run(problem_file *f, const struct method *m, const nsc_settings *s)
{
    static double lambda[FILE_MAX_ROWS];
    outcome o;
    nsc_report r;
    clock_t start = clock();
    memset(&o, 0, sizeof o);
    o.ran = 1;
    o.status = solver_of(m->solver)(&f->problem, s, &r);
    o.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    o.iterations = r.iterations;
    o.factorizations = r.factorizations;
    for (int k = 0; k < f->problem.block_count; k++)
        for (int i = 0; i < f->problem.blocks[k].rows; i++)
            lambda[f->problem.blocks[k].row + i] = (double)f->problem.blocks[k].lambda[i];
    o.detail = judge(f, s->law, lambda);
    check_status(f, m, o.status);
    if (o.status >= 0) check_report(f, m, &r, &o.detail);
    return o;
}

/* All budgets of one method.  DANTZIG knows none: it runs once, in the column of the detailed one. */
static void run_budgets(problem_file *f, int method, outcome *result)
{
    const struct method *m = &methods[method];
    double eta[BUDGETS];
    int last = NSC_OK;
    for (int b = 0; b < BUDGETS; b++) {
        nsc_settings s = cold_settings(m, budget[b]);
        outcome o;
        eta[b] = -1.0;
        if (m->solver == NSC_SOLVER_DANTZIG && b != detailed) continue;
        if (budget[b] > 1000 && (m->law != NSC_LAW_CONE || f->contacts == 0)) continue;
        o = run(f, m, &s);
        eta[b] = o.detail.eta;
        last = o.status;
        if (b == detailed) *result = o;
    }
    memcpy(result->eta, eta, sizeof eta);
    result->last_status = last;
}

/* A tolerance in m/s that this eta follows from: all e_i as large as eta times the mean q. */
static nsc_real tolerance_of(const problem_file *f, double eta)
{
    double sum_q = 0.0, sum_rho = 0.0;
    for (int k = 0; k < f->rows; k += 3) {
        double rho = judge_rho(f, 3, k);
        sum_rho += rho;
        for (int i = k; i < k + 3; i++) sum_q += rho * f->q[i] * f->q[i];
    }
    return (nsc_real)(eta * sqrt(sum_q / sum_rho));
}

static void run_until_stopped(problem_file *f, int method, outcome *result)
{
    nsc_settings s = cold_settings(&methods[method], 20000);
    s.stall_window = 100;
    s.tolerance = tolerance_of(f, 1e-3);
    *result = run(f, &methods[method], &s);
}

static void run_factoriser(problem_file *f, int which, outcome *result)
{
    const struct factoriser *g = &factorisers[which];
    nsc_settings s = cold_settings(&g->method, g->iterations);
    s.barrier = g->barrier;
    s.max_factorizations = g->iterations;
    s.tolerance = tolerance_of(f, is_double ? g->eta : eta_in_float);
    *result = run(f, &g->method, &s);
}

static const char *status_name(int status)
{
    static const char *names[] = {"ok", "max-iterations", "stalled", "singular", "stopped"};
    return status < 0 || status > NSC_STOPPED ? "error" : names[status];
}

static void print_row(const problem_file *f, const struct method *m, const outcome *o)
{
    const verdict *v = &o->detail;
    printf("%-38s %4d %-7s %-7s %5d %4d %9.3f %-14s %9.2e %9.2e", f->name, f->contacts > 0 ? f->contacts : f->rows,
           m->solver_name, f->contacts > 0 ? m->law_name : "-", o->iterations, o->factorizations, 1e3 * o->seconds,
           status_name(o->status), v->residual, v->eta);
    if (f->contacts > 0 && m->law == NSC_LAW_CONE && f->cone) printf(" %10.2e %9.2e\n", v->gap, v->u_gap);
    else printf(" %10s %9s\n", "-", "-");
}

static int method_applies(const problem_file *f, int method)
{
    return (f->contacts > 0 || methods[method].lcps);
}

static void run_problem(problem_file *f, int index)
{
    if (index == 0)
        printf("problem, contacts (LCP: rows), solver, law, iterations, factorisations, ms, status, residual [m/s], eta, objective gap, u gap\n");
    for (int m = 0; m < METHODS; m++) {
        if (!method_applies(f, m)) continue;
        if (m == DANTZIG_BOX && f->rows > DANTZIG_MAX_ROWS) {
            printf("skipped: %s, %d contacts, DANTZIG: %d rows > %d\n", f->name, f->contacts, f->rows, DANTZIG_MAX_ROWS);
            skipped++;
            continue;
        }
        run_budgets(f, m, &outcomes[index][m]);
        print_row(f, &methods[m], &outcomes[index][m]);
    }
    for (int i = 0; i < LONERS; i++)
        if (method_applies(f, loners[i]) && f->contacts > 0) run_until_stopped(f, loners[i], &stall_runs[index][i]);
    for (int i = 0; i < FACTORISERS; i++) {
        if (f->contacts == 0) continue;
        run_factoriser(f, i, &factor_runs[index][i]);
        print_row(f, &factorisers[i].method, &factor_runs[index][i]);
    }
}

/* A file cut short must be refused.  Eighths of it, as a full disc would leave them. */
static void check_damage(const char *path, const char *name)
{
    for (long eighth = 0; eighth < 8; eighth++) {
        FILE *in = fopen(path, "rb"), *cut = tmpfile();
        long size, i;
        problem_file f;
        int c, ok = 0;
        if (in && cut) {
            fseek(in, 0, SEEK_END);
            size = ftell(in);
            rewind(in);
            for (i = 0; i < size * eighth / 8 && (c = getc(in)) != EOF; i++) putc(c, cut);
            rewind(cut);
            ok = !problem_file_read(&f, cut);
            if (!ok) problem_file_free(&f);
            check(ok, "file cut short was accepted, eighths", name, (double)eighth, 0.0);
        }
        if (in) fclose(in);
        if (cut) fclose(cut);
    }
}

static void load_and_run(const char *dir, int is_lcp, const char *name)
{
    char path[2][1024];
    static problem_file f;
    FILE *in, *answer;
    snprintf(path[0], sizeof path[0], is_lcp ? "%s/lcp/%s.blcp" : "%s/fclib/%s.fcp", dir, name);
    snprintf(path[1], sizeof path[1], is_lcp ? "%s/lcp/%s.sol" : "%s/fclib/ref/%s.ref", dir, name);
    in = fopen(path[0], "r");
    if (check(in && problem_file_read(&f, in), "problem cannot be read", path[0], 0, 1)) {
        answer = fopen(path[1], "r");
        if (check(answer && problem_file_read_answer(&f, answer), "answer cannot be read", path[1], 0, 1))
            check_answer(&f);
        if (answer) fclose(answer);
        if (f.rows < 100) check_damage(path[0], name);
        snprintf(name_of[problem_count], sizeof name_of[0], "%s", name);
        snprintf(group_of[problem_count], sizeof group_of[0], "%.*s", is_lcp ? 3 : 2, is_lcp ? "lcp" : name);
        contacts_of[problem_count] = f.contacts;
        run_problem(&f, problem_count++);
        contact_count += !is_lcp;
        problem_file_free(&f);
    }
    if (in) fclose(in);
}

/* The names are the first column of a table that comes with the data; C99 cannot list a folder. */
static void run_folder(const char *dir, int is_lcp)
{
    char path[1024], line[4096];
    FILE *list;
    snprintf(path, sizeof path, "%s/%s", dir, is_lcp ? "lcp/catalog.csv" : "fclib/reference.csv");
    list = fopen(path, "r");
    while (list && problem_count < MAX_PROBLEMS && fgets(line, sizeof line, list)) {
        char name[64], scope[8] = "in";
        if (sscanf(line, "%63[^,\n]", name) != 1 || strcmp(name, "name") == 0) continue;
        if (is_lcp && sscanf(line, "%*[^,],%*[^,],%*[^,],%7[^,]", scope) != 1) continue;
        if (strcmp(scope, "in") == 0) load_and_run(dir, is_lcp, name);
    }
    if (list) fclose(list);
}

/* ---- summary --------------------------------------------------------------------------------- */

static int in_group(int p, const char *group)
{
    return strcmp(group, "all") == 0 ? strcmp(group_of[p], "lcp") != 0 : strcmp(group, group_of[p]) == 0;
}

/* Problems of a group with eta below limit; -1 if the budget was not run. */
static int count_below(const char *group, int method, int b, double limit)
{
    int n = 0, ran = 0;
    for (int p = 0; p < problem_count; p++) {
        const outcome *o = &outcomes[p][method];
        if (!in_group(p, group) || !o->ran || o->eta[b] < 0.0) continue;
        ran++;
        n += o->eta[b] < limit;
    }
    return ran > 0 ? n : -1;
}

static void print_count(int n)
{
    if (n < 0) printf(" - |");
    else printf(" %d |", n);
}

static void print_summary_row(const char *group, int method)
{
    int ran = 0, status[6] = {0, 0, 0, 0, 0, 0}, comma = 0;
    double seconds = 0.0;
    for (int p = 0; p < problem_count; p++) {
        const outcome *o = &outcomes[p][method];
        if (!in_group(p, group) || !o->ran) continue;
        ran++;
        seconds += o->seconds;
        status[o->status < 0 ? 5 : o->status]++;
    }
    if (ran == 0) return;
    printf("| %s | %s | %s | %d |", group, methods[method].solver_name,
           strcmp(group, "lcp") == 0 ? "-" : methods[method].law_name, ran);
    for (int b = 0; b < BUDGETS; b++) print_count(count_below(group, method, b, 1e-3));
    print_count(count_below(group, method, detailed, 1e-4));
    for (int s = 0; s < 6; s++)
        if (status[s] > 0) printf("%s %d %s", comma++ ? "," : "", status[s], status_name(s < 5 ? s : -1));
    printf(" | %.3f |\n", seconds);
}

static void print_summary(void)
{
    static const char *groups[] = {"fc", "si", "re", "all", "lcp"};
    printf("\nProblems with eta below 1e-3 after so many iterations from a cold start; statuses and time of the\n"
           "run of %d.  DANTZIG has no iterations to count: its answer stands under %d.  nsc_real is %s.\n\n",
           budget[detailed], budget[detailed], is_double ? "double" : "float");
    printf("| group | solver | law | problems | 1e-3: 100 | 300 | 1000 | 3000 | 1e-4: 1000 | status | time [s] |\n"
           "|---|---|---|--:|--:|--:|--:|--:|--:|---|--:|\n");
    for (int g = 0; g < 5; g++)
        for (int m = 0; m < METHODS; m++) print_summary_row(groups[g], m);
}

/* Problems with up to that many contacts, of which a solver that factorises left less eta than the limit; -1: it did not run */
static int count_factored(int which, double limit, int most_contacts)
{
    int n = 0, ran = 0;
    for (int p = 0; p < problem_count; p++) {
        const outcome *o = &factor_runs[p][which];
        if (!o->ran || contacts_of[p] > most_contacts) continue;
        ran++;
        n += o->detail.eta < limit;
    }
    return ran > 0 ? n : -1;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Factorisations over all problems, in order; returns how many there are */
static int sort_factorizations(int which, int *sorted)
{
    int n = 0;
    for (int p = 0; p < problem_count; p++)
        if (factor_runs[p][which].ran) sorted[n++] = factor_runs[p][which].factorizations;
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return n;
}

static void print_factorisers(void)
{
    static const double limits[4] = {1e-4, 1e-6, 1e-8, 1e-9};
    printf("\nSolvers that factorise, from a cold start until the tolerance: problems with eta below so much.\n\n"
           "| solver | law | asked for | problems | 1e-4 | 1e-6 | 1e-8 | 1e-9 | factorisations: median | 9 of 10 | most | ok | time [s] |\n"
           "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int m = 0; m < FACTORISERS; m++) {
        const struct method *g = &factorisers[m].method;
        int sorted[MAX_PROBLEMS], n = sort_factorizations(m, sorted), ok = 0;
        double seconds = 0.0;
        if (n == 0) {
            printf("| %s | %s | | not in this build |\n", g->solver_name, g->law_name);
            continue;
        }
        for (int p = 0; p < problem_count; p++) {
            seconds += factor_runs[p][m].seconds;
            ok += factor_runs[p][m].ran && factor_runs[p][m].status == NSC_OK;
        }
        printf("| %s | %s | %.0e | %d |", g->solver_name, g->law_name, is_double ? factorisers[m].eta : eta_in_float, n);
        for (int l = 0; l < 4; l++) print_count(count_factored(m, limits[l], FILE_MAX_ROWS));
        printf(" %d | %d | %d | %d | %.3f |\n", sorted[n / 2], sorted[n * 9 / 10], sorted[n - 1], ok, seconds);
    }
}

static void print_failing(void)
{
    printf("\nProblems with eta >= 1e-3 at the largest budget\n");
    for (int m = 0; m < METHODS; m++)
        for (int p = 0; p < problem_count; p++) {
            const outcome *o = &outcomes[p][m];
            int b = BUDGETS - 1;
            while (b > 0 && o->eta[b] < 0.0) b--;
            if (!o->ran || o->eta[b] < 1e-3) continue;
            printf("%-38s %-7s %-7s %5d  eta %.2e  %s\n", name_of[p], methods[m].solver_name,
                   in_group(p, "lcp") ? "-" : methods[m].law_name, budget[b], o->eta[b], status_name(o->last_status));
        }
}

/* ---- gates ----------------------------------------------------------------------------------- */

/* complete: all the problems the demand speaks of were there */
static void gate(const char *what, int measured, int demanded, int complete)
{
    if (complete) printf("%-7s %s: measured %d, demanded %d\n", measured >= demanded ? "ok" : "FAILED", what, measured, demanded);
    else printf("skipped %s: problems missing or solver compiled out\n", what);
    if (!complete) skipped++;
    else if (measured >= demanded) passed++;
    else failed++;
}

static void gate_shares(void)
{
    static const struct share {
        int method, budget, demanded;
        double limit;
    } shares[] = {{SIPGS_COULOMB, 0, 61, 1e-3}, {SIPGS_COULOMB, 1, 79, 1e-3}, {SIPGS_COULOMB, 2, 95, 1e-3},
                  {APGD_CONE, 1, 90, 1e-3},     {APGD_CONE, 2, 91, 1e-4},     {APGD_CONE, 3, 102, 1e-3},
                  {APGD_COULOMB, 2, 85, 1e-3},  {BB_CONE, 3, 102, 1e-3},      {BB_COULOMB, 2, 95, 1e-3}};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        const struct share *g = &shares[i];
        char what[96];
        if (!is_double && g->limit < 1e-3) continue; /* float promises the shares at 1e-3 only */
        snprintf(what, sizeof what, "%s %s, eta < %.0e after %d", methods[g->method].solver_name,
                 methods[g->method].law_name, g->limit, budget[g->budget]);
        gate(what, count_below("all", g->method, g->budget, g->limit), g->demanded,
             contact_count == CONTACT_PROBLEMS);
    }
}

/* Float promises 1e-4 only. */
static void gate_factorisers(void)
{
    static const struct demand {
        int which, is_double, demanded;
        double limit;
        int most_contacts;
    } demands[] = {{NEWTON_CONE, 1, 102, 1e-8, FILE_MAX_ROWS},   {BARRIER_CONE, 1, 102, 1e-8, FILE_MAX_ROWS},
                   {AUTO_CONE, 1, 102, 1e-8, FILE_MAX_ROWS},     {NEWTON_COULOMB, 1, 92, 1e-9, MOST_CONTACTS},
                   {AUTO_COULOMB, 1, 92, 1e-9, MOST_CONTACTS},   {ADMM_CONE, 1, 95, 1e-4, FILE_MAX_ROWS},
                   {ADMM_CONE, 1, 90, 1e-6, FILE_MAX_ROWS},      {NEWTON_CONE, 0, 102, 1e-4, FILE_MAX_ROWS},
                   {BARRIER_CONE, 0, 102, 1e-4, FILE_MAX_ROWS},  {AUTO_CONE, 0, 102, 1e-4, FILE_MAX_ROWS},
                   {NEWTON_COULOMB, 0, 95, 1e-4, MOST_CONTACTS}, {BARRIER_COULOMB, 0, 95, 1e-4, MOST_CONTACTS},
                   {AUTO_COULOMB, 0, 95, 1e-4, MOST_CONTACTS},   {ADMM_CONE, 0, 95, 1e-4, FILE_MAX_ROWS}};
    for (size_t i = 0; i < sizeof demands / sizeof demands[0]; i++) {
        const struct demand *g = &demands[i];
        const struct factoriser *m = &factorisers[g->which];
        int measured = count_factored(g->which, g->limit, g->most_contacts);
        char what[128];
        if (g->is_double != is_double) continue;
        snprintf(what, sizeof what, "%s %s, eta < %.0e%s", m->method.solver_name, m->method.law_name, g->limit,
                 g->most_contacts == MOST_CONTACTS ? ", up to 200 contacts" : "");
        gate(what, measured, g->demanded, contact_count == CONTACT_PROBLEMS && measured >= 0);
    }
}

/* COULOMB on all problems, however many contacts they have.  Cold, asked for 1e-9, without a bound on factorisations. */
static void gate_coulomb(void)
{
    static const int which[2] = {NEWTON_COULOMB, AUTO_COULOMB};
    for (int i = 0; i < 2 && is_double; i++) {
        int sorted[MAX_PROBLEMS], n = sort_factorizations(which[i], sorted), few = 0;
        char what[96];
        while (few < n && sorted[few] <= 120) few++;
        snprintf(what, sizeof what, "%s COULOMB, eta < 1e-8", factorisers[which[i]].method.solver_name);
        gate(what, count_factored(which[i], 1e-8, FILE_MAX_ROWS), CONTACT_PROBLEMS, n == CONTACT_PROBLEMS);
        printf("        %s COULOMB: most factorisations %d\n", factorisers[which[i]].method.solver_name, n > 0 ? sorted[n - 1] : 0);
        snprintf(what, sizeof what, "%s COULOMB, eta < 1e-9 asked, at most 120 factorisations", factorisers[which[i]].method.solver_name);
        gate(what, few, CONTACT_PROBLEMS, n == CONTACT_PROBLEMS);
    }
}

/* What the barrier is for: few factorisations. */
static void gate_barrier(void)
{
    int sorted[MAX_PROBLEMS], n = sort_factorizations(BARRIER_CONE, sorted), few = 0, some = 0, half = 0;
    while (few < n && sorted[few] <= 24) few++;
    if (n > 0)
        printf("        NEWTON with barrier CONE: median %d factorisations, at most 24 on %d of %d, most %d\n", sorted[n / 2], few, n,
               sorted[n - 1]);
    if (!is_double) return;
    gate("NEWTON with barrier CONE, at most 24 factorisations", few, 99, n == CONTACT_PROBLEMS);
    while (some < n && sorted[some] <= 40) some++;
    while (half < n && sorted[half] <= 14) half++;
    gate("NEWTON with barrier CONE, at most 40 factorisations", some, CONTACT_PROBLEMS, n == CONTACT_PROBLEMS);
    gate("NEWTON with barrier CONE, at most 14 factorisations", half, CONTACT_PROBLEMS / 2, n == CONTACT_PROBLEMS);
}

/* One method solves no fewer problems than another. */
static void gate_against(void)
{
    static const struct pair {
        int method, other, budget;
        double limit;
    } pairs[] = {{BB_CONE, APGD_CONE, 1, 1e-3}, {BB_CONE, APGD_CONE, 2, 1e-3}, {BB_CONE, APGD_CONE, 2, 1e-4}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct pair *g = &pairs[i];
        const struct method *m = &methods[g->method], *n = &methods[g->other];
        int measured = count_below("all", g->method, g->budget, g->limit), demanded = count_below("all", g->other, g->budget, g->limit);
        char what[96];
        snprintf(what, sizeof what, "%s %s no worse than %s %s, eta < %.0e after %d", m->solver_name, m->law_name, n->solver_name,
                 n->law_name, g->limit, budget[g->budget]);
        gate(what, measured, demanded, contact_count == CONTACT_PROBLEMS && measured >= 0 && demanded >= 0);
    }
}

/* Every run must end by itself and say truly how: ok within tolerance, or stalled. */
static void gate_stall(int loner)
{
    const struct method *m = &methods[loners[loner]];
    int n = 0, stalled = 0;
    char what[96];
    for (int p = 0; p < problem_count; p++) {
        const outcome *o = &stall_runs[p][loner];
        double allowed = 1e-3 + report_bound(1e-3, o->detail.eta_scale);
        if (!o->ran) continue;
        stalled += o->status == NSC_STALLED;
        if (o->status == NSC_STALLED || (o->status == NSC_OK && o->detail.eta <= allowed)) n++;
        else printf("        %s: %s, eta %.2e, %d iterations\n", name_of[p], status_name(o->status), o->detail.eta, o->iterations);
    }
    if (n > 0) printf("        %s %s left to stop by itself: %d reached the tolerance, %d stalled\n", m->solver_name, m->law_name, n - stalled, stalled);
    snprintf(what, sizeof what, "%s %s ends ok (eta <= 1e-3) or stalled", m->solver_name, m->law_name);
    gate(what, n, CONTACT_PROBLEMS, contact_count == CONTACT_PROBLEMS);
}

/* The floor of float arithmetic: the best eta over all budgets. */
static void gate_floor(int method)
{
    int n = 0;
    char what[96];
    for (int p = 0; p < problem_count; p++) {
        double best = HUGE_VAL;
        for (int b = 0; b < BUDGETS; b++) {
            const outcome *o = &outcomes[p][method];
            if (o->ran && o->eta[b] >= 0.0) best = fmin(best, o->eta[b]);
        }
        n += !in_group(p, "lcp") && best < 1e-4;
    }
    snprintf(what, sizeof what, "%s %s in float, best eta < 1e-4", methods[method].solver_name, methods[method].law_name);
    gate(what, n, CONTACT_PROBLEMS - 5, contact_count == CONTACT_PROBLEMS);
}

static void gate_lcps(void)
{
    double limit = is_double ? 1e-9 : 1e-4;
    char what[64];
    int n = 0, ran = 0;
    for (int p = 0; p < problem_count; p++) {
        const outcome *o = &outcomes[p][DANTZIG_BOX];
        if (!in_group(p, "lcp") || !o->ran) continue;
        ran++;
        n += o->detail.kkt <= fmax(limit, 4.0 * floor_of[p]); /* nothing rounded to nsc_real can be asked for more */
        if (o->detail.kkt > limit)
            printf("        %s: relative KKT %.2e, %s; the exact answer rounded to nsc_real has %.2e\n", name_of[p],
                   o->detail.kkt, status_name(o->status), floor_of[p]);
    }
    snprintf(what, sizeof what, "DANTZIG on LCPs, relative KKT <= %.0e", limit);
    gate(what, n, LCPS, ran == LCPS);
}

int main(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : ".";
    run_folder(dir, 0);
    run_folder(dir, 1);
    if (problem_count > 0) print_summary();
    if (problem_count > 0) print_factorisers();
    if (problem_count > 0) print_failing();
    if (problem_count == 0)
        printf("No problems in %s.  They are not part of nsc: build them from https://github.com/FrictionalContactLibrary and\n"
               "https://github.com/siconos/siconos (README.md of the data); formats: tests/bench/problem_files.h.\n"
               "Wanted: fclib/reference.csv, fclib/NAME.fcp, fclib/ref/NAME.ref, lcp/catalog.csv, lcp/NAME.blcp, lcp/NAME.sol\n", dir);
    printf("\nGates, nsc_real is %s\n", is_double ? "double" : "float");
    gate_shares();
    gate_against();
    gate_factorisers();
    gate_coulomb();
    gate_barrier();
    for (int i = 0; i < LONERS; i++) gate_stall(i);
    if (!is_double) gate_floor(APGD_CONE), gate_floor(BB_CONE);
    gate_lcps();
    if (problem_count > 0) printf("        largest difference of a report from the judge: %.2g of the bound\n", worst_report);
    printf("problems, %s: %d passed, %d failed, %d skipped\n", sizeof(nsc_real) == 8 ? "double" : "float", passed, failed, skipped);
    return failed > 0;
}
