/* part.h - the core and nsc_far.h */
#define NSC_FAR 1
#include "nsc.h"
