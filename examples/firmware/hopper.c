/* examples/20_hopper.c on a Cortex-M4F, in float: the board takes A and B, in coordinates of its
   joints, from a step of its own world, finds the gain, recovers from a push and hops.
   Instructions are counted as in balancer.c.  Returns 0 if it stands in the end, and the gain is
   the host's in double to 0.5 % of its row's largest.  run.sh builds it. */
#define NSC_MAX_MANIFOLDS 0
#define NSC_NO_SUBSTEPS
#define HOPPER_FLOAT
#define HOPPER_NO_MAIN
#include "../20_hopper.c"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u) /* counts down, 5 instructions each */

static unsigned since(uint32_t begin)
{
    return (unsigned)(5 * ((begin - SYST_CVR) & 0xffffff));
}

int main(void)
{
    static const nsc_real host[M][N] = {/* what 20_hopper.c prints */
                                        {-196.84f, -44.37f, -10.19f, -3.94f, 0, 0},
                                        {0, 0, 0, 0, 615.93f, 61.88f}};
    nsc_real x[N];
    run_report pushed, hopped;
    unsigned derivative, gain;
    uint32_t begin;
    int i, j, iterations, same = 1, ends;
    if (setup() < 0)
        return 1;
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5; /* on, no interrupt, not from the 1 MHz reference */
    begin = SYST_CVR;
    if (linearise() < 0)
        return 2;
    derivative = since(begin);
    begin = SYST_CVR;
    iterations = riccati();
    gain = since(begin);
    for (i = 0; i < M; i++)
        for (j = 0; j < N; j++)
            same = same && size_of(K[i][j] - host[i][j]) < 0.005f * size_of(host[i][i ? 4 : 0]);
    if (run(1, 2, 0, 4, 0, x, &pushed) < 0)
        return 3;
    ends = pushed.seconds > 3.99f && size_of(x[LEAN]) < 1e-3f;
    if (run(1, 0.5f, 3, 7, 0, x, &hopped) < 0)
        return 3;
    ends = ends && hopped.seconds > 6.99f && hopped.flights == 3 && size_of(x[LEAN]) < 1e-3f;
    printf("hopper: A and B in %u instructions, the gain in %u (%d iterations), %s the host's; "
           "leaned %d mrad after a push, hopped %d times, %s; two worlds of %u bytes, "
           "derivatives %u bytes\n",
           derivative, gain, iterations, same ? "within 0.5 % of" : "unlike",
           (int)(1000 * pushed.lean), hopped.flights, ends ? "stands" : "has fallen",
           (unsigned)sizeof world, (unsigned)sizeof derive);
    return same && ends ? 0 : 3;
}
