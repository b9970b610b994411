/* compiled with another capacity than the implementation (tu_b.c): must be refused, not corrupt, whatever is called next */
#define NSC_MAX_BODIES 5
#include "nsc_all.h"
#include "nsc_print.h"
#ifdef __cplusplus
extern "C" int other_file(void);
#else
int other_file(void);
#endif
static struct { nsc_world world; char beyond[200000]; } memory; /* the implementation's world is larger */

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def shape = nsc_default_sphere_def(NSC_R(0.5));
    nsc_world *w = &memory.world;
    const char *bytes = (const char *)&memory;
    size_t i;
    if (nsc_world_init(w, &def) != NSC_ERR_CONFIG) return 9;
    if (nsc_world_add_body(w, &body) != NSC_ERR_ARGUMENT || nsc_world_add_shape(w, NSC_GROUND, &shape) != NSC_ERR_ARGUMENT) return 8;
    if (nsc_world_step(w, NSC_R(0.01)) != NSC_ERR_ARGUMENT || nsc_world_last_refusal(w).code != NSC_ERR_CONFIG) return 7;
    if (nsc_print_refusal(stdout, w, NSC_ERR_CONFIG) != NSC_ERR_CONFIG) return 6;
    if (nsc_world_load(w, NULL, 0) != NSC_ERR_ARGUMENT || nsc_world_set_hulls(w, NULL, -1) != NSC_ERR_ARGUMENT) return 4;
    for (i = 0; i < sizeof memory; i++)
        if (bytes[i]) return 5; /* a call has written to it */
    return other_file();
}
