/* Run every scene for 1000 steps and print a hash of its whole state: the same on every machine.
   Lines are "selfcheck CODE - DETAIL", "scene NAME - HASH", "hash float|double small|all HASH"; small are the
   scenes that fit an AVR.  In wasm the loader prints. */
#include "scenes.h"
#include <stdint.h>
#ifdef __wasm__
extern void say(const char *what, const char *a, const char *b, uint32_t value);
#else
#include <stdio.h>
static void say(const char *what, const char *a, const char *b, uint32_t value)
{
    printf("%s %s %s %08lx\n", what, a, b, (unsigned long)value);
}
#endif
#ifdef __AVR__
#include "avr_port.h"
#endif

#ifndef STEPS
#define STEPS 1000
#endif

static nsc_world world;

/* FNV-1a, low byte first whatever the machine */
static void feed_word(uint32_t *hash, uint32_t word)
{
    int i;
    for (i = 0; i < 4; i++) *hash = (*hash ^ (word >> (8 * i) & 0xff)) * UINT32_C(16777619);
}

static void feed(uint32_t *hash, const nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++) {
#ifdef NSC_DOUBLE
        uint64_t bits;
        NSC_MEMCPY(&bits, &x[i], sizeof bits);
        feed_word(hash, (uint32_t)(bits >> 32));
#else
        uint32_t bits;
        NSC_MEMCPY(&bits, &x[i], sizeof bits);
#endif
        feed_word(hash, (uint32_t)bits);
    }
}

static void feed_vec(uint32_t *hash, nsc_vec3 v)
{
    feed(hash, &v.x, 1);
    feed(hash, &v.y, 1);
    feed(hash, &v.z, 1);
}

static void feed_state(uint32_t *hash, const nsc_world *w)
{
    const nsc_step_report *r = nsc_world_report(w);
    int i;
    for (i = 0; i < w->body_end; i++) {
        const nsc_body *b = &w->bodies[i];
        feed_vec(hash, b->position);
        feed(hash, &b->orientation.w, 1);
        feed(hash, &b->orientation.x, 1);
        feed(hash, &b->orientation.y, 1);
        feed(hash, &b->orientation.z, 1);
        feed_vec(hash, b->velocity);
        feed_vec(hash, b->angular_velocity);
        feed(hash, &b->mass, 1);
        feed(hash, b->inv_inertia, 6);
    }
    for (i = 0; i < nsc_world_contact_count(w); i++) {
        const nsc_contact *c = nsc_world_contact(w, i);
        feed_word(hash, (uint32_t)c->feature);
        feed_word(hash, (uint32_t)c->matched);
        feed_vec(hash, c->point);
        feed_vec(hash, c->normal);
        feed_vec(hash, c->impulse);
        feed(hash, &c->gap, 1);
        feed(hash, &c->approach, 1);
    }
    feed_word(hash, (uint32_t)r->contacts);
    feed_word(hash, (uint32_t)r->solver.status);
    feed_word(hash, (uint32_t)r->solver.iterations);
    feed(hash, &r->solver.residual, 1);
    feed(hash, &r->solver.eta, 1);
    feed(hash, &r->solver.objective, 1);
}

static uint32_t run(int i)
{
    uint32_t hash = UINT32_C(2166136261);
    int step, code = scene_begin(&world, i);
    for (step = 0; step < STEPS && code == NSC_OK; step++) {
        code = scene_step(&world, step);
        feed_state(&hash, &world);
    }
    feed_word(&hash, (uint32_t)code);
    return hash;
}

int main(void)
{
    const char *real = sizeof(nsc_real) == 8 ? "double" : "float";
    uint32_t total = UINT32_C(2166136261);
    unsigned detail = 0;
    int i, code;
#ifdef __AVR__
    avr_init();
#endif
    code = nsc_world_selfcheck(&world, &detail);
    say("selfcheck", code == NSC_OK ? "ok" : "failed", "-", detail);
    for (i = 0; i < SCENE_COUNT; i++) {
        uint32_t hash = run(i);
        feed_word(&total, hash);
        say("scene", scenes[i].name, "-", hash);
        if (i + 1 == SCENE_SMALL_COUNT) say("hash", real, "small", total);
        if (i + 1 == SCENE_COUNT && i >= SCENE_SMALL_COUNT) say("hash", real, "all", total);
    }
#ifdef __AVR__
    avr_exit(code != NSC_OK);
#endif
    return code != NSC_OK;
}
