/* test.h - the checks all test programs share, and what they count */
#ifndef NSC_TEST_H
#define NSC_TEST_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_is_long;

/* Two modes.  `make test` runs a program without an argument: every check function, with few random trials and short simulated
   times.  `make test-long` passes the argument "long" (the environment variable NSC_LONG=1 does the same): then all of them.
   A main that takes arguments begins with `argc = test_begin(argc, argv)`, which takes "long" away when it is the last. */
static inline int test_begin(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[argc - 1], "long") != 0) return argc;
    test_is_long = 1;
    return argc - 1;
}

static inline int test_long(void)
{
    const char *set = getenv("NSC_LONG");
    return test_is_long || (set && *set && strcmp(set, "0") != 0);
}

/* What `make test` alone leaves out, and `make test-whole`, test-long, and a program run by hand do: sample(least, usual) is the least
   there, and else the usual number. */
static inline int test_quick(void)
{
    const char *set = getenv("NSC_QUICK");
    return !test_long() && set && *set && strcmp(set, "0") != 0;
}
static inline int sample(int least, int usual) { return test_quick() ? least : usual; }

/* trials(few, many): how often to try, in the quick mode and in the long one; there only a share of them where the same is tried again,
   but as often as in the quick mode.  Where `many` is the smaller it is no number of trials (a step from one to the next) and is not shared. */
static int test_share = 1;
static inline int trials(int few, int many)
{
    if (!test_long()) return few;
    if (many <= few) return many;
    return many / test_share < few ? few : many / test_share;
}

/* ---- Cases.  A program counts statements of fact, not how often it compared: a case is a check in the source, or a text,
   under the label that CASE has set.  A case fails when any of its comparisons fails. */

enum { TEST_SLOTS = 1 << 14, TEST_CASES = TEST_SLOTS / 4 * 3, TEST_FAILURES = 3, TEST_LINES = 100 };

typedef struct test_case {
    const char *what, *file, *name; /* name: as printed, when it has failed */
    uint32_t label;
    int line, used;
    unsigned long failures;
} test_case;

static test_case test_cases[TEST_SLOTS];
static int test_count, test_failed, test_skipped, test_lines;
static unsigned long test_comparisons;
static char test_label[200], test_names[8000];
static uint32_t test_labelled;
static size_t test_named;

/* While a random search tries (see search.h), failures are seen by it and neither printed nor counted. */
static int test_searching, test_tried;
static test_case *test_seen;

static uint32_t test_hash(const char *text, uint32_t hash)
{
    while (*text) hash = (hash ^ (uint32_t)(unsigned char)*text++) * UINT32_C(16777619);
    return hash;
}

/* CASE("solver %s, law %d", name, law): what follows is about this row of a table, until the next CASE or CASE_END. */
#define CASE(...) ((void)snprintf(test_label, sizeof test_label, __VA_ARGS__), test_set_label())
#define CASE_END() CASE("%s", "")
static inline void test_set_label(void)
{
    test_labelled = *test_label ? test_hash(test_label, UINT32_C(2166136261)) : 0;
}

/* The case of a check; what and file are compared as pointers.  A table that is full is a failure, said at the end. */
static test_case *test_find(const char *what, const char *file, int line, uint32_t label)
{
    uint32_t at = ((uint32_t)(uintptr_t)what ^ label ^ (uint32_t)line << 8) * UINT32_C(2654435769) >> 18;
    test_case *c = &test_cases[at];
    while (c->used && (c->line != line || c->what != what || c->label != label || c->file != file))
        c = &test_cases[++at % TEST_SLOTS];
    if (c->used) return c;
    if (test_count <= TEST_CASES) test_count++, c->used = 1;
    c->what = what, c->file = file, c->line = line, c->label = label;
    return c;
}

/* 1 if there is more to say: the first few failures of a case are printed, and no more than 100 of all. */
static int test_fails(test_case *c, const char *what, const char *label)
{
    static char unnamed[] = "";
    char *name = &test_names[test_named];
    size_t size = strlen(what) + strlen(label) + 3;
    if (test_searching) {
        if (!test_seen) test_seen = c;
        return 0;
    }
    if (c->failures++ == 0) test_failed++;
    if (c->failures > TEST_FAILURES || test_lines == TEST_LINES) return 0;
    test_lines++;
    printf("%s:%d: FAILED %s%s%s\n", c->file, c->line, what, *label ? ", " : "", label);
    if (c->name) return 1;
    c->name = unnamed;
    if (size > sizeof test_names - test_named) return 1;
    sprintf(name, "%s%s%s", what, *label ? ", " : "", label);
    c->name = name, test_named += size;
    return 1;
}

/* By its place in the source: CHECK, and CHECK_ONCE without the label */
static int test_at(int ok, const char *what, const char *file, int line, int labelled)
{
    test_case *c = test_find(what, file, line, labelled ? test_labelled : 0);
    test_comparisons++;
    return ok ? 0 : test_fails(c, what, labelled ? test_label : "");
}

/* By its text, which may be in a buffer */
static inline int test_check(int ok, const char *text, const char *file, int line)
{
    test_case *c = test_find(NULL, file, line, test_hash(text, test_labelled ^ UINT32_C(2166136261)));
    test_comparisons++;
    return ok ? 0 : test_fails(c, text, test_label);
}

static inline void test_near(double a, double b, double tol, const char *what, const char *file, int line)
{
    int ok = a - b <= tol && b - a <= tol;
    if (test_at(ok, what, file, line, 1)) printf("    %.12g, expected %.12g +- %.3g\n", a, b, tol);
}

static inline void test_skip(const char *reason)
{
    static uint32_t seen[256];
    uint32_t hash = test_hash(reason, UINT32_C(2166136261));
    int i;
    for (i = 0; i < test_skipped && i < 256; i++)
        if (seen[i] == hash) return;
    if (test_skipped < 256) seen[test_skipped] = hash;
    test_skipped++;
    printf("skipped: %s\n", reason);
}

static int test_end(const char *name)
{
    unsigned long unseen = 0;
    int i, cases = test_count;
    for (i = 0; i < TEST_SLOTS; i++) {
        const test_case *c = &test_cases[i];
        if (c->name && c->failures > TEST_FAILURES)
            printf("%s:%d: ... and %lu more of %s\n", c->file, c->line, c->failures - TEST_FAILURES, c->name);
        else if (!c->name) unseen += c->failures;
    }
    if (unseen) printf("... and %lu failures of other cases, not printed\n", unseen);
    if (test_count > TEST_CASES) printf("FAILED: more than %d cases\n", TEST_CASES), test_failed++;
    if (test_comparisons == 0 && test_skipped == 0) printf("FAILED: said nothing\n"), test_failed++;
    if (getenv("TEST_TRIAL") && !test_tried) printf("FAILED: no search of the name in TEST_TRIAL\n"), test_failed++;
    if (cases < test_failed) cases = test_failed;
    printf("test_%s: %d cases, %lu comparisons\n", name, cases, test_comparisons);
    printf("test_%s: %d passed, %d failed, %d skipped\n", name, cases - test_failed, test_failed, test_skipped);
    return test_failed > 0;
}

/* Neither infinite nor NaN: a macro takes vectors, which not every test has */
static inline int is_finite(double x) { return x - x <= 0; }
#define IS_FINITE(v) \
    (is_finite((double)(v).x) && is_finite((double)(v).y) && is_finite((double)(v).z))

#define CHECK(cond) ((void)test_at(!!(cond), #cond, __FILE__, __LINE__, 1))
#define CHECK_NEAR(a, b, tol) test_near((double)(a), (double)(b), (double)(tol), #a, __FILE__, __LINE__)
/* In a helper that many tests call: one case, whatever the label */
#define CHECK_ONCE(cond) ((void)test_at(!!(cond), #cond, __FILE__, __LINE__, 0))
#define SKIP(reason) test_skip(reason)
#define TEST_END(name) test_end(name)

#endif
