/* shared.h - nsc.h with room for every test that asks for no configuration of its own.  `make test`
   compiles the implementation of these tests once (shared.c); each also compiles alone. */
#ifndef NSC_TEST_SHARED_H
#define NSC_TEST_SHARED_H
#define NSC_MAX_BODIES 56
#define NSC_MAX_SHAPES 60
#define NSC_MAX_CONTACTS 128
#ifndef TEST_PART
#define NSC_MAX_ROLLING 64
#endif
#define NSC_ARENA 100000
#ifndef TEST_PART
#define NSC_LOCKS 1
#define NSC_BELTS 1
#define NSC_WORDS 1
#define NSC_MAX_JOINTS 50
#define NSC_MAX_JOINT_BLOCKS 120
#define NSC_MAX_SPRINGS 140
#define NSC_MAX_FORCES 2
#define NSC_MAX_ROWS 4
#define NSC_HULL_VERTICES 42
#define NSC_MESHES 1
#define NSC_TERRAIN 1
#endif
#ifdef TEST_LINKED
#undef NSC_IMPLEMENTATION
#endif
#include "all.h"
#endif
