/* The random searches of search.h: what is found becomes smaller, and comes back by its seed. */
#include "search.h"

static int runs;

/* Fails if three numbers of a list of random length are large */
static int few_are_large(void)
{
    int i, large = 0, n = below(50);
    runs++;
    for (i = 0; i < n; i++) large += uniform(-10, 10) > 7.7;
    return large < 3;
}

static int always_holds(void)
{
    runs++;
    return uniform(0, 1) < 1 && below(6) < 6;
}

/* Two checks of which the second is the one that the found trial fails */
static int two_checks(void)
{
    double x = uniform(1, 100);
    CHECK(x < 99);
    CHECK(x < 50);
    return 1;
}

static const test_case *found(int (*trial)(void), search_state *s)
{
    int i;
    memset(s, 0, sizeof *s);
    for (i = 0; i < 1000 && !s->failed; i++) s->failed = search_run(trial);
    s->trial = trial, s->began = clock();
    search_copy(&search_kept, &search_drawn);
    s->cost = search_cost(&search_kept);
    search_shrink(s);
    search_plays = 0;
    return s->failed;
}

static void a_smaller_case_is_found(void)
{
    search_state s;
    int i;
    CHECK(found(few_are_large, &s) == &search_own);
    CHECK(s.runs < SEARCH_RUNS);
    CHECK(search_kept.count == 4 && search_kept.of[0].whole && search_kept.of[0].value - 3 == 0);
    for (i = 1; i < search_kept.count; i++) CHECK(search_kept.of[i].value - 8 == 0 || search_kept.of[i].value - 9 == 0);
    CHECK(found(two_checks, &s) != NULL && s.failed != &search_own);
    CHECK(search_kept.count == 1);
    CHECK(search_kept.of[0].value < 99 && search_kept.of[0].value >= 50);
}

static void what_holds_is_left_alone(void)
{
    uint32_t first = seed = 77;
    double a, b;
    runs = 0;
    search("what always holds", always_holds, 30);
    CHECK(runs == 30);
    CHECK(seed != first);
    seed = first, a = uniform(-3, 5);
    seed = first, b = uniform(-3, 5);
    CHECK(a - b == 0 && -3 <= a && a < 5);
}

int main(void)
{
    a_smaller_case_is_found();
    what_holds_is_left_alone();
    return TEST_END("search");
}
