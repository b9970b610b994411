/* Run every scene for 400 steps (with other steppers than the default 100) and print a hash of its whole state: the same on every machine.
   With -DSTEPS=100 a quarter of that, for slow emulators.
   Lines are "selfcheck CODE - DETAIL", "scene NAME - HASH", "problem NAME - HASH", "hash400|hash100 float|double small|joint|all|parts|waves HASH";
   parts comes of a build with -DSCENES_PARTS=1, which runs those scenes alone, waves of one with -DSCENES_WAVES=1;
   those "by waves" run as plain loops too and hash as 0 if that has other bits;
   small and joint are the scenes that fit an AVR; problems go to the solvers with no world.  The others are also looked at (rays, drawing, dump), and now and then saved and loaded:
   the image, too, is the same on every machine.  In wasm the loader prints.  tests/bits/test_same_bits.c takes all but the main. */
#include "scenes.h"
#include <stdint.h>
#if defined(HASH_NO_MAIN)
#elif defined(__wasm__) && !defined(__EMSCRIPTEN__)
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
#define STEPS 400
#endif
#define HASH (STEPS == 400 ? "hash400" : "hash100")

static nsc_world world;

#ifdef FLUSH
/* Subnormal numbers count as 0 from now on, where the processor can be told so. */
static void flush_subnormals(void)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" : : "r"(mode | 1u << 24));
#elif defined(__ARM_FP)
    uint32_t mode;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(mode));
    __asm__ volatile("vmsr fpscr, %0" : : "r"(mode | 1u << 24));
#endif
}
#endif

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
#if NSC_MAX_JOINTS > 0
    for (i = 0; i < w->joint_end; i++) {
        nsc_id id = (nsc_id)((int32_t)3 << 29 | (int32_t)(w->joints[i].generation / 2) << 14 | i);
        nsc_vec3 force, torque;
        nsc_real distance, angle;
        int axis;
        for (axis = 0; axis < 3; axis++) {
            nsc_axis_state state;
            if (nsc_joint_get_axis(w, id, axis, &state) == NSC_OK) feed(hash, &state.position, 6);
        }
        if (nsc_joint_get_force(w, id, &force, &torque) == NSC_OK) feed_vec(hash, force), feed_vec(hash, torque);
        if (nsc_joint_get_drift(w, id, &distance, &angle) == NSC_OK) feed(hash, &distance, 1), feed(hash, &angle, 1);
        feed(hash, w->joints[i].impulse, NSC_JOINT_ROWS);
    }
#endif
    for (i = 0; i < r->islands; i++) {
        const nsc_island *island = nsc_world_island(w, i);
        feed_word(hash, (uint32_t)island->bodies);
        feed_word(hash, (uint32_t)island->asleep);
        feed_word(hash, (uint32_t)island->iterations);
        feed(hash, &island->residual, 1);
    }
    feed_word(hash, (uint32_t)r->asleep);
    feed_word(hash, (uint32_t)r->contacts);
    feed_word(hash, (uint32_t)r->solver.status);
    feed_word(hash, (uint32_t)r->solver.iterations);
    feed(hash, &r->solver.residual, 1);
    feed(hash, &r->solver.eta, 1);
    feed(hash, &r->solver.objective, 1);
}

#if SCENES_SMALL != 2
static void feed_hit(uint32_t *hash, int code, const nsc_hit *hit)
{
    feed_word(hash, (uint32_t)(int32_t)code);
    if (code != 1) return;
    feed_word(hash, (uint32_t)hit->shape);
    feed_vec(hash, hit->point);
    feed_vec(hash, hit->normal);
    feed(hash, &hit->distance, 1);
}

/* rays from above, what is near a point, what an inertial unit feels */
static void feed_senses(uint32_t *hash, nsc_world *w)
{
    nsc_shape_def probe = nsc_default_sphere_def(NSC_R(0.75));
    nsc_vec3 at, acceleration, rate;
    nsc_pose mounting = probe.pose;
    nsc_hit hit;
    nsc_id ids[2];
    int i, code;
    for (i = 0; i < 4; i++) {
        at = scene_vec(NSC_R(0.0625) * (nsc_real)i, NSC_R(0.125) - NSC_R(0.0625) * (nsc_real)i, NSC_R(4.0));
        code = nsc_world_cast_ray(w, at, scene_vec(NSC_R(0.0625), NSC_R(0.0), NSC_R(-8.0)), UINT32_C(0xffffffff), &hit);
        feed_hit(hash, code, &hit);
        at.z = NSC_R(0.375);
        code = nsc_world_closest(w, at, NSC_R(1.0), UINT32_C(0xffffffff), &hit);
        feed_hit(hash, code, &hit);
    }
    probe.pose.position.z = NSC_R(0.75);
    feed_word(hash, (uint32_t)(int32_t)nsc_world_overlap(w, &probe, UINT32_C(0xffffffff), ids, 2));
    mounting.position.x = NSC_R(0.0625);
    if (nsc_body_get_imu(w, (nsc_id)((int32_t)1 << 29 | 1), mounting, &acceleration, &rate) == NSC_OK)
        feed_vec(hash, acceleration), feed_vec(hash, rate);
}
#endif

#if !SCENES_SMALL
NSCI_BITS_BEGIN /* for the builds without -ffp-contract=off */
#include "nsc_draw.h"
#include "nsc_dump.h"
NSCI_BITS_END

static void draw_line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    feed_vec((uint32_t *)user, start);
    feed_vec((uint32_t *)user, end);
    feed_word((uint32_t *)user, (uint32_t)from->colour);
}

static void draw_point(void *user, nsc_vec3 at, const nsc_draw_from *from) { draw_line(user, at, at, from); }

static void dump_text(void *user, const char *text)
{
    while (*text) feed_word((uint32_t *)user, (uint32_t)(unsigned char)*text++);
}

/* events and pictures; then through an image, and into a world that knows nothing */
static void feed_rest(uint32_t *hash, int step)
{
    static unsigned char image[2 * NSC_WORLD_STATE_SIZE];
    const nsc_step_report *r = nsc_world_report(&world);
    nsc_draw draw;
    nsc_solver *solve = scene_solve;
    const nsc_hull *const *hulls;
    const nsc_heights *const *fields;
    int i, size, pulls, hull_count, field_count;
    feed_word(hash, (uint32_t)r->newton_steps);
    feed(hash, &r->newton_change, 1);
    feed_word(hash, (uint32_t)r->unsettled);
    feed(hash, &r->step_limit, 1);
    feed_word(hash, (uint32_t)r->over_limit);
    feed_word(hash, (uint32_t)r->dropped_derivatives);
    if (step % 20 == 10) feed_word(hash, nsc_world_hash(&world)); /* rates, creep of smooth contacts, springs */
    for (i = 0; i < nsc_world_event_count(&world); i++) {
        const nsc_event *e = nsc_world_event(&world, i);
        feed_word(hash, (uint32_t)e->shape_a);
        feed_word(hash, (uint32_t)e->shape_b);
        feed_word(hash, (uint32_t)e->kind);
    }
    if (step % 100 != 20) return;
    draw.user = hash, draw.line = draw_line, draw.point = draw_point, draw.force_scale = NSC_R(0.0078125);
    feed_word(hash, (uint32_t)(int32_t)nsc_world_draw(&world, &draw, NSC_DRAW_ALL));
    feed_word(hash, (uint32_t)(int32_t)nsc_world_dump(&world, NSC_R(0.00390625), 0, dump_text, hash));
    size = nsc_world_save(&world, image, (int)sizeof image);
    feed_word(hash, (uint32_t)(int32_t)size);
    for (i = 0; i < size; i++) *hash = (*hash ^ image[i]) * UINT32_C(16777619);
    feed_word(hash, nsc_world_hash(&world));
    pulls = scene_pulls;
    hulls = world.hulls, hull_count = world.hull_count;
    fields = world.fields, field_count = world.field_count;
    scene_begin(&world, 0);
    nsc_world_set_hulls(&world, hulls, hull_count);
    nsc_world_set_fields(&world, fields, field_count);
    scene_pulls = pulls, scene_solve = solve;
    feed_word(hash, (uint32_t)(int32_t)nsc_world_load(&world, image, size));
    feed_word(hash, nsc_world_hash(&world));
}
#endif

static uint32_t run(int i)
{
    uint32_t hash = UINT32_C(2166136261);
    int step, code = scene_begin(&world, i), steps = STEPS;
    /* those take several solves a step, and soft double on a Cortex-M0+ takes its time */
    if (world.def.stepper != NSC_STEPPER_EULER_IMPLICIT_LINEARIZED || world.def.contact_model != NSC_CONTACT_HARD || world.spring_end > 0) steps /= 4;
    for (step = 0; step < steps && code == NSC_OK; step++) {
        code = scene_step(&world, step);
        feed_state(&hash, &world);
#if SCENES_SMALL != 2
        if (step % 50 == 20 && (i < SCENE_SMALL_COUNT || i >= SCENE_JOINT_COUNT)) feed_senses(&hash, &world); /* an AVR has no flash for joints and rays at once */
#endif
#if !SCENES_SMALL
        if (i >= SCENE_JOINT_COUNT) feed_rest(&hash, step);
#endif
    }
    feed_word(&hash, (uint32_t)code);
    return hash;
}

#if !SCENES_SMALL
static void feed_answer(uint32_t *hash, const nsc_problem *p, int code, const nsc_report *r)
{
    int k;
    for (k = 0; k < p->block_count; k++) feed(hash, p->blocks[k].lambda, 3);
    feed(hash, p->v, p->delassus ? p->row_count : 6 * p->body_count);
    feed_word(hash, (uint32_t)(int32_t)code);
    feed_word(hash, (uint32_t)r->solver);
    feed_word(hash, (uint32_t)r->iterations);
    feed_word(hash, (uint32_t)r->factorizations);
    feed_word(hash, (uint32_t)(int32_t)r->worst_block);
    feed_word(hash, (uint32_t)r->skipped_rows);
    feed(hash, &r->residual, 5);
}

/* A problem without a world: all that comes out, round by round */
static uint32_t run_problem(int i)
{
    uint32_t hash = UINT32_C(2166136261);
    nsc_problem p;
    nsc_settings s;
    int round, code = scene_problem_begin(&p, &s, i);
    for (round = 0; round < SCENE_ROUNDS && code >= 0; round++) {
        nsc_report r;
        code = scene_problem_solve(&p, &s, i, round, &r);
        feed_answer(&hash, &p, code, &r);
    }
    feed_word(&hash, (uint32_t)(int32_t)code);
    return hash;
}
#endif

#if SCENES_WAVES
/* By 3 parts in reverse order, and by the plain loop: both must have the same bits, and parts must have been called for. */
static uint32_t run_by_waves(int i)
{
    uint32_t plain = run(i), waves;
    scene_parts = 3, scene_shared = 0;
    waves = run(i);
    scene_parts = 0;
    return waves == plain && scene_shared > 0 ? waves : 0;
}
#endif

#ifndef HASH_NO_MAIN
int main(void)
{
    const char *real = sizeof(nsc_real) == 8 ? "double" : "float";
    uint32_t total = UINT32_C(2166136261), part = total; /* part: of small, then of joint */
    unsigned detail = 0;
    int i, code;
#ifdef __AVR__
    avr_init();
#endif
#ifdef FLUSH
    flush_subnormals();
    code = nsc_world_selfcheck(&world, &detail);
    say("selfcheck", code == NSC_FLUSHES ? "ok" : "failed", "-", detail);
#else
    code = nsc_world_selfcheck(&world, &detail);
    say("selfcheck", code == NSC_OK ? "ok" : "failed", "-", detail);
#endif
    for (i = SCENES_PARTS || SCENES_WAVES ? SCENE_PLAIN_COUNT : 0; i < SCENE_COUNT; i++) {
#if SCENES_WAVES
        uint32_t hash = scenes[i].build == scene_barrier ? run(i) : run_by_waves(i);
#else
        uint32_t hash = run(i);
#endif
        if (i == SCENE_SMALL_COUNT) part = UINT32_C(2166136261);
        feed_word(&part, hash);
        feed_word(&total, hash);
        say("scene", scenes[i].name, "-", hash);
        if (i + 1 == SCENE_SMALL_COUNT) say(HASH, real, "small", part);
        else if (i + 1 == SCENE_JOINT_COUNT) say(HASH, real, "joint", part);
    }
#if !SCENES_SMALL
    for (i = 0; i < SCENE_PROBLEM_COUNT && !SCENES_PARTS && !SCENES_WAVES; i++) {
        uint32_t hash = run_problem(i);
        feed_word(&total, hash);
        say("problem", scene_problems[i].name, "-", hash);
    }
    say(HASH, real, SCENES_PARTS ? "parts" : SCENES_WAVES ? "waves" : "all", total);
#endif
#ifdef __AVR__
    avr_exit(code < 0);
#endif
    return code < 0;
}
#endif
