/* part.h - the core and nsc_rows.h, for which the program says how many it needs */
#include "nsc.h"
#include "hash.h"
