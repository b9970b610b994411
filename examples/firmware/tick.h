/* What main.c, rover16.c and cart.c share: a timer that ticks, calls that must not fail, and numbers for
   a printf without floats.  For a Cortex-M with picolibc.  The program includes nsc.h before it, and
   defines
       RATE                    ticks a second
       CLOCK                   of SysTick [Hz] */
#include <stdio.h>
#include <stdlib.h>

#define PERIOD ((uint32_t)CLOCK / RATE) /* timer counts from tick to tick */
#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u) /* counts down from PERIOD - 1 */

static volatile uint32_t ticks; /* written by the interrupt alone */
static uint32_t ticks_done, overruns;

/* picolibc's vector table finds it by this name.  It only counts: nsc belongs to the main loop, no
   locks. */
void arm_systick_isr(void);
void arm_systick_isr(void) { ticks++; }

/* For calls that fail only by a mistake in the program, or a broken machine.  Then the safe state:
   timer off, say why, stop.  A product switches its motors off here and starves its watchdog. */
#define MUST(call) must(#call, call)
static int must(const char *what, int code)
{
    if (code >= 0) return code;
    SYST_CSR = 0;
#ifdef NSC_NO_TEXTS
    printf("HALT %s: %d\n", what, code);
#else
    printf("HALT %s: %s\n", what, nsc_error_text(code));
#endif
    exit(1);
}

/* Start the timer. */
static void tick(void) { SYST_RVR = PERIOD - 1, SYST_CVR = 0, SYST_CSR = 7; } /* on, with interrupt, by CLOCK */

/* Sleep until the next tick; ticks missed are counted and let go.  Interrupts are masked between
   the question and WFI, which wakes for a masked one too. */
static void wait_for_tick(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
    while (ticks == ticks_done) __asm__ volatile("wfi\n cpsie i\n isb\n cpsid i" ::: "memory");
    overruns += ticks - ticks_done - 1;
    ticks_done = ticks;
    __asm__ volatile("cpsie i" ::: "memory");
}

/* Rounded */
static int whole(nsc_real x) { return (int)(x + (x < 0 ? -0.5f : 0.5f)); }
