/* fuzz.h - what the fuzz targets share: bytes decoded into calls, and the checks on what comes back */
#ifndef NSC_FUZZ_H
#define NSC_FUZZ_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failed check ends the process, so that libFuzzer keeps the input. */
#define FUZZ_CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), abort()))

/* The bytes of one input; zeros once it is used up. */
typedef struct fuzz_input {
    const uint8_t *at, *end;
} fuzz_input;

static int fuzz_byte(fuzz_input *in) { return in->at < in->end ? *in->at++ : 0; }

static uint32_t fuzz_word(fuzz_input *in)
{
    uint32_t word = 0;
    int i;
    for (i = 0; i < 4; i++) word = word << 8 | (uint32_t)fuzz_byte(in);
    return word;
}

/* Mostly a small integer, negative ones among them; sometimes an extreme one. */
static int fuzz_int(fuzz_input *in)
{
    static const int extreme[8] = {2147483647, -2147483647 - 1, 65535, 65536, 32767, 131072, 1000, -1000};
    int b = fuzz_byte(in);
    return b < 248 ? b % 124 - (b >= 124 ? 4 : 0) : extreme[b - 248];
}

/* Mostly an ordinary number in steps of 1/32; below 64 one that is odd in some way. */
static nsc_real fuzz_real(fuzz_input *in)
{
    static const nsc_real power[8] = {NSC_R(1e-30), NSC_R(1e-12), NSC_R(1e-6), NSC_R(1e-3), NSC_R(1e3), NSC_R(1e6), NSC_R(1e9), NSC_R(1e18)};
    int b = fuzz_byte(in);
    nsc_real big = NSC_REAL_MAX, sign = b % 2 ? NSC_R(-1.0) : NSC_R(1.0);
    float given;
    uint32_t word;
    if (b >= 64) return (nsc_real)(b - 160) / NSC_R(32.0);
    if (b >= 48) return sign * power[b / 2 - 24];
    switch (b / 2) {
    case 0: return sign * NSC_R(0.0);
    case 1: return sign * NSC_REAL_MIN;
    case 2: return sign * NSC_REAL_MIN * NSC_REAL_EPS; /* the least subnormal */
    case 3: return sign * NSC_REAL_EPS;
    case 4: return sign * big;
    case 5: return sign * big / NSC_R(4.0);
    case 6: return sign * NSC_SQRT(big);
    case 7: return sign * NSC_SQRT(big) * NSC_R(0.1);
    case 8: return sign * NSC_SQRT(NSC_SQRT(big));
    case 9: return sign * NSC_SQRT(NSC_REAL_MIN);
    case 10: return sign * (big * NSC_R(2.0));
    case 11: return sign * (big * NSC_R(2.0) - big * NSC_R(2.0)); /* not a number */
    case 12: return sign * NSC_SQRT(big) / NSC_REAL_EPS;
    case 13: return sign * NSC_R(2e5);
    case 14: return sign * NSC_R(1e-18);
    case 15: return sign * NSC_R(1e-9);
    case 16: return sign * NSC_R(1e-2);
    case 17: return sign * NSC_R(1e4);
    case 18: return sign * NSC_R(100.0);
    default: break;
    }
    if (b < 44) return sign * (nsc_real)fuzz_byte(in) / NSC_R(256.0);
    word = fuzz_word(in);
    memcpy(&given, &word, sizeof given);
    return (nsc_real)given;
}

static inline void fuzz_reals(fuzz_input *in, nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++) x[i] = fuzz_real(in);
}

static int fuzz_finite(const nsc_real *x, int n)
{
    int i, ok = 1;
    for (i = 0; i < n; i++) ok &= x[i] - x[i] == NSC_R(0.0);
    return ok;
}

/* FNV-1a: what two runs of the same input must agree on */
static inline uint32_t fuzz_mix(uint32_t digest, const void *bytes, size_t n)
{
    const uint8_t *b = (const uint8_t *)bytes;
    size_t i;
    for (i = 0; i < n; i++) digest = (digest ^ b[i]) * UINT32_C(16777619);
    return digest;
}

/* One field of a definition that an input may change: `count` numbers that begin at `offset`. */
typedef struct fuzz_field {
    size_t offset;
    int count;
    char kind; /* 'r' real, 'i' int, 'u' 32 bits, 'h' handle */
} fuzz_field;

#define FUZZ_REAL(type, name) {offsetof(type, name), (int)(sizeof ((type *)0)->name / sizeof(nsc_real)), 'r'}
#define FUZZ_INT(type, name) {offsetof(type, name), (int)(sizeof ((type *)0)->name / sizeof(int)), 'i'}
#define FUZZ_BITS(type, name) {offsetof(type, name), 1, 'u'}
#define FUZZ_HANDLE(type, name) {offsetof(type, name), 1, 'h'}

static int32_t fuzz_handle(fuzz_input *in); /* of the target that has handles */

/* Change up to seven numbers of a definition.  The fields from `old` on came later: a byte from 240 on chooses one of them, so
   that inputs made before mean what they did. */
static inline void fuzz_change_newer(fuzz_input *in, void *def, const fuzz_field *fields, int count, int old)
{
    int n = fuzz_byte(in) % 8, b, k;
    for (; n > 0; n--) {
        int which = fuzz_byte(in);
        const fuzz_field *f = &fields[which >= 240 && old < count ? old + (which - 240) % (count - old) : which % old];
        char *at = (char *)def + f->offset;
        b = f->count > 1 ? fuzz_byte(in) % f->count : 0;
        if (f->kind == 'r') ((nsc_real *)(void *)at)[b] = fuzz_real(in);
        else if (f->kind == 'i') {
            k = fuzz_int(in);
            memcpy(at + (size_t)b * sizeof k, &k, sizeof k);
        } else if (f->kind == 'u') {
            uint32_t word = fuzz_word(in);
            memcpy(at, &word, sizeof word);
        } else {
            int32_t id = fuzz_handle(in);
            memcpy(at, &id, sizeof id);
        }
    }
}

static inline void fuzz_change(fuzz_input *in, void *def, const fuzz_field *fields, int count)
{
    fuzz_change_newer(in, def, fields, count, count);
}

/* Your function for several cores, on one: the parts in an order that `order` chooses, each once. */
static inline void fuzz_parts(void (*work)(void *job, int part), void *job, int parts, unsigned order)
{
    int left[8], n = parts, i;
    FUZZ_CHECK(parts >= 2 && parts <= 8);
    for (i = 0; i < n; i++) left[i] = i;
    for (; n > 0; n--) {
        i = (int)(order % (unsigned)n);
        work(job, left[i]);
        left[i] = left[n - 1];
        order = order / 4 + 12345u * (order % 4) + 1u;
    }
}
#endif
