/* Law by law what each solver takes; a world says which solver to take instead. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "world.h"
#include "pile.h"

static const int solvers[] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_DANTZIG, NSC_SOLVER_BB,
                              NSC_SOLVER_MINRES, NSC_SOLVER_ADMM, NSC_SOLVER_NEWTON, NSC_SOLVER_AUTO};
static const char *const names[] = {"SIPGS", "APGD", "DANTZIG", "BB", "MINRES", "ADMM", "NEWTON", "AUTO"};

static int takes(int solver, int law)
{
    if (solver == NSC_SOLVER_DANTZIG) return law == NSC_LAW_PYRAMID;
    return (solver != NSC_SOLVER_APGD && solver != NSC_SOLVER_BB) || law != NSC_LAW_PYRAMID;
}

/* A world refuses what its solver does not take, and says which do; nsc_solve refuses the same by its code. */
static void each_solver_says_which_law_it_takes(void)
{
    int k, law;
    for (k = 0; k < 8; k++)
        for (law = 1; law <= 3; law++) {
            nsc_world_def d = nsc_default_world_def();
            nsc_settings s = nsc_default_settings();
            nsc_problem p;
            int code, fine = takes(solvers[k], law);
            nsc_refusal why;
            CASE("%s, law %d", names[k], law);
            d.solver.solver = s.solver = solvers[k], d.solver.law = s.law = law;
            p = pile(0);
            CHECK((nsc_solve(&p, &s, NULL) == NSC_ERR_ARGUMENT) == !fine);
            code = nsc_world_init(&world, &d);
            why = nsc_world_last_refusal(&world);
            if (solvers[k] == NSC_SOLVER_MINRES)
                CHECK(code == NSC_ERR_ARGUMENT && strstr(why.rule, "MINRES") && strstr(why.rule, "take NEWTON or AUTO"));
            else if (fine)
                CHECK(code == NSC_OK);
            else
                CHECK(code == NSC_ERR_ARGUMENT && strcmp(why.field, "nsc_settings.law") == 0 && strstr(why.rule, names[k]) && strstr(why.rule, "take SIPGS"));
            CHECK(nsc_world_init(&world, &d) == code);
            d.solver.solver = NSC_SOLVER_SIPGS;
            CHECK(nsc_world_init(&world, &d) == NSC_OK); /* SIPGS takes every law */
            d.solver.solver = solvers[k];
            CHECK(nsc_world_set_def(&world, &d) == code && (code == NSC_OK || world.def.solver.solver == NSC_SOLVER_SIPGS));
        }
}

int main(void)
{
    each_solver_says_which_law_it_takes();
    return TEST_END("laws");
}
