/* Strips: the contacts of many shapes, and their order, are those of looking at all pairs; see test_broad for the pairs alone. */
#define NSC_MAX_BODIES 200
#define NSC_MAX_CONTACTS 900
#ifndef TEST_PART
#define NSC_STRIPS 1
#endif
#define NSC_IMPLEMENTATION
#include "all.h"
#include "search.h"
#include "by.h"

static nsc_world world;
static nsc_contact contacts[2][NSC_MAX_CONTACTS];
static double side[3];

/* What is found with or without strips, in its order; returns the count */
static int found_by(int strips)
{
    int i, n = nsci_bound_shapes(&world, NSC_R(1e-3)), own = world.found_count, count;
    world.next_manifold = 0;
    if (strips) nsci_meet_strips(&world, n, NSC_R(1e-3));
    else nsci_meet_all(&world, n, NSC_R(1e-3));
    for (i = 0; i < world.found_count; i++) world.scratch.find.order[i] = (nsci_index)i;
    if (strips) nsci_sort_many(&world);
    else nsci_sort(&world, nsci_before, world.scratch.find.order, world.found_count);
    for (i = 0; i < world.found_count; i++) contacts[strips][i] = world.found[world.scratch.find.order[i]];
    count = world.found_count;
    world.found_count = own;
    return count;
}

static int same_point(const nsc_contact *a, const nsc_contact *b)
{
    return a->shape_a == b->shape_a && a->shape_b == b->shape_b && a->body_a == b->body_a && a->body_b == b->body_b &&
           a->feature == b->feature && !(a->gap < b->gap) && !(a->gap > b->gap) && a->point.x >= b->point.x && a->point.x <= b->point.x;
}

/* Balls and boxes anywhere in a box of these sides, some of them static or huge, on a slope; contacts of the user's own in any order */
static int contacts_and_their_order_are_those_of_all_pairs(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def plane = nsc_default_half_space_def();
    int i, n, all, strips, bodies = 1 + below(NSC_MAX_BODIES - 3), own = below(9);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    for (i = 0; i < bodies; i++) {
        nsc_body_def d = nsc_default_body_def();
        nsc_real size = (nsc_real)(below(40) ? uniform(0.05, 0.3) : 0.5 * side[0]);
        nsc_shape_def k = below(2) ? nsc_default_sphere_def(size) : nsc_default_box_def(size, size, size);
        nsc_id b;
        d.kind = below(5) ? NSC_DYNAMIC_BODY : NSC_STATIC_BODY;
        d.pose.position.x = (nsc_real)uniform(-side[0], side[0]);
        d.pose.position.y = (nsc_real)uniform(-side[1], side[1]);
        d.pose.position.z = (nsc_real)uniform(-side[2], side[2]);
        b = nsc_world_add_body(&world, &d);
        CHECK_ONCE(b > 0 && nsc_world_add_shape(&world, b, &k) >= 0);
    }
    plane.pose.orientation.x = NSC_R(0.01);
    CHECK_ONCE(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
    for (i = 0; i < own; i++) {
        nsc_contact c = nsc_default_contact();
        c.body_a = NSC_GROUND, c.body_b = nsc_world_body_at(&world, 1 + below(bodies));
        c.feature = (uint32_t)below(3);
        CHECK_ONCE(nsc_world_add_contact(&world, &c) == NSC_OK);
    }
    nsci_clear(world.v_free, sizeof world.v_free);
    all = found_by(0);
    n = all < NSC_MAX_CONTACTS ? all : 0; /* at capacity what is kept depends on the order of finding */
    strips = found_by(1);
    for (i = 0; i < n && strips == all && same_point(&contacts[0][i], &contacts[1][i]); i++) {
    }
    said("%d bodies, %d contacts, with strips %d; the first %d agree", bodies, all, strips, i);
    return strips == all && i == n;
}

int main(void)
{
    static const double sides[5][3] = {{2, 2, 2}, {5, 5, .1}, {12, .1, 3}, {.1, 15, .1}, {300, 300, 300}};
    int i, k;
    for (i = 0; i < 5; i++) {
        for (k = 0; k < 3; k++) side[k] = sides[i][k];
        CASE("sides %g %g %g", side[0], side[1], side[2]);
        search("contacts and their order are those of all pairs", contacts_and_their_order_are_those_of_all_pairs, trials(20, 400));
    }
    return TEST_END("strips");
}
