/* A robot of seven bodies in little memory, on a Cortex-M4F: a chassis, four driven wheels and two
   jaws.  It drives up to a post, grips it, pulls at it with all its motors without coming loose,
   lets go and drives back, at 500 ticks a second: 16 contacts, 6 joints.  There is as much RAM as
   the world, other data and the stack take, and no more: run.sh says how much.  Returns 0 if all
   went so, and no tick was late. */
#define NSC_MAX_BODIES 8 /* the ground, chassis, wheels, jaws */
#define NSC_MAX_SHAPES 8 /* ground, post, wheels, jaws */
#define NSC_MAX_CONTACTS 16
#define NSC_MAX_MANIFOLDS 0
#define NSC_MAX_JOINTS 6
#define NSC_MAX_JOINT_BLOCKS 18
#define NSC_JOINT_AXES 1
#define NSC_GEARS 0
#define NSC_SHORT_BLOCKS 1
#define NSC_NO_SUBSTEPS
#define NSC_NO_ISLANDS
#define NSC_NO_TEXTS
#define NSC_STATIC
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>

static nsc_world world;

#define RATE 500u
#define CLOCK 25000000u                /* of SysTick on this board */
#define INSTRUCTIONS(counts) (5 * (counts)) /* QEMU, -icount shift=3: 8 ns an instruction */
#define INTERRUPT 112 /* registers, with those of the FPU, and its handler */
#include "least.h"

enum { WHEELS = 4, JAWS = 2, JOINTS = WHEELS + JAWS };
static const nsc_real radius = 0.03f, turn = 0.70710678f;
static nsc_id chassis, joint[JOINTS]; /* of wheels, then of jaws */

ALONE nsc_id body_at(nsc_real x, nsc_real y, nsc_real z, nsc_real mass, nsc_real size)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position.x = x, d.pose.position.y = y, d.pose.position.z = z;
    d.mass = mass;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 0.4f * mass * size * size;
    return MUST(nsc_world_add_body(&world, &d));
}

static void put(nsc_id body, nsc_shape_def *shape, nsc_real friction)
{
    shape->friction = friction;
    MUST(nsc_world_add_shape(&world, body, shape));
}

/* Body b at a place of the chassis, on a hinge or a slider along y, driven by a motor of so much
   force */
ALONE nsc_id hang(int kind, nsc_id b, nsc_real x, nsc_real y, nsc_real force)
{
    nsc_joint_def d = nsc_default_joint_def(kind, chassis, b);
    d.frame_a.position.x = x, d.frame_a.position.y = y;
    d.frame_a.orientation.w = turn, d.frame_a.orientation.x = -turn; /* its z is the chassis's y */
    d.frame_b.orientation = d.frame_a.orientation;
    d.axis[0].drive = NSC_DRIVE_MOTOR;
    d.axis[0].max_force = force;
    return MUST(nsc_world_add_joint(&world, &d));
}

ALONE void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    def.solver.max_iterations = 4; /* bounds the time of a step */
    MUST(nsc_world_init(&world, &def));
}

ALONE void add_ground(void)
{
    nsc_shape_def shape = nsc_default_half_space_def();
    put(NSC_GROUND, &shape, 0.8f);
    shape = nsc_default_box_def(0.02f, 0.02f, 0.1f); /* the post */
    shape.pose.position.x = 0.3f;
    put(NSC_GROUND, &shape, 0.8f);
}

ALONE nsc_id add_wheel(nsc_real x, nsc_real y)
{
    nsc_shape_def tyre = nsc_default_capsule_def(radius, 0.006f);
    nsc_id wheel = body_at(x, y, radius, 0.1f, radius);
    tyre.pose.orientation.w = turn, tyre.pose.orientation.x = -turn; /* its axis along y */
    put(wheel, &tyre, 0.8f);
    return wheel;
}

ALONE nsc_id add_jaw(nsc_real x, nsc_real y)
{
    nsc_shape_def finger = nsc_default_box_def(0.02f, 0.005f, 0.015f);
    nsc_id jaw = body_at(x, y, radius, 0.05f, 0.02f);
    put(jaw, &finger, 0.8f);
    return jaw;
}

ALONE void setup(void)
{
    int i;
    begin();
    add_ground();
    chassis = body_at(0, 0, radius, 1.0f, 0.1f);
    for (i = 0; i < JOINTS; i++) {
        nsc_real x = i < 2 ? 0.07f : i < WHEELS ? -0.07f : 0.14f;
        nsc_real y = i < WHEELS ? 0.07f : 0.04f;
        if (i % 2) y = -y;
        if (i < WHEELS) joint[i] = hang(NSC_JOINT_HINGE, add_wheel(x, y), x, y, 0.03f);
        else joint[i] = hang(NSC_JOINT_SLIDER, add_jaw(x, y), x, y, 6.0f);
    }
}

/* Motors: speed of the robot, and of each jaw towards the other [m/s] */
static void drive(nsc_real forward, nsc_real closing)
{
    int i;
    for (i = 0; i < JOINTS; i++) {
        nsc_real speed = i < WHEELS ? forward / radius : i % 2 ? closing : -closing;
        MUST(nsc_joint_set_target(&world, joint[i], 0, 0, speed));
    }
}

static nsc_real place(void)
{
    nsc_pose p;
    MUST(nsc_body_get_pose(&world, chassis, &p));
    return p.position.x;
}

int main(void)
{
    static const struct { nsc_real until, forward, closing; } plan[] = {
        {0.2f, 0, 0},         {1.2f, 0.16f, 0},      {1.8f, 0, 0.04f}, {2.8f, -0.1f, 0.04f},
        {3.2f, 0, -0.04f}, {4.2f, -0.16f, -0.01f}, {4.5f, 0, 0}};
    nsc_real x = 0, gripped = 0, pulled = 0;
    uint32_t step;
    int i = 0, contacts = 0;
    paint();
    setup();
    begin_ticks();
    for (step = 1; step <= (uint32_t)(4.5f * RATE); step++) {
        wait_for_tick();
        while ((nsc_real)step > plan[i].until * RATE) i++;
        drive(plan[i].forward, plan[i].closing);
        MUST(nsc_world_step(&world, 1.0f / RATE));
        end_tick();
        if (world.report.contacts > contacts) contacts = world.report.contacts;
        x = place();
        if (step == (uint32_t)(1.8f * RATE)) gripped = x;
        if (step == (uint32_t)(2.8f * RATE)) pulled = x;
    }
    printf("rover: grips at %d, pulls to %d, ends at %d mm; contacts %d, residual %d um/s\n",
           whole(1e3f * gripped), whole(1e3f * pulled), whole(1e3f * x), contacts,
           whole(1e6f * world.report.solver.residual));
    return end_ticks(step - 1) && gripped > 0.15f && fabsf(pulled - gripped) < 1e-3f &&
           fabsf(x) < 0.01f && contacts == NSC_MAX_CONTACTS && world.report.dropped_ever == 0 ? 0 : 1;
}
