/* all.h - nsc_all.h; with -DTEST_PART the core and one part instead: what part.h in the folder of the program includes. */
#ifdef TEST_PART
#ifndef NSC_MAX_EVENTS
#define NSC_MAX_EVENTS 16
#endif
#ifndef NSC_ARENA
#define NSC_ARENA 200000 /* nsc_all.h has what NEWTON needs */
#endif
#include "part.h"
#else
#include "nsc_all.h"
#endif
