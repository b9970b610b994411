/* test.h - the checks all test programs share */
#ifndef NSC_TEST_H
#define NSC_TEST_H
#include <stdio.h>

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
