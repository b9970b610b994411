/* Paint the stack, run every scene and problem, see how deep it was used: prints "stack BYTES", calls of scene_step and above
   not included.  For a Cortex-M. */
#include "scenes.h"
#include <stdio.h>

enum { PAINTED = 3072, STEPS = 128 };
static nsc_world world;

/* deepest byte changed below this frame while f ran */
__attribute__((noinline)) static int depth_of(int (*f)(nsc_world *, int), int argument)
{
    volatile unsigned char *top, *p;
    __asm__ volatile("mov %0, sp" : "=r"(top));
    top -= 32; /* clear of the frames between */
    for (p = top - PAINTED; p < top; p++) *p = 0xa5;
    f(&world, argument);
    for (p = top - PAINTED; p < top && *p == 0xa5; p++) {}
    return p < top ? (int)(top - p) + 32 : 0;
}

static int begin(nsc_world *w, int i) { return scene_begin(w, i); }

static int problem(nsc_world *w, int i)
{
    nsc_problem p;
    nsc_settings s;
    nsc_report r;
    (void)w;
    return scene_problem_begin(&p, &s, i) < 0 ? -1 : scene_problem_solve(&p, &s, i, 0, &r);
}

int main(void)
{
    int i, step, used, most = 0;
    for (i = 0; i < SCENE_COUNT; i++) {
        used = depth_of(begin, i);
        if (used > most) most = used;
        for (step = 0; step < STEPS; step++) {
            used = depth_of(scene_step, step);
            if (used > most) most = used;
        }
    }
    for (i = 0; i < SCENE_PROBLEM_COUNT; i++) {
        used = depth_of(problem, i);
        if (used > most) most = used;
    }
    printf("stack %d\n", most);
    return most >= PAINTED;
}
