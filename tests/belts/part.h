/* part.h - the core and nsc_belts.h */
#define NSC_BELTS 1
#include "nsc.h"
#include "hash.h"
