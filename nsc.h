/* nsc.h - v0.1.0 - rigid bodies with hard contact and friction, in fixed memory
   MIT licence at the end of the file.  Needs nsc_solvers.h beside it, and libc's sqrt, memcpy, memset.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc.h"
   Everywhere else include it without the define.  Build with -ffp-contract=off.

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
       nsc_world_add_shape(&world, box, &shape);                  1000 kg/m^3 unless you say

       for (;;) nsc_world_step(&world, 1 / 240.0f);               negative: an error code

   WHAT IT DOES
   Bodies (static, kinematic, dynamic) carry shapes (sphere, box, capsule, half-space).  Each step
   finds contacts, or takes yours, and solves velocities and impulses together: non-smooth time
   stepping after Moreau and Anitescu, one complementarity problem a step, given to a solver of
   nsc_solvers.h.  Hard contact: no springs to tune, no creep at rest.

   CONVENTIONS
       units       SI throughout; nothing depends on it but the defaults
       frames      right-handed; world frame unless a comment says body frame
       rotation    unit quaternion {w, x, y, z}, turns body frame into world frame
       velocity    linear: of the centre of mass; angular: rad/s; both in the world frame
       contact     normal from a to b; gap > 0 is separation; impulse is what b receives
       inertia     xx yy zz xy xz yz (xy is the matrix entry, usually negative of a product), about
                   the centre of mass, in the body frame

   MEMORY  sizeof(nsc_world) and nothing else, about
       NSC_MAX_BODIES (240) + NSC_MAX_SHAPES (100) + NSC_MAX_CONTACTS (600) + 4 NSC_ARENA   bytes
   in float; the README has a table.  The world holds no pointer: memcpy it and you have a snapshot;
   a restored world goes on with the same bits.  No function uses more than 1 KiB of stack.

   ERRORS  Functions return 0 or a handle >= 0, or a negative code (nsc_error_text), and then have
   changed nothing.  Your input is checked, never asserted.  Contacts beyond capacity: the deepest are
   kept and the report counts the rest.  A step that meets a NaN leaves the world as it was.

   CONFIG  (define before the include, alike in every file; * changes struct layout)
       NSC_MAX_BODIES *    16    bodies, the ground included
       NSC_MAX_SHAPES *    NSC_MAX_BODIES
       NSC_MAX_CONTACTS *  64    contact points, at most 4 for each pair of shapes
       NSC_ARENA *         reals of solver scratch; default: what APGD needs at capacity; 0 is enough
                           for SIPGS
       and those of nsc_solvers.h: NSC_DOUBLE *, NSC_STATIC, NSC_SQRT, NSC_CONFIG_H, ...

   LIMITS  A half-space carries no dynamic body.  A handle's slot may be used 2047 times before a stale
   handle can be mistaken for a fresh one.  Shapes on one body do not collide with each other.  Thin
   things hit fast do not tunnel, but what spins fast may.

   CONTENTS  (search for >>name)
       >>config  >>types  >>defs  >>state  >>api
       implementation: >>math  >>bodies  >>shapes  >>broad  >>narrow  >>contacts  >>step  >>query
       >>licence
*/
#ifndef NSC_NONSMOOTH_CONTACT_H
#define NSC_NONSMOOTH_CONTACT_H

#include "nsc_solvers.h"
#include <stddef.h>
#include <stdint.h>

/* ---- >>config -------------------------------------------------------------------------------- */

#ifndef NSC_MAX_BODIES
#define NSC_MAX_BODIES 16
#endif
#ifndef NSC_MAX_SHAPES
#define NSC_MAX_SHAPES NSC_MAX_BODIES
#endif
#ifndef NSC_MAX_CONTACTS
#define NSC_MAX_CONTACTS 64
#endif
#ifndef NSC_ARENA
#define NSC_ARENA NSC_ARENA_APGD(3 * NSC_MAX_CONTACTS)
#endif

typedef char nsci_check_bodies[NSC_MAX_BODIES >= 1 && NSC_MAX_BODIES <= 16383 ? 1 : -1];
typedef char nsci_check_shapes[NSC_MAX_SHAPES >= 1 && NSC_MAX_SHAPES <= 16383 ? 1 : -1];
typedef char nsci_check_contacts[NSC_MAX_CONTACTS >= 1 && NSC_MAX_CONTACTS <= 10000 ? 1 : -1];

#ifdef __cplusplus
extern "C" {
#endif

/* ---- >>types --------------------------------------------------------------------------------- */

typedef struct nsc_vec3 { nsc_real x, y, z; } nsc_vec3;
typedef struct nsc_quat { nsc_real w, x, y, z; } nsc_quat; /* unit length */
typedef struct nsc_pose {
    nsc_vec3 position;    /* [m] */
    nsc_quat orientation; /* turns the inner frame into the outer one */
} nsc_pose;

/* Handle of a body or shape, >= 0; it goes stale when the thing is removed.  Negative: error code. */
typedef int32_t nsc_id;
#define NSC_GROUND ((nsc_id)0) /* the immovable body every world has; its frame is the world's */

enum { NSC_STATIC_BODY = 1, NSC_KINEMATIC_BODY = 2, NSC_DYNAMIC_BODY = 3 };
enum { NSC_SPHERE = 1, NSC_CAPSULE = 2, NSC_BOX = 3, NSC_HALF_SPACE = 4 };

/* ---- >>defs ----------------------------------------------------------------------------------
   Take the default, change what you must.  An unfilled definition is refused. */

typedef struct nsc_world_def {
    nsc_vec3 gravity;            /* [m/s^2]; default (0, 0, -9.81)                                */
    nsc_real margin;             /* contacts exist from this gap on [m], >= 0; they act only when the
                                    gap would close within the step; default 0.01                 */
    nsc_real recovery;           /* share of a penetration undone in one step, 0..1; default 0.2  */
    nsc_real recovery_speed;     /* but never faster than this [m/s], >= 0; default 0.6           */
    nsc_real bounce_speed;       /* restitution acts above this approach speed [m/s]; default 0.2 */
    nsc_real match_distance;     /* impulses are carried over to a contact without its feature of the
                                    last step if it was this near [m]; default 0.02               */
    nsc_settings solver;         /* see nsc_solvers.h                                             */
    int tag;                     /* 0..15; worlds with different tags refuse each other's handles */
} nsc_world_def;

typedef struct nsc_body_def {
    int kind;                    /* NSC_*_BODY; default dynamic                                   */
    nsc_pose pose;               /* of the body's frame in the world; default origin, no turn     */
    nsc_vec3 velocity;           /* of the centre of mass [m/s]                                   */
    nsc_vec3 angular_velocity;   /* [rad/s]                                                       */
    nsc_real gravity_scale;      /* default 1                                                     */
    nsc_real mass;               /* [kg]; 0: mass, centre, inertia follow from the shapes' densities
                                    each time a shape is added or removed; default 0              */
    nsc_vec3 centre;             /* of mass, body frame [m]; with mass > 0 only                   */
    nsc_real inertia[6];         /* [kg m^2] xx yy zz xy xz yz about the centre; with mass > 0 only:
                                    positive definite, and no principal moment above the sum of the
                                    other two                                                     */
} nsc_body_def;

typedef struct nsc_shape_def {
    int kind;                    /* NSC_SPHERE ... NSC_HALF_SPACE                                 */
    nsc_pose pose;               /* of the shape in its body's frame                              */
    nsc_vec3 half;               /* box: half edges [m]; capsule: half.z, half its core segment   */
    nsc_real radius;             /* sphere, capsule [m]; capsule axis is z; half-space: solid is z <= 0 */
    nsc_real density;            /* [kg/m^3], >= 0; default 1000                                  */
    nsc_real friction;           /* >= 0; of two shapes: geometric mean; default 0.5              */
    nsc_real restitution;        /* 0..1; of two shapes: the larger; default 0                    */
    nsc_real stiffness;          /* contact stiffness [N/m], >= 0; two shapes are springs in series;
                                    0: rigid; default 0                                           */
    nsc_real damping;            /* [N s/m], >= 0; with stiffness > 0 only; default 0             */
} nsc_shape_def;

/* One contact point.  The upper part is what nsc_world_add_contact wants from you; the lower part is
   what the step found out. */
typedef struct nsc_contact {
    nsc_id body_a, body_b;
    nsc_id shape_a, shape_b;     /* negative for contacts of your own                             */
    uint32_t feature;            /* which corner, edge, ...: equal from step to step; warm start  */
    nsc_vec3 point;              /* midway between the surfaces, world [m]                        */
    nsc_vec3 normal;             /* unit, from a to b, world                                      */
    nsc_real gap;                /* > 0 separation, < 0 penetration [m]                           */
    nsc_real friction;           /* >= 0                                                          */
    nsc_real restitution;        /* 0..1                                                          */
    nsc_real stiffness;          /* [N/m]; 0: rigid                                               */
    nsc_real damping;            /* [N s/m]                                                       */

    nsc_vec3 impulse;            /* on b (-impulse on a) in this step, world [N s]                */
    nsc_real approach;           /* normal velocity before the step [m/s]; < 0: approaching       */
} nsc_contact;

/* What one step did. */
typedef struct nsc_step_report {
    nsc_report solver;           /* status, iterations, residual [m/s], eta, ...                  */
    int pairs;                   /* pairs of shapes the broad phase handed on                     */
    int contacts;                /* contact points solved                                         */
    int matched;                 /* of these, started from their impulse of the last step         */
    int dropped;                 /* contact points there was no room for                          */
    uint32_t dropped_ever;       /* the same, summed since nsc_world_init                         */
    nsc_real penetration;        /* the deepest, before the step [m], >= 0                        */
} nsc_step_report;

NSC_API nsc_world_def nsc_default_world_def(void);
NSC_API nsc_body_def nsc_default_body_def(void);
NSC_API nsc_shape_def nsc_default_sphere_def(nsc_real radius);
NSC_API nsc_shape_def nsc_default_capsule_def(nsc_real radius, nsc_real half_length);
NSC_API nsc_shape_def nsc_default_box_def(nsc_real half_x, nsc_real half_y, nsc_real half_z);
NSC_API nsc_shape_def nsc_default_half_space_def(void);
NSC_API nsc_contact nsc_default_contact(void);

/* ---- >>state ---------------------------------------------------------------------------------
   The world's insides are visible so that you can place it, size it and look at it in a debugger.
   Read what you like; write only through the functions. */

typedef struct nsc_body {
    uint16_t generation;         /* odd: slot in use                                              */
    uint16_t kind;               /* NSC_*_BODY                                                    */
    nsc_vec3 position;           /* of the centre of mass, world [m]                              */
    nsc_quat orientation;
    nsc_vec3 velocity;           /* of the centre of mass [m/s]                                   */
    nsc_vec3 angular_velocity;   /* [rad/s]                                                       */
    nsc_vec3 force, torque;      /* from the user, about the centre, until the next step [N, N m] */
    nsc_vec3 centre;             /* of mass, body frame [m]                                       */
    nsc_real mass, inv_mass;     /* [kg]; both 0 unless dynamic                                   */
    nsc_real inertia[6];         /* about the centre, body frame [kg m^2]                         */
    nsc_real inv_inertia[6];
    nsc_real gravity_scale;
    int mass_given;              /* 1: by nsc_body_def.mass; 0: from the shapes                   */
} nsc_body;

typedef struct nsc_shape {
    uint16_t generation;         /* odd: slot in use                                              */
    uint16_t body;               /* index                                                         */
    nsc_shape_def def;
} nsc_shape;

typedef struct nsc_aabb { nsc_vec3 min, max; } nsc_aabb;

typedef struct nsc_world {
    /* state: all that the next step depends on; NSC_WORLD_STATE_SIZE bytes */
    nsc_world_def def;
    int body_end, shape_end;     /* one past the highest slot in use                              */
    int contact_count;
    uint32_t step_count;
    nsc_real last_h;             /* step length of the impulses in contacts [s]; 0: none yet      */
    nsc_step_report report;
    nsc_body bodies[NSC_MAX_BODIES];
    nsc_shape shapes[NSC_MAX_SHAPES];
    nsc_contact contacts[NSC_MAX_CONTACTS]; /* of the last step, in a fixed order                 */

    /* scratch of one step */
    int found_count;             /* contacts gathered for the next step: yours, then the shapes'  */
    nsc_contact found[NSC_MAX_CONTACTS];
    uint16_t order[NSC_MAX_CONTACTS];       /* found, sorted                                      */
    nsc_aabb boxes[NSC_MAX_SHAPES];
    uint16_t sweep[NSC_MAX_SHAPES];         /* shapes, sorted along the sweep axis                */
    nsc_mass masses[NSC_MAX_BODIES];
    nsc_real v_free[6 * NSC_MAX_BODIES];
    nsc_real v[6 * NSC_MAX_BODIES];
    nsc_block blocks[NSC_MAX_CONTACTS];
    nsc_real arena[NSC_ARENA > 0 ? NSC_ARENA : 1];
} nsc_world;

/* Bytes at the start of a world that hold its state; copying them is a snapshot too, if no contact of
   your own waits for the next step. */
#define NSC_WORLD_STATE_SIZE offsetof(nsc_world, found_count)

/* ---- >>api ----------------------------------------------------------------------------------- */

/* Told apart from the caller's by nsc_world_init below. */
#define NSCI_CONFIG_WORD \
    ((int)sizeof(nsc_real) + 16 * NSC_MAX_BODIES % 8192 + 64 * NSC_MAX_SHAPES % 16384 + NSC_MAX_CONTACTS)
NSC_API int nsci_world_init(nsc_world *world, const nsc_world_def *def, size_t size, int config);

/* Make an empty world with its ground.  Returns 0, NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, or
   NSC_ERR_CONFIG when this file was compiled with other NSC_ settings than the implementation. */
static NSC_MAYBE_UNUSED int nsc_world_init(nsc_world *world, const nsc_world_def *def)
{
    return nsci_world_init(world, def, sizeof(nsc_world), NSCI_CONFIG_WORD);
}

/* Advance by h [s] > 0.  Order: forces, free velocities, collision, matching, solve, poses.  Forces and
   torques are used up.  Returns 0 also when the solver ran out of iterations: that is in
   nsc_world_report.  NSC_ERR_ARGUMENT (h), NSC_ERR_NOT_FINITE, NSC_ERR_INERTIA (a dynamic body has no
   mass yet): nothing moved.  Cost: contacts * iterations, plus n log n for the collision. */
NSC_API int nsc_world_step(nsc_world *world, nsc_real h);

/* What the last step did.  Never NULL for a world; valid until the next step. */
NSC_API const nsc_step_report *nsc_world_report(const nsc_world *world);

/* Change gravity, margin, recovery, solver, ... for the next steps.  The tag stays. */
NSC_API int nsc_world_set_def(nsc_world *world, const nsc_world_def *def);

/* Returns the handle, or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_INERTIA, NSC_ERR_CAPACITY. */
NSC_API nsc_id nsc_world_add_body(nsc_world *world, const nsc_body_def *def);

/* Also removes its shapes and contacts.  The ground stays: NSC_ERR_HANDLE. */
NSC_API int nsc_world_remove_body(nsc_world *world, nsc_id body);

/* Fix a shape to a body.  Without a given mass the body's mass, centre and inertia are found anew; its
   frame stays where it is.  Returns the handle or an error as above. */
NSC_API nsc_id nsc_world_add_shape(nsc_world *world, nsc_id body, const nsc_shape_def *def);
NSC_API int nsc_world_remove_shape(nsc_world *world, nsc_id shape);

/* A contact of your own for the next step, beside those nsc finds.  From the first such call on the
   contacts of the last step are no longer listed.  Returns 0 or an error. */
NSC_API int nsc_world_add_contact(nsc_world *world, const nsc_contact *contact);

/* The contacts of the last step: 0 <= index < count; NULL outside. */
NSC_API int nsc_world_contact_count(const nsc_world *world);
NSC_API const nsc_contact *nsc_world_contact(const nsc_world *world, int index);

/* Bodies.  All return 0 or NSC_ERR_HANDLE; setters and adders also NSC_ERR_NOT_FINITE and
   NSC_ERR_ARGUMENT.  Any pointer to write to may be NULL. */
NSC_API int nsc_body_get_pose(const nsc_world *world, nsc_id body, nsc_pose *pose);
NSC_API int nsc_body_set_pose(nsc_world *world, nsc_id body, nsc_pose pose);
NSC_API int nsc_body_get_velocity(const nsc_world *world, nsc_id body, nsc_vec3 *linear, nsc_vec3 *angular);
NSC_API int nsc_body_set_velocity(nsc_world *world, nsc_id body, nsc_vec3 linear, nsc_vec3 angular);
NSC_API int nsc_body_get_mass(const nsc_world *world, nsc_id body, nsc_real *mass, nsc_vec3 *centre,
                              nsc_real inertia[6]);

/* Force [N] at the centre of mass, torque [N m], for the next step; they add up until then. */
NSC_API int nsc_body_add_force(nsc_world *world, nsc_id body, nsc_vec3 force, nsc_vec3 torque);
NSC_API int nsc_body_add_force_at(nsc_world *world, nsc_id body, nsc_vec3 force, nsc_vec3 world_point);
NSC_API int nsc_body_clear_force(nsc_world *world, nsc_id body);

/* Impulse [N s] at a point of the world: changes the velocity now. */
NSC_API int nsc_body_add_impulse_at(nsc_world *world, nsc_id body, nsc_vec3 impulse, nsc_vec3 world_point);

/* Sum of the last step's contact forces on a body [N], and their moment about its centre [N m]. */
NSC_API int nsc_body_get_contact_force(const nsc_world *world, nsc_id body, nsc_vec3 *force, nsc_vec3 *moment);

#ifdef __cplusplus
}
#endif
#endif /* NSC_NONSMOOTH_CONTACT_H */
