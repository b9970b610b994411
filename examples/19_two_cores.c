/* A pyramid of 210 boxes, solved by one core and then by two: nsc_calls.parallel with threads.  The
   motion is the same to the last bit, because the result does not depend on how the work is shared.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for several cores (nsc_cores.h, nsc_waves.h),
   for many shapes (nsc_strips.h) and for hashes (nsc_image.h).
   cc -std=c11 -O2 -ffp-contract=off -pthread -I.. -Ikit 19_two_cores.c -lm
   Expected: "the same bits".  The sweeps take about half as long on two free cores, but finding
   contacts stays on one, and a sweep waits about ten times until both are ready: what remains is a
   gain where many bodies touch and sweeps are many.  If another program has the second core, each
   thread waits for the other, and times say nothing about nsc: only steps count in which both threads
   had a core all the time. */
#define NSC_PARALLEL 1
#define NSC_MAX_BODIES 211
#define NSC_STRIPS 1
#define NSC_MAX_CONTACTS 2048
#define NSC_ARENA NSC_ARENA_WAVES(0L + NSC_MAX_BODIES, NSC_MAX_BLOCKS)
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__STDC_NO_ATOMICS__) && !defined(__TINYC__)
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* ---- two cores.  A wave of work lasts some microseconds, so the second thread waits for the next
   in a loop.  Waking a sleeping thread would take longer than the work. */

static struct {
    void (*work)(void *job, int part);
    void *job;
    atomic_uint begun, done; /* rounds */
    atomic_int over;
} team;

/* Wait until a round counter is `round`; after a while let others run. */
static int wait_for(atomic_uint *counter, unsigned round)
{
    int turns = 0;
    while (atomic_load_explicit(counter, memory_order_acquire) != round) {
        if (atomic_load_explicit(&team.over, memory_order_relaxed)) return 0;
        if (++turns > 2000) sched_yield();
    }
    return 1;
}

static void *second(void *unused)
{
    unsigned round = 1;
    for (; wait_for(&team.begun, round); round++) {
        team.work(team.job, 1);
        atomic_store_explicit(&team.done, round, memory_order_release);
    }
    return unused;
}

/* nsc_calls.parallel with parts = 2 */
static void two_cores(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    unsigned round = atomic_load_explicit(&team.begun, memory_order_relaxed) + 1;
    (void)user;
    (void)parts;
    team.work = work;
    team.job = job;
    atomic_store_explicit(&team.begun, round, memory_order_release);
    work(job, 0);
    wait_for(&team.done, round);
}

/* ---- the pyramid */

static nsc_world one, two;

static int build(nsc_world *w)
{
    enum { ROWS = 20 };
    const nsc_real half = NSC_R(0.25);
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(half, half, half);
    int row, i;
    if (nsc_world_init(w, &def) < 0) return -1;
    if (nsc_world_add_shape(w, NSC_GROUND, &ground) < 0) return -1;
    for (row = 0; row < ROWS; row++)
        for (i = 0; i < ROWS - row; i++) {
            body.pose.position.x = NSC_R(1.1) * half * (nsc_real)(2 * i + row);
            body.pose.position.z = half * (nsc_real)(2 * row + 1);
            if (nsc_world_add_shape(w, nsc_world_add_body(w, &body), &box) < 0) return -1;
        }
    return 0;
}

static double now(void) /* [us] */
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

enum { BLOCKS = 8, STEPS = 6, ENOUGH = 4 };

/* Time of a step [ms], of a block of steps; negative: one failed.  *whole: both threads had a core all the time, for they never
   sleep, and what they took of the processors is twice the time, but for the grain of clock(). */
static double timed(nsc_world *w, const nsc_calls *calls, int *whole)
{
    clock_t taken = clock();
    double began = now(), time;
    int i, code = 0;
    for (i = 0; i < STEPS && code >= 0; i++) code = nsc_world_step_with(w, NSC_R(0.016), calls);
    time = now() - began;
    *whole = 1e6 * (double)(clock() - taken) / CLOCKS_PER_SEC > 1.75 * time;
    return code < 0 ? -1 : time / STEPS / 1000;
}

static int rises(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(double *t, int n)
{
    qsort(t, (size_t)n, sizeof *t, rises);
    return t[n / 2];
}

int main(void)
{
    nsc_calls calls = nsc_default_calls(), on_both = nsc_default_calls();
    pthread_t thread;
    double alone[BLOCKS], together[BLOCKS], ratio[BLOCKS];
    int i, had_one, had_both, n = 0, same;
    on_both.parallel = two_cores;
    on_both.parts = 2;
    if (build(&one) < 0 || build(&two) < 0) return 1;
    if (pthread_create(&thread, NULL, second, NULL) != 0) return 1;
    for (i = 0; i < BLOCKS; i++) { /* in turn, so that both meet the same load */
        alone[n] = timed(&one, &calls, &had_one);
        together[n] = timed(&two, &on_both, &had_both);
        if (alone[n] < 0 || together[n] < 0) return 1;
        ratio[n] = alone[n] / together[n];
        n += had_one && had_both;
    }
    atomic_store(&team.over, 1);
    pthread_join(thread, NULL);
    same = nsc_world_hash(&one) == nsc_world_hash(&two);
    printf("%d contacts, %d sweeps in the last step\n", nsc_world_report(&one)->contacts,
           nsc_world_report(&one)->solver.iterations);
    if (n >= ENOUGH)
        printf("210 boxes: one core takes %.1f ms a step, two take %.1f ms, %.2f times as quick%s; %s bits\n", middle(alone, n), middle(together, n),
               middle(ratio, n), middle(ratio, n) < 1 ? ", no gain on this machine" : "", same ? "the same" : "NOT THE SAME");
    else
        printf("210 boxes on two cores: %s bits; how quick cannot be told, other programs had a core in %d of %d times %d steps\n",
               same ? "the same" : "NOT THE SAME", BLOCKS - n, (int)BLOCKS, (int)STEPS);
    return !same;
}

#else
int main(void)
{
    printf("skipped: needs POSIX threads and C11 atomics\n");
    return 0;
}
#endif
