#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include "nsc_derive.h"
#include "nsc_draw.h"
#include "nsc_dump.h"
#include "nsc_hull.h"
#include "nsc_motion.h"
#include "nsc_print.h"
#include "nsc_robot.h"
#include "use.h"
#ifdef __cplusplus
extern "C"
#endif
int other_file(void);
int other_file(void) { return use_nsc(); }
