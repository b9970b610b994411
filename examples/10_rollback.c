/* Predict ahead, then learn that an input came earlier than thought: go back, step again with it.
   Two ways to go back: a copy of the state's bytes (fast, the same program), and an image
   (portable, checked; here it goes to a second world, as it would to another player).
   Files: beside nsc.h and nsc_solvers.h that of kit/ for images and hashes (nsc_image.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 10_rollback.c -lm
   Expected: in each line the three hashes agree, and the end says so. */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include <stdio.h>
#include <string.h>

enum { AHEAD = 8, KICK_AT = 3 }; /* steps predicted; the step in which the kick really came */
#define H (NSC_R(1.0) / NSC_R(120.0))

static nsc_world world, copy, peer;
static unsigned char image[16384];
static nsc_id ball;

static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), round = nsc_default_sphere_def(NSC_R(0.2));
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.2), NSC_R(0.2), NSC_R(0.2));
    nsc_body_def body = nsc_default_body_def();
    int i;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_init(&peer, &def) < 0) return -1;
    if (nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return -1;
    for (i = 0; i < 5; i++) {
        body.pose.position.z = NSC_R(0.5) * (nsc_real)(i + 1);
        ball = nsc_world_add_body(&world, &body);
        if (nsc_world_add_shape(&world, ball, i < 4 ? &cube : &round) < 0) return -1;
    }
    return 0;
}

/* From now AHEAD steps on, with a kick before step `kick` (or none); returns the hash of where that leads. */
static uint32_t play(nsc_world *w, int kick)
{
    nsc_vec3 zero = {0}, push = {0};
    int i;
    push.x = NSC_R(2000.0);
    for (i = 0; i < AHEAD; i++) {
        if (i == kick) nsc_body_add_force(w, ball, push, zero);
        nsc_world_step(w, H);
    }
    return nsc_world_hash(w);
}

int main(void)
{
    uint32_t now, back, loaded, by_copy, by_image;
    int tick, size = 0, agree = 1;
    if (setup() < 0) return 1;
    printf("state %lu bytes of a world of %lu\n", (unsigned long)NSC_WORLD_STATE_SIZE, (unsigned long)sizeof world);
    printf("tick  image    now       copied    loaded  | predicted | corrected: by copy   by image\n");
    for (tick = 0; tick < 6; tick++) {
        memcpy(&copy, &world, NSC_WORLD_STATE_SIZE);
        size = nsc_world_save(&world, image, (int)sizeof image);
        if (size < 0) return 1;
        now = nsc_world_hash(&world);
        printf("%3d  %5d B", tick, size);

        play(&peer, -1); /* whatever the peer thought meanwhile */
        if (nsc_world_load(&peer, image, size) < 0) return 1;
        loaded = nsc_world_hash(&peer);
        by_copy = play(&world, -1); /* the prediction: no kick */
        back = nsc_world_hash(&copy);
        printf("  %08lx  %08lx  %08lx", (unsigned long)now, (unsigned long)back, (unsigned long)loaded);
        printf(" |  %08lx", (unsigned long)by_copy);

        memcpy(&world, &copy, NSC_WORLD_STATE_SIZE);
        by_copy = play(&world, KICK_AT);
        by_image = play(&peer, KICK_AT);
        printf(" |             %08lx   %08lx\n", (unsigned long)by_copy, (unsigned long)by_image);
        agree &= now == back && now == loaded && by_copy == by_image;
    }
    printf("six times back by a copy of %lu bytes or an image of %d, and another input in step %d: all hashes %s\n",
           (unsigned long)NSC_WORLD_STATE_SIZE, size, KICK_AT, agree ? "agree" : "DO NOT AGREE");
    return !agree;
}
