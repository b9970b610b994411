/* part.h - the core and nsc_seams.h */
#define NSC_SEAMS 1
#include "nsc.h"
