/* nsc_solvers.h - v0.3.0 - frictional contact problems, solved in fixed memory
   MIT licence at the end of the file.  Part of nsc, but usable without the rest of it.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_solvers.h"            (nsc.h includes it for you)
   Everywhere else include it without the define.  Build with -ffp-contract=off (see BITS).

   WHAT IT SOLVES
   Bodies have six velocities: linear then angular, of the centre of mass, in the world frame.
   v_f are the velocities after this time step h without constraints.  Contacts and joints are
   *blocks* of up to three rows between two bodies.  With all rows stacked,

       N = J M^-1 J^T + diag(cfm)     Delassus operator            [1/kg]
       r = J v_f + bias               free row velocity            [m/s]
       u = N lambda + r               row velocity after the step  [m/s]
       v = v_f + M^-1 J^T lambda      body velocity after the step

   and the unknown impulse lambda [N s] obeys one condition per block:

       EQUALITY   u = 0
       BOX        lo <= lambda <= hi;  u >= 0 at lo, u <= 0 at hi, u = 0 between
       CONTACT    row 0 normal, rows 1-2 tangent, friction coefficient mu; by the chosen law:
         COULOMB  K* contains u + mu |u_t| e_n, perpendicular to lambda in K    (exact; NCP)
         CONE     K* contains u,                perpendicular to lambda in K    (convex; CCP)
         PYRAMID  row by row with bounds [0, inf) and +-mu lambda_n             (as ODE)
       where K = { |lambda_t| <= mu lambda_n }.
       ROLLING    row 0 rotation about the normal, rows 1-2 about the tangents, of the CONTACT
                  block right before it: |lambda_0| <= hi[0] lambda_n, |lambda_1,2| <= mu lambda_n

   CONE is the convex relaxation Chrono solves: sliding contacts also separate, u_n = mu |u_t|.
   COULOMB is Coulomb's law.  PYRAMID allows sqrt(2) times too much friction along its diagonals.

   SIGNS  The normal points from a to b.  u_n > 0 separates.  lambda_n >= 0 pushes apart.  lambda is
   an impulse: force = lambda / h.  A joint row with angular columns has u in rad/s and lambda in
   N m s.

   WHICH SOLVER  (measured side by side in tests/bench/RESULTS.md)  Each is a function,
   nsc_solve_sipgs and so on; a program links those that it names.  SIPGS, APGD and DANTZIG are in
   this file, the others in nsc_newton.h and so on of examples/kit: include these as well.
       SIPGS    Sequential impulses, projected Gauss-Seidel.  All three laws.  No scratch.  The
                default: good after ten sweeps, slow to the last digit, weak at mass ratios > 100.
       APGD     Accelerated projected gradient.  CONE and COULOMB.  Scratch: NSC_ARENA_APGD(rows).
                Better at large mass ratios and many contacts, given 50 or more iterations.
       DANTZIG  Pivoting on the dense matrix.  PYRAMID.  Scratch: NSC_ARENA_DANTZIG(rows).
                Exact to rounding, cost ~ rows^3; for small systems and hard mass ratios.
       Of examples/kit: NEWTON and ADMM factorise a matrix of the bodies' size, for mass ratios of
       1000 and more; BB is used like APGD and usually faster; MINRES solves EQUALITY blocks alone;
       TREE eliminates joints that form trees; AUTO chooses.  Their files say more.

   One number stops and measures them all: the natural map of each block [m/s], recomputed from
   lambda.  To compare solvers, call another function.

   EXAMPLE  (tested: examples/06_own_contacts.c is the long form)
       nsc_problem p = ...;                            bodies, blocks, velocities: your arrays;
                                                       all other members, and those of blocks, 0
       nsc_settings s = nsc_default_settings();
       nsc_report r;
       if (nsc_problem_prepare(&p) < 0) ...            checks it, fills effective masses
       if (nsc_solve_sipgs(&p, &s, &r) < 0) ...        writes lambda into the blocks, v into p.v

   MEMORY  The caller provides sizeof(nsc_block) per block, sizeof(nsc_mass) + 12 reals per body,
   and for all solvers but SIPGS one arena of reals, as large as the neediest in use requires.  No
   heap, no stdio, no globals, no recursion.

   BITS  The same input gives the same bits on every IEEE-754 machine: only + - * / sqrt and
   comparisons are used, in a fixed order.  The compiler must neither contract a*b+c nor
   reassociate.  A pragma here turns contraction off, #error refuses modes that change values, and
   nsc_selfcheck() finds at run time those that no compiler announces.

   CONFIG  (define before the include, the same in every file; * changes struct layout)
       NSC_DOUBLE *       nsc_real is double; else float
       NSC_STATIC         all functions static: one program may hold several private copies
       NSC_ONLY_CONTACTS  problems hold contacts under NSC_LAW_COULOMB alone: blocks of another
                          kind, other laws and problem.delassus are refused
       NSC_SQRT           replaces sqrt of libc; NSC_MEMCPY with NSC_MEMSET: the other two
       NSC_LANES          1: 16-byte vectors on x86-64 and AArch64, nsc_lanes.h
       NSC_WAVES          1: and several pairs of bodies at a time, nsc_waves.h; the same bits
       NSC_PARALLEL *     1: several cores, nsc_problem.parallel; the same bits
       NSC_NO_TEXTS       leave out all texts: nsc_error_text and similar functions return "".
                          Set on AVR, where a literal takes RAM, unless it is 0
       NSC_NO_GUARD       compile in spite of fast-math or x87; the bits may then differ
       NSC_CONFIG_H       a header with these defines, included first: "my_nsc_config.h"

   CONTENTS  (search for >>name)
       >>config  >>codes  >>types  >>api
       implementation: >>guard  >>kernels  >>prepare  >>project  >>residual  >>run  >>sipgs
                       >>vectors  >>gradient  >>apgd  >>dantzig  >>selfcheck  >>licence
*/
#ifndef NSC_NONSMOOTH_SOLVERS_H
#define NSC_NONSMOOTH_SOLVERS_H

#ifdef NSC_CONFIG_H
#include NSC_CONFIG_H
#endif

#include <float.h>
#include <stddef.h>

/* ---- >>config -------------------------------------------------------------------------------- */

#define NSC_VERSION_MAJOR 0
#define NSC_VERSION_MINOR 3
#define NSC_VERSION_PATCH 0

#ifdef NSC_DOUBLE
typedef double nsc_real;
#define nsci_world_init nsci_world_init_double /* a file in float does not link with this */
#define NSC_R(x) (x)
#define NSC_REAL_MAX DBL_MAX
#define NSC_REAL_MIN DBL_MIN
#define NSCI_REAL_TINY 1e-145 /* flushed to 0, see nsc_selfcheck */
#define NSC_REAL_EPS DBL_EPSILON
#define NSCI_LIBM_SQRT sqrt
#define NSCI_PADDED_VEC3 0
#define NSCI_BUILTIN_ABS __builtin_fabs
#else
typedef float nsc_real;
#define NSC_R(x) (x##f)
#define NSC_REAL_MAX FLT_MAX
#define NSC_REAL_MIN FLT_MIN
#define NSCI_REAL_TINY 1e-15f /* flushed to 0, see nsc_selfcheck */
#define NSC_REAL_EPS FLT_EPSILON
#define NSCI_LIBM_SQRT sqrtf
#define NSCI_PADDED_VEC3 NSCI_PADDED /* three floats are 12 bytes */
#define NSCI_BUILTIN_ABS __builtin_fabsf
#endif
#define NSCI_IS_DOUBLE (sizeof(nsc_real) > 4)

/* A part of the build is a macro that is 1 or 0.  NSCI_IF(part, text) expands to the text if the
   part is 1, else to no token: so a member, a statement or a table entry can depend on a part.
   NSCI_UNLESS is the reverse. */
#define NSCI_IF_1(...) __VA_ARGS__
#define NSCI_IF_0(...)
#define NSCI_IF_PASTE(part, ...) NSCI_IF_##part(__VA_ARGS__)
#define NSCI_IF(part, ...) NSCI_IF_PASTE(part, __VA_ARGS__)
#define NSCI_UNLESS_1(...)
#define NSCI_UNLESS_0(...) __VA_ARGS__
#define NSCI_UNLESS_PASTE(part, ...) NSCI_UNLESS_##part(__VA_ARGS__)
#define NSCI_UNLESS(part, ...) NSCI_UNLESS_PASTE(part, __VA_ARGS__)
#define NSCI_NOT(part) NSCI_IF(part, 0) NSCI_UNLESS(part, 1)

/* 1 if a macro is defined as 1, or as nothing, else 0: only then the paste is a macro, which moves
   the 1 to the second place */
#define NSCI_ASKED_1 0,
#define NSCI_ASKED_ 0,
#define NSCI_SECOND(a, b, ...) b
#define NSCI_ASKED_PICK(found) NSCI_SECOND(found 1, 0, 0)
#define NSCI_ASKED_PASTE(value) NSCI_ASKED_PICK(NSCI_ASKED_##value)
#define NSCI_ASKED(macro) NSCI_ASKED_PASTE(macro)

#ifndef NSC_SQRT
#include <math.h>
#define NSC_SQRT(x) NSCI_LIBM_SQRT(x)
#endif
#ifndef NSC_MEMCPY
#include <string.h>
#define NSC_MEMCPY(dst, src, n) memcpy(dst, src, n)
#define NSC_MEMSET(dst, c, n) memset(dst, c, n)
#endif

#if defined(__AVR__) && !defined(NSC_NO_TEXTS)
#define NSC_NO_TEXTS
#endif
#define NSCI_TEXTS NSCI_NOT(NSCI_ASKED(NSC_NO_TEXTS))

/* Parts of SIPGS that are files of examples/kit.  1: the file is included, and is to be copied
   beside this one; 0: it is not */
#if NSCI_ASKED(NSC_WAVES) || NSCI_ASKED(NSC_PARALLEL)
#include "nsc_waves.h" /* not found: copy examples/kit/nsc_waves.h */
#else
#define NSC_WAVES 0
#define NSC_PARALLEL 0
#endif
#ifndef NSC_LANES
#define NSC_LANES NSC_WAVES
#endif
/* 1: a block takes 200 bytes in float, not 316: nsc_short.h */
#define NSCI_SHORT NSCI_ASKED(NSC_SHORT_BLOCKS)

/* Kind of a block, law, and the given matrix of a problem: with NSC_ONLY_CONTACTS constants,
   for which the compiler leaves out code.  Used where that saves code. */
#define NSCI_ONLY_CONTACTS NSCI_ASKED(NSC_ONLY_CONTACTS)
#define NSCI_KIND_OF(block) (NSCI_ONLY_CONTACTS ? (int)NSC_BLOCK_CONTACT : (block)->kind)
#define NSCI_LAW_OF(law) (NSCI_ONLY_CONTACTS ? (int)NSC_LAW_COULOMB : (law))
#define NSCI_MATRIX_OF(problem) (NSCI_ONLY_CONTACTS ? NULL : (problem)->delassus)

#if defined(__GNUC__) || defined(__clang__)
#define NSC_RESTRICT __restrict__
#define NSC_MAYBE_UNUSED __attribute__((unused))
#define NSCI_NOINLINE __attribute__((noinline))
#define NSCI_IN_PLACE static inline __attribute__((always_inline)) /* at -Os too */
#define NSCI_ABS(x) NSCI_BUILTIN_ABS(x)
#else
#define NSC_RESTRICT
#define NSC_MAYBE_UNUSED
#define NSCI_NOINLINE
#define NSCI_IN_PLACE static
#define NSCI_ABS(x) ((x) > 0 ? (x) : 0 - (x))
#endif

/* tcc 0.9.27 stores 16 bytes where a function returns a structure of 12, and so overwrites its
   neighbour on the stack.  There such structures have a spare member. */
#ifdef __TINYC__
#define NSCI_PADDED 1
#else
#define NSCI_PADDED 0
#endif

#ifndef NSC_API
#define NSC_API NSCI_API(NSCI_ASKED(NSC_STATIC))
#define NSCI_API(alone) NSCI_IF(alone, static NSC_MAYBE_UNUSED) NSCI_UNLESS(alone, extern)
#endif

#ifdef __cplusplus
#define NSCI_C_BEGIN extern "C" {
#define NSCI_C_END }
#else
#define NSCI_C_BEGIN
#define NSCI_C_END
#endif

NSCI_C_BEGIN

/* ---- >>codes ---------------------------------------------------------------------------------
   Every function that can fail returns an int: 0 is success, a positive value is an answer with a
   remark, a negative value is an error, which changes nothing unless the function says so. */

enum {
    NSC_OK = 0,             /* solvers: residual <= settings.tolerance or report.floor */
    NSC_ITERATION_LIMIT = 1, /* a limit was reached before the tolerance; best iterate kept */
    NSC_STALLED = 2,        /* no 5 % gain in settings.stall_window iterations, an iterate that
                               overflowed, or MINRES, NEWTON or DANTZIG can gain no more: above
                               report.floor, or eta > 1e-3; best iterate kept */
    NSC_SINGULAR = 3,       /* ADMM: no positive pivot; best iterate kept.  DANTZIG: no solution;
                               best iterate, or 20 sweeps of SIPGS from it, kept */
    NSC_STOPPED = 4,        /* problem.stop returned non-zero; best iterate kept */
    NSC_FLUSHES = 5,        /* nsc_selfcheck: this machine takes subnormal numbers for 0 */
    NSC_ERR_ARGUMENT = -1,  /* a null pointer, an unfilled definition, a value outside its range, a
                               law that the solver does not support.  After calls that change a
                               world nsc_world_last_refusal tells which */
    NSC_ERR_NOT_FINITE = -2, /* NaN or infinity in the input, or overflow during the call */
    NSC_ERR_CAPACITY = -3,  /* a fixed array is full or the arena too small */
    NSC_ERR_INERTIA = -4,   /* inertia missing, not positive definite, or of no possible body */
    NSC_ERR_HANDLE = -5,    /* handle of a removed object, of another kind, or of another world */
    NSC_ERR_CONFIG = -6,    /* this file and the implementation were compiled with other settings */
    NSC_ERR_ARITHMETIC = -7, /* nsc_selfcheck: this build's arithmetic is not plain IEEE-754 */
    /* nsc_world_def.stepper cannot do this; nsc_error_text says what to choose instead */
    NSC_ERR_STEPPER_CONTACT = -8,
    NSC_ERR_STEPPER_JOINTS = -9,
    NSC_ERR_STEPPER_UNSTABLE = -10,
    NSC_ERR_BUSY = -11      /* a callback tried to change the world that is calling it */
};

/* A short English text for any of the codes above; never NULL, but empty with NSC_NO_TEXTS.
   Read-only memory. */
NSC_API const char *nsc_error_text(int code);

/* ---- >>types --------------------------------------------------------------------------------- */

/* nsc_block.kind */
enum { NSC_BLOCK_EQUALITY = 1, NSC_BLOCK_BOX = 2, NSC_BLOCK_CONTACT = 3, NSC_BLOCK_ROLLING = 4 };
enum { NSC_LAW_COULOMB = 1, NSC_LAW_CONE = 2, NSC_LAW_PYRAMID = 3 }; /* nsc_settings.law */
enum { /* nsc_report.solver: whose answer it is */
    NSC_SOLVER_SIPGS = 1, NSC_SOLVER_APGD = 2, NSC_SOLVER_DANTZIG = 3, NSC_SOLVER_BB = 4,
    NSC_SOLVER_MINRES = 5, NSC_SOLVER_ADMM = 6, NSC_SOLVER_NEWTON = 7, NSC_SOLVER_AUTO = 8,
    NSC_SOLVER_TREE = 9
};

/* Inverse mass of one body.  All zeros: no impulse changes its velocity (static or kinematic). */
typedef struct nsc_mass {
    nsc_real inv_mass;       /* [1/kg], >= 0 */
    nsc_real inv_inertia[6]; /* [1/(kg m^2)] xx yy zz xy xz yz, about the centre, world frame */
} nsc_mass;

/* nsc_block.form: NSC_ROWS_AT_ARMS: all rows are -d, -(r_a x d), d, r_b x d, arm_a and arm_b are
   r_a and r_b, and if there are three the d are perpendicular unit vectors; NSC_ROWS_TURN: all are
   0, -d, 0, d.  Such rows take fewer operations.
   NSC_ROWS_ONE: in nsc_short.h. */
enum { NSC_ROWS_ANY = 0, NSC_ROWS_AT_ARMS = 1, NSC_ROWS_TURN = 2, NSC_ROWS_ONE = 3 };

/* Index of a body, or of a row */
typedef NSCI_IF(NSCI_SHORT, short) NSCI_UNLESS(NSCI_SHORT, int) nsc_place;

/* Up to three constraint rows between bodies a and b. */
typedef struct nsc_block {
    /* filled by the caller */
    nsc_place a, b;      /* indices of bodies; by convention 0 is the immovable world; a = b only
                            if half of J is 0, which is not checked */
    unsigned char kind;  /* NSC_BLOCK_* */
    unsigned char rows;  /* 1..3; a CONTACT has 3, or 1 without friction, mu not read; ROLLING 3 */
    unsigned char soft;  /* filled by nsc_problem_prepare: 1 if a cfm is not 0 */
    unsigned char no_stick; /* filled likewise: 0 for a contact with a stick_inverse, else 1 */
    unsigned char form;  /* filled likewise, of the rows J: NSC_ROWS_* */
    NSCI_IF(NSCI_SHORT, unsigned char turns;) /* see nsc_short.h */
    nsc_place row;       /* filled likewise: index of its first row in the whole problem */
    nsc_real mu;         /* >= 0; CONTACT: friction coefficient; ROLLING: rolling friction [m] */
    /* J: (3 x 12) rows; columns v_a w_a v_b w_b.  Contact: d = n, t1, t2 (unit, perpendicular), in
       row d: -d, -(r_a x d), d, r_b x d, where r_a, r_b lead from the centre of mass of a, b to the
       point [m] */
    NSCI_UNLESS(NSCI_SHORT, nsc_real J[3][12];)
    NSCI_IF(NSCI_SHORT, nsc_real d[3][3];)
    nsc_real cfm[3];     /* (3) compliance on the diagonal of N [1/kg], >= 0 */
    nsc_real bias[3];    /* (3) added to J v [m/s]; a contact with gap > 0 has gap/h in row 0 */
    nsc_real lo[3];      /* (3) BOX: lower bounds of lambda [N s]; may be -inf, not +inf */
    nsc_real hi[3];      /* (3) BOX: upper bounds, may be +inf, not -inf; ROLLING: hi[0] is the spin
                            friction about the normal [m], >= 0 */
    nsc_real lambda[3];  /* (3) impulse [N s]; in: first guess if warm_start; out: the answer */
    /* filled by nsc_problem_prepare */
    nsc_real arm_a[3], arm_b[3]; /* (3) r_a, r_b of NSC_ROWS_AT_ARMS [m]; kept where they fit J */
    nsc_real delassus[6]; /* (6) the block's own 3 x 3 part G of N: 00 01 02 11 12 22 [1/kg] */
    nsc_real stick_inverse[3]; /* contact: inverse of the tangents' Schur complement in G:
                            11 12 22 [kg].  EQUALITY, ROLLING: 1/D1, 1/D2 [kg], L21; G = L D L^T */
    nsc_real eff_mass[3]; /* (3) 1/G_ii [kg]; 0 where G_ii <= 1e-30, and in all rows of a contact
                            whose normal has none: such a row is skipped */
    nsc_real rho;        /* 1/mean of the positive G_ii [kg]; 0: whole block skipped */
    nsc_real best[3];    /* (3) lambda of the best iterate so far, kept by the solvers */
} nsc_block;

/* The whole problem.  The caller owns all pointers and keeps them valid during the call.  With
   `delassus` set no bodies are used: velocities are then row velocities, v_free = J v_f. */
typedef struct nsc_problem {
    int body_count;           /* bodies, >= 1; not used with delassus */
    const nsc_mass *masses;   /* (body_count) */
    const nsc_real *v_free;   /* (6 body_count) v_f [m/s, rad/s]; with delassus (row_count) */
    nsc_real *v;              /* out: velocities with the impulses applied; same shape as v_free */
    int block_count;
    nsc_block *blocks;        /* (block_count) */
    const nsc_real *delassus; /* NULL, or (row_count x row_count) symmetric N without cfm */
    nsc_real *arena;          /* scratch; SIPGS needs none (NULL), see NSC_ARENA_WAVES */
    int arena_size;           /* reals in arena */
    int (*stop)(void *user);  /* NULL, or returns non-zero to end with the best iterate; then it is
                                 not called again.  SIPGS, APGD, BB, MINRES, ADMM: called after
                                 every iteration (APGD: not of a rejected step).  NEWTON: after
                                 every step and sweep.  DANTZIG: at every pivot and pass, but not
                                 while it forms its matrix.  The answer is within its bounds, and
                                 the energy of its defects at most that of the first guess if the
                                 solver measured that (SIPGS: see settings.judge; MINRES: of the
                                 joints alone) */
    void (*watch)(void *user, int iteration, nsc_real residual, nsc_real change);
                              /* NULL, or called for a plot of convergence; may change nothing.
                                 residual: of an iterate just measured [m/s], the first guess (0)
                                 and trial steps included.  SIPGS: after every sweep, with change
                                 [m/s], the 2-norm of the defects it met; residual only where that
                                 is measured, and at the end (see settings.judge).  MINRES: change
                                 is the residual as the iteration updates it.  An unknown value is
                                 -1.  DANTZIG counts its passes; AUTO begins anew with each solver
                                 it tries */
    /* parallel: NULL, or a function of yours that calls work(job, i) once for each i in
       0 .. parts - 1, on any cores, in any order or at the same time, and returns when all have
       returned.  Every work must see what was written before the call, and the caller then what
       every work wrote.  SIPGS calls it 5 to 20 times a sweep (more with stop) with 2 .. parts
       parts of some microseconds on a desktop, so let threads wait in a loop.  The bits do not
       depend on it, but for the iterations reported after an overflow (NSC_ERR_NOT_FINITE).  It
       needs an arena of NSC_ARENA_CORES or NSC_ARENA_WAVES; with less this core does more.
       parts: usually the number of cores, >= 1; at 1, or where parallel is NULL, not used */
    NSCI_IF(NSC_PARALLEL, void (*parallel)(void *user, void (*work)(void *job, int part),
                                            void *job, int parts);)
    NSCI_IF(NSC_PARALLEL, int parts;)
    void *user;               /* passed to the callbacks, for example the caller's clock */
    nsc_real bias_error;      /* uncertainty of the biases [m/s], >= 0; usual 0; part of
                                 report.floor.  A bias that removes drift within h between bodies
                                 at a distance x from the origin is known to about
                                 NSC_REAL_EPS x / h */
    int turned;               /* 1: SIPGS visits the contacts of a pair of bodies from the last to
                                 the first; usual 0.  Of a load, sweeps that are cut short leave
                                 more on those that come first: a stack then leans and sways, less
                                 if the problem of every second step is turned */
    /* filled by nsc_problem_prepare */
    int row_count;            /* sum of the blocks' rows */
    int skipped_rows;         /* rows without effective mass: their lambda moves no body, and the
                                 residual leaves them out */
    int ground;               /* filled by the solvers: 1 if body 0 is immovable and at rest */
} nsc_problem;

/* Scratch of a solver in reals, for a problem with so many rows; another's stands in its file.
   Where an int has 16 bits, pass a long. */
#define NSC_ARENA_APGD(rows) (8 * (rows))
#define NSC_ARENA_DANTZIG(rows) ((rows) * ((rows) + 1) + 6 * (rows))

/* How to solve.  Start from nsc_default_settings() and change single fields.  What is 1 or 0 counts
   as 1 unless it is 0. */
typedef struct nsc_settings {
    int law;             /* NSC_LAW_*; default COULOMB */
    int max_iterations;  /* limit of sweeps, gradient, Krylov or Newton steps, >= 1; default 100.
                            DANTZIG ignores it.  MINRES ends after 4 per row plus 20 in any case.
                            Sweeps of SIPGS not counted: ADMM makes 10 first, NEWTON 10 to 50 first
                            (none with barrier, or if one factor solves joints alone), up to 200
                            when stuck.  AUTO: the limit of each solver it uses */
    nsc_real tolerance;  /* stop when the residual is at most this [m/s], >= 0, or at most
                            report.floor; default 1e-6 in float, 1e-8 in double */
    nsc_real relative_tolerance; /* SIPGS: end too, with NSC_ITERATION_LIMIT, when a sweep changes
                            (see nsc_problem.watch) at most this share of the speeds at which the
                            bodies move apart, the 2-norm of their linear velocities less the mean;
                            >= 0.  What tumbles then takes few sweeps, what stands is solved to the
                            tolerance.  Usual 0.03, which halves the cost of a falling heap; towers
                            fall at 0.1.  0: off; default 0 */
    int stall_window;    /* give up after so many iterations without 5 % gain; 0 never; default 0 */
    int check_interval;  /* SIPGS, MINRES: iterations between checks whether to end, >= 1;
                            default 10 */
    int warm_start;      /* 1: begin from the blocks' lambda; 0: from zero.  Default 1 */
    nsc_real omega;      /* SIPGS: relaxation, in (0, 2); default 1.  A sharpness factor as in
                            Chrono's PSOR gained nothing on 60 published problems: there is none */
    int symmetric;       /* SIPGS: 1: every second sweep backward; default 0 */
    int passes;          /* DANTZIG: solves with friction bounds renewed before each; >= 1; default
                            32; 1 does as ODE: bounds from the frictionless normal forces */
    int barrier;         /* NEWTON: 1: begin with an interior point method: fewest factorisations
                            from a cold start; ignores a warm start; default 0 */
    int judge;           /* 1: the report has eta, violation, objective and duality_gap, and SIPGS
                            measures its residual every check_interval sweeps; default.  0: those
                            four are 0, and SIPGS measures only when sweeps change little, and at
                            its end, with the first guess, where they led away.  Unless bias_error
                            is above 0, v is then as the sweeps left it, and differs from
                            v_f + M^-1 J^T lambda by rounding.  0 in nsc_default_world_def */
    int max_factorizations; /* NEWTON, ADMM and AUTO: factorisations of one solve, >= 1.  It bounds
                               the time of the worst step.  Default 120; 5 in nsc_default_world_def
                               (NSC_WORLD_FACTORIZATIONS), where most steps need few, as they go on
                               from the last.  At the limit NEWTON ends with NSC_ITERATION_LIMIT and
                               its best iterate, and ADMM continues with its last factor */
} nsc_settings;

/* Result of a solver.  Filled by every solver, whatever it returns. */
typedef struct nsc_report {
    int status;          /* the code the call returned */
    int solver;          /* NSC_SOLVER_* that ended the run; AUTO's choice */
    int iterations;      /* sweeps, gradient, Krylov or Newton steps, or pivots done */
    int factorizations;  /* of the matrix of bodies or rows: NEWTON, ADMM */
    nsc_real residual;   /* max over blocks of |e_i| [m/s], the natural map (nsc_problem_measure).
                            SIPGS without judge does not measure an answer at its limit of sweeps:
                            the change of the last stands here, the 2-norm of the e_i that it met.
                            It does not see how your data were rounded to nsc_real: in float that
                            left badly scaled data at 7 times the tolerance, one published problem
                            at 590 times */
    nsc_real floor;      /* residual that rounding alone may cause [m/s]: half of NSC_REAL_EPS times
                            the largest row of |J| (|v_f| + |M^-1 J^T| |lambda|) + |bias| +
                            cfm |lambda|, plus problem.bias_error.  A residual at most this is
                            solved if eta is at most 1e-3.  0: not computed, because the residual is
                            below the tolerance or far above rounding */
    /* these four are 0 without settings.judge */
    nsc_real eta;        /* energy ratio sqrt(sum rho |e|^2 / sum rho |r|^2): 0 solved exactly, or
                            r is 0; 1 nothing solved.  Computed without judge too where the residual
                            is at the floor */
    nsc_real violation;  /* max distance of lambda to its bounds or cone [N s] */
    nsc_real objective;  /* 1/2 lambda'N lambda + r'lambda [J]; CONE minimises it */
    nsc_real duality_gap; /* sum of |lambda'u| of contacts and u (lambda - bound) of boxes [J]: the
                            duality gap of CONE if u is in K* (see residual).  COULOMB:
                            u_n + mu |u_t| for u_n.  Infinite bounds add nothing; at most
                            NSC_REAL_MAX */
    int worst_block;     /* index of the block with the residual, -1: none, or not measured */
    int skipped_rows;    /* rows without effective mass, see nsc_problem */
} nsc_report;

/* ---- >>api ----------------------------------------------------------------------------------- */

/* Returns the defaults documented at each field. */
NSC_API nsc_settings nsc_default_settings(void);

/* Check a problem, and fill the fields of it and its blocks marked so.  Call it again after changes
   of J, cfm, rows or a mass, but not of only bias, mu, lo, hi, lambda or v_free.
   Returns 0, NSC_ERR_ARGUMENT (null pointer, index, kind, rows, sign or order of bounds,
   bias_error or parts, v equal to v_free), NSC_ERR_CAPACITY (more than 32000 rows of a given
   delassus or of short blocks), NSC_ERR_NOT_FINITE (an input, or the diagonal of N; for the latter,
   solvers then refuse the problem).
   Cost: about 250 multiplications a block.  Of N only the diagonal blocks are computed. */
NSC_API int nsc_problem_prepare(nsc_problem *problem);

/* Copy the 12 numbers of row i of a block, 0 .. rows - 1: J[i], or what NSC_SHORT_BLOCKS has in its
   place. */
NSC_API void nsc_block_row(const nsc_block *block, int i, nsc_real *row);

/* A solver: one of the functions below, of those in the files of examples/kit, or your own.  That
   may write lambda and best of the blocks, v, the arena and the report, of which it must fill what
   it knows, and nothing else; its report is all 0 when a step calls it.  An error code refuses the
   step. */
typedef int nsc_solver(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

/* Solve a prepared problem.  Writes lambda into the blocks, velocities into problem->v, and report
   (may be NULL).  Returns NSC_OK, a positive remark, or an error: NSC_ERR_ARGUMENT also where the
   solver does not take settings->law, NSC_ERR_CAPACITY where the arena is too small.  After
   NSC_ERR_NOT_FINITE all lambda are 0 and v = v_free; any other error writes nothing but the
   report.  The program links the solvers that it names.
   Cost, always bounded: iterations * rows * 2 operations on 12 numbers.  DANTZIG: rows^3.  NEWTON
   and ADMM: each factor at most (6 bodies)^3/6 multiplications, for a chain 500 per body. */
NSC_API int nsc_solve_sipgs(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
NSC_API int nsc_solve_apgd(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
NSC_API int nsc_solve_dantzig(nsc_problem *problem, const nsc_settings *settings,
                              nsc_report *report);

/* Measure the lambda in the blocks, from any source, against a law.  Fills all of report but
   status, solver, iterations and factorizations (floor is 0), and v = v_free + M^-1 J^T lambda.
     e_i = (lambda_i - P(lambda_i - rho_i u_i)) / rho_i,   COULOMB: u_n + mu |u_t| in place of u_n.
   Returns 0, NSC_ERR_ARGUMENT, or NSC_ERR_NOT_FINITE if a result is not finite; the report is
   written even so.  Cost: 3 products a row. */
NSC_API int nsc_problem_measure(nsc_problem *problem, int law, nsc_report *report);

/* Faults that nsc_selfcheck found: a sum of these. */
enum {
    NSC_CHECK_CONTRACTION = 1,    /* a*b+c rounded once, by default in g++ and clang: build with
                                     -ffp-contract=off */
    NSC_CHECK_EXCESS = 2,         /* wider intermediates: x87 needs -msse2 -mfpmath=sse */
    NSC_CHECK_REASSOCIATION = 4,  /* sums reordered: no -ffast-math, no -fassociative-math */
    NSC_CHECK_RECIPROCAL = 8,     /* a/b computed as a*(1/b): no -freciprocal-math */
    NSC_CHECK_FLUSH_RESULT = 16,  /* subnormal results become 0: FTZ bit, link with -ffast-math */
    NSC_CHECK_FLUSH_OPERAND = 32, /* subnormal operands count as 0: DAZ bit, FZ bit of the FPSCR */
    NSC_CHECK_ROUNDING = 64,      /* not to nearest: fesetround, or a faulty software double */
    NSC_CHECK_SQRT = 128,         /* NSC_SQRT is not correctly rounded */
    NSC_CHECK_SCENE = 256         /* nsc_world_selfcheck: the bits differ for another reason */
};

/* Does the arithmetic of this build, on this machine in its present mode, give the specified bits?
   Writes the sum of NSC_CHECK_* to detail (may be NULL).  Returns 0, NSC_ERR_ARITHMETIC or
   NSC_FLUSHES: only NSC_CHECK_FLUSH_* was found.  Then the bits were the same in all scenes tried
   (tests/bits/test_flush.c), as a step keeps its numbers at 0 or above the subnormal; it is not
   proved for every world, and masses below 1e-6 kg were not tried.  Call it when the firmware
   boots.  Cost: about 100 operations.  nsc_world_selfcheck of nsc.h also runs a scene. */
NSC_API int nsc_selfcheck(unsigned *detail);

/* A short English text for the first cause in detail; never NULL, but empty with NSC_NO_TEXTS. */
NSC_API const char *nsc_selfcheck_text(unsigned detail);

NSCI_C_END
#endif /* NSC_NONSMOOTH_SOLVERS_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_SOLVERS_IMPLEMENTATION_DONE)
#define NSC_SOLVERS_IMPLEMENTATION_DONE
#define NSCI_CODE /* what is included below gives its code */

/* ---- >>guard ---------------------------------------------------------------------------------
   For the same bits everywhere, refuse modes that change values and turn contraction off. */
#if !defined(NSC_NO_GUARD) && \
    (defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
     defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) || \
     (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16) || \
     FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128 || \
     (defined(NSC_DOUBLE) && (DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024)))
#error "nsc: needs plain IEEE-754: no -ffast-math or parts of it, such as -ffinite-math-only; x87: \
-msse2 -mfpmath=sse; s390x: -fexcess-precision=fast; without binary64 no NSC_DOUBLE"
#endif

/* clang obeys the standard's pragma, GCC only its own.  The SLP vectoriser of GCC 12 on x86 with
   FMA emits vfmaddsub even so, and MVE float vectors flush subnormals: no vectors there.  Elsewhere
   GCC must not replace zeroing loops by memset, which is slow in small libcs. */
#if defined(__clang__)
#define NSCI_BITS_BEGIN _Pragma("STDC FP_CONTRACT OFF")
#define NSCI_BITS_END _Pragma("STDC FP_CONTRACT DEFAULT")
#elif defined(__GNUC__)
#define NSCI_BITS_END _Pragma("GCC pop_options")
#if defined(__FMA__) || defined(__FMA4__) || defined(__ARM_FEATURE_MVE)
#define NSCI_BITS_BEGIN \
    _Pragma("GCC push_options") _Pragma("GCC optimize (\"fp-contract=off\", \"no-tree-vectorize\")")
#else
#define NSCI_BITS_BEGIN \
    _Pragma("GCC push_options") \
    _Pragma("GCC optimize (\"fp-contract=off\", \"no-tree-loop-distribute-patterns\")")
#endif
#else
#define NSCI_BITS_BEGIN
#define NSCI_BITS_END
#endif
NSCI_BITS_BEGIN

NSCI_C_BEGIN

/* ---- >>kernels -------------------------------------------------------------------------------
   The two 12-wide operations on every row, dot and axpy, and functions built from them.  Lanes and
   order of the sum are fixed: SIMD and scalar code do the same additions and give the same bits. */

/* The code has three forms.  Small (NSCI_FAST 0), at -Os or without optimisation: ordinary
   functions, of which only the SIPGS visit of a contact has a specialised copy; NSCI_ONE_COPY keeps
   the compiler from inlining, which measured larger.  Fast: functions are inlined and specialised,
   and the ground's half of the rows is left out.  Lanes, on machines with 16-byte registers: fast,
   with the compiler's vectors in the fixed order of additions; leaving out the ground gains nothing
   there. */
#if (defined(__GNUC__) || defined(__clang__)) && \
    defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define NSCI_INLINE static inline __attribute__((always_inline))
#define NSCI_ONE_COPY static
#define NSCI_FAST 1
#else
#define NSCI_INLINE static
#define NSCI_ONE_COPY static NSCI_NOINLINE
#define NSCI_FAST 0
#endif
#define NSCI_SKIPS_GROUND (NSCI_FAST && (!NSCI_HAS_LANES || NSCI_VECTOR_ROWS))
/* Is problem.parts valid?  It must be >= 1 where problem.parallel is set. */
#define NSCI_HAS_PARTS(p) (1 NSCI_IF(NSC_PARALLEL, && (!(p)->parallel || (p)->parts >= 1)))

/* Never inlined, so that the stack of one stage is freed before the next begins */
#define NSCI_OWN_FRAME static NSCI_NOINLINE

/* 1: copy the velocities of a pair of bodies into registers while its blocks are visited.  Vectors
   load them as quickly from memory, and the loops of small code need them there. */
#define NSCI_HOLDS_VELOCITIES (NSCI_FAST && !NSCI_HAS_LANES)
#define NSCI_COPY3(to, from) ((to)[0] = (from)[0], (to)[1] = (from)[1], (to)[2] = (from)[2])
#define NSCI_COPY6(to, from) (NSCI_COPY3(to, from), NSCI_COPY3((to) + 3, (from) + 3))

/* Copy and clear by whole words, because small libcs of microcontrollers work byte by byte.  On
   machines with wide registers the library is quicker. */
#if defined(__GNUC__) && !defined(__SSE2__) && !defined(__aarch64__)
typedef unsigned nsci_word __attribute__((may_alias));
typedef struct nsci_words { unsigned four[4]; } __attribute__((may_alias)) nsci_words;
static void nsci_copy(void *to, const void *from, size_t size)
{
    const nsci_words *x = (const nsci_words *)from;
    nsci_words *y = (nsci_words *)to;
    const nsci_word *last;
    nsci_word *end;
    for (; size >= sizeof *y; size -= sizeof *y)
        *y++ = *x++; /* one instruction loads four words, another stores them */
    last = (const nsci_word *)x;
    for (end = (nsci_word *)y; size > 0; size -= sizeof *end)
        *end++ = *last++;
}
static void nsci_clear(void *to, size_t size)
{
    nsci_word *y = (nsci_word *)to;
    for (; size > 0; size -= sizeof *y)
        *y++ = 0;
}
#else
static void nsci_copy(void *to, const void *from, size_t size) { NSC_MEMCPY(to, from, size); }
static void nsci_clear(void *to, size_t size) { NSC_MEMSET(to, 0, size); }
#endif

static const nsc_real nsci_zero[3] = {0, 0, 0};

/* |x|, and 0 for -0.  The builtins are one instruction on most machines, two without floating
   point. */
NSCI_INLINE nsc_real nsci_abs(nsc_real x) { return NSCI_ABS(x); }
NSCI_ONE_COPY nsc_real nsci_max(nsc_real a, nsc_real b) { return a > b ? a : b; }
NSCI_ONE_COPY nsc_real nsci_clamp(nsc_real x, nsc_real lo, nsc_real hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}
NSCI_ONE_COPY int nsci_finite(nsc_real x) { return nsci_abs(x) <= NSC_REAL_MAX; }

/* a x0 + b x1 + c x2 */
NSCI_INLINE nsc_real nsci_sum3(nsc_real a, nsc_real b, nsc_real c, const nsc_real *x)
{
    return a * x[0] + b * x[1] + c * x[2];
}
NSCI_INLINE nsc_real nsci_triple(const nsc_real *x, const nsc_real *y)
{
    return nsci_sum3(x[0], x[1], x[2], y);
}

/* x = r x d */
NSCI_IN_PLACE void nsci_put_cross(const nsc_real *r, const nsc_real *d, nsc_real *x)
{
    x[0] = r[1] * d[2] - r[2] * d[1];
    x[1] = r[2] * d[0] - r[0] * d[2];
    x[2] = r[0] * d[1] - r[1] * d[0];
}

/* y = s x, three numbers */
NSCI_IN_PLACE void nsci_scale3(nsc_real s, const nsc_real *x, nsc_real *y)
{
    y[0] = s * x[0];
    y[1] = s * x[1];
    y[2] = s * x[2];
}

/* y += s x, three numbers */
NSCI_IN_PLACE void nsci_add3(nsc_real s, const nsc_real *x, nsc_real *y)
{
    y[0] += s * x[0];
    y[1] += s * x[1];
    y[2] += s * x[2];
}

/* The rows of a block, whichever way it holds them.  nsci_axes: the directions of rows of a form
   that has them, each NSCI_APART numbers after the last; nsci_turn_a times nsci_side_a: that of a
   turning row for body a; nsci_row_of, nsci_rows_of: one row, or all, 12 numbers each, in `room` if
   the block does not hold them.  NSCI_PUT_ROW fills row i, nsci_put_one a block of one row of any
   form. */
#if NSCI_SHORT
#include "nsc_short.h" /* not found: copy examples/kit/nsc_short.h */
#else
enum { NSCI_APART = 12 };
#define nsci_has_axes(form) ((form) != NSC_ROWS_ANY)
#define nsci_axes(k, form) ((k)->J[0] + ((form) == NSC_ROWS_TURN ? 9 : 6))
#define nsci_turn_a(k, i) ((k)->J[i] + 3)
#define nsci_side_a 1
#define nsci_row_of(k, i, room) ((void)(room), (k)->J[i])
#define nsci_rows_of(k, rows, room) ((void)(room), (k)->J[0])
#define NSCI_PUT_ROW(k, i, axis, fill) (fill)
#define nsci_note_turn(k, i, turning) ((void)0)
#define nsci_put_one(k, x) (nsci_copy((k)->J[0], x, sizeof (k)->J[0]), (k)->form = NSC_ROWS_ANY)

/* Are the halves J of the rows those of directions d at the arm r: side d and side (r x d)?
   side: -1 for body a, 1 for b.  Rows lie 12 numbers apart. */
static int nsci_is_arm(const nsc_real *J, const nsc_real *d, int rows, nsc_real side,
                       const nsc_real *r)
{
    nsc_real rounding = 8 * NSC_REAL_EPS * (nsci_abs(r[0]) + nsci_abs(r[1]) + nsci_abs(r[2]));
    nsc_real x[3];
    int i, j, is = nsci_finite(rounding);
    for (i = 0; i < 12 * rows; i += 12) {
        nsci_put_cross(r, d + i, x);
        for (j = 0; j < 3; j++)
            is &= nsci_abs(J[i + j] - side * d[i + j]) <= 0 &&
                  nsci_abs(J[i + 3 + j] - side * x[j]) <= rounding;
    }
    return is;
}

/* Is r the arm, or, of three rows, is there another one?  Then r becomes it: perpendicular unit
   vectors have d0 x (r x d0) + d1 x (r x d1) + d2 x (r x d2) = 2 r. */
static int nsci_find_arm(const nsc_real *J, const nsc_real *d, int rows, nsc_real side,
                         nsc_real *r)
{
    nsc_real x[3];
    int i;
    if (nsci_is_arm(J, d, rows, side, r))
        return 1;
    if (rows < 3)
        return 0;
    r[0] = r[1] = r[2] = 0;
    for (i = 0; i < 36; i += 12) {
        nsci_put_cross(d + i, J + i + 3, x);
        nsci_add3(side / 2, x, r);
    }
    return nsci_is_arm(J, d, rows, side, r);
}

/* Are three directions, 12 numbers apart, perpendicular unit vectors? */
static int nsci_is_frame(const nsc_real *d)
{
    nsc_real most = 64 * NSC_REAL_EPS;
    int i, j, is = 1;
    for (i = 0; i < 36; i += 12)
        for (j = 0; j <= i; j += 12)
            is &= nsci_abs(nsci_triple(d + i, d + j) - (nsc_real)(i == j)) <= most;
    return is;
}

/* NSC_ROWS_* of a block's rows; finds its arms. */
static int nsci_find_form(nsc_block *k)
{
    int i, j, turn = 1;
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < 3; j++)
            turn &= nsci_abs(k->J[i][j]) + nsci_abs(k->J[i][6 + j]) +
                        nsci_abs(k->J[i][3 + j] + k->J[i][9 + j]) <= 0;
    if (turn)
        return NSC_ROWS_TURN;
    if ((k->rows < 3 || nsci_is_frame(k->J[0] + 6)) &&
        nsci_find_arm(k->J[0], k->J[0] + 6, k->rows, -1, k->arm_a) &&
        nsci_find_arm(k->J[0] + 6, k->J[0] + 6, k->rows, 1, k->arm_b))
        return NSC_ROWS_AT_ARMS;
    return NSC_ROWS_ANY;
}
#endif

#if NSC_LANES && NSCI_FAST && (defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON)))
#define NSCI_HAS_LANES 1
#include "nsc_lanes.h" /* not found: copy examples/kit/nsc_lanes.h */
#else
#define NSCI_HAS_LANES 0
#define NSCI_VECTOR_ROWS 0
#define nsci_arms_velocity(k, grounded, va, vb, u) ((void)0)
#define nsci_arms_apply(ma, mb, k, grounded, d, va, vb) ((void)0)
#define nsci_add_turn(m, s, d, w) nsci_turn_by_numbers(m, s, d, w)
#define nsci_lanes_finite(x, n, done) 1
/* Returns J . (va, vb). */
NSCI_INLINE nsc_real nsci_dot12(const nsc_real *NSC_RESTRICT J, const nsc_real *va,
                                const nsc_real *vb)
{
    nsc_real l0 = J[0] * va[0] + J[4] * va[4] + J[8] * vb[2];
    nsc_real l1 = J[1] * va[1] + J[5] * va[5] + J[9] * vb[3];
    nsc_real l2 = J[2] * va[2] + J[6] * vb[0] + J[10] * vb[4];
    nsc_real l3 = J[3] * va[3] + J[7] * vb[1] + J[11] * vb[5];
    return (l0 + l2) + (l1 + l3);
}

/* (va, vb) += s x */
NSC_MAYBE_UNUSED NSCI_INLINE void nsci_axpy12(nsc_real s, const nsc_real *NSC_RESTRICT x,
                                              nsc_real *va, nsc_real *vb)
{
    int i;
    for (i = 0; i < 6; i++) {
        va[i] += s * x[i];
        vb[i] += s * x[6 + i];
    }
}
#endif

/* nsci_dot12 with va = 0 */
NSCI_INLINE nsc_real nsci_dot_b(const nsc_real *J, const nsc_real *vb)
{
    return (J[8] * vb[2] + (J[6] * vb[0] + J[10] * vb[4])) +
           (J[9] * vb[3] + (J[7] * vb[1] + J[11] * vb[5]));
}

static int nsci_all_finite(const nsc_real *x, int n)
{
    int i = 0, ok = nsci_lanes_finite(x, n, &i);
    for (; i < n; i++)
        ok &= nsci_finite(x[i]);
    return ok;
}

static nsc_real nsci_dot(const nsc_real *x, const nsc_real *y, int n)
{
    nsc_real sum = 0;
    int i;
    for (i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* For each block b of problem p; for each row i of each block b */
#define NSCI_EACH_BLOCK(p, b) \
    for (int b##_left = (p)->block_count; b##_left > 0; b##_left = 0) \
        for (nsc_block *b = (p)->blocks; b##_left > 0; b##_left--, b++)
#define NSCI_EACH_ROW(p, b, i) NSCI_EACH_BLOCK(p, b) for (int i = 0; i < b->rows; i++)

/* Length of a problem's velocity vector: bodies, or rows when N is given. */
static int nsci_velocity_size(const nsc_problem *p)
{
    return p->delassus ? p->row_count : 6 * p->body_count;
}

/* Does no impulse change the velocity of a body with this mass? */
static int nsci_is_immovable(const nsc_mass *m)
{
    const nsc_real *I = m->inv_inertia;
    return m->inv_mass <= 0 && I[0] <= 0 && I[1] <= 0 && I[2] <= 0; /* not where one is NaN */
}

/* Set problem.ground: is body 0 immovable and its velocity 0? */
static void nsci_find_ground(nsc_problem *p)
{
    int i = 0;
    if (p->block_count > 0 && !p->delassus && nsci_is_immovable(&p->masses[0]))
        while (i < 6 && nsci_abs(p->v_free[i]) <= 0)
            i++;
    p->ground = i == 6;
}

/* Is body a of the block the ground, whose half of the rows adds nothing? */
NSCI_INLINE int nsci_on_ground(const nsc_problem *p, const nsc_block *k)
{
    return NSCI_SKIPS_GROUND && k->a < p->ground;
}

/* Velocity along row i: J v */
NSC_MAYBE_UNUSED NSCI_INLINE nsc_real nsci_along_row(const nsc_block *k, int i,
                                                    const nsc_real *va, const nsc_real *vb)
{
    nsc_real room[12];
    return nsci_dot12(nsci_row_of(k, i, room), va, vb);
}

NSC_API void nsc_block_row(const nsc_block *k, int i, nsc_real *row)
{
    nsc_real room[12];
    nsci_copy(row, nsci_row_of(k, i, room), sizeof room);
}

/* J v + bias of row i */
NSCI_INLINE nsc_real nsci_row_velocity(const nsc_block *k, int i, int grounded, const nsc_real *va,
                                       const nsc_real *vb)
{
    nsc_real room[12];
    const nsc_real *J = nsci_row_of(k, i, room);
    return (grounded ? nsci_dot_b(J, vb) : nsci_dot12(J, va, vb)) + k->bias[i];
}

/* y = I x; the symmetric matrix I is six numbers: xx yy zz xy xz yz */
NSCI_IN_PLACE void nsci_mul_sym(const nsc_real *I, const nsc_real *x, nsc_real *y)
{
    y[0] = nsci_sum3(I[0], I[3], I[4], x);
    y[1] = nsci_sum3(I[3], I[1], I[5], x);
    y[2] = nsci_sum3(I[4], I[5], I[2], x);
}

/* y = M^-1 x of one body, six numbers */
NSCI_INLINE void nsci_inverse_mass(const nsc_mass *m, const nsc_real *x, nsc_real *y)
{
    nsci_scale3(m->inv_mass, x, y);
    nsci_mul_sym(m->inv_inertia, x + 3, y + 3);
}

/* x = velocity [m/s] at the arm r of a body */
NSCI_INLINE void nsci_arm_velocity(const nsc_real *v, const nsc_real *r, nsc_real *x)
{
    nsc_real turning[3];
    nsci_put_cross(v + 3, r, turning);
    x[0] = v[0] + turning[0];
    x[1] = v[1] + turning[1];
    x[2] = v[2] + turning[2];
}

/* w += the change of a body's angular velocity by the angular impulse s d */
NSC_MAYBE_UNUSED NSCI_INLINE void nsci_turn_by_numbers(const nsc_mass *m, nsc_real s,
                                                       const nsc_real *d, nsc_real *w)
{
    nsc_real y[3];
    nsci_mul_sym(m->inv_inertia, d, y);
    nsci_add3(s, y, w);
}

/* v += the change of a body's velocity by an impulse s x at the arm r */
NSCI_INLINE void nsci_add_impulse_at(const nsc_mass *m, nsc_real s, const nsc_real *x,
                                     const nsc_real *r, nsc_real *v)
{
    nsc_real y[3], t[4]; /* t[0] is not used: vectors read it */
    t[0] = 0;
    nsci_put_cross(r, x, t + 1);
    nsci_scale3(m->inv_mass, x, y);
    nsci_add3(s, y, v);
    nsci_add_turn(m, s, t + 1, v + 3);
}

/* u = J v + bias + cfm lambda of 1..3 rows between bodies with the velocities va and vb.  grounded:
   a is the ground.  form: of the rows; they are directions of the velocity of b's point less that
   of a's, or of their angular velocity, or any. */
NSCI_INLINE void nsci_rows_velocity(const nsc_block *k, int rows, int form, int grounded,
                                    const nsc_real *va, const nsc_real *vb, const nsc_real *lambda,
                                    nsc_real u[3])
{
    nsc_real x[3], y[3];
    int i;
    if (NSCI_VECTOR_ROWS && form == NSC_ROWS_AT_ARMS && rows == 3) {
        nsci_arms_velocity(k, grounded, va, vb, u);
    } else if (nsci_has_axes(form)) {
        const nsc_real *d = nsci_axes(k, form);
        NSCI_COPY3(x, vb + 3);
        NSCI_COPY3(y, va + 3);
        if (form == NSC_ROWS_AT_ARMS) {
            nsci_arm_velocity(vb, k->arm_b, x);
            if (!grounded)
                nsci_arm_velocity(va, k->arm_a, y);
        }
        if (!grounded) {
            x[0] -= y[0];
            x[1] -= y[1];
            x[2] -= y[2];
        }
        u[0] = nsci_triple(d, x) + k->bias[0];
        u[1] = rows > 1 ? nsci_triple(d + NSCI_APART, x) + k->bias[1] : 0;
        u[2] = rows > 2 ? nsci_triple(d + 2 * NSCI_APART, x) + k->bias[2] : 0;
    } else {
        u[0] = nsci_row_velocity(k, 0, grounded, va, vb);
        u[1] = rows > 1 ? nsci_row_velocity(k, 1, grounded, va, vb) : 0;
        u[2] = rows > 2 ? nsci_row_velocity(k, 2, grounded, va, vb) : 0;
    }
    for (i = 0; k->soft && i < rows; i++)
        u[i] += k->cfm[i] * lambda[i];
}

/* v += s M^-1 x of one body.  Of several rows, one by one: in float the sum of their wrenches would
   lose digits that long arms of light bodies need. */
NSCI_INLINE void nsci_add_row(const nsc_mass *m, nsc_real s, const nsc_real *x, nsc_real *v)
{
    nsc_real y[6];
    nsci_inverse_mass(m, x, y);
    nsci_add3(s, y, v);
    nsci_add3(s, y + 3, v + 3);
}

/* Element j of the sum of directions x times d */
NSCI_INLINE nsc_real nsci_row_sum(const nsc_real *x, int rows, const nsc_real *d, int j)
{
    const nsc_real *y = x + NSCI_APART;
    return rows > 2   ? d[0] * x[j] + d[1] * y[j] + d[2] * y[NSCI_APART + j]
           : rows > 1 ? d[0] * x[j] + d[1] * y[j]
                      : d[0] * x[j];
}

/* (va, vb) += M^-1 J^T d for 1..3 rows between bodies.  grounded, form: as above. */
NSCI_INLINE void nsci_rows_apply(const nsc_problem *p, const nsc_block *k, int rows, int form,
                                 int grounded, const nsc_real *d, nsc_real *va, nsc_real *vb)
{
    const nsc_mass *ma = p->masses + k->a;
    const nsc_mass *mb = p->masses + k->b;
    int i;
    if (NSCI_VECTOR_ROWS && form == NSC_ROWS_AT_ARMS && rows == 3) {
        nsci_arms_apply(ma, mb, k, grounded, d, va, vb);
    } else if (!nsci_has_axes(form)) {
        for (i = 0; i < rows; i++) {
            nsc_real room[12];
            const nsc_real *J = nsci_row_of(k, i, room);
            nsci_add_row(mb, d[i], J + 6, vb);
            if (!grounded)
                nsci_add_row(ma, d[i], J, va);
        }
    } else if (form == NSC_ROWS_TURN) {
        for (i = 0; i < rows; i++) {
            const nsc_real *axis = nsci_axes(k, form) + NSCI_APART * i;
            nsci_add_turn(mb, d[i], axis, vb + 3);
            if (!grounded)
                nsci_add_turn(ma, nsci_side_a * d[i], nsci_turn_a(k, i), va + 3);
        }
    } else {
        const nsc_real *axes = nsci_axes(k, form);
        nsc_real x[3];
        x[0] = nsci_row_sum(axes, rows, d, 0);
        x[1] = nsci_row_sum(axes, rows, d, 1);
        x[2] = nsci_row_sum(axes, rows, d, 2);
        nsci_add_impulse_at(mb, 1, x, k->arm_b, vb);
        if (!grounded)
            nsci_add_impulse_at(ma, -1, x, k->arm_a, va);
    }
}

/* u = J v + bias + cfm lambda of any block, where lambda may be nsci_zero */
static void nsci_block_velocity(const nsc_problem *p, const nsc_block *k, const nsc_real *v,
                                const nsc_real *lambda, nsc_real u[3])
{
    int i;
    if (!NSCI_MATRIX_OF(p)) {
        nsci_rows_velocity(k, k->rows, k->form, nsci_on_ground(p, k), v + 6 * k->a,
                           v + 6 * k->b, lambda, u);
        return;
    }
    u[0] = u[1] = u[2] = 0;
    for (i = 0; i < k->rows; i++)
        u[i] = v[k->row + i] + k->bias[i] + (k->soft ? k->cfm[i] * lambda[i] : 0);
}

/* Row i of problem.delassus */
static const nsc_real *nsci_given_row(const nsc_problem *p, int i)
{
    return p->delassus + (size_t)i * (size_t)p->row_count;
}

/* v += M^-1 J^T d for the rows d of one block; with problem.delassus N d */
static void nsci_block_apply(const nsc_problem *p, const nsc_block *k, const nsc_real *d,
                             nsc_real *v)
{
    nsc_real *va, *vb;
    int i, j, grounded;
    if (NSCI_MATRIX_OF(p)) {
        for (i = 0; i < k->rows; i++)
            for (j = 0; j < p->row_count; j++)
                v[j] += d[i] * nsci_given_row(p, k->row + i)[j];
        return;
    }
    va = v + 6 * k->a;
    vb = v + 6 * k->b;
    grounded = nsci_on_ground(p, k);
    if (k->form == NSC_ROWS_AT_ARMS && k->rows == 3)
        nsci_rows_apply(p, k, 3, NSC_ROWS_AT_ARMS, grounded, d, va, vb);
    else
        nsci_rows_apply(p, k, k->rows, k->form, grounded, d, va, vb);
}

/* v = v_free */
static void nsci_free_velocities(nsc_problem *p)
{
    nsci_copy(p->v, p->v_free, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
}

/* v = v_free + M^-1 J^T lambda, from the lambda in the blocks */
static void nsci_apply_lambda(nsc_problem *p)
{
    nsci_free_velocities(p);
    NSCI_EACH_BLOCK(p, b)
        nsci_block_apply(p, b, b->lambda, p->v);
}

/* out = N x, with p->v as work vector: one "product", the unit of cost of most solvers */
static void nsci_product(nsc_problem *p, const nsc_real *x, nsc_real *out)
{
    nsc_real u[3];
    int i;
    nsci_clear(p->v, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    NSCI_EACH_BLOCK(p, b)
        nsci_block_apply(p, b, x + b->row, p->v);
    NSCI_EACH_BLOCK(p, b) {
        nsci_block_velocity(p, b, p->v, x + b->row, u);
        for (i = 0; i < b->rows; i++)
            out[b->row + i] = u[i] - b->bias[i];
    }
}

/* The same, and 0 in rows without effective mass */
static void nsci_live_velocity(const nsc_problem *p, const nsc_block *k, const nsc_real *v,
                               const nsc_real *lambda, nsc_real u[3])
{
    int i;
    nsci_block_velocity(p, k, v, lambda, u);
    for (i = 0; i < k->rows; i++)
        u[i] = k->eff_mass[i] > 0 ? u[i] : 0;
}

/* u = J v + bias of all rows by way of the bodies, exact for bodies at rest; loaded: with cfm
   lambda.  0 in rows without effective mass. */
static void nsci_get_velocities(const nsc_problem *p, const nsc_real *v, int loaded, nsc_real *u)
{
    nsc_real own[3];
    NSCI_EACH_BLOCK(p, b) {
        nsci_live_velocity(p, b, v, loaded ? b->lambda : nsci_zero, own);
        for (int i = 0; i < b->rows; i++)
            u[b->row + i] = own[i];
    }
}

/* ---- >>prepare ------------------------------------------------------------------------------- */

NSC_API nsc_settings nsc_default_settings(void)
{
    nsc_settings s;
    nsci_clear(&s, sizeof s);
    s.law = NSC_LAW_COULOMB;
    s.max_iterations = 100;
    s.tolerance = NSCI_IS_DOUBLE ? NSC_R(1e-8) : NSC_R(1e-6);
    s.check_interval = 10;
    s.warm_start = 1;
    s.omega = 1;
    s.passes = 32;
    s.judge = 1;
    s.max_factorizations = 120;
    return s;
}

NSC_API const char *nsc_error_text(int code)
{
    static const char *const texts[] = { /* from NSC_ERR_BUSY to NSC_FLUSHES */
        "the world is in the middle of a call of its own: change it when that has returned",
        "unstable: choose gamma >= 1/2 and beta >= gamma/2",
        "forces of joints would oscillate: choose HHT with alpha < 0, or gamma > 1/2",
        "no hard contact and no limits with this stepper: choose smooth contact and springs, or an "
        "implicit Euler",
        "arithmetic is not plain IEEE-754",
        "file and implementation compiled with different settings",
        "stale or foreign handle",
        "inertia missing, which a mass needs, or not positive definite",
        "fixed array or arena is full",
        "NaN or infinity",
        "null pointer, unfilled definition, value out of range, or a law the solver does not take; "
        "nsc_world_last_refusal tells which, of a call that changes a world",
        "ok",
        "iteration limit reached before the tolerance",
        "stalled: no progress, best iterate kept",
        "no pivot left, best answer kept",
        "stopped by the caller, best iterate kept",
        "subnormal numbers are taken for 0: the same bits in all scenes tried, no more",
    };
    if (!NSCI_TEXTS)
        return "";
    return code < NSC_ERR_BUSY || code > NSC_FLUSHES ? "unknown code" : texts[code - NSC_ERR_BUSY];
}

/* The refusal of a number that must be finite and not negative */
static int nsci_check_size(nsc_real x)
{
    if (!nsci_finite(x))
        return NSC_ERR_NOT_FINITE;
    return x < 0 ? NSC_ERR_ARGUMENT : NSC_OK;
}

static int nsci_check_block(const nsc_problem *p, const nsc_block *k)
{
    int i, code;
    if (k->kind < NSC_BLOCK_EQUALITY || k->kind > NSC_BLOCK_ROLLING || k->kind != NSCI_KIND_OF(k))
        return NSC_ERR_ARGUMENT;
    if (k->rows < 1 || k->rows > 3)
        return NSC_ERR_ARGUMENT;
    if (!p->delassus && (k->a < 0 || k->a >= p->body_count || k->b < 0 || k->b >= p->body_count))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < k->rows; i++) {
        nsc_real room[12];
        if ((!p->delassus && !nsci_all_finite(nsci_row_of(k, i, room), 12)) ||
            !nsci_finite(k->bias[i]))
            return NSC_ERR_NOT_FINITE;
        code = nsci_check_size(k->cfm[i]);
        if (code < 0)
            return code;
        if (k->kind == NSC_BLOCK_BOX && !(k->lo[i] <= k->hi[i]))
            return NSC_ERR_ARGUMENT;
    }
    if (k->kind < NSC_BLOCK_CONTACT)
        return NSC_OK;
    if (k->kind == NSC_BLOCK_ROLLING) {
        if (k == p->blocks || k[-1].kind != NSC_BLOCK_CONTACT || k->rows != 3)
            return NSC_ERR_ARGUMENT;
        code = nsci_check_size(k->hi[0]);
        if (code < 0)
            return code;
    }
    return k->rows == 2 ? NSC_ERR_ARGUMENT : nsci_check_size(k->mu);
}

static int nsci_check_mass(const nsc_mass *m)
{
    if (!nsci_finite(m->inv_mass) || !nsci_all_finite(m->inv_inertia, 6))
        return NSC_ERR_NOT_FINITE;
    if (m->inv_mass < 0 || m->inv_inertia[0] < 0 || m->inv_inertia[1] < 0 || m->inv_inertia[2] < 0)
        return NSC_ERR_ARGUMENT;
    return NSC_OK;
}

/* Index into delassus of entry (i, j), i <= j */
static int nsci_packed(int i, int j) { return i == 0 ? j : i + j + 1; }

/* *inverse = 1/g and *sum += g if a row has effective mass; returns whether it has. */
NSCI_INLINE int nsci_invert(nsc_real g, nsc_real *inverse, nsc_real *sum)
{
    *inverse = 0;
    if (!(g > NSC_R(1e-30)))
        return 0;
    *inverse = 1 / g;
    *sum += g;
    return 1;
}

/* Effective masses and rho from the diagonal of G; returns the number of rows with one.  A contact
   without normal effective mass is skipped as a whole. */
NSCI_INLINE int nsci_effective_mass(nsc_block *k)
{
    nsc_real *m = k->eff_mass;
    nsc_real trace = 0;
    int n = nsci_invert(k->delassus[0], &m[0], &trace);
    m[1] = m[2] = 0;
    if (n > 0 || NSCI_KIND_OF(k) != NSC_BLOCK_CONTACT) {
        n += nsci_invert(k->delassus[3], &m[1], &trace);
        n += nsci_invert(k->delassus[5], &m[2], &trace);
    }
    k->rho = n > 0 ? (nsc_real)n / trace : 0;
    return n;
}

/* stick_inverse = S^-1 of the Schur complement S = G_tt - G_tn G_nt / G_nn; no_stick = 1 if S is
   singular */
static void nsci_prepare_stick(nsc_block *k)
{
    const nsc_real *G = k->delassus;
    nsc_real l1 = G[1] * k->eff_mass[0];
    nsc_real l2 = G[2] * k->eff_mass[0];
    nsc_real a = G[3] - l1 * G[1];
    nsc_real b = G[4] - l1 * G[2];
    nsc_real c = G[5] - l2 * G[2];
    nsc_real det = a * c - b * b;
    k->stick_inverse[0] = c / det;
    k->stick_inverse[1] = -b / det;
    k->stick_inverse[2] = a / det;
    k->no_stick = !(k->rho > 0 && a > 0 && det > 64 * NSC_REAL_EPS * G[3] * G[5] &&
                    nsci_finite(k->stick_inverse[0] + k->stick_inverse[2]));
}

/* stick_inverse = 1/D1, 1/D2, L21 of G = L D L^T; a redundant row (zero pivot) gets 1/D = 0. */
static void nsci_prepare_equality(nsc_block *k)
{
    const nsc_real *G = k->delassus;
    nsc_real L10 = G[1] * k->eff_mass[0];
    nsc_real L20 = G[2] * k->eff_mass[0];
    nsc_real eps = 16 * NSC_REAL_EPS;
    nsc_real D1 = G[3] - L10 * G[1];
    nsc_real i1 = D1 > eps * G[3] ? 1 / D1 : 0;
    nsc_real L21 = (G[4] - L20 * G[1]) * i1;
    nsc_real D2 = G[5] - L20 * G[2] - L21 * L21 * D1;
    k->stick_inverse[0] = i1;
    k->stick_inverse[1] = D2 > eps * G[5] ? 1 / D2 : 0;
    k->stick_inverse[2] = L21;
}

/* y = I x, or s x where I is NULL */
NSCI_INLINE void nsci_times(const nsc_real *I, nsc_real s, const nsc_real *x, nsc_real *y)
{
    if (I)
        nsci_mul_sym(I, x, y);
    else
        nsci_scale3(s, x, y);
}

/* Add to G what one half of a body's part of the rows makes, which lie so many numbers apart:
   x . I x, or s x . x where I is NULL. */
NSCI_INLINE void nsci_add_half(const nsc_real *I, nsc_real s, const nsc_real *x, int apart,
                               int rows, nsc_real *G)
{
    nsc_real y[3];
    nsci_times(I, s, x, y);
    G[0] += nsci_triple(x, y);
    if (rows < 2)
        return;
    nsci_times(I, s, x + apart, y);
    G[1] += nsci_triple(x, y);
    G[3] += nsci_triple(x + apart, y);
    if (rows < 3)
        return;
    nsci_times(I, s, x + 2 * apart, y);
    G[2] += nsci_triple(x, y);
    G[4] += nsci_triple(x + apart, y);
    G[5] += nsci_triple(x + 2 * apart, y);
}

/* The block's own part of N.  At arms the linear halves of both bodies are alike, and those of
   three rows are perpendicular unit vectors; rows that turn have none. */
NSCI_INLINE void nsci_own_part(const nsc_problem *p, nsc_block *k, int rows)
{
    const nsc_mass *a = p->masses + k->a;
    const nsc_mass *b = p->masses + k->b;
    nsc_real room[36], G[6] = {0, 0, 0, 0, 0, 0}, linear = a->inv_mass + b->inv_mass;
    int turns = k->form == NSC_ROWS_TURN;
    int apart = turns ? NSCI_APART : 12;
    const nsc_real *J = turns ? nsci_axes(k, NSC_ROWS_TURN) : nsci_rows_of(k, rows, room);
    if (rows == 3 && k->form == NSC_ROWS_AT_ARMS) {
        G[0] = G[3] = G[5] = linear;
    } else if (k->form == NSC_ROWS_AT_ARMS) {
        nsci_add_half(NULL, linear, J + 6, apart, rows, G);
    } else if (!turns) {
        nsci_add_half(NULL, a->inv_mass, J, apart, rows, G);
        nsci_add_half(NULL, b->inv_mass, J + 6, apart, rows, G);
    }
    nsci_add_half(b->inv_inertia, 0, turns ? J : J + 9, apart, rows, G);
    if (!nsci_is_immovable(a))
        nsci_add_half(a->inv_inertia, 0, turns ? J : J + 3, apart, rows, G);
    NSCI_COPY6(k->delassus, G);
    /* Arms are short: at most some radii of gyration of the bodies.  Beyond, in float, the product
       r x lambda loses digits that rows keep. */
    if (k->form == NSC_ROWS_AT_ARMS && !(G[0] + G[3] + G[5] <= 64 * linear)) {
        k->form = NSC_ROWS_ANY;
        nsci_note_turn(k, 0, 0);
    }
}

/* Returns 0 if the diagonal of G overflows. */
static int nsci_prepare_block(nsc_problem *p, nsc_block *k)
{
    nsc_real *G = k->delassus;
    int i, j, kind = NSCI_KIND_OF(k);
    if (NSCI_MATRIX_OF(p)) {
        nsci_clear(G, sizeof k->delassus);
        for (i = 0; i < k->rows; i++)
            for (j = i; j < k->rows; j++)
                G[nsci_packed(i, j)] = nsci_given_row(p, k->row + i)[k->row + j];
    } else if (k->rows == 3) {
        nsci_own_part(p, k, 3);
    } else {
        nsci_own_part(p, k, k->rows);
    }
    k->soft = k->cfm[0] > 0 || (k->rows > 1 && k->cfm[1] > 0) || (k->rows > 2 && k->cfm[2] > 0);
    for (i = 0; k->soft && i < k->rows; i++)
        G[nsci_packed(i, i)] += k->cfm[i];
    p->skipped_rows += k->rows - nsci_effective_mass(k);
    k->no_stick = 1;
    if (kind == NSC_BLOCK_CONTACT && k->rows == 3)
        nsci_prepare_stick(k);
    else if (kind == NSC_BLOCK_EQUALITY || kind == NSC_BLOCK_ROLLING)
        nsci_prepare_equality(k);
    return nsci_finite(G[0] + G[3] + G[5]);
}

/* The checks of nsc_problem_prepare, before it fills anything: row_count is not known yet. */
static int nsci_check_problem(const nsc_problem *p)
{
    int k, code, rows = 0;
    if (!p || p->block_count < 0 || !p->v_free || !p->v || p->v == p->v_free ||
        (p->block_count > 0 && !p->blocks) || !NSCI_HAS_PARTS(p))
        return NSC_ERR_ARGUMENT;
    if (p->delassus ? p->delassus != NSCI_MATRIX_OF(p) : p->body_count < 1 || !p->masses)
        return NSC_ERR_ARGUMENT;
    code = nsci_check_size(p->bias_error);
    if (code < 0)
        return code;
    for (k = 0; k < p->block_count; k++) {
        code = nsci_check_block(p, &p->blocks[k]);
        if (code < 0)
            return code;
        rows += p->blocks[k].rows;
    }
    for (k = 0; !p->delassus && k < p->body_count; k++) {
        code = nsci_check_mass(&p->masses[k]);
        if (code < 0)
            return code;
    }
    if ((p->delassus || NSCI_SHORT) && rows > 32000)
        return NSC_ERR_CAPACITY; /* rows * rows may overflow an int, rows a short */
    return p->delassus && !nsci_all_finite(p->delassus, rows * rows) ? NSC_ERR_NOT_FINITE : NSC_OK;
}

/* A contact that has a stick_inverse, and whose rows have hardly moved since: G stays. */
enum { NSCI_KEPT = 4 };

/* Prepare without checks, enough for problems that nsc builds itself: a value that is not finite
   shows in the diagonal of N, or in the answer. */
NSC_MAYBE_UNUSED static int nsci_prepare(nsc_problem *p)
{
    p->row_count = p->skipped_rows = p->ground = 0;
    NSCI_EACH_BLOCK(p, b) {
        b->row = (nsc_place)p->row_count;
        p->row_count += b->rows;
    }
    NSCI_EACH_BLOCK(p, b) {
        int kept = b->form & NSCI_KEPT;
        b->form = (unsigned char)(b->form ^ kept);
        if (kept || nsci_prepare_block(p, b))
            continue;
        p->row_count = 0; /* makes every solver refuse the problem */
        return NSC_ERR_NOT_FINITE;
    }
    return NSC_OK;
}

NSC_API int nsc_problem_prepare(nsc_problem *p)
{
    int code = nsci_check_problem(p);
    if (code < 0)
        return code;
    NSCI_EACH_BLOCK(p, b)
        b->form = (unsigned char)(NSCI_MATRIX_OF(p) ? (int)NSC_ROWS_ANY : nsci_find_form(b));
    return nsci_prepare(p);
}

/* ---- >>project -------------------------------------------------------------------------------
   Orthogonal projection onto the set of one block.  All return 1 when x was inside already. */

NSCI_INLINE nsc_real nsci_tangent_size(const nsc_real *x)
{
    return NSC_SQRT(x[1] * x[1] + x[2] * x[2]);
}

/* Nearest point of the cone |x_t| <= mu x_n; mu = 0 is the half-line.  t > 0 at the division. */
static int nsci_project_cone(nsc_real mu, nsc_real x[3])
{
    nsc_real t = nsci_tangent_size(x);
    nsc_real s;
    if (x[0] >= 0 && t <= mu * x[0])
        return 1;
    if (mu * t <= -x[0]) {
        x[0] = x[1] = x[2] = 0;
        return 0;
    }
    x[0] = (x[0] + mu * t) / (1 + mu * mu);
    s = mu * x[0] / t;
    x[1] *= s;
    x[2] *= s;
    return 0;
}

/* Nearest point of the disc |x| <= radius in the plane.  x is measured in radii, because squares of
   impulses may overflow or underflow. */
NSCI_INLINE int nsci_project_disc(nsc_real radius, nsc_real x[2])
{
    nsc_real a, b, t2, s = 0;
    if (nsci_abs(x[0]) + nsci_abs(x[1]) <= 0)
        return 1;
    a = x[0] / radius;
    b = x[1] / radius;
    t2 = a * a + b * b;
    if (t2 <= 1)
        return 1;
    if (radius > 0)
        s = 1 / NSC_SQRT(t2);
    x[0] *= s;
    x[1] *= s;
    return 0;
}

/* The normal impulse that bounds the friction of block k (ROLLING: of the contact before it) */
static nsc_real nsci_normal_of(const nsc_block *k, const nsc_real *lambda)
{
    return NSCI_KIND_OF(k) == NSC_BLOCK_ROLLING ? k[-1].lambda[0] : lambda[0];
}

/* Upper bound of row i of a block that is no EQUALITY, for that normal impulse */
static nsc_real nsci_upper_bound(const nsc_block *k, int i, nsc_real normal)
{
    int kind = NSCI_KIND_OF(k);
    if (kind == NSC_BLOCK_BOX)
        return k->hi[i];
    if (i > 0)
        return k->mu * normal;
    return kind == NSC_BLOCK_CONTACT ? NSC_REAL_MAX : k->hi[0] * normal;
}

/* Project x onto the set of block k under a law: cone, disc, and interval by row.  normal: the
   impulse that bounds rolling friction and, under NSC_LAW_PYRAMID, friction */
static int nsci_project(const nsc_block *k, int law, nsc_real normal, nsc_real x[3])
{
    int i, rows = k->rows;
    int inside = 1;
    int kind = NSCI_KIND_OF(k);
    if (kind == NSC_BLOCK_EQUALITY)
        return 1;
    if (kind == NSC_BLOCK_CONTACT && rows == 3 && NSCI_LAW_OF(law) != NSC_LAW_PYRAMID)
        return nsci_project_cone(k->mu, x);
    normal = nsci_max(normal, 0);
    if (kind == NSC_BLOCK_ROLLING && law != NSC_LAW_PYRAMID) {
        inside = nsci_project_disc(k->mu * normal, x + 1);
        rows = 1;
    }
    for (i = 0; i < rows; i++) {
        nsc_real hi = nsci_upper_bound(k, i, normal);
        nsc_real lo = kind == NSC_BLOCK_CONTACT && i == 0 ? 0 : -hi;
        if (kind == NSC_BLOCK_BOX)
            lo = k->lo[i];
        inside &= x[i] >= lo && x[i] <= hi;
        x[i] = nsci_clamp(x[i], lo, hi);
    }
    return inside;
}

/* ---- >>residual ------------------------------------------------------------------------------ */

/* nsci_defect of a contact with friction and effective masses under COULOMB; u becomes e. */
NSCI_INLINE nsc_real nsci_coulomb_defect(const nsc_block *k, const nsc_real *lambda, nsc_real *u)
{
    nsc_real x[3];
    int i;
    u[0] += k->mu * nsci_tangent_size(u);
    NSCI_COPY3(x, lambda);
    nsci_add3(-k->rho, u, x);
    if (!nsci_project_cone(k->mu, x))
        for (i = 0; i < 3; i++)
            u[i] = (lambda[i] - x[i]) / k->rho;
    return nsci_triple(u, u);
}

/* Natural map of one block: e = (lambda - P(lambda - rho u)) / rho, |e|^2 returned [m^2/s^2].
   Where lambda - rho u is inside the set, e = u is used, which loses no digits to a large
   lambda. */
static nsc_real nsci_defect(const nsc_block *k, int law, const nsc_real *lambda, const nsc_real *u)
{
    nsc_real w[3], x[3];
    int i;
    w[0] = w[1] = w[2] = 0;
    if (k->rho <= 0)
        return 0;
    for (i = 0; i < k->rows; i++)
        if (k->eff_mass[i] > 0)
            w[i] = u[i];
    if (NSCI_LAW_OF(law) == NSC_LAW_COULOMB && NSCI_KIND_OF(k) == NSC_BLOCK_CONTACT && k->rows == 3)
        return nsci_coulomb_defect(k, lambda, w);
    if (NSCI_KIND_OF(k) != NSC_BLOCK_EQUALITY) {
        for (i = 0; i < k->rows; i++)
            x[i] = lambda[i] - k->rho * w[i];
        if (!nsci_project(k, law, nsci_normal_of(k, lambda), x))
            for (i = 0; i < k->rows; i++)
                w[i] = (lambda[i] - x[i]) / k->rho;
    }
    return nsci_triple(w, w);
}

/* Distance of lambda to the set of its block [N s] */
static nsc_real nsci_violation(const nsc_block *k, int law)
{
    nsc_real x[3], sum = 0;
    int i;
    NSCI_COPY3(x, k->lambda);
    if (nsci_project(k, law, nsci_normal_of(k, x), x))
        return 0;
    for (i = 0; i < k->rows; i++)
        sum += (k->lambda[i] - x[i]) * (k->lambda[i] - x[i]);
    return NSC_SQRT(sum);
}

/* sup over y in the block's set of u'(lambda - y) [J]: 0 if lambda and u obey the law.  COULOMB:
   u_n + mu |u_t| for u_n.  For a contact under CONE |lambda'u| is returned, which is the sup if u
   is in K*.  A bound adds nothing if it or its term is infinite. */
static nsc_real nsci_duality_gap(const nsc_block *k, int law, const nsc_real *lambda,
                                 const nsc_real *u)
{
    nsc_real n = nsci_max(nsci_normal_of(k, lambda), 0);
    nsc_real t = NSCI_LAW_OF(law) == NSC_LAW_PYRAMID ? nsci_abs(u[1]) + nsci_abs(u[2])
                                                     : nsci_tangent_size(u);
    nsc_real sum = 0;
    int i, kind = NSCI_KIND_OF(k);
    if (k->rho <= 0 || kind == NSC_BLOCK_EQUALITY)
        return sum;
    if (kind != NSC_BLOCK_BOX) {
        sum = lambda[0] * u[0];
        if (k->rows == 3)
            sum += lambda[1] * u[1] + lambda[2] * u[2];
        if (kind == NSC_BLOCK_ROLLING)
            sum += k->hi[0] * n * nsci_abs(u[0]);
        else if (k->rows < 3 || NSCI_LAW_OF(law) == NSC_LAW_CONE)
            return nsci_abs(sum);
        return nsci_abs(sum + k->mu * n * t);
    }
    for (i = 0; i < k->rows; i++) {
        nsc_real bound = u[i] > 0 ? k->lo[i] : k->hi[i];
        nsc_real part = u[i] * (lambda[i] - bound);
        if (nsci_finite(part) && nsci_abs(bound) < NSC_REAL_MAX)
            sum += part;
    }
    return sum;
}

/* How far an iterate is from the answer.  The largest defect stops a run.  The energy tells which
   iterate is better, because after few sweeps a light body may have a large defect when all others
   are nearly solved. */
typedef struct nsci_defects {
    nsc_real worst;  /* max |e| over the blocks [m/s]; NaN if any e is */
    nsc_real energy; /* sum of rho |e|^2 [J] */
    int block;       /* index of the block with the worst; -1 without blocks */
    NSCI_IF(NSCI_PADDED, int unused;)
} nsci_defects;

static nsci_defects nsci_no_defects(void)
{
    nsci_defects d;
    d.worst = d.energy = 0;
    d.block = -1;
    return d;
}

/* Add one block's e2 = |e|^2.  worst stays squared until the caller takes the root. */
static void nsci_add_defect(nsci_defects *d, const nsc_block *k, nsc_real e2)
{
    if (!(e2 <= d->worst))
        d->worst = e2;
    d->energy += k->rho * e2;
}

/* Defects of the lambda in the blocks; v must belong to it. */
static nsci_defects nsci_sum_defects(nsc_problem *p, int law)
{
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    /* Most time goes into contacts that can stick: they have specialised code */
    int fast = NSCI_FAST && law == NSC_LAW_COULOMB && !p->delassus;
    NSCI_EACH_BLOCK(p, b) {
        nsc_real e2;
        if (!nsci_finite(d.worst))
            break;
        if (fast && !b->no_stick && b->form == NSC_ROWS_AT_ARMS) {
            nsci_rows_velocity(b, 3, NSC_ROWS_AT_ARMS, nsci_on_ground(p, b), p->v + 6 * b->a,
                               p->v + 6 * b->b, b->lambda, u);
            e2 = nsci_coulomb_defect(b, b->lambda, u);
        } else {
            nsci_block_velocity(p, b, p->v, b->lambda, u);
            e2 = nsci_defect(b, law, b->lambda, u);
        }
        if (b == p->blocks || !(e2 <= d.worst))
            d.block = (int)(b - p->blocks);
        nsci_add_defect(&d, b, e2);
    }
    d.worst = d.worst < NSC_REAL_MIN ? 0 : NSC_SQRT(d.worst);
    return d;
}

/* The same; recomputes v first. */
static nsci_defects nsci_residual(nsc_problem *p, int law)
{
    nsci_apply_lambda(p);
    return nsci_sum_defects(p, law);
}

/* A residual up to this multiple of the rounding of its largest term may be rounding alone, because
   a row has many terms. */
#define NSCI_NEAR_ROUNDING 64

/* May a defect of this size [m/s] be rounding alone?  v must belong to the lambda in the blocks.
   The largest term of a row's velocity is estimated from below.  Angular velocities of bodies are
   left out, so that the estimate scales with the unit of length, and so is friction. */
static int nsci_is_near_rounding(const nsc_problem *p, nsc_real defect)
{
    nsc_real enough = (defect - p->bias_error) / (NSCI_NEAR_ROUNDING * NSC_REAL_EPS);
    int i, rows, size = nsci_velocity_size(p);
    for (i = 0; i < size; i += p->delassus || i % 3 < 2 ? 1 : 4) /* past angular velocities */
        if (nsci_abs(p->v[i]) >= enough)
            return 1;
    NSCI_EACH_BLOCK(p, b) {
        rows = NSCI_KIND_OF(b) == NSC_BLOCK_CONTACT ? 1 : b->rows;
        for (i = 0; i < rows; i++)
            if (b->delassus[nsci_packed(i, i)] * nsci_abs(b->lambda[i]) >= enough)
                return 1;
    }
    return 0;
}

/* v += size |x|, n numbers */
NSCI_INLINE void nsci_add_sizes(nsc_real size, const nsc_real *x, int n, nsc_real *v)
{
    int j;
    for (j = 0; j < n; j++)
        v[j] += size * nsci_abs(x[j]);
}

/* |x| . v, six numbers */
static nsc_real nsci_sum_sizes(const nsc_real *x, const nsc_real *v)
{
    nsc_real sum = 0;
    int j;
    for (j = 0; j < 6; j++)
        sum += nsci_abs(x[j]) * v[j];
    return sum;
}

/* v = |v_free| + |M^-1 J^T| |lambda|: the sum of the absolute terms of each velocity */
static void nsci_apply_sizes(nsc_problem *p)
{
    int n = nsci_velocity_size(p);
    nsci_clear(p->v, sizeof(nsc_real) * (size_t)n);
    nsci_add_sizes(1, p->v_free, n, p->v);
    NSCI_EACH_ROW(p, b, i) {
        nsc_real size = nsci_abs(b->lambda[i]);
        nsc_real y[6], room[12];
        const nsc_real *J;
        if (NSCI_MATRIX_OF(p)) {
            nsci_add_sizes(size, nsci_given_row(p, b->row + i), n, p->v);
            continue;
        }
        J = nsci_row_of(b, i, room);
        nsci_inverse_mass(p->masses + b->a, J, y);
        nsci_add_sizes(size, y, 6, p->v + 6 * b->a);
        nsci_inverse_mass(p->masses + b->b, J + 6, y);
        nsci_add_sizes(size, y, 6, p->v + 6 * b->b);
    }
}

/* nsc_report.floor of the lambda in the blocks; on return v belongs to it.  Cost: 3 products. */
static nsc_real nsci_floor(nsc_problem *p)
{
    nsc_real largest = 0;
    nsci_apply_sizes(p);
    NSCI_EACH_ROW(p, b, i) {
        nsc_real sum = nsci_abs(b->bias[i]) + b->cfm[i] * nsci_abs(b->lambda[i]);
        nsc_real room[12];
        const nsc_real *J;
        if (b->eff_mass[i] <= 0)
            continue;
        J = nsci_row_of(b, i, room);
        if (NSCI_MATRIX_OF(p))
            sum += p->v[b->row + i];
        else
            sum += nsci_sum_sizes(J, p->v + 6 * b->a) + nsci_sum_sizes(J + 6, p->v + 6 * b->b);
        largest = nsci_max(largest, sum);
    }
    nsci_apply_lambda(p);
    return NSC_R(0.5) * NSC_REAL_EPS * largest + p->bias_error;
}

/* Is it a law of this build? */
static int nsci_is_law(int law)
{
    int known = NSCI_LAW_OF(law);
    return law >= NSC_LAW_COULOMB && law <= NSC_LAW_PYRAMID && law == known;
}

static int nsci_is_prepared(const nsc_problem *p)
{
    return p && p->v && p->v_free && p->block_count >= 0 && NSCI_HAS_PARTS(p) &&
           (p->block_count == 0 || p->row_count > 0);
}

/* x, or NSC_REAL_MAX if the sum x >= 0 overflowed or is NaN */
static nsc_real nsci_at_most_max(nsc_real x) { return x <= NSC_REAL_MAX ? x : NSC_REAL_MAX; }

/* nsc_report.eta of an iterate with the defects d */
static nsc_real nsci_eta(const nsc_problem *p, const nsci_defects *d)
{
    nsc_real u[3], sum = 0;
    NSCI_EACH_BLOCK(p, b) {
        nsci_live_velocity(p, b, p->v_free, nsci_zero, u);
        sum += b->rho * nsci_triple(u, u);
    }
    if (!(sum > 0) || d->worst <= 0)
        return 0;
    return NSC_SQRT(nsci_at_most_max(nsci_at_most_max(d->energy) / nsci_at_most_max(sum)));
}

/* Report on the lambda in the blocks, to which v and the defects d belong.  Without `all` the
   values that need a further pass stay 0. */
static int nsci_measure(nsc_problem *p, int law, const nsci_defects *d, int all, nsc_report *r)
{
    nsc_real u[3], free_u[3];
    int i;
    r->residual = d->worst;
    r->worst_block = d->block;
    r->skipped_rows = p->skipped_rows;
    r->floor = r->violation = r->objective = r->duality_gap = 0;
    r->eta = all ? nsci_eta(p, d) : 0;
    if (all)
        NSCI_EACH_BLOCK(p, b) {
            nsci_block_velocity(p, b, p->v, b->lambda, u);
            nsci_block_velocity(p, b, p->v_free, nsci_zero, free_u);
            for (i = 0; i < b->rows; i++)
                r->objective += NSC_R(0.5) * b->lambda[i] * (u[i] + free_u[i]);
            r->duality_gap += nsci_duality_gap(b, law, b->lambda, u);
            r->violation = nsci_max(r->violation, nsci_violation(b, law));
        }
    r->duality_gap = nsci_at_most_max(r->duality_gap);
    if (!nsci_finite(d->worst) || !nsci_finite(r->objective) || !nsci_finite(r->violation))
        return NSC_ERR_NOT_FINITE;
    return nsci_all_finite(p->v, nsci_velocity_size(p)) ? NSC_OK : NSC_ERR_NOT_FINITE;
}

NSC_API int nsc_problem_measure(nsc_problem *p, int law, nsc_report *r)
{
    nsci_defects d;
    if (!r || !nsci_is_prepared(p) || !nsci_is_law(law))
        return NSC_ERR_ARGUMENT;
    nsci_find_ground(p);
    d = nsci_residual(p, law);
    return nsci_measure(p, law, &d, 1, r);
}

/* ---- >>run -----------------------------------------------------------------------------------
   Common parts of all solvers: begin, check after an iteration, finish. */

typedef struct nsci_run {
    nsc_problem *problem;
    const nsc_settings *settings;
    int solver, law;
    nsc_real tolerance;  /* the larger of settings.tolerance and the floor [m/s] */
    nsc_real floor;      /* nsc_report.floor of the lambda measured last [m/s] */
    int status;          /* of the run so far */
    int iterations;
    nsc_real energy;     /* least energy of the defects so far [J];
                            its lambda is in the blocks' best[] */
    nsc_real best;       /* residual of that lambda [m/s] */
    nsc_real mark;       /* residual at the last gain of 5 % or more [m/s] */
    int mark_iteration;
    unsigned factorizations;
    int last_is_best;
    nsci_defects is;     /* defects measured last */
    int known;           /* 1: `is`, v and floor belong to the lambda in the blocks */
    int stopped;         /* problem.stop returned non-zero */
    nsc_real change;     /* of the last sweep, for problem.watch [m/s]; -1: unknown */
} nsci_run;

static void nsci_keep_best(nsc_problem *p)
{
    NSCI_EACH_BLOCK(p, b)
        NSCI_COPY3(b->best, b->lambda);
}

static void nsci_restore_best(nsc_problem *p)
{
    NSCI_EACH_BLOCK(p, b)
        NSCI_COPY3(b->lambda, b->best);
}

/* The s in 0..1 for which s lambda minimises 1/2 lambda'N lambda + r'lambda; v must belong to the
   lambda in the blocks. */
static nsc_real nsci_best_share(const nsc_problem *p)
{
    nsc_real u[3], r[3], lNl = 0, lr = 0;
    int i;
    NSCI_EACH_BLOCK(p, b) {
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        nsci_block_velocity(p, b, p->v_free, nsci_zero, r);
        for (i = 0; i < b->rows; i++) {
            lr += b->lambda[i] * r[i];
            lNl += b->lambda[i] * (u[i] - r[i]);
        }
    }
    if (!(lr < 0))
        return 0;
    return -lr < lNl ? -lr / lNl : 1;
}

static void nsci_scale_lambda(nsc_problem *p, int law, nsc_real s)
{
    int i;
    NSCI_EACH_BLOCK(p, b) {
        for (i = 0; i < 3; i++)
            b->lambda[i] = s > 0 ? s * b->lambda[i] : 0;
        nsci_project(b, law, nsci_normal_of(b, b->lambda), b->lambda);
    }
    nsci_apply_lambda(p);
}

/* Begin from the caller's impulse of block b, within its set; 0 in rows without effective mass. */
static void nsci_guess_block(nsc_block *b, const nsc_settings *s)
{
    nsc_real *x = b->lambda;
    int i;
    if (b->no_stick || !s->warm_start || !nsci_finite(x[0] + x[1] + x[2]))
        for (i = 0; i < 3; i++)
            if (!s->warm_start || b->eff_mass[i] <= 0 || !nsci_finite(x[i]))
                x[i] = 0;
    nsci_project(b, s->law, nsci_normal_of(b, x), x);
}

/* lambda'(u + G lambda / 2): the change of the objective by block b's impulse, which v does not
   contain yet [J] */
static nsc_real nsci_guess_gain(const nsc_problem *p, const nsc_block *b)
{
    const nsc_real *G = b->delassus;
    const nsc_real *x = b->lambda;
    nsc_real u[3];
    nsci_block_velocity(p, b, p->v, nsci_zero, u);
    u[0] += NSC_R(0.5) * nsci_sum3(G[0], G[1], G[2], x);
    u[1] += NSC_R(0.5) * nsci_sum3(G[1], G[3], G[4], x);
    u[2] += NSC_R(0.5) * nsci_sum3(G[2], G[4], G[5], x);
    return nsci_dot(x, u, 3);
}

/* Has a block an impulse? */
static int nsci_is_pressed(const nsc_block *k)
{
    return nsci_abs(k->lambda[0]) + nsci_abs(k->lambda[1]) + nsci_abs(k->lambda[2]) > 0;
}

/* First guess: the caller's lambda projected onto its set, and its v.  With joints a guess that
   overshoots is scaled down, because their rows pull as well as push, and its error could grow
   where a solver is cut short step after step.  (Contacts only push, and a tower needs the guess
   even if its energy is bad.  exact: the solver closes joints exactly, whatever the guess.) */
static void nsci_first_guess(nsc_problem *p, const nsc_settings *s, int exact)
{
    nsc_real objective = 0, share;
    int pulls = 0;
    NSCI_EACH_BLOCK(p, b)
        pulls |= s->warm_start && !exact && NSCI_KIND_OF(b) < NSC_BLOCK_CONTACT;
    nsci_free_velocities(p);
    NSCI_EACH_BLOCK(p, b) {
        nsci_guess_block(b, s);
        if (pulls)
            objective += nsci_guess_gain(p, b);
        if (nsci_is_pressed(b))
            nsci_block_apply(p, b, b->lambda, p->v);
    }
    share = objective <= 0 ? 1 : nsci_best_share(p); /* if it is NaN, 0 */
    /* The full guess has a larger objective than lambda = 0 */
    if (share < NSC_R(0.5))
        nsci_scale_lambda(p, s->law, share);
}

/* The first setting outside the range documented at its field; 0: none.  The table of settings'
   names in nsc.h has the same order. */
enum {
    NSCI_BAD_LAW = 1,
    NSCI_BAD_MAX_ITERATIONS,
    NSCI_BAD_TOLERANCE,
    NSCI_BAD_RELATIVE_TOLERANCE,
    NSCI_BAD_STALL_WINDOW,
    NSCI_BAD_CHECK_INTERVAL,
    NSCI_BAD_OMEGA,
    NSCI_BAD_PASSES,
    NSCI_BAD_MAX_FACTORIZATIONS
};

static int nsci_bad_setting(const nsc_settings *s)
{
    return !nsci_is_law(s->law) ? NSCI_BAD_LAW
           : s->max_iterations < 1 ? NSCI_BAD_MAX_ITERATIONS
           : !(s->tolerance >= 0 && s->tolerance <= NSC_REAL_MAX) ? NSCI_BAD_TOLERANCE
           : !(s->relative_tolerance >= 0 && s->relative_tolerance <= NSC_REAL_MAX)
               ? NSCI_BAD_RELATIVE_TOLERANCE
           : s->stall_window < 0 ? NSCI_BAD_STALL_WINDOW
           : s->check_interval < 1 ? NSCI_BAD_CHECK_INTERVAL
           : !(s->omega > 0 && s->omega < 2) ? NSCI_BAD_OMEGA
           : s->passes < 1 ? NSCI_BAD_PASSES
           : s->max_factorizations < 1 ? NSCI_BAD_MAX_FACTORIZATIONS
           : 0;
}

/* Does the caller want to stop?  After one yes problem.stop is not called again. */
static int nsci_asked_to_stop(nsci_run *run)
{
    const nsc_problem *p = run->problem;
    if (!run->stopped && p->stop)
        run->stopped = p->stop(p->user) != 0;
    return run->stopped;
}

static void nsci_show(const nsci_run *run, int iteration, nsc_real residual)
{
    const nsc_problem *p = run->problem;
    if (p->watch)
        p->watch(p->user, iteration, residual, run->change);
}

NSC_MAYBE_UNUSED static int nsci_may_factorize(const nsci_run *run)
{
    return run->factorizations < (unsigned)run->settings->max_factorizations;
}

/* Record the defects d of the lambda in the blocks; keep it if best.  1: stop, status says why. */
static int nsci_note(nsci_run *run, int iteration, nsci_defects d)
{
    const nsc_settings *s = run->settings;
    nsc_real residual = d.worst;
    if (!nsci_finite(residual) || !nsci_finite(d.energy)) {
        run->status = run->best < NSC_REAL_MAX ? NSC_STALLED : NSC_ERR_NOT_FINITE;
        run->last_is_best = 0;
        return 1;
    }
    nsci_show(run, iteration, residual);
    run->is = d;
    run->last_is_best = d.energy < run->energy || residual <= run->tolerance;
    if (run->last_is_best) {
        run->energy = d.energy;
        run->best = residual;
        nsci_keep_best(run->problem);
    }
    if (residual <= run->tolerance) {
        run->status = NSC_OK;
        return 1;
    }
    if (residual <= NSC_R(0.95) * run->mark) {
        run->mark = residual;
        run->mark_iteration = iteration;
    } else if (s->stall_window > 0 && iteration - run->mark_iteration >= s->stall_window) {
        run->status = NSC_STALLED;
        return 1;
    }
    if (iteration > 0 && nsci_asked_to_stop(run)) {
        run->status = NSC_STOPPED;
        return 1;
    }
    return 0;
}

/* Raise run->tolerance to the floor if rounding may be what keeps the residual above the tolerance.
   v must belong to the lambda in the blocks. */
static void nsci_heed_rounding(nsci_run *run, nsc_real residual)
{
    nsc_problem *p = run->problem;
    run->tolerance = run->settings->tolerance;
    if (residual <= run->tolerance || (run->floor > 0 && residual > 2 * run->floor))
        return; /* the floor changes little during a run */
    run->floor = nsci_is_near_rounding(p, residual) ? nsci_floor(p) : 0;
    run->tolerance = nsci_max(run->tolerance, run->floor);
}

/* The result after NSC_ERR_NOT_FINITE: all lambda 0 and v = v_free */
static void nsci_give_up(nsc_problem *p)
{
    NSCI_EACH_BLOCK(p, b)
        nsci_clear(b->lambda, sizeof b->lambda);
    nsci_free_velocities(p);
}

/* Check the input, set up the run, and measure the first guess, to which the run returns if all
   other iterates measure worse.  (SIPGS and TREE without settings.judge do not: SIPGS measures it
   where the end looks worse, and TREE closes the joints exactly.)  A guess below the tolerance does
   not end the run, since a warm-started step must improve it or bodies at rest would creep. */
static int nsci_begin(nsci_run *run, int solver, nsc_problem *p, const nsc_settings *s,
                      int laws_from, int laws_to)
{
    if (!nsci_is_prepared(p) || !s || nsci_bad_setting(s) || s->law < laws_from || s->law > laws_to)
        return NSC_ERR_ARGUMENT;
    if (!nsci_all_finite(p->v_free, nsci_velocity_size(p))) {
        nsci_give_up(p);
        return NSC_ERR_NOT_FINITE;
    }
    nsci_clear(run, sizeof *run);
    run->problem = p;
    run->settings = s;
    run->solver = solver;
    run->law = s->law;
    run->tolerance = s->tolerance;
    run->energy = run->best = run->mark = NSC_REAL_MAX;
    run->change = -1;
    nsci_find_ground(p);
    nsci_first_guess(p, s, solver == NSC_SOLVER_TREE);
    if (s->judge || (solver != NSC_SOLVER_SIPGS && solver != NSC_SOLVER_TREE))
        nsci_note(run, 0, nsci_sum_defects(p, s->law));
    /* Keep a guess not measured, or whose defects overflow, too: a solver may return to it */
    if (!run->last_is_best)
        nsci_keep_best(p);
    run->status = NSC_ITERATION_LIMIT;
    return NSC_OK;
}

/* Clear the report except for the error code. */
static int nsci_refuse(nsc_report *report, int code)
{
    if (report) {
        nsci_clear(report, sizeof *report);
        report->status = code;
        report->worst_block = -1;
    }
    return code;
}

/* Is the remaining residual only rounding?  Sets status and floor.  If rows contradict each other,
   impulses may grow until rounding is as large as the defects to be solved: eta is then large and
   the status NSC_STALLED. */
static void nsci_judge(nsci_run *run, nsc_report *report)
{
    nsc_problem *p = run->problem;
    const nsc_settings *s = run->settings;
    if (run->status < 0)
        return;
    if (run->status == NSC_ITERATION_LIMIT || run->status == NSC_STALLED) {
        if (!run->known || (run->floor > 0 && report->residual > run->floor)) {
            run->floor = 0;
            nsci_heed_rounding(run, report->residual);
        }
        if (report->residual <= nsci_max(s->tolerance, run->floor))
            run->status = NSC_OK;
    }
    if (report->residual <= s->tolerance)
        run->floor = 0;
    if (!s->judge && report->residual <= run->floor)
        report->eta = nsci_eta(p, &run->is);
    report->floor = run->floor;
    if (report->residual <= run->floor && report->eta > NSC_R(1e-3))
        run->status = NSC_STALLED;
}

/* Put the best iterate into the blocks, velocities into v, and measure it for the report. */
static int nsci_finish(nsci_run *run, nsc_report *report)
{
    nsc_problem *p = run->problem;
    nsc_report own;
    if (!report)
        report = &own;
    if (run->best < NSC_REAL_MAX && !run->last_is_best) {
        nsci_restore_best(p);
        run->known = 0;
    }
    if (run->status != NSC_ERR_NOT_FINITE && !run->known)
        run->is = nsci_residual(p, run->law);
    if (run->status == NSC_ERR_NOT_FINITE ||
        nsci_measure(p, run->law, &run->is, run->settings->judge, report) < 0) {
        nsci_give_up(p);
        run->status = nsci_refuse(report, NSC_ERR_NOT_FINITE);
    }
    nsci_judge(run, report);
    report->status = run->status;
    report->solver = run->solver;
    report->iterations = run->iterations;
    report->factorizations = (int)(run->factorizations & (unsigned)-1 >> 1);
    return run->status;
}

/* ---- >>sipgs ---------------------------------------------------------------------------------
   Sequential impulses = projected Gauss-Seidel, one block at a time: compute the rows' velocity,
   change lambda inside the block's set, apply the change to the bodies at once.  Friction is
   bounded by the current normal impulse.  A contact that can stick is solved exactly, by its own
   3 x 3 block.  Moreau, Jean; Catto 2005; Chrono's PSOR for CONE. */

/* Solve G d = -u for an EQUALITY or ROLLING block. */
NSCI_INLINE void nsci_solve_equality(const nsc_block *k, int rows, const nsc_real *u, nsc_real *d)
{
    nsc_real i0 = k->eff_mass[0];
    nsc_real L10 = k->delassus[1] * i0;
    nsc_real L20 = k->delassus[2] * i0;
    nsc_real L21 = k->stick_inverse[2];
    d[0] = -u[0];
    d[1] = d[2] = 0;
    if (rows > 2)
        d[2] = (-u[2] - L20 * d[0] - L21 * (-u[1] - L10 * d[0])) * k->stick_inverse[1];
    if (rows > 1)
        d[1] = (-u[1] - L10 * d[0]) * k->stick_inverse[0] - L21 * d[2];
    d[0] = d[0] * i0 - L10 * d[1] - L20 * d[2];
}

/* BOX: row by row within the block; G updates u of the rows that follow. */
NSCI_INLINE void nsci_visit_box(const nsc_block *k, int rows, nsc_real omega, nsc_real *u,
                                nsc_real *x)
{
    int i, j;
    for (i = 0; i < rows; i++) {
        nsc_real old = x[i];
        x[i] = nsci_clamp(old - omega * k->eff_mass[i] * u[i], k->lo[i], k->hi[i]);
        for (j = i + 1; j < rows; j++)
            u[j] += k->delassus[nsci_packed(i, j)] * (x[i] - old);
    }
}

/* Change of impulse d that makes a contact stick, G d = -omega u, and x = lambda + d.  0: x lies
   outside the cone, or the contact is open: so it slides or opens. */
NSCI_INLINE int nsci_stick(const nsc_block *k, nsc_real omega, const nsc_real *u, nsc_real *x,
                           nsc_real *d)
{
    nsc_real l1 = k->delassus[1] * k->eff_mass[0];
    nsc_real l2 = k->delassus[2] * k->eff_mass[0];
    nsc_real limit, t1, t2;
    nsc_real r1 = omega * (l1 * u[0] - u[1]);
    nsc_real r2 = omega * (l2 * u[0] - u[2]);
    d[1] = k->stick_inverse[0] * r1 + k->stick_inverse[1] * r2;
    d[2] = k->stick_inverse[1] * r1 + k->stick_inverse[2] * r2;
    d[0] = -((omega * k->eff_mass[0] * u[0] + l1 * d[1]) + l2 * d[2]);
    x[0] = k->lambda[0] + d[0];
    x[1] = k->lambda[1] + d[1];
    x[2] = k->lambda[2] + d[2];
    limit = k->delassus[0] * k->mu * x[0]; /* as velocities: squares of impulses may underflow */
    t1 = k->delassus[0] * x[1];
    t2 = k->delassus[0] * x[2];
    /* An open contact that nothing closes stays open, though its friction alone could close it
       (Painleve).  The second comparison fails where both overflow. */
    return x[0] >= 0 && limit * limit - (t1 * t1 + t2 * t2) >= 0 &&
           (u[0] < 0 || k->lambda[0] > 0);
}

/* Velocity u of a row after the change d of impulse: its row of G is (G0, G1, G2) */
NSCI_INLINE nsc_real nsci_changed(nsc_real u, nsc_real G0, nsc_real G1, nsc_real G2,
                                  const nsc_real *d)
{
    return u + G0 * d[0] + G1 * d[1] + G2 * d[2];
}

/* Length of a step of both tangents [kg] */
NSCI_INLINE nsc_real nsci_tangent_step(const nsc_block *k, nsc_real omega)
{
    nsc_real largest = nsci_max(k->delassus[3], k->delassus[5]);
    return largest > NSC_R(1e-30) ? omega / largest : 0;
}

/* Step both tangents against their velocities after the change d of impulse. */
NSCI_INLINE void nsci_step_tangents(const nsc_real *G, nsc_real step, const nsc_real *u,
                                    const nsc_real *d, nsc_real *x)
{
    x[1] -= step * nsci_changed(u[1], G[1], G[3], G[4], d);
    x[2] -= step * nsci_changed(u[2], G[2], G[4], G[5], d);
}

/* A contact that does not stick: twice solve the normal row, then step both tangents and project
   them onto the disc mu x[0]. */
NSCI_OWN_FRAME void nsci_slide(const nsc_block *k, nsc_real omega, const nsc_real *u, nsc_real *x,
                            nsc_real *d)
{
    const nsc_real *G = k->delassus;
    nsc_real step = nsci_tangent_step(k, omega);
    nsc_real normal = u[0];
    int pass;
    NSCI_COPY3(x, k->lambda);
    d[1] = d[2] = 0;
    for (pass = 0; pass < 2; pass++) {
        x[0] = nsci_max(x[0] - omega * k->eff_mass[0] * normal, 0);
        d[0] = x[0] - k->lambda[0];
        nsci_step_tangents(G, step, u, d, x);
        nsci_project_disc(k->mu * x[0], x + 1);
        d[1] = x[1] - k->lambda[1];
        d[2] = x[2] - k->lambda[2];
        normal = nsci_changed(u[0], G[0], G[1], G[2], d);
    }
}

/* Rolling friction takes the impulse that stops all three rows, if it is within the bounds.
   Otherwise it twice steps row 0, then both tangents, and projects. */
static void nsci_visit_rolling(const nsc_block *k, int law, nsc_real omega, const nsc_real u[3],
                               nsc_real x[3])
{
    const nsc_real *G = k->delassus;
    nsc_real d[3];
    nsc_real normal = k[-1].lambda[0];
    int i, pass;
    nsci_solve_equality(k, k->rows, u, d);
    nsci_add3(omega, d, x);
    if (nsci_project(k, law, normal, x))
        return;
    NSCI_COPY3(x, k->lambda);
    d[0] = d[1] = d[2] = 0;
    for (pass = 0; pass < 2; pass++) {
        x[0] -= omega * k->eff_mass[0] * nsci_changed(u[0], G[0], G[1], G[2], d);
        d[0] = x[0] - k->lambda[0];
        nsci_step_tangents(G, nsci_tangent_step(k, omega), u, d, x);
        nsci_project(k, law, normal, x);
        for (i = 0; i < 3; i++)
            d[i] = x[i] - k->lambda[i];
    }
}

/* NSC_LAW_PYRAMID: row by row, the tangents bounded by mu times the current normal impulse */
static void nsci_visit_pyramid(const nsc_block *k, nsc_real omega, nsc_real u[3], nsc_real x[3])
{
    nsc_real old = x[0], limit;
    x[0] = nsci_max(old - omega * k->eff_mass[0] * u[0], 0);
    if (k->rows == 1)
        return;
    limit = k->mu * x[0];
    u[1] += k->delassus[1] * (x[0] - old);
    u[2] += k->delassus[2] * (x[0] - old);
    old = x[1];
    x[1] = nsci_clamp(old - omega * k->eff_mass[1] * u[1], -limit, limit);
    u[2] += k->delassus[4] * (x[1] - old);
    x[2] = nsci_clamp(x[2] - omega * k->eff_mass[2] * u[2], -limit, limit);
}

/* Chrono's PSOR: all three rows step by omega rho, then one cone projection.  With long levers that
   can exceed 2 / (largest eigenvalue of G) and diverge: the step is limited to 1.9 / (Gershgorin's
   bound). */
static void nsci_visit_cone(const nsc_block *k, nsc_real omega, nsc_real u[3], nsc_real x[3])
{
    const nsc_real *G = k->delassus;
    nsc_real off01 = nsci_abs(G[1]);
    nsc_real off02 = nsci_abs(G[2]);
    nsc_real off12 = nsci_abs(G[4]);
    nsc_real step = omega * k->rho, bound;
    bound = nsci_max(G[0] + off01 + off02, nsci_max(G[3] + off01 + off12, G[5] + off02 + off12));
    if (step * bound > NSC_R(1.9))
        step = NSC_R(1.9) / bound;
    nsci_add3(-step, u, x);
    nsci_project_cone(k->mu, x);
}

/* Visit of a contact that can stick and has arms, under COULOMB with omega 1.  Most time goes here.
   Returns its squared defect. */
NSCI_INLINE nsc_real nsci_sipgs_contact(const nsc_problem *p, nsc_block *k, int grounded,
                                        nsc_real *va, nsc_real *vb)
{
    nsc_real u[3], x[3], d[3];
    nsci_rows_velocity(k, 3, NSC_ROWS_AT_ARMS, grounded, va, vb, k->lambda, u);
    if (!nsci_stick(k, 1, u, x, d)) {
        nsc_real free[3], slid[3], change[3]; /* in memory, so that u, x and d need not be */
        NSCI_COPY3(free, u);
        nsci_slide(k, 1, free, slid, change);
        NSCI_COPY3(x, slid);
        NSCI_COPY3(d, change);
        nsci_scale3(k->delassus[0], d, u);
    }
    NSCI_COPY3(k->lambda, x);
    nsci_rows_apply(p, k, 3, NSC_ROWS_AT_ARMS, grounded, d, va, vb);
    return nsci_triple(u, u);
}

/* lambda = x, d the change.  Returns the squared defect, the sum of (d G_ii)^2 [m^2/s^2]. */
NSCI_INLINE nsc_real nsci_accept(nsc_block *k, int rows, const nsc_real *x, nsc_real *d)
{
    nsc_real sum = 0;
    int i;
    for (i = 0; i < rows; i++) {
        nsc_real e;
        d[i] = x[i] - k->lambda[i];
        k->lambda[i] = x[i];
        e = d[i] * k->delassus[nsci_packed(i, i)];
        sum += e * e;
    }
    return sum;
}

/* x = the new impulse of an EQUALITY or BOX block, whose rows have the velocity u */
NSCI_INLINE void nsci_visit_joint(const nsc_block *k, int rows, int box, nsc_real omega,
                                  nsc_real *u, nsc_real *x)
{
    nsc_real d[3];
    int i;
    if (box) {
        nsci_visit_box(k, rows, omega, u, x);
        return;
    }
    nsci_solve_equality(k, rows, u, d);
    for (i = 0; i < rows; i++)
        x[i] += omega * d[i];
}

/* The same of any block */
static void nsci_sipgs_answer(const nsc_block *k, const nsc_settings *s, nsc_real *u, nsc_real *x)
{
    nsc_real d[3];
    int kind = NSCI_KIND_OF(k);
    int law = NSCI_LAW_OF(s->law);
    NSCI_COPY3(x, k->lambda);
    if (kind <= NSC_BLOCK_BOX)
        nsci_visit_joint(k, k->rows, kind == NSC_BLOCK_BOX, s->omega, u, x);
    else if (kind == NSC_BLOCK_ROLLING)
        nsci_visit_rolling(k, law, s->omega, u, x);
    else if (k->rows == 1 || law == NSC_LAW_PYRAMID)
        nsci_visit_pyramid(k, s->omega, u, x);
    else if (law == NSC_LAW_CONE)
        nsci_visit_cone(k, s->omega, u, x);
    else if (k->no_stick || !nsci_stick(k, s->omega, u, x, d))
        nsci_slide(k, s->omega, u, x, d);
}

/* Visit of any block.  Returns its squared defect. */
static nsc_real nsci_sipgs_visit(const nsc_problem *p, nsc_block *k, const nsc_settings *s)
{
    nsc_real u[3], x[3], d[3], sum;
    if (k->rho <= 0)
        return 0;
    nsci_block_velocity(p, k, p->v, k->lambda, u);
    nsci_sipgs_answer(k, s, u, x);
    sum = nsci_accept(k, k->rows, x, d);
    nsci_block_apply(p, k, d, p->v);
    return sum;
}

/* Visit of an EQUALITY or BOX block between bodies with omega 1, specialised likewise */
NSCI_INLINE nsc_real nsci_sipgs_joint(const nsc_problem *p, nsc_block *k, int rows, int box,
                                      int form, int grounded, nsc_real *va, nsc_real *vb)
{
    nsc_real u[3], x[3], d[3], sum;
    nsci_rows_velocity(k, rows, form, grounded, va, vb, k->lambda, u);
    NSCI_COPY3(x, k->lambda);
    nsci_visit_joint(k, rows, box, 1, u, x);
    sum = nsci_accept(k, rows, x, d);
    nsci_rows_apply(p, k, rows, form, grounded, d, va, vb);
    return sum;
}

/* Number of rows of an EQUALITY or BOX block, plus 4 for a BOX, plus 8 times its form; 0: another
   kind, or skipped.  nsci_sipgs_pair has a visit for the usual ones. */
NSCI_INLINE int nsci_joint_form(const nsc_block *k)
{
    if (k->rho <= 0 || k->kind > NSC_BLOCK_BOX)
        return 0;
    return k->rows + (k->kind == NSC_BLOCK_BOX ? 4 : 0) + 8 * k->form;
}

/* Has a contact the usual visit? */
NSCI_INLINE int nsci_is_usual(const nsc_block *k)
{
    return !k->no_stick && k->form == NSC_ROWS_AT_ARMS;
}

/* Visit contact k, and those after it between the same two bodies with the usual visit; at most
   `left`, in a turned problem the last one first.  Registers hold the velocities of both bodies,
   where there are enough.  Adds the squared defects to *sum.  Returns how many it visited. */
NSCI_INLINE int nsci_sipgs_contacts(nsc_problem *p, nsc_block *k, int left, int grounded,
                                    nsc_real *sum)
{
    const nsc_block *next = k;
    int count = 0, i;
    nsc_real *va = p->v + 6 * k->a;
    nsc_real *vb = p->v + 6 * k->b;
    nsc_real held_a[6], held_b[6];
    nsc_real *a = NSCI_HOLDS_VELOCITIES ? held_a : va;
    nsc_real *b = NSCI_HOLDS_VELOCITIES ? held_b : vb;
    for (; count < left && next->a == k->a && next->b == k->b && nsci_is_usual(next); next++)
        count++;
    if (NSCI_HOLDS_VELOCITIES) {
        NSCI_COPY6(a, va);
        NSCI_COPY6(b, vb);
    }
    k = p->turned ? k + (count - 1) : k;
    for (i = 0; i < count; i++, k += p->turned ? -1 : 1)
        *sum += nsci_sipgs_contact(p, k, grounded, a, b);
    if (NSCI_HOLDS_VELOCITIES && !grounded)
        NSCI_COPY6(va, a);
    if (NSCI_HOLDS_VELOCITIES)
        NSCI_COPY6(vb, b);
    return count;
}

/* The same of EQUALITY and BOX blocks, never turned */
NSCI_INLINE int nsci_sipgs_joints(nsc_problem *p, nsc_block *k, int left, int grounded,
                                  nsc_real *sum)
{
    const nsc_block *first = k;
    int count = 0;
    nsc_real *va = p->v + 6 * k->a;
    nsc_real *vb = p->v + 6 * k->b;
    nsc_real held_a[6], held_b[6];
    nsc_real *a = NSCI_HOLDS_VELOCITIES ? held_a : va;
    nsc_real *b = NSCI_HOLDS_VELOCITIES ? held_b : vb;
    if (NSCI_HOLDS_VELOCITIES) {
        NSCI_COPY6(a, va);
        NSCI_COPY6(b, vb);
    }
    for (; count < left && k->a == first->a && k->b == first->b; count++, k++) {
        int form = nsci_joint_form(k);
#define NSCI_VISIT(rows, box, form) \
    *sum += nsci_sipgs_joint(p, k, rows, box, form, grounded, a, b)
        if (form == 3 + 8 * NSC_ROWS_AT_ARMS)
            NSCI_VISIT(3, 0, NSC_ROWS_AT_ARMS);
        else if (form == 3 + 8 * NSC_ROWS_TURN)
            NSCI_VISIT(3, 0, NSC_ROWS_TURN);
        else if (form == 2 + 8 * NSC_ROWS_TURN)
            NSCI_VISIT(2, 0, NSC_ROWS_TURN);
        else if (form == 4 + 3 + 8 * NSC_ROWS_AT_ARMS)
            NSCI_VISIT(3, 1, NSC_ROWS_AT_ARMS);
        else if (form == 4 + 1 + 8 * NSC_ROWS_TURN)
            NSCI_VISIT(1, 1, NSC_ROWS_TURN);
        else if (form == 4 + 2 + 8 * NSC_ROWS_TURN)
            NSCI_VISIT(2, 1, NSC_ROWS_TURN);
        else
            break;
#undef NSCI_VISIT
    }
    if (NSCI_HOLDS_VELOCITIES && !grounded)
        NSCI_COPY6(va, a);
    if (NSCI_HOLDS_VELOCITIES)
        NSCI_COPY6(vb, b);
    return count;
}

/* Visit block k, and those after it between the same two bodies, as long as they have a visit of
   their own; at most `left`.  Adds the squared defects to *sum.  Returns how many it visited. */
NSCI_INLINE int nsci_sipgs_pair(nsc_problem *p, nsc_block *k, int left, int contacts, int joints,
                                nsc_real *sum)
{
    int grounded = nsci_on_ground(p, k);
    if (contacts && nsci_is_usual(k))
        return grounded ? nsci_sipgs_contacts(p, k, left, 1, sum)
                        : nsci_sipgs_contacts(p, k, left, 0, sum);
    if (joints)
        return grounded ? nsci_sipgs_joints(p, k, left, 1, sum)
                        : nsci_sipgs_joints(p, k, left, 0, sum);
    return 0;
}

/* Visit every block once; rolling friction always after the contact that bounds it.  A forward
   sweep between bodies with omega 1, the usual one, first tries the specialised visits.  Returns
   the 2-norm of the blocks' defects [m/s]. */
static nsc_real nsci_sipgs_sweep(nsc_problem *p, const nsc_settings *s, int backward)
{
    int usual = !backward && !NSCI_MATRIX_OF(p) && nsci_abs(s->omega - 1) <= 0;
    int contacts = usual && s->law == NSC_LAW_COULOMB;
    int joints = NSCI_FAST && usual;
    int left = p->block_count, count;
    nsc_real sum = 0;
    while (left > 0) {
        nsc_block *k = p->blocks + (backward ? left - 1 : p->block_count - left);
        count = 0;
        if (usual && k->a != k->b)
            count = nsci_sipgs_pair(p, k, left, contacts, joints, &sum);
        if (count == 0) {
            count = backward && NSCI_KIND_OF(k) == NSC_BLOCK_ROLLING ? 2 : 1;
            if (count == 2)
                sum += nsci_sipgs_visit(p, k - 1, s);
            sum += nsci_sipgs_visit(p, k, s);
        }
        left -= count;
    }
    return NSC_SQRT(sum);
}

#if NSC_PARALLEL || (NSC_WAVES && NSCI_HAS_LANES)
#include "nsc_waves.h" /* again: its code */
#else
#define NSCI_BEGIN_WAVES ((void)0)
#define NSCI_SWEEP(p, s, backward) nsci_sipgs_sweep(p, s, backward)
#endif

/* A residual at the floor is solved, but sweeps go on while they gain 5 % in two checks, down to
   this share of the floor.  The floor is an upper bound, rounding is mostly less, and joint forces
   in float become more accurate. */
#define NSCI_WELL_BELOW NSC_R(0.125)

/* Measure the residual now?  Yes if the change is within the tolerance, or the caller stops; every
   check_interval sweeps also with judge or stall_window, or if defects may be rounding alone.  At
   the last sweep so too, and where an iterate was measured before, or the sweeps led away. */
static int nsci_look_now(nsci_run *run, int last, nsc_real first_change)
{
    const nsc_settings *s = run->settings;
    if (run->change <= run->tolerance ||
        (last && (run->energy < NSC_REAL_MAX || !(run->change <= 2 * first_change))))
        return 1;
    if (last || run->iterations % s->check_interval == 0) {
        nsc_real mean = run->change / NSC_SQRT((nsc_real)run->problem->block_count);
        if (s->judge || s->stall_window > 0 || nsci_is_near_rounding(run->problem, mean))
            return 1;
    }
    return nsci_asked_to_stop(run);
}

static void nsci_swap_best(nsc_problem *p)
{
    nsc_real x[3];
    NSCI_EACH_BLOCK(p, b) {
        NSCI_COPY3(x, b->lambda);
        NSCI_COPY3(b->lambda, b->best);
        NSCI_COPY3(b->best, x);
    }
}

/* Energy of the defects of the best iterate so far; lambda and v are in the end as before. */
static nsc_real nsci_energy_of_best(nsc_problem *p, int law)
{
    nsc_real energy;
    nsci_swap_best(p);
    energy = nsci_residual(p, law).energy;
    nsci_swap_best(p);
    nsci_apply_lambda(p);
    return energy;
}

/* Measure the iterate of the last sweep.  1: end.  first_change: change of the first sweep, or
   NSC_REAL_MAX if the first guess is measured.  solved: was an iterate solved before? */
static int nsci_sipgs_check(nsci_run *run, nsc_real *first_change, int *solved)
{
    nsc_problem *p = run->problem;
    const nsc_settings *s = run->settings;
    /* To be exact, and with joints, whose impulses are large, first recompute v, which removes the
       rounding of the sweeps. */
    nsci_defects d = s->judge || p->bias_error > 0 ? nsci_residual(p, s->law)
                                                   : nsci_sum_defects(p, s->law);
    int above;
    nsci_heed_rounding(run, d.worst);
    if (run->floor > 0)
        d = nsci_sum_defects(p, s->law); /* The floor has recomputed v. */
    above = d.worst > run->tolerance;
    /* The run seems farther from the answer than it began: measure the guess after all */
    if (above && d.worst > 2 * *first_change) {
        run->energy = nsci_energy_of_best(p, s->law);
        *first_change = NSC_REAL_MAX;
    }
    /* A solved iterate is better than any other, whatever their energies */
    if (above && *solved)
        d.energy = NSC_REAL_MAX;
    if (d.worst <= run->tolerance && !*solved)
        run->energy = NSC_REAL_MAX;
    *solved |= d.worst <= run->tolerance;
    run->tolerance = nsci_max(s->tolerance, NSCI_WELL_BELOW * run->tolerance);
    if (nsci_note(run, run->iterations, d))
        return 1;
    return *solved &&
           (unsigned)(run->iterations - run->mark_iteration) >= 2u * (unsigned)s->check_interval;
}

/* 2-norm of the linear velocities of the bodies that impulses move, less their mean [m/s] */
static nsc_real nsci_speed_apart(const nsc_problem *p)
{
    nsc_real mean[3] = {0, 0, 0}, sum = 0, count = 0, d;
    int i, k;
    for (i = 0; i < p->body_count; i++) {
        if (p->masses[i].inv_mass > 0) {
            count += 1;
            nsci_add3(1, p->v + 6 * i, mean);
        }
    }
    for (i = 0; i < p->body_count; i++)
        for (k = 0; k < 3 && p->masses[i].inv_mass > 0; k++) {
            d = p->v[6 * i + k] - mean[k] / count;
            sum += d * d;
        }
    return NSC_SQRT(sum);
}

/* Is the change of the last sweep small beside the motion?  See settings.relative_tolerance. */
static int nsci_moves_on(const nsci_run *run)
{
    const nsc_problem *p = run->problem;
    nsc_real share = run->settings->relative_tolerance;
    return share > 0 && !NSCI_MATRIX_OF(p) && run->change < share * nsci_speed_apart(p);
}

/* The run ends with the last iterate, not measured: its change stands for the residual. */
static void nsci_take_change(nsci_run *run)
{
    if (run->problem->bias_error > 0)
        nsci_apply_lambda(run->problem);
    run->is.worst = run->change;
    run->is.block = -1;
    run->last_is_best = run->known = 1;
}

NSC_API int nsc_solve_sipgs(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    int code = nsci_begin(&run, NSC_SOLVER_SIPGS, p, s, NSC_LAW_COULOMB, NSC_LAW_PYRAMID);
    nsc_real first_change = NSC_REAL_MAX;
    int solved = 0, last = 0;
    if (code < 0)
        return nsci_refuse(report, code);
    NSCI_BEGIN_WAVES;
    while (!last && run.iterations < s->max_iterations) {
        run.change = NSCI_SWEEP(p, s, s->symmetric && run.iterations % 2 == 1);
        if (run.iterations == 0 && !s->judge)
            run.best = first_change = run.change;
        run.iterations++;
        last = run.iterations >= s->max_iterations || nsci_moves_on(&run);
        run.known = nsci_look_now(&run, last, first_change);
        if (!run.known)
            nsci_show(&run, run.iterations, last ? run.change : -1);
        else if (nsci_sipgs_check(&run, &first_change, &solved))
            break;
    }
    if (!run.known)
        nsci_take_change(&run);
    return nsci_finish(&run, report);
}

/* ---- >>vectors -------------------------------------------------------------------------------
   Vectors that hold one number for each row of a problem, for the solvers that keep some. */

/* Does the arena hold so many of them?  Without rows it may be NULL.  1 for an unprepared problem,
   which is refused later, with another code. */
static int nsci_arena_fits(const nsc_problem *p, int vectors)
{
    return !nsci_is_prepared(p) || p->row_count == 0 ||
           (p->arena && p->arena_size / vectors >= p->row_count);
}

/* x = lambda */
static void nsci_get_lambda(const nsc_problem *p, nsc_real *x)
{
    NSCI_EACH_ROW(p, b, i)
        x[b->row + i] = b->lambda[i];
}

/* lambda = x; v is updated too. */
static void nsci_set_lambda(nsc_problem *p, const nsc_real *x)
{
    NSCI_EACH_ROW(p, b, i)
        b->lambda[i] = x[b->row + i];
    nsci_apply_lambda(p);
}

/* sum of rho |u|^2 over the blocks [J] */
static nsc_real nsci_sum_energy(const nsc_problem *p, const nsc_real *u)
{
    nsc_real sum = 0;
    NSCI_EACH_BLOCK(p, b)
        sum += b->rho * nsci_dot(u + b->row, u + b->row, b->rows);
    return sum;
}

/* x' M^-1 y of one body, six numbers */
static nsc_real nsci_through(const nsc_mass *m, const nsc_real *x, const nsc_real *y)
{
    nsc_real Wy[6];
    nsci_inverse_mass(m, y, Wy);
    return nsci_triple(x, Wy) + nsci_triple(x + 3, Wy + 3);
}

/* Entry of N, without cfm, for row i of block k and row j of block m */
static nsc_real nsci_delassus(const nsc_problem *p, const nsc_block *k, int i,
                                               const nsc_block *m, int j)
{
    nsc_real one[12], two[12];
    const nsc_real *x = nsci_row_of(k, i, one);
    const nsc_real *y = nsci_row_of(m, j, two);
    const nsc_mass *ma = p->masses + k->a;
    const nsc_mass *mb = p->masses + k->b;
    nsc_real sum = 0;
    if (NSCI_MATRIX_OF(p))
        return nsci_given_row(p, k->row + i)[m->row + j];
    if (k->a == m->a)
        sum += nsci_through(ma, x, y);
    if (k->a == m->b)
        sum += nsci_through(ma, x, y + 6);
    if (k->b == m->a)
        sum += nsci_through(mb, x + 6, y);
    if (k->b == m->b)
        sum += nsci_through(mb, x + 6, y + 6);
    return sum;
}

/* Begin a solver; room: 1 if the arena holds its vectors.  Without rows the status is NSC_OK, and
   the solver ends at once. */
static int nsci_begin_in(nsci_run *run, int solver, int room, nsc_problem *p,
                                          const nsc_settings *s, int last_law)
{
    int code = room ? nsci_begin(run, solver, p, s, NSC_LAW_COULOMB, last_law) : NSC_ERR_CAPACITY;
    if (code == NSC_OK && p->row_count == 0)
        run->status = NSC_OK;
    return code;
}

/* Index of element (i, j), i >= j, of a lower triangle that is packed row by row */
static int nsci_lower(int i, int j) { return i * (i + 1) / 2 + j; }

/* ---- >>gradient ------------------------------------------------------------------------------
   Shared by the projected gradient methods APGD and BB.  They minimise
       f(lambda) = 1/2 lambda'N lambda + r'lambda,  lambda in K,
   in the metric diag(1/rho), uniform inside a block so that friction cones keep their shape.  N x
   is stored beside every x, so that an iteration costs one product with N.
   COULOMB: mu |u_t| is added to r_n (De Saxce) and updated during the run. */

typedef struct nsci_gradient {
    nsc_real *x, *Nx;           /* (rows) iterate, and N times it */
    nsc_real *r;                /* (rows) J v_f + bias */
    nsc_real *shift;            /* (rows) De Saxce term mu |u_t| at normal rows; else 0 */
    nsc_real L;                 /* curvature of f in the metric, dimensionless; step length 1/L */
    nsc_real least_L;           /* lower bound of L, against huge steps from flat directions */
} nsci_gradient;

/* First L: |N y| / |y| in the metric for y = rho r; 1 if either is 0.  Ny: work vector. */
static nsc_real nsci_gradient_first_curvature(nsc_problem *p, const nsc_real *r, nsc_real *y,
                                              nsc_real *Ny)
{
    nsc_real above;
    nsc_real below = nsci_sum_energy(p, r);
    NSCI_EACH_ROW(p, b, i)
        y[b->row + i] = b->rho * r[b->row + i];
    nsci_product(p, y, Ny);
    above = nsci_sum_energy(p, Ny);
    return above > 0 && below > 0 ? NSC_SQRT(above / below) : 1;
}

/* De Saxce: the Coulomb law at x is the cone law with mu |u_t| added to the normal velocity.
   share: weight of the new value in the shift, 0..1. */
static void nsci_gradient_shift(nsc_problem *p, nsci_gradient *g, nsc_real share)
{
    NSCI_EACH_BLOCK(p, b) {
        int n = b->row;
        nsc_real u1, u2;
        if (b->kind != NSC_BLOCK_CONTACT || b->rows < 3 || b->rho <= 0)
            continue;
        u1 = g->Nx[n + 1] + g->r[n + 1];
        u2 = g->Nx[n + 2] + g->r[n + 2];
        g->shift[n] = (1 - share) * g->shift[n] + share * (b->mu * NSC_SQRT(u1 * u1 + u2 * u2));
    }
}

/* Take four vectors of the arena.  Load r, and as x the first guess if it makes f < 0, else 0.  y
   and Ny: work. */
static void nsci_gradient_begin(nsc_problem *p, nsci_gradient *g, nsc_real *y, nsc_real *Ny)
{
    size_t size = sizeof(nsc_real) * (size_t)p->row_count;
    nsc_real f = 0;
    int i, n = p->row_count;
    g->x = p->arena;
    g->Nx = g->x + n;
    g->r = g->Nx + n;
    g->shift = g->r + n;
    nsci_get_velocities(p, p->v_free, 0, g->r);
    nsci_get_lambda(p, g->x);
    nsci_clear(g->shift, size);
    nsci_product(p, g->x, g->Nx);
    for (i = 0; i < n; i++)
        f += g->x[i] * (NSC_R(0.5) * g->Nx[i] + g->r[i]);
    if (!(f < 0))
        nsci_clear(g->x, 2 * size); /* and Nx, which follows */
    g->L = nsci_gradient_first_curvature(p, g->r, y, Ny);
    g->least_L = NSC_R(1e-4) * g->L;
}

/* x = P(x), block by block */
static void nsci_gradient_project(const nsc_problem *p, int law, nsc_real *x)
{
    NSCI_EACH_BLOCK(p, b)
        nsci_project(b, law, x[b->kind == NSC_BLOCK_ROLLING ? b[-1].row : b->row], x + b->row);
}

/* out = P(y - rho (N y + r + shift) / L) */
static void nsci_gradient_step(const nsc_problem *p, int law, const nsci_gradient *g,
                               const nsc_real *y, const nsc_real *Ny, nsc_real *out)
{
    int i;
    NSCI_EACH_BLOCK(p, b) {
        nsc_real t = b->rho / g->L;
        for (i = b->row; i < b->row + b->rows; i++)
            out[i] = y[i] - t * (Ny[i] + g->r[i] + g->shift[i]);
    }
    nsci_gradient_project(p, law, out);
}

/* Copy x into the blocks and note its defects, from the N x at hand.  If they meet the tolerance,
   recompute them through the bodies: in float N x has drifted by then. */
static int nsci_gradient_check(nsci_run *run, int iteration, const nsc_real *x, const nsc_real *Nx,
                               const nsc_real *r)
{
    const nsc_settings *s = run->settings;
    nsc_problem *p = run->problem;
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    int i;
    NSCI_EACH_BLOCK(p, b) {
        for (i = 0; i < b->rows; i++) {
            b->lambda[i] = x[b->row + i];
            u[i] = Nx[b->row + i] + r[b->row + i];
        }
        nsci_add_defect(&d, b, nsci_defect(b, s->law, b->lambda, u));
    }
    d.worst = NSC_SQRT(d.worst);
    return nsci_note(run, iteration, d.worst <= run->tolerance ? nsci_residual(p, s->law) : d);
}

/* ---- >>apgd ----------------------------------------------------------------------------------
   Accelerated projected gradient descent (Nesterov; Mazhar et al. 2015).  f is quadratic: the step
   length is checked by its exact curvature, d'Nd <= L d'd, without subtracting large values of f;
   N y is extrapolated from N of the iterates.  A step up to a fifth too long is accepted: it still
   contracts, and rejecting it wastes a product. */

typedef struct nsci_apgd {
    nsci_gradient g;            /* iterate x */
    nsc_real *x_new, *y;        /* (rows) next iterate, extrapolated point */
    nsc_real *Nx_new, *Ny;      /* (rows) N times them */
    nsc_real theta;             /* momentum */
} nsci_apgd;
static int nsci_apgd_fits(const nsc_problem *p) { return nsci_arena_fits(p, NSC_ARENA_APGD(1)); }

/* Restart from x without momentum. */
static void nsci_apgd_restart(const nsc_problem *p, nsci_apgd *a)
{
    nsci_copy(a->y, a->g.x, 2 * sizeof(nsc_real) * (size_t)p->row_count); /* and N x */
    a->theta = 1;
}

static void nsci_apgd_begin(nsc_problem *p, nsci_apgd *a)
{
    int n = p->row_count;
    a->x_new = p->arena + 4 * n;
    a->Nx_new = a->x_new + n;
    a->y = a->Nx_new + n;
    a->Ny = a->y + n;
    nsci_gradient_begin(p, &a->g, a->x_new, a->Nx_new);
    nsci_apgd_restart(p, a);
}

/* d'Nd / d'd in the metric, d = x_new - y: must not exceed L */
static nsc_real nsci_apgd_curvature(const nsc_problem *p, const nsci_apgd *a)
{
    nsc_real dNd = 0, dd = 0;
    NSCI_EACH_ROW(p, b, k) {
        int i = b->row + k;
        nsc_real d = a->x_new[i] - a->y[i];
        dNd += d * (a->Nx_new[i] - a->Ny[i]);
        if (b->rho > 0)
            dd += d * d / b->rho;
    }
    return dd > 0 ? dNd / dd : 0;
}

/* Accept x_new, extrapolate y beyond it; restart without momentum if the move is uphill by the
   gradient at y. */
static void nsci_apgd_extrapolate(nsc_problem *p, nsci_apgd *a)
{
    nsci_gradient *g = &a->g;
    nsc_real th = a->theta;
    nsc_real next, beta;
    nsc_real uphill = 0;
    int i, n = p->row_count;
    for (i = 0; i < n; i++)
        uphill += (a->Ny[i] + g->r[i] + g->shift[i]) * (a->x_new[i] - g->x[i]);
    next = NSC_R(0.5) * th * (NSC_SQRT(th * th + 4) - th);
    beta = th * (1 - th) / (th * th + next);
    for (i = 0; i < n; i++) {
        a->y[i] = a->x_new[i] + beta * (a->x_new[i] - g->x[i]);
        a->Ny[i] = a->Nx_new[i] + beta * (a->Nx_new[i] - g->Nx[i]);
        g->x[i] = a->x_new[i];
        g->Nx[i] = a->Nx_new[i];
    }
    a->theta = next;
    g->L = nsci_max(NSC_R(0.97) * g->L, g->least_L);
    if (uphill > 0)
        nsci_apgd_restart(p, a);
}

NSC_API int nsc_solve_apgd(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_apgd a;
    int it;
    int code = nsci_begin_in(&run, NSC_SOLVER_APGD, nsci_apgd_fits(p), p, s, NSC_LAW_CONE);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    nsci_apgd_begin(p, &a);
    for (it = 0; it < s->max_iterations;) {
        nsc_real curvature;
        if (s->law == NSC_LAW_COULOMB && it > 0 && it % 10 == 0)
            nsci_gradient_shift(p, &a.g, 1);
        run.iterations = ++it;
        nsci_gradient_step(p, s->law, &a.g, a.y, a.Ny, a.x_new);
        nsci_product(p, a.x_new, a.Nx_new);
        curvature = nsci_apgd_curvature(p, &a);
        if (curvature > NSC_R(1.2) * a.g.L) {
            a.g.L = curvature;
            continue;
        }
        if (nsci_gradient_check(&run, it, a.x_new, a.Nx_new, a.g.r))
            break;
        nsci_apgd_extrapolate(p, &a);
    }
    return nsci_finish(&run, report);
}

/* ---- >>dantzig -------------------------------------------------------------------------------
   Principal pivoting (Cottle & Dantzig 1968; Baraff 1994; the method of ODE's box LCP solver).
   Rows are driven to their complementarity condition one after another.  A finished row is free
   with u = 0 (the set C), or rests at a bound with u of the right sign.  While the next row moves,
   x of C changes so that its u stays 0; a free row that meets a bound leaves C, a resting row whose
   u reaches 0 enters it.  A(C,C) = L D L^T gets a new last row when a row enters, a rank-one update
   when one leaves: O(n^2), the update always positive.

   Redundant rows make A(C,C) singular.  Therefore A + shift diag(A) is factorised: every pivot is
   positive, every step finite.  This adds shift A_ii (x - x_start) to u, one step of the proximal
   point method (Rockafellar 1976): repeated from its own answer it converges to the solution
   without that term.  These rounds recompute the factor, and u from the bodies, which removes
   rounding as well, and keep the active set.  Rows that contradict each other leave a residual.
   While it is small, the answer is the least impulses that leave no more; status NSC_STALLED.

   Friction bounds are constant during a pass: first 0, then +-mu lambda_n of the pass before.  One
   pass is ODE's answer; more converge linearly to consistent bounds: a handful when little slides,
   dozens with mu near 1 and many sliding contacts, never in some that jam. */

/* The shift lies between rounding and the smallest eigenvalues that matter.  Measured: in float it
   could be up to three times larger, or smaller by a lesser factor, in double a hundred times
   either way. */
#define NSCI_DZ_SHIFT (NSCI_IS_DOUBLE ? NSC_R(1e-12) : NSC_R(1e-5))
#define NSCI_DZ_ROUNDING 8       /* accepted multiple of the noise in u; 3 was measured */
#define NSCI_DZ_ROUNDS 10                 /* limit for one set of bounds; two or three are usual */
#define NSCI_DZ_PIVOTS(n) (20 * (n) + 20) /* limit in a round; one to three a row are usual */
#define NSCI_DZ_DRIVE(n) (3 * (n) + 20)   /* limit of pivots to drive one row */

typedef struct nsci_dz {
    nsc_problem *p;
    nsci_run *run;
    int n;             /* rows */
    int free_count;    /* size of C */
    unsigned pivots;   /* done so far */
    unsigned most_pivots; /* value of pivots that ends this round */
    nsc_real scale;    /* max |r| [m/s] */
    nsc_real noise;    /* rounding error of u [m/s] */
    nsc_real *A, *L;   /* packed lower triangles: A of all rows; L of C by position, D on its
                          diagonal */
    nsc_real *x, *u;   /* (n) impulse and velocity of the rows */
    nsc_real *lo, *hi; /* (n) bounds of x */
    nsc_real *rate;    /* (n) by position: rate in the present motion, of x in C, of u elsewhere */
    nsc_real *order;   /* (n) a permutation: the rows of C in the order of L, then the others */
} nsci_dz;

static int nsci_dz_row(const nsci_dz *d, int k) { return (int)d->order[k]; }
static nsc_real nsci_dz_a(const nsci_dz *d, int i, int j)
{
    return d->A[i >= j ? nsci_lower(i, j) : nsci_lower(j, i)];
}

/* Position of row i in order; below free_count it is in C. */
static int nsci_dz_position(const nsci_dz *d, int i)
{
    int k = 0;
    while (k < d->n - 1 && nsci_dz_row(d, k) != i)
        k++;
    return k;
}

/* A = N + diag(cfm) */
static void nsci_dz_assemble(nsci_dz *d)
{
    const nsc_block *c;
    int j;
    NSCI_EACH_ROW(d->p, b, i) {
        nsc_real *row = d->A + nsci_lower(b->row + i, 0);
        for (c = d->p->blocks; c <= b; c++)
            for (j = 0; j < c->rows && c->row + j <= b->row + i; j++)
                row[c->row + j] = nsci_delassus(d->p, b, i, c, j);
        row[b->row + i] += b->cfm[i];
    }
}

/* Append row i to L.  Returns its pivot: the change of u_i as x_i grows by 1 and C follows. */
static nsc_real nsci_dz_border(nsci_dz *d, int i)
{
    int k, m = d->free_count;
    nsc_real *l = d->L + nsci_lower(m, 0);
    nsc_real shift = NSCI_DZ_SHIFT * nsci_dz_a(d, i, i);
    l[m] = nsci_dz_a(d, i, i) + shift;
    for (k = 0; k < m; k++)
        l[k] = nsci_dz_a(d, i, nsci_dz_row(d, k)) - nsci_dot(d->L + nsci_lower(k, 0), l, k);
    for (k = 0; k < m; k++) {
        nsc_real y = l[k];
        l[k] = y / d->L[nsci_lower(k, k)];
        l[m] -= y * l[k];
    }
    return l[m] = nsci_max(l[m], NSC_R(0.5) * shift);
}

/* Move the row at position k into C; nsci_dz_border appends it to L. */
static void nsci_dz_enter(nsci_dz *d, int k)
{
    nsc_real row = d->order[k];
    d->order[k] = d->order[d->free_count];
    d->order[d->free_count++] = row;
    d->u[(int)row] = 0;
}

/* Remove the row at position k from C: close the gap in L, then add back D_k l l^T, which it took
   from the rows behind (Gill, Golub, Murray & Saunders 1974, method C1). */
static void nsci_dz_leave(nsci_dz *d, int k)
{
    nsc_real *l = d->rate;
    nsc_real alpha = d->L[nsci_lower(k, k)];
    nsc_real row = d->order[k];
    int i, j, m = --d->free_count;
    for (i = k; i < m; i++) {
        const nsc_real *from = d->L + nsci_lower(i + 1, 0);
        nsc_real *to = d->L + nsci_lower(i, 0);
        l[i] = from[k];
        for (j = 0; j <= i; j++)
            to[j] = from[j < k ? j : j + 1];
        d->order[i] = d->order[i + 1];
    }
    d->order[m] = row;
    for (j = k; j < m; j++) {
        nsc_real *D = &d->L[nsci_lower(j, j)];
        nsc_real old = *D;
        nsc_real l_j = l[j];
        nsc_real beta;
        *D += alpha * l_j * l_j;
        beta = alpha * l_j / *D;
        alpha *= old / *D;
        for (i = j + 1; i < m; i++) {
            nsc_real *e = &d->L[nsci_lower(i, j)];
            l[i] -= l_j * *e;
            *e += beta * l[i];
        }
    }
}

/* Complete d->rate: in C solve L^T rate = rate; elsewhere set the change of u caused by C and by
   row i moving by `sign`.  A rate that is only rounding becomes 0, or a row would enter and leave
   without end. */
static void nsci_dz_spread(nsci_dz *d, int i, nsc_real sign)
{
    int j, k, m = d->free_count;
    for (k = m - 1; k >= 0; k--)
        for (j = 0; j < k; j++)
            d->rate[j] -= d->L[nsci_lower(k, j)] * d->rate[k];
    for (k = m; k < d->n; k++) {
        int r = nsci_dz_row(d, k);
        nsc_real own = i < 0 ? 0 : sign * nsci_dz_a(d, i, r);
        nsc_real sum = own;
        for (j = 0; j < m; j++)
            sum += nsci_dz_a(d, r, nsci_dz_row(d, j)) * d->rate[j];
        d->rate[k] = nsci_abs(sum) > NSCI_DZ_ROUNDING * NSC_REAL_EPS * nsci_abs(own) ? sum : 0;
    }
}

/* Is row i at a bound with u of the right sign, or fixed? */
static int nsci_dz_rests(const nsci_dz *d, int i)
{
    if (d->lo[i] >= d->hi[i])
        return 1;
    return (d->x[i] <= d->lo[i] && d->u[i] >= -d->noise) ||
           (d->x[i] >= d->hi[i] && d->u[i] <= d->noise);
}

/* Longest motion that the row at position k permits: x to a bound in C, u to 0 for a resting row.
   A row not yet driven, or wrong by rounding, sets no limit; the next round corrects the latter. */
static nsc_real nsci_dz_limit(const nsci_dz *d, int k)
{
    int i = nsci_dz_row(d, k);
    nsc_real rate = d->rate[k];
    nsc_real t = NSC_REAL_MAX;
    if (k < d->free_count) {
        if (rate < 0)
            t = (d->lo[i] - d->x[i]) / rate;
        if (rate > 0)
            t = (d->hi[i] - d->x[i]) / rate;
    } else if (d->lo[i] < d->hi[i] && nsci_dz_rests(d, i)) {
        if (d->x[i] <= d->lo[i] ? rate < 0 : rate > 0)
            t = -d->u[i] / rate;
    }
    return nsci_max(t, 0);
}

/* Position below `count` of the row that first stops a motion of length *t, the lowest row of
   equals, or -1; shortens *t to its limit.  The row at position `driven` does not stop itself. */
static int nsci_dz_blocker(const nsci_dz *d, int count, int driven, nsc_real *t)
{
    int k, found = -1;
    for (k = 0; k < count; k++) {
        nsc_real limit = k == driven ? NSC_REAL_MAX : nsci_dz_limit(d, k);
        if (limit < *t || (limit <= *t && found >= 0 && d->order[k] < d->order[found])) {
            found = k;
            *t = limit;
        }
    }
    return found;
}

static void nsci_dz_move(nsci_dz *d, nsc_real t)
{
    int k;
    for (k = 0; k < d->n; k++) {
        int i = nsci_dz_row(d, k);
        if (k < d->free_count)
            d->x[i] = nsci_clamp(d->x[i] + t * d->rate[k], d->lo[i], d->hi[i]);
        else
            d->u[i] += t * d->rate[k];
    }
}

/* Move the row at position k out of C, to its bound, or into C. */
static void nsci_dz_exchange(nsci_dz *d, int k)
{
    int i = nsci_dz_row(d, k);
    d->pivots++;
    if (k < d->free_count) {
        d->x[i] = d->rate[k] < 0 ? d->lo[i] : d->hi[i];
        nsci_dz_leave(d, k);
    } else {
        nsci_dz_border(d, i);
        nsci_dz_enter(d, k);
    }
}

/* Drive row i until its u is 0 or its x at a bound.  At a pivot limit the next round continues; a
   stop by the caller ends it. */
static void nsci_dz_drive(nsci_dz *d, int i)
{
    nsc_real sign = d->u[i] < 0 ? 1 : -1;
    nsc_real bound = sign > 0 ? d->hi[i] : d->lo[i];
    int k, budget, reaches;
    for (budget = NSCI_DZ_DRIVE(d->n);
         budget > 0 && d->pivots < d->most_pivots && d->free_count < d->n; budget--) {
        nsc_real pivot = nsci_dz_border(d, i);
        nsc_real way = sign * (bound - d->x[i]);
        nsc_real t = nsci_max(-sign * d->u[i] / pivot, 0);
        int at = nsci_dz_position(d, i);
        reaches = way <= t;
        if (reaches)
            t = way;
        if (nsci_asked_to_stop(d->run) || !nsci_finite(t))
            return;
        for (k = 0; k < d->free_count; k++)
            d->rate[k] = -sign * d->L[nsci_lower(d->free_count, k)];
        nsci_dz_spread(d, i, sign);
        d->rate[at] = sign * pivot;
        k = nsci_dz_blocker(d, d->n, at, &t);
        nsci_dz_move(d, t);
        d->x[i] = nsci_clamp(d->x[i] + sign * t, d->lo[i], d->hi[i]);
        if (k < 0) {
            d->pivots++;
            if (reaches)
                d->x[i] = bound;
            else
                nsci_dz_enter(d, at);
            return;
        }
        nsci_dz_exchange(d, k);
    }
}

/* Complete d->rate: in C solve L D L^T rate = rate. */
static void nsci_dz_answer(nsci_dz *d)
{
    int j, k, m = d->free_count;
    for (k = 0; k < m; k++)
        for (j = 0; j < k; j++)
            d->rate[k] -= d->L[nsci_lower(k, j)] * d->rate[j];
    for (k = 0; k < m; k++)
        d->rate[k] /= d->L[nsci_lower(k, k)];
    nsci_dz_spread(d, -1, 0);
}

/* Factorise C and bring its u to 0; rows that meet a bound on the way leave C, at most all. */
static void nsci_dz_release(nsci_dz *d)
{
    int j, k, m = d->free_count;
    for (d->free_count = 0; d->free_count < m; d->free_count++)
        nsci_dz_border(d, nsci_dz_row(d, d->free_count));
    for (; m > 0; m = d->free_count) {
        nsc_real t = 1;
        for (k = 0; k < m; k++)
            d->rate[k] = -d->u[nsci_dz_row(d, k)];
        nsci_dz_answer(d);
        j = nsci_dz_blocker(d, m, -1, &t);
        nsci_dz_move(d, t);
        for (k = 0; k < m; k++)
            d->u[nsci_dz_row(d, k)] *= 1 - t;
        if (j < 0)
            break;
        nsci_dz_exchange(d, j);
    }
}

/* Sum of the absolute terms of J v of a row [m/s]: its velocity may be their small difference. */
static nsc_real nsci_row_size(const nsc_block *b, int i, const nsc_real *v)
{
    nsc_real sum = 0;
    nsc_real room[12];
    const nsc_real *J = nsci_row_of(b, i, room);
    int k;
    for (k = 0; k < 6; k++)
        sum += nsci_abs(J[k] * v[6 * b->a + k]) + nsci_abs(J[6 + k] * v[6 * b->b + k]);
    return sum;
}

/* Copy x into the blocks; recompute u and its noise through the bodies.  Returns the largest
   natural map of a row for the present bounds [m/s]. */
static nsc_real nsci_dz_refresh(nsci_dz *d)
{
    const nsc_problem *p = d->p;
    nsc_real largest = 0, worst = 0;
    int i;
    nsci_set_lambda(d->p, d->x);
    nsci_get_velocities(p, p->v, 1, d->u);
    if (!p->delassus)
        NSCI_EACH_ROW(p, b, j)
            largest = nsci_max(largest, nsci_row_size(b, j, p->v));
    for (i = 0; i < d->n; i++) {
        nsc_real a = nsci_dz_a(d, i, i);
        nsc_real e = d->u[i];
        nsc_real y = d->x[i] - e / a;
        largest = nsci_max(largest, nsci_abs(d->x[i]) * a);
        if (d->lo[i] >= d->hi[i])
            continue;
        if (y < d->lo[i])
            e = (d->x[i] - d->lo[i]) * a;
        if (y > d->hi[i])
            e = (d->x[i] - d->hi[i]) * a;
        if (!(nsci_abs(e) <= worst))
            worst = nsci_abs(e);
    }
    d->noise = NSC_REAL_EPS * (d->scale + largest);
    return worst;
}

/* Largest residual that counts as rounding of the solver [m/s].  Capped: contradicting rows make
   impulses, and noise, grow without end. */
static nsc_real nsci_dz_rounding(const nsci_dz *d)
{
    return nsci_clamp(NSCI_DZ_ROUNDING * d->noise, 0, NSC_R(0.015625) * d->scale);
}

/* Redundant rows whose data are rounded contradict each other a little, as two hinges on one tilted
   pin do.  They leave a residual of that size, and each round pushes them harder against each
   other by residual / shift.  Keep the part of x that changes u:
   x = (A + shift diag(A))^-1 A x in C. */
static void nsci_dz_relax(nsci_dz *d)
{
    int time, k;
    for (time = 0; time < 2; time++) { /* the second time corrects the rounding of the first */
        for (k = 0; k < d->free_count; k++) {
            int i = nsci_dz_row(d, k);
            d->rate[k] = -NSCI_DZ_SHIFT * nsci_dz_a(d, i, i) * d->x[i];
        }
        nsci_dz_answer(d);
        nsci_dz_move(d, 1);
    }
    nsci_dz_refresh(d);
}

/* Solve for the present bounds, down to rounding.  0: failed: rows contradict each other, numbers
   overflow or the caller stops it. */
static int nsci_dz_solve_box(nsci_dz *d)
{
    nsc_real e = NSC_REAL_MAX, last;
    int i, round, idle = 0;
    for (round = 0; round < NSCI_DZ_ROUNDS && idle < 2 && !d->run->stopped; round++) {
        d->most_pivots = d->pivots + (unsigned)NSCI_DZ_PIVOTS(d->n);
        nsci_dz_release(d);
        for (i = 0; i < d->n; i++)
            if (nsci_dz_position(d, i) >= d->free_count && !nsci_dz_rests(d, i))
                nsci_dz_drive(d, i);
        last = e;
        e = nsci_dz_refresh(d);
        if (!nsci_finite(e))
            return 0;
        if (e <= nsci_dz_rounding(d) && (e <= d->noise || e > NSC_R(0.5) * last))
            return 1;
        idle = e > NSC_R(0.9) * last ? idle + 1 : 0;
    }
    if (e <= nsci_dz_rounding(d))
        return 1;
    if (!(e <= NSC_R(0.015625) * d->scale + 2 * d->p->bias_error)) /* errors of two rows add up */
        return 0;
    nsci_dz_relax(d);
    return 1;
}

/* Is row i of the block bounded by a normal impulse? */
static int nsci_dz_is_friction(const nsc_block *b, int i)
{
    return b->kind == NSC_BLOCK_ROLLING || (b->kind == NSC_BLOCK_CONTACT && i > 0);
}

/* First bounds of row i of a block; both 0 for friction and for rows without effective mass. */
static void nsci_dz_bounds(const nsc_block *b, int i, nsc_real *lo, nsc_real *hi)
{
    *lo = b->kind == NSC_BLOCK_CONTACT ? 0 : -NSC_REAL_MAX;
    *hi = NSC_REAL_MAX;
    if (b->kind == NSC_BLOCK_BOX) {
        *lo = b->lo[i];
        *hi = b->hi[i];
    }
    if (b->eff_mass[i] <= 0 || nsci_dz_is_friction(b, i))
        *lo = *hi = nsci_clamp(0, *lo, *hi);
}

/* Divide the arena, form A, take the first guess.  EQUALITY rows start in C, as do rows with a
   guess other than 0 inside their bounds. */
static void nsci_dz_begin(nsci_dz *d, nsci_run *run)
{
    nsc_problem *p = run->problem;
    nsc_real u[3];
    int i, r, n = p->row_count;
    nsci_clear(d, sizeof *d);
    d->A = p->arena;
    d->L = d->A + n * (n + 1) / 2;
    d->x = d->A + n * (n + 1);
    d->u = d->x + n;
    d->lo = d->u + n;
    d->hi = d->lo + n;
    d->rate = d->hi + n;
    d->order = d->rate + n;
    d->p = p;
    d->run = run;
    d->n = n;
    nsci_dz_assemble(d);
    NSCI_EACH_BLOCK(p, b) {
        nsci_live_velocity(p, b, p->v_free, nsci_zero, u);
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            nsci_dz_bounds(b, i, &d->lo[r], &d->hi[r]);
            d->order[r] = (nsc_real)r;
            d->x[r] = nsci_clamp(b->lambda[i], d->lo[r], d->hi[r]);
            d->scale = nsci_max(d->scale, nsci_abs(u[i]));
            if (d->x[r] <= d->lo[r] || d->x[r] >= d->hi[r])
                continue;
            if (b->kind == NSC_BLOCK_EQUALITY || nsci_abs(d->x[r]) > 0)
                nsci_dz_enter(d, r);
        }
    }
    nsci_dz_refresh(d);
}

/* Set the bounds of friction row i from the present normal; x at a bound follows it.  1: moved by
   more than rounding. */
static int nsci_dz_bound_row(nsci_dz *d, const nsc_block *b, int i)
{
    int r = b->row + i;
    int k = nsci_dz_position(d, r);
    nsc_real normal = d->x[b->kind == NSC_BLOCK_ROLLING ? b[-1].row : b->row];
    nsc_real limit = b->eff_mass[i] > 0 ? nsci_upper_bound(b, i, normal) : 0;
    nsc_real x = d->x[r];
    int moved = nsci_abs(limit - d->hi[r]) * nsci_dz_a(d, r, r) > d->noise;
    if (k >= d->free_count && nsci_abs(x) > 0)
        x = x > 0 ? limit : -limit;
    if (k < d->free_count && nsci_abs(x) >= limit)
        nsci_dz_leave(d, k);
    d->x[r] = nsci_clamp(x, -limit, limit);
    d->hi[r] = limit;
    d->lo[r] = -limit;
    return moved;
}

/* The same for all friction */
static int nsci_dz_bound_friction(nsci_dz *d)
{
    int moved = 0;
    NSCI_EACH_ROW(d->p, b, i)
        if (nsci_dz_is_friction(b, i))
            moved |= nsci_dz_bound_row(d, b, i);
    nsci_dz_refresh(d);
    return moved;
}

/* Lowest law accepted: with friction only PYRAMID. */
static int nsci_dz_first_law(const nsc_problem *p)
{
    NSCI_EACH_BLOCK(p, b)
        if (b->kind >= NSC_BLOCK_CONTACT && b->rows == 3 && b->mu > 0)
            return NSC_LAW_PYRAMID;
    return NSC_LAW_COULOMB;
}

/* Sweep SIPGS from the best iterate so far, at worst the first guess. */
static void nsci_dz_fall_back(nsci_run *run, int sweeps, int status)
{
    int sweep;
    nsci_restore_best(run->problem);
    nsci_apply_lambda(run->problem);
    for (sweep = 0; sweep < sweeps; sweep++)
        nsci_sipgs_sweep(run->problem, run->settings, 0);
    nsci_note(run, sweep, nsci_residual(run->problem, run->law));
    if (run->status >= 0)
        run->status = status;
}

/* Defects after a pass.  As it may be the final answer, friction is first projected into the bounds
   of its new normals. */
static nsci_defects nsci_dz_residual(const nsci_run *run)
{
    nsci_scale_lambda(run->problem, run->law, 1);
    return nsci_sum_defects(run->problem, run->law);
}

/* The caller stopped the run within a pass.  Its iterate counts if better than the best before.
   One sweep lets impulses grow from step to step even if no pass ends. */
static void nsci_dz_cut(nsci_run *run)
{
    nsci_defects d = nsci_dz_residual(run);
    if (nsci_finite(d.worst) && nsci_finite(d.energy))
        nsci_note(run, 1, d);
    nsci_dz_fall_back(run, 1, NSC_STOPPED);
}

static int nsci_dantzig_fits(const nsc_problem *p)
{
    long n = p->row_count;
    /* With more than 32000 rows the size overflows an int */
    return n <= 32000 && (n == 0 || (p->arena && p->arena_size >= NSC_ARENA_DANTZIG(n)));
}

/* NSC_ITERATION_LIMIT: friction bounds still move.  NSC_STALLED: pivoting ended above the tolerance
   and report.floor. */
NSC_API int nsc_solve_dantzig(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_dz d;
    int pass, ok, code;
    int prepared = nsci_is_prepared(p);
    if (prepared && !nsci_dantzig_fits(p))
        return nsci_refuse(report, NSC_ERR_CAPACITY);
    code = nsci_begin(&run, NSC_SOLVER_DANTZIG, p, s,
                      prepared ? nsci_dz_first_law(p) : NSC_LAW_COULOMB, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    nsci_dz_begin(&d, &run);
    ok = nsci_dz_solve_box(&d);
    for (pass = 0; ok && pass < s->passes && nsci_dz_bound_friction(&d);) {
        ok = nsci_dz_solve_box(&d);
        if (ok && nsci_note(&run, ++pass, nsci_dz_residual(&run)))
            break;
    }
    if (!ok && run.stopped)
        nsci_dz_cut(&run);
    else if (!ok)
        nsci_dz_fall_back(&run, 20, NSC_SINGULAR);
    else if (pass == 0)
        nsci_note(&run, 1, nsci_residual(p, s->law)); /* no friction */
    if (ok && run.status == NSC_ITERATION_LIMIT && pass < s->passes)
        run.status = NSC_STALLED;
    run.iterations = (int)(d.pivots & (unsigned)-1 >> 1);
    return nsci_finish(&run, report);
}

/* ---- >>selfcheck ----------------------------------------------------------------------------- */

/* Sums and products that reveal reassociation, wider intermediates and contraction; the first found
   is returned. */
static unsigned nsci_check_sums(void)
{
    /* double: 2^-27, 2^60 */
    volatile nsc_real e = 1 / (NSCI_IS_DOUBLE ? NSC_R(134217728.0) : NSC_R(4096.0));
    volatile nsc_real wide = NSCI_IS_DOUBLE ? NSC_R(1152921504606846976.0) : NSC_R(1e8);
    volatile nsc_real huge = NSC_R(1.2089258196146292e24), unit = 1; /* 2^80: beyond x87 too */
    nsc_real one = unit;
    nsc_real a = one + e;
    nsc_real b = huge, c = wide;
    if (nsci_abs((b + one) - b) > 0)
        return NSC_CHECK_REASSOCIATION;
    if (nsci_abs((c + one) - c) > 0)
        return NSC_CHECK_EXCESS;
    return nsci_abs(a * a - (one + 2 * e)) > 0 ? NSC_CHECK_CONTRACTION : 0;
}

/* Subnormal numbers, as results and as operands */
static unsigned nsci_check_subnormals(void)
{
    volatile nsc_real tiny = NSC_REAL_MIN;
    volatile nsc_real half = NSC_R(0.5);
    volatile nsc_real large = 1 / NSC_REAL_MIN;
    volatile nsc_real stored;
    nsc_real product = tiny * half;
    unsigned char bytes[sizeof product];
    unsigned i, any = 0, found = 0;
    NSC_MEMCPY(bytes, &product, sizeof bytes);
    for (i = 0; i < sizeof bytes; i++)
        any |= bytes[i];
    if (!any)
        found |= NSC_CHECK_FLUSH_RESULT;
    stored = NSC_REAL_MIN * NSC_R(0.5); /* computed by the compiler */
    if (!(stored * large > NSC_R(0.25)))
        found |= NSC_CHECK_FLUSH_OPERAND;
    return found;
}

/* Rounding to nearest.  Sums are stored at once, so that wider intermediates do not look wrong. */
static unsigned nsci_check_rounding(void)
{
    volatile nsc_real unit = 1, sum;
    nsc_real one = unit, eps = NSC_REAL_EPS, error;
    sum = one + NSC_R(0.75) * eps;
    error = nsci_abs(sum - (1 + eps));
    sum = -one - NSC_R(0.75) * eps;
    error += nsci_abs(sum - (-1 - eps));
    sum = one + NSC_R(0.25) * eps;
    error += nsci_abs(sum - 1);
    if (NSCI_IS_DOUBLE) {
        /* An operand 33 bits below 1: __aeabi_dsub of libgcc for Thumb-2 is off by one here */
        sum = NSC_R(1.348221817281072e-10);
        sum = one - sum;
        error += nsci_abs(sum - (1 - NSC_R(1.348221817281072e-10)));
    }
    return error > 0 ? (unsigned)NSC_CHECK_ROUNDING : 0;
}

/* Quotients and roots of numbers unknown to the compiler, against its constants.  Several divisions
   by one number stand together: there compilers multiply by its reciprocal. */
static unsigned nsci_check_division(void)
{
    volatile nsc_real v2 = 2, v3 = 3, v5 = 5, v7 = 7, v10 = 10;
    nsc_real three = v3, seven = v7;
    nsc_real error = nsci_abs(v5 / three - NSC_R(5.0) / 3) +
                     nsci_abs(seven / three - NSC_R(7.0) / 3) +
                     nsci_abs(v10 / three - NSC_R(10.0) / 3) +
                     nsci_abs(v5 / seven - NSC_R(5.0) / 7) +
                     nsci_abs(v10 / seven - NSC_R(10.0) / 7);
    if (error > 0)
        return NSC_CHECK_RECIPROCAL;
    error = nsci_abs(NSC_SQRT(v2) - NSC_R(1.41421356237309504880)) +
            nsci_abs(NSC_SQRT(three) - NSC_R(1.73205080756887729353)) +
            nsci_abs(NSC_SQRT(seven) - NSC_R(2.64575131106459059050));
    return error > 0 ? (unsigned)NSC_CHECK_SQRT : 0;
}

NSC_API const char *nsc_selfcheck_text(unsigned detail)
{
    static const char *const texts[] = { /* in the order of NSC_CHECK_* */
        "a*b+c is contracted",
        "intermediates are wider than their type",
        "sums are reordered",
        "division by multiplication",
        "subnormal results become zero",
        "subnormal operands count as zero",
        "sums are not rounded to nearest",
        "square root is not correctly rounded",
        "a scene ends in other bits",
    };
    int i = 0;
    if (!NSCI_TEXTS)
        return "";
    while (i < 9 && !(detail >> i & 1))
        i++;
    return i < 9 ? texts[i] : "ok";
}

NSC_API int nsc_selfcheck(unsigned *detail)
{
    unsigned found = nsci_check_rounding();
    int faulty;
    if (!found)
        found = nsci_check_sums();
    if (!found)
        found = nsci_check_division();
    faulty = found > 0;
    found |= nsci_check_subnormals();
    if (detail)
        *detail = found;
    return faulty ? NSC_ERR_ARITHMETIC : found ? NSC_FLUSHES : NSC_OK;
}

NSCI_C_END
#undef NSCI_CODE
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
