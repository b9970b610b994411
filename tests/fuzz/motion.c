/* motion.c - nsc_motion.h: any world, stepped and edited, saved and brought back; any image.  After
   loading the world stands where it stood and goes on as it went, bit by bit.  An image that says
   something else is refused and changes nothing, or gives a state that is finite and steps.  An
   image is an allocation of its own, so that a read beyond it is found. */
#include "target.h"

static uint32_t motion_after[4]; /* hashes of the steps that follow */

/* Steps from here; the hash after each, or 0 from the first that is refused */
static void motion_steps(nsc_real h, uint32_t *hash)
{
    int i, code = NSC_OK;
    memset(hash, 0, sizeof motion_after);
    for (i = 0; i < 4 && code >= 0; i++) {
        code = KIT(step_by(&api_world, h));
        if (code >= 0)
            hash[i] = nsc_world_hash(&api_world);
    }
}

/* Save, go on, come back, go on: the same */
static int motion_return(uint8_t *image, int size, int flags, nsc_real h)
{
    uint32_t hash = nsc_world_hash(&api_world), again[4];
    int code, waiting = api_world.found_count;
    code = KIT(nsc_world_save_motion(&api_world, image, size, flags));
    FUZZ_CHECK(code == size);
    motion_steps(h, motion_after);
    code = KIT(nsc_world_load_motion(&api_world, image, size));
    FUZZ_CHECK(code == NSC_OK);
    FUZZ_CHECK(nsc_world_hash(&api_world) == hash);
    if (waiting > 0)
        return 0; /* contacts of yours that wait are not in the image */
    motion_steps(h, again);
    FUZZ_CHECK(memcmp(again, motion_after, sizeof again) == 0);
    code = KIT(nsc_world_load_motion(&api_world, image, size));
    FUZZ_CHECK(code == NSC_OK);
    return 1;
}

/* Bytes of the input over those of the image, from some place on or here and there; then a size
   that may be another one */
static void motion_damage(fuzz_input *in, const uint8_t *image, int size, nsc_real h)
{
    int how = fuzz_byte(in), n = how & 64 ? fuzz_byte(in) * 8 % (size + 9) : size, i, at, code;
    uint8_t *other = (uint8_t *)malloc((size_t)(n > 0 ? n : 1));
    FUZZ_CHECK(other != NULL);
    for (i = 0; i < n; i++)
        other[i] = i < size ? image[i] : 0;
    at = 256 * (fuzz_byte(in) % 8) + fuzz_byte(in);
    for (i = how % 8; n > 12 && i > 0; i--) {
        other[12 + at % (n - 12)] = (uint8_t)fuzz_byte(in);
        at += how & 8 ? 1 : fuzz_byte(in);
    }
    if ((how & 16) && n >= 16)
        kit_sign(other, n);
    code = KIT(nsc_world_load_motion(&api_world, other, n));
    if (code >= 0) {
        FUZZ_CHECK(nsc_world_motion_size(&api_world, 0) > 0);
        motion_steps(h, motion_after);
    }
    free(other);
}

static uint32_t motion_run(const uint8_t *data, size_t size, int poison)
{
    fuzz_input in;
    uint8_t *image;
    nsc_real h;
    uint32_t hash;
    int calls, flags, bytes;
    in.at = data, in.end = data + size;
    api_poison = poison, api_trace = getenv("FUZZ_TRACE") != NULL;
    api_digest = UINT32_C(2166136261);
    memset(&api_world, poison, sizeof api_world), memset(&api_other, poison, sizeof api_other);
    fuzz_scene(&api_world, fuzz_scene_of(fuzz_byte(&in)));
    api_spoil(&api_world);
    for (calls = fuzz_byte(&in) % 12; in.at < in.end && calls > 0; calls--) {
        int b = fuzz_byte(&in);
        if (b < 128)
            api_step(&in);
        else
            api_call(&in);
    }
    flags = fuzz_byte(&in) % 2;
    h = api_step_length(&in);
    bytes = KIT(nsc_world_motion_size(&api_world, flags));
    FUZZ_CHECK(bytes > 0);
    image = (uint8_t *)malloc((size_t)bytes);
    FUZZ_CHECK(image != NULL);
    motion_return(image, bytes, flags, h);
    for (calls = 0; in.at < in.end && calls < 4; calls++)
        motion_damage(&in, image, bytes, h);
    free(image);
    hash = nsc_world_hash(&api_world);
    return fuzz_mix(api_digest, &hash, sizeof hash);
}

KIT_TWICE(motion)

KIT_ENTRY(motion)
