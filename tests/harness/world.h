/* world.h - what tests of worlds share: one world, vectors in double.  Include it after nsc.h, with its
   implementation. */
#ifndef NSC_TEST_WORLD_H
#define NSC_TEST_WORLD_H
#include "test.h"
#include "shapes.h"
#include <math.h>

#define REAL(x) ((nsc_real)(x))
#define D(x) ((double)(x))
#define SHARED static NSC_MAYBE_UNUSED

/* The last of steppers 1 to n that this build has */
#define STEPPERS(n) (NSC_STEPPERS ? (n) : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED)

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
SHARED nsc_vec3 plus_multiple(nsc_vec3 a, double s, nsc_vec3 b)
{
    return vec(D(a.x) + s * D(b.x), D(a.y) + s * D(b.y), D(a.z) + s * D(b.z));
}

SHARED nsc_vec3 plus(nsc_vec3 a, nsc_vec3 b) { return plus_multiple(a, 1, b); }
SHARED nsc_vec3 multiple(double s, nsc_vec3 a) { return vec(s * D(a.x), s * D(a.y), s * D(a.z)); }

SHARED nsc_vec3 cross(nsc_vec3 a, nsc_vec3 b)
{
    return vec(D(a.y) * D(b.z) - D(a.z) * D(b.y), D(a.z) * D(b.x) - D(a.x) * D(b.z),
               D(a.x) * D(b.y) - D(a.y) * D(b.x));
}

/* From the frame that q turns into the world, and from the world into it; q need not be of unit
   length */
SHARED nsc_vec3 rotate(nsc_quat q, nsc_vec3 v)
{
    double w = D(q.w), x = D(q.x), y = D(q.y), z = D(q.z), s = 2 / (w * w + x * x + y * y + z * z);
    double a = D(v.x), b = D(v.y), c = D(v.z);
    return vec((1 - s * (y * y + z * z)) * a + s * (x * y - w * z) * b + s * (x * z + w * y) * c,
               s * (x * y + w * z) * a + (1 - s * (x * x + z * z)) * b + s * (y * z - w * x) * c,
               s * (x * z - w * y) * a + s * (y * z + w * x) * b + (1 - s * (x * x + y * y)) * c);
}

SHARED nsc_vec3 rotate_back(nsc_quat q, nsc_vec3 v)
{
    q.w = -q.w;
    return rotate(q, v);
}

/* Of a sphere, capsule, cylinder or box [m^3] */
SHARED double volume(const nsc_shape_def *d)
{
    const double pi = 3.14159265358979323846;
    double r = D(d->radius), z = D(d->half.z);
    if (d->kind == NSC_SHAPE_BOX) return 8 * D(d->half.x) * D(d->half.y) * z;
    if (d->kind == NSC_SHAPE_CYLINDER) return 2 * pi * r * r * z;
    return 4 / 3. * pi * r * r * r + (d->kind == NSC_SHAPE_CAPSULE ? 2 * pi * r * r * z : 0);
}

/* Kinetic and potential energy of the dynamic bodies [J].  Positions move by the velocities of the end of a (sub-)step, so the sum of
   both sways by half a step's work of gravity, at 60 Hz and 3 m/s by what lifts a body by 25 mm.  With its length h that work is taken
   back, which leaves what free fall keeps; with 0 it is not. */
SHARED double energy_at(double h)
{
    double sum = 0;
    int i;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        nsc_vec3 w = rotate_back(b->orientation, b->angular_velocity);
        double x = D(w.x), y = D(w.y), z = D(w.z);
        if (b->kind != NSC_DYNAMIC_BODY) continue;
        sum += 0.5 * D(b->mass) * dot(b->velocity, b->velocity);
        sum -= D(b->mass) * dot(world.def.gravity, plus_multiple(b->position, -h / 2, b->velocity));
        sum += 0.5 * (D(b->inertia[0]) * x * x + D(b->inertia[1]) * y * y + D(b->inertia[2]) * z * z);
        sum += D(b->inertia[3]) * x * y + D(b->inertia[4]) * x * z + D(b->inertia[5]) * y * z;
    }
    return sum;
}

/* The body as the world holds it */
SHARED const nsc_body *inside(nsc_id id) { return &world.bodies[id & 16383]; }

SHARED nsc_vec3 position(nsc_id id)
{
    nsc_pose p;
    CHECK_ONCE(nsc_body_get_pose(&world, id, &p) == NSC_OK);
    return p.position;
}

SHARED nsc_vec3 velocity(nsc_id id)
{
    nsc_vec3 v;
    CHECK_ONCE(nsc_body_get_velocity(&world, id, &v, NULL) == NSC_OK);
    return v;
}

SHARED nsc_vec3 spin(nsc_id id)
{
    nsc_vec3 v;
    CHECK_ONCE(nsc_body_get_velocity(&world, id, NULL, &v) == NSC_OK);
    return v;
}

#endif
