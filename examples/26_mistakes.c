/* Forty mistakes of the first hours with nsc, and what is printed for each: the field, its value,
   what it should be, and what to look at.  Every call is refused and changes nothing.  Then what
   no call refuses, and the report of a step says: no room, and a load that the solver cannot carry.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h), springs
   (nsc_springs.h) and the line that is printed (nsc_print.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 26_mistakes.c -lm
   Expected: forty lines, none without a field and a rule; the last line says so. */
#define NSC_MAX_BODIES 6
#define NSC_MAX_SHAPES 6
#define NSC_MAX_CONTACTS 16
#define NSC_MAX_JOINTS 1
#define NSC_MAX_SPRINGS 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_print.h"
#include <string.h>

static nsc_world world, other;
static nsc_id box, ball, box_shape, wall; /* two dynamic bodies, a shape, a static body */
static int mistakes, silent;

/* A world with a table, a box, a ball and a wall, as good as new for each mistake */
static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def table = nsc_default_half_space_def();
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_shape_def round = nsc_default_sphere_def(NSC_R(0.5));
    nsc_body_def body = nsc_default_body_def();
    nsc_world_init(&world, &def);
    nsc_world_add_shape(&world, NSC_GROUND, &table);
    body.pose.position.z = 2;
    box = nsc_world_add_body(&world, &body);
    box_shape = nsc_world_add_shape(&world, box, &cube);
    body.pose.position.x = 2;
    ball = nsc_world_add_body(&world, &body);
    nsc_world_add_shape(&world, ball, &round);
    body.pose.position.y = 2;
    body.kind = NSC_STATIC_BODY;
    wall = nsc_world_add_body(&world, &body);
}

/* What was done, and what is printed; the world is then made anew. */
static void mistake(const char *what, nsc_id code)
{
    nsc_refusal why = nsc_world_last_refusal(&world);
    printf("%2d %s\n   ", ++mistakes, what);
    nsc_print_refusal(stdout, &world, code);
    if (code >= 0 || why.code != code || !why.field[0] || !why.rule[0]) {
        printf("   NOT SAID: returned %d\n", (int)code);
        silent++;
    }
    begin();
}

static nsc_real nothing(void)
{
    nsc_real zero = world.def.gravity.x;
    return zero / zero;
}

static void worlds(void)
{
    nsc_world_def d;
    nsc_body_def b = nsc_default_body_def();
    memset(&world, 0, sizeof world);
    mistake("a body is added to a world before nsc_world_init", nsc_world_add_body(&world, &b));
    memset(&d, 0, sizeof d);
    mistake("a world's definition of zeros, not from nsc_default_world_def",
            nsc_world_init(&world, &d));
    d = nsc_default_world_def();
    d.recovery = 20;
    mistake("recovery is given in percent", nsc_world_init(&world, &d));
    d = nsc_default_world_def();
    d.substeps = 100;
    mistake("100 sub-steps", nsc_world_set_def(&world, &d));
    d = nsc_default_world_def();
    d.solver.max_iterations = 0;
    mistake("no iterations for the solver", nsc_world_set_def(&world, &d));
    d = nsc_default_world_def();
    d.solver.omega = 2;
    mistake("over-relaxation by 2", nsc_world_set_def(&world, &d));
    d = nsc_default_world_def();
    d.stepper = NSC_STEPPER_HHT;
    mistake("a stepper of nsc_steppers.h, without NSC_STEPPERS", nsc_world_set_def(&world, &d));
    d = nsc_default_world_def();
    d.gravity.z = nothing();
    mistake("gravity is NaN", nsc_world_set_def(&world, &d));
    d = nsc_default_world_def();
    d.sleep_time = -1;
    mistake("a negative time until sleep", nsc_world_set_def(&world, &d));
}

static void bodies(void)
{
    nsc_body_def b;
    nsc_vec3 up = {0, 0, 1};
    nsc_id id;
    memset(&b, 0, sizeof b);
    mistake("a body's definition of zeros, not from nsc_default_body_def",
            nsc_world_add_body(&world, &b));
    b = nsc_default_body_def();
    b.mass = -2;
    mistake("a mass of -2 kg", nsc_world_add_body(&world, &b));
    b = nsc_default_body_def();
    b.pose.orientation.w = 0;
    mistake("an orientation of four zeros", nsc_world_add_body(&world, &b));
    b = nsc_default_body_def();
    b.mass = 1;
    mistake("a mass without an inertia", nsc_world_add_body(&world, &b));
    b.inertia[0] = NSC_R(2.5);
    b.inertia[1] = b.inertia[2] = 1;
    mistake("an inertia that no body has", nsc_world_add_body(&world, &b));
    b = nsc_default_body_def();
    b.pose.position.x = nothing();
    mistake("a position that is NaN", nsc_world_add_body(&world, &b));
    b = nsc_default_body_def();
    b.particle = 1;
    mistake("a particle without mass", nsc_world_add_body(&world, &b));
    b = nsc_default_body_def();
    do {
        id = nsc_world_add_body(&world, &b);
    } while (id >= 0);
    mistake("more bodies than NSC_MAX_BODIES", id);
    mistake("the ground is removed", nsc_world_remove_body(&world, NSC_GROUND));
    nsc_world_remove_body(&world, ball);
    mistake("a body is removed twice", nsc_world_remove_body(&world, ball));
    mistake("a static body is given a velocity", nsc_body_set_velocity(&world, wall, up, up));
}

static void shapes(void)
{
    nsc_shape_def s;
    nsc_id id;
    memset(&s, 0, sizeof s);
    mistake("a shape's definition of zeros", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_sphere_def(NSC_R(-0.25));
    mistake("a sphere of negative radius", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_box_def(1, 1, 0);
    mistake("a box as thin as a sheet", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_sphere_def(1);
    s.restitution = NSC_R(1.5);
    mistake("a restitution above 1", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_sphere_def(1);
    s.friction = NSC_R(-0.1);
    mistake("a negative friction", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_sphere_def(1);
    s.rolling = NSC_R(0.01);
    mistake("rolling friction without NSC_MAX_ROLLING", nsc_world_add_shape(&world, ball, &s));
    s = nsc_default_half_space_def();
    mistake("a half-space on a dynamic body", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_capsule_def(1, 1);
    s.kind = NSC_SHAPE_CYLINDER;
    mistake("a cylinder without NSC_CONVEX", nsc_world_add_shape(&world, box, &s));
    s = nsc_default_sphere_def(1);
    mistake("an error code is taken for a body",
            nsc_world_add_shape(&world, NSC_ERR_CAPACITY, &s));
    mistake("a shape is taken for a body", nsc_world_add_shape(&world, box_shape, &s));
    do {
        id = nsc_world_add_shape(&world, wall, &s);
    } while (id >= 0);
    mistake("more shapes than NSC_MAX_SHAPES", id);
}

static void steps(void)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_vec3 much = {NSC_REAL_MAX, 0, 0}, none = {0, 0, 0};
    nsc_calls calls;
    memset(&calls, 0, sizeof calls);
    mistake("a step of 1 / 240, which is 0 in C", nsc_world_step(&world, 1 / 240));
    nsc_world_add_body(&world, &b);
    mistake("a step with a dynamic body that has no shape", nsc_world_step(&world, NSC_R(0.01)));
    nsc_body_add_force(&world, box, much, none);
    mistake("a force that throws a body out of the numbers", nsc_world_step(&world, 100));
    calls.solve = nsc_solve_apgd;
    world.bodies[1].position.z = NSC_R(0.5);
    mistake("a solver that needs NSC_ARENA, without it",
            nsc_world_step_with(&world, NSC_R(0.01), &calls));
}

static void joints(void)
{
    nsc_joint_def j;
    nsc_spring_def s;
    nsc_contact c = nsc_default_contact();
    nsc_id hinge;
    j = nsc_default_joint_def(NSC_JOINT_HINGE, box, box);
    mistake("a joint of a body with itself", nsc_world_add_joint(&world, &j));
    j = nsc_default_joint_def(NSC_JOINT_HINGE, box, ball);
    j.axis[0].drive = NSC_DRIVE_SERVO;
    mistake("a servo without stiffness and damping", nsc_world_add_joint(&world, &j));
    j = nsc_default_joint_def(NSC_JOINT_HINGE, box, ball);
    hinge = nsc_world_add_joint(&world, &j);
    mistake("the second axis of a hinge is driven", nsc_joint_set_target(&world, hinge, 1, 0, 1));
    s = nsc_default_spring_def(box, ball);
    mistake("a spring without stiffness and damping", nsc_world_add_spring(&world, &s));
    c.body_b = box;
    c.normal.z = 2;
    mistake("a contact's normal that is not of unit length", nsc_world_add_contact(&world, &c));
}

/* What no call refuses: a step does what it has room for, and its report says so. */
static int reports(void)
{
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_shape_def table = nsc_default_half_space_def();
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    int i;
    nsc_world_init(&world, &def);
    nsc_world_add_shape(&world, NSC_GROUND, &table);
    body.pose.position.z = NSC_R(0.5);
    for (i = 0; i < 5; i++) { /* with four points each */
        body.pose.position.x = 2 * (nsc_real)i;
        nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &cube);
    }
    nsc_world_step(&world, NSC_R(0.01));
    printf("five boxes with room for 16 points, which nsc_print_report says:\n    ");
    return nsc_print_report(stdout, &world);
}

/* Nor does a call refuse what the solver cannot carry: three cubes under a thousand times their
   weight.  1: they fall, each step returns 0, and the residual tells. */
static int falls(void)
{
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.1), NSC_R(0.1), NSC_R(0.1));
    nsc_shape_def table = nsc_default_half_space_def();
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_real worst = 0;
    nsc_pose pose;
    nsc_id top = NSC_GROUND;
    int i, refused = 0;
    nsc_world_init(&world, &def);
    nsc_world_add_shape(&world, NSC_GROUND, &table);
    for (i = 0; i < 4; i++) {
        body.pose.position.z = NSC_R(0.1) + NSC_R(0.2) * (nsc_real)i;
        if (i == 3)
            cube.density *= 3 * 1000;
        top = nsc_world_add_body(&world, &body);
        nsc_world_add_shape(&world, top, &cube);
    }
    for (i = 0; i < 240; i++) {
        refused += nsc_world_step(&world, 1 / NSC_R(240.0)) != 0;
        if (nsc_world_report(&world)->solver.residual > 1 && worst <= 1) {
            printf("three cubes under a thousand times their weight sink; the report says:\n    ");
            nsc_print_report(stdout, &world);
        }
        if (nsc_world_report(&world)->solver.residual > worst)
            worst = nsc_world_report(&world)->solver.residual;
    }
    nsc_body_get_pose(&world, top, &pose);
    printf("    the load is at z = %.1f m, it was at 0.7; %d of 240 steps returned another code "
           "than 0; greatest residual %.0f m/s\n", (double)pose.position.z, refused, (double)worst);
    return refused == 0 && pose.position.z < NSC_R(0.65) && worst > 1;
}

int main(void)
{
    int lines, fell;
    begin();
    other = world;
    worlds();
    bodies();
    shapes();
    steps();
    joints();
    lines = reports();
    fell = falls();
    printf("%d common mistakes, each refused with the field, its value and the rule it breaks; %d without a reason\n", mistakes, silent);
    return silent > 0 || mistakes != 40 || lines != 1 || !fell || nsc_world_step(&other, NSC_R(0.01)) < 0;
}
