/* Law by law what each solver takes; a world says which solver to take instead. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "world.h"
#include "pile.h"
#include "by.h"

static const int solvers[] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_DANTZIG, NSC_SOLVER_BB,
                              NSC_SOLVER_MINRES, NSC_SOLVER_ADMM, NSC_SOLVER_NEWTON, NSC_SOLVER_AUTO};
static const char *const names[] = {"SIPGS", "APGD", "DANTZIG", "BB", "MINRES", "ADMM", "NEWTON", "AUTO"};

static int takes(int solver, int law)
{
    if (solver == NSC_SOLVER_DANTZIG) return law == NSC_LAW_PYRAMID;
    return (solver != NSC_SOLVER_APGD && solver != NSC_SOLVER_BB) || law != NSC_LAW_PYRAMID;
}

static void box_on_plane(nsc_world *w)
{
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_body_def body = nsc_default_body_def();
    body.pose.position = vec(0, 0, .499);
    nsc_world_add_shape(w, NSC_GROUND, &ground);
    nsc_world_add_shape(w, nsc_world_add_body(w, &body), &box);
}

/* A solver refuses a law that it does not take by its code; a step by it says which takes what, and changes nothing. */
static void each_solver_says_which_law_it_takes(void)
{
    int k, law;
    for (k = 0; k < 8; k++)
        for (law = 1; law <= 3; law++) {
            nsc_world_def d = default_def();
            nsc_settings s = default_settings();
            nsc_problem p;
            int code, fine = takes(solvers[k], law);
            uint32_t before;
            nsc_refusal why;
            CASE("%s, law %d", names[k], law);
            stepped_by = solved_by = solvers[k], d.solver.law = s.law = law;
            p = pile(0);
            CHECK((solve_by(&p, &s, NULL) == NSC_ERR_ARGUMENT) == !fine);
            CHECK(nsc_world_init(&world, &d) == NSC_OK);
            box_on_plane(&world);
            before = nsc_world_hash(&world);
            code = step_by(&world, NSC_R(0.01));
            why = nsc_world_last_refusal(&world);
            if (fine)
                CHECK(code == NSC_OK && nsc_world_hash(&world) != before);
            else
                CHECK(code == NSC_ERR_ARGUMENT && why.code == code && strcmp(why.field, "nsc_calls.solve") == 0 &&
                      strstr(why.rule, names[k]) && strstr(why.rule, "nsc_settings.law") && (int)why.value == law &&
                      nsc_world_hash(&world) == before);
            CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK); /* SIPGS takes every law */
        }
}

int main(void)
{
    each_solver_says_which_law_it_takes();
    return TEST_END("laws");
}
