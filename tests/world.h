/* world.h - what tests of worlds share: one world, vectors in double.  Include it after nsc.h, with its
   implementation. */
#ifndef NSC_TEST_WORLD_H
#define NSC_TEST_WORLD_H
#include "test.h"
#include <math.h>

#define REAL(x) ((nsc_real)(x))
#define D(x) ((double)(x))
#define SHARED static NSC_MAYBE_UNUSED

SHARED nsc_world world;
SHARED const int is_double = sizeof(nsc_real) == 8;

SHARED nsc_vec3 vec(double x, double y, double z)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v); /* tcc's vectors have padding, and worlds are compared by their bytes */
    v.x = REAL(x), v.y = REAL(y), v.z = REAL(z);
    return v;
}

SHARED double dot(nsc_vec3 a, nsc_vec3 b) { return D(a.x) * D(b.x) + D(a.y) * D(b.y) + D(a.z) * D(b.z); }
SHARED double length(nsc_vec3 a) { return sqrt(dot(a, a)); }
SHARED nsc_vec3 minus(nsc_vec3 a, nsc_vec3 b) { return vec(D(a.x) - D(b.x), D(a.y) - D(b.y), D(a.z) - D(b.z)); }

/* The body as the world holds it */
SHARED const nsc_body *inside(nsc_id id) { return &world.bodies[id & 16383]; }

SHARED nsc_vec3 position(nsc_id id)
{
    nsc_pose p;
    CHECK(nsc_body_get_pose(&world, id, &p) == NSC_OK);
    return p.position;
}

SHARED nsc_vec3 velocity(nsc_id id)
{
    nsc_vec3 v;
    CHECK(nsc_body_get_velocity(&world, id, &v, NULL) == NSC_OK);
    return v;
}

SHARED nsc_vec3 spin(nsc_id id)
{
    nsc_vec3 v;
    CHECK(nsc_body_get_velocity(&world, id, NULL, &v) == NSC_OK);
    return v;
}

#endif
