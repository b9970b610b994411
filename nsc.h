/* nsc.h - v0.2.0 - rigid bodies with hard contact and friction, in fixed memory
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
                                          joints, springs  ->    links  ->  islands
                                                                                |
       positions  <-  velocities, impulses  <-  solve  <-  blocks of three rows  <-

   Contact is hard: no springs to tune, no creep at rest.  Velocities and impulses of an island are
   found together, as one complementarity problem (time stepping after Moreau and Anitescu), by a
   solver of nsc_solvers.h.  Beside that there are smooth contact (Hooke, Hertz, Flores), other time
   steppers, joints with limits and drives, springs, forces and contacts of your own, sleep, rays,
   contact forces, inertial readings, snapshots.

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
   call nsc_body_clear_force, or the next step is refused again.

   MEMORY  All of it is sizeof(nsc_world): the formula stands at the end of >>config.  A world holds
   no pointer (but to your tables of meshes, const hulls and heights, if the build has them): a
   memcpy of it is a snapshot, and a restored world goes on with the same bits.  A step takes
   0.9 KiB of stack on a Cortex-M4F with the core, 2.4 by default, 2.6 with hulls and terrain.

   LIMITS
       A half-space, height field or mesh cannot be a shape of a dynamic body.
       Shapes on one body do not collide with each other.
       A fast body does not tunnel while it turns at most 0.4 rad a step; one that another body hits
       elastically within the same step may.
       A gear on one common axis, or of sliders side by side, needs a base that is not dynamic.
       A drive that moves its axis slower than sleep_speed may be put to sleep with its bodies.
       A slot may be used 2047 times before a stale handle can be mistaken for a fresh one.

   CONTENTS  (search for >>name)
       >>config  >>types  >>core  >>defs  >>api  >>state
       implementation: >>math  >>checks  >>handles  >>bodies  >>shapes  >>narrow  >>convex
                       >>terrain  >>broad  >>steppers  >>rows  >>joints  >>springs  >>smooth
                       >>contacts  >>islands  >>step  >>query  >>sensing  >>archive  >>selfcheck
       >>licence
   Beside it, in examples/kit, each one file to copy: nsc_draw.h (the world as lines, points and
   triangles), nsc_svg.h (pictures), nsc_dump.h (a contact problem as text), nsc_hull.h (hulls from
   points), nsc_robot.h (a robot from a table), nsc_derive.h (derivatives of a step), nsc_motion.h
   (what moves, in an image of few bytes), nsc_bound.h (the most work of a step); robot.py and
   mesh.py print robots and triangle meshes as const tables.
*/
#ifndef NSC_NONSMOOTH_CONTACT_H
#define NSC_NONSMOOTH_CONTACT_H

#include "nsc_solvers.h"
#include <stddef.h>
#include <stdint.h>

/* ---- >>config --------------------------------------------------------------------------------
   Define these macros before the include, alike in every file; nsc_world_init refuses a world of
   another configuration.  So too those of nsc_solvers.h: NSC_DOUBLE, NSC_STATIC, NSC_ONLY_SIPGS,
   NSC_CONFIG_H and others. */

/* Bodies, the ground included */
#ifndef NSC_MAX_BODIES
#define NSC_MAX_BODIES 16
#endif

/* Shapes, summed over all bodies */
#ifndef NSC_MAX_SHAPES
#define NSC_MAX_SHAPES NSC_MAX_BODIES
#endif

/* Contact points.  A pair of shapes has at most 4, on a height field or mesh 16 */
#ifndef NSC_MAX_CONTACTS
#define NSC_MAX_CONTACTS 64
#endif

/* Joints; 0 leaves their code out, as it does for all capacities below */
#ifndef NSC_MAX_JOINTS
#define NSC_MAX_JOINTS 8
#endif

/* Blocks of three rows, summed over all joints: the held rows take up to two; springs, drives,
   friction and limits of the axes share further ones */
#ifndef NSC_MAX_JOINT_BLOCKS
#define NSC_MAX_JOINT_BLOCKS (3 * NSC_MAX_JOINTS)
#endif

/* Contacts that may have rolling friction */
#ifndef NSC_MAX_ROLLING
#define NSC_MAX_ROLLING 0
#endif

/* Springs between bodies */
#ifndef NSC_MAX_SPRINGS
#define NSC_MAX_SPRINGS 0
#endif

/* Bodies whose force from your callback may come with a derivative (nsc_force) */
#ifndef NSC_MAX_FORCES
#define NSC_MAX_FORCES 0
#endif

/* Shapes that are convex hulls, and the corners of each, 4..42 */
#ifndef NSC_MAX_HULLS
#define NSC_MAX_HULLS 0
#endif
#ifndef NSC_HULL_VERTICES
#define NSC_HULL_VERTICES 16
#endif

/* Shapes that are height fields, and the heights of each */
#ifndef NSC_MAX_FIELDS
#define NSC_MAX_FIELDS 0
#endif
#ifndef NSC_FIELD_SAMPLES
#define NSC_FIELD_SAMPLES 256
#endif

/* 1: shapes may be triangle meshes that stay in const memory (nsc_mesh) */
#ifndef NSC_MESHES
#define NSC_MESHES 0
#endif

/* 1: shapes may be hulls, height fields that stay in const memory (nsc_hull, nsc_heights) */
#ifndef NSC_CONST_HULLS
#define NSC_CONST_HULLS 0
#endif
#ifndef NSC_CONST_FIELDS
#define NSC_CONST_FIELDS 0
#endif

/* Touch events (begin, end) that a step reports */
#ifndef NSC_MAX_EVENTS
#define NSC_MAX_EVENTS 16
#endif

/* Places of 152 bytes for the contact points that two boxes or hulls keep while they hardly move on
   each other.  A pair needs two, as a refused step goes back to the old points */
#ifndef NSC_MAX_MANIFOLDS
#define NSC_MAX_MANIFOLDS (NSC_MAX_CONTACTS / 2)
#endif

/* Define to leave out a part of the code:
       NSC_NO_STEPPERS    all time steppers but EULER_IMPLICIT_LINEARIZED
       NSC_NO_SUBSTEPS    sub-steps: nsc_world_def.substeps is 1
       NSC_NO_SMC         smooth contact
       NSC_NO_CYLINDER    cylinders
       NSC_NO_ISLANDS     islands: the whole world is one problem
       NSC_NO_SENSING     rays, shapes that are cast, overlap, closest point, inertial unit, contact
                          force of a shape, poses (nsc_pose_*, nsc_quat_*)
       NSC_NO_ARCHIVE     save, load, hash
       NSC_NO_PROBLEM     nsc_world_problem
       NSC_NO_OLD_NAMES   the names of version 0.1 (see the end of >>state)

   Define to bring one in:
       NSC_PARALLEL       nsc_calls.parallel: SIPGS on several cores, islands and within one, the
                          same bits (see nsc_solvers.h).  2 KiB, and an arena for large islands
       NSC_EXTRAS         bodies that are locked along or about axes of the world, or damped, change
                          their kind, are switched off; surfaces that move (belts, tracks); words
                          of yours in bodies and shapes; callbacks that choose pairs and change
                          contacts.  16 bytes a body and a shape, 24 a contact
       NSC_BARRIER        NSC_SMOOTH_BARRIER, contact whose gaps never close.  28 bytes a body, 16
                          a contact, and the scratch for finding contacts has memory of its own */

/* Called where a part of a step begins, NSC_STAGE_BROAD .. NSC_STAGE_REST: for your clock or
   counter.  nsc_world_problem runs a step up to NSC_STAGE_ROWS */
#ifndef NSC_STAGE
#define NSC_STAGE(stage) ((void)0)
#endif

#if defined(NSC_NO_DRAW) && !defined(NSC_NO_OLD_NAMES) && !defined(NSC_NO_PROBLEM)
#define NSC_NO_PROBLEM /* in version 0.1 NSC_NO_DRAW left nsc_world_problem out too */
#endif
/* The broad phase sorts shapes into strips; the build has height fields */
#define NSCI_STRIPS (NSC_MAX_SHAPES >= 64)
#define NSCI_TERRAINS (NSC_MAX_FIELDS > 0 || NSC_CONST_FIELDS)
/* The build has shapes that need the general narrow phase; or asks for furthest points of convex
   shapes */
#define NSCI_CONVEX \
    (NSCI_CYLINDERS || NSCI_HULLS || NSCI_TERRAINS || NSC_MESHES || NSCI_BARRIER)
#define NSCI_SUPPORT (NSCI_CONVEX || NSCI_SENSING)
/* Can a step be refused after bodies have moved? */
#define NSCI_HOLDS_MOTION (NSCI_SUBSTEPS || NSCI_STEPPERS)
#if defined(NSC_BARRIER) && \
    (defined(NSC_NO_SMC) || defined(NSC_NO_STEPPERS) || defined(NSC_ONLY_CONTACTS))
#error "nsc: not NSC_BARRIER with NSC_NO_SMC, NSC_NO_STEPPERS or NSC_ONLY_CONTACTS"
#endif
/* Parts of the build, 1 or 0, for NSCI_IF (see nsc_solvers.h) */
#if NSC_MESHES
#define NSCI_MESHES 1
#else
#define NSCI_MESHES 0
#endif
#if NSC_CONST_HULLS || NSC_CONST_FIELDS
#define NSCI_TABLES 1
#else
#define NSCI_TABLES 0
#endif
#if NSC_MAX_JOINTS > 0
#define NSCI_JOINTS 1
#else
#define NSCI_JOINTS 0
#endif
#if NSC_MAX_SPRINGS > 0
#define NSCI_SPRINGS 1
#else
#define NSCI_SPRINGS 0
#endif
#if NSC_MAX_ROLLING > 0
#define NSCI_ROLLING 1
#else
#define NSCI_ROLLING 0
#endif
#if NSC_MAX_EVENTS > 0
#define NSCI_EVENTS 1
#else
#define NSCI_EVENTS 0
#endif
#ifdef NSC_EXTRAS
#define NSCI_EXTRAS 1
#else
#define NSCI_EXTRAS 0
#endif
#ifdef NSC_BARRIER
#define NSCI_BARRIER 1
#else
#define NSCI_BARRIER 0
#endif
#ifdef NSC_NO_SENSING
#define NSCI_SENSING 0
#else
#define NSCI_SENSING 1
#endif
#ifdef NSC_NO_SMC
#define NSCI_SMOOTH 0
#else
#define NSCI_SMOOTH 1
#endif
#ifdef NSC_NO_CYLINDER
#define NSCI_CYLINDERS 0
#else
#define NSCI_CYLINDERS 1
#endif
#ifdef NSC_NO_ISLANDS
#define NSCI_ISLANDS 0
#else
#define NSCI_ISLANDS 1
#endif
#ifdef NSC_NO_STEPPERS
#define NSCI_STEPPERS 0
#else
#define NSCI_STEPPERS 1
#endif
#ifdef NSC_NO_SUBSTEPS
#define NSCI_SUBSTEPS 0
#else
#define NSCI_SUBSTEPS 1
#endif

/* Sums of capacities are of type long: an int of 16 bits would overflow. */
#define NSC_MAX_BLOCKS \
    (0L + NSC_MAX_CONTACTS + NSC_MAX_JOINT_BLOCKS + NSC_MAX_ROLLING + NSC_MAX_SPRINGS + \
     2L * NSC_MAX_FORCES)

/* Scratch of the solvers, in reals.  Enough at capacity for all compiled solvers but DANTZIG
   (NSC_ARENA_DANTZIG); SIPGS needs 0, and is quicker on a desktop with NSC_ARENA_WAVES */
#ifndef NSC_ARENA
#define NSC_ARENA NSCI_ARENA_FOR_ALL(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)
#endif

#if defined(NSC_ONLY_CONTACTS) && \
    NSC_MAX_JOINTS + NSC_MAX_ROLLING + NSC_MAX_SPRINGS + NSC_MAX_FORCES > 0
#error "nsc: NSC_ONLY_CONTACTS needs NSC_MAX_JOINTS, _ROLLING, _SPRINGS and _FORCES to be 0"
#endif

/* Memory: sizeof(nsc_world) in float is, to 2 % (tests/memory.h; `make size` prints a table),
       440 + 584 NSC_MAX_BODIES + 108 NSC_MAX_SHAPES + 672 NSC_MAX_CONTACTS + 4 NSC_ARENA
           + 448 NSC_MAX_JOINTS + 444 NSC_MAX_JOINT_BLOCKS + 432 NSC_MAX_ROLLING
           + 516 NSC_MAX_SPRINGS + 1182 NSC_MAX_FORCES + 152 NSC_MAX_MANIFOLDS
           + 44 NSC_HULL_VERTICES NSC_MAX_HULLS + (24 + 4 NSC_FIELD_SAMPLES) NSC_MAX_FIELDS
           + 20 NSC_MAX_EVENTS
   bytes, plus 64 NSC_MAX_CONTACTS with rolling friction, 8 NSC_MAX_CONTACTS with more than 254
   manifolds.  A body takes 172 less without time steppers, 40 less without islands, 48 less without
   sensing, and 76 less again without both time steppers and sub-steps (52 if also without sensing);
   a contact 56 less without smooth contact, and 4 without time steppers and sub-steps.  NSC_EXTRAS
   takes 16 more a body and a shape, and 24 a contact.  NSC_PARALLEL takes 2176 (3072 where pointers
   have 64 bits) and the arena it works in (NSC_ARENA_CORES, NSC_ARENA_WAVES).  The scratch for
   finding contacts, about
       1260 + 101 NSC_MAX_SHAPES + 5 NSC_MAX_CONTACTS
   and 390 more with terrain, 66 for each corner of hulls above 9, and a shape 5 more (10 where
   pointers have 64 bits) for each of hulls, height fields and meshes, shares memory with that for
   solving them, and counts only where it is larger: many shapes with few contacts.  With
   NSC_BARRIER it counts in full, and a body takes 28 more, a contact 16. */

typedef char nsci_check_bodies[NSC_MAX_BODIES >= 1 && NSC_MAX_BODIES <= 16383 ? 1 : -1];
typedef char nsci_check_shapes[NSC_MAX_SHAPES >= 1 && NSC_MAX_SHAPES <= 16383 ? 1 : -1];
typedef char nsci_check_contacts[NSC_MAX_CONTACTS >= 1 && NSC_MAX_CONTACTS <= 10000 ? 1 : -1];
typedef char nsci_check_joints[NSC_MAX_JOINTS >= 0 && NSC_MAX_JOINTS <= 5000 ? 1 : -1];
typedef char nsci_check_rolling[
    NSC_MAX_ROLLING >= 0 && NSC_MAX_ROLLING <= NSC_MAX_CONTACTS ? 1 : -1];
typedef char nsci_check_springs[NSC_MAX_SPRINGS >= 0 && NSC_MAX_SPRINGS <= 10000 ? 1 : -1];
typedef char nsci_check_forces[NSC_MAX_FORCES >= 0 && NSC_MAX_FORCES <= NSC_MAX_BODIES ? 1 : -1];
typedef char nsci_check_hulls[
    NSC_MAX_HULLS >= 0 && NSC_HULL_VERTICES >= 4 && NSC_HULL_VERTICES <= 42 ? 1 : -1];
typedef char nsci_check_fields[NSC_MAX_FIELDS >= 0 && NSC_FIELD_SAMPLES >= 4 ? 1 : -1];
typedef char nsci_check_manifolds[NSC_MAX_MANIFOLDS >= 0 && NSC_MAX_MANIFOLDS <= 10000 ? 1 : -1];
/* block indices have 16 bits */
typedef char nsci_check_blocks[NSC_MAX_JOINT_BLOCKS >= 0 && NSC_MAX_BLOCKS < 65535L ? 1 : -1];

NSCI_C_BEGIN

/* ---- >>types --------------------------------------------------------------------------------- */

/* Three floats are 12 bytes: see NSCI_PADDED. */
#if NSCI_PADDED && !defined(NSC_DOUBLE)
#define NSCI_PADDED_VEC3 1
#else
#define NSCI_PADDED_VEC3 0
#endif
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

enum { NSC_STATIC_BODY = 1, NSC_KINEMATIC_BODY = 2, NSC_DYNAMIC_BODY = 3 };
enum { NSC_DISABLED_BODY = 4 }; /* only for nsc_body_set_kind, with NSC_EXTRAS */
/* With NSC_EXTRAS: axes of the world along and about which a body does not move, to be or-ed;
   NSC_LOCK_2D leaves motion in the plane of x and z, and rotation about y. */
enum {
    NSC_LOCK_X = 1, NSC_LOCK_Y = 2, NSC_LOCK_Z = 4,
    NSC_LOCK_TURN_X = 8, NSC_LOCK_TURN_Y = 16, NSC_LOCK_TURN_Z = 32,
    NSC_LOCK_2D = NSC_LOCK_Y | NSC_LOCK_TURN_X | NSC_LOCK_TURN_Z
};
enum {
    NSC_SHAPE_SPHERE = 1, NSC_SHAPE_CAPSULE = 2, NSC_SHAPE_CYLINDER = 3, NSC_SHAPE_BOX = 4,
    NSC_SHAPE_HULL = 5,
    NSC_SHAPE_HALF_SPACE = 6, NSC_SHAPE_HEIGHT_FIELD = 7, /* only on bodies that are not dynamic */
    NSC_SHAPE_MESH = 8                                    /* likewise; with NSC_MESHES */
};

/* ---- >>core ----------------------------------------------------------------------------------
   The functions that most programs need; the others stand in >>api.  They take definitions: make
   one by nsc_default_world_def, nsc_default_body_def, nsc_default_box_def and so on (>>defs), and
   change fields as needed. */

typedef struct nsc_world nsc_world;
typedef struct nsc_world_def nsc_world_def;
typedef struct nsc_body_def nsc_body_def;
typedef struct nsc_shape_def nsc_shape_def;
typedef struct nsc_step_report nsc_step_report;

/* Make an empty world with its ground.  This comes before all other calls: with a world that is
   still all zeros a call that changes it returns NSC_ERR_ARGUMENT; memory that holds anything else
   is taken for a world.  Returns 0, NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_STEPPER_CONTACT,
   NSC_ERR_STEPPER_UNSTABLE, or NSC_ERR_CONFIG when this file was compiled with other NSC_ settings
   than the implementation. */
static NSC_MAYBE_UNUSED int nsc_world_init(nsc_world *world, const nsc_world_def *def);

/* Advance by h [s] > 0, with 1 / h^2 finite.  Order: forces, free velocities, collision, matching,
   solve, poses.  Forces and torques are then cleared.  Returns 0 also when the solver ran out of
   iterations: see nsc_world_report.  After NSC_ERR_ARGUMENT (h, world NULL, a solver that is not
   compiled in), NSC_ERR_NOT_FINITE, NSC_ERR_INERTIA (a dynamic body has no mass yet),
   NSC_ERR_CAPACITY (NSC_ARENA) nothing has moved.  Cost: contacts * iterations, plus n log n for
   the collision. */
NSC_API int nsc_world_step(nsc_world *world, nsc_real h);

/* Report of the last step.  Never NULL for a world; valid until the next step. */
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
   the body; a pose that is set also forgets the impulses of its contacts, and wakes all bodies
   unless the body is dynamic.  A pose is that of the body's frame, a linear velocity that of its
   centre of mass.  Output pointers may be NULL.  A getter whose answer would overflow returns
   NSC_ERR_NOT_FINITE and writes nothing, as do those of joints, springs and sensing. */
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
   member in NSCI_IF(part, ...) is there if the build has the part: NSCI_EXTRAS with NSC_EXTRAS,
   NSCI_SMOOTH without NSC_NO_SMC, NSCI_ROLLING with NSC_MAX_ROLLING > 0 and so on (see
   >>config). */

/* nsc_world_def.stepper.  Forces are the smooth ones: gravity, yours, springs, servos and dampers,
   smooth contact.  Every stepper solves for the constraints: joints, and where it takes them limits
   and hard contact.
       NSC_STEPPER_               order  forces at the       hard contact  for
       EULER_IMPLICIT_LINEARIZED  1      end, linearised     yes           nearly everything
       EULER_IMPLICIT_PROJECTED   1      end, linearised     yes           no drift
       EULER_SYMPLECTIC           1      beginning           yes           no damping; h < 2 / omega
       EULER_FORWARD              1      beginning           no            teaching: gains energy
       EULER_IMPLICIT             1      end, by Newton      yes           soft bodies; damps
       HHT                        2      between, by Newton  no            springs, smooth contact
       NEWMARK                    2      end, by Newton      no            comparison
   EULER_FORWARD moves by the velocity before the step, all others by that after it.  NEWMARK has
   order 2 for gamma = 1/2, else 1.  A stepper that takes no hard contact takes no limits of joints
   either, except a lock (lower == upper).
   PROJECTED undoes drift and penetration by moving the bodies, without changing velocities.  It
   solves twice, velocities and then positions, for about 1.7 times the instructions of LINEARIZED.
   Positions and velocities of jointed bodies are as exact as LINEARIZED's: at h = 0.5 ms positions
   are 2 to 30 times nearer to the reference on hinges, universal and cylindrical joints, within a
   factor 1.5 either way on ball joints; turn rates of gyrating bodies are alike.  A pendulum of 1 m
   keeps its energy to 1e-5 a minute at h = 1 ms.  Drift is 1e-12 in such motion, and up to some mm
   where motion is rough for h (a chain that cracks at 60 Hz).  Reported joint forces are off by up
   to 0.014 N and 0.028 N m of 10 N in these tests (LINEARIZED 0.013 and 0.0015).  Angular momentum
   of a free chain drifts by 1e-6 in 10 s at h = 1 ms, by 2e-5 at 1/240 s.  A motor holds its axis
   in the second solve.  PROJECTED needs a solver that converges: no later velocity undoes the error
   of the second solve, and a weight of 1000 kg tears off links of 1 kg at 50 sweeps.
   HHT and NEWMARK use the accelerations of the last step.  Where these are no guide, they make
   steps of EULER_IMPLICIT: one at the start, after you change the world, and after a smooth contact
   began or ended faster than h resolves (a velocity jump has no acceleration); two after you change
   the velocity of a jointed body.
   Smooth contact with an explicit stepper needs h < report.step_limit.  A restitution of 0 means 16
   times critical damping and makes that limit very small: take a small positive one. */
enum {
    NSC_STEPPER_EULER_IMPLICIT_LINEARIZED = 1,
    NSC_STEPPER_EULER_IMPLICIT_PROJECTED = 2,
    NSC_STEPPER_EULER_SYMPLECTIC = 3,
    NSC_STEPPER_EULER_FORWARD = 4,
    NSC_STEPPER_EULER_IMPLICIT = 5,
    NSC_STEPPER_HHT = 6,
    NSC_STEPPER_NEWMARK = 7
};
/* Parts of a step, for NSC_STAGE, in this order: pairs of boxes; contact points; matching of
   impulses; islands; rows; solver; motion; forces before and bookkeeping after. */
enum {
    NSC_STAGE_BROAD, NSC_STAGE_NARROW, NSC_STAGE_MATCH, NSC_STAGE_ISLANDS, NSC_STAGE_ROWS,
    NSC_STAGE_SOLVE, NSC_STAGE_MOVE, NSC_STAGE_REST
};

enum { NSC_CONTACT_HARD = 1, NSC_CONTACT_SMOOTH = 2 }; /* nsc_world_def.contact_model */
/* nsc_world_def.contact_law */
enum {
    NSC_SMOOTH_HOOKE = 1, NSC_SMOOTH_HERTZ = 2, NSC_SMOOTH_FLORES = 3,
    NSC_SMOOTH_BARRIER = 4 /* only with NSC_BARRIER */
};
/* NSC_SMOOTH_BARRIER: contact on the incremental potential (Li et al. 2020).  Below the gap
   d = barrier_distance a barrier pushes surfaces apart, and every Newton step is cut where the gap
   of any two shapes would close, so that they neither overlap nor pass through each other, however
   fast and thin.
   At a gap x d the push is k d (1 / x - 1), of the potential k d^2 (x - 1 - ln x).  (Li et al. take
   (x - 1)^2 ln x.  This one begins with a slope, which Newton's method sees from beyond d.)  k is
   the stiffness of the shapes (nsc_shape_def.stiffness), or if that is 0 m / h^2, m the masses of
   both bodies in series: then a ball at rest keeps the gap d / (1 + g h^2 / d).
   Friction grows with the sliding speed up to barrier_speed, and is then mu times the push of the
   last step: a touch has none in its first step.  A block that sticks on a slope creeps at less
   than barrier_speed.
   Only with EULER_IMPLICIT (else NSC_ERR_STEPPER_CONTACT), without sub-steps and sleep; all bodies
   are one island.  Not used: restitution, damping, cohesion, rolling friction.  Not taken: height
   fields and meshes (the step is refused), and contacts of your own.  Callbacks are asked in every
   Newton step.
   Cost: in every Newton step contacts are found anew, and pairs whose boxes meet on the way are
   cast.  Take 100 newton_steps, and a solver that converges, NEWTON or AUTO.  Where Newton's method
   ends before it has converged (report.unsettled), gaps are open, but all bodies may be too slow,
   and kinematic bodies that had not arrived go on alone.  Shapes without an open gap are counted
   (report.overlaps) and pushed apart; nothing keeps those two from going through.  Gaps must stand
   out from rounding: in float, fast cylinders that are piled up came to overlap. */

struct nsc_world_def {
    nsc_vec3 gravity;            /* [m/s^2]; default (0, 0, -9.81) */
    nsc_real margin;             /* contacts exist below this gap [m], >= 0, but act only when the
                                    gap would close within the step; default 0.01 */
    nsc_real slop;               /* penetration that is not undone [m], >= 0, so that errors of
                                    rounding and solver do not shake resting bodies: at least the
                                    solver's residual times h.  A gap below a quarter of it counts
                                    as touching; default 0.0005 */
    nsc_real recovery;           /* share of the penetration beyond slop that a step undoes, 0..1;
                                    default 0.2 */
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
                                    >= 0; default 0.02 */
    int keep_manifolds;          /* 1: two boxes or hulls keep their contact points until these have
                                    moved on each other by slop or a thousandth of their width (hard
                                    contact); 0: found anew in every step; default 1 */
    nsc_real joint_recovery;     /* share of a joint's drift undone in a (sub-)step, 0..1: a larger
                                    one holds tighter, but shakes if the solver does not converge;
                                    default 0.2 */
    nsc_real joint_speed;        /* but at most at this speed [m/s, rad/s], >= 0; default 10 */
    nsc_real sleep_time;         /* an island slower than sleep_speed for this time [s], >= 0, is
                                    put to sleep; 0: never; default 0 */
    nsc_real sleep_speed;        /* [m/s, and rad/s], >= 0; default 0.01 */
    int substeps;                /* 1..64: contacts are found once a step; forces, solve and motion
                                    are repeated this many times with h / substeps; default 1 */
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
    NSCI_IF(NSCI_BARRIER, nsc_real barrier_distance;)
    /* BARRIER: friction has all its force from this sliding speed on [m/s], 1e-6..1e6; default
       0.001 */
    NSCI_IF(NSCI_BARRIER, nsc_real barrier_speed;)
    int tag;                     /* 0..15; worlds with different tags refuse each other's handles */
    nsc_settings solver;         /* see nsc_solvers.h; not MINRES; default nsc_default_settings with
                                    judge 0 and max_factorizations 5 */
};

/* With NSC_EXTRAS */
typedef struct nsc_body_extras {
    int locks;                   /* sum of NSC_LOCK_*; default 0.  On these axes a dynamic body has
                                    no velocity, whatever acts on it, and infinite mass.  With two
                                    turns free it has no gyroscopic torque */
    nsc_real linear_damping;     /* [1/s], >= 0; default 0.  Before the constraints act, each
                                    (sub-)step of h divides the velocity by 1 + h times this */
    nsc_real angular_damping;
    uint32_t user;               /* yours; nsc does not read it; default 0 */
} nsc_body_extras;

struct nsc_body_def {
    int kind;                    /* NSC_*_BODY; default dynamic */
    int particle;                /* 1: a point that does not turn: three degrees of freedom, inertia
                                    is not read; only dynamic, with mass > 0; default 0 */
    nsc_pose pose;               /* of the body's frame in the world; default origin, no turn */
    nsc_vec3 velocity;           /* of the centre of mass [m/s] */
    nsc_vec3 angular_velocity;   /* [rad/s] */
    nsc_real gravity_scale;      /* default 1 */
    nsc_real mass;               /* [kg]; 0: mass, centre, inertia follow from the shapes' densities
                                    each time a shape is added or removed; default 0.  A known mass
                                    with the inertia of the shapes: nsc_body_set_mass.  Mass, centre
                                    and inertia of a body that is not dynamic are checked, but not
                                    kept */
    nsc_vec3 centre;             /* of mass, body frame [m]; read only with mass > 0 */
    nsc_real inertia[6];         /* [kg m^2] xx yy zz xy xz yz about the centre; read only with
                                    mass > 0: positive definite, and no principal moment above the
                                    sum of the other two */
    NSCI_IF(NSCI_EXTRAS, nsc_body_extras extras;)
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
                                    half.z, half its core segment */
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
                                    the smaller; not used with NSC_NO_SMC; default 0 */
    /* Velocity of the surface on its body, as a belt's, in the frame of the shape [m/s]; the part
       along a contact's normal does not count; default 0 */
    NSCI_IF(NSCI_EXTRAS, nsc_vec3 surface_velocity;)
    /* Yours; only nsc_body_get_patch_force reads it; default 0 */
    NSCI_IF(NSCI_EXTRAS, uint32_t user;)
};

/* Convex polyhedron in the frame of its shape.  Faces are polygons, seen from outside
   counter-clockwise.  For nsc_world_add_hull_data fill the members up to vertex; the world computes
   the others.  examples/kit/nsc_hull.h makes one of points, and prints it as a const table. */
enum { NSC_HULL_FACES = 2 * NSC_HULL_VERTICES - 4, NSC_HULL_CORNERS = 6 * NSC_HULL_VERTICES - 12 };
typedef struct nsc_hull {
    uint8_t used;                           /* by the world; 1: slot in use */
    uint8_t vertices, faces;                /* 4..NSC_HULL_VERTICES, 4..NSC_HULL_FACES */
    uint8_t unused;
    uint8_t first[NSC_HULL_FACES + 1];      /* (faces + 1) where each face begins in corner */
    uint8_t corner[NSC_HULL_CORNERS];       /* indices of vertices, face by face */
    nsc_vec3 vertex[NSC_HULL_VERTICES];     /* [m] */
    nsc_vec3 normal[NSC_HULL_FACES];        /* outward unit */
    nsc_real volume;                        /* [m^3] */
    nsc_vec3 centroid;                      /* [m] */
    nsc_real inertia[6];                    /* about the centroid at density 1 [m^5] xx yy zz xy xz
                                               yz */
} nsc_hull;

/* With NSC_CONST_FIELDS: height field in const memory, as nsc_field but for where its heights are.
   nsc_world_set_fields checks low and high. */
typedef struct nsc_heights {
    const nsc_real *height;      /* [m] row by row: (i, j) is height[j nx + i] */
    uint16_t nx, ny;             /* 2 <= nx, ny */
    nsc_real dx, dy;             /* [m] */
    nsc_real low, high;          /* no height is below or above these [m] */
} nsc_heights;
typedef struct nsci_tables {     /* pointers to your tables, which no image holds */
    const nsc_hull *const *hulls;
    const nsc_heights *const *fields;
    int hull_count, field_count;
} nsci_tables;

/* With NSC_MESHES: triangle mesh in the frame of its shape: const tables, which
   examples/kit/mesh.py prints of an OBJ or STL file.  The world reads them where they are and
   copies nothing: no RAM a triangle, 12 bytes of flash for it and about 20 for its share of
   vertices and nodes.  (On AVR const is in RAM.)  Coordinates are float in every build.
       triangle   One-sided: its corners are counter-clockwise seen from the outside, on which
                  shapes are held and rays are seen.  Where a shape leans out over an edge or a
                  corner, it is pushed only if the surface beyond falls away from it, so that no
                  shape catches on an inner edge of level ground or of a hollow.
       node       Tree of boxes in the order of a walk: a node, then all that stand below it.  A
                  walk goes to the next node, or past all below to `skip`: no stack, no recursion.
                  Triangles stand in the order of the leaves. */
enum { NSC_MESH_OPEN = 65535 };
typedef struct nsc_mesh_vertex { float x, y, z; } nsc_mesh_vertex; /* [m] */
typedef struct nsc_mesh_triangle {
    uint16_t corner[3];          /* indices of vertices */
    uint16_t beyond[3];          /* index of the triangle across the edge from corner k to the next;
                                    NSC_MESH_OPEN: none */
} nsc_mesh_triangle;
typedef struct nsc_mesh_node {
    float low[3], high[3];       /* box around all triangles below, x y z [m] */
    uint16_t skip;               /* node after all that stand below; of a leaf the next one */
    uint16_t first, count;       /* a leaf's triangles; count 0: no leaf */
    uint16_t unused;
} nsc_mesh_node;
typedef struct nsc_mesh {
    const nsc_mesh_vertex *vertex;
    const nsc_mesh_triangle *triangle;
    const nsc_mesh_node *node;
    int32_t vertices, triangles, nodes; /* how many: from 3, 1, 1; at most 65535 */
} nsc_mesh;

/* A spring with a damper between two points, which pulls and pushes along the line between them.
   Its bodies still collide.  Implicit steppers take it implicitly: the axial stiffness and, where
   it pulls, force over length across.  Implicit Euler then also damps the rotation of bodies that
   springs hold together: each step divides the angular momentum of two particles by 1 + h^2 (force
   / length) / (reduced mass).  Symplectic Euler keeps it. */
typedef struct nsc_spring_def {
    nsc_id body_a, body_b;       /* not the same */
    nsc_vec3 point_a, point_b;   /* its ends in the frames of the bodies [m]; default 0 */
    nsc_real rest;               /* length without force [m], >= 0; default 0 */
    nsc_real stiffness;          /* [N/m], >= 0; default 0 */
    nsc_real damping;            /* of length change [N s/m], >= 0; stiffness or damping > 0;
                                    default 0 */
} nsc_spring_def;

/* ---- joints.  Each has a frame on body a and one on body b, which coincide at position zero.
       kind         held (rows)                       axes: free, can be driven
       BALL         point (3)                         0: swing, the angle between the frames' z,
                                                      >= 0;  1: twist about z, -pi..pi
       HINGE        point (3), z direction (2)        0: turn about z
       SLIDER       turn (3), across z (2)            0: along z
       FIXED        point (3), turn (3)               none
       DISTANCE     nothing                           0: distance of the origins, >= 0
       UNIVERSAL    point (3), z of a across x of b   0: turn about z of a;  1: about x of b
       CYLINDRICAL  across z (2), z direction (2)     0: along z;  1: turn about z
       PLANAR       along z (1), z direction (2)      0: along x;  1: along y;  2: turn about z
       GEAR         axes 0 of two joints (1)          none
   Use DISTANCE for rods, ropes and springs.  A GEAR keeps axis 0 of joint_a at ratio times that of
   joint_b, plus their offset when it is added; both are hinges or sliders on one body_a, or on
   static ones.  Its axis[0].spring > 0 [N/m, N m/rad of joint_a] and spring_damping make its teeth
   compliant.
   Each spring, drive, friction and limit of an axis adds one row where switched on.  A block has up
   to three rows; point rows, rotation rows and axis rows go into separate blocks. */
enum {
    NSC_JOINT_BALL = 1, NSC_JOINT_HINGE = 2, NSC_JOINT_SLIDER = 3, NSC_JOINT_FIXED = 4,
    NSC_JOINT_DISTANCE = 5, NSC_JOINT_UNIVERSAL = 6, NSC_JOINT_CYLINDRICAL = 7,
    NSC_JOINT_PLANAR = 8, NSC_JOINT_GEAR = 9
};
/* nsc_axis_def.drive.  MOTOR holds target_velocity, SERVO pulls to target, FORCE exerts force. */
enum { NSC_DRIVE_NONE = 0, NSC_DRIVE_MOTOR = 1, NSC_DRIVE_SERVO = 2, NSC_DRIVE_FORCE = 3 };

/* One axis of a joint: lengths [m] and forces [N], or angles [rad] and torques [N m]. */
typedef struct nsc_axis_def {
    int limited;                 /* 1: lower <= position <= upper; lower == upper locks;
                                    default 0 */
    int drive;                   /* NSC_DRIVE_*; default NSC_DRIVE_NONE */
    nsc_real lower, upper;       /* position [m, rad]; angles may exceed a turn */
    nsc_real target;             /* servo: position [m, rad] */
    nsc_real target_velocity;    /* motor; servo: of the target [m/s, rad/s] */
    nsc_real stiffness;          /* servo [N/m, N m/rad], >= 0.  The implicit Euler steppers damp
                                    what it swings at omega [rad/s] by omega h / 2 of critical
                                    damping beyond `damping`: a robot that sways less than it should
                                    needs sub-steps, which divide that, or HHT, which at
                                    omega h = 0.17 damps a hundredth as much */
    nsc_real damping;            /* servo [N s/m, N m s/rad], >= 0; stiffness or damping > 0 */
    nsc_real force;              /* FORCE: exerted in each step until you change it (HHT and
                                    NEWMARK take a mean of the old and the new one); MOTOR, SERVO:
                                    added to what they exert, as feed-forward; on b [N, N m];
                                    default 0 */
    nsc_real max_force;          /* of the drive: it bounds what MOTOR and SERVO exert beside their
                                    feed-forward, and `force` of FORCE [N, N m], >= 0; default
                                    NSC_REAL_MAX: no bound */
    nsc_real max_speed;          /* of the axis, either way [m/s, rad/s], >= 0; an axis that turns
                                    round within a step may exceed it in that step, and one beyond
                                    a soft stop is not bounded; 0: no bound; default 0 */
    nsc_real armature;           /* inertia that turns with the axis alone, such as a rotor's behind
                                    a gear: its own times the square of the gear's ratio [kg,
                                    kg m^2], >= 0; default 0.  It does not add to the bodies'
                                    mass */
    nsc_real friction;           /* holds the axis up to this [N, N m], >= 0; default 0 */
    nsc_real spring;             /* [N/m, N m/rad], >= 0; default 0 */
    nsc_real spring_damping;     /* [N s/m, N m s/rad], >= 0; acts without a spring too;
                                    default 0 */
    nsc_real spring_rest;        /* position without force [m, rad] */
    nsc_real limit_stiffness;    /* of the limits' stops [N/m, N m/rad], >= 0; 0: hard; default 0 */
    nsc_real limit_damping;      /* of such stops [N s/m, N m s/rad], >= 0; default 0 */
} nsc_axis_def;

typedef struct nsc_joint_def {
    int kind;                    /* NSC_JOINT_BALL ... NSC_JOINT_GEAR */
    int collide;                 /* 1: its two bodies collide; default 0 */
    nsc_id body_a, body_b;       /* not the same; gear: not used */
    nsc_id joint_a, joint_b;     /* gear only */
    nsc_real ratio;              /* gear only, magnitude 1e-6..1e6: turns of joint_a for one of
                                    joint_b */
    nsc_pose frame_a, frame_b;   /* the joint in the frame of each body; see nsc_joint_place */
    nsc_axis_def axis[3];        /* those that the kind has; the others are not read */
} nsc_joint_def;

/* State of an axis.  Forces are on b along the axis, means over the last step. */
typedef struct nsc_axis_state {
    nsc_real position;           /* [m, rad]; angles count full turns */
    nsc_real velocity;           /* [m/s, rad/s] */
    nsc_real drive;              /* of the drive, feed-forward included [N, N m] */
    nsc_real spring;             /* of spring, spring_damping and armature */
    nsc_real friction;
    nsc_real limit;              /* > 0 at the lower limit, < 0 at the upper; also of max_speed */
} nsc_axis_state;

#if NSC_MAX_MANIFOLDS > 254
typedef uint16_t nsci_kept_at;
#else
typedef uint8_t nsci_kept_at;
#endif

/* One contact point.  The upper part is yours to fill for nsc_world_add_contact; the step fills the
   lower part, and those "by the step" (placed to save padding). */
typedef struct nsc_contact {
    nsc_id body_a, body_b;
    nsc_id shape_a, shape_b;     /* negative for contacts of your own */
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
    nsc_real stiffness;          /* [N/m]; 0: rigid */
    nsc_real damping;            /* [N s/m] */
    /* Velocity of b's surface on its body, less that of a's, world [m/s]; the part along the normal
       does not count */
    NSCI_IF(NSCI_EXTRAS, nsc_vec3 surface_velocity;)
    NSCI_IF(NSCI_ROLLING, nsc_real rolling, torsion;) /* [m] */
    /* Smooth contact, unless stiffness > 0: normal force over penetration^1.5 [N/m^1.5], > 0
       there */
    NSCI_IF(NSCI_SMOOTH, nsc_real hertz;)
    /* Tangential over normal stiffness, >= 0; 0: as 2/3, that of rubber */
    NSCI_IF(NSCI_SMOOTH, nsc_real tangential;)
    /* Attraction while touching [N], >= 0; hard contact touches where its gap is at most the
       slop */
    NSCI_IF(NSCI_SMOOTH, nsc_real cohesion;)

    nsc_vec3 impulse;            /* on b (-impulse on a) in this step, world [N s] */
    /* Of rolling friction on b in this step, world [N m s] */
    NSCI_IF(NSCI_ROLLING, nsc_vec3 moment;)
    nsc_real approach;           /* normal velocity before the step [m/s]; < 0: approaching */
    /* Smooth contact: elastic tangential displacement of b on a, world [m] */
    NSCI_IF(NSCI_SMOOTH, nsc_vec3 shear;)
    /* Approach speed when touch began, at least bounce_speed [m/s]; 0: apart */
    NSCI_IF(NSCI_SMOOTH, nsc_real impact;)
    /* The same as shear for rotation, world [rad] */
    NSCI_IF(NSCI_SMOOTH, NSCI_IF(NSCI_ROLLING, nsc_vec3 twist;))
} nsc_contact;

/* Two shapes that began or ceased to touch in the last step.  Calls that move or remove a body, or
   change its kind, forget its touches: none of these ends, and one that goes on begins anew. */
enum { NSC_TOUCH_BEGIN = 1, NSC_TOUCH_END = 2 };
typedef struct nsc_event {
    nsc_id shape_a, shape_b;     /* negative for contacts of your own */
    nsc_id body_a, body_b;       /* may be stale if the contact ended */
    int32_t kind;                /* NSC_TOUCH_* */
} nsc_event;

/* Bodies that touch or are joined, directly or through other dynamic bodies, and so are solved
   together. */
typedef struct nsc_island {
    uint16_t bodies;             /* dynamic ones */
    uint16_t joints, springs, contacts;
    uint16_t blocks, joint_blocks; /* of the problem; of these, the first ones, those of joints */
    uint16_t places;             /* reserved for blocks: those of forces may come and go within a
                                    step */
    uint16_t first_body, first_link, first_block; /* where its part of members, links, blocks
                                                     begins */
    int asleep;                  /* 1: not solved */
    int solver;                  /* NSC_SOLVER_* that gave the answer: AUTO's choice */
    int status;                  /* worst code of nsc_solve */
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
                                    bits than with room */
    int islands;                 /* the sleeping ones included */
    int asleep;                  /* bodies that sleep */
    nsc_real penetration;        /* the deepest, before the step [m], >= 0 */
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
    NSCI_IF(NSCI_BARRIER, int overlaps;)
    int dropped_derivatives;     /* derivatives of nsc_force without room, summed over sub-steps:
                                    these forces were explicit */
    int limited_bounces;         /* islands, summed over sub-steps, that got less than their
                                    restitution because all of it would have made energy
                                    (nsc_shape_def.restitution).  Each was solved twice in every
                                    Newton iteration; its iterations are those of both */
};

/* Definitions to change as needed.  Lengths in m: radius; half length of a cylinder, and of a
   capsule without its caps, along z; half edges of a box.  A half-space is solid for z <= 0. */
NSC_API nsc_world_def nsc_default_world_def(void);
NSC_API nsc_body_def nsc_default_body_def(void);
NSC_API nsc_shape_def nsc_default_sphere_def(nsc_real radius);
NSC_API nsc_shape_def nsc_default_capsule_def(nsc_real radius, nsc_real half_length);
NSC_API nsc_shape_def nsc_default_box_def(nsc_real half_x, nsc_real half_y, nsc_real half_z);
NSC_API nsc_shape_def nsc_default_cylinder_def(nsc_real radius, nsc_real half_length);
NSC_API nsc_shape_def nsc_default_half_space_def(void);
NSC_API nsc_shape_def nsc_default_hull_def(void);         /* nsc_world_add_hull_data */
NSC_API nsc_shape_def nsc_default_height_field_def(void); /* for nsc_world_add_height_field */
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

/* Reason of the last refusal, to print as "field should be rule, and is value".  Calls that take a
   const world (getters, rays, nsc_joint_place), calls with a NULL world, and an nsc_world_init that
   returns NSC_ERR_CONFIG store no reason.  The one before then stays: compare `code` with what your
   call returned.  Only nsc_world_init and nsc_world_load clear it.  It is not part of the state.
   Cost: the texts, 8 KB of flash, are linked by this call alone. */
NSC_API nsc_refusal nsc_world_last_refusal(const nsc_world *world);

/* nsc_world_step within a time limit.  stop(user) is asked as problem->stop in nsc_solvers.h; once
   it is not 0 it should stay so, as a clock that has run out.  Then every solver ends with its best
   iterate: in the present island after this iteration, in later ones after their first, from the
   impulses of the last step.  The rest is done whole without asking, so leave time for it: bodies,
   contacts and poses, and one iteration an island and sub-step (of DANTZIG: forming its matrix, and
   a sweep of SIPGS).  report.solver.status is NSC_STOPPED when any was stopped.  Stopped in every
   step, SIPGS and DANTZIG hold stacks and joints, only softer; APGD needs eight iterations for
   joints.  The bits depend on when stop answers so.  stop NULL: nsc_world_step.  The world keeps no
   pointer to it. */
NSC_API int nsc_world_step_until(nsc_world *world, nsc_real h, int (*stop)(void *user), void *user);

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

/* A callback (force, stop) may read its own world by every call that takes a const world, save and
   hash among them.  Calls that change it or need its scratch (overlap, closest, problem) return
   NSC_ERR_BUSY.  For a snapshot there copy NSC_WORLD_STATE_SIZE bytes or use nsc_world_save: a copy
   of the whole structure stays busy until nsc_world_init.  nsc_world_init takes any memory and
   cannot check: never call it, or write to the structure, in callbacks. */
typedef struct nsc_calls {
    void *user;                  /* passed to the callbacks */
    int (*stop)(void *user);     /* NULL, or as in nsc_world_step_until */
    /* NULL, or called for the force on every dynamic body that is awake.  The force may depend only
       on poses and velocities of the world's bodies, because EULER_IMPLICIT, HHT and NEWMARK call
       repeatedly to find the force at the end of the step.  They then solve all bodies awake as one
       island. */
    void (*force)(void *user, const nsc_world *world, nsc_id body, nsc_force *force);
    /* NULL, or as in nsc_problem: calls work(job, i) for each i in 0 .. parts - 1 on several cores
       and returns when all have returned.  parts: usually the number of cores, >= 1, else the step
       is refused; not used where parallel is NULL.  SIPGS solves islands of up to 64 joints,
       springs and contacts by it, several at a time unless there is stop, and larger ones within,
       given room in NSC_ARENA (see NSC_ARENA_CORES).  The bits do not depend on it. */
    NSCI_IF(NSCI_PARALLEL, void (*parallel)(void *user, void (*work)(void *job, int part),
                                            void *job, int parts);)
    NSCI_IF(NSCI_PARALLEL, int parts;)
    /* NULL, or called for each pair of shapes whose bounding boxes meet, in any order: return 1, or
       0 if these two do not collide in this step. */
    NSCI_IF(NSCI_EXTRAS, int (*meet)(void *user, const nsc_world *world, nsc_id shape_a,
                                     nsc_id shape_b);)
    /* NULL, or called for each contact of two shapes, in the order in which they are solved later;
       not between bodies that sleep.  You may change sensor (1: it exerts no force), friction,
       restitution, stiffness, damping, rolling, torsion, hertz, tangential, cohesion and
       surface_velocity, within the ranges of nsc_world_add_contact, whose error else refuses the
       step.  Other changes are ignored. */
    NSCI_IF(NSCI_EXTRAS,
            void (*contact)(void *user, const nsc_world *world, nsc_contact *contact);)
} nsc_calls;

/* nsc_world_step with callbacks (NULL: none).  The world keeps no pointer to them. */
NSC_API int nsc_world_step_with(nsc_world *world, nsc_real h, const nsc_calls *calls);

#ifndef NSC_NO_PROBLEM
/* The contact problem of one island that nsc_world_step(world, h) would hand to the solver next, h
   [s] > 0: for another solver, or to write it down.  It is prepared: call nsc_solve(problem,
   &settings, &report), with world->def.solver or settings of your own.  0 <= island < the number of
   islands in that step's report; with sub-steps or Newton's method it is the first problem of the
   step; sleeping islands count as awake.  Body 0 of the problem is immovable, then come the
   island's dynamic bodies, then kinematic ones; velocities and impulses are in the world frame.
   The problem's arrays lie in the world's scratch: they are valid until the next call that takes a
   world that is not const.  Returns 0 or the error of that step, or NSC_ERR_ARGUMENT (problem
   NULL, island); then problem is as it was.  The world is left as it was, except for its scratch
   (nsc_world_island) and contacts of yours that deeper ones displaced.  Cost: a step without its
   solver. */
NSC_API int nsc_world_problem(nsc_world *world, nsc_real h, int island, nsc_problem *problem);
#endif

/* The islands of the last step: 0 <= index < nsc_world_report()->islands; NULL outside. */
NSC_API const nsc_island *nsc_world_island(const nsc_world *world, int index);

/* Touches that began or ended in the last step: 0 <= index < count; NULL outside. */
NSC_API int nsc_world_event_count(const nsc_world *world);
NSC_API const nsc_event *nsc_world_event(const nsc_world *world, int index);

/* Change gravity, margin, recovery, solver, ... for the next steps.  The tag stays.  Wakes all
   bodies.  Checks def as nsc_world_init does; also NSC_ERR_STEPPER_JOINTS.  NSC_ERR_ARGUMENT also
   when the contact model would change while contacts of yours wait, which were made for the
   other. */
NSC_API int nsc_world_set_def(nsc_world *world, const nsc_world_def *def);

/* Convex hull from its corners and faces, which may be const data in memory-mapped flash (on AVR
   const is in RAM): they are copied.  Errors as nsc_world_add_shape.  NSC_ERR_ARGUMENT: not closed,
   not convex or a face not plane (to 2e-3 of the hull's size), or flat (thinner than 1e-3 of it);
   NSC_ERR_CAPACITY: more corners than NSC_HULL_VERTICES or faces than NSC_HULL_FACES, or
   NSC_MAX_HULLS reached.  Cost: vertices * faces.  From points alone: nsc_world_add_hull of
   examples/kit/nsc_hull.h. */
NSC_API nsc_id nsc_world_add_hull_data(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                       const nsc_hull *hull);

/* Terrain of nx by ny heights [m], row by row (x runs fastest), a grid with steps of dx and dy [m],
   > 0, centred on the shape's frame; solid below; see nsc_field.  The heights are copied.  The body
   must not be dynamic.  Errors as nsc_world_add_shape; NSC_ERR_ARGUMENT also for nx or ny below 2,
   and where the square or inverse of dx dy or the square of the heights' range would overflow;
   NSC_ERR_CAPACITY: nx ny above NSC_FIELD_SAMPLES, or NSC_MAX_FIELDS reached. */
NSC_API nsc_id nsc_world_add_height_field(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                          const nsc_real *heights, int nx, int ny, nsc_real dx,
                                          nsc_real dy);

#if NSC_MESHES
NSC_API nsc_shape_def nsc_default_mesh_def(void); /* for nsc_world_add_mesh */

/* Give the world your table of meshes, `count` pointers.  Table and meshes are read in every step:
   they must stay, and stay as they are, so make them const, in flash.  They are checked here alone,
   so that no step can read out of bounds or hang.  Call it once after nsc_world_init, which forgets
   the table; nsc_world_load and a snapshot keep it.  Another table may take its place if it holds a
   mesh for every shape; bodies that sleep stay asleep.  Returns 0, NSC_ERR_NOT_FINITE (a vertex),
   or NSC_ERR_ARGUMENT: NULL, a count, index or number out of range, corners on a line (to 1e-5 of
   the longest edge), a triangle whose size^4 overflows, `beyond` that is not mutual, a box that is
   not finite or does not hold all triangles and boxes below, nodes that are not in the order of the
   walk.  Cost: triangles + nodes. */
NSC_API int nsc_world_set_meshes(nsc_world *world, const nsc_mesh *const *meshes, int count);

/* Make mesh `index` of the table a shape.  The body must not be dynamic.  Errors as
   nsc_world_add_shape; NSC_ERR_ARGUMENT also where the table has no such mesh.  Any number of
   shapes may have the same one.  The world, its images and its hash hold the index: an image that
   names a mesh that the table of the world to be loaded does not have is refused.
   A triangle holds what is in front of it and pushes out, along its normal, what has sunk in; what
   lies wholly behind its plane is left alone, so a mesh may be a thin plate, and what has fallen
   behind the surface, or was put there, falls on.  Contacts per pair of shapes: four for each
   direction of the normal, sixteen in all, the deepest.  nsc_world_cast_ray, _overlap and _closest
   see the front of triangles alone.  Cost in a step: nodes near the shape, and for each triangle
   that its box meets what a pair of hulls costs. */
NSC_API nsc_id nsc_world_add_mesh(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                  int index);
#endif

#if NSC_CONST_HULLS
/* Compute the members after vertex, as the world does: for the tool on the desktop that prints a
   const hull (nsc_hull_print).  Returns 0, or an error of nsc_world_add_hull_data, *hull as it
   was. */
NSC_API int nsc_hull_complete(nsc_hull *hull);

/* Hulls that stay where they are: no RAM a corner.  Give the world your table of complete hulls,
   `count` pointers, 0..32767.  As with nsc_world_set_meshes, table and hulls must stay, the table
   is forgotten by nsc_world_init alone, and another may take its place if it has a hull for every
   shape; masses stay as they are until a shape of the body is added or removed.  All is checked
   here: errors of nsc_world_add_hull_data, and NSC_ERR_ARGUMENT for a normal, volume, centroid or
   inertia that is not that of the corners.  Takes a hull on the stack.  Cost: vertices * faces of
   each. */
NSC_API int nsc_world_set_hulls(nsc_world *world, const nsc_hull *const *hulls, int count);

/* Make hull `index` of the table a shape; any number of shapes may have the same one.  All goes on
   as with nsc_world_add_hull_data, to the last bit, but the world, its images and its hash hold the
   index.  Errors as nsc_world_add_mesh. */
NSC_API nsc_id nsc_world_add_const_hull(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                        int index);
#endif

#if NSC_CONST_FIELDS
/* The same for height fields.  NSC_ERR_ARGUMENT also for a height that is not within low..high, or
   more than INT_MAX / 2 heights.  Same bits as nsc_world_add_height_field where low and high are
   the least and the greatest height. */
NSC_API int nsc_world_set_fields(nsc_world *world, const nsc_heights *const *fields, int count);
NSC_API nsc_id nsc_world_add_const_field(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                         int index);
#endif

/* Definition of a shape, its orientation normalised.  Returns 0, NSC_ERR_HANDLE, or
   NSC_ERR_ARGUMENT (NULL). */
NSC_API int nsc_shape_get_def(const nsc_world *world, nsc_id shape, nsc_shape_def *def);

/* Change friction, restitution, rolling, torsion, young, poisson, cohesion, category, mask, sensor,
   surface_velocity or user; the rest of def must be what nsc_shape_get_def gives, else
   NSC_ERR_ARGUMENT.  A change of surface_velocity wakes all bodies, any other none: wake those that
   it lets fall or slide, as on ground that becomes a sensor.  Also NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, NSC_ERR_CAPACITY (NSC_MAX_ROLLING). */
NSC_API int nsc_shape_set_def(nsc_world *world, nsc_id shape, const nsc_shape_def *def);

#if NSC_MAX_SPRINGS > 0
/* ---- springs.  All return 0 or a handle, or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_HANDLE,
   NSC_ERR_CAPACITY. */
NSC_API nsc_spring_def nsc_default_spring_def(nsc_id body_a, nsc_id body_b);
/* add, remove and set_def wake both bodies */
NSC_API nsc_id nsc_world_add_spring(nsc_world *world, const nsc_spring_def *def);
/* also removed with either body */
NSC_API int nsc_world_remove_spring(nsc_world *world, nsc_id spring);
NSC_API int nsc_spring_get_def(const nsc_world *world, nsc_id spring, nsc_spring_def *def);
/* the bodies cannot be changed: NSC_ERR_ARGUMENT */
NSC_API int nsc_spring_set_def(nsc_world *world, nsc_id spring, const nsc_spring_def *def);

/* Present length [m], and force on body_b, mean over the last step, world [N]; each pointer may be
   NULL.  The force is unknown if neither body is dynamic. */
NSC_API int nsc_spring_get_force(const nsc_world *world, nsc_id spring, nsc_real *length,
                                 nsc_vec3 *force);
#endif

#if NSC_MAX_JOINTS > 0
/* ---- joints
       nsc_joint_def hinge = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, arm);
       nsc_joint_place(&world, &hinge, point, axis, across);        as the bodies stand now
       hinge.axis[0].drive = NSC_DRIVE_MOTOR;
       hinge.axis[0].target_velocity = 2;
       nsc_id id = nsc_world_add_joint(&world, &hinge);             negative: an error code */
NSC_API nsc_joint_def nsc_default_joint_def(int kind, nsc_id body_a, nsc_id body_b);

/* Set both frames of def so that they coincide now: origin at the point, z along the axis, x along
   `across` as far as that is perpendicular (universal: the second axis; 0, or along the axis: any);
   all in the world frame.  Returns 0, or NSC_ERR_ARGUMENT (NULL, axis 0), NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, and def is as it was. */
NSC_API int nsc_joint_place(const nsc_world *world, nsc_joint_def *def, nsc_vec3 point,
                            nsc_vec3 axis, nsc_vec3 across);

/* Returns the handle, or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_HANDLE, NSC_ERR_CAPACITY
   (joints, or blocks for their rows), NSC_ERR_STEPPER_CONTACT (limit), NSC_ERR_STEPPER_JOINTS.
   Positions count from the frames: their present values are kept, not zeroed.  Wakes both
   bodies. */
NSC_API nsc_id nsc_world_add_joint(nsc_world *world, const nsc_joint_def *def);

/* Also removes gears that use it.  Removing a body removes its joints. */
NSC_API int nsc_world_remove_joint(nsc_world *world, nsc_id joint);

/* All return 0 or NSC_ERR_HANDLE, and NSC_ERR_ARGUMENT for an axis that the kind does not have; the
   setters also the errors of nsc_world_add_joint.  They wake both bodies.  What set_target and
   set_force set is kept, but acts only while a drive uses it: target with SERVO, target_velocity
   with SERVO and MOTOR, force with any drive. */
NSC_API int nsc_joint_get_def(const nsc_world *world, nsc_id joint, nsc_joint_def *def);
NSC_API int nsc_joint_set_axis(nsc_world *world, nsc_id joint, int axis, const nsc_axis_def *def);
NSC_API int nsc_joint_set_target(nsc_world *world, nsc_id joint, int axis, nsc_real target,
                                 nsc_real target_velocity);
NSC_API int nsc_joint_set_force(nsc_world *world, nsc_id joint, int axis, nsc_real force);

/* Set position [m, rad] and velocity [m/s, rad/s] of an axis.  Body b and all that hangs from it by
   joints move relative to body a as one rigid piece; every other axis keeps its position and
   velocity.  Gears on the joint take the offset they then have.  NSC_ERR_ARGUMENT also where the
   piece hangs from a, or from a body that is not dynamic, by another joint too (a loop), for a
   negative distance, and for a swing outside 0..pi.  Cost: joints * bodies of the piece. */
NSC_API int nsc_joint_set_state(nsc_world *world, nsc_id joint, int axis, nsc_real position,
                                nsc_real velocity);
NSC_API int nsc_joint_get_axis(const nsc_world *world, nsc_id joint, int axis,
                               nsc_axis_state *state);

/* Total force [N] and torque [N m] of the joint on body b, limits and drives included: means over
   the last step, torque about the joint's point, world frame.  Body a gets the opposite, at the
   same point.  Where neither body is dynamic it is that of the last step in which one was. */
NSC_API int nsc_joint_get_force(const nsc_world *world, nsc_id joint, nsc_vec3 *force,
                                nsc_vec3 *torque);

/* Drift of the joint: distance [m] and angle [rad] that should be 0. */
NSC_API int nsc_joint_get_drift(const nsc_world *world, nsc_id joint, nsc_real *distance,
                                nsc_real *angle);
#endif

/* ---- bodies */

/* Handle of world->bodies[index], 0 <= index < world->body_end, and of world->shapes[index],
   0 <= index < world->shape_end, to visit them all.  NSC_ERR_HANDLE: outside, or a free slot;
   NSC_ERR_ARGUMENT: world is NULL. */
NSC_API nsc_id nsc_world_body_at(const nsc_world *world, int index);
NSC_API nsc_id nsc_world_shape_at(const nsc_world *world, int index);

/* Add a contact of your own for the next step only, beside those nsc finds (a deeper one takes its
   place at capacity).  The square of the normal's length must be 1 to 1e-3.  Returns 0,
   NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_HANDLE or NSC_ERR_CAPACITY. */
NSC_API int nsc_world_add_contact(nsc_world *world, const nsc_contact *contact);

/* The contacts of the last step: 0 <= index < count; NULL outside. */
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

/* Repair an inertia [kg m^2] (as in nsc_body_def) whose greatest principal moment exceeds the sum
   of the others: all become their mean, as by MuJoCo's balanceinertia.  Returns 1 if it did so; 0
   if the inertia was possible as it is; NSC_ERR_INERTIA: not positive definite; NSC_ERR_NOT_FINITE;
   NSC_ERR_ARGUMENT: NULL. */
NSC_API int nsc_inertia_balance(nsc_real inertia[6]);

/* As nsc_body_add_force, at a world point [m]; clear_force forgets what both have added. */
NSC_API int nsc_body_add_force_at(nsc_world *world, nsc_id body, nsc_vec3 force,
                                  nsc_vec3 world_point);
NSC_API int nsc_body_clear_force(nsc_world *world, nsc_id body);

/* Impulse [N s], world frame, at a world point [m]: changes the velocity now. */
NSC_API int nsc_body_add_impulse_at(nsc_world *world, nsc_id body, nsc_vec3 impulse,
                                    nsc_vec3 world_point);

/* Sum of the last step's contact forces on a body [N], and their moment about its present centre of
   mass [N m], world frame. */
NSC_API int nsc_body_get_contact_force(const nsc_world *world, nsc_id body, nsc_vec3 *force,
                                       nsc_vec3 *moment);

/* 1: asleep, 0: not.  Waking one body, or touching it, wakes its island in the next step. */
NSC_API int nsc_body_is_asleep(const nsc_world *world, nsc_id body);
NSC_API int nsc_body_wake(nsc_world *world, nsc_id body);

#ifdef NSC_EXTRAS
/* Locks, damping and your word of a body. */
NSC_API int nsc_body_get_extras(const nsc_world *world, nsc_id body, nsc_body_extras *extras);
NSC_API int nsc_body_set_extras(nsc_world *world, nsc_id body, const nsc_body_extras *extras);

/* Kind of a body: NSC_STATIC_BODY .. NSC_DISABLED_BODY.  A disabled body takes no part until its
   kind is changed again: it does not move, no shape, ray or contact meets it, and its joints and
   springs are left out.  A body that becomes static or disabled loses its velocity; a given mass
   stays for when it is dynamic again, another is then computed from the shapes.  NSC_ERR_ARGUMENT:
   kind, a dynamic body with a half-space, height field or mesh, a body with a joint of a gear;
   NSC_ERR_INERTIA, NSC_ERR_NOT_FINITE as nsc_world_add_shape.  Wakes all bodies. */
NSC_API int nsc_body_get_kind(const nsc_world *world, nsc_id body);
NSC_API int nsc_body_set_kind(nsc_world *world, nsc_id body, int kind);
#endif

/* Index of the body's island in the last step; -1 if it was in none, as a body that is not dynamic
   or that was added since. */
NSC_API int nsc_body_get_island(const nsc_world *world, nsc_id body);

#ifndef NSC_NO_SENSING
/* ---- sensing.  mask: only shapes whose category has a bit of it are seen. */

typedef struct nsc_hit {
    nsc_id shape, body;
    nsc_vec3 point;              /* on the surface, world [m] */
    nsc_vec3 normal;             /* outward unit, world */
    nsc_real distance;           /* [m]; ray: from its origin; shape: that it travels; closest: to
                                    the surface, < 0 inside */
} nsc_hit;

/* The first shape along the ray from `origin` to origin + ray.  A ray that begins inside a shape
   does not see it; of a mesh it sees the front of each triangle.  Returns 1 (hit), 0 (no hit), or
   NSC_ERR_ARGUMENT (ray 0, NULL), NSC_ERR_NOT_FINITE.  Cost: shapes. */
NSC_API int nsc_world_cast_ray(const nsc_world *world, nsc_vec3 origin, nsc_vec3 ray, uint32_t mask,
                               nsc_hit *hit);

/* Move a sphere, capsule, cylinder or box (def->pose is in the world; no hulls) from there along
   `way` [m] without turning: which shape does it touch first, and after what distance?  hit->point
   is on the surface of that shape, one of them where several touch at once, and hit->normal points
   out of it, one of them at an edge.  No shape is too thin to be met.  A shape that it overlaps at
   its start is hit at distance 0, with the normal along which it leaves a short way; the first of
   several in the order of their slots.  An overlap of less than 3e-5 of the size of the smaller
   shape is a touch: that shape is not hit if the way leads along or away from it.  Measured along
   the normal, where they have stopped they touch to 16 NSC_REAL_EPS of the lengths met: sizes,
   way, and distances from the world's origin (in double they may be 1e-12 of the size apart); a
   shape passed within that may be hit or not.  The point lies on both to 1e-4 of the size, mostly
   1e-5 (in double 1e-8, mostly 1e-10: a distance tells where a curved surface is touched to the
   root of its rounding), over the cosine between way and normal; the normal of a curved surface is
   good to 6e-3 (in double 3e-7).  The side below the border of a height field is no surface, and
   that behind a mesh's triangle neither.
   Returns 1 (hit), 0 (no hit), or NSC_ERR_ARGUMENT (way 0 too), NSC_ERR_NOT_FINITE, NSC_ERR_BUSY.
   Cost: shapes; for each whose box is met about 20 furthest points of both, at most 180, and on a
   height field so for each triangle under the way. */
NSC_API int nsc_world_cast_shape(nsc_world *world, const nsc_shape_def *def, nsc_vec3 way,
                                 uint32_t mask, nsc_hit *hit);

/* Find the shapes that overlap a sphere, capsule, cylinder or box (def->pose is in the world): the
   first `room` handles go to `ids` (room 0: NULL will do).  Returns how many there are, or
   NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_CAPACITY (rolling in def), NSC_ERR_BUSY. */
NSC_API int nsc_world_overlap(nsc_world *world, const nsc_shape_def *def, uint32_t mask,
                              nsc_id *ids, int room);

/* Find the nearest surface within `distance` [m], >= 0, of a point; inside a shape its depth counts
   as a negative distance.  Returns 1 (found), 0 (none), or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE,
   NSC_ERR_BUSY. */
NSC_API int nsc_world_closest(nsc_world *world, nsc_vec3 point, nsc_real distance, uint32_t mask,
                              nsc_hit *hit);

/* Reading of an inertial unit that is fixed to the body; mounting: place and orientation of the
   unit in the body's frame.  In the unit's frame: acceleration of its place less gravity [m/s^2],
   mean over the last step (a body at rest reads +9.81 upward), and turn rate [rad/s].  Either
   pointer may be NULL.  Returns 0, NSC_ERR_HANDLE, NSC_ERR_NOT_FINITE, or NSC_ERR_ARGUMENT (a
   quaternion that is not unit to 1e-3 in its square, world NULL). */
NSC_API int nsc_body_get_imu(const nsc_world *world, nsc_id body, nsc_pose mounting,
                             nsc_vec3 *acceleration, nsc_vec3 *rate);

/* The same as nsc_body_get_contact_force for one shape, a foot or a finger: sum of the last step's
   contact forces on it [N], and their moment about the origin of its frame where it is now [N m],
   world frame; 0 on a sensor.  Either pointer may be NULL.  Returns 0, NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, or NSC_ERR_ARGUMENT (world NULL).  Cost: contacts. */
NSC_API int nsc_shape_get_contact_force(const nsc_world *world, nsc_id shape, nsc_vec3 *force,
                                        nsc_vec3 *moment);
/* The same for a patch: all shapes of the body whose word nsc_shape_def.user is `user`, such as
   heel and toe of a foot.  Its moment is about the body's present centre of mass: the patches and
   contacts of yours add up to nsc_body_get_contact_force.  Where no shape has that word: 0. */
NSCI_IF(NSCI_EXTRAS,
        NSC_API int nsc_body_get_patch_force(const nsc_world *world, nsc_id body, uint32_t user,
                                             nsc_vec3 *force, nsc_vec3 *moment);)

/* ---- poses.  A pose takes an inner frame into an outer one.  Its orientation should be of unit
   length; nothing is checked here, and NaN comes out where NaN goes in: calls that take the result
   refuse it. */

/* Pose of inner's inner frame in outer's outer one, as products of transformations: with the pose
   of a body and the pose of a camera on it, that of the camera in the world */
NSC_API nsc_pose nsc_pose_multiply(nsc_pose outer, nsc_pose inner);
NSC_API nsc_pose nsc_pose_inverse(nsc_pose pose);

/* A point [m] and a vector (of any unit) of the inner frame, in the outer one; a vector turns
   only */
NSC_API nsc_vec3 nsc_pose_point(nsc_pose pose, nsc_vec3 point);
NSC_API nsc_vec3 nsc_pose_vector(nsc_pose pose, nsc_vec3 vector);

/* Turn about an axis of length 1e-18..1e18, counter-clockwise seen from its tip, by an angle [rad]
   of either sign; rpy: by roll about x, then pitch about y, then yaw about z, axes that stay where
   they are, as in URDF.  The same bits everywhere.  {1, 0, 0, 0} for another axis, and where the
   angle is not finite or its size is from 2e5 on; in rpy such an angle counts as 0. */
NSC_API nsc_quat nsc_quat_from_axis_angle(nsc_vec3 axis, nsc_real angle);
NSC_API nsc_quat nsc_quat_from_rpy(nsc_real roll, nsc_real pitch, nsc_real yaw);
#endif

#ifndef NSC_NO_ARCHIVE
/* ---- snapshots.  memcpy of the world is quick; this one is portable. */

/* Bytes of the image nsc_world_save would write now; NSC_ERR_ARGUMENT: NULL. */
NSC_API int nsc_world_save_size(const nsc_world *world);

/* Write an image of the state: version, configuration, checksum, little-endian on every machine.
   It leaves out contacts of yours that wait for the next step.  Returns the bytes written, or
   NSC_ERR_CAPACITY (size, in bytes, is too small), NSC_ERR_ARGUMENT (NULL). */
NSC_API int nsc_world_save(const nsc_world *world, void *image, int size);

/* Set an initialised world to the image's state: it goes on with the same bits.  The image may come
   from another machine and from a build with other capacities; other bytes may follow it.
   NSC_ERR_ARGUMENT: damaged, truncated or foreign, or with a mesh, const hull or field that the
   world's tables have not; NSC_ERR_CONFIG: of another version or real type, or of a build with
   NSC_EXTRAS, NSC_BARRIER, NSC_CONST_HULLS or NSC_CONST_FIELDS for one without or the reverse;
   NSC_ERR_CAPACITY: does not fit.  The world is then as it was.  The image is read twice, first to
   check it; if it changes meanwhile and is refused, the world is left empty.  Until the next step
   nsc_world_island tells zeros and nsc_body_get_island -1.  Cost: twice through the image, and once
   through the world to clear it. */
NSC_API int nsc_world_load(nsc_world *world, const void *image, int size);

/* Hash of all that the next steps depend on: equal worlds have equal hashes on every machine, and
   at every capacity that had room.  It leaves out results (report, events, step_count,
   accelerations, forces of joints, approach and matched of contacts), and contacts of yours that
   wait.  Never fails; 0 for NULL. */
NSC_API uint32_t nsc_world_hash(const nsc_world *world);
#endif

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
    NSCI_IF(NSCI_SENSING, nsc_vec3 acceleration, angular_acceleration;)
    /* HHT, NEWMARK: acceleration at the end of the last step, and its weighted mean with that of
       the step before [m/s^2, rad/s^2] */
    NSCI_IF(NSCI_STEPPERS, nsc_real rate[6], mean_rate[6];)
    /* Disabled: kind is NSC_STATIC_BODY, and the bit NSCI_DISABLED is set in locks */
    NSCI_IF(NSCI_EXTRAS, nsc_body_extras extras;)
} nsc_body;

typedef struct nsc_shape {
    uint16_t generation;         /* odd: slot in use */
    uint16_t body;               /* index */
    uint16_t data;               /* hull, height field: index of its slot; mesh: in your table, as
                                    of a const hull or field, plus NSCI_CONST_BIT */
    uint16_t unused;
    nsc_shape_def def;
} nsc_shape;

/* Terrain in the frame of its shape: sample (i, j) is at x = (i - (nx - 1) / 2) dx, and y likewise.
   A cell is two triangles, cut from (i, j) to (i + 1, j + 1); solid below. */
typedef struct nsc_field {
    uint16_t used, nx, ny, unused;          /* 2 <= nx, ny; nx ny <= NSC_FIELD_SAMPLES */
    nsc_real dx, dy;                        /* [m] */
    nsc_real low, high;                     /* least and greatest height [m] */
    nsc_real height[NSC_FIELD_SAMPLES];     /* [m] row by row: (i, j) is height[j nx + i] */
} nsc_field;

enum { NSC_JOINT_HELD = 6, NSC_AXIS_ROWS = 4, NSC_JOINT_ROWS = NSC_JOINT_HELD + 3 * NSC_AXIS_ROWS };
typedef struct nsc_joint {
    uint16_t generation;         /* odd: slot in use */
    uint16_t unused;
    int32_t turns[3];            /* full turns of each axis that is an angle */
    nsc_joint_def def;
    nsc_real offset;             /* gear: axis 0 of joint_a - ratio * axis 0 of joint_b [m, rad] */
    nsc_real angle[3];           /* angle less the full turns after the last step, -pi..pi; 0 for a
                                    length */
    nsc_real impulse[NSC_JOINT_ROWS]; /* of the last step [N s, N m s]: held rows, then spring,
                                         drive, friction, limit of each axis */
    nsc_vec3 force_impulse;      /* of the whole joint on b in the last step, world [N s] */
    nsc_vec3 torque_impulse;     /* about the joint's point (frame b's origin) [N m s] */
} nsc_joint;

typedef struct nsc_spring {
    uint16_t generation;         /* odd: slot in use */
    uint16_t unused;
    nsc_spring_def def;
    nsc_vec3 impulse;            /* on b in the last step, world [N s] */
} nsc_spring;

typedef struct nsci_aabb { nsc_real min[3], max[3]; } nsci_aabb; /* x y z [m] */

typedef struct nsci_mat3 { nsc_vec3 c[3]; } nsci_mat3; /* columns */

/* Mesh, hull and height field of a shape, or NULL; NSCI_TERRAIN: the field of one that has it */
#define NSCI_MESH_OF(g) \
    NSCI_IF(NSCI_MESHES, (g)->mesh) NSCI_UNLESS(NSCI_MESHES, (const nsc_mesh *)NULL)
#if NSC_MAX_HULLS > 0 || NSC_CONST_HULLS
#define NSCI_HULLS 1
#define NSCI_HULL_OF(g) ((g)->kind == NSC_SHAPE_HULL ? (g)->hull : NULL)
#define NSCI_SET_HULL(g, to) ((g)->hull = (to))
#else
#define NSCI_HULLS 0
#define NSCI_HULL_OF(g) ((void)(g), (const nsc_hull *)NULL)
#define NSCI_SET_HULL(g, to) ((void)(to))
#endif
#if NSC_CONST_FIELDS /* the world's own ones are described so too */
typedef nsc_heights nsci_terrain;
#define NSCI_FIELD_MEMBER nsc_heights field;
#define NSCI_TERRAIN(g) (&(g)->field)
#define NSCI_FIELD_OF(g) ((g)->kind == NSC_SHAPE_HEIGHT_FIELD ? NSCI_TERRAIN(g) : NULL)
#define NSCI_NO_FIELD(g) ((void)(g))
#define NSCI_SET_FIELD(g, w, slot) ((g)->field = nsci_heights_at(w, (g)->kind, slot))
#elif NSC_MAX_FIELDS > 0
typedef nsc_field nsci_terrain;
#define NSCI_FIELD_MEMBER const nsc_field *field;
#define NSCI_TERRAIN(g) ((g)->field)
#define NSCI_FIELD_OF(g) ((g)->kind == NSC_SHAPE_HEIGHT_FIELD ? NSCI_TERRAIN(g) : NULL)
#define NSCI_NO_FIELD(g) ((g)->field = NULL)
#define NSCI_SET_FIELD(g, w, slot) ((g)->field = NSCI_FIELD_SLOT(w, (g)->kind, slot))
#else
typedef nsc_field nsci_terrain;
#define NSCI_FIELD_MEMBER
#define NSCI_FIELD_OF(g) ((void)(g), (const nsc_field *)NULL)
#define NSCI_NO_FIELD(g) ((void)(g))
#define NSCI_SET_FIELD(g, w, slot) ((void)(w))
#endif

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
    NSCI_IF(NSCI_HULLS, const nsc_hull *hull;)
    NSCI_FIELD_MEMBER
    NSCI_IF(NSCI_MESHES, const nsc_mesh *mesh;)
} nsci_geom;

/* Contact point of the narrow phase: midway between the surfaces, normal from a to b, gap > 0
   separation */
typedef struct nsci_point {
    nsc_vec3 point, normal;
    nsc_real gap;
    uint32_t feature;
} nsci_point;

/* Motion of a body: at the start of a (sub-)step, and to restore after a refusal */
typedef struct nsci_start {
    nsc_vec3 position;
    nsc_quat orientation;
    nsc_vec3 velocity, angular_velocity;
} nsci_start;
typedef struct nsci_motion {
    nsc_vec3 position;
    nsc_quat orientation;
    nsc_vec3 velocity, angular_velocity;
    NSCI_IF(NSCI_SENSING, nsc_vec3 acceleration, angular_acceleration;)
    NSCI_IF(NSCI_STEPPERS, nsc_real rate[6], mean_rate[6];)
} nsci_motion;

/* Barrier: motion of a body in a Newton step: of its centre [m], and difference of its
   orientations */
typedef struct nsci_path {
    nsc_vec3 move;
    nsc_quat turn;
} nsci_path;

/* Barrier: push of a contact in the last Newton step [N] */
typedef struct nsci_push {
    nsc_id shape_a, shape_b;
    uint32_t feature;
    nsc_real force;
} nsci_push;

/* Joint, spring or contact between two bodies.  The list of a step holds joints, springs and
   contacts, in this order, as do the chains of the islands. */
enum { NSCI_JOINT_LINK, NSCI_SPRING_LINK, NSCI_CONTACT_LINK };
/* No index: the island of a body that is not dynamic, the block of a link that is not solved, the
   end of a chain */
enum { NSCI_NOWHERE = 65535 };
typedef struct nsci_link {
    uint8_t kind;                /* NSCI_*_LINK */
    uint8_t rolls;               /* contact: 1: its second block is rolling friction */
    uint16_t item;               /* slot of the joint or spring; index of the contact in found */
    uint16_t a, b;               /* indices of its bodies */
    uint16_t block;              /* index of its first block; NSCI_NOWHERE: not solved */
    uint16_t next;               /* next link of the island; NSCI_NOWHERE: none */
} nsci_link;
#define NSC_MAX_LINKS (0L + NSC_MAX_JOINTS + NSC_MAX_SPRINGS + NSC_MAX_CONTACTS)

enum { NSC_STRIPS = 32 };          /* of the broad phase; without them it looks at all pairs */
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
#define NSC_MAX_POINTS (NSCI_TERRAINS || NSC_MESHES ? 16 : 4)

/* Scratch of the narrow phase, here because it is too large for the stack */
enum {
    NSCI_PATCH = NSCI_HULLS && NSC_HULL_VERTICES > 9 ? NSC_HULL_VERTICES : 9,
    NSCI_SPOTS = 2 * NSCI_PATCH + 8
};
typedef struct nsci_simplex {    /* points of b - a, and the points of a and b they come from */
    int n;
    nsc_real weight[4];
    nsc_vec3 w[4], on_a[4], on_b[4];
} nsci_simplex;
typedef struct nsci_patch {      /* face, edge or corner of a shape towards some direction */
    int n, face;                 /* face: -1 for an edge or corner */
    nsc_vec3 normal;             /* of the face, outward unit */
    nsc_vec3 p[NSCI_PATCH];      /* counter-clockwise from outside */
    uint8_t id[NSCI_PATCH];
} nsci_patch;
typedef struct nsci_spot {       /* corner of a clipped patch */
    nsc_vec3 p;
    nsc_real w;                  /* height over the reference face */
    uint16_t id, edge;           /* edge: the one that starts here */
} nsci_spot;
typedef struct nsci_convex_scratch {
    /* Barrier: 1: the direction that separates most, without preference */
    NSCI_IF(NSCI_BARRIER, int exact;)
    nsci_simplex simplex;
    nsc_vec3 near_a, near_b;     /* nearest points of the cores */
    nsci_patch patch[2];
    nsci_spot spots[NSCI_SPOTS];
    nsci_point own[4];            /* points on one triangle of terrain */
} nsci_convex_scratch;

/* Scratch while contacts are found */
typedef struct nsci_finding {
    nsci_point points[NSC_MAX_POINTS];       /* of the present pair of shapes */
#if NSCI_CONVEX
    nsci_convex_scratch convex;
#endif
    int lost;                               /* points of terrain and meshes within the margin that
                                               found no room in points */
    nsci_geom geoms[NSC_MAX_SHAPES];
    nsci_aabb boxes[NSC_MAX_SHAPES];
    nsc_real reach[NSC_MAX_SHAPES];         /* nsci_reach [m] */
    uint16_t sweep[NSC_MAX_SHAPES];         /* shapes; with strips, strip by strip, sorted along
                                               the sweep axis */
    uint8_t strip[NSC_MAX_SHAPES];          /* strip of each shape; without strips, 1: its body is
                                               active */
#if NSCI_STRIPS
    uint16_t strip_end[NSC_STRIPS];         /* where each strip ends in sweep */
    nsc_real strip_reach[NSC_STRIPS];       /* longest box of each strip along the axis [m] */
#endif
    uint16_t rank_begin[NSC_MAX_SHAPES + 2]; /* while found is sorted: where the contacts of each
                                                shape begin */
    uint16_t by_rank[NSC_MAX_CONTACTS];     /* found, sorted by the second shape only */
    uint16_t order[NSC_MAX_CONTACTS];       /* found, sorted */
    uint8_t used[NSC_MAX_CONTACTS];         /* 1: a contact of the last step whose impulse is
                                               carried over */
    NSCI_IF(NSCI_EXTRAS, const nsc_calls *calls;) /* of the step, for nsc_calls.meet */
} nsci_finding;

/* An island whose problem is built and set aside, to be solved together with others */
typedef struct nsci_aside {
    nsc_problem problem;
    nsc_report report;
    int code;                    /* of nsc_solve */
    int first;                   /* where its bodies are in nsci_solving, and in outer */
    int blocks;                  /* of those set aside before it */
    uint16_t island;
} nsci_aside;
enum { NSCI_ASIDE = 16 };

/* Scratch while islands are solved: all blocks, and the bodies of one island: 0 immovable, then its
   dynamic, then kinematic ones.  Those of islands set aside are at the end. */
typedef struct nsci_solving {
    nsc_block blocks[NSC_MAX_BLOCKS];       /* of all islands; a and b index the bodies of the
                                               island */
    nsc_mass masses[NSC_MAX_BODIES];
    nsc_real v_free[6 * NSC_MAX_BODIES];
    nsc_real v[6 * NSC_MAX_BODIES];
    /* Change of velocities in a Newton iteration */
    NSCI_IF(NSCI_STEPPERS, nsc_real direction[6 * NSC_MAX_BODIES];)
    nsc_real arena[NSC_ARENA > 0 ? NSC_ARENA : 1];
    NSCI_IF(NSCI_PARALLEL, nsci_aside aside[NSCI_ASIDE];)
} nsci_solving;

/* Reason of the last refusal as the world keeps it: see nsc_world_last_refusal */
typedef struct nsci_why {
    int16_t code;                /* NSC_ERR_* */
    uint16_t number;             /* index of the field or reason */
    nsc_real value;
} nsci_why;

/* Hull of a shape of this kind, with this nsc_shape.data, or NULL; likewise its height field.
   NSCI_HULL_SLOT, NSCI_FIELD_SLOT: the same, only in the world's own memory */
enum { NSCI_CONST_BIT = 0x8000 };           /* in nsc_shape.data: the rest is the index in tables */
#define NSCI_OWN(slot, room) (!NSCI_TABLES || (slot) < (room))
#if NSC_MAX_HULLS > 0
#define NSCI_OWN_HULLS 1
#define NSCI_HULL_SLOT(w, kind, slot) \
    ((kind) == NSC_SHAPE_HULL && NSCI_OWN(slot, NSC_MAX_HULLS) ? &(w)->hulls[slot] : NULL)
#else
#define NSCI_OWN_HULLS 0
#define NSCI_HULL_SLOT(w, kind, slot) ((void)(w), (void)(kind), (void)(slot), (nsc_hull *)NULL)
#endif
#define NSCI_HULL_AT(w, kind, slot) \
    (NSCI_IF(NSCI_TABLES, \
             NSC_CONST_HULLS && (kind) == NSC_SHAPE_HULL && (slot) >= NSCI_CONST_BIT \
                 ? (w)->tables.hulls[(slot) - NSCI_CONST_BIT] :) \
     NSCI_HULL_SLOT(w, kind, slot))
#if NSC_MAX_FIELDS > 0
#define NSCI_OWN_FIELDS 1
#define NSCI_FIELD_SLOT(w, kind, slot) \
    ((kind) == NSC_SHAPE_HEIGHT_FIELD && NSCI_OWN(slot, NSC_MAX_FIELDS) ? &(w)->fields[slot] : NULL)
#else
#define NSCI_OWN_FIELDS 0
#define NSCI_FIELD_SLOT(w, kind, slot) ((void)(w), (void)(kind), (void)(slot), (nsc_field *)NULL)
#endif

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
    nsc_step_report report;
    nsc_body bodies[NSC_MAX_BODIES];
    nsc_shape shapes[NSC_MAX_SHAPES];
    NSCI_IF(NSCI_OWN_HULLS, nsc_hull hulls[NSC_MAX_HULLS];)
    NSCI_IF(NSCI_OWN_FIELDS, nsc_field fields[NSC_MAX_FIELDS];)
    /* Your table, not in an image */
    NSCI_IF(NSCI_MESHES, const nsc_mesh *const *meshes; int mesh_count;)
    NSCI_IF(NSCI_TABLES, nsci_tables tables;)
    NSCI_IF(NSCI_JOINTS, nsc_joint joints[NSC_MAX_JOINTS];)
    NSCI_IF(NSCI_SPRINGS, nsc_spring springs[NSC_MAX_SPRINGS];)
    NSCI_IF(NSCI_EVENTS, nsc_event events[NSC_MAX_EVENTS];) /* of the last step */
    nsc_contact contacts[NSC_MAX_CONTACTS]; /* of the last step, in a fixed order */
#if NSC_MAX_MANIFOLDS > 0
    nsci_manifold manifolds[NSC_MAX_MANIFOLDS];
#endif

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
    nsci_link links[NSC_MAX_LINKS];
    nsc_real v_free[6 * NSC_MAX_BODIES];    /* free velocities of all bodies; after the solve,
                                               velocities */
    nsc_island islands[NSCI_ISLANDS ? NSC_MAX_BODIES : 1];
    uint16_t island[NSC_MAX_BODIES];        /* of each body: parent in union-find, then the island's
                                               index */
    uint16_t members[NSC_MAX_BODIES];       /* dynamic bodies, island by island */
    /* Of each body, first in its chain of joints that switch off collision, plus 1; 0: none */
    NSCI_IF(NSCI_JOINTS, uint16_t first_joint[NSC_MAX_BODIES];)
    /* Next in the chain of its body a, of b; coded alike */
    NSCI_IF(NSCI_JOINTS, uint16_t next_joint[NSC_MAX_JOINTS][2];)
#if NSCI_HOLDS_MOTION
    nsc_real gap_before[NSC_MAX_CONTACTS];  /* gaps of your contacts in found */
    nsci_motion before[NSC_MAX_BODIES];      /* restored if a later sub-step, or a projection, is
                                                refused */
#endif
    /* 1: a smooth contact began or ended faster than h resolves */
    NSCI_IF(NSCI_STEPPERS, int abrupt;)
    /* At the start of the (sub-)step, while Newton's method tries its end */
    NSCI_IF(NSCI_STEPPERS, nsci_start start[NSC_MAX_BODIES];)
#if NSC_MAX_FORCES > 0
    int given_open;                         /* 1: the step begins, so derivatives may still reserve
                                               a place in given */
    int given_count;                        /* forces of your callback with a place for their
                                               derivative */
    uint16_t given_to[NSC_MAX_FORCES];      /* index of the body of each */
    nsc_force given[NSC_MAX_FORCES];
#endif
    int rolling_count;                      /* blocks of rolling friction so far */
    /* Impulses summed over the sub-steps; those of springs on b, world */
    NSCI_IF(NSCI_JOINTS, nsc_real joint_sum[NSC_MAX_JOINT_BLOCKS][3];)
    NSCI_IF(NSCI_SPRINGS, nsc_vec3 spring_sum[NSC_MAX_SPRINGS];)
    /* Barrier: 1: pairs of boxes are cast, not collided */
    NSCI_IF(NSCI_BARRIER, int casting;)
    /* Share of the Newton step that leaves of their gaps at least the share `left`; share of their
       motion that kinematic bodies made */
    NSCI_IF(NSCI_BARRIER, nsc_real share, left, led;)
    NSCI_IF(NSCI_BARRIER, nsci_path path[NSC_MAX_BODIES];)
    NSCI_IF(NSCI_BARRIER, int push_count;)  /* 0: no Newton step of the sub-step yet */
    /* Of the last one, in the order of contacts */
    NSCI_IF(NSCI_BARRIER, nsci_push pushes[NSC_MAX_CONTACTS];)
    uint16_t inner[NSC_MAX_BODIES];         /* index of each body in its island's problem */
    uint16_t outer[NSC_MAX_BODIES];         /* the inverse: body in the world */
    /* Both share memory, as contacts are found before anything is solved; with the barrier they do
       not, as contacts are found between solves too */
    NSCI_IF(NSCI_BARRIER, struct) NSCI_UNLESS(NSCI_BARRIER, union) {
        nsci_finding find;
        nsci_solving solve;
    } scratch;
};

/* Bytes at the start of a world that hold its state.  A copy of these is a snapshot too, if no
   contact of yours waits for the next step.  Copy it back only into a world that nsc_world_init has
   made. */
#define NSC_WORLD_STATE_SIZE offsetof(nsc_world, note)

/* ---- calls that carry the configuration of the file that makes them */

/* Hash of the configuration.  nsc_world_init passes that of the caller, to be compared with the
   implementation's. */
#define NSCI_WITH(word, x) ((uint32_t)(word) * UINT32_C(31) + (uint32_t)(x))
#define NSCI_CONFIG_1 \
    NSCI_WITH(NSCI_WITH(NSCI_WITH(sizeof(nsc_real), NSC_MAX_BODIES), NSC_MAX_SHAPES), \
        NSC_MAX_CONTACTS)
#define NSCI_CONFIG_2 \
    NSCI_WITH(NSCI_WITH(NSCI_WITH(NSCI_CONFIG_1, NSC_MAX_JOINTS), NSC_MAX_JOINT_BLOCKS), \
        NSC_MAX_ROLLING)
#define NSCI_CONFIG_3 \
    NSCI_WITH(NSCI_WITH(NSCI_WITH(NSCI_CONFIG_2, NSC_MAX_HULLS), NSC_HULL_VERTICES), NSC_MAX_FIELDS)
#define NSCI_CONFIG_4 NSCI_WITH(NSCI_WITH(NSCI_CONFIG_3, NSC_FIELD_SAMPLES), NSC_MAX_EVENTS)
#define NSCI_CONFIG_5 \
    NSCI_WITH(NSCI_WITH(NSCI_WITH(NSCI_CONFIG_4, NSC_MAX_SPRINGS), NSC_MAX_FORCES), \
        NSC_MAX_MANIFOLDS)
#define NSCI_CONFIG_6 \
    NSCI_IF(NSCI_MESHES, NSCI_WITH(NSCI_CONFIG_5, NSC_MESHES)) \
    NSCI_UNLESS(NSCI_MESHES, NSCI_CONFIG_5)
#define NSCI_CONFIG_7 \
    NSCI_IF(NSCI_TABLES, NSCI_WITH(NSCI_CONFIG_6, 2 + NSC_CONST_HULLS + 2 * NSC_CONST_FIELDS)) \
    NSCI_UNLESS(NSCI_TABLES, NSCI_CONFIG_6)
/* With NSC_PARALLEL nsc_calls and nsc_problem are larger. */
#define NSCI_CONFIG_WORD \
    NSCI_IF(NSCI_PARALLEL, NSCI_WITH(NSCI_CONFIG_7, 6)) NSCI_UNLESS(NSCI_PARALLEL, NSCI_CONFIG_7)
NSC_API int nsci_world_init(nsc_world *world, const nsc_world_def *def, size_t size,
                            uint32_t config);
static NSC_MAYBE_UNUSED int nsc_world_init(nsc_world *world, const nsc_world_def *def)
{
    return nsci_world_init(world, def, sizeof(nsc_world), NSCI_CONFIG_WORD);
}

/* Run nsc_selfcheck, then a fixed scene of 64 steps in `scratch` (overwritten; take your own world
   before nsc_world_init), and compare every bit with the reference, which every build must reach.
   detail as in nsc_selfcheck.  Returns 0, NSC_ERR_ARITHMETIC, NSC_ERR_ARGUMENT, NSC_ERR_CONFIG.
   Without room for two bodies, two shapes and four contacts the scene is left out. */
NSC_API int nsci_world_selfcheck(nsc_world *scratch, unsigned *detail, size_t size,
                                 uint32_t config);
static NSC_MAYBE_UNUSED int nsc_world_selfcheck(nsc_world *scratch, unsigned *detail)
{
    return nsci_world_selfcheck(scratch, detail, sizeof(nsc_world), NSCI_CONFIG_WORD);
}

#ifndef NSC_NO_OLD_NAMES
/* ---- names of version 0.1; the next version drops them */
#define NSC_SPHERE NSC_SHAPE_SPHERE
#define NSC_CAPSULE NSC_SHAPE_CAPSULE
#define NSC_CYLINDER NSC_SHAPE_CYLINDER
#define NSC_BOX NSC_SHAPE_BOX
#define NSC_HULL NSC_SHAPE_HULL
#define NSC_HALF_SPACE NSC_SHAPE_HALF_SPACE
#define NSC_HEIGHT_FIELD NSC_SHAPE_HEIGHT_FIELD
#define NSC_BALL NSC_JOINT_BALL
#define NSC_HINGE NSC_JOINT_HINGE
#define NSC_SLIDER NSC_JOINT_SLIDER
#define NSC_FIXED NSC_JOINT_FIXED
#define NSC_DISTANCE NSC_JOINT_DISTANCE
#define NSC_UNIVERSAL NSC_JOINT_UNIVERSAL
#define NSC_CYLINDRICAL NSC_JOINT_CYLINDRICAL
#define NSC_PLANAR NSC_JOINT_PLANAR
#define NSC_GEAR NSC_JOINT_GEAR
#define NSC_NO_DRIVE NSC_DRIVE_NONE
#define NSC_MOTOR NSC_DRIVE_MOTOR
#define NSC_SERVO NSC_DRIVE_SERVO
#endif

NSCI_C_END
#endif /* NSC_NONSMOOTH_CONTACT_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_IMPLEMENTATION_DONE)
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

/* Numbers below NSC_REAL_TINY become 0, so that machines that flush subnormal numbers to 0 reach
   the same bits */
NSCI_INLINE nsc_real nsci_flush(nsc_real x)
{
    return nsci_abs(x) < NSC_REAL_TINY ? 0 : x;
}

static void nsci_flush_reals(nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        x[i] = nsci_flush(x[i]);
}

NSC_MAYBE_UNUSED static nsc_vec3 nsci_flush3(nsc_vec3 a)
{
    return nsci_vec(nsci_flush(a.x), nsci_flush(a.y), nsci_flush(a.z));
}

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

/* Rotation matrix of q.  Divides by |q|^2: a norm off by one bit, always to the same side, would
   add energy to spinning bodies. */
static nsci_mat3 nsci_rotation(nsc_quat q)
{
    nsci_mat3 m;
    nsc_real one = 1;
    nsc_real two = 2 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
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
        s = NSC_R(-1.0) / NSC_R(39916800.0) + r2 * s;
        s = NSC_R(1.0) / NSC_R(362880.0) + r2 * s;
        c = NSC_R(1.0) / NSC_R(20922789888000.0);
        c = NSC_R(-1.0) / NSC_R(87178291200.0) + r2 * c;
        c = NSC_R(1.0) / NSC_R(479001600.0) + r2 * c;
        c = NSC_R(-1.0) / NSC_R(3628800.0) + r2 * c;
        c = NSC_R(1.0) / NSC_R(40320.0) + r2 * c;
    } else { /* the next terms are below a tenth of a rounding error */
        s = NSC_R(1.0) / NSC_R(362880.0);
        c = NSC_R(1.0) / NSC_R(40320.0) - r2 / NSC_R(3628800.0);
    }
    s = NSC_R(-1.0) / NSC_R(5040.0) + r2 * s;
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

/* Angle of (x, y) [rad], -pi..pi, 0 for (0, 0); own code as above.  Halved twice by tan(a/2) = t /
   (1 + sqrt(1 + t^2)), then the series. */
NSC_MAYBE_UNUSED static nsc_real nsci_atan2(nsc_real y, nsc_real x)
{
    nsc_real ax = nsci_abs(x);
    nsc_real ay = nsci_abs(y);
    nsc_real high = nsci_max(ax, ay);
    nsc_real t, t2, a;
    if (!(high > 0))
        return 0;
    t = nsci_min(ax, ay) / high;
    t = t / (1 + NSC_SQRT(1 + t * t));
    t = t / (1 + NSC_SQRT(1 + t * t));
    t2 = t * t;
    a = NSC_R(1.0) / 13;
    if (NSCI_IS_DOUBLE) {
        a = NSC_R(1.0) / 23 - t2 * (NSC_R(1.0) / 25);
        a = NSC_R(1.0) / 21 - t2 * a;
        a = NSC_R(1.0) / 19 - t2 * a;
        a = NSC_R(1.0) / 17 - t2 * a;
        a = NSC_R(1.0) / 15 - t2 * a;
        a = NSC_R(1.0) / 13 - t2 * a;
    }
    a = NSC_R(1.0) / 11 - t2 * a;
    a = NSC_R(1.0) / 9 - t2 * a;
    a = NSC_R(1.0) / 7 - t2 * a;
    a = NSC_R(1.0) / 5 - t2 * a;
    a = NSC_R(1.0) / 3 - t2 * a;
    a = 4 * t * (1 - t2 * a);
    if (ay > ax)
        a = NSC_R(0.5) * NSCI_PI - a;
    if (x < 0)
        a = NSCI_PI - a;
    return y < 0 ? -a : a;
}

static nsc_quat nsci_quat_normalise(nsc_quat q)
{
    nsc_real n = NSC_SQRT(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
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

/* ---- >>checks --------------------------------------------------------------------------------
   Each field of a definition is one line of a table, with its rule.  One function checks them all
   and notes the number of the refused field in the world.  Only nsc_world_last_refusal looks up the
   texts: a program that does not call it does not link them. */

/* Rules: name, least and greatest value, text.  Those from NSCI_CHOICE on are for an int, the
   others for reals. */
enum { NSCI_MOST_SUBSTEPS = NSCI_SUBSTEPS ? 64 : 1 };
enum {
    NSCI_LAST_STEPPER = NSCI_STEPPERS ? NSC_STEPPER_NEWMARK : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED
};
enum { NSCI_LAST_MODEL = NSCI_SMOOTH ? NSC_CONTACT_SMOOTH : NSC_CONTACT_HARD };
enum { NSCI_LAST_LAW = NSCI_BARRIER ? NSC_SMOOTH_BARRIER : NSC_SMOOTH_FLORES };
enum { NSCI_LAST_SHAPE = NSCI_MESHES ? NSC_SHAPE_MESH : NSC_SHAPE_HEIGHT_FIELD };
#define NSCI_LAST_SHAPE_TEXT \
    NSCI_IF(NSCI_MESHES, "NSC_SHAPE_MESH") NSCI_UNLESS(NSCI_MESHES, "NSC_SHAPE_HEIGHT_FIELD")
#define NSCI_GROUND_KINDS \
    "half-spaces" NSCI_IF(NSCI_MESHES, ", height fields and meshes") \
        NSCI_UNLESS(NSCI_MESHES, " and height fields")
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
    R(NSCI_JOINT_KIND, 1, NSC_JOINT_GEAR, "NSC_JOINT_BALL..NSC_JOINT_GEAR") \
    R(NSCI_DRIVE, 0, NSC_DRIVE_FORCE, "NSC_DRIVE_NONE..NSC_DRIVE_FORCE") \
    R(NSCI_STEPPER, 1, NSCI_LAST_STEPPER, \
      "NSC_STEPPER_*; with NSC_NO_STEPPERS only EULER_IMPLICIT_LINEARIZED") \
    R(NSCI_MODEL, 1, NSCI_LAST_MODEL, "NSC_CONTACT_*; with NSC_NO_SMC only HARD") \
    R(NSCI_LAW, 1, NSCI_LAST_LAW, "NSC_SMOOTH_*") \
    R(NSCI_SOLVER, 1, NSC_SOLVER_AUTO, "NSC_SOLVER_*") \
    R(NSCI_SUBSTEP_COUNT, 1, NSCI_MOST_SUBSTEPS, "1..64; with NSC_NO_SUBSTEPS only 1") \
    R(NSCI_STEPS, 1, 1000, "1..1000") \
    R(NSCI_TAG, 0, 15, "0..15") \
    NSCI_IF(NSCI_EXTRAS, R(NSCI_LOCKS, 0, 63, "a sum of NSC_LOCK_*"))

/* Fields, in the order in which they are checked: definition, name in the table, member, rule */
#define NSCI_BARRIER_FIELDS(F) \
    F(nsc_world_def, barrier_distance, barrier_distance, NSCI_RADIUS) \
    F(nsc_world_def, barrier_speed, barrier_speed, NSCI_SPEED)
#define NSCI_BARRIER_REASONS(R) \
    R(NSCI_BARRIER_STEPPER, "nsc_world_def.stepper", "EULER_IMPLICIT with NSC_SMOOTH_BARRIER") \
    R(NSCI_BARRIER_WIDE, "nsc_world_def.barrier_distance", "at most margin") \
    R(NSCI_BARRIER_SLEEP, "nsc_world_def.sleep_time", "0 with NSC_SMOOTH_BARRIER") \
    R(NSCI_BARRIER_PARTS, "nsc_world_def.substeps", "1 with NSC_SMOOTH_BARRIER") \
    R(NSCI_BARRIER_SHAPE, "nsc_shape_def.kind", \
      "no height field or mesh with NSC_SMOOTH_BARRIER; the value is the shape's slot") \
    R(NSCI_BARRIER_OWN, "nsc_world_def.contact_law", \
      "no contacts of your own with NSC_SMOOTH_BARRIER")
#define NSCI_WORLD_FIELDS(F) \
    F(nsc_world_def, gravity, gravity, NSCI_VECTOR) \
    F(nsc_world_def, margin, margin, NSCI_FROM_ZERO) \
    F(nsc_world_def, slop, slop, NSCI_FROM_ZERO) \
    F(nsc_world_def, recovery, recovery, NSCI_SHARE) \
    F(nsc_world_def, recovery_speed, recovery_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, bounce_speed, bounce_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, match_distance, match_distance, NSCI_FROM_ZERO) \
    F(nsc_world_def, keep_manifolds, keep_manifolds, NSCI_CHOICE) \
    F(nsc_world_def, joint_recovery, joint_recovery, NSCI_SHARE) \
    F(nsc_world_def, joint_speed, joint_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, sleep_time, sleep_time, NSCI_FROM_ZERO) \
    F(nsc_world_def, sleep_speed, sleep_speed, NSCI_FROM_ZERO) \
    F(nsc_world_def, substeps, substeps, NSCI_SUBSTEP_COUNT) \
    F(nsc_world_def, stepper, stepper, NSCI_STEPPER) \
    F(nsc_world_def, alpha, alpha, NSCI_ALPHA) \
    F(nsc_world_def, beta, beta, NSCI_FROM_ZERO) \
    F(nsc_world_def, gamma, gamma, NSCI_FROM_ZERO) \
    F(nsc_world_def, newton_steps, newton_steps, NSCI_STEPS) \
    F(nsc_world_def, newton_tolerance, newton_tolerance, NSCI_FROM_ZERO) \
    F(nsc_world_def, contact_model, contact_model, NSCI_MODEL) \
    F(nsc_world_def, contact_law, contact_law, NSCI_LAW) \
    F(nsc_world_def, contact_speed, contact_speed, NSCI_SPEED) \
    F(nsc_world_def, contact_radius, contact_radius, NSCI_RADIUS) \
    NSCI_IF(NSCI_BARRIER, NSCI_BARRIER_FIELDS(F)) \
    F(nsc_world_def, tag, tag, NSCI_TAG) \
    F(nsc_world_def, solver, solver.solver, NSCI_SOLVER)
#define NSCI_BODY_FIELDS(F) \
    F(nsc_body_def, kind, kind, NSCI_BODY_KIND) \
    F(nsc_body_def, particle, particle, NSCI_CHOICE) \
    F(nsc_body_def, pose, pose, NSCI_POSE) \
    F(nsc_body_def, velocity, velocity, NSCI_VECTOR) \
    F(nsc_body_def, angular_velocity, angular_velocity, NSCI_VECTOR) \
    F(nsc_body_def, gravity_scale, gravity_scale, NSCI_ANY_REAL) \
    F(nsc_body_def, mass, mass, NSCI_FROM_ZERO) \
    F(nsc_body_def, centre, centre, NSCI_VECTOR) \
    F(nsc_body_def, inertia, inertia, NSCI_SYMMETRIC)
#define NSCI_EXTRA_FIELDS(F) \
    F(nsc_body_extras, locks, locks, NSCI_LOCKS) \
    F(nsc_body_extras, linear_damping, linear_damping, NSCI_FROM_ZERO) \
    F(nsc_body_extras, angular_damping, angular_damping, NSCI_FROM_ZERO) \
    F(nsc_shape_def, surface_velocity, surface_velocity, NSCI_VECTOR) \
    F(nsc_contact, surface_velocity, surface_velocity, NSCI_VECTOR)
#define NSCI_SHAPE_FIELDS(F) \
    F(nsc_shape_def, kind, kind, NSCI_SHAPE_KIND) \
    F(nsc_shape_def, sensor, sensor, NSCI_CHOICE) \
    F(nsc_shape_def, pose, pose, NSCI_POSE) \
    F(nsc_shape_def, half, half, NSCI_VECTOR) \
    F(nsc_shape_def, any_radius, radius, NSCI_ANY_REAL) \
    F(nsc_shape_def, density, density, NSCI_FROM_ZERO) \
    F(nsc_shape_def, friction, friction, NSCI_FROM_ZERO) \
    F(nsc_shape_def, restitution, restitution, NSCI_SHARE) \
    F(nsc_shape_def, stiffness, stiffness, NSCI_FROM_ZERO) \
    F(nsc_shape_def, damping, damping, NSCI_FROM_ZERO) \
    F(nsc_shape_def, rolling, rolling, NSCI_FROM_ZERO) \
    F(nsc_shape_def, torsion, torsion, NSCI_FROM_ZERO) \
    F(nsc_shape_def, young, young, NSCI_POSITIVE) \
    F(nsc_shape_def, poisson, poisson, NSCI_POISSON) \
    F(nsc_shape_def, cohesion, cohesion, NSCI_FROM_ZERO) \
    F(nsc_shape_def, radius, radius, NSCI_POSITIVE) \
    F(nsc_shape_def, half_z, half.z, NSCI_POSITIVE) \
    F(nsc_shape_def, half_x, half.x, NSCI_POSITIVE) \
    F(nsc_shape_def, half_y, half.y, NSCI_POSITIVE)
#define NSCI_CONTACT_FIELDS(F) \
    F(nsc_contact, point, point, NSCI_VECTOR) \
    F(nsc_contact, normal, normal, NSCI_VECTOR) \
    F(nsc_contact, gap, gap, NSCI_ANY_REAL) \
    F(nsc_contact, friction, friction, NSCI_FROM_ZERO) \
    F(nsc_contact, restitution, restitution, NSCI_SHARE) \
    F(nsc_contact, stiffness, stiffness, NSCI_FROM_ZERO) \
    F(nsc_contact, damping, damping, NSCI_FROM_ZERO)
#define NSCI_ROLLING_FIELDS(F) \
    F(nsc_contact, rolling, rolling, NSCI_FROM_ZERO) \
    F(nsc_contact, torsion, torsion, NSCI_FROM_ZERO)
#define NSCI_SMOOTH_FIELDS(F) \
    F(nsc_contact, hertz, hertz, NSCI_FROM_ZERO) \
    F(nsc_contact, tangential, tangential, NSCI_FROM_ZERO) \
    F(nsc_contact, cohesion, cohesion, NSCI_FROM_ZERO)
#define NSCI_JOINT_FIELDS(F) \
    F(nsc_joint_def, kind, kind, NSCI_JOINT_KIND) \
    F(nsc_joint_def, collide, collide, NSCI_CHOICE) \
    F(nsc_joint_def, frame_a, frame_a, NSCI_POSE) \
    F(nsc_joint_def, frame_b, frame_b, NSCI_POSE) \
    F(nsc_joint_def, ratio, ratio, NSCI_ANY_REAL) \
    F(nsc_axis_def, limited, limited, NSCI_CHOICE) \
    F(nsc_axis_def, drive, drive, NSCI_DRIVE) \
    F(nsc_axis_def, lower, lower, NSCI_ANY_REAL) \
    F(nsc_axis_def, upper, upper, NSCI_ANY_REAL) \
    F(nsc_axis_def, target, target, NSCI_ANY_REAL) \
    F(nsc_axis_def, target_velocity, target_velocity, NSCI_ANY_REAL) \
    F(nsc_axis_def, stiffness, stiffness, NSCI_FROM_ZERO) \
    F(nsc_axis_def, damping, damping, NSCI_FROM_ZERO) \
    F(nsc_axis_def, force, force, NSCI_ANY_REAL) \
    F(nsc_axis_def, max_force, max_force, NSCI_FROM_ZERO) \
    F(nsc_axis_def, max_speed, max_speed, NSCI_FROM_ZERO) \
    F(nsc_axis_def, armature, armature, NSCI_FROM_ZERO) \
    F(nsc_axis_def, friction, friction, NSCI_FROM_ZERO) \
    F(nsc_axis_def, spring, spring, NSCI_FROM_ZERO) \
    F(nsc_axis_def, spring_damping, spring_damping, NSCI_FROM_ZERO) \
    F(nsc_axis_def, spring_rest, spring_rest, NSCI_ANY_REAL) \
    F(nsc_axis_def, limit_stiffness, limit_stiffness, NSCI_FROM_ZERO) \
    F(nsc_axis_def, limit_damping, limit_damping, NSCI_FROM_ZERO)
#define NSCI_SPRING_FIELDS(F) \
    F(nsc_spring_def, point_a, point_a, NSCI_VECTOR) \
    F(nsc_spring_def, point_b, point_b, NSCI_VECTOR) \
    F(nsc_spring_def, rest, rest, NSCI_FROM_ZERO) \
    F(nsc_spring_def, stiffness, stiffness, NSCI_FROM_ZERO) \
    F(nsc_spring_def, damping, damping, NSCI_FROM_ZERO)
#define NSCI_ALL_FIELDS(F) \
    NSCI_WORLD_FIELDS(F) NSCI_BODY_FIELDS(F) NSCI_SHAPE_FIELDS(F) \
    NSCI_CONTACT_FIELDS(F) NSCI_IF(NSCI_ROLLING, NSCI_ROLLING_FIELDS(F)) \
    NSCI_IF(NSCI_SMOOTH, NSCI_SMOOTH_FIELDS(F)) NSCI_IF(NSCI_JOINTS, NSCI_JOINT_FIELDS(F)) \
    NSCI_IF(NSCI_SPRINGS, NSCI_SPRING_FIELDS(F)) NSCI_IF(NSCI_EXTRAS, NSCI_EXTRA_FIELDS(F))

/* All other reasons for a refusal: the name, what it is about, what should hold.  The first eight
   are the settings of the solver, in the order of NSCI_BAD_*. */
#define NSCI_REASONS(R) \
    R(NSCI_BAD_SETTING, "nsc_settings.law", "NSC_LAW_*; COULOMB with NSC_ONLY_CONTACTS") \
    R(NSCI_BAD_SETTING_2, "nsc_settings.max_iterations", ">= 1") \
    R(NSCI_BAD_SETTING_3, "nsc_settings.tolerance", "finite and >= 0") \
    R(NSCI_BAD_SETTING_4, "nsc_settings.stall_window", ">= 0") \
    R(NSCI_BAD_SETTING_5, "nsc_settings.check_interval", ">= 1") \
    R(NSCI_BAD_SETTING_6, "nsc_settings.omega", "> 0 and < 2") \
    R(NSCI_BAD_SETTING_7, "nsc_settings.passes", ">= 1") \
    R(NSCI_BAD_SETTING_8, "nsc_settings.max_factorizations", ">= 1") \
    R(NSCI_NO_POINTER, "argument", "a pointer that is not NULL") \
    R(NSCI_IS_BUSY, "world", \
      "left alone by its own callbacks: change it when the call has returned") \
    R(NSCI_NOT_MADE, "world", "made by nsc_world_init first") \
    R(NSCI_BAD_ARGUMENT, "argument", "in the range that is documented at the function") \
    R(NSCI_NOT_FINITE, "argument", "finite, and what follows from it too") \
    R(NSCI_BAD_LENGTH, "h", "> 0, h and 1 / (h / substeps)^2 finite") \
    R(NSCI_NO_SOLVER, "nsc_settings.solver", \
      "one that is compiled in; the value is what was asked for") \
    R(NSCI_OVERFLOW, "contact problem", "finite in all its numbers") \
    R(NSCI_SMALL_ARENA, "NSC_ARENA", "room for the solver: enlarge it; the value is the capacity") \
    R(NSCI_BAD_HANDLE, "spring", "a spring of this world") \
    R(NSCI_BAD_BODY, "body", \
      "a body of this world, and not the ground if the call changes it; the value is its slot, " \
      "or an error code") \
    R(NSCI_BAD_SHAPE, "shape", "a shape of this world; the value is its slot, or an error code") \
    R(NSCI_BAD_JOINT, "joint", "a joint of this world; the value is its slot, or an error code") \
    R(NSCI_MINRES_WORLD, "nsc_settings.solver", \
      "no MINRES in a world, it solves joints alone: take NEWTON or AUTO") \
    R(NSCI_GRADIENT_LAW, "nsc_settings.law", \
      "COULOMB or CONE with APGD and BB: for PYRAMID take SIPGS, NEWTON, ADMM, DANTZIG or AUTO") \
    R(NSCI_DANTZIG_LAW, "nsc_settings.law", \
      "PYRAMID with DANTZIG: for COULOMB or CONE take SIPGS, NEWTON, ADMM or AUTO") \
    R(NSCI_UNSTABLE, "nsc_world_def.gamma", \
      "gamma >= 1/2 and beta >= gamma/2; the value is gamma") \
    R(NSCI_HARD_STEPPER, "nsc_world_def.contact_model", \
      "smooth with EULER_FORWARD, HHT and NEWMARK") \
    R(NSCI_LIMIT_STEPPER, "nsc_axis_def.limited", \
      "0, or lower == upper, with EULER_FORWARD, HHT and NEWMARK") \
    R(NSCI_RULE_STEPPER, "nsc_world_def.gamma", \
      "above 1/2, or HHT with alpha < 0, where joints hold bodies") \
    R(NSCI_OWN_CONTACTS, "nsc_world_def.contact_model", \
      "as it was while contacts of your own wait; the value is their count") \
    R(NSCI_BAD_PARTICLE, "nsc_body_def.particle", "1 only for a dynamic body with mass > 0") \
    R(NSCI_LIGHT, "nsc_body_def.mass", "0, or 1 / mass finite") \
    R(NSCI_MASS, "mass", "> 0, with an inertia and 1 / mass that are finite") \
    R(NSCI_FAR, "pose", "one that gives the centre of mass a finite position and velocity") \
    R(NSCI_INDEFINITE, "inertia", \
      "symmetric positive definite; the value is its least principal moment") \
    R(NSCI_TRIANGLE_RULE, "inertia", \
      "no principal moment above the sum of the other two; the value is by how much one is") \
    R(NSCI_HEAVY, "mass of the shapes", "finite, and 1 / mass too; the value is the mass") \
    R(NSCI_NO_MASS, "body", \
      "static or kinematic, or have a mass, given or by a shape's density; the value is its slot") \
    R(NSCI_LOST, "body", \
      "at a finite position and velocity after the step; the value is its slot, or 0: contacts") \
    R(NSCI_WRONG_SHAPE, "nsc_shape_def.kind", \
      "one that this call takes; " NSCI_GROUND_KINDS " are not for dynamic bodies") \
    R(NSCI_FIXED_PART, "nsc_shape_def", \
      "kind, pose, size, density, stiffness and damping as they were") \
    R(NSCI_NO_CYLINDER, "nsc_shape_def.kind", "no cylinder: NSC_NO_CYLINDER is defined") \
    R(NSCI_BAD_HULL, "nsc_hull", \
      "finite, closed, convex, not flat, faces plane and counter-clockwise; the value is an " \
      "index or count") \
    R(NSCI_BAD_FIELD, "height field", \
      "2 <= nx and ny, 0 < dx and dy, heights, sizes and their squares finite") \
    R(NSCI_SAME_BODY, "body_b", "not the same as body_a") \
    R(NSCI_OTHER_BODY, "nsc_spring_def.body_a", "the bodies as they were") \
    R(NSCI_STATIC, "body", "one that can have a velocity, or take an impulse") \
    R(NSCI_BAD_NORMAL, "nsc_contact.normal", \
      "of unit length; the value is the square of its length") \
    R(NSCI_BAD_SENSOR, "nsc_contact.sensor", "0 or 1") \
    R(NSCI_NO_FORCE, "nsc_contact.hertz", "> 0, or stiffness > 0, in smooth contact")
#define NSCI_MESH_REASONS(R) \
    R(NSCI_NO_MESH, "mesh", \
      "index of a mesh in the table of nsc_world_set_meshes; the value is what was asked for") \
    R(NSCI_BAD_MESH, "nsc_mesh", \
      "3..65535 vertices, 1..65535 triangles and nodes; the value is its index in the table") \
    R(NSCI_BAD_VERTEX, "nsc_mesh.vertex", "finite; the value is the index") \
    R(NSCI_BAD_TRIANGLE, "nsc_mesh_triangle.corner", \
      "below vertices, not on a line, size^4 finite; the value is the triangle") \
    R(NSCI_BAD_BEYOND, "nsc_mesh_triangle.beyond", \
      "NSC_MESH_OPEN, or a triangle that has this edge the other way round and names this " \
      "triangle; the value is the triangle") \
    R(NSCI_BAD_NODE, "nsc_mesh.node", \
      "box around all below, in the order of the walk; the value is the index")
#define NSCI_KIND_REASONS(R) \
    R(NSCI_CANNOT_FALL, "kind", \
      "not NSC_DYNAMIC_BODY for a body with " NSCI_GROUND_KINDS "; the value is what was asked") \
    R(NSCI_IN_GEAR, "kind", \
      "as it was for a body whose joint a gear names; the value is what was asked")
#define NSCI_TABLE_REASONS(R) \
    R(NSCI_NO_HULL, "hull", \
      "index of a hull in the table of nsc_world_set_hulls; the value is what was asked for") \
    R(NSCI_UNLIKE_HULL, "nsc_hull", \
      "normals, volume, centroid and inertia as nsc_hull_complete computes them; the value is " \
      "its index in the table") \
    R(NSCI_NO_HEIGHTS, "height field", \
      "index in the table of nsc_world_set_fields; the value is what was asked for") \
    R(NSCI_BAD_HEIGHTS, "nsc_heights", \
      "2 <= nx and ny, at most INT_MAX / 2 heights, 0 < dx and dy, low <= all heights <= high, " \
      "these, sizes and their squares finite; the value is its index in the table")
#define NSCI_PARALLEL_REASONS(R) R(NSCI_BAD_PARTS, "nsc_calls.parts", ">= 1 with parallel")
#define NSCI_ROOM_REASONS(R) \
    R(NSCI_FULL_BODIES, "NSC_MAX_BODIES", \
      "room for one more body: enlarge it; the value is the capacity") \
    R(NSCI_FULL_SHAPES, "NSC_MAX_SHAPES", \
      "room for one more shape: enlarge it; the value is the capacity") \
    R(NSCI_FULL_CONTACTS, "NSC_MAX_CONTACTS", \
      "room for one more contact: enlarge it; the value is the capacity") \
    R(NSCI_FULL_ROLLING, "NSC_MAX_ROLLING", "above 0 where rolling or torsion is") \
    R(NSCI_FULL_HULLS, "NSC_MAX_HULLS", \
      "room for one more hull: enlarge it; the value is the capacity") \
    R(NSCI_FULL_VERTICES, "NSC_HULL_VERTICES", \
      "room for the corners of the hull: enlarge it; the value is the capacity") \
    R(NSCI_FULL_FIELDS, "NSC_MAX_FIELDS", \
      "room for one more height field: enlarge it; the value is the capacity") \
    R(NSCI_FULL_SAMPLES, "NSC_FIELD_SAMPLES", \
      "room for nx ny heights, each at most 65535: enlarge it; the value is the capacity") \
    R(NSCI_BAD_IMAGE, "image", \
      "whole, undamaged, and of a world that this build can hold; the value is the offset") \
    R(NSCI_OTHER_BUILD, "image", "of this version and this type of nsc_real") \
    R(NSCI_NO_ISLAND, "island", "below the number of islands; the value is that number") \
    R(NSCI_FULL_JOINTS, "NSC_MAX_JOINTS", \
      "room for one more joint: enlarge it; the value is the capacity") \
    R(NSCI_FULL_BLOCKS, "NSC_MAX_JOINT_BLOCKS", \
      "room for the blocks of all joints: enlarge it; the value is how many they need") \
    R(NSCI_NO_AXIS, "axis", "one that this kind of joint has; the value is what was asked for") \
    R(NSCI_BAD_STATE, "position", \
      "finite, as the velocity; >= 0 for a distance, 0..pi for a swing") \
    R(NSCI_LOOP, "joint", "all that holds its dynamic body b; the value is body b's index") \
    R(NSCI_CROSSED, "nsc_axis_def.lower", "<= upper") \
    R(NSCI_NO_GAIN, "nsc_axis_def.stiffness", "> 0, or damping > 0, for a servo") \
    R(NSCI_BAD_RATIO, "nsc_joint_def.ratio", "1e-6..1e6 or its negative") \
    R(NSCI_BAD_GEAR, "nsc_joint_def.joint_a", \
      "gear: two hinges or sliders whose base is one body, or does not move, and that drive two " \
      "bodies") \
    R(NSCI_FULL_SPRINGS, "NSC_MAX_SPRINGS", \
      "room for one more spring: enlarge it; the value is the capacity") \
    R(NSCI_NO_SPRING, "nsc_spring_def.stiffness", "> 0, or damping > 0") \
    NSCI_IF(NSCI_BARRIER, NSCI_BARRIER_REASONS(R)) \
    NSCI_IF(NSCI_MESHES, NSCI_MESH_REASONS(R)) \
    NSCI_IF(NSCI_TABLES, NSCI_TABLE_REASONS(R)) \
    NSCI_IF(NSCI_EXTRAS, NSCI_KIND_REASONS(R)) \
    NSCI_IF(NSCI_PARALLEL, NSCI_PARALLEL_REASONS(R))

#define NSCI_RULE_NAME(rule, lo, hi, text) rule,
#define NSCI_RULE_RANGE(rule, lo, hi, text) {(lo), (nsc_real)(hi)},
#define NSCI_RULE_TEXT(rule, lo, hi, text) text "\0"
#define NSCI_FIELD_NAME(type, name, member, rule) NSCI_##type##_##name,
#define NSCI_FIELD_RULE(type, name, member, rule) \
    {(unsigned char)(offsetof(type, member) / 2), (unsigned char)(rule)},
#define NSCI_FIELD_TEXT(type, name, member, rule) #type "." #member "\0"
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
typedef char nsci_check_offsets[
    sizeof(nsc_world_def) <= 510 && sizeof(nsc_axis_def) <= 510 ? 1 : -1];
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
    nsc_quat q = p->orientation;
    nsc_real n2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
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

static int nsci_asks_barrier(const nsc_world_def *d)
{
    return d->contact_model == NSC_CONTACT_SMOOTH && d->contact_law == NSC_SMOOTH_BARRIER;
}
#define nsci_has_barrier(d) (NSCI_BARRIER ? nsci_asks_barrier(d) : 0)
#define nsci_is_barrier(w) nsci_has_barrier(&(w)->def)

#define NSCI_BUSY UINT32_C(0x79737562)
#define NSCI_RESTING UINT32_C(0x74736572)

/* Calls that change the world are refused in a callback of the world's own.  This one is for those
   that take a world of zeros. */
static int nsci_enter_unmade(nsc_world *w)
{
    if (!w)
        return NSC_ERR_ARGUMENT;
    if (w->busy == NSCI_BUSY)
        return nsci_refused(&w->note, NSC_ERR_BUSY, NSCI_IS_BUSY, 0);
    w->resting = 0;
    return NSC_OK;
}

/* All other calls that change the world begin here: they need one that was made. */
static int nsci_enter(nsc_world *w)
{
    int code = nsci_enter_unmade(w);
    if (code == NSC_OK && w->body_end == 0)
        code = nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NOT_MADE, 0);
    return code;
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

#ifdef NSC_NO_TEXTS
#define nsci_nth_text(texts, n) ((void)(n), "")
#else
/* The n-th, from 0, of consecutive zero-terminated texts */
static const char *nsci_nth_text(const char *texts, int n)
{
    for (; n > 0; n--) {
        while (*texts)
            texts++;
        texts++;
    }
    return texts;
}
#endif

NSC_API nsc_refusal nsc_world_last_refusal(const nsc_world *w)
{
    nsc_refusal r;
    r.code = NSC_OK;
    r.number = 0;
    r.value = 0;
    r.field = r.rule = "";
    if (!w || w->note.code >= 0 || w->note.number >= NSCI_NUMBERS)
        return r;
    r.code = w->note.code;
    r.number = w->note.number;
    r.value = w->note.value;
    if (r.number < NSCI_FIELDS) {
        nsci_field f;
        NSCI_FETCH(&f, &nsci_fields[r.number]);
        r.field = nsci_nth_text(NSCI_ALL_FIELDS(NSCI_FIELD_TEXT), r.number);
        r.rule = nsci_nth_text(NSCI_REAL_RULES(NSCI_RULE_TEXT) NSCI_CHOICE_RULES(NSCI_RULE_TEXT),
                               f.rule);
    } else {
        int room = r.number - NSCI_FULL_BODIES;
        r.field = room < 0
                      ? nsci_nth_text(NSCI_REASONS(NSCI_REASON_TEXT), 2 * (r.number - NSCI_FIELDS))
                      : nsci_nth_text(NSCI_ROOM_REASONS(NSCI_REASON_TEXT), 2 * room);
        r.rule = nsci_nth_text(r.field, 1);
    }
    return r;
}

/* Can the cells of a height field have normals?  Their area, its square and its inverse must be
   finite. */
NSC_MAYBE_UNUSED static int nsci_is_cell(nsc_real dx, nsc_real dy)
{
    nsc_real area = dx * dy;
    return dx > 0 && dy > 0 && nsci_finite(area * area) && nsci_finite(1 / area);
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

/* ---- >>extras -------------------------------------------------------------------------------
   Locks, damping, bodies switched off, moving surfaces; the calls stand at the end of >>query. */

#ifndef NSC_EXTRAS
#define nsci_check_extras(note, d) NSC_OK
#define nsci_check_surface(note, d) NSC_OK
#define nsci_check_belt(note, c) NSC_OK
#define nsci_take_extras(b, d) ((void)0)
#define nsci_wake_for_belt(w, own, d) ((void)0)
#define nsci_is_off(w, body) 0
#define nsci_keeps_mass(b) 0
#define nsci_stays_off(w, a, b) 0
#define nsci_may_turn(b) 1
#define nsci_lock_inertia(b, R, inverse) ((void)0)
#define nsci_lock_block(w, k) ((void)0)
#define nsci_lock_blocks(w, p) ((void)0)
#define nsci_turn_by(b, R, m) nsci_mul_mv(R, nsci_sym_mul((b)->inv_inertia, nsci_mul_mtv(R, m)))
#define nsci_carried(shear, h, c) (shear)
#define nsci_damp_and_lock(w, i, h) ((void)0)
#define nsci_mix_belts(w, c, s, t) ((void)0)
#define nsci_drive_belt(c, k, share) ((void)0)
#define nsci_begin_belt(c, k, roll) ((void)0)
#define nsci_add_belt(u, k, i) ((void)0)
#define nsci_is_driven(k) 0
#define nsci_ask_meet(w, s, t) 1
#define nsci_ask_contacts(w, calls) NSC_OK
#define nsci_has_user(w, id, user) 1
#else
/* In nsc_body.extras.locks: the body is switched off.  It is a static one, whose shapes, joints and
   springs are left out. */
enum { NSCI_DISABLED = 64, NSCI_LOCK_TURNS = NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y | NSC_LOCK_TURN_Z };

static int nsci_check_extras(nsci_why *note, const nsc_body_def *d)
{
    return nsci_check_members(note, &d->extras, NSCI_nsc_body_extras_locks,
                              NSCI_nsc_body_extras_angular_damping);
}

static int nsci_check_surface(nsci_why *note, const nsc_shape_def *d)
{
    return nsci_check_members(note, d, NSCI_nsc_shape_def_surface_velocity,
                              NSCI_nsc_shape_def_surface_velocity);
}

static int nsci_check_belt(nsci_why *note, const nsc_contact *c)
{
    return nsci_check_members(note, c, NSCI_nsc_contact_surface_velocity,
                              NSCI_nsc_contact_surface_velocity);
}

/* Is bit k of the locks set, for a dynamic body?  k: 0..2 along, 3..5 about x, y, z */
static int nsci_is_locked(const nsc_body *b, int k)
{
    return b->kind == NSC_DYNAMIC_BODY && (b->extras.locks >> k & 1);
}

static void nsci_take_extras(nsc_body *b, const nsc_body_def *d) { b->extras = d->extras; }

static void nsci_wake_all(nsc_world *w);

/* Wake all bodies if the velocity of a surface changes, as one may lie on it. */
static void nsci_wake_for_belt(nsc_world *w, const nsc_shape_def *own, const nsc_shape_def *d)
{
    nsc_vec3 change = nsci_sub(d->surface_velocity, own->surface_velocity);
    if (nsci_dot3(change, change) > 0)
        nsci_wake_all(w);
}

/* May a body that is not dynamic have a mass?  Yes, a given one, for when it is dynamic again. */
static NSC_MAYBE_UNUSED int nsci_keeps_mass(const nsc_body *b) { return b->mass_given; }

static int nsci_is_off(const nsc_world *w, int body)
{
    return (w->bodies[body].extras.locks & NSCI_DISABLED) != 0;
}

/* Is the joint or spring between two bodies left out? */
static NSC_MAYBE_UNUSED int nsci_stays_off(const nsc_world *w, nsc_id a, nsc_id b)
{
    return nsci_is_off(w, nsci_body_of(w, a)) || nsci_is_off(w, nsci_body_of(w, b));
}

/* May the body turn freely, so that it gyrates? */
static int nsci_may_turn(const nsc_body *b) { return !(b->extras.locks & NSCI_LOCK_TURNS); }

/* Inverse in the world frame of a body's inertia about the axes that are free; 0 on the others */
static void nsci_lock_inertia(const nsc_body *b, const nsci_mat3 *R, nsc_real *inverse)
{
    static const uint8_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    nsc_real I[6], mean;
    int k;
    if (nsci_may_turn(b))
        return;
    nsci_sym_rotate(R, b->inertia, I);
    mean = (I[0] + I[1] + I[2]) / 3; /* in place of the locked ones, of their magnitude */
    for (k = 0; k < 6; k++)
        if (nsci_is_locked(b, 3 + row[k]) || nsci_is_locked(b, 3 + column[k]))
            I[k] = k < 3 ? mean : 0;
    if (!nsci_sym_inverse(I, inverse))
        NSC_MEMSET(inverse, 0, 6 * sizeof *inverse);
    for (k = 0; k < 3; k++)
        if (nsci_is_locked(b, 3 + k))
            inverse[k] = 0;
}

/* Take the locked translations of both bodies out of a block's rows; locked turns have no inverse
   inertia. */
static void nsci_lock_block(const nsc_world *w, nsc_block *k)
{
    const nsc_body *a = &w->bodies[w->outer[k->a]];
    const nsc_body *b = &w->bodies[w->outer[k->b]];
    int i, r;
    for (i = 0; i < 3; i++)
        for (r = 0; r < 3; r++) {
            if (nsci_is_locked(a, i))
                k->J[r][i] = 0;
            if (nsci_is_locked(b, i))
                k->J[r][6 + i] = 0;
        }
}

static void nsci_lock_blocks(const nsc_world *w, nsc_problem *p)
{
    int i;
    for (i = 0; i < p->block_count; i++)
        nsci_lock_block(w, &p->blocks[i]);
}

/* Change of angular velocity by an angular impulse m, world frame */
static nsc_vec3 nsci_turn_by(const nsc_body *b, const nsci_mat3 *R, nsc_vec3 m)
{
    nsc_real inverse[6];
    nsci_sym_rotate(R, b->inv_inertia, inverse);
    nsci_lock_inertia(b, R, inverse);
    return nsci_sym_mul(inverse, m);
}

/* Damp the free velocity of a body and take its locked components away. */
static void nsci_damp_and_lock(nsc_world *w, int i, nsc_real h)
{
    const nsc_body *b = &w->bodies[i];
    nsc_real *v = w->v_free + 6 * i;
    int k;
    for (k = 0; k < 6; k++) {
        nsc_real damping = k < 3 ? b->extras.linear_damping : b->extras.angular_damping;
        if (damping > 0)
            v[k] /= 1 + h * damping;
        if (nsci_is_locked(b, k))
            v[k] = 0;
    }
}

/* Tangential part of the surface velocity of a contact */
static nsc_vec3 nsci_belt(const nsc_contact *c)
{
    nsc_vec3 v = c->surface_velocity;
    return nsci_add_sv(v, -nsci_dot3(v, c->normal), c->normal);
}

/* Velocity of a shape's surface on its body, world [m/s] */
static nsc_vec3 nsci_surface(const nsc_world *w, const nsc_shape *s)
{
    nsc_vec3 v = s->def.surface_velocity;
    if (!(nsci_dot3(v, v) > 0))
        return v;
    return nsci_rotate(w->bodies[s->body].orientation, nsci_rotate(s->def.pose.orientation, v));
}

/* Velocity of the surface of shape t, less that of shape s */
static void nsci_mix_belts(const nsc_world *w, nsc_contact *c, int s, int t)
{
    c->surface_velocity = nsci_sub(nsci_surface(w, &w->shapes[t]), nsci_surface(w, &w->shapes[s]));
}

static void nsci_tangents(nsc_vec3 n, nsc_vec3 *t1, nsc_vec3 *t2);

/* Add a share of the velocity of the surfaces to the tangential rows of a contact: all of it, or
   what the damper of smooth contact takes. */
static void nsci_drive_belt(const nsc_contact *c, nsc_block *k, nsc_real share)
{
    nsc_vec3 v = nsci_belt(c), t1, t2;
    if (!(nsci_dot3(v, v) > 0) || !(share > 0))
        return;
    nsci_tangents(c->normal, &t1, &t2);
    k->bias[1] += share * nsci_dot3(v, t1);
    k->bias[2] += share * nsci_dot3(v, t2);
}

/* Tangential displacement in smooth contact, plus the way that the surfaces move in h */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_carried(nsc_vec3 shear, nsc_real h, const nsc_contact *c)
{
    return nsci_add_sv(shear, h, nsci_belt(c));
}

/* For an explicit stepper the biases of a contact and its rolling friction carry these velocities
   until the forces are known. */
NSC_MAYBE_UNUSED static void nsci_begin_belt(const nsc_contact *c, nsc_block *k, nsc_block *roll)
{
    int i;
    for (i = 0; i < 3; i++) {
        k->bias[i] = 0;
        if (roll)
            roll->bias[i] = 0;
    }
    nsci_drive_belt(c, k, 1);
}

NSC_MAYBE_UNUSED static void nsci_add_belt(nsc_real *u, const nsc_block *k, int i)
{
    *u += k->bias[i];
}

/* Does a moving surface drive the contact?  Then the work of its friction is not limited. */
static int nsci_is_driven(const nsc_block *k)
{
    return nsci_abs(k->bias[1]) + nsci_abs(k->bias[2]) > 0;
}

/* Is `id` a shape whose word is `user`?  The user's own contacts have a negative id. */
static int nsci_has_user(const nsc_world *w, nsc_id id, uint32_t user)
{
    int shape = nsci_find(w, NSCI_SHAPE_HANDLE, id);
    return shape >= 0 && w->shapes[shape].def.user == user;
}

/* Does the caller let two shapes collide? */
static int nsci_ask_meet(const nsc_world *w, const nsc_shape *s, const nsc_shape *t)
{
    const nsc_calls *calls = w->scratch.find.calls;
    int a = (int)(s - w->shapes);
    int b = (int)(t - w->shapes);
    if (!calls || !calls->meet)
        return 1;
    return calls->meet(calls->user, w, nsci_handle(w, NSCI_SHAPE_HANDLE, a, s->generation),
                       nsci_handle(w, NSCI_SHAPE_HANDLE, b, t->generation));
}

static int nsci_check_contact(nsc_world *w, const nsc_contact *c);
static void nsci_drop_unused_law(const nsc_world *w, nsc_contact *c);
static int nsci_is_active(const nsc_body *b);

/* Let the caller change the contacts found.  Returns 0 or the error that refuses the step. */
static int nsci_ask_contacts(nsc_world *w, const nsc_calls *calls)
{
    int i, code = NSC_OK;
    if (!calls || !calls->contact)
        return NSC_OK;
    for (i = 0; i < w->found_count && code == NSC_OK; i++) {
        nsc_contact *own = &w->found[w->scratch.find.order[i]];
        nsc_contact c = *own;
        if (c.shape_a < 0 || (!nsci_is_active(&w->bodies[nsci_body_of(w, c.body_a)]) &&
                              !nsci_is_active(&w->bodies[nsci_body_of(w, c.body_b)])))
            continue;
        calls->contact(calls->user, w, &c);
        c.body_a = own->body_a;
        c.body_b = own->body_b;
        c.shape_a = own->shape_a;
        c.shape_b = own->shape_b;
        c.feature = own->feature;
        c.manifold = own->manifold;
        c.matched = own->matched;
        c.point = own->point;
        c.normal = own->normal;
        c.gap = own->gap;
        nsci_drop_unused_law(w, &c);
        code = nsci_check_contact(w, &c);
        if (code == NSC_OK)
            NSC_MEMCPY(own, &c, sizeof c);
    }
    return code;
}
#endif

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
    d.solver.max_factorizations = 5;
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
    NSCI_IF(NSCI_BARRIER, d.barrier_distance = d.barrier_speed = NSC_R(0.001);)
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

/* beta and gamma of HHT and NEWMARK (Hilber, Hughes and Taylor 1977) */
static void nsci_newmark(const nsc_world_def *d, nsc_real *beta, nsc_real *gamma)
{
    nsc_real one = 1;
    nsc_real a = d->stepper == NSC_STEPPER_HHT ? d->alpha : 0;
    *gamma = d->stepper == NSC_STEPPER_HHT ? NSC_R(0.5) - a : d->gamma;
    *beta = d->stepper == NSC_STEPPER_HHT ? NSC_R(0.25) * (one - a) * (one - a) : d->beta;
}

/* Is the stepper HHT or NEWMARK? */
static int nsci_is_newmark(const nsc_world_def *d)
{
    return NSCI_STEPPERS &&
           (d->stepper == NSC_STEPPER_HHT || d->stepper == NSC_STEPPER_NEWMARK);
}

/* Is it the trapezoidal rule?  Joint multipliers would oscillate. */
NSC_MAYBE_UNUSED static int nsci_is_trapezoidal(const nsc_world_def *d)
{
    nsc_real beta, gamma;
    nsci_newmark(d, &beta, &gamma);
    return nsci_is_newmark(d) && gamma <= NSC_R(0.5);
}

static int nsci_check_stepper(nsci_why *note, const nsc_world_def *d)
{
    int explicit_or_newmark = nsci_is_newmark(d) || d->stepper == NSC_STEPPER_EULER_FORWARD;
    nsc_real beta, gamma;
    if (!NSCI_STEPPERS)
        return NSC_OK;
    nsci_newmark(d, &beta, &gamma);
    if (nsci_is_newmark(d) && (gamma < NSC_R(0.5) || beta < NSC_R(0.5) * gamma))
        return nsci_refused(note, NSC_ERR_STEPPER_UNSTABLE, NSCI_UNSTABLE, gamma);
    if (d->contact_model != NSC_CONTACT_HARD || !explicit_or_newmark)
        return NSC_OK;
    return nsci_refused(note, NSC_ERR_STEPPER_CONTACT, NSCI_HARD_STEPPER,
                        (nsc_real)d->contact_model);
}

/* Check that the settings are in range and the solver takes the law. */
static int nsci_check_solver(nsci_why *note, const nsc_settings *s)
{
    const nsc_real values[] = {(nsc_real)s->law, (nsc_real)s->max_iterations, s->tolerance,
                               (nsc_real)s->stall_window, (nsc_real)s->check_interval, s->omega,
                               (nsc_real)s->passes, (nsc_real)s->max_factorizations};
    int bad = nsci_bad_setting(s);
    int solver = s->solver;
    int why = 0;
    if (bad) {
        nsc_real value = values[bad - NSCI_BAD_LAW];
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_SETTING + bad - 1, value);
    }
    if (solver == NSC_SOLVER_MINRES)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_MINRES_WORLD, (nsc_real)solver);
    if ((solver == NSC_SOLVER_APGD || solver == NSC_SOLVER_BB) && s->law == NSC_LAW_PYRAMID)
        why = NSCI_GRADIENT_LAW;
    if (solver == NSC_SOLVER_DANTZIG && s->law != NSC_LAW_PYRAMID)
        why = NSCI_DANTZIG_LAW;
    return why ? nsci_refused(note, NSC_ERR_ARGUMENT, why, (nsc_real)s->law) : NSC_OK;
}

#ifndef NSC_BARRIER
#define nsci_check_barrier_def(note, d) NSC_OK
#define nsci_check_barrier_shapes(w) NSC_OK
#define nsci_check_barrier_contact(w, c) NSC_OK
#else
static int nsci_check_barrier_def(nsci_why *note, const nsc_world_def *d)
{
    if (!nsci_has_barrier(d))
        return NSC_OK;
    if (d->stepper != NSC_STEPPER_EULER_IMPLICIT)
        return nsci_refused(note, NSC_ERR_STEPPER_CONTACT, NSCI_BARRIER_STEPPER,
                            (nsc_real)d->stepper);
    if (d->barrier_distance > d->margin)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BARRIER_WIDE, d->barrier_distance);
    if (d->sleep_time > 0)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BARRIER_SLEEP, d->sleep_time);
    if (d->substeps > 1)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BARRIER_PARTS, (nsc_real)d->substeps);
    return NSC_OK;
}

/* Barrier contact does not handle height fields and meshes. */
static int nsci_check_barrier_shapes(nsc_world *w)
{
    int i;
    for (i = 0; nsci_is_barrier(w) && i < w->shape_end; i++)
        if (w->shapes[i].generation % 2 && w->shapes[i].def.kind > NSC_SHAPE_HALF_SPACE)
            return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BARRIER_SHAPE, (nsc_real)i);
    return NSC_OK;
}

/* Refuse a contact of the caller's own: its gap along the way of a Newton step is not known. */
static int nsci_check_barrier_contact(nsc_world *w, const nsc_contact *c)
{
    if (nsci_is_barrier(w) && c->shape_a < 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BARRIER_OWN, 0);
    return NSC_OK;
}
#endif

static int nsci_check_world_def(nsci_why *note, const nsc_world_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_world_def_gravity, NSCI_nsc_world_def_solver);
    if (code == NSC_OK)
        code = nsci_check_solver(note, &d->solver);
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

NSC_API int nsc_inertia_balance(nsc_real inertia[6])
{
    nsc_real mean;
    int i;
    int code = inertia ? nsci_check_inertia(NULL, inertia) : NSC_ERR_ARGUMENT;
    nsc_real inverse[6];
    if (code != NSC_ERR_INERTIA)
        return code;
    if (!nsci_sym_inverse(inertia, inverse))
        return code;
    mean = (inertia[0] + inertia[1] + inertia[2]) / 3;
    for (i = 0; i < 6; i++)
        inertia[i] = i < 3 ? mean : 0;
    return 1;
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
    if (code == NSC_OK)
        code = nsci_check_extras(note, d);
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
    nsci_take_extras(b, def);
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

static void nsci_wake_all(nsc_world *w)
{
    int i;
    for (i = 0; i < w->body_end; i++)
        nsci_wake(&w->bodies[i]);
}

/* Free the manifolds that no contact refers to: after a refused step those it found, after another
   those it replaced. */
static void nsci_free_manifolds(nsc_world *w)
{
#if NSC_MAX_MANIFOLDS > 0
    int i;
    for (i = 0; i < w->contact_count; i++)
        if (w->contacts[i].manifold)
            w->manifolds[w->contacts[i].manifold - 1].used = 1;
    for (i = 0; i < w->manifold_end; i++) {
        nsci_manifold *m = &w->manifolds[i];
        if (m->count > 0 && !m->used)
            nsci_clear(m, sizeof *m);
        m->used = 0;
    }
    while (w->manifold_end > 0 && w->manifolds[w->manifold_end - 1].count == 0)
        w->manifold_end--;
#endif
    (void)w;
}

/* Is it a contact of the body or the shape?  Either may be -1: none. */
static int nsci_is_of(const nsc_contact *c, nsc_id body, nsc_id shape)
{
    if (body >= 0 && (c->body_a == body || c->body_b == body))
        return 1;
    return shape >= 0 && (c->shape_a == shape || c->shape_b == shape);
}

/* Take contacts of a body or shape out of a list; the others keep their order. */
static int nsci_drop_contacts(nsc_contact *list, int count, nsc_id body, nsc_id shape)
{
    int i, kept = 0;
    for (i = 0; i < count; i++) {
        if (nsci_is_of(&list[i], body, shape))
            continue;
        if (kept != i)
            NSC_MEMCPY(&list[kept], &list[i], sizeof *list);
        kept++;
    }
    return kept;
}

/* Drop the contacts of a body or shape, and wake the bodies in them. */
static void nsci_forget_contacts(nsc_world *w, nsc_id body, nsc_id shape)
{
    int i;
    for (i = 0; i < w->contact_count; i++) {
        const nsc_contact *c = &w->contacts[i];
        if (!nsci_is_of(c, body, shape))
            continue;
        nsci_wake(&w->bodies[nsci_body_of(w, c->body_a)]);
        nsci_wake(&w->bodies[nsci_body_of(w, c->body_b)]);
    }
    w->contact_count = nsci_drop_contacts(w->contacts, w->contact_count, body, shape);
    w->found_count = nsci_drop_contacts(w->found, w->found_count, body, shape);
    nsci_free_manifolds(w);
}

/* Free the hull or field of a shape.  Unused ones are all zeros, so that a refused call leaves no
   trace. */
static void nsci_free_shape_data(nsc_world *w, int kind, int slot)
{
    nsc_hull *hull = NSCI_HULL_SLOT(w, kind, slot);
    nsc_field *field = NSCI_FIELD_SLOT(w, kind, slot);
    if (hull)
        NSC_MEMSET(hull, 0, sizeof *hull);
    if (field)
        NSC_MEMSET(field, 0, sizeof *field);
}

static void nsci_free_shape(nsc_world *w, int i)
{
    nsci_free_shape_data(w, w->shapes[i].def.kind, w->shapes[i].data);
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

NSC_API nsc_shape_def nsc_default_cylinder_def(nsc_real radius, nsc_real half_length)
{
    return nsci_shape_def(NSC_SHAPE_CYLINDER, radius, 0, 0, half_length);
}

NSC_API nsc_shape_def nsc_default_half_space_def(void)
{
    return nsci_shape_def(NSC_SHAPE_HALF_SPACE, 0, 0, 0, 0);
}

NSC_API nsc_shape_def nsc_default_hull_def(void)
{
    return nsci_shape_def(NSC_SHAPE_HULL, 0, 0, 0, 0);
}

NSC_API nsc_shape_def nsc_default_height_field_def(void)
{
    return nsci_shape_def(NSC_SHAPE_HEIGHT_FIELD, 0, 0, 0, 0);
}

static int nsci_check_shape_def(nsci_why *note, const nsc_shape_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_shape_def_kind, NSCI_nsc_shape_def_cohesion);
    if (code == NSC_OK)
        code = nsci_check_surface(note, d);
    if (code < 0)
        return code;
    if (!NSCI_CYLINDERS && d->kind == NSC_SHAPE_CYLINDER)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_CYLINDER, (nsc_real)d->kind);
    if (NSC_MAX_ROLLING == 0 && (d->rolling > 0 || d->torsion > 0))
        return nsci_refused(note, NSC_ERR_CAPACITY, NSCI_FULL_ROLLING, 0);
    if (d->kind <= NSC_SHAPE_CYLINDER)
        code = nsci_check_members(note, d, NSCI_nsc_shape_def_radius, NSCI_nsc_shape_def_radius);
    if (code < 0 || d->kind < NSC_SHAPE_CAPSULE || d->kind > NSC_SHAPE_BOX)
        return code;
    return nsci_check_members(note, d, NSCI_nsc_shape_def_half_z,
                              d->kind == NSC_SHAPE_BOX ? NSCI_nsc_shape_def_half_y
                                                       : NSCI_nsc_shape_def_half_z);
}

/* Mass [kg] and principal inertia [kg m^2] about the shape's own centre and axes; 0 for kinds
   without volume. */
static nsc_real nsci_shape_mass(const nsc_shape_def *d, nsc_real I[3])
{
    nsc_real r2 = d->radius * d->radius;
    nsc_real L = 2 * d->half.z;
    nsc_real m = 0;
    nsc_real ball, rod;
    nsc_real x2 = d->half.x * d->half.x;
    nsc_real y2 = d->half.y * d->half.y;
    nsc_real z2 = d->half.z * d->half.z;
    I[0] = I[1] = I[2] = 0;
    if (d->kind == NSC_SHAPE_BOX) {
        m = d->density * 8 * d->half.x * d->half.y * d->half.z;
        I[0] = m / 3 * (y2 + z2);
        I[1] = m / 3 * (x2 + z2);
        I[2] = m / 3 * (x2 + y2);
    } else if (d->kind == NSC_SHAPE_SPHERE || d->kind == NSC_SHAPE_CAPSULE) {
        if (d->kind == NSC_SHAPE_SPHERE)
            L = 0;
        ball = d->density * NSCI_PI * NSC_R(4.0) / 3 * r2 * d->radius;
        rod = d->density * NSCI_PI * r2 * L;
        m = ball + rod;
        I[2] = NSC_R(0.4) * ball * r2 + NSC_R(0.5) * rod * r2;
        I[0] = ball * (NSC_R(0.4) * r2 + L * L / 4 + NSC_R(0.375) * L * d->radius) +
               rod * (L * L / 12 + r2 / 4);
        if (d->kind == NSC_SHAPE_SPHERE)
            I[0] = I[2]; /* equal to the last bit, for nsci_is_ball */
        I[1] = I[0];
    }
    if (NSCI_CYLINDERS && d->kind == NSC_SHAPE_CYLINDER) {
        m = d->density * NSCI_PI * r2 * L;
        I[2] = NSC_R(0.5) * m * r2;
        I[0] = I[1] = m * (r2 / 4 + L * L / 12);
    }
    return m;
}

/* The same for any shape: inertia as six numbers, centre in the shape's frame. */
static nsc_real nsci_mass_of_shape(const nsc_world *w, const nsc_shape *s, nsc_vec3 *centre,
                                   nsc_real I[6])
{
    const nsc_hull *hull = NSCI_HULL_AT(w, s->def.kind, s->data);
    int i;
    *centre = nsci_vec(0, 0, 0);
    I[3] = I[4] = I[5] = 0;
    if (!hull)
        return nsci_shape_mass(&s->def, I);
    for (i = 0; i < 6; i++)
        I[i] = s->def.density * hull->inertia[i];
    *centre = hull->centroid;
    return s->def.density * hull->volume;
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

/* Sum the shapes of a body into its mass, centre and inertia. */
static void nsci_mass_of_shapes(const nsc_world *w, int body, nsc_real *mass, nsc_vec3 *centre,
                                nsc_real *inertia)
{
    nsc_real m, own[6], turned[6];
    nsc_vec3 middle;
    nsci_mat3 R;
    int pass, s, i;
    *mass = 0;
    *centre = nsci_vec(0, 0, 0);
    for (i = 0; i < 6; i++)
        inertia[i] = 0;
    for (pass = 0; pass < 2; pass++) {
        for (s = 0; s < w->shape_end; s++) {
            const nsc_shape_def *d = &w->shapes[s].def;
            if (w->shapes[s].generation % 2 == 0 || w->shapes[s].body != body)
                continue;
            m = nsci_mass_of_shape(w, &w->shapes[s], &middle, own);
            R = nsci_rotation(d->pose.orientation);
            middle = nsci_add(d->pose.position, nsci_mul_mv(&R, middle));
            if (pass == 0) {
                *mass += m;
                *centre = nsci_add_sv(*centre, m, middle);
                continue;
            }
            nsci_sym_rotate(&R, own, turned);
            for (i = 0; i < 6; i++)
                inertia[i] += turned[i];
            nsci_add_offset(inertia, m, nsci_sub(middle, *centre));
        }
        if (!(*mass > 0))
            return;
        if (pass == 0)
            *centre = nsci_mul_sv(1 / *mass, *centre);
    }
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
    nsci_mass_of_shapes(w, body, &mass, &centre, inertia);
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
    int end, code;
    nsc_shape before;
    if (i >= NSC_MAX_SHAPES)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_SHAPES, (nsc_real)NSC_MAX_SHAPES);
    end = w->shape_end;
    NSC_MEMCPY(&before, &w->shapes[i], sizeof before);
    w->shapes[i].generation++;
    w->shapes[i].body = (uint16_t)body;
    w->shapes[i].data = (uint16_t)data;
    NSC_MEMCPY(&w->shapes[i].def, def, sizeof *def);
    w->shapes[i].def.pose.orientation = nsci_quat_normalise(def->pose.orientation);
    if (i >= end)
        w->shape_end = i + 1;
    code = nsci_update_mass(w, body);
    if (code == NSC_OK) {
        nsci_forget_rates(w);
        if (w->bodies[body].kind != NSC_DYNAMIC_BODY)
            nsci_wake_near(w, i);
        return nsci_id_at(w, NSCI_SHAPE_HANDLE, i);
    }
    NSC_MEMCPY(&w->shapes[i], &before, sizeof before);
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

/* Copy the corners and faces of a hull, checked: counts and indices in range, numbers finite. */
static int nsci_copy_hull(nsci_why *note, nsc_hull *h, const nsc_hull *from)
{
    int f, i;
    int v = from->vertices;
    int faces = from->faces;
    if (v > NSC_HULL_VERTICES || faces > NSC_HULL_FACES)
        return nsci_refused(note, NSC_ERR_CAPACITY, NSCI_FULL_VERTICES,
                            (nsc_real)NSC_HULL_VERTICES);
    if (v < 4 || faces < 4 || from->first[0] != 0)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)v);
    NSC_MEMSET(h, 0, sizeof *h);
    h->used = 1;
    h->vertices = (uint8_t)v;
    h->faces = (uint8_t)faces;
    for (f = 0; f < faces; f++) {
        h->first[f + 1] = from->first[f + 1];
        if (h->first[f + 1] < h->first[f] + 3 || h->first[f + 1] > NSC_HULL_CORNERS)
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)f);
    }
    for (i = 0; i < h->first[faces]; i++) {
        h->corner[i] = from->corner[i];
        if (h->corner[i] >= v)
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)h->corner[i]);
    }
    for (i = 0; i < v; i++) {
        h->vertex[i] = from->vertex[i];
        if (!nsci_vec_finite(h->vertex[i]))
            return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_HULL, (nsc_real)i);
    }
    return NSC_OK;
}

/* Largest extent of the corners along an axis [m] */
static nsc_real nsci_hull_extent(const nsc_hull *h)
{
    nsc_vec3 lo = h->vertex[0];
    nsc_vec3 hi = lo;
    int i;
    for (i = 1; i < h->vertices; i++) {
        nsc_vec3 p = h->vertex[i];
        lo = nsci_vec(nsci_min(lo.x, p.x), nsci_min(lo.y, p.y), nsci_min(lo.z, p.z));
        hi = nsci_vec(nsci_max(hi.x, p.x), nsci_max(hi.y, p.y), nsci_max(hi.z, p.z));
    }
    hi = nsci_sub(hi, lo);
    return nsci_max(hi.x, nsci_max(hi.y, hi.z));
}

/* Compute the normal of a face from all its corners.  Returns 1 if these are in one plane and all
   others behind it, some by 1e-3 of the hull's size or more. */
static int nsci_hull_face(nsc_hull *h, int face, nsc_real size)
{
    nsc_vec3 at = h->vertex[h->corner[h->first[face]]];
    nsc_vec3 sum = nsci_vec(0, 0, 0);
    nsc_real high = 0, low = 0, plane = 0;
    int i;
    for (i = h->first[face] + 2; i < h->first[face + 1]; i++)
        sum = nsci_add(sum, nsci_cross(nsci_sub(h->vertex[h->corner[i - 1]], at),
                                       nsci_sub(h->vertex[h->corner[i]], at)));
    if (!(nsci_dot3(sum, sum) > 0))
        return 0;
    h->normal[face] = nsci_unit(sum, sum);
    for (i = 0; i < h->vertices; i++) {
        nsc_real s = nsci_dot3(h->normal[face], nsci_sub(h->vertex[i], at));
        high = nsci_max(high, s);
        low = nsci_min(low, s);
    }
    for (i = h->first[face]; i < h->first[face + 1]; i++) {
        nsc_vec3 arm = nsci_sub(h->vertex[h->corner[i]], at);
        plane = nsci_min(plane, nsci_dot3(h->normal[face], arm));
    }
    return high <= NSC_R(2e-3) * size && -plane <= NSC_R(2e-3) * size && -low >= NSC_R(1e-3) * size;
}

/* Is every edge shared by two faces that run along it in opposite directions, and is the surface
   one closed piece (Euler)? */
static int nsci_hull_closed(const nsc_hull *h)
{
    int f, k, g, m;
    int end = h->first[h->faces];
    if (2 * h->vertices + 2 * h->faces != end + 4)
        return 0;
    for (f = 0; f < h->faces; f++)
        for (k = h->first[f]; k < h->first[f + 1]; k++) {
            int u = h->corner[k];
            int v = h->corner[k + 1 < h->first[f + 1] ? k + 1 : h->first[f]];
            int found = 0;
            for (g = 0; g < h->faces; g++)
                for (m = h->first[g]; m < h->first[g + 1]; m++)
                    found += h->corner[m] == v &&
                             h->corner[m + 1 < h->first[g + 1] ? m + 1 : h->first[g]] == u;
            if (found != 1)
                return 0;
        }
    return 1;
}

/* Add volume, first moment and inertia about 0 of the tetrahedron 0 a b c, exactly; det is six
   times its volume. */
static void nsci_add_tetrahedron(nsc_hull *h, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c)
{
    nsc_real det = nsci_dot3(a, nsci_cross(b, c));
    nsc_real *I = h->inertia;
    nsc_real xx, yy, zz;
    nsc_vec3 s = nsci_add(nsci_add(a, b), c);
    h->volume += det / 6;
    h->centroid = nsci_add_sv(h->centroid, det / 24, s);
    det /= 120;
    xx = det * (s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x);
    yy = det * (s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y);
    zz = det * (s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z);
    I[0] += yy + zz;
    I[1] += xx + zz;
    I[2] += xx + yy;
    I[3] -= det * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y);
    I[4] -= det * (s.x * s.z + a.x * a.z + b.x * b.z + c.x * c.z);
    I[5] -= det * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z);
}

/* Volume, centroid and inertia by tetrahedra with an apex at the vertices' mean (Tonon 2004) */
static int nsci_hull_measure(nsc_hull *h)
{
    nsc_vec3 mean = nsci_vec(0, 0, 0);
    int i, f;
    for (i = 0; i < h->vertices; i++)
        mean = nsci_add_sv(mean, 1 / (nsc_real)h->vertices, h->vertex[i]);
    for (f = 0; f < h->faces; f++)
        for (i = h->first[f] + 2; i < h->first[f + 1]; i++)
            nsci_add_tetrahedron(h, nsci_sub(h->vertex[h->corner[h->first[f]]], mean),
                                 nsci_sub(h->vertex[h->corner[i - 1]], mean),
                                 nsci_sub(h->vertex[h->corner[i]], mean));
    if (!(h->volume > 0) || !nsci_finite(1 / h->volume))
        return NSC_ERR_ARGUMENT;
    h->centroid = nsci_mul_sv(1 / h->volume, h->centroid);
    nsci_add_offset(h->inertia, -h->volume, h->centroid);
    h->centroid = nsci_add(h->centroid, mean);
    return nsci_vec_finite(h->centroid) ? nsci_check_inertia(NULL, h->inertia) : NSC_ERR_NOT_FINITE;
}

/* Copy a hull of the user's, and compute what it does not bring. */
static int nsci_take_hull(nsci_why *note, nsc_hull *h, const nsc_hull *from)
{
    nsc_real size;
    int f;
    int code = nsci_copy_hull(note, h, from);
    if (code < 0)
        return code;
    size = nsci_hull_extent(h);
    if (!nsci_finite(size * size))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_HULL, size);
    for (f = 0; f < h->faces; f++)
        if (!nsci_hull_face(h, f, size))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HULL, (nsc_real)f);
    code = nsci_hull_closed(h) ? nsci_hull_measure(h) : NSC_ERR_ARGUMENT;
    return code < 0 ? nsci_refused(note, code, NSCI_BAD_HULL, (nsc_real)h->faces) : NSC_OK;
}

static int nsci_slot_taken(const nsc_world *w, int kind, int slot)
{
    const nsc_hull *hull = NSCI_HULL_SLOT(w, kind, slot);
    const nsc_field *field = NSCI_FIELD_SLOT(w, kind, slot);
    return (hull && hull->used) || (field && field->used);
}

/* First free slot for a hull or height field; at least `most` if there is none */
static int nsci_free_data(const nsc_world *w, int kind, int most)
{
    int slot = 0;
    while (slot < most && nsci_slot_taken(w, kind, slot))
        slot++;
    return slot;
}

NSC_API nsc_id nsc_world_add_hull_data(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                       const nsc_hull *hull)
{
    int b = nsci_check_new_shape(w, body, def, NSC_SHAPE_HULL);
    int slot;
    nsc_id id;
    if (b < 0)
        return b;
    if (!hull)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    slot = nsci_free_data(w, NSC_SHAPE_HULL, NSC_MAX_HULLS);
    if (NSC_MAX_HULLS == 0 || slot >= NSC_MAX_HULLS)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_HULLS, (nsc_real)NSC_MAX_HULLS);
    id = nsci_take_hull(&w->note, NSCI_HULL_SLOT(w, NSC_SHAPE_HULL, slot), hull);
    if (id == NSC_OK)
        id = nsci_add_shape(w, b, def, slot);
    if (id < 0)
        nsci_free_shape_data(w, NSC_SHAPE_HULL, slot);
    return id;
}

/* nx and ny are stored in 16 bits.  (An int may have only 16, too.) */
#define NSCI_MOST_SAMPLES 65535L

static int nsci_fill_field(nsc_field *f, const nsc_real *heights, int nx, int ny, nsc_real dx,
                           nsc_real dy)
{
    int i, n = nx * ny;
    if (!nsci_all_finite(heights, n) || !nsci_finite(dx) || !nsci_finite(dy))
        return NSC_ERR_NOT_FINITE;
    if (!nsci_finite((nsc_real)nx * dx) || !nsci_finite((nsc_real)ny * dy))
        return NSC_ERR_NOT_FINITE;
    if (!nsci_is_cell(dx, dy))
        return NSC_ERR_ARGUMENT;
    f->used = 1;
    f->nx = (uint16_t)nx;
    f->ny = (uint16_t)ny;
    f->dx = dx;
    f->dy = dy;
    f->low = f->high = heights[0];
    for (i = 0; i < n; i++) {
        f->height[i] = heights[i];
        f->low = nsci_min(f->low, heights[i]);
        f->high = nsci_max(f->high, heights[i]);
    }
    return nsci_finite((f->high - f->low) * (f->high - f->low)) ? NSC_OK : NSC_ERR_ARGUMENT;
}

NSC_API nsc_id nsc_world_add_height_field(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                          const nsc_real *heights, int nx, int ny, nsc_real dx,
                                          nsc_real dy)
{
    int b = nsci_check_new_shape(w, body, def, NSC_SHAPE_HEIGHT_FIELD);
    int slot;
    nsc_id id;
    if (b < 0)
        return b;
    if (!heights)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (nx < 2 || ny < 2)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_FIELD,
                            (nsc_real)(nx < ny ? nx : ny));
    if (!(dx > 0) || !(dy > 0))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_FIELD, dx > 0 ? dy : dx);
    slot = nsci_free_data(w, NSC_SHAPE_HEIGHT_FIELD, NSC_MAX_FIELDS);
    if (slot >= NSC_MAX_FIELDS)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_FIELDS, (nsc_real)NSC_MAX_FIELDS);
    if (nx > NSCI_MOST_SAMPLES || ny > NSCI_MOST_SAMPLES || ny > NSC_FIELD_SAMPLES / nx)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_SAMPLES,
                            (nsc_real)NSC_FIELD_SAMPLES);
    id = nsci_fill_field(NSCI_FIELD_SLOT(w, NSC_SHAPE_HEIGHT_FIELD, slot), heights, nx, ny, dx, dy);
    if (id < 0)
        nsci_refused(&w->note, (int)id, NSCI_BAD_FIELD, 0);
    else
        id = nsci_add_shape(w, b, def, slot);
    if (id < 0)
        nsci_free_shape_data(w, NSC_SHAPE_HEIGHT_FIELD, slot);
    return id;
}

/* Value of nsc_shape.data for entry 0 of the caller's table */
NSC_MAYBE_UNUSED static int nsci_first_entry(int kind)
{
    return kind == NSC_SHAPE_MESH ? 0 : NSCI_CONST_BIT;
}

/* Check a new table of meshes, const hulls or fields: its count, and that it has all that shapes
   name. */
NSC_MAYBE_UNUSED static int nsci_check_table(nsc_world *w, int given, int count, int kind,
                                             int reason)
{
    int i;
    int code = nsci_enter_unmade(w);
    int first = nsci_first_entry(kind);
    if (code < 0)
        return code;
    if (count < 0 || count > (kind == NSC_SHAPE_MESH ? 65535 : NSCI_CONST_BIT - 1))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, (nsc_real)count);
    if (!given && count > 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    for (i = 0; i < w->shape_end; i++) {
        int entry = w->shapes[i].data - first;
        if (w->shapes[i].generation % 2 && w->shapes[i].def.kind == kind && entry >= count)
            return nsci_refused(&w->note, NSC_ERR_ARGUMENT, reason, (nsc_real)entry);
    }
    return NSC_OK;
}

/* Make entry `index` of a table with `count` entries a shape. */
NSC_MAYBE_UNUSED static nsc_id nsci_add_named(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                              int kind, int index, int count, int reason)
{
    int b = nsci_check_new_shape(w, body, def, kind);
    if (b < 0)
        return b;
    if (index < 0 || index >= count)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, reason, (nsc_real)index);
    return nsci_add_shape(w, b, def, nsci_first_entry(kind) + index);
}

#if NSC_MESHES
NSC_API nsc_shape_def nsc_default_mesh_def(void)
{
    return nsci_shape_def(NSC_SHAPE_MESH, 0, 0, 0, 0);
}

/* Vertex of a mesh, from `origin` [m] */
static nsc_vec3 nsci_mesh_vertex(const nsc_mesh *m, int32_t i, nsc_vec3 origin)
{
    const nsc_mesh_vertex *v = &m->vertex[i];
    return nsci_vec((nsc_real)v->x - origin.x, (nsc_real)v->y - origin.y,
                    (nsc_real)v->z - origin.z);
}

/* Check the corners of a triangle: in range, and not on a line. */
static int nsci_check_corners(const nsc_mesh *m, const nsc_mesh_triangle *t)
{
    nsc_vec3 p[3], e, n;
    nsc_real most = 0, area;
    int k;
    for (k = 0; k < 3; k++) {
        if (t->corner[k] >= m->vertices)
            return 0;
        p[k] = nsci_mesh_vertex(m, t->corner[k], nsci_vec(0, 0, 0));
    }
    for (k = 0; k < 3; k++) {
        e = nsci_sub(p[(k + 1) % 3], p[k]);
        most = nsci_max(most, nsci_dot3(e, e));
    }
    n = nsci_cross(nsci_sub(p[1], p[0]), nsci_sub(p[2], p[0]));
    area = nsci_norm(n);
    return nsci_finite(most * most) && area > NSC_R(1e-5) * most && area > NSC_R(1e-18);
}

/* Index of the corner where the edge from vertex `from` to vertex `to` begins, or -1 */
static int nsci_edge_of(const nsc_mesh_triangle *t, uint16_t from, uint16_t to)
{
    int k;
    for (k = 0; k < 3; k++)
        if (t->corner[k] == from && t->corner[(k + 1) % 3] == to)
            return k;
    return -1;
}

/* Check that the triangles beyond the edges of triangle i have them the other way round and name
   it. */
static int nsci_check_beyond(const nsc_mesh *m, int32_t i)
{
    const nsc_mesh_triangle *t = &m->triangle[i];
    const nsc_mesh_triangle *u;
    int k, e;
    for (k = 0; k < 3; k++) {
        if (t->beyond[k] == NSC_MESH_OPEN)
            continue;
        if (t->beyond[k] >= m->triangles)
            return 0;
        u = &m->triangle[t->beyond[k]];
        e = nsci_edge_of(u, t->corner[(k + 1) % 3], t->corner[k]);
        if (e < 0 || u->beyond[e] != i)
            return 0;
    }
    return 1;
}

/* Does the box of the node contain the box from low to high? */
static int nsci_node_holds(const nsc_mesh_node *n, const float *low, const float *high)
{
    int k, in = 1;
    for (k = 0; k < 3; k++)
        in &= n->low[k] <= low[k] && high[k] <= n->high[k];
    return in;
}

/* Check node i.  done: number of triangles in the leaves so far */
static int nsci_check_node(const nsc_mesh *m, int32_t i, int32_t *done)
{
    const nsc_mesh_node *n = &m->node[i];
    float at[3];
    int32_t c;
    if (n->skip <= i || n->skip > m->nodes || (i == 0 && n->skip < m->nodes))
        return 0;
    for (c = 0; c < 3; c++)
        if (!nsci_finite((nsc_real)n->low[c]) || !nsci_finite((nsc_real)n->high[c]))
            return 0;
    for (c = i + 1; c < n->skip; c = m->node[c].skip)
        if (m->node[c].skip <= c || m->node[c].skip > n->skip ||
            !nsci_node_holds(n, m->node[c].low, m->node[c].high))
            return 0;
    if (n->count == 0)
        return n->skip > i + 1;
    if (n->skip > i + 1 || n->first != *done || n->count > m->triangles - *done)
        return 0;
    for (; *done < (int32_t)n->first + n->count; ++*done)
        for (c = 0; c < 3; c++) {
            const nsc_mesh_vertex *v = &m->vertex[m->triangle[*done].corner[c]];
            at[0] = v->x;
            at[1] = v->y;
            at[2] = v->z;
            if (!nsci_node_holds(n, at, at))
                return 0;
        }
    return 1;
}

static int nsci_check_mesh(nsci_why *note, const nsc_mesh *m, int index)
{
    int32_t i, done = 0;
    if (!m || !m->vertex || !m->triangle || !m->node)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, (nsc_real)index);
    if (m->vertices < 3 || m->vertices > 65535 || m->triangles < 1 || m->triangles > 65535 ||
        m->nodes < 1 || m->nodes > 65535)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_MESH, (nsc_real)index);
    for (i = 0; i < m->vertices; i++)
        if (!nsci_vec_finite(nsci_mesh_vertex(m, i, nsci_vec(0, 0, 0))))
            return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_VERTEX, (nsc_real)i);
    for (i = 0; i < m->triangles; i++)
        if (!nsci_check_corners(m, &m->triangle[i]))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_TRIANGLE, (nsc_real)i);
    for (i = 0; i < m->triangles; i++)
        if (!nsci_check_beyond(m, i))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_BEYOND, (nsc_real)i);
    for (i = 0; i < m->nodes; i++)
        if (!nsci_check_node(m, i, &done))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_NODE, (nsc_real)i);
    return done == m->triangles
               ? NSC_OK
               : nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_NODE, (nsc_real)done);
}

NSC_API int nsc_world_set_meshes(nsc_world *w, const nsc_mesh *const *meshes, int count)
{
    int i;
    int code = nsci_check_table(w, meshes != NULL, count, NSC_SHAPE_MESH, NSCI_NO_MESH);
    for (i = 0; i < count && code == NSC_OK; i++)
        code = nsci_check_mesh(&w->note, meshes[i], i);
    if (code < 0)
        return code;
    w->meshes = meshes;
    w->mesh_count = count;
    return NSC_OK;
}

NSC_API nsc_id nsc_world_add_mesh(nsc_world *w, nsc_id body, const nsc_shape_def *def, int index)
{
    return nsci_add_named(w, body, def, NSC_SHAPE_MESH, index, w ? w->mesh_count : 0,
                          NSCI_NO_MESH);
}
#endif

#if NSC_CONST_HULLS
NSC_API int nsc_hull_complete(nsc_hull *hull)
{
    nsc_hull h;
    int code = hull ? nsci_take_hull(NULL, &h, hull) : NSC_ERR_ARGUMENT;
    if (code < 0)
        return code;
    h.used = 0;
    NSC_MEMCPY(hull, &h, sizeof h);
    return NSC_OK;
}

/* Are all components nearer than `by`? */
static int nsci_near_vec(nsc_vec3 a, nsc_vec3 b, nsc_real by)
{
    return nsci_abs(a.x - b.x) <= by && nsci_abs(a.y - b.y) <= by && nsci_abs(a.z - b.z) <= by;
}

/* Check a complete hull of the caller's: recompute its derived members, and compare them. */
NSCI_OWN_FRAME int nsci_check_const_hull(nsci_why *note, const nsc_hull *from, int index)
{
    nsc_hull h;
    const nsc_real *I = h.inertia;
    nsc_real size;
    int i, like, code;
    if (!from)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, (nsc_real)index);
    code = nsci_take_hull(note, &h, from);
    if (code < 0)
        return code;
    size = nsci_hull_extent(&h);
    like = nsci_abs(h.volume - from->volume) <= NSC_R(1e-3) * h.volume &&
           nsci_near_vec(h.centroid, from->centroid, NSC_R(1e-4) * size) &&
           nsci_check_inertia(NULL, from->inertia) == NSC_OK;
    for (i = 0; i < h.faces; i++)
        like &= nsci_near_vec(h.normal[i], from->normal[i], NSC_R(1e-4));
    for (i = 0; i < 6; i++)
        like &= nsci_abs(I[i] - from->inertia[i]) <= NSC_R(1e-4) * (I[0] + I[1] + I[2]);
    return like ? NSC_OK
                : nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_UNLIKE_HULL, (nsc_real)index);
}

NSC_API int nsc_world_set_hulls(nsc_world *w, const nsc_hull *const *hulls, int count)
{
    int i;
    int code = nsci_check_table(w, hulls != NULL, count, NSC_SHAPE_HULL, NSCI_NO_HULL);
    for (i = 0; i < count && code == NSC_OK; i++)
        code = nsci_check_const_hull(&w->note, hulls[i], i);
    if (code < 0)
        return code;
    w->tables.hulls = hulls;
    w->tables.hull_count = count;
    return NSC_OK;
}

NSC_API nsc_id nsc_world_add_const_hull(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                        int index)
{
    return nsci_add_named(w, body, def, NSC_SHAPE_HULL, index, w ? w->tables.hull_count : 0,
                          NSCI_NO_HULL);
}
#endif

#if NSC_CONST_FIELDS
/* Height field of a shape, from the caller's table or the world's own; zeros if it has none */
static nsc_heights nsci_heights_at(const nsc_world *w, int kind, int slot)
{
    const nsc_field *own = NSCI_FIELD_SLOT(w, kind, slot);
    nsc_heights f = {NULL, 0, 0, 0, 0, 0, 0};
    if (kind == NSC_SHAPE_HEIGHT_FIELD && slot >= NSCI_CONST_BIT)
        return *w->tables.fields[slot - NSCI_CONST_BIT];
    if (!own)
        return f;
    f.height = own->height;
    f.nx = own->nx;
    f.ny = own->ny;
    f.dx = own->dx;
    f.dy = own->dy;
    f.low = own->low;
    f.high = own->high;
    return f;
}

static int nsci_check_heights(nsci_why *note, const nsc_heights *f, int index)
{
    const int most = (int)((unsigned)-1 >> 1) / 2; /* an int numbers the triangles, two a height */
    nsc_real range;
    int i, n, in = 1;
    if (!f || !f->height)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, (nsc_real)index);
    if (f->nx < 2 || f->ny < 2 || (long)f->nx > most || f->ny > most / (int)f->nx)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HEIGHTS, (nsc_real)index);
    n = (int)f->nx * (int)f->ny;
    range = f->high - f->low;
    if (!nsci_all_finite(f->height, n) || !nsci_finite((nsc_real)f->nx * f->dx) ||
        !nsci_finite((nsc_real)f->ny * f->dy) || !nsci_finite(f->low) || !nsci_finite(f->high))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_HEIGHTS, (nsc_real)index);
    for (i = 0; i < n; i++)
        in &= f->height[i] >= f->low && f->height[i] <= f->high;
    if (!in || !nsci_is_cell(f->dx, f->dy) || !nsci_finite(range * range))
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_HEIGHTS, (nsc_real)index);
    return NSC_OK;
}

NSC_API int nsc_world_set_fields(nsc_world *w, const nsc_heights *const *fields, int count)
{
    int i;
    int code = nsci_check_table(w, fields != NULL, count, NSC_SHAPE_HEIGHT_FIELD, NSCI_NO_HEIGHTS);
    for (i = 0; i < count && code == NSC_OK; i++)
        code = nsci_check_heights(&w->note, fields[i], i);
    if (code < 0)
        return code;
    w->tables.fields = fields;
    w->tables.field_count = count;
    return NSC_OK;
}

NSC_API nsc_id nsc_world_add_const_field(nsc_world *w, nsc_id body, const nsc_shape_def *def,
                                         int index)
{
    return nsci_add_named(w, body, def, NSC_SHAPE_HEIGHT_FIELD, index,
                          w ? w->tables.field_count : 0, NSCI_NO_HEIGHTS);
}
#endif

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

/* Are they equal?  Components that are not finite never are. */
static int nsci_same_vec(nsc_vec3 a, nsc_vec3 b)
{
    return nsci_abs(a.x - b.x) <= 0 && nsci_abs(a.y - b.y) <= 0 && nsci_abs(a.z - b.z) <= 0;
}

/* Do two definitions agree in all that shape and mass depend on? */
static int nsci_same_body_part(const nsc_shape_def *a, const nsc_shape_def *b)
{
    nsc_quat p = a->pose.orientation;
    nsc_quat q = b->pose.orientation;
    return a->kind == b->kind && nsci_same_vec(a->pose.position, b->pose.position) &&
           nsci_same_vec(a->half, b->half) && nsci_abs(p.w - q.w) <= 0 &&
           nsci_same_vec(nsci_vec(p.x, p.y, p.z), nsci_vec(q.x, q.y, q.z)) &&
           nsci_same_vec(nsci_vec(a->radius, a->density, 0), nsci_vec(b->radius, b->density, 0)) &&
           nsci_same_vec(nsci_vec(a->stiffness, a->damping, 0),
                         nsci_vec(b->stiffness, b->damping, 0));
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
    return nsci_add(g->centre, nsci_mul_mv(&g->axes, nsci_vec(q[0], q[1], q[2])));
}

static nsc_real nsci_half_diagonal(const nsci_geom *g)
{
    return NSC_SQRT(g->half[0] * g->half[0] + g->half[1] * g->half[1] + g->half[2] * g->half[2]);
}

/* Point of a core segment, t in -1..1 */
static nsc_vec3 nsci_core(const nsci_geom *g, nsc_real t)
{
    return nsci_add_sv(g->centre, t * g->half[2], g->axes.c[2]);
}

/* Sphere or capsule a on half-space b: one point for each end of the core */
static int nsci_round_plane(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                            nsci_point *out)
{
    nsc_vec3 down = nsci_neg(b->axes.c[2]);
    int end, n = 0;
    for (end = 0; end < (a->half[2] > 0 ? 2 : 1); end++) {
        nsc_vec3 p = nsci_core(a, end ? 1 : -1);
        nsc_real gap = nsci_dot3(nsci_sub(p, b->centre), b->axes.c[2]) - a->radius;
        n = nsci_put(out, n, nsci_add_sv(p, a->radius, down), down, gap, distance, (uint32_t)end);
    }
    return n;
}

/* Where two segments p + s x, q + t y, |s|, |t| <= 1, are nearest (Ericson 5.1.9) */
static void nsci_nearest(nsc_vec3 p, nsc_vec3 x, nsc_vec3 q, nsc_vec3 y, nsc_real *s, nsc_real *t)
{
    nsc_vec3 r = nsci_sub(p, q);
    nsc_real one = 1;
    nsc_real a = nsci_dot3(x, x);
    nsc_real e = nsci_dot3(y, y);
    nsc_real b = nsci_dot3(x, y);
    nsc_real c = nsci_dot3(x, r);
    nsc_real f = nsci_dot3(y, r);
    nsc_real det = a * e - b * b;
    *s = det > NSC_R(1e-6) * a * e ? nsci_clamp((b * f - c * e) / det, -one, one) : 0;
    *t = e > 0 ? nsci_clamp((b * *s + f) / e, -one, one) : 0;
    *s = a > 0 ? nsci_clamp((b * *t - c) / a, -one, one) : 0;
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
    if (length > NSC_R(1e-18))
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
        along = nsci_dot3(nsci_sub(b->centre, a->centre), a->axes.c[2]);
        e = b->half[2] * nsci_abs(cosine);
        lo = nsci_max(-a->half[2], along - e);
        hi = nsci_min(a->half[2], along + e);
        if (hi - lo > NSC_R(1e-3) * a->half[2]) {
            for (i = 0; i < 2; i++) {
                s = (i ? hi : lo) / a->half[2];
                t = nsci_dot3(nsci_sub(nsci_core(a, s), b->centre), b->axes.c[2]) / b->half[2];
                t = nsci_clamp(t, -1, 1);
                n = nsci_put_round(a, b, s, t, distance, (uint32_t)i, out, n);
            }
        }
    }
    nsci_nearest(a->centre, x, b->centre, y, &s, &t);
    end = nsci_put_round(a, b, s, t, distance, 2, out, n);
    /* Between two ends the nearest point counts only where the cores cross. */
    for (i = 0; i < n && end > n; i++)
        if (out[i].gap <= out[n].gap + NSC_R(1e-2) * (a->radius + b->radius))
            return n;
    return end;
}

/* A core segment p + t d, |t| <= 1, in the frame of a box */
typedef struct nsci_segment { nsc_real p[3], d[3]; } nsci_segment;

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

/* Face 2 i + (1 if positive) of the box through which the segment is pushed out the shortest way */
static int nsci_shallowest_face(const nsci_segment *s, const nsc_real *half)
{
    nsc_real best = NSC_REAL_MAX;
    int i, face = 0;
    for (i = 0; i < 6; i++) {
        nsc_real depth = half[i / 2] - (i % 2 ? s->p[i / 2] : -s->p[i / 2]) + nsci_abs(s->d[i / 2]);
        if (depth < best) {
            best = depth;
            face = i;
        }
    }
    return face;
}

/* Capsule a over a face of box b: the core's ends, clipped to the face */
NSCI_OWN_FRAME int nsci_round_face(const nsci_geom *a, const nsci_geom *b, const nsci_segment *core,
                                   int face, nsc_real nearest, nsc_real distance, nsci_point *out)
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
        t = (-b->half[i] - core->p[i]) / core->d[i];
        s = (b->half[i] - core->p[i]) / core->d[i];
        lo = nsci_max(lo, nsci_min(t, s));
        hi = nsci_min(hi, nsci_max(t, s));
    }
    /* The nearest point counts as over the face, though it may lie a little beyond its rim. */
    if (lo > hi)
        lo = hi = nearest;
    lo = nsci_min(lo, nearest);
    hi = nsci_max(hi, nearest);
    for (end = 0; end < (a->half[2] * (hi - lo) > NSC_R(1e-3) * a->radius ? 2 : 1); end++) {
        nsc_real t = end ? hi : lo;
        nsc_real height = sign * (core->p[face / 2] + t * core->d[face / 2]);
        nsc_vec3 surface = nsci_add_sv(nsci_core(a, t), a->radius, normal);
        n = nsci_put(out, n, surface, normal, height - b->half[face / 2] - a->radius, distance,
                     (uint32_t)(2 * face + end));
    }
    return n;
}

/* Sphere or capsule a and box b: over a face up to two points, else the nearest one */
NSCI_OWN_FRAME int nsci_round_box(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                                  nsci_point *out)
{
    nsc_vec3 p = nsci_mul_mtv(&b->axes, nsci_sub(a->centre, b->centre));
    nsc_vec3 normal;
    nsc_vec3 d = nsci_mul_sv(a->half[2], nsci_mul_mtv(&b->axes, a->axes.c[2]));
    nsc_real e[3], t, apart;
    nsci_segment core;
    int i;
    core.p[0] = p.x;
    core.p[1] = p.y;
    core.p[2] = p.z;
    core.d[0] = d.x;
    core.d[1] = d.y;
    core.d[2] = d.z;
    t = nsci_nearest_to_box(&core, b->half);
    nsci_to_box(&core, t, b->half, e);
    apart = NSC_SQRT(nsci_dot(e, e, 3));
    if (apart - a->radius > distance)
        return 0;
    if (apart <= 4 * NSC_REAL_EPS * (nsci_half_diagonal(b) + nsci_norm(p)))
        return nsci_round_face(a, b, &core, nsci_shallowest_face(&core, b->half), t, distance, out);
    for (i = 0; i < 3; i++)
        if (nsci_abs(e[i]) > NSC_R(0.9999) * apart)
            return nsci_round_face(a, b, &core, 2 * i + (e[i] < 0), t, distance, out);
    normal = nsci_mul_mv(&b->axes, nsci_mul_sv(1 / apart, nsci_vec(e[0], e[1], e[2])));
    return nsci_put(out, 0, nsci_add_sv(nsci_core(a, t), a->radius, normal), normal,
                    apart - a->radius, distance, 12);
}

/* Box a on half-space b: the four deepest of the eight corners, of a box that lies flat those of
   its face.  gap[i] only chooses corners; a contact's gap is computed from its point as rounded. */
NSCI_OWN_FRAME int nsci_box_plane(const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                                  nsci_point *out)
{
    nsc_vec3 normal = nsci_mul_mtv(&a->axes, b->axes.c[2]);
    nsc_vec3 down = nsci_neg(b->axes.c[2]);
    nsc_vec3 p;
    nsc_real height = nsci_dot3(nsci_sub(a->centre, b->centre), b->axes.c[2]);
    nsc_real gap[8], q[3];
    nsc_real x = a->half[0] * normal.x;
    nsc_real y = a->half[1] * normal.y;
    nsc_real z = a->half[2] * normal.z;
    int i, j, n = 0, kept = 0, pick[NSC_MANIFOLD] = {0, 0, 0, 0};
    if (height - nsci_abs(x) - nsci_abs(y) - nsci_abs(z) > distance)
        return 0;
    for (i = 0; i < 8; i++) {
        gap[i] = height + (i & 1 ? x : -x) + (i & 2 ? y : -y) + (i & 4 ? z : -z);
        if (gap[i] > distance)
            continue;
        if (n < NSC_MANIFOLD) {
            pick[n++] = i;
            continue;
        }
        for (j = 1; j < NSC_MANIFOLD; j++)
            if (gap[pick[j]] > gap[pick[0]]) {
                int swap = pick[0];
                pick[0] = pick[j];
                pick[j] = swap;
            }
        if (gap[i] < gap[pick[0]])
            pick[0] = i;
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < 3; j++)
            q[j] = pick[i] >> j & 1 ? a->half[j] : -a->half[j];
        p = nsci_local_point(a, q);
        kept = nsci_put(out, kept, p, down, nsci_dot3(nsci_sub(p, b->centre), b->axes.c[2]),
                        distance, (uint32_t)pick[i]);
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

/* Twice the signed area of the triangle p q r, seen in the plane of the face */
static nsc_real nsci_area(const nsc_real *p, const nsc_real *q, const nsc_real *r)
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Keep four corners, in their order: the deepest, the one furthest from it, and those furthest from
   the line through these two, one on either side. */
NSCI_OWN_FRAME int nsci_reduce(nsci_corner *c, int n)
{
    int i, kept, pick[4];
    nsc_real best = -1;
    nsc_real most = 0;
    nsc_real least = 0;
    if (n <= NSC_MANIFOLD)
        return n;
    pick[0] = pick[1] = pick[2] = pick[3] = 0;
    for (i = 1; i < n; i++)
        if (c[i].at[2] < c[pick[0]].at[2])
            pick[0] = i;
    for (i = 0; i < n; i++) {
        nsc_real du = c[i].at[0] - c[pick[0]].at[0];
        nsc_real dv = c[i].at[1] - c[pick[0]].at[1];
        if (du * du + dv * dv > best) {
            best = du * du + dv * dv;
            pick[1] = i;
        }
    }
    pick[2] = pick[3] = pick[0];
    for (i = 0; i < n; i++) {
        nsc_real area = nsci_area(c[pick[0]].at, c[pick[1]].at, c[i].at);
        if (area > most) {
            most = area;
            pick[2] = i;
        }
        if (area < least) {
            least = area;
            pick[3] = i;
        }
    }
    for (i = 0, kept = 0; i < n; i++)
        if (i == pick[0] || i == pick[1] || i == pick[2] || i == pick[3])
            c[kept++] = c[i];
    return kept;
}

/* Corners of the face of box b most opposed to face i of a, in the latter's frame (u, v, w).
   Returns 2 axis + (1 if positive) of the former. */
static int nsci_incident_face(const nsci_geom *a, int i, nsc_real sign, const nsci_geom *b,
                                      nsci_corner *c)
{
    nsc_vec3 normal = nsci_mul_sv(sign, a->axes.c[i]);
    nsc_real local[3], q[3];
    int i1 = i < 2 ? i + 1 : 0;
    int i2 = 3 - i - i1;
    int j = 0;
    int j1, j2, k, side;
    for (k = 0; k < 3; k++) {
        local[k] = nsci_dot3(b->axes.c[k], normal);
        if (nsci_abs(local[k]) > nsci_abs(local[j]))
            j = k;
    }
    j1 = j < 2 ? j + 1 : 0;
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
    int i1 = i < 2 ? i + 1 : 0;
    int i2 = 3 - i - i1;
    nsc_vec3 axis = a->axes.c[i];
    nsc_vec3 u = a->axes.c[i1];
    nsc_vec3 v = a->axes.c[i2];
    nsc_real sign = nsci_dot3(nsci_sub(b->centre, a->centre), axis) < 0 ? -1 : 1;
    int k;
    int n = 4;
    int kept = 0;
    int face = nsci_incident_face(a, i, sign, b, c + 4);
    for (k = 0; k < 4 && n > 0; k++)
        n = nsci_clip(c + 4 - k, n, k, a->half[k < 2 ? i1 : i2]);
    for (k = 0; k < n; k++)
        if (c[k].at[2] <= distance)
            c[kept++] = c[k];
    n = nsci_reduce(c, kept);
    axis = nsci_mul_sv(sign, axis);
    for (k = 0, kept = 0; k < n; k++) {
        nsc_vec3 p = nsci_add_sv(nsci_add_sv(a->centre, c[k].at[0], u), c[k].at[1], v);
        p = nsci_add_sv(p, a->half[i], axis);
        kept = nsci_put(out, kept, p, axis, c[k].at[2], distance,
                        (uint32_t)(64 * (12 * i + 6 * (sign > 0) + face) + c[k].id));
    }
    return nsci_go_across(out, kept);
}

/* One contact between edges along axis i of a and j of b; which: 3 i + j */
NSCI_OWN_FRAME int nsci_box_edges(const nsci_geom *a, const nsci_geom *b, int which, nsc_real gap,
                                  nsc_real distance, nsci_point *out)
{
    int i = which / 3;
    int j = which % 3;
    nsc_vec3 n = nsci_unit(nsci_cross(a->axes.c[i], b->axes.c[j]), a->axes.c[0]);
    nsc_vec3 p, x, y;
    nsc_real s, t, pa[3], pb[3];
    int k, id = 0;
    if (nsci_dot3(nsci_sub(b->centre, a->centre), n) < 0)
        n = nsci_neg(n);
    for (k = 0; k < 3; k++) {
        int up = nsci_dot3(a->axes.c[k], n) > 0;
        int down = nsci_dot3(b->axes.c[k], n) < 0;
        pa[k] = k == i ? 0 : up ? a->half[k] : -a->half[k];
        pb[k] = k == j ? 0 : down ? b->half[k] : -b->half[k];
        if (k != i)
            id |= up << k;
        if (k != j)
            id |= down << (3 + k);
    }
    x = nsci_mul_sv(a->half[i], a->axes.c[i]);
    y = nsci_mul_sv(b->half[j], b->axes.c[j]);
    p = nsci_local_point(a, pa);
    nsci_nearest(p, x, nsci_local_point(b, pb), y, &s, &t);
    p = nsci_add_sv(p, s, x);
    return nsci_put(out, 0, p, n, gap, distance, (uint32_t)(4096 + 64 * which + id));
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
   clearly, so that the choice does not flicker.  The cosines between the axes of a and b give all
   separations (Gottschalk et al. 1996): a_i x b_j has the length sqrt(1 - cos^2).  *gap: the
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
        int i1 = i < 2 ? i + 1 : 0;
        int i2 = 3 - i - i1;
        for (j = 0; j < 3; j++) {
            int j1 = j < 2 ? j + 1 : 0;
            int j2 = 3 - j - j1;
            nsc_real length = 1 - cosine[i][j] * cosine[i][j];
            if (length < NSC_R(1e-4))
                continue;
            length = NSC_SQRT(length);
            s = nsci_abs(along[i2] * cosine[i1][j] - along[i1] * cosine[i2][j]);
            s -= (p[i1] * nsci_abs(cosine[i2][j]) + p[i2] * nsci_abs(cosine[i1][j])) +
                 (q[j1] * nsci_abs(cosine[i][j2]) + q[j2] * nsci_abs(cosine[i][j1]));
            if (s > distance * length)
                return -1;
            if (s > (best + clear) * length) {
                best = s / length;
                which = 6 + 3 * i + j;
            }
        }
    }
    *gap = best;
    return which;
}

static int nsci_box_box(const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsci_point *out)
{
    nsc_real gap = 0;
    int k, count;
    int which = nsci_separate(a, b, distance, &gap);
    if (which < 0)
        return 0;
    if (which < 3)
        return nsci_box_face(a, b, which, distance, out);
    if (which >= 6)
        return nsci_box_edges(a, b, which - 6, gap, distance, out);
    count = nsci_box_face(b, a, which - 3, distance, out);
    for (k = 0; k < count; k++) {
        out[k].normal = nsci_neg(out[k].normal);
        out[k].feature += 8192;
    }
    return count;
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

static nsc_vec3 nsci_hull_vertex(const nsci_geom *g, const nsc_hull *hull, int i)
{
    return nsci_add(g->centre, nsci_mul_mv(&g->axes, hull->vertex[i]));
}

/* Vertex furthest along d */
static int nsci_hull_furthest(const nsci_geom *g, const nsc_hull *hull, nsc_vec3 d)
{
    nsc_vec3 local = nsci_mul_mtv(&g->axes, d);
    nsc_real best = nsci_dot3(local, hull->vertex[0]);
    int i, found = 0;
    for (i = 1; i < hull->vertices; i++) {
        nsc_real s = nsci_dot3(local, hull->vertex[i]);
        if (s > best) {
            best = s;
            found = i;
        }
    }
    return found;
}

static nsc_vec3 nsci_hull_support(const nsci_geom *g, const nsc_hull *hull, nsc_vec3 d)
{
    return nsci_hull_vertex(g, hull, nsci_hull_furthest(g, hull, d));
}

static void nsci_hull_bounds(const nsci_geom *g, const nsc_hull *hull, nsc_real more,
                             nsci_aabb *box)
{
    int k;
    for (k = 0; k < 3; k++) {
        nsc_vec3 d = nsci_vec((nsc_real)(k == 0), (nsc_real)(k == 1), (nsc_real)(k == 2));
        box->max[k] = nsci_dot3(nsci_hull_support(g, hull, d), d) + more;
        box->min[k] = nsci_dot3(nsci_hull_support(g, hull, nsci_neg(d)), d) - more;
    }
}

/* Extent of a unit disc along an axis on which its unit normal has component x */
static nsc_real nsci_rim_reach(nsc_real x) { return NSC_SQRT(nsci_max(1 - x * x, 0)); }

/* A half-space ends only along an axis of the world that is its normal. */
static void nsci_half_space_bounds(const nsci_geom *g, nsc_real more, nsci_aabb *box)
{
    const nsc_real *c = &g->centre.x;
    const nsc_real *n = &g->axes.c[2].x;
    int k;
    for (k = 0; k < 3; k++) {
        int k1 = k < 2 ? k + 1 : 0;
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
    nsc_vec3 z = g->axes.c[2];
    const nsc_real *half = g->half;
    const nsc_hull *hull = NSCI_HULL_OF(g);
    const nsci_terrain *field = NSCI_FIELD_OF(g);
    int k;
    (void)own;
    if (hull) {
        nsci_hull_bounds(g, hull, more, box);
        return;
    }
    if (g->kind == NSC_SHAPE_HALF_SPACE) {
        nsci_half_space_bounds(g, more, box);
        return;
    }
    if (NSC_MESHES && g->kind == NSC_SHAPE_MESH) {
        const nsc_mesh *mesh = NSCI_MESH_OF(g);
        const nsc_mesh_node *n = mesh->node;
        nsc_real at[3];
        for (k = 0; k < 3; k++) {
            at[k] = NSC_R(0.5) * ((nsc_real)n->low[k] + (nsc_real)n->high[k]);
            own[k] = NSC_R(0.5) * ((nsc_real)n->high[k] - (nsc_real)n->low[k]);
        }
        c = nsci_local_point(g, at);
        half = own;
    }
    if (field) {
        nsc_real low;
        own[0] = NSC_R(0.5) * (nsc_real)(field->nx - 1) * field->dx;
        own[1] = NSC_R(0.5) * (nsc_real)(field->ny - 1) * field->dy;
        /* Solid ground: also reach shapes that sank below its surface */
        low = field->low - 2 * nsci_max(own[0], own[1]);
        own[2] = NSC_R(0.5) * (field->high - low);
        c = nsci_add_sv(c, NSC_R(0.5) * (field->high + low), z);
        half = own;
    }
    if (NSCI_CYLINDERS && g->kind == NSC_SHAPE_CYLINDER) {
        e.x = more + g->radius * nsci_rim_reach(z.x);
        e.y = more + g->radius * nsci_rim_reach(z.y);
        e.z = more + g->radius * nsci_rim_reach(z.z);
    }
    for (k = 0; k < 3 && g->kind != NSC_SHAPE_SPHERE; k++) {
        e.x += nsci_abs(half[k] * g->axes.c[k].x);
        e.y += nsci_abs(half[k] * g->axes.c[k].y);
        e.z += nsci_abs(half[k] * g->axes.c[k].z);
    }
    box->min[0] = c.x - e.x;
    box->min[1] = c.y - e.y;
    box->min[2] = c.z - e.z;
    box->max[0] = c.x + e.x;
    box->max[1] = c.y + e.y;
    box->max[2] = c.z + e.z;
}

/* ---- >>convex --------------------------------------------------------------------------------
   Cylinders, hulls and triangles of terrain against any convex shape.  A sphere or capsule is a
   core with a rounding radius, any other shape is all core.  First find the direction along which
   the two are furthest apart or least deep: by GJK (Gilbert, Johnson, Keerthi 1988) where the cores
   are well apart, else the best face normal, improved by GJK with one shape moved apart along it.
   Then clip the patches that face each other along it, one by the other.  Coordinates are relative
   to the first shape's centre: no digits are lost far from the origin. */

#if NSCI_SUPPORT

/* These are constants in a build without such shapes, so that the compiler drops their code. */
static int nsci_is_cylinder(const nsci_geom *g)
{
    return NSCI_CYLINDERS && g->kind == NSC_SHAPE_CYLINDER;
}

static int nsci_is_triangle(const nsci_geom *g)
{
    return (NSCI_TERRAINS || NSC_MESHES) && g->kind == NSCI_TRIANGLE;
}

static nsc_real nsci_rounding(const nsci_geom *g)
{
    return g->kind <= NSC_SHAPE_CAPSULE ? g->radius : 0;
}

/* d without its part along the unit vector n */
static nsc_vec3 nsci_without(nsc_vec3 d, nsc_vec3 n) { return nsci_add_sv(d, -nsci_dot3(d, n), n); }

/* A point well inside the shape */
static nsc_vec3 nsci_middle(const nsci_geom *g)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    return hull ? nsci_add(g->centre, nsci_mul_mv(&g->axes, hull->centroid)) : g->centre;
}

/* Approximate extent of the shape from its middle [m] */
static nsc_real nsci_size(const nsci_geom *g)
{
    nsc_real most = 0;
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int i;
    int corners = hull ? hull->vertices : 3;
    if (!hull && !nsci_is_triangle(g))
        return nsci_half_diagonal(g) + g->radius;
    for (i = 0; i < corners; i++) {
        nsc_vec3 d = hull ? nsci_sub(hull->vertex[i], hull->centroid) : g->axes.c[i];
        most = nsci_max(most, nsci_dot3(d, d));
    }
    return NSC_SQRT(most);
}

/* Index of the first of n vectors that is furthest along d */
static NSC_MAYBE_UNUSED int nsci_furthest(const nsc_vec3 *p, int n, nsc_vec3 d)
{
    int i, best = 0;
    for (i = 1; i < n; i++)
        if (nsci_dot3(p[i], d) > nsci_dot3(p[best], d))
            best = i;
    return best;
}

/* Normal of the triangle pqr, twice as long as its area */
static NSC_MAYBE_UNUSED nsc_vec3 nsci_triangle_normal(nsc_vec3 p, nsc_vec3 q, nsc_vec3 r)
{
    return nsci_cross(nsci_sub(q, p), nsci_sub(r, p));
}

/* Lengths [m]: distances up to `small` are rounding, or a touch; a face must separate more by
   `clear` to be preferred; cores within `near` nearly touch; size: extent of the smaller shape */
typedef struct nsci_tolerance { nsc_real small, clear, near, size; } nsci_tolerance;

static nsci_tolerance nsci_tolerances(const nsci_geom *a, const nsci_geom *b)
{
    nsc_real x = nsci_size(a);
    nsc_real y = nsci_size(b);
    nsc_real least = nsci_min(x, y);
    nsc_real most = nsci_max(x, y);
    nsci_tolerance t;
    t.small = NSC_R(3e-5) * least + 8 * NSC_REAL_EPS * most;
    t.clear = NSC_R(1e-3) * least + 8 * NSC_REAL_EPS * most;
    t.near = NSC_R(1e-2) * least + 256 * NSC_REAL_EPS * most;
    t.size = least;
    return t;
}

/* Unit direction of d across axis 2; made of axes 0 and 1, so that no rounding lies along axis 2 */
static nsc_vec3 nsci_across(const nsci_geom *g, nsc_vec3 d)
{
    nsc_real x = nsci_dot3(d, g->axes.c[0]);
    nsc_real y = nsci_dot3(d, g->axes.c[1]);
    nsc_real n = NSC_SQRT(x * x + y * y);
    if (!(n > NSC_R(1e-18)))
        return g->axes.c[0];
    return nsci_add_sv(nsci_mul_sv(x / n, g->axes.c[0]), y / n, g->axes.c[1]);
}

/* Point of the core furthest along d */
static nsc_vec3 nsci_support(const nsci_geom *g, nsc_vec3 d)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    nsc_real q[3];
    int i;
    if (hull)
        return nsci_hull_support(g, hull, d);
    if (nsci_is_triangle(g))
        return nsci_add(g->centre, g->axes.c[nsci_furthest(g->axes.c, 3, d)]);
    if (g->kind != NSC_SHAPE_BOX) {
        nsc_vec3 end = nsci_core(g, nsci_dot3(d, g->axes.c[2]) < 0 ? -1 : 1);
        return nsci_is_cylinder(g) ? nsci_add_sv(end, g->radius, nsci_across(g, d)) : end;
    }
    for (i = 0; i < 3; i++)
        q[i] = nsci_dot3(d, g->axes.c[i]) < 0 ? -g->half[i] : g->half[i];
    return nsci_local_point(g, q);
}

/* Separation along the unit direction n from a to b; < 0: overlap */
static nsc_real nsci_gap(const nsci_geom *a, const nsci_geom *b, nsc_vec3 n)
{
    nsc_vec3 d = nsci_sub(nsci_support(b, nsci_neg(n)), nsci_support(a, n));
    return nsci_dot3(d, n) - nsci_rounding(a) - nsci_rounding(b);
}

/* The point of a triangle that has these barycentric weights */
static nsc_vec3 nsci_weigh(const nsc_real *weight, nsc_vec3 p, nsc_vec3 q, nsc_vec3 r)
{
    return nsci_add_sv(nsci_add_sv(nsci_mul_sv(weight[0], p), weight[1], q), weight[2], r);
}

#endif
#if NSCI_CONVEX

/* x / y, or 0 unless y > 0 */
static nsc_real nsci_share(nsc_real x, nsc_real y) { return y > 0 ? x / y : 0; }

/* Barycentric weights of the point of a segment (below: of a triangle) nearest to the origin
   (Ericson 5.1.2, 5.1.5) */
static void nsci_segment_weights(const nsc_vec3 *p, nsc_real *weight)
{
    nsc_vec3 e = nsci_sub(p[1], p[0]);
    weight[1] = nsci_clamp(nsci_share(-nsci_dot3(p[0], e), nsci_dot3(e, e)), 0, 1);
    weight[0] = 1 - weight[1];
}

static void nsci_weights(nsc_real *weight, nsc_real x, nsc_real y, nsc_real z)
{
    weight[0] = x;
    weight[1] = y;
    weight[2] = z;
}

static void nsci_triangle_weights(nsc_vec3 p, nsc_vec3 q, nsc_vec3 r, nsc_real *weight)
{
    nsc_vec3 x = nsci_sub(q, p);
    nsc_vec3 y = nsci_sub(r, p);
    nsc_real d1 = -nsci_dot3(x, p);
    nsc_real d2 = -nsci_dot3(y, p);
    nsc_real d3 = -nsci_dot3(x, q);
    nsc_real d4 = -nsci_dot3(y, q);
    nsc_real d5 = -nsci_dot3(x, r);
    nsc_real d6 = -nsci_dot3(y, r);
    nsc_real s;
    nsc_real u = d3 * d6 - d5 * d4;
    nsc_real v = d5 * d2 - d1 * d6;
    nsc_real w = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) {
        nsci_weights(weight, 1, 0, 0);
    } else if (d3 >= 0 && d4 <= d3) {
        nsci_weights(weight, 0, 1, 0);
    } else if (w <= 0 && d1 >= 0 && d3 <= 0) {
        s = nsci_share(d1, d1 - d3);
        nsci_weights(weight, 1 - s, s, 0);
    } else if (d6 >= 0 && d5 <= d6) {
        nsci_weights(weight, 0, 0, 1);
    } else if (v <= 0 && d2 >= 0 && d6 <= 0) {
        s = nsci_share(d2, d2 - d6);
        nsci_weights(weight, 1 - s, 0, s);
    } else if (u <= 0 && d4 >= d3 && d5 >= d6) {
        s = nsci_share(d4 - d3, (d4 - d3) + (d5 - d6));
        nsci_weights(weight, 0, 1 - s, s);
    } else {
        s = u + v + w;
        v = nsci_share(v, s);
        w = nsci_share(w, s);
        nsci_weights(weight, 1 - v - w, v, w);
    }
}

/* Weighted sum of n points */
static nsc_vec3 nsci_blend(const nsc_vec3 *p, const nsc_real *weight, int n)
{
    nsc_vec3 sum = nsci_mul_sv(weight[0], p[0]);
    int i;
    for (i = 1; i < n; i++)
        sum = nsci_add_sv(sum, weight[i], p[i]);
    return sum;
}

/* Weights as above for a tetrahedron: of the nearest of the faces that have the origin on their
   outer side.  Returns 1 if none has. */
static int nsci_tetrahedron_weights(const nsc_vec3 *p, nsc_real *weight)
{
    nsc_real best = NSC_REAL_MAX, own[3];
    int f, inside = 1;
    for (f = 0; f < 4; f++) {
        int i = (f + 1) % 4;
        int j = (f + 2) % 4;
        int l = (f + 3) % 4;
        nsc_vec3 n = nsci_triangle_normal(p[i], p[j], p[l]);
        nsc_vec3 e = nsci_sub(p[f], p[i]);
        nsc_vec3 v;
        nsc_real here = -nsci_dot3(n, p[i]);
        nsc_real there = nsci_dot3(n, e);
        nsc_real flat = 8 * NSC_REAL_EPS * nsci_norm(n) * nsci_norm(e);
        if ((here < 0) == (there < 0) && nsci_abs(there) > flat)
            continue;
        inside = 0;
        nsci_triangle_weights(p[i], p[j], p[l], own);
        v = nsci_weigh(own, p[i], p[j], p[l]);
        if (nsci_dot3(v, v) >= best)
            continue;
        best = nsci_dot3(v, v);
        weight[f] = 0;
        weight[i] = own[0];
        weight[j] = own[1];
        weight[l] = own[2];
    }
    return inside;
}

/* Keep simplex points with weight > 0 in the point nearest to 0.  Returns 1 if 0 is inside. */
static int nsci_nearest_in_simplex(nsci_simplex *s)
{
    int i, n = 0;
    s->weight[0] = 1;
    if (s->n == 2)
        nsci_segment_weights(s->w, s->weight);
    if (s->n == 3)
        nsci_triangle_weights(s->w[0], s->w[1], s->w[2], s->weight);
    if (s->n == 4 && nsci_tetrahedron_weights(s->w, s->weight))
        return 1;
    for (i = 0; i < s->n; i++) {
        if (!(s->weight[i] > 0))
            continue;
        s->weight[n] = s->weight[i];
        s->w[n] = s->w[i];
        s->on_a[n] = s->on_a[i];
        s->on_b[n] = s->on_b[i];
        n++;
    }
    s->n = n;
    return 0;
}

/* Does the last point of the simplex repeat another? */
static int nsci_seen(const nsci_simplex *s)
{
    int i;
    for (i = 0; i + 1 < s->n; i++) {
        nsc_vec3 d = nsci_sub(s->w[i], s->w[s->n - 1]);
        if (!(nsci_dot3(d, d) > 0))
            return 1;
    }
    return 0;
}

/* Add the support points, of a along d and of b along -d. */
static void nsci_extend_simplex(nsci_simplex *s, const nsci_geom *a, const nsci_geom *b, nsc_vec3 d)
{
    int k = s->n < 4 ? s->n++ : 3; /* full only if numbers overflow: replace any point */
    s->on_a[k] = nsci_support(a, d);
    s->on_b[k] = nsci_support(b, nsci_neg(d));
    s->w[k] = nsci_sub(s->on_b[k], s->on_a[k]);
}

/* Distance of the cores; 0 if they overlap, a lower bound if beyond `enough`.  v: of the directions
   met from a to b (not unit) the one that separates most.  The length, which GJK minimises, depends
   on the direction in second order only, so rounding would hide a poor one. */
NSCI_OWN_FRAME nsc_real nsci_gjk(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                                 nsc_real enough, nsc_vec3 *v)
{
    nsci_simplex *s = &x->simplex;
    nsc_real best = NSC_REAL_MAX;
    nsc_real most = 0;
    nsc_real bound = -NSC_REAL_MAX;
    nsc_real length = 1;
    nsc_real low;
    nsc_vec3 next = nsci_sub(nsci_middle(b), nsci_middle(a));
    int i, stalled = 0;
    s->n = 0;
    s->weight[0] = 1;
    next = nsci_unit(next, nsci_vec(0, 0, 1));
    for (i = 0; i < 32; i++) {
        int known = s->n < 4 ? s->n : 3;
        nsci_extend_simplex(s, a, b, next);
        low = nsci_dot3(s->w[known], next) / length;
        if (low > bound || i == 0) {
            bound = low;
            *v = next;
            x->near_a = nsci_blend(s->on_a, s->weight, known);
            x->near_b = nsci_blend(s->on_b, s->weight, known);
        }
        if (bound > enough)
            return bound;
        if ((i > 0 && best - bound <= 8 * NSC_REAL_EPS * best) || nsci_seen(s))
            break;
        most = nsci_max(most, nsci_dot3(s->w[known], s->w[known]));
        if (nsci_nearest_in_simplex(s))
            return 0;
        next = nsci_blend(s->w, s->weight, s->n);
        length = nsci_norm(next);
        if (length * length <= 16 * NSC_REAL_EPS * NSC_REAL_EPS * most)
            return 0;
        if (length < best)
            best = length;
        else if (++stalled > 3)
            break;
    }
    return best;
}

/* Unit direction from a to b, separation along it [m], the shape whose face it is normal to (0 a, 1
   b, -1 neither), and the size of the smaller shape [m] (nsci_find_way) */
typedef struct nsci_way {
    nsc_vec3 n;
    nsc_real s;
    int side;
    nsc_real size;
} nsci_way;

static int nsci_face_count(const nsci_geom *g)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    if (hull)
        return hull->faces;
    if (nsci_is_cylinder(g))
        return 2;
    return g->kind == NSC_SHAPE_BOX ? 6 : nsci_is_triangle(g);
}

/* Outward normal of a face; a triangle has only its upper face. */
static nsc_vec3 nsci_face_normal(const nsci_geom *g, int i)
{
    nsc_vec3 axis = g->axes.c[g->kind == NSC_SHAPE_BOX ? i / 2 : 2];
    const nsc_hull *hull = NSCI_HULL_OF(g);
    if (hull)
        return nsci_mul_mv(&g->axes, hull->normal[i]);
    if (nsci_is_triangle(g))
        return nsci_vec(g->half[0], g->half[1], g->half[2]);
    return i % 2 ? axis : nsci_neg(axis);
}

/* Take direction n if it separates more than the best by `clear`; returns 1 if so. */
static int nsci_try(nsci_way *best, const nsci_geom *a, const nsci_geom *b, nsc_vec3 n,
                    nsc_real clear, int side)
{
    nsc_real s;
    /* Refuse directions from below the triangle */
    if (nsci_is_triangle(b) && nsci_dot3(n, nsci_face_normal(b, 0)) >= 0)
        return 0;
    s = nsci_gap(a, b, n);
    if (!(s > best->s + clear))
        return 0;
    best->n = n;
    best->s = s;
    best->side = side;
    return 1;
}

/* The face of shape `side` that separates most; with `near`, of those within 8 degrees of it */
static nsci_way nsci_best_face(const nsci_geom *a, const nsci_geom *b, int side,
                               const nsc_vec3 *near)
{
    const nsci_geom *g = side ? b : a;
    int i, n = nsci_face_count(g);
    nsci_way best;
    best.n = g->axes.c[2];
    best.s = -NSC_REAL_MAX;
    best.side = side;
    best.size = 0; /* known to nsci_find_way */
    for (i = 0; i < n; i++) {
        nsc_vec3 normal = nsci_face_normal(g, i);
        if (side)
            normal = nsci_neg(normal);
        if (!near || nsci_dot3(normal, *near) > NSC_R(0.99))
            nsci_try(&best, a, b, normal, 0, side);
    }
    return best;
}

/* The better face of the two shapes.  The first must be beaten by `clear`, so that the choice does
   not flicker: b's if a has round sides or b is a triangle, else a's. */
static nsci_way nsci_better_face(const nsci_geom *a, const nsci_geom *b, const nsc_vec3 *near,
                                 nsc_real clear)
{
    int first = a->kind <= NSC_SHAPE_CYLINDER || nsci_is_triangle(b);
    nsci_way one = nsci_best_face(a, b, first, near);
    nsci_way other = nsci_best_face(a, b, !first, near);
    return other.s > one.s + clear ? other : one;
}

/* If two edges are nearest, try the normal to both: it is exact where GJK's is rounded. */
static void nsci_try_edges(const nsci_simplex *s, nsci_way *best, const nsci_geom *a,
                           const nsci_geom *b, nsc_real small)
{
    nsc_vec3 x = nsci_vec(0, 0, 0);
    nsc_vec3 y = x;
    nsc_vec3 n;
    int i;
    for (i = 1; i < s->n; i++) {
        nsc_vec3 p = nsci_sub(s->on_a[i], s->on_a[0]);
        nsc_vec3 q = nsci_sub(s->on_b[i], s->on_b[0]);
        if (nsci_dot3(p, p) > nsci_dot3(x, x))
            x = p;
        if (nsci_dot3(q, q) > nsci_dot3(y, y))
            y = q;
    }
    n = nsci_cross(x, y);
    if (!(nsci_dot3(n, n) > NSC_R(1e-4) * nsci_dot3(x, x) * nsci_dot3(y, y)))
        return;
    n = nsci_unit(n, best->n);
    if (nsci_dot3(n, best->n) < 0)
        n = nsci_neg(n);
    if (nsci_dot3(n, best->n) > NSC_R(0.9))
        nsci_try(best, a, b, n, -small, -1);
}

/* Improve a direction: with b moved along it until the cores are size / 10 apart, GJK's direction
   separates no worse, mostly better.  b is put back. */
NSCI_OWN_FRAME void nsci_improve(nsci_convex_scratch *x, nsci_way *best, const nsci_geom *a,
                                 nsci_geom *b, nsc_real size, nsc_real clear)
{
    nsc_real apart = NSC_R(0.1) * size;
    nsc_vec3 home = b->centre, shift, v;
    int i, better;
    for (i = 0; i < 4; i++) {
        shift = nsci_mul_sv(nsci_max(apart - best->s - nsci_rounding(a) - nsci_rounding(b), 0),
                            best->n);
        b->centre = nsci_add(home, shift);
        better = nsci_gjk(x, a, b, NSC_REAL_MAX, &v) > 0;
        b->centre = home;
        x->near_b = nsci_sub(x->near_b, shift);
        if (!better)
            return;
        better = nsci_try(best, a, b, nsci_unit(v, best->n), i == 0 ? clear : NSC_R(0.1) * clear,
                          -1);
        if (best->side < 0)
            nsci_try_edges(&x->simplex, best, a, b, NSC_R(0.01) * clear);
        if (!better)
            return;
    }
}

/* Try directions besides the faces: between the middles, and across a capsule's or cylinder's
   axis */
static int nsci_try_middles(nsci_way *best, const nsci_geom *a, const nsci_geom *b, nsc_real clear)
{
    nsc_vec3 d = nsci_sub(nsci_middle(b), nsci_middle(a));
    nsc_vec3 up = nsci_vec(0, 0, 1);
    int i;
    int better = nsci_try(best, a, b, nsci_unit(d, up), clear, -1);
    for (i = 0; i < 2; i++) {
        const nsci_geom *g = i ? b : a;
        if (g->kind == NSC_SHAPE_CAPSULE || nsci_is_cylinder(g))
            better |= nsci_try(best, a, b, nsci_across(g, d), clear, -1);
    }
    return better;
}

/* Deep overlaps have several local optima: start from other directions too. */
NSCI_OWN_FRAME void nsci_improve_again(nsci_convex_scratch *x, nsci_way *best, const nsci_geom *a,
                                       nsci_geom *b, nsc_real size, nsc_real clear)
{
    nsc_vec3 near_a = x->near_a;
    nsc_vec3 near_b = x->near_b;
    nsci_way way;
    int i;
    for (i = 0; i < 3; i++) {
        way.n = best->n;
        way.s = -NSC_REAL_MAX;
        way.side = -1;
        way.size = 0;
        if (i < 2)
            way = nsci_best_face(a, b, i, NULL);
        else
            nsci_try_middles(&way, a, b, 0);
        if (!(way.s > -NSC_REAL_MAX))
            continue;
        nsci_improve(x, &way, a, b, size, clear);
        if (way.s > best->s + clear) {
            *best = way;
            near_a = x->near_a;
            near_b = x->near_b;
        }
    }
    x->near_a = near_a;
    x->near_b = near_b;
}

/* The direction that separates most, where cores overlap or nearly touch; v: GJK's, if apart > 0 */
static nsci_way nsci_close_way(nsci_convex_scratch *x, const nsci_geom *a, nsci_geom *b,
                               const nsci_tolerance *t, nsc_vec3 v, nsc_real apart)
{
    nsci_way best = nsci_better_face(a, b, NULL, t->clear);
    int smooth = a->kind <= NSC_SHAPE_CYLINDER || b->kind <= NSC_SHAPE_CYLINDER;
    nsc_real clear = smooth ? t->small : t->clear;
    if (apart > 0)
        nsci_try(&best, a, b, nsci_unit(v, best.n), clear, -1);
    nsci_try_middles(&best, a, b, clear);
    x->near_a = nsci_support(a, best.n);
    x->near_b = nsci_support(b, nsci_neg(best.n));
    nsci_improve(x, &best, a, b, t->size, clear);
    if (best.s < NSC_R(-0.05) * t->size)
        nsci_improve_again(x, &best, a, b, t->size, clear);
    return best;
}

#define NSCI_EXACT(x) NSCI_IF(NSCI_BARRIER, (x)->exact) NSCI_UNLESS(NSCI_BARRIER, 0)
#ifdef NSC_BARRIER
/* nsci_find_way without its preferences, which keep contact points from flickering but may take an
   open gap for a closed one.  way->s is the separation along way->n: the gap is at least that. */
static int nsci_exact_way(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                          nsc_real distance, nsci_way *way)
{
    nsc_real p = nsci_size(a);
    nsc_real q = nsci_size(b);
    nsc_real small = 8 * NSC_REAL_EPS * (p + q);
    nsc_real apart;
    nsc_vec3 v;
    apart = nsci_gjk(x, a, b, distance + nsci_rounding(a) + nsci_rounding(b), &v);
    if (apart > distance + nsci_rounding(a) + nsci_rounding(b))
        return 0;
    *way = nsci_better_face(a, b, NULL, 0);
    nsci_try(way, a, b, nsci_unit(v, way->n), small, -1);
    if (apart > 0)
        nsci_try_edges(&x->simplex, way, a, b, 0);
    way->size = NSC_R(1e-3) * nsci_min(p, q);
    return way->s <= distance;
}
#else
#define nsci_exact_way(x, a, b, distance, way) 0
#endif

/* The direction that separates most.  Returns 0 if they are further apart than the distance. */
NSCI_OWN_FRAME int nsci_find_way(nsci_convex_scratch *x, const nsci_geom *a, nsci_geom *b,
                                 nsc_real distance, nsci_way *best)
{
    nsci_tolerance t = nsci_tolerances(a, b);
    nsc_real enough = distance + nsci_rounding(a) + nsci_rounding(b);
    nsc_real apart;
    nsci_way face;
    nsc_vec3 v;
    if (NSCI_EXACT(x))
        return nsci_exact_way(x, a, b, distance, best);
    apart = nsci_gjk(x, a, b, enough, &v);
    if (apart > enough)
        return 0;
    if (apart > t.near) {
        best->n = nsci_unit(v, v);
        best->side = -1;
        best->s = nsci_gap(a, b, best->n);
        nsci_try_edges(&x->simplex, best, a, b, NSC_R(0.1) * t.small);
    } else {
        *best = nsci_close_way(x, a, b, &t, v, apart);
    }
    if (best->side < 0) {
        face = nsci_better_face(a, b, &best->n, t.small);
        if (face.s >= best->s - t.small)
            *best = face;
    }
    best->size = t.size;
    return best->s <= distance;
}

/* ---- patches */

/* The corner that follows */
static int nsci_next(const nsci_patch *f, int i) { return i + 1 < f->n ? i + 1 : 0; }

static void nsci_patch_add(nsci_patch *f, nsc_vec3 p, int id)
{
    if (f->n >= NSCI_PATCH)
        return;
    f->p[f->n] = p;
    f->id[f->n++] = (uint8_t)id;
}

static void nsci_box_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f)
{
    nsc_vec3 local = nsci_mul_mtv(&g->axes, d);
    nsc_real l[3], q[3];
    int i, j = 0, k, up;
    l[0] = local.x;
    l[1] = local.y;
    l[2] = local.z;
    for (i = 1; i < 3; i++)
        if (nsci_abs(l[i]) > nsci_abs(l[j]))
            j = i;
    up = l[j] >= 0;
    f->face = 2 * j + up;
    for (i = 0; i < 4; i++) {
        int x = (j + 1) % 3;
        int y = (j + 2) % 3;
        int id = 0;
        k = up ? i : 3 - i;
        q[j] = up ? g->half[j] : -g->half[j];
        q[x] = k == 0 || k == 3 ? g->half[x] : -g->half[x];
        q[y] = k < 2 ? g->half[y] : -g->half[y];
        for (k = 0; k < 3; k++)
            id |= (q[k] > 0) << k;
        nsci_patch_add(f, nsci_local_point(g, q), id);
    }
}

/* A cap: eight points of the rim that are fixed to the body and, unless it is level, the one
   furthest along d */
static void nsci_cap_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f)
{
#define NSCI_EIGHTH NSC_R(0.70710678118654752440)
    static const nsc_real cosine[8] = {1, NSCI_EIGHTH,  0, -NSCI_EIGHTH,
                                       -1, -NSCI_EIGHTH, 0, NSCI_EIGHTH};
#undef NSCI_EIGHTH
    nsc_real up = nsci_dot3(d, g->axes.c[2]) < 0 ? -1 : 1;
    nsc_vec3 x = g->axes.c[0];
    nsc_vec3 y = nsci_mul_sv(up, g->axes.c[1]);
    nsc_vec3 centre = nsci_core(g, up);
    nsc_vec3 low = nsci_across(g, d);
    nsc_real u = nsci_dot3(low, x);
    nsc_real v = nsci_dot3(low, y);
    int i;
    int tilted = nsci_norm(nsci_cross(d, g->axes.c[2])) > NSC_R(1e-4) * nsci_norm(d);
    f->face = up > 0;
    for (i = 0; i < 8; i++) {
        nsc_real c = cosine[i];
        nsc_real s = cosine[(i + 6) % 8];
        nsc_real c1 = cosine[(i + 1) % 8];
        nsc_real s1 = cosine[(i + 7) % 8];
        nsci_patch_add(f, nsci_add_sv(centre, g->radius, nsci_add_sv(nsci_mul_sv(c, x), s, y)), i);
        if (tilted && c * v - s * u > 0 && u * s1 - v * c1 > 0)
            nsci_patch_add(f, nsci_add_sv(centre, g->radius, low), 8);
    }
}

static void nsci_hull_patch(const nsci_geom *g, const nsc_hull *h, nsc_vec3 d, nsci_patch *f)
{
    int i;
    int best = nsci_furthest(h->normal, h->faces, nsci_mul_mtv(&g->axes, d));
    f->face = best;
    for (i = h->first[best]; i < h->first[best + 1]; i++)
        nsci_patch_add(f, nsci_hull_vertex(g, h, h->corner[i]), h->corner[i]);
}

/* The polygon of a shape that faces along d; of a round side, the line or point */
NSCI_OWN_FRAME void nsci_find_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f)
{
    nsc_real along = nsci_dot3(d, g->axes.c[2]);
    nsc_vec3 out = nsci_mul_sv(g->radius, nsci_is_cylinder(g) ? nsci_across(g, d) : d);
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int i;
    f->n = 0;
    f->face = -1;
    if (g->kind == NSC_SHAPE_BOX) {
        nsci_box_patch(g, d, f);
    } else if (hull) {
        nsci_hull_patch(g, hull, d, f);
    } else if (nsci_is_triangle(g)) {
        f->face = 0;
        for (i = 0; i < 3; i++)
            nsci_patch_add(f, nsci_add(g->centre, g->axes.c[i]), i);
    } else if (nsci_is_cylinder(g) && along * along > NSC_R(0.5)) {
        nsci_cap_patch(g, d, f);
    } else {
        nsci_patch_add(f, nsci_add(nsci_core(g, -1), out), 32);
        if (g->half[2] > 0)
            nsci_patch_add(f, nsci_add(nsci_core(g, 1), out), 33);
    }
    f->normal = f->face < 0 ? d : nsci_face_normal(g, f->face);
}

/* ---- manifold */

/* Spots with ids from NSCI_CUT on are made by clipping, those with lower ids are corners; NSCI_ANY
   is above all ids. */
enum { NSCI_CUT = 64, NSCI_ANY = 32767 };

/* Copy a patch to spots, with heights over the reference face */
static int nsci_take_spots(nsci_spot *c, const nsci_patch *f, nsc_vec3 origin, nsc_vec3 normal)
{
    int i;
    for (i = 0; i < f->n; i++) {
        c[i].p = f->p[i];
        c[i].w = nsci_dot3(nsci_sub(f->p[i], origin), normal);
        c[i].id = f->id[i];
        c[i].edge = f->id[i];
    }
    return f->n;
}

/* Point on the edge from p to q, at the share t of its length from p */
static nsci_spot nsci_between(const nsci_spot *p, const nsci_spot *q, nsc_real t)
{
    nsci_spot c = *p;
    c.p = nsci_add_sv(p->p, t, nsci_sub(q->p, p->p));
    c.w = p->w + t * (q->w - p->w);
    return c;
}

/* Clip by side m of a face, whose inside is (p - at) . out <= bound; otherwise like nsci_clip.
   Two spots are a line. */
static int nsci_clip_spots(nsci_spot *c, int n, int m, nsc_vec3 at, nsc_vec3 out, nsc_real bound)
{
    nsci_spot first = c[0];
    nsci_spot a = first;
    nsci_spot b;
    int i, count = 0;
    for (i = 0; i < n; i++, a = b) {
        nsc_real da, db;
        b = i + 1 < n ? c[i + 1] : first;
        da = nsci_dot3(nsci_sub(a.p, at), out) - bound;
        db = nsci_dot3(nsci_sub(b.p, at), out) - bound;
        if (da <= 0 && count < NSCI_SPOTS)
            c[count++] = a;
        if ((da <= 0) == (db <= 0) || count > i + 1 || count >= NSCI_SPOTS)
            continue;
        if (n < 3 && i + 1 == n)
            continue;
        c[count] = nsci_between(&a, &b, da / (da - db));
        c[count].id = (uint16_t)(NSCI_CUT + 48 * a.edge + m);
        c[count].edge = (uint16_t)(da <= 0 ? 48 + m : a.edge);
        count++;
    }
    return count;
}

/* Clip spots by all sides of a polygonal face, moved out by `bound` [m] */
static int nsci_clip_by_polygon(nsci_spot *c, int n, const nsci_patch *f, nsc_real bound)
{
    int m;
    for (m = 0; m < f->n && n > 0; m++) {
        nsc_vec3 e = nsci_sub(f->p[nsci_next(f, m)], f->p[m]);
        nsc_vec3 out = nsci_cross(e, f->normal);
        n = nsci_clip_spots(c, n, m, f->p[m], nsci_unit(out, out), bound);
    }
    return n;
}

/* Where the edge from p to q crosses the rim of a disc around `at`: up to two spots */
static int nsci_cut_by_disc(nsci_spot *c, int n, const nsci_spot *p, const nsci_spot *q,
                            nsc_vec3 at, nsc_vec3 axis, nsc_real r)
{
    nsc_vec3 d = nsci_without(nsci_sub(p->p, at), axis);
    nsc_vec3 e = nsci_without(nsci_sub(q->p, p->p), axis);
    nsc_real A = nsci_dot3(e, e);
    nsc_real B = nsci_dot3(d, e);
    nsc_real C = nsci_dot3(d, d) - r * r;
    nsc_real root = B * B - A * C;
    int k;
    if (!(A > 0) || !(root > 0))
        return n;
    root = NSC_SQRT(root);
    for (k = 0; k < 2; k++) {
        nsc_real t = ((k ? root : -root) - B) / A;
        if (!(t > 0 && t < 1) || n >= NSCI_SPOTS)
            continue;
        c[n] = nsci_between(p, q, t);
        c[n++].id = (uint16_t)(NSCI_CUT + 2 * p->edge + k);
    }
    return n;
}

/* Add the cap's rim points that lie over a polygon, at its height */
static int nsci_rim_over(nsci_spot *c, int n, const nsci_patch *cap, const nsci_patch *f)
{
    nsc_real slope = nsci_dot3(cap->normal, f->normal);
    int i, m, in;
    if (f->n < 3 || nsci_abs(slope) < NSC_R(0.1))
        return n;
    for (i = 0; i < cap->n && n < NSCI_SPOTS; i++) {
        c[n].w = nsci_dot3(nsci_sub(f->p[0], cap->p[i]), f->normal) / slope;
        c[n].p = nsci_add_sv(cap->p[i], c[n].w, cap->normal);
        for (m = 0, in = 1; m < f->n; m++) {
            nsc_vec3 e = nsci_sub(f->p[nsci_next(f, m)], f->p[m]);
            in &= nsci_dot3(nsci_cross(e, nsci_sub(c[n].p, f->p[m])), f->normal) >= 0;
        }
        if (!in)
            continue;
        c[n].edge = cap->id[i];
        c[n++].id = (uint16_t)(512 + cap->id[i]);
    }
    return n;
}

/* Clip a patch by a cap: corners and edges inside the disc, and the rim inside the patch */
static int nsci_clip_by_cap(nsci_spot *c, const nsci_geom *g, const nsci_patch *cap,
                            const nsci_patch *f)
{
    nsc_vec3 at = nsci_add_sv(g->centre, g->half[2], cap->normal);
    nsc_real reach = g->radius * NSC_R(1.001);
    nsci_spot p, q;
    int i, n = 0;
    for (i = 0; i < f->n; i++) {
        nsc_vec3 d = nsci_sub(f->p[i], at);
        q.p = f->p[nsci_next(f, i)];
        q.w = nsci_dot3(nsci_sub(q.p, at), cap->normal);
        p.p = f->p[i];
        p.w = nsci_dot3(d, cap->normal);
        p.id = p.edge = f->id[i];
        d = nsci_add_sv(d, -p.w, cap->normal);
        if (nsci_dot3(d, d) <= reach * reach && n < NSCI_SPOTS)
            c[n++] = p;
        if (i + 1 < f->n || f->n > 2)
            n = nsci_cut_by_disc(c, n, &p, &q, at, cap->normal, g->radius);
    }
    return nsci_rim_over(c, n, cap, f);
}

/* The spot furthest from `from`, or with `side` furthest along that; the first of equals within a
   thousandth */
static int nsci_furthest_spot(const nsci_spot *c, int n, int from, const nsc_vec3 *side)
{
    nsc_real most = 0, s;
    int pass, i;
    for (pass = 0; pass < 2; pass++)
        for (i = 0; i < n; i++) {
            nsc_vec3 d = nsci_sub(c[i].p, c[from].p);
            s = side ? nsci_dot3(d, *side) : nsci_dot3(d, d);
            if (pass == 0)
                most = nsci_max(most, s);
            else if (s > 0 && s >= NSC_R(0.999) * most)
                return i;
        }
    return from;
}

/* The first spot that is no higher than w */
static int nsci_low_spot(const nsci_spot *c, int n, nsc_real w)
{
    int i;
    for (i = 0; i + 1 < n && c[i].w > w; i++) {
    }
    return i;
}

/* Choose up to four spots: the deepest, the one furthest from it, and the widest to either side of
   that line.  The first of equals, so that rounding does not shuffle them.  Returns how many. */
NSCI_OWN_FRAME int nsci_spread(const nsci_spot *c, int n, nsc_vec3 normal, int *pick)
{
    nsc_real deepest = NSC_REAL_MAX, clear, width;
    nsc_vec3 side;
    int i, k, count;
    for (i = 0; i < n; i++)
        deepest = nsci_min(deepest, c[i].w);
    i = nsci_low_spot(c, n, deepest);
    k = nsci_furthest_spot(c, n, i, NULL);
    clear = NSC_R(1e-4) * nsci_norm(nsci_sub(c[k].p, c[i].p));
    pick[0] = nsci_low_spot(c, n, deepest + clear);
    pick[1] = nsci_furthest_spot(c, n, pick[0], NULL);
    k = nsci_furthest_spot(c, n, pick[1], NULL);
    if (c[k].w <= deepest + clear)
        pick[0] = k;
    if (pick[0] == pick[1])
        return 1;
    side = nsci_cross(normal, nsci_sub(c[pick[1]].p, c[pick[0]].p));
    width = NSC_R(1e-3) * nsci_dot3(side, side);
    for (i = 0, count = 2; i < 2; i++, side = nsci_neg(side)) {
        k = nsci_furthest_spot(c, n, pick[0], &side);
        if (nsci_dot3(nsci_sub(c[k].p, c[pick[0]].p), side) > width)
            pick[count++] = k;
    }
    return count;
}

static int nsci_is_picked(const int *pick, int count, int i)
{
    int k;
    for (k = 0; k < count && pick[k] != i; k++) {
    }
    return k < count;
}

/* Keep spots with w <= distance and id < end, at most four of them.  Returns how many. */
static int nsci_thin_spots(nsci_spot *c, int n, nsc_vec3 normal, nsc_real distance, int end)
{
    int i, count, kept = 0, pick[4];
    for (i = 0; i < n; i++)
        if (c[i].w <= distance && c[i].id < end)
            c[kept++] = c[i];
    if (kept <= NSC_MANIFOLD)
        return kept;
    count = nsci_spread(c, kept, normal, pick);
    for (i = 0, n = 0; i < kept; i++)
        if (nsci_is_picked(pick, count, i))
            c[n++] = c[i];
    return n;
}

/* Contacts over the reference face, that of shape way->side, whose sides are moved out by `bound`
   [m]; only spots with id < end count. */
NSCI_OWN_FRAME int nsci_face_contacts(nsci_convex_scratch *x, const nsci_geom *a,
                                      const nsci_geom *b, const nsci_way *way, nsc_real distance,
                                      nsc_real bound, int end, nsci_point *out)
{
    const nsci_patch *f = &x->patch[way->side];
    const nsci_patch *other = &x->patch[!way->side];
    const nsci_geom *g = way->side ? b : a;
    nsci_spot *c = x->spots;
    nsc_vec3 normal = way->side ? nsci_neg(way->n) : way->n;
    uint32_t base = (uint32_t)way->side << 27 | (uint32_t)(f->face + 1) << 20 |
                    (uint32_t)(other->face + 1) << 13;
    int i, n, kept = 0;
    if (nsci_is_cylinder(g))
        n = nsci_clip_by_cap(c, g, f, other);
    else
        n = nsci_clip_by_polygon(c, nsci_take_spots(c, other, f->p[0], normal), f, bound);
    n = nsci_thin_spots(c, n, normal, distance, end);
    for (i = 0; i < n; i++) {
        nsc_vec3 on_a = way->side ? c[i].p : nsci_add_sv(c[i].p, -c[i].w, normal);
        kept = nsci_put(out, kept, on_a, way->n, c[i].w, distance, base | (uint32_t)c[i].id);
    }
    return nsci_go_across(out, kept);
}

/* The edge of a patch that is furthest along d: its middle and half of it.  0 if there is none. */
static int nsci_lowest_edge(const nsci_geom *g, const nsci_patch *f, nsc_vec3 d, nsc_vec3 *middle,
                            nsc_vec3 *half)
{
    nsc_real best = -NSC_REAL_MAX;
    int i, k, found = 0;
    if (f->n < 2 || (f->n > 2 && nsci_is_cylinder(g)))
        return 0;
    for (i = 0; i < (f->n > 2 ? f->n : 1); i++) {
        nsc_real s = nsci_dot3(f->p[i], d);
        nsc_real t = nsci_dot3(f->p[nsci_next(f, i)], d);
        if (nsci_min(s, t) > best) {
            best = nsci_min(s, t);
            found = i;
        }
    }
    k = nsci_next(f, found);
    *middle = nsci_mul_sv(NSC_R(0.5), nsci_add(f->p[found], f->p[k]));
    *half = nsci_mul_sv(NSC_R(0.5), nsci_sub(f->p[k], f->p[found]));
    return 1;
}

/* Parallel edges side by side: contacts at the ends of their overlap.  Returns 0 if they are
   not. */
static int nsci_line_contacts(const nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                              const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_vec3 p, q, u, v, on_a, d;
    nsc_real uu, uv, vv, lo, hi, e, gap;
    nsc_real thin = NSC_R(0.02) * way->size;
    int i, n = 0;
    if (!nsci_lowest_edge(a, &x->patch[0], way->n, &p, &u))
        return 0;
    if (!nsci_lowest_edge(b, &x->patch[1], nsci_neg(way->n), &q, &v))
        return 0;
    uu = nsci_dot3(u, u);
    vv = nsci_dot3(v, v);
    uv = nsci_dot3(u, v);
    if (!(uv * uv > NSC_R(0.999) * uu * vv))
        return 0;
    e = nsci_abs(uv) / uu;
    lo = nsci_dot3(nsci_sub(q, p), u) / uu;
    hi = nsci_min(lo + e, 1);
    lo = nsci_max(lo - e, -1);
    if (hi - lo < NSC_R(1e-3))
        return 0;
    for (i = 0; i < 2; i++) {
        on_a = nsci_add_sv(p, i ? hi : lo, u);
        e = nsci_clamp(nsci_dot3(nsci_sub(on_a, q), v) / vv, -1, 1);
        d = nsci_sub(nsci_add_sv(q, e, v), on_a);
        gap = nsci_dot3(d, way->n);
        d = nsci_add_sv(d, -gap, way->n);
        if (nsci_norm(d) > thin || gap < way->s - thin)
            return 0;
        n = nsci_put(out, n, nsci_add_sv(on_a, NSC_R(0.5), d), way->n, gap, distance,
                     UINT32_C(0x10000000) | (uint32_t)i);
    }
    return n;
}

/* One contact, midway between the nearest points */
static int nsci_point_contact(const nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                              const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_vec3 p = nsci_add_sv(x->near_a, nsci_rounding(a), way->n);
    nsc_vec3 q = nsci_add_sv(x->near_b, -nsci_rounding(b), way->n);
    p = nsci_mul_sv(NSC_R(0.5), nsci_add(p, q));
    return nsci_put(out, 0, nsci_add_sv(p, NSC_R(-0.5) * way->s, way->n), way->n, way->s, distance,
                    UINT32_C(0x10000002));
}

#ifdef NSC_BARRIER
/* Replace the normal of a point over the reference face by that of the features that meet there: of
   two edges where a side of the face has cut one, of the other face at a corner of the reference.
   The gap is then measured along it. */
static void nsci_turn_normal(const nsci_convex_scratch *x, const nsci_way *face, nsci_point *p)
{
    const nsci_patch *f = &x->patch[face->side];
    const nsci_patch *other = &x->patch[!face->side];
    int id = (int)(p->feature & 8191) - NSCI_CUT;
    int m = id % 48;
    int k = 0;
    nsc_vec3 n = other->normal;
    if (id < 0 || other->face < 0)
        return; /* a corner over the face, or of a round side */
    if (id < 48 * 48) {
        while (k + 1 < other->n && other->id[k] != id / 48)
            k++;
        n = nsci_cross(nsci_sub(f->p[nsci_next(f, m)], f->p[m]),
                       nsci_sub(other->p[nsci_next(other, k)], other->p[k]));
    }
    n = nsci_unit(n, p->normal);
    if (nsci_dot3(n, p->normal) < 0)
        n = nsci_neg(n);
    if (nsci_dot3(n, p->normal) < NSC_R(0.1))
        return; /* edges side by side */
    p->gap *= nsci_dot3(n, p->normal);
    p->normal = n;
}

/* The points over the best face, and the nearest point of both shapes unless one of these is nearly
   as near.  The points over the face stay while the direction that separates most turns from its
   normal to that of two edges. */
static int nsci_exact_points(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_real small = 8 * NSC_REAL_EPS * (nsci_size(a) + nsci_size(b));
    nsc_real least = NSC_REAL_MAX;
    nsci_way face = nsci_better_face(a, b, NULL, small);
    int i, n, kept = 0, last = 0;
    if (!(face.s > -NSC_REAL_MAX))
        face = *way;
    nsci_find_patch(a, face.n, &x->patch[0]);
    nsci_find_patch(b, nsci_neg(face.n), &x->patch[1]);
    n = face.side >= 0 ? nsci_face_contacts(x, a, b, &face, distance, 0, NSCI_ANY, out)
                       : nsci_line_contacts(x, a, b, &face, distance, out);
    for (i = 0; i < n; i++) {
        if (out[i].gap < way->s - small)
            continue; /* belongs to a face on the far side */
        if (face.side >= 0 && !nsci_is_cylinder(face.side ? b : a))
            nsci_turn_normal(x, &face, &out[i]);
        out[i].gap = nsci_max(out[i].gap, way->s);
        least = nsci_min(least, out[i].gap);
        out[kept] = out[i];
        last = out[kept].gap > out[last].gap ? kept : last;
        kept++;
    }
    if (kept > 0 && way->s > NSC_R(0.9) * least)
        return kept;
    if (kept < NSC_MANIFOLD)
        last = kept++;
    nsci_point_contact(x, a, b, way, distance, out + last);
    return kept;
}
#else
#define nsci_exact_points(x, a, b, way, distance, out) 0
#endif

/* Contacts along a direction.  If clipping loses the deepest point (a face normal may only be close
   to the true direction), it is put back. */
static int nsci_patch_points(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             const nsci_way *way, nsc_real distance, nsci_point *out)
{
    nsc_real least = NSC_REAL_MAX;
    int i, n, last = 0;
    if (NSCI_EXACT(x))
        return nsci_exact_points(x, a, b, way, distance, out);
    nsci_find_patch(a, way->n, &x->patch[0]);
    nsci_find_patch(b, nsci_neg(way->n), &x->patch[1]);
    if (way->side >= 0)
        n = nsci_face_contacts(x, a, b, way, distance, 0, NSCI_ANY, out);
    else
        n = nsci_line_contacts(x, a, b, way, distance, out);
    for (i = 0; i < n; i++) {
        if (out[i].gap < least)
            least = out[i].gap;
        if (out[i].gap > out[last].gap)
            last = i;
    }
    if (least <= way->s + NSC_R(1e-3) * way->size)
        return n;
    if (n < NSC_MANIFOLD)
        return n + nsci_point_contact(x, a, b, way, distance, out + n);
    nsci_point_contact(x, a, b, way, distance, out + last);
    return n;
}

/* Contacts of two convex shapes.  Both are moved, a to the origin, and put back. */
static int nsci_convex(nsci_convex_scratch *x, nsci_geom *a, nsci_geom *b, nsc_real distance,
                       nsci_point *out)
{
    nsc_vec3 origin = a->centre;
    nsc_vec3 home = b->centre;
    nsci_way way;
    int i, n = 0;
    a->centre = nsci_vec(0, 0, 0);
    b->centre = nsci_sub(home, origin);
    if (nsci_find_way(x, a, b, distance, &way))
        n = nsci_patch_points(x, a, b, &way, distance, out);
    a->centre = origin;
    b->centre = home;
    for (i = 0; i < n; i++)
        out[i].point = nsci_add(origin, out[i].point);
    return n;
}

/* Cylinder or hull over a half-space: up to four of its points */
static int nsci_convex_plane(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b,
                             nsc_real distance, nsci_point *out)
{
    nsc_vec3 up = b->axes.c[2];
    nsc_vec3 down = nsci_neg(up);
    nsci_spot *c = x->spots;
    const nsc_hull *hull = NSCI_HULL_OF(a);
    int i, n = 0, kept = 0;
    for (i = 0; hull && i < hull->vertices; i++) {
        c[n].p = nsci_hull_vertex(a, hull, i);
        c[n].w = nsci_dot3(nsci_sub(c[n].p, b->centre), up);
        c[n].edge = 0;
        c[n++].id = (uint16_t)i;
    }
    if (nsci_is_cylinder(a)) {
        nsci_find_patch(a, down, &x->patch[0]);
        n = nsci_take_spots(c, &x->patch[0], b->centre, up);
    }
    n = nsci_thin_spots(c, n, up, distance, NSCI_ANY);
    for (i = 0; i < n; i++)
        kept = nsci_put(out, kept, c[i].p, down, c[i].w, distance, (uint32_t)c[i].id);
    return kept;
}

static int nsci_is_convex(int kind)
{
    return (NSCI_CYLINDERS && kind == NSC_SHAPE_CYLINDER) ||
           (NSCI_HULLS && kind == NSC_SHAPE_HULL);
}

/* Contact points of a cylinder or hull with another shape */
static int nsci_collide_convex(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance)
{
    nsci_finding *find = &w->scratch.find;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_convex_plane(&find->convex, a, b, distance, find->points);
    return nsci_convex(&find->convex, a, b, distance, find->points);
}
#else
#define nsci_is_convex(kind) 0
#define nsci_collide_convex(w, a, b, distance) 0
#endif

/* ---- >>terrain -------------------------------------------------------------------------------
   A shape is tested against a height field or mesh triangle by triangle, in the frame of the field
   or mesh.  In which directions a triangle may push depends on its neighbours: a shape must not
   catch on an inner edge of level ground. */

/* Restrict lo..hi to the shares t >= 0 for which the interval min..max, moved by v t, meets
   from..to; if none is left, then hi < lo. */
NSC_MAYBE_UNUSED static void nsci_narrow(nsc_real min, nsc_real max, nsc_real v,
                                         nsc_real from, nsc_real to, nsc_real *lo, nsc_real *hi)
{
    if (v > 0) {
        *lo = nsci_max(*lo, (from - max) / v);
        *hi = nsci_min(*hi, (to - min) / v);
    } else if (v < 0) {
        *lo = nsci_max(*lo, (to - min) / v);
        *hi = nsci_min(*hi, (from - max) / v);
    } else if (min > to || max < from) {
        *hi = -1;
    }
}

/* May box a, moved by v times 0..`end`, meet box b?  slack: relative error of `end` */
NSC_MAYBE_UNUSED static int nsci_way_meets(const nsci_aabb *a, const nsci_aabb *b, nsc_vec3 v,
                                           nsc_real end, nsc_real slack)
{
    nsc_real lo = 0, hi = end;
    nsci_narrow(a->min[0], a->max[0], v.x, b->min[0], b->max[0], &lo, &hi);
    nsci_narrow(a->min[1], a->max[1], v.y, b->min[1], b->max[1], &lo, &hi);
    nsci_narrow(a->min[2], a->max[2], v.z, b->min[2], b->max[2], &lo, &hi);
    return lo <= hi * (1 + slack);
}

#if !NSCI_TERRAINS && !NSC_MESHES
#define nsci_collide_terrain(w, a, b, distance) 0
#else

/* A triangle of a height field or mesh, and its neighbours */
typedef struct nsci_facet {
    nsci_geom t;
    nsc_vec3 p[3];               /* corners */
    nsc_vec3 apex[3];            /* far corner of the neighbour across each edge */
    int open[3];                 /* 1: the edge has no neighbour */
    int drops;                   /* 1: the ground drops vertically at open edges: a height field;
                                    0: it ends there: a mesh */
    NSCI_IF(NSCI_MESHES, const nsc_mesh_triangle *own;) /* of a mesh */
    /* cut: 1: the shape cuts some triangle; last: 1: second pass, as none has held it */
    NSCI_IF(NSCI_MESHES, int cut, last;)
} nsci_facet;

#if NSC_MESHES
#define NSCI_OF_MESH(f) (!(f)->drops)
#define NSCI_IS_LAST(f) ((f)->last)
#define NSCI_NOTE_CUT(f, s) ((f)->cut |= (s) < 0)

/* The part of a mesh's triangle that is furthest along m: 0..2 a corner; 3..5 the edge that begins
   at corner 0..2; -1 all of it */
static int nsci_top_part(const nsci_facet *f, nsc_vec3 m)
{
    nsc_vec3 e;
    int i;
    int k = nsci_furthest(f->t.axes.c, 3, m);
    int edge = -1;
    int edges = 0;
    for (i = 1; i < 3; i++) {
        e = nsci_sub(f->p[(k + i) % 3], f->p[k]);
        if (nsci_dot3(m, e) <= NSC_R(-1e-3) * nsci_norm(e))
            continue;
        edge = i == 1 ? k : (k + 2) % 3;
        edges++;
    }
    return edges == 0 ? k : edges == 1 ? 3 + edge : -1;
}

/* Is this corner at least as far along m as the other ends of all edges that meet there?  The walk
   goes from triangle to triangle about it, one way round and then, from a border, the other. */
static int nsci_tops(const nsci_facet *f, int k, nsc_vec3 m)
{
    const nsc_mesh *mesh = f->t.mesh;
    uint16_t corner = f->own->corner[k];
    nsc_vec3 at = nsci_mesh_vertex(mesh, corner, nsci_vec(0, 0, 0));
    nsc_vec3 e;
    int way;
    for (way = 0; way < 2; way++) {
        const nsc_mesh_triangle *t = f->own;
        int i = k;
        do {
            int next = t->beyond[way ? (i + 2) % 3 : i];
            e = nsci_mesh_vertex(mesh, t->corner[(i + 1 + way) % 3], at);
            if (nsci_dot3(m, e) > NSC_R(1e-3) * nsci_norm(e))
                return 0;
            if (next == NSC_MESH_OPEN)
                break;
            t = &mesh->triangle[next];
            for (i = 0; i < 2 && t->corner[i] != corner; i++) {
            }
        } while (t != f->own);
        if (t == f->own && way == 0 && f->own->beyond[k] != NSC_MESH_OPEN)
            return 1;
    }
    return 1;
}
#else
#define NSCI_OF_MESH(f) 0
#define NSCI_IS_LAST(f) 0
#define NSCI_NOTE_CUT(f, s) ((void)(s))
#define nsci_top_part(f, m) (-1)
#define nsci_tops(f, k, m) 1
#endif

/* Fill in the triangle with corners f->p. */
static void nsci_make_triangle(nsci_facet *f)
{
    nsci_geom *t = &f->t;
    const nsc_vec3 *p = f->p;
    nsc_vec3 n;
    int k;
    t->kind = NSCI_TRIANGLE;
    t->radius = 0;
    t->centre = nsci_mul_sv(NSC_R(1.0) / 3, nsci_add(nsci_add(p[0], p[1]), p[2]));
    for (k = 0; k < 3; k++)
        t->axes.c[k] = nsci_sub(p[k], t->centre);
    n = nsci_unit(nsci_triangle_normal(p[0], p[1], p[2]), nsci_vec(0, 0, 1));
    t->half[0] = n.x;
    t->half[1] = n.y;
    t->half[2] = n.z;
    NSCI_SET_HULL(t, NULL);
    NSCI_NO_FIELD(t);
}

/* Unit direction of the edge that begins at corner k */
static nsc_vec3 nsci_along_edge(const nsci_geom *t, int k)
{
    nsc_vec3 e = nsci_sub(t->axes.c[(k + 1) % 3], t->axes.c[k]);
    return nsci_unit(e, e);
}

/* May the triangle push along m?  Where m leans out over an edge, the ground beyond must fall away
   from m by 90 degrees or more: it does not at an inner edge of level ground, or in a valley.
   Beyond the border of a height field the ground counts as a vertical drop, beyond that of a mesh
   there is none.  In a mesh only the edge that is furthest along m counts; a corner pushes if all
   edges there fall away from m. */
static int nsci_may_lean(const nsci_facet *f, nsc_vec3 m)
{
    const nsci_geom *t = &f->t;
    nsc_vec3 normal = nsci_face_normal(t, 0);
    nsc_vec3 apex;
    nsc_real slack = NSC_R(1e-3);
    int k;
    int part = NSCI_OF_MESH(f) ? nsci_top_part(f, m) : -1;
    if (nsci_dot3(m, normal) <= 0)
        return 0;
    if (part >= 0 && part < 3)
        return nsci_tops(f, part, m);
    for (k = 0; k < 3; k++) {
        nsc_vec3 e = nsci_along_edge(t, k);
        nsc_vec3 out = nsci_cross(e, normal);
        if (nsci_dot3(m, out) <= slack || (part >= 0 && k != part - 3))
            continue;
        if (f->open[k]) {
            if (f->drops && m.z < 0)
                return 0;
            continue;
        }
        apex = nsci_sub(f->apex[k], nsci_add(t->centre, t->axes.c[k]));
        if (nsci_dot3(m, nsci_unit(nsci_without(apex, e), out)) > slack)
            return 0;
    }
    return 1;
}

/* Is the patch (face or edge) parallel to this plane? */
static int nsci_patch_lies(const nsci_patch *f, nsc_vec3 normal)
{
    nsc_vec3 d = nsci_sub(f->p[f->n > 1], f->p[0]);
    if (f->n > 2)
        return nsci_abs(nsci_dot3(f->normal, normal)) > NSC_R(0.9999);
    return nsci_abs(nsci_dot3(d, normal)) < NSC_R(0.01) * nsci_norm(d);
}

/* Greatest of the separations across the three edges, in the triangle's plane */
static nsc_real nsci_side_gap(const nsci_geom *a, const nsci_geom *t)
{
    nsc_vec3 normal = nsci_face_normal(t, 0);
    nsc_real most = -NSC_REAL_MAX;
    int k;
    for (k = 0; k < 3; k++)
        most = nsci_max(most, nsci_gap(a, t, nsci_cross(normal, nsci_along_edge(t, k))));
    return most;
}

/* Contacts of shape and triangle.  If nsci_may_lean rules out the direction of least separation,
   the triangle's own normal is used, and of a shape that does not lie flat only the lowest corners:
   the rest touches other triangles' edges.  A height field always pushes a shape whose middle is
   below up along that normal.
   A mesh's triangle leaves alone a shape that is wholly behind it.  It also leaves alone one that
   is more than twice as deep along the direction of least separation as across the nearest edge, or
   more than twice as deep along the normal as in one of these: such a shape lies on a neighbour and
   hangs over this triangle, the side of a solid.  If no triangle then holds a shape that cuts some,
   those push in a second pass: along the normal if the middle is behind, else along the direction
   of least separation. */
static int nsci_triangle_contacts(nsci_convex_scratch *x, const nsci_geom *a, nsci_facet *f,
                                  int under, nsc_real distance)
{
    nsci_geom *t = &f->t;
    nsc_vec3 down = nsci_neg(nsci_face_normal(t, 0));
    nsci_way way, own;
    nsc_real size = nsci_size(a);
    nsc_real much = NSC_R(1e-3) * size;
    nsc_real least = NSC_REAL_MAX;
    nsc_real beside;
    int n;
    int steep = 0;
    int end = NSCI_ANY;
    int mesh = NSCI_OF_MESH(f);
    int last = NSCI_IS_LAST(f);
    own.n = down;
    own.side = 1;
    own.s = nsci_gap(a, t, down);
    if (own.s > distance || (mesh && nsci_gap(a, t, nsci_neg(down)) >= 0))
        return 0;
    if (mesh && under && !last) {
        NSCI_NOTE_CUT(f, own.s);
        return 0;
    }
    if (!under) {
        if (mesh && last && nsci_gjk(x, a, t, 0, &way.n) > 0)
            return 0;
        if (!nsci_find_way(x, a, t, distance, &way))
            return 0;
        if (mesh && last)
            return nsci_patch_points(x, a, t, &way, distance, x->own);
        NSCI_NOTE_CUT(f, way.s);
        if (mesh)
            least = 2 * nsci_min(nsci_side_gap(a, t), 0) - much;
        if (mesh && way.s < nsci_min(least, -nsci_rounding(a)))
            return 0; /* where the cores are apart, the direction is exact */
        steep = way.side != 1 && nsci_dot3(way.n, down) < NSC_R(0.999998);
        if (steep && nsci_may_lean(f, nsci_neg(way.n)))
            return nsci_patch_points(x, a, t, &way, distance, x->own);
        if (mesh && own.s < nsci_max(least, 2 * nsci_min(way.s, 0) - much))
            return 0;
    }
    nsci_find_patch(a, down, &x->patch[0]);
    nsci_find_patch(t, nsci_neg(down), &x->patch[1]);
    if (steep && !nsci_patch_lies(&x->patch[0], down)) {
        end = NSCI_CUT;
        distance = nsci_min(distance, own.s + much);
    }
    /* a ball's point may be beside both faces at an edge that is nearly flat */
    beside = mesh && x->patch[0].n == 1 ? 10 * much : NSC_R(3e-3) * size;
    n = nsci_face_contacts(x, a, t, &own, distance, beside, end, x->own);
    if (n > 0 || !under)
        return n;
    return nsci_put(x->own, 0, nsci_add_sv(nsci_support(a, down), nsci_rounding(a), down), down,
                    own.s, distance, 3);
}

/* Add a point to those found.  Each normal direction keeps four: the deepest and those widest
   apart.  Of two points nearer than `same` [m] the deeper stays. */
static int nsci_gather(nsc_world *w, int n, const nsci_point *p, nsc_real same)
{
    int i, k, kept, count = 0, pick[4], member[NSC_MANIFOLD + 1];
    nsci_spot *c = w->scratch.find.convex.spots;
    nsci_point *out = w->scratch.find.points;
    for (i = 0; i < n && count < NSC_MANIFOLD; i++) {
        nsc_vec3 d = nsci_sub(out[i].point, p->point);
        if (nsci_dot3(out[i].normal, p->normal) < NSC_R(0.9995))
            continue;
        if (nsci_dot3(d, d) < same * same) {
            if (p->gap < out[i].gap)
                out[i] = *p;
            return n;
        }
        member[count++] = i;
    }
    if (count == NSC_MANIFOLD) {
        for (i = 0; i <= count; i++) {
            const nsci_point *q = i < count ? &out[member[i]] : p;
            c[i].p = q->point;
            c[i].w = q->gap;
            c[i].id = (uint16_t)i;
        }
        kept = nsci_spread(c, count + 1, p->normal, pick);
        /* Drop the last point not chosen: p, or a member, whose place p takes */
        for (i = count; i >= 0 && nsci_is_picked(pick, kept, i);)
            i--;
        if (i >= 0) {
            if (i < count)
                out[member[i]] = *p;
            return n;
        }
    }
    if (n < NSC_MAX_POINTS) {
        out[n] = *p;
        return n + 1;
    }
    for (i = 1, k = 0; i < n; i++)
        if (out[i].gap > out[k].gap)
            k = i;
    w->scratch.find.lost += nsci_max(p->gap, out[k].gap) <= w->def.margin;
    if (p->gap < out[k].gap)
        out[k] = *p;
    return n;
}

/* Add the contacts of shape a with a triangle, which is number `which` of all, to the n points
   found. */
static int nsci_facet_contacts(nsc_world *w, const nsci_geom *a, nsci_facet *f, uint32_t which,
                               int under, nsc_real distance, int n)
{
    nsci_convex_scratch *x = &w->scratch.find.convex;
    nsc_real same = NSC_R(1e-2) * nsci_size(a);
    int k;
    int count = nsci_triangle_contacts(x, a, f, under, distance);
    for (k = 0; k < count; k++) { /* a corner of the shape keeps its id on every triangle */
        uint32_t id = x->own[k].feature;
        int corner = id >> 27 == 1 && (id & 8191) < 64;
        x->own[k].feature = corner ? UINT32_C(0x80000000) | id
                                   : which << 13 ^ (id & UINT32_C(0x1fff)) ^ id >> 28 << 12;
        n = nsci_gather(w, n, &x->own[k], same);
    }
    return n;
}

#if !NSCI_TERRAINS
#define nsci_field_contacts(w, a, b, box, origin, distance) 0
#else
/* Index of the middle of so many samples */
static nsc_real nsci_middle_of(int samples) { return NSC_R(0.5) * (nsc_real)(samples - 1); }

/* For both triangles of a cell: (column, row) of the corners, then, for the edge that begins at
   each, of the neighbour's far corner */
static const signed char nsci_corners[2][6][2] = {
    {{0, 0}, {1, 0}, {1, 1}, {0, -1}, {2, 1}, {0, 1}},
    {{0, 0}, {1, 1}, {0, 1}, {1, 0}, {1, 2}, {-1, 0}}
};

/* Position of sample (i, j) from `origin` [m]; returns 0 outside the field */
static int nsci_sample(const nsci_terrain *f, int i, int j, nsc_vec3 origin, nsc_vec3 *p)
{
    if (i < 0 || j < 0 || i >= f->nx || j >= f->ny)
        return 0;
    p->x = ((nsc_real)i - nsci_middle_of(f->nx)) * f->dx - origin.x;
    p->y = ((nsc_real)j - nsci_middle_of(f->ny)) * f->dy - origin.y;
    p->z = f->height[j * f->nx + i] - origin.z;
    return 1;
}

/* One of the two triangles (0, 1) of cell (i, j) */
static void nsci_field_triangle(const nsci_terrain *g, int i, int j, int which, nsc_vec3 origin,
                                nsci_facet *f)
{
    int k;
    for (k = 0; k < 3; k++) {
        const signed char *own = nsci_corners[which][k], *far = nsci_corners[which][3 + k];
        f->p[k] = origin;
        nsci_sample(g, i + own[0], j + own[1], origin, &f->p[k]);
        f->open[k] = !nsci_sample(g, i + far[0], j + far[1], origin, &f->apex[k]);
    }
    f->drops = 1;
    nsci_make_triangle(f);
}

/* Is the shape's middle vertically below the triangle?  p: its corners, relative to the middle */
static int nsci_under(const nsci_geom *t, const nsc_vec3 *p)
{
    int k, in = 1;
    for (k = 0; k < 3; k++) {
        nsc_vec3 q = p[(k + 1) % 3];
        in &= p[k].x * q.y - p[k].y * q.x >= 0;
    }
    return in && nsci_dot3(p[0], nsci_face_normal(t, 0)) > 0;
}

/* Cells from..to that the interval lo..hi [m] covers along one axis; from > to: none */
static void nsci_cell_range(nsc_real lo, nsc_real hi, nsc_real step, int samples, int *from,
                            int *to)
{
    nsc_real half = nsci_middle_of(samples);
    nsc_real last = (nsc_real)(samples - 2);
    lo = lo / step + half;
    hi = hi / step + half;
    *from = 1;
    *to = 0;
    if (!(hi >= 0) || !(lo <= last + 1))
        return;
    *from = (int)nsci_min(nsci_max(lo, 0), last); /* lo, hi may be infinite */
    *to = (int)nsci_min(nsci_max(hi, 0), last);
}

/* Contacts of shape a, in the field's frame, with the cells under its box */
static int nsci_field_contacts(nsc_world *w, const nsci_geom *a, const nsci_geom *b,
                               const nsci_aabb *box, nsc_vec3 origin, nsc_real distance)
{
    const nsci_terrain *g = NSCI_TERRAIN(b);
    nsc_real low = box->min[2];
    nsci_facet f;
    int i, j, which, n = 0, from[2], to[2];
    nsci_cell_range(origin.x + box->min[0], origin.x + box->max[0], g->dx, g->nx, &from[0], &to[0]);
    nsci_cell_range(origin.y + box->min[1], origin.y + box->max[1], g->dy, g->ny, &from[1], &to[1]);
    if (origin.z + low > g->high)
        return 0;
    for (j = from[1]; j <= to[1]; j++)
        for (i = from[0]; i <= to[0]; i++)
            for (which = 0; which < 2; which++) {
                nsci_field_triangle(g, i, j, which, origin, &f);
                if (f.p[0].z < low && f.p[1].z < low && f.p[2].z < low)
                    continue;
                n = nsci_facet_contacts(w, a, &f, (uint32_t)(2 * (j * g->nx + i) + which),
                                        nsci_under(&f.t, f.p), distance, n);
            }
    return n;
}
#endif

#if !NSC_MESHES
#define nsci_mesh_contacts(w, a, b, box, origin, distance) 0
#else
/* The corner of triangle t that is on neither end of the edge from `from` to `to` */
static uint16_t nsci_apex_of(const nsc_mesh_triangle *t, uint16_t from, uint16_t to)
{
    return t->corner[(nsci_edge_of(t, from, to) + 2) % 3];
}

static void nsci_mesh_triangle(const nsc_mesh *m, int32_t i, nsc_vec3 origin, nsci_facet *f)
{
    const nsc_mesh_triangle *t = &m->triangle[i];
    int k;
    for (k = 0; k < 3; k++) {
        f->p[k] = nsci_mesh_vertex(m, t->corner[k], origin);
        f->open[k] = t->beyond[k] == NSC_MESH_OPEN;
        if (!f->open[k])
            f->apex[k] = nsci_mesh_vertex(m, nsci_apex_of(&m->triangle[t->beyond[k]],
                                                          t->corner[(k + 1) % 3], t->corner[k]),
                                          origin);
    }
    f->drops = 0;
    f->own = t;
    nsci_make_triangle(f);
    f->t.mesh = m;
}

/* Walk over the triangles whose nodes a box may meet on its way. */
typedef struct nsci_mesh_walk {
    const nsc_mesh *mesh;
    nsc_vec3 origin;             /* of the box's coordinates, in the mesh's frame [m] */
    nsci_aabb box;
    nsc_vec3 way;
    nsc_real end;                /* the box moves by `way` times 0..end */
    nsc_real slack;              /* relative error of `end` and of the coordinates */
    int32_t node, next, last;    /* next node; triangles of the present one */
} nsci_mesh_walk;

static nsci_mesh_walk nsci_walk_mesh(const nsc_mesh *m, nsc_vec3 origin)
{
    nsci_mesh_walk x;
    NSC_MEMSET(&x, 0, sizeof x);
    x.mesh = m;
    x.origin = origin;
    return x;
}

static int nsci_walk_meets(const nsci_mesh_walk *x, const nsc_mesh_node *n)
{
    nsci_aabb other;
    nsc_real p[3], v[3];
    int k;
    p[0] = x->origin.x;
    p[1] = x->origin.y;
    p[2] = x->origin.z;
    v[0] = x->way.x;
    v[1] = x->way.y;
    v[2] = x->way.z;
    for (k = 0; k < 3; k++) {
        nsc_real low = (nsc_real)n->low[k];
        nsc_real high = (nsc_real)n->high[k];
        nsc_real more =
            x->slack * (nsci_abs(low) + nsci_abs(high) + nsci_abs(p[k]) + nsci_abs(v[k]));
        other.min[k] = low - more - p[k];
        other.max[k] = high + more - p[k];
    }
    return nsci_way_meets(&x->box, &other, x->way, x->end, x->slack);
}

/* Make f the next triangle; returns its number, -1 after the last. */
static int32_t nsci_next_facet(nsci_mesh_walk *x, nsci_facet *f)
{
    while (x->next >= x->last) {
        const nsc_mesh_node *node = &x->mesh->node[x->node];
        int met;
        if (x->node >= x->mesh->nodes)
            return -1;
        met = nsci_walk_meets(x, node);
        x->next = node->first;
        x->last = met ? x->next + node->count : 0;
        x->node = met ? x->node + 1 : node->skip;
    }
    nsci_mesh_triangle(x->mesh, x->next, x->origin, f);
    return x->next++;
}

/* Is the shape's middle behind the triangle, within its prism?  p: its corners, relative to the
   middle */
static int nsci_behind(const nsci_geom *t, const nsc_vec3 *p)
{
    nsc_vec3 normal = nsci_face_normal(t, 0);
    int k, in = 1;
    for (k = 0; k < 3; k++)
        in &= nsci_dot3(nsci_cross(p[k], p[(k + 1) % 3]), normal) >= 0;
    return in && nsci_dot3(p[0], normal) > 0;
}

/* Does the box meet the box from low to high? */
static int nsci_box_meets(const nsci_aabb *box, nsc_vec3 low, nsc_vec3 high)
{
    return low.x <= box->max[0] && high.x >= box->min[0] && low.y <= box->max[1] &&
           high.y >= box->min[1] && low.z <= box->max[2] && high.z >= box->min[2];
}

static int nsci_facet_meets(const nsci_facet *f, const nsci_aabb *box)
{
    const nsc_vec3 *p = f->p;
    nsc_vec3 low = nsci_vec(nsci_min(p[0].x, nsci_min(p[1].x, p[2].x)),
                            nsci_min(p[0].y, nsci_min(p[1].y, p[2].y)),
                            nsci_min(p[0].z, nsci_min(p[1].z, p[2].z)));
    nsc_vec3 high = nsci_vec(nsci_max(p[0].x, nsci_max(p[1].x, p[2].x)),
                             nsci_max(p[0].y, nsci_max(p[1].y, p[2].y)),
                             nsci_max(p[0].z, nsci_max(p[1].z, p[2].z)));
    return nsci_box_meets(box, low, high);
}

/* Contacts of shape a, in the mesh's frame, with the triangles that its box meets */
static int nsci_mesh_contacts(nsc_world *w, const nsci_geom *a, const nsci_geom *b,
                              const nsci_aabb *box, nsc_vec3 origin, nsc_real distance)
{
    nsci_facet f;
    int32_t k;
    int n = 0;
    f.cut = 0;
    for (f.last = 0; f.last < 2 && n == 0 && f.cut >= f.last; f.last++) { /* once more if cut */
        nsci_mesh_walk x = nsci_walk_mesh(b->mesh, origin);
        x.box = *box;
        for (k = nsci_next_facet(&x, &f); k >= 0; k = nsci_next_facet(&x, &f))
            if (nsci_facet_meets(&f, box))
                n = nsci_facet_contacts(w, a, &f, (uint32_t)k, nsci_behind(&f.t, f.p), distance, n);
    }
    return n;
}
#endif

/* Contacts of shape a, changed and restored, with height field or mesh b */
NSCI_OWN_FRAME int nsci_collide_terrain(nsc_world *w, nsci_geom *a, const nsci_geom *b,
                                        nsc_real distance)
{
    nsci_geom home = *a;
    nsc_vec3 origin = nsci_mul_mtv(&b->axes, nsci_sub(a->centre, b->centre));
    nsc_vec3 offset;
    nsci_aabb box;
    int i, k, n;
    for (k = 0; k < 3; k++)
        a->axes.c[k] = nsci_mul_mtv(&b->axes, a->axes.c[k]);
    a->centre = nsci_vec(0, 0, 0);
    offset = nsci_middle(a); /* the origin is the middle, for nsci_under and nsci_behind */
    a->centre = nsci_neg(offset);
    origin = nsci_add(origin, offset);
    nsci_bounds(a, distance, &box);
    n = b->kind == NSC_SHAPE_HEIGHT_FIELD ? nsci_field_contacts(w, a, b, &box, origin, distance)
                                          : nsci_mesh_contacts(w, a, b, &box, origin, distance);
    *a = home;
    for (i = 0; i < n; i++) {
        nsci_point *p = &w->scratch.find.points[i];
        p->normal = nsci_mul_mv(&b->axes, p->normal);
        p->point = nsci_add(b->centre, nsci_mul_mv(&b->axes, nsci_add(p->point, origin)));
    }
    return n;
}
#endif

/* Contact points of two shapes, a->kind <= b->kind, into the world's points */
static int nsci_collide_kinds(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance)
{
#ifdef NSC_BARRIER
    w->scratch.find.convex.exact = nsci_is_barrier(w) && b->kind <= NSC_SHAPE_HALF_SPACE;
#endif
    if ((NSCI_TERRAINS && b->kind == NSC_SHAPE_HEIGHT_FIELD) ||
        (NSC_MESHES && b->kind == NSC_SHAPE_MESH))
        return a->kind < NSC_SHAPE_HALF_SPACE ? nsci_collide_terrain(w, a, b, distance) : 0;
    if (nsci_is_convex(a->kind) || nsci_is_convex(b->kind) ||
        (nsci_is_barrier(w) && b->kind < NSC_SHAPE_HALF_SPACE))
        return nsci_collide_convex(w, a, b, distance);
    return nsci_collide(a, b, distance, w->scratch.find.points);
}

/* Contact points of any two shapes nearer than `distance` [m], into the world's points; at most
   NSC_MAX_POINTS.  Returns their number.  The shapes are changed meanwhile and restored. */
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
   Finds the shapes whose bounding boxes overlap.  A world with room for fewer than 64 shapes tests
   all pairs.  A larger one sweeps and prunes: the boxes are sorted along the axis on which they
   spread most.  Many boxes are first divided into strips along the second such axis, by where they
   begin: n shapes on a plain would otherwise cost n^1.5.  One shape very far away makes the strips
   so wide that all others lie in one: slower, not wrong. */

/* Write the geometry of a shape definition, except its centre and axes. */
static void nsci_place_def(nsci_geom *g, const nsc_shape_def *d)
{
    int has_length = d->kind == NSC_SHAPE_BOX || d->kind == NSC_SHAPE_CAPSULE ||
                     d->kind == NSC_SHAPE_CYLINDER;
    g->kind = d->kind;
    g->half[0] = g->kind == NSC_SHAPE_BOX ? d->half.x : 0;
    g->half[1] = g->kind == NSC_SHAPE_BOX ? d->half.y : 0;
    g->half[2] = has_length ? d->half.z : 0;
    g->radius = g->kind <= NSC_SHAPE_CYLINDER ? d->radius : 0;
    NSCI_SET_HULL(g, NULL);
    NSCI_NO_FIELD(g);
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
    NSCI_SET_HULL(g, NSCI_HULL_AT(w, g->kind, s->data));
    NSCI_SET_FIELD(g, w, s->data);
    NSCI_IF(NSCI_MESHES, g->mesh = g->kind == NSC_SHAPE_MESH ? w->meshes[s->data] : NULL;)
}

NSC_MAYBE_UNUSED static nsci_geom nsci_place(const nsc_world *w, const nsc_shape *s)
{
    nsci_geom g;
    nsci_place_shape(w, s, &g);
    return g;
}

/* How far a shape's surface may move in the step [m]: contacts are looked for that much further
   out.  What a turn below 0.01 rad moves is left to the margin. */
static nsc_real nsci_reach(const nsc_world *w, const nsci_geom *g, int body, nsc_real h)
{
    const nsc_real *v = w->v_free + 6 * body;
    nsc_real way = h * nsci_norm(nsci_vec(v[0], v[1], v[2]));
    nsc_real far[3], arc;
    nsc_real turn = h * nsci_norm(nsci_vec(v[3], v[4], v[5]));
    nsc_vec3 x = w->bodies[body].position;
    nsci_aabb box;
    if (!(turn > NSC_R(1e-4)) || g->kind == NSC_SHAPE_HALF_SPACE)
        return way;
    nsci_bounds(g, g->kind == NSC_SHAPE_CYLINDER ? 0 : -g->radius, &box);
    far[0] = nsci_max(box.max[0] - x.x, x.x - box.min[0]);
    far[1] = nsci_max(box.max[1] - x.y, x.y - box.min[1]);
    far[2] = nsci_max(box.max[2] - x.z, x.z - box.min[2]);
    arc = nsci_min(turn, 2) * NSC_SQRT(nsci_dot(far, far, 3));
    return turn > NSC_R(0.01) || arc > w->def.margin ? way + arc : way;
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

/* 1 if item i goes before j: shapes along a sweep axis 0..2, or (axis -1) the user's own contacts
   in solving order, whatever the order in which they were added. */
static int nsci_before(const nsc_world *w, int axis, int i, int j)
{
    if (axis >= 0) {
        nsc_real x = w->scratch.find.boxes[i].min[axis];
        nsc_real y = w->scratch.find.boxes[j].min[axis];
        if (w->scratch.find.strip[i] != w->scratch.find.strip[j])
            return w->scratch.find.strip[i] < w->scratch.find.strip[j];
        return x < y || (x <= y && i < j);
    } else {
        const nsc_contact *a = &w->found[i];
        const nsc_contact *b = &w->found[j];
        int order = nsci_pair_order(a, b);
        if (order != 0)
            return order < 0;
        return a->feature < b->feature || (a->feature == b->feature && (unsigned)i < (unsigned)j);
    }
}

/* Shell sort: no recursion, little code, fast on nearly sorted lists. */
static void nsci_sort(const nsc_world *w, int axis, uint16_t *items, int n)
{
    int gap, i, j;
    for (gap = 1; gap < n / 3;)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (i = gap; i < n; i++) {
            uint16_t item = items[i];
            for (j = i; j >= gap && nsci_before(w, axis, item, items[j - gap]); j -= gap)
                items[j] = items[j - gap];
            items[j] = item;
        }
}

/* Sort contacts by the rank of their first or (second = 1) second shape: a stable counting sort. */
static void nsci_sort_by_rank(nsc_world *w, int second, const uint16_t *from, uint16_t *to)
{
    uint16_t *place = w->scratch.find.rank_begin;
    int i;
    for (i = 0; i < w->shape_end + 2; i++)
        place[i] = 0;
    for (i = 0; i < w->found_count; i++) {
        const nsc_contact *c = &w->found[i];
        place[1 + nsci_rank(second ? c->shape_b : c->shape_a)]++;
    }
    for (i = 1; i <= w->shape_end; i++)
        place[i] = (uint16_t)(place[i] + place[i - 1]);
    for (i = 0; i < w->found_count; i++) {
        const nsc_contact *c = &w->found[from[i]];
        to[place[nsci_rank(second ? c->shape_b : c->shape_a)]++] = from[i];
    }
}

/* Order the found contacts: the user's own, then pairs by the ranks of their shapes; points of a
   pair as they were found. */
static void nsci_sort_found(nsc_world *w)
{
    int i, own, sorted = 1;
    nsci_finding *f = &w->scratch.find;
    for (i = 0; i < w->found_count; i++) {
        f->order[i] = (uint16_t)i;
        if (i > 0 && (w->found[i].shape_a < 0 || !nsci_same_pair(&w->found[i - 1], &w->found[i])))
            sorted &= !nsci_before(w, -1, i, i - 1);
    }
    if (sorted)
        return;
    nsci_sort_by_rank(w, 1, f->order, f->by_rank);
    nsci_sort_by_rank(w, 0, f->by_rank, f->order);
    for (own = 0; own < w->found_count && w->found[f->order[own]].shape_a < 0; own++) {
    }
    nsci_sort(w, -1, f->order, own);
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

/* Place all shapes, and write their boxes and the sweep list; returns how many. */
NSCI_OWN_FRAME int nsci_bound_shapes(nsc_world *w, nsc_real h)
{
    int s, n = 0;
    for (s = 0; s < w->shape_end; s++) {
        nsci_geom *g = &w->scratch.find.geoms[s];
        nsc_real reach;
        if (w->shapes[s].generation % 2 == 0 || nsci_is_off(w, w->shapes[s].body))
            continue;
        nsci_place_shape(w, &w->shapes[s], g);
        w->scratch.find.reach[s] = reach = nsci_reach(w, g, w->shapes[s].body, h);
        nsci_bounds(g, NSC_R(0.5) * w->def.margin + reach, &w->scratch.find.boxes[s]);
        w->scratch.find.strip[s] = (uint8_t)nsci_is_active(&w->bodies[w->shapes[s].body]);
        w->scratch.find.sweep[n++] = (uint16_t)s;
    }
    return n;
}

#if NSCI_STRIPS
/* Boxes are sorted along `axis`, on which the centres of bounded shapes vary most, and divided
   along `across`, the second such axis, from low [m] on, into `scale` strips per metre. */
typedef struct nsci_sweep {
    int axis, across;
    nsc_real low, scale;
} nsci_sweep;

/* Strips cover the middle 4 sigma, none narrower than the mean box, with four bounded shapes or
   more on average. */
NSCI_OWN_FRAME nsci_sweep nsci_plan_sweep(const nsc_world *w, int n)
{
    nsc_real sum[3], sum2[3], size[3], variance[3], count, sigma, strips;
    nsci_sweep p;
    int i, a, bounded = 0;
    for (a = 0; a < 3; a++)
        sum[a] = sum2[a] = size[a] = 0;
    for (i = 0; i < n; i++) {
        const nsci_aabb *box = &w->scratch.find.boxes[w->scratch.find.sweep[i]];
        if (w->shapes[w->scratch.find.sweep[i]].def.kind >= NSC_SHAPE_HALF_SPACE)
            continue;
        bounded++;
        for (a = 0; a < 3; a++) {
            nsc_real c = NSC_R(0.5) * (box->min[a] + box->max[a]);
            sum[a] += c;
            sum2[a] += c * c;
            size[a] += box->max[a] - box->min[a];
        }
    }
    count = (nsc_real)(bounded > 0 ? bounded : 1);
    for (a = 0; a < 3; a++)
        variance[a] = sum2[a] - sum[a] * sum[a] / count;
    p.axis = variance[1] > variance[0] ? 1 : 0;
    if (variance[2] > variance[p.axis])
        p.axis = 2;
    p.across = p.axis == 0 ? 1 : 0;
    if (variance[3 - p.axis - p.across] > variance[p.across])
        p.across = 3 - p.axis - p.across;
    sigma = NSC_SQRT(nsci_max(variance[p.across] / count, 0));
    strips = nsci_min(nsci_min(4 * sigma * count / size[p.across], NSC_R(0.25) * count),
                      (nsc_real)NSC_STRIPS);
    p.low = sum[p.across] / count - 2 * sigma;
    p.scale = strips > 2 ? strips / (4 * sigma) : 0;
    return p;
}

static int nsci_strip_at(const nsci_sweep *p, nsc_real x)
{
    nsc_real strip = (x - p->low) * p->scale;
    return !(strip > 0) ? 0 : strip < (nsc_real)(NSC_STRIPS - 1) ? (int)strip : NSC_STRIPS - 1;
}

/* Sort the sweep list. */
static void nsci_sort_sweep(nsc_world *w, const nsci_sweep *p, int n)
{
    int i, k;
    for (i = 0; i < n; i++)
        w->scratch.find.strip[w->scratch.find.sweep[i]] = (uint8_t)nsci_strip_at(
            p, w->scratch.find.boxes[w->scratch.find.sweep[i]].min[p->across]);
    nsci_sort(w, p->axis, w->scratch.find.sweep, n);
    for (i = k = 0; k < NSC_STRIPS; k++) {
        w->scratch.find.strip_reach[k] = 0;
        for (; i < n && w->scratch.find.strip[w->scratch.find.sweep[i]] == k; i++) {
            const nsci_aabb *box = &w->scratch.find.boxes[w->scratch.find.sweep[i]];
            w->scratch.find.strip_reach[k] = nsci_max(w->scratch.find.strip_reach[k],
                                                      box->max[p->axis] - box->min[p->axis]);
        }
        w->scratch.find.strip_end[k] = (uint16_t)i;
    }
}

/* Place in sweep of the first shape of strip k that may reach x along the axis */
static int nsci_first_in_strip(const nsc_world *w, int axis, int k, nsc_real x)
{
    int lo = k > 0 ? w->scratch.find.strip_end[k - 1] : 0;
    int hi = w->scratch.find.strip_end[k];
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (x - w->scratch.find.boxes[w->scratch.find.sweep[middle]].min[axis] >
            w->scratch.find.strip_reach[k])
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}
#endif

static int nsci_overlap(const nsci_aabb *a, const nsci_aabb *b)
{
    int i = 0;
    while (i < 3 && a->min[i] <= b->max[i] && b->min[i] <= a->max[i])
        i++;
    return i == 3;
}

/* Is a box wholly above a half-space? */
static int nsci_box_above(const nsci_aabb *box, const nsci_geom *plane)
{
    nsc_vec3 n = plane->axes.c[2];
    nsc_vec3 low;
    low.x = n.x > 0 ? box->min[0] : box->max[0];
    low.y = n.y > 0 ? box->min[1] : box->max[1];
    low.z = n.z > 0 ? box->min[2] : box->max[2];
    return plane->kind == NSC_SHAPE_HALF_SPACE && nsci_dot3(n, nsci_sub(low, plane->centre)) > 0;
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
typedef struct nsci_scheme {
    const nsc_calls *calls;
    int mode;                    /* VELOCITY and POSITION are the two solves of
                                    EULER_IMPLICIT_PROJECTED */
    int first, last;             /* 1: first, last sub-step of the step */
    int newmark;                 /* 1: HHT or NEWMARK, using the last step's rates */
    nsc_real h, hf, hx;          /* sub-step; for forces, positions (above) [s] */
    nsc_real alpha, beta, gamma;
} nsci_scheme;

/* Constants where the build has no other steppers, or no sub-steps */
static int nsci_mode(const nsci_scheme *s) { return NSCI_STEPPERS ? s->mode : NSCI_LINEARIZED; }
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
    s.newmark = 0;
    s.h = s.hf = s.hx = h;
    s.alpha = s.beta = s.gamma = 0;
    if (!NSCI_STEPPERS)
        return s;
    if (w->def.stepper == NSC_STEPPER_EULER_IMPLICIT_PROJECTED)
        s.mode = NSCI_VELOCITY;
    if (w->def.stepper == NSC_STEPPER_EULER_SYMPLECTIC ||
        w->def.stepper == NSC_STEPPER_EULER_FORWARD)
        s.mode = NSCI_EXPLICIT;
    if (w->def.stepper >= NSC_STEPPER_EULER_IMPLICIT)
        s.mode = NSCI_NEWTON;
    if (!nsci_is_newmark(&w->def) || w->steady < 2)
        return s;
    nsci_newmark(&w->def, &s.beta, &s.gamma);
    s.newmark = 1;
    s.alpha = w->def.stepper == NSC_STEPPER_HHT ? w->def.alpha : 0;
    s.hf = h * s.gamma * (1 + s.alpha);
    s.hx = h * s.beta / s.gamma;
    return s;
}

/* Two vectors as six numbers */
static void nsci_put_pair(nsc_real *out, nsc_vec3 linear, nsc_vec3 angular)
{
    out[0] = linear.x;
    out[1] = linear.y;
    out[2] = linear.z;
    out[3] = angular.x;
    out[4] = angular.y;
    out[5] = angular.z;
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
    return nsci_dot12(k->J[i], v, v + 6);
}

#if !NSCI_STEPPERS
#define nsci_hat(w, s, i, v) ((void)(i))
#define nsci_displacement(w, s, i, v, d) ((void)(i))
#define nsci_stood(w, s, i) ((void)(s), (w)->bodies[i].position)
#define nsci_inertia_turn(w, s, b) ((void)(w), (void)(s), &(b)->orientation)
#else
/* Position of a body to which its contact points refer [m]: at the start of the sub-step, with the
   barrier at Newton's iterate */
static nsc_vec3 nsci_stood(const nsc_world *w, const nsci_scheme *s, int i)
{
    return nsci_mode(s) == NSCI_NEWTON && !nsci_is_barrier(w) ? w->start[i].position
                                                         : w->bodies[i].position;
}

/* Orientation that takes a body's inertia to the world frame.  EULER_IMPLICIT uses that before the
   sub-step, wherever the trial has turned the body: impulses then change its energy by exactly
   their work, its momentum by exactly their sum. */
NSCI_ONE_COPY const nsc_quat *nsci_inertia_turn(const nsc_world *w, const nsci_scheme *s,
                                                const nsc_body *b)
{
    if (s->mode == NSCI_NEWTON && !s->newmark)
        return &w->start[b - w->bodies].orientation;
    return &b->orientation;
}

/* Velocity after the step if no force acted in it */
static void nsci_hat(const nsc_world *w, const nsci_scheme *s, int i, nsc_real *v)
{
    const nsc_body *b = &w->bodies[i];
    const nsci_start *from = &w->start[i];
    int k;
    nsci_put_pair(v, from->velocity, from->angular_velocity);
    for (k = 0; k < 6 && s->newmark; k++)
        v[k] += s->h * ((1 - s->gamma) * b->mean_rate[k] - s->gamma * s->alpha * b->rate[k]);
}

/* HHT, NEWMARK: displacement d [m, rad] of body i from w->start if it has velocity v after the
   step */
static void nsci_displacement(const nsc_world *w, const nsci_scheme *s, int i, const nsc_real *v,
                              nsc_real *d)
{
    const nsc_body *b = &w->bodies[i];
    const nsci_start *from = &w->start[i];
    nsc_real before[6];
    int k;
    nsci_put_pair(before, from->velocity, from->angular_velocity);
    for (k = 0; k < 6; k++) {
        nsc_real a = b->mean_rate[k];
        d[k] = s->h * before[k] + s->h * s->h * (NSC_R(0.5) - s->beta) * a +
               s->hx * (v[k] - before[k] - s->h * (1 - s->gamma) * a);
    }
}
#endif

/* Velocity of a row before the (sub-)step */
static nsc_real nsci_speed_before(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                  int i)
{
    nsc_real v[12];
    if (!NSCI_STEPPERS || s->mode != NSCI_NEWTON)
        return nsci_row_speed(w, k, i);
    nsci_hat(w, s, w->outer[k->a], v);
    nsci_hat(w, s, w->outer[k->b], v + 6);
    return nsci_dot12(k->J[i], v, v + 6);
}

/* Travel of a row in the sub-step if the block's bodies have velocities va and vb after it */
static nsc_real nsci_row_travel(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                int i, const nsc_real *va, const nsc_real *vb)
{
    nsc_real d[12];
    if (NSCI_STEPPERS && w->def.stepper == NSC_STEPPER_EULER_FORWARD)
        return s->h * nsci_row_speed(w, k, i);
    if (NSCI_STEPPERS && s->newmark) {
        nsci_displacement(w, s, w->outer[k->a], va, d);
        nsci_displacement(w, s, w->outer[k->b], vb, d + 6);
        return nsci_dot12(k->J[i], d, d + 6);
    }
    return s->h * nsci_dot12(k->J[i], va, vb);
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
    if (step * step * nsci_dot3(w, w) <= NSC_REAL_EPS * NSC_REAL_EPS / 64)
        return nsci_mul_sv(0, w);
    if (!(nsci_abs(f.x) + nsci_abs(f.y) + nsci_abs(f.z) > 0))
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
NSCI_ONE_COPY void nsci_fill_row(nsc_real *J, nsc_vec3 d, nsc_vec3 ra, nsc_vec3 rb)
{
    nsc_vec3 a = nsci_cross(ra, d);
    nsc_vec3 b = nsci_cross(rb, d);
    J[0] = -d.x;
    J[1] = -d.y;
    J[2] = -d.z;
    J[3] = -a.x;
    J[4] = -a.y;
    J[5] = -a.z;
    J[6] = d.x;
    J[7] = d.y;
    J[8] = d.z;
    J[9] = b.x;
    J[10] = b.y;
    J[11] = b.z;
}

/* Direction of row i: of the force on b, or (turning) of its moment */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_row_axis(const nsc_block *k, int i, int turning)
{
    const nsc_real *J = k->J[i] + (turning ? 9 : 6);
    return nsci_vec(J[0], J[1], J[2]);
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
static int nsci_inner_of(const nsc_world *w, int body) { return w->inner[body]; }

/* Does body i belong to a sleeping island, which is not solved? */
static int nsci_rests(const nsc_world *w, int i)
{
    return w->island[i] != NSCI_NOWHERE && w->islands[w->island[i]].asleep;
}

/* Append a link of joint, spring or contact `item`. */
static void nsci_add_link(nsc_world *w, int kind, int item, nsc_id body_a, nsc_id body_b)
{
    nsci_link *l = &w->links[w->link_count++];
    l->kind = (uint8_t)kind;
    l->rolls = 0;
    l->item = (uint16_t)item;
    l->a = (uint16_t)nsci_body_of(w, body_a);
    l->b = (uint16_t)nsci_body_of(w, body_b);
    l->block = 0;
}

#if NSC_MAX_FORCES > 0
/* Allow (1) or forbid (0) that derivatives of forces reserve a place; 1 also frees all places. */
static void nsci_open_forces(nsc_world *w, int open)
{
    w->given_open = open;
    if (open)
        w->given_count = 0;
}

/* Keep the force on body i if it has a place or its derivative gets one; 0: it has none. */
static int nsci_keep_force(nsc_world *w, int i, const nsc_force *f)
{
    int k;
    for (k = 0; k < w->given_count && w->given_to[k] != i; k++) {
    }
    if (k == w->given_count && f->derivative && k < NSC_MAX_FORCES && w->given_open)
        w->given_to[w->given_count++] = (uint16_t)i;
    if (k < w->given_count)
        NSC_MEMCPY(&w->given[k], f, sizeof *f);
    return k < w->given_count;
}

/* Eigenvalues (diagonal of A) and eigenvectors (columns of Q) of a symmetric 6 x 6 matrix by eight
   Jacobi sweeps; six suffice */
static void nsci_eigen6(nsc_real A[6][6], nsc_real Q[6][6])
{
    nsc_real one = 1, c, s, t, x, y;
    int sweep, p, q, k;
    for (p = 0; p < 6; p++)
        for (q = 0; q < 6; q++)
            Q[p][q] = p == q ? one : 0;
    for (sweep = 0; sweep < 8; sweep++)
        for (p = 0; p < 5; p++)
            for (q = p + 1; q < 6; q++) {
                if (nsci_abs(A[p][q]) <= 0)
                    continue;
                t = NSC_R(0.5) * (A[q][q] - A[p][p]) / A[p][q];
                /* 0 if t * t overflows */
                t = (t < 0 ? -one : one) / (nsci_abs(t) + NSC_SQRT(one + t * t));
                c = one / NSC_SQRT(one + t * t);
                s = t * c;
                for (k = 0; k < 6; k++) {
                    x = A[k][p];
                    y = A[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                }
                for (k = 0; k < 6; k++) {
                    x = A[p][k];
                    y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                }
                for (k = 0; k < 6; k++) {
                    x = Q[k][p];
                    y = Q[k][q];
                    Q[k][p] = c * x - s * y;
                    Q[k][q] = s * x + c * y;
                }
            }
}

/* Rows between ground and body for a force's derivative: S = hx stiffness + damping is a sum of
   sigma e e^T; each term with sigma > 0 gives a row along e.  The free velocity contains the force
   at the present velocities, so bias cancels the row's force at these. */
NSCI_OWN_FRAME int nsci_fill_force(const nsc_world *w, const nsci_scheme *s, int body,
                                   const nsc_force *f, nsc_block *blocks)
{
    nsc_real S[6][6], Q[6][6], v[6], past[6], along;
    int i, k, rows = 0;
    nsci_velocity_of(&w->bodies[body], v);
    for (i = 0; i < 6; i++) {
        past[i] = 0;
        for (k = 0; k < 6; k++) {
            nsc_real stiff = NSC_R(0.5) * s->hx * (f->stiffness[i][k] + f->stiffness[k][i]);
            nsc_real damp = NSC_R(0.5) * (f->damping[i][k] + f->damping[k][i]);
            S[i][k] = stiff + damp;
            past[i] += (s->mode == NSCI_NEWTON ? S[i][k] : damp) * v[k];
        }
    }
    nsci_eigen6(S, Q);
    for (i = 0; i < 6; i++) {
        nsc_block *b = &blocks[rows / 3];
        nsc_real sigma = S[i][i];
        nsc_real cfm = 1 / (s->hf * sigma);
        int r = rows % 3;
        /* A NaN passes, and the solver refuses the problem */
        if (sigma <= 0 || cfm > NSC_REAL_MAX)
            continue;
        {
            b->a = 0;
            b->b = nsci_inner_of(w, body);
        }
        b->kind = NSC_BLOCK_EQUALITY;
        b->rows = (unsigned char)(r + 1);
        b->mu = b->lambda[r] = 0;
        b->cfm[r] = cfm;
        NSC_MEMSET(b->J[r], 0, sizeof b->J[r]);
        for (k = 0, along = 0; k < 6; k++) {
            b->J[r][6 + k] = Q[k][i];
            along += Q[k][i] * past[k];
        }
        b->bias[r] = -along / sigma;
        rows++;
    }
    return (rows + 2) / 3;
}

/* Blocks of the derivatives of an island's forces.  They come last, because their number may change
   within a step and blocks filled only once must keep their places; own->places reserves room for
   all. */
static void nsci_fill_forces(nsc_world *w, nsc_island *own, const nsci_scheme *s)
{
    int i;
    int n = own->first_block + own->blocks;
    for (i = 0; i < w->given_count; i++) {
        if (w->island[w->given_to[i]] != own - w->islands)
            continue;
        own->places = (uint16_t)(own->places + 2);
        if (w->given[i].derivative && s->mode != NSCI_EXPLICIT && s->mode != NSCI_POSITION)
            n += nsci_fill_force(w, s, w->given_to[i], &w->given[i], &w->scratch.solve.blocks[n]);
    }
    own->blocks = (uint16_t)(n - own->first_block);
}
#else
#define nsci_open_forces(w, open) ((void)0)
#define nsci_keep_force(w, i, f) 0
#define nsci_fill_forces(w, own, s) ((void)0)
#endif

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

/* ---- >>joints --------------------------------------------------------------------------------
   A joint is a set of rows: EQUALITY rows that hold it and BOX rows of its axes.  All act at one
   point, the origin of frame b, so that a and b get exactly opposite wrenches: momentum is
   conserved, however far the joint has drifted. */
#if NSC_MAX_JOINTS == 0
#define nsci_link_joints(w) ((void)0)
#define nsci_joined(w, a, b) 0
#define nsci_has_joint(w, body) ((void)(body), 0)
#define nsci_has_gear(w, body) 0
#define nsci_list_joints(w) ((void)0)
#define nsci_fill_joint_link(w, l, s, scale, k) 0
#define nsci_take_joints(w, own, s, share, joint_blocks) ((void)(joint_blocks))
#define nsci_store_joints(w, h) ((void)0)
#define nsci_check_stepper_joints(w, def) NSC_OK
#define nsci_free_joints_of(w, body) ((void)0)
#else

/* Kinds of axes: lengths, angles, distance */
enum {
    NSCI_ALONG_X = 1, NSCI_ALONG_Y, NSCI_ALONG_Z, NSCI_TURN_Z, NSCI_TURN_X, NSCI_SWING, NSCI_TWIST,
    NSCI_DISTANCE
};
enum {
    NSCI_HOLD_POINT = 7, NSCI_HOLD_Z = 24, NSCI_HOLD_TURN = 56, NSCI_CROSS = 64,
    NSCI_HOLD_CROSS = NSCI_CROSS + 8
};

/* For each kind of joint what it holds, then its axes (NSCI_ALONG_X ...; 0: no more).  Held: bits
   0-2 offset along x y z of frame a, 3-5 rotation about them; with bit 6 (NSCI_CROSS), row 3 keeps
   z of a orthogonal to x of b instead. */
static const uint8_t nsci_joint_kinds[NSC_JOINT_GEAR + 1][4] = {
    {0, 0, 0, 0},
    {NSCI_HOLD_POINT, NSCI_SWING, NSCI_TWIST, 0},                     /* BALL */
    {NSCI_HOLD_POINT + NSCI_HOLD_Z, NSCI_TURN_Z, 0, 0},               /* HINGE */
    {3 + NSCI_HOLD_TURN, NSCI_ALONG_Z, 0, 0},                         /* SLIDER */
    {NSCI_HOLD_POINT + NSCI_HOLD_TURN, 0, 0, 0},                      /* FIXED */
    {0, NSCI_DISTANCE, 0, 0},                                         /* DISTANCE */
    {NSCI_HOLD_POINT + NSCI_HOLD_CROSS, NSCI_TURN_Z, NSCI_TURN_X, 0}, /* UNIVERSAL */
    {3 + NSCI_HOLD_Z, NSCI_ALONG_Z, NSCI_TURN_Z, 0},                  /* CYLINDRICAL */
    {4 + NSCI_HOLD_Z, NSCI_ALONG_X, NSCI_ALONG_Y, NSCI_TURN_Z},       /* PLANAR */
    {0, 0, 0, 0}                                                      /* GEAR */
};

/* The kind read from an image may be any number. */
static const uint8_t *nsci_joint_kind(int kind)
{
    return nsci_joint_kinds[kind > 0 && kind <= NSC_JOINT_GEAR ? kind : 0];
}

static int nsci_held(int kind) { return nsci_joint_kind(kind)[0]; }
static int nsci_axis(int kind, int i) { return nsci_joint_kind(kind)[1 + i]; }

static int nsci_is_turn(int axis)
{
    return axis >= NSCI_TURN_Z && axis <= NSCI_TWIST;
}

/* EULER_IMPLICIT_PROJECTED: bend, the excess of a joint row's mean velocity in the sub-step over
   J v, because the bodies rotate.  A point held at r moves along an arc, whose chord points inward
   by h/2 w x (w x r) to first order.  Rates are those at the beginning. */
typedef struct nsci_bend {
    nsc_real h;                  /* [s] */
    nsc_vec3 wa, wb;             /* angular velocities [rad/s] */
    nsc_vec3 pull, twist;        /* of rows along and about axes of frame a [m/s, rad/s] */
} nsci_bend;

/* A joint placed in the world: bodies, origins and axes of its frames */
typedef struct nsci_frames {
    const nsc_world *w;
    const nsc_joint *j;
    int a, b;
    nsc_vec3 pa, pb;
    nsc_vec3 ra, rb;             /* arms of the joint's point */
    nsci_mat3 A, B;
    const nsci_scheme *s;        /* while rows are filled */
    const nsci_bend *bend;       /* NULL: not used */
} nsci_frames;

static nsc_vec3 nsci_place_frame(const nsc_body *b, const nsc_pose *frame, nsci_mat3 *axes)
{
    nsci_mat3 R = nsci_rotation(b->orientation);
    nsci_mat3 own = nsci_rotation(frame->orientation);
    int k;
    for (k = 0; k < 3; k++)
        axes->c[k] = nsci_mul_mv(&R, own.c[k]);
    return nsci_add(b->position, nsci_mul_mv(&R, nsci_sub(frame->position, b->centre)));
}

static void nsci_place_joint(const nsc_world *w, const nsc_joint *j, nsci_frames *f)
{
    f->w = w;
    f->j = j;
    f->a = nsci_body_of(w, j->def.body_a);
    f->b = nsci_body_of(w, j->def.body_b);
    f->pa = nsci_place_frame(&w->bodies[f->a], &j->def.frame_a, &f->A);
    f->pb = nsci_place_frame(&w->bodies[f->b], &j->def.frame_b, &f->B);
    f->ra = nsci_sub(f->pb, w->bodies[f->a].position);
    f->rb = nsci_sub(f->pb, w->bodies[f->b].position);
    f->s = NULL;
    f->bend = NULL;
}

static int nsci_axis_of(const nsci_frames *f, int i) { return nsci_axis(f->j->def.kind, i); }

/* 1 + the cosine of the swing, bounded from below: at a swing of half a turn it would be 0, and the
   twist is undefined. */
static nsc_real nsci_open(const nsci_frames *f)
{
    return nsci_max(1 + nsci_dot3(f->A.c[2], f->B.c[2]), NSC_R(1e-3));
}

/* Direction of an axis in the world: the relative velocity along or about it is the axis's rate.  A
   unit vector, except for the twist, which must not change while z of b swings: there it is the
   bisector of both z over the cosine of half the swing. */
static nsc_vec3 nsci_axis_direction(const nsci_frames *f, int axis)
{
    switch (axis) {
    case NSCI_ALONG_X: return f->A.c[0];
    case NSCI_ALONG_Y: return f->A.c[1];
    case NSCI_TURN_X: return f->B.c[0];
    case NSCI_SWING: {
        nsc_vec3 d = nsci_cross(f->A.c[2], nsci_sub(f->B.c[2], f->A.c[2]));
        return nsci_norm(d) > 4 * NSC_REAL_EPS ? nsci_unit(d, d) : f->A.c[0];
    }
    case NSCI_TWIST: return nsci_mul_sv(1 / nsci_open(f), nsci_add(f->A.c[2], f->B.c[2]));
    case NSCI_DISTANCE: return nsci_unit(nsci_sub(f->pb, f->pa), f->A.c[2]);
    default: return f->A.c[2];
    }
}

/* Length along an axis [m], or its angle within -pi..pi [rad] */
static nsc_real nsci_axis_raw(const nsci_frames *f, int axis)
{
    nsc_vec3 across, x;
    switch (axis) {
    case NSCI_TWIST: /* x of b, swung back by the turn that takes z of b to z of a */
        across = nsci_cross(f->B.c[2], f->A.c[2]);
        x = nsci_add(f->B.c[0], nsci_cross(across, f->B.c[0]));
        x = nsci_add_sv(x, 1 / nsci_open(f), nsci_cross(across, nsci_cross(across, f->B.c[0])));
        return nsci_atan2(nsci_dot3(x, f->A.c[1]), nsci_dot3(x, f->A.c[0]));
    case NSCI_TURN_Z:
        return nsci_atan2(nsci_dot3(f->B.c[0], f->A.c[1]), nsci_dot3(f->B.c[0], f->A.c[0]));
    case NSCI_TURN_X:
        return nsci_atan2(nsci_dot3(f->B.c[1], f->A.c[2]), nsci_dot3(f->B.c[2], f->A.c[2]));
    case NSCI_SWING:
        across = nsci_cross(f->A.c[2], f->B.c[2]);
        return nsci_atan2(nsci_norm(across), nsci_dot3(f->A.c[2], f->B.c[2]));
    default: return nsci_dot3(nsci_sub(f->pb, f->pa), nsci_axis_direction(f, axis));
    }
}

/* Full turns that bring the angle nearest to that of the last step */
static int32_t nsci_count_turns(const nsc_joint *j, int i, int axis, nsc_real *angle)
{
    nsc_real d = *angle - j->angle[i];
    if (axis != NSCI_TURN_Z && axis != NSCI_TURN_X)
        return 0;
    if (d > NSCI_PI && j->turns[i] > -1000000000)
        return j->turns[i] - 1;
    if (d < -NSCI_PI && j->turns[i] < 1000000000)
        return j->turns[i] + 1;
    return j->turns[i];
}

/* Length of an axis, or its angle within a turn; *turned: its full turns [rad], to be added */
static nsc_real nsci_axis_place(const nsci_frames *f, int i, nsc_real *turned)
{
    int axis = nsci_axis_of(f, i);
    nsc_real angle = nsci_axis_raw(f, axis);
    *turned = 2 * NSCI_PI * (nsc_real)nsci_count_turns(f->j, i, axis, &angle);
    return angle;
}

/* Position of an axis minus `from`, taken from the full turns first, or many turns would cost the
   angle its digits. */
static nsc_real nsci_axis_position(const nsci_frames *f, int i, nsc_real from)
{
    nsc_real turned;
    nsc_real angle = nsci_axis_place(f, i, &turned);
    return angle + (turned - from);
}

/* After a step: store turns and angles of the axes. */
static void nsci_track_joint(const nsc_world *w, nsc_joint *j)
{
    nsci_frames f;
    int i;
    nsci_place_joint(w, j, &f);
    for (i = 0; i < 3; i++) {
        int axis = nsci_axis_of(&f, i);
        nsc_real angle = nsci_is_turn(axis) && axis != NSCI_TWIST ? nsci_axis_raw(&f, axis) : 0;
        j->turns[i] = nsci_count_turns(j, i, axis, &angle);
        j->angle[i] = angle;
    }
}

/* Rotation vector [rad] of sine (times axis) e and cosine c; half a turn about x where e gives no
   axis */
static nsc_vec3 nsci_turn_of(nsc_vec3 e, nsc_real c, nsc_vec3 x)
{
    nsc_real s = nsci_norm(e);
    if (s > NSC_R(1e-6))
        return nsci_mul_sv(nsci_atan2(s, c) / s, e);
    return c < 0 ? nsci_mul_sv(NSCI_PI, x) : e;
}

/* Drift: offset along frame a's axes [m], rotation about them [rad]; only the components that the
   joint holds have a meaning. */
static void nsci_joint_error(const nsci_frames *f, nsc_real drift[NSC_JOINT_HELD])
{
    nsc_vec3 turn = nsci_cross(f->A.c[2], f->B.c[2]);
    nsc_vec3 offset = nsci_mul_mtv(&f->A, nsci_sub(f->pb, f->pa));
    nsc_real cosine = nsci_dot3(f->A.c[2], f->B.c[2]);
    int held = nsci_held(f->j->def.kind);
    if (held & 32) { /* full rotation: axis times sine is half the sum of A.c x B.c */
        turn = nsci_add(turn, nsci_add(nsci_cross(f->A.c[0], f->B.c[0]),
                                       nsci_cross(f->A.c[1], f->B.c[1])));
        turn = nsci_mul_sv(NSC_R(0.5), turn);
        cosine += nsci_dot3(f->A.c[0], f->B.c[0]) + nsci_dot3(f->A.c[1], f->B.c[1]);
        cosine = NSC_R(0.5) * (cosine - 1);
    }
    turn = nsci_mul_mtv(&f->A, nsci_turn_of(turn, cosine, f->A.c[0]));
    nsci_put_pair(drift, offset, turn);
    if (held & NSCI_CROSS)
        drift[3] = nsci_dot3(f->A.c[2], f->B.c[0]);
}

/* ---- rows into blocks */

/* Which rows an axis has: bit 0 spring, 1 drive, 2 friction, 3 limit */
static int nsci_axis_rows(const nsc_axis_def *d)
{
    return (d->spring > 0 || d->spring_damping > 0 || d->armature > 0) +
           2 * (d->drive != NSC_DRIVE_NONE) + 4 * (d->friction > 0) +
           8 * (d->limited || d->max_speed > 0);
}

/* Which of the NSC_JOINT_ROWS a joint has, a bit each */
static uint32_t nsci_joint_rows(const nsc_joint_def *d)
{
    const uint8_t *kind = nsci_joint_kind(d->kind);
    uint32_t rows = d->kind == NSC_JOINT_GEAR ? 1 : kind[0] & 63u;
    int i;
    for (i = 0; i < 3 && kind[1 + i]; i++)
        rows |= (uint32_t)nsci_axis_rows(&d->axis[i]) << (NSC_JOINT_HELD + NSC_AXIS_ROWS * i);
    return rows;
}

/* Has the joint a limit other than a lock? */
static int nsci_is_limited(const nsc_joint_def *d)
{
    int i, limited = 0;
    for (i = 0; i < 3; i++)
        limited |= nsci_axis(d->kind, i) != 0 && nsci_axis_rows(&d->axis[i]) >= 8 &&
                   !(d->axis[i].limited && d->axis[i].lower >= d->axis[i].upper);
    return limited;
}

/* Has the joint rows other than springs and dampers? */
static int nsci_is_rigid(const nsc_joint_def *d)
{
    return (nsci_joint_rows(d) & ~((uint32_t)0x111 << NSC_JOINT_HELD)) != 0;
}

/* Walk over the rows of a joint.  Offset, rotation and axis rows have separate blocks: held rows
   are pure EQUALITY blocks, solved exactly. */
typedef struct nsci_walk {
    uint32_t rows;               /* nsci_joint_rows */
    int slot;                    /* 0..NSC_JOINT_ROWS - 1, index in nsc_joint.impulse */
    int block, row;              /* the row's place in the joint's blocks */
} nsci_walk;

static nsci_walk nsci_walk_rows(const nsc_joint_def *d)
{
    nsci_walk at;
    at.rows = nsci_joint_rows(d);
    at.slot = at.block = -1;
    at.row = 2;
    return at;
}

/* Step to the joint's next row; 0 after the last. */
NSCI_INLINE int nsci_next_row(nsci_walk *at)
{
    int before = at->slot++;
    uint32_t left = at->rows >> at->slot;
    if (left == 0)
        return 0;
    for (; !(left & 1); left >>= 1)
        at->slot++;
    if (at->row == 2 || (before < 3 && at->slot >= 3) || (before < 6 && at->slot >= 6)) {
        at->block++;
        at->row = 0;
        return 1;
    }
    at->row++;
    return 1;
}

/* Joint row along d, or about it (turn = 1): velocity of b minus that of a */
NSCI_INLINE void nsci_joint_row(const nsci_frames *f, nsc_vec3 d, int turn, nsc_real *J)
{
    if (!turn) {
        nsci_fill_row(J, d, f->ra, f->rb);
        return;
    }
    nsci_put_pair(J, nsci_vec(0, 0, 0), nsci_neg(d));
    nsci_put_pair(J + 6, nsci_vec(0, 0, 0), d);
}

/* ---- bend of rows by the bodies' rotation in the sub-step */

/* Half of what free rotation adds to a body's angular velocity in the sub-step: the mean rate
   exceeds the initial one by this. */
static nsc_vec3 nsci_half_gyration(const nsc_body *b, nsc_real h)
{
    nsci_mat3 R;
    if (b->kind != NSC_DYNAMIC_BODY || nsci_is_ball(b->inertia) || !nsci_may_turn(b))
        return nsci_vec(0, 0, 0);
    R = nsci_rotation(b->orientation);
    return nsci_mul_sv(
        NSC_R(0.5),
        nsci_mul_mv(&R, nsci_gyroscopic(b->inertia, nsci_mul_mtv(&R, b->angular_velocity), h)));
}

static void nsci_bend_joint(const nsci_frames *f, nsc_real h, nsci_bend *k)
{
    const nsc_body *a = &f->w->bodies[f->a];
    const nsc_body *b = &f->w->bodies[f->b];
    nsc_vec3 ra = f->ra;
    nsc_vec3 rb = f->rb;
    nsc_vec3 apart = nsci_sub(b->velocity, a->velocity);
    nsc_vec3 go, say;
    nsc_vec3 ga = nsci_half_gyration(a, h);
    nsc_vec3 gb = nsci_half_gyration(b, h);
    nsc_quat qa = nsci_quat_exp(nsci_mul_sv(-h, nsci_add(a->angular_velocity, ga)));
    nsc_quat qb = nsci_quat_exp(nsci_mul_sv(h, nsci_add(b->angular_velocity, gb)));
    k->h = h;
    k->wa = a->angular_velocity;
    k->wb = b->angular_velocity;
    k->twist = nsci_sub(gb, ga);
    /* Displacement of the joint's point, relative to a without its rotation ... */
    go = nsci_add_sv(nsci_turned(qb, rb), h, apart);
    go = nsci_add(go, nsci_turned(qa, nsci_add(ra, go))); /* ... and with it */
    say = nsci_add(apart, nsci_sub(nsci_cross(k->wb, rb), nsci_cross(k->wa, ra)));
    k->pull = nsci_add_sv(nsci_neg(say), 1 / h, go);
}

/* Bend of a row about d, while d changes at `rate` [1/s] */
static nsc_real nsci_turn_bend(const nsci_bend *k, nsc_vec3 d, nsc_vec3 rate)
{
    return NSC_R(0.5) * k->h * nsci_dot3(rate, nsci_sub(k->wb, k->wa)) + nsci_dot3(d, k->twist);
}

static nsc_real nsci_hold_bend(const nsci_frames *f, int cross, int turn, nsc_vec3 d)
{
    const nsci_bend *k = f->bend;
    nsc_vec3 rate;
    if (!turn)
        return nsci_dot3(d, k->pull);
    rate = nsci_cross(k->wa, d);
    if (cross) {
        rate = nsci_cross(f->B.c[0], nsci_cross(k->wa, f->A.c[2]));
        rate = nsci_sub(rate, nsci_cross(f->A.c[2], nsci_cross(k->wb, f->B.c[0])));
    }
    return nsci_turn_bend(k, d, rate);
}

/* Bend of the swing about d, along A.z x B.z.  That product may be short, so d's mean rotation over
   the sub-step is bounded. */
static nsc_real nsci_swing_bend(const nsci_frames *f, nsc_vec3 d)
{
    const nsci_bend *k = f->bend;
    nsc_vec3 za = f->A.c[2];
    nsc_vec3 zb = f->B.c[2];
    nsc_vec3 rate = nsci_sub(nsci_cross(za, nsci_cross(k->wb, zb)),
                             nsci_cross(zb, nsci_cross(k->wa, za)));
    nsc_real l = nsci_norm(nsci_cross(za, zb));
    nsc_real x;
    rate = nsci_add_sv(rate, -nsci_dot3(d, rate), d);
    x = k->h * nsci_norm(rate);
    l += NSC_SQRT(l * l + x * x);
    return nsci_turn_bend(k, d, nsci_mul_sv(l > 0 ? 2 / l : 0, rate));
}

/* Bend of a distance l: motion x across it adds sqrt(l^2 + x^2) - l, and the arcs of its ends add
   to it. */
static nsc_real nsci_distance_bend(const nsci_frames *f, nsc_vec3 d, nsc_real h)
{
    const nsc_body *a = &f->w->bodies[f->a];
    const nsc_body *b = &f->w->bodies[f->b];
    nsc_vec3 va = nsci_cross(a->angular_velocity, nsci_sub(f->pa, a->position));
    nsc_vec3 arc_a = nsci_cross(a->angular_velocity, va);
    nsc_vec3 vb = nsci_cross(b->angular_velocity, f->rb);
    nsc_vec3 arc_b = nsci_cross(b->angular_velocity, vb);
    nsc_vec3 v = nsci_sub(nsci_add(b->velocity, vb), nsci_add(a->velocity, va));
    nsc_real l = nsci_dot3(d, nsci_sub(f->pb, f->pa));
    nsc_real x2, sum;
    v = nsci_add_sv(v, -nsci_dot3(d, v), d);
    x2 = h * h * nsci_dot3(v, v);
    sum = l + NSC_SQRT(l * l + x2);
    return (sum > 0 ? x2 / (h * sum) : 0) + NSC_R(0.5) * h * nsci_dot3(d, nsci_sub(arc_b, arc_a));
}

/* Bend of the limit of an axis along or about d.  EULER_IMPLICIT_LINEARIZED and _SYMPLECTIC use it
   for ropes only, where it costs little: without it a taut swinging rope is too long by its bend in
   a step divided by joint_recovery.  They omit it for rows that hold both ways, because undoing
   drift on top of the bend adds energy to a cracking chain. */
static nsc_real nsci_limit_bend(const nsci_frames *f, int axis, nsc_vec3 d, int rope)
{
    if (axis == NSCI_DISTANCE && (f->bend || (rope && f->s->mode < NSCI_POSITION)))
        return nsci_distance_bend(f, d, f->s->hx);
    if (!NSCI_STEPPERS || !f->bend)
        return 0;
    if (axis == NSCI_SWING)
        return nsci_swing_bend(f, d);
    if (nsci_is_turn(axis)) {
        nsc_vec3 rate = axis == NSCI_TURN_X ? f->bend->wb : f->bend->wa;
        if (axis == NSCI_TWIST)
            rate = nsci_mul_sv(NSC_R(0.5), nsci_add(f->bend->wa, f->bend->wb));
        return nsci_turn_bend(f->bend, d, nsci_cross(rate, d));
    }
    return nsci_dot3(d, f->bend->pull);
}

/* Bend, bounded.  A row that opens and is closed again at the same speed neither takes nor adds
   energy, and in smooth motion the bend is nearly that speed.  A bend above `most` times the row's
   speed means that the initial rates were a bad estimate (a whip cracks, a rope goes taut, a solver
   was cut short); the speed is then returned.  0 if the signs differ. */
static nsc_real nsci_bound_bend(const nsc_world *w, const nsc_block *k, int i, nsc_real bend,
                                nsc_real most)
{
    nsc_real speed;
    if (!(nsci_abs(bend) > 0))
        return 0;
    speed = nsci_row_speed(w, k, i);
    if (bend * speed <= 0)
        return 0;
    return nsci_abs(bend) <= most * nsci_abs(speed) ? bend : speed;
}

/* Bias that undoes a row's drift within the step, with its bend, bounded.  Newton's method counts
   from the row's initial position.  EULER_IMPLICIT_PROJECTED undoes drift in its second solve. */
static nsc_real nsci_undo(const nsc_world *w, const nsci_scheme *s, const nsc_block *k, int i,
                          nsc_real drift, nsc_real bend)
{
    nsc_real share = s->mode == NSCI_VELOCITY   ? 0
                     : s->mode >= NSCI_POSITION ? 1
                                                : w->def.joint_recovery;
    nsc_real speed = share * drift / s->hx + bend;
    if (s->mode == NSCI_NEWTON)
        speed -= nsci_row_speed(w, k, i);
    return nsci_clamp(speed, -w->def.joint_speed, w->def.joint_speed);
}

/* Fill held row 0..5: Jacobian, and the bias that undoes its drift */
static void nsci_hold_row(const nsci_frames *f, int slot, nsc_real drift, nsc_block *b, int i)
{
    int cross = slot == 3 && nsci_held(f->j->def.kind) & NSCI_CROSS;
    nsc_vec3 d = cross ? nsci_cross(f->B.c[0], f->A.c[2]) : f->A.c[slot % 3];
    nsc_real bend = 0;
    nsci_joint_row(f, d, slot >= 3, b->J[i]);
    if (NSCI_STEPPERS && f->bend)
        bend = nsci_bound_bend(f->w, b, i, nsci_hold_bend(f, cross, slot >= 3, d), NSC_R(1.2));
    b->bias[i] = nsci_undo(f->w, f->s, b, i, drift, bend);
}

/* A limit acts at the end nearer to the axis's predicted position after this step; a lock at both.
   A bound on the axis's speed is a limit that moves with it, at the end it moves to, unless it may
   reach the nearer end within this step. */
static void nsci_limit_row(const nsci_frames *f, int i, nsc_vec3 along, nsc_block *b, int row)
{
    const nsc_world *w = f->w;
    const nsci_scheme *s = f->s;
    const nsc_axis_def *d = &f->j->def.axis[i];
    nsc_real turned = 0;
    nsc_real place = d->limited ? nsci_axis_place(f, i, &turned) : 0;
    nsc_real end;
    nsc_real low = d->limited ? place + (turned - d->lower) : 0;
    nsc_real high = d->limited ? place + (turned - d->upper) : 0;
    nsc_real speed = nsci_dot12(b->J[row], w->v_free + 6 * f->a, w->v_free + 6 * f->b);
    int axis = nsci_axis_of(f, i);
    int upper, near, open;
    int soft = d->limit_stiffness > 0;
    int bounded = d->max_speed > 0;
    int never_below = d->limited && (axis == NSCI_SWING || axis == NSCI_DISTANCE) && d->lower <= 0;
    nsc_real bend = nsci_limit_bend(f, axis, along, d->lower < d->upper);
    nsc_real moved;
    /* LINEARIZED: undoing drift has reduced the row's speed; a wider bound prevents ringing */
    bend = nsci_bound_bend(w, b, row, bend, f->bend ? NSC_R(1.2) : NSC_R(2.1));
    if (d->limited && d->lower >= d->upper) {
        b->bias[row] = nsci_undo(w, s, b, row, low, bend);
        return;
    }
    moved = s->hx * (speed + bend);
    moved = s->mode == NSCI_POSITION ? 0 : nsci_row_origin(w, s, b, row, moved);
    upper = never_below || !(low + moved < -(high + moved));
    near = d->limited && (upper ? -high : low) < s->hx * d->max_speed;
    if (bounded && (nsci_abs(speed) > d->max_speed || !near))
        upper = speed > 0;
    end = upper ? high : low;
    open = upper ? high < 0 : low > 0;
    (upper ? b->hi : b->lo)[row] = 0;
    b->lambda[row] = nsci_clamp(b->lambda[row], b->lo[row], b->hi[row]);
    if (soft && d->limited && !(open && bounded)) {
        nsci_soften(w, s, b, row, d->limit_stiffness, open ? 0 : d->limit_damping, end, 0, 0);
        return;
    }
    if (!d->limited || soft)
        b->bias[row] = upper ? -NSC_REAL_MAX : NSC_REAL_MAX;
    else if (open)
        b->bias[row] = nsci_row_origin(w, s, b, row, end) / s->hx + bend;
    else
        b->bias[row] = nsci_undo(w, s, b, row, end, bend);
    if (bounded && s->mode != NSCI_POSITION)
        b->bias[row] = nsci_clamp(b->bias[row], -d->max_speed, d->max_speed);
    else if (!d->limited || soft)
        nsci_give(b, row, 0);
}

/* No bounds, no bias */
static void nsci_free_row(nsc_block *b, int i)
{
    b->bias[i] = 0;
    b->lo[i] = -NSC_REAL_MAX;
    b->hi[i] = NSC_REAL_MAX;
}

/* Spring, damper and armature of an axis.  The armature resists the change of velocity v to v' by
   the impulse -armature (v' - v): a damper of armature / hf that moves at v. */
static void nsci_spring_row(const nsci_frames *f, int axis, nsc_block *b, int i)
{
    const nsci_scheme *s = f->s;
    const nsc_axis_def *d = &f->j->def.axis[axis];
    nsc_real x = nsci_axis_position(f, axis, d->spring_rest);
    nsc_real v;
    nsc_real damping = d->spring_damping;
    nsc_real inert = nsci_finite(1 / d->armature) ? d->armature / s->hf : 0;
    if (!(inert > 0)) {
        nsci_soften(f->w, s, b, i, d->spring, damping, x, 0, 0);
        return;
    }
    v = nsci_speed_before(f->w, s, b, i);
    nsci_soften(f->w, s, b, i, d->spring, damping + inert, x, 0, inert * v);
    if (s->mode != NSCI_EXPLICIT)
        return;
    /* Spring and damper are explicit; an inertia never is. */
    nsci_free_row(b, i);
    b->cfm[i] = 1 / d->armature;
    b->bias[i] = (d->spring * x + damping * v) / inert - v;
}

/* Bound the impulse of a row to push - most .. push + most. */
static void nsci_bound_row(nsc_block *b, int i, nsc_real push, nsc_real most)
{
    most = nsci_min(most, NSC_REAL_MAX);
    b->hi[i] = nsci_min(push + most, NSC_REAL_MAX);
    b->lo[i] = nsci_max(push - most, -NSC_REAL_MAX);
}

static void nsci_drive_row(const nsci_frames *f, int axis, nsc_block *b, int i)
{
    const nsc_axis_def *d = &f->j->def.axis[axis];
    nsc_real push = f->s->hf * d->force;
    nsc_real most = f->s->hf * d->max_force;
    nsci_bound_row(b, i, push, most);
    if (d->drive == NSC_DRIVE_FORCE)
        nsci_give(b, i, nsci_clamp(push, -most, most));
    else if (d->drive == NSC_DRIVE_SERVO)
        nsci_soften(f->w, f->s, b, i, d->stiffness, d->damping,
                    nsci_axis_position(f, axis, d->target), d->target_velocity, d->force);
    else if (f->s->mode != NSCI_POSITION)
        b->bias[i] = -d->target_velocity;
}

/* Fill row `what` of an axis. */
enum { NSCI_SPRING_ROW, NSCI_DRIVE_ROW, NSCI_FRICTION_ROW, NSCI_LIMIT_ROW };
static void nsci_axis_row(const nsci_frames *f, int axis, int what, nsc_block *b, int i)
{
    const nsc_axis_def *d = &f->j->def.axis[axis];
    int code = nsci_axis_of(f, axis);
    nsc_vec3 along = nsci_axis_direction(f, code);
    nsci_joint_row(f, along, nsci_is_turn(code), b->J[i]);
    nsci_free_row(b, i);
    if (what == NSCI_LIMIT_ROW)
        nsci_limit_row(f, axis, along, b, i);
    else if (what == NSCI_DRIVE_ROW && d->drive == NSC_DRIVE_MOTOR)
        nsci_drive_row(f, axis, b, i);
    else if (f->s->mode == NSCI_POSITION)
        nsci_give(b, i, 0); /* the position solve; a motor still holds its axis */
    else if (what == NSCI_SPRING_ROW)
        nsci_spring_row(f, axis, b, i);
    else if (what == NSCI_DRIVE_ROW)
        nsci_drive_row(f, axis, b, i);
    else
        nsci_bound_row(b, i, 0, f->s->hf * d->friction);
}

/* Velocities at point o of joint_a's or joint_b's driven body per unit velocity of its axis */
static void nsci_screw(const nsci_frames *f, nsc_vec3 o, nsc_vec3 *linear, nsc_vec3 *angular)
{
    nsc_vec3 z = f->A.c[2];
    int slides = f->j->def.kind == NSC_JOINT_SLIDER;
    *linear = slides ? z : nsci_cross(z, nsci_sub(o, f->pb));
    *angular = slides ? nsci_vec(0, 0, 0) : z;
}

/* Force s along, or torque s about, one joint's axis on its driven body */
static void nsci_single_wrench(const nsci_frames *f, nsc_real s, nsc_real *J)
{
    nsc_vec3 d = nsci_mul_sv(s, f->A.c[2]);
    nsc_vec3 couple = d;
    if (f->j->def.kind == NSC_JOINT_SLIDER)
        couple = nsci_cross(f->rb, d);
    else
        d = nsci_vec(0, 0, 0);
    nsci_put_pair(J, d, couple);
}

/* A gear is a wrench between the two driven bodies that does work 1 on axis 0 of joint_a and -ratio
   on that of joint_b.  As in a gearbox, the bearings load the base with its share, and the base's
   own motion drops out.  The smallest such wrench at the midpoint o is taken.  On one common axis
   there is none: each wheel is then turned against an immovable base, and 1 is returned. */
static int nsci_gear_wrench(const nsci_frames *f1, const nsci_frames *f2, nsc_real ratio,
                            nsc_real *J)
{
    nsc_vec3 o = nsci_mul_sv(NSC_R(0.5), nsci_add(f1->pb, f2->pb));
    nsc_vec3 v1, o1, v2, o2, force, couple;
    nsc_vec3 apart = nsci_sub(f1->pb, f2->pb);
    nsc_real L2 = nsci_dot3(apart, apart);
    nsc_real g11, g12, g22, det, s, t;
    nsci_screw(f1, o, &v1, &o1);
    nsci_screw(f2, o, &v2, &o2);
    L2 = L2 > NSC_R(1e-12) ? 1 / L2 : 1;
    g11 = L2 * nsci_dot3(v1, v1) + nsci_dot3(o1, o1);
    g12 = L2 * nsci_dot3(v1, v2) + nsci_dot3(o1, o2);
    g22 = L2 * nsci_dot3(v2, v2) + nsci_dot3(o2, o2);
    det = g11 * g22 - g12 * g12;
    if (det <= NSC_R(1e-4) * g11 * g22) {
        nsci_single_wrench(f1, 1, J);
        nsci_single_wrench(f2, -ratio, J + 6);
        return 1;
    }
    s = (g22 - ratio * g12) / det;
    t = (ratio * g11 - g12) / det;
    force = nsci_mul_sv(L2, nsci_add_sv(nsci_mul_sv(s, v1), t, v2));
    couple = nsci_add_sv(nsci_mul_sv(s, o1), t, o2);
    nsci_fill_row(J, nsci_neg(force), nsci_sub(o, f1->w->bodies[f1->b].position),
                  nsci_sub(o, f2->w->bodies[f2->b].position));
    J[3] += couple.x;
    J[4] += couple.y;
    J[5] += couple.z;
    J[9] -= couple.x;
    J[10] -= couple.y;
    J[11] -= couple.z;
    return 0;
}

static const nsc_joint *nsci_joint_at(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_JOINT_HANDLE, id);
    return i < 0 ? NULL : &w->joints[i];
}

/* Place both joints of a gear; 0 if it has lost one. */
static int nsci_place_gear(const nsc_world *w, const nsc_joint_def *d, nsci_frames *f1,
                           nsci_frames *f2)
{
    const nsc_joint *one = nsci_joint_at(w, d->joint_a);
    const nsc_joint *two = nsci_joint_at(w, d->joint_b);
    if (!one || !two)
        return 0;
    nsci_place_joint(w, one, f1);
    nsci_place_joint(w, two, f2);
    return 1;
}

/* Position of axis 0 of joint_a minus ratio times that of joint_b */
static nsc_real nsci_gear_between(const nsci_frames *f1, const nsci_frames *f2, nsc_real ratio)
{
    return nsci_axis_position(f1, 0, 0) - ratio * nsci_axis_position(f2, 0, 0);
}

static nsc_real nsci_gear_position(const nsc_world *w, const nsc_joint_def *d)
{
    nsci_frames f1, f2;
    return nsci_place_gear(w, d, &f1, &f2) ? nsci_gear_between(&f1, &f2, d->ratio) : 0;
}

static void nsci_gear_row(const nsc_world *w, const nsc_joint *j, nsc_block *b,
                          const nsci_scheme *s)
{
    const nsc_axis_def *teeth = &j->def.axis[0];
    nsc_real position;
    nsci_frames f1, f2;
    nsci_clear(b->J[0], sizeof b->J[0]);
    nsci_free_row(b, 0);
    if (!nsci_place_gear(w, &j->def, &f1, &f2))
        return;
    nsci_gear_wrench(&f1, &f2, j->def.ratio, b->J[0]);
    position = nsci_gear_between(&f1, &f2, j->def.ratio) - j->offset;
    if (!(teeth->spring > 0)) {
        b->bias[0] = nsci_undo(w, s, b, 0, position, 0);
        return;
    }
    b->kind = NSC_BLOCK_BOX;
    nsci_soften(w, s, b, 0, teeth->spring, teeth->spring_damping, position, 0, 0);
}

/* Fill the joint's rows into `blocks`, between bodies a and b of the island's problem.  scale: of
   the last step's impulses, as warm start; negative: keep those in the blocks.  Returns the number
   of blocks. */
NSCI_OWN_FRAME int nsci_fill_joint(const nsc_world *w, const nsc_joint *j, int a, int b,
                                   const nsci_scheme *s, nsc_real scale, nsc_block *blocks)
{
    nsci_walk at = nsci_walk_rows(&j->def);
    nsci_frames f;
    nsc_real drift[NSC_JOINT_HELD];
    nsci_bend bend;
    nsci_place_joint(w, j, &f);
    nsci_joint_error(&f, drift);
    f.s = s;
    if (NSCI_STEPPERS && s->mode == NSCI_VELOCITY) {
        nsci_bend_joint(&f, s->h, &bend);
        f.bend = &bend;
    }
    while (nsci_next_row(&at)) {
        nsc_block *k = &blocks[at.block];
        int i = at.row;
        int of_axes = at.slot - NSC_JOINT_HELD;
        if (i == 0) {
            k->a = a;
            k->b = b;
            k->kind = of_axes < 0 ? NSC_BLOCK_EQUALITY : NSC_BLOCK_BOX;
            k->mu = 0;
        }
        k->rows = (unsigned char)(i + 1);
        k->cfm[i] = 0;
        if (scale >= 0)
            k->lambda[i] = scale * j->impulse[at.slot];
        if (j->def.kind == NSC_JOINT_GEAR)
            nsci_gear_row(w, j, k, s);
        else if (of_axes < 0)
            nsci_hold_row(&f, at.slot, drift[at.slot], k, i);
        else
            nsci_axis_row(&f, of_axes / NSC_AXIS_ROWS, of_axes % NSC_AXIS_ROWS, k, i);
    }
    return at.block + 1;
}

/* Store the blocks' impulses, summed over the sub-steps, and their resultant at the joint's point.
   Returns the number of blocks. */
NSCI_OWN_FRAME int nsci_store_joint(nsc_world *w, nsc_joint *j, const nsc_block *blocks,
                                    const nsc_real (*sum)[3])
{
    nsci_walk at = nsci_walk_rows(&j->def);
    nsc_vec3 r = nsci_vec(0, 0, 0);
    nsc_vec3 force = r;
    nsc_vec3 torque = r;
    if (j->def.kind == NSC_JOINT_GEAR) {
        nsci_frames f;
        nsci_place_joint(w, j, &f);
        r = f.rb;
    }
    nsci_clear(j->impulse, sizeof j->impulse);
    while (nsci_next_row(&at)) {
        const nsc_real *J = blocks[at.block].J[at.row];
        nsc_real s = j->impulse[at.slot] = nsci_flush(nsci_clamp_finite(sum[at.block][at.row]));
        nsc_vec3 push = nsci_vec(J[6], J[7], J[8]);
        nsc_vec3 turn = nsci_vec(J[9], J[10], J[11]);
        if (j->def.kind == NSC_JOINT_GEAR) {
            force = nsci_mul_sv(s, push);
            torque = nsci_mul_sv(s, nsci_sub(turn, nsci_cross(r, push)));
        } else if (at.slot < 3 || nsci_dot3(push, push) > 0) {
            force = nsci_add_sv(force, s, push); /* no torque about the joint's point */
        } else {
            torque = nsci_add_sv(torque, s, turn);
        }
    }
    j->force_impulse = nsci_flush3(nsci_clamp_finite3(force));
    j->torque_impulse = nsci_flush3(nsci_clamp_finite3(torque));
    return at.block + 1;
}

/* ---- adding, removing, reading */

static int nsci_check_axis(nsci_why *note, const nsc_axis_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_axis_def_limited,
                                  NSCI_nsc_axis_def_limit_damping);
    if (code < 0)
        return code;
    if (d->limited && d->lower > d->upper)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_CROSSED, d->lower);
    if (d->drive != NSC_DRIVE_SERVO || d->stiffness > 0 || d->damping > 0)
        return NSC_OK;
    return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_GAIN, d->stiffness);
}

/* Check a gear; its bodies become those its joints drive.  Both joints must be hinges or sliders on
   one base. */
static int nsci_check_gear(nsc_world *w, nsc_joint_def *d)
{
    const nsc_joint *one = nsci_joint_at(w, d->joint_a);
    const nsc_joint *two = nsci_joint_at(w, d->joint_b);
    nsci_frames f1, f2;
    nsc_real J[12];
    int code, good;
    if (!one || !two)
        return nsci_refused(&w->note, NSC_ERR_HANDLE, NSCI_BAD_JOINT,
                            (nsc_real)((one ? d->joint_b : d->joint_a) & 16383));
    code = nsci_check_members(&w->note, d, NSCI_nsc_joint_def_ratio, NSCI_nsc_joint_def_ratio);
    if (code < 0)
        return code;
    if (nsci_abs(d->ratio) < NSC_R(1e-6) || nsci_abs(d->ratio) > NSC_R(1e6))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_RATIO, d->ratio);
    good = one != two && (one->def.kind == NSC_JOINT_HINGE || one->def.kind == NSC_JOINT_SLIDER) &&
           (two->def.kind == NSC_JOINT_HINGE || two->def.kind == NSC_JOINT_SLIDER);
    d->body_a = one->def.body_b;
    d->body_b = two->def.body_b;
    if (good && d->body_a != d->body_b) {
        nsci_place_gear(w, d, &f1, &f2);
        good = f1.a == f2.a ||
               (w->bodies[f1.a].kind == NSC_STATIC_BODY && w->bodies[f2.a].kind == NSC_STATIC_BODY);
        if (good && !(nsci_gear_wrench(&f1, &f2, d->ratio, J) &&
                      w->bodies[f1.a].kind == NSC_DYNAMIC_BODY))
            return NSC_OK;
    }
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_GEAR, (nsc_real)one->def.kind);
}

static int nsci_check_joint_def(nsc_world *w, nsc_joint_def *d)
{
    int i;
    int code = nsci_check_members(&w->note, d, NSCI_nsc_joint_def_kind, NSCI_nsc_joint_def_frame_b);
    if (code < 0)
        return code;
    if (d->kind == NSC_JOINT_GEAR) {
        code = nsci_check_axis(&w->note, &d->axis[0]);
        return code < 0 ? code : nsci_check_gear(w, d);
    }
    code = nsci_check_ends(w, d->body_a, d->body_b);
    for (i = 0; i < 3 && code == NSC_OK; i++)
        if (nsci_axis(d->kind, i) != 0)
            code = nsci_check_axis(&w->note, &d->axis[i]);
    return code;
}

static int nsci_joint_blocks(const nsc_joint_def *d)
{
    nsci_walk at = nsci_walk_rows(d);
    while (nsci_next_row(&at)) {
    }
    return at.block + 1;
}

/* Can the stepper handle the joint?  A limit is an impact, like hard contact. */
static int nsci_check_stepper_joint(nsci_why *note, const nsc_world_def *def,
                                    const nsc_joint_def *d)
{
    if ((nsci_is_newmark(def) || def->stepper == NSC_STEPPER_EULER_FORWARD) && nsci_is_limited(d))
        return nsci_refused(note, NSC_ERR_STEPPER_CONTACT, NSCI_LIMIT_STEPPER,
                            (nsc_real)def->stepper);
    if (!nsci_is_trapezoidal(def) || !nsci_is_rigid(d))
        return NSC_OK;
    return nsci_refused(note, NSC_ERR_STEPPER_JOINTS, NSCI_RULE_STEPPER, (nsc_real)def->stepper);
}

/* Is there room for the blocks of a joint, in place of joint `instead` (-1: of none), and can the
   stepper handle it? */
static int nsci_check_joint_room(nsc_world *w, const nsc_joint_def *d, int instead)
{
    int i, blocks = nsci_joint_blocks(d);
    int code = nsci_check_stepper_joint(&w->note, &w->def, d);
    if (code < 0)
        return code;
    for (i = 0; i < w->joint_end; i++)
        if (w->joints[i].generation % 2 && i != instead)
            blocks += nsci_joint_blocks(&w->joints[i].def);
    if (blocks <= NSC_MAX_JOINT_BLOCKS)
        return NSC_OK;
    return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_BLOCKS, (nsc_real)blocks);
}

static void nsci_wake_joint(nsc_world *w, const nsc_joint *j)
{
    nsci_wake(&w->bodies[nsci_body_of(w, j->def.body_a)]);
    nsci_wake(&w->bodies[nsci_body_of(w, j->def.body_b)]);
}

NSC_API nsc_id nsc_world_add_joint(nsc_world *w, const nsc_joint_def *def)
{
    nsc_joint *j;
    nsc_joint_def d;
    uint16_t generation;
    int i, code = nsci_enter(w);
    if (code < 0)
        return code;
    if (!def)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    NSC_MEMCPY(&d, def, sizeof d);
    code = nsci_check_joint_def(w, &d);
    i = nsci_free_slot(w, NSCI_JOINT_HANDLE);
    if (code == NSC_OK && i >= NSC_MAX_JOINTS)
        code = nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_JOINTS, (nsc_real)NSC_MAX_JOINTS);
    if (code == NSC_OK)
        code = nsci_check_joint_room(w, &d, -1);
    if (code < 0)
        return code;
    j = &w->joints[i];
    generation = (uint16_t)(j->generation + 1);
    NSC_MEMSET(j, 0, sizeof *j);
    NSC_MEMCPY(&j->def, &d, sizeof d);
    j->def.frame_a.orientation = nsci_quat_normalise(d.frame_a.orientation);
    j->def.frame_b.orientation = nsci_quat_normalise(d.frame_b.orientation);
    if (d.kind == NSC_JOINT_GEAR)
        j->offset = nsci_gear_position(w, &d);
    j->generation = generation;
    if (i >= w->joint_end)
        w->joint_end = i + 1;
    nsci_track_joint(w, j);
    nsci_wake_joint(w, j);
    nsci_forget_rates(w);
    return nsci_handle(w, NSCI_JOINT_HANDLE, i, generation);
}

/* Can a stepper handle all joints? */
static int nsci_check_stepper_joints(nsc_world *w, const nsc_world_def *def)
{
    int i, code = NSC_OK;
    for (i = 0; i < w->joint_end && code == NSC_OK; i++)
        if (w->joints[i].generation % 2)
            code = nsci_check_stepper_joint(&w->note, def, &w->joints[i].def);
    return code;
}

static int nsci_is_joint_of(const nsc_joint *j, nsc_id body)
{
    return j->generation % 2 && (j->def.body_a == body || j->def.body_b == body);
}

static int nsci_has_joint(const nsc_world *w, nsc_id body)
{
    int i;
    for (i = 0; i < w->joint_end; i++)
        if (nsci_is_joint_of(&w->joints[i], body))
            return 1;
    return 0;
}

/* Does a gear act on a joint of the body? */
NSC_MAYBE_UNUSED static int nsci_has_gear(const nsc_world *w, nsc_id body)
{
    int i;
    for (i = 0; i < w->joint_end; i++) {
        const nsc_joint_def *d = &w->joints[i].def;
        int a, b;
        if (w->joints[i].generation % 2 == 0 || d->kind != NSC_JOINT_GEAR)
            continue;
        a = nsci_find(w, NSCI_JOINT_HANDLE, d->joint_a);
        b = nsci_find(w, NSCI_JOINT_HANDLE, d->joint_b);
        if ((a >= 0 && nsci_is_joint_of(&w->joints[a], body)) ||
            (b >= 0 && nsci_is_joint_of(&w->joints[b], body)))
            return 1;
    }
    return 0;
}

/* Free one joint, and the gears on it. */
static void nsci_free_joint(nsc_world *w, int i)
{
    nsc_id id = nsci_handle(w, NSCI_JOINT_HANDLE, i, w->joints[i].generation);
    int k;
    nsci_wake_joint(w, &w->joints[i]);
    nsci_forget_rates(w);
    w->joints[i].generation++;
    for (k = 0; k < w->joint_end; k++) {
        nsc_joint *j = &w->joints[k];
        if (j->generation % 2 == 0 || j->def.kind != NSC_JOINT_GEAR ||
            (j->def.joint_a != id && j->def.joint_b != id))
            continue;
        nsci_wake_joint(w, j);
        j->generation++;
    }
    w->joint_end = nsci_new_end(w, NSCI_JOINT_HANDLE);
}

static void nsci_free_joints_of(nsc_world *w, nsc_id body)
{
    int i;
    for (i = w->joint_end - 1; i >= 0; i--)
        if (i < w->joint_end && nsci_is_joint_of(&w->joints[i], body))
            nsci_free_joint(w, i);
}

NSC_API int nsc_world_remove_joint(nsc_world *w, nsc_id id)
{
    int i = nsci_change(w, NSCI_JOINT_HANDLE, id);
    if (i < 0)
        return i;
    nsci_free_joint(w, i);
    return NSC_OK;
}

/* List per body the joints that keep it from colliding with their other body. */
static void nsci_link_joints(nsc_world *w)
{
    int i, side;
    for (i = 0; i < w->body_end; i++)
        w->first_joint[i] = 0;
    for (i = 0; i < w->joint_end; i++)
        for (side = 0; side < 2 && w->joints[i].generation % 2 && !w->joints[i].def.collide;
             side++) {
            int body = nsci_body_of(w, side ? w->joints[i].def.body_b : w->joints[i].def.body_a);
            w->next_joint[i][side] = w->first_joint[body];
            w->first_joint[body] = (uint16_t)(i + 1);
        }
}

/* 1 if a listed joint connects the two bodies */
static int nsci_joined(const nsc_world *w, int a, int b)
{
    int own = a > 0 ? a : b, other = a > 0 ? b : a, i, next; /* the ground's list may be long */
    for (i = w->first_joint[own]; i > 0; i = next) {
        const nsc_joint_def *d = &w->joints[i - 1].def;
        int from = nsci_body_of(w, d->body_a);
        int to = nsci_body_of(w, d->body_b);
        if ((own == from ? to : from) == other)
            return 1;
        next = w->next_joint[i - 1][own == from ? 0 : 1];
    }
    return 0;
}

/* Axes given by orthonormal columns as a quaternion (Shepperd 1978: the largest component first) */
static nsc_quat nsci_quat_of(const nsci_mat3 *m)
{
    nsc_real x = m->c[0].x;
    nsc_real y = m->c[1].y;
    nsc_real z = m->c[2].z;
    nsc_real one = 1;
    nsc_real a = m->c[1].z - m->c[2].y;
    nsc_real b = m->c[2].x - m->c[0].z;
    nsc_real c = m->c[0].y - m->c[1].x;
    nsc_real d = m->c[0].y + m->c[1].x;
    nsc_real e = m->c[2].x + m->c[0].z;
    nsc_real f = m->c[1].z + m->c[2].y;
    nsc_quat q;
    if (x + y + z > 0) {
        q.w = one + x + y + z;
        q.x = a;
        q.y = b;
        q.z = c;
    } else if (x >= y && x >= z) {
        q.w = a;
        q.x = one + x - y - z;
        q.y = d;
        q.z = e;
    } else if (y >= z) {
        q.w = b;
        q.x = d;
        q.y = one - x + y - z;
        q.z = f;
    } else {
        q.w = c;
        q.x = e;
        q.y = f;
        q.z = one - x - y + z;
    }
    return nsci_quat_normalise(q);
}

/* Pose of a world frame (point, q) in the frame of a body */
static nsc_pose nsci_frame_in(const nsc_body *b, nsc_vec3 point, nsc_quat q)
{
    nsci_mat3 R = nsci_rotation(b->orientation);
    nsc_quat back = b->orientation;
    nsc_pose p;
    back.x = -back.x;
    back.y = -back.y;
    back.z = -back.z;
    p.position = nsci_add(b->centre, nsci_mul_mtv(&R, nsci_sub(point, b->position)));
    p.orientation = nsci_quat_normalise(nsci_quat_mul(back, q));
    return p;
}

NSC_API int nsc_joint_place(const nsc_world *w, nsc_joint_def *d, nsc_vec3 point, nsc_vec3 axis,
                            nsc_vec3 across)
{
    int a = d ? nsci_find(w, NSCI_BODY_HANDLE, d->body_a) : NSC_ERR_ARGUMENT;
    int b = a < 0 ? a : nsci_find(w, NSCI_BODY_HANDLE, d->body_b);
    nsc_pose frame_a, frame_b;
    nsci_mat3 m;
    nsc_quat q;
    nsc_vec3 x, y;
    nsc_real length = nsci_norm(axis);
    if (b < 0)
        return b;
    if (!nsci_vec_finite(point) || !nsci_finite(nsci_norm(across)) || !nsci_finite(length))
        return NSC_ERR_NOT_FINITE;
    if (!(length > NSC_R(1e-18)))
        return NSC_ERR_ARGUMENT;
    m.c[2] = nsci_mul_sv(1 / length, axis);
    nsci_tangents(m.c[2], &x, &y);
    y = nsci_add_sv(nsci_mul_sv(nsci_dot3(across, x), x), nsci_dot3(across, y), y);
    m.c[0] = nsci_unit(y, x);
    m.c[1] = nsci_cross(m.c[2], m.c[0]);
    q = nsci_quat_of(&m);
    frame_a = nsci_frame_in(&w->bodies[a], point, q);
    frame_b = nsci_frame_in(&w->bodies[b], point, q);
    if (nsci_check_pose(NULL, &frame_a) < 0 || nsci_check_pose(NULL, &frame_b) < 0)
        return NSC_ERR_NOT_FINITE;
    d->frame_a = frame_a;
    d->frame_b = frame_b;
    return NSC_OK;
}

NSC_API nsc_joint_def nsc_default_joint_def(int kind, nsc_id body_a, nsc_id body_b)
{
    nsc_joint_def d;
    nsci_clear(&d, sizeof d);
    d.kind = kind;
    d.body_a = body_a;
    d.body_b = body_b;
    d.joint_a = d.joint_b = -1;
    d.ratio = 1;
    d.frame_a.orientation.w = d.frame_b.orientation.w = 1;
    d.axis[0].max_force = d.axis[1].max_force = d.axis[2].max_force = NSC_REAL_MAX;
    return d;
}

NSC_API int nsc_joint_get_def(const nsc_world *w, nsc_id id, nsc_joint_def *def)
{
    int i = nsci_find(w, NSCI_JOINT_HANDLE, id);
    if (i < 0)
        return i;
    if (def)
        NSC_MEMCPY(def, &w->joints[i].def, sizeof *def);
    return NSC_OK;
}

/* i if joint i has that axis, else an error */
static int nsci_joint_with_axis(const nsc_world *w, int i, int axis)
{
    if (i < 0)
        return i;
    return axis >= 0 && axis < 3 && nsci_axis(w->joints[i].def.kind, axis) != 0 ? i
                                                                                : NSC_ERR_ARGUMENT;
}

/* The same for a joint to be changed */
static int nsci_change_axis(nsc_world *w, nsc_id id, int axis)
{
    int i = nsci_change(w, NSCI_JOINT_HANDLE, id);
    if (i < 0 || nsci_joint_with_axis(w, i, axis) >= 0)
        return i;
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_AXIS, (nsc_real)axis);
}

NSC_API int nsc_joint_set_axis(nsc_world *w, nsc_id id, int axis, const nsc_axis_def *def)
{
    int i = nsci_change_axis(w, id, axis);
    int code;
    nsc_joint_def d;
    if (i < 0)
        return i;
    code = nsci_check_axis(&w->note, def);
    if (code < 0)
        return code;
    NSC_MEMCPY(&d, &w->joints[i].def, sizeof d);
    NSC_MEMCPY(&d.axis[axis], def, sizeof *def);
    code = nsci_check_joint_room(w, &d, i);
    if (code < 0)
        return code;
    NSC_MEMCPY(&w->joints[i].def, &d, sizeof d);
    nsci_forget_rates(w);
    nsci_wake_joint(w, &w->joints[i]);
    return NSC_OK;
}

NSC_API int nsc_joint_set_target(nsc_world *w, nsc_id id, int axis, nsc_real target,
                                 nsc_real target_velocity)
{
    int i = nsci_change_axis(w, id, axis);
    int code;
    nsc_axis_def d;
    if (i < 0)
        return i;
    d.target = target;
    d.target_velocity = target_velocity;
    code = nsci_check_members(&w->note, &d, NSCI_nsc_axis_def_target,
                              NSCI_nsc_axis_def_target_velocity);
    if (code < 0)
        return code;
    w->joints[i].def.axis[axis].target = target;
    w->joints[i].def.axis[axis].target_velocity = target_velocity;
    nsci_wake_joint(w, &w->joints[i]);
    return NSC_OK;
}

NSC_API int nsc_joint_set_force(nsc_world *w, nsc_id id, int axis, nsc_real force)
{
    int i = nsci_change_axis(w, id, axis);
    int code;
    nsc_axis_def d;
    if (i < 0)
        return i;
    d.force = force;
    code = nsci_check_members(&w->note, &d, NSCI_nsc_axis_def_force, NSCI_nsc_axis_def_force);
    if (code < 0)
        return code;
    w->joints[i].def.axis[axis].force = force;
    nsci_wake_joint(w, &w->joints[i]);
    return NSC_OK;
}

NSC_API int nsc_joint_get_axis(const nsc_world *w, nsc_id id, int axis, nsc_axis_state *state)
{
    int i = nsci_joint_with_axis(w, nsci_find(w, NSCI_JOINT_HANDLE, id), axis);
    int kind;
    const nsc_real *impulse;
    nsc_real J[12], v[12], out[6];
    nsci_frames f;
    if (i < 0 || !state)
        return i < 0 ? i : NSC_OK;
    kind = nsci_axis(w->joints[i].def.kind, axis);
    nsci_place_joint(w, &w->joints[i], &f);
    nsci_joint_row(&f, nsci_axis_direction(&f, kind), nsci_is_turn(kind), J);
    nsci_velocity_of(&w->bodies[f.a], v);
    nsci_velocity_of(&w->bodies[f.b], v + 6);
    impulse = w->joints[i].impulse + NSC_JOINT_HELD + NSC_AXIS_ROWS * axis;
    out[0] = nsci_axis_position(&f, axis, 0);
    out[1] = nsci_dot12(J, v, v + 6);
    for (kind = 0; kind < NSC_AXIS_ROWS; kind++)
        out[2 + kind] = nsci_per_time(w, impulse[kind]);
    if (!nsci_all_finite(out, 6))
        return NSC_ERR_NOT_FINITE;
    state->position = out[0];
    state->velocity = out[1];
    state->spring = out[2];
    state->drive = out[3];
    state->friction = out[4];
    state->limit = out[5];
    return NSC_OK;
}

NSC_API int nsc_joint_get_force(const nsc_world *w, nsc_id id, nsc_vec3 *force, nsc_vec3 *torque)
{
    int i = nsci_find(w, NSCI_JOINT_HANDLE, id);
    nsc_real per;
    if (i < 0)
        return i;
    per = nsci_per_time(w, 1);
    return nsci_hand_out(nsci_mul_sv(per, w->joints[i].force_impulse), force,
                         nsci_mul_sv(per, w->joints[i].torque_impulse), torque);
}

NSC_API int nsc_joint_get_drift(const nsc_world *w, nsc_id id, nsc_real *distance, nsc_real *angle)
{
    int i = nsci_find(w, NSCI_JOINT_HANDLE, id);
    int k;
    nsc_real drift[NSC_JOINT_HELD], out[2];
    const nsc_joint *j;
    nsci_frames f;
    if (i < 0)
        return i;
    j = &w->joints[i];
    nsci_place_joint(w, j, &f);
    nsci_joint_error(&f, drift);
    for (k = 0; k < NSC_JOINT_HELD; k++)
        if (!(nsci_held(j->def.kind) >> k & 1))
            drift[k] = 0;
    if (j->def.kind == NSC_JOINT_GEAR)
        drift[3] = nsci_gear_position(w, &j->def) - j->offset;
    out[0] = NSC_SQRT(nsci_dot(drift, drift, 3));
    out[1] = NSC_SQRT(nsci_dot(drift + 3, drift + 3, 3));
    if (!nsci_all_finite(out, 2))
        return NSC_ERR_NOT_FINITE;
    if (distance)
        *distance = nsci_flush(out[0]);
    if (angle)
        *angle = nsci_flush(out[1]);
    return NSC_OK;
}

/* ---- setting an axis */

/* Mark body b and all bodies that hang from it by joints other than the given one, in first_joint,
   which the next step writes anew.  Returns 0 if they include body a or one that is not dynamic. */
static int nsci_mark_piece(nsc_world *w, int joint, int a, int b)
{
    uint16_t *mark = w->first_joint;
    int i;
    int more = w->bodies[b].kind == NSC_DYNAMIC_BODY;
    NSC_MEMSET(mark, 0, sizeof w->first_joint);
    mark[b] = 1;
    if (!more)
        return 0;
    while (more)
        for (i = 0, more = 0; i < w->joint_end; i++) {
            const nsc_joint *j = &w->joints[i];
            int from = nsci_body_of(w, j->def.body_a);
            int to = nsci_body_of(w, j->def.body_b);
            int next;
            if (i == joint || j->generation % 2 == 0 || j->def.kind == NSC_JOINT_GEAR ||
                mark[from] == mark[to])
                continue;
            next = mark[from] ? to : from;
            if (next == a || w->bodies[next].kind != NSC_DYNAMIC_BODY)
                return 0;
            mark[next] = 1;
            more = 1;
        }
    return 1;
}

/* Full turns nearest to an angle */
static int32_t nsci_full_turns(nsc_real angle)
{
    nsc_real full = nsci_clamp(angle / (2 * NSCI_PI), NSC_R(-1e9), NSC_R(1e9));
    return (int32_t)(full + (full < 0 ? NSC_R(-0.5) : NSC_R(0.5)));
}

/* How a piece moves to the new state of an axis: by a turn about a point, then a shift.  Its first
   body gets the velocity given at that point when moved; the others keep theirs relative to it. */
typedef struct nsci_jump {
    nsc_vec3 point, shift;
    nsc_quat turn;
    nsc_vec3 linear, angular;    /* of the first body after the jump, at point + shift */
} nsci_jump;

/* Find the jump that gives an axis of a placed joint a position and velocity. */
static void nsci_find_jump(const nsci_frames *f, int i, nsc_real position, nsc_real velocity,
                           nsci_jump *k)
{
    const nsc_body *a = &f->w->bodies[f->a];
    const nsc_body *b = &f->w->bodies[f->b];
    int axis = nsci_axis_of(f, i);
    int turns = nsci_is_turn(axis);
    nsc_vec3 d = nsci_axis_direction(f, axis);
    nsc_vec3 zero = nsci_vec(0, 0, 0);
    nsc_vec3 slip = nsci_sub(nsci_velocity_at(b, f->pb), nsci_velocity_at(a, f->pb));
    nsc_vec3 spin = nsci_sub(b->angular_velocity, a->angular_velocity);
    nsc_real way = position - nsci_axis_position(f, i, 0);
    nsc_real rate = velocity - nsci_dot3(d, turns ? spin : slip);
    k->point = f->pb;
    k->shift = turns ? zero : nsci_mul_sv(way, d);
    way -= 2 * NSCI_PI * (nsc_real)nsci_full_turns(way);
    k->turn = nsci_quat_exp(
        turns ? nsci_mul_sv(way, axis == NSCI_TWIST ? f->B.c[2] : d) : zero);
    if (f->j->def.kind == NSC_JOINT_UNIVERSAL && i == 0)
        spin = nsci_rotate(k->turn, spin); /* axis 1 turns with axis 0 */
    if (axis == NSCI_TWIST)
        d = f->B.c[2];
    if (axis == NSCI_SWING) { /* the twist keeps its rate */
        nsci_frames after = *f;
        nsc_real twist = nsci_dot3(nsci_axis_direction(f, NSCI_TWIST), spin);
        after.B.c[2] = nsci_rotate(k->turn, f->B.c[2]);
        twist -= nsci_dot3(nsci_axis_direction(&after, NSCI_TWIST), spin);
        spin = nsci_add_sv(spin, twist, after.B.c[2]);
    }
    k->angular = nsci_add(a->angular_velocity, turns ? nsci_add_sv(spin, rate, d) : spin);
    k->linear = nsci_add(nsci_velocity_at(a, nsci_add(f->pb, k->shift)),
                         turns ? slip : nsci_add_sv(slip, rate, d));
}

/* A body of the piece after the jump; `first` is the piece's first body before it. */
static nsci_start nsci_after_jump(const nsci_jump *k, const nsc_body *first, const nsc_body *b)
{
    nsc_vec3 arm = nsci_rotate(k->turn, nsci_sub(b->position, k->point));
    nsc_vec3 own = nsci_sub(b->velocity, nsci_velocity_at(first, b->position));
    nsc_vec3 spin = nsci_sub(b->angular_velocity, first->angular_velocity);
    nsci_start s;
    s.position = nsci_add(nsci_add(k->point, k->shift), arm);
    s.orientation = nsci_quat_normalise(nsci_quat_mul(k->turn, b->orientation));
    s.angular_velocity = nsci_add(k->angular, nsci_rotate(k->turn, spin));
    s.velocity = nsci_add(k->linear, nsci_cross(k->angular, arm));
    s.velocity = nsci_add(s.velocity, nsci_rotate(k->turn, own));
    if (b->particle) {
        s.orientation = b->orientation;
        s.angular_velocity = b->angular_velocity;
    }
    return s;
}

/* After a jump: set the turns of the axis, and the offsets of the gears on its joint. */
static void nsci_settle_jump(nsc_world *w, int joint, int i, nsc_real position)
{
    nsc_joint *j = &w->joints[joint];
    nsc_id id = nsci_handle(w, NSCI_JOINT_HANDLE, joint, j->generation);
    int axis = nsci_axis(j->def.kind, i);
    int k;
    nsci_frames f;
    nsci_place_joint(w, j, &f);
    if (axis == NSCI_TURN_Z || axis == NSCI_TURN_X) {
        j->angle[i] = nsci_axis_raw(&f, axis);
        j->turns[i] = nsci_full_turns(position - j->angle[i]);
    }
    nsci_track_joint(w, j);
    for (k = 0; k < w->joint_end; k++) {
        nsc_joint *gear = &w->joints[k];
        if (gear->generation % 2 && gear->def.kind == NSC_JOINT_GEAR &&
            (gear->def.joint_a == id || gear->def.joint_b == id))
            gear->offset = nsci_gear_position(w, &gear->def);
    }
}

NSC_API int nsc_joint_set_state(nsc_world *w, nsc_id id, int axis, nsc_real position,
                                nsc_real velocity)
{
    int i = nsci_change_axis(w, id, axis);
    int code, k, pass;
    nsci_frames f;
    nsci_jump jump;
    nsc_body first;
    if (i < 0)
        return i;
    code = nsci_axis(w->joints[i].def.kind, axis);
    if (!nsci_finite(position) || !nsci_finite(velocity))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_BAD_STATE,
                            nsci_finite(position) ? velocity : position);
    if (((code == NSCI_SWING || code == NSCI_DISTANCE) && position < 0) ||
        (code == NSCI_SWING && position > NSCI_PI))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_STATE, position);
    nsci_place_joint(w, &w->joints[i], &f);
    if (!nsci_mark_piece(w, i, f.a, f.b))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_LOOP, (nsc_real)f.b);
    nsci_find_jump(&f, axis, position, velocity, &jump);
    NSC_MEMCPY(&first, &w->bodies[f.b], sizeof first);
    for (pass = 0; pass < 2; pass++)
        for (k = 1; k < w->body_end; k++) {
            nsc_body *b = &w->bodies[k];
            nsci_start to;
            if (!w->first_joint[k])
                continue;
            to = nsci_after_jump(&jump, &first, b);
            if (!nsci_vec_finite(to.position) || !nsci_vec_finite(to.velocity) ||
                !nsci_vec_finite(to.angular_velocity))
                return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_BAD_STATE, position);
            if (pass == 0)
                continue;
            b->position = to.position;
            b->orientation = to.orientation;
            b->velocity = to.velocity;
            b->angular_velocity = to.angular_velocity;
            nsci_wake(b);
            w->contact_count = nsci_drop_contacts(w->contacts, w->contact_count,
                                                  nsci_body_handle(w, k), -1);
        }
    nsci_settle_jump(w, i, axis, position);
    nsci_wake_joint(w, &w->joints[i]);
    nsci_free_manifolds(w);
    nsci_forget_rates(w);
    return NSC_OK;
}

/* ---- joints in a step */

static void nsci_list_joints(nsc_world *w)
{
    int i;
    for (i = 0; i < w->joint_end; i++) {
        const nsc_joint *j = &w->joints[i];
        if (j->generation % 2 && !nsci_stays_off(w, j->def.body_a, j->def.body_b))
            nsci_add_link(w, NSCI_JOINT_LINK, i, j->def.body_a, j->def.body_b);
    }
}

static int nsci_fill_joint_link(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                                nsc_real scale, nsc_block *k)
{
    return nsci_fill_joint(w, &w->joints[l->item], nsci_inner_of(w, l->a), nsci_inner_of(w, l->b),
                           s, scale, k);
}

/* Add the impulses of an island's joints to their sums.  joint_blocks: number in the islands before
   it */
static void nsci_take_joints(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                             nsc_real share, int joint_blocks)
{
    int i, r;
    for (i = 0; i < own->joint_blocks; i++) {
        const nsc_block *k = &w->scratch.solve.blocks[own->first_block + i];
        nsc_real *sum = w->joint_sum[joint_blocks + i];
        for (r = 0; r < k->rows; r++)
            sum[r] = (s->first ? 0 : sum[r]) + share * k->lambda[r];
    }
}

/* A joint of a sleeping island keeps its forces: scale its impulses to the new step length. */
static void nsci_scale_joint(nsc_joint *j, nsc_real s)
{
    int i;
    for (i = 0; i < NSC_JOINT_ROWS; i++)
        j->impulse[i] = nsci_clamp_finite(s * j->impulse[i]);
    j->force_impulse = nsci_clamp_finite3(nsci_mul_sv(s, j->force_impulse));
    j->torque_impulse = nsci_clamp_finite3(nsci_mul_sv(s, j->torque_impulse));
}

static void nsci_store_joints(nsc_world *w, nsc_real h)
{
    nsc_real scale = w->last_h > 0 ? h / w->last_h : 1;
    int i, k, sum = 0;
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = &w->islands[i];
        for (k = own->first_link; k != NSCI_NOWHERE && w->links[k].kind == NSCI_JOINT_LINK;
             k = w->links[k].next) {
            const nsci_link *l = &w->links[k];
            nsc_joint *j = &w->joints[l->item];
            if (own->asleep)
                nsci_scale_joint(j, scale);
            else
                sum += nsci_store_joint(w, j, &w->scratch.solve.blocks[l->block],
                                        (const nsc_real(*)[3]) & w->joint_sum[sum]);
        }
    }
    for (i = 0; i < w->joint_end; i++)
        if (w->joints[i].generation % 2)
            nsci_track_joint(w, &w->joints[i]);
}

#endif

/* ---- >>springs -------------------------------------------------------------------------------
   A spring is one block of compliant rows: one along the line between its ends, and for implicit
   steppers two across it.  Its force turns with the line: where it pulls with T over a length L,
   its ends resist motion across the line with stiffness T / L.  Where it pushes, that stiffness
   would be negative and is left out, so that the problem stays convex.  A row acts at both ends,
   which are on the line, with opposite forces: momentum is conserved. */
#if NSC_MAX_SPRINGS == 0
#define nsci_list_springs(w) ((void)0)
#define nsci_fill_spring_link(w, l, s, scale, k) 0
#define nsci_take_spring(w, l, share) ((void)0)
#define nsci_store_springs(w, h) ((void)0)
#define nsci_free_springs_of(w, body) ((void)0)
#else

/* A spring in the world: ends as seen from the centres of mass, length, unit direction from a to
   b */
typedef struct nsci_line {
    int a, b;
    nsc_vec3 ra, rb, along;
    nsc_real length;
} nsci_line;

static nsc_vec3 nsci_spring_end(const nsc_body *b, nsc_vec3 point)
{
    return nsci_rotate(b->orientation, nsci_sub(point, b->centre));
}

static void nsci_place_spring(const nsc_world *w, const nsc_spring_def *d, nsci_line *l)
{
    nsc_vec3 apart;
    l->a = nsci_body_of(w, d->body_a);
    l->b = nsci_body_of(w, d->body_b);
    l->ra = nsci_spring_end(&w->bodies[l->a], d->point_a);
    l->rb = nsci_spring_end(&w->bodies[l->b], d->point_b);
    apart = nsci_add(nsci_sub(w->bodies[l->b].position, w->bodies[l->a].position),
                     nsci_sub(l->rb, l->ra));
    l->length = nsci_norm(apart);
    l->along = nsci_unit(apart, nsci_vec(1, 0, 0));
}

/* Stiffness across the line [N/m]: force over length where the spring pulls, else 0; without a rest
   length the spring's own, even at length 0 */
static nsc_real nsci_spring_across(const nsc_spring_def *d, nsc_real length)
{
    if (d->rest <= 0)
        return d->stiffness;
    return length > d->rest ? d->stiffness * (length - d->rest) / length : 0;
}

/* Fill the spring's rows into its block; the caller sets the block's bodies.  scale: of the last
   step's impulse, as warm start; negative: keep those in the block. */
NSCI_OWN_FRAME void nsci_fill_spring(const nsc_world *w, const nsc_spring *p, const nsci_scheme *s,
                                     nsc_real scale, nsc_block *k)
{
    const nsc_spring_def *d = &p->def;
    nsc_vec3 t[3];
    nsci_line l;
    int i;
    nsci_place_spring(w, d, &l);
    t[0] = l.along;
    nsci_tangents(l.along, &t[1], &t[2]);
    k->kind = NSC_BLOCK_BOX;
    k->rows = (unsigned char)(s->mode == NSCI_EXPLICIT ? 1 : 3);
    k->mu = 0;
    for (i = 0; i < k->rows; i++) {
        nsci_fill_row(k->J[i], t[i], l.ra, l.rb);
        k->lo[i] = -NSC_REAL_MAX;
        k->hi[i] = NSC_REAL_MAX;
        if (scale >= 0)
            k->lambda[i] = scale * nsci_dot3(p->impulse, t[i]);
    }
    nsci_soften(w, s, k, 0, d->stiffness, d->damping, l.length - d->rest, 0, 0);
    for (i = 1; i < k->rows; i++)
        nsci_soften(w, s, k, i, nsci_spring_across(d, l.length), 0, 0, 0, 0);
}

/* ---- adding, removing, reading */

NSC_API nsc_spring_def nsc_default_spring_def(nsc_id body_a, nsc_id body_b)
{
    nsc_spring_def d;
    nsci_clear(&d, sizeof d);
    d.body_a = body_a;
    d.body_b = body_b;
    return d;
}

/* Checks all members but the bodies. */
static int nsci_check_spring_law(nsci_why *note, const nsc_spring_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_spring_def_point_a,
                                  NSCI_nsc_spring_def_damping);
    if (code < 0 || d->stiffness > 0 || d->damping > 0)
        return code;
    return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_SPRING, d->stiffness);
}

static void nsci_wake_spring(nsc_world *w, const nsc_spring *p)
{
    nsci_wake(&w->bodies[nsci_body_of(w, p->def.body_a)]);
    nsci_wake(&w->bodies[nsci_body_of(w, p->def.body_b)]);
    nsci_forget_rates(w);
}

NSC_API nsc_id nsc_world_add_spring(nsc_world *w, const nsc_spring_def *def)
{
    nsc_spring *p;
    uint16_t generation;
    int i, code = nsci_enter(w);
    if (code < 0)
        return code;
    if (!def)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    code = nsci_check_ends(w, def->body_a, def->body_b);
    if (code == NSC_OK)
        code = nsci_check_spring_law(&w->note, def);
    if (code < 0)
        return code;
    i = nsci_free_slot(w, NSCI_SPRING_HANDLE);
    if (i >= NSC_MAX_SPRINGS)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_SPRINGS,
                            (nsc_real)NSC_MAX_SPRINGS);
    p = &w->springs[i];
    generation = (uint16_t)(p->generation + 1);
    NSC_MEMSET(p, 0, sizeof *p);
    NSC_MEMCPY(&p->def, def, sizeof p->def);
    p->generation = generation;
    if (i >= w->spring_end)
        w->spring_end = i + 1;
    nsci_wake_spring(w, p);
    return nsci_handle(w, NSCI_SPRING_HANDLE, i + 1, generation);
}

static void nsci_free_spring(nsc_world *w, int i)
{
    nsci_wake_spring(w, &w->springs[i]);
    w->springs[i].generation++;
    w->spring_end = nsci_new_end(w, NSCI_SPRING_HANDLE);
}

static void nsci_free_springs_of(nsc_world *w, nsc_id body)
{
    int i;
    for (i = w->spring_end - 1; i >= 0; i--)
        if (w->springs[i].generation % 2 &&
            (w->springs[i].def.body_a == body || w->springs[i].def.body_b == body))
            nsci_free_spring(w, i);
}

NSC_API int nsc_world_remove_spring(nsc_world *w, nsc_id id)
{
    int i = nsci_change(w, NSCI_SPRING_HANDLE, id);
    if (i < 0)
        return i;
    nsci_free_spring(w, i);
    return NSC_OK;
}

NSC_API int nsc_spring_get_def(const nsc_world *w, nsc_id id, nsc_spring_def *def)
{
    int i = nsci_find(w, NSCI_SPRING_HANDLE, id);
    if (i < 0)
        return i;
    if (def)
        NSC_MEMCPY(def, &w->springs[i].def, sizeof *def);
    return NSC_OK;
}

NSC_API int nsc_spring_set_def(nsc_world *w, nsc_id id, const nsc_spring_def *def)
{
    int i = nsci_change(w, NSCI_SPRING_HANDLE, id);
    int code = i < 0 ? i : nsci_check_spring_law(&w->note, def);
    if (code < 0)
        return code;
    if (def->body_a != w->springs[i].def.body_a || def->body_b != w->springs[i].def.body_b)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_OTHER_BODY,
                            (nsc_real)(def->body_a & 16383));
    if (def != &w->springs[i].def)
        NSC_MEMCPY(&w->springs[i].def, def, sizeof *def);
    nsci_wake_spring(w, &w->springs[i]);
    return NSC_OK;
}

NSC_API int nsc_spring_get_force(const nsc_world *w, nsc_id id, nsc_real *length, nsc_vec3 *force)
{
    int i = nsci_find(w, NSCI_SPRING_HANDLE, id);
    nsc_vec3 f;
    nsci_line l;
    if (i < 0)
        return i;
    nsci_place_spring(w, &w->springs[i].def, &l);
    f = nsci_mul_sv(nsci_per_time(w, 1), w->springs[i].impulse);
    if (!nsci_finite(l.length) || !nsci_vec_finite(f))
        return NSC_ERR_NOT_FINITE;
    if (length)
        *length = l.length;
    if (force)
        *force = f;
    return NSC_OK;
}

/* ---- springs in a step */

static void nsci_list_springs(nsc_world *w)
{
    int i;
    for (i = 0; i < w->spring_end; i++) {
        const nsc_spring *p = &w->springs[i];
        w->spring_sum[i] = nsci_vec(0, 0, 0);
        if (p->generation % 2 && !nsci_stays_off(w, p->def.body_a, p->def.body_b))
            nsci_add_link(w, NSCI_SPRING_LINK, i, p->def.body_a, p->def.body_b);
    }
}

static int nsci_fill_spring_link(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                                 nsc_real scale, nsc_block *k)
{
    k->a = nsci_inner_of(w, l->a);
    k->b = nsci_inner_of(w, l->b);
    nsci_fill_spring(w, &w->springs[l->item], s, scale, k);
    return 1;
}

static void nsci_take_spring(nsc_world *w, const nsci_link *l, nsc_real share)
{
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    nsc_vec3 *sum = &w->spring_sum[l->item];
    int r;
    for (r = 0; r < k->rows; r++)
        *sum = nsci_add_sv(*sum, share * k->lambda[r], nsci_row_axis(k, r, 0));
}

/* Store the impulses of the step; a spring of a sleeping island keeps its force. */
static void nsci_store_springs(nsc_world *w, nsc_real h)
{
    nsc_real scale = w->last_h > 0 ? h / w->last_h : 1;
    int i;
    for (i = 0; i < w->first_contact; i++) {
        const nsci_link *l = &w->links[i];
        nsc_spring *p;
        if (l->kind != NSCI_SPRING_LINK)
            continue;
        p = &w->springs[l->item];
        p->impulse = nsci_rests(w, l->a) || nsci_rests(w, l->b) ? nsci_mul_sv(scale, p->impulse)
                                                                : w->spring_sum[l->item];
        p->impulse = nsci_clamp_finite3(p->impulse);
    }
}

#endif

/* ---- rolling friction: coefficients and moment of a contact, 0 in a build without */
#if NSC_MAX_ROLLING > 0
static nsc_real nsci_rolling(const nsc_contact *c) { return c->rolling; }
static nsc_real nsci_torsion(const nsc_contact *c) { return c->torsion; }
static nsc_vec3 nsci_moment(const nsc_contact *c) { return c->moment; }
static void nsci_set_moment(nsc_contact *c, nsc_vec3 moment) { c->moment = moment; }
static void nsci_set_rolling(nsc_contact *c, nsc_real rolling, nsc_real torsion)
{
    c->rolling = rolling;
    c->torsion = torsion;
}

static int nsci_check_rolling_law(nsci_why *note, const nsc_contact *c)
{
    return nsci_check_members(note, c, NSCI_nsc_contact_rolling, NSCI_nsc_contact_torsion);
}
#if NSCI_SMOOTH
static nsc_vec3 nsci_twist(const nsc_contact *c) { return c->twist; }
static void nsci_set_twist(nsc_contact *c, nsc_vec3 twist) { c->twist = twist; }
#endif
#else
#define nsci_rolling(c) ((void)(c), (nsc_real)0)
#define nsci_torsion(c) ((void)(c), (nsc_real)0)
#define nsci_moment(c) ((void)(c), nsci_vec(0, 0, 0))
#define nsci_twist(c) ((void)(c), nsci_vec(0, 0, 0))
#define nsci_set_moment(c, moment) ((void)(moment))
#define nsci_set_rolling(c, rolling, torsion) ((void)(c))
#define nsci_set_twist(c, twist) ((void)(twist))
#define nsci_check_rolling_law(note, c) NSC_OK
#endif
#define nsci_rolls(c) (nsci_rolling(c) > 0 || nsci_torsion(c) > 0)

/* ---- >>smooth --------------------------------------------------------------------------------
   Smooth contact: surfaces overlap and push back by a force law of the penetration, a damper, and a
   tangential spring that holds up to the friction cone.  A contact stores the stretch of that
   spring (shear), not its force, so that friction at rest does not creep.  Explicit steppers fix
   the impulses.  With implicit ones the law becomes compliance and bias of the contact's rows, and
   the solver enforces cone and cut-off.  The normal force is cut off at 0, where the damper would
   pull; there the bodies part.  Damping is chosen to give the restitution in spite of that. */

#ifdef NSC_NO_SMC
#define nsci_is_smooth(w) ((void)(w), 0)
#define nsci_smooth_is_finite(c) ((void)(c), 1)
#define nsci_check_smooth(w, c) ((void)(c), NSC_OK)
#define nsci_forget_smooth(c) ((void)(c))
#define nsci_drop_smooth(c) ((void)(c))
#define nsci_pull(w, c, s) ((void)(c), (void)(s), (nsc_real)0)
#define nsci_apply_pull(w, c, k, s) ((void)0)
#define nsci_take_pull(w, c, s, share) ((void)0)
#define nsci_mix_smooth(w, c, a, b) ((void)(a), (void)(b))
#define nsci_carry_smooth(c, old) ((void)(c))
#define nsci_smooth_bias(w, c, k, roll, s) ((void)(roll))
#define nsci_take_smooth(w, c, k, roll, s) ((void)(roll))
#define nsci_limit_step(w, own, s, count) ((void)0)
#else
static int nsci_is_smooth(const nsc_world *w) { return w->def.contact_model == NSC_CONTACT_SMOOTH; }

/* Fifth root of x > 0 by Newton's method, from below; own code, as libms differ in the last bit */
static nsc_real nsci_fifth_root(nsc_real x)
{
    nsc_real scale = 1, y, y2;
    int i;
    if (!(x > 0) || !nsci_finite(x))
        return x;
    for (; x >= 32; scale *= 2)
        x *= NSC_R(0.03125);
    for (; x < 1; scale *= NSC_R(0.5))
        x *= 32;
    y = 1 + (x - 1) / 31;
    for (i = 0; i < 10; i++) {
        y2 = y * y;
        y += (x / (y2 * y2) - y) / 5;
    }
    return scale * y;
}

/* 1 / radius of a surface [1/m]; 0: flat */
static nsc_real nsci_curvature(const nsc_shape_def *d)
{
    int round = d->kind == NSC_SHAPE_SPHERE || d->kind == NSC_SHAPE_CAPSULE ||
                d->kind == NSC_SHAPE_CYLINDER;
    return round ? 1 / d->radius : 0;
}

/* Set cohesion; for smooth contact Hertz's law of two surfaces and tangential over normal stiffness
   (Mindlin 1949). */
static void nsci_mix_smooth(const nsc_world *w, nsc_contact *c, const nsc_shape_def *a,
                            const nsc_shape_def *b)
{
    nsc_real one = 1;
    nsc_real two = 2;
    nsc_real bend = nsci_curvature(a) + nsci_curvature(b);
    nsc_real R, e, g;
    c->cohesion = nsci_min(a->cohesion, b->cohesion);
    if (!nsci_is_smooth(w))
        return;
    R = bend > 0 ? one / bend : w->def.contact_radius;
    e = (one - a->poisson * a->poisson) / a->young + (one - b->poisson * b->poisson) / b->young;
    g = two * (two - a->poisson) * (one + a->poisson) / a->young +
        two * (two - b->poisson) * (one + b->poisson) / b->young;
    /* keep e / g finite, however soft the materials are */
    e = nsci_at_most_max(e);
    g = nsci_at_most_max(g);
    c->hertz = nsci_at_most_max(4 / (3 * e) * NSC_SQRT(R));
    c->tangential = 4 * (e / g);
}

/* ---- laws.  Restitution e and damping ratio z of a spring with a damper whose pull is cut off
   (Schwager and Poeschel 2007): e = exp(-2 p cot p), z = cos p, and beyond critical damping
   e = exp(-2 q coth q), z = cosh q.  A Hertzian spring with the damper 2 sqrt(5/6) z sqrt(S m), S
   its tangent stiffness, has the same e (Antypov and Elliott 2011).  The inverse z(e) is fitted and
   meets e within 3e-5.  A restitution below 0.0009 is raised to that: smaller ones look like 0 but
   need short steps. */
static nsc_real nsci_least_restitution(const nsc_contact *c)
{
    return nsci_max(c->restitution, NSC_R(0.0009));
}

static nsc_real nsci_damping_ratio(nsc_real e)
{
    nsc_real q = NSC_SQRT(e);
    nsc_real p = NSC_R(0.594476) - q * NSC_R(0.198993);
    p = NSC_R(1.01528) + q * (NSC_R(0.608869) + q * (NSC_R(-0.747429) + q * p));
    return (1 - q) * p / (2 * q);
}

/* Coefficient c of F = F0 (1 + c v / impact) (Hunt and Crossley 1975; Flores 2011), which solves
   c (1 + e) = ln((1 + c) / (1 - c e)).  The fit meets e within 1e-4.
   The usual 8 (1 - e) / (5 e) holds near e = 1 only. */
static nsc_real nsci_flores(nsc_real e)
{
    nsc_real p = NSC_R(27.5524) + e * (NSC_R(-21.5985) + e * NSC_R(6.58944));
    p = NSC_R(0.998291) +
        e * (NSC_R(0.916711) + e * (NSC_R(3.55426) + e * (NSC_R(-16.5024) + e * p)));
    return (1 - e) * p / e;
}

/* Force law of a contact at one penetration */
typedef struct nsci_law {
    nsc_real force;              /* without damping [N] */
    nsc_real stiffness;          /* slope of the force [N/m] */
    nsc_real damping;            /* [N s/m] */
    nsc_real rise;               /* slope of the damping [N s/m^2] */
} nsci_law;

/* Law of a contact at the penetration `deep` [m]; m: effective mass of the normal row [kg].  With
   FLORES a contact that began slowly and is pressed harder later gets at most twice the damping of
   HERTZ. */
static nsci_law nsci_contact_law(const nsc_world_def *d, const nsc_contact *c, nsc_real m,
                                 nsc_real deep)
{
    nsc_real e = nsci_least_restitution(c);
    nsc_real hooke = NSC_R(0.8) * c->hertz;
    nsc_real root, impact;
    nsci_law l = {0, 0, 0, 0};
    if (!(deep > 0))
        return l;
    if (c->stiffness > 0 || d->contact_law == NSC_SMOOTH_HOOKE) {
        l.stiffness = c->stiffness;
        l.damping = c->damping;
        if (!(l.stiffness > 0)) {
            if (hooke > 0)
                l.stiffness = hooke *
                              nsci_fifth_root(m * d->contact_speed * d->contact_speed / hooke);
            l.damping = 2 * nsci_damping_ratio(e) * NSC_SQRT(l.stiffness * m);
        }
        l.force = l.stiffness * deep;
        return l;
    }
    root = NSC_SQRT(deep);
    l.force = c->hertz * deep * root;
    l.stiffness = NSC_R(1.5) * c->hertz * root;
    l.damping = NSC_R(1.8257419) * nsci_damping_ratio(e) * NSC_SQRT(l.stiffness * m);
    l.rise = NSC_R(0.25) * l.damping / deep;
    if (d->contact_law != NSC_SMOOTH_FLORES)
        return l;
    impact = c->impact > 0 ? c->impact : nsci_max(-c->approach, d->bounce_speed);
    impact = nsci_flores(e) * l.force / nsci_max(impact, NSC_R(1e-6));
    l.rise = (impact < 2 * l.damping ? NSC_R(1.5) * impact : NSC_R(0.5) * l.damping) / deep;
    l.damping = nsci_min(impact, 2 * l.damping);
    return l;
}

/* Law of a tangential or rolling spring k at a mass m.  It has the damping ratio of the normal
   spring, but at most 1: with more, a contact without restitution would hardly come to rest on its
   tangential spring. */
static nsci_law nsci_side_law(const nsci_law *normal, nsc_real normal_m, nsc_real k, nsc_real m)
{
    nsc_real critical = 2 * NSC_SQRT(normal->stiffness * normal_m);
    nsc_real ratio = normal->damping < critical ? normal->damping / critical : 1;
    nsci_law l = {0, 0, 0, 0};
    l.stiffness = k;
    l.damping = 2 * ratio * NSC_SQRT(k * m);
    return l;
}

/* Law of the tangents; m: effective mass of the normal row, taken for theirs too.  A tangential
   stiffness of 0 in the user's own contact means 2/3 of the normal one, that of rubber. */
static nsci_law nsci_tangential_law(const nsc_contact *c, const nsci_law *normal, nsc_real m)
{
    nsc_real share = c->tangential > 0 ? c->tangential : NSC_R(2.0) / 3;
    return nsci_side_law(normal, m, normal->stiffness * share, m);
}

/* Rolling and spinning: rotational stiffness 2.25 k rho^2 (Iwashita and Oda 1998) for the
   coefficient rho [m] and a row of inertia I */
static nsci_law nsci_rolling_law(const nsci_law *normal, nsc_real m, nsc_real rho, nsc_real I)
{
    return nsci_side_law(normal, m, NSC_R(2.25) * normal->stiffness * rho * rho, I);
}

/* ---- rows */

/* y = M^-1 J^T of a row: the change of velocities by a unit impulse */
static void nsci_row_response(const nsc_world *w, const nsc_block *k, int i, nsc_real *y)
{
    const nsc_mass *masses = w->scratch.solve.masses;
    nsci_inverse_mass(&masses[k->a], k->J[i], y);
    nsci_inverse_mass(&masses[k->b], k->J[i] + 6, y + 6);
}

/* Effective mass of a row [kg, kg m^2] */
static nsc_real nsci_row_mass(const nsc_world *w, const nsc_block *k, int i)
{
    nsc_real y[12], g;
    nsci_row_response(w, k, i, y);
    g = nsci_dot12(k->J[i], y, y + 6);
    return g > 0 ? 1 / g : 0;
}

/* Speed and travel of a row at Newton's iterate; 0 with the other steppers, which linearise at the
   start of the step */
static nsc_real nsci_row_trial(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                               int i, nsc_real *travel)
{
    nsc_real v[12];
    *travel = 0;
    if (s->mode != NSCI_NEWTON)
        return *travel;
    nsci_velocity_of(&w->bodies[w->outer[k->a]], v);
    nsci_velocity_of(&w->bodies[w->outer[k->b]], v + 6);
    *travel = nsci_row_travel(w, s, k, i, v, v + 6);
    return nsci_dot12(k->J[i], v, v + 6);
}

/* Make row i compliant: force - k hx (u - u0) - d u at velocity u.  Returns 0 if too weak for a
   finite cfm. */
static int nsci_yield(const nsci_scheme *s, nsc_block *b, int i, nsc_real force, nsc_real k,
                      nsc_real d, nsc_real u0)
{
    nsc_real slope = s->hx * k + d;
    b->cfm[i] = 1 / (s->hf * slope);
    /* Not finite: the step will be refused */
    b->bias[i] = nsci_finite(slope) ? -(force + s->hx * k * u0) / slope : slope;
    if (slope > 0 && nsci_finite(b->cfm[i]))
        return 1;
    b->cfm[i] = b->bias[i] = 0;
    return 0;
}

/* Fix all impulses of a block; one that is not finite makes the solver refuse the step. */
static void nsci_give_block(nsc_block *b, nsc_real x0, nsc_real x1, nsc_real x2)
{
    int i;
    b->kind = NSC_BLOCK_BOX;
    b->rows = 3;
    nsci_give(b, 0, x0);
    nsci_give(b, 1, x1);
    nsci_give(b, 2, x2);
    for (i = 0; i < 3; i++)
        if (!nsci_finite(b->lambda[i]))
            b->bias[i] = b->lambda[i];
}

/* Impulses `out` of rows first .. last of spring and damper l stretched by *stretch; their force is
   at most cap together.  What slips at the cap stretches neither spring nor damper, so friction
   does not point along a slide.  After Cundall and Strack 1979. */
static void nsci_rub(const nsc_world *w, const nsci_scheme *s, const nsc_block *b, int first,
                     int last, const nsci_law *l, nsc_real cap, nsc_vec3 *stretch, int turning,
                     nsc_real *out)
{
    nsc_real f2 = 0;
    nsc_real share;
    nsc_real slope = s->hx * l->stiffness + l->damping;
    int i;
    for (i = first; i <= last; i++) {
        nsc_real u = nsci_row_speed(w, b, i);
        nsci_add_belt(&u, b, i);
        out[i] = -l->stiffness * nsci_dot3(*stretch, nsci_row_axis(b, i, turning)) -
                 l->damping * u;
        f2 += out[i] * out[i];
    }
    share = f2 > cap * cap ? cap / NSC_SQRT(f2) : 1;
    for (i = first; i <= last; i++) {
        nsc_vec3 axis = nsci_row_axis(b, i, turning);
        if (share < 1)
            *stretch = nsci_add_sv(*stretch, (1 - share) * out[i] * s->hx / slope, axis);
        out[i] *= s->hf * share;
    }
}

/* Explicit: the present force is given.  Only the push, not cohesion, bounds friction. */
static void nsci_explicit_bias(const nsc_world *w, nsc_contact *c, nsc_block *k, nsc_block *roll,
                               const nsci_scheme *s)
{
    nsc_real m = nsci_row_mass(w, k, 0);
    nsc_real u = nsci_row_speed(w, k, 0);
    nsc_real push, x[3];
    nsci_law l = nsci_contact_law(&w->def, c, m, -c->gap);
    nsci_law t = nsci_tangential_law(c, &l, m);
    nsc_vec3 twist = nsci_twist(c);
    nsci_begin_belt(c, k, roll);
    push = nsci_max(l.force - l.damping * u, 0);
    x[0] = c->gap <= 0 ? s->hf * (push - c->cohesion) : 0;
    x[1] = x[2] = 0;
    if (c->gap <= 0 && c->friction > 0)
        nsci_rub(w, s, k, 1, 2, &t, c->friction * push, &c->shear, 0, x);
    nsci_give_block(k, x[0], x[1], x[2]);
    if (NSC_MAX_ROLLING == 0 || !roll)
        return;
    x[0] = x[1] = x[2] = 0;
    if (c->gap <= 0) {
        t = nsci_rolling_law(&l, m, nsci_torsion(c), nsci_row_mass(w, roll, 0));
        nsci_rub(w, s, roll, 0, 0, &t, nsci_torsion(c) * push, &twist, 1, x);
        t = nsci_rolling_law(&l, m, nsci_rolling(c), nsci_row_mass(w, roll, 1));
        nsci_rub(w, s, roll, 1, 2, &t, nsci_rolling(c) * push, &twist, 1, x);
        nsci_set_twist(c, twist);
    }
    nsci_give_block(roll, x[0], x[1], x[2]);
}

/* Normal law linearised towards the end of the step (implicit steppers but Newton's): the line
   through the present force and that at the penetration the free motion would reach.  A resting
   contact keeps its force exactly; an incoming one meets the force that awaits it.  A gap closes
   freely, and only then the law begins. */
static nsci_law nsci_line_up(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                             const nsci_scheme *s, nsc_real m)
{
    nsc_real u = nsci_dot12(k->J[0], w->scratch.solve.v_free + 6 * k->a,
                            w->scratch.solve.v_free + 6 * k->b);
    nsc_real now = nsci_max(-c->gap, 0);
    nsc_real then = nsci_max(-c->gap - s->hx * u, now);
    nsci_law l = nsci_contact_law(&w->def, c, m, now);
    nsci_law end;
    if (then <= 0)
        then = NSC_R(0.25) * w->def.slop; /* if other impulses close the gap */
    end = nsci_contact_law(&w->def, c, m, then);
    if (then - now > NSC_R(0.01) * now) {
        l.stiffness = (end.force - l.force) / (then - now);
        l.damping = end.damping;
    }
    if (!nsci_yield(s, k, 0, l.force, l.stiffness, l.damping, 0))
        l.stiffness = 0;
    if (c->gap > 0)
        k->bias[0] = c->gap / s->hx;
    return l;
}

/* The normal row at Newton's iterate.  In a contact that closes within the step, damping is scaled
   by the overlapping part of its travel: the mean over the step, which keeps the law continuous
   (and convex: Newton converges from the deep side). */
static nsci_law nsci_line_at(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                             const nsci_scheme *s, nsc_real m)
{
    nsc_real travel;
    nsc_real u = nsci_row_trial(w, s, k, 0, &travel);
    nsc_real deep = -c->gap - travel;
    nsc_real rate;
    nsc_real extra;
    nsci_law l = nsci_contact_law(&w->def, c, m, deep);
    rate = nsci_min(-u, deep / s->hx);
    extra = l.rise * nsci_max(rate, 0);
    if (!nsci_yield(s, k, 0, l.force + l.damping * (rate + u), l.stiffness + extra, l.damping, u))
        l.stiffness = 0;
    return l;
}

/* Make rows first .. last compliant: spring l, stretched by `stretch` when the step began. */
static void nsci_yield_along(const nsc_world *w, const nsci_scheme *s, nsc_block *b, int first,
                             int last, const nsci_law *l, nsc_vec3 stretch, int turning)
{
    nsc_real travel, u;
    int i;
    for (i = first; i <= last; i++) {
        u = nsci_row_trial(w, s, b, i, &travel);
        nsci_yield(s, b, i,
                   -l->stiffness * (nsci_dot3(stretch, nsci_row_axis(b, i, turning)) + travel),
                   l->stiffness, l->damping, u);
    }
}

/* Implicit: compliance and bias of the rows */
static void nsci_implicit_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                               nsc_block *roll, const nsci_scheme *s)
{
    nsc_real m = nsci_row_mass(w, k, 0);
    nsci_law l = s->mode == NSCI_NEWTON ? nsci_line_at(w, c, k, s, m) : nsci_line_up(w, c, k, s, m);
    nsci_law t;
    if (!(l.stiffness > 0) || s->mode == NSCI_POSITION) {
        nsci_give_block(k, 0, 0, 0);
        if (roll)
            nsci_give_block(roll, 0, 0, 0);
        return;
    }
    t = nsci_tangential_law(c, &l, m);
    k->kind = NSC_BLOCK_CONTACT;
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    nsci_yield_along(w, s, k, 1, 2, &t, nsci_carried(c->shear, s->h, c), 0);
    nsci_drive_belt(c, k, t.damping / (s->hx * t.stiffness + t.damping));
    if (NSC_MAX_ROLLING == 0 || !roll)
        return;
    roll->kind = NSC_BLOCK_ROLLING;
    roll->mu = nsci_rolling(c);
    t = nsci_rolling_law(&l, m, nsci_torsion(c), nsci_row_mass(w, roll, 0));
    nsci_yield_along(w, s, roll, 0, 0, &t, nsci_twist(c), 1);
    t = nsci_rolling_law(&l, m, nsci_rolling(c), nsci_row_mass(w, roll, 1));
    nsci_yield_along(w, s, roll, 1, 2, &t, nsci_twist(c), 1);
    roll->hi[0] = nsci_torsion(c);
}

/* ---- cohesion, in hard contact too.  It pulls through the whole of a step that begins in touch,
   as an impulse on the free velocities.  The impulse of the contact's block is larger by the same
   and bounds friction; the contact stores their difference. */

/* Impulse of cohesion in a (sub-)step [N s] */
static nsc_real nsci_pull(const nsc_world *w, const nsc_contact *c, const nsci_scheme *s)
{
    int smooth = nsci_is_smooth(w);
    if (s->mode == (smooth ? NSCI_EXPLICIT : NSCI_POSITION))
        return 0; /* explicit smooth contact has the pull in its force */
    return c->gap <= (smooth ? 0 : w->def.slop) ? s->hf * c->cohesion : 0;
}

static void nsci_apply_pull(nsc_world *w, const nsc_contact *c, const nsc_block *k,
                            const nsci_scheme *s)
{
    nsc_real pull = nsci_pull(w, c, s);
    nsc_real y[12];
    nsc_real *v = w->scratch.solve.v_free;
    if (pull <= 0)
        return;
    nsci_row_response(w, k, 0, y);
    nsci_axpy12(-pull, y, v + 6 * k->a, v + 6 * k->b);
}

/* After the solve: take the pull off the contact's impulse.  share: as in nsci_take_island */
static void nsci_take_pull(const nsc_world *w, nsc_contact *c, const nsci_scheme *s, nsc_real share)
{
    nsc_real pull = share * nsci_pull(w, c, s);
    if (pull > 0)
        c->impulse = nsci_add_sv(c->impulse, -pull, c->normal);
}

#ifdef NSC_BARRIER
/* Turn the tangents of a contact so that the first lies along its sliding velocity at Newton's
   iterate; returns the sliding speed. */
static nsc_real nsci_align_tangents(const nsc_world *w, nsc_block *k)
{
    nsc_real u = nsci_row_speed(w, k, 1);
    nsc_real v = nsci_row_speed(w, k, 2);
    nsc_real keep = k->lambda[1];
    nsc_real size = NSC_SQRT(u * u + v * v);
    int i;
    if (!(size > 0))
        return 0;
    u /= size;
    v /= size;
    for (i = 0; i < 12; i++) {
        nsc_real along = u * k->J[1][i] + v * k->J[2][i];
        k->J[2][i] = u * k->J[2][i] - v * k->J[1][i];
        k->J[1][i] = along;
    }
    k->lambda[1] = u * keep + v * k->lambda[2];
    k->lambda[2] = u * k->lambda[2] - v * keep;
    return size;
}

/* Push of a contact in the last Newton step [N], or the largest of its pair's; < 0: none */
static nsc_real nsci_last_push(const nsc_world *w, const nsc_contact *c)
{
    nsc_real most = -1;
    int i;
    for (i = 0; i < w->push_count; i++) {
        const nsci_push *p = &w->pushes[i];
        if (p->shape_a != c->shape_a || p->shape_b != c->shape_b)
            continue;
        if (p->feature == c->feature)
            return p->force;
        most = nsci_max(most, p->force);
    }
    return most;
}

/* The barrier at Newton's iterate, which is where the contact was found.  The normal row has the
   force F there, but not its slope: with F = k d (d / g - 1) linearised as F g = k d (d - g), a row
   of slope (k d + P) / g leads to the gap at which the push is P.  P is the push in the last Newton
   step.  This undoes too small a gap at once; by the slope of F a Newton step could only double it.
   In the first step P is that of the contact alone, with m (g - g0) / h^2 = P, g0 the gap without
   it.  Friction is bounded by the push in the last step of the world, and so has a potential: a
   BOX. */
static void nsci_barrier_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                              nsc_block *roll, const nsci_scheme *s)
{
    const nsc_real *v = w->scratch.solve.v_free;
    nsc_real one = 1;
    nsc_real d = w->def.barrier_distance;
    nsc_real u = nsci_row_speed(w, k, 0);
    nsc_real heavy, end, slow;
    nsc_real x = c->gap > 0 ? c->gap / d : NSC_R(0.5);
    nsc_real last = nsci_last_push(w, c);
    nsc_real stiff;
    nsc_real free = nsci_dot12(k->J[0], v + 6 * k->a, v + 6 * k->b) - u;
    nsc_real most = c->friction * nsci_max(nsci_dot3(c->impulse, c->normal), 0);
    int i;
    stiff = c->stiffness;
    if (!(stiff > 0))
        stiff = one / (s->hx * s->hf * (w->bodies[w->outer[k->a]].inv_mass +
                                        w->bodies[w->outer[k->b]].inv_mass));
    if (most < NSC_REAL_EPS * s->hf * stiff * d)
        most = 0;
    heavy = nsci_row_mass(w, k, 0) / (s->hx * s->hf * stiff);
    end = one - heavy * (x + s->hx * free / d);
    end = NSC_R(0.5) * (end + NSC_SQRT(end * end + 4 * heavy)); /* d / g */
    end = nsci_max(nsci_max(end, one / x), 1);
    if (last >= 0) {
        end = one + last / (stiff * d);
        k->lambda[0] = s->hf * last;
    }
    k->kind = NSC_BLOCK_BOX;
    k->mu = 0;
    k->rows = (unsigned char)(most > 0 ? 3 : 1);
    slow = most > 0 ? nsci_align_tangents(w, k) : 0;
    slow = nsci_max(slow, w->def.barrier_speed); /* across the sliding its force only turns */
    k->lo[0] = 0;
    k->hi[0] = NSC_REAL_MAX;
    if (!nsci_yield(s, k, 0, stiff * d * (one / x - 1), stiff * end / x, 0, u))
        nsci_give(k, 0, 0);
    for (i = 1; i < k->rows; i++) {
        k->lo[i] = -most;
        k->hi[i] = most;
        if (!nsci_yield(s, k, i, 0, 0, most / (s->hf * (i > 1 ? slow : w->def.barrier_speed)), 0))
            nsci_give(k, i, 0);
    }
    nsci_drive_belt(c, k, 1);
    if (roll)
        nsci_give_block(roll, 0, 0, 0);
}
#else
#define nsci_barrier_bias(w, c, k, roll, s) ((void)0)
#endif

/* Fill the block of a contact, and `roll`, that of its rolling friction, unless it is NULL. */
static void nsci_smooth_bias(nsc_world *w, nsc_contact *c, nsc_block *k, nsc_block *roll,
                             const nsci_scheme *s)
{
    if (nsci_is_barrier(w)) {
        NSCI_IF(NSCI_BARRIER, w->report.overlaps += c->gap <= 0;)
        nsci_barrier_bias(w, c, k, roll, s);
        return;
    }
    if (c->gap > 0) {
        c->shear = nsci_vec(0, 0, 0);
        c->impact = 0;
        nsci_set_twist(c, c->shear);
    } else if (!(c->impact > 0)) {
        c->impact = nsci_max(-c->approach, w->def.bounce_speed);
    }
    if (s->mode == NSCI_EXPLICIT)
        nsci_explicit_bias(w, c, k, roll, s);
    else
        nsci_implicit_bias(w, c, k, roll, s);
}

/* Spin about the normal that both bodies share [rad/s].  The stored shear rotates with it. */
static nsc_real nsci_common_turn(const nsc_block *k, const nsc_real *v)
{
    nsc_vec3 n = nsci_row_axis(k, 0, 0);
    const nsc_real *va = v + 6 * k->a + 3;
    const nsc_real *vb = v + 6 * k->b + 3;
    nsc_real a = nsci_dot3(n, nsci_vec(va[0], va[1], va[2]));
    nsc_real b = nsci_dot3(n, nsci_vec(vb[0], vb[1], vb[2]));
    if (a * b <= 0)
        return 0;
    return nsci_abs(a) < nsci_abs(b) ? a : b;
}

/* Stretch of rows first .. last after the step: their travel without the slip at the cone, which is
   J v + bias + cfm lambda */
static nsc_vec3 nsci_creep(const nsc_world *w, const nsci_scheme *s, const nsc_block *b, int first,
                           int last, const nsc_real *v, nsc_vec3 stretch, int turning)
{
    nsc_vec3 out = nsci_vec(0, 0, 0);
    const nsc_real *va = v + 6 * b->a;
    const nsc_real *vb = v + 6 * b->b;
    int i;
    for (i = first; i <= last; i++) {
        nsc_vec3 axis = nsci_row_axis(b, i, turning);
        nsc_real x = nsci_dot3(stretch, axis) +
                     nsci_row_travel(w, s, b, i, va, vb);
        if (b->kind != NSC_BLOCK_BOX && b->cfm[i] > 0)
            x -= s->hx * (nsci_dot12(b->J[i], va, vb) + b->bias[i] + b->cfm[i] * b->lambda[i]);
        else if (s->mode != NSCI_EXPLICIT)
            x = 0;
        out = nsci_add_sv(out, x, axis);
    }
    return out;
}

#if !NSCI_STEPPERS
#define nsci_note_abrupt(w, c, k, s) ((void)0)
#define nsci_limit_step(w, own, s, count) ((void)0)
#else
/* HHT and NEWMARK: has the contact begun or ended faster than six steps resolve?  They would carry
   its force on into free flight, or the reverse, and gain energy, so the next step does not use the
   previous rates. */
static int nsci_is_abrupt(const nsc_world *w, const nsc_contact *c, const nsc_block *k,
                          const nsci_scheme *s)
{
    const nsc_real *va = w->scratch.solve.v + 6 * k->a;
    const nsc_real *vb = w->scratch.solve.v + 6 * k->b;
    nsc_real end = c->gap + nsci_row_travel(w, s, k, 0, va, vb);
    nsc_real m = nsci_row_mass(w, k, 0);
    nsci_law l = nsci_contact_law(&w->def, c, m, -nsci_min(c->gap, end));
    return (c->gap <= 0) != (end <= 0) && s->h * s->h * l.stiffness > NSC_R(0.25) * m;
}

static void nsci_note_abrupt(nsc_world *w, const nsc_contact *c, const nsc_block *k,
                             const nsci_scheme *s)
{
    if (nsci_is_newmark(&w->def) && nsci_is_abrupt(w, c, k, s))
        w->abrupt = 1;
}

/* ---- the longest explicit step: a twentieth of the contact's duration, but at most half the
   stable step 2 (sqrt(1 + z^2) - z) / w of all contacts of its bodies together, because no
   frequency is above the sum of theirs. */

/* Law at the deepest penetration that the contact reaches with its present speed */
static nsci_law nsci_deepest_law(const nsc_world *w, const nsc_contact *c, const nsc_block *k,
                                 nsc_real m)
{
    nsc_real deep = -c->gap;
    nsc_real u = nsci_row_speed(w, k, 0);
    nsc_real root;
    if (u < 0 && c->hertz > 0) {
        root = nsci_fifth_root(deep * deep * NSC_SQRT(deep) + NSC_R(1.25) * m * u * u / c->hertz);
        deep = root * root;
    }
    return nsci_contact_law(&w->def, c, m, deep);
}

/* Largest over the rows: rate[0] stiffness over mass, rate[1] damping over mass */
static void nsci_find_rates(const nsc_world *w, const nsc_contact *c, const nsc_block *k,
                            const nsci_law *l, nsc_real m, nsc_real *rate)
{
    nsci_law t = nsci_tangential_law(c, l, m);
    int i;
    rate[0] = l->stiffness / m;
    rate[1] = l->damping / m;
    for (i = 1; i < 3 && c->friction > 0; i++) {
        nsc_real mass = nsci_row_mass(w, k, i);
        if (!(mass > 0))
            continue;
        rate[0] = nsci_max(rate[0], t.stiffness / mass);
        rate[1] = nsci_max(rate[1], t.damping / mass);
    }
}

/* In the first pass add a contact's rates to the sums of its bodies, two each; in the second report
   the limit that these give it. */
static void nsci_limit_by(nsc_world *w, const nsci_link *link, const nsc_island *own,
                          const nsci_scheme *s, nsc_real *sum, int first)
{
    const nsc_contact *c = &w->found[link->item];
    const nsc_block *k = &w->scratch.solve.blocks[link->block];
    nsc_real m = nsci_row_mass(w, k, 0);
    nsc_real rate[2], W, D, limit;
    nsci_law l = nsci_deepest_law(w, c, k, m);
    int j;
    if (!(l.stiffness > 0) || !(m > 0))
        return;
    if (first) {
        nsci_find_rates(w, c, k, &l, m, rate);
        for (j = 0; j < 2; j++) {
            sum[2 * k->a + j] += k->a > 0 && k->a <= own->bodies ? rate[j] : 0;
            sum[2 * k->b + j] += k->b > 0 && k->b <= own->bodies ? rate[j] : 0;
        }
        return;
    }
    W = nsci_max(sum[2 * k->a], sum[2 * k->b]);
    D = NSC_R(0.5) * nsci_max(sum[2 * k->a + 1], sum[2 * k->b + 1]);
    limit = nsci_min(NSCI_PI / 20 * NSC_SQRT(m / l.stiffness), 1 / (NSC_SQRT(W + D * D) + D));
    if (!(w->report.step_limit > 0) || limit < w->report.step_limit)
        w->report.step_limit = limit;
    w->report.over_limit += s->last && s->h > limit;
}

static void nsci_limit_step(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int count)
{
    nsc_real *sum = w->scratch.solve.direction; /* not in use with explicit steppers */
    int i, first;
    nsci_clear(sum, 2 * (size_t)count * sizeof *sum);
    for (first = 1; first >= 0; first--)
        for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
            const nsci_link *link = &w->links[i];
            if (link->kind == NSCI_CONTACT_LINK && w->found[link->item].gap <= 0)
                nsci_limit_by(w, link, own, s, sum, first);
        }
}
#endif

/* v turned about a unit vector n by a small angle, its length kept */
static nsc_vec3 nsci_turn_about(nsc_vec3 n, nsc_real angle, nsc_vec3 v)
{
    return nsci_mul_sv(nsci_norm(v), nsci_unit(nsci_add_sv(v, angle, nsci_cross(n, v)), v));
}

/* After the solve: update shear and twist. */
static void nsci_take_smooth(nsc_world *w, nsc_contact *c, const nsc_block *k,
                             const nsc_block *roll, const nsci_scheme *s)
{
    const nsc_real *v = w->scratch.solve.v;
    nsc_real turn = s->h * nsci_common_turn(k, v);
    nsc_vec3 twist;
    if (nsci_is_barrier(w))
        return;
    nsci_note_abrupt(w, c, k, s);
    c->shear = nsci_creep(w, s, k, 1, c->friction > 0 ? 2 : 0, v,
                          nsci_carried(c->shear, s->h, c), 0);
    c->shear = nsci_flush3(nsci_turn_about(c->normal, turn, c->shear));
    if (NSC_MAX_ROLLING == 0 || !roll)
        return;
    twist = nsci_add(nsci_creep(w, s, roll, 0, 0, v, nsci_twist(c), 1),
                     nsci_creep(w, s, roll, 1, 2, v, nsci_twist(c), 1));
    nsci_set_twist(c, nsci_flush3(nsci_turn_about(c->normal, turn, twist)));
}

/* v rotated as the normal rotates between two unit vectors not far apart */
static nsc_vec3 nsci_turn_along(nsc_vec3 from, nsc_vec3 to, nsc_vec3 v)
{
    nsc_vec3 axis = nsci_cross(from, to);
    nsc_vec3 d = nsci_cross(axis, v);
    return nsci_add_sv(nsci_add(v, d), 1 / (1 + nsci_dot3(from, to)), nsci_cross(axis, d));
}

/* Take over shear, twist and impact of the last step; old NULL: 0 */
static void nsci_carry_smooth(nsc_contact *c, const nsc_contact *old)
{
    nsc_vec3 zero = nsci_vec(0, 0, 0);
    nsc_vec3 twist = zero;
    c->shear = old ? nsci_turn_along(old->normal, c->normal, old->shear) : zero;
    c->impact = old ? old->impact : 0;
    if (NSC_MAX_ROLLING > 0 && old)
        twist = nsci_turn_along(old->normal, c->normal, nsci_twist(old));
    nsci_set_twist(c, twist);
}

/* Clear law and history, and cohesion. */
static void nsci_forget_smooth(nsc_contact *c)
{
    c->hertz = c->tangential = c->cohesion = c->impact = 0;
    c->shear = nsci_vec(0, 0, 0);
    nsci_set_twist(c, c->shear);
}

/* The same for a contact without smooth force; unless it is a sensor, its cohesion stays. */
static void nsci_drop_smooth(nsc_contact *c)
{
    nsc_real cohesion = c->sensor ? 0 : c->cohesion;
    nsci_forget_smooth(c);
    c->cohesion = cohesion;
}

static int nsci_smooth_is_finite(const nsc_contact *c)
{
    return nsci_vec_finite(c->shear) && nsci_vec_finite(nsci_twist(c)) && nsci_finite(c->impact);
}

/* Check the cohesion of a contact of yours; in smooth contact also hertz and tangential, and that
   hertz or stiffness gives it a force. */
static int nsci_check_smooth(nsc_world *w, const nsc_contact *c)
{
    int smooth = nsci_is_smooth(w);
    int code = nsci_check_members(&w->note, c,
                                  smooth ? NSCI_nsc_contact_hertz : NSCI_nsc_contact_cohesion,
                                  NSCI_nsc_contact_cohesion);
    if (code < 0 || !smooth || c->stiffness > 0 || c->hertz > 0)
        return code;
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_FORCE, c->hertz);
}

#endif

/* ---- >>contacts ------------------------------------------------------------------------------ */

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
    return nsci_add(nsci_vec(v[0], v[1], v[2]), nsci_cross(nsci_vec(v[3], v[4], v[5]), r));
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
    nsci_set_rolling(c, nsci_max(a->rolling, b->rolling), nsci_max(a->torsion, b->torsion));
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

#if NSC_MAX_MANIFOLDS == 0
#define nsci_meet(w, low, high, reach, kept) \
    nsci_collide_any(w, &(w)->scratch.find.geoms[low], &(w)->scratch.find.geoms[high], reach)
#else
/* Index in contacts of the first contact of two shapes, or -1 */
static int nsci_find_pair(const nsc_world *w, int low, int high)
{
    int from = 0;
    int to = w->contact_count;
    int a = 0;
    int b = 0;
    while (from < to) {
        int middle = (from + to) / 2;
        a = nsci_rank(w->contacts[middle].shape_a) - 1;
        b = nsci_rank(w->contacts[middle].shape_b) - 1;
        if (a < low || (a == low && b < high))
            from = middle + 1;
        else
            to = middle;
    }
    if (from == w->contact_count)
        return -1;
    a = nsci_rank(w->contacts[from].shape_a) - 1;
    b = nsci_rank(w->contacts[from].shape_b) - 1;
    return a == low && b == high ? from : -1;
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
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int i, n = 3;
    nsc_real least = NSC_REAL_MAX;
    if (hull)
        n = hull->faces;
    for (i = 0; i < n; i++) {
        nsc_vec3 face = g->axes.c[i < 3 ? i : 0]; /* of a box; a hull has more */
        if (hull)
            face = nsci_mul_mv(&g->axes, hull->normal[i]);
        face = nsci_cross(face, normal);
        least = nsci_min(least, nsci_dot3(face, face));
    }
    return least;
}

/* Store the n points just found; returns their manifold plus 1, or 0: fewer than 3, or no room. */
static int nsci_keep_points(nsc_world *w, const nsci_geom *a, const nsci_geom *b, nsc_real distance,
                            int n)
{
    nsc_vec3 normal = w->scratch.find.points[0].normal;
    nsc_vec3 along, d;
    nsc_real width = 0;
    nsci_manifold *m;
    int i;
    while (w->next_manifold < NSC_MAX_MANIFOLDS && w->manifolds[w->next_manifold].count > 0)
        w->next_manifold++;
    w->report.unkept += n >= 3 && w->next_manifold == NSC_MAX_MANIFOLDS;
    if (n < 3 || w->next_manifold == NSC_MAX_MANIFOLDS)
        return 0;
    m = &w->manifolds[w->next_manifold++];
    if (w->manifold_end < w->next_manifold)
        w->manifold_end = w->next_manifold;
    m->count = (uint8_t)n;
    m->side = (uint8_t)(nsci_miss_face(b, normal) < nsci_miss_face(a, normal));
    m->normal = nsci_mul_mtv(m->side ? &b->axes : &a->axes, normal);
    along = nsci_unit(
        nsci_sub(w->scratch.find.points[n - 1].point, w->scratch.find.points[0].point), normal);
    for (i = 1; i + 1 < n; i++) {
        d = nsci_cross(along,
                       nsci_sub(w->scratch.find.points[i].point, w->scratch.find.points[0].point));
        width = nsci_max(width, nsci_norm(d));
    }
    m->reach = distance;
    m->limit = NSC_R(1e-3) * width;
    for (i = 0; i < n; i++) {
        const nsci_point *p = &w->scratch.find.points[i];
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
    int keeps = w->def.keep_manifolds && nsci_has_flat_faces(a) && nsci_has_flat_faces(b) &&
                !nsci_is_smooth(w);
    int n = -1;
    int old = keeps ? nsci_find_pair(w, low, high) : -1;
    *kept = old < 0 ? 0 : w->contacts[old].manifold;
    if (*kept > 0)
        n = nsci_carry_points(w, &w->manifolds[*kept - 1], a, b, distance);
    if (n >= 0)
        return n;
    n = nsci_collide_any(w, a, b, distance);
    *kept = keeps ? nsci_keep_points(w, a, b, distance, n) : 0;
    return n;
}
#endif

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

/* How far a body's point moves in the step without contact [m], to second order in the turn */
static nsc_vec3 nsci_way_of(const nsc_world *w, int body, nsc_vec3 point, nsc_real h)
{
    const nsc_real *v = w->v_free + 6 * body;
    nsc_vec3 turn = nsci_mul_sv(h, nsci_vec(v[3], v[4], v[5]));
    nsc_vec3 d = nsci_cross(turn, nsci_sub(point, w->bodies[body].position));
    d = nsci_add_sv(d, NSC_R(0.5), nsci_cross(turn, d));
    return nsci_add_sv(d, h, nsci_vec(v[0], v[1], v[2]));
}

/* Gap at the end of the step if the contact exerts no force [m].  The corner of a spinning body
   that only passes by does not close. */
static nsc_real nsci_gap_after(const nsc_world *w, int a, int b, nsc_vec3 point, nsc_vec3 normal,
                               nsc_real gap, nsc_real h)
{
    nsc_vec3 half = nsci_mul_sv(NSC_R(0.5) * gap, normal);
    nsc_vec3 on_a = nsci_way_of(w, a, nsci_sub(point, half), h);
    nsc_vec3 on_b = nsci_way_of(w, b, nsci_add(point, half), h);
    return gap + nsci_dot3(normal, nsci_sub(on_b, on_a));
}

/* Find the contact points of two shapes; beyond the margin only those that close within the
   step. */
NSCI_OWN_FRAME void nsci_collide_shapes(nsc_world *w, int s, int t, nsc_real h)
{
    int low = s < t ? s : t;
    int high = s < t ? t : s;
    int i, n;
    int kept = 0;
    const nsc_shape *a = &w->shapes[low];
    const nsc_shape *b = &w->shapes[high];
    nsc_real reach = w->def.margin + w->scratch.find.reach[low] + w->scratch.find.reach[high];
    const nsc_contact *first = NULL; /* of the pair: the others copy its combined material */
    n = nsci_meet(w, low, high, reach, &kept);
    for (i = 0; i < n; i++) {
        const nsci_point *p = &w->scratch.find.points[nsci_in_turn(high, i, n)];
        nsc_contact *c;
        if (p->gap > w->def.margin &&
            nsci_gap_after(w, a->body, b->body, p->point, p->normal, p->gap, h) > 0)
            continue;
        c = nsci_room(w, p->gap);
        if (!c)
            continue;
        if (first && first != c)
            nsci_copy(c, first, sizeof *c);
        if (!first) {
            nsci_mix_shapes(w, c, low, high);
            c->manifold = (nsci_kept_at)kept;
        }
        first = c;
        c->feature = p->feature;
        c->point = p->point;
        c->normal = p->normal;
        c->gap = p->gap;
    }
}

/* May two shapes collide? */
static int nsci_may_meet(const nsc_world *w, const nsc_shape *s, const nsc_shape *t)
{
    const nsc_body *a = &w->bodies[s->body];
    const nsc_body *b = &w->bodies[t->body];
    if (a == b || (a->kind != NSC_DYNAMIC_BODY && b->kind != NSC_DYNAMIC_BODY))
        return 0;
    if (!(s->def.category & t->def.mask) || !(t->def.category & s->def.mask))
        return 0;
    if (!nsci_is_active(a) && !nsci_is_active(b))
        return 0;
    return !nsci_joined(w, s->body, t->body) && nsci_ask_meet(w, s, t);
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

/* Keep the old contacts between bodies that are not active: they are matched already. */
static void nsci_keep_sleeping(nsc_world *w, nsc_real scale)
{
    int i, sleepers = 0;
    for (i = 1; i < w->body_end; i++)
        sleepers += w->bodies[i].asleep;
    for (i = 0; i < w->contact_count && sleepers > 0; i++) {
        const nsc_contact *old = &w->contacts[i];
        const nsc_body *a = &w->bodies[nsci_body_of(w, old->body_a)];
        const nsc_body *b = &w->bodies[nsci_body_of(w, old->body_b)];
        nsc_contact *c = old->shape_a < 0 || nsci_is_active(a) || nsci_is_active(b)
                             ? NULL
                             : nsci_room(w, old->gap);
        if (!c)
            continue;
        nsci_copy(c, old, sizeof *c);
        nsci_begin_contact(c);
        w->report.matched += nsci_carry_impulse(w, c, old, scale);
    }
}

#ifdef NSC_BARRIER
/* ---- barrier: how much of a Newton step keeps gaps open (conservative advancement).  On the way
   from the trial poses to those after the step, share x = 0..1, the centres of bodies move along
   lines, and their orientations by interpolated quaternions.  The separation f of two convex shapes
   along a direction that one of them carries along bounds their gap from below.  f is the least
   over all pairs of their points, and so from x to x + e at least min(f(x), f(x + e)) - M e^2 / 8,
   where M bounds the acceleration of any point of one shape, seen from the other. */

/* A shape at a share of its body's path */
static nsci_geom nsci_place_along(nsc_world *w, int shape, nsc_real share)
{
    nsc_body *b = &w->bodies[w->shapes[shape].body];
    const nsci_path *p = &w->path[w->shapes[shape].body];
    nsc_vec3 position = b->position;
    nsc_quat q = b->orientation;
    nsc_quat turned = q;
    nsci_geom g;
    turned.w += share * p->turn.w;
    turned.x += share * p->turn.x;
    turned.y += share * p->turn.y;
    turned.z += share * p->turn.z;
    b->position = nsci_add_sv(position, share, p->move);
    b->orientation = nsci_quat_normalise(turned);
    g = nsci_place(w, &w->shapes[shape]);
    b->position = position;
    b->orientation = q;
    return g;
}

/* Fastest turn rate of a body on its path [rad]; its derivative is at most a quarter of the
   cube. */
static nsc_real nsci_turn_rate(const nsc_world *w, int body)
{
    nsc_quat q = w->path[body].turn;
    nsc_real chord2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return chord2 > 0 ? 2 * NSC_SQRT(chord2 / (1 - NSC_R(0.25) * chord2)) : 0;
}

/* Distance of a shape's points from its body's centre of mass, but of a sphere's from its middle */
static nsc_real nsci_arm(const nsc_world *w, int body, const nsci_geom *g)
{
    nsc_real size = g->kind == NSC_SHAPE_SPHERE ? 0 : nsci_size(g);
    return nsci_norm(nsci_sub(nsci_middle(g), w->bodies[body].position)) + size;
}

/* Separation of a and b along n, a->kind <= b->kind */
static nsc_real nsci_separation(const nsci_geom *a, const nsci_geom *b, nsc_vec3 n)
{
    nsci_geom p = *a;
    nsci_geom q = *b;
    q.centre = nsci_sub(b->centre, a->centre);
    p.centre = nsci_vec(0, 0, 0);
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_dot3(nsci_sub(q.centre, nsci_support(&p, n)), n) - nsci_rounding(a);
    return nsci_gap(&p, &q, n);
}

/* Gap of a and b, a->kind <= b->kind, NSC_REAL_MAX if it is beyond `enough`; *n: the direction in
   which they are apart; *side: the shape that carries it, 0 or 1.  Moves both shapes. */
static nsc_real nsci_open_gap(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real enough,
                              nsc_vec3 *n, int *side)
{
    nsci_way way;
    *n = nsci_neg(b->axes.c[2]);
    *side = 1;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_separation(a, b, *n);
    b->centre = nsci_sub(b->centre, a->centre);
    a->centre = nsci_vec(0, 0, 0);
    if (!nsci_exact_way(&w->scratch.find.convex, a, b, enough, &way))
        return NSC_REAL_MAX;
    *n = way.n;
    *side = way.side != 0;
    return way.s;
}

#define nsci_casts(w) ((w)->casting)
/* Reduce w->share until the gap of two shapes stays open on their paths. */
static void nsci_cast_pair(nsc_world *w, int s, int t)
{
    int first = w->shapes[s].def.kind <= w->shapes[t].def.kind ? s : t;
    int second = s + t - first;
    int body[2], side, i, fresh = 1;
    nsci_geom a = nsci_place_along(w, first, 0);
    nsci_geom b = nsci_place_along(w, second, 0);
    nsci_geom c = a;
    nsci_geom d = b;
    nsc_real turn[2], arm[2];
    nsc_real x = 0;
    nsc_real step = w->share;
    nsc_real gap = 0;
    nsc_real least = -1;
    nsc_real worst, far, small;
    nsc_real bend = 0, reach;
    nsc_vec3 n = nsci_vec(0, 0, 0);
    nsc_vec3 carried;
    body[0] = w->shapes[first].body;
    body[1] = w->shapes[second].body;
    if (w->shapes[s].def.sensor || w->shapes[t].def.sensor)
        return;
    for (i = 0; i < 2; i++) {
        turn[i] = nsci_turn_rate(w, body[i]);
        arm[i] = nsci_arm(w, body[i], i ? &b : &a);
    }
    far = nsci_norm(nsci_sub(w->path[body[1]].move, w->path[body[0]].move));
    small = 32 * NSC_REAL_EPS * (nsci_norm(a.centre) + arm[0] + arm[1]); /* above rounding */
    small = nsci_max(small, NSC_R(1e-5) * w->def.barrier_distance);
    for (i = 0; i < 100 && x < w->share; i++) {
        if (fresh) {
            c = a;
            d = b;
            gap = nsci_open_gap(w, &c, &d, far + turn[0] * arm[0] + turn[1] * arm[1] +
                                               w->def.barrier_distance, &n, &side);
            if (least < 0)
                least = nsci_max(w->left * nsci_min(gap, w->def.barrier_distance),
                                 nsci_min(NSC_R(0.9) * gap, small));
            if (!(least > 0) || gap >= NSC_REAL_MAX)
                return; /* they overlap, or do not meet */
            if (x > 0 && gap < NSC_R(1.5) * least)
                break;
            carried = nsci_mul_mtv(side ? &b.axes : &a.axes, n);
            reach = nsci_norm(nsci_sub(nsci_middle(side ? &a : &b),
                                       w->bodies[body[side]].position)) +
                    nsci_size(side ? &a : &b) + 2 * far;
            bend = turn[!side] * turn[!side] * (1 + NSC_R(0.25) * turn[!side]) * arm[!side] +
                   2 * turn[side] * (far + turn[!side] * arm[!side]) +
                   turn[side] * turn[side] * (1 + NSC_R(0.25) * turn[side]) * reach;
        }
        c = nsci_place_along(w, first, x + step);
        d = nsci_place_along(w, second, x + step);
        worst = nsci_separation(&c, &d, nsci_mul_mv(side ? &d.axes : &c.axes, carried));
        worst = nsci_min(gap, worst) - NSC_R(0.125) * bend * step * step;
        fresh = worst >= least;
        if (fresh) {
            x += step;
            step = w->share - x;
            a = c;
            b = d;
        } else {
            step *= NSC_R(0.95) * (gap - least) / (gap - worst);
        }
    }
    w->share = nsci_min(w->share, x);
}
#else
#define nsci_cast_pair(w, s, t) ((void)0)
#define nsci_casts(w) 0
#endif

/* Find the contacts of two shapes if their boxes overlap. */
static void nsci_meet_boxes(nsc_world *w, int s, int t, nsc_real h)
{
    if (!nsci_overlap(&w->scratch.find.boxes[s], &w->scratch.find.boxes[t]) ||
        !nsci_may_meet(w, &w->shapes[s], &w->shapes[t]))
        return;
    if (nsci_casts(w)) {
        nsci_cast_pair(w, s, t);
        return;
    }
    w->report.pairs++;
    NSC_STAGE(NSC_STAGE_NARROW);
    nsci_collide_shapes(w, s, t, h);
    NSC_STAGE(NSC_STAGE_BROAD);
}

#if !NSCI_STRIPS
/* Few shapes: every pair of which one is active, in the order of contacts */
static void nsci_meet_all(nsc_world *w, int n, nsc_real h)
{
    const uint16_t *shapes = w->scratch.find.sweep;
    const uint8_t *active = w->scratch.find.strip;
    int i, j;
    for (i = 0; i < n; i++) {
        int all = active[shapes[i]];
        for (j = i + 1; j < n; j++)
            if (all || active[shapes[j]])
                nsci_meet_boxes(w, shapes[i], shapes[j], h);
    }
}
#else
/* Find the contacts of shape s, at place i of the sweep list, with the shapes of strip k; in its
   own strip only with those behind it in the list. */
static void nsci_meet_strip(nsc_world *w, const nsci_sweep *p, int i, int k, nsc_real h)
{
    int s = w->scratch.find.sweep[i];
    int j = k == w->scratch.find.strip[s]
                ? i + 1
                : nsci_first_in_strip(w, p->axis, k, w->scratch.find.boxes[s].min[p->axis]);
    for (; j < w->scratch.find.strip_end[k]; j++) {
        int t = w->scratch.find.sweep[j];
        if (w->scratch.find.boxes[t].min[p->axis] > w->scratch.find.boxes[s].max[p->axis])
            break;
        nsci_meet_boxes(w, s, t, h);
    }
}

static void nsci_meet_all(nsc_world *w, int n, nsc_real h)
{
    nsci_sweep p = nsci_plan_sweep(w, n);
    int i, k, last;
    nsci_sort_sweep(w, &p, n);
    for (i = 0; i < n; i++) {
        last = nsci_strip_at(&p, w->scratch.find.boxes[w->scratch.find.sweep[i]].max[p.across]);
        for (k = w->scratch.find.strip[w->scratch.find.sweep[i]]; k <= last; k++)
            nsci_meet_strip(w, &p, i, k, h);
    }
}
#endif

NSCI_OWN_FRAME void nsci_find_contacts(nsc_world *w, nsc_real h, nsc_real scale)
{
    int n = nsci_bound_shapes(w, h);
    nsci_link_joints(w);
    w->next_manifold = 0;
    w->scratch.find.lost = 0;
    NSCI_IF(NSCI_BARRIER, w->casting = 0;)
    nsci_meet_all(w, n, h);
    w->report.dropped += w->scratch.find.lost;
    nsci_keep_sleeping(w, scale);
    NSC_STAGE(NSC_STAGE_MATCH);
    nsci_sort_found(w);
}

/* cos 5 degrees: impulses are not carried over where the normal turned further */
#define NSCI_TURNED NSC_R(0.9961947)

/* The i-th contact of the step, in the order of contacts */
static nsc_contact *nsci_found(nsc_world *w, int i)
{
    return &w->found[w->links[w->first_contact + i].item];
}

static int nsci_has_turned(const nsc_contact *c, const nsc_contact *old)
{
    return nsci_dot3(old->normal, c->normal) < NSCI_TURNED;
}

/* Index of the unused contact among from..to with the feature of c, or -1.  Resting shapes find
   their points in the same order in every step, so `likely` comes first. */
NSCI_OWN_FRAME int nsci_find_same(const nsc_contact *list, const uint8_t *used,
                                  const nsc_contact *c, int from, int to, int likely)
{
    int i, n = to - from;
    for (i = likely < to ? likely : from; n > 0; n--) {
        if (!used[i] && list[i].feature == c->feature && !nsci_has_turned(c, &list[i]))
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
        const nsc_contact *old = &w->contacts[i];
        nsc_vec3 d = nsci_sub(old->point, c->point);
        if (w->scratch.find.used[i] || !(nsci_dot3(d, d) < limit) || nsci_has_turned(c, old))
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
                    : nsci_find_same(w->contacts, w->scratch.find.used, c, from, to,
                                     from + i - begin);
        if (m < 0)
            continue;
        if (!nsci_carry_impulse(w, c, &w->contacts[m], scale))
            continue;
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
NSCI_OWN_FRAME void nsci_list_links(nsc_world *w)
{
    int i;
    w->link_count = 0;
    nsci_list_joints(w);
    nsci_list_springs(w);
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

/* Is it the link of a contact?  Without joints and springs all are. */
static int nsci_links_contact(const nsci_link *l)
{
    return NSC_MAX_JOINTS + NSC_MAX_SPRINGS == 0 || l->kind == NSCI_CONTACT_LINK;
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

#if !NSCI_ISLANDS
static int nsci_number_islands(nsc_world *w, int together)
{
    int i, count = 0;
    (void)together;
    for (i = 0; i < w->body_end; i++) {
        w->island[i] = nsci_is_dynamic(w, i) ? 0 : NSCI_NOWHERE;
        if (w->island[i] == 0)
            count = 1;
    }
    return count;
}
#else
/* Root of a body's set: the lowest index in it */
static int nsci_root(uint16_t *set, int i)
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
    w->island[a < b ? b : a] = (uint16_t)(a < b ? a : b);
}

/* Union-find over bodies.  Afterwards island[i] is the number of body i's island; islands are
   numbered in the order of their lowest bodies.  Returns their count.  together: all awake bodies
   form one island, because a force of the caller may couple any two. */
NSCI_OWN_FRAME int nsci_number_islands(nsc_world *w, int together)
{
    int i;
    int count = 0;
    int last = -1;
    for (i = 0; i < w->body_end; i++)
        w->island[i] = (uint16_t)i;
    for (i = 0; i < w->link_count; i++)
        if (!nsci_is_sensor(w, &w->links[i]))
            nsci_unite(w, w->links[i].a, w->links[i].b);
    for (i = w->body_end - 1; together && i > 0; i--)
        if (nsci_is_dynamic(w, i) && !w->bodies[i].asleep) {
            nsci_unite(w, i, last < 0 ? i : last);
            last = i;
        }
    for (i = 0; i < w->body_end; i++)
        w->members[i] = (uint16_t)nsci_root(w->island, i);
    for (i = 0; i < w->body_end; i++) {
        int root = w->members[i];
        if (!nsci_is_dynamic(w, i))
            w->island[i] = NSCI_NOWHERE;
        else
            w->island[i] = root == i ? (uint16_t)count++ : w->island[root];
    }
    return count;
}
#endif

/* Must an elastic contact wait?  If v_free alone does not close it, the step leaves it out.  If
   other contacts drive it together, it bounces in the next step.  Closing it here would dissipate
   the energy that its bounce should return. */
NSCI_ONE_COPY int nsci_waits(const nsc_world *w, const nsci_link *l, const nsc_contact *c,
                             nsc_real h)
{
    if (c->restitution <= 0 || c->gap <= NSC_R(0.25) * w->def.slop || nsci_is_smooth(w))
        return 0;
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
    if (is_contact && nsci_waits(w, l, &w->found[l->item], h))
        return;
    l->block = 0;
    l->next = own->first_link;
    own->first_link = (uint16_t)i;
    if (is_contact)
        own->contacts++;
    else if (l->kind == NSCI_JOINT_LINK)
        own->joints++;
    else
        own->springs++;
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
        own->solver = w->def.solver.solver;
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
        own->first_body = (uint16_t)bodies;
        bodies += own->bodies;
        own->bodies = 0;
    }
    for (i = 0; i < w->body_end; i++) {
        if (w->island[i] == NSCI_NOWHERE)
            continue;
        own = nsci_island_at(w, w->island[i]);
        w->members[own->first_body + own->bodies++] = (uint16_t)i;
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
    w->inner[body] = (uint16_t)*count;
    w->outer[*count] = (uint16_t)body;
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
        w->inner[w->outer[count]] = (uint16_t)count;
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

/* Angular momentum I w, world frame [kg m^2/s] */
static nsc_vec3 nsci_momentum(const nsc_world *w, const nsci_scheme *s, const nsc_body *b,
                              nsc_vec3 angular)
{
    nsci_mat3 R = nsci_rotation(*nsci_inertia_turn(w, s, b));
    return nsci_mul_mv(&R, nsci_sym_mul(b->inertia, nsci_mul_mtv(&R, angular)));
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
    nsci_velocity_of(b, out);
    if (nsci_mode(s) == NSCI_NEWTON)
        nsci_hat(w, s, i, out);
    v = nsci_vec(out[0], out[1], out[2]);
    o = nsci_vec(out[3], out[4], out[5]);
    if (nsci_is_dynamic(w, i) && !asleep) {
        if (!(b->inv_mass > 0))
            return nsci_refused(&w->note, NSC_ERR_INERTIA, NSCI_NO_MASS, (nsc_real)i);
        if (s->calls && s->calls->force)
            nsci_ask_force(w, s, i, &force, &torque);
        if (NSCI_STEPPERS && nsci_may_turn(b) &&
            (s->newmark || w->def.stepper == NSC_STEPPER_EULER_FORWARD))
            torque = nsci_sub(torque, nsci_cross(b->angular_velocity,
                                                 nsci_momentum(w, s, b, b->angular_velocity)));
        v = nsci_add_sv(v, s->hf * b->gravity_scale, w->def.gravity);
        v = nsci_add_sv(v, s->hf * b->inv_mass, force);
        if (!(nsci_abs(torque.x) + nsci_abs(torque.y) + nsci_abs(torque.z) <= 0)) /* a NaN too */
            o = nsci_add_sv(o, s->hf, nsci_spin_up(w, s, b, torque));
    }
    if (b->generation % 2 == 0)
        v = o = nsci_vec(0, 0, 0);
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = o.x;
    out[4] = o.y;
    out[5] = o.z;
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

/* Once a step: find contacts, carry over impulses, build islands.  Bodies woken here get their free
   velocity. */
static int nsci_begin_step(nsc_world *w, nsc_real h, const nsci_scheme *s)
{
    nsc_real scale = w->last_h > 0 ? s->hf / w->last_h : 0; /* of impulses */
    int i, code = NSC_OK;
    NSC_STAGE(NSC_STAGE_BROAD);
    NSCI_IF(NSCI_EXTRAS, w->scratch.find.calls = s->calls;)
    nsci_find_contacts(w, h, scale);
    code = nsci_ask_contacts(w, s->calls);
    nsci_list_links(w);
    nsci_begin_contacts(w);
    nsci_match_contacts(w, scale);
    NSC_STAGE(NSC_STAGE_ISLANDS);
    nsci_find_islands(w, h, (nsci_mode(s) == NSCI_NEWTON && s->calls && s->calls->force) ||
                                nsci_is_barrier(w));
    w->rolling_count = 0;
    for (i = 1; i < w->body_end && code == NSC_OK; i++)
        if (w->bodies[i].asleep && !nsci_rests(w, i))
            code = nsci_free_velocity(w, i, s, 0);
    return code;
}

/* Fill a contact's block: Jacobian rows and warm start. */
NSCI_OWN_FRAME void nsci_fill_contact(const nsc_world *w, const nsci_link *l, nsc_block *k,
                                      const nsci_scheme *s)
{
    const nsc_contact *c = &w->found[l->item];
    nsc_vec3 ra = nsci_sub(c->point, nsci_stood(w, s, l->a));
    nsc_vec3 rb = nsci_sub(c->point, nsci_stood(w, s, l->b));
    nsc_vec3 t1, t2;
    int i;
    for (i = 0; i < 3; i++)
        k->lambda[i] = 0;
    k->kind = NSC_BLOCK_CONTACT;
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    k->mu = c->friction;
    k->a = nsci_inner_of(w, l->a);
    k->b = nsci_inner_of(w, l->b);
    nsci_tangents(c->normal, &t1, &t2);
    nsci_fill_row(k->J[0], c->normal, ra, rb);
    nsci_fill_row(k->J[1], t1, ra, rb);
    nsci_fill_row(k->J[2], t2, ra, rb);
    nsci_lock_block(w, k);
    k->lambda[0] = nsci_max(nsci_dot3(c->impulse, c->normal) + nsci_pull(w, c, s), 0);
    if (k->rows < 3 || k->lambda[0] <= 0)
        return;
    k->lambda[1] = nsci_dot3(c->impulse, t1);
    k->lambda[2] = nsci_dot3(c->impulse, t2);
}

/* EULER_IMPLICIT_PROJECTED, second solve, without friction: reduce the penetration left by the
   first solve to the slop, at recovery_speed at most. */
static void nsci_position_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k, nsc_real gap,
                               nsc_real h)
{
    nsc_real deep = c->stiffness > 0 ? 0 : nsci_min(gap + w->def.slop, 0);
    k->rows = 1;
    k->cfm[0] = k->lambda[0] = 0;
    k->bias[0] = gap > 0 ? gap / h : nsci_max(deep / h, -w->def.recovery_speed);
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
    return nsci_dot12(k->J[0], v + 6 * k->a, v + 6 * k->b);
}

/* Bias and compliance of the normal row.  An open gap may close within the step (bias gap / h, not
   scaled by recovery).  The last quarter of the slop counts as touching: otherwise the 0.1 mm that
   an unfinished solve leaves would close with 24 mm/s at 240 Hz, and a tall stack never rest.  A
   penetration is undone at bounded speed, or by the spring (implicit Euler: Gamma =
   1/(h(hk+d))). */
NSCI_ONE_COPY void nsci_contact_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                              const nsci_scheme *s)
{
    nsc_real h = s->hx;
    nsc_real room = nsci_max(c->gap - NSC_R(0.25) * w->def.slop, 0);
    nsc_real stiff = h * c->stiffness + c->damping;
    nsc_real deep = nsci_min(c->gap + w->def.slop, 0);
    nsc_real speed, out;
    if (nsci_mode(s) == NSCI_POSITION) {
        nsci_position_bias(w, c, k, c->gap + (nsci_is_last(s) ? h * nsci_free_speed(w, k) : 0), h);
        return;
    }
    /* The row is linear: it understates how far a body that spins fast closes a wide gap. */
    if (c->gap > w->def.margin)
        room = nsci_clamp(nsci_gap_after(w, nsci_body_of(w, c->body_a), nsci_body_of(w, c->body_b),
                                         c->point, c->normal, c->gap, h) -
                              h * nsci_free_speed(w, k), 0, room);
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    k->bias[1] = k->bias[2] = k->cfm[0] = k->cfm[1] = k->cfm[2] = 0;
    nsci_drive_belt(c, k, 1);
    k->bias[0] = room / h;
    if (c->gap <= 0)
        k->bias[0] = nsci_max(w->def.recovery * deep / h, -w->def.recovery_speed);
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
    if (nsci_min(c->gap, room) + h * speed > 0)
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

/* Block of rolling friction: rotation about the normal, then about the tangents */
static void nsci_fill_rolling(const nsc_contact *c, const nsc_block *contact, nsc_block *k)
{
    nsc_vec3 d[3];
    int i;
    d[0] = c->normal;
    nsci_tangents(c->normal, &d[1], &d[2]);
    k->a = contact->a;
    k->b = contact->b;
    k->kind = NSC_BLOCK_ROLLING;
    k->rows = 3;
    for (i = 0; i < 3; i++) {
        NSC_MEMSET(k->J[i], 0, sizeof k->J[i]);
        k->J[i][3] = -d[i].x;
        k->J[i][4] = -d[i].y;
        k->J[i][5] = -d[i].z;
        k->J[i][9] = d[i].x;
        k->J[i][10] = d[i].y;
        k->J[i][11] = d[i].z;
        k->cfm[i] = k->bias[i] = 0;
        k->lambda[i] = nsci_dot3(nsci_moment(c), d[i]);
    }
}

/* Fill a contact's block, and one more for rolling friction.  first: fill the geometry too, once a
   step.  Returns the number of blocks. */
static int nsci_fill_contact_blocks(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                    nsc_block *k)
{
    nsc_contact *c = &w->found[l->item];
    nsc_block *roll = NULL; /* of its rolling friction */
    if (first)
        nsci_fill_contact(w, l, k, s);
    nsci_apply_pull(w, c, k, s);
    if (!nsci_is_smooth(w)) {
        nsci_contact_bias(w, c, k, s);
        /* A bounce has no warm start. */
        if (nsci_bounces(k) && (first || nsci_mode(s) != NSCI_NEWTON))
            NSC_MEMSET(k->lambda, 0, sizeof k->lambda);
    }
    if (first && nsci_rolls(c)) {
        l->rolls = w->rolling_count < NSC_MAX_ROLLING;
        w->rolling_count += l->rolls;
        w->report.dropped_rolling += !l->rolls;
    }
    if (NSC_MAX_ROLLING > 0 && l->rolls) {
        roll = k + 1;
        if (first)
            nsci_fill_rolling(c, k, roll);
        roll->mu = nsci_mode(s) == NSCI_POSITION ? 0 : nsci_rolling(c);
        roll->hi[0] = nsci_mode(s) == NSCI_POSITION ? 0 : nsci_torsion(c);
    }
    if (nsci_is_smooth(w))
        nsci_smooth_bias(w, c, k, roll, s);
    if (first)
        nsci_begin_impulse(c);
    return roll ? 2 : 1;
}

/* Fill the blocks of a link; returns their number.  scale: factor on the last step's impulses, or
   -1: keep those in the blocks. */
static int nsci_fill_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                          nsc_real scale, nsc_block *k)
{
    (void)scale;
    if (NSC_MAX_JOINTS > 0 && l->kind == NSCI_JOINT_LINK)
        return nsci_fill_joint_link(w, l, s, scale, k);
    if (NSC_MAX_SPRINGS > 0 && l->kind == NSCI_SPRING_LINK)
        return nsci_fill_spring_link(w, l, s, scale, k);
    return nsci_fill_contact_blocks(w, l, s, first || nsci_is_barrier(w), k);
}

/* Fill the blocks of an island's links, in their order. */
static void nsci_fill_links(nsc_world *w, nsc_island *own, const nsci_scheme *s, int first)
{
    nsc_real scale = !first ? -1 : w->last_h > 0 ? s->hf / w->last_h : 0;
    int i, n = own->first_block;
    own->joint_blocks = 0;
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
        nsci_link *l = &w->links[i];
        l->block = (uint16_t)n;
        n += nsci_fill_link(w, l, s, first, scale, &w->scratch.solve.blocks[n]);
        if (l->kind == NSCI_JOINT_LINK)
            own->joint_blocks = (uint16_t)(n - own->first_block);
    }
    own->places = own->blocks = (uint16_t)(n - own->first_block);
}

/* Sum of counts, limited to the largest int, which many sub-steps, Newton steps and iterations may
   reach. */
static int nsci_add_count(int sum, int count)
{
    unsigned most = (unsigned)-1 >> 1;
    unsigned all = (unsigned)sum + (unsigned)count;
    return (int)(all < most ? all : most);
}

/* Merge the solver's report of one island into the island's and the step's. */
static void nsci_note_island(nsc_world *w, nsc_island *own, const nsc_report *r)
{
    nsc_report *all = &w->report.solver;
    nsc_real residual = nsci_flush(r->residual);
    if (r->residual >= all->residual && r->worst_block >= 0) {
        all->worst_block = own->first_block + r->worst_block;
        all->solver = r->solver;
    }
    all->status = r->status > all->status ? r->status : all->status;
    all->iterations = r->iterations > all->iterations ? r->iterations : all->iterations;
    all->residual = nsci_max(all->residual, residual);
    all->floor = nsci_max(all->floor, r->floor);
    all->eta = nsci_max(all->eta, r->eta);
    all->violation = nsci_max(all->violation, r->violation);
    all->objective = nsci_clamp(all->objective + r->objective, -NSC_REAL_MAX, NSC_REAL_MAX);
    all->duality_gap = nsci_at_most_max(all->duality_gap + r->duality_gap);
    all->factorizations = r->factorizations > all->factorizations ? r->factorizations
                                                                  : all->factorizations;
    all->skipped_rows = nsci_add_count(all->skipped_rows, r->skipped_rows);
    own->solver = r->solver;
    own->status = r->status > own->status ? r->status : own->status;
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
    if (NSC_MAX_JOINTS == 0 || own->joints == 0)
        return 0;
    for (i = 0; i < own->bodies; i++) {
        nsc_vec3 x = w->bodies[w->members[own->first_body + i]].position;
        reach = nsci_max(reach, nsci_max(nsci_abs(x.x), nsci_max(nsci_abs(x.y), nsci_abs(x.z))));
    }
    return NSC_REAL_EPS * reach * share / s->hx;
}

/* Build and prepare the problem of one island.  first: fill the contacts' geometry and first
   guesses too. */
NSCI_OWN_FRAME int nsci_build_problem(nsc_world *w, nsc_island *own, const nsci_scheme *s,
                                      int first, nsc_problem *p)
{
    nsci_clear(p, sizeof *p);
    p->body_count = nsci_gather_bodies(w, own, s);
    p->masses = w->scratch.solve.masses;
    p->v_free = w->scratch.solve.v_free;
    p->v = w->scratch.solve.v;
    p->blocks = w->scratch.solve.blocks + own->first_block;
    nsci_fill_links(w, own, s, first);
    nsci_fill_forces(w, own, s);
    p->block_count = own->blocks;
    nsci_lock_blocks(w, p);
    if (nsci_is_smooth(w) && nsci_mode(s) == NSCI_EXPLICIT)
        nsci_limit_step(w, own, s, p->body_count);
    p->bias_error = nsci_bias_error(w, own, s);
    p->stop = s->calls ? s->calls->stop : NULL;
    p->user = s->calls ? s->calls->user : NULL;
    NSCI_IF(NSCI_PARALLEL, p->parallel = s->calls ? s->calls->parallel : NULL;)
    NSCI_IF(NSCI_PARALLEL, p->parts = s->calls ? s->calls->parts : 1;)
    p->arena = w->scratch.solve.arena;
    p->arena_size = NSC_ARENA;
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

/* kept: 1: the answer with restitution is stored (nsci_drop_bounces), so compute square too */
static nsci_work nsci_work_of(const nsc_world *w, const nsci_scheme *s, nsc_problem *p, int kept)
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
        int a = w->outer[k->a];
        int b = w->outer[k->b];
        for (i = 0; i < k->rows; i++) {
            if (!nsci_counts_work(s, k, i, &undone))
                continue;
            before = nsci_speed_before(w, s, k, i);
            after = nsci_dot12(k->J[i], p->v + 6 * k->a, p->v + 6 * k->b);
            of.sum += half * k->lambda[i] * (before + after + undone);
            size += half * nsci_abs(k->lambda[i]) *
                    (nsci_abs(before) + nsci_abs(after) + nsci_abs(undone));
            if (!kept)
                continue;
            before = nsci_dot12(k->J[i], w->v_free + 6 * a, w->v_free + 6 * b);
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
   solver starts from zero impulses, so that an answer that is stopped early rarely gains. */
NSCI_OWN_FRAME int nsci_limit_bounces(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                                      nsc_problem *p, nsc_real work, nsc_report *r)
{
    nsci_work without;
    nsc_real residual = r->residual;
    int status = r->status;
    int iterations = r->iterations;
    int factorizations = r->factorizations;
    int code;
    nsci_drop_bounces(w, own, p);
    code = nsc_solve(p, &w->def.solver, r);
    if (code < 0)
        return code;
    without = nsci_work_of(w, s, p, 1);
    if (without.gains) {
        nsci_begin_anew(p);
        without = nsci_work_of(w, s, p, 1);
    }
    nsci_mix_answers(p, nsci_most_share(work, without.sum, without.square));
    w->report.limited_bounces++;
    r->residual = nsci_max(r->residual, residual);
    r->status = r->status > status ? r->status : status;
    r->iterations = nsci_add_count(r->iterations, iterations);
    r->factorizations = nsci_add_count(r->factorizations, factorizations);
    return r->status;
}

/* The code of an island's solved problem, after its restitution was reduced so that it makes no
   energy */
static int nsci_check_bounces(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int code,
                              nsc_problem *p, nsc_report *r)
{
    nsci_work of;
    int n = 0;
    if (code < 0 || nsci_is_smooth(w))
        return code;
    while (n < p->block_count && !nsci_bounces(&p->blocks[n]))
        n++;
    if (n == p->block_count)
        return code;
    of = nsci_work_of(w, s, p, 0);
    return of.gains ? nsci_limit_bounces(w, own, s, p, of.sum, r) : code;
}

/* Solve an island's problem so that restitution makes no energy. */
static int nsci_solve_impacts(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                              nsc_problem *p, nsc_report *r)
{
    int code = nsc_solve(p, &w->def.solver, r);
    return nsci_check_bounces(w, own, s, code, p, r);
}

/* Add a contact's impulse; unless the sub-step was the last, advance the gap by the Jacobian.
   share: as in nsci_take_island */
static void nsci_take_contact(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                              nsc_real share)
{
    const nsc_real *v = w->scratch.solve.v;
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    const nsc_block *roll = NSC_MAX_ROLLING > 0 && l->rolls ? k + 1 : NULL;
    nsc_contact *c = &w->found[l->item];
    nsc_vec3 impulse = c->impulse;
    int r;
    for (r = 0; r < k->rows; r++)
        impulse = nsci_add_sv(impulse, share * k->lambda[r],
                              nsci_vec(k->J[r][6], k->J[r][7], k->J[r][8]));
    c->impulse = impulse;
    nsci_take_pull(w, c, s, share);
    for (r = 0; r < 3 && roll; r++)
        nsci_set_moment(c, nsci_add_sv(nsci_moment(c), share * roll->lambda[r],
                                       nsci_vec(roll->J[r][9], roll->J[r][10], roll->J[r][11])));
    if (nsci_is_smooth(w))
        nsci_take_smooth(w, c, k, roll, s);
    if (nsci_is_last(s))
        return;
    c->approach = nsci_clamp_finite(nsci_dot12(k->J[0], v + 6 * k->a, v + 6 * k->b));
    c->gap += nsci_row_travel(w, s, k, 0, v + 6 * k->a, v + 6 * k->b);
}

/* Store velocities and impulses of a solved island.  joint_blocks: number in the islands before
   it */
NSCI_OWN_FRAME void nsci_take_island(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                                     int joint_blocks)
{
    /* factor from a block's impulse, which acts over hf, to that of the sub-step */
    nsc_real share = NSCI_STEPPERS ? s->h / s->hf : 1;
    int i;
    for (i = 1; i <= own->bodies; i++)
        nsci_copy(w->v_free + 6 * w->outer[i], w->scratch.solve.v + 6 * i, 6 * sizeof *w->v_free);
    for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
        const nsci_link *l = &w->links[i];
        if (l->kind == NSCI_CONTACT_LINK)
            nsci_take_contact(w, l, s, share);
        if (l->kind == NSCI_SPRING_LINK)
            nsci_take_spring(w, l, share);
    }
    nsci_take_joints(w, own, s, share, joint_blocks);
}

/* Refuse the step if a position, a velocity or a contact would not be finite. */
static int nsci_check_motion(nsc_world *w, nsc_real h)
{
    int i, ok = 1;
    for (i = 0; i < w->body_end; i++) {
        const nsc_real *v = w->v_free + 6 * i;
        int before = NSCI_STEPPERS && w->def.stepper == NSC_STEPPER_EULER_FORWARD;
        nsc_vec3 linear = before ? w->bodies[i].velocity : nsci_vec(v[0], v[1], v[2]);
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
    nsc_vec3 axis, d;
    nsc_quat turn;
    int gyroscopic = b->kind == NSC_DYNAMIC_BODY && !nsci_is_ball(b->inertia) && nsci_may_turn(b);
    if (gyroscopic) {
        nsci_mat3 R = nsci_rotation(b->orientation);
        half = nsci_mul_mv(&R, nsci_gyroscopic(b->inertia, nsci_mul_mtv(&R, angular), h));
        half = nsci_mul_sv(NSC_R(0.5), half);
        angular = nsci_add(angular, half);
    }
    turn = nsci_quat_exp(nsci_mul_sv(h, angular));
    b->orientation = nsci_quat_normalise(nsci_quat_mul(turn, b->orientation));
    b->angular_velocity = angular;
    if (!gyroscopic)
        return;
    /* The midpoint rate is along the axis of the turn and stays; `half` turns with the body. */
    axis = nsci_vec(turn.x, turn.y, turn.z);
    d = nsci_cross(axis, half);
    d = nsci_mul_sv(2, nsci_add_sv(nsci_cross(axis, d), turn.w, d));
    b->angular_velocity = nsci_add(angular, nsci_add(half, d));
}

/* Move a body from the start of the sub-step to its end, where its velocity is v. */
static void nsci_move_body(const nsc_world *w, const nsci_scheme *s, int i, nsc_body *b,
                           const nsc_real *v)
{
    nsc_vec3 linear = nsci_vec(v[0], v[1], v[2]);
    nsc_vec3 angular = nsci_vec(v[3], v[4], v[5]);
    if (NSCI_STEPPERS && (s->newmark || w->def.stepper == NSC_STEPPER_EULER_FORWARD)) {
        nsc_real d[6];
        int k;
        nsci_velocity_of(b, d);
        for (k = 0; k < 6; k++)
            d[k] *= s->h;
        if (s->newmark)
            nsci_displacement(w, s, i, v, d);
        b->position = nsci_add(b->position, nsci_vec(d[0], d[1], d[2]));
        b->orientation = nsci_quat_normalise(
            nsci_quat_mul(nsci_quat_exp(nsci_vec(d[3], d[4], d[5])), b->orientation));
        b->velocity = linear;
        b->angular_velocity = angular;
        return;
    }
    b->velocity = linear;
    b->position = nsci_add_sv(b->position, s->h, linear);
    nsci_turn_body(b, angular, s->h);
}

#if !NSCI_STEPPERS
#define nsci_try_motion(w, s, i) ((void)0)
#define nsci_hold_start(w, back) ((void)0)
#define nsci_solve_newton(w, own, s, p, r) NSC_OK
#define nsci_begin_barrier(w, s) ((void)0)
#define nsci_keep_rates(w, s) ((void)0)
#define nsci_hold_rates(m, b, back) ((void)0)
#define nsci_undo_by_moving(w, s) NSC_OK
#else
/* ---- Newton's method on the incremental potential, E(v) = |v - v^|_M^2 / 2 + hf/hx P(x(v)), in
   the velocities.  Each Newton step is one problem: spring rows carry the positive semi-definite
   part of their derivative, constraint rows are linearised anew. */

/* Move a body from its start to where its present velocity leads in the sub-step. */
static void nsci_try_motion(nsc_world *w, const nsci_scheme *s, int i)
{
    nsc_body *b = &w->bodies[i];
    const nsci_start *from = &w->start[i];
    nsc_real v[6];
    nsci_velocity_of(b, v);
    b->position = from->position;
    b->orientation = from->orientation;
    nsci_move_body(w, s, i, b, v);
    b->angular_velocity = nsci_vec(v[3], v[4], v[5]);
}

/* Save poses and velocities at the start of the sub-step (back = 0), or restore them after Newton's
   trials (back = 1). */
static void nsci_hold_start(nsc_world *w, int back)
{
    int i;
    if (!back)
        w->abrupt = 0;
    for (i = 0; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_start *m = &w->start[i];
        if (back) {
            b->position = m->position;
            b->orientation = m->orientation;
            b->velocity = m->velocity;
            b->angular_velocity = m->angular_velocity;
        } else {
            m->position = b->position;
            m->orientation = b->orientation;
            m->velocity = b->velocity;
            m->angular_velocity = b->angular_velocity;
        }
    }
}

/* HHT, NEWMARK: make the gyroscopic torque in a body's free rate implicit.  Solve w + hf I^-1 w x I
   w = o by Newton; o: the rate without that torque, plus `pushed`, the effect of the last solve's
   impulses.  With the torque at the trial velocity the iteration would diverge from h |w| = 2
   on. */
static void nsci_solve_spin(nsc_world *w, const nsci_scheme *s, int i, nsc_vec3 pushed)
{
    const nsc_body *b = &w->bodies[i];
    nsc_real *out = w->v_free + 6 * i + 3;
    nsci_mat3 R = nsci_rotation(b->orientation);
    nsci_mat3 M = nsci_sym_expand(b->inertia);
    nsc_vec3 m = nsci_mul_mtv(&R, b->angular_velocity);
    nsc_vec3 L = nsci_mul_mv(&M, m);
    nsc_vec3 o;
    int n;
    if (!nsci_is_dynamic(w, i) || nsci_is_ball(b->inertia) || !nsci_may_turn(b))
        return;
    o = nsci_mul_mtv(&R, nsci_add(nsci_vec(out[0], out[1], out[2]), pushed));
    o = nsci_add_sv(o, s->hf, nsci_sym_mul(b->inv_inertia, nsci_cross(m, L)));
    for (n = 0; n < 4; n++)
        m = nsci_sub(m, nsci_spin_error(&M, m, o, s->hf));
    m = nsci_sub(nsci_mul_mv(&R, m), pushed);
    if (nsci_vec_finite(m)) {
        out[0] = m.x;
        out[1] = m.y;
        out[2] = m.z;
    }
}

/* Add share times the direction to the trial velocities. */
static void nsci_go_along(nsc_world *w, const nsc_island *own, nsc_real share)
{
    int i;
    for (i = 1; i <= own->bodies; i++) {
        nsc_body *b = &w->bodies[w->outer[i]];
        const nsc_real *d = w->scratch.solve.direction + 6 * i;
        b->velocity = nsci_add_sv(b->velocity, share, nsci_vec(d[0], d[1], d[2]));
        b->angular_velocity = nsci_add_sv(b->angular_velocity, share, nsci_vec(d[3], d[4], d[5]));
    }
}

#ifndef NSC_BARRIER
#define nsci_begin_barrier(w, s) ((void)0)
#define nsci_find_anew(w, s) NSC_OK
#define nsci_open_share(w, own, s) 1
#define nsci_lead_on(w, s, share) 1
#define nsci_keep_trial(w, own) ((void)0)
#define nsci_keep_pushes(w, own, s) ((void)0)
#else
/* Move the kinematic bodies by a share of their motion. */
static void nsci_lead(nsc_world *w, const nsci_scheme *s, nsc_real share)
{
    int i;
    w->led = share;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        if (b->kind != NSC_KINEMATIC_BODY)
            continue;
        b->velocity = nsci_mul_sv(share, w->start[i].velocity);
        b->angular_velocity = nsci_mul_sv(share, w->start[i].angular_velocity);
        nsci_try_motion(w, s, i);
    }
}

/* Barrier: Newton's method begins without motion, where all gaps are open. */
static void nsci_begin_barrier(nsc_world *w, const nsci_scheme *s)
{
    int i, lead = 1;
    if (!nsci_is_barrier(w))
        return;
    w->push_count = 0;
    for (i = 1; i < w->body_end; i++) {
        lead &= w->bodies[i].kind != NSC_KINEMATIC_BODY;
        w->bodies[i].velocity = w->bodies[i].angular_velocity = nsci_vec(0, 0, 0);
    }
    nsci_lead(w, s, (nsc_real)lead);
}

/* Find the contacts at the trial poses. */
static int nsci_find_anew(nsc_world *w, const nsci_scheme *s)
{
    nsc_real *v = w->scratch.solve.v; /* before the step */
    nsc_real scale = w->last_h > 0 ? s->hf / w->last_h : 0; /* of impulses */
    int i, code;
    w->found_count = w->rolling_count = w->report.pairs = w->report.matched = 0;
    nsci_find_contacts(w, s->h, scale);
    code = nsci_ask_contacts(w, s->calls);
    for (i = 0; i < w->body_end; i++)
        nsci_put_pair(v + 6 * i, w->start[i].velocity, w->start[i].angular_velocity);
    w->link_count = w->first_contact;
    for (i = 0; i < w->found_count; i++) {
        int item = w->scratch.find.order[i];
        nsc_contact *c = &w->found[item];
        const nsci_link *l = &w->links[w->link_count];
        nsci_add_link(w, NSCI_CONTACT_LINK, item, c->body_a, c->body_b);
        if (c->matched)
            continue; /* asleep, see nsci_keep_sleeping */
        nsci_begin_contact(c);
        c->approach = nsci_clamp_finite(nsci_normal_velocity(w, v, l->a, l->b, c->point,
                                                             c->normal));
    }
    nsci_match_contacts(w, scale);
    for (i = 0; i < w->report.islands; i++) {
        nsc_island *own = &w->islands[i];
        own->first_link = NSCI_NOWHERE;
        own->joints = own->springs = own->contacts = 0;
    }
    for (i = w->link_count - 1; i >= 0; i--)
        nsci_chain_link(w, i, s->h);
    return code;
}

/* Write the paths of all bodies for a share of the Newton step. */
static void nsci_plan_paths(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                            nsc_real share)
{
    nsc_real led = w->led, sign;
    int i;
    for (i = 0; i < w->body_end; i++) {
        w->path[i].move = w->bodies[i].position;
        w->path[i].turn = w->bodies[i].orientation;
    }
    nsci_go_along(w, own, share);
    nsci_lead(w, s, led + share * (1 - led));
    for (i = 0; i < own->bodies; i++)
        nsci_try_motion(w, s, w->members[own->first_body + i]);
    for (i = 0; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_path *p = &w->path[i];
        nsc_vec3 x = b->position;
        nsc_quat q = b->orientation;
        nsc_quat from = p->turn;
        b->position = p->move;
        b->orientation = from;
        p->move = nsci_sub(x, p->move);
        sign = q.w * from.w + q.x * from.x + q.y * from.y + q.z * from.z < 0 ? -1 : 1;
        p->turn.w = sign * q.w - from.w;
        p->turn.x = sign * q.x - from.x;
        p->turn.y = sign * q.y - from.y;
        p->turn.z = sign * q.z - from.z;
    }
    nsci_go_along(w, own, -share);
    w->led = led;
}

/* Write the boxes that shapes sweep on their paths, and the sweep list; returns how many. */
static int nsci_bound_paths(nsc_world *w)
{
    int s, n = 0;
    for (s = 0; s < w->shape_end; s++) {
        int body = w->shapes[s].body;
        nsc_vec3 d = w->path[body].move;
        nsci_geom *g = &w->scratch.find.geoms[s];
        nsci_aabb *box = &w->scratch.find.boxes[s];
        nsc_real swing;
        if (w->shapes[s].generation % 2 == 0 || nsci_is_off(w, body))
            continue;
        nsci_place_shape(w, &w->shapes[s], g);
        swing = nsci_turn_rate(w, body) * nsci_arm(w, body, g);
        if (g->kind == NSC_SHAPE_HALF_SPACE && swing > 0)
            g->axes.c[2] = nsci_vec(1, 1, 1); /* no axis of the world: no bounds */
        nsci_bounds(g, swing + NSC_R(0.5) * w->def.barrier_distance, box);
        box->min[0] += nsci_min(d.x, 0);
        box->min[1] += nsci_min(d.y, 0);
        box->min[2] += nsci_min(d.z, 0);
        box->max[0] += nsci_max(d.x, 0);
        box->max[1] += nsci_max(d.y, 0);
        box->max[2] += nsci_max(d.z, 0);
        w->scratch.find.sweep[n++] = (uint16_t)s;
    }
    return n;
}

/* Share of the Newton step that keeps all gaps open.  It is found for the path of the whole step,
   and then, as rotation is not linear, again for the path of the share. */
static nsc_real nsci_open_share(nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_real share = 1;
    int i, n;
    for (i = 0; i < 8 && nsci_is_barrier(w); i++) {
        nsci_plan_paths(w, own, s, share);
        n = nsci_bound_paths(w);
        w->left = i ? NSC_R(0.05) : NSC_R(0.1);
        w->share = 1;
        w->casting = 1;
        nsci_meet_all(w, n, 0);
        if (w->share >= 1)
            return share;
        share *= w->share;
    }
    return nsci_is_barrier(w) ? 0 : 1;
}

/* Keep the pushes of the problem just solved. */
static void nsci_keep_pushes(nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    int i;
    w->push_count = 0;
    for (i = own->first_link; i != NSCI_NOWHERE && nsci_is_barrier(w); i = w->links[i].next) {
        const nsc_contact *c = &w->found[w->links[i].item];
        nsci_push *p = &w->pushes[w->push_count];
        if (w->links[i].kind != NSCI_CONTACT_LINK)
            continue;
        w->push_count++;
        p->shape_a = c->shape_a;
        p->shape_b = c->shape_b;
        p->feature = c->feature;
        p->force = w->scratch.solve.blocks[w->links[i].block].lambda[0] / s->hf;
    }
}

/* Move the kinematic bodies by the same share; returns 1 if they had arrived before. */
static int nsci_lead_on(nsc_world *w, const nsci_scheme *s, nsc_real share)
{
    int done = !nsci_is_barrier(w) || w->led >= 1;
    if (!done)
        nsci_lead(w, s, share < 1 ? w->led + share * (1 - w->led) : 1);
    return done;
}

/* Take the trial velocities for the answer: the solver's may lie beyond the share that keeps gaps
   open. */
static void nsci_keep_trial(nsc_world *w, const nsc_island *own)
{
    int i;
    for (i = 1; i <= own->bodies && nsci_is_barrier(w); i++)
        nsci_velocity_of(&w->bodies[w->outer[i]], w->scratch.solve.v + 6 * i);
}
#endif

/* Build an island's problem at the poses to which its trial velocities lead in the sub-step. */
static int nsci_build_trial(nsc_world *w, nsc_island *own, const nsci_scheme *s, int first,
                            nsc_problem *p)
{
    int i, k, code = NSC_OK, dropped = w->report.dropped_derivatives; /* counted before solving */
    nsc_vec3 pushed;
    for (i = 0; i < own->bodies; i++)
        nsci_try_motion(w, s, w->members[own->first_body + i]);
    for (i = 0; i < own->bodies && code == NSC_OK; i++) {
        k = w->members[own->first_body + i];
        pushed =
            nsci_sub(w->bodies[k].angular_velocity,
                     nsci_vec(w->v_free[6 * k + 3], w->v_free[6 * k + 4], w->v_free[6 * k + 5]));
        code = nsci_free_velocity(w, k, s, 0);
        if (s->newmark)
            nsci_solve_spin(w, s, k, first ? nsci_vec(0, 0, 0) : pushed);
    }
    if (nsci_is_barrier(w) && !first && code >= 0)
        code = nsci_find_anew(w, s);
    w->report.dropped_derivatives = dropped;
    return code < 0 ? code : nsci_build_problem(w, own, s, first, p);
}

/* Impulse of a soft block at row velocities u; rows that are not soft keep that of the last
   solve. */
static void nsci_soft_impulse(const nsc_block *k, const nsc_real *u, nsc_real *out)
{
    nsc_real t2, most;
    int i;
    for (i = 0; i < k->rows; i++) {
        out[i] = k->cfm[i] > 0 ? -(u[i] + k->bias[i]) / k->cfm[i] : k->lambda[i];
        if (k->kind == NSC_BLOCK_BOX)
            out[i] = nsci_clamp(out[i], k->lo[i], k->hi[i]);
    }
    if (k->kind < NSC_BLOCK_CONTACT)
        return;
    if (k->kind == NSC_BLOCK_CONTACT)
        out[0] = nsci_max(out[0], 0);
    else {
        most = k->hi[0] * k[-1].lambda[0];
        out[0] = nsci_clamp(out[0], -most, most);
    }
    if (k->rows < 3)
        return;
    t2 = out[1] * out[1] + out[2] * out[2];
    most = k->mu * (k->kind == NSC_BLOCK_CONTACT ? out[0] : k[-1].lambda[0]);
    if (t2 <= most * most)
        return;
    most /= NSC_SQRT(t2);
    out[1] *= most;
    out[2] *= most;
}

/* Directional derivative of E along w->scratch.solve.direction at the trial velocities, minus the
   work of constraint impulses */
static nsc_real nsci_slope(const nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                           const nsc_problem *p)
{
    const nsc_real *d = w->scratch.solve.direction;
    const nsc_real *v_free = w->scratch.solve.v_free;
    nsc_real sum = 0, u[3], along[3], lambda[3];
    int i, r;
    for (i = 1; i <= own->bodies; i++) {
        const nsc_body *b = &w->bodies[w->outer[i]];
        const nsc_real *e = d + 6 * i;
        const nsc_real *f = v_free + 6 * i;
        nsc_vec3 rest = nsci_sub(b->velocity, nsci_vec(f[0], f[1], f[2]));
        nsc_vec3 spin = nsci_sub(b->angular_velocity, nsci_vec(f[3], f[4], f[5]));
        sum += b->mass * nsci_dot3(nsci_vec(e[0], e[1], e[2]), rest) +
               nsci_dot3(nsci_vec(e[3], e[4], e[5]), nsci_momentum(w, s, b, spin));
    }
    for (i = 0; i < p->block_count; i++) {
        const nsc_block *k = &p->blocks[i];
        for (r = 0; r < k->rows; r++) {
            u[r] = nsci_row_speed(w, k, r);
            along[r] = nsci_dot12(k->J[r], d + 6 * k->a, d + 6 * k->b);
        }
        nsci_soft_impulse(k, u, lambda);
        for (r = 0; r < k->rows; r++)
            sum -= along[r] * lambda[r];
    }
    return sum;
}

/* Direction from the trial velocities to the solution; returns the largest change [m/s, rad/s] */
static nsc_real nsci_take_direction(nsc_world *w, const nsc_island *own, const nsc_problem *p)
{
    nsc_real v[6], largest = 0;
    int i, k;
    for (i = 0; i < p->body_count; i++) {
        nsci_velocity_of(&w->bodies[w->outer[i]], v);
        for (k = 0; k < 6; k++) {
            nsc_real d = i >= 1 && i <= own->bodies ? nsci_flush(p->v[6 * i + k] - v[k]) : 0;
            w->scratch.solve.direction[6 * i + k] = d;
            largest = nsci_max(largest, nsci_abs(d));
        }
    }
    return largest;
}

/* Change of velocity [m/s, rad/s] that rounding of positions, divided by hx, can cause */
static nsc_real nsci_newton_noise(const nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_real far = 1;
    int i;
    for (i = 0; i < own->bodies; i++)
        far = nsci_max(far, nsci_norm(w->bodies[w->members[own->first_body + i]].position));
    return 16 * NSC_REAL_EPS * far / s->hx;
}

/* Halve a Newton step while the sum of the slopes at its ends is positive: by the trapezoidal rule
   E would rise.  A change at the level of rounding that no longer shrinks counts as settled. */
static int nsci_solve_newton(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p,
                             nsc_report *r)
{
    nsc_real size = NSC_REAL_MAX;
    nsc_real before, slope, share;
    nsc_real noise = nsci_newton_noise(w, own, s);
    nsc_real whole; /* share of the Newton step that keeps gaps open */
    int k, halved;
    int settled = 0;
    int iterations = 0;
    int limited = w->report.limited_bounces;
    int free, code;
    nsci_begin_barrier(w, s);
    code = nsci_build_trial(w, own, s, nsci_is_first(s), p);
    for (k = 1; code >= 0; k++) {
        w->report.limited_bounces = limited;
        code = nsci_solve_impacts(w, own, s, p, r);
        if (code < 0)
            return code;
        r->iterations = iterations = nsci_add_count(iterations, r->iterations);
        before = size;
        size = nsci_take_direction(w, own, p);
        settled = size <= w->def.newton_tolerance || (size <= noise && size > NSC_R(0.5) * before);
        slope = nsci_slope(w, own, s, p);
        whole = nsci_open_share(w, own, s);
        nsci_keep_pushes(w, own, s);
        nsci_go_along(w, own, whole);
        free = nsci_lead_on(w, s, whole);
        settled &= whole >= 1 && free;
        if (settled || k >= w->def.newton_steps)
            break;
        if (s->calls && s->calls->stop && s->calls->stop(s->calls->user))
            r->status = NSC_STOPPED;
        if (r->status == NSC_STOPPED)
            break;
        code = nsci_build_trial(w, own, s, 0, p);
        for (halved = 0, share = NSC_R(0.5) * whole;
             code >= 0 && halved < 8 && free && nsci_slope(w, own, s, p) > -slope; halved++) {
            nsci_go_along(w, own, -share);
            share *= NSC_R(0.5);
            code = nsci_build_trial(w, own, s, 0, p);
        }
    }
    nsci_keep_trial(w, own);
    if (w->report.newton_steps < k)
        w->report.newton_steps = k;
    w->report.newton_change = nsci_max(w->report.newton_change, size);
    w->report.unsettled += !settled;
    return code;
}

/* ---- HHT, NEWMARK: keep the accelerations of this sub-step for the next. */
static void nsci_keep_rates(nsc_world *w, const nsci_scheme *s)
{
    nsc_real hat[6], v[6], rate;
    int i, k;
    w->steady = w->abrupt ? 1 : w->steady < 2 ? w->steady + 1 : 2;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_hat(w, s, i, hat);
        nsci_velocity_of(b, v);
        for (k = 0; k < 6; k++) {
            rate = nsci_is_dynamic(w, i) && !nsci_rests(w, i)
                       ? nsci_clamp_finite((v[k] - hat[k]) / s->hf)
                       : 0;
            b->mean_rate[k] = nsci_clamp_finite((1 + s->alpha) * rate - s->alpha * b->rate[k]);
            b->rate[k] = rate;
        }
        nsci_flush_reals(b->mean_rate, 6);
        nsci_flush_reals(b->rate, 6);
    }
}

/* Save (back = 0) or restore (back = 1) the rates of a body, as nsci_hold_motion its motion. */
NSC_MAYBE_UNUSED static void nsci_hold_rates(nsci_motion *m, nsc_body *b, int back)
{
    NSC_MEMCPY(back ? b->rate : m->rate, back ? m->rate : b->rate, sizeof b->rate);
    NSC_MEMCPY(back ? b->mean_rate : m->mean_rate, back ? m->mean_rate : b->mean_rate,
               sizeof b->mean_rate);
}

/* ---- EULER_IMPLICIT_PROJECTED: after the bodies have moved, remove the remaining drift and
   penetration by the displacement that is smallest in the norm of M.  Velocities stay, but angular
   velocities turn with their bodies to keep their energy. */
static int nsci_undo_by_moving(nsc_world *w, const nsci_scheme *scheme)
{
    nsci_scheme s = *scheme;
    nsc_problem p;
    nsc_report r;
    int i, k, code;
    s.mode = NSCI_POSITION;
    for (i = 0; i < w->report.islands; i++) {
        nsc_island *own = &w->islands[i];
        /* Springs do not drift. */
        if (own->asleep || own->contacts + own->joints == 0)
            continue;
        code = nsci_build_problem(w, own, &s, 0, &p);
        NSC_MEMSET(w->scratch.solve.v_free, 0,
                   6 * (size_t)p.body_count * sizeof *w->scratch.solve.v_free);
        if (code >= 0)
            code = nsc_solve(&p, &w->def.solver, &r);
        if (code < 0)
            return code;
        nsci_note_island(w, own, &r);
        for (k = 1; k <= own->bodies; k++) {
            nsc_body *b = &w->bodies[w->outer[k]];
            const nsc_real *d = w->scratch.solve.v + 6 * k;
            nsc_quat turn = nsci_quat_exp(nsci_mul_sv(s.h, nsci_vec(d[3], d[4], d[5])));
            b->position = nsci_add_sv(b->position, s.h, nsci_vec(d[0], d[1], d[2]));
            b->orientation = nsci_quat_normalise(nsci_quat_mul(turn, b->orientation));
            b->angular_velocity = nsci_add(b->angular_velocity,
                                           nsci_turned(turn, b->angular_velocity));
        }
        for (k = own->first_link; k != NSCI_NOWHERE && !s.last; k = w->links[k].next) {
            const nsci_link *l = &w->links[k];
            const nsc_block *c = &w->scratch.solve.blocks[l->block];
            if (l->kind != NSCI_CONTACT_LINK)
                continue;
            w->found[l->item].gap += s.h * nsci_dot12(c->J[0], w->scratch.solve.v + 6 * c->a,
                                                      w->scratch.solve.v + 6 * c->b);
        }
        nsci_begin_anew(&p);
    }
    return NSC_OK;
}
#endif

static int nsci_solve_island(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p,
                             nsc_report *r)
{
    int code;
    if (nsci_mode(s) == NSCI_NEWTON)
        return nsci_solve_newton(w, own, s, p, r);
    code = nsci_build_problem(w, own, s, nsci_is_first(s), p);
    NSC_STAGE(NSC_STAGE_SOLVE);
    if (code >= 0)
        code = nsci_solve_impacts(w, own, s, p, r);
    NSC_STAGE(NSC_STAGE_ROWS);
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

#ifdef NSC_PARALLEL
static int nsci_check_parts(nsc_world *w, const nsc_calls *calls)
{
    if (calls && calls->parallel && calls->parts < 1)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_PARTS, (nsc_real)calls->parts);
    return NSC_OK;
}

/* ---- islands on several cores
   An island is built at the beginning of the scratch arrays.  A small one is then set aside, from
   their end down.  Those set aside are solved by the user's cores, then brought back and stored in
   their order, so that the bits are those of the plain loop. */
typedef struct nsci_batch {
    nsc_world *w;
    const nsci_scheme *s;
    int count, parts;
    int kinematic;               /* bodies, the most that an island has */
    int free;                    /* bodies for which there is room in the scratch arrays ... */
    int largest;                 /* ... of which this is needed to bring one back */
    int blocks;                  /* of those set aside */
    int *joint_blocks;           /* of the islands stored */
} nsci_batch;

static nsci_batch nsci_begin_batch(nsc_world *w, const nsci_scheme *s, int *joint_blocks)
{
    const nsc_calls *calls = s->calls;
    nsci_batch b;
    int i;
    int able = calls && calls->parallel && !calls->stop && nsci_mode(s) != NSCI_NEWTON &&
            w->def.solver.solver == NSC_SOLVER_SIPGS;
    b.w = w;
    b.s = s;
    b.count = b.blocks = b.kinematic = b.largest = 0;
    b.parts = able ? calls->parts : 1;
    b.free = NSC_MAX_BODIES;
    b.joint_blocks = joint_blocks;
    for (i = 1; i < w->body_end && able; i++)
        b.kinematic += w->bodies[i].kind == NSC_KINEMATIC_BODY;
    return b;
}

/* Bodies of the island's problem, at most */
static int nsci_most_bodies(const nsci_batch *b, const nsc_island *own)
{
    return 1 + own->bodies + b->kinematic;
}

/* Is there room to build an island of so many bodies, to set it aside, and to bring back any? */
static int nsci_has_room(const nsci_batch *b, int bodies)
{
    return b->free - bodies >= (bodies > b->largest ? bodies : b->largest);
}

/* Is the island to be set aside?  Large ones are not: SIPGS shares their sweeps. */
static int nsci_is_small(const nsci_batch *b, const nsc_island *own)
{
    return b->parts > 1 && own->joints + own->springs + own->contacts <= 64 &&
           2 * nsci_most_bodies(b, own) <= NSC_MAX_BODIES;
}

/* Move the bodies of a problem within the scratch arrays, to where none of them is. */
static void nsci_move_problem(nsc_world *w, nsc_problem *p, int from, int to)
{
    nsci_solving *all = &w->scratch.solve;
    size_t n = (size_t)p->body_count;
    nsci_copy(all->masses + to, all->masses + from, n * sizeof *all->masses);
    nsci_copy(all->v_free + 6 * to, all->v_free + 6 * from, 6 * n * sizeof *all->v_free);
    nsci_copy(all->v + 6 * to, all->v + 6 * from, 6 * n * sizeof *all->v);
    NSC_MEMCPY(w->outer + to, w->outer + from, n * sizeof *w->outer); /* no whole words */
    p->masses = all->masses + to;
    p->v_free = all->v_free + 6 * to;
    p->v = all->v + 6 * to;
}

/* Solve one part of the islands set aside: a run of them with its share of the blocks. */
static void nsci_solve_part(void *batch, int part)
{
    nsci_batch *b = (nsci_batch *)batch;
    nsci_aside *a = b->w->scratch.solve.aside;
    int i;
    for (i = 0; i < b->count; i++, a++) {
        int middle = a->blocks + a->problem.block_count / 2;
        if ((int)((long)middle * b->parts / (b->blocks + 1)) == part)
            a->code = nsc_solve(&a->problem, &b->w->def.solver, &a->report);
    }
}

/* Solve and store the islands set aside. */
static int nsci_end_batch(nsci_batch *b)
{
    nsc_world *w = b->w;
    const nsc_calls *calls = b->s->calls;
    nsci_aside *a = w->scratch.solve.aside;
    int i;
    int parts = b->count < b->parts ? b->count : b->parts;
    int code = NSC_OK;
    if (b->count == 0)
        return code;
    b->parts = parts;
    NSC_STAGE(NSC_STAGE_SOLVE);
    if (parts > 1)
        calls->parallel(calls->user, nsci_solve_part, b, parts);
    else
        nsci_solve_part(b, 0);
    NSC_STAGE(NSC_STAGE_ROWS);
    for (i = 0; i < b->count && code >= 0; i++, a++) {
        nsc_island *own = &w->islands[a->island];
        nsci_move_problem(w, &a->problem, a->first, 0);
        code = nsci_check_bounces(w, own, b->s, a->code, &a->problem, &a->report);
        code = nsci_end_island(w, own, b->s, code, &a->report, b->joint_blocks);
    }
    b->parts = calls->parts;
    b->free = NSC_MAX_BODIES;
    b->count = b->blocks = b->largest = 0;
    return code < 0 ? code : NSC_OK;
}

/* Build a small island and set it aside.  If the islands set aside before leave no room, these are
   solved first. */
static int nsci_set_aside(nsci_batch *b, nsc_island *own)
{
    nsc_world *w = b->w;
    nsci_aside *a;
    int code = NSC_OK;
    if (b->count == NSCI_ASIDE || !nsci_has_room(b, nsci_most_bodies(b, own)))
        code = nsci_end_batch(b);
    a = &w->scratch.solve.aside[b->count];
    if (code >= 0)
        code = nsci_build_problem(w, own, b->s, nsci_is_first(b->s), &a->problem);
    if (code < 0)
        return code;
    a->problem.parallel = NULL;
    a->problem.arena = NULL;
    a->problem.arena_size = 0;
    a->island = (uint16_t)(own - w->islands);
    a->first = b->free - a->problem.body_count;
    a->blocks = b->blocks;
    nsci_move_problem(w, &a->problem, 0, a->first);
    b->free = a->first;
    b->largest = a->problem.body_count > b->largest ? a->problem.body_count : b->largest;
    b->blocks += a->problem.block_count;
    b->count++;
    return code;
}
#else
typedef int nsci_batch;
#define nsci_check_parts(w, calls) NSC_OK
#define nsci_begin_batch(w, s, joint_blocks) 0
#define nsci_is_small(b, own) ((void)(b), 0)
#define nsci_set_aside(b, own) NSC_OK
#define nsci_end_batch(b) NSC_OK
#endif

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
            own->first_block = (uint16_t)blocks;
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

#ifndef NSC_NO_SENSING
/* The mean acceleration of a step is the sum of its sub-steps' accelerations, each times share, the
   sub-step over the step.  v, o: velocities before the sub-step */
static void nsci_note_acceleration(nsc_body *b, const nsci_scheme *s, nsc_real share, nsc_vec3 v,
                                   nsc_vec3 o)
{
    nsc_vec3 a = nsci_sub(b->velocity, v);
    nsc_vec3 turning = nsci_sub(b->angular_velocity, o);
    b->acceleration = nsci_clamp_finite3(nsci_add_sv(b->acceleration, share / s->h, a));
    b->angular_acceleration =
        nsci_clamp_finite3(nsci_add_sv(b->angular_acceleration, share / s->h, turning));
}

static void nsci_begin_acceleration(nsc_body *b)
{
    b->acceleration = b->angular_acceleration = nsci_vec(0, 0, 0);
}

NSC_MAYBE_UNUSED static void nsci_hold_acceleration(nsci_motion *m, nsc_body *b, int back)
{
    nsci_copy(back ? &b->acceleration : &m->acceleration,
              back ? &m->acceleration : &b->acceleration, sizeof b->acceleration);
    nsci_copy(back ? &b->angular_acceleration : &m->angular_acceleration,
              back ? &m->angular_acceleration : &b->angular_acceleration,
              sizeof b->angular_acceleration);
}
#else
#define nsci_note_acceleration(b, s, share, v, o) ((void)(share), (void)(v), (void)(o))
#define nsci_begin_acceleration(b) ((void)(b))
#define nsci_hold_acceleration(m, b, back) ((void)(back))
#endif

/* Move the bodies.  share: sub-step over step, to average the accelerations */
NSCI_OWN_FRAME void nsci_integrate(nsc_world *w, const nsci_scheme *s, nsc_real share)
{
    int i;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsc_vec3 v = b->velocity;
        nsc_vec3 o = b->angular_velocity;
        if (b->generation % 2 == 0 || b->kind == NSC_STATIC_BODY)
            continue;
        if (nsci_is_first(s))
            nsci_begin_acceleration(b);
        if (nsci_rests(w, i))
            continue;
        nsci_move_body(w, s, i, b, w->v_free + 6 * i);
        nsci_flush_body(b);
        nsci_note_acceleration(b, s, share, v, o);
    }
}

/* ---- the end of a step */

#if NSC_MAX_EVENTS == 0
#define nsci_find_events(w) ((void)0)
#define nsci_events(w) ((const nsc_event *)NULL)
#else
#define nsci_events(w) ((w)->events)
/* Does any contact of the pair that begins at i in the old (step = 0) or new list touch?  *end:
   index behind the pair */
static int nsci_pair_touches(nsc_world *w, int step, int i, int *end)
{
    int count = step ? w->found_count : w->contact_count;
    int touches = 0;
    const nsc_contact *first = NULL;
    for (; i < count; i++) {
        const nsc_contact *c = step ? nsci_found(w, i) : &w->contacts[i];
        if (!first)
            first = c;
        else if (!nsci_same_pair(c, first))
            break;
        touches |= c->touching;
    }
    *end = i;
    return touches;
}

static void nsci_add_event(nsc_world *w, const nsc_contact *c, int kind)
{
    nsc_event *e = &w->events[w->event_count];
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
    int old = 0, fresh = 0, old_end = 0, fresh_end = 0;
    w->event_count = 0;
    while (old < w->contact_count || fresh < w->found_count) {
        const nsc_contact *a = old < w->contact_count ? &w->contacts[old] : NULL;
        const nsc_contact *b = fresh < w->found_count ? nsci_found(w, fresh) : NULL;
        int order = !a ? 1 : !b ? -1 : nsci_pair_order(a, b);
        int before = order <= 0 && nsci_pair_touches(w, 0, old, &old_end);
        int now = order >= 0 && nsci_pair_touches(w, 1, fresh, &fresh_end);
        if (now && !before)
            nsci_add_event(w, b, NSC_TOUCH_BEGIN);
        if (before && !now)
            nsci_add_event(w, a, NSC_TOUCH_END);
        if (order <= 0)
            old = old_end;
        if (order >= 0)
            fresh = fresh_end;
    }
}
#endif

/* Set to 0 the components of an impulse that are negligible beside the whole.  The bound is
   relative because bodies of a millimetre have impulses of 1e-12 N s. */
static void nsci_flush_impulse(nsc_contact *c)
{
    nsc_vec3 p = c->impulse;
    nsc_real least = NSC_REAL_TINY * (nsci_abs(p.x) + nsci_abs(p.y) + nsci_abs(p.z));
    least += NSC_REAL_MIN / NSC_REAL_EPS;
    c->impulse = nsci_flush_below(p, least);
    if (nsci_rolls(c))
        nsci_set_moment(c, nsci_flush_below(nsci_moment(c), least));
}

/* Set the impulse and `touching` of a contact found.  A contact of a sleeping island keeps its
   force: its impulse was scaled to one sub-step. */
NSCI_ONE_COPY void nsci_finish_contact(const nsc_world *w, const nsci_link *l, nsc_contact *c,
                                       nsc_real substeps)
{
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
        nsci_finish_contact(w, &w->links[i], &w->found[w->links[i].item], substeps);
    nsci_find_events(w);
    for (i = 0; i < w->found_count; i++)
        nsci_copy(&w->contacts[i], nsci_found(w, i), sizeof w->contacts[i]);
    w->report.contacts = w->contact_count = w->found_count;
    nsci_free_manifolds(w);
    w->report.dropped_ever += (uint32_t)w->report.dropped;
    w->found_count = 0;
}

/* Update how long a body has been slow [s]. */
static void nsci_count_still(const nsc_world *w, nsc_body *b, nsc_real h)
{
    nsc_real limit = w->def.sleep_speed * w->def.sleep_speed;
    if (!(w->def.sleep_time > 0))
        return;
    b->still += h;
    if (!(nsci_dot3(b->velocity, b->velocity) < limit) ||
        !(nsci_dot3(b->angular_velocity, b->angular_velocity) < limit))
        b->still = 0;
}

/* Clear applied forces.  An island falls asleep as a whole, once all its bodies were slow for
   sleep_time. */
static void nsci_put_to_sleep(nsc_world *w, nsc_real h)
{
    int i, k, tired;
    for (i = 1; i < w->body_end; i++) {
        w->bodies[i].force = w->bodies[i].torque = nsci_vec(0, 0, 0);
        if (nsci_is_dynamic(w, i))
            nsci_count_still(w, &w->bodies[i], h);
    }
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = nsci_island_at(w, i);
        const uint16_t *member = &w->members[own->first_body];
        tired = w->def.sleep_time > 0;
        for (k = 0; k < own->bodies; k++)
            tired &= w->bodies[member[k]].still >= w->def.sleep_time;
        for (k = 0; k < own->bodies; k++) {
            nsc_body *b = &w->bodies[member[k]];
            b->asleep = own->asleep || tired;
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
    if (NSCI_STEPPERS && w->def.stepper != NSC_STEPPER_EULER_IMPLICIT_LINEARIZED)
        return 0;
    if (nsci_substeps(w) != 1 || nsci_is_smooth(w))
        return 0;
    return w->event_count == 0 && w->report.matched == w->contact_count && nsci_all_sleep(w);
}

static void nsci_rest_on(nsc_world *w, nsc_real h)
{
    int i;
    for (i = 1; i < w->body_end; i++)
        if (nsci_is_dynamic(w, i))
            nsci_count_still(w, &w->bodies[i], h);
    w->step_count++;
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
        if (kept != i)
            NSC_MEMCPY(&list[kept], &list[i], sizeof *list);
        kept++;
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
    for (i = 1; nsci_mode(s) == NSCI_NEWTON && i < w->body_end; i++)
        if (w->bodies[i].kind == NSC_KINEMATIC_BODY)
            nsci_try_motion(w, s, i);
    NSC_STAGE(NSC_STAGE_ROWS);
    if (code >= 0)
        code = nsci_solve_islands(w, s);
    NSC_STAGE(NSC_STAGE_MOVE);
    return code < 0 ? code : nsci_check_motion(w, s->h);
}

static int nsci_substep(nsc_world *w, nsc_real h, const nsci_scheme *s, nsc_real share)
{
    int code;
    if (nsci_mode(s) == NSCI_NEWTON)
        nsci_hold_start(w, 0);
    code = nsci_solve_substep(w, h, s);
    if (nsci_mode(s) == NSCI_NEWTON)
        nsci_hold_start(w, 1);
    if (code < 0)
        return code;
    nsci_integrate(w, s, share);
    if (NSCI_STEPPERS && nsci_is_newmark(&w->def))
        nsci_keep_rates(w, s);
    if (nsci_mode(s) == NSCI_VELOCITY)
        code = nsci_undo_by_moving(w, s);
    return code;
}

/* Save (back = 0) or restore (back = 1) motion and the gaps of the caller's contacts, for steps
   that can be refused after bodies have moved. */
static void nsci_hold_motion(nsc_world *w, int own, int back)
{
#if NSCI_HOLDS_MOTION
    int i;
    for (i = 0; i < own; i++)
        if (back)
            w->found[i].gap = w->gap_before[i];
        else
            w->gap_before[i] = w->found[i].gap;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_motion *m = &w->before[i];
        if (back) {
            b->position = m->position;
            b->orientation = m->orientation;
            b->velocity = m->velocity;
            b->angular_velocity = m->angular_velocity;
        } else {
            m->position = b->position;
            m->orientation = b->orientation;
            m->velocity = b->velocity;
            m->angular_velocity = b->angular_velocity;
        }
        nsci_hold_acceleration(m, b, back);
        nsci_hold_rates(m, b, back);
    }
#else
    (void)w;
    (void)own;
    (void)back;
#endif
}

/* A step divides by h and h^2: both inverses must be finite. */
static int nsci_check_length(nsc_world *w, nsc_real h)
{
    nsc_real sub = h / (nsc_real)nsci_substeps(w);
    if (h > 0 && nsci_finite(h) && sub > 0 && nsci_finite(1 / (sub * sub)))
        return NSC_OK;
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_LENGTH, h);
}

/* Note an error of nsc_solve, unless what came before it has noted why.  Returns the code. */
static int nsci_refuse_unsolved(nsc_world *w, int code)
{
    nsc_real solver = (nsc_real)w->def.solver.solver;
    if (w->note.code == code)
        return code;
    if (code == NSC_ERR_CAPACITY)
        return nsci_refused(&w->note, code, NSCI_SMALL_ARENA, (nsc_real)NSC_ARENA);
    return nsci_refused(&w->note, code,
                        code == NSC_ERR_ARGUMENT ? NSCI_NO_SOLVER : NSCI_OVERFLOW, solver);
}

/* The stages of a step, in their order, with the loops each makes and where its results are:

   hold_motion         bodies                    motion saved; with sub-steps or PROJECTED only
   in each sub-step:
     free_velocity     bodies                    forces and velocities -> v_free
     in the first:
       find_contacts   shapes, pairs of shapes   boxes -> pairs -> points -> found, then sorted
       list_links      joints, springs, contacts links, with the indices of their bodies
       begin_contacts  contacts                  velocities before the step -> found
       match_contacts  contacts                  impulses of the last step -> found
       find_islands    links, bodies, links      islands, each a chain of links
     for each island awake:
       gather_bodies   its bodies and links      masses, v_free of the problem
       fill_links      its links                 blocks: J, bias, compliance, first guess
       nsc_solve       its blocks, each sweep    lambda of the blocks, v of the problem
       take_island     its bodies and links      v -> v_free, lambda -> impulses
     check_motion      bodies, contacts          all finite, or the step is refused
     integrate         bodies                    velocity, position, orientation
     undo_by_moving    islands                   PROJECTED only: drift and penetration
   store_contacts      contacts                  found -> contacts; events
   store_joints, store_springs   links           impulses, turns
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
    NSC_STAGE(NSC_STAGE_REST);
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
        code = nsci_substep(w, h, &s, 1 / substeps);
    }
    if (code < 0) {
        if (moves)
            nsci_hold_motion(w, own, 1);
        w->steady = steady;
        nsci_copy(&w->report, &w->report_before, sizeof w->report);
        w->found_count = nsci_keep_own(w->found, own);
        nsci_free_manifolds(w);
        w->busy = 0;
        return nsci_refuse_unsolved(w, code);
    }
    NSC_STAGE(NSC_STAGE_REST);
    nsci_store_contacts(w, substeps);
    nsci_store_joints(w, h);
    nsci_store_springs(w, h);
    nsci_put_to_sleep(w, h);
    w->last_h = h;
    w->step_count++;
    if (asleep && nsci_comes_to_rest(w))
        w->resting = NSCI_RESTING + w->step_count;
    w->busy = 0;
    if (w->note.code != NSC_ERR_BUSY)
        w->note = note;
    return NSC_OK;
}

NSC_API int nsc_world_step_until(nsc_world *w, nsc_real h, int (*stop)(void *user), void *user)
{
    nsc_calls calls;
    calls.stop = stop;
    calls.user = user;
    calls.force = NULL;
    NSCI_IF(NSCI_PARALLEL, calls.parallel = NULL;)
    NSCI_IF(NSCI_PARALLEL, calls.parts = 1;)
    NSCI_IF(NSCI_EXTRAS, calls.meet = NULL;)
    NSCI_IF(NSCI_EXTRAS, calls.contact = NULL;)
    return nsc_world_step_with(w, h, &calls);
}

NSC_API int nsc_world_step(nsc_world *w, nsc_real h) { return nsc_world_step_with(w, h, NULL); }

#ifndef NSC_NO_PROBLEM
/* Run nsc_world_step up to the solver of one island.  The islands before are built too: they may
   use up the room for rolling friction. */
static int nsci_reach_problem(nsc_world *w, nsc_real h, int island, nsc_problem *p)
{
    nsci_scheme s = nsci_begin_scheme(w, h / (nsc_real)w->def.substeps, NULL);
    int i, k, blocks = 0, code = NSC_OK;
    nsci_hold_start(w, 0);
    for (i = 0; i < w->body_end && code == NSC_OK; i++)
        code = nsci_free_velocity(w, i, &s, w->bodies[i].asleep);
    if (code == NSC_OK)
        code = nsci_begin_step(w, h, &s);
    for (i = 1; NSCI_STEPPERS && s.mode == NSCI_NEWTON && i < w->body_end; i++)
        if (w->bodies[i].kind == NSC_KINEMATIC_BODY)
            nsci_try_motion(w, &s, i);
    if (code == NSC_OK && island >= w->report.islands)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_ISLAND,
                            (nsc_real)w->report.islands);
    for (k = 0; k <= island && code == NSC_OK; k++) {
        nsc_island *own = &w->islands[k];
        own->first_block = (uint16_t)blocks;
        if (k < island && own->asleep)
            continue;
        for (i = 0; i < own->bodies && own->asleep && code == NSC_OK; i++)
            code = nsci_free_velocity(w, w->members[own->first_body + i], &s, 0);
        if (NSCI_STEPPERS && s.mode == NSCI_NEWTON)
            nsci_begin_barrier(w, &s);
        for (i = 0; NSCI_STEPPERS && s.mode == NSCI_NEWTON && i < own->bodies; i++)
            nsci_try_motion(w, &s, w->members[own->first_body + i]);
        if (code == NSC_OK)
            code = nsci_build_problem(w, own, &s, 1, p);
        blocks += own->blocks;
    }
    return code;
}

NSC_API int nsc_world_problem(nsc_world *w, nsc_real h, int island, nsc_problem *problem)
{
    nsc_problem p;
    nsci_why note;
    int code = nsci_enter(w), own;
    if (code == NSC_OK && !problem)
        code = nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (code == NSC_OK && island < 0)
        code = nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_ISLAND,
                            (nsc_real)w->report.islands);
    if (code == NSC_OK)
        code = nsci_check_length(w, h);
    if (code == NSC_OK)
        code = nsci_check_barrier_shapes(w);
    if (code < 0)
        return code;
    note = w->note;
    w->note.code = NSC_OK;
    nsci_copy(&w->report_before, &w->report, sizeof w->report);
    own = w->found_count;
    nsci_begin_report(w);
    code = nsci_reach_problem(w, h, island, &p);
    nsci_hold_start(w, 1);
    nsci_copy(&w->report, &w->report_before, sizeof w->report);
    w->found_count = nsci_keep_own(w->found, own);
    nsci_free_manifolds(w);
    if (code < 0) {
        return nsci_refuse_unsolved(w, code);
    }
    w->note = note;
    *problem = p;
    return NSC_OK;
}
#endif

/* ---- >>query --------------------------------------------------------------------------------- */

NSC_API int nsc_world_set_def(nsc_world *w, const nsc_world_def *def)
{
    int code = nsci_enter(w), tag, i;
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
    for (i = 0; i < w->body_end; i++) {
        w->bodies[i].asleep = 0;
        w->bodies[i].still = 0;
    }
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

/* Clear the smooth law of a contact that exerts no smooth force, because it was not checked. */
static void nsci_drop_unused_law(const nsc_world *w, nsc_contact *c)
{
    if (!nsci_is_smooth(w) || c->sensor)
        nsci_drop_smooth(c);
}

static int nsci_check_contact(nsc_world *w, const nsc_contact *c)
{
    nsci_why *note = &w->note;
    int code = c ? nsci_check_ends(w, c->body_a, c->body_b) : NSC_OK;
    if (code == NSC_OK)
        code = nsci_check_members(note, c, NSCI_nsc_contact_point, NSCI_nsc_contact_damping);
    if (code == NSC_OK)
        code = nsci_check_belt(note, c);
    if (code == NSC_OK)
        code = nsci_check_barrier_contact(w, c);
    if (code < 0)
        return code;
    if (nsci_abs(nsci_dot3(c->normal, c->normal) - 1) > NSC_R(1e-3))
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_NORMAL,
                            nsci_dot3(c->normal, c->normal));
    if (c->sensor > 1)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_SENSOR, (nsc_real)c->sensor);
    code = nsci_check_rolling_law(note, c);
    return code == NSC_OK && !c->sensor ? nsci_check_smooth(w, c) : code;
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
    nsc_body_def d;
    if (i < 0)
        return i;
    d.velocity = linear;
    d.angular_velocity = angular;
    code = nsci_check_members(&w->note, &d, NSCI_nsc_body_def_velocity,
                              NSCI_nsc_body_def_angular_velocity);
    if (code < 0)
        return code;
    if (w->bodies[i].kind == NSC_STATIC_BODY)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_STATIC, (nsc_real)i);
    if (nsci_changes(w->bodies[i].velocity, linear) ||
        nsci_changes(w->bodies[i].angular_velocity, angular))
        nsci_kick(w, id);
    w->bodies[i].velocity = linear;
    if (!w->bodies[i].particle)
        w->bodies[i].angular_velocity = angular;
    nsci_wake(&w->bodies[i]);
    return NSC_OK;
}

NSC_API int nsc_body_get_mass(const nsc_world *w, nsc_id id, nsc_real *mass, nsc_vec3 *centre,
                              nsc_real inertia[6])
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    if (mass)
        *mass = w->bodies[i].mass;
    if (centre)
        *centre = w->bodies[i].centre;
    if (inertia)
        NSC_MEMCPY(inertia, w->bodies[i].inertia, sizeof w->bodies[i].inertia);
    return NSC_OK;
}

NSC_API int nsc_body_add_force(nsc_world *w, nsc_id id, nsc_vec3 force, nsc_vec3 torque)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    force = nsci_add(w->bodies[i].force, force);
    torque = nsci_add(w->bodies[i].torque, torque);
    if (!nsci_vec_finite(force) || !nsci_vec_finite(torque))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE,
                            nsci_norm(nsci_vec_finite(force) ? torque : force));
    w->bodies[i].force = force;
    w->bodies[i].torque = torque;
    nsci_wake(&w->bodies[i]);
    return NSC_OK;
}

NSC_API int nsc_body_add_force_at(nsc_world *w, nsc_id id, nsc_vec3 force, nsc_vec3 point)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    return nsc_body_add_force(w, id, force,
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

/* Sum of the last step's contact forces on the body or shape `id`, and their moment about a point.
   user: NULL, or count only shapes with this word in nsc_shape_def.user */
static int nsci_contact_force(const nsc_world *w, nsc_id id, const uint32_t *user, nsc_vec3 about,
                              nsc_vec3 *force, nsc_vec3 *moment)
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
        if (user && !nsci_has_user(w, on_b ? c->shape_b : c->shape_a, *user))
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
    if (i < 0)
        return i;
    return nsci_contact_force(w, id, NULL, w->bodies[i].position, force, moment);
}

NSC_API const nsc_island *nsc_world_island(const nsc_world *w, int i)
{
    int end = w ? (NSCI_ISLANDS ? w->report.islands : w->report.islands > 0) : 0;
    return i >= 0 && i < end ? &w->islands[i] : NULL;
}

NSC_API int nsc_world_event_count(const nsc_world *w) { return w ? w->event_count : 0; }

NSC_API const nsc_event *nsc_world_event(const nsc_world *w, int i)
{
    const nsc_event *first = w ? nsci_events(w) : NULL;
    return first && i >= 0 && i < w->event_count ? first + i : NULL;
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

#ifndef NSC_NO_SENSING
/* A point at r from the body's centre has the acceleration a + alpha x r + omega x (omega x r). */
NSC_API int nsc_body_get_imu(const nsc_world *w, nsc_id id, nsc_pose mounting,
                             nsc_vec3 *acceleration, nsc_vec3 *rate)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    int code = i < 0 ? i : nsci_check_pose(NULL, &mounting);
    const nsc_body *b;
    nsc_vec3 r, a, o;
    nsci_mat3 R, unit;
    if (code < 0)
        return code;
    b = &w->bodies[i];
    R = nsci_rotation(b->orientation);
    unit = nsci_rotation(mounting.orientation);
    r = nsci_mul_mv(&R, nsci_sub(mounting.position, b->centre));
    a = nsci_add(nsci_cross(b->angular_acceleration, r),
                 nsci_cross(b->angular_velocity, nsci_cross(b->angular_velocity, r)));
    a = nsci_mul_mtv(&R, nsci_add(a, nsci_sub(b->acceleration, w->def.gravity)));
    o = nsci_mul_mtv(&R, b->angular_velocity);
    return nsci_hand_out(nsci_mul_mtv(&unit, a), acceleration, nsci_mul_mtv(&unit, o), rate);
}

NSC_API int nsc_shape_get_contact_force(const nsc_world *w, nsc_id id, nsc_vec3 *force,
                                        nsc_vec3 *moment)
{
    int i = nsci_find(w, NSCI_SHAPE_HANDLE, id);
    nsci_geom g;
    if (i < 0)
        return i;
    g = nsci_place(w, &w->shapes[i]);
    return nsci_contact_force(w, id, NULL, g.centre, force, moment);
}

#ifdef NSC_EXTRAS
NSC_API int nsc_body_get_patch_force(const nsc_world *w, nsc_id id, uint32_t user, nsc_vec3 *force,
                                     nsc_vec3 *moment)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    return nsci_contact_force(w, id, &user, w->bodies[i].position, force, moment);
}
#endif

NSC_API nsc_vec3 nsc_pose_point(nsc_pose pose, nsc_vec3 point)
{
    return nsci_centre_at(&pose, pose.orientation, point);
}

NSC_API nsc_vec3 nsc_pose_vector(nsc_pose pose, nsc_vec3 vector)
{
    return nsci_rotate(pose.orientation, vector);
}

NSC_API nsc_pose nsc_pose_multiply(nsc_pose outer, nsc_pose inner)
{
    inner.position = nsc_pose_point(outer, inner.position);
    inner.orientation = nsci_quat_normalise(nsci_quat_mul(outer.orientation, inner.orientation));
    return inner;
}

NSC_API nsc_pose nsc_pose_inverse(nsc_pose pose)
{
    pose.orientation.x = -pose.orientation.x;
    pose.orientation.y = -pose.orientation.y;
    pose.orientation.z = -pose.orientation.z;
    pose.position = nsci_rotate(pose.orientation, nsci_neg(pose.position));
    return pose;
}

NSC_API nsc_quat nsc_quat_from_axis_angle(nsc_vec3 axis, nsc_real angle)
{
    return nsci_quat_exp(nsci_mul_sv(angle, nsci_unit(axis, nsci_vec(0, 0, 0))));
}

NSC_API nsc_quat nsc_quat_from_rpy(nsc_real roll, nsc_real pitch, nsc_real yaw)
{
    nsc_quat x = nsc_quat_from_axis_angle(nsci_vec(1, 0, 0), roll);
    nsc_quat y = nsc_quat_from_axis_angle(nsci_vec(0, 1, 0), pitch);
    nsc_quat z = nsc_quat_from_axis_angle(nsci_vec(0, 0, 1), yaw);
    return nsci_quat_mul(z, nsci_quat_mul(y, x));
}
#endif

#ifdef NSC_EXTRAS
NSC_API int nsc_body_get_extras(const nsc_world *w, nsc_id id, nsc_body_extras *extras)
{
    int i = extras ? nsci_find(w, NSCI_BODY_HANDLE, id) : NSC_ERR_ARGUMENT;
    if (i < 0)
        return i;
    *extras = w->bodies[i].extras;
    extras->locks &= NSCI_DISABLED - 1;
    return NSC_OK;
}

NSC_API int nsc_body_set_extras(nsc_world *w, nsc_id id, const nsc_body_extras *extras)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code, off;
    if (i < 0)
        return i;
    code = nsci_check_members(&w->note, extras, NSCI_nsc_body_extras_locks,
                              NSCI_nsc_body_extras_angular_damping);
    if (code < 0)
        return code;
    off = w->bodies[i].extras.locks & NSCI_DISABLED;
    w->bodies[i].extras = *extras;
    w->bodies[i].extras.locks |= off;
    nsci_wake(&w->bodies[i]);
    nsci_kick(w, id);
    return NSC_OK;
}

NSC_API int nsc_body_get_kind(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    return nsci_is_off(w, i) ? (int)NSC_DISABLED_BODY : (int)w->bodies[i].kind;
}

/* May the body be dynamic?  Not with a half-space, height field or mesh. */
static int nsci_may_fall(const nsc_world *w, int body)
{
    int s;
    for (s = 0; s < w->shape_end; s++)
        if (w->shapes[s].generation % 2 && w->shapes[s].body == body &&
            w->shapes[s].def.kind >= NSC_SHAPE_HALF_SPACE)
            return 0;
    return 1;
}

NSC_API int nsc_body_set_kind(nsc_world *w, nsc_id id, int kind)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code;
    nsc_real none[6] = {0};
    nsc_body *b, before;
    if (i < 0)
        return i;
    if (kind < NSC_STATIC_BODY || kind > NSC_DISABLED_BODY)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, (nsc_real)kind);
    if (kind == NSC_DYNAMIC_BODY && !nsci_may_fall(w, i))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_CANNOT_FALL, (nsc_real)kind);
    if (nsci_has_gear(w, id))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_IN_GEAR, (nsc_real)kind);
    b = &w->bodies[i];
    NSC_MEMCPY(&before, b, sizeof before);
    b->extras.locks &= NSCI_DISABLED - 1;
    b->extras.locks |= kind == NSC_DISABLED_BODY ? NSCI_DISABLED : 0;
    b->kind = (uint16_t)(kind == NSC_DISABLED_BODY ? NSC_STATIC_BODY : kind);
    if (b->kind == NSC_STATIC_BODY)
        b->velocity = b->angular_velocity = nsci_vec(0, 0, 0);
    if (b->kind != NSC_DYNAMIC_BODY && !b->mass_given)
        nsci_set_mass(b, 0, b->centre, none);
    code = nsci_update_mass(w, i);
    if (code < 0) {
        NSC_MEMCPY(b, &before, sizeof before);
        return code;
    }
    nsci_forget_contacts(w, id, -1);
    nsci_wake_all(w);
    nsci_kick(w, id);
    return NSC_OK;
}
#endif

/* ---- >>sensing ------------------------------------------------------------------------------- */

#ifndef NSC_NO_SENSING

/* A ray, and the interval of its parameters (0..1: the ray) inside a convex shape; normal: where it
   enters.  Empty: enter > leave */
typedef struct nsci_span {
    nsc_vec3 from, ray;
    nsc_real enter, leave;
    nsc_vec3 normal;
} nsci_span;

static void nsci_empty_span(nsci_span *s)
{
    s->enter = NSC_REAL_MAX;
    s->leave = -NSC_REAL_MAX;
}

/* Restrict the span to the half space (p - at) . n <= 0, n unit. */
static void nsci_cut_span(nsci_span *s, nsc_vec3 at, nsc_vec3 n)
{
    nsc_real height = nsci_dot3(nsci_sub(s->from, at), n);
    nsc_real speed = nsci_dot3(s->ray, n);
    nsc_real t;
    if (nsci_abs(speed) * NSC_REAL_MAX <= nsci_abs(height) || nsci_abs(speed) <= 0) {
        if (height > 0)
            nsci_empty_span(s);
        return;
    }
    t = -height / speed;
    if (speed > 0)
        s->leave = nsci_min(s->leave, t);
    else if (t > s->enter) {
        s->enter = t;
        s->normal = n;
    }
}

/* Restrict the span to distance r from `at`, or (with an axis) from the line through it.  It is
   solved from the ray's nearest point, because the discriminant of the quadratic in the ray
   parameter loses all digits where the ray begins far away. */
static void nsci_cut_span_round(nsci_span *s, nsc_vec3 at, const nsc_vec3 *axis, nsc_real r)
{
    nsc_vec3 d = nsci_sub(s->from, at);
    nsc_vec3 v = s->ray;
    nsc_vec3 near;
    nsc_real length, t, half;
    if (axis) {
        d = nsci_without(d, *axis);
        v = nsci_without(v, *axis);
    }
    length = nsci_norm(v);
    if (!(length > NSC_REAL_EPS * nsci_norm(s->ray))) {
        if (nsci_dot3(d, d) > r * r)
            nsci_empty_span(s);
        return;
    }
    t = -nsci_dot3(d, v) / length / length;
    near = nsci_add_sv(d, t, v);
    half = r * r - nsci_dot3(near, near);
    if (!(half > 0)) {
        nsci_empty_span(s);
        return;
    }
    half = NSC_SQRT(half) / length;
    s->leave = nsci_min(s->leave, t + half);
    if (t - half > s->enter) {
        s->enter = t - half;
        s->normal = nsci_unit(nsci_add_sv(near, -half, v), v);
    }
}

static nsci_span nsci_whole_span(nsc_vec3 from, nsc_vec3 ray)
{
    nsci_span s;
    s.from = from;
    s.ray = ray;
    s.enter = -NSC_REAL_MAX;
    s.leave = 1;
    s.normal = ray;
    return s;
}

static void nsci_cut_by_planes(nsci_span *s, const nsci_geom *g)
{
    const nsc_hull *hull = NSCI_HULL_OF(g);
    int sides = g->kind == NSC_SHAPE_BOX ? 3 : nsci_is_cylinder(g);
    int k;
    if (g->kind == NSC_SHAPE_HALF_SPACE)
        nsci_cut_span(s, g->centre, g->axes.c[2]);
    for (k = 0; k < sides; k++) {
        int i = g->kind == NSC_SHAPE_BOX ? k : 2;
        nsc_vec3 n = g->axes.c[i];
        nsci_cut_span(s, nsci_add_sv(g->centre, g->half[i], n), n);
        nsci_cut_span(s, nsci_add_sv(g->centre, -g->half[i], n), nsci_neg(n));
    }
    for (k = 0; hull && k < hull->faces; k++)
        nsci_cut_span(s, nsci_hull_vertex(g, hull, hull->corner[hull->first[k]]),
                      nsci_mul_mv(&g->axes, hull->normal[k]));
    if (nsci_is_cylinder(g))
        nsci_cut_span_round(s, g->centre, &g->axes.c[2], g->radius);
}

/* Ray through a ball, or a capsule (a tube and two balls): from first entry to last exit, as it is
   convex. */
static void nsci_cut_by_round(nsci_span *s, const nsci_geom *g)
{
    const nsci_span whole = *s;
    int k;
    nsci_empty_span(s);
    for (k = 0; k < (g->half[2] > 0 ? 3 : 1); k++) {
        nsc_vec3 at = k == 2 ? g->centre : nsci_core(g, k ? 1 : -1);
        nsc_vec3 n = g->axes.c[2];
        nsci_span part = whole;
        if (k == 2) {
            nsci_cut_span(&part, nsci_core(g, 1), n);
            nsci_cut_span(&part, nsci_core(g, -1), nsci_neg(n));
        }
        nsci_cut_span_round(&part, at, k == 2 ? &n : NULL, g->radius);
        if (part.enter > part.leave)
            continue;
        if (part.enter < s->enter) {
            s->enter = part.enter;
            s->normal = part.normal;
        }
        s->leave = nsci_max(s->leave, part.leave);
    }
}

#if !NSCI_TERRAINS
#define nsci_cut_by_field(s, g) ((void)(s))
#else
/* Height of a ray above the plane of triangle t at ray parameter x */
static nsc_real nsci_ray_height(const nsci_geom *t, const nsci_span *s, nsc_real x)
{
    return nsci_dot3(nsci_sub(nsci_add_sv(s->from, x, s->ray), t->centre), nsci_face_normal(t, 0));
}

/* Does a piece of a ray, from t0 to t1, enter the ground over one triangle?  Returns 1 and where,
   else 0.  Pieces share their ends, and a piece begins above the ground where the last one ended
   above it (hit->leave >= 0), whatever its own plane says of that point: so no ray slips through
   an edge. */
static int nsci_ray_triangle(const nsci_terrain *f, int i, int j, int which, const nsci_span *ray,
                             nsc_real t0, nsc_real t1, nsci_span *hit)
{
    nsci_facet t;
    nsc_real h0, h1;
    nsci_field_triangle(f, i, j, which, nsci_vec(0, 0, 0), &t);
    h0 = nsci_ray_height(&t.t, ray, t0);
    h1 = nsci_ray_height(&t.t, ray, t1);
    if (hit->leave >= 0)
        h0 = nsci_max(h0, 0);
    if (t1 >= t0)
        hit->leave = h1 >= 0 ? 0 : -1;
    if (!(t1 >= t0) || h0 < 0 || h1 >= 0)
        return 0;
    hit->enter = t0 + (t1 - t0) * (h0 / (h0 - h1));
    hit->normal = nsci_face_normal(&t.t, 0);
    return 1;
}

/* The same over one cell, split where the ray crosses the diagonal */
static int nsci_ray_cell(const nsci_terrain *f, int i, int j, const nsci_span *in, nsc_real t0,
                         nsc_real t1, nsci_span *hit)
{
    nsc_vec3 corner = in->from;
    nsc_vec3 from = in->from;
    nsc_vec3 ray = in->ray;
    nsc_real d0, slope, middle;
    int which;
    nsci_sample(f, i, j, nsci_vec(0, 0, 0), &corner);
    slope = ray.y / f->dy - ray.x / f->dx; /* > 0: rising above the diagonal, to triangle 1 */
    d0 = (from.y - corner.y) / f->dy - (from.x - corner.x) / f->dx;
    which = d0 + NSC_R(0.5) * (t0 + t1) * slope > 0;
    if (nsci_abs(slope) > 0 && -d0 / slope > t0 && -d0 / slope < t1) {
        middle = -d0 / slope;
        which = slope < 0;
        if (nsci_ray_triangle(f, i, j, which, in, t0, middle, hit))
            return 1;
        return nsci_ray_triangle(f, i, j, !which, in, middle, t1, hit);
    }
    return nsci_ray_triangle(f, i, j, which, in, t0, t1, hit);
}

/* Along one axis: index of the cell at x; then, ray parameter where the ray leaves cell k */
static int nsci_cell_at(nsc_real x, nsc_real step, int samples)
{
    /* 0 for a NaN */
    return (int)nsci_min(nsci_max(x / step + nsci_middle_of(samples), 0), (nsc_real)(samples - 2));
}

static nsc_real nsci_cell_end(nsc_real from, nsc_real ray, nsc_real step, int samples, int k)
{
    nsc_real edge = ((nsc_real)(k + (ray > 0)) - nsci_middle_of(samples)) * step;
    return nsci_abs(ray) > 0 ? (edge - from) / ray : NSC_REAL_MAX;
}

/* Walk the cells under the ray's span, which is given in the field's frame. */
static int nsci_ray_walk(const nsci_terrain *f, const nsci_span *in, nsci_span *hit)
{
    nsc_vec3 from = in->from;
    nsc_vec3 ray = in->ray;
    nsc_real t0 = in->enter;
    nsc_real t1 = in->leave;
    int i = nsci_cell_at(from.x + t0 * ray.x, f->dx, f->nx);
    int j = nsci_cell_at(from.y + t0 * ray.y, f->dy, f->ny);
    int k;
    for (k = 0; k < f->nx + f->ny; k++) {
        nsc_real x = nsci_cell_end(from.x, ray.x, f->dx, f->nx, i);
        nsc_real y = nsci_cell_end(from.y, ray.y, f->dy, f->ny, j);
        nsc_real end = nsci_max(nsci_min(nsci_min(x, y), t1), t0);
        if (nsci_ray_cell(f, i, j, in, t0, end, hit))
            return 1;
        if (end >= t1)
            return 0;
        if (x < y)
            i += ray.x > 0 ? 1 : -1;
        else
            j += ray.y > 0 ? 1 : -1;
        if (i < 0 || j < 0 || i > f->nx - 2 || j > f->ny - 2)
            return 0;
        t0 = end;
    }
    return 0;
}

static void nsci_cut_by_field(nsci_span *s, const nsci_geom *g)
{
    const nsci_terrain *f = NSCI_TERRAIN(g);
    nsci_span in = nsci_whole_span(nsci_mul_mtv(&g->axes, nsci_sub(s->from, g->centre)),
                                   nsci_mul_mtv(&g->axes, s->ray));
    nsc_real x = nsci_middle_of(f->nx) * f->dx;
    nsc_real y = nsci_middle_of(f->ny) * f->dy;
    int k;
    in.enter = 0;
    for (k = 0; k < 4; k++) {
        nsc_real side = k % 2 ? 1 : -1;
        nsc_vec3 n = k < 2 ? nsci_vec(side, 0, 0) : nsci_vec(0, side, 0);
        nsci_cut_span(&in, nsci_mul_sv(k < 2 ? x : y, n), n);
    }
    nsci_empty_span(s);
    if (!(in.enter <= in.leave) || !nsci_ray_walk(f, &in, s))
        return;
    s->leave = 1;
    s->normal = nsci_mul_mv(&g->axes, s->normal);
}
#endif

#if !NSC_MESHES
#define nsci_cut_by_mesh(s, g) ((void)(s))
#else
/* Ray parameter where the ray enters through the triangle with corners p, relative to the ray's
   origin, and this unit normal; or a negative number.  On which side of an edge the ray passes is
   judged in the plane of two vectors across the ray.  There a corner is at the same place for each
   of its triangles, and two products compare as they would unrounded or are equal: so no ray slips
   through at an edge or corner. */
static nsc_real nsci_ray_facet(const nsc_vec3 *p, nsc_vec3 normal, nsc_vec3 ray,
                               const nsc_vec3 *across)
{
    nsc_real speed = -nsci_dot3(ray, normal);
    nsc_real x[4], y[4];
    int k;
    if (!(speed > 0))
        return -1;
    for (k = 0; k < 4; k++) {
        x[k] = nsci_dot3(p[k % 3], across[0]);
        y[k] = nsci_dot3(p[k % 3], across[1]);
    }
    for (k = 0; k < 3; k++)
        if (x[k] * y[k + 1] > y[k] * x[k + 1])
            return -1;
    return -nsci_dot3(p[0], normal) / speed;
}

static void nsci_cut_by_mesh(nsci_span *s, const nsci_geom *g)
{
    nsc_vec3 from = nsci_mul_mtv(&g->axes, nsci_sub(s->from, g->centre));
    nsci_mesh_walk x = nsci_walk_mesh(g->mesh, from);
    nsci_facet f;
    nsc_vec3 across[2];
    x.way = nsci_mul_mtv(&g->axes, s->ray);
    x.end = 1;
    x.slack = 8 * NSC_REAL_EPS;
    nsci_tangents(nsci_unit(x.way, x.way), &across[0], &across[1]);
    nsci_empty_span(s);
    while (nsci_next_facet(&x, &f) >= 0) {
        nsc_vec3 normal = nsci_face_normal(&f.t, 0);
        nsc_real t = nsci_ray_facet(f.p, normal, x.way, across);
        if (!(t >= 0 && t <= x.end) || (t >= x.end && s->leave > 0))
            continue;
        x.end = s->enter = t;
        s->leave = 1;
        s->normal = nsci_mul_mv(&g->axes, normal);
    }
}
#endif

static nsci_span nsci_cut_by_shape(const nsci_geom *g, nsc_vec3 from, nsc_vec3 ray)
{
    nsci_span s = nsci_whole_span(from, ray);
    if (NSC_MESHES && g->kind == NSC_SHAPE_MESH)
        nsci_cut_by_mesh(&s, g);
    else if (NSCI_TERRAINS && g->kind == NSC_SHAPE_HEIGHT_FIELD)
        nsci_cut_by_field(&s, g);
    else if (g->kind <= NSC_SHAPE_CAPSULE)
        nsci_cut_by_round(&s, g);
    else
        nsci_cut_by_planes(&s, g);
    return s;
}

/* Go on to the next shape, from *i on, that is in use and selected by the mask, and whose body is
   not switched off.  Returns 1 and where it is, or 0 behind the last. */
static int nsci_find_seen(const nsc_world *w, uint32_t mask, int *i, nsci_geom *g)
{
    for (; *i < w->shape_end; ++*i) {
        const nsc_shape *s = &w->shapes[*i];
        if (s->generation % 2 == 0 || !(s->def.category & mask) || nsci_is_off(w, s->body))
            continue;
        *g = nsci_place(w, s);
        return 1;
    }
    return 0;
}

static void nsci_fill_hit(const nsc_world *w, int shape, nsc_vec3 point, nsc_vec3 normal,
                          nsc_real distance, nsc_hit *hit)
{
    hit->shape = nsci_handle(w, NSCI_SHAPE_HANDLE, shape, w->shapes[shape].generation);
    hit->body = nsci_body_handle(w, w->shapes[shape].body);
    hit->point = point;
    hit->normal = normal;
    hit->distance = distance;
}

/* Write the hit of a call to *hit; returns `found`, or the error if its numbers overflow. */
static int nsci_give_hit(nsci_why *note, int found, const nsc_hit *own, nsc_hit *hit)
{
    if (!found)
        return 0;
    if (!nsci_vec_finite(own->point) || !nsci_vec_finite(own->normal))
        return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE, own->distance);
    *hit = *own;
    return 1;
}

NSC_API int nsc_world_cast_ray(const nsc_world *w, nsc_vec3 origin, nsc_vec3 ray, uint32_t mask,
                               nsc_hit *hit)
{
    nsc_real best = 1, length;
    nsci_geom g;
    nsc_hit own;
    int s, found = 0;
    if (!w || !hit)
        return NSC_ERR_ARGUMENT;
    length = nsci_norm(ray);
    if (!nsci_vec_finite(origin) || !nsci_finite(length))
        return NSC_ERR_NOT_FINITE;
    if (!(length > 0))
        return NSC_ERR_ARGUMENT;
    for (s = 0; nsci_find_seen(w, mask, &s, &g); s++) {
        nsci_span span = nsci_cut_by_shape(&g, origin, ray);
        if (!(span.enter >= 0 && span.enter <= span.leave) || span.enter > best ||
            (found && span.enter >= best))
            continue;
        best = span.enter;
        found = 1;
        nsci_fill_hit(w, s, nsci_add_sv(origin, best, ray), span.normal, best * length, &own);
    }
    return nsci_give_hit(NULL, found, &own, hit);
}

/* The first of the points with the least gap */
static const nsci_point *nsci_deepest(const nsci_point *p, int n)
{
    const nsci_point *deepest = p;
    int i;
    for (i = 1; i < n; i++)
        if (p[i].gap < deepest->gap)
            deepest = &p[i];
    return deepest;
}

/* Find the surface point of shape g nearest to the probe's centre; returns 0 if none is within the
   distance. */
static int nsci_closest_on(nsc_world *w, nsci_geom *probe, nsci_geom *g, nsc_real distance,
                           nsci_point *best)
{
    int n = nsci_collide_any(w, probe, g, distance);
    if (n == 0)
        return 0;
    *best = *nsci_deepest(w->scratch.find.points, n);
    /* Box contacts switch to a face's normal a little early: compute it exactly. */
    if (g->kind == NSC_SHAPE_BOX && best->gap > 0) {
        const nsc_real *half = g->half;
        nsc_vec3 q = nsci_mul_mtv(&g->axes, nsci_sub(probe->centre, g->centre));
        nsc_vec3 e;
        e.x = nsci_clamp(q.x, -half[0], half[0]) - q.x;
        e.y = nsci_clamp(q.y, -half[1], half[1]) - q.y;
        e.z = nsci_clamp(q.z, -half[2], half[2]) - q.z;
        best->gap = nsci_norm(e);
        best->normal = nsci_unit(nsci_mul_mv(&g->axes, e), best->normal);
    }
    return best->gap <= distance;
}

/* Place a shape whose pose is in the world. */
static void nsci_place_probe(const nsc_shape_def *def, nsci_geom *probe)
{
    probe->axes = nsci_rotation(nsci_quat_normalise(def->pose.orientation));
    probe->centre = def->pose.position;
    nsci_place_def(probe, def);
}

/* Begin a call that asks about a shape of its own: check it, and place it. */
static int nsci_begin_probe(nsc_world *w, const nsc_shape_def *def, nsci_geom *probe)
{
    int code = nsci_enter(w);
    if (code == NSC_OK)
        code = nsci_check_shape_def(&w->note, def);
    if (code < 0)
        return code;
    if (def->kind > NSC_SHAPE_BOX)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_WRONG_SHAPE, (nsc_real)def->kind);
    nsci_place_probe(def, probe);
    return NSC_OK;
}

NSC_API int nsc_world_overlap(nsc_world *w, const nsc_shape_def *def, uint32_t mask, nsc_id *ids,
                              int room)
{
    nsci_geom probe, g;
    int s;
    int count = 0;
    int code = nsci_begin_probe(w, def, &probe);
    if (code < 0)
        return code;
    if (room < 0 || (!ids && room > 0))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT,
                            room < 0 ? NSCI_BAD_ARGUMENT : NSCI_NO_POINTER, (nsc_real)room);
    for (s = 0; nsci_find_seen(w, mask, &s, &g); s++) {
        if (nsci_collide_any(w, &probe, &g, 0) == 0)
            continue;
        if (count < room)
            ids[count] = nsci_handle(w, NSCI_SHAPE_HANDLE, s, w->shapes[s].generation);
        count++;
    }
    return count;
}

/* ---- shape cast.  Shape a, moved by t along the way, touches b where the way enters the convex
   set of differences, points of b less points of a.  Three points of the set whose triangle, the
   portal, the way crosses give an upper bound of t, a plane beyond which the whole set lies a lower
   one.  First a portal is found in the plane across the way, or the set lies beside the way.  Then
   the furthest point of the set beyond the portal takes the place of one of the three, until none
   is beyond: the simplex method of linear programming, where columns are made as needed.  It never
   divides by a distance of the shapes: that they nearly touch is no special case.  Coordinates are
   relative to the moved shape's centre. */

enum { NSCI_CAST_STEPS = 64 };
typedef struct nsci_cast {
    nsc_vec3 u;                  /* unit direction of the way */
    nsc_real length;             /* touches beyond are not looked for [m] */
    nsc_real t;                  /* result: way to the touch [m] */
    nsc_vec3 n, p;               /* result: unit from the moved shape to the other; point on the
                                    latter's surface, from the moved one's centre at its start */
} nsci_cast;

typedef struct nsci_difference { /* the set, in a frame whose axis 2 is the way */
    const nsci_geom *a, *b;
    nsci_mat3 frame;
    nsc_real scale;              /* unit of length [m] */
} nsci_difference;

typedef struct nsci_vertex {     /* point of the set */
    nsc_vec3 w, n;               /* position; unit direction along which it is the set's first */
    nsc_vec3 on_b;               /* [m] */
} nsci_vertex;

static nsci_vertex nsci_first(const nsci_difference *d, nsc_real x, nsc_real y, nsc_real z)
{
    nsci_vertex v;
    nsc_vec3 n;
    v.n = nsci_unit(nsci_vec(x, y, z), nsci_vec(1, 0, 0));
    n = nsci_mul_mv(&d->frame, v.n);
    v.on_b = nsci_add_sv(nsci_support(d->b, nsci_neg(n)), -nsci_rounding(d->b), n);
    v.w = nsci_sub(v.on_b, nsci_add_sv(nsci_support(d->a, n), nsci_rounding(d->a), n));
    v.w = nsci_mul_sv(1 / d->scale, nsci_mul_mtv(&d->frame, v.w));
    return v;
}

/* Across the way: > 0 if q is on the left of p, seen from the way */
static nsc_real nsci_left(const nsci_vertex *p, const nsci_vertex *q)
{
    return p->w.x * q->w.y - p->w.y * q->w.x;
}

static int nsci_beside(const nsci_vertex *v) { return nsci_dot3(v->w, v->n) > 0; }

/* Find v[0], v[1], v[2] of the set around the way, counter-clockwise: v[0] is within the set, the
   others are on its outline.  Returns 0 if the way passes beside the set. */
NSCI_OWN_FRAME int nsci_find_portal(nsci_difference *d, nsci_vertex *v)
{
    int i;
    v[0].on_b = nsci_middle(d->b);
    v[0].n = nsci_vec(0, 0, 0);
    v[0].w = nsci_mul_sv(1 / d->scale, nsci_mul_mtv(&d->frame, nsci_sub(v[0].on_b,
                                                                      nsci_middle(d->a))));
    v[1] = nsci_first(d, v[0].w.x, v[0].w.y, 0);
    if (nsci_beside(&v[1]))
        return 0;
    if (nsci_left(&v[0], &v[1]) < 0) { /* mirror: the way is on the left of v[0] to v[1] */
        d->frame.c[0] = nsci_neg(d->frame.c[0]);
        v[0].w.x = -v[0].w.x;
        v[1].w.x = -v[1].w.x;
        v[1].n.x = -v[1].n.x;
    }
    for (i = 0; i < 8; i++) {
        v[2] = nsci_first(d, v[1].w.y - v[0].w.y, v[0].w.x - v[1].w.x, 0);
        if (nsci_beside(&v[2]))
            return 0;
        if (nsci_left(&v[0], &v[2]) <= 0)
            break;
        v[1] = v[2];
    }
    for (i = 0; i < 40; i++) {
        if (nsci_left(&v[1], &v[2]) >= 0)
            return 1;
        v[3] = nsci_first(d, v[1].w.y - v[2].w.y, v[2].w.x - v[1].w.x, 0);
        if (nsci_beside(&v[3]))
            return 0;
        v[nsci_left(&v[0], &v[3]) > 0 ? 1 : 2] = v[3];
    }
    return 0;
}

/* Share of q in the point of the edge from p to q that is nearest to the way */
static nsc_real nsci_along(const nsci_vertex *p, const nsci_vertex *q)
{
    nsc_real x = q->w.x - p->w.x;
    nsc_real y = q->w.y - p->w.y;
    nsc_real square = x * x + y * y;
    return square > 0 ? nsci_clamp(-(p->w.x * x + p->w.y * y) / square, 0, 1) : 0;
}

/* Where the way crosses the portal, as weights of its vertices.  A portal may be very narrow: take
   the weight of the vertex across its longest edge, then the place along that; by rounding it may
   be beyond another edge. */
static void nsci_portal_weights(const nsci_vertex *v, nsc_real *weight)
{
    nsc_vec3 e = nsci_vec(0, 0, 0);
    nsc_vec3 p, q;
    nsc_real most = 0, area, share = 0;
    int i, j, k = 0;
    for (i = 0; i < 3; i++) {
        p = nsci_sub(v[(i + 1) % 3].w, v[i].w);
        if (p.x * p.x + p.y * p.y > most) {
            most = p.x * p.x + p.y * p.y;
            e = p;
            k = (i + 2) % 3;
        }
    }
    i = (k + 1) % 3;
    j = (k + 2) % 3;
    q = nsci_sub(v[k].w, v[i].w);
    area = e.x * q.y - e.y * q.x;
    weight[k] = area > 0 ? nsci_clamp(nsci_left(&v[i], &v[j]) / area, 0, 1) : 0;
    p = nsci_add_sv(nsci_mul_sv(weight[k], v[k].w), 1 - weight[k], v[i].w);
    if (most > 0)
        share = -(p.x * e.x + p.y * e.y) / most;
    if (share < 0)
        weight[k] = nsci_along(&v[i], &v[k]);
    else if (share > 1 - weight[k])
        weight[k] = nsci_along(&v[j], &v[k]);
    weight[j] = nsci_clamp(share, 0, 1 - weight[k]);
    weight[i] = 1 - weight[k] - weight[j];
}

/* Put v[3] in the place of one of the three so that the way still crosses the portal. */
static void nsci_enter_portal(nsci_vertex *v)
{
    nsc_real best = -NSC_REAL_MAX, x, c[3], slack[3];
    nsc_real far = nsci_max(nsci_abs(v[3].w.x), nsci_abs(v[3].w.y));
    int i, k = 0;
    for (i = 0; i < 3; i++) {
        c[i] = nsci_left(&v[3], &v[i]);
        slack[i] = 2 * NSC_REAL_EPS * (far + nsci_abs(v[i].w.x) + nsci_abs(v[i].w.y));
    }
    for (i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        x = nsci_min(c[i] + slack[i], slack[j] - c[j]);
        if (x >= 0) /* of two that do, up to rounding, the wider */
            x = nsci_max(c[i] - c[j] + nsci_left(&v[i], &v[j]), 0);
        if (x > best) {
            best = x;
            k = (i + 2) % 3;
        }
    }
    v[k] = v[3];
}

/* Is the set beyond the plane at x but for rounding, where the way has come to `up`?  If this plane
   shows it best, n is its normal. */
static int nsci_cast_done(const nsci_vertex *x, nsc_real up, nsc_real *least, nsc_vec3 *n)
{
    nsc_real gap = up * x->n.z - nsci_dot3(x->w, x->n);
    if (!(x->n.z > 0) || gap > 8 * NSC_REAL_EPS)
        return 0;
    if (gap < *least) {
        *least = gap;
        *n = x->n;
    }
    return 1;
}

/* Where does the way, or its line before the start, enter the set of differences?  Returns 1 and
   the result in c, or 0: it passes beside. */
NSCI_OWN_FRAME int nsci_cast_line(nsci_cast *c, const nsci_geom *a, nsci_geom *b)
{
    const nsc_real rounding = 4 * NSC_REAL_EPS;
    nsci_difference d;
    nsci_vertex v[4], other, far;
    nsc_vec3 home = b->centre;
    nsc_vec3 n = c->u;
    nsc_vec3 across, mean;
    nsc_real weight[3], up, low, beyond;
    nsc_real bound = -NSC_REAL_MAX;
    nsc_real touch = 0;
    nsc_real least = NSC_REAL_MAX;
    nsc_real skip = nsci_dot3(nsci_sub(nsci_middle(b), nsci_middle(a)), c->u);
    int i, k, found, done, stuck = 0;
    d.a = a;
    d.b = b;
    d.scale = nsci_size(a) + nsci_size(b);
    nsci_tangents(c->u, &d.frame.c[0], &d.frame.c[1]);
    d.frame.c[2] = c->u;
    b->centre = nsci_add_sv(home, -skip, c->u);
    found = nsci_find_portal(&d, v);
    for (i = 0; i < NSCI_CAST_STEPS && found; i++) {
        across = nsci_triangle_normal(v[0].w, v[1].w, v[2].w);
        nsci_portal_weights(v, weight);
        up = weight[0] * v[0].w.z + weight[1] * v[1].w.z + weight[2] * v[2].w.z;
        v[3] = nsci_first(&d, across.x, across.y, across.z);
        beyond = nsci_dot3(nsci_sub(v[0].w, v[3].w), v[3].n);
        /* Where the surface is curved, the mean of the normals at the vertices is nearer to that
           at the way than the portal's. */
        mean = nsci_weigh(weight, v[0].n, v[1].n, v[2].n);
        if (i % 2 == 0)
            mean = nsci_add(nsci_unit(mean, v[3].n), v[3].n);
        other = nsci_first(&d, mean.x, mean.y, mean.z);
        for (k = 0; k < 2; k++) {
            const nsci_vertex *x = k ? &other : &v[3];
            low = nsci_dot3(x->w, x->n);
            if (x->n.z > 0 && (low - rounding) / x->n.z > bound) {
                bound = (low - rounding) / x->n.z;
                touch = low / x->n.z;
                n = x->n;
            }
        }
        /* Done when the upper bound, the portal, meets the plane of the lower one on the way. */
        done = (up - touch) * n.z <= rounding;
        for (k = 0; k < 2; k++)
            done |= nsci_cast_done(k ? &other : &v[3], up, &least, &n);
        if (least < NSC_REAL_MAX)
            touch = up;
        stuck += beyond <= rounding;
        if (done || stuck > 15)
            break;
        far = v[3];
        if (beyond <= rounding || nsci_dot3(nsci_sub(v[0].w, other.w), far.n) > rounding) {
            v[3] = other;
            nsci_enter_portal(v);
            across = nsci_triangle_normal(v[0].w, v[1].w, v[2].w);
        }
        v[3] = far;
        if (nsci_dot3(nsci_sub(v[0].w, far.w), across) > 0)
            nsci_enter_portal(v);
    }
    nsci_portal_weights(v, weight);
    c->t = skip + d.scale * touch;
    c->n = nsci_mul_mv(&d.frame, n);
    c->p = nsci_add_sv(nsci_weigh(weight, v[0].on_b, v[1].on_b, v[2].on_b), skip, c->u);
    b->centre = home;
    return found && bound > -NSC_REAL_MAX;
}

/* Cast a on b, which is convex.  third: a direction in which they may be apart, tried where they
   overlap at the start.  Returns 1 and the result in c, or 0. */
static int nsci_cast_convex(nsci_cast *c, const nsci_geom *a, nsci_geom *b, nsc_vec3 third)
{
    nsc_real small = nsci_tolerances(a, b).small;
    nsc_real s;
    nsc_real best = -NSC_REAL_MAX;
    nsci_cast in = *c;
    nsci_cast out = *c;
    nsc_vec3 n[3];
    int i;
    if (!nsci_cast_line(&in, a, b) || !(in.t <= c->length))
        return 0;
    if (!(in.t > 0)) {
        out.u = nsci_neg(c->u);
        if (!nsci_cast_line(&out, a, b) || out.t > 0)
            return 0;
        n[0] = third;
        n[1] = in.n;
        n[2] = out.n;
        for (i = 0; i < 3; i++) {
            s = nsci_gap(a, b, n[i]);
            if (nsci_dot3(n[i], n[i]) > 0 && s > best) {
                best = s;
                in.n = n[i];
            }
        }
        /* The shapes only touch at the start, and at the end of the way no more than that. */
        if (best >= -small && best - c->length * nsci_dot3(in.n, c->u) >= -small)
            return 0;
        in.t = 0;
        in.p = nsci_add_sv(nsci_support(b, nsci_neg(in.n)), -nsci_rounding(b), in.n);
    }
    *c = in;
    return 1;
}

/* The same on half-space b */
static int nsci_cast_plane(nsci_cast *c, const nsci_geom *a, const nsci_geom *b)
{
    nsc_vec3 n = nsci_neg(b->axes.c[2]);
    nsc_vec3 p = nsci_add_sv(nsci_support(a, n), nsci_rounding(a), n);
    nsc_real s = nsci_dot3(nsci_sub(b->centre, p), n);
    nsc_real rate = nsci_dot3(n, c->u);
    nsc_real small = NSC_R(3e-5) * nsci_size(a) + 8 * NSC_REAL_EPS * nsci_norm(b->centre);
    if (s > 0 ? !(rate * c->length >= s) : s >= -small && s - rate * c->length >= -small)
        return 0;
    c->n = n;
    c->t = s > 0 ? s / rate : 0;
    c->p = nsci_add_sv(nsci_add_sv(p, c->t, c->u), nsci_min(s, 0), n);
    return 1;
}

#if !NSCI_TERRAINS && !NSC_MESHES
#define nsci_cast_terrain(c, a, b, more) 0
#else
/* Cast a on a triangle, both in the frame of its height field or mesh.  A mesh's triangle is not
   met from behind. */
static int nsci_cast_facet(nsci_cast *c, const nsci_geom *a, nsci_facet *f)
{
    nsc_vec3 up = nsci_face_normal(&f->t, 0);
    nsc_vec3 down = nsci_neg(up);
    nsc_real s = nsci_gap(a, &f->t, down);
    if (s > 0 && !(nsci_dot3(down, c->u) * c->length >= s))
        return 0;
    if (NSCI_OF_MESH(f) && s <= 0 && nsci_gap(a, &f->t, up) >= 0)
        return 0;
    if (!nsci_cast_convex(c, a, &f->t, down))
        return 0;
    c->length = c->t;
    return 1;
}

#if !NSCI_TERRAINS
#define nsci_cast_field(c, a, f, box, origin) 0
#else
/* Cast a on the triangles under the way, one row of cells after the other; box: bounds of a */
static int nsci_cast_field(nsci_cast *c, const nsci_geom *a, const nsci_terrain *g,
                           const nsci_aabb *box, nsc_vec3 origin)
{
    nsci_facet f;
    int i, j, which, found = 0, from, to;
    for (j = 0; j < g->ny - 1; j++) {
        nsc_real y = ((nsc_real)j - nsci_middle_of(g->ny)) * g->dy - origin.y;
        nsc_real lo = 0;
        nsc_real hi = c->length;
        nsc_real one, other;
        nsci_narrow(box->min[2], box->max[2], c->u.z, g->low - origin.z, g->high - origin.z, &lo,
                    &hi);
        nsci_narrow(box->min[1], box->max[1], c->u.y, y, y + g->dy, &lo, &hi);
        if (lo > hi)
            continue;
        one = lo * c->u.x;
        other = hi * c->u.x;
        nsci_cell_range(origin.x + nsci_min(one, other) + box->min[0],
                        origin.x + nsci_max(one, other) + box->max[0], g->dx, g->nx, &from, &to);
        for (i = from; i <= to; i++)
            for (which = 0; which < 2; which++) {
                nsci_field_triangle(g, i, j, which, origin, &f);
                found |= nsci_cast_facet(c, a, &f);
            }
    }
    return found;
}
#endif

#if !NSC_MESHES
#define nsci_cast_mesh(c, a, m, box, origin) 0
#else
/* Cast a on the triangles of the nodes under the way; box: bounds of a */
static int nsci_cast_mesh(nsci_cast *c, const nsci_geom *a, const nsc_mesh *m,
                          const nsci_aabb *box, nsc_vec3 origin)
{
    nsci_mesh_walk x = nsci_walk_mesh(m, origin);
    nsci_facet f;
    int found = 0;
    x.box = *box;
    x.way = c->u;
    x.end = c->length;
    while (nsci_next_facet(&x, &f) >= 0) {
        found |= nsci_cast_facet(c, a, &f);
        x.end = c->length;
    }
    return found;
}
#endif

/* Cast a on height field or mesh b, in its frame; more: margin of a's box [m] */
NSCI_OWN_FRAME int nsci_cast_terrain(nsci_cast *c, const nsci_geom *a, const nsci_geom *b,
                                     nsc_real more)
{
    nsci_geom own = *a;
    nsci_cast d = *c;
    nsc_vec3 origin = nsci_neg(nsci_mul_mtv(&b->axes, b->centre));
    nsci_aabb box;
    int k, found;
    for (k = 0; k < 3; k++)
        own.axes.c[k] = nsci_mul_mtv(&b->axes, a->axes.c[k]);
    d.u = nsci_mul_mtv(&b->axes, c->u);
    nsci_bounds(&own, more, &box);
    if (b->kind == NSC_SHAPE_HEIGHT_FIELD)
        found = nsci_cast_field(&d, &own, NSCI_TERRAIN(b), &box, origin);
    else
        found = nsci_cast_mesh(&d, &own, b->mesh, &box, origin);
    c->t = d.t;
    c->n = nsci_mul_mv(&b->axes, d.n);
    c->p = nsci_mul_mv(&b->axes, d.p);
    return found;
}
#endif

/* Cast a, with its centre at the origin, on b, both of any kind. */
static int nsci_cast_on(nsc_world *w, nsci_cast *c, nsci_geom *a, nsci_geom *b)
{
    nsc_real more = NSC_R(1e-3) * nsci_size(a) +
                    16 * NSC_REAL_EPS * (nsci_norm(b->centre) + c->length);
    const nsci_point *deepest;
    nsci_aabb mine, other;
    int n;
    if (b->kind == NSC_SHAPE_HALF_SPACE)
        return nsci_cast_plane(c, a, b);
    nsci_bounds(a, more, &mine);
    nsci_bounds(b, 0, &other);
    if (!nsci_way_meets(&mine, &other, c->u, c->length, 0))
        return 0;
    n = nsci_collide_any(w, a, b, more);
    deepest = nsci_deepest(w->scratch.find.points, n);
    if (b->kind < NSC_SHAPE_HALF_SPACE)
        return nsci_cast_convex(c, a, b, n > 0 ? deepest->normal : nsci_vec(0, 0, 0));
    if (n == 0 || deepest->gap >= -nsci_tolerances(a, a).small)
        return nsci_cast_terrain(c, a, b, more);
    c->t = 0;
    c->n = deepest->normal;
    c->p = nsci_add_sv(deepest->point, NSC_R(0.5) * deepest->gap, c->n);
    return 1;
}

NSC_API int nsc_world_cast_shape(nsc_world *w, const nsc_shape_def *def, nsc_vec3 way,
                                 uint32_t mask, nsc_hit *hit)
{
    nsci_geom probe, g;
    nsci_cast c;
    nsc_hit own;
    nsc_vec3 start;
    int s;
    int found = 0;
    int code = nsci_begin_probe(w, def, &probe);
    if (code < 0)
        return code;
    if (!hit)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    c.length = nsci_norm(way);
    if (!nsci_finite(c.length))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE, c.length);
    if (!(c.length > 0))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, c.length);
    c.u = nsci_mul_sv(1 / c.length, way);
    start = probe.centre;
    probe.centre = nsci_vec(0, 0, 0);
    for (s = 0; nsci_find_seen(w, mask, &s, &g); s++) {
        g.centre = nsci_sub(g.centre, start);
        if (!nsci_cast_on(w, &c, &probe, &g) || (found && !(c.t < c.length)))
            continue;
        found = 1;
        c.length = c.t;
        nsci_fill_hit(w, s, nsci_add(start, c.p), nsci_neg(c.n), c.t, &own);
    }
    return nsci_give_hit(&w->note, found, &own, hit);
}

NSC_API int nsc_world_closest(nsc_world *w, nsc_vec3 point, nsc_real distance, uint32_t mask,
                              nsc_hit *hit)
{
    nsc_shape_def def = nsc_default_sphere_def(0);
    nsci_geom probe, g;
    nsci_point p;
    nsc_hit own;
    int s;
    int found = 0;
    int code = nsci_enter(w);
    if (code < 0)
        return code;
    if (!hit)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (!nsci_vec_finite(point) || !nsci_finite(distance))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_NOT_FINITE,
                            nsci_finite(distance) ? nsci_norm(point) : distance);
    if (distance < 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, distance);
    def.pose.position = point;
    nsci_place_probe(&def, &probe);
    for (s = 0; nsci_find_seen(w, mask, &s, &g); s++) {
        if (!nsci_closest_on(w, &probe, &g, distance, &p) || (found && p.gap >= own.distance))
            continue;
        found = 1;
        nsci_fill_hit(w, s, nsci_add_sv(point, p.gap, p.normal), nsci_neg(p.normal), p.gap, &own);
    }
    return nsci_give_hit(&w->note, found, &own, hit);
}

#endif

/* ---- >>archive -------------------------------------------------------------------------------
   One walk over the state measures, writes, hashes, checks and loads, so that none of them can
   forget a member.  Image, little-endian: "NSCW", version (2 bytes), sizeof(nsc_real) (2), length
   (4), CRC-32 of all the rest (4); definition, clock, report; a table of the slots of bodies,
   shapes, joints and springs; the contents of the slots in use; contacts; events.  The tables come
   first, so that references in a record can be checked before anything is loaded.  The map of a
   record lists its members in their order, with their ranges. */

#ifndef NSC_NO_ARCHIVE

#ifdef NSC_DOUBLE
typedef uint64_t nsci_bits;
#else
typedef uint32_t nsci_bits;
#endif
enum { NSCI_MEASURE = 1, NSCI_WRITE = 2, NSCI_HASH = 3, NSCI_READ = 4 };
enum {
    NSCI_IMAGE_VERSION = 7 + 0x100 * NSCI_EXTRAS + 0x200 * NSCI_TABLES + 0x400 * NSCI_BARRIER
};
enum { NSCI_IMAGE_CRC = 12, NSCI_IMAGE_HEADER = 16, NSCI_SLOT_SIZE = 12 };
/* Kinds of handle, less 1.  No record refers to a spring. */
enum {
    NSCI_SLOTS_OF_BODIES = 0,
    NSCI_SLOTS_OF_SHAPES = 1,
    NSCI_SLOTS_OF_JOINTS = 2,
    NSCI_SLOTS_OF_SPRINGS = 3
};
#define NSCI_IMAGE_MAGIC UINT32_C(0x5743534e)
#define NSCI_INT_MAX ((uint32_t)((unsigned)-1 >> 1))

typedef struct nsci_tape {
    int mode, code;          /* code: the first refusal */
    const nsc_world *from;   /* NULL when reading */
    nsc_world *to;           /* NULL except in the last pass of loading */
    const unsigned char *in;
    unsigned char *out;
    uint32_t at, size, hash;
    uint32_t table[4];       /* where the slots begin in the image */
    int slots[4];
    int tag;
    int hulls, fields, blocks, manifolds; /* counted so far */
    int last_manifold;       /* highest manifold of a contact, plus 1 */
    /* Tables of the world to be loaded, which keeps them */
    NSCI_IF(NSCI_MESHES, const nsc_mesh *const *meshes; int mesh_count;)
    NSCI_IF(NSCI_TABLES, nsci_tables tables;)
    nsci_why note, why;      /* note: the last failed check; why: the first refusal */
    void *record;            /* begun last, with its offset in the world and its size */
    size_t place, record_size;
} nsci_tape;

static void nsci_tape_refuse(nsci_tape *t, int code)
{
    if (t->code < 0)
        return;
    t->code = code;
    if (t->note.code == NSC_OK)
        nsci_refused(&t->note, code, code == NSC_ERR_CONFIG ? NSCI_OTHER_BUILD : NSCI_BAD_IMAGE,
                     (nsc_real)t->at);
    t->note.code = (int16_t)code;
    t->why = t->note; /* later checks overwrite the note */
}

/* Reading only: refuse the image unless `holds`. */
static void nsci_tape_demand(nsci_tape *t, int holds)
{
    if (t->mode == NSCI_READ && !holds)
        nsci_tape_refuse(t, NSC_ERR_ARGUMENT);
}

/* The same for the code of a check: NSC_ERR_CAPACITY is passed on, every other error becomes
   NSC_ERR_ARGUMENT. */
static void nsci_tape_check(nsci_tape *t, int code)
{
    if (t->mode == NSCI_READ && code < 0)
        nsci_tape_refuse(t, code == NSC_ERR_CAPACITY ? code : NSC_ERR_ARGUMENT);
}

/* The same for a number above this build's room */
static void nsci_tape_fit(nsci_tape *t, int number, int room)
{
    nsci_tape_check(t, number > room ? NSC_ERR_CAPACITY : NSC_OK);
}

/* ---- numbers.  Each is written, hashed, or replaced by the image's; after a refusal by 0. */

/* FNV-1a */
static uint32_t nsci_hash_byte(uint32_t hash, uint32_t byte)
{
    return (hash ^ byte) * UINT32_C(16777619);
}

static uint32_t nsci_hash_word(uint32_t hash, uint32_t x)
{
    hash = nsci_hash_byte(hash, x & 255);
    hash = nsci_hash_byte(hash, x >> 8 & 255);
    hash = nsci_hash_byte(hash, x >> 16 & 255);
    return nsci_hash_byte(hash, x >> 24);
}

static uint32_t nsci_get_word(const unsigned char *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void nsci_put_word(unsigned char *to, uint32_t x)
{
    to[0] = (unsigned char)(x & 255);
    to[1] = (unsigned char)(x >> 8 & 255);
    to[2] = (unsigned char)(x >> 16 & 255);
    to[3] = (unsigned char)(x >> 24);
}

/* Go on by n bytes; returns 0 behind the end, or after a refusal. */
static int nsci_tape_advance(nsci_tape *t, uint32_t n)
{
    if (t->mode == NSCI_READ && t->size - t->at < n)
        nsci_tape_refuse(t, NSC_ERR_ARGUMENT);
    if (t->code < 0)
        return 0;
    t->at += n;
    return 1;
}

static void nsci_tape_byte(nsci_tape *t, uint8_t *x)
{
    uint32_t at = t->at;
    if (!nsci_tape_advance(t, 1))
        *x = 0;
    else if (t->mode == NSCI_WRITE)
        t->out[at] = *x;
    else if (t->mode == NSCI_HASH)
        t->hash = nsci_hash_byte(t->hash, *x);
    else if (t->mode == NSCI_READ)
        *x = t->in[at];
}

static void nsci_tape_32(nsci_tape *t, uint32_t *x)
{
    uint32_t at = t->at;
    if (!nsci_tape_advance(t, 4))
        *x = 0;
    else if (t->mode == NSCI_WRITE)
        nsci_put_word(t->out + at, *x);
    else if (t->mode == NSCI_HASH)
        t->hash = nsci_hash_word(t->hash, *x);
    else if (t->mode == NSCI_READ)
        *x = nsci_get_word(t->in + at);
}

/* Walk reals word by word, of a double the lower one first; any bits, as in a report. */
static void nsci_tape_bits(nsci_tape *t, nsc_real *x, int n)
{
    const unsigned words = sizeof *x / 4;
    uint32_t at = t->at;
    int i;
    unsigned k;
    if (!nsci_tape_advance(t, (uint32_t)n * words * 4)) {
        NSC_MEMSET(x, 0, (size_t)n * sizeof *x);
        return;
    }
    for (i = 0; i < n && t->mode != NSCI_MEASURE; i++) {
        nsci_bits bits, read = 0;
        NSC_MEMCPY(&bits, &x[i], sizeof bits);
        for (k = 0; k < words; k++, at += 4) {
            uint32_t word = (uint32_t)(bits >> 32 * k);
            if (t->mode == NSCI_WRITE)
                nsci_put_word(t->out + at, word);
            else if (t->mode == NSCI_HASH)
                t->hash = nsci_hash_word(t->hash, word);
            else
                read |= (nsci_bits)nsci_get_word(t->in + at) << 32 * k;
        }
        if (t->mode == NSCI_READ)
            NSC_MEMCPY(&x[i], &read, sizeof read);
    }
}

static void nsci_tape_16(nsci_tape *t, uint16_t *x)
{
    uint8_t low = (uint8_t)(*x & 255);
    uint8_t high = (uint8_t)(*x >> 8);
    nsci_tape_byte(t, &low);
    nsci_tape_byte(t, &high);
    *x = (uint16_t)(low | high << 8);
}

static void nsci_tape_id(nsci_tape *t, int32_t *x) { nsci_tape_32(t, (uint32_t *)x); }

/* An int may have 16 bits: refuse what overflows. */
static void nsci_tape_int(nsci_tape *t, int *x)
{
    int32_t wide = *x;
    nsci_tape_id(t, &wide);
    *x = (int)wide;
    nsci_tape_demand(t, (int32_t)*x == wide);
}

static void nsci_tape_flag(nsci_tape *t, uint8_t *x)
{
    int flag = *x;
    nsci_tape_int(t, &flag);
    nsci_tape_demand(t, flag == 0 || flag == 1);
    *x = (uint8_t)flag;
}

/* Walk a count; refuse one above this build's room. */
static int nsci_tape_count(nsci_tape *t, int count, int room)
{
    nsci_tape_int(t, &count);
    nsci_tape_demand(t, count >= 0);
    nsci_tape_fit(t, count, room);
    return t->code < 0 ? 0 : count;
}

static void nsci_tape_reals(nsci_tape *t, nsc_real *x, int n)
{
    int i, finite = 1;
    nsci_tape_bits(t, x, n);
    if (t->mode != NSCI_READ)
        return;
    for (i = 0; i < n; i++)
        finite &= nsci_finite(x[i]);
    nsci_tape_demand(t, finite);
}

static void nsci_tape_vec(nsci_tape *t, nsc_vec3 *v)
{
    nsc_real x[3];
    x[0] = v->x;
    x[1] = v->y;
    x[2] = v->z;
    nsci_tape_reals(t, x, 3);
    *v = nsci_vec(x[0], x[1], x[2]);
}

/* ---- records.  A map has a line for each run of members of one type that follow each other in a
   structure: their number and rule.  Rules are those of >>checks for reals, and these. */
enum {
    NSCI_ANY_BITS = NSCI_RULES,  /* of a real */
    NSCI_BYTE,
    NSCI_FLAG,                   /* byte that is 0 or 1, as an int */
    NSCI_WORD,                   /* 32 bits */
    NSCI_INT,
    NSCI_ABSENT,                 /* real that this build does not have, written as 0 */
    NSCI_REFUSED,                /* likewise, but an image where it is > 0 does not fit */
    NSCI_NOT_HASHED = 128        /* added to a rule: no result depends on it */
};
typedef struct nsci_members {
    uint16_t begin, end;         /* offsets in the structure */
    unsigned char rule;
} nsci_members;
#define NSCI_MEMBERS(record, first, last, rule) \
    {offsetof(record, first), offsetof(record, last) + sizeof ((record *)NULL)->last, rule}
#define NSCI_MEMBER(record, member, rule) NSCI_MEMBERS(record, member, member, rule)
#define NSCI_LACK(rule, count) {0, (count) * sizeof(nsc_real), rule}
#define NSCI_WALK(t, map, record) \
    nsci_tape_map(t, map, (int)(sizeof(map) / sizeof *(map)), (unsigned char *)(record))

static void nsci_tape_pose(nsci_tape *t, unsigned char *at)
{
    nsc_pose p;
    NSC_MEMCPY(&p, at, sizeof p);
    nsci_tape_vec(t, &p.position);
    nsci_tape_reals(t, &p.orientation.w, 4);
    nsci_tape_check(t, nsci_check_pose(&t->note, &p));
    NSC_MEMCPY(at, &p, sizeof p);
}

/* Walk the next member, or all n bytes where these are reals; returns how many bytes it walked. */
static size_t nsci_tape_member(nsci_tape *t, int rule, unsigned char *at, size_t n)
{
    nsc_real lacking = 0;
    nsc_real *x = (nsc_real *)(void *)at;
    size_t i, reals = n / sizeof *x;
    switch (rule) {
    case NSCI_BYTE:
        nsci_tape_byte(t, at);
        return 1;
    case NSCI_FLAG:
        nsci_tape_flag(t, at);
        return 1;
    case NSCI_WORD:
        nsci_tape_32(t, (uint32_t *)(void *)at);
        return 4;
    case NSCI_INT:
        nsci_tape_int(t, (int *)(void *)at);
        return sizeof(int);
    case NSCI_VECTOR:
        nsci_tape_vec(t, (nsc_vec3 *)(void *)at);
        return sizeof(nsc_vec3);
    case NSCI_POSE:
        nsci_tape_pose(t, at);
        return sizeof(nsc_pose);
    case NSCI_ABSENT:
    case NSCI_REFUSED:
        nsci_tape_reals(t, &lacking, 1);
        if (rule == NSCI_REFUSED) {
            nsci_tape_demand(t, lacking >= 0);
            nsci_tape_fit(t, lacking > 0, 0);
        }
        return sizeof *x;
    case NSCI_ANY_BITS:
        nsci_tape_bits(t, x, (int)reals);
        return n;
    default:
        nsci_tape_reals(t, x, (int)reals);
        for (i = 0; i < reals && rule == NSCI_FROM_ZERO; i++)
            nsci_tape_demand(t, x[i] >= 0);
        return n;
    }
}

static void nsci_tape_map(nsci_tape *t, const nsci_members *map, int n, unsigned char *record)
{
    int i;
    for (i = 0; i < n && t->code == NSC_OK; i++) {
        nsci_members m;
        size_t at;
        NSCI_FETCH(&m, &map[i]);
        if (m.rule >= NSCI_NOT_HASHED && t->mode == NSCI_HASH)
            continue;
        for (at = m.begin; at < m.end;)
            at += nsci_tape_member(t, m.rule % NSCI_NOT_HASHED, record + at, m.end - at);
    }
}

/* Where the i-th record of an array begins in a world */
#define NSCI_PLACE(array, i) \
    (offsetof(nsc_world, array) + (size_t)(i) * sizeof *((nsc_world *)NULL)->array)

/* Begin a record: a copy of the world's, or zeros to read into (padding too, which is compared). */
static void nsci_tape_begin(nsci_tape *t, void *record, size_t place, size_t size)
{
    t->record = record;
    t->place = place;
    t->record_size = size;
    if (t->from)
        NSC_MEMCPY(record, (const unsigned char *)t->from + place, size);
    else
        NSC_MEMSET(record, 0, size);
}

/* End it: in the last pass of loading it goes to the world. */
static void nsci_tape_end(nsci_tape *t)
{
    if (t->to && t->code == NSC_OK)
        NSC_MEMCPY((unsigned char *)t->to + t->place, t->record, t->record_size);
}

/* Walk one member, or one element of an array, as a record of its own. */
static void nsci_tape_alone(nsci_tape *t, int rule, void *x, size_t place, size_t size)
{
    nsci_tape_begin(t, x, place, size);
    nsci_tape_member(t, rule, (unsigned char *)x, size);
    nsci_tape_end(t);
}

/* ---- definition and report */

static const nsci_members nsci_def_map[] NSCI_IN_FLASH = {
    NSCI_IF(NSCI_BARRIER,
            NSCI_MEMBERS(nsc_world_def, barrier_distance, barrier_speed, NSCI_ANY_REAL),)
    NSCI_MEMBER(nsc_world_def, gravity, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_world_def, margin, match_distance, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_world_def, keep_manifolds, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, joint_recovery, sleep_speed, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_world_def, substeps, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, tag, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, solver.solver, solver.max_iterations, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, solver.tolerance, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_world_def, solver.stall_window, solver.warm_start, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, solver.omega, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_world_def, solver.symmetric, solver.max_factorizations, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, stepper, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, alpha, gamma, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_world_def, newton_steps, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, newton_tolerance, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_world_def, contact_model, contact_law, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, contact_speed, contact_radius, NSCI_ANY_REAL)};

NSCI_OWN_FRAME void nsci_tape_def(nsci_tape *t)
{
    nsc_world_def d;
    nsci_tape_begin(t, &d, offsetof(nsc_world, def), sizeof d);
    NSCI_WALK(t, nsci_def_map, &d);
    if (t->mode == NSCI_READ)
        nsci_tape_check(t, nsci_check_world_def(&t->note, &d));
    t->tag = d.tag;
    nsci_tape_end(t);
}

static const nsci_members nsci_report_map[] NSCI_IN_FLASH = {
    NSCI_IF(NSCI_BARRIER, NSCI_MEMBER(nsc_step_report, overlaps, NSCI_INT),)
    NSCI_MEMBERS(nsc_step_report, solver.status, solver.factorizations, NSCI_INT),
    NSCI_MEMBERS(nsc_step_report, solver.residual, solver.duality_gap, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_step_report, solver.worst_block, solver.skipped_rows, NSCI_INT),
    NSCI_MEMBERS(nsc_step_report, pairs, dropped, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, dropped_ever, NSCI_WORD),
    NSCI_MEMBERS(nsc_step_report, dropped_rolling, asleep, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, penetration, NSCI_ANY_BITS),
    NSCI_MEMBER(nsc_step_report, newton_steps, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, newton_change, NSCI_ANY_BITS),
    NSCI_MEMBER(nsc_step_report, unsettled, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, step_limit, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_step_report, over_limit, limited_bounces, NSCI_INT)};

/* No result depends on a report, so any numbers are allowed; but islands bounds reads of the
   islands. */
NSCI_OWN_FRAME void nsci_tape_report(nsci_tape *t)
{
    nsc_step_report r;
    nsci_tape_begin(t, &r, offsetof(nsc_world, report), sizeof r);
    NSCI_WALK(t, nsci_report_map, &r);
    nsci_tape_demand(t, r.islands >= 0);
    nsci_tape_fit(t, r.islands, NSC_MAX_BODIES);
    nsci_tape_end(t);
}

/* Impulses are divided by last_h: demand a finite inverse. */
static void nsci_tape_clock(nsci_tape *t)
{
    nsc_real h;
    uint32_t count;
    int steady;
    nsci_tape_alone(t, NSCI_FROM_ZERO, &h, offsetof(nsc_world, last_h), sizeof h);
    nsci_tape_demand(t, !(h > 0) || nsci_finite(1 / h));
    if (t->mode != NSCI_HASH)
        nsci_tape_alone(t, NSCI_WORD, &count, offsetof(nsc_world, step_count), sizeof count);
    nsci_tape_alone(t, NSCI_INT, &steady, offsetof(nsc_world, steady), sizeof steady);
    nsci_tape_demand(t, steady >= 0 && steady <= 2);
}

/* ---- slots */

/* The properties of an object that other records need before it is loaded */
typedef struct nsci_slot {
    uint16_t generation, kind; /* kind 0: free */
    nsc_id body, other;        /* shape: index of its body, 0; joint, spring: body_a, body_b */
    NSCI_IF(NSCI_PADDED, int unused;)
} nsci_slot;

static nsci_slot nsci_make_slot(uint16_t generation, int kind, nsc_id body, nsc_id other)
{
    nsci_slot s;
    int live = generation % 2;
    s.generation = generation;
    s.kind = (uint16_t)(live ? kind : 0);
    s.body = live ? body : 0;
    s.other = live ? other : 0;
    return s;
}

NSC_MAYBE_UNUSED static nsci_slot nsci_joint_slot(const nsc_joint *j)
{
    return nsci_make_slot(j->generation, j->def.kind, j->def.body_a, j->def.body_b);
}

NSC_MAYBE_UNUSED static void nsci_load_joint_slot(nsc_joint *j, const nsci_slot *s)
{
    j->generation = s->generation;
    j->def.kind = s->kind;
    j->def.body_a = s->body;
    j->def.body_b = s->other;
}

NSC_MAYBE_UNUSED static nsci_slot nsci_spring_slot(const nsc_spring *p)
{
    return nsci_make_slot(p->generation, 1, p->def.body_a, p->def.body_b);
}

NSC_MAYBE_UNUSED static void nsci_load_spring_slot(nsc_spring *p, const nsci_slot *s)
{
    p->generation = s->generation;
    p->def.body_a = s->body;
    p->def.body_b = s->other;
}

static nsci_slot nsci_slot_of(const nsc_world *w, int things, int i)
{
    switch (things) {
    case NSCI_SLOTS_OF_BODIES:
        return nsci_make_slot(w->bodies[i].generation, w->bodies[i].kind, 0, 0);
    case NSCI_SLOTS_OF_SHAPES:
        return nsci_make_slot(w->shapes[i].generation, w->shapes[i].def.kind, w->shapes[i].body, 0);
    NSCI_IF(NSCI_JOINTS, case NSCI_SLOTS_OF_JOINTS: return nsci_joint_slot(&w->joints[i]);)
    NSCI_IF(NSCI_SPRINGS, case NSCI_SLOTS_OF_SPRINGS: return nsci_spring_slot(&w->springs[i]);)
    default: return nsci_make_slot(0, 0, 0, 0);
    }
}

/* Number of slots up to the last ever used (the same in builds with other capacities); without a
   world, all */
static int nsci_slots_used(const nsc_world *w, int things)
{
    static const int room[4] = {NSC_MAX_BODIES, NSC_MAX_SHAPES, NSC_MAX_JOINTS, NSC_MAX_SPRINGS};
    int n = room[things];
    while (w && n > 0 && nsci_slot_of(w, things, n - 1).generation == 0)
        n--;
    return n;
}

static void nsci_tape_slot(nsci_tape *t, nsci_slot *s)
{
    nsci_tape_16(t, &s->generation);
    nsci_tape_16(t, &s->kind);
    nsci_tape_id(t, &s->body);
    nsci_tape_id(t, &s->other);
}

/* The slot, or an empty one where there is none */
static nsci_slot nsci_slot_at(const nsci_tape *t, int things, int i)
{
    nsci_slot s = nsci_make_slot(0, 0, 0, 0);
    const unsigned char *at;
    if (i < 0 || i >= t->slots[things])
        return s;
    if (t->mode != NSCI_READ)
        return nsci_slot_of(t->from, things, i);
    if (t->to) /* once loaded, from the world: the image may have changed */
        return nsci_slot_of(t->to, things, i);
    at = t->in + t->table[things] + (uint32_t)i * NSCI_SLOT_SIZE;
    s.generation = (uint16_t)(at[0] | at[1] << 8);
    s.kind = (uint16_t)(at[2] | at[3] << 8);
    s.body = (nsc_id)nsci_get_word(at + 4);
    s.other = (nsc_id)nsci_get_word(at + 8);
    return s;
}

static void nsci_check_slot(nsci_tape *t, int things, int i, const nsci_slot *s)
{
    static const unsigned char kinds[4] = {NSC_DYNAMIC_BODY, NSCI_LAST_SHAPE, NSC_JOINT_GEAR,
                                           1};
    nsci_slot body;
    int live = s->generation % 2;
    nsci_tape_demand(t, live ? s->kind >= 1 && s->kind <= kinds[things]
                             : s->kind == 0 && s->body == 0);
    nsci_tape_demand(t, s->other == 0 || (live && things >= NSCI_SLOTS_OF_JOINTS));
    if (things == NSCI_SLOTS_OF_BODIES && i == 0)
        nsci_tape_demand(t, s->generation == 1 && s->kind == NSC_STATIC_BODY);
    if (things != NSCI_SLOTS_OF_SHAPES || !live)
        return;
    body = nsci_slot_at(t, NSCI_SLOTS_OF_BODIES,
                        s->body >= 0 && s->body < NSC_MAX_BODIES ? (int)s->body : -1);
    nsci_tape_demand(t, body.generation % 2);
    if (s->kind >= NSC_SHAPE_HALF_SPACE)
        nsci_tape_demand(t, body.kind != NSC_DYNAMIC_BODY);
}

/* Load the whole slot: the record that follows reads it back. */
static void nsci_load_slot(nsc_world *w, int things, int i, const nsci_slot *s)
{
    int *const ends[4] = {&w->body_end, &w->shape_end, &w->joint_end, &w->spring_end};
    if (things == NSCI_SLOTS_OF_BODIES) {
        w->bodies[i].generation = s->generation;
        w->bodies[i].kind = s->kind;
    } else if (things == NSCI_SLOTS_OF_SHAPES) {
        w->shapes[i].generation = s->generation;
        w->shapes[i].def.kind = s->kind;
        w->shapes[i].body = (uint16_t)s->body;
    } else if (things == NSCI_SLOTS_OF_JOINTS) {
        NSCI_IF(NSCI_JOINTS, nsci_load_joint_slot(&w->joints[i], s);)
    } else {
        NSCI_IF(NSCI_SPRINGS, nsci_load_spring_slot(&w->springs[i], s);)
    }
    if (s->generation % 2)
        *ends[things] = i + 1;
}

static void nsci_tape_slots(nsci_tape *t, int things)
{
    int i;
    int n = nsci_tape_count(t, nsci_slots_used(t->from, things), nsci_slots_used(NULL, things));
    t->table[things] = t->at;
    t->slots[things] = n;
    nsci_tape_demand(t, n > 0 || things != NSCI_SLOTS_OF_BODIES);
    for (i = 0; i < n && t->code == NSC_OK; i++) {
        nsci_slot s = nsci_make_slot(0, 0, 0, 0);
        if (t->from)
            s = nsci_slot_of(t->from, things, i);
        nsci_tape_slot(t, &s);
        if (t->mode == NSCI_READ)
            nsci_check_slot(t, things, i, &s);
        if (t->to && t->code == NSC_OK)
            nsci_load_slot(t->to, things, i, &s);
    }
}

/* Slot of a handle, as nsci_find; an empty one if it is stale */
static nsci_slot nsci_slot_named(const nsci_tape *t, int things, nsc_id id)
{
    int i = (int)(id & 16383);
    nsci_slot s = nsci_slot_at(t, things, id < 0 ? -1 : i);
    int32_t upper = (int32_t)(things + 1) << 29 | (int32_t)t->tag << 25 |
                    (int32_t)(s.generation / 2 % 2048) << 14;
    int ground = things == NSCI_SLOTS_OF_BODIES && i == 0;
    if (s.generation % 2 == 0 || id != (ground ? NSC_GROUND : (upper | (int32_t)i)))
        s.generation = 0;
    return s;
}

static void nsci_demand_live(nsci_tape *t, int things, nsc_id id)
{
    nsci_tape_demand(t, nsci_slot_named(t, things, id).generation % 2);
}

/* Two different bodies */
static void nsci_demand_bodies(nsci_tape *t, nsc_id a, nsc_id b)
{
    nsci_demand_live(t, NSCI_SLOTS_OF_BODIES, a);
    nsci_demand_live(t, NSCI_SLOTS_OF_BODIES, b);
    nsci_tape_demand(t, a != b);
}

/* ---- bodies and shapes */

static const nsci_members nsci_body_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_body, position, orientation, NSCI_POSE),
    NSCI_MEMBERS(nsc_body, velocity, centre, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_body, mass, gravity_scale, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_body, still, NSCI_FROM_ZERO),
    NSCI_IF(NSCI_SENSING, NSCI_MEMBERS(nsc_body, acceleration, angular_acceleration,
                                       NSCI_VECTOR + NSCI_NOT_HASHED),)
    NSCI_UNLESS(NSCI_SENSING, NSCI_LACK(NSCI_ABSENT + NSCI_NOT_HASHED, 6),)
    NSCI_MEMBER(nsc_body, mass_given, NSCI_FLAG),
    NSCI_MEMBER(nsc_body, asleep, NSCI_FLAG),
    NSCI_MEMBER(nsc_body, particle, NSCI_FLAG),
    NSCI_IF(NSCI_STEPPERS, NSCI_MEMBERS(nsc_body, rate, mean_rate, NSCI_ANY_REAL))
    NSCI_UNLESS(NSCI_STEPPERS, NSCI_LACK(NSCI_ABSENT, 12))};

static int nsci_same_reals(const nsc_real *x, const nsc_real *y, int n)
{
    int i, same = 1;
    for (i = 0; i < n; i++)
        same &= x[i] >= y[i] && x[i] <= y[i];
    return same;
}

/* Inverses are stored bit by bit, and must equal those that this build computes. */
static int nsci_check_body_mass(const nsc_body *b)
{
    nsc_real inv_mass = 0, inverse[6] = {0};
    if (b->mass < 0 || (b->kind != NSC_DYNAMIC_BODY && b->mass > 0 && !nsci_keeps_mass(b)))
        return 0;
    if (b->mass > 0)
        inv_mass = 1 / b->mass;
    if (b->particle) {
        const nsc_real *I = b->inertia;
        if (!(b->mass > 0) || !b->mass_given || nsci_dot(I, I, 6) > 0)
            return 0;
    } else if (b->mass > 0) {
        if (nsci_check_inertia(NULL, b->inertia) < 0 || !nsci_sym_inverse(b->inertia, inverse))
            return 0;
    }
    return nsci_same_reals(&inv_mass, &b->inv_mass, 1) &&
           nsci_same_reals(inverse, b->inv_inertia, 6);
}

static int nsci_check_body_image(const nsc_body *b)
{
    nsc_real speed = nsci_dot3(b->velocity, b->velocity);
    nsc_real spin = nsci_dot3(b->angular_velocity, b->angular_velocity);
    if (b->kind == NSC_STATIC_BODY && speed + spin > 0)
        return 0;
    return nsci_check_body_mass(b) && !(b->particle && spin > 0);
}

#ifndef NSC_EXTRAS
#define nsci_tape_body_extras(t, b) ((void)0)
#define nsci_tape_shape_extras(t, d) ((void)0)
#define nsci_tape_belt(t, c) ((void)0)
#else
static const nsci_members nsci_extras_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_body_extras, locks, NSCI_INT),
    NSCI_MEMBERS(nsc_body_extras, linear_damping, angular_damping, NSCI_FROM_ZERO),
    NSCI_MEMBER(nsc_body_extras, user, NSCI_WORD)};

/* Extras count in the hash only where they are used. */
static void nsci_tape_body_extras(nsci_tape *t, nsc_body *b)
{
    nsc_body_extras *e = &b->extras;
    if (t->mode == NSCI_HASH && e->locks == 0 && e->user == 0 &&
        !(e->linear_damping > 0 || e->angular_damping > 0))
        return;
    NSCI_WALK(t, nsci_extras_map, e);
    nsci_tape_demand(t, e->locks >= 0 && e->locks < 2 * NSCI_DISABLED);
    nsci_tape_demand(t, !(e->locks & NSCI_DISABLED) || b->kind == NSC_STATIC_BODY);
}

static void nsci_tape_shape_extras(nsci_tape *t, nsc_shape_def *d)
{
    nsc_vec3 v = d->surface_velocity;
    if (t->mode == NSCI_HASH && d->user == 0 && !(nsci_dot3(v, v) > 0))
        return;
    nsci_tape_vec(t, &d->surface_velocity);
    nsci_tape_32(t, &d->user);
}

static void nsci_tape_belt(nsci_tape *t, nsc_contact *c)
{
    nsc_vec3 v = c->surface_velocity;
    if (t->mode != NSCI_HASH || nsci_dot3(v, v) > 0)
        nsci_tape_vec(t, &c->surface_velocity);
}
#endif

NSCI_OWN_FRAME void nsci_tape_body(nsci_tape *t, int i, const nsci_slot *s)
{
    nsc_body b;
    nsci_tape_begin(t, &b, NSCI_PLACE(bodies, i), sizeof b);
    b.generation = s->generation;
    b.kind = s->kind;
    NSCI_WALK(t, nsci_body_map, &b);
    nsci_tape_body_extras(t, &b);
    if (t->mode == NSCI_READ)
        nsci_tape_demand(t, nsci_check_body_image(&b));
    nsci_tape_end(t);
}

/* Hulls and height fields are walked member by member: a copy may overflow a small stack. */
#if NSC_MAX_HULLS == 0
#define nsci_tape_hull(t, slot) ((void)0)
#else
static void nsci_tape_vecs(nsci_tape *t, size_t place, int n, int unit)
{
    nsc_vec3 v;
    for (; n > 0; n--, place += sizeof v) {
        nsci_tape_alone(t, NSCI_VECTOR, &v, place, sizeof v);
        nsci_tape_demand(t, !unit || nsci_abs(nsci_dot3(v, v) - 1) < NSC_R(1e-3));
    }
}

/* Walk where faces begin in corner, from 0 and at least three corners each, then the corners. */
static void nsci_tape_faces(nsci_tape *t, size_t hull, int faces, int vertices)
{
    size_t first = hull + offsetof(nsc_hull, first);
    size_t corner = hull + offsetof(nsc_hull, corner);
    int i, before = 0;
    uint8_t x;
    for (i = 0; i <= faces; i++) {
        nsci_tape_alone(t, NSCI_BYTE, &x, first + (size_t)i, 1);
        nsci_tape_demand(t, i == 0 ? x == 0 : x >= before + 3);
        nsci_tape_fit(t, x, NSC_HULL_CORNERS);
        before = x;
    }
    for (i = 0; t->code == NSC_OK && i < before; i++) {
        nsci_tape_alone(t, NSCI_BYTE, &x, corner + (size_t)i, 1);
        nsci_tape_demand(t, x < vertices);
    }
}

NSCI_OWN_FRAME void nsci_tape_hull(nsci_tape *t, int slot)
{
    const nsc_hull *from = t->from ? &t->from->hulls[slot] : NULL;
    nsc_hull *to = t->to ? &t->to->hulls[slot] : NULL;
    size_t hull = NSCI_PLACE(hulls, slot);
    nsc_real size[7] = {0}; /* volume, inertia */
    int vertices = nsci_tape_count(t, from ? from->vertices : 0, NSC_HULL_VERTICES);
    int faces = nsci_tape_count(t, from ? from->faces : 0, NSC_HULL_FACES);
    nsci_tape_demand(t, vertices >= 4 && faces >= 4);
    nsci_tape_faces(t, hull, faces, vertices);
    nsci_tape_vecs(t, hull + offsetof(nsc_hull, vertex), vertices, 0);
    nsci_tape_vecs(t, hull + offsetof(nsc_hull, normal), faces, 1);
    nsci_tape_vecs(t, hull + offsetof(nsc_hull, centroid), 1, 0);
    if (from) {
        size[0] = from->volume;
        NSC_MEMCPY(size + 1, from->inertia, sizeof from->inertia);
    }
    nsci_tape_reals(t, size, 7);
    nsci_tape_demand(t, size[0] > 0);
    if (!to)
        return;
    to->used = 1;
    to->vertices = (uint8_t)vertices;
    to->faces = (uint8_t)faces;
    to->volume = size[0];
    NSC_MEMCPY(to->inertia, size + 1, sizeof to->inertia);
}
#endif

#if NSC_MAX_FIELDS == 0
#define nsci_tape_field(t, slot) ((void)0)
#else
NSCI_OWN_FRAME void nsci_tape_field(nsci_tape *t, int slot)
{
    const nsc_field *from = t->from ? &t->from->fields[slot] : NULL;
    nsc_field *to = t->to ? &t->to->fields[slot] : NULL;
    size_t place = NSCI_PLACE(fields, slot) + offsetof(nsc_field, height);
    int nx = nsci_tape_count(t, from ? from->nx : 0, NSC_FIELD_SAMPLES / 2);
    int ny = nsci_tape_count(t, from ? from->ny : 0, NSC_FIELD_SAMPLES / 2);
    int i;
    nsc_real m[4], height; /* m: dx, dy, low, high, which lie before height */
    nsci_tape_alone(t, NSCI_ANY_REAL, m, place - sizeof m, sizeof m);
    nsci_tape_demand(t, nx >= 2 && ny >= 2 && nsci_is_cell(m[0], m[1]) && m[2] <= m[3]);
    nsci_tape_fit(t, ny, NSC_FIELD_SAMPLES / (nx > 0 ? nx : 1));
    for (i = 0; t->code == NSC_OK && i < nx * ny; i++, place += sizeof height) {
        nsci_tape_alone(t, NSCI_ANY_REAL, &height, place, sizeof height);
        nsci_tape_demand(t, height >= m[2] && height <= m[3]);
    }
    if (!to)
        return;
    to->used = 1;
    to->nx = (uint16_t)nx;
    to->ny = (uint16_t)ny;
}
#endif

/* A mesh, const hull or const field is stored as its index in the program's table, and hashed as
   `word`.  Refuse one that is not among the `count` of the world to be loaded. */
static NSC_MAYBE_UNUSED void nsci_tape_index(nsci_tape *t, int word, int index, int count,
                                             int reason)
{
    uint16_t hashed = (uint16_t)word;
    if (t->mode == NSCI_HASH)
        nsci_tape_16(t, &hashed);
    if (t->mode == NSCI_READ && t->code == NSC_OK && index >= count)
        nsci_tape_check(t, nsci_refused(&t->note, NSC_ERR_ARGUMENT, reason, (nsc_real)index));
}

/* Walk a shape's hull or height field.  Load it into its old slot if that exists and is free, else
   into a free one.  Returns the slot. */
static int nsci_tape_data(nsci_tape *t, int kind, int slot)
{
    int hull = kind == NSC_SHAPE_HULL;
    int *count = hull ? &t->hulls : &t->fields;
    int room = hull ? NSC_MAX_HULLS : NSC_MAX_FIELDS;
    if (NSC_MESHES && kind == NSC_SHAPE_MESH) {
        NSCI_IF(NSCI_MESHES, nsci_tape_index(t, slot, slot, t->mesh_count, NSCI_NO_MESH);)
        return slot;
    }
    if (!hull && kind != NSC_SHAPE_HEIGHT_FIELD)
        return 0;
    if (!NSCI_OWN(slot, NSCI_CONST_BIT)) {
        NSCI_IF(NSCI_TABLES, nsci_tape_index(t, slot, slot - NSCI_CONST_BIT,
                                             hull ? t->tables.hull_count : t->tables.field_count,
                                             hull ? NSCI_NO_HULL : NSCI_NO_HEIGHTS);)
        return slot;
    }
    if (t->to && (slot >= room || nsci_slot_taken(t->to, kind, slot)))
        slot = nsci_free_data(t->to, kind, room);
    nsci_tape_fit(t, t->to ? slot : (*count)++, room - 1);
    if (t->code < 0)
        return 0;
    if (hull)
        nsci_tape_hull(t, slot);
    else
        nsci_tape_field(t, slot);
    return slot;
}

static const nsci_members nsci_shape_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_shape_def, sensor, NSCI_INT),
    NSCI_MEMBERS(nsc_shape_def, category, mask, NSCI_WORD),
    NSCI_MEMBER(nsc_shape_def, pose, NSCI_POSE),
    NSCI_MEMBER(nsc_shape_def, half, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_shape_def, radius, cohesion, NSCI_ANY_REAL)};

NSCI_OWN_FRAME void nsci_tape_shape(nsci_tape *t, int i, const nsci_slot *slot)
{
    nsc_shape s;
    int data;
    nsci_tape_begin(t, &s, NSCI_PLACE(shapes, i), sizeof s);
    s.generation = slot->generation;
    s.body = (uint16_t)slot->body;
    s.def.kind = slot->kind;
    NSCI_WALK(t, nsci_shape_map, &s.def);
    nsci_tape_shape_extras(t, &s.def);
    if (t->mode == NSCI_READ)
        nsci_tape_check(t, nsci_check_shape_def(&t->note, &s.def));
    if (t->mode != NSCI_HASH)
        nsci_tape_16(t, &s.data);
    nsci_tape_end(t);
    data = nsci_tape_data(t, s.def.kind, s.data);
    if (t->to)
        t->to->shapes[i].data = (uint16_t)data;
}

/* ---- joints */

#if NSC_MAX_JOINTS > 0
static int nsci_turns_or_slides(nsci_slot joint)
{
    int kind = joint.generation % 2 ? joint.kind : 0;
    return kind == NSC_JOINT_HINGE || kind == NSC_JOINT_SLIDER;
}

/* A gear joins two hinges or sliders on one base, or on static ones, and acts between the bodies
   they drive. */
static void nsci_check_gear_image(nsci_tape *t, const nsc_joint_def *d)
{
    nsci_slot a = nsci_slot_named(t, NSCI_SLOTS_OF_JOINTS, d->joint_a);
    nsci_slot b = nsci_slot_named(t, NSCI_SLOTS_OF_JOINTS, d->joint_b);
    nsci_slot base_a = nsci_slot_named(t, NSCI_SLOTS_OF_BODIES, a.body);
    nsci_slot base_b = nsci_slot_named(t, NSCI_SLOTS_OF_BODIES, b.body);
    nsci_tape_demand(t, nsci_turns_or_slides(a) && nsci_turns_or_slides(b));
    nsci_tape_demand(t, d->body_a == a.other && d->body_b == b.other);
    nsci_tape_demand(t, a.body == b.body ||
                            (base_a.kind == NSC_STATIC_BODY && base_b.kind == NSC_STATIC_BODY));
    nsci_tape_demand(t, nsci_abs(d->ratio) >= NSC_R(1e-6) && nsci_abs(d->ratio) <= NSC_R(1e6));
}

/* Check a joint's ends and axes, and that its blocks fit. */
static void nsci_check_joint_image(nsci_tape *t, const nsc_joint_def *d)
{
    int i, gear = d->kind == NSC_JOINT_GEAR;
    nsci_demand_bodies(t, d->body_a, d->body_b);
    if (gear)
        nsci_check_gear_image(t, d);
    nsci_tape_demand(t, d->collide == 0 || d->collide == 1);
    for (i = 0; i < 3; i++)
        if (nsci_axis(d->kind, i) != 0 || (i == 0 && gear))
            nsci_tape_check(t, nsci_check_axis(&t->note, &d->axis[i]));
    t->blocks += nsci_joint_blocks(d);
    nsci_tape_fit(t, t->blocks, NSC_MAX_JOINT_BLOCKS);
}

static const nsci_members nsci_axis_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_axis_def, limited, drive, NSCI_INT),
    NSCI_MEMBERS(nsc_axis_def, lower, damping, NSCI_ANY_BITS),
    NSCI_MEMBER(nsc_axis_def, max_force, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_axis_def, friction, spring_rest, NSCI_ANY_BITS)};
/* Members that version 0.2 added, hashed only where used: other axes keep their hash. */
static const nsci_members nsci_new_axis_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_axis_def, force, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_axis_def, max_speed, armature, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_axis_def, limit_stiffness, limit_damping, NSCI_ANY_BITS)};

static void nsci_tape_axis(nsci_tape *t, nsc_axis_def *a)
{
    int extended = nsci_abs(a->force) > 0 || a->max_speed > 0 || a->armature > 0 ||
                   a->limit_stiffness > 0 || a->limit_damping > 0;
    NSCI_WALK(t, nsci_axis_map, a);
    if (extended || t->mode != NSCI_HASH)
        NSCI_WALK(t, nsci_new_axis_map, a);
}

static const nsci_members nsci_gear_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_joint_def, joint_a, joint_b, NSCI_WORD),
    NSCI_MEMBER(nsc_joint_def, ratio, NSCI_ANY_BITS)};
static const nsci_members nsci_frames_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_joint_def, frame_a, frame_b, NSCI_POSE)};

/* Members that the kind does not use may hold anything: no step reads them, none is hashed. */
static void nsci_tape_joint_def(nsci_tape *t, nsc_joint_def *d)
{
    int i;
    int all = t->mode != NSCI_HASH;
    int gear = d->kind == NSC_JOINT_GEAR;
    nsci_tape_int(t, &d->collide);
    if (all || gear)
        NSCI_WALK(t, nsci_gear_map, d);
    NSCI_WALK(t, nsci_frames_map, d);
    for (i = 0; i < 3; i++)
        if (all || nsci_axis(d->kind, i) != 0 || (i == 0 && gear && d->axis[0].spring > 0))
            nsci_tape_axis(t, &d->axis[i]);
}

static const nsci_members nsci_joint_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_joint, turns, NSCI_WORD),
    NSCI_MEMBERS(nsc_joint, offset, impulse, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_joint, force_impulse, torque_impulse, NSCI_VECTOR + NSCI_NOT_HASHED)};

NSCI_OWN_FRAME void nsci_tape_joint(nsci_tape *t, int i, const nsci_slot *s)
{
    nsc_joint j;
    nsci_tape_begin(t, &j, NSCI_PLACE(joints, i), sizeof j);
    nsci_load_joint_slot(&j, s);
    nsci_tape_joint_def(t, &j.def);
    NSCI_WALK(t, nsci_joint_map, &j);
    if (t->mode == NSCI_READ)
        nsci_check_joint_image(t, &j.def);
    nsci_tape_end(t);
}
#else
#define nsci_tape_joint(t, i, s) ((void)0)
#endif

#if NSC_MAX_SPRINGS > 0
static const nsci_members nsci_spring_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_spring, def.point_a, def.point_b, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_spring, def.rest, def.damping, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_spring, impulse, NSCI_VECTOR)};

NSCI_OWN_FRAME void nsci_tape_spring(nsci_tape *t, int i, const nsci_slot *s)
{
    nsc_spring p;
    nsci_tape_begin(t, &p, NSCI_PLACE(springs, i), sizeof p);
    nsci_load_spring_slot(&p, s);
    NSCI_WALK(t, nsci_spring_map, &p);
    if (t->mode == NSCI_READ) {
        nsci_demand_bodies(t, s->body, s->other);
        nsci_tape_check(t, nsci_check_spring_law(&t->note, &p.def));
    }
    nsci_tape_end(t);
}
#else
#define nsci_tape_spring(t, i, s) ((void)0)
#endif

/* ---- contacts and events */

/* A build without rolling friction or smooth contact refuses coefficients > 0 of them. */
#define NSCI_ROLLING_MEMBERS \
    NSCI_IF(NSCI_ROLLING, NSCI_MEMBERS(nsc_contact, rolling, torsion, NSCI_FROM_ZERO), \
            NSCI_MEMBER(nsc_contact, moment, NSCI_VECTOR),) \
    NSCI_UNLESS(NSCI_ROLLING, NSCI_LACK(NSCI_REFUSED, 2), NSCI_LACK(NSCI_ABSENT, 3),)
static const nsci_members nsci_contact_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_contact, body_a, feature, NSCI_WORD),
    NSCI_MEMBER(nsc_contact, sensor, NSCI_BYTE),
    NSCI_MEMBER(nsc_contact, touching, NSCI_BYTE),
    NSCI_MEMBER(nsc_contact, matched, NSCI_BYTE + NSCI_NOT_HASHED),
    NSCI_MEMBER(nsc_contact, approach, NSCI_ANY_REAL + NSCI_NOT_HASHED),
    NSCI_MEMBERS(nsc_contact, point, normal, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_contact, gap, damping, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_contact, impulse, NSCI_VECTOR),
    NSCI_ROLLING_MEMBERS
    NSCI_IF(NSCI_SMOOTH, NSCI_MEMBERS(nsc_contact, hertz, cohesion, NSCI_FROM_ZERO),
            NSCI_MEMBER(nsc_contact, impact, NSCI_FROM_ZERO),
            NSCI_MEMBER(nsc_contact, shear, NSCI_VECTOR),
            NSCI_IF(NSCI_ROLLING, NSCI_MEMBER(nsc_contact, twist, NSCI_VECTOR))
            NSCI_UNLESS(NSCI_ROLLING, NSCI_LACK(NSCI_ABSENT, 3)))
    NSCI_UNLESS(NSCI_SMOOTH, NSCI_LACK(NSCI_REFUSED, 1), NSCI_LACK(NSCI_ABSENT, 1),
                NSCI_LACK(NSCI_REFUSED, 1), NSCI_LACK(NSCI_ABSENT, 7))};

static int nsci_is_unit(nsc_vec3 v) { return nsci_abs(nsci_dot3(v, v) - 1) <= NSC_R(1e-3); }

/* Demand a shape of that body: contacts are deleted with their shapes. */
static void nsci_demand_shape(nsci_tape *t, nsc_id shape, nsc_id body)
{
    nsci_slot s = nsci_slot_named(t, NSCI_SLOTS_OF_SHAPES, shape);
    nsci_tape_demand(t, s.generation % 2 && s.body == (body & 16383));
}

static void nsci_check_contact_image(nsci_tape *t, const nsc_contact *c)
{
    nsci_tape_check(t, nsci_check_members(NULL, c, NSCI_nsc_contact_friction,
                                          NSCI_nsc_contact_damping));
    nsci_tape_demand(t, nsci_is_unit(c->normal));
    nsci_tape_demand(t, (c->matched | c->sensor | c->touching) <= 1);
    nsci_demand_bodies(t, c->body_a, c->body_b);
    if (c->shape_a < 0 && c->shape_b < 0)
        return;
    nsci_demand_shape(t, c->shape_a, c->body_a);
    nsci_demand_shape(t, c->shape_b, c->body_b);
}

/* Walk a pair's manifold with the first of its contacts.  A build without room has refused it. */
#if NSC_MAX_MANIFOLDS == 0
#define nsci_tape_manifold(t, place) ((void)(place))
#else
static const nsci_members nsci_manifold_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsci_manifold, count, side, NSCI_BYTE),
    NSCI_MEMBER(nsci_manifold, normal, NSCI_VECTOR),
    NSCI_MEMBER(nsci_manifold, reach, NSCI_ANY_REAL),
    NSCI_MEMBER(nsci_manifold, limit, NSCI_FROM_ZERO)};

static void nsci_tape_manifold(nsci_tape *t, int place)
{
    nsci_manifold m;
    int i;
    if (place < 0 || t->code < 0)
        return;
    nsci_tape_begin(t, &m, NSCI_PLACE(manifolds, place), sizeof m);
    NSCI_WALK(t, nsci_manifold_map, &m);
    nsci_tape_demand(t, m.count >= 3 && m.count <= NSC_MANIFOLD && m.side <= 1);
    nsci_tape_demand(t, nsci_is_unit(m.normal));
    for (i = 0; i < m.count && t->code == NSC_OK; i++) {
        nsci_tape_32(t, &m.feature[i]);
        nsci_tape_vec(t, &m.on_a[i]);
        nsci_tape_vec(t, &m.on_b[i]);
        nsci_tape_reals(t, &m.gap[i], 1);
    }
    nsci_tape_end(t);
    if (t->to && t->to->manifold_end <= place)
        t->to->manifold_end = place + 1;
}
#endif

/* *before: manifold (plus 1) of the last contact, then of this one */
NSCI_OWN_FRAME void nsci_tape_contact(nsci_tape *t, int i, uint16_t *before)
{
    uint16_t place;
    nsc_contact c;
    nsci_tape_begin(t, &c, NSCI_PLACE(contacts, i), sizeof c);
    NSCI_WALK(t, nsci_contact_map, &c);
    nsci_tape_belt(t, &c);
    if (t->mode == NSCI_READ)
        nsci_check_contact_image(t, &c);
    place = c.manifold;
    if (t->mode != NSCI_HASH)
        nsci_tape_16(t, &place);
    t->manifolds += place > 0 && place != *before;
    nsci_tape_fit(t, t->manifolds, NSC_MAX_MANIFOLDS);
    nsci_tape_demand(t, place == 0 || c.shape_a >= 0);
    if (place > t->last_manifold)
        t->last_manifold = place;
    c.manifold = (nsci_kept_at)place;
    /* Indices too high for this build: number the manifolds consecutively. */
    if (t->last_manifold > NSC_MAX_MANIFOLDS && place > 0)
        c.manifold = (nsci_kept_at)t->manifolds;
    nsci_tape_end(t);
    if (place != *before)
        nsci_tape_manifold(t, c.manifold - 1);
    *before = place;
}

/* Handles in events may be stale. */
#if NSC_MAX_EVENTS == 0
#define nsci_tape_event(t, i) ((void)0)
#else
static void nsci_tape_event(nsci_tape *t, int i)
{
    static const nsci_members map[] NSCI_IN_FLASH = {
        NSCI_MEMBERS(nsc_event, shape_a, kind, NSCI_WORD)};
    nsc_event e;
    nsci_tape_begin(t, &e, NSCI_PLACE(events, i), sizeof e);
    NSCI_WALK(t, map, &e);
    nsci_tape_demand(t, e.kind == NSC_TOUCH_BEGIN || e.kind == NSC_TOUCH_END);
    nsci_tape_end(t);
}
#endif

/* ---- the whole */

static void nsci_tape_start(nsci_tape *t, int mode, const nsc_world *from)
{
    NSC_MEMSET(t, 0, sizeof *t);
    t->mode = mode;
    t->from = from;
    t->hash = UINT32_C(2166136261);
}

/* Walk the objects in the slots in use. */
static void nsci_tape_things(nsci_tape *t, int things)
{
    int i;
    for (i = 0; i < t->slots[things] && t->code == NSC_OK; i++) {
        nsci_slot s = nsci_slot_at(t, things, i);
        if (s.generation % 2 == 0)
            continue;
        if (things == NSCI_SLOTS_OF_BODIES)
            nsci_tape_body(t, i, &s);
        else if (things == NSCI_SLOTS_OF_SHAPES)
            nsci_tape_shape(t, i, &s);
        else if (things == NSCI_SLOTS_OF_JOINTS)
            nsci_tape_joint(t, i, &s);
        else
            nsci_tape_spring(t, i, &s);
    }
}

/* Report, events and step count describe the past: no result depends on them, so they are not
   hashed. */
static void nsci_tape_world(nsci_tape *t)
{
    uint16_t before = 0;
    int i, n, things;
    nsci_tape_def(t);
    nsci_tape_clock(t);
    if (t->mode != NSCI_HASH)
        nsci_tape_report(t);
    for (things = 0; things < 4; things++)
        nsci_tape_slots(t, things);
    for (things = 0; things < 4; things++)
        nsci_tape_things(t, things);
    n = nsci_tape_count(t, t->from ? t->from->contact_count : 0, NSC_MAX_CONTACTS);
    if (t->to)
        t->to->contact_count = n;
    for (i = 0; i < n && t->code == NSC_OK; i++)
        nsci_tape_contact(t, i, &before);
    if (t->mode == NSCI_HASH)
        return;
    n = nsci_tape_count(t, t->from ? t->from->event_count : 0, NSC_MAX_EVENTS);
    if (t->to)
        t->to->event_count = n;
    for (i = 0; i < n && t->code == NSC_OK; i++)
        nsci_tape_event(t, i);
}

/* CRC-32 (IEEE 802.3) of an image, but for the four bytes that store it.  Of each word the eight
   digits of four bits are looked up at once; table[k]: contributions of digit k, the lowest
   first. */
NSCI_OWN_FRAME uint32_t nsci_image_crc(const unsigned char *image, uint32_t length)
{
    uint32_t table[8][16], crc = ~UINT32_C(0), i, k, sum;
    for (i = 0; i < 16; i++)
        for (k = 32, sum = i; k-- > 0;) {
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
            table[k / 4][i] = sum;
        }
    for (i = 0; length - i >= 4; i += i + 4 == NSCI_IMAGE_CRC ? 8 : 4) {
        crc ^= nsci_get_word(image + i);
        sum = table[0][crc & 15] ^ table[1][crc >> 4 & 15];
        sum ^= table[2][crc >> 8 & 15] ^ table[3][crc >> 12 & 15];
        sum ^= table[4][crc >> 16 & 15] ^ table[5][crc >> 20 & 15];
        crc = sum ^ table[6][crc >> 24 & 15] ^ table[7][crc >> 28];
    }
    for (; i < length; i++) {
        crc ^= image[i];
        crc = crc >> 8 ^ table[6][crc & 15] ^ table[7][crc >> 4 & 15];
    }
    return ~crc;
}

/* Walk the header; when reading, check its members. */
static void nsci_tape_header(nsci_tape *t, uint32_t length)
{
    uint32_t magic = NSCI_IMAGE_MAGIC, crc = 0;
    uint16_t version = NSCI_IMAGE_VERSION;
    uint16_t real = (uint16_t)sizeof(nsc_real);
    nsci_tape_32(t, &magic);
    nsci_tape_16(t, &version);
    nsci_tape_16(t, &real);
    nsci_tape_32(t, &length);
    nsci_tape_32(t, &crc);
    nsci_tape_demand(t,
                     magic == NSCI_IMAGE_MAGIC && length >= NSCI_IMAGE_HEADER && length <= t->size);
    if (t->mode != NSCI_READ || t->code < 0)
        return;
    if (!t->to)
        nsci_tape_demand(t, crc == nsci_image_crc(t->in, length));
    if (version != NSCI_IMAGE_VERSION || real != sizeof(nsc_real))
        nsci_tape_refuse(t, NSC_ERR_CONFIG);
    t->size = length;
}

NSC_API int nsc_world_save_size(const nsc_world *w)
{
    nsci_tape t;
    if (!w)
        return NSC_ERR_ARGUMENT;
    nsci_tape_start(&t, NSCI_MEASURE, w);
    nsci_tape_header(&t, 0);
    nsci_tape_world(&t);
    return t.at <= NSCI_INT_MAX ? (int)t.at : NSC_ERR_CAPACITY;
}

NSC_API int nsc_world_save(const nsc_world *w, void *image, int size)
{
    nsci_tape t;
    int length = nsc_world_save_size(w);
    if (length < 0 || !w || !image)
        return length < 0 ? length : NSC_ERR_ARGUMENT;
    if (size < length)
        return NSC_ERR_CAPACITY;
    nsci_tape_start(&t, NSCI_WRITE, w);
    t.out = (unsigned char *)image;
    nsci_tape_header(&t, (uint32_t)length);
    nsci_tape_world(&t);
    nsci_put_word(t.out + NSCI_IMAGE_CRC, nsci_image_crc(t.out, (uint32_t)length));
    return length;
}

/* Walk a whole image: the first time to check it, then to load it into t->to. */
static void nsci_tape_image(nsci_tape *t, uint32_t size)
{
    t->at = 0;
    t->size = size;
    t->hulls = t->fields = t->blocks = t->manifolds = 0;
    nsci_tape_header(t, 0);
    nsci_tape_world(t);
    nsci_tape_demand(t, t->at == t->size);
}

/* The tables are no part of an image: they go to the tape, and back to the world. */
#define nsci_keep_tables(to, from) \
    NSCI_IF(NSCI_MESHES, (to)->meshes = (from)->meshes; (to)->mesh_count = (from)->mesh_count;) \
    NSCI_IF(NSCI_TABLES, (to)->tables = (from)->tables)

NSC_API int nsc_world_load(nsc_world *w, const void *image, int size)
{
    nsci_tape t;
    int code = nsci_enter_unmade(w);
    if (code < 0)
        return code;
    if (!image)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (size < 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_IMAGE, (nsc_real)size);
    nsci_tape_start(&t, NSCI_READ, NULL);
    t.in = (const unsigned char *)image;
    nsci_keep_tables(&t, w);
    nsci_tape_image(&t, (uint32_t)size);
    if (t.code == NSC_OK) {
        nsci_make_empty(w);
        t.to = w;
        nsci_tape_image(&t, (uint32_t)size);
        if (t.code < 0)
            nsci_make_empty(w); /* the image has changed since the first reading */
        nsci_keep_tables(w, &t);
    }
    if (t.code < 0)
        w->note = t.why;
    else
        NSC_MEMSET(w->island, 255, sizeof w->island); /* NSCI_NOWHERE */
    return t.code;
}

NSC_API uint32_t nsc_world_hash(const nsc_world *w)
{
    nsci_tape t;
    if (!w)
        return 0;
    nsci_tape_start(&t, NSCI_HASH, w);
    nsci_tape_world(&t);
    return t.hash;
}
#endif /* NSC_NO_ARCHIVE */

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
    (sizeof(nsc_real) == sizeof(float) ? UINT32_C(0xc4c099dc) : UINT32_C(0x03a42aa6))

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
