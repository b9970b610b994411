/* pile.h - a contact problem for all solvers: plates on each other, without a world */
#ifndef NSC_TESTS_PILE_H
#define NSC_TESTS_PILE_H

enum { LEVELS = 5, BLOCKS = 24 };
static nsc_mass masses[LEVELS + 1];
static nsc_real v_free[6 * (LEVELS + 1)], v[6 * (LEVELS + 1)], arena[NSC_ARENA_DANTZIG(3 * BLOCKS)];
static nsc_block blocks[BLOCKS];
static unsigned seed = 3;

static nsc_real rnd(void) /* -1..1 */
{
    seed = seed * 1664525u + 1013904223u;
    return (nsc_real)(seed >> 8) / NSC_R(8388608.0) - NSC_R(1.0);
}

/* A pile of plates, each on four corners of the one below, or all held by a joint there; the topmost always is. */
static nsc_problem pile(int joints_alone)
{
    static const nsc_real d[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    nsc_problem p;
    int i, c, k, m, n = 0;
    memset(&p, 0, sizeof p), memset(masses, 0, sizeof masses), memset(blocks, 0, sizeof blocks);
    for (i = 1; i <= LEVELS; i++) {
        nsc_real mass = i == 3 ? NSC_R(20.0) : NSC_R(1.0);
        masses[i].inv_mass = 1 / mass;
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = 6 / mass;
        for (k = 0; k < 6; k++) v_free[6 * i + k] = NSC_R(0.05) * rnd() - (k == 2 ? NSC_R(0.1) : 0);
        for (c = 0; c < (joints_alone || i == LEVELS ? 1 : 4); c++, n++) {
            nsc_block *b = &blocks[n];
            nsc_real r[3];
            r[0] = c & 1 ? NSC_R(0.5) : NSC_R(-0.5), r[1] = c & 2 ? NSC_R(0.5) : NSC_R(-0.5), r[2] = NSC_R(0.5);
            b->a = i - 1, b->b = i, b->rows = 3, b->mu = NSC_R(0.4);
            b->kind = joints_alone || i == LEVELS ? NSC_BLOCK_EQUALITY : NSC_BLOCK_CONTACT;
            for (k = 0; k < 3; k++)
                for (m = 0; m < 3; m++) {
                    int x = (m + 1) % 3, y = (m + 2) % 3;
                    nsc_real rbx = x == 2 ? -r[x] : r[x], rby = y == 2 ? -r[y] : r[y];
                    b->J[k][m] = -d[k][m], b->J[k][6 + m] = d[k][m];
                    b->J[k][3 + m] = -(r[x] * d[k][y] - r[y] * d[k][x]);
                    b->J[k][9 + m] = rbx * d[k][y] - rby * d[k][x];
                }
        }
    }
    p.body_count = LEVELS + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.blocks = blocks, p.block_count = n;
    p.arena = arena, p.arena_size = NSC_ARENA_DANTZIG(3 * BLOCKS);
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    return p;
}
#endif
