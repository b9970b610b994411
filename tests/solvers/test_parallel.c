/* SIPGS on several cores, islands and waves, and on several pairs of bodies at a time, with the bits of the plain loop.  Random worlds with
   joints, rolling friction, springs in contacts, no friction; parts in scrambled order, then threads; arenas of any size. */
#define NSC_PARALLEL 1
#define NSCI_LEAST_SHARE 1 /* so that small worlds are shared */
#define NSC_MAX_BODIES 40
#define NSC_MAX_CONTACTS 160
#ifndef TEST_PART
#define NSC_MAX_JOINTS 8
#define NSC_MAX_SPRINGS 4
#endif
#define NSC_MAX_ROLLING 24
#define NSC_ARENA NSC_ARENA_WAVES(NSC_MAX_BODIES, NSC_MAX_BLOCKS)
#define NSC_IMPLEMENTATION
#include "all.h"
#include "nsc_problem.h"
#include "random.h"
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include "by.h"
#define THREADS 3 /* beside the first */
#else
#define THREADS 0
#endif

static nsc_world other;

/* ---- cores: a scrambled order, and threads ----------------------------------------------------------------------------- */

static unsigned order = 1, calls_made, most_parts;

static unsigned next(unsigned n)
{
    order = order * 1664525u + 1013904223u;
    return (order >> 8) % n;
}

static void scrambled(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    int left[8], n = parts, i;
    (void)user;
    calls_made++;
    if ((unsigned)parts > most_parts) most_parts = (unsigned)parts;
    for (i = 0; i < n; i++) left[i] = i;
    while (n > 0) {
        unsigned k = next((unsigned)n);
        work(job, left[k]);
        left[k] = left[--n];
    }
}

#if THREADS
static struct {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    void (*work)(void *job, int part);
    void *job;
    int parts, next, running, over;
} team = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, 0, 0, 0, 0};

/* Take parts until there are none; the lock is held. */
static void help(void)
{
    while (team.next < team.parts) {
        int part = team.next++;
        team.running++;
        pthread_mutex_unlock(&team.lock);
        team.work(team.job, part);
        pthread_mutex_lock(&team.lock);
        team.running--;
    }
    if (team.running == 0) pthread_cond_signal(&team.end);
}

static void *helper(void *unused)
{
    pthread_mutex_lock(&team.lock);
    while (!team.over) {
        help();
        pthread_cond_wait(&team.begin, &team.lock);
    }
    pthread_mutex_unlock(&team.lock);
    return unused;
}

static void threaded(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    (void)user;
    calls_made++;
    pthread_mutex_lock(&team.lock);
    team.work = work, team.job = job, team.parts = parts, team.next = 0;
    pthread_cond_broadcast(&team.begin);
    help();
    while (team.running > 0) pthread_cond_wait(&team.end, &team.lock);
    pthread_mutex_unlock(&team.lock);
}
#endif

/* ---- worlds ---------------------------------------------------------------------------------------------------------------- */

static int odd; /* one of so many shapes is unlike a box with friction */

static nsc_shape_def any_shape(void)
{
    double r = uniform(0.1, 0.2);
    nsc_shape_def s = below(odd) == 0   ? nsc_default_sphere_def(REAL(r))
                      : below(odd) == 0 ? nsc_default_capsule_def(REAL(r), REAL(0.1))
                                       : nsc_default_box_def(REAL(r), REAL(r), REAL(0.12));
    s.friction = REAL(below(odd) == 0 ? 0 : uniform(0.1, 0.9));
    if (below(odd) == 0) s.rolling = s.torsion = REAL(0.01);
    if (below(odd) == 0) s.stiffness = REAL(2e4), s.damping = REAL(20);
    return s;
}

static nsc_settings any_settings(nsc_settings s)
{
    static const nsc_real omegas[3] = {NSC_R(1.0), NSC_R(1.3), NSC_R(0.8)};
    s.law = below(3) ? NSC_LAW_COULOMB : 1 + below(3);
    s.max_iterations = 1 + below(60);
    s.check_interval = 1 + below(12);
    s.tolerance = REAL(below(2) ? 1e-6 : pow(10, uniform(-5, -1)));
    s.judge = below(2);
    s.warm_start = below(4) > 0;
    s.omega = omegas[below(4) ? 0 : below(3)];
    s.symmetric = below(12) == 0;
    s.stall_window = below(4) ? 0 : 1 + below(20);
    s.relative_tolerance = below(3) ? REAL(0) : REAL(uniform(.005, .3));
    return s;
}

/* Layers of bodies, some held by joints and springs, on a ground or on a platform that turns */
static void any_world(nsc_world *w)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_half_space_def();
    nsc_id last = NSC_GROUND;
    int i, n = 6 + below(NSC_MAX_BODIES - 7), wide = 1 + below(6);
    odd = below(3) ? 30 : 5;
    d.solver = any_settings(d.solver);
    d.substeps = below(4) ? 1 : 2;
    CHECK(nsc_world_init(w, &d) == NSC_OK);
    nsc_world_add_shape(w, NSC_GROUND, &s);
    if (below(2)) {
        b.kind = NSC_KINEMATIC_BODY;
        b.angular_velocity = vec(0, 0, uniform(-1, 1)), b.velocity = vec(uniform(-1, 1), 0, 0);
        s = nsc_default_box_def(2, 2, REAL(0.1));
        nsc_world_add_shape(w, nsc_world_add_body(w, &b), &s);
    }
    for (i = 0; i < n; i++) {
        nsc_id id;
        b = nsc_default_body_def();
        b.pose.position = vec(0.42 * (i % wide) + uniform(-0.05, 0.05), 0.42 * (i / wide % wide), 0.2 + 0.24 * (i / (wide * wide)));
        if (below(3) == 0) b.velocity = any_vec(1);
        s = any_shape();
        id = nsc_world_add_body(w, &b);
        nsc_world_add_shape(w, id, &s);
#if NSC_MAX_JOINTS > 0
        if (below(odd) == 0) {
            static const int kinds[4] = {NSC_JOINT_BALL, NSC_JOINT_HINGE, NSC_JOINT_SLIDER, NSC_JOINT_DISTANCE};
            nsc_joint_def j = nsc_default_joint_def(kinds[below(4)], last, id);
            nsc_joint_place(w, &j, b.pose.position, vec(1, 0, 0), vec(0, 0, 0));
            if (below(2) && j.kind == NSC_JOINT_HINGE) j.axis[0].limited = 1, j.axis[0].lower = REAL(-0.1), j.axis[0].upper = REAL(0.1);
            nsc_world_add_joint(w, &j);
        }
        if (below(12) == 0 && last != NSC_GROUND) {
            nsc_spring_def j = nsc_default_spring_def(last, id);
            j.stiffness = 100, j.damping = 1;
            nsc_world_add_spring(w, &j);
        }
#endif
        last = id;
    }
}

/* ---- problems: the same answer with any number of parts and any arena ------------------------------------------------ */

static nsc_block blocks[NSC_MAX_BLOCKS], answer[NSC_MAX_BLOCKS];
static nsc_real scratch[NSC_ARENA], answer_v[6 * NSC_MAX_BODIES];
static int stops_left;

static int stop(void *user)
{
    (void)user;
    return stops_left-- <= 0;
}

/* What a watcher is told is part of the answer. */
static uint32_t told;

static void watch(void *user, int iteration, nsc_real residual, nsc_real change)
{
    unsigned char bytes[2 * sizeof residual];
    size_t i;
    (void)user;
    memcpy(bytes, &residual, sizeof residual), memcpy(bytes + sizeof residual, &change, sizeof change);
    for (i = 0; i < sizeof bytes; i++) told = (told ^ bytes[i] ^ (uint32_t)iteration << 8) * UINT32_C(16777619);
}

static long problems, by_parts;

static int same_answers(nsc_problem p, const nsc_settings *s)
{
    size_t size = sizeof *blocks * (size_t)p.block_count, v_size = sizeof *p.v * 6 * (size_t)p.body_count;
    int stops = below(4) ? 0 : 1 + below(30), code, parts, same = 1;
    uint32_t heard;
    nsc_report plain, r;
    memcpy(blocks, p.blocks, size);
    p.stop = stops ? stop : NULL, stops_left = stops;
    p.watch = below(4) ? NULL : watch, told = 0;
    p.parallel = NULL, p.arena = NULL, p.arena_size = 0;
    code = solve_by(&p, s, &plain);
    heard = told;
    memcpy(answer, p.blocks, size), memcpy(answer_v, p.v, v_size);
    p.arena = scratch;
    for (parts = 1; parts <= 4; parts++) {
        unsigned before = calls_made;
        memcpy(p.blocks, blocks, size);
        p.parallel = scrambled, p.parts = parts;
        p.arena_size = below(3) ? (int)NSC_ARENA : below((int)NSC_ARENA);
        stops_left = stops, told = 0;
        same &= solve_by(&p, s, &r) == code && memcmp(&plain, &r, sizeof r) == 0;
        same &= memcmp(answer, p.blocks, size) == 0 && memcmp(answer_v, p.v, v_size) == 0;
        same &= told == heard;
        by_parts += calls_made > before;
    }
    problems++;
    return same;
}

/* From rest, to a tolerance that is reached sooner than the first changes let expect: sweeps made ahead are taken back. */
static int same_when_sooner(nsc_problem p)
{
    nsc_settings s = default_settings();
    int i;
    for (i = 0; i < p.block_count; i++) memset(p.blocks[i].lambda, 0, sizeof p.blocks[i].lambda);
    s.check_interval = 60, s.max_iterations = 60;
    s.tolerance = REAL(pow(10, uniform(-2, 0.5)));
    return same_answers(p, &s);
}

static nsc_calls calls_of(void (*parallel)(void *, void (*)(void *, int), void *, int), int parts)
{
    nsc_calls c;
    memset(&c, 0, sizeof c);
    c.parallel = parallel, c.parts = parts;
    return c;
}

static int tried; /* of trials */

static int parts_change_no_bits(void)
{
    nsc_calls calls = calls_of(scrambled, 1 + nth(4));
    int step;
    order = (unsigned)nth(tried);
    any_world(&world);
    memcpy(&other, &world, sizeof world);
    for (step = 0; step < 4; step++) {
        nsc_problem p;
        int code = nsc_world_step(&world, REAL(0.01));
        said("step %d of %d bodies in %d parts", step, world.body_end, calls.parts);
        CHECK(nsc_world_step_with(&other, REAL(0.01), &calls) == code && nsc_world_hash(&world) == nsc_world_hash(&other));
        if (step == 3 && nsc_world_problem(&other, REAL(0.01), 0, &p) == NSC_OK) CHECK(same_answers(p, &other.def.solver) && same_when_sooner(p));
    }
    return 1;
}

static void worlds(int n)
{
    tried = n;
    if (!search("parts change no bits", parts_change_no_bits, n)) return;
    CHECK(problems >= tried / 2 && by_parts >= tried / 2 && most_parts == 4);
}

#if THREADS
static int threads_change_no_bits(void)
{
    nsc_calls calls = calls_of(threaded, 2 + nth(3));
    int step;
    any_world(&world);
    memcpy(&other, &world, sizeof world);
    for (step = 0; step < 4; step++) {
        int code = nsc_world_step(&world, REAL(0.01));
        CHECK(nsc_world_step_with(&other, REAL(0.01), &calls) == code && nsc_world_hash(&world) == nsc_world_hash(&other));
    }
    return 1;
}

static void with_threads(int n)
{
    pthread_t thread[THREADS];
    int i, all;
    unsigned calls_before = calls_made;
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&thread[i], NULL, helper, NULL) == 0);
    all = search("threads change no bits", threads_change_no_bits, n);
    pthread_mutex_lock(&team.lock);
    team.over = 1;
    pthread_cond_broadcast(&team.begin);
    pthread_mutex_unlock(&team.lock);
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
    CHECK(!all || calls_made > calls_before);
}
#endif

/* Of 24 bodies, and blocks of any rows; body 0 is immovable, and with two_fixed the last one too. */
static nsc_problem any_problem(int count, int two_fixed)
{
    static nsc_mass mass[24];
    static nsc_real v_free[6 * 24], v[6 * 24];
    nsc_problem p;
    int i, k;
    memset(&p, 0, sizeof p);
    memset(mass, 0, sizeof mass), memset(v_free, 0, sizeof v_free);
    for (i = 1; i < (two_fixed ? 23 : 24); i++) {
        mass[i].inv_mass = mass[i].inv_inertia[0] = mass[i].inv_inertia[1] = mass[i].inv_inertia[2] = 1;
        for (k = 0; k < 6; k++) v_free[6 * i + k] = REAL(uniform(-1, 1));
    }
    p.blocks = world.scratch.solve.blocks;
    for (i = 0; i < count; i++) {
        nsc_block *b = &p.blocks[i];
        memset(b, 0, sizeof *b);
        b->rows = 3, b->kind = NSC_BLOCK_CONTACT, b->mu = REAL(0.5), b->hi[0] = REAL(0.1);
        for (k = 0; k < 36; k++) b->J[k / 12][k % 12] = REAL(uniform(-1, 1));
    }
    p.body_count = 24, p.masses = mass, p.v_free = v_free, p.v = v, p.block_count = count;
    return p;
}

/* All bodies but the first may only turn about z: none of them is immovable. */
static void turns_about_z(nsc_problem *p)
{
    static nsc_mass mass[24];
    int i;
    memset(mass, 0, sizeof mass);
    for (i = 1; i < 24; i++) mass[i].inv_inertia[2] = 1;
    p->masses = mass;
}

/* Bodies on immovable ones, which are first or second in a block, in units of one to seven contacts; some without friction,
   some soft, some blocks of joints between; arenas of every size up to what is needed */
static void lanes_of_any_kind(void)
{
    nsc_settings s = default_settings();
    nsc_problem p;
    int kind, i, n, size, bad = 0, lanes, code, plain = 0;
    uint64_t hash[2] = {0, 0};
    s.tolerance = 0;
    for (kind = 0; kind < 11; kind++) {
        int each = kind < 7 ? 1 + kind : kind == 10 ? 1 : 4;
        p = any_problem(22 * each, kind % 2);
        if (kind == 10) turns_about_z(&p);
        for (i = 0; i < p.block_count; i++) {
            nsc_block *b = &p.blocks[i];
            b->a = 1 + i / each, b->b = kind % 2 ? 23 : 0;
            if (kind % 4 >= 2) b->b = b->a, b->a = kind % 2 ? 23 : 0;
            if (kind == 7 && i % 11 == 5) b->rows = 1, b->mu = 0;
            if (kind == 8 && i % 7 == 5) b->cfm[i % 3] = REAL(0.1);
            if (kind == 9 && i % 9 == 4) b->kind = i % 2 ? NSC_BLOCK_EQUALITY : NSC_BLOCK_BOX, b->lo[0] = b->lo[1] = b->lo[2] = -1, b->hi[1] = b->hi[2] = 1;
        }
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        s.symmetric = 0;
        for (n = 0; n < 4; n++) {
            s.max_iterations = 11 + 10 * n, s.check_interval = n % 2 ? 10 : 4, s.judge = n < 2;
            p.bias_error = n == 3 ? REAL(1e-9) : 0;
            bad += !same_answers(p, &s);
        }
        s.max_iterations = 10;
        p.arena = scratch, p.bias_error = 0;
        lanes = 0;
        for (size = 0; size <= NSC_ARENA_WAVES(24, p.block_count); size += each < 3 ? 1 : 37) {
            nsc_block *x = p.blocks;
            nsc_report r;
            for (i = 0; i < p.block_count; i++) memset(x[i].lambda, 0, sizeof x[i].lambda);
            p.arena_size = size;
            for (i = 0; i < size; i++) scratch[i] = REAL(-77);
            code = solve_by(&p, &s, &r);
            if (size == 0) plain = code;
            bad += code != plain || code < 0;
            for (i = 0, hash[1] = 1; i < p.block_count; i++) {
                unsigned char bytes[sizeof x[i].lambda];
                memcpy(bytes, x[i].lambda, sizeof bytes);
                for (n = 0; n < (int)sizeof bytes; n++) hash[1] = (hash[1] ^ bytes[n]) * UINT64_C(1099511628211);
            }
            if (size == 0) hash[0] = hash[1];
            bad += hash[1] != hash[0];
            for (i = 0; i < size && scratch[i] <= REAL(-77) && scratch[i] >= REAL(-77); i++) {
            }
            lanes += i < size;
        }
        CHECK(lanes > 0); /* the arena was of use */
    }
    CHECK(bad == 0);
}

/* Contacts of pairs of bodies at arms, which vectors take: 24 bodies that all move, so that body 0 is one of a pair; `each` contacts a pair,
   with arms of at most `reach`. */
static nsc_problem pairs_at_arms(int each, double reach, double mu, int swapped)
{
    static nsc_mass own[24];
    nsc_problem p = any_problem(12 * each, 0);
    int i, r, c;
    CHECK_ONCE(12 * each <= NSC_MAX_BLOCKS);
    memcpy(own, p.masses, sizeof own);
    p.masses = own;
    for (i = 0; i < 24; i++) {
        nsc_mass *m = &own[i];
        m->inv_mass = REAL(uniform(0.5, 2));
        for (c = 0; c < 3; c++) m->inv_inertia[c] = REAL(uniform(2, 8));
    }
    for (i = 0; i < p.block_count; i++) {
        nsc_block *b = &p.blocks[i];
        nsc_vec3 n = nsci_unit(any_vec(1), vec(0, 0, 1)), t[2], arm[2];
        arm[0] = any_vec(reach), arm[1] = any_vec(reach);
        nsci_tangents(n, &t[0], &t[1]);
        b->a = i / each * 2 + swapped, b->b = i / each * 2 + 1 - swapped, b->mu = REAL(mu);
        for (r = 0; r < 3; r++) {
            nsc_vec3 d = r ? t[r - 1] : n;
            nsci_put_pair(b->J[r], nsci_neg(d), nsci_neg(nsci_cross(arm[0], d)));
            nsci_put_pair(b->J[r] + 6, d, nsci_cross(arm[1], d));
        }
    }
    CHECK_ONCE(nsc_problem_prepare(&p) == NSC_OK);
    return p;
}

#if NSCI_HAS_LANES
/* Twelve pairs of bodies share none: so many of them as a vector has lanes are visited together, and the last group takes the rest.  A
   world of pairs that hang together in one chain goes pair by pair. */
static void vectors_take_pairs_together(void)
{
    nsc_settings s = default_settings();
    nsc_problem p = pairs_at_arms(2, 0.3, 0.5, 0);
    nsci_waves w;
    nsci_run run;
    int i;
    p.arena = scratch, p.arena_size = NSC_ARENA;
    CHECK(nsci_begin(&run, NSC_SOLVER_SIPGS, &p, &s, NSC_LAW_COULOMB, NSC_LAW_PYRAMID) == NSC_OK);
    nsci_begin_waves(&w, &run);
    CHECK(w.units == 12 && w.groups == (12 + NSCI_LANE_COUNT - 1) / NSCI_LANE_COUNT);
    for (i = 0; i < p.block_count; i++) p.blocks[i].a = i / 2, p.blocks[i].b = i / 2 + 1;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(nsci_begin(&run, NSC_SOLVER_SIPGS, &p, &s, NSC_LAW_COULOMB, NSC_LAW_PYRAMID) == NSC_OK);
    nsci_begin_waves(&w, &run);
    CHECK(w.units == 0);
}
#endif

/* Vectors have the bits of the plain loop where body 0 moves, and where sweeps begin with a guess and run away from it. */
static int pairs_have_the_same_bits(void)
{
    nsc_problem p = pairs_at_arms(2 + below(4), below(2) ? 0.3 : 3, uniform(0, 4), below(2));
    nsc_settings s = any_settings(default_settings()), slow = default_settings();
    nsc_report r;
    int i, k;
    s.law = NSC_LAW_COULOMB, s.omega = 1, s.symmetric = 0;
    for (i = 0; i < p.block_count; i++)
        for (k = 0; k < 3; k++) p.blocks[i].lambda[k] = REAL(k ? 0 : uniform(0, 1));
    if (below(2)) { /* shorter steps lead close to an answer from which whole ones may run away */
        slow.omega = REAL(0.2), slow.max_iterations = 200, slow.tolerance = REAL(1e-4);
        CHECK(solve_by(&p, &slow, &r) >= 0);
        s.relative_tolerance = 0, s.judge = 0, s.max_iterations = 60, s.warm_start = 1;
    }
    return same_answers(p, &s);
}

/* With a given matrix there are no pairs of bodies: the plain loop, whatever the arena and however many parts */
static void given_matrix(void)
{
    enum { ROWS = 3 * 22 };
    static nsc_real matrix[ROWS * ROWS], rows_free[ROWS], rows_v[2][ROWS];
    nsc_settings s = default_settings();
    nsc_problem p = any_problem(22, 0);
    nsc_report r;
    unsigned before = calls_made;
    int i, k;
    for (i = 0; i < ROWS; i++) {
        rows_free[i] = REAL(uniform(-1, 1));
        for (k = 0; k < ROWS; k++) matrix[ROWS * i + k] = REAL(i == k ? 2 : i / 3 == k / 3 ? 0.5 : 0.01);
    }
    p.delassus = matrix, p.v_free = rows_free, p.body_count = 0, p.masses = NULL;
    p.arena = scratch, p.parallel = scrambled, p.parts = 3;
    for (k = 0; k < 2; k++) {
        p.v = rows_v[k], p.arena_size = k ? (int)NSC_ARENA : 0;
        for (i = 0; i < 22; i++) memset(p.blocks[i].lambda, 0, sizeof p.blocks[i].lambda);
        CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &r) == NSC_OK && r.residual < REAL(1e-5));
    }
    CHECK(memcmp(rows_v[0], rows_v[1], sizeof rows_v[0]) == 0 && calls_made == before);
}

/* A chain of plates with blocks that no world has: within one body, rolling friction of another pair than its contact, and soft ones
   within the ground, whose visits have no body that would keep their order */
static void odd_blocks(void)
{
    static nsc_mass mass[24];
    static nsc_real v_free[6 * 24], v[6 * 24];
    nsc_settings s = default_settings();
    nsc_problem p;
    int kind, i, k, bad = 0;
    for (kind = 0; kind < 4; kind++) {
        memset(&p, 0, sizeof p);
        for (i = 0; i < 24; i++) {
            nsc_block *b = &world.scratch.solve.blocks[i];
            memset(b, 0, sizeof *b);
            mass[i].inv_mass = mass[i].inv_inertia[0] = mass[i].inv_inertia[1] = mass[i].inv_inertia[2] = i > 0;
            for (k = 0; k < 6; k++) v_free[6 * i + k] = REAL(uniform(-1, 1));
            b->a = i / 2, b->b = i / 2 + 1, b->rows = 3, b->kind = NSC_BLOCK_CONTACT, b->mu = REAL(0.5), b->hi[0] = REAL(0.1);
            for (k = 0; k < 36; k++) b->J[k / 12][k % 12] = REAL(uniform(-1, 1));
            if (kind == 1 && i % 5 == 3) b->a = b->b;
            if (kind == 2 && i % 6 == 4) b->kind = NSC_BLOCK_ROLLING;
            if (kind == 3 && i % 4 == 1) b->a = b->b = 0, b->bias[0] = -1, b->cfm[0] = b->cfm[1] = b->cfm[2] = 1;
        }
        p.body_count = 24, p.masses = mass, p.v_free = v_free, p.v = v, p.block_count = 24, p.blocks = world.scratch.solve.blocks;
        CHECK(nsc_problem_prepare(&p) == NSC_OK);
        for (i = 0; i < 10; i++) {
            s.max_iterations = 1 + 5 * i, s.omega = REAL(kind == 3 ? 0.8 : 1);
            bad += !same_answers(p, &s);
        }
    }
    CHECK(bad == 0);
}

/* Piles beside each other, each an island, some bouncing: all are solved by one call of the cores, or by a few where they are
   many; with stop by none. */
static void islands_go_to_cores(int piles, int high, int calls_a_step)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_shape_def s = nsc_default_half_space_def();
    nsc_calls calls = calls_of(scrambled, 3);
    int i, k, step, bad = 0;
    unsigned before;
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
    nsc_world_add_shape(&world, NSC_GROUND, &s);
    for (i = 0; i < piles; i++)
        for (k = 0; k < high; k++) {
            nsc_body_def b = nsc_default_body_def();
            b.pose.position = vec(i, 0.01 * k, 0.1 + 0.2 * k);
            if (high > 1 && i % 3 == 2) b.velocity = vec(0, 0, -2);
            s = nsc_default_box_def(REAL(0.1), REAL(0.1), REAL(0.1));
            if (i % 3 == 2) s.restitution = REAL(0.5);
            nsc_world_add_shape(&world, nsc_world_add_body(&world, &b), &s);
        }
    memcpy(&other, &world, sizeof world);
    before = calls_made;
    for (step = 0; step < 20; step++)
        bad += nsc_world_step(&world, REAL(0.01)) != nsc_world_step_with(&other, REAL(0.01), &calls) ||
               nsc_world_hash(&world) != nsc_world_hash(&other);
    CHECK(bad == 0 && world.report.islands == piles);
    CHECK(calls_made == before + 20 * (unsigned)calls_a_step);
    calls.stop = stop, stops_left = 1000000;
    before = calls_made;
    CHECK(nsc_world_step(&world, REAL(0.01)) == nsc_world_step_with(&other, REAL(0.01), &calls));
    CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    CHECK(calls_made == before || high == 12); /* there, waves */
}

/* Two boxes so light that the Delassus matrix of their contacts is not finite: an island that cannot be built refuses the step
   whether it goes to a core or not, and takes the others along. */
static void island_without_numbers(void)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_calls calls = calls_of(scrambled, 3);
    nsc_shape_def s = nsc_default_box_def(2, 2, 2);
    nsc_body_def b = nsc_default_body_def();
    int i;
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
    b.mass = 2 * NSC_REAL_MIN, s.density = 0;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = b.mass;
    for (i = 0; i < 6; i++) {
        b.pose.position = vec(i / 2 * 6, 0, 4 * (i % 2));
        if (i == 2) b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &b), &s) >= 0);
    }
    memcpy(&other, &world, sizeof world);
    CHECK(nsc_world_step(&world, REAL(0.01)) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_world_step_with(&other, REAL(0.01), &calls) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
}

/* Problems that nsc_problem_prepare has not seen, or that lack something, are refused by the solvers. */
static void unprepared(const nsc_settings *s)
{
    nsc_report r;
    nsc_problem given = any_problem(8, 0), p;
    int i;
    for (i = 0; i < 8; i++) given.blocks[i].a = i, given.blocks[i].b = i + 1;
    CHECK(nsc_problem_prepare(&given) == NSC_OK && solve_by(&given, s, &r) >= 0);
    p = given;
    CHECK(solve_by(NULL, s, &r) == NSC_ERR_ARGUMENT);
    p.v = NULL;
    CHECK(solve_by(&p, s, &r) == NSC_ERR_ARGUMENT);
    p = given, p.v_free = NULL;
    CHECK(solve_by(&p, s, &r) == NSC_ERR_ARGUMENT);
    p = given, p.block_count = -1;
    CHECK(solve_by(&p, s, &r) == NSC_ERR_ARGUMENT);
    p = given, p.row_count = 0;
    CHECK(solve_by(&p, s, &r) == NSC_ERR_ARGUMENT);
    p.block_count = 0;
    CHECK(solve_by(&p, s, &r) == NSC_OK && r.worst_block == -1);
}

static void bad_input(void)
{
    nsc_calls calls = calls_of(scrambled, 0);
    nsc_settings s = default_settings();
    nsc_refusal r;
    nsc_problem p;
    nsc_report report;
    any_world(&world);
    CHECK(nsc_world_step_with(&world, REAL(0.01), &calls) == NSC_ERR_ARGUMENT);
    calls.parts = 2;
    CHECK(nsc_world_step_with(&world, 0, &calls) == NSC_ERR_ARGUMENT && strcmp(nsc_world_last_refusal(&world).field, "h") == 0);
    CHECK(nsc_world_step_with(&world, REAL(0.01), NULL) == NSC_OK);
    calls.parts = 0;
    CHECK(nsc_world_step_with(&world, REAL(0.01), &calls) == NSC_ERR_ARGUMENT);
    r = nsc_world_last_refusal(&world);
    CHECK(r.code == NSC_ERR_ARGUMENT && strcmp(r.field, "nsc_calls.parts") == 0 && r.value <= 0);
    calls.parallel = NULL;
    CHECK(nsc_world_step_with(&world, REAL(0.01), &calls) == NSC_OK);
    CHECK(nsc_world_problem(&world, REAL(0.01), 0, &p) == NSC_OK);
    p.parallel = scrambled, p.parts = -1;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT && solve_by(&p, &s, &report) == NSC_ERR_ARGUMENT);
    p.parts = 1;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && solve_by(&p, &s, &report) >= 0);
    p.bias_error = -1;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
    p.bias_error = 0;
    unprepared(&s);
    island_without_numbers();
}

static int never(void *user)
{
    (void)user;
    return 0;
}

/* A step with a time limit that never comes, and no function for parts, is that without calls. */
static void steps_with_a_limit_are_whole(void)
{
    unsigned before = calls_made;
    nsc_calls calls = nsc_default_calls();
    int i;
    calls.stop = never;
    any_world(&world);
    memcpy(&other, &world, sizeof world);
    for (i = 0; i < 4; i++) CHECK(nsc_world_step_with(&world, REAL(0.01), &calls) == nsc_world_step(&other, REAL(0.01)));
    CHECK(nsc_world_hash(&world) == nsc_world_hash(&other) && calls_made == before);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    worlds(trials(150, 10000));
    odd_blocks();
    islands_go_to_cores(4, 3, 1);
    islands_go_to_cores(9, 3, 1);
    islands_go_to_cores(20, 1, 2); /* no more than 16 at a time */
    islands_go_to_cores(3, 12, 1); /* 13 of 40 places each: the third waits, and is then alone */
    lanes_of_any_kind();
#if NSCI_HAS_LANES
    vectors_take_pairs_together();
#endif
    search("pairs have the same bits", pairs_have_the_same_bits, trials(100, 5000));
    given_matrix();
    bad_input();
    steps_with_a_limit_are_whole();
#if THREADS
    with_threads(trials(12, 400));
#else
    SKIP("no POSIX threads");
#endif
#if !NSC_LANES
    return TEST_END("cores");
#else
    return TEST_END("parallel");
#endif
}
