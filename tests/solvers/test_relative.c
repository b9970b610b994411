/* settings.relative_tolerance: what tumbles takes few sweeps, what stands is solved as without it, whatever frame it moves in. */
#define NSC_MAX_BODIES 66
#define NSC_MAX_SHAPES 70
#define NSC_MAX_CONTACTS 500
#define NSC_IMPLEMENTATION
#include "all.h"
#include "world.h"
#include "random.h"
#include "by.h"

enum { HEAP = 64, TOWER = 10 };
static double sweeps, deepest, residual;
static int limited;

/* Steps of 1/240 s: sum of sweeps, deepest penetration, largest residual, steps that say that they were ended. */
static void steps(int n)
{
    int i;
    sweeps = deepest = residual = 0, limited = 0;
    for (i = 0; i < n; i++) {
        const nsc_step_report *r = nsc_world_report(&world);
        CHECK_ONCE(step_by(&world, REAL(1 / 240.)) == NSC_OK);
        sweeps += r->solver.iterations;
        deepest = D(r->penetration) > deepest ? D(r->penetration) : deepest;
        residual = D(r->solver.residual) > residual ? D(r->solver.residual) : residual;
        limited += r->solver.status == NSC_ITERATION_LIMIT;
        CHECK_ONCE(r->solver.status != NSC_OK || r->solver.residual <= world.def.solver.tolerance ||
                   r->solver.residual <= r->solver.floor);
    }
}

static void begin(double share)
{
    nsc_world_def def = nsc_default_world_def();
    def.solver.relative_tolerance = REAL(share);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id cube(nsc_vec3 at, nsc_quat turn, nsc_vec3 velocity)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def box = nsc_default_box_def(REAL(.1), REAL(.1), REAL(.1));
    nsc_id id;
    d.pose.position = at, d.pose.orientation = turn, d.velocity = velocity;
    id = nsc_world_add_body(&world, &d);
    CHECK_ONCE(id >= 0 && nsc_world_add_shape(&world, id, &box) >= 0);
    return id;
}

static void floor_of(double speed)
{
    nsc_shape_def ground = nsc_default_box_def(50, 50, 1);
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.kind = NSC_KINEMATIC_BODY, d.pose.position = vec(0, 0, -1), d.velocity = vec(speed, 0, 0);
    id = nsc_world_add_body(&world, &d);
    CHECK_ONCE(id >= 0 && nsc_world_add_shape(&world, id, &ground) >= 0);
}

/* Energy of the cubes over that on the floor [J], each of 8 kg */
static double energy(void)
{
    double sum = 0;
    int i;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        if (b->kind == NSC_DYNAMIC_BODY)
            sum += 4 * dot(b->velocity, b->velocity) + .5 * 8 / 150 * dot(b->angular_velocity, b->angular_velocity) +
                   8 * 9.81 * D(b->position.z);
    }
    return sum;
}

/* Cubes thrown at each other over the floor, half a second; *most: what a step gained at most [J] */
static void heap(double share, unsigned number, double *most)
{
    double all = 0, deep = 0, worst = 0, before;
    int i, ended = 0;
    seed = number;
    begin(share);
    floor_of(0);
    for (i = 0; i < HEAP; i++) {
        nsc_vec3 at = vec(.3 * (i % 4 - 1.5), .3 * (i / 4 % 4 - 1.5), .4 + .3 * (i / 16));
        cube(at, any_turn(), vec(-2 * D(at.x), -2 * D(at.y), -2));
    }
    for (*most = 0, before = energy(), i = 0; i < 120; i++) {
        double now;
        steps(1), now = energy();
        *most = now - before > *most ? now - before : *most;
        all += sweeps, ended += limited, before = now;
        deep = deepest > deep ? deepest : deep, worst = residual > worst ? residual : worst;
    }
    sweeps = all, limited = ended, deepest = deep, residual = worst;
}

static void heaps(void)
{
    unsigned number;
    for (number = 1; number <= (unsigned)trials(1, 3); number++) {
        double all, few, shallow, gain, most;
        heap(0, number, &gain);
        all = sweeps, shallow = deepest;
        CASE("heap %u, 0.03", number);
        heap(.03, number, &most);
        few = sweeps;
        CHECK(few < .35 * all);
        CHECK(limited > 80); /* and it says so */
        CHECK(deepest < 1.2 * shallow);
        CHECK(most < 0.01 + gain); /* of some 3000 J that it loses */
        CASE("heap %u, 0.01", number);
        heap(.01, number, &most);
        CHECK(few < sweeps && sweeps < .5 * all);
        CHECK(deepest < 1.2 * shallow);
        CHECK(most < 0.01 + gain);
    }
    CASE_END();
}

/* A tower, on a floor that moves at this speed with it: where its cubes are after 2 s, on the floor */
static void tower(double share, double speed, nsc_vec3 *at)
{
    nsc_id id[TOWER];
    int i;
    begin(share);
    floor_of(speed);
    for (i = 0; i < TOWER; i++) id[i] = cube(vec(0, 0, .1 + .2 * i), quat(1, 0, 0, 0), vec(speed, 0, 0));
    steps(480);
    for (i = 0; i < TOWER; i++) at[i] = minus(position(id[i]), vec(2 * speed, 0, 0));
}

static void towers(void)
{
    static const double speeds[3] = {0, 1, 30};
    nsc_vec3 with[TOWER], without[TOWER];
    int k, i;
    for (k = 0; k < 3; k++) {
        double all, apart = 0;
        CASE("%g m/s", speeds[k]);
        tower(0, speeds[k], without);
        all = sweeps;
        tower(.03, speeds[k], with);
        for (i = 0; i < TOWER; i++) apart += length(minus(with[i], without[i]));
        CHECK(sweeps > .9 * all); /* nothing is saved where nothing moves apart */
        CHECK(apart < 1e-3);
    }
    CASE_END();
}

/* A cube alone never moves apart: its bits are those without the setting. */
static void alone(void)
{
    nsc_quat turn = quat(.8, .36, .48, 0);
    nsc_pose a, b;
    nsc_id id;
    begin(0);
    floor_of(0);
    id = cube(vec(0, 0, 1), turn, vec(3, 1, -2));
    steps(240);
    CHECK(nsc_body_get_pose(&world, id, &a) == NSC_OK);
    begin(.1);
    floor_of(0);
    id = cube(vec(0, 0, 1), turn, vec(3, 1, -2));
    steps(240);
    CHECK(nsc_body_get_pose(&world, id, &b) == NSC_OK);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

int main(void)
{
    heaps();
    towers();
    alone();
    return TEST_END("relative");
}
