/* part.h - the core and nsc_strips.h */
#define NSC_STRIPS 1
#include "nsc.h"
#include "hash.h"
