/* nsc_bound.h - v0.1.0 - the most a step of nsc can cost, known when it is compiled
   MIT licence at the end of the file.  Needs nsc.h, which it includes.  Macros only.

   EXAMPLE
       #define NSC_BOUND_SHAPES NSC_BOUND_BOXES    spheres, capsules, boxes and half-spaces, no more
       #include "nsc_bound.h"

       static const long most = NSC_BOUND_INSTRUCTIONS(20, 1, 0);
       typedef char in_time[NSC_BOUND_INSTRUCTIONS(20, 1, 0) < 168000000 / 100 ? 1 : -1];

   20 sweeps, 1 sub-step, no restitution, of the capacities (NSC_MAX_*) this file is compiled with.
   All are of type long, which may have 32 bits: factors of more than 80 bodies overflow it.

   TWO KINDS OF NUMBER
       counts         pairs, points, blocks, visits, factors and their operations: of the code, for
                      every shape, stepper and law; see each macro.  They hold whatever the numbers
       instructions   of Cortex-M4F, GCC 12.2 -O2, float: counts times a table of what each cost at
                      most.  The table is measured (make bound), over scenes found by a search for
                      dear ones, and rounded up by a tenth; it is no proof.  make bound fails if a
                      step of its scenes is above the bound, or the dearest of them below 60 % of
                      it.  They allow for judge 1 and check_interval 1: with SIPGS and judge 0, the
                      default, the dearest steps found were below half of the bound
   Instructions are of hard contact, EULER_IMPLICIT_LINEARIZED, the law COULOMB, fewer than 64
   shapes and the solvers SIPGS, NEWTON and AUTO (which was not measured, nor counted where joints
   alone make it try MINRES); without springs, rolling friction, callbacks and smooth contact, and
   of shapes only those of NSC_BOUND_SHAPES. */
#ifndef NSC_KIT_BOUND_H
#define NSC_KIT_BOUND_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

/* Dearest shapes allowed */
#define NSC_BOUND_ROUND 0 /* spheres, capsules, half-spaces */
#define NSC_BOUND_BOXES 1 /* these and boxes */
#ifndef NSC_BOUND_SHAPES
#define NSC_BOUND_SHAPES NSC_BOUND_BOXES
#endif

#define NSCI_BOUND_MORE(a, b) ((a) > (b) ? (a) : (b))

/* ---- counts of a step, all of type long */

/* Pairs of shapes: all of them */
#define NSC_BOUND_PAIRS (((long)NSC_MAX_SHAPES * (NSC_MAX_SHAPES - 1L)) / 2)

/* Contact points found, and of these kept and dropped; yours are among the kept */
#define NSC_BOUND_POINTS (NSC_BOUND_PAIRS * NSCI_MAX_POINTS)
#define NSC_BOUND_CONTACTS ((long)NSC_MAX_CONTACTS)
#define NSC_BOUND_DROPPED NSCI_BOUND_MORE(NSC_BOUND_POINTS - NSC_BOUND_CONTACTS, 0L)

/* Blocks of three rows to be solved */
#define NSC_BOUND_BLOCKS ((long)NSC_MAX_BLOCKS)

/* How often the problems are built: stepper: NSC_STEPPER_*; newton: nsc_world_def.newton_steps.
   Newton's method tries each of its steps, and up to eight halves of it. */
#define NSC_BOUND_BUILDS(stepper, substeps, newton) \
    ((stepper) >= NSC_STEPPER_EULER_IMPLICIT ? 9L * (newton) * (substeps) \
     : (stepper) == NSC_STEPPER_EULER_IMPLICIT_PROJECTED ? 2L * (substeps) \
                                                         : 1L * (substeps))

/* How often they are solved.  bounces: 1: shapes have restitution, which may take a second solve */
#define NSC_BOUND_SOLVES(stepper, substeps, newton, bounces) \
    ((1L + ((bounces) != 0)) * \
     ((stepper) >= NSC_STEPPER_EULER_IMPLICIT ? 1L * (newton) * (substeps) \
                                              : NSC_BOUND_BUILDS(stepper, substeps, newton)))

/* Steps of NEWTON with the factor of an earlier step: from the sixth factor on, four each but of
   the last */
#define NSC_BOUND_AGAIN(factors) ((factors) > 6 ? 4L * ((factors) - 6L) : 0L)

/* Sweeps of one solve.  NEWTON makes 50, and after each step but the last up to 200 where it is
   stuck, fewer the fewer factors are left; AUTO all of SIPGS first. */
#define NSC_BOUND_SWEEPS_NEWTON(factors) \
    (50L + 200L * NSC_BOUND_AGAIN(factors) + \
     ((factors) > 12 ? 1100L + 200L * ((factors) - 12L) \
                     : 200L * (factors) * ((factors) - 1L) / 24))
#define NSC_BOUND_SWEEPS(solver, iterations, factors) \
    ((solver) == NSC_SOLVER_NEWTON ? NSC_BOUND_SWEEPS_NEWTON(factors) \
     : (solver) == NSC_SOLVER_AUTO ? (iterations) + NSC_BOUND_SWEEPS_NEWTON(factors) \
                                   : (long)(iterations))

/* Visits of a block, each an exact solve of its rows */
#define NSC_BOUND_VISITS(solver, iterations, factors) \
    (NSC_BOUND_BLOCKS * NSC_BOUND_SWEEPS(solver, iterations, factors))

/* Times a block's defect is measured beside that: SIPGS looks after a sweep that changed little, at
   its end, and once back at the first guess; AUTO begins anew every ten sweeps. */
#define NSC_BOUND_LOOKS(solver, iterations) \
    (NSC_BOUND_BLOCKS * \
     ((solver) == NSC_SOLVER_NEWTON ? 3L \
      : (solver) == NSC_SOLVER_AUTO ? 7L + (iterations) + 3L * (iterations) / 10L \
                                    : 4L + (iterations)))

/* Multiplications of one factor, and of the triangular solves of a step with it.  factors of a
   solve: at most max_factorizations, by default NSC_WORLD_FACTORIZATIONS */
#define NSCI_BOUND_ORDER (6L * (NSC_MAX_BODIES - 1L))
#define NSC_BOUND_FACTOR_OPERATIONS \
    (NSCI_BOUND_ORDER * (NSCI_BOUND_ORDER + 1) * (NSCI_BOUND_ORDER + 2) / 6)
#define NSC_BOUND_STEP_OPERATIONS (18L * NSCI_BOUND_ORDER * (NSCI_BOUND_ORDER + 1))

/* ---- instructions: the table, written by tests/targets/bound.sh accept */
/* begin */
#define NSC_BOUND_M4F_STEP 1123L
#define NSC_BOUND_M4F_BODY 2570L
#define NSC_BOUND_M4F_BODY_AGAIN 2087L
#define NSC_BOUND_M4F_ROUND_PAIR 2438L
#define NSC_BOUND_M4F_BOX_PAIR 7203L
#define NSC_BOUND_M4F_DROP 12L
#define NSC_BOUND_M4F_CONTACT 1064L
#define NSC_BOUND_M4F_BLOCK 1380L
#define NSC_BOUND_M4F_JOINT 1396L
#define NSC_BOUND_M4F_VISIT 708L
#define NSC_BOUND_M4F_LOOK 808L
#define NSC_BOUND_M4F_JOINT_VISIT 487L
#define NSC_BOUND_M4F_JOINT_LOOK 527L
#define NSC_BOUND_M4F_NEWTON_BLOCK 25023L
#define NSC_BOUND_M4F_OPERATION 4L
/* end */

/* ---- instructions of a step, of type long */

#define NSCI_BOUND_PAIR \
    (NSC_BOUND_SHAPES == NSC_BOUND_ROUND ? NSC_BOUND_M4F_ROUND_PAIR : NSC_BOUND_M4F_BOX_PAIR)
/* of points found per pair: those of round shapes are two at most */
#define NSCI_BOUND_DROPS \
    NSCI_BOUND_MORE(NSC_BOUND_PAIRS * (NSC_BOUND_SHAPES == NSC_BOUND_ROUND ? 2L : 4L) - \
                        NSC_BOUND_CONTACTS, 0L)

/* All but the solver */
#define NSC_BOUND_M4F_REST(substeps) \
    (NSC_BOUND_M4F_STEP + NSC_MAX_BODIES * (NSC_BOUND_M4F_BODY + \
                                            ((substeps) - 1L) * NSC_BOUND_M4F_BODY_AGAIN) + \
     NSC_BOUND_PAIRS * (long)NSCI_BOUND_PAIR + \
     NSCI_BOUND_DROPS * NSC_MAX_CONTACTS * NSC_BOUND_M4F_DROP + \
     NSC_BOUND_CONTACTS * NSC_BOUND_M4F_CONTACT + NSC_MAX_JOINTS * (long)NSC_BOUND_M4F_JOINT + \
     (substeps) * NSC_BOUND_BLOCKS * NSC_BOUND_M4F_BLOCK)

/* Of a sweep, and of a look at every block: those of joints are cheaper than those of contacts */
#define NSCI_BOUND_JOINT_BLOCKS ((long)NSC_MAX_JOINT_BLOCKS)
#define NSCI_BOUND_A_SWEEP(contact, joint) \
    ((NSC_BOUND_BLOCKS - NSCI_BOUND_JOINT_BLOCKS) * (contact) + NSCI_BOUND_JOINT_BLOCKS * (joint))
#define NSCI_BOUND_SWEPT(solver, iterations, factors) \
    (NSC_BOUND_SWEEPS(solver, iterations, factors) * \
         NSCI_BOUND_A_SWEEP(NSC_BOUND_M4F_VISIT, NSC_BOUND_M4F_JOINT_VISIT) + \
     NSC_BOUND_LOOKS(solver, iterations) / NSC_BOUND_BLOCKS * \
         NSCI_BOUND_A_SWEEP(NSC_BOUND_M4F_LOOK, NSC_BOUND_M4F_JOINT_LOOK))

/* SIPGS.  iterations: max_iterations, a constant, as the others */
#define NSC_BOUND_INSTRUCTIONS(iterations, substeps, bounces) \
    (NSC_BOUND_M4F_REST(substeps) + \
     (1L + ((bounces) != 0)) * (substeps) * NSCI_BOUND_SWEPT(NSC_SOLVER_SIPGS, iterations, 0))

/* NEWTON and AUTO.  factors: max_factorizations, by default NSC_WORLD_FACTORIZATIONS.  The table's
   part of a step of NEWTON is the largest that was met; how its line search may end is not bounded
   better than by that.  A step with an earlier factor makes up to twice the steps of BiCGStab and
   counts twice. */
#define NSC_BOUND_INSTRUCTIONS_BY(solver, iterations, factors, substeps, bounces) \
    (NSC_BOUND_M4F_REST(substeps) + \
     (1L + ((bounces) != 0)) * (substeps) * \
         (NSCI_BOUND_SWEPT(solver, iterations, factors) + \
          ((factors) + 2L * NSC_BOUND_AGAIN(factors)) * \
              (NSC_BOUND_BLOCKS * NSC_BOUND_M4F_NEWTON_BLOCK + \
               NSC_BOUND_STEP_OPERATIONS * NSC_BOUND_M4F_OPERATION) + \
          (factors) * NSC_BOUND_FACTOR_OPERATIONS * NSC_BOUND_M4F_OPERATION))

#endif /* NSC_KIT_BOUND_H */

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
