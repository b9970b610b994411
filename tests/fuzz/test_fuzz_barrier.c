/* The inputs of tests/fuzz/corpus for calls and images, in worlds that have barrier contact, and those of the target barrier */
#define NSC_BARRIER 1
#include "test_fuzz.c"
