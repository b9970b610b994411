/* examples/23_arm.c on a Cortex-M4F: the same table, controller and wall, and what a tick costs: the controller alone, as a robot
   without a world would run it, and with the step.  Under QEMU's -icount shift=3 an instruction takes 8 ns, so a count of the 25 MHz
   timer is 5 instructions.  Returns 0 if it follows and presses as it does elsewhere.  run.sh builds it. */
#define NSC_MAX_BODIES 8
#define NSC_MAX_SHAPES 2
#define NSC_MAX_CONTACTS 2
#define NSC_MAX_MANIFOLDS 0
#define NSC_NO_SUBSTEPS
#define NSC_NO_ISLANDS
#define NSC_DYNAMICS_LINKS 7
#define NSC_DYNAMICS_NUMBERS 6
#define ARM_NO_MAIN
#include "../23_arm.c"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u) /* counts down */

/* Instructions since the timer stood at `begin` */
static unsigned since(uint32_t begin) { return 5 * ((begin - SYST_CVR) & 0xffffff); }

/* What each call of nsc_dynamics.h takes, in the present state */
static void costs(void)
{
    static nsc_real q[6], v[6], a[6], f[6], M[36], J[36];
    unsigned set, inverse, inertia, jacobian;
    uint32_t begin;
    nsc_dynamics_read(&model, &world, body, joint, q, v);
    begin = SYST_CVR, nsc_dynamics_set(&model, q, v), set = since(begin);
    begin = SYST_CVR, nsc_dynamics_inverse(&model, a, f), inverse = since(begin);
    begin = SYST_CVR, nsc_dynamics_inertia(&model, M), inertia = since(begin);
    begin = SYST_CVR, nsc_dynamics_jacobian(&model, 6, tip, J), jacobian = since(begin);
    printf("instructions: set %u, inverse %u, inertia %u, jacobian %u; model %u bytes\n", set, inverse, inertia, jacobian,
           (unsigned)sizeof model);
}

int main(void)
{
    unsigned sum = 0, most = 0, of_control = 0, took;
    nsc_real off = 0, force = 0, now = 0;
    int step, good;
    if (setup() < 0) return 1;
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5; /* on, no interrupt, not from the 1 MHz reference */
    for (step = 0; step < (CIRCLES + 3) * RATE; step++) {
        uint32_t begin = SYST_CVR;
        if (tick(step, &now) < 0) return 2;
        took = since(begin);
        sum += took / 64;
        if (took > most) most = took;
        if (step < CIRCLES * RATE && error > off) off = error;
        if (now > force) force = now;
        if (step % 100 == 0) {
            int stood = touched;
            begin = SYST_CVR;
            if (control(step) < 0) return 2; /* once more, alone */
            took = since(begin);
            touched = stood;
            if (took > of_control) of_control = took;
        }
    }
    costs();
    good = off < 1e-3f && force < 1.02f * wanted && now > 0.99f * wanted;
    printf("arm: %s, %u um off, at most %u mN, in the end %u; %u instructions a tick, at most %u, of which control %u; world %u bytes\n",
           good ? "follows and presses" : "is wrong", (unsigned)(1e6f * off), (unsigned)(1e3f * force), (unsigned)(1e3f * now),
           64 * (sum / ((CIRCLES + 3) * RATE)), most, of_control, (unsigned)sizeof world);
    return good ? 0 : 3;
}
