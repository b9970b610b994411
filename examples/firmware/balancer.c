/* examples/14_balancer.c on a Cortex-M4F: the same controller, sensors and motors, and what a tick costs.  Under
   QEMU's -icount shift=3 an instruction takes 8 ns, so a count of the 25 MHz timer is 5 instructions.  Returns 0 if the
   robot stands in the end, and every tick was in time at 200 MHz and 1.6 cycles an instruction.  run.sh builds it. */
#define NSC_NO_SUBSTEPS
#define NSC_NO_ISLANDS
#define BALANCER_NO_MAIN
#include "../14_balancer.c"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u) /* counts down */

int main(void)
{
    uint32_t most = 0, sum = 0, worst_ms = 0;
    nsc_real angle, place;
    int step, standing;
    if (setup() < 0) return 1;
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5; /* on, no interrupt, not from the 1 MHz reference */
    for (step = 0; step < 10 * RATE; step++) {
        uint32_t begin = SYST_CVR, took;
        if (tick(step) < 0) return 2;
        took = 5 * ((begin - SYST_CVR) & 0xffffff);
        sum += took / 64;
        if (took > most) worst_ms = (uint32_t)step * 1000 / RATE;
        if (took > most) most = took;
    }
    look(&angle, &place);
    standing = angle * angle < 1e-4f && place * place < 4e-4f;
    printf("balancer: %s, %u instructions a tick, at most %u at %u ms; world %u bytes\n", standing ? "stands" : "has fallen",
           (unsigned)(64 * (sum / (10 * RATE))), (unsigned)most, (unsigned)worst_ms, (unsigned)sizeof world);
    return standing && most < 200000000u / RATE * 10 / 16 ? 0 : 3;
}
