/* nsc_solvers.h - v0.2.0 - frictional contact problems, solved in fixed memory
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

   WHICH SOLVER  (measured side by side in tests/bench/RESULTS.md)
       SIPGS    Sequential impulses, projected Gauss-Seidel.  All three laws.  No scratch.  The
                default: good after ten sweeps, slow to the last digit, weak at mass ratios > 100.
       APGD     Accelerated projected gradient.  CONE and COULOMB.  Scratch: NSC_ARENA_APGD(rows).
                Better at large mass ratios and many contacts, given 50 or more iterations.
       BB       Spectral projected gradient with conjugate directions.  CONE and COULOMB.  Scratch:
                NSC_ARENA_BB(rows).  Used like APGD, and usually faster.
       NEWTON   Semismooth Newton with a factorised matrix of the bodies' size.  All three laws.
                Scratch: NSC_ARENA_NEWTON(bodies, rows).  Exact to rounding in 10 to 50
                factorisations, 120 on hard problems (see max_factorizations), also at mass ratios
                of 1000 and more.  settings.barrier needs fewer from a cold start.
       ADMM     Operator splitting with the same matrix.  All three laws.  Scratch:
                NSC_ARENA_ADMM(bodies, rows).  Few factorisations and many cheap iterations: the
                quickest for bodies at rest, at any mass ratio, but not to the last digits.
       DANTZIG  Pivoting on the dense matrix.  PYRAMID.  Scratch: NSC_ARENA_DANTZIG(rows).
                Exact to rounding, cost ~ rows^3; for small systems and hard mass ratios.
       MINRES   Minimal residual, a Krylov method.  Solves EQUALITY blocks alone; all other blocks
                keep their first guess, under any law.  Scratch: NSC_ARENA_MINRES(rows).  For long
                chains and loops of joints, or to close the joints after another solver.  Needs
                about as many iterations as there are links, where SIPGS needs their square.
       AUTO     SIPGS, and if that converges slowly the first of NEWTON, ADMM, BB, APGD that fits
                the arena; report.solver tells.  Joints alone and small PYRAMID problems first try a
                special solver (>>auto).  All three laws.  Scratch: any size, or NULL.

   One number stops and measures them all: the natural map of each block [m/s], recomputed from
   lambda.  To compare solvers, change only settings.solver.

   EXAMPLE  (tested: examples/06_own_contacts.c is the long form)
       nsc_problem p = ...;                            bodies, blocks, velocities: your arrays;
                                                       all other members, and those of blocks, 0
       nsc_settings s = nsc_default_settings();
       nsc_report r;
       if (nsc_problem_prepare(&p) < 0) ...            checks it, fills effective masses
       if (nsc_solve(&p, &s, &r) < 0) ...              writes lambda into the blocks, v into p.v

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
       NSC_NO_APGD, _BB, _DANTZIG, _NEWTON, _ADMM, _MINRES, _AUTO
                          compile a solver out; requesting it gives NSC_ERR_ARGUMENT
       NSC_ONLY_SIPGS     all of these at once
       NSC_ONLY_CONTACTS  problems hold contacts under NSC_LAW_COULOMB alone: blocks of another
                          kind, other laws and problem.delassus are refused
       NSC_SQRT, NSC_MEMCPY, NSC_MEMSET   replace the three libc functions used
       NSC_NO_LANES       no 16-byte vectors on x86-64 and AArch64; the bits are the same
       NSC_PARALLEL *     SIPGS can use several cores: nsc_problem.parallel; the bits are the same
       NSC_NO_TEXTS       leave out all texts: nsc_error_text and similar functions return "".
                          Set on AVR, where a literal takes RAM, unless NSC_TEXTS is defined
       NSC_ASSERT(x)      for checks of internal invariants, not of your data; not used yet
       NSC_NO_GUARD       compile in spite of fast-math or x87; the bits may then differ
       NSC_CONFIG_H       a header with these defines, included first: "my_nsc_config.h"

   CONTENTS  (search for >>name)
       >>config  >>codes  >>types  >>api
       implementation: >>guard  >>kernels  >>prepare  >>project  >>residual  >>run  >>sipgs
                       >>vectors  >>gradient  >>apgd  >>bb  >>minres  >>dantzig  >>factor
                       >>newton  >>admm  >>solve  >>auto  >>selfcheck
       >>licence
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
#define NSC_VERSION_MINOR 2
#define NSC_VERSION_PATCH 0

#ifdef NSC_DOUBLE
typedef double nsc_real;
#define NSC_R(x) (x)
#define NSC_REAL_MAX DBL_MAX
#define NSC_REAL_MIN DBL_MIN
#define NSC_REAL_TINY 1e-145 /* flushed to 0, see nsc_selfcheck */
#define NSC_REAL_EPS DBL_EPSILON
#define NSCI_LIBM_SQRT sqrt
#define NSCI_BUILTIN_ABS __builtin_fabs
#else
typedef float nsc_real;
#define NSC_R(x) (x##f)
#define NSC_REAL_MAX FLT_MAX
#define NSC_REAL_MIN FLT_MIN
#define NSC_REAL_TINY 1e-15f /* flushed to 0, see nsc_selfcheck */
#define NSC_REAL_EPS FLT_EPSILON
#define NSCI_LIBM_SQRT sqrtf
#define NSCI_BUILTIN_ABS __builtin_fabsf
#endif
#define NSCI_IS_DOUBLE (sizeof(nsc_real) > 4)

#ifndef NSC_SQRT
#include <math.h>
#define NSC_SQRT(x) NSCI_LIBM_SQRT(x)
#endif
#ifndef NSC_MEMCPY
#include <string.h>
#define NSC_MEMCPY(dst, src, n) memcpy(dst, src, n)
#endif
#ifndef NSC_MEMSET
#include <string.h>
#define NSC_MEMSET(dst, c, n) memset(dst, c, n)
#endif
#ifndef NSC_ASSERT
#define NSC_ASSERT(x) ((void)0)
#endif

#if defined(NSC_NO_TEXTS) || (defined(__AVR__) && !defined(NSC_TEXTS))
#undef NSC_NO_TEXTS
#define NSC_NO_TEXTS
#define NSCI_TEXTS 0
#else
#define NSCI_TEXTS 1
#endif

#ifdef NSC_ONLY_SIPGS
#define NSC_NO_APGD
#define NSC_NO_BB
#define NSC_NO_DANTZIG
#define NSC_NO_NEWTON
#define NSC_NO_ADMM
#define NSC_NO_MINRES
#define NSC_NO_AUTO
#endif

/* Kind of a block, law, and the given matrix of a problem: with NSC_ONLY_CONTACTS constants,
   for which the compiler leaves out code.  Used where that saves code. */
#ifdef NSC_ONLY_CONTACTS
#define NSCI_KIND_OF(block) ((void)(block), NSC_BLOCK_CONTACT)
#define NSCI_LAW_OF(law) ((void)(law), NSC_LAW_COULOMB)
#define NSCI_MATRIX_OF(problem) ((void)(problem), (const nsc_real *)NULL)
#else
#define NSCI_KIND_OF(block) ((block)->kind)
#define NSCI_LAW_OF(law) (law)
#define NSCI_MATRIX_OF(problem) ((problem)->delassus)
#endif

#if defined(__GNUC__) || defined(__clang__)
#define NSC_RESTRICT __restrict__
#define NSC_MAYBE_UNUSED __attribute__((unused))
#define NSCI_NOINLINE __attribute__((noinline))
#elif !defined(__cplusplus)
#define NSC_RESTRICT restrict
#define NSC_MAYBE_UNUSED
#define NSCI_NOINLINE
#else
#define NSC_RESTRICT
#define NSC_MAYBE_UNUSED
#define NSCI_NOINLINE
#endif

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

/* tcc 0.9.27 stores 16 bytes where a function returns a structure of 12, and so overwrites its
   neighbour on the stack.  There such structures have a spare member. */
#ifdef __TINYC__
#define NSCI_PADDED 1
#else
#define NSCI_PADDED 0
#endif

#ifdef NSC_PARALLEL
#define NSCI_PARALLEL 1
#else
#define NSCI_PARALLEL 0
#endif

#ifndef NSC_API
#ifdef NSC_STATIC
#define NSC_API static NSC_MAYBE_UNUSED
#else
#define NSC_API extern
#endif
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
enum { /* nsc_settings.solver */
    NSC_SOLVER_SIPGS = 1, NSC_SOLVER_APGD = 2, NSC_SOLVER_DANTZIG = 3, NSC_SOLVER_BB = 4,
    NSC_SOLVER_MINRES = 5,
    NSC_SOLVER_ADMM = 6, NSC_SOLVER_NEWTON = 7, NSC_SOLVER_AUTO = 8
};

/* Inverse mass of one body.  All zeros: no impulse changes its velocity (static or kinematic). */
typedef struct nsc_mass {
    nsc_real inv_mass;       /* [1/kg], >= 0 */
    nsc_real inv_inertia[6]; /* [1/(kg m^2)] xx yy zz xy xz yz, about the centre, world frame */
} nsc_mass;

/* Up to three constraint rows between bodies a and b. */
typedef struct nsc_block {
    /* filled by the caller */
    int a, b;            /* indices of bodies; by convention 0 is the immovable world; a = b only
                            if half of J is 0 */
    unsigned char kind;  /* NSC_BLOCK_* */
    unsigned char rows;  /* 1..3; a CONTACT has 3, or 1 when it has no friction; ROLLING 3 */
    unsigned char soft;  /* filled by nsc_problem_prepare: 1 if a cfm is not 0 */
    unsigned char no_stick; /* filled likewise: 0 for a contact with a stick_inverse, else 1 */
    nsc_real mu;         /* >= 0; CONTACT: friction coefficient; ROLLING: rolling friction [m] */
    nsc_real J[3][12];   /* (3 x 12) rows; columns v_a w_a v_b w_b.  Contact: d = n, t1, t2 (unit,
                            perpendicular), in row d: -d, -(r_a x d), d, r_b x d, where r_a, r_b
                            lead from the centre of mass of a, b to the point [m] */
    nsc_real cfm[3];     /* (3) compliance on the diagonal of N [1/kg], >= 0 */
    nsc_real bias[3];    /* (3) added to J v [m/s]; a contact with gap > 0 has gap/h in row 0 */
    nsc_real lo[3];      /* (3) BOX: lower bounds of lambda [N s]; may be -inf */
    nsc_real hi[3];      /* (3) BOX: upper bounds, may be +inf; ROLLING: hi[0] is the spin friction
                            about the normal [m], >= 0 */
    nsc_real lambda[3];  /* (3) impulse [N s]; in: first guess if warm_start; out: the answer */
    /* filled by nsc_problem_prepare */
    nsc_real MinvJt[3][12]; /* (3 x 12) M^-1 J^T by row: velocity change per unit impulse */
    nsc_real delassus[6]; /* (6) the block's own 3 x 3 part G of N: 00 01 02 11 12 22 [1/kg] */
    nsc_real stick_inverse[3]; /* contact: inverse of the tangents' Schur complement in G:
                            11 12 22 [kg].  EQUALITY, ROLLING: 1/D1, 1/D2 [kg], L21; G = L D L^T */
    nsc_real eff_mass[3]; /* (3) 1/G_ii [kg]; 0 where G_ii <= 1e-30, and in all rows of a contact
                            whose normal has none: such a row is skipped */
    nsc_real rho;        /* 1/mean of the positive G_ii [kg]; 0: whole block skipped */
    nsc_real best[3];    /* (3) lambda of the best iterate so far, kept by the solvers */
    int row;             /* index of its first row in the whole problem */
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
                                 is measured (see settings.judge).  MINRES: change is the residual
                                 as the iteration updates it.  An unknown value is -1.  DANTZIG
                                 counts its passes; AUTO begins anew with each solver it tries */
    /* parallel: NULL, or a function of yours that calls work(job, i) once for each i in
       0 .. parts - 1, on any cores, in any order or at the same time, and returns when all have
       returned.  Every work must see what was written before the call, and the caller must
       afterwards see what every work wrote.  SIPGS calls it 5 to 20 times a sweep, with 2 .. parts
       parts, where enough pairs of bodies can be visited at a time.  A part lasts some microseconds
       on a desktop, so let threads wait in a loop.  The bits do not depend on parallel, except for
       the iterations reported after an overflow (NSC_ERR_NOT_FINITE).  It needs an arena of
       NSC_ARENA_CORES or NSC_ARENA_WAVES; with less, fewer sweeps are made together, or this core
       does all.  With stop no sweep is made ahead, so that parallel is called more often.
       parts: usually the number of cores, >= 1; at 1 parallel is not called.  Not used where
       parallel is NULL */
    NSCI_IF(NSCI_PARALLEL, void (*parallel)(void *user, void (*work)(void *job, int part),
                                            void *job, int parts);)
    NSCI_IF(NSCI_PARALLEL, int parts;)
    void *user;               /* passed to the callbacks, for example the caller's clock */
    nsc_real bias_error;      /* uncertainty of the biases [m/s], >= 0; usual 0; part of
                                 report.floor.  A bias that removes drift within h between bodies
                                 at a distance x from the origin is known to about
                                 NSC_REAL_EPS x / h */
    /* filled by nsc_problem_prepare */
    int row_count;            /* sum of the blocks' rows */
    int skipped_rows;         /* rows without effective mass: their lambda moves no body, and the
                                 residual leaves them out */
    int ground;               /* filled by the solvers: 1 if body 0 is immovable and at rest */
} nsc_problem;

/* Scratch in reals for a problem with that many rows.  Where an int has 16 bits, pass a long. */
#define NSC_ARENA_APGD(rows) (8 * (rows))
#define NSC_ARENA_BB(rows) (7 * (rows))
#define NSC_ARENA_MINRES(rows) (5 * (rows))
#define NSC_ARENA_DANTZIG(rows) ((rows) * ((rows) + 1) + 6 * (rows))
/* Scratch in reals with which SIPGS visits several pairs of bodies at a time, by vectors of x86-64
   and AArch64 and, with NSC_PARALLEL, on several cores.  It does so from 16 blocks on, if enough
   pairs can be visited together and the likely sweeps repay the packing.  A smaller arena serves
   part of the blocks; without one all are visited one by one.  The bits are the same.  The arena of
   another solver serves too, and is often larger.  A world without other solvers gets it by
       #define NSC_ARENA NSC_ARENA_WAVES(0L + NSC_MAX_BODIES, NSC_MAX_BLOCKS)
   NSC_ARENA_CORES is for several cores without vectors. */
#define NSC_ARENA_WAVES(bodies, blocks) (8 * (bodies) + 150 * (blocks))
#define NSC_ARENA_CORES(bodies, blocks) (7 * (bodies) + 30 * (blocks))
/* Scratch in reals of the solvers that factorise.  They return NSC_ERR_CAPACITY for more than 900
   bodies or 32000 rows, in float for more than 5792 of a given delassus.  With problem.delassus use
   the _MATRIX forms. */
#define NSC_ARENA_NEWTON(bodies, rows) \
    (14 * (rows) + 25 * (bodies) + 3 * (bodies) * (6 * (bodies) + \
     1))
#define NSC_ARENA_ADMM(bodies, rows) \
    (9 * (rows) + 25 * (bodies) + 3 * (bodies) * (6 * (bodies) + \
     1))
#define NSC_ARENA_NEWTON_MATRIX(rows) (17 * (rows) + (rows) * ((rows) + 1) / 2)
#define NSC_ARENA_ADMM_MATRIX(rows) (12 * (rows) + (rows) * ((rows) + 1) / 2)

/* How to solve.  Start from nsc_default_settings() and change single fields. */
typedef struct nsc_settings {
    int solver;          /* NSC_SOLVER_*; default SIPGS */
    int law;             /* NSC_LAW_*; default COULOMB */
    int max_iterations;  /* limit of sweeps, gradient, Krylov or Newton steps, >= 1; default 100.
                            DANTZIG ignores it.  MINRES ends after 4 per row plus 20 in any case.
                            Sweeps of SIPGS not counted: ADMM makes 10 first, NEWTON 10 to 50 first
                            (none with barrier, or if one factor solves joints alone), up to 200
                            when stuck.  AUTO: the limit of each solver it uses */
    nsc_real tolerance;  /* stop when the residual is at most this [m/s], >= 0, or at most
                            report.floor; default 1e-6 in float, 1e-8 in double */
    int stall_window;    /* give up after so many iterations without 5 % gain; 0 never; default 0 */
    int check_interval;  /* SIPGS, MINRES: iterations between checks whether to end, >= 1;
                            default 10 */
    int warm_start;      /* 1: begin from the blocks' lambda; 0: from zero.  Default 1 */
    nsc_real omega;      /* SIPGS: relaxation, in (0, 2); default 1.  There is no sharpness factor
                            as in Chrono's PSOR: on 60 published problems, after 100 sweeps, factors
                            0.5, 0.75 and 0.9 gave no smaller median of eta than 1 at any of omega
                            0.8, 1, 1.3 and 1.6, under COULOMB and CONE */
    int symmetric;       /* SIPGS: 1: every second sweep backward; default 0 */
    int passes;          /* DANTZIG: solves with friction bounds renewed before each; >= 1; default
                            32; 1 does as ODE: bounds from the frictionless normal forces */
    int barrier;         /* NEWTON: 1: begin with an interior point method: fewest factorisations
                            from a cold start; ignores a warm start; default 0 */
    int judge;           /* 1: the report has eta, violation, objective and duality_gap, and SIPGS
                            measures its residual every check_interval sweeps; default.  0: those
                            four are 0, and SIPGS measures only at its end and when sweeps change
                            little: the answer is the best of these iterates.  Where the residual is
                            above twice the change in the first sweep, it measures the first guess
                            too, which may be the best.  Unless bias_error is above 0, v is then as
                            the sweeps left it, which differs from v_f + M^-1 J^T lambda by
                            rounding.  0 in nsc_default_world_def */
    int max_factorizations; /* NEWTON, ADMM and AUTO: factorisations of one solve, >= 1.  It bounds
                               the time of the worst step.  Default 120; 5 in nsc_default_world_def,
                               where the next step continues from this answer.  At the limit NEWTON
                               ends with NSC_ITERATION_LIMIT and its best iterate, and ADMM
                               continues with its last factor */
} nsc_settings;

/* Result of a solver.  Filled by every solver, whatever it returns. */
typedef struct nsc_report {
    int status;          /* the code the call returned */
    int solver;          /* NSC_SOLVER_* that ended the run: AUTO's choice */
    int iterations;      /* sweeps, gradient, Krylov or Newton steps, or pivots done */
    int factorizations;  /* of the matrix of bodies or rows: NEWTON, ADMM */
    nsc_real residual;   /* max over blocks of |e_i| [m/s], the natural map (nsc_problem_measure).
                            It does not see how your data were rounded to nsc_real.  In float that
                            left dense and badly scaled data at 7 times the tolerance, and one
                            published problem (si-GFC3D_Example00_badly_scaled, 1e4 m/s) at 590
                            times */
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
    int worst_block;     /* index of the block with the residual, -1 without blocks */
    int skipped_rows;    /* rows without effective mass, see nsc_problem */
} nsc_report;

/* ---- >>api ----------------------------------------------------------------------------------- */

/* Returns the defaults documented at each field. */
NSC_API nsc_settings nsc_default_settings(void);

/* Check a problem, and fill the fields of it and its blocks marked so.  Call it again after changes
   of J, cfm, rows or a mass, but not of only bias, mu, lo, hi, lambda or v_free.
   Returns 0, NSC_ERR_ARGUMENT (null pointer, index, kind, rows, sign or order of bounds, v equal to
   v_free), NSC_ERR_CAPACITY (more than 32000 rows of a given delassus), NSC_ERR_NOT_FINITE (an
   input, M^-1 J^T, or the diagonal of N; for the latter two, solvers then refuse the problem).
   Cost: about 250 multiplications a block.  Of N only the diagonal blocks are computed. */
NSC_API int nsc_problem_prepare(nsc_problem *problem);

/* Solve a prepared problem.  Writes lambda into the blocks, velocities into problem->v, and report
   (may be NULL).  Returns NSC_OK, a positive remark, or an error.  After NSC_ERR_NOT_FINITE all
   lambda are 0 and v = v_free; any other error writes nothing but the report.
   Cost, always bounded: iterations * rows * 2 operations on 12 numbers.  DANTZIG: rows^3.  NEWTON
   and ADMM: each factor at most (6 bodies)^3/6 multiplications, for a chain 500 per body. */
NSC_API int nsc_solve(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

/* As nsc_solve, but settings->solver is ignored. */
NSC_API int nsc_solve_sipgs(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#ifndef NSC_NO_DANTZIG
NSC_API int nsc_solve_dantzig(nsc_problem *problem, const nsc_settings *settings,
                              nsc_report *report);
#endif
/* The solvers below stand in the order of their scratch.  NSCI_ARENA_FOR_ALL is the scratch of the
   last one in the build, and so enough for all of them. */
#define NSCI_ARENA_FOR_ALL(bodies, rows) 0
#ifndef NSC_NO_MINRES
/* Solves u = 0 of the EQUALITY blocks.  The impulses of all other blocks stay at the first guess:
   their lambda projected onto its bounds, scaled down if too large, or 0 without warm_start.  Use
   it where all blocks are EQUALITY, or after another solver to close the joints; the next step then
   corrects the contacts.
   Iterations, stall_window and the best iterate consider the joints alone, the report and NSC_OK
   all blocks: solved joints beside unsolved contacts give NSC_STALLED.  So do contradicting rows,
   left with their least-squares residual, and rounding that stops progress above report.floor. */
NSC_API int nsc_solve_minres(nsc_problem *problem, const nsc_settings *settings,
                             nsc_report *report);
#undef NSCI_ARENA_FOR_ALL
#define NSCI_ARENA_FOR_ALL(bodies, rows) NSC_ARENA_MINRES(rows)
#endif
#ifndef NSC_NO_BB
NSC_API int nsc_solve_bb(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#undef NSCI_ARENA_FOR_ALL
#define NSCI_ARENA_FOR_ALL(bodies, rows) NSC_ARENA_BB(rows)
#endif
#ifndef NSC_NO_APGD
NSC_API int nsc_solve_apgd(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#undef NSCI_ARENA_FOR_ALL
#define NSCI_ARENA_FOR_ALL(bodies, rows) NSC_ARENA_APGD(rows)
#endif
#ifndef NSC_NO_ADMM
NSC_API int nsc_solve_admm(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#undef NSCI_ARENA_FOR_ALL
#define NSCI_ARENA_FOR_ALL(bodies, rows) NSC_ARENA_ADMM(bodies, rows)
#endif
#ifndef NSC_NO_NEWTON
NSC_API int nsc_solve_newton(nsc_problem *problem, const nsc_settings *settings,
                             nsc_report *report);
#undef NSCI_ARENA_FOR_ALL
#define NSCI_ARENA_FOR_ALL(bodies, rows) NSC_ARENA_NEWTON(bodies, rows)
#endif
#ifndef NSC_NO_AUTO
NSC_API int nsc_solve_auto(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#endif

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
   NSC_FLUSHES: only NSC_CHECK_FLUSH_* was found.  A step keeps the numbers of poses, velocities and
   rates at 0 or above NSC_REAL_TINY, so that their squares are never subnormal, and sets to 0 the
   parts of an impulse that are negligible beside the whole.  With that all scenes of tests/targets
   have the same bits, and so had 10^6 steps with random velocities down to 1e-9
   (tests/test_flush.c).  It is not proved for every world: masses below 1e-6 kg, for example, were
   not tried.  Call it when the firmware boots.  Cost: about 100 operations.  nsc_world_selfcheck of
   nsc.h also runs a scene. */
NSC_API int nsc_selfcheck(unsigned *detail);

/* A short English text for the first cause in detail; never NULL, but empty with NSC_NO_TEXTS. */
NSC_API const char *nsc_selfcheck_text(unsigned detail);

#ifndef NSC_NO_OLD_NAMES
/* ---- names of version 0.1; the next version drops them */
#define NSC_MAX_ITERATIONS NSC_ITERATION_LIMIT
#define NSC_LAW_BOX NSC_LAW_PYRAMID
#endif

NSCI_C_END
#endif /* NSC_NONSMOOTH_SOLVERS_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_SOLVERS_IMPLEMENTATION_DONE)
#define NSC_SOLVERS_IMPLEMENTATION_DONE

/* ---- >>guard ---------------------------------------------------------------------------------
   For the same bits everywhere, refuse modes that change values and turn contraction off. */
#ifndef NSC_NO_GUARD
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "nsc: build without -ffast-math and its parts, such as -ffinite-math-only"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "nsc: computes wider than float: take -msse2 -mfpmath=sse; s390x: -fexcess-precision=fast"
#endif
#if FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128 || \
    (defined(NSC_DOUBLE) && (DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024))
#error "nsc: float is not IEEE-754 binary32, or double not binary64: then leave NSC_DOUBLE out"
#endif
#endif

/* clang obeys the standard's pragma, GCC only its own.  The SLP vectoriser of GCC 12 on x86 with
   FMA emits vfmaddsub even so, and MVE float vectors flush subnormals: no vectors there.  Elsewhere
   GCC must not replace zeroing loops by memset, which is slow in small libcs. */
#if defined(__clang__)
#define NSCI_BITS_BEGIN _Pragma("STDC FP_CONTRACT OFF")
#define NSCI_BITS_END _Pragma("STDC FP_CONTRACT DEFAULT")
#elif defined(__GNUC__)
#define NSCI_BITS_END _Pragma("GCC pop_options")
#if defined(__FMA__) || defined(__FMA4__)
#define NSCI_BITS_BEGIN \
    _Pragma("GCC push_options") \
    _Pragma("GCC optimize (\"fp-contract=off\", \"no-tree-slp-vectorize\")")
#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
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
#if NSCI_FAST && !defined(NSC_NO_LANES) && \
    (defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON)))
#define NSCI_LANES
#define NSCI_SKIPS_GROUND 0
#define NSCI_WAVES 1 /* 1: SIPGS can visit its blocks in waves, see nsci_waves */
#else
#define NSCI_SKIPS_GROUND NSCI_FAST
#define NSCI_WAVES NSCI_PARALLEL
#endif

/* Is problem.parts valid?  It must be >= 1 where problem.parallel is set. */
#define NSCI_HAS_PARTS(p) (1 NSCI_IF(NSCI_PARALLEL, && (!(p)->parallel || (p)->parts >= 1)))

/* Never inlined, so that the stack of one stage is freed before the next begins */
#define NSCI_OWN_FRAME static NSCI_NOINLINE

/* 1: copy the velocities of a pair of bodies into registers while its blocks are visited.  Vectors
   load them as quickly from memory, and the loops of small code need them there. */
#define NSCI_HOLDS_VELOCITIES NSCI_SKIPS_GROUND
#define NSCI_COPY3(to, from) ((to)[0] = (from)[0], (to)[1] = (from)[1], (to)[2] = (from)[2])
#define NSCI_COPY6(to, from) (NSCI_COPY3(to, from), NSCI_COPY3((to) + 3, (from) + 3))

/* Copy and clear by whole words, because small libcs of microcontrollers work byte by byte.  On
   machines with wide registers the library is quicker. */
#if defined(__GNUC__) && !defined(NSCI_LANES)
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

#ifdef NSCI_LANES
/* A register of 16 bytes adds two or four numbers at a time.  va and vb are the same memory if a
   and b are one body: stores to va precede loads of the same elements through vb. */
typedef nsc_real nsci_lanes __attribute__((vector_size(16), aligned(sizeof(nsc_real)), may_alias));
typedef long long nsci_halves __attribute__((vector_size(16)));
typedef long long nsci_half __attribute__((aligned(4), may_alias));
#define NSCI_AT(x) (*(nsci_lanes *)(x))
#define NSCI_CONST_AT(x) (*(const nsci_lanes *)(x))

/* Elements 4..7 of (va, vb), for registers of four lanes */
NSCI_INLINE nsci_lanes nsci_straddle(const nsc_real *va, const nsc_real *vb)
{
    nsci_halves x = {*(const nsci_half *)(va + 4), *(const nsci_half *)vb};
    return (nsci_lanes)x;
}

/* nsci_dot12 returns J . (va, vb).  NSCI_UPDATE replaces all elements of (va, vb), by vectors: v at
   offset j becomes NSCI_ADD(v, j). */
#ifdef NSC_DOUBLE
NSCI_INLINE nsc_real nsci_dot12(const nsc_real *NSC_RESTRICT J, const nsc_real *va,
                                const nsc_real *vb)
{
    nsci_lanes s =
        (NSCI_CONST_AT(J) * NSCI_CONST_AT(va) + NSCI_CONST_AT(J + 4) * NSCI_CONST_AT(va + 4) +
         NSCI_CONST_AT(J + 8) * NSCI_CONST_AT(vb + 2)) +
        (NSCI_CONST_AT(J + 2) * NSCI_CONST_AT(va + 2) + NSCI_CONST_AT(J + 6) * NSCI_CONST_AT(vb) +
         NSCI_CONST_AT(J + 10) * NSCI_CONST_AT(vb + 4));
    return s[0] + s[1];
}
#define NSCI_UPDATE(va, vb) \
    NSCI_AT(va) = NSCI_ADD(NSCI_AT(va), 0); \
    NSCI_AT(va + 2) = NSCI_ADD(NSCI_AT(va + 2), 2); \
    NSCI_AT(va + 4) = NSCI_ADD(NSCI_AT(va + 4), 4); \
    NSCI_AT(vb) = NSCI_ADD(NSCI_AT(vb), 6); \
    NSCI_AT(vb + 2) = NSCI_ADD(NSCI_AT(vb + 2), 8); \
    NSCI_AT(vb + 4) = NSCI_ADD(NSCI_AT(vb + 4), 10)
#else
NSCI_INLINE nsc_real nsci_dot12(const nsc_real *NSC_RESTRICT J, const nsc_real *va,
                                const nsc_real *vb)
{
    nsci_lanes l = NSCI_CONST_AT(J) * NSCI_CONST_AT(va) +
                   NSCI_CONST_AT(J + 4) * nsci_straddle(va, vb) +
                   NSCI_CONST_AT(J + 8) * NSCI_CONST_AT(vb + 2);
    nsci_halves swapped = {((nsci_halves)l)[1], ((nsci_halves)l)[0]};
    l += (nsci_lanes)swapped;
    return l[0] + l[1];
}
#define NSCI_UPDATE(va, vb) \
    nsci_halves middle; \
    NSCI_AT(va) = NSCI_ADD(NSCI_AT(va), 0); \
    middle = (nsci_halves)(NSCI_ADD(nsci_straddle(va, vb), 4)); \
    *(nsci_half *)(va + 4) = middle[0], *(nsci_half *)vb = middle[1]; \
    NSCI_AT(vb + 2) = NSCI_ADD(NSCI_AT(vb + 2), 8)
#endif

/* (va, vb) += s x */
NSCI_INLINE void nsci_axpy12(nsc_real s, const nsc_real *NSC_RESTRICT x, nsc_real *va, nsc_real *vb)
{
#define NSCI_ADD(v, j) v + s *NSCI_CONST_AT(x + j)
    NSCI_UPDATE(va, vb);
#undef NSCI_ADD
}

/* (va, vb) += M^-1 J^T d of three rows: the sums of three nsci_axpy12, but each velocity is loaded
   and stored once. */
NSCI_INLINE void nsci_axpy36(const nsc_real *d, const nsc_block *k, nsc_real *va, nsc_real *vb)
{
    const nsc_real *x0 = k->MinvJt[0];
    const nsc_real *x1 = k->MinvJt[1];
    const nsc_real *x2 = k->MinvJt[2];
    nsc_real d0 = d[0];
    nsc_real d1 = d[1];
    nsc_real d2 = d[2];
#define NSCI_ADD(v, j)                                                                             \
    ((v + d0 * NSCI_CONST_AT(x0 + j)) + d1 * NSCI_CONST_AT(x1 + j)) + d2 *NSCI_CONST_AT(x2 + j)
    NSCI_UPDATE(va, vb);
#undef NSCI_ADD
}
#else
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
NSCI_INLINE void nsci_axpy12(nsc_real s, const nsc_real *NSC_RESTRICT x, nsc_real *va, nsc_real *vb)
{
    int i;
    for (i = 0; i < 6; i++)
        va[i] += s * x[i];
    for (i = 0; i < 6; i++)
        vb[i] += s * x[6 + i];
}

/* v += M^-1 J^T d of one body: as nsci_axpy12 for each row, but each velocity is loaded and stored
   once.  x: its part of MinvJt */
NSC_MAYBE_UNUSED NSCI_INLINE void nsci_axpy6(const nsc_real *d, const nsc_real *x, int rows,
                                             nsc_real *v)
{
    nsc_real d0 = d[0];
    nsc_real d1 = rows > 1 ? d[1] : 0;
    nsc_real d2 = rows > 2 ? d[2] : 0;
#define NSCI_ADD(i)                                                                                \
    v[i] = rows > 2   ? ((v[i] + d0 * x[i]) + d1 * x[12 + i]) + d2 * x[24 + i]                     \
           : rows > 1 ? (v[i] + d0 * x[i]) + d1 * x[12 + i]                                        \
                      : v[i] + d0 * x[i]
    NSCI_ADD(0);
    NSCI_ADD(1);
    NSCI_ADD(2);
    NSCI_ADD(3);
    NSCI_ADD(4);
    NSCI_ADD(5);
#undef NSCI_ADD
}
#endif

/* nsci_dot12 with va = 0 */
NSCI_INLINE nsc_real nsci_dot_b(const nsc_real *J, const nsc_real *vb)
{
    return (J[8] * vb[2] + (J[6] * vb[0] + J[10] * vb[4])) +
           (J[9] * vb[3] + (J[7] * vb[1] + J[11] * vb[5]));
}

/* |x|, and 0 for -0.  The builtins are one instruction on most machines, two without floating
   point. */
#ifndef __GNUC__
static nsc_real nsci_abs(nsc_real x) { return x > 0 ? x : 0 - x; }
#else
NSCI_INLINE nsc_real nsci_abs(nsc_real x) { return NSCI_BUILTIN_ABS(x); }
#endif
NSCI_ONE_COPY nsc_real nsci_max(nsc_real a, nsc_real b) { return a > b ? a : b; }
NSCI_ONE_COPY nsc_real nsci_clamp(nsc_real x, nsc_real lo, nsc_real hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}
NSCI_ONE_COPY int nsci_finite(nsc_real x) { return nsci_abs(x) <= NSC_REAL_MAX; }

static int nsci_all_finite(const nsc_real *x, int n)
{
    int i = 0, ok = 1;
#ifdef NSCI_LANES
    nsci_lanes sum = {0}; /* of x - x, which is NaN unless x is finite */
    for (; i + (int)(sizeof sum / sizeof *x) <= n; i += (int)(sizeof sum / sizeof *x))
        sum += NSCI_CONST_AT(x + i) - NSCI_CONST_AT(x + i);
    ok = nsci_finite(sum[0] + sum[1]) &&
         nsci_finite(sum[sizeof sum / sizeof *x - 2] + sum[sizeof sum / sizeof *x - 1]);
#endif
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

/* u = J v + bias + cfm lambda of 1..3 rows between bodies with the velocities va and vb.  grounded:
   a is the ground. */
NSCI_INLINE void nsci_rows_velocity(const nsc_block *k, int rows, int grounded, const nsc_real *va,
                                    const nsc_real *vb, const nsc_real *lambda, nsc_real u[3])
{
    int i;
    u[1] = u[2] = 0;
    if (grounded) {
        u[0] = nsci_dot_b(k->J[0], vb) + k->bias[0];
        if (rows > 1)
            u[1] = nsci_dot_b(k->J[1], vb) + k->bias[1];
        if (rows > 2)
            u[2] = nsci_dot_b(k->J[2], vb) + k->bias[2];
    } else {
        u[0] = nsci_dot12(k->J[0], va, vb) + k->bias[0];
        if (rows > 1)
            u[1] = nsci_dot12(k->J[1], va, vb) + k->bias[1];
        if (rows > 2)
            u[2] = nsci_dot12(k->J[2], va, vb) + k->bias[2];
    }
    for (i = 0; k->soft && i < rows; i++)
        u[i] += k->cfm[i] * lambda[i];
}

/* (va, vb) += M^-1 J^T d for 1..3 rows between bodies.  grounded: a is the ground. */
NSCI_INLINE void nsci_rows_apply(const nsc_block *k, int rows, int grounded, const nsc_real *d,
                                 nsc_real *va, nsc_real *vb)
{
    int i = 0;
#ifdef NSCI_LANES
    (void)grounded;
    if (rows == 3) {
        nsci_axpy36(d, k, va, vb);
        return;
    }
#else
    if (NSCI_FAST) {
        if (!grounded)
            nsci_axpy6(d, k->MinvJt[0], rows, va);
        nsci_axpy6(d, k->MinvJt[0] + 6, rows, vb);
        return;
    }
#endif
    for (; i < rows; i++)
        nsci_axpy12(d[i], k->MinvJt[i], va, vb);
}

/* u = J v + bias + cfm lambda of any block */
static void nsci_block_velocity(const nsc_problem *p, const nsc_block *k, const nsc_real *v,
                                const nsc_real *lambda, nsc_real u[3])
{
    int i;
    if (!NSCI_MATRIX_OF(p)) {
        nsci_rows_velocity(k, k->rows, nsci_on_ground(p, k), v + 6 * k->a, v + 6 * k->b, lambda, u);
        return;
    }
    u[0] = u[1] = u[2] = 0;
    for (i = 0; i < k->rows; i++)
        u[i] = v[k->row + i] + k->bias[i] + (k->soft ? k->cfm[i] * lambda[i] : 0);
}

/* v += N d for the rows d of one block, with problem.delassus */
static void nsci_delassus_apply(const nsc_problem *p, const nsc_block *k, const nsc_real *d,
                                nsc_real *v)
{
    int i, j, n = p->row_count;
    for (i = 0; i < k->rows; i++) {
        const nsc_real *N_i = p->delassus + (size_t)(k->row + i) * (size_t)n;
        for (j = 0; j < n; j++)
            v[j] += d[i] * N_i[j];
    }
}

/* v += M^-1 J^T d for the rows d of one block */
static void nsci_block_apply(const nsc_problem *p, const nsc_block *k, const nsc_real *d,
                             nsc_real *v)
{
    nsc_real *va, *vb;
    int grounded;
    if (NSCI_MATRIX_OF(p)) {
        nsci_delassus_apply(p, k, d, v);
        return;
    }
    va = v + 6 * k->a;
    vb = v + 6 * k->b;
    grounded = nsci_on_ground(p, k);
    if (k->rows == 3)
        nsci_rows_apply(k, 3, grounded, d, va, vb);
    else if (k->rows == 2)
        nsci_rows_apply(k, 2, grounded, d, va, vb);
    else
        nsci_rows_apply(k, 1, grounded, d, va, vb);
}

/* v = v_free + M^-1 J^T lambda, from the lambda in the blocks */
static void nsci_apply_lambda(nsc_problem *p)
{
    int k;
    nsci_copy(p->v, p->v_free, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (k = 0; k < p->block_count; k++)
        nsci_block_apply(p, &p->blocks[k], p->blocks[k].lambda, p->v);
}

/* out = N x, with p->v as work vector: one "product", the unit of cost of most solvers */
NSC_MAYBE_UNUSED static void nsci_product(nsc_problem *p, const nsc_real *x, nsc_real *out)
{
    nsc_real u[3];
    int k, i;
    nsci_clear(p->v, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (k = 0; k < p->block_count; k++)
        nsci_block_apply(p, &p->blocks[k], x + p->blocks[k].row, p->v);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v, x + b->row, u);
        for (i = 0; i < b->rows; i++)
            out[b->row + i] = u[i] - b->bias[i];
    }
}

/* r = J v_free + bias; 0 in rows without effective mass */
NSC_MAYBE_UNUSED static void nsci_free_rows(const nsc_problem *p, nsc_real *r)
{
    nsc_real u[3], zero[3];
    int k, i;
    zero[0] = zero[1] = zero[2] = 0;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v_free, zero, u);
        for (i = 0; i < b->rows; i++)
            r[b->row + i] = b->eff_mass[i] > 0 ? u[i] : 0;
    }
}

/* ---- >>prepare ------------------------------------------------------------------------------- */

NSC_API nsc_settings nsc_default_settings(void)
{
    nsc_settings s;
    s.solver = NSC_SOLVER_SIPGS;
    s.law = NSC_LAW_COULOMB;
    s.max_iterations = 100;
    s.tolerance = sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-6) : NSC_R(1e-8);
    s.stall_window = 0;
    s.check_interval = 10;
    s.warm_start = 1;
    s.omega = 1;
    s.symmetric = 0;
    s.passes = 32;
    s.barrier = 0;
    s.judge = 1;
    s.max_factorizations = 120;
    return s;
}

NSC_API const char *nsc_error_text(int code)
{
    if (!NSCI_TEXTS)
        return "";
    switch (code) {
    case NSC_OK: return "ok";
    case NSC_ITERATION_LIMIT: return "iteration limit reached before the tolerance";
    case NSC_STALLED: return "stalled: no progress, best iterate kept";
    case NSC_SINGULAR: return "no pivot left, best answer kept";
    case NSC_STOPPED: return "stopped by the caller, best iterate kept";
    case NSC_FLUSHES:
        return "subnormal numbers are taken for 0: the same bits in all scenes tried, no more";
    case NSC_ERR_ARGUMENT:
        return "null pointer, unfilled definition, value out of range, or a law the solver does "
               "not take; for a world nsc_world_last_refusal tells which";
    case NSC_ERR_NOT_FINITE: return "NaN or infinity";
    case NSC_ERR_CAPACITY: return "fixed array or arena is full";
    case NSC_ERR_INERTIA: return "inertia missing or not positive definite";
    case NSC_ERR_HANDLE: return "stale or foreign handle";
    case NSC_ERR_CONFIG: return "file and implementation compiled with different settings";
    case NSC_ERR_ARITHMETIC: return "arithmetic is not plain IEEE-754";
    case NSC_ERR_STEPPER_CONTACT:
        return "no hard contact and no limits with this stepper: choose smooth contact and "
               "springs, or an implicit Euler";
    case NSC_ERR_STEPPER_JOINTS:
        return "forces of joints would oscillate: choose HHT with alpha < 0, or gamma > 1/2";
    case NSC_ERR_STEPPER_UNSTABLE: return "unstable: choose gamma >= 1/2 and beta >= gamma/2";
    case NSC_ERR_BUSY:
        return "the world is in the middle of a call of its own: change it when that has returned";
    default: return "unknown code";
    }
}

static int nsci_check_block(const nsc_problem *p, const nsc_block *k)
{
    int i;
    if (k->kind < NSC_BLOCK_EQUALITY || k->kind > NSC_BLOCK_ROLLING || k->kind != NSCI_KIND_OF(k))
        return NSC_ERR_ARGUMENT;
    if (k->rows < 1 || k->rows > 3)
        return NSC_ERR_ARGUMENT;
    if (!p->delassus && (k->a < 0 || k->a >= p->body_count || k->b < 0 || k->b >= p->body_count))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < k->rows; i++) {
        if (!p->delassus && !nsci_all_finite(k->J[i], 12))
            return NSC_ERR_NOT_FINITE;
        if (!nsci_finite(k->cfm[i]) || !nsci_finite(k->bias[i]))
            return NSC_ERR_NOT_FINITE;
        if (k->cfm[i] < 0)
            return NSC_ERR_ARGUMENT;
        if (k->kind == NSC_BLOCK_BOX && !(k->lo[i] <= k->hi[i]))
            return NSC_ERR_ARGUMENT;
    }
    if (k->kind == NSC_BLOCK_ROLLING) {
        if (k == p->blocks || k[-1].kind != NSC_BLOCK_CONTACT || k->rows != 3)
            return NSC_ERR_ARGUMENT;
        if (!nsci_finite(k->hi[0]))
            return NSC_ERR_NOT_FINITE;
        if (k->hi[0] < 0)
            return NSC_ERR_ARGUMENT;
    }
    if (k->kind >= NSC_BLOCK_CONTACT) {
        if (k->rows == 2)
            return NSC_ERR_ARGUMENT;
        if (!nsci_finite(k->mu))
            return NSC_ERR_NOT_FINITE;
        if (k->mu < 0)
            return NSC_ERR_ARGUMENT;
    }
    return NSC_OK;
}

/* y = M^-1 x of one body, six numbers */
NSCI_INLINE void nsci_inverse_mass(const nsc_mass *m, const nsc_real *x, nsc_real *y)
{
    const nsc_real *I = m->inv_inertia;
    y[0] = m->inv_mass * x[0];
    y[1] = m->inv_mass * x[1];
    y[2] = m->inv_mass * x[2];
    y[3] = I[0] * x[3] + I[3] * x[4] + I[4] * x[5];
    y[4] = I[3] * x[3] + I[1] * x[4] + I[5] * x[5];
    y[5] = I[4] * x[3] + I[5] * x[4] + I[2] * x[5];
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
    k->no_stick = !(k->rho > 0 && a > 0 && det > 64 * NSC_REAL_EPS * G[3] * G[5]);
    k->stick_inverse[0] = c / det;
    k->stick_inverse[1] = -b / det;
    k->stick_inverse[2] = a / det;
    if (!nsci_finite(k->stick_inverse[0] + k->stick_inverse[2]))
        k->no_stick = 1;
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

/* x . y of one body, six numbers */
NSCI_INLINE nsc_real nsci_dot6(const nsc_real *x, const nsc_real *y)
{
    return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
}

/* One body's half of the rows x: y = M^-1 x, and its part of G.  Rows lie 12 numbers apart. */
NSCI_INLINE void nsci_add_half(const nsc_mass *m, const nsc_real *NSC_RESTRICT x,
                               nsc_real *NSC_RESTRICT y, int rows, nsc_real *NSC_RESTRICT G)
{
    if (nsci_is_immovable(m)) {
        for (; rows > 0; rows--, y += 12)
            y[0] = y[1] = y[2] = y[3] = y[4] = y[5] = 0;
        return;
    }
    nsci_inverse_mass(m, x, y);
    G[0] += nsci_dot6(x, y);
    if (rows < 2)
        return;
    nsci_inverse_mass(m, x + 12, y + 12);
    G[1] += nsci_dot6(x, y + 12);
    G[3] += nsci_dot6(x + 12, y + 12);
    if (rows < 3)
        return;
    nsci_inverse_mass(m, x + 24, y + 24);
    G[2] += nsci_dot6(x, y + 24);
    G[4] += nsci_dot6(x + 12, y + 24);
    G[5] += nsci_dot6(x + 24, y + 24);
}

/* The block's own part of N from problem.delassus */
static void nsci_given_block(const nsc_problem *p, nsc_block *k)
{
    int i, j;
    for (i = 0; i < k->rows; i++)
        for (j = i; j < k->rows; j++)
            k->delassus[nsci_packed(i, j)] =
                p->delassus[(size_t)(k->row + i) * (size_t)p->row_count + (size_t)(k->row + j)];
}

/* Returns 0 if M^-1 J^T or the diagonal of G overflows.  The former shows in G as 0 * inf = NaN. */
static int nsci_prepare_block(nsc_problem *p, nsc_block *k)
{
    nsc_real *G = k->delassus;
    int i, kind = NSCI_KIND_OF(k);
    G[0] = G[1] = G[2] = G[3] = G[4] = G[5] = 0;
    if (NSCI_MATRIX_OF(p)) {
        nsci_given_block(p, k);
    } else {
        nsci_add_half(&p->masses[k->a], k->J[0], k->MinvJt[0], k->rows, G);
        nsci_add_half(&p->masses[k->b], k->J[0] + 6, k->MinvJt[0] + 6, k->rows, G);
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
    if (!p || p->block_count < 0 || !p->v_free || !p->v || p->v == p->v_free)
        return NSC_ERR_ARGUMENT;
    if (p->block_count > 0 && !p->blocks)
        return NSC_ERR_ARGUMENT;
    if (p->delassus != NSCI_MATRIX_OF(p))
        return NSC_ERR_ARGUMENT;
    if (!p->delassus && (p->body_count < 1 || !p->masses))
        return NSC_ERR_ARGUMENT;
    if (!nsci_finite(p->bias_error))
        return NSC_ERR_NOT_FINITE;
    if (p->bias_error < 0 || !NSCI_HAS_PARTS(p))
        return NSC_ERR_ARGUMENT;
    for (k = 0; k < p->block_count; k++) {
        code = nsci_check_block(p, &p->blocks[k]);
        if (code < 0)
            return code;
        rows += p->blocks[k].rows;
    }
    if (p->delassus && rows > 32000)
        return NSC_ERR_CAPACITY; /* rows * rows may overflow an int */
    for (k = 0; k < (p->delassus ? 0 : p->body_count); k++) {
        const nsc_mass *m = &p->masses[k];
        if (!nsci_finite(m->inv_mass) || !nsci_all_finite(m->inv_inertia, 6))
            return NSC_ERR_NOT_FINITE;
        if (m->inv_mass < 0 || m->inv_inertia[0] < 0 || m->inv_inertia[1] < 0 ||
            m->inv_inertia[2] < 0)
            return NSC_ERR_ARGUMENT;
    }
    return p->delassus && !nsci_all_finite(p->delassus, rows * rows) ? NSC_ERR_NOT_FINITE : NSC_OK;
}

/* Prepare without checks, enough for problems that nsc builds itself: a value that is not finite
   shows in the diagonal of N, or in the answer. */
static int nsci_prepare(nsc_problem *p)
{
    int k, rows = 0;
    p->row_count = p->skipped_rows = p->ground = 0;
    for (k = 0; k < p->block_count; k++)
        rows += p->blocks[k].rows;
    p->row_count = rows;
    for (k = 0, rows = 0; k < p->block_count; k++) {
        p->blocks[k].row = rows;
        rows += p->blocks[k].rows;
        if (nsci_prepare_block(p, &p->blocks[k]))
            continue;
        p->row_count = 0; /* makes every solver refuse the problem */
        return NSC_ERR_NOT_FINITE;
    }
    return NSC_OK;
}

NSC_API int nsc_problem_prepare(nsc_problem *p)
{
    int code = nsci_check_problem(p);
    return code < 0 ? code : nsci_prepare(p);
}

/* ---- >>project -------------------------------------------------------------------------------
   Orthogonal projection onto the set of one block.  All return 1 when x was inside already. */

/* Nearest point of the cone |x_t| <= mu x_n; mu = 0 is the half-line.  t > 0 at the division. */
static int nsci_project_cone(nsc_real mu, nsc_real x[3])
{
    nsc_real t = NSC_SQRT(x[1] * x[1] + x[2] * x[2]);
    nsc_real n, s;
    if (x[0] >= 0 && t <= mu * x[0])
        return 1;
    if (mu * t <= -x[0]) {
        x[0] = x[1] = x[2] = 0;
        return 0;
    }
    n = (x[0] + mu * t) / (1 + mu * mu);
    s = mu * n / t;
    x[0] = n;
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

static int nsci_project_interval(nsc_real lo, nsc_real hi, nsc_real *x)
{
    nsc_real y = nsci_clamp(*x, lo, hi);
    int inside = *x >= lo && *x <= hi;
    *x = y;
    return inside;
}

/* The normal impulse that bounds the friction of block k (ROLLING: of the contact before it) */
static nsc_real nsci_normal_of(const nsc_block *k, const nsc_real *lambda)
{
    return NSCI_KIND_OF(k) == NSC_BLOCK_ROLLING ? k[-1].lambda[0] : lambda[0];
}

/* Spin onto an interval; rolling onto a disc, or under NSC_LAW_PYRAMID onto an interval per axis */
static int nsci_project_rolling(const nsc_block *k, int law, nsc_real normal, nsc_real x[3])
{
    nsc_real n = nsci_max(normal, 0);
    nsc_real limit = k->mu * n;
    nsc_real spin = k->hi[0] * n;
    int inside = nsci_project_interval(-spin, spin, &x[0]);
    if (law != NSC_LAW_PYRAMID)
        return nsci_project_disc(limit, x + 1) & inside;
    inside &= nsci_project_interval(-limit, limit, &x[1]);
    return nsci_project_interval(-limit, limit, &x[2]) & inside;
}

/* Project x onto the set of block k under a law.  normal: the impulse that bounds rolling friction
   and, under NSC_LAW_PYRAMID, friction */
static int nsci_project(const nsc_block *k, int law, nsc_real normal, nsc_real x[3])
{
    int i;
    int inside = 1;
    int kind = NSCI_KIND_OF(k);
    if (kind == NSC_BLOCK_EQUALITY)
        return 1;
    if (kind == NSC_BLOCK_ROLLING)
        return nsci_project_rolling(k, law, normal, x);
    if (kind == NSC_BLOCK_CONTACT && k->rows == 3 && NSCI_LAW_OF(law) != NSC_LAW_PYRAMID)
        return nsci_project_cone(k->mu, x);
    for (i = 0; i < k->rows; i++) {
        nsc_real lo = k->lo[i];
        nsc_real hi = k->hi[i];
        if (kind == NSC_BLOCK_CONTACT) {
            hi = i == 0 ? NSC_REAL_MAX : k->mu * nsci_max(normal, 0);
            lo = i == 0 ? 0 : -hi;
        }
        inside &= nsci_project_interval(lo, hi, &x[i]);
    }
    return inside;
}

/* ---- >>residual ------------------------------------------------------------------------------ */

/* Natural map of one block: e = (lambda - P(lambda - rho u)) / rho, |e|^2 returned [m^2/s^2].
   Where lambda - rho u is inside the set, e = u is used, which loses no digits to a large
   lambda. */
static nsc_real nsci_defect(const nsc_block *k, int law, const nsc_real *lambda, const nsc_real *u)
{
    nsc_real w[3], x[3], sum = 0;
    int i, inside;
    if (k->rho <= 0)
        return sum;
    for (i = 0; i < 3; i++)
        w[i] = k->eff_mass[i] > 0 ? u[i] : 0;
    if (NSCI_KIND_OF(k) == NSC_BLOCK_EQUALITY)
        return w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    if (NSCI_LAW_OF(law) == NSC_LAW_COULOMB && NSCI_KIND_OF(k) == NSC_BLOCK_CONTACT && k->rows == 3)
        w[0] += k->mu * NSC_SQRT(w[1] * w[1] + w[2] * w[2]);
    for (i = 0; i < k->rows; i++)
        x[i] = lambda[i] - k->rho * w[i];
    inside = nsci_project(k, law, nsci_normal_of(k, lambda), x);
    for (i = 0; i < k->rows; i++) {
        nsc_real e = inside ? w[i] : (lambda[i] - x[i]) / k->rho;
        sum += e * e;
    }
    return sum;
}

/* Distance of lambda to the set of its block [N s] */
static nsc_real nsci_violation(const nsc_block *k, int law)
{
    nsc_real x[3], sum = 0;
    int i;
    x[0] = k->lambda[0];
    x[1] = k->lambda[1];
    x[2] = k->lambda[2];
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
    nsc_real t = NSC_SQRT(u[1] * u[1] + u[2] * u[2]);
    nsc_real sum = 0;
    int i, kind = NSCI_KIND_OF(k);
    if (k->rho <= 0 || kind == NSC_BLOCK_EQUALITY)
        return sum;
    if (kind != NSC_BLOCK_BOX) {
        sum = lambda[0] * u[0];
        if (k->rows == 3)
            sum += lambda[1] * u[1] + lambda[2] * u[2];
        if (k->rows < 3 || (NSCI_LAW_OF(law) == NSC_LAW_CONE && kind == NSC_BLOCK_CONTACT))
            return nsci_abs(sum);
        if (kind == NSC_BLOCK_ROLLING)
            sum += k->hi[0] * n * nsci_abs(u[0]);
        if (NSCI_LAW_OF(law) == NSC_LAW_PYRAMID)
            t = nsci_abs(u[1]) + nsci_abs(u[2]);
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

/* nsci_defect under COULOMB of a contact that can stick between bodies.  Most time goes into these,
   so they have specialised code. */
NSCI_INLINE nsc_real nsci_contact_defect(const nsc_problem *p, const nsc_block *k)
{
    nsc_real u[3], x[3];
    int i;
    nsci_rows_velocity(k, 3, nsci_on_ground(p, k), p->v + 6 * k->a, p->v + 6 * k->b, k->lambda, u);
    u[0] += k->mu * NSC_SQRT(u[1] * u[1] + u[2] * u[2]);
    x[0] = k->lambda[0] - k->rho * u[0];
    x[1] = k->lambda[1] - k->rho * u[1];
    x[2] = k->lambda[2] - k->rho * u[2];
    if (!nsci_project_cone(k->mu, x))
        for (i = 0; i < 3; i++)
            u[i] = (k->lambda[i] - x[i]) / k->rho;
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

/* Defects of the lambda in the blocks; v must belong to it. */
static nsci_defects nsci_sum_defects(nsc_problem *p, int law)
{
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    int k;
    int fast = NSCI_FAST && law == NSC_LAW_COULOMB && !p->delassus;
    for (k = 0; k < p->block_count && nsci_finite(d.worst); k++) {
        const nsc_block *b = &p->blocks[k];
        nsc_real e2, worst = d.worst;
        if (fast && !b->no_stick) {
            e2 = nsci_contact_defect(p, b);
        } else {
            nsci_block_velocity(p, b, p->v, b->lambda, u);
            e2 = nsci_defect(b, law, b->lambda, u);
        }
        nsci_add_defect(&d, b, e2);
        if (k == 0 || !(e2 <= worst))
            d.block = k;
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
    int i, k;
    int size = nsci_velocity_size(p);
    int skipped = p->delassus ? 0 : 3;
    for (i = 0; i < size; i++) {
        if (nsci_abs(p->v[i]) >= enough)
            return 1;
        if (i % 3 == 2)
            i += skipped;
    }
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        int rows = NSCI_KIND_OF(b) == NSC_BLOCK_CONTACT ? 1 : b->rows;
        for (i = 0; i < rows; i++)
            if (b->delassus[nsci_packed(i, i)] * nsci_abs(b->lambda[i]) >= enough)
                return 1;
    }
    return 0;
}

/* v += size |x|, six numbers */
static void nsci_add_sizes(nsc_real size, const nsc_real *x, nsc_real *v)
{
    int j;
    for (j = 0; j < 6; j++)
        v[j] += size * (x[j] < 0 ? -x[j] : x[j]);
}

/* |x| . v, six numbers */
static nsc_real nsci_sum_sizes(const nsc_real *x, const nsc_real *v)
{
    nsc_real sum = 0;
    int j;
    for (j = 0; j < 6; j++)
        sum += (x[j] < 0 ? -x[j] : x[j]) * v[j];
    return sum;
}

/* v = |v_free| + |M^-1 J^T| |lambda|: the sum of the absolute terms of each velocity */
static void nsci_apply_sizes(nsc_problem *p)
{
    int i, j, k, n = nsci_velocity_size(p);
    for (i = 0; i < n; i++)
        p->v[i] = nsci_abs(p->v_free[i]);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        for (i = 0; i < b->rows; i++) {
            nsc_real size = nsci_abs(b->lambda[i]);
            if (NSCI_MATRIX_OF(p)) {
                const nsc_real *N_i = p->delassus + (size_t)(b->row + i) * (size_t)n;
                for (j = 0; j < n; j++)
                    p->v[j] += size * nsci_abs(N_i[j]);
            } else {
                nsci_add_sizes(size, b->MinvJt[i], p->v + 6 * b->a);
                nsci_add_sizes(size, b->MinvJt[i] + 6, p->v + 6 * b->b);
            }
        }
    }
}

/* nsc_report.floor of the lambda in the blocks; on return v belongs to it.  Cost: 3 products. */
static nsc_real nsci_floor(nsc_problem *p)
{
    nsc_real largest = 0;
    int i, k;
    nsci_apply_sizes(p);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        for (i = 0; i < b->rows; i++) {
            nsc_real sum = nsci_abs(b->bias[i]) + b->cfm[i] * nsci_abs(b->lambda[i]);
            if (b->eff_mass[i] <= 0)
                continue;
            if (NSCI_MATRIX_OF(p))
                sum += p->v[b->row + i];
            else
                sum += nsci_sum_sizes(b->J[i], p->v + 6 * b->a) +
                       nsci_sum_sizes(b->J[i] + 6, p->v + 6 * b->b);
            largest = nsci_max(largest, sum);
        }
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
    nsc_real u[3], zero[3], sum = 0;
    int i, k;
    zero[0] = zero[1] = zero[2] = 0;
    for (k = 0; k < p->block_count; k++) {
        nsci_block_velocity(p, &p->blocks[k], p->v_free, zero, u);
        for (i = 0; i < 3; i++)
            u[i] = p->blocks[k].eff_mass[i] > 0 ? u[i] : 0;
        sum += p->blocks[k].rho * nsci_dot(u, u, 3);
    }
    if (!(sum > 0) || d->worst <= 0)
        return 0;
    return NSC_SQRT(nsci_at_most_max(nsci_at_most_max(d->energy) / nsci_at_most_max(sum)));
}

/* Report on the lambda in the blocks, to which v and the defects d belong.  Without `all` the
   values that need a further pass stay 0. */
static int nsci_measure(nsc_problem *p, int law, const nsci_defects *d, int all, nsc_report *r)
{
    nsc_real u[3], free_u[3], zero[3];
    int i, k;
    zero[0] = zero[1] = zero[2] = 0;
    r->residual = d->worst;
    r->worst_block = d->block;
    r->skipped_rows = p->skipped_rows;
    r->floor = r->violation = r->objective = r->duality_gap = 0;
    r->eta = all ? nsci_eta(p, d) : 0;
    for (k = 0; all && k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        nsci_block_velocity(p, b, p->v_free, zero, free_u);
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
    int k, i;
    for (k = 0; k < p->block_count; k++)
        for (i = 0; i < 3; i++)
            p->blocks[k].best[i] = p->blocks[k].lambda[i];
}

static void nsci_restore_best(nsc_problem *p)
{
    int k, i;
    for (k = 0; k < p->block_count; k++)
        for (i = 0; i < 3; i++)
            p->blocks[k].lambda[i] = p->blocks[k].best[i];
}

/* The s in 0..1 for which s lambda minimises 1/2 lambda'N lambda + r'lambda; v must belong to the
   lambda in the blocks. */
static nsc_real nsci_best_share(const nsc_problem *p)
{
    nsc_real u[3], r[3], zero[3], lNl = 0, lr = 0;
    int k, i;
    zero[0] = zero[1] = zero[2] = 0;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        nsci_block_velocity(p, b, p->v_free, zero, r);
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
    int k, i;
    for (k = 0; k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
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
    if (b->no_stick || !s->warm_start || !nsci_finite(x[0] + x[1] + x[2])) {
        int i;
        for (i = 0; i < 3; i++)
            if (!s->warm_start || b->eff_mass[i] <= 0 || !nsci_finite(x[i]))
                x[i] = 0;
    }
    nsci_project(b, s->law, nsci_normal_of(b, x), x);
}

/* lambda'(u + G lambda / 2): the change of the objective by block b's impulse, which v does not
   contain yet [J] */
static nsc_real nsci_guess_gain(const nsc_problem *p, const nsc_block *b)
{
    const nsc_real *G = b->delassus;
    const nsc_real *x = b->lambda;
    nsc_real u[3], zero[3], half = NSC_R(0.5);
    zero[0] = zero[1] = zero[2] = 0;
    nsci_block_velocity(p, b, p->v, zero, u);
    u[0] += half * (G[0] * x[0] + G[1] * x[1] + G[2] * x[2]);
    u[1] += half * (G[1] * x[0] + G[3] * x[1] + G[4] * x[2]);
    u[2] += half * (G[2] * x[0] + G[4] * x[1] + G[5] * x[2]);
    return nsci_dot(x, u, 3);
}

/* First guess: the caller's lambda projected onto its set, and its v.  With joints a guess that
   overshoots is scaled down, because their rows pull as well as push, and its error could grow
   where a solver is cut short step after step.  (Contacts only push, and a tower needs the guess
   even if its energy is bad.) */
static void nsci_first_guess(nsc_problem *p, const nsc_settings *s)
{
    nsc_real objective = 0, share;
    int k, pulls = 0;
    for (k = 0; s->warm_start && k < p->block_count && !pulls; k++)
        pulls = NSCI_KIND_OF(&p->blocks[k]) < NSC_BLOCK_CONTACT;
    nsci_copy(p->v, p->v_free, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (k = 0; k < p->block_count; k++) {
        nsci_guess_block(&p->blocks[k], s);
        if (pulls)
            objective += nsci_guess_gain(p, &p->blocks[k]);
        nsci_block_apply(p, &p->blocks[k], p->blocks[k].lambda, p->v);
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
    NSCI_BAD_STALL_WINDOW,
    NSCI_BAD_CHECK_INTERVAL,
    NSCI_BAD_OMEGA,
    NSCI_BAD_PASSES,
    NSCI_BAD_MAX_FACTORIZATIONS
};

static int nsci_bad_setting(const nsc_settings *s)
{
    if (!nsci_is_law(s->law))
        return NSCI_BAD_LAW;
    if (s->max_iterations < 1)
        return NSCI_BAD_MAX_ITERATIONS;
    if (!(s->tolerance >= 0 && s->tolerance <= NSC_REAL_MAX))
        return NSCI_BAD_TOLERANCE;
    if (s->stall_window < 0)
        return NSCI_BAD_STALL_WINDOW;
    if (s->check_interval < 1)
        return NSCI_BAD_CHECK_INTERVAL;
    if (!(s->omega > 0 && s->omega < 2))
        return NSCI_BAD_OMEGA;
    if (s->passes < 1)
        return NSCI_BAD_PASSES;
    return s->max_factorizations < 1 ? NSCI_BAD_MAX_FACTORIZATIONS : 0;
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
    if (residual <= run->tolerance)
        return;
    if (run->floor > 0 && residual > 2 * run->floor)
        return; /* the floor changes little during a run */
    run->floor = 0;
    if (!nsci_is_near_rounding(p, residual))
        return;
    run->floor = nsci_floor(p);
    run->tolerance = nsci_max(run->tolerance, run->floor);
}

/* The result after NSC_ERR_NOT_FINITE: all lambda 0 and v = v_free */
static void nsci_give_up(nsc_problem *p)
{
    int k;
    for (k = 0; k < p->block_count; k++)
        nsci_clear(p->blocks[k].lambda, sizeof p->blocks[k].lambda);
    nsci_copy(p->v, p->v_free, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
}

/* Check the input, set up the run, and measure the first guess, to which the run returns if all
   other iterates measure worse.  (SIPGS without settings.judge measures it where the end looks
   worse.)  A guess below the tolerance does not end the run, since a warm-started step must improve
   it or bodies at rest would creep. */
static int nsci_begin(nsci_run *run, int solver, nsc_problem *p, const nsc_settings *s,
                      int laws_from, int laws_to)
{
    if (!nsci_is_prepared(p) || !s || nsci_bad_setting(s))
        return NSC_ERR_ARGUMENT;
    if (s->law < laws_from || s->law > laws_to)
        return NSC_ERR_ARGUMENT;
    if (!nsci_all_finite(p->v_free, nsci_velocity_size(p))) {
        nsci_give_up(p);
        return NSC_ERR_NOT_FINITE;
    }
    run->problem = p;
    run->settings = s;
    run->solver = solver;
    run->law = s->law;
    run->tolerance = s->tolerance;
    run->floor = 0;
    run->status = NSC_ITERATION_LIMIT;
    run->iterations = 0;
    run->factorizations = 0;
    run->energy = run->best = run->mark = NSC_REAL_MAX;
    run->mark_iteration = 0;
    run->last_is_best = run->known = run->stopped = 0;
    run->change = -1;
    run->is = nsci_no_defects();
    nsci_find_ground(p);
    nsci_first_guess(p, s);
    if (s->judge || solver != NSC_SOLVER_SIPGS)
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
   outside the cone, so the contact slides or opens. */
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
    return x[0] >= 0 && limit * limit - (t1 * t1 + t2 * t2) >= 0; /* not where both overflow */
}

/* A contact that does not stick: twice solve the normal row, then step both tangents and project
   them onto the disc mu x[0]. */
NSCI_OWN_FRAME void nsci_slide(const nsc_block *k, nsc_real omega, const nsc_real *u, nsc_real *x,
                            nsc_real *d)
{
    const nsc_real *G = k->delassus;
    nsc_real step = nsci_max(G[3], G[5]);
    nsc_real normal = u[0];
    int pass;
    step = step > NSC_R(1e-30) ? omega / step : 0;
    x[0] = k->lambda[0];
    x[1] = k->lambda[1];
    x[2] = k->lambda[2];
    d[1] = d[2] = 0;
    for (pass = 0; pass < 2; pass++) {
        x[0] = nsci_max(x[0] - omega * k->eff_mass[0] * normal, 0);
        d[0] = x[0] - k->lambda[0];
        x[1] -= step * (u[1] + G[1] * d[0] + G[3] * d[1] + G[4] * d[2]);
        x[2] -= step * (u[2] + G[2] * d[0] + G[4] * d[1] + G[5] * d[2]);
        nsci_project_disc(k->mu * x[0], x + 1);
        d[1] = x[1] - k->lambda[1];
        d[2] = x[2] - k->lambda[2];
        normal = u[0] + G[0] * d[0] + G[1] * d[1] + G[2] * d[2];
    }
}

/* Rolling friction takes the impulse that stops all three rows, if it is within the bounds.
   Otherwise it twice steps row 0, then both tangents, and projects. */
static void nsci_visit_rolling(const nsc_block *k, int law, nsc_real omega, const nsc_real u[3],
                               nsc_real x[3])
{
    const nsc_real *G = k->delassus;
    const nsc_real *old = k->lambda;
    nsc_real d[3];
    nsc_real normal = k[-1].lambda[0];
    nsc_real step = nsci_max(G[3], G[5]);
    int i, pass;
    nsci_solve_equality(k, k->rows, u, d);
    for (i = 0; i < 3; i++)
        x[i] = old[i] + omega * d[i];
    if (nsci_project(k, law, normal, x))
        return;
    step = step > NSC_R(1e-30) ? omega / step : 0;
    for (i = 0; i < 3; i++)
        x[i] = old[i];
    for (pass = 0; pass < 2; pass++) {
        for (i = 0; i < 3; i++)
            d[i] = x[i] - old[i];
        x[0] -= omega * k->eff_mass[0] * (u[0] + G[0] * d[0] + G[1] * d[1] + G[2] * d[2]);
        d[0] = x[0] - old[0];
        x[1] -= step * (u[1] + G[1] * d[0] + G[3] * d[1] + G[4] * d[2]);
        x[2] -= step * (u[2] + G[2] * d[0] + G[4] * d[1] + G[5] * d[2]);
        nsci_project(k, law, normal, x);
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
    int i;
    bound = nsci_max(G[0] + off01 + off02, nsci_max(G[3] + off01 + off12, G[5] + off02 + off12));
    if (step * bound > NSC_R(1.9))
        step = NSC_R(1.9) / bound;
    for (i = 0; i < 3; i++)
        x[i] -= step * u[i];
    nsci_project_cone(k->mu, x);
}

/* Visit of a contact that can stick, between bodies, under COULOMB with omega 1.  Most time goes
   here.  Returns its squared defect. */
NSCI_INLINE nsc_real nsci_sipgs_contact(nsc_block *k, int grounded, nsc_real *va, nsc_real *vb)
{
    nsc_real u[3], x[3], d[3];
    nsci_rows_velocity(k, 3, grounded, va, vb, k->lambda, u);
    if (!nsci_stick(k, 1, u, x, d)) {
        nsc_real free[3], slid[3], change[3]; /* in memory, so that u, x and d need not be */
        NSCI_COPY3(free, u);
        nsci_slide(k, 1, free, slid, change);
        NSCI_COPY3(x, slid);
        NSCI_COPY3(d, change);
        u[0] = k->delassus[0] * d[0];
        u[1] = k->delassus[0] * d[1];
        u[2] = k->delassus[0] * d[2];
    }
    k->lambda[0] = x[0];
    k->lambda[1] = x[1];
    k->lambda[2] = x[2];
    nsci_rows_apply(k, 3, grounded, d, va, vb);
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

/* Visit of any block.  Returns its squared defect, the sum of (d G_ii)^2 [m^2/s^2]. */
static nsc_real nsci_sipgs_visit(const nsc_problem *p, nsc_block *k, const nsc_settings *s)
{
    nsc_real u[3], x[3], d[3], sum = 0;
    int i;
    int kind = NSCI_KIND_OF(k);
    int law = NSCI_LAW_OF(s->law);
    if (k->rho <= 0)
        return sum;
    nsci_block_velocity(p, k, p->v, k->lambda, u);
    x[0] = k->lambda[0];
    x[1] = k->lambda[1];
    x[2] = k->lambda[2];
    if (kind == NSC_BLOCK_EQUALITY) {
        nsci_solve_equality(k, k->rows, u, d);
        for (i = 0; i < 3; i++)
            x[i] += s->omega * d[i];
    } else if (kind == NSC_BLOCK_BOX) {
        nsci_visit_box(k, k->rows, s->omega, u, x);
    } else if (kind == NSC_BLOCK_ROLLING) {
        nsci_visit_rolling(k, law, s->omega, u, x);
    } else if (k->rows == 1 || law == NSC_LAW_PYRAMID) {
        nsci_visit_pyramid(k, s->omega, u, x);
    } else if (law == NSC_LAW_CONE) {
        nsci_visit_cone(k, s->omega, u, x);
    } else if (k->no_stick || !nsci_stick(k, s->omega, u, x, d)) {
        nsci_slide(k, s->omega, u, x, d);
    }
    for (i = 0; i < k->rows; i++) {
        nsc_real e;
        d[i] = x[i] - k->lambda[i];
        k->lambda[i] = x[i];
        e = d[i] * k->delassus[nsci_packed(i, i)];
        sum += e * e;
    }
    nsci_block_apply(p, k, d, p->v);
    return sum;
}

/* Visit of an EQUALITY or BOX block between bodies with omega 1, specialised likewise */
NSCI_INLINE nsc_real nsci_sipgs_joint(nsc_block *k, int rows, int box, int grounded, nsc_real *va,
                                      nsc_real *vb)
{
    nsc_real u[3], x[3], d[3], sum = 0;
    int i;
    nsci_rows_velocity(k, rows, grounded, va, vb, k->lambda, u);
    for (i = 0; i < rows; i++)
        x[i] = k->lambda[i];
    if (box)
        nsci_visit_box(k, rows, 1, u, x);
    else
        nsci_solve_equality(k, rows, u, d);
    for (i = 0; i < rows; i++) {
        nsc_real e;
        if (!box)
            x[i] += d[i];
        d[i] = x[i] - k->lambda[i];
        k->lambda[i] = x[i];
        e = d[i] * k->delassus[nsci_packed(i, i)];
        sum += e * e;
    }
    nsci_rows_apply(k, rows, grounded, d, va, vb);
    return sum;
}

/* Number of rows of an EQUALITY or BOX block, plus 4 for a BOX; 0: another kind, or skipped.
   nsci_sipgs_pair has a visit for all forms but 1, an EQUALITY of one row. */
NSCI_INLINE int nsci_joint_form(const nsc_block *k)
{
    if (k->rho <= 0 || k->kind > NSC_BLOCK_BOX)
        return 0;
    return k->rows + (k->kind == NSC_BLOCK_BOX ? 4 : 0);
}

/* Visit block k, and those after it between the same two bodies, as long as they have a visit of
   their own; at most `left`.  Registers hold the velocities of both bodies, where there are enough.
   Adds the squared defects to *sum.  Returns how many blocks it visited. */
NSCI_INLINE int nsci_sipgs_pair(nsc_problem *p, nsc_block *k, int left, int contacts, int joints,
                                int grounded, nsc_real *sum)
{
    int first = k->a;
    int second = k->b;
    int count = 0;
    nsc_real *va = p->v + 6 * first;
    nsc_real *vb = p->v + 6 * second;
    nsc_real held_a[6], held_b[6];
    nsc_real *a = NSCI_HOLDS_VELOCITIES ? held_a : va;
    nsc_real *b = NSCI_HOLDS_VELOCITIES ? held_b : vb;
    if (NSCI_HOLDS_VELOCITIES) {
        NSCI_COPY6(a, va);
        NSCI_COPY6(b, vb);
    }
    for (; count < left && k->a == first && k->b == second; count++, k++) {
        int form;
        if (contacts && !k->no_stick) {
            *sum += nsci_sipgs_contact(k, grounded, a, b);
            continue;
        }
        form = joints ? nsci_joint_form(k) : 0;
        if (form == 3)
            *sum += nsci_sipgs_joint(k, 3, 0, grounded, a, b);
        else if (form == 2)
            *sum += nsci_sipgs_joint(k, 2, 0, grounded, a, b);
        else if (form == 4 + 1)
            *sum += nsci_sipgs_joint(k, 1, 1, grounded, a, b);
        else if (form == 4 + 2)
            *sum += nsci_sipgs_joint(k, 2, 1, grounded, a, b);
        else if (form == 4 + 3)
            *sum += nsci_sipgs_joint(k, 3, 1, grounded, a, b);
        else
            break;
    }
    if (NSCI_HOLDS_VELOCITIES && !grounded)
        NSCI_COPY6(va, a);
    if (NSCI_HOLDS_VELOCITIES)
        NSCI_COPY6(vb, b);
    return count;
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
            count = nsci_on_ground(p, k) ? nsci_sipgs_pair(p, k, left, contacts, joints, 1, &sum)
                                         : nsci_sipgs_pair(p, k, left, contacts, joints, 0, &sum);
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

#if NSCI_WAVES
/* ---- waves: SIPGS on several cores and, with NSCI_LANES, on several pairs of bodies at a time,
   with the bits of the plain loop.  A unit is the consecutive blocks of one pair of bodies.  Its
   wave is one after the latest wave of its movable bodies.  Units of one wave share no movable
   body, so none reads what another writes, and their order does not matter.  With several cores the
   next sweeps are put into waves together, which makes fewer and larger ones: a unit begins as soon
   as its bodies are free.  The squared defects are summed in the order of the blocks.  Scratch lies
   in the arena; without room, or where waves hold too few units, the plain loop runs. */

#define NSCI_FEWEST_BLOCKS 16   /* with fewer waves are not tried */
/* The number of a visit must be exact in a float. */
#define NSCI_MOST_BLOCKS (sizeof(int) < 4 ? 100 : 500000)
#define NSCI_AHEAD 10           /* sweeps put into waves together, at most 16 */
/* Visits that make a part of a wave worth a core.  Machines with lanes take less time for a visit,
   and mostly wait longer for another core. */
#ifndef NSCI_LEAST_SHARE
#define NSCI_LEAST_SHARE NSCI_USUAL_SHARE
#endif

#ifdef NSCI_LANES
#define NSCI_USUAL_SHARE 3
#define NSCI_LANE_COUNT ((int)(sizeof(nsci_lanes) / sizeof(nsc_real)))
/* One contact of each lane's unit */
typedef struct nsci_packed_row {
    nsci_lanes J[36], MinvJt[36], delassus[6], stick_inverse[3], eff_mass, mu, bias[3], lambda[3];
    nsci_lanes step; /* of nsci_slide */
} __attribute__((may_alias)) nsci_packed_row;
/* Stands before the packed rows of a group.  An immovable body i is written -1 - i. */
typedef struct nsci_packed_head {
    int a[NSCI_LANE_COUNT], b[NSCI_LANE_COUNT]; /* bodies */
    int first[NSCI_LANE_COUNT], count[NSCI_LANE_COUNT]; /* blocks; count 0: an empty lane */
} __attribute__((may_alias)) nsci_packed_head;
#define NSCI_REALS(type) ((int)(sizeof(type) / sizeof(nsc_real)))
#else
#define NSCI_USUAL_SHARE 1
#endif

typedef struct nsci_waves {
    nsci_run *run;
    nsc_problem *p;
    int contacts, joints; /* 1: their usual visits, as in nsci_sipgs_sweep */
    int units;            /* 0: the plain loop */
    int groups;           /* of units that are visited together; without lanes each is one unit */
    nsc_real *room;       /* the rest of the arena */
    long left;            /* reals in it */
    nsc_real *first;      /* (units + 1) first block of each unit; a whole number, as all others but
                             defect, saved and the packed rows */
    nsc_real *free_at;    /* (bodies) wave from which on a body is free; -1: immovable */
    nsc_real *defect;     /* (sweeps made together x blocks) |e|^2 [m^2/s^2] */
#ifdef NSCI_LANES
    nsc_real *order;      /* (units) by wave; NULL: no lanes, group i is unit i */
    nsc_real *begin;      /* (groups + 1) where each group begins in order */
    nsc_real *pack;       /* (groups + 1) where it begins in packed; empty: one unit, not packed */
    nsc_real *packed;     /* nsci_packed_head of each group, then its rows */
#endif
#ifdef NSC_PARALLEL
    nsc_real *item;       /* (ahead x groups) 16 group + sweep, by waves; NULL: one core */
    nsc_real *end;        /* (waves) where each ends in item */
    nsc_real *saved;      /* (3 blocks + 6 bodies) lambda and v before the sweeps made together */
    int waves, ahead;     /* sweeps in them */
    int made, counted;    /* sweeps made together, and how many of them nsc_solve_sipgs counted */
    nsc_real change[NSCI_AHEAD]; /* of each */
    int from, to, shares; /* the present wave's items, and parts that share them */
    nsc_real before;      /* change of the last sweep but one */
#endif
} nsci_waves;

/* The next n reals of the arena, or NULL */
static nsc_real *nsci_take(nsci_waves *w, long n)
{
    nsc_real *x = w->room;
    if (w->left < n)
        return NULL;
    w->room += n;
    w->left -= n;
    return x;
}

/* Set `first` of all units.  0: no room, or rolling friction is not in the unit of its contact */
static int nsci_find_units(nsci_waves *w)
{
    const nsc_problem *p = w->p;
    int k;
    w->first = nsci_take(w, p->block_count + 1);
    w->free_at = nsci_take(w, p->body_count);
    if (!w->first || !w->free_at)
        return 0;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        if (k > 0 && b->a == b[-1].a && b->b == b[-1].b)
            continue;
        if (NSCI_KIND_OF(b) == NSC_BLOCK_ROLLING)
            return 0;
        w->first[w->units++] = (nsc_real)k;
    }
    w->first[w->units] = (nsc_real)k;
    w->groups = w->units;
    return 1;
}

#ifdef NSCI_LANES
/* Units of group i stand at nsci_begin_of(w, i) .. nsci_begin_of(w, i + 1) - 1 in the order. */
static int nsci_begin_of(const nsci_waves *w, int i) { return w->order ? (int)w->begin[i] : i; }
static int nsci_unit_at(const nsci_waves *w, int i) { return w->order ? (int)w->order[i] : i; }

/* Ranks of units in a wave: 0: not for lanes, 1..4: so many contacts, 4: or more */
#define NSCI_RANKS 5
static int nsci_lane_rank(const nsci_waves *w, int unit)
{
    const nsc_block *k = &w->p->blocks[(int)w->first[unit]];
    const nsc_block *end = &w->p->blocks[(int)w->first[unit + 1]];
    int n = (int)(end - k);
    if (k->a == k->b)
        return 0;
    for (; k < end; k++)
        if (k->no_stick || k->soft)
            return 0;
    return n < NSCI_RANKS ? n : NSCI_RANKS - 1;
}
#else
#define nsci_begin_of(w, i) (i)
#define nsci_unit_at(w, i) (i)
#define nsci_lane_rank(w, unit) 0
#endif

/* Wave of the next visit of group i */
static nsc_real nsci_next_wave(nsci_waves *w, int i)
{
    int pass, j;
    int end = nsci_begin_of(w, i + 1);
    nsc_real wave = 0;
    for (pass = 0; pass < 2; pass++)
        for (j = nsci_begin_of(w, i); j < end; j++) {
            const nsc_block *k = &w->p->blocks[(int)w->first[nsci_unit_at(w, j)]];
            nsc_real *a = w->free_at + k->a;
            nsc_real *b = w->free_at + k->b;
            if (pass == 0)
                wave = nsci_max(wave, nsci_max(*a, *b));
            if (pass == 1 && *a >= 0)
                *a = wave + 1;
            if (pass == 1 && *b >= 0)
                *b = wave + 1;
        }
    return wave;
}

/* Sort the visits of all groups in so many sweeps by wave, rank and group; 16 group + sweep stands
   for a visit.  key: (sweeps x groups) work; end: (most x ranks) where each wave and rank ends.
   Returns the number of waves, 0 if there are more than `most`. */
static int nsci_sort_visits(nsci_waves *w, int sweeps, int ranks, int most, nsc_real *key,
                            nsc_real *end, nsc_real *visit)
{
    int i, t;
    int waves = 0;
    int n = w->p->body_count;
    for (i = 0; i < n; i++)
        w->free_at[i] = (nsc_real)-nsci_is_immovable(&w->p->masses[i]);
    nsci_clear(end, sizeof *end * (size_t)most * (size_t)ranks);
    for (t = 0; t < sweeps; t++)
        for (i = 0; i < w->groups; i++) {
            nsc_real free = nsci_next_wave(w, i); /* below t only between immovable bodies */
            int wave = (int)nsci_max(free, (nsc_real)t);
            int place = wave * ranks;
            if (wave >= most)
                return 0;
            place += ranks > 1 ? nsci_lane_rank(w, i) : 0;
            waves = wave < waves ? waves : wave + 1;
            key[i * sweeps + t] = (nsc_real)place;
            end[place] += 1;
        }
    for (i = 0, n = 0; i < waves * ranks; i++) {
        int count = (int)end[i];
        end[i] = (nsc_real)n;
        n += count;
    }
    for (i = 0; i < w->groups; i++)
        for (t = 0; t < sweeps; t++) {
            nsc_real *next = end + (int)key[i * sweeps + t];
            visit[(int)*next] = (nsc_real)(16 * i + t);
            *next += 1;
        }
    return waves;
}

/* Visit the blocks of a unit; its squared defects go to e.  Meanwhile its blocks are between bodies
   0 and 1 of a problem with velocities of its own, because another core may read an immovable body
   at the same time. */
static void nsci_visit_unit(const nsci_waves *w, int unit, nsc_real *e)
{
    nsc_problem own = *w->p;
    int k = (int)w->first[unit];
    int end = (int)w->first[unit + 1];
    int a = own.blocks[k].a;
    int b = own.blocks[k].b;
    int count;
    nsc_real v[12];
    nsc_real *va = own.v + 6 * a;
    nsc_real *vb = own.v + 6 * b;
    NSCI_COPY6(v, va);
    NSCI_COPY6(v + 6, vb);
    own.v = v;
    own.ground = a < own.ground;
    for (; k < end; k++) {
        nsc_block *x = &own.blocks[k];
        e[k] = 0;
        count = 0;
        x->a = 0;
        x->b = a != b;
        if (a != b && (w->contacts || w->joints))
            count = nsci_on_ground(&own, x)
                        ? nsci_sipgs_pair(&own, x, 1, w->contacts, w->joints, 1, &e[k])
                        : nsci_sipgs_pair(&own, x, 1, w->contacts, w->joints, 0, &e[k]);
        if (count == 0)
            e[k] = nsci_sipgs_visit(&own, x, w->run->settings);
        x->a = a;
        x->b = b;
    }
    if (!nsci_is_immovable(&own.masses[a]))
        NSCI_COPY6(va, v);
    if (a != b && !nsci_is_immovable(&own.masses[b]))
        NSCI_COPY6(vb, v + 6);
}

#ifdef NSCI_LANES
/* ---- lanes: NSCI_LANE_COUNT units of a wave at a time, operation by operation as in
   nsci_sipgs_contact.  A lane without a unit, or past its unit's last block, repeats the blocks of
   another lane, and its results are discarded. */

/* Transpose as many vectors as they have lanes. */
#ifdef NSC_DOUBLE
#define NSCI_SQRT_PACKED __builtin_ia32_sqrtpd
NSCI_INLINE void nsci_turn(nsci_lanes *x)
{
    nsci_lanes low = {x[0][0], x[1][0]}, high = {x[0][1], x[1][1]};
    x[0] = low;
    x[1] = high;
}
#else
#define NSCI_SQRT_PACKED __builtin_ia32_sqrtps
#ifdef __clang__
#define NSCI_MIX(name, a, b, c, d) \
    NSCI_INLINE nsci_lanes name(nsci_lanes x, nsci_lanes y) \
    { \
        return __builtin_shufflevector(x, y, a, b, c, d); \
    }
#else
typedef int nsci_places __attribute__((vector_size(16)));
#define NSCI_MIX(name, a, b, c, d) \
    NSCI_INLINE nsci_lanes name(nsci_lanes x, nsci_lanes y) \
    { \
        nsci_places from = {a, b, c, d}; \
        return __builtin_shuffle(x, y, from); \
    }
#endif
NSCI_MIX(nsci_mix_low, 0, 4, 1, 5)
NSCI_MIX(nsci_mix_high, 2, 6, 3, 7)
NSCI_MIX(nsci_join_low, 0, 1, 4, 5)
NSCI_MIX(nsci_join_high, 2, 3, 6, 7)
NSCI_INLINE void nsci_turn(nsci_lanes *x)
{
    nsci_lanes low = nsci_mix_low(x[0], x[1]);
    nsci_lanes high = nsci_mix_high(x[0], x[1]);
    nsci_lanes low2 = nsci_mix_low(x[2], x[3]);
    nsci_lanes high2 = nsci_mix_high(x[2], x[3]);
    x[0] = nsci_join_low(low, low2);
    x[1] = nsci_join_high(low, low2);
    x[2] = nsci_join_low(high, high2);
    x[3] = nsci_join_high(high, high2);
}
#endif

/* x = y, six numbers of each lane, its memory at y[lane]; back: y = x */
NSCI_INLINE void nsci_swap_lanes(nsci_lanes *x, nsc_real *const *y, int back)
{
    nsci_lanes part[NSCI_LANE_COUNT];
    int i, j;
    for (i = 0; i + NSCI_LANE_COUNT <= 6; i += 2) { /* parts may overlap */
        for (j = 0; j < NSCI_LANE_COUNT; j++)
            part[j] = back ? x[i + j] : NSCI_CONST_AT(y[j] + i);
        nsci_turn(part);
        for (j = 0; j < NSCI_LANE_COUNT; j++)
            if (back)
                NSCI_AT(y[j] + i) = part[j];
            else
                x[i + j] = part[j];
    }
}

NSCI_INLINE nsci_lanes nsci_select(nsci_halves mask, nsci_lanes x, nsci_lanes y)
{
    return (nsci_lanes)((mask & (nsci_halves)x) | (~mask & (nsci_halves)y));
}

/* nsci_dot12 of each lane */
NSCI_INLINE nsci_lanes nsci_lanes_dot(const nsci_lanes *J, const nsci_lanes *a, const nsci_lanes *b)
{
    nsci_lanes l0 = J[0] * a[0] + J[4] * a[4] + J[8] * b[2];
    nsci_lanes l1 = J[1] * a[1] + J[5] * a[5] + J[9] * b[3];
    nsci_lanes l2 = J[2] * a[2] + J[6] * b[0] + J[10] * b[4];
    nsci_lanes l3 = J[3] * a[3] + J[7] * b[1] + J[11] * b[5];
    return (l0 + l2) + (l1 + l3);
}

#if defined(__clang__) && __has_builtin(__builtin_elementwise_sqrt)
#define nsci_lanes_root(x) __builtin_elementwise_sqrt(x)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
#define nsci_lanes_root(x) NSCI_SQRT_PACKED(x)
#else
NSCI_INLINE nsci_lanes nsci_lanes_root(nsci_lanes x)
{
    int i;
    for (i = 0; i < NSCI_LANE_COUNT; i++)
        x[i] = NSC_SQRT(x[i]);
    return x;
}
#endif

/* nsci_slide of each lane */
NSCI_INLINE void nsci_lanes_slide(const nsci_packed_row *k, const nsci_lanes *u, nsci_lanes *x,
                                  nsci_lanes *d)
{
    const nsci_lanes *G = k->delassus, zero = {0}, one = zero + NSC_R(1.0);
    nsci_lanes normal = u[0];
    int pass, i;
    for (i = 0; i < 3; i++) {
        x[i] = k->lambda[i];
        d[i] = zero;
    }
    for (pass = 0; pass < 2; pass++) {
        nsci_lanes r, a, b, t2, cut;
        nsci_halves inside;
        x[0] = x[0] - k->eff_mass * normal;
        x[0] = nsci_select((nsci_halves)(x[0] > zero), x[0], zero);
        d[0] = x[0] - k->lambda[0];
        x[1] -= k->step * (u[1] + G[1] * d[0] + G[3] * d[1] + G[4] * d[2]);
        x[2] -= k->step * (u[2] + G[2] * d[0] + G[4] * d[1] + G[5] * d[2]);
        r = k->mu * x[0];
        a = x[1] / r;
        b = x[2] / r;
        t2 = a * a + b * b;
        inside = (nsci_halves)(t2 <= one) |
                 ((nsci_halves)(x[1] == zero) & (nsci_halves)(x[2] == zero));
        cut = one / nsci_lanes_root(nsci_select(inside, one, t2));
        cut = nsci_select((nsci_halves)(r > zero), cut, zero);
        cut = nsci_select(inside, one, cut);
        x[1] *= cut; /* times 1 changes nothing */
        x[2] *= cut;
        d[1] = x[1] - k->lambda[1];
        d[2] = x[2] - k->lambda[2];
        normal = u[0] + G[0] * d[0] + G[1] * d[1] + G[2] * d[2];
    }
}

/* nsci_sipgs_contact of each lane */
NSCI_INLINE nsci_lanes nsci_lanes_contact(nsci_packed_row *k, nsci_lanes *a, nsci_lanes *b)
{
    const nsci_lanes *G = k->delassus, zero = {0};
    nsci_lanes u[3], x[3], d[3];
    nsci_lanes l1 = G[1] * k->eff_mass;
    nsci_lanes l2 = G[2] * k->eff_mass;
    nsci_lanes r1, r2, limit;
    nsci_halves stick;
    int i;
    u[0] = nsci_lanes_dot(k->J, a, b) + k->bias[0];
    u[1] = nsci_lanes_dot(k->J + 12, a, b) + k->bias[1];
    u[2] = nsci_lanes_dot(k->J + 24, a, b) + k->bias[2];
    r1 = l1 * u[0] - u[1];
    r2 = l2 * u[0] - u[2];
    d[1] = k->stick_inverse[0] * r1 + k->stick_inverse[1] * r2;
    d[2] = k->stick_inverse[1] * r1 + k->stick_inverse[2] * r2;
    d[0] = -((k->eff_mass * u[0] + l1 * d[1]) + l2 * d[2]);
    x[0] = k->lambda[0] + d[0];
    x[1] = k->lambda[1] + d[1];
    x[2] = k->lambda[2] + d[2];
    limit = G[0] * k->mu * x[0];
    r1 = G[0] * x[1];
    r2 = G[0] * x[2];
    stick = (nsci_halves)(x[0] >= zero) &
            (nsci_halves)(limit * limit - (r1 * r1 + r2 * r2) >= zero);
    if ((stick[0] & stick[1]) != -1) {
        nsci_lanes slid[3], change[3];
        nsci_lanes_slide(k, u, slid, change);
        for (i = 0; i < 3; i++) {
            x[i] = nsci_select(stick, x[i], slid[i]);
            d[i] = nsci_select(stick, d[i], change[i]);
            u[i] = nsci_select(stick, u[i], G[0] * change[i]);
        }
    }
    k->lambda[0] = x[0];
    k->lambda[1] = x[1];
    k->lambda[2] = x[2];
    for (i = 0; i < 6; i++) {
        const nsci_lanes *y = k->MinvJt + i;
        a[i] = ((a[i] + d[0] * y[0]) + d[1] * y[12]) + d[2] * y[24];
        b[i] = ((b[i] + d[0] * y[6]) + d[1] * y[18]) + d[2] * y[30];
    }
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

static nsci_packed_head *nsci_head_of(const nsci_waves *w, int group)
{
    return (nsci_packed_head *)(w->packed + (int)w->pack[group]);
}

/* Visit the blocks of a packed group; their squared defects go to e. */
static void nsci_visit_lanes(const nsci_waves *w, int group, nsc_real *e)
{
    const nsci_packed_head *h = nsci_head_of(w, group);
    nsci_packed_row *row = (nsci_packed_row *)(nsci_head_of(w, group) + 1);
    const void *end = nsci_head_of(w, group + 1);
    nsc_real *va[NSCI_LANE_COUNT], *vb[NSCI_LANE_COUNT], spare[6];
    nsc_real *to_a[NSCI_LANE_COUNT], *to_b[NSCI_LANE_COUNT];
    nsci_lanes a[6], b[6], sum;
    int n, i, ends;
    for (i = 0; i < NSCI_LANE_COUNT; i++) {
        va[i] = w->p->v + 6 * (h->a[i] < 0 ? -1 - h->a[i] : h->a[i]);
        vb[i] = w->p->v + 6 * (h->b[i] < 0 ? -1 - h->b[i] : h->b[i]);
    }
    nsci_swap_lanes(a, va, 0);
    nsci_swap_lanes(b, vb, 0);
    for (n = 0; row != end; row++) {
        sum = nsci_lanes_contact(row, a, b);
        for (i = 0; i < NSCI_LANE_COUNT; i++)
            if (n < h->count[i])
                e[h->first[i] + n] = sum[i];
        n++;
        for (i = 0, ends = 0; i < NSCI_LANE_COUNT; i++) {
            ends |= n == h->count[i];
            to_a[i] = n == h->count[i] && h->a[i] >= 0 ? va[i] : spare;
            to_b[i] = n == h->count[i] && h->b[i] >= 0 ? vb[i] : spare;
        }
        if (!ends)
            continue;
        nsci_swap_lanes(a, to_a, 1);
        nsci_swap_lanes(b, to_b, 1);
    }
}

/* Copy lambda from the packed rows to the blocks, or back. */
static void nsci_copy_lambda(const nsci_waves *w, int back)
{
    int g, i, n, r;
    for (g = 0; w->order && g < w->groups; g++) {
        nsci_packed_head *h = nsci_head_of(w, g);
        for (i = 0; h != nsci_head_of(w, g + 1) && i < NSCI_LANE_COUNT; i++) {
            nsci_packed_row *row = (nsci_packed_row *)(h + 1);
            nsc_block *k = w->p->blocks + h->first[i];
            for (n = h->count[i]; n > 0; n--, row++, k++)
                for (r = 0; r < 3; r++)
                    if (back)
                        row->lambda[r][i] = k->lambda[r];
                    else
                        k->lambda[r] = row->lambda[r][i];
        }
    }
}

/* x[i] = y[lane][i] for n numbers, a multiple of the lanes */
NSCI_INLINE void nsci_pack(nsci_lanes *x, const nsc_real *const *y, int n)
{
    int i, j;
    for (i = 0; i < n; i += NSCI_LANE_COUNT) {
        for (j = 0; j < NSCI_LANE_COUNT; j++)
            x[i + j] = NSCI_CONST_AT(y[j] + i);
        nsci_turn(x + i);
    }
}

/* Copy the numbers of a block except J and MinvJt into lane i of a row. */
static void nsci_pack_block(nsci_packed_row *row, const nsc_block *k, int i)
{
    const nsc_real *G = k->delassus;
    nsc_real step = nsci_max(G[3], G[5]);
    int j;
    for (j = 0; j < 6; j++)
        row->delassus[j][i] = G[j];
    for (j = 0; j < 3; j++) {
        row->stick_inverse[j][i] = k->stick_inverse[j];
        row->bias[j][i] = k->bias[j];
        row->lambda[j][i] = k->lambda[j];
    }
    row->eff_mass[i] = k->eff_mass[0];
    row->mu[i] = k->mu;
    row->step[i] = step > NSC_R(1e-30) ? 1 / step : 0;
}

/* Pack the blocks of a group. */
static void nsci_pack_group(const nsci_waves *w, int group)
{
    const nsc_problem *p = w->p;
    nsci_packed_head *h = nsci_head_of(w, group);
    nsci_packed_row *row = (nsci_packed_row *)(h + 1);
    int begin = (int)w->begin[group];
    int units = (int)w->begin[group + 1] - begin;
    int longest = 0, i, j, n;
    for (i = 0; i < NSCI_LANE_COUNT; i++) {
        int unit = (int)w->order[begin + (i < units ? i : 0)];
        const nsc_block *k = &p->blocks[(int)w->first[unit]];
        h->a[i] = nsci_is_immovable(&p->masses[k->a]) ? -1 - k->a : k->a;
        h->b[i] = nsci_is_immovable(&p->masses[k->b]) ? -1 - k->b : k->b;
        h->first[i] = (int)w->first[unit];
        h->count[i] = i < units ? (int)w->first[unit + 1] - h->first[i] : 0;
        longest = h->count[i] > h->count[longest] ? i : longest;
    }
    for (n = 0; n < h->count[longest]; n++, row++) {
        const nsc_block *k[NSCI_LANE_COUNT];
        const nsc_real *x[NSCI_LANE_COUNT];
        for (i = 0; i < NSCI_LANE_COUNT; i++) {
            k[i] = &p->blocks[h->first[n < h->count[i] ? i : longest] + n];
            nsci_pack_block(row, k[i], i);
        }
        for (j = 0; j < 3; j++) {
            for (i = 0; i < NSCI_LANE_COUNT; i++)
                x[i] = k[i]->J[j];
            nsci_pack(row->J + 12 * j, x, 12);
            for (i = 0; i < NSCI_LANE_COUNT; i++)
                x[i] = k[i]->MinvJt[j];
            nsci_pack(row->MinvJt + 12 * j, x, 12);
        }
    }
}

/* Cost of a visit in lanes, in tenths of that of one contact; sweeps that are likely to come */
#define NSCI_LANES_COST (NSCI_LANE_COUNT > 2 ? 17 : 14)
#define NSCI_LIKELY_SWEEPS 10

/* Group the units of each wave, and pack the groups; `others`: reals to leave.  Returns 0 if the
   sweeps would gain less than the packing costs. */
static int nsci_begin_lanes(nsci_waves *w, long others)
{
    const nsc_settings *s = w->run->settings;
    int units = w->units;
    int most = units / 2;
    int waves, wave;
    int i = 0;
    int j, n;
    int groups = 0;
    long used = 0, room, gain = 0, packed = 0;
    nsc_real *order = nsci_take(w, units);
    nsc_real *begin = nsci_take(w, units + 1);
    nsc_real *pack = nsci_take(w, units + 1);
    nsc_real *key = w->room;
    nsc_real *end = key + units;
    if (!w->contacts || !pack || w->left < units + NSCI_RANKS * (long)most)
        return 0;
    room = w->left - others < 16000000 ? w->left - others : 16000000; /* exact in a float */
    waves = nsci_sort_visits(w, 1, NSCI_RANKS, most, key, end, order);
    for (j = 0; j < units && waves > 0; j++)
        order[j] /= 16; /* visits to units */
    for (wave = 0; wave < waves; wave++) {
        int scalar = (int)end[NSCI_RANKS * wave];
        int all = (int)end[NSCI_RANKS * wave + NSCI_RANKS - 1];
        for (; i < all; i += n, groups++) {
            int rows = 0, contacts = 0;
            long size;
            n = i < scalar ? 1 : all - i < NSCI_LANE_COUNT ? all - i : NSCI_LANE_COUNT;
            for (j = i; j < i + n; j++) {
                int unit = (int)order[j];
                int length = (int)(w->first[unit + 1] - w->first[unit]);
                rows = length > rows ? length : rows;
                contacts += length;
            }
            size = NSCI_REALS(nsci_packed_head) + rows * (long)NSCI_REALS(nsci_packed_row);
            begin[groups] = (nsc_real)i;
            pack[groups] = (nsc_real)used;
            if (n > 1 && used + size <= room) {
                used += size;
                gain += 10L * contacts - NSCI_LANES_COST * (long)rows;
                packed += contacts;
            } else {
                n = 1;
            }
        }
    }
    n = s->max_iterations < NSCI_LIKELY_SWEEPS ? s->max_iterations : NSCI_LIKELY_SWEEPS;
    if (waves == 0 || gain * n < 10 * (2 * packed + units))
        return 0;
    begin[groups] = (nsc_real)units;
    pack[groups] = (nsc_real)used;
    w->order = order;
    w->begin = begin;
    w->pack = pack;
    w->groups = groups;
    w->packed = nsci_take(w, used);
    for (i = 0; i < groups; i++)
        if (pack[i] < pack[i + 1])
            nsci_pack_group(w, i);
    return 1;
}

static void nsci_visit_group(const nsci_waves *w, int i, nsc_real *e)
{
    if (w->order && w->pack[i] < w->pack[i + 1]) {
        nsci_visit_lanes(w, i, e);
        return;
    }
    nsci_visit_unit(w, nsci_unit_at(w, nsci_begin_of(w, i)), e);
}
#else
#define nsci_copy_lambda(w, back) ((void)0)
#define nsci_begin_lanes(w, others) 0
#define nsci_visit_group(w, i, e) nsci_visit_unit(w, i, e)
#endif

/* Reals of the arena that nsci_begin_parallel takes for so many units (0: for lambda and v alone);
   without NSC_PARALLEL those for the defects of one sweep */
#ifdef NSC_PARALLEL
#define NSCI_PARALLEL_ROOM(p, units) \
    (3L * (p)->block_count + 6L * (p)->body_count + \
     NSCI_AHEAD * (2L * (units) + ((units) > 0 ? (p)->block_count : 0)))

/* Visit one part's share of the present wave. */
static void nsci_wave_part(void *job, int part)
{
    const nsci_waves *w = (const nsci_waves *)job;
    int n = w->to - w->from;
    int i = w->from + (int)((long)n * part / w->shares);
    int end = w->from + (int)((long)n * (part + 1) / w->shares);
    for (; i < end; i++) {
        int visit = (int)w->item[i];
        int sweep = visit % 16;
        if (sweep < w->made)
            nsci_visit_group(w, visit / 16, w->defect + (long)sweep * w->p->block_count);
    }
}

static void nsci_make_sweeps(nsci_waves *w, int sweeps)
{
    const nsc_real *e = w->defect;
    nsc_real sum[NSCI_AHEAD];
    int i, t;
    w->made = sweeps;
    w->counted = 0;
    for (i = 0, w->from = 0; i < w->waves; i++, w->from = w->to) {
        w->to = (int)w->end[i];
        w->shares = (w->to - w->from) / NSCI_LEAST_SHARE;
        if (w->shares > w->p->parts)
            w->shares = w->p->parts;
        if (w->shares > 1) {
            w->p->parallel(w->p->user, nsci_wave_part, w, w->shares);
        } else {
            w->shares = 1;
            nsci_wave_part(w, 0);
        }
    }
    nsci_copy_lambda(w, 0);
    nsci_clear(sum, sizeof sum);
    for (i = 0; i < w->p->block_count; i++, e++)
        for (t = 0; t < sweeps; t++)
            sum[t] += e[(long)t * w->p->block_count];
    for (t = 0; t < sweeps; t++)
        w->change[t] = NSC_SQRT(sum[t]);
}

/* Keep lambda and v, or return to them. */
static void nsci_save_sweep(nsci_waves *w, int back)
{
    nsc_problem *p = w->p;
    nsc_real *v = w->saved + 3 * (long)p->block_count;
    size_t size = sizeof *v * 6 * (size_t)p->body_count;
    int k;
    for (k = 0; k < p->block_count; k++) {
        nsc_real *x = w->saved + 3 * (long)k;
        if (back)
            NSCI_COPY3(p->blocks[k].lambda, x);
        else
            NSCI_COPY3(x, p->blocks[k].lambda);
    }
    if (back)
        nsci_copy(p->v, v, size);
    else
        nsci_copy(v, p->v, size);
    if (back)
        nsci_copy_lambda(w, 1);
}

/* How many sweeps to make together.  The last must be the first one whose lambda nsci_look_now may
   ask for: checks are known, and the sweep that reaches the tolerance is predicted from the last
   two changes. */
static int nsci_sweeps_together(const nsci_waves *w)
{
    const nsci_run *run = w->run;
    const nsc_settings *s = run->settings;
    int n = 1;
    int most = s->check_interval - run->iterations % s->check_interval;
    nsc_real rate = w->before > 0 ? run->change / w->before : NSC_R(0.5);
    nsc_real change = rate * run->change;
    if (most > s->max_iterations - run->iterations)
        most = s->max_iterations - run->iterations;
    if (most > w->ahead)
        most = w->ahead;
    for (; n < most && !w->p->stop && rate * change > run->tolerance; n++)
        change *= rate;
    return n;
}

/* Make a sweep, or take the next that was made ahead.  If nsci_look_now will ask for its lambda, go
   back and make it the last. */
static nsc_real nsci_parallel_sweep(nsci_waves *w)
{
    nsc_real change;
    if (w->counted == w->made) {
        int sweeps = nsci_sweeps_together(w);
        if (sweeps > 1)
            nsci_save_sweep(w, 0);
        nsci_make_sweeps(w, sweeps);
    }
    change = w->change[w->counted++];
    if (w->counted < w->made && change <= w->run->tolerance) {
        int sweeps = w->counted;
        nsci_save_sweep(w, 1);
        nsci_make_sweeps(w, sweeps);
        w->counted = sweeps;
    }
    w->before = w->run->change;
    return change;
}

/* Put as many sweeps into waves as the arena holds; not if there are few groups a wave. */
static int nsci_begin_parallel(nsci_waves *w)
{
    nsc_problem *p = w->p;
    long groups = w->groups;
    long fixed = NSCI_PARALLEL_ROOM(p, 0);
    long sweeps;
    int most;
    nsc_real *key;
    if (!p->parallel || p->parts < 2)
        return 0;
    sweeps = 2 * (w->left - fixed) / (3 * groups + 2L * p->block_count);
    if (sweeps < 1)
        return 0;
    w->ahead = sweeps < NSCI_AHEAD ? (int)sweeps : NSCI_AHEAD;
    most = (int)(w->ahead * groups / (2 * NSCI_LEAST_SHARE));
    w->saved = nsci_take(w, fixed);
    w->defect = nsci_take(w, (long)w->ahead * p->block_count);
    w->item = nsci_take(w, w->ahead * groups);
    w->end = nsci_take(w, most);
    key = w->defect; /* used before */
    w->waves = nsci_sort_visits(w, w->ahead, 1, most, key, w->end, w->item);
    if (w->waves == 0)
        w->item = NULL;
    return w->waves > 0;
}
#else
#define NSCI_PARALLEL_ROOM(p, units) ((long)(p)->block_count)
#define nsci_begin_parallel(w) 0
#endif

/* Call it after nsci_begin.  It sets units to 0 where the plain loop shall run. */
static void nsci_begin_waves(nsci_waves *w, nsci_run *run)
{
    const nsc_settings *s = run->settings;
    nsc_problem *p = run->problem;
    int usual = nsci_abs(s->omega - 1) <= 0;
    int works = 0;
    nsci_clear(w, sizeof *w);
    w->run = run;
    w->p = p;
    w->room = p->arena;
    w->left = p->arena ? p->arena_size : 0;
    w->contacts = usual && s->law == NSC_LAW_COULOMB;
    w->joints = NSCI_FAST && usual;
    if (p->block_count >= NSCI_FEWEST_BLOCKS && p->block_count <= NSCI_MOST_BLOCKS &&
        !NSCI_MATRIX_OF(p) && !s->symmetric && nsci_find_units(w)) {
        works |= nsci_begin_lanes(w, NSCI_PARALLEL_ROOM(p, w->units));
        works |= nsci_begin_parallel(w);
        if (!w->defect)
            w->defect = nsci_take(w, p->block_count);
    }
    if (!works)
        w->units = 0;
}

/* Does one defect tell that the change is above the tolerance? */
static int nsci_is_far(const nsci_waves *w)
{
    nsc_real enough = 2 * w->run->tolerance * w->run->tolerance;
    int k = 0;
    while (k < w->p->block_count && !(w->defect[k] > enough))
        k++;
    return k < w->p->block_count;
}

/* nsci_sipgs_sweep by waves.  NSC_REAL_MAX stands for a change that is above the tolerance and will
   not be used, because the sum takes long.  lambda is in the blocks where nsci_look_now or a
   callback may ask for it. */
static nsc_real nsci_wave_sweep(nsci_waves *w)
{
    const nsc_settings *s = w->run->settings;
    int k;
    int n = w->run->iterations + 1;
    int looks = n % s->check_interval == 0 || n >= s->max_iterations;
    nsc_real sum = 0;
    NSCI_IF(NSCI_PARALLEL, if (w->item) return nsci_parallel_sweep(w);)
    for (k = 0; k < w->groups; k++)
        nsci_visit_group(w, k, w->defect);
    if (!looks && n > 1 && !w->p->watch && !w->p->stop && nsci_is_far(w))
        return NSC_REAL_MAX;
    for (k = 0; k < w->p->block_count; k++)
        sum += w->defect[k];
    sum = NSC_SQRT(sum);
    if (looks || w->p->stop || sum <= w->run->tolerance)
        nsci_copy_lambda(w, 0);
    return sum;
}

#define NSCI_BEGIN_WAVES nsci_begin_waves(&waves, &run)
#define NSCI_SWEEP(p, s, backward) \
    (waves.units > 0 ? nsci_wave_sweep(&waves) : nsci_sipgs_sweep(p, s, backward))
#else
#define NSCI_BEGIN_WAVES ((void)0)
#define NSCI_SWEEP(p, s, backward) nsci_sipgs_sweep(p, s, backward)
#endif /* NSCI_WAVES */

/* A residual at the floor is solved, but sweeps go on while they gain 5 % in two checks, down to
   this share of the floor.  The floor is an upper bound, rounding is mostly less, and joint forces
   in float become more accurate. */
#define NSCI_WELL_BELOW NSC_R(0.125)

/* Measure the residual now?  change: 2-norm of the last sweep's defects [m/s].  Yes at the last
   sweep, if change is within the tolerance, or if the caller stops; every check_interval sweeps
   also with judge or stall_window, or if defects may be rounding alone. */
static int nsci_look_now(nsci_run *run, nsc_real change)
{
    const nsc_settings *s = run->settings;
    if (change <= run->tolerance || run->iterations >= s->max_iterations)
        return 1;
    if (run->iterations % s->check_interval == 0) {
        nsc_real mean = change / NSC_SQRT((nsc_real)run->problem->block_count);
        if (s->judge || s->stall_window > 0 || nsci_is_near_rounding(run->problem, mean))
            return 1;
    }
    return nsci_asked_to_stop(run);
}

/* Energy of the defects of the best iterate so far; lambda and v are in the end as before. */
static nsc_real nsci_energy_of_best(nsc_problem *p, int law)
{
    nsc_real energy = 0;
    int pass, k, i;
    for (pass = 0; pass < 2; pass++) {
        for (k = 0; k < p->block_count; k++)
            for (i = 0; i < 3; i++) {
                nsc_real x = p->blocks[k].lambda[i];
                p->blocks[k].lambda[i] = p->blocks[k].best[i];
                p->blocks[k].best[i] = x;
            }
        if (pass == 0)
            energy = nsci_residual(p, law).energy;
    }
    nsci_apply_lambda(p);
    return energy;
}

NSC_API int nsc_solve_sipgs(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    int code = nsci_begin(&run, NSC_SOLVER_SIPGS, p, s, NSC_LAW_COULOMB, NSC_LAW_PYRAMID);
    nsc_real first_change = NSC_REAL_MAX;
    unsigned since_gain;
    int solved = 0;
    NSCI_IF(NSCI_WAVES, nsci_waves waves;)
    if (code < 0)
        return nsci_refuse(report, code);
    NSCI_BEGIN_WAVES;
    while (run.iterations < s->max_iterations) {
        nsc_real change = NSCI_SWEEP(p, s, s->symmetric && run.iterations % 2 == 1);
        nsci_defects d;
        if (run.iterations == 0 && !s->judge)
            run.best = first_change = change;
        run.iterations++;
        run.change = change;
        if (!nsci_look_now(&run, change)) {
            nsci_show(&run, run.iterations, -1);
            continue;
        }
        /* To be exact, and with joints, whose impulses are large, first recompute v, which removes
           the rounding of the sweeps. */
        d = s->judge || p->bias_error > 0 ? nsci_residual(p, s->law) : nsci_sum_defects(p, s->law);
        nsci_heed_rounding(&run, d.worst);
        if (run.floor > 0)
            d = nsci_sum_defects(p, s->law); /* The floor has recomputed v. */
        /* The run seems farther from the answer than it began: measure the guess after all */
        if (d.worst > run.tolerance && d.worst > 2 * first_change) {
            run.energy = nsci_energy_of_best(p, s->law);
            first_change = NSC_REAL_MAX;
        }
        /* A solved iterate is better than any other, whatever their energies */
        if (d.worst > run.tolerance && solved)
            d.energy = NSC_REAL_MAX;
        if (d.worst <= run.tolerance && !solved)
            run.energy = NSC_REAL_MAX;
        solved |= d.worst <= run.tolerance;
        run.tolerance = nsci_max(s->tolerance, NSCI_WELL_BELOW * run.tolerance);
        if (nsci_note(&run, run.iterations, d))
            break;
        since_gain = (unsigned)(run.iterations - run.mark_iteration);
        if (solved && since_gain >= 2u * (unsigned)s->check_interval)
            break;
    }
    run.known = 1; /* the last iterate was measured */
    return nsci_finish(&run, report);
}

/* ---- >>vectors -------------------------------------------------------------------------------
   Vectors that hold one number for each row of a problem, for the solvers that keep some. */

/* Does the arena hold so many of them?  Without rows it may be NULL.  1 for an unprepared problem,
   which is refused later, with another code. */
NSC_MAYBE_UNUSED static int nsci_arena_fits(const nsc_problem *p, int vectors)
{
    return !nsci_is_prepared(p) || p->row_count == 0 ||
           (p->arena && p->arena_size / vectors >= p->row_count);
}

NSC_MAYBE_UNUSED static nsc_block *nsci_blocks_end(const nsc_problem *p)
{
    return p->blocks + p->block_count;
}

/* x = lambda */
NSC_MAYBE_UNUSED static void nsci_get_lambda(const nsc_problem *p, nsc_real *x)
{
    const nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++)
        for (i = 0; i < b->rows; i++)
            x[b->row + i] = b->lambda[i];
}

/* lambda = x; v is updated too. */
NSC_MAYBE_UNUSED static void nsci_set_lambda(nsc_problem *p, const nsc_real *x)
{
    nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++)
        for (i = 0; i < b->rows; i++)
            b->lambda[i] = x[b->row + i];
    nsci_apply_lambda(p);
}

/* u = J v + bias + cfm lambda, by way of the bodies: exact for bodies at rest.  Rows without
   effective mass get 0. */
NSC_MAYBE_UNUSED static void nsci_get_velocities(const nsc_problem *p, nsc_real *u)
{
    nsc_real own[3];
    const nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        nsci_block_velocity(p, b, p->v, b->lambda, own);
        for (i = 0; i < b->rows; i++)
            u[b->row + i] = b->eff_mass[i] > 0 ? own[i] : 0;
    }
}

/* sum of rho |u|^2 over the blocks [J] */
NSC_MAYBE_UNUSED static nsc_real nsci_sum_energy(const nsc_problem *p, const nsc_real *u)
{
    nsc_real sum = 0;
    const nsc_block *b;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        sum += b->rho * nsci_dot(u + b->row, u + b->row, b->rows);
    }
    return sum;
}

/* Entry of N, without cfm, for row i of block k and row j of block m; an immovable body has MinvJt
   = 0. */
NSC_MAYBE_UNUSED static nsc_real nsci_delassus(const nsc_problem *p, const nsc_block *k, int i,
                                               const nsc_block *m, int j)
{
    const nsc_real *J = k->J[i];
    const nsc_real *W = m->MinvJt[j];
    nsc_real sum = 0;
    if (p->delassus)
        return p->delassus[(size_t)(k->row + i) * (size_t)p->row_count + (size_t)(m->row + j)];
    if (k->a == m->a)
        sum += nsci_dot(J, W, 6);
    if (k->a == m->b)
        sum += nsci_dot(J, W + 6, 6);
    if (k->b == m->a)
        sum += nsci_dot(J + 6, W, 6);
    if (k->b == m->b)
        sum += nsci_dot(J + 6, W + 6, 6);
    return sum;
}

/* Begin a solver; room: 1 if the arena holds its vectors.  Without rows the status is NSC_OK, and
   the solver ends at once. */
NSC_MAYBE_UNUSED static int nsci_begin_in(nsci_run *run, int solver, int room, nsc_problem *p,
                                          const nsc_settings *s, int last_law)
{
    int code = room ? nsci_begin(run, solver, p, s, NSC_LAW_COULOMB, last_law) : NSC_ERR_CAPACITY;
    if (code == NSC_OK && p->row_count == 0)
        run->status = NSC_OK;
    return code;
}

/* Index of element (i, j), i >= j, of a lower triangle that is packed row by row */
NSC_MAYBE_UNUSED static int nsci_lower(int i, int j) { return i * (i + 1) / 2 + j; }

/* ---- >>gradient ------------------------------------------------------------------------------
   Shared by the projected gradient methods APGD and BB.  They minimise
       f(lambda) = 1/2 lambda'N lambda + r'lambda,  lambda in K,
   in the metric diag(1/rho), uniform inside a block so that friction cones keep their shape.  N x
   is stored beside every x, so that an iteration costs one product with N.
   COULOMB: mu |u_t| is added to r_n (De Saxce) and updated during the run. */
#if !defined(NSC_NO_APGD) || !defined(NSC_NO_BB)

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
    const nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        for (i = b->row; i < b->row + b->rows; i++)
            y[i] = b->rho * r[i];
    }
    nsci_product(p, y, Ny);
    above = nsci_sum_energy(p, Ny);
    return above > 0 && below > 0 ? NSC_SQRT(above / below) : 1;
}

/* De Saxce: the Coulomb law at x is the cone law with mu |u_t| added to the normal velocity.
   share: weight of the new value in the shift, 0..1. */
static void nsci_gradient_shift(nsc_problem *p, nsci_gradient *g, nsc_real share)
{
    const nsc_block *b;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
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
    nsci_free_rows(p, g->r);
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
    const nsc_block *b;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        nsci_project(b, law, x[b->kind == NSC_BLOCK_ROLLING ? b[-1].row : b->row], x + b->row);
    }
}

/* out = P(y - rho (N y + r + shift) / L) */
static void nsci_gradient_step(const nsc_problem *p, int law, const nsci_gradient *g,
                               const nsc_real *y, const nsc_real *Ny, nsc_real *out)
{
    const nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
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
    nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        for (i = 0; i < b->rows; i++) {
            b->lambda[i] = x[b->row + i];
            u[i] = Nx[b->row + i] + r[b->row + i];
        }
        nsci_add_defect(&d, b, nsci_defect(b, s->law, b->lambda, u));
    }
    d.worst = NSC_SQRT(d.worst);
    return nsci_note(run, iteration, d.worst <= run->tolerance ? nsci_residual(p, s->law) : d);
}

#endif /* NSC_NO_APGD and NSC_NO_BB */

/* ---- >>apgd ----------------------------------------------------------------------------------
   Accelerated projected gradient descent (Nesterov; Mazhar et al. 2015).  f is quadratic: the step
   length is checked by its exact curvature, d'Nd <= L d'd, without subtracting large values of f;
   N y is extrapolated from N of the iterates.  A step up to a fifth too long is accepted: it still
   contracts, and rejecting it wastes a product. */
#ifndef NSC_NO_APGD

typedef struct nsci_apgd {
    nsci_gradient g;            /* iterate x */
    nsc_real *x_new, *y;        /* (rows) next iterate, extrapolated point */
    nsc_real *Nx_new, *Ny;      /* (rows) N times them */
    nsc_real theta;             /* momentum */
} nsci_apgd;
#define NSCI_APGD_FITS(p) nsci_arena_fits(p, NSC_ARENA_APGD(1))

/* Restart from x without momentum. */
static void nsci_apgd_restart(const nsc_problem *p, nsci_apgd *a)
{
    size_t size = sizeof(nsc_real) * (size_t)p->row_count;
    NSC_MEMCPY(a->y, a->g.x, size);
    NSC_MEMCPY(a->Ny, a->g.Nx, size);
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
    const nsc_block *b;
    int i;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        for (i = b->row; i < b->row + b->rows; i++) {
            nsc_real d = a->x_new[i] - a->y[i];
            dNd += d * (a->Nx_new[i] - a->Ny[i]);
            if (b->rho > 0)
                dd += d * d / b->rho;
        }
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
    nsc_real *swap;
    int i, n = p->row_count;
    for (i = 0; i < n; i++)
        uphill += (a->Ny[i] + g->r[i] + g->shift[i]) * (a->x_new[i] - g->x[i]);
    next = NSC_R(0.5) * th * (NSC_SQRT(th * th + 4) - th);
    beta = th * (1 - th) / (th * th + next);
    for (i = 0; i < n; i++) {
        a->y[i] = a->x_new[i] + beta * (a->x_new[i] - g->x[i]);
        a->Ny[i] = a->Nx_new[i] + beta * (a->Nx_new[i] - g->Nx[i]);
    }
    swap = g->x;
    g->x = a->x_new;
    a->x_new = swap;
    swap = g->Nx;
    g->Nx = a->Nx_new;
    a->Nx_new = swap;
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
    int code = nsci_begin_in(&run, NSC_SOLVER_APGD, NSCI_APGD_FITS(p), p, s, NSC_LAW_CONE);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    nsci_apgd_begin(p, &a);
    for (it = 0; it < s->max_iterations;) {
        nsc_real curvature;
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
        if (s->law == NSC_LAW_COULOMB && it % 10 == 0)
            nsci_gradient_shift(p, &a.g, 1);
    }
    return nsci_finish(&run, report);
}

#define NSCI_SOLVE_APGD nsc_solve_apgd
#else
#define NSCI_APGD_FITS(p) 0
#define NSCI_SOLVE_APGD(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_APGD */

/* ---- >>bb ------------------------------------------------------------------------------------
   Spectral projected gradient (Barzilai & Borwein 1988; Birgin, Martinez & Raydan 2000; on contacts
   Heyn et al. 2013) with directions made conjugate (Birgin & Martinez 2001).  One iteration, s the
   previous direction:
       p = P(x - rho (N x + r + shift) / L) - x
       d = P(x + p + beta s) - x      beta = -p'Ns / s'Ns: conjugate gradients until a bound acts
       d = p                          if that is no descent, p'd <= 0 in the metric
       x = x + t d                    t = min(1, L p'd / d'Nd): to the minimum along d, but inside K
       L = |N d| / |d|                in the metric; 1/L is the geometric mean of both step lengths
                                      of Barzilai and Borwein (Dai, Al-Baali & Yang 2015), never < 0
   The slope of f along d is taken as -L p'd.  With no active bound that is g'd, g the gradient; for
   d = p it is not steeper than g'd, so that f falls.  At a sliding contact g'd itself is a small
   difference of large numbers: in float it is noise once g is down to the root of the precision.
   As t is exact, no history of f is needed; on the published problems this beats the non-monotone
   search with any rule for L.  N s is the last N d: one product an iteration, one more every 50 so
   that N x does not drift. */
#ifndef NSC_NO_BB

typedef struct nsci_bb {
    nsci_gradient g;            /* iterate x; L from the last direction */
    nsc_real *p;                /* (rows) projected gradient step */
    nsc_real *d, *Nd;           /* (rows) direction, and N times it */
} nsci_bb;
#define NSCI_BB_FITS(p) nsci_arena_fits(p, NSC_ARENA_BB(1))

static void nsci_bb_begin(nsc_problem *p, nsci_bb *a)
{
    int n = p->row_count;
    a->p = p->arena + 4 * n;
    a->d = a->p + n;
    a->Nd = a->d + n;
    nsci_gradient_begin(p, &a->g, a->d, a->Nd);
    nsci_clear(a->d, 2 * sizeof(nsc_real) * (size_t)n); /* and Nd */
}

/* x'y in the metric */
static nsc_real nsci_bb_dot(const nsc_problem *p, const nsc_real *x, const nsc_real *y)
{
    nsc_real sum = 0;
    const nsc_block *b;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        if (b->rho > 0)
            sum += nsci_dot(x + b->row, y + b->row, b->rows) / b->rho;
    }
    return sum;
}

/* Set d, conjugate to the previous d or else p, and N d. */
static void nsci_bb_direction(nsc_problem *p, int law, nsci_bb *a)
{
    nsc_real sNs, beta, *x = a->g.x;
    int i, n = p->row_count;
    nsci_gradient_step(p, law, &a->g, x, a->g.Nx, a->p);
    for (i = 0; i < n; i++)
        a->p[i] -= x[i];
    sNs = nsci_dot(a->d, a->Nd, n);
    beta = sNs > 0 ? -nsci_dot(a->p, a->Nd, n) / sNs : 0;
    for (i = 0; i < n; i++)
        a->d[i] = x[i] + a->p[i] + beta * a->d[i];
    nsci_gradient_project(p, law, a->d);
    for (i = 0; i < n; i++)
        a->d[i] -= x[i];
    if (!(nsci_bb_dot(p, a->p, a->d) > 0))
        NSC_MEMCPY(a->d, a->p, sizeof(nsc_real) * (size_t)n);
    nsci_product(p, a->d, a->Nd);
}

/* Move x to the minimum along d, but not beyond x + d. */
static void nsci_bb_move(const nsc_problem *p, int law, nsci_bb *a)
{
    nsc_real fall = a->g.L * nsci_bb_dot(p, a->p, a->d);
    nsc_real dNd = nsci_dot(a->d, a->Nd, p->row_count);
    nsc_real t = fall < dNd ? fall / dNd : 1;
    int i;
    for (i = 0; i < p->row_count; i++) {
        a->g.x[i] += t * a->d[i];
        a->g.Nx[i] += t * a->Nd[i];
    }
    nsci_gradient_project(p, law, a->g.x); /* only rounding can have left K */
}

/* L = |N d| / |d| in the metric; unchanged if d = 0. */
static void nsci_bb_curvature(const nsc_problem *p, nsci_bb *a)
{
    nsc_real dd = nsci_bb_dot(p, a->d, a->d);
    if (dd > 0)
        a->g.L = nsci_max(NSC_SQRT(nsci_sum_energy(p, a->Nd) / dd), a->g.least_L);
}

NSC_API int nsc_solve_bb(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_bb a;
    int it;
    int code = nsci_begin_in(&run, NSC_SOLVER_BB, NSCI_BB_FITS(p), p, s, NSC_LAW_CONE);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    nsci_bb_begin(p, &a);
    if (s->law == NSC_LAW_COULOMB && s->warm_start)
        nsci_gradient_shift(p, &a.g, 1);
    for (it = 0; it < s->max_iterations;) {
        nsci_bb_direction(p, s->law, &a);
        nsci_bb_move(p, s->law, &a);
        run.iterations = ++it;
        if (it % 50 == 0)
            nsci_product(p, a.g.x, a.g.Nx);
        if (nsci_gradient_check(&run, it, a.g.x, a.g.Nx, a.g.r))
            break;
        nsci_bb_curvature(p, &a);
        if (s->law == NSC_LAW_COULOMB)
            nsci_gradient_shift(p, &a.g, NSC_R(0.25));
    }
    return nsci_finish(&run, report);
}

#define NSCI_SOLVE_BB nsc_solve_bb
#else
#define NSCI_BB_FITS(p) 0
#define NSCI_SOLVE_BB(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_BB */

/* ---- >>minres --------------------------------------------------------------------------------
   Minimal residual (Paige & Saunders 1975) for u = N lambda + r = 0 of the joints.  N is symmetric
   without negative eigenvalues; redundant rows make some 0.  For such a matrix conjugate
   residuals (Stiefel 1955; compared by Fong & Saunders 2012) give the same iterates, with the
   residual u itself, in five vectors.  The preconditioner is each block's own inverse, M = G^-1: it
   halves the iterations of M = rho, and units of length and angle do not matter.  A step minimises
   u'Mu.  Both coefficients are projections of the present vectors, so that u may be replaced by a
   recomputed one (van der Vorst & Ye 2000), which is done whenever the residual is measured. */
#ifndef NSC_NO_MINRES

/* Iteration limit.  With rounding, a mass ratio of 1e4 took three times the rows. */
#define NSCI_MINRES_MOST(rows) (4 * (rows) + 20)
#define NSCI_MINRES_FITS(p) nsci_arena_fits(p, NSC_ARENA_MINRES(1))

typedef struct nsci_minres {
    int n;                  /* rows of the whole problem; entries of other blocks stay 0 */
    nsc_real *u;            /* (n) velocity of the joints' rows */
    nsc_real *d, *Nd, *MNd; /* (n) direction of lambda, N and M N times it */
    nsc_real *Nz;           /* (n) N times z = M u */
    nsc_real energy, gain;  /* u'Mu before the last step, and its fall by that step [J] */
} nsci_minres;

static int nsci_is_joint(const nsc_block *b) { return b->kind == NSC_BLOCK_EQUALITY && b->rho > 0; }

/* y = M x of one block; a row linearly dependent on earlier rows gives 0. */
static void nsci_minres_metric(const nsc_block *b, const nsc_real *x, nsc_real y[3])
{
    int i;
    nsci_solve_equality(b, b->rows, x, y);
    for (i = 0; i < 3; i++)
        y[i] = -y[i];
}

/* Nz = N z; adds u'z to energy.  The bias is left out, because a small z would be lost in its
   rounding.  p->v is the work vector. */
static void nsci_minres_product(nsc_problem *p, nsci_minres *m)
{
    const nsc_block *b;
    const nsc_block *end = p->blocks + p->block_count;
    nsc_real z[3];
    int i;
    nsci_clear(p->v, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (b = p->blocks; b < end; b++) {
        if (!nsci_is_joint(b))
            continue;
        nsci_minres_metric(b, m->u + b->row, z);
        nsci_block_apply(p, b, z, p->v);
        for (i = 0; i < b->rows; i++)
            m->Nz[b->row + i] = b->cfm[i] * z[i];
        m->energy += nsci_dot(m->u + b->row, z, b->rows);
    }
    for (b = p->blocks; b < end; b++)
        for (i = 0; nsci_is_joint(b) && i < b->rows; i++)
            m->Nz[b->row + i] += p->delassus
                                     ? p->v[b->row + i]
                                     : nsci_dot12(b->J[i], p->v + 6 * b->a, p->v + 6 * b->b);
}

/* Next direction d: z minus a share of the last d; makes N d M-orthogonal to the last. */
static void nsci_minres_turn(nsc_problem *p, nsci_minres *m)
{
    nsc_real z[3], share;
    nsc_real below = nsci_dot(m->Nd, m->MNd, m->n);
    const nsc_block *b;
    int i, r;
    m->energy = 0;
    nsci_minres_product(p, m);
    share = below > 0 ? nsci_dot(m->Nz, m->MNd, m->n) / below : 0;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        if (!nsci_is_joint(b))
            continue;
        nsci_minres_metric(b, m->u + b->row, z);
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            m->d[r] = z[i] - share * m->d[r];
            m->Nd[r] = m->Nz[r] - share * m->Nd[r];
        }
        nsci_minres_metric(b, m->Nd + b->row, z);
        for (i = 0; i < b->rows; i++)
            m->MNd[b->row + i] = z[i];
    }
}

/* Step along d to the least u'Mu.  Returns max |u| of the updated u [m/s], which does not show the
   rounding of the velocities. */
static nsc_real nsci_minres_step(nsc_problem *p, nsci_minres *m)
{
    nsc_real below = nsci_dot(m->Nd, m->MNd, m->n);
    nsc_real along = nsci_dot(m->u, m->MNd, m->n);
    nsc_real worst = 0;
    nsc_real step = below > 0 ? along / below : 0;
    nsc_block *b;
    int i, r;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        if (!nsci_is_joint(b))
            continue;
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            b->lambda[i] -= step * m->d[r];
            m->u[r] -= step * m->Nd[r];
        }
        worst = nsci_max(worst, nsci_dot(m->u + b->row, m->u + b->row, b->rows));
    }
    m->gain = step * along;
    return NSC_SQRT(worst);
}

/* Recompute u of the joints from the lambda of all blocks.  Returns their defects. */
static nsci_defects nsci_minres_residual(nsc_problem *p, int law, nsci_minres *m)
{
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    const nsc_block *b;
    int i;
    nsci_apply_lambda(p);
    for (b = p->blocks; b < p->blocks + p->block_count && nsci_finite(d.worst); b++) {
        if (!nsci_is_joint(b))
            continue;
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        for (i = 0; i < b->rows; i++)
            m->u[b->row + i] = b->eff_mass[i] > 0 ? u[i] : 0;
        nsci_add_defect(&d, b, nsci_defect(b, law, b->lambda, u));
    }
    d.worst = NSC_SQRT(d.worst);
    return d;
}

/* Divide the arena; note the first guess again, with the defects of the joints alone. */
static void nsci_minres_begin(nsci_run *run, nsci_minres *m)
{
    nsc_problem *p = run->problem;
    int n = m->n = p->row_count;
    m->u = p->arena;
    m->d = m->u + n;
    m->Nd = m->d + n;
    m->MNd = m->Nd + n;
    m->Nz = m->MNd + n;
    nsci_clear(m->u, sizeof(nsc_real) * (size_t)NSC_ARENA_MINRES(n));
    nsci_note(run, 0, nsci_minres_residual(p, run->law, m));
    run->status = NSC_ITERATION_LIMIT;
}

/* NSC_OK of the joints becomes NSC_STALLED if the residual of the whole problem exceeds the
   tolerance. */
static int nsci_minres_finish(nsci_run *run, nsc_report *report)
{
    nsc_report own;
    int code;
    if (!report)
        report = &own;
    code = nsci_finish(run, report);
    if (code == NSC_OK && report->residual > run->tolerance)
        code = report->status = NSC_STALLED;
    return code;
}

/* Iteration limit; 0 without rows, when the arena may be NULL. */
static int nsci_minres_most(const nsc_settings *s, int rows)
{
    if (rows == 0)
        return 0;
    if (rows >= s->max_iterations || NSCI_MINRES_MOST(rows) > s->max_iterations)
        return s->max_iterations;
    return NSCI_MINRES_MOST(rows);
}

NSC_API int nsc_solve_minres(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_minres m;
    int it, most;
    int code = nsci_begin_in(&run, NSC_SOLVER_MINRES, NSCI_MINRES_FITS(p), p, s, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    most = nsci_minres_most(s, p->row_count);
    if (most > 0)
        nsci_minres_begin(&run, &m);
    for (it = 0; it < most;) {
        nsci_defects is;
        nsc_real left;
        int done;
        run.iterations = ++it;
        nsci_minres_turn(p, &m);
        run.change = left = nsci_minres_step(p, &m);
        done = left <= run.tolerance || m.gain <= NSC_REAL_EPS * m.energy;
        if (!done && it % s->check_interval != 0 && it < most && !nsci_asked_to_stop(&run)) {
            nsci_show(&run, it, -1);
            continue;
        }
        is = nsci_minres_residual(p, s->law, &m);
        if (nsci_note(&run, it, is))
            break;
        if (run.last_is_best || (!done && left > NSC_R(0.5) * is.worst))
            continue;
        run.status = NSC_STALLED; /* contradicting rows, or only rounding is left */
        break;
    }
    return nsci_minres_finish(&run, report);
}

#define NSCI_SOLVE_MINRES nsc_solve_minres
#else
#define NSCI_MINRES_FITS(p) 0
#define NSCI_SOLVE_MINRES(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_MINRES */

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
#ifndef NSC_NO_DANTZIG

/* The shift lies between rounding and the smallest eigenvalues that matter.  Measured: in float it
   could be up to three times larger, or smaller by a lesser factor, in double a hundred times
   either way. */
#define NSCI_DZ_SHIFT (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-5) : NSC_R(1e-12))
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
    nsc_real *rate;    /* rate of change in the present motion: of x in C, of u elsewhere */
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
    const nsc_block *blocks = d->p->blocks, *b, *c;
    int i, j;
    for (b = blocks; b < blocks + d->p->block_count; b++)
        for (i = 0; i < b->rows; i++) {
            nsc_real *row = d->A + nsci_lower(b->row + i, 0);
            for (c = blocks; c <= b; c++)
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
            d->rate[nsci_dz_row(d, j)] -= d->L[nsci_lower(k, j)] * d->rate[nsci_dz_row(d, k)];
    for (k = m; k < d->n; k++) {
        int r = nsci_dz_row(d, k);
        nsc_real own = i < 0 ? 0 : sign * nsci_dz_a(d, i, r);
        nsc_real sum = own;
        for (j = 0; j < m; j++)
            sum += nsci_dz_a(d, r, nsci_dz_row(d, j)) * d->rate[nsci_dz_row(d, j)];
        d->rate[r] = nsci_abs(sum) > NSCI_DZ_ROUNDING * NSC_REAL_EPS * nsci_abs(own) ? sum : 0;
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

/* Longest motion that row i permits: x to a bound in C, u to 0 for a resting row.  A row not yet
   driven, or wrong by rounding, sets no limit; the next round corrects the latter. */
static nsc_real nsci_dz_limit(const nsci_dz *d, int i, int is_free)
{
    nsc_real rate = d->rate[i];
    nsc_real t = NSC_REAL_MAX;
    if (is_free) {
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
   equals, or -1; shortens *t to its limit.  The driven row does not stop itself. */
static int nsci_dz_blocker(const nsci_dz *d, int count, int driven, nsc_real *t)
{
    int k, found = -1;
    for (k = 0; k < count; k++) {
        int i = nsci_dz_row(d, k);
        nsc_real limit = i == driven ? NSC_REAL_MAX : nsci_dz_limit(d, i, k < d->free_count);
        if (limit < *t || (limit <= *t && found >= 0 && i < nsci_dz_row(d, found))) {
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
            d->x[i] = nsci_clamp(d->x[i] + t * d->rate[i], d->lo[i], d->hi[i]);
        else
            d->u[i] += t * d->rate[i];
    }
}

/* Move the row at position k out of C, to its bound, or into C. */
static void nsci_dz_exchange(nsci_dz *d, int k)
{
    int i = nsci_dz_row(d, k);
    d->pivots++;
    if (k < d->free_count) {
        d->x[i] = d->rate[i] < 0 ? d->lo[i] : d->hi[i];
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
    int k, budget;
    for (budget = NSCI_DZ_DRIVE(d->n);
         budget > 0 && d->pivots < d->most_pivots && d->free_count < d->n; budget--) {
        nsc_real pivot = nsci_dz_border(d, i);
        nsc_real t = nsci_max(-sign * d->u[i] / pivot, 0);
        int reaches = sign * (bound - d->x[i]) <= t;
        if (nsci_asked_to_stop(d->run))
            return;
        if (reaches)
            t = sign * (bound - d->x[i]);
        if (!nsci_finite(t))
            return;
        for (k = 0; k < d->free_count; k++)
            d->rate[nsci_dz_row(d, k)] = -sign * d->L[nsci_lower(d->free_count, k)];
        nsci_dz_spread(d, i, sign);
        d->rate[i] = sign * pivot;
        k = nsci_dz_blocker(d, d->n, i, &t);
        nsci_dz_move(d, t);
        d->x[i] = nsci_clamp(d->x[i] + sign * t, d->lo[i], d->hi[i]);
        if (k >= 0) {
            nsci_dz_exchange(d, k);
            continue;
        }
        d->pivots++;
        if (reaches)
            d->x[i] = bound;
        else
            nsci_dz_enter(d, nsci_dz_position(d, i));
        return;
    }
}

/* Complete d->rate: in C solve L D L^T rate = rate. */
static void nsci_dz_answer(nsci_dz *d)
{
    int j, k, m = d->free_count;
    for (k = 0; k < m; k++)
        for (j = 0; j < k; j++)
            d->rate[nsci_dz_row(d, k)] -= d->L[nsci_lower(k, j)] * d->rate[nsci_dz_row(d, j)];
    for (k = 0; k < m; k++)
        d->rate[nsci_dz_row(d, k)] /= d->L[nsci_lower(k, k)];
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
            d->rate[nsci_dz_row(d, k)] = -d->u[nsci_dz_row(d, k)];
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
    int k;
    for (k = 0; k < 6; k++)
        sum += nsci_abs(b->J[i][k] * v[6 * b->a + k]) + nsci_abs(b->J[i][6 + k] * v[6 * b->b + k]);
    return sum;
}

/* Copy x into the blocks; recompute u and its noise through the bodies.  Returns the largest
   natural map of a row for the present bounds [m/s]. */
static nsc_real nsci_dz_refresh(nsci_dz *d)
{
    const nsc_problem *p = d->p;
    nsc_real largest = 0, worst = 0;
    const nsc_block *b;
    int i;
    nsci_set_lambda(d->p, d->x);
    nsci_get_velocities(p, d->u);
    for (b = p->blocks; !p->delassus && b < nsci_blocks_end(p); b++)
        for (i = 0; i < b->rows; i++)
            largest = nsci_max(largest, nsci_row_size(b, i, p->v));
    for (i = 0; i < d->n; i++) {
        nsc_real a = nsci_dz_a(d, i, i);
        nsc_real e = d->u[i];
        nsc_real y;
        largest = nsci_max(largest, nsci_abs(d->x[i]) * a);
        if (d->lo[i] >= d->hi[i])
            continue;
        y = d->x[i] - e / a;
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
            d->rate[i] = -NSCI_DZ_SHIFT * nsci_dz_a(d, i, i) * d->x[i];
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

/* First bounds of row i of a block; both 0 for friction and for rows without effective mass. */
static void nsci_dz_bounds(const nsc_block *b, int i, nsc_real *lo, nsc_real *hi)
{
    *lo = b->kind == NSC_BLOCK_BOX ? b->lo[i] : -NSC_REAL_MAX;
    *hi = b->kind == NSC_BLOCK_BOX ? b->hi[i] : NSC_REAL_MAX;
    if (b->kind == NSC_BLOCK_CONTACT)
        *lo = 0;
    if (b->eff_mass[i] <= 0 || (b->kind == NSC_BLOCK_CONTACT && i > 0) ||
        b->kind == NSC_BLOCK_ROLLING)
        *lo = *hi = b->kind == NSC_BLOCK_BOX ? nsci_clamp(0, b->lo[i], b->hi[i]) : 0;
}

/* Divide the arena, form A, take the first guess.  EQUALITY rows start in C, as do rows with a
   guess other than 0 inside their bounds. */
static void nsci_dz_begin(nsci_dz *d, nsci_run *run)
{
    nsc_problem *p = run->problem;
    nsc_real zero[3], u[3];
    const nsc_block *b;
    int i, r, n = p->row_count;
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
    d->free_count = 0;
    d->pivots = 0;
    d->scale = zero[0] = zero[1] = zero[2] = 0;
    nsci_dz_assemble(d);
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        nsci_block_velocity(p, b, p->v_free, zero, u);
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            nsci_dz_bounds(b, i, &d->lo[r], &d->hi[r]);
            d->order[r] = (nsc_real)r;
            d->x[r] = nsci_clamp(b->lambda[i], d->lo[r], d->hi[r]);
            if (b->eff_mass[i] > 0)
                d->scale = nsci_max(d->scale, nsci_abs(u[i]));
            if (d->x[r] <= d->lo[r] || d->x[r] >= d->hi[r])
                continue;
            if (b->kind == NSC_BLOCK_EQUALITY || nsci_abs(d->x[r]) > 0)
                nsci_dz_enter(d, r);
        }
    }
    nsci_dz_refresh(d);
}

/* Set friction bounds from the present normals; rows at a bound follow it.  1: some moved by more
   than rounding. */
static int nsci_dz_bound_friction(nsci_dz *d)
{
    const nsc_block *b;
    int i, r, moved = 0;
    for (b = d->p->blocks; b < nsci_blocks_end(d->p); b++)
        for (i = b->kind == NSC_BLOCK_CONTACT, r = b->row + i;
             b->kind >= NSC_BLOCK_CONTACT && i < b->rows; i++, r++) {
            int rolling = b->kind == NSC_BLOCK_ROLLING;
            nsc_real most = (rolling && i == 0 ? b->hi[0] : b->mu) *
                            d->x[rolling ? b[-1].row : b->row];
            nsc_real limit = b->eff_mass[i] > 0 ? most : 0;
            nsc_real x = d->x[r];
            int k = nsci_dz_position(d, r);
            int was_free = k < d->free_count;
            moved |= nsci_abs(limit - d->hi[r]) * nsci_dz_a(d, r, r) > d->noise;
            if (k < d->free_count && nsci_abs(x) >= limit)
                nsci_dz_leave(d, k);
            if (!was_free && x > 0)
                x = limit;
            if (!was_free && x < 0)
                x = -limit;
            d->x[r] = nsci_clamp(x, -limit, limit);
            d->hi[r] = limit;
            d->lo[r] = -limit;
        }
    nsci_dz_refresh(d);
    return moved;
}

/* Lowest law accepted: with friction only PYRAMID. */
static int nsci_dz_first_law(const nsc_problem *p)
{
    const nsc_block *b;
    int law = NSC_LAW_COULOMB;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        if (b->kind >= NSC_BLOCK_CONTACT && b->rows == 3 && b->mu > 0)
            law = NSC_LAW_PYRAMID;
    }
    return law;
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

/* NSC_ITERATION_LIMIT: friction bounds still move.  NSC_STALLED: pivoting ended above the tolerance
   and report.floor. */
NSC_API int nsc_solve_dantzig(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_dz d;
    int pass, ok, code;
    int n = nsci_is_prepared(p) ? p->row_count : 0;
    if (n > 32000 || (n > 0 && (!p->arena || p->arena_size < NSC_ARENA_DANTZIG((long)n))))
        return nsci_refuse(report, NSC_ERR_CAPACITY); /* with n > 32000 its size overflows an int */
    code = nsci_begin(&run, NSC_SOLVER_DANTZIG, p, s,
                      n > 0 ? nsci_dz_first_law(p) : NSC_LAW_COULOMB, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    nsci_keep_best(p);
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

#define NSCI_DANTZIG_FITS(p) \
    ((p)->arena && (p)->arena_size >= NSC_ARENA_DANTZIG((long)(p)->row_count))
#define NSCI_SOLVE_DANTZIG nsc_solve_dantzig
#else
#define NSCI_DANTZIG_FITS(p) 0
#define NSCI_SOLVE_DANTZIG(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_DANTZIG */

/* ---- >>factor --------------------------------------------------------------------------------
   The symmetric positive definite matrix H that NEWTON and ADMM factorise.  With M^-1 = S S^T
   body by body, B = J S, and G = Q Q^T block by block, both solve

       (I + G N) h = g,    N = B B^T + diag(cfm)

   by Woodbury's formula through H = I + B^T G B, of 6 rows a body, or H = I + Q^T N Q, of the size
   of N, where N is given.  So every pivot is at least 1, an immovable body gives rows of the unit
   matrix, and an inertia may be singular.  H = L D L^T without square roots.  A row of L begins at
   the first body coupled to its own (skyline): the cost of a chain or stack grows with its length,
   of a heap at most with the cube of its bodies. */
#if !defined(NSC_NO_NEWTON) || !defined(NSC_NO_ADMM)

typedef struct nsci_factor {
    nsc_problem *p;
    int n;             /* rows of H */
    int rank;          /* n, or the first row whose pivot was not positive */
    nsc_real *Q;       /* (rows x 3) Q, block by block */
    nsc_real *root;    /* (bodies x 7) S: sqrt(1/m), then the lower triangle for the inverse
                          inertia */
    nsc_real *first;   /* (n) column where a row of L begins */
    nsc_real *start;   /* (n) element (i, j) is L[start[i] + j]; an integer, like first */
    nsc_real *x;       /* (n) work */
    nsc_real *L;       /* row by row; D stands on the diagonal */
} nsci_factor;

/* x'y for long rows: four lanes, in a fixed order of additions */
static nsc_real nsci_dot_long(const nsc_real *NSC_RESTRICT x, const nsc_real *NSC_RESTRICT y, int n)
{
    nsc_real l0 = 0, l1 = 0, l2 = 0, l3 = 0;
    int i;
    for (i = 0; i + 4 <= n; i += 4) {
        l0 += x[i] * y[i];
        l1 += x[i + 1] * y[i + 1];
        l2 += x[i + 2] * y[i + 2];
        l3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
        l0 += x[i] * y[i];
    return (l0 + l2) + (l1 + l3);
}

static int nsci_factor_first(const nsci_factor *f, int i) { return (int)f->first[i]; }
static nsc_real *nsci_factor_row(const nsci_factor *f, int i) { return f->L + (int)f->start[i]; }

/* Lower triangular S with S S^T = A of three rows, both packed 00 10 11 20 21 22.  A pivot that is
   only rounding gives a column of 0. */
static void nsci_root3(const nsc_real A[6], nsc_real S[6])
{
    int i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j <= i; j++) {
            nsc_real *row = S + nsci_lower(i, 0);
            nsc_real *other = S + nsci_lower(j, 0);
            nsc_real a = A[nsci_lower(i, j)];
            nsc_real sum = a;
            for (k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j)
                row[j] = sum > 16 * NSC_REAL_EPS * a ? NSC_SQRT(sum) : 0;
            else
                row[j] = other[j] > 0 ? sum / other[j] : 0;
        }
}

static int nsci_is_movable(const nsci_factor *f, int body)
{
    const nsc_real *s = f->root + 7 * body;
    return s[0] > 0 || s[1] > 0 || s[3] > 0 || s[6] > 0;
}

/* x = S^T x of one body */
static void nsci_root_transposed(const nsc_real *s, nsc_real x[6])
{
    x[0] *= s[0];
    x[1] *= s[0];
    x[2] *= s[0];
    x[3] = s[1] * x[3] + s[2] * x[4] + s[4] * x[5];
    x[4] = s[3] * x[4] + s[5] * x[5];
    x[5] *= s[6];
}

/* x = S x of one body */
static void nsci_root_times(const nsc_real *s, nsc_real x[6])
{
    x[0] *= s[0];
    x[1] *= s[0];
    x[2] *= s[0];
    x[5] = s[4] * x[3] + s[5] * x[4] + s[6] * x[5];
    x[4] = s[2] * x[3] + s[3] * x[4];
    x[3] *= s[1];
}

/* Extend the rows of body `high` in H to the columns of body `low`. */
static void nsci_factor_reach(nsci_factor *f, int high, int low)
{
    int i;
    for (i = 6 * high; i < 6 * high + 6; i++)
        if (6 * low < nsci_factor_first(f, i))
            f->first[i] = (nsc_real)(6 * low);
}

/* Does the arena hold so many vectors of row_count reals and a factor (NSC_ARENA_NEWTON)? */
static int nsci_factor_fits(const nsc_problem *p, int vectors)
{
    long rows = p->row_count, bodies = p->body_count; /* an int of 16 bits would overflow */
    /* Offsets must be exact in a float */
    if (p->delassus ? rows > (NSCI_IS_DOUBLE ? 32000 : 5792) : rows > 32000 || bodies > 900)
        return 0;
    if (rows == 0)
        return 1;
    return p->arena && p->arena_size >= (p->delassus ? (vectors + 6) * rows + rows * (rows + 1) / 2
                                                     : (vectors + 3) * rows + 25 * bodies +
                                                           3 * bodies * (6 * bodies + 1));
}

/* Divide the memory and lay out L: a block between two movable bodies couples them in H. */
static void nsci_factor_begin(nsci_factor *f, nsc_problem *p, nsc_real *memory)
{
    int i, k;
    int end = 0;
    int bodies = p->delassus ? 0 : p->body_count;
    f->p = p;
    f->rank = 0;
    f->n = p->delassus ? p->row_count : 6 * bodies;
    f->Q = memory;
    f->root = f->Q + 3 * p->row_count;
    f->first = f->root + 7 * bodies;
    f->start = f->first + f->n;
    f->x = f->start + f->n;
    f->L = f->x + f->n;
    for (i = 0; i < f->n; i++)
        f->first[i] = p->delassus ? 0 : (nsc_real)(i - i % 6);
    for (i = 0; i < bodies; i++) {
        const nsc_real *I = p->masses[i].inv_inertia;
        const nsc_real A[6] = {I[0], I[3], I[1], I[4], I[5], I[2]};
        f->root[7 * i] = NSC_SQRT(p->masses[i].inv_mass);
        nsci_root3(A, f->root + 7 * i + 1);
    }
    for (k = 0; bodies > 0 && k < p->block_count; k++) {
        int a = p->blocks[k].a;
        int b = p->blocks[k].b;
        if (nsci_is_movable(f, a) && nsci_is_movable(f, b))
            nsci_factor_reach(f, a > b ? a : b, a > b ? b : a);
    }
    for (i = 0; i < f->n; i++) {
        f->start[i] = (nsc_real)(end - nsci_factor_first(f, i));
        end += i + 1 - nsci_factor_first(f, i);
    }
}

/* Set Q of block k from its G, packed as above.  Compliance makes G (G^-1 + diag(cfm))^-1 = Q (I +
   Q^T cfm Q)^-1 Q^T. */
static void nsci_factor_set(nsci_factor *f, const nsc_block *k, const nsc_real G[6])
{
    nsc_real S[6], A[6], R[6];
    nsc_real *Q = f->Q + 3 * k->row;
    int i, j, m;
    nsci_root3(G, S);
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < 3; j++)
            Q[3 * i + j] = j <= i ? S[nsci_lower(i, j)] : 0;
    if (!k->soft)
        return;
    for (i = 0; i < 3; i++)
        for (j = 0; j <= i; j++) {
            nsc_real *a = &A[nsci_lower(i, j)];
            *a = i == j ? 1 : 0;
            for (m = 0; m < k->rows; m++)
                *a += Q[3 * m + i] * k->cfm[m] * Q[3 * m + j];
        }
    nsci_root3(A, R);
    for (m = 0; m < k->rows; m++)
        for (i = 0; i < 3; i++) {
            for (j = 0; j < i; j++)
                Q[3 * m + i] -= R[nsci_lower(i, j)] * Q[3 * m + j];
            Q[3 * m + i] /= R[nsci_lower(i, i)];
        }
}

/* H += x y^T between bodies i >= j */
static void nsci_factor_add(nsci_factor *f, int i, const nsc_real *x, int j, const nsc_real *y)
{
    int r, c;
    for (r = 0; r < 6; r++) {
        nsc_real *row = nsci_factor_row(f, 6 * i + r) + 6 * j;
        for (c = 0; c < (i == j ? r + 1 : 6); c++)
            row[c] += x[r] * y[c];
    }
}

/* H += x x^T with x = B^T q of one column q of a block's Q */
static void nsci_factor_add_column(nsci_factor *f, const nsc_block *k, int column)
{
    nsc_real x[12], *y = x + 6;
    int i, j;
    int moves_a = nsci_is_movable(f, k->a);
    int moves_b = nsci_is_movable(f, k->b);
    for (j = 0; j < 12; j++)
        x[j] = 0;
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < 12; j++)
            x[j] += f->Q[3 * (k->row + i) + column] * k->J[i][j];
    nsci_root_transposed(f->root + 7 * k->a, x);
    nsci_root_transposed(f->root + 7 * k->b, y);
    if (k->a == k->b) {
        for (i = 0; i < 6; i++)
            x[i] += y[i];
        moves_b = 0;
    }
    if (moves_a)
        nsci_factor_add(f, k->a, x, k->a, x);
    if (moves_b)
        nsci_factor_add(f, k->b, y, k->b, y);
    if (!moves_a || !moves_b)
        return;
    if (k->a > k->b)
        nsci_factor_add(f, k->a, x, k->b, y);
    else
        nsci_factor_add(f, k->b, y, k->a, x);
}

/* H += Q^T N Q of a given N, in rows of block k and columns of a block m <= k */
static void nsci_factor_add_pair(nsci_factor *f, const nsc_block *k, const nsc_block *m)
{
    const nsc_real *Qk = f->Q + 3 * k->row;
    const nsc_real *Qm = f->Q + 3 * m->row;
    int i, j, r, c;
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < (k == m ? i + 1 : m->rows); j++) {
            nsc_real *h = nsci_factor_row(f, k->row + i) + m->row + j;
            for (r = 0; r < k->rows; r++)
                for (c = 0; c < m->rows; c++)
                    *h += Qk[3 * r + i] * nsci_delassus(f->p, k, r, m, c) * Qm[3 * c + j];
        }
}

static void nsci_factor_assemble(nsci_factor *f)
{
    const nsc_block *blocks = f->p->blocks;
    int i, j, k;
    for (i = 0; i < f->n; i++)
        for (j = nsci_factor_first(f, i); j <= i; j++)
            nsci_factor_row(f, i)[j] = i == j ? 1 : 0;
    for (k = 0; k < f->p->block_count; k++)
        for (j = 0; j < (f->p->delassus ? k + 1 : blocks[k].rows); j++) {
            if (f->p->delassus)
                nsci_factor_add_pair(f, &blocks[k], &blocks[j]);
            else
                nsci_factor_add_column(f, &blocks[k], j);
        }
}

/* H = L D L^T from the Q of the blocks.  0: a pivot is not positive or not finite. */
static int nsci_factor_run(nsci_factor *f)
{
    int i, j;
    nsci_factor_assemble(f);
    for (i = 0; i < f->n; i++) {
        nsc_real *row = nsci_factor_row(f, i);
        nsc_real *pivot = row + i;
        int begin = nsci_factor_first(f, i);
        for (j = begin; j < i; j++) {
            int from = nsci_factor_first(f, j) > begin ? nsci_factor_first(f, j) : begin;
            row[j] -= nsci_dot_long(row + from, nsci_factor_row(f, j) + from, j - from);
        }
        for (j = begin; j < i; j++) {
            nsc_real y = row[j];
            row[j] = y / nsci_factor_row(f, j)[j];
            *pivot -= y * row[j];
        }
        f->rank = i;
        if (!(*pivot > 0) || !nsci_finite(*pivot))
            return 0;
    }
    f->rank = f->n;
    return 1;
}

/* x = H^-1 x */
static void nsci_factor_substitute(const nsci_factor *f, nsc_real *x)
{
    int i, j;
    for (i = 0; i < f->n; i++) {
        int begin = nsci_factor_first(f, i);
        x[i] -= nsci_dot_long(nsci_factor_row(f, i) + begin, x + begin, i - begin);
    }
    for (i = 0; i < f->n; i++)
        x[i] /= nsci_factor_row(f, i)[i];
    for (i = f->n - 1; i >= 0; i--)
        for (j = nsci_factor_first(f, i); j < i; j++)
            x[j] -= nsci_factor_row(f, i)[j] * x[i];
}

/* out = Q^T x, or Q x; out may be x */
static void nsci_times_Q(const nsci_factor *f, int transposed, const nsc_real *x, nsc_real *out)
{
    const nsc_block *b;
    int i, j;
    for (b = f->p->blocks; b < nsci_blocks_end(f->p); b++) {
        const nsc_real *Q = f->Q + 3 * b->row;
        nsc_real y[3];
        for (i = 0; i < b->rows; i++)
            for (y[i] = 0, j = 0; j < b->rows; j++)
                y[i] += Q[transposed ? 3 * j + i : 3 * i + j] * x[b->row + j];
        for (i = 0; i < b->rows; i++)
            out[b->row + i] = y[i];
    }
}

/* out = B H^-1 B^T g, by way of body velocities */
static void nsci_factor_bodies(const nsci_factor *f, const nsc_real *g, nsc_real *out)
{
    const nsc_problem *p = f->p;
    nsc_real *x = f->x;
    const nsc_block *b;
    int i;
    for (i = 0; i < f->n; i++)
        x[i] = 0;
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        for (i = 0; i < b->rows; i++)
            nsci_axpy12(g[b->row + i], b->J[i], x + 6 * b->a, x + 6 * b->b);
    }
    for (i = 0; i < p->body_count; i++)
        nsci_root_transposed(f->root + 7 * i, x + 6 * i);
    nsci_factor_substitute(f, x);
    for (i = 0; i < p->body_count; i++)
        nsci_root_times(f->root + 7 * i, x + 6 * i);
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        for (i = 0; i < b->rows; i++)
            out[b->row + i] = nsci_dot12(b->J[i], x + 6 * b->a, x + 6 * b->b);
    }
}

/* h = (I + G N)^-1 g; overwrites g with g - Q Q^T cfm g. */
static void nsci_factor_solve(nsci_factor *f, nsc_real *g, nsc_real *h)
{
    const nsc_problem *p = f->p;
    const nsc_block *b;
    int i, n = p->row_count;
    for (b = p->blocks; b < nsci_blocks_end(p); b++)
        for (i = 0; i < b->rows; i++)
            h[b->row + i] = b->cfm[i] * g[b->row + i];
    nsci_times_Q(f, 1, h, h);
    nsci_times_Q(f, 0, h, h);
    for (i = 0; i < n; i++)
        g[i] -= h[i];
    if (p->delassus) {
        for (i = 0; i < n; i++)
            h[i] = nsci_dot_long(p->delassus + (size_t)i * (size_t)n, g, n);
        nsci_times_Q(f, 1, h, h);
        nsci_factor_substitute(f, h);
    } else {
        nsci_factor_bodies(f, g, h);
        nsci_times_Q(f, 1, h, h);
    }
    nsci_times_Q(f, 0, h, h);
    for (i = 0; i < n; i++)
        h[i] = g[i] - h[i];
}

/* P of a block for NEWTON and ADMM.  COULOMB: clamp the normal, then project friction onto the disc
   that it allows; then lambda = P(lambda - rho u) is Coulomb's law (Alart & Curnier 1991). */
static void nsci_project_law(const nsc_block *k, int law, nsc_real normal, nsc_real *x)
{
    if (law == NSC_LAW_COULOMB && k->kind == NSC_BLOCK_CONTACT && k->rows == 3) {
        x[0] = nsci_max(x[0], 0);
        nsci_project_disc(k->mu * x[0], x + 1);
    } else {
        nsci_project(k, law, normal, x);
    }
}

#endif /* NEWTON or ADMM */

/* ---- >>newton --------------------------------------------------------------------------------
   Primal Newton (projected Newton; SAP of Castro et al. 2022; MuJoCo) for the rigid problem by the
   proximal point method: around a centre c every row gets the compliance eps/rho, and

       y = c - rho u / eps,    u = N w + r,    w = P(y)

   is solved for the impulse w by semismooth Newton steps d, (I + G N) d = -(w - P(y)), with G =
   (rho/eps) dP/dy block by block.  Then c = w, eps falls, and the steps repeat: the compliance
   vanishes from the answer.  For CONE, w = P(y) is the stationarity of a convex function, and an
   exact line search sets the step length.  In the other laws friction is bounded by the normal part
   of y; this adds the unsymmetric entry d lambda_t / d y_n to the Jacobian, which BiCGStab applies
   to the factor's answer, and the step is halved until |N (w - P(y))| falls.

   From the sixth factor on a factor serves several steps: BiCGStab, with the old factor as its
   preconditioner, solves for the present Jacobian.  Where that does not converge in a few steps,
   and after five uses, the factor is made anew.

   A run that gets stuck goes back to its last centre, mostly sweeps SIPGS from there, and
   continues with a larger eps.  It does not return to its best iterate: where N is singular the
   centres move along its null space until the friction fits, and the residual does not show this
   before the end.  The first time under COULOMB, the third in the other laws, it tries the barrier
   below instead.  A run ends when only rounding of the impulses is left, or joints alone contradict
   each other.  Joints alone begin with one factor and the least eps: mostly that solves a chain at
   once, in time proportional to its length. */
#ifndef NSC_NO_NEWTON

#define NSCI_NW_EPS NSC_R(1e-2)  /* first compliance, as a share of the block's own 1/rho */
/* Least compliance: u is not accurate enough for a smaller one. */
#define NSCI_NW_LEAST (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-4) : NSC_R(1e-9))
#define NSCI_NW_WARM_SWEEPS 50   /* most sweeps of SIPGS before the first step */
#define NSCI_NW_WARM 100         /* a change below so many tolerances ends them */
#define NSCI_NW_WARM_LEAST 10    /* fewest sweeps */
/* Most sweeps when stuck.  With few factors left there are fewer in proportion, and no barrier. */
#define NSCI_NW_SWEEPS 200
#define NSCI_NW_DEAR 12          /* factors left: fewer than this are few */
#define NSCI_NW_WITHOUT 6        /* of so many times stuck, one is without sweeps */
#define NSCI_NW_INNER 30         /* steps around one centre before a run counts as stuck */
#define NSCI_NW_VECTORS 11       /* of row_count reals, in the arena */
/* A centre is settled below this share of the noise in y from rounding of w. */
#define NSCI_NW_ROUNDING NSC_R(0.5)
#define NSCI_NW_IDLE 5           /* steps without a gain of 5 % before rounding is suspected */
#define NSCI_NW_HALVINGS 5
#define NSCI_NW_SLOWLY NSC_R(0.8) /* factor on the least eps at each centre, once stuck */
/* The same factor below NSCI_NW_SMALL, if a centre took at most two steps */
#define NSCI_NW_QUICKLY NSC_R(0.1)
#define NSCI_NW_SMALL NSC_R(1e-4)
/* Number of times stuck at which the barrier is tried */
#define NSCI_NW_RESCUE(law) ((law) == NSC_LAW_COULOMB ? 1u : 3u)
#define NSCI_NW_FRESH 6          /* the first factor that may serve more than one step */
#define NSCI_NW_USES 5           /* most steps that a factor serves */
/* Most steps of BiCGStab (three are usual), and the square of its relative residual: with a factor
   of this step, of an earlier one, and in the barrier, where small impulses count */
#define NSCI_NW_KRYLOV 8
#define NSCI_NW_EXACT NSC_R(1e-4)
#define NSCI_NW_AGAIN_KRYLOV 16
#define NSCI_NW_AGAIN_EXACT NSC_R(1e-6)
#define NSCI_IP_KRYLOV 20
#define NSCI_IP_EXACT NSC_R(1e-8)
#define NSCI_NW_LOOSE 10 /* COULOMB: a centre is settled at so many times the distance from P(y) */

typedef struct nsci_newton {
    nsc_problem *p;
    nsci_run *run;
    nsci_factor factor;
    int law, convex;          /* convex: CONE without rolling friction */
    int linear;               /* joints alone: no row has a bound */
    int done;                 /* the run is over */
    unsigned retreats;        /* times it was stuck */
    unsigned uses;            /* steps the factor has served; 0: there is none to use again */
    nsc_real *c;              /* (rows) centre */
    nsc_real *w, *u;          /* (rows) iterate; N w + r */
    nsc_real *y, *g;          /* (rows) as above; w - P(y) */
    nsc_real *d, *Nd;         /* (rows) step */
    nsc_real *work[4];        /* (rows) of BiCGStab */
    int inside;               /* 1 while the barrier runs */
    nsc_real energy;          /* of the defects of the last iterate offered [J] */
    nsc_real eps, least;      /* present compliance, and its present minimum */
} nsci_newton;

/* How the barrier treats a block */
enum { NSCI_NO_CONE, NSCI_RAY, NSCI_LORENTZ };

static int nsci_ip_kind(const nsc_block *k)
{
    if (k->kind != NSC_BLOCK_CONTACT || k->rho <= 0)
        return NSCI_NO_CONE;
    return k->rows == 3 && k->mu > 0 ? NSCI_LORENTZ : NSCI_RAY;
}

/* Set y and g = w - P(y) at w + a d.  Returns g'N d, the slope of what CONE minimises. */
static nsc_real nsci_newton_map(nsci_newton *q, nsc_real a)
{
    nsc_real slope = 0, normal = 0;
    const nsc_block *b;
    int i;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        nsc_real *g = q->g + b->row;
        nsc_real t = b->rho / q->eps;
        if (q->inside && nsci_ip_kind(b) != NSCI_NO_CONE) {
            normal = nsci_max(q->w[b->row], 0);
            continue; /* the barrier sets these g */
        }
        for (i = b->row; i < b->row + b->rows; i++)
            q->g[i] = q->y[i] = q->c[i] - t * (q->u[i] + a * q->Nd[i]);
        nsci_project_law(b, q->law, b->kind == NSC_BLOCK_ROLLING ? normal : g[0], g);
        if (b->kind == NSC_BLOCK_CONTACT)
            normal = g[0];
        for (i = b->row; i < b->row + b->rows; i++) {
            q->g[i] = q->w[i] + a * q->d[i] - q->g[i];
            slope += q->g[i] * q->Nd[i];
        }
    }
    return slope;
}

/* |N g| [m/s sqrt(kg)]: how far w is from P(y) */
static nsc_real nsci_newton_imbalance(nsci_newton *q)
{
    nsci_product(q->p, q->g, q->work[0]);
    return NSC_SQRT(nsci_sum_energy(q->p, q->work[0]));
}

/* Is the problem around this centre solved well enough to move it: is w nearer to P(y) than P(y) to
   the centre, or as near as rounding of N w permits? */
static int nsci_newton_settled(nsci_newton *q)
{
    nsc_real sum = 0, size = 0;
    const nsc_block *b;
    int i;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        for (i = b->row; i < b->row + b->rows; i++) {
            nsc_real move = q->w[i] - q->g[i] - q->c[i];
            if (b->rho > 0) {
                sum += move * move / b->rho;
                size += q->w[i] * q->w[i] / b->rho;
            }
        }
    }
    return nsci_newton_imbalance(q) <=
           nsci_max((q->law == NSC_LAW_COULOMB ? NSCI_NW_LOOSE : 1) * q->eps * NSC_SQRT(sum),
                    NSCI_NW_ROUNDING * NSC_REAL_EPS * NSC_SQRT(size) / q->eps);
}

/* dP/dy of a friction disc of this radius: rows 1 and 2 of the packed G */
static void nsci_slope_disc(const nsc_real *y, nsc_real radius, nsc_real G[6])
{
    nsc_real t = NSC_SQRT(y[1] * y[1] + y[2] * y[2]);
    nsc_real s, a, b;
    if (t <= radius) {
        G[2] = G[5] = radius > 0 ? 1 : 0;
        return;
    }
    s = radius / t;
    a = y[1] / t;
    b = y[2] / t;
    G[2] = s * b * b;
    G[4] = -s * a * b;
    G[5] = s * a * a;
}

/* dP/dy of the cone */
static void nsci_slope_cone(const nsc_real *y, nsc_real mu, nsc_real G[6])
{
    nsc_real t = NSC_SQRT(y[1] * y[1] + y[2] * y[2]);
    nsc_real c = 1 / (1 + mu * mu);
    nsc_real a, b;
    if (mu * t <= -y[0] && t > mu * y[0])
        return;
    nsci_slope_disc(y, t <= mu * y[0] ? NSC_REAL_MAX : mu * c * (y[0] + mu * t), G);
    G[0] = 1;
    if (t <= mu * y[0])
        return;
    a = y[1] / t;
    b = y[2] / t;
    G[0] = c;
    G[1] = mu * c * a;
    G[3] = mu * c * b;
    G[2] += mu * mu * c * a * a;
    G[4] += mu * mu * c * a * b;
    G[5] += mu * mu * c * b * b;
}

static nsc_real nsci_is_inside(nsc_real x, nsc_real lo, nsc_real hi)
{
    return x > lo && x < hi ? 1 : 0;
}

/* Symmetric part of dP/dy of one block, packed 00 10 11 20 21 22; normal: the impulse that bounds
   its friction */
static void nsci_newton_slope(const nsc_block *k, int law, const nsc_real *y, nsc_real normal,
                              nsc_real G[6])
{
    static const int diagonal[3] = {0, 2, 5};
    nsc_real limit = k->mu * normal;
    int i;
    for (i = 0; i < 6; i++)
        G[i] = 0;
    if (k->rho <= 0)
        return;
    if (k->kind < NSC_BLOCK_CONTACT) {
        for (i = 0; i < k->rows; i++)
            G[diagonal[i]] = k->kind == NSC_BLOCK_EQUALITY
                                 ? 1
                                 : nsci_is_inside(y[i], k->lo[i], k->hi[i]);
        return;
    }
    if (k->kind == NSC_BLOCK_CONTACT && k->rows == 3 && law == NSC_LAW_CONE) {
        nsci_slope_cone(y, k->mu, G);
        return;
    }
    G[0] = k->kind == NSC_BLOCK_CONTACT
               ? nsci_is_inside(y[0], 0, NSC_REAL_MAX)
               : nsci_is_inside(y[0], -k->hi[0] * normal, k->hi[0] * normal);
    if (k->rows == 1)
        return;
    if (law != NSC_LAW_PYRAMID)
        nsci_slope_disc(y, limit, G);
    else {
        G[2] = nsci_is_inside(y[1], -limit, limit);
        G[5] = nsci_is_inside(y[2], -limit, limit);
    }
}

/* Unsymmetric part: e, the derivative of P(y) by the normal part that bounds friction */
static void nsci_newton_coupling(const nsc_block *k, int law, const nsc_real *y, nsc_real normal,
                                 nsc_real e[3])
{
    nsc_real limit = k->mu * normal, t;
    int i;
    e[0] = e[1] = e[2] = 0;
    if (k->kind < NSC_BLOCK_CONTACT || k->rows < 3 || normal <= 0 || law == NSC_LAW_CONE)
        return;
    if (k->kind == NSC_BLOCK_ROLLING && nsci_abs(y[0]) >= k->hi[0] * normal)
        e[0] = y[0] < 0 ? -k->hi[0] : k->hi[0];
    t = NSC_SQRT(y[1] * y[1] + y[2] * y[2]);
    for (i = 1; i < 3; i++) {
        if (law == NSC_LAW_PYRAMID && nsci_abs(y[i]) >= limit)
            e[i] = y[i] < 0 ? -k->mu : k->mu;
        if (law == NSC_LAW_COULOMB && t > limit)
            e[i] = k->mu * y[i] / t;
    }
}

/* COULOMB in the barrier: e = column 0 of the block's G; returns the change of the slack's normal
   part by the tangents of Nx. */
static nsc_real nsci_barrier_coupling(const nsci_newton *q, const nsc_block *b, const nsc_real *Nx,
                                      nsc_real e[3])
{
    const nsc_real *Q = q->factor.Q + 3 * b->row;
    const nsc_real *s = q->c + b->row;
    nsc_real t;
    int i, j;
    e[0] = e[1] = e[2] = 0;
    if (nsci_ip_kind(b) != NSCI_LORENTZ)
        return 0;
    t = NSC_SQRT(s[1] * s[1] + s[2] * s[2]);
    if (!(t > 0))
        return 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            e[i] += Q[3 * i + j] * Q[j];
    return b->mu * (s[1] * Nx[1] + s[2] * Nx[2]) / t;
}

/* g += (slope at the present y - G of the factor) x, of one block; normal bounds its friction. */
static void nsci_newton_add_change(const nsci_newton *q, const nsc_block *b, nsc_real normal,
                                   const nsc_real x[3], nsc_real *g)
{
    const nsc_real *Q = q->factor.Q + 3 * b->row;
    nsc_real G[6];
    int i, j;
    nsci_newton_slope(b, q->law, q->y + b->row, normal, G);
    for (i = 0; i < b->rows; i++) {
        for (j = 0; j < b->rows; j++) {
            nsc_real slope = G[nsci_lower(i > j ? i : j, i > j ? j : i)];
            g[i] += (slope * b->rho / q->eps - nsci_dot(Q + 3 * i, Q + 3 * j, 3)) * x[j];
        }
    }
}

/* out = x + (I + G N)^-1 (E + C) N x: E the unsymmetric part, C the change of the symmetric part
   since the factor was made.  Uses g. */
static void nsci_newton_operator(nsci_newton *q, const nsc_real *x, nsc_real *out)
{
    nsc_real e[3], Nx[3], normal_u = 0, normal_y = 0;
    const nsc_block *b;
    int i;
    nsci_product(q->p, x, q->g);
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        nsc_real *g = q->g + b->row;
        if (q->inside) {
            normal_u = nsci_barrier_coupling(q, b, g, e);
        } else {
            if (b->kind == NSC_BLOCK_CONTACT) {
                normal_u = b->rho * g[0] / q->eps;
                normal_y = q->y[b->row];
            }
            nsci_newton_coupling(b, q->law, q->y + b->row, normal_y, e);
        }
        for (i = 0; i < b->rows; i++) {
            Nx[i] = g[i];
            g[i] = e[i] * normal_u;
        }
        if (q->uses > 0)
            nsci_newton_add_change(q, b, nsci_max(normal_y, 0), Nx, g);
    }
    nsci_factor_solve(&q->factor, q->g, out);
    for (i = 0; i < q->p->row_count; i++)
        out[i] += x[i];
}

/* BiCGStab (van der Vorst 1992): d = A^-1 d with the operator A above, in at most so many steps.
   1: the square of the residual, relative to the first d, is at most `exact` */
static int nsci_newton_couple(nsci_newton *q, int most, nsc_real exact)
{
    nsc_real *d = q->d;
    nsc_real *rest = q->work[0];
    nsc_real *shadow = q->work[1];
    nsc_real *s = q->work[2];
    nsc_real *As = q->work[3];
    nsc_real *At = q->Nd;
    nsc_real rho, alpha = 1, omega = 1, last = 1, enough;
    int it, i, n = q->p->row_count;
    enough = exact * nsci_dot_long(d, d, n);
    nsci_newton_operator(q, d, rest);
    for (i = 0; i < n; i++) {
        rest[i] = d[i] - rest[i];
        shadow[i] = rest[i];
        s[i] = As[i] = 0;
    }
    for (it = 0; it < most && nsci_dot_long(rest, rest, n) > enough; it++) {
        rho = nsci_dot_long(shadow, rest, n);
        for (i = 0; i < n; i++)
            s[i] = rest[i] + rho / last * (alpha / omega) * (s[i] - omega * As[i]);
        nsci_newton_operator(q, s, As);
        alpha = rho / nsci_dot_long(shadow, As, n);
        for (i = 0; i < n; i++)
            rest[i] -= alpha * As[i];
        nsci_newton_operator(q, rest, At);
        omega = nsci_dot_long(At, At, n);
        omega = omega > 0 ? nsci_dot_long(At, rest, n) / omega : 0; /* 0: no residual left */
        for (i = 0; i < n; i++) {
            d[i] += alpha * s[i] + omega * rest[i];
            rest[i] -= omega * At[i];
        }
        last = rho;
    }
    return nsci_dot_long(rest, rest, n) <= enough;
}

/* Set G of a block; normal as in nsci_newton_slope. */
static void nsci_newton_set(nsci_newton *q, const nsc_block *b, nsc_real normal)
{
    nsc_real G[6];
    int i;
    nsci_newton_slope(b, q->law, q->y + b->row, normal, G);
    for (i = 0; i < 6; i++)
        G[i] *= b->rho / q->eps;
    nsci_factor_set(&q->factor, b, G);
}

/* Factorise for the present y, w and g.  0: a pivot is not positive */
static int nsci_newton_factor(nsci_newton *q)
{
    nsc_real normal = 0;
    const nsc_block *b;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        if (b->kind == NSC_BLOCK_CONTACT)
            normal = nsci_max(q->w[b->row] - q->g[b->row], 0);
        nsci_newton_set(q, b, normal);
    }
    q->run->factorizations++;
    return nsci_factor_run(&q->factor);
}

/* Solve for d with the factor of an earlier step.  0: it has served enough steps, or fits the
   present y too badly.  Not for CONE with rolling friction: the bound of that is the normal part of
   P(y), which BiCGStab overwrites. */
static int nsci_newton_again(nsci_newton *q)
{
    if (q->run->factorizations < NSCI_NW_FRESH || q->uses == 0 || q->uses >= NSCI_NW_USES)
        return 0;
    if (q->law == NSC_LAW_CONE && !q->convex)
        return 0;
    nsci_factor_solve(&q->factor, q->g, q->d);
    if (nsci_newton_couple(q, NSCI_NW_AGAIN_KRYLOV, NSCI_NW_AGAIN_EXACT) &&
        nsci_all_finite(q->d, q->p->row_count))
        return 1;
    nsci_newton_map(q, 0); /* BiCGStab overwrote g. */
    return 0;
}

/* Set d and N d.  0: a pivot is not positive, or d is not finite */
static int nsci_newton_direction(nsci_newton *q)
{
    int i;
    if (!nsci_newton_again(q)) {
        q->uses = 0;
        if (!nsci_newton_factor(q))
            return 0;
        nsci_factor_solve(&q->factor, q->g, q->d);
        if (q->law != NSC_LAW_CONE)
            nsci_newton_couple(q, NSCI_NW_KRYLOV, NSCI_NW_EXACT);
    }
    q->uses++;
    for (i = 0; i < q->p->row_count; i++)
        q->d[i] = -q->d[i];
    if (!nsci_all_finite(q->d, q->p->row_count))
        return 0;
    nsci_product(q->p, q->d, q->Nd);
    return 1;
}

/* Step length at which the slope along d is down to a tenth: bracketed by doubling, then
   bisected */
static nsc_real nsci_newton_exact_search(nsci_newton *q)
{
    nsc_real lo = 0, hi = 1, a = 1;
    nsc_real enough = NSC_R(0.1) * nsci_abs(nsci_newton_map(q, 0));
    nsc_real slope = nsci_newton_map(q, a);
    int t;
    for (t = 0; t < 6 && slope < -enough; t++) {
        lo = hi;
        a = hi = 2 * hi;
        slope = nsci_newton_map(q, a);
    }
    for (t = 0; t < 30 && nsci_abs(slope) > enough; t++) {
        a = NSC_R(0.5) * (lo + hi);
        slope = nsci_newton_map(q, a);
        if (slope < 0)
            lo = a;
        else
            hi = a;
    }
    return a;
}

/* Copy w into the blocks, and recompute u. */
static void nsci_newton_refresh(nsci_newton *q)
{
    nsci_set_lambda(q->p, q->w);
    nsci_get_velocities(q->p, q->u);
}

/* Project w + a d into the blocks and note its defects; sets done if the run is over.  0: the
   defects are not finite */
static int nsci_newton_offer(nsci_newton *q, nsc_real a)
{
    nsci_defects defects;
    nsc_block *b;
    int i;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        for (i = 0; i < b->rows; i++) {
            int n = b->row + i;
            b->lambda[i] = b->eff_mass[i] > 0 ? q->w[n] + a * q->d[n] : 0;
        }
        nsci_project_law(b, q->law, nsci_normal_of(b, b->lambda), b->lambda);
    }
    defects = nsci_residual(q->p, q->law);
    q->energy = defects.energy;
    if (!nsci_finite(defects.worst) || !nsci_finite(defects.energy))
        return 0;
    q->done = nsci_note(q->run, q->run->iterations, defects);
    return 1;
}

/* Step length: 1 if that gives a new best iterate, else the largest of 1, 1/2, 1/4 ... that reduces
   the imbalance; 0: none */
static nsc_real nsci_newton_halving_search(nsci_newton *q)
{
    nsc_real a = 1;
    nsc_real before = q->run->energy;
    int t;
    nsci_newton_offer(q, a);
    if (q->run->energy < before || q->done)
        return a;
    nsci_newton_map(q, 0);
    before = nsci_newton_imbalance(q);
    for (t = 0; t < NSCI_NW_HALVINGS; t++, a *= NSC_R(0.5)) {
        nsci_newton_map(q, a);
        if (nsci_newton_imbalance(q) <= (1 - NSC_R(1e-4) * a) * before)
            return a;
    }
    return 0;
}

/* Move the centre to the lambda in the blocks; with `begin` also w. */
static void nsci_newton_recentre(nsci_newton *q, int begin)
{
    nsci_get_lambda(q->p, q->c);
    if (begin) {
        nsci_get_lambda(q->p, q->w);
        /* d and Nd, which follows, may hold NaN */
        nsci_clear(q->d, 2 * sizeof(nsc_real) * (size_t)q->p->row_count);
    }
    nsci_newton_refresh(q);
}

static void nsci_newton_begin(nsci_newton *q, nsci_run *run)
{
    nsc_problem *p = q->p = run->problem;
    const nsc_block *b;
    int i, n = p->row_count;
    q->linear = 1;
    q->run = run;
    q->law = run->law;
    q->convex = run->law == NSC_LAW_CONE;
    q->done = 0;
    q->retreats = 0;
    q->uses = 0;
    q->c = p->arena;
    q->w = q->c + n;
    q->u = q->w + n;
    q->y = q->u + n;
    q->g = q->y + n;
    q->d = q->g + n;
    q->Nd = q->d + n;
    for (i = 0; i < 4; i++)
        q->work[i] = q->Nd + (i + 1) * n;
    q->inside = 0;
    q->energy = run->energy;
    nsci_factor_begin(&q->factor, p, q->work[3] + n);
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        q->convex &= b->kind != NSC_BLOCK_ROLLING;
        q->linear &= b->kind == NSC_BLOCK_EQUALITY;
    }
    q->least = NSCI_NW_LEAST;
    q->eps = q->linear ? q->least : NSCI_NW_EPS;
}

/* ---- The barrier: an interior point method before the Newton steps.  Every contact has a slack s,
   its linearised gap as a velocity.  The barrier -log(s_n^2 - mu^2 |s_t|^2) keeps impulse and slack
   strictly inside their cones; N w + r - s falls to 0 with the barrier.  Nesterov & Todd's scaling
   W, W lambda = W^-1 s, gives such a block G = W^-2 in the same factor, which serves two right
   sides: Mehrotra's predictor and corrector.  In coordinates (mu lambda_n, lambda_t) and (s_n/mu,
   s_t) both cones are the Lorentz cone.  Under COULOMB mu |s_t| is added to the slack's normal part
   (De Saxce).  Its derivative is unsymmetric: BiCGStab applies it to the factor's answer, as a
   lagged term would converge only linearly.  Joints, boxes and rolling friction are treated as
   above.  A few Newton steps finish the solution. */

/* The barrier ends at this energy ratio; not under COULOMB. */
#define NSCI_IP_DONE (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-3) : NSC_R(1e-6))
#define NSCI_IP_EPS (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-3) : NSC_R(1e-5))
/* Compliance of the Newton steps that follow a barrier above NSCI_IP_DONE: larger ones undo it. */
#define NSCI_IP_UNDONE NSC_R(1e-4)
#define NSCI_IP_STEPS 40
#define NSCI_IP_IDLE 5           /* steps without half the energy after which it gives up */
#define NSCI_IP_FRACTION NSC_R(0.99) /* share of the way to the boundary that a step goes */

typedef struct nsci_scaling {
    nsc_real beta, v[3]; /* W = beta (2 v v^T - diag(1, -1, -1)) */
} nsci_scaling;

/* x_0^2 - x_1^2 - x_2^2 */
static nsc_real nsci_lorentz(const nsc_real x[3])
{
    nsc_real t = NSC_SQRT(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

/* out = x with its normal part times s */
static void nsci_stretch(nsc_real s, const nsc_real *x, nsc_real out[3])
{
    out[0] = s * x[0];
    out[1] = x[1];
    out[2] = x[2];
}

static void nsci_scaling_make(nsci_scaling *w, const nsc_real z[3], const nsc_real s[3])
{
    nsc_real dz = NSC_SQRT(nsci_lorentz(z));
    nsc_real ds = NSC_SQRT(nsci_lorentz(s));
    nsc_real g;
    int i;
    g = 2 * NSC_SQRT(NSC_R(0.5) * (1 + nsci_dot(z, s, 3) / (dz * ds)));
    for (i = 0; i < 3; i++)
        w->v[i] = (s[i] / ds + (i ? -z[i] : z[i]) / dz) / g;
    w->beta = NSC_SQRT(ds / dz);
    g = NSC_SQRT(2 * (w->v[0] + 1));
    w->v[0] += 1;
    for (i = 0; i < 3; i++)
        w->v[i] /= g;
}

/* out = W x, or W^-1 x; out may be x */
static void nsci_scaling_times(const nsci_scaling *w, int inverse, const nsc_real *x, nsc_real *out)
{
    nsc_real side = inverse ? -1 : 1;
    nsc_real b = inverse ? 1 / w->beta : w->beta;
    nsc_real d = 2 * (w->v[0] * x[0] + side * (w->v[1] * x[1] + w->v[2] * x[2]));
    out[0] = b * (d * w->v[0] - x[0]);
    out[1] = b * (side * d * w->v[1] + x[1]);
    out[2] = b * (side * d * w->v[2] + x[2]);
}

/* Solve l o x = y for x; o is the Jordan product of the Lorentz cone */
static void nsci_lorentz_divide(const nsc_real l[3], const nsc_real y[3], nsc_real x[3])
{
    x[0] = (l[0] * y[0] - l[1] * y[1] - l[2] * y[2]) / nsci_lorentz(l);
    x[1] = (y[1] - x[0] * l[1]) / l[0];
    x[2] = (y[2] - x[0] * l[2]) / l[0];
}

/* The largest step along d that stays in the cone */
static nsc_real nsci_lorentz_step(const nsc_real x[3], const nsc_real d[3])
{
    nsc_real a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    nsc_real b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    nsc_real c = nsci_lorentz(x);
    nsc_real disc = b * b - a * c;
    nsc_real q;
    nsc_real t = d[0] < 0 ? -x[0] / d[0] : NSC_REAL_MAX;
    if (disc < 0)
        return t;
    q = b < 0 ? NSC_SQRT(disc) - b : -NSC_SQRT(disc) - b;
    if (q * a > 0 && q / a < t)
        t = q / a;
    if (q > 0 && c / q < t)
        t = c / q;
    return t;
}

typedef struct nsci_barrier {
    nsci_newton *q;
    nsc_real *s, *rest; /* (rows) slack; N w + r - s, both without mu |s_t| */
    nsc_real gap;       /* mean lambda's of the cones [J] */
    nsc_real aim;       /* target gap, as a share of gap; < 0: predictor */
    int cones;
} nsci_barrier;

/* Map a slack, or a change of it, to the Lorentz cone.  Under COULOMB m->s holds u_n as normal
   part, so mu |s_t| is added. */
static void nsci_barrier_dual(const nsci_barrier *m, const nsc_block *b, const nsc_real *x,
                              nsc_real out[3])
{
    const nsc_real *s = m->s + b->row;
    nsc_real t = NSC_SQRT(s[1] * s[1] + s[2] * s[2]);
    nsc_real along = s[1] * x[1] + s[2] * x[2];
    nsci_stretch(1 / b->mu, x, out);
    if (m->q->law == NSC_LAW_COULOMB && t > 0)
        out[0] += along / t;
}

/* Start inside both cones, at the size of r. */
static void nsci_barrier_begin(nsci_barrier *m, nsci_newton *q)
{
    nsc_real size = 0;
    const nsc_block *b;
    int i, n = q->p->row_count;
    m->q = q;
    m->s = q->c;
    m->rest = q->y;
    m->cones = 0;
    nsci_free_rows(q->p, q->u);
    for (i = 0; i < n; i++)
        size = nsci_max(size, nsci_abs(q->u[i]));
    if (!(size > 0))
        size = 1;
    nsci_clear(m->s, sizeof(nsc_real) * (size_t)n);
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        int kind = nsci_ip_kind(b);
        nsc_real mu = kind == NSCI_LORENTZ ? b->mu : 1;
        if (kind == NSCI_NO_CONE)
            continue;
        m->cones++;
        for (i = b->row; i < b->row + b->rows; i++)
            q->w[i] = 0;
        q->w[b->row] = b->rho * size / mu;
        m->s[b->row] = size * mu;
    }
}

/* Set G of every block, the mean gap, and N w + r - s. */
static void nsci_barrier_assemble(nsci_barrier *m)
{
    nsci_newton *q = m->q;
    nsc_real G[6], z[3], s[3], t;
    nsci_scaling w;
    const nsc_block *b;
    int i;
    m->gap = 0;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        int n = b->row;
        int kind = nsci_ip_kind(b);
        if (kind == NSCI_NO_CONE) {
            nsci_newton_set(q, b, nsci_max(q->w[b->kind == NSC_BLOCK_ROLLING ? b[-1].row : n], 0));
            continue;
        }
        for (i = n; i < n + b->rows; i++)
            m->rest[i] = q->u[i] - m->s[i];
        nsci_clear(G, sizeof G);
        if (kind == NSCI_LORENTZ) {
            nsci_stretch(b->mu, q->w + n, z);
            nsci_barrier_dual(m, b, m->s + n, s);
            m->gap += nsci_dot(z, s, 3);
            nsci_scaling_make(&w, z, s);
            t = 2 * w.v[0]; /* W^-2 = (2 z z^T - diag(1, -1, -1)) / beta^2 */
            z[0] = t * w.v[0] - 1;
            z[1] = -t * w.v[1];
            z[2] = -t * w.v[2];
            t = 1 / (w.beta * w.beta);
            G[0] = t * (2 * z[0] * z[0] - 1) / (b->mu * b->mu);
            G[1] = t * 2 * z[0] * z[1] / b->mu;
            G[3] = t * 2 * z[0] * z[2] / b->mu;
            G[2] = t * (2 * z[1] * z[1] + 1);
            G[4] = t * 2 * z[1] * z[2];
            G[5] = t * (2 * z[2] * z[2] + 1);
        } else {
            m->gap += q->w[n] * m->s[n];
            G[0] = q->w[n] / m->s[n];
        }
        nsci_factor_set(&q->factor, b, G);
    }
    m->gap /= (nsc_real)m->cones;
}

/* Right side of one Lorentz cone: G rest - W^-1 c, c = -W lambda + the corrector's terms */
static void nsci_barrier_lorentz(const nsci_barrier *m, const nsc_block *b, nsc_real *g)
{
    const nsci_newton *q = m->q;
    nsc_real z[3], s[3], l[3], x[3], y[3], c[3];
    nsc_real up = b->mu;
    nsc_real down = 1 / b->mu;
    nsci_scaling w;
    int i, n = b->row;
    nsci_stretch(up, q->w + n, z);
    nsci_barrier_dual(m, b, m->s + n, s);
    nsci_scaling_make(&w, z, s);
    nsci_scaling_times(&w, 0, z, l);
    for (i = 0; i < 3; i++)
        c[i] = -l[i];
    if (m->aim >= 0) {
        nsci_stretch(up, q->d + n, x);
        nsci_barrier_dual(m, b, q->Nd + n, y);
        nsci_scaling_times(&w, 0, x, x);
        nsci_scaling_times(&w, 1, y, y);
        z[0] = m->aim * m->gap - nsci_dot(x, y, 3);
        z[1] = -(x[0] * y[1] + y[0] * x[1]);
        z[2] = -(x[0] * y[2] + y[0] * x[2]);
        nsci_lorentz_divide(l, z, x);
        for (i = 0; i < 3; i++)
            c[i] += x[i];
    }
    nsci_barrier_dual(m, b, m->rest + n, x);
    nsci_scaling_times(&w, 1, x, x);
    for (i = 0; i < 3; i++)
        x[i] -= c[i];
    nsci_scaling_times(&w, 1, x, x);
    nsci_stretch(down, x, g);
}

/* Set d of predictor or corrector (see aim), and as Nd the change of the slack, N d + rest.  The
   corrector reads the predictor's. */
static void nsci_barrier_direction(nsci_barrier *m)
{
    nsci_newton *q = m->q;
    const nsc_block *b;
    int i, n = q->p->row_count;
    nsci_newton_map(q, 0);
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        int kind = nsci_ip_kind(b);
        int row = b->row;
        if (kind == NSCI_LORENTZ)
            nsci_barrier_lorentz(m, b, q->g + row);
        if (kind == NSCI_RAY) {
            nsc_real c = -m->s[row];
            if (m->aim >= 0)
                c += (m->aim * m->gap - q->d[row] * q->Nd[row]) / q->w[row];
            q->g[row] = q->w[row] / m->s[row] * (m->rest[row] - c);
            for (i = row + 1; i < row + b->rows; i++)
                q->g[i] = 0;
        }
    }
    nsci_factor_solve(&q->factor, q->g, q->d);
    if (q->law == NSC_LAW_COULOMB)
        nsci_newton_couple(q, NSCI_IP_KRYLOV, NSCI_IP_EXACT);
    for (i = 0; i < n; i++)
        q->d[i] = -q->d[i];
    nsci_product(q->p, q->d, q->Nd);
    for (i = 0; i < n; i++)
        q->Nd[i] += m->rest[i];
}

/* The largest step up to `most` that leaves impulse and slack in their cones */
static nsc_real nsci_barrier_reach(const nsci_barrier *m, nsc_real most)
{
    const nsci_newton *q = m->q;
    nsc_real x[3], d[3], a = most, t;
    const nsc_block *b;
    int dual;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        int kind = nsci_ip_kind(b);
        int n = b->row;
        for (dual = 0; kind != NSCI_NO_CONE && dual < 2; dual++) {
            const nsc_real *from = dual ? m->s + n : q->w + n;
            const nsc_real *along = (dual ? q->Nd : q->d) + n;
            if (kind == NSCI_LORENTZ && !(dual && q->law == NSC_LAW_COULOMB)) {
                t = dual ? 1 / b->mu : b->mu;
                nsci_stretch(t, from, x);
                nsci_stretch(t, along, d);
                t = nsci_lorentz_step(x, d);
            } else {
                t = along[0] < 0 ? -from[0] / along[0] : NSC_REAL_MAX;
            }
            if (t < a)
                a = t;
        }
    }
    return a;
}

/* Mean gap after a step a */
static nsc_real nsci_barrier_gap(const nsci_barrier *m, nsc_real a)
{
    const nsci_newton *q = m->q;
    nsc_real sum = 0, s[3];
    const nsc_block *b;
    int i;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        if (nsci_ip_kind(b) == NSCI_NO_CONE)
            continue;
        for (i = b->row; i < b->row + b->rows; i++)
            sum += (q->w[i] + a * q->d[i]) *
                   (s[i - b->row] = m->s[i] + a * q->Nd[i]);
        if (q->law == NSC_LAW_COULOMB && b->rows == 3)
            sum += b->mu * (q->w[b->row] + a * q->d[b->row]) * NSC_SQRT(s[1] * s[1] + s[2] * s[2]);
    }
    return sum / (nsc_real)m->cones;
}

/* One predictor and corrector with one factor.  0: a pivot is not positive, or the step is tiny or
   not finite */
static int nsci_barrier_step(nsci_barrier *m)
{
    nsci_newton *q = m->q;
    nsc_real a;
    const nsc_block *b;
    int i;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        for (i = b->row; nsci_ip_kind(b) == NSCI_NO_CONE && i < b->row + b->rows; i++)
            q->c[i] = q->w[i];
    }
    nsci_newton_refresh(q);
    nsci_newton_map(q, 0);
    nsci_barrier_assemble(m);
    q->run->factorizations++;
    if (!nsci_factor_run(&q->factor))
        return 0;
    m->aim = -1;
    nsci_barrier_direction(m);
    a = nsci_barrier_gap(m, nsci_barrier_reach(m, 1)) / m->gap;
    m->aim = nsci_clamp(a * a * a, 0, 1);
    nsci_barrier_direction(m);
    a = NSCI_IP_FRACTION * nsci_barrier_reach(m, 1 / NSCI_IP_FRACTION);
    if (!(a > NSC_R(1e-4)) || !nsci_all_finite(q->d, q->p->row_count))
        return 0;
    for (i = 0; i < q->p->row_count; i++) {
        q->w[i] += a * q->d[i];
        m->s[i] += a * q->Nd[i];
    }
    return 1;
}

/* Leaves the last iterate in the blocks, or the best if that is not finite. */
static void nsci_barrier_steps(nsci_newton *q)
{
    nsci_barrier m;
    nsci_run *run = q->run;
    nsc_real done = 0, least = NSC_REAL_MAX;
    const nsc_block *b;
    int it, idle = 0, sound = 1;
    nsci_barrier_begin(&m, q);
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        done += NSCI_IP_DONE * NSCI_IP_DONE * b->rho *
                nsci_dot(q->u + b->row, q->u + b->row, b->rows);
    }
    q->eps = NSCI_IP_EPS;
    q->inside = 1;
    q->uses = 0;
    for (it = 0; sound && m.cones > 0 && it < NSCI_IP_STEPS && idle < NSCI_IP_IDLE; it++) {
        if (run->iterations >= run->settings->max_iterations || !nsci_may_factorize(run))
            break;
        run->iterations++;
        if (!nsci_barrier_step(&m))
            break;
        sound = nsci_newton_offer(q, 0);
        if (q->done || (q->law != NSC_LAW_COULOMB && q->energy <= done))
            break;
        idle++;
        if (q->energy < NSC_R(0.5) * least) {
            least = q->energy;
            idle = 0;
        }
    }
    if (!q->convex && q->energy > done)
        q->eps = NSCI_IP_UNDONE;
    q->least = NSCI_NW_LEAST;
    q->inside = 0;
    if (!sound)
        nsci_restore_best(q->p);
}

/* Sweep from the lambda in the blocks until the defects met are at most `enough` [m/s] or the
   caller stops it. */
static void nsci_newton_sweep(nsci_newton *q, int most, nsc_real enough)
{
    nsci_run *run = q->run;
    nsc_real change = NSC_REAL_MAX;
    int i;
    for (i = 0; i < most && !run->stopped && (i < NSCI_NW_WARM_LEAST || change > enough); i++) {
        change = nsci_sipgs_sweep(q->p, run->settings, 0);
        nsci_asked_to_stop(run);
    }
    if (!run->stopped)
        return;
    q->done = 1;
    run->status = NSC_STOPPED;
    nsci_note(run, run->iterations, nsci_residual(q->p, q->law));
}

/* Stuck at this eps: return to the last centre and raise eps; at NSCI_NW_RESCUE run the barrier.
   Mostly sweep from that centre, but not each time: sweeps may lead to the same place for ever. */
static void nsci_newton_retreat(nsci_newton *q)
{
    unsigned most = (unsigned)q->run->settings->max_factorizations;
    unsigned made = q->run->factorizations;
    unsigned left = made < most ? most - made : 0;
    if (left > NSCI_NW_DEAR)
        left = NSCI_NW_DEAR;
    if (++q->retreats == NSCI_NW_RESCUE(q->law) && left == NSCI_NW_DEAR) {
        nsci_barrier_steps(q);
        if (!q->done)
            nsci_newton_recentre(q, 1);
        return;
    }
    nsci_set_lambda(q->p, q->c);
    if (q->retreats % NSCI_NW_WITHOUT != 0)
        nsci_newton_sweep(q, (int)left * NSCI_NW_SWEEPS / NSCI_NW_DEAR, 0);
    nsci_newton_recentre(q, 1);
    q->least = 2 * q->eps;
    q->eps *= 4;
    if (q->eps > 1)
        q->eps = q->least = NSCI_NW_EPS;
}

/* Has the residual stopped falling at a size that rounding of the impulses explains?  Joints alone
   take one step a centre: what remains comes from contradicting rows. */
static int nsci_newton_at_rounding(const nsci_newton *q)
{
    nsc_real most = 0;
    const nsc_block *b;
    int i;
    int idle = q->run->iterations - q->run->mark_iteration;
    if (q->linear && idle >= 2 * NSCI_NW_IDLE)
        return 1;
    if (idle < NSCI_NW_IDLE)
        return 0;
    for (b = q->p->blocks; b < nsci_blocks_end(q->p); b++) {
        for (i = 0; i < b->rows; i++)
            most = nsci_max(most, nsci_abs(b->best[i]) * b->delassus[nsci_packed(i, i)]);
    }
    return q->run->best <= 2 * NSC_REAL_EPS * most;
}

/* Joints alone: repeat the step with the same factor while that reduces the residual.  If it stays
   above the tolerance, this eps leaves the factor too few digits: the Newton steps go on with a
   larger one. */
static void nsci_newton_linear(nsci_newton *q)
{
    nsci_run *run = q->run;
    nsc_real before = NSC_REAL_MAX;
    int i;
    int stuck = nsci_newton_factor(q) ? 0 : 2;
    while (stuck < 2 && run->iterations < run->settings->max_iterations) {
        run->iterations++;
        nsci_newton_map(q, 0);
        nsci_factor_solve(&q->factor, q->g, q->d);
        for (i = 0; i < q->p->row_count; i++) {
            q->w[i] -= q->d[i];
            q->d[i] = 0;
        }
        if (!nsci_newton_offer(q, 0))
            break;
        if (q->done)
            return;
        stuck = run->best <= NSC_R(0.5) * before ? 0 : stuck + 1;
        before = run->best;
        nsci_newton_recentre(q, 0);
    }
    q->eps = NSCI_NW_EPS;
    nsci_restore_best(q->p);
    nsci_apply_lambda(q->p);
}

/* Newton steps from the present w.  inner counts steps around one centre.  A centre that is not
   finite ends the run: the best iterate remains. */
static void nsci_newton_steps(nsci_newton *q)
{
    nsci_run *run = q->run;
    int i, inner = 0, sound;
    for (;;) {
        nsc_real a = 0;
        sound = nsci_newton_offer(q, a);
        if (!q->done && (inner > 0 ? nsci_newton_at_rounding(q) : !sound)) {
            q->done = 1;
            run->status = NSC_STALLED;
        }
        if (q->done || run->iterations >= run->settings->max_iterations || !nsci_may_factorize(run))
            return;
        nsci_newton_map(q, a);
        if (sound && inner > 0 && nsci_newton_settled(q)) {
            nsci_newton_recentre(q, 0);
            q->eps = nsci_max(NSC_R(0.1) * q->eps, q->least);
            q->least *= inner <= 2 && q->least < NSCI_NW_SMALL ? NSCI_NW_QUICKLY : NSCI_NW_SLOWLY;
            q->least = nsci_max(q->least, NSCI_NW_LEAST);
            inner = 0;
            continue;
        }
        run->iterations++;
        if (sound && inner < NSCI_NW_INNER) {
            inner++;
            if (nsci_newton_direction(q))
                a = q->convex ? nsci_newton_exact_search(q) : nsci_newton_halving_search(q);
        }
        if (q->done)
            return;
        for (i = 0; i < q->p->row_count && a > 0; i++) {
            q->w[i] += a * q->d[i];
            q->u[i] += a * q->Nd[i];
        }
        if (a > 0)
            continue;
        nsci_newton_retreat(q);
        inner = 0;
    }
}

/* ---- The driver ---- */

#define NSCI_NEWTON_FITS(p) nsci_factor_fits(p, NSCI_NW_VECTORS)

NSC_API int nsc_solve_newton(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_newton q;
    int room = !nsci_is_prepared(p) || NSCI_NEWTON_FITS(p);
    int code = nsci_begin_in(&run, NSC_SOLVER_NEWTON, room, p, s, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    nsci_newton_begin(&q, &run);
    nsci_newton_recentre(&q, 1);
    if (s->barrier && !q.linear)
        nsci_barrier_steps(&q);
    if (q.linear)
        nsci_newton_linear(&q);
    if (!s->barrier && !q.done)
        nsci_newton_sweep(&q, NSCI_NW_WARM_SWEEPS, NSCI_NW_WARM * s->tolerance);
    nsci_newton_recentre(&q, 1);
    if (!q.done)
        nsci_newton_steps(&q);
    return nsci_finish(&run, report);
}

#define NSCI_SOLVE_NEWTON nsc_solve_newton
#else
#define NSCI_NEWTON_FITS(p) 0
#define NSCI_SOLVE_NEWTON(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_NEWTON */

/* ---- >>admm ----------------------------------------------------------------------------------
   Operator splitting (Boyd et al. 2011; Tasora's ADMM in Chrono), with the penalty beta/rho a
   block, so that cones keep their shape and masses do not matter:

       (N + beta/rho) x = -r + beta/rho (z - y),    z = P(x + y),    y = y + x - z

   x ignores the bounds and uses the factor of >>factor with G = rho/beta; z obeys them and is the
   answer.  x is over-relaxed by 1.6.  beta follows the ratio of the two residuals, |x - z| and
   beta |change of z|; it is renewed, with the factor, when off by half.  COULOMB: P projects onto
   the disc that the normal part allows; its fixed point is Coulomb's law. */
#ifndef NSC_NO_ADMM

#define NSCI_ADMM_VECTORS 6
#define NSCI_ADMM_FITS(p) nsci_factor_fits(p, NSCI_ADMM_VECTORS)
/* Sweeps of SIPGS before the first iteration: a run cut short then does not gain energy. */
#define NSCI_ADMM_SWEEPS 10
#define NSCI_ADMM_RELAX NSC_R(1.6)
#define NSCI_ADMM_ADAPT 5          /* iterations between checks of beta */
#define NSCI_ADMM_FACTOR NSC_R(1.5) /* beta is renewed when off by more */
#define NSCI_ADMM_CHANGE NSC_R(2500.0) /* square of the largest factor on beta at once */
#define NSCI_ADMM_LEAST (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-3) : NSC_R(1e-6))
#define NSCI_ADMM_MOST NSC_R(1e3)

typedef struct nsci_admm {
    nsc_problem *p;
    nsci_run *run;
    nsci_factor factor;
    nsc_real *r, *x, *z, *y, *g, *last; /* (rows); last: previous z */
    nsc_real beta;
} nsci_admm;

/* Factorise for the present beta.  0: a pivot is not positive */
static int nsci_admm_factor(nsci_admm *a)
{
    const nsc_block *b;
    nsc_real G[6] = {0};
    for (b = a->p->blocks; b < nsci_blocks_end(a->p); b++) {
        G[0] = G[2] = G[5] = b->rho / a->beta;
        nsci_factor_set(&a->factor, b, G);
    }
    a->run->factorizations++;
    return nsci_factor_run(&a->factor);
}

/* Start z at the lambda in the blocks, y at the -rho u / beta of its velocity. */
static void nsci_admm_begin(nsci_admm *a, nsci_run *run)
{
    nsc_problem *p = a->p = run->problem;
    nsc_real u[3];
    const nsc_block *b;
    int i, n = p->row_count;
    a->run = run;
    a->beta = 1;
    a->r = p->arena;
    a->x = a->r + n;
    a->z = a->x + n;
    a->y = a->z + n;
    a->g = a->y + n;
    a->last = a->g + n;
    nsci_factor_begin(&a->factor, p, a->last + n);
    nsci_free_rows(p, a->r);
    for (b = p->blocks; b < nsci_blocks_end(p); b++) {
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        for (i = 0; i < b->rows; i++) {
            a->z[b->row + i] = b->lambda[i];
            a->y[b->row + i] = -b->rho / a->beta * u[i];
        }
    }
}

/* x = z + d, (I + G N) d = -y - G u, with the velocities u of z */
static void nsci_admm_x(nsci_admm *a)
{
    const nsc_block *b;
    int i;
    nsci_get_velocities(a->p, a->g);
    for (b = a->p->blocks; b < nsci_blocks_end(a->p); b++) {
        for (i = b->row; i < b->row + b->rows; i++)
            a->g[i] = -a->y[i] - b->rho / a->beta * a->g[i];
    }
    nsci_factor_solve(&a->factor, a->g, a->x);
    for (i = 0; i < a->p->row_count; i++)
        a->x[i] += a->z[i];
}

static void nsci_admm_z(nsci_admm *a)
{
    nsc_real normal = 0;
    nsc_block *b;
    int i;
    for (i = 0; i < a->p->row_count; i++) {
        a->last[i] = a->z[i];
        a->x[i] = NSCI_ADMM_RELAX * a->x[i] + (1 - NSCI_ADMM_RELAX) * a->z[i];
        a->z[i] = a->x[i] + a->y[i];
    }
    for (b = a->p->blocks; b < nsci_blocks_end(a->p); b++) {
        nsc_real *z = a->z + b->row;
        for (i = 0; i < b->rows; i++)
            z[i] = b->eff_mass[i] > 0 ? z[i] : 0;
        nsci_project_law(b, a->run->law, b->kind == NSC_BLOCK_ROLLING ? normal : z[0], z);
        if (b->kind == NSC_BLOCK_CONTACT)
            normal = z[0];
        for (i = 0; i < b->rows; i++)
            b->lambda[i] = z[i];
    }
    for (i = 0; i < a->p->row_count; i++)
        a->y[i] += a->x[i] - a->z[i];
}

/* Factor for beta: the square root of the ratio of the residuals, relative to |z| and |r| */
static nsc_real nsci_admm_balance(const nsci_admm *a)
{
    nsc_real apart = 0, moved = 0, impulse = 0, speed = 0;
    const nsc_block *b;
    int i;
    for (b = a->p->blocks; b < nsci_blocks_end(a->p); b++) {
        nsc_real t = b->rho > 0 ? 1 / b->rho : 0;
        for (i = b->row; i < b->row + b->rows; i++) {
            apart += t * (a->x[i] - a->z[i]) * (a->x[i] - a->z[i]);
            moved += t * (a->z[i] - a->last[i]) * (a->z[i] - a->last[i]);
            impulse += t * a->z[i] * a->z[i];
            speed += b->rho * a->r[i] * a->r[i];
        }
    }
    apart = NSC_SQRT(apart) * NSC_SQRT(speed);
    moved = a->beta * NSC_SQRT(moved) * NSC_SQRT(impulse);
    if (!(apart > 0) && !(moved > 0))
        return 1;
    return NSC_SQRT(nsci_clamp(apart / nsci_max(moved, apart / NSCI_ADMM_CHANGE),
                               1 / NSCI_ADMM_CHANGE, NSCI_ADMM_CHANGE));
}

/* Renew beta if off by NSCI_ADMM_FACTOR; y, an impulse, is rescaled to keep its velocity.  0: a
   pivot is not positive */
static int nsci_admm_adapt(nsci_admm *a)
{
    nsc_real beta = nsci_clamp(a->beta * nsci_admm_balance(a), NSCI_ADMM_LEAST, NSCI_ADMM_MOST);
    nsc_real share = a->beta / beta;
    int i;
    if (share < NSCI_ADMM_FACTOR && share * NSCI_ADMM_FACTOR > 1)
        return 1;
    a->beta = beta;
    for (i = 0; i < a->p->row_count; i++)
        a->y[i] *= share;
    return nsci_admm_factor(a);
}

NSC_API int nsc_solve_admm(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_admm a;
    nsci_defects swept;
    int i, ok;
    int room = !nsci_is_prepared(p) || NSCI_ADMM_FITS(p);
    int code = nsci_begin_in(&run, NSC_SOLVER_ADMM, room, p, s, NSC_LAW_PYRAMID);
    if (code < 0)
        return nsci_refuse(report, code);
    if (p->row_count == 0)
        return nsci_finish(&run, report);
    for (i = 0; i < NSCI_ADMM_SWEEPS && !run.stopped; i++) {
        nsci_sipgs_sweep(p, s, 0);
        nsci_asked_to_stop(&run);
    }
    swept = nsci_residual(p, s->law);
    if (run.stopped) {
        run.iterations = i;
        nsci_note(&run, i, swept);
        return nsci_finish(&run, report);
    }
    nsci_admm_begin(&a, &run);
    ok = nsci_admm_factor(&a);
    while (ok && run.iterations < s->max_iterations) {
        run.iterations++;
        nsci_admm_x(&a);
        nsci_admm_z(&a);
        if (nsci_note(&run, run.iterations, nsci_residual(p, s->law)))
            break;
        if (run.iterations % NSCI_ADMM_ADAPT == 0 && nsci_may_factorize(&run))
            ok = nsci_admm_adapt(&a);
    }
    if (!ok)
        run.status = NSC_SINGULAR;
    return nsci_finish(&run, report);
}

#define NSCI_SOLVE_ADMM nsc_solve_admm
#else
#define NSCI_ADMM_FITS(p) 0
#define NSCI_SOLVE_ADMM(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_ADMM */

/* ---- >>solve --------------------------------------------------------------------------------- */

/* Any solver but AUTO */
static int nsci_solve_by(int solver, nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    switch (solver) {
    case NSC_SOLVER_SIPGS: return nsc_solve_sipgs(p, s, report);
    case NSC_SOLVER_APGD: return NSCI_SOLVE_APGD(p, s, report);
    case NSC_SOLVER_BB: return NSCI_SOLVE_BB(p, s, report);
    case NSC_SOLVER_MINRES: return NSCI_SOLVE_MINRES(p, s, report);
    case NSC_SOLVER_DANTZIG: return NSCI_SOLVE_DANTZIG(p, s, report);
    case NSC_SOLVER_ADMM: return NSCI_SOLVE_ADMM(p, s, report);
    case NSC_SOLVER_NEWTON: return NSCI_SOLVE_NEWTON(p, s, report);
    default: return nsci_refuse(report, NSC_ERR_ARGUMENT);
    }
}

/* ---- >>auto ----------------------------------------------------------------------------------
   Gauss-Seidel is cheap and solves most problems.  Where it is slow - heavy bodies on light ones,
   long chains - a factor is worth its cost.  AUTO sweeps in legs of ten, each from the best iterate
   of the last.  The gain of a leg predicts the sweeps still needed.  If these exceed max_iterations
   or cost more than the reserve, the reserve takes over: the first of NEWTON, ADMM, BB, APGD that
   is compiled in, supports the law and fits the arena.  Before that, joints alone go to NEWTON, or
   to MINRES where a factor is expensive, and a few rows under PYRAMID to DANTZIG.
   Worst case: MINRES or DANTZIG, then max_iterations sweeps and as many iterations of the reserve,
   which makes no more than max_factorizations. */
#ifndef NSC_NO_AUTO

/* Costs in sweeps of SIPGS: instructions counted on Cortex-M4F (make count), times the iterations
   that the published problems take */
#define NSCI_AUTO_LEG 10
#define NSCI_AUTO_NEWTON 300          /* 15 steps without their factors: 20 sweeps each */
#define NSCI_AUTO_NEWTON_FACTORS 15
#define NSCI_AUTO_ADMM 240            /* 60 iterations: 4 sweeps each */
#define NSCI_AUTO_ADMM_FACTORS 6
#define NSCI_AUTO_GRADIENT 900        /* 300 iterations: 3 sweeps each */
#define NSCI_AUTO_SWEEP 150  /* multiplications a block, to convert a factor's */
#define NSCI_AUTO_LINEAR 50  /* sweeps; joints alone go to MINRES if a factor costs more */
#define NSCI_AUTO_TINY 24             /* rows; up to here pivoting is faster than sweeping */

/* Multiplications of one factor: n^3/6 of a dense one; with bodies n w^2/2, w the widest span of a
   block */
static nsc_real nsci_auto_factor(const nsc_problem *p)
{
    nsc_real n = (nsc_real)(p->delassus ? p->row_count : 6 * p->body_count);
    nsc_real reach = n;
    int k, widest = 1;
    for (k = 0; !p->delassus && k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        int width = b->a < b->b ? b->b - b->a + 1 : b->a - b->b + 1;
        if (b->a > 0 && b->b > 0 && width > widest)
            widest = width;
    }
    if (!p->delassus)
        reach = (nsc_real)(6 * widest);
    return n * reach * reach / (p->delassus ? 6 : 2);
}

/* The reserve solver, 0: none; sets its cost in sweeps. */
static int nsci_auto_reserve(const nsc_problem *p, const nsc_settings *s, nsc_real *price)
{
    nsc_real factor = nsci_auto_factor(p) / (NSCI_AUTO_SWEEP * (nsc_real)p->block_count);
    *price = NSCI_AUTO_NEWTON + NSCI_AUTO_NEWTON_FACTORS * factor;
    if (NSCI_NEWTON_FITS(p))
        return NSC_SOLVER_NEWTON;
    *price = NSCI_AUTO_ADMM + NSCI_AUTO_ADMM_FACTORS * factor;
    if (NSCI_ADMM_FITS(p))
        return NSC_SOLVER_ADMM;
    *price = NSCI_AUTO_GRADIENT;
    if (s->law == NSC_LAW_PYRAMID)
        return 0;
    return NSCI_BB_FITS(p) ? NSC_SOLVER_BB : NSCI_APGD_FITS(p) ? NSC_SOLVER_APGD : 0;
}

/* The solver to try first in a special case; 0: none */
static int nsci_auto_special(const nsc_problem *p, const nsc_settings *s)
{
    int k, joints = p->row_count > 0;
    for (k = 0; k < p->block_count; k++)
        joints &= p->blocks[k].kind == NSC_BLOCK_EQUALITY;
    if (joints && NSCI_NEWTON_FITS(p) &&
        nsci_auto_factor(p) < NSCI_AUTO_LINEAR * NSCI_AUTO_SWEEP * (nsc_real)p->block_count)
        return NSC_SOLVER_NEWTON;
    if (joints && NSCI_MINRES_FITS(p))
        return NSC_SOLVER_MINRES;
    if (s->law == NSC_LAW_PYRAMID && p->row_count <= NSCI_AUTO_TINY && NSCI_DANTZIG_FITS(p))
        return NSC_SOLVER_DANTZIG;
    return 0;
}

/* Sweeps still needed at the rate of the last leg, at most `most` */
static int nsci_auto_sweeps_left(nsc_real before, nsc_real now, nsc_real tolerance, int most)
{
    nsc_real rate = now / before;
    int sweeps = 0;
    if (!(rate < 1))
        return most;
    for (; sweeps < most && now > tolerance; sweeps += NSCI_AUTO_LEG)
        now *= rate;
    return sweeps < most ? sweeps : most;
}

NSC_API int nsc_solve_auto(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsc_settings leg;
    nsc_report own;
    nsc_real price = 0, before = 0;
    int reserve;
    int left = s ? s->max_iterations : 0;
    int code = NSC_ITERATION_LIMIT;
    if (!report)
        report = &own;
    if (!nsci_is_prepared(p) || !s || nsci_bad_setting(s))
        return nsci_refuse(report, NSC_ERR_ARGUMENT);
    leg = *s;
    leg.solver = nsci_auto_special(p, s);
    if (leg.solver > 0) {
        code = nsci_solve_by(leg.solver, p, &leg, report);
        if (code == NSC_OK || code == NSC_STOPPED || code < 0 || leg.solver == NSC_SOLVER_NEWTON)
            return code;
        leg.warm_start = 1;
    }
    leg.solver = NSC_SOLVER_SIPGS;
    leg.stall_window = 0;
    reserve = nsci_auto_reserve(p, s, &price);
    while (left > 0) {
        leg.max_iterations = left < NSCI_AUTO_LEG ? left : NSCI_AUTO_LEG;
        code = nsc_solve_sipgs(p, &leg, report);
        /* Count the sweeps of all legs. */
        report->iterations =
            (int)(((unsigned)report->iterations + (unsigned)(s->max_iterations - left)) &
                  (unsigned)-1 >> 1);
        if (code != NSC_ITERATION_LIMIT)
            return code;
        left = left > NSCI_AUTO_LEG ? left - NSCI_AUTO_LEG : 0;
        leg.warm_start = 1;
        if (reserve > 0 && before > 0) {
            int more = nsci_auto_sweeps_left(before, report->residual, s->tolerance, left);
            if (more >= left || (nsc_real)more > price)
                break;
        }
        before = report->residual;
    }
    if (reserve == 0)
        return code;
    leg = *s;
    leg.solver = reserve;
    leg.warm_start = 1;
    return nsci_solve_by(reserve, p, &leg, report);
}

#define NSCI_SOLVE_AUTO nsc_solve_auto
#else
#define NSCI_SOLVE_AUTO(p, s, r) nsci_refuse(r, NSC_ERR_ARGUMENT)
#endif /* NSC_NO_AUTO */

NSC_API int nsc_solve(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    if (s && s->solver == NSC_SOLVER_AUTO)
        return NSCI_SOLVE_AUTO(p, s, report);
    return nsci_solve_by(s ? s->solver : 0, p, s, report);
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
    nsc_real c = one + 2 * e;
    nsc_real b = huge;
    if (nsci_abs((b + one) - b) > 0)
        return NSC_CHECK_REASSOCIATION;
    b = wide;
    if (nsci_abs((b + one) - b) > 0)
        return NSC_CHECK_EXCESS;
    if (nsci_abs(a * a - c) > 0)
        return NSC_CHECK_CONTRACTION;
    return 0;
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
    nsc_real one = unit, eps = NSC_REAL_EPS, worst;
    sum = one + NSC_R(0.75) * eps;
    worst = nsci_abs(sum - (1 + eps));
    sum = -one - NSC_R(0.75) * eps;
    worst = nsci_max(worst, nsci_abs(sum - (-1 - eps)));
    sum = one + NSC_R(0.25) * eps;
    worst = nsci_max(worst, nsci_abs(sum - 1));
    if (NSCI_IS_DOUBLE) {
        /* An operand 33 bits below 1: __aeabi_dsub of libgcc for Thumb-2 is off by one here */
        sum = NSC_R(1.348221817281072e-10);
        sum = one - sum;
        worst = nsci_max(worst, nsci_abs(sum - (1 - NSC_R(1.348221817281072e-10))));
    }
    return worst > 0 ? (unsigned)NSC_CHECK_ROUNDING : 0;
}

/* Division and square root against the compiler's constants */
static unsigned nsci_check_division(void)
{
    volatile nsc_real v2 = 2, v3 = 3, v5 = 5, v7 = 7, v10 = 10;
    nsc_real three = v3, seven = v7, worst;
    worst = nsci_max(nsci_abs(v5 / three - NSC_R(5.0) / 3),
                     nsci_abs(seven / three - NSC_R(7.0) / 3));
    worst = nsci_max(worst, nsci_abs(v10 / three - NSC_R(10.0) / 3));
    worst = nsci_max(worst, nsci_abs(v5 / seven - NSC_R(5.0) / 7));
    worst = nsci_max(worst, nsci_abs(v10 / seven - NSC_R(10.0) / 7));
    if (worst > 0)
        return NSC_CHECK_RECIPROCAL;
    worst = nsci_abs(NSC_SQRT(v2) - NSC_R(1.41421356237309504880));
    worst = nsci_max(worst, nsci_abs(NSC_SQRT(three) - NSC_R(1.73205080756887729353)));
    worst = nsci_max(worst, nsci_abs(NSC_SQRT(seven) - NSC_R(2.64575131106459059050)));
    if (worst > 0)
        return NSC_CHECK_SQRT;
    return 0;
}

NSC_API const char *nsc_selfcheck_text(unsigned detail)
{
    if (!NSCI_TEXTS)
        return "";
    if (detail & NSC_CHECK_CONTRACTION)
        return "a*b+c is contracted";
    if (detail & NSC_CHECK_EXCESS)
        return "intermediates are wider than their type";
    if (detail & NSC_CHECK_REASSOCIATION)
        return "sums are reordered";
    if (detail & NSC_CHECK_RECIPROCAL)
        return "division by multiplication";
    if (detail & NSC_CHECK_FLUSH_RESULT)
        return "subnormal results become zero";
    if (detail & NSC_CHECK_FLUSH_OPERAND)
        return "subnormal operands count as zero";
    if (detail & NSC_CHECK_ROUNDING)
        return "sums are not rounded to nearest";
    if (detail & NSC_CHECK_SQRT)
        return "square root is not correctly rounded";
    if (detail & NSC_CHECK_SCENE)
        return "a scene ends in other bits";
    return "ok";
}

NSC_API int nsc_selfcheck(unsigned *detail)
{
    unsigned found = nsci_check_rounding();
    int code;
    if (!found)
        found = nsci_check_sums();
    if (!found)
        found = nsci_check_division();
    code = found ? NSC_ERR_ARITHMETIC : NSC_OK;
    found |= nsci_check_subnormals();
    if (detail)
        *detail = found;
    return code == NSC_OK && found ? NSC_FLUSHES : code;
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
