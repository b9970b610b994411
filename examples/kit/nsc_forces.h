/* nsc_forces.h - derivatives of your forces; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_FORCES.
   Beside it: nsc.h.
   Of so many bodies nsc_calls.force may fill in stiffness and damping, so that implicit steppers
   stay stable however stiff the force is. */
#ifndef NSC_FORCES_H
#define NSC_FORCES_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MAX_FORCES > 0 before nsc.h, which then includes nsc_forces.h"
#endif

NSCI_REQUIRE(NSC_MAX_FORCES_is_at_most_NSC_MAX_BODIES,
             NSC_MAX_FORCES >= 0 && NSC_MAX_FORCES <= NSC_MAX_BODIES);

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_open_forces(nsc_world *w, int open);
static int nsci_keep_force(nsc_world *w, int i, const nsc_force *f);
static void nsci_fill_forces(nsc_world *w, nsc_island *own, const nsci_scheme *s);

#elif defined(NSCI_CODE) /* and again */

/* Allow (1) or forbid (0) that derivatives of forces reserve a place; 1 also frees all places. */
static void nsci_open_forces(nsc_world *w, int open)
{
    w->given_open = open;
    if (open)
        w->given_count = 0;
}

/* Keep the force on body i if it has a place or its derivative gets one; 0: it has none. */
static int nsci_keep_force(nsc_world *w, int i, const nsc_force *f)
{
    int k;
    for (k = 0; k < w->given_count && w->given_to[k] != i; k++) {
    }
    if (k == w->given_count && f->derivative && k < NSC_MAX_FORCES && w->given_open)
        w->given_to[w->given_count++] = (uint16_t)i;
    if (k < w->given_count)
        NSC_MEMCPY(&w->given[k], f, sizeof *f);
    return k < w->given_count;
}

/* Eigenvalues (diagonal of A) and eigenvectors (columns of Q) of a symmetric 6 x 6 matrix by eight
   Jacobi sweeps; six suffice */
static void nsci_eigen6(nsc_real A[6][6], nsc_real Q[6][6])
{
    nsc_real one = 1, c, s, t, x, y;
    int sweep, p, q, k;
    for (p = 0; p < 6; p++)
        for (q = 0; q < 6; q++)
            Q[p][q] = p == q ? one : 0;
    for (sweep = 0; sweep < 8; sweep++)
        for (p = 0; p < 5; p++)
            for (q = p + 1; q < 6; q++) {
                if (nsci_abs(A[p][q]) <= 0)
                    continue;
                t = NSC_R(0.5) * (A[q][q] - A[p][p]) / A[p][q];
                /* 0 if t * t overflows */
                t = (t < 0 ? -one : one) / (nsci_abs(t) + NSC_SQRT(one + t * t));
                c = one / NSC_SQRT(one + t * t);
                s = t * c;
                for (k = 0; k < 6; k++) {
                    x = A[k][p];
                    y = A[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                }
                for (k = 0; k < 6; k++) {
                    x = A[p][k];
                    y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                }
                for (k = 0; k < 6; k++) {
                    x = Q[k][p];
                    y = Q[k][q];
                    Q[k][p] = c * x - s * y;
                    Q[k][q] = s * x + c * y;
                }
            }
}

/* Rows between ground and body for a force's derivative: S = hx stiffness + damping is a sum of
   sigma e e^T; each term with sigma > 0 gives a row along e.  The free velocity contains the force
   at the present velocities, so bias cancels the row's force at these. */
NSCI_OWN_FRAME int nsci_fill_force(const nsc_world *w, const nsci_scheme *s, int body,
                                   const nsc_force *f, nsc_block *blocks)
{
    nsc_real S[6][6], Q[6][6], v[6], past[6], along;
    int i, k, rows = 0;
    nsci_velocity_of(&w->bodies[body], v);
    for (i = 0; i < 6; i++) {
        past[i] = 0;
        for (k = 0; k < 6; k++) {
            nsc_real stiff = NSC_R(0.5) * s->hx * (f->stiffness[i][k] + f->stiffness[k][i]);
            nsc_real damp = NSC_R(0.5) * (f->damping[i][k] + f->damping[k][i]);
            S[i][k] = stiff + damp;
            past[i] += (s->mode == NSCI_NEWTON ? S[i][k] : damp) * v[k];
        }
    }
    nsci_eigen6(S, Q);
    for (i = 0; i < 6; i++) {
        nsc_block *b = &blocks[rows / 3];
        nsc_real sigma = S[i][i];
        nsc_real cfm = 1 / (s->hf * sigma);
        int r = rows % 3;
        /* A NaN passes, and the solver refuses the problem */
        if (sigma <= 0 || cfm > NSC_REAL_MAX)
            continue;
        {
            b->a = 0;
            b->b = nsci_inner_of(w, body);
        }
        b->kind = NSC_BLOCK_EQUALITY;
        b->rows = (unsigned char)(r + 1);
        b->form = NSC_ROWS_ANY;
        b->mu = b->lambda[r] = 0;
        b->cfm[r] = cfm;
        NSC_MEMSET(b->J[r], 0, sizeof b->J[r]);
        for (k = 0, along = 0; k < 6; k++) {
            b->J[r][6 + k] = Q[k][i];
            along += Q[k][i] * past[k];
        }
        b->bias[r] = -along / sigma;
        rows++;
    }
    return (rows + 2) / 3;
}

/* Blocks of the derivatives of an island's forces.  They come last, because their number may change
   within a step and blocks filled only once must keep their places; own->places reserves room for
   all. */
static void nsci_fill_forces(nsc_world *w, nsc_island *own, const nsci_scheme *s)
{
    int i;
    int n = own->first_block + own->blocks;
    for (i = 0; i < w->given_count; i++) {
        if (w->island[w->given_to[i]] != own - w->islands)
            continue;
        own->places = (nsci_index)(own->places + 2);
        if (w->given[i].derivative && s->mode != NSCI_EXPLICIT && s->mode != NSCI_POSITION)
            n += nsci_fill_force(w, s, w->given_to[i], &w->given[i], &w->scratch.solve.blocks[n]);
    }
    own->blocks = (nsci_index)(n - own->first_block);
}

#endif
