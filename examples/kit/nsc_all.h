/* nsc_all.h - nsc with what most programs on a desktop like to have
   MIT licence, at the end of nsc.h.
   Beside it: nsc_all_solvers.h, nsc_joints.h, nsc_gears.h, nsc_convex.h, nsc_smooth.h,
   nsc_steppers.h, nsc_strips.h, nsc_imu.h, nsc_image.h, nsc_joint_state.h, nsc_pose.h,
   nsc_problem.h, nsc_sense.h, nsc_touch.h.
   Include it in place of nsc.h.  It turns on the parts below, with room for some joints and events
   and scratch for every solver, and includes what is to be included after nsc.h.  What you define
   before keeps its value: -DNSC_STEPPERS=0 leaves that part out; capacities are numbers, as from 64
   bodies or shapes on it takes nsc_strips.h.  On a small target include nsc.h and name the parts
   that you use. */
#ifdef NSC_CONFIG_H
#include NSC_CONFIG_H
#endif

#ifndef NSC_MAX_JOINTS
#define NSC_MAX_JOINTS 8
#endif
#ifndef NSC_MAX_EVENTS
#define NSC_MAX_EVENTS 16
#endif
#ifndef NSC_CONVEX
#define NSC_CONVEX 1
#endif
#ifndef NSC_HULL_VERTICES
#define NSC_HULL_VERTICES 16
#endif
#ifndef NSC_SMOOTH
#define NSC_SMOOTH 1
#endif
#ifndef NSC_STEPPERS
#define NSC_STEPPERS 1
#endif
#ifndef NSC_IMU
#define NSC_IMU 1
#endif
#ifndef NSC_STRIPS
#if (defined(NSC_MAX_SHAPES) && NSC_MAX_SHAPES >= 64) || \
    (defined(NSC_MAX_BODIES) && NSC_MAX_BODIES >= 64)
#define NSC_STRIPS 1
#endif
#endif
#ifndef NSC_ARENA
#define NSC_ARENA NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)
#endif

#include "nsc_all_solvers.h"
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_joint_state.h"
#include "nsc_pose.h"
#include "nsc_problem.h"
#include "nsc_sense.h"
#include "nsc_touch.h"
