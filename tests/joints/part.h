/* part.h - the core, nsc_joints.h and nsc_joint_state.h */
#ifndef NSC_MAX_JOINTS
#define NSC_MAX_JOINTS 14
#define NSC_MAX_JOINT_BLOCKS 48
#endif
#include "nsc.h"
#include "nsc_joint_state.h"
#include "hash.h"
