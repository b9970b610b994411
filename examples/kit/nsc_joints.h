/* nsc_joints.h - joints with drives and limits; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_JOINTS, with NSC_MAX_JOINT_BLOCKS, NSC_JOINT_AXES and NSC_GEARS.
   Beside it: nsc.h.

   A joint is a set of rows: EQUALITY rows that hold it and BOX rows of its axes.  All act at one
   point, the origin of frame b, so that a and b get exactly opposite wrenches: momentum is
   conserved, however far the joint has drifted.

   Limits: a drive that moves its axis slower than sleep_speed may be put to sleep with its
   bodies. */
#ifndef NSC_JOINTS_H
#define NSC_JOINTS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MAX_JOINTS > 0 before nsc.h, which then includes nsc_joints.h"
#endif

/* Blocks of three rows, summed over all joints: the held rows take up to two; springs, drives,
   friction and limits of the axes share further ones */
#ifndef NSC_MAX_JOINT_BLOCKS
#define NSC_MAX_JOINT_BLOCKS (3 * NSC_MAX_JOINTS)
#endif

/* What a compiler then says of an arena for TREE in a file that does not include nsc_tree.h */
#ifndef NSC_TREE_H
#define NSC_ARENA_TREE(bodies, rows, wide) NSC_ARENA_TREE_needs_nsc_tree_h_before_nsc_h
#endif

NSCI_REQUIRE(NSC_MAX_JOINTS_is_0_to_5000, NSC_MAX_JOINTS >= 0 && NSC_MAX_JOINTS <= 5000);

/* Axes that a joint can have, 1..3; each takes 96 bytes in every joint.  1: for all kinds but BALL,
   UNIVERSAL and CYLINDRICAL, which have 2, and PLANAR, 3 */
#ifndef NSC_JOINT_AXES
#define NSC_JOINT_AXES 3
#endif
NSCI_REQUIRE(NSC_JOINT_AXES_is_1_to_3, NSC_JOINT_AXES >= 1 && NSC_JOINT_AXES <= 3);

/* Gears, of nsc_gears.h: 1 if that is beside this file, as far as the compiler can tell.  0: joints
   without them */
#ifndef NSC_GEARS
#define NSC_GEARS 1
#ifdef __has_include
#if !__has_include("nsc_gears.h")
#undef NSC_GEARS
#define NSC_GEARS 0
#endif
#endif
#endif

/* A step may solve more than once, so the impulses of joints are summed */
#if NSCI_SUBSTEPS || NSC_STEPPERS || NSC_SECOND_LOOK
#define NSCI_SUMS_JOINTS 1
#else
#define NSCI_SUMS_JOINTS 0
#endif

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
       GEAR         axes 0 of two joints (1)          none; see nsc_gears.h
   Use DISTANCE for rods, ropes and springs.
   Friction and damping of both axes of a BALL leave its circling in a cone free, which changes
   neither swing nor twist: a conical pendulum of 0.5 rad, 1 m and 1 kg with 2 N m s/rad on both
   loses in 10 s at 1/240 s as little as without, 1e-3 of its energy, where one that swings in a
   plane with 0.2 loses 0.86; with 2 N m of friction it gains 0.03 (at 1/960 s 0.004).  Damping of
   the body (nsc_locks.h) brakes it.
   Each spring, drive, friction and limit of an axis adds one row where switched on.  A block has up
   to three rows; point rows, rotation rows and axis rows go into separate blocks. */
enum {
    NSC_JOINT_BALL = 1, NSC_JOINT_HINGE = 2, NSC_JOINT_SLIDER = 3, NSC_JOINT_FIXED = 4,
    NSC_JOINT_DISTANCE = 5, NSC_JOINT_UNIVERSAL = 6, NSC_JOINT_CYLINDRICAL = 7,
    NSC_JOINT_PLANAR = 8, NSC_JOINT_GEAR = 9
};
enum { NSCI_LAST_JOINT = NSC_GEARS ? NSC_JOINT_GEAR : NSC_JOINT_PLANAR };
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
                                    mass.  On a BALL's swing it may add energy where the swing goes
                                    past 0 so near that its direction turns much within a step: it
                                    is for swings that keep away from 0 */
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
    nsc_axis_def axis[NSC_JOINT_AXES]; /* those that the kind has; the others are not read */
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

enum {
    NSC_JOINT_HELD = 6, NSC_AXIS_ROWS = 4,
    NSC_JOINT_ROWS = NSC_JOINT_HELD + NSC_JOINT_AXES * NSC_AXIS_ROWS
};
typedef struct nsc_joint {
    uint16_t generation;         /* odd: slot in use */
    uint16_t unused;
    /* Full turns of each axis that is an angle; gear: those of joint_a and joint_b where its teeth
       met */
    int32_t turns[NSC_JOINT_AXES < 2 ? 2 : NSC_JOINT_AXES];
    nsc_joint_def def;
    nsc_real offset;             /* gear: there, less the full turns, axis 0 of joint_a - ratio *
                                    axis 0 of joint_b [m, rad] */
    nsc_real angle[NSC_JOINT_AXES]; /* angle less the full turns after the last step, -pi..pi; 0 for
                                    a length */
    nsc_real impulse[NSC_JOINT_ROWS]; /* of the last step [N s, N m s]: held rows, then spring,
                                         drive, friction, limit of each axis */
    nsc_vec3 force_impulse;      /* of the whole joint on b in the last step, world [N s] */
    nsc_vec3 torque_impulse;     /* about the joint's point (frame b's origin) [N m s] */
} nsc_joint;

/* ---- adding and driving joints
       nsc_joint_def hinge = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, arm);
       nsc_joint_place(&world, &hinge, point, axis, across);        as the bodies stand now
       hinge.axis[0].drive = NSC_DRIVE_MOTOR;
       hinge.axis[0].target_velocity = 2;
       nsc_id id = nsc_world_add_joint(&world, &hinge);             negative: an error code */
NSC_API nsc_joint_def nsc_default_joint_def(int kind, nsc_id body_a, nsc_id body_b);

/* Set both frames of def so that they coincide now: origin at the point, z along the axis, x along
   `across` as far as that is perpendicular (universal: the second axis; 0, or along the axis: any);
   all in the world frame.  Returns 0, or NSC_ERR_ARGUMENT (NULL, axis 0), NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, and def is as it was.  Of the world only the last refusal changes. */
NSC_API int nsc_joint_place(nsc_world *world, nsc_joint_def *def, nsc_vec3 point, nsc_vec3 axis,
                            nsc_vec3 across);

/* Returns the handle, or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_HANDLE, NSC_ERR_CAPACITY
   (joints, NSC_JOINT_AXES, or blocks for their rows), NSC_ERR_STEPPER_CONTACT (limit),
   NSC_ERR_STEPPER_JOINTS.  Positions count from the frames: their present values are kept, not
   zeroed.  Wakes both bodies. */
NSC_API nsc_id nsc_world_add_joint(nsc_world *world, const nsc_joint_def *def);

/* Also removes gears that use it.  Removing a body removes its joints.  Returns 0, NSC_ERR_HANDLE,
   NSC_ERR_ARGUMENT (world NULL), NSC_ERR_BUSY. */
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

NSC_API int nsc_joint_get_axis(const nsc_world *world, nsc_id joint, int axis,
                               nsc_axis_state *state);

/* Total force [N] and torque [N m] of the joint on body b, limits and drives included: means over
   the last step, torque about the joint's point, world frame.  Body a gets the opposite, at the
   same point.  Where neither body is dynamic it is that of the last step in which one was; of a
   joint that a disabled body leaves out it is 0. */
NSC_API int nsc_joint_get_force(const nsc_world *world, nsc_id joint, nsc_vec3 *force,
                                nsc_vec3 *torque);

/* Drift of the joint: distance [m] and angle [rad] that should be 0; of UNIVERSAL the sine of the
   angle, of a GEAR metres if its first joint slides. */
NSC_API int nsc_joint_get_drift(const nsc_world *world, nsc_id joint, nsc_real *distance,
                                nsc_real *angle);

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_JOINT_RULES(R) \
    R(NSCI_JOINT_KIND, 1, NSCI_LAST_JOINT, \
      "NSC_JOINT_BALL..NSC_JOINT_GEAR; without nsc_gears.h no GEAR") \
    R(NSCI_DRIVE, 0, NSC_DRIVE_FORCE, "NSC_DRIVE_NONE..NSC_DRIVE_FORCE")
#define NSCI_JOINT_FIELDS(F) \
    F(nsc_joint_def, kind, NSCI_JOINT_KIND) \
    F(nsc_joint_def, collide, NSCI_CHOICE) \
    F(nsc_joint_def, frame_a, NSCI_POSE) \
    F(nsc_joint_def, frame_b, NSCI_POSE) \
    F(nsc_joint_def, ratio, NSCI_ANY_REAL) \
    F(nsc_axis_def, limited, NSCI_CHOICE) \
    F(nsc_axis_def, drive, NSCI_DRIVE) \
    F(nsc_axis_def, lower, NSCI_ANY_REAL) \
    F(nsc_axis_def, upper, NSCI_ANY_REAL) \
    F(nsc_axis_def, target, NSCI_ANY_REAL) \
    F(nsc_axis_def, target_velocity, NSCI_ANY_REAL) \
    F(nsc_axis_def, stiffness, NSCI_FROM_ZERO) \
    F(nsc_axis_def, damping, NSCI_FROM_ZERO) \
    F(nsc_axis_def, force, NSCI_ANY_REAL) \
    F(nsc_axis_def, max_force, NSCI_FROM_ZERO) \
    F(nsc_axis_def, max_speed, NSCI_FROM_ZERO) \
    F(nsc_axis_def, armature, NSCI_FROM_ZERO) \
    F(nsc_axis_def, friction, NSCI_FROM_ZERO) \
    F(nsc_axis_def, spring, NSCI_FROM_ZERO) \
    F(nsc_axis_def, spring_damping, NSCI_FROM_ZERO) \
    F(nsc_axis_def, spring_rest, NSCI_ANY_REAL) \
    F(nsc_axis_def, limit_stiffness, NSCI_FROM_ZERO) \
    F(nsc_axis_def, limit_damping, NSCI_FROM_ZERO)
#define NSCI_JOINT_REASONS(R) \
    R(NSCI_LIMIT_STEPPER, "nsc_axis_def.limited", \
      "0, or lower == upper, with EULER_FORWARD, HHT and NEWMARK") \
    R(NSCI_RULE_STEPPER, "nsc_world_def.gamma", \
      "above 1/2, or HHT with alpha < 0, where joints hold bodies") \
    R(NSCI_FULL_JOINTS, "NSC_MAX_JOINTS", \
      "room for one more joint: enlarge it; the value is the capacity") \
    R(NSCI_FULL_BLOCKS, "NSC_MAX_JOINT_BLOCKS", \
      "room for the blocks of all joints: enlarge it; the value is how many they need") \
    R(NSCI_NO_AXIS, "axis", "one that this kind of joint has; the value is what was asked for") \
    R(NSCI_BAD_STATE, "position", \
      "finite, as the velocity; >= 0 for a distance, 0..pi for a swing, at most 1e9 turns, no " \
      "turn of a particle") \
    R(NSCI_LOOP, "joint", "all that holds its dynamic body b; the value is body b's index") \
    R(NSCI_CROSSED, "nsc_axis_def.lower", "<= upper") \
    R(NSCI_NEVER, "nsc_axis_def.upper", ">= 0 for a distance or a swing") \
    R(NSCI_NO_GAIN, "nsc_axis_def.stiffness", "> 0, or damping > 0, for a servo") \
    NSCI_IF(NSC_GEARS, NSCI_GEAR_REASONS(R)) \
    R(NSCI_FULL_AXES, "NSC_JOINT_AXES", \
      "room for the axes of such a joint: enlarge it; the value is the capacity") \
    R(NSCI_BAD_PLACE, "nsc_joint_place.point", "finite, as axis and across") \
    R(NSCI_SHORT_AXIS, "nsc_joint_place.axis", \
      "a vector longer than 1e-18; the value is its length")

#if NSC_GEARS
#include "nsc_gears.h" /* not found: copy examples/kit/nsc_gears.h, or define NSC_GEARS 0 */
#else
#define nsci_is_gear(d) ((void)(d), 0)
#define nsci_has_gear(w, body) 0
#define nsci_check_gear(w, d) NSC_OK
#define nsci_set_gear(w, j) ((void)0)
#define nsci_free_gears(w, joint) ((void)(joint))
#define nsci_gear_row(w, j, k, s) ((void)0)
#define nsci_gear_drift(w, j, drift) ((void)0)
#endif

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_link_joints(nsc_world *w);
static int nsci_joined(const nsc_world *w, int a, int b);
static int nsci_has_joint(const nsc_world *w, nsc_id body);
static void nsci_list_joints(nsc_world *w);
static int nsci_fill_joint_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                nsc_real scale, nsc_block *k);
static void nsci_take_joints(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                             nsc_real share, int joint_blocks);
static void nsci_store_joints(nsc_world *w, nsc_real h);
static int nsci_check_stepper_joints(nsc_world *w, const nsc_world_def *def);
static void nsci_free_joints_of(nsc_world *w, nsc_id body);
#if NSC_GEARS
#include "nsc_gears.h"
#endif

#elif defined(NSCI_CODE) /* and again */

NSCI_REQUIRE(axis_offsets, sizeof(nsc_axis_def) <= 510);

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

/* Angle of (x, y) [rad], -pi..pi, 0 for (0, 0); own code, as C libraries differ in the last
   bit.  Halved twice by tan(a/2) = t / (1 + sqrt(1 + t^2)), then the series. */
static nsc_real nsci_atan2(nsc_real y, nsc_real x)
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
    int32_t turns = j->turns[i];
    if (axis != NSCI_TURN_Z && axis != NSCI_TURN_X)
        return 0;
    if (d > NSCI_PI && turns > -1000000000)
        return turns - 1;
    if (d < -NSCI_PI && turns < 1000000000)
        return turns + 1;
    return turns;
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

/* After a step: store turns and angles of the axes, of which a gear has none. */
static nsc_real nsci_track_joint(const nsc_world *w, nsc_joint *j)
{
    nsci_frames f;
    nsc_vec3 apart;
    int i, held = nsci_held(j->def.kind);
    nsci_place_joint(w, j, &f);
    for (i = 0; i < NSC_JOINT_AXES && !nsci_is_gear(&j->def); i++) {
        int axis = nsci_axis_of(&f, i);
        nsc_real angle = nsci_is_turn(axis) && axis != NSCI_TWIST ? nsci_axis_raw(&f, axis) : 0;
        j->turns[i] = nsci_count_turns(j, i, axis, &angle);
        j->angle[i] = angle;
    }
    apart = nsci_mul_mtv(&f.A, nsci_sub(f.pb, f.pa));
    apart.x = held & 1 ? apart.x : 0;
    apart.y = held & 2 ? apart.y : 0;
    apart.z = held & 4 ? apart.z : 0;
    return nsci_norm(apart);
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
    uint32_t rows = nsci_is_gear(d) ? 1 : kind[0] & 63u;
    int i;
    for (i = 0; i < NSC_JOINT_AXES && kind[1 + i]; i++)
        rows |= (uint32_t)nsci_axis_rows(&d->axis[i]) << (NSC_JOINT_HELD + NSC_AXIS_ROWS * i);
    return rows;
}

/* Has the joint a limit other than a lock? */
static int nsci_is_limited(const nsc_joint_def *d)
{
    int i, limited = 0;
    for (i = 0; i < NSC_JOINT_AXES; i++)
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
    nsci_fill_turn(J, d);
}

/* ---- bend of rows by the bodies' rotation in the sub-step */

static void nsci_bend_joint(const nsci_frames *f, nsc_real h, nsci_bend *k)
{
    const nsc_body *a = &f->w->bodies[f->a];
    const nsc_body *b = &f->w->bodies[f->b];
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
    go = nsci_add_sv(nsci_turned(qb, f->rb), h, apart);
    go = nsci_add(go, nsci_turned(qa, nsci_add(f->ra, go))); /* ... and with it */
    say = nsci_add(apart, nsci_sub(nsci_cross(k->wb, f->rb), nsci_cross(k->wa, f->ra)));
    k->pull = nsci_add_sv(nsci_neg(say), 1 / h, go);
}

#if NSC_STEPPERS
/* Bend at the present rates, of first order in h and without gyration */
static void nsci_bend_now(const nsci_frames *f, nsci_bend *k)
{
    nsc_vec3 wb = f->w->bodies[f->b].angular_velocity;
    nsc_vec3 a = nsci_cross(k->wa, f->ra);
    nsc_vec3 b = nsci_cross(wb, f->rb);
    nsc_vec3 slip = nsci_sub(f->w->bodies[f->b].velocity, f->w->bodies[f->a].velocity);
    a = nsci_add_sv(a, 2, nsci_add(slip, nsci_sub(b, a)));
    k->pull = nsci_sub(nsci_cross(wb, b), nsci_cross(k->wa, a));
    k->pull = nsci_mul_sv(NSC_R(0.5) * k->h, k->pull);
    k->twist = nsci_vec(0, 0, 0);
}

/* EULER_IMPLICIT: rate of an axis before the sub-step, less what gyration adds to its row J after
   the solve */
static nsc_real nsci_rate_before(const nsci_frames *f, int axis, const nsc_block *k, int i)
{
    nsci_frames g = *f;
    nsci_start from;
    nsc_body old;
    nsc_real before[12], v[12];
    nsc_real out;
    int side;
    for (side = 0; side < 2; side++) {
        int body = side ? f->b : f->a;
        NSC_MEMCPY(&old, &f->w->bodies[body], sizeof old);
        NSC_MEMCPY(&from, &f->w->start[body], sizeof from);
        nsci_hold_body(&from, &old, 1);
        nsci_velocity_of(&old, before + 6 * side);
        if (side) {
            g.pb = nsci_place_frame(&old, &f->j->def.frame_b, &g.B);
            g.rb = nsci_sub(g.pb, old.position);
            g.ra = nsci_add(g.ra, g.pb);
        } else {
            g.pa = nsci_place_frame(&old, &f->j->def.frame_a, &g.A);
            g.ra = nsci_neg(old.position);
        }
        old.angular_velocity = f->w->bodies[body].angular_velocity;
        nsci_put_pair(v + 6 * side, nsci_vec(0, 0, 0), nsci_half_gyration(&old, f->s->h));
    }
    out = -2 * nsci_along_row(k, i, v, v + 6);
    nsci_joint_row(&g, nsci_axis_direction(&g, axis), nsci_is_turn(axis), v);
    return out + nsci_dot12(v, before, before + 6);
}
#else
#define nsci_rate_before(f, axis, k, i) 0
#endif

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
    nsc_vec3 vb = nsci_cross(b->angular_velocity, f->rb);
    nsc_vec3 arcs = nsci_sub(nsci_cross(b->angular_velocity, vb),
                             nsci_cross(a->angular_velocity, va));
    nsc_vec3 v = nsci_sub(nsci_add(b->velocity, vb), nsci_add(a->velocity, va));
    nsc_real l = nsci_dot3(d, nsci_sub(f->pb, f->pa));
    nsc_real x2, sum;
    v = nsci_add_sv(v, -nsci_dot3(d, v), d);
    x2 = h * h * nsci_dot3(v, v);
    sum = l + NSC_SQRT(l * l + x2);
    return (sum > 0 ? x2 / (h * sum) : 0) + NSC_R(0.5) * h * nsci_dot3(d, arcs);
}

/* Bend of the limit of an axis along or about d.  EULER_IMPLICIT_LINEARIZED and _SYMPLECTIC use it
   for ropes only, where it costs little: without it a taut swinging rope is too long by its bend in
   a step divided by joint_recovery.  They omit it for rows that hold both ways, because undoing
   drift on top of the bend adds energy to a cracking chain. */
static nsc_real nsci_limit_bend(const nsci_frames *f, int axis, nsc_vec3 d, int rope)
{
    nsc_real bend;
    if (axis == NSCI_DISTANCE && (f->bend || (rope && f->s->mode < NSCI_POSITION)))
        return nsci_distance_bend(f, d, f->bend ? f->bend->h : f->s->hx);
    if (!f->bend)
        return 0;
    if (axis == NSCI_SWING)
        return nsci_swing_bend(f, d);
    bend = nsci_hold_bend(f, 0, nsci_is_turn(axis), d);
    if (axis == NSCI_TWIST) { /* d is longer where the swing is wider */
        nsc_vec3 w = nsci_sub(f->bend->wb, f->bend->wa);
        nsc_real opens = nsci_dot3(w, nsci_cross(f->A.c[2], f->B.c[2]));
        bend += NSC_R(0.5) * f->bend->h * nsci_dot3(d, w) * opens / nsci_open(f);
    }
    return bend;
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
   from the row's initial position.  EULER_IMPLICIT_PROJECTED undoes drift in its second solve.
   After a step of another length, or one far from solved, the load may pull harder than where the
   drift came, and undoing it does work: so no faster than the load opens the row, or at a twentieth
   of the rate.  (A taut bridge gained 500 J in 10 s.) */
static nsc_real nsci_undo(const nsc_world *w, const nsci_scheme *s, const nsc_block *k, int i,
                          nsc_real drift, nsc_real bend)
{
    nsc_real speed = s->mode == NSCI_VELOCITY   ? 0
                     : s->mode >= NSCI_POSITION ? drift / s->hx
                                                : w->def.joint_recovery * drift / s->undo;
    if (w->uneven > 0 && s->mode < NSCI_VELOCITY) {
        nsc_real least = NSC_R(0.05) * speed;
        speed = nsci_clamp(nsci_row_load(w, k, i), nsci_min(least, speed), nsci_max(least, speed));
    }
    speed += bend;
    if (s->mode == NSCI_NEWTON)
        speed -= nsci_row_speed(w, k, i);
    return nsci_clamp(speed, -w->def.joint_speed, w->def.joint_speed);
}

/* The form of a joint's block, whose row i turns or not */
static void nsci_note_form(nsc_block *b, int i, int turn)
{
    int form = turn ? NSC_ROWS_TURN : NSC_ROWS_AT_ARMS;
    b->form = (unsigned char)(i == 0 || b->form == form ? form : NSC_ROWS_ANY);
    nsci_note_turn(b, i, turn);
}

/* Fill held row 0..5: Jacobian, and the bias that undoes its drift */
static void nsci_hold_row(const nsci_frames *f, int slot, nsc_real drift, nsc_block *b, int i)
{
    int cross = slot == 3 && nsci_held(f->j->def.kind) & NSCI_CROSS;
    nsc_vec3 d = cross ? nsci_cross(f->B.c[0], f->A.c[2]) : f->A.c[slot % 3];
    nsc_real bend = 0;
    NSCI_PUT_ROW(b, i, d, nsci_joint_row(f, d, slot >= 3, b->J[i]));
    nsci_note_form(b, i, slot >= 3);
    if (NSC_STEPPERS && f->bend)
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
    nsc_real low = place + (turned - d->lower);
    nsc_real high = place + (turned - d->upper);
    nsc_real speed = nsci_row_load(w, b, row);
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

/* What the rotation of the bodies adds to the rate of an axis in the sub-step, twice the bend: it
   comes after the solve, and an armature resists it too.  EULER_FORWARD, HHT and NEWMARK have the
   gyration among the forces: for them it is the change of the row at the present rates. */
static nsc_real nsci_turning(const nsci_frames *f, int axis)
{
    nsci_frames g = *f;
    nsci_bend bend;
    nsc_vec3 along = nsci_axis_direction(f, axis);
    nsci_bend_joint(f, f->s->hf, &bend);
    if (axis == NSCI_TURN_Z && f->j->def.kind != NSC_JOINT_UNIVERSAL)
        bend.wb = bend.wa; /* but for drift they differ along the axis only */
    NSCI_IF(NSC_STEPPERS, if (nsci_is_explicit(f->w, f->s)) nsci_bend_now(f, &bend);)
    g.bend = &bend;
    return 2 * nsci_limit_bend(&g, axis, along, 0);
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
    v = nsci_mode(s) == NSCI_NEWTON && !s->newmark
            ? nsci_rate_before(f, nsci_axis_of(f, axis), b, i)
            : nsci_speed_before(f->w, s, b, i) - nsci_turning(f, nsci_axis_of(f, axis));
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
    NSCI_PUT_ROW(b, i, along, nsci_joint_row(f, along, nsci_is_turn(code), b->J[i]));
    nsci_note_form(b, i, nsci_is_turn(code));
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

/* ---- gears */

static int nsci_is_joint_of(const nsc_joint *j, nsc_id body)
{
    return j->generation % 2 && (j->def.body_a == body || j->def.body_b == body);
}

static void nsci_wake_joint(nsc_world *w, const nsc_joint *j)
{
    nsci_wake(&w->bodies[nsci_body_of(w, j->def.body_a)]);
    nsci_wake(&w->bodies[nsci_body_of(w, j->def.body_b)]);
}

#if NSC_GEARS
#include "nsc_gears.h"
#endif

/* ---- a joint's blocks */

/* Fill the joint's rows into `blocks`, between bodies a and b of the island's problem.  scale: of
   the last step's impulses, as warm start; negative: keep those in the blocks.  Returns the number
   of blocks. */
NSCI_OWN_FRAME int nsci_fill_joint(const nsc_world *w, const nsc_joint *j, nsc_place a, nsc_place b,
                                   const nsci_scheme *s, nsc_real scale, nsc_block *blocks)
{
    nsci_walk at = nsci_walk_rows(&j->def);
    nsci_frames f;
    nsc_real drift[NSC_JOINT_HELD];
    nsci_bend bend;
    nsci_place_joint(w, j, &f);
    nsci_joint_error(&f, drift);
    f.s = s;
    if (NSC_STEPPERS && s->mode == NSCI_VELOCITY) {
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
            nsci_set_arms(k, f.ra, f.rb);
        }
        k->rows = (unsigned char)(i + 1);
        k->cfm[i] = 0;
        if (scale >= 0)
            k->lambda[i] = scale * j->impulse[at.slot];
        if (nsci_is_gear(&j->def))
            nsci_gear_row(w, j, k, s);
        else if (of_axes < 0)
            nsci_hold_row(&f, at.slot, drift[at.slot], k, i);
        else
            nsci_axis_row(&f, of_axes / NSC_AXIS_ROWS, of_axes % NSC_AXIS_ROWS, k, i);
    }
    return at.block + 1;
}

/* Is a joint's impulse summed over several solves?  Then joint_sum has that of its blocks, one
   after another in all islands, joint_push the impulse on b and the torque about the joint's
   point. */
#if NSCI_SUMS_JOINTS
static int nsci_sums_joints(const nsc_world *w)
{
    return nsci_substeps(w) > 1 || w->def.stepper != NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
}
#define nsci_joint_sum(w, i) (w)->joint_sum[i]
#define nsci_joint_push(w, j) (w)->joint_push[(j) - (w)->joints]
#else
#define nsci_sums_joints(w) ((void)(w), 0)
#define nsci_joint_sum(w, i) ((void)(i), (nsc_real *)NULL)
#define nsci_joint_push(w, j) ((void)(w), (nsc_vec3 *)NULL)
#endif

/* Add `share` of a row's impulse on b to push[0], and its torque about the joint's point to
   push[1]. */
static void nsci_sum_row(const nsc_joint *j, const nsci_walk *at, const nsc_block *k,
                          nsc_real share, nsc_vec3 *push)
{
    nsc_real room[12];
    const nsc_real *J = nsci_row_of(k, at->row, room);
    nsc_real s = share * k->lambda[at->row];
    nsc_vec3 along = nsci_vec_at(J + 6);
    nsc_vec3 turn = nsci_vec_at(J + 9);
    int gear = nsci_is_gear(&j->def);
    int straight = gear || at->slot < 3 || nsci_dot3(along, along) > 0;
    if (gear)
        turn = nsci_sub(turn, nsci_cross(nsci_vec_at(k->arm_b), along));
    if (straight)
        push[0] = nsci_add_sv(push[0], s, along); /* but for gears without such a torque */
    if (gear || !straight)
        push[1] = nsci_add_sv(push[1], s, turn);
}

/* Add the impulses of a solve to the joint's sums; sums: number of its first block in joint_sum.
   Returns the number of blocks. */
NSCI_OWN_FRAME int nsci_take_joint(nsc_world *w, const nsc_joint *j, const nsc_block *blocks,
                                   int sums, const nsci_scheme *s, nsc_real share)
{
    nsci_walk at = nsci_walk_rows(&j->def);
    nsc_vec3 *push = nsci_joint_push(w, j);
    if (s->first)
        nsci_clear(push, 2 * sizeof *push);
    while (nsci_next_row(&at)) {
        const nsc_block *k = &blocks[at.block];
        nsc_real *sum = nsci_joint_sum(w, sums + at.block) + at.row;
        *sum = (s->first ? 0 : *sum) + share * k->lambda[at.row];
        nsci_sum_row(j, &at, k, share, push);
    }
    return at.block + 1;
}

/* Store the blocks' impulses, summed over the sub-steps, and their resultant at the joint's point.
   sums: number of the joint's first block in joint_sum.  Returns the number of blocks. */
NSCI_OWN_FRAME int nsci_store_joint(nsc_world *w, nsc_joint *j, const nsc_block *blocks, int sums)
{
    nsci_walk at = nsci_walk_rows(&j->def);
    nsc_vec3 room[2] = {{0, 0, 0}, {0, 0, 0}};
    nsc_vec3 *push = nsci_sums_joints(w) ? nsci_joint_push(w, j) : room;
    nsci_clear(j->impulse, sizeof j->impulse);
    while (nsci_next_row(&at)) {
        const nsc_block *k = &blocks[at.block];
        const nsc_real *sum = nsci_sums_joints(w) ? nsci_joint_sum(w, sums + at.block) : k->lambda;
        j->impulse[at.slot] = nsci_flush(nsci_clamp_finite(sum[at.row]));
        if (!nsci_sums_joints(w))
            nsci_sum_row(j, &at, k, 1, push);
    }
    j->force_impulse = nsci_flush_below(nsci_clamp_finite3(push[0]), NSCI_REAL_TINY);
    j->torque_impulse = nsci_flush_below(nsci_clamp_finite3(push[1]), NSCI_REAL_TINY);
    return at.block + 1;
}

/* ---- adding, removing, reading */

static int nsci_check_axis(nsci_why *note, const nsc_axis_def *d, int axis)
{
    int code = nsci_check_members(note, d, NSCI_nsc_axis_def_limited,
                                  NSCI_nsc_axis_def_limit_damping);
    if (code < 0)
        return code;
    if (d->limited && d->lower > d->upper)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_CROSSED, d->lower);
    if (d->limited && d->upper < 0 && (axis == NSCI_SWING || axis == NSCI_DISTANCE))
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NEVER, d->upper);
    if (d->drive != NSC_DRIVE_SERVO || d->stiffness > 0 || d->damping > 0)
        return NSC_OK;
    return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_GAIN, d->stiffness);
}

static int nsci_check_joint_def(nsc_world *w, nsc_joint_def *d)
{
    int i;
    int code = nsci_check_members(&w->note, d, NSCI_nsc_joint_def_kind, NSCI_nsc_joint_def_frame_b);
    if (code < 0)
        return code;
    if (nsci_is_gear(d)) {
        code = nsci_check_axis(&w->note, &d->axis[0], 0);
        return code < 0 ? code : nsci_check_gear(w, d);
    }
    if (NSC_JOINT_AXES < 3 && nsci_axis(d->kind, NSC_JOINT_AXES) != 0)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_AXES, NSC_JOINT_AXES);
    code = nsci_check_ends(w, d->body_a, d->body_b);
    for (i = 0; i < NSC_JOINT_AXES && code == NSC_OK; i++)
        if (nsci_axis(d->kind, i) != 0)
            code = nsci_check_axis(&w->note, &d->axis[i], nsci_axis(d->kind, i));
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
    j->generation = generation;
    if (i >= w->joint_end)
        w->joint_end = i + 1;
    if (nsci_is_gear(&d))
        nsci_set_gear(w, j);
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

static int nsci_has_joint(const nsc_world *w, nsc_id body)
{
    int i;
    for (i = 0; i < w->joint_end; i++)
        if (nsci_is_joint_of(&w->joints[i], body))
            return 1;
    return 0;
}

/* Free one joint, and the gears on it. */
static void nsci_free_joint(nsc_world *w, int i)
{
    nsc_id id = nsci_handle(w, NSCI_JOINT_HANDLE, i, w->joints[i].generation);
    nsci_wake_joint(w, &w->joints[i]);
    nsci_forget_rates(w);
    w->joints[i].generation++;
    nsci_free_gears(w, id);
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
    for (i = 0; i < w->joint_end; i++) {
        const nsc_joint *j = &w->joints[i];
        for (side = 0; side < 2 && j->generation % 2 && !j->def.collide; side++) {
            int body = nsci_body_of(w, side ? j->def.body_b : j->def.body_a);
            w->next_joint[i][side] = w->first_joint[body];
            w->first_joint[body] = (nsci_index)(i + 1);
        }
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
    const nsc_vec3 *c = m->c;
    nsc_real x = c[0].x, y = c[1].y, z = c[2].z, one = 1;
    nsc_vec3 odd = nsci_vec(c[1].z - c[2].y, c[2].x - c[0].z, c[0].y - c[1].x);
    nsc_vec3 even = nsci_vec(c[1].z + c[2].y, c[2].x + c[0].z, c[0].y + c[1].x);
    nsc_quat q;
    if (x + y + z > 0) {
        q.w = one + x + y + z;
        q.x = odd.x;
        q.y = odd.y;
        q.z = odd.z;
    } else if (x >= y && x >= z) {
        q.w = odd.x;
        q.x = one + x - y - z;
        q.y = even.z;
        q.z = even.y;
    } else if (y >= z) {
        q.w = odd.y;
        q.x = even.z;
        q.y = one - x + y - z;
        q.z = even.x;
    } else {
        q.w = odd.z;
        q.x = even.y;
        q.y = even.x;
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

NSC_API int nsc_joint_place(nsc_world *w, nsc_joint_def *d, nsc_vec3 point, nsc_vec3 axis,
                            nsc_vec3 across)
{
    int a, b;
    nsc_pose frame_a, frame_b;
    nsci_mat3 m;
    nsc_quat q;
    nsc_vec3 x, y;
    nsc_real length = nsci_norm(axis);
    if (!w || w->body_end == 0)
        return NSC_ERR_ARGUMENT;
    if (!d)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    a = nsci_find(w, NSCI_BODY_HANDLE, d->body_a);
    b = nsci_find(w, NSCI_BODY_HANDLE, d->body_b);
    if (a < 0 || b < 0)
        return nsci_refused(&w->note, NSC_ERR_HANDLE, NSCI_BAD_BODY,
                            nsci_told(a < 0 ? d->body_a : d->body_b));
    if (!nsci_vec_finite(point) || !nsci_finite(nsci_norm(across)) || !nsci_finite(length))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_BAD_PLACE, 0);
    if (!(length > NSC_R(1e-18)))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_SHORT_AXIS, length);
    m.c[2] = nsci_mul_sv(1 / length, axis);
    nsci_tangents(m.c[2], &x, &y);
    y = nsci_add_sv(nsci_mul_sv(nsci_dot3(across, x), x), nsci_dot3(across, y), y);
    m.c[0] = nsci_unit(y, x);
    m.c[1] = nsci_cross(m.c[2], m.c[0]);
    q = nsci_quat_of(&m);
    frame_a = nsci_frame_in(&w->bodies[a], point, q);
    frame_b = nsci_frame_in(&w->bodies[b], point, q);
    if (nsci_check_pose(NULL, &frame_a) < 0 || nsci_check_pose(NULL, &frame_b) < 0)
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_BAD_PLACE, 0);
    d->frame_a = frame_a;
    d->frame_b = frame_b;
    return NSC_OK;
}

NSC_API nsc_joint_def nsc_default_joint_def(int kind, nsc_id body_a, nsc_id body_b)
{
    nsc_joint_def d;
    int i;
    nsci_clear(&d, sizeof d);
    d.kind = kind;
    d.body_a = body_a;
    d.body_b = body_b;
    d.joint_a = d.joint_b = -1;
    d.ratio = 1;
    d.frame_a.orientation.w = d.frame_b.orientation.w = 1;
    for (i = 0; i < NSC_JOINT_AXES; i++)
        d.axis[i].max_force = NSC_REAL_MAX;
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
    return axis >= 0 && axis < NSC_JOINT_AXES && nsci_axis(w->joints[i].def.kind, axis) != 0
               ? i
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
    code = nsci_check_axis(&w->note, def, nsci_axis(w->joints[i].def.kind, axis));
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
    nsci_gear_drift(w, j, &drift[3]);
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

static int nsci_fill_joint_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                nsc_real scale, nsc_block *k)
{
    (void)first;
    return nsci_fill_joint(w, &w->joints[l->item], nsci_inner_of(w, l->a), nsci_inner_of(w, l->b),
                           s, scale, k);
}

/* Add the impulses of an island's joints to their sums.  joint_blocks: number in the islands before
   it */
static void nsci_take_joints(nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                             nsc_real share, int joint_blocks)
{
    int i;
    for (i = own->first_link; nsci_sums_joints(w) && i != NSCI_NOWHERE &&
                              w->links[i].kind == NSCI_JOINT_LINK;
         i = w->links[i].next) {
        const nsci_link *l = &w->links[i];
        joint_blocks += nsci_take_joint(w, &w->joints[l->item],
                                        &w->scratch.solve.blocks[l->block], joint_blocks, s,
                                        share);
    }
}

/* A joint that is not solved keeps its forces: scale its impulses to the new step length. */
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
    int i, k, off, sum = 0;
    for (i = 0; i < w->report.islands; i++) {
        const nsc_island *own = &w->islands[i];
        for (k = own->first_link; k != NSCI_NOWHERE && w->links[k].kind == NSCI_JOINT_LINK;
             k = w->links[k].next) {
            const nsci_link *l = &w->links[k];
            nsc_joint *j = &w->joints[l->item];
            if (own->asleep)
                nsci_scale_joint(j, scale);
            else
                sum += nsci_store_joint(w, j, &w->scratch.solve.blocks[l->block], sum);
        }
    }
    for (i = 0; i < w->joint_end; i++) {
        nsc_joint *j = &w->joints[i];
        if (j->generation % 2 == 0)
            continue;
        w->report.drift = nsci_max(w->report.drift, nsci_track_joint(w, j));
        off = nsci_stays_off(w, j->def.body_a, j->def.body_b);
        if (off || nsci_island_of(w, nsci_body_of(w, j->def.body_a),
                                  nsci_body_of(w, j->def.body_b)) == NSCI_NOWHERE)
            nsci_scale_joint(j, off ? 0 : scale);
    }
}

#endif
