/* part.h - the core, nsc_short.h and nsc_joints.h */
#define NSC_SHORT_BLOCKS 1
#define NSC_JOINT_AXES 1
#define NSC_MAX_JOINTS 8
#include "nsc.h"
