/* nsc_solvers.h alone: one body on a frictional plane, at rest */
#define NSC_IMPLEMENTATION
#ifdef ONLY
#include ONLY
#else
#include "nsc_all_solvers.h"
#endif
int main(void)
{
    static nsc_block block;
    static nsc_mass mass[2];
    static nsc_problem p;
    nsc_real v_free[12] = {0}, v[12];
    nsc_settings s = nsc_default_settings();
    nsc_report r;
    mass[1].inv_mass = NSC_R(1.0);
    v_free[8] = NSC_R(-1.0);
    block.b = 1;
    block.kind = NSC_BLOCK_CONTACT;
    block.rows = 3;
    block.mu = NSC_R(0.5);
    block.J[0][8] = block.J[1][6] = block.J[2][7] = NSC_R(1.0);
    p.body_count = 2;
    p.masses = mass;
    p.v_free = v_free;
    p.v = v;
    p.block_count = 1;
    p.blocks = &block;
    if (nsc_problem_prepare(&p) < 0) return 1;
    if (nsc_solve_sipgs(&p, &s, &r) != NSC_OK) return 2;
    return block.lambda[0] > NSC_R(0.99) && v[8] > NSC_R(-0.01) ? 0 : 3;
}
