/* nsc_prepare.h - problems of your own, checked and measured; a file of nsc
   MIT licence, at the end of nsc.h.
   No switch: include it in place of nsc_solvers.h, or before nsc.h, also where NSC_IMPLEMENTATION is
   defined.  It costs nothing until called.
   Beside it: nsc_solvers.h.

   A step poses its problems itself.  Whoever poses one, as nsc_solvers.h describes it, has it
   checked and prepared here, solves it by any solver, and may have the answer measured. */
#include "nsc_solvers.h"

#ifndef NSC_PREPARE_H
#define NSC_PREPARE_H

NSCI_C_BEGIN

/* Check a problem, and fill the fields of it and its blocks marked so.  Call it again after changes
   of J, cfm, rows or a mass, but not of only bias, mu, lo, hi, lambda or v_free.
   Returns 0, NSC_ERR_ARGUMENT (null pointer, index, kind, rows, sign or order of bounds, v equal to
   v_free), NSC_ERR_CAPACITY (more than 32000 rows of a given delassus), NSC_ERR_NOT_FINITE (an
   input, or the diagonal of N; for the latter, solvers then refuse the problem).
   Cost: about 250 multiplications a block.  Of N only the diagonal blocks are computed. */
NSC_API int nsc_problem_prepare(nsc_problem *problem);

/* Measure the lambda in the blocks, from any source, against a law.  Fills all of report but
   status, solver, iterations and factorizations (floor is 0), and v = v_free + M^-1 J^T lambda.
     e_i = (lambda_i - P(lambda_i - rho_i u_i)) / rho_i,   COULOMB: u_n + mu |u_t| in place of u_n.
   Returns 0, NSC_ERR_ARGUMENT, or NSC_ERR_NOT_FINITE if a result is not finite; the report is
   written even so.  Cost: 3 products a row. */
NSC_API int nsc_problem_measure(nsc_problem *problem, int law, nsc_report *report);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_PREPARE_DONE)
#define NSC_PREPARE_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* The refusal of a number that must be finite and not negative */
static int nsci_check_size(nsc_real x)
{
    if (!nsci_finite(x))
        return NSC_ERR_NOT_FINITE;
    return x < 0 ? NSC_ERR_ARGUMENT : NSC_OK;
}

static int nsci_check_block(const nsc_problem *p, const nsc_block *k)
{
    int i, code;
    if (k->kind < NSC_BLOCK_EQUALITY || k->kind > NSC_BLOCK_ROLLING || k->kind != NSCI_KIND_OF(k))
        return NSC_ERR_ARGUMENT;
    if (k->rows < 1 || k->rows > 3)
        return NSC_ERR_ARGUMENT;
    if (!p->delassus && (k->a < 0 || k->a >= p->body_count || k->b < 0 || k->b >= p->body_count))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < k->rows; i++) {
        nsc_real room[12];
        if ((!p->delassus && !nsci_all_finite(nsci_row_of(k, i, room), 12)) ||
            !nsci_finite(k->bias[i]))
            return NSC_ERR_NOT_FINITE;
        code = nsci_check_size(k->cfm[i]);
        if (code < 0)
            return code;
        if (k->kind == NSC_BLOCK_BOX && !(k->lo[i] <= k->hi[i]))
            return NSC_ERR_ARGUMENT;
    }
    if (k->kind < NSC_BLOCK_CONTACT)
        return NSC_OK;
    if (k->kind == NSC_BLOCK_ROLLING) {
        if (k == p->blocks || k[-1].kind != NSC_BLOCK_CONTACT || k->rows != 3)
            return NSC_ERR_ARGUMENT;
        code = nsci_check_size(k->hi[0]);
        if (code < 0)
            return code;
    }
    return k->rows == 2 ? NSC_ERR_ARGUMENT : nsci_check_size(k->mu);
}

static int nsci_check_mass(const nsc_mass *m)
{
    if (!nsci_finite(m->inv_mass) || !nsci_all_finite(m->inv_inertia, 6))
        return NSC_ERR_NOT_FINITE;
    if (m->inv_mass < 0 || m->inv_inertia[0] < 0 || m->inv_inertia[1] < 0 || m->inv_inertia[2] < 0)
        return NSC_ERR_ARGUMENT;
    return NSC_OK;
}

/* The checks of nsc_problem_prepare, before it fills anything: row_count is not known yet. */
static int nsci_check_problem(const nsc_problem *p)
{
    int k, code, rows = 0;
    if (!p || p->block_count < 0 || !p->v_free || !p->v || p->v == p->v_free ||
        (p->block_count > 0 && !p->blocks) || !NSCI_HAS_PARTS(p))
        return NSC_ERR_ARGUMENT;
    if (p->delassus ? p->delassus != NSCI_MATRIX_OF(p) : p->body_count < 1 || !p->masses)
        return NSC_ERR_ARGUMENT;
    code = nsci_check_size(p->bias_error);
    if (code < 0)
        return code;
    for (k = 0; k < p->block_count; k++) {
        code = nsci_check_block(p, &p->blocks[k]);
        if (code < 0)
            return code;
        rows += p->blocks[k].rows;
    }
    for (k = 0; !p->delassus && k < p->body_count; k++) {
        code = nsci_check_mass(&p->masses[k]);
        if (code < 0)
            return code;
    }
    if (p->delassus && rows > 32000)
        return NSC_ERR_CAPACITY; /* rows * rows may overflow an int */
    return p->delassus && !nsci_all_finite(p->delassus, rows * rows) ? NSC_ERR_NOT_FINITE : NSC_OK;
}

#if !NSC_SHORT_BLOCKS
/* Are the halves J of the rows those of directions d at the arm r: side d and side (r x d)?
   side: -1 for body a, 1 for b.  Rows lie 12 numbers apart. */
static int nsci_is_arm(const nsc_real *J, const nsc_real *d, int rows, nsc_real side,
                       const nsc_real *r)
{
    nsc_real rounding = 8 * NSC_REAL_EPS * (nsci_abs(r[0]) + nsci_abs(r[1]) + nsci_abs(r[2]));
    nsc_real x[3];
    int i, j, is = 1;
    for (i = 0; i < 12 * rows; i += 12) {
        x[0] = r[1] * d[i + 2] - r[2] * d[i + 1];
        x[1] = r[2] * d[i] - r[0] * d[i + 2];
        x[2] = r[0] * d[i + 1] - r[1] * d[i];
        for (j = 0; j < 3; j++)
            is &= nsci_abs(J[i + j] - side * d[i + j]) <= 0 &&
                  nsci_abs(J[i + 3 + j] - side * x[j]) <= rounding;
    }
    return is;
}

/* Is r the arm, or, of three rows, is there another one?  Then r becomes it: perpendicular unit
   vectors have d0 x (r x d0) + d1 x (r x d1) + d2 x (r x d2) = 2 r. */
static int nsci_find_arm(const nsc_real *J, const nsc_real *d, int rows, nsc_real side,
                         nsc_real *r)
{
    int i;
    if (nsci_all_finite(r, 3) && nsci_is_arm(J, d, rows, side, r))
        return 1;
    if (rows < 3)
        return 0;
    r[0] = r[1] = r[2] = 0;
    for (i = 0; i < 36; i += 12) {
        r[0] += (side / 2) * (d[i + 1] * J[i + 5] - d[i + 2] * J[i + 4]);
        r[1] += (side / 2) * (d[i + 2] * J[i + 3] - d[i] * J[i + 5]);
        r[2] += (side / 2) * (d[i] * J[i + 4] - d[i + 1] * J[i + 3]);
    }
    return nsci_is_arm(J, d, rows, side, r);
}

/* NSC_ROWS_* of a block's rows; finds its arms. */
static int nsci_find_form(nsc_block *k)
{
    int i, j, turn = 1;
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < 3; j++)
            turn &= nsci_abs(k->J[i][j]) + nsci_abs(k->J[i][6 + j]) +
                        nsci_abs(k->J[i][3 + j] + k->J[i][9 + j]) <= 0;
    if (turn)
        return NSC_ROWS_TURN;
    if (nsci_find_arm(k->J[0], k->J[0] + 6, k->rows, -1, k->arm_a) &&
        nsci_find_arm(k->J[0] + 6, k->J[0] + 6, k->rows, 1, k->arm_b))
        return NSC_ROWS_AT_ARMS;
    return NSC_ROWS_ANY;
}
#endif

NSC_API int nsc_problem_prepare(nsc_problem *p)
{
    int code = nsci_check_problem(p);
    if (code < 0)
        return code;
    NSCI_EACH_BLOCK(p, b)
        b->form = (unsigned char)(NSCI_MATRIX_OF(p) ? (int)NSC_ROWS_ANY : nsci_find_form(b));
    return nsci_prepare(p);
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

NSCI_C_END
NSCI_BITS_END
#endif
