/* nsc_dynamics.h - inverse dynamics, inertia and Jacobians of a robot's table, for controllers
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h, nsc_joints.h, nsc_joint_state.h, nsc_pose.h, nsc_robot.h.

   EXAMPLE  Computed torque: an arm whose joints follow q, v, a
       static nsc_dynamics model;
       nsc_real position[6], velocity[6], a[6], effort[6];

       nsc_dynamics_init(&model, &arm, base);
       ... in each tick, a[k] being what is wanted and what the errors ask for:
       nsc_dynamics_read(&model, &world, body, joint, position, velocity);    or encoders
       nsc_dynamics_set(&model, position, velocity);
       nsc_dynamics_inverse(&model, a, effort);
       nsc_dynamics_drive(&model, &world, joint, effort);                     FORCE drives

   NUMBERS  Free links come first, in the order of the table, then joints in its order; a link is
   carried by the table's first joint whose child it is.  Numbers of each, with frames, axes and
   signs of the world:
       hinge, slider, universal, cylindrical, planar    position, velocity and force of its axes, as
                  nsc_joint_get_axis tells them; where a joint has one axis and an entry, and the
                  base is fixed, the arrays are those of nsc_robot_get_state
       ball       position: 4, the orientation w x y z of frame b in frame a; velocity: 3, turn rate
                  of b against a about the axes of frame a [rad/s]; force: torque about them [N m]
       free link  position: 7, nsc_body_get_pose of its link, place and orientation; velocity: 6, as
                  nsc_body_get_velocity: of its centre of mass [m/s], turn rate [rad/s], world axes;
                  force: as nsc_body_add_force: at its centre of mass [N], torque [N m], world axes
   A link is free if no joint carries it, it is dynamic, and not link 0 of a robot of fixed base.
   Links that are not dynamic stand still where the table has them.  nsc_dynamics.link[] has place,
   velocity and inertia of each after nsc_dynamics_set, its fields may be read.

   COUNTED  Mass, gravity, armature of axes (inertia about or along the axis, which no other link
   feels).  Not counted: armature of a ball joint, damping, friction, springs, drives, limits,
   contacts; gears, distances and joints that close a loop, of which nsc_dynamics.left_out tells the
   number: the forces by which these hold their bodies are yours to share out (nsc_dynamics_push).

   MEMORY  nsc_dynamics, fixed; nothing else but the stack.  One for each robot, of which calls on
   several cores need one each.

   ERRORS  Each call returns 0 or an error, and then nothing is changed and nothing written (after
   one of nsc_dynamics_init there is no model); nsc_dynamics_error_text tells it:
       NSC_ERR_ARGUMENT    NULL; an index that is none; no nsc_dynamics_init, or no _set after it;
                           a position or velocity beyond 1e5, an acceleration beyond 1e9
       NSC_ERR_NOT_FINITE  an input is not; a push beyond 1e18; set: an orientation of length 0,
                           places or accelerations too large: then there is no state until the next
                           nsc_dynamics_set
       NSC_ERR_CAPACITY    more links or numbers than NSC_DYNAMICS_LINKS, NSC_DYNAMICS_NUMBERS
       NSC_ERR_INERTIA     a link that moves has no mass below 1e9, no possible inertia, or the
                           armature of an axis is negative; centre: nothing moves

   METHODS  Recursive Newton-Euler (Luh, Walker, Paul 1980), composite bodies (Walker, Orin 1982),
   world axes, about each link's centre of mass: no precision is lost far from the origin. */
#ifndef NSC_DYNAMICS_H
#define NSC_DYNAMICS_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#include "nsc_pose.h"
#include "nsc_robot.h"
#if NSC_MAX_JOINTS < 1
#error "nsc: set NSC_MAX_JOINTS > 0 before nsc.h: nsc_dynamics.h is about joints"
#endif

#ifndef NSC_DYNAMICS_LINKS
#define NSC_DYNAMICS_LINKS 24    /* most links of a robot */
#endif
#ifndef NSC_DYNAMICS_NUMBERS
#define NSC_DYNAMICS_NUMBERS 32  /* most numbers of its velocity: axes, and 6 for a free link */
#endif

NSCI_C_BEGIN

typedef struct nsc_dynamics_link {
    int parent, entry;           /* link that carries it, by which entry; of the robot's links + 1,
                                    the last is the ground; entry -1: none */
    int first, count;            /* its velocity numbers */
    int place, turn;             /* its first position number, that of an orientation; -1: none */
    nsc_real mass, inertia[6];   /* [kg, kg m^2], link's frame, 0 if it stands still */
    nsc_vec3 middle;             /* centre of mass, link's frame [m] */
    nsc_pose pose;               /* these in the world, as nsc_dynamics_set has found them */
    nsc_vec3 centre, anchor;     /* centre of mass, joint's point [m] */
    nsc_vec3 velocity[2];        /* of the centre of mass [m/s], turn rate [rad/s] */
    nsc_vec3 bias[2];            /* their accelerations while all numbers keep their velocity */
    nsc_real spin[6];            /* inertia along the world's axes */
    nsc_vec3 work[2];
    nsc_real whole[6], weight;   /* of itself and all that it carries */
} nsc_dynamics_link;

typedef struct nsc_dynamics {
    const nsc_robot *robot;      /* NULL: not made */
    nsc_pose base;               /* of the robot's frame in the world; may be changed */
    nsc_vec3 gravity;            /* [m/s^2]; default -9.81 along z; may be changed */
    int numbers, positions;      /* in the arrays of velocities and positions */
    int left_out;                /* entries: gears, distances, joints that close a loop */
    int ready;                   /* 1 after nsc_dynamics_set */
    int16_t order[NSC_DYNAMICS_LINKS]; /* each link after the one that carries it */
    nsc_dynamics_link link[NSC_DYNAMICS_LINKS + 1];
    int16_t entry[NSC_DYNAMICS_NUMBERS];       /* of the table; -1: none */
    unsigned char turns[NSC_DYNAMICS_NUMBERS]; /* 1: about its axis, 0: along it */
    nsc_vec3 axis[NSC_DYNAMICS_NUMBERS], anchor[NSC_DYNAMICS_NUMBERS]; /* world */
    nsc_real armature[NSC_DYNAMICS_NUMBERS], rate[NSC_DYNAMICS_NUMBERS];
} nsc_dynamics;

/* A point of a link: where it is, how it moves, and its acceleration while all numbers keep their
   velocity (J' v: add J a), [m, m/s, rad/s, m/s^2, rad/s^2], world axes */
typedef struct nsc_dynamics_point_state {
    nsc_vec3 place, velocity, turn_rate, acceleration, turn_acceleration;
} nsc_dynamics_point_state;

/* The model of a robot that stands at `base`, as for nsc_robot_add.  Its links need a mass in the
   table.  Cost: links * entries. */
NSC_API int nsc_dynamics_init(nsc_dynamics *d, const nsc_robot *robot, nsc_pose base);

/* What a code of these calls means, with the macros to raise */
NSC_API const char *nsc_dynamics_error_text(int code);

/* Velocity number of a table's entry, the first of its ball; NSC_ERR_ARGUMENT: it has none. */
NSC_API int nsc_dynamics_number(const nsc_dynamics *d, int entry);

/* Numbers from the world, and to it as forces of its joints' drives, which must be there; ball
   joints and free links have none.  Also the errors of nsc_body_get_pose, nsc_joint_get_axis and
   nsc_joint_set_force; what was written before one stays. */
NSC_API int nsc_dynamics_read(const nsc_dynamics *d, const nsc_world *world, const nsc_id *body,
                              const nsc_id *joint, nsc_real *position, nsc_real *velocity);
NSC_API int nsc_dynamics_drive(const nsc_dynamics *d, nsc_world *world, const nsc_id *joint,
                               const nsc_real *force);

/* Take a state, which the calls below are about; velocity NULL: at rest.  Cost: links, a sine and
   cosine for each turn. */
NSC_API int nsc_dynamics_set(nsc_dynamics *d, const nsc_real *position, const nsc_real *velocity);

/* Forces for these accelerations of the numbers (NULL: 0, which is Coriolis, centrifugal and
   gravity forces, called h), and those that hold the robot at rest in gravity.  Cost: links. */
NSC_API int nsc_dynamics_inverse(nsc_dynamics *d, const nsc_real *acceleration, nsc_real *force);
NSC_API int nsc_dynamics_gravity(nsc_dynamics *d, nsc_real *force);

/* Inertia M: numbers * numbers, symmetric, positive definite, all of it; M a + h = force.  Cost:
   numbers * depth. */
NSC_API int nsc_dynamics_inertia(nsc_dynamics *d, nsc_real *M);

/* Of a point in a link's frame: J, 6 rows of `numbers`, by rows, velocity [m/s] and turn rate
   [rad/s] in world axes for each number's velocity; its state; and force += J' (wrench), what a
   force on it [N] and a torque on its link [N m], world axes, are on the numbers.  Cost: depth. */
NSC_API int nsc_dynamics_jacobian(const nsc_dynamics *d, int link, nsc_vec3 point, nsc_real *J);
NSC_API int nsc_dynamics_point(const nsc_dynamics *d, int link, nsc_vec3 point,
                               nsc_dynamics_point_state *state);
NSC_API int nsc_dynamics_push(const nsc_dynamics *d, int link, nsc_vec3 point, nsc_vec3 push,
                              nsc_vec3 torque, nsc_real *force);

/* Of all links that move: mass [kg], centre of mass [m], its velocity [m/s]; each may be NULL */
NSC_API int nsc_dynamics_centre(const nsc_dynamics *d, nsc_real *mass, nsc_vec3 *centre,
                                nsc_vec3 *velocity);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_DYNAMICS_DONE)
#define NSC_DYNAMICS_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* ---- the tree */

/* Mass of link i; 0: it stands still */
static int nsci_dynamics_weigh(nsc_dynamics *d, int i)
{
    const nsc_robot_link_def *from = &d->robot->link[i];
    nsc_dynamics_link *l = &d->link[i];
    l->parent = d->robot->links;
    l->entry = -1;
    if (from->kind != NSC_DYNAMIC_BODY || (i == 0 && d->robot->fixed_base))
        return NSC_OK;
    l->mass = from->mass;
    l->middle = from->centre;
    NSC_MEMCPY(l->inertia, from->inertia, sizeof l->inertia);
    if (l->mass > 0 && l->mass < NSC_R(1e9) && l->inertia[0] + l->inertia[1] < NSC_R(1e12) &&
        nsci_check_inertia(NULL, l->inertia) == NSC_OK)
        return NSC_OK;
    return NSC_ERR_INERTIA;
}

/* Let entry e carry its child, if it may. */
static int nsci_dynamics_carry(nsc_dynamics *d, int e)
{
    const nsc_robot_joint_def *j = &d->robot->joint[e];
    int links = d->robot->links;
    int i, parent = j->parent == -1 ? links : j->parent;
    if (j->kind == NSC_ROBOT_AXIS)
        return nsci_robot_axis(d->robot, e) < 0 ? (int)NSC_ERR_ARGUMENT : (int)NSC_OK;
    d->left_out++;
    if (j->kind == NSC_JOINT_GEAR || j->kind == NSC_JOINT_DISTANCE)
        return NSC_OK;
    if (j->kind < NSC_JOINT_BALL || j->kind > NSC_JOINT_GEAR || j->child < 0 || j->child >= links ||
        j->parent < -1 || j->parent >= links ||
        nsci_check_pose(NULL, &j->frame_a) < 0 || nsci_check_pose(NULL, &j->frame_b) < 0)
        return NSC_ERR_ARGUMENT;
    for (i = parent; i != links && i != j->child;)
        i = d->link[i].parent;
    if (i != links || d->link[j->child].entry >= 0 || d->link[j->child].mass <= 0)
        return NSC_OK;
    d->left_out--;
    d->link[j->child].entry = e;
    d->link[j->child].parent = parent;
    return NSC_OK;
}

/* The table's entry of axis k of the joint that is entry e; -1: it has none */
static int nsci_dynamics_entry(const nsc_robot *robot, int e, int k)
{
    int i = e;
    while (k > 0 && ++i < robot->joints)
        if (robot->joint[i].kind == NSC_ROBOT_AXIS && robot->joint[i].parent == e &&
            robot->joint[i].child == k)
            break;
    return i < robot->joints ? i : -1;
}

/* Give a link its numbers. */
static int nsci_dynamics_enter(nsc_dynamics *d, nsc_dynamics_link *l)
{
    const nsc_robot_joint_def *j = d->robot->joint;
    int kind = l->entry < 0 ? 0 : j[l->entry].kind;
    int k, e;
    l->first = d->numbers;
    l->place = d->positions;
    l->count = kind == NSC_JOINT_BALL ? 3 : kind == 0 && l->mass > 0 ? 6 : 0;
    l->turn = l->count == 3 ? l->place : l->count == 6 ? l->place + 3 : -1;
    while (l->turn < 0 && l->count < 3 && nsci_axis(kind, l->count) != 0)
        l->count++;
    d->numbers += l->count;
    d->positions += l->count + (l->turn >= 0);
    if (d->numbers > NSC_DYNAMICS_NUMBERS)
        return NSC_ERR_CAPACITY;
    for (k = 0; k < l->count; k++) {
        int turns = l->turn < 0 ? nsci_is_turn(nsci_axis(kind, k)) : l->count == 3 || k > 2;
        d->turns[l->first + k] = (unsigned char)turns;
        e = l->turn >= 0 && k > 0 ? -1 : nsci_dynamics_entry(d->robot, l->entry, k);
        d->entry[l->first + k] = (int16_t)e;
        if (e < 0 || l->turn >= 0)
            continue;
        d->armature[l->first + k] = j[e].armature;
        if (!(j[e].armature >= 0 && j[e].armature < NSC_R(1e12)))
            return NSC_ERR_INERTIA;
    }
    return NSC_OK;
}

static int nsci_dynamics_build(nsc_dynamics *d)
{
    int i, e, code = NSC_OK, placed = 0, links = d->robot->links;
    for (i = 0; i < links && code >= 0; i++)
        code = nsci_dynamics_weigh(d, i);
    for (e = 0; e < d->robot->joints && code >= 0; e++)
        code = nsci_dynamics_carry(d, e);
    for (e = -1; e < d->robot->joints; e++)
        for (i = 0; i < links && code >= 0; i++)
            if (d->link[i].entry == e)
                code = nsci_dynamics_enter(d, &d->link[i]);
    d->link[links].weight = 1; /* here: it has its place in the order */
    while (placed < links && code >= 0)
        for (i = 0; i < links; i++) {
            nsc_dynamics_link *l = &d->link[i];
            if (l->weight > 0 || !(d->link[l->parent].weight > 0))
                continue;
            l->weight = 1;
            d->order[placed++] = (int16_t)i;
        }
    return code;
}

NSC_API int nsc_dynamics_init(nsc_dynamics *d, const nsc_robot *robot, nsc_pose base)
{
    int code;
    if (!d)
        return NSC_ERR_ARGUMENT;
    d->robot = NULL;
    if (!robot || robot->links < 1 || !robot->link || (robot->joints > 0 && !robot->joint))
        return NSC_ERR_ARGUMENT;
    code = nsci_check_pose(NULL, &base);
    if (code < 0)
        return code;
    if (robot->links > NSC_DYNAMICS_LINKS)
        return NSC_ERR_CAPACITY;
    nsci_clear(d, sizeof *d);
    d->robot = robot;
    d->base = base;
    d->gravity = nsci_vec(0, 0, NSC_R(-9.81));
    code = nsci_dynamics_build(d);
    if (code < 0)
        d->robot = NULL;
    return code;
}

NSC_API const char *nsc_dynamics_error_text(int code)
{
    switch (code) {
    case NSC_ERR_ARGUMENT:
        return "NULL, an index that is none, a number too large, or no nsc_dynamics_init or _set";
    case NSC_ERR_CAPACITY:
        return "more links than NSC_DYNAMICS_LINKS, or numbers than NSC_DYNAMICS_NUMBERS";
    case NSC_ERR_INERTIA:
        return "a link that moves without mass or a possible inertia, or an armature below 0";
    default:
        return nsc_error_text(code);
    }
}

NSC_API int nsc_dynamics_number(const nsc_dynamics *d, int entry)
{
    int k;
    for (k = 0; d && d->robot && entry >= 0 && k < d->numbers; k++)
        if (d->entry[k] == entry)
            return k;
    return NSC_ERR_ARGUMENT;
}

/* ---- state */

static int nsci_dynamics_check(const nsc_real *x, int n, nsc_real most)
{
    int i;
    for (i = 0; i < n && x; i++)
        if (!(nsci_abs(x[i]) <= most))
            return nsci_finite(x[i]) ? NSC_ERR_ARGUMENT : NSC_ERR_NOT_FINITE;
    return NSC_OK;
}

static nsc_quat nsci_dynamics_quat(const nsc_real *x)
{
    nsc_quat q;
    NSC_MEMCPY(&q, x, sizeof q);
    return nsci_quat_normalise(q);
}

/* Place link i, its joint's point and axes.  A frame that begins as frame a is moved by one number
   after the other, and ends as frame b. */
static void nsci_dynamics_place(nsc_dynamics *d, int i, const nsc_real *x)
{
    nsc_dynamics_link *l = &d->link[i];
    const nsc_robot_joint_def *j = l->entry < 0 ? NULL : &d->robot->joint[l->entry];
    nsc_pose own = j ? j->frame_a : d->robot->link[i].pose;
    nsc_pose at = nsc_pose_multiply(d->link[l->parent].pose, own);
    nsc_vec3 unit, *axis = &d->axis[l->first];
    nsci_mat3 R;
    int k, code;
    for (k = 0; k < l->count; k++) {
        code = k % 3;
        if (l->turn < 0) {
            code = nsci_axis(j->kind, k);
            code = code == NSCI_ALONG_X || code == NSCI_TURN_X ? 0 : 1 + (code != NSCI_ALONG_Y);
        }
        unit = nsci_vec(code == 0, code == 1, code == 2);
        axis[k] = j ? nsci_rotate(at.orientation, unit) : unit;
        if (l->turn >= 0)
            continue;
        if (d->turns[l->first + k])
            at.orientation = nsci_quat_mul(at.orientation, nsci_quat_exp(nsci_mul_sv(x[k], unit)));
        else
            at.position = nsci_add_sv(at.position, x[k], axis[k]);
    }
    if (l->count == 6) {
        at.position = nsci_vec(x[0], x[1], x[2]);
        at.orientation = nsci_dynamics_quat(x + 3);
    } else if (l->turn >= 0)
        at.orientation = nsci_quat_mul(at.orientation, nsci_dynamics_quat(x));
    l->pose = j ? nsc_pose_multiply(at, nsc_pose_inverse(j->frame_b)) : at;
    R = nsci_rotation(l->pose.orientation);
    l->centre = nsci_add(l->pose.position, nsci_mul_mv(&R, l->middle));
    l->anchor = j ? at.position : l->centre;
    nsci_sym_rotate(&R, l->inertia, l->spin);
    for (k = 0; k < l->count; k++)
        d->anchor[l->first + k] = l->anchor;
}

/* Into `work`: velocities of all links by those of the numbers; accelerations less `bias` */
static void nsci_dynamics_spread(nsc_dynamics *d, const nsc_real *x)
{
    nsc_dynamics_link *ground = &d->link[d->robot->links];
    int i, k;
    ground->work[0] = ground->work[1] = nsci_vec(0, 0, 0);
    for (i = 0; i < d->robot->links; i++) {
        nsc_dynamics_link *l = &d->link[d->order[i]];
        const nsc_dynamics_link *p = &d->link[l->parent];
        l->work[1] = p->work[1];
        l->work[0] = nsci_add(p->work[0], nsci_cross(p->work[1], nsci_sub(l->anchor, p->centre)));
        for (k = l->first; k < l->first + l->count; k++)
            l->work[d->turns[k]] = nsci_add_sv(l->work[d->turns[k]], x ? x[k] : 0, d->axis[k]);
        l->work[0] = nsci_add(l->work[0], nsci_cross(l->work[1], nsci_sub(l->centre, l->anchor)));
    }
}

/* What a point at `arm` from another is accelerated against it */
static nsc_vec3 nsci_dynamics_swing(nsc_vec3 w, nsc_vec3 turn, nsc_vec3 arm)
{
    return nsci_add(nsci_cross(turn, arm), nsci_cross(w, nsci_cross(w, arm)));
}

/* The link's accelerations that come from velocities alone: centripetal, Coriolis's, and the
   turning of axes, each fixed in the link before; a universal's second, in what its first turns */
static void nsci_dynamics_bias(nsc_dynamics *d, nsc_dynamics_link *l)
{
    const nsc_dynamics_link *p = &d->link[l->parent];
    nsc_vec3 w = p->velocity[1];
    int k, t;
    l->velocity[0] = l->work[0];
    l->velocity[1] = l->work[1];
    l->bias[1] = p->bias[1];
    l->bias[0] = nsci_add(p->bias[0], nsci_dynamics_swing(w, p->bias[1],
                                                          nsci_sub(l->anchor, p->centre)));
    for (k = l->first; k < l->first + l->count; k++) {
        nsc_vec3 by = nsci_mul_sv(d->rate[k], d->axis[k]);
        t = d->turns[k];
        l->bias[t] = nsci_add_sv(l->bias[t], t ? 1 : 2, nsci_cross(w, by));
        if (t && l->count == 2)
            w = nsci_add(w, by);
    }
    l->bias[0] = nsci_add(l->bias[0], nsci_dynamics_swing(l->velocity[1], l->bias[1],
                                                          nsci_sub(l->centre, l->anchor)));
}

NSC_API int nsc_dynamics_set(nsc_dynamics *d, const nsc_real *position, const nsc_real *velocity)
{
    int i, code;
    if (!d || !d->robot || !position || nsci_check_pose(NULL, &d->base) < 0)
        return NSC_ERR_ARGUMENT;
    code = nsci_dynamics_check(position, d->positions, NSC_R(1e5));
    if (code >= 0)
        code = nsci_dynamics_check(velocity, d->numbers, NSC_R(1e5));
    if (code < 0)
        return code;
    for (i = 0; i < d->numbers; i++)
        d->rate[i] = velocity ? velocity[i] : 0;
    d->link[d->robot->links].pose = d->base;
    d->link[d->robot->links].centre = d->base.position;
    for (i = 0; i < d->robot->links; i++)
        nsci_dynamics_place(d, d->order[i], position + d->link[d->order[i]].place);
    nsci_dynamics_spread(d, d->rate);
    for (i = 0; i < d->robot->links; i++) {
        nsc_dynamics_link *l = &d->link[d->order[i]];
        nsci_dynamics_bias(d, l);
        if (!(nsci_norm(l->centre) < NSC_R(1e9) && nsci_norm(l->bias[0]) < NSC_R(1e18)))
            code = NSC_ERR_NOT_FINITE;
    }
    d->ready = code >= 0;
    return code;
}

/* ---- forces, inertia */

/* What a wrench, a force at `point` and a torque, is on number k */
static nsc_real nsci_dynamics_on(const nsc_dynamics *d, int k, const nsc_vec3 *wrench,
                                 nsc_vec3 point)
{
    nsc_vec3 moment = nsci_cross(nsci_sub(point, d->anchor[k]), wrench[0]);
    return nsci_dot3(d->axis[k], d->turns[k] ? nsci_add(wrench[1], moment) : wrench[0]);
}

/* Newton and Euler for each link, then the wrenches from the tips to the ground */
static int nsci_dynamics_balance(nsc_dynamics *d, const nsc_real *a, nsc_real moves,
                                 nsc_real *force)
{
    int i, k, code;
    if (!d || !d->ready || !force)
        return NSC_ERR_ARGUMENT;
    code = nsci_dynamics_check(a, d->numbers, NSC_R(1e9));
    if (code >= 0 && !(nsci_norm(d->gravity) <= NSC_R(1e9)))
        code = NSC_ERR_NOT_FINITE;
    if (code < 0)
        return code;
    nsci_dynamics_spread(d, a);
    for (i = 0; i < d->robot->links; i++) {
        nsc_dynamics_link *l = &d->link[i];
        nsc_vec3 w = nsci_mul_sv(moves, l->velocity[1]);
        nsc_vec3 pull = nsci_sub(nsci_add_sv(l->work[0], moves, l->bias[0]), d->gravity);
        nsc_vec3 turn = nsci_add_sv(l->work[1], moves, l->bias[1]);
        l->work[0] = nsci_mul_sv(l->mass, pull);
        l->work[1] = nsci_add(nsci_sym_mul(l->spin, turn), nsci_cross(w, nsci_sym_mul(l->spin, w)));
    }
    for (i = d->robot->links - 1; i >= 0; i--) {
        nsc_dynamics_link *l = &d->link[d->order[i]];
        nsc_dynamics_link *p = &d->link[l->parent];
        for (k = l->first; k < l->first + l->count; k++)
            force[k] = nsci_dynamics_on(d, k, l->work, l->centre) + (a ? d->armature[k] * a[k] : 0);
        p->work[0] = nsci_add(p->work[0], l->work[0]);
        p->work[1] = nsci_add(p->work[1], l->work[1]);
        p->work[1] =
            nsci_add(p->work[1], nsci_cross(nsci_sub(l->centre, p->centre), l->work[0]));
    }
    return NSC_OK;
}

NSC_API int nsc_dynamics_inverse(nsc_dynamics *d, const nsc_real *acceleration, nsc_real *force)
{
    return nsci_dynamics_balance(d, acceleration, 1, force);
}

NSC_API int nsc_dynamics_gravity(nsc_dynamics *d, nsc_real *force)
{
    return nsci_dynamics_balance(d, NULL, 0, force);
}

/* Add the composite body of link l to its parent's.  work[0]: first moment about the own centre */
static void nsci_dynamics_join(nsc_dynamics *d, const nsc_dynamics_link *l)
{
    nsc_dynamics_link *p = &d->link[l->parent];
    nsc_vec3 r = nsci_sub(l->centre, p->centre);
    nsc_vec3 g = nsci_add_sv(l->work[0], NSC_R(0.5) * l->weight, r);
    nsc_real both = 2 * nsci_dot3(r, g);
    int k;
    for (k = 0; k < 6; k++)
        p->whole[k] += l->whole[k] + (k < 3 ? both : 0);
    p->whole[0] -= 2 * r.x * g.x;
    p->whole[1] -= 2 * r.y * g.y;
    p->whole[2] -= 2 * r.z * g.z;
    p->whole[3] -= r.x * g.y + r.y * g.x;
    p->whole[4] -= r.x * g.z + r.z * g.x;
    p->whole[5] -= r.y * g.z + r.z * g.y;
    p->work[0] = nsci_add(p->work[0], nsci_add_sv(l->work[0], l->weight, r));
    p->weight += l->weight;
}

NSC_API int nsc_dynamics_inertia(nsc_dynamics *d, nsc_real *M)
{
    const nsc_dynamics_link *p, *ground;
    int i, k, q, n;
    if (!d || !d->ready || !M)
        return NSC_ERR_ARGUMENT;
    n = d->numbers;
    ground = &d->link[d->robot->links];
    for (i = 0; i < n * n; i++)
        M[i] = 0;
    for (i = 0; i < d->robot->links; i++) {
        nsc_dynamics_link *l = &d->link[i];
        NSC_MEMCPY(l->whole, l->spin, sizeof l->whole);
        l->weight = l->mass;
        l->work[0] = nsci_vec(0, 0, 0);
    }
    for (i = d->robot->links - 1; i >= 0; i--) {
        const nsc_dynamics_link *l = &d->link[d->order[i]];
        for (k = l->first; k < l->first + l->count; k++) {
            /* The wrench that moves the composite body by number k, on all numbers before it */
            nsc_vec3 s = nsci_mul_sv(d->turns[k], d->axis[k]), u = d->axis[k], wrench[2];
            if (d->turns[k])
                u = nsci_cross(s, nsci_sub(l->centre, l->anchor));
            wrench[0] = nsci_add(nsci_mul_sv(l->weight, u), nsci_cross(s, l->work[0]));
            wrench[1] = nsci_add(nsci_sym_mul(l->whole, s), nsci_cross(l->work[0], u));
            for (p = l; p != ground; p = &d->link[p->parent])
                for (q = p->first; q < p->first + p->count; q++)
                    M[k * n + q] = M[q * n + k] = nsci_dynamics_on(d, q, wrench, l->centre);
            M[k * n + k] += d->armature[k];
        }
        nsci_dynamics_join(d, l);
    }
    return NSC_OK;
}

/* ---- points */

static int nsci_dynamics_find(const nsc_dynamics *d, int link, nsc_vec3 point, nsc_vec3 *place)
{
    if (!d || !d->ready || link < 0 || link >= d->robot->links)
        return NSC_ERR_ARGUMENT;
    *place = nsc_pose_point(d->link[link].pose, point);
    return nsci_norm(*place) < NSC_R(1e9) ? NSC_OK : NSC_ERR_NOT_FINITE;
}

NSC_API int nsc_dynamics_push(const nsc_dynamics *d, int link, nsc_vec3 point, nsc_vec3 push,
                              nsc_vec3 torque, nsc_real *force)
{
    nsc_vec3 place, wrench[2];
    int k, code = force ? nsci_dynamics_find(d, link, point, &place) : (int)NSC_ERR_ARGUMENT;
    if (code >= 0 && !(nsci_norm(push) + nsci_norm(torque) < NSC_R(1e18)))
        code = NSC_ERR_NOT_FINITE;
    if (code < 0)
        return code;
    wrench[0] = push;
    wrench[1] = torque;
    for (; link < d->robot->links; link = d->link[link].parent)
        for (k = d->link[link].first; k < d->link[link].first + d->link[link].count; k++)
            force[k] += nsci_dynamics_on(d, k, wrench, place);
    return NSC_OK;
}

NSC_API int nsc_dynamics_jacobian(const nsc_dynamics *d, int link, nsc_vec3 point, nsc_real *J)
{
    nsc_vec3 place;
    int i, k, code = J ? nsci_dynamics_find(d, link, point, &place) : (int)NSC_ERR_ARGUMENT;
    for (i = 0; i < 6 && code >= 0; i++) {
        for (k = 0; k < d->numbers; k++)
            J[i * d->numbers + k] = 0;
        code = nsc_dynamics_push(d, link, point, nsci_vec(i == 0, i == 1, i == 2),
                                 nsci_vec(i == 3, i == 4, i == 5), J + i * d->numbers);
    }
    return code;
}

NSC_API int nsc_dynamics_point(const nsc_dynamics *d, int link, nsc_vec3 point,
                               nsc_dynamics_point_state *state)
{
    const nsc_dynamics_link *l;
    nsc_vec3 place, arm;
    int code = state ? nsci_dynamics_find(d, link, point, &place) : (int)NSC_ERR_ARGUMENT;
    if (code < 0)
        return code;
    l = &d->link[link];
    arm = nsci_sub(place, l->centre);
    state->place = place;
    state->turn_rate = l->velocity[1];
    state->velocity = nsci_add(l->velocity[0], nsci_cross(l->velocity[1], arm));
    state->turn_acceleration = l->bias[1];
    state->acceleration =
        nsci_add(l->bias[0], nsci_dynamics_swing(l->velocity[1], l->bias[1], arm));
    return NSC_OK;
}

NSC_API int nsc_dynamics_centre(const nsc_dynamics *d, nsc_real *mass, nsc_vec3 *centre,
                                nsc_vec3 *velocity)
{
    nsc_vec3 at = nsci_vec(0, 0, 0), way = at;
    nsc_real sum = 0;
    int i;
    if (!d || !d->ready)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < d->robot->links; i++) {
        const nsc_dynamics_link *l = &d->link[i];
        sum += l->mass;
        at = nsci_add_sv(at, l->mass, l->centre);
        way = nsci_add_sv(way, l->mass, l->velocity[0]);
    }
    if (!(sum > 0))
        return NSC_ERR_INERTIA;
    if (mass)
        *mass = sum;
    if (centre)
        *centre = nsci_mul_sv(1 / sum, at);
    if (velocity)
        *velocity = nsci_mul_sv(1 / sum, way);
    return NSC_OK;
}

/* ---- the world */

/* Numbers of a free link, or a ball */
static int nsci_dynamics_read_turn(const nsc_dynamics *d, const nsc_world *world,
                                   const nsc_id *body, int i, nsc_real *position,
                                   nsc_real *velocity)
{
    const nsc_dynamics_link *l = &d->link[i];
    nsc_pose a = d->base, b;
    nsc_vec3 v, w, wa = nsci_vec(0, 0, 0);
    int code = nsc_body_get_pose(world, body[i], &b);
    code = code < 0 ? code : nsc_body_get_velocity(world, body[i], &v, &w);
    if (code >= 0 && l->parent < d->robot->links) {
        code = nsc_body_get_pose(world, body[l->parent], &a);
        code = code < 0 ? code : nsc_body_get_velocity(world, body[l->parent], NULL, &wa);
    }
    if (code < 0)
        return code;
    if (l->count == 6) {
        nsci_put_pair(velocity + l->first, v, w);
        NSC_MEMCPY(position + l->place, &b.position, 3 * sizeof *position);
    } else {
        const nsc_robot_joint_def *j = &d->robot->joint[l->entry];
        a = nsc_pose_inverse(nsc_pose_multiply(a, j->frame_a));
        b = nsc_pose_multiply(a, nsc_pose_multiply(b, j->frame_b));
        w = nsc_pose_vector(a, nsci_sub(w, wa));
        NSC_MEMCPY(velocity + l->first, &w, 3 * sizeof *velocity);
    }
    NSC_MEMCPY(position + l->turn, &b.orientation, sizeof b.orientation);
    return NSC_OK;
}

NSC_API int nsc_dynamics_read(const nsc_dynamics *d, const nsc_world *world, const nsc_id *body,
                              const nsc_id *joint, nsc_real *position, nsc_real *velocity)
{
    int i, k, code = NSC_OK;
    if (!d || !d->robot || !body || !joint || !position || !velocity)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < d->robot->links && code >= 0; i++) {
        const nsc_dynamics_link *l = &d->link[i];
        if (l->turn >= 0)
            code = nsci_dynamics_read_turn(d, world, body, i, position, velocity);
        for (k = 0; k < l->count && l->turn < 0 && code >= 0; k++) {
            nsc_axis_state s;
            code = nsc_joint_get_axis(world, joint[l->entry], k, &s);
            if (code < 0)
                break;
            position[l->place + k] = s.position;
            velocity[l->first + k] = s.velocity;
        }
    }
    return code;
}

NSC_API int nsc_dynamics_drive(const nsc_dynamics *d, nsc_world *world, const nsc_id *joint,
                               const nsc_real *force)
{
    int i, k, code = NSC_OK;
    if (!d || !d->robot || !joint || !force)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < d->robot->links; i++) {
        const nsc_dynamics_link *l = &d->link[i];
        for (k = 0; k < l->count && l->turn < 0 && code >= 0; k++)
            code = nsc_joint_set_force(world, joint[l->entry], k, force[l->first + k]);
    }
    return code;
}

NSCI_C_END
NSCI_BITS_END
#endif
