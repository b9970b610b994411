/* nsc_selfcheck.h - does this build, on this machine, compute the bits that every other one does
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, or after nsc_solvers.h alone, also where NSC_IMPLEMENTATION is
   defined.  It costs nothing until called.
   Beside it: nsc_solvers.h. */
#ifndef NSC_SELFCHECK_H
#define NSC_SELFCHECK_H

#ifndef NSC_NONSMOOTH_SOLVERS_H
#include "nsc_solvers.h"
#endif

NSCI_C_BEGIN

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
   (tests/bits/test_flush.c), as a step keeps its numbers at 0 or above NSCI_REAL_TINY; it is not
   proved for every world, and masses below 1e-6 kg were not tried.  Call it when the firmware
   boots.  Cost: about 100 operations.  nsc_world_selfcheck also runs a scene. */
NSC_API int nsc_selfcheck(unsigned *detail);

/* A short English text for the first cause in detail; never NULL, but empty with NSC_NO_TEXTS. */
NSC_API const char *nsc_selfcheck_text(unsigned detail);

#ifdef NSC_NONSMOOTH_CONTACT_H
/* Run nsc_selfcheck, then a fixed scene of 64 steps in `scratch` (overwritten; take your own world
   before nsc_world_init), and compare every bit with the reference, which every build must reach.
   detail as in nsc_selfcheck.  Returns 0, NSC_ERR_ARITHMETIC, NSC_ERR_ARGUMENT, NSC_ERR_CONFIG.
   Without room for two bodies, two shapes and four contacts the scene is left out. */
NSC_API int nsci_world_selfcheck(nsc_world *scratch, unsigned *detail, size_t size,
                                 uint32_t config);
static NSC_MAYBE_UNUSED int nsc_world_selfcheck(nsc_world *scratch, unsigned *detail)
{
    return nsci_world_selfcheck(scratch, detail, sizeof(nsc_world), NSCI_CONFIG_WORD);
}
#endif

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_SELFCHECK_DONE)
#define NSC_SELFCHECK_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

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

/* Quotients and roots of numbers unknown to the compiler, against its constants.  Several divisions
   by one number stand together: there compilers multiply by its reciprocal. */
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

#ifdef NSC_NONSMOOTH_CONTACT_H /* ---- the scene */

/* FNV-1a over the bytes of n reals, the low byte first on every machine */
static uint32_t nsci_hash(uint32_t hash, const void *reals, int n)
{
    const unsigned char *from = (const unsigned char *)reals;
    nsc_real one = 1;
    unsigned char bytes[sizeof(nsc_real)];
    size_t i, size = sizeof(nsc_real), flip;
    int k;
    NSC_MEMCPY(bytes, &one, size);
    flip = bytes[0] != 0 ? size - 1 : 0; /* 1 has a non-zero high byte and a zero low byte */
    for (k = 0; k < n; k++, from += size) {
        NSC_MEMCPY(bytes, from, size);
        for (i = 0; i < size; i++)
            hash = (hash ^ bytes[flip ? flip - i : i]) * UINT32_C(16777619);
    }
    return hash;
}

/* A box thrown on its corner: bounce, slide, spin, rest; every stage of a step takes part. */
NSCI_OWN_FRAME int nsci_selfcheck_begin(nsc_world *w, size_t size, uint32_t config)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.3), NSC_R(0.2), NSC_R(0.1));
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_body_def body = nsc_default_body_def();
    int code;
    def.solver.max_iterations = 20;
    code = nsci_world_init(w, &def, size, config);
    if (code < 0)
        return code;
    box.restitution = NSC_R(0.25);
    body.pose.position.z = NSC_R(0.5);
    body.velocity = nsci_vec(1, NSC_R(-0.5), -3);
    body.angular_velocity = nsci_vec(2, -3, 5);
    nsc_world_add_shape(w, nsc_world_add_body(w, &body), &box);
    nsc_world_add_shape(w, NSC_GROUND, &ground);
    return NSC_OK;
}

static uint32_t nsci_selfcheck_scene(nsc_world *w)
{
    const nsc_body *b = &w->bodies[NSC_MAX_BODIES > 1];
    uint32_t hash = UINT32_C(2166136261);
    int i;
    for (i = 0; i < 64; i++) {
        nsc_world_step(w, NSC_R(0.0078125));
        hash = nsci_hash(hash, &b->position, 3);
        hash = nsci_hash(hash, &b->orientation, 4);
        hash = nsci_hash(hash, &b->velocity, 3);
        hash = nsci_hash(hash, &b->angular_velocity, 3);
    }
    return hash;
}

#define NSCI_SELFCHECK_HASH \
    (sizeof(nsc_real) == sizeof(float) ? UINT32_C(0x4ef3965e) : UINT32_C(0x7b199ff6))

NSC_API int nsci_world_selfcheck(nsc_world *w, unsigned *detail, size_t size, uint32_t config)
{
    unsigned found = 0;
    int code = nsci_selfcheck_begin(w, size, config);
    if (code < 0)
        return code;
    code = nsc_selfcheck(&found);
    if (code >= 0 && NSC_MAX_BODIES >= 2 && NSC_MAX_SHAPES >= 2 && NSC_MAX_CONTACTS >= 4)
        if (nsci_selfcheck_scene(w) != NSCI_SELFCHECK_HASH) {
            code = NSC_ERR_ARITHMETIC;
            found |= NSC_CHECK_SCENE;
        }
    if (detail)
        *detail = found;
    return code;
}
#endif

NSCI_C_END
NSCI_BITS_END
#endif
