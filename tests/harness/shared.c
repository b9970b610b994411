/* The implementation that tests with shared.h are linked with. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#ifndef TEST_PART
#include "nsc_dynamics.h"
#endif
