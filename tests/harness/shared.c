/* The implementation that tests with shared.h are linked with. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#ifndef TEST_PART
#include "nsc_derive.h"
#include "nsc_draw.h"
#include "nsc_dump.h"
#include "nsc_dynamics.h"
#include "nsc_hull.h"
#endif
