/* part.h - the core and nsc_joints.h */
#ifndef NSC_MAX_JOINTS
#define NSC_MAX_JOINTS 14
#define NSC_MAX_JOINT_BLOCKS 48
#endif
#include "nsc.h"
#include "hash.h"
