/* part.h - the core and nsc_extras.h */
#define NSC_EXTRAS 1
#include "nsc.h"
#include "hash.h"
