/* nsc_all_solvers.h - nsc_solvers.h with every solver
   MIT licence, at the end of nsc.h.
   Beside it: nsc_solvers.h, nsc_bb.h, nsc_minres.h, nsc_newton.h, nsc_admm.h, nsc_factor.h,
   nsc_auto.h, nsc_tree.h, nsc_tree_forest.h, nsc_tree_hinge.h, nsc_waves.h, nsc_lanes.h.
   Include it in place of nsc_solvers.h; nsc_all.h includes it.  NSC_WAVES keeps its value. */
#ifdef NSC_CONFIG_H
#include NSC_CONFIG_H
#endif

#ifndef NSC_WAVES
#define NSC_WAVES 1
#endif
#ifndef NSC_AUTO_LIST
#define NSC_AUTO_LIST \
    NSC_AUTO_NEWTON, NSC_AUTO_ADMM, NSC_AUTO_BB, NSC_AUTO_APGD, NSC_AUTO_MINRES, NSC_AUTO_DANTZIG
#endif

#include "nsc_solvers.h"
#include "nsc_bb.h"
#include "nsc_minres.h"
#include "nsc_newton.h"
#include "nsc_admm.h"
#include "nsc_tree.h"
#include "nsc_auto.h"
