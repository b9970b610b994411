/* the implementation and its use in one file; header included twice, before and after */
#include "nsc_all.h"
#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include "nsc_all.h"
#include "use.h"
int main(void) { return use_nsc(); }
