/* Heavy on light with 24 factors: the very first step, from no impulses, has the right forces. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include <math.h>
#include "by.h"
#include "plain.h"

enum { FACTORS = 24 };

/* Four boxes of 1 kg carry one of `ratio`.  Returns how far the ground's force is from their weight in the worst of the first steps,
   as a share; *made: most factors of a step */
static double worst_error(int solver, double ratio, int steps, int *made)
{
    nsc_world_def def = default_def();
    nsc_shape_def s = nsc_default_half_space_def();
    double worst = 0;
    int i, k;
    *made = 0;
    stepped_by = solver;
    def.solver.max_factorizations = FACTORS;
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    CHECK_ONCE(nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
    for (i = 0; i < 5; i++) {
        nsc_body_def b = nsc_default_body_def();
        nsc_id id;
        b.pose.position.z = (nsc_real)(i + 0.5);
        id = nsc_world_add_body(&world, &b);
        s = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
        s.density = (nsc_real)(i == 4 ? ratio : 1);
        CHECK_ONCE(id > 0 && nsc_world_add_shape(&world, id, &s) >= 0);
    }
    for (i = 0; i < steps; i++) {
        double force = 0, error;
        CHECK_ONCE(step_by(&world, (nsc_real)(1 / 240.0)) >= 0);
        for (k = 0; k < nsc_world_contact_count(&world); k++) {
            const nsc_contact *c = nsc_world_contact(&world, k);
            if (c->body_a == NSC_GROUND || c->body_b == NSC_GROUND) force += fabs((double)c->impulse.z) * 240;
        }
        error = fabs(force / (9.81 * (4 + ratio)) - 1);
        if (!(error <= worst)) worst = error;
        if (nsc_world_report(&world)->solver.factorizations > *made) *made = nsc_world_report(&world)->solver.factorizations;
    }
    return worst;
}

int main(int argc, char **argv)
{
    static const int solvers[2] = {NSC_SOLVER_NEWTON, NSC_SOLVER_AUTO};
    double ratio;
    int s, made;
    argc = test_begin(argc, argv);
    (void)argc;
    for (s = 0; s < 2; s++)
        for (ratio = 100; ratio <= (is_double ? 1e6 : 1e4); ratio *= 10) {
            double first = worst_error(solvers[s], ratio, 1, &made);
            CASE("solver %d, 1:%g", solvers[s], ratio);
            printf("cold: solver %d, 1:%g: the first step is off by %.2f %%, with %d factors\n", solvers[s], ratio, 100 * first, made);
            CHECK(first <= 0.01);
            CHECK(worst_error(solvers[s], ratio, 10, &made) <= 0.02);
            CHECK(made <= FACTORS);
        }
    return TEST_END("cold");
}
