/* Dear steps for examples/kit/nsc_bound.h, one between each pair of marks: worlds at capacity whose shapes all meet, with bodies
   that slide, of very different mass, joints with limits and drives; seeds are the search.  CONFIG 0 measures what the table is
   made of, 1 to 5 are the configurations of RESULTS.md, 6 has restitution, 7 round shapes alone.  After each step a line "unit WHAT NUMBER ..." or "world ..." tells what
   it was; tests/targets/bound.sh puts them together with what the plugin counted. */
#ifndef CONFIG
#define CONFIG 0
#endif
#if CONFIG == 1
#define NSC_MAX_BODIES 4
#define NSC_MAX_CONTACTS 16
#else
#define NSC_MAX_BODIES 16
#define NSC_MAX_CONTACTS 64
#endif
#if CONFIG == 0 || CONFIG == 3 || CONFIG == 5
#define NSC_MAX_JOINTS 8
#define NSC_MAX_JOINT_BLOCKS 32
#else
#define NSC_MAX_JOINTS 0
#endif
#define SUBSTEPS (CONFIG == 4 ? 4 : 1)
#define BOUNCES (CONFIG == 6)
#define SWEEPS 20
#define FACTORS 5
#if CONFIG != 0 && CONFIG != 5
#define NSC_ARENA 0
#endif
#define NSC_CONVEX 0
#define NSC_STEPPERS 0
#define NSC_SMOOTH 0
#define NSC_IMU 0
#define NSC_STAGE(stage) mark_##stage()
#define MARK(name) \
    __attribute__((noinline)) void mark_NSC_STAGE_##name(void); \
    void mark_NSC_STAGE_##name(void) { __asm__ volatile(""); }
MARK(BROAD)
MARK(NARROW)
MARK(MATCH)
MARK(ISLANDS)
MARK(ROWS)
MARK(SOLVE)
MARK(MOVE)
MARK(REST)
#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#if CONFIG == 7
#define NSC_BOUND_SHAPES NSC_BOUND_ROUND
#endif
#if CONFIG > 0
#include "nsc_bound.h"
#endif
#include <stdio.h>

__attribute__((noinline)) void nsc_mark_begin(void);
__attribute__((noinline)) void nsc_mark_end(void);
void nsc_mark_begin(void) { __asm__ volatile(""); }
void nsc_mark_end(void) { __asm__ volatile(""); }

static nsc_world world;
static uint32_t seed;

static nsc_real between(nsc_real lo, nsc_real hi)
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return lo + (hi - lo) * (nsc_real)(seed >> 8) / NSC_R(16777216.0);
}

static int pick(int n) { return (int)between(NSC_R(0.0), (nsc_real)n) % n; }

static nsc_vec3 any_in(nsc_real r)
{
    nsc_vec3 v;
    v.x = between(-r, r);
    v.y = between(-r, r);
    v.z = between(-r, r);
    return v;
}

static nsc_quat any_turn(void)
{
    nsc_quat q;
    nsc_real n;
    q.w = between(NSC_R(0.1), NSC_R(1.0));
    q.x = between(NSC_R(-1.0), NSC_R(1.0));
    q.y = between(NSC_R(-1.0), NSC_R(1.0));
    q.z = between(NSC_R(-1.0), NSC_R(1.0));
    n = NSC_SQRT(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w /= n;
    q.x /= n;
    q.y /= n;
    q.z /= n;
    return q;
}

static nsc_calls calls;

static void begin(int iterations, nsc_solver *solve)
{
    nsc_world_def def = nsc_default_world_def();
    def.solver.max_iterations = iterations;
    calls.solve = solve;
    def.solver.max_factorizations = FACTORS;
    def.substeps = SUBSTEPS;
    nsc_world_init(&world, &def);
}

static int shapes_now(void)
{
    return world.shape_end;
}

static nsc_id add(nsc_shape_def shape, nsc_vec3 at, nsc_quat turn, nsc_real speed)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id body;
    d.pose.position = at;
    d.pose.orientation = turn;
    d.velocity = any_in(speed);
    d.angular_velocity = any_in(speed);
    body = nsc_world_add_body(&world, &d);
    nsc_world_add_shape(&world, body, &shape);
    return body;
}

static void ground(void)
{
    nsc_shape_def g = nsc_default_half_space_def();
    nsc_world_add_shape(&world, NSC_GROUND, &g);
}

static nsc_shape_def some(int boxes)
{
    nsc_real density = pick(2) ? NSC_R(100000.0) : NSC_R(100.0);
    nsc_shape_def s = nsc_default_sphere_def(between(NSC_R(0.4), NSC_R(0.6)));
    if (pick(2))
        s = nsc_default_capsule_def(between(NSC_R(0.3), NSC_R(0.5)), between(NSC_R(0.3), NSC_R(0.5)));
    if (boxes == 2 || (boxes && pick(8) > 0))
        s = nsc_default_box_def(between(NSC_R(0.4), NSC_R(0.6)), between(NSC_R(0.4), NSC_R(0.6)), between(NSC_R(0.4), NSC_R(0.6)));
    s.density = density;
    s.restitution = BOUNCES ? NSC_R(0.5) : NSC_R(0.0);
    return s;
}

static void add_joints(void)
{
#if NSC_MAX_JOINTS > 0
    int i;
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        nsc_id b = nsc_world_body_at(&world, 1 + i + pick(3));
        nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, nsc_world_body_at(&world, pick(1 + i)), b);
        nsc_vec3 axis = any_in(NSC_R(1.0)), across = any_in(NSC_R(1.0));
        int k = (int)(b & 16383);
        if (nsc_joint_place(&world, &d, world.bodies[k].position, axis, across) < 0)
            continue;
        d.collide = 1;
        d.axis[0].limited = 1;
        d.axis[0].lower = NSC_R(0.1);
        d.axis[0].upper = NSC_R(1.0);
        d.axis[0].drive = NSC_DRIVE_SERVO;
        d.axis[0].stiffness = NSC_R(50.0);
        d.axis[0].damping = NSC_R(1.0);
        d.axis[0].target = NSC_R(2.0);
        d.axis[0].friction = NSC_R(1.0);
        d.axis[0].spring = NSC_R(20.0);
        nsc_world_add_joint(&world, &d);
    }
#endif
}

static void step(void)
{
    nsc_mark_begin();
    nsc_world_step_with(&world, NSC_R(0.00390625), &calls);
    nsc_mark_end();
}

static int blocks_now(int *visits)
{
    int i, n = 0;
    *visits = 0;
    for (i = 0; i < world.report.islands; i++) {
        n += world.islands[i].blocks;
        *visits += world.islands[i].blocks * world.islands[i].iterations;
    }
    return n;
}

/* what, how many bodies, pairs, contacts, dropped, joints, blocks, visits, factors */
static void say(const char *what)
{
    int visits, blocks = blocks_now(&visits), joints = 0;
#if NSC_MAX_JOINTS > 0
    joints = world.joint_end;
#endif
    printf("unit %s %d %d %d %d %d %d %d %d %d\n", what, world.body_end, world.report.pairs, world.report.contacts,
           world.report.dropped, joints, blocks, visits, world.report.solver.factorizations, shapes_now());
}

static void cluster(int n, int boxes, nsc_real radius, nsc_real speed, int on_ground)
{
    int i;
    nsc_vec3 at;
    if (on_ground)
        ground();
    for (i = 1; i <= n; i++) {
        at = any_in(radius);
        at.z += NSC_R(0.45);
        add(some(boxes), at, any_turn(), speed);
    }
}

#if CONFIG == 0
/* ---- what the table is made of */

static nsc_world start;

/* The same step with 10 and with 40 sweeps, the residual looked at never but at the end, then after each */
static void sweeps(void)
{
    int i;
    start = world;
    for (i = 0; i < 4; i++) {
        world = start;
        world.def.solver.tolerance = NSC_R(0.0);
        world.def.solver.max_iterations = i % 2 ? 40 : 10;
        world.def.solver.check_interval = i / 2 ? 1 : 1000;
        world.def.solver.judge = i / 2;
        step();
        say(i == 0 ? "sweep10" : i == 1 ? "sweep40" : i == 2 ? "look10" : "look40");
    }
}

static void measure_units(void)
{
    int i, k;
    nsc_vec3 at;
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.25));
    begin(1, nsc_solve_sipgs);
    step();
    step();
    say("empty");
    for (k = 2; k < NSC_MAX_BODIES; k += 13) { /* 2, 15: far apart; they turn */
        begin(1, nsc_solve_sipgs);
        for (i = 0; i < k; i++) {
            at = any_in(NSC_R(0.1));
            at.x += NSC_R(4.0) * (nsc_real)i;
            add(nsc_default_box_def(NSC_R(0.25), NSC_R(0.5), NSC_R(0.75)), at, any_turn(), NSC_R(3.0));
        }
        step();
        say("apart");
        step();
        say("apart");
    }
    /* the same pair 15 bodies deep, and 8: the others find no room */
    for (k = 8; k < NSC_MAX_BODIES; k += 7) {
        begin(1, nsc_solve_sipgs);
        for (i = 0; i < k; i++) {
            at = any_in(NSC_R(0.0));
            at.z = NSC_R(0.25) - (nsc_real)i * NSC_R(0.001);
            add(ball, at, nsc_default_body_def().pose.orientation, NSC_R(0.0));
        }
        step();
        say(k == 8 ? "balls8" : "balls15");
    }
    for (k = 0; k < PAIR_WORLDS; k++) { /* two shapes, one pair */
        int boxes = k % 3 == 0 ? 0 : k % 3;
        begin(1, nsc_solve_sipgs);
        cluster(2, boxes, between(NSC_R(0.0), NSC_R(0.7)), NSC_R(0.0), 0);
        if (k % 5 == 0) { /* nearly parallel: face on face, edge on edge */
            int b;
            for (b = 1; b < 3; b++) {
                nsc_pose pose = nsc_default_body_def().pose;
                pose.position = world.bodies[b].position;
                pose.orientation.x = between(NSC_R(-0.01), NSC_R(0.01));
                pose.orientation.w = NSC_SQRT(NSC_R(1.0) - pose.orientation.x * pose.orientation.x);
                nsc_body_set_pose(&world, nsc_world_body_at(&world, b), pose);
            }
        }
        step();
        say(boxes ? "box_pair" : "round_pair");
        if (k % 4 == 0) {
            step();
            say(boxes ? "box_pair" : "round_pair");
        }
    }
    for (k = 0; k < WORLDS; k++) {
        begin(20, nsc_solve_sipgs);
        cluster(15, 2, NSC_R(0.2) + NSC_R(0.1) * (nsc_real)(k % 3), NSC_R(3.0), 0);
        step();
        say("full");
        sweeps();
        begin(20, nsc_solve_sipgs);
        cluster(15, 0, NSC_R(3.0), NSC_R(0.0), 0);
        add_joints();
        step();
        step();
        say("jointed");
        sweeps();
        begin(20, nsc_solve_newton);
        cluster(k % 3 == 0 ? 5 : 15, 2, NSC_R(0.4), NSC_R(3.0), 1);
        add_joints();
        step();
        start = world;
        for (i = 1; i <= FACTORS; i += FACTORS - 1) {
            world = start;
            world.def.solver.max_factorizations = i;
            step();
            say(i == 1 ? "newton1" : "newton");
        }
    }
}
#endif

#if CONFIG > 0
/* ---- configurations */

static void measure_worlds(void)
{
    int k, i, solver = CONFIG == 5 ? NSC_SOLVER_NEWTON : NSC_SOLVER_SIPGS;
#if CONFIG == 5
    long bound = NSC_BOUND_INSTRUCTIONS_BY(NSC_SOLVER_NEWTON, SWEEPS, FACTORS, SUBSTEPS, 0);
#else
    long bound = NSC_BOUND_INSTRUCTIONS(SWEEPS, SUBSTEPS, BOUNCES);
#endif
    printf("bound %d %ld %ld %ld %ld %ld %ld %d\n", CONFIG, bound, NSC_BOUND_PAIRS, NSC_BOUND_CONTACTS, NSC_BOUND_DROPPED, NSC_BOUND_BLOCKS,
           NSC_BOUND_SOLVES(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, SUBSTEPS, 1, BOUNCES) * NSC_BOUND_VISITS(solver, SWEEPS, FACTORS),
           FACTORS);
    for (k = 0; k < WORLDS; k++) {
        int family = k % 4; /* 3: a heap on the ground, for the median */
        seed = (uint32_t)(1000 * k + 17);
        begin(SWEEPS, CONFIG == 5 ? nsc_solve_newton : nsc_solve_sipgs);
        cluster(NSC_MAX_BODIES - 1, CONFIG == 7 ? 0 : family == 2 ? 1 : 2, family == 3 ? NSC_R(1.0) : NSC_R(0.1) + NSC_R(0.15) * (nsc_real)family,
                family == 3 ? NSC_R(0.5) : NSC_R(4.0), 1);
        add_joints();
        if (family != 3 && k % 8 < 4) { /* looks at its answer after every sweep, and is never content */
            world.def.solver.judge = 1;
            world.def.solver.check_interval = 1;
            world.def.solver.tolerance = NSC_R(0.0);
        }
        for (i = 0; i < STEPS; i++) {
            step();
            say(family == 3 ? "heap" : "dear");
        }
    }
}

#endif

int main(void)
{
    seed = 1;
#if CONFIG == 0
    measure_units();
#else
    measure_worlds();
#endif
    return 0;
}
