/* test.h - the checks all test programs share */
#ifndef NSC_TEST_H
#define NSC_TEST_H
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

static int test_passed, test_failed, test_skipped;

static void test_check(int ok, const char *what, const char *file, int line)
{
    if (ok) test_passed++;
    else test_failed++, printf("%s:%d: FAILED %s\n", file, line, what);
}

static inline void test_near(double a, double b, double tol, const char *what, const char *file, int line)
{
    int ok = a - b <= tol && b - a <= tol;
    test_check(ok, what, file, line);
    if (!ok) printf("    %.12g, expected %.12g +- %.3g\n", a, b, tol);
}

/* trials(few, many): how often to try, in the quick mode and in the long one; there only a share of them where the same is tried again */
static int test_share = 1;
static inline int trials(int few, int many) { return !test_long() || many / test_share < few ? few : many / test_share; }

/* Neither infinite nor NaN: a macro takes vectors, which not every test has */
static inline int is_finite(double x) { return x - x <= 0; }
#define IS_FINITE(v) \
    (is_finite((double)(v).x) && is_finite((double)(v).y) && is_finite((double)(v).z))

static int test_end(const char *name)
{
    printf("%s: %d passed, %d failed, %d skipped\n", name, test_passed, test_failed, test_skipped);
    return test_failed > 0;
}

#define CHECK(cond) test_check(!!(cond), #cond, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tol) test_near((double)(a), (double)(b), (double)(tol), #a, __FILE__, __LINE__)
#define SKIP(reason) (test_skipped++, printf("skipped: %s\n", reason))
#define TEST_END(name) test_end(name)

#endif
