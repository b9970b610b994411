/* nsc.h - v0.3.0 - rigid bodies with hard contact and friction, in fixed memory
   MIT licence at the end of the file.  Needs nsc_solvers.h beside it, and sqrt, memcpy and memset.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc.h"
   Everywhere else include it without the define.  Build with -ffp-contract=off (see BITS in
   nsc_solvers.h).

   EXAMPLE
       static nsc_world world;                          all the memory there will ever be

       nsc_world_def def = nsc_default_world_def();
       nsc_world_init(&world, &def);

       nsc_shape_def ground = nsc_default_half_space_def();       z <= 0 is solid
       nsc_world_add_shape(&world, NSC_GROUND, &ground);

       nsc_body_def body = nsc_default_body_def();
       body.pose.position.z = 2;
       nsc_id box = nsc_world_add_body(&world, &body);            negative: an error code
       nsc_shape_def shape = nsc_default_box_def(0.5f, 0.5f, 0.5f);
       nsc_world_add_shape(&world, box, &shape);                  1000 kg/m^3 by default

       for (;;) nsc_world_step(&world, 1 / 240.0f);               negative: an error code

   A STEP  (nsc_world_step; its stages stand over nsc_world_step_with)

       forces -> free velocities -> boxes -> pairs -> points -> contacts
                                                                   |
                                    joints, springs, rows  ->    links  ->  islands
                                                                                |
       positions  <-  velocities, impulses  <-  solve  <-  blocks of three rows  <-

   Contact is hard: no springs to tune, no creep at rest.  Velocities and impulses of an island are
   found together, as one complementarity problem (time stepping after Moreau and Anitescu), by a
   solver of nsc_solvers.h.  These two files are the core: bodies; spheres, capsules, boxes and
   half-spaces; contact, friction; islands, sleep, sub-steps, touch events; forces and
   contacts of your own.  All else is on the shelf, examples/kit, one file a part: see >>config for
   joints, other shapes, smooth contact, other time steppers, and its README.md for the rest.

   CONVENTIONS
       units       SI throughout; nothing depends on it but the defaults
       frames      right-handed; world frame unless a comment says body frame
       rotation    unit quaternion {w, x, y, z}, turns body frame into world frame
       velocity    linear: of the centre of mass; angular: rad/s; both in the world frame
       contact     normal from a to b; gap > 0 is separation; impulse is what b receives
       inertia     xx yy zz xy xz yz (xy is the matrix entry, minus the integral of x y dm), about
                   the centre of mass, in the body frame

   ERRORS  Functions return 0, a handle >= 0, or a negative code (nsc_error_text).  A negative code
   means that nothing was changed, and nsc_world_last_refusal says which field, capacity or rule it
   was, if the call takes a world that is not const.  Your input is checked, never asserted.  Of
   more contacts than NSC_MAX_CONTACTS the deepest are kept, and the report counts the others.  A
   step whose result would not be finite is refused and leaves the world as it was, forces included:
   call nsc_body_clear_force, or the next step is refused again.  (But for contacts of yours, of
   which deeper ones at capacity may have taken the place, and the time that bodies have rested.)

   MEMORY  All of it is sizeof(nsc_world): see the end of >>config.  A world holds
   no pointer (but to your tables of hulls, height fields and meshes): a
   memcpy of it is a snapshot, and a restored world goes on with the same bits, given the same
   nsc_calls: solver, callbacks, and rows of yours with their impulses are not in it.  A step takes
   1.1 KiB of stack on a Cortex-M4F as nsc.h comes, 3.0 with every part by call graph.

   LIMITS
       A half-space, height field or mesh cannot be a shape of a dynamic body.
       Shapes on one body do not collide with each other.
       A position loses motion below half of its last digit a step, in float 4e-6 m at 100 m, unless
       the build has nsc_far.h.
       Joins of shapes that lie side by side throw bodies up, a ball of 5 m/s at 0.5 m/s, unless the
       build has nsc_seams.h.
       The middle of a fast body does not tunnel, its ends may for some steps; a body that another
       hits elastically within the same step may.
       A slot may be used 2047 times before a stale handle can be mistaken for a fresh one.

   CONTENTS  (search for >>name)
       >>config  >>types  >>core  >>defs  >>api  >>state
       implementation: >>math  >>checks  >>handles  >>bodies  >>shapes  >>narrow  >>broad
                       >>steppers  >>rows  >>contacts  >>islands  >>step  >>query  >>selfcheck
       >>parts  >>licence
   >>parts includes the files of the shelf, and lists all that is asked of them.
*/
#ifndef NSC_NONSMOOTH_CONTACT_H
#define NSC_NONSMOOTH_CONTACT_H

#include "nsc_solvers.h"
#include <stddef.h>
#include <stdint.h>

/* ---- >>config --------------------------------------------------------------------------------
   Define these macros before the include, alike in every file, best in the header that NSC_CONFIG_H
   names.  nsc_world_init refuses to be called from a file of another configuration; that the world
   itself was defined in one it cannot see, and writes past it.  So too those of nsc_solvers.h:
   NSC_DOUBLE, NSC_STATIC and others. */

/* Bodies, the ground included; of bodies and of shapes at most 16383 */
#ifndef NSC_MAX_BODIES
#define NSC_MAX_BODIES 16
#endif

/* Shapes, summed over all bodies; of more than about 64 nsc_strips.h finds the contacts sooner */
#ifndef NSC_MAX_SHAPES
#define NSC_MAX_SHAPES NSC_MAX_BODIES
#endif

/* Contact points.  A pair of shapes has at most 4, a fast one 2 more; on a height field or mesh
   16 */
#ifndef NSC_MAX_CONTACTS
#define NSC_MAX_CONTACTS 64
#endif

/* Places of 152 bytes for the contact points that two boxes or hulls keep while they hardly move on
   each other.  A pair needs two, as a refused step goes back to the old points */
#ifndef NSC_MAX_MANIFOLDS
#define NSC_MAX_MANIFOLDS (NSC_MAX_CONTACTS / 2)
#endif

/* Touch events (begin, end) that a step reports; 0: none are looked for */
#if defined NSC_MAX_EVENTS && NSC_MAX_EVENTS
#define NSCI_EVENTS 1
#define nsci_events(w) ((w)->events)
#else
#define NSC_MAX_EVENTS 0
#define NSCI_EVENTS 0
#define nsci_events(w) ((void)(w), (nsc_event *)NULL)
#endif

/* Most iterations of one step: substeps, times newton_steps where the stepper makes them, times the
   largest of the solver's max_iterations, passes and max_factorizations (nsc_world_def).  A
   definition or an image that asks for more is refused: so no step runs for ever, but at most about
   this many sweeps over its blocks; restitution may double it, AUTO quadruple it */
#ifndef NSC_MAX_ITERATIONS
#define NSC_MAX_ITERATIONS 1000000L
#endif

/* Parts.  Each is a file of examples/kit to be copied beside nsc.h, and a macro that asks for it, a
   capacity or 1; a build without it pays nothing.  What each is for and what it costs stands in its
   first lines, and in examples/kit/README.md.
       NSC_MAX_JOINTS     nsc_joints.h    hinges, sliders, ... with drives and limits
       NSC_GEARS          nsc_gears.h     gears between joints: 1 where that file is there
       NSC_MAX_SPRINGS    nsc_springs.h   springs and dampers between points
       NSC_MAX_ROWS       nsc_rows.h      constraint rows of yours: a joint that nsc does not have
       NSC_MAX_FORCES     nsc_forces.h    stiff forces of yours: bodies with their derivatives
       NSC_MAX_ROLLING    nsc_rolling.h   rolling friction: contacts that may have it
       NSC_CONVEX         nsc_convex.h    cylinders
       NSC_HULL_VERTICES  nsc_convex.h    convex hulls: corners that one may have, 4..42
       NSC_TERRAIN        nsc_terrain.h   height fields
       NSC_MESHES         nsc_mesh.h      triangle meshes in flash
       NSC_SMOOTH         nsc_smooth.h    contact with a force law: Hooke, Hertz, Flores; cohesion
       NSC_STEPPERS       nsc_steppers.h  other time steppers
       NSC_BARRIER        nsc_barrier.h   contact whose gaps never close
       NSC_SEAMS          nsc_seams.h     bodies pass over the joins of shapes
       NSC_FAR            nsc_far.h       positions far out, at short steps
       NSC_LOCKS          nsc_locks.h     locked axes, damping, bodies that change their kind
       NSC_BELTS          nsc_belts.h     surfaces that move: belts, tracks
       NSC_WORDS          nsc_words.h     a word of yours on bodies and shapes
       NSC_STRIPS         nsc_strips.h    worlds of many shapes, about 64 and more
       NSC_SECOND_LOOK    nsc_second_look.h   heaps that fall without overlaps
       NSC_PARALLEL       nsc_cores.h     islands on several cores
       NSC_IMU            nsc_imu.h       inertial units
       NSC_SHORT_BLOCKS   nsc_short.h     a third less memory for contacts and joints
   nsc_all.h turns on what most like to have, and includes what is to be included after nsc.h: rays,
   snapshots, poses and so on. */

/* Define to leave out a part of the core:
       NSC_NO_SUBSTEPS    sub-steps: nsc_world_def.substeps is 1
       NSC_NO_ISLANDS     islands: the whole world is one problem */

#define NSCI_ISLANDS NSCI_NOT(NSCI_ASKED(NSC_NO_ISLANDS))
#define NSCI_SUBSTEPS NSCI_NOT(NSCI_ASKED(NSC_NO_SUBSTEPS))

/* Sums of capacities are of type long: an int of 16 bits would overflow. */
#define NSC_MAX_BLOCKS \
    (0L + NSC_MAX_CONTACTS + NSC_MAX_JOINT_BLOCKS + NSC_MAX_ROLLING + NSC_MAX_SPRINGS + \
     NSC_MAX_ROWS + 2L * NSC_MAX_FORCES)

/* Scratch of nsc_calls.solve, in reals.  SIPGS needs none, but for NSC_WAVES; another solver as
   much as its NSC_ARENA_* says, or the step is refused.  With NSC_MAX_BLOCKS blocks of three rows:
       #define NSC_ARENA NSC_ARENA_APGD(3 * NSC_MAX_BLOCKS) */
#ifndef NSC_ARENA
#define NSC_ARENA 0
#endif

/* Memory: `make config` (examples/kit/size.c) tells sizeof(nsc_world) of a 32-bit target to the
   byte, member by member, for any capacities and parts.  The core, in float, is about
       490 + 340 NSC_MAX_BODIES + 108 NSC_MAX_SHAPES + 496 NSC_MAX_CONTACTS
           + 152 NSC_MAX_MANIFOLDS + 4 NSC_ARENA
   bytes, and a joint 440 and each of its blocks 328; nsc_short.h takes 116 from each contact and
   block, NSC_JOINT_AXES 1 takes 188 from each joint.  Indices have a byte each, or two where the
   contacts, blocks and joints are more than 254 or the bodies or shapes are: then a contact takes
   6 bytes more, a body 14. */

NSCI_C_BEGIN

/* ---- >>types --------------------------------------------------------------------------------- */

typedef struct nsc_vec3 {
    nsc_real x, y, z;
    NSCI_IF(NSCI_PADDED_VEC3, nsc_real unused;)
} nsc_vec3;
typedef struct nsc_quat { nsc_real w, x, y, z; } nsc_quat; /* unit length */
typedef struct nsc_pose {
    nsc_vec3 position;    /* [m] */
    nsc_quat orientation; /* rotates the inner frame into the outer one */
} nsc_pose;

/* Handle of a body, shape, joint or spring, >= 0; stale once that is removed.  Negative: error
   code. */
typedef int32_t nsc_id;
#define NSC_GROUND ((nsc_id)0) /* the immovable body every world has; its frame is the world's */

/* STATIC stands still.  KINEMATIC moves by the velocity that you set, and nothing pushes it: a
   lift, a door.  Of two bodies one has to be DYNAMIC to meet, sensors included. */
enum { NSC_STATIC_BODY = 1, NSC_KINEMATIC_BODY = 2, NSC_DYNAMIC_BODY = 3 };
enum {
    NSC_SHAPE_SPHERE = 1, NSC_SHAPE_CAPSULE = 2, NSC_SHAPE_CYLINDER = 3, NSC_SHAPE_BOX = 4,
    NSC_SHAPE_HULL = 5,
    NSC_SHAPE_HALF_SPACE = 6, NSC_SHAPE_HEIGHT_FIELD = 7, /* only on bodies that are not dynamic */
    NSC_SHAPE_MESH = 8                                    /* likewise; with NSC_MESHES */
};

typedef struct nsc_world nsc_world;
typedef struct nsc_world_def nsc_world_def;
typedef struct nsc_body_def nsc_body_def;
typedef struct nsc_shape_def nsc_shape_def;
typedef struct nsc_rows nsc_rows; /* nsc_rows.h */
typedef struct nsc_step_report nsc_step_report;
typedef struct nsci_scheme nsci_scheme; /* how the present (sub-)step is made */

typedef struct nsci_aabb { nsc_real min[3], max[3]; } nsci_aabb; /* x y z [m] */

typedef struct nsci_mat3 { nsc_vec3 c[3]; } nsci_mat3; /* columns */

/* Contact point of the narrow phase: midway between the surfaces, normal from a to b, gap > 0
   separation */
typedef struct nsci_point {
    nsc_vec3 point, normal;
    nsc_real gap;
    uint32_t feature;
} nsci_point;

/* ---- >>core ----------------------------------------------------------------------------------
   The functions that most programs need; the others stand in >>api.  They take definitions: make
   one by nsc_default_world_def, nsc_default_body_def, nsc_default_box_def and so on (>>defs), and
   change fields as needed. */

/* Make an empty world with its ground.  This comes before all other calls: with a world that is
   still all zeros a call that changes it returns NSC_ERR_ARGUMENT; memory that holds anything else
   is taken for a world.  Returns 0, NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_STEPPER_CONTACT,
   NSC_ERR_STEPPER_UNSTABLE, or NSC_ERR_CONFIG when this file was compiled with other NSC_ settings
   than the implementation. */
static NSC_MAYBE_UNUSED int nsc_world_init(nsc_world *world, const nsc_world_def *def);

/* Advance by h [s], > 0 and at most 1e6, 1 / (h / substeps)^2 finite, by SIPGS
   (nsc_world_step_with: by another solver).  Order: forces, free velocities, collision, matching,
   solve, poses.  Forces and torques are then cleared.  Returns 0 also when the solver ran out of
   iterations: see nsc_world_report.  After NSC_ERR_ARGUMENT (h, world NULL), NSC_ERR_NOT_FINITE,
   NSC_ERR_INERTIA (a dynamic body has no mass yet) nothing has moved; nsc_world_step_with also
   NSC_ERR_CAPACITY, NSC_ERR_BUSY (in a callback), and the codes of the solver, a contact of yours
   and rows of yours.  Cost: contacts * iterations, and pairs of shapes (with nsc_strips.h their
   number times its logarithm). */
NSC_API int nsc_world_step(nsc_world *world, nsc_real h);

/* Report of the last step.  Never NULL for a world; valid until the next step, in which callbacks
   find it cleared. */
NSC_API const nsc_step_report *nsc_world_report(const nsc_world *world);

/* Add a body, without shapes.  Returns the handle, or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE,
   NSC_ERR_INERTIA, NSC_ERR_CAPACITY. */
NSC_API nsc_id nsc_world_add_body(nsc_world *world, const nsc_body_def *def);

/* Also removes its shapes, joints, springs and contacts, and wakes the bodies that touched it or
   were connected to it.  The ground stays: NSC_ERR_HANDLE. */
NSC_API int nsc_world_remove_body(nsc_world *world, nsc_id body);

/* Fix a shape to a body.  Without a given mass the body's mass, centre and inertia are computed
   anew; its frame stays where it is.  Wakes the body and its island; on a body that is not dynamic,
   the sleeping bodies near the shape.  Returns the handle or an error as above, or NSC_ERR_HANDLE;
   NSC_ERR_NOT_FINITE also where the centre of mass, or its velocity, would not be finite. */
NSC_API nsc_id nsc_world_add_shape(nsc_world *world, nsc_id body, const nsc_shape_def *def);
/* Mass as above; wakes the body, and the bodies that touched the shape.  Returns 0 or
   NSC_ERR_HANDLE, or NSC_ERR_INERTIA, NSC_ERR_NOT_FINITE where the other shapes have no possible
   mass. */
NSC_API int nsc_world_remove_shape(nsc_world *world, nsc_id shape);

/* Bodies.  All return 0 or NSC_ERR_HANDLE (NSC_ERR_ARGUMENT: world is NULL); setters and adders
   also NSC_ERR_NOT_FINITE and NSC_ERR_ARGUMENT, as for the velocity of a static body.  They wake
   the body; a pose that is set also forgets the impulses of its contacts, and wakes what touches
   it, or all bodies unless the body is dynamic.  A pose is that of the body's frame, a linear
   velocity that of its centre of mass.  Output pointers may be NULL.  A getter whose answer would
   overflow returns NSC_ERR_NOT_FINITE and writes nothing, as do those of joints, springs and
   sensing. */
NSC_API int nsc_body_get_pose(const nsc_world *world, nsc_id body, nsc_pose *pose);
NSC_API int nsc_body_set_pose(nsc_world *world, nsc_id body, nsc_pose pose);
NSC_API int nsc_body_get_velocity(const nsc_world *world, nsc_id body, nsc_vec3 *linear,
                                  nsc_vec3 *angular);
NSC_API int nsc_body_set_velocity(nsc_world *world, nsc_id body, nsc_vec3 linear, nsc_vec3 angular);

/* Force [N] at the centre of mass and torque [N m], world frame, summed until the next step.  It
   moves dynamic bodies only. */
NSC_API int nsc_body_add_force(nsc_world *world, nsc_id body, nsc_vec3 force, nsc_vec3 torque);

/* ---- >>defs ----------------------------------------------------------------------------------
   Take the default and change fields as needed.  A definition that is all zeros is refused.  A
   member in NSCI_IF(part, ...) is there if the build has the part: NSC_LOCKS with that macro at
   1, NSCI_ROLLING with NSC_MAX_ROLLING > 0 and so on (see >>config); NSCI_ASKED(macro) is 1 if
   the macro is. */

/* nsc_world_def.stepper: all but the first need NSC_STEPPERS; see nsc_steppers.h */
enum {
    NSC_STEPPER_EULER_IMPLICIT_LINEARIZED = 1,
    NSC_STEPPER_EULER_IMPLICIT_PROJECTED = 2,
    NSC_STEPPER_EULER_SYMPLECTIC = 3,
    NSC_STEPPER_EULER_FORWARD = 4,
    NSC_STEPPER_EULER_IMPLICIT = 5,
    NSC_STEPPER_HHT = 6,
    NSC_STEPPER_NEWMARK = 7
};
/* nsc_world_def.contact_model: SMOOTH needs NSC_SMOOTH; contact_law: BARRIER needs NSC_BARRIER */
enum { NSC_CONTACT_HARD = 1, NSC_CONTACT_SMOOTH = 2 };
enum {
    NSC_SMOOTH_HOOKE = 1, NSC_SMOOTH_HERTZ = 2, NSC_SMOOTH_FLORES = 3, NSC_SMOOTH_BARRIER = 4
};

struct nsc_world_def {
    nsc_vec3 gravity;            /* [m/s^2]; default (0, 0, -9.81) */
    nsc_real margin;             /* contacts exist below this gap [m], >= 0, and of fast bodies
                                    beyond it, but act only when the gap would close within the
                                    step; default 0.01 */
    nsc_real slop;               /* penetration that is not undone [m], >= 0, so that errors of
                                    rounding and solver do not shake resting bodies: at least the
                                    solver's residual times h.  After steps above 5 ms that ended
                                    far from solved it is up to ten times as much for a while, not
                                    of spheres: see nsc_world.slack.  A gap below a quarter of slop
                                    counts as touching; default 0.0005 */
    nsc_real recovery;           /* share of the penetration beyond slop that a step undoes, 0..1;
                                    default 0.2.  After a longer step less, as that would have: see
                                    nsc_world.undo_h; so too joint_recovery */
    nsc_real recovery_speed;     /* but at most at this speed [m/s], >= 0; default 0.6.  It bounds
                                    the energy added: in a step, at most each contact's impulse
                                    times this; a body pushed out of the ground rises no higher than
                                    its square / 2g */
    nsc_real bounce_speed;       /* restitution acts where surfaces approach faster than this [m/s],
                                    >= 0; slower ones stop, so that bodies come to rest.  0: always;
                                    default 0.2.  Smooth: FLORES takes this as the least impact
                                    speed, or a resting body would hardly move */
    nsc_real match_distance;     /* a contact with a new feature starts from the impulse of its
                                    pair's nearest unmatched old contact within this distance [m],
                                    >= 0, and 5 degrees of its normal; default 0.02 */
    int keep_manifolds;          /* 1: two boxes or hulls keep their contact points until these have
                                    moved on each other by slop or a thousandth of their width (hard
                                    contact); 0: found anew in every step; default 1 */
    nsc_real joint_recovery;     /* share of a joint's drift undone in a (sub-)step, 0..1: a larger
                                    one holds tighter, but shakes if the solver does not converge;
                                    default 0.2 */
    nsc_real joint_speed;        /* but at most at this speed [m/s, rad/s], >= 0; default 10 */
    nsc_real sleep_time;         /* an island slower than sleep_speed for this time [s], >= 0, is
                                    put to sleep, but none in a step that drops contacts, nor what
                                    touches a kinematic body in motion; 0: never; default 0 */
    nsc_real sleep_speed;        /* [m/s, and rad/s], >= 0; default 0.01.  Of an island that the
                                    solver leaves unsolved 16 times its residual, if that is more,
                                    but at most five times this: so fast it may sway for ever */
    int substeps;                /* 1..64: contacts are found once a step; forces, solve and motion
                                    are repeated this many times with h / substeps; in between, hard
                                    contacts of shapes move with their bodies; default 1 */
    int stepper;                 /* NSC_STEPPER_*; default EULER_IMPLICIT_LINEARIZED */
    nsc_real alpha;              /* HHT: -1/3..0, damping of motion too fast for h; default -0.2 */
    nsc_real beta, gamma;        /* NEWMARK: gamma >= 1/2, beta >= gamma/2; default 0.3, 0.6 */
    int newton_steps;            /* EULER_IMPLICIT, HHT, NEWMARK: most Newton iterations in a
                                    (sub-)step, 1..1000; default 20 */
    nsc_real newton_tolerance;   /* they end when no velocity changes by more (the change of
                                    position over h) [m/s, rad/s], >= 0, or when rounding of
                                    positions keeps the change from shrinking; default 1e-5, in
                                    double 1e-9 */
    int contact_model;           /* NSC_CONTACT_HARD or NSC_CONTACT_SMOOTH; default hard */
    int contact_law;             /* smooth: force from penetration d, Young's modulus and radius;
                                    each law gives the restitution asked for.  NSC_SMOOTH_HOOKE k d
                                    with a damper; HERTZ k d^1.5 with a damper; FLORES k d^1.5 (1 +
                                    c d'/impact), which begins and ends without a jump; default
                                    HERTZ */
    nsc_real contact_speed;      /* HOOKE: impact speed its stiffness is made for [m/s], 1e-6..1e6;
                                    default 1 */
    nsc_real contact_radius;     /* smooth: radius of curvature where two flat faces meet [m],
                                    1e-9..1e9; default 0.1 */
    /* BARRIER: it acts below this gap [m], 1e-9..margin; default 0.001 */
    NSCI_IF(NSCI_ASKED(NSC_BARRIER), nsc_real barrier_distance;)
    /* BARRIER: friction has all its force from this sliding speed on [m/s], 1e-6..1e6; default
       0.001 */
    NSCI_IF(NSCI_ASKED(NSC_BARRIER), nsc_real barrier_speed;)
    int tag;                     /* 0..15; worlds with different tags refuse each other's handles */
    nsc_settings solver;         /* of the solver, see nsc_calls.solve; default nsc_default_settings
                                    with judge 0 and max_factorizations NSC_WORLD_FACTORIZATIONS.
                                    Iterations, sub-steps and Newton steps together: see
                                    NSC_MAX_ITERATIONS */
};
/* Most factors of a solve by default: from the last step's impulses NEWTON mostly makes 0 to 7.
   With 24 its first step, from zero impulses, is right to 1 % at mass ratios of 1e4 in float, 1e6
   in double, but the worst step takes five times as long. */
enum { NSC_WORLD_FACTORIZATIONS = 5 };

struct nsc_body_def {
    int kind;                    /* NSC_*_BODY; default dynamic */
    int particle;                /* 1: a point that does not turn: three degrees of freedom, inertia
                                    and turn rate are not read; only dynamic, with mass > 0;
                                    default 0 */
    nsc_pose pose;               /* of the body's frame in the world, the square of its quaternion 1
                                    to 1e-3; default origin, no turn */
    nsc_vec3 velocity;           /* of the centre of mass [m/s]; a static body has none */
    nsc_vec3 angular_velocity;   /* [rad/s] */
    nsc_real gravity_scale;      /* any; default 1 */
    nsc_real mass;               /* [kg]; 0: mass, centre, inertia follow from the shapes' densities
                                    each time a shape is added or removed; default 0.  Above 0 it
                                    needs inertia, too; for a known mass with the inertia of the
                                    shapes leave it 0 and call nsc_body_set_mass after them.  Mass,
                                    centre and inertia of a body that is not dynamic are checked,
                                    but not kept */
    nsc_vec3 centre;             /* of mass, body frame [m]; read only with mass > 0 */
    nsc_real inertia[6];         /* [kg m^2] xx yy zz xy xz yz about the centre; read only with
                                    mass > 0: positive definite (in float the least moment above
                                    1e-9 of the others), and no principal moment above the sum of
                                    the other two */
    /* Sum of NSC_LOCK_*: axes of the world, along and about which the body does not move; default
       0.  Damping [1/s], >= 0: each (sub-)step of h divides the velocity by 1 + h times this;
       default 0 */
    NSCI_IF(NSCI_ASKED(NSC_LOCKS), int locks; nsc_real linear_damping, angular_damping;)
    NSCI_IF(NSCI_ASKED(NSC_WORDS), uint32_t user;) /* yours; nsc does not read it; default 0 */
};

struct nsc_shape_def {
    int kind;                    /* NSC_SHAPE_SPHERE ... NSC_SHAPE_MESH */
    int sensor;                  /* 1: reported (events, contacts without impulse), but exerts no
                                    force; its density counts in the body's mass; default 0 */
    uint32_t category;           /* bits: the groups it belongs to; default 1 */
    uint32_t mask;               /* bits: two shapes collide if each one's mask has a bit of the
                                    other's category; default all */
    nsc_pose pose;               /* of the shape in its body's frame */
    nsc_vec3 half;               /* box: half edges [m]; cylinder: half.z; capsule:
                                    half.z, half its core segment; > 0 where its kind has them */
    nsc_real radius;             /* sphere, capsule, cylinder [m]; their axis is z; half-space:
                                    solid is z <= 0 */
    nsc_real density;            /* [kg/m^3], >= 0; default 1000 */
    nsc_real friction;           /* >= 0; of two shapes: geometric mean; default 0.5 */
    nsc_real restitution;        /* 0..1; of two shapes: the larger; smooth contact takes at least
                                    0.0009; default 0.  A hard contact separates with this share of
                                    its normal speed before the step (Newton's law), less what a
                                    constant force such as gravity would add through the open gap
                                    and the step: a ball's heights then have the ratio restitution^2
                                    at any step length, while it is faster than bounce_speed.  With
                                    friction, or in several contacts at once, Newton's law can make
                                    energy.  If the work of an island's impulses on its bodies
                                    would, the island is solved again without restitution, and gets
                                    the mixture of both answers with the most restitution that makes
                                    no energy (report.limited_bounces).  If the second answer makes
                                    energy too, as one not converged may, impulse 0 takes its place.
                                    The work of undoing penetration, of motors, servos and springs
                                    does not count */
    nsc_real stiffness;          /* contact stiffness [N/m], >= 0; two shapes act as springs in
                                    series; 0: rigid; default 0 */
    nsc_real damping;            /* [N s/m], >= 0; acts only with stiffness > 0; default 0 */
    nsc_real rolling;            /* coefficient of rolling friction [m], >= 0: a moment of this
                                    times the normal force resists rolling; of two shapes: the
                                    larger; default 0.  Needs NSC_MAX_ROLLING > 0, as does torsion,
                                    else NSC_ERR_CAPACITY */
    nsc_real torsion;            /* the same for spinning about the normal [m], >= 0; default 0 */
    nsc_real young;              /* smooth contact, unless stiffness > 0: Young's modulus [Pa], > 0;
                                    default 2e5 (soft rubber) */
    nsc_real poisson;            /* Poisson's ratio, -0.99..0.5; default 0.3 */
    nsc_real cohesion;           /* attraction at each contact point that touches [N], >= 0: the tip
                                    of the friction cone lies at minus this force; of two shapes:
                                    the smaller; needs NSC_SMOOTH; default 0 */
    /* Velocity of the surface on its body, as a belt's, in the frame of the shape [m/s]; the part
       along a contact's normal does not count; default 0 */
    NSCI_IF(NSCI_ASKED(NSC_BELTS), nsc_vec3 surface_velocity;)
    /* Yours; only nsc_body_get_patch_force of nsc_touch.h reads it; default 0 */
    NSCI_IF(NSCI_ASKED(NSC_WORDS), uint32_t user;)
};

/* A condition of the configuration, checked by the compiler: an array cannot have -1 elements. */
#define NSCI_REQUIRE(name, condition) typedef char nsci_check_##name[(condition) ? 1 : -1]

/* ---- what the parts declare; their code is included again at the end */
#define NSCI_PARTS
#include "nsc.h"
#undef NSCI_PARTS

/* Index of a body, shape, contact, link or block */
#if NSC_MAX_BLOCKS > 65534L
typedef int32_t nsci_index;
#elif NSC_MAX_BLOCKS + NSC_MAX_JOINTS > 254 || NSC_MAX_BODIES > 254 || NSC_MAX_SHAPES > 254
typedef uint16_t nsci_index;
#else
typedef uint8_t nsci_index;
#endif
/* Place of kept points */
#if NSC_MAX_MANIFOLDS > 254
typedef uint16_t nsci_kept_at;
#else
typedef uint8_t nsci_kept_at;
#endif
#if NSC_MAX_MANIFOLDS > 0
#define NSCI_MANIFOLDS 1
#define nsci_manifolds(w) ((w)->manifolds)
#else
#define NSCI_MANIFOLDS 0
#define nsci_manifolds(w) ((void)(w), (nsci_manifold *)NULL)
#endif

NSCI_REQUIRE(NSC_MAX_BODIES_is_1_to_16383, NSC_MAX_BODIES >= 1 && NSC_MAX_BODIES <= 16383);
NSCI_REQUIRE(NSC_MAX_SHAPES_is_1_to_16383, NSC_MAX_SHAPES >= 1 && NSC_MAX_SHAPES <= 16383);
NSCI_REQUIRE(NSC_MAX_CONTACTS_is_1_or_more, NSC_MAX_CONTACTS >= 1);
NSCI_REQUIRE(NSC_HULL_VERTICES_is_4_to_42,
             !NSCI_HULLS || (NSC_HULL_VERTICES >= 4 && NSC_HULL_VERTICES <= 42));
NSCI_REQUIRE(NSC_MAX_MANIFOLDS_is_0_to_65534,
             NSC_MAX_MANIFOLDS >= 0 && NSC_MAX_MANIFOLDS <= 65534L);
/* rows are counted in an int */
NSCI_REQUIRE(NSC_SHORT_BLOCKS_has_too_many_rows, !NSCI_SHORT || NSC_MAX_BLOCKS <= 32000 / 3);
NSCI_REQUIRE(NSC_ONLY_CONTACTS_without_joints_and_other_rows,
             !NSCI_ASKED(NSC_ONLY_CONTACTS) ||
                 !(NSCI_JOINTS || NSCI_ROLLING || NSCI_SPRINGS || NSCI_ROWS || NSCI_FORCES ||
                   NSC_BARRIER));
NSCI_REQUIRE(NSC_MAX_BLOCKS_has_too_many_rows,
             NSC_MAX_JOINT_BLOCKS >= 0 && NSC_MAX_BLOCKS <= (int)((unsigned)-1 / 6));

/* One contact point.  The upper part is yours to fill for nsc_world_add_contact; the step fills the
   lower part, and those "by the step" (placed to save padding).  With sub-steps point, normal, gap
   and approach are those before the last of them. */
typedef struct nsc_contact {
    nsc_id body_a, body_b;
    nsc_id shape_a, shape_b;     /* -1 for contacts of your own, whatever you write */
    uint32_t feature;            /* identifies corner, edge, ...: equal from step to step, for the
                                    warm start */
    uint8_t sensor;              /* 1: reported, exerts no force */
    uint8_t matched;             /* by the step; 1: started from its impulse of the last step */
    uint8_t touching;            /* by the step; 1: pressed, or gap at most a quarter of the slop
                                    (sensor, smooth contact: gap <= 0) */
    nsci_kept_at manifold;       /* by the step; place of its pair's kept points, plus 1; 0: none */
    nsc_vec3 point;              /* midway between the surfaces, world [m] */
    nsc_vec3 normal;             /* unit, from a to b, world */
    nsc_real gap;                /* > 0 separation, < 0 penetration [m] */
    nsc_real friction;           /* >= 0 */
    nsc_real restitution;        /* 0..1 */
    nsc_real stiffness;          /* [N/m] >= 0; 0: rigid */
    nsc_real damping;            /* [N s/m] >= 0 */
    /* Velocity of b's surface on its body, less that of a's, world [m/s]; the part along the normal
       does not count */
    NSCI_IF(NSC_BELTS, nsc_vec3 surface_velocity;)
    NSCI_IF(NSCI_ROLLING, nsc_real rolling, torsion;) /* [m] */
    /* Smooth contact, unless stiffness > 0: normal force over penetration^1.5 [N/m^1.5], > 0
       there */
    NSCI_IF(NSC_SMOOTH, nsc_real hertz;)
    /* Tangential over normal stiffness, >= 0; 0: as 2/3, that of rubber */
    NSCI_IF(NSC_SMOOTH, nsc_real tangential;)
    /* Attraction while touching [N], >= 0; hard contact touches where its gap is at most the
       slop */
    NSCI_IF(NSC_SMOOTH, nsc_real cohesion;)

    nsc_vec3 impulse;            /* on b (-impulse on a) in this step, world [N s] */
    /* Of rolling friction on b in this step, world [N m s] */
    NSCI_IF(NSCI_ROLLING, nsc_vec3 moment;)
    nsc_real approach;           /* normal velocity before the (sub-)step [m/s]; < 0: approaching */
    /* Smooth contact: elastic tangential displacement of b on a, world [m] */
    NSCI_IF(NSC_SMOOTH, nsc_vec3 shear;)
    /* Approach speed when touch began, at least bounce_speed [m/s]; 0: apart */
    NSCI_IF(NSC_SMOOTH, nsc_real impact;)
    /* The same as shear for rotation, world [rad] */
    NSCI_IF(NSC_SMOOTH, NSCI_IF(NSCI_ROLLING, nsc_vec3 twist;))
} nsc_contact;

/* Two shapes that began or ceased to touch in the last step.  Calls that move or remove a body or
   shape, or change a body's kind, forget its touches: none of these ends, and one that goes on
   begins anew.  A pair whose contacts were all dropped for lack of room does not touch. */
enum { NSC_TOUCH_BEGIN = 1, NSC_TOUCH_END = 2 };
typedef struct nsc_event {
    nsc_id shape_a, shape_b;     /* negative for contacts of your own */
    nsc_id body_a, body_b;       /* may be stale if the contact ended */
    int32_t kind;                /* NSC_TOUCH_* */
} nsc_event;

/* Bodies that touch or are joined, directly or through other dynamic bodies, and so are solved
   together. */
typedef struct nsc_island {
    nsci_index bodies;           /* dynamic ones */
    nsci_index joints, springs;  /* joints: entries of nsc_calls.rows too */
    nsci_index contacts;
    nsci_index blocks, joint_blocks; /* of the problem; of these, the first ones, those of joints */
    nsci_index places;           /* reserved for blocks: those of forces may come and go within a
                                    step */
    /* where its part of members, links, blocks begins */
    nsci_index first_body, first_link, first_block;
    uint8_t asleep;              /* 1: not solved */
    uint8_t solver;              /* NSC_SOLVER_* that gave the answer, AUTO's choice; 0: asleep, or
                                    nothing to solve */
    int16_t status;              /* worst code of the solver */
    int iterations;              /* sum over the sub-steps */
    nsc_real residual;           /* the largest of the sub-steps [m/s] */
} nsc_island;

/* What one step did. */
struct nsc_step_report {
    nsc_report solver;           /* over islands and sub-steps, the worst status, iterations,
                                    residual [m/s], and with def.solver.judge = 1 eta and violation;
                                    sums of skipped_rows and, so judged, objective and duality_gap.
                                    worst_block counts through all blocks of the step, solver is
                                    that block's */
    int pairs;                   /* pairs of shapes the broad phase handed on */
    int contacts;                /* contact points, those of sensors included */
    int matched;                 /* of these, those started from their impulse of the last step */
    int dropped;                 /* contact points dropped for lack of room */
    uint32_t dropped_ever;       /* the same, summed since nsc_world_init */
    int dropped_rolling;         /* contacts without their rolling friction for lack of room */
    int dropped_events;          /* events dropped for lack of room */
    int unkept;                  /* pairs whose points are found anew in the next step, as
                                    NSC_MAX_MANIFOLDS left no room: as exact, slower, and with other
                                    bits than with room; 0 where it is 0 */
    int islands;                 /* the sleeping ones included */
    int asleep;                  /* bodies that sleep */
    nsc_real penetration;        /* the deepest but of sensors, before the step [m], >= 0 */
    nsc_real drift;              /* the farthest that a joint's held points are apart, after the
                                    step [m], >= 0 */
    int newton_steps;            /* most Newton iterations of an island and sub-step; 0: the stepper
                                    makes none */
    nsc_real newton_change;      /* largest change of a velocity in the last of them [m/s, rad/s] */
    int unsettled;               /* islands, summed over sub-steps, where Newton's method did not
                                    converge */
    nsc_real step_limit;         /* smooth contact with an explicit stepper: the longest (sub-)step
                                    that resolves every contact: a twentieth of its duration, less
                                    where overdamped [s]; 0: none.  Springs, rolling and your forces
                                    are not considered: their limit is 2 / omega */
    int over_limit;              /* contacts for which the (sub-)step was too long */
    /* BARRIER: contact points without an open gap, summed over Newton steps; 0 unless shapes were
       placed so, or see unsettled */
    NSCI_IF(NSC_BARRIER, int overlaps;)
    int dropped_derivatives;     /* derivatives of nsc_force without room, summed over sub-steps:
                                    these forces were explicit */
    int limited_bounces;         /* islands, summed over sub-steps, that got less than their
                                    restitution because all of it would have made energy
                                    (nsc_shape_def.restitution).  Each was solved twice in every
                                    Newton iteration; its iterations are those of both */
    /* See nsc_second_look.h */
    NSCI_IF(NSC_SECOND_LOOK, int looks, ahead, unseen;)
};

/* Definitions to change as needed.  Lengths in m: radius; half length of a cylinder, and of a
   capsule without its caps, along z; half edges of a box.  A half-space is solid for z <= 0. */
NSC_API nsc_world_def nsc_default_world_def(void);
NSC_API nsc_body_def nsc_default_body_def(void);
NSC_API nsc_shape_def nsc_default_sphere_def(nsc_real radius);
NSC_API nsc_shape_def nsc_default_capsule_def(nsc_real radius, nsc_real half_length);
NSC_API nsc_shape_def nsc_default_box_def(nsc_real half_x, nsc_real half_y, nsc_real half_z);
NSC_API nsc_shape_def nsc_default_half_space_def(void);
NSC_API nsc_contact nsc_default_contact(void);

/* ---- >>api ----------------------------------------------------------------------------------- */

/* Reason of the last refusal.  In a definition it is the first field that breaks its rule, mostly
   in the order of the structure.  With NSC_NO_TEXTS field and rule are "", and number tells the
   refusals of one build apart. */
typedef struct nsc_refusal {
    int code;                    /* what the call returned; 0: none since nsc_world_init or
                                    nsc_world_load */
    int number;                  /* identifies the check */
    nsc_real value;              /* the refused value: the field's, or the one the rule speaks of;
                                    of an orientation the square of its length */
    const char *field;           /* "nsc_body_def.mass", "NSC_MAX_BODIES", "h" */
    const char *rule;            /* the condition: "finite and >= 0" */
} nsc_refusal;

/* A smooth force of yours on one body, for nsc_world_step_with */
typedef struct nsc_force {
    nsc_vec3 force, torque;      /* torque about the centre of mass; world frame [N], [N m];
                                    initially 0 */
    int derivative;              /* 1: you have filled stiffness and damping (initially 0).
                                    Implicit steppers then stay stable for any stiffness with
                                    respect to this body's own motion (between two bodies take
                                    nsc_spring, or a softer force).  Room for it is reserved when a
                                    step first asks: 1 with zeros does so */
    nsc_real stiffness[6][6];    /* minus the derivative of (force, torque) by (position, rotation),
                                    world frame; its symmetric part is used, with hx stiffness +
                                    damping made positive semi-definite (negative eigenvalues set to
                                    0) */
    nsc_real damping[6][6];      /* the same by (velocity, angular velocity) */
} nsc_force;

/* A callback may read its own world by every call that takes a const world, nsc_world_save and
   _hash of nsc_image.h among them.  Calls that change it or need its scratch (_cast_shape,
   _overlap, _closest of nsc_sense.h, nsc_world_problem of nsc_problem.h) return NSC_ERR_BUSY.  For
   a snapshot there copy NSC_WORLD_STATE_SIZE bytes or use nsc_world_save: a copy of the whole
   structure stays busy until nsc_world_init.  nsc_world_init takes any memory and cannot check:
   never call it, or write to the structure, in callbacks. */
typedef struct nsc_calls {
    void *user;                  /* passed to the callbacks */
    /* NULL: nsc_solve_sipgs; nsc_solve_apgd, nsc_solve_dantzig, nsc_solve_newton of nsc_newton.h
       and so on, or your own (nsc_solver).  Give the same in each step; def.solver has its
       settings.  The step is refused where NSC_ARENA has no room for it (NSC_ERR_CAPACITY; AUTO
       sweeps instead), or it does not take the law (NSC_ERR_ARGUMENT): seen in the first step that
       has something to solve.
       nsc_solve_minres leaves all but the rows that joints hold as they were: bodies fall through
       each other, and the status is NSC_STALLED. */
    nsc_solver *solve;
    /* NULL, or a time limit: asked as nsc_problem.stop is; once it is not 0 it should stay so, as a
       clock that has run out.  Then every solver ends with its best iterate: in the present island
       after this iteration, in later ones after their first, from the impulses of the last step.
       The rest is done whole without asking, so leave time for it: bodies, contacts and poses, and
       one iteration an island and sub-step (of DANTZIG: forming its matrix, and a sweep of SIPGS).
       report.solver.status is NSC_STOPPED when any was stopped.  Stopped in every step, SIPGS and
       DANTZIG hold stacks and joints, only softer; APGD needs eight iterations for joints.  The
       bits depend on when stop answers so. */
    int (*stop)(void *user);
    /* NULL, or called for the force on every dynamic body that is awake.  The force may depend only
       on poses and velocities of the world's bodies, because EULER_IMPLICIT, HHT and NEWMARK call
       repeatedly to find the force at the end of the step.  They then solve all bodies awake as one
       island. */
    void (*force)(void *user, const nsc_world *world, nsc_id body, nsc_force *force);
    /* Constraint rows of your own in this step, nsc_rows.h; 0 <= row_count <= NSC_MAX_ROWS */
    NSCI_IF(NSCI_ROWS, nsc_rows *rows;)
    NSCI_IF(NSCI_ROWS, int row_count;)
    /* NULL, or as in nsc_problem: calls work(job, i) for each i in 0 .. parts - 1 on several cores
       and returns when all have returned.  parts: usually the number of cores, >= 1, else the step
       is refused; not used where parallel is NULL.  SIPGS solves islands of up to 64 joints,
       springs and contacts by it, several at a time unless there is stop, and larger ones within,
       given room in NSC_ARENA (see NSC_ARENA_CORES).  The bits do not depend on it. */
    NSCI_IF(NSC_PARALLEL, void (*parallel)(void *user, void (*work)(void *job, int part),
                                            void *job, int parts);)
    NSCI_IF(NSC_PARALLEL, int parts;)
    /* NULL, or called for each pair of shapes whose bounding boxes meet, in any order: return 1, or
       0 if these two do not collide in this step. */
    int (*meet)(void *user, const nsc_world *world, nsc_id shape_a, nsc_id shape_b);
    /* NULL, or called for each contact of two shapes, in the order in which they are solved later;
       not between bodies that sleep.  You may change sensor (1: it exerts no force), friction,
       restitution, stiffness, damping, rolling, torsion, hertz, tangential, cohesion and
       surface_velocity, within the ranges of nsc_world_add_contact, whose error else refuses the
       step.  Other changes are ignored. */
    void (*contact)(void *user, const nsc_world *world, nsc_contact *contact);
} nsc_calls;

/* No calls, parts 1: start from these, for a member of garbage would be called. */
NSC_API nsc_calls nsc_default_calls(void);

/* nsc_world_step by another solver or with callbacks (NULL: neither).  The world keeps no pointer
   to them. */
NSC_API int nsc_world_step_with(nsc_world *world, nsc_real h, const nsc_calls *calls);

/* The islands of the last step, empty after one that was refused on its way: 0 <= index <
   nsc_world_report()->islands; NULL outside. */
NSC_API const nsc_island *nsc_world_island(const nsc_world *world, int index);

/* Touches that began or ended in the last step, with NSC_MAX_EVENTS > 0 (by default none are looked
   for): 0 <= index < count; NULL outside. */
NSC_API int nsc_world_event_count(const nsc_world *world);
NSC_API const nsc_event *nsc_world_event(const nsc_world *world, int index);

/* Change gravity, margin, recovery, solver, ... for the next steps.  The tag stays.  Wakes all
   bodies.  Checks def as nsc_world_init does; also NSC_ERR_STEPPER_JOINTS.  NSC_ERR_ARGUMENT also
   when the contact model would change while contacts of yours wait, which were made for the
   other. */
NSC_API int nsc_world_set_def(nsc_world *world, const nsc_world_def *def);

/* Definition of a shape, its orientation normalised.  Returns 0, NSC_ERR_HANDLE, or
   NSC_ERR_ARGUMENT (NULL). */
NSC_API int nsc_shape_get_def(const nsc_world *world, nsc_id shape, nsc_shape_def *def);

/* Change friction, restitution, rolling, torsion, young, poisson, cohesion, category, mask, sensor,
   surface_velocity or user; the rest of def must be what nsc_shape_get_def gives, else
   NSC_ERR_ARGUMENT.  A change of surface_velocity wakes all bodies, any other none: wake those that
   it lets fall or slide, as on ground that becomes a sensor.  Also NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, NSC_ERR_CAPACITY (NSC_MAX_ROLLING). */
NSC_API int nsc_shape_set_def(nsc_world *world, nsc_id shape, const nsc_shape_def *def);

/* ---- bodies */

/* Handle of world->bodies[index], 0 <= index < world->body_end, and of world->shapes[index],
   0 <= index < world->shape_end, to visit them all.  NSC_ERR_HANDLE: outside, or a free slot;
   NSC_ERR_ARGUMENT: world is NULL. */
NSC_API nsc_id nsc_world_body_at(const nsc_world *world, int index);
NSC_API nsc_id nsc_world_shape_at(const nsc_world *world, int index);

/* Add a contact of your own for the next step only, beside those nsc finds (a deeper one takes its
   place at capacity).  The square of the normal's length must be 1 to 1e-3.  It wakes nobody, and
   acts on no body that sleeps.  Returns 0, NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_HANDLE or
   NSC_ERR_CAPACITY. */
NSC_API int nsc_world_add_contact(nsc_world *world, const nsc_contact *contact);

/* The contacts of the last step: 0 <= index < count; NULL outside.  Calls that move or remove a
   body or shape drop its contacts, and those behind them move up. */
NSC_API int nsc_world_contact_count(const nsc_world *world);
NSC_API const nsc_contact *nsc_world_contact(const nsc_world *world, int index);

/* More about bodies; errors as above (>>core).  Mass [kg], and in the body frame centre of mass [m]
   and inertia about it [kg m^2]. */
NSC_API int nsc_body_get_mass(const nsc_world *world, nsc_id body, nsc_real *mass, nsc_vec3 *centre,
                              nsc_real inertia[6]);

/* Give a body that has mass another one [kg], > 0; its inertia grows in proportion, its centre
   stays.  So the inertia of the shapes can go with a mass that is known.  From then on the mass is
   given: shapes do not change it.  NSC_ERR_INERTIA: it has none yet, or its inertia would overflow
   or underflow. */
NSC_API int nsc_body_set_mass(nsc_world *world, nsc_id body, nsc_real mass);

/* As nsc_body_add_force, at a world point [m]; clear_force forgets what both have added. */
NSC_API int nsc_body_add_force_at(nsc_world *world, nsc_id body, nsc_vec3 force,
                                  nsc_vec3 world_point);
NSC_API int nsc_body_clear_force(nsc_world *world, nsc_id body);

/* Impulse [N s], world frame, at a world point [m]: changes the velocity now, of a body that has
   mass. */
NSC_API int nsc_body_add_impulse_at(nsc_world *world, nsc_id body, nsc_vec3 impulse,
                                    nsc_vec3 world_point);

/* Sum of the last step's contact forces on a body [N], and their moment about its present centre of
   mass [N m], without those of rolling friction (nsc_contact.moment); world frame. */
NSC_API int nsc_body_get_contact_force(const nsc_world *world, nsc_id body, nsc_vec3 *force,
                                       nsc_vec3 *moment);

/* 1: asleep, 0: not.  Waking one body, or touching it, wakes its island in the next step. */
NSC_API int nsc_body_is_asleep(const nsc_world *world, nsc_id body);
NSC_API int nsc_body_wake(nsc_world *world, nsc_id body);

/* Index of the body's island in the last step; -1 if it was in none, as a body that is not dynamic
   or that was added since. */
NSC_API int nsc_body_get_island(const nsc_world *world, nsc_id body);

/* ---- >>state ---------------------------------------------------------------------------------
   The structures are visible so that you can place a world, size it and look at it in a debugger.
   Read any field; write only through the functions. */

typedef struct nsc_body {
    uint16_t generation;         /* odd: slot in use */
    uint16_t kind;               /* NSC_*_BODY */
    uint8_t mass_given;          /* 1: mass is from nsc_body_def.mass; 0: from the shapes */
    uint8_t particle;            /* 1: does not turn */
    uint8_t asleep;              /* 1: its island is not solved */
    uint8_t unused;
    nsc_vec3 position;           /* of the centre of mass, world [m] */
    nsc_quat orientation;
    nsc_vec3 velocity;           /* of the centre of mass [m/s] */
    nsc_vec3 angular_velocity;   /* [rad/s] */
    nsc_vec3 force, torque;      /* added by you for the next step, about the centre [N, N m] */
    nsc_vec3 centre;             /* of mass, body frame [m] */
    nsc_real mass, inv_mass;     /* [kg, 1/kg]; both 0 unless dynamic, but nsc_body_set_kind keeps a
                                    given mass */
    nsc_real inertia[6];         /* about the centre, body frame [kg m^2] */
    nsc_real inv_inertia[6];
    nsc_real gravity_scale;
    nsc_real still;              /* time it has been slower than sleep_speed [s] */
    /* Means over the last step [m/s^2, rad/s^2] */
    NSCI_IF(NSC_IMU, nsc_vec3 acceleration, angular_acceleration;)
    /* HHT, NEWMARK: acceleration at the end of the last step, and its weighted mean with that of
       the step before [m/s^2, rad/s^2] */
    NSCI_IF(NSC_STEPPERS, nsc_real rate[6], mean_rate[6];)
    /* Disabled: kind is NSC_STATIC_BODY, and the bit NSCI_DISABLED is set in locks */
    NSCI_IF(NSC_LOCKS, int locks; nsc_real linear_damping, angular_damping;)
    NSCI_IF(NSC_WORDS, uint32_t user;)
    NSCI_IF(NSC_FAR, nsc_vec3 rest;) /* of the position: what its rounding took [m] */
} nsc_body;

typedef struct nsc_shape {
    uint16_t generation;         /* odd: slot in use */
    uint16_t body;               /* index */
    uint16_t data;               /* hull, height field, mesh: index in your table */
    uint16_t unused;
    nsc_shape_def def;
} nsc_shape;

/* A shape placed in the world.  Round (sphere, capsule): core segment centre +- half[2] axes.c[2],
   radius.  Box: half edges along the axes.  Half-space: solid where (p - centre) . axes.c[2] <= 0.
   Cylinder: a capsule with flat ends.  Triangle of terrain or mesh: corners centre + axes.c[i];
   half is its upward or outward unit normal. */
typedef struct nsci_geom {
    int kind;
    nsc_vec3 centre;
    nsci_mat3 axes;
    nsc_real half[3];
    nsc_real radius;
    const void *data;            /* its hull, height field or mesh in your table, or NULL */
} nsci_geom;

/* Motion of a body: at the start of a (sub-)step, and to restore after a refusal */
typedef struct nsci_start {
    nsc_vec3 position;
    nsc_quat orientation;
    nsc_vec3 velocity, angular_velocity;
    NSCI_IF(NSC_FAR, nsc_vec3 rest;)
} nsci_start;
typedef struct nsci_motion {
    nsci_start start;
    NSCI_IF(NSC_IMU, nsc_vec3 acceleration, angular_acceleration;)
    NSCI_IF(NSC_STEPPERS, nsc_real rate[6], mean_rate[6];)
} nsci_motion;

/* What is between two bodies.  The list of a step holds joints, springs, rows of yours and
   contacts, in this order, as do the chains of the islands. */
enum { NSCI_JOINT_LINK, NSCI_SPRING_LINK, NSCI_CONTACT_LINK, NSCI_ROWS_LINK };
/* No index: the island of a body that is not dynamic, the block of a link that is not solved, the
   end of a chain */
enum { NSCI_NOWHERE = (nsci_index)-1 };
typedef struct nsci_link {
    uint8_t kind;                /* NSCI_*_LINK */
    uint8_t rolls;               /* contact: 1: its second block is rolling friction */
    nsci_index item;             /* slot of the joint or spring; index in rows, of contacts in
                                    found */
    nsci_index a, b;             /* indices of its bodies */
    nsci_index block;            /* index of its first block; NSCI_NOWHERE: not solved */
    nsci_index next;             /* next link of the island; NSCI_NOWHERE: none */
} nsci_link;
#define NSCI_MAX_LINKS (0L + NSC_MAX_JOINTS + NSC_MAX_SPRINGS + NSC_MAX_ROWS + NSC_MAX_CONTACTS)

/* most contact points of two shapes; on a height field, for each facet direction */
enum { NSC_MANIFOLD = 4 };
/* The contact points of two boxes or hulls, a and b, as the narrow phase found them */
typedef struct nsci_manifold {
    uint8_t count;               /* points, 3 or 4; 0: free */
    uint8_t side;                /* shape whose face gives the normal, which turns with it: 0 a, 1
                                    b */
    uint8_t used, unused;
    uint32_t feature[NSC_MANIFOLD];
    nsc_vec3 normal;             /* in that shape's frame */
    nsc_vec3 on_a[NSC_MANIFOLD], on_b[NSC_MANIFOLD]; /* in the frames of shapes a and b [m] */
    nsc_real gap[NSC_MANIFOLD];
    nsc_real reach;              /* these are all points nearer than this [m] */
    nsc_real limit;              /* largest motion of a point that keeps it, unless slop is less
                                    [m]: a thousandth of the patch's width */
} nsci_manifold;
#define NSCI_MAX_POINTS (NSCI_TERRAIN_PART ? 16 : 4)

/* Scratch while contacts are found */
NSCI_IF(NSC_STRIPS, NSCI_STRIPS_TYPE)
typedef struct nsci_finding {
    nsci_point points[NSCI_MAX_POINTS];       /* of the present pair of shapes */
    NSCI_IF(NSCI_CONVEX, nsci_convex_scratch convex;)
    int lost;                               /* points of terrain and meshes within the margin that
                                               found no room in points */
    nsci_geom geoms[NSC_MAX_SHAPES];
    nsci_aabb boxes[NSC_MAX_SHAPES];
    nsc_real reach[NSC_MAX_SHAPES];         /* nsci_reach [m] */
    nsci_index sweep[NSC_MAX_SHAPES];       /* shapes in use */
    uint8_t active[NSC_MAX_SHAPES];         /* of each shape, 1: its body is active */
    NSCI_IF(NSC_STRIPS, nsci_strips strips;)
    nsci_index order[NSC_MAX_CONTACTS];     /* found, sorted */
    uint8_t used[NSC_MAX_CONTACTS];         /* 1: a contact of the last step whose impulse is
                                               carried over */
    const nsc_calls *calls;                 /* of the step, if they have meet; or NULL */
} nsci_finding;

/* Scratch while islands are solved: all blocks, and the bodies of one island: 0 immovable, then its
   dynamic, then kinematic ones.  Those of islands set aside are at the end. */
typedef struct nsci_solving {
    nsc_block blocks[NSC_MAX_BLOCKS];       /* of all islands; a and b index the bodies of the
                                               island */
    nsc_mass masses[NSC_MAX_BODIES];
    nsc_real v_free[6 * NSC_MAX_BODIES];
    nsc_real v[6 * NSC_MAX_BODIES];
    /* Change of velocities in a Newton iteration */
    NSCI_IF(NSC_STEPPERS, nsc_real direction[6 * NSC_MAX_BODIES];)
    nsc_real arena[NSC_ARENA > 0 ? NSC_ARENA : 1];
    NSCI_IF(NSC_PARALLEL, nsci_aside aside[NSCI_ASIDE];)
} nsci_solving;

/* Reason of the last refusal as the world keeps it: see nsc_world_last_refusal */
typedef struct nsci_why {
    int16_t code;                /* NSC_ERR_* */
    uint16_t number;             /* index of the field or reason */
    nsc_real value;
} nsci_why;

struct nsc_world {
    /* state: all that the next step depends on; NSC_WORLD_STATE_SIZE bytes */
    nsc_world_def def;
    /* One past the highest slot in use */
    int body_end, shape_end, joint_end, spring_end, manifold_end;
    int steady;                  /* HHT, NEWMARK: 2: the bodies' rates are those of the last step;
                                    1: a step of EULER_IMPLICIT comes first; 0: two do, as the rate
                                    of the first has a velocity jump in it */
    int contact_count, event_count;
    uint32_t step_count;
    nsc_real last_h;             /* step length of the impulses in contacts [s]; 0: none yet */
    nsc_real undo_h;             /* (sub-)step length at whose rate drift and penetration are undone
                                    [s]: the longest of late */
    nsc_real uneven;             /* so many steps more undo the drift of joints with care: 32 after
                                    one that left much, or was of another length */
    nsc_real slack;              /* penetration that is not undone [m], where above slop: what
                                    unsolved steps of late have let sink; else 0 */
    nsc_step_report report;
    nsc_body bodies[NSC_MAX_BODIES];
    nsc_shape shapes[NSC_MAX_SHAPES];
    /* Your tables, not in an image */
    NSCI_IF(NSCI_HULLS, const nsc_hull *const *hulls; int hull_count;)
    NSCI_IF(NSC_TERRAIN, const nsc_heights *const *fields; int field_count;)
    NSCI_IF(NSC_MESHES, const nsc_mesh *const *meshes; int mesh_count;)
    NSCI_IF(NSCI_JOINTS, nsc_joint joints[NSC_MAX_JOINTS];)
    NSCI_IF(NSCI_SPRINGS, nsc_spring springs[NSC_MAX_SPRINGS];)
    NSCI_IF(NSCI_EVENTS, nsc_event events[NSC_MAX_EVENTS];) /* of the last step */
    nsc_contact contacts[NSC_MAX_CONTACTS]; /* of the last step, in a fixed order */
    NSCI_IF(NSCI_MANIFOLDS, nsci_manifold manifolds[NSC_MAX_MANIFOLDS];)

    /* scratch of one step */
    nsci_why note;
    int found_count;             /* contacts gathered for the next step: yours, then the shapes' */
    nsc_step_report report_before; /* restored after a refusal */
    nsc_contact found[NSC_MAX_CONTACTS];
    uint32_t busy;               /* NSCI_BUSY: a call that calls back is under way.  A magic number:
                                    after a copy of the state alone this may be anything */
    uint32_t resting;            /* NSCI_RESTING + step_count: in the last step all bodies slept and
                                    nothing changed, nor in any call since; another value after a
                                    copy of an earlier state */
    int next_manifold;           /* search for a free one starts here: all before are in use */
    int link_count, first_contact;          /* number of links; index of the first contact's */
    nsci_link links[NSCI_MAX_LINKS];
    nsc_real v_free[6 * NSC_MAX_BODIES];    /* free velocities of all bodies; after the solve,
                                               velocities */
    nsc_island islands[NSCI_ISLANDS ? NSC_MAX_BODIES : 1];
    nsci_index island[NSC_MAX_BODIES];      /* of each body: parent in union-find, then the island's
                                               index */
    nsci_index members[NSC_MAX_BODIES];     /* dynamic bodies, island by island */
    /* Of each body, first in its chain of joints that switch off collision, plus 1; 0: none */
    NSCI_IF(NSCI_JOINTS, nsci_index first_joint[NSC_MAX_BODIES];)
    /* Next in the chain of its body a, of b; coded alike */
    NSCI_IF(NSCI_JOINTS, nsci_index next_joint[NSC_MAX_JOINTS][2];)
    /* Gaps of your contacts in found, and motion of bodies, restored if a later sub-step, or a
       projection, is refused */
    NSCI_IF(NSCI_HOLDS_MOTION, nsc_real gap_before[NSC_MAX_CONTACTS];)
    NSCI_IF(NSCI_HOLDS_MOTION, nsci_motion before[NSC_MAX_BODIES];)
    /* 1: a smooth contact began or ended faster than h resolves */
    NSCI_IF(NSC_STEPPERS, int abrupt;)
    /* At the start of the (sub-)step, while Newton's method tries its end */
    NSCI_IF(NSC_STEPPERS, nsci_start start[NSC_MAX_BODIES];)
    /* Forces of your callback with a place for their derivative: 1: the step begins, so that more
       may still reserve one; how many have; index of the body of each */
    NSCI_IF(NSCI_FORCES, int given_open, given_count; uint16_t given_to[NSC_MAX_FORCES];)
    NSCI_IF(NSCI_FORCES, nsc_force given[NSC_MAX_FORCES];)
    /* Of each contact in found, plus 1: that of the last step with its feature, if it pressed; 0:
       none */
    nsci_index pressed[NSC_MAX_CONTACTS];
    int rolling_count;                      /* blocks of rolling friction so far */
    /* Impulses summed over the sub-steps; those of springs on b, world */
    NSCI_IF(NSCI_JOINTS, NSCI_IF(NSCI_SUMS_JOINTS, nsc_real joint_sum[NSC_MAX_JOINT_BLOCKS][3];))
    NSCI_IF(NSCI_JOINTS, NSCI_IF(NSCI_SUMS_JOINTS, nsc_vec3 joint_push[NSC_MAX_JOINTS][2];))
    NSCI_IF(NSCI_SPRINGS, nsc_vec3 spring_sum[NSC_MAX_SPRINGS];)
    NSCI_IF(NSCI_ROWS, nsc_real row_sum[NSC_MAX_ROWS][3];)
    NSCI_IF(NSCI_ROWS, nsc_real row_error[NSC_MAX_ROWS][3];) /* before this sub-step */
    /* Barrier: 1: pairs of boxes are cast, not collided */
    NSCI_IF(NSC_BARRIER, int casting;)
    /* Share of the Newton step that leaves of their gaps at least the share `left`; share of their
       motion that kinematic bodies made */
    NSCI_IF(NSC_BARRIER, nsc_real share, left, led;)
    NSCI_IF(NSC_BARRIER, nsci_path path[NSC_MAX_BODIES];)
    NSCI_IF(NSC_BARRIER, int push_count;)  /* 0: no Newton step of the sub-step yet */
    /* Of the last one, in the order of contacts */
    NSCI_IF(NSC_BARRIER, nsci_push pushes[NSC_MAX_CONTACTS];)
    /* Where bodies stood; scratch that a look uses; contacts found before it; islands to solve */
    NSCI_IF(NSC_SECOND_LOOK, nsci_start stood[NSC_MAX_BODIES]; nsci_finding kept; int regular;
            uint8_t touched[NSC_MAX_BODIES];)
    nsci_index inner[NSC_MAX_BODIES];       /* index of each body in its island's problem */
    nsci_index outer[NSC_MAX_BODIES];       /* the inverse: body in the world */
    /* Both share memory, as contacts are found before anything is solved; with the barrier they do
       not, as contacts are found between solves too */
    NSCI_IF(NSC_BARRIER, struct) NSCI_UNLESS(NSC_BARRIER, union) {
        nsci_finding find;
        nsci_solving solve;
    } scratch;
};

/* Bytes at the start of a world that hold its state.  A copy of these is a snapshot too, if no
   contact of yours waits for the next step, there or where it is copied back to (nsc_world_load
   forgets them).  Copy it back only into a world that nsc_world_init has made. */
#define NSC_WORLD_STATE_SIZE offsetof(nsc_world, note)

/* ---- calls that carry the configuration of the file that makes them */

/* Hash of version and configuration.  nsc_world_init passes the caller's, to be compared with the
   implementation's. */
#define NSCI_TAG(k, x) ((uint32_t)(x) * ((k) * UINT32_C(0x9e3779b0) + 1))
#define NSCI_CONFIG_WORD \
    (NSCI_TAG(0, 256 * NSC_VERSION_MINOR + NSC_VERSION_PATCH) + \
     NSCI_TAG(1, sizeof(nsc_real)) + NSCI_TAG(2, NSC_MAX_BODIES) + NSCI_TAG(3, NSC_MAX_SHAPES) + \
     NSCI_TAG(4, NSC_MAX_CONTACTS) + NSCI_TAG(5, NSC_MAX_MANIFOLDS) + \
     NSCI_TAG(6, NSC_MAX_EVENTS) + NSCI_TAG(7, NSC_MAX_JOINTS) + \
     NSCI_TAG(8, NSC_MAX_JOINT_BLOCKS) + NSCI_TAG(9, NSC_MAX_ROLLING) + \
     NSCI_TAG(10, NSC_MAX_SPRINGS) + NSCI_TAG(11, NSC_MAX_ROWS) + NSCI_TAG(12, NSC_MAX_FORCES) + \
     NSCI_TAG(13, NSC_HULL_VERTICES) + NSCI_TAG(14, NSC_TERRAIN) + NSCI_TAG(15, NSC_MESHES) + \
     NSCI_TAG(16, NSC_PARALLEL) + \
     NSCI_TAG(17, NSC_LOCKS + 2 * NSC_BELTS + 4 * NSC_WORDS + 8 * NSC_FAR + 16 * NSC_SECOND_LOOK + \
              32 * NSCI_SHORT) \
     NSCI_IF(NSCI_JOINTS, + NSCI_TAG(18, 3 - NSC_JOINT_AXES)))
NSC_API int nsci_world_init(nsc_world *world, const nsc_world_def *def, size_t size,
                            uint32_t config);
static NSC_MAYBE_UNUSED int nsc_world_init(nsc_world *world, const nsc_world_def *def)
{
    return nsci_world_init(world, def, sizeof(nsc_world), NSCI_CONFIG_WORD);
}

/* Reason of the last refusal, to print as "field should be rule, and is value".  Calls that take a
   const world (getters, rays) and calls with a NULL world store no reason.  The
   one before then stays: compare `code` with what your call returned.  Only nsc_world_init and
   nsc_world_load clear it.  It is not part of the state.  Cost: the texts, 8 KB of flash, are
   linked by this call alone. */
NSC_API nsc_refusal nsci_world_last_refusal(const nsc_world *world, size_t size, uint32_t config);
static NSC_MAYBE_UNUSED nsc_refusal nsc_world_last_refusal(const nsc_world *world)
{
    return nsci_world_last_refusal(world, sizeof(nsc_world), NSCI_CONFIG_WORD);
}

/* Run nsc_selfcheck, then a fixed scene of 64 steps in `scratch` (overwritten; take your own world
   before nsc_world_init), and compare every bit with the reference, which every build must reach.
   detail as in nsc_selfcheck.  Returns 0, NSC_FLUSHES, NSC_ERR_ARITHMETIC, NSC_ERR_ARGUMENT,
   NSC_ERR_CONFIG.
   Without room for two bodies, two shapes and four contacts the scene is left out. */
NSC_API int nsci_world_selfcheck(nsc_world *scratch, unsigned *detail, size_t size,
                                 uint32_t config);
static NSC_MAYBE_UNUSED int nsc_world_selfcheck(nsc_world *scratch, unsigned *detail)
{
    return nsci_world_selfcheck(scratch, detail, sizeof(nsc_world), NSCI_CONFIG_WORD);
}

NSCI_C_END
#endif /* NSC_NONSMOOTH_CONTACT_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_IMPLEMENTATION_DONE) && !defined(NSCI_PARTS)
#define NSC_IMPLEMENTATION_DONE

#include "nsc_solvers.h" /* again: the first time may have been without NSC_IMPLEMENTATION */

/* Tables stay in flash.  On AVR, pointers do not reach flash, so a plain constant would take
   RAM. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define NSCI_IN_FLASH PROGMEM
#define NSCI_FETCH(to, from) memcpy_P(to, from, sizeof *(to))
#else
#define NSCI_IN_FLASH
#define NSCI_FETCH(to, from) NSC_MEMCPY(to, from, sizeof *(to))
#endif

NSCI_BITS_BEGIN

NSCI_C_BEGIN

/* ---- >>math ---------------------------------------------------------------------------------- */

static nsc_vec3 nsci_vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    NSCI_IF(NSCI_PADDED_VEC3, v.unused = 0; /* worlds are compared byte by byte */)
    return v;
}

/* Three numbers as a vector, and a vector as three numbers */
static nsc_vec3 nsci_vec_at(const nsc_real *x) { return nsci_vec(x[0], x[1], x[2]); }
NSCI_INLINE void nsci_put_vec(nsc_real *to, nsc_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static nsc_vec3 nsci_add(nsc_vec3 a, nsc_vec3 b)
{
    return nsci_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
static nsc_vec3 nsci_sub(nsc_vec3 a, nsc_vec3 b)
{
    return nsci_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
static nsc_vec3 nsci_mul_sv(nsc_real s, nsc_vec3 a) { return nsci_vec(s * a.x, s * a.y, s * a.z); }
static nsc_real nsci_dot3(nsc_vec3 a, nsc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static nsc_real nsci_norm(nsc_vec3 a) { return NSC_SQRT(nsci_dot3(a, a)); }
NSCI_ONE_COPY nsc_real nsci_min(nsc_real a, nsc_real b) { return a < b ? a : b; }

/* Numbers below NSCI_REAL_TINY become 0, so that machines that flush subnormal numbers to 0 reach
   the same bits */
NSCI_INLINE nsc_real nsci_flush(nsc_real x)
{
    return nsci_abs(x) < NSCI_REAL_TINY ? 0 : x;
}

static void nsci_flush_reals(nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        x[i] = nsci_flush(x[i]);
}

/* The same of a vector, for what is below another number */
static nsc_vec3 nsci_flush_below(nsc_vec3 a, nsc_real least)
{
    return nsci_vec(nsci_abs(a.x) < least ? 0 : a.x, nsci_abs(a.y) < least ? 0 : a.y,
                    nsci_abs(a.z) < least ? 0 : a.z);
}

/* x clamped to the finite numbers; a NaN becomes 0.  For reported values and first guesses: a saved
   image holds finite numbers only. */
NSCI_ONE_COPY nsc_real nsci_clamp_finite(nsc_real x)
{
    if (nsci_finite(x))
        return x;
    return x > 0 ? NSC_REAL_MAX : x < 0 ? -NSC_REAL_MAX : 0;
}

static nsc_vec3 nsci_clamp_finite3(nsc_vec3 a)
{
    return nsci_vec(nsci_clamp_finite(a.x), nsci_clamp_finite(a.y), nsci_clamp_finite(a.z));
}

/* a + s b */
static nsc_vec3 nsci_add_sv(nsc_vec3 a, nsc_real s, nsc_vec3 b)
{
    return nsci_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static nsc_vec3 nsci_cross(nsc_vec3 a, nsc_vec3 b)
{
    return nsci_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static nsc_vec3 nsci_neg(nsc_vec3 a) { return nsci_vec(-a.x, -a.y, -a.z); }

/* v / |v|, or the fallback unless |v| > 1e-18 */
static nsc_vec3 nsci_unit(nsc_vec3 v, nsc_vec3 fallback)
{
    nsc_real n = nsci_norm(v);
    return n > NSC_R(1e-18) ? nsci_mul_sv(1 / n, v) : fallback;
}

/* m v */
static nsc_vec3 nsci_mul_mv(const nsci_mat3 *m, nsc_vec3 v)
{
    const nsc_vec3 *c = m->c;
    return nsci_vec(c[0].x * v.x + c[1].x * v.y + c[2].x * v.z,
                    c[0].y * v.x + c[1].y * v.y + c[2].y * v.z,
                    c[0].z * v.x + c[1].z * v.y + c[2].z * v.z);
}

/* m^T v */
static nsc_vec3 nsci_mul_mtv(const nsci_mat3 *m, nsc_vec3 v)
{
    return nsci_vec(nsci_dot3(m->c[0], v), nsci_dot3(m->c[1], v), nsci_dot3(m->c[2], v));
}

/* |q|^2 */
NSCI_IN_PLACE nsc_real nsci_quat_norm2(nsc_quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/* Rotation matrix of q.  Divides by |q|^2: a norm off by one bit, always to the same side, would
   add energy to spinning bodies. */
static nsci_mat3 nsci_rotation(nsc_quat q)
{
    nsci_mat3 m;
    nsc_real one = 1;
    nsc_real two = 2 / nsci_quat_norm2(q);
    m.c[0] = nsci_vec(one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z),
                      two * (q.x * q.z - q.w * q.y));
    m.c[1] = nsci_vec(two * (q.x * q.y - q.w * q.z), one - two * (q.x * q.x + q.z * q.z),
                      two * (q.y * q.z + q.w * q.x));
    m.c[2] = nsci_vec(two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x),
                      one - two * (q.x * q.x + q.y * q.y));
    return m;
}

/* v turned by q */
NSCI_ONE_COPY nsc_vec3 nsci_rotate(nsc_quat q, nsc_vec3 v)
{
    nsci_mat3 R = nsci_rotation(q);
    return nsci_mul_mv(&R, v);
}

/* m^-1 x by cofactors; x if m is singular */
static nsc_vec3 nsci_solve3(const nsci_mat3 *m, nsc_vec3 x)
{
    nsc_vec3 yz = nsci_cross(m->c[1], m->c[2]);
    nsc_vec3 zx = nsci_cross(m->c[2], m->c[0]);
    nsc_vec3 xy = nsci_cross(m->c[0], m->c[1]);
    nsc_real det = nsci_dot3(m->c[0], yz);
    if (nsci_abs(det) <= 0)
        return x;
    return nsci_vec(nsci_dot3(yz, x) / det, nsci_dot3(zx, x) / det, nsci_dot3(xy, x) / det);
}

/* Symmetric matrices are six numbers: xx yy zz xy xz yz. */
static nsci_mat3 nsci_sym_expand(const nsc_real *s)
{
    nsci_mat3 m;
    m.c[0] = nsci_vec(s[0], s[3], s[4]);
    m.c[1] = nsci_vec(s[3], s[1], s[5]);
    m.c[2] = nsci_vec(s[4], s[5], s[2]);
    return m;
}

static nsc_vec3 nsci_sym_mul(const nsc_real *s, nsc_vec3 v)
{
    return nsci_vec(s[0] * v.x + s[3] * v.y + s[4] * v.z, s[3] * v.x + s[1] * v.y + s[5] * v.z,
                    s[4] * v.x + s[5] * v.y + s[2] * v.z);
}

/* R S R^T */
static void nsci_sym_rotate(const nsci_mat3 *R, const nsc_real *s, nsc_real *out)
{
    const nsc_vec3 *c = R->c;
    nsc_vec3 rx = nsci_vec(c[0].x, c[1].x, c[2].x);
    nsc_vec3 ry = nsci_vec(c[0].y, c[1].y, c[2].y);
    nsc_vec3 rz = nsci_vec(c[0].z, c[1].z, c[2].z);
    nsc_vec3 sx = nsci_sym_mul(s, rx);
    nsc_vec3 sy = nsci_sym_mul(s, ry);
    nsc_vec3 sz = nsci_sym_mul(s, rz);
    out[0] = nsci_dot3(rx, sx);
    out[1] = nsci_dot3(ry, sy);
    out[2] = nsci_dot3(rz, sz);
    out[3] = nsci_dot3(rx, sy);
    out[4] = nsci_dot3(rx, sz);
    out[5] = nsci_dot3(ry, sz);
}

/* Inverse of a positive definite s; 0 if it is not.  Scaled by the trace, so that a millimetre body
   (inertia 1e-13) does not underflow in float. */
static int nsci_sym_inverse(const nsc_real *s, nsc_real *out)
{
    nsc_real t = s[0] + s[1] + s[2];
    nsc_real a[6], det, minor;
    int i;
    if (!(t > 0) || !nsci_finite(t))
        return 0;
    for (i = 0; i < 6; i++)
        a[i] = s[i] / t;
    out[0] = a[1] * a[2] - a[5] * a[5];
    out[1] = a[0] * a[2] - a[4] * a[4];
    out[2] = minor = a[0] * a[1] - a[3] * a[3];
    out[3] = a[4] * a[5] - a[3] * a[2];
    out[4] = a[3] * a[5] - a[4] * a[1];
    out[5] = a[3] * a[4] - a[5] * a[0];
    det = a[0] * out[0] + a[3] * out[3] + a[4] * out[4];
    if (!(a[0] > 0) || !(minor > 0) || !(det > NSC_R(1e-3) * NSC_REAL_EPS))
        return 0;
    for (i = 0; i < 6; i++)
        out[i] = out[i] / det / t;
    return nsci_all_finite(out, 6);
}

/* pi/2 in two parts: n times the first is exact for the n met here (Cody and Waite) */
#define NSCI_HALF_PI_HIGH (NSCI_IS_DOUBLE ? NSC_R(1.57079632673412561417) : NSC_R(1.5703125))
#define NSCI_HALF_PI_LOW \
    (NSCI_IS_DOUBLE ? NSC_R(6.07710050650619224932e-11) : NSC_R(4.838267949e-4))
#define NSCI_PI NSC_R(3.14159265358979323846)

/* sin and cos of x >= 0 [rad]; own code, as C libraries differ in the last bit.  From 1e5 on, and
   for NaN, x counts as 0: its digits mean nothing. */
static void nsci_sin_cos(nsc_real x, nsc_real *sine, nsc_real *cosine)
{
    nsc_real n, r, r2, s, c;
    int32_t quadrant;
    if (!(x < NSC_R(1e5)))
        x = 0;
    quadrant = (int32_t)(x / (NSCI_PI / 2) + NSC_R(0.5));
    n = (nsc_real)quadrant;
    r = (x - n * NSCI_HALF_PI_HIGH) - n * NSCI_HALF_PI_LOW;
    r2 = r * r;
    if (NSCI_IS_DOUBLE) {
        s = NSC_R(1.0) / NSC_R(355687428096000.0);
        s = NSC_R(-1.0) / NSC_R(1307674368000.0) + r2 * s;
        s = NSC_R(1.0) / NSC_R(6227020800.0) + r2 * s;
        s = NSC_R(-1.0) / 39916800 + r2 * s;
        s = NSC_R(1.0) / 362880 + r2 * s;
        c = NSC_R(1.0) / NSC_R(20922789888000.0);
        c = NSC_R(-1.0) / NSC_R(87178291200.0) + r2 * c;
        c = NSC_R(1.0) / 479001600 + r2 * c;
        c = NSC_R(-1.0) / 3628800 + r2 * c;
        c = NSC_R(1.0) / 40320 + r2 * c;
    } else { /* the next terms are below a tenth of a rounding error */
        s = NSC_R(1.0) / 362880;
        c = NSC_R(1.0) / 40320 - r2 / 3628800;
    }
    s = NSC_R(-1.0) / 5040 + r2 * s;
    s = NSC_R(1.0) / 120 + r2 * s;
    s = r + r * r2 * (NSC_R(-1.0) / 6 + r2 * s);
    c = NSC_R(-1.0) / 720 + r2 * c;
    c = NSC_R(1.0) / 24 + r2 * c;
    c = 1 + r2 * (NSC_R(-0.5) + r2 * c);
    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    if (quadrant & 2)
        *sine = -*sine;
    if ((quadrant + 1) & 2)
        *cosine = -*cosine;
}

static nsc_quat nsci_quat_normalise(nsc_quat q)
{
    nsc_real n = NSC_SQRT(nsci_quat_norm2(q));
    q.w /= n;
    q.x /= n;
    q.y /= n;
    q.z /= n;
    return q;
}

static nsc_quat nsci_quat_mul(nsc_quat a, nsc_quat b)
{
    nsc_quat q;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    return q;
}

/* exp(turn): rotation about a world axis by the length of turn [rad] */
static nsc_quat nsci_quat_exp(nsc_vec3 turn)
{
    nsc_real angle = nsci_norm(turn), s, c;
    nsc_quat d;
    nsci_sin_cos(NSC_R(0.5) * angle, &s, &c);
    s = angle > NSC_R(1e-12) ? s / angle : NSC_R(0.5);
    if (!nsci_finite(angle))
        turn = nsci_vec(0, 0, 0); /* as such an angle counts as 0 */
    d.w = c;
    d.x = s * turn.x;
    d.y = s * turn.y;
    d.z = s * turn.z;
    return d;
}

/* R r - r for the rotation R of a unit quaternion, without cancellation if R is small */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_turned(nsc_quat q, nsc_vec3 r)
{
    nsc_vec3 axis = nsci_vec(q.x, q.y, q.z);
    nsc_vec3 t = nsci_cross(axis, r);
    t = nsci_add(t, t);
    return nsci_add_sv(nsci_cross(axis, t), q.w, t);
}

static int nsci_vec_finite(nsc_vec3 v)
{
    return nsci_finite(v.x) && nsci_finite(v.y) && nsci_finite(v.z);
}

/* ---- what is asked of the parts */
#define NSCI_PARTS
#define NSCI_PROTOTYPES
#include "nsc.h"
#undef NSCI_PROTOTYPES
#undef NSCI_PARTS

/* ---- >>checks --------------------------------------------------------------------------------
   Each field of a definition is one line of a table, with its rule.  One function checks them all
   and notes the number of the refused field in the world.  Only nsc_world_last_refusal looks up the
   texts: a program that does not call it does not link them. */

/* Rules: name, least and greatest value, text.  Those from NSCI_CHOICE on are for an int, the
   others for reals. */
enum {
    NSCI_MOST_SUBSTEPS = NSCI_SUBSTEPS ? 64 : 1,
    NSCI_LAST_STEPPER = NSC_STEPPERS ? NSC_STEPPER_NEWMARK : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED,
    NSCI_LAST_MODEL = NSC_SMOOTH ? NSC_CONTACT_SMOOTH : NSC_CONTACT_HARD,
    NSCI_LAST_LAW = NSC_BARRIER ? NSC_SMOOTH_BARRIER : NSC_SMOOTH_FLORES,
    NSCI_LAST_SHAPE = NSC_MESHES ? NSC_SHAPE_MESH : NSC_SHAPE_HEIGHT_FIELD
};
#define NSCI_LAST_SHAPE_TEXT \
    NSCI_IF(NSC_MESHES, "NSC_SHAPE_MESH") NSCI_UNLESS(NSC_MESHES, "NSC_SHAPE_HEIGHT_FIELD")
#define NSCI_GROUND_KINDS \
    "half-spaces" NSCI_IF(NSC_MESHES, ", height fields and meshes") \
        NSCI_UNLESS(NSC_MESHES, " and height fields")
#define NSCI_REAL_RULES(R) \
    R(NSCI_ANY_REAL, -NSC_REAL_MAX, NSC_REAL_MAX, "finite") \
    R(NSCI_VECTOR, -NSC_REAL_MAX, NSC_REAL_MAX, "finite") \
    R(NSCI_SYMMETRIC, -NSC_REAL_MAX, NSC_REAL_MAX, "finite") \
    R(NSCI_POSE, NSC_R(0.999), NSC_R(1.001), "finite, orientation of unit length") \
    R(NSCI_POSITIVE, 0, NSC_REAL_MAX, "finite and > 0") \
    R(NSCI_FROM_ZERO, 0, NSC_REAL_MAX, "finite and >= 0") \
    R(NSCI_SHARE, 0, 1, "0..1") \
    R(NSCI_ALPHA, NSC_R(-1.0) / 3, 0, "-1/3..0") \
    R(NSCI_POISSON, NSC_R(-0.99), NSC_R(0.5), "-0.99..0.5") \
    R(NSCI_SPEED, NSC_R(1e-6), NSC_R(1e6), "1e-6..1e6") \
    R(NSCI_RADIUS, NSC_R(1e-9), NSC_R(1e9), "1e-9..1e9")
#define NSCI_CHOICE_RULES(R) \
    R(NSCI_CHOICE, 0, 1, "0 or 1") \
    R(NSCI_BODY_KIND, 1, NSC_DYNAMIC_BODY, \
      "NSC_STATIC_BODY, NSC_KINEMATIC_BODY or NSC_DYNAMIC_BODY") \
    R(NSCI_SHAPE_KIND, 1, NSCI_LAST_SHAPE, "NSC_SHAPE_SPHERE.." NSCI_LAST_SHAPE_TEXT) \
    NSCI_IF(NSCI_JOINTS, NSCI_JOINT_RULES(R)) \
    R(NSCI_STEPPER, 1, NSCI_LAST_STEPPER, \
      "NSC_STEPPER_*; without NSC_STEPPERS only EULER_IMPLICIT_LINEARIZED") \
    R(NSCI_MODEL, 1, NSCI_LAST_MODEL, "NSC_CONTACT_*; without NSC_SMOOTH only HARD") \
    R(NSCI_LAW, 1, NSCI_LAST_LAW, "NSC_SMOOTH_*") \
    R(NSCI_SUBSTEP_COUNT, 1, NSCI_MOST_SUBSTEPS, "1..64; with NSC_NO_SUBSTEPS only 1") \
    R(NSCI_STEPS, 1, 1000, "1..1000") \
    R(NSCI_TAG, 0, 15, "0..15") \
    NSCI_IF(NSC_LOCKS, NSCI_LOCK_RULES(R))

/* Fields, in the order in which they are checked: definition, member, rule */
#define NSCI_WORLD_FIELDS(F) \
    F(nsc_world_def, gravity, NSCI_VECTOR) \
    F(nsc_world_def, margin, NSCI_FROM_ZERO) \
    F(nsc_world_def, slop, NSCI_FROM_ZERO) \
    F(nsc_world_def, recovery, NSCI_SHARE) \
    F(nsc_world_def, recovery_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, bounce_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, match_distance, NSCI_FROM_ZERO) \
    F(nsc_world_def, keep_manifolds, NSCI_CHOICE) \
    F(nsc_world_def, joint_recovery, NSCI_SHARE) \
    F(nsc_world_def, joint_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, sleep_time, NSCI_FROM_ZERO) \
    F(nsc_world_def, sleep_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, substeps, NSCI_SUBSTEP_COUNT) \
    F(nsc_world_def, stepper, NSCI_STEPPER) \
    F(nsc_world_def, alpha, NSCI_ALPHA) \
    F(nsc_world_def, beta, NSCI_FROM_ZERO) \
    F(nsc_world_def, gamma, NSCI_FROM_ZERO) \
    F(nsc_world_def, newton_steps, NSCI_STEPS) \
    F(nsc_world_def, newton_tolerance, NSCI_FROM_ZERO) \
    F(nsc_world_def, contact_model, NSCI_MODEL) \
    F(nsc_world_def, contact_law, NSCI_LAW) \
    F(nsc_world_def, contact_speed, NSCI_SPEED) \
    F(nsc_world_def, contact_radius, NSCI_RADIUS) \
    NSCI_IF(NSC_BARRIER, NSCI_BARRIER_FIELDS(F)) \
    F(nsc_world_def, tag, NSCI_TAG)
#define NSCI_BODY_FIELDS(F) \
    F(nsc_body_def, kind, NSCI_BODY_KIND) \
    F(nsc_body_def, particle, NSCI_CHOICE) \
    F(nsc_body_def, pose, NSCI_POSE) \
    F(nsc_body_def, velocity, NSCI_VECTOR) \
    F(nsc_body_def, angular_velocity, NSCI_VECTOR) \
    F(nsc_body_def, gravity_scale, NSCI_ANY_REAL) \
    NSCI_IF(NSC_LOCKS, NSCI_LOCK_FIELDS(F)) \
    F(nsc_body_def, mass, NSCI_FROM_ZERO) \
    F(nsc_body_def, centre, NSCI_VECTOR) \
    F(nsc_body_def, inertia, NSCI_SYMMETRIC)
#define NSCI_SHAPE_FIELDS(F) \
    F(nsc_shape_def, kind, NSCI_SHAPE_KIND) \
    F(nsc_shape_def, sensor, NSCI_CHOICE) \
    F(nsc_shape_def, pose, NSCI_POSE) \
    F(nsc_shape_def, half, NSCI_VECTOR) \
    F(nsc_shape_def, radius, NSCI_ANY_REAL) \
    F(nsc_shape_def, density, NSCI_FROM_ZERO) \
    F(nsc_shape_def, friction, NSCI_FROM_ZERO) \
    F(nsc_shape_def, restitution, NSCI_SHARE) \
    F(nsc_shape_def, stiffness, NSCI_FROM_ZERO) \
    F(nsc_shape_def, damping, NSCI_FROM_ZERO) \
    F(nsc_shape_def, rolling, NSCI_FROM_ZERO) \
    F(nsc_shape_def, torsion, NSCI_FROM_ZERO) \
    F(nsc_shape_def, young, NSCI_POSITIVE) \
    F(nsc_shape_def, poisson, NSCI_POISSON) \
    NSCI_IF(NSC_BELTS, NSCI_BELT_FIELDS(F, nsc_shape_def)) \
    F(nsc_shape_def, cohesion, NSCI_FROM_ZERO)
#define NSCI_CONTACT_FIELDS(F) \
    F(nsc_contact, point, NSCI_VECTOR) \
    F(nsc_contact, normal, NSCI_VECTOR) \
    F(nsc_contact, gap, NSCI_ANY_REAL) \
    F(nsc_contact, friction, NSCI_FROM_ZERO) \
    F(nsc_contact, restitution, NSCI_SHARE) \
    F(nsc_contact, stiffness, NSCI_FROM_ZERO) \
    NSCI_IF(NSC_BELTS, NSCI_BELT_FIELDS(F, nsc_contact)) \
    F(nsc_contact, damping, NSCI_FROM_ZERO)
#define NSCI_ALL_FIELDS(F) \
    NSCI_WORLD_FIELDS(F) NSCI_BODY_FIELDS(F) NSCI_SHAPE_FIELDS(F) \
    NSCI_CONTACT_FIELDS(F) NSCI_IF(NSCI_ROLLING, NSCI_ROLLING_FIELDS(F)) \
    NSCI_IF(NSC_SMOOTH, NSCI_SMOOTH_FIELDS(F)) NSCI_IF(NSCI_JOINTS, NSCI_JOINT_FIELDS(F)) \
    NSCI_IF(NSCI_SPRINGS, NSCI_SPRING_FIELDS(F))

/* All other reasons for a refusal: the name, what it is about, what should hold.  The first nine
   are the settings of the solver, in the order of NSCI_BAD_*. */
#define NSCI_REASONS(R) \
    R(NSCI_BAD_SETTING, "nsc_settings.law", "NSC_LAW_*; COULOMB with NSC_ONLY_CONTACTS") \
    R(NSCI_BAD_SETTING_2, "nsc_settings.max_iterations", ">= 1") \
    R(NSCI_BAD_SETTING_3, "nsc_settings.tolerance", "finite and >= 0") \
    R(NSCI_BAD_SETTING_4, "nsc_settings.relative_tolerance", "finite and >= 0") \
    R(NSCI_BAD_SETTING_5, "nsc_settings.stall_window", ">= 0") \
    R(NSCI_BAD_SETTING_6, "nsc_settings.check_interval", ">= 1") \
    R(NSCI_BAD_SETTING_7, "nsc_settings.omega", "> 0 and < 2") \
    R(NSCI_BAD_SETTING_8, "nsc_settings.passes", ">= 1") \
    R(NSCI_BAD_SETTING_9, "nsc_settings.max_factorizations", ">= 1") \
    R(NSCI_NO_POINTER, "argument", "a pointer that is not NULL") \
    R(NSCI_IS_BUSY, "world", \
      "left alone by its own callbacks: change it when the call has returned") \
    R(NSCI_NOT_MADE, "world", "made by nsc_world_init first") \
    R(NSCI_OTHER_MACROS, "NSC_CONFIG_H", \
      "a header with all your NSC_ macros: here they differ from the file that implements nsc") \
    R(NSCI_BAD_ARGUMENT, "argument", "in the range that is documented at the function") \
    R(NSCI_NOT_FINITE, "argument", "finite, and what follows from it too") \
    R(NSCI_BAD_LENGTH, "h", "> 0, at most 1e6 s, and 1 / (h / substeps)^2 finite") \
    R(NSCI_NO_SOLVER, "nsc_calls.solve", \
      "a solver that takes nsc_settings.law (APGD, BB: not PYRAMID; DANTZIG: only that); " \
      "the value is the law") \
    R(NSCI_OVERFLOW, "contact problem", \
      "finite in all its numbers; the value is the slot of the fastest body") \
    R(NSCI_SMALL_ARENA, "NSC_ARENA", \
      "room for nsc_calls.solve: NSC_ARENA_APGD, _NEWTON and so on; the value is the capacity") \
    R(NSCI_BAD_HANDLE, "spring", "a spring of this world") \
    R(NSCI_BAD_BODY, "body", \
      "a body of this world, and not the ground if the call changes it; the value is its slot, " \
      "or an error code") \
    R(NSCI_BAD_SHAPE, "shape", "a shape of this world; the value is its slot, or an error code") \
    R(NSCI_BAD_JOINT, "joint", "a joint of this world; the value is its slot, or an error code") \
    R(NSCI_ENDLESS, "NSC_MAX_ITERATIONS", \
      "at least substeps * newton_steps, if made, * the solver's largest limit; the value is " \
      "that product") \
    R(NSCI_UNSTABLE, "nsc_world_def.gamma", \
      "gamma >= 1/2 and beta >= gamma/2; the value is gamma") \
    R(NSCI_HARD_STEPPER, "nsc_world_def.contact_model", \
      "smooth with EULER_FORWARD, HHT and NEWMARK") \
    R(NSCI_OWN_CONTACTS, "nsc_world_def.contact_model", \
      "as it was while contacts of your own wait; the value is their count") \
    R(NSCI_BAD_PARTICLE, "nsc_body_def.particle", \
      "1 only for a dynamic body with mass > 0; the value is its mass") \
    R(NSCI_LIGHT, "nsc_body_def.mass", "0, or 1 / mass finite") \
    R(NSCI_MASS, "mass", "> 0, with an inertia and 1 / mass that are finite") \
    R(NSCI_FAR, "pose", "one that gives the centre of mass a finite position and velocity") \
    R(NSCI_INDEFINITE, "inertia", \
      "symmetric positive definite; the value is its least principal moment") \
    R(NSCI_TRIANGLE_RULE, "inertia", \
      "without a principal moment above the sum of the other two; the value is the excess") \
    R(NSCI_HEAVY, "mass of the shapes", "finite, and 1 / mass too; the value is the mass") \
    R(NSCI_NO_MASS, "body", \
      "static or kinematic, or have a mass, given or by a shape's density; the value is its slot") \
    R(NSCI_LOST, "body", \
      "at a finite position and velocity after the step; the value is its slot (0: contacts)") \
    R(NSCI_WRONG_SHAPE, "nsc_shape_def.kind", \
      "one that this call takes; " NSCI_GROUND_KINDS " are not for dynamic bodies") \
    R(NSCI_BAD_RADIUS, "nsc_shape_def.radius", "finite and > 0") \
    R(NSCI_BAD_HALF_Z, "nsc_shape_def.half.z", "finite and > 0") \
    R(NSCI_BAD_HALF_X, "nsc_shape_def.half.x", "finite and > 0") \
    R(NSCI_BAD_HALF_Y, "nsc_shape_def.half.y", "finite and > 0") \
    R(NSCI_FIXED_PART, "nsc_shape_def", \
      "kind, pose, size, density, stiffness and damping as they were") \
    R(NSCI_NO_CYLINDER, "nsc_shape_def.kind", "no cylinder without NSC_CONVEX") \
    R(NSCI_NO_COHESION, "nsc_shape_def.cohesion", "0 without NSC_SMOOTH") \
    R(NSCI_SAME_BODY, "body_b", "not the same as body_a") \
    R(NSCI_STATIC, "body", \
      "one that can have a velocity, or take an impulse; the value is its slot") \
    R(NSCI_BAD_NORMAL, "nsc_contact.normal", \
      "of unit length; the value is the square of its length") \
    R(NSCI_BAD_SENSOR, "nsc_contact.sensor", "0 or 1") \
    R(NSCI_NO_FORCE, "nsc_contact.hertz", "> 0, or stiffness > 0, in smooth contact")
#define NSCI_ROOM_REASONS(R) \
    R(NSCI_FULL_BODIES, "NSC_MAX_BODIES", \
      "room for one more body: enlarge it; the value is the capacity") \
    R(NSCI_FULL_SHAPES, "NSC_MAX_SHAPES", \
      "room for one more shape: enlarge it; the value is the capacity") \
    R(NSCI_FULL_CONTACTS, "NSC_MAX_CONTACTS", \
      "room for one more contact: enlarge it; the value is the capacity") \
    R(NSCI_FULL_ROLLING, "NSC_MAX_ROLLING", "above 0 where rolling or torsion is") \
    R(NSCI_BAD_IMAGE, "image", \
      "whole, undamaged, and of a world that this build can hold; the value is the offset") \
    R(NSCI_OTHER_BUILD, "image", "of this version and this type of nsc_real") \
    R(NSCI_NO_ISLAND, "island", "below the number of islands; the value is that number") \
    NSCI_IF(NSC_BARRIER, NSCI_BARRIER_REASONS(R)) \
    NSCI_IF(NSC_MESHES, NSCI_MESH_REASONS(R)) \
    NSCI_IF(NSCI_CONVEX, NSCI_HULL_REASONS(R)) \
    NSCI_IF(NSCI_TERRAIN_PART, NSCI_FIELD_REASONS(R)) \
    NSCI_IF(NSCI_JOINTS, NSCI_JOINT_REASONS(R)) \
    NSCI_IF(NSCI_SPRINGS, NSCI_SPRING_REASONS(R)) \
    NSCI_IF(NSCI_ROWS, NSCI_ROWS_REASONS(R)) \
    NSCI_IF(NSC_LOCKS, NSCI_KIND_REASONS(R)) \
    NSCI_IF(NSC_PARALLEL, NSCI_PARALLEL_REASONS(R))

#define NSCI_RULE_NAME(rule, lo, hi, text) rule,
#define NSCI_RULE_RANGE(rule, lo, hi, text) {(lo), (nsc_real)(hi)},
#define NSCI_RULE_TEXT(rule, lo, hi, text) text "\0"
#define NSCI_FIELD_NAME(type, member, rule) NSCI_##type##_##member,
#define NSCI_FIELD_RULE(type, member, rule) \
    {(unsigned char)(offsetof(type, member) / 2), (unsigned char)(rule)},
#define NSCI_FIELD_TEXT(type, member, rule) #type "." #member "\0"
#define NSCI_REASON_NAME(reason, about, text) reason,
#define NSCI_REASON_TEXT(reason, about, text) about "\0" text "\0"

enum { NSCI_REAL_RULES(NSCI_RULE_NAME) NSCI_CHOICE_RULES(NSCI_RULE_NAME) NSCI_RULES };
enum { NSCI_ALL_FIELDS(NSCI_FIELD_NAME) NSCI_FIELDS };
enum {
    NSCI_FIRST_REASON = NSCI_FIELDS - 1,
    NSCI_REASONS(NSCI_REASON_NAME) NSCI_ROOM_REASONS(NSCI_REASON_NAME) NSCI_NUMBERS
};

typedef struct nsci_rule { nsc_real lo, hi; } nsci_rule;
typedef struct nsci_field { unsigned char half_offset, rule; } nsci_field;
NSCI_REQUIRE(offsets, sizeof(nsc_world_def) <= 510);
static const nsci_rule nsci_rules[] NSCI_IN_FLASH = {NSCI_REAL_RULES(NSCI_RULE_RANGE)
                                                         NSCI_CHOICE_RULES(NSCI_RULE_RANGE)};
static const nsci_field nsci_fields[] NSCI_IN_FLASH = {NSCI_ALL_FIELDS(NSCI_FIELD_RULE)};

/* Note why a call is refused; returns the code.  Calls that only read pass NULL: no note. */
NSCI_ONE_COPY int nsci_refused(nsci_why *note, int code, int number, nsc_real value)
{
    if (note) {
        note->code = (int16_t)code;
        note->number = (uint16_t)number;
        note->value = value;
    }
    return code;
}

/* Check n numbers.  Returns the first that breaks the rule, its error in *code, or 0.  open: the
   lower bound is refused. */
static nsc_real nsci_check_reals(const nsc_real *x, int n, const nsci_rule *r, int open, int *code)
{
    int i;
    for (i = 0; i < n; i++) {
        if (!nsci_finite(x[i]))
            *code = NSC_ERR_NOT_FINITE;
        else if (x[i] < r->lo || x[i] > r->hi || (open && x[i] <= r->lo))
            *code = NSC_ERR_ARGUMENT;
        if (*code < 0)
            return x[i];
    }
    return 0;
}

/* Check a pose: position finite, orientation's squared length as the rule says.  Returns the number
   that is not finite, or the squared length that is refused. */
static nsc_real nsci_check_turn(const nsc_pose *p, const nsci_rule *r, int *code)
{
    nsc_real n2 = nsci_quat_norm2(p->orientation);
    nsci_rule any = {-NSC_REAL_MAX, NSC_REAL_MAX};
    nsc_real bad = nsci_check_reals((const nsc_real *)&p->position, 3, &any, 0, code);
    return *code < 0 ? bad : nsci_check_reals(&n2, 1, r, 0, code);
}

/* Check the fields from..to of a definition.  Returns 0, or the refusal for the first that breaks
   its rule. */
static int nsci_check_members(nsci_why *note, const void *def, int from, int to)
{
    int i, code = NSC_OK;
    if (!def)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    for (i = from; i <= to; i++) {
        nsci_field f;
        nsci_rule r;
        const void *at;
        nsc_real value;
        NSCI_FETCH(&f, &nsci_fields[i]);
        NSCI_FETCH(&r, &nsci_rules[f.rule]);
        at = (const unsigned char *)def + 2 * (int)f.half_offset;
        if (f.rule == NSCI_POSE) {
            value = nsci_check_turn((const nsc_pose *)at, &r, &code);
        } else if (f.rule >= NSCI_CHOICE) {
            const int *x = (const int *)at;
            if (*x < (int)r.lo || *x > (int)r.hi)
                code = NSC_ERR_ARGUMENT;
            value = (nsc_real)*x;
        } else {
            int n = f.rule == NSCI_VECTOR ? 3 : f.rule == NSCI_SYMMETRIC ? 6 : 1;
            value = nsci_check_reals((const nsc_real *)at, n, &r, f.rule == NSCI_POSITIVE, &code);
        }
        if (code < 0)
            return nsci_refused(note, code, i, value);
    }
    return NSC_OK;
}

/* Check a pose that is passed alone. */
static int nsci_check_pose(nsci_why *note, const nsc_pose *p)
{
    nsc_body_def d;
    d.pose = *p;
    return nsci_check_members(note, &d, NSCI_nsc_body_def_pose, NSCI_nsc_body_def_pose);
}

static int nsci_has_barrier(const nsc_world_def *d)
{
    return NSC_BARRIER && d->contact_model == NSC_CONTACT_SMOOTH &&
           d->contact_law == NSC_SMOOTH_BARRIER;
}
#define nsci_is_barrier(w) nsci_has_barrier(&(w)->def)

#define NSCI_BUSY UINT32_C(0x79737562)
#define NSCI_RESTING UINT32_C(0x74736572)

/* Calls that change the world begin here: they are refused in a callback of the world's own, and
   need a world that was made.  To another one nothing is written: it may be smaller, in a file that
   has other macros. */
static int nsci_enter(nsc_world *w)
{
    if (!w || w->body_end == 0)
        return NSC_ERR_ARGUMENT;
    if (w->busy == NSCI_BUSY)
        return nsci_refused(&w->note, NSC_ERR_BUSY, NSCI_IS_BUSY, 0);
    w->resting = 0;
    return NSC_OK;
}

/* Store two results, each unless its pointer is NULL; neither if one is not finite. */
static int nsci_hand_out(nsc_vec3 a, nsc_vec3 *to_a, nsc_vec3 b, nsc_vec3 *to_b)
{
    if (!nsci_vec_finite(a) || !nsci_vec_finite(b))
        return NSC_ERR_NOT_FINITE;
    if (to_a)
        *to_a = a;
    if (to_b)
        *to_b = b;
    return NSC_OK;
}

/* The n-th, from 0, of consecutive zero-terminated texts */
static const char *nsci_nth_text(const char *texts, int n)
{
    for (; NSCI_TEXTS && n > 0; n--) {
        while (*texts)
            texts++;
        texts++;
    }
    return texts;
}

/* With names of their own: a literal with zeros within stays in the program even if nothing that
   is linked reads it. */
#define NSCI_TEXT_TABLE(name, texts) static const char name[] = "" NSCI_IF(NSCI_TEXTS, texts)

NSC_API nsc_refusal nsci_world_last_refusal(const nsc_world *w, size_t size, uint32_t config)
{
    NSCI_TEXT_TABLE(fields, NSCI_ALL_FIELDS(NSCI_FIELD_TEXT));
    NSCI_TEXT_TABLE(rules, NSCI_REAL_RULES(NSCI_RULE_TEXT) NSCI_CHOICE_RULES(NSCI_RULE_TEXT));
    NSCI_TEXT_TABLE(reasons, NSCI_REASONS(NSCI_REASON_TEXT));
    NSCI_TEXT_TABLE(room_reasons, NSCI_ROOM_REASONS(NSCI_REASON_TEXT));
    int same = size == sizeof(nsc_world) && config == NSCI_CONFIG_WORD;
    nsc_refusal r;
    nsci_why why;
    why.code = same ? NSC_ERR_ARGUMENT : NSC_ERR_CONFIG;
    why.number = same ? NSCI_NOT_MADE : NSCI_OTHER_MACROS;
    why.value = 0;
    if (w && same && (w->body_end > 0 || w->note.code < 0))
        why = w->note;
    r.code = NSC_OK;
    r.number = 0;
    r.value = 0;
    r.field = r.rule = "";
    if (!w || why.code >= 0 || why.number >= NSCI_NUMBERS)
        return r;
    r.code = why.code;
    r.number = why.number;
    r.value = why.value;
    if (r.number < NSCI_FIELDS) {
        nsci_field f;
        NSCI_FETCH(&f, &nsci_fields[r.number]);
        r.field = nsci_nth_text(fields, r.number);
        r.rule = nsci_nth_text(rules, f.rule);
    } else {
        int room = r.number - NSCI_FULL_BODIES;
        r.field = room < 0 ? nsci_nth_text(reasons, 2 * (r.number - NSCI_FIELDS))
                           : nsci_nth_text(room_reasons, 2 * room);
        r.rule = nsci_nth_text(r.field, 1);
    }
    return r;
}

/* ---- >>handles -------------------------------------------------------------------------------
   | kind 2 bits | tag 4 | use 11 | index 14 |; the ground is 0.  A slot's generation goes up by one
   when it is taken and when it is freed: odd means in use, and `use` is half of it.  Springs, of
   kind 0, count their index from 1, so that no handle is 0, the ground's. */

enum { NSCI_SPRING_HANDLE = 0, NSCI_BODY_HANDLE = 1, NSCI_SHAPE_HANDLE = 2, NSCI_JOINT_HANDLE = 3 };

NSCI_ONE_COPY nsc_id nsci_handle(const nsc_world *w, int kind, int index, uint16_t generation)
{
    if (kind == NSCI_BODY_HANDLE && index == 0)
        return NSC_GROUND;
    return (nsc_id)((int32_t)kind << 29 | (int32_t)w->def.tag << 25 |
                    (int32_t)(generation / 2 % 2048) << 14 | (int32_t)index);
}

/* One past the highest slot of a kind that is in use */
static int nsci_end(const nsc_world *w, int kind)
{
    if (kind == NSCI_JOINT_HANDLE)
        return w->joint_end;
    if (kind == NSCI_SPRING_HANDLE)
        return w->spring_end;
    return kind == NSCI_BODY_HANDLE ? w->body_end : w->shape_end;
}

static uint16_t nsci_generation(const nsc_world *w, int kind, int i)
{
    NSCI_IF(NSCI_JOINTS, if (kind == NSCI_JOINT_HANDLE) return w->joints[i].generation;)
    NSCI_IF(NSCI_SPRINGS, if (kind == NSCI_SPRING_HANDLE) return w->springs[i].generation;)
    return kind == NSCI_BODY_HANDLE ? w->bodies[i].generation : w->shapes[i].generation;
}

/* First free slot; nsci_end if none below it is free */
static int nsci_free_slot(const nsc_world *w, int kind)
{
    int i = 0;
    while (i < nsci_end(w, kind) && nsci_generation(w, kind, i) % 2)
        i++;
    return i;
}

/* nsci_end after slots were freed */
static int nsci_new_end(const nsc_world *w, int kind)
{
    int end = nsci_end(w, kind);
    while (end > 0 && nsci_generation(w, kind, end - 1) % 2 == 0)
        end--;
    return end;
}

/* Handle of slot i, or a negative error */
static nsc_id nsci_id_at(const nsc_world *w, int kind, int i)
{
    if (!w)
        return NSC_ERR_ARGUMENT;
    if (i < 0 || i >= nsci_end(w, kind) || nsci_generation(w, kind, i) % 2 == 0)
        return NSC_ERR_HANDLE;
    return nsci_handle(w, kind, i + (kind == NSCI_SPRING_HANDLE), nsci_generation(w, kind, i));
}

/* Index of an object that is read, or a negative error; kind: NSCI_*_HANDLE */
static int nsci_find(const nsc_world *w, int kind, nsc_id id)
{
    int i = (int)(id & 16383) - (kind == NSCI_SPRING_HANDLE);
    nsc_id own = nsci_id_at(w, kind, i);
    if (own < 0)
        return (int)own;
    return own == id ? i : NSC_ERR_HANDLE;
}

/* The value that a refusal tells of a handle: its slot, or the error code that was passed as one */
static nsc_real nsci_told(nsc_id id) { return (nsc_real)(id < 0 ? id : id & 16383); }

/* The same for a call that changes it: also refused in callbacks, and for the ground */
static int nsci_change(nsc_world *w, int kind, nsc_id id)
{
    int i = nsci_enter(w);
    if (i < 0)
        return i;
    i = nsci_find(w, kind, id);
    if (i > 0 || (i == 0 && kind != NSCI_BODY_HANDLE))
        return i;
    return nsci_refused(&w->note, NSC_ERR_HANDLE, NSCI_BAD_HANDLE + kind, nsci_told(id));
}

/* Check that two bodies exist and differ. */
static int nsci_check_ends(nsc_world *w, nsc_id body_a, nsc_id body_b)
{
    int a = nsci_find(w, NSCI_BODY_HANDLE, body_a);
    int b = nsci_find(w, NSCI_BODY_HANDLE, body_b);
    if (a < 0 || b < 0)
        return nsci_refused(&w->note, NSC_ERR_HANDLE, NSCI_BAD_BODY,
                            nsci_told(a < 0 ? body_a : body_b));
    return a != b ? NSC_OK : nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_SAME_BODY, (nsc_real)b);
}

/* Index of a body named by a joint, spring or contact: removed with their bodies, these hold no
   stale handle. */
NSCI_ONE_COPY int nsci_body_of(const nsc_world *w, nsc_id id)
{
    int i = (int)(id & 16383);
    return i < w->body_end ? i : 0;
}

static nsc_id nsci_body_handle(const nsc_world *w, int i)
{
    return nsci_handle(w, NSCI_BODY_HANDLE, i, w->bodies[i].generation);
}

NSC_API nsc_id nsc_world_body_at(const nsc_world *w, int i)
{
    return nsci_id_at(w, NSCI_BODY_HANDLE, i);
}

NSC_API nsc_id nsc_world_shape_at(const nsc_world *w, int i)
{
    return nsci_id_at(w, NSCI_SHAPE_HANDLE, i);
}

/* ---- >>bodies -------------------------------------------------------------------------------- */

NSC_API nsc_world_def nsc_default_world_def(void)
{
    nsc_world_def d;
    nsci_clear(&d, sizeof d);
    d.gravity.z = NSC_R(-9.81);
    d.margin = NSC_R(0.01);
    d.slop = NSC_R(0.0005);
    d.recovery = NSC_R(0.2);
    d.recovery_speed = NSC_R(0.6);
    d.bounce_speed = NSC_R(0.2);
    d.match_distance = NSC_R(0.02);
    d.keep_manifolds = 1;
    d.joint_recovery = NSC_R(0.2);
    d.joint_speed = 10;
    d.sleep_speed = NSC_R(0.01);
    d.substeps = 1;
    d.solver = nsc_default_settings();
    d.solver.judge = 0;
    d.solver.max_factorizations = NSC_WORLD_FACTORIZATIONS;
    d.stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
    d.alpha = NSC_R(-0.2);
    d.beta = NSC_R(0.3);
    d.gamma = NSC_R(0.6);
    d.newton_steps = 20;
    d.newton_tolerance = sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-5) : NSC_R(1e-9);
    d.contact_model = NSC_CONTACT_HARD;
    d.contact_law = NSC_SMOOTH_HERTZ;
    d.contact_speed = 1;
    d.contact_radius = NSC_R(0.1);
    NSCI_IF(NSC_BARRIER, d.barrier_distance = d.barrier_speed = NSC_R(0.001);)
    return d;
}

NSC_API nsc_body_def nsc_default_body_def(void)
{
    nsc_body_def d;
    nsci_clear(&d, sizeof d);
    d.kind = NSC_DYNAMIC_BODY;
    d.pose.orientation.w = 1;
    d.gravity_scale = 1;
    return d;
}

/* Check the settings of the solver, and refuse those that would let a step take for ever. */
static int nsci_check_settings(nsci_why *note, const nsc_world_def *d)
{
    const nsc_settings *s = &d->solver;
    const nsc_real values[] = {(nsc_real)s->law, (nsc_real)s->max_iterations, s->tolerance,
                               s->relative_tolerance, (nsc_real)s->stall_window,
                               (nsc_real)s->check_interval, s->omega, (nsc_real)s->passes,
                               (nsc_real)s->max_factorizations};
    int bad = nsci_bad_setting(s);
    int newton = NSC_STEPPERS && d->stepper >= NSC_STEPPER_EULER_IMPLICIT;
    nsc_real most = nsci_max((nsc_real)s->max_iterations, (nsc_real)s->passes);
    if (bad)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_SETTING + bad - 1,
                            values[bad - NSCI_BAD_LAW]);
    most = nsci_max(most, (nsc_real)s->max_factorizations);
    most *= (nsc_real)d->substeps * (newton ? (nsc_real)d->newton_steps : 1);
    if (most > (nsc_real)NSC_MAX_ITERATIONS)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_ENDLESS, most);
    return NSC_OK;
}

static int nsci_check_world_def(nsci_why *note, const nsc_world_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_world_def_gravity, NSCI_nsc_world_def_tag);
    if (code == NSC_OK)
        code = nsci_check_settings(note, d);
    if (code == NSC_OK)
        code = nsci_check_barrier_def(note, d);
    return code < 0 ? code : nsci_check_stepper(note, d);
}

/* HHT, NEWMARK: discard the last step's rates, so that the next is EULER_IMPLICIT. */
static void nsci_forget_rates(nsc_world *w)
{
    if (w->steady > 1)
        w->steady = 1;
}

/* Clear all but the definition; the ground is the only body. */
static void nsci_make_empty(nsc_world *w)
{
    NSC_MEMSET((unsigned char *)w + sizeof w->def, 0, sizeof *w - sizeof w->def);
    w->body_end = 1;
    w->bodies[0].generation = 1;
    w->bodies[0].kind = NSC_STATIC_BODY;
    w->bodies[0].orientation.w = 1;
    w->report.solver.worst_block = -1;
    w->steady = 1;
}

NSC_API int nsci_world_init(nsc_world *w, const nsc_world_def *def, size_t size, uint32_t config)
{
    int code;
    if (size != sizeof(nsc_world) || config != NSCI_CONFIG_WORD)
        return NSC_ERR_CONFIG;
    if (!w)
        return NSC_ERR_ARGUMENT;
    code = nsci_check_world_def(&w->note, def);
    if (code < 0)
        return code;
    NSC_MEMCPY(&w->def, def, sizeof w->def);
    nsci_make_empty(w);
    return NSC_OK;
}

/* Least principal moment of a symmetric matrix, by bisection to a part in a million of its largest
   entries; only for refusals. */
static nsc_real nsci_least_moment(const nsc_real *I)
{
    nsc_real lo = 0, hi, middle, shifted[6], inverse[6];
    int i, k;
    for (i = 0; i < 6; i++)
        lo -= nsci_abs(I[i]) + nsci_abs(I[i]);
    hi = -lo;
    for (k = 0; k < 22; k++) {
        middle = NSC_R(0.5) * (lo + hi);
        for (i = 0; i < 6; i++)
            shifted[i] = i < 3 ? I[i] - middle : I[i];
        if (nsci_sym_inverse(shifted, inverse))
            lo = middle;
        else
            hi = middle;
    }
    return NSC_R(0.5) * (lo + hi);
}

/* Check that I is positive definite and physically possible: tr/2 - I positive semidefinite. */
static int nsci_check_inertia(nsci_why *note, const nsc_real *I)
{
    nsc_real inverse[6], rest[6], half, slack;
    int i;
    if (!nsci_all_finite(I, 6))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_INDEFINITE, I[0] + I[1] + I[2]);
    if (!nsci_sym_inverse(I, inverse))
        return nsci_refused(note, NSC_ERR_INERTIA, NSCI_INDEFINITE, nsci_least_moment(I));
    half = NSC_R(0.5) * (I[0] + I[1] + I[2]);
    slack = NSC_R(1e-4) * half;
    for (i = 0; i < 6; i++)
        rest[i] = i < 3 ? half - I[i] + slack : -I[i];
    if (nsci_sym_inverse(rest, inverse))
        return NSC_OK;
    return nsci_refused(note, NSC_ERR_INERTIA, NSCI_TRIANGLE_RULE,
                        2 * (slack - nsci_least_moment(rest)));
}

/* Refuse a centre of mass whose position or velocity in the world is not finite. */
NSCI_ONE_COPY int nsci_refuse_centre(nsci_why *note, nsc_vec3 c)
{
    return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_FAR,
                        nsci_abs(c.x) + nsci_abs(c.y) + nsci_abs(c.z));
}

/* World position of the centre of mass of a body in this pose; unit: its orientation, which may be
   normalised */
static nsc_vec3 nsci_centre_at(const nsc_pose *pose, nsc_quat unit, nsc_vec3 centre)
{
    return nsci_add(pose->position, nsci_rotate(unit, centre));
}

static int nsci_check_body_def(nsci_why *note, const nsc_body_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_body_def_kind, NSCI_nsc_body_def_mass);
    if (code < 0)
        return code;
    if (d->particle && (d->kind != NSC_DYNAMIC_BODY || d->mass <= 0))
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_PARTICLE, d->mass);
    if (d->mass <= 0)
        return NSC_OK;
    if (!nsci_finite(1 / d->mass))
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_LIGHT, d->mass);
    code = nsci_check_members(note, d, NSCI_nsc_body_def_centre,
                              NSCI_nsc_body_def_inertia - d->particle);
    if (code < 0)
        return code;
    if (!nsci_vec_finite(nsci_centre_at(&d->pose, d->pose.orientation, d->centre)))
        return nsci_refuse_centre(note, d->centre);
    return d->particle ? NSC_OK : nsci_check_inertia(note, d->inertia);
}

/* Set the mass of a body.  Its frame stays; position and velocity become those of the new centre.
   inertia NULL: the body keeps its own.  Returns 0, with nothing changed, if position or velocity
   would not be finite. */
static int nsci_set_mass(nsc_body *b, nsc_real mass, nsc_vec3 centre, const nsc_real *inertia)
{
    nsc_vec3 shift = nsci_rotate(b->orientation, nsci_sub(centre, b->centre));
    nsc_vec3 position = nsci_add(b->position, shift);
    nsc_vec3 velocity = nsci_add(b->velocity, nsci_cross(b->angular_velocity, shift));
    if (!nsci_vec_finite(position) || !nsci_vec_finite(velocity))
        return 0;
    b->position = position;
    NSCI_IF(NSC_FAR, b->rest = nsci_vec(0, 0, 0);)
    b->velocity = velocity;
    b->centre = centre;
    b->mass = mass;
    b->inv_mass = mass > 0 ? 1 / mass : 0;
    if (inertia)
        NSC_MEMCPY(b->inertia, inertia, sizeof b->inertia);
    if (!nsci_sym_inverse(b->inertia, b->inv_inertia))
        NSC_MEMSET(b->inv_inertia, 0, sizeof b->inv_inertia);
    return 1;
}

/* Make a body of a slot.  The definition is checked. */
NSCI_ONE_COPY void nsci_make_body(nsc_body *b, const nsc_body_def *def)
{
    uint16_t generation = (uint16_t)(b->generation + 1);
    nsci_clear(b, sizeof *b);
    b->generation = generation;
    b->kind = (uint16_t)def->kind;
    b->position = def->pose.position;
    b->orientation = nsci_quat_normalise(def->pose.orientation);
    b->gravity_scale = def->gravity_scale;
    if (def->kind == NSC_DYNAMIC_BODY && def->mass > 0) {
        nsci_set_mass(b, def->mass, def->centre, def->particle ? NULL : def->inertia);
        b->mass_given = 1;
        b->particle = (uint8_t)def->particle;
    }
    if (def->kind != NSC_STATIC_BODY)
        b->velocity = def->velocity;
    if (def->kind != NSC_STATIC_BODY && !def->particle)
        b->angular_velocity = def->angular_velocity;
    nsci_take_locks(b, def);
    NSCI_IF(NSC_WORDS, b->user = def->user;)
}

NSC_API nsc_id nsc_world_add_body(nsc_world *w, const nsc_body_def *def)
{
    int i, code = nsci_enter(w);
    if (code == NSC_OK)
        code = nsci_check_body_def(&w->note, def);
    if (code < 0)
        return code;
    i = nsci_free_slot(w, NSCI_BODY_HANDLE);
    if (i >= NSC_MAX_BODIES)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_BODIES, (nsc_real)NSC_MAX_BODIES);
    nsci_make_body(&w->bodies[i], def);
    w->island[i] = NSCI_NOWHERE;
    if (i >= w->body_end)
        w->body_end = i + 1;
    nsci_forget_rates(w);
    return nsci_body_handle(w, i);
}

/* ---- sleep */

NSCI_ONE_COPY void nsci_wake(nsc_body *b)
{
    b->asleep = 0;
    b->still = 0;
}

/* Copy a body's motion to m, or back. */
NSC_MAYBE_UNUSED static void nsci_hold_body(nsci_start *m, nsc_body *b, int back)
{
    if (back) {
        b->position = m->position;
        NSCI_IF(NSC_FAR, b->rest = m->rest;)
        b->orientation = m->orientation;
        b->velocity = m->velocity;
        b->angular_velocity = m->angular_velocity;
    } else {
        m->position = b->position;
        NSCI_IF(NSC_FAR, m->rest = b->rest;)
        m->orientation = b->orientation;
        m->velocity = b->velocity;
        m->angular_velocity = b->angular_velocity;
    }
}

static void nsci_wake_all(nsc_world *w)
{
    int i;
    for (i = 0; i < w->body_end; i++)
        nsci_wake(&w->bodies[i]);
}

static void nsci_free_manifolds(nsc_world *w);

/* Is it a contact of the body or the shape?  Either may be -1: none. */
static int nsci_is_of(const nsc_contact *c, nsc_id body, nsc_id shape)
{
    if (body >= 0 && (c->body_a == body || c->body_b == body))
        return 1;
    return shape >= 0 && (c->shape_a == shape || c->shape_b == shape);
}

/* Keep contact i of a list as its `kept`-th; returns how many are kept then. */
static int nsci_keep(nsc_contact *list, int kept, int i)
{
    if (kept != i)
        NSC_MEMCPY(&list[kept], &list[i], sizeof *list);
    return kept + 1;
}

/* Take contacts of a body or shape out of a list; the others keep their order. */
static int nsci_drop_contacts(nsc_contact *list, int count, nsc_id body, nsc_id shape)
{
    int i, kept = 0;
    for (i = 0; i < count; i++)
        if (!nsci_is_of(&list[i], body, shape))
            kept = nsci_keep(list, kept, i);
    return kept;
}

/* Wake the bodies in the contacts of a body or shape. */
static void nsci_wake_touching(nsc_world *w, nsc_id body, nsc_id shape)
{
    int i;
    for (i = 0; i < w->contact_count; i++) {
        const nsc_contact *c = &w->contacts[i];
        if (!nsci_is_of(c, body, shape))
            continue;
        nsci_wake(&w->bodies[nsci_body_of(w, c->body_a)]);
        nsci_wake(&w->bodies[nsci_body_of(w, c->body_b)]);
    }
}

/* Drop the contacts of a body or shape, and wake the bodies in them. */
static void nsci_forget_contacts(nsc_world *w, nsc_id body, nsc_id shape)
{
    nsci_wake_touching(w, body, shape);
    w->contact_count = nsci_drop_contacts(w->contacts, w->contact_count, body, shape);
    w->found_count = nsci_drop_contacts(w->found, w->found_count, body, shape);
    nsci_free_manifolds(w);
}

static void nsci_free_shape(nsc_world *w, int i)
{
    w->shapes[i].generation++;
    w->shape_end = nsci_new_end(w, NSCI_SHAPE_HANDLE);
}

/* ---- >>shapes -------------------------------------------------------------------------------- */

/* x, y, z: its half extents [m] */
static nsc_shape_def nsci_shape_def(int kind, nsc_real radius, nsc_real x, nsc_real y, nsc_real z)
{
    nsc_shape_def d;
    nsci_clear(&d, sizeof d);
    d.kind = kind;
    d.category = 1;
    d.mask = UINT32_C(0xffffffff);
    d.pose.orientation.w = 1;
    d.radius = radius;
    d.half = nsci_vec(x, y, z);
    d.density = 1000;
    d.friction = NSC_R(0.5);
    d.young = NSC_R(2e5);
    d.poisson = NSC_R(0.3);
    return d;
}

NSC_API nsc_shape_def nsc_default_sphere_def(nsc_real radius)
{
    return nsci_shape_def(NSC_SHAPE_SPHERE, radius, 0, 0, 0);
}

NSC_API nsc_shape_def nsc_default_capsule_def(nsc_real radius, nsc_real half_length)
{
    return nsci_shape_def(NSC_SHAPE_CAPSULE, radius, 0, 0, half_length);
}

NSC_API nsc_shape_def nsc_default_box_def(nsc_real half_x, nsc_real half_y, nsc_real half_z)
{
    return nsci_shape_def(NSC_SHAPE_BOX, 0, half_x, half_y, half_z);
}

NSC_API nsc_shape_def nsc_default_half_space_def(void)
{
    return nsci_shape_def(NSC_SHAPE_HALF_SPACE, 0, 0, 0, 0);
}

/* Refuse a size of 0 or less among those that the kind has; all are finite. */
static int nsci_check_sizes(nsci_why *note, const nsc_shape_def *d)
{
    const nsc_real sizes[] = {d->radius, d->half.z, d->half.x, d->half.y};
    int box = d->kind == NSC_SHAPE_BOX;
    int end = box ? 4 : d->kind == NSC_SHAPE_SPHERE ? 1 : 2;
    int i;
    for (i = box; i < end && d->kind <= NSC_SHAPE_BOX; i++)
        if (sizes[i] <= 0)
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_RADIUS + i, sizes[i]);
    return NSC_OK;
}

static int nsci_check_shape_def(nsci_why *note, const nsc_shape_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_shape_def_kind, NSCI_nsc_shape_def_cohesion);
    if (code < 0)
        return code;
    if (!NSC_CONVEX && d->kind == NSC_SHAPE_CYLINDER)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_CYLINDER, (nsc_real)d->kind);
    NSCI_UNLESS(NSC_SMOOTH, if (d->cohesion > 0)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_COHESION, d->cohesion);)
    if (NSC_MAX_ROLLING == 0 && (d->rolling > 0 || d->torsion > 0))
        return nsci_refused(note, NSC_ERR_CAPACITY, NSCI_FULL_ROLLING, 0);
    return nsci_check_sizes(note, d);
}

/* I += m (|r|^2 1 - r r^T), the parallel axis theorem */
static void nsci_add_offset(nsc_real *I, nsc_real m, nsc_vec3 r)
{
    I[0] += m * (r.y * r.y + r.z * r.z);
    I[1] += m * (r.x * r.x + r.z * r.z);
    I[2] += m * (r.x * r.x + r.y * r.y);
    I[3] -= m * r.x * r.y;
    I[4] -= m * r.x * r.z;
    I[5] -= m * r.y * r.z;
}

/* Mass of a shape [kg], 0 for kinds without volume; centre in its frame, inertia about that, along
   its axes [kg m^2] */
static nsc_real nsci_mass_of_shape(const nsc_world *w, const nsc_shape *s, nsc_vec3 *centre,
                                   nsc_real *I)
{
    const nsc_shape_def *d = &s->def;
    nsc_real r2 = d->radius * d->radius;
    nsc_real L = d->kind == NSC_SHAPE_SPHERE ? 0 : 2 * d->half.z;
    nsc_real m, ball, rod;
    (void)w;
    *centre = nsci_vec(0, 0, 0);
    nsci_clear(I, 6 * sizeof *I);
    switch (d->kind) {
    case NSC_SHAPE_BOX: /* as eight points in its corners, of m / 24 each */
        m = d->density * 8 * d->half.x * d->half.y * d->half.z;
        nsci_add_offset(I, m / 3, d->half);
        I[3] = I[4] = I[5] = 0;
        return m;
    case NSC_SHAPE_SPHERE:
    case NSC_SHAPE_CAPSULE:
        ball = d->density * NSCI_PI * NSC_R(4.0) / 3 * r2 * d->radius;
        rod = d->density * NSCI_PI * r2 * L;
        I[2] = NSC_R(0.4) * ball * r2 + NSC_R(0.5) * rod * r2;
        I[0] = ball * (NSC_R(0.4) * r2 + L * L / 4 + NSC_R(0.375) * L * d->radius) +
               rod * (L * L / 12 + r2 / 4);
        if (d->kind == NSC_SHAPE_SPHERE)
            I[0] = I[2]; /* equal to the last bit, for nsci_is_ball */
        I[1] = I[0];
        return ball + rod;
    case NSC_SHAPE_CYLINDER: return nsci_cylinder_mass(d, I);
    case NSC_SHAPE_HULL: return nsci_hull_mass(w, s, centre, I);
    default: return 0;
    }
}

/* Sum the shapes of a body into its centre and inertia; returns its mass. */
static nsc_real nsci_mass_of_shapes(const nsc_world *w, int body, nsc_vec3 *centre,
                                    nsc_real *inertia)
{
    nsc_real m, own[6], turned[6];
    nsc_real mass = 0;
    nsc_vec3 middle;
    nsci_mat3 R;
    int pass, s, i;
    *centre = nsci_vec(0, 0, 0);
    nsci_clear(inertia, 6 * sizeof *inertia);
    for (pass = 0; pass < 2; pass++) {
        for (s = 0; s < w->shape_end; s++) {
            const nsc_shape *shape = &w->shapes[s];
            if (shape->generation % 2 == 0 || shape->body != body)
                continue;
            m = nsci_mass_of_shape(w, shape, &middle, own);
            R = nsci_rotation(shape->def.pose.orientation);
            middle = nsci_add(shape->def.pose.position, nsci_mul_mv(&R, middle));
            if (pass == 0) {
                mass += m;
                *centre = nsci_add_sv(*centre, m, middle);
                continue;
            }
            nsci_sym_rotate(&R, own, turned);
            for (i = 0; i < 6; i++)
                inertia[i] += turned[i];
            nsci_add_offset(inertia, m, nsci_sub(middle, *centre));
        }
        if (!(mass > 0))
            break;
        if (pass == 0)
            *centre = nsci_mul_sv(1 / mass, *centre);
    }
    return mass;
}

/* Update a body's mass after a change of its shapes.  Refused, with nothing changed, if the sum is
   no possible mass, or its centre's position or velocity is not finite. */
static int nsci_update_mass(nsc_world *w, int body)
{
    nsc_real mass, inertia[6];
    nsc_vec3 centre;
    nsc_body *b = &w->bodies[body];
    int code;
    if (b->kind != NSC_DYNAMIC_BODY)
        return NSC_OK;
    if (b->mass_given) {
        nsci_wake(b);
        return NSC_OK;
    }
    mass = nsci_mass_of_shapes(w, body, &centre, inertia);
    if (!(mass > 0) && nsci_finite(mass))
        centre = b->centre;
    else if (!nsci_finite(mass) || !nsci_finite(1 / mass))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_HEAVY, mass);
    else if ((code = nsci_check_inertia(&w->note, inertia)) < 0)
        return code;
    if (!nsci_set_mass(b, mass, centre, inertia))
        return nsci_refuse_centre(&w->note, centre);
    nsci_wake(b);
    return NSC_OK;
}

static void nsci_wake_near(nsc_world *w, int shape);

/* Fix a checked shape, whose hull or field is in slot `data`, to a body. */
static nsc_id nsci_add_shape(nsc_world *w, int body, const nsc_shape_def *def, int data)
{
    int i = nsci_free_slot(w, NSCI_SHAPE_HANDLE);
    int end = w->shape_end, code;
    nsc_shape *own, before;
    if (i >= NSC_MAX_SHAPES)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_SHAPES, (nsc_real)NSC_MAX_SHAPES);
    own = &w->shapes[i];
    NSC_MEMCPY(&before, own, sizeof before);
    own->generation++;
    own->body = (uint16_t)body;
    own->data = (uint16_t)data;
    NSC_MEMCPY(&own->def, def, sizeof *def);
    own->def.pose.orientation = nsci_quat_normalise(def->pose.orientation);
    if (i >= end)
        w->shape_end = i + 1;
    code = nsci_update_mass(w, body);
    if (code == NSC_OK) {
        nsci_forget_rates(w);
        if (w->bodies[body].kind != NSC_DYNAMIC_BODY)
            nsci_wake_near(w, i);
        return nsci_id_at(w, NSCI_SHAPE_HANDLE, i);
    }
    NSC_MEMCPY(own, &before, sizeof before);
    w->shape_end = end;
    return code;
}

enum { NSCI_NO_DATA = 0 }; /* instead of a kind: any that needs no vertices, heights or table */

/* Check a new shape of a kind.  Returns the index of its body, or the refusal. */
static int nsci_check_new_shape(nsc_world *w, nsc_id body, const nsc_shape_def *def, int kind)
{
    int b = nsci_enter(w), code, right;
    if (b < 0)
        return b;
    b = nsci_find(w, NSCI_BODY_HANDLE, body);
    if (b < 0)
        return nsci_refused(&w->note, b, NSCI_BAD_BODY, nsci_told(body));
    code = nsci_check_shape_def(&w->note, def);
    if (code < 0)
        return code;
    right = def->kind == kind;
    if (kind == NSCI_NO_DATA)
        right = def->kind <= NSC_SHAPE_HALF_SPACE && def->kind != NSC_SHAPE_HULL;
    if (right && (def->kind < NSC_SHAPE_HALF_SPACE || w->bodies[b].kind != NSC_DYNAMIC_BODY))
        return b;
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_WRONG_SHAPE, (nsc_real)def->kind);
}

NSC_API nsc_id nsc_world_add_shape(nsc_world *w, nsc_id body, const nsc_shape_def *def)
{
    int b = nsci_check_new_shape(w, body, def, NSCI_NO_DATA);
    return b < 0 ? b : nsci_add_shape(w, b, def, 0);
}

NSC_API int nsc_world_remove_shape(nsc_world *w, nsc_id id)
{
    int i = nsci_change(w, NSCI_SHAPE_HANDLE, id);
    int code;
    if (i < 0)
        return i;
    w->shapes[i].generation++; /* update the mass first, without the shape: this may be refused */
    code = nsci_update_mass(w, w->shapes[i].body);
    w->shapes[i].generation--;
    if (code < 0)
        return code;
    nsci_forget_contacts(w, -1, id);
    nsci_free_shape(w, i);
    nsci_forget_rates(w);
    return NSC_OK;
}

NSC_API int nsc_shape_get_def(const nsc_world *w, nsc_id id, nsc_shape_def *def)
{
    int i = def ? nsci_find(w, NSCI_SHAPE_HANDLE, id) : NSC_ERR_ARGUMENT;
    if (i < 0)
        return i;
    NSC_MEMCPY(def, &w->shapes[i].def, sizeof *def);
    return NSC_OK;
}

/* Are they equal?  NaN never is. */
static int nsci_same_reals(const nsc_real *a, const nsc_real *b, int n)
{
    int i = 0;
    while (i < n && a[i] >= b[i] && a[i] <= b[i])
        i++;
    return i == n;
}

/* Do two definitions agree in all that shape and mass depend on? */
static int nsci_same_body_part(const nsc_shape_def *a, const nsc_shape_def *b)
{
    return a->kind == b->kind && nsci_same_reals(&a->pose.position.x, &b->pose.position.x, 3) &&
           nsci_same_reals(&a->pose.orientation.w, &b->pose.orientation.w, 4) &&
           nsci_same_reals(&a->half.x, &b->half.x, 3) &&
           nsci_same_reals(&a->radius, &b->radius, 1) &&
           nsci_same_reals(&a->density, &b->density, 1) &&
           nsci_same_reals(&a->stiffness, &b->stiffness, 1) &&
           nsci_same_reals(&a->damping, &b->damping, 1);
}

NSC_API int nsc_shape_set_def(nsc_world *w, nsc_id id, const nsc_shape_def *def)
{
    int i = nsci_change(w, NSCI_SHAPE_HANDLE, id);
    int code;
    nsc_shape_def *own;
    if (i < 0)
        return i;
    code = nsci_check_shape_def(&w->note, def);
    if (code < 0)
        return code;
    own = &w->shapes[i].def;
    if (!nsci_same_body_part(own, def))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_FIXED_PART, 0);
    nsci_wake_for_belt(w, own, def);
    NSC_MEMCPY(own, def, sizeof *own);
    nsci_forget_rates(w);
    return NSC_OK;
}

/* ---- >>narrow --------------------------------------------------------------------------------
   Contact points of two shapes: capsules and boxes against each other and against half-spaces; a
   sphere is a capsule without length.  Ericson, Real-Time Collision Detection, chapters 4-5;
   Gottschalk 1996 for the separating axes.
   Every tolerance is relative to the shapes' size. */

enum { NSCI_TRIANGLE = NSCI_LAST_SHAPE + 1 }; /* nsci_geom.kind of a triangle */

/* Index of the axis after axis i, in turn; a macro, as the proof follows i within an expression */
#define NSCI_AXIS_AFTER(i) ((i) < 2 ? (i) + 1 : 0)

/* Add a contact midway across the gap, which begins at `from` on a, unless gap > distance.  Returns
   the count. */
static int nsci_put(nsci_point *out, int n, nsc_vec3 from, nsc_vec3 normal, nsc_real gap,
                    nsc_real distance, uint32_t feature)
{
    if (gap > distance)
        return n;
    out[n].point = nsci_add_sv(from, NSC_R(0.5) * gap, normal);
    out[n].normal = normal;
    out[n].gap = gap;
    out[n].feature = feature;
    return n + 1;
}

/* World position of point q of the shape's frame */
static nsc_vec3 nsci_local_point(const nsci_geom *g, const nsc_real *q)
{
    return nsci_add(g->centre, nsci_mul_mv(&g->axes, nsci_vec_at(q)));
}

static nsc_real nsci_half_diagonal(const nsci_geom *g)
{
    return nsci_norm(nsci_vec_at(g->half));
}

/* Point of a core segment, t in -1..1 */
static nsc_vec3 nsci_core(const nsci_geom *g, nsc_real t)
{
    return nsci_add_sv(g->centre, t * g->half[2], g->axes.c[2]);
}

/* Where a point is along the third axis of a shape: above a half-space, along a core [m] */
static nsc_real nsci_height(const nsci_geom *g, nsc_vec3 p)
{
    return nsci_dot3(nsci_sub(p, g->centre), g->axes.c[2]);
}

/* Sphere or capsule a on half-space b: one point for each end of the core */
static int nsci_round_plane(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                            nsci_point *out)
{
    nsc_vec3 down = nsci_neg(b->axes.c[2]);
    int end, n = 0;
    for (end = 0; end < (a->half[2] > 0 ? 2 : 1); end++) {
        nsc_vec3 p = nsci_core(a, end ? 1 : -1);
        nsc_real gap = nsci_height(b, p) - a->radius;
        n = nsci_put(out, n, nsci_add_sv(p, a->radius, down), down, gap, distance, (uint32_t)end);
    }
    return n;
}

/* Where two segments p + s x, q + t y, |s|, |t| <= 1, are nearest (Ericson 5.1.9) */
static void nsci_nearest(nsc_vec3 p, nsc_vec3 x, nsc_vec3 q, nsc_vec3 y, nsc_real *s, nsc_real *t)
{
    nsc_vec3 r = nsci_sub(p, q);
    nsc_real a = nsci_dot3(x, x);
    nsc_real e = nsci_dot3(y, y);
    nsc_real b = nsci_dot3(x, y);
    nsc_real c = nsci_dot3(x, r);
    nsc_real f = nsci_dot3(y, r);
    nsc_real det = a * e - b * b;
    *s = det > NSC_R(1e-6) * a * e ? nsci_clamp((b * f - c * e) / det, -1, 1) : 0;
    *t = e > 0 ? nsci_clamp((b * *s + f) / e, -1, 1) : 0;
    *s = a > 0 ? nsci_clamp((b * *t - c) / a, -1, 1) : 0;
}

/* Add the contact of the points s and t (-1..1) of two core segments. */
static int nsci_put_round(const nsci_geom *a, const nsci_geom *b, nsc_real s, nsc_real t,
                          nsc_real distance, uint32_t feature, nsci_point *out, int n)
{
    nsc_vec3 p = nsci_core(a, s);
    nsc_vec3 q = nsci_core(b, t);
    nsc_vec3 d = nsci_sub(q, p);
    nsc_vec3 normal;
    nsc_real length = nsci_norm(d);
    nsc_real gap = length - a->radius - b->radius;
    if (gap > distance)
        return n;
    if (length > 16 * NSC_REAL_EPS * (a->half[2] + b->half[2] + nsci_norm(a->centre)))
        normal = nsci_mul_sv(1 / length, d);
    else
        normal = nsci_unit(nsci_cross(a->axes.c[2], b->axes.c[2]), a->axes.c[0]);
    return nsci_put(out, n, nsci_add_sv(p, a->radius, normal), normal, gap, distance, feature);
}

/* Two spheres or capsules: where the cores are parallel to 1.8 degrees, the ends of their common
   part, else the nearest points */
NSCI_OWN_FRAME int nsci_round_round(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                                    nsci_point *out)
{
    nsc_vec3 x = nsci_mul_sv(a->half[2], a->axes.c[2]);
    nsc_vec3 y = nsci_mul_sv(b->half[2], b->axes.c[2]);
    nsc_real s, t;
    nsc_real cosine = nsci_dot3(a->axes.c[2], b->axes.c[2]);
    nsc_real along, lo, hi, e;
    int n = 0, i, end;
    if (a->half[2] > 0 && b->half[2] > 0 && cosine * cosine > NSC_R(0.999)) {
        along = nsci_height(a, b->centre);
        e = b->half[2] * nsci_abs(cosine);
        lo = nsci_max(-a->half[2], along - e);
        hi = nsci_min(a->half[2], along + e);
        if (hi - lo > NSC_R(1e-3) * a->half[2]) {
            for (i = 0; i < 2; i++) {
                s = (i ? hi : lo) / a->half[2];
                t = nsci_clamp(nsci_height(b, nsci_core(a, s)) / b->half[2], -1, 1);
                n = nsci_put_round(a, b, s, t, distance, (uint32_t)i, out, n);
            }
        }
    }
    nsci_nearest(a->centre, x, b->centre, y, &s, &t);
    end = nsci_put_round(a, b, s, t, distance, 2, out, n);
    /* Between two ends the nearest point counts only where the cores cross. */
    e = b->radius > 0 ? nsci_min(a->radius, b->radius) : a->radius;
    for (i = 0; i < n && end > n; i++)
        if (out[i].gap <= out[n].gap + NSC_R(1e-4) * e)
            return n;
    return end;
}

/* A core segment p + t d, |t| <= 1, in the frame of a box */
typedef struct nsci_segment { nsc_real p[3], d[3]; } nsci_segment;

/* The segment along axis k of a shape, through its centre, in the frame of a box */
static nsci_segment nsci_segment_by(const nsci_geom *box, const nsci_geom *g, int k)
{
    nsci_segment s;
    nsci_put_vec(s.p, nsci_mul_mtv(&box->axes, nsci_sub(g->centre, box->centre)));
    nsci_put_vec(s.d, nsci_mul_sv(g->half[k], nsci_mul_mtv(&box->axes, g->axes.c[k])));
    return s;
}

/* e: from the segment's point at t to the nearest of the box.  Returns the slope at t of half its
   squared length, -e . d */
static nsc_real nsci_to_box(const nsci_segment *s, nsc_real t, const nsc_real *half, nsc_real *e)
{
    nsc_real slope = 0;
    int i;
    for (i = 0; i < 3; i++) {
        nsc_real x = s->p[i] + t * s->d[i];
        e[i] = nsci_clamp(x, -half[i], half[i]) - x;
        slope -= e[i] * s->d[i];
    }
    return slope;
}

/* Parameter where the segment is nearest to the box.  The slope never falls and is linear between
   the planes of the faces: narrow the bracket at those, then interpolate. */
static nsc_real nsci_nearest_to_box(const nsci_segment *s, const nsc_real *half)
{
    nsc_real e[3];
    nsc_real lo = -1;
    nsc_real hi = 1;
    nsc_real g_lo = nsci_to_box(s, lo, half, e);
    nsc_real g_hi = nsci_to_box(s, hi, half, e);
    int i;
    if (g_lo >= 0)
        return lo;
    if (g_hi <= 0)
        return hi;
    for (i = 0; i < 6; i++) {
        nsc_real d = s->d[i % 3];
        nsc_real t, g;
        if (nsci_abs(d) <= 0)
            continue;
        t = ((i < 3 ? half[i % 3] : -half[i % 3]) - s->p[i % 3]) / d;
        if (!(t > lo && t < hi))
            continue;
        g = nsci_to_box(s, t, half, e);
        if (g <= 0) {
            lo = t;
            g_lo = g;
        } else {
            hi = t;
            g_hi = g;
        }
    }
    return g_hi - g_lo > 0 ? lo - g_lo * (hi - lo) / (g_hi - g_lo) : lo;
}

/* Face 2 i + (1 if positive) of the box through which the segment is pushed out the shortest, by
   *depth; -1 if it is shorter by `clear` across the segment and an edge, along *across */
static int nsci_shallowest_face(const nsci_segment *s, const nsc_real *half, nsc_real clear,
                                nsc_vec3 *across, nsc_real *depth)
{
    int i, face = 0;
    *depth = NSC_REAL_MAX;
    for (i = 0; i < 6; i++) {
        nsc_real out = half[i / 2] - (i % 2 ? s->p[i / 2] : -s->p[i / 2]) + nsci_abs(s->d[i / 2]);
        if (out < *depth) {
            *depth = out;
            face = i;
        }
    }
    for (i = 0; i < 3; i++) {
        int j = NSCI_AXIS_AFTER(i);
        int k = 3 - i - j;
        nsc_real y = s->d[k];
        nsc_real z = -s->d[j];
        nsc_real length = NSC_SQRT(y * y + z * z);
        nsc_real along = y * s->p[j] + z * s->p[k];
        nsc_real out = half[j] * nsci_abs(y) + half[k] * nsci_abs(z) - nsci_abs(along);
        if (!(out < (*depth - clear) * length))
            continue;
        *depth = out / length;
        length = along < 0 ? -length : length;
        (&across->x)[i] = 0;
        (&across->x)[j] = y / length;
        (&across->x)[k] = z / length;
        face = -1;
    }
    return face;
}

/* Capsule a over a face of box b: the core's ends, clipped to the face and a rim about it */
NSCI_OWN_FRAME int nsci_round_face(const nsci_geom *a, const nsci_geom *b, const nsci_segment *core,
                                   int face, nsc_real rim, nsc_real nearest, nsc_real distance,
                                   nsci_point *out)
{
    nsc_real lo = -1;
    nsc_real hi = 1;
    nsc_real sign = face % 2 ? 1 : -1;
    nsc_vec3 normal = nsci_mul_sv(-sign, b->axes.c[face / 2]);
    int i, end, n = 0;
    for (i = 0; i < 3; i++) {
        nsc_real t, s;
        if (i == face / 2 || nsci_abs(core->d[i]) <= 0)
            continue;
        t = (-b->half[i] - rim - core->p[i]) / core->d[i];
        s = (b->half[i] + rim - core->p[i]) / core->d[i];
        lo = nsci_max(lo, nsci_min(t, s));
        hi = nsci_min(hi, nsci_max(t, s));
    }
    /* The nearest point counts as over the face, though it may lie a little beyond its rim. */
    if (!(a->half[2] * (hi - lo) > NSC_R(1e-3) * a->radius))
        lo = hi = nearest;
    lo = nsci_min(lo, nearest);
    hi = nsci_max(hi, nearest);
    for (end = 0; end < (hi > lo ? 2 : 1); end++) {
        nsc_real t = end ? hi : lo;
        nsc_real height = sign * (core->p[face / 2] + t * core->d[face / 2]);
        nsc_vec3 surface = nsci_add_sv(nsci_core(a, t), a->radius, normal);
        n = nsci_put(out, n, surface, normal, height - b->half[face / 2] - a->radius, distance,
                     (uint32_t)(2 * face + end));
    }
    return n;
}

/* Capsule a along an edge of box b, with axis k and in direction e: as beside a capsule that has no
   radius */
static int nsci_round_edge(const nsci_geom *a, const nsci_geom *b, int k, const nsc_real *e,
                           nsc_real distance, nsci_point *out)
{
    nsci_geom edge = *b;
    nsc_real q[3];
    int i;
    for (i = 0; i < 3; i++)
        q[i] = i == k ? 0 : e[i] < 0 ? b->half[i] : -b->half[i];
    edge.centre = nsci_local_point(b, q);
    edge.axes.c[2] = b->axes.c[k];
    edge.half[2] = b->half[k];
    return nsci_round_round(a, &edge, distance, out);
}

/* Sphere or capsule a and box b: over a face or at an edge up to two points, else the nearest */
NSCI_OWN_FRAME int nsci_round_box(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                                  nsci_point *out)
{
    nsci_segment core = nsci_segment_by(b, a, 2);
    nsc_vec3 normal = b->axes.c[0];
    nsc_real size = nsci_half_diagonal(b);
    nsc_real clear = NSC_R(1e-3) * nsci_min(size, a->half[2] + a->radius);
    nsc_real e[3], t, apart;
    uint32_t feature = 12;
    int i, face, k = 0; /* k: axis of the nearest edge */
    t = nsci_nearest_to_box(&core, b->half);
    nsci_to_box(&core, t, b->half, e);
    apart = NSC_SQRT(nsci_dot(e, e, 3));
    if (apart - a->radius > distance)
        return 0;
    if (apart <= 4 * NSC_REAL_EPS * (size + NSC_SQRT(nsci_dot(core.p, core.p, 3)))) {
        face = nsci_shallowest_face(&core, b->half, clear, &normal, &apart);
        if (face >= 0)
            return nsci_round_face(a, b, &core, face, clear, t, distance, out);
        for (i = 0; i < 3; i++)
            core.p[i] += 2 * apart * (&normal.x)[i];
        t = nsci_nearest_to_box(&core, b->half);
        normal = nsci_neg(normal);
        apart = -apart;
        feature = 13;
    } else {
        clear = a->half[2] > 0 ? nsci_min(NSC_R(0.014) * apart, 9 * clear) : 0;
        for (i = 0; i < 3; i++)
            if (e[i] * e[i] >= apart * apart - clear * clear)
                return nsci_round_face(a, b, &core, 2 * i + (e[i] < 0), clear, t, distance, out);
        for (i = 1; i < 3; i++)
            k = nsci_abs(e[i]) < nsci_abs(e[k]) ? i : k;
        if (core.d[k] * core.d[k] > NSC_R(0.999) * nsci_dot(core.d, core.d, 3))
            return nsci_round_edge(a, b, k, e, distance, out);
        normal = nsci_mul_sv(1 / apart, nsci_vec_at(e));
    }
    normal = nsci_mul_mv(&b->axes, normal);
    return nsci_put(out, 0, nsci_add_sv(nsci_core(a, t), a->radius, normal), normal,
                    apart - a->radius, distance, feature);
}

/* Box a on half-space b: the corners of the face that looks down most, the deepest one among them.
   Of a thin plate the upper corners can be deeper than those of this face's far edge. */
NSCI_OWN_FRAME int nsci_box_plane(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                                  nsci_point *out)
{
    nsc_vec3 up = b->axes.c[2];
    nsc_real height = nsci_height(b, a->centre);
    nsc_real n[3], q[3];
    int i, k, kept = 0, face = 0;
    nsci_put_vec(n, nsci_mul_mtv(&a->axes, up));
    for (i = 0; i < 3; i++) {
        height -= nsci_abs(n[i]) * a->half[i];
        if (nsci_abs(n[i]) >= nsci_abs(n[face]))
            face = i;
    }
    if (height > distance)
        return 0;
    for (i = 0; i < 8; i++) {
        nsc_vec3 p;
        if ((i >> face & 1) == (n[face] > 0))
            continue;
        for (k = 0; k < 3; k++)
            q[k] = i >> k & 1 ? a->half[k] : -a->half[k];
        p = nsci_local_point(a, q);
        kept = nsci_put(out, kept, p, nsci_neg(up), nsci_height(b, p), distance, (uint32_t)i);
    }
    return kept;
}

/* Corner of a clipped polygon over the reference face: u, v in the face, w above it [m] */
typedef struct nsci_corner {
    nsc_real at[3]; /* u, v, w */
    uint8_t id;   /* 0..3 corner of the incident face; 16 + 4 edge + plane where an edge was cut */
    uint8_t edge; /* the edge that starts here: 0..3 of the incident face, 4 + plane along a side */
} nsci_corner;

/* Clip by side plane m of the face: u <= hu, -u <= hu, v <= hv, -v <= hv (Sutherland and Hodgman).
   The polygon of n corners moves from c to c - 1, so that none is overwritten before it is read: if
   convex, it has one more at most.  Rounding must not make that two. */
static int nsci_clip(nsci_corner *c, int n, int m, nsc_real bound)
{
    nsci_corner *out = c - 1;
    nsc_real sign = m % 2 ? -1 : 1;
    int i, k, count = 0;
    c[n] = c[0];
    for (i = 0; i < n; i++) {
        const nsci_corner *a = &c[i];
        const nsci_corner *b = &c[i + 1];
        nsc_real da = sign * a->at[m / 2] - bound;
        nsc_real db = sign * b->at[m / 2] - bound;
        nsc_real t;
        uint8_t edge = a->edge;
        if (da <= 0)
            out[count++] = *a;
        if ((da <= 0) == (db <= 0) || count > i + 1)
            continue;
        t = da / (da - db);
        for (k = 0; k < 3; k++)
            out[count].at[k] = a->at[k] + t * (b->at[k] - a->at[k]);
        out[count].id = (uint8_t)(16 + 4 * edge + m);
        out[count].edge = (uint8_t)(da <= 0 ? 4 + m : edge);
        count++;
    }
    return count;
}

/* Keep four corners, in their order: the deepest, the one furthest from it, and those furthest from
   the line through these two, one on either side. */
NSCI_OWN_FRAME int nsci_reduce(nsci_corner *c, int n)
{
    int i, k, kept, pick[4];
    if (n <= NSC_MANIFOLD)
        return n;
    pick[0] = pick[1] = 0;
    for (k = 0; k < 4; k++) {
        const nsc_real *p = c[pick[0]].at;
        const nsc_real *q = c[pick[1]].at;
        nsc_real best = k < 2 ? -NSC_REAL_MAX : 0;
        pick[k] = k < 2 ? 0 : pick[0];
        for (i = 0; i < n; i++) {
            nsc_real u = c[i].at[0] - p[0];
            nsc_real v = c[i].at[1] - p[1];
            nsc_real area = (q[0] - p[0]) * v - (q[1] - p[1]) * u; /* twice that of a triangle */
            nsc_real score = k == 0 ? -c[i].at[2] : k == 1 ? u * u + v * v : k == 2 ? area : -area;
            if (score > best) {
                best = score;
                pick[k] = i;
            }
        }
    }
    for (i = 0, kept = 0; i < n; i++)
        if (i == pick[0] || i == pick[1] || i == pick[2] || i == pick[3])
            c[kept++] = c[i];
    return kept;
}

/* Corners of the face of box b most opposed to face i of a, of this normal, in the latter's frame
   (u, v, w).  Returns 2 axis + (1 if positive) of the former. */
static int nsci_incident_face(const nsci_geom *a, int i, nsc_vec3 normal, const nsci_geom *b,
                              nsci_corner *c)
{
    nsc_real local[3], q[3];
    int i1 = NSCI_AXIS_AFTER(i);
    int i2 = 3 - i - i1;
    int j = 0;
    int j1, j2, k, side;
    for (k = 0; k < 3; k++) {
        local[k] = nsci_dot3(b->axes.c[k], normal);
        if (nsci_abs(local[k]) > nsci_abs(local[j]))
            j = k;
    }
    j1 = NSCI_AXIS_AFTER(j);
    j2 = 3 - j - j1;
    side = local[j] < 0;
    q[j] = side ? b->half[j] : -b->half[j];
    for (k = 0; k < 4; k++) {
        nsc_vec3 p;
        q[j1] = k == 0 || k == 3 ? b->half[j1] : -b->half[j1];
        q[j2] = k < 2 ? b->half[j2] : -b->half[j2];
        p = nsci_sub(nsci_local_point(b, q), a->centre);
        c[k].at[0] = nsci_dot3(p, a->axes.c[i1]);
        c[k].at[1] = nsci_dot3(p, a->axes.c[i2]);
        c[k].at[2] = nsci_dot3(p, normal) - a->half[i];
        c[k].id = c[k].edge = (uint8_t)k;
    }
    return 2 * j + side;
}

/* Reorder four points around a face, so that opposite corners come first and last: sweeps that go
   around and end early twist a body, and stacks creep ten times as far. */
static int nsci_go_across(nsci_point *p, int n)
{
    nsci_point swap;
    if (n < NSC_MANIFOLD)
        return n;
    swap = p[2];
    p[2] = p[3];
    p[3] = swap;
    return n;
}

/* Contacts of box b with face i of the reference box a */
NSCI_OWN_FRAME int nsci_box_face(const nsci_geom *a, const nsci_geom *b, int i, nsc_real distance,
                                 nsci_point *out)
{
    nsci_corner c[9]; /* the last ones at first, see nsci_clip */
    int i1 = NSCI_AXIS_AFTER(i);
    int i2 = 3 - i - i1;
    nsc_vec3 u = a->axes.c[i1];
    nsc_vec3 v = a->axes.c[i2];
    nsc_real sign = nsci_dot3(nsci_sub(b->centre, a->centre), a->axes.c[i]) < 0 ? -1 : 1;
    nsc_vec3 normal = nsci_mul_sv(sign, a->axes.c[i]);
    int k;
    int n = 4;
    int kept = 0;
    int face = nsci_incident_face(a, i, normal, b, c + 4);
    for (k = 0; k < 4 && n > 0; k++)
        n = nsci_clip(c + 4 - k, n, k, a->half[k < 2 ? i1 : i2]);
    for (k = 0; k < n; k++)
        if (c[k].at[2] <= distance)
            c[kept++] = c[k];
    n = nsci_reduce(c, kept);
    for (k = 0, kept = 0; k < n; k++) {
        nsc_vec3 p = nsci_add_sv(nsci_add_sv(a->centre, c[k].at[0], u), c[k].at[1], v);
        p = nsci_add_sv(p, a->half[i], normal);
        kept = nsci_put(out, kept, p, normal, c[k].at[2], distance,
                        (uint32_t)(64 * (12 * i + 6 * (sign > 0) + face) + c[k].id));
    }
    return nsci_go_across(out, kept);
}

/* One contact between edges along axis i of a and j of b, which: 3 i + j; none if these are apart
   by more than gap + small: then a corner is nearest */
NSCI_OWN_FRAME int nsci_box_edges(const nsci_geom *a, const nsci_geom *b, int which, nsc_real gap,
                                  nsc_real small, nsc_real distance, nsci_point *out)
{
    int i = which / 3;
    int j = which % 3;
    nsc_vec3 n = nsci_unit(nsci_cross(a->axes.c[i], b->axes.c[j]), a->axes.c[0]);
    nsc_vec3 p, q, x, y;
    nsc_real s, t, pa[3], pb[3];
    int k, id = 0;
    if (nsci_dot3(nsci_sub(b->centre, a->centre), n) < 0)
        n = nsci_neg(n);
    for (k = 0; k < 3; k++) {
        int up = k != i && nsci_dot3(a->axes.c[k], n) > 0;
        int down = k != j && nsci_dot3(b->axes.c[k], n) < 0;
        pa[k] = k == i ? 0 : up ? a->half[k] : -a->half[k];
        pb[k] = k == j ? 0 : down ? b->half[k] : -b->half[k];
        id |= up << k | down << (3 + k);
    }
    x = nsci_mul_sv(a->half[i], a->axes.c[i]);
    y = nsci_mul_sv(b->half[j], b->axes.c[j]);
    p = nsci_local_point(a, pa);
    q = nsci_local_point(b, pb);
    nsci_nearest(p, x, q, y, &s, &t);
    p = nsci_add_sv(p, s, x);
    q = nsci_add_sv(q, t, y);
    if (gap > 0 && nsci_norm(nsci_sub(q, p)) > gap + small)
        return 0;
    return nsci_put(out, 0, p, n, gap, distance, (uint32_t)(4096 + 64 * which + id));
}

/* How far two boxes are apart along the unit vector n, less than 0 if they overlap */
static nsc_real nsci_boxes_apart(const nsci_geom *a, const nsci_geom *b, nsc_vec3 n)
{
    nsc_real apart = nsci_dot3(nsci_sub(b->centre, a->centre), n);
    int k;
    for (k = 0; k < 3; k++)
        apart -= a->half[k] * nsci_abs(nsci_dot3(a->axes.c[k], n)) +
                 b->half[k] * nsci_abs(nsci_dot3(b->axes.c[k], n));
    return apart;
}

/* One contact at the nearest points of two boxes, found from all edges of a and from four of b that
   have all its corners.  Its normal is the way between these points; of boxes that nearly touch
   this is rounded: if they are not as far apart along it, to `small`, it is made level with an axis
   of either box or with two, whichever separates most. */
NSCI_OWN_FRAME int nsci_box_corner(const nsci_geom *a, const nsci_geom *b, nsc_real small,
                                   nsc_real distance, nsci_point *out)
{
    nsc_real best = NSC_REAL_MAX;
    nsc_real gap = -best;
    nsc_vec3 from = a->centre;
    nsc_vec3 normal = a->axes.c[0];
    nsc_vec3 way = normal;
    nsci_segment halves[3]; /* of the box whose edges are tried, in the frame of the other */
    int i, k;
    for (i = 0; i < 16; i++) {
        const nsci_geom *g = i < 12 ? a : b;
        const nsci_geom *box = i < 12 ? b : a;
        int j = i / 4 % 3;
        int j1 = NSCI_AXIS_AFTER(j);
        int j2 = 3 - j - j1;
        nsci_segment edge;
        nsc_vec3 d;
        nsc_real t, least = 0, e[3], q[3];
        for (k = 0; k < 3 && i % 12 == 0; k++)
            halves[k] = nsci_segment_by(box, g, k);
        q[j1] = i & 1 ? 1 : -1;
        q[j2] = i & 2 ? 1 : -1;
        edge = halves[j];
        for (k = 0; k < 3; k++) {
            edge.p[k] += q[j1] * halves[j1].d[k] + q[j2] * halves[j2].d[k];
            t = nsci_max(nsci_abs(edge.p[k]) - nsci_abs(edge.d[k]) - box->half[k], 0);
            least += t * t;
        }
        if (!(least < best))
            continue;
        t = nsci_nearest_to_box(&edge, box->half);
        nsci_to_box(&edge, t, box->half, e);
        if (!(nsci_dot(e, e, 3) < best))
            continue;
        best = nsci_dot(e, e, 3);
        q[j] = t;
        for (k = 0; k < 3; k++)
            q[k] *= g->half[k];
        d = nsci_mul_mv(&box->axes, nsci_vec_at(e));
        from = nsci_local_point(g, q);
        from = i < 12 ? from : nsci_add(from, d);
        way = i < 12 ? d : nsci_neg(d);
    }
    best = NSC_SQRT(best);
    for (i = 36; i >= 0 && best > gap + small; i--) {
        nsc_vec3 u = (i < 18 ? a : b)->axes.c[i / 6 % 3];
        nsc_vec3 v = (i % 6 < 3 ? a : b)->axes.c[i % 3];
        nsc_vec3 n = i < 36 ? nsci_cross(u, i % 7 ? v : nsci_cross(way, u)) : way;
        nsc_real apart;
        n = nsci_unit(n, normal);
        apart = nsci_boxes_apart(a, b, n);
        if (apart > gap) {
            gap = apart;
            normal = n;
        }
    }
    return nsci_put(out, 0, from, normal, gap, distance, 4096 + 64 * 9);
}

/* Separation along a face normal of a box of half extent `half` there.  along: from its centre to
   that of the other box, of half extents q; the normal's cosines with the latter's axes are
   cosine[0], [step], [2 step]. */
static nsc_real nsci_face_gap(nsc_real along, nsc_real half, const nsc_real *q,
                              const nsc_real *cosine, int step)
{
    nsc_real reach = q[0] * nsci_abs(cosine[0]) + q[1] * nsci_abs(cosine[step]);
    return nsci_abs(along) - half - (reach + q[2] * nsci_abs(cosine[2 * step]));
}

/* Separating axes: 3 + 3 face normals, 9 cross products.  Returns which of the 15 separates most,
   or -1 if one does by more than the distance; b's faces must win by more than rounding, and edges
   clearly over faces, so that the choice does not flicker.  The cosines between the axes of a and b
   give all separations (Gottschalk et al. 1996), and the length of a_i x b_j.  *gap: the
   separation */
NSCI_OWN_FRAME int nsci_separate(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                                 nsc_real *gap)
{
    nsc_real size_a = nsci_half_diagonal(a);
    nsc_real size_b = nsci_half_diagonal(b);
    nsc_real clear = NSC_R(1e-3) * nsci_min(size_a, size_b);
    nsc_real best = -NSC_REAL_MAX;
    nsc_real on_b = best;
    nsc_real tie, s;
    nsc_real cosine[3][3], along[3];
    const nsc_real *p = a->half;
    const nsc_real *q = b->half;
    nsc_vec3 d = nsci_sub(b->centre, a->centre);
    int i, j, which = 0, face = 0;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++)
            cosine[i][j] = nsci_dot3(a->axes.c[i], b->axes.c[j]);
        along[i] = nsci_dot3(d, a->axes.c[i]);
        s = nsci_face_gap(along[i], p[i], q, cosine[i], 1);
        if (s > distance)
            return -1;
        if (s > best || i == 0) {
            best = s;
            which = i;
        }
    }
    for (j = 0; j < 3; j++) {
        s = nsci_face_gap(nsci_dot3(d, b->axes.c[j]), q[j], p, &cosine[0][j], 3);
        if (s > distance)
            return -1;
        if (s > on_b) {
            on_b = s;
            face = 3 + j;
        }
    }
    tie = nsci_abs(d.x) + nsci_abs(d.y) + nsci_abs(d.z) + size_a + size_b;
    if (on_b > best + 16 * NSC_REAL_EPS * tie) {
        best = on_b;
        which = face;
    }
    for (i = 0; i < 3; i++) {
        int i1 = NSCI_AXIS_AFTER(i);
        int i2 = 3 - i - i1;
        for (j = 0; j < 3; j++) {
            int j1 = NSCI_AXIS_AFTER(j);
            int j2 = 3 - j - j1;
            nsc_real y = cosine[i][j1];
            nsc_real z = cosine[i][j2];
            nsc_real length = y * y + z * z;
            if (length < NSC_R(1e-4))
                continue;
            length = NSC_SQRT(length);
            s = nsci_abs(along[i2] * cosine[i1][j] - along[i1] * cosine[i2][j]);
            s -= (p[i1] * nsci_abs(cosine[i2][j]) + p[i2] * nsci_abs(cosine[i1][j])) +
                 (q[j1] * nsci_abs(z) + q[j2] * nsci_abs(y));
            if (s > distance * length)
                return -1;
            if (s > (best + clear) * length) {
                best = s / length;
                clear = 0;
                which = 6 + 3 * i + j;
            }
        }
    }
    *gap = best;
    return which;
}

/* Contacts of two boxes.  Where none of them is as near as the boxes are, a corner is beside the
   face or edge: then the nearest points make one more. */
static int nsci_box_box(const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsci_point *out)
{
    nsc_real small = NSC_R(5e-5) * nsci_min(nsci_half_diagonal(a), nsci_half_diagonal(b));
    nsc_real gap = 0;
    int k, n;
    int near = 0;
    int which = nsci_separate(a, b, distance, &gap);
    if (which < 0)
        return 0;
    if (which < 3)
        n = nsci_box_face(a, b, which, distance, out);
    else if (which < 6)
        n = nsci_box_face(b, a, which - 3, distance, out);
    else
        n = nsci_box_edges(a, b, which - 6, gap, small, distance, out);
    for (k = 0; k < n; k++) {
        near |= out[k].gap <= nsci_max(gap, 0) + small;
        if (which < 3 || which >= 6)
            continue;
        out[k].normal = nsci_neg(out[k].normal);
        out[k].feature += 8192;
    }
    if (near)
        return n;
    if (n == NSC_MANIFOLD)
        n--;
    return n + nsci_box_corner(a, b, small, distance, out + n);
}

/* Contact points of a and b, a->kind <= b->kind, nearer than `distance`; at most NSC_MANIFOLD.
   Returns their number. */
static int nsci_collide(const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsci_point *out)
{
    if (a->kind == NSC_SHAPE_HALF_SPACE)
        return 0;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return a->kind == NSC_SHAPE_BOX ? nsci_box_plane(a, b, distance, out)
                                        : nsci_round_plane(a, b, distance, out);
    if (a->kind == NSC_SHAPE_BOX)
        return nsci_box_box(a, b, distance, out);
    return b->kind == NSC_SHAPE_BOX ? nsci_round_box(a, b, distance, out)
                                    : nsci_round_round(a, b, distance, out);
}

/* A half-space ends only along an axis of the world that is its normal. */
static void nsci_half_space_bounds(const nsci_geom *g, nsc_real more, nsci_aabb *box)
{
    const nsc_real *c = &g->centre.x;
    const nsc_real *n = &g->axes.c[2].x;
    int k;
    for (k = 0; k < 3; k++) {
        int k1 = NSCI_AXIS_AFTER(k);
        int k2 = 3 - k - k1;
        int level = nsci_abs(n[k1]) + nsci_abs(n[k2]) <= 0;
        box->min[k] = level && n[k] < 0 ? c[k] - more : -NSC_REAL_MAX;
        box->max[k] = level && n[k] > 0 ? c[k] + more : NSC_REAL_MAX;
    }
}

/* Box around a shape, larger by `more` [m] on every side */
static void nsci_bounds(const nsci_geom *g, nsc_real more, nsci_aabb *box)
{
    nsc_real r = g->radius + more, own[3];
    nsc_vec3 c = g->centre;
    nsc_vec3 e = nsci_vec(r, r, r);
    const nsc_real *half = g->half;
    int k;
    (void)own;
    if (nsci_bound_hull(g, more, box))
        return;
    if (g->kind == NSC_SHAPE_HALF_SPACE) {
        nsci_half_space_bounds(g, more, box);
        return;
    }
    if (nsci_bound_mesh(g, own, &c) || nsci_bound_field(g, own, &c))
        half = own;
    nsci_bound_cylinder(g, more, &e);
    for (k = 0; k < 3 && g->kind != NSC_SHAPE_SPHERE; k++) {
        e.x += nsci_abs(half[k] * g->axes.c[k].x);
        e.y += nsci_abs(half[k] * g->axes.c[k].y);
        e.z += nsci_abs(half[k] * g->axes.c[k].z);
    }
    nsci_put_vec(box->min, nsci_sub(c, e));
    nsci_put_vec(box->max, nsci_add(c, e));
}

/* Contact points of two shapes, a->kind <= b->kind, into the world's points */
static int nsci_collide_kinds(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance)
{
    NSCI_IF(NSC_BARRIER, nsci_begin_exact(w, b);)
    if ((NSC_TERRAIN && b->kind == NSC_SHAPE_HEIGHT_FIELD) ||
        (NSC_MESHES && b->kind == NSC_SHAPE_MESH))
        return a->kind < NSC_SHAPE_HALF_SPACE ? nsci_collide_terrain(w, a, b, distance) : 0;
    if (nsci_is_convex(a->kind) || nsci_is_convex(b->kind) ||
        (nsci_is_barrier(w) && b->kind < NSC_SHAPE_HALF_SPACE))
        return nsci_collide_convex(w, a, b, distance);
    return nsci_collide(a, b, distance, w->scratch.find.points);
}

/* Contact points of any two shapes nearer than `distance` [m], into the world's points; at most
   NSCI_MAX_POINTS.  Returns their number.  The shapes are changed meanwhile and restored. */
static int nsci_collide_any(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance)
{
    int i, n;
    if (a->kind <= b->kind)
        return nsci_collide_kinds(w, a, b, distance);
    n = nsci_collide_kinds(w, b, a, distance);
    for (i = 0; i < n; i++)
        w->scratch.find.points[i].normal = nsci_neg(w->scratch.find.points[i].normal);
    return n;
}

/* ---- >>broad ---------------------------------------------------------------------------------
   Finds the shapes whose bounding boxes overlap, among all pairs; nsc_strips.h looks only at those
   that are near. */

/* Does item i come before j? */
typedef int nsci_precedes(const nsc_world *w, int i, int j);

/* Write the geometry of a shape definition, except its centre and axes. */
static void nsci_place_def(nsci_geom *g, const nsc_shape_def *d)
{
    int has_length = d->kind >= NSC_SHAPE_CAPSULE && d->kind <= NSC_SHAPE_BOX;
    g->kind = d->kind;
    g->half[0] = g->kind == NSC_SHAPE_BOX ? d->half.x : 0;
    g->half[1] = g->kind == NSC_SHAPE_BOX ? d->half.y : 0;
    g->half[2] = has_length ? d->half.z : 0;
    g->radius = g->kind <= NSC_SHAPE_CYLINDER ? d->radius : 0;
    g->data = NULL;
}

/* What a shape is in your table of its kind, or NULL */
static const void *nsci_shape_data(const nsc_world *w, const nsc_shape *s)
{
    (void)w;
    switch (s->def.kind) {
    NSCI_IF(NSCI_HULLS, case NSC_SHAPE_HULL: return w->hulls[s->data];)
    NSCI_IF(NSC_TERRAIN, case NSC_SHAPE_HEIGHT_FIELD: return w->fields[s->data];)
    NSCI_IF(NSC_MESHES, case NSC_SHAPE_MESH: return w->meshes[s->data];)
    default: return NULL;
    }
}

/* Write the geometry of a shape where it is now. */
static void nsci_place_shape(const nsc_world *w, const nsc_shape *s, nsci_geom *g)
{
    const nsc_body *b = &w->bodies[s->body];
    const nsc_quat *q = &s->def.pose.orientation;
    nsci_mat3 own;
    int k;
    g->axes = nsci_rotation(b->orientation);
    g->centre = nsci_add(
        b->position, nsci_mul_mv(&g->axes, nsci_sub(s->def.pose.position, b->centre)));
    if (nsci_abs(q->x) + nsci_abs(q->y) + nsci_abs(q->z) > 0) {
        own = nsci_rotation(*q);
        for (k = 0; k < 3; k++)
            own.c[k] = nsci_mul_mv(&g->axes, own.c[k]);
        g->axes = own;
    }
    nsci_place_def(g, &s->def);
    g->data = nsci_shape_data(w, s);
}

NSC_MAYBE_UNUSED static nsci_geom nsci_place(const nsc_world *w, const nsc_shape *s)
{
    nsci_geom g;
    nsci_place_shape(w, s, &g);
    return g;
}

/* How far the points of a shape may go in the step by its body's turn [m] */
static nsc_real nsci_arc(const nsc_world *w, const nsci_geom *g, int body, nsc_real h)
{
    nsc_real turn = h * nsci_norm(nsci_vec_at(w->v_free + 6 * body + 3));
    const nsc_real *x = &w->bodies[body].position.x;
    nsc_real far[3];
    nsci_aabb box;
    int k;
    if (!(turn > NSC_R(1e-4)) || g->kind == NSC_SHAPE_HALF_SPACE)
        return 0;
    nsci_bounds(g, g->kind == NSC_SHAPE_CYLINDER ? 0 : -g->radius, &box);
    for (k = 0; k < 3; k++)
        far[k] = nsci_max(box.max[k] - x[k], x[k] - box.min[k]);
    return nsci_min(turn, 2) * NSC_SQRT(nsci_dot(far, far, 3));
}

/* How far a shape's surface may move in the step [m]: contacts are looked for that much further
   out.  What a turn below 0.01 rad moves is left to the margin. */
static nsc_real nsci_reach(const nsc_world *w, const nsci_geom *g, int body, nsc_real h)
{
    const nsc_real *v = w->v_free + 6 * body;
    nsc_real way = h * nsci_norm(nsci_vec_at(v));
    nsc_real arc = nsci_arc(w, g, body, h);
    return h * nsci_norm(nsci_vec_at(v + 3)) > NSC_R(0.01) || arc > w->def.margin ? way + arc
                                                                                  : way;
}

/* Rank of a shape in the order of pairs; the user's own contacts have no shapes and come first. */
static int nsci_rank(nsc_id id) { return id < 0 ? 0 : 1 + (int)(id & 16383); }

static int nsci_id_order(nsc_id a, nsc_id b)
{
    int ra = nsci_rank(a);
    int rb = nsci_rank(b);
    return ra != rb ? (ra < rb ? -1 : 1) : a < b ? -1 : a > b;
}

/* Compares contacts, -1, 0, 1; 0: of the same two shapes (the user's own: bodies) */
static int nsci_pair_order(const nsc_contact *a, const nsc_contact *b)
{
    int order = a->shape_a == b->shape_a ? 0 : nsci_id_order(a->shape_a, b->shape_a);
    if (order == 0 && a->shape_b != b->shape_b)
        order = nsci_id_order(a->shape_b, b->shape_b);
    if (order != 0 || a->shape_a >= 0)
        return order;
    order = nsci_id_order(a->body_a, b->body_a);
    return order != 0 ? order : nsci_id_order(a->body_b, b->body_b);
}

/* Are two contacts of the same two shapes (the user's own: bodies)? */
static int nsci_same_pair(const nsc_contact *a, const nsc_contact *b)
{
    if (a->shape_a != b->shape_a || a->shape_b != b->shape_b)
        return 0;
    return a->shape_a >= 0 || (a->body_a == b->body_a && a->body_b == b->body_b);
}

/* 1 if contact i of found goes before j: the user's own contacts come first, by feature, whatever
   the order in which they were added; then pairs by the ranks of their shapes, points of a pair as
   they were found. */
static int nsci_before(const nsc_world *w, int i, int j)
{
    const nsc_contact *a = &w->found[i];
    const nsc_contact *b = &w->found[j];
    int order = nsci_pair_order(a, b);
    if (order == 0 && a->shape_a < 0 && a->feature != b->feature)
        order = a->feature < b->feature ? -1 : 1;
    return order != 0 ? order < 0 : (unsigned)i < (unsigned)j;
}

/* Shell sort: no recursion, little code, fast on nearly sorted lists. */
static void nsci_sort(const nsc_world *w, nsci_precedes *before, nsci_index *items, int n)
{
    int gap, i, j;
    for (gap = 1; gap < n / 3;)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (i = gap; i < n; i++) {
            nsci_index item = items[i];
            for (j = i; j >= gap && before(w, item, items[j - gap]); j -= gap)
                items[j] = items[j - gap];
            items[j] = item;
        }
}

/* Order the found contacts. */
static void nsci_sort_found(nsc_world *w)
{
    nsci_index *order = w->scratch.find.order;
    int i, sorted = 1;
    for (i = 0; i < w->found_count; i++) {
        order[i] = (nsci_index)i;
        sorted &= i == 0 || nsci_before(w, i - 1, i);
    }
    if (!sorted && NSC_STRIPS)
        nsci_sort_many(w);
    else if (!sorted)
        nsci_sort(w, nsci_before, order, i);
}

/* May the body wake others?  True for a dynamic body awake, and for any other in motion. */
static int nsci_is_active(const nsc_body *b)
{
    nsc_vec3 v = b->velocity;
    nsc_vec3 o = b->angular_velocity;
    if (b->kind == NSC_DYNAMIC_BODY)
        return !b->asleep;
    return nsci_dot3(v, v) > 0 || nsci_dot3(o, o) > 0;
}

/* Place all shapes, and write their boxes and the list of them; returns how many. */
NSCI_OWN_FRAME int nsci_bound_shapes(nsc_world *w, nsc_real h)
{
    nsci_finding *f = &w->scratch.find;
    int s, n = 0;
    for (s = 0; s < w->shape_end; s++) {
        const nsc_shape *own = &w->shapes[s];
        nsci_geom *g = &f->geoms[s];
        if (own->generation % 2 == 0 || nsci_is_off(w, own->body))
            continue;
        nsci_place_shape(w, own, g);
        f->reach[s] = nsci_reach(w, g, own->body, h);
        nsci_bounds(g, NSC_R(0.5) * w->def.margin + f->reach[s], &f->boxes[s]);
        f->active[s] = (uint8_t)nsci_is_active(&w->bodies[own->body]);
        f->sweep[n++] = (nsci_index)s;
    }
    return n;
}

static int nsci_overlap(const nsci_aabb *a, const nsci_aabb *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
           b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

/* Is a box wholly above a half-space? */
static int nsci_box_above(const nsci_aabb *box, const nsci_geom *plane)
{
    nsc_vec3 n = plane->axes.c[2];
    nsc_vec3 low = nsci_vec(n.x > 0 ? box->min[0] : box->max[0],
                            n.y > 0 ? box->min[1] : box->max[1],
                            n.z > 0 ? box->min[2] : box->max[2]);
    return plane->kind == NSC_SHAPE_HALF_SPACE && nsci_height(plane, low) > 0;
}

/* Wake sleeping bodies whose boxes meet that of a shape just placed on a body that is not
   dynamic. */
static void nsci_wake_near(nsc_world *w, int shape)
{
    nsci_geom plane, g;
    nsci_aabb own, box;
    int s;
    nsci_place_shape(w, &w->shapes[shape], &plane);
    nsci_bounds(&plane, w->def.margin, &own);
    for (s = 0; s < w->shape_end; s++) {
        nsc_body *b = &w->bodies[w->shapes[s].body];
        if (w->shapes[s].generation % 2 == 0 || !b->asleep)
            continue;
        nsci_place_shape(w, &w->shapes[s], &g);
        nsci_bounds(&g, w->def.margin, &box);
        if (nsci_overlap(&own, &box) && !nsci_box_above(&box, &plane))
            nsci_wake(b);
    }
}

/* ---- >>steppers ------------------------------------------------------------------------------
   Contacts, joints and springs are rows of blocks; a stepper decides only the entries of these
   rows.  A force F(x, v) at the end of the step gives the impulse lambda = hf F, with the row's
   position x + hx v and its velocity v there:
       implicit        F = -k (x + hx v) - d v of a spring k and a damper d:
                       cfm = 1 / (hf (hx k + d)), bias = k x / (hx k + d)
       explicit        lambda is given: lo = hi = hf F
       constraint      bias = x / hx (all of the drift), or a share of it (linearised)
   The Euler steppers have hf = hx = h.  HHT and NEWMARK (acceleration A = M^-1 F, running mean a):
       v' = v + h ((1 - gamma) a + gamma a'),  x' = x + h v + h^2 ((1/2 - beta) a + beta a'),
       a' = (1 + alpha) A' - alpha A
   take the same form with hf = h gamma (1 + alpha), hx = h beta / gamma, another initial velocity
   (nsci_hat) and another origin (nsci_displacement).  Newton's method places the bodies where its
   trial velocity v takes them and linearises each row there: x - hx v replaces x. */
/* nsci_scheme.mode */
enum {
    NSCI_LINEARIZED = 1, NSCI_EXPLICIT = 2, NSCI_VELOCITY = 3, NSCI_POSITION = 4, NSCI_NEWTON = 5
};
struct nsci_scheme {
    const nsc_calls *calls;
    int mode;                    /* VELOCITY and POSITION are the two solves of
                                    EULER_IMPLICIT_PROJECTED */
    int first, last;             /* 1: first, last sub-step of the step */
    int odd;                     /* number of the sub-step, 0 or 1 */
    int newmark;                 /* 1: HHT or NEWMARK, using the last step's rates */
    nsc_real h, hf, hx;          /* sub-step; for forces, positions (above) [s] */
    nsc_real undo;               /* h, or nsc_world.undo_h where that is longer */
    nsc_real slack;              /* nsc_world_def.slop, or nsc_world.slack where that is more */
    nsc_real alpha, beta, gamma;
};

/* Constants where the build has no other steppers, or no sub-steps */
static int nsci_mode(const nsci_scheme *s) { return NSC_STEPPERS ? s->mode : NSCI_LINEARIZED; }
static int nsci_is_first(const nsci_scheme *s) { return NSCI_MOST_SUBSTEPS == 1 || s->first; }
static int nsci_is_last(const nsci_scheme *s) { return NSCI_MOST_SUBSTEPS == 1 || s->last; }
static int nsci_substeps(const nsc_world *w)
{
    return NSCI_MOST_SUBSTEPS == 1 ? 1 : w->def.substeps;
}

static nsci_scheme nsci_begin_scheme(const nsc_world *w, nsc_real h, const nsc_calls *calls)
{
    nsci_scheme s;
    s.calls = calls;
    s.mode = NSCI_LINEARIZED;
    s.first = s.last = 1;
    s.odd = w->step_count * (uint32_t)nsci_substeps(w) % 2;
    s.newmark = 0;
    s.h = s.hf = s.hx = h;
    s.undo = nsci_max(h, w->undo_h);
    s.slack = nsci_max(w->def.slop, w->slack);
    s.alpha = s.beta = s.gamma = 0;
    nsci_choose_scheme(w, &s);
    return s;
}

/* Factor on the last step's impulses, as warm start.  They hold what undid drift and errors too,
   which does not grow with the step: so a longer one begins with twice the impulses at most. */
static nsc_real nsci_warm(const nsc_world *w, const nsci_scheme *s)
{
    nsc_real half = NSC_R(0.5) * (nsc_real)nsci_substeps(w) * s->h;
    return w->last_h > 0 ? s->hf / nsci_max(w->last_h, half) : 0;
}

/* Is a speed more than `times` what gravity adds in a (sub-)step of h? */
NSCI_ONE_COPY int nsci_is_much(const nsc_world *w, nsc_real h, nsc_real speed, nsc_real times)
{
    nsc_real fall = h * times;
    fall *= fall * nsci_dot3(w->def.gravity, w->def.gravity);
    return fall > 0 && speed * speed > fall;
}

static int nsci_solve(const nsc_world *w, const nsci_scheme *s, nsc_problem *p, nsc_report *r)
{
    nsc_solver *solve = s->calls && s->calls->solve ? s->calls->solve : nsc_solve_sipgs;
    nsci_clear(r, sizeof *r);
    return solve(p, &w->def.solver, r);
}

/* Two vectors as six numbers */
static void nsci_put_pair(nsc_real *out, nsc_vec3 linear, nsc_vec3 angular)
{
    nsci_put_vec(out, linear);
    nsci_put_vec(out + 3, angular);
}

/* Twist of a body, world frame */
NSCI_ONE_COPY void nsci_velocity_of(const nsc_body *b, nsc_real *v)
{
    nsci_put_pair(v, b->velocity, b->angular_velocity);
}

/* Velocity of a body's point [m/s] */
NSCI_ONE_COPY nsc_vec3 nsci_velocity_at(const nsc_body *b, nsc_vec3 point)
{
    return nsci_add(b->velocity, nsci_cross(b->angular_velocity, nsci_sub(point, b->position)));
}

/* Velocity along row i of an island's block at the bodies' present velocities */
static nsc_real nsci_row_speed(const nsc_world *w, const nsc_block *k, int i)
{
    nsc_real v[12];
    nsci_velocity_of(&w->bodies[w->outer[k->a]], v);
    nsci_velocity_of(&w->bodies[w->outer[k->b]], v + 6);
    return nsci_along_row(k, i, v, v + 6);
}

/* The same at w->v_free, to which loads alone would bring the bodies */
static nsc_real nsci_row_load(const nsc_world *w, const nsc_block *k, int i)
{
    return nsci_along_row(k, i, w->v_free + 6 * w->outer[k->a], w->v_free + 6 * w->outer[k->b]);
}

/* Step for which the rational (Cayley) rotation by h m has the true angle h |m|:
   h tan(a) / a, a = h |m| / 2; the quotient by its continued fraction */
static nsc_real nsci_cayley(nsc_vec3 m, nsc_real h)
{
    nsc_real a2 = nsci_min(NSC_R(0.25) * h * h * nsci_dot3(m, m), 1);
    return h * (10395 - a2 * (1260 - 21 * a2)) / (10395 - a2 * (4725 - a2 * (210 - a2)));
}

/* Inertia over its trace: the equations of free rotation are the same, and the determinant of a
   millimetre body's (inertia 1e-13) does not underflow in float. */
static nsci_mat3 nsci_unit_inertia(const nsc_real *I)
{
    nsc_real scale = 1 / (I[0] + I[1] + I[2]);
    nsc_real s[6];
    int i;
    for (i = 0; i < 6; i++)
        s[i] = scale * I[i];
    return nsci_sym_expand(s);
}

/* Newton's correction to m, the solution of M (m - from) + h m x M m = 0 */
static nsc_vec3 nsci_spin_error(const nsci_mat3 *M, nsc_vec3 m, nsc_vec3 from, nsc_real h)
{
    nsci_mat3 D;
    nsc_vec3 L = nsci_mul_mv(M, m);
    nsc_vec3 f = nsci_add_sv(nsci_mul_mv(M, nsci_sub(m, from)), h, nsci_cross(m, L));
    int k;
    for (k = 0; k < 3; k++)
        D.c[k] = nsci_add_sv(M->c[k], h, nsci_cross(m, M->c[k]));
    L = nsci_mul_sv(h, L);
    D.c[0].y -= L.z;
    D.c[0].z += L.y;
    D.c[1].x += L.z;
    D.c[1].z -= L.x;
    D.c[2].x -= L.y;
    D.c[2].y += L.x;
    return nsci_solve3(&D, f);
}

/* Change of angular velocity w over `step` [s] without torque, body frame: implicit midpoint
   I w' - I w = -h m x I m, m the mean rate, by Newton's method.  Conserves energy and, with the
   rotation by h m, world-frame angular momentum (Lewis and Simo 1994).  Returns the change, not the
   rate: a rate rotated into the body frame and back would drift by a bit per step.  Where h |w| is
   too large for convergence, the new rate is scaled to the old energy; where it is below rounding,
   there is no change. */
NSCI_OWN_FRAME nsc_vec3 nsci_gyroscopic(const nsc_real *I, nsc_vec3 w, nsc_real step)
{
    nsci_mat3 M;
    nsc_vec3 m = w;
    nsc_vec3 f = nsci_cross(w, nsci_sym_mul(I, w));
    nsc_vec3 d, e;
    nsc_real before, after;
    int i;
    if (step * step * nsci_dot3(w, w) <= NSC_REAL_EPS * NSC_REAL_EPS / 64 ||
        !(nsci_abs(f.x) + nsci_abs(f.y) + nsci_abs(f.z) > 0))
        return nsci_mul_sv(0, w);
    M = nsci_unit_inertia(I);
    before = nsci_dot3(w, nsci_mul_mv(&M, w));
    for (i = 0; i < 4; i++) {
        d = nsci_spin_error(&M, m, w, NSC_R(0.5) * nsci_cayley(m, step));
        m = nsci_sub(m, d);
        /* The equation is of second degree, so that at most step |d|^2 is left. */
        if (step * nsci_dot3(d, d) <= NSC_REAL_EPS / 64 * nsci_norm(m))
            break;
    }
    e = nsci_mul_sv(2, nsci_sub(m, w));
    m = nsci_add(w, e);
    after = nsci_dot3(m, nsci_mul_mv(&M, m));
    if (!nsci_finite(after))
        return nsci_mul_sv(0, w);
    if (after > NSC_R(1.001) * before)
        e = nsci_sub(nsci_mul_sv(NSC_SQRT(before / after), m), w);
    return e;
}

/* Is the inertia equal about every axis?  Then angular momentum and velocity stay parallel. */
static int nsci_is_ball(const nsc_real *I)
{
    return I[0] <= I[1] && I[1] <= I[2] && I[2] <= I[0] &&
           !(I[3] * I[3] + I[4] * I[4] + I[5] * I[5] > 0);
}

/* Does free rotation change the body's angular velocity? */
static int nsci_gyrates(const nsc_body *b)
{
    return b->kind == NSC_DYNAMIC_BODY && !nsci_is_ball(b->inertia) && nsci_may_turn(b);
}

/* Half of what free rotation adds to a body's angular velocity in the sub-step: the mean rate
   exceeds the initial one by this. */
static nsc_vec3 nsci_half_gyration(const nsc_body *b, nsc_real h)
{
    nsci_mat3 R;
    if (!nsci_gyrates(b))
        return nsci_vec(0, 0, 0);
    R = nsci_rotation(b->orientation);
    return nsci_mul_sv(
        NSC_R(0.5),
        nsci_mul_mv(&R, nsci_gyroscopic(b->inertia, nsci_mul_mtv(&R, b->angular_velocity), h)));
}

/* ---- >>rows ---------------------------------------------------------------------------------- */

/* Two unit vectors orthogonal to n, continuous except across n.z = 0 (Duff et al. 2017) */
static void nsci_tangents(nsc_vec3 n, nsc_vec3 *t1, nsc_vec3 *t2)
{
    nsc_real sign = n.z < 0 ? -1 : 1;
    nsc_real a = -1 / (sign + n.z);
    nsc_real b = n.x * n.y * a;
    *t1 = nsci_vec(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *t2 = nsci_vec(b, sign + n.y * n.y * a, -n.y);
}

/* Jacobian row along d at one point: velocity of b minus velocity of a */
NSC_MAYBE_UNUSED NSCI_ONE_COPY void nsci_fill_row(nsc_real *J, nsc_vec3 d, nsc_vec3 ra,
                                                  nsc_vec3 rb)
{
    nsc_vec3 a = nsci_cross(ra, d);
    nsc_vec3 b = nsci_cross(rb, d);
    nsci_put_pair(J, nsci_neg(d), nsci_neg(a));
    nsci_put_pair(J + 6, d, b);
}

/* The same about d: angular velocity of b minus angular velocity of a */
NSC_MAYBE_UNUSED static void nsci_fill_turn(nsc_real *J, nsc_vec3 d)
{
    nsci_put_pair(J, nsci_vec(0, 0, 0), nsci_neg(d));
    nsci_put_pair(J + 6, nsci_vec(0, 0, 0), d);
}

/* Three rows of the block act at the arms a and b of its bodies. */
static void nsci_set_arms(nsc_block *k, nsc_vec3 a, nsc_vec3 b)
{
    k->form = NSC_ROWS_AT_ARMS;
    nsci_put_vec(k->arm_a, a);
    nsci_put_vec(k->arm_b, b);
}

/* Direction of row i: of the force on b, or (turning) of its moment */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_row_axis(const nsc_block *k, int i, int turning)
{
    return nsci_vec_at(nsci_axes(k, turning ? NSC_ROWS_TURN : NSC_ROWS_AT_ARMS) + NSCI_APART * i);
}

/* Fix the impulse of row i. */
static void nsci_give(nsc_block *b, int i, nsc_real lambda)
{
    b->lo[i] = b->hi[i] = b->lambda[i] = lambda;
    b->cfm[i] = b->bias[i] = 0;
}

/* Position of a row that is now at x, without the travel due to Newton's trial velocity */
NSC_MAYBE_UNUSED static nsc_real nsci_row_origin(const nsc_world *w, const nsci_scheme *s,
                                                 const nsc_block *k, int i, nsc_real x)
{
    return s->mode == NSCI_NEWTON ? x - s->hx * nsci_row_speed(w, k, i) : x;
}

/* Mean over the last step of impulse x */
NSC_MAYBE_UNUSED static nsc_real nsci_per_time(const nsc_world *w, nsc_real x)
{
    return w->last_h > 0 ? x / w->last_h : 0;
}

/* Make BOX row i of block b a spring k with a damper d:
   force -k x - d (v - moving) + push, x from rest.  Of a spring too weak for a finite cfm, and
   where there are no forces (POSITION), only the push acts. */
NSC_MAYBE_UNUSED static void nsci_soften(const nsc_world *w, const nsci_scheme *s, nsc_block *b,
                                         int i, nsc_real k, nsc_real d, nsc_real x,
                                         nsc_real moving, nsc_real push)
{
    nsc_real stiff = s->hx * k + d;
    if (s->mode == NSCI_EXPLICIT) {
        nsc_real v = nsci_row_speed(w, b, i) - moving;
        nsci_give(b, i, nsci_clamp(-s->hf * (k * x + d * v - push), b->lo[i], b->hi[i]));
        return;
    }
    x = nsci_row_origin(w, s, b, i, x);
    b->cfm[i] = 1 / (s->hf * stiff);
    b->bias[i] = (k * x - d * moving - push) / stiff;
    if (!nsci_finite(b->cfm[i]) || s->mode == NSCI_POSITION)
        nsci_give(b, i, nsci_clamp(s->hf * push, b->lo[i], b->hi[i]));
}

/* ---- forces of the caller */

/* Index of a body in its island's problem; 0, as the ground's, for a static body */
static nsc_place nsci_inner_of(const nsc_world *w, int body) { return (nsc_place)w->inner[body]; }

/* Does body i belong to a sleeping island, which is not solved? */
static int nsci_rests(const nsc_world *w, int i)
{
    return w->island[i] != NSCI_NOWHERE && w->islands[w->island[i]].asleep;
}

/* Append a link. */
static void nsci_add_link(nsc_world *w, int kind, int item, nsc_id body_a, nsc_id body_b)
{
    nsci_link *l = &w->links[w->link_count++];
    l->kind = (uint8_t)kind;
    l->rolls = 0;
    l->item = (nsci_index)item;
    l->a = (nsci_index)nsci_body_of(w, body_a);
    l->b = (nsci_index)nsci_body_of(w, body_b);
    l->block = 0;
}

/* Add the caller's force on body i in its present state to force and torque; keep its derivative
   for nsci_fill_forces. */
static void nsci_ask_force(nsc_world *w, const nsci_scheme *s, int i, nsc_vec3 *force,
                           nsc_vec3 *torque)
{
    nsc_force f;
    NSC_MEMSET(&f, 0, sizeof f);
    s->calls->force(s->calls->user, w, nsci_body_handle(w, i), &f);
    *force = nsci_add(*force, f.force);
    *torque = nsci_add(*torque, f.torque);
    w->report.dropped_derivatives += !nsci_keep_force(w, i, &f) && f.derivative;
}

/* ---- >>contacts ------------------------------------------------------------------------------ */

#define nsci_rolls(c) (nsci_rolling(c) > 0 || nsci_torsion(c) > 0)

NSC_API nsc_contact nsc_default_contact(void)
{
    nsc_contact c;
    nsci_clear(&c, sizeof c); /* padding too, which becomes part of a world's bytes */
    c.shape_a = c.shape_b = -1;
    c.normal.z = 1;
    c.friction = NSC_R(0.5);
    return c;
}

/* nsci_velocity_at in one of the world's velocity vectors */
NSCI_ONE_COPY nsc_vec3 nsci_point_velocity(const nsc_world *w, const nsc_real *v, int body,
                                           nsc_vec3 point)
{
    nsc_vec3 r = nsci_sub(point, w->bodies[body].position);
    v += 6 * body;
    return nsci_add(nsci_vec_at(v), nsci_cross(nsci_vec_at(v + 3), r));
}

/* Normal velocity between two bodies at a point [m/s]; < 0: approaching */
static nsc_real nsci_normal_velocity(const nsc_world *w, const nsc_real *v, int a, int b,
                                     nsc_vec3 point, nsc_vec3 normal)
{
    return nsci_dot3(normal, nsci_sub(nsci_point_velocity(w, v, b, point),
                                      nsci_point_velocity(w, v, a, point)));
}

/* Combine the materials of two surfaces: geometric mean of friction, the larger restitution,
   springs in series, relaxation times (damping / stiffness) weighted by the springs' compliance. */
static void nsci_mix(nsc_contact *c, const nsc_shape_def *a, const nsc_shape_def *b)
{
    nsc_real product = a->friction * b->friction;
    nsc_real ka = a->stiffness;
    nsc_real kb = b->stiffness;
    nsc_real share_a;
    nsc_real share_b;
    c->sensor = (uint8_t)(a->sensor || b->sensor);
    c->matched = 0;
    c->manifold = 0;
    nsci_forget_smooth(c);
    nsci_mix_rolling(c, a, b);
    c->friction = nsci_finite(product) ? NSC_SQRT(product)
                                       : NSC_SQRT(a->friction) * NSC_SQRT(b->friction);
    c->restitution = nsci_max(a->restitution, b->restitution);
    c->stiffness = c->damping = 0;
    if (!(ka > 0) && !(kb > 0))
        return;
    /* shares of the total compliance; as quotients, since a product of two stiffnesses may
       overflow */
    share_a = ka > 0 ? kb > 0 ? 1 / (1 + ka / kb) : 1 : 0;
    share_b = kb > 0 ? ka > 0 ? 1 / (1 + kb / ka) : 1 : 0;
    c->stiffness = ka > 0 && (ka <= kb || !(kb > 0)) ? ka * share_a : kb * share_b;
    c->damping = share_a * share_a * a->damping + share_b * share_b * b->damping;
}

/* Place in found for a contact with this gap: a free one, or that of the shallowest contact if this
   is deeper; NULL: dropped. */
static nsc_contact *nsci_room(nsc_world *w, nsc_real gap)
{
    int i, shallowest = -1;
    if (w->found_count < NSC_MAX_CONTACTS)
        return &w->found[w->found_count++];
    w->report.dropped++;
    for (i = 0; i < w->found_count; i++)
        if (w->found[i].gap > gap) {
            shallowest = i;
            gap = w->found[i].gap;
        }
    return shallowest < 0 ? NULL : &w->found[shallowest];
}

/* Fill the fields of a contact of two shapes that do not depend on its position. */
static void nsci_mix_shapes(const nsc_world *w, nsc_contact *c, int s, int t)
{
    const nsc_shape *a = &w->shapes[s];
    const nsc_shape *b = &w->shapes[t];
    c->body_a = nsci_body_handle(w, a->body);
    c->body_b = nsci_body_handle(w, b->body);
    c->shape_a = nsci_handle(w, NSCI_SHAPE_HANDLE, s, a->generation);
    c->shape_b = nsci_handle(w, NSCI_SHAPE_HANDLE, t, b->generation);
    nsci_mix(c, &a->def, &b->def);
    nsci_mix_smooth(w, c, &a->def, &b->def);
    nsci_mix_belts(w, c, s, t);
}

/* Free the manifolds that no contact refers to: after a refused step those it found, after another
   those it replaced. */
static void nsci_free_manifolds(nsc_world *w)
{
    int i;
    if (!NSCI_MANIFOLDS)
        return;
    for (i = 0; i < w->contact_count; i++)
        if (w->contacts[i].manifold)
            nsci_manifolds(w)[w->contacts[i].manifold - 1].used = 1;
    for (i = 0; i < w->manifold_end; i++) {
        nsci_manifold *m = &nsci_manifolds(w)[i];
        if (m->count > 0 && !m->used)
            nsci_clear(m, sizeof *m);
        m->used = 0;
    }
    while (w->manifold_end > 0 && nsci_manifolds(w)[w->manifold_end - 1].count == 0)
        w->manifold_end--;
}

/* The first contact that two shapes had in the last step, or -1 */
static int nsci_last_contact(const nsc_world *w, int low, int high)
{
    int from = 0;
    int to = w->contact_count;
    int found = -1;
    while (from < to) {
        int middle = (from + to) / 2;
        const nsc_contact *c = &w->contacts[middle];
        int a = nsci_rank(c->shape_a) - 1;
        int b = nsci_rank(c->shape_b) - 1;
        if (a == low && b == high)
            found = middle;
        if (a < low || (a == low && b < high))
            from = middle + 1;
        else
            to = middle;
    }
    return found;
}

/* Write a manifold's points, at the present poses of its shapes, to the world's points.  Returns
   their number, or -1: the shapes have moved relative to each other.  (Any motion shows in three
   points or more, because limit scales with the width of the patch.) */
static int nsci_carry_points(nsc_world *w, const nsci_manifold *m, const nsci_geom *a,
                             const nsci_geom *b, nsc_real distance)
{
    nsc_vec3 normal = nsci_mul_mv(m->side ? &b->axes : &a->axes, m->normal);
    nsc_real limit = nsci_min(m->limit, w->def.slop);
    int i, n = 0;
    if (distance > m->reach + limit)
        return -1; /* more points may be in reach by now */
    for (i = 0; i < m->count; i++) {
        nsc_vec3 on_a = nsci_add(a->centre, nsci_mul_mv(&a->axes, m->on_a[i]));
        nsc_vec3 on_b = nsci_add(b->centre, nsci_mul_mv(&b->axes, m->on_b[i]));
        nsc_vec3 d = nsci_sub(on_b, on_a);
        nsc_real gap = nsci_dot3(normal, d);
        d = nsci_add_sv(d, -m->gap[i], normal);
        if (!(nsci_dot3(d, d) <= limit * limit))
            return -1;
        on_a = nsci_add_sv(nsci_mul_sv(NSC_R(0.5), nsci_add(on_a, on_b)), NSC_R(-0.5) * gap,
                           normal);
        n = nsci_put(w->scratch.find.points, n, on_a, normal, gap, distance, m->feature[i]);
    }
    return n;
}

/* Squared sine of the smallest angle between a direction and a face normal of the shape */
static nsc_real nsci_miss_face(const nsci_geom *g, nsc_vec3 normal)
{
    nsc_real least = NSC_REAL_MAX;
    int i;
    int n = g->kind == NSC_SHAPE_HULL ? nsci_hull_faces(g) : 3;
    for (i = 0; i < n; i++) {
        nsc_vec3 face = g->kind == NSC_SHAPE_HULL ? nsci_turned_face(g, i) : g->axes.c[i];
        face = nsci_cross(face, normal);
        least = nsci_min(least, nsci_dot3(face, face));
    }
    return least;
}

/* Store the n points just found; returns their manifold plus 1, or 0: fewer than 3, or no room. */
static int nsci_keep_points(nsc_world *w, const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                            int n)
{
    const nsci_point *p = w->scratch.find.points;
    nsc_vec3 normal = p[0].normal;
    nsc_vec3 along, d;
    nsc_real width = 0;
    nsci_manifold *m;
    int i;
    while (w->next_manifold < NSC_MAX_MANIFOLDS && nsci_manifolds(w)[w->next_manifold].count > 0)
        w->next_manifold++;
    w->report.unkept += n >= 3 && w->next_manifold == NSC_MAX_MANIFOLDS;
    if (n < 3 || w->next_manifold == NSC_MAX_MANIFOLDS)
        return 0;
    m = &nsci_manifolds(w)[w->next_manifold++];
    if (w->manifold_end < w->next_manifold)
        w->manifold_end = w->next_manifold;
    m->count = (uint8_t)n;
    m->side = (uint8_t)(nsci_miss_face(b, normal) < nsci_miss_face(a, normal));
    m->normal = nsci_mul_mtv(m->side ? &b->axes : &a->axes, normal);
    along = nsci_unit(nsci_sub(p[n - 1].point, p[0].point), normal);
    for (i = 1; i + 1 < n; i++) {
        d = nsci_cross(along, nsci_sub(p[i].point, p[0].point));
        width = nsci_max(width, nsci_norm(d));
    }
    m->reach = nsci_at_most_max(distance); /* an image holds finite numbers only */
    m->limit = NSC_R(1e-3) * width;
    for (i = 0; i < n; i++, p++) {
        nsc_vec3 half = nsci_mul_sv(NSC_R(0.5) * p->gap, normal);
        m->feature[i] = p->feature;
        m->on_a[i] = nsci_mul_mtv(&a->axes, nsci_sub(nsci_sub(p->point, half), a->centre));
        m->on_b[i] = nsci_mul_mtv(&b->axes, nsci_sub(nsci_add(p->point, half), b->centre));
        m->gap[i] = p->gap;
    }
    return w->next_manifold;
}

static int nsci_has_flat_faces(const nsci_geom *g)
{
    return g->kind == NSC_SHAPE_BOX || g->kind == NSC_SHAPE_HULL;
}

/* Like nsci_collide_any, but reuse the points of the last step if the shapes have hardly moved
   relative to each other.  *kept: index of the manifold plus 1, or 0. */
static int nsci_meet(nsc_world *w, int low, int high, nsc_real distance, int *kept)
{
    nsci_geom *a = &w->scratch.find.geoms[low];
    nsci_geom *b = &w->scratch.find.geoms[high];
    int keeps = NSCI_MANIFOLDS && w->def.keep_manifolds && nsci_has_flat_faces(a) &&
                nsci_has_flat_faces(b) && !nsci_is_smooth(w);
    int n = -1;
    int last = keeps ? nsci_last_contact(w, low, high) : -1;
    *kept = last >= 0 ? w->contacts[last].manifold : 0;
    if (*kept > 0)
        n = nsci_carry_points(w, &nsci_manifolds(w)[*kept - 1], a, b, distance);
    if (n >= 0)
        return n;
    n = nsci_collide_any(w, a, b, distance);
    *kept = keeps ? nsci_keep_points(w, a, b, distance, n) : 0;
    return n;
}

/* Index of the point of a pair to solve i-th.  Sweeps that are stopped early leave more of the load
   on the corners they visit first.  If each pair began at the same corner, a stack would lean that
   way and finally sway.  So the next pair begins at the opposite corner, the two after these at the
   others.  Stacked shapes mostly have consecutive slots; slot: the higher of the pair. */
static int nsci_in_turn(int slot, int i, int n)
{
    static const uint8_t across[4] = {1, 3, 0, 2};
    if (n == 4 && slot & 2)
        i = across[i];
    return slot & 1 ? n - 1 - i : i;
}

/* Radius of a sphere or capsule around the core that its contact belongs to, else 0 [m] */
static nsc_real nsci_round(int kind, nsc_real radius)
{
    return kind == NSC_SHAPE_SPHERE || kind == NSC_SHAPE_CAPSULE ? radius : 0;
}

static nsc_real nsci_round_of(const nsc_world *w, nsc_id shape)
{
    const nsc_shape_def *d;
    if (shape < 0)
        return 0;
    d = &w->shapes[nsci_rank(shape) - 1].def;
    return nsci_round(d->kind, d->radius);
}

/* How far a body's point moves in the step without contact [m], to second order in the turn; of a
   body that turns by more than a radian, how far it moves itself */
static nsc_vec3 nsci_way_of(const nsc_world *w, int body, nsc_vec3 point, nsc_real h)
{
    const nsc_real *v = w->v_free + 6 * body;
    nsc_vec3 turn = nsci_mul_sv(h, nsci_vec_at(v + 3));
    nsc_vec3 d = nsci_cross(turn, nsci_sub(point, w->bodies[body].position));
    d = nsci_add_sv(d, NSC_R(0.5), nsci_cross(turn, d));
    return nsci_add_sv(nsci_dot3(turn, turn) > 1 ? nsci_vec(0, 0, 0) : d, h, nsci_vec_at(v));
}

/* Gap at the end of the step if the contact of bodies a and b exerts no force [m].  The corner of a
   spinning body that only passes by does not close; what is round, by the radii ra and rb, goes
   where its core goes. */
static nsc_real nsci_gap_after(const nsc_world *w, int a, int b, nsc_real ra, nsc_real rb,
                               const nsci_point *p, nsc_real h)
{
    nsc_real half = NSC_R(0.5) * p->gap;
    nsc_vec3 on_a = nsci_way_of(w, a, nsci_add_sv(p->point, -half - ra, p->normal), h);
    nsc_vec3 on_b = nsci_way_of(w, b, nsci_add_sv(p->point, half + rb, p->normal), h);
    return p->gap + nsci_dot3(p->normal, nsci_sub(on_b, on_a));
}

/* Is a point of two shapes a contact of this step?  One beyond the margin is if it closes. */
static int nsci_acts(const nsc_world *w, int low, int high, const nsci_point *p, nsc_real h)
{
    const nsci_geom *a = &w->scratch.find.geoms[low];
    const nsci_geom *b = &w->scratch.find.geoms[high];
    return p->gap <= w->def.margin ||
           nsci_gap_after(w, w->shapes[low].body, w->shapes[high].body,
                          nsci_round(a->kind, a->radius), nsci_round(b->kind, b->radius), p,
                          h) <= 0;
}

/* Did two shapes press on each other in the last step? */
static int nsci_pressed(const nsc_world *w, int low, int high)
{
    int first = nsci_last_contact(w, low, high);
    const nsc_contact *c = &w->contacts[first < 0 ? 0 : first];
    int i = first < 0 ? w->contact_count : first;
    for (; i < w->contact_count && nsci_same_pair(&w->contacts[i], c); i++)
        if (nsci_dot3(w->contacts[i].impulse, w->contacts[i].normal) > 0)
            return 1;
    return 0;
}

/* Look whether two shapes that fly at each other will meet in the step, by conservative
   advancement: b goes on as far as it surely may, until they touch or nothing lies ahead.  Then
   they pass, as at an edge: their n points get the gap that the way needs, and hold only what
   others drive together; without those whose gap is then beyond the margin.  What turning may add
   (arc) counts as if it closed.  Shapes that pressed pass only where they would overlap otherwise:
   what slides off keeps its contact to the end.  Returns how many points; all as before if they
   meet or in doubt. */
static int nsci_let_pass(nsc_world *w, int low, int high, nsc_real reach, nsc_real h, int n)
{
    nsci_finding *f = &w->scratch.find;
    nsci_point *p = f->points;
    nsci_geom *a = &f->geoms[low];
    nsci_geom *b = &f->geoms[high];
    int body_a = w->shapes[low].body;
    int body_b = w->shapes[high].body;
    nsc_vec3 start = b->centre;
    nsc_vec3 way = nsci_mul_sv(
        h, nsci_sub(nsci_vec_at(w->v_free + 6 * body_b), nsci_vec_at(w->v_free + 6 * body_a)));
    nsc_real arc, t = 0, next = 0; /* shares of the way */
    nsc_real touch = NSC_R(0.25) * w->def.slop;
    int i, kept, pressed, round, lost = f->lost;
    if (nsci_dot3(way, way) <= NSC_R(0.0625) * w->def.margin * w->def.margin ||
        a->kind == NSC_SHAPE_HALF_SPACE || b->kind == NSC_SHAPE_HALF_SPACE)
        return n;
    for (i = 0; i < n && !nsci_acts(w, low, high, &p[i], h);)
        i++;
    if (i == n)
        return n;
    arc = nsci_arc(w, a, body_a, h) + nsci_arc(w, b, body_b, h);
    pressed = nsci_pressed(w, low, high);
    for (round = 0; round < 16; round++) {
        t = next;
        next = 2;
        for (i = 0; i < n; i++) {
            nsc_real gap = p[i].gap - t * arc;
            nsc_real closing = arc - nsci_dot3(way, p[i].normal);
            if (gap <= touch)
                next = t;
            else if (gap < (1 - t) * closing + (pressed ? 0 : touch))
                next = nsci_min(next, nsci_min(t + gap / closing, 1));
        }
        if (next > 1 || next == t)
            break;
        b->centre = nsci_add_sv(start, next, way);
        n = nsci_collide_any(w, a, b, reach);
    }
    b->centre = start;
    if (t > 0) {
        n = nsci_collide_any(w, a, b, reach);
        for (i = kept = 0; i < n && next > 1; i++) {
            nsc_real closing = arc - nsci_dot3(way, p[i].normal);
            p[i].gap = nsci_max(p[i].gap, NSC_R(0.26) * w->def.slop + NSC_R(1.01) * closing);
            if (p[i].gap <= w->def.margin)
                p[kept++] = p[i];
        }
        n = next > 1 ? kept : n;
    }
    f->lost = lost;
    return n;
}

/* Store those of n points of two shapes that are contacts.  kept: see nsci_meet; core: of one
   shape's core, which only stops it */
static void nsci_put_points(nsc_world *w, int low, int high, nsc_real h, int n, int kept, int core)
{
    int i;
    const nsc_contact *first = NULL; /* of the pair: the others copy its combined material */
    for (i = 0; i < n; i++) {
        const nsci_point *p = &w->scratch.find.points[nsci_in_turn(high, i, n)];
        nsc_contact *c;
        c = nsci_acts(w, low, high, p, h) ? nsci_room(w, p->gap) : NULL;
        if (!c)
            continue;
        if (first && first != c)
            nsci_copy(c, first, sizeof *c);
        if (!first) {
            nsci_mix_shapes(w, c, low, high);
            c->restitution *= !core;
            c->manifold = (nsci_kept_at)kept;
        }
        first = c;
        c->feature = p->feature;
        c->point = p->point;
        c->normal = p->normal;
        c->gap = p->gap;
    }
}

/* Shrink a shape that goes further in the step than it is thick, or turns by more than a radian, to
   a ball about its middle, well within it.  way: relative to the other.  Returns 1 if so. */
static int nsci_shrink(nsc_world *w, int shape, nsc_vec3 way, nsc_real h)
{
    nsci_geom *g = &w->scratch.find.geoms[shape];
    int body = w->shapes[shape].body;
    nsc_vec3 turn = nsci_mul_sv(h, nsci_vec_at(w->v_free + 6 * body + 3));
    int spins = nsci_dot3(turn, turn) > 1;
    nsc_vec3 middle = g->centre;
    nsc_real r = g->radius;
    if (g->kind == NSC_SHAPE_SPHERE || w->bodies[body].kind != NSC_DYNAMIC_BODY ||
        !(spins || nsci_dot3(way, way) > w->def.margin * w->def.margin))
        return 0;
    if (g->kind == NSC_SHAPE_BOX)
        r = nsci_min(g->half[0], nsci_min(g->half[1], g->half[2]));
    if (g->kind == NSC_SHAPE_CYLINDER)
        r = nsci_min(r, g->half[2]);
    if (g->kind == NSC_SHAPE_HULL)
        r = nsci_inner_hull(g, &middle);
    if (!(spins || nsci_dot3(way, way) > r * r))
        return 0;
    g->centre = middle;
    g->kind = NSC_SHAPE_SPHERE;
    g->radius = NSC_R(0.9) * r;
    g->half[0] = g->half[1] = g->half[2] = 0;
    return 1;
}

/* A shape that turns in the step, if only because a corner is stopped, may hit with what is far
   from the other now.  So its core has contacts too, a ball that does not turn: whatever comes
   first, its middle stays on this side. */
static void nsci_collide_core(nsc_world *w, int low, int high, int core, nsc_real reach, nsc_real h)
{
    nsci_geom *geoms = w->scratch.find.geoms;
    const nsc_real *va = w->v_free + 6 * w->shapes[low].body;
    const nsc_real *vb = w->v_free + 6 * w->shapes[high].body;
    nsc_vec3 way = nsci_mul_sv(h, nsci_sub(nsci_vec_at(vb), nsci_vec_at(va)));
    int n;
    if (!nsci_shrink(w, core, way, h))
        return;
    n = nsci_collide_any(w, &geoms[low], &geoms[high], reach);
    n = nsci_let_pass(w, low, high, reach, h, n);
    nsci_put_points(w, low, high, h, n, 0, 1);
    nsci_place_shape(w, &w->shapes[core], &geoms[core]);
}

/* Find the contact points of two shapes; beyond the margin only those that close within the
   step. */
NSCI_OWN_FRAME void nsci_collide_shapes(nsc_world *w, int s, int t, nsc_real reach, nsc_real h)
{
    int low = s < t ? s : t;
    int high = s < t ? t : s;
    int n;
    int kept = 0;
    n = nsci_meet(w, low, high, reach, &kept);
    n = nsci_let_pass(w, low, high, reach, h, n);
    nsci_put_points(w, low, high, h, n, kept, 0);
    if (n > 0 && reach > 2 * w->def.margin) {
        nsci_collide_core(w, low, high, low, reach, h);
        nsci_collide_core(w, low, high, high, reach, h);
    }
}

/* May two shapes collide?  The caller is asked last. */
static int nsci_may_meet(const nsc_world *w, int i, int j)
{
    const nsc_shape *s = &w->shapes[i];
    const nsc_shape *t = &w->shapes[j];
    const nsc_body *a = &w->bodies[s->body];
    const nsc_body *b = &w->bodies[t->body];
    const nsc_calls *calls = w->scratch.find.calls;
    if (a == b || (a->kind != NSC_DYNAMIC_BODY && b->kind != NSC_DYNAMIC_BODY))
        return 0;
    if (!(s->def.category & t->def.mask) || !(t->def.category & s->def.mask))
        return 0;
    if ((!nsci_is_active(a) && !nsci_is_active(b)) || nsci_joined(w, s->body, t->body))
        return 0;
    return !calls ||
           calls->meet(calls->user, w, nsc_world_shape_at(w, i), nsc_world_shape_at(w, j));
}

NSCI_INLINE void nsci_begin_impulse(nsc_contact *c)
{
    c->impulse = nsci_vec(0, 0, 0);
    nsci_set_moment(c, c->impulse);
}

/* Clear the fields that a step fills in. */
static void nsci_begin_contact(nsc_contact *c)
{
    c->matched = c->touching = 0;
    c->approach = 0;
    nsci_begin_impulse(c);
    nsci_carry_smooth(c, NULL);
}

/* Does restitution act if the contact closes?  The impulse of an impact is no warm start for the
   next step. */
NSCI_ONE_COPY int nsci_strikes(const nsc_world *w, const nsc_contact *c)
{
    return c->restitution > 0 && c->approach <= -w->def.bounce_speed && !nsci_is_smooth(w);
}

/* Bodies wedged between others that do not give way have no solution: each step adds to what holds
   them, without end, until a slight turn throws them.  So after a step that left much, half is
   carried on of an impulse that alone would move its bodies 3000 times as fast as gravity does. */
NSCI_ONE_COPY void nsci_ease(const nsc_world *w, nsc_contact *c)
{
    const nsc_body *a = &w->bodies[nsci_body_of(w, c->body_a)];
    const nsc_body *b = &w->bodies[nsci_body_of(w, c->body_b)];
    nsc_real inverse = a->inv_mass + b->inv_mass;
    if (w->uneven > 0 && nsci_is_much(w, w->undo_h, inverse * nsci_norm(c->impulse), 3000))
        c->impulse = nsci_mul_sv(NSC_R(0.5), c->impulse);
}

/* Begin contact c with the impulse of the old one, times scale.  Returns 0 if it was an impact. */
static int nsci_carry_impulse(const nsc_world *w, nsc_contact *c, const nsc_contact *old,
                              nsc_real scale)
{
    if (nsci_strikes(w, old))
        return 0;
    c->matched = 1;
    c->impulse = nsci_mul_sv(scale, old->impulse);
    nsci_set_moment(c, nsci_mul_sv(scale, nsci_moment(old)));
    if (nsci_is_smooth(w))
        nsci_carry_smooth(c, old);
    return 1;
}

static int nsci_is_between_sleepers(const nsc_world *w, const nsc_contact *c)
{
    return !nsci_is_active(&w->bodies[nsci_body_of(w, c->body_a)]) &&
           !nsci_is_active(&w->bodies[nsci_body_of(w, c->body_b)]);
}

/* Keep the old contacts between bodies that are not active: they are matched already. */
static void nsci_keep_sleeping(nsc_world *w, nsc_real scale)
{
    int i, sleepers = 0;
    for (i = 1; i < w->body_end; i++)
        sleepers += w->bodies[i].asleep;
    for (i = 0; i < w->contact_count && sleepers > 0; i++) {
        const nsc_contact *old = &w->contacts[i];
        nsc_contact *c = NULL;
        if (old->shape_a >= 0 && nsci_is_between_sleepers(w, old))
            c = nsci_room(w, old->gap);
        if (!c)
            continue;
        nsci_copy(c, old, sizeof *c);
        nsci_begin_contact(c);
        w->report.matched += nsci_carry_impulse(w, c, old, scale);
    }
}

/* How near two shapes are in contact in this step [m].  The way that their bodies go together, if
   it is long, brings them no nearer: less than 0 if their boxes meet only by it. */
static nsc_real nsci_look_out(const nsc_world *w, int s, int t, nsc_real h)
{
    const nsci_aabb *a = &w->scratch.find.boxes[s];
    const nsci_aabb *b = &w->scratch.find.boxes[t];
    nsc_real reach = w->scratch.find.reach[s] + w->scratch.find.reach[t];
    nsc_vec3 va = nsci_vec_at(w->v_free + 6 * w->shapes[s].body);
    nsc_vec3 vb = nsci_vec_at(w->v_free + 6 * w->shapes[t].body);
    nsc_real way;
    int i;
    if (!(reach > 2 * w->def.margin))
        return w->def.margin + reach;
    way = h * (nsci_norm(va) + nsci_norm(vb) - nsci_norm(nsci_sub(vb, va)));
    if (!(way <= reach)) /* of speeds whose squares overflow */
        way = 0;
    for (i = 0; i < 3; i++)
        if (a->min[i] + way > b->max[i] || b->min[i] + way > a->max[i])
            return -1;
    return w->def.margin + reach - way;
}

/* Find the contacts of two shapes if their boxes overlap. */
static void nsci_meet_boxes(nsc_world *w, int s, int t, nsc_real h)
{
    nsc_real reach;
    if (!nsci_overlap(&w->scratch.find.boxes[s], &w->scratch.find.boxes[t]) ||
        !nsci_may_meet(w, s, t))
        return;
    if (nsci_casts(w)) {
        nsci_cast_pair(w, s, t);
        return;
    }
    reach = nsci_look_out(w, s, t, h);
    if (reach < 0)
        return;
    w->report.pairs++;
    nsci_collide_shapes(w, s, t, reach, h);
}

/* Every pair of which one is active, in the order of contacts */
static void nsci_meet_all(nsc_world *w, int n, nsc_real h)
{
    const nsci_index *shapes = w->scratch.find.sweep;
    const uint8_t *active = w->scratch.find.active;
    int i, j;
    for (i = 0; i < n; i++) {
        int all = active[shapes[i]];
        for (j = i + 1; j < n; j++)
            if (all || active[shapes[j]])
                nsci_meet_boxes(w, shapes[i], shapes[j], h);
    }
}

NSCI_OWN_FRAME void nsci_find_contacts(nsc_world *w, nsc_real h, nsc_real scale)
{
    int n = nsci_bound_shapes(w, h);
    nsci_link_joints(w);
    w->next_manifold = 0;
    w->scratch.find.lost = 0;
    NSCI_IF(NSC_BARRIER, w->casting = 0;)
    if (NSC_STRIPS)
        nsci_meet_strips(w, n, h);
    else
        nsci_meet_all(w, n, h);
    w->report.dropped += w->scratch.find.lost;
    nsci_mend_seams(w, h);
    nsci_keep_sleeping(w, scale);
    nsci_sort_found(w);
}

/* cos 5 degrees: impulses are not carried over where the normal turned further */
#define NSCI_TURNED NSC_R(0.9961947)

/* The i-th contact of the step, in the order of contacts */
static nsc_contact *nsci_found(nsc_world *w, int i)
{
    return &w->found[w->links[w->first_contact + i].item];
}

/* May the old contact with index m give c its impulse? */
static int nsci_may_give(const nsc_world *w, int m, const nsc_contact *c)
{
    return !w->scratch.find.used[m] &&
           !(nsci_dot3(w->contacts[m].normal, c->normal) < NSCI_TURNED);
}

/* Index of the unused contact among from..to with the feature of c, or -1.  Resting shapes find
   their points in the same order in every step, so `likely` comes first. */
NSCI_OWN_FRAME int nsci_find_same(const nsc_world *w, const nsc_contact *c, int from, int to,
                                  int likely)
{
    int i, n = to - from;
    for (i = likely < to ? likely : from; n > 0; n--) {
        if (w->contacts[i].feature == c->feature && nsci_may_give(w, i, c))
            return i;
        i = i + 1 < to ? i + 1 : from;
    }
    return -1;
}

/* Index of the unused contact among from..to nearest to c, within match_distance, or -1 */
static int nsci_find_near(const nsc_world *w, const nsc_contact *c, int from, int to)
{
    nsc_real limit = w->def.match_distance * w->def.match_distance;
    int i, found = -1;
    for (i = from; i < to; i++) {
        nsc_vec3 d = nsci_sub(w->contacts[i].point, c->point);
        if (!(nsci_dot3(d, d) < limit) || !nsci_may_give(w, i, c))
            continue;
        limit = nsci_dot3(d, d);
        found = i;
    }
    return found;
}

/* Match the new contacts begin..end of a pair with its old ones from..to, by feature or (nearest =
   1) by distance, and carry their impulses over, times scale.  Returns how many are matched. */
static int nsci_match_pair(nsc_world *w, int begin, int end, int from, int to, int nearest,
                           nsc_real scale)
{
    int i, m, matched = 0;
    for (i = begin; i < end; i++) {
        nsc_contact *c = nsci_found(w, i);
        if (c->matched)
            continue;
        m = nearest ? nsci_find_near(w, c, from, to)
                    : nsci_find_same(w, c, from, to, from + i - begin);
        if (m < 0 || !nsci_carry_impulse(w, c, &w->contacts[m], scale))
            continue;
        nsci_ease(w, c);
        if (!nearest && nsci_dot3(w->contacts[m].impulse, w->contacts[m].normal) > 0)
            w->pressed[c - w->found] = (nsci_index)(m + 1);
        w->scratch.find.used[m] = 1;
        matched++;
    }
    return matched;
}

/* Carry impulses from contacts to found, as world vectors times scale, which fits them to the new
   step.  Both lists are in the same order, so one walk finds equal pairs. */
NSCI_OWN_FRAME void nsci_match_contacts(nsc_world *w, nsc_real scale)
{
    int begin = 0, end, from = 0, to, matched;
    for (; begin < w->found_count; begin = end) {
        const nsc_contact *first = nsci_found(w, begin);
        end = begin + 1;
        if (first->matched)
            continue; /* asleep */
        while (end < w->found_count && nsci_same_pair(first, nsci_found(w, end)))
            end++;
        for (; from < w->contact_count && nsci_pair_order(&w->contacts[from], first) < 0; from++) {
        }
        for (to = from; to < w->contact_count && nsci_same_pair(&w->contacts[to], first); to++)
            w->scratch.find.used[to] = 0;
        matched = nsci_match_pair(w, begin, end, from, to, 0, scale);
        if (matched < end - begin && matched < to - from)
            matched += nsci_match_pair(w, begin, end, from, to, 1, scale);
        w->report.matched += matched;
        from = to;
    }
}

/* ---- >>islands -------------------------------------------------------------------------------
   Bodies that touch or are joined are solved together, apart from all others.  Static and kinematic
   bodies belong to no island, and separate islands. */

/* Build the step's list of links.  The contacts found are sorted. */
NSCI_OWN_FRAME void nsci_list_links(nsc_world *w, const nsc_calls *calls)
{
    int i;
    (void)calls;
    w->link_count = 0;
    nsci_list_joints(w);
    nsci_list_springs(w);
    nsci_list_rows(w, calls);
    w->first_contact = w->link_count;
    for (i = 0; i < w->found_count; i++) {
        int item = w->scratch.find.order[i];
        nsci_add_link(w, NSCI_CONTACT_LINK, item, w->found[item].body_a, w->found[item].body_b);
    }
}

static int nsci_is_dynamic(const nsc_world *w, int i)
{
    return w->bodies[i].generation % 2 && w->bodies[i].kind == NSC_DYNAMIC_BODY;
}

/* Is it the link of a contact?  Without parts that have links all are. */
static int nsci_links_contact(const nsci_link *l)
{
    return NSCI_MAX_LINKS == NSC_MAX_CONTACTS || l->kind == NSCI_CONTACT_LINK;
}

static int nsci_is_sensor(const nsc_world *w, const nsci_link *l)
{
    return nsci_links_contact(l) && w->found[l->item].sensor;
}

/* Island of a link between two bodies */
static int nsci_island_of(const nsc_world *w, int a, int b)
{
    return w->island[a] != NSCI_NOWHERE ? w->island[a] : w->island[b];
}

/* The island with index i; a build without islands has only one. */
static nsc_island *nsci_island_at(nsc_world *w, int i) { return &w->islands[NSCI_ISLANDS ? i : 0]; }

/* Wake an island if body a or b of one of its links is active. */
static void nsci_rouse(const nsc_world *w, nsc_island *own, int a, int b)
{
    if (own->asleep)
        own->asleep = !nsci_is_active(&w->bodies[a]) && !nsci_is_active(&w->bodies[b]);
}

/* Body i touches another, which may be kinematic: if that moves, i is not still. */
static void nsci_stir(nsc_world *w, int i, int other)
{
    const nsc_body *b = &w->bodies[other];
    if (b->kind == NSC_KINEMATIC_BODY && nsci_is_active(b))
        w->bodies[i].still = 0;
}

/* Root of a body's set: the lowest index in it */
static int nsci_root(nsci_index *set, int i)
{
    while (set[i] != i) {
        set[i] = set[set[i]];
        i = set[i];
    }
    return i;
}

static void nsci_unite(nsc_world *w, int a, int b)
{
    if (!nsci_is_dynamic(w, a) || !nsci_is_dynamic(w, b))
        return;
    a = nsci_root(w->island, a);
    b = nsci_root(w->island, b);
    w->island[a < b ? b : a] = (nsci_index)(a < b ? a : b);
}

/* NSC_NO_ISLANDS: number 0 for all dynamic bodies.  Returns 1 if there is one. */
static int nsci_number_one_island(nsc_world *w)
{
    int i, count = 0;
    for (i = 0; i < w->body_end; i++) {
        w->island[i] = nsci_is_dynamic(w, i) ? 0 : NSCI_NOWHERE;
        if (w->island[i] == 0)
            count = 1;
    }
    return count;
}

/* Union-find over bodies.  Afterwards island[i] is the number of body i's island; islands are
   numbered in the order of their lowest bodies.  Returns their count.  together: all awake bodies
   form one island, because a force of the caller may couple any two. */
NSCI_OWN_FRAME int nsci_number_islands(nsc_world *w, int together)
{
    int i;
    int count = 0;
    int last = -1;
    if (!NSCI_ISLANDS)
        return nsci_number_one_island(w);
    for (i = 0; i < w->body_end; i++)
        w->island[i] = (nsci_index)i;
    for (i = 0; i < w->link_count; i++)
        if (!nsci_is_sensor(w, &w->links[i]))
            nsci_unite(w, w->links[i].a, w->links[i].b);
    for (i = w->body_end - 1; together && i > 0; i--)
        if (nsci_is_dynamic(w, i) && !w->bodies[i].asleep) {
            nsci_unite(w, i, last < 0 ? i : last);
            last = i;
        }
    for (i = 0; i < w->body_end; i++)
        w->members[i] = (nsci_index)nsci_root(w->island, i);
    for (i = 0; i < w->body_end; i++) {
        int root = w->members[i];
        if (!nsci_is_dynamic(w, i))
            w->island[i] = NSCI_NOWHERE;
        else
            w->island[i] = (nsci_index)(root == i ? count++ : w->island[root]);
    }
    return count;
}

/* Must an elastic contact wait?  If v_free alone does not close it, the step leaves it out.  If
   other contacts drive it together, it bounces in the next step.  Closing it here would dissipate
   the energy that its bounce should return. */
#define NSCI_EARLY NSC_R(0.01) /* see nsci_bounce_together */
NSCI_ONE_COPY int nsci_waits(const nsc_world *w, const nsci_link *l, const nsc_contact *c,
                             nsc_real h)
{
    if (c->restitution <= 0 || c->gap <= NSC_R(0.25) * w->def.slop || nsci_is_smooth(w) ||
        w->bodies[l->a].asleep || w->bodies[l->b].asleep) /* they wake: v_free is not known */
        return 0;
    h *= 1 + NSCI_EARLY;
    return c->gap + h * nsci_normal_velocity(w, w->v_free, l->a, l->b, c->point, c->normal) > 0;
}

/* Insert a link at the head of its island's chain, unless it has no dynamic body, is a sensor or
   waits. */
static void nsci_chain_link(nsc_world *w, int i, nsc_real h)
{
    nsci_link *l = &w->links[i];
    int k = nsci_island_of(w, l->a, l->b);
    int is_contact = nsci_links_contact(l);
    nsc_island *own;
    l->block = NSCI_NOWHERE;
    if (k == NSCI_NOWHERE || nsci_is_sensor(w, l))
        return;
    own = nsci_island_at(w, k);
    nsci_rouse(w, own, l->a, l->b);
    nsci_stir(w, l->a, l->b);
    nsci_stir(w, l->b, l->a);
    if (is_contact && nsci_waits(w, l, &w->found[l->item], h))
        return;
    l->block = 0;
    l->next = own->first_link;
    own->first_link = (nsci_index)i;
    if (is_contact)
        own->contacts++;
    else if (l->kind == NSCI_SPRING_LINK)
        own->springs++;
    else
        own->joints++;
}

/* Build the islands with their bodies and links, and find which are awake. */
NSCI_OWN_FRAME void nsci_find_islands(nsc_world *w, nsc_real h, int together)
{
    int i, k;
    int bodies = 0;
    int count = nsci_number_islands(w, together);
    nsc_island *own;
    w->report.islands = count;
    nsci_clear(w->islands, sizeof(nsc_island) * (size_t)count);
    for (k = 0; k < count; k++) {
        own = nsci_island_at(w, k);
        own->asleep = 1;
        own->first_link = NSCI_NOWHERE;
    }
    for (i = 0; i < w->body_end; i++) {
        w->inner[i] = 0;
        if (w->island[i] == NSCI_NOWHERE)
            continue;
        own = nsci_island_at(w, w->island[i]);
        own->bodies++;
        nsci_rouse(w, own, i, i);
    }
    for (i = w->link_count - 1; i >= 0; i--)
        nsci_chain_link(w, i, h);
    for (k = 0; k < count; k++) {
        own = nsci_island_at(w, k);
        own->first_body = (nsci_index)bodies;
        bodies += own->bodies;
        own->bodies = 0;
    }
    for (i = 0; i < w->body_end; i++) {
        if (w->island[i] == NSCI_NOWHERE)
            continue;
        own = nsci_island_at(w, w->island[i]);
        w->members[own->first_body + own->bodies++] = (nsci_index)i;
    }
}

/* Give a kinematic body of a link an index in the island's problem when it is first met. */
static void nsci_number_kinematic(nsc_world *w, int body, int *count)
{
    int i = w->inner[body];
    if (w->bodies[body].kind != NSC_KINEMATIC_BODY || w->bodies[body].generation % 2 == 0)
        return;
    if (i > 0 && i < *count && w->outer[i] == body)
        return;
    w->inner[body] = (nsci_index)*count;
    w->outer[*count] = (nsci_index)body;
    (*count)++;
}

/* Mass of a dynamic body in the world's frame */
static void nsci_fill_mass(const nsc_world *w, const nsci_scheme *s, const nsc_body *b, nsc_mass *m)
{
    nsci_mat3 R;
    (void)w;
    m->inv_mass = b->inv_mass;
    if (nsci_is_ball(b->inertia) && nsci_may_turn(b)) {
        nsci_copy(m->inv_inertia, b->inv_inertia, sizeof m->inv_inertia);
        return;
    }
    R = nsci_rotation(*nsci_inertia_turn(w, s, b));
    nsci_sym_rotate(&R, b->inv_inertia, m->inv_inertia);
    nsci_lock_inertia(b, &R, m->inv_inertia);
}

/* Copy masses and free velocities of an island's bodies into its problem.  Returns the number of
   bodies, ground included. */
NSCI_OWN_FRAME int nsci_gather_bodies(nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_mass *m = w->scratch.solve.masses;
    nsc_real *v = w->scratch.solve.v_free;
    int i, count = 1;
    for (i = 0; i < own->bodies; i++, count++) {
        w->outer[count] = w->members[own->first_body + i];
        w->inner[w->outer[count]] = (nsci_index)count;
    }
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
        nsci_number_kinematic(w, w->links[i].a, &count);
        nsci_number_kinematic(w, w->links[i].b, &count);
    }
    nsci_clear(m, sizeof *m * (size_t)count);
    nsci_clear(v, 6 * sizeof *v);
    w->outer[0] = 0;
    for (i = 1; i < count; i++) {
        const nsc_body *b = &w->bodies[w->outer[i]];
        nsci_copy(v + 6 * i, w->v_free + 6 * w->outer[i], 6 * sizeof *v);
        if (b->kind == NSC_DYNAMIC_BODY)
            nsci_fill_mass(w, s, b, &m[i]);
    }
    return count;
}

/* ---- >>step ---------------------------------------------------------------------------------- */

/* Angular acceleration I^-1 torque, world frame [rad/s^2] */
static nsc_vec3 nsci_spin_up(const nsc_world *w, const nsci_scheme *s, const nsc_body *b,
                             nsc_vec3 torque)
{
    nsci_mat3 R = nsci_rotation(*nsci_inertia_turn(w, s, b));
    return nsci_turn_by(b, &R, torque);
}

/* Write a body's free velocity: its velocity without forces, plus hf M^-1 F unless asleep.  Returns
   0 or the error that refuses the step. */
NSCI_OWN_FRAME int nsci_free_velocity(nsc_world *w, int i, const nsci_scheme *s, int asleep)
{
    nsc_body *b = &w->bodies[i];
    nsc_real *out = w->v_free + 6 * i;
    nsc_vec3 v, o;
    nsc_vec3 force = b->force;
    nsc_vec3 torque = b->torque;
    nsc_real sum;
    nsci_hat(w, s, i, out);
    v = nsci_vec_at(out);
    o = nsci_vec_at(out + 3);
    if (nsci_is_dynamic(w, i) && !asleep) {
        if (!(b->inv_mass > 0))
            return nsci_refused(&w->note, NSC_ERR_INERTIA, NSCI_NO_MASS, (nsc_real)i);
        if (s->calls && s->calls->force)
            nsci_ask_force(w, s, i, &force, &torque);
        nsci_gyrate(w, s, b, &torque);
        v = nsci_add_sv(v, s->hf * b->gravity_scale, w->def.gravity);
        v = nsci_add_sv(v, s->hf * b->inv_mass, force);
        if (!(nsci_abs(torque.x) + nsci_abs(torque.y) + nsci_abs(torque.z) <= 0)) /* a NaN too */
            o = nsci_add_sv(o, s->hf, nsci_spin_up(w, s, b, torque));
    }
    if (b->generation % 2 == 0)
        v = o = nsci_vec(0, 0, 0);
    nsci_put_pair(out, v, o);
    nsci_damp_and_lock(w, i, s->hf);
    sum = b->orientation.w + b->orientation.x + b->orientation.y + b->orientation.z;
    sum += b->position.x + b->position.y + b->position.z;
    sum += (out[0] + out[1] + out[2]) + (out[3] + out[4] + out[5]);
    if (nsci_finite(sum))
        return NSC_OK;
    return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_LOST, (nsc_real)i);
}

/* Clear the members of the contacts that the step computes.  Store their approach speeds, from the
   velocities before the step, and the deepest penetration, sensors included. */
NSCI_OWN_FRAME void nsci_begin_contacts(nsc_world *w)
{
    nsc_real deepest = 0;
    int i;
    for (i = w->first_contact; i < w->link_count; i++) {
        const nsci_link *l = &w->links[i];
        const nsc_body *a = &w->bodies[l->a];
        const nsc_body *b = &w->bodies[l->b];
        nsc_contact *c = &w->found[l->item];
        nsc_vec3 va, vb;
        w->pressed[l->item] = 0;
        if (!c->sensor)
            deepest = nsci_max(deepest, -c->gap);
        if (c->matched)
            continue; /* asleep, see nsci_keep_sleeping */
        va = nsci_velocity_at(a, c->point);
        vb = nsci_velocity_at(b, c->point);
        nsci_begin_contact(c);
        c->approach = nsci_clamp_finite(nsci_dot3(c->normal, nsci_sub(vb, va)));
    }
    w->report.penetration = deepest;
}

/* Check what the caller may change of a contact: the law and sensor. */
static int nsci_check_law(nsc_world *w, const nsc_contact *c)
{
    int code = nsci_check_members(&w->note, c, NSCI_nsc_contact_friction, NSCI_nsc_contact_damping);
    if (code < 0)
        return code;
    if (c->sensor > 1)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_SENSOR, (nsc_real)c->sensor);
    code = nsci_check_rolling_law(&w->note, c);
    return code == NSC_OK && !c->sensor ? nsci_check_smooth(w, c) : code;
}

/* Let the caller change law and sensor of the contacts found, not what the narrow phase says.
   Returns 0 or the error that refuses the step. */
NSCI_OWN_FRAME int nsci_ask_contacts(nsc_world *w, const nsc_calls *calls)
{
    int i, code = NSC_OK;
    if (!calls || !calls->contact)
        return NSC_OK;
    for (i = 0; i < w->found_count && code == NSC_OK; i++) {
        nsc_contact *own = &w->found[w->scratch.find.order[i]];
        nsc_contact was;
        uint8_t sensor;
        if (own->shape_a < 0 || nsci_is_between_sleepers(w, own))
            continue;
        nsci_copy(&was, own, sizeof was);
        calls->contact(calls->user, w, own);
        sensor = own->sensor;
        nsci_copy(own, &was, offsetof(nsc_contact, friction));
        own->sensor = sensor;
        nsci_drop_unused_law(w, own);
        code = nsci_check_law(w, own);
    }
    return code;
}

/* Forces act in each sub-step; v_free has what they add in the first.  While contacts are looked
   for over the whole step, it is its mean over the step; back: as it was, from `before`. */
#if NSCI_SUBSTEPS
NSCI_OWN_FRAME void nsci_look_ahead(nsc_world *w, int back)
{
    nsc_real more = NSC_R(0.5) * (nsc_real)(nsci_substeps(w) - 1);
    int i;
    for (i = 0; i < w->body_end && more > 0; i++) {
        const nsc_body *b = &w->bodies[i];
        nsci_start *m = &w->before[i].start;
        nsc_real *at = w->v_free + 6 * i;
        nsc_vec3 v = nsci_vec_at(at), o = nsci_vec_at(at + 3);
        if (back) {
            nsci_put_pair(at, m->velocity, m->angular_velocity);
            m->velocity = b->velocity;
            m->angular_velocity = b->angular_velocity;
            continue;
        }
        m->velocity = v;
        m->angular_velocity = o;
        v = nsci_add_sv(v, more, nsci_sub(v, b->velocity));
        o = nsci_add_sv(o, more, nsci_sub(o, b->angular_velocity));
        nsci_put_pair(at, nsci_clamp_finite3(v), nsci_clamp_finite3(o));
    }
}
#else
#define nsci_look_ahead(w, back) ((void)0)
#endif

/* Once a step: find contacts, carry over impulses, build islands.  Bodies woken here get their free
   velocity. */
static int nsci_begin_step(nsc_world *w, nsc_real h, const nsci_scheme *s)
{
    nsc_real scale = w->last_h > 0 ? s->hf / w->last_h : 0; /* of impulses */
    int i, code = NSC_OK;
    w->scratch.find.calls = s->calls && s->calls->meet ? s->calls : NULL;
    nsci_look_ahead(w, 0);
    nsci_find_contacts(w, h, scale);
    code = nsci_ask_contacts(w, s->calls);
    nsci_list_links(w, s->calls);
    nsci_begin_contacts(w);
    nsci_match_contacts(w, nsci_warm(w, s));
    nsci_find_islands(w, h, (nsci_mode(s) == NSCI_NEWTON && s->calls && s->calls->force) ||
                                nsci_is_barrier(w));
    nsci_look_ahead(w, 1);
    w->rolling_count = 0;
    for (i = 1; i < w->body_end && code == NSC_OK; i++)
        if (w->bodies[i].asleep && !nsci_rests(w, i))
            code = nsci_free_velocity(w, i, s, 0);
    return code;
}

/* Fill the Jacobian rows of a contact whose bodies have their centres of mass at a and b. */
static void nsci_contact_rows(const nsc_world *w, const nsc_contact *c, nsc_vec3 a, nsc_vec3 b,
                              nsc_block *k)
{
    nsc_vec3 t1, t2;
    a = nsci_sub(c->point, a);
    b = nsci_sub(c->point, b);
    nsci_tangents(c->normal, &t1, &t2);
    NSCI_PUT_ROW(k, 0, c->normal, nsci_fill_row(k->J[0], c->normal, a, b));
    NSCI_PUT_ROW(k, 1, t1, nsci_fill_row(k->J[1], t1, a, b));
    NSCI_PUT_ROW(k, 2, t2, nsci_fill_row(k->J[2], t2, a, b));
    nsci_set_arms(k, a, b);
    nsci_lock_block(w, k);
}

/* Fill a contact's block: Jacobian rows and warm start. */
NSCI_OWN_FRAME void nsci_fill_contact(const nsc_world *w, const nsci_link *l, nsc_block *k,
                                      const nsci_scheme *s)
{
    const nsc_contact *c = &w->found[l->item];
    NSC_MEMSET(k->lambda, 0, sizeof k->lambda);
    k->kind = NSC_BLOCK_CONTACT;
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    k->mu = c->friction;
    k->a = nsci_inner_of(w, l->a);
    k->b = nsci_inner_of(w, l->b);
    nsci_contact_rows(w, c, nsci_stood(w, s, l->a), nsci_stood(w, s, l->b), k);
    k->lambda[0] = nsci_max(nsci_dot3(c->impulse, c->normal) + nsci_pull(w, c, s), 0);
    if (k->rows < 3 || k->lambda[0] <= 0)
        return;
    k->lambda[1] = nsci_dot3(c->impulse, nsci_row_axis(k, 1, 0));
    k->lambda[2] = nsci_dot3(c->impulse, nsci_row_axis(k, 2, 0));
}

/* Speed at which a bouncing contact is to separate [m/s]; 0: no bounce in this step.  `in` is the
   speed of approach before the step; forces add `pull` to it within the step.  Newton's law, out =
   e in, would keep too much: the velocity reverses while the gap is still open, and in the next
   step the pull acts only at the end.  Under a constant force the steps conserve v^2 + pull (2 gap
   / h - v), v the normal velocity.  out leaves e^2 of it:
       out^2 + pull out + 2 pull gap / h = e^2 (in^2 + pull in + 2 pull gap / h).
   If this has no solution, the bounce would not reach the present gap: then the gap closes, and the
   contact bounces in the next step. */
static nsc_real nsci_bounce(nsc_real e, nsc_real in, nsc_real pull, nsc_real gap, nsc_real h)
{
    nsc_real out = e * in;
    nsc_real b = 2 * out + pull;
    nsc_real c, d;
    if (!(pull > 0))
        return out;
    c = pull * (1 - e) * (out + (1 + e) * 2 * gap / h);
    d = b * b - 4 * c;
    if (!(d >= 0))
        return 0;
    out -= 2 * c / (b + NSC_SQRT(d));
    return out > 0 ? out : 0;
}

/* Speed of separation without impulses */
static nsc_real nsci_free_speed(const nsc_world *w, const nsc_block *k)
{
    const nsc_real *v = w->scratch.solve.v_free;
    return nsci_along_row(k, 0, v + 6 * k->a, v + 6 * k->b);
}

/* Where a body's centre of mass was a (sub-)step ago, as if its velocity was the same then */
static nsc_vec3 nsci_came_from(const nsc_world *w, const nsci_scheme *s, int i, nsc_real h)
{
    return nsci_add_sv(nsci_stood(w, s, i), -h, w->bodies[i].velocity);
}

/* Does a contact move with its bodies between sub-steps?  Not those of yours, whose shapes are not
   known. */
static int nsci_moves(const nsc_world *w, const nsci_scheme *s, const nsc_contact *c)
{
    return nsci_mode(s) <= NSCI_VELOCITY && c->shape_a >= 0 && !nsci_is_smooth(w);
}

/* Velocity of b's point at its arm less that of a's, at linear velocities apart by v and these
   angular ones */
static nsc_vec3 nsci_apart(nsc_vec3 v, nsc_vec3 wa, nsc_vec3 ra, nsc_vec3 wb, nsc_vec3 rb)
{
    return nsci_sub(nsci_add(v, nsci_cross(wb, rb)), nsci_cross(wa, ra));
}

/* Speeds, at the present velocities, of a contact's rows as they were in the (sub-)step before.
   Returns how long ago that was [s]; 0: unknown, or it did not press, or nothing turns above
   rounding.  *held: it did not slide, or its bodies turn together, as a box rides on a turning
   table, whose points may strain against each other up to their cones. */
static nsc_real nsci_old_speeds(const nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                                const nsc_block *k, nsc_real *speed, int *held)
{
    const nsc_body *a = &w->bodies[l->a];
    const nsc_body *b = &w->bodies[l->b];
    const nsc_contact *c = &w->found[l->item];
    nsc_vec3 wa = a->angular_velocity, wb = b->angular_velocity, ra, rb, d[3], v;
    nsc_vec3 apart;
    nsc_real was = s->h, press, slip;
    int i;
    if (nsci_mode(s) == NSCI_POSITION || nsci_is_smooth(w) ||
        (nsci_mode(s) == NSCI_NEWTON && !nsci_is_first(s)) ||
        s->h * s->h * (nsci_dot3(wa, wa) + nsci_dot3(wb, wb)) <= NSC_REAL_EPS)
        return 0;
    if (nsci_is_first(s)) {
        if (w->pressed[l->item] == 0)
            return 0;
        c = &w->contacts[w->pressed[l->item] - 1];
        was = w->last_h / (nsc_real)(c->shape_a < 0 ? 1 : nsci_substeps(w));
        ra = nsci_sub(c->point, nsci_came_from(w, s, l->a, was));
        rb = nsci_sub(c->point, nsci_came_from(w, s, l->b, was));
        d[0] = c->normal;
        nsci_tangents(d[0], &d[1], &d[2]);
        press = nsci_dot3(c->impulse, d[0]);
        slip = nsci_dot3(c->impulse, c->impulse) - press * press;
    } else {
        ra = nsci_vec_at(k->arm_a);
        rb = nsci_vec_at(k->arm_b);
        for (i = 0; i < 3; i++)
            d[i] = nsci_row_axis(k, i, 0);
        press = k->lambda[0];
        slip = k->rows < 3 ? 0 : k->lambda[1] * k->lambda[1] + k->lambda[2] * k->lambda[2];
    }
    apart = nsci_sub(wb, wa);
    *held = slip < NSC_R(0.98) * c->friction * c->friction * press * press ||
            nsci_dot3(apart, apart) < NSC_R(0.01) * nsci_dot3(wa, wb);
    v = nsci_apart(nsci_sub(b->velocity, a->velocity), wa, ra, wb, rb);
    for (i = 0; i < 3; i++)
        speed[i] = nsci_dot3(d[i], v);
    return press > 0 ? was : 0;
}

/* nsci_half_gyration of a problem's body, computed once: until the solve it stands in v, whose
   fourth number says whether it does (nsci_build_problem). */
NSCI_IN_PLACE nsc_vec3 nsci_gyration(nsc_world *w, int inner, nsc_real h)
{
    nsc_real *g = w->scratch.solve.v + 6 * inner;
    if (g[3] <= 0)
        nsci_put_pair(g, nsci_half_gyration(&w->bodies[w->outer[inner]], h), nsci_vec(1, 0, 0));
    return nsci_vec_at(g);
}

/* A contact that pressed in the (sub-)step before gets back the speed that the turning of its
   normal and arms takes, and the rows of friction too unless it slid (held).  So their paths are of
   second order in the rotation, as SHAKE's, and rolling neither loses nor gains energy.  A row
   returns its own speed at most, which makes none; k->lo, which a CONTACT does not use, keeps it.
   before: speeds of the rows as they were `was` [s] ago */
static void nsci_bend_contact(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                              const nsc_real *before, nsc_real was, int held, nsc_block *k)
{
    const nsc_body *a = &w->bodies[l->a];
    const nsc_body *b = &w->bodies[l->b];
    nsc_vec3 ra = nsci_vec_at(k->arm_a), rb = nsci_vec_at(k->arm_b), d;
    nsc_vec3 turn = nsci_apart(nsci_vec(0, 0, 0), nsci_gyration(w, k->a, s->h), ra,
                               nsci_gyration(w, k->b, s->h), rb);
    nsc_vec3 v = nsci_apart(nsci_sub(b->velocity, a->velocity), a->angular_velocity, ra,
                            b->angular_velocity, rb);
    int i;
    for (i = 0; i < (held ? k->rows : 1); i++) {
        nsc_real now, bend;
        d = nsci_row_axis(k, i, 0);
        now = nsci_dot3(d, v);
        bend = nsci_dot3(d, turn) + NSC_R(0.5) * s->h / was * (now - before[i]);
        if (i > 0)
            now += k->bias[i];
        k->lo[i] = nsci_clamp(bend, nsci_min(now, 0), nsci_max(now, 0));
        k->bias[i] += k->lo[i];
    }
    k->hi[0] = k->bias[0];
}

static int nsci_is_sphere(const nsc_world *w, nsc_id shape)
{
    return shape >= 0 && w->shapes[nsci_rank(shape) - 1].def.kind == NSC_SHAPE_SPHERE;
}

/* Penetration of a contact that is not undone.  On a ball, which it touches at one point, nothing
   rocks: see nsci_give_slack. */
static nsc_real nsci_slack(const nsc_world *w, const nsc_contact *c, const nsci_scheme *s)
{
    nsc_real slop = w->def.slop;
    if (s->slack > slop && (nsci_is_sphere(w, c->shape_a) || nsci_is_sphere(w, c->shape_b)))
        return slop;
    return s->slack;
}

/* Bias and compliance of the normal row.  An open gap may close within the step (bias gap / h, not
   scaled by recovery).  The last quarter of the slop counts as touching: otherwise the 0.1 mm that
   an unfinished solve leaves would close with 24 mm/s at 240 Hz, and a tall stack never rest.  A
   penetration is undone at bounded speed, or by the spring (implicit Euler: Gamma =
   1/(h(hk+d))).  early: share of the step by which a bounce may come too early */
NSCI_ONE_COPY void nsci_contact_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                              const nsci_scheme *s, nsc_real early)
{
    nsc_real h = s->hx;
    nsc_real room = nsci_max(c->gap - NSC_R(0.25) * w->def.slop, 0);
    nsc_real stiff = h * c->stiffness + c->damping;
    nsc_real deep = nsci_min(c->gap + nsci_slack(w, c, s), 0);
    nsc_real speed, out;
    if (nsci_mode(s) == NSCI_POSITION) {
        nsci_position_bias(w, c, k, s);
        return;
    }
    /* The row is linear: it understates how far a body that spins fast closes a wide gap. */
    if (c->gap > w->def.margin) {
        nsci_point p = {c->point, c->normal, c->gap, 0};
        nsc_real after = nsci_gap_after(w, nsci_body_of(w, c->body_a), nsci_body_of(w, c->body_b),
                                        nsci_round_of(w, c->shape_a), nsci_round_of(w, c->shape_b),
                                        &p, h);
        room = nsci_clamp(after - h * nsci_free_speed(w, k), 0, room);
    }
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    k->bias[1] = k->bias[2] = k->cfm[0] = k->cfm[1] = k->cfm[2] = 0;
    nsci_drive_belt(c, k, 1);
    k->bias[0] = room / h;
    if (c->gap <= 0)
        k->bias[0] = nsci_max(w->def.recovery * deep / s->undo, -w->def.recovery_speed);
    if (c->stiffness > 0) {
        k->cfm[0] = 1 / (h * stiff);
        if (c->gap <= 0)
            k->bias[0] = c->gap * c->stiffness / stiff;
    } else if (nsci_mode(s) == NSCI_VELOCITY) {
        k->bias[0] = nsci_max(k->bias[0], 0);
    }
    /* bias without restitution, for nsci_limit_bounces; a CONTACT does not use hi */
    k->hi[0] = k->bias[0];
    if (!nsci_strikes(w, c))
        return;
    speed = nsci_free_speed(w, k);
    if (nsci_min(c->gap, room) + (1 + early) * h * speed > 0)
        return;
    out = nsci_bounce(c->restitution, -c->approach, c->approach - speed, nsci_max(c->gap, 0), h);
    if (!(out > 0))
        return;
    k->bias[0] = nsci_min(k->bias[0], -out);
}

/* Does restitution act in the block? */
static int nsci_bounces(const nsc_block *k)
{
    return k->kind == NSC_BLOCK_CONTACT && k->bias[0] != k->hi[0];
}

/* Contacts of one pair that close within a share NSCI_EARLY of a step of each other bounce
   together: a box that lands flat, but for rounding, does not turn.  l is the last link filled. */
static void nsci_bounce_together(nsc_world *w, const nsci_link *l, const nsci_scheme *s)
{
    const nsc_contact *c = &w->found[l->item];
    int last = (int)(l - w->links), i, pass, bounces = 0;
    for (pass = 0; pass < 1 + bounces; pass++)
        for (i = last; i >= w->first_contact; i--) {
            const nsci_link *m = &w->links[i];
            const nsc_contact *each = &w->found[m->item];
            nsc_block *k;
            if (!nsci_same_pair(each, c))
                break;
            if (m->block == NSCI_NOWHERE)
                continue;
            k = &w->scratch.solve.blocks[m->block];
            if (nsci_bounces(k)) {
                bounces = 1;
            } else if (pass > 0) {
                nsci_contact_bias(w, each, k, s, NSCI_EARLY);
                if (nsci_bounces(k))
                    NSC_MEMSET(k->lambda, 0, sizeof k->lambda);
            }
        }
}

/* A further sub-step: the rows of a contact that has moved with its bodies.  Its G only says how
   far a solver steps: it stays where the bodies turn it by at most a tenth or so in the step. */
static void nsci_refresh_contact(const nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                                 nsc_block *k)
{
    const nsc_body *a = &w->bodies[l->a];
    const nsc_body *b = &w->bodies[l->b];
    const nsc_real *G = k->delassus;
    nsc_real turn = nsci_norm(a->angular_velocity) + nsci_norm(b->angular_velocity);
    int form = k->form | NSCI_KEPT;
    nsci_contact_rows(w, &w->found[l->item], a->position, b->position, k);
    if (!k->no_stick && (nsc_real)nsci_substeps(w) * s->h * turn * (G[0] + G[3] + G[5]) <=
                            NSC_R(0.1) * nsci_min(G[0], nsci_min(G[3], G[5])))
        k->form = (unsigned char)form;
}

/* Fill a contact's block, and one more for rolling friction.  first: fill the geometry too, once a
   step, with the barrier in each solve. */
static int nsci_fill_contact_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                  nsc_real scale, nsc_block *k)
{
    nsc_contact *c = &w->found[l->item];
    nsc_block *roll; /* of its rolling friction, or NULL */
    nsc_real before[3], was = 0;
    int held = 0;
    (void)scale;
    first |= nsci_is_barrier(w);
    if (first || !nsci_is_first(s))
        was = nsci_old_speeds(w, l, s, k, before, &held);
    if (first)
        nsci_fill_contact(w, l, k, s);
    else if (!nsci_is_first(s) && nsci_moves(w, s, c))
        nsci_refresh_contact(w, l, s, k);
    nsci_apply_pull(w, c, k, s);
    if (!nsci_is_smooth(w)) {
        nsci_contact_bias(w, c, k, s, 0);
        if (first)
            NSC_MEMSET(k->lo, 0, sizeof k->lo);
        if (nsci_mode(s) == NSCI_NEWTON && !first && nsci_is_first(s) && !nsci_bounces(k))
            nsci_bend_again(k);
        if (was > 0 && !nsci_bounces(k))
            nsci_bend_contact(w, l, s, before, was, held, k);
        /* A bounce has no warm start. */
        if (nsci_bounces(k) && (first || nsci_mode(s) != NSCI_NEWTON))
            NSC_MEMSET(k->lambda, 0, sizeof k->lambda);
        if (c->restitution > 0)
            nsci_bounce_together(w, l, s);
    }
    roll = nsci_fill_rolling(w, l, s, first, k);
    if (nsci_is_smooth(w))
        nsci_smooth_bias(w, c, k, roll, s);
    if (first)
        nsci_begin_impulse(c);
    return roll ? 2 : 1;
}

static void nsci_take_contact(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                              nsc_real share);

/* What a step does with a link.  fill: fill its blocks and return their number; first: the first
   time in the step; scale: factor on the last step's impulses, or -1: keep those in the blocks.
   take: after the solve, unless NULL (joints: nsci_take_joints); share: as in nsci_take_island. */
typedef int nsci_fill_blocks(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                             nsc_real scale, nsc_block *k);
typedef void nsci_take_link(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                            nsc_real share);
typedef struct nsci_link_kind {
    nsci_fill_blocks *fill;
    nsci_take_link *take;
} nsci_link_kind;

/* by NSCI_*_LINK */
static const nsci_link_kind nsci_link_kinds[] = {
    {NSCI_IF(NSCI_JOINTS, nsci_fill_joint_link) NSCI_UNLESS(NSCI_JOINTS, NULL), NULL},
    {NSCI_IF(NSCI_SPRINGS, nsci_fill_spring_link) NSCI_UNLESS(NSCI_SPRINGS, NULL),
     NSCI_IF(NSCI_SPRINGS, nsci_take_spring) NSCI_UNLESS(NSCI_SPRINGS, NULL)},
    {nsci_fill_contact_link, nsci_take_contact},
    NSCI_IF(NSCI_ROWS, {nsci_fill_rows_link, nsci_take_rows})};

static int nsci_fill_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                          nsc_real scale, nsc_block *k)
{
    return nsci_link_kinds[l->kind].fill(w, l, s, first, scale, k);
}

/* Fill the blocks of an island's links, in their order. */
static void nsci_fill_links(nsc_world *w, nsc_island *own, const nsci_scheme *s, int first)
{
    nsc_real scale = first ? nsci_warm(w, s) : -1;
    int i, n = own->first_block;
    own->joint_blocks = 0;
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
        nsci_link *l = &w->links[i];
        l->block = (nsci_index)n;
        n += nsci_fill_link(w, l, s, first, scale, &w->scratch.solve.blocks[n]);
        if (l->kind == NSCI_JOINT_LINK)
            own->joint_blocks = (nsci_index)(n - own->first_block);
    }
    own->places = own->blocks = (nsci_index)(n - own->first_block);
}

/* Sum of counts, limited to the largest int, which many sub-steps, Newton steps and iterations may
   reach. */
static int nsci_add_count(int sum, int count)
{
    unsigned most = (unsigned)-1 >> 1;
    unsigned all = (unsigned)sum + (unsigned)count;
    return (int)(all < most ? all : most);
}

static int nsci_most(int a, int b) { return a > b ? a : b; }

/* Merge the solver's report of one island into the island's and the step's. */
static void nsci_note_island(nsc_world *w, nsc_island *own, const nsc_report *r)
{
    nsc_report *all = &w->report.solver;
    nsc_real residual = nsci_flush(r->residual);
    if (r->residual >= all->residual && (r->residual > 0 || r->worst_block >= 0)) {
        all->worst_block = r->worst_block < 0 ? -1 : own->first_block + r->worst_block;
        all->solver = r->solver;
    }
    all->status = nsci_most(all->status, r->status);
    all->iterations = nsci_most(all->iterations, r->iterations);
    all->residual = nsci_max(all->residual, residual);
    all->floor = nsci_max(all->floor, r->floor);
    all->eta = nsci_max(all->eta, r->eta);
    all->violation = nsci_max(all->violation, r->violation);
    all->objective = nsci_clamp(all->objective + r->objective, -NSC_REAL_MAX, NSC_REAL_MAX);
    all->duality_gap = nsci_at_most_max(all->duality_gap + r->duality_gap);
    all->factorizations = nsci_most(all->factorizations, r->factorizations);
    all->skipped_rows = nsci_add_count(all->skipped_rows, r->skipped_rows);
    own->solver = (uint8_t)r->solver;
    own->status = (int16_t)nsci_most(own->status, r->status);
    own->iterations = nsci_add_count(own->iterations, r->iterations);
    own->residual = nsci_max(own->residual, residual);
}

/* nsc_problem.bias_error of an island [m/s].  A joint's drift is a difference of positions, or of
   angles of about 1 rad, and has their rounding: this is the velocity that would undo so small a
   drift.  Contacts at rest have no bias. */
static nsc_real nsci_bias_error(const nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_real share = nsci_mode(s) >= NSCI_POSITION ? 1 : w->def.joint_recovery;
    nsc_real reach = 1;
    int i;
    if (NSC_MAX_JOINTS + NSC_MAX_ROWS == 0 || own->joints == 0)
        return 0;
    for (i = 0; i < own->bodies; i++) {
        nsc_vec3 x = w->bodies[w->members[own->first_body + i]].position;
        reach = nsci_max(reach, nsci_max(nsci_abs(x.x), nsci_max(nsci_abs(x.y), nsci_abs(x.z))));
    }
    return NSC_REAL_EPS * reach * share / (nsci_mode(s) >= NSCI_POSITION ? s->hx : s->undo);
}

/* Begin a problem in the scratch, whose first block is there. */
static void nsci_begin_problem(nsc_world *w, const nsci_scheme *s, int first_block, nsc_problem *p)
{
    nsci_solving *x = &w->scratch.solve;
    nsci_clear(p, sizeof *p);
    p->masses = x->masses;
    p->v_free = x->v_free;
    p->v = x->v;
    p->blocks = x->blocks + first_block;
    p->arena = x->arena;
    p->arena_size = NSC_ARENA;
    if (s->calls) {
        p->stop = s->calls->stop;
        p->user = s->calls->user;
        NSCI_IF(NSC_PARALLEL, p->parallel = s->calls->parallel; p->parts = s->calls->parts;)
    }
}

/* Do contacts that bear a load move, so that the last (sub-)step has left them unsolved? */
static int nsci_sways(const nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_real limit = nsci_max(2 * w->def.solver.tolerance, NSC_R(1e-3) * w->def.slop / s->h);
    int i;
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
        const nsci_link *l = &w->links[i];
        if (l->kind == NSCI_CONTACT_LINK && w->scratch.solve.blocks[l->block].lambda[0] > 0 &&
            nsci_abs(w->found[l->item].approach) > limit)
            return 1;
    }
    return 0;
}

/* Build and prepare the problem of one island.  first: fill the contacts' geometry and first
   guesses too. */
NSCI_OWN_FRAME int nsci_build_problem(nsc_world *w, nsc_island *own, const nsci_scheme *s,
                                      int first, nsc_problem *p)
{
    nsci_begin_problem(w, s, own->first_block, p);
    p->body_count = nsci_gather_bodies(w, own, s);
    nsci_clear(p->v, 6 * sizeof *p->v * (size_t)p->body_count); /* for nsci_gyration */
    nsci_fill_links(w, own, s, first);
    nsci_fill_forces(w, own, s);
    p->block_count = own->blocks;
    nsci_lock_blocks(w, p);
    if (nsci_is_smooth(w) && nsci_mode(s) == NSCI_EXPLICIT)
        nsci_limit_step(w, own, s, p->body_count);
    p->bias_error = nsci_bias_error(w, own, s);
    p->turned = s->odd && !nsci_is_smooth(w) && nsci_sways(w, own, s);
    return nsci_prepare(p);
}

/* ---- restitution makes no energy.  With v and v' the velocities before and after the step, the
   impulses change the kinetic energy (less the work of constant forces, and what the steps borrow
   from it) by lambda' J (v + v') / 2.  Newton's law can make that positive: with friction (Kane and
   Levinson 1985), and in several contacts at once.  The exact solution without restitution cannot,
   and admissible impulses form a convex set.  So blend the two solutions (as Smith et al. 2012 do):
   the work is quadratic in the blend and known from both ends; take the last point where it is not
   positive.  If the solution without restitution makes energy too, because it is not exact, zero
   impulses, whose work is 0, replace it. */

/* Is the work of the row counted?  Not that of motors, springs and forces, nor of contacts that are
   springs.  *undone: the part of the bias that undoes penetration or drift, and so does not count.
   (With Newton's method and PROJECTED a joint's bias holds its path's curvature, which counts.) */
static int nsci_counts_work(const nsci_scheme *s, const nsc_block *k, int i, nsc_real *undone)
{
    int kind = NSCI_KIND_OF(k);
    *undone = 0;
    if (kind == NSC_BLOCK_CONTACT && i > 0 && nsci_is_driven(k))
        return 0;
    if (kind == NSC_BLOCK_ROLLING || (kind == NSC_BLOCK_CONTACT && (i > 0 || nsci_bounces(k))))
        return 1;
    if (kind == NSC_BLOCK_CONTACT)
        *undone = nsci_min(k->bias[i], 0);
    else if (nsci_mode(s) < NSCI_VELOCITY)
        *undone = k->bias[i];
    if (k->cfm[i] > 0)
        return 0;
    if (kind != NSC_BLOCK_BOX)
        return 1;
    if (!(k->lo[i] < k->hi[i]))
        return 0; /* a given force */
    return nsci_abs(k->bias[i]) <= 0 || k->lo[i] >= 0 || k->hi[i] <= 0 || k->lo[i] <= -NSC_REAL_MAX;
}

/* Storage for the impulses with restitution while those without are solved for: members of a block
   that no solver uses */
static nsc_real *nsci_bounced_impulse(nsc_block *k)
{
    return NSCI_KIND_OF(k) == NSC_BLOCK_BOX ? k->stick_inverse : k->lo;
}

/* sum: work of an island's impulses [J]; gains: whether it exceeds rounding; square: with another
   answer stored, the quadratic's second coefficient, half the product of the differences of
   impulses and velocities */
typedef struct nsci_work {
    nsc_real sum, square;
    int gains;
    NSCI_IF(NSCI_PADDED, int unused;)
} nsci_work;

/* kept: 1: the answer with restitution is stored (nsci_drop_bounces), so compute square too;
   excuse: 1: what undoes penetration and drift does not count */
static nsci_work nsci_work_of(const nsc_world *w, const nsci_scheme *s, nsc_problem *p, int kept,
                              int excuse)
{
    nsci_work of;
    nsc_real half = NSC_R(0.5);
    nsc_real size = 0;
    nsc_real before, after, undone;
    int n, i;
    of.sum = of.square = size;
    nsci_apply_lambda(p); /* SIPGS leaves v as its sweeps round it */
    for (n = 0; n < p->block_count; n++) {
        nsc_block *k = &p->blocks[n];
        for (i = 0; i < k->rows; i++) {
            if (!nsci_counts_work(s, k, i, &undone))
                continue;
            undone *= (nsc_real)excuse;
            before = nsci_speed_before(w, s, k, i);
            after = nsci_along_row(k, i, p->v + 6 * k->a, p->v + 6 * k->b);
            of.sum += half * k->lambda[i] * (before + after + undone);
            size += half * nsci_abs(k->lambda[i]) *
                    (nsci_abs(before) + nsci_abs(after) + nsci_abs(undone));
            if (!kept)
                continue;
            before = nsci_row_load(w, k, i);
            of.square += half * (nsci_bounced_impulse(k)[i] - k->lambda[i]) * (before - after);
        }
    }
    of.gains = of.sum > 32 * NSC_REAL_EPS * size;
    return of;
}

/* The largest share in 0..1 at which the work does not exceed max(0, work without restitution) */
static nsc_real nsci_most_share(nsc_real with, nsc_real without, nsc_real square)
{
    nsc_real a = nsci_max(square, 0);
    nsc_real b = with - without - square;
    nsc_real c = nsci_min(without, 0);
    nsc_real root;
    nsc_real share;
    nsc_real size = a + nsci_abs(b) - c;
    a /= size;
    b /= size;
    c /= size;
    root = NSC_SQRT(b * b - 4 * a * c);
    share = b > 0 ? -2 * c / (b + root) : NSC_R(0.5) * (root - b) / a;
    return share > 0 ? nsci_min(share, 1) : 0; /* 0 for a NaN */
}

/* Set all impulses to 0 and recompute v. */
static void nsci_begin_anew(nsc_problem *p)
{
    int i;
    for (i = 0; i < p->block_count; i++)
        NSC_MEMSET(p->blocks[i].lambda, 0, sizeof p->blocks[i].lambda);
    nsci_apply_lambda(p);
}

/* Store the answer with restitution, the velocities in w->v_free, and pose the problem without. */
static void nsci_drop_bounces(nsc_world *w, const nsc_island *own, nsc_problem *p)
{
    int n, i;
    for (i = 1; i <= own->bodies; i++)
        nsci_copy(w->v_free + 6 * w->outer[i], p->v + 6 * i, 6 * sizeof *p->v);
    for (n = 0; n < p->block_count; n++) {
        nsc_block *k = &p->blocks[n];
        nsc_real bias = k->bias[0];
        NSC_MEMCPY(nsci_bounced_impulse(k), k->lambda, sizeof k->lambda);
        if (k->kind == NSC_BLOCK_CONTACT) {
            k->bias[0] = k->hi[0];
            k->hi[0] = bias;
        }
    }
    nsci_begin_anew(p);
}

/* Blend: share of the stored answer plus 1 - share of the present one. */
static void nsci_mix_answers(nsc_problem *p, nsc_real share)
{
    nsc_real rest = 1 - share;
    int n, i;
    for (n = 0; n < p->block_count; n++) {
        nsc_block *k = &p->blocks[n];
        for (i = 0; i < k->rows; i++)
            k->lambda[i] = rest * k->lambda[i] + share * nsci_bounced_impulse(k)[i];
        if (k->kind == NSC_BLOCK_CONTACT)
            k->bias[0] = rest * k->bias[0] + share * k->hi[0];
    }
    nsci_apply_lambda(p);
}

/* Restitution of the solved island gains energy, `work` [J]: reduce it until it does not.  The
   solver starts from zero impulses, so that an answer that is stopped early rarely gains.  Without
   bounces the answer is far from solved: reduce it itself. */
NSCI_OWN_FRAME int nsci_limit_bounces(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                                      nsc_problem *p, nsc_real work, int bounces, int excuse,
                                      nsc_report *r)
{
    nsci_work without;
    nsc_real residual = r->residual;
    int status = r->status;
    int iterations = r->iterations;
    int factorizations = r->factorizations;
    int code;
    nsci_drop_bounces(w, own, p);
    code = bounces ? nsci_solve(w, s, p, r) : NSC_OK;
    if (code < 0)
        return code;
    without = nsci_work_of(w, s, p, 1, excuse);
    if (without.gains) {
        nsci_begin_anew(p);
        without = nsci_work_of(w, s, p, 1, excuse);
    }
    nsci_mix_answers(p, nsci_most_share(work, without.sum, without.square));
    if (!bounces)
        return status;
    w->report.limited_bounces++;
    r->residual = nsci_max(r->residual, residual);
    r->status = nsci_most(r->status, status);
    r->iterations = nsci_add_count(r->iterations, iterations);
    r->factorizations = nsci_add_count(r->factorizations, factorizations);
    return r->status;
}

/* Does the answer make a body faster than any was, by 32 times what gravity adds, and by more than
   undoing would?  A direct solver's may, where joints and contacts hold against each other; these
   have NSC_ARENA. */
static int nsci_is_violent(const nsc_world *w, const nsci_scheme *s, const nsc_problem *p)
{
    nsc_real before = 0, after = 0, most = 0, undone;
    int n, i;
    for (i = 1; i < p->body_count; i++) {
        before = nsci_max(before, nsci_dot(p->v_free + 6 * i, p->v_free + 6 * i, 3));
        after = nsci_max(after, nsci_dot(p->v + 6 * i, p->v + 6 * i, 3));
    }
    after = NSC_SQRT(after) - NSC_SQRT(before);
    if (!(after > 0 && nsci_is_much(w, s->h, after, 32)))
        return 0;
    for (n = 0; n < p->block_count; n++) {
        const nsc_block *k = &p->blocks[n];
        nsc_real inverse = p->masses[k->a].inv_mass + p->masses[k->b].inv_mass;
        for (i = 0; i < k->rows; i++) {
            nsci_counts_work(s, k, i, &undone);
            if (k->lambda[i] * undone < 0) /* the masses make a speed of an angular one */
                most = nsci_max(most, undone * undone * inverse * k->eff_mass[i]);
        }
    }
    after -= 2 * NSC_SQRT(most);
    return after > 0 && nsci_is_much(w, s->h, after, 32);
}

/* The code of an island's solved problem, after its restitution, or an answer that is violent or
   left 32 times as much as gravity adds, was reduced so that it makes no energy */
static int nsci_check_bounces(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int code,
                              nsc_problem *p, nsc_report *r)
{
    nsci_work of;
    int far = nsci_is_much(w, s->h, r->residual, 32);
    int excuse, n = 0;
    if (code < 0 || nsci_is_smooth(w))
        return code;
    while (n < p->block_count && !nsci_bounces(&p->blocks[n]))
        n++;
    excuse = NSC_ARENA <= 0 || r->solver == NSC_SOLVER_SIPGS ||
             !(far || nsci_is_violent(w, s, p));
    if (n == p->block_count && !far && excuse)
        return code;
    of = nsci_work_of(w, s, p, 0, excuse);
    if (!of.gains)
        return code;
    return nsci_limit_bounces(w, own, s, p, of.sum, n < p->block_count, excuse, r);
}

/* Solve an island's problem so that restitution makes no energy. */
static int nsci_solve_impacts(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                              nsc_problem *p, nsc_report *r)
{
    int code = nsci_solve(w, s, p, r);
    return nsci_check_bounces(w, own, s, code, p, r);
}

/* from, and what the sub-step's turn of body i adds to x, which turns with it: the axis and the
   factor of Cayley's formula stand in the free velocities of the problems that are solved. */
static nsc_vec3 nsci_swing(const nsc_world *w, int i, nsc_vec3 from, nsc_vec3 x)
{
    const nsc_real *turn = w->scratch.solve.v_free + 6 * i;
    nsc_vec3 axis = nsci_vec_at(turn);
    if (w->bodies[i].kind == NSC_STATIC_BODY)
        return from;
    x = nsci_add(x, nsci_cross(axis, x));
    return nsci_add_sv(from, turn[3], nsci_cross(axis, x));
}

/* Where the sub-step takes the point p of body i */
static nsc_vec3 nsci_carry(const nsc_world *w, int i, nsc_real h, nsc_vec3 p)
{
    p = nsci_swing(w, i, p, nsci_sub(p, w->bodies[i].position));
    return nsci_add_sv(p, h, nsci_vec_at(w->v_free + 6 * i));
}

/* Move a contact with its bodies.  Its normal turns with the face that it stands on, which is not
   that of a round shape, and if there are two rather that of a body that is not dynamic, as a
   floor; its point goes with the other shape, if that is round with its core, the axis of a
   cylinder.  Between two round shapes the normal is the line of their cores. */
static void nsci_move_contact(const nsc_world *w, const nsci_link *l, nsc_real h, nsc_contact *c)
{
    nsc_real ra = nsci_round_of(w, c->shape_a);
    nsc_real rb = nsci_round_of(w, c->shape_b);
    nsc_vec3 normal = c->normal, axis_a = normal, axis_b = normal;
    nsc_real half = NSC_R(0.5) * c->gap;
    nsc_vec3 pa = nsci_add_sv(c->point, -half - ra, c->normal);
    nsc_vec3 pb = nsci_add_sv(c->point, half + rb, c->normal);
    nsc_real rim_a = nsci_rim_of(w, c->shape_a, normal, pa, &axis_a);
    nsc_real rim_b = nsci_rim_of(w, c->shape_b, nsci_neg(normal), pb, &axis_b);
    int on_b = ra + rim_a > 0 || (rb + rim_b <= 0 && nsci_is_dynamic(w, l->a));
    normal = nsci_swing(w, on_b ? l->b : l->a, normal, normal);
    pa = nsci_carry(w, l->a, h, nsci_on_axis(pa, -rim_a, c->normal, axis_a));
    pb = nsci_carry(w, l->b, h, nsci_on_axis(pb, rim_b, c->normal, axis_b));
    c->normal = ra > 0 && rb > 0 ? nsci_unit(nsci_sub(pb, pa), normal) : normal;
    if (rim_a > 0)
        pa = nsci_on_axis(pa, rim_a, c->normal, nsci_swing(w, l->a, axis_a, axis_a));
    if (rim_b > 0)
        pb = nsci_on_axis(pb, -rim_b, c->normal, nsci_swing(w, l->b, axis_b, axis_b));
    c->gap = nsci_dot3(c->normal, nsci_sub(pb, pa)) - ra - rb;
    half = NSC_R(0.5) * c->gap;
    c->point = on_b ? nsci_add_sv(pa, half + ra, c->normal)
                    : nsci_add_sv(pb, -half - rb, c->normal);
}

/* Between sub-steps, before the bodies move on: move the first `count` contacts found with them,
   if nsci_moves.  Each body's rotation once: of the tangent of half an angle x the series
   x/2 + x^3/24, within x^5/240. */
NSCI_OWN_FRAME void nsci_move_contacts(nsc_world *w, const nsci_scheme *s, int count)
{
    int i;
    for (i = 0; i < w->body_end; i++) {
        nsc_real *turn = w->scratch.solve.v_free + 6 * i;
        nsc_vec3 x;
        if (nsci_rests(w, i))
            continue;
        x = nsci_add(nsci_vec_at(w->v_free + 6 * i + 3), nsci_half_gyration(&w->bodies[i], s->h));
        x = nsci_mul_sv(s->h, x);
        x = nsci_mul_sv(NSC_R(0.5) + nsci_dot3(x, x) / 24, x);
        nsci_put_vec(turn, x);
        turn[3] = 2 / (1 + nsci_dot3(x, x));
    }
    for (i = w->first_contact; i < w->link_count; i++) {
        const nsci_link *l = &w->links[i];
        nsc_contact *c = &w->found[l->item];
        if (l->item >= count || l->block == NSCI_NOWHERE || !nsci_moves(w, s, c) ||
            nsci_rests(w, l->a) || nsci_rests(w, l->b))
            continue;
        c->approach = nsci_along_row(&w->scratch.solve.blocks[l->block], 0, w->v_free + 6 * l->a,
                                     w->v_free + 6 * l->b);
        c->approach = nsci_clamp_finite(c->approach);
        nsci_move_contact(w, l, s->h, c);
    }
}

/* Add a contact's impulse; unless the sub-step was the last, the gap of one that does not move with
   its bodies changes as its row says.  share: as in nsci_take_island */
static void nsci_take_contact(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                              nsc_real share)
{
    const nsc_real *v = w->scratch.solve.v;
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    const nsc_block *roll;
    nsc_contact *c = &w->found[l->item];
    nsc_vec3 impulse = c->impulse;
    int r;
    for (r = 0; r < k->rows; r++)
        impulse = nsci_add_sv(impulse, share * k->lambda[r], nsci_row_axis(k, r, 0));
    c->impulse = impulse;
    nsci_take_pull(w, c, s, share);
    roll = nsci_take_rolling(c, l, k, share);
    if (nsci_is_smooth(w))
        nsci_take_smooth(w, c, k, roll, s);
    if (nsci_is_last(s) || nsci_moves(w, s, c))
        return;
    c->approach = nsci_clamp_finite(nsci_along_row(k, 0, v + 6 * k->a, v + 6 * k->b));
    c->gap += nsci_row_travel(w, s, k, 0, v + 6 * k->a, v + 6 * k->b);
}

/* Store velocities and impulses of a solved island.  joint_blocks: number in the islands before
   it */
NSCI_OWN_FRAME void nsci_take_island(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                                     int joint_blocks)
{
    /* factor from a block's impulse, which acts over hf, to that of the sub-step */
    nsc_real share = NSC_STEPPERS ? s->h / s->hf : 1;
    int i;
    for (i = 1; i <= own->bodies; i++)
        nsci_copy(w->v_free + 6 * w->outer[i], w->scratch.solve.v + 6 * i, 6 * sizeof *w->v_free);
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
        const nsci_link *l = &w->links[i];
        nsci_take_link *take = nsci_link_kinds[l->kind].take;
        if (take)
            take(w, l, s, share);
    }
    nsci_take_joints(w, own, s, share, joint_blocks);
}

/* Refuse the step if a position, a velocity or a contact would not be finite. */
static int nsci_check_motion(nsc_world *w, nsc_real h)
{
    int i, ok = 1;
    for (i = 0; i < w->body_end; i++) {
        const nsc_real *v = w->v_free + 6 * i;
        int before = NSC_STEPPERS && w->def.stepper == NSC_STEPPER_EULER_FORWARD;
        nsc_vec3 linear = before ? w->bodies[i].velocity : nsci_vec_at(v);
        nsc_vec3 x = nsci_add_sv(w->bodies[i].position, h, linear);
        if (!nsci_finite(x.x + x.y + x.z) || !nsci_finite(nsci_dot(v, v, 6)))
            return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_LOST, (nsc_real)i);
    }
    for (i = 0; i < w->found_count; i++) {
        const nsc_contact *c = &w->found[i];
        nsc_vec3 sum = nsci_add(nsci_add(c->point, c->normal), c->impulse);
        sum = nsci_add(sum, nsci_moment(c));
        ok &= nsci_finite(sum.x + sum.y + sum.z + c->gap);
        ok &= !nsci_is_smooth(w) || nsci_smooth_is_finite(c);
    }
    return ok ? NSC_OK : nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_LOST, 0);
}

/* Rotate a body through h; angular: its rate after the impulses of the step.  Free rotation at the
   midpoint rate, angular + half.  Energy and angular momentum stay what the impulses have made
   them.  (After the solve, not before, because joints and contacts may change the rate
   completely.) */
static void nsci_turn_body(nsc_body *b, nsc_vec3 angular, nsc_real h)
{
    nsc_vec3 half = nsci_vec(0, 0, 0);
    nsc_quat turn;
    int gyrates = nsci_gyrates(b);
    b->angular_velocity = angular;
    if (gyrates) {
        half = nsci_half_gyration(b, h);
        angular = nsci_add(angular, half);
    }
    turn = nsci_quat_exp(nsci_mul_sv(h, angular));
    b->orientation = nsci_quat_normalise(nsci_quat_mul(turn, b->orientation));
    /* The midpoint rate is along the axis of the turn and stays; `half` turns with the body. */
    if (gyrates)
        b->angular_velocity = nsci_add(angular, nsci_add(half, nsci_turned(turn, half)));
}

/* Move a body from the start of the sub-step to its end, where its velocity is v. */
static void nsci_move_body(const nsc_world *w, const nsci_scheme *s, int i, nsc_body *b,
                           const nsc_real *v)
{
    nsc_vec3 linear = nsci_vec_at(v);
    nsc_vec3 angular = nsci_vec_at(v + 3);
    if (nsci_displace(w, s, i, b, v))
        return;
    b->velocity = linear;
    nsci_move_far(b, s->h, linear);
    nsci_turn_body(b, angular, s->h);
}

static int nsci_solve_island(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p,
                             nsc_report *r)
{
    int code;
    if (nsci_mode(s) == NSCI_NEWTON)
        return nsci_solve_newton(w, own, s, p, r);
    code = nsci_build_problem(w, own, s, nsci_is_first(s), p);
    if (code >= 0)
        code = nsci_solve_impacts(w, own, s, p, r);
    return code;
}

/* Merge the report of a solved island and store its answer; code: the result of solving it. */
static int nsci_end_island(nsc_world *w, nsc_island *own, const nsci_scheme *s, int code,
                           const nsc_report *r, int *joint_blocks)
{
    if (code < 0)
        return code;
    nsci_note_island(w, own, r);
    nsci_take_island(w, own, s, *joint_blocks);
    *joint_blocks += own->joint_blocks;
    return code;
}

/* Solve one sub-step, island by island.  v_free becomes the velocities after it. */
NSCI_OWN_FRAME int nsci_solve_islands(nsc_world *w, const nsci_scheme *s)
{
    nsc_problem p;
    nsc_report r;
    int i, blocks = 0, joint_blocks = 0, code = NSC_OK;
    nsci_batch batch = nsci_begin_batch(w, s, &joint_blocks);
    for (i = 0; i < w->report.islands && code >= 0; i++) {
        nsc_island *own = &w->islands[i];
        if (nsci_is_first(s))
            own->first_block = (nsci_index)blocks;
        if (own->asleep || (own->first_link == NSCI_NOWHERE && nsci_mode(s) != NSCI_NEWTON &&
                            !(s->calls && s->calls->force)))
            continue;
        if (nsci_is_small(&batch, own)) {
            code = nsci_set_aside(&batch, own);
        } else {
            code = nsci_end_batch(&batch);
            if (code >= 0)
                code = nsci_solve_island(w, own, s, &p, &r);
            code = nsci_end_island(w, own, s, code, &r, &joint_blocks);
        }
        blocks += own->places;
    }
    return code < 0 ? code : nsci_end_batch(&batch);
}

static void nsci_flush_body(nsc_body *b)
{
    nsci_flush_reals(&b->position.x, 3);
    nsci_flush_reals(&b->velocity.x, 3);
    nsci_flush_reals(&b->angular_velocity.x, 3);
    nsci_flush_reals(&b->orientation.w, 4);
}

/* Move the bodies.  share: sub-step over step, to average the accelerations */
NSCI_OWN_FRAME void nsci_integrate(nsc_world *w, const nsci_scheme *s, nsc_real share)
{
    int i;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsc_vec3 v = b->velocity;
        nsc_vec3 o = b->angular_velocity;
        if (nsci_is_first(s))
            nsci_begin_acceleration(b);
        if (b->generation % 2 == 0 || b->kind == NSC_STATIC_BODY || nsci_rests(w, i))
            continue;
        nsci_move_body(w, s, i, b, w->v_free + 6 * i);
        nsci_flush_body(b);
        nsci_note_acceleration(b, s, share, v, o);
    }
}

/* ---- the end of a step */

static void nsci_add_event(nsc_world *w, const nsc_contact *c, int kind)
{
    nsc_event *e = nsci_events(w) + w->event_count;
    if (w->event_count >= NSC_MAX_EVENTS) {
        w->report.dropped_events++;
        return;
    }
    w->event_count++;
    e->shape_a = c->shape_a;
    e->shape_b = c->shape_b;
    e->body_a = c->body_a;
    e->body_b = c->body_b;
    e->kind = kind;
}

/* Both lists are sorted by pair, so one walk finds which pairs begin and cease to touch. */
NSCI_OWN_FRAME void nsci_find_events(nsc_world *w)
{
    int old = 0, fresh = 0;
    w->event_count = 0;
    while (old < w->contact_count || fresh < w->found_count) {
        const nsc_contact *a = old < w->contact_count ? &w->contacts[old] : NULL;
        const nsc_contact *b = fresh < w->found_count ? nsci_found(w, fresh) : NULL;
        int order = !a ? 1 : !b ? -1 : nsci_pair_order(a, b);
        int before = 0, now = 0;
        if (order <= 0)
            do {
                before |= w->contacts[old++].touching;
            } while (old < w->contact_count && nsci_same_pair(&w->contacts[old], a));
        if (order >= 0)
            do {
                now |= nsci_found(w, fresh++)->touching;
            } while (fresh < w->found_count && nsci_same_pair(nsci_found(w, fresh), b));
        if (now != before)
            nsci_add_event(w, now ? b : a, now ? NSC_TOUCH_BEGIN : NSC_TOUCH_END);
    }
}

/* Set to 0 the components of an impulse that are negligible beside the whole.  The bound is
   relative because bodies of a millimetre have impulses of 1e-12 N s. */
static void nsci_flush_impulse(nsc_contact *c)
{
    nsc_vec3 p = c->impulse;
    nsc_real least = NSCI_REAL_TINY * (nsci_abs(p.x) + nsci_abs(p.y) + nsci_abs(p.z));
    least += NSC_REAL_MIN / NSC_REAL_EPS;
    c->impulse = nsci_flush_below(p, least);
    if (nsci_rolls(c))
        nsci_set_moment(c, nsci_flush_below(nsci_moment(c), least));
}

/* Set the impulse and `touching` of a contact found.  A contact of a sleeping island keeps its
   force: its impulse was scaled to one sub-step. */
NSCI_ONE_COPY void nsci_finish_contact(nsc_world *w, const nsci_link *l, nsc_real substeps)
{
    nsc_contact *c = &w->found[l->item];
    nsc_real touch = NSC_R(0.25) * w->def.slop;
    if (nsci_rests(w, l->a) || nsci_rests(w, l->b)) {
        nsc_real scale = c->sensor ? 0 : substeps;
        c->impulse = nsci_clamp_finite3(nsci_mul_sv(scale, c->impulse));
        nsci_set_moment(c, nsci_clamp_finite3(nsci_mul_sv(scale, nsci_moment(c))));
    } else if (l->block == NSCI_NOWHERE) {
        nsci_begin_impulse(c);
    } else {
        nsci_flush_impulse(c);
    }
    if (c->sensor || nsci_is_smooth(w))
        touch = 0;
    c->touching = (uint8_t)(c->gap <= touch || nsci_dot3(c->impulse, c->normal) > 0);
}

/* Copy found to contacts, in the order of pairs. */
static void nsci_store_contacts(nsc_world *w, nsc_real substeps)
{
    int i;
    for (i = w->first_contact; i < w->link_count; i++)
        nsci_finish_contact(w, &w->links[i], substeps);
    if (NSCI_EVENTS)
        nsci_find_events(w);
    for (i = 0; i < w->found_count; i++)
        nsci_copy(&w->contacts[i], nsci_found(w, i), sizeof w->contacts[i]);
    w->report.contacts = w->contact_count = w->found_count;
    nsci_free_manifolds(w);
    w->report.dropped_ever += (uint32_t)w->report.dropped;
    w->found_count = 0;
}

/* Update how long a body has been slow [s].  residual: that of its island.  What a solver leaves
   lets a stack sway at ten times the residual, for long: this is rest, to a bound. */
static void nsci_count_still(const nsc_world *w, nsc_body *b, nsc_real h, nsc_real residual)
{
    nsc_real slow = w->def.sleep_speed;
    nsc_real limit = nsci_clamp(16 * residual, slow, 5 * slow);
    if (!(w->def.sleep_time > 0))
        return;
    b->still += h;
    if (!(nsci_dot3(b->velocity, b->velocity) < limit * limit) ||
        !(nsci_dot3(b->angular_velocity, b->angular_velocity) < limit * limit))
        b->still = 0;
}

/* Clear applied forces.  An island falls asleep as a whole, once all its bodies were slow for
   sleep_time; none sleeps where contacts were dropped, which may be those that it rests on. */
static void nsci_put_to_sleep(nsc_world *w, nsc_real h)
{
    int i, k;
    for (i = 1; i < w->body_end; i++)
        w->bodies[i].force = w->bodies[i].torque = nsci_vec(0, 0, 0);
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = nsci_island_at(w, i);
        const nsci_index *member = &w->members[own->first_body];
        nsc_real still = NSC_REAL_MAX; /* of all, as what a body stood on may leave it */
        int asleep;
        for (k = 0; k < own->bodies; k++) {
            nsci_count_still(w, &w->bodies[member[k]], h, own->residual);
            still = nsci_min(still, w->bodies[member[k]].still);
        }
        asleep = own->asleep || (w->def.sleep_time > 0 && still >= w->def.sleep_time);
        for (k = 0; k < own->bodies; k++) {
            nsc_body *b = &w->bodies[member[k]];
            b->still = still;
            b->asleep = asleep && w->report.dropped == 0;
            w->report.asleep += b->asleep;
            if (b->asleep)
                b->velocity = b->angular_velocity = nsci_vec(0, 0, 0);
        }
    }
}

/* ---- a world in which all bodies sleep.  After a step that began so, ended so and changed
   nothing, further steps of the same length only count, until a call that may change the world.
   (Not with sub-steps, to which impulses are scaled, nor with smooth contact or Newton's method,
   which keep more than a contact's impulse.) */

/* Do all bodies sleep?  A kinematic body never does: each step normalises its orientation. */
static int nsci_all_sleep(const nsc_world *w)
{
    int i;
    for (i = 1; i < w->body_end; i++) {
        const nsc_body *b = &w->bodies[i];
        if (b->generation % 2 && b->kind != NSC_STATIC_BODY && !b->asleep)
            return 0;
    }
    return 1;
}

/* Would another such step change nothing?  This one began with all bodies asleep and no contact of
   the caller's own. */
static int nsci_comes_to_rest(const nsc_world *w)
{
    if (NSC_STEPPERS && w->def.stepper != NSC_STEPPER_EULER_IMPLICIT_LINEARIZED)
        return 0;
    if (nsci_substeps(w) != 1 || nsci_is_smooth(w))
        return 0;
    return w->event_count == 0 && w->report.pairs == 0 &&
           w->report.matched == w->contact_count && nsci_all_sleep(w);
}

/* What an unsolved (sub-)step lets sink, pushed out at once, opens contacts elsewhere in a stack,
   which the next step does not close in time either: it shakes for ever.  So as much is left alone
   as falls in 2.4 steps, and less as the residual falls; it settles, and then rises to the slop. */
static void nsci_give_slack(nsc_world *w, nsc_real h)
{
    nsc_real slop = w->def.slop;
    nsc_real slack = 100 * w->report.solver.residual * h / (nsc_real)nsci_substeps(w);
    if (slack > slop) {
        nsc_real fall = NSC_R(2.9) * h * h * nsci_norm(w->def.gravity);
        slack = nsci_min(slack, nsci_min(10 * slop, fall));
    }
    slack = nsci_max(NSC_R(0.95) * w->slack, slack);
    w->slack = slack > slop ? slack : 0;
}

/* Drift that came in a long step, undone at the rate of a short one, would leave a speed with which
   the next long step goes far: energy from nothing.  So the longest step counts on, less a fifth of
   the time since.  Where lengths differ by more than half, or a step was far from solved, joints
   are careful for as many steps as usual drift takes to be gone: see nsci_undo. */
static void nsci_pass_time(nsc_world *w, nsc_real h)
{
    nsc_real sub = h / (nsc_real)nsci_substeps(w);
    if (w->last_h > 0) {
        nsc_real change = nsci_max(h, w->last_h) / nsci_min(h, w->last_h);
        int care = (NSCI_JOINTS && change > NSC_R(1.5)) ||
                   nsci_is_much(w, sub, w->report.solver.residual, 1);
        w->uneven = care ? 32 : nsci_max(w->uneven - 1, 0);
    }
    w->last_h = h;
    w->undo_h = nsci_max(sub, w->undo_h - NSC_R(0.2) * h);
    nsci_give_slack(w, h);
    w->step_count++;
}

static void nsci_rest_on(nsc_world *w, nsc_real h)
{
    int i;
    for (i = 1; i < w->body_end; i++)
        if (nsci_is_dynamic(w, i))
            nsci_count_still(w, &w->bodies[i], h, 0);
    nsci_pass_time(w, h);
    w->resting = NSCI_RESTING + w->step_count;
}

/* After a refusal: keep the caller's contacts for the next step, except those that deeper ones
   displaced. */
static int nsci_keep_own(nsc_contact *list, int count)
{
    int i, kept = 0;
    for (i = 0; i < count; i++) {
        if (list[i].shape_a >= 0)
            continue;
        nsci_begin_contact(&list[i]);
        kept = nsci_keep(list, kept, i);
    }
    return kept;
}

static void nsci_begin_report(nsc_world *w)
{
    uint32_t ever = w->report.dropped_ever;
    nsci_clear(&w->report, sizeof w->report);
    w->report.dropped_ever = ever;
    w->report.solver.worst_block = -1;
    nsci_open_forces(w, 1);
}

/* Compute the velocities after a sub-step, in v_free. */
static int nsci_solve_substep(nsc_world *w, nsc_real h, const nsci_scheme *s)
{
    int i, code = NSC_OK;
    for (i = 0; i < w->body_end; i++) {
        code = nsci_free_velocity(
            w, i, s, nsci_is_first(s) ? w->bodies[i].asleep : nsci_rests(w, i));
        if (code < 0)
            return code;
    }
    if (nsci_is_first(s))
        code = nsci_begin_step(w, h, s);
    nsci_open_forces(w, 0);
    nsci_try_kinematic(w, s);
    if (code >= 0)
        code = nsci_solve_islands(w, s);
    if (code >= 0 && !nsci_is_last(s))
        nsci_move_contacts(w, s, w->found_count);
    return code < 0 ? code : nsci_check_motion(w, s->h);
}

static int nsci_substep(nsc_world *w, nsc_real h, const nsci_scheme *s, nsc_real share)
{
    int code;
    nsci_hold_start(w, 0);
    code = nsci_solve_and_look(w, h, s);
    nsci_hold_start(w, 1);
    if (code < 0)
        return code;
    nsci_integrate(w, s, share);
    nsci_keep_rates(w, s);
    if (nsci_mode(s) == NSCI_VELOCITY)
        code = nsci_undo_by_moving(w, s);
    return code;
}

/* Save (back = 0) or restore (back = 1) motion and the gaps of the caller's contacts, for steps
   that can be refused after bodies have moved. */
#if NSCI_HOLDS_MOTION
static void nsci_hold_motion(nsc_world *w, int own, int back)
{
    int i;
    for (i = 0; i < own; i++)
        if (back)
            w->found[i].gap = w->gap_before[i];
        else
            w->gap_before[i] = w->found[i].gap;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_motion *m = &w->before[i];
        nsci_hold_body(&m->start, b, back);
        nsci_hold_acceleration(m, b, back);
        nsci_hold_rates(m, b, back);
    }
}
#else
#define nsci_hold_motion(w, own, back) ((void)(own))
#endif

/* A step divides by h and h^2: both inverses must be finite.  Products of a longer step with
   velocities that pass nsci_check_motion might not be. */
static int nsci_check_length(nsc_world *w, nsc_real h)
{
    nsc_real sub = h / (nsc_real)nsci_substeps(w);
    if (h > 0 && h <= NSC_R(1e6) && sub > 0 && nsci_finite(1 / (sub * sub)))
        return NSC_OK;
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_LENGTH, h);
}

/* Slot of the body with the largest free velocity, or one that is not a number */
static int nsci_fastest(const nsc_world *w)
{
    nsc_real most = 0;
    int i, fastest = 0;
    for (i = 6; i < 6 * w->body_end; i++)
        if (!(nsci_abs(w->v_free[i]) <= most)) {
            most = nsci_abs(w->v_free[i]);
            fastest = i / 6;
        }
    return fastest;
}

/* Note an error of the solver, unless what came before it has noted why.  Returns the code. */
static int nsci_refuse_unsolved(nsc_world *w, int code)
{
    if (w->note.code == code)
        return code;
    if (code == NSC_ERR_CAPACITY)
        return nsci_refused(&w->note, code, NSCI_SMALL_ARENA, (nsc_real)NSC_ARENA);
    if (code == NSC_ERR_NOT_FINITE)
        return nsci_refused(&w->note, code, NSCI_OVERFLOW, (nsc_real)nsci_fastest(w));
    return nsci_refused(&w->note, code, NSCI_NO_SOLVER, (nsc_real)w->def.solver.law);
}

/* The stages of a step, in their order, with the loops each makes and where its results are:

   hold_motion         bodies                    motion saved; with sub-steps or PROJECTED only
   in each sub-step:
     free_velocity     bodies                    forces and velocities -> v_free
     in the first:
       find_contacts   shapes, pairs of shapes   boxes -> pairs -> points -> found, then sorted
       list_links      joints, springs, rows, contacts  links, with the indices of their bodies
       begin_contacts  contacts                  velocities before the step -> found
       match_contacts  contacts                  impulses of the last step -> found
       find_islands    links, bodies, links      islands, each a chain of links
     for each island awake:
       gather_bodies   its bodies and links      masses, v_free of the problem
       fill_links      its links                 blocks: J, bias, compliance, first guess
       solve           its blocks, each sweep    lambda of the blocks, v of the problem
       take_island     its bodies and links      v -> v_free, lambda -> impulses
     check_motion      bodies, contacts          all finite, or the step is refused
     integrate         bodies                    velocity, position, orientation
     undo_by_moving    islands                   PROJECTED only: drift and penetration
   store_contacts      contacts                  found -> contacts; events
   store_joints, _springs, _rows links           impulses, turns
   put_to_sleep        bodies, islands           forces cleared; slow islands fall asleep */
NSC_API int nsc_world_step_with(nsc_world *w, nsc_real h, const nsc_calls *calls)
{
    nsc_real substeps, sub;
    nsci_scheme s;
    nsci_why note;
    int rests = w && w->found_count == 0 && w->resting == NSCI_RESTING + w->step_count;
    int k, code = nsci_enter(w), own, steady, moves, asleep;
    if (code == NSC_OK)
        code = nsci_check_length(w, h);
    if (code == NSC_OK)
        code = nsci_check_barrier_shapes(w);
    if (code == NSC_OK)
        code = nsci_check_parts(w, calls);
    if (code == NSC_OK)
        code = nsci_check_rows(w, calls);
    if (code < 0)
        return code;
    if (rests && nsci_abs(h - w->last_h) <= 0 && nsci_comes_to_rest(w)) {
        nsci_rest_on(w, h);
        return NSC_OK;
    }
    asleep = w->found_count == 0 && w->report.asleep > 0 && nsci_all_sleep(w);
    substeps = (nsc_real)nsci_substeps(w);
    sub = h / substeps;
    note = w->note;
    w->note.code = NSC_OK;
    w->busy = NSCI_BUSY;
    nsci_copy(&w->report_before, &w->report, sizeof w->report);
    own = w->found_count;
    steady = w->steady;
    nsci_begin_report(w);
    moves = nsci_substeps(w) > 1 || w->def.stepper == NSC_STEPPER_EULER_IMPLICIT_PROJECTED;
    if (moves)
        nsci_hold_motion(w, own, 0);
    for (k = 0; k < nsci_substeps(w) && code >= 0; k++) {
        s = nsci_begin_scheme(w, sub, calls);
        s.first = k == 0;
        s.last = k + 1 >= nsci_substeps(w);
        s.odd = (w->step_count * (uint32_t)nsci_substeps(w) + (uint32_t)k) % 2;
        code = nsci_substep(w, h, &s, 1 / substeps);
    }
    if (code < 0) {
        if (moves)
            nsci_hold_motion(w, own, 1);
        w->steady = steady;
        nsci_copy(&w->report, &w->report_before, sizeof w->report);
        w->found_count = nsci_keep_own(w->found, own);
        nsci_free_manifolds(w);
        nsci_clear(w->islands, sizeof w->islands); /* of no step */
        NSC_MEMSET(w->island, 255, sizeof w->island); /* NSCI_NOWHERE */
        w->busy = 0;
        return nsci_refuse_unsolved(w, code);
    }
    nsci_store_contacts(w, substeps);
    nsci_store_joints(w, h);
    nsci_store_springs(w, h);
    nsci_store_rows(w, h, calls);
    nsci_put_to_sleep(w, h);
    nsci_pass_time(w, h);
    if (asleep && nsci_comes_to_rest(w))
        w->resting = NSCI_RESTING + w->step_count;
    w->busy = 0;
    if (w->note.code != NSC_ERR_BUSY)
        w->note = note;
    return NSC_OK;
}

NSC_API nsc_calls nsc_default_calls(void)
{
    nsc_calls calls;
    nsci_clear(&calls, sizeof calls);
    NSCI_IF(NSC_PARALLEL, calls.parts = 1;)
    return calls;
}

NSC_API int nsc_world_step(nsc_world *w, nsc_real h) { return nsc_world_step_with(w, h, NULL); }

/* ---- >>query --------------------------------------------------------------------------------- */

NSC_API int nsc_world_set_def(nsc_world *w, const nsc_world_def *def)
{
    int code = nsci_enter(w), tag;
    if (code == NSC_OK)
        code = nsci_check_world_def(&w->note, def);
    if (code < 0)
        return code;
    tag = w->def.tag;
    code = nsci_check_stepper_joints(w, def);
    if (code < 0)
        return code;
    if (w->found_count > 0 && (def->contact_model != w->def.contact_model ||
                               nsci_has_barrier(def) != nsci_is_barrier(w)))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_OWN_CONTACTS,
                            (nsc_real)w->found_count);
    if (def != &w->def)
        NSC_MEMCPY(&w->def, def, sizeof w->def);
    w->def.tag = tag;
    nsci_forget_rates(w);
    nsci_wake_all(w);
    return NSC_OK;
}

NSC_API int nsc_world_remove_body(nsc_world *w, nsc_id id)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int s;
    if (i < 0)
        return i;
    nsci_forget_contacts(w, id, -1);
    nsci_free_joints_of(w, id);
    nsci_free_springs_of(w, id);
    for (s = w->shape_end - 1; s >= 0; s--)
        if (w->shapes[s].generation % 2 && w->shapes[s].body == i)
            nsci_free_shape(w, s);
    w->bodies[i].generation++;
    nsci_forget_rates(w);
    w->body_end = nsci_new_end(w, NSCI_BODY_HANDLE);
    return NSC_OK;
}

NSC_API const nsc_step_report *nsc_world_report(const nsc_world *w)
{
    return w ? &w->report : NULL;
}
NSC_API int nsc_world_contact_count(const nsc_world *w) { return w ? w->contact_count : 0; }

NSC_API const nsc_contact *nsc_world_contact(const nsc_world *w, int i)
{
    return w && i >= 0 && i < w->contact_count ? &w->contacts[i] : NULL;
}

static int nsci_check_contact(nsc_world *w, const nsc_contact *c)
{
    int code = c ? nsci_check_ends(w, c->body_a, c->body_b) : NSC_OK;
    if (code == NSC_OK)
        code = nsci_check_members(&w->note, c, NSCI_nsc_contact_point, NSCI_nsc_contact_gap);
    if (code == NSC_OK)
        code = nsci_check_barrier_contact(w, c);
    if (code < 0)
        return code;
    if (nsci_abs(nsci_dot3(c->normal, c->normal) - 1) > NSC_R(1e-3))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_NORMAL,
                            nsci_dot3(c->normal, c->normal));
    return nsci_check_law(w, c);
}

NSC_API int nsc_world_add_contact(nsc_world *w, const nsc_contact *contact)
{
    int code = nsci_enter(w);
    nsc_contact *c;
    if (code == NSC_OK)
        code = nsci_check_contact(w, contact);
    if (code < 0)
        return code;
    if (w->found_count >= NSC_MAX_CONTACTS)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_CONTACTS,
                            (nsc_real)NSC_MAX_CONTACTS);
    if (nsci_stays_off(w, contact->body_a, contact->body_b))
        return NSC_OK; /* it takes no part, as the joints of a disabled body */
    c = &w->found[w->found_count++];
    NSC_MEMCPY(c, contact, sizeof *c);
    c->shape_a = c->shape_b = -1;
    c->manifold = 0;
    nsci_begin_contact(c);
    nsci_drop_unused_law(w, c);
    c->normal = nsci_mul_sv(1 / nsci_norm(c->normal), c->normal);
    return NSC_OK;
}

NSC_API int nsc_body_get_pose(const nsc_world *w, nsc_id id, nsc_pose *pose)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    const nsc_body *b;
    nsc_vec3 position;
    if (i < 0)
        return i;
    b = &w->bodies[i];
    position = nsci_sub(b->position, nsci_rotate(b->orientation, b->centre));
    if (!nsci_vec_finite(position))
        return NSC_ERR_NOT_FINITE;
    if (pose) {
        pose->position = position;
        pose->orientation = b->orientation;
    }
    return NSC_OK;
}

NSC_API int nsc_body_set_mass(nsc_world *w, nsc_id id, nsc_real mass)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int k;
    nsc_real inertia[6], share;
    nsc_body *b;
    if (i < 0)
        return i;
    b = &w->bodies[i];
    if (!nsci_finite(mass))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_MASS, mass);
    if (!(mass > 0) || !nsci_finite(1 / mass))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_MASS, mass);
    if (!(b->mass > 0))
        return nsci_refused(&w->note, NSC_ERR_INERTIA, NSCI_NO_MASS, (nsc_real)i);
    share = mass / b->mass;
    for (k = 0; k < 6; k++)
        inertia[k] = b->particle ? 0 : share * b->inertia[k];
    if (!b->particle && nsci_check_inertia(NULL, inertia) < 0)
        return nsci_refused(&w->note, NSC_ERR_INERTIA, NSCI_MASS, mass);
    nsci_set_mass(b, mass, b->centre, inertia);
    b->mass_given = 1;
    nsci_forget_rates(w);
    nsci_wake(b);
    return NSC_OK;
}

NSC_API int nsc_body_set_pose(nsc_world *w, nsc_id id, nsc_pose pose)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code = i < 0 ? i : nsci_check_pose(&w->note, &pose);
    nsc_vec3 position;
    nsc_body *b;
    if (code < 0)
        return code;
    b = &w->bodies[i];
    pose.orientation = nsci_quat_normalise(pose.orientation);
    position = nsci_centre_at(&pose, pose.orientation, b->centre);
    if (!nsci_vec_finite(position))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_FAR, nsci_norm(pose.position));
    b->orientation = pose.orientation;
    b->position = position;
    NSCI_IF(NSC_FAR, b->rest = nsci_vec(0, 0, 0);)
    nsci_wake_touching(w, id, -1);
    w->contact_count = nsci_drop_contacts(w->contacts, w->contact_count, id, -1);
    nsci_free_manifolds(w);
    nsci_forget_rates(w);
    if (b->kind == NSC_DYNAMIC_BODY)
        nsci_wake(b);
    else
        nsci_wake_all(w); /* it may have left, or reached, a sleeping body */
    return NSC_OK;
}

NSC_API int nsc_body_get_velocity(const nsc_world *w, nsc_id id, nsc_vec3 *linear,
                                  nsc_vec3 *angular)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    return nsci_hand_out(w->bodies[i].velocity, linear, w->bodies[i].angular_velocity, angular);
}

/* HHT, NEWMARK: a jointed body needs one step to satisfy the joint's velocity constraint before its
   acceleration means anything. */
static void nsci_kick(nsc_world *w, nsc_id body)
{
    if (nsci_has_joint(w, body))
        w->steady = 0;
    else
        nsci_forget_rates(w);
}

static int nsci_changes(nsc_vec3 from, nsc_vec3 to)
{
    nsc_vec3 d = nsci_sub(to, from);
    return nsci_dot3(d, d) > 0;
}

NSC_API int nsc_body_set_velocity(nsc_world *w, nsc_id id, nsc_vec3 linear, nsc_vec3 angular)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code;
    nsc_body *b;
    nsc_body_def d;
    if (i < 0)
        return i;
    b = &w->bodies[i];
    d.velocity = linear;
    d.angular_velocity = angular;
    code = nsci_check_members(&w->note, &d, NSCI_nsc_body_def_velocity,
                              NSCI_nsc_body_def_angular_velocity);
    if (code < 0)
        return code;
    if (b->kind == NSC_STATIC_BODY)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_STATIC, (nsc_real)i);
    if (nsci_changes(b->velocity, linear) || nsci_changes(b->angular_velocity, angular))
        nsci_kick(w, id);
    b->velocity = linear;
    if (!b->particle)
        b->angular_velocity = angular;
    nsci_wake(b);
    return NSC_OK;
}

NSC_API int nsc_body_get_mass(const nsc_world *w, nsc_id id, nsc_real *mass, nsc_vec3 *centre,
                              nsc_real inertia[6])
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    const nsc_body *b;
    if (i < 0)
        return i;
    b = &w->bodies[i];
    if (mass)
        *mass = b->mass;
    if (centre)
        *centre = b->centre;
    if (inertia)
        NSC_MEMCPY(inertia, b->inertia, sizeof b->inertia);
    return NSC_OK;
}

NSC_API int nsc_body_add_force(nsc_world *w, nsc_id id, nsc_vec3 force, nsc_vec3 torque)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    nsc_body *b;
    if (i < 0)
        return i;
    b = &w->bodies[i];
    force = nsci_add(b->force, force);
    torque = nsci_add(b->torque, torque);
    if (!nsci_vec_finite(force) || !nsci_vec_finite(torque))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE,
                            nsci_norm(nsci_vec_finite(force) ? torque : force));
    b->force = force;
    b->torque = torque;
    nsci_wake(b);
    return NSC_OK;
}

NSC_API int nsc_body_add_force_at(nsc_world *w, nsc_id id, nsc_vec3 force, nsc_vec3 point)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    return i < 0 ? i
                 : nsc_body_add_force(w, id, force,
                                      nsci_cross(nsci_sub(point, w->bodies[i].position), force));
}

NSC_API int nsc_body_clear_force(nsc_world *w, nsc_id id)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    w->bodies[i].force = w->bodies[i].torque = nsci_vec(0, 0, 0);
    return NSC_OK;
}

NSC_API int nsc_body_add_impulse_at(nsc_world *w, nsc_id id, nsc_vec3 impulse, nsc_vec3 point)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    nsc_body *b;
    nsci_mat3 R;
    nsc_vec3 v, o, moment;
    if (i < 0)
        return i;
    b = &w->bodies[i];
    if (b->kind != NSC_DYNAMIC_BODY)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_STATIC, (nsc_real)i);
    R = nsci_rotation(b->orientation);
    moment = nsci_cross(nsci_sub(point, b->position), impulse);
    v = nsci_add_sv(b->velocity, b->inv_mass, impulse);
    o = nsci_add(b->angular_velocity, nsci_turn_by(b, &R, moment));
    return nsc_body_set_velocity(w, id, v, o);
}

/* Sum of the last step's contact forces on the body or shape `id`, and their moment about a
   point */
static int nsci_contact_force(const nsc_world *w, nsc_id id, nsc_vec3 about, nsc_vec3 *force,
                              nsc_vec3 *moment)
{
    nsc_vec3 f = nsci_vec(0, 0, 0);
    nsc_vec3 m = f;
    nsc_vec3 p;
    int k;
    for (k = 0; k < w->contact_count; k++) {
        const nsc_contact *c = &w->contacts[k];
        int on_b = c->body_b == id || c->shape_b == id;
        if (!on_b && c->body_a != id && c->shape_a != id)
            continue;
        p = nsci_mul_sv((nsc_real)(on_b ? 1 : -1) / w->last_h, c->impulse);
        f = nsci_add(f, p);
        m = nsci_add(m, nsci_cross(nsci_sub(c->point, about), p));
    }
    return nsci_hand_out(f, force, m, moment);
}

NSC_API int nsc_body_get_contact_force(const nsc_world *w, nsc_id id, nsc_vec3 *force,
                                       nsc_vec3 *moment)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    return i < 0 ? i : nsci_contact_force(w, id, w->bodies[i].position, force, moment);
}

NSC_API const nsc_island *nsc_world_island(const nsc_world *w, int i)
{
    int end = w ? (NSCI_ISLANDS ? w->report.islands : w->report.islands > 0) : 0;
    return i >= 0 && i < end ? &w->islands[i] : NULL;
}

NSC_API int nsc_world_event_count(const nsc_world *w) { return w ? w->event_count : 0; }

NSC_API const nsc_event *nsc_world_event(const nsc_world *w, int i)
{
    return w && i >= 0 && i < w->event_count ? nsci_events(w) + i : NULL;
}

NSC_API int nsc_body_is_asleep(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    return i < 0 ? i : w->bodies[i].asleep;
}

NSC_API int nsc_body_wake(nsc_world *w, nsc_id id)
{
    /* Waking the ground is no error */
    int i = id == NSC_GROUND ? nsci_enter(w) : nsci_change(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    nsci_wake(&w->bodies[i]);
    return NSC_OK;
}

NSC_API int nsc_body_get_island(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    return w->island[i] < w->report.islands && nsci_is_dynamic(w, i) ? w->island[i] : -1;
}

/* ---- the code of the parts */
#define NSCI_PARTS
#define NSCI_CODE
#include "nsc.h"
#undef NSCI_CODE
#undef NSCI_PARTS

/* ---- >>selfcheck ----------------------------------------------------------------------------- */

/* FNV-1a over the bytes of n reals, the low byte first on every machine */
static uint32_t nsci_hash(uint32_t hash, const void *reals, int n)
{
    const unsigned char *from = (const unsigned char *)reals;
    nsc_real one = 1;
    unsigned char bytes[sizeof(nsc_real)];
    size_t i, size = sizeof(nsc_real), flip;
    int k;
    NSC_MEMCPY(bytes, &one, size);
    flip = bytes[0] != 0 ? size - 1 : 0; /* 1 has a non-zero high byte and a zero low byte */
    for (k = 0; k < n; k++, from += size) {
        NSC_MEMCPY(bytes, from, size);
        for (i = 0; i < size; i++)
            hash = (hash ^ bytes[flip ? flip - i : i]) * UINT32_C(16777619);
    }
    return hash;
}

/* A box thrown on its corner: bounce, slide, spin, rest; every stage of a step takes part. */
NSCI_OWN_FRAME int nsci_selfcheck_begin(nsc_world *w, size_t size, uint32_t config)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.3), NSC_R(0.2), NSC_R(0.1));
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_body_def body = nsc_default_body_def();
    int code;
    def.solver.max_iterations = 20;
    code = nsci_world_init(w, &def, size, config);
    if (code < 0)
        return code;
    box.restitution = NSC_R(0.25);
    body.pose.position.z = NSC_R(0.5);
    body.velocity = nsci_vec(1, NSC_R(-0.5), -3);
    body.angular_velocity = nsci_vec(2, -3, 5);
    nsc_world_add_shape(w, nsc_world_add_body(w, &body), &box);
    nsc_world_add_shape(w, NSC_GROUND, &ground);
    return NSC_OK;
}

static uint32_t nsci_selfcheck_scene(nsc_world *w)
{
    const nsc_body *b = &w->bodies[NSC_MAX_BODIES > 1];
    uint32_t hash = UINT32_C(2166136261);
    int i;
    for (i = 0; i < 64; i++) {
        nsc_world_step(w, NSC_R(0.0078125));
        hash = nsci_hash(hash, &b->position, 3);
        hash = nsci_hash(hash, &b->orientation, 4);
        hash = nsci_hash(hash, &b->velocity, 3);
        hash = nsci_hash(hash, &b->angular_velocity, 3);
    }
    return hash;
}

#define NSCI_SELFCHECK_HASH \
    (sizeof(nsc_real) == sizeof(float) ? UINT32_C(0x70d5ca09) : UINT32_C(0x49321712))

NSC_API int nsci_world_selfcheck(nsc_world *w, unsigned *detail, size_t size, uint32_t config)
{
    unsigned found = 0;
    int code = nsci_selfcheck_begin(w, size, config);
    if (code < 0)
        return code;
    code = nsc_selfcheck(&found);
    if (code >= 0 && NSC_MAX_BODIES >= 2 && NSC_MAX_SHAPES >= 2 && NSC_MAX_CONTACTS >= 4)
        if (nsci_selfcheck_scene(w) != NSCI_SELFCHECK_HASH) {
            code = NSC_ERR_ARITHMETIC;
            found |= NSC_CHECK_SCENE;
        }
    if (detail)
        *detail = found;
    return code;
}

NSCI_C_END
NSCI_BITS_END
#endif /* NSC_IMPLEMENTATION */

/* ---- >>parts ---------------------------------------------------------------------------------
   The files of the shelf, each where the build asks for it, else what stands for its functions: all
   that the core asks of the parts, or one part of another; the parts call the core freely.
   examples/kit/README.md has them in the order of a step.  A macro that does not ask becomes 0, so
   that code can name it, and NSCI_JOINTS and the like are 1 where a capacity is above 0, for
   NSCI_IF.  A part stands below those whose macros its declarations name.  nsc.h
   includes itself, and so this list, three times: for what the parts declare, for the prototypes
   of these functions (NSCI_PROTOTYPES) and for their code (NSCI_CODE). */
#ifdef NSCI_PARTS

/* Where a step begins and ends, Newton's method, drift undone by moving */
#if NSCI_ASKED(NSC_STEPPERS)
#include "nsc_steppers.h" /* not found: copy examples/kit/nsc_steppers.h */
#define NSCI_HOLDS_MOTION 1
#else
#define NSC_STEPPERS 0
#define NSCI_HOLDS_MOTION NSCI_SUBSTEPS /* can a step be refused after bodies have moved? */
#define nsci_hat(w, s, i, v) nsci_velocity_of(&(w)->bodies[i], v)
#define nsci_stood(w, s, i) ((void)(s), (w)->bodies[i].position)
#define nsci_inertia_turn(w, s, b) ((void)(w), (void)(s), &(b)->orientation)
#define nsci_is_newmark(d) ((void)(d), 0)
#define nsci_is_trapezoidal(d) ((void)(d), 0)
#define nsci_check_stepper(note, d) NSC_OK
#define nsci_choose_scheme(w, s) ((void)0)
#define nsci_gyrate(w, s, b, torque) ((void)0)
#define nsci_displace(w, s, i, b, v) ((void)(w), (void)(i), 0)
#define nsci_speed_before(w, s, k, i) nsci_row_speed(w, k, i)
#define nsci_row_travel(w, s, k, i, va, vb) ((void)(w), (s)->h * nsci_along_row(k, i, va, vb))
#define nsci_position_bias(w, c, k, s) ((void)0)
#define nsci_bend_again(k) ((void)0)
#define nsci_try_kinematic(w, s) ((void)0)
#define nsci_hold_start(w, back) ((void)0)
#define nsci_solve_newton(w, own, s, p, r) NSC_OK
#define nsci_keep_rates(w, s) ((void)0)
#define nsci_hold_rates(m, b, back) ((void)0)
#define nsci_undo_by_moving(w, s) NSC_OK
#endif

/* Moves a body, with what rounding took */
#if NSCI_ASKED(NSC_FAR)
#include "nsc_far.h" /* not found: copy examples/kit/nsc_far.h */
#else
#define NSC_FAR 0
#define nsci_move_far(b, h, v) ((b)->position = nsci_add_sv((b)->position, h, v))
#endif

/* Members of a body; which bodies are off; mass, rows and free velocities of locked ones */
#if NSCI_ASKED(NSC_LOCKS)
#include "nsc_locks.h" /* not found: copy examples/kit/nsc_locks.h */
#else
#define NSC_LOCKS 0
#define nsci_take_locks(b, d) ((void)0)
#define nsci_is_off(w, body) 0
#define nsci_stays_off(w, a, b) 0
#define nsci_damp_and_lock(w, i, h) ((void)0)
#define nsci_may_turn(b) 1
#define nsci_turn_by(b, R, m) nsci_mul_mv(R, nsci_sym_mul((b)->inv_inertia, nsci_mul_mtv(R, m)))
#define nsci_lock_inertia(b, R, inverse) ((void)0)
#define nsci_lock_block(w, k) ((void)(w))
#define nsci_lock_blocks(w, p) ((void)0)
#endif

/* A surface that starts wakes bodies; contacts take its velocity, their rows too */
#if NSCI_ASKED(NSC_BELTS)
#include "nsc_belts.h" /* not found: copy examples/kit/nsc_belts.h */
#else
#define NSC_BELTS 0
#define nsci_wake_for_belt(w, own, d) ((void)0)
#define nsci_mix_belts(w, c, s, t) ((void)0)
#define nsci_drive_belt(c, k, share) ((void)0)
#define nsci_is_driven(k) 0
#define nsci_carried(shear, h, c) (shear)
#define nsci_begin_belt(c, k, roll) ((void)0)
#endif

#if NSCI_ASKED(NSC_WORDS)
#include "nsc_words.h" /* not found: copy examples/kit/nsc_words.h */
#else
#define NSC_WORDS 0
#endif

/* Meets the pairs of many shapes; sorts many contacts */
#if NSCI_ASKED(NSC_STRIPS)
#include "nsc_strips.h" /* not found: copy examples/kit/nsc_strips.h */
#else
#define NSC_STRIPS 0
#define nsci_meet_strips(w, n, h) ((void)0)
#define nsci_sort_many(w) ((void)0)
#endif

/* Solve a sub-step, and again with what overlaps at its end */
#if NSCI_ASKED(NSC_SECOND_LOOK)
#include "nsc_second_look.h" /* not found: copy examples/kit/nsc_second_look.h */
#else
#define NSC_SECOND_LOOK 0
#define nsci_solve_and_look(w, h, s) nsci_solve_substep(w, h, s)
#endif

/* Of hulls, mass, bounds and faces */
#if defined NSC_HULL_VERTICES && NSC_HULL_VERTICES
#define NSCI_HULLS 1
#else
#define NSC_HULL_VERTICES 0
#define NSCI_HULLS 0
#define nsci_hull_mass(w, s, centre, I) 0
#define nsci_bound_hull(g, more, box) 0
#define nsci_hull_faces(g) 3
#define nsci_turned_face(g, i) (g)->axes.c[i]
#define nsci_inner_hull(g, middle) 0
#endif

/* Mass, bounds and points of cylinders; contact points of all convex shapes */
#if NSCI_ASKED(NSC_CONVEX) || NSCI_HULLS || NSCI_ASKED(NSC_TERRAIN) || NSCI_ASKED(NSC_MESHES) || \
    NSCI_ASKED(NSC_BARRIER)
#define NSCI_CONVEX 1
#include "nsc_convex.h" /* not found: copy examples/kit/nsc_convex.h */
#else
#define NSC_CONVEX 0
#define NSCI_CONVEX 0
#define nsci_cylinder_mass(d, I) 0
#define nsci_bound_cylinder(g, more, e) ((void)0)
#define nsci_is_convex(kind) 0
#define nsci_rim_of(w, shape, normal, p, axis) 0
#define nsci_on_axis(p, rim, normal, axis) ((void)(axis), (p))
#define nsci_collide_convex(w, a, b, distance) 0
#endif

/* Contact points on height fields and meshes; bounds of a height field */
#if NSCI_ASKED(NSC_TERRAIN) || NSCI_ASKED(NSC_MESHES)
#define NSCI_TERRAIN_PART 1
#include "nsc_terrain.h" /* not found: copy examples/kit/nsc_terrain.h */
#else
#define NSC_TERRAIN 0
#define NSCI_TERRAIN_PART 0
#define nsci_collide_terrain(w, a, b, distance) 0
#define nsci_bound_field(g, half, centre) 0
#endif

/* Bounds of a mesh */
#if NSCI_ASKED(NSC_MESHES)
#include "nsc_mesh.h" /* not found: copy examples/kit/nsc_mesh.h */
#else
#define NSC_MESHES 0
#define nsci_bound_mesh(g, half, centre) 0
#endif

/* Contacts whose normals point into a neighbouring shape */
#if NSCI_ASKED(NSC_SEAMS)
#include "nsc_seams.h" /* not found: copy examples/kit/nsc_seams.h */
#else
#define NSC_SEAMS 0
#define nsci_mend_seams(w, h) ((void)0)
#endif

/* Derivatives of the caller's forces become soft blocks */
#if defined NSC_MAX_FORCES && NSC_MAX_FORCES
#define NSCI_FORCES 1
#include "nsc_forces.h" /* not found: copy examples/kit/nsc_forces.h */
#else
#define NSC_MAX_FORCES 0
#define NSCI_FORCES 0
#define nsci_open_forces(w, open) ((void)0)
#define nsci_keep_force(w, i, f) 0
#define nsci_fill_forces(w, own, s) ((void)0)
#endif

/* Links, rows, impulses; bodies that do not collide */
#if defined NSC_MAX_JOINTS && NSC_MAX_JOINTS
#define NSCI_JOINTS 1
#include "nsc_joints.h" /* not found: copy examples/kit/nsc_joints.h */
#else
#define NSC_MAX_JOINTS 0
#undef NSC_MAX_JOINT_BLOCKS
#define NSC_MAX_JOINT_BLOCKS 0
#define NSCI_JOINTS 0
#define nsc_joint_def nsc_joint_def_asks_for_NSC_MAX_JOINTS /* what a compiler then says */
#define nsci_link_joints(w) ((void)0)
#define nsci_joined(w, a, b) 0
#define nsci_has_joint(w, body) ((void)(body), 0)
#define nsci_has_gear(w, body) 0
#define nsci_list_joints(w) ((void)0)
#define nsci_take_joints(w, own, s, share, joint_blocks) ((void)(joint_blocks))
#define nsci_store_joints(w, h) ((void)0)
#define nsci_check_stepper_joints(w, def) NSC_OK
#define nsci_free_joints_of(w, body) ((void)0)
#endif

/* Links, rows, impulses */
#if defined NSC_MAX_SPRINGS && NSC_MAX_SPRINGS
#define NSCI_SPRINGS 1
#include "nsc_springs.h" /* not found: copy examples/kit/nsc_springs.h */
#else
#define NSC_MAX_SPRINGS 0
#define NSCI_SPRINGS 0
#define nsci_list_springs(w) ((void)0)
#define nsci_store_springs(w, h) ((void)0)
#define nsci_free_springs_of(w, body) ((void)0)
#endif

/* Checks, links, rows, impulses */
#if defined NSC_MAX_ROWS && NSC_MAX_ROWS
#define NSCI_ROWS 1
#include "nsc_rows.h" /* not found: copy examples/kit/nsc_rows.h */
#else
#define NSC_MAX_ROWS 0
#define NSCI_ROWS 0
#define nsci_move_rows(w, l, s) ((void)0)
#define nsci_check_rows(w, calls) NSC_OK
#define nsci_list_rows(w, calls) ((void)0)
#define nsci_store_rows(w, h, calls) ((void)0)
#endif

/* Coefficients and moment of a contact; its second block */
#if defined NSC_MAX_ROLLING && NSC_MAX_ROLLING
#define NSCI_ROLLING 1
#include "nsc_rolling.h" /* not found: copy examples/kit/nsc_rolling.h */
#else
#define NSC_MAX_ROLLING 0
#define NSCI_ROLLING 0
#define nsci_rolling(c) ((void)(c), (nsc_real)0)
#define nsci_torsion(c) ((void)(c), (nsc_real)0)
#define nsci_moment(c) ((void)(c), nsci_vec(0, 0, 0))
#define nsci_set_moment(c, moment) ((void)(moment))
#define nsci_twist(c) ((void)(c), nsci_vec(0, 0, 0))
#define nsci_set_twist(c, twist) ((void)(twist))
#define nsci_mix_rolling(c, a, b) ((void)0)
#define nsci_check_rolling_law(note, c) NSC_OK
#define nsci_fill_rolling(w, l, s, first, k) NULL
#define nsci_take_rolling(c, l, k, share) NULL
#endif

/* The force law as compliance of a contact's rows; cohesion, of hard contact too */
#if NSCI_ASKED(NSC_SMOOTH)
#include "nsc_smooth.h" /* not found: copy examples/kit/nsc_smooth.h */
#else
#define NSC_SMOOTH 0
#define nsci_is_smooth(w) ((void)(w), 0)
#define nsci_smooth_is_finite(c) ((void)(c), 1)
#define nsci_check_smooth(w, c) ((void)(c), NSC_OK)
#define nsci_forget_smooth(c) ((void)(c))
#define nsci_drop_unused_law(w, c) ((void)0)
#define nsci_pull(w, c, s) ((void)(c), (void)(s), (nsc_real)0)
#define nsci_apply_pull(w, c, k, s) ((void)0)
#define nsci_take_pull(w, c, s, share) ((void)0)
#define nsci_mix_smooth(w, c, a, b) ((void)(a), (void)(b))
#define nsci_carry_smooth(c, old) ((void)(c))
#define nsci_smooth_bias(w, c, k, roll, s) ((void)(roll))
#define nsci_take_smooth(w, c, k, roll, s) ((void)(roll))
#define nsci_limit_step(w, own, s, count) ((void)0)
#endif

/* Checks; the share of a Newton step in which a pair stays apart */
#if NSCI_ASKED(NSC_BARRIER)
#include "nsc_barrier.h" /* not found: copy examples/kit/nsc_barrier.h */
#else
#define NSC_BARRIER 0
#define nsci_casts(w) 0
#define nsci_check_barrier_def(note, d) NSC_OK
#define nsci_check_barrier_shapes(w) NSC_OK
#define nsci_check_barrier_contact(w, c) NSC_OK
#define nsci_cast_pair(w, s, t) ((void)0)
#define nsci_begin_barrier(w, s) ((void)0)
#endif

/* Small islands are set aside and solved together */
#if NSC_PARALLEL
#include "nsc_cores.h" /* not found: copy examples/kit/nsc_cores.h */
#else
#define nsci_batch int
#define nsci_check_parts(w, calls) NSC_OK
#define nsci_begin_batch(w, s, joint_blocks) 0
#define nsci_is_small(b, own) ((void)(b), 0)
#define nsci_set_aside(b, own) NSC_OK
#define nsci_end_batch(b) NSC_OK
#endif

/* The mean acceleration of a step */
#if NSCI_ASKED(NSC_IMU)
#include "nsc_imu.h" /* not found: copy examples/kit/nsc_imu.h */
#else
#define NSC_IMU 0
#define nsci_note_acceleration(b, s, share, v, o) ((void)(share), (void)(v), (void)(o))
#define nsci_begin_acceleration(b) ((void)(b))
#define nsci_hold_acceleration(m, b, back) ((void)(back))
#endif
#endif

/* ---- >>licence -------------------------------------------------------------------------------
   MIT License

   Copyright (c) 2026 the nsc authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or
   substantial portions of the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT.  IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
