/* The inputs of tests/fuzz/corpus for calls and images, with larger hulls, and those of the targets
   kit, derive, motion and robot */
#define FUZZ_KIT
#define NSC_HULL_VERTICES 16 /* as in kit.c alone */
#include "test_fuzz.c"
