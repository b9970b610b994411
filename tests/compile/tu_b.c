#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include "use.h"
#ifdef __cplusplus
extern "C"
#endif
int other_file(void);
int other_file(void) { return use_nsc(); }
