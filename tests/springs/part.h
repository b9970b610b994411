/* part.h - the core and nsc_springs.h */
#define NSC_MAX_SPRINGS 140
#include "nsc.h"
#include "hash.h"
