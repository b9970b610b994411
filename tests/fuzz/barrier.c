/* barrier.c - the target api with contact whose gaps never close (NSC_BARRIER), which has a world of its own layout */
#define NSC_BARRIER 1
#include "api.c"
