/* part.h - the core and nsc_rolling.h */
#ifndef NSC_MAX_ROLLING
#define NSC_MAX_ROLLING 16
#endif
#include "nsc.h"
#include "hash.h"
