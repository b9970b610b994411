/* Small functions of the library: by their closed forms, and at their edges. */
#define NSC_MAX_BODIES 4
#define NSC_IMPLEMENTATION
#include "all.h"
#include <limits.h>
#include <math.h>
#include "by.h"
#include "plain.h"

/* Small functions by their closed forms */
static void by_closed_form(void)
{
    const double pi = 3.14159265358979323846, eps = D(NSC_REAL_EPS);
    nsc_refusal why;
    nsc_real s, c;
    int i;
    for (i = 0; i < 1000; i++) {
        double x = .01 * i;
        nsci_sin_cos(REAL(x), &s, &c);
        CHECK_NEAR(s, sin(D(REAL(x))), 2 * eps), CHECK_NEAR(c, cos(D(REAL(x))), 2 * eps);
    }
    for (i = -100; i <= 100; i++) {
        double a = .01 * pi * i;
        s = REAL(3 * sin(a)), c = REAL(3 * cos(a));
        if (i == -100) continue;
        if (i == 100 || i == 0) s = REAL(0);
        CHECK_NEAR(nsci_atan2(s, c), a, 8 * eps);
    }
    /* the root of a s^2 + b s + c with a = square, b = with - without - square, c = without */
    CHECK_NEAR(nsci_most_share(REAL(2), REAL(-1), REAL(4)), (1 + sqrt(17)) / 8, 1e-6);
    CHECK_NEAR(nsci_most_share(REAL(3), REAL(-1), REAL(2)), (sqrt(12) - 2) / 4, 1e-6);
    CHECK_NEAR(nsci_most_share(REAL(-2), REAL(-1), REAL(1)), 1, 0);
    exact_world(0);
    why = nsc_world_last_refusal(&world);
    CHECK(why.code == NSC_OK && why.number == 0 && why.value <= 0 && why.value >= 0);
}

/* The fits against the equations they are of, and the fifth root */
static void fits_meet_their_equations(void)
{
    double worst_z = 0, worst_c = 0, worst_root = 0;
    int i;
    for (i = 0; i <= 1000; i++) {
        double e = 0.001 + 0.999 * i / 1000, z = D(nsci_damping_ratio(REAL(e))), c = D(nsci_flores(REAL(e))), found, lo = 1e-9, hi = fmin(1, (1 - 1e-12) / c), x;
        int k;
        if (z < 1) found = exp(-2 * acos(z) * z / sqrt(1 - z * z));
        else found = exp(-2 * acosh(z) * z / sqrt(z * z - 1));
        worst_z = fmax(worst_z, fabs(found - e));
        for (k = 0; k < 100; k++) {
            double mid = (lo + hi) / 2;
            if (c * (1 + mid) > log((1 + c) / (1 - c * mid))) lo = mid;
            else hi = mid;
        }
        if (c > 0.01) worst_c = fmax(worst_c, fabs(lo - e)); /* the equation has no digits left below */
        x = pow(10, (i - 500) * (is_double ? 0.6 : 0.07));
        worst_root = fmax(worst_root, fabs(pow(D(nsci_fifth_root(REAL(x))), 5) / D(REAL(x)) - 1) / 5);
    }
    printf("fits: e of the damping ratio off by %.1e, of Flores' factor by %.1e, fifth root by %.1e\n", worst_z, worst_c, worst_root);
    CHECK(worst_z < 5e-5 && worst_c < 2e-4 && worst_root < 4 * D(NSC_REAL_EPS));
}

/* Edges of the small functions, where the next line would divide by nothing, or count on for ever */
static void edges(void)
{
    const nsc_real inf = NSC_REAL_MAX * 2, nan = inf - inf;
    nsc_real s[6] = {0}, out[6];
    nsci_mat3 m;
    nsc_joint j;
    CHECK(nsci_clamp_finite(inf) >= NSC_REAL_MAX && nsci_clamp_finite(-inf) <= -NSC_REAL_MAX);
    CHECK_NEAR(nsci_clamp_finite(nan), 0, 0), CHECK_NEAR(nsci_clamp_finite(REAL(-2)), -2, 0);
    s[0] = s[1] = s[2] = NSC_REAL_MAX;
    CHECK(nsci_sym_inverse(s, out) == 0); /* the trace overflows */
    CHECK_NEAR(nsci_atan2(REAL(0), REAL(0)), 0, 0);
    CHECK_NEAR(nsci_fifth_root(REAL(0)), 0, 0), CHECK(nsci_fifth_root(inf) > NSC_REAL_MAX);
    CHECK_NEAR(nsci_fifth_root(REAL(243)), 3, 1e-5), CHECK_NEAR(nsci_fifth_root(REAL(1e-5)), .1, 1e-6);
    CHECK(nsci_add_count(INT_MAX, INT_MAX) == INT_MAX && nsci_add_count(1, 2) == 3);
    memset(&m, 0, sizeof m);
    m.c[0].x = m.c[1].x = m.c[2].x = REAL(1);
    CHECK_NEAR(nsci_solve3(&m, vec(1, 2, 3)).y, 2, 0); /* singular */
    memset(&j, 0, sizeof j);
    j.angle[0] = REAL(3), j.turns[0] = 1000000000;
    s[0] = REAL(-3);
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == 1000000000); /* and no further */
    j.turns[0] = 7;
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == 8);
    j.angle[0] = REAL(-3), s[0] = REAL(3);
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == 6);
    j.turns[0] = -1000000000;
    CHECK(nsci_count_turns(&j, 0, NSCI_TURN_Z, s) == -1000000000);
    CHECK_NEAR(length(nsci_turn_of(vec(0, 0, 0), REAL(-1), vec(1, 0, 0))), 3.14159265358979, 1e-6); /* half a turn */
    CHECK_NEAR(length(nsci_turn_of(vec(0, 0, 0), REAL(1), vec(1, 0, 0))), 0, 0);
    CHECK_NEAR(length(nsci_turn_of(vec(0, 1, 0), REAL(0), vec(1, 0, 0))), 1.5707963267949, 1e-6);
    CHECK(nsci_held(0) == 0 && nsci_held(NSC_JOINT_GEAR + 1) == 0 && nsci_axis(-1, 0) == 0 && nsci_axis(NSC_JOINT_HINGE, 0) != 0);
}

int main(void)
{
    by_closed_form();
    fits_meet_their_equations();
    edges();
    return TEST_END("functions");
}
