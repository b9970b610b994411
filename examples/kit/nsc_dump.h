/* nsc_dump.h - v0.1.0 - a contact problem as text
   MIT licence at the end of the file.  Needs nsc.h, which it includes.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_dump.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too: with
   NSC_STATIC all functions are static, and the capacities must be the same in every file.  Where
   nsc_solvers.h alone is included before, or without nsc_problem.h, nsc_world_dump is left out.

   EXAMPLE
       static void put(void *user, const char *text)
       {
           fputs(text, (FILE *)user);
       }

       nsc_world_dump(&world, 1 / 240.0f, 0, put, file);

   A device writes the problem on which a step went wrong, over a serial line for example, and a
   host tries every solver on it.

   FORMAT  Words and numbers apart by white space.  Numbers with a fraction are C hexadecimal floats
   (0x1.8p+1 is 3) for strtod and fscanf, every bit exact; unbounded is inf or -inf.  Bodies that
   impulses move are numbered from 0 in the order of the problem; -1 is any other, whose velocity
   has gone into the bias of the rows, so that its half of J acts on nothing.

       fcp1 global BODIES CONTACTS nsc
           BODIES times     mass  inertia: xx yy zz xy xz yz  free velocity: vx vy vz wx wy wz
           CONTACTS times   a b mu  bias[3]  J[3][12]                 0 for rows it does not have
       joints OTHERS                                                  blocks that are no contacts
           OTHERS times     a b kind rows mu, then for each row       J[12] bias cfm lo hi
       inverse
           BODIES times     inverse mass  inverse inertia[6]
       order BLOCKS                                                   all blocks as the solver does
           BLOCKS times     kind rows  cfm[3]  lambda[3]  form        lambda: the first guess
                            and, if form is 1, arm_a[3] arm_b[3]
       bias_error X                                                   only if it is not 0
       turned                                                         only if the problem is

   Readers of plain contact problems stop at "joints".  What follows is what a solver needs to
   reproduce the bits.  The inertia is in the world frame, and mass and inertia are the inverses of
   the problem's, so that 1 / mass may differ from the inverse mass in its last bit. */
#ifndef NSC_KIT_DUMP_H
#define NSC_KIT_DUMP_H

#ifndef NSC_NONSMOOTH_SOLVERS_H
#include "nsc.h"
#endif
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Write a problem, prepared or not, from nsc_world_problem or of your own.  `write` gets the text
   in pieces of at most 31 characters; it must neither change the problem nor use the world that it
   came from, which is not found out.  The inertia of a body whose inverse inertia is singular, as
   that of a particle, is written as 0, and a mass without inverse as inf.  Returns the number of
   blocks that are no contacts, or an error before anything is written: NSC_ERR_ARGUMENT (NULL, a
   problem with a delassus matrix, indices, kinds, rows or bounds that are not valid) or
   NSC_ERR_NOT_FINITE, first guesses included.  Cost: 50 numbers for each contact, and blocks times
   bodies for the numbering. */
NSC_API int nsc_dump_problem(const nsc_problem *problem,
                             void (*write)(void *user, const char *text), void *user);

#ifdef NSC_PROBLEM_H
/* Write the problem that nsc_world_problem finds.  Returns as nsc_dump_problem, or its errors. */
NSC_API int nsc_world_dump(nsc_world *world, nsc_real h, int island,
                           void (*write)(void *user, const char *text), void *user);
#endif

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_DUMP_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_DUMP_DONE)
#define NSC_DUMP_DONE

#ifdef __cplusplus
extern "C" {
#endif

/* ---- text */

typedef struct nsci_dump_text {
    void (*write)(void *user, const char *text);
    void *user;
} nsci_dump_text;

static void nsci_dump_word(const nsci_dump_text *out, const char *text)
{
    out->write(out->user, text);
}

/* Write sign, digits and a final 0 to `to`, which has room for 13 characters. */
static void nsci_dump_digits(char *to, int32_t x, int plus)
{
    uint32_t rest = x < 0 ? (uint32_t)0 - (uint32_t)x : (uint32_t)x;
    char reversed[10];
    int n = 0;
    if (x < 0)
        *to++ = '-';
    else if (plus)
        *to++ = '+';
    do {
        reversed[n++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    while (n > 0)
        *to++ = reversed[--n];
    *to = 0;
}

static void nsci_dump_int(const nsci_dump_text *out, int32_t x)
{
    char text[16];
    text[0] = ' ';
    nsci_dump_digits(text + 1, x, 0);
    nsci_dump_word(out, text);
}

#ifdef NSC_DOUBLE
typedef uint64_t nsci_dump_bits;
enum { NSCI_DUMP_FRACTION = 52, NSCI_DUMP_EXPONENT = 2047, NSCI_DUMP_DIGITS = 13 };
#else
typedef uint32_t nsci_dump_bits;
enum { NSCI_DUMP_FRACTION = 23, NSCI_DUMP_EXPONENT = 255, NSCI_DUMP_DIGITS = 6 };
#endif

/* Hexadecimal float, taken from the bits, so every digit is exact; not of a NaN */
static void nsci_dump_real(const nsci_dump_text *out, nsc_real x)
{
    char text[32], *to = text;
    nsci_dump_bits bits, fraction;
    int exponent, i;
    NSC_MEMCPY(&bits, &x, sizeof bits);
    exponent = (int)(bits >> NSCI_DUMP_FRACTION & NSCI_DUMP_EXPONENT);
    fraction = (bits & (((nsci_dump_bits)1 << NSCI_DUMP_FRACTION) - 1))
               << (4 * NSCI_DUMP_DIGITS - NSCI_DUMP_FRACTION);
    *to++ = ' ';
    if (bits >> (8 * sizeof bits - 1))
        *to++ = '-';
    if (exponent == NSCI_DUMP_EXPONENT) {
        *to++ = 'i';
        *to++ = 'n';
        *to++ = 'f';
        *to = 0;
    } else {
        *to++ = '0';
        *to++ = 'x';
        *to++ = exponent > 0 ? '1' : '0';
        if (fraction)
            *to++ = '.';
        for (i = NSCI_DUMP_DIGITS - 1; fraction; i--) {
            *to++ = "0123456789abcdef"[fraction >> 4 * i & 15];
            fraction &= ((nsci_dump_bits)1 << 4 * i) - 1;
        }
        *to++ = 'p';
        if (!exponent)
            exponent = 1;
        nsci_dump_digits(to, x < 0 || x > 0 ? exponent - NSCI_DUMP_EXPONENT / 2 : 0, 1);
    }
    nsci_dump_word(out, text);
}

static void nsci_dump_reals(const nsci_dump_text *out, const nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        nsci_dump_real(out, x[i]);
}

/* Three numbers, 0 for rows that the block does not have: those are uninitialised. */
static void nsci_dump_rows(const nsci_dump_text *out, const nsc_real *x, int rows)
{
    int i;
    for (i = 0; i < 3; i++)
        nsci_dump_real(out, i < rows ? x[i] : 0);
}

/* ---- problem */

/* Do impulses move the body? */
static int nsci_dump_moves(const nsc_mass *m)
{
    int i, moves = m->inv_mass > 0;
    for (i = 0; i < 3; i++)
        moves |= m->inv_inertia[i] > 0;
    return moves;
}

/* Number of a body in the text: how many before it move, or -1 if it does not */
static int nsci_dump_number(const nsc_problem *p, int body)
{
    int i, n = 0;
    if (!nsci_dump_moves(&p->masses[body]))
        return -1;
    for (i = 0; i < body; i++)
        n += nsci_dump_moves(&p->masses[i]);
    return n;
}

/* One Jacobian row, 0 for bodies that impulses do not move; their velocity along the row is added
   to the returned bias. */
static nsc_real nsci_dump_row(const nsc_problem *p, const nsc_block *k, int row, nsc_real *J)
{
    nsc_real bias = k->bias[row];
    int i, side;
    nsc_block_row(k, row, J);
    for (side = 0; side < 2; side++) {
        int body = side ? k->b : k->a, moves = nsci_dump_moves(&p->masses[body]);
        for (i = 0; !moves && i < 6; i++)
            bias += J[6 * side + i] * p->v_free[6 * body + i];
    }
    return bias;
}

/* Inverse of a symmetric matrix xx yy zz xy xz yz, scaled by its trace; 0 if it is singular or its
   inverse is not finite */
static void nsci_dump_inverse(const nsc_real *s, nsc_real *out)
{
    nsc_real t = s[0] + s[1] + s[2], a[6], det;
    int i, ok = t > 0 && t <= NSC_REAL_MAX;
    for (i = 0; i < 6; i++)
        a[i] = ok ? s[i] / t : 0;
    out[0] = a[1] * a[2] - a[5] * a[5];
    out[1] = a[0] * a[2] - a[4] * a[4];
    out[2] = a[0] * a[1] - a[3] * a[3];
    out[3] = a[4] * a[5] - a[3] * a[2];
    out[4] = a[3] * a[5] - a[4] * a[1];
    out[5] = a[3] * a[4] - a[5] * a[0];
    det = a[0] * out[0] + a[3] * out[3] + a[4] * out[4];
    ok = ok && det > NSC_R(1e-3) * NSC_REAL_EPS;
    for (i = 0; i < 6; i++) {
        out[i] = ok ? out[i] / det / t : 0;
        ok = ok && out[i] >= -NSC_REAL_MAX && out[i] <= NSC_REAL_MAX;
    }
    for (i = 0; i < 6; i++)
        out[i] = ok ? out[i] : 0;
}

static int nsci_dump_finite(const nsc_real *x, int n)
{
    int i;
    for (i = 0; i < n; i++)
        if (!(x[i] >= -NSC_REAL_MAX && x[i] <= NSC_REAL_MAX))
            return 0;
    return 1;
}

static int nsci_dump_check_block(const nsc_problem *p, const nsc_block *k)
{
    int i;
    if (k->a < 0 || k->b < 0 || k->a >= p->body_count || k->b >= p->body_count)
        return NSC_ERR_ARGUMENT;
    if (k->kind < NSC_BLOCK_EQUALITY || k->kind > NSC_BLOCK_ROLLING || k->rows < 1 || k->rows > 3)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < k->rows; i++) {
        nsc_real J[12], bias;
        if (k->kind == NSC_BLOCK_BOX && !(k->lo[i] <= k->hi[i]))
            return NSC_ERR_ARGUMENT;
        bias = nsci_dump_row(p, k, i, J);
        if (!nsci_dump_finite(J, 12) || !nsci_dump_finite(&bias, 1))
            return NSC_ERR_NOT_FINITE;
    }
    if (!nsci_dump_finite(k->cfm, k->rows) || !nsci_dump_finite(k->lambda, k->rows) ||
        !nsci_dump_finite(&k->mu, 1) ||
        (k->kind == NSC_BLOCK_ROLLING && !nsci_dump_finite(k->hi, 1)))
        return NSC_ERR_NOT_FINITE;
    return NSC_OK;
}

static int nsci_dump_check(const nsc_problem *p)
{
    int i, code = NSC_OK;
    if (!p || p->delassus || p->body_count < 1 || !p->masses || !p->v_free || p->block_count < 0 ||
        (p->block_count > 0 && !p->blocks))
        return NSC_ERR_ARGUMENT;
    if (!nsci_dump_finite(&p->bias_error, 1))
        return NSC_ERR_NOT_FINITE;
    for (i = 0; i < p->body_count; i++)
        if (!nsci_dump_finite(&p->masses[i].inv_mass, 1) ||
            !nsci_dump_finite(p->masses[i].inv_inertia, 6) ||
            !nsci_dump_finite(p->v_free + 6 * i, 6))
            return NSC_ERR_NOT_FINITE;
    for (i = 0; i < p->block_count && code == NSC_OK; i++)
        code = nsci_dump_check_block(p, &p->blocks[i]);
    return code;
}

static void nsci_dump_body(const nsci_dump_text *out, const nsc_mass *m, const nsc_real *v)
{
    nsc_real inertia[6];
    nsci_dump_inverse(m->inv_inertia, inertia);
    if (m->inv_mass > 0)
        nsci_dump_real(out, 1 / m->inv_mass);
    else
        nsci_dump_word(out, " inf");
    nsci_dump_reals(out, inertia, 6);
    nsci_dump_reals(out, v, 6);
    nsci_dump_word(out, "\n");
}

static void nsci_dump_contact(const nsci_dump_text *out, const nsc_problem *p, const nsc_block *k)
{
    nsc_real J[3][12], bias[3];
    int i;
    NSC_MEMSET(J, 0, sizeof J);
    for (i = 0; i < k->rows; i++)
        bias[i] = nsci_dump_row(p, k, i, J[i]);
    nsci_dump_int(out, nsci_dump_number(p, k->a));
    nsci_dump_int(out, nsci_dump_number(p, k->b));
    nsci_dump_real(out, k->mu);
    nsci_dump_rows(out, bias, k->rows);
    nsci_dump_reals(out, J[0], 36);
    nsci_dump_word(out, "\n");
}

/* Rolling friction belongs to the contact before it in the order. */
static void nsci_dump_joint(const nsci_dump_text *out, const nsc_problem *p, const nsc_block *k)
{
    int i, box = k->kind == NSC_BLOCK_BOX;
    nsci_dump_int(out, nsci_dump_number(p, k->a));
    nsci_dump_int(out, nsci_dump_number(p, k->b));
    nsci_dump_int(out, k->kind);
    nsci_dump_int(out, k->rows);
    nsci_dump_real(out, k->mu);
    nsci_dump_word(out, "\n");
    for (i = 0; i < k->rows; i++) {
        nsc_real J[12], bias = nsci_dump_row(p, k, i, J);
        nsci_dump_reals(out, J, 12);
        nsci_dump_real(out, bias);
        nsci_dump_real(out, k->cfm[i]);
        nsci_dump_real(out, box ? k->lo[i] : 0);
        nsci_dump_real(out, box || (k->kind == NSC_BLOCK_ROLLING && i == 0) ? k->hi[i] : 0);
        nsci_dump_word(out, "\n");
    }
}

/* What the contacts and joints have no place for */
static void nsci_dump_rest(const nsci_dump_text *out, const nsc_problem *p)
{
    int i;
    nsci_dump_word(out, "inverse\n");
    for (i = 0; i < p->body_count; i++)
        if (nsci_dump_moves(&p->masses[i])) {
            nsci_dump_real(out, p->masses[i].inv_mass);
            nsci_dump_reals(out, p->masses[i].inv_inertia, 6);
            nsci_dump_word(out, "\n");
        }
    nsci_dump_word(out, "order");
    nsci_dump_int(out, p->block_count);
    nsci_dump_word(out, "\n");
    for (i = 0; i < p->block_count; i++) {
        const nsc_block *k = &p->blocks[i];
        nsci_dump_int(out, k->kind);
        nsci_dump_int(out, k->rows);
        nsci_dump_rows(out, k->cfm, k->rows);
        nsci_dump_rows(out, k->lambda, k->rows);
        nsci_dump_int(out, k->form);
        if (k->form == NSC_ROWS_AT_ARMS) {
            nsci_dump_reals(out, k->arm_a, 3);
            nsci_dump_reals(out, k->arm_b, 3);
        }
        nsci_dump_word(out, "\n");
    }
    if (p->bias_error > 0) {
        nsci_dump_word(out, "bias_error");
        nsci_dump_real(out, p->bias_error);
        nsci_dump_word(out, "\n");
    }
    if (p->turned)
        nsci_dump_word(out, "turned\n");
}

NSC_API int nsc_dump_problem(const nsc_problem *p, void (*write)(void *user, const char *text),
                             void *user)
{
    nsci_dump_text out;
    int i, bodies = 0, contacts = 0, code = write ? nsci_dump_check(p) : NSC_ERR_ARGUMENT;
    if (code < 0)
        return code;
    out.write = write;
    out.user = user;
    for (i = 0; i < p->body_count; i++)
        bodies += nsci_dump_moves(&p->masses[i]);
    for (i = 0; i < p->block_count; i++)
        contacts += p->blocks[i].kind == NSC_BLOCK_CONTACT;
    nsci_dump_word(&out, "fcp1 global");
    nsci_dump_int(&out, bodies);
    nsci_dump_int(&out, contacts);
    nsci_dump_word(&out, " nsc\n");
    for (i = 0; i < p->body_count; i++)
        if (nsci_dump_moves(&p->masses[i]))
            nsci_dump_body(&out, &p->masses[i], p->v_free + 6 * i);
    for (i = 0; i < p->block_count; i++)
        if (p->blocks[i].kind == NSC_BLOCK_CONTACT)
            nsci_dump_contact(&out, p, &p->blocks[i]);
    nsci_dump_word(&out, "joints");
    nsci_dump_int(&out, p->block_count - contacts);
    nsci_dump_word(&out, "\n");
    for (i = 0; i < p->block_count; i++)
        if (p->blocks[i].kind != NSC_BLOCK_CONTACT)
            nsci_dump_joint(&out, p, &p->blocks[i]);
    nsci_dump_rest(&out, p);
    return p->block_count - contacts;
}

#ifdef NSC_PROBLEM_H
NSC_API int nsc_world_dump(nsc_world *w, nsc_real h, int island,
                           void (*write)(void *user, const char *text), void *user)
{
    nsc_problem p;
    int code = write ? nsc_world_problem(w, h, island, &p) : NSC_ERR_ARGUMENT;
    return code < 0 ? code : nsc_dump_problem(&p, write, user);
}
#endif

#ifdef __cplusplus
}
#endif
#endif /* NSC_IMPLEMENTATION */

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
