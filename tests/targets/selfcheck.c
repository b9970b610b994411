/* Print what nsc_world_selfcheck says, after spoiling the machine's mode as asked:
   FTZ, DAZ (x86), UPWARD.  Exit code 0 whatever it says. */
#ifdef BAD_SQRT /* one bit off, as from a reciprocal square root */
#include <math.h>
#define NSC_SQRT(x) (1 / (1 / sqrtf(x)))
#endif
#define NSC_STATIC /* the guards and the scene are the core's; what they do not call is not compiled */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <stdio.h>
#if defined(FTZ) || defined(DAZ)
#include <xmmintrin.h>
#endif
#ifdef UPWARD
#include <fenv.h>
#endif

static nsc_world world;

int main(void)
{
    unsigned detail = 0;
    int code;
#ifdef FTZ
    _mm_setcsr(_mm_getcsr() | 0x8000u);
#endif
#ifdef DAZ
    _mm_setcsr(_mm_getcsr() | 0x0040u);
#endif
#ifdef UPWARD
    fesetround(FE_UPWARD);
#endif
    code = nsc_world_selfcheck(&world, &detail);
    printf("%d %u\n", code, detail);
    return 0;
}
