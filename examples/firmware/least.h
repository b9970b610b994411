/* What rover16.c and cart.c share: tick.h, and a stack that is painted and watched.  For a Cortex-M
   under QEMU with picolibc, whose linker script ends the link where .data, .bss and __stack_size
   do not fit into __ram_size, or the image not into __flash_size.  The program has `world`, and
   defines
       RATE, CLOCK             as tick.h says
       INSTRUCTIONS(counts)    how many instructions a number of its counts are
       INTERRUPT               bytes of stack that one takes */
#include "tick.h"

/* Of the linker script: where RAM begins; the lower limit of the stack, and its upper end */
extern char __data_start[], __bss_end[], __stack[];
#define ROOM ((uint32_t)(__stack - __bss_end))

static uint32_t most, sum; /* of counts; sum: each tick's divided by 64 */
static uint32_t of_setup;  /* bytes of stack */

/* Setting up takes more stack than a step: definitions stand in functions of their own, one at a
   time. */
#define ALONE __attribute__((noinline)) static

enum { PAINT = 0x5a, CLEAR = 64 }; /* bytes below this frame that the painting itself may use */

/* Is the world below the stack's limit, and the stack within its room?  Then paint what is free. */
static void paint(void)
{
    volatile char *p, *here, *limit = __bss_end;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    must("world below the stack", (char *)(&world + 1) <= __bss_end ? 0 : -1);
    must("stack in its room", here > limit + CLEAR && here <= limit + ROOM ? 0 : -1);
    for (p = limit; p < here - CLEAR; p++) *p = PAINT;
}

/* Most bytes of stack used since, less than ROOM: the lowest byte must still have its paint */
static uint32_t painted(void)
{
    volatile char *p = __bss_end;
    while (p < (volatile char *)__stack && *p == PAINT) p++;
    must("the stack stays in its room", p > (volatile char *)__bss_end ? 0 : -1);
    return (uint32_t)((volatile char *)__stack - p);
}

/* The setup is done: paint again, and start the timer. */
static void begin_ticks(void)
{
    of_setup = painted();
    paint();
    tick();
}

/* A tick has done its work: what it took, and is the lowest byte of the stack untouched? */
static void end_tick(void)
{
    uint32_t counts = PERIOD - SYST_CVR;
    if (counts > most) most = counts;
    sum += counts / 64;
    must("the stack stays in its room", *(volatile char *)__bss_end == PAINT ? 0 : -1);
}

/* What a tick took and where the RAM is.  Returns 1 if no tick was late, and the stack has the room
   that it needs but no more: what the setup used, or a tick with an interrupt at its deepest, and 1
   to 63 bytes. */
static int end_ticks(uint32_t steps)
{
    uint32_t of_tick = painted() + INTERRUPT;
    uint32_t need = of_setup > of_tick ? of_setup : of_tick;
    uint32_t counts = sum / steps * 64 + sum % steps * 64 / steps;
    unsigned long all = (unsigned long)(__stack - __data_start);
    SYST_CSR = 0;
    printf("instructions a tick: mean %lu, most %lu; overruns %lu\n",
           (unsigned long)INSTRUCTIONS(counts), (unsigned long)INSTRUCTIONS(most),
           (unsigned long)overruns);
    printf("RAM %lu: world %lu, other data %lu, room for the stack %lu; ", all,
           (unsigned long)sizeof world, all - (unsigned long)(sizeof world + ROOM),
           (unsigned long)ROOM);
    printf("stack of the setup %lu, of a tick %lu\n", (unsigned long)of_setup,
           (unsigned long)of_tick);
    return overruns == 0 && need < ROOM && ROOM < need + 64;
}
