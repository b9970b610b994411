/* nsc_all_solvers.h - nsc_solvers.h with every solver
   MIT licence, at the end of nsc.h.
   Beside it: nsc_solvers.h, nsc_bb.h, nsc_minres.h, nsc_newton.h, nsc_admm.h, nsc_auto.h,
   nsc_waves.h.
   Include it in place of nsc_solvers.h; nsc_all.h includes it.  What you define before keeps its
   value: -DNSC_BB=0 leaves that solver out, NSC_ONLY_SIPGS all but SIPGS. */
#ifdef NSC_CONFIG_H
#include NSC_CONFIG_H
#endif

#ifndef NSC_ONLY_SIPGS
#ifndef NSC_BB
#define NSC_BB 1
#endif
#ifndef NSC_MINRES
#define NSC_MINRES 1
#endif
#ifndef NSC_NEWTON
#define NSC_NEWTON 1
#endif
#ifndef NSC_ADMM
#define NSC_ADMM 1
#endif
#ifndef NSC_AUTO
#define NSC_AUTO 1
#endif
#endif
#ifndef NSC_WAVES
#define NSC_WAVES 1
#endif

#include "nsc_solvers.h"
