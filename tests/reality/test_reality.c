/* Known answers of mechanics, each at the step that examples use and at two finer ones, with the order of convergence.

   Elsewhere, at defaults: a ball on a turntable, the tippe top's number of Jellett, the ladder that leaves its wall
   (core/test_physics.c); other arches and pitches of dominoes (core/test_scenes.c); the run-out of a column of spheres and the
   angle of a heap (test_grains.c); Atwood's machine (rows/test_rows.c).

   With -DREALITY_PAGE, main writes build/reality.html: a picture and the numbers of each, and what test_grains.c has written. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#ifdef REALITY_PAGE
#include "nsc_svg.h"
#endif
#include "by.h"
#include "world.h"
#include "tosses.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static nsc_calls calls;
static int refused; /* steps of the present scene */

/* ---- what a scene says: one number at each rate */
enum { RATES = 3, CURVE = 2000 };
typedef struct known {
    const char *name, *what, *source; /* what: the number */
    double answer;
    double (*run)(double rate); /* the number at that many steps a second */
    double rate[RATES];
    double within[RATES];       /* share of the answer */
    double seen[RATES];
    double order;               /* of convergence, between the first and the last rate; 0: it does not fall with the step */
    int dear;                   /* 1: left to the long mode and the page */
    const char *curve;          /* what the picture's curve shows, if it has one */
} known;

/* A curve of the picture: what is simulated, and where there is one what is known */
static double curve_t[CURVE], curve_y[CURVE], curve_known[CURVE];
static int curve_count, curve_asked;

static void curve(double t, double y, double exact)
{
    if (!curve_asked || curve_count == CURVE) return;
    curve_t[curve_count] = t, curve_y[curve_count] = y, curve_known[curve_count++] = exact;
}

/* Frames of the picture, drawn when a scene says so */
#ifdef REALITY_PAGE
#define DRAWN 1
static nsc_svg picture;
static FILE *page_file;
static int frames, frames_asked;
static double eye[3], looks_at[3], zoom = 1;
static int colour_of(void *user, nsc_id body)
{
    static const int colours[5] = {0xc9a26b, 0x8f9fa8, 0xb98b7c, 0xd6c48a, 0x7f9a8c};
    (void)user;
    return body == NSC_GROUND ? 0xb4bcc2 : colours[(body & 16383) % 5];
}
static void look(double ex, double ey, double ez, double x, double y, double z, double closer)
{
    eye[0] = ex, eye[1] = ey, eye[2] = ez, looks_at[0] = x, looks_at[1] = y, looks_at[2] = z, zoom = closer;
}
static void frame(const char *text)
{
    if (!frames_asked || frames == 3) return;
    fprintf(page_file, "%s<figure>", frames++ ? "" : "<div class='row'>");
    nsc_svg_begin(&picture, page_file, 260, 200, text);
    picture.colour = colour_of;
    nsc_svg_look(&picture, eye[0], eye[1], eye[2], looks_at[0], looks_at[1], looks_at[2]);
    picture.zoom = zoom;
    nsc_svg_world(&picture, &world, 0, 0, 260, 200);
    nsc_svg_end(&picture);
    fprintf(page_file, "<figcaption>%s</figcaption></figure>\n", text);
}
#else
#define DRAWN 0
#define look(a, b, c, d, e, f, h) ((void)0)
#define frame(text) ((void)0)
#endif

static void begin(void)
{
    nsc_world_def def = default_def();
    calls = nsc_default_calls();
    refused = 0;
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
}

static nsc_id fix(nsc_id body, nsc_shape_def s, double mu)
{
    nsc_id id;
    s.friction = REAL(mu);
    id = nsc_world_add_shape(&world, body, &s);
    CHECK_ONCE(id >= 0);
    return id;
}

static void step(double rate)
{
    if (nsc_world_step_with(&world, REAL(1 / rate), &calls) < 0) refused++;
}

/* ---- a ball on a ball */
static double leaves(double rate, double mu)
{
    const double R = .5, r = .1, start = .15;
    nsc_body_def d = nsc_default_body_def();
    nsc_vec3 p;
    double before = 1, now = cos(start), t = 0;
    nsc_id ball;
    int on = 1;
    begin();
    look(0, -4, .9, .1, 0, .2, .95);
    fix(NSC_GROUND, nsc_default_sphere_def(REAL(R)), mu);
    d.pose.position = vec((R + r) * sin(start), 0, (R + r) * cos(start));
    ball = nsc_world_add_body(&world, &d);
    fix(ball, nsc_default_sphere_def(REAL(r)), mu);
    frame("it starts");
    while (on && t < 5) {
        step(rate), t += 1 / rate;
        before = now, p = position(ball), now = D(p.z) / length(p);
        on = world.contact_count > 0 && length(world.contacts[0].impulse) > 0;
    }
    frame("it leaves");
    while (D(position(ball).z) > .2 && t < 5) step(rate), t += 1 / rate;
    frame("and flies");
    return .5 * (before + now) / cos(start);
}

static double rolls_off(double rate) { return leaves(rate, 20); }
static double slides_off(double rate) { return leaves(rate, 0); }

/* ---- Euler's disk, whose centre stays: of radius a and half thickness d at the tilt alpha it precesses at W with
   W^2 sin(alpha) / a (I1 a cos(alpha) - I3 d sin(alpha)) = m g (a cos(alpha) - d sin(alpha)), for d = 0 W^2 = 4 g / (a sin(alpha)) */
static double disk_precession(double a, double d, double alpha)
{
    double I1 = a * a / 4 + d * d / 3, I3 = a * a / 2;
    return sqrt(g * (a * cos(alpha) - d * sin(alpha)) / (sin(alpha) / a * (I1 * a * cos(alpha) - I3 * d * sin(alpha))));
}

static double disk(double rate)
{
    const double a = .1, d = .002, alpha = .4, W = disk_precession(a, d, alpha), T = 1;
    nsc_body_def b = nsc_default_body_def();
    nsc_vec3 w, along, axis;
    double turned = 0, last = 0, at, t;
    nsc_id id;
    int i, n = (int)(T * rate + .5);
    begin();
    look(.25, -.6, .25, 0, 0, .03, 1.3);
    fix(NSC_GROUND, nsc_default_half_space_def(), 1);
    b.pose.position = vec(0, 0, a * sin(alpha) + d * cos(alpha));
    b.pose.orientation.w = REAL(cos(alpha / 2)), b.pose.orientation.y = REAL(-sin(alpha / 2));
    along = vec(cos(alpha), 0, sin(alpha)), axis = vec(-sin(alpha), 0, cos(alpha));
    w = multiple(W * sin(alpha), plus_multiple(along, d / a, axis));
    b.angular_velocity = w;
    id = nsc_world_add_body(&world, &b);
    fix(id, nsc_default_cylinder_def(REAL(a), REAL(d)), 1);
    axis = rotate(inside(id)->orientation, vec(0, 0, 1));
    last = atan2(D(axis.y), D(axis.x));
    for (i = 0; i < n; i++) {
        if (i % (n / 12) == 0) frame(i == 0 ? "it starts" : i == n / 12 ? "1/12 s later" : "1/6 s");
        step(rate);
        axis = rotate(inside(id)->orientation, vec(0, 0, 1));
        at = atan2(D(axis.y), D(axis.x));
        turned += at - last + (at - last > pi ? -2 * pi : at - last < -pi ? 2 * pi : 0);
        last = at, t = (i + 1) / rate;
        curve(t, turned, W * t);
    }
    return turned / T / W;
}

/* ---- ellipsoids on a plane, by contacts of our own: half axes of the body frame, their centre, and what rolls without slip */
typedef struct stone {
    double axis[3], centre[3], m, I[6]; /* centre: of the ellipsoid, from the centre of mass; I: xx yy zz xy xz yz */
} stone;

/* From the centre of mass to the lowest point, body frame; up: the vertical in that frame */
static void lowest(const stone *s, const double *up, double *r)
{
    double n = 0;
    int i;
    for (i = 0; i < 3; i++) n += pow(s->axis[i] * up[i], 2);
    for (i = 0; i < 3; i++) r[i] = s->centre[i] - s->axis[i] * s->axis[i] * up[i] / sqrt(n);
}

static nsc_id put_stone(const stone *s, nsc_quat q, nsc_vec3 w)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_vec3 up = rotate_back(q, vec(0, 0, 1)), v;
    double u[3], r[3];
    int i;
    u[0] = D(up.x), u[1] = D(up.y), u[2] = D(up.z);
    lowest(s, u, r);
    b.mass = REAL(s->m), b.pose.orientation = q, b.angular_velocity = w;
    for (i = 0; i < 6; i++) b.inertia[i] = REAL(s->I[i]);
    v = rotate(q, vec(r[0], r[1], r[2]));
    b.pose.position = vec(0, 0, -D(v.z));
    b.velocity = cross(v, w);
    return nsc_world_add_body(&world, &b);
}

static void touch_stone(const stone *s, nsc_id id, double mu)
{
    nsc_contact c = nsc_default_contact();
    const nsc_body *b = inside(id);
    nsc_vec3 up = rotate_back(b->orientation, vec(0, 0, 1));
    double u[3], r[3];
    u[0] = D(up.x), u[1] = D(up.y), u[2] = D(up.z);
    lowest(s, u, r);
    c.body_a = NSC_GROUND, c.body_b = id;
    c.point = plus(b->position, rotate(b->orientation, vec(r[0], r[1], r[2])));
    c.gap = c.point.z;
    c.friction = REAL(mu);
    CHECK_ONCE(nsc_world_add_contact(&world, &c) == NSC_OK);
}

/* Rolling without slip: y is the vertical and the angular velocity, both in the body frame.  With r to the point that rests,
   v = r x w, and (I + m (r^2 - r r')) w' = -w x I w + m r x (w x v - w x r' + g up); up' = up x w. */
static void cross3(const double *a, const double *b, double *c)
{
    int i;
    for (i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void rolling_rate(const stone *s, const double *y, double *dy)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const double *up = y, *w = y + 3;
    double r[3], dr[3], v[3], wv[3], wr[3], Iw[3], f[3], torque[3], A[3][4], n = 0, dn = 0, rr = 0;
    int i, j, k;
    cross3(up, w, dy);
    lowest(s, up, r);
    for (i = 0; i < 3; i++) n += pow(s->axis[i] * up[i], 2), dn += s->axis[i] * s->axis[i] * up[i] * dy[i], rr += r[i] * r[i];
    for (i = 0; i < 3; i++) dr[i] = s->axis[i] * s->axis[i] * (up[i] * dn / n - dy[i]) / sqrt(n);
    cross3(r, w, v), cross3(w, v, wv), cross3(w, dr, wr);
    for (i = 0; i < 3; i++) {
        f[i] = s->m * (wv[i] - wr[i] + g * up[i]);
        for (Iw[i] = 0, j = 0; j < 3; j++) Iw[i] += s->I[at[i][j]] * w[j];
    }
    cross3(r, f, torque), cross3(Iw, w, v);
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) A[i][j] = s->I[at[i][j]] + s->m * ((i == j ? rr : 0) - r[i] * r[j]);
        A[i][3] = v[i] + torque[i];
    }
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            double share = A[j][i] / A[i][i];
            for (k = i; k < 4 && j != i; k++) A[j][k] -= share * A[i][k];
        }
    for (i = 0; i < 3; i++) dy[3 + i] = A[i][3] / A[i][i];
}

/* Runge and Kutta's fourth order */
static void rolling_step(const stone *s, double *y, double h)
{
    double k[4][6], at[6];
    int i, j;
    for (j = 0; j < 4; j++) {
        for (i = 0; i < 6; i++) at[i] = y[i] + (j ? (j == 3 ? h : h / 2) * k[j - 1][i] : 0);
        rolling_rate(s, at, k[j]);
    }
    for (i = 0; i < 6; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static double vertical_spin(const double *y) { return y[0] * y[3] + y[1] * y[4] + y[2] * y[5]; }

/* ---- rattleback: half axes, mass and inertia of Kane and Levinson */
static const stone rattleback = {{.2, .03, .02}, {0, 0, .01}, 1, {.0002, .0016, .0017, -.0002, 0, 0}};
static const double wobble = .02, first_spin = -5; /* [rad], about the long axis; [rad/s] */

static nsc_quat tilted(double about_x)
{
    nsc_quat q;
    memset(&q, 0, sizeof q);
    q.w = REAL(cos(about_x / 2)), q.x = REAL(sin(about_x / 2));
    return q;
}

/* When its spin passes through 0, by the differential equations; the curve is kept to draw it */
static double reversal(void)
{
    double y[6] = {0, 0, 0, 0, 0, 0}, t = 0, h = 1e-4, before = first_spin;
    y[1] = sin(wobble), y[2] = cos(wobble), y[5] = first_spin;
    while (t < 10) {
        before = vertical_spin(y);
        rolling_step(&rattleback, y, h), t += h;
        if (vertical_spin(y) >= 0) return t - h * vertical_spin(y) / (vertical_spin(y) - before);
    }
    return t;
}

static double rattles_back(double rate)
{
    double y[6] = {0, 0, 0, 0, 0, 0}, t = 0, w = 0, before, turned = 10;
    int k, fine = (int)(20000 / rate + 1);
    nsc_id id;
    begin();
    id = put_stone(&rattleback, tilted(wobble), rotate(tilted(wobble), vec(0, 0, first_spin)));
    y[1] = sin(wobble), y[2] = cos(wobble), y[5] = first_spin;
    while (t < 4) {
        touch_stone(&rattleback, id, 5);
        step(rate), t += 1 / rate;
        for (k = 0; k < fine && curve_asked; k++) rolling_step(&rattleback, y, 1 / (rate * fine));
        before = w, w = D(spin(id).z);
        if (turned > 9 && w >= 0 && before < 0) turned = t - w / (w - before) / rate;
        if (turned < 9 && !curve_asked) return turned;
        if ((int)(t * rate + .5) % (int)(rate / 240) == 0) curve(t, w, vertical_spin(y));
    }
    return turned;
}

/* ---- an egg that is spun on its side, and rises: Jellett's number of the two states */
static const stone egg = {{.02, .02, .03}, {0, 0, 0}, .05, {1.3e-5, 1.3e-5, 8e-6, 0, 0, 0}};

static double egg_rises(double rate)
{
    const double first = 200, T = 6;
    double t = 0, height = 0;
    nsc_quat q;
    nsc_id id;
    int i;
    begin();
    memset(&q, 0, sizeof q);
    q.w = REAL(cos(pi / 4 - .01)), q.y = REAL(sin(pi / 4 - .01));
    id = put_stone(&egg, q, vec(0, 0, first));
    world.bodies[1].velocity = vec(0, 0, 0);
    for (i = 0; t < T; i++) {
        nsc_vec3 axis;
        touch_stone(&egg, id, .2);
        step(rate), t += 1 / rate;
        axis = rotate(inside(id)->orientation, vec(0, 0, 1));
        height = fabs(D(axis.z));
        if (i % (int)(rate / 120) == 0) curve(t, asin(fmin(height, 1)) * 180 / pi, 90);
    }
    return D(spin(id).z) * egg.I[2] * .03 / (egg.I[0] * first * .02);
}

/* ---- a tippe top that turns over.  Where its spin is less, or e, it settles into rolling and stays upright, as it may by Coulomb's
   law; at 960 Hz some turn over that do not at 3840 Hz (300 rad/s: the top turns by 0.3 rad in a step).   Jellett's number
   is I n (R cos(tilt) - e) before and I n (R + e) after */
static double tippe_top(double rate)
{
    const double R = .02, e = .005, m = .02, I1 = .4 * m * R * R, first = 500, tilt = .1, T = 12;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def stem = nsc_default_capsule_def(REAL(.2 * R), REAL(.4 * R)); /* to be seen: it touches nothing */
    double t = 0;
    nsc_id id;
    int i, shown = 0;
    begin();
    look(.05, -.4, .12, 0, 0, .022, 2.6);
    fix(NSC_GROUND, nsc_default_half_space_def(), .3);
    d.mass = REAL(m), d.centre = vec(0, 0, -e), d.inertia[0] = d.inertia[1] = d.inertia[2] = REAL(I1);
    d.pose.position = vec(0, 0, R), d.pose.orientation = tilted(tilt);
    d.angular_velocity = rotate(d.pose.orientation, vec(0, 0, first));
    id = nsc_world_add_body(&world, &d);
    fix(id, nsc_default_sphere_def(REAL(R)), .3);
    stem.mask = 0, stem.pose.position = vec(0, 0, 1.2 * R);
    fix(id, stem, 0);
    for (i = 0; t < T; i++) {
        nsc_vec3 axis = rotate(inside(id)->orientation, vec(0, 0, 1));
        if (i == 0) frame("it spins at 80 turns a second");
        look(D(position(id).x) + .05, D(position(id).y) - .4, .12, D(position(id).x), D(position(id).y), .022, 2.6);
        if (shown == 0 && D(axis.z) < .2) frame("its stem is level"), shown = 1;
        if (shown == 1 && D(axis.z) < -.98) frame("upside down"), shown = 2;
        if (i % (int)(rate / 120) == 0) curve(t, acos(fmax(-1, fmin(1, D(axis.z)))) * 180 / pi, 180);
        step(rate), t += 1 / rate;
    }
    return D(spin(id).z) * (R + e) / (first * (R * cos(tilt) - e));
}

/* ---- four balls: one on three, which stand if friction is at least tan(a / 2) between balls, sin(a) = 1 / sqrt(3), and a
   quarter of it on the floor.  The least friction of balls at which it stands, by bisection */
static int four_stand(double rate, double mu, int drawn)
{
    const double r = .1, side = 2 * r * 1.0005, from = side / sqrt(3);
    double t;
    nsc_id id[4];
    int i;
    begin();
    look(.5, -1.2, .6, .04, 0, .1, .75);
    fix(NSC_GROUND, nsc_default_half_space_def(), 1);
    for (i = 0; i < 4; i++) {
        nsc_body_def d = nsc_default_body_def();
        double f = 2 * pi * i / 3, up = sqrt(4 * r * r - from * from);
        d.pose.position = i < 3 ? vec(from * cos(f), from * sin(f), r) : vec(0, 0, r + up);
        id[i] = nsc_world_add_body(&world, &d);
        fix(id[i], nsc_default_sphere_def(REAL(r)), mu);
    }
    for (t = 0; t < 1.5; t += 1 / rate) {
        if (drawn == 1 && fabs(t - .6) < .5 / rate) frame("a little less friction");
        step(rate);
    }
    if (drawn) frame(drawn > 1 ? "a little more friction" : "1.5 s later");
    return D(position(id[3]).z) > r + .9 * sqrt(4 * r * r - from * from);
}

static double four_balls(double rate)
{
    double low = .2, high = .5;
    while (high - low > 2e-4) {
        double middle = .5 * (low + high);
        if (four_stand(rate, middle, 0)) high = middle;
        else low = middle;
    }
    four_stand(rate, high + .01, 2);
    four_stand(rate, low - .01, 1);
    return .5 * (low + high);
}

/* ---- a chain on a smooth pulley: x = x0 cosh(t sqrt(2 g / L)), x half the difference of its hanging lengths, L its whole length */
static double chain(double rate)
{
    enum { BEADS = 46 };
    const double R = .19, r = .01, at = R + r, pitch = .05, L = BEADS * pitch, x0 = .1, x1 = .4, arc = pi * at;
    double t = 0, x = x0, before = x0, end = 5;
    nsc_shape_def s = nsc_default_cylinder_def(REAL(R), REAL(.05));
    nsc_id id[BEADS];
    int i;
    begin();
    look(0, -5, 0, 0, 0, -.35, 1.05);
    calls.solve = nsc_solve_tree;
    s.pose.orientation.w = s.pose.orientation.x = REAL(sqrt(.5));
    fix(NSC_GROUND, s, 0);
    for (i = 0; i < BEADS; i++) {
        nsc_body_def b = nsc_default_body_def();
        double way = (i + .5) * pitch - .5 * L + x0; /* from the top of the pulley, to the right */
        double f = way / at;
        b.particle = 1, b.mass = REAL(.01);
        b.pose.position = fabs(way) < arc / 2 ? vec(at * sin(f), 0, at * cos(f)) : vec(way > 0 ? at : -at, 0, arc / 2 - fabs(way));
        id[i] = nsc_world_add_body(&world, &b);
        fix(id[i], nsc_default_sphere_def(REAL(r)), 0);
    }
    for (i = 0; i + 1 < BEADS; i++) {
        nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_DISTANCE, id[i], id[i + 1]);
        j.axis[0].limited = 1, j.axis[0].lower = j.axis[0].upper = REAL(length(minus(position(id[i + 1]), position(id[i]))));
        CHECK_ONCE(nsc_world_add_joint(&world, &j) >= 0);
    }
    frame("let go");
    while (t < 3 && x < x1) {
        step(rate), t += 1 / rate;
        before = x, x = .5 * (D(position(id[0]).z) - D(position(id[BEADS - 1]).z));
        curve(t, x, x0 * cosh(t * sqrt(2 * g / L)));
        if (x >= .2 && before < .2) frame("half way");
    }
    frame("at the end");
    if (x >= x1) end = t - (x - x1) / (x - before) / rate;
    return end / (acosh(x1 / x0) / sqrt(2 * g / L));
}

/* ---- a yo-yo of moment I about its axle of radius r falls with g / (1 + I / (m r^2)).  At the end of its string the axle goes on
   turning and the string pulls on its other side: a jerk that leaves (I - m r^2) / (I + m r^2) of the speed.  It climbs back to the
   square of that. */
static double yo_yo(double rate)
{
    const double m = .1, R = .04, r = .012, I = .5 * m * R * R, deep = .5, fall = g / (1 + I / (m * r * r));
    const double left = (I - m * r * r) / (I + m * r * r), T = sqrt(2 * deep / fall);
    static nsc_rows string;
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_cylinder_def(REAL(R), REAL(.01));
    double t = 0, z = 0, lowest_z = 0, highest = -1;
    nsc_id id;
    int down = 1;
    begin();
    look(0, -1.7, -.1, 0, 0, -.25, 1);
    memset(&string, 0, sizeof string);
    b.mass = REAL(m), b.inertia[0] = b.inertia[1] = b.inertia[2] = REAL(I);
    id = nsc_world_add_body(&world, &b);
    s.mask = 0, s.pose.orientation.w = s.pose.orientation.x = REAL(sqrt(.5));
    fix(id, s, 0);
    calls.rows = &string, calls.row_count = 1;
    string.body_a = NSC_GROUND, string.body_b = id, string.count = 1, string.limited[0] = 1, string.upper[0] = REAL(HUGE_VAL);
    frame("let go");
    while (t < (1 + .98 * left) * T) {
        if (down && z <= -deep) {
            down = 0;
            frame("unwound");
        }
        string.J[0][8] = 1, string.J[0][10] = REAL(down ? -r : r);
        step(rate), t += 1 / rate;
        z = D(position(id).z), lowest_z = fmin(z, lowest_z);
        if (!down) highest = fmax(highest, z);
        curve(t, -z, t < T ? .5 * fall * t * t : deep - left * fall * T * (t - T) + .5 * fall * (t - T) * (t - T));
    }
    frame("as high as it comes");
    return (highest - lowest_z) / (-lowest_z * left * left);
}

/* ---- a reel pulled by its thread at the angle f to the floor, off its inner radius r: it comes with F (cos f - r / R) / (m + I / R^2) */
static double reel(double rate)
{
    const double m = 1, R = .1, r = .06, I = .5 * m * R * R, F = 1.5, f = .3, T = 1;
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_cylinder_def(REAL(R), REAL(.05));
    double t = 0, a = F * (cos(f) - r / R) / (m + I / (R * R));
    nsc_id id;
    int i, n = (int)(T * rate + .5);
    begin();
    look(.3, -1.2, .4, .15, 0, .08, 1.1);
    fix(NSC_GROUND, nsc_default_half_space_def(), .5);
    b.mass = REAL(m), b.inertia[0] = b.inertia[1] = b.inertia[2] = REAL(I), b.pose.position = vec(0, 0, R);
    id = nsc_world_add_body(&world, &b);
    s.pose.orientation.w = s.pose.orientation.x = REAL(sqrt(.5));
    fix(id, s, .5);
    for (i = 0; i < n; i++) {
        nsc_vec3 pull = vec(F * cos(f), 0, F * sin(f));
        if (i % (n / 2) == 0) frame(i == 0 ? "the thread pulls to the right" : "half a second");
        nsc_body_add_force(&world, id, pull, vec(0, -F * r, 0)); /* off below the axis: it turns the reel back */
        step(rate), t += 1 / rate;
        curve(t, D(position(id).x), .5 * a * t * t);
    }
    frame("a second");
    return D(position(id).x) / (.5 * a * T * T);
}

/* ---- a ball on a turntable that turns at W rolls in a circle at 2/7 W */
static double turntable(double rate)
{
    const double W = 2, r = .1, v0 = .5, T = 10;
    double turned = 0, last = pi / 2;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def disk = nsc_default_cylinder_def(REAL(1.5), REAL(.05)), mark = nsc_default_box_def(REAL(.65), REAL(.05), REAL(.002));
    nsc_id table, ball;
    int i, n = (int)(T * rate + .5);
    begin();
    look(0, -5, 4.2, 0, 0, 0, .85);
    d.kind = NSC_KINEMATIC_BODY, d.pose.position = vec(0, 0, -.05), d.angular_velocity = vec(0, 0, W);
    table = nsc_world_add_body(&world, &d);
    fix(table, disk, 1);
    mark.mask = 0, mark.pose.position = vec(.8, 0, .051); /* to see it turn */
    fix(table, mark, 1);
    d = nsc_default_body_def();
    d.pose.position = vec(.9, 0, r), d.velocity = vec(0, v0, 0), d.angular_velocity = vec((.9 * W - v0) / r, 0, 0);
    ball = nsc_world_add_body(&world, &d);
    fix(ball, nsc_default_sphere_def(REAL(r)), 1);
    for (i = 0; i < n; i++) {
        nsc_vec3 v;
        double a, by;
        if (i == 0) frame("it starts");
        if (i == n / 10 * 3) frame("3 s later");
        if (i == n / 10 * 6) frame("6 s");
        step(rate);
        v = velocity(ball), a = atan2(D(v.y), D(v.x)), by = a - last, last = a;
        turned += by < -pi ? by + 2 * pi : by > pi ? by - 2 * pi : by;
        if (i % 4 == 3) curve((i + 1) / rate, turned, 2 / 7. * W * (i + 1) / rate);
    }
    return turned / T / W;
}

/* ---- a ladder slides down a smooth wall over a smooth floor, and leaves the wall when its middle has come down to 2/3 of its height */
static double ladder(double rate)
{
    const double L = 1, r = .02, start = 1.2, tilt = start - pi / 2; /* half its length, its radius, to the floor */
    double z = 0, before = 0, left = 0, t = 0;
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def wall = nsc_default_half_space_def(), seen = nsc_default_box_def(REAL(.05), REAL(.6), REAL(1.1));
    int i, k, on = 1, high = 1;
    begin();
    look(1.6, -5, 1.5, .6, 0, 1, .75);
    fix(NSC_GROUND, nsc_default_half_space_def(), 0);
    wall.pose.orientation.w = wall.pose.orientation.y = REAL(sqrt(.5)); /* solid at x < 0 */
    fix(NSC_GROUND, wall, 0);
    seen.mask = 0, seen.pose.position = vec(-.05, 0, 1.1);
    fix(NSC_GROUND, seen, 0);
    d.mass = 1, d.inertia[0] = d.inertia[1] = REAL(L * L / 3), d.inertia[2] = REAL(.003);
    d.pose.position = vec(L * cos(start) + r, 0, L * sin(start) + r);
    d.pose.orientation.w = REAL(cos(tilt / 2)), d.pose.orientation.y = REAL(sin(tilt / 2));
    d.pose.orientation.x = d.pose.orientation.z = 0;
    fix(nsc_world_add_body(&world, &d), nsc_default_capsule_def(REAL(r), REAL(L)), 0);
    frame("it starts");
    for (i = 0; t < 3 && on; i++) {
        before = D(world.bodies[1].position.z) - r;
        step(rate), t += 1 / rate;
        z = D(world.bodies[1].position.z) - r;
        for (k = on = 0; k < world.contact_count; k++)
            on |= fabs(D(world.contacts[k].normal.x)) > .9 && fabs(D(world.contacts[k].impulse.x)) > 0;
        if (on) left = .5 * (before + z); /* in the step after this */
    }
    left -= before - z;
    frame("its top leaves the wall");
    for (; t < 5 && high; t += 1 / rate) {
        step(rate);
        high = D(world.bodies[1].position.z) > .25;
    }
    frame("and it falls");
    return left / (L * sin(start));
}

/* ---- the capstan: weightless beads on a drum, joined by rods, bear at one end e^(mu pi) times the weight that hangs at the other.  The
   rods turn by d at a bead, which bears (1 + mu tan(d / 2)) / (1 - mu tan(d / 2)) times, and by d / 2 at the first and the last, whose
   other rod hangs: twelve turns in all.  The greatest weight that they bear, by bisection */
enum { TURNS = 12 };
static const double drum_mu = .3;

static double capstan_law(void)
{
    double x = drum_mu * tan(.5 * pi / TURNS);
    return pow((1 + x) / (1 - x), TURNS);
}

/* How fast the heavy weight, at the left, goes down at the end */
static double capstan_slips(double rate, double heavy, double T, int drawn)
{
    const double R = .1, r = .01, at = R + r;
    double t, law = capstan_law(), a = g * (heavy - law) / (heavy + law);
    nsc_shape_def s = nsc_default_cylinder_def(REAL(R), REAL(.03));
    nsc_id id[TURNS + 3];
    nsc_world_def def = default_def();
    int i;
    begin();
    def.solver.max_factorizations = 60; /* the first step needs 30 of these */
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    look(0, -3, .3, 0, 0, -.1, 1.8);
    calls.solve = nsc_solve_tree;
    s.pose.orientation.w = s.pose.orientation.x = REAL(sqrt(.5));
    fix(NSC_GROUND, s, drum_mu);
    for (i = 0; i < TURNS + 3; i++) {
        int weight = i == 0 ? 1 : i == TURNS + 2 ? -1 : 0;
        nsc_body_def b = nsc_default_body_def();
        double f = pi * (i - 1) / TURNS, mass = weight > 0 ? 1 : heavy;
        b.particle = 1, b.mass = REAL(weight ? mass : .001), b.gravity_scale = weight ? 1 : 0;
        b.pose.position = weight ? vec(weight * at, 0, -.17) : vec(at * cos(f), 0, at * sin(f));
        id[i] = nsc_world_add_body(&world, &b);
        s = nsc_default_sphere_def(REAL(weight ? .035 * cbrt(mass) : r));
        if (weight) s.mask = 0; /* to be seen */
        fix(id[i], s, drum_mu);
    }
    for (i = 0; i < TURNS + 2; i++) {
        nsc_joint_def j = nsc_default_joint_def(NSC_JOINT_DISTANCE, id[i], id[i + 1]);
        j.axis[0].limited = 1, j.axis[0].lower = j.axis[0].upper = REAL(length(minus(position(id[i + 1]), position(id[i]))));
        CHECK_ONCE(nsc_world_add_joint(&world, &j) >= 0);
    }
    if (drawn == 2) frame("2.65 times: let go");
    for (t = 0; t < T; t += 1 / rate) {
        step(rate);
        if (drawn == 2 && t < .5) curve(t + 1 / rate, -.17 - D(position(id[TURNS + 2]).z), .5 * a * pow(t + 1 / rate, 2));
    }
    if (drawn) frame(drawn == 1 ? "2.5 times the weight: it holds" : "it slips");
    return -D(velocity(id[TURNS + 2]).z);
}

static double capstan(double rate)
{
    double low = 2.566, high = 2.598;
    if (curve_asked) capstan_slips(rate, 2.5, .8, 1), capstan_slips(rate, 2.65, .8, 2);
    while (high - low > 2e-3 && !curve_asked) {
        double middle = .5 * (low + high);
        if (capstan_slips(rate, middle, .03, 0) > 6e-5) high = middle;
        else low = middle;
    }
    return .5 * (low + high);
}

/* ---- Painleve's rod: uniform, 2 l long, leaning, its tip ahead.  x and z from its middle to the point on the floor, a force N there, and
   mu N against the way of the tip, lift the tip by N / m (1 + 3 x (x - mu z) / l^2).  From mu = (l^2 / 3 + x^2) / (x z) on they press it
   down instead, so that no force lets it slide on: it jams.  The least friction at which the tip stops in the first step, by bisection */
static const double rod_v = 10, rod_l = .5, rod_r = .01, rod_lean = 1.1071487177940904; /* its tangent is 2 */

static double rod_law(void)
{
    double x = rod_l * cos(rod_lean), z = rod_l * sin(rod_lean) + rod_r;
    return (rod_l * rod_l / 3 + x * x) / (x * z);
}

#if DRAWN
static void look_at_rod(nsc_id id)
{
    double x = D(position(id).x);
    look(x, -4, .6, x, 0, .45, 1);
}
#else
#define look_at_rod(id) ((void)0)
#endif

static nsc_id put_rod(double mu)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def seen = nsc_default_box_def(REAL(1), REAL(.3), REAL(.02));
    double tilt = pi / 2 - rod_lean;
    nsc_id id;
    begin();
    seen.mask = 0, seen.pose.position = vec(-.4, 0, -.021);
    fix(NSC_GROUND, seen, 0);
    fix(NSC_GROUND, nsc_default_half_space_def(), mu);
    d.mass = 1, d.inertia[0] = d.inertia[1] = REAL(rod_l * rod_l / 3), d.inertia[2] = REAL(1e-3);
    d.pose.position = vec(0, 0, rod_l * sin(rod_lean) + rod_r), d.velocity = vec(-rod_v, 0, 0);
    d.pose.orientation.w = REAL(cos(tilt / 2)), d.pose.orientation.y = REAL(sin(tilt / 2));
    id = nsc_world_add_body(&world, &d);
    fix(id, nsc_default_capsule_def(REAL(rod_r), REAL(rod_l)), mu);
    look_at_rod(id);
    return id;
}

/* Velocity of the tip to the left */
static double rod_tip(nsc_id id)
{
    nsc_vec3 r = rotate(inside(id)->orientation, vec(0, 0, -rod_l));
    r.z -= REAL(rod_r);
    return -D(plus(velocity(id), cross(spin(id), r)).x);
}

/* The tip's speed, and by the equations of a rigid rod: f its angle to the floor, w the rate of that, u the speed of its middle; where the
   floor would have to pull, it flies */
static void rod_slides(double rate, double mu, double T)
{
    double u = rod_v, w = 0, f = rod_lean, t, h = .01 / rate;
    nsc_id id = put_rod(mu);
    int k;
    frame("it starts to the left");
    for (t = 0; t < T; t += 1 / rate) {
        for (k = 0; k < 100; k++) {
            double x = rod_l * cos(f), z = rod_l * sin(f) + rod_r;
            double N = fmax(0, (g - rod_l * sin(f) * w * w) / (1 - 3 * x * (mu * z - x) / (rod_l * rod_l)));
            u -= h * mu * N, w += h * 3 * N * (mu * z - x) / (rod_l * rod_l), f += h * w;
        }
        step(rate);
        curve(t + 1 / rate, rod_tip(id), u - w * (rod_l * sin(f) + rod_r));
    }
    look_at_rod(id);
    frame("friction 1.2: its tip slides on");
}

static double rod(double rate)
{
    double low = 1, high = 2, t;
    nsc_id id;
    if (curve_asked) rod_slides(rate, 1.2, .05);
    while (high - low > 1e-4) {
        double middle = .5 * (low + high);
        id = put_rod(middle);
        step(rate);
        if (rod_tip(id) < 1e-3 * rod_v) high = middle;
        else low = middle;
    }
    id = put_rod(1.4);
    for (t = 0; t < .05 && DRAWN; t += 1 / rate) step(rate);
    look_at_rod(id);
    frame("friction 1.4: it jams and is thrown");
    return .5 * (low + high);
}

/* ---- a semicircular arch of 30 stones, mean radius 1, friction 1: its least thickness.  Contacts are our own, the corners of each
   stone's face on the plane of its neighbour's. */
enum { STONES = 30 };
static nsc_id voussoir[STONES];
static double arch_centre; /* radius at which a stone's centre of mass lies */

static nsc_vec3 arch_corner(double thick, int i, int end, int outer, int side)
{
    const nsc_body *b = inside(voussoir[i]);
    double r = 1 + (outer ? .5 : -.5) * thick, half = pi / STONES / 2, x = (end ? 1 : -1) * r * sin(half);
    return plus(b->position, rotate(b->orientation, vec(x, .1 * side, r * cos(half) - arch_centre)));
}

static void arch_joint(double thick, int j)
{
    nsc_vec3 n = vec(0, 0, j == 0 ? 1 : -1), at = vec(0, 0, 0);
    int outer, side;
    if (j > 0 && j < STONES) {
        n = rotate(inside(voussoir[j - 1])->orientation, vec(cos(pi / STONES / 2), 0, -sin(pi / STONES / 2)));
        at = arch_corner(thick, j - 1, 1, 0, 0);
    }
    for (outer = 0; outer < 2; outer++)
        for (side = -1; side <= 1; side += 2) {
            nsc_contact c = nsc_default_contact();
            nsc_vec3 p = j < STONES ? arch_corner(thick, j, 0, outer, side) : arch_corner(thick, j - 1, 1, outer, side);
            double gap = j < STONES ? dot(minus(p, at), n) : D(p.z);
            c.body_a = j == 0 ? NSC_GROUND : voussoir[j - 1], c.body_b = j == STONES ? NSC_GROUND : voussoir[j];
            c.feature = (uint32_t)(outer * 2 + (side > 0)), c.normal = n, c.friction = 1, c.gap = REAL(gap);
            c.point = plus_multiple(p, -.5 * gap, n);
            CHECK_ONCE(nsc_world_add_contact(&world, &c) == NSC_OK);
        }
}

static int arch_stands(double rate, double thick, int drawn)
{
    const double half = pi / STONES / 2;
    nsc_world_def def = default_def();
    double sunk = 0, top, t;
    int i, j, shown = 0;
    begin();
    look(.6, -4.6, 1.2, 0, 0, .5, 1);
    def.margin = REAL(1e-3), def.slop = REAL(2e-5), def.solver.max_iterations = 300;
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    calls.solve = nsc_solve_apgd;
    for (i = 0; i < STONES; i++) {
        nsc_body_def d = nsc_default_body_def();
        nsc_shape_def s = nsc_default_box_def(REAL(.97 * half), REAL(.1), REAL(thick / 2));
        double f = (2 * i + 1) * half, inner = 1 - thick / 2, outer = 1 + thick / 2;
        arch_centre = 2. / 3 * (pow(outer, 3) - pow(inner, 3)) / (outer * outer - inner * inner) * sin(half) / half;
        d.pose.position = vec(-arch_centre * cos(f), 0, arch_centre * sin(f));
        d.pose.orientation.w = REAL(cos((f - pi / 2) / 2)), d.pose.orientation.y = REAL(sin((f - pi / 2) / 2));
        d.mass = REAL(400 * half * (outer * outer - inner * inner));
        d.inertia[0] = REAL(D(d.mass) * (thick * thick + .04) / 12);
        d.inertia[1] = REAL(D(d.mass) * ((inner * inner + outer * outer) / 2 - arch_centre * arch_centre));
        d.inertia[2] = REAL(D(d.mass) * (4 * half * half + .04) / 12);
        voussoir[i] = nsc_world_add_body(&world, &d);
        s.mask = 0, s.pose.position = vec(0, 0, 1 - arch_centre); /* to be seen */
        fix(voussoir[i], s, 1);
    }
    top = D(arch_corner(thick, STONES / 2, 0, 0, 0).z);
    for (t = 0; t < 6 && sunk < (drawn == 2 ? .6 : .05) && (t < 3 || drawn == 2); t += 1 / rate) {
        if (sunk > .05 && !shown++) frame("0.105: it opens at five hinges");
        for (j = 0; j <= STONES; j++) arch_joint(thick, j);
        step(rate);
        sunk = top - D(arch_corner(thick, STONES / 2, 0, 0, 0).z);
    }
    if (drawn) frame(drawn == 1 ? "0.110 of the radius thick: it stands" : "and falls");
    return sunk < .05;
}

static double arch(double rate)
{
    double low = .1, high = .115;
    if (curve_asked) arch_stands(rate, .11, 1), arch_stands(rate, .105, 2);
    while (high - low > 2e-4 && !curve_asked) {
        double middle = .5 * (low + high);
        if (arch_stands(rate, middle, 0)) high = middle;
        else low = middle;
    }
    return .5 * (low + high);
}

/* ---- 20 dominoes that turn about their front edges, each resting on the back of the next without friction.  The model has one degree of
   freedom: as written over domino_model in core/test_scenes.c */
enum { DOMINOES = 20 };
static const double domino_h = .048, domino_d = .0075, domino_pitch = .0275, first_push = 4; /* [rad/s] */

/* V / m and I / m of so many, the front one at angle a */
static double leaning(int count, double a, double *inertia)
{
    double V = 0, slope = 1;
    int i;
    for (*inertia = 0, i = 0; i < count; i++) {
        double next = a + asin((domino_pitch * cos(a) - domino_d) / domino_h);
        V += g / 2 * (domino_h * cos(a) + domino_d * sin(a));
        *inertia += slope * slope * (domino_h * domino_h + domino_d * domino_d) / 3;
        slope *= 1 - domino_pitch * sin(a) / (domino_h * cos(next - a)), a = next;
    }
    return V;
}

/* Time from the hit of the twelfth to that of the last */
static double domino_model(void)
{
    double last = asin((domino_pitch - domino_d) / domino_h), w = first_push, I, t = 0;
    int k, i, n = 2000;
    for (k = 1; k < DOMINOES; k++) {
        double E = leaning(k, 0, &I);
        E += .5 * I * w * w;
        for (i = 0; i < n; i++) {
            double V = leaning(k, last * (i + .5) / n, &I);
            if (k > DOMINOES - 9) t += last / n / sqrt(2 * (E - V) / I);
        }
        E -= leaning(k, last, &I);
        w = sqrt(2 * E / I) * I / (I + (domino_h * domino_h + domino_d * domino_d) / 3);
    }
    return t;
}

static double dominoes(double rate)
{
    nsc_world_def def = default_def();
    double hit[DOMINOES], t = 0, unit = sqrt(g * domino_h);
    nsc_id id[DOMINOES];
    int k, seen = 1;
    begin();
    look(.2, -1.5, .5, .28, 0, .01, 1.3);
    def.margin = REAL(5e-4), def.slop = REAL(1e-6), def.match_distance = REAL(1e-3);
    CHECK_ONCE(nsc_world_init(&world, &def) == NSC_OK);
    fix(NSC_GROUND, nsc_default_half_space_def(), 1e3);
    for (k = 0; k < DOMINOES; k++) {
        nsc_body_def d = nsc_default_body_def();
        d.pose.position = vec(domino_pitch * k, 0, domino_h / 2);
        if (k == 0) d.velocity = vec(first_push * domino_h / 2, 0, first_push * domino_d / 2), d.angular_velocity = vec(0, first_push, 0);
        id[k] = nsc_world_add_body(&world, &d);
        fix(id[k], nsc_default_box_def(REAL(domino_d / 2), REAL(.012), REAL(domino_h / 2)), 1e-3);
    }
    frame("the first is pushed");
    while (seen < DOMINOES && t < 3) {
        step(rate), t += 1 / rate;
        while (seen < DOMINOES && D(inside(id[seen])->angular_velocity.y) > .5) {
            hit[seen++] = t;
            if (seen == DOMINOES / 2) frame("half way");
        }
    }
    for (; t < 1.2; t += 1 / rate) step(rate);
    frame("all are down");
    return seen < DOMINOES ? 0 : 8 * domino_pitch / (hit[DOMINOES - 1] - hit[DOMINOES - 9]) / unit;
}

static known all[] = {
    {"A ball rolls off a ball", "cosine of the angle at which it leaves, over that of its start", "energy, and no force at the end: 10/17", 0,
     rolls_off, {240, 960, 3840}, {.02, .01, .002}, {0, 0, 0}, 0, 0, NULL},
    {"A ball slides off a ball", "the same without friction", "the same: 2/3", 0,
     slides_off, {240, 960, 3840}, {.03, .01, .002}, {0, 0, 0}, 0, 0, NULL},
    {"Euler's disk", "turns of the disk about the vertical, over those of its steady motion", "Moffatt, Nature 404 (2000) 833; here with its thickness", 1,
     disk, {240, 960, 3840}, {.02, .0015, .0002}, {0, 0, 0}, 0, 0, "angle about the vertical [rad]"},
    {"A rattleback turns back", "time until its spin is 0 [s]", "its equations of rolling, by Runge and Kutta; stone of Kane and Levinson, Int. J. "
     "Non-Linear Mechanics 17 (1982) 175", 0,
     rattles_back, {240, 960, 3840}, {.02, .01, .0025}, {0, 0, 0}, 0, 0, "spin [rad/s]"},
    {"A spinning egg rises", "Jellett's number on its end, over that on its side, which is kept nearly", "Moffatt and Shimomura, Nature 416 (2002) 385", 1,
     egg_rises, {960, 1920, 3840}, {.03, .03, .03}, {0, 0, 0}, 0, 0, "angle of its long axis to the floor [degrees]"},
    {"A tippe top turns over", "Jellett's number upside down, over that at the start", "Jellett, A Treatise on the Theory of Friction (1872)", 1,
     tippe_top, {960, 1920, 3840}, {.004, .004, .004}, {0, 0, 0}, 0, 0, "tilt [degrees]"},
    {"Four balls in a heap", "least friction between the balls with which it stands", "statics: tan(a / 2), sin(a) = 1 / sqrt(3)", 0,
     four_balls, {240, 480, 960}, {.003, .003, .003}, {0, 0, 0}, 0, 0, NULL},
    {"A chain runs off a pulley", "time from 0.1 m to 0.4 m out of balance, over that of a smooth chain", "x'' = 2 g x / L; 46 beads 50 mm apart", 1,
     chain, {240, 960, 3840}, {.005, .005, .005}, {0, 0, 0}, 0, 0, "half the difference of the lengths that hang [m]"},
    {"A yo-yo climbs again", "height to which it comes, over that after the jerk", "angular momentum about the string", 1,
     yo_yo, {240, 960, 3840}, {.02, .006, .002}, {0, 0, 0}, 0, 0, "depth [m]"},
    {"A reel pulled by its thread", "way in a second, over that of a = F (cos f - r / R) / (m + I / R^2)", "d'Alembert", 1,
     reel, {240, 960, 3840}, {.006, .0015, .0004}, {0, 0, 0}, 0, 0, "way [m]"},
    {"A ball on a turntable", "rate at which it circles, over that of the table",
     "rolling: 2/7; Weltner, Am. J. Phys. 47 (1979) 984", 2 / 7.,
     turntable, {60, 240, 960}, {.001, .0003, .0001}, {0, 0, 0}, 0, 0, "direction of the ball's way [rad]"},
    {"A ladder slides down a wall", "height of its middle when it leaves the wall, over that at the start",
     "energy, and no force at the wall: 2/3", 2 / 3.,
     ladder, {240, 960, 3840}, {.01, .006, .0015}, {0, 0, 0}, 0, 0, NULL},
    {"A capstan holds", "greatest weight that beads on a drum hold, over that at their other end",
     "Euler, Mem. Acad. Berlin 18 (1769) 265: e^(mu pi); here for beads 15 degrees apart", 0,
     capstan, {240, 480, 960}, {.001, .001, .001}, {0, 0, 0}, 0, 0, "way of the weight, 2.65 times the other [m]"},
    {"Painleve's rod jams", "least friction at which a rod's tip that slides at 10 m/s stops at once: 4/3 for a thin rod",
     "Genot and Brogliato, Eur. J. Mech. A/Solids 18 (1999) 653; here with its thickness", 0,
     rod, {240, 960, 3840}, {.01, .003, .001}, {0, 0, 0}, 0, 0, "speed of the tip, friction 1.2 [m/s]"},
    {"An arch of 30 stones", "least thickness with which it stands, over its mean radius",
     "Cocchetti and Rizzi, Frattura ed Integrita Strutturale 51 (2020) 356", .107426,
     arch, {240, 480, 960}, {.01, .006, .003}, {0, 0, 0}, 0, 1, NULL},
    {"Dominoes", "speed of the wave over the last eight of 20, over sqrt(g H)",
     "model of van Leeuwen, Am. J. Phys. 78 (2010) 721; pitch 27.5 mm", 0,
     dominoes, {1000, 2000, 4000}, {.01, .01, .01}, {0, 0, 0}, 0, 1, NULL},
};
enum { KNOWN = sizeof all / sizeof *all };

static void run_known(known *k)
{
    int i;
    double first, last;
    if (k->dear && !test_long() && !DRAWN) return;
    CASE("%s", k->name);
    printf("    %-28s", k->name);
    for (i = 0; i < RATES; i++) {
        k->seen[i] = k->run(k->rate[i]);
        printf(" %5g Hz %+8.4f %%,", k->rate[i], 100 * (k->seen[i] / k->answer - 1));
        CHECK(refused == 0);
        CHECK(fabs(k->seen[i] / k->answer - 1) < k->within[i]);
    }
    first = fabs(k->seen[0] / k->answer - 1), last = fabs(k->seen[2] / k->answer - 1);
    k->order = last > 0 && first > 2 * last ? log(first / last) / log(k->rate[2] / k->rate[0]) : 0;
    if (k->order > 0) printf(" order %.1f\n", k->order);
    else printf(" not by the step\n");
}

#ifdef REALITY_PAGE
/* ---- the page */
static void plot(FILE *f, const char *what)
{
    double most_t = 0, low = 0, high = 0;
    int i, known_too;
    fprintf(f, "<p class='axis'>%s</p><svg class='curve' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 780 190' role='img'>"
               "<title>over time: grey known, red nsc</title>\n", what);
    for (i = 0; i < curve_count; i++) {
        most_t = fmax(most_t, curve_t[i]);
        low = fmin(low, fmin(curve_y[i], curve_known[i])), high = fmax(high, fmax(curve_y[i], curve_known[i]));
    }
    for (known_too = 1; known_too >= 0; known_too--) {
        fprintf(f, "<path fill='none' stroke='#%s' stroke-width='%s' d='", known_too ? "c9cfd4" : "c8704f", known_too ? "6" : "2");
        for (i = 0; i < curve_count; i++)
            fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', 70 + 680 * curve_t[i] / most_t,
                    10 + 150 * (high - (known_too ? curve_known : curve_y)[i]) / (high - low));
        fprintf(f, "'/>\n");
    }
    fprintf(f, "<text x='0' y='22'>%.3g</text><text x='0' y='165'>%.3g</text>"
               "<text x='750' y='188' text-anchor='end'>%.3g s</text></svg>\n", high, low, most_t);
}

static void one_known(FILE *f, const known *n)
{
    int k;
    fprintf(f, "<h2>%s</h2>\n<p>%c%s. Source: %s.</p>\n", n->name, n->what[0] - (n->what[0] >= 'a' ? 32 : 0), n->what + 1, n->source);
    frames = curve_count = 0, frames_asked = curve_asked = 1;
    n->run(n->rate[1]);
    frames_asked = curve_asked = 0;
    if (frames > 0) fprintf(f, "</div>\n");
    if (curve_count > 0) plot(f, n->curve);
    fprintf(f, "<table><tr><th>steps a second</th>");
    for (k = 0; k < RATES; k++) fprintf(f, "<td>%g</td>", n->rate[k]);
    fprintf(f, "<tr><th>error</th>");
    for (k = 0; k < RATES; k++) {
        double off = n->seen[k] / n->answer - 1;
        fprintf(f, "<td>%+.*f %%</td>", fabs(off) < .001 ? 3 : 2, 100 * off);
    }
    if (n->order > 0) fprintf(f, "<tr><th>order</th><td>%.1f</td>", n->order);
    fprintf(f, "</table>\n");
}

/* What another program has written, if it has */
static void copy_in(FILE *f, const char *name)
{
    FILE *from = fopen(name, "r");
    int c;
    if (!from) return;
    while ((c = getc(from)) != EOF) putc(c, f);
    fclose(from);
}

static int page(void)
{
    static const char *const elsewhere[][2] = {
        {"Jellett's number of a top that stays upright", "core/test_physics.c"},
        {"Other arches and dominoes, towers", "core/test_scenes.c"},
        {"Atwood's machine", "rows/test_rows.c"}};
    static const char style[] =
        "body{font:16px/1.5 sans-serif;color:#33404a;background:#fbfaf7;max-width:800px;margin:2em auto;padding:0 1em}"
        "svg,img{max-width:100%;height:auto;border-radius:6px}h2{margin:2em 0 .4em}h2+p{margin-top:0}"
        "table{border-collapse:collapse;font-size:15px;margin-top:.4em}td,th{padding:.1em 1em .1em 0;text-align:left;white-space:nowrap}"
        ".row{display:flex;flex-wrap:wrap;gap:8px}figure{margin:0;flex:1 1 30%;min-width:160px;max-width:260px}"
        ".axis{margin:.6em 0 .2em;font-size:14px}.wider figure{min-width:250px}.wide{overflow-x:auto}"
        "figcaption{font-size:14px;line-height:1.3;text-align:center;padding:.2em 0 .5em}.curve{width:100%;font:13px "
        "sans-serif;fill:#33404a}"
        "@media(max-width:500px){.curve{font-size:26px}td,th{padding-right:.6em}figure{flex:0 0 calc(50% - 4px)}"
        ".wider figure{flex-basis:100%;max-width:none}.wide img{max-width:none}}";
    FILE *f = fopen("build/reality.html", "w"), *tosses = fopen("build/tosses.svg", "r");
    int i;
    if (!f) return 1;
    page_file = f;
    fprintf(f, "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>nsc: known answers</title>\n"
               "<style>%s</style>\n<h1>nsc: known answers</h1>\n<p>What mechanics knows, and what nsc says: each scene with three "
               "pictures of its run, or a curve over "
               "time (grey: known, red: nsc), and the error of the number that is named, at so many steps a second. Made by <code>make "
               "reality-page</code> on "
               "this machine.</p>\n", style);
    if (tosses) {
        fprintf(f, "<h2>A cube that is thrown</h2>\n<p>285 tosses of a real cube, tracked by cameras, beside nsc from the same start "
                   "(<code>make reality</code> "
                   "with their data).</p>\n<p><img src='tosses.svg' alt='Tosses of a real cube, measured and simulated'></p>\n");
        fclose(tosses);
    }
    copy_in(f, "build/grains.html");
    for (i = 0; i < KNOWN; i++) one_known(f, &all[i]);
    fprintf(f, "<h2>How fast the solvers are</h2>\n<p>Every step has to find the forces at all contacts together. Here nsc's solvers, "
               "from nothing, work on three "
               "walls of bricks, whose middle brick is struck. To the right: time on this machine, each line ten times the one before. "
               "Downward: how far the "
               "answer is still off, as the largest speed in m/s at which a contact breaks its law; each line is a tenth of the one "
               "above. The lower and the "
               "farther left a curve, the better. SIPGS is what nsc uses unless told otherwise: quick to what the eye sees, 1e-3 m/s. "
               "The others "
               "go on to exact answers.</p>\n<div class='wide'><img src='solvers.svg' alt='Remaining error over time of six solvers on "
               "walls of 3, 28 and 253 "
               "bricks'></div>\n");
    fprintf(f, "<h2>Elsewhere</h2><ul>\n");
    for (i = 0; i < (int)(sizeof elsewhere / sizeof *elsewhere); i++)
        fprintf(f, "<li>%s: <code>tests/%s</code></li>\n", elsewhere[i][0], elsewhere[i][1]);
    fprintf(f, "</ul></html>\n");
    return fclose(f);
}
#endif

/* ---- The measure of tosses.h against the eight corners themselves, of turns and places by a fixed recipe */
static void the_corners_are_what_the_tosses_are_judged_by(void)
{
    toss_row of[2];
    toss_error e;
    double q[4], x[3], a[3], b[3], corner[3], sum;
    int trial, i, k;
    memset(of, 0, sizeof of);
    for (trial = 0; trial < 50; trial++) {
        double na = 0, nb = 0, angle;
        for (i = 0; i < 4; i++) of[1].q[i] = sin(trial + 3. * i + 1), q[i] = cos(2. * trial + 5. * i);
        for (i = 0; i < 4; i++) na += of[1].q[i] * of[1].q[i], nb += q[i] * q[i];
        for (i = 0; i < 4; i++) of[1].q[i] /= sqrt(na), q[i] /= sqrt(nb);
        for (i = 0; i < 3; i++) of[1].x[i] = .1 * sin(trial + 7. * i), x[i] = .1 * cos(trial + 11. * i);
        for (sum = 0, k = 0; k < 8; k++) {
            for (i = 0; i < 3; i++) corner[i] = (k >> i & 1) ? TOSS_HALF : -TOSS_HALF;
            toss_turn(of[1].q, corner, a), toss_turn(q, corner, b);
            for (i = 0; i < 3; i++) sum += pow(of[1].x[i] + a[i] - x[i] - b[i], 2) / 8;
        }
        memset(&e, 0, sizeof e);
        toss_compare(&e, of, x, q, 1, 2);
        CHECK_NEAR(e.corner, sqrt(sum) / TOSS_WIDTH, 1e-9);
        /* the trace of a turn is 1 + 2 cos(angle) */
        for (sum = 0, i = 0; i < 3; i++) {
            double axis[3] = {0, 0, 0};
            axis[i] = 1;
            toss_turn(of[1].q, axis, a), toss_turn(q, axis, b);
            sum += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        }
        angle = acos(fmax(-1, fmin(1, (sum - 1) / 2)));
        CHECK_NEAR(e.angle, angle, 1e-6);
        CHECK_NEAR(e.position, length(vec(of[1].x[0] - x[0], of[1].x[1] - x[1], of[1].x[2] - x[2])) / TOSS_WIDTH, 1e-6);
        CHECK_NEAR(toss_lowest(x, q) - x[2], -TOSS_HALF * (fabs(2 * (q[1] * q[3] - q[0] * q[2])) + fabs(2 * (q[2] * q[3] + q[0] * q[1])) +
                                                           fabs(1 - 2 * (q[1] * q[1] + q[2] * q[2]))), 1e-9);
    }
}

int main(int argc, char **argv)
{
    int i;
    test_begin(argc, argv);
    the_corners_are_what_the_tosses_are_judged_by();
    all[0].answer = 10 / 17., all[1].answer = 2 / 3., all[3].answer = reversal(), all[6].answer = tan(asin(1 / sqrt(3)) / 2);
    all[12].answer = capstan_law(), all[13].answer = rod_law();
    all[15].answer = 8 * domino_pitch / domino_model() / sqrt(g * domino_h);
    for (i = 0; i < KNOWN; i++) run_known(&all[i]);
    CASE_END();
#ifdef REALITY_PAGE
    if (page()) return 1;
    printf("wrote build/reality.html\n");
#endif
    return TEST_END("reality");
}
