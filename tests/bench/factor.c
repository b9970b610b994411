/* One factor of NEWTON and ADMM, as a skyline and as a dense triangle: stacks, where a body touches its neighbours, and heaps,
   where it may touch any.  Time is of this machine; the reals are not. */
#define NSC_IMPLEMENTATION
#include "nsc_all_solvers.h"
#include <stdio.h>
#include <time.h>

enum { MOST = 64, RUNS = 200 };
static nsc_mass masses[MOST + 1];
static nsc_real v_free[6 * (MOST + 1)], v[6 * (MOST + 1)], memory[NSC_ARENA_NEWTON(MOST + 1, 12 * MOST)];
static nsc_block blocks[4 * MOST];

/* Four contacts a body, with the one below or with any below */
static nsc_problem make(int bodies, int heap)
{
    nsc_problem p;
    unsigned seed = 1;
    int i, k, j;
    memset(&p, 0, sizeof p), memset(blocks, 0, sizeof blocks);
    for (i = 1; i <= bodies; i++) {
        masses[i].inv_mass = 1;
        for (k = 0; k < 3; k++) masses[i].inv_inertia[k] = 6;
        for (k = 0; k < 4; k++) {
            nsc_block *b = &blocks[p.block_count++];
            seed = seed * 1664525u + 1013904223u;
            b->kind = NSC_BLOCK_CONTACT, b->rows = 3, b->mu = 1, b->b = i, b->a = heap ? (int)(seed >> 16) % i : i - 1;
            for (j = 0; j < 3; j++) b->J[j][j] = -1, b->J[j][6 + j] = 1, b->J[j][3 + (j + 1) % 3] = b->J[j][9 + (j + k) % 3] = NSC_R(0.5);
        }
    }
    p.body_count = bodies + 1, p.masses = masses, p.v_free = v_free, p.v = v, p.blocks = blocks;
    return p;
}

static void run(int bodies, int heap, int dense)
{
    static const nsc_real G[6] = {100, 0, 100, 0, 0, 100};
    nsc_problem p = make(bodies, heap);
    nsci_factor f;
    clock_t begin;
    int i, ok = nsc_problem_prepare(&p) == NSC_OK;
    nsci_factor_begin(&f, &p, memory);
    for (i = 0; dense && i < f.n; i++) f.first[i] = 0, f.start[i] = (nsc_real)(i * (i + 1) / 2);
    for (i = 0; i < p.block_count; i++) nsci_factor_set(&f, &blocks[i], G);
    begin = clock();
    for (i = 0; i < RUNS; i++) ok &= nsci_factor_run(&f);
    printf(" %8.1f us %6d reals", 1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC / RUNS, (int)f.start[f.n - 1] + f.n);
    if (!ok) printf(" FAILED");
}

int main(void)
{
    int bodies, heap;
    printf("bodies            skyline                    dense\n");
    for (heap = 0; heap < 2; heap++)
        for (bodies = 4; bodies <= MOST; bodies *= 2) {
            printf("%2d %s", bodies, heap ? "heap " : "stack");
            run(bodies, heap, 0), run(bodies, heap, 1);
            printf("\n");
        }
    return 0;
}
