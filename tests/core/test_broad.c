/* Broad phase: of many shapes, parted into strips, every pair of boxes that overlap is handed on, once; and how it is found does not show
   in what is solved. */
#define NSC_MAX_BODIES 300
#define NSC_MAX_CONTACTS 3000
#ifndef TEST_PART
#define NSC_MAX_JOINTS 40
#endif
#define NSC_ARENA 0
#define NSC_ARENA 0
#define NSC_IMPLEMENTATION
#include "all.h"
#include "search.h"
#include "by.h"

static nsc_world world;
static nsc_id ball(double x, double y, double z, double radius, int kind)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def k = nsc_default_sphere_def((nsc_real)radius);
    nsc_id b;
    d.kind = kind;
    d.pose.position.x = (nsc_real)x, d.pose.position.y = (nsc_real)y, d.pose.position.z = (nsc_real)z;
    b = nsc_world_add_body(&world, &d);
    CHECK_ONCE(b > 0 && nsc_world_add_shape(&world, b, &k) >= 0);
    return b;
}

/* Pairs by looking at all; nothing moves yet */
static int brute(void)
{
    int i, j, k, pairs = 0;
    nsci_bound_shapes(&world, NSC_R(1e-4));
    for (i = 0; i < world.shape_end; i++)
        for (j = i + 1; j < world.shape_end; j++) {
            const nsc_shape *a = &world.shapes[i], *b = &world.shapes[j];
            int meet = a->body != b->body && (world.bodies[a->body].kind == NSC_DYNAMIC_BODY || world.bodies[b->body].kind == NSC_DYNAMIC_BODY);
#if NSC_MAX_JOINTS > 0
            for (k = 0; k < world.joint_end; k++)
                meet &= !((world.joints[k].def.body_a & 16383) == a->body && (world.joints[k].def.body_b & 16383) == b->body);
#endif
            for (k = 0; k < 3; k++)
                meet &= world.scratch.find.boxes[i].min[k] <= world.scratch.find.boxes[j].max[k] &&
                        world.scratch.find.boxes[j].min[k] <= world.scratch.find.boxes[i].max[k];
            pairs += meet;
        }
    return pairs;
}

/* Balls in a box of these sides, some huge, some still, one far away, level ground and a slope; a few jointed */
static int number, odd;
static double side[3];

static int pairs_of_a_heap_are_those_found_by_looking_at_all(void)
{
    nsc_world_def def = default_def();
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_id id[NSC_MAX_BODIES];
    int i, pairs;
    def.gravity.z = NSC_R(0.0), def.solver.max_iterations = 1;
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    for (i = 0; i < number; i++) {
        double radius = odd && i % 37 == 0 ? 0.5 * (side[0] + side[1]) : uniform(0.02, 0.2);
        double x = uniform(-side[0], side[0]), y = uniform(-side[1], side[1]), z = uniform(-side[2], side[2]);
        id[i] = ball(x, y, z, radius, i % 5 ? NSC_DYNAMIC_BODY : NSC_STATIC_BODY);
    }
    if (odd) id[number] = ball(1e6, -1e7, 0, 1, NSC_DYNAMIC_BODY);
    plane.pose.position.z = (nsc_real)-side[2];
    CHECK_ONCE(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
    plane.pose.orientation.x = NSC_R(0.01); /* its box is the whole world */
    CHECK_ONCE(nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
#if NSC_MAX_JOINTS > 0
    for (i = 0; i < NSC_MAX_JOINTS && i + 1 < number; i++) {
        nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_DISTANCE, id[i], id[i + 1]);
        CHECK_ONCE(nsc_world_add_joint(&world, &d) >= 0);
    }
#endif
    (void)id;
    pairs = brute();
    CHECK(step_by(&world, NSC_R(1e-4)) == NSC_OK);
    said("%d pairs, by looking at all %d", world.report.pairs, pairs);
    CHECK(world.report.pairs == pairs);
    CHECK(number < 100 || pairs > 10);
    return 1;
}

/* A solver that has no arena: the step is refused, says so, and nothing has moved. */
static void without_an_arena_a_step_is_refused_and_nothing_moves(void)
{
    static const struct { int solver, code; const char *field; } wants[] = {
        {NSC_SOLVER_NEWTON, NSC_ERR_CAPACITY, "NSC_ARENA"}, {NSC_SOLVER_APGD, NSC_ERR_CAPACITY, "NSC_ARENA"}, {NSC_SOLVER_AUTO, NSC_OK, ""}};
    nsc_shape_def plane = nsc_default_half_space_def();
    size_t i;
    for (i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        nsc_world_def def = default_def();
        uint32_t before;
        if (!solver_of(wants[i].solver)) continue;
        stepped_by = wants[i].solver;
        CHECK(nsc_world_init(&world, &def) == NSC_OK && nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
        ball(0, 0, .1, .1, NSC_DYNAMIC_BODY);
        before = nsc_world_hash(&world);
        CHECK(step_by(&world, NSC_R(0.01)) == wants[i].code && (nsc_world_hash(&world) == before) == (wants[i].code < 0));
        CHECK(strcmp(nsc_world_last_refusal(&world).field, wants[i].field) == 0);
    }
}

/* A floor of 80 balls that sleep: their pairs are not looked at, and the ball that comes down wakes only what it meets. */
static void sleepers_meet_no_one(void)
{
    nsc_world_def def = default_def();
    nsc_shape_def plane = nsc_default_half_space_def();
    nsc_id falling;
    int i;
    def.sleep_time = NSC_R(0.1);
    CHECK(nsc_world_init(&world, &def) == NSC_OK && nsc_world_add_shape(&world, NSC_GROUND, &plane) >= 0);
    for (i = 0; i < 80; i++) ball(i % 10, i / 10 * 1.5, .5, .5, NSC_DYNAMIC_BODY); /* rows of ten that touch */
    for (i = 0; i < 60; i++) CHECK(step_by(&world, NSC_R(1.0) / 240) == NSC_OK);
    CHECK(world.report.asleep == 80 && world.report.pairs == 0 && world.contact_count >= 80);
    falling = ball(4.25, 4.5, 1.8, .5, NSC_DYNAMIC_BODY);
    CHECK(step_by(&world, NSC_R(1.0) / 240) == NSC_OK && world.report.pairs == 0 && world.report.asleep == 80);
    for (i = 0; i < 120 && world.report.asleep == 80; i++) CHECK(step_by(&world, NSC_R(1.0) / 240) == NSC_OK);
    CHECK(i > 20 && i < 120 && world.report.asleep == 70 && nsc_body_is_asleep(&world, falling) == 0);
}

int main(void)
{
    static const double sides[6][3] = {{4, 4, 4}, {9, 9, .1}, {20, .1, 5}, {.1, 30, .1}, {.05, 6, 6}, {500, 500, 500}};
    int i, k;
    for (i = 0; i < 6; i++)
        for (number = 1; number < NSC_MAX_BODIES - 2; number = 2 * number + 3)
            for (odd = 0; odd < 2; odd++) {
                for (k = 0; k < 3; k++) side[k] = sides[i][k];
                CASE("%d balls, sides %g %g %g%s", number, side[0], side[1], side[2], odd ? ", some huge or far" : "");
                search("pairs of a heap are those found by looking at all", pairs_of_a_heap_are_those_found_by_looking_at_all, 1);
            }
    CASE_END();
    sleepers_meet_no_one();
    without_an_arena_a_step_is_refused_and_nothing_moves();
    return TEST_END("broad");
}
