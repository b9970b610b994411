/* examples/16_predict.c on a Cortex-M4F, in float: the board takes A and B from a step of its own world, finds the gain, and
   stands after a push.  Instructions are counted as in balancer.c.  Returns 0 if it stands in the end, and the gain is
   the host's in double to 0.5 %.  run.sh builds it. */
#define NSC_MAX_MANIFOLDS 0
#define NSC_NO_SUBSTEPS
#define PREDICT_FLOAT
#define PREDICT_NO_MAIN
#include "../16_predict.c"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u) /* counts down, 5 instructions each */

static unsigned since(uint32_t begin) { return (unsigned)(5 * ((begin - SYST_CVR) & 0xffffff)); }

int main(void)
{
    static const nsc_real host[N] = {-2.1350f, -0.2851f, -0.5509f, -0.5170f}; /* what 16_predict.c prints */
    nsc_real x[N], time;
    unsigned derivative, gain;
    uint32_t begin;
    int i, iterations, same = 1;
    if (setup() < 0) return 1;
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5; /* on, no interrupt, not from the 1 MHz reference */
    begin = SYST_CVR;
    if (linearise() < 0) return 2;
    derivative = since(begin);
    begin = SYST_CVR;
    iterations = riccati();
    gain = since(begin);
    for (i = 0; i < N; i++) same = same && fabs(K[i] - host[i]) < 0.005 * fabs(host[i]);
    time = run(1, 5, 5, 0, x);
    printf("predict: A and B in %u instructions, the gain in %u (%d iterations), %s the host's; %s 5 s after a push; two worlds of %u "
           "bytes, derivatives %u bytes\n", derivative, gain, iterations, same ? "within 0.5 % of" : "unlike",
           time > 4.99f && fabs(x[LEAN]) < 1e-3 && fabs(x[PLACE]) < 0.01 ? "stands" : "has fallen", (unsigned)sizeof world,
           (unsigned)sizeof derive);
    return same && time > 4.99f && fabs(x[LEAN]) < 1e-3 && fabs(x[PLACE]) < 0.01 ? 0 : 3;
}
