/* nsc_derive.h - v0.2.0 - derivatives of a step through contact, for nsc
   MIT licence at the end of the file.  Needs nsc.h, which it includes.
   Beside it: nsc.h, nsc_problem.h; with joints nsc_joint_state.h.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_derive.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too.

   EXAMPLE
       static nsc_world trial;                            scratch, may be shared
       static nsc_derive derive;
       nsc_real A[12 * 12], B[12];                        by rows
       nsc_derive_input state[12], push[1];               which body and coordinate each one is

       code = nsc_derive_begin(&derive, &world, &trial, h);        before the step
       code = nsc_derive_dense(&derive, state, 12, state, 12, A);
       code = nsc_derive_dense(&derive, push, 1, state, 12, B);
       nsc_world_step(&world, h);

   or in coordinates of joints, here a pendulum's angle, its rate, and the effort of its drive:

       nsc_derive_input state[2] = {{NSC_DERIVE_AXIS, hinge, 0}, {NSC_DERIVE_RATE, hinge, 0}};
       nsc_derive_input drive[1] = {{NSC_DERIVE_EFFORT, hinge, 0}};

   JOINT COORDINATES  A and B of a robot: AXIS and RATE of its joints' axes, and, if no joint ties
   it to the ground, PIECE_POSITION .. PIECE_SPIN of its base, a body.  An axis moves body b of its
   joint, so b is the side away from the base; a base on that side is refused.  Axes left out of the
   list keep positions and rates.  A loop of joints is refused: there axes are not independent.  A
   gear is no loop, and a move that violates one is drawn back by the step, as a set of bodies that
   violates a joint is.  Where contacts leave a robot fewer motions than joints do, take A along
   those: nsc_derive_directions (examples/20_hopper.c).

   HOW
   The step is solved once.  Its rows are sorted into open, stick, slide, held and bound, and the
   equations that hold in these states are differentiated implicitly: one dense system of all rows
   is factorised (Werling et al. 2021; Le Lidec et al. 2024).  Analytic: the answer of the solver,
   friction while sliding, and the motion from velocities to poses, gyroscopic turning included.
   Not analytic: how the data of the contact problem (free velocities, Jacobians, gaps, bounds, and
   in smooth contact and springs compliance and force) depend on an input.  These are central
   differences of nsc_world_problem at a fixed answer, without a solve; they are smooth where the
   whole step is, whatever the shapes and joints.  What contacts remember stays as it is.

   TRUST  A derivative holds as long as no row switches: see switch_speed and switch_impulse.
   Beside these the data have kinks: where a hard contact begins to act (a gap of a quarter of
   world->def.slop: a body that fell stands there, exactly) or its penetration is undone (the slop);
   where a cohesive contact lets go (the slop) or a smooth one touches (0); where a spring begins to
   pull; where Hertz's law meets an overlap that grows by 1 % in the step.  A kink, jump or new
   contact within a difference is refused, after up to three tries with shorter ones
   (NSC_DERIVE_ERR_SWITCH).  Lower a body that has landed by half the slop before you linearise.

   SMOOTH CONTACT, EULER_IMPLICIT_LINEARIZED only: Hooke, Hertz, Flores, cohesion.  The tangential
   stretch of a contact is held as it is, as an input, and is not among the outputs: A is the
   derivative of one step, and its powers are not those of several (they lack the spring that
   holds a body where it stands).

   REDUNDANT CONTACTS (a box on its face) share a load in many ways.  Where none slides, the
   shares do not matter, and some far from any switch are taken.  Where several points of a body
   slide, derivatives may depend on the shares, which the law leaves open and a step of another
   solver finds otherwise: `shared` is then above 0.  They do by TURN and SPIN, and by all where
   corners slide in different directions.  A contact at the edge of its cone that is slower than
   rounding counts as sticking.  A body that rests on more points than it needs has no derivative
   with regard to motions that would lift some of them: `conflict` is then above rounding.

   TRIED (tests/kit/test_derive.c)  Against differences of whole steps, in random states, COULOMB
   and CONE.  Bodies: a ball that slides, sticks and rolls, a pendulum, a servo, a cart with a pole,
   a box at rest, sliding, locked to a plane; tumbling; a box with a ball on it; contacts with
   stiffness; cohesion; springs; smooth contact of each law.  Joints: a pendulum, an arm of two
   links with a spring, slider with cardan and cylinder, a robot on two wheels, also in smooth
   contact.  In double the largest relative error allowed is 1e-6, in CONE without TURN and SPIN of
   the sliding box.  Against closed answers: friction, rolling, flight, a pendulum, servos, motors,
   limits and friction of an axis.  Not tried: ball, planar and distance joints, gears, cylinders,
   hulls, meshes, height fields, more than 24 rows.

   FLOAT  Axes, rates, velocities, forces and efforts agree with differences of whole steps to 1e-3;
   springs, and a chain of slider, cardan and cylinder, to 2e-3.  Poses of bodies and pieces in
   contact are differenced over 4 and 20 mm and mrad, or less where kinks are, and not checked: use
   NSC_DOUBLE for them.

   REFUSED  Steppers other than EULER_IMPLICIT_LINEARIZED (explicit ones too, so smooth contact with
   these), sub-steps, PYRAMID, rolling friction that acts, islands asleep, bodies that turn by more
   than 128 rad in the step, a belt that runs along a locked axis while it slides; poses of bodies
   with contacts of your own; poses whose differences find other contacts (at the clipped edge of a
   face).  Not noticed, since the world does not keep them: callbacks and rows given to
   nsc_world_step_with.  The trial world's NSC_ARENA must have room for NEWTON if nsc_newton.h is
   included. */
#ifndef NSC_KIT_DERIVE_H
#define NSC_KIT_DERIVE_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#if NSC_MAX_JOINTS > 0
#include "nsc_joint_state.h"
#endif
#include "nsc_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of all islands; memory grows as the square */
#ifndef NSC_DERIVE_ROWS
#define NSC_DERIVE_ROWS 48
#endif

enum { /* nsc_derive_input.kind; each has three axes of the world, x y z */
    NSC_DERIVE_POSITION = 1, /* of the centre of mass [m] */
    NSC_DERIVE_TURN = 2,     /* small rotation about the centre of mass [rad] */
    NSC_DERIVE_VELOCITY = 3, /* [m/s] */
    NSC_DERIVE_SPIN = 4,     /* angular velocity [rad/s] */
    NSC_DERIVE_FORCE = 5,    /* at the centre of mass [N]; only as an input */
    NSC_DERIVE_TORQUE = 6,   /* [N m]; only as an input */
    NSC_DERIVE_EFFORT = 7,   /* nsc_joint_set_force of a joint's axis; only as an input */
    /* Coordinates that keep all joints closed.  AXIS, RATE: of a joint's axis, as
       nsc_joint_get_axis tells.  As an input: body b of the joint and all that hangs from it by
       joints moves as one rigid piece, as by nsc_joint_set_state; what nsc_joint_set_state refuses
       (loops) is refused.  PIECE: a body with all that hangs from it by joints moves as one, and
       the axes keep positions and rates; not if a body that is not dynamic hangs there too.  As an
       output: the body itself. */
    NSC_DERIVE_AXIS = 8,     /* [m, rad] */
    NSC_DERIVE_RATE = 9,     /* [m/s, rad/s] */
    NSC_DERIVE_PIECE_POSITION = 10, NSC_DERIVE_PIECE_TURN = 11, /* about the body's centre */
    NSC_DERIVE_PIECE_VELOCITY = 12, NSC_DERIVE_PIECE_SPIN = 13
};
enum { /* state of a row */
    NSC_DERIVE_OPEN = 0, NSC_DERIVE_HELD = 1, NSC_DERIVE_STICK = 2, NSC_DERIVE_SLIDE = 3,
    NSC_DERIVE_BOUND_LOW = 4, NSC_DERIVE_BOUND_HIGH = 5
};
enum { /* beside the codes of nsc.h */
    NSC_DERIVE_ERR_UNSUPPORTED = -101, /* see REFUSED */
    NSC_DERIVE_ERR_MISMATCH = -102,    /* the step does something else than its contact problem:
                                          restitution was limited, or the solver did not converge */
    NSC_DERIVE_ERR_SWITCH = -103,      /* other contacts or islands, a kink or a jump within the
                                          differences: see TRUST */
    NSC_DERIVE_ERR_OWN_CONTACT = -104  /* POSITION or TURN of a body with a contact that you added
                                          (nsc_world_add_contact): how its gap, point and normal
                                          follow the body is not known.  AXIS, PIECE: of any
                                          body */
};

typedef struct nsc_derive_input {
    int kind;   /* NSC_DERIVE_* */
    nsc_id id;  /* a dynamic body; EFFORT, AXIS, RATE: a joint */
    int axis;   /* 0..2: x y z of the world; of a joint: its axis */
} nsc_derive_input;

typedef struct nsc_derive_row {
    int state;             /* NSC_DERIVE_OPEN .. */
    int a, b;              /* slots of its bodies (nsc_world_body_at), 0 where none is dynamic */
    int lead;              /* row of the contact's normal, or itself */
    nsc_real switch_speed; /* [m/s] of the row to where its state changes; NSC_REAL_MAX: none */
    nsc_real switch_impulse; /* [N s] likewise */
    /* of the implementation */
    int kind;
    nsc_real mu, J[12], MinvJt[12], cfm, lambda, u;
} nsc_derive_row;

typedef struct nsc_derive {
    int rows, islands;
    int redundant;           /* rows that follow from others */
    int shared;              /* contacts that slide while rows are redundant; above 0: see REDUNDANT
                                CONTACTS */
    nsc_real switch_speed, switch_impulse; /* the nearest of all rows */
    nsc_real conflict;       /* largest rate at which redundant rows contradicted an input since
                                nsc_derive_begin, by the pivot's scale */
    nsc_derive_row row[NSC_DERIVE_ROWS];
    /* of the implementation */
    const nsc_world *world;
    nsc_world *trial;
    nsc_real h;
    int law, cut;
    int edge, slides; /* contacts of the island at the edge of their state, sliding */
    int sliding;      /* of all islands */
    nsc_real v[6 * NSC_MAX_BODIES];       /* before bodies turn */
    nsc_real mean[3 * NSC_MAX_BODIES];    /* rate at which they turn [rad/s] */
    nsc_real end[13 * NSC_MAX_BODIES];    /* after the step: position, orientation, velocities */
    /* Data of the problem below, at and above the present state: velocities of bodies six a slot,
       poses seven a slot, rows */
    nsc_real low[13 * NSC_MAX_BODIES + 3 * NSC_DERIVE_ROWS];
    nsc_real mid[13 * NSC_MAX_BODIES + 3 * NSC_DERIVE_ROWS];
    nsc_real high[13 * NSC_MAX_BODIES + 3 * NSC_DERIVE_ROWS];
    nsc_real du[NSC_DERIVE_ROWS], rhs[NSC_DERIVE_ROWS], dl[NSC_DERIVE_ROWS];
    nsc_real M[NSC_DERIVE_ROWS][NSC_DERIVE_ROWS];
    nsc_real scale[NSC_DERIVE_ROWS], weight[NSC_DERIVE_ROWS]; /* of impulses, of equations */
    int by_row[NSC_DERIVE_ROWS], by_column[NSC_DERIVE_ROWS];
    nsc_real change[12 * NSC_MAX_BODIES];
} nsc_derive;

/* Text of a code, those of nsc.h included */
NSC_API const char *nsc_derive_error_text(int code);

/* Solve and factorise the step that nsc_world_step(world, h) would make.  The world does not
   change, and must not until the last call with this structure; trial is overwritten.  Returns 0,
   an error of nsc_world_problem or nsc_world_step, NSC_ERR_ARGUMENT (NULL, trial the world itself,
   h), NSC_ERR_CAPACITY (NSC_DERIVE_ROWS) or NSC_DERIVE_ERR_*.  Then the structure has no rows and
   is refused by the calls below.  Cost: a step, one or two solves of each island to rounding
   (by NEWTON if nsc_newton.h is included before), and rows^3 / 3. */
NSC_API int nsc_derive_begin(nsc_derive *derive, const nsc_world *world, nsc_world *trial,
                             nsc_real h);

/* J x: along x (one number an input, `inputs` >= 1), the change of all bodies' states at the end of
   the step, 12 a slot: position, turn, velocity, spin, NSC_MAX_BODIES slots; 0 for bodies that are
   not dynamic.  Returns 0, NSC_ERR_ARGUMENT (also without nsc_derive_begin; a loop, a piece tied to
   the ground, a base on the side of its joints that moves), NSC_ERR_HANDLE, NSC_ERR_NOT_FINITE,
   errors of nsc_world_problem, NSC_DERIVE_ERR_SWITCH or _OWN_CONTACT; then `change` is as it was.
   Cost: two steps without a solver, up to eight where kinks are near. */
NSC_API int nsc_derive_product(nsc_derive *derive, const nsc_derive_input *input, int inputs,
                               const nsc_real *x, nsc_real *change);

/* Matrix by rows (outputs x inputs): d output / d input, outputs at the end of the step: not FORCE,
   TORQUE, EFFORT.  A with the same list twice, B with forces or efforts.  Errors as above; a matrix
   that is refused is as it was, for which all columns are computed twice: four steps without a
   solver an input (two if it is the only one). */
NSC_API int nsc_derive_dense(nsc_derive *derive, const nsc_derive_input *input, int inputs,
                             const nsc_derive_input *output, int outputs, nsc_real *matrix);

/* The same along combinations of inputs, such as the motions that contacts leave to a robot:
   direction has `inputs` numbers for each column, column by column; matrix is outputs x directions
   by rows.  Errors and cost as above, for each direction. */
NSC_API int nsc_derive_directions(nsc_derive *derive, const nsc_derive_input *input, int inputs,
                                  const nsc_real *direction, int directions,
                                  const nsc_derive_input *output, int outputs, nsc_real *matrix);

/* Move a world by x along an input, as the columns above mean it; what is moved, and what touched
   it, wakes.  Returns 0, NSC_ERR_ARGUMENT as above, NSC_ERR_NOT_FINITE, NSC_ERR_BUSY, or the error
   of the call that moves it; then nothing is changed. */
NSC_API int nsc_derive_move(nsc_world *world, const nsc_derive_input *input, nsc_real x);

/* x^T J: result (inputs numbers) from x (outputs numbers), column by column.  Errors and cost as
   above. */
NSC_API int nsc_derive_transpose(nsc_derive *derive, const nsc_derive_input *input, int inputs,
                                 const nsc_derive_input *output, int outputs, const nsc_real *x,
                                 nsc_real *result);

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_DERIVE_H */

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_DERIVE_DONE)
#define NSC_DERIVE_DONE

#ifdef __cplusplus
extern "C" {
#endif

/* Lengths of differences [m, rad, ...]: STEP of poses; of the problem's data STEP by POSITION and
   TURN, which pull at joints, FREE_STEP by others, SMOOTH_STEP in smooth contact.  SAME: relative,
   of velocities; BEND: share of a difference by which its two halves may differ */
#ifdef NSC_DOUBLE
#define NSCI_DERIVE_STEP NSC_R(1e-5)
#define NSCI_DERIVE_FREE_STEP NSC_R(1e-5)
#define NSCI_DERIVE_SMOOTH_STEP NSC_R(1e-7)
#define NSCI_DERIVE_SAME NSC_R(1e-6)
#define NSCI_DERIVE_BEND NSC_R(1e-3)
#else
#define NSCI_DERIVE_STEP NSC_R(4e-3)
#define NSCI_DERIVE_FREE_STEP NSC_R(2e-2)
#define NSCI_DERIVE_SMOOTH_STEP NSC_R(4e-3)
#define NSCI_DERIVE_SAME NSC_R(1e-3)
#define NSCI_DERIVE_BEND NSC_R(0.05)
#endif
#ifndef NSCI_DERIVE_ITERATIONS
#define NSCI_DERIVE_ITERATIONS 2000 /* most of a solve; all are made where no answer is finite */
#endif
#ifdef NSC_NEWTON_H
#define NSCI_DERIVE_SOLVE nsc_solve_newton
#else
#define NSCI_DERIVE_SOLVE nsc_solve_sipgs
#endif
#define NSCI_DERIVE_PARTS 128 /* of 1 rad, of a turn within a step */
enum { NSCI_DERIVE_POSES = 6 * NSC_MAX_BODIES, NSCI_DERIVE_BY_ROW = 13 * NSC_MAX_BODIES };

NSC_API const char *nsc_derive_error_text(int code)
{
    switch (code) {
    case NSC_DERIVE_ERR_UNSUPPORTED:
        return "a stepper, law or row that nsc_derive.h does not differentiate";
    case NSC_DERIVE_ERR_MISMATCH:
        return "the step does not end as its contact problem says";
    case NSC_DERIVE_ERR_SWITCH:
        return "other contacts or islands, or a kink, within the differences";
    case NSC_DERIVE_ERR_OWN_CONTACT:
        return "a pose of a body with a contact of your own";
    default:
        return nsc_error_text(code);
    }
}

/* [m/s]; what is slower than this is the rounding of a solver */
#define NSCI_DERIVE_REST (100 * NSC_REAL_EPS)

static nsc_real nsci_derive_abs(nsc_real x) { return x < 0 ? -x : x; }

static nsc_vec3 nsci_derive_cross(nsc_vec3 a, nsc_vec3 b)
{
    nsc_vec3 c = a;
    c.x = a.y * b.z - a.z * b.y;
    c.y = a.z * b.x - a.x * b.z;
    c.z = a.x * b.y - a.y * b.x;
    return c;
}

/* Sum over k of (turn x)^k v / (k + more)!, for turns up to 1 rad */
static nsc_vec3 nsci_derive_terms(nsc_vec3 turn, nsc_vec3 v, int more)
{
    nsc_vec3 sum = v;
    int k;
    for (k = 1; k < 16; k++) {
        v = nsci_derive_cross(turn, v);
        v.x /= (nsc_real)(k + more);
        v.y /= (nsc_real)(k + more);
        v.z /= (nsc_real)(k + more);
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
    }
    return sum;
}

/* The same for any turn: v turned (more 0), or how the turn changes (more 1), which is the mean of
   that of all parts of the turn */
static nsc_vec3 nsci_derive_series(nsc_vec3 turn, nsc_vec3 v, int more)
{
    nsc_vec3 sum;
    int parts = 1, k;
    while (turn.x * turn.x + turn.y * turn.y + turn.z * turn.z > 1 && parts < NSCI_DERIVE_PARTS) {
        turn.x *= NSC_R(0.5);
        turn.y *= NSC_R(0.5);
        turn.z *= NSC_R(0.5);
        parts *= 2;
    }
    sum = v = nsci_derive_terms(turn, v, more);
    for (k = 1; k < parts; k++) {
        v = nsci_derive_terms(turn, v, 0);
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
    }
    if (more == 0 || parts == 1)
        return v;
    sum.x /= (nsc_real)parts;
    sum.y /= (nsc_real)parts;
    sum.z /= (nsc_real)parts;
    return sum;
}

static nsc_vec3 nsci_derive_rotate(nsc_quat q, nsc_vec3 r)
{
    nsc_vec3 u = r, t;
    u.x = q.x;
    u.y = q.y;
    u.z = q.z;
    t = nsci_derive_cross(u, r);
    u = nsci_derive_cross(u, t);
    r.x += 2 * (q.w * t.x + u.x);
    r.y += 2 * (q.w * t.y + u.y);
    r.z += 2 * (q.w * t.z + u.z);
    return r;
}

static nsc_quat nsci_derive_times(nsc_quat p, nsc_quat q)
{
    nsc_quat r;
    r.w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z;
    r.x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y;
    r.y = p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z;
    r.z = p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x;
    return r;
}

static nsc_quat nsci_derive_back(nsc_quat q)
{
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

static nsc_vec3 nsci_derive_vec(const nsc_real *from)
{
    nsc_vec3 v;
    v.x = from[0];
    v.y = from[1];
    v.z = from[2];
    return v;
}

static nsc_quat nsci_derive_quat(const nsc_real *from)
{
    nsc_quat q;
    q.w = from[0];
    q.x = from[1];
    q.y = from[2];
    q.z = from[3];
    return q;
}

static void nsci_derive_put_quat(nsc_real *to, nsc_quat q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

static void nsci_derive_put(nsc_real *to, nsc_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* a + s b */
static nsc_vec3 nsci_derive_add(nsc_vec3 a, nsc_real s, nsc_vec3 b)
{
    a.x += s * b.x;
    a.y += s * b.y;
    a.z += s * b.z;
    return a;
}

/* Slot of a body, or -1 */
static int nsci_derive_find(const nsc_world *w, nsc_id id)
{
    int i;
    for (i = 0; i < w->body_end && id >= 0; i++)
        if (nsc_world_body_at(w, i) == id)
            return i;
    return -1;
}

static int nsci_derive_moves(const nsc_world *w, nsc_id id)
{
    int i = nsci_derive_find(w, id);
    return i > 0 && w->bodies[i].kind == NSC_DYNAMIC_BODY;
}

/* Mark the body and what hangs from it by joints other than the one given (or -1) and those beside
   it on the same bodies.  0: a body hangs there that is not dynamic. */
static int nsci_derive_piece(const nsc_world *w, int body, nsc_id without,
                             unsigned char mark[NSC_MAX_BODIES])
{
    int i, more = 1, free = 1;
    NSC_MEMSET(mark, 0, NSC_MAX_BODIES);
    mark[body] = 1;
    while (more) {
        more = 0;
#if NSC_MAX_JOINTS > 0
        for (i = 0; i < w->joint_end; i++) {
            const nsc_joint_def *j = &w->joints[i].def;
            nsc_joint_def other;
            int a, b;
            if (w->joints[i].generation % 2 == 0 || j->kind == NSC_JOINT_GEAR)
                continue;
            if (without >= 0 && nsc_joint_get_def(w, without, &other) == NSC_OK &&
                other.body_a == j->body_a && other.body_b == j->body_b)
                continue;
            a = nsci_derive_find(w, j->body_a);
            b = nsci_derive_find(w, j->body_b);
            if (a < 0 || b < 0 || mark[a] == mark[b])
                continue;
            if (w->bodies[mark[a] ? b : a].kind != NSC_DYNAMIC_BODY) {
                free = 0;
                continue;
            }
            mark[a] = mark[b] = 1;
            more = 1;
        }
#endif
    }
    (void)w;
    (void)i;
    (void)without;
    return free;
}

/* Change the effort of a drive by x. */
static int nsci_derive_push(nsc_world *w, const nsc_derive_input *in, nsc_real x)
{
#if NSC_MAX_JOINTS > 0
    nsc_joint_def joint;
    int code = nsc_joint_get_def(w, in->id, &joint);
    if (code < 0)
        return code;
    if (in->axis >= NSC_JOINT_AXES)
        return NSC_ERR_ARGUMENT;
    return nsc_joint_set_force(w, in->id, in->axis, joint.axis[in->axis].force + x);
#else
    (void)w;
    (void)in;
    (void)x;
    return NSC_ERR_HANDLE;
#endif
}

/* Change position or rate of a joint's axis by x. */
static int nsci_derive_swing(nsc_world *w, const nsc_derive_input *in, nsc_real x)
{
#if NSC_MAX_JOINTS > 0
    nsc_axis_state now;
    int rate = in->kind == NSC_DERIVE_RATE, code = nsc_joint_get_axis(w, in->id, in->axis, &now);
    if (code < 0)
        return code;
    return nsc_joint_set_state(w, in->id, in->axis, now.position + (rate ? 0 : x),
                               now.velocity + (rate ? x : 0));
#else
    (void)w;
    (void)in;
    (void)x;
    return NSC_ERR_HANDLE;
#endif
}

/* Quaternion of a small rotation d, to the third order */
static nsc_quat nsci_derive_small(nsc_vec3 d)
{
    nsc_real square = d.x * d.x + d.y * d.y + d.z * d.z, half = NSC_R(0.5) * (1 + square / 12);
    nsc_quat q;
    q.w = 1 / NSC_SQRT(1 + half * half * square);
    q.x = q.w * half * d.x;
    q.y = q.w * half * d.y;
    q.z = q.w * half * d.z;
    return q;
}

static nsc_quat nsci_derive_unit(nsc_quat q)
{
    nsc_real size = 1 / NSC_SQRT(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w *= size;
    q.x *= size;
    q.y *= size;
    q.z *= size;
    return q;
}

/* Move a body of a piece that moves as `first` does: kind POSITION .. SPIN, by d. */
static void nsci_derive_carry(const nsc_body *first, nsc_body *b, int kind, nsc_vec3 d)
{
    nsc_vec3 arm = nsci_derive_add(b->position, -1, first->position), own, spin;
    nsc_quat q = nsci_derive_small(d);
    if (kind == NSC_DERIVE_POSITION)
        b->position = nsci_derive_add(b->position, 1, d);
    if (kind == NSC_DERIVE_VELOCITY)
        b->velocity = nsci_derive_add(b->velocity, 1, d);
    if (kind == NSC_DERIVE_SPIN) {
        b->velocity = nsci_derive_add(b->velocity, 1, nsci_derive_cross(d, arm));
        if (!b->particle)
            b->angular_velocity = nsci_derive_add(b->angular_velocity, 1, d);
    }
    if (kind != NSC_DERIVE_TURN)
        return;
    own = nsci_derive_add(b->velocity, -1, first->velocity);
    own = nsci_derive_add(own, -1, nsci_derive_cross(first->angular_velocity, arm));
    spin = nsci_derive_add(b->angular_velocity, -1, first->angular_velocity);
    arm = nsci_derive_rotate(q, arm);
    b->position = nsci_derive_add(first->position, 1, arm);
    b->velocity = nsci_derive_add(first->velocity, 1, nsci_derive_rotate(q, own));
    b->velocity = nsci_derive_add(b->velocity, 1, nsci_derive_cross(first->angular_velocity, arm));
    if (b->particle)
        return;
    b->angular_velocity = nsci_derive_add(first->angular_velocity, 1, nsci_derive_rotate(q, spin));
    b->orientation = nsci_derive_unit(nsci_derive_times(q, b->orientation));
}

/* Would the bodies be where numbers end? */
static int nsci_derive_ends(const nsc_world *w, const unsigned char mark[NSC_MAX_BODIES],
                            const nsc_body *first, int kind, nsc_vec3 d)
{
    nsc_body b;
    nsc_vec3 turn;
    int i;
    for (i = 1; i < w->body_end; i++) {
        if (!mark[i])
            continue;
        NSC_MEMCPY(&b, &w->bodies[i], sizeof b);
        nsci_derive_carry(first, &b, kind, d);
        turn = b.angular_velocity;
        turn.x += b.orientation.w + b.orientation.x + b.orientation.y + b.orientation.z;
        if (!nsci_vec_finite(b.position) || !nsci_vec_finite(b.velocity) ||
            !nsci_vec_finite(turn))
            return 1;
    }
    return 0;
}

/* Move one input of a world by x.  wake: bodies moved wake, and what touches them; else only by
   AXIS and RATE. */
static int nsci_derive_displace(nsc_world *w, const nsc_derive_input *in, nsc_real x, int wake)
{
    unsigned char mark[NSC_MAX_BODIES];
    nsc_vec3 d, zero;
    nsc_body first;
    int i, slot, kind = in->kind, code;
    if (kind < NSC_DERIVE_POSITION || kind > NSC_DERIVE_PIECE_SPIN || in->axis < 0 || in->axis > 2)
        return NSC_ERR_ARGUMENT;
    if (kind == NSC_DERIVE_EFFORT)
        return nsci_derive_push(w, in, x);
    if (kind == NSC_DERIVE_AXIS || kind == NSC_DERIVE_RATE)
        return nsci_derive_swing(w, in, x);
    code = nsc_body_get_velocity(w, in->id, NULL, NULL);
    if (code < 0)
        return code;
    if (!nsci_derive_moves(w, in->id))
        return NSC_ERR_ARGUMENT;
    NSC_MEMSET(&zero, 0, sizeof zero);
    d = zero;
    if (in->axis == 0)
        d.x = x;
    else if (in->axis == 1)
        d.y = x;
    else
        d.z = x;
    if (kind == NSC_DERIVE_FORCE)
        return nsc_body_add_force(w, in->id, d, zero);
    if (kind == NSC_DERIVE_TORQUE)
        return nsc_body_add_force(w, in->id, zero, d);
    slot = nsci_derive_find(w, in->id);
    NSC_MEMSET(mark, 0, sizeof mark);
    mark[slot] = 1;
    if (kind >= NSC_DERIVE_PIECE_POSITION) {
        kind += NSC_DERIVE_POSITION - NSC_DERIVE_PIECE_POSITION;
        if (!nsci_derive_piece(w, slot, -1, mark))
            return NSC_ERR_ARGUMENT;
    }
    NSC_MEMCPY(&first, &w->bodies[slot], sizeof first);
    if (nsci_derive_ends(w, mark, &first, kind, d))
        return NSC_ERR_NOT_FINITE;
    for (i = 1; i < w->body_end; i++) {
        if (!mark[i])
            continue;
        code = wake ? nsc_body_wake(w, nsc_world_body_at(w, i)) : (int)NSC_OK;
        if (code < 0)
            return code; /* of the first: the world is busy */
        if (wake)
            nsci_wake_touching(w, nsc_world_body_at(w, i), -1);
        nsci_derive_carry(&first, &w->bodies[i], kind, d);
    }
    return NSC_OK;
}

NSC_API int nsc_derive_move(nsc_world *w, const nsc_derive_input *in, nsc_real x)
{
    return w && in ? nsci_derive_displace(w, in, x, 1) : (int)NSC_ERR_ARGUMENT;
}

static nsc_real nsci_derive_dot(const nsc_real J[12], const nsc_real *a, const nsc_real *b)
{
    nsc_real sum = 0;
    int i;
    for (i = 0; i < 6; i++)
        sum += J[i] * a[i] + J[6 + i] * b[i];
    return sum;
}

/* y = M^-1 x of one body, six numbers */
static void nsci_derive_response(const nsc_mass *m, const nsc_real *x, nsc_real *y)
{
    const nsc_real *I = m->inv_inertia;
    y[0] = m->inv_mass * x[0];
    y[1] = m->inv_mass * x[1];
    y[2] = m->inv_mass * x[2];
    y[3] = I[0] * x[3] + I[3] * x[4] + I[4] * x[5];
    y[4] = I[3] * x[3] + I[1] * x[4] + I[5] * x[5];
    y[5] = I[4] * x[3] + I[5] * x[4] + I[2] * x[5];
}

/* Slot of a problem's body; 0 for one that no impulse moves */
static int nsci_derive_slot(const nsc_world *w, const nsc_island *own, int body)
{
    return body >= 1 && body <= (int)own->bodies ? (int)w->members[own->first_body + body - 1] : 0;
}

/* Keep the rows of one solved island. */
static int nsci_derive_keep(nsc_derive *d, const nsc_problem *p, const nsc_island *own)
{
    int k, i, j, lead = 0;
    for (i = 1; i <= (int)own->bodies; i++)
        for (j = 0; j < 6; j++)
            d->v[6 * nsci_derive_slot(d->trial, own, i) + j] = p->v[6 * i + j];
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        if (b->kind == NSC_BLOCK_ROLLING)
            return NSC_DERIVE_ERR_UNSUPPORTED;
        if (d->rows + (int)b->rows > NSC_DERIVE_ROWS)
            return NSC_ERR_CAPACITY;
        lead = d->rows;
        for (i = 0; i < (int)b->rows; i++) {
            nsc_derive_row *r = &d->row[d->rows++];
            nsc_real below, above;
            nsc_block_row(b, i, r->J);
            r->lead = b->kind == NSC_BLOCK_CONTACT ? lead : lead + i;
            r->a = nsci_derive_slot(d->trial, own, b->a);
            r->b = nsci_derive_slot(d->trial, own, b->b);
            r->kind = b->kind;
            r->mu = b->mu;
            nsci_derive_response(&p->masses[b->a], r->J, r->MinvJt);
            nsci_derive_response(&p->masses[b->b], r->J + 6, r->MinvJt + 6);
            r->cfm = b->cfm[i];
            r->lambda = b->lambda[i];
            r->u = nsci_derive_dot(r->J, p->v + 6 * b->a, p->v + 6 * b->b) + b->bias[i] +
                   b->cfm[i] * b->lambda[i];
            r->switch_speed = r->switch_impulse = NSC_REAL_MAX;
            r->state = b->eff_mass[i] > 0 ? NSC_DERIVE_HELD : NSC_DERIVE_OPEN;
            if (b->kind != NSC_BLOCK_BOX || r->state == NSC_DERIVE_OPEN)
                continue;
            below = r->lambda - b->lo[i];
            above = b->hi[i] - r->lambda;
            if (!(b->lo[i] < b->hi[i])) {
                r->state = NSC_DERIVE_BOUND_LOW;
            } else if (below < r->u * b->eff_mass[i]) {
                r->state = NSC_DERIVE_BOUND_LOW;
                r->switch_speed = r->u;
            } else if (above < -r->u * b->eff_mass[i]) {
                r->state = NSC_DERIVE_BOUND_HIGH;
                r->switch_speed = -r->u;
            } else {
                r->switch_impulse = below < above ? below : above;
            }
        }
        if (b->kind == NSC_BLOCK_CONTACT) {
            nsc_derive_row *r = &d->row[lead];
            nsc_real push = 0, slip = 0, room;
            int state = NSC_DERIVE_OPEN;
            if (r->state == NSC_DERIVE_HELD && r->lambda > r->u * b->eff_mass[0]) {
                state = NSC_DERIVE_STICK;
            } else if (b->rows == 3 && d->law == NSC_LAW_CONE && r->lambda > 0) {
                state = NSC_DERIVE_STICK;
            }
            for (i = 1; i < (int)b->rows; i++) {
                push += r[i].lambda * r[i].lambda;
                slip += r[i].u * r[i].u;
            }
            push = NSC_SQRT(push);
            slip = NSC_SQRT(slip);
            room = r->mu * r->lambda - push;
            if (state == NSC_DERIVE_OPEN && nsci_derive_abs(r->u) <= NSCI_DERIVE_REST)
                d->edge++;
            if (state == NSC_DERIVE_OPEN)
                r->switch_speed = nsci_derive_abs(r->u);
            else
                r->switch_impulse = r->lambda;
            if (state != NSC_DERIVE_OPEN && b->rows == 3) {
                if (room < slip * b->rho && slip <= NSCI_DERIVE_REST)
                    d->edge++;
                if (room < slip * b->rho && slip > NSCI_DERIVE_REST) {
                    d->slides++;
                    d->sliding++;
                    state = NSC_DERIVE_SLIDE;
                    r->switch_speed = slip;
                    /* A belt runs along a locked axis: the solver skips the row. */
                    for (i = 1; i < 3; i++)
                        if (!(b->eff_mass[i] > 0) && nsci_derive_abs(r[i].u) > NSCI_DERIVE_REST)
                            return NSC_DERIVE_ERR_UNSUPPORTED;
                    /* Cohesion and other laws do not lie on this cone. */
                    if (nsci_derive_abs(room) > NSCI_DERIVE_SAME * (push + r->mu * r->lambda))
                        return NSC_DERIVE_ERR_UNSUPPORTED;
                } else if (room < r->switch_impulse) {
                    r->switch_impulse = room > 0 ? room : 0;
                }
            }
            for (i = 0; i < (int)b->rows; i++) {
                r[i].state = state;
                r[i].switch_speed = r->switch_speed;
                r[i].switch_impulse = r->switch_impulse;
            }
        }
    }
    return NSC_OK;
}

/* Residuals of one island at the kept answer: where the velocities go, six a slot; then of each row
   its velocity and its bounds.  *first: its first row. */
static int nsci_derive_residual(const nsc_derive *d, const nsc_problem *p, const nsc_island *own,
                                nsc_real *out, int *first)
{
    nsc_real *by_row = out + NSCI_DERIVE_BY_ROW;
    int k, i, j, r = *first, slot;
    nsc_real apart, y[12];
    for (i = 1; i <= (int)own->bodies; i++) {
        slot = nsci_derive_slot(d->trial, own, i);
        for (j = 0; j < 6; j++) {
            out[6 * slot + j] = p->v_free[6 * i + j];
            p->v[6 * i + j] = d->v[6 * slot + j];
        }
    }
    for (i = (int)own->bodies + 1; i < p->body_count; i++)
        for (j = 0; j < 6; j++)
            p->v[6 * i + j] = p->v_free[6 * i + j];
    for (j = 0; j < 6; j++)
        p->v[j] = p->v_free[j];
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        for (i = 0; i < (int)b->rows; i++) {
            const nsc_derive_row *own_row = &d->row[r];
            nsc_real J[12];
            nsc_block_row(b, i, J);
            if (r >= d->rows || own_row->kind != (int)b->kind ||
                own_row->a != nsci_derive_slot(d->trial, own, b->a) ||
                own_row->b != nsci_derive_slot(d->trial, own, b->b))
                return NSC_DERIVE_ERR_SWITCH;
            for (j = 0; j < 12; j++) {
                apart = nsci_derive_abs(J[j] - own_row->J[j]);
                if (!(apart <= NSC_R(0.05) * (1 + nsci_derive_abs(own_row->J[j]))))
                    return NSC_DERIVE_ERR_SWITCH;
            }
            nsci_derive_response(&p->masses[b->a], J, y);
            nsci_derive_response(&p->masses[b->b], J + 6, y + 6);
            for (j = 0; j < 6; j++) {
                if (own_row->a > 0)
                    out[6 * own_row->a + j] += y[j] * own_row->lambda;
                if (own_row->b > 0)
                    out[6 * own_row->b + j] += y[6 + j] * own_row->lambda;
            }
            by_row[3 * r] = nsci_derive_dot(J, p->v + 6 * b->a, p->v + 6 * b->b) +
                            b->bias[i] + b->cfm[i] * own_row->lambda;
            by_row[3 * r + 1] = b->kind == NSC_BLOCK_BOX ? b->lo[i] : 0;
            by_row[3 * r + 2] = b->kind == NSC_BLOCK_BOX ? b->hi[i] : 0;
            r++;
        }
    }
    *first = r;
    return NSC_OK;
}

/* Is there a contact of the user's own for the coming step on a body whose pose moves?  (AXIS and
   PIECE: on any body.) */
static int nsci_derive_check_own(const nsc_world *w, const nsc_derive_input *in)
{
    int i, any = in->kind == NSC_DERIVE_AXIS || in->kind == NSC_DERIVE_PIECE_POSITION ||
                 in->kind == NSC_DERIVE_PIECE_TURN;
    if (!any && in->kind != NSC_DERIVE_POSITION && in->kind != NSC_DERIVE_TURN)
        return NSC_OK;
    for (i = 0; i < w->found_count; i++)
        if (w->found[i].shape_a < 0 &&
            (any || w->found[i].body_a == in->id || w->found[i].body_b == in->id))
            return NSC_DERIVE_ERR_OWN_CONTACT;
    return NSC_OK;
}

/* What setting an axis drops: contacts of the last step, with their history, and gears' offsets */
static void nsci_derive_restore(const nsc_derive *d)
{
    nsc_world *w = d->trial;
    int i = 0;
    w->contact_count = d->world->contact_count;
    NSC_MEMCPY(w->contacts, d->world->contacts, sizeof w->contacts);
#if NSC_MAX_MANIFOLDS > 0
    w->manifold_end = d->world->manifold_end;
    NSC_MEMCPY(w->manifolds, d->world->manifolds, sizeof w->manifolds);
#endif
#if NSC_MAX_JOINTS > 0
    for (i = 0; i < w->joint_end; i++)
        w->joints[i].offset = d->world->joints[i].offset;
#endif
    (void)i;
}

/* The trial world along x, and its poses */
static int nsci_derive_shift(nsc_derive *d, const nsc_derive_input *in, int inputs,
                             const nsc_real *x, nsc_real step, nsc_real *out)
{
    int i, code = NSC_OK;
    NSC_MEMCPY(d->trial, d->world, sizeof *d->trial);
    for (i = 0; i < inputs && code == NSC_OK; i++)
        code = nsci_derive_displace(d->trial, &in[i], step * x[i], 0);
    nsci_derive_restore(d);
    for (i = 0; i < d->trial->body_end; i++) {
        const nsc_body *b = &d->trial->bodies[i];
        nsc_real *pose = out + NSCI_DERIVE_POSES + 7 * i;
        nsci_derive_put(pose, b->position);
        nsci_derive_put_quat(pose + 3, b->orientation);
    }
    return code;
}

/* The same, and its residuals */
static int nsci_derive_side(nsc_derive *d, const nsc_derive_input *in, int inputs,
                            const nsc_real *x, nsc_real step, nsc_real *out)
{
    nsc_problem p;
    int i, row = 0, code;
    NSC_MEMSET(out, 0, sizeof d->low);
    code = nsci_derive_shift(d, in, inputs, x, step, out);
    for (i = 0; i < d->islands && code == NSC_OK; i++) {
        code = nsc_world_problem(d->trial, d->h, i, &p);
        if (code == NSC_OK)
            code = nsci_derive_residual(d, &p, &d->trial->islands[i], out, &row);
    }
    return code == NSC_OK && row != d->rows ? NSC_DERIVE_ERR_SWITCH : code;
}

/* Velocity of row i that the impulse of row j makes */
static nsc_real nsci_derive_entry(const nsc_derive *d, int i, int j)
{
    const nsc_derive_row *r = &d->row[i], *c = &d->row[j];
    nsc_real sum = i == j ? r->cfm : 0;
    int k;
    for (k = 0; k < 6; k++) {
        if (r->a > 0 && r->a == c->a)
            sum += r->J[k] * c->MinvJt[k];
        if (r->a > 0 && r->a == c->b)
            sum += r->J[k] * c->MinvJt[6 + k];
        if (r->b > 0 && r->b == c->a)
            sum += r->J[6 + k] * c->MinvJt[k];
        if (r->b > 0 && r->b == c->b)
            sum += r->J[6 + k] * c->MinvJt[6 + k];
    }
    return sum;
}

/* Row i of the equations of the states: *own times the impulse's change plus on[0..2] times the
   changes of velocity of the rows lead .. lead + 2 (or on[0] of itself) plus *push times the change
   of the normal impulse is 0 (open, bound: the change of the bound). */
static void nsci_derive_equation(const nsc_derive *d, int i, nsc_real on[3], nsc_real *own,
                                 nsc_real *push)
{
    const nsc_derive_row *r = &d->row[i], *n = &d->row[r->lead];
    nsc_real along[2], slip, bend;
    int t = i - r->lead - 1, k;
    on[0] = on[1] = on[2] = *own = *push = 0;
    if (r->state == NSC_DERIVE_OPEN || r->state >= NSC_DERIVE_BOUND_LOW) {
        *own = 1;
        return;
    }
    if (r->state != NSC_DERIVE_SLIDE) {
        on[i - r->lead] = 1;
        return;
    }
    slip = NSC_SQRT(n[1].u * n[1].u + n[2].u * n[2].u);
    along[0] = slip > 0 ? n[1].u / slip : 0;
    along[1] = slip > 0 ? n[2].u / slip : 0;
    if (t < 0) {
        on[0] = 1;
        for (k = 0; k < 2 && d->law == NSC_LAW_CONE; k++)
            on[1 + k] = -n->mu * along[k];
        return;
    }
    bend = slip > 0 ? n->mu * n->lambda / slip : 0;
    for (k = 0; k < 2; k++)
        on[1 + k] = bend * ((k == t ? 1 : 0) - along[k] * along[t]);
    *own = 1;
    *push = n->mu * along[t];
}

/* LU with full pivoting; rows that follow from others are cut. */
static void nsci_derive_factor(nsc_derive *d)
{
    nsc_real on[3], own, push, most, x, first = 0;
    int i, j, k, n = d->rows, best_i, best_j;
    for (i = 0; i < n; i++) {
        x = nsci_derive_entry(d, i, i);
        d->scale[i] = x > 0 ? 1 / NSC_SQRT(x) : 1;
    }
    for (i = 0; i < n; i++) {
        nsci_derive_equation(d, i, on, &own, &push);
        d->weight[i] = own > 0 ? 1 / d->scale[i] : d->scale[i];
        for (j = 0; j < n; j++) {
            x = i == j ? own : 0;
            if (j == d->row[i].lead)
                x += push;
            for (k = 0; k < 3; k++)
                if (nsci_derive_abs(on[k]) > 0)
                    x += on[k] * nsci_derive_entry(d, d->row[i].lead + k, j);
            d->M[i][j] = x * d->weight[i] * d->scale[j];
        }
        d->by_row[i] = d->by_column[i] = i;
    }
    for (d->cut = 0; d->cut < n; d->cut++) {
        int c = d->cut;
        most = 0;
        best_i = best_j = c;
        for (i = c; i < n; i++)
            for (j = c; j < n; j++)
                if (nsci_derive_abs(d->M[i][j]) > most) {
                    most = nsci_derive_abs(d->M[i][j]);
                    best_i = i;
                    best_j = j;
                }
        if (c == 0)
            first = most;
        if (!(most > 100 * NSC_REAL_EPS * (nsc_real)n * first))
            break;
        for (j = 0; j < n; j++) {
            x = d->M[c][j];
            d->M[c][j] = d->M[best_i][j];
            d->M[best_i][j] = x;
        }
        for (i = 0; i < n; i++) {
            x = d->M[i][c];
            d->M[i][c] = d->M[i][best_j];
            d->M[i][best_j] = x;
        }
        k = d->by_row[c];
        d->by_row[c] = d->by_row[best_i];
        d->by_row[best_i] = k;
        k = d->by_column[c];
        d->by_column[c] = d->by_column[best_j];
        d->by_column[best_j] = k;
        for (i = c + 1; i < n; i++) {
            d->M[i][c] /= d->M[c][c];
            for (j = c + 1; j < n; j++)
                d->M[i][j] -= d->M[i][c] * d->M[c][j];
        }
    }
    d->redundant = n - d->cut;
}

/* dl from rhs */
static void nsci_derive_solve(nsc_derive *d)
{
    nsc_real x;
    int i, j, n = d->rows;
    for (i = 0; i < n; i++) {
        x = d->rhs[d->by_row[i]] * d->weight[d->by_row[i]];
        for (j = 0; j < i && j < d->cut; j++)
            x -= d->M[i][j] * d->du[j];
        d->du[i] = x;
        if (i >= d->cut && nsci_derive_abs(x) > d->conflict)
            d->conflict = nsci_derive_abs(x);
    }
    for (i = n - 1; i >= 0; i--) {
        x = i < d->cut ? d->du[i] : 0;
        for (j = i + 1; j < d->cut; j++)
            x -= d->M[i][j] * d->dl[d->by_column[j]];
        d->dl[d->by_column[i]] = i < d->cut ? x / d->M[i][i] : 0;
    }
    for (i = 0; i < n; i++)
        d->dl[i] *= d->scale[i];
}

static int nsci_derive_solve_islands(nsc_derive *d)
{
    nsc_settings s = d->trial->def.solver;
    nsc_report report;
    nsc_problem p;
    int code;
#ifdef NSC_NEWTON_H
    nsc_settings centred;
    int i, first;
    s.max_factorizations = 120;
#endif
    s.max_iterations = NSCI_DERIVE_ITERATIONS;
    s.tolerance = NSC_R(0.01) * NSC_REAL_EPS;
    d->trial->def.solver = s;
    s.barrier = 0;
    for (d->islands = 0;; d->islands++) {
        const nsc_island *own;
        code = nsc_world_problem(d->trial, d->h, d->islands, &p);
        if (code == NSC_ERR_ARGUMENT)
            return NSC_OK;
        if (code < 0)
            return code;
        own = &d->trial->islands[d->islands];
        if (own->asleep)
            return NSC_DERIVE_ERR_UNSUPPORTED;
        code = NSCI_DERIVE_SOLVE(&p, &s, &report);
        if (code < 0)
            return code;
        d->edge = d->slides = 0;
#ifndef NSC_NEWTON_H
        code = nsci_derive_keep(d, &p, own);
#else
        first = d->rows;
        code = nsci_derive_keep(d, &p, own);
        /* Redundant contacts share a load in many ways: the barrier finds one inside the cones, and
           is stopped before rounding moves it along.  If a contact slides, the shares count, and
           those found from the last step's stay. */
        if (code == NSC_OK && d->rows > first && (d->edge || !d->slides)) {
            for (i = 0; i < p.block_count; i++)
                NSC_MEMSET(p.blocks[i].lambda, 0, sizeof p.blocks[i].lambda);
            centred = s;
            centred.barrier = 1;
            centred.tolerance = 100 * NSC_REAL_EPS;
            code = NSCI_DERIVE_SOLVE(&p, &centred, &report);
            d->rows = first;
            d->sliding -= d->slides;
            if (code >= 0)
                code = nsci_derive_keep(d, &p, own);
        }
#endif
        if (code < 0)
            return code;
    }
}

/* ---- the motion after the solve.  A body whose inertia is no ball's turns at a mean rate m, which
   is not the rate w after the impulses: I (m - w) + g/2 m x I m = 0 in its frame, g = h tan(a) / a
   with a = h |m| / 2; then it has the rate m + Q (m - w), Q the turn by h m. */

/* The inertia of a body that turns so, or 0 */
static int nsci_derive_inertia(const nsc_derive *d, int i, nsc_real I[6])
{
    nsc_vec3 centre;
    nsc_real mass;
    if (nsc_body_get_mass(d->world, nsc_world_body_at(d->world, i), &mass, &centre, I) < 0)
        return 0;
#if NSC_LOCKS
    if (d->world->bodies[i].locks & (NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y | NSC_LOCK_TURN_Z))
        return 0;
#endif
    return I[0] > 0 && !(I[0] <= I[1] && I[1] <= I[2] && I[2] <= I[0] &&
                         !(I[3] * I[3] + I[4] * I[4] + I[5] * I[5] > 0));
}

static nsc_vec3 nsci_derive_momentum(const nsc_real I[6], nsc_vec3 w)
{
    nsc_vec3 L = w;
    L.x = I[0] * w.x + I[3] * w.y + I[4] * w.z;
    L.y = I[3] * w.x + I[1] * w.y + I[5] * w.z;
    L.z = I[4] * w.x + I[5] * w.y + I[2] * w.z;
    return L;
}

static nsc_real nsci_derive_inner(nsc_vec3 a, nsc_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* g, and its derivative by m: *slope times m */
static nsc_real nsci_derive_cayley(nsc_vec3 m, nsc_real h, nsc_real *slope)
{
    nsc_real size = NSC_SQRT(nsci_derive_inner(m, m)), a = NSC_R(0.5) * h * size, t;
    nsc_vec3 turn = m, x = m;
    *slope = 0;
    if (!(a > NSC_R(1e-4)))
        return h;
    turn.x = turn.y = x.y = x.z = 0;
    x.x = 1;
    turn.z = a < 1 ? a : 1;
    x = nsci_derive_series(turn, x, 0);
    t = x.y / x.x;
    if (a < 1)
        *slope = h * (a * (1 + t * t) - t) / (a * a) * (NSC_R(0.5) * h / size);
    return h * t / turn.z;
}

/* Change of m with that of the spin w and a turn `by` of the body before the step; world frame */
static nsc_vec3 nsci_derive_mean(const nsc_derive *d, int i, nsc_vec3 by, nsc_vec3 spin)
{
    nsc_quat q = d->world->bodies[i].orientation, back = nsci_derive_back(q);
    nsc_vec3 m = nsci_derive_vec(d->mean + 3 * i), w = nsci_derive_vec(d->v + 6 * i + 3);
    nsc_vec3 L, e, c[3];
    nsc_real I[6], g, slope, whole, part[3];
    int k;
    if (!nsci_derive_inertia(d, i, I))
        return spin;
    spin = nsci_derive_rotate(back, nsci_derive_add(spin, -1, nsci_derive_cross(by, w)));
    by = nsci_derive_cross(by, m);
    m = nsci_derive_rotate(back, m);
    spin = nsci_derive_momentum(I, spin);
    g = nsci_derive_cayley(m, d->h, &slope);
    L = nsci_derive_momentum(I, m);
    for (k = 0; k < 3; k++) { /* columns of the equation's derivative by m */
        NSC_MEMSET(&e, 0, sizeof e);
        *(k == 0 ? &e.x : k == 1 ? &e.y : &e.z) = 1;
        c[k] = nsci_derive_momentum(I, e);
        c[k] = nsci_derive_add(c[k], g / 2, nsci_derive_cross(m, c[k]));
        c[k] = nsci_derive_add(c[k], g / 2, nsci_derive_cross(e, L));
        c[k] = nsci_derive_add(c[k], slope * nsci_derive_inner(m, e) / 2, nsci_derive_cross(m, L));
    }
    whole = nsci_derive_inner(c[0], nsci_derive_cross(c[1], c[2]));
    for (k = 0; k < 3; k++)
        part[k] =
            nsci_derive_inner(spin, nsci_derive_cross(c[(k + 1) % 3], c[(k + 2) % 3])) / whole;
    return nsci_derive_add(by, 1, nsci_derive_rotate(q, nsci_derive_vec(part)));
}

/* Keep the end of the step, and the mean rate of each body.  0: it does not end with the velocities
   of the contact problem. */
static int nsci_derive_keep_end(nsc_derive *d, int i)
{
    const nsc_body *from = &d->world->bodies[i], *to = &d->trial->bodies[i];
    nsc_quat turn = nsci_derive_times(to->orientation, nsci_derive_back(from->orientation));
    nsc_quat back = nsci_derive_back(from->orientation);
    nsc_vec3 w = nsci_derive_vec(d->v + 6 * i + 3), m, L, change;
    nsc_real *end = d->end + 13 * i, I[6], g, slope, size, most;
    int k;
    nsci_derive_put(end, to->position);
    nsci_derive_put_quat(end + 3, to->orientation);
    nsci_derive_put(end + 7, to->velocity);
    nsci_derive_put(end + 10, to->angular_velocity);
    m = nsci_derive_rotate(nsci_derive_back(turn), to->angular_velocity);
    change = nsci_derive_add(m, -1, w);
    m = nsci_derive_add(w, NSC_R(0.5), change);
    nsci_derive_put(d->mean + 3 * i, m);
    size = 1 + NSC_SQRT(nsci_derive_inner(w, w));
    most = 1;
    if (nsci_derive_inertia(d, i, I)) {
        most = I[0] > I[1] ? I[0] : I[1];
        most = I[2] > most ? I[2] : most;
        m = nsci_derive_rotate(back, m);
        g = nsci_derive_cayley(m, d->h, &slope);
        L = nsci_derive_momentum(I, m);
        change = nsci_derive_momentum(I, nsci_derive_rotate(back, change));
        change = nsci_derive_add(change, g, nsci_derive_cross(m, L));
    }
    if (!(nsci_derive_inner(change, change) <=
          NSCI_DERIVE_SAME * size * most * NSCI_DERIVE_SAME * size * most))
        return 0;
    for (k = 0; k < 3; k++)
        if (!(nsci_derive_abs(end[7 + k] - d->v[6 * i + k]) <=
              NSCI_DERIVE_SAME * (1 + nsci_derive_abs(end[7 + k]))))
            return 0;
    return 1;
}

static int nsci_derive_compare(nsc_derive *d)
{
    nsc_vec3 m;
    nsc_calls calls = nsc_default_calls();
    int i, code;
    calls.solve = NSCI_DERIVE_SOLVE;
    code = nsc_world_step_with(d->trial, d->h, &calls);
    for (i = 1; i < d->trial->body_end && code >= 0; i++) {
        if (!nsci_derive_moves(d->trial, nsc_world_body_at(d->trial, i)))
            continue;
        if (!nsci_derive_keep_end(d, i))
            return NSC_DERIVE_ERR_MISMATCH;
        m = nsci_derive_vec(d->mean + 3 * i);
        if (d->h * NSC_SQRT(nsci_derive_inner(m, m)) > NSCI_DERIVE_PARTS)
            return NSC_DERIVE_ERR_UNSUPPORTED;
    }
    return code < 0 ? code : NSC_OK;
}

NSC_API int nsc_derive_begin(nsc_derive *d, const nsc_world *world, nsc_world *trial, nsc_real h)
{
    int i, code;
    if (!d)
        return NSC_ERR_ARGUMENT;
    NSC_MEMSET(d, 0, sizeof *d);
    if (!world || !trial || trial == world || !(h > 0))
        return NSC_ERR_ARGUMENT;
    if (world->def.stepper != NSC_STEPPER_EULER_IMPLICIT_LINEARIZED || world->def.substeps != 1 ||
        world->def.solver.law == NSC_LAW_PYRAMID)
        return NSC_DERIVE_ERR_UNSUPPORTED;
    d->trial = trial;
    d->h = h;
    d->law = world->def.solver.law;
    NSC_MEMCPY(trial, world, sizeof *trial);
    d->world = world;
    code = nsci_derive_solve_islands(d);
    if (code == NSC_OK)
        code = nsci_derive_compare(d);
    if (code == NSC_OK)
        code = nsci_derive_side(d, NULL, 0, NULL, 0, d->mid);
    if (code < 0) {
        d->rows = 0;
        d->world = NULL;
        return code;
    }
    d->switch_speed = d->switch_impulse = NSC_REAL_MAX;
    for (i = 0; i < d->rows; i++) {
        if (d->row[i].switch_speed < d->switch_speed)
            d->switch_speed = d->row[i].switch_speed;
        if (d->row[i].switch_impulse < d->switch_impulse)
            d->switch_impulse = d->row[i].switch_impulse;
    }
    nsci_derive_factor(d);
    d->shared = d->redundant > 0 ? d->sliding : 0;
    return NSC_OK;
}

/* From the changes of velocities after the solve, and the poses below and above, 2 step apart */
static void nsci_derive_advance(nsc_derive *d, const nsc_real *dv, nsc_real step)
{
    int i, j;
    NSC_MEMSET(d->change, 0, sizeof d->change);
    for (i = 1; i < d->world->body_end; i++) {
        const nsc_real *low = d->low + NSCI_DERIVE_POSES + 7 * i;
        const nsc_real *high = d->high + NSCI_DERIVE_POSES + 7 * i;
        nsc_real *c = d->change + 12 * i;
        nsc_vec3 m = nsci_derive_vec(d->mean + 3 * i), spin = nsci_derive_vec(dv + 6 * i + 3);
        nsc_vec3 turn, by, more, half, zero;
        nsc_quat to;
        if (!nsci_derive_moves(d->world, nsc_world_body_at(d->world, i)))
            continue;
        NSC_MEMSET(&zero, 0, sizeof zero);
        to = nsci_derive_times(nsci_derive_quat(high + 3),
                               nsci_derive_back(nsci_derive_quat(low + 3)));
        by = zero;
        by.x = to.x / step;
        by.y = to.y / step;
        by.z = to.z / step;
        turn = nsci_derive_add(zero, d->h, m);
        half = nsci_derive_add(m, -1, nsci_derive_vec(d->v + 6 * i + 3));
        half = nsci_derive_series(turn, half, 0);
        m = nsci_derive_mean(d, i, by, spin);
        more = nsci_derive_series(turn, nsci_derive_add(zero, d->h, m), 1);
        nsci_derive_put(c + 3, nsci_derive_add(more, 1, nsci_derive_series(turn, by, 0)));
        spin = nsci_derive_series(turn, nsci_derive_add(m, -1, spin), 0);
        spin = nsci_derive_add(spin, 1, nsci_derive_cross(more, half));
        nsci_derive_put(c + 9, nsci_derive_add(m, 1, spin));
        for (j = 0; j < 3; j++) {
            c[j] = (high[j] - low[j]) / (2 * step) + d->h * dv[6 * i + j];
            c[6 + j] = dv[6 * i + j];
        }
    }
}

/* Index of what a row contributes to the equations, or -1: it is open */
static int nsci_derive_datum(const nsc_derive *d, int row)
{
    int state = d->row[row].state, i = NSCI_DERIVE_BY_ROW + 3 * row;
    if (state == NSC_DERIVE_OPEN)
        return -1;
    return state == NSC_DERIVE_BOUND_LOW ? i + 1 : state == NSC_DERIVE_BOUND_HIGH ? i + 2 : i;
}

/* Is there a kink or a jump between below and above? */
static int nsci_derive_bends(const nsc_derive *d, nsc_real step)
{
    nsc_real most = step, reach = 1, x;
    int pass, k, i;
    for (i = NSCI_DERIVE_POSES; i < NSCI_DERIVE_BY_ROW; i++) {
        x = nsci_derive_abs(d->mid[i]);
        reach = x > reach ? x : reach;
    }
    for (pass = 0; pass < 2; pass++)
        for (k = 0; k < 6 * NSC_MAX_BODIES + d->rows; k++) {
            i = k < 6 * NSC_MAX_BODIES ? k : nsci_derive_datum(d, k - 6 * NSC_MAX_BODIES);
            if (i < 0)
                continue;
            x = nsci_derive_abs(d->high[i] - d->low[i]);
            if (pass == 0 && x > most)
                most = x;
            x = nsci_derive_abs(d->high[i] - d->mid[i] - (d->mid[i] - d->low[i]));
            if (pass == 1 && !(x <= NSCI_DERIVE_BEND * most + 8 * NSC_REAL_EPS * reach / d->h +
                                        64 * NSC_REAL_EPS * nsci_derive_abs(d->mid[i])))
                return 1;
        }
    return 0;
}

/* Both sides of the present state; size: the largest change of an input */
static int nsci_derive_sides(nsc_derive *d, const nsc_derive_input *in, int inputs,
                             const nsc_real *x, nsc_real step, nsc_real size)
{
    int code = nsci_derive_side(d, in, inputs, x, -step, d->low);
    if (code == NSC_OK)
        code = nsci_derive_side(d, in, inputs, x, step, d->high);
    return code == NSC_OK && nsci_derive_bends(d, size) ? NSC_DERIVE_ERR_SWITCH : code;
}

/* The change along x, into d->change */
static int nsci_derive_along(nsc_derive *d, const nsc_derive_input *in, int inputs,
                             const nsc_real *x)
{
    nsc_real on[3], own, push, most = 0, step, poses;
    nsc_real *rise = d->low; /* its velocities and rows */
    int i, k, code, pulls = 0;
    for (i = 0; i < inputs; i++) {
        pulls |= in[i].kind <= NSC_DERIVE_TURN;
        if (!(nsci_derive_abs(x[i]) <= most))
            most = nsci_derive_abs(x[i]);
        if (!(most <= NSC_REAL_MAX))
            return NSC_ERR_NOT_FINITE;
        code = nsci_derive_check_own(d->world, &in[i]);
        if (code < 0)
            return code;
    }
    step = pulls ? NSCI_DERIVE_STEP : NSCI_DERIVE_FREE_STEP;
    if (d->world->def.contact_model == NSC_CONTACT_SMOOTH)
        step = NSCI_DERIVE_SMOOTH_STEP;
    most = most > 0 ? most : 1;
    code = nsci_derive_sides(d, in, inputs, x, step / most, step);
    for (i = 0; i < 3 && code == NSC_DERIVE_ERR_SWITCH; i++) {
        step /= 8;
        code = nsci_derive_sides(d, in, inputs, x, step / most, step);
    }
    if (code < 0)
        return code;
    step /= most;
    poses = NSCI_DERIVE_STEP / most; /* they are smooth, whatever the contacts */
    for (i = 0; i < NSCI_DERIVE_BY_ROW + 3 * d->rows; i++)
        if (i < NSCI_DERIVE_POSES || i >= NSCI_DERIVE_BY_ROW)
            rise[i] = d->high[i] > d->low[i] || d->high[i] < d->low[i]
                          ? (d->high[i] - d->low[i]) / (2 * step)
                          : 0;
    for (i = 0; i < d->rows; i++) {
        const nsc_derive_row *r = &d->row[i];
        d->du[i] = rise[NSCI_DERIVE_BY_ROW + 3 * i] +
                   nsci_derive_dot(r->J, rise + 6 * r->a, rise + 6 * r->b);
    }
    for (i = 0; i < d->rows; i++) {
        const nsc_derive_row *r = &d->row[i];
        const nsc_real *bound = rise + NSCI_DERIVE_BY_ROW + 3 * i;
        nsci_derive_equation(d, i, on, &own, &push);
        d->rhs[i] = r->state == NSC_DERIVE_BOUND_LOW    ? bound[1]
                    : r->state == NSC_DERIVE_BOUND_HIGH ? bound[2]
                                                        : 0;
        for (k = 0; k < 3; k++)
            if (nsci_derive_abs(on[k]) > 0)
                d->rhs[i] -= on[k] * d->du[r->lead + k];
    }
    nsci_derive_solve(d);
    for (i = 0; i < d->rows; i++) {
        const nsc_derive_row *r = &d->row[i];
        for (k = 0; k < 6; k++) {
            if (r->a > 0)
                rise[6 * r->a + k] += r->MinvJt[k] * d->dl[i];
            if (r->b > 0)
                rise[6 * r->b + k] += r->MinvJt[6 + k] * d->dl[i];
        }
    }
    code = nsci_derive_shift(d, in, inputs, x, -poses, d->low);
    if (code == NSC_OK)
        code = nsci_derive_shift(d, in, inputs, x, poses, d->high);
    if (code < 0)
        return code;
    nsci_derive_advance(d, rise, poses);
    for (i = 0; i < 12 * NSC_MAX_BODIES; i++)
        if (!(nsci_derive_abs(d->change[i]) <= NSC_REAL_MAX))
            return NSC_ERR_NOT_FINITE;
    return NSC_OK;
}

/* Place of an output in `change`, 0 for an axis of a joint, or a code */
static int nsci_derive_place(const nsc_derive *d, const nsc_derive_input *out)
{
    int kind = out->kind, i;
#if NSC_MAX_JOINTS > 0
    nsc_axis_state now;
    if (kind == NSC_DERIVE_AXIS || kind == NSC_DERIVE_RATE)
        return nsc_joint_get_axis(d->world, out->id, out->axis, &now);
#endif
    if (kind >= NSC_DERIVE_PIECE_POSITION)
        kind += NSC_DERIVE_POSITION - NSC_DERIVE_PIECE_POSITION;
    if (kind < NSC_DERIVE_POSITION || kind > NSC_DERIVE_SPIN || out->axis < 0 || out->axis > 2)
        return NSC_ERR_ARGUMENT;
    i = nsci_derive_find(d->world, out->id);
    return i > 0 ? 12 * i + 3 * (kind - 1) + out->axis : NSC_ERR_HANDLE;
}

#if NSC_MAX_JOINTS > 0
/* Put the trial world's bodies where the step ends, and on by `share` of the change of poses, with
   the velocities of the end, or their change. */
static void nsci_derive_put_end(const nsc_derive *d, nsc_real share, int change)
{
    int i;
    for (i = 1; i < d->trial->body_end; i++) {
        nsc_body *b = &d->trial->bodies[i];
        const nsc_real *end = d->end + 13 * i, *c = d->change + 12 * i;
        nsc_vec3 turn = nsci_derive_vec(c + 3);
        if (!nsci_derive_moves(d->trial, nsc_world_body_at(d->trial, i)))
            continue;
        turn.x *= share;
        turn.y *= share;
        turn.z *= share;
        b->position = nsci_derive_add(nsci_derive_vec(end), share, nsci_derive_vec(c));
        b->orientation = nsci_derive_unit(
            nsci_derive_times(nsci_derive_small(turn), nsci_derive_quat(end + 3)));
        b->velocity = nsci_derive_vec(change ? c + 6 : end + 7);
        b->angular_velocity = nsci_derive_vec(change ? c + 9 : end + 10);
    }
}

/* Change of an axis at the end of the step.  Its rate is linear in the velocities. */
static nsc_real nsci_derive_axis(const nsc_derive *d, const nsc_derive_input *out)
{
    nsc_axis_state at, low, high;
    nsc_real most = 0, share, change;
    int i;
    NSC_MEMSET(&at, 0, sizeof at);
    low = high = at;
    for (i = 0; i < 12 * NSC_MAX_BODIES; i++)
        if (i % 12 < 6 && nsci_derive_abs(d->change[i]) > most)
            most = nsci_derive_abs(d->change[i]);
    share = NSCI_DERIVE_FREE_STEP / (most > 0 ? most : 1);
    nsci_derive_put_end(d, -share, 0);
    nsc_joint_get_axis(d->trial, out->id, out->axis, &low);
    nsci_derive_put_end(d, share, 0);
    nsc_joint_get_axis(d->trial, out->id, out->axis, &high);
    if (out->kind == NSC_DERIVE_AXIS)
        return (high.position - low.position) / (2 * share);
    change = (high.velocity - low.velocity) / (2 * share);
    nsci_derive_put_end(d, 0, 1);
    nsc_joint_get_axis(d->trial, out->id, out->axis, &at);
    return at.velocity + change;
}
#endif

static nsc_real nsci_derive_value(const nsc_derive *d, const nsc_derive_input *out)
{
#if NSC_MAX_JOINTS > 0
    if (out->kind == NSC_DERIVE_AXIS || out->kind == NSC_DERIVE_RATE)
        return nsci_derive_axis(d, out);
#endif
    return d->change[nsci_derive_place(d, out)];
}

/* Does the motion of an axis in `in` leave each body of a PIECE in `list` where it is? */
static int nsci_derive_rooted(const nsc_derive *d, const nsc_derive_input *in, int inputs,
                              const nsc_derive_input *list, int count)
{
#if NSC_MAX_JOINTS > 0
    unsigned char mark[NSC_MAX_BODIES];
    nsc_joint_def joint;
    int i, j, at;
    for (i = 0; i < inputs; i++) {
        if ((in[i].kind != NSC_DERIVE_AXIS && in[i].kind != NSC_DERIVE_RATE) ||
            nsc_joint_get_def(d->world, in[i].id, &joint) < 0)
            continue;
        at = nsci_derive_find(d->world, joint.body_b);
        if (at <= 0)
            continue;
        nsci_derive_piece(d->world, at, in[i].id, mark);
        for (j = 0; j < count; j++) {
            at = list[j].kind >= NSC_DERIVE_PIECE_POSITION
                     ? nsci_derive_find(d->world, list[j].id) : -1;
            if (at > 0 && mark[at])
                return 0;
        }
    }
#endif
    (void)d;
    (void)in;
    (void)inputs;
    (void)list;
    (void)count;
    return 1;
}

NSC_API int nsc_derive_product(nsc_derive *d, const nsc_derive_input *in, int inputs,
                               const nsc_real *x, nsc_real *change)
{
    int code;
    if (!d || !d->world || !in || inputs < 1 || !x || !change)
        return NSC_ERR_ARGUMENT;
    if (!nsci_derive_rooted(d, in, inputs, in, inputs))
        return NSC_ERR_ARGUMENT;
    code = nsci_derive_along(d, in, inputs, x);
    if (code == NSC_OK)
        NSC_MEMCPY(change, d->change, sizeof d->change);
    return code;
}

/* Column by column along `direction` (each `inputs` numbers), or input by input where that is NULL:
   matrix, or with x the sums of its columns times x */
static int nsci_derive_columns(nsc_derive *d, const nsc_derive_input *in, int inputs,
                               const nsc_real *direction, int directions,
                               const nsc_derive_input *out, int outputs, const nsc_real *x,
                               nsc_real *result)
{
    nsc_real one = 1, sum;
    int i, j, pass, code;
    if (!d || !d->world || !in || !out || inputs < 1 || directions < 1 || outputs < 1 || !result)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < outputs; i++) {
        code = nsci_derive_place(d, &out[i]);
        if (code < 0)
            return code;
    }
    if (!nsci_derive_rooted(d, in, inputs, in, inputs) ||
        !nsci_derive_rooted(d, in, inputs, out, outputs))
        return NSC_ERR_ARGUMENT;
    for (pass = directions > 1 ? 0 : 1; pass < 2; pass++)
        for (j = 0; j < directions; j++) {
            code = direction ? nsci_derive_along(d, in, inputs, direction + j * inputs)
                             : nsci_derive_along(d, &in[j], 1, &one);
            if (code < 0)
                return code;
            sum = 0;
            for (i = 0; i < outputs && pass == 1; i++) {
                nsc_real y = nsci_derive_value(d, &out[i]);
                if (x)
                    sum += x[i] * y;
                else
                    result[i * directions + j] = y;
            }
            if (x && pass == 1)
                result[j] = sum;
        }
    return NSC_OK;
}

NSC_API int nsc_derive_dense(nsc_derive *d, const nsc_derive_input *in, int inputs,
                             const nsc_derive_input *out, int outputs, nsc_real *matrix)
{
    return nsci_derive_columns(d, in, inputs, NULL, inputs, out, outputs, NULL, matrix);
}

NSC_API int nsc_derive_directions(nsc_derive *d, const nsc_derive_input *in, int inputs,
                                  const nsc_real *direction, int directions,
                                  const nsc_derive_input *out, int outputs, nsc_real *matrix)
{
    if (!direction)
        return NSC_ERR_ARGUMENT;
    return nsci_derive_columns(d, in, inputs, direction, directions, out, outputs, NULL, matrix);
}

NSC_API int nsc_derive_transpose(nsc_derive *d, const nsc_derive_input *in, int inputs,
                                 const nsc_derive_input *out, int outputs, const nsc_real *x,
                                 nsc_real *result)
{
    if (!x)
        return NSC_ERR_ARGUMENT;
    return nsci_derive_columns(d, in, inputs, NULL, inputs, out, outputs, x, result);
}

#ifdef __cplusplus
}
#endif
#endif /* NSC_IMPLEMENTATION */

/* ---- licence
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
