"""nsc from Python: worlds, bodies, joints, springs, robots, rays, touches, reports and batches of worlds, by ctypes alone.

One file; it needs a C compiler, the headers and nothing else, and hands out numpy arrays where numpy is there, else lists.
Away from the repository NSC_DIR says where that is, or a folder that has the headers: make copy TO=folder PARTS="all tree robot dynamics print robot.py".
A library is compiled for the capacities that you ask for, once, and the tables of robots by themselves: both are kept in build/python,
or in the folder that NSC_CACHE names.

    import nsc
    lib = nsc.Library(NSC_MAX_BODIES=32)                    # any macro of nsc.h; double=True: nsc_real is double
    world = lib.World(gravity=(0, 0, -9.81), substeps=2)    # any field of nsc_world_def
    world.add_shape(nsc.GROUND, "half_space")
    box = world.add_body(position=(0, 0, 2), velocity=(1, 0, 0))
    world.add_shape(box, "box", half=(0.5, 0.5, 0.5), friction=0.7)
    world.step(1 / 240, 480)
    print(world.pose(box).position, world.report.residual)

What the library refuses raises nsc.Refused, which says field, value, rule and what to look at.  Units and frames are those of
nsc.h: SI, quaternions w x y z, world frame.  A robot's file (URDF or MJCF) goes through robot.py into the library:

    lib = nsc.Library(robots={"dog": "dog.urdf"})           # or ["dog.urdf", "--balance"]: with options of robot.py
    world = lib.World(solver="tree")
    dog = world.add_robot("dog", position=(0, 0, 0.4))
    for name in dog.joints: dog.drive(name, "servo", stiffness=150, damping=3)     # a URDF has no drives, an MJCF file may
    dog.ctrl["FL_calf_joint"] = -1.2; print(dog.qpos["FL_calf_joint"], dog.qvel[:], world.imu(dog.link("trunk")))
    now = dog.dynamics()                                    # of the present state: now.gravity, .bias, .inertia, .inverse(a), .jacobian(link)
    for name in dog.joints: world.set_force(dog.handle(name), now.gravity[name])    # servos take it along

An MJCF file may bring more: drives, sensors (dog.sensordata["imu"]) and keyframes, of which dog.states has the names: dog.set_state("home")
puts it there, position= moves the frame of the whole file, floor included, unless a joint holds it to the ground.  What robot.py leaves out of a file goes to stderr.

CC and CFLAGS (default cc, -O2) in the environment say how it is compiled: some 15 s of a processor for each set of macros; CFLAGS=-O1
takes 9 s, and steps take a third longer.  Another robot, or one whose file has changed, takes half a second.
"""
import collections, ctypes, difflib, hashlib, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

try:
    import numpy
except ImportError:
    numpy = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ.get("NSC_DIR", HERE if os.path.exists(os.path.join(HERE, "nsc.h")) else os.path.join(HERE, "..", ".."))
GROUND = 0
SHAPES = ["sphere", "capsule", "cylinder", "box", "hull", "half_space"]  # NSC_SHAPE_* from 1
JOINTS = ["ball", "hinge", "slider", "fixed", "distance", "universal", "cylindrical", "planar", "gear"]  # NSC_JOINT_* from 1
DRIVES = ["none", "motor", "servo", "force"]  # NSC_DRIVE_* from 0
KINDS = ["static", "kinematic", "dynamic"]  # NSC_*_BODY from 1
EVENTS = ["begin", "end"]  # NSC_TOUCH_* from 1
SOLVERS = ["sipgs", "tree", "auto", "newton", "admm", "apgd", "bb", "dantzig", "minres"]
NAMES = {  # of fields of a world, each from 1: World(stepper="hht")
    "stepper": ["euler_implicit_linearized", "euler_implicit_projected", "euler_symplectic", "euler_forward", "euler_implicit", "hht", "newmark"],
    "contact_model": ["hard", "smooth"],
    "law": ["coulomb", "cone", "pyramid"],
    "contact_law": ["hooke", "hertz", "flores", "barrier"]}

Pose = collections.namedtuple("Pose", "position orientation")
Velocity = collections.namedtuple("Velocity", "linear angular")
Force = collections.namedtuple("Force", "force moment")
Axis = collections.namedtuple("Axis", "position velocity drive spring friction limit")
Hit = collections.namedtuple("Hit", "body shape point normal distance")
Spring = collections.namedtuple("Spring", "length force")  # on body b
Event = collections.namedtuple("Event", "kind body_a body_b shape_a shape_b")
Imu = collections.namedtuple("Imu", "acceleration rate")
Contact = collections.namedtuple("Contact", "body_a body_b point normal gap impulse")  # normal from a to b; impulse [N s] on b
_Field = collections.namedtuple("_Field", "offset kind count")


class Refused(ValueError):
    """A call was refused, and changed nothing: code, field, value and rule; the text says what to look at.  Of the steps of one
    call of World.step those before the refused one are made: `steps` of them."""

    def __init__(self, text, code, field="", value=0.0, rule="", steps=0):
        super().__init__(text)
        self.code, self.field, self.value, self.rule, self.steps = code, field, value, rule, steps


# ---- two shared objects: nsc, with functions over it whose arguments are plain numbers and pointers; and the tables of robots

_HEADERS = r"""
#define NSC_THREAD __thread
#define PY_MAX(a, b) ((a) > (b) ? (a) : (b))
#ifndef NSC_MAX_JOINT_BLOCKS
#define NSC_MAX_JOINT_BLOCKS (4 * NSC_MAX_JOINTS)
#endif
/* Beside TREE what NEWTON takes to go on with rows outside the trees, up to 120 of an island: gears, the wheels of robot.py, loops */
#ifndef NSC_ARENA
#define NSC_ARENA PY_MAX(NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS), \
    NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, 64) + 120 * 122 + NSC_ARENA_NEWTON_MATRIX(120))
#endif
#include "nsc_newton.h"
#include "nsc_tree.h"
#include "nsc_all.h"
#include "nsc_robot.h"
"""

_TABLES = r"""
static const nsc_robot *const robots[] = {ROBOT_LIST NULL};
const nsc_robot *py_table(int r) { return robots[r]; }
const nsc_hull *const *py_hulls(int *count)
{
    static const nsc_hull *all[4096];
    static int made;
    if (!made)
        for (int r = 0; robots[r]; r++)
            for (int i = 0; i < robots[r]->hulls && made < 4096; i++) all[made++] = robots[r]->hull[i];
    *count = made;
    return all;
}
"""

_C = r"""
#include "nsc_print.h"
#ifndef NSC_DYNAMICS_LINKS
#define NSC_DYNAMICS_LINKS 64
#define NSC_DYNAMICS_NUMBERS 80
#endif
#include "nsc_dynamics.h"
#include <string.h>

/* ---- fields: definitions and the report, by name */
typedef struct { const char *of, *name; int offset, kind, count; } py_field; /* kind: 0 int, 1 real, 2 uint32 */
#define F(type, member, rule) \
    {#type, #member, (int)offsetof(type, member), (rule) < NSCI_CHOICE, \
     (rule) >= NSCI_CHOICE ? 1 : (rule) == NSCI_VECTOR ? 3 : (rule) == NSCI_SYMMETRIC ? 6 : (rule) == NSCI_POSE ? 7 : 1},
#define E(type, member, kind) {#type, #member, (int)offsetof(type, member), kind, 1},
static const py_field fields[] = {NSCI_ALL_FIELDS(F)
    E(nsc_world_def, solver.law, 0) E(nsc_world_def, solver.max_iterations, 0) E(nsc_world_def, solver.tolerance, 1)
    E(nsc_world_def, solver.relative_tolerance, 1) E(nsc_world_def, solver.omega, 1) E(nsc_world_def, solver.warm_start, 0) E(nsc_world_def, solver.judge, 0)
    E(nsc_world_def, solver.max_factorizations, 0) E(nsc_world_def, solver.check_interval, 0)
    E(nsc_shape_def, category, 2) E(nsc_shape_def, mask, 2)
    E(nsc_joint_def, body_a, 0) E(nsc_joint_def, body_b, 0) E(nsc_joint_def, joint_a, 0) E(nsc_joint_def, joint_b, 0)
    E(nsc_spring_def, body_a, 0) E(nsc_spring_def, body_b, 0)
    E(nsc_step_report, solver.status, 0) E(nsc_step_report, solver.solver, 0) E(nsc_step_report, solver.iterations, 0)
    E(nsc_step_report, solver.factorizations, 0) E(nsc_step_report, solver.residual, 1) E(nsc_step_report, solver.floor, 1)
    E(nsc_step_report, solver.eta, 1) E(nsc_step_report, pairs, 0) E(nsc_step_report, contacts, 0) E(nsc_step_report, matched, 0)
    E(nsc_step_report, dropped, 0) E(nsc_step_report, dropped_ever, 2) E(nsc_step_report, dropped_events, 0) E(nsc_step_report, islands, 0)
    E(nsc_step_report, asleep, 0) E(nsc_step_report, penetration, 1) E(nsc_step_report, drift, 1)
    E(nsc_step_report, newton_steps, 0) E(nsc_step_report, unsettled, 0) E(nsc_step_report, limited_bounces, 0)
    E(nsc_body, position, 1) E(nsc_body, orientation, 1) E(nsc_body, velocity, 1) E(nsc_body, angular_velocity, 1)
    E(nsc_world, bodies, 1) E(nsc_world, body_end, 0)
    {NULL, NULL, 0, 0, 0}};
const py_field *py_fields(void) { return fields; }
typedef struct { nsc_dynamics d; nsc_robot robot; } py_model;
int py_sizes(int i)
{
    const int sizes[] = {sizeof(nsc_world), sizeof(nsc_real), sizeof(nsc_world_def), sizeof(nsc_body_def), sizeof(nsc_shape_def),
                         sizeof(nsc_joint_def), sizeof(nsc_axis_def), sizeof(nsc_body), NSC_MAX_BODIES, (int)sizeof(nsc_vec3),
                         (int)offsetof(nsc_joint_def, axis), sizeof(nsc_step_report), sizeof(nsc_box_tree), sizeof(py_model),
                         sizeof(nsc_spring_def)};
    return sizes[i];
}

/* ---- definitions with their defaults */
static nsc_vec3 vec(const double *x) { nsc_vec3 v; memset(&v, 0, sizeof v); v.x = (nsc_real)x[0], v.y = (nsc_real)x[1], v.z = (nsc_real)x[2]; return v; }
static void tell(double *to, nsc_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
static nsc_pose pose_of(const double *x)
{
    nsc_pose p;
    p.position = vec(x);
    p.orientation.w = (nsc_real)x[3], p.orientation.x = (nsc_real)x[4], p.orientation.y = (nsc_real)x[5], p.orientation.z = (nsc_real)x[6];
    return p;
}
static void tell_pose(double *to, nsc_pose p)
{
    tell(to, p.position);
    to[3] = p.orientation.w, to[4] = p.orientation.x, to[5] = p.orientation.y, to[6] = p.orientation.z;
}
void py_world_def(nsc_world_def *d) { *d = nsc_default_world_def(); }
void py_body_def(nsc_body_def *d) { *d = nsc_default_body_def(); }
void py_joint_def(nsc_joint_def *d, int kind, nsc_id a, nsc_id b) { *d = nsc_default_joint_def(kind, a, b); }
void py_spring_def(nsc_spring_def *d, nsc_id a, nsc_id b) { *d = nsc_default_spring_def(a, b); }
void py_shape_def(nsc_shape_def *d, int kind)
{
    *d = kind == NSC_SHAPE_HALF_SPACE ? nsc_default_half_space_def() : nsc_default_box_def(1, 1, 1);
    if (kind != NSC_SHAPE_HALF_SPACE && kind != NSC_SHAPE_BOX) *d = nsc_default_capsule_def(1, 1);
    d->kind = kind;
}

/* ---- the world */
int py_init(nsc_world *w, const nsc_world_def *d, const nsc_hull *const *hulls, int count)
{
    int code = nsc_world_init(w, d);
    return code < 0 || count == 0 ? code : nsc_world_set_hulls(w, hulls, count);
}
int py_report_at(const nsc_world *w) { return (int)((const char *)nsc_world_report(w) - (const char *)w); }
int py_step(nsc_world *w, double h, int steps, int solver, int *made)
{
    nsc_solver *const solvers[] = {nsc_solve_sipgs, nsc_solve_tree, nsc_solve_auto, nsc_solve_newton, nsc_solve_admm,
                                   nsc_solve_apgd, nsc_solve_bb, nsc_solve_dantzig, nsc_solve_minres};
    nsc_calls calls = nsc_default_calls();
    int code = NSC_OK;
    calls.solve = solvers[solver];
    for (*made = 0; *made < steps; ++*made)
        if ((code = nsc_world_step_with(w, (nsc_real)h, &calls)) < 0) break;
    return code;
}
/* Worlds begin..end of a batch, each `steps` steps; code[i] is what the last step of world i returned */
void py_step_all(char *worlds, int begin, int end, double h, int steps, int solver, int *code)
{
    int made;
    for (int i = begin; i < end; i++) code[i] = py_step((nsc_world *)(worlds + (size_t)i * sizeof(nsc_world)), h, steps, solver, &made);
}
int py_refusal(const nsc_world *w, int code, char *line, int room, double *value, const char **field, const char **rule)
{
    nsc_refusal r = nsc_world_last_refusal(w);
    FILE *to = tmpfile();
    int n = 0;
    *field = *rule = "", *value = 0;
    if (w && r.code == code) *field = r.field, *rule = r.rule, *value = r.value;
    if (!to) return 0;
    nsc_print_refusal(to, w, code);
    rewind(to);
    n = (int)fread(line, 1, (size_t)room - 1, to);
    line[n] = 0;
    fclose(to);
    return n;
}
int py_pose(const nsc_world *w, nsc_id b, double *x)
{
    nsc_pose p;
    int code = nsc_body_get_pose(w, b, &p);
    if (code >= 0) tell_pose(x, p);
    return code;
}
int py_set_pose(nsc_world *w, nsc_id b, const double *x) { return nsc_body_set_pose(w, b, pose_of(x)); }
int py_velocity(const nsc_world *w, nsc_id b, double *x)
{
    nsc_vec3 v, o;
    int code = nsc_body_get_velocity(w, b, &v, &o);
    if (code >= 0) tell(x, v), tell(x + 3, o);
    return code;
}
int py_set_velocity(nsc_world *w, nsc_id b, const double *x) { return nsc_body_set_velocity(w, b, vec(x), vec(x + 3)); }
int py_add_force(nsc_world *w, nsc_id b, const double *x) { return nsc_body_add_force(w, b, vec(x), vec(x + 3)); }
int py_add_impulse(nsc_world *w, nsc_id b, const double *x) { return nsc_body_add_impulse_at(w, b, vec(x), vec(x + 3)); }
int py_contact_force(const nsc_world *w, nsc_id b, double *x)
{
    nsc_vec3 f, m;
    int code = nsc_body_get_contact_force(w, b, &f, &m);
    if (code >= 0) tell(x, f), tell(x + 3, m);
    return code;
}
int py_mass(const nsc_world *w, nsc_id b, double *x)
{
    nsc_real m = 0;
    int code = nsc_body_get_mass(w, b, &m, NULL, NULL);
    *x = m;
    return code;
}
int py_imu(const nsc_world *w, nsc_id b, const double *mounting, double *x)
{
    nsc_vec3 a, rate;
    int code = nsc_body_get_imu(w, b, pose_of(mounting), &a, &rate);
    if (code >= 0) tell(x, a), tell(x + 3, rate);
    return code;
}
int py_contact(const nsc_world *w, int i, nsc_id *bodies, double *x)
{
    const nsc_contact *c = nsc_world_contact(w, i);
    if (!c) return NSC_ERR_ARGUMENT;
    bodies[0] = c->body_a, bodies[1] = c->body_b;
    tell(x, c->point), tell(x + 3, c->normal), tell(x + 6, c->impulse), x[9] = c->gap;
    return NSC_OK;
}
int py_place(nsc_world *w, nsc_joint_def *d, const double *x) { return nsc_joint_place(w, d, vec(x), vec(x + 3), vec(x + 6)); }
int py_axis(const nsc_world *w, nsc_id j, int axis, double *x)
{
    nsc_axis_state s;
    int code = nsc_joint_get_axis(w, j, axis, &s);
    if (code >= 0) x[0] = s.position, x[1] = s.velocity, x[2] = s.drive, x[3] = s.spring, x[4] = s.friction, x[5] = s.limit;
    return code;
}
int py_target(nsc_world *w, nsc_id j, int axis, double p, double v) { return nsc_joint_set_target(w, j, axis, (nsc_real)p, (nsc_real)v); }
int py_force(nsc_world *w, nsc_id j, int axis, double f) { return nsc_joint_set_force(w, j, axis, (nsc_real)f); }
int py_state(nsc_world *w, nsc_id j, int axis, double p, double v) { return nsc_joint_set_state(w, j, axis, (nsc_real)p, (nsc_real)v); }
int py_spring(const nsc_world *w, nsc_id s, double *x)
{
    nsc_real length;
    nsc_vec3 f;
    int code = nsc_spring_get_force(w, s, &length, &f);
    if (code >= 0) x[0] = length, tell(x + 1, f);
    return code;
}
/* n rays, six numbers each; x: seven numbers each; by a tree where there are many */
int py_rays(const nsc_world *w, int n, const double *rays, unsigned mask, nsc_box_tree *tree, nsc_id *ids, double *x)
{
    int many = n > 5, code = many ? nsc_box_tree_make(tree, w) : NSC_OK;
    for (int i = 0; i < n && code >= 0; i++) {
        nsc_hit h;
        memset(&h, 0, sizeof h);
        code = nsc_box_tree_cast_ray(many ? tree : NULL, w, vec(rays + 6 * i), vec(rays + 6 * i + 3), mask, &h);
        ids[2 * i] = code > 0 ? h.body : -1, ids[2 * i + 1] = h.shape;
        tell(x + 7 * i, h.point), tell(x + 7 * i + 3, h.normal), x[7 * i + 6] = h.distance;
    }
    return code;
}

/* ---- robots.  qpos and qvel as MuJoCo lays them out: a base that moves first, 7 and 6 numbers, then the joint entries that
   have an axis, in the order of the table. */
static const char *const none = "";
int py_robot_count(const nsc_robot *t, int what)
{
    const int n[] = {t->links, t->joints, t->sensors, t->states, t->fixed_base};
    return n[what];
}
const char *py_robot_name(const nsc_robot *t, int what, int i)
{
    return what == 0 ? t->link[i].name : what == 1 ? t->joint[i].name : what == 2 ? t->sensor[i].name : what == 3 ? t->state[i].name : none;
}
int py_robot_held(const nsc_robot *t, int fixed) /* does a joint hold the base to the ground, or is it static? */
{
    int held = (fixed >= 0 ? fixed : t->fixed_base) || (t->links > 0 && t->link[0].kind != NSC_DYNAMIC_BODY);
    for (int i = 0; i < t->joints; i++) {
        const nsc_robot_joint_def *j = &t->joint[i];
        held |= j->kind != NSC_ROBOT_AXIS && j->kind != NSC_JOINT_GEAR && j->child == 0;
    }
    return held;
}
int py_robot_axes(const nsc_robot *t, int i) /* has joint entry i an axis of its own? */
{
    int kind = t->joint[i].kind;
    return kind != NSC_JOINT_BALL && kind != NSC_JOINT_FIXED && kind != NSC_JOINT_GEAR;
}
int py_robot_add(nsc_world *w, const nsc_robot *t, int fixed, const double *base, nsc_id *body, nsc_id *joint)
{
    nsc_robot copy = *t;
    if (fixed >= 0) copy.fixed_base = fixed;
    return nsc_robot_add(w, &copy, pose_of(base), body, joint);
}
int py_robot_set_state(nsc_world *w, const nsc_robot *t, const double *base, int state, const nsc_id *body, const nsc_id *joint)
{
    return nsc_robot_set_state(w, t, pose_of(base), state, body, joint);
}
int py_robot_read(const nsc_world *w, const nsc_robot *t, const nsc_id *body, const nsc_id *joint, int sensor, double *x)
{
    nsc_real v[4] = {0, 0, 0, 0};
    int n = nsc_robot_read(w, t, body, joint, sensor, v);
    for (int i = 0; i < 4; i++) x[i] = v[i];
    return n;
}
int py_robot_joints(const nsc_world *w, const nsc_robot *t, const nsc_id *joint, double *position, double *velocity, double *force)
{
    static NSC_THREAD nsc_real x[3][NSC_MAX_JOINTS];
    int code = t->joints > NSC_MAX_JOINTS ? NSC_ERR_CAPACITY : nsc_robot_get_state(w, t, joint, x[0], x[1], x[2]);
    for (int i = 0; i < t->joints && code >= 0; i++) position[i] = x[0][i], velocity[i] = x[1][i], force[i] = x[2][i];
    return code;
}
/* A joint entry as handle and axis: a further axis (NSC_ROBOT_AXIS) is one of the joint before it */
static nsc_id entry(const nsc_robot *t, const nsc_id *joint, int i, int *axis)
{
    const nsc_robot_joint_def *d = &t->joint[i];
    *axis = d->kind == NSC_ROBOT_AXIS ? d->child : 0;
    return joint[d->kind == NSC_ROBOT_AXIS ? d->parent : i];
}
int py_robot_joint_state(nsc_world *w, const nsc_robot *t, const nsc_id *joint, int i, double p, double v)
{
    int axis;
    nsc_id j = entry(t, joint, i, &axis);
    return nsc_joint_set_state(w, j, axis, (nsc_real)p, (nsc_real)v);
}
/* Drive of an entry; and its command: target of a servo, speed of a motor, force of a force */
int py_robot_drive(const nsc_world *w, const nsc_robot *t, const nsc_id *joint, int i, double *command)
{
    int axis, code;
    nsc_joint_def d;
    nsc_id j = entry(t, joint, i, &axis);
    if ((code = nsc_joint_get_def(w, j, &d)) < 0) return code;
    code = d.axis[axis].drive;
    *command = code == NSC_DRIVE_SERVO ? d.axis[axis].target : code == NSC_DRIVE_MOTOR ? d.axis[axis].target_velocity : d.axis[axis].force;
    return code;
}
int py_robot_command(nsc_world *w, const nsc_robot *t, const nsc_id *joint, int i, double x)
{
    double old;
    int axis, drive = py_robot_drive(w, t, joint, i, &old);
    nsc_id j = entry(t, joint, i, &axis);
    if (drive == NSC_DRIVE_SERVO) return nsc_joint_set_target(w, j, axis, (nsc_real)x, 0);
    if (drive == NSC_DRIVE_MOTOR) return nsc_joint_set_target(w, j, axis, 0, (nsc_real)x);
    return drive == NSC_DRIVE_FORCE ? nsc_joint_set_force(w, j, axis, (nsc_real)x) : drive < 0 ? drive : NSC_ERR_ARGUMENT;
}
int py_robot_set_axis(nsc_world *w, const nsc_robot *t, const nsc_id *joint, int i, const nsc_axis_def *a)
{
    int axis;
    nsc_id j = entry(t, joint, i, &axis);
    return nsc_joint_set_axis(w, j, axis, a);
}
int py_robot_get_axis(const nsc_world *w, const nsc_robot *t, const nsc_id *joint, int i, nsc_axis_def *a)
{
    int axis, code;
    nsc_joint_def d;
    nsc_id j = entry(t, joint, i, &axis);
    if ((code = nsc_joint_get_def(w, j, &d)) >= 0) *a = d.axis[axis];
    return code;
}
nsc_id py_robot_entry(const nsc_robot *t, const nsc_id *joint, int i, int *axis) { return entry(t, joint, i, axis); }
int py_robot_link(const nsc_robot *t, const char *name) { return nsc_robot_link(t, name); }
/* The base and all that hangs on it as one rigid piece, not the floor of its file: to this pose */
int py_robot_move(nsc_world *w, const nsc_robot *t, const nsc_id *body, const double *to)
{
    nsc_pose old, change;
    int code = nsc_body_get_pose(w, body[0], &old);
    change = nsc_pose_multiply(pose_of(to), nsc_pose_inverse(old));
    for (int i = 0; i < t->links && code >= 0; i++) {
        nsc_vec3 v, o;
        if (t->link[i].kind != NSC_DYNAMIC_BODY) continue;
        if ((code = nsc_body_get_pose(w, body[i], &old)) < 0 || (code = nsc_body_get_velocity(w, body[i], &v, &o)) < 0) break;
        if ((code = nsc_body_set_pose(w, body[i], nsc_pose_multiply(change, old))) < 0) break;
        code = nsc_body_set_velocity(w, body[i], nsc_pose_vector(change, v), nsc_pose_vector(change, o));
    }
    return code;
}
static nsc_vec3 cross(nsc_vec3 a, nsc_vec3 b) { double x[3]; x[0] = a.y * b.z - a.z * b.y, x[1] = a.z * b.x - a.x * b.z, x[2] = a.x * b.y - a.y * b.x; return vec(x); }
static nsc_vec3 plus(nsc_vec3 a, nsc_vec3 b, nsc_real s) { a.x += s * b.x, a.y += s * b.y, a.z += s * b.z; return a; }
/* Where the centre of mass of a body is */
static int centre(const nsc_world *w, nsc_id b, nsc_vec3 *c)
{
    nsc_pose p;
    nsc_vec3 own;
    int code = nsc_body_get_pose(w, b, &p);
    if (code >= 0) code = nsc_body_get_mass(w, b, NULL, &own, NULL);
    if (code >= 0) *c = nsc_pose_point(p, own);
    return code;
}
/* Velocity of the base's origin along the world's axes, turn rate along its own: as in qvel of a free joint */
int py_robot_base_velocity(const nsc_world *w, const nsc_id *body, double *x)
{
    nsc_pose p;
    nsc_vec3 v, o, c;
    int code = nsc_body_get_pose(w, body[0], &p);
    if (code < 0 || (code = nsc_body_get_velocity(w, body[0], &v, &o)) < 0 || (code = centre(w, body[0], &c)) < 0) return code;
    tell(x, plus(v, cross(o, plus(p.position, c, -1)), 1));
    p.position = vec((double[]){0, 0, 0});
    tell(x + 3, nsc_pose_point(nsc_pose_inverse(p), o));
    return code;
}
int py_robot_set_base_velocity(nsc_world *w, const nsc_robot *t, const nsc_id *body, const double *x)
{
    double now[6];
    nsc_pose p;
    nsc_vec3 dv, dw;
    int code = py_robot_base_velocity(w, body, now);
    if (code < 0 || (code = nsc_body_get_pose(w, body[0], &p)) < 0) return code;
    dv = plus(vec(x), vec(now), -1);
    dw = nsc_pose_vector(p, plus(vec(x + 3), vec(now + 3), -1));
    for (int i = 0; i < t->links && code >= 0; i++) {
        nsc_vec3 v, o, c;
        if (t->link[i].kind != NSC_DYNAMIC_BODY) continue;
        if ((code = centre(w, body[i], &c)) < 0 || (code = nsc_body_get_velocity(w, body[i], &v, &o)) < 0) break;
        v = plus(plus(v, dv, 1), cross(dw, plus(c, p.position, -1)), 1);
        code = nsc_body_set_velocity(w, body[i], v, plus(o, dw, 1));
    }
    return code;
}

/* ---- dynamics of a robot as it is */
static NSC_THREAD nsc_real numbers[NSC_DYNAMICS_NUMBERS * NSC_DYNAMICS_NUMBERS];
static int tell_numbers(double *to, int n, int code)
{
    for (int i = 0; i < n && code >= 0; i++) to[i] = numbers[i];
    return code;
}
int py_dynamics(const nsc_world *w, const nsc_robot *t, int fixed, const double *base, const nsc_id *body, const nsc_id *joint, py_model *m)
{
    static NSC_THREAD nsc_real position[NSC_DYNAMICS_NUMBERS + NSC_DYNAMICS_LINKS];
    int code;
    m->robot = *t;
    if (fixed >= 0) m->robot.fixed_base = fixed;
    nsc_pose at = pose_of(base); /* a fixed robot stands where its first link does */
    if (m->robot.fixed_base && nsc_body_get_pose(w, body[0], &at) >= 0) at = nsc_pose_multiply(at, nsc_pose_inverse(t->link[0].pose));
    code = nsc_dynamics_init(&m->d, &m->robot, at);
    m->d.gravity = w->def.gravity;
    if (code >= 0) code = nsc_dynamics_read(&m->d, w, body, joint, position, numbers);
    return code < 0 ? code : nsc_dynamics_set(&m->d, position, numbers);
}
/* x: first number of link i, how many it has, the entry whose child it is, -1: a free link; returns all numbers */
int py_dynamics_link(const py_model *m, int i, int *x)
{
    x[0] = m->d.link[i].first, x[1] = m->d.link[i].mass > 0 ? m->d.link[i].count : 0, x[2] = m->d.link[i].entry;
    return m->d.numbers;
}
int py_dynamics_entry(const py_model *m, int k) { return m->d.entry[k]; }
int py_dynamics_inverse(py_model *m, const double *a, double *force)
{
    for (int i = 0; i < m->d.numbers; i++) numbers[i] = (nsc_real)a[i];
    return tell_numbers(force, m->d.numbers, nsc_dynamics_inverse(&m->d, numbers, numbers));
}
int py_dynamics_gravity(py_model *m, double *force) { return tell_numbers(force, m->d.numbers, nsc_dynamics_gravity(&m->d, numbers)); }
int py_dynamics_inertia(py_model *m, double *M) { return tell_numbers(M, m->d.numbers * m->d.numbers, nsc_dynamics_inertia(&m->d, numbers)); }
int py_dynamics_jacobian(const py_model *m, int link, const double *point, double *J)
{
    static NSC_THREAD nsc_real rows[6 * NSC_DYNAMICS_NUMBERS];
    int code = nsc_dynamics_jacobian(&m->d, link, vec(point), rows);
    for (int i = 0; i < 6 * m->d.numbers && code >= 0; i++) J[i] = rows[i];
    return code;
}
"""


def _run(command, tells=False):
    """What a command prints; what it says beside goes to stderr, if it tells."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise RuntimeError("%s failed:\n%s" % (" ".join(map(str, command)), "\n".join(said[-1:] + said[:11] if tells else said[:12])))
    if tells and done.stderr:
        print(done.stderr, end="", file=sys.stderr)
    return done.stdout


def _tables(kit, robots):
    """The tables that robot.py makes of these files, and their names."""
    tables, names = "", ""
    for name, given in robots.items():
        given = [given] if isinstance(given, (str, os.PathLike)) else list(given)
        tables += _run([sys.executable, os.path.join(kit, "robot.py"), "--name", name] + given, True)
        names += "&%s, " % name
    return tables + _TABLES.replace("ROBOT_LIST", names)


def _object(source, command, headers, what):
    """The shared object of a source; compiled once, and again when a header changes."""
    mark = hashlib.sha256((source + " ".join(command)).encode() + headers)
    keep = os.environ.get("NSC_CACHE") or os.path.join(ROOT, "build", "python")
    made = os.path.join(keep, "%s_%s.so" % (what, mark.hexdigest()[:16]))
    if not os.path.exists(made):
        os.makedirs(keep, exist_ok=True)
        if what == "nsc" and sys.stderr.isatty():
            print("nsc: compiles its library, once for these macros: some seconds", file=sys.stderr)
        with tempfile.TemporaryDirectory() as work:
            file = os.path.join(work, "nsc.c")
            with open(file, "w") as to:
                to.write(source)
            _run(command + [file, "-o", os.path.join(work, "nsc.so"), "-lm"])
            os.replace(shutil.copy(os.path.join(work, "nsc.so"), made + ".%d" % os.getpid()), made)
    return ctypes.CDLL(made)


def _compile(macros, robots, flags):
    """The library for these macros, and the tables of these robots or None: each compiled by itself, so that another robot is
    there at once."""
    if not os.path.exists(os.path.join(ROOT, "nsc.h")):
        raise RuntimeError("no nsc.h in %s: set NSC_DIR to the repository, or to a folder with the headers and robot.py: "
                           "make copy TO=folder PARTS=\"all tree robot dynamics print robot.py\"" % os.path.abspath(ROOT))
    kit = os.path.join(ROOT, "examples", "kit")
    if not os.path.isdir(kit):
        kit = ROOT
    compiler = os.environ.get("CC", "cc")
    command = compiler.split() + ["-std=gnu99", "-ffp-contract=off", "-fPIC", "-shared", "-w", "-I" + ROOT, "-I" + kit] + flags
    headers, words = hashlib.sha256(), set()
    for folder in [ROOT, kit]:
        for file in sorted(os.listdir(folder)):
            if file.endswith(".h"):
                with open(os.path.join(folder, file), "rb") as header:
                    text = header.read()
                headers.update(text)
                words.update(re.findall(r"NSC_\w+", text.decode("utf-8", "replace")))
    for name in macros:
        if name.startswith("NSC_") and name not in words:
            raise ValueError("no header asks for %s; near it: %s" % (name, ", ".join(difflib.get_close_matches(name, words))))
    head = "".join("#define %s %s\n" % item for item in sorted(macros.items()))
    tables = _object(head + _HEADERS + _tables(kit, robots), command + ["-O1"], headers.digest(), "robots") if robots else None
    return _object(head + "#define NSC_IMPLEMENTATION\n" + _HEADERS + _C, command, headers.digest(), "nsc"), tables


class Library:
    """nsc, compiled for macros (NSC_MAX_BODIES=64), robots ({name: file, or [file, option of robot.py, ...]}) and a type of real number."""

    def __init__(self, robots=None, double=False, flags=None, **macros):
        self.robots = {re.sub(r"\W", "_", name): path for name, path in (robots or {}).items()}
        if double:
            macros["NSC_DOUBLE"] = 1
        macros.setdefault("NSC_MAX_BODIES", 32)
        macros.setdefault("NSC_MAX_SHAPES", macros["NSC_MAX_BODIES"])
        macros["NSC_MAX_JOINTS"] = max(1, macros.get("NSC_MAX_JOINTS", 32))
        macros["NSC_MAX_SPRINGS"] = max(1, macros.get("NSC_MAX_SPRINGS", 16))
        macros.setdefault("NSC_MAX_CONTACTS", 128)
        macros["NSC_MAX_EVENTS"] = max(1, macros.get("NSC_MAX_EVENTS", macros["NSC_MAX_CONTACTS"]))
        flags = os.environ.get("CFLAGS", "-O2").split() if flags is None else list(flags)
        self.c, tables = _compile(macros, self.robots, flags)
        self.tables, self.hulls, count = [], ctypes.c_void_p(), ctypes.c_int()
        if tables:
            tables.py_table.restype = tables.py_hulls.restype = ctypes.c_void_p
            self.tables = [ctypes.c_void_p(tables.py_table(i)) for i in range(len(self.robots))]
            self.hulls = ctypes.c_void_p(tables.py_hulls(ctypes.byref(count)))
        self.hull_count = count.value
        size = [self.c.py_sizes(i) for i in range(15)]
        self.world_size, self.bodies, self.body_size, self.axis_at = size[0], size[8], size[7], size[10]
        self.axis_size, self.tree_size, self.model_size = size[6], size[12], size[13]
        self.real = ctypes.c_float if size[1] == 4 else ctypes.c_double
        self.sizes = dict(zip(["nsc_world_def", "nsc_body_def", "nsc_shape_def", "nsc_joint_def", "nsc_axis_def"], size[2:7]))
        self.sizes.update(nsc_step_report=size[11], nsc_spring_def=size[14])
        self.fields = collections.defaultdict(dict)
        self.c.py_fields.restype = ctypes.POINTER(_FieldLine)
        for line in self._lines():
            self.fields[line.of.decode()].setdefault(line.name.decode(), _Field(line.offset, line.kind, line.count))
        self.c.py_robot_name.restype = ctypes.c_char_p
        self.c.nsc_world_hash.restype = ctypes.c_uint32
        self.c.nsc_world_event.restype = ctypes.POINTER(ctypes.c_int32 * 5)

    def _lines(self):
        lines, i = self.c.py_fields(), 0
        while lines[i].of:
            yield lines[i]
            i += 1

    def World(self, solver="sipgs", **fields):
        """A world; fields are those of nsc_world_def, some by name: see NAMES.  solver: see SOLVERS."""
        return World(self, None, solver, fields)

    def Batch(self, world, count):
        """`count` copies of a world, side by side."""
        return Batch(self, world, count)


class _FieldLine(ctypes.Structure):
    _fields_ = [("of", ctypes.c_char_p), ("name", ctypes.c_char_p), ("offset", ctypes.c_int), ("kind", ctypes.c_int), ("count", ctypes.c_int)]


class Record:
    """A structure of the library, its fields by name: numbers, or tuples of numbers."""

    def __init__(self, lib, of, memory=None, at=0):
        memory = (ctypes.c_char * lib.sizes[of])() if memory is None else memory
        for name, value in (("_lib", lib), ("_of", of), ("_memory", memory), ("_at", at)):
            object.__setattr__(self, name, value)

    def _items(self, name):
        fields = self._lib.fields[self._of]
        field = fields.get(name) or fields.get("solver." + name)
        if not field:
            also = ["position", "orientation"] if "pose" in fields else []
            raise AttributeError("%s has no field %s; it has %s" % (self._of, name, ", ".join(sorted(list(fields) + also))))
        kind = [ctypes.c_int32, self._lib.real, ctypes.c_uint32][field.kind]
        return (kind * field.count).from_buffer(self._memory, self._at + field.offset)

    def __getattr__(self, name):
        items = self._items(name)
        return items[0] if len(items) == 1 else tuple(items)

    def __setattr__(self, name, value):
        items = self._items(name)
        values = [value] if len(items) == 1 else list(value)
        if len(values) != len(items):
            raise ValueError("%s.%s takes %d numbers, and was given %d" % (self._of, name, len(items), len(values)))
        for i, x in enumerate(values):
            if isinstance(x, str) and name in NAMES:
                x = _choice(NAMES[name], x, 1)
            items[i] = x if items._type_ is self._lib.real else _int(x, unsigned=True)

    def set(self, fields):
        for name, value in fields.items():
            if name in ("position", "orientation") and "pose" in self._lib.fields[self._of]:
                pose = list(self.pose)
                pose[:3] if name == "position" else pose[3:]
                self.pose = list(value) + pose[3:] if name == "position" else pose[:3] + list(value)
            else:
                setattr(self, name, value)
        return self

    def __dir__(self):
        return [name.split(".")[-1] for name in self._lib.fields[self._of]]

    def __repr__(self):
        return "%s(%s)" % (self._of, ", ".join("%s=%s" % (name, getattr(self, name)) for name in dir(self)))


def _numbers(*groups, sizes=(3,)):
    """The numbers of vectors, one after the other; each must have as many as `sizes` says, by turns."""
    groups = [[float(x) for x in group] for group in groups]
    for i, group in enumerate(groups):
        if len(group) != sizes[i % len(sizes)]:
            raise ValueError("%d numbers were given and not %d: %s" % (len(group), sizes[i % len(sizes)], group))
    flat = sum(groups, [])
    return (ctypes.c_double * len(flat))(*flat)


def _int(value, unsigned=False):
    """An int of C: ctypes would leave out the digits beyond."""
    if not -1 << 31 <= value < 1 << 31 + unsigned:
        raise ValueError("%d is beyond an int of C" % value)
    return value


def _handle(handle):
    """A handle: ctypes would take None for 0, which is the ground."""
    if handle is None:
        raise ValueError("None is no handle; that of the ground is nsc.GROUND")
    return _int(handle)


def _out(values):
    return numpy.array(values) if numpy else list(values)


def _choice(names, value, first):
    if not isinstance(value, str):
        return _int(value)
    if value not in names:
        raise ValueError("%r is none of %s" % (value, ", ".join(names)))
    return names.index(value) + first


class World:
    """One world.  Its memory is plain bytes: copy() is a snapshot, its solver included, set(other) goes back to it."""
    __slots__ = ("lib", "_solver", "memory", "p", "__weakref__")  # world.gravity = ... would do nothing: it is refused

    def __init__(self, lib, memory=None, solver="sipgs", fields=None):
        self.lib, self.solver = lib, solver
        self.memory = (ctypes.c_char * lib.world_size)() if memory is None else memory
        self.p = ctypes.byref(self.memory)
        if memory is None:
            definition = Record(lib, "nsc_world_def")
            lib.c.py_world_def(definition._memory)
            self._must(lib.c.py_init(self.p, definition.set(fields or {})._memory, lib.hulls, lib.hull_count))

    @property
    def solver(self):
        return SOLVERS[self._solver]

    @solver.setter
    def solver(self, solver):
        i = _choice(SOLVERS, solver, 0)
        if not 0 <= i < len(SOLVERS):
            raise ValueError("%r is none of %s" % (solver, ", ".join(SOLVERS)))
        self._solver = i

    def _must(self, code, made=0, steps=0):
        if code >= 0:
            return code
        line, value = ctypes.create_string_buffer(1000), ctypes.c_double()
        field, rule = ctypes.c_char_p(), ctypes.c_char_p()
        self.lib.c.py_refusal(self.p, code, line, 1000, ctypes.byref(value), ctypes.byref(field), ctypes.byref(rule))
        text = line.value.decode().strip() + ("; %d of %d steps were made" % (made, steps) if made else "")
        raise Refused(text, code, field.value.decode(), value.value, rule.value.decode(), made)

    def _read(self, call, count, *arguments):
        x = (ctypes.c_double * count)()
        self._must(call(self.p, *arguments, x))
        return list(x)

    # ---- bodies and shapes

    def add_body(self, kind="dynamic", **fields):
        """A body; fields are those of nsc_body_def, position and orientation those of its pose.  Returns its handle."""
        definition = Record(self.lib, "nsc_body_def")
        self.lib.c.py_body_def(definition._memory)
        definition.set(fields).kind = _choice(KINDS, kind, 1)
        return self._must(self.lib.c.nsc_world_add_body(self.p, definition._memory))

    def add_shape(self, body, kind, half=None, **fields):
        """A shape of SHAPES but hulls, which robots bring; half: half edges of a box, or half length of a capsule or cylinder along z.  Fields are those of
        nsc_shape_def: radius, density, friction, restitution, position, orientation, ...  Returns its handle."""
        return self._must(self.lib.c.nsc_world_add_shape(self.p, _handle(body), self._shape(kind, half, fields)))

    def _shape(self, kind, half, fields):
        definition = Record(self.lib, "nsc_shape_def")
        self.lib.c.py_shape_def(definition._memory, _choice(SHAPES, kind, 1))
        if half is not None:
            definition.half = half if hasattr(half, "__len__") else (0, 0, half)
        return definition.set(fields)._memory

    def remove_body(self, body):
        self._must(self.lib.c.nsc_world_remove_body(self.p, _handle(body)))

    def pose(self, body):
        """Position and orientation of a body's frame, whose origin need not be its centre of mass: see centres."""
        x = self._read(self.lib.c.py_pose, 7, _handle(body))
        return Pose(_out(x[:3]), _out(x[3:]))

    def set_pose(self, body, position, orientation=(1, 0, 0, 0)):
        self._must(self.lib.c.py_set_pose(self.p, _handle(body), _numbers(position, orientation, sizes=(3, 4))))

    def velocity(self, body):
        x = self._read(self.lib.c.py_velocity, 6, _handle(body))
        return Velocity(_out(x[:3]), _out(x[3:]))

    def set_velocity(self, body, linear=(0, 0, 0), angular=(0, 0, 0)):
        self._must(self.lib.c.py_set_velocity(self.p, _handle(body), _numbers(linear, angular)))

    def add_force(self, body, force=(0, 0, 0), torque=(0, 0, 0)):
        """At the centre of mass, world axes, for the next step."""
        self._must(self.lib.c.py_add_force(self.p, _handle(body), _numbers(force, torque)))

    def add_impulse(self, body, impulse, point):
        self._must(self.lib.c.py_add_impulse(self.p, _handle(body), _numbers(impulse, point)))

    def contact_force(self, body):
        """What all contacts together exert on a body [N], and its moment about the centre of mass [N m]."""
        x = self._read(self.lib.c.py_contact_force, 6, _handle(body))
        return Force(_out(x[:3]), _out(x[3:]))

    def imu(self, body, position=(0, 0, 0), orientation=(1, 0, 0, 0)):
        """An inertial unit mounted on a body: acceleration less gravity [m/s^2] and turn rate [rad/s], in its own frame."""
        x = self._read(self.lib.c.py_imu, 6, _handle(body), _numbers(position, orientation, sizes=(3, 4)))
        return Imu(_out(x[:3]), _out(x[3:]))

    def mass(self, body):
        """[kg]; 0: it is not dynamic, or has no shape yet."""
        return self._read(self.lib.c.py_mass, 1, _handle(body))[0]

    def _bodies(self, name, count):
        return _view(self.lib, self.memory, name, count, ())

    # of all slots, the ground first: centres of mass, orientations, velocities.  With numpy views of the world's own memory,
    # which change with each step and cannot be written to; without, lists.
    centres = property(lambda self: self._bodies("position", 3))
    orientations = property(lambda self: self._bodies("orientation", 4))
    velocities = property(lambda self: self._bodies("velocity", 3))
    angular_velocities = property(lambda self: self._bodies("angular_velocity", 3))

    # ---- joints

    def add_joint(self, kind, a, b, point=None, axis=None, across=None, axes=(), **fields):
        """A joint of JOINTS, at a point and along an axis of the world, by default z; without a point, by the fields frame_a and frame_b.  axes: a dict of nsc_axis_def for each axis, such as
        [dict(drive="servo", stiffness=50, damping=2, target=0.3)].  Returns its handle."""
        definition = Record(self.lib, "nsc_joint_def")
        self.lib.c.py_joint_def(definition._memory, _choice(JOINTS, kind, 1), _handle(a), _handle(b))
        definition.set(fields)
        if point is not None:
            place = _numbers(point, (0, 0, 1) if axis is None else axis, (0, 0, 0) if across is None else across)
            self._must(self.lib.c.py_place(self.p, definition._memory, place))
        elif axis is not None or across is not None:
            raise ValueError("a joint placed along an axis needs its point too")
        for i, own in enumerate(axes):
            _axis(self.lib, definition._memory, self.lib.axis_at + i * self.lib.axis_size, own)
        return self._must(self.lib.c.nsc_world_add_joint(self.p, definition._memory))

    def joint(self, joint, axis=0):
        """State of an axis: position, velocity, and what drive, spring, friction and limit exert."""
        return Axis(*self._read(self.lib.c.py_axis, 6, _handle(joint), axis))

    def set_target(self, joint, target=0.0, velocity=0.0, axis=0):
        self._must(self.lib.c.py_target(self.p, _handle(joint), axis, ctypes.c_double(target), ctypes.c_double(velocity)))

    def set_force(self, joint, force, axis=0):
        """What a FORCE drive exerts, and any other drive besides: gravity compensation under a servo [N, N m]."""
        self._must(self.lib.c.py_force(self.p, _handle(joint), axis, ctypes.c_double(force)))

    def set_joint(self, joint, position, velocity=0.0, axis=0):
        self._must(self.lib.c.py_state(self.p, _handle(joint), axis, ctypes.c_double(position), ctypes.c_double(velocity)))

    # ---- springs

    def add_spring(self, a, b, point_a=(0, 0, 0), point_b=(0, 0, 0), **fields):
        """A spring with a damper between two points, each in the frame of its body.  Fields are those of nsc_spring_def: rest,
        stiffness, damping.  Returns its handle."""
        definition = Record(self.lib, "nsc_spring_def")
        self.lib.c.py_spring_def(definition._memory, _handle(a), _handle(b))
        definition.set(dict(fields, point_a=point_a, point_b=point_b))
        return self._must(self.lib.c.nsc_world_add_spring(self.p, definition._memory))

    def spring(self, spring):
        """Its present length, and the force on b in the last step."""
        x = self._read(self.lib.c.py_spring, 4, _handle(spring))
        return Spring(x[0], _out(x[1:]))

    # ---- robots

    def add_robot(self, name, position=(0, 0, 0), orientation=(1, 0, 0, 0), fixed=None):
        """A robot of the library's robots; fixed: True or False, else as its file says."""
        return Robot(self, name, position, orientation, fixed)

    # ---- the step, and what came of it

    def step(self, h, steps=1):
        """`steps` steps of h seconds.  Returns NSC_OK, which is 0; report.status says why the solver ended.  A step that is refused
        raises Refused, whose `steps` says how many were made before it."""
        made = ctypes.c_int()
        if _int(steps) < 0:
            raise ValueError("%d steps" % steps)
        return self._must(self.lib.c.py_step(self.p, ctypes.c_double(h), _int(steps), self._solver, ctypes.byref(made)), made.value, steps)

    @property
    def report(self):
        """nsc_step_report of the last step: residual, iterations, status, contacts, islands, dropped, ..."""
        return Record(self.lib, "nsc_step_report", self.memory, self.lib.c.py_report_at(self.p))

    @property
    def contacts(self):
        """Contacts of the last step: gap < 0 is penetration, impulse is what body_b receives, normal from body_a to body_b."""
        found, ids, x = [], (ctypes.c_int32 * 2)(), (ctypes.c_double * 10)()
        for i in range(self.report.contacts):
            if self.lib.c.py_contact(self.p, i, ids, x) < 0:
                break
            found.append(Contact(ids[0], ids[1], _out(x[:3]), _out(x[3:6]), x[9], _out(x[6:9])))
        return found

    @property
    def events(self):
        """Pairs of shapes, sensors too, that began or ceased to touch in the last step, of a call of several in the last of
        them: kind "begin" or "end".  set_pose and remove_body forget touches: none of these ends."""
        found = [self.lib.c.nsc_world_event(self.p, i).contents for i in range(self.lib.c.nsc_world_event_count(self.p))]
        return [Event(EVENTS[e[4] - 1], e[2], e[3], e[0], e[1]) for e in found]

    # ---- rays and overlaps

    def ray(self, origin, ray, mask=0xFFFFFFFF):
        """The first shape from origin to origin + ray, or None."""
        return self.rays([origin], [ray], mask)[0]

    def rays(self, origins, rays, mask=0xFFFFFFFF):
        """The same for many rays at once: a list of hits or Nones."""
        n = len(origins)
        if len(rays) != n:
            raise ValueError("%d rays from %d origins" % (len(rays), n))
        given = _numbers(*[v for ray in zip(origins, rays) for v in ray])
        ids, x, tree = (ctypes.c_int32 * (2 * n))(), (ctypes.c_double * (7 * n))(), (ctypes.c_char * self.lib.tree_size)()
        self._must(self.lib.c.py_rays(self.p, n, given, ctypes.c_uint32(mask), tree, ids, x))
        return [None if ids[2 * i] < 0 else
                Hit(ids[2 * i], ids[2 * i + 1], _out(x[7 * i:7 * i + 3]), _out(x[7 * i + 3:7 * i + 6]), x[7 * i + 6]) for i in range(n)]

    def overlap(self, kind, half=None, mask=0xFFFFFFFF, **fields):
        """Handles of the shapes that overlap a sphere, capsule, cylinder or box, which is described as for add_shape; its position and
        orientation are in the world."""
        shape, room = self._shape(kind, half, fields), 16
        while True:
            ids = (ctypes.c_int32 * room)()
            count = self._must(self.lib.c.nsc_world_overlap(self.p, shape, ctypes.c_uint32(mask), ids, room))
            if count <= room:
                return ids[:count]
            room = count

    # ---- snapshots

    def copy(self):
        return World(self.lib, (ctypes.c_char * self.lib.world_size).from_buffer_copy(self.memory), self.solver)

    def set(self, other):
        if other.lib is not self.lib:
            raise ValueError("that world is of another library")
        ctypes.memmove(self.memory, other.memory, self.lib.world_size)
        self.solver = other.solver

    def save(self):
        """A portable image, as bytes."""
        room = self._must(self.lib.c.nsc_world_save_size(self.p))
        image = ctypes.create_string_buffer(room)
        size = self._must(self.lib.c.nsc_world_save(self.p, image, room))
        return image.raw[:size]

    def load(self, image):
        self._must(self.lib.c.nsc_world_load(self.p, image, len(image)))

    @property
    def hash(self):
        return self.lib.c.nsc_world_hash(self.p)


def _axis(lib, memory, at, fields):
    record = Record(lib, "nsc_axis_def", memory, at)
    for name, value in fields.items():
        setattr(record, name, _choice(DRIVES, value, 0) if name == "drive" else value)
    if ("lower" in fields or "upper" in fields) and "limited" not in fields:
        record.limited = 1


def _view(lib, memory, name, count, batch):
    at = lib.fields["nsc_world"]["bodies"].offset + lib.fields["nsc_body"][name].offset
    real = ctypes.sizeof(lib.real)
    if numpy:
        shape, strides = (lib.bodies, count), (lib.body_size, real)
        view = numpy.ndarray(batch + shape, numpy.float32 if real == 4 else numpy.float64, memory, at,
                             (lib.world_size,) * len(batch) + strides)
        view.flags.writeable = False
        return view
    rows = [[list((lib.real * count).from_buffer(memory, w * lib.world_size + at + i * lib.body_size)) for i in range(lib.bodies)]
            for w in range(batch[0] if batch else 1)]
    return rows if batch else rows[0]


class Named:
    """Numbers with names: x["name"], x[3], x[:]; and assignments to them, where the robot takes any."""

    def __init__(self, names, get, put=None):
        self.names, self._get, self._put = names, get, put

    def __len__(self):
        return sum(count for _, _, count in self.names)

    def _find(self, name):
        for own, at, count in self.names:
            if own == name:
                return at, count
        raise KeyError("%r is none of %s" % (name, ", ".join(own for own, _, _ in self.names) or "these, for there are none: "
                                             "ctrl has the joints with a drive, see Robot.drive; sensordata the file's sensors"))

    def __getitem__(self, key):
        values = self._get()
        if isinstance(key, str):
            at, count = self._find(key)
            return values[at] if count == 1 else _out(values[at:at + count])
        return _out(values)[key]

    def __setitem__(self, key, value):
        if self._put is None:
            raise TypeError("these are read only")
        values = list(self._get())
        if isinstance(key, str):
            at, count = self._find(key)
            given = [value] if count == 1 else list(value)
            if len(given) != count:
                raise ValueError("%d numbers for %d places" % (len(given), count))
            values[at:at + count] = given
        elif isinstance(key, slice):
            places = range(*key.indices(len(values)))
            given = list(value) if hasattr(value, "__len__") else [value] * len(places)
            if len(given) != len(places):
                raise ValueError("%d numbers for %d places" % (len(given), len(places)))
            for i, x in zip(places, given):
                values[i] = x
        else:
            values[key] = value
        self._put(values)

    def __repr__(self):
        values = self._get()
        return "\n".join("%-24s %s" % (name, " ".join("%.6g" % x for x in values[at:at + count])) for name, at, count in self.names)


class Robot:
    """A robot in a world.  links, joints, sensors and states are names.  qpos and qvel are laid out as MuJoCo's: a base that moves first ("base": place and quaternion;
    velocity of its origin in the world's axes and turn rate in its own), then the joint entries that have an axis.  ctrl has
    an entry for each joint with a drive, in the order and by the names of the joints: target of a servo, speed of a motor, force of a
    force, of the joint, whatever the gear of an actuator.  sensordata by its names."""

    def __init__(self, world, name, position, orientation, fixed):
        lib, names = world.lib, list(world.lib.robots)
        if name not in names:
            raise ValueError("%r is none of the library's robots: %s" % (name, ", ".join(names)))
        self.world, self.lib, self.table, self.name = world, lib, lib.tables[names.index(name)], name
        count = [lib.c.py_robot_count(self.table, i) for i in range(5)]
        self.links, self._names, self.sensors, self.states = [
            [lib.c.py_robot_name(self.table, what, i).decode() for i in range(count[what])] for what in range(4)]
        self.body, self.joint = (ctypes.c_int32 * count[0])(), (ctypes.c_int32 * max(1, count[1]))()
        self._fixed, self._base = -1 if fixed is None else int(fixed), _numbers(position, orientation, sizes=(3, 4))
        world._must(lib.c.py_robot_add(world.p, self.table, self._fixed, self._base, self.body, self.joint))
        self.free = not lib.c.py_robot_held(self.table, self._fixed)
        own = ("exclude ", "wheel of ")  # entries of robot.py's own
        self.entries = [i for i in range(count[1]) if lib.c.py_robot_axes(self.table, i) and not self._names[i].startswith(own)]
        self.joints = [self._names[i] for i in self.entries]
        self._layout()

    def _layout(self):
        base = 7 if self.free else 0
        first = [("base", 0, 7)] if self.free else []
        self._qpos = first + [(self._names[i], base + k, 1) for k, i in enumerate(self.entries)]
        base = 6 if self.free else 0
        first = [("base", 0, 6)] if self.free else []
        self._qvel = first + [(self._names[i], base + k, 1) for k, i in enumerate(self.entries)]
        at, self._sensors = 0, []
        for i, name in enumerate(self.sensors):
            x = (ctypes.c_double * 4)()
            n = self.lib.c.py_robot_read(self.world.p, self.table, self.body, self.joint, i, x)
            self._sensors.append((name, at, max(n, 0)))
            at += max(n, 0)

    def of(self, world):
        """The same robot in a copy of its world, as one of a batch."""
        twin = object.__new__(Robot)
        twin.__dict__.update(self.__dict__)
        twin.world = world
        return twin

    def link(self, name):
        """Handle of a link's body; of one that was merged into another the handle of that."""
        return self.body[self._link(name)]

    def _link(self, name):
        i = self.lib.c.py_robot_link(self.table, str(name).encode())
        return i if i >= 0 else _choice(self.links, str(name), 0)

    def handle(self, joint):
        """Handle of a joint by name, for World.set_force, .set_target, .joint; of one of several axes it is that of all."""
        axis = ctypes.c_int()
        return self.lib.c.py_robot_entry(self.table, self.joint, self._entry(joint), ctypes.byref(axis))

    def _entry(self, joint):
        if joint not in self.joints:
            raise KeyError("%r is none of %s" % (joint, ", ".join(self.joints)))
        return self._names.index(joint)

    def _call(self, call, *arguments):
        return self.world._must(call(self.world.p, self.table, *arguments))

    def _joints(self):
        x = [(ctypes.c_double * len(self.joint))() for _ in range(3)]
        self._call(self.lib.c.py_robot_joints, self.joint, *x)
        return x

    def _get_qpos(self):
        x = self._joints()[0]
        base = self.world._read(self.lib.c.py_pose, 7, self.body[0]) if self.free else []
        return base + [x[i] for i in self.entries]

    def _get_qvel(self):
        x = self._joints()[1]
        base = self.world._read(self.lib.c.py_robot_base_velocity, 6, self.body) if self.free else []
        return base + [x[i] for i in self.entries]

    def _put_joints(self, position, velocity):
        old = self._joints()
        for k, i in enumerate(self.entries):
            if position[k] != old[0][i] or velocity[k] != old[1][i]:
                self._call(self.lib.c.py_robot_joint_state, self.joint, i, ctypes.c_double(position[k]), ctypes.c_double(velocity[k]))

    def _put_qpos(self, values):
        first = len(values) - len(self.entries)
        velocity = self._get_qvel()
        if self.free and values[:7] != self.world._read(self.lib.c.py_pose, 7, self.body[0]):
            self._call(self.lib.c.py_robot_move, self.body, _numbers(values[:7], sizes=(7,)))
        self._put_joints(values[first:], velocity[len(velocity) - len(self.entries):])

    def _put_qvel(self, values):
        first = len(values) - len(self.entries)
        position = self._get_qpos()
        self._put_joints(position[len(position) - len(self.entries):], values[first:])
        if self.free:
            self._call(self.lib.c.py_robot_set_base_velocity, self.body, _numbers(values[:6], sizes=(6,)))

    def _drives(self):
        driven, x = [], ctypes.c_double()
        for i in self.entries:
            if self._call(self.lib.c.py_robot_drive, self.joint, i, ctypes.byref(x)) > 0:
                driven.append((i, x.value))
        return driven

    def _put_ctrl(self, values):
        for (i, old), new in zip(self._drives(), values):
            if new != old:
                self._call(self.lib.c.py_robot_command, self.joint, i, ctypes.c_double(new))

    def _read_sensors(self):
        values, x = [], (ctypes.c_double * 4)()
        for i, (_, _, count) in enumerate(self._sensors):
            if count:
                self._call(self.lib.c.py_robot_read, self.body, self.joint, i, x)
                values += x[:count]
        return values

    def _whole(self, put):
        """put, or where one number is refused, nothing."""
        def whole(values):
            before = self.world.memory.raw
            try:
                put(values)
            except Refused:
                ctypes.memmove(self.world.memory, before, len(before))
                raise
        return whole

    qpos = property(lambda self: Named(self._qpos, self._get_qpos, self._whole(self._put_qpos)))
    qvel = property(lambda self: Named(self._qvel, self._get_qvel, self._whole(self._put_qvel)))
    sensordata = property(lambda self: Named(self._sensors, self._read_sensors))

    @property
    def qfrc(self):
        """What each drive exerted in the last step [N, N m]."""
        names = [(self._names[i], k, 1) for k, i in enumerate(self.entries)]
        return Named(names, lambda: [self._joints()[2][i] for i in self.entries])

    @property
    def ctrl(self):
        names = [(self._names[i], k, 1) for k, (i, _) in enumerate(self._drives())]
        return Named(names, lambda: [x for _, x in self._drives()], self._whole(self._put_ctrl))

    def drive(self, joint, kind="servo", **fields):
        """Give a joint a drive: kind of DRIVES, and fields of nsc_axis_def (stiffness, damping, max_force, ...)."""
        i = self._entry(joint)
        axis = Record(self.lib, "nsc_axis_def")
        self._call(self.lib.c.py_robot_get_axis, self.joint, i, axis._memory)
        _axis(self.lib, axis._memory, 0, dict(fields, drive=kind))
        self._call(self.lib.c.py_robot_set_axis, self.joint, i, axis._memory)

    def set_state(self, name, position=None, orientation=None):
        """A keyframe of its file; position and orientation say where the frame of the file then is, with all that stands in it, by
        default where the robot was added.  One with a joint to the ground cannot be moved."""
        base = list(self._base)
        base = _numbers(base[:3] if position is None else position, base[3:] if orientation is None else orientation, sizes=(3, 4))
        state = _choice(self.states, str(name), 0)
        self._whole(lambda _: self._call(self.lib.c.py_robot_set_state, base, state, self.body, self.joint))(None)

    def dynamics(self):
        """Its equations of motion in the present state."""
        return Dynamics(self)


class Dynamics:
    """M a + bias = force of a robot in the state that it had when this was made, by nsc_dynamics.h; contacts, friction, drives and
    loops are not in it.  Numbers as in qvel, but those of a free base: velocity and force of its centre of mass, turn rate and
    torque, in world axes.  names: whose they are; joints that close loops, and gears,
    have none."""

    def __init__(self, robot):
        self.robot, self.lib, self.world = robot, robot.lib, robot.world
        self.p = (ctypes.c_char * self.lib.model_size)()
        self.world._must(self.lib.c.py_dynamics(self.world.p, robot.table, robot._fixed, robot._base, robot.body, robot.joint, self.p))
        self.names, x = [], (ctypes.c_int * 3)()
        for i, link in enumerate(robot.links):
            self.count = self.lib.c.py_dynamics_link(self.p, i, x)
            if x[1] and x[2] < 0:
                self.names.append(("base" if i == 0 else link, x[0], x[1]))
            elif x[1]:
                entries = [self.lib.c.py_dynamics_entry(self.p, k) for k in range(x[0], x[0] + x[1])]
                whole = [(robot._names[x[2]], x[0], x[1])]
                self.names += whole if -1 in entries else [(robot._names[e], x[0] + k, 1) for k, e in enumerate(entries)]
        self.names.sort(key=lambda own: own[1])

    def _ask(self, call, count, *arguments):
        x = (ctypes.c_double * count)()
        self.world._must(call(self.p, *arguments, x))
        return list(x)

    def _named(self, values):
        return Named(self.names, lambda: values)

    @property
    def gravity(self):
        """Forces that hold it at rest [N, N m]."""
        return self._named(self._ask(self.lib.c.py_dynamics_gravity, self.count))

    @property
    def bias(self):
        """Gravity, Coriolis and centrifugal forces: those of no acceleration."""
        return self.inverse([0] * self.count)

    def inverse(self, acceleration):
        """Forces for these accelerations."""
        if len(acceleration) != self.count:
            raise ValueError("%d accelerations for %d numbers" % (len(acceleration), self.count))
        return self._named(self._ask(self.lib.c.py_dynamics_inverse, self.count, _numbers(acceleration, sizes=(self.count,))))

    @property
    def inertia(self):
        """M, symmetric and positive definite, by rows."""
        return self._rows(self._ask(self.lib.c.py_dynamics_inertia, self.count * self.count))

    def jacobian(self, link, point=(0, 0, 0)):
        """Six rows: velocity [m/s] and turn rate [rad/s], world axes, of a point of a link, in its frame, for each number's velocity."""
        return self._rows(self._ask(self.lib.c.py_dynamics_jacobian, 6 * self.count, self.robot._link(link), _numbers(point)))

    def _rows(self, x):
        return _out([x[i:i + self.count] for i in range(0, len(x), self.count)])


class Batch:
    """Copies of one world, stepped together on several cores: their handles are those of the first, their results do not
    depend on the number of threads."""

    def __init__(self, lib, world, count):
        if world.lib is not lib:
            raise ValueError("that world is of another library")
        if _int(count) < 1:
            raise ValueError("a batch of %d worlds" % count)
        self.lib, self.count, self._solver = lib, count, world._solver
        self.memory = (ctypes.c_char * (count * lib.world_size))()
        for i in range(count):
            ctypes.memmove(ctypes.byref(self.memory, i * lib.world_size), world.memory, lib.world_size)
        self.codes = (ctypes.c_int * count)()
        self.worlds = [World(lib, (ctypes.c_char * lib.world_size).from_buffer(self.memory, i * lib.world_size), world.solver)
                       for i in range(count)]

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return self.worlds[i]

    def step(self, h, steps=1, threads=None):
        """Returns the codes of the worlds; a refused world stands still, and the others go on."""
        threads = min(threads or os.cpu_count() or 1, self.count)
        if _int(steps) < 0:
            raise ValueError("%d steps" % steps)
        ends = [self.count * i // threads for i in range(threads + 1)]

        def part(i):
            self.lib.c.py_step_all(ctypes.byref(self.memory), ends[i], ends[i + 1], ctypes.c_double(h), steps, self._solver, self.codes)

        if threads == 1:
            part(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(part, range(threads)))
        return list(self.codes)

    centres = property(lambda self: _view(self.lib, self.memory, "position", 3, (self.count,)))
    orientations = property(lambda self: _view(self.lib, self.memory, "orientation", 4, (self.count,)))
    velocities = property(lambda self: _view(self.lib, self.memory, "velocity", 3, (self.count,)))
    angular_velocities = property(lambda self: _view(self.lib, self.memory, "angular_velocity", 3, (self.count,)))


def plot(file, curves, x="", y="", width=720, height=320):
    """Curves {name: (xs, ys)} as an SVG file, four to six at most: pictures without a package."""
    colours = ["#0a6", "#c40", "#06c", "#a0a", "#880", "#555"]
    xs, ys = [a for c in curves.values() for a in c[0]], [b for c in curves.values() for b in c[1]]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    across, up = (width - 100) / (x1 - x0 or 1), (height - 70) / (y1 - y0 or 1)
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (width, height),
             '<rect x="60" y="20" width="%d" height="%d" fill="none" stroke="#999"/>' % (width - 100, height - 70)]
    text = '<text x="%d" y="%d" text-anchor="%s" fill="%s">%s</text>'
    for value, anchor, at in ((x0, "start", 60), (x1, "end", width - 40)):
        lines.append(text % (at, height - 34, anchor, "#333", "%.4g" % value))
    for value, at in ((y0, height - 50), (y1, 28)):
        lines.append(text % (56, at, "end", "#333", "%.4g" % value))
    lines += [text % (width // 2, height - 14, "middle", "#333", x), text % (60, 14, "start", "#333", y)]
    for i, (name, (a, b)) in enumerate(curves.items()):
        points = " ".join("%.1f,%.1f" % (60 + across * (p - x0), height - 50 - up * (q - y0)) for p, q in zip(a, b))
        lines.append('<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>' % (colours[i % 6], points))
        lines.append(text % (width - 44, 36 + 15 * i, "end", colours[i % 6], name))
    with open(file, "w") as svg:
        svg.write("\n".join(lines) + "\n</svg>\n")
