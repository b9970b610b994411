/* test_replay with contact whose gaps never close */
#define NSC_BARRIER
#include "test_replay.c"
