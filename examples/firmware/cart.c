/* A cart in the least memory, on a Cortex-M0+ without an FPU: a chassis on two driven wheels and
   two casters.  It drives forward, turns half round and drives back, at 50 ticks a second: 6
   contacts, 2 joints.  There is as much RAM as it takes, and no more: run.sh says how much.
   Returns 0 if it comes back, and no tick was late. */
#define NSC_MAX_BODIES 4 /* the ground, chassis, wheels */
#define NSC_MAX_SHAPES 5 /* ground, wheels, casters */
#define NSC_MAX_CONTACTS 6
#define NSC_MAX_MANIFOLDS 0
#define NSC_MAX_JOINTS 2
#define NSC_MAX_JOINT_BLOCKS 6
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

#define RATE 50u
#define CLOCK 16000000u /* of SysTick on this board */
#define INSTRUCTIONS(counts) ((counts) * 125 / 16) /* QEMU, -icount shift=3: 8 ns each */
#define INTERRUPT 40 /* registers, and its handler */
#include "least.h"

static const nsc_real radius = 0.03f, turn = 0.70710678f;
static nsc_id chassis, joint[2];

ALONE nsc_id body_at(nsc_real y, nsc_real mass, nsc_real size)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position.y = y, d.pose.position.z = radius;
    d.mass = mass;
    d.inertia[0] = d.inertia[1] = d.inertia[2] = 0.4f * mass * size * size;
    return MUST(nsc_world_add_body(&world, &d));
}

ALONE void hang(int i, nsc_id wheel, nsc_real y)
{
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, chassis, wheel);
    d.frame_a.position.y = y;
    d.frame_a.orientation.w = turn, d.frame_a.orientation.x = -turn; /* its z is the chassis's y */
    d.frame_b.orientation = d.frame_a.orientation;
    d.axis[0].drive = NSC_DRIVE_MOTOR;
    d.axis[0].max_force = 0.05f;
    joint[i] = MUST(nsc_world_add_joint(&world, &d));
}

ALONE void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    def.solver.max_iterations = 4; /* bounds the time of a step */
    MUST(nsc_world_init(&world, &def));
}

ALONE void add_ground(void)
{
    nsc_shape_def plane = nsc_default_half_space_def();
    plane.friction = 0.8f;
    MUST(nsc_world_add_shape(&world, NSC_GROUND, &plane));
}

ALONE void add_caster(nsc_real x)
{
    nsc_shape_def ball = nsc_default_sphere_def(0.01f);
    ball.pose.position.x = x, ball.pose.position.z = 0.01f - radius;
    ball.friction = 0; /* it slides where a real one rolls */
    MUST(nsc_world_add_shape(&world, chassis, &ball));
}

ALONE nsc_id add_wheel(nsc_real y)
{
    nsc_shape_def tyre = nsc_default_capsule_def(radius, 0.006f);
    nsc_id wheel = body_at(y, 0.1f, radius);
    tyre.pose.orientation.w = turn, tyre.pose.orientation.x = -turn; /* its axis along y */
    tyre.friction = 0.8f;
    MUST(nsc_world_add_shape(&world, wheel, &tyre));
    return wheel;
}

ALONE void setup(void)
{
    int i;
    begin();
    add_ground();
    chassis = body_at(0, 0.5f, 0.06f);
    for (i = 0; i < 2; i++) {
        nsc_real side = i ? -1 : 1;
        add_caster(0.05f * side);
        hang(i, add_wheel(0.07f * side), 0.07f * side);
    }
}

/* Speed [m/s] and turn rate [rad/s] of the cart, by its motors */
static void drive(nsc_real forward, nsc_real spin)
{
    int i;
    for (i = 0; i < 2; i++) {
        nsc_real speed = forward + (i ? 0.07f : -0.07f) * spin;
        MUST(nsc_joint_set_target(&world, joint[i], 0, 0, speed / radius));
    }
}

int main(void)
{
    nsc_real far = 0;
    uint32_t step;
    int contacts = 0;
    nsc_pose p;
    paint();
    setup();
    begin_ticks();
    for (step = 1; step <= 6 * RATE; step++) {
        wait_for_tick();
        if (step > 2 * RATE && step <= 4 * RATE) drive(0, 1.5707963f);
        else drive(0.15f, 0);
        MUST(nsc_world_step(&world, 1.0f / RATE));
        end_tick();
        if (world.report.contacts > contacts) contacts = world.report.contacts;
        MUST(nsc_body_get_pose(&world, chassis, &p));
        if (p.position.x > far) far = p.position.x;
    }
    printf("cart: out to %d mm, back to %d mm, %d mm beside; ", whole(1e3f * far),
           whole(1e3f * p.position.x), whole(1e3f * p.position.y));
    printf("contacts %d, dropped %d\n", contacts, (int)world.report.dropped_ever);
    return end_ticks(step - 1) && far > 0.28f && fabsf(p.position.x) < 0.03f &&
           fabsf(p.position.y) < 0.03f && contacts == NSC_MAX_CONTACTS &&
           world.report.dropped_ever == 0 ? 0 : 1;
}
