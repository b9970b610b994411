/* part.h - the core and nsc_locks.h */
#define NSC_LOCKS 1
#include "nsc.h"
#include "hash.h"
