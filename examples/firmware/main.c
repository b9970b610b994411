/* A whole firmware around nsc, for a Cortex-M4F: a small robot is dropped, drives up to a parcel, pushes it along and
   stops.  One step for each timer interrupt, 200 a second; no heap.  Returns 0 if all stands where it should after
   5 s.  run.sh beside this file builds it and runs it in QEMU (board mps2-an386). */
#include <math.h>

#define NSC_MAX_BODIES 3 /* ground, robot, parcel */
#define NSC_MAX_SHAPES 6
#define NSC_MAX_CONTACTS 24
#define NSC_NO_SUBSTEPS /* what is not used here costs neither flash nor RAM */
#define NSC_IMPLEMENTATION
#include "nsc.h"

#define RATE 200u      /* [Hz] */
#define CLOCK 25000000u /* of SysTick on this board */
#include "tick.h"

static nsc_world world; /* static, so that the linker says whether it fits */
static nsc_id robot, parcel;
static uint32_t worst_cycles, refused_forces, refused_steps;
static nsc_real worst_residual;

/* Does this core, compiler and FPU mode compute the bits that were tested on the host? */
static void boot_check(void)
{
    unsigned detail = 0, bit;
    int code = nsc_world_selfcheck(&world, &detail); /* overwrites the world, so it comes before setup */
    for (bit = 1; bit <= NSC_CHECK_SCENE; bit *= 2)
        if (detail & bit) printf("selfcheck failed: %s\n", nsc_selfcheck_text(bit));
    must("selfcheck", code == NSC_FLUSHES ? NSC_ERR_ARITHMETIC : code); /* this core can do subnormal numbers, so it must */
    printf("selfcheck ok, world %u bytes\n", (unsigned)sizeof world);
}

static void put(nsc_id body, nsc_shape_def shape, nsc_real x, nsc_real y, nsc_real z)
{
    shape.pose.position.x = x, shape.pose.position.y = y, shape.pose.position.z = z;
    MUST(nsc_world_add_shape(&world, body, &shape));
}

static void setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def wheel = nsc_default_capsule_def(0.03f, 0.006f), caster = nsc_default_sphere_def(0.01f);
    def.solver.max_iterations = 10; /* bounds the time of a step; the residual tells what that leaves undone */
    MUST(nsc_world_init(&world, &def));
    put(NSC_GROUND, nsc_default_half_space_def(), 0, 0, 0);
    body.pose.position.z = 0.1f; /* of the axle: 0.03 when it stands */
    body.pose.orientation.w = 0.99875f, body.pose.orientation.x = 0.05f; /* one wheel lands first */
    robot = MUST(nsc_world_add_body(&world, &body));
    wheel.friction = caster.friction = 0.05f; /* they slide where real ones roll */
    wheel.pose.orientation.w = wheel.pose.orientation.x = 0.70710678f; /* axis along y */
    put(robot, nsc_default_box_def(0.07f, 0.045f, 0.02f), 0, 0, 0.01f);
    put(robot, wheel, -0.03f, 0.06f, 0);
    put(robot, wheel, -0.03f, -0.06f, 0);
    put(robot, caster, 0.05f, 0, -0.02f);
    body = nsc_default_body_def();
    body.pose.position.x = 0.25f, body.pose.position.z = 0.02f;
    parcel = MUST(nsc_world_add_body(&world, &body));
    put(parcel, nsc_default_box_def(0.02f, 0.02f, 0.02f), 0, 0, 0);
}

/* Speed control from 0.5 s to 2.5 s, then one step of the world */
static void advance(uint32_t step)
{
    nsc_vec3 force = {0, 0, 0}, torque = {0, 0, 0}, v;
    MUST(nsc_body_get_velocity(&world, robot, &v, NULL));
    if (step == 400) v.x = NAN;    /* the sensor breaks, on purpose: a NaN, which is refused at once, */
    if (step == 401) v.x = -1e36f; /* and a number beyond all sense, which only the step can refuse   */
    if (step >= 100 && step < 500) force.x = 40 * (0.25f - v.x);
    if (nsc_body_add_force(&world, robot, force, torque) < 0) refused_forces++; /* nothing was added: coast */
    if (nsc_world_step(&world, 1.0f / RATE) < 0) {
        refused_steps++; /* nothing has moved, but the bad force is still there */
        MUST(nsc_body_clear_force(&world, robot));
        MUST(nsc_world_step(&world, 1.0f / RATE));
    }
    if (PERIOD - SYST_CVR > worst_cycles) worst_cycles = PERIOD - SYST_CVR; /* since the tick */
    if (world.report.solver.residual > worst_residual) worst_residual = world.report.solver.residual;
}

/* Print where a body is, in integers: printf with floats is 5 KB larger.  Returns 1 if it rests at height z. */
static uint32_t tell(const char *name, nsc_id body, nsc_real z)
{
    nsc_pose p;
    nsc_vec3 v;
    MUST(nsc_body_get_pose(&world, body, &p));
    MUST(nsc_body_get_velocity(&world, body, &v, NULL));
    printf("%s %d %d %d mm  ", name, whole(1e3f * p.position.x), whole(1e3f * p.position.y), whole(1e3f * p.position.z));
    return v.x * v.x + v.y * v.y + v.z * v.z < 1e-6f && fabsf(p.position.z - z) < 1e-3f;
}

int main(void)
{
    uint32_t step, rest = 0;
#ifdef BREAK_FPU /* to see boot_check stop: the FZ bit, subnormals count as zero */
    __asm__ volatile("vmsr fpscr, %0" : : "r"(1u << 24));
#endif
    boot_check();
    setup();
    tick();
    for (step = 1; step <= 5 * RATE; step++) {
        wait_for_tick();
        advance(step);
        if (step % (RATE / 2) != 0) continue;
        printf("%d ms  ", (int)(step * 1000 / RATE));
        rest = tell("robot", robot, 0.03f) & tell("parcel", parcel, 0.02f);
        printf("contacts %d  %s  residual %d um/s  worst step %d us  overruns %d  refused %d+%d\n", world.report.contacts,
               nsc_error_text(world.report.solver.status), whole(1e6f * worst_residual), (int)(worst_cycles / 25),
               (int)overruns, (int)refused_forces, (int)refused_steps);
        worst_residual = 0;
    }
    return rest && refused_forces == 1 && refused_steps == 1 && world.report.dropped_ever == 0 ? 0 : 1;
}
