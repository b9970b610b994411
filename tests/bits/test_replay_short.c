/* Short blocks change no bit: the worlds of test_replay that a build with them takes.  The table has the hashes of a build without
   (tests/targets/targets.sh). */
#ifndef NSC_SHORT_BLOCKS
#define NSC_SHORT_BLOCKS 1
#endif
#define REPLAY_SHORT
#include "test_replay.c"
