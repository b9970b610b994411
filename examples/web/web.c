/* nsc in a page: twelve scenes, what may be changed while they run, a hand that drags, snapshots, a robot that comes as numbers,
   and buffers for WebGL.  page.html is the other half; make.sh puts both into one file.  Nothing is imported.  hash.c includes
   this file natively.
   Files: nsc.h and nsc_solvers.h, and all of kit/, as the page offers all solvers and steppers
   (nsc_all.h). */
#define NSC_MAX_BODIES 256
#define NSC_MAX_SHAPES 256
#define NSC_MAX_CONTACTS 2400
#define NSC_MAX_JOINTS 40
#define NSC_MAX_JOINT_BLOCKS 160
#define NSC_MAX_ROLLING 32
#define NSC_MAX_SPRINGS 420
#define NSC_MAX_FORCES 1
#define NSC_HULL_VERTICES 16
#define NSC_TERRAIN 1
#define NSC_MAX_EVENTS 0
#define NSC_ARENA 1200000L /* reals of scratch: a page has room */
#define NSC_STATIC
#define NSC_IMPLEMENTATION
#include "nsc_all.h"
#include "nsc_draw.h"
#include "nsc_robot.h"
#include "tests/robots/quadruped.h"
#include "examples/28_panda.h"
#ifdef TOSS
#include "toss.h" /* written by make.sh from a recording */
#endif

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#else
#define EXPORT(name) name
#endif

enum { TICKS = 48000 }; /* in a second: every rate offered divides it, so that time is a whole number */
/* What a body is painted with; page.html has the colours. */
enum { FLOOR, STONE, CLAY, SLATE, SAGE, SAND, PLUM, COAL, PAINTS };
enum { LINE_FORCE, LINE_POINT, LINE_EDGE, LINE_HAND, LINE_RECORD };

typedef struct scene {
    const char *name;
    int (*build)(nsc_world_def *def); /* changes def, makes the world and fills it; 0, or negative */
    int (*control)(void);             /* before each step; or NULL */
    int rate;                         /* steps a second */
    nsc_real size;                    /* of what is looked at [m]; the hand and lines are scaled by it */
    nsc_real weight;                  /* a usual contact force [N]: its line is a fifth of size */
    int solver;                       /* NSC_SOLVER_* */
} scene;

static nsc_world world;
static nsc_world_def def;
static const scene *now;
static nsc_real scene_size; /* of the scene that is shown [m] */
static long ticks, steps;
static int rate;
static unsigned char paint[NSC_MAX_BODIES]; /* by slot */

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0};
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static nsc_vec3 add(nsc_vec3 a, nsc_real s, nsc_vec3 b) { return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
static nsc_real dot(nsc_vec3 a, nsc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static nsc_real length(nsc_vec3 a) { return NSC_SQRT(dot(a, a)); }
static nsc_vec3 cross(nsc_vec3 a, nsc_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static nsc_vec3 unit(nsc_vec3 a)
{
    nsc_real l = length(a);
    return l > 0 ? vec(a.x / l, a.y / l, a.z / l) : vec(0, 0, 1);
}

static int slot_of(nsc_id body)
{
    int i;
    for (i = 0; i < world.body_end; i++)
        if (nsc_world_body_at(&world, i) == body) return i;
    return 0;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------------- */

static int begin(const nsc_world_def *d, nsc_real friction)
{
    nsc_shape_def ground = nsc_default_half_space_def();
    int code = nsc_world_init(&world, d);
    ground.friction = friction;
    return code < 0 ? code : nsc_world_add_shape(&world, NSC_GROUND, &ground);
}

/* A body with one shape, painted.  Returns its handle or an error. */
static nsc_id put(nsc_vec3 at, nsc_quat turn, nsc_shape_def *shape, int colour)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    int code;
    body.pose.position = at;
    body.pose.orientation = turn;
    id = nsc_world_add_body(&world, &body);
    if (id < 0) return id;
    paint[slot_of(id)] = (unsigned char)colour;
    code = nsc_world_add_shape(&world, id, shape);
    return code < 0 ? code : id;
}

static nsc_quat none(void) { return nsc_default_body_def().pose.orientation; }
static nsc_quat about_y(nsc_real angle) { return nsc_quat_from_axis_angle(vec(0, 1, 0), angle); }

/* A ball to throw; rolling friction brings it to rest */
static int ball(nsc_real x, nsc_real y, nsc_real radius, nsc_real density, nsc_real friction)
{
    nsc_shape_def d = nsc_default_sphere_def(radius);
    d.density = density;
    d.friction = friction;
    d.rolling = NSC_R(0.02) * radius;
    return put(vec(x, y, radius), none(), &d, COAL);
}

static int build_stack(nsc_world_def *d)
{
    static const unsigned char colour[3] = {CLAY, SAND, STONE};
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25));
    int i, code = begin(d, NSC_R(0.5));
    cube.density = 100;
    for (i = 0; i < 10 && code >= 0; i++)
        code = put(vec(0, 0, NSC_R(0.25) + NSC_R(0.5) * (nsc_real)i), none(), &cube, colour[i % 3]);
    return code < 0 ? code : ball(NSC_R(1.6), NSC_R(-0.6), NSC_R(0.3), 400, NSC_R(0.5));
}

/* Fifteen hulls in a half ring of mean radius 1.5 m, and nothing that holds them but friction */
enum { VOUSSOIRS = 15 };
static int build_arch(nsc_world_def *d)
{
    static const uint8_t faces[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const nsc_real pi = NSC_R(3.14159265), inner = NSC_R(1.3), outer = NSC_R(1.7), depth = NSC_R(0.3);
    nsc_quat half = about_y(pi / VOUSSOIRS); /* its w and y: cosine and sine of half a voussoir's angle */
    nsc_shape_def shape = nsc_default_hull_def();
    static nsc_hull hull;
    static const nsc_hull *const hulls = &hull;
    int i, k, code = begin(d, NSC_R(0.7));
    hull.vertices = 8;
    hull.faces = 6;
    for (i = 0; i < 6; i++) hull.first[i + 1] = (uint8_t)(4 * (i + 1));
    for (i = 0; i < 24; i++) hull.corner[i] = faces[i];
    for (k = 0; k < 8; k++) { /* bit 0 along x, 1 along y, 2 outward */
        nsc_real r = k & 4 ? outer : inner;
        hull.vertex[k] = vec((k & 1 ? r : -r) * half.y, k & 2 ? depth : -depth, r * half.w - NSC_R(1.5));
    }
    if (code >= 0) code = nsc_hull_complete(&hull);
    if (code >= 0) code = nsc_world_set_hulls(&world, &hulls, 1);
    shape.friction = NSC_R(0.7);
    shape.density = 1800;
    for (i = 0; i < VOUSSOIRS && code >= 0; i++) {
        nsc_real angle = pi * ((nsc_real)i + NSC_R(0.5)) / VOUSSOIRS - pi / 2; /* from upright */
        nsc_pose turned = nsc_default_body_def().pose;
        nsc_body_def body = nsc_default_body_def();
        nsc_id id;
        turned.orientation = about_y(angle);
        body.pose.position = nsc_pose_vector(turned, vec(0, 0, NSC_R(1.5)));
        body.pose.orientation = turned.orientation;
        code = id = nsc_world_add_body(&world, &body);
        if (code < 0) break;
        paint[slot_of(id)] = i == VOUSSOIRS / 2 ? CLAY : i % 2 ? STONE : SAND;
        code = nsc_world_add_hull(&world, id, &shape, 0);
    }
    if (code >= 0) code = ball(NSC_R(-0.5), NSC_R(-0.9), NSC_R(0.2), 1800, NSC_R(0.7));
    return code < 0 ? code : ball(NSC_R(0.2), NSC_R(-1.3), NSC_R(0.2), 1800, NSC_R(0.7));
}

/* The quadruped of 08_quadruped.c: it crouches, rises and trots in place. */
enum { LEGS = 4, HIP = 1, KNEE = 2, HINGES = 3 };
static nsc_id robot_body[quadruped_LINKS], robot_joint[quadruped_JOINTS];
static int leg_joint[LEGS][HINGES]; /* of a leg's joints among the robot's */
#define FOLDED NSC_R(1.38)          /* angle of the thigh to the vertical when it crouches, and when it stands [rad] */
#define STANDS NSC_R(0.80)

static int build_quadruped(nsc_world_def *d)
{
    static const char *const name[LEGS][HINGES] = {{"FL_hip_joint", "FL_thigh_joint", "FL_calf_joint"},
                                                   {"FR_hip_joint", "FR_thigh_joint", "FR_calf_joint"},
                                                   {"RL_hip_joint", "RL_thigh_joint", "RL_calf_joint"},
                                                   {"RR_hip_joint", "RR_thigh_joint", "RR_calf_joint"}};
    nsc_pose base = nsc_default_body_def().pose;
    int i, k, code = begin(d, NSC_R(1.28));
    base.position.z = NSC_R(0.0999);
    if (code >= 0) code = nsc_robot_add(&world, &quadruped, base, robot_body, robot_joint);
    for (i = 0; i < quadruped_LINKS && code >= 0; i++)
        paint[slot_of(robot_body[i])] = i == 0 ? CLAY : i % 3 == 1 ? COAL : i % 3 == 2 ? STONE : SLATE;
    for (i = 0; i < LEGS; i++)
        for (k = 0; k < HINGES && code >= 0; k++) {
            nsc_joint_def joint;
            nsc_real at = k == KNEE ? -2 * FOLDED : k == HIP ? FOLDED : 0;
            nsc_id id;
            leg_joint[i][k] = nsc_robot_joint(&quadruped, name[i][k]);
            id = robot_joint[leg_joint[i][k]];
            code = nsc_joint_get_def(&world, id, &joint);
            if (code < 0) break;
            joint.axis[0].drive = NSC_DRIVE_SERVO;
            joint.axis[0].stiffness = 150;
            joint.axis[0].damping = 3;
            code = nsc_joint_set_axis(&world, id, 0, &joint.axis[0]);
            if (code >= 0) code = nsc_joint_set_state(&world, id, 0, at, 0);
        }
    return code;
}

static int control_quadruped(void)
{
    enum { RISEN = TICKS, GO = TICKS * 3 / 2, HALF = TICKS / 4 }; /* HALF: of a gait cycle */
    nsc_real target[quadruped_JOINTS] = {0};
    nsc_real t = ticks < RISEN ? (nsc_real)ticks / RISEN : 1, s = t * t * (3 - 2 * t);
    long since = ticks - GO;
    nsc_real phase = (nsc_real)(since % HALF) / HALF;
    int i;
    for (i = 0; i < LEGS; i++) { /* front left and rear right swing in one half, the others in the next */
        int swings = since >= 0 && (i == 0 || i == 3) == (since / HALF % 2 == 0);
        nsc_real angle = FOLDED + s * (STANDS - FOLDED) + (swings ? NSC_R(1.2) * phase * (1 - phase) : 0);
        target[leg_joint[i][HIP]] = angle + s * NSC_R(0.02);
        target[leg_joint[i][KNEE]] = -2 * angle;
    }
    return nsc_robot_set_targets(&world, &quadruped, robot_joint, target, NULL);
}

/* The rover of 07_rover.c on longer ground: it goes to the plateau, then backward to where it came from, and so on. */
enum { NX = 51, NY = 17, WHEELS = 4 };
#define CELL NSC_R(0.1)
#define WHEEL NSC_R(0.06)
static nsc_id chassis, wheel[WHEELS], hinge[WHEELS];
static nsc_real heights[NX * NY];
static nsc_heights ground = {heights, NX, NY, CELL, CELL, 0, 0};
static const nsc_heights *const grounds = &ground;
static int forward; /* the way that the rover goes */

/* A hill of height 1 and radius 1 */
static nsc_real hill(nsc_real x, nsc_real y)
{
    nsc_real s = 1 - x * x - y * y;
    return s > 0 ? s * s : 0;
}

static nsc_real ground_at(nsc_real x, nsc_real y)
{
    nsc_real ridge = NSC_R(0.12) * hill((x + NSC_R(0.9)) / NSC_R(0.7), 0);
    nsc_real left = NSC_R(0.08) * hill((x - NSC_R(0.1)) / NSC_R(0.4), (y - NSC_R(0.2)) / NSC_R(0.4));
    nsc_real right = NSC_R(0.06) * hill((x - NSC_R(0.6)) / NSC_R(0.4), (y + NSC_R(0.2)) / NSC_R(0.4));
    nsc_real up = (x - NSC_R(1.0)) / NSC_R(0.9);
    up = up < 0 ? 0 : up > 1 ? 1 : up;
    return NSC_R(0.03) + ridge + left + right + NSC_R(0.25) * up * up * (3 - 2 * up);
}

static int build_rover(nsc_world_def *d)
{
    nsc_shape_def field = nsc_default_height_field_def();
    nsc_shape_def shape = nsc_default_box_def(NSC_R(0.15), NSC_R(0.08), NSC_R(0.04));
    int i, j, code;
    d->solver.symmetric = 1; /* sweeps there and back: better along chains of joints */
    code = begin(d, NSC_R(0.8));
    for (j = 0; j < NY; j++)
        for (i = 0; i < NX; i++)
            heights[j * NX + i] = ground_at(CELL * (nsc_real)(i - NX / 2), CELL * (nsc_real)(j - NY / 2));
    field.friction = NSC_R(0.8);
    nsc_heights_complete(&ground);
    if (code >= 0) code = nsc_world_set_fields(&world, &grounds, 1);
    if (code >= 0) code = nsc_world_add_height_field(&world, NSC_GROUND, &field, 0);
    shape.density = NSC_R(312.5);
    if (code >= 0) code = chassis = put(vec(-2, 0, NSC_R(0.14)), none(), &shape, CLAY);
    shape = nsc_default_cylinder_def(WHEEL, NSC_R(0.02));
    shape.density = NSC_R(442.1);
    shape.friction = NSC_R(0.8);
    shape.pose.orientation.w = NSC_R(0.70710678); /* its axis along y */
    shape.pose.orientation.x = NSC_R(0.70710678);
    for (i = 0; i < WHEELS && code >= 0; i++) {
        nsc_vec3 at = vec(i < 2 ? NSC_R(-1.88) : NSC_R(-2.12), i % 2 == 0 ? NSC_R(0.11) : NSC_R(-0.11), NSC_R(0.09));
        nsc_joint_def joint;
        code = wheel[i] = put(at, none(), &shape, COAL);
        if (code < 0) break;
        joint = nsc_default_joint_def(NSC_JOINT_HINGE, chassis, wheel[i]);
        code = nsc_joint_place(&world, &joint, at, vec(0, 1, 0), vec(1, 0, 0));
        if (code < 0) break;
        joint.axis[0].drive = NSC_DRIVE_SERVO; /* without stiffness: a motor that gives way */
        joint.axis[0].damping = NSC_R(0.1);
        joint.axis[0].max_force = NSC_R(0.3);
        code = hinge[i] = nsc_world_add_joint(&world, &joint);
    }
    forward = 1;
    return code;
}

/* It keeps to the line y = 0 by turning the wheels of one side faster. */
static int control_rover(void)
{
    nsc_real fast = NSC_R(0.5) / WHEEL, speed, turn;
    nsc_pose p;
    nsc_quat q;
    int i, code;
    code = nsc_body_get_pose(&world, chassis, &p);
    if (p.position.x > NSC_R(2.1)) forward = 0;
    if (p.position.x < NSC_R(-2.1)) forward = 1;
    speed = forward ? fast : -fast;
    q = p.orientation;
    turn = speed * 2 * p.position.y + fast * 4 * (q.x * q.y + q.w * q.z);
    for (i = 0; i < WHEELS && code >= 0; i++)
        code = nsc_joint_set_target(&world, hinge[i], 0, 0, i % 2 == 0 ? speed + turn : speed - turn);
    return code;
}

/* Three storeys of cards of 50 g, and nothing but friction */
enum { STOREYS = 3 };
static int build_cards(nsc_world_def *d)
{
    const nsc_real long_ = NSC_R(0.4), thick = NSC_R(0.004), wide = NSC_R(0.15), angle = NSC_R(0.43633231);
    static const unsigned char colour[2] = {STONE, CLAY};
    nsc_quat half = about_y(2 * angle); /* its w and y: cosine and sine of the angle */
    nsc_real dx = (long_ * half.y + thick * half.w) / 2, dz = (long_ * half.w + thick * half.y) / 2;
    nsc_real apart = 2 * dx + NSC_R(0.001), z = 0;
    nsc_shape_def card = nsc_default_box_def(thick / 2, wide, long_ / 2), plate;
    int storey, i, code = begin(d, NSC_R(0.7));
    card.friction = NSC_R(0.7);
    card.density = NSC_R(0.05) / (8 * thick / 2 * wide * long_ / 2);
    for (storey = 0; storey < STOREYS && code >= 0; storey++) {
        int tents = STOREYS - storey;
        for (i = 0; i < tents && code >= 0; i++) {
            nsc_real x = apart * (nsc_real)(2 * i - tents + 1);
            code = put(vec(x - dx, 0, z + dz), about_y(angle), &card, colour[(storey + i) % 2]);
            if (code >= 0) code = put(vec(x + dx, 0, z + dz), about_y(-angle), &card, colour[(storey + i + 1) % 2]);
        }
        z += 2 * dz;
        if (tents == 1 || code < 0) break;
        plate = nsc_default_box_def(apart * (nsc_real)(tents - 1) + NSC_R(0.1), wide, thick / 2);
        plate.friction = card.friction;
        plate.density = card.density;
        code = put(vec(0, 0, z + thick / 2), none(), &plate, SAND);
        z += thick;
    }
    return code < 0 ? code : ball(NSC_R(0.75), NSC_R(-0.25), NSC_R(0.05), 2000, NSC_R(0.7));
}

/* The sheet of 11_sheet.c, finer: it falls over a ball; after 3 s its two held corners are lowered. */
enum { SIDE = 11 };
static nsc_id node[SIDE][SIDE];

static int tie(nsc_id a, nsc_id b, nsc_real rest, nsc_real stiffness)
{
    nsc_spring_def d = nsc_default_spring_def(a, b);
    d.rest = rest;
    d.stiffness = stiffness;
    d.damping = stiffness * NSC_R(0.002);
    return nsc_world_add_spring(&world, &d);
}

static int build_sheet(nsc_world_def *d)
{
    const nsc_real edge = NSC_R(0.9) / (SIDE - 1), across = edge * NSC_R(1.41421356);
    nsc_shape_def round = nsc_default_sphere_def(NSC_R(0.3)), skin = nsc_default_sphere_def(NSC_R(0.012));
    int i, j, code;
    d->stepper = NSC_STEPPER_EULER_IMPLICIT;
    d->newton_tolerance = NSC_R(1e-3);
    d->solver.tolerance = NSC_R(1e-5);
    code = begin(d, NSC_R(0.5));
    round.pose.position = vec(0, 0, NSC_R(0.3));
    skin.category = 2;
    skin.mask = 1; /* the sheet does not meet itself */
    if (code >= 0) code = nsc_world_add_shape(&world, NSC_GROUND, &round);
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE && code >= 0; j++) {
            nsc_body_def b = nsc_default_body_def();
            if (i == 0 && (j == 0 || j == SIDE - 1)) {
                b.kind = NSC_KINEMATIC_BODY;
            } else {
                b.particle = 1;
                b.mass = NSC_R(0.8) / (SIDE * SIDE);
            }
            b.pose.position = vec(edge * (nsc_real)j - NSC_R(0.45), edge * (nsc_real)i - NSC_R(0.45), NSC_R(0.75));
            code = node[i][j] = nsc_world_add_body(&world, &b);
            if (code >= 0) code = nsc_world_add_shape(&world, node[i][j], &skin);
            if (code >= 0 && i > 0) code = tie(node[i - 1][j], node[i][j], edge, 300);
            if (code >= 0 && j > 0) code = tie(node[i][j - 1], node[i][j], edge, 300);
            if (code >= 0 && i > 0 && j > 0) code = tie(node[i - 1][j - 1], node[i][j], across, 50);
            if (code >= 0 && i > 0 && j > 0) code = tie(node[i - 1][j], node[i][j - 1], across, 50);
        }
    return code;
}

static int control_sheet(void)
{
    nsc_vec3 down = vec(0, 0, ticks >= 3 * TICKS && ticks < 4 * TICKS ? NSC_R(-0.3) : NSC_R(0.0));
    int code = nsc_body_set_velocity(&world, node[0][0], down, vec(0, 0, 0));
    return code < 0 ? code : nsc_body_set_velocity(&world, node[0][SIDE - 1], down, vec(0, 0, 0));
}

/* A handle without weight spins about the axis of its middle moment of inertia, and turns over again and again.  Contact is
   smooth here, so that every stepper takes the scene. */
static int build_handle(nsc_world_def *d)
{
    nsc_shape_def bar = nsc_default_cylinder_def(NSC_R(0.045), NSC_R(0.35));
    nsc_shape_def stem = nsc_default_cylinder_def(NSC_R(0.045), NSC_R(0.13));
    nsc_id id;
    int code;
    d->gravity = vec(0, 0, 0);
    d->contact_model = NSC_CONTACT_SMOOTH;
    code = begin(d, NSC_R(0.5));
    bar.restitution = NSC_R(0.5);
    stem.restitution = NSC_R(0.5);
    bar.pose.orientation = nsc_quat_from_axis_angle(vec(1, 0, 0), NSC_R(1.57079633));
    stem.pose.position.z = NSC_R(0.175);
    if (code < 0) return code;
    code = id = put(vec(0, 0, NSC_R(0.5)), none(), &bar, CLAY);
    if (code >= 0) code = nsc_world_add_shape(&world, id, &stem);
    return code < 0 ? code : nsc_body_set_velocity(&world, id, vec(0, 0, 0), vec(0, NSC_R(0.02), 9));
}

/* Dominoes along a spiral; the first one is given a push. */
enum { DOMINOES = 110 };
static int build_dominoes(nsc_world_def *d)
{
    const nsc_real apart = NSC_R(0.11);
    nsc_real radius = NSC_R(1.35), angle = 0;
    static const unsigned char colour[5] = {CLAY, SAND, SAGE, SLATE, PLUM};
    nsc_shape_def stone = nsc_default_box_def(NSC_R(0.02), NSC_R(0.055), NSC_R(0.12));
    int i, code = begin(d, NSC_R(0.6));
    stone.friction = NSC_R(0.3);
    stone.density = 500;
    for (i = 0; i < DOMINOES && code >= 0; i++) {
        nsc_pose turned = nsc_default_body_def().pose;
        nsc_id id;
        turned.orientation = nsc_quat_from_axis_angle(vec(0, 0, 1), angle);
        code = id = put(nsc_pose_vector(turned, vec(0, -radius, NSC_R(0.12))), turned.orientation, &stone, colour[i / 4 % 5]);
        if (code >= 0 && i == 0) code = nsc_body_set_velocity(&world, id, vec(NSC_R(0.2), 0, 0), vec(0, NSC_R(1.7), 0));
        angle += apart / radius;
        radius -= NSC_R(0.38) * apart / (radius * NSC_R(6.2831853));
    }
    return code;
}

/* Euler's disk: it leans by 0.35 rad and rolls round about its own centre, the faster the flatter it lies.  Rolling
   friction with a lever of 3 mm brings it down. */
static int build_disk(nsc_world_def *d)
{
    const nsc_real radius = NSC_R(0.3), half = NSC_R(0.02), lean = NSC_R(0.35);
    nsc_quat q = about_y(2 * lean); /* its w and y: cosine and sine of the angle it leans by */
    nsc_real turn = NSC_SQRT(4 * NSC_R(9.81) / (radius * q.y)); /* of the contact's way round [rad/s] */
    nsc_shape_def disk = nsc_default_cylinder_def(radius, half);
    nsc_id id;
    int code = begin(d, NSC_R(0.8));
    disk.friction = NSC_R(0.8);
    disk.density = 2700;
    disk.rolling = NSC_R(0.003);
    if (code >= 0) code = id = put(vec(0, 0, radius * q.y + half * q.w), about_y(lean), &disk, SLATE);
    if (code < 0) return code;
    turn *= q.y; /* about the diameter through the contact */
    return nsc_body_set_velocity(&world, id, vec(0, 0, 0), vec(turn * q.w, 0, -turn * q.y));
}

/* Two hundred cubes fall on a heap, and sweeps end where they change little beside the motion. */
static int build_heap(nsc_world_def *d)
{
    enum { WIDE = 5, LAYERS = 8 };
    nsc_shape_def cube = nsc_default_box_def(NSC_R(0.1), NSC_R(0.1), NSC_R(0.1));
    int i, code;
    d->solver.max_iterations = 30;
    d->solver.relative_tolerance = NSC_R(0.03);
    d->sleep_time = NSC_R(0.5);
    code = begin(d, NSC_R(0.6));
    cube.density = 300;
    cube.friction = NSC_R(0.5);
    for (i = 0; i < WIDE * WIDE * LAYERS && code >= 0; i++) {
        int x = i % WIDE, y = i / WIDE % WIDE, z = i / (WIDE * WIDE);
        nsc_vec3 at = vec(NSC_R(0.23) * (nsc_real)(x - 2) + NSC_R(0.03) * (nsc_real)(z % 3), NSC_R(0.23) * (nsc_real)(y - 2),
                          NSC_R(0.3) + NSC_R(0.25) * (nsc_real)z);
        nsc_vec3 about = unit(vec((nsc_real)(i % 7) - 3, (nsc_real)(i % 5) - 2, 1));
        code = put(at, nsc_quat_from_axis_angle(about, NSC_R(0.1) * (nsc_real)(i % 13)), &cube, CLAY + (x + y + z) % 6);
    }
    return code;
}

/* A cube of 0.37 kg is thrown as in a laboratory, whose recording is drawn beside it; without one, a throw that is made up. */
#ifndef TOSS
static const double toss_row[1][13] = {{0, -0.3, 0.2, 0.9239, 0.3827, 0, 0, 0.3, 1.2, 0.5, 3, -4, 2}};
enum { TOSS_ROWS = 1, TOSS_NUMBER = -1 };
#endif
enum { TOSS_RATE = 148 }; /* frames a second */
static int build_toss(nsc_world_def *d)
{
    const nsc_real half = NSC_R(0.0524);
    const double *row = toss_row[0];
    nsc_shape_def cube = nsc_default_box_def(half, half, half);
    nsc_body_def body = nsc_default_body_def();
    nsc_pose turned = body.pose;
    int code = begin(d, NSC_R(0.18));
    cube.friction = NSC_R(0.18); /* as published with the recordings, and so is the restitution */
    cube.restitution = NSC_R(0.125);
    turned.orientation.w = (nsc_real)row[3];
    turned.orientation.x = (nsc_real)row[4];
    turned.orientation.y = (nsc_real)row[5];
    turned.orientation.z = (nsc_real)row[6];
    body.mass = NSC_R(0.37);
    body.inertia[0] = body.inertia[1] = body.inertia[2] = NSC_R(8.1e-4);
    body.pose = turned;
    body.pose.position = vec((nsc_real)row[0], (nsc_real)row[1], (nsc_real)row[2]);
    body.velocity = vec((nsc_real)row[7], (nsc_real)row[8], (nsc_real)row[9]);
    body.angular_velocity = nsc_pose_vector(turned, vec((nsc_real)row[10], (nsc_real)row[11], (nsc_real)row[12]));
    if (code >= 0) code = nsc_world_add_body(&world, &body);
    if (code < 0) return code;
    paint[slot_of((nsc_id)code)] = CLAY;
    return nsc_world_add_shape(&world, (nsc_id)code, &cube);
}

/* A robot: the one of 28_panda.h, or the one whose table the page was given.  Joints with limits or drives get servos, which the
   page's sliders move. */
enum { ROBOT_LINKS = 48, ROBOT_JOINTS = NSC_MAX_JOINTS, ROBOT_SHAPES = 128, ROBOT_HULLS = 16 };
static nsc_robot_link_def given_link[ROBOT_LINKS];
static nsc_robot_joint_def given_joint[ROBOT_JOINTS];
static nsc_robot_shape_def given_shape[ROBOT_SHAPES];
static nsc_pose given_pose[ROBOT_LINKS];
static nsc_real given_position[ROBOT_JOINTS];
static const nsc_robot_state_def given_state = {"given", given_pose, NULL, given_position, NULL};
static nsc_hull given_hull[ROBOT_HULLS];
static const nsc_hull *given_hulls[ROBOT_HULLS];
static nsc_robot given; /* links 0: none */
static const nsc_robot *robot = &panda;
static nsc_id link_body[ROBOT_LINKS], link_joint[ROBOT_JOINTS];
static float target[ROBOT_JOINTS]; /* by the sliders [rad, m] */
static unsigned char slides[ROBOT_JOINTS];

/* What hangs on a joint [kg] */
static nsc_real carries(int link)
{
    nsc_real m = 0, sum;
    int i;
    nsc_body_get_mass(&world, link_body[link], &m, NULL, NULL);
    for (sum = m, i = 0; i < robot->joints; i++)
        if (robot->joint[i].kind < NSC_JOINT_GEAR && robot->joint[i].parent == link && robot->joint[i].child > link)
            sum += carries(robot->joint[i].child);
    return sum;
}

/* Of joints that gears bind together the first moves the others; and a wheel of a gear has no slider. */
static int follows(int i)
{
    int of[ROBOT_JOINTS], k, turn, geared = 0;
    for (k = 0; k < robot->joints; k++) of[k] = k;
    for (turn = 0; turn < 4; turn++)
        for (k = 0; k < robot->joints; k++)
            if (robot->joint[k].kind == NSC_JOINT_GEAR) {
                int a = robot->joint[k].parent, b = robot->joint[k].child;
                if (a < 0 || b < 0 || a >= robot->joints || b >= robot->joints) continue;
                geared |= a == i || b == i;
                if (of[a] < of[b]) of[b] = of[a];
                else of[a] = of[b];
            }
    return of[i] != i || (geared && !robot->joint[i].limited);
}

/* Put a robot whose base is free onto the ground, as its joints stand */
static int stand(void)
{
    nsc_real low = NSC_R(1e9);
    nsc_pose p = nsc_default_body_def().pose;
    int i, k, code = 0;
    for (i = 0; i < robot->shapes; i++) {
        const nsc_robot_shape_def *s = &robot->shape[i];
        nsc_vec3 down, h = s->half;
        nsc_real reach = s->radius;
        if (s->kind == NSC_SHAPE_HALF_SPACE || nsc_body_get_pose(&world, link_body[s->link], &p) < 0) continue;
        p = nsc_pose_multiply(p, s->pose);
        down = nsc_pose_vector(nsc_pose_inverse(p), vec(0, 0, -1));
        if (s->kind == NSC_SHAPE_CYLINDER) reach *= NSC_SQRT(down.x * down.x + down.y * down.y);
        reach += h.x * (down.x < 0 ? -down.x : down.x) + h.y * (down.y < 0 ? -down.y : down.y) + h.z * (down.z < 0 ? -down.z : down.z);
        for (k = 0; s->hull && k < s->hull->vertices; k++)
            if (k == 0 || dot(down, s->hull->vertex[k]) > reach) reach = dot(down, s->hull->vertex[k]);
        if (p.position.z - reach < low) low = p.position.z - reach;
    }
    for (i = 0; i < robot->links && low < NSC_R(1e9) && code >= 0; i++) {
        code = nsc_body_get_pose(&world, link_body[i], &p);
        p.position.z -= low;
        if (code >= 0) code = nsc_body_set_pose(&world, link_body[i], p);
    }
    return code;
}

static int build_robot(nsc_world_def *d)
{
    nsc_pose base = nsc_default_body_def().pose;
    int i, code;
    nsc_real reach = NSC_R(0.2);
    code = begin(d, NSC_R(0.8));
    for (i = 0; i < robot->links; i++) reach = reach > length(robot->link[i].pose.position) ? reach : length(robot->link[i].pose.position);
    scene_size = reach * NSC_R(1.1);
    if (code >= 0 && robot->hulls > 0) code = nsc_world_set_hulls(&world, robot->hull, robot->hulls);
    if (code >= 0) code = nsc_robot_add(&world, robot, base, link_body, link_joint);
    if (code >= 0 && robot->states > 0)
        code = nsc_robot_set_state(&world, robot, base, 0, link_body, link_joint);
    for (i = 0; i < robot->links && code >= 0; i++) paint[slot_of(link_body[i])] = (unsigned char)(i == 0 ? SLATE : i % 2 ? CLAY : SAND);
    for (i = 0; i < robot->joints && code >= 0; i++) {
        nsc_joint_def j;
        nsc_axis_state s;
        nsc_real lever = robot->joint[i].kind == NSC_JOINT_SLIDER ? 1 : NSC_R(0.25);
        slides[i] = 0;
        if (follows(i)) continue;
        if (robot->joint[i].kind != NSC_JOINT_HINGE && robot->joint[i].kind != NSC_JOINT_SLIDER) continue;
        if (nsc_joint_get_def(&world, link_joint[i], &j) < 0 || nsc_joint_get_axis(&world, link_joint[i], 0, &s) < 0) continue;
        if (j.axis[0].limited && (s.position < j.axis[0].lower || s.position > j.axis[0].upper)) { /* as knees in a URDF */
            s.position = s.position < j.axis[0].lower ? j.axis[0].lower : j.axis[0].upper;
            nsc_joint_set_state(&world, link_joint[i], 0, s.position, 0); /* in a loop it stays, and its limit moves it */
        }
        slides[i] = 1;
        target[i] = (float)s.position;
        j.axis[0].target = s.position;
        j.axis[0].drive = NSC_DRIVE_SERVO;
        j.axis[0].stiffness = 2000 * lever * (carries(robot->joint[i].child) + NSC_R(0.1));
        j.axis[0].damping = j.axis[0].stiffness / 10;
        code = nsc_joint_set_axis(&world, link_joint[i], 0, &j.axis[0]);
    }
    for (i = 0; i < robot->shapes && code >= 0; i++) { /* what is looked at: all shapes, as they stand */
        const nsc_robot_shape_def *s = &robot->shape[i];
        nsc_pose p;
        nsc_real far = s->radius + length(s->half);
        if (s->kind == NSC_SHAPE_HALF_SPACE || nsc_body_get_pose(&world, link_body[s->link], &p) < 0) continue;
        far += length(nsc_pose_point(p, s->pose.position));
        reach = reach > far ? reach : far;
    }
    scene_size = reach * NSC_R(1.1);
    return code < 0 || robot->fixed_base ? code : stand();
}

static int control_robot(void)
{
    int i, code = 0;
    for (i = 0; i < robot->joints && code >= 0; i++)
        if (slides[i]) code = nsc_joint_set_target(&world, link_joint[i], 0, (nsc_real)target[i], 0);
    return code;
}

static const scene scenes[] = {
    {"stack", build_stack, NULL, 240, NSC_R(4.0), NSC_R(400.0), NSC_SOLVER_SIPGS},
    {"arch", build_arch, NULL, 240, NSC_R(3.0), NSC_R(5000.0), NSC_SOLVER_SIPGS},
    {"quadruped", build_quadruped, control_quadruped, 480, NSC_R(0.9), NSC_R(60.0), NSC_SOLVER_SIPGS},
    {"rover", build_rover, control_rover, 240, NSC_R(1.1), NSC_R(6.0), NSC_SOLVER_SIPGS},
    {"cards", build_cards, NULL, 240, NSC_R(1.3), NSC_R(2.0), NSC_SOLVER_SIPGS},
    {"sheet", build_sheet, control_sheet, 60, NSC_R(1.0), NSC_R(0.5), NSC_SOLVER_SIPGS},
    {"dzhanibekov", build_handle, NULL, 240, NSC_R(1.0), NSC_R(20.0), NSC_SOLVER_SIPGS},
    {"dominoes", build_dominoes, NULL, 240, NSC_R(2.2), NSC_R(8.0), NSC_SOLVER_SIPGS},
    {"disk", build_disk, NULL, 960, NSC_R(0.7), NSC_R(150.0), NSC_SOLVER_SIPGS},
    {"heap", build_heap, NULL, 120, NSC_R(2.4), NSC_R(60.0), NSC_SOLVER_SIPGS},
    {"toss", build_toss, NULL, 480, NSC_R(0.5), NSC_R(10.0), NSC_SOLVER_SIPGS},
    {"robot", build_robot, control_robot, 480, NSC_R(1.1), NSC_R(60.0), NSC_SOLVER_TREE},
};
enum { SCENES = (int)(sizeof scenes / sizeof scenes[0]) };

/* ---- the hand ----------------------------------------------------------------------------------------------------------- */

static struct hand {
    int holds;
    nsc_id body;
    nsc_vec3 on;       /* the grabbed point, body frame */
    nsc_vec3 target;   /* where it is pulled to, world */
    nsc_real mass;     /* of all that would come along, or of the body alone [kg] */
} hand;

static int is_dynamic(nsc_id body) { return world.bodies[slot_of(body)].kind == NSC_DYNAMIC_BODY; }

/* The rod that a link without shapes is drawn by: link `parent` of joint i, from its frame to the joint.  0: none */
static int bone(int i, nsc_pose *p, nsc_vec3 *end)
{
    const nsc_robot_joint_def *j = &robot->joint[i];
    int k;
    if (j->kind >= NSC_JOINT_GEAR || j->parent < 0) return 0;
    for (k = 0; k < robot->shapes; k++)
        if (robot->shape[k].link == j->parent) return 0;
    if (nsc_body_get_pose(&world, link_body[j->parent], p) < 0) return 0;
    *end = nsc_pose_point(*p, j->frame_a.position);
    return 1;
}

/* Does the ray come near a rod? */
static int meet_bone(nsc_vec3 from, nsc_vec3 way, nsc_hit *hit)
{
    nsc_real nearest = scene_size / 20;
    int i, k, met = 0;
    for (i = 0; i < robot->joints; i++) {
        nsc_pose p = nsc_default_body_def().pose;
        nsc_vec3 end;
        if (!bone(i, &p, &end) || !is_dynamic(link_body[robot->joint[i].parent])) continue;
        for (k = 0; k <= 8; k++) {
            nsc_vec3 at = add(p.position, NSC_R(0.125) * (nsc_real)k, add(end, -1, p.position)), d = add(at, -1, from);
            nsc_real off = length(add(d, -dot(d, way), way));
            if (off >= nearest) continue;
            nearest = off;
            hit->body = link_body[robot->joint[i].parent];
            hit->point = at;
            met = 1;
        }
    }
    return met;
}

/* Grab what the ray from (x, y, z) along (u, v, w) meets: exactly, or within a fiftieth of the scene's size, for fingers are
   thick.  Returns 1 or 0. */
int EXPORT(grab)(float x, float y, float z, float u, float v, float w)
{
    nsc_vec3 from = vec(x, y, z), way = unit(vec(u, v, w)), far = vec(0, 0, 0);
    nsc_shape_def thick = nsc_default_sphere_def(scene_size / 50);
    nsc_hit hit;
    nsc_pose pose;
    int met;
    hand.holds = 0;
    far = add(far, 100 * scene_size, way);
    met = nsc_world_cast_ray(&world, from, far, ~UINT32_C(0), &hit) == 1 && is_dynamic(hit.body);
    if (!met) {
        thick.pose.position = from;
        met = nsc_world_cast_shape(&world, &thick, far, ~UINT32_C(0), &hit) == 1 && is_dynamic(hit.body);
    }
    if (!met && now->build == build_robot) met = meet_bone(from, way, &hit);
    if (!met || nsc_body_get_pose(&world, hit.body, &pose) < 0) return 0;
    hand.holds = 1;
    hand.body = hit.body;
    hand.on = nsc_pose_point(nsc_pose_inverse(pose), hit.point);
    hand.target = hit.point;
    return 1;
}

void EXPORT(pull)(float x, float y, float z) { hand.target = vec(x, y, z); }
void EXPORT(let_go)(void) { hand.holds = 0; }
int EXPORT(holds)(void) { return hand.holds; }
const float *EXPORT(held_at)(void)
{
    static float at[3];
    at[0] = (float)hand.target.x;
    at[1] = (float)hand.target.y;
    at[2] = (float)hand.target.z;
    return at;
}

/* The mass that a spring to the hand should be made for.  An explicit stepper takes only a soft one. */
static void weigh(void)
{
    int i, island = nsc_body_get_island(&world, hand.body);
    nsc_real m;
    hand.mass = 0;
    if (nsc_body_get_mass(&world, hand.body, &m, NULL, NULL) < 0) return;
    hand.mass = m;
    if (world.def.stepper == NSC_STEPPER_EULER_SYMPLECTIC || world.def.stepper == NSC_STEPPER_EULER_FORWARD) {
        hand.mass = m / 4;
        return;
    }
    for (i = 1; i < world.body_end && island >= 0; i++) {
        nsc_id id = nsc_world_body_at(&world, i);
        if (id >= 0 && id != hand.body && nsc_body_get_island(&world, id) == island &&
            nsc_body_get_mass(&world, id, &m, NULL, NULL) == 0)
            hand.mass += m;
    }
}

/* A damped spring between the grabbed point and the hand, with its derivative, so that implicit steppers stay stable */
static void pull_on(void *user, const nsc_world *w, nsc_id body, nsc_force *f)
{
    const nsc_real omega = 10; /* [rad/s] */
    nsc_real k = hand.mass * omega * omega, c = 2 * hand.mass * omega, far, I[6], brake;
    nsc_vec3 centre, linear, angular, r, d;
    nsc_real R[3][3] = {{0}};
    nsc_pose pose;
    int i, j, n;
    (void)user;
    if (body != hand.body || nsc_body_get_pose(w, body, &pose) < 0) return;
    nsc_body_get_velocity(w, body, &linear, &angular);
    nsc_body_get_mass(w, body, NULL, &centre, I);
    r = nsc_pose_vector(pose, add(hand.on, -1, centre));
    d = add(hand.target, -1, nsc_pose_point(pose, hand.on));
    far = length(d);
    if (far > NSC_R(0.4) * scene_size) k *= NSC_R(0.4) * scene_size / far; /* a strong hand, but no crane */
    brake = w->bodies[slot_of(body)].particle ? 0 : NSC_R(0.4) * omega * (I[0] + I[1] + I[2]);
    linear = add(linear, 1, cross(angular, r));
    f->force = add(vec(k * d.x, k * d.y, k * d.z), -c, linear);
    f->torque = add(cross(r, f->force), -brake, angular);
    R[0][1] = -r.z, R[0][2] = r.y;
    R[1][0] = r.z, R[1][2] = -r.x;
    R[2][0] = -r.y, R[2][1] = r.x;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            nsc_real square = 0;
            for (n = 0; n < 3; n++) square -= R[i][n] * R[n][j];
            f->stiffness[i][j] = i == j ? k : 0;
            f->stiffness[i][3 + j] = -k * R[i][j];
            f->stiffness[3 + i][j] = k * R[i][j];
            f->stiffness[3 + i][3 + j] = k * square;
            f->damping[i][j] = i == j ? c : 0;
            f->damping[i][3 + j] = -c * R[i][j];
            f->damping[3 + i][j] = c * R[i][j];
            f->damping[3 + i][3 + j] = c * square + (i == j ? brake : 0);
        }
    f->derivative = 1;
}

/* ---- building, settings, stepping --------------------------------------------------------------------------------------- */

int EXPORT(scene_count)(void) { return SCENES; }
const char *EXPORT(scene_name)(int i) { return i >= 0 && i < SCENES ? scenes[i].name : ""; }

/* What the page shows and changes */
enum { SOLVER, LAW, SWEEPS, STEPPER, CONTACT, RATE, SUBSTEPS, SETTINGS };
static int settings[SETTINGS]; /* CONTACT: 0 hard, else NSC_SMOOTH_* */

/* By NSC_SOLVER_*, which page.html has too.  The world does not know its solver: each step is given one. */
static nsc_solver *const solvers[] = {NULL,             nsc_solve_sipgs, nsc_solve_apgd,   nsc_solve_dantzig, nsc_solve_bb,
                                      nsc_solve_minres, nsc_solve_admm,  nsc_solve_newton, nsc_solve_auto,
                                      nsc_solve_tree};
static int solver;

static void read_settings(void)
{
    settings[SOLVER] = solver;
    settings[LAW] = world.def.solver.law;
    settings[SWEEPS] = world.def.solver.max_iterations;
    settings[STEPPER] = world.def.stepper;
    settings[CONTACT] = world.def.contact_model == NSC_CONTACT_HARD ? 0 : world.def.contact_law;
    settings[RATE] = rate;
    settings[SUBSTEPS] = world.def.substeps;
}

int *EXPORT(settings_at)(void) { return settings; }

/* Take over what the page wrote to settings.  Returns 0, or the library's error: then all is as it was.  A step is tried and
   undone: does the solver take the law, and what there is to solve? */
int EXPORT(apply)(void)
{
    static unsigned char kept[NSC_WORLD_STATE_SIZE];
    nsc_world_def d = world.def;
    nsc_calls calls = nsc_default_calls();
    int code;
    d.solver.law = settings[LAW];
    d.solver.max_iterations = settings[SWEEPS];
    d.stepper = settings[STEPPER];
    d.substeps = settings[SUBSTEPS];
    d.contact_model = settings[CONTACT] ? NSC_CONTACT_SMOOTH : NSC_CONTACT_HARD;
    if (settings[CONTACT]) d.contact_law = settings[CONTACT];
    if (settings[SOLVER] < NSC_SOLVER_SIPGS || settings[SOLVER] > NSC_SOLVER_TREE || settings[RATE] <= 0 ||
        TICKS % settings[RATE] != 0) {
        read_settings();
        return NSC_ERR_ARGUMENT;
    }
    calls.solve = solvers[settings[SOLVER]];
    NSC_MEMCPY(kept, &world, sizeof kept);
    code = nsc_world_set_def(&world, &d);
    if (code >= 0) code = nsc_world_step_with(&world, NSC_R(1.0) / (nsc_real)settings[RATE], &calls);
    NSC_MEMCPY(&world, kept, sizeof kept);
    if (code >= 0) {
        nsc_world_set_def(&world, &d);
        rate = settings[RATE];
        solver = settings[SOLVER];
    }
    read_settings();
    return code < 0 ? code : 0;
}

/* Build a scene with its own settings.  0 or an error. */
int EXPORT(build)(int i)
{
    int code;
    if (i < 0 || i >= SCENES) return NSC_ERR_ARGUMENT;
    now = &scenes[i];
    scene_size = now->size;
    ticks = 0;
    steps = 0;
    rate = now->rate;
    solver = now->solver;
    hand.holds = 0;
    NSC_MEMSET(paint, 0, sizeof paint);
    def = nsc_default_world_def();
    code = now->build(&def);
    read_settings();
    return code < 0 ? code : 0;
}

/* n steps.  0, or the error of the first that was refused. */
int EXPORT(step)(int n)
{
    nsc_calls calls = nsc_default_calls();
    calls.solve = solvers[solver];
    if (hand.holds) calls.force = pull_on;
    while (n-- > 0) {
        int code = now->control ? now->control() : 0;
        if (code >= 0 && hand.holds) weigh();
        if (code >= 0) code = nsc_world_step_with(&world, NSC_R(1.0) / (nsc_real)rate, &calls);
        if (code < 0) return code;
        ticks += TICKS / rate;
        steps++;
    }
    return 0;
}

/* ---- snapshots ---------------------------------------------------------------------------------------------------------- */

/* What of a moment is not in the world: numbers before its image.  A link has them too. */
enum { OF_SCENE, OF_TICKS, OF_STEPS, OF_FORWARD, OF_RATE, OF_SOLVER, HEAD };
static union moment {
    int32_t head[HEAD];
    unsigned char bytes[1 << 21];
} moment;

unsigned char *EXPORT(moment_at)(void) { return moment.bytes; }
int EXPORT(moment_size)(void) { return (int)sizeof moment.bytes; }

/* Write this moment to moment_at().  Returns its bytes, or an error. */
int EXPORT(save)(void)
{
    const int head = HEAD * (int)sizeof(int32_t);
    int size = nsc_world_save(&world, moment.bytes + head, (int)sizeof moment.bytes - head);
    moment.head[OF_SCENE] = (int32_t)(now - scenes);
    moment.head[OF_TICKS] = (int32_t)ticks;
    moment.head[OF_STEPS] = (int32_t)steps;
    moment.head[OF_FORWARD] = forward;
    moment.head[OF_RATE] = rate;
    moment.head[OF_SOLVER] = solver;
    return size < 0 ? size : head + size;
}

/* The scene of the moment at moment_at(), which must be built before it is loaded; -1: none */
int EXPORT(moment_scene)(int size)
{
    int i = size > HEAD * (int)sizeof(int32_t) && size <= (int)sizeof moment.bytes ? moment.head[OF_SCENE] : -1;
    return i >= 0 && i < SCENES ? i : -1;
}

/* After an image was loaded: what sliders ask for, which stands in the joints.  An error where it is not of this robot. */
static int read_targets(void)
{
    nsc_joint_def j;
    nsc_pose p;
    int i, code = 0;
    for (i = 0; i < robot->links && code >= 0; i++) code = nsc_body_get_pose(&world, link_body[i], &p);
    for (i = 0; i < robot->joints && code >= 0; i++) {
        code = nsc_joint_get_def(&world, link_joint[i], &j);
        if (code >= 0 && j.kind != robot->joint[i].kind) code = NSC_ERR_ARGUMENT;
        if (code >= 0 && slides[i]) target[i] = (float)j.axis[0].target;
    }
    return code;
}

/* Go to it.  0, or an error: then all is as it was, or begun anew where the image is of another robot. */
int EXPORT(load)(int size)
{
    const int head = HEAD * (int)sizeof(int32_t);
    int code, r = moment.head[OF_RATE], by = moment.head[OF_SOLVER];
    if (moment_scene(size) != (int)(now - scenes) || r <= 0 || TICKS % r != 0 || by < NSC_SOLVER_SIPGS || by > NSC_SOLVER_TREE ||
        moment.head[OF_TICKS] < 0 || moment.head[OF_STEPS] < 0)
        return NSC_ERR_ARGUMENT;
    code = nsc_world_load(&world, moment.bytes + head, size - head);
    if (code >= 0 && now->build == build_robot && (code = read_targets()) < 0) build((int)(now - scenes));
    if (code < 0) return code;
    ticks = moment.head[OF_TICKS];
    steps = moment.head[OF_STEPS];
    forward = moment.head[OF_FORWARD] != 0;
    rate = r;
    solver = by;
    hand.holds = 0;
    read_settings();
    return 0;
}

/* ---- more bodies, and a robot of one's own ------------------------------------------------------------------------------- */

/* A body from nowhere.  kind: 0 box, 1 ball, 2 capsule, 3 cylinder, of a fourteenth of the scene's size; at, velocity [m, m/s].
   Returns a handle or an error. */
int EXPORT(spawn)(int kind, float x, float y, float z, float u, float v, float w)
{
    nsc_real r = scene_size / 28;
    nsc_shape_def d = kind == 1   ? nsc_default_sphere_def(r)
                      : kind == 2 ? nsc_default_capsule_def(r * NSC_R(0.7), r)
                      : kind == 3 ? nsc_default_cylinder_def(r, r)
                                  : nsc_default_box_def(r, r, r);
    nsc_id id;
    d.density = 400;
    d.rolling = NSC_R(0.01) * r;
    id = put(vec(x, y, z), none(), &d, kind == 1 ? COAL : CLAY + (int)(steps % 6));
    return id < 0 ? id : nsc_body_set_velocity(&world, id, vec(u, v, w), vec(0, 0, 0));
}

/* The page reads the table of a robot, written by robot.py, and puts all its numbers here: counts of links, joints, shapes and
   hulls, fixed_base, states; then each struct's numbers in the order of its members, names left out. */
enum { GIVEN = 20000 };
static double given_number[GIVEN];
static const double *next_number;
double *EXPORT(robot_numbers_at)(void) { return given_number; }
int EXPORT(robot_numbers)(void) { return GIVEN; }
static nsc_real take(void) { return (nsc_real)(next_number < given_number + GIVEN ? *next_number++ : 0); }
static int take_int(void)
{
    double x = next_number < given_number + GIVEN ? *next_number++ : 0;
    return x > -1e9 && x < 1e9 ? (int)x : -1;
}

static uint32_t take_mask(void)
{
    double x = next_number < given_number + GIVEN ? *next_number++ : 0;
    return x >= 0 && x <= 4294967295.0 ? (uint32_t)x : 0;
}

static nsc_vec3 take_vec(void)
{
    nsc_real x = take(), y = take(), z = take();
    return vec(x, y, z);
}

static nsc_pose take_pose(void)
{
    nsc_pose p = nsc_default_body_def().pose;
    p.position = take_vec();
    p.orientation.w = take();
    p.orientation.x = take();
    p.orientation.y = take();
    p.orientation.z = take();
    return p;
}

/* 0 when it is the robot that the scene shows from now on, or NSC_ERR_CAPACITY, NSC_ERR_ARGUMENT: then it is the built-in one. */
int EXPORT(robot_given)(void)
{
    static const char nameless[] = "";
    int i, k, n[6];
    robot = &panda;
    next_number = given_number;
    for (i = 0; i < 6; i++) n[i] = take_int();
    if (n[0] > ROBOT_LINKS || n[1] > ROBOT_JOINTS || n[2] > ROBOT_SHAPES || n[3] > ROBOT_HULLS) return NSC_ERR_CAPACITY;
    if (n[0] < 1 || n[1] < 0 || n[2] < 0 || n[3] < 0) return NSC_ERR_ARGUMENT;
    NSC_MEMSET(&given, 0, sizeof given);
    NSC_MEMSET(given_hull, 0, sizeof given_hull);
    for (i = 0; i < n[0]; i++) {
        nsc_robot_link_def *l = &given_link[i];
        l->name = nameless;
        l->kind = take_int();
        l->pose = take_pose();
        l->mass = take();
        l->centre = take_vec();
        for (k = 0; k < 6; k++) l->inertia[k] = take();
    }
    for (i = 0; i < n[1]; i++) {
        nsc_robot_joint_def *j = &given_joint[i];
        j->name = nameless;
        j->kind = take_int();
        j->collide = take_int();
        j->parent = take_int();
        j->child = take_int();
        if (j->kind < NSC_JOINT_GEAR && (j->parent < -1 || j->parent >= n[0] || j->child < 0 || j->child >= n[0])) return NSC_ERR_ARGUMENT;
        j->frame_a = take_pose();
        j->frame_b = take_pose();
        j->ratio = take();
        j->limited = take_int();
        j->lower = take();
        j->upper = take();
        j->effort = take();
        j->speed = take();
        j->armature = take();
        j->friction = take();
        j->damping = take();
        j->spring = take();
        j->spring_rest = take();
        j->drive = take_int();
        j->drive_stiffness = take();
        j->drive_damping = take();
    }
    for (i = 0; i < n[3]; i++) {
        nsc_hull *h = &given_hull[i];
        int v = take_int(), f = take_int();
        if (v < 4 || v > NSC_HULL_VERTICES || f < 4 || f > NSC_HULL_FACES) return NSC_ERR_CAPACITY;
        h->vertices = (uint8_t)v;
        h->faces = (uint8_t)f;
        for (k = 0; k <= f; k++) {
            int first = take_int();
            if (first < 0 || first > NSC_HULL_CORNERS) return NSC_ERR_CAPACITY;
            h->first[k] = (uint8_t)first;
        }
        for (k = 0; k < h->first[f]; k++) h->corner[k] = (uint8_t)take_int();
        for (k = 0; k < v; k++) h->vertex[k] = take_vec();
        if (nsc_hull_complete(h) < 0) return NSC_ERR_ARGUMENT;
        given_hulls[i] = h;
    }
    for (i = 0; i < n[2]; i++) {
        nsc_robot_shape_def *s = &given_shape[i];
        int hull;
        s->link = take_int();
        s->kind = take_int();
        s->pose = take_pose();
        s->half = take_vec();
        s->radius = take();
        s->friction = take();
        s->category = take_mask();
        s->mask = take_mask();
        hull = take_int();
        if (s->link < 0 || s->link >= n[0] || hull >= n[3]) return NSC_ERR_ARGUMENT;
        s->hull = hull < 0 ? NULL : given_hulls[hull];
    }
    for (i = 0; i < n[0] && n[5] > 0; i++) given_pose[i] = take_pose();
    for (i = 0; i < n[1] && n[5] > 0; i++) given_position[i] = take();
    given.name = nameless;
    given.fixed_base = n[4];
    given.links = n[0];
    given.joints = n[1];
    given.shapes = n[2];
    given.hulls = n[3];
    given.link = given_link;
    given.joint = given_joint;
    given.shape = given_shape;
    given.hull = given_hulls;
    given.states = n[5] > 0;
    given.state = &given_state;
    robot = &given;
    return 0;
}

/* Its joints, for sliders: how many; whether joint i has one; its range; its target and position */
int EXPORT(joint_count)(void) { return now->build == build_robot ? robot->joints : 0; }
const char *EXPORT(joint_name)(int i) { return robot->joint[i].name; }
const float *EXPORT(joint_at)(int i)
{
    static float told[5];
    nsc_axis_state s;
    const nsc_robot_joint_def *j = &robot->joint[i];
    const float turn = j->kind == NSC_JOINT_SLIDER ? 0.5f : 3.14159265f;
    NSC_MEMSET(told, 0, sizeof told);
    told[0] = slides[i];
    told[1] = j->limited ? (float)j->lower : -turn;
    told[2] = j->limited ? (float)j->upper : turn;
    told[3] = target[i];
    if (slides[i] && nsc_joint_get_axis(&world, link_joint[i], 0, &s) >= 0) told[4] = (float)s.position;
    return told;
}

void EXPORT(set_target)(int i, float x)
{
    if (i < 0 || i >= robot->joints || !slides[i]) return;
    target[i] = x;
    nsc_joint_set_target(&world, link_joint[i], 0, (nsc_real)x, 0); /* now, so that a moment kept before the next step has it */
    nsc_body_wake(&world, link_body[robot->links - 1]);
}

/* ---- what the page shows ------------------------------------------------------------------------------------------------ */

unsigned EXPORT(hash)(void) { return nsc_world_hash(&world); }
const char *EXPORT(error_text)(int code) { return nsc_error_text(code); }
const char *EXPORT(refused_field)(void) { return nsc_world_last_refusal(&world).field; }
const char *EXPORT(refused_rule)(void) { return nsc_world_last_refusal(&world).rule; }
double EXPORT(refused_value)(void) { return (double)nsc_world_last_refusal(&world).value; }

/* [J]: kinetic; of height; of springs.  The last report: residual [m/s], iterations, contacts, status, solver, contacts for
   which an explicit step is too long, bodies dropped for lack of room; then time [s], steps; blocks that were solved, joints,
   springs; and how far the cube is off its recording [m], or -1. */
enum { KINETIC, HEIGHT, SPRINGS, RESIDUAL, ITERATIONS, CONTACTS, STATUS, USED, OVER_LIMIT, DROPPED, TIME, STEPS, BLOCKS, JOINTS,
       SPRING_COUNT, OFF, NUMBERS };
static double numbers[NUMBERS];

/* Where the recorded cube is now; 0 where there is no recording, or none of this moment */
static int recorded(nsc_pose *p)
{
    double at = (double)ticks / TICKS * TOSS_RATE;
    int frame = (int)(at + 0.5);
    const double *row = toss_row[frame < TOSS_ROWS ? frame : TOSS_ROWS - 1];
    if (TOSS_ROWS < 2 || now->build != build_toss) return 0;
    p->position = vec((nsc_real)row[0], (nsc_real)row[1], (nsc_real)row[2]);
    p->orientation.w = (nsc_real)row[3];
    p->orientation.x = (nsc_real)row[4];
    p->orientation.y = (nsc_real)row[5];
    p->orientation.z = (nsc_real)row[6];
    return frame < TOSS_ROWS;
}

int EXPORT(toss_number)(void) { return TOSS_NUMBER; }

const double *EXPORT(measure)(void)
{
    const nsc_step_report *r = nsc_world_report(&world);
    nsc_pose record = nsc_default_body_def().pose;
    int i;
    for (i = 0; i < NUMBERS; i++) numbers[i] = 0;
    for (i = 1; i < world.body_end; i++) {
        nsc_id id = nsc_world_body_at(&world, i);
        nsc_vec3 v, w, c;
        nsc_real m, I[6];
        nsc_pose p;
        if (id < 0 || world.bodies[i].kind != NSC_DYNAMIC_BODY) continue;
        if (nsc_body_get_mass(&world, id, &m, &c, I) < 0) continue;
        nsc_body_get_pose(&world, id, &p);
        nsc_body_get_velocity(&world, id, &v, &w);
        w = nsc_pose_vector(nsc_pose_inverse(p), w);
        numbers[KINETIC] += 0.5 * (double)(m * dot(v, v));
        numbers[KINETIC] += 0.5 * (double)(I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z);
        numbers[KINETIC] += (double)(I[3] * w.x * w.y + I[4] * w.x * w.z + I[5] * w.y * w.z);
        numbers[HEIGHT] -= (double)(m * dot(world.def.gravity, nsc_pose_point(p, c)));
    }
    for (i = 0; i < world.spring_end; i++)
        if (world.springs[i].generation % 2) {
            const nsc_spring_def *d = &world.springs[i].def;
            nsc_pose a, b;
            double by;
            nsc_body_get_pose(&world, d->body_a, &a);
            nsc_body_get_pose(&world, d->body_b, &b);
            by = (double)(length(add(nsc_pose_point(b, d->point_b), -1, nsc_pose_point(a, d->point_a))) - d->rest);
            numbers[SPRINGS] += 0.5 * (double)d->stiffness * by * by;
        }
    numbers[RESIDUAL] = (double)r->solver.residual;
    numbers[ITERATIONS] = r->solver.iterations;
    numbers[CONTACTS] = r->contacts;
    numbers[STATUS] = r->solver.status;
    numbers[USED] = r->solver.solver;
    numbers[OVER_LIMIT] = r->over_limit;
    numbers[DROPPED] = r->dropped;
    numbers[TIME] = (double)ticks / TICKS;
    numbers[STEPS] = (double)steps;
    for (i = 0; i < r->islands; i++) numbers[BLOCKS] += world.islands[i].blocks;
    numbers[JOINTS] = world.joint_end;
    numbers[SPRING_COUNT] = world.spring_end;
    numbers[OFF] = -1;
    if (recorded(&record)) {
        nsc_pose p;
        nsc_body_get_pose(&world, nsc_world_body_at(&world, 1), &p);
        numbers[OFF] = (double)length(add(p.position, -1, record.position));
    }
    return numbers;
}

static float body_at[3];
/* Where body `slot` is; of the machines slot 1 is the trunk */
const float *EXPORT(where)(int slot)
{
    nsc_pose p = nsc_default_body_def().pose;
    nsc_body_get_pose(&world, nsc_world_body_at(&world, slot), &p);
    body_at[0] = (float)p.position.x;
    body_at[1] = (float)p.position.y;
    body_at[2] = (float)p.position.z;
    return body_at;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

enum { VERTICES = 90000, LINES = 12000 };
static float vertex[VERTICES][7]; /* place, normal, paint */
static float line[LINES][7];      /* from, to, LINE_* */
static int vertices, lines;

/* The shape whose triangles come now */
static struct surface {
    nsc_id id;
    nsc_shape_def def;
    nsc_pose pose;
    int colour, hidden;
} surface;

static void corner(nsc_vec3 at, nsc_vec3 normal, int colour)
{
    float *to = vertex[vertices];
    if (vertices >= VERTICES) return;
    to[0] = (float)at.x;
    to[1] = (float)at.y;
    to[2] = (float)at.z;
    to[3] = (float)normal.x;
    to[4] = (float)normal.y;
    to[5] = (float)normal.z;
    to[6] = (float)colour;
    vertices++;
}

static void stroke(nsc_vec3 a, nsc_vec3 b, int kind)
{
    float *to = line[lines];
    if (lines >= LINES) return;
    to[0] = (float)a.x;
    to[1] = (float)a.y;
    to[2] = (float)a.z;
    to[3] = (float)b.x;
    to[4] = (float)b.y;
    to[5] = (float)b.z;
    to[6] = (float)kind;
    lines++;
}

static void look_at(const nsc_draw_from *from)
{
    nsc_pose body;
    int slot;
    if (from->shape == surface.id) return;
    surface.id = from->shape;
    slot = slot_of(from->body);
    nsc_shape_get_def(&world, from->shape, &surface.def);
    nsc_body_get_pose(&world, from->body, &body);
    surface.pose = nsc_pose_multiply(body, surface.def.pose);
    surface.colour = slot > 0 ? paint[slot] : surface.def.kind == NSC_SHAPE_HEIGHT_FIELD ? FLOOR : STONE;
    surface.hidden = surface.def.kind == NSC_SHAPE_HALF_SPACE || surface.def.category == 2; /* drawn by floor and sheet */
}

/* Round shapes and terrain come as flat triangles: give each corner the normal of the surface itself. */
static nsc_vec3 smooth(nsc_vec3 at, nsc_vec3 flat)
{
    int kind = surface.def.kind;
    nsc_vec3 local, n;
    if (kind == NSC_SHAPE_BOX || kind == NSC_SHAPE_HULL) return flat;
    local = nsc_pose_point(nsc_pose_inverse(surface.pose), at);
    n = local;
    if (kind == NSC_SHAPE_HEIGHT_FIELD) {
        nsc_real e = CELL / 2;
        n.x = ground_at(local.x - e, local.y) - ground_at(local.x + e, local.y);
        n.y = ground_at(local.x, local.y - e) - ground_at(local.x, local.y + e);
        n.z = CELL;
    } else if (kind == NSC_SHAPE_CAPSULE) {
        nsc_real half = surface.def.half.z;
        n.z = local.z > half ? local.z - half : local.z < -half ? local.z + half : 0;
    } else if (kind == NSC_SHAPE_CYLINDER) {
        nsc_vec3 axis = nsc_pose_vector(surface.pose, vec(0, 0, 1));
        nsc_real along = dot(axis, flat);
        if (along * along > NSC_R(0.5)) return flat;
        n.z = 0;
    }
    return nsc_pose_vector(surface.pose, unit(n));
}

static void take_triangle(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 normal, const nsc_draw_from *from)
{
    (void)user;
    look_at(from);
    if (surface.hidden || vertices + 3 > VERTICES) return;
    corner(a, smooth(a, normal), surface.colour);
    corner(b, smooth(b, normal), surface.colour);
    corner(c, smooth(c, normal), surface.colour);
}

static void take_line(void *user, nsc_vec3 a, nsc_vec3 b, const nsc_draw_from *from)
{
    (void)user;
    if (from->colour == NSC_COLOUR_FORCE) {
        nsc_vec3 f = add(b, -1, a);
        nsc_real far = length(f), most = scene_size / 3;
        stroke(a, add(a, far > most ? most / far : 1, f), LINE_FORCE);
    }
    if (from->colour == NSC_COLOUR_AWAKE || from->colour == NSC_COLOUR_ASLEEP) {
        look_at(from);
        if (surface.def.kind == NSC_SHAPE_BOX || surface.def.kind == NSC_SHAPE_HULL) stroke(a, b, LINE_EDGE);
    }
}

static nsc_vec3 node_at(int i, int j)
{
    nsc_pose p = nsc_default_body_def().pose;
    nsc_body_get_pose(&world, node[i][j], &p);
    return p.position;
}

static void draw_sheet(void)
{
    static nsc_vec3 at[SIDE][SIDE], normal[SIDE][SIDE];
    static const unsigned char cell[6][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}};
    int i, j, k;
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) at[i][j] = node_at(i, j);
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            nsc_vec3 right = add(at[i][j < SIDE - 1 ? j + 1 : j], -1, at[i][j > 0 ? j - 1 : j]);
            nsc_vec3 up = add(at[i < SIDE - 1 ? i + 1 : i][j], -1, at[i > 0 ? i - 1 : i][j]);
            normal[i][j] = unit(cross(right, up));
        }
    for (i = 0; i + 1 < SIDE; i++)
        for (j = 0; j + 1 < SIDE; j++)
            for (k = 0; k < 6; k++) {
                int y = i + cell[k][0], x = j + cell[k][1];
                corner(at[y][x], normal[y][x], SAGE);
            }
    stroke(at[0][0], at[0][0], LINE_HAND);
    stroke(at[0][SIDE - 1], at[0][SIDE - 1], LINE_HAND);
}

/* Terrain is solid below: walls from its border down to the floor */
static void draw_border(void)
{
    static const signed char side[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const nsc_real x = CELL * (NX / 2), y = CELL * (NY / 2);
    nsc_vec3 at = vec(-x, -y, ground_at(-x, -y)), next, normal;
    int k, i;
    for (k = 0; k < 4; k++)
        for (i = 1; i < (k % 2 ? NY : NX); i++) {
            next = vec(at.x + CELL * (nsc_real)side[k][0], at.y + CELL * (nsc_real)side[k][1], 0);
            normal = vec((nsc_real)side[k][1], (nsc_real)-side[k][0], 0);
            next.z = ground_at(next.x, next.y);
            corner(vec(at.x, at.y, 0), normal, STONE);
            corner(vec(next.x, next.y, 0), normal, STONE);
            corner(next, normal, STONE);
            corner(vec(at.x, at.y, 0), normal, STONE);
            corner(next, normal, STONE);
            corner(at, normal, STONE);
            at = next;
        }
}

/* The recorded cube: its twelve edges */
static void draw_record(void)
{
    nsc_pose p = nsc_default_body_def().pose;
    int i, k;
    if (now->build != build_toss || TOSS_ROWS < 2) return;
    recorded(&p);
    for (i = 0; i < 8; i++)
        for (k = 1; k < 8; k *= 2) {
            int j = i | k;
            const nsc_real h = NSC_R(0.0524);
            if (i & k) continue;
            stroke(nsc_pose_point(p, vec(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h)),
                   nsc_pose_point(p, vec(j & 1 ? h : -h, j & 2 ? h : -h, j & 4 ? h : -h)), LINE_RECORD);
        }
}

/* A prism of eight sides from a to b */
static void rod(nsc_vec3 a, nsc_vec3 b, nsc_real radius, int colour)
{
    static const nsc_real at[9][2] = {{1, 0}, {NSC_R(0.7071), NSC_R(0.7071)}, {0, 1}, {NSC_R(-0.7071), NSC_R(0.7071)}, {-1, 0},
                                      {NSC_R(-0.7071), NSC_R(-0.7071)}, {0, -1}, {NSC_R(0.7071), NSC_R(-0.7071)}, {1, 0}};
    nsc_vec3 way = add(b, -1, a), x, y;
    int i;
    if (length(way) < radius) return;
    way = unit(way);
    x = unit(cross(way, way.z > NSC_R(0.7) || way.z < NSC_R(-0.7) ? vec(1, 0, 0) : vec(0, 0, 1)));
    y = cross(way, x);
    for (i = 0; i < 8; i++) {
        nsc_vec3 n = add(vec(0, 0, 0), at[i][0], x), m = add(vec(0, 0, 0), at[i + 1][0], x), p, q, r, s;
        nsc_vec3 back = vec(-way.x, -way.y, -way.z);
        n = add(n, at[i][1], y);
        m = add(m, at[i + 1][1], y);
        p = add(a, radius, n);
        q = add(a, radius, m);
        r = add(b, radius, m);
        s = add(b, radius, n);
        corner(p, n, colour), corner(q, m, colour), corner(r, m, colour);
        corner(p, n, colour), corner(r, m, colour), corner(s, n, colour);
        corner(a, back, colour), corner(q, back, colour), corner(p, back, colour);
        corner(b, way, colour), corner(s, way, colour), corner(r, way, colour);
    }
}

/* Links without shapes, whose form the table does not have: rods to the joints of their children, and short ones across them */
static void draw_bones(void)
{
    int i;
    for (i = 0; i < robot->joints; i++) {
        const nsc_robot_joint_def *j = &robot->joint[i];
        nsc_pose p = nsc_default_body_def().pose;
        nsc_vec3 at, axis;
        if (!bone(i, &p, &at)) continue;
        axis = nsc_pose_vector(p, nsc_pose_vector(j->frame_a, vec(0, 0, scene_size / 28)));
        rod(p.position, at, scene_size / 40, paint[slot_of(link_body[j->parent])]);
        if (j->kind == NSC_JOINT_HINGE) rod(add(at, -1, axis), add(at, 1, axis), scene_size / 32, COAL);
    }
}

/* Fill the buffers.  forces: also contact forces. */
void EXPORT(draw)(int forces)
{
    nsc_draw d = {0};
    int i;
    vertices = 0;
    lines = 0;
    surface.id = -1;
    d.triangle = take_triangle;
    d.line = take_line;
    d.force_scale = scene_size / (5 * now->weight);
    nsc_world_draw(&world, &d, NSC_DRAW_TRIANGLES | NSC_DRAW_SHAPES | (forces ? NSC_DRAW_CONTACTS : 0));
    for (i = 0; forces && i < nsc_world_contact_count(&world); i++) {
        const nsc_contact *c = nsc_world_contact(&world, i);
        if (c->touching) stroke(c->point, c->point, LINE_POINT);
    }
    if (now->build == build_sheet) draw_sheet();
    if (now->build == build_rover) draw_border();
    if (now->build == build_robot) draw_bones();
    draw_record();
    if (hand.holds) {
        nsc_pose p = nsc_default_body_def().pose;
        nsc_body_get_pose(&world, hand.body, &p);
        stroke(nsc_pose_point(p, hand.on), hand.target, LINE_HAND);
    }
}

const float *EXPORT(vertices_at)(void) { return vertex[0]; }
int EXPORT(vertex_count)(void) { return vertices; }
const float *EXPORT(lines_at)(void) { return line[0]; }
int EXPORT(line_count)(void) { return lines; }
float EXPORT(size)(void) { return (float)scene_size; }
