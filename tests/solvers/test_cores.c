/* test_parallel without lanes, as on a microcontroller: only cores, and memory is copied and cleared word by word */
#define NSC_LANES 0
#include "test_parallel.c"
