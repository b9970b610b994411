/* What rolls and turns keeps what it must, at any size, speed, slope of the world and step: Euler's disk its energy, a cylinder and
   a ball on a turntable their speed, a top with its centre of mass off its centre Jellett's number, a ladder its wall down to 2/3 of its height. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include <math.h>
#include "random.h"
#include "by.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static nsc_quat frame; /* of the scene, drawn: gravity is along its -z */
static double mu;

static double log_uniform(double low, double high) { return low * pow(high / low, uniform(0, 1)); }

/* ---- scenes, in the frame */

static nsc_quat times(nsc_quat a, nsc_quat b)
{
    return quat(D(a.w) * D(b.w) - D(a.x) * D(b.x) - D(a.y) * D(b.y) - D(a.z) * D(b.z),
                D(a.w) * D(b.x) + D(a.x) * D(b.w) + D(a.y) * D(b.z) - D(a.z) * D(b.y),
                D(a.w) * D(b.y) - D(a.x) * D(b.z) + D(a.y) * D(b.w) + D(a.z) * D(b.x),
                D(a.w) * D(b.z) + D(a.x) * D(b.y) - D(a.y) * D(b.x) + D(a.z) * D(b.w));
}

static nsc_quat about_y(double angle) { return quat(cos(angle / 2), 0, sin(angle / 2), 0); }

static nsc_vec3 framed(double x, double y, double z) { return rotate(frame, vec(x, y, z)); }

static void begin(double friction, int substeps)
{
    nsc_world_def def = nsc_default_world_def();
    frame = any_turn(), mu = friction;
    def.gravity = framed(0, 0, -g), def.substeps = substeps;
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
}

static void fix(nsc_id to, nsc_shape_def shape)
{
    shape.friction = REAL(mu);
    CHECK_ONCE(nsc_world_add_shape(&world, to, &shape) >= 0);
}

static void plane(nsc_quat q)
{
    nsc_shape_def s = nsc_default_half_space_def();
    s.pose.orientation = times(frame, q);
    fix(NSC_GROUND, s);
}

/* Of that mass and inertia about its axis (i3) and across (i1); poses and velocities are those of the frame. */
static const nsc_body *thing(double m, double i1, double i3, nsc_body_def d, nsc_shape_def shape)
{
    d.mass = REAL(m), d.inertia[0] = d.inertia[1] = REAL(i1), d.inertia[2] = REAL(i3);
    d.pose.position = rotate(frame, d.pose.position), d.pose.orientation = times(frame, d.pose.orientation);
    d.velocity = rotate(frame, d.velocity), d.angular_velocity = rotate(frame, d.angular_velocity);
    fix(nsc_world_add_body(&world, &d), shape);
    return &world.bodies[world.body_end - 1];
}

static nsc_vec3 axis_of(const nsc_body *b) { return rotate(b->orientation, vec(0, 0, 1)); }
static double height(const nsc_body *b) { return dot(b->position, framed(0, 0, 1)); }
static void step(double h) { CHECK_ONCE(step_by(&world, REAL(h)) == NSC_OK); }

/* ---- Euler's disk: a coin that rolls on its rim, its centre at rest, precesses for ever at the rate W with
   W^2 sin a (I1 cos a - I3 t/R sin a) = m g (R cos a - t sin a), a its tilt and 2 t its thickness */
static double energy_of(const nsc_body *b, double m, double i1, double i3)
{
    double w3 = dot(b->angular_velocity, axis_of(b)), w2 = dot(b->angular_velocity, b->angular_velocity);
    return .5 * m * dot(b->velocity, b->velocity) + .5 * i1 * (w2 - w3 * w3) + .5 * i3 * w3 * w3 + m * g * height(b);
}

/* Sub-steps let it sink by what the world's slop says, and no more. */
static int a_disk_rolls_on(void)
{
    double R = log_uniform(.01, 1), t = R * log_uniform(.005, .1), a = uniform(.15, .7);
    double m = log_uniform(.01, 100), turn = log_uniform(.01, .16);
    double s = sin(a), c = cos(a), i1 = m * (R * R / 4 + t * t / 3), i3 = m * R * R / 2, e0, lost, sunk, tilt;
    double W = sqrt(m * g * (R * c - t * s) / (s * (i1 * c - i3 * t / R * s)));
    int substeps = below(2) ? 1 : 2 + below(7), i, n = (int)(180 / turn);
    nsc_body_def d = nsc_default_body_def();
    const nsc_body *b;
    begin(1, substeps);
    plane(quat(1, 0, 0, 0));
    d.pose.position = vec(0, 0, R * s + t * c), d.pose.orientation = about_y(a);
    d.angular_velocity = vec(W * s * (t / R * s - c), 0, W * s * (s + t / R * c));
    b = thing(m, i1, i3, d, nsc_default_cylinder_def(REAL(R), REAL(t)));
    e0 = energy_of(b, m, i1, i3);
    sunk = substeps > 1 ? m * g * D(world.def.slop) / e0 : 0;
    for (i = 0; i < n / 5; i++) step(turn / W);
    lost = 1 - energy_of(b, m, i1, i3) / e0;
    for (; i < n; i++) step(turn / W);
    tilt = acos(dot(axis_of(b), framed(0, 0, 1)));
    said("radius %g m, half thickness %g, tilt %g, %g rad a step, %d sub-steps: lost %g %% of its energy after 36 rad, %g %% after 180; "
         "tilt then %g", R, t, a, turn, substeps, 100 * lost, 100 * (1 - energy_of(b, m, i1, i3) / e0), tilt);
    return lost < .05 + 1.1 * sunk && lost > -.05 && tilt > .75 * a && tilt < 1.25 * a;
}

/* ---- A cylinder on its side rolls on at its speed on level ground, whatever the sub-steps. */
static int a_cylinder_rolls_on(void)
{
    double R = log_uniform(.01, 1), L = R * log_uniform(.2, 5), turn = log_uniform(.02, .3), v = log_uniform(.3, 3) * sqrt(g * R);
    double sinks = 0, now;
    int substeps = 1 + below(64), i;
    nsc_body_def d = nsc_default_body_def();
    const nsc_body *b;
    begin(1, substeps);
    plane(quat(1, 0, 0, 0));
    d.pose.position = vec(0, 0, R), d.pose.orientation = about_y(pi / 2);
    d.velocity = vec(0, v, 0), d.angular_velocity = vec(-v / R, 0, 0);
    b = thing(1, .25 * R * R + L * L / 3, .5 * R * R, d, nsc_default_cylinder_def(REAL(R), REAL(L)));
    for (i = 0; i < 40 / turn; i++) {
        step(turn * R / v);
        sinks = fmax(sinks, R - height(b));
    }
    now = sqrt(dot(b->velocity, b->velocity));
    said("radius %g m, half length %g, %g m/s, %g rad a step, %d sub-steps: %+g %% of its speed after 40 rad, sinks by %g m", R, L, v, turn,
         substeps, 100 * (now / v - 1), sinks);
    return fabs(now / v - 1) < .01 && sinks < 1.5 * D(world.def.slop);
}

/* ---- A ball on a turntable that turns at W rolls in a circle at 2/7 W, with the speed it has (Weltner 1979). */
static int a_ball_keeps_its_speed_on_a_turntable(void)
{
    double W = log_uniform(.5, 5), R = log_uniform(.02, .5), v0 = uniform(.1, .5) * W, turn = log_uniform(.004, .04), v;
    nsc_body_def d = nsc_default_body_def();
    const nsc_body *b;
    int i;
    begin(1, 1);
    d.kind = NSC_KINEMATIC_BODY, d.pose.position = vec(0, 0, -.5), d.angular_velocity = vec(0, 0, W);
    thing(0, 0, 0, d, nsc_default_box_def(5, 5, REAL(.5)));
    d = nsc_default_body_def();
    d.pose.position = vec(1, 0, R), d.velocity = vec(0, v0, 0), d.angular_velocity = vec((W - v0) / R, 0, 0);
    b = thing(1, .4 * R * R, .4 * R * R, d, nsc_default_sphere_def(REAL(R)));
    for (i = 0; i < 60 / turn; i++) step(turn / W);
    v = sqrt(dot(b->velocity, b->velocity));
    said("a ball of %g m at %g m/s on a table at %g rad/s, %g rad a step: %+g %% after 60 rad", R, v0, W, turn, 100 * (v / v0 - 1));
    return fabs(v / v0 - 1) < .005;
}

/* ---- Of a round top whose centre of mass is off its centre, L . r stays, r the way from its contact to the centre of mass (Jellett
   1872), whatever the friction. */
static int a_top_keeps_jelletts_number(void)
{
    double R = log_uniform(.01, .2), off = R * uniform(.05, .25), m = log_uniform(.01, 1), i1 = uniform(.3, .5) * m * R * R;
    double i3 = i1 * uniform(.8, 1.1), spin = uniform(2, 6) * sqrt(g / R), tilt = uniform(.05, .4), turn = log_uniform(.02, .2);
    double friction = uniform(.1, .6), J, first = 0, most = 0;
    int substeps = below(2) ? 1 : 2 + below(7), i;
    nsc_body_def d = nsc_default_body_def();
    const nsc_body *b;
    begin(friction, substeps);
    plane(quat(1, 0, 0, 0));
    d.centre = vec(0, 0, -off), d.pose.position = vec(0, 0, R), d.pose.orientation = about_y(tilt);
    d.angular_velocity = vec(spin * sin(tilt), 0, spin * cos(tilt));
    b = thing(m, i1, i3, d, nsc_default_sphere_def(REAL(R)));
    for (i = 0; i < 300 / turn; i++) {
        nsc_vec3 axis = axis_of(b);
        nsc_vec3 L = plus_multiple(multiple(i1, b->angular_velocity), (i3 - i1) * dot(b->angular_velocity, axis), axis);
        J = R * dot(L, framed(0, 0, 1)) - off * dot(L, axis);
        if (i == 0) first = J;
        most = fmax(most, fabs(J / first - 1));
        step(turn / spin);
    }
    said("radius %g m, centre of mass off by %g, friction %g, %g rad a step, %d sub-steps: the number changes by %g", R, off, friction,
         turn, substeps, most);
    return most < .002;
}

/* ---- A ladder slides down a wall without friction: its top leaves the wall when its middle has come down to 2/3 of its first height,
   at the end of the last step in which it leans, or in that if a sub-step of it is the last.  In float shorter (sub-)steps see
   impulses that rounding makes. */
static int a_ladder_leaves_its_wall(void)
{
    double L = log_uniform(.1, 10), r = L * log_uniform(.001, .02), start = uniform(.8, 1.4);
    double m = log_uniform(.1, 100), left = 0, way = 0, want;
    double time = sqrt(L / g), h = time * log_uniform(sizeof(nsc_real) == 4 ? .015 : .002, .02);
    int substeps = below(2) ? 1 : 8 + below(sizeof(nsc_real) == 4 ? 1 : 9), i, k, leans = 1;
    nsc_body_def d = nsc_default_body_def();
    const nsc_body *b;
    begin(0, substeps);
    plane(quat(1, 0, 0, 0)), plane(quat(1, 0, 1, 0));
    d.pose.position = vec(L * cos(start) + r, 0, L * sin(start) + r), d.pose.orientation = about_y(start - pi / 2);
    b = thing(m, m * L * L / 3, m * L * L * .003, d, nsc_default_capsule_def(REAL(r), REAL(L)));
    want = 2 / 3. * L * sin(start);
    for (i = 0; i < 10 * time / h && leans; i++) {
        double before = height(b) - r;
        step(h);
        way = before - height(b) + r;
        for (k = leans = 0; k < world.contact_count; k++) {
            const nsc_contact *c = &world.contacts[k];
            leans |= fabs(dot(c->normal, framed(1, 0, 0))) > .9 && dot(c->impulse, c->normal) > 0;
        }
        if (leans || substeps == 1) left = before - (leans ? .5 * way : 0);
    }
    said("length %g m, radius %g, at %g rad, step %g s, %d sub-steps: it leaves at %g of 2/3 of its height, a step is %g of that",
         2 * L, r, start, h, substeps, left / want, way / want);
    return fabs(left / want - 1) < .01 + (substeps > 1 ? .5 : 1) * way / want;
}

int main(void)
{
    search("a disk rolls on", a_disk_rolls_on, sample(10, trials(20, 500)));
    search("a cylinder rolls on", a_cylinder_rolls_on, trials(10, 500));
    search("a ball keeps its speed on a turntable", a_ball_keeps_its_speed_on_a_turntable, trials(8, 300));
    search("a top keeps Jellett's number", a_top_keeps_jelletts_number, sample(10, trials(20, 500)));
    search("a ladder leaves its wall", a_ladder_leaves_its_wall, trials(30, 1000));
    return TEST_END("turning");
}
