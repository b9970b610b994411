/* An RP2040 with no SDK and no boot ROM: stdio on UART0, a stop is a break, and scenes by waves are
   shared with core 1, started and told its work through the FIFO between the cores as on the chip.
   tests/targets/rp2040.mjs runs it.  A board would need clocks, pins and UART0 set up before, and a
   boot stage in front of the image. */
#ifndef RP2040_PORT_H
#define RP2040_PORT_H
#include <stdint.h>
#include <stdio.h>
#define RP2040_WORD(address) (*(volatile uint32_t *)(address))

static int rp2040_putc(char c, FILE *f)
{
    (void)f;
    while (RP2040_WORD(0x40034018) & 1u << 5) continue; /* UARTFR.TXFF */
    RP2040_WORD(0x40034000) = (uint8_t)c;
    return c;
}

static FILE rp2040_out = FDEV_SETUP_STREAM(rp2040_putc, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &rp2040_out;

void _exit(int code)
{
    (void)code;
    for (;;) __asm__ volatile("bkpt 1");
}

#if SCENES_WAVES
static uint32_t rp2040_stack[2048];
static volatile uint32_t rp2040_shares; /* calls of work that core 1 made */

static void rp2040_push(uint32_t word)
{
    while (!(RP2040_WORD(0xd0000050) & 2)) continue; /* FIFO_ST.RDY */
    __asm__ volatile("dmb" ::: "memory");
    RP2040_WORD(0xd0000054) = word;
    __asm__ volatile("sev");
}

static uint32_t rp2040_pop(void)
{
    uint32_t word;
    while (!(RP2040_WORD(0xd0000050) & 1)) __asm__ volatile("wfe"); /* FIFO_ST.VLD */
    word = RP2040_WORD(0xd0000058);
    __asm__ volatile("dmb" ::: "memory");
    return word;
}

/* The parts but the first, the last first */
static void rp2040_second(void)
{
    for (;;) {
        void (*work)(void *job, int part) = (void (*)(void *, int))rp2040_pop();
        void *job = (void *)rp2040_pop();
        int parts = (int)rp2040_pop();
        while (parts > 1) work(job, --parts);
        rp2040_shares += RP2040_WORD(0xd0000000) == 1; /* CPUID */
        rp2040_push(0);
    }
}

/* What the boot ROM of core 1 waits for, word by word, each echoed: 0, 0, 1, table of vectors,
   stack, where to begin */
static void rp2040_launch(void)
{
    uint32_t words[6] = {0, 0, 1, 0, 0, 0}, i;
    words[3] = RP2040_WORD(0xe000ed08);
    words[4] = (uint32_t)(rp2040_stack + 2048);
    words[5] = (uint32_t)rp2040_second;
    for (i = 0; i < 6; i++) {
        rp2040_push(words[i]);
        if (rp2040_pop() != words[i]) _exit(1);
    }
}

static void rp2040_both(void (*work)(void *job, int part), void *job, int parts)
{
    static uint32_t calls;
    if (calls++ == 0) rp2040_launch();
    rp2040_push((uint32_t)work);
    rp2040_push((uint32_t)job);
    rp2040_push((uint32_t)parts);
    work(job, 0);
    rp2040_pop();
    if (rp2040_shares != calls) _exit(1);
}
#endif
#endif
