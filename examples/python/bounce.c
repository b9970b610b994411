/* What bounce.py calls: three functions of plain numbers, so that Python need not know nsc's
   structures.  Files: nsc.h and nsc_solvers.h; for parts of examples/kit bounce.py names its folder
   too. */
#define NSC_IMPLEMENTATION
#include "nsc.h"

static nsc_world world;

/* A table, and a ball over it.  Returns the ball, or a negative code. */
nsc_id begin(nsc_real height, nsc_real restitution)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def table = nsc_default_half_space_def(), shape = nsc_default_sphere_def(NSC_R(0.1));
    nsc_body_def body = nsc_default_body_def();
    nsc_id ball, code;
    table.restitution = restitution;
    body.pose.position.z = height;
    if ((code = nsc_world_init(&world, &def)) < 0) return code;
    if ((code = nsc_world_add_shape(&world, NSC_GROUND, &table)) < 0) return code;
    if ((ball = nsc_world_add_body(&world, &body)) < 0) return ball;
    return (code = nsc_world_add_shape(&world, ball, &shape)) < 0 ? code : ball;
}

int step(nsc_real h) { return nsc_world_step(&world, h); }

nsc_real height(nsc_id body)
{
    nsc_pose pose;
    return nsc_body_get_pose(&world, body, &pose) < 0 ? -1 : pose.position.z;
}
