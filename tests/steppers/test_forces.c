/* Derivatives of forces of one's own, in closed form. */
#define NSC_MAX_FORCES 2
#define NSC_IMPLEMENTATION
#include "shared.h"
#include <math.h>
#include "by.h"
#include "plain.h"

static double K[6][6], C[6][6], f0[6];

static void pull(void *user, const nsc_world *w, nsc_id body, nsc_force *f)
{
    int i, k;
    (void)user, (void)w, (void)body;
    f->force = vec(f0[0], f0[1], f0[2]), f->torque = vec(f0[3], f0[4], f0[5]);
    f->derivative = 1;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) f->stiffness[i][k] = REAL(K[i][k]), f->damping[i][k] = REAL(C[i][k]);
}

static void gauss(double A[6][7])
{
    int i, k, j;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) {
            double s = A[k][i] / A[i][i];
            for (j = i; j < 7 && k != i; j++) A[k][j] -= s * A[i][j];
        }
    for (i = 0; i < 6; i++) A[i][6] /= A[i][i];
}

/* Force and torque coupled, no axis an eigenvector: (M + h C + h^2 K) v' = (M + h C) v + h f */
static void coupled_force(int rank)
{
    static const double root[6][6] = {{3, 1, 0, 2, 0, 1}, {-1, 2, 1, 0, 1, 0}, {0, 1, 4, 1, -2, 0},
                                      {1, 0, -1, 2, 1, 3}, {2, -1, 0, 1, 5, 1}, {0, 2, 1, -1, 0, 2}};
    const double h = 1 / 16., m = 2, inertia = 3, v0[6] = {1, -2, 3, .5, -.25, 1};
    double A[6][7];
    nsc_world_def def = exact_world(0);
    nsc_calls calls;
    nsc_vec3 v;
    nsc_id id;
    int i, j, k;
    stepped_by = NSC_SOLVER_NEWTON;
    CHECK(nsc_world_set_def(&world, &def) == NSC_OK);
    memset(&calls, 0, sizeof calls);
    calls.force = pull;
    for (i = 0; i < 6; i++)
        for (k = 0, f0[i] = i - 2; k < 6; k++)
            for (j = 0, K[i][k] = C[i][k] = 0; j < rank; j++) K[i][k] += 20 * root[i][j] * root[k][j], C[i][k] += root[i][j] * root[k][j] / 3;
    for (i = 0; i < 6; i++)
        for (k = 0, A[i][6] = h * f0[i]; k < 6; k++) {
            double M = (i == k ? (i < 3 ? m : inertia) : 0) + h * C[i][k];
            A[i][k] = M + h * h * K[i][k], A[i][6] += M * v0[k];
        }
    gauss(A);
    id = heavy_body(vec(1, 2, 3), m, inertia);
    CHECK(nsc_body_set_velocity(&world, id, vec(v0[0], v0[1], v0[2]), vec(v0[3], v0[4], v0[5])) == NSC_OK);
    CHECK(step_by_with(&world, REAL(h), &calls) == NSC_OK);
    v = velocity_of(id, 0);
    CHECK_NEAR(v.x, A[0][6], 2e-5), CHECK_NEAR(v.y, A[1][6], 2e-5), CHECK_NEAR(v.z, A[2][6], 2e-5);
    v = velocity_of(id, 1);
    CHECK_NEAR(v.x, A[3][6], 2e-5), CHECK_NEAR(v.y, A[4][6], 2e-5), CHECK_NEAR(v.z, A[5][6], 2e-5);
}

/* A derivative too slight to be a row: the step is that of the force alone, to rounding. */
static void slight_derivative(void)
{
    double least = D(NSC_REAL_MIN) * D(NSC_REAL_EPS);
    int i, k;
    for (k = 0; k < 2; k++) {
        nsc_calls calls;
        nsc_vec3 v;
        nsc_id id;
        exact_world(0);
        memset(&calls, 0, sizeof calls), memset(K, 0, sizeof K), memset(C, 0, sizeof C);
        for (i = 0; i < 6; i++) f0[i] = i + 1, C[i][i] = least * (k ? 1e4 : 4);
        calls.force = pull;
        id = heavy_body(vec(1, 2, 3), 2, 4);
        CHECK(step_by_with(&world, REAL(.125), &calls) == NSC_OK);
        v = velocity_of(id, 0);
        CHECK_NEAR(v.x, .0625, 1e-7), CHECK_NEAR(v.y, .125, 1e-7), CHECK_NEAR(v.z, .1875, 1e-7);
        v = velocity_of(id, 1);
        CHECK_NEAR(v.x, .125, 1e-7), CHECK_NEAR(v.y, .15625, 1e-7), CHECK_NEAR(v.z, .1875, 1e-7);
    }
}

int main(void)
{
    coupled_force(6);
    coupled_force(4);
    slight_derivative();
    return TEST_END("forces");
}
