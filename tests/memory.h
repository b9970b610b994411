/* The formula for memory in the head of nsc.h, for the configuration that is compiled, and how far it may be off */
#ifndef NSC_TEST_MEMORY_H
#define NSC_TEST_MEMORY_H
#include "nsc.h"

#if defined(NSC_NO_CYLINDER) && NSC_MAX_HULLS == 0 && NSC_MAX_FIELDS == 0
#define MEMORY_CONVEX 0L
#else
#define MEMORY_CONVEX (NSC_MAX_HULLS > 0 ? 30L * NSC_HULL_VERTICES + 1100 : 1100L)
#endif
#ifdef NSC_NO_STEPPERS
#define MEMORY_BODY (618L - 172)
#else
#define MEMORY_BODY 618L
#endif
#ifdef NSC_NO_SMC
#define MEMORY_CONTACT (667L - 56)
#else
#define MEMORY_CONTACT 667L
#endif
#define MEMORY_PARTS                                                                                                                 \
    (374L * NSC_MAX_JOINTS + 444L * NSC_MAX_JOINT_BLOCKS + 506L * NSC_MAX_SPRINGS + 1182L * NSC_MAX_FORCES + 432L * NSC_MAX_ROLLING + \
     (NSC_MAX_ROLLING > 0 ? 64L * NSC_MAX_CONTACTS : 0L) + 44L * NSC_HULL_VERTICES * NSC_MAX_HULLS + (24 + 4L * NSC_FIELD_SAMPLES) * NSC_MAX_FIELDS + \
     (NSC_MAX_FIELDS > 0 ? 400L : 0L))
#ifdef NSC_NO_ISLANDS
#define MEMORY_ISLANDS (66L * NSC_MAX_BODIES)
#else
#define MEMORY_ISLANDS 0L
#endif
#ifdef NSCI_HOLDS_MOTION
#define MEMORY_MOTION 0L
#else
#define MEMORY_MOTION (76L * NSC_MAX_BODIES + 4L * NSC_MAX_CONTACTS)
#endif
#define MEMORY_FORMULA                                                                                                               \
    (560L + 20L * NSC_MAX_EVENTS + MEMORY_BODY * NSC_MAX_BODIES + 183L * NSC_MAX_SHAPES + MEMORY_CONTACT * NSC_MAX_CONTACTS +         \
     4L * NSC_ARENA + MEMORY_PARTS + MEMORY_CONVEX - MEMORY_ISLANDS - MEMORY_MOTION)
/* 2 %, and 256 bytes for what the formula leaves out */
#define MEMORY_SLACK (MEMORY_FORMULA / 50 + 256)

/* It is made for float and an int of 32 bits; tcc's vectors have four numbers. */
#if !defined(NSC_DOUBLE) && !defined(__TINYC__) && !defined(__AVR__)
typedef char test_memory_formula[(long)sizeof(nsc_world) <= MEMORY_FORMULA + MEMORY_SLACK && (long)sizeof(nsc_world) >= MEMORY_FORMULA - MEMORY_SLACK ? 1 : -1];
#endif
#endif
