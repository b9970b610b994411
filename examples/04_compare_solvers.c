/* One contact problem, every solver and law: a table, and of those by Coulomb's law a plot,
   build/convergence.svg.  NEWTON sweeps 50 times before its first iteration; DANTZIG heeds no limit.
   Files: nsc.h and nsc_solvers.h, and all of kit/ that nsc_all_solvers.h names, as it compares every
   solver, and nsc_problem.h, for a step's problem.
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 04_compare_solvers.c -lm */
#define NSC_ARENA NSC_ARENA_DANTZIG(3 * NSC_MAX_CONTACTS) /* of all that are compared the largest */
#define NSC_IMPLEMENTATION
#include "nsc_all_solvers.h"
#include "nsc.h"
#include "nsc_problem.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { METHODS = 15, DRAWN = 6, POINTS = 40, MOST = 2000 }; /* drawn are those by Coulomb's law */
static const struct { nsc_solver *solve; int law, barrier; const char *name, *colour; } methods[METHODS] = {
    {nsc_solve_sipgs, NSC_LAW_COULOMB, 0, "SIPGS COULOMB", "#1f77b4"},   {nsc_solve_apgd, NSC_LAW_COULOMB, 0, "APGD COULOMB", "#d62728"},
    {nsc_solve_bb, NSC_LAW_COULOMB, 0, "BB COULOMB", "#ff7f0e"},         {nsc_solve_admm, NSC_LAW_COULOMB, 0, "ADMM COULOMB", "#2ca02c"},
    {nsc_solve_newton, NSC_LAW_COULOMB, 0, "NEWTON COULOMB", "#9467bd"}, {nsc_solve_auto, NSC_LAW_COULOMB, 0, "AUTO COULOMB", "#000000"},
    {nsc_solve_sipgs, NSC_LAW_CONE, 0, "SIPGS CONE", "#1f77b4"},         {nsc_solve_apgd, NSC_LAW_CONE, 0, "APGD CONE", "#d62728"},
    {nsc_solve_bb, NSC_LAW_CONE, 0, "BB CONE", "#ff7f0e"},               {nsc_solve_admm, NSC_LAW_CONE, 0, "ADMM CONE", "#2ca02c"},
    {nsc_solve_newton, NSC_LAW_CONE, 0, "NEWTON CONE", "#9467bd"},       {nsc_solve_newton, NSC_LAW_CONE, 1, "NEWTON CONE, barrier", "#e377c2"},
    {nsc_solve_auto, NSC_LAW_CONE, 0, "AUTO CONE", "#000000"},
    {nsc_solve_sipgs, NSC_LAW_PYRAMID, 0, "SIPGS PYRAMID", "#1f77b4"},   {nsc_solve_dantzig, NSC_LAW_PYRAMID, 0, "DANTZIG PYRAMID, pivots", "#7f7f7f"}};
static nsc_world world;

/* Five cubes in a leaning stack, the middle one struck, the top one ten times as heavy: the problem of their first step. */
static int make_problem(nsc_problem *p)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), cube = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    int i;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return -1;
    for (i = 0; i < 5; i++) {
        nsc_body_def body = nsc_default_body_def();
        nsc_id id;
        body.pose.position.x = NSC_R(0.05) * (nsc_real)i;
        body.pose.position.z = NSC_R(0.5) + (nsc_real)i;
        body.velocity.x = i == 2 ? NSC_R(1.0) : NSC_R(0.0);
        id = nsc_world_add_body(&world, &body);
        cube.density = i == 4 ? NSC_R(10.0) : NSC_R(1.0);
        if (nsc_world_add_shape(&world, id, &cube) < 0) return -1;
    }
    return nsc_world_problem(&world, NSC_R(1.0) / NSC_R(240.0), 0, p); /* the stack is one island */
}

static nsc_report run(nsc_problem *p, int method, int iterations)
{
    nsc_settings s = nsc_default_settings();
    nsc_report r;
    s.law = methods[method].law;
    s.barrier = methods[method].barrier;
    s.max_iterations = iterations;
    s.check_interval = 1;
    s.warm_start = 0;
    s.passes = 64;
    methods[method].solve(p, &s, &r);
    return r;
}

/* residual [m/s], 1e-8 .. 10, against iteration, 1 .. MOST, both logarithmic */
static double plot_x(double iteration) { return 76.0 + 460.0 * log10(iteration) / log10((double)MOST); }
static double plot_y(double residual) { return 24.0 + 324.0 * (1.0 - log10(residual)) / 9.0; }

static void draw_axes(FILE *f)
{
    int tick;
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 560 460' width='560' height='460' font-family='sans-serif' font-size='15'>\n"
               "<title>Residual against iterations of six solvers on one problem</title><rect width='100%%' height='100%%' fill='white'/>\n");
    for (tick = -8; tick <= 1; tick++)
        fprintf(f, "<path d='M76 %.1fH536' stroke='#ddd'/>", plot_y(pow(10, tick)));
    for (tick = -8; tick <= 0; tick += 2)
        fprintf(f, "<text x='70' y='%.1f' text-anchor='end'>1e%d</text>\n", plot_y(pow(10, tick)) + 5, tick);
    for (tick = 1; tick <= 1000; tick *= 10)
        fprintf(f, "<path d='M%.1f 24V348' stroke='#ddd'/><text x='%.1f' y='368' text-anchor='middle'>%d</text>\n",
                plot_x(tick), plot_x(tick), tick);
    fprintf(f, "<text x='306' y='392' text-anchor='middle'>iterations allowed</text>"
               "<text x='18' y='186' transform='rotate(-90 18 186)' text-anchor='middle'>residual [m/s]</text>\n");
}

/* One curve, to where the solver ends by itself, and its place in the legend */
static void draw_method(nsc_problem *p, FILE *f, int m)
{
    const char *wide = methods[m].solve == nsc_solve_newton ? "7" : "2.5"; /* AUTO's curve is on top of it */
    int i, n, last = 0, x = 76 + 160 * (m % 3), y = 420 + 26 * (m / 3);
    fprintf(f, "<path fill='none' stroke-width='%s' stroke='%s' d='", wide, methods[m].colour);
    for (i = 0; i < POINTS && last < (int)MOST; i++) {
        nsc_report r = run(p, m, n = (int)floor(pow((double)MOST, (double)i / (POINTS - 1)) + 0.5));
        double e = (double)r.residual;
        if (i > 0 && n == last) continue; /* the same point */
        fprintf(f, "%c%.1f %.1f", last ? 'L' : 'M', plot_x(n), plot_y(e < 1e-8 ? 1e-8 : e));
        last = r.status == NSC_OK && i > 0 ? MOST : n;
    }
    fprintf(f, "'/><path d='M%d %dh34' stroke-width='%s' stroke='%s'/><text x='%d' y='%d'>%.*s</text>\n", x, y, wide, methods[m].colour, x + 42,
            y + 5, (int)strcspn(methods[m].name, " "), methods[m].name);
}

int main(void)
{
    nsc_problem p;
    nsc_report sipgs = {0}, newton = {0};
    FILE *f;
    int m;
    if (make_problem(&p) < 0) return 1;
    f = fopen("build/convergence.svg", "w");
    if (f) draw_axes(f);
    for (m = 0; f && m < DRAWN; m++) draw_method(&p, f, m);
    if (f) fprintf(f, "</svg>\n"), fclose(f);
    printf("%d bodies, %d contacts, cold start\n", p.body_count - 1, p.block_count);
    printf("solver, law            iterations  factorisations   time [ms]   residual [m/s]       eta   status\n");
    for (m = 0; m < METHODS; m++) {
        clock_t t = clock();
        nsc_report r = run(&p, m, MOST);
        printf("%-20s   %10d  %14d   %9.3f   %14.1e   %7.1e   %s\n", methods[m].name, r.iterations, r.factorizations,
               1e3 * (double)(clock() - t) / CLOCKS_PER_SEC, (double)r.residual, (double)r.eta, nsc_error_text(r.status));
        if (m == 0) sipgs = r;
        if (methods[m].solve == nsc_solve_newton && methods[m].law == NSC_LAW_COULOMB) newton = r;
    }
    printf("%d solvers and laws on a hard problem: NEWTON ends in %d iterations at %.0e m/s, SIPGS is at %.0e m/s after %d; %s\n", (int)METHODS,
           newton.iterations, (double)newton.residual, (double)sipgs.residual, sipgs.iterations,
           f ? "build/convergence.svg" : "no folder build/, no picture");
    return 0;
}
