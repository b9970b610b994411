/* A quadruped with the masses, inertias and lengths of Unitree's published description of its Go1 (go1.urdf, BSD licence; rotors
   and feet merged into the links that carry them): 13 bodies, 12 servos.  It stands: foot forces and joint torques against
   statics.  It is pushed: its sway at a step of 1/500 s against one of 1/8000 s. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "world.h"
#include "by.h"

typedef struct piece {
    double mass, centre[3], inertia[6]; /* xx yy zz xy xz yz about the centre */
} piece;

static const piece trunk_piece = {5.204, {0.0223, 0.002, -0.0005},
                                  {0.0168128557, 0.063009565, 0.0716547275, -0.0002296769, -0.0002945293, -4.18731e-05}};
/* of the front right leg; others by signs, see sign_of */
static const piece hip_piece = {0.591, {-0.005657, 0.008752, -0.000102},
                                {0.000334008405, 0.000619101213, 0.00040057614, 1.0826066e-05, 1.290732e-06, -1.643194e-06}};
static const piece thigh_piece = {0.92, {-0.003342, 0.018054, -0.033451},
                                  {0.004431760472, 0.004485671726, 0.000740309489, -5.7496807e-05, -0.000218457134, -0.000572001265}};
static const piece calf_piece = {0.135862, {0.006197, 0.001408, -0.116695},
                                 {0.001088793059, 0.001100428748, 2.4787446e-05, -2.55679e-07, 7.117814e-06, 2.077264e-06}};
static const piece foot_piece = {0.06, {0, 0, -0.213}, {9.6e-06, 9.6e-06, 9.6e-06, 0, 0, 0}};
static const piece rotor_x = {0.089, {0, 0, 0}, {0.000111842, 5.9647e-05, 5.9647e-05, 0, 0, 0}};
static const piece rotor_y = {0.089, {0, 0, 0}, {5.9647e-05, 0.000111842, 5.9647e-05, 0, 0, 0}};

static const double bent = 0.9, folded = -1.8, length_of_leg = 0.213, foot_radius = 0.02, g = 9.81;
static nsc_world_def settings;
static int taken, unsolved; /* steps */
static nsc_id trunk, link_of[4][3], joint_of[4][3], foot[4];

static piece mirrored(piece p, double x, double y)
{
    p.centre[0] *= x, p.centre[1] *= y;
    p.inertia[3] *= x * y, p.inertia[4] *= x, p.inertia[5] *= y;
    return p;
}

static piece moved(piece p, double x, double y, double z)
{
    p.centre[0] += x, p.centre[1] += y, p.centre[2] += z;
    return p;
}

/* Inertia of a piece about another point, added (Huygens and Steiner) */
static void add_about(piece *sum, const piece *p, const double *c)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double d[3], d2 = 0;
    int k;
    for (k = 0; k < 3; k++) d[k] = p->centre[k] - c[k], d2 += d[k] * d[k];
    for (k = 0; k < 6; k++)
        sum->inertia[k] += p->inertia[k] + p->mass * ((k < 3 ? d2 : 0) - d[row[k]] * d[column[k]]);
}

static piece joined(piece a, piece b)
{
    piece s;
    int k;
    memset(&s, 0, sizeof s);
    s.mass = a.mass + b.mass;
    for (k = 0; k < 3; k++) s.centre[k] = (a.mass * a.centre[k] + b.mass * b.centre[k]) / s.mass;
    add_about(&s, &a, s.centre);
    add_about(&s, &b, s.centre);
    return s;
}

static nsc_id add(piece p, nsc_vec3 at)
{
    nsc_body_def d = nsc_default_body_def();
    int k;
    d.pose.position = at;
    d.mass = REAL(p.mass);
    d.centre = vec(p.centre[0], p.centre[1], p.centre[2]);
    for (k = 0; k < 6; k++) d.inertia[k] = REAL(p.inertia[k]);
    return nsc_world_add_body(&world, &d);
}

static nsc_id hinge(nsc_id a, nsc_id b, nsc_vec3 point, nsc_vec3 axis, double effort, double target)
{
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
    nsc_id id;
    CHECK(nsc_joint_place(&world, &d, point, axis, vec(0, 0, 0)) == NSC_OK);
    d.axis[0].drive = NSC_DRIVE_SERVO;
    d.axis[0].stiffness = 100;
    d.axis[0].damping = 3;
    d.axis[0].target = REAL(target);
    d.axis[0].max_force = REAL(effort);
    id = nsc_world_add_joint(&world, &d);
    CHECK(id >= 0);
    return id;
}

/* Legs 0..3: front left, front right, rear left, rear right */
static void build(void)
{
    double height = 2 * length_of_leg * cos(bent) + foot_radius;
    nsc_shape_def s = nsc_default_half_space_def();
    piece p = trunk_piece;
    int leg, k;
    settings = default_def();
    stepped_by = NSC_SOLVER_NEWTON;
    settings.solver.tolerance = is_double ? REAL(1e-9) : REAL(1e-6);
    settings.solver.max_factorizations = 100;
    CHECK(nsc_world_init(&world, &settings) == NSC_OK);
    s.friction = REAL(0.8);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &s) >= 0);
    for (leg = 0; leg < 4; leg++)
        p = joined(p, moved(rotor_x, leg < 2 ? 0.11215 : -0.11215, leg % 2 ? -0.04675 : 0.04675, 0));
    trunk = add(p, vec(0, 0, height));
    for (leg = 0; leg < 4; leg++) {
        double x = leg < 2 ? 1 : -1, y = leg % 2 ? 1 : -1; /* of the pieces: as the front right's, or mirrored */
        nsc_vec3 at[3];
        nsc_id base = trunk;
        at[0] = vec(x * 0.1881, -y * 0.04675, height);
        at[1] = plus(at[0], vec(0, -y * 0.08, 0));
        at[2] = plus(at[1], vec(0, 0, -length_of_leg));
        for (k = 0; k < 3; k++) {
            piece q = k == 0   ? joined(mirrored(hip_piece, x, y), moved(rotor_y, 0, y * 0.00015, 0))
                      : k == 1 ? joined(mirrored(thigh_piece, 1, y), moved(rotor_y, 0, y * 0.03235, 0))
                               : joined(calf_piece, foot_piece);
            double target = k == 0 ? 0 : k == 1 ? bent : folded;
            link_of[leg][k] = add(q, at[k]);
            joint_of[leg][k] = hinge(base, link_of[leg][k], at[k], k == 0 ? vec(1, 0, 0) : vec(0, 1, 0), k == 2 ? 35.55 : 23.7, target);
            base = link_of[leg][k];
        }
        s = nsc_default_sphere_def(REAL(foot_radius));
        s.friction = REAL(0.8);
        s.pose.position = vec(0, 0, -length_of_leg);
        foot[leg] = nsc_world_add_shape(&world, link_of[leg][2], &s);
        CHECK(foot[leg] >= 0);
        for (k = 1; k < 3; k++)
            CHECK(nsc_joint_set_state(&world, joint_of[leg][k], 0, REAL(k == 1 ? bent : folded), 0) == NSC_OK);
    }
}

static nsc_vec3 centre_of(nsc_id id)
{
    nsc_real mass;
    nsc_vec3 c;
    nsc_pose p;
    CHECK(nsc_body_get_mass(&world, id, &mass, &c, NULL) == NSC_OK && nsc_body_get_pose(&world, id, &p) == NSC_OK);
    return plus(p.position, rotate(p.orientation, c));
}

static double mass_of(nsc_id id)
{
    nsc_real mass;
    CHECK(nsc_body_get_mass(&world, id, &mass, NULL, NULL) == NSC_OK);
    return D(mass);
}

static void steps(int n, double h)
{
    int i;
    for (i = 0; i < n; i++) {
        CHECK(step_by(&world, REAL(h)) == NSC_OK);
        CHECK(D(nsc_world_report(&world)->solver.residual) < 1e-4);
        taken++;
        unsolved += nsc_world_report(&world)->solver.status != NSC_OK;
    }
}

/* At rest the feet carry the weight, their pressure's centre is below the centre of mass, and each drive holds what hangs on and
   pushes against its joint, to 0.1 % of the torques in that leg. */
static void it_stands_as_statics_say(double h)
{
    double mass = mass_of(trunk), worst = 0;
    nsc_vec3 moment = multiple(mass, centre_of(trunk)), sum = vec(0, 0, 0), turn = vec(0, 0, 0);
    int leg, k, i;
    build();
    steps((int)(2.5 / h), h);
    CHECK(length(velocity(trunk)) < 1e-4);
    mass = mass_of(trunk);
    moment = multiple(mass, centre_of(trunk));
    for (leg = 0; leg < 4; leg++) {
        nsc_vec3 force, at = position(link_of[leg][2]);
        double torque[3], largest = 0;
        nsc_pose p;
        CHECK(nsc_shape_get_contact_force(&world, foot[leg], &force, NULL) == NSC_OK);
        CHECK(nsc_body_get_pose(&world, link_of[leg][2], &p) == NSC_OK);
        at = plus(at, rotate(p.orientation, vec(0, 0, -length_of_leg)));
        at.z = 0; /* where the foot touches */
        CHECK(D(force.z) > 25);
        sum = plus(sum, force);
        turn = plus(turn, cross(at, force));
        for (k = 0; k < 3; k++) {
            mass += mass_of(link_of[leg][k]);
            moment = plus(moment, multiple(mass_of(link_of[leg][k]), centre_of(link_of[leg][k])));
        }
        for (k = 0; k < 3; k++) { /* moment about the joint of all that is outside of it */
            nsc_vec3 pivot = position(link_of[leg][k]), axis, m = cross(minus(at, pivot), force);
            nsc_pose frame;
            for (i = k; i < 3; i++)
                m = plus(m, cross(minus(centre_of(link_of[leg][i]), pivot), vec(0, 0, -g * mass_of(link_of[leg][i]))));
            CHECK(nsc_body_get_pose(&world, link_of[leg][k], &frame) == NSC_OK);
            axis = rotate(frame.orientation, k == 0 ? vec(1, 0, 0) : vec(0, 1, 0));
            torque[k] = -dot(axis, m);
            if (fabs(torque[k]) > largest) largest = fabs(torque[k]);
        }
        CHECK(largest > 3);
        for (k = 0; k < 3; k++) {
            nsc_axis_state s;
            CHECK(nsc_joint_get_axis(&world, joint_of[leg][k], 0, &s) == NSC_OK);
            CHECK_NEAR(s.drive, torque[k], 1e-3 * largest);
            if (fabs(D(s.drive) - torque[k]) / largest > worst) worst = fabs(D(s.drive) - torque[k]) / largest;
        }
    }
    printf("    h = 1/%.0f s: %.4f kg; weight carried to %.1e, torques to %.1e\n", 1 / h, mass, fabs(D(sum.z) / (mass * g) - 1), worst);
    CHECK_NEAR(sum.z, mass * g, 1e-3 * mass * g);
    CHECK_NEAR(sum.x, 0, 1e-3 * mass * g);
    CHECK_NEAR(sum.y, 0, 1e-3 * mass * g);
    CHECK_NEAR(turn.y, -g * D(moment.x), 1e-3 * mass * g * 0.19); /* of the lever of a foot */
    CHECK_NEAR(turn.x, g * D(moment.y), 1e-3 * mass * g * 0.13);
}

/* Largest sway of the trunk in a second after a push of 60 N for 0.1 s from the side, and the sway at its end [m] */
static void push(double h, int substeps, double *most, double *last)
{
    double from;
    int i;
    build();
    settings.substeps = substeps;
    CHECK(nsc_world_set_def(&world, &settings) == NSC_OK);
    steps(sample(200, 750), 1 / 500.);
    from = D(position(trunk).y);
    *most = 0;
    for (i = 0; i < (int)(1 / h + 0.5); i++) {
        if (i < (int)(0.1 / h + 0.5)) CHECK(nsc_body_add_force(&world, trunk, vec(0, 60, 0), vec(0, 0, 0)) == NSC_OK);
        steps(1, h);
        if (D(position(trunk).y) - from > *most) *most = D(position(trunk).y) - from;
    }
    *last = D(position(trunk).y) - from;
}

static void it_recovers_from_a_push(void)
{
    double most[3], last[3];
    push(1 / 500., 1, &most[0], &last[0]);
    push(1 / 500., 2, &most[1], &last[1]);
    push(1.0 / sample(1000, trials(2000, 8000)), 1, &most[2], &last[2]);
    printf("    pushed: sways by %.5f m, with two sub-steps by %.5f m, finely stepped by %.5f m\n", most[0], most[1], most[2]);
    CHECK(most[2] > 0.01 && most[2] < 0.2);
    CHECK_NEAR(most[0], most[2], 0.025 * most[2]);
    CHECK_NEAR(last[0], last[2], 0.025 * most[2]);
    CHECK_NEAR(most[1], most[2], 0.02 * most[2]);
    CHECK_NEAR(last[1], last[2], 0.02 * most[2]);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    build();
    it_stands_as_statics_say(1 / 240.);
    if (!test_quick()) it_stands_as_statics_say(1 / 500.);
    it_recovers_from_a_push();
    printf("    %d of %d steps missed the tolerance\n", unsolved, taken);
    CHECK(1000 * unsolved < taken);
    return TEST_END("go1");
}
