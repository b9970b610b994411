/* peer_main.c - the program that count-peers runs with every engine.
   SECONDS are simulated at HERTZ; every step of second 2 is between the marks that insncount.c
   counts between.  With POSES each sixth step prints all poses, for peer_judge.c.  With BARE there
   is nothing but the engine, as in a firmware: its size is what is asked for. */
#include "peer.h"
#include <stdint.h>
#include <stdlib.h>
#ifndef BARE
#include <stdio.h>
#include <string.h>
#endif

static long live, peak, calls; /* bytes of the heap that are taken, at most, and how often */

/* In front of the memory lie its size and what malloc gave. */
typedef struct label {
    size_t size;
    void *from;
} label;

void *peer_take(size_t size, size_t align)
{
    size_t room = align > sizeof(label) ? align : sizeof(label);
    char *from = (char *)malloc(size + room + align), *memory;
    if (!from) abort();
    memory = (char *)(((uintptr_t)from + room + align - 1) & ~(uintptr_t)(align - 1));
    ((label *)(void *)memory)[-1].size = size;
    ((label *)(void *)memory)[-1].from = from;
    live += (long)size;
    calls++;
    if (live > peak) peak = live;
    return memory;
}

void peer_give(void *memory)
{
    label *l = (label *)memory - 1;
    if (!memory) return;
    live -= (long)l->size;
    free(l->from);
}

#ifdef BARE
volatile float seen;

int main(void)
{
    peer_build(1.0f / HERTZ);
    for (;;) {
        float pose[7];
        peer_step();
        peer_pose(0, pose);
        seen = pose[2];
    }
}
#else
__attribute__((noinline)) void nsc_mark_begin(void);
__attribute__((noinline)) void nsc_mark_end(void);
void nsc_mark_begin(void) { __asm__ volatile(""); }
void nsc_mark_end(void) { __asm__ volatile(""); }

static void print_poses(int step)
{
    int i, k;
    for (i = 0; i < BODIES; i++) {
        float pose[7];
        uint32_t bits[7];
        peer_pose(i, pose);
        memcpy(bits, pose, sizeof bits);
        printf("pose %d %d", step, i);
        for (k = 0; k < 7; k++) printf(" %08lx", (unsigned long)bits[k]);
        printf("\n");
    }
}

int main(void)
{
    int step, poses = 0;
    long calls_in_steps = 0;
#ifdef POSES
    poses = 1;
#endif
    peer_build(1.0f / HERTZ);
    if (poses) print_poses(0);
    for (step = 1; step <= SECONDS * HERTZ; step++) {
        int counts = step > HERTZ && step <= 2 * HERTZ;
        long before = calls;
        if (counts) nsc_mark_begin();
        peer_step();
        if (counts) nsc_mark_end();
        if (counts) calls_in_steps += calls - before;
        if (poses && step % 6 == 0) print_poses(step);
    }
    printf("heap %ld bytes at most, %ld calls in the steps\n", peak, calls_in_steps);
    return 0;
}
#endif
