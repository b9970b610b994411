/* two private copies in one program: static_b.c has the other */
#define NSC_STATIC
#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include "use.h"
#ifdef __cplusplus
extern "C" int other_file(void);
#else
int other_file(void);
#endif
int main(void) { return use_nsc() + other_file(); }
