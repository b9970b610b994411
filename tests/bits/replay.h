/* replay.h - what the programs test_replay have in common: random numbers that are the same
   everywhere, a hash of answers, and what is fed to it.  Include it after nsc.h. */
#ifndef NSC_TEST_REPLAY_H
#define NSC_TEST_REPLAY_H
#include "expected.h"
#define SHARED static NSC_MAYBE_UNUSED

static uint32_t seed, hash;

SHARED int pick(int n) /* 0 .. n - 1 */
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return (int)((seed >> 16) % (uint32_t)n);
}

SHARED int chance(int percent) { return pick(100) < percent; }

/* Multiples of a power of two, so that ties and exact touches come about: -1 .. 1 in sixteenths,
   and from lo to hi in `steps` steps */
SHARED nsc_real part(void) { return NSC_R(0.0625) * (nsc_real)(pick(33) - 16); }
SHARED nsc_real between(nsc_real lo, nsc_real hi, int steps)
{
    return lo + (hi - lo) * (nsc_real)pick(steps + 1) / (nsc_real)steps;
}

SHARED nsc_vec3 at(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v);
    v.x = x, v.y = y, v.z = z;
    return v;
}

/* One call of pick() a statement: compilers evaluate arguments in what order they like. */
SHARED nsc_vec3 any_vec(nsc_real size)
{
    nsc_real x = part(), y = part(), z = part();
    return at(size * x, size * y, size * z);
}

/* ---- The hash, and what goes into it */

SHARED void feed_word(uint32_t word)
{
    hash = (hash ^ word) * UINT32_C(16777619);
    hash ^= hash >> 15;
}

SHARED void feed_int(int x) { feed_word((uint32_t)(int32_t)x); }

SHARED void feed(const nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        nsc_real y = x[i] == NSC_R(0.0) ? NSC_R(0.0) : x[i]; /* -0 is 0 */
#ifdef NSC_DOUBLE
        uint64_t bits;
        memcpy(&bits, &y, sizeof bits);
        feed_word((uint32_t)(bits >> 32));
#else
        uint32_t bits;
        memcpy(&bits, &y, sizeof bits);
#endif
        feed_word((uint32_t)bits);
    }
}

SHARED void feed_text(const char *text)
{
    while (*text) feed_word((uint32_t)(unsigned char)*text++);
}

SHARED void feed_vec(nsc_vec3 v)
{
    feed(&v.x, 1);
    feed(&v.y, 1);
    feed(&v.z, 1);
}

SHARED void feed_report(const nsc_report *r)
{
    feed_int(r->status);
    feed_int(r->solver);
    feed_int(r->iterations);
    feed_int(r->factorizations);
    feed_int(r->worst_block);
    feed_int(r->skipped_rows);
    feed(&r->residual, 1);
    feed(&r->floor, 1);
    feed(&r->eta, 1);
    feed(&r->violation, 1);
    feed(&r->objective, 1);
    feed(&r->duality_gap, 1);
}

#endif
