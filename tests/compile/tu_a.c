/* one of two files: declarations only; tu_b.c has the implementation */
#include "nsc_all.h"
#include "use.h"
#ifdef __cplusplus
extern "C" int other_file(void);
#else
int other_file(void);
#endif
int main(void) { return use_nsc() + other_file(); }
