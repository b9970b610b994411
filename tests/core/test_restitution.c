/* Restitution: no impact makes energy, whatever friction, law, solver, its iterations, joints, number of contacts and step length; a
   bouncing body's heights have the ratio e^2 at any step length.  The energies are summed here, in double, from the bodies' masses
   and velocities.  Argument `long`, or NSC_LONG=1: 12 000 impacts instead of 1 200. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_hull.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "by.h"
#include "plain.h"

static const double g = 9.81;
static nsc_world_def def;

static void begin(double gravity)
{
    def.gravity = vec(0, 0, -gravity);
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

/* ---- energy, in double ---- */

/* R' v */
static void into_body(const nsc_body *b, nsc_vec3 v, double *out)
{
    double w = D(b->orientation.w), x = D(b->orientation.x), y = D(b->orientation.y), z = D(b->orientation.z);
    double s = 2 / (w * w + x * x + y * y + z * z), p = D(v.x), q = D(v.y), r = D(v.z);
    out[0] = (1 - s * (y * y + z * z)) * p + s * (x * y + w * z) * q + s * (x * z - w * y) * r;
    out[1] = s * (x * y - w * z) * p + (1 - s * (x * x + z * z)) * q + s * (y * z + w * x) * r;
    out[2] = s * (x * z + w * y) * p + s * (y * z - w * x) * q + (1 - s * (x * x + y * y)) * r;
}

static double motion_energy(void)
{
    double sum = 0, o[3];
    int i;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        double x = D(b->velocity.x), y = D(b->velocity.y), z = D(b->velocity.z);
        into_body(b, b->angular_velocity, o);
        sum += .5 * D(b->mass) * (x * x + y * y + z * z);
        sum += .5 * (D(b->inertia[0]) * o[0] * o[0] + D(b->inertia[1]) * o[1] * o[1] + D(b->inertia[2]) * o[2] * o[2]);
        sum += D(b->inertia[3]) * o[0] * o[1] + D(b->inertia[4]) * o[0] * o[2] + D(b->inertia[5]) * o[1] * o[2];
    }
    return sum;
}

/* ---- random impacts, without what undoes penetration and drift */

enum { ROD, BLOCK, HULL, CAPSULE };
typedef struct setting {
    double e, mu, rolling, torsion;
    double h, gravity;           /* [s], [m/s^2] */
    double play;                 /* of the joints' first axis between limits [m, rad]; 0: no limits */
    double brake;                /* of a motor there whose target is rest [N, N m]; 0: none */
    int bodies, kind, flat, stepper, solver, law, substeps, wall;
    int joint;                   /* NSC_JOINT_BALL ... */
    int plate;                   /* 1: a plate that moves is struck, not the ground */
    int beside;                  /* 1: another body strikes it far away, an island of its own */
    int iterations;
} setting;

static nsc_vec3 corners[8];

/* A box-like hull with its corners moved about */
static nsc_id add_shape(nsc_id body, const setting *t)
{
    nsc_shape_def s;
    nsc_vec3 x;
    int i;
    if (t->kind == ROD) s = nsc_default_box_def(REAL(uniform(.2, .6)), REAL(.03), REAL(.03));
    else if (t->kind == BLOCK) x = any_in(.1, .4, .1, .4, .1, .4), s = nsc_default_box_def(x.x, x.y, x.z);
    else if (t->kind == CAPSULE) s = nsc_default_capsule_def(REAL(.05), REAL(uniform(.1, .5)));
    else s = nsc_default_hull_def();
    s.friction = REAL(t->mu), s.restitution = REAL(t->e);
    s.rolling = REAL(t->rolling), s.torsion = REAL(t->torsion);
    if (t->kind != HULL) return nsc_world_add_shape(&world, body, &s);
    for (i = 0; i < 8; i++) {
        corners[i] = any_in(.1, .3, .1, .3, .1, .3);
        corners[i] = vec((i & 1 ? 1 : -1) * D(corners[i].x), (i & 2 ? 1 : -1) * D(corners[i].y), (i & 4 ? 1 : -1) * D(corners[i].z));
    }
    return world_add_points(&world, body, &s, corners, 8);
}

/* Limits that are near, a motor that brakes, friction */
static void add_joint(const setting *t, nsc_id a, nsc_id b, nsc_vec3 point, nsc_vec3 axis)
{
    nsc_joint_def j = nsc_default_joint_def(t->joint, a, b);
    CHECK(nsc_joint_place(&world, &j, point, axis, vec(0, 0, 0)) == NSC_OK);
    if (below(3) == 0) j.axis[0].friction = REAL(1);
    j.axis[0].limited = t->play > 0;
    j.axis[0].lower = REAL(t->joint == NSC_JOINT_BALL ? 0 : -t->play), j.axis[0].upper = REAL(t->play);
    if (t->brake > 0) j.axis[0].drive = NSC_DRIVE_MOTOR, j.axis[0].max_force = REAL(t->brake);
    CHECK(nsc_world_add_joint(&world, &j) >= 0);
}

/* Chain of so many bodies with joints between their ends, and velocities that fit the joints: alike, where the joint's turns are not known */
static void add_chain(const setting *t, int bodies, double x)
{
    nsc_vec3 point = vec(x, 0, 5), v = any_in(-4, 4, -4, 4, -6, -1), zero = vec(0, 0, 0), axis = vec(0, 1, 0), o = zero;
    nsc_id last = -1;
    int n;
    for (n = 0; n < bodies; n++) {
        nsc_body_def d = nsc_default_body_def();
        nsc_vec3 turn = any_in(-6, 6, -6, 6, -6, 6), arm;
        nsc_id body;
        if (t->flat && below(2)) turn = zero;
        if (n == 0 || t->joint == NSC_JOINT_BALL) o = turn;
        else if (t->joint == NSC_JOINT_HINGE || t->joint == NSC_JOINT_CYLINDRICAL) o = plus_multiple(o, D(turn.x), axis);
        d.pose.orientation = any_turn();
        if (t->flat) d.pose.orientation.w = 1, d.pose.orientation.x = d.pose.orientation.y = d.pose.orientation.z = 0;
        arm = t->flat ? vec(uniform(.3, .5), 0, 0) : any_in(-.3, .3, -.3, .3, -.3, .3);
        d.pose.position = plus(point, arm);
        body = nsc_world_add_body(&world, &d);
        CHECK(body > 0 && add_shape(body, t) >= 0);
        arm = minus(inside(body)->position, point);
        CHECK(nsc_body_set_velocity(&world, body, plus(v, cross(o, arm)), o) == NSC_OK);
        if (last > 0) add_joint(t, last, body, point, axis);
        v = plus(v, cross(o, plus(arm, arm)));
        point = plus(point, plus(arm, arm));
        last = body;
    }
}

/* How far a shape reaches along -n from the origin */
static double lowest(const nsc_shape *s, nsc_vec3 n)
{
    const nsc_body *b = inside(s->body);
    double low = 1e9, d[3], r;
    int k;
    into_body(b, n, d);
    if (s->def.kind == NSC_SHAPE_HULL) {
        const nsc_hull *hull = world.hulls[s->data];
        for (k = 0; k < hull->vertices; k++) {
            nsc_vec3 at = minus(hull->vertex[k], b->centre);
            low = fmin(low, d[0] * D(at.x) + d[1] * D(at.y) + d[2] * D(at.z));
        }
        return dot(b->position, n) + low;
    }
    r = fabs(d[2]) * D(s->def.half.z) + D(s->def.radius);
    if (s->def.kind == NSC_SHAPE_BOX) r += fabs(d[0]) * D(s->def.half.x) + fabs(d[1]) * D(s->def.half.y);
    return dot(b->position, n) - r;
}

/* Solid up to the lowest point of all shapes; wall: and up to what reaches furthest along a slope */
static void add_ground(const setting *t)
{
    int i, k, count = world.shape_end;
    if (t->beside) { /* down, or up, to where the others begin */
        nsc_body *last = &world.bodies[world.shapes[count - 1].body & 16383];
        double low = 1e9;
        for (i = 0; i < count - 1; i++) low = fmin(low, lowest(&world.shapes[i], vec(0, 0, 1)));
        last->position.z = REAL(D(last->position.z) + low - lowest(&world.shapes[count - 1], vec(0, 0, 1)));
    }
    for (k = 0; k < 1 + t->wall; k++) {
        nsc_vec3 n = k ? vec(0, -sin(.6), cos(.6)) : vec(0, 0, 1);
        nsc_shape_def ground = nsc_default_half_space_def();
        nsc_id on = NSC_GROUND;
        double low = 1e9;
        for (i = 0; i < count; i++) low = fmin(low, lowest(&world.shapes[i], n));
        low -= is_double ? 1e-9 : 1e-6;
        if (t->plate && k == 0) {
            nsc_body_def d = nsc_default_body_def();
            d.pose.position = vec(0, 0, low - .1);
            d.velocity = any_in(-1, 1, -1, 1, -1, 1);
            on = nsc_world_add_body(&world, &d);
            ground = nsc_default_box_def(REAL(9), REAL(9), REAL(.1));
            ground.density = REAL(uniform(1, 30));
        }
        ground.friction = REAL(t->mu), ground.restitution = REAL(t->e);
        ground.rolling = REAL(t->rolling), ground.torsion = REAL(t->torsion);
        if (on == NSC_GROUND) ground.pose.position = multiple(low, n);
        if (k) ground.pose.orientation.w = REAL(cos(.3)), ground.pose.orientation.x = REAL(sin(.3));
        CHECK(nsc_world_add_shape(&world, on, &ground) >= 0);
    }
}

static setting any_setting(void)
{
    static const int steppers[4] = {NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_EULER_IMPLICIT_PROJECTED,
                                    NSC_STEPPER_EULER_SYMPLECTIC, NSC_STEPPER_EULER_IMPLICIT};
    static const int solvers[6] = {NSC_SOLVER_SIPGS, NSC_SOLVER_APGD, NSC_SOLVER_BB, NSC_SOLVER_NEWTON, NSC_SOLVER_ADMM, NSC_SOLVER_AUTO};
    static const int joints[8] = {NSC_JOINT_BALL, NSC_JOINT_BALL, NSC_JOINT_HINGE, NSC_JOINT_SLIDER, NSC_JOINT_FIXED, NSC_JOINT_UNIVERSAL, NSC_JOINT_CYLINDRICAL, NSC_JOINT_PLANAR};
    static const int iterations[6] = {3, 10, 30, 100, 100, 2000};
    static const double hs[4] = {1e-4, 1e-3, 1 / 240., 1 / 60.};
    setting t;
    memset(&t, 0, sizeof t);
    t.e = below(2) ? uniform(.7, 1) : uniform(0, 1), t.mu = below(6) ? uniform(0, 1) : 0;
    if (below(10) == 0) t.e = 1;
    t.bodies = below(2) ? 1 : 2 + below(4);
    t.kind = below(4), t.flat = below(4) == 0, t.wall = below(4) == 0;
    t.stepper = nth(2) ? steppers[below(4)] : NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
    t.law = NSC_LAW_COULOMB + nth(3);
    t.solver = below(2) ? NSC_SOLVER_SIPGS : solvers[below(6)];
    if (t.law == NSC_LAW_PYRAMID) t.solver = below(2) ? NSC_SOLVER_DANTZIG : below(2) ? NSC_SOLVER_AUTO : NSC_SOLVER_SIPGS;
    t.substeps = below(5) ? 1 : 2;
    t.joint = joints[below(8)];
    if (below(3) == 0) t.play = uniform(.001, .3);
    if (below(4) == 0) t.brake = uniform(1, 100);
    if (below(4) == 0) t.rolling = uniform(0, .05), t.torsion = uniform(0, .05);
    if (below(2) && t.substeps == 1) t.gravity = g;
    t.plate = below(5) == 0, t.beside = below(5) == 0;
    t.h = hs[below(4)];
    t.iterations = iterations[below(6)];
    return t;
}

/* Has anything bounced in the last step? */
static int struck(void)
{
    int i, found = 0;
    for (i = 0; i < nsc_world_contact_count(&world); i++) {
        const nsc_contact *c = nsc_world_contact(&world, i);
        found |= c->restitution > 0 && c->approach <= -def.bounce_speed && dot(c->impulse, c->normal) > 0;
    }
    return found;
}

/* What may a step gain besides rounding?  Each [J]; less than 0: not judged.  Where something bounces, nothing.  Where nothing does:
   joints that PROJECTED and IMPLICIT solve for at the end of the step do work along their arcs, and what is not solved does any.
   A contact that takes back, within the step, what gravity made in it counts for up to (h g)^2 / 8 a kilogram. */
static double may_gain(const setting *t)
{
    double sum = 0;
    int i, arcs = t->bodies > 1 && t->stepper != NSC_STEPPER_EULER_IMPLICIT_LINEARIZED && t->stepper != NSC_STEPPER_EULER_SYMPLECTIC;
    if (struck() && t->substeps == 1 && nsc_world_report(&world)->islands == 1) return 0; /* one solve */
    if (arcs || nsc_world_report(&world)->solver.status != NSC_OK) return -1;
    for (i = 1; i < world.body_end; i++) sum += D(world.bodies[i].mass) * t->h * t->h * t->gravity * t->gravity / 8;
    return sum;
}

static int judged, refused, limited; /* steps; bounces */
static double largest;

/* Impulses that were not solved may be large and undo each other: their rounding, in what they do to the energy [J] */
static double rounding(void)
{
    double impulse = 0, speed = 0;
    int i, k;
    for (i = 1; i < world.body_end; i++) speed = fmax(speed, length(world.bodies[i].velocity) + length(world.bodies[i].angular_velocity));
    for (i = 0; i < nsc_world_contact_count(&world); i++) impulse += length(nsc_world_contact(&world, i)->impulse);
    for (i = 0; i < world.joint_end; i++)
        for (k = 0; k < NSC_JOINT_ROWS; k++) impulse += fabs(D(world.joints[i].impulse[k]));
    return D(NSC_REAL_EPS) * impulse * speed;
}

/* An impact, and what follows it; returns how much of the energy was gained in the largest step, less the work of gravity.  The latter
   is by the mean velocity of the step: so much the impulses of forces do. */
static double impact(const setting *t)
{
    double most = 0, before, after, first, may;
    int i, k, code;
    def = default_def();
    def.recovery = def.joint_recovery = REAL(0);
    def.stepper = t->stepper, stepped_by = t->solver, def.solver.law = t->law, def.substeps = t->substeps;
    def.solver.max_iterations = t->iterations;
    begin(t->gravity);
    add_chain(t, t->bodies, 0);
    if (t->beside) add_chain(t, 1, 7);
    add_ground(t);
    first = motion_energy();
    for (i = 0; i < 4; i++) {
        double lift = 0;
        before = motion_energy();
        for (k = 1; k < world.body_end; k++) lift += .5 * D(world.bodies[k].mass) * D(world.bodies[k].velocity.z);
        code = step_by(&world, REAL(t->h));
        CHECK(code >= 0 || code == NSC_ERR_NOT_FINITE);
        if (code < 0) refused++;
        if (code < 0) break;
        for (k = 1; k < world.body_end; k++) lift += .5 * D(world.bodies[k].mass) * D(world.bodies[k].velocity.z);
        limited += nsc_world_report(&world)->limited_bounces;
        after = motion_energy() + t->gravity * t->h * lift;
        may = may_gain(t);
        if (may < 0) continue;
        judged++;
        most = fmax(most, (after - before - may - rounding()) / fmax(before, .01 * first));
    }
    return most;
}

static int an_impact_gains_no_energy(void)
{
    setting t = any_setting();
    double gain = impact(&t);
    said("e %.2f mu %.2f, %d bodies of kind %d, joint %d, h %.2g, stepper %d solver %d law %d, %d iterations: gains %.2g J",
         t.e, t.mu, t.bodies, t.kind, t.joint, t.h, t.stepper, t.solver, t.law, t.iterations, gain);
    largest = fmax(largest, gain);
    return gain <= (is_double ? 1e-12 : 1e-5);
}

static void random_impacts_gain_no_energy(void)
{
    int n = sample(500, trials(1200, 12000));
    seed = 7, largest = 0, judged = refused = limited = 0;
    if (!search("an impact gains no energy", an_impact_gains_no_energy, n)) return;
    printf("    %d impacts, %d steps judged: the worst gains %.2g of its energy; restitution was limited %d times, %d steps refused\n", n, judged, largest, limited, refused);
    CHECK(refused <= n / 4000);
    CHECK(judged > 5 * n / 2 && limited > n / 100);
}

/* Without friction one contact parts with e, and nothing is limited. */
static int looked;
static int a_contact_without_friction_parts_with_e(void)
{
    setting t = any_setting();
    const nsc_contact *c;
    const nsc_body *b;
    nsc_vec3 r;
    double in, out;
    t.mu = t.rolling = t.torsion = 0, t.bodies = 1, t.wall = t.flat = t.plate = t.beside = 0, t.substeps = 1;
    def = default_def();
    def.stepper = t.stepper, stepped_by = t.solver, def.solver.law = t.law;
    begin(0);
    add_chain(&t, 1, 0);
    add_ground(&t);
    b = &world.bodies[1];
    CHECK(step_by(&world, REAL(1e-5)) >= 0);
    CHECK(nsc_world_report(&world)->limited_bounces == 0);
    if (nsc_world_contact_count(&world) != 1) return 1;
    c = nsc_world_contact(&world, 0);
    in = D(c->approach);
    if (in > -.2 || dot(c->impulse, c->normal) <= 0) return 1;
    r = minus(c->point, b->position);
    r = plus_multiple(r, 1e-5, b->velocity); /* the arm of before the step */
    r = plus(b->velocity, cross(b->angular_velocity, r));
    out = dot(r, c->normal) * (c->body_a == NSC_GROUND ? 1 : -1);
    looked++;
    largest = fmax(largest, fabs(out / -in - t.e));
    said("e %.3f: comes at %g m/s, parts at %g m/s", t.e, -in, out);
    return fabs(out / -in - t.e) <= 1e-3;
}

static void contacts_without_friction_part_with_e(void)
{
    int n = trials(400, 2000);
    seed = 11, largest = 0, looked = 0;
    if (!search("a contact without friction parts with e", a_contact_without_friction_parts_with_e, n)) return;
    printf("    without friction: e met within %.2g in %d impacts\n", largest, looked);
    CHECK(looked > n / 4);
}

/* The rod of Kane and Levinson's paradox: it slides, is struck at one end, and Newton's law would hand it energy. */
static int law;
static int kanes_rod_gains_no_energy(void)
{
    setting t;
    double gain;
    memset(&t, 0, sizeof t);
    t.e = .99, t.mu = .77, t.h = 1e-4, t.bodies = 1, t.iterations = 100, t.law = law, t.solver = NSC_SOLVER_SIPGS, t.substeps = 1, t.stepper = NSC_STEPPER_EULER_SYMPLECTIC;
    gain = impact(&t);
    said("gains %.2g J", gain);
    return gain <= (is_double ? 1e-12 : 5e-6);
}

static void kanes_rods_gain_no_energy(void)
{
    for (law = NSC_LAW_COULOMB; law <= NSC_LAW_PYRAMID; law++) {
        CASE("law %d", law);
        seed = 3, limited = 0;
        if (search("the rod gains no energy", kanes_rod_gains_no_energy, 100)) CHECK(limited > 0);
    }
    CASE_END();
}

/* ---- heights ---- */

/* Height [m] of free flight by the steps' own invariant, z + v^2 / 2g - h v / 2: the highest sample is there, or up to g h^2 / 8 over it */
static double flight(nsc_id id, double rest, double h)
{
    double v = D(inside(id)->velocity.z);
    return D(inside(id)->position.z) - rest + v * v / (2 * g) - .5 * h * v;
}

/* Each bounce leaves e^2 of the height; returns the worst error of the ratio, and above: by how much it was more. */
static double ratio_error(int box, double e, double H, double h, int stepper, int substeps, double *above)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = box ? nsc_default_box_def(REAL(.1), REAL(.1), REAL(.1)) : nsc_default_sphere_def(REAL(.1));
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_id id;
    double worst = 0, last, top, sub = h / substeps;
    int i, bounces = 0;
    def = default_def();
    def.stepper = stepper, def.substeps = substeps;
    begin(g);
    s.restitution = REAL(e), s.friction = REAL(box ? .5 : 0);
    d.pose.position = vec(0, 0, H + .1);
    id = nsc_world_add_body(&world, &d);
    CHECK(nsc_world_add_shape(&world, id, &s) >= 0 && nsc_world_add_shape(&world, NSC_GROUND, &ground) >= 0);
    last = flight(id, .1, sub);
    for (i = 0; i < (int)(4 / h) && bounces < 6; i++) {
        double v = D(inside(id)->velocity.z), ratio;
        CHECK(step_by(&world, REAL(h)) >= 0);
        top = flight(id, .1, sub);
        if (!(v < 0 && D(inside(id)->velocity.z) > 0)) continue;
        ratio = top / last;
        if (last < 30 * g * h * h || last < .003) break; /* a flight of a few steps, or slower than bounce_speed */
        if (ratio - e * e > *above) *above = ratio - e * e;
        if (fabs(ratio - e * e) > worst) worst = fabs(ratio - e * e);
        last = top, bounces++;
    }
    CHECK(bounces > 0 || H < 40 * g * h * h);
    return worst;
}

static void heights_of_bounces_fall_by_e_squared(void)
{
    static const double es[5] = {.5, .7, .9, .97, 1}, hs[5] = {1 / 30., 1 / 60., 1 / 240., 1 / 517., 1e-3}, Hs[3] = {.37, 1, 3.3};
    double worst = 0, above = 0, tol = is_double ? 1e-6 : 1e-3;
    int a, b, c, k;
    for (a = 0; a < 5; a++)
        for (b = 0; b < 5; b++)
            for (c = 0; c < 3; c++)
                for (k = 0; k < 6; k++) {
                    static const int steppers[6] = {1, 1, 1, 2, 3, 5};
                    if (test_quick() && (a + b + c + k) % 3) continue;
                    double over = 0, error = ratio_error(k & 1, es[a], Hs[c], hs[b], steppers[k], 1 + 2 * (k == 2), &over);
                    CASE("%s, stepper %d, %d sub-steps, e %g, %g m, h %.3g", k & 1 ? "box" : "ball", steppers[k], 1 + 2 * (k == 2), es[a], Hs[c], hs[b]);
                    CHECK_NEAR(error, 0, tol);
                    CHECK_NEAR(over, 0, tol);
                    CASE_END();
                    worst = fmax(worst, error), above = fmax(above, over);
                }
    printf("    heights: ratio e^2 within %.2g, at most %.2g above\n", worst, above);
}

/* Energy of motion, of height, and of the servo's spring */
static double energy_beside(nsc_id servo)
{
    double sum = 0;
    int i, k;
    for (i = 1; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        nsc_real inertia[6], spin[3];
        nsc_quat back = b->orientation;
        nsc_pose frame = nsc_default_body_def().pose;
        nsc_vec3 turn;
        back.w = -back.w;
        frame.orientation = back;
        turn = nsc_pose_vector(frame, b->angular_velocity);
        spin[0] = turn.x, spin[1] = turn.y, spin[2] = turn.z;
        CHECK(nsc_body_get_mass(&world, nsc_world_body_at(&world, i), NULL, NULL, inertia) == NSC_OK);
        for (k = 0; k < 3; k++) sum += 0.5 * D(inertia[k]) * D(spin[k]) * D(spin[k]);
        sum += D(b->mass) * (0.5 * dot(b->velocity, b->velocity) + 9.81 * D(b->position.z));
    }
    if (servo > 0) {
        nsc_axis_state s;
        CHECK(nsc_joint_get_axis(&world, servo, 0, &s) == NSC_OK);
        sum += 0.5 * 20 * D(s.position) * D(s.position);
    }
    return sum;
}

/* A motor of limited force beside a bounce: its work counts as the impact's, or not, but energy grows by the motor's work alone. */
static void a_bounce_beside_motors_gains_nothing(void)
{
    int k;
    for (k = 0; k < 8; k++) {
        nsc_shape_def plane = nsc_default_half_space_def(), box = nsc_default_box_def(REAL(0.5), REAL(0.125), REAL(0.125));
        nsc_id a, b, hinge;
        nsc_joint_def j;
        double first, work = 0, gain = 0;
        int i;
        plain_world(0);
        plane.restitution = REAL(0.9);
        plane.friction = REAL(0.8);
        CHECK(nsc_world_add_shape(&world, NSC_GROUND, &plane) > 0);
        a = bare_body(NSC_DYNAMIC_BODY, 0, 0, 1);
        b = bare_body(NSC_DYNAMIC_BODY, 1, 0, 1.2);
        CHECK(nsc_world_add_shape(&world, a, &box) > 0 && nsc_world_add_shape(&world, b, &box) > 0);
        j = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
        CHECK(nsc_joint_place(&world, &j, vec(0.5, 0, 1.1), vec(0, 1, 0), vec(0, 0, 1)) == NSC_OK);
        j.axis[0].drive = k % 2 ? NSC_DRIVE_MOTOR : NSC_DRIVE_SERVO;
        j.axis[0].target_velocity = REAL(k & 2 ? 2 : 0);
        j.axis[0].stiffness = REAL(20);
        j.axis[0].max_force = k & 4 ? REAL(2) : NSC_REAL_MAX;
        j.axis[0].friction = REAL(0.1);
        hinge = nsc_world_add_joint(&world, &j);
        CHECK(hinge > 0);
        first = energy_beside(k % 2 ? 0 : hinge);
        for (i = 0; i < 480; i++) {
            nsc_axis_state was, is;
            double more;
            CHECK(nsc_joint_get_axis(&world, hinge, 0, &was) == NSC_OK);
            CHECK(nsc_world_step(&world, REAL(1 / 240.)) >= 0);
            CHECK(nsc_joint_get_axis(&world, hinge, 0, &is) == NSC_OK);
            if (k % 2) work += D(is.drive) * (D(was.velocity) + D(is.velocity)) / 480;
            more = energy_beside(k % 2 ? 0 : hinge) - first - work;
            if (more > gain) gain = more;
        }
        CHECK(gain < 1e-3 * first);
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    random_impacts_gain_no_energy();
    contacts_without_friction_part_with_e();
    kanes_rods_gain_no_energy();
    heights_of_bounces_fall_by_e_squared();
    a_bounce_beside_motors_gains_nothing();
    return TEST_END("restitution");
}
