/* A box comes to rest on a plane: what shelf.sh builds of the core and one file of the shelf.  BEFORE and AFTER are headers to be
   included before and after nsc.h, SOLVE is a solver. */
#define NSC_IMPLEMENTATION
#ifdef BEFORE
#include BEFORE
#endif
#include "nsc.h"
#ifdef AFTER
#include AFTER
#endif
#ifndef SOLVE
#define SOLVE NULL
#endif

static nsc_world world;

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_body_def body = nsc_default_body_def();
    nsc_calls calls = nsc_default_calls();
    nsc_pose pose;
    nsc_id id;
    int i;
    calls.solve = SOLVE;
    if (nsc_world_init(&world, &def) < 0)
        return 1;
    body.pose.position.z = 1;
    id = nsc_world_add_body(&world, &body);
    if (nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0 || nsc_world_add_shape(&world, id, &box) < 0)
        return 2;
    for (i = 0; i < 480; i++)
        if (nsc_world_step_with(&world, NSC_R(1.0) / 240, &calls) < 0)
            return 3;
    if (nsc_body_get_pose(&world, id, &pose) < 0)
        return 4;
    return pose.position.z > NSC_R(0.499) && pose.position.z < NSC_R(0.501) && nsc_world_contact_count(&world) == 4 ? 0 : 5;
}
