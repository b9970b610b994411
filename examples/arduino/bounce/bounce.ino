/* A box falls on the table, bounces, tips over and comes to rest: open the Serial Plotter at 115200 baud.
   Copy nsc.h, nsc_solvers.h and, for the hash, examples/kit/nsc_image.h beside this file.  For an
   Arduino Mega 2560 (8 KiB of RAM) and everything larger.
   The last line of a fall is a hash of the world's state: the same on your board, on your desk and in the simulator. */
#define NSC_MAX_BODIES 2 /* the table and the box; what is not used costs neither flash nor RAM */
#define NSC_MAX_CONTACTS 4
#define NSC_MAX_MANIFOLDS 0
#define NSC_NO_SUBSTEPS
#define NSC_STATIC
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"

static nsc_world world;
static nsc_id box;
static int steps;

/* A negative answer is an error code.  Handles have 32 bits: an int of an AVR would cut them. */
static nsc_id must(const char *what, nsc_id code)
{
    while (code < 0) {
        Serial.print(what);
        Serial.print(" is refused with code ");
        Serial.println((long)code);
        delay(1000);
    }
    return code;
}

static void drop()
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def table = nsc_default_half_space_def();
    nsc_shape_def shape = nsc_default_box_def(0.06f, 0.04f, 0.02f); /* half its edges [m] */
    nsc_body_def body = nsc_default_body_def();
    def.solver.max_iterations = 20; /* bounds the time of a step */
    def.solver.tolerance = 1e-4f; /* [m/s], finer than one sees */
    table.restitution = 0.5f;
    body.pose.position.z = 0.3f;
    body.angular_velocity.y = 2;
    must("world", nsc_world_init(&world, &def));
    must("table", nsc_world_add_shape(&world, NSC_GROUND, &table));
    box = must("body", nsc_world_add_body(&world, &body));
    must("box", nsc_world_add_shape(&world, box, &shape));
}

void setup()
{
    unsigned detail = 0;
    Serial.begin(115200);
    must("selfcheck", nsc_world_selfcheck(&world, &detail)); /* does this board compute the right bits? */
    drop();
}

void loop()
{
    nsc_pose pose;
    must("step", nsc_world_step(&world, 1 / 60.0f));
    must("pose", nsc_body_get_pose(&world, box, &pose));
    Serial.print("height_mm:");
    Serial.println((long)(1000 * pose.position.z + 0.5f));
    if (++steps % 60) return;
    Serial.print("hash ");
    Serial.println((unsigned long)nsc_world_hash(&world), HEX);
    drop(); /* and again */
}
