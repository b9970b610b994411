/* Pictures in build/, which `make demo` puts on a page, build/index.html: a stack, an arch that
   stands and falls, a gripper, the gait of a quadruped as a film strip, and what more sweeps cost
   and bring.  Drawn by kit/nsc_svg.h.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for joints (nsc_joints.h, nsc_joint_state.h),
   cylinders and hulls (nsc_convex.h, nsc_support.h), poses (nsc_pose.h), pictures (nsc_svg.h, nsc_draw.h), the
   robot's table (nsc_robot.h) and the solvers that are compared (nsc_newton.h, nsc_admm.h,
   nsc_factor.h, nsc_auto.h; SIPGS and APGD are in nsc_solvers.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 18_pictures.c -lm
   Expected: five pictures in build/; the arch stands within a millimetre. */
#define NSC_HULL_VERTICES 16
#define NSC_MAX_BODIES 20
#define NSC_MAX_SHAPES 30
#define NSC_MAX_CONTACTS 96
#define NSC_MAX_JOINTS 12
#define NSC_MAX_JOINT_BLOCKS 48
#define NSC_CONVEX 1
#define NSC_ARENA NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS) /* for each of them */
#define NSC_IMPLEMENTATION
#include "nsc_newton.h"
#include "nsc_admm.h"
#include "nsc_auto.h"
#include "nsc.h"
#include "nsc_pose.h"
#include "nsc_svg.h"
#include "nsc_robot.h"
#include "../tests/robots/quadruped.h"
#include <time.h>

static nsc_world world;
static nsc_svg picture;
static int paint[NSC_MAX_BODIES]; /* 0xRRGGBB */
enum { CLAY = 0xc8704f, SAND = 0xdcc59a, STONE = 0x9fb0b8, SLATE = 0x66788a, COAL = 0x3c4650, MOSS = 0x7a8f4f };

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static int index_of(nsc_id body)
{
    int i;
    for (i = 0; i < world.body_end; i++)
        if (nsc_world_body_at(&world, i) == body) return i;
    return 0;
}

static int colour_of(void *user, nsc_id body)
{
    (void)user;
    return paint[index_of(body)];
}

static int begin(nsc_real friction)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    ground.friction = friction;
    if (nsc_world_init(&world, &def) < 0) return -1;
    return nsc_world_add_shape(&world, NSC_GROUND, &ground);
}

static nsc_id put(nsc_vec3 at, nsc_shape_def shape, int colour)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position = at;
    id = nsc_world_add_body(&world, &body);
    if (id < 0 || nsc_world_add_shape(&world, id, &shape) < 0) return -1;
    paint[index_of(id)] = colour;
    return id;
}

static int run(double seconds)
{
    int i, code = 0;
    for (i = 0; i < (int)(seconds * 240 + 0.5) && code >= 0; i++) code = nsc_world_step(&world, NSC_R(1.0) / 240);
    return code;
}

static FILE *open_picture(const char *name, int width, int height, const char *title)
{
    FILE *file = fopen(name, "w");
    if (!file) return NULL;
    nsc_svg_begin(&picture, file, width, height, title);
    picture.colour = colour_of;
    return file;
}

static int close_picture(void)
{
    nsc_svg_end(&picture);
    return ferror(picture.file) | fclose(picture.file) ? -1 : 0;
}

/* The world as it is, with a line below it; -1 if the picture has no room for it */
static int frame(double left, double width, double height, const char *text)
{
    int dropped = nsc_svg_world(&picture, &world, left, 0, width, height);
    nsc_svg_text(&picture, left + 0.5 * width, height - 16, 14, "middle", text);
    return dropped ? -1 : 0;
}

/* ---- ten cubes, and the same a moment after a ball has met them */
static int stack(void)
{
    static const int colour[3] = {CLAY, SAND, STONE};
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25)), ball = nsc_default_sphere_def(NSC_R(0.3));
    nsc_body_def flying = nsc_default_body_def();
    nsc_id id;
    int i;
    if (begin(NSC_R(0.5)) < 0 || !open_picture("build/stack.svg", 900, 560, "Ten cubes, and the same after a ball has met them")) return -1;
    cube.density = 100;
    for (i = 0; i < 10; i++)
        if (put(vec(0, 0, NSC_R(0.25) + NSC_R(0.5) * (nsc_real)i), cube, colour[i % 3]) < 0) return -1;
    if (run(2) < 0) return -1;
    nsc_svg_look(&picture, 7, -13, 4.5, 0, 0, 2.25);
    picture.zoom = 0.92;
    if (frame(0, 450, 560, "ten cubes at rest") < 0) return -1;
    ball.density = 400;
    flying.pose.position = vec(-3, NSC_R(-0.05), 2);
    flying.velocity = vec(9, 0, 1);
    id = nsc_world_add_body(&world, &flying);
    if (id < 0 || nsc_world_add_shape(&world, id, &ball) < 0) return -1;
    paint[index_of(id)] = COAL;
    if (run(0.62) < 0 || frame(450, 450, 560, "0.62 s after a ball was thrown") < 0) return -1;
    return close_picture();
}

/* ---- fifteen hulls in a half ring of mean radius 1.5 m */
enum { VOUSSOIRS = 15 };
static double sunk; /* of its keystone [m] */

static int arch(void)
{
    static const uint8_t faces[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const nsc_real pi = NSC_R(3.14159265), inner = NSC_R(1.3), outer = NSC_R(1.7), depth = NSC_R(0.3);
    nsc_quat half = nsc_quat_from_axis_angle(vec(0, 1, 0), pi / VOUSSOIRS);
    nsc_shape_def shape = nsc_default_hull_def(), ball = nsc_default_sphere_def(NSC_R(0.22));
    nsc_body_def flying = nsc_default_body_def();
    static nsc_hull hull;
    static const nsc_hull *const hulls = &hull;
    nsc_pose pose;
    nsc_id key = 0, id;
    int i, k;
    if (begin(NSC_R(0.7)) < 0 || !open_picture("build/arch.svg", 1080, 340, "An arch stands, and falls when a ball has met it")) return -1;
    hull.vertices = 8;
    hull.faces = 6;
    for (i = 0; i < 6; i++) hull.first[i + 1] = (uint8_t)(4 * (i + 1));
    for (i = 0; i < 24; i++) hull.corner[i] = faces[i];
    for (k = 0; k < 8; k++) { /* bit 0 along x, 1 along y, 2 outward */
        nsc_real r = k & 4 ? outer : inner;
        hull.vertex[k] = vec((k & 1 ? r : -r) * half.y, k & 2 ? depth : -depth, r * half.w - NSC_R(1.5));
    }
    if (nsc_hull_complete(&hull) < 0 || nsc_world_set_hulls(&world, &hulls, 1) < 0) return -1;
    shape.friction = NSC_R(0.7);
    for (i = 0; i < VOUSSOIRS; i++) {
        nsc_body_def body = nsc_default_body_def();
        nsc_pose turned = body.pose;
        turned.orientation = nsc_quat_from_axis_angle(vec(0, 1, 0), pi * ((nsc_real)i + NSC_R(0.5)) / VOUSSOIRS - pi / 2);
        body.pose.position = nsc_pose_vector(turned, vec(0, 0, NSC_R(1.5)));
        body.pose.orientation = turned.orientation;
        id = nsc_world_add_body(&world, &body);
        if (id < 0 || nsc_world_add_hull(&world, id, &shape, 0) < 0) return -1;
        paint[index_of(id)] = i == VOUSSOIRS / 2 ? CLAY : i % 2 ? STONE : SAND;
        if (i == VOUSSOIRS / 2) key = id;
    }
    if (run(2.5) < 0) return -1;
    nsc_body_get_pose(&world, key, &pose);
    sunk = 1.5 - (double)pose.position.z;
    printf("arch: the keystone is %.3f mm below where it was put, after 2.5 s: %s\n", 1e3 * sunk, fabs(sunk) < 1e-3 ? "stands" : "NOT AS EXPECTED");
    if (fabs(sunk) >= 1e-3) return -1;
    nsc_svg_look(&picture, 3, -9, 2.6, 0, 0, 0.7);
    picture.zoom = 0.88;
    if (frame(0, 360, 340, "it stands by friction alone") < 0) return -1;
    flying.pose.position = vec(-3, 0, NSC_R(0.85));
    flying.velocity = vec(10, 0, 1);
    ball.density = 4000;
    id = nsc_world_add_body(&world, &flying);
    if (id < 0 || nsc_world_add_shape(&world, id, &ball) < 0) return -1;
    paint[index_of(id)] = COAL;
    if (run(0.32) < 0 || frame(360, 360, 340, "0.32 s after a ball was thrown") < 0) return -1;
    if (run(0.5) < 0 || frame(720, 360, 340, "0.82 s") < 0) return -1;
    return close_picture();
}

/* ---- two jaws on sliders that grip a cube and lift it */
static int gripper(void)
{
    nsc_shape_def finger = nsc_default_box_def(NSC_R(0.012), NSC_R(0.03), NSC_R(0.06)), cube = nsc_default_box_def(NSC_R(0.03), NSC_R(0.03), NSC_R(0.03));
    nsc_shape_def palm = nsc_default_box_def(NSC_R(0.11), NSC_R(0.03), NSC_R(0.015));
    nsc_joint_def joint;
    nsc_id hand, lift, jaw[2], slide[2];
    static const char *const what[3] = {"open", "closed", "lifted"};
    int i, k;
    if (begin(NSC_R(0.6)) < 0 || !open_picture("build/gripper.svg", 1080, 380, "A gripper: open, closed, lifted")) return -1;
    hand = put(vec(0, 0, NSC_R(0.17)), palm, SLATE);
    if (put(vec(0, 0, NSC_R(0.03)), cube, CLAY) < 0 || nsc_body_set_mass(&world, hand, NSC_R(0.5)) < 0) return -1;
    joint = nsc_default_joint_def(NSC_JOINT_SLIDER, NSC_GROUND, hand);
    if (nsc_joint_place(&world, &joint, vec(0, 0, NSC_R(0.17)), vec(0, 0, 1), vec(1, 0, 0)) < 0) return -1;
    joint.axis[0].drive = NSC_DRIVE_SERVO;
    joint.axis[0].stiffness = 4000;
    joint.axis[0].damping = 120;
    lift = nsc_world_add_joint(&world, &joint);
    for (i = 0; i < 2; i++) {
        nsc_real side = i ? NSC_R(1.0) : NSC_R(-1.0);
        jaw[i] = put(vec(NSC_R(0.075) * side, 0, NSC_R(0.095)), finger, COAL);
        if (nsc_body_set_mass(&world, jaw[i], NSC_R(0.1)) < 0) return -1;
        joint = nsc_default_joint_def(NSC_JOINT_SLIDER, hand, jaw[i]);
        if (nsc_joint_place(&world, &joint, vec(NSC_R(0.075) * side, 0, NSC_R(0.15)), vec(-side, 0, 0), vec(0, 0, 1)) < 0) return -1;
        joint.axis[0].drive = NSC_DRIVE_MOTOR;
        joint.axis[0].target_velocity = 0;
        joint.axis[0].max_force = 12;
        slide[i] = nsc_world_add_joint(&world, &joint);
    }
    if (lift < 0 || slide[0] < 0 || slide[1] < 0) return -1;
    nsc_svg_look(&picture, 0.3, -0.9, 0.36, 0.01, 0, 0.15);
    picture.zoom = 0.88;
    for (k = 0; k < 3; k++) {
        for (i = 0; i < 2 && k == 1; i++)
            if (nsc_joint_set_target(&world, slide[i], 0, 0, NSC_R(0.06)) < 0) return -1;
        for (i = 1; i <= 240 && k == 2; i++) {
            nsc_real speed = i < 240 ? NSC_R(0.12) : 0;
            if (nsc_joint_set_target(&world, lift, 0, NSC_R(0.12) * (nsc_real)i / 240, speed) < 0) return -1;
            if (nsc_world_step(&world, NSC_R(1.0) / 240) < 0) return -1;
        }
        if (run(k == 2 ? 0.5 : 1) < 0 || frame(360 * k, 360, 380, what[k]) < 0) return -1;
    }
    return close_picture();
}

/* ---- the quadruped of 08_quadruped.c trots: six views of a cycle, and below them when each foot bears */
static int gait(void)
{
    enum { LEGS = 4, HIP = 1, KNEE = 2, HINGES = 3, RATE = 480, HALF = RATE / 4, FRAMES = 6, CYCLE = 2 * HALF };
    static const char *const foot[LEGS] = {"front left", "front right", "rear left", "rear right"};
    static const char *const name[LEGS][HINGES] = {{"FL_hip_joint", "FL_thigh_joint", "FL_calf_joint"},
                                                   {"FR_hip_joint", "FR_thigh_joint", "FR_calf_joint"},
                                                   {"RL_hip_joint", "RL_thigh_joint", "RL_calf_joint"},
                                                   {"RR_hip_joint", "RR_thigh_joint", "RR_calf_joint"}};
    const nsc_real folded = NSC_R(1.38), stands = NSC_R(0.8);
    nsc_id body[quadruped_LINKS], joint[quadruped_JOINTS];
    nsc_real target[quadruped_JOINTS] = {0};
    nsc_pose base = nsc_default_body_def().pose;
    int place[LEGS][HINGES], since_when[LEGS] = {-1, -1, -1, -1}, i, k, tick;
    char text[40];
    nsc_vec3 force;
    if (begin(NSC_R(1.28)) < 0 || !open_picture("build/gait.svg", 1220, 330, "A quadruped's trot, and when its feet bear")) return -1;
    base.position.z = NSC_R(0.0999);
    if (nsc_robot_add(&world, &quadruped, base, body, joint) < 0) return -1;
    for (i = 0; i < quadruped_LINKS; i++) paint[index_of(body[i])] = i == 0 ? CLAY : i % 3 == 1 ? COAL : i % 3 == 2 ? STONE : SLATE;
    for (i = 0; i < LEGS; i++)
        for (k = 0; k < HINGES; k++) {
            nsc_joint_def def;
            place[i][k] = nsc_robot_joint(&quadruped, name[i][k]);
            if (nsc_joint_get_def(&world, joint[place[i][k]], &def) < 0) return -1;
            def.axis[0].drive = NSC_DRIVE_SERVO;
            def.axis[0].stiffness = 150;
            def.axis[0].damping = 3;
            if (nsc_joint_set_axis(&world, joint[place[i][k]], 0, &def.axis[0]) < 0) return -1;
            if (nsc_joint_set_state(&world, joint[place[i][k]], 0, k == KNEE ? -2 * folded : k == HIP ? folded : 0, 0) < 0) return -1;
        }
    for (tick = 0; tick <= 3 * RATE; tick++) {
        nsc_real t = tick < RATE ? (nsc_real)tick / RATE : 1, s = t * t * (3 - 2 * t);
        int since = tick - 2 * RATE, at = since - CYCLE; /* the second cycle is drawn */
        for (i = 0; i < LEGS; i++) {
            int swings = since >= 0 && (i == 0 || i == 3) == (since / HALF % 2 == 0);
            nsc_real phase = (nsc_real)(since % HALF) / HALF, angle = folded + s * (stands - folded);
            if (swings) angle += NSC_R(1.2) * phase * (1 - phase);
            target[place[i][HIP]] = angle + s * NSC_R(0.02);
            target[place[i][KNEE]] = -2 * angle;
        }
        if (nsc_robot_set_targets(&world, &quadruped, joint, target, NULL) < 0) return -1;
        if (nsc_world_step(&world, NSC_R(1.0) / RATE) < 0) return -1;
        if (at < 0 || at > CYCLE) continue;
        if (at < CYCLE && at % (CYCLE / FRAMES) == CYCLE / FRAMES / 2) {
            double x;
            nsc_body_get_pose(&world, body[0], &base);
            x = (double)base.position.x - 0.06; /* it walks backward, and the camera with it */
            nsc_svg_look(&picture, x + 0.5, -1.6, 0.5, x, 0, 0.15);
            picture.zoom = 0.8;
            snprintf(text, sizeof text, "%.0f ms", 1e3 * at / RATE);
            if (frame(90 + 185 * (at / (CYCLE / FRAMES)), 185, 230, text) < 0) return -1;
        }
        for (i = 0; i < LEGS; i++) { /* a bar from where a foot comes down to where it leaves */
            nsc_id shank = body[quadruped.joint[place[i][KNEE]].child];
            int bears = nsc_body_get_contact_force(&world, shank, &force, NULL) >= 0 && force.z > 1 && at < CYCLE;
            if (bears && since_when[i] < 0) since_when[i] = at;
            if (bears || since_when[i] < 0) continue;
            fprintf(picture.file, "<rect x='%.1f' y='%d' width='%.1f' height='11' rx='2' fill='#%06x'/>\n", 90 + 1110.0 * since_when[i] / CYCLE,
                    244 + 18 * i, 1110.0 * (at - since_when[i]) / CYCLE, (unsigned)(i == 0 || i == 3 ? CLAY : SLATE));
            since_when[i] = -1;
        }
    }
    for (i = 0; i < LEGS; i++) nsc_svg_text(&picture, 82, 254 + 18 * i, 12, "end", foot[i]);
    nsc_svg_text(&picture, 645, 324, 12, "middle", "bars: the foot carries more than 1 N");
    return close_picture();
}

/* ---- what a step costs and how far it is off: ten cubes laid askew, half a second from a cold start, by solver and sweeps */
typedef struct way {
    const char *name;
    nsc_solver *solve;
    int most, colour;
    double time, error, iterations, residual; /* means of a step; where the cubes are against NEWTON [m]; the largest [m/s] */
} way;

static int drop(way *w, nsc_vec3 *at)
{
    enum { CUBES = 10, STEPS = 120, REPEATS = 3 };
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25));
    nsc_id id[CUBES];
    nsc_pose pose;
    int i, repeat;
    for (repeat = 0; repeat < REPEATS; repeat++) {
        nsc_world_def def;
        nsc_calls calls = nsc_default_calls();
        clock_t start;
        double seconds;
        if (begin(NSC_R(0.5)) < 0) return -1;
        def = world.def;
        calls.solve = w->solve;
        def.solver.max_iterations = w->most;
        if (nsc_world_set_def(&world, &def) < 0) return -1;
        for (i = 0; i < CUBES; i++) {
            id[i] = put(vec(NSC_R(0.03) * (nsc_real)(i % 3), 0, NSC_R(0.25) + NSC_R(0.5) * (nsc_real)i), cube, 0);
            if (id[i] < 0) return -1;
        }
        w->iterations = w->residual = 0;
        start = clock();
        for (i = 0; i < STEPS; i++) {
            if (nsc_world_step_with(&world, NSC_R(1.0) / 240, &calls) < 0) return -1;
            w->iterations += nsc_world_report(&world)->solver.iterations / (double)STEPS;
            w->residual = fmax(w->residual, (double)nsc_world_report(&world)->solver.residual);
        }
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC / STEPS;
        if (repeat == 0 || seconds < w->time) w->time = fmax(seconds, 1e-8); /* the quickest of three: least disturbed */
    }
    w->error = 0;
    for (i = 0; i < CUBES; i++) {
        double d[3], e[3];
        nsc_body_get_pose(&world, id[i], &pose);
        if (w->solve == nsc_solve_newton) at[i] = pose.position;
        nsc_svg_copy(d, pose.position);
        nsc_svg_copy(e, at[i]);
        w->error = fmax(w->error, sqrt(pow(d[0] - e[0], 2) + pow(d[1] - e[1], 2) + pow(d[2] - e[2], 2)));
    }
    return 0;
}

/* A plot with logarithmic axes: where its decades begin and how many there are */
static double first_time = 1e-6, first_error = 1e-6; /* [s], [m] */
static int times = 1, errors = 1;
static double across(double s) { return 84 + 440 * log10(s / first_time) / times; }
static double down(double m) { return 360 - 310 * log10(fmax(m, first_error) / first_error) / errors; }

static void unit_of(char *text, size_t size, double value, const char *unit)
{
    static const char *const prefix[] = {"n", "u", "m", ""};
    int i = 0;
    for (value *= 1e9; value > 999 && i < 3; i++) value /= 1e3;
    snprintf(text, size, "%.0f %s%s", value, prefix[i], unit);
}

static int pareto(void)
{
    way exact = {"NEWTON", nsc_solve_newton, 100, 0, 0, 0, 0, 0};
    way ways[] = {{"SIPGS", nsc_solve_sipgs, 4, CLAY, 0, 0, 0, 0},   {"SIPGS", nsc_solve_sipgs, 10, CLAY, 0, 0, 0, 0},
                  {"SIPGS", nsc_solve_sipgs, 20, CLAY, 0, 0, 0, 0},  {"SIPGS", nsc_solve_sipgs, 50, CLAY, 0, 0, 0, 0},
                  {"SIPGS", nsc_solve_sipgs, 100, CLAY, 0, 0, 0, 0}, {"APGD", nsc_solve_apgd, 20, SLATE, 0, 0, 0, 0},
                  {"APGD", nsc_solve_apgd, 100, SLATE, 0, 0, 0, 0},  {"ADMM", nsc_solve_admm, 100, MOSS, 0, 0, 0, 0},
                  {"AUTO", nsc_solve_auto, 100, COAL, 0, 0, 0, 0}};
    nsc_vec3 at[10];
    double low = 1, high = 0, least = 1, most = 0, legend = -20;
    char text[40];
    int i, n = (int)(sizeof ways / sizeof ways[0]);
    FILE *f;
    if (drop(&exact, at) < 0) return -1;
    printf("ten cubes laid askew, half a second; NEWTON's residual is at most %.0e m/s\n", exact.residual);
    for (i = 0; i < n; i++) {
        if (drop(&ways[i], at) < 0) return -1;
        low = fmin(low, ways[i].time);
        high = fmax(high, ways[i].time);
        least = fmin(least, fmax(ways[i].error, 1e-7));
        most = fmax(most, ways[i].error);
    }
    first_time = pow(10, floor(log10(low)));
    times = (int)ceil(log10(high / first_time));
    first_error = pow(10, floor(log10(least)));
    errors = (int)ceil(log10(most / first_error));
    f = open_picture("build/pareto.svg", 560, 460, "What a step costs and how far it is off, by solver and sweeps");
    if (!f) return -1;
    for (i = 0; i <= times; i++) {
        double t = first_time * pow(10, i);
        fprintf(f, "<path d='M%.1f 50V360' stroke='#d5dade'/>", across(t));
        unit_of(text, sizeof text, t, "s");
        nsc_svg_text(&picture, across(t), 382, 15, "middle", text);
    }
    for (i = 0; i <= errors; i++) {
        double e = first_error * pow(10, i);
        fprintf(f, "<path d='M84 %.1fH524' stroke='#d5dade'/>", down(e));
        unit_of(text, sizeof text, e, "m");
        nsc_svg_text(&picture, 78, down(e) + 5, 15, "end", text);
    }
    nsc_svg_text(&picture, 304, 408, 15, "middle", "mean time of a step on this machine");
    nsc_svg_text(&picture, 84, 32, 15, "start", "error of the cubes' places after half a second");
    for (i = 0; i < n; i++) { /* a name for each solver above, its most iterations at each point */
        if (i + 1 < n && ways[i].solve == ways[i + 1].solve)
            fprintf(f, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#%06x' stroke-width='1.5'/>", across(ways[i].time), down(ways[i].error),
                    across(ways[i + 1].time), down(ways[i + 1].error), (unsigned)ways[i].colour);
        if (i == 0 || ways[i].solve != ways[i - 1].solve) {
            legend += 110;
            fprintf(f, "<circle cx='%.1f' cy='436' r='5' fill='#%06x'/>", legend, (unsigned)ways[i].colour);
            nsc_svg_text(&picture, legend + 10, 441, 15, "start", ways[i].name);
        }
        fprintf(f, "<circle cx='%.1f' cy='%.1f' r='5' fill='#%06x'/>\n", across(ways[i].time), down(ways[i].error), (unsigned)ways[i].colour);
        snprintf(text, sizeof text, "%d", ways[i].most);
        if (2 * ways[i].iterations > ways[i].most)
            nsc_svg_text(&picture, across(ways[i].time) + 8, down(ways[i].error) - 6, 14, "start", text);
        printf("%-5s at most %3d iterations, %5.1f a step: %6.1f us a step, off by %.1e m\n", ways[i].name, ways[i].most, ways[i].iterations,
               1e6 * ways[i].time, ways[i].error);
    }
    return close_picture();
}

int main(void)
{
    if (stack() < 0 || arch() < 0 || gripper() < 0 || gait() < 0 || pareto() < 0) {
        printf("no folder build/, or a step that failed\n");
        return 1;
    }
    printf("five pictures drawn: a tower, an arch, a gripper, a trot, and what sweeps cost; the arch's keystone sank by %.2f mm\n", 1e3 * sunk);
    return 0;
}
