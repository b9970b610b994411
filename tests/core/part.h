/* part.h - the core alone: no part of the shelf is asked for, and the shelf is not on the include path. */
#include "nsc.h"
#include "hash.h"
