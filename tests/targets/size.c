/* What size.sh measures.  APP: a whole program that makes a world, steps and reads it; EMPTY: the same without nsc;
   otherwise the implementation alone, of both headers with WORLD, else of the solvers; with ALL of what nsc_all.h takes.
   WITH_IMAGE and so on, KIT_DRAW and so on: with a header of examples/kit.  NO_LIBC: the three functions of libc replaced. */
#ifdef NO_LIBC /* as a firmware without libc gives them */
#include <stddef.h>
static void bytes_copy(void *to, const void *from, size_t n)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (n--) *t++ = *f++;
}
static void bytes_set(void *to, int c, size_t n)
{
    unsigned char *t = (unsigned char *)to;
    while (n--) *t++ = (unsigned char)c;
}
#define NSC_MEMCPY bytes_copy
#define NSC_MEMSET bytes_set
#define NSC_SQRT __builtin_sqrtf
#endif
#define NSC_IMPLEMENTATION
#if defined(WITHOUT_GEARS) && !defined(WITH_GEARS)
#define NSC_GEARS 0
#endif
#if (defined(APP) || defined(WORLD)) && defined(ALL)
#include "nsc_all.h"
#elif defined(APP) || defined(WORLD)
#include "nsc.h"
#elif defined(ALL)
#include "nsc_all_solvers.h"
#elif !defined(EMPTY)
#include "nsc_solvers.h"
#endif
#ifdef WITH_IMAGE
#include "nsc_image.h"
#endif
#ifdef WITH_SENSE
#include "nsc_sense.h"
#endif
#ifdef WITH_JOINT_STATE
#include "nsc_joint_state.h"
#endif
#ifdef WITH_POSE
#include "nsc_pose.h"
#endif
#ifdef WITH_TOUCH
#include "nsc_touch.h"
#endif
#ifdef WITH_PROBLEM
#include "nsc_problem.h"
#endif
#ifdef KIT_DRAW
#include "nsc_draw.h"
#endif
#ifdef KIT_DUMP
#include "nsc_dump.h"
#endif
#ifdef KIT_HULL
#include "nsc_hull.h"
#endif
#ifdef KIT_ROBOT
#include "nsc_robot.h"
#endif

#ifdef APP
static nsc_world world;

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), shape[3];
    int i;
    shape[0] = nsc_default_box_def(NSC_R(0.1), NSC_R(0.1), NSC_R(0.1));
    shape[1] = nsc_default_sphere_def(NSC_R(0.1));
    shape[2] = nsc_default_capsule_def(NSC_R(0.1), NSC_R(0.1));
    if (nsc_world_init(&world, &def) < 0) return 1;
    nsc_world_add_shape(&world, NSC_GROUND, &ground);
    for (i = 0; i < 3; i++) {
        nsc_body_def body = nsc_default_body_def();
        body.pose.position.z = (nsc_real)i;
        nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &shape[i]);
    }
    for (i = 0; i < 100; i++) {
        nsc_pose pose;
        if (nsc_world_step(&world, NSC_R(0.005)) < 0) return 1;
        nsc_body_get_pose(&world, world.contacts[0].body_b, &pose);
        if (pose.position.z < NSC_R(-1.0) || nsc_world_report(&world)->dropped > 0) return 1;
    }
    return 0;
}
#elif defined(EMPTY)
int main(void) { return 0; }
#endif
