/* The formula for memory in the head of nsc.h, for the configuration that is compiled, and how far it may be off */
#ifndef NSC_TEST_MEMORY_H
#define NSC_TEST_MEMORY_H
#include "nsc_all.h"

/* Scratch for finding contacts: for the general narrow phase, for terrain, for corners of hulls, and a shape */
#define MEMORY_TERRAIN (NSCI_TERRAIN_PART ? 390L : 0L)
#define MEMORY_CORNERS (NSCI_HULLS && NSC_HULL_VERTICES > 9 ? 66L * (NSC_HULL_VERTICES - 9) : 0L)
#define MEMORY_NARROW (NSCI_CONVEX ? 1120L + MEMORY_TERRAIN + MEMORY_CORNERS : 0L)
#define MEMORY_SHAPE (99L + (long)sizeof(void *) * 5 / 4)
#define MEMORY_STRIPS (NSC_STRIPS ? 212L + 3L * NSC_MAX_SHAPES + 2L * NSC_MAX_CONTACTS : 0L)
#define MEMORY_FINDING (140L + MEMORY_SHAPE * NSC_MAX_SHAPES + 3L * NSC_MAX_CONTACTS + MEMORY_STRIPS + MEMORY_NARROW)
#if NSC_BARRIER
#define MEMORY_CONVEX (MEMORY_FINDING + 28L * NSC_MAX_BODIES + 16L * NSC_MAX_CONTACTS)
#else
/* Finding contacts and solving share memory: what the first takes more */
#define MEMORY_MORE (MEMORY_FINDING - 316L * NSC_MAX_BLOCKS - 100L * NSC_MAX_BODIES - 4L * NSC_ARENA)
#define MEMORY_CONVEX (MEMORY_MORE > 0 ? MEMORY_MORE : 0L)
#endif
#define MEMORY_LOOK (NSC_SECOND_LOOK ? MEMORY_FINDING : 0L)
#if NSC_PARALLEL
#define MEMORY_PARALLEL (16L * (80 + 14 * (long)sizeof(void *)))
#else
#define MEMORY_PARALLEL 0L
#endif
#define MEMORY_BODY (364L + 172 * NSC_STEPPERS + 48 * NSC_IMU + 12 * NSC_LOCKS + 4 * NSC_WORDS + 52 * NSC_SECOND_LOOK)
#define MEMORY_ONE_SHAPE (108L + 12 * NSC_BELTS + 4 * NSC_WORDS)
#define MEMORY_CONTACT (500L + 56 * NSC_SMOOTH + 24 * NSC_BELTS)
#define MEMORY_PARTS                                                                                                                 \
    (448L * NSC_MAX_JOINTS + 328L * NSC_MAX_JOINT_BLOCKS + 400L * NSC_MAX_SPRINGS + 352L * NSC_MAX_ROWS + 950L * NSC_MAX_FORCES + 316L * NSC_MAX_ROLLING + \
     (NSC_MAX_ROLLING > 0 ? 64L * NSC_MAX_CONTACTS : 0L) + \
     152L * NSC_MAX_MANIFOLDS + (NSC_MAX_MANIFOLDS > 254 ? 8L * NSC_MAX_CONTACTS : 0L))
#ifdef NSC_NO_ISLANDS
#define MEMORY_ISLANDS (40L * NSC_MAX_BODIES)
#else
#define MEMORY_ISLANDS 0L
#endif
#if defined(NSC_NO_SUBSTEPS) && !NSC_STEPPERS
#define MEMORY_MOTION ((52L + 24 * NSC_IMU) * NSC_MAX_BODIES + 4L * NSC_MAX_CONTACTS)
#else
#define MEMORY_MOTION 0L
#endif
#define MEMORY_FORMULA                                                                                                               \
    (440L + 20L * NSC_MAX_EVENTS + MEMORY_BODY * NSC_MAX_BODIES + MEMORY_ONE_SHAPE * NSC_MAX_SHAPES + MEMORY_CONTACT * NSC_MAX_CONTACTS +         \
     4L * NSC_ARENA + MEMORY_PARTS + MEMORY_LOOK + MEMORY_PARALLEL + MEMORY_CONVEX - MEMORY_ISLANDS - MEMORY_MOTION)
/* 2 %, and 256 bytes for what the formula leaves out */
#define MEMORY_SLACK (MEMORY_FORMULA / 50 + 256)

/* It is made for float and an int of 32 bits; tcc's vectors have four numbers. */
#if !defined(NSC_DOUBLE) && !defined(__TINYC__) && !defined(__AVR__)
#ifndef MEMORY_PRINTED /* by a program that fits the formula */
typedef char test_memory_formula[(long)sizeof(nsc_world) <= MEMORY_FORMULA + MEMORY_SLACK && (long)sizeof(nsc_world) >= MEMORY_FORMULA - MEMORY_SLACK ? 1 : -1];
#endif
#endif
#endif
