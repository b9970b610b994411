/* test_replay for every kind of shape against every kind, near each other in many poses */
#define REPLAY_PAIRS
#include "test_replay.c"
