/* hash.h - for builds without nsc_image.h: in place of its hash that of the bytes of the state, which in float have no padding */
#ifndef NSC_TEST_HASH_H
#define NSC_TEST_HASH_H
#include <stdint.h>

static NSC_MAYBE_UNUSED uint32_t nsc_world_hash(const nsc_world *w)
{
    const unsigned char *at = (const unsigned char *)w, *end = at + NSC_WORLD_STATE_SIZE;
    uint32_t hash = UINT32_C(2166136261);
    while (at < end) hash = (hash ^ *at++) * UINT32_C(16777619);
    return hash;
}
#endif
