/* Blocks that hold directions instead of rows, NSC_SHORT_BLOCKS: every form of a block that a user fills; joints and a gear in such a
   world; NSC_JOINT_AXES.  That a world has the same bits with them is shown by test_replay_short. */
#define NSC_IMPLEMENTATION
#define NSC_SHORT_BLOCKS 1
#define NSC_JOINT_AXES 1
#ifndef NSC_MAX_JOINTS
#define NSC_MAX_JOINTS 8
#endif
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_joint_state.h"
#include "nsc_print.h"
#include "by.h"
#include "random.h"
#include "plain.h"

/* ---- Blocks by hand */

static nsc_mass mass[3];
static nsc_real v_free[18], v[18];
static nsc_block block[1];
enum { MANY = 10667 }; /* blocks of three rows: more than 32000 */
static nsc_block many[MANY];

static void any_bodies(void)
{
    int i, k;
    memset(mass, 0, sizeof mass);
    for (i = 1; i < 3; i++) {
        mass[i].inv_mass = (nsc_real)uniform(0.1, 2);
        for (k = 0; k < 3; k++) mass[i].inv_inertia[k] = (nsc_real)uniform(1, 5);
        for (k = 3; k < 6; k++) mass[i].inv_inertia[k] = (nsc_real)uniform(-0.3, 0.3);
    }
    for (i = 0; i < 18; i++) v_free[i] = i < 6 ? 0 : (nsc_real)uniform(-1, 1);
    memset(block, 0, sizeof block);
    block[0].kind = NSC_BLOCK_EQUALITY;
    block[0].a = 1, block[0].b = 2;
}

static void any_direction(nsc_real *d)
{
    int k;
    for (k = 0; k < 3; k++) d[k] = (nsc_real)uniform(-1, 1);
}

/* The twelve numbers that row i stands for, written out */
static void spell(const nsc_block *k, int i, int turning, double *J)
{
    double d[3], a[3], b[3];
    int j;
    for (j = 0; j < 3; j++) d[j] = (double)k->d[i][j], a[j] = (double)k->arm_a[j], b[j] = (double)k->arm_b[j];
    for (j = 0; j < 3; j++) {
        int p = (j + 1) % 3, q = (j + 2) % 3;
        J[j] = turning ? 0 : -d[j], J[6 + j] = turning ? 0 : d[j];
        J[3 + j] = turning ? -d[j] : -(a[p] * d[q] - a[q] * d[p]);
        J[9 + j] = turning ? d[j] : b[p] * d[q] - b[q] * d[p];
    }
}

/* The answer to equality rows: J v = 0, and the bodies' change of velocity is M^-1 J' lambda. */
static void answers(double J[3][12], int rows)
{
    nsc_problem p;
    nsc_settings s = nsc_default_settings();
    nsc_report r;
    int i, j, k;
    memset(&p, 0, sizeof p);
    p.body_count = 3, p.masses = mass, p.v_free = v_free, p.v = v, p.blocks = block, p.block_count = 1;
    block[0].rows = (unsigned char)rows;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    CHECK(nsc_solve_sipgs(&p, &s, &r) == NSC_OK);
    for (i = 0; i < rows; i++) {
        double u = 0, size = 0;
        for (j = 0; j < 12; j++) u += J[i][j] * (double)v[6 + j], size += fabs(J[i][j] * (double)v[6 + j]);
        CHECK_NEAR(u, 0, sizeof(nsc_real) == 4 ? 1e-6 + 2e-6 * size : 1e-8);
    }
    for (k = 1; k < 3; k++) {
        double w[6] = {0}, dv[6];
        const nsc_real *I = mass[k].inv_inertia;
        for (i = 0; i < rows; i++)
            for (j = 0; j < 6; j++) w[j] += J[i][6 * (k - 1) + j] * (double)block[0].lambda[i];
        for (j = 0; j < 3; j++) dv[j] = (double)mass[k].inv_mass * w[j];
        dv[3] = (double)I[0] * w[3] + (double)I[3] * w[4] + (double)I[4] * w[5];
        dv[4] = (double)I[3] * w[3] + (double)I[1] * w[4] + (double)I[5] * w[5];
        dv[5] = (double)I[4] * w[3] + (double)I[5] * w[4] + (double)I[2] * w[5];
        for (j = 0; j < 6; j++)
            CHECK_NEAR(v[6 * k + j] - v_free[6 * k + j], dv[j], sizeof(nsc_real) == 4 ? 2e-5 : 1e-12);
    }
}

/* At short arms and at long ones, where the rows are applied one by one; turning; mixed */
static void forms(void)
{
    int i, n, row;
    for (n = 0; n < 400; n++) {
        double J[3][12], long_arms = n % 3 == 0 ? 30 : 0.5;
        int form = n % 4, rows = 1 + n / 4 % 3, turns = 0;
        any_bodies();
        for (i = 0; i < 3; i++) {
            any_direction(block[0].d[i]);
            block[0].arm_a[i] = (nsc_real)(long_arms * uniform(-1, 1));
            block[0].arm_b[i] = (nsc_real)(long_arms * uniform(-1, 1));
        }
        if (form == NSC_ROWS_ONE) {
            block[0].form = NSC_ROWS_ONE, rows = 1;
            for (i = 0; i < 3; i++) {
                block[0].arm_a[i] = (nsc_real)uniform(-1, 1);
                J[0][i] = (double)block[0].d[2][i], J[0][3 + i] = (double)block[0].arm_a[i];
                J[0][6 + i] = (double)block[0].d[0][i], J[0][9 + i] = (double)block[0].d[1][i];
            }
        } else {
            turns = form == NSC_ROWS_TURN ? 7 : form == NSC_ROWS_ANY ? n / 12 % 8 : 0;
            block[0].form = (unsigned char)form;
            block[0].turns = (unsigned char)(form == NSC_ROWS_ANY ? turns : n); /* read where the form is ANY */
            for (row = 0; row < rows; row++) spell(&block[0], row, turns >> row & 1, J[row]);
        }
        answers(J, rows);
    }
}

/* What is not finite, or becomes so at the arms, is refused. */
static void refused_blocks(void)
{
    nsc_problem p;
    int i;
    for (i = 0; i < 3; i++) {
        any_bodies();
        memset(&p, 0, sizeof p);
        p.body_count = 3, p.masses = mass, p.v_free = v_free, p.v = v, p.blocks = block, p.block_count = 1;
        block[0].rows = 1, block[0].form = NSC_ROWS_AT_ARMS;
        block[0].d[0][0] = i == 0 ? NSC_REAL_MAX * 2 : 1;
        block[0].arm_b[1] = i == 1 ? NSC_REAL_MAX * 2 : 1;
        CHECK(nsc_problem_prepare(&p) == (i == 2 ? NSC_OK : NSC_ERR_NOT_FINITE));
    }
    block[0].rows = 3;
    for (i = 0; i < MANY; i++) many[i] = block[0];
    p.blocks = many, p.block_count = MANY;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_CAPACITY); /* more rows than a short counts, nearly */
    p.block_count = MANY - 1;
    CHECK(nsc_problem_prepare(&p) == NSC_OK && many[MANY - 2].row == 3 * (MANY - 2));
}

/* ---- A world with joints of one axis */

static nsc_id body_at(nsc_real x, nsc_real z)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(REAL(0.1), REAL(0.05), REAL(0.05));
    nsc_id id;
    b.pose.position = vec(x, 0, z);
    id = nsc_world_add_body(&world, &b);
    CHECK(id > 0 && nsc_world_add_shape(&world, id, &s) >= 0);
    return id;
}

static nsc_id hinge(nsc_id a, nsc_id b, nsc_real x, nsc_real z)
{
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
    CHECK(nsc_joint_place(&world, &d, vec(x, 0, z), vec(0, 1, 0), vec(1, 0, 0)) == NSC_OK);
    return nsc_world_add_joint(&world, &d);
}

/* The kinds that have more axes are refused, by the name of the capacity; the others are not. */
static void axes(void)
{
    static const int room[NSC_JOINT_GEAR] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
    nsc_world_def def = default_def();
    nsc_joint_def d;
    nsc_axis_state state;
    nsc_refusal why;
    nsc_id link, joint = -1;
    int kind;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    link = body_at(0, 1);
    for (kind = NSC_JOINT_BALL; kind < NSC_JOINT_GEAR; kind++) {
        d = nsc_default_joint_def(kind, NSC_GROUND, link);
        joint = nsc_world_add_joint(&world, &d);
        CHECK(room[kind - 1] ? joint >= 0 : joint == NSC_ERR_CAPACITY);
        if (joint >= 0) {
            CHECK(nsc_joint_get_axis(&world, joint, 1, &state) == NSC_ERR_ARGUMENT);
            CHECK(nsc_world_remove_joint(&world, joint) == NSC_OK);
            continue;
        }
        why = nsc_world_last_refusal(&world);
        CHECK(why.code == NSC_ERR_CAPACITY && strcmp(why.field, "NSC_JOINT_AXES") == 0);
        CHECK_NEAR(why.value, 1, 0);
    }
}

/* A pendulum of two hinges keeps its energy but for what the step loses; a gear keeps its ratio over many turns. */
static void moves(void)
{
    nsc_world_def def = default_def();
    nsc_joint_def gear;
    nsc_axis_state one, two;
    nsc_vec3 spin;
    nsc_id left, right, a, b, upper, lower;
    nsc_real drift, angle;
    int i;
    def.solver.max_iterations = 200;
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    left = body_at(-1, 1), right = body_at(1, 1);
    a = hinge(NSC_GROUND, left, -1, 1), b = hinge(NSC_GROUND, right, 1, 1);
    CHECK(a >= 0 && b >= 0);
    gear = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    gear.joint_a = a, gear.joint_b = b, gear.ratio = REAL(-2.5);
    CHECK(nsc_world_add_joint(&world, &gear) >= 0);
    upper = body_at(REAL(3.1), 3), lower = body_at(REAL(3.3), 3);
    CHECK(hinge(NSC_GROUND, upper, 3, 3) >= 0 && hinge(upper, lower, REAL(3.2), 3) >= 0);
    spin = vec(0, 10, 0);
    CHECK(nsc_body_set_velocity(&world, right, vec(0, 0, 0), spin) == NSC_OK);
    for (i = 0; i < 960; i++) {
        CHECK(nsc_world_step(&world, NSC_R(1.0) / 240) == NSC_OK);
        CHECK(world.report.drift < NSC_R(5e-3)); /* the pendulum whips */
    }
    CHECK(nsc_joint_get_axis(&world, a, 0, &one) == NSC_OK && nsc_joint_get_axis(&world, b, 0, &two) == NSC_OK);
    CHECK(fabs((double)two.position) > 5);
    CHECK_NEAR(one.position, REAL(-2.5) * two.position, 2e-3);
    CHECK_NEAR(one.velocity, REAL(-2.5) * two.velocity, 1e-3);
    CHECK(nsc_joint_get_drift(&world, a, &drift, &angle) == NSC_OK && drift < NSC_R(1e-3));
}

/* An image goes back into such a world, to the same steps; one of joints with more axes is named. */
static void images(void)
{
    static unsigned char image[20000];
    uint32_t crc, wanted;
    int size, i;
    moves();
    size = nsc_world_save(&world, image, (int)sizeof image);
    CHECK(size > 0);
    for (i = 0; i < 10; i++) CHECK(nsc_world_step(&world, NSC_R(1.0) / 240) == NSC_OK);
    wanted = nsc_world_hash(&world);
    CHECK(nsc_world_load(&world, image, size) == NSC_OK);
    for (i = 0; i < 10; i++) CHECK(nsc_world_step(&world, NSC_R(1.0) / 240) == NSC_OK);
    CHECK(nsc_world_hash(&world) == wanted);
    image[7] = 0; /* as a build with three axes writes */
    crc = nsci_image_crc(image, (uint32_t)size);
    for (i = 0; i < 4; i++) image[NSCI_IMAGE_CRC + i] = (unsigned char)(crc >> 8 * i);
    CHECK(nsc_world_load(&world, image, size) == NSC_ERR_CONFIG);
    CHECK(nsc_world_hash(&world) == wanted);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    CHECK(sizeof(nsc_block) == (sizeof(nsc_real) == 4 ? 200 : 392));
    forms();
    refused_blocks();
    axes();
    images();
    return TEST_END("short");
}
