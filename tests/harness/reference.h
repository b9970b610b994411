/* reference.h - mechanisms in minimal coordinates, integrated by RK4 in double: what the joints are tested against.

   Kane's equations.  With generalised speeds u, body i has
       v_i = sum_k Jv_ik u_k      a_i     = sum_k Jv_ik u'_k + av_i        (centre of mass)
       w_i = sum_k Jw_ik u_k      alpha_i = sum_k Jw_ik u'_k + aw_i
   av, aw being what is quadratic in u.  Forces of constraint do no work along Jv, Jw, so
       sum_i Jv_ik . (m_i a_i - m_i g) + Jw_ik . (I_i alpha_i + w_i x I_i w_i) = Q_k
   is a linear system for u'.  No multiplier, no drift.  A mechanism is written as a walk along its links:
   ref_turn, ref_slide and ref_move carry v, w, J, av, aw from one frame to the next.

   Reaction at a point P of the first joint of what hangs outward of it:
       F = sum m (a - g)      T_P = sum I alpha + w x I w + (x - P) x m (a - g) */
#ifndef NSC_TEST_REFERENCE_H
#define NSC_TEST_REFERENCE_H
#include <math.h>
#include <string.h>

enum { REF_DOF = 4, REF_BODIES = 3 };

typedef struct ref_frame {
    double p[3], R[3][3];                     /* origin, world; R turns the frame into the world, R[row][column] */
    double v[3], w[3];
    double Jv[REF_DOF][3], Jw[REF_DOF][3];
    double av[3], aw[3];
} ref_frame;

typedef struct ref_mechanism ref_mechanism;
struct ref_mechanism {
    int dof, bodies, ball;                    /* ball: q is a quaternion, u the turn rate, both in the base */
    double m[REF_BODIES], I[REF_BODIES][3];   /* principal moments, body frame                            */
    double g[3];
    double base_p[3], base_R[3][3];           /* the first joint's frame on the ground                    */
    double c[3], R0[3][3];                    /* one body: centre and orientation in the joint's frame    */
    double k, rest, d;                        /* spring and damper of coordinate 0                        */
    void (*walk)(const ref_mechanism *, const double *q, const double *u, ref_frame *body);
};

static inline void ref_cross(const double *a, const double *b, double *out)
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

static inline double ref_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline double ref_norm(const double *a) { return sqrt(ref_dot(a, a)); }

static inline void ref_add_cross(double *out, const double *a, const double *b)
{
    double c[3];
    int i;
    ref_cross(a, b, c);
    for (i = 0; i < 3; i++) out[i] += c[i];
}

static inline void ref_mul_mv(double R[3][3], const double *x, double *out)
{
    double y[3];
    int i;
    for (i = 0; i < 3; i++) y[i] = ref_dot(R[i], x);
    memcpy(out, y, sizeof y);
}

static inline void ref_mul_mtv(double R[3][3], const double *x, double *out)
{
    double y[3];
    int i;
    for (i = 0; i < 3; i++) y[i] = R[0][i] * x[0] + R[1][i] * x[1] + R[2][i] * x[2];
    memcpy(out, y, sizeof y);
}

static inline void ref_mul_mm(double A[3][3], double B[3][3], double out[3][3])
{
    double C[3][3];
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
    memcpy(out, C, sizeof C);
}

/* quaternion w x y z into a matrix */
static inline void ref_matrix(const double *q, double R[3][3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / (w * w + x * x + y * y + z * z);
    R[0][0] = 1 - s * (y * y + z * z), R[0][1] = s * (x * y - w * z), R[0][2] = s * (x * z + w * y);
    R[1][0] = s * (x * y + w * z), R[1][1] = 1 - s * (x * x + z * z), R[1][2] = s * (y * z - w * x);
    R[2][0] = s * (x * z - w * y), R[2][1] = s * (y * z + w * x), R[2][2] = 1 - s * (x * x + y * y);
}

/* turn by an angle about a unit axis */
static inline void ref_rotation(const double *axis, double angle, double R[3][3])
{
    double q[4], s = sin(angle / 2);
    q[0] = cos(angle / 2), q[1] = s * axis[0], q[2] = s * axis[1], q[3] = s * axis[2];
    ref_matrix(q, R);
}

/* matrix into a quaternion: the largest component first, so that nothing cancels */
static inline void ref_quaternion(double R[3][3], double *q)
{
    double t[4], n;
    int i, k = 0;
    t[0] = 1 + R[0][0] + R[1][1] + R[2][2];
    for (i = 0; i < 3; i++) t[1 + i] = 1 + 2 * R[i][i] - R[0][0] - R[1][1] - R[2][2];
    for (i = 1; i < 4; i++) if (t[i] > t[k]) k = i;
    if (k == 0) {
        q[0] = t[0], q[1] = R[2][1] - R[1][2], q[2] = R[0][2] - R[2][0], q[3] = R[1][0] - R[0][1];
    } else {
        int a = k - 1, b = k % 3, c = (k + 1) % 3;
        q[0] = R[c][b] - R[b][c], q[1 + a] = t[k], q[1 + b] = R[a][b] + R[b][a], q[1 + c] = R[a][c] + R[c][a];
    }
    n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (i = 0; i < 4; i++) q[i] /= n;
}

/* ---- the walk ---- */

static inline void ref_begin(const ref_mechanism *M, ref_frame *f)
{
    memset(f, 0, sizeof *f);
    memcpy(f->p, M->base_p, sizeof f->p);
    memcpy(f->R, M->base_R, sizeof f->R);
}

/* on to a point r of the same rigid link, r in the world */
static inline void ref_move_world(ref_frame *f, const double *r)
{
    double c[3];
    int k;
    for (k = 0; k < REF_DOF; k++) ref_add_cross(f->Jv[k], f->Jw[k], r);
    ref_cross(f->w, r, c);
    for (k = 0; k < 3; k++) f->v[k] += c[k], f->p[k] += r[k];
    ref_add_cross(f->av, f->w, c);
    ref_add_cross(f->av, f->aw, r);
}

static inline void ref_move(ref_frame *f, double x, double y, double z)
{
    double r[3];
    r[0] = x, r[1] = y, r[2] = z;
    ref_mul_mv(f->R, r, r);
    ref_move_world(f, r);
}

/* over a hinge: axis number 0..2 of the frame, coordinate k */
static inline void ref_turn(ref_frame *f, int axis, int k, double angle, double rate)
{
    double n[3], e[3] = {0, 0, 0}, T[3][3];
    int i;
    e[axis] = 1;
    ref_mul_mv(f->R, e, n);
    ref_cross(f->w, n, T[0]);
    for (i = 0; i < 3; i++) f->aw[i] += rate * T[0][i], f->Jw[k][i] += n[i];
    for (i = 0; i < 3; i++) f->w[i] += rate * n[i];
    ref_rotation(e, angle, T);
    ref_mul_mm(f->R, T, f->R);
}

/* over a slider: axis number 0..2 of the frame, coordinate k */
static inline void ref_slide(ref_frame *f, int axis, int k, double length, double rate)
{
    double n[3], e[3] = {0, 0, 0}, r[3], c[3];
    int i;
    e[axis] = 1;
    ref_mul_mv(f->R, e, n);
    for (i = 0; i < 3; i++) r[i] = length * n[i];
    ref_move_world(f, r);
    ref_cross(f->w, n, c);
    for (i = 0; i < 3; i++) f->av[i] += 2 * rate * c[i], f->Jv[k][i] += n[i], f->v[i] += rate * n[i];
}

/* the body at the end of the walk, of a mechanism of one */
static inline void ref_end(const ref_mechanism *M, ref_frame *f)
{
    double R0[3][3];
    memcpy(R0, M->R0, sizeof R0);
    ref_move(f, M->c[0], M->c[1], M->c[2]);
    ref_mul_mm(f->R, R0, f->R);
}

/* ---- equations of motion ---- */

/* I alpha, I in the body's frame, vectors in the world */
static inline void ref_inertia(const ref_mechanism *M, int i, const ref_frame *f, const double *alpha, double *out)
{
    double R[3][3], b[3];
    int k;
    memcpy(R, f->R, sizeof R);
    ref_mul_mtv(R, alpha, b);
    for (k = 0; k < 3; k++) b[k] *= M->I[i][k];
    ref_mul_mv(R, b, out);
}

static inline void ref_solve(int n, double A[REF_DOF][REF_DOF], double *b)
{
    int i, j, k;
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) { /* symmetric positive definite: no pivoting */
            double f = A[i][k] / A[k][k];
            for (j = k; j < n; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    for (k = n - 1; k >= 0; k--) {
        for (j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

/* u' */
static inline void ref_accelerate(const ref_mechanism *M, const double *q, const double *u, double *du)
{
    ref_frame f[REF_BODIES];
    double A[REF_DOF][REF_DOF];
    int i, j, k, l;
    M->walk(M, q, u, f);
    memset(A, 0, sizeof A);
    for (k = 0; k < M->dof; k++) du[k] = 0;
    if (M->k > 0 || M->d > 0) du[0] = -M->k * (q[0] - M->rest) - M->d * u[0];
    for (i = 0; i < M->bodies; i++) {
        double Iw[3], t[3], IJ[3];
        ref_inertia(M, i, &f[i], f[i].w, Iw);
        ref_inertia(M, i, &f[i], f[i].aw, t);
        ref_add_cross(t, f[i].w, Iw);
        for (k = 0; k < M->dof; k++) {
            for (j = 0; j < 3; j++) du[k] -= f[i].Jv[k][j] * M->m[i] * (f[i].av[j] - M->g[j]);
            du[k] -= ref_dot(f[i].Jw[k], t);
            ref_inertia(M, i, &f[i], f[i].Jw[k], IJ);
            for (l = 0; l < M->dof; l++) A[l][k] += M->m[i] * ref_dot(f[i].Jv[l], f[i].Jv[k]) + ref_dot(f[i].Jw[l], IJ);
        }
    }
    ref_solve(M->dof, A, du);
}

static inline void ref_rates(const ref_mechanism *M, const double *y, double *dy)
{
    int nq = M->ball ? 4 : M->dof, k;
    const double *u = y + nq;
    if (M->ball) { /* q' = 1/2 (0, w) q */
        dy[0] = -.5 * (u[0] * y[1] + u[1] * y[2] + u[2] * y[3]);
        dy[1] = .5 * (u[0] * y[0] + u[1] * y[3] - u[2] * y[2]);
        dy[2] = .5 * (u[1] * y[0] + u[2] * y[1] - u[0] * y[3]);
        dy[3] = .5 * (u[2] * y[0] + u[0] * y[2] - u[1] * y[1]);
    } else
        for (k = 0; k < nq; k++) dy[k] = u[k];
    ref_accelerate(M, y, u, dy + nq);
}

/* one step of the classical Runge-Kutta method; y = (q, u) */
static inline void ref_step(const ref_mechanism *M, double *y, double h)
{
    double k1[2 * REF_DOF], k2[2 * REF_DOF], k3[2 * REF_DOF], k4[2 * REF_DOF], z[2 * REF_DOF];
    int i, n = M->dof + (M->ball ? 4 : M->dof);
    ref_rates(M, y, k1);
    for (i = 0; i < n; i++) z[i] = y[i] + .5 * h * k1[i];
    ref_rates(M, z, k2);
    for (i = 0; i < n; i++) z[i] = y[i] + .5 * h * k2[i];
    ref_rates(M, z, k3);
    for (i = 0; i < n; i++) z[i] = y[i] + h * k3[i];
    ref_rates(M, z, k4);
    for (i = 0; i < n; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

static inline void ref_look(const ref_mechanism *M, const double *y, ref_frame *f)
{
    M->walk(M, y, y + (M->ball ? 4 : M->dof), f);
}

static inline double ref_energy(const ref_mechanism *M, const double *y)
{
    ref_frame f[REF_BODIES];
    double E = .5 * M->k * (y[0] - M->rest) * (y[0] - M->rest), Iw[3];
    int i;
    ref_look(M, y, f);
    for (i = 0; i < M->bodies; i++) {
        ref_inertia(M, i, &f[i], f[i].w, Iw);
        E += .5 * (M->m[i] * ref_dot(f[i].v, f[i].v) + ref_dot(f[i].w, Iw)) - M->m[i] * ref_dot(M->g, f[i].p);
    }
    return E;
}

/* on the bodies from `first` on, about P */
static inline void ref_reaction(const ref_mechanism *M, const double *y, int first, const double *P, double *F, double *T)
{
    ref_frame f[REF_BODIES];
    double du[REF_DOF];
    const double *u = y + (M->ball ? 4 : M->dof);
    int i, j, k;
    ref_look(M, y, f);
    ref_accelerate(M, y, u, du);
    for (j = 0; j < 3; j++) F[j] = T[j] = 0;
    for (i = first; i < M->bodies; i++) {
        double a[3], alpha[3], t[3], Iw[3], r[3];
        for (j = 0; j < 3; j++) {
            a[j] = f[i].av[j] - M->g[j], alpha[j] = f[i].aw[j];
            for (k = 0; k < M->dof; k++) a[j] += f[i].Jv[k][j] * du[k], alpha[j] += f[i].Jw[k][j] * du[k];
            a[j] *= M->m[i], r[j] = f[i].p[j] - P[j];
        }
        ref_inertia(M, i, &f[i], alpha, t);
        ref_inertia(M, i, &f[i], f[i].w, Iw);
        ref_add_cross(t, f[i].w, Iw);
        ref_add_cross(t, r, a);
        for (j = 0; j < 3; j++) F[j] += a[j], T[j] += t[j];
    }
}

/* ---- the mechanisms ---- */

static inline void ref_walk_hinge(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, f);
    ref_turn(f, 2, 0, q[0], u[0]);
    ref_end(M, f);
}

static inline void ref_walk_slider(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, f);
    ref_slide(f, 2, 0, q[0], u[0]);
    ref_end(M, f);
}

static inline void ref_walk_universal(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, f);
    ref_turn(f, 2, 0, q[0], u[0]);
    ref_turn(f, 0, 1, q[1], u[1]);
    ref_end(M, f);
}

static inline void ref_walk_cylindrical(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, f);
    ref_slide(f, 2, 0, q[0], u[0]);
    ref_turn(f, 2, 1, q[1], u[1]);
    ref_end(M, f);
}

static inline void ref_walk_planar(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, f);
    ref_slide(f, 0, 0, q[0], u[0]);
    ref_slide(f, 1, 1, q[1], u[1]);
    ref_turn(f, 2, 2, q[2], u[2]);
    ref_end(M, f);
}

static inline void ref_walk_ball(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    double R[3][3];
    int k, i;
    ref_begin(M, f);
    for (k = 0; k < 3; k++)
        for (i = 0; i < 3; i++) f->Jw[k][i] = f->R[i][k], f->w[i] += u[k] * f->R[i][k];
    ref_matrix(q, R);
    ref_mul_mm(f->R, R, f->R);
    ref_end(M, f);
}

/* Two rods of length c[0] in a row, hinged about z of the base, each with its centre in the middle:
       (J + m l^2/4 + m l^2) a1'' + (m l^2/2) cos(a1 - a2) a2'' + ...
   the angles q are each against the link before. */
static inline void ref_walk_double(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    double half = M->c[0] / 2;
    ref_begin(M, &f[0]);
    ref_turn(&f[0], 2, 0, q[0], u[0]);
    ref_move(&f[0], half, 0, 0);
    f[1] = f[0];
    ref_move(&f[1], half, 0, 0);
    ref_turn(&f[1], 2, 1, q[1], u[1]);
    ref_move(&f[1], half, 0, 0);
}

/* Block on a slider along x of the base (coordinate 0), and on it a pendulum about z, its centre c[0] away:
       2 m x'' - m l sin(q) q'' - m l cos(q) q'^2 + k x = 0      (q from x)
       (J + m l^2) q'' - m l sin(q) x'' + torque of the weight = 0 */
static inline void ref_walk_cart(const ref_mechanism *M, const double *q, const double *u, ref_frame *f)
{
    ref_begin(M, &f[0]);
    ref_slide(&f[0], 0, 0, q[0], u[0]);
    f[1] = f[0];
    ref_turn(&f[1], 2, 1, q[1], u[1]);
    ref_move(&f[1], M->c[0], 0, 0);
}
#endif
