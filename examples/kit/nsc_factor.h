/* nsc_factor.h - the matrix that NEWTON and ADMM factorise
   MIT licence, at the end of nsc.h.
   nsc_newton.h and nsc_admm.h include it.
   Beside it: nsc_solvers.h.

   The symmetric positive definite matrix H that NEWTON and ADMM factorise.  With M^-1 = S S^T
   body by body, B = J S, and G = Q Q^T block by block, both solve

       (I + G N) h = g,    N = B B^T + diag(cfm)

   by Woodbury's formula through H = I + B^T G B, of 6 rows a body, or H = I + Q^T N Q, of the size
   of N, where N is given.  So every pivot is at least 1, an immovable body gives rows of the unit
   matrix, and an inertia may be singular.  H = L D L^T without square roots.  A row of L begins at
   the first body coupled to its own (skyline): the cost of a chain or stack grows with its length,
   of a heap at most with the cube of its bodies. */
#ifndef NSC_FACTOR_H
#define NSC_FACTOR_H

typedef struct nsci_factor {
    nsc_problem *p;
    int n;             /* rows of H */
    int rank;          /* n, or the first row whose pivot was not positive */
    nsc_real *Q;       /* (rows x 3) Q, block by block */
    nsc_real *root;    /* (bodies x 7) S: sqrt(1/m), then the lower triangle for the inverse
                          inertia */
    nsc_real *first;   /* (n) column where a row of L begins */
    nsc_real *start;   /* (n) element (i, j) is L[start[i] + j]; an integer, like first */
    nsc_real *x;       /* (n) work */
    nsc_real *L;       /* row by row; D stands on the diagonal */
} nsci_factor;

/* x'y for long rows: four lanes, in a fixed order of additions */
static nsc_real nsci_dot_long(const nsc_real *NSC_RESTRICT x, const nsc_real *NSC_RESTRICT y, int n)
{
    nsc_real l0 = 0, l1 = 0, l2 = 0, l3 = 0;
    int i;
    for (i = 0; i + 4 <= n; i += 4) {
        l0 += x[i] * y[i];
        l1 += x[i + 1] * y[i + 1];
        l2 += x[i + 2] * y[i + 2];
        l3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
        l0 += x[i] * y[i];
    return (l0 + l2) + (l1 + l3);
}

static int nsci_factor_first(const nsci_factor *f, int i) { return (int)f->first[i]; }
static nsc_real *nsci_factor_row(const nsci_factor *f, int i) { return f->L + (int)f->start[i]; }

/* Lower triangular S with S S^T = A of three rows, both packed 00 10 11 20 21 22.  A pivot that is
   only rounding gives a column of 0. */
static void nsci_root3(const nsc_real A[6], nsc_real S[6])
{
    int i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j <= i; j++) {
            nsc_real *row = S + nsci_lower(i, 0);
            nsc_real *other = S + nsci_lower(j, 0);
            nsc_real a = A[nsci_lower(i, j)];
            nsc_real sum = a;
            for (k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j)
                row[j] = sum > 16 * NSC_REAL_EPS * a ? NSC_SQRT(sum) : 0;
            else
                row[j] = other[j] > 0 ? sum / other[j] : 0;
        }
}

static int nsci_is_movable(const nsci_factor *f, int body)
{
    const nsc_real *s = f->root + 7 * body;
    return s[0] > 0 || s[1] > 0 || s[3] > 0 || s[6] > 0;
}

/* x = S^T x of one body */
static void nsci_root_transposed(const nsc_real *s, nsc_real x[6])
{
    x[0] *= s[0];
    x[1] *= s[0];
    x[2] *= s[0];
    x[3] = s[1] * x[3] + s[2] * x[4] + s[4] * x[5];
    x[4] = s[3] * x[4] + s[5] * x[5];
    x[5] *= s[6];
}

/* x = S x of one body */
static void nsci_root_times(const nsc_real *s, nsc_real x[6])
{
    x[0] *= s[0];
    x[1] *= s[0];
    x[2] *= s[0];
    x[5] = s[4] * x[3] + s[5] * x[4] + s[6] * x[5];
    x[4] = s[2] * x[3] + s[3] * x[4];
    x[3] *= s[1];
}

/* Extend the rows of body `high` in H to the columns of body `low`. */
static void nsci_factor_reach(nsci_factor *f, int high, int low)
{
    int i;
    for (i = 6 * high; i < 6 * high + 6; i++)
        if (6 * low < nsci_factor_first(f, i))
            f->first[i] = (nsc_real)(6 * low);
}

/* Does the arena hold so many vectors of row_count reals and a factor (NSC_ARENA_NEWTON)? */
static int nsci_factor_fits(const nsc_problem *p, int vectors)
{
    long rows = p->row_count, bodies = p->body_count; /* an int of 16 bits would overflow */
    /* Offsets must be exact in a float */
    if (p->delassus ? rows > (NSCI_IS_DOUBLE ? 32000 : 5792) : rows > 32000 || bodies > 900)
        return 0;
    if (rows == 0)
        return 1;
    return p->arena && p->arena_size >= (p->delassus ? (vectors + 6) * rows + rows * (rows + 1) / 2
                                                     : (vectors + 3) * rows + 25 * bodies +
                                                           3 * bodies * (6 * bodies + 1));
}

/* Divide the memory and lay out L: a block between two movable bodies couples them in H. */
static void nsci_factor_begin(nsci_factor *f, nsc_problem *p, nsc_real *memory)
{
    int i, k;
    int end = 0;
    int bodies = p->delassus ? 0 : p->body_count;
    f->p = p;
    f->rank = 0;
    f->n = p->delassus ? p->row_count : 6 * bodies;
    f->Q = memory;
    f->root = f->Q + 3 * p->row_count;
    f->first = f->root + 7 * bodies;
    f->start = f->first + f->n;
    f->x = f->start + f->n;
    f->L = f->x + f->n;
    for (i = 0; i < f->n; i++)
        f->first[i] = p->delassus ? 0 : (nsc_real)(i - i % 6);
    for (i = 0; i < bodies; i++) {
        const nsc_real *I = p->masses[i].inv_inertia;
        const nsc_real A[6] = {I[0], I[3], I[1], I[4], I[5], I[2]};
        f->root[7 * i] = NSC_SQRT(p->masses[i].inv_mass);
        nsci_root3(A, f->root + 7 * i + 1);
    }
    for (k = 0; bodies > 0 && k < p->block_count; k++) {
        int a = p->blocks[k].a;
        int b = p->blocks[k].b;
        if (nsci_is_movable(f, a) && nsci_is_movable(f, b))
            nsci_factor_reach(f, a > b ? a : b, a > b ? b : a);
    }
    for (i = 0; i < f->n; i++) {
        f->start[i] = (nsc_real)(end - nsci_factor_first(f, i));
        end += i + 1 - nsci_factor_first(f, i);
    }
}

/* Set Q of block k from its G, packed as above.  Compliance makes G (G^-1 + diag(cfm))^-1 = Q (I +
   Q^T cfm Q)^-1 Q^T. */
static void nsci_factor_set(nsci_factor *f, const nsc_block *k, const nsc_real G[6])
{
    nsc_real S[6], A[6], R[6];
    nsc_real *Q = f->Q + 3 * k->row;
    int i, j, m;
    nsci_root3(G, S);
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < 3; j++)
            Q[3 * i + j] = j <= i ? S[nsci_lower(i, j)] : 0;
    if (!k->soft)
        return;
    for (i = 0; i < 3; i++)
        for (j = 0; j <= i; j++) {
            nsc_real *a = &A[nsci_lower(i, j)];
            *a = i == j ? 1 : 0;
            for (m = 0; m < k->rows; m++)
                *a += Q[3 * m + i] * k->cfm[m] * Q[3 * m + j];
        }
    nsci_root3(A, R);
    for (m = 0; m < k->rows; m++)
        for (i = 0; i < 3; i++) {
            for (j = 0; j < i; j++)
                Q[3 * m + i] -= R[nsci_lower(i, j)] * Q[3 * m + j];
            Q[3 * m + i] /= R[nsci_lower(i, i)];
        }
}

/* H += x y^T between bodies i >= j */
static void nsci_factor_add(nsci_factor *f, int i, const nsc_real *x, int j, const nsc_real *y)
{
    int r, c;
    for (r = 0; r < 6; r++) {
        nsc_real *row = nsci_factor_row(f, 6 * i + r) + 6 * j;
        for (c = 0; c < (i == j ? r + 1 : 6); c++)
            row[c] += x[r] * y[c];
    }
}

/* H += x x^T with x = B^T q of one column q of a block's Q */
static void nsci_factor_add_column(nsci_factor *f, const nsc_block *k, int column)
{
    nsc_real x[12], room[12], *y = x + 6;
    int i, j;
    int moves_a = nsci_is_movable(f, k->a);
    int moves_b = nsci_is_movable(f, k->b);
    for (j = 0; j < 12; j++)
        x[j] = 0;
    for (i = 0; i < k->rows; i++) {
        const nsc_real *J = nsci_row_of(k, i, room);
        for (j = 0; j < 12; j++)
            x[j] += f->Q[3 * (k->row + i) + column] * J[j];
    }
    nsci_root_transposed(f->root + 7 * k->a, x);
    nsci_root_transposed(f->root + 7 * k->b, y);
    if (k->a == k->b) {
        for (i = 0; i < 6; i++)
            x[i] += y[i];
        moves_b = 0;
    }
    if (moves_a)
        nsci_factor_add(f, k->a, x, k->a, x);
    if (moves_b)
        nsci_factor_add(f, k->b, y, k->b, y);
    if (!moves_a || !moves_b)
        return;
    if (k->a > k->b)
        nsci_factor_add(f, k->a, x, k->b, y);
    else
        nsci_factor_add(f, k->b, y, k->a, x);
}

/* H += Q^T N Q of a given N, in rows of block k and columns of a block m <= k */
static void nsci_factor_add_pair(nsci_factor *f, const nsc_block *k, const nsc_block *m)
{
    const nsc_real *Qk = f->Q + 3 * k->row;
    const nsc_real *Qm = f->Q + 3 * m->row;
    int i, j, r, c;
    for (i = 0; i < k->rows; i++)
        for (j = 0; j < (k == m ? i + 1 : m->rows); j++) {
            nsc_real *h = nsci_factor_row(f, k->row + i) + m->row + j;
            for (r = 0; r < k->rows; r++)
                for (c = 0; c < m->rows; c++)
                    *h += Qk[3 * r + i] * nsci_delassus(f->p, k, r, m, c) * Qm[3 * c + j];
        }
}

static void nsci_factor_assemble(nsci_factor *f)
{
    const nsc_block *blocks = f->p->blocks;
    int i, j, k;
    for (i = 0; i < f->n; i++)
        for (j = nsci_factor_first(f, i); j <= i; j++)
            nsci_factor_row(f, i)[j] = i == j ? 1 : 0;
    for (k = 0; k < f->p->block_count; k++)
        for (j = 0; j < (f->p->delassus ? k + 1 : blocks[k].rows); j++) {
            if (f->p->delassus)
                nsci_factor_add_pair(f, &blocks[k], &blocks[j]);
            else
                nsci_factor_add_column(f, &blocks[k], j);
        }
}

/* H = L D L^T from the Q of the blocks.  0: a pivot is not positive or not finite. */
static int nsci_factor_run(nsci_factor *f)
{
    int i, j;
    nsci_factor_assemble(f);
    for (i = 0; i < f->n; i++) {
        nsc_real *row = nsci_factor_row(f, i);
        nsc_real *pivot = row + i;
        int begin = nsci_factor_first(f, i);
        for (j = begin; j < i; j++) {
            int from = nsci_factor_first(f, j) > begin ? nsci_factor_first(f, j) : begin;
            row[j] -= nsci_dot_long(row + from, nsci_factor_row(f, j) + from, j - from);
        }
        for (j = begin; j < i; j++) {
            nsc_real y = row[j];
            row[j] = y / nsci_factor_row(f, j)[j];
            *pivot -= y * row[j];
        }
        f->rank = i;
        if (!(*pivot > 0) || !nsci_finite(*pivot))
            return 0;
    }
    f->rank = f->n;
    return 1;
}

/* x = H^-1 x */
static void nsci_factor_substitute(const nsci_factor *f, nsc_real *x)
{
    int i, j;
    for (i = 0; i < f->n; i++) {
        int begin = nsci_factor_first(f, i);
        x[i] -= nsci_dot_long(nsci_factor_row(f, i) + begin, x + begin, i - begin);
    }
    for (i = 0; i < f->n; i++)
        x[i] /= nsci_factor_row(f, i)[i];
    for (i = f->n - 1; i >= 0; i--)
        for (j = nsci_factor_first(f, i); j < i; j++)
            x[j] -= nsci_factor_row(f, i)[j] * x[i];
}

/* out = Q^T x, or Q x; out may be x */
static void nsci_times_Q(const nsci_factor *f, int transposed, const nsc_real *x, nsc_real *out)
{
    int i, j;
    NSCI_EACH_BLOCK(f->p, b) {
        const nsc_real *Q = f->Q + 3 * b->row;
        nsc_real y[3];
        for (i = 0; i < b->rows; i++)
            for (y[i] = 0, j = 0; j < b->rows; j++)
                y[i] += Q[transposed ? 3 * j + i : 3 * i + j] * x[b->row + j];
        for (i = 0; i < b->rows; i++)
            out[b->row + i] = y[i];
    }
}

/* out = B H^-1 B^T g, by way of body velocities */
static void nsci_factor_bodies(const nsci_factor *f, const nsc_real *g, nsc_real *out)
{
    const nsc_problem *p = f->p;
    nsc_real *x = f->x;
    nsc_real room[12];
    int i;
    for (i = 0; i < f->n; i++)
        x[i] = 0;
    NSCI_EACH_BLOCK(p, b) {
        for (i = 0; i < b->rows; i++)
            nsci_axpy12(g[b->row + i], nsci_row_of(b, i, room), x + 6 * b->a, x + 6 * b->b);
    }
    for (i = 0; i < p->body_count; i++)
        nsci_root_transposed(f->root + 7 * i, x + 6 * i);
    nsci_factor_substitute(f, x);
    for (i = 0; i < p->body_count; i++)
        nsci_root_times(f->root + 7 * i, x + 6 * i);
    NSCI_EACH_BLOCK(p, b) {
        for (i = 0; i < b->rows; i++)
            out[b->row + i] = nsci_along_row(b, i, x + 6 * b->a, x + 6 * b->b);
    }
}

/* h = (I + G N)^-1 g; overwrites g with g - Q Q^T cfm g. */
static void nsci_factor_solve(nsci_factor *f, nsc_real *g, nsc_real *h)
{
    const nsc_problem *p = f->p;
    int i, n = p->row_count;
    NSCI_EACH_BLOCK(p, b)
        for (i = 0; i < b->rows; i++)
            h[b->row + i] = b->cfm[i] * g[b->row + i];
    nsci_times_Q(f, 1, h, h);
    nsci_times_Q(f, 0, h, h);
    for (i = 0; i < n; i++)
        g[i] -= h[i];
    if (p->delassus) {
        for (i = 0; i < n; i++)
            h[i] = nsci_dot_long(p->delassus + (size_t)i * (size_t)n, g, n);
        nsci_times_Q(f, 1, h, h);
        nsci_factor_substitute(f, h);
    } else {
        nsci_factor_bodies(f, g, h);
        nsci_times_Q(f, 1, h, h);
    }
    nsci_times_Q(f, 0, h, h);
    for (i = 0; i < n; i++)
        h[i] = g[i] - h[i];
}

/* P of a block for NEWTON and ADMM.  COULOMB: clamp the normal, then project friction onto the disc
   that it allows; then lambda = P(lambda - rho u) is Coulomb's law (Alart & Curnier 1991). */
static void nsci_project_law(const nsc_block *k, int law, nsc_real normal, nsc_real *x)
{
    if (law == NSC_LAW_COULOMB && k->kind == NSC_BLOCK_CONTACT && k->rows == 3) {
        x[0] = nsci_max(x[0], 0);
        nsci_project_disc(k->mu * x[0], x + 1);
    } else {
        nsci_project(k, law, normal, x);
    }
}

#endif
