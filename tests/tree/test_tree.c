/* TREE on problems: random robots of all kinds of joints, with loops, soft rows, bounds and contacts, against NEWTON; masses
   1:1000 and more; bad input; an arena too small; bits. */
#define NSC_IMPLEMENTATION
#ifdef TEST_PART
#include "nsc_newton.h"
#include "nsc_tree.h"
#endif
#include "shared.h"
#include "search.h"
#include "robots.h"

static const char *const law_names[] = {"", "COULOMB", "CONE", "PYRAMID"};
static int tried[4], solvable[4], solved[4], agreed[4], second[4], rough[4]; /* solvable: by NEWTON */

/* Solve by TREE and NEWTON.  Both are judged by the same residual; where both solve it, the velocities are the same, but where the
   law has two answers, or one of them is rough: it ends above the tolerance, at its floor.  In float three such trees and loops of 1:10
   and 1:1000 have NEWTON 2e-3 to 5e-3 from the answer in double, and TREE 6e-7 to 3e-5, by its impulses 3e-5 to 4e-4.  What TREE's
   impulses make is off its velocities by no more than the floor says. */
static void compare(nsc_problem *p, int law, double limit)
{
    nsc_settings s = exact(law);
    nsc_report tree = solve(p, NSC_SOLVER_TREE, &s), again, other;
    const nsc_block *k;
    double off, largest = 0;
    int i;
    memcpy(first, v, sizeof v);
    CHECK(nsc_problem_measure(p, law, &again) == NSC_OK);
    CHECK(size_of((double)(again.residual - tree.residual)) <= (is_double ? 1e-9 : 1e-4) + 8 * (double)tree.floor); /* where there is a floor, v is closer than the impulses */
    for (k = blocks; k < blocks + p->block_count; k++)
        for (i = 0; i < k->rows; i++)
            if (size_of((double)k->lambda[i]) > largest) largest = size_of((double)k->lambda[i]);
    CHECK((double)again.violation <= 4 * (double)NSC_REAL_EPS * largest);
    CHECK(difference(p) <= limit + 8 * (double)tree.floor);
    other = solve(p, NSC_SOLVER_NEWTON, &s);
    off = difference(p);
    tried[law]++;
    said("%s: residual %g in %d sweeps, status %d, floor %g; NEWTON %g, status %d; velocities off by %g", law_names[law], (double)tree.residual,
         tree.iterations, tree.status, (double)tree.floor, (double)other.residual, other.status, off);
    if (other.status != NSC_OK) return;
    solvable[law]++;
    if (tree.status != NSC_OK) return;
    solved[law]++;
    if (off <= limit) agreed[law]++;
    else if (other.floor > 0 || tree.residual > s.tolerance) rough[law]++;
    else second[law]++;
}

static on_axes on;
static int bodies_at_most, loops, contacts;
static double ratio, limit_of_v;

static int a_random_robot(void)
{
    int n = 2 + below(bodies_at_most - 2), law;
    nsc_problem p = robot(n, loops ? below(loops) : 0, contacts ? below(contacts) : 0, &on, ratio);
    for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++)
        compare(&p, law, limit_of_v);
    return 1;
}

static void sweep_of(const char *name, const on_axes *what, int loop_count, int contact_count, int few, double most, int least)
{
    int law, whole, n = sample(few / 2, trials(few, 20 * few));
    memset(tried, 0, sizeof tried), memset(solvable, 0, sizeof solvable), memset(solved, 0, sizeof solved), memset(agreed, 0, sizeof agreed), memset(second, 0, sizeof second), memset(rough, 0, sizeof rough);
    on = *what, loops = loop_count, contacts = contact_count, ratio = most;
    bodies_at_most = test_long() ? BODIES : 12;
    limit_of_v = is_double ? 1e-6 : 2e-3;
    CASE("%s", name);
    whole = search(name, a_random_robot, n);
    for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++) {
        printf("tree: %s, %s: of %d NEWTON solves %d, and of these TREE %d; velocities agree in %d, differ in %d, and in %d where one is rough\n", name,
               law_names[law], tried[law], solvable[law], solved[law], agreed[law], second[law], rough[law]);
        if (whole) CHECK(tried[law] == n && solvable[law] * 100 >= n * (contact_count ? 50 : 95));
        CHECK(solved[law] * 100 >= solvable[law] * least);
        CHECK((second[law] + rough[law]) * 20 <= tried[law]);
        CHECK(second[law] * 20 <= (contact_count == 0 || (law == NSC_LAW_CONE && is_double) ? 0 : tried[law]));
    }
    CASE_END();
}

static void robots(void)
{
    static const on_axes none = {0, 0, 0, 0, 0}, springs = {0.3, 0, 0, 0, 0.1}, all = {0.1, 0.2, 0.1, 0.1, 0.05};
    sweep_of("trees", &none, 0, 0, 60, 10, 100);
    sweep_of("trees of 1:1000", &none, 0, 0, 40, 1000, 100);
    sweep_of("trees with springs", &springs, 0, 0, 40, 10, 100);
    sweep_of("trees on contacts", &none, 0, 6, 40, 10, 97);
    sweep_of("trees with all rows", &all, 0, 4, 60, 10, 97);
    sweep_of("loops", &none, 3, 0, 40, 10, 99);
    sweep_of("loops with all rows", &all, 3, 4, 40, 10, 93);
}

/* Robots that random searches have found, in float: two whose rows left the tree and then took impulses beyond their bounds with the others
   there, and one of which a row is weak behind another of its block, and strong before it: it stalled at 0.6 m/s. */
static void robots_that_were_found(void)
{
    static const on_axes springs = {0.3, 0, 0, 0, 0.1}, all = {0.1, 0.2, 0.1, 0.1, 0.05};
    const struct { uint32_t seed; const on_axes *on; int loops, contacts; double ratio; } found[] = {
        {UINT32_C(3874818643), &all, 0, 4, 10}, {UINT32_C(1725215567), &all, 3, 4, 10}, {UINT32_C(3274879387), &springs, 0, 0, 10}};
    int i;
    bodies_at_most = BODIES;
    limit_of_v = is_double ? 1e-6 : 2e-3;
    for (i = 0; i < (int)(sizeof found / sizeof found[0]); i++) {
        CASE("seed %lu", (unsigned long)found[i].seed);
        memset(solvable, 0, sizeof solvable), memset(solved, 0, sizeof solved);
        seed = found[i].seed, on = *found[i].on, loops = found[i].loops, contacts = found[i].contacts, ratio = found[i].ratio;
        a_random_robot();
        CHECK(contacts || (solvable[NSC_LAW_COULOMB] && solved[NSC_LAW_COULOMB] == 1));
    }
    CASE_END();
}

/* A body that turns about one axis alone hangs on another by a universal joint: as NEWTON says, in one iteration as all its rows are the
   tree's, and it does not turn about the others. */
static void bodies_that_turn_about_one_axis(void)
{
    static const on_axes nothing = {0, 0, 0, 0, 0};
    nsc_settings s = exact(NSC_LAW_COULOMB);
    int axis, c;
    for (axis = 0; axis < 3; axis++) {
        double d[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, point[3] = {1, 0.1, 0.2};
        nsc_problem p = chain(1);
        nsc_report r;
        CASE("axis %d", axis);
        p.body_count = 3;
        place[2][0] = 1.3, place[2][1] = 0.4, place[2][2] = -0.1;
        masses[2].inv_mass = NSC_R(0.5);
        masses[2].inv_inertia[axis] = 6;
        for (c = 0; c < 3; c++) v_free[12 + c] = NSC_R(0.1) * (nsc_real)(c - 1);
        v_free[15 + axis] = NSC_R(0.3);
        for (c = 0; c < 3; c++) d[c][(axis + c) % 3] = 1;
        joint(&p, UNIVERSAL, 1, 2, d, point, &nothing);
        r = solve(&p, NSC_SOLVER_TREE, &s);
        CHECK(r.status == NSC_OK && r.iterations == 1);
        memcpy(first, v, sizeof first);
        CHECK(solve(&p, NSC_SOLVER_NEWTON, &s).status == NSC_OK);
        CHECK(difference(&p) < (is_double ? 1e-9 : 1e-5));
        for (c = 0; c < 3; c++) CHECK(c == axis ? size_of((double)first[15 + c] - 0.3) > 1e-3 : size_of((double)first[15 + c]) <= 0);
    }
    CASE_END();
}

/* A body that cannot turn about y hangs on a hinge's about y, by rows about two axes whose plane holds y but for a little: rounding of
   its velocity becomes a torque about y, 1 / little^2 times as large.  The impulses give the velocities all the same. */
static void bodies_that_hardly_turn(void)
{
    static const on_axes nothing = {0, 0, 0, 0, 0};
    double little, d[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, point[3] = {0, 0, 0};
    nsc_settings s = exact(NSC_LAW_COULOMB);
    for (little = 0.25; little > (is_double ? 1e-6 : 1e-3); little /= 2) {
        double e[3][3] = {{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}};
        nsc_problem p = empty(3);
        nsc_report r, again;
        int c;
        CASE("%g", little);
        for (c = 1; c < 3; c++) masses[c].inv_mass = 1, masses[c].inv_inertia[0] = masses[c].inv_inertia[1] = masses[c].inv_inertia[2] = 8;
        masses[2].inv_inertia[1] = 0;
        e[0][2] = 0.6 * little, e[1][2] = 0.8 * little;
        goal[1][4] = 0.3, goal[2][3] = 0.1, goal[2][5] = -0.2;
        joint(&p, HINGE, 0, 1, d, point, &nothing);
        joint(&p, 8 + 16, 1, 2, e, point, &nothing);
        r = solve(&p, NSC_SOLVER_TREE, &s);
        CHECK(nsc_problem_measure(&p, NSC_LAW_COULOMB, &again) == NSC_OK);
        CHECK(r.status == NSC_OK && r.residual <= s.tolerance);
        CHECK(again.residual <= 8 * s.tolerance && again.residual <= 2 * (s.tolerance + r.floor));
    }
    CASE_END();
}

static int asks, stop_after;
static int stop(void *user)
{
    (void)user;
    return ++asks >= stop_after;
}

/* Errors say what is wrong and change nothing but the report. */
static void bad_input_is_refused(void)
{
    static nsc_block before[BLOCKS];
    nsc_problem p = chain(6);
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_report r;
    nsc_real N[36 * 36];
    int least, most = 1 << 16, need = NSC_ARENA_TREE(7, 30, 6);
    memset(&r, 0, sizeof r), memset(N, 0, sizeof N), memset(v, 0, sizeof v);
    CHECK(nsc_solve_tree(NULL, &s, &r) == NSC_ERR_ARGUMENT);
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_ERR_ARGUMENT); /* not prepared */
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(nsc_solve_tree(&p, NULL, &r) == NSC_ERR_ARGUMENT);
    memcpy(before, blocks, sizeof before), memcpy(first, v, sizeof first);
    s.law = 7;
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_ERR_ARGUMENT && r.status == NSC_ERR_ARGUMENT);
    s.law = NSC_LAW_COULOMB, s.tolerance = -1;
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_ERR_ARGUMENT);
    s.tolerance = NSC_R(1e-6);
    p.delassus = N;
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_ERR_ARGUMENT);
    p.delassus = NULL;
    p.arena = NULL;
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_ERR_CAPACITY && r.status == NSC_ERR_CAPACITY);
    p.arena = arena;
    for (p.arena_size = 0; p.arena_size < need; p.arena_size++) { /* every size below the least is refused, and none is overrun */
        int code, i, touched = 0;
        for (i = p.arena_size; i < need + 9; i++) arena[i] = 77;
        code = nsc_solve_tree(&p, &s, &r);
        for (i = p.arena_size; i < need + 9; i++) touched |= arena[i] < 77 || arena[i] > 77;
        CHECK_ONCE(!touched);
        if (code != NSC_ERR_CAPACITY) break;
        CHECK_ONCE(memcmp(before, blocks, sizeof before) == 0 && memcmp(first, v, sizeof first) == 0);
    }
    least = p.arena_size;
    CHECK(least > 0 && least < need);
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_OK);
    p.arena_size = most < ARENA ? most : ARENA;
    v_free[6] = v_free[12] = NSC_REAL_MAX, v_free[18] = -NSC_REAL_MAX;
    CHECK(nsc_solve_tree(&p, &s, &r) == NSC_ERR_NOT_FINITE && blocks[0].lambda[0] <= 0 && blocks[0].lambda[0] >= 0);
    p.row_count = p.block_count = 0, v_free[6] = v_free[12] = v_free[18] = 0;
    p.arena = NULL, p.arena_size = 0;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && nsc_solve_tree(&p, &s, &r) == NSC_OK);
}

/* The caller stops a run, or it ends at its limits, within the bounds; twice the same input gives the same bits. */
static void runs_end_where_they_are_told(void)
{
    static const on_axes all = {0.1, 0.3, 0.2, 0.2, 0.05};
    static nsc_block answer[BLOCKS];
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_report r;
    nsc_problem p;
    int n, k, i, same = 1;
    seed = 7;
    for (n = 0; n < 10; n++) {
        p = robot(10, 1, 5, &all, 10);
        s.max_iterations = 1 + n, s.max_factorizations = 1 + n / 3;
        r = solve(&p, NSC_SOLVER_TREE, &s);
        CHECK_ONCE(r.status >= 0 && r.iterations <= 1 + n && r.factorizations <= 1 + n / 3);
        for (k = 0; k < p.block_count; k++)
            for (i = 0; i < blocks[k].rows && blocks[k].kind == NSC_BLOCK_BOX; i++)
                CHECK_ONCE(blocks[k].lambda[i] >= blocks[k].lo[i] && blocks[k].lambda[i] <= blocks[k].hi[i]);
        s.max_iterations = 1000, s.max_factorizations = 100;
        asks = 0, stop_after = 2, p.stop = stop;
        r = solve(&p, NSC_SOLVER_TREE, &s);
        CHECK_ONCE(r.status == NSC_OK || r.status == NSC_STOPPED);
        p.stop = NULL;
        solve(&p, NSC_SOLVER_TREE, &s);
        memcpy(answer, blocks, sizeof answer), memcpy(first, v, sizeof first);
        memset(arena, 1, sizeof arena);
        solve(&p, NSC_SOLVER_TREE, &s);
        for (k = 0; k < p.block_count; k++) same &= memcmp(answer[k].lambda, blocks[k].lambda, sizeof blocks[k].lambda) == 0;
        CHECK_ONCE(same && memcmp(first, v, sizeof(nsc_real) * 6 * (size_t)p.body_count) == 0);
        /* What the preparation has filled is as it was. */
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        for (k = 0; k < p.block_count; k++)
            CHECK_ONCE(memcmp(answer[k].delassus, blocks[k].delassus, sizeof blocks[k].delassus) == 0 &&
                       memcmp(answer[k].stick_inverse, blocks[k].stick_inverse, sizeof blocks[k].stick_inverse) == 0 &&
                       memcmp(answer[k].eff_mass, blocks[k].eff_mass, sizeof blocks[k].eff_mass) == 0 && answer[k].no_stick == blocks[k].no_stick);
    }
}

/* A run in an arena of this size: nothing beyond it is written, and what is called solved is. */
static int run_in(nsc_problem *p, int size, const nsc_settings *s, nsc_report *r)
{
    int i, code, touched = 0, end = size + 400 < ARENA ? size + 400 : ARENA;
    p->arena_size = size;
    for (i = size; i < end; i++) arena[i] = 77;
    code = nsc_solve_tree(p, s, r);
    for (i = size; i < end; i++) touched |= arena[i] < 77 || arena[i] > 77;
    CHECK_ONCE(!touched);
    if (code == NSC_OK) {
        nsc_report judged;
        CHECK_ONCE(nsc_problem_measure(p, s->law, &judged) == NSC_OK);
        CHECK_ONCE((double)judged.residual <= (is_double ? 1e-9 : 1e-4) + 8 * (double)r->floor);
    }
    return code;
}

/* From the least arena that the solver takes to what it needs at most, as rows leave the trees: robots whose drives reach their bounds */
static void arenas_of_any_size(void)
{
    static const on_axes all = {0.1, 0.5, 0.3, 0.4, 0.05};
    nsc_settings s = exact(NSC_LAW_COULOMB);
    int n, short_of = 0, solved_in = 0;
    seed = 3;
    s.max_iterations = 300;
    for (n = 0; n < 24; n++) {
        nsc_problem p = robot(8, 1, 4, &all, 10);
        nsc_report r;
        int low = 0, high = ARENA, size;
        CHECK_ONCE(nsc_problem_prepare(&p) == NSC_OK);
        if (run_in(&p, ARENA, &s, &r) != NSC_OK) continue;
        while (high - low > 1) {
            int middle = low + (high - low) / 2;
            if (run_in(&p, middle, &s, &r) == NSC_ERR_CAPACITY) low = middle;
            else high = middle;
        }
        for (size = high; size < high + 300 && size <= ARENA; size += 20) {
            int code = run_in(&p, size, &s, &r);
            CHECK_ONCE(code >= 0);
            short_of += code != NSC_OK, solved_in += code == NSC_OK;
        }
    }
    printf("tree: in the least arenas %d runs solved, %d ended before\n", solved_in, short_of);
    CHECK(short_of > 0 && solved_in > short_of);
}

/* A body is welded to the ground, and a ball joint would have it move: no row outside the tree moves it, and the run says that it
   stands.  An arena of more reals than numbers of a float can count is as good as any. */
static void what_cannot_be_solved_stalls(void)
{
    static const on_axes none = {0, 0, 0, 0, 0};
    nsc_settings s = exact(NSC_LAW_COULOMB);
    double d[3][3], point[3] = {0.1, 0.2, 0.3};
    nsc_problem p = empty(2);
    nsc_report r, large;
    seed = 5;
    body(1, 1, 0);
    frame(d);
    joint(&p, FIXED, 0, 1, d, point, &none);
    joint(&p, BALL, 0, 1, d, point, &none);
    blocks[p.block_count - 1].bias[0] += 1;
    r = solve(&p, NSC_SOLVER_TREE, &s);
    said("status %d after %d iterations, residual %g", r.status, r.iterations, (double)r.residual);
    CHECK(r.status == NSC_STALLED && (double)r.residual > 0.1 && r.iterations < 50);
    p.arena_size = 1 << 25; /* it takes from the front what it needs */
    CHECK(nsc_problem_prepare(&p) == NSC_OK && nsc_solve_tree(&p, &s, &large) == r.status && memcmp(&r, &large, sizeof r) == 0);
}

int main(int argc, char **argv)
{
    argc = test_begin(argc, argv);
    (void)argc;
    robots();
    robots_that_were_found();
    bodies_that_turn_about_one_axis();
    bodies_that_hardly_turn();
    bad_input_is_refused();
    runs_end_where_they_are_told();
    arenas_of_any_size();
    what_cannot_be_solved_stalls();
    return TEST_END("tree");
}
