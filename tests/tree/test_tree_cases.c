/* TREE on small problems, quickly: bodies in any order, the least arena, rows that hold nothing or hold what is held, one contact of a leg,
   contacts that jam, and sweeps that crawl. */
#define NSC_IMPLEMENTATION
#ifdef TEST_PART
#include "nsc_newton.h"
#include "nsc_tree.h"
#endif
#include "shared.h"
#include "search.h"
#include "robots.h"

static const on_axes nothing = {0, 0, 0, 0, 0};

/* Body i becomes body to[i]. */
static void renumber(nsc_problem *p, const int *to)
{
    nsc_mass was[BODIES];
    nsc_real free[6 * BODIES];
    int i, c;
    memcpy(was, masses, sizeof was), memcpy(free, v_free, sizeof free);
    for (i = 0; i < p->body_count; i++) {
        masses[to[i]] = was[i];
        for (c = 0; c < 6; c++) v_free[6 * to[i] + c] = free[6 * i + c];
    }
    for (i = 0; i < p->block_count; i++) blocks[i].a = to[blocks[i].a], blocks[i].b = to[blocks[i].b];
}

/* The answer does not depend on which number a body has; body 0 may move, and the ground be the last.  CONE has one answer for v. */
static int numbers_do_not_matter(void)
{
    static const on_axes all = {0.1, 0.2, 0.1, 0.1, 0.05};
    nsc_settings s = exact(NSC_LAW_CONE);
    int n = 2 + below(8), to[BODIES] = {0}, i, c;
    nsc_problem p = robot(n, below(2), below(3), &all, 10);
    nsc_report one, other;
    double worst = 0;
    if (below(2)) body(0, uniform(1, 5), 0); /* no ground */
    s.max_iterations = 300;
    one = solve(&p, NSC_SOLVER_TREE, &s);
    memcpy(first, v, sizeof first);
    for (i = 0; i < n; i++) to[i] = i;
    for (i = n - 1; i > 0; i--) {
        int k = below(i + 1);
        c = to[i], to[i] = to[k], to[k] = c;
    }
    renumber(&p, to);
    other = solve(&p, NSC_SOLVER_TREE, &s);
    for (i = 0; i < 6 * n; i++) worst = fmax(worst, size_of((double)(v[6 * to[i / 6] + i % 6] - first[i])));
    said("%d bodies, status %d and %d, off by %g m/s", n, one.status, other.status, worst);
    return one.status == other.status && (one.status != NSC_OK || worst <= (is_double ? 1e-6 : 2e-3));
}

/* The smallest arena that is taken; the problem is prepared. */
static int least_arena(nsc_problem *p)
{
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_report r;
    int low = 0, high = ARENA;
    s.max_iterations = 2;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        p->arena_size = middle;
        if (nsc_solve_tree(p, &s, &r) == NSC_ERR_CAPACITY) low = middle;
        else high = middle;
    }
    return high;
}

/* A trunk on legs of three hinges each, with a contact of each foot and the ground; the trunk is body 1. */
static nsc_problem walker(int legs)
{
    nsc_problem p = empty(2 + 3 * legs);
    double d[3][3], point[3];
    int i, leg;
    body(1, 6, 0), place[1][2] = 1;
    for (leg = 0; leg < legs; leg++)
        for (i = 0; i < 3; i++) {
            int n = 2 + 3 * leg + i;
            body(n, 1, 0);
            point[0] = cos(leg), point[1] = sin(leg), point[2] = 0.9 - 0.3 * i;
            memcpy(place[n], point, sizeof point), place[n][2] -= 0.15;
            frame(d);
            joint(&p, HINGE, i ? n - 1 : 1, n, d, point, &nothing);
        }
    for (leg = 0; leg < legs; leg++) contact(&p, 0, 4 + 3 * leg);
    for (i = 0; i < p.block_count; i++)
        if (blocks[i].kind == NSC_BLOCK_CONTACT) blocks[i].bias[0] = -1; /* it presses */
    return p;
}

/* Whichever number the trunk has it is the root of the tree: the arena that is needed is the same.  From a leg the paths were longer.
   That arena is used to its last number. */
static void a_trunk_is_the_root(void)
{
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_report r;
    int legs, i, k, room[3], to[BODIES];
    for (legs = 3; legs <= 6; legs++) {
        CASE("%d legs", legs);
        for (k = 0; k < 3; k++) {
            nsc_problem p;
            seed = 3;
            p = walker(legs);
            for (i = 0; i < p.body_count; i++) to[i] = i;
            if (k == 1) to[1] = p.body_count - 1, to[p.body_count - 1] = 1;
            if (k == 2) to[1] = 2, to[2] = 1;
            renumber(&p, to);
            CHECK(nsc_problem_prepare(&p) == NSC_OK);
            room[k] = p.arena_size = least_arena(&p);
            arena[room[k] - 1] = 77;
            s.max_iterations = 200;
            CHECK(nsc_solve_tree(&p, &s, &r) >= 0 && (arena[room[k] - 1] < 77 || arena[room[k] - 1] > 77));
        }
        CHECK(room[0] == room[1] && room[0] == room[2]);
    }
    CASE_END();
}

/* Velocities and status are those of NEWTON. */
static void agrees(nsc_problem *p)
{
    nsc_settings s = exact(NSC_LAW_CONE);
    nsc_report r = solve(p, NSC_SOLVER_TREE, &s);
    memcpy(first, v, sizeof first);
    CHECK(r.status == NSC_OK && solve(p, NSC_SOLVER_NEWTON, &s).status == NSC_OK);
    said("%d sweeps, off by %g", r.iterations, difference(p));
    CHECK(difference(p) <= (is_double ? 1e-8 : 1e-3));
}

/* A particle that a body holds by its turning alone is not held by it, and bodies below and above it move as if it were not there. */
static void rows_that_turn_a_particle(void)
{
    int order;
    for (order = 0; order < 2; order++) {
        double d[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, point[3] = {2.2, 0.1, 0.3};
        int particle = order ? 3 : 4, other = 7 - particle, c;
        nsc_problem p = chain(2);
        nsc_block *k;
        CASE("particle %d", particle);
        p.body_count = 5;
        seed = 11;
        body(other, 2, 0);
        body(particle, 1, 1);
        memcpy(place[other], point, sizeof point);
        place[other][2] -= 0.5;
        joint(&p, HINGE, 2, other, d, point, &nothing);
        k = add(&p, NSC_BLOCK_EQUALITY, 2, particle);
        k->rows = 2;
        for (c = 0; c < 2; c++) row(k, c, d[2 * c], 1, point);
        agrees(&p);
    }
    CASE_END();
}

/* A body is welded to another, six rows, and four springs act between the two: all in the tree, as many rows as a joint can have there.
   A spring in a weld takes up nothing: its impulse is -bias / cfm.  The last body is pushed. */
static void springs_in_a_weld(void)
{
    double d[3][3], point[3] = {1.2, 0.1, -0.2};
    nsc_settings s = exact(NSC_LAW_COULOMB);
    int i, springs;
    for (springs = 1; springs <= 4; springs++) {
        nsc_problem p = chain(1);
        nsc_block *k = NULL;
        nsc_report r;
        CASE("%d springs", springs);
        seed = 5;
        p.body_count = 3;
        body(2, 1, 0);
        place[2][0] = 1.5;
        frame(d);
        for (i = 0; i < 3; i++) goal[1][i] = goal[2][i] = goal[1][3 + i] = goal[2][3 + i] = 0;
        joint(&p, FIXED, 1, 2, d, point, &nothing);
        for (i = 0; i < springs; i++) {
            if (i % 3 == 0) k = add(&p, NSC_BLOCK_BOX, 1, 2);
            row(k, i % 3, d[i % 3], i > 2, point);
            k->lo[i % 3] = -NSC_REAL_MAX, k->hi[i % 3] = NSC_REAL_MAX;
            k->cfm[i % 3] = NSC_R(0.5), k->bias[i % 3] = NSC_R(0.1) * (nsc_real)(1 + i), k->rows++;
        }
        contact(&p, 0, 2);
        blocks[p.block_count - 1].rows = 3;
        r = solve(&p, NSC_SOLVER_TREE, &s);
        CHECK(r.status == NSC_OK);
        for (i = 0, k = blocks + 4; i < springs; i++)
            CHECK(size_of((double)k[i / 3].lambda[i % 3] + 0.2 * (1 + i)) < (is_double ? 1e-8 : 1e-3));
        agrees(&p);
    }
    CASE_END();
}

/* Hinges whose rows are no hinge's: one about an axis is 0, the two are not perpendicular, a spring turns about an axis that is held, and
   more springs than a joint has room for.  Such a joint is eliminated by its rows as they stand, with what NEWTON finds. */
static void hinges_of_other_rows(void)
{
    static const char *const names[4] = {"a row that is 0", "axes that are not perpendicular", "a spring about a held axis", "five springs"};
    static const double slant[3] = {0.8, 0, 0.6}, along[3] = {1, 0, 0}, across[3] = {0, 0, 1}, hinge[3] = {0, 1, 0};
    int what, i;
    for (what = 0; what < 4; what++) {
        nsc_problem p = chain(3);
        nsc_block *turn = &blocks[3], *k = NULL;
        CASE("%s", names[what]);
        CHECK(turn->a == 1 && turn->b == 2 && turn->rows == 2);
        if (what == 0) memset(turn->J[1], 0, sizeof turn->J[1]), turn->bias[1] = 0;
        if (what == 1) row(turn, 0, across, 1, across), row(turn, 1, slant, 1, across);
        for (i = 0; i < (what == 2 ? 1 : what == 3 ? 5 : 0); i++) {
            if (i % 3 == 0) k = add(&p, NSC_BLOCK_BOX, 1, 2);
            row(k, k->rows, what == 2 ? along : hinge, 1, across);
            k->lo[k->rows] = -NSC_REAL_MAX, k->hi[k->rows] = NSC_REAL_MAX;
            k->cfm[k->rows] = NSC_R(0.5), k->bias[k->rows] = NSC_R(0.1) * (nsc_real)(1 + i), k->rows++;
        }
        agrees(&p);
    }
    CASE_END();
}

/* Three bodies are welded in a row, and a spring acts between the first and the last: no impulse moves it, and its own is -bias / cfm. */
static void a_soft_row_across_a_weld(void)
{
    double d[3][3], point[3] = {1.2, 0.1, -0.2};
    nsc_settings s = exact(NSC_LAW_COULOMB);
    int kind, i;
    for (kind = NSC_BLOCK_EQUALITY; kind <= NSC_BLOCK_BOX; kind++) {
        nsc_problem p = chain(1);
        nsc_block *k;
        nsc_report r;
        CASE("%s", kind == NSC_BLOCK_BOX ? "box" : "equality");
        seed = 5;
        p.body_count = 4;
        for (i = 2; i < 4; i++) body(i, 1, 0), place[i][0] = i - 0.5;
        frame(d);
        memset(goal, 0, sizeof goal);
        joint(&p, FIXED, 1, 2, d, point, &nothing);
        point[0] += 1;
        joint(&p, FIXED, 2, 3, d, point, &nothing);
        k = add(&p, kind, 1, 3);
        row(k, 0, d[1], 0, point);
        k->lo[0] = -NSC_REAL_MAX, k->hi[0] = NSC_REAL_MAX;
        k->rows = 1, k->cfm[0] = NSC_R(0.5), k->bias[0] = NSC_R(0.1);
        contact(&p, 0, 3);
        r = solve(&p, NSC_SOLVER_TREE, &s);
        said("status %d, residual %g, impulse %g", r.status, (double)r.residual, (double)k->lambda[0]);
        CHECK(r.status == NSC_OK);
        CHECK(size_of((double)k->lambda[0] + 0.2) < (is_double ? 1e-8 : 1e-3));
    }
    CASE_END();
}

/* A leg of two hinges in the plane of x and z, and a contact of its foot with the ground: its normal, and by how much the directions of
   friction are turned out of the plane */
static nsc_problem leg(double x, double z, double turned, double mu)
{
    double d[3][3], point[3], c = cos(turned), s = sin(turned), n = sqrt(x * x + z * z);
    nsc_problem p = chain(2);
    nsc_block *k = add(&p, NSC_BLOCK_CONTACT, 0, 2);
    int i;
    x /= n, z /= n;
    d[0][0] = x, d[0][1] = 0, d[0][2] = z;
    d[1][0] = c * z, d[1][1] = s, d[1][2] = -c * x;
    d[2][0] = -s * z, d[2][1] = c, d[2][2] = s * x;
    point[0] = place[2][0] + uniform(-0.5, 0.5), point[1] = 0, point[2] = place[2][2] + uniform(-0.5, 0.5);
    k->rows = 3, k->mu = (nsc_real)mu;
    for (i = 0; i < 3; i++) row(k, i, d[i], 0, point);
    for (i = 6; i < 18; i++) v_free[i] = rnd();
    return p;
}

static const double quarter = 0.7853981633974483; /* of a half turn */

static int feet, solved, jams, ended;

/* One contact of a foot is solved in few sweeps, however its directions of friction are turned. */
static int a_foot_is_solved_in_few_sweeps(void)
{
    nsc_problem p = leg(uniform(-1, 1), uniform(0.2, 1), below(2) ? quarter : uniform(0, 3), uniform(0.05, 0.8));
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_report r;
    s.max_iterations = 64, s.max_factorizations = 1; /* by sweeps alone */
    r = solve(&p, NSC_SOLVER_TREE, &s);
    feet++, solved += r.status == NSC_OK;
    return 1;
}

/* Without friction the first visit finds the impulse of a foot but for rounding. */
static int a_smooth_foot_takes_few_sweeps(void)
{
    nsc_problem p = leg(uniform(-1, 1), uniform(0.2, 1), 0, 0);
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_report r;
    blocks[p.block_count - 1].rows = 1;
    s.tolerance = is_double ? NSC_R(1e-9) : NSC_R(1e-4), s.max_factorizations = 1;
    r = solve(&p, NSC_SOLVER_TREE, &s);
    said("%d sweeps, status %d", r.iterations, r.status);
    return r.status == NSC_OK && r.iterations <= 4;
}

/* Friction so strong that a foot may jam: pushing it into the ground lifts it (Painleve).  Most are solved; whatever the run gives is
   within its cone of friction. */
static int a_foot_that_jams(void)
{
    nsc_problem p = leg(uniform(-1, 1), uniform(0.05, 1), uniform(0, 3), exp(uniform(0, 3)));
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_block *k = &blocks[p.block_count - 1];
    nsc_report r;
    double t;
    s.max_iterations = 400, s.max_factorizations = 1;
    r = solve(&p, NSC_SOLVER_TREE, &s);
    t = sqrt((double)(k->lambda[1] * k->lambda[1] + k->lambda[2] * k->lambda[2]));
    jams++, ended += r.status == NSC_OK;
    said("friction %g: %g N s, %g across, residual %g", (double)k->mu, (double)k->lambda[0], t, (double)r.residual);
    return k->lambda[0] >= 0 && t <= (double)k->mu * (double)k->lambda[0] * (1 + 1e-5) + 1e-30;
}

/* Who asks for no report gets the same answer: of a heavy load. */
static void no_report_is_asked_for(void)
{
    nsc_settings s = exact(NSC_LAW_COULOMB);
    nsc_problem p = chain(11);
    nsc_report r;
    int c;
    masses[11].inv_mass = NSC_R(1e-6);
    for (c = 0; c < 3; c++) masses[11].inv_inertia[c] = NSC_R(1e-5);
    r = solve(&p, NSC_SOLVER_TREE, &s);
    CHECK(r.status == NSC_OK);
    memcpy(first, v, sizeof first);
    CHECK(nsc_solve_tree(&p, &s, NULL) == NSC_OK && memcmp(first, v, sizeof first) == 0);
}

static void share(const char *name, int (*trial)(void), int n, int *of, int *ok, int least)
{
    *of = *ok = 0;
    search(name, trial, n);
    said("%s: %d of %d", name, *ok, *of);
    CHECK(*ok * 100 >= *of * least);
}

int main(int argc, char **argv)
{
    argc = test_begin(argc, argv);
    (void)argc;
    search("numbers do not matter", numbers_do_not_matter, trials(40, 2000));
    a_trunk_is_the_root();
    rows_that_turn_a_particle();
    springs_in_a_weld();
    hinges_of_other_rows();
    a_soft_row_across_a_weld();
    share("feet in few sweeps", a_foot_is_solved_in_few_sweeps, trials(100, 4000), &feet, &solved, 92);
    search("a smooth foot takes few sweeps", a_smooth_foot_takes_few_sweeps, trials(30, 1000));
    share("feet that jam", a_foot_that_jams, trials(100, 4000), &jams, &ended, 90);
    no_report_is_asked_for();
    return TEST_END("tree_cases");
}
