/* What test.h counts, and the random searches of search.h: what is found becomes smaller, and comes back by its seed. */
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
    if (!search("what always holds", always_holds, 30)) return;
    CHECK(runs == 30);
    CHECK(seed != first);
    seed = first, a = uniform(-3, 5);
    seed = first, b = uniform(-3, 5);
    CHECK(a - b == 0 && -3 <= a && a < 5);
}

/* A check is one case however often it compares, and one more for each label; a text is a case of its own. */
static void cases_are_counted_by_place_label_and_text(void)
{
    int before = test_count, i, k, by_place, by_label, by_text, alone;
    unsigned long comparisons = test_comparisons;
    for (i = 0; i < 10; i++) CHECK(i < 10);
    by_place = test_count - before, before = test_count;
    for (k = 0; k < 3; k++)
        for (i = 0; i < 10; i++) {
            CASE("row %d", k);
            CHECK(k < 3);
        }
    by_label = test_count - before, before = test_count;
    for (k = 0; k < 3; k++) {
        CASE("row %d", k);
        CHECK_ONCE(k < 3);
    }
    CASE_END();
    alone = test_count - before, before = test_count;
    for (i = 0; i < 10; i++) test_check(1, i % 2 ? "odd" : "even", __FILE__, __LINE__);
    by_text = test_count - before;
    comparisons = test_comparisons - comparisons;
    CHECK(by_place == 1);
    CHECK(by_label == 3);
    CHECK(alone == 1);
    CHECK(by_text == 2);
    CHECK(comparisons == 10 + 30 + 3 + 10);
}

int main(void)
{
    cases_are_counted_by_place_label_and_text();
    a_smaller_case_is_found();
    what_holds_is_left_alone();
    return TEST_END("search");
}
