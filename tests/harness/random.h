/* random.h - random vectors and turns of tests, the same with every compiler.  Include it after nsc.h; a test that wants
   numbers of its own sets `seed` first. */
#ifndef NSC_TEST_RANDOM_H
#define NSC_TEST_RANDOM_H
#include "search.h"
#include "world.h"

/* Of unit length; none if all are 0, as in the simplest case of a search */
SHARED nsc_quat quat(double w, double x, double y, double z)
{
    double n = sqrt(w * w + x * x + y * y + z * z);
    nsc_quat q;
    if (!(n > 0)) w = n = 1;
    q.w = REAL(w / n), q.x = REAL(x / n), q.y = REAL(y / n), q.z = REAL(z / n);
    return q;
}

/* One coordinate after the other: the order in which arguments are evaluated is the compiler's */
SHARED nsc_vec3 any_in(double x0, double x1, double y0, double y1, double z0, double z1)
{
    double x = uniform(x0, x1), y = uniform(y0, y1), z = uniform(z0, z1);
    return vec(x, y, z);
}

SHARED nsc_vec3 any_vec(double r) { return any_in(-r, r, -r, r, -r, r); }

SHARED nsc_quat any_turn(void)
{
    double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    return quat(w, x, y, z);
}

#endif
