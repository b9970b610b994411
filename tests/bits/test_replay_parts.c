/* test_replay with second looks, seams, strips, far positions, rows of its own and the solver TREE;
   and the same questions to the tree of boxes */
#define NSC_SECOND_LOOK 1
#define NSC_SEAMS 1
#define NSC_STRIPS 1
#define NSC_FAR 1
#define NSC_MAX_ROWS 3
#define REPLAY_PARTS
#include "test_replay.c"
