/* test_replay_solvers with trees of joints, and contacts for vectors */
#define REPLAY_TREES
#include "test_replay_solvers.c"
