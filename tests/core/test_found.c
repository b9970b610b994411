/* Defects that the proofs found, each as a caller could meet it. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "test.h"
#include <limits.h>
#include "by.h"

static nsc_world world;
static unsigned char state[NSC_WORLD_STATE_SIZE];
static nsc_block block;
static nsc_mass masses[2];
static nsc_real v_free[12], v[12], arena[200];

/* a ball of 1 kg that falls with 1 m/s on the ground: one contact, three rows */
static nsc_problem drop(void)
{
    nsc_problem p;
    memset(&p, 0, sizeof p);
    memset(&block, 0, sizeof block);
    masses[1].inv_mass = NSC_R(1.0);
    v_free[8] = NSC_R(-1.0);
    block.b = 1;
    block.kind = NSC_BLOCK_CONTACT;
    block.rows = 3;
    block.mu = NSC_R(0.5);
    block.J[0][8] = block.J[1][6] = block.J[2][7] = NSC_R(1.0);
    p.body_count = 2, p.masses = masses, p.v_free = v_free, p.v = v;
    p.block_count = 1, p.blocks = &block;
    return p;
}

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.5));
    nsc_contact own = nsc_default_contact();
    nsc_settings s = default_settings();
    nsc_problem p = drop();
    nsc_report r;
    int i;

    /* a restored prefix knows nothing of the body that a waiting contact names */
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    memcpy(state, &world, sizeof state);
    own.body_b = nsc_world_add_body(&world, &body);
    CHECK(nsc_world_add_shape(&world, own.body_b, &ball) >= 0);
    CHECK(nsc_world_add_contact(&world, &own) == NSC_OK);
    memcpy(&world, state, sizeof state);
    CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);

    CHECK(nsc_world_report(NULL) == NULL && nsc_world_contact_count(NULL) == 0 && nsc_world_contact(NULL, 0) == NULL);
    CHECK(nsc_world_set_def(&world, &world.def) == NSC_OK); /* onto itself */

    /* loops that count to INT_MAX */
    s.max_iterations = s.passes = INT_MAX;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) == NSC_OK);
    CHECK_NEAR(block.lambda[0], 1, 1e-6);
    CHECK_NEAR(v[8], 0, 1e-6);

    /* a speed whose energy overflows: no iterate is finite, so NEWTON makes no sweeps in search of one */
    s.max_iterations = 3000, solved_by = NSC_SOLVER_NEWTON;
    p.arena = arena, p.arena_size = (int)(sizeof arena / sizeof *arena);
    v_free[6] = NSC_SQRT(NSC_REAL_MAX) * NSC_R(8.0), v_free[8] = -v_free[6];
    for (s.law = NSC_LAW_COULOMB; s.law <= NSC_LAW_CONE; s.law++) {
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        CHECK(solve_by(&p, &s, &r) == NSC_ERR_NOT_FINITE && r.iterations <= 1);
    }

    /* a row's velocity that overflows, of numbers that do not */
    solved_by = NSC_SOLVER_DANTZIG, s.law = NSC_LAW_PYRAMID;
    v_free[6] = 0, block.J[0][8] = NSC_SQRT(NSC_REAL_MAX) / 4;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_NOT_FINITE);
    block.J[0][8] = NSC_R(1.0), v_free[8] = NSC_R(-1.0);
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    s = default_settings();
    p.arena = NULL;

    solved_by = NSC_SOLVER_APGD;
    p.arena_size = NSC_ARENA_APGD(3); /* and no arena */
    CHECK(solve_by(&p, &s, &r) == NSC_ERR_CAPACITY);
    p.block_count = 0;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK && r.iterations == 0);
    p.v = v_free;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);

    /* at capacity a deeper contact may take the place of the caller's; a refused step keeps what is left of those */
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    own.body_b = nsc_world_add_body(&world, &body);
    CHECK(nsc_world_add_shape(&world, own.body_b, &ball) >= 0);
    ball = nsc_default_half_space_def();
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ball) >= 0); /* half a metre deep */
    own.gap = NSC_R(1.0);
    for (i = 0; i < NSC_MAX_CONTACTS; i++) CHECK(nsc_world_add_contact(&world, &own) == NSC_OK);
    CHECK(nsc_world_step(&world, NSC_REAL_MAX) < 0 || nsc_world_step(&world, NSC_R(1e18)) < 0);
    CHECK(world.found_count == NSC_MAX_CONTACTS || world.found_count == NSC_MAX_CONTACTS - 1);
    for (i = 0; i < world.found_count; i++) CHECK(world.found[i].shape_a < 0 && world.found[i].body_b == own.body_b);
    return TEST_END("found");
}
