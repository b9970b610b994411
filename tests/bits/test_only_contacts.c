/* NSC_ONLY_CONTACTS: a build for contacts alone has the bits of one with everything, and refuses
   what it leaves out.  The scenes are the smallest of tests/targets. */
#define NSC_ONLY_CONTACTS
#define SCENES_SMALL 1
#define HASH_NO_MAIN
#define STEPS 68
#include "targets/hash.c"
#include "expected.h"

static void a_scene_has_the_bits_of_a_whole_build(int i)
{
    meet("scene", scenes[i].name, run(i));
}

static void other_laws_are_refused(int i)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_refusal why;
    def.solver.law = scenes[i].law;
    CHECK(nsc_world_init(&world, &def) == NSC_ERR_ARGUMENT);
    def.solver.law = NSC_LAW_COULOMB;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    def.solver.law = scenes[i].law;
    CHECK(nsc_world_set_def(&world, &def) == NSC_ERR_ARGUMENT);
    why = nsc_world_last_refusal(&world);
    CHECK(strstr(why.field, "law") && strstr(why.rule, "COULOMB"));
}

/* A ball of 1 kg on the ground that has fallen for 1/8 s: impulse 1 N s, rest.  Then what is refused. */
static void problems_hold_contacts_alone(void)
{
    static nsc_mass mass[2];
    static nsc_block block, filled;
    static nsc_real v[12], v_free[12];
    const nsc_real matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    nsc_problem p;
    nsc_settings s = nsc_default_settings();
    nsc_report r;
    int kind;
    memset(&p, 0, sizeof p);
    mass[1].inv_mass = 1;
    v_free[8] = -1;
    block.b = 1, block.kind = NSC_BLOCK_CONTACT, block.rows = 3, block.mu = NSC_R(0.5);
    block.J[0][8] = block.J[1][6] = block.J[2][7] = 1;
    p.body_count = 2, p.masses = mass, p.v_free = v_free, p.v = v, p.block_count = 1, p.blocks = &block;
    filled = block;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && nsc_solve_sipgs(&p, &s, &r) == NSC_OK);
    CHECK_NEAR(block.lambda[0], 1, 1e-6);
    CHECK_NEAR(v[8], 0, 1e-6);
    s.law = NSC_LAW_CONE;
    CHECK(nsc_solve_sipgs(&p, &s, &r) == NSC_ERR_ARGUMENT);
    for (kind = NSC_BLOCK_EQUALITY; kind <= NSC_BLOCK_ROLLING; kind++) {
        block = filled;
        block.kind = (unsigned char)kind;
        CHECK(nsc_problem_prepare(&p) == (kind == NSC_BLOCK_CONTACT ? NSC_OK : NSC_ERR_ARGUMENT));
    }
    block = filled;
    p.delassus = matrix;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
}

int main(void)
{
    int i;
    for (i = 0; i < SCENE_COUNT; i++)
        if (scenes[i].law == NSC_LAW_COULOMB) a_scene_has_the_bits_of_a_whole_build(i);
        else other_laws_are_refused(i);
    problems_hold_contacts_alone();
    return TEST_END("only_contacts");
}
