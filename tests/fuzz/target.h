/* target.h - what a target for one header of the kit stands on: kit.c, unless test_fuzz.c has it */
#ifndef FUZZ_CORPUS
#define KIT_TARGET
#include "kit.c"
#endif
