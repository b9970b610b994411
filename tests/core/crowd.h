/* crowd.h - many contacts of the user's own, which are open, stand before those of forty boxes that rest on the ground: scene and
   judgement of test_many and test_bytes, which say how many (OPEN_CONTACTS) and their NAME. */
#define NSC_MAX_BODIES 41
#define NSC_MAX_MANIFOLDS 80
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "test.h"

enum { BOXES = NSC_MAX_BODIES - 1, OWN = OPEN_CONTACTS, STEPS = 3 };
static nsc_world world;
static const nsc_real h = 1 / NSC_R(240.0);

static void add_boxes(void)
{
    nsc_shape_def plane = nsc_default_half_space_def(), box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    int i;
    nsc_world_add_shape(&world, NSC_GROUND, &plane);
    for (i = 0; i < BOXES; i++) {
        nsc_body_def d = nsc_default_body_def();
        d.pose.position.x = 2 * (nsc_real)i;
        d.pose.position.z = NSC_R(0.5);
        nsc_world_add_shape(&world, nsc_world_add_body(&world, &d), &box);
    }
}

static int add_open_contacts(void)
{
    nsc_contact c = nsc_default_contact();
    int i;
    c.body_a = NSC_GROUND;
    c.gap = NSC_R(0.009);
    for (i = 0; i < OWN; i++) {
        int box = i / (OWN / BOXES + 1);
        c.body_b = nsc_world_body_at(&world, 1 + box);
        c.point.x = 2 * (nsc_real)box;
        c.feature = (uint32_t)i;
        if (nsc_world_add_contact(&world, &c) != NSC_OK) return i;
    }
    return i;
}

static double weight_held(int from, int to)
{
    double sum = 0;
    int i;
    for (i = from; i < to; i++) sum += (double)world.contacts[i].impulse.z;
    return sum / (double)h / 9.81 / 1000;
}

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    int step, i, moved = 0, blocks = 0;
    def.solver.max_iterations = 20;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    add_boxes();
    for (step = 0; step < STEPS; step++) {
        CHECK(add_open_contacts() == OWN);
        CHECK(nsc_world_step(&world, h) >= 0);
        CHECK(world.contact_count == OWN + 4 * BOXES);
        CHECK_NEAR(weight_held(0, OWN), 0, 0);
        CHECK_NEAR(weight_held(OWN, world.contact_count), BOXES, 1e-3 * BOXES);
    }
    for (i = 1; i <= BOXES; i++) moved += (double)world.bodies[i].position.z < 0.499 || (double)world.bodies[i].position.z > 0.501;
    CHECK(moved == 0 && world.report.dropped == 0);
    CHECK(world.report.islands == BOXES);
    for (i = 0; i < BOXES; i++) blocks += nsc_world_island(&world, i)->blocks;
    CHECK(blocks == OWN + 4 * BOXES);
    return TEST_END(NAME);
}
