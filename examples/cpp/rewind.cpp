/* nsc from C++: refused calls throw, and a copy of a world is a snapshot.  A ball bounces; the world is set back to a
   copy made in flight, and comes to the same bits again.
   Files: beside nsc.h and nsc_solvers.h that of kit/ for hashes (nsc_image.h).
   c++ -std=c++11 -O2 -ffp-contract=off -I../.. -I../kit rewind.cpp -o rewind && ./rewind */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include <iostream>
#include <memory>
#include <stdexcept>

static nsc_id must(nsc_id code)
{
    if (code < 0) throw std::runtime_error(nsc_error_text(code));
    return code;
}

static nsc_real height_after(nsc_world &world, nsc_id body, int steps)
{
    nsc_pose pose;
    while (steps-- > 0) must(nsc_world_step(&world, 1 / NSC_R(240.0)));
    must(nsc_body_get_pose(&world, body, &pose));
    return pose.position.z;
}

int main()
try {
    const std::unique_ptr<nsc_world> world(new nsc_world); /* 50 KB: not for the stack */
    const nsc_world_def def = nsc_default_world_def();
    const nsc_shape_def shape = nsc_default_sphere_def(NSC_R(0.1));
    nsc_shape_def table = nsc_default_half_space_def();
    nsc_body_def body = nsc_default_body_def();
    table.restitution = NSC_R(0.8);
    body.pose.position.z = 1;
    must(nsc_world_init(world.get(), &def));
    must(nsc_world_add_shape(world.get(), NSC_GROUND, &table));
    const nsc_id ball = must(nsc_world_add_body(world.get(), &body));
    must(nsc_world_add_shape(world.get(), ball, &shape));

    std::cout << "in flight at " << height_after(*world, ball, 60) << " m\n";
    const std::unique_ptr<nsc_world> before(new nsc_world(*world));
    std::cout << "a second later at " << height_after(*world, ball, 240) << " m\n";
    const uint32_t once = nsc_world_hash(world.get());
    *world = *before;
    std::cout << "and again at " << height_after(*world, ball, 240) << " m\n";
    const bool same = nsc_world_hash(world.get()) == once;
    std::cout << (same ? "the same bits\n" : "DIFFERENT\n");
    return !same;
} catch (const std::exception &e) {
    std::cerr << e.what() << "\n";
    return 1;
}
