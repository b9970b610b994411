/* Machines that take subnormal numbers for 0 (flush-to-zero, denormals-are-zero: 32-bit NEON, vectors of a Cortex-M55,
   -ffast-math linked in by somebody) reach the same bits, because poses, velocities and rates next to 0 become 0 anyway, and so
   does what is next to 0 beside a contact's whole impulse: two copies of a world go on side by side, one of them with both bits
   set.  All must agree, those too whose bodies are given velocities of any size, down to 1e-9.  FLUSH_ROUNDS=53 in the
   environment makes 10^6 such steps.  On x86; elsewhere skipped. */
#define NSC_IMPLEMENTATION
#include "targets/scenes.h"
#include "search.h"
#include <math.h>
#if defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
#include <xmmintrin.h>

static nsc_world world, flushed;
/* 0, or a number of any size that a velocity has */
static nsc_real any_size(void)
{
    if (uniform(0, 1) < .3) return 0;
    return (nsc_real)((uniform(0, 1) < .5 ? -1 : 1) * pow(10, uniform(-9, .5)));
}

static nsc_vec3 any(void)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v);
    v.x = any_size();
    v.y = any_size();
    v.z = any_size();
    return v;
}

/* Give a body any velocity, or let it go on. */
static void disturb(void)
{
    int i = 1 + below(world.body_end - 1);
    const nsc_body *b = &world.bodies[i];
    nsc_id id = (nsc_id)((int32_t)1 << 29 | (int32_t)(b->generation / 2) << 14 | i);
    nsc_vec3 v = any(), o = any();
    if (b->kind != NSC_DYNAMIC_BODY) return;
    CHECK(nsc_body_set_velocity(&world, id, v, o) == NSC_OK);
    CHECK(nsc_body_set_velocity(&flushed, id, v, o) == NSC_OK);
}

/* Does the scene, and its copy that flushes, go on with the same bits? */
static int go_on_alike(int k, int steps, int disturbed)
{
    unsigned mode = _mm_getcsr(), flush = 0x8040;
    uint32_t one = 0, other = 0;
    int step, codes[2], same = 1;
    CHECK_ONCE(scene_begin(&world, k) == NSC_OK);
    flushed = world;
    for (step = 0; step < steps && same; step++) {
        if (disturbed && uniform(0, 1) < .1) disturb();
        codes[0] = scene_step(&world, step);
        one = nsc_world_hash(&world);
        _mm_setcsr(mode | flush);
        codes[1] = scene_step(&flushed, step);
        other = nsc_world_hash(&flushed);
        _mm_setcsr(mode);
        same = one == other && codes[0] == codes[1];
    }
    said("%s: %s bits in step %d", scenes[k].name, same ? "the same" : "other", step - 1);
    return same;
}

static int disturbed_steps;
static int a_disturbed_scene_goes_on_alike(void) { return go_on_alike(nth(SCENE_COUNT), disturbed_steps, 1); }

int main(int argc, char **argv)
{
    unsigned mode = _mm_getcsr(), detail = 0;
    volatile nsc_real least = NSC_REAL_MIN;
    int k, rounds;
    test_begin(argc, argv);
    rounds = getenv("FLUSH_ROUNDS") ? atoi(getenv("FLUSH_ROUNDS")) : trials(1, 20);
    _mm_setcsr(mode | 0x8040);
    CHECK(!(least / 2 > 0)); /* the mode is on */
    CHECK(nsc_world_selfcheck(&world, &detail) == NSC_FLUSHES);
    CHECK(detail == (NSC_CHECK_FLUSH_RESULT | NSC_CHECK_FLUSH_OPERAND));
    _mm_setcsr(mode);
    for (k = 0; k < SCENE_COUNT; k++) {
        CASE("%s", scenes[k].name);
        CHECK(go_on_alike(k, trials(200, 4000), 0));
    }
    CASE_END();
    disturbed_steps = getenv("FLUSH_ROUNDS") ? 400 : trials(60, 400);
    search("a disturbed scene goes on alike", a_disturbed_scene_goes_on_alike, rounds * SCENE_COUNT);
    return TEST_END("flush");
}
#else
int main(void)
{
    SKIP("flushing: no SSE2 here");
    return TEST_END("flush");
}
#endif
