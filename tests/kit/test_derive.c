/* nsc_derive.h of examples/kit: against central differences of whole steps in random states, in coordinates of bodies and of
   joints, with hard and smooth contact, and against closed answers. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_derive.h"
#include "search.h"
#include "by.h"

#ifdef NSC_DOUBLE
#define SAME 1e-6
#else
#define SAME 5e-4
#endif

enum { SLIDING, STICKING, BALL, PENDULUM, SERVO, CART, BOX, BOX_SLIDING, STACK, SCENES, MOST = 30 };
static nsc_world world, trial, ahead;
static nsc_derive derive;
static nsc_id body[3], joint;
static nsc_derive_input list[MOST];
static int bodies, inputs, states, law = NSC_LAW_COULOMB;
static const nsc_real h = NSC_R(0.01);

static double coordinate(void) { return uniform(-1, 1); }

static nsc_vec3 at(double x, double y, double z)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v);
    v.x = (nsc_real)x;
    v.y = (nsc_real)y;
    v.z = (nsc_real)z;
    return v;
}

static nsc_id add(nsc_vec3 place, double radius)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_sphere_def((nsc_real)radius);
    nsc_id id;
    b.pose.position = place;
    id = nsc_world_add_body(&world, &b);
    s.friction = NSC_R(0.5);
    nsc_world_add_shape(&world, id, &s);
    return id;
}

static nsc_id add_box(nsc_vec3 place, double half, double angle)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def((nsc_real)half, (nsc_real)half, (nsc_real)half);
    nsc_id id;
    b.pose.position = place;
    b.pose.orientation.z = (nsc_real)(angle / 2); /* about z */
    b.pose.orientation.w = NSC_SQRT(1 - b.pose.orientation.z * b.pose.orientation.z);
    id = nsc_world_add_body(&world, &b);
    s.friction = NSC_R(0.5);
    nsc_world_add_shape(&world, id, &s);
    return id;
}

static void want(int kind, nsc_id id, int axis)
{
    list[inputs].kind = kind;
    list[inputs].id = id;
    list[inputs++].axis = axis;
}

/* A scene in a random state.  Spheres touch in one point, so that nothing is redundant; boxes have four points on a face. */
static void make(int scene)
{
    nsc_world_def d = default_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_joint_def j;
    int i, k, axis;
    stepped_by = NSC_SOLVER_NEWTON;
    d.solver.law = law;
    d.solver.max_iterations = 1000;
    d.solver.max_factorizations = 120;
    d.solver.tolerance = NSC_R(0.01) * NSC_REAL_EPS;
    nsc_world_init(&world, &d);
    ground.friction = NSC_R(0.5);
    nsc_world_add_shape(&world, NSC_GROUND, &ground);
    bodies = scene == CART || scene == STACK ? 2 : 1;
    joint = -1;
    inputs = 0;
    if (scene <= BALL) {
        body[0] = add(at(0.1 * coordinate(), 0, 0.0999), 0.1);
        nsc_body_set_velocity(&world, body[0], at(scene == SLIDING ? 2 + coordinate() : 0.01 * coordinate(), 0.1 * coordinate(), -0.3),
                              at(0.1 * coordinate(), scene == BALL ? 0.1 * coordinate() : 0, coordinate()));
    } else if (scene >= BOX) {
        body[0] = add_box(at(0, 0, 0.0999), 0.1, 0.3 * coordinate());
        if (scene == STACK) body[1] = add_box(at(0.01 * coordinate(), 0.01 * coordinate(), 0.2597), 0.06, 0.3 * coordinate());
        for (i = 0; i < bodies; i++)
            nsc_body_set_velocity(&world, body[i], at(scene == BOX_SLIDING ? 2 + coordinate() : 0.01 * coordinate(), 0.01 * coordinate(), -0.1), at(0, 0, 0));
    } else {
        body[0] = add(at(0, 0, scene == CART ? 0.0999 : 1), 0.1);
        if (scene == CART) body[1] = add(at(0.05 * coordinate(), 0, 0.6), 0.05);
        j = nsc_default_joint_def(NSC_JOINT_HINGE, scene == CART ? body[0] : NSC_GROUND, scene == CART ? body[1] : body[0]);
        nsc_joint_place(&world, &j, scene == CART ? at(0, 0, 0.0999) : at(0.3, 0, 1.2), at(0, 1, 0), at(1, 0, 0));
        if (scene == SERVO) {
            j.axis[0].drive = NSC_DRIVE_SERVO;
            j.axis[0].stiffness = 60;
            j.axis[0].damping = 2;
            j.axis[0].max_force = 1000;
        } else {
            j.axis[0].drive = NSC_DRIVE_FORCE;
            j.axis[0].max_force = 1000;
        }
        joint = nsc_world_add_joint(&world, &j);
        if (scene == SERVO) nsc_joint_set_target(&world, joint, 0, (nsc_real)(0.1 * coordinate()), 0);
        else nsc_joint_set_force(&world, joint, 0, (nsc_real)coordinate());
        for (i = 0; i < bodies; i++)
            nsc_body_set_velocity(&world, body[i], at(0.2 * coordinate(), 0.1 * coordinate(), scene == CART ? -0.2 : coordinate()),
                                  at(0.1 * coordinate(), coordinate(), 0.1 * coordinate()));
    }
    for (i = 0; i < bodies; i++)
        for (k = NSC_DERIVE_POSITION; k <= NSC_DERIVE_SPIN; k++)
            for (axis = 0; axis < 3; axis++) want(k, body[i], axis);
    states = inputs;
    for (axis = 0; axis < 3; axis++) want(NSC_DERIVE_FORCE, body[0], axis);
    if (scene == PENDULUM || scene == CART) want(NSC_DERIVE_EFFORT, joint, 0);
}

static void add_up(nsc_real *to, nsc_quat q0, int i, double sign, double step)
{
    nsc_pose p;
    nsc_vec3 v, w;
    nsc_quat q;
    double r[12];
    int k;
    nsc_body_get_pose(&ahead, body[i], &p);
    nsc_body_get_velocity(&ahead, body[i], &v, &w);
    q = p.orientation;
    r[0] = (double)p.position.x;
    r[1] = (double)p.position.y;
    r[2] = (double)p.position.z;
    /* small turn from q0: twice the vector part of q conj(q0) */
    r[3] = 2 * (double)(-q.w * q0.x + q.x * q0.w - q.y * q0.z + q.z * q0.y);
    r[4] = 2 * (double)(-q.w * q0.y + q.y * q0.w - q.z * q0.x + q.x * q0.z);
    r[5] = 2 * (double)(-q.w * q0.z + q.z * q0.w - q.x * q0.y + q.y * q0.x);
    r[6] = (double)v.x;
    r[7] = (double)v.y;
    r[8] = (double)v.z;
    r[9] = (double)w.x;
    r[10] = (double)w.y;
    r[11] = (double)w.z;
    for (k = 0; k < 12; k++) to[12 * i + k] += (nsc_real)(sign * r[k] / (2 * step));
}

/* Central difference of whole steps by one input */
static int difference(const nsc_derive_input *in, nsc_real *column)
{
#ifdef NSC_DOUBLE
    double step = 1e-5;
#else
    double step = 2e-2; /* below, rounding of a spin of 10 rad/s shows: 2e-4 here, 5e-4 at 1.6e-2, 1e-3 at half of that; above, curvature */
#endif
    nsc_quat q0[2];
    nsc_pose p;
    int i, side, code;
    memcpy(&ahead, &world, sizeof world);
    step_by(&ahead, h);
    for (i = 0; i < bodies; i++) {
        nsc_body_get_pose(&ahead, body[i], &p);
        q0[i] = p.orientation;
    }
    memset(column, 0, 24 * sizeof *column);
    for (side = -1; side <= 1; side += 2) {
        memcpy(&ahead, &world, sizeof world);
        code = nsc_derive_move(&ahead, in, (nsc_real)(side * step));
        if (code == NSC_OK) code = step_by(&ahead, h);
        if (code != NSC_OK) return code;
        for (i = 0; i < bodies; i++) add_up(column, q0[i], i, side, step);
    }
    return NSC_OK;
}

/* Of the scene or kind that is looked at */
static int scene, tried, refused_columns, unclear, columns;
static double largest_error;

static int derivatives_of_a_scene_are_its_differences(void)
{
    static nsc_real matrix[24 * MOST], x[24], back[MOST];
    nsc_real column[24];
    int i, j, wrong = 0;
    make(scene);
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    if (derive.switch_impulse < NSC_R(0.02) || derive.switch_speed < NSC_R(0.05)) return 1;
    CHECK(nsc_derive_dense(&derive, list, inputs, list, states, matrix) == NSC_OK);
    tried++;
    for (i = 0; i < states; i++) x[i] = (nsc_real)coordinate();
    nsc_derive_transpose(&derive, list, inputs, list, states, x, back);
    for (j = 0; j < inputs; j++) {
#ifndef NSC_DOUBLE
        /* Whole steps in float cannot tell how contact depends on a pose: a difference large enough to stand out of the
           rounding parts the bodies.  Not checked in float. */
        if (list[j].kind <= NSC_DERIVE_TURN && scene != PENDULUM && scene != SERVO) continue;
#endif
        double most = 1, sum = 0;
        /* Four corners slide: how they share the load is not unique, and the moment of friction against a turn depends on
           it.  In CONE the shares of a whole step jump, so that its differences are none. */
        if (scene == BOX_SLIDING && law == NSC_LAW_CONE && (list[j].kind == NSC_DERIVE_TURN || list[j].kind == NSC_DERIVE_SPIN)) continue;
        int bad = difference(&list[j], column) != NSC_OK;
        for (i = 0; i < states; i++) if ((double)column[i] > most || -(double)column[i] > most) most = (double)column[i] > 0 ? (double)column[i] : -(double)column[i];
        for (i = 0; i < states; i++) {
            double e = (double)(matrix[i * inputs + j] - column[i]) / most;
            if (e < 0) e = -e;
            if (e > largest_error) largest_error = e;
            if (!(e <= SAME)) {
                said("input %d output %d: %.9g, differences %.9g", j, i, (double)matrix[i * inputs + j], (double)column[i]);
                bad = 1;
            }
            sum += (double)x[i] * (double)matrix[i * inputs + j];
        }
        if (!(sum - (double)back[j] <= SAME * 10 * most && (double)back[j] - sum <= SAME * 10 * most)) bad = 1;
        wrong += bad;
    }
    return wrong == 0;
}

static void compare_scene(int which, int count)
{
    scene = which, tried = 0, largest_error = 0;
    CASE("scene %d, law %d", scene, law);
    if (search("derivatives are the differences", derivatives_of_a_scene_are_its_differences, count)) CHECK(tried * 2 > count);
    CASE_END();
    printf("    scene %d, law %d: %d states of %d, largest relative error %.1e; %d of %d rows redundant, conflict %.0e\n", scene, law, tried, count, largest_error, derive.redundant, derive.rows, (double)derive.conflict);
}

static nsc_pose upright(double z)
{
    nsc_pose p;
    memset(&p, 0, sizeof p);
    p.position = at(0, 0, z);
    p.orientation.w = 1;
    return p;
}

/* Sliding: a push up takes friction off, mu of it.  Rolling: 5/7 of a force moves a solid ball.  Flying: all of it. */
static void closed(void)
{
    nsc_derive_input in, out;
    nsc_real y = 0, mass, inertia[6];
    nsc_vec3 centre;
    make(SLIDING);
    nsc_body_set_velocity(&world, body[0], at(2, 0, 0), at(0, 0, 0));
    nsc_body_get_mass(&world, body[0], &mass, &centre, inertia);
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(derive.rows == 3 && derive.row[0].state == NSC_DERIVE_SLIDE);
    CHECK(derive.shared == 0);
    make(BOX_SLIDING);
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(derive.shared == 4); /* corners, of which three would do */
    make(SLIDING);
    nsc_body_set_velocity(&world, body[0], at(2, 0, 0), at(0, 0, 0));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK_NEAR(derive.switch_speed, 2, 0.2);
    in.kind = NSC_DERIVE_FORCE;
    in.id = body[0];
    in.axis = 2;
    out.kind = NSC_DERIVE_VELOCITY;
    out.id = body[0];
    out.axis = 0;
    CHECK(nsc_derive_dense(&derive, &in, 1, &out, 1, &y) == NSC_OK);
    CHECK_NEAR(y * mass / h, 0.5, SAME); /* lifted by 1 N it has mu N less friction */
    nsc_body_set_pose(&world, body[0], upright(0.1));
    nsc_body_set_velocity(&world, body[0], at(0.1, 0, 0), at(0, 1, 0));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(derive.row[0].state == NSC_DERIVE_STICK);
    in.axis = 0;
    CHECK(nsc_derive_dense(&derive, &in, 1, &out, 1, &y) == NSC_OK);
    CHECK_NEAR(y * mass / h, 5.0 / 7, SAME);
    nsc_body_set_pose(&world, body[0], upright(5));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(nsc_derive_dense(&derive, &in, 1, &out, 1, &y) == NSC_OK);
    CHECK_NEAR(y * mass / h, 1, SAME);
}

/* A ball that turns by 8 rad about z in one step: the turn by a spin about x is the mean of that spin as it turns along */
static void turning_far(void)
{
    nsc_derive_input in, out[3];
    nsc_real y[3], spin = 8 / h;
    int k;
    make(SLIDING);
    nsc_body_set_pose(&world, body[0], upright(50));
    nsc_body_set_velocity(&world, body[0], at(0, 0, 0), at(0, 0, (double)spin));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    in.kind = NSC_DERIVE_SPIN;
    in.id = body[0];
    in.axis = 0;
    for (k = 0; k < 3; k++) {
        out[k].kind = NSC_DERIVE_TURN;
        out[k].id = body[0];
        out[k].axis = k;
    }
    CHECK(nsc_derive_dense(&derive, &in, 1, out, 3, y) == NSC_OK);
    CHECK_NEAR(y[0] / h, sin(8.0) / 8, SAME);
    CHECK_NEAR(y[1] / h, (1 - cos(8.0)) / 8, SAME);
    CHECK_NEAR(y[2], 0, SAME);
    nsc_body_set_velocity(&world, body[0], at(0, 0, 0), at(0, 0, 130 / (double)h));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_DERIVE_ERR_UNSUPPORTED);
}

/* A move by a turn of half a radian turns by half a radian, about whichever axis */
static void moves_turn_as_far_as_they_say(void)
{
    nsc_derive_input in;
    nsc_pose p;
    for (in.axis = 0; in.axis < 3; in.axis++) {
        make(SLIDING);
        CHECK(nsc_body_set_pose(&world, body[0], upright(5)) == NSC_OK);
        in.kind = NSC_DERIVE_TURN, in.id = body[0];
        CHECK(nsc_derive_move(&world, &in, NSC_R(0.5)) == NSC_OK && nsc_body_get_pose(&world, body[0], &p) == NSC_OK);
        CHECK_NEAR(p.orientation.w, cos(0.25), 1e-4);
        CHECK_NEAR(p.orientation.x, in.axis == 0 ? sin(0.25) : 0, 3e-4);
        CHECK_NEAR(p.orientation.y, in.axis == 1 ? sin(0.25) : 0, 3e-4);
        CHECK_NEAR(p.orientation.z, in.axis == 2 ? sin(0.25) : 0, 3e-4);
    }
}

/* A body of uneven inertia, its axes along nobody's, that turns freely: how its spin and its turn depend on its spin and its turn */
static int free_turning_has_the_derivatives_of_its_differences(void)
{
    static const nsc_real inertia[6] = {2, 3, NSC_R(2.5), NSC_R(0.4), NSC_R(-0.3), NSC_R(0.5)};
    static nsc_real matrix[12 * 12];
    nsc_real column[24];
    nsc_body_def b = nsc_default_body_def();
    double q[4] = {uniform(0.2, 1), coordinate(), coordinate(), coordinate()}, size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), worst = 0;
    int i, j;
    make(SLIDING);
    CHECK_ONCE(nsc_world_remove_body(&world, body[0]) == NSC_OK);
    b.mass = 2;
    memcpy(b.inertia, inertia, sizeof inertia);
    b.pose = upright(9);
    b.pose.orientation.w = (nsc_real)(q[0] / size), b.pose.orientation.x = (nsc_real)(q[1] / size);
    b.pose.orientation.y = (nsc_real)(q[2] / size), b.pose.orientation.z = (nsc_real)(q[3] / size);
    b.angular_velocity = at(9 * coordinate(), 9 * coordinate(), 9 * coordinate());
    body[0] = nsc_world_add_body(&world, &b);
    inputs = 0;
    for (i = NSC_DERIVE_POSITION; i <= NSC_DERIVE_SPIN; i++)
        for (j = 0; j < 3; j++) want(i, body[0], j);
    CHECK_ONCE(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK_ONCE(nsc_derive_dense(&derive, list, 12, list, 12, matrix) == NSC_OK);
    for (j = 0; j < 12; j++) {
#ifndef NSC_DOUBLE
        if (list[j].kind == NSC_DERIVE_POSITION || list[j].kind == NSC_DERIVE_VELOCITY) continue; /* nothing but rounding */
#endif
        CHECK_ONCE(difference(&list[j], column) == NSC_OK);
        for (i = 0; i < 12; i++) worst = fmax(worst, fabs((double)matrix[i * 12 + j] - (double)column[i]));
    }
    said("off by %g", worst);
    return worst < SAME;
}

static void refusals(void)
{
    nsc_derive_input in;
    nsc_real y = 7, x = 1;
    make(SLIDING);
    CHECK(nsc_derive_begin(NULL, &world, &trial, h) == NSC_ERR_ARGUMENT);
    CHECK(nsc_derive_begin(&derive, &world, &world, h) == NSC_ERR_ARGUMENT);
    CHECK(nsc_derive_begin(&derive, NULL, &trial, h) == NSC_ERR_ARGUMENT && nsc_derive_begin(&derive, &world, NULL, h) == NSC_ERR_ARGUMENT);
    CHECK(nsc_derive_begin(&derive, &world, &trial, 0) == NSC_ERR_ARGUMENT);
    world.def.solver.law = NSC_LAW_PYRAMID;
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_DERIVE_ERR_UNSUPPORTED);
    in.kind = NSC_DERIVE_FORCE;
    in.id = body[0];
    in.axis = 0;
    CHECK(nsc_derive_dense(&derive, &in, 1, &in, 1, &y) == NSC_ERR_ARGUMENT);
    make(SLIDING);
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(nsc_derive_dense(&derive, &in, 1, &in, 1, &y) == NSC_ERR_ARGUMENT); /* no output */
    in.kind = NSC_DERIVE_VELOCITY;
    in.axis = 3;
    CHECK(nsc_derive_product(&derive, &in, 1, &x, &derive.low[0]) == NSC_ERR_ARGUMENT);
    in.axis = 0;
    in.id = 999;
    CHECK(nsc_derive_dense(&derive, &in, 1, &in, 1, &y) < 0);
    in.id = body[0];
    CHECK(nsc_derive_dense(&derive, &in, 1, &in, 1, &y) == NSC_OK);
    y = 7;
    CHECK(nsc_derive_begin(&derive, &world, &trial, 0) == NSC_ERR_ARGUMENT); /* and the one before is gone */
    CHECK(nsc_derive_dense(&derive, &in, 1, &in, 1, &y) == NSC_ERR_ARGUMENT);
    CHECK_NEAR(y, 7, 0);
}

/* A ball on a hinge about y, `up` over its centre; returns its inertia about the hinge. */
static double hang(double up, double stiffness, double damping)
{
    nsc_world_def d = default_def();
    nsc_real mass, inertia[6];
    nsc_vec3 centre;
    nsc_joint_def j;
    stepped_by = NSC_SOLVER_NEWTON;
    d.solver.tolerance = NSC_R(0.01) * NSC_REAL_EPS;
    nsc_world_init(&world, &d);
    body[0] = add(at(0, 0, 1), 0.1);
    bodies = 1;
    j = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, body[0]);
    nsc_joint_place(&world, &j, at(0, 0, 1 + up), at(0, 1, 0), at(1, 0, 0));
    if (stiffness > 0) {
        j.axis[0].drive = NSC_DRIVE_SERVO;
        j.axis[0].stiffness = (nsc_real)stiffness;
        j.axis[0].damping = (nsc_real)damping;
        j.axis[0].max_force = 1000;
    }
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    nsc_body_get_mass(&world, body[0], &mass, &centre, inertia);
    return (double)inertia[1] + (double)mass * up * up;
}

/* 2 x 2 of the turn about the hinge and its rate: along the joint the centre moves by -up in x. */
static void along_hinge(double up, double A[4])
{
    static nsc_real change[12 * NSC_MAX_BODIES];
    nsc_real x[2];
    nsc_derive_input in[2];
    int i;
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    for (i = 0; i < 2; i++) {
        in[0].kind = i ? NSC_DERIVE_SPIN : NSC_DERIVE_TURN;
        in[1].kind = i ? NSC_DERIVE_VELOCITY : NSC_DERIVE_POSITION;
        in[0].id = in[1].id = body[0];
        in[0].axis = 1;
        in[1].axis = 0;
        x[0] = 1;
        x[1] = (nsc_real)-up;
        CHECK(nsc_derive_product(&derive, in, 2, x, change) == NSC_OK);
        A[i] = (double)change[12 + 3 + 1];
        A[2 + i] = (double)change[12 + 9 + 1];
    }
}

/* Pendulum: w' = w - h c x, x' = x + h w' with c = g m L / I.  Servo: implicit Euler. */
static void hinged(void)
{
    double up = 0.3, k = 20, damping = 0.3, dt = (double)h, inertia = hang(up, 0, 0), A[4], c, below;
    nsc_real mass;
    nsc_vec3 centre;
    nsc_body_get_mass(&world, body[0], &mass, &centre, NULL);
    c = (double)mass * 9.81 * up / inertia;
    along_hinge(up, A);
    CHECK_NEAR(A[2], -dt * c, SAME);
    CHECK_NEAR(A[3], 1, SAME);
    CHECK_NEAR(A[0], 1 - dt * dt * c, SAME);
    CHECK_NEAR(A[1], dt, SAME);
    CHECK_NEAR(A[0] * A[3] - A[1] * A[2], 1, SAME); /* both eigenvalues on the unit circle */
    inertia = hang(0, k, damping);
    along_hinge(0, A);
    below = 1 + (dt * damping + dt * dt * k) / inertia;
    CHECK_NEAR(A[2], -dt * k / inertia / below, SAME * 10);
    CHECK_NEAR(A[3], 1 / below, SAME);
    CHECK_NEAR(A[0], 1 - dt * dt * k / inertia / below, SAME);
    CHECK_NEAR(A[1], dt / below, SAME);
}

/* A box at rest on its face: friction takes small forces, the ground keeps what it stands on, and the load's shares are far
   from any switch: a quarter of the weight each. */
static void resting(void)
{
    nsc_derive_input in, out;
    nsc_real y, mass;
    nsc_vec3 centre;
    int axis, kind, i;
    for (law = NSC_LAW_COULOMB; law <= NSC_LAW_CONE; law++) {
        for (i = 0; i < 20; i++) { /* turned about the vertical, each time by another angle */
            double share;
            make(BOX);
            nsc_body_set_velocity(&world, body[0], at(0, 0, 0), at(0, 0, 0));
            nsc_body_get_mass(&world, body[0], &mass, &centre, NULL);
            CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
            CHECK(derive.rows == 12 && derive.redundant == 6 && derive.shared == 0);
            share = 0.5 * 0.25 * (double)mass * 9.81 * (double)h;
            CHECK_NEAR(derive.switch_impulse, share, 0.1 * share);
        }
        for (kind = NSC_DERIVE_VELOCITY; kind <= NSC_DERIVE_TORQUE; kind++)
            for (axis = 0; axis < 3; axis++) {
                in.kind = kind;
                in.id = out.id = body[0];
                in.axis = out.axis = axis;
                out.kind = kind <= NSC_DERIVE_SPIN ? kind : kind - 2;
                CHECK(nsc_derive_dense(&derive, &in, 1, &out, 1, &y) == NSC_OK);
                CHECK_NEAR(y, 0, SAME);
            }
        CHECK(derive.conflict < (nsc_real)SAME);
    }
    law = NSC_LAW_COULOMB;
}

/* An error at a later input, of each kind, leaves all columns as they were. */
static void unchanged(void)
{
    static nsc_real matrix[3], change[12 * NSC_MAX_BODIES];
    nsc_real x[3] = {1, 1, 1}, back[3] = {7, 7, 7}, y = 1;
    nsc_derive_input in[3], out;
    nsc_contact c;
    int i, bad;
    make(SLIDING);
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    for (bad = 0; bad < 4; bad++) {
        for (i = 0; i < 3; i++) {
            in[i].kind = NSC_DERIVE_FORCE;
            in[i].id = body[0];
            in[i].axis = 0;
            matrix[i] = 7;
        }
        out = in[0];
        out.kind = NSC_DERIVE_VELOCITY;
        if (bad == 0) in[2].axis = 3;
        if (bad == 1) in[2].id = 999;
        if (bad == 2) in[2].kind = NSC_DERIVE_EFFORT;
        if (bad == 3) in[2].kind = 0;
        for (i = 0; i < 12 * NSC_MAX_BODIES; i++) change[i] = 7;
        CHECK(nsc_derive_dense(&derive, in, 3, &out, 1, matrix) < 0);
        CHECK(nsc_derive_transpose(&derive, in, 3, &out, 1, &y, back) < 0);
        CHECK(nsc_derive_product(&derive, in, 3, x, change) < 0);
        for (i = 0; i < 3; i++) CHECK(matrix[i] - 7 == 0 && back[i] - 7 == 0);
        for (i = 0; i < 12 * NSC_MAX_BODIES; i++) if (change[i] < 7 || change[i] > 7) break;
        CHECK(i == 12 * NSC_MAX_BODIES);
    }
    in[2] = in[1];
    in[2].kind = NSC_DERIVE_POSITION;
    in[2].axis = 2;
    CHECK(nsc_derive_dense(&derive, in, 3, &out, 1, matrix) == NSC_OK);
    /* A contact of the user's own in front of the sliding ball: forces yes, poses no. */
    memset(&c, 0, sizeof c);
    c.body_a = body[0];
    c.body_b = NSC_GROUND;
    c.point = at(0.1, 0, 0.1);
    c.normal = at(1, 0, 0);
    c.shape_a = c.shape_b = -1;
    nsc_body_set_pose(&world, body[0], upright(0.0999));
    CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(derive.rows == 4); /* without friction: one row */
    for (i = 0; i < 3; i++) matrix[i] = 7;
    CHECK(nsc_derive_dense(&derive, in, 3, &out, 1, matrix) == NSC_DERIVE_ERR_OWN_CONTACT);
    CHECK(matrix[0] - 7 == 0);
    in[2].kind = NSC_DERIVE_TURN;
    CHECK(nsc_derive_product(&derive, in, 3, x, change) == NSC_DERIVE_ERR_OWN_CONTACT);
    CHECK(nsc_derive_dense(&derive, in, 2, &out, 1, matrix) == NSC_OK);
    CHECK_NEAR(matrix[0], 0, SAME); /* the wall takes the force */
    CHECK(strstr(nsc_derive_error_text(NSC_DERIVE_ERR_OWN_CONTACT), "your own") != NULL);
    CHECK(strcmp(nsc_derive_error_text(NSC_ERR_HANDLE), nsc_error_text(NSC_ERR_HANDLE)) == 0);
}

/* ---- coordinates of any kind */

enum { GUIDED, ARM, ODD, BALANCER, YIELDING, TUMBLING, RESTING, SOFT, PULLED, HOOKE, HERTZ, FLORES, STICKY, SPRUNG, KINDS };
static const char *const kinds[KINDS] = {"pendulum", "two-link arm", "slider, cardan and cylinder", "balancer", "balancer on soft tyres", "tumbling box", "stack after steps",
                                         "stiff contact", "cohesion", "smooth Hooke", "smooth Hertz", "smooth Flores", "smooth cohesion",
                                         "springs"};
static nsc_id hinge[3];
static int hinges;
static nsc_real length_of_step;

static nsc_id link_at(nsc_vec3 place, double hx, double hy, double hz, double mass)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def((nsc_real)hx, (nsc_real)hy, (nsc_real)hz);
    nsc_id id;
    b.pose.position = place;
    id = nsc_world_add_body(&world, &b);
    s.mask = 2;
    s.category = 4;
    nsc_world_add_shape(&world, id, &s);
    nsc_body_set_mass(&world, id, (nsc_real)mass);
    return id;
}

static nsc_joint_def joint_at(int kind, nsc_id a, nsc_id b, nsc_vec3 point, nsc_vec3 axis, nsc_vec3 across)
{
    nsc_joint_def j = nsc_default_joint_def(kind, a, b);
    nsc_joint_place(&world, &j, point, axis, across);
    j.axis[0].drive = NSC_DRIVE_FORCE;
    return j;
}

static void begin_world(double step)
{
    nsc_world_def d = default_def();
    stepped_by = NSC_SOLVER_NEWTON;
    d.solver.law = law;
    d.solver.max_iterations = 1000;
    d.solver.max_factorizations = 120;
    d.solver.tolerance = NSC_R(0.01) * NSC_REAL_EPS;
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
    length_of_step = (nsc_real)step;
    bodies = hinges = inputs = 0;
}

static void ground(double friction)
{
    nsc_shape_def s = nsc_default_half_space_def();
    s.friction = (nsc_real)friction;
    s.category = 2;
    nsc_world_add_shape(&world, NSC_GROUND, &s);
}

static nsc_derive_input moved;

static void move_within(void *user, const nsc_world *w, nsc_id id, nsc_force *force)
{
    (void)user, (void)w, (void)id, (void)force;
    CHECK(nsc_derive_move(&world, &moved, 1) == NSC_ERR_BUSY);
}

/* A world is moved whole or not at all, and what is moved wakes. */
static void moves_are_whole(void)
{
    nsc_calls calls = nsc_default_calls();
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_vec3 v, w;
    nsc_pose pose;
    nsc_id load;
    int i, kind;
    make(SLIDING);
    ahead = world;
    moved.kind = NSC_DERIVE_POSITION, moved.id = body[0], moved.axis = 0;
    CHECK(nsc_derive_move(NULL, &moved, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_derive_move(&world, NULL, 1) == NSC_ERR_ARGUMENT);
    for (kind = NSC_DERIVE_POSITION; kind <= NSC_DERIVE_SPIN; kind++) {
        moved.kind = kind;
        CHECK(nsc_derive_move(&world, &moved, (nsc_real)NAN) < 0);
        CHECK(nsc_body_get_pose(&world, body[0], &pose) == NSC_OK && pose.position.x - pose.position.x >= 0 && pose.orientation.w - pose.orientation.w >= 0);
        CHECK(nsc_body_get_velocity(&world, body[0], &v, &w) == NSC_OK && v.x - v.x >= 0 && w.x - w.x >= 0);
    }
    moved.kind = NSC_DERIVE_TURN;
    CHECK(nsc_derive_move(&world, &moved, sizeof(nsc_real) == 4 ? NSC_R(1e10) : (nsc_real)1e90) == NSC_ERR_NOT_FINITE);
    CHECK(memcmp(&ahead.bodies, &world.bodies, sizeof world.bodies) == 0);
    moved.kind = NSC_DERIVE_POSITION;
    calls.force = move_within;
    CHECK(nsc_world_step_with(&world, h, &calls) == NSC_OK);
    /* a box that sleeps on the ground */
    ahead.def.sleep_time = NSC_R(0.5);
    CHECK(nsc_world_init(&world, &ahead.def) == NSC_OK);
    ground(0.5);
    d.pose.position.z = NSC_R(0.5);
    moved.id = nsc_world_add_body(&world, &d), moved.axis = 2;
    CHECK(nsc_world_add_shape(&world, moved.id, &box) >= 0);
    d.pose.position.z = NSC_R(1.5); /* and one on it */
    load = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, load, &box) >= 0);
    for (i = 0; i < 1000 && nsc_body_is_asleep(&world, moved.id) == 0; i++) CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
    CHECK(nsc_body_is_asleep(&world, moved.id) == 1);
    moved.axis = 0;
    CHECK(nsc_derive_move(&world, &moved, 3) == NSC_OK);
    moved.axis = 2;
    CHECK(nsc_derive_move(&world, &moved, 1) == NSC_OK);
    for (i = 0; i < 100; i++) CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
    CHECK(nsc_body_get_pose(&world, moved.id, &pose) == NSC_OK);
    CHECK_NEAR(pose.position.z, 0.5, 2e-3); /* it has fallen */
    CHECK(nsc_body_get_pose(&world, load, &pose) == NSC_OK);
    CHECK_NEAR(pose.position.z, 0.5, 2e-3);
}

/* Move one coordinate of the world itself. */
static void shift(int kind, nsc_id id, int axis, double x)
{
    nsc_derive_input in;
    in.kind = kind;
    in.id = id;
    in.axis = axis;
    CHECK(nsc_derive_move(&world, &in, (nsc_real)x) == NSC_OK);
}

static void want_axes(void)
{
    int i;
    for (i = 0; i < hinges; i++) {
        nsc_joint_def d;
        int axis, axes;
        nsc_joint_get_def(&world, hinge[i], &d);
        axes = d.kind == NSC_JOINT_UNIVERSAL || d.kind == NSC_JOINT_CYLINDRICAL ? 2 : 1;
        for (axis = 0; axis < axes; axis++) {
            want(NSC_DERIVE_AXIS, hinge[i], axis);
            want(NSC_DERIVE_RATE, hinge[i], axis);
        }
    }
}

static void want_body(int first, nsc_id id)
{
    int k, axis;
    for (k = 0; k < 4; k++)
        for (axis = 0; axis < 3; axis++) want(first + k, id, axis);
}

static void make_arm(int kind)
{
    nsc_joint_def j;
    begin_world(0.005);
    if (kind == GUIDED) {
        body[0] = link_at(at(0, 0, -0.3), 0.03, 0.05, 0.3, 1.5);
        j = joint_at(NSC_JOINT_HINGE, NSC_GROUND, body[0], at(0, 0, 0), at(0, 1, 0), at(1, 0, 0));
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
    } else if (kind == ARM) {
        body[0] = link_at(at(0.2, 0, 0), 0.2, 0.03, 0.02, 2);
        body[1] = link_at(at(0.4, 0.01, -0.15), 0.02, 0.03, 0.15, 1);
        j = joint_at(NSC_JOINT_HINGE, NSC_GROUND, body[0], at(0, 0, 0), at(0, 1, 0), at(1, 0, 0));
        j.axis[0].armature = NSC_R(0.01);
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
        j = joint_at(NSC_JOINT_HINGE, body[0], body[1], at(0.4, 0, 0), at(0.6, 0.8, 0), at(0, 0, 1));
        j.axis[0].spring = 3;
        j.axis[0].spring_damping = NSC_R(0.05);
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
    } else {
        body[0] = link_at(at(0, 0, 0), 0.05, 0.04, 0.03, 2);
        body[1] = link_at(at(0.2, 0, 0), 0.15, 0.03, 0.02, 1);
        body[2] = link_at(at(0.35, 0, -0.1), 0.02, 0.03, 0.15, 0.7);
        j = joint_at(NSC_JOINT_SLIDER, NSC_GROUND, body[0], at(0, 0, 0), at(1, 0, 0), at(0, 0, 1));
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
        j = joint_at(NSC_JOINT_UNIVERSAL, body[0], body[1], at(0.05, 0, 0), at(0, 1, 0), at(0, 0, 1));
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
        j = joint_at(NSC_JOINT_CYLINDRICAL, body[1], body[2], at(0.35, 0, 0), at(0, 0, 1), at(1, 0, 0));
        j.axis[0].drive = NSC_DRIVE_SERVO;
        j.axis[0].stiffness = 200;
        j.axis[0].damping = 3;
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
    }
    bodies = hinges;
    want_axes();
    states = inputs;
    for (j.kind = 0; j.kind < states; j.kind++)
        shift(list[j.kind].kind, list[j.kind].id, list[j.kind].axis, (list[j.kind].kind == NSC_DERIVE_AXIS ? 0.6 : 2) * coordinate());
    for (j.kind = 0; j.kind < hinges; j.kind++) {
        nsc_joint_set_force(&world, hinge[j.kind], 0, (nsc_real)(3 * coordinate()));
        want(NSC_DERIVE_EFFORT, hinge[j.kind], 0);
    }
    for (j.kind = 0; j.kind < 3; j.kind++) want(NSC_DERIVE_FORCE, body[bodies - 1], j.kind);
    want(NSC_DERIVE_TORQUE, body[bodies - 1], 1);
}

/* On two wheels, each touching in one point; soft: after some steps of smooth contact */
static void make_balancer(int soft)
{
    double lean = 0.3 * coordinate(), up = 0.2;
    nsc_joint_def j;
    int i;
    begin_world(soft ? 0.002 : 0.005);
    if (soft) world.def.contact_model = NSC_CONTACT_SMOOTH;
    ground(0.8);
    body[0] = link_at(at(0, 0, 0.0499 + up), 0.03, 0.05, 0.1, 1);
    for (i = 0; i < 2; i++) {
        nsc_shape_def rim = nsc_default_sphere_def(NSC_R(0.05));
        nsc_body_def b = nsc_default_body_def();
        nsc_vec3 point = at(0, i ? -0.08 : 0.08, 0.0499);
        b.pose.position = point;
        body[1 + i] = nsc_world_add_body(&world, &b);
        rim.friction = NSC_R(0.8);
        nsc_world_add_shape(&world, body[1 + i], &rim);
        nsc_body_set_mass(&world, body[1 + i], NSC_R(0.06));
        j = joint_at(NSC_JOINT_HINGE, body[0], body[1 + i], point, at(0, 1, 0), at(1, 0, 0));
        j.axis[0].armature = NSC_R(1.8e-4);
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
        nsc_joint_set_force(&world, hinge[i], 0, (nsc_real)(0.1 * coordinate()));
    }
    bodies = 3;
    /* the trunk leans about the axle: it turns, and the wheels come back under it */
    shift(NSC_DERIVE_PIECE_TURN, body[0], 1, lean);
    {
        nsc_pose p;
        nsc_body_get_pose(&world, body[1], &p);
        shift(NSC_DERIVE_PIECE_POSITION, body[0], 2, 0.0499 - (double)p.position.z);
    }
    shift(NSC_DERIVE_PIECE_TURN, body[0], 2, coordinate());
    shift(NSC_DERIVE_PIECE_VELOCITY, body[0], 0, 0.3 * coordinate());
    shift(NSC_DERIVE_PIECE_VELOCITY, body[0], 2, -0.2);
    shift(NSC_DERIVE_PIECE_SPIN, body[0], 1, 0.5 * coordinate());
    shift(NSC_DERIVE_PIECE_SPIN, body[0], 2, 0.2 * coordinate());
    shift(NSC_DERIVE_RATE, hinge[0], 0, 5 * coordinate());
    shift(NSC_DERIVE_RATE, hinge[1], 0, 5 * coordinate());
    for (i = 0; i < 15 && soft; i++) CHECK(step_by(&world, length_of_step) >= 0);
    want_axes();
    want_body(NSC_DERIVE_PIECE_POSITION, body[0]);
    states = inputs;
    for (i = 0; i < 2; i++) want(NSC_DERIVE_EFFORT, hinge[i], 0);
    for (i = 0; i < 3; i++) want(NSC_DERIVE_FORCE, body[0], i);
}

/* Bodies that touch, some steps after they were let go */
static void make_contacts(int kind)
{
    nsc_shape_def s;
    int i, steps = 3 + (int)(15 * (1 + coordinate()));
    begin_world(kind == HERTZ || kind == FLORES || kind == HOOKE || kind == STICKY ? 0.002 : 0.005);
    bodies = kind == RESTING || kind == SPRUNG ? 2 : 1;
    if (kind >= HOOKE && kind <= STICKY) {
        world.def.contact_model = NSC_CONTACT_SMOOTH;
        world.def.contact_law = kind == HOOKE ? NSC_SMOOTH_HOOKE : kind == FLORES ? NSC_SMOOTH_FLORES : NSC_SMOOTH_HERTZ;
    }
    s = nsc_default_half_space_def();
    s.restitution = NSC_R(0.1);
    s.stiffness = kind == SOFT ? 20000 : 0;
    s.damping = kind == SOFT ? 100 : 0;
    s.cohesion = kind == PULLED || kind == STICKY ? 5 : 0;
    if (kind != TUMBLING && kind != SPRUNG) nsc_world_add_shape(&world, NSC_GROUND, &s);
    for (i = 0; i < bodies; i++) {
        nsc_body_def b = nsc_default_body_def();
        nsc_shape_def box = i == 0 ? nsc_default_box_def(NSC_R(0.1), NSC_R(0.08), NSC_R(0.06)) : nsc_default_sphere_def(NSC_R(0.05));
        box.restitution = s.restitution;
        box.stiffness = s.stiffness;
        box.damping = s.damping;
        box.cohesion = s.cohesion;
        if (kind >= HOOKE && kind <= STICKY) { /* a ball: nothing is redundant */
            box = s;
            box.kind = NSC_SHAPE_SPHERE;
            box.radius = NSC_R(0.06);
        }
        if (kind == TUMBLING) b.linear_damping = b.angular_damping = 1;
        if (kind == SOFT) b.locks = NSC_LOCK_2D;
        b.pose.position = at(0.2 * i * (kind == SPRUNG), 0, 0.06 - 1e-4 + 0.1099 * i);
        if (kind == TUMBLING || kind == SPRUNG)
            b.angular_velocity = at(8 * coordinate(), 8 * coordinate(), 8 * coordinate());
        else
            b.velocity = at(kind == SOFT ? 2 : (kind == RESTING ? 0.02 : 0.5) * coordinate(), 0.02 * coordinate(), -0.05);
        body[i] = nsc_world_add_body(&world, &b);
        nsc_world_add_shape(&world, body[i], &box);
    }
    if (kind == SPRUNG) {
        nsc_spring_def d = nsc_default_spring_def(body[0], body[1]);
        d.point_a = at(0.1, 0.02, 0);
        d.rest = NSC_R(0.1);
        d.stiffness = 300;
        d.damping = 1;
        CHECK(nsc_world_add_spring(&world, &d) >= 0);
        d.body_a = NSC_GROUND;
        d.point_a = at(0, 0.1, 0.8);
        d.point_b = at(0.02, 0.01, 0.03);
        CHECK(nsc_world_add_spring(&world, &d) >= 0);
    }
    for (i = 0; i < steps; i++) CHECK(step_by(&world, length_of_step) >= 0);
    for (i = 0; i < bodies; i++) want_body(NSC_DERIVE_POSITION, body[i]);
    states = inputs;
    for (i = 0; i < 3; i++) want(NSC_DERIVE_FORCE, body[0], i);
    for (i = 0; i < 3; i++) want(NSC_DERIVE_TORQUE, body[0], i);
}

static int make_kind(int kind)
{
    if (kind <= ODD) make_arm(kind);
    else if (kind <= YIELDING) make_balancer(kind == YIELDING);
    else make_contacts(kind);
    return kind;
}

/* Output of a world, by nsc's own calls; turns from the orientation q0 */
static double output(const nsc_world *w, const nsc_derive_input *out, nsc_quat q0)
{
    int kind = out->kind >= NSC_DERIVE_PIECE_POSITION ? out->kind - 9 : out->kind;
    nsc_axis_state a;
    nsc_vec3 v, spin, x;
    nsc_pose p;
    if (kind == NSC_DERIVE_AXIS || kind == NSC_DERIVE_RATE) {
        CHECK(nsc_joint_get_axis(w, out->id, out->axis, &a) == NSC_OK);
        return (double)(kind == NSC_DERIVE_AXIS ? a.position : a.velocity);
    }
    nsc_body_get_pose(w, out->id, &p);
    nsc_body_get_velocity(w, out->id, &v, &spin);
    x = p.position;
    if (kind == NSC_DERIVE_TURN) {
        nsc_quat q = p.orientation;
        x.x = 2 * (-q.w * q0.x + q.x * q0.w - q.y * q0.z + q.z * q0.y);
        x.y = 2 * (-q.w * q0.y + q.y * q0.w - q.z * q0.x + q.x * q0.z);
        x.z = 2 * (-q.w * q0.z + q.z * q0.w - q.x * q0.y + q.y * q0.x);
    }
    if (kind == NSC_DERIVE_VELOCITY) x = v;
    if (kind == NSC_DERIVE_SPIN) x = spin;
    return (double)(out->axis == 0 ? x.x : out->axis == 1 ? x.y : x.z);
}

/* Central difference of whole steps, and by how much its two halves differ.  The contacts of the last step stay, with what they
   remember. */
static int difference_of(const nsc_derive_input *in, double step, double *column, double *bend)
{
    nsc_quat q0[MOST];
    nsc_pose p;
    int i, side, code;
    memcpy(&ahead, &world, sizeof world);
    if (step_by(&ahead, length_of_step) < 0) return -1;
    for (i = 0; i < states; i++) {
        memset(&q0[i], 0, sizeof q0[i]);
        if (nsc_body_get_pose(&ahead, list[i].id, &p) == NSC_OK) q0[i] = p.orientation;
        column[i] = 0;
        bend[i] = -2 * output(&ahead, &list[i], q0[i]) / step;
    }
    for (side = -1; side <= 1; side += 2) {
        memcpy(&ahead, &world, sizeof world);
        code = nsc_derive_move(&ahead, in, (nsc_real)(side * step));
        ahead.contact_count = world.contact_count;
        memcpy(ahead.contacts, world.contacts, sizeof world.contacts);
        memcpy(ahead.manifolds, world.manifolds, sizeof world.manifolds);
        ahead.manifold_end = world.manifold_end;
        if (code == NSC_OK) code = step_by(&ahead, length_of_step);
        if (code != NSC_OK) return code;
        for (i = 0; i < states; i++) {
            double y = output(&ahead, &list[i], q0[i]);
            column[i] += side * y / (2 * step);
            bend[i] += y / step;
        }
    }
    return NSC_OK;
}

static double largest(const double *x, double least)
{
    int i;
    for (i = 0; i < states; i++) least = x[i] > least ? x[i] : -x[i] > least ? -x[i] : least;
    return least;
}

/* The same, or 1 where a kink or a switch lies within.  In double: where the halves differ by more than 0.1 %, also over a 64th
   of the length; and where they differ by as much over half the length, as at a kink in the middle.  In float from two lengths, so that curvature cancels; the halves differ by twice as much over twice the
   length, to 0.2 %, or else there is a kink. */
static int reference(const nsc_derive_input *in, int smooth, double *column)
{
    double twice[MOST], bend[MOST], more[MOST], most;
    int i, code, exact = sizeof(nsc_real) == sizeof(double), pass;
    for (pass = 0; pass < 2 && exact; pass++) {
        code = difference_of(in, (smooth ? 1e-6 : 1e-5) / (pass ? 64 : 1), column, bend);
        if (code != NSC_OK) return code;
        if (largest(bend, 0) <= 1e-3 * largest(column, 1)) break;
    }
    if (exact) { /* steps solved to rounding only do not tell: then two lengths differ by as much as is asked */
        if (pass == 2) return 1;
        code = difference_of(in, (smooth ? 1e-6 : 1e-5) / (pass ? 128 : 2), twice, more);
        for (i = 0; i < states && code == NSC_OK; i++) {
            twice[i] -= column[i];
            more[i] = bend[i] - 2 * more[i]; /* 0 for curvature; a kink in the middle does not shrink with the length */
        }
        return code != NSC_OK ? code : largest(twice, 0) > 5e-7 * largest(column, 1) || largest(more, 0) > 1e-6 * largest(column, 1);
    }
    code = difference_of(in, 2e-2, column, bend);
    if (code == NSC_OK) code = difference_of(in, 4e-2, twice, more);
    most = largest(column, 1);
    for (i = 0; i < states && code == NSC_OK; i++) {
        more[i] -= 2 * bend[i];
        twice[i] -= column[i];
        column[i] -= twice[i] / 3;
    }
    if (code == NSC_OK && (largest(more, 0) > 2e-3 * most || largest(twice, 0) > 1e-2 * most)) return 1;
    return code;
}

/* Does an input change poses? */
static int poses(const nsc_derive_input *in)
{
    return in->kind <= NSC_DERIVE_TURN || in->kind == NSC_DERIVE_AXIS || in->kind == NSC_DERIVE_PIECE_POSITION || in->kind == NSC_DERIVE_PIECE_TURN;
}

static int derivatives_of_a_kind_are_its_differences(void)
{
    int kind = scene, smooth = kind == YIELDING || (kind >= HOOKE && kind <= STICKY), wrong = 0, i, j, code;
    double same = sizeof(nsc_real) == sizeof(double) ? (kind == SOFT && law == NSC_LAW_COULOMB ? 1e-3 : 1e-6) : kind == SPRUNG || kind == ODD ? 2e-3 : 1e-3; /* a box that slides on springs: by POSITION up to 3e-4 is missing; short springs and chains: rounding */
    double column[MOST];
    nsc_real answer[MOST];
    make_kind(kind);
    code = nsc_derive_begin(&derive, &world, &trial, length_of_step);
    CHECK(code == NSC_OK);
    said("begin %d, %s", code, nsc_derive_error_text(code));
    if (code != NSC_OK) return 0;
    if (derive.switch_impulse < (smooth ? NSC_R(2e-4) : NSC_R(5e-3)) || derive.switch_speed < NSC_R(0.05)) return 1;
    tried++;
    for (j = 0; j < inputs; j++) {
        double most = 1;
        /* see compare_scene */
        if (sizeof(nsc_real) < sizeof(double) && poses(&list[j]) && kind > ODD && kind != TUMBLING && kind != SPRUNG) continue;
        if (law == NSC_LAW_CONE && derive.shared && (list[j].kind == NSC_DERIVE_TURN || list[j].kind == NSC_DERIVE_SPIN)) continue;
        columns++;
        code = nsc_derive_dense(&derive, &list[j], 1, list, states, answer);
        if (code == NSC_DERIVE_ERR_SWITCH) {
            refused_columns++;
            continue;
        }
        if (code == NSC_OK) code = reference(&list[j], smooth, column);
        if (code == 1) {
            unclear++;
            continue;
        }
        if (code != NSC_OK) {
            wrong++;
            said("input %d: %d", j, code);
            continue;
        }
        for (i = 0; i < states; i++) most = column[i] > most ? column[i] : -column[i] > most ? -column[i] : most;
        for (i = 0; i < states; i++) {
            double e = ((double)answer[i] - column[i]) / most;
            if (e < 0) e = -e;
            if (!(e <= largest_error)) largest_error = e;
            if (e <= same) continue;
            wrong++;
            said("input %d of kind %d, output %d of kind %d: %.9g, differences %.9g", j, list[j].kind, i, list[i].kind, (double)answer[i], column[i]);
        }
    }
    return wrong == 0;
}

static void compare_kind(int kind, int count)
{
    scene = kind, tried = refused_columns = unclear = columns = 0, largest_error = 0;
    CASE("%s, law %d", kinds[kind], law);
    if (search("derivatives are the differences", derivatives_of_a_kind_are_its_differences, count)) {
        CHECK(tried * 2 > count);
        CHECK(refused_columns * (kind == PULLED ? 4 : 50) <= columns && unclear * 4 <= columns); /* a box that slides under CONE lifts to a quarter of the slop, and there is a kink */
    }
    CASE_END();
    printf("    %s, law %d: %d states of %d, %d columns, of which %d are refused and %d have no differences, largest relative error %.1e\n",
           kinds[kind], law, tried, count, columns, refused_columns, unclear, largest_error);
}

/* By how fast does the trunk of the balancer leave the middle of a wheel? */
static double torn(int wheel)
{
    nsc_vec3 v, w, v0, w0;
    nsc_pose p, p0;
    double x, y, z, apart[3];
    nsc_body_get_pose(&ahead, body[wheel], &p);
    nsc_body_get_pose(&ahead, body[0], &p0);
    nsc_body_get_velocity(&ahead, body[wheel], &v, &w);
    nsc_body_get_velocity(&ahead, body[0], &v0, &w0);
    x = (double)(p.position.x - p0.position.x);
    y = (double)(p.position.y - p0.position.y);
    z = (double)(p.position.z - p0.position.z);
    apart[0] = (double)(v.x - v0.x) - ((double)w0.y * z - (double)w0.z * y);
    apart[1] = (double)(v.y - v0.y) - ((double)w0.z * x - (double)w0.x * z);
    apart[2] = (double)(v.z - v0.z) - ((double)w0.x * y - (double)w0.y * x);
    x = apart[0] > 0 ? apart[0] : -apart[0];
    y = apart[1] > 0 ? apart[1] : -apart[1];
    z = apart[2] > 0 ? apart[2] : -apart[2];
    return x + y + z;
}

/* The moves themselves: what moves, moves by x; all else among the coordinates stays, and the joints stay closed. */
static void moves(void)
{
    int kind, i, j, k;
    double slack = sizeof(nsc_real) == sizeof(double) ? 1e-12 : 2e-5;
    for (kind = GUIDED; kind <= BALANCER; kind++)
        for (k = 0; k < 5; k++) {
            make_kind(kind);
            for (i = 0; i < states; i++) {
                nsc_pose p;
                nsc_quat q0;
                double x = 0.01 * coordinate();
                int of_turn = list[i].kind == NSC_DERIVE_PIECE_TURN;
                memset(&q0, 0, sizeof q0);
                memcpy(&ahead, &world, sizeof world);
                CHECK(nsc_derive_move(&ahead, &list[i], (nsc_real)x) == NSC_OK);
                for (j = 0; j < states; j++) {
                    if (nsc_body_get_pose(&world, list[j].id, &p) == NSC_OK) q0 = p.orientation;
                    /* turns about other axes: 0 to the second order, as the centre is the body's origin */
                    CHECK_NEAR(output(&ahead, &list[j], q0) - output(&world, &list[j], q0), i == j ? x : 0, of_turn && i == j ? 1e-7 + slack : slack);
                }
                for (j = 0; j < hinges; j++) {
                    nsc_real distance, angle, distance0, angle0;
                    nsc_joint_get_drift(&ahead, hinge[j], &distance, &angle);
                    nsc_joint_get_drift(&world, hinge[j], &distance0, &angle0);
                    CHECK_NEAR(distance - distance0, 0, slack);
                    CHECK_NEAR(angle - angle0, 0, slack);
                }
                for (j = 1; j < bodies && kind == BALANCER; j++) CHECK_NEAR(torn(j), 0, 30 * slack);
            }
        }
}

/* A and B of the first axis: its position and rate after the step by position and rate, and by an effort */
static void axis_and_effort(nsc_real A[4], nsc_real B[2])
{
    nsc_derive_input effort;
    effort.kind = NSC_DERIVE_EFFORT;
    effort.id = hinge[0];
    effort.axis = 0;
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(nsc_derive_dense(&derive, list, 2, list, 2, A) == NSC_OK);
    CHECK(nsc_derive_dense(&derive, &effort, 1, list, 2, B) == NSC_OK);
}

/* The same in the coordinates of joints: a pendulum, a servo that turns, a servo that slides, each x' = x + h w'. */
static void closed_axes(void)
{
    double k = 200, damping = 3, dt, c, below, mass = 2;
    nsc_real A[4], B[2], inertia[6], m;
    nsc_vec3 centre;
    nsc_joint_def j;
    int i;
    for (i = 0; i < 3; i++) {
        begin_world(0.01);
        dt = 0.01;
        body[0] = link_at(at(0, 0, i == 0 ? -0.3 : 0), 0.02, 0.03, 0.25, mass);
        j = joint_at(i == 2 ? NSC_JOINT_SLIDER : NSC_JOINT_HINGE, NSC_GROUND, body[0], at(0, 0, 0), i == 2 ? at(1, 0, 0) : at(0, 1, 0), at(0, 0, 1));
        if (i > 0) {
            j.axis[0].drive = NSC_DRIVE_SERVO;
            j.axis[0].stiffness = (nsc_real)k;
            j.axis[0].damping = (nsc_real)damping;
        }
        hinge[hinges++] = nsc_world_add_joint(&world, &j);
        want_axes();
        nsc_body_get_mass(&world, body[0], &m, &centre, inertia);
        c = i == 2 ? mass : (double)inertia[1] + (i == 0 ? mass * 0.09 : 0);
        axis_and_effort(A, B);
        below = i == 0 ? 1 : 1 + (dt * damping + dt * dt * k) / c;
        k = i == 0 ? mass * 9.81 * 0.3 : k;
        CHECK_NEAR(A[3], 1 / below, SAME);
        CHECK_NEAR(A[1], dt / below, SAME);
        CHECK_NEAR((double)A[2] / (dt * k / c), -1 / below, SAME);
        CHECK_NEAR(A[0], 1 - dt * dt * k / c / below, SAME);
        CHECK_NEAR((double)B[1] * c / dt, 1 / below, SAME);
        CHECK_NEAR((double)B[0] * c / (dt * dt), 1 / below, 2 * SAME);
        k = 200;
    }
}

/* Combinations of inputs are combinations of columns. */
static void combined(void)
{
    static nsc_real matrix[MOST * MOST], direction[2 * MOST], along[2 * MOST];
    int i, j, k;
    make_balancer(0);
    for (i = 0; i < 2 * inputs; i++) direction[i] = (nsc_real)coordinate();
    for (i = 0; i < 2 * inputs; i++) /* poses that keep the contacts' gaps */
        if (list[i % inputs].kind <= NSC_DERIVE_PIECE_TURN && poses(&list[i % inputs])) direction[i] = 0;
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(nsc_derive_dense(&derive, list, inputs, list, states, matrix) == NSC_OK);
    CHECK(nsc_derive_directions(&derive, list, inputs, direction, 2, list, states, along) == NSC_OK);
    for (k = 0; k < 2; k++)
        for (i = 0; i < states; i++) {
            double sum = 0, most = 1;
            for (j = 0; j < inputs; j++) {
                double y = (double)matrix[i * inputs + j] * (double)direction[k * inputs + j];
                sum += y;
                most += y > 0 ? y : -y;
            }
            CHECK_NEAR((double)along[2 * i + k] / most, sum / most, SAME);
        }
    along[0] = 7;
    CHECK(nsc_derive_directions(&derive, list, inputs, NULL, 2, list, states, along) == NSC_ERR_ARGUMENT);
    CHECK(nsc_derive_directions(&derive, list, inputs, direction, 0, list, states, along) == NSC_ERR_ARGUMENT);
    CHECK_NEAR(along[0], 7, 0);
}

static int column_of(int kind, nsc_id id, int axis)
{
    static nsc_real change[12 * NSC_MAX_BODIES];
    nsc_real x = 1;
    nsc_derive_input in;
    in.kind = kind;
    in.id = id;
    in.axis = axis;
    return nsc_derive_product(&derive, &in, 1, &x, change);
}

/* What is not differentiated is refused, and so is a kink or a jump on the way of a difference. */
static void refused(void)
{
    int i, law_of, code;
    nsc_real y[4];
    nsc_derive_input in[2];
    nsc_joint_def j;
    nsc_shape_def s;
    for (i = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED; i <= NSC_STEPPER_NEWMARK; i++)
        for (law_of = NSC_SMOOTH_HOOKE; law_of <= NSC_SMOOTH_FLORES; law_of++) {
            make_contacts(HOOKE);
            world.def.contact_law = law_of;
            world.def.stepper = i;
            code = nsc_derive_begin(&derive, &world, &trial, length_of_step);
            CHECK(code == (i == NSC_STEPPER_EULER_IMPLICIT_LINEARIZED ? NSC_OK : NSC_DERIVE_ERR_UNSUPPORTED));
            CHECK(code == NSC_OK || derive.rows == 0);
            CHECK(code == NSC_OK || column_of(NSC_DERIVE_FORCE, body[0], 0) == NSC_ERR_ARGUMENT);
        }
    make_contacts(HOOKE);
    world.def.substeps = 2;
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_DERIVE_ERR_UNSUPPORTED);
    for (i = 0; i < 2; i++) { /* rolling friction, hard and smooth */
        make_contacts(i ? HERTZ : PULLED);
        s = nsc_default_sphere_def(NSC_R(0.06));
        s.rolling = NSC_R(0.01);
        nsc_world_add_shape(&world, body[0], &s);
        nsc_body_set_pose(&world, body[0], upright(0.0599));
        CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_DERIVE_ERR_UNSUPPORTED);
    }
    /* A body that does not move along the belt it lies on */
    make_contacts(PULLED);
    world.shapes[0].def.surface_velocity = at(2, 1, 0);
    CHECK(nsc_body_set_locks(&world, body[0], NSC_LOCK_2D) == NSC_OK);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_DERIVE_ERR_UNSUPPORTED);
    /* A quarter of the slop above the ground: from above the gap closes, from below nothing moves. */
    make(BALL);
    nsc_body_set_pose(&world, body[0], upright(0.1 + 0.25 * (double)world.def.slop));
    nsc_body_set_velocity(&world, body[0], at(0, 0, -0.1), at(0, 0, 0));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(derive.row[0].state == NSC_DERIVE_STICK);
    CHECK(column_of(NSC_DERIVE_POSITION, body[0], 2) == NSC_DERIVE_ERR_SWITCH);
    CHECK(column_of(NSC_DERIVE_POSITION, body[0], 0) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_VELOCITY, body[0], 2) == NSC_OK);
    /* A spring across its rest length without load: across the line it is slack one way, and pulls the other. */
    begin_world(0.005);
    body[0] = link_at(at(0, 0, -0.5), 0.03, 0.04, 0.05, 1);
    world.def.gravity = at(0, 0, 0);
    {
        nsc_spring_def d = nsc_default_spring_def(NSC_GROUND, body[0]);
        d.rest = NSC_R(0.5);
        d.stiffness = 100;
        CHECK(nsc_world_add_spring(&world, &d) >= 0);
    }
    nsc_body_set_velocity(&world, body[0], at(1, 0, 0), at(0, 0, 0));
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_POSITION, body[0], 2) == NSC_DERIVE_ERR_SWITCH);
    CHECK(column_of(NSC_DERIVE_VELOCITY, body[0], 2) == NSC_OK);
    /* A loop of joints; a piece that hangs from the ground; a base on the side that moves */
    make_arm(ARM);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_PIECE_TURN, body[1], 0) == NSC_ERR_ARGUMENT);
    CHECK(column_of(NSC_DERIVE_AXIS, hinge[1], 1) == NSC_ERR_ARGUMENT);
    CHECK(column_of(NSC_DERIVE_AXIS, body[1], 0) < 0);
    CHECK(column_of(14, body[1], 0) == NSC_ERR_ARGUMENT);
    j = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, body[1]);
    nsc_joint_place(&world, &j, at(0.4, 0, -0.3), at(0, 0, 1), at(1, 0, 0));
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_AXIS, hinge[1], 0) == NSC_ERR_ARGUMENT);
    CHECK(column_of(NSC_DERIVE_RATE, hinge[0], 0) == NSC_ERR_ARGUMENT);
    make_balancer(0);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    in[0].kind = NSC_DERIVE_RATE;
    in[0].id = hinge[0];
    in[1].kind = NSC_DERIVE_PIECE_SPIN;
    in[1].id = body[0];
    in[0].axis = in[1].axis = 0;
    CHECK(nsc_derive_dense(&derive, in, 2, in, 2, y) == NSC_OK);
    in[1].id = body[1]; /* a wheel as the base: the axle would move it */
    CHECK(nsc_derive_dense(&derive, in, 2, in, 2, y) == NSC_ERR_ARGUMENT);
    CHECK(nsc_derive_dense(&derive, in, 1, in + 1, 1, y) == NSC_ERR_ARGUMENT);
    y[0] = y[1] = 1;
    CHECK(nsc_derive_product(&derive, in, 2, y, derive.high) == NSC_ERR_ARGUMENT);
    /* A contact of one's own anywhere: pieces and axes do not move */
    {
        nsc_contact c;
        memset(&c, 0, sizeof c);
        c.body_a = body[0];
        c.body_b = NSC_GROUND;
        c.point = at(0.1, 0, 0.3);
        c.normal = at(1, 0, 0);
        c.shape_a = c.shape_b = -1;
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
        CHECK(column_of(NSC_DERIVE_AXIS, hinge[0], 0) == NSC_DERIVE_ERR_OWN_CONTACT);
        CHECK(column_of(NSC_DERIVE_PIECE_TURN, body[0], 0) == NSC_DERIVE_ERR_OWN_CONTACT);
        CHECK(column_of(NSC_DERIVE_PIECE_SPIN, body[0], 0) == NSC_OK);
    }
}

/* A flywheel on the ground, turning at `rate` from the angle `turn`, with this axis: derivatives of angle and rate after the step by angle,
   rate and effort, in units of 1, 1/h, h and so on, all of order 1.  Returns whether a row of the axis holds (1), is at its bound (2). */
static int flywheel(const nsc_axis_def *with, double turn, double rate, double got[6])
{
    nsc_real A[4], B[2], inertia[6], mass;
    nsc_vec3 centre;
    nsc_joint_def j;
    int i, state = 0;
    begin_world(0.01);
    body[0] = link_at(at(0, 0, 0), 0.1, 0.02, 0.1, 2);
    j = joint_at(NSC_JOINT_HINGE, NSC_GROUND, body[0], at(0, 0, 0), at(0, 1, 0), at(0, 0, 1));
    j.axis[0] = *with;
    hinge[hinges++] = nsc_world_add_joint(&world, &j);
    CHECK(hinge[0] >= 0);
    CHECK(nsc_joint_set_state(&world, hinge[0], 0, (nsc_real)turn, (nsc_real)rate) == NSC_OK);
    want_axes();
    nsc_body_get_mass(&world, body[0], &mass, &centre, inertia);
    axis_and_effort(A, B);
    got[0] = (double)A[0];
    got[1] = (double)A[1] / 0.01;
    got[2] = (double)A[2] * 0.01;
    got[3] = (double)A[3];
    got[4] = (double)B[0] * (double)inertia[1] / 1e-4;
    got[5] = (double)B[1] * (double)inertia[1] / 0.01;
    for (i = 0; i < derive.rows; i++)
        if (derive.row[i].kind == NSC_BLOCK_BOX) state |= derive.row[i].state == NSC_DERIVE_HELD ? 1 : derive.row[i].state != NSC_DERIVE_OPEN ? 2 : 0;
    return state;
}

/* A motor and a servo that can, and that are at the end of their force; a limit that is met and one that is not; friction of the axis. */
static void driven_and_held(void)
{
    static const double free_wheel[6] = {1, 1, 0, 1, 1, 1}, stopped[6] = {0, 0, -1, 0, 0, 0}, given[6] = {1, 0, 0, 0, 0, 0};
    nsc_axis_def plain = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, NSC_GROUND).axis[0], a;
    const double *expected;
    double got[6];
    int trial_of, k, state;
    for (trial_of = 0; trial_of < 10; trial_of++) {
        double turn = 0.3, rate = 0.5, sign = trial_of % 2 ? -1 : 1;
        a = plain;
        a.drive = NSC_DRIVE_FORCE;
        expected = free_wheel;
        if (trial_of < 2) { /* a motor that cannot reach its speed, forwards and back */
            a.drive = NSC_DRIVE_MOTOR;
            a.target_velocity = (nsc_real)(sign * 1000);
            a.max_force = NSC_R(0.1);
        } else if (trial_of < 4) { /* and one that can: the rate is what was asked for */
            a.drive = NSC_DRIVE_MOTOR;
            a.target_velocity = (nsc_real)sign;
            a.max_force = 1000;
            expected = given;
        } else if (trial_of < 6) { /* a servo that pulls as it can */
            a.drive = NSC_DRIVE_SERVO;
            a.target = (nsc_real)(sign * 3);
            a.stiffness = 100;
            a.damping = 1;
            a.max_force = NSC_R(0.1);
        } else if (trial_of < 8) { /* a limit 1 mrad ahead, which the step meets */
            a.limited = 1;
            a.lower = trial_of == 7 ? NSC_R(0.299) : -1;
            a.upper = trial_of == 6 ? NSC_R(0.301) : 1;
            rate = 0.5 * sign;
            expected = stopped;
        } else if (trial_of == 8) { /* friction that slides */
            a.friction = NSC_R(0.01);
        } else { /* and one that holds */
            a.friction = 10;
            expected = given;
        }
        CASE("axis %d", trial_of);
        state = flywheel(&a, turn, rate, got);
        for (k = 0; k < 6; k++) CHECK_NEAR(got[k], expected[k], 10 * SAME);
        CHECK(expected == free_wheel ? state == 2 : state % 2 == 1);
    }
    CASE_END();
}

/* Each code has a text of its own, those of nsc.h too. */
static void codes_have_texts(void)
{
    int a, b;
    for (a = NSC_DERIVE_ERR_OWN_CONTACT; a <= NSC_DERIVE_ERR_UNSUPPORTED; a++)
        for (b = NSC_DERIVE_ERR_OWN_CONTACT; b <= a; b++) CHECK((strcmp(nsc_derive_error_text(a), nsc_derive_error_text(b)) == 0) == (a == b));
    CHECK(strcmp(nsc_derive_error_text(NSC_ERR_CAPACITY), nsc_error_text(NSC_ERR_CAPACITY)) == 0);
    CHECK(strcmp(nsc_derive_error_text(NSC_DERIVE_ERR_SWITCH), nsc_error_text(NSC_ERR_CAPACITY)) != 0);
}

/* Islands asleep, too many rows, bodies that do not move, numbers that are none: each with its code, and nothing is written. */
static void not_differentiated(void)
{
    static nsc_real change[12 * NSC_MAX_BODIES];
    nsc_derive_input in[2];
    nsc_joint_def gear;
    nsc_real x[2] = {1, 1}, y[24];
    nsc_shape_def plane = nsc_default_half_space_def();
    int i;
    make(BOX);
    nsc_body_set_velocity(&world, body[0], at(0, 0, 0), at(0, 0, 0));
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_POSITION, NSC_GROUND, 0) == NSC_ERR_ARGUMENT);
    CHECK(column_of(NSC_DERIVE_VELOCITY, NSC_GROUND, 0) == NSC_ERR_ARGUMENT);
    in[0].kind = NSC_DERIVE_VELOCITY, in[0].id = body[0], in[0].axis = 0;
    change[12] = -7;
    x[0] = (nsc_real)NAN;
    CHECK(nsc_derive_product(&derive, in, 1, x, change) == NSC_ERR_NOT_FINITE);
    x[0] = NSC_REAL_MAX;
    x[0] *= 2;
    CHECK(nsc_derive_product(&derive, in, 1, x, change) == NSC_ERR_NOT_FINITE);
    CHECK(nsc_derive_transpose(&derive, in, 1, in, 1, NULL, y) == NSC_ERR_ARGUMENT);
    CHECK_NEAR(change[12], -7, 0);
    world.bodies[1].asleep = 1;
    CHECK(nsc_derive_begin(&derive, &world, &trial, h) == NSC_DERIVE_ERR_UNSUPPORTED);
    CHECK(nsc_derive_product(&derive, in, 1, x, change) == NSC_ERR_ARGUMENT);
    begin_world(0.01);
    nsc_world_add_shape(&world, NSC_GROUND, &plane);
    for (i = 0; i < NSC_DERIVE_ROWS / 12; i++) add_box(at(i, 0, 0.0999), 0.1, 0);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK && derive.rows == NSC_DERIVE_ROWS);
    add_box(at(i, 0, 0.0999), 0.1, 0);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_ERR_CAPACITY && derive.rows == 0);
    make_arm(ARM); /* a gear is no loop, and what was removed ties nothing */
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_EFFORT, hinge[0], NSC_JOINT_AXES) == NSC_ERR_ARGUMENT);
    CHECK(column_of(NSC_DERIVE_RATE, hinge[1], 0) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_RATE, hinge[0], 0) == NSC_OK);
    gear = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, body[1]);
    nsc_joint_place(&world, &gear, at(0.4, 0, -0.3), at(0, 0, 1), at(1, 0, 0));
    CHECK(nsc_world_remove_joint(&world, nsc_world_add_joint(&world, &gear)) == NSC_OK);
    CHECK(nsc_derive_begin(&derive, &world, &trial, length_of_step) == NSC_OK);
    CHECK(column_of(NSC_DERIVE_RATE, hinge[0], 0) == NSC_OK);
}

int main(int argc, char **argv)
{
    int k;
    test_begin(argc, argv);
    seed = 4711;
    for (k = 0; k < SCENES; k++) compare_scene(k, k < BOX ? sample(3, trials(6, 200)) : trials(2, 60));
    for (k = 0; k < KINDS; k++) compare_kind(k, trials(k == BALANCER ? 6 : 3, 100));
    law = NSC_LAW_CONE;
    for (k = BALANCER; k < KINDS; k++) compare_kind(k, trials(4, 50));
    for (k = 0; k < SCENES; k++) if (k != PENDULUM && k != SERVO) compare_scene(k, k < BOX ? trials(4, 100) : trials(2, 60));
    law = NSC_LAW_COULOMB;
    moves();
    closed_axes();
    driven_and_held();
    codes_have_texts();
    not_differentiated();
    combined();
    refused();
    closed();
    turning_far();
    moves_turn_as_far_as_they_say();
    search("free turning has the derivatives of its differences", free_turning_has_the_derivatives_of_its_differences, trials(10, 100));
    refusals();
    moves_are_whole();
    unchanged();
    hinged();
    resting();
    return TEST_END("derive");
}
