/* Cohesion in hard contact: what hangs, tears off, slides and sticks, in closed form, under every solver, law and stepper that
   takes hard contact, from two millimetres to tens of metres. */
#define NSC_SMOOTH 1
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "world.h"
#include "by.h"

static const double g = 9.81;

typedef struct way { int solver, law; } way;
static const way ways[] = {
    {NSC_SOLVER_SIPGS, NSC_LAW_COULOMB}, {NSC_SOLVER_SIPGS, NSC_LAW_CONE}, {NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID},
    {NSC_SOLVER_APGD, NSC_LAW_COULOMB}, {NSC_SOLVER_BB, NSC_LAW_COULOMB}, {NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID},
    {NSC_SOLVER_ADMM, NSC_LAW_CONE}, {NSC_SOLVER_NEWTON, NSC_LAW_COULOMB}, {NSC_SOLVER_NEWTON, NSC_LAW_CONE},
    {NSC_SOLVER_AUTO, NSC_LAW_COULOMB}};
enum { WAYS = sizeof ways / sizeof ways[0] };
static const int steppers[] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_IMPLICIT_PROJECTED,
    NSC_STEPPER_EULER_SYMPLECTIC, NSC_STEPPER_EULER_IMPLICIT};
static nsc_world_def def;

/* A world whose lengths and speeds are `size` times the usual ones */
static void begin(int n, int stepper, int substeps, double size)
{
    CASE("solver %d, law %d, stepper %d, %d sub-steps, size %g", ways[n].solver, ways[n].law, stepper, substeps, size);
    def = default_def();
    stepped_by = ways[n].solver;
    def.solver.law = ways[n].law;
    def.solver.tolerance = REAL((is_double ? 1e-10 : 1e-6) * sqrt(size));
    def.solver.max_iterations = 300;
    def.stepper = stepper;
    def.substeps = substeps;
    def.margin = REAL(D(def.margin) * size);
    def.slop = REAL(D(def.slop) * size);
    def.match_distance = REAL(D(def.match_distance) * size);
    def.gravity = vec(0, 0, -g);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_shape_def sticky(nsc_shape_def shape, double cohesion)
{
    shape.cohesion = REAL(cohesion);
    shape.friction = REAL(0.5);
    return shape;
}

/* A static box whose lower face, at z = 0, is a ceiling */
static void ceiling(double size, double cohesion)
{
    nsc_shape_def shape = sticky(nsc_default_box_def(REAL(10 * size), REAL(10 * size), REAL(size)), cohesion);
    shape.pose.position = vec(0, 0, size);
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &shape) > 0);
}

static nsc_id body(nsc_shape_def shape, double mass, double z)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.pose.position = vec(0, 0, z);
    id = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, id, &shape) > 0);
    CHECK(nsc_body_set_mass(&world, id, REAL(mass)) == NSC_OK);
    return id;
}

static void run(double seconds, double h)
{
    int i;
    for (i = 0; i < seconds / h; i++) CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
}

/* Force of all contacts on the body [N], upward */
static double lifted(nsc_id id, double h)
{
    double sum = 0;
    int i;
    for (i = 0; i < nsc_world_contact_count(&world); i++) {
        const nsc_contact *c = nsc_world_contact(&world, i);
        sum += (c->body_b == id ? 1 : -1) * D(c->impulse.z) / h;
    }
    return sum;
}

/* A ball and a box hang from a ceiling if each contact point pulls with more than its share of the weight, and fall if with less.
   The smaller cohesion of two surfaces counts. */
static void what_hangs_hangs_up_to_its_cohesion(void)
{
    static const double sizes[] = {1, 0.02, 30};
    int n, s, k, box, hangs;
    double worst = 0, sunk = 0;
    for (n = 0; n < WAYS; n++)
        for (s = 0; solver_of(ways[n].solver) && s < STEPPERS(4); s++)
            for (k = 0; k < 3; k++)
                for (box = 0; box < 2; box++)
                    for (hangs = 0; hangs < 2; hangs++) {
                        double size = sizes[k], mass = 2 * size * size * size, h = 1 / 240. * sqrt(size), z = -0.1 * size;
                        double pull = mass * g / (box ? 4 : 1) * (hangs ? 1.05 : 0.95), down, force;
                        nsc_shape_def shape = box ? nsc_default_box_def(REAL(0.2 * size), REAL(0.3 * size), REAL(0.1 * size))
                                                  : nsc_default_sphere_def(REAL(0.1 * size));
                        nsc_id id;
                        if (!test_long() && k != (n + s) % 3) continue;
                        begin(n, steppers[s], 1 + 2 * (n % 2), size);
                        ceiling(size, n % 2 ? pull : 3 * pull);
                        id = body(sticky(shape, n % 2 ? 3 * pull : pull), mass, z);
                        run(1.5 * sqrt(size), h);
                        down = (z - D(position(id).z)) / size;
                        if (!hangs) {
                            /* it falls from the slop's edge at the latest after 0.2 s */
                            CHECK(down > 0.5 * g * 1 && down < 0.5 * g * 1.5 * 1.5 * 1.001);
                            continue;
                        }
                        force = lifted(id, h);
                        sunk = fmax(sunk, fabs(down));
                        worst = fmax(worst, fabs(force / (mass * g) - 1));
                        CHECK(fabs(down) < 5e-4);
                        CHECK_NEAR(force / (mass * g), 1, 2e-3);
                    }
    printf("cohesion: what hangs moves by %.1e of its size, its weight is met to %.1e\n", sunk, worst);
}

/* A box pulled up from the ground leaves it at the weight and the cohesion of its four points, and a ball at those of one. */
static void it_takes_weight_and_cohesion_to_tear_off(void)
{
    int n, box;
    for (n = 0; n < WAYS; n++)
        for (box = 0; box < 2; box++) {
            double mass = 3, pull = 7, force = 0, h = 1 / 240., need = mass * g + (box ? 4 : 1) * pull;
            nsc_shape_def shape = box ? nsc_default_box_def(REAL(0.2), REAL(0.3), REAL(0.1)) : nsc_default_sphere_def(REAL(0.1));
            nsc_shape_def ground = sticky(nsc_default_half_space_def(), pull);
            nsc_id id;
            int i;
            begin(n, steppers[0], 1, 1);
            CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) > 0);
            id = body(sticky(shape, pull), mass, 0.1);
            run(0.5, h);
            for (i = 0; i < 4000 && D(position(id).z) < 0.102; i++) {
                force = 0.9 * need + 0.2 * need * i / 4000;
                CHECK(nsc_body_add_force(&world, id, vec(0, 0, force), vec(0, 0, 0)) == NSC_OK);
                CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
            }
            CHECK_NEAR(force / need, 1, 0.005);
        }
}

/* A box with cohesion c at each of four points holds up to mu (m g + 4 c), and beyond it slides with what is left of the force. */
static void friction_grows_with_cohesion(void)
{
    int n, slides;
    for (n = 0; n < WAYS; n++)
        for (slides = 0; slides < 2; slides++) {
            double mass = 3, pull = 7, mu = 0.5, h = 1 / 240., most = mu * (mass * g + 4 * pull), force = most * (slides ? 1.1 : 0.95);
            nsc_shape_def ground = sticky(nsc_default_half_space_def(), pull);
            nsc_id id;
            int i;
            if (ways[n].law == NSC_LAW_CONE && slides) continue; /* it lifts what slides */
            begin(n, steppers[0], 1, 1);
            CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) > 0);
            id = body(sticky(nsc_default_box_def(REAL(0.2), REAL(0.2), REAL(0.02)), pull), mass, 0.02);
            run(0.5, h);
            for (i = 0; i < 240; i++) {
                /* at the height of the ground: no turn */
                CHECK(nsc_body_add_force(&world, id, vec(force, 0, 0), vec(0, -0.02 * force, 0)) == NSC_OK);
                CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK);
            }
            if (slides) CHECK_NEAR(D(velocity(id).x) * mass / (force - most), 1, 0.01);
            else CHECK(fabs(D(position(id).x)) < 1e-4 && fabs(D(velocity(id).x)) < 1e-5);
        }
}

/* A ball thrown at the ground returns with no more energy than it had, and with cohesion with less. */
static void a_bounce_gains_nothing(void)
{
    int n, k;
    for (n = 0; n < WAYS; n++)
        for (k = 0; solver_of(ways[n].solver) && k < 3; k++) {
            nsc_shape_def ground = sticky(nsc_default_half_space_def(), k * 20);
            nsc_shape_def ball = sticky(nsc_default_sphere_def(REAL(0.1)), k * 20);
            double top = 0, energy = 1 * g * 0.5;
            nsc_id id;
            int i;
            ground.restitution = REAL(0.9);
            begin(n, steppers[0], 1, 1);
            CHECK(nsc_world_add_shape(&world, NSC_GROUND, &ground) > 0);
            id = body(ball, 1, 0.6);
            for (i = 0; i < 480; i++) {
                CHECK(step_by(&world, REAL(1 / 240.)) == NSC_OK);
                if (i > 100) top = fmax(top, g * (D(position(id).z) - 0.1) + 0.5 * dot(velocity(id), velocity(id)));
            }
            CHECK(top <= energy * 0.9 * 0.9 * 1.02);
        }
}

/* Contacts of the caller's own have cohesion too; a sensor pulls at nothing; a bad one is refused. */
static void own_contacts_and_sensors(void)
{
    nsc_contact c = nsc_default_contact();
    nsc_shape_def shape = nsc_default_sphere_def(REAL(0.1));
    nsc_id id;
    int i;
    begin(0, steppers[0], 1, 1);
    id = body(shape, 1, -0.1);
    c.body_b = id;
    c.normal = vec(0, 0, -1);
    c.cohesion = REAL(2 * g);
    for (i = 0; i < 240; i++) {
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        CHECK(step_by(&world, REAL(1 / 240.)) == NSC_OK);
    }
    CHECK(fabs(D(velocity(id).z)) < 1e-6);
    c.cohesion = REAL(-1);
    CHECK(nsc_world_add_contact(&world, &c) == NSC_ERR_ARGUMENT);
    c.cohesion = REAL(NAN);
    CHECK(nsc_world_add_contact(&world, &c) < 0);
    begin(0, steppers[0], 1, 1);
    ceiling(1, 100);
    shape = sticky(shape, 100);
    shape.sensor = 1;
    id = body(shape, 1, -0.1);
    run(0.5, 1 / 240.);
    CHECK_NEAR(D(velocity(id).z), -0.5 * g, 1e-3);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    what_hangs_hangs_up_to_its_cohesion();
    it_takes_weight_and_cohesion_to_tear_off();
    friction_grows_with_cohesion();
    a_bounce_gains_nothing();
    own_contacts_and_sensors();
    return TEST_END("cohesion");
}
