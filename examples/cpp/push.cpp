/* nsc.hpp: a stack of three boxes is pushed off a table, and the push is taken back: handles that
   know what they name, spans of contacts, results instead of exceptions, worlds as values.
   Files: beside nsc.h, nsc_solvers.h and nsc.hpp those of kit/ for rays (nsc_sense.h, nsc_convex.h,
   nsc_support.h) and for hashes (nsc_image.h).
   c++ -std=c++11 -O2 -ffp-contract=off -fno-exceptions -fno-rtti -I../.. -I../kit push.cpp */
#define NSC_MAX_BODIES 6
#define NSC_MAX_CONTACTS 32
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_sense.h"
#include "nsc.hpp"
#include <stdio.h>

static nsc::world world, before; /* 26 KB each, and no heap */

/* What a call with a handle or a status as its result says, if it was refused */
template <class Result> static bool fine(const Result &result)
{
    if (!result) {
        nsc_refusal why = world.refusal();
        printf("%s: %s should be %s\n", result.text(), why.field, why.rule);
    }
    return static_cast<bool>(result);
}

static bool run(int steps)
{
    while (steps-- > 0)
        if (!fine(world.step(1 / NSC_R(240.0)))) return false;
    return true;
}

int main()
{
    const nsc_real half = NSC_R(0.1);
    nsc::body_id boxes[3];
    if (!fine(world.init()) || !fine(world.add(nsc::ground, nsc::half_space()))) return 1;
    for (int i = 0; i < 3; i++) {
        boxes[i] = world.add(nsc::body_def(nsc::vec(0, 0, (2 * nsc_real(i) + 1) * half)));
        if (!fine(boxes[i]) || !fine(world.add(boxes[i], nsc::box(half, half, half)))) return 1;
    }
    if (!run(120)) return 1;

    nsc_real load = 0;
    for (const nsc_contact &contact : world.contacts())
        if (contact.body_a == NSC_GROUND) load += contact.impulse.z * 240;
    printf("three boxes press on the ground with %.1f N\n", double(load));

    const nsc_vec3 down = nsc::vec(0, 0, -5);
    nsc::hit hit = world.cast_ray(nsc::vec(0, 0, 3), down);
    printf("a ray from above meets %s at %.3f m\n", hit.of_body() == boxes[2] ? "the top box" : "another",
           double(hit.point.z));

    before = world;
    const nsc_vec3 push = nsc::vec(25, 0, 0);
    if (!fine(world.add_impulse_at(boxes[2], push, nsc::vec(-half, 0, 5 * half))) || !run(240)) return 1;
    printf("pushed: the top box is at x %.2f z %.2f m\n", double(world.pose(boxes[2])->position.x),
           double(world.pose(boxes[2])->position.z));
    const uint32_t once = world.hash();

    world = before;
    printf("taken back: it is at x %.2f z %.2f m\n", double(world.pose(boxes[2])->position.x),
           double(world.pose(boxes[2])->position.z));
    if (!fine(world.add_impulse_at(boxes[2], push, nsc::vec(-half, 0, 5 * half))) || !run(240)) return 1;
    printf("pushed again: %s\n", world.hash() == once ? "the same bits" : "DIFFERENT");
    return world.hash() != once;
}
