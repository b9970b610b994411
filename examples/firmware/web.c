/* nsc in a web page: a pyramid of ten boxes in a wasm module of its own, no libc, nothing imported.  web.mjs beside
   this file loads it; run.sh builds it. */
#define NSC_MAX_BODIES 11
#define NSC_MAX_CONTACTS 128
#define NSC_NO_SUBSTEPS /* what is not used here costs neither flash nor RAM */
#define NSC_IMPLEMENTATION
#include "nsc.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define BOXES (NSC_MAX_BODIES - 1)

static nsc_world world;
static nsc_id boxes[BOXES];
static nsc_pose poses_out[BOXES]; /* seven floats each: x y z, then the turn w x y z */

/* 0, or what NSC_CHECK_* of nsc_solvers.h add up to; or a negative code.  Overwrites the world. */
int EXPORT(selfcheck)(void)
{
    unsigned detail = 0;
    int code = nsc_world_selfcheck(&world, &detail);
    return detail ? (int)detail : code;
}

/* Rows of four, three, two, one box of 0.5 m, each 10 mm above what it will stand on.  0 or an error. */
int EXPORT(init)(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(0.25f, 0.25f, 0.25f);
    int row, i, n = 0, code = nsc_world_init(&world, &def);
    if (code == 0) code = nsc_world_add_shape(&world, NSC_GROUND, &ground);
    for (row = 0; row < 4 && code >= 0; row++)
        for (i = 0; i < 4 - row && code >= 0; i++) {
            nsc_body_def body = nsc_default_body_def();
            body.pose.position.x = 0.6f * (nsc_real)i + 0.3f * (nsc_real)row;
            body.pose.position.z = 0.25f + 0.5f * (nsc_real)row + 0.01f * (nsc_real)(row + 1);
            code = boxes[n] = nsc_world_add_body(&world, &body);
            if (code >= 0) code = nsc_world_add_shape(&world, boxes[n++], &box);
        }
    return code < 0 ? code : 0;
}

/* n steps of 1/240 s, then the poses.  0, or the error of the first step refused. */
int EXPORT(step)(int n)
{
    int i, code = 0;
    while (n-- > 0 && code == 0) code = nsc_world_step(&world, 1.0f / 240);
    for (i = 0; i < BOXES; i++) nsc_body_get_pose(&world, boxes[i], &poses_out[i]);
    return code;
}

int EXPORT(body_count)(void) { return BOXES; }
const float *EXPORT(poses)(void) { return &poses_out[0].position.x; }
