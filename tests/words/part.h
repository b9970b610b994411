/* part.h - the core and nsc_words.h */
#define NSC_WORDS 1
#include "nsc.h"
#include "hash.h"
