/* image.c - bytes as the image of a world.  An input is either an image (it begins with NSCW), or a scene, the steps it makes,
   and edits of its image: a place, and a byte, number or bit to be put there.  The checksum and length are put right, so that
   what stands behind them is checked.  An image that is refused must leave the world as it was; a world made from one that
   is accepted must step, be saved and loaded again, and stay finite. */
#include "world.h"
#include "../harness/image.h"

static nsc_world image_world, image_before, image_other;

static void image_finish(uint8_t *image, int size)
{
    if (size < IMAGE_HEADER) return;
    image_put(image + IMAGE_LENGTH_AT, (uint32_t)size, 4);
    image_sign(image, size);
}

/* kind, place in two bytes, value */
static void image_edit(fuzz_input *in, uint8_t *image, int size)
{
    int kind = fuzz_byte(in) % 4, place = fuzz_byte(in);
    nsc_real x;
    place = (256 * place + fuzz_byte(in)) % (size - (int)sizeof x);
    if (kind == 0) image[place] = (uint8_t)fuzz_byte(in);
    else if (kind == 1) image[place] = (uint8_t)(image[place] ^ 1 << fuzz_byte(in) % 8);
    else if (kind == 2) {
        x = fuzz_real(in);
        memcpy(image + place, &x, sizeof x);
    } else {
        image_put(image + place, (uint32_t)fuzz_int(in), 4);
    }
}

static int image_make(const uint8_t *data, size_t length, uint8_t *image)
{
    fuzz_input in;
    int size, cut, edits;
    if (length >= 4 && memcmp(data, "NSCW", 4) == 0) {
        size = length < FUZZ_IMAGE ? (int)length : FUZZ_IMAGE;
        memcpy(image, data, (size_t)size);
        image_finish(image, size);
        return size;
    }
    in.at = data, in.end = data + length;
    cut = fuzz_byte(&in);
    fuzz_scene(&image_other, fuzz_scene_of(cut));
    for (edits = fuzz_byte(&in) % 8; edits > 0; edits--) step_by(&image_other, NSC_R(0.01));
    size = nsc_world_save(&image_other, image, FUZZ_IMAGE);
    for (edits = 0; in.at < in.end && edits < 32; edits++) image_edit(&in, image, size);
    if (cut >= 240) size = size * fuzz_byte(&in) / 255;
    image_finish(image, size);
    return size;
}

/* All that may be asked of a world, and is to be answered or refused; numbers are checked by the target api. */
static void image_look(nsc_world *w)
{
    nsc_vec3 v[2];
    nsc_real x[2];
    nsc_axis_state state;
    nsc_hit hit;
    int i;
    for (i = 0; i < fuzz_handle_count; i++) {
        nsc_body_get_contact_force(w, fuzz_handles[i], &v[0], &v[1]);
        nsc_joint_get_axis(w, fuzz_handles[i], 0, &state), nsc_joint_get_drift(w, fuzz_handles[i], &x[0], &x[1]);
        nsc_spring_get_force(w, fuzz_handles[i], &x[0], &v[0]);
        nsc_body_get_island(w, fuzz_handles[i]);
    }
    nsc_world_cast_ray(w, fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(3.0)), fuzz_at(NSC_R(0.0), NSC_R(0.125), NSC_R(-4.0)), UINT32_C(0xffffffff), &hit);
    nsc_world_closest(w, fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)), NSC_R(2.0), UINT32_C(0xffffffff), &hit);
}

/* An image may ask for more work than there is time for here. */
static int image_is_long(const nsc_world_def *d)
{
    return (double)d->substeps * d->newton_steps * d->solver.max_iterations * d->solver.passes > 100000.0;
}

static int fuzz_of_image(const uint8_t *data, size_t length)
{
    static uint8_t made[FUZZ_IMAGE];
    nsc_world *w = &image_world;
    uint8_t *image;
    int size = image_make(data, length, made), code, i;
    fuzz_scene(w, 1);
    memcpy(&image_before, w, sizeof *w);
    image = (uint8_t *)malloc((size_t)size + 1); /* of the exact size, at an odd address */
    FUZZ_CHECK(image != NULL);
    memcpy(image + 1, made, (size_t)size);
    code = nsc_world_load(w, image + 1, size);
    free(image);
    if (code < 0) {
        FUZZ_CHECK(memcmp(&image_before, w, NSC_WORLD_STATE_SIZE) == 0 && w->found_count == image_before.found_count);
        FUZZ_CHECK(nsc_world_last_refusal(w).code == code);
    } else {
        fuzz_check_state(w);
        fuzz_copy_by_image(w, &image_other);
        image_look(w);
        for (i = 0; i < 3 && !image_is_long(&w->def); i++) {
            nsc_real h = i < 2 ? NSC_R(0.01) : NSC_R(0.1);
            code = step_by(w, h);
            FUZZ_CHECK(step_by(&image_other, h) == code);
            fuzz_check_state(w);
            if (code >= 0) fuzz_check_report(w);
            fuzz_copy_by_image(w, &image_other);
        }
        image_look(w);
    }
    return 0;
}

#ifndef FUZZ_CORPUS
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_of_image(data, size); }
#endif
