/* test_replay with contact whose gaps never close */
#define NSC_BARRIER 1
#include "test_replay.c"
