/* part.h - the core and nsc_events.h; the program says how many */
#include "nsc.h"
#include "hash.h"
