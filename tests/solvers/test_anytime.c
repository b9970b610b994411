/* A clock that runs out: every solver then gives the best it has, in its bounds and truly measured; a stack stands on little. */
#define NSC_MAX_BODIES 12
#define NSC_MAX_CONTACTS 48
#define NSC_MAX_JOINTS 2
#define NSC_ARENA NSC_ARENA_DANTZIG(162)
#define NSC_IMPLEMENTATION
#include "all.h"
#include "world.h"
#include "pile.h"
#include "by.h"
#include "plain.h"

/* joints_alone: what it is tried on.  world: may be asked for in a world.  stack, swing: asks a step that these need */
static const struct {
    int solver, law, joints_alone, world, stack, swing;
    const char *name;
} table[] = {
    {NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 0, 1, 3, 1, "SIPGS COULOMB"}, {NSC_SOLVER_SIPGS, NSC_LAW_CONE, 0, 1, 3, 1, "SIPGS CONE"},
    {NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID, 0, 1, 3, 1, "SIPGS PYRAMID"},         {NSC_SOLVER_APGD, NSC_LAW_COULOMB, 0, 1, 4, 8, "APGD COULOMB"},
    {NSC_SOLVER_APGD, NSC_LAW_CONE, 0, 1, 3, 8, "APGD CONE"},         {NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, 0, 1, 3, 1, "DANTZIG PYRAMID"},
    {NSC_SOLVER_BB, NSC_LAW_COULOMB, 0, 1, 10, 16, "BB COULOMB"},       {NSC_SOLVER_BB, NSC_LAW_CONE, 0, 1, 10, 16, "BB CONE"},
    {NSC_SOLVER_ADMM, NSC_LAW_COULOMB, 0, 1, 3, 16, "ADMM COULOMB"},   {NSC_SOLVER_ADMM, NSC_LAW_CONE, 0, 1, 3, 16, "ADMM CONE"},
    {NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, 0, 1, 3, 1, "NEWTON COULOMB"}, {NSC_SOLVER_NEWTON, NSC_LAW_CONE, 0, 1, 3, 1, "NEWTON CONE"},
    {NSC_SOLVER_AUTO, NSC_LAW_COULOMB, 0, 1, 3, 1, "AUTO COULOMB"},   {NSC_SOLVER_MINRES, NSC_LAW_COULOMB, 1, 0, 0, 0, "MINRES"},
};
enum { SOLVERS = sizeof table / sizeof table[0] };

static nsc_world other;
static nsc_real seen[6 * (LEVELS + 1)];
static nsc_block guess[BLOCKS];

/* Says yes from the ask after `left` on; says how often it was asked in vain. */
typedef struct watch {
    int left, asks, late;
} watch;

static int stop(void *user)
{
    watch *w = (watch *)user;
    w->late += w->asks > w->left;
    return w->asks++ >= w->left;
}

static watch watch_of(int asks)
{
    watch w;
    w.left = asks, w.asks = w.late = 0;
    return w;
}

static nsc_settings settings(int t, int warm)
{
    nsc_settings s = default_settings();
    CASE("%s", table[t].name);
    solved_by = table[t].solver, s.law = table[t].law, s.warm_start = warm, s.max_iterations = 3000;
    s.tolerance = sizeof(nsc_real) == 4 ? NSC_R(1e-5) : NSC_R(1e-9);
    return s;
}

/* One solve that may ask k times; what comes out is judged against what went in. */
static nsc_report cut(int t, int warm, int k)
{
    nsc_problem p = pile(table[t].joints_alone);
    nsc_settings s = settings(t, warm);
    watch w = watch_of(k);
    nsc_report first, r, again;
    int i, finite = 1;
    for (i = 0; i < p.block_count; i++) blocks[i].lambda[0] = NSC_R(0.3) + NSC_R(0.1) * rnd(), blocks[i].lambda[1] = NSC_R(0.2) * rnd();
    memcpy(guess, blocks, sizeof blocks);
    nsci_first_guess(&p, &s, table[t].solver == NSC_SOLVER_TREE);
    CHECK(nsc_problem_measure(&p, s.law, &first) == NSC_OK);
    memcpy(blocks, guess, sizeof blocks);
    p.stop = stop, p.user = &w;
    CHECK(solve_by(&p, &s, &r) == r.status);
    CHECK(r.status == NSC_STOPPED || (k > 0 && (r.status == NSC_OK || r.status == NSC_ITERATION_LIMIT)) || r.residual <= s.tolerance);
    CHECK(r.status != NSC_STOPPED || (w.asks == k + 1 && w.late == 0)); /* one yes is enough */
    CHECK_NEAR(r.violation, 0, r.status == NSC_STOPPED ? 32 * NSC_REAL_EPS : 32 * s.tolerance);
    CHECK(r.eta <= first.eta * (1 + 16 * NSC_REAL_EPS) + 16 * NSC_REAL_EPS);
    memcpy(seen, v, sizeof v);
    CHECK(nsc_problem_measure(&p, s.law, &again) == NSC_OK);
    CHECK(!(again.residual < r.residual) && !(again.residual > r.residual) && memcmp(seen, v, sizeof v) == 0);
    for (i = 0; i < 6 * (LEVELS + 1); i++) finite &= is_finite(D(v[i]));
    CHECK(finite);
    return r;
}

static void a_solve_cut_anywhere_is_judged_as_reported(void)
{
    static const int asks[] = {0, 1, 2, 3, 5, 9, 17, 33, 100, 1000000};
    int t, warm, n, i;
    for (t = 0; t < SOLVERS; t++) {
        double eta[sizeof asks / sizeof asks[0]] = {0};
        for (i = 0; i < (int)(sizeof asks / sizeof asks[0]); i++)
            for (warm = 0; warm < 2; warm++)
                for (n = 0; n < 10; n++) {
                    nsc_report r;
                    seed = (unsigned)(n + 1);
                    r = cut(t, warm, asks[i]);
                    eta[i] += (double)r.eta / 20;
                    if (asks[i] == 0 && r.status == NSC_STOPPED && table[t].solver != NSC_SOLVER_DANTZIG) CHECK(r.iterations <= 5);
                }
        CHECK(eta[4] < eta[0] && eta[9] < 0.1 * eta[0]); /* time is good for something */
        printf("anytime: %s: mean energy ratio after 0, 1, 3, 9, 33, all asks: %.2g %.2g %.2g %.2g %.2g %.2g\n", table[t].name,
               eta[0], eta[1], eta[3], eta[5], eta[7], eta[9]);
    }
}

/* A clock that never runs out changes no bit; but where friction bounds of DANTZIG never agree, it is put within them. */
static void a_clock_that_never_runs_out_changes_no_bit(void)
{
    int t;
    unsigned n;
    for (t = 0; t < SOLVERS; t++)
        for (n = 1; n <= (unsigned)sample(6, 20); n++) {
            nsc_settings s = settings(t, 0);
            watch w = watch_of(1 << 30);
            nsc_problem p;
            nsc_report plain, r;
            seed = n, p = pile(table[t].joints_alone);
            CHECK(solve_by(&p, &s, &plain) >= 0);
            memcpy(seen, v, sizeof v);
            seed = n, p = pile(table[t].joints_alone);
            p.stop = stop, p.user = &w;
            CHECK(solve_by(&p, &s, &r) == plain.status && r.iterations == plain.iterations && w.asks > 0);
            if (table[t].solver != NSC_SOLVER_DANTZIG || r.status == NSC_OK) CHECK(memcmp(seen, v, sizeof v) == 0);
            else CHECK_NEAR(r.violation, 0, 32 * NSC_REAL_EPS);
        }
}

/* What problem.watch has been told in a run */
typedef struct history {
    int calls, changes, last, backward, odd;
    double least;
} history;

static void look(void *user, int iteration, nsc_real residual, nsc_real change)
{
    history *h = user;
    h->calls++;
    h->changes += change >= 0;
    h->backward += iteration < h->last;
    h->odd += (residual < 0 && !(residual == -1 && change >= 0)) || (change < 0 && change != -1) || iteration < 0;
    h->last = iteration;
    if (residual >= 0) h->least = fmin(h->least, (double)residual);
}

/* A watched run has the same bits, and its history goes forward to the residual that the report has. */
static void a_watched_run_is_told_whole(void)
{
    int t, judge;
    unsigned n;
    for (t = 0; t < SOLVERS; t++)
        for (judge = 0; judge < 2; judge++)
            for (n = 1; n <= (unsigned)sample(3, 20); n++) {
                nsc_settings s = settings(t, 0);
                history h = {0, 0, 0, 0, 0, 1e9};
                nsc_problem p;
                nsc_report plain, r;
                s.judge = judge;
                seed = n, p = pile(table[t].joints_alone);
                CHECK(solve_by(&p, &s, &plain) >= 0);
                memcpy(seen, v, sizeof v);
                seed = n, p = pile(table[t].joints_alone);
                p.watch = look, p.user = &h;
                CHECK(solve_by(&p, &s, &r) == plain.status && r.iterations == plain.iterations && memcmp(seen, v, sizeof v) == 0);
                CHECK(h.calls > 0 && h.odd == 0 && (h.backward == 0 || solved_by == NSC_SOLVER_AUTO));
                CHECK(solved_by == NSC_SOLVER_AUTO || solved_by == NSC_SOLVER_DANTZIG || h.last == r.iterations);
                if (solved_by == NSC_SOLVER_SIPGS) CHECK(h.changes == r.iterations && h.calls == r.iterations + judge);
                CHECK_NEAR(h.least, (double)r.residual, 0.01 * (double)r.residual + (double)s.tolerance);
            }
}

/* ---- in a world ---- */

/* Boxes of 0.4 m, one on the other at `x` */
static void stack(nsc_world *w, int boxes, double x)
{
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.2), NSC_R(0.2), NSC_R(0.2));
    nsc_body_def d = nsc_default_body_def();
    int i;
    for (i = 0; i < boxes; i++) {
        d.pose.position.x = (nsc_real)(x + 0.01 * (i % 2)), d.pose.position.z = (nsc_real)(0.2 + 0.4 * i);
        CHECK(nsc_world_add_shape(w, nsc_world_add_body(w, &d), &box) >= 0);
    }
}

static void empty_world(nsc_world *w, int t, int substeps)
{
    nsc_world_def d = default_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    CASE("%s", table[t].name);
    stepped_by = table[t].solver, d.solver.law = table[t].law, d.solver.max_iterations = 1000, d.solver.judge = 1;
    d.substeps = substeps;
    CHECK_ONCE(nsc_world_init(w, &d) == NSC_OK);
    CHECK(nsc_world_add_shape(w, NSC_GROUND, &ground) >= 0);
}

static nsc_vec3 place(const nsc_world *w, int body)
{
    nsc_vec3 x = w->bodies[body].position;
    return x;
}

/* The middle of three or five numbers, which are sorted */
static double middle(double *x, int n)
{
    int i, k;
    for (i = 1; i < n; i++)
        for (k = i; k > 0 && x[k] < x[k - 1]; k--) {
            double higher = x[k - 1];
            x[k - 1] = x[k], x[k] = higher;
        }
    return x[n / 2];
}

/* Ten seconds (half a second in the quick mode), no step with more than a few asks.  Where the top is hangs on the last digits, so it
   is the middle of three stacks. */
static void stacks_stand_on_a_few_asks_a_step(void)
{
    static const double at[3] = {0, 0.37, 0.71};
    int t, i, k, steps = trials(100, 2400);
    for (t = 0; t < SOLVERS; t++) {
        int stopped = 0;
        double x[3], y[3], z[3];
        if (!table[t].world) continue;
        for (k = 0; k < 3; k++) {
            empty_world(&world, t, 1);
            stack(&world, 5, at[k]);
            for (i = 0; i < steps; i++) {
                watch w = watch_of(table[t].stack - 1);
                CHECK(step_by_until(&world, NSC_R(1.0) / NSC_R(240.0), stop, &w) == NSC_OK);
                stopped += nsc_world_report(&world)->solver.status == NSC_STOPPED;
                CHECK_NEAR(nsc_world_report(&world)->solver.violation, 0, 1e-4);
            }
            x[k] = fabs((double)place(&world, 5).x - at[k]);
            y[k] = fabs((double)place(&world, 5).y);
            z[k] = fabs((double)place(&world, 5).z - 1.8);
        }
        CHECK(stopped > steps / 8 || table[t].solver == NSC_SOLVER_NEWTON); /* which is mostly done by then */
        CHECK_NEAR(middle(x, 3), 0, 0.02);
        CHECK_NEAR(middle(y, 3), 0, 0.02);
        CHECK_NEAR(middle(z, 3), 0, 0.01);
        printf("anytime: %s, %d asks a step: cut in %d of %d steps; the top of 5 boxes is off by %.1f mm, sunk %.2f mm\n", table[t].name,
               table[t].stack, stopped, 3 * steps, 1e3 * hypot(x[1], y[1]), 1e3 * z[1]);
    }
}

/* Time is up before it began: all islands and sub-steps get their least, nothing is lost, and the report says so. */
static void time_up_at_once_leaves_every_island_its_least(void)
{
    int t, i, k, substeps;
    for (t = 0; t < SOLVERS; t++)
        for (substeps = 1; substeps <= 2; substeps++) {
            if (!table[t].world) continue;
            empty_world(&world, t, substeps);
            stack(&world, 3, 0), stack(&world, 3, 2), stack(&world, 1, -2);
            for (i = 0; i < 240; i++) {
                watch w = watch_of(i < 120 ? 1 << 30 : 0);
                CHECK(step_by_until(&world, NSC_R(1.0) / NSC_R(240.0), stop, &w) == NSC_OK);
                if (i < 120) continue;
                CHECK(nsc_world_report(&world)->solver.status == NSC_STOPPED || nsc_world_report(&world)->solver.residual < NSC_R(1e-4));
                for (k = 0; k < nsc_world_report(&world)->islands && table[t].solver != NSC_SOLVER_DANTZIG; k++)
                    CHECK(nsc_world_island(&world, k)->iterations > 0 || table[t].solver == NSC_SOLVER_NEWTON);
            }
            for (i = 1; i <= 7; i++) CHECK(place(&world, i).z > NSC_R(0.19));
            CHECK_NEAR(place(&world, 3).z, 1.0, 0.01);
            CHECK_NEAR(place(&world, 6).z, 1.0, 0.01);
        }
}

/* A box thrown on another, cut at once from the first step on: finite, and it does not fall through */
static void a_thrown_box_cut_at_once_does_not_fall_through(void)
{
    int t, i;
    for (t = 0; t < SOLVERS; t++) {
        int stopped = 0;
        if (!table[t].world) continue;
        empty_world(&world, t, 1);
        stack(&world, 4, 0);
        world.bodies[4].velocity.z = NSC_R(-3.0), world.bodies[4].angular_velocity.x = NSC_R(2.0);
        for (i = 0; i < 480; i++) {
            watch w = watch_of(0);
            CHECK(step_by_until(&world, NSC_R(1.0) / NSC_R(240.0), stop, &w) == NSC_OK);
            stopped += nsc_world_report(&world)->solver.status == NSC_STOPPED;
        }
        CHECK(stopped > 0);
        for (i = 1; i <= 4; i++) CHECK(place(&world, i).z > NSC_R(0.1) && place(&world, i).z < NSC_R(1.7));
    }
}

/* Two bodies on ball joints, one under the other, set swinging; cut from the first step on they still hang together.  One
   run in twenty of BB parts them by centimetres, so it is the middle of five pushes. */
static void joints_cut_at_once_still_hang_together(void)
{
    int t, i, push;
    double stretch[5];
    for (t = 0; t < SOLVERS; t++)
    for (push = 0; push < 5 && table[t].world; push++) {
        nsc_body_def d = nsc_default_body_def();
        nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.1));
        nsc_id above = NSC_GROUND;
        stretch[push] = 0;
        empty_world(&world, t, 1);
        for (i = 1; i <= 2; i++) {
            nsc_joint_def j;
            nsc_id id;
            d.pose.position.z = (nsc_real)(2 - 0.5 * i), d.velocity.x = NSC_R(0.2) + NSC_R(0.01) * (nsc_real)push;
            id = nsc_world_add_body(&world, &d);
            CHECK(nsc_world_add_shape(&world, id, &ball) >= 0);
            j = nsc_default_joint_def(NSC_JOINT_BALL, above, id);
            j.frame_a.position.z = (nsc_real)(i == 1 ? 2 : 0);
            j.frame_b.position.z = NSC_R(0.5);
            CHECK(nsc_world_add_joint(&world, &j) >= 0);
            above = id;
        }
        for (i = 0; i < 480; i++) {
            watch w = watch_of(table[t].swing - 1);
            CHECK(step_by_until(&world, NSC_R(1.0) / NSC_R(240.0), stop, &w) == NSC_OK);
            stretch[push] = fmax(stretch[push], fabs(length(minus(place(&world, 1), vec(0, 0, 2))) - 0.5));
            stretch[push] = fmax(stretch[push], fabs(length(minus(place(&world, 2), place(&world, 1))) - 0.5));
        }
        if (push == 4) CHECK_NEAR(middle(stretch, 5), 0, 0.002);
    }
}

/* Without a clock, and with one that never runs out, it is nsc_world_step. */
static void without_a_clock_it_is_nsc_world_step(void)
{
    int t, i;
    for (t = 0; t < SOLVERS; t++) {
        if (!table[t].world) continue;
        empty_world(&world, t, 1);
        stack(&world, 3, 0);
        memcpy(&other, &world, sizeof world);
        for (i = 0; i < 60; i++) {
            watch w = watch_of(1 << 30);
            CHECK(step_by(&world, NSC_R(0.004)) == NSC_OK);
            CHECK(step_by_until(&other, NSC_R(0.004), i % 2 ? stop : NULL, &w) == NSC_OK);
        }
        CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    }
    CHECK(step_by_until(NULL, NSC_R(0.01), NULL, NULL) == NSC_ERR_ARGUMENT);
    CHECK(step_by_until(&world, 0, stop, NULL) == NSC_ERR_ARGUMENT);
}

/* a box between two walls that close: impulses grow without end, and solvers keep their best iterate */
static void solvers_keep_the_best_iterate_where_a_later_one_overflows(void)
{
    static nsc_mass m[4];
    static nsc_real vf[24], rates[24], room[60000];
    static nsc_block b[8];
    nsc_settings s = default_settings();
    nsc_report r;
    nsc_problem p;
    int i, k, q;
    memset(&p, 0, sizeof p);
    m[3].inv_mass = 1;
    m[3].inv_inertia[0] = m[3].inv_inertia[1] = m[3].inv_inertia[2] = 6;
    vf[6] = REAL(.1), vf[12] = REAL(-.1), vf[18] = REAL(.02), vf[19] = REAL(.3), vf[20] = REAL(-.1), vf[23] = REAL(.2);
    for (k = 0; k < 8; k++) {
        double side = k < 4 ? 1 : -1;
        nsc_vec3 arm = vec(-.5 * side, k & 1 ? .5 : -.5, k & 2 ? .5 : -.5);
        nsc_vec3 way[3];
        way[0] = vec(side, 0, 0), way[1] = vec(0, 1, 0), way[2] = vec(0, 0, 1);
        b[k].kind = NSC_BLOCK_CONTACT, b[k].rows = 3, b[k].a = k < 4 ? 1 : 2, b[k].b = 3, b[k].mu = REAL(.5);
        for (i = 0; i < 3; i++) {
            nsc_vec3 turn = cross(arm, way[i]);
            b[k].J[i][0] = -way[i].x, b[k].J[i][1] = -way[i].y, b[k].J[i][2] = -way[i].z;
            b[k].J[i][6] = way[i].x, b[k].J[i][7] = way[i].y, b[k].J[i][8] = way[i].z;
            b[k].J[i][9] = turn.x, b[k].J[i][10] = turn.y, b[k].J[i][11] = turn.z;
        }
    }
    p.body_count = 4, p.masses = m, p.v_free = vf, p.v = rates, p.block_count = 8, p.blocks = b;
    p.arena = room, p.arena_size = 60000;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    s.max_iterations = 1000;
    for (s.law = NSC_LAW_COULOMB; s.law <= NSC_LAW_CONE; s.law++)
        for (q = NSC_SOLVER_SIPGS; q <= NSC_SOLVER_AUTO; q++) {
            if (q == NSC_SOLVER_DANTZIG || q == NSC_SOLVER_MINRES)
                continue;
            for (k = 0; k < 8; k++)
                memset(b[k].lambda, 0, sizeof b[k].lambda);
            solved_by = q;
            p.arena_size = q == NSC_SOLVER_AUTO ? NSC_ARENA_BB(24) : 60000;
            CHECK(solve_by(&p, &s, &r) >= 0 && r.residual < REAL(.35));
        }
    /* no body has such an inverse inertia */
    m[1].inv_inertia[0] = -1;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
}

int main(void)
{
    a_solve_cut_anywhere_is_judged_as_reported();
    a_clock_that_never_runs_out_changes_no_bit();
    a_watched_run_is_told_whole();
    stacks_stand_on_a_few_asks_a_step();
    time_up_at_once_leaves_every_island_its_least();
    a_thrown_box_cut_at_once_does_not_fall_through();
    joints_cut_at_once_still_hang_together();
    without_a_clock_it_is_nsc_world_step();
    solvers_keep_the_best_iterate_where_a_later_one_overflows();
    return TEST_END("anytime");
}
