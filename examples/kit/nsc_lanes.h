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

/* In float, the rows of a block by vectors too */
#ifdef NSC_DOUBLE
#define NSCI_VECTOR_ROWS 0
#define nsci_arms_velocity(k, grounded, va, vb, u) ((void)0)
#define nsci_arms_apply(ma, mb, k, grounded, d, va, vb) ((void)0)
#define nsci_add_turn(m, s, d, w) nsci_turn_by_numbers(m, s, d, w)
#else
#define NSCI_VECTOR_ROWS 1
/* (i, j, k, l) of the eight elements of a and b */
#ifdef __clang__
#define NSCI_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int nsci_picks __attribute__((vector_size(16)));
NSCI_INLINE nsci_lanes nsci_pick(nsci_lanes a, nsci_lanes b, int i, int j, int k, int l)
{
    nsci_picks which = {i, j, k, l};
    return __builtin_shuffle(a, b, which);
}
#define NSCI_PICK(a, b, i, j, k, l) nsci_pick(a, b, i, j, k, l)
#endif
#define NSCI_ALL(x, i) NSCI_PICK(x, x, i, i, i, i)
/* Of a vector (x, y, z, .): (y, z, x, .) and (z, x, y, .) */
#define NSCI_YZX(x) NSCI_PICK(x, x, 1, 2, 0, 0)
#define NSCI_ZXY(x) NSCI_PICK(x, x, 2, 0, 1, 1)

/* A body's velocity in two registers, its elements 0..3 and 4, 5.  Loads are as the stores were, or
   they would wait for these. */
typedef struct nsci_six { nsci_lanes low, high; } nsci_six;
NSCI_INLINE nsci_six nsci_six_at(const nsc_real *v)
{
    nsci_halves high = {*(const nsci_half *)(v + 4), 0};
    nsci_six six;
    six.low = NSCI_CONST_AT(v);
    six.high = (nsci_lanes)high;
    return six;
}
NSCI_INLINE void nsci_put_six(nsc_real *v, nsci_lanes low, nsci_lanes high)
{
    NSCI_AT(v) = low;
    *(nsci_half *)(v + 4) = ((nsci_halves)high)[0];
}

/* nsci_arm_velocity */
NSCI_INLINE nsci_lanes nsci_vector_velocity(const nsc_real *v, const nsc_real *arm)
{
    nsci_six six = nsci_six_at(v);
    nsci_lanes yzx = NSCI_PICK(six.high, six.low, 0, 1, 7, 7); /* of the angular velocity */
    nsci_lanes r = NSCI_CONST_AT(arm);
    return six.low + (yzx * NSCI_ZXY(r) - NSCI_YZX(yzx) * NSCI_YZX(r));
}

/* u = J v + bias of three rows at arms */
NSCI_INLINE void nsci_arms_velocity(const nsc_block *k, int grounded, const nsc_real *va,
                                    const nsc_real *vb, nsc_real *u)
{
    nsci_lanes x = nsci_vector_velocity(vb, k->arm_b);
    const nsc_real *d = nsci_axes(k, NSC_ROWS_AT_ARMS);
    nsci_lanes d0 = NSCI_CONST_AT(d);
    nsci_lanes d1 = NSCI_CONST_AT(d + NSCI_APART);
    nsci_lanes d2 = NSCI_CONST_AT(d + 2 * NSCI_APART);
    nsci_lanes low = NSCI_PICK(d0, d1, 0, 4, 1, 5);
    nsci_lanes high = NSCI_PICK(d0, d1, 2, 6, 3, 7);
    nsci_lanes sum;
    if (!grounded)
        x -= nsci_vector_velocity(va, k->arm_a);
    sum = NSCI_PICK(low, d2, 0, 1, 4, 4) * NSCI_ALL(x, 0) +
          NSCI_PICK(low, d2, 2, 3, 5, 5) * NSCI_ALL(x, 1) +
          NSCI_PICK(high, d2, 0, 1, 6, 6) * NSCI_ALL(x, 2);
    sum += NSCI_CONST_AT(k->bias);
    u[0] = sum[0];
    u[1] = sum[1];
    u[2] = sum[2];
}

/* I^-1 t, t = (x, y, z, .) */
NSCI_INLINE nsci_lanes nsci_vector_turn(const nsc_mass *m, nsci_lanes t)
{
    nsci_lanes low = NSCI_CONST_AT(m->inv_inertia); /* xx yy zz xy */
    nsci_lanes high = NSCI_CONST_AT(m->inv_inertia + 2); /* zz xy xz yz */
    return NSCI_PICK(low, high, 0, 3, 6, 6) * NSCI_ALL(t, 0) +
           NSCI_PICK(low, high, 3, 1, 7, 7) * NSCI_ALL(t, 1) +
           NSCI_PICK(high, high, 2, 3, 0, 0) * NSCI_ALL(t, 2);
}

/* The change of a body's velocity by an impulse x = (x, y, z, .) at its arm */
NSCI_INLINE nsci_six nsci_vector_impulse(const nsc_mass *m, nsci_lanes x, const nsc_real *arm)
{
    nsci_lanes r = NSCI_CONST_AT(arm);
    nsci_lanes turn = nsci_vector_turn(m, NSCI_YZX(r) * NSCI_ZXY(x) - NSCI_ZXY(r) * NSCI_YZX(x));
    nsci_lanes linear = m->inv_mass * x;
    nsci_six change;
    change.low = NSCI_PICK(linear, NSCI_PICK(linear, turn, 2, 2, 4, 4), 0, 1, 4, 6);
    change.high = NSCI_PICK(turn, turn, 1, 2, 2, 2);
    return change;
}

/* (va, vb) += M^-1 J^T d of three rows at arms */
NSCI_INLINE void nsci_arms_apply(const nsc_mass *ma, const nsc_mass *mb, const nsc_block *k,
                                 int grounded, const nsc_real *d, nsc_real *va, nsc_real *vb)
{
    const nsc_real *axes = nsci_axes(k, NSC_ROWS_AT_ARMS);
    nsci_lanes x = d[0] * NSCI_CONST_AT(axes) + d[1] * NSCI_CONST_AT(axes + NSCI_APART) +
                   d[2] * NSCI_CONST_AT(axes + 2 * NSCI_APART);
    nsci_six change = nsci_vector_impulse(mb, x, k->arm_b);
    nsci_six v = nsci_six_at(vb);
    nsci_put_six(vb, v.low + change.low, v.high + change.high);
    if (grounded)
        return;
    change = nsci_vector_impulse(ma, x, k->arm_a);
    v = nsci_six_at(va);
    nsci_put_six(va, v.low - change.low, v.high - change.high);
}

/* w += the change of a body's angular velocity by the angular impulse s d */
NSCI_INLINE void nsci_add_turn(const nsc_mass *m, nsc_real s, const nsc_real *d, nsc_real *w)
{
    nsci_lanes t = NSCI_CONST_AT(d - 1);
    nsci_six v = nsci_six_at(w - 3);
    nsci_lanes turn = s * nsci_vector_turn(m, NSCI_PICK(t, t, 1, 2, 3, 3));
    nsci_lanes low = v.low + NSCI_PICK(turn, turn, 1, 1, 1, 0);
    low = NSCI_PICK(v.low, NSCI_PICK(v.low, low, 2, 2, 7, 7), 0, 1, 4, 6);
    nsci_put_six(w - 3, low, v.high + NSCI_PICK(turn, turn, 1, 2, 2, 2));
}
#endif

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
