/* nsc_lanes.h - the kernels of nsc_solvers.h by vectors of 16 bytes; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_LANES 1; NSC_WAVES 1 turns it on.
   Beside it: nsc_solvers.h.

   On x86-64 and AArch64, by GCC and clang with optimisation; elsewhere it changes nothing.  Lanes
   and order of the sums are those of the plain code, so the bits are the same. */
/* nsc_solvers.h includes it where its kernels stand. */
#if defined(NSCI_CODE) && NSCI_HAS_LANES
#define NSC_LANES_H

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
NSC_MAYBE_UNUSED NSCI_INLINE void nsci_axpy12(nsc_real s, const nsc_real *NSC_RESTRICT x,
                                              nsc_real *va, nsc_real *vb)
{
#define NSCI_ADD(v, j) v + s *NSCI_CONST_AT(x + j)
    NSCI_UPDATE(va, vb);
#undef NSCI_ADD
}

/* Are the first numbers of x finite?  done: how many were looked at */
static int nsci_lanes_finite(const nsc_real *x, int n, int *done)
{
    nsci_lanes sum = {0}; /* of x - x, which is NaN unless x is finite */
    const int lanes = (int)(sizeof sum / sizeof *x);
    int i;
    for (i = 0; i + lanes <= n; i += lanes)
        sum += NSCI_CONST_AT(x + i) - NSCI_CONST_AT(x + i);
    *done = i;
    return sum[0] + sum[1] + sum[lanes - 2] + sum[lanes - 1] >= 0;
}

#endif
