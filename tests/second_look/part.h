/* part.h - the core and nsc_second_look.h; with nsc_convex.h, whose shapes fall too */
#define NSC_SECOND_LOOK 1
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 8
#include "nsc.h"
