/* compiled with another capacity than the implementation (tu_b.c): must be refused, not corrupt */
#define NSC_MAX_BODIES 5
#include "nsc_all.h"
#ifdef __cplusplus
extern "C" int other_file(void);
#else
int other_file(void);
#endif
int main(void)
{
    static nsc_world world;
    nsc_world_def def = nsc_default_world_def();
    return nsc_world_init(&world, &def) == NSC_ERR_CONFIG ? other_file() : 9;
}
