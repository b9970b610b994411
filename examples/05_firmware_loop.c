/* The shape of a firmware: static memory, fixed step, no stdio, no heap.  Returns 0 when the box
   came to rest.  On a desktop it also prints one line, what a telemetry line would say.
   Files: nsc.h and nsc_solvers.h.
   arm-none-eabi-gcc -std=c99 -Os -ffp-contract=off -mcpu=cortex-m4 -mthumb -mfloat-abi=hard
       -mfpu=fpv4-sp-d16 --specs=picolibc.specs -ffunction-sections -fdata-sections -Wl,--gc-sections
       -I.. 05_firmware_loop.c -o firmware.elf; arm-none-eabi-size firmware.elf
   takes 53 kB of flash and 14 kB of RAM, stack included; with -DNSC_ONLY_CONTACTS
   -DNSC_NO_ISLANDS -DNSC_NO_SUBSTEPS -DNSC_MAX_MANIFOLDS=0 it takes 46 and 12. */
#define NSC_MAX_BODIES 4
#define NSC_MAX_CONTACTS 16
#define NSC_IMPLEMENTATION
#include "nsc.h"
#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
#include <stdio.h>
#define ON_A_DESKTOP
#endif

/* What a telemetry line would carry */
typedef struct telemetry {
    int error;          /* last negative code */
    int dropped;        /* contacts there was no room for */
    nsc_real residual;  /* worst so far [m/s] */
    nsc_real height;    /* of the box [m] */
    nsc_real speed2;    /* [m^2/s^2] */
} telemetry;

static nsc_world world;
static telemetry line;

static int setup(nsc_id *box)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_shape_def shape = nsc_default_box_def(NSC_R(0.05), NSC_R(0.05), NSC_R(0.05));
    nsc_body_def body = nsc_default_body_def();
    int code = nsc_world_init(&world, &def);
    if (code < 0) return code;
    body.pose.position.z = NSC_R(0.3);
    *box = nsc_world_add_body(&world, &body);
    code = nsc_world_add_shape(&world, NSC_GROUND, &ground);
    return code < 0 ? code : nsc_world_add_shape(&world, *box, &shape);
}

static void tick(nsc_id box) /* from a timer, every 5 ms */
{
    int code = nsc_world_step(&world, NSC_R(0.005));
    const nsc_step_report *r = nsc_world_report(&world);
    nsc_pose pose;
    nsc_vec3 v;
    if (code < 0) line.error = code;
    if (r->solver.residual > line.residual) line.residual = r->solver.residual;
    line.dropped = (int)r->dropped_ever;
    if (nsc_body_get_pose(&world, box, &pose) == NSC_OK) line.height = pose.position.z;
    if (nsc_body_get_velocity(&world, box, &v, NULL) == NSC_OK) line.speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
}

int main(void)
{
    nsc_id box;
    int i;
    if (setup(&box) < 0) return 1;
    for (i = 0; i < 400; i++) tick(box);
#ifdef ON_A_DESKTOP
    printf("a firmware's loop of 400 ticks in a world of %lu bytes: the box rests at %.4f m; error %d, dropped %d, residual at most %.1e m/s\n",
           (unsigned long)sizeof world, (double)line.height, line.error, line.dropped, (double)line.residual);
#endif
    if (line.error != 0 || line.dropped != 0) return 2;
    return line.speed2 < NSC_R(1e-8) && line.height > NSC_R(0.049) && line.height < NSC_R(0.051) ? 0 : 3;
}
