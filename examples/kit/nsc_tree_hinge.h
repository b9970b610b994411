/* nsc_tree_hinge.h - hinges in the solver TREE
   MIT licence, at the end of nsc.h.
   nsc_tree.h includes it.
   Beside it: nsc_solvers.h.

   A joint that holds a point and turns about one axis has five hard rows.  Of its body c, with the
   bodies that hang on it, the cost of the velocities x is the sum of D_k (x_k + U_k x + h_k)^2.
   The joint leaves x = P x_p + s q + e: P shifts the parent's velocity to c, s turns about the axis
   at the rate q, and e closes the rows.  Of springs and servos about the axis, and of the six rows
   of U from the last to the first, each is turned against one row for q; what is left of it has no
   q, and is turned against the six rows of the parent.  Rows below each other stay a triangle.

   The rotations have no square roots (Gentleman 1973): a row x of the weight w against a pivot
   1, r of the weight d becomes x - x_j r of w c, and the pivot c r + s x of d / c, where
   1 / c = 1 + w x_j^2 / d and s = c w x_j / d.  No sum of squares is formed, so what a light body
   adds below a heavy one keeps its digits, and the other way round.  Constants of rows turn with
   them on the way up, and back on the way down. */
#ifndef NSC_TREE_HINGE_H
#define NSC_TREE_HINGE_H

/* A rotation: x_j, c, s */
enum { NSCI_ROT_X, NSCI_ROT_C, NSCI_ROT_S, NSCI_ROT };

/* Of a link: 1 / D, then the rows of U above its diagonal of ones */
#define NSCI_TREE_U(j) (6 + (j) * (11 - (j)) / 2)

/* Record of a hinge: which side the child is, the blocks at the point and about axes; its axis, s,
   the arm of its child, the parent's less that; the row for q, and 1 / |D| of that; D of its
   springs and servos; where the rotations against q begin, of these and of the six rows; behind
   them those of row k against rows k .. 5 of the parent */
enum {
    NSCI_HINGE_SIDE, NSCI_HINGE_POINT, NSCI_HINGE_TURNS, NSCI_HINGE_AXIS,
    NSCI_HINGE_S = NSCI_HINGE_AXIS + 3, NSCI_HINGE_ARM = NSCI_HINGE_S + 3,
    NSCI_HINGE_APART = NSCI_HINGE_ARM + 3, NSCI_HINGE_P = NSCI_HINGE_APART + 3,
    NSCI_HINGE_ROOT = NSCI_HINGE_P + 6, NSCI_HINGE_STIFF, NSCI_HINGE_SOFT,
    NSCI_HINGE_OWN = NSCI_HINGE_SOFT + NSCI_ROT * (int)NSCI_TREE_SOFT,
    NSCI_HINGE_LOAD = NSCI_HINGE_OWN + 6 * NSCI_ROT,
    NSCI_HINGE_RECORD = NSCI_HINGE_LOAD + 21 * NSCI_ROT
};

/* Where the rotations of row k against the parent begin */
#define NSCI_HINGE_LOAD_OF(k) (NSCI_HINGE_LOAD + NSCI_ROT * (k) * (13 - (k)) / 2)

/* x = a x b */
NSCI_INLINE void nsci_tree_cross(const nsc_real *a, const nsc_real *b, nsc_real *x)
{
    x[0] = a[1] * b[2] - a[2] * b[1];
    x[1] = a[2] * b[0] - a[0] * b[2];
    x[2] = a[0] * b[1] - a[1] * b[0];
}

/* Turn a row x, of the weight w and with zeros before `from`, against the rows of a link. */
NSCI_INLINE void nsci_tree_merge(nsc_real *NSC_RESTRICT R, int from, nsc_real *x, nsc_real w,
                                 nsc_real *NSC_RESTRICT turn)
{
    nsc_real *NSC_RESTRICT U = R + NSCI_TREE_U(from);
    int j, k;
    NSCI_UNROLL
    for (j = from; j < 6; j++, turn += NSCI_ROT) {
        nsc_real q = w * x[j] * R[j];
        nsc_real c = 1 / (1 + q * x[j]);
        nsc_real s = q * c;
        turn[NSCI_ROT_X] = x[j];
        turn[NSCI_ROT_C] = c;
        turn[NSCI_ROT_S] = s;
        NSCI_UNROLL
        for (k = j + 1; k < 6; k++, U++) {
            nsc_real r = *U;
            *U = c * r + s * x[k];
            x[k] -= x[j] * r;
        }
        R[j] *= c;
        w *= c;
    }
}

/* The constants h of a link's rows by those rotations of a row of the constant e, which is returned
   as they leave it */
NSCI_INLINE nsc_real nsci_tree_turn(const nsc_real *NSC_RESTRICT turn, int from,
                                    nsc_real *NSC_RESTRICT h, nsc_real e)
{
    int j;
    NSCI_UNROLL
    for (j = from; j < 6; j++, turn += NSCI_ROT) {
        nsc_real r = h[j];
        h[j] = turn[NSCI_ROT_C] * r + turn[NSCI_ROT_S] * e;
        e -= turn[NSCI_ROT_X] * r;
    }
    return e;
}

/* ---- which joints */

/* A hinge while it is worked on: its blocks of three rows at a point and two about axes, its number
   of springs and servos, its record; side: -1 where its child is body a of these */
typedef struct nsci_hinge {
    nsc_block *point, *turn;
    int soft;
    nsc_real axis[3], side, *m;
    nsc_real *h, *above; /* of its child and its parent, NULL: none; R or h */
} nsci_hinge;

/* Are two directions perpendicular unit vectors? */
NSCI_INLINE int nsci_hinge_is_frame(const nsc_real *d, const nsc_real *e)
{
    return nsci_abs(nsci_triple(d, d) - 1) + nsci_abs(nsci_triple(e, e) - 1) +
               nsci_abs(nsci_triple(d, e)) <= 16 * NSC_REAL_EPS;
}

/* Is the joint of a link a hinge, and nothing else in the tree but springs and servos of its axis?
   Its rows are listed then: the point's, those about axes, and the others. */
static int nsci_hinge_find(nsci_tree *t, int link, nsci_hinge *m)
{
    const nsc_real *E = t->R + 21 * link;
    int block = nsci_int(t->edge[link]);
    nsc_real *list = t->list + nsci_int(t->first[link]);
    const nsc_real *d, *e;
    int i, soft[NSCI_TREE_SOFT];
    m->point = m->turn = NULL;
    m->soft = 0;
    if (!(E[0] > 0 && E[3] > 0 && E[4] > 0 && E[5] > 0))
        return 0;
    for (; block >= 0; block = nsci_int(t->follow[block])) {
        nsc_block *k = &t->p->blocks[block];
        if (k->kind == NSC_BLOCK_EQUALITY && !k->soft) {
            nsc_block **held = k->rows == 3 ? &m->point : &m->turn;
            if (k->rows < 2 || *held ||
                k->form != (k->rows == 3 ? NSC_ROWS_AT_ARMS : NSC_ROWS_TURN))
                return 0;
            if (!(k->eff_mass[0] > 0 && k->eff_mass[1] > 0 && (k->rows < 3 || k->eff_mass[2] > 0)))
                return 0;
            *held = k;
            continue;
        }
        for (i = 0; i < k->rows; i++) {
            if (!nsci_tree_belongs(t, k, i))
                continue;
            if (k->form != NSC_ROWS_TURN || !(k->cfm[i] > 0) || m->soft == NSCI_TREE_SOFT)
                return 0;
            soft[m->soft++] = k->row + i;
        }
    }
    if (!m->point || !m->turn)
        return 0;
    /* Those at the point are perpendicular by their form, and both by a joint's frame */
    e = nsci_axes(m->turn, NSC_ROWS_TURN);
    if (!nsci_hinge_is_frame(e, e + NSCI_APART))
        return 0;
    nsci_tree_cross(e, e + NSCI_APART, m->axis);
    for (i = 0; i < m->soft; i++) {
        const nsc_block *k = &t->p->blocks[nsci_int(t->owner[soft[i]])];
        d = nsci_axes(k, NSC_ROWS_TURN) + NSCI_APART * (soft[i] - k->row);
        if (!(nsci_abs(nsci_triple(d, m->axis)) > NSC_R(0.5)))
            return 0;
    }
    for (i = 0; i < 5 + m->soft; i++) {
        int row = i < 3 ? m->point->row + i : i < 5 ? m->turn->row + i - 3 : soft[i - 5];
        list[i] = (nsc_real)row;
        t->inside[row] = 1;
    }
    return 1;
}

/* The same of a hinge in the tree.  x: six numbers for each link */
static void nsci_hinge_of(const nsci_tree *t, int link, nsc_real *x, nsci_hinge *k)
{
    int parent = nsci_int(t->parent[link]);
    k->m = t->p->arena + nsci_int(t->at[link]);
    k->point = &t->p->blocks[nsci_int(k->m[NSCI_HINGE_POINT])];
    k->turn = &t->p->blocks[nsci_int(k->m[NSCI_HINGE_TURNS])];
    k->soft = nsci_int(t->soft[link]);
    k->side = k->m[NSCI_HINGE_SIDE];
    k->h = x + 6 * link;
    k->above = parent < 0 ? NULL : x + 6 * parent;
}

/* Direction of soft row i */
static const nsc_real *nsci_hinge_soft(const nsci_tree *t, int link, int i, const nsc_block **k,
                                       int *row)
{
    *k = nsci_tree_block(t, nsci_int(t->first[link]) + 5 + i, row);
    return nsci_axes(*k, NSC_ROWS_TURN) + NSCI_APART * *row;
}

/* ---- the factor */

/* Turn a row whose number for q is z against the row for q, of the weight D.  Returns c. */
NSCI_INLINE nsc_real nsci_hinge_turn(nsc_real z, nsc_real w, nsc_real *D, nsc_real *turn)
{
    nsc_real sum = *D + w * z * z;
    nsc_real c = sum > 0 ? *D / sum : 1;
    turn[NSCI_ROT_X] = z;
    turn[NSCI_ROT_C] = c;
    turn[NSCI_ROT_S] = sum > 0 ? w * z / sum : 0;
    *D = sum;
    return c;
}

/* Row k of U against that for q, and what is left of it against those of the parent, if above is
   not NULL */
NSCI_INLINE void nsci_hinge_row(const nsc_real *NSC_RESTRICT R, int k, nsc_real *NSC_RESTRICT m,
                                nsc_real *D, nsc_real *above)
{
    const nsc_real *NSC_RESTRICT U = R + NSCI_TREE_U(k) - k - 1;
    const nsc_real *o = m + NSCI_HINGE_APART;
    nsc_real *p = m + NSCI_HINGE_P;
    nsc_real *turn = m + NSCI_HINGE_OWN + NSCI_ROT * k;
    nsc_real x[6], z, w = 1 / R[k], c, s;
    int j;
    z = m[k < 3 ? NSCI_HINGE_S + k : NSCI_HINGE_AXIS + k - 3];
    NSCI_UNROLL
    for (j = k + 1; j < 6; j++)
        z += U[j] * m[j < 3 ? NSCI_HINGE_S + j : NSCI_HINGE_AXIS + j - 3];
    c = nsci_hinge_turn(z, w, D, turn);
    s = turn[NSCI_ROT_S];
    NSCI_UNROLL
    for (j = 0; j < k; j++)
        x[j] = 0;
    x[k] = 1;
    p[k] = s;
    NSCI_UNROLL
    for (j = k + 1; j < 6; j++) {
        nsc_real r = p[j];
        x[j] = U[j] - z * r;
        p[j] = c * r + s * U[j];
    }
    if (!above)
        return;
    if (k < 3) {
        x[3] += o[1] * x[2] - o[2] * x[1];
        x[4] += o[2] * x[0] - o[0] * x[2];
        x[5] += o[0] * x[1] - o[1] * x[0];
    }
    nsci_tree_merge(above, k, x, w * c, m + NSCI_HINGE_LOAD_OF(k));
}

/* Take a link from the tree, if its joint is a hinge.  -1: no room; 0: it is none */
static int nsci_hinge_join(nsci_tree *t, int link)
{
    nsci_hinge h;
    const nsc_real *R = t->R + 21 * link;
    int parent = nsci_int(t->parent[link]);
    nsc_real *above = parent < 0 ? NULL : t->R + 21 * parent;
    const nsc_real *d, *arm, *other;
    nsc_real *m, D = 0;
    int i, row;
    if (!nsci_hinge_find(t, link, &h))
        return 0;
    m = nsci_tree_take(t, NSCI_HINGE_RECORD);
    if (!m)
        return -1;
    t->awake[h.point - t->p->blocks] = t->awake[h.turn - t->p->blocks] = -1;
    t->rows[link] = (nsc_real)(5 + h.soft);
    t->soft[link] = (nsc_real)h.soft;
    h.side = (nsc_real)(h.point->b == nsci_int(t->body[link]) ? 1 : -1);
    m[NSCI_HINGE_SIDE] = h.side;
    m[NSCI_HINGE_POINT] = (nsc_real)(h.point - t->p->blocks);
    m[NSCI_HINGE_TURNS] = (nsc_real)(h.turn - t->p->blocks);
    arm = h.side > 0 ? h.point->arm_b : h.point->arm_a;
    other = h.side > 0 ? h.point->arm_a : h.point->arm_b;
    NSCI_COPY3(m + NSCI_HINGE_AXIS, h.axis);
    nsci_tree_cross(arm, m + NSCI_HINGE_AXIS, m + NSCI_HINGE_S); /* the point stands */
    for (i = 0; i < 3; i++) {
        m[NSCI_HINGE_ARM + i] = arm[i];
        m[NSCI_HINGE_APART + i] = other[i] - arm[i];
    }
    for (i = 0; i < h.soft; i++) {
        const nsc_block *k;
        d = nsci_hinge_soft(t, link, i, &k, &row);
        nsci_hinge_turn(h.side * nsci_triple(d, m + NSCI_HINGE_AXIS), 1 / k->cfm[row], &D,
                        m + NSCI_HINGE_SOFT + NSCI_ROT * i);
    }
    m[NSCI_HINGE_STIFF] = D;
    nsci_hinge_row(R, 5, m, &D, above);
    nsci_hinge_row(R, 4, m, &D, above);
    nsci_hinge_row(R, 3, m, &D, above);
    nsci_hinge_row(R, 2, m, &D, above);
    nsci_hinge_row(R, 1, m, &D, above);
    nsci_hinge_row(R, 0, m, &D, above);
    m[NSCI_HINGE_ROOT] = NSC_SQRT(1 / D);
    return 1;
}

/* F of a row for the wrench x on the child, which becomes that on the parent */
static nsc_real nsci_hinge_trace(const nsc_real *m, nsc_real *x)
{
    const nsc_real *o = m + NSCI_HINGE_APART;
    nsc_real q = nsci_triple(m + NSCI_HINGE_S, x) + nsci_triple(m + NSCI_HINGE_AXIS, x + 3);
    int i;
    NSCI_UNROLL
    for (i = 0; i < 6; i++)
        x[i] -= q * m[NSCI_HINGE_P + i];
    x[3] += o[1] * x[2] - o[2] * x[1];
    x[4] += o[2] * x[0] - o[0] * x[2];
    x[5] += o[0] * x[1] - o[1] * x[0];
    return q * m[NSCI_HINGE_ROOT];
}

/* ---- the answer */

NSCI_INLINE void nsci_hinge_up(const nsc_real *m, int k, nsc_real *h, nsc_real *q, nsc_real *above)
{
    const nsc_real *turn = m + NSCI_HINGE_OWN + NSCI_ROT * k;
    nsc_real e = h[k];
    h[k] = e - turn[NSCI_ROT_X] * *q;
    *q = turn[NSCI_ROT_C] * *q + turn[NSCI_ROT_S] * e;
    if (above)
        h[k] = nsci_tree_turn(m + NSCI_HINGE_LOAD_OF(k), k, above, h[k]);
}

/* Angular velocity of b less that of a, and velocity of its point less that of a's */
static void nsci_hinge_speed(const nsc_problem *p, const nsc_block *k, nsc_real *turn,
                             nsc_real *point)
{
    const nsc_real *va = p->v + 6 * k->a, *vb = p->v + 6 * k->b;
    nsc_real x[3];
    int i;
    nsci_arm_velocity(vb, k->arm_b, point);
    NSCI_COPY3(turn, vb + 3);
    if (nsci_on_ground(p, k))
        return;
    nsci_arm_velocity(va, k->arm_a, x);
    for (i = 0; i < 3; i++) {
        turn[i] -= va[3 + i];
        point[i] -= x[i];
    }
}

/* h of the parent with what closing the rows of a hinge costs; its own becomes e, and the first of
   its t the constant of the row for q */
static void nsci_hinge_gather(nsci_tree *t, int link)
{
    nsci_hinge k;
    nsc_real *e = t->t + nsci_int(t->first[link]) + 5;
    const nsc_real *U = t->R + 21 * link + 6, *d;
    nsc_real turn[3], point[3], x[6], c[3], u, q = 0;
    int i, j, row;
    nsci_hinge_of(t, link, t->h, &k);
    nsci_hinge_speed(t->p, k.point, turn, point);
    NSCI_UNROLL
    for (i = 0; i < 6; i++)
        x[i] = 0;
    d = nsci_axes(k.turn, NSC_ROWS_TURN);
    NSCI_UNROLL
    for (i = 0; i < 2; i++, d += NSCI_APART) {
        u = -k.side * (nsci_triple(d, turn) + k.turn->bias[i]);
        NSCI_UNROLL
        for (j = 0; j < 3; j++)
            x[3 + j] += u * d[j];
    }
    d = nsci_axes(k.point, NSC_ROWS_AT_ARMS);
    NSCI_UNROLL
    for (i = 0; i < 3; i++, d += NSCI_APART) {
        u = -k.side * (nsci_triple(d, point) + k.point->bias[i]);
        NSCI_UNROLL
        for (j = 0; j < 3; j++)
            x[j] += u * d[j];
    }
    nsci_tree_cross(k.m + NSCI_HINGE_ARM, x + 3, c);
    NSCI_UNROLL
    for (i = 0; i < 3; i++)
        x[i] += c[i];
    NSCI_UNROLL
    for (i = 0; i < 6; i++) {
        k.h[i] += x[i];
        NSCI_UNROLL
        for (j = i + 1; j < 6; j++, U++)
            k.h[i] += *U * x[j];
    }
    for (i = 0; i < k.soft; i++) {
        const nsc_real *by = k.m + NSCI_HINGE_SOFT + NSCI_ROT * i;
        const nsc_block *soft;
        d = nsci_hinge_soft(t, link, i, &soft, &row);
        u = nsci_triple(d, turn) + soft->bias[row] + soft->cfm[row] * soft->lambda[row] +
            k.side * nsci_triple(d, x + 3);
        e[i] = u - by[NSCI_ROT_X] * q;
        q = by[NSCI_ROT_C] * q + by[NSCI_ROT_S] * u;
    }
    nsci_hinge_up(k.m, 5, k.h, &q, k.above);
    nsci_hinge_up(k.m, 4, k.h, &q, k.above);
    nsci_hinge_up(k.m, 3, k.h, &q, k.above);
    nsci_hinge_up(k.m, 2, k.h, &q, k.above);
    nsci_hinge_up(k.m, 1, k.h, &q, k.above);
    nsci_hinge_up(k.m, 0, k.h, &q, k.above);
    t->t[nsci_int(t->first[link])] = q;
    NSCI_UNROLL
    for (i = 0; i < 6; i++)
        k.h[i] = x[i];
}

/* Velocity of the child from that of its parent, in h: what the rows need, or by_w: what w gives */
static void nsci_hinge_spread(nsci_tree *t, int link, int by_w)
{
    const nsc_real *m = t->p->arena + nsci_int(t->at[link]);
    const nsc_real *o = m + NSCI_HINGE_APART;
    nsc_real *h = t->h + 6 * link;
    int parent = nsci_int(t->parent[link]);
    nsc_real x[6], q;
    int i;
    q = by_w ? m[NSCI_HINGE_ROOT] * t->w[nsci_int(t->offset[link])]
             : -t->t[nsci_int(t->first[link])];
    NSCI_UNROLL
    for (i = 0; i < 6; i++)
        x[i] = by_w ? 0 : h[i];
    if (parent >= 0) {
        const nsc_real *v = t->h + 6 * parent;
        nsc_real y[6];
        nsci_tree_cross(v + 3, o, y);
        NSCI_UNROLL
        for (i = 0; i < 3; i++) {
            y[i] += v[i];
            y[3 + i] = v[3 + i];
        }
        NSCI_UNROLL
        for (i = 0; i < 6; i++) {
            q -= m[NSCI_HINGE_P + i] * y[i];
            x[i] += y[i];
        }
    }
    NSCI_UNROLL
    for (i = 0; i < 3; i++) {
        h[i] = x[i] + q * m[NSCI_HINGE_S + i];
        h[3 + i] = x[3 + i] + q * m[NSCI_HINGE_AXIS + i];
    }
}

/* Impulses of the rows of a hinge from that on its child, in h, where what they lack of it is left,
   about the axis; what they do to its parent's, as if they lacked nothing */
static void nsci_hinge_load(nsci_tree *t, int link)
{
    nsci_hinge k;
    int first = nsci_int(t->first[link]) + 5;
    const nsc_real *d, *o;
    nsc_real f[6], c[3], q;
    int i, j, row;
    nsci_hinge_of(t, link, t->h, &k);
    o = k.m + NSCI_HINGE_APART;
    NSCI_COPY3(f, k.h);
    nsci_tree_cross(f, k.m + NSCI_HINGE_ARM, c);
    NSCI_UNROLL
    for (i = 0; i < 3; i++)
        f[3 + i] = k.h[3 + i] + c[i];
    if (k.above) {
        nsci_tree_cross(o, f, c);
        NSCI_UNROLL
        for (i = 0; i < 3; i++) {
            k.above[i] += f[i];
            k.above[3 + i] += k.h[3 + i] + c[i];
        }
    }
    q = k.soft > 0 ? -nsci_triple(k.m + NSCI_HINGE_AXIS, f + 3) / k.m[NSCI_HINGE_STIFF] : 0;
    NSCI_UNROLL
    for (i = 3; i < 6; i++)
        f[i] *= k.side;
    for (i = k.soft - 1; i >= 0; i--) {
        const nsc_real *by = k.m + NSCI_HINGE_SOFT + NSCI_ROT * i;
        nsc_real e = t->t[first + i], x;
        nsc_block *soft = nsci_tree_block(t, first + i, &row);
        d = nsci_axes(soft, NSC_ROWS_TURN) + NSCI_APART * row;
        x = -(by[NSCI_ROT_X] * q + by[NSCI_ROT_C] * e) / soft->cfm[row];
        q -= by[NSCI_ROT_S] * e;
        soft->lambda[row] += x;
        NSCI_UNROLL
        for (j = 0; j < 3; j++)
            f[3 + j] -= x * d[j];
    }
    d = nsci_axes(k.point, NSC_ROWS_AT_ARMS);
    for (i = 0; i < 3; i++)
        k.point->lambda[i] += k.side * nsci_triple(d + NSCI_APART * i, f);
    d = nsci_axes(k.turn, NSC_ROWS_TURN);
    for (i = 0; i < 2; i++)
        k.turn->lambda[i] += nsci_triple(d + NSCI_APART * i, f + 3);
    q = nsci_triple(k.m + NSCI_HINGE_AXIS, f + 3);
    NSCI_UNROLL
    for (i = 0; i < 3; i++) {
        k.h[i] = 0;
        k.h[3 + i] = q * k.m[NSCI_HINGE_AXIS + i];
    }
}

#endif
