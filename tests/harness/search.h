/* search.h - random searches that say what they found: the seed, and a smaller case.

   A trial draws all it needs by uniform() and below() and returns whether its statement holds; it may CHECK as well:

       static int a_ball_bounces(void)
       {
           double e = uniform(0, 1), rise = bounce(e);
           said("it rises to %g", rise);
           return rise <= e * e;
       }
       search("a ball bounces", a_ball_bounces, trials(40, 400));

   Numbers are the same with every compiler and on every run; TEST_SEED=N starts each search elsewhere, TEST_SEED=fresh by the
   clock.  When a trial fails, it is tried again with fewer and simpler draws for as long as the same check fails; the smallest
   is printed, with what it said(), and with the TEST_SEED and TEST_TRIAL that run the trial as it was found, alone. */
#ifndef NSC_TEST_SEARCH_H
#define NSC_TEST_SEARCH_H
#include "test.h"
#include <time.h>

enum { SEARCH_DRAWS = 1 << 15, SEARCH_RUNS = 2000, SEARCH_SECONDS = 5, SEARCH_LINES = 60 };

typedef struct test_draw {
    double low, high, value;
    int whole; /* one of 0, 1, .. high - 1 */
} test_draw;

typedef struct test_draws {
    test_draw of[SEARCH_DRAWS];
    int count; /* may be more than fit */
} test_draws;

/* Of the run, of the smallest that failed, and what is played instead of random numbers */
static test_draws search_drawn, search_kept, search_played;
static int search_records, search_plays, search_tells, search_aside;

static test_case search_own; /* stands for the trial's answer, where a check would be the one that failed */

static uint32_t seed = 12345;

static inline void search_copy(test_draws *to, const test_draws *from)
{
    memcpy(to->of, from->of, (size_t)from->count * sizeof *from->of);
    to->count = from->count;
}

/* The draw that a reader need not think about */
static inline double search_simplest(double low, double high) { return low <= 0 && 0 < high ? 0 : low; }

/* Numbers that are no part of the case: of a method by which the test judges */
static inline double unrecorded(double low, double high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

static inline double search_play(int at, double low, double high, int whole)
{
    const test_draw *d;
    double x;
    if (at >= search_played.count + SEARCH_DRAWS) return unrecorded(low, high); /* a loop that waits for other numbers */
    if (at >= search_played.count) return search_simplest(low, high);
    d = &search_played.of[at];
    if (d->low - low == 0 && d->high - high == 0 && d->whole == whole) return d->value;
    x = d->high > d->low ? low + (high - low) * (d->value - d->low) / (d->high - d->low) : low;
    if (!(low <= x && x < high)) x = low;
    return whole ? (double)(int)x : x;
}

static inline double search_draw(double low, double high, int whole)
{
    double x;
    if (search_plays && !search_aside) x = search_play(search_drawn.count, low, high, whole);
    else {
        x = unrecorded(low, high);
        if (whole) x = (double)(int)x;
    }
    if (!search_records || search_aside) return x;
    if (search_drawn.count < SEARCH_DRAWS) {
        test_draw *d = &search_drawn.of[search_drawn.count];
        d->low = low, d->high = high, d->value = x, d->whole = whole;
    }
    search_drawn.count++;
    return x;
}

/* From low to high, which is left out; and one of 0 .. n - 1 */
static inline double uniform(double low, double high) { return search_draw(low, high, 0); }
static inline int below(int n) { return (int)search_draw(0, n, 1); }

/* What is drawn between these two is no part of the case, and the same for the same number. */
static uint32_t search_own_seed;
static inline void aside_begin(uint32_t number)
{
    search_own_seed = seed, search_aside = 1;
    seed = number;
}

static inline void aside_end(void)
{
    seed = search_own_seed, search_aside = 0;
}

#define said(...) \
    (search_tells ? (void)(printf("    "), printf(__VA_ARGS__), printf("\n")) : (void)0)

/* The number of the trial, from 0, modulo n: so that all of a table come about */
static int search_number;
static inline int nth(int n)
{
    uint32_t kept = seed;
    int is = below(n);
    seed = kept;
    if (search_plays) return is;
    is = search_number % n;
    if (search_records && !search_aside && search_drawn.count <= SEARCH_DRAWS) search_drawn.of[search_drawn.count - 1].value = is;
    return is;
}

/* NULL if the statement holds; else the check that failed first */
static inline const test_case *search_run(int (*trial)(void))
{
    int holds;
    search_drawn.count = 0, search_records = 1, test_searching = 1, test_seen = NULL;
    holds = trial();
    search_records = test_searching = 0;
    return test_seen ? test_seen : holds ? NULL : &search_own;
}

/* ---- A smaller case */

static inline int search_is_simple(const test_draw *d)
{
    double away = d->value - search_simplest(d->low, d->high);
    return !(away > 0 || away < 0);
}

/* Few draws, few that are not simple, of few digits; and these early, that what follows them may be left out */
static inline double search_cost(const test_draws *draws)
{
    char text[40];
    double sum = 0;
    int i;
    for (i = 0; i < draws->count; i++) {
        const test_draw *d = &draws->of[i];
        int digits = snprintf(text, sizeof text, "%.9g", d->value);
        sum += 1;
        if (!search_is_simple(d)) sum += 2 + 1e-6 * i + (d->whole && d->value < 20 ? d->value / 4 : digits);
    }
    return sum;
}

typedef struct search_state {
    int (*trial)(void);
    const test_case *failed;
    double cost;
    int runs;
    uint32_t begin; /* the seed */
    clock_t began;
} search_state;

static inline int search_spent(const search_state *s)
{
    return s->runs >= SEARCH_RUNS || clock() - s->began > SEARCH_SECONDS * CLOCKS_PER_SEC;
}

/* Plays search_played; 1 if it costs less and the same check fails, and then it is kept. */
static inline int search_try(search_state *s)
{
    double cost;
    if (search_spent(s)) return 0;
    s->runs++;
    search_plays = 1, seed = s->begin;
    if (search_run(s->trial) != s->failed || search_drawn.count > SEARCH_DRAWS) return 0;
    cost = search_cost(&search_drawn);
    if (cost >= s->cost) return 0;
    s->cost = cost;
    search_copy(&search_kept, &search_drawn);
    return 1;
}

/* Draws from `at` on are made simple, or left out */
static inline int search_chunk(search_state *s, int at, int size, int leave_out)
{
    test_draws *p = &search_played;
    int i;
    search_copy(p, &search_kept);
    for (i = at; i < at + size && !leave_out; i++) p->of[i].value = search_simplest(p->of[i].low, p->of[i].high);
    if (leave_out) {
        memmove(&p->of[at], &p->of[at + size], (size_t)(p->count - at - size) * sizeof *p->of);
        p->count -= size;
    }
    return search_try(s);
}

static inline void search_value(search_state *s, int at, double x)
{
    const test_draw *d = &search_kept.of[at];
    if (at >= search_kept.count || !(d->low <= x && x < d->high)) return;
    search_copy(&search_played, &search_kept);
    search_played.of[at].value = x;
    (void)search_try(s);
}

static inline void search_round(search_state *s, int at)
{
    static const double first[4] = {0, 1, -1, 0.5};
    test_draw d = search_kept.of[at];
    double mean = d.low + (d.high - d.low) / 2;
    char text[40];
    int i;
    if (search_is_simple(&d)) return;
    search_value(s, at, d.low);
    if (d.whole) {
        for (i = 1; i < 8; i++) search_value(s, at, i);
        search_value(s, at, (double)(int)(d.value / 2));
        search_value(s, at, d.value - 1);
        return;
    }
    for (i = 0; i < 4; i++) search_value(s, at, first[i]);
    search_value(s, at, mean);
    for (i = 1; i <= 4; i++) {
        snprintf(text, sizeof text, "%.*g", i, d.value);
        search_value(s, at, strtod(text, NULL));
    }
}

static inline void search_shrink(search_state *s)
{
    double before;
    do {
        int size, at, leave_out;
        before = s->cost;
        for (leave_out = 0; leave_out < 2; leave_out++)
            for (size = search_kept.count; size > 0; size /= 2)
                for (at = 0; at + size <= search_kept.count;)
                    if (!search_chunk(s, at, size, leave_out) || !leave_out) at += size;
        for (at = 0; at < search_kept.count; at++) search_round(s, at);
    } while (s->cost < before && !search_spent(s));
}

/* As short as it can be read back */
static inline void search_number_text(double x, char *text, size_t size)
{
    snprintf(text, size, "%.9g", x);
    if (strtod(text, NULL) - x != 0) snprintf(text, size, "%.17g", x);
}

/* The draws in their order; where there are many, those that are simplest are only counted */
static inline void search_print(void)
{
    int i = 0, lines = 0, column = 0;
    while (i < search_kept.count && lines < SEARCH_LINES) {
        const test_draw *d = &search_kept.of[i];
        char value[40], text[160];
        int same = 1, simple = 0, length;
        while (search_kept.count > SEARCH_LINES && i + simple < search_kept.count && search_is_simple(d + simple)) simple++;
        while (i + same < search_kept.count && memcmp(d, d + same, sizeof *d) == 0) same++;
        search_number_text(d->value, value, sizeof value);
        if (simple > same) length = snprintf(text, sizeof text, "%d draws that are 0 or the least", simple);
        else if (d->whole) length = snprintf(text, sizeof text, "below(%g) = %s", d->high, value);
        else length = snprintf(text, sizeof text, "uniform(%.9g, %.9g) = %s", d->low, d->high, value);
        if (simple <= same && same > 1) length += snprintf(text + length, sizeof text - (size_t)length, ", %d times", same);
        i += simple > same ? simple : same;
        if (column && column + length > 100) lines++, column = 0, printf("\n");
        column += printf("%s%s", column ? "; " : "    ", text);
    }
    printf("%s", column ? "\n" : "");
    if (i < search_kept.count) printf("    and %d draws more\n", search_kept.count - i);
}

/* ---- The search */

static inline void search_tell(int (*trial)(void), const test_case *failed, uint32_t begin, const char *name)
{
    unsigned long comparisons = test_comparisons;
    search_state s;
    memset(&s, 0, sizeof s);
    s.trial = trial, s.failed = failed, s.begin = begin, s.began = clock();
    if (search_drawn.count > SEARCH_DRAWS) {
        printf("  %d draws are too many to look for a smaller case\n", search_drawn.count);
        return;
    }
    search_copy(&search_kept, &search_drawn);
    s.cost = search_cost(&search_kept);
    search_shrink(&s);
    printf("  smaller, after %d runs, with %d draws:\n", s.runs, search_kept.count);
    search_print();
    search_copy(&search_played, &search_kept);
    search_plays = 1, seed = begin;
    if (search_run(trial) != failed) printf("    run again it holds: %s depends on what was before\n", name);
    test_comparisons = comparisons;
    search_tells = 1, search_drawn.count = 0, search_records = 1, seed = begin;
    (void)trial();
    search_tells = search_records = search_plays = 0;
}

/* TEST_SEED, if it is given: that of the trial in TEST_TRIAL, else another for each search */
static inline void search_begin(const char *full)
{
    const char *from = getenv("TEST_SEED");
    if (from) seed = strcmp(from, "fresh") == 0 ? (uint32_t)time(NULL) : (uint32_t)strtoul(from, NULL, 0);
    if (from && !getenv("TEST_TRIAL")) seed = test_hash(full, (seed ^ seed >> 15) * UINT32_C(2654435769));
}

/* For trials of which some may fail: what is about one that did, from its seed and number, as search() says it */
static inline void search_show(const char *name, int (*trial)(void), uint32_t begin, int number)
{
    const test_case *failed;
    seed = begin, search_number = number;
    printf("    wrong: TEST_SEED=%lu TEST_TRIAL='%d %s%s%s'\n", (unsigned long)begin, number + 1, name, *test_label ? ", " : "", test_label);
    failed = search_run(trial);
    if (failed) search_tell(trial, failed, begin, name);
}

/* 1 if all trials were made, from the program's own seed, and hold: then what they came across may be counted on */
static inline int search_at(const char *name, int (*trial)(void), int trials, const char *file, int line)
{
    const char *only = getenv("TEST_TRIAL"), *from = getenv("TEST_SEED");
    const test_case *failed = NULL;
    char full[240], *rest = full;
    uint32_t begin = seed;
    int i = 0;
    snprintf(full, sizeof full, "%s%s%s", name, *test_label ? ", " : "", test_label);
    if (only) {
        i = (int)strtol(only, &rest, 10) - 1;
        if (i < 0 || *rest != ' ' || strcmp(rest + 1, full) != 0) return 0;
        trials = i + 1, test_tried = 1;
    }
    search_begin(full);
    for (; i < trials && !failed; i++) {
        begin = seed, search_number = i;
        failed = search_run(trial);
    }
    if (failed) printf("FAILED %s: TEST_SEED=%lu TEST_TRIAL='%d %s'\n", full, (unsigned long)begin, i, full), fflush(stdout);
    else if (only) printf("%s: trial %d from seed %lu holds\n", full, i, (unsigned long)begin);
    if (failed) search_tell(trial, failed, begin, full);
    if (trials <= 0) printf("FAILED %s: no trial was to be made\n", full);
    test_check(!failed && trials > 0, name, file, line);
    return !failed && trials > 0 && !only && !from;
}

#define search(name, trial, trials) search_at(name, trial, trials, __FILE__, __LINE__)

#endif
