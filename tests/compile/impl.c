/* the implementation and its use in one file; header included twice, before and after */
#include "nsc.h"
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc.h"
#include "use.h"
int main(void) { return use_nsc(); }
