/* nsc_solvers.h - v0.1.0 - frictional contact problems, solved in fixed memory
   MIT licence at the end of the file.  Part of nsc; stands alone, knows no world.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_solvers.h"            (nsc.h includes it for you)
   Everywhere else include it without the define.  Build with -ffp-contract=off (see BITS).

   WHAT IT SOLVES
   Bodies have six velocities: linear then angular, of the centre of mass, in the world frame.
   v_f is what they would be after this time step h without any constraint.  Contacts and joints
   are *blocks* of up to three rows between two bodies.  With all rows stacked,

       N = J M^-1 J^T + diag(cfm)     Delassus operator            [1/kg]
       r = J v_f + bias               free row velocity            [m/s]
       u = N lambda + r               row velocity after the step  [m/s]
       v = v_f + M^-1 J^T lambda      body velocity after the step

   and the unknown impulse lambda [N s] obeys one condition a block:

       EQUALITY   u = 0
       BOX        lo <= lambda <= hi;  u >= 0 at lo, u <= 0 at hi, u = 0 between
       CONTACT    row 0 normal, rows 1-2 tangent, friction coefficient mu; by the chosen law:
         COULOMB  K* contains u + mu |u_t| e_n, perpendicular to lambda in K    (exact; NCP)
         CONE     K* contains u,                perpendicular to lambda in K    (convex; CCP)
         BOX      row by row with bounds [0, inf) and +-mu lambda_n             (as ODE)
       where K = { |lambda_t| <= mu lambda_n }.
       ROLLING    row 0 turning about the normal, rows 1-2 about the tangents, of the CONTACT block
                  right before it: |lambda_0| <= hi[0] lambda_n, |lambda_1,2| <= mu lambda_n

   CONE is the convex relaxation Chrono solves: while sliding it also separates, u_n = mu |u_t|.
   COULOMB is Coulomb's law.  BOX is up to sqrt(2) too strong across the diagonal.

   SIGNS  The normal points from a to b.  u_n > 0 separates.  lambda_n >= 0 pushes apart.  lambda is
   an impulse: force = lambda / h.  A joint row with angular columns has u in rad/s, lambda in N m s.

   WHICH SOLVER
       SIPGS    Sequential impulses, projected Gauss-Seidel.  All three laws.  No scratch.  The
                default: good after ten sweeps, slow to the last digit, weak at mass ratios > 100.
       APGD     Accelerated projected gradient.  CONE and COULOMB.  Scratch: NSC_ARENA_APGD(rows).
                Better at large mass ratios and many contacts, once 50 or more iterations pay.
       BB       Spectral projected gradient with conjugate directions.  CONE and COULOMB.  Scratch:
                NSC_ARENA_BB(rows).  As APGD, and mostly the quicker of the two.
       DANTZIG  Pivoting on the dense matrix.  BOX.  Scratch: NSC_ARENA_DANTZIG(rows).
                Exact to rounding, cost ~ rows^3; for small systems and hard mass ratios.

   One number judges and stops them all: the natural map of each block, in m/s, recomputed from
   lambda.  A fair comparison is one call with another settings.solver.

   EXAMPLE  (tested: examples/06_own_contacts.c is the long form)
       nsc_problem p = ...;                            bodies, blocks, velocities: your arrays
       nsc_settings s = nsc_default_settings();
       nsc_report r;
       if (nsc_problem_prepare(&p) < 0) ...            checks it, fills effective masses
       if (nsc_solve(&p, &s, &r) < 0) ...              writes lambda into the blocks, v into p.v

   MEMORY  Everything is the caller's.  sizeof(nsc_block) a block, sizeof(nsc_mass) + 12 reals a body,
   and for all solvers but SIPGS one arena of reals.  No heap, no stdio, no globals, no recursion.

   BITS  Only + - * / sqrt and comparisons, in a written order: the same input gives the same bits
   on every IEEE-754 machine, if the compiler neither contracts a*b+c nor reassociates.  Contraction is
   turned off here by pragma, modes that change values are refused with #error, and nsc_selfcheck()
   finds at run time what no compiler announces.

   CONFIG  (define before the include, alike in every file; * changes struct layout)
       NSC_DOUBLE *       nsc_real is double; else float
       NSC_STATIC         all functions static: several private copies may live in one program
       NSC_NO_APGD, _BB, _DANTZIG, _NEWTON, _ADMM, _MINRES, _AUTO
                          compile a solver out; asking for it gives NSC_ERR_ARGUMENT
       NSC_ONLY_SIPGS     all of these at once
       NSC_SQRT, NSC_MEMCPY, NSC_MEMSET   replace the three libc functions used
       NSC_ASSERT(x)      checks faults of our own, never your data; default: nothing
       NSC_NO_GUARD       compile in spite of fast-math or x87; bits are then your affair
       NSC_CONFIG_H       a header with these defines, included first: "my_nsc_config.h"

   CONTENTS  (search for >>name)
       >>config  >>codes  >>types  >>api
       implementation: >>guard  >>kernels  >>prepare  >>project  >>residual  >>run  >>sipgs
                       >>gradient  >>apgd  >>bb  >>dantzig  >>solve  >>selfcheck
       >>licence
*/
#ifndef NSC_NONSMOOTH_SOLVERS_H
#define NSC_NONSMOOTH_SOLVERS_H

#ifdef NSC_CONFIG_H
#include NSC_CONFIG_H
#endif

#include <float.h>
#include <stddef.h>
#ifndef NSC_SQRT
#include <math.h>
#endif
#if !defined(NSC_MEMCPY) || !defined(NSC_MEMSET)
#include <string.h>
#endif

/* ---- >>config -------------------------------------------------------------------------------- */

#define NSC_VERSION_MAJOR 0
#define NSC_VERSION_MINOR 1
#define NSC_VERSION_PATCH 0

#ifdef NSC_DOUBLE
typedef double nsc_real;
#define NSC_R(x) (x)
#define NSC_REAL_MAX DBL_MAX
#define NSC_REAL_MIN DBL_MIN
#define NSC_REAL_EPS DBL_EPSILON
#ifndef NSC_SQRT
#define NSC_SQRT(x) sqrt(x)
#endif
#else
typedef float nsc_real;
#define NSC_R(x) (x##f)
#define NSC_REAL_MAX FLT_MAX
#define NSC_REAL_MIN FLT_MIN
#define NSC_REAL_EPS FLT_EPSILON
#ifndef NSC_SQRT
#define NSC_SQRT(x) sqrtf(x)
#endif
#endif

#ifndef NSC_MEMCPY
#define NSC_MEMCPY(dst, src, n) memcpy(dst, src, n)
#endif
#ifndef NSC_MEMSET
#define NSC_MEMSET(dst, c, n) memset(dst, c, n)
#endif
#ifndef NSC_ASSERT
#define NSC_ASSERT(x) ((void)0)
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

#if defined(__GNUC__) || defined(__clang__)
#define NSC_RESTRICT __restrict__
#define NSC_MAYBE_UNUSED __attribute__((unused))
#elif !defined(__cplusplus)
#define NSC_RESTRICT restrict
#define NSC_MAYBE_UNUSED
#else
#define NSC_RESTRICT
#define NSC_MAYBE_UNUSED
#endif

#ifndef NSC_API
#ifdef NSC_STATIC
#define NSC_API static NSC_MAYBE_UNUSED
#else
#define NSC_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- >>codes ---------------------------------------------------------------------------------
   Every function that can fail returns an int: 0 is success, a positive value is an answer with a
   remark, a negative value is a refusal, and then nothing was changed. */

enum {
    NSC_OK = 0,
    NSC_MAX_ITERATIONS = 1, /* the iteration limit came before the tolerance; best iterate kept    */
    NSC_STALLED = 2,        /* no 5 % gain in settings.stall_window iterations; best iterate kept  */
    NSC_SINGULAR = 3,       /* a factor lost its pivots; best iterate, or 20 sweeps of SIPGS, kept */
    NSC_STOPPED = 4,        /* problem.stop said so; best iterate kept                             */
    NSC_ERR_ARGUMENT = -1,  /* a null pointer, an unfilled definition, a value outside its range   */
    NSC_ERR_NOT_FINITE = -2, /* NaN or infinity in the input, or overflow on the way               */
    NSC_ERR_CAPACITY = -3,  /* the fixed array or the arena is full                                */
    NSC_ERR_INERTIA = -4,   /* inertia not symmetric positive definite, or no body has it          */
    NSC_ERR_HANDLE = -5,    /* handle of a removed thing, of another kind, or of another world     */
    NSC_ERR_CONFIG = -6,    /* this file and the implementation were compiled with other settings  */
    NSC_ERR_ARITHMETIC = -7 /* nsc_selfcheck: this build does not compute what others compute      */
};

/* A short English text for any of the codes above; never NULL.  Read-only memory. */
NSC_API const char *nsc_error_text(int code);

/* ---- >>types --------------------------------------------------------------------------------- */

enum { NSC_BLOCK_EQUALITY = 1, NSC_BLOCK_BOX = 2, NSC_BLOCK_CONTACT = 3, NSC_BLOCK_ROLLING = 4 }; /* nsc_block.kind */
enum { NSC_LAW_COULOMB = 1, NSC_LAW_CONE = 2, NSC_LAW_BOX = 3 };           /* nsc_settings.law    */
enum { /* nsc_settings.solver */
    NSC_SOLVER_SIPGS = 1, NSC_SOLVER_APGD = 2, NSC_SOLVER_DANTZIG = 3, NSC_SOLVER_BB = 4, NSC_SOLVER_MINRES = 5,
    NSC_SOLVER_ADMM = 6, NSC_SOLVER_NEWTON = 7, NSC_SOLVER_AUTO = 8
};

/* Mass of one body, inverted.  All zeros: immovable, or moved by its velocity alone. */
typedef struct nsc_mass {
    nsc_real inv_mass;       /* [1/kg], >= 0                                                      */
    nsc_real inv_inertia[6]; /* [1/(kg m^2)] xx yy zz xy xz yz, about the centre, world frame     */
} nsc_mass;

/* Up to three constraint rows between bodies a and b. */
typedef struct nsc_block {
    /* filled by the caller */
    int a, b;            /* indices of bodies; by custom 0 is the immovable world                 */
    unsigned char kind;  /* NSC_BLOCK_*                                                           */
    unsigned char rows;  /* 1..3; a CONTACT has 3, or 1 when it has no friction; ROLLING 3        */
    unsigned char soft;  /* filled by nsc_problem_prepare: 1 if a cfm is not 0                    */
    unsigned char flat;  /* the same: 1 for a contact whose tangents have no stick[]              */
    nsc_real mu;         /* >= 0; CONTACT: friction coefficient; ROLLING: rolling friction [m]    */
    nsc_real J[3][12];   /* (3 x 12) rows; columns v_a w_a v_b w_b.  Contact: n, t1, t2           */
    nsc_real cfm[3];     /* (3) compliance on the diagonal of N [1/kg], >= 0                      */
    nsc_real bias[3];    /* (3) added to J v [m/s]; a contact with gap > 0 has gap/h in row 0     */
    nsc_real lo[3];      /* (3) bounds of lambda [N s], BOX only; may be -inf and +inf            */
    nsc_real hi[3];      /* ROLLING: hi[0] is the friction of turning about the normal [m], >= 0  */
    nsc_real lambda[3];  /* (3) impulse [N s]; in: first guess if warm_start; out: the answer     */
    /* filled by nsc_problem_prepare */
    nsc_real MinvJt[3][12]; /* (3 x 12) M^-1 J^T by row: what a unit impulse does to the bodies   */
    nsc_real G[6];       /* (6) own 3 x 3 part of N: 00 01 02 11 12 22 [1/kg]                     */
    nsc_real stick[3];   /* contact: inverse of the tangents' part of G, the normal giving way: 11 12 22 [kg] */
    nsc_real eff_mass[3]; /* (3) 1/G_ii [kg]; 0 where G_ii is not positive: such a row is skipped */
    nsc_real rho;        /* 1/mean of the positive G_ii [kg]; 0: whole block skipped              */
    nsc_real best[3];    /* (3) lambda of the best iterate so far, kept by the solvers            */
    int row;             /* index of its first row in the whole problem                           */
} nsc_block;

/* The whole problem.  All pointers are the caller's and must live through the call.
   With `delassus` set the bodies are left out: velocities are then row velocities, v_free = J v_f. */
typedef struct nsc_problem {
    int body_count;           /* bodies, >= 1; not used with delassus                             */
    const nsc_mass *masses;   /* (body_count)                                                     */
    const nsc_real *v_free;   /* (6 body_count) v_f [m/s, rad/s]; with delassus (row_count)       */
    nsc_real *v;              /* out: velocities with the impulses applied; same shape as v_free  */
    int block_count;
    nsc_block *blocks;        /* (block_count)                                                    */
    const nsc_real *delassus; /* NULL, or (row_count x row_count) symmetric N without cfm         */
    nsc_real *arena;          /* scratch, NULL for SIPGS                                          */
    int arena_size;           /* reals in arena                                                   */
    int (*stop)(void *user);  /* NULL, or asked whenever the residual is known: not 0 ends the run with the best so far */
    void *user;               /* handed to stop: the caller's clock, say                          */
    int row_count;            /* filled by nsc_problem_prepare: sum of the blocks' rows           */
} nsc_problem;

/* Scratch in reals for a problem with that many rows. */
#define NSC_ARENA_APGD(rows) (8 * (rows))
#define NSC_ARENA_BB(rows) (7 * (rows))
#define NSC_ARENA_DANTZIG(rows) ((rows) * ((rows) + 1) + 6 * (rows))

/* How to solve.  Take nsc_default_settings() and change what you must. */
typedef struct nsc_settings {
    int solver;          /* NSC_SOLVER_*; default SIPGS                                           */
    int law;             /* NSC_LAW_*; default COULOMB                                            */
    int max_iterations;  /* sweeps, gradient steps; 1..; default 100. DANTZIG does not use it     */
    nsc_real tolerance;  /* stop when the residual is below [m/s], >= 0; default 1e-6 / 1e-8      */
    int stall_window;    /* give up after so many iterations without 5 % gain; 0 never; default 0 */
    int check_interval;  /* SIPGS: measure the residual every so many sweeps, >= 1; default 10    */
    int warm_start;      /* 1: begin from the blocks' lambda; 0: from zero.  Default 1            */
    nsc_real omega;      /* SIPGS: relaxation, in (0, 2); default 1                               */
    int symmetric;       /* SIPGS: 1: every second sweep backward; default 0                      */
    int passes;          /* DANTZIG: solves with friction bounds renewed between; >= 1; default 32;
                            1 is what ODE does: bounds from the frictionless normal forces        */
} nsc_settings;

/* What came out.  Filled by every solver, whatever it returns. */
typedef struct nsc_report {
    int status;          /* the code the call returned                                            */
    int solver;          /* NSC_SOLVER_* that found the answer: AUTO's choice                     */
    int iterations;      /* sweeps, gradient steps, Newton steps, or pivots done                  */
    int factorizations;  /* of the matrix of bodies or rows: NEWTON, ADMM                         */
    nsc_real residual;   /* max over blocks of |e_i| [m/s], the natural map (METHODS below)       */
    nsc_real eta;        /* energy ratio sqrt(sum rho |e|^2 / sum rho |r|^2), 0 perfect, 1 none   */
    nsc_real violation;  /* max distance of lambda to its bounds or cone [N s]                    */
    nsc_real objective;  /* 1/2 lambda'N lambda + r'lambda [J]; what CONE minimises               */
    nsc_real gap;        /* |lambda'u| of contacts, and to the bounds of boxes [J]: the duality gap of CONE
                            where u is in K*, as residual tells; u_n + mu |u_t| for u_n under COULOMB */
    int worst_block;     /* index of the block with the residual, -1 without blocks               */
    int skipped_rows;    /* rows without effective mass: lambda 0, not judged                     */
} nsc_report;

/* ---- >>api ----------------------------------------------------------------------------------- */

/* The defaults documented at each field. */
NSC_API nsc_settings nsc_default_settings(void);

/* Check a problem and fill row_count and what nsc_block marks as filled here.  Call it after J, cfm or a
   mass changed; not needed when only bias, mu, lo, hi, lambda or v_free did.
   Returns 0, NSC_ERR_ARGUMENT (index, kind, rows, sign or order of bounds, v the same as v_free),
   NSC_ERR_NOT_FINITE, NSC_ERR_CAPACITY (more than 32000 rows of a given delassus).
   Cost: about 250 multiplications a block.  The one place where N is ever assembled, block-wise. */
NSC_API int nsc_problem_prepare(nsc_problem *problem);

/* Solve a prepared problem.  Writes lambda into the blocks, velocities into problem->v, and report
   (may be NULL).  Returns NSC_OK, a positive remark, or an error; after NSC_ERR_NOT_FINITE all lambda
   are 0 and v = v_free, after any other error nothing was written but the report.
   Cost: iterations * rows * 2 operations on 12 numbers; for DANTZIG rows^3.  Bounded always. */
NSC_API int nsc_solve(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);

/* The same, with settings->solver passed over. */
NSC_API int nsc_solve_sipgs(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#ifndef NSC_NO_APGD
NSC_API int nsc_solve_apgd(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#endif
#ifndef NSC_NO_BB
NSC_API int nsc_solve_bb(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#endif
#ifndef NSC_NO_DANTZIG
NSC_API int nsc_solve_dantzig(nsc_problem *problem, const nsc_settings *settings, nsc_report *report);
#endif

/* Judge the lambda in the blocks by a law, whoever found it: fills all of report but status and
   iterations, and leaves v = v_free + M^-1 J^T lambda.
     e_i = (lambda_i - P(lambda_i - rho_i u_i)) / rho_i,   COULOMB: u_n + mu |u_t| in place of u_n.
   Returns 0, NSC_ERR_ARGUMENT, or NSC_ERR_NOT_FINITE when the result is.  Cost: 3 products a row. */
NSC_API int nsc_problem_measure(nsc_problem *problem, int law, nsc_report *report);

/* What nsc_selfcheck found wrong: a sum of these. */
enum {
    NSC_CHECK_CONTRACTION = 1,    /* a*b+c rounded once: -ffp-contract=off; g++ and clang do it unasked */
    NSC_CHECK_EXCESS = 2,         /* wider intermediates: x87 needs -msse2 -mfpmath=sse                */
    NSC_CHECK_REASSOCIATION = 4,  /* sums reordered: no -ffast-math, no -fassociative-math             */
    NSC_CHECK_RECIPROCAL = 8,     /* a/b taken as a*(1/b): no -freciprocal-math                        */
    NSC_CHECK_FLUSH_RESULT = 16,  /* subnormal results become 0: FTZ bit, -ffast-math when linking     */
    NSC_CHECK_FLUSH_OPERAND = 32, /* subnormal operands count as 0: DAZ bit, FZ bit of the FPSCR       */
    NSC_CHECK_ROUNDING = 64,      /* not to nearest: fesetround, or software double that errs          */
    NSC_CHECK_SQRT = 128,         /* NSC_SQRT is not correctly rounded                                 */
    NSC_CHECK_SCENE = 256         /* nsc_world_selfcheck: all that is right, and yet the bits differ   */
};

/* Does this build, on this machine, in its present mode, do the arithmetic that the bits rest on?  Writes
   the sum of NSC_CHECK_* to detail (may be NULL).  Returns 0 or NSC_ERR_ARITHMETIC.  For the boot of a
   firmware; about 100 operations.  nsc_world_selfcheck of nsc.h goes on to run a scene. */
NSC_API int nsc_selfcheck(unsigned *detail);

/* A short English text for the first cause in detail; never NULL. */
NSC_API const char *nsc_selfcheck_text(unsigned detail);

#ifdef __cplusplus
}
#endif
#endif /* NSC_NONSMOOTH_SOLVERS_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_SOLVERS_IMPLEMENTATION_DONE)
#define NSC_SOLVERS_IMPLEMENTATION_DONE

/* ---- >>guard ---------------------------------------------------------------------------------
   Same bits on every machine: refuse what would change values, and turn contraction off. */
#ifndef NSC_NO_GUARD
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST)
#error "nsc: build without -ffast-math and its parts"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error "nsc: build without -ffinite-math-only: a NaN must be seen to be refused"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "nsc: float is computed wider than it is stored: x87 -msse2 -mfpmath=sse, s390x -fexcess-precision=fast"
#endif
#if FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128
#error "nsc: float is not IEEE-754 binary32"
#endif
#if defined(NSC_DOUBLE) && (DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024)
#error "nsc: double is not IEEE-754 binary64 on this target; leave NSC_DOUBLE out"
#endif
#endif

/* clang heeds the standard's pragma, GCC only its own.  The vectoriser of GCC 12 on x86 with FMA makes vfmaddsub
   even so, and MVE float vectors flush subnormals: no vectors there.  Zeroing loops stay loops: small libcs
   have a slow memset. */
#if defined(__clang__)
#define NSCI_BITS_BEGIN _Pragma("STDC FP_CONTRACT OFF")
#define NSCI_BITS_END _Pragma("STDC FP_CONTRACT DEFAULT")
#elif defined(__GNUC__)
#define NSCI_BITS_END _Pragma("GCC pop_options")
#if defined(__FMA__) || defined(__FMA4__)
#define NSCI_BITS_BEGIN \
    _Pragma("GCC push_options") _Pragma("GCC optimize (\"fp-contract=off\", \"no-tree-slp-vectorize\")")
#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#define NSCI_BITS_BEGIN \
    _Pragma("GCC push_options") _Pragma("GCC optimize (\"fp-contract=off\", \"no-tree-vectorize\")")
#else
#define NSCI_BITS_BEGIN \
    _Pragma("GCC push_options") _Pragma("GCC optimize (\"fp-contract=off\", \"no-tree-loop-distribute-patterns\")")
#endif
#else
#define NSCI_BITS_BEGIN
#define NSCI_BITS_END
#endif
NSCI_BITS_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/* ---- >>kernels -------------------------------------------------------------------------------
   The two 12-wide operations every row costs, and what is built from them.  The lanes and the order
   of the sum are part of the contract: a SIMD compiler and a scalar one do the same additions. */

/* Inlined where speed is asked for; at -Os, and without optimisation, a function like any other */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define NSCI_INLINE static inline __attribute__((always_inline))
#else
#define NSCI_INLINE static
#define NSCI_SMALL
#endif

/* One copy at -Os, where the compiler would think a few inlined ones cheaper; measured */
#if defined(__GNUC__) && defined(NSCI_SMALL)
#define NSCI_SHARED static __attribute__((noinline))
#else
#define NSCI_SHARED static
#endif

/* A frame of its own, so that the stack of one stage is gone when the next begins */
#if defined(__GNUC__) || defined(__clang__)
#define NSCI_STAGE static __attribute__((noinline))
#else
#define NSCI_STAGE static
#endif

/* J . (va, vb) */
NSCI_INLINE nsc_real nsci_dot12(const nsc_real *NSC_RESTRICT J, const nsc_real *va, const nsc_real *vb)
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
    for (i = 0; i < 6; i++) va[i] += s * x[i];
    for (i = 0; i < 6; i++) vb[i] += s * x[6 + i];
}

/* (va, vb) += M^-1 J^T d of three rows: the sums of three times the above, but each velocity touched once */
NSCI_INLINE void nsci_axpy36(const nsc_real *d, const nsc_block *k, nsc_real *va, nsc_real *vb)
{
    const nsc_real *x0 = k->MinvJt[0], *x1 = k->MinvJt[1], *x2 = k->MinvJt[2];
#ifdef NSCI_SMALL
    nsci_axpy12(d[0], x0, va, vb), nsci_axpy12(d[1], x1, va, vb), nsci_axpy12(d[2], x2, va, vb);
#else
    nsc_real d0 = d[0], d1 = d[1], d2 = d[2];
#define NSCI_ADD(v, i, j) v[i] = ((v[i] + d0 * x0[j]) + d1 * x1[j]) + d2 * x2[j]
    NSCI_ADD(va, 0, 0), NSCI_ADD(va, 1, 1), NSCI_ADD(va, 2, 2), NSCI_ADD(va, 3, 3), NSCI_ADD(va, 4, 4), NSCI_ADD(va, 5, 5);
    NSCI_ADD(vb, 0, 6), NSCI_ADD(vb, 1, 7), NSCI_ADD(vb, 2, 8), NSCI_ADD(vb, 3, 9), NSCI_ADD(vb, 4, 10), NSCI_ADD(vb, 5, 11);
#undef NSCI_ADD
#endif
}

NSCI_SHARED nsc_real nsci_abs(nsc_real x) { return x < NSC_R(0.0) ? -x : x; }
NSCI_SHARED nsc_real nsci_max(nsc_real a, nsc_real b) { return a > b ? a : b; }
NSCI_SHARED nsc_real nsci_clamp(nsc_real x, nsc_real lo, nsc_real hi) { return x < lo ? lo : x > hi ? hi : x; }
static int nsci_finite(nsc_real x) { return x >= -NSC_REAL_MAX && x <= NSC_REAL_MAX; }

static int nsci_all_finite(const nsc_real *x, int n)
{
    int i, ok = 1;
    for (i = 0; i < n; i++) ok &= nsci_finite(x[i]);
    return ok;
}

static nsc_real nsci_dot(const nsc_real *x, const nsc_real *y, int n)
{
    nsc_real sum = NSC_R(0.0);
    int i;
    for (i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* Length of a problem's velocity vector: bodies, or rows when N is given. */
static int nsci_velocity_size(const nsc_problem *p)
{
    return p->delassus ? p->row_count : 6 * p->body_count;
}

/* u = J v + bias of three rows between bodies */
NSCI_INLINE void nsci_velocity36(const nsc_block *k, const nsc_real *v, nsc_real u[3])
{
    const nsc_real *va = v + 6 * k->a, *vb = v + 6 * k->b;
    u[0] = nsci_dot12(k->J[0], va, vb) + k->bias[0];
    u[1] = nsci_dot12(k->J[1], va, vb) + k->bias[1];
    u[2] = nsci_dot12(k->J[2], va, vb) + k->bias[2];
}

/* u = J v + bias + cfm lambda of any block */
static void nsci_block_velocity(const nsc_problem *p, const nsc_block *k, const nsc_real *v,
                                const nsc_real *lambda, nsc_real u[3])
{
    int i;
    u[0] = u[1] = u[2] = NSC_R(0.0);
    if (k->rows == 3 && !p->delassus) nsci_velocity36(k, v, u);
    else
        for (i = 0; i < k->rows; i++)
            u[i] = (p->delassus ? v[k->row + i] : nsci_dot12(k->J[i], v + 6 * k->a, v + 6 * k->b)) + k->bias[i];
    if (k->soft)
        for (i = 0; i < k->rows; i++) u[i] += k->cfm[i] * lambda[i];
}

/* v += N d for a block of a given N */
static void nsci_delassus_apply(const nsc_problem *p, const nsc_block *k, const nsc_real *d, nsc_real *v)
{
    int i, j, n = p->row_count;
    for (i = 0; i < k->rows; i++) {
        const nsc_real *N_i = p->delassus + (size_t)(k->row + i) * (size_t)n;
        for (j = 0; j < n; j++) v[j] += d[i] * N_i[j];
    }
}

/* v += M^-1 J^T d, the rows of one block */
static void nsci_block_apply(const nsc_problem *p, const nsc_block *k, const nsc_real *d, nsc_real *v)
{
    int i;
    if (p->delassus) nsci_delassus_apply(p, k, d, v);
    else if (k->rows == 3) nsci_axpy36(d, k, v + 6 * k->a, v + 6 * k->b);
    else
        for (i = 0; i < k->rows; i++) nsci_axpy12(d[i], k->MinvJt[i], v + 6 * k->a, v + 6 * k->b);
}

/* v = v_free + M^-1 J^T lambda, from the lambda in the blocks */
static void nsci_apply_lambda(nsc_problem *p)
{
    int k;
    NSC_MEMCPY(p->v, p->v_free, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (k = 0; k < p->block_count; k++) nsci_block_apply(p, &p->blocks[k], p->blocks[k].lambda, p->v);
}

/* out = N x, v being the work vector: one product, the unit in which the cost of most solvers is counted */
NSC_MAYBE_UNUSED static void nsci_product(nsc_problem *p, const nsc_real *x, nsc_real *out)
{
    nsc_real u[3];
    int k, i;
    NSC_MEMSET(p->v, 0, sizeof(nsc_real) * (size_t)nsci_velocity_size(p));
    for (k = 0; k < p->block_count; k++) nsci_block_apply(p, &p->blocks[k], x + p->blocks[k].row, p->v);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v, x + b->row, u);
        for (i = 0; i < b->rows; i++) out[b->row + i] = u[i] - b->bias[i];
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
    s.omega = NSC_R(1.0);
    s.symmetric = 0;
    s.passes = 32;
    return s;
}

NSC_API const char *nsc_error_text(int code)
{
    switch (code) {
    case NSC_OK: return "ok";
    case NSC_MAX_ITERATIONS: return "iteration limit reached before the tolerance";
    case NSC_STALLED: return "stalled: no progress, best iterate kept";
    case NSC_SINGULAR: return "no pivot left, best answer kept";
    case NSC_STOPPED: return "stopped by the caller, best iterate kept";
    case NSC_ERR_ARGUMENT: return "null pointer, unfilled definition, or value out of range";
    case NSC_ERR_NOT_FINITE: return "NaN or infinity";
    case NSC_ERR_CAPACITY: return "fixed array or arena is full";
    case NSC_ERR_INERTIA: return "inertia missing or not positive definite";
    case NSC_ERR_HANDLE: return "stale or foreign handle";
    case NSC_ERR_CONFIG: return "file and implementation compiled with different settings";
    case NSC_ERR_ARITHMETIC: return "arithmetic is not plain IEEE-754";
    default: return "unknown code";
    }
}

static int nsci_check_block(const nsc_problem *p, const nsc_block *k)
{
    int i;
    if (k->kind < NSC_BLOCK_EQUALITY || k->kind > NSC_BLOCK_ROLLING) return NSC_ERR_ARGUMENT;
    if (k->rows < 1 || k->rows > 3) return NSC_ERR_ARGUMENT;
    if (!p->delassus && (k->a < 0 || k->a >= p->body_count || k->b < 0 || k->b >= p->body_count))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < k->rows; i++) {
        if (!p->delassus && !nsci_all_finite(k->J[i], 12)) return NSC_ERR_NOT_FINITE;
        if (!nsci_finite(k->cfm[i]) || !nsci_finite(k->bias[i])) return NSC_ERR_NOT_FINITE;
        if (k->cfm[i] < NSC_R(0.0)) return NSC_ERR_ARGUMENT;
        if (k->kind == NSC_BLOCK_BOX && !(k->lo[i] <= k->hi[i])) return NSC_ERR_ARGUMENT;
    }
    if (k->kind == NSC_BLOCK_ROLLING) {
        if (k == p->blocks || k[-1].kind != NSC_BLOCK_CONTACT || k->rows != 3) return NSC_ERR_ARGUMENT;
        if (!nsci_finite(k->hi[0])) return NSC_ERR_NOT_FINITE;
        if (k->hi[0] < NSC_R(0.0)) return NSC_ERR_ARGUMENT;
    }
    if (k->kind >= NSC_BLOCK_CONTACT) {
        if (k->rows == 2) return NSC_ERR_ARGUMENT;
        if (!nsci_finite(k->mu)) return NSC_ERR_NOT_FINITE;
        if (k->mu < NSC_R(0.0)) return NSC_ERR_ARGUMENT;
    }
    return NSC_OK;
}

/* y = M^-1 x for one body: six numbers */
static void nsci_inverse_mass(const nsc_mass *m, const nsc_real *x, nsc_real *y)
{
    const nsc_real *I = m->inv_inertia;
    y[0] = m->inv_mass * x[0];
    y[1] = m->inv_mass * x[1];
    y[2] = m->inv_mass * x[2];
    y[3] = I[0] * x[3] + I[3] * x[4] + I[4] * x[5];
    y[4] = I[3] * x[3] + I[1] * x[4] + I[5] * x[5];
    y[5] = I[4] * x[3] + I[5] * x[4] + I[2] * x[5];
}

/* index into G of entry (i, j), i <= j */
static int nsci_packed(int i, int j) { return i == 0 ? j : i + j + 1; }

/* Effective masses from the diagonal of G.  A contact without normal mass is skipped whole. */
static void nsci_effective_mass(nsc_block *k)
{
    nsc_real trace = NSC_R(0.0);
    int i, n = 0;
    for (i = 0; i < k->rows; i++) {
        nsc_real g = k->G[nsci_packed(i, i)];
        k->eff_mass[i] = g > NSC_R(1e-30) && nsci_finite(g) ? NSC_R(1.0) / g : NSC_R(0.0);
        if (k->eff_mass[i] > NSC_R(0.0)) trace += g, n++;
    }
    if (k->kind == NSC_BLOCK_CONTACT && k->eff_mass[0] <= NSC_R(0.0)) n = 0;
    k->rho = n > 0 ? (nsc_real)n / trace : NSC_R(0.0);
    for (i = 0; i < 3; i++)
        if (n == 0 || i >= k->rows) k->eff_mass[i] = NSC_R(0.0);
}

/* Inverse of the Schur complement S = G_tt - G_tn G_nt / G_nn, if it is regular */
static void nsci_prepare_stick(nsc_block *k)
{
    const nsc_real *G = k->G;
    nsc_real l1 = G[1] * k->eff_mass[0], l2 = G[2] * k->eff_mass[0];
    nsc_real a = G[3] - l1 * G[1], b = G[4] - l1 * G[2], c = G[5] - l2 * G[2], det = a * c - b * b;
    k->flat = !(k->rho > NSC_R(0.0) && a > NSC_R(0.0) && det > NSC_R(64.0) * NSC_REAL_EPS * G[3] * G[5]);
    k->stick[0] = c / det, k->stick[1] = -b / det, k->stick[2] = a / det;
    if (!nsci_all_finite(k->stick, 3)) k->flat = 1;
}

static void nsci_prepare_block(const nsc_problem *p, nsc_block *k)
{
    int i, j;
    k->soft = k->flat = 0;
    for (i = 0; i < k->rows; i++)
        if (k->cfm[i] > NSC_R(0.0)) k->soft = 1;
    for (i = 0; i < k->rows; i++) {
        if (p->delassus) continue;
        nsci_inverse_mass(&p->masses[k->a], k->J[i], k->MinvJt[i]);
        nsci_inverse_mass(&p->masses[k->b], k->J[i] + 6, k->MinvJt[i] + 6);
    }
    for (i = 0; i < k->rows; i++)
        for (j = i; j < k->rows; j++) {
            nsc_real *g = &k->G[nsci_packed(i, j)];
            *g = p->delassus ? p->delassus[(size_t)(k->row + i) * (size_t)p->row_count + (size_t)(k->row + j)]
                             : nsci_dot12(k->J[i], k->MinvJt[j], k->MinvJt[j] + 6);
            if (i == j) *g += k->cfm[i];
        }
    nsci_effective_mass(k);
    if (k->kind == NSC_BLOCK_CONTACT && k->rows == 3) nsci_prepare_stick(k);
}

NSC_API int nsc_problem_prepare(nsc_problem *p)
{
    int k, code, rows = 0;
    if (!p || p->block_count < 0 || !p->v_free || !p->v || p->v == p->v_free) return NSC_ERR_ARGUMENT;
    if (p->block_count > 0 && !p->blocks) return NSC_ERR_ARGUMENT;
    if (!p->delassus && (p->body_count < 1 || !p->masses)) return NSC_ERR_ARGUMENT;
    for (k = 0; k < p->block_count; k++) {
        code = nsci_check_block(p, &p->blocks[k]);
        if (code < 0) return code;
        rows += p->blocks[k].rows;
    }
    if (p->delassus && rows > 32000) return NSC_ERR_CAPACITY; /* its size overflows an int */
    for (k = 0; k < (p->delassus ? 0 : p->body_count); k++) {
        const nsc_mass *m = &p->masses[k];
        if (!nsci_finite(m->inv_mass) || !nsci_all_finite(m->inv_inertia, 6)) return NSC_ERR_NOT_FINITE;
        if (m->inv_mass < NSC_R(0.0)) return NSC_ERR_ARGUMENT;
    }
    if (p->delassus && !nsci_all_finite(p->delassus, rows * rows)) return NSC_ERR_NOT_FINITE;
    p->row_count = rows;
    for (k = 0, rows = 0; k < p->block_count; k++) {
        p->blocks[k].row = rows;
        rows += p->blocks[k].rows;
        nsci_prepare_block(p, &p->blocks[k]);
    }
    return NSC_OK;
}

/* ---- >>project -------------------------------------------------------------------------------
   Orthogonal projection onto the set of one block.  All return 1 when x was inside already. */

/* Nearest point of the cone |x_t| <= mu x_n; mu = 0 is the half-line, found without a division. */
static int nsci_project_cone(nsc_real mu, nsc_real x[3])
{
    nsc_real t = NSC_SQRT(x[1] * x[1] + x[2] * x[2]), n, s;
    if (t <= mu * x[0]) return 1;
    if (mu * t <= -x[0]) {
        x[0] = x[1] = x[2] = NSC_R(0.0);
        return 0;
    }
    n = (x[0] + mu * t) / (NSC_R(1.0) + mu * mu);
    s = mu * n / t;
    x[0] = n;
    x[1] *= s;
    x[2] *= s;
    return 0;
}

/* Nearest point of the disc |x| <= radius in the plane. */
NSCI_INLINE int nsci_project_disc(nsc_real radius, nsc_real x[2])
{
    nsc_real t2 = x[0] * x[0] + x[1] * x[1], s;
    if (t2 <= radius * radius) return 1;
    s = radius / NSC_SQRT(t2);
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

/* The normal impulse that bounds the friction of block k */
static nsc_real nsci_normal_of(const nsc_block *k, const nsc_real *lambda)
{
    return k->kind == NSC_BLOCK_ROLLING ? k[-1].lambda[0] : lambda[0];
}

/* Spin within an interval, rolling within a disc, or axis by axis */
static int nsci_project_rolling(const nsc_block *k, int law, nsc_real normal, nsc_real x[3])
{
    nsc_real n = nsci_max(normal, NSC_R(0.0)), limit = k->mu * n, spin = k->hi[0] * n;
    int inside = nsci_project_interval(-spin, spin, &x[0]);
    if (law != NSC_LAW_BOX) return nsci_project_disc(limit, x + 1) & inside;
    inside &= nsci_project_interval(-limit, limit, &x[1]);
    return nsci_project_interval(-limit, limit, &x[2]) & inside;
}

/* The set of block k under a law; normal: the impulse that bounds friction under NSC_LAW_BOX, and rolling. */
static int nsci_project(const nsc_block *k, int law, nsc_real normal, nsc_real x[3])
{
    int i, inside = 1;
    if (k->kind == NSC_BLOCK_EQUALITY) return 1;
    if (k->kind == NSC_BLOCK_ROLLING) return nsci_project_rolling(k, law, normal, x);
    if (k->kind == NSC_BLOCK_CONTACT && k->rows == 3 && law != NSC_LAW_BOX)
        return nsci_project_cone(k->mu, x);
    for (i = 0; i < k->rows; i++) {
        nsc_real lo = k->lo[i], hi = k->hi[i];
        if (k->kind == NSC_BLOCK_CONTACT) {
            hi = i == 0 ? NSC_REAL_MAX : k->mu * nsci_max(normal, NSC_R(0.0));
            lo = i == 0 ? NSC_R(0.0) : -hi;
        }
        inside &= nsci_project_interval(lo, hi, &x[i]);
    }
    return inside;
}

/* ---- >>residual ------------------------------------------------------------------------------ */

/* Natural map of one block: e = (lambda - P(lambda - rho u)) / rho, |e|^2 returned [m^2/s^2].
   Where lambda - rho u is inside the set, e = u exactly: no digits are lost against a large lambda. */
static nsc_real nsci_defect(const nsc_block *k, int law, const nsc_real *lambda, const nsc_real *u)
{
    nsc_real w[3], x[3], sum = NSC_R(0.0);
    int i, inside;
    if (k->rho <= NSC_R(0.0)) return sum;
    for (i = 0; i < k->rows; i++) w[i] = k->eff_mass[i] > NSC_R(0.0) ? u[i] : NSC_R(0.0);
    if (law == NSC_LAW_COULOMB && k->kind == NSC_BLOCK_CONTACT && k->rows == 3)
        w[0] += k->mu * NSC_SQRT(w[1] * w[1] + w[2] * w[2]);
    for (i = 0; i < k->rows; i++) x[i] = lambda[i] - k->rho * w[i];
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
    nsc_real x[3], d[3];
    int i;
    x[0] = k->lambda[0], x[1] = k->lambda[1], x[2] = k->lambda[2];
    if (nsci_project(k, law, nsci_normal_of(k, x), x)) return NSC_R(0.0);
    d[0] = d[1] = d[2] = NSC_R(0.0);
    for (i = 0; i < k->rows; i++) d[i] = k->lambda[i] - x[i];
    return NSC_SQRT(nsci_dot(d, d, 3));
}

/* sup over y in the block's set of u'(lambda - y): 0 where lambda answers u [J].  COULOMB: u_n + mu |u_t| for u_n.  A cone is
   unbounded: its part is |lambda'u|, right where u is in K*.  Infinite bounds add nothing. */
static nsc_real nsci_duality_gap(const nsc_block *k, int law, const nsc_real *lambda, const nsc_real *u)
{
    nsc_real n = nsci_max(nsci_normal_of(k, lambda), NSC_R(0.0)), t = NSC_SQRT(u[1] * u[1] + u[2] * u[2]), sum = NSC_R(0.0);
    int i;
    if (k->rho <= NSC_R(0.0) || k->kind == NSC_BLOCK_EQUALITY) return sum;
    if (k->kind != NSC_BLOCK_BOX) {
        sum = lambda[0] * u[0];
        if (k->rows == 3) sum += lambda[1] * u[1] + lambda[2] * u[2];
        if (k->rows < 3 || law == NSC_LAW_CONE) return nsci_abs(sum);
        if (k->kind == NSC_BLOCK_ROLLING) sum += k->hi[0] * n * nsci_abs(u[0]);
        if (law == NSC_LAW_BOX) t = nsci_abs(u[1]) + nsci_abs(u[2]);
        return nsci_abs(sum + k->mu * n * t);
    }
    for (i = 0; i < k->rows; i++) {
        nsc_real bound = u[i] > NSC_R(0.0) ? k->lo[i] : k->hi[i];
        if (nsci_finite(bound) && nsci_abs(bound) < NSC_REAL_MAX) sum += u[i] * (lambda[i] - bound);
    }
    return sum;
}

/* How far an iterate is from the answer.  The largest defect stops a run; the energy tells which iterate is better: with few
   sweeps a single light body may have its worst moment when all others are nearly done. */
typedef struct nsci_defects {
    nsc_real worst;  /* max |e| over the blocks [m/s]; not a number if anything is                */
    nsc_real energy; /* sum of rho |e|^2 [J]                                                      */
} nsci_defects;

static nsci_defects nsci_no_defects(void)
{
    nsci_defects d;
    d.worst = d.energy = NSC_R(0.0);
    return d;
}

/* worst is squared until all blocks are in. */
static void nsci_add_defect(nsci_defects *d, const nsc_block *k, nsc_real e2)
{
    if (!(e2 <= d->worst)) d->worst = e2;
    d->energy += k->rho * e2;
}

/* Of the lambda in the blocks; recomputes v from them first. */
static nsci_defects nsci_residual(nsc_problem *p, int law)
{
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    int k;
    nsci_apply_lambda(p);
    for (k = 0; k < p->block_count && nsci_finite(d.worst); k++) {
        nsci_block_velocity(p, &p->blocks[k], p->v, p->blocks[k].lambda, u);
        nsci_add_defect(&d, &p->blocks[k], nsci_defect(&p->blocks[k], law, p->blocks[k].lambda, u));
    }
    d.worst = NSC_SQRT(d.worst);
    return d;
}

static int nsci_is_prepared(const nsc_problem *p)
{
    return p && p->v && p->v_free && p->block_count >= 0 && (p->block_count == 0 || p->row_count > 0);
}

NSC_API int nsc_problem_measure(nsc_problem *p, int law, nsc_report *r)
{
    nsc_real u[3], free_u[3], zero[3], worst = NSC_R(-1.0), sum_e = NSC_R(0.0), sum_r = NSC_R(0.0);
    int i, k;
    if (!r || !nsci_is_prepared(p) || law < NSC_LAW_COULOMB || law > NSC_LAW_BOX) return NSC_ERR_ARGUMENT;
    zero[0] = zero[1] = zero[2] = NSC_R(0.0);
    r->residual = r->eta = r->violation = r->objective = r->gap = NSC_R(0.0);
    r->worst_block = -1;
    r->skipped_rows = 0;
    nsci_apply_lambda(p);
    for (k = 0; k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
        nsc_real e2;
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        nsci_block_velocity(p, b, p->v_free, zero, free_u);
        e2 = nsci_defect(b, law, b->lambda, u);
        if (!(e2 <= worst)) worst = e2, r->worst_block = k;
        sum_e += b->rho * e2;
        for (i = 0; i < b->rows; i++) {
            r->skipped_rows += b->eff_mass[i] <= NSC_R(0.0);
            sum_r += b->rho * free_u[i] * free_u[i];
            r->objective += NSC_R(0.5) * b->lambda[i] * (u[i] + free_u[i]);
        }
        r->gap += nsci_duality_gap(b, law, b->lambda, u);
        r->violation = nsci_max(r->violation, nsci_violation(b, law));
    }
    r->residual = NSC_SQRT(nsci_max(worst, NSC_R(0.0)));
    r->eta = sum_r > NSC_R(0.0) ? NSC_SQRT(sum_e / sum_r) : NSC_R(0.0);
    if (!nsci_finite(worst) || !nsci_finite(r->objective)) return NSC_ERR_NOT_FINITE;
    return nsci_all_finite(p->v, nsci_velocity_size(p)) ? NSC_OK : NSC_ERR_NOT_FINITE;
}

/* ---- >>run -----------------------------------------------------------------------------------
   What every solver does around its iteration: begin, check, finish. */

typedef struct nsci_run {
    nsc_problem *problem;
    const nsc_settings *settings;
    int solver, law;
    int status;          /* of the run so far                                                     */
    int iterations;
    nsc_real energy;     /* least energy of the defects seen [J]; its lambda is in the blocks' best[] */
    nsc_real best;       /* and its residual [m/s]                                                */
    nsc_real mark;       /* residual at the last gain of 5 % or more                              */
    int mark_iteration;
    int factorizations;
    int last_is_best;
} nsci_run;

static void nsci_keep_best(nsc_problem *p)
{
    int k, i;
    for (k = 0; k < p->block_count; k++)
        for (i = 0; i < 3; i++) p->blocks[k].best[i] = p->blocks[k].lambda[i];
}

static void nsci_restore_best(nsc_problem *p)
{
    int k, i;
    for (k = 0; k < p->block_count; k++)
        for (i = 0; i < 3; i++) p->blocks[k].lambda[i] = p->blocks[k].best[i];
}

/* The s in 0..1 for which s lambda has the least 1/2 lambda'N lambda + r'lambda; v must go with the lambda in the blocks. */
static nsc_real nsci_best_share(const nsc_problem *p)
{
    nsc_real u[3], r[3], zero[3], lNl = NSC_R(0.0), lr = NSC_R(0.0);
    int k, i;
    zero[0] = zero[1] = zero[2] = NSC_R(0.0);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v, b->lambda, u);
        nsci_block_velocity(p, b, p->v_free, zero, r);
        for (i = 0; i < b->rows; i++) lr += b->lambda[i] * r[i], lNl += b->lambda[i] * (u[i] - r[i]);
    }
    if (!(lr < NSC_R(0.0))) return NSC_R(0.0);
    return -lr < lNl ? -lr / lNl : NSC_R(1.0);
}

static void nsci_scale_lambda(nsc_problem *p, int law, nsc_real s)
{
    int k, i;
    for (k = 0; k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
        for (i = 0; i < 3; i++) b->lambda[i] = s > NSC_R(0.0) ? s * b->lambda[i] : NSC_R(0.0);
        if (s > NSC_R(0.0)) nsci_project(b, law, nsci_normal_of(b, b->lambda), b->lambda);
    }
    nsci_apply_lambda(p);
}

/* First guess: the caller's lambda put into its set.  Of a problem with joints no more than is good: where a solver is cut
   short step after step, rows that pull as well as push would feed on a guess that overshoots.  (Contacts only push, and a
   tower needs the guess even where its energy is bad.)  Leaves v consistent with it. */
static void nsci_first_guess(nsc_problem *p, const nsc_settings *s)
{
    nsc_real share;
    int k, i, pulls = 0;
    for (k = 0; k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
        pulls |= b->kind < NSC_BLOCK_CONTACT;
        for (i = 0; i < 3; i++)
            if (!s->warm_start || b->eff_mass[i] <= NSC_R(0.0) || !nsci_finite(b->lambda[i]))
                b->lambda[i] = NSC_R(0.0);
        nsci_project(b, s->law, nsci_normal_of(b, b->lambda), b->lambda);
    }
    nsci_apply_lambda(p);
    share = pulls && s->warm_start ? nsci_best_share(p) : NSC_R(1.0);
    if (share < NSC_R(0.5)) nsci_scale_lambda(p, s->law, share); /* as it is, it would be worse than none */
}

/* Ranges as documented at the fields */
static int nsci_check_settings(const nsc_settings *s)
{
    if (s->law < NSC_LAW_COULOMB || s->law > NSC_LAW_BOX) return NSC_ERR_ARGUMENT;
    if (s->max_iterations < 1 || s->check_interval < 1 || s->stall_window < 0 || s->passes < 1)
        return NSC_ERR_ARGUMENT;
    if (!(s->tolerance >= NSC_R(0.0)) || !nsci_finite(s->tolerance) || !(s->omega > NSC_R(0.0) && s->omega < NSC_R(2.0)))
        return NSC_ERR_ARGUMENT;
    return NSC_OK;
}

/* Take note of a residual that belongs to the lambda now in the blocks.  1: stop, status says why. */
static int nsci_note(nsci_run *run, int iteration, nsci_defects d)
{
    const nsc_settings *s = run->settings;
    nsc_real residual = d.worst;
    if (!nsci_finite(residual) || !nsci_finite(d.energy)) {
        run->status = NSC_ERR_NOT_FINITE;
        return 1;
    }
    run->last_is_best = d.energy < run->energy || residual <= s->tolerance;
    if (run->last_is_best) {
        run->energy = d.energy;
        run->best = residual;
        nsci_keep_best(run->problem);
    }
    if (residual <= s->tolerance) {
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
    if (run->problem->stop && run->problem->stop(run->problem->user)) {
        run->status = NSC_STOPPED;
        return 1;
    }
    return 0;
}

/* Check, set up, take the first guess: never is the answer worse than that.  It does not end the run,
   even below the tolerance: a warm-started step must go on improving or bodies at rest would creep. */
static int nsci_begin(nsci_run *run, int solver, nsc_problem *p, const nsc_settings *s, int laws_from, int laws_to)
{
    int code;
    if (!nsci_is_prepared(p) || !s) return NSC_ERR_ARGUMENT;
    code = nsci_check_settings(s);
    if (code < 0) return code;
    if (s->law < laws_from || s->law > laws_to) return NSC_ERR_ARGUMENT;
    if (!nsci_all_finite(p->v_free, nsci_velocity_size(p))) return NSC_ERR_NOT_FINITE;
    run->problem = p;
    run->settings = s;
    run->solver = solver;
    run->law = s->law;
    run->status = NSC_MAX_ITERATIONS;
    run->iterations = run->factorizations = 0;
    run->energy = run->best = run->mark = NSC_REAL_MAX;
    run->mark_iteration = 0;
    run->last_is_best = 0;
    nsci_first_guess(p, s);
    nsci_note(run, 0, nsci_residual(p, s->law));
    run->status = NSC_MAX_ITERATIONS;
    return NSC_OK;
}

/* Refuse before anything was written: only the report says why. */
static int nsci_refuse(nsc_report *report, int code)
{
    if (report) {
        NSC_MEMSET(report, 0, sizeof *report);
        report->status = code;
        report->worst_block = -1;
    }
    return code;
}

/* Put the best iterate into the blocks, velocities into v, and measure it for the report. */
static int nsci_finish(nsci_run *run, nsc_report *report)
{
    nsc_problem *p = run->problem;
    nsc_report own;
    if (!report) report = &own;
    if (run->best < NSC_REAL_MAX && !run->last_is_best) nsci_restore_best(p);
    if (run->status == NSC_ERR_NOT_FINITE || nsc_problem_measure(p, run->law, report) < 0) {
        nsci_scale_lambda(p, run->law, NSC_R(0.0));
        nsc_problem_measure(p, run->law, report);
        run->status = NSC_ERR_NOT_FINITE;
    }
    report->status = run->status;
    report->solver = run->solver;
    report->iterations = run->iterations;
    report->factorizations = run->factorizations;
    return run->status;
}

/* ---- >>sipgs ---------------------------------------------------------------------------------
   Sequential impulses = projected Gauss-Seidel, one block at a time: read the rows' velocity, move
   lambda inside the block's set, hand the difference to the bodies at once.  Friction is bounded by
   the normal impulse of this very moment.  A contact that can be stopped is stopped exactly, by its own
   3 x 3 block.  Moreau, Jean; Catto 2005; Chrono's PSOR for CONE. */

/* Solve G d = -u for a joint block by LDL^T; a redundant row (no pivot left) gets d = 0. */
static void nsci_solve_equality(const nsc_block *k, const nsc_real u[3], nsc_real d[3])
{
    nsc_real L10 = 0, L20 = 0, L21 = 0, D1 = 0, D2 = 0, eps = NSC_R(16.0) * NSC_REAL_EPS;
    const nsc_real *G = k->G;
    nsc_real i0, i1, i2;
    i0 = k->eff_mass[0];
    d[0] = d[1] = d[2] = NSC_R(0.0);
    if (k->rows > 1) L10 = G[1] * i0, D1 = G[3] - L10 * G[1];
    i1 = k->rows > 1 && D1 > eps * G[3] ? NSC_R(1.0) / D1 : NSC_R(0.0);
    if (k->rows > 2) L20 = G[2] * i0, L21 = (G[4] - L20 * G[1]) * i1, D2 = G[5] - L20 * G[2] - L21 * L21 * D1;
    i2 = k->rows > 2 && D2 > eps * G[5] ? NSC_R(1.0) / D2 : NSC_R(0.0);
    d[0] = -u[0];
    d[1] = -u[1] - L10 * d[0];
    d[2] = -u[2] - L20 * d[0] - L21 * d[1];
    d[2] *= i2;
    d[1] = d[1] * i1 - L21 * d[2];
    d[0] = d[0] * i0 - L10 * d[1] - L20 * d[2];
}

/* Row by row within the block, u kept current through G. */
static void nsci_visit_box(const nsc_block *k, nsc_real omega, nsc_real u[3], nsc_real x[3])
{
    int i, j;
    for (i = 0; i < k->rows; i++) {
        nsc_real old = x[i];
        x[i] = nsci_clamp(old - omega * k->eff_mass[i] * u[i], k->lo[i], k->hi[i]);
        for (j = i + 1; j < k->rows; j++) u[j] += k->G[nsci_packed(i, j)] * (x[i] - old);
    }
}

/* Change d of the impulse that stops a contact, G d = -u, and x = lambda + d.  0: x lies outside the cone, the
   contact slides or opens. */
NSCI_INLINE int nsci_stick(const nsc_block *k, nsc_real omega, const nsc_real *u, nsc_real *x, nsc_real *d)
{
    nsc_real l1 = k->G[1] * k->eff_mass[0], l2 = k->G[2] * k->eff_mass[0], limit;
    nsc_real r1 = omega * (l1 * u[0] - u[1]), r2 = omega * (l2 * u[0] - u[2]);
    d[1] = k->stick[0] * r1 + k->stick[1] * r2;
    d[2] = k->stick[1] * r1 + k->stick[2] * r2;
    d[0] = -((omega * k->eff_mass[0] * u[0] + l1 * d[1]) + l2 * d[2]);
    x[0] = k->lambda[0] + d[0], x[1] = k->lambda[1] + d[1], x[2] = k->lambda[2] + d[2];
    limit = k->mu * x[0];
    return x[0] >= NSC_R(0.0) && x[1] * x[1] + x[2] * x[2] <= limit * limit;
}

/* Else, twice: the normal, then both tangents as a disc with the bound of now. */
NSCI_INLINE void nsci_slide(const nsc_block *k, nsc_real omega, const nsc_real *u, nsc_real *x, nsc_real *d)
{
    const nsc_real *G = k->G;
    nsc_real step = nsci_max(G[3], G[5]), normal = u[0];
    int pass;
    step = step > NSC_R(1e-30) ? omega / step : NSC_R(0.0);
    x[0] = k->lambda[0], x[1] = k->lambda[1], x[2] = k->lambda[2];
    d[1] = d[2] = NSC_R(0.0);
    for (pass = 0; pass < 2; pass++) {
        x[0] = nsci_max(x[0] - omega * k->eff_mass[0] * normal, NSC_R(0.0));
        d[0] = x[0] - k->lambda[0];
        x[1] -= step * (u[1] + G[1] * d[0] + G[3] * d[1] + G[4] * d[2]);
        x[2] -= step * (u[2] + G[2] * d[0] + G[4] * d[1] + G[5] * d[2]);
        nsci_project_disc(k->mu * x[0], x + 1);
        d[1] = x[1] - k->lambda[1], d[2] = x[2] - k->lambda[2];
        normal = u[0] + G[0] * d[0] + G[1] * d[1] + G[2] * d[2];
    }
}

/* Rolling friction: what would stop it, or else the nearest within the bounds; each row gives way to the others once more */
static void nsci_visit_rolling(const nsc_block *k, int law, nsc_real omega, const nsc_real u[3], nsc_real x[3])
{
    const nsc_real *G = k->G, *old = k->lambda;
    nsc_real d[3], normal = k[-1].lambda[0], step = nsci_max(G[3], G[5]);
    int i, pass;
    nsci_solve_equality(k, u, d);
    for (i = 0; i < 3; i++) x[i] = old[i] + omega * d[i];
    if (nsci_project(k, law, normal, x)) return;
    step = step > NSC_R(1e-30) ? omega / step : NSC_R(0.0);
    for (i = 0; i < 3; i++) x[i] = old[i];
    for (pass = 0; pass < 2; pass++) {
        for (i = 0; i < 3; i++) d[i] = x[i] - old[i];
        x[0] -= omega * k->eff_mass[0] * (u[0] + G[0] * d[0] + G[1] * d[1] + G[2] * d[2]);
        d[0] = x[0] - old[0];
        x[1] -= step * (u[1] + G[1] * d[0] + G[3] * d[1] + G[4] * d[2]);
        x[2] -= step * (u[2] + G[2] * d[0] + G[4] * d[1] + G[5] * d[2]);
        nsci_project(k, law, normal, x);
    }
}

/* Row by row as a box, the tangents bounded by the normal impulse of now. */
static void nsci_visit_pyramid(const nsc_block *k, nsc_real omega, nsc_real u[3], nsc_real x[3])
{
    nsc_real old = x[0], limit;
    x[0] = nsci_max(old - omega * k->eff_mass[0] * u[0], NSC_R(0.0));
    if (k->rows == 1) return;
    limit = k->mu * x[0];
    u[1] += k->G[1] * (x[0] - old);
    u[2] += k->G[2] * (x[0] - old);
    old = x[1];
    x[1] = nsci_clamp(old - omega * k->eff_mass[1] * u[1], -limit, limit);
    u[2] += k->G[4] * (x[1] - old);
    x[2] = nsci_clamp(x[2] - omega * k->eff_mass[2] * u[2], -limit, limit);
}

/* Chrono's PSOR: all three rows step by the mean effective mass, then one cone projection.  With long
   levers that step can pass twice the inverse of the largest eigenvalue and diverge; it is cut there
   (Gershgorin's bound). */
static void nsci_visit_cone(const nsc_block *k, nsc_real omega, nsc_real u[3], nsc_real x[3])
{
    const nsc_real *G = k->G;
    nsc_real off01 = nsci_abs(G[1]), off02 = nsci_abs(G[2]), off12 = nsci_abs(G[4]), step = omega * k->rho, bound;
    int i;
    bound = nsci_max(G[0] + off01 + off02, nsci_max(G[3] + off01 + off12, G[5] + off02 + off12));
    if (step * bound > NSC_R(1.9)) step = NSC_R(1.9) / bound;
    for (i = 0; i < 3; i++) x[i] -= step * u[i];
    nsci_project_cone(k->mu, x);
}

/* The visit that most time goes into, in one straight line: COULOMB, three hard rows between bodies, omega 1 */
NSCI_INLINE nsc_real nsci_sipgs_contact(nsc_block *k, nsc_real *v)
{
    nsc_real u[3], x[3], d[3], defect;
    nsci_velocity36(k, v, u);
    defect = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    if (!nsci_stick(k, NSC_R(1.0), u, x, d)) {
        nsci_slide(k, NSC_R(1.0), u, x, d);
        defect = k->G[0] * k->G[0] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    k->lambda[0] = x[0], k->lambda[1] = x[1], k->lambda[2] = x[2];
    nsci_axpy36(d, k, v + 6 * k->a, v + 6 * k->b);
    return defect;
}

/* Any visit.  Returns the defect met, the sum of (d G_ii)^2 [m^2/s^2]. */
static nsc_real nsci_sipgs_visit(const nsc_problem *p, nsc_block *k, const nsc_settings *s)
{
    nsc_real u[3], x[3], d[3], sum = NSC_R(0.0);
    int i;
    if (k->rho <= NSC_R(0.0)) return sum;
    nsci_block_velocity(p, k, p->v, k->lambda, u);
    x[0] = k->lambda[0], x[1] = k->lambda[1], x[2] = k->lambda[2];
    if (k->kind == NSC_BLOCK_EQUALITY) {
        nsci_solve_equality(k, u, d);
        for (i = 0; i < 3; i++) x[i] += s->omega * d[i];
    } else if (k->kind == NSC_BLOCK_BOX) {
        nsci_visit_box(k, s->omega, u, x);
    } else if (k->kind == NSC_BLOCK_ROLLING) {
        nsci_visit_rolling(k, s->law, s->omega, u, x);
    } else if (k->rows == 1 || s->law == NSC_LAW_BOX) {
        nsci_visit_pyramid(k, s->omega, u, x);
    } else if (s->law == NSC_LAW_CONE) {
        nsci_visit_cone(k, s->omega, u, x);
    } else if (k->flat || !nsci_stick(k, s->omega, u, x, d)) {
        nsci_slide(k, s->omega, u, x, d);
    }
    for (i = 0; i < k->rows; i++) {
        nsc_real e;
        d[i] = x[i] - k->lambda[i];
        k->lambda[i] = x[i];
        e = d[i] * k->G[nsci_packed(i, i)];
        sum += e * e;
    }
    nsci_block_apply(p, k, d, p->v);
    return sum;
}

/* One visit to every block.  Returns the 2-norm of the defects met [m/s]. */
static nsc_real nsci_sipgs_sweep(nsc_problem *p, const nsc_settings *s, int backward)
{
    int left = p->block_count, plain = s->law == NSC_LAW_COULOMB && !p->delassus && nsci_abs(s->omega - NSC_R(1.0)) <= NSC_R(0.0);
    nsc_block *k = backward && left > 0 ? p->blocks + left - 1 : p->blocks;
    nsc_real sum = NSC_R(0.0), *v = p->v;
    while (left > 0) {
        if (plain && k->kind == NSC_BLOCK_CONTACT && k->rows == 3 && k->soft == 0 && k->flat == 0)
            sum += nsci_sipgs_contact(k, v);
        else
            sum += nsci_sipgs_visit(p, k, s);
        if (--left > 0) k += backward ? -1 : 1;
    }
    return NSC_SQRT(sum);
}

NSC_API int nsc_solve_sipgs(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    int it, code = nsci_begin(&run, NSC_SOLVER_SIPGS, p, s, NSC_LAW_COULOMB, NSC_LAW_BOX);
    if (code < 0) return nsci_refuse(report, code);
    for (it = 0; it < s->max_iterations;) {
        nsc_real change = nsci_sipgs_sweep(p, s, s->symmetric && it % 2 == 1);
        run.iterations = ++it;
        if (change > s->tolerance && it % s->check_interval != 0 && it < s->max_iterations) continue;
        if (nsci_note(&run, it, nsci_residual(p, s->law))) break;
    }
    return nsci_finish(&run, report);
}

/* ---- >>gradient ------------------------------------------------------------------------------
   What the projected gradient methods share.  They minimise
       f(lambda) = 1/2 lambda'N lambda + r'lambda,  lambda in K,
   in the metric diag(1/rho), uniform inside a block so that a cone stays a cone.  N x is held beside
   every x, so that an iteration costs one product.
   COULOMB: mu |u_t| is added to r_n (De Saxce) and renewed on the way. */
#if !defined(NSC_NO_APGD) || !defined(NSC_NO_BB)

typedef struct nsci_gradient {
    nsc_real *x, *Nx;           /* (rows) iterate, and N times it                                 */
    nsc_real *r;                /* (rows) J v_f + bias                                            */
    nsc_real *shift;            /* (rows) De Saxce term mu |u_t| at normal rows; else 0           */
    nsc_real L;                 /* curvature, in the metric: dimensionless; steps are 1/L long    */
    nsc_real least_L;           /* a direction of almost no curvature tells nothing of the next   */
} nsci_gradient;

/* Check and begin; vectors: of the arena, by row.  Without rows the arena may be NULL and the run is done. */
static int nsci_gradient_enter(nsci_run *run, int solver, int vectors, nsc_problem *p, const nsc_settings *s)
{
    int code;
    if (nsci_is_prepared(p) && p->row_count > 0 && (!p->arena || p->arena_size / vectors < p->row_count)) return NSC_ERR_CAPACITY;
    code = nsci_begin(run, solver, p, s, NSC_LAW_COULOMB, NSC_LAW_CONE);
    if (code == NSC_OK && p->row_count == 0) run->status = NSC_OK;
    return code;
}

/* First curvature: |N r| / |r| in the metric; 1 where that says nothing.  Two vectors to work in. */
static nsc_real nsci_gradient_first_curvature(nsc_problem *p, const nsc_real *r, nsc_real *y, nsc_real *Ny)
{
    nsc_real above = NSC_R(0.0), below = NSC_R(0.0);
    int k, i;
    for (k = 0; k < p->block_count; k++)
        for (i = 0; i < p->blocks[k].rows; i++) y[p->blocks[k].row + i] = p->blocks[k].rho * r[p->blocks[k].row + i];
    nsci_product(p, y, Ny);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        above += b->rho * nsci_dot(Ny + b->row, Ny + b->row, b->rows);
        below += b->rho * nsci_dot(r + b->row, r + b->row, b->rows);
    }
    return above > NSC_R(0.0) && below > NSC_R(0.0) ? NSC_SQRT(above / below) : NSC_R(1.0);
}

/* Take the first four vectors of the arena; load r, and the first guess if it is better than nothing.  y and Ny: work. */
static void nsci_gradient_begin(nsc_problem *p, nsci_gradient *g, nsc_real *y, nsc_real *Ny)
{
    nsc_real u[3], zero[3], f = NSC_R(0.0);
    int k, i, n = p->row_count;
    zero[0] = zero[1] = zero[2] = NSC_R(0.0);
    g->x = p->arena, g->Nx = g->x + n, g->r = g->Nx + n, g->shift = g->r + n;
    for (k = 0; k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v_free, zero, u);
        for (i = 0; i < b->rows; i++) {
            g->r[b->row + i] = b->eff_mass[i] > NSC_R(0.0) ? u[i] : NSC_R(0.0);
            g->x[b->row + i] = b->lambda[i];
            g->shift[b->row + i] = NSC_R(0.0);
        }
    }
    nsci_product(p, g->x, g->Nx);
    for (i = 0; i < n; i++) f += g->x[i] * (NSC_R(0.5) * g->Nx[i] + g->r[i]);
    if (!(f < NSC_R(0.0))) {
        NSC_MEMSET(g->x, 0, sizeof(nsc_real) * (size_t)n);
        NSC_MEMSET(g->Nx, 0, sizeof(nsc_real) * (size_t)n);
    }
    g->L = nsci_gradient_first_curvature(p, g->r, y, Ny);
    g->least_L = NSC_R(1e-4) * g->L;
}

/* x = P(x), block by block */
static void nsci_gradient_project(const nsc_problem *p, int law, nsc_real *x)
{
    int k, i;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsc_real z[3];
        z[0] = z[1] = z[2] = NSC_R(0.0);
        for (i = 0; i < b->rows; i++) z[i] = x[b->row + i];
        nsci_project(b, law, b->kind == NSC_BLOCK_ROLLING ? x[b[-1].row] : z[0], z);
        for (i = 0; i < b->rows; i++) x[b->row + i] = z[i];
    }
}

/* out = P(y - rho (N y + r + shift) / L) */
static void nsci_gradient_step(const nsc_problem *p, int law, const nsci_gradient *g, const nsc_real *y, const nsc_real *Ny, nsc_real *out)
{
    int k, i;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsc_real t = b->rho / g->L;
        for (i = b->row; i < b->row + b->rows; i++) out[i] = y[i] - t * (Ny[i] + g->r[i] + g->shift[i]);
    }
    nsci_gradient_project(p, law, out);
}

/* Of x, from the product already made; x goes into the blocks. */
static nsci_defects nsci_gradient_residual(nsc_problem *p, int law, const nsc_real *x, const nsc_real *Nx, const nsc_real *r)
{
    nsci_defects d = nsci_no_defects();
    nsc_real u[3];
    int k, i;
    for (k = 0; k < p->block_count; k++) {
        nsc_block *b = &p->blocks[k];
        for (i = 0; i < b->rows; i++) {
            b->lambda[i] = x[b->row + i];
            u[i] = Nx[b->row + i] + r[b->row + i];
        }
        nsci_add_defect(&d, b, nsci_defect(b, law, b->lambda, u));
    }
    d.worst = NSC_SQRT(d.worst);
    return d;
}

/* De Saxce: the Coulomb law at x is the cone law with mu |u_t| added to the normal velocity.  share: of the new in the shift. */
static void nsci_gradient_shift(nsc_problem *p, nsci_gradient *g, nsc_real share)
{
    int k;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        int n = b->row;
        nsc_real u1, u2;
        if (b->kind != NSC_BLOCK_CONTACT || b->rows < 3 || b->rho <= NSC_R(0.0)) continue;
        u1 = g->Nx[n + 1] + g->r[n + 1];
        u2 = g->Nx[n + 2] + g->r[n + 2];
        g->shift[n] = (NSC_R(1.0) - share) * g->shift[n] + share * (b->mu * NSC_SQRT(u1 * u1 + u2 * u2));
    }
}

#endif /* NSC_NO_APGD and NSC_NO_BB */

/* ---- >>apgd ----------------------------------------------------------------------------------
   Accelerated projected gradient descent (Nesterov; Mazhar et al. 2015).  f is quadratic: the step
   length is checked by its exact curvature, d'Nd <= L d'd, with nothing subtracted that is large; and
   N y follows from N of the iterates.  A step up to a fifth too long is taken all the same: it still
   contracts, and a step thrown away costs a product. */
#ifndef NSC_NO_APGD

typedef struct nsci_apgd {
    nsci_gradient g;            /* iterate x                                                      */
    nsc_real *x_new, *y;        /* (rows) next iterate, extrapolated point                        */
    nsc_real *Nx_new, *Ny;      /* (rows) N times them                                            */
    nsc_real theta;             /* momentum                                                       */
} nsci_apgd;

/* Begin anew from x: no momentum. */
static void nsci_apgd_restart(const nsc_problem *p, nsci_apgd *a)
{
    size_t size = sizeof(nsc_real) * (size_t)p->row_count;
    NSC_MEMCPY(a->y, a->g.x, size);
    NSC_MEMCPY(a->Ny, a->g.Nx, size);
    a->theta = NSC_R(1.0);
}

static void nsci_apgd_begin(nsc_problem *p, nsci_apgd *a)
{
    int n = p->row_count;
    a->x_new = p->arena + 4 * n, a->Nx_new = a->x_new + n, a->y = a->Nx_new + n, a->Ny = a->y + n;
    nsci_gradient_begin(p, &a->g, a->x_new, a->Nx_new);
    nsci_apgd_restart(p, a);
}

/* d'Nd / d'd in the metric, d = x_new - y: must not exceed L */
static nsc_real nsci_apgd_curvature(const nsc_problem *p, const nsci_apgd *a)
{
    nsc_real dNd = NSC_R(0.0), dd = NSC_R(0.0);
    int k, i;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        for (i = b->row; i < b->row + b->rows; i++) {
            nsc_real d = a->x_new[i] - a->y[i];
            dNd += d * (a->Nx_new[i] - a->Ny[i]);
            if (b->rho > NSC_R(0.0)) dd += d * d / b->rho;
        }
    }
    return dd > NSC_R(0.0) ? dNd / dd : NSC_R(0.0);
}

/* Move on: x = x_new, y ahead of it along the momentum; or from rest where momentum goes uphill. */
static void nsci_apgd_extrapolate(nsc_problem *p, nsci_apgd *a)
{
    nsci_gradient *g = &a->g;
    nsc_real th = a->theta, next, beta, uphill = NSC_R(0.0), *swap;
    int i, n = p->row_count;
    for (i = 0; i < n; i++) uphill += (a->Ny[i] + g->r[i] + g->shift[i]) * (a->x_new[i] - g->x[i]);
    next = NSC_R(0.5) * th * (NSC_SQRT(th * th + NSC_R(4.0)) - th);
    beta = th * (NSC_R(1.0) - th) / (th * th + next);
    for (i = 0; i < n; i++) {
        a->y[i] = a->x_new[i] + beta * (a->x_new[i] - g->x[i]);
        a->Ny[i] = a->Nx_new[i] + beta * (a->Nx_new[i] - g->Nx[i]);
    }
    swap = g->x, g->x = a->x_new, a->x_new = swap;
    swap = g->Nx, g->Nx = a->Nx_new, a->Nx_new = swap;
    a->theta = next;
    g->L = nsci_max(NSC_R(0.97) * g->L, g->least_L);
    if (uphill > NSC_R(0.0)) nsci_apgd_restart(p, a);
}

NSC_API int nsc_solve_apgd(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_apgd a;
    int it, code = nsci_gradient_enter(&run, NSC_SOLVER_APGD, NSC_ARENA_APGD(1), p, s);
    if (code < 0) return nsci_refuse(report, code);
    if (p->row_count == 0) return nsci_finish(&run, report);
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
        if (nsci_note(&run, it, nsci_gradient_residual(p, s->law, a.x_new, a.Nx_new, a.g.r))) break;
        nsci_apgd_extrapolate(p, &a);
        if (s->law == NSC_LAW_COULOMB && it % 10 == 0) nsci_gradient_shift(p, &a.g, NSC_R(1.0));
    }
    return nsci_finish(&run, report);
}

#endif /* NSC_NO_APGD */

/* ---- >>bb ------------------------------------------------------------------------------------
   Spectral projected gradient (Barzilai & Borwein 1988; Birgin, Martinez & Raydan 2000; on contacts Heyn
   et al. 2013) with directions made conjugate (Birgin & Martinez 2001).  One iteration, s the direction before:
       p = P(x - rho (N x + r + shift) / L) - x
       d = P(x + p + beta s) - x      beta = -p'Ns / s'Ns: conjugate gradients while no bound is met
       d = p                          if that is not a descent, p'd <= 0 in the metric
       x = x + t d                    t = min(1, L p'd / d'Nd): to the minimum along d, and not out of K
       L = |N d| / |d|                in the metric; 1/L is the geometric mean of both lengths of Barzilai and
                                      Borwein (Dai, Al-Baali & Yang 2015) and never negative
   The slope along d is taken as -L p'd.  That is g'd where no bound is met and not steeper for d = p, so that f
   falls.  g'd itself, of a sliding contact, is the small difference of large numbers: in float it is noise
   once g is down to the root of the precision.  With t exact no history of f is needed; on the published
   problems this does better than the non-monotone search with any rule for L.  N s is the N d of before: one
   product an iteration, and one more every 50 so that N x does not drift. */
#ifndef NSC_NO_BB

typedef struct nsci_bb {
    nsci_gradient g;            /* iterate x; L from the last direction                           */
    nsc_real *p;                /* (rows) projected gradient step                                 */
    nsc_real *d, *Nd;           /* (rows) direction, and N times it                               */
} nsci_bb;

static void nsci_bb_begin(nsc_problem *p, nsci_bb *a)
{
    size_t size = sizeof(nsc_real) * (size_t)p->row_count;
    int n = p->row_count;
    a->p = p->arena + 4 * n, a->d = a->p + n, a->Nd = a->d + n;
    nsci_gradient_begin(p, &a->g, a->d, a->Nd);
    NSC_MEMSET(a->d, 0, size);
    NSC_MEMSET(a->Nd, 0, size);
}

/* x'y in the metric */
static nsc_real nsci_bb_dot(const nsc_problem *p, const nsc_real *x, const nsc_real *y)
{
    nsc_real sum = NSC_R(0.0);
    int k;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        if (b->rho > NSC_R(0.0)) sum += nsci_dot(x + b->row, y + b->row, b->rows) / b->rho;
    }
    return sum;
}

/* d conjugate to the d before, or p; N d. */
static void nsci_bb_direction(nsc_problem *p, int law, nsci_bb *a)
{
    nsc_real sNs, beta, *x = a->g.x;
    int i, n = p->row_count;
    nsci_gradient_step(p, law, &a->g, x, a->g.Nx, a->p);
    for (i = 0; i < n; i++) a->p[i] -= x[i];
    sNs = nsci_dot(a->d, a->Nd, n);
    beta = sNs > NSC_R(0.0) ? -nsci_dot(a->p, a->Nd, n) / sNs : NSC_R(0.0);
    for (i = 0; i < n; i++) a->d[i] = x[i] + a->p[i] + beta * a->d[i];
    nsci_gradient_project(p, law, a->d);
    for (i = 0; i < n; i++) a->d[i] -= x[i];
    if (!(nsci_bb_dot(p, a->p, a->d) > NSC_R(0.0))) NSC_MEMCPY(a->d, a->p, sizeof(nsc_real) * (size_t)n);
    nsci_product(p, a->d, a->Nd);
}

/* x to the minimum along d, but not beyond x + d */
static void nsci_bb_move(const nsc_problem *p, nsci_bb *a)
{
    nsc_real fall = a->g.L * nsci_bb_dot(p, a->p, a->d), dNd = nsci_dot(a->d, a->Nd, p->row_count);
    nsc_real t = fall < dNd ? fall / dNd : NSC_R(1.0);
    int i;
    for (i = 0; i < p->row_count; i++) {
        a->g.x[i] += t * a->d[i];
        a->g.Nx[i] += t * a->Nd[i];
    }
}

/* |N d| / |d| in the metric; no direction, no news. */
static void nsci_bb_curvature(const nsc_problem *p, nsci_bb *a)
{
    nsc_real dd = nsci_bb_dot(p, a->d, a->d), NdNd = NSC_R(0.0);
    int k;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        NdNd += b->rho * nsci_dot(a->Nd + b->row, a->Nd + b->row, b->rows);
    }
    if (dd > NSC_R(0.0)) a->g.L = nsci_max(NSC_SQRT(NdNd / dd), a->g.least_L);
}

NSC_API int nsc_solve_bb(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_bb a;
    int it, code = nsci_gradient_enter(&run, NSC_SOLVER_BB, NSC_ARENA_BB(1), p, s);
    if (code < 0) return nsci_refuse(report, code);
    if (p->row_count == 0) return nsci_finish(&run, report);
    nsci_bb_begin(p, &a);
    for (it = 0; it < s->max_iterations;) {
        nsci_bb_direction(p, s->law, &a);
        nsci_bb_move(p, &a);
        run.iterations = ++it;
        if (it % 50 == 0) nsci_product(p, a.g.x, a.g.Nx);
        if (nsci_note(&run, it, nsci_gradient_residual(p, s->law, a.g.x, a.g.Nx, a.g.r))) break;
        nsci_bb_curvature(p, &a);
        if (s->law == NSC_LAW_COULOMB) nsci_gradient_shift(p, &a.g, NSC_R(0.25));
    }
    return nsci_finish(&run, report);
}

#endif /* NSC_NO_BB */

/* ---- >>dantzig -------------------------------------------------------------------------------
   Principal pivoting (Cottle & Dantzig 1968; Baraff 1994; the method of ODE's box LCP solver).  Rows
   are driven to their condition one after another.  A row that is done stands free, u = 0 (the set C), or
   rests at a bound with u of the right sign.  While the next row moves, x of C gives way so that its
   u stays 0, and whoever meets a bound, or u = 0, on the way changes sides.  A(C,C) = L D L^T gets a
   border when a row enters, a rank-one update when one leaves: O(n^2), the update always positive.

   Redundant rows make A(C,C) singular.  Therefore the factor is that of A + shift diag(A): every pivot
   is positive, every step finite.  What is solved then has shift A_ii (x - x_start) added to u, which
   is one step of the proximal point method (Rockafellar 1976): started again from its own answer it
   converges to the problem without that term.  These rounds begin with u computed anew from the bodies
   and with a new factor, so they refine away rounding as well; the active set is there already.

   Friction bounds are frozen from normal impulses: first shut, then +-mu lambda_n in passes.  One pass
   is ODE's answer; more renew the bounds until they agree, which is linear convergence: a handful when
   little slides, dozens with mu near 1 and many sliding contacts, never in some that jam. */
#ifndef NSC_NO_DANTZIG

/* The shift lies between rounding and the smallest eigenvalues that matter.  Measured: in float there is
   room for a factor of three upward and less downward, in double for a hundred both ways. */
#define NSCI_DZ_SHIFT (sizeof(nsc_real) == sizeof(float) ? NSC_R(1e-5) : NSC_R(1e-12))
#define NSCI_DZ_ROUNDING NSC_R(8.0)       /* multiple of the noise in u that is accepted; 3 was met  */
#define NSCI_DZ_ROUNDS 10                 /* most for one set of bounds; it takes two or three       */
#define NSCI_DZ_PIVOTS(n) (20 * (n) + 20) /* most in a round; it takes one to three a row            */
#define NSCI_DZ_DRIVE(n) (3 * (n) + 20)   /* most in one drive                                       */

typedef struct nsci_dz {
    nsc_problem *p;
    int n;             /* rows                                                                    */
    int free_count;    /* size of C                                                               */
    unsigned pivots;   /* done so far                                                             */
    unsigned most_pivots; /* this round ends there                                                */
    nsc_real scale;    /* max |r| [m/s]                                                           */
    nsc_real noise;    /* so much of u is only rounding [m/s]                                     */
    nsc_real *A, *L;   /* packed lower triangles: of all rows; of C by position, with D inside    */
    nsc_real *x, *u;   /* (n) impulse and velocity of the rows                                    */
    nsc_real *lo, *hi; /* (n) bounds of x                                                         */
    nsc_real *rate;    /* (n) change along the present motion: of x in C, of u elsewhere          */
    nsc_real *order;   /* (n) a permutation: the rows of C in the order of L, then the others     */
} nsci_dz;

static int nsci_lower(int i, int j) { return i * (i + 1) / 2 + j; }
static int nsci_dz_row(const nsci_dz *d, int k) { return (int)d->order[k]; }
static nsc_real nsci_dz_a(const nsci_dz *d, int i, int j)
{
    return d->A[i >= j ? nsci_lower(i, j) : nsci_lower(j, i)];
}

/* Position of row i in order; below free_count it is in C. */
static int nsci_dz_position(const nsci_dz *d, int i)
{
    int k = 0;
    while (k < d->n - 1 && nsci_dz_row(d, k) != i) k++;
    return k;
}

/* N between row i of block k and row j of block m; an immovable body adds its MinvJt = 0 */
static nsc_real nsci_delassus(const nsc_problem *p, const nsc_block *k, int i, const nsc_block *m, int j)
{
    const nsc_real *J = k->J[i], *W = m->MinvJt[j];
    nsc_real sum = NSC_R(0.0);
    if (p->delassus) return p->delassus[(size_t)(k->row + i) * (size_t)p->row_count + (size_t)(m->row + j)];
    if (k->a == m->a) sum += nsci_dot(J, W, 6);
    if (k->a == m->b) sum += nsci_dot(J, W + 6, 6);
    if (k->b == m->a) sum += nsci_dot(J + 6, W, 6);
    if (k->b == m->b) sum += nsci_dot(J + 6, W + 6, 6);
    return sum;
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

/* Border L with row i behind C.  Returns its pivot, the change of u_i as x_i grows by 1. */
static nsc_real nsci_dz_border(nsci_dz *d, int i)
{
    int k, m = d->free_count;
    nsc_real *l = d->L + nsci_lower(m, 0), shift = NSCI_DZ_SHIFT * nsci_dz_a(d, i, i);
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

/* The row at position k, bordered before, joins C. */
static void nsci_dz_enter(nsci_dz *d, int k)
{
    nsc_real row = d->order[k];
    d->order[k] = d->order[d->free_count];
    d->order[d->free_count++] = row;
    d->u[(int)row] = NSC_R(0.0);
}

/* The row at position k leaves C: close the gap in L, then give back to the rows behind what it took
   from them, D_k l l^T (Gill, Golub, Murray & Saunders 1974, method C1). */
static void nsci_dz_leave(nsci_dz *d, int k)
{
    nsc_real *l = d->rate, alpha = d->L[nsci_lower(k, k)], row = d->order[k];
    int i, j, m = --d->free_count;
    for (i = k; i < m; i++) {
        const nsc_real *from = d->L + nsci_lower(i + 1, 0);
        nsc_real *to = d->L + nsci_lower(i, 0);
        l[i] = from[k];
        for (j = 0; j <= i; j++) to[j] = from[j < k ? j : j + 1];
        d->order[i] = d->order[i + 1];
    }
    d->order[m] = row;
    for (j = k; j < m; j++) {
        nsc_real *D = &d->L[nsci_lower(j, j)], old = *D, l_j = l[j], beta;
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

/* Complete a motion: L^T rate = rate in C; elsewhere what C, and row i moving by `sign`, do to u.  A
   rate that has cancelled down to rounding is 0, or a row would enter and leave without end. */
static void nsci_dz_spread(nsci_dz *d, int i, nsc_real sign)
{
    int j, k, m = d->free_count;
    for (k = m - 1; k >= 0; k--)
        for (j = 0; j < k; j++)
            d->rate[nsci_dz_row(d, j)] -= d->L[nsci_lower(k, j)] * d->rate[nsci_dz_row(d, k)];
    for (k = m; k < d->n; k++) {
        int r = nsci_dz_row(d, k);
        nsc_real own = i < 0 ? NSC_R(0.0) : sign * nsci_dz_a(d, i, r), sum = own;
        for (j = 0; j < m; j++) sum += nsci_dz_a(d, r, nsci_dz_row(d, j)) * d->rate[nsci_dz_row(d, j)];
        d->rate[r] = nsci_abs(sum) > NSCI_DZ_ROUNDING * NSC_REAL_EPS * nsci_abs(own) ? sum : NSC_R(0.0);
    }
}

/* At a bound with u of the right sign, or fixed */
static int nsci_dz_rests(const nsci_dz *d, int i)
{
    if (d->lo[i] >= d->hi[i]) return 1;
    return (d->x[i] <= d->lo[i] && d->u[i] >= -d->noise) || (d->x[i] >= d->hi[i] && d->u[i] <= d->noise);
}

/* How far the present motion may go for row i: x to a bound in C, u to 0 for a resting row.  A row
   not yet driven, or lost to rounding, is no obstacle; the next round looks after the latter. */
static nsc_real nsci_dz_limit(const nsci_dz *d, int i, int is_free)
{
    nsc_real rate = d->rate[i], t = NSC_REAL_MAX;
    if (is_free) {
        if (rate < NSC_R(0.0)) t = (d->lo[i] - d->x[i]) / rate;
        if (rate > NSC_R(0.0)) t = (d->hi[i] - d->x[i]) / rate;
    } else if (d->lo[i] < d->hi[i] && nsci_dz_rests(d, i)) {
        if (d->x[i] <= d->lo[i] ? rate < NSC_R(0.0) : rate > NSC_R(0.0)) t = -d->u[i] / rate;
    }
    return nsci_max(t, NSC_R(0.0));
}

/* Position below `count` of the row that first stops a motion of length *t, the lowest row of equals,
   or -1; *t is cut to it.  The driven row does not stop itself. */
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
        if (k < d->free_count) d->x[i] = nsci_clamp(d->x[i] + t * d->rate[i], d->lo[i], d->hi[i]);
        else d->u[i] += t * d->rate[i];
    }
}

/* The row at position k changes sides. */
static void nsci_dz_exchange(nsci_dz *d, int k)
{
    int i = nsci_dz_row(d, k);
    d->pivots++;
    if (k < d->free_count) {
        d->x[i] = d->rate[i] < NSC_R(0.0) ? d->lo[i] : d->hi[i];
        nsci_dz_leave(d, k);
    } else {
        nsci_dz_border(d, i);
        nsci_dz_enter(d, k);
    }
}

/* Drive row i until its u is 0 or its x at a bound, or leave it to the next round. */
static void nsci_dz_drive(nsci_dz *d, int i)
{
    nsc_real sign = d->u[i] < NSC_R(0.0) ? NSC_R(1.0) : NSC_R(-1.0);
    nsc_real bound = sign > NSC_R(0.0) ? d->hi[i] : d->lo[i];
    int k, budget;
    for (budget = NSCI_DZ_DRIVE(d->n); budget > 0 && d->pivots < d->most_pivots && d->free_count < d->n; budget--) {
        nsc_real pivot = nsci_dz_border(d, i), t = nsci_max(-sign * d->u[i] / pivot, NSC_R(0.0));
        int reaches = sign * (bound - d->x[i]) <= t;
        if (reaches) t = sign * (bound - d->x[i]);
        if (!nsci_finite(t)) return;
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
        if (reaches) d->x[i] = bound;
        else nsci_dz_enter(d, nsci_dz_position(d, i));
        return;
    }
}

/* Factor C and bring its u to 0; rows that meet a bound on the way leave it, at most all. */
static void nsci_dz_release(nsci_dz *d)
{
    int j, k, m = d->free_count;
    for (d->free_count = 0; d->free_count < m; d->free_count++)
        nsci_dz_border(d, nsci_dz_row(d, d->free_count));
    for (; m > 0; m = d->free_count) {
        nsc_real t = NSC_R(1.0);
        for (k = 0; k < m; k++) {
            nsc_real sum = -d->u[nsci_dz_row(d, k)];
            for (j = 0; j < k; j++) sum -= d->L[nsci_lower(k, j)] * d->rate[nsci_dz_row(d, j)];
            d->rate[nsci_dz_row(d, k)] = sum;
        }
        for (k = 0; k < m; k++) d->rate[nsci_dz_row(d, k)] /= d->L[nsci_lower(k, k)];
        nsci_dz_spread(d, -1, NSC_R(0.0));
        j = nsci_dz_blocker(d, m, -1, &t);
        nsci_dz_move(d, t);
        for (k = 0; k < m; k++) d->u[nsci_dz_row(d, k)] *= NSC_R(1.0) - t;
        if (j < 0) break;
        nsci_dz_exchange(d, j);
    }
}

/* sum |J v| of a row: what its velocity is the small difference of */
static nsc_real nsci_row_size(const nsc_block *b, int i, const nsc_real *v)
{
    nsc_real sum = NSC_R(0.0);
    int k;
    for (k = 0; k < 6; k++) sum += nsci_abs(b->J[i][k] * v[6 * b->a + k]) + nsci_abs(b->J[i][6 + k] * v[6 * b->b + k]);
    return sum;
}

/* x to the blocks, u and its noise computed anew by way of the bodies.  Returns the largest natural
   map of a row with the bounds as they are [m/s]. */
static nsc_real nsci_dz_refresh(nsci_dz *d)
{
    nsc_block *b, *end = d->p->blocks + d->p->block_count;
    nsc_real u[3], largest = NSC_R(0.0), worst = NSC_R(0.0);
    int i;
    for (b = d->p->blocks; b < end; b++)
        for (i = 0; i < b->rows; i++) b->lambda[i] = d->x[b->row + i];
    nsci_apply_lambda(d->p);
    for (b = d->p->blocks; b < end; b++) {
        nsci_block_velocity(d->p, b, d->p->v, b->lambda, u);
        for (i = 0; i < b->rows; i++) {
            d->u[b->row + i] = u[i];
            if (!d->p->delassus) largest = nsci_max(largest, nsci_row_size(b, i, d->p->v));
        }
    }
    for (i = 0; i < d->n; i++) {
        nsc_real a = nsci_dz_a(d, i, i), e = d->u[i], y;
        largest = nsci_max(largest, nsci_abs(d->x[i]) * a);
        if (d->lo[i] >= d->hi[i]) continue;
        y = d->x[i] - e / a;
        if (y < d->lo[i]) e = (d->x[i] - d->lo[i]) * a;
        if (y > d->hi[i]) e = (d->x[i] - d->hi[i]) * a;
        if (!(nsci_abs(e) <= worst)) worst = nsci_abs(e);
    }
    d->noise = NSC_REAL_EPS * (d->scale + largest);
    return worst;
}

/* A residual that may be called rounding; contradicting rows make impulses, and noise, without end. */
static nsc_real nsci_dz_acceptable(const nsci_dz *d)
{
    return nsci_clamp(NSCI_DZ_ROUNDING * d->noise, NSC_R(0.0), NSC_R(0.015625) * d->scale);
}

/* Solve with the bounds as they are, down to rounding.  0: no, the rows contradict each other. */
static int nsci_dz_solve_box(nsci_dz *d)
{
    nsc_real e = NSC_REAL_MAX, last;
    int i, round, idle = 0;
    for (round = 0; round < NSCI_DZ_ROUNDS && idle < 2; round++) {
        d->most_pivots = d->pivots + (unsigned)NSCI_DZ_PIVOTS(d->n);
        nsci_dz_release(d);
        for (i = 0; i < d->n; i++)
            if (nsci_dz_position(d, i) >= d->free_count && !nsci_dz_rests(d, i)) nsci_dz_drive(d, i);
        last = e;
        e = nsci_dz_refresh(d);
        if (!nsci_finite(e)) return 0;
        if (e <= nsci_dz_acceptable(d) && (e <= d->noise || e > NSC_R(0.5) * last)) return 1;
        idle = e > NSC_R(0.9) * last ? idle + 1 : 0;
    }
    return e <= nsci_dz_acceptable(d);
}

/* First bounds of row i of a block: friction is shut, a row without mass has none. */
static void nsci_dz_bounds(const nsc_block *b, int i, nsc_real *lo, nsc_real *hi)
{
    *lo = b->kind == NSC_BLOCK_BOX ? b->lo[i] : -NSC_REAL_MAX;
    *hi = b->kind == NSC_BLOCK_BOX ? b->hi[i] : NSC_REAL_MAX;
    if (b->kind == NSC_BLOCK_CONTACT) *lo = NSC_R(0.0);
    if (b->eff_mass[i] <= NSC_R(0.0) || (b->kind == NSC_BLOCK_CONTACT && i > 0) || b->kind == NSC_BLOCK_ROLLING) *lo = *hi = NSC_R(0.0);
}

/* Cut the arena, form A, take the first guess.  EQUALITY rows start in C, and so do those that the
   guess has strictly between their bounds. */
static void nsci_dz_begin(nsci_dz *d, nsc_problem *p)
{
    nsc_real zero[3], u[3];
    int k, i, r, n = p->row_count;
    d->A = p->arena, d->L = d->A + n * (n + 1) / 2, d->x = d->A + n * (n + 1), d->u = d->x + n;
    d->lo = d->u + n, d->hi = d->lo + n, d->rate = d->hi + n, d->order = d->rate + n;
    d->p = p, d->n = n, d->free_count = 0, d->pivots = 0;
    d->scale = zero[0] = zero[1] = zero[2] = NSC_R(0.0);
    nsci_dz_assemble(d);
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        nsci_block_velocity(p, b, p->v_free, zero, u);
        for (i = 0, r = b->row; i < b->rows; i++, r++) {
            nsci_dz_bounds(b, i, &d->lo[r], &d->hi[r]);
            d->order[r] = (nsc_real)r;
            d->x[r] = nsci_clamp(b->lambda[i], d->lo[r], d->hi[r]);
            if (b->eff_mass[i] > NSC_R(0.0)) d->scale = nsci_max(d->scale, nsci_abs(u[i]));
            if (d->x[r] <= d->lo[r] || d->x[r] >= d->hi[r]) continue;
            if (b->kind == NSC_BLOCK_EQUALITY || nsci_abs(d->x[r]) > NSC_R(0.0)) nsci_dz_enter(d, r);
        }
    }
    nsci_dz_refresh(d);
}

/* Friction bounds from the present normals; rows at a bound follow it.  1: some moved by more than
   rounding. */
static int nsci_dz_bound_friction(nsci_dz *d)
{
    const nsc_block *b;
    int i, r, moved = 0;
    for (b = d->p->blocks; b < d->p->blocks + d->p->block_count; b++)
        for (i = b->kind == NSC_BLOCK_CONTACT, r = b->row + i; b->kind >= NSC_BLOCK_CONTACT && i < b->rows; i++, r++) {
            int rolling = b->kind == NSC_BLOCK_ROLLING;
            nsc_real most = (rolling && i == 0 ? b->hi[0] : b->mu) * d->x[rolling ? b[-1].row : b->row];
            nsc_real limit = b->eff_mass[i] > NSC_R(0.0) ? most : NSC_R(0.0), x = d->x[r];
            int k = nsci_dz_position(d, r), was_free = k < d->free_count;
            moved |= nsci_abs(limit - d->hi[r]) * nsci_dz_a(d, r, r) > d->noise;
            if (was_free && nsci_abs(x) >= limit) nsci_dz_leave(d, k);
            if (!was_free && x > NSC_R(0.0)) x = limit;
            if (!was_free && x < NSC_R(0.0)) x = -limit;
            d->x[r] = nsci_clamp(x, -limit, limit);
            d->hi[r] = limit;
            d->lo[r] = -limit;
        }
    nsci_dz_refresh(d);
    return moved;
}

/* Lowest law that may be asked for: friction here is BOX. */
static int nsci_dz_first_law(const nsc_problem *p)
{
    int k, law = NSC_LAW_COULOMB;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        if (b->kind >= NSC_BLOCK_CONTACT && b->rows == 3 && b->mu > NSC_R(0.0)) law = NSC_LAW_BOX;
    }
    return law;
}

/* 20 sweeps from the best pass that went well, or else from the first guess */
static void nsci_dz_fall_back(nsci_run *run)
{
    int sweep;
    nsci_restore_best(run->problem);
    nsci_apply_lambda(run->problem);
    for (sweep = 0; sweep < 20; sweep++) nsci_sipgs_sweep(run->problem, run->settings, 0);
    nsci_note(run, sweep, nsci_residual(run->problem, run->law));
    if (run->status >= 0) run->status = NSC_SINGULAR;
}

/* NSC_OK: the residual is below the tolerance, or nothing but rounding: NSCI_DZ_ROUNDING units in the
   last place of the largest number u is summed from.  NSC_MAX_ITERATIONS: friction bounds still move. */
NSC_API int nsc_solve_dantzig(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    nsci_run run;
    nsci_dz d;
    int pass, ok, code, n = nsci_is_prepared(p) ? p->row_count : 0;
    if (n > 32000 || (n > 0 && (!p->arena || p->arena_size < NSC_ARENA_DANTZIG(n))))
        return nsci_refuse(report, NSC_ERR_CAPACITY); /* with n > 32000 its size overflows an int */
    code = nsci_begin(&run, NSC_SOLVER_DANTZIG, p, s, n > 0 ? nsci_dz_first_law(p) : NSC_LAW_COULOMB, NSC_LAW_BOX);
    if (code < 0) return nsci_refuse(report, code);
    nsci_keep_best(p);
    nsci_dz_begin(&d, p);
    ok = nsci_dz_solve_box(&d);
    for (pass = 0; ok && pass < s->passes && nsci_dz_bound_friction(&d);) {
        ok = nsci_dz_solve_box(&d);
        if (ok && nsci_note(&run, ++pass, nsci_residual(p, s->law))) break;
    }
    if (!ok) nsci_dz_fall_back(&run);
    else if (pass == 0) nsci_note(&run, 1, nsci_residual(p, s->law)); /* no friction */
    if (ok && run.status > 0 && (pass == 0 || run.best <= nsci_dz_acceptable(&d))) run.status = NSC_OK;
    run.iterations = (int)(d.pivots & (unsigned)-1 >> 1);
    return nsci_finish(&run, report);
}

#endif /* NSC_NO_DANTZIG */

/* ---- >>solve --------------------------------------------------------------------------------- */

NSC_API int nsc_solve(nsc_problem *p, const nsc_settings *s, nsc_report *report)
{
    switch (s ? s->solver : 0) {
    case NSC_SOLVER_SIPGS: return nsc_solve_sipgs(p, s, report);
#ifndef NSC_NO_APGD
    case NSC_SOLVER_APGD: return nsc_solve_apgd(p, s, report);
#endif
#ifndef NSC_NO_BB
    case NSC_SOLVER_BB: return nsc_solve_bb(p, s, report);
#endif
#ifndef NSC_NO_DANTZIG
    case NSC_SOLVER_DANTZIG: return nsc_solve_dantzig(p, s, report);
#endif
    default: return nsci_refuse(report, NSC_ERR_ARGUMENT);
    }
}

/* ---- >>selfcheck ----------------------------------------------------------------------------- */

/* Sums, and products that contraction or wider intermediates would show; the cause alone is named. */
static unsigned nsci_check_sums(void)
{
#ifdef NSC_DOUBLE
    volatile nsc_real e = NSC_R(1.0) / NSC_R(134217728.0), wide = NSC_R(1152921504606846976.0); /* 2^-27, 2^60 */
#else
    volatile nsc_real e = NSC_R(1.0) / NSC_R(4096.0), wide = NSC_R(1e8);
#endif
    volatile nsc_real huge = NSC_R(1.2089258196146292e24), unit = NSC_R(1.0); /* 2^80: beyond x87 too */
    nsc_real one = unit, a = one + e, c = one + NSC_R(2.0) * e, b = huge;
    if (nsci_abs((b + one) - b) > NSC_R(0.0)) return NSC_CHECK_REASSOCIATION;
    b = wide;
    if (nsci_abs((b + one) - b) > NSC_R(0.0)) return NSC_CHECK_EXCESS;
    if (nsci_abs(a * a - c) > NSC_R(0.0)) return NSC_CHECK_CONTRACTION;
    return 0;
}

/* Subnormal numbers, as results and as operands */
static unsigned nsci_check_subnormals(void)
{
    volatile nsc_real tiny = NSC_REAL_MIN, half = NSC_R(0.5), large = NSC_R(1.0) / NSC_REAL_MIN, stored;
    nsc_real product = tiny * half;
    unsigned char bytes[sizeof product];
    unsigned i, any = 0, found = 0;
    NSC_MEMCPY(bytes, &product, sizeof bytes);
    for (i = 0; i < sizeof bytes; i++) any |= bytes[i];
    if (!any) found |= NSC_CHECK_FLUSH_RESULT;
    stored = NSC_REAL_MIN * NSC_R(0.5); /* by the compiler */
    if (!(stored * large > NSC_R(0.25))) found |= NSC_CHECK_FLUSH_OPERAND;
    return found;
}

/* Rounding to nearest; sums are stored at once, so that wider intermediates do not look like it. */
static unsigned nsci_check_rounding(void)
{
    volatile nsc_real unit = NSC_R(1.0), sum;
    nsc_real one = unit, eps = NSC_REAL_EPS, worst;
    sum = one + NSC_R(0.75) * eps;
    worst = nsci_abs(sum - (NSC_R(1.0) + eps));
    sum = -one - NSC_R(0.75) * eps;
    worst = nsci_max(worst, nsci_abs(sum - (NSC_R(-1.0) - eps)));
    sum = one + NSC_R(0.25) * eps;
    worst = nsci_max(worst, nsci_abs(sum - NSC_R(1.0)));
#ifdef NSC_DOUBLE
    sum = NSC_R(1.348221817281072e-10); /* 33 bits down: __aeabi_dsub of libgcc for Thumb-2 is off by one here */
    sum = one - sum;
    worst = nsci_max(worst, nsci_abs(sum - (NSC_R(1.0) - NSC_R(1.348221817281072e-10))));
#endif
    return worst > NSC_R(0.0) ? (unsigned)NSC_CHECK_ROUNDING : 0;
}

/* Division and square root against the compiler's own */
static unsigned nsci_check_division(void)
{
    volatile nsc_real v2 = NSC_R(2.0), v3 = NSC_R(3.0), v5 = NSC_R(5.0), v7 = NSC_R(7.0), v10 = NSC_R(10.0);
    nsc_real three = v3, seven = v7, worst;
    worst = nsci_max(nsci_abs(v5 / three - NSC_R(5.0) / NSC_R(3.0)), nsci_abs(seven / three - NSC_R(7.0) / NSC_R(3.0)));
    worst = nsci_max(worst, nsci_abs(v10 / three - NSC_R(10.0) / NSC_R(3.0)));
    worst = nsci_max(worst, nsci_abs(v5 / seven - NSC_R(5.0) / NSC_R(7.0)));
    worst = nsci_max(worst, nsci_abs(v10 / seven - NSC_R(10.0) / NSC_R(7.0)));
    if (worst > NSC_R(0.0)) return NSC_CHECK_RECIPROCAL;
    worst = nsci_abs(NSC_SQRT(v2) - NSC_R(1.41421356237309504880));
    worst = nsci_max(worst, nsci_abs(NSC_SQRT(three) - NSC_R(1.73205080756887729353)));
    worst = nsci_max(worst, nsci_abs(NSC_SQRT(seven) - NSC_R(2.64575131106459059050)));
    if (worst > NSC_R(0.0)) return NSC_CHECK_SQRT;
    return 0;
}

NSC_API const char *nsc_selfcheck_text(unsigned detail)
{
    if (detail & NSC_CHECK_CONTRACTION) return "a*b+c is contracted";
    if (detail & NSC_CHECK_EXCESS) return "intermediates are wider than their type";
    if (detail & NSC_CHECK_REASSOCIATION) return "sums are reordered";
    if (detail & NSC_CHECK_RECIPROCAL) return "division by multiplication";
    if (detail & NSC_CHECK_FLUSH_RESULT) return "subnormal results become zero";
    if (detail & NSC_CHECK_FLUSH_OPERAND) return "subnormal operands count as zero";
    if (detail & NSC_CHECK_ROUNDING) return "sums are not rounded to nearest";
    if (detail & NSC_CHECK_SQRT) return "square root is not correctly rounded";
    if (detail & NSC_CHECK_SCENE) return "a scene ends in other bits";
    return "ok";
}

NSC_API int nsc_selfcheck(unsigned *detail)
{
    unsigned found = nsci_check_rounding();
    if (!found) found = nsci_check_sums();
    if (!found) found = nsci_check_division();
    found |= nsci_check_subnormals();
    if (detail) *detail = found;
    return found ? NSC_ERR_ARITHMETIC : NSC_OK;
}

#ifdef __cplusplus
}
#endif
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

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT.  IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
