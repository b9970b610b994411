/* Defects that careful reading found, each as a user would meet it. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "world.h"
#include "by.h"

static unsigned char earlier[NSC_WORLD_STATE_SIZE];

static void begin(void)
{
    nsc_world_def d = default_def();
    d.sleep_time = REAL(.25);
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
}

static nsc_id thing(nsc_vec3 at, nsc_shape_def shape)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    b.pose.position = at;
    id = nsc_world_add_body(&world, &b);
    CHECK(nsc_world_add_shape(&world, id, &shape) >= 0);
    return id;
}

static nsc_vec3 place(nsc_id body)
{
    nsc_pose p;
    CHECK(nsc_body_get_pose(&world, body, &p) == NSC_OK);
    return p.position;
}

static void steps(int n)
{
    for (; n > 0; n--)
        CHECK(step_by(&world, REAL(1. / 240)) == NSC_OK);
}

/* a state is taken while a box falls, and copied back when the box sleeps on the ground */
static void a_state_copied_into_a_world_at_rest_goes_on(void)
{
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_id box;
    double high;
    begin();
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    box = thing(vec(0, 0, .8), nsc_default_box_def(REAL(.5), REAL(.5), REAL(.5)));
    steps(5);
    memcpy(earlier, &world, sizeof earlier);
    high = D(place(box).z);
    steps(600);
    CHECK(nsc_body_is_asleep(&world, box) == 1);
    memcpy(&world, earlier, sizeof earlier);
    steps(20);
    CHECK(D(place(box).z) < high - .02);
}

/* rays from above at the inner nodes and edges of a slope that is a plane */
static void rays_meet_height_fields_at_edges_and_nodes(void)
{
    enum { N = 16 };
    static nsc_real height[N * N];
    nsc_shape_def s = nsc_default_height_field_def();
    int i, j;
    begin();
    for (j = 0; j < N; j++)
        for (i = 0; i < N; i++)
            height[j * N + i] = REAL(.1 * i + .03 * j);
    CHECK(nsc_world_add_height_field(&world, NSC_GROUND, &s, height, N, N, REAL(.5), REAL(.5)) >= 0);
    for (j = 4; j < 2 * N - 4; j++)
        for (i = 4; i < 2 * N - 4; i++) {
            nsc_vec3 from = vec(.1, .2, 3);
            nsc_vec3 to = vec(.25 * i - 3.75, .25 * j - 3.75, .05 * i + .015 * j);
            nsc_hit hit;
            CHECK(nsc_world_cast_ray(&world, from, multiple(1.3, minus(to, from)), 1, &hit) == 1);
            CHECK(length(minus(hit.point, to)) < 1e-3);
        }
}

/* two long thin capsules that cross nearly parallel */
static void crossed_capsules_do_not_pass_through_each_other(void)
{
    double angle;
    for (angle = 0; angle < 3; angle += .25) {
        nsc_shape_def c = nsc_default_capsule_def(REAL(.01), REAL(1));
        nsc_body_def b = nsc_default_body_def();
        nsc_id id;
        begin();
        c.pose.orientation = nsc_quat_from_axis_angle(vec(0, 1, 0), REAL(1.57079633));
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &c) >= 0);
        b.pose.position = vec(0, 0, .02);
        b.pose.orientation = nsc_quat_from_axis_angle(vec(0, 0, 1), REAL(angle * 3.14159265 / 180));
        id = nsc_world_add_body(&world, &b);
        CHECK(nsc_world_add_shape(&world, id, &c) >= 0);
        steps(60);
        CHECK_NEAR(place(id).z, .02, 1e-3);
    }
}

/* `across` along the axis names no direction: the frame still has its z there */
static void joints_stand_along_their_axis(void)
{
    int i;
    begin();
    for (i = 0; i < 50; i++) {
        nsc_id b = thing(vec(0, 0, 1), nsc_default_sphere_def(REAL(.1)));
        nsc_vec3 axis = vec(sin(i), cos(1.7 * i), sin(2.3 * i + 1));
        nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_UNIVERSAL, NSC_GROUND, b);
        nsc_vec3 z;
        CHECK(nsc_joint_place(&world, &j, vec(0, 0, 0), axis, multiple(3.3, axis)) == NSC_OK);
        z = nsc_pose_vector(j.frame_a, vec(0, 0, 1));
        CHECK(length(minus(z, multiple(1 / length(axis), axis))) < 1e-5);
        CHECK(nsc_world_remove_body(&world, b) == NSC_OK);
    }
}

static void a_swing_can_be_set_from_rest(void)
{
    nsc_id b, id;
    nsc_joint_def j;
    nsc_axis_state swing, twist;
    begin();
    b = thing(vec(.3, .2, 1), nsc_default_box_def(REAL(.1), REAL(.2), REAL(.3)));
    j = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, b);
    CHECK(nsc_joint_place(&world, &j, vec(0, 0, 1), vec(1, .3, .2), vec(0, 1, 0)) == NSC_OK);
    id = nsc_world_add_joint(&world, &j);
    CHECK(nsc_joint_set_state(&world, id, 0, REAL(1), REAL(2)) == NSC_OK);
    CHECK(nsc_joint_get_axis(&world, id, 0, &swing) == NSC_OK && nsc_joint_get_axis(&world, id, 1, &twist) == NSC_OK);
    CHECK_NEAR(swing.position, 1, 1e-5);
    CHECK_NEAR(swing.velocity, 2, 1e-5);
    CHECK_NEAR(twist.position, 0, 1e-5);
    CHECK_NEAR(twist.velocity, 0, 1e-5);
    CHECK(nsc_joint_set_state(&world, id, 0, REAL(4), 0) == NSC_ERR_ARGUMENT);
}

/* its arm of 20 m moves the tip by more than the margin in a step, though it turns slowly */
static void a_slow_turn_of_a_long_arm_is_seen(void)
{
    nsc_shape_def plate = nsc_default_box_def(REAL(.2), REAL(.005), REAL(.2));
    nsc_shape_def arm = nsc_default_box_def(REAL(20), REAL(.02), REAL(.02));
    nsc_body_def d = nsc_default_body_def();
    nsc_joint_def j;
    nsc_world_def def = default_def();
    nsc_id rod;
    nsc_axis_state s;
    def.gravity = vec(0, 0, 0);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    d.kind = NSC_STATIC_BODY;
    d.pose.position = vec(18.6, 5.65, 0);
    CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &d), &plate) >= 0);
    d = nsc_default_body_def();
    d.angular_velocity = vec(0, 0, .0085 * 240);
    rod = nsc_world_add_body(&world, &d);
    arm.density = 1;
    CHECK(nsc_world_add_shape(&world, rod, &arm) >= 0);
    j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, rod);
    CHECK(nsc_joint_place(&world, &j, vec(0, 0, 0), vec(0, 0, 1), vec(1, 0, 0)) == NSC_OK);
    rod = nsc_world_add_joint(&world, &j);
    steps(240);
    CHECK(nsc_joint_get_axis(&world, rod, 0, &s) == NSC_OK);
    CHECK(D(s.position) > .28 && D(s.position) < .295);
}

/* the mass of a ball of 1 km is a number, and its inertia is none; a particle has none at any mass */
static void masses_that_overflow_the_inertia_are_refused(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_real mass, inertia[6];
    nsc_id b;
    begin();
    b = thing(vec(0, 0, 0), nsc_default_sphere_def(REAL(1000)));
    CHECK(nsc_body_set_mass(&world, b, NSC_REAL_MAX / 1000) == NSC_ERR_INERTIA);
    CHECK(nsc_body_get_mass(&world, b, &mass, NULL, inertia) == NSC_OK);
    CHECK_NEAR(D(mass) / (4. / 3 * 3.14159265 * 1e12), 1, 1e-6);
    CHECK_NEAR(D(inertia[0]) / (.4 * 1e6 * D(mass)), 1, 1e-6);
    d.particle = 1;
    d.mass = REAL(1e-30);
    b = nsc_world_add_body(&world, &d);
    CHECK(b >= 0 && nsc_body_set_mass(&world, b, REAL(1e30)) == NSC_OK);
    CHECK(nsc_body_get_mass(&world, b, &mass, NULL, inertia) == NSC_OK);
    CHECK_NEAR(D(mass) / 1e30, 1, 1e-6);
    CHECK_NEAR(inertia[0], 0, 0);
}

static void sensors_do_not_count_as_penetration(void)
{
    nsc_shape_def s = nsc_default_sphere_def(REAL(1));
    begin();
    thing(vec(0, 0, 0), nsc_default_sphere_def(REAL(1)));
    s.sensor = 1;
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
    steps(1);
    CHECK(world.contact_count == 1 && !(world.report.penetration > 0));
}

static int busy_code;
static int adds(void *user)
{
    nsc_body_def b = nsc_default_body_def();
    (void)user;
    busy_code = (int)nsc_world_add_body(&world, &b);
    return 0;
}

static void refusals_name_the_number(void)
{
    static nsc_world unmade;
    nsc_world_def d;
    nsc_shape_def s = nsc_default_sphere_def(REAL(1));
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_id b;
    CHECK(nsc_world_add_shape(&unmade, NSC_GROUND, &s) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&unmade).field, "world") == 0);
    d = default_def();
    CHECK(nsc_world_set_def(&unmade, &d) == NSC_ERR_ARGUMENT);
    begin();
    d.solver.omega = 3;
    CHECK(nsc_world_set_def(&world, &d) == NSC_ERR_ARGUMENT);
    CHECK_NEAR(nsc_world_last_refusal(&world).value, 3, 0);
    CHECK(nsc_body_wake(&world, NSC_ERR_CAPACITY) == NSC_ERR_HANDLE);
    CHECK_NEAR(nsc_world_last_refusal(&world).value, NSC_ERR_CAPACITY, 0);
    CHECK(nsc_world_overlap(&world, &s, 1, NULL, -1) == NSC_ERR_ARGUMENT);
    CHECK(strcmp(nsc_world_last_refusal(&world).rule, "in the range that is documented at the function") == 0);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    b = thing(vec(0, 0, .9), s);
    CHECK(nsc_body_add_force(&world, b, vec(0, 0, 0), vec(0, 0, HUGE_VAL)) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_world_last_refusal(&world).value > NSC_REAL_MAX);
    /* the step succeeds, and what its callback was refused stays known */
    CHECK(step_by_until(&world, REAL(.01), adds, NULL) == NSC_OK && busy_code == NSC_ERR_BUSY);
    CHECK(nsc_world_last_refusal(&world).code == NSC_ERR_BUSY);
}

/* a box between two walls that close: impulses grow without end, and solvers keep their best iterate */
static void solvers_keep_the_best_iterate_where_a_later_one_overflows(void)
{
    static nsc_mass m[4];
    static nsc_real vf[24], v[24], arena[60000];
    static nsc_block b[8];
    nsc_settings s = default_settings();
    nsc_report r;
    nsc_problem p;
    int i, k, q;
    memset(&p, 0, sizeof p);
    m[3].inv_mass = 1;
    m[3].inv_inertia[0] = m[3].inv_inertia[1] = m[3].inv_inertia[2] = 6;
    vf[6] = REAL(.1), vf[12] = REAL(-.1), vf[18] = REAL(.02), vf[19] = REAL(.3), vf[20] = REAL(-.1), vf[23] = REAL(.2);
    for (k = 0; k < 8; k++) {
        double side = k < 4 ? 1 : -1;
        nsc_vec3 arm = vec(-.5 * side, k & 1 ? .5 : -.5, k & 2 ? .5 : -.5);
        nsc_vec3 way[3];
        way[0] = vec(side, 0, 0), way[1] = vec(0, 1, 0), way[2] = vec(0, 0, 1);
        b[k].kind = NSC_BLOCK_CONTACT, b[k].rows = 3, b[k].a = k < 4 ? 1 : 2, b[k].b = 3, b[k].mu = REAL(.5);
        for (i = 0; i < 3; i++) {
            nsc_vec3 turn = cross(arm, way[i]);
            b[k].J[i][0] = -way[i].x, b[k].J[i][1] = -way[i].y, b[k].J[i][2] = -way[i].z;
            b[k].J[i][6] = way[i].x, b[k].J[i][7] = way[i].y, b[k].J[i][8] = way[i].z;
            b[k].J[i][9] = turn.x, b[k].J[i][10] = turn.y, b[k].J[i][11] = turn.z;
        }
    }
    p.body_count = 4, p.masses = m, p.v_free = vf, p.v = v, p.block_count = 8, p.blocks = b;
    p.arena = arena, p.arena_size = 60000;
    CHECK(nsc_problem_prepare(&p) == NSC_OK);
    s.max_iterations = 1000;
    for (s.law = NSC_LAW_COULOMB; s.law <= NSC_LAW_CONE; s.law++)
        for (q = NSC_SOLVER_SIPGS; q <= NSC_SOLVER_AUTO; q++) {
            if (q == NSC_SOLVER_DANTZIG || q == NSC_SOLVER_MINRES)
                continue;
            for (k = 0; k < 8; k++)
                memset(b[k].lambda, 0, sizeof b[k].lambda);
            solved_by = q;
            p.arena_size = q == NSC_SOLVER_AUTO ? NSC_ARENA_BB(24) : 60000;
            CHECK(solve_by(&p, &s, &r) >= 0 && r.residual < REAL(.35));
        }
    /* no body has such an inverse inertia */
    m[1].inv_inertia[0] = -1;
    CHECK(nsc_problem_prepare(&p) == NSC_ERR_ARGUMENT);
}

int main(void)
{
    a_state_copied_into_a_world_at_rest_goes_on();
    rays_meet_height_fields_at_edges_and_nodes();
    crossed_capsules_do_not_pass_through_each_other();
    joints_stand_along_their_axis();
    a_swing_can_be_set_from_rest();
    a_slow_turn_of_a_long_arm_is_seen();
    masses_that_overflow_the_inertia_are_refused();
    sensors_do_not_count_as_penetration();
    refusals_name_the_number();
    solvers_keep_the_best_iterate_where_a_later_one_overflows();
    return TEST_END("mended");
}
