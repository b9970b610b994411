/* nsc_robot.h - v0.2.0 - robots from const tables, for nsc
   MIT licence at the end of the file.  Needs nsc.h, which it includes.
   Beside it: nsc.h, nsc_joints.h, nsc_gears.h, nsc_joint_state.h; nsc_convex.h for hulls.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_robot.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too: with
   NSC_STATIC all functions are static, and the capacities must be the same in every file.

   EXAMPLE
       python3 robot.py dog.urdf > dog.h               on the desktop; also takes MJCF files

       #include "dog.h"                                names the capacities that it needs
       static nsc_id body[13], joint[12];              one for each of its links and joints

       nsc_pose base = {{0, 0, 0.3f}, {1, 0, 0, 0}};
       int code = nsc_robot_add(&world, &dog, base, body, joint);      negative: an error code
       nsc_id knee = joint[nsc_robot_joint(&dog, "FL_calf_joint")];

   A robot steps by the solver TREE (nsc_tree.h, included before nsc.h), whose joints are exact; the
   sweeps of nsc_world_step leave them open, the more the greater the mass ratios are:

       #define NSC_ARENA NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, 6 + DEPTH)
       nsc_calls calls = nsc_default_calls();          DEPTH: free axes from the base to a link
       calls.solve = nsc_solve_tree;                   Cortex-M4F: 19 KB of flash at -Os
       nsc_world_step_with(&world, h, &calls);

   The tables are const: on a microcontroller they stay in flash.  Joints come with limits, damping,
   friction, armature and the bounds of effort and speed; a drive only where the file names one
   (MJCF actuators).  To drive a joint otherwise:

       nsc_joint_def d;
       nsc_joint_get_def(&world, knee, &d);
       d.axis[0].drive = NSC_DRIVE_SERVO;              max_force is its effort already
       d.axis[0].stiffness = 60;
       d.axis[0].damping = 2;
       nsc_joint_set_axis(&world, knee, 0, &d.axis[0]);

   Keyframes of the file are states that the robot can begin in, its sensors can be read:

       nsc_robot_set_state(&world, &dog, base, nsc_robot_state(&dog, "home"), body, joint);
       nsc_real a[4];
       int count = nsc_robot_read(&world, &dog, body, joint, nsc_robot_sensor(&dog, "imu"), a);  */
#ifndef NSC_KIT_ROBOT_H
#define NSC_KIT_ROBOT_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#include "nsc_joint_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tables are written by robot.py, or by you.  Links, joints and shapes are named by their index
   in the robot's arrays. */
typedef struct nsc_robot_link_def {
    const char *name;
    int kind;                    /* NSC_*_BODY */
    nsc_pose pose;               /* of its frame in the robot's, all joints at their zero */
    nsc_real mass;               /* [kg]; 0: from its shapes at 1000 kg/m^3 */
    nsc_vec3 centre;             /* of mass, link's frame [m] */
    nsc_real inertia[6];         /* [kg m^2] xx yy zz xy xz yz, about the centre, link's frame */
} nsc_robot_link_def;

/* An entry is a joint with its axis 0, or a further axis of an entry before it: two or three joints
   of one body, each with a name of its own, may be one UNIVERSAL, CYLINDRICAL or PLANAR joint. */
enum { NSC_ROBOT_AXIS = 100 };
typedef struct nsc_robot_joint_def {
    const char *name;
    int kind;                    /* NSC_JOINT_*, or NSC_ROBOT_AXIS */
    int collide;                 /* 1: its two links collide */
    int parent, child;           /* links; parent -1: the ground.  GEAR: joints, of which the first
                                    turns `ratio` times as far as the second.  NSC_ROBOT_AXIS: the
                                    joint, and which of its axes, 1 or 2; its frames, collide and
                                    ratio are not read */
    nsc_pose frame_a, frame_b;   /* in the frames of parent and child, axis along z; of the ground:
                                    in the robot's frame */
    nsc_real ratio;              /* GEAR only */
    int limited;
    nsc_real lower, upper;       /* [m, rad] */
    nsc_real effort, speed;      /* bounds of a drive [N, N m] and of the axis [m/s, rad/s]; 0:
                                    none */
    nsc_real armature;           /* [kg, kg m^2] */
    nsc_real friction, damping;  /* [N, N m], [N s/m, N m s/rad] */
    nsc_real spring, spring_rest;
    int drive;                   /* NSC_DRIVE_*: what moves it in the file; its target is 0 */
    nsc_real drive_stiffness, drive_damping; /* of a servo */
} nsc_robot_joint_def;

typedef struct nsc_robot_shape_def {
    int link;
    int kind;                    /* NSC_SHAPE_* but HEIGHT_FIELD and MESH */
    nsc_pose pose;               /* in the link's frame */
    nsc_vec3 half;               /* as in nsc_shape_def */
    nsc_real radius;
    nsc_real friction;
    uint32_t category, mask;
    const struct nsc_hull *hull; /* HULL only: an entry of nsc_robot.hull */
} nsc_robot_shape_def;

/* A name for a place on a link: a link that was merged into another one, or a site */
typedef struct nsc_robot_frame_def {
    const char *name;
    int link;
    nsc_pose pose;               /* in the link's frame */
} nsc_robot_frame_def;

/* A state of the whole robot, such as a keyframe of the file */
typedef struct nsc_robot_state_def {
    const char *name;
    const nsc_pose *pose;        /* (links) of each frame in the robot's */
    const nsc_vec3 *velocity;    /* (2 links) of each frame's origin [m/s] and turn rate [rad/s], in
                                    the robot's frame; NULL: at rest */
    const nsc_real *position;    /* (joints) of each entry [m, rad], full turns included */
    const nsc_real *target;      /* (joints) of servos [m, rad]; NULL: they stay */
} nsc_robot_state_def;

/* What a sensor tells, and how many numbers these are.  The first three are of the joint of entry
   `index`, the others of the pose on link `index`. */
enum {
    NSC_ROBOT_JOINT_POSITION = 1,    /* 1 [m, rad] */
    NSC_ROBOT_JOINT_VELOCITY = 2,    /* 1 [m/s, rad/s] */
    NSC_ROBOT_JOINT_DRIVE = 3,       /* 1, what its drive exerts [N, N m] */
    NSC_ROBOT_PLACE = 4,             /* 3, in the world [m] */
    NSC_ROBOT_ORIENTATION = 5,       /* 4, in the world, w x y z */
    NSC_ROBOT_VELOCITY = 6,          /* 3, along the world's axes [m/s] */
    NSC_ROBOT_TURN_RATE = 7,         /* 3, about the world's axes [rad/s] */
    NSC_ROBOT_VELOCIMETER = 8,       /* 3, along the pose's own axes [m/s] */
    NSC_ROBOT_GYRO = 9,              /* 3, about its own axes [rad/s] */
    NSC_ROBOT_ACCELEROMETER = 10,    /* 3, less gravity, as nsc_body_get_imu; needs NSC_IMU 1 */
    NSC_ROBOT_FORCE = 11,            /* 3, from the link on what it hangs on by joint `joint`, own
                                        axes [N], mean over the last step; robot.py scales it by -1,
                                        to MuJoCo's sign */
    NSC_ROBOT_TORQUE = 12            /* 3, the same, about the pose's place [N m] */
};
typedef struct nsc_robot_sensor_def {
    const char *name;
    int kind;                    /* NSC_ROBOT_JOINT_POSITION ... */
    int index;                   /* joint entry or link */
    int joint;                   /* FORCE and TORQUE: joint entry; else not read */
    nsc_real scale;              /* what is told, but an orientation, is times this, such as an
                                    actuator's gear */
    nsc_pose pose;               /* in the link's frame */
} nsc_robot_sensor_def;

typedef struct nsc_robot {
    const char *name;
    int fixed_base;              /* 1: link 0 does not move, whatever its kind */
    int links, joints, shapes, frames;
    const nsc_robot_link_def *link;
    const nsc_robot_joint_def *joint;
    const nsc_robot_shape_def *shape;
    const nsc_robot_frame_def *frame;
    int states, sensors;
    const nsc_robot_state_def *state;
    const nsc_robot_sensor_def *sensor;
    int hulls;                   /* nsc_world_set_hulls(world, robot.hull, robot.hulls) */
    const struct nsc_hull *const *hull;
} nsc_robot;

/* Add a robot to a world: its frame stands at `base`, its joints at their zero.  Writes the handles
   to body (robot->links entries) and joint (robot->joints entries).  The hulls of its shapes must
   stand in the table that nsc_world_set_hulls was given, at any place.  Returns 0 or the error of
   nsc_world_add_body, _add_shape, _add_hull or _add_joint that refused a part of it, or
   NSC_ERR_ARGUMENT (NULL; an index of a link or joint that is none).  Then what was added is
   removed again; body and joint hold the code where it was refused, or at the link whose shape was
   refused, else NSC_ERR_HANDLE (everywhere if a shape's link is none), and nsc_world_last_refusal
   says why (not for NULL and indices).  Turn a copy of the robot to a fixed base by fixed_base.
   Cost: as those calls. */
NSC_API int nsc_robot_add(nsc_world *world, const nsc_robot *robot, nsc_pose base, nsc_id *body,
                          nsc_id *joint);

/* Index of the link, joint or frame of this name, or NSC_ERR_ARGUMENT.  A link that was merged into
   another one is a frame: nsc_robot_link then gives the link it went into. */
NSC_API int nsc_robot_link(const nsc_robot *robot, const char *name);
NSC_API int nsc_robot_joint(const nsc_robot *robot, const char *name);
NSC_API int nsc_robot_frame(const nsc_robot *robot, const char *name);
NSC_API int nsc_robot_state(const nsc_robot *robot, const char *name);
NSC_API int nsc_robot_sensor(const nsc_robot *robot, const char *name);

/* Put the robot into state `index` of its table, its frame at `base`: poses and velocities of all
   links, positions of all joints with their full turns, targets of servos where the state has some.
   A gear whose joints can be set alone takes the offset that it then has; a joint in a loop, or
   asked for more than 1e9 turns, keeps the full turns that it has.  Returns 0, NSC_ERR_ARGUMENT
   (NULL; an index that is none; a base that is not where the robot was added, if a joint of it
   holds on to the ground), NSC_ERR_NOT_FINITE, or the error of nsc_body_set_pose, _set_velocity,
   nsc_joint_set_state or _set_target; what was set before it stays.  Cost: joints * bodies of the
   robot. */
NSC_API int nsc_robot_set_state(nsc_world *world, const nsc_robot *robot, nsc_pose base, int index,
                                const nsc_id *body, const nsc_id *joint);

/* Read sensor `index` of its table: value gets up to 4 numbers.  Returns how many, or
   NSC_ERR_ARGUMENT (NULL; an index that is none; a kind that needs NSC_IMU or joints where these
   are switched off), or the error of the call that tells it. */
NSC_API int nsc_robot_read(const nsc_world *world, const nsc_robot *robot, const nsc_id *body,
                           const nsc_id *joint, int index, nsc_real *value);

#if NSC_MAX_JOINTS > 0
/* State of all joints as plain arrays of robot->joints entries, each or NULL: position [m, rad],
   velocity and what the drive exerts [N, N m], of its axis as nsc_joint_get_axis tells; 0 for
   joints without an axis.  Returns 0, NSC_ERR_ARGUMENT (NULL), or that call's error; the entries
   before it are written. */
NSC_API int nsc_robot_get_state(const nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                nsc_real *position, nsc_real *velocity, nsc_real *force);

/* Targets of all servos and motors from such arrays (NULL: zeros), or the efforts of all drives:
   nsc_joint_set_target, nsc_joint_set_force for each joint with an axis.  Returns 0 or the first
   error; the joints before it are set. */
NSC_API int nsc_robot_set_targets(nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                  const nsc_real *position, const nsc_real *velocity);
NSC_API int nsc_robot_set_forces(nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                 const nsc_real *force);
#endif

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_ROBOT_H */

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_ROBOT_DONE)
#define NSC_ROBOT_DONE

#ifdef __cplusplus
extern "C" {
#endif

/* ---- poses */

static nsc_quat nsci_robot_times(nsc_quat p, nsc_quat q)
{
    nsc_quat r;
    r.w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z;
    r.x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y;
    r.y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x;
    r.z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w;
    return r;
}

/* The pose that is `inner` seen from the frame of `outer` */
static nsc_pose nsci_robot_pose(nsc_pose outer, nsc_pose inner)
{
    nsc_quat q = outer.orientation, back = q, v;
    nsc_pose out = inner;
    back.x = -q.x;
    back.y = -q.y;
    back.z = -q.z;
    v.w = 0;
    v.x = inner.position.x;
    v.y = inner.position.y;
    v.z = inner.position.z;
    v = nsci_robot_times(nsci_robot_times(q, v), back);
    out.position.x = outer.position.x + v.x;
    out.position.y = outer.position.y + v.y;
    out.position.z = outer.position.z + v.z;
    out.orientation = nsci_robot_times(q, inner.orientation);
    return out;
}

/* ---- names */

static int nsci_robot_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Index of the entry of this name, of so many of this size that each begin with their name */
static int nsci_robot_find(const void *entries, int count, size_t size, const char *name)
{
    const char *at = (const char *)entries;
    int i;
    if (!name)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < count; i++, at += size)
        if (nsci_robot_same(*(const char *const *)(const void *)at, name))
            return i;
    return NSC_ERR_ARGUMENT;
}

#define NSCI_ROBOT_FIND(robot, what, name) \
    ((robot) ? nsci_robot_find((robot)->what, (robot)->what##s, sizeof *(robot)->what, name) \
             : (int)NSC_ERR_ARGUMENT)

NSC_API int nsc_robot_frame(const nsc_robot *robot, const char *name)
{
    return NSCI_ROBOT_FIND(robot, frame, name);
}

NSC_API int nsc_robot_link(const nsc_robot *robot, const char *name)
{
    int i = NSCI_ROBOT_FIND(robot, link, name);
    if (i >= 0)
        return i;
    i = nsc_robot_frame(robot, name);
    return i < 0 ? i : robot->frame[i].link;
}

NSC_API int nsc_robot_joint(const nsc_robot *robot, const char *name)
{
    return NSCI_ROBOT_FIND(robot, joint, name);
}

NSC_API int nsc_robot_state(const nsc_robot *robot, const char *name)
{
    return NSCI_ROBOT_FIND(robot, state, name);
}

NSC_API int nsc_robot_sensor(const nsc_robot *robot, const char *name)
{
    return NSCI_ROBOT_FIND(robot, sensor, name);
}

/* ---- adding */

static nsc_id nsci_robot_body(nsc_world *world, const nsc_robot *robot, nsc_pose base, int i)
{
    const nsc_robot_link_def *link = &robot->link[i];
    nsc_body_def def = nsc_default_body_def();
    int k;
    def.kind = robot->fixed_base && i == 0 ? (int)NSC_STATIC_BODY : link->kind;
    def.pose = nsci_robot_pose(base, link->pose);
    if (def.kind == NSC_DYNAMIC_BODY) {
        def.mass = link->mass;
        def.centre = link->centre;
        for (k = 0; k < 6; k++)
            def.inertia[k] = link->inertia[k];
    }
    return nsc_world_add_body(world, &def);
}

#if NSC_HULL_VERTICES > 0
/* Where a hull stands in the world's table; -1: nowhere */
static int nsci_robot_hull(const nsc_world *world, const nsc_hull *hull)
{
    int i = world->hull_count - 1;
    while (i >= 0 && world->hulls[i] != hull)
        i--;
    return i;
}
#endif

static nsc_id nsci_robot_shape(nsc_world *world, const nsc_robot_shape_def *shape, nsc_id body)
{
    nsc_shape_def def = nsc_default_sphere_def(1);
    def.kind = shape->kind;
    def.pose = shape->pose;
    def.half = shape->half;
    def.radius = shape->radius;
    def.friction = shape->friction;
    def.category = shape->category;
    def.mask = shape->mask;
#if NSC_HULL_VERTICES > 0
    if (shape->kind == NSC_SHAPE_HULL)
        return nsc_world_add_hull(world, body, &def, nsci_robot_hull(world, shape->hull));
#endif
    return nsc_world_add_shape(world, body, &def);
}

#if NSC_MAX_JOINTS > 0
/* How many axes of a joint of this kind robots can have an entry for */
static int nsci_robot_axes(int kind)
{
    if (kind == NSC_JOINT_FIXED || kind == NSC_JOINT_GEAR)
        return 0;
    if (kind == NSC_JOINT_PLANAR)
        return 3;
    return kind == NSC_JOINT_UNIVERSAL || kind == NSC_JOINT_CYLINDRICAL ||
           kind == NSC_JOINT_BALL ? 2 : 1;
}

/* Which axis of its joint an entry is; NSC_ERR_ARGUMENT: none */
static int nsci_robot_axis(const nsc_robot *robot, int i)
{
    const nsc_robot_joint_def *j = &robot->joint[i];
    if (j->kind != NSC_ROBOT_AXIS)
        return nsci_robot_axes(j->kind) > 0 ? 0 : (int)NSC_ERR_ARGUMENT;
    if (j->parent < 0 || j->parent >= i || j->child < 1 ||
        robot->joint[j->parent].kind == NSC_ROBOT_AXIS ||
        j->child >= nsci_robot_axes(robot->joint[j->parent].kind))
        return NSC_ERR_ARGUMENT;
    return j->child;
}

static void nsci_robot_fill_axis(nsc_axis_def *axis, const nsc_robot_joint_def *from)
{
    axis->limited = from->limited;
    axis->lower = from->lower;
    axis->upper = from->upper;
    if (from->effort > 0)
        axis->max_force = from->effort;
    axis->max_speed = from->speed;
    axis->armature = from->armature;
    axis->friction = from->friction;
    axis->spring = from->spring;
    axis->spring_damping = from->damping;
    axis->spring_rest = from->spring_rest;
    axis->drive = from->drive;
    axis->stiffness = from->drive_stiffness;
    axis->damping = from->drive_damping;
}

static nsc_id nsci_robot_hinge(nsc_world *world, const nsc_robot *robot, nsc_pose base, int i,
                               const nsc_id *body, const nsc_id *joint)
{
    const nsc_robot_joint_def *from = &robot->joint[i];
    int gear = from->kind == NSC_JOINT_GEAR;
    int room = gear ? i : robot->links;
    int k, axis;
    nsc_joint_def def;
    if (from->kind == NSC_ROBOT_AXIS)
        return nsci_robot_axis(robot, i) < 0 ? (nsc_id)NSC_ERR_ARGUMENT : joint[from->parent];
    if (from->parent >= room || from->child >= room || from->child < 0 ||
        from->parent < (gear ? 0 : -1))
        return NSC_ERR_ARGUMENT;
    def = nsc_default_joint_def(from->kind, NSC_GROUND, NSC_GROUND);
    if (gear) {
        def.joint_a = joint[from->parent];
        def.joint_b = joint[from->child];
        def.ratio = from->ratio;
        return nsc_world_add_joint(world, &def);
    }
    def.body_b = body[from->child];
    def.frame_a = from->frame_a;
    def.frame_b = from->frame_b;
    if (from->parent >= 0)
        def.body_a = body[from->parent];
    else
        def.frame_a = nsci_robot_pose(base, from->frame_a);
    def.collide = from->collide;
    nsci_robot_fill_axis(&def.axis[0], from);
    for (k = i + 1; k < robot->joints; k++) {
        axis = nsci_robot_axis(robot, k);
        if (axis > 0 && axis < NSC_JOINT_AXES && robot->joint[k].parent == i)
            nsci_robot_fill_axis(&def.axis[axis], &robot->joint[k]);
    }
    return nsc_world_add_joint(world, &def);
}
#else
#define nsci_robot_hinge(world, robot, base, i, body, joint) NSC_ERR_CAPACITY
#endif

static int nsci_robot_parts(nsc_world *world, const nsc_robot *robot, nsc_pose base, nsc_id *body,
                            nsc_id *joint)
{
    nsc_id id;
    int i, link;
    for (i = 0; i < robot->links; i++) {
        body[i] = nsci_robot_body(world, robot, base, i);
        if (body[i] < 0)
            return (int)body[i];
    }
    for (i = 0; i < robot->shapes; i++) {
        link = robot->shape[i].link;
        if (link < 0 || link >= robot->links)
            return NSC_ERR_ARGUMENT;
        id = nsci_robot_shape(world, &robot->shape[i], body[link]);
        if (id < 0) {
            nsc_world_remove_body(world, body[link]);
            body[link] = id;
            return (int)id;
        }
    }
    for (i = 0; i < robot->joints; i++) {
        joint[i] = nsci_robot_hinge(world, robot, base, i, body, joint);
        if (joint[i] < 0)
            return (int)joint[i];
    }
    return NSC_OK;
}

NSC_API int nsc_robot_add(nsc_world *world, const nsc_robot *robot, nsc_pose base, nsc_id *body,
                          nsc_id *joint)
{
    int i, code;
    if (!world || !robot || !body || (!joint && robot->joints > 0) || robot->links < 1 ||
        !robot->link || (robot->joints > 0 && !robot->joint) ||
        (robot->shapes > 0 && !robot->shape))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->links; i++)
        body[i] = NSC_ERR_HANDLE;
    for (i = 0; i < robot->joints; i++)
        joint[i] = NSC_ERR_HANDLE;
    code = nsci_robot_parts(world, robot, base, body, joint);
    if (code >= 0)
        return NSC_OK;
    /* Removing a body removes its shapes and joints. */
    for (i = 0; i < robot->links; i++)
        if (body[i] >= 0) {
            nsc_world_remove_body(world, body[i]);
            body[i] = NSC_ERR_HANDLE;
        }
    for (i = 0; i < robot->joints; i++)
        if (joint[i] >= 0)
            joint[i] = NSC_ERR_HANDLE;
    return code;
}

#if NSC_MAX_JOINTS > 0
NSC_API int nsc_robot_get_state(const nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                nsc_real *position, nsc_real *velocity, nsc_real *force)
{
    int i, axis, code;
    if (!world || !robot || (!joint && robot->joints > 0))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints; i++) {
        nsc_axis_state s;
        s.position = s.velocity = s.drive = 0;
        axis = nsci_robot_axis(robot, i);
        code = axis >= 0 ? nsc_joint_get_axis(world, joint[i], axis, &s) : NSC_OK;
        if (code < 0)
            return code;
        if (position)
            position[i] = s.position;
        if (velocity)
            velocity[i] = s.velocity;
        if (force)
            force[i] = s.drive;
    }
    return NSC_OK;
}

NSC_API int nsc_robot_set_targets(nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                  const nsc_real *position, const nsc_real *velocity)
{
    int i, axis, code = NSC_OK;
    if (!world || !robot || (!joint && robot->joints > 0))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints && code >= 0; i++) {
        axis = nsci_robot_axis(robot, i);
        if (axis >= 0)
            code = nsc_joint_set_target(world, joint[i], axis, position ? position[i] : 0,
                                        velocity ? velocity[i] : 0);
    }
    return code < 0 ? code : NSC_OK;
}

NSC_API int nsc_robot_set_forces(nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                 const nsc_real *force)
{
    int i, axis, code = NSC_OK;
    if (!world || !robot || (!joint && robot->joints > 0) || !force)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints && code >= 0; i++) {
        axis = nsci_robot_axis(robot, i);
        if (axis >= 0)
            code = nsc_joint_set_force(world, joint[i], axis, force[i]);
    }
    return code < 0 ? code : NSC_OK;
}
#endif

/* ---- states and sensors */

static nsc_vec3 nsci_robot_turn(nsc_quat q, nsc_vec3 v)
{
    nsc_pose outer, inner;
    outer.position.x = outer.position.y = outer.position.z = 0;
    outer.orientation = q;
    inner.position = v;
    inner.orientation = q;
    return nsci_robot_pose(outer, inner).position;
}

static nsc_vec3 nsci_robot_turn_back(nsc_quat q, nsc_vec3 v)
{
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return nsci_robot_turn(q, v);
}

static nsc_vec3 nsci_robot_sum(nsc_vec3 a, nsc_real s, nsc_vec3 b)
{
    a.x += s * b.x;
    a.y += s * b.y;
    a.z += s * b.z;
    return a;
}

static nsc_vec3 nsci_robot_cross(nsc_vec3 a, nsc_vec3 b)
{
    nsc_vec3 c;
    c.x = a.y * b.z - a.z * b.y;
    c.y = a.z * b.x - a.x * b.z;
    c.z = a.x * b.y - a.y * b.x;
    return c;
}

/* Pose and velocity of link i in state s */
static int nsci_robot_set_link(nsc_world *world, const nsc_robot_state_def *s, nsc_pose base, int i,
                               nsc_id body)
{
    nsc_pose pose = nsci_robot_pose(base, s->pose[i]);
    nsc_vec3 v, w, centre;
    nsc_real mass = 0;
    int code = nsc_body_set_pose(world, body, pose);
    if (code < 0)
        return code;
    v.x = v.y = v.z = 0;
    w = v;
    code = nsc_body_get_mass(world, body, &mass, &centre, NULL);
    if (code < 0 ||
        (!(mass > 0) && world->bodies[nsci_body_of(world, body)].kind != NSC_KINEMATIC_BODY))
        return code;
    if (s->velocity) {
        v = nsci_robot_turn(base.orientation, s->velocity[2 * i]);
        w = nsci_robot_turn(base.orientation, s->velocity[2 * i + 1]);
        v = nsci_robot_sum(v, 1, nsci_robot_cross(w, nsci_robot_turn(pose.orientation, centre)));
    }
    return nsc_body_set_velocity(world, body, v, w);
}

#if NSC_MAX_JOINTS > 0
/* A joint to the ground holds its place there: NSC_ERR_ARGUMENT if `base` is another one. */
static int nsci_robot_check_base(const nsc_world *world, const nsc_robot_joint_def *from,
                                 nsc_pose base, nsc_id joint)
{
    nsc_joint_def def;
    nsc_pose frame = nsci_robot_pose(base, from->frame_a);
    nsc_vec3 off, turn;
    nsc_quat q;
    nsc_real most = 64 * NSC_REAL_EPS;
    int code;
    if (from->parent >= 0 || from->kind == NSC_ROBOT_AXIS)
        return NSC_OK;
    code = nsc_joint_get_def(world, joint, &def);
    if (code < 0)
        return code;
    off = nsci_robot_sum(frame.position, -1, def.frame_a.position);
    q = nsci_quat_normalise(frame.orientation); /* as when it was added */
    q.w = -q.w;
    q = nsci_quat_mul(q, def.frame_a.orientation);
    turn.x = q.x;
    turn.y = q.y;
    turn.z = q.z;
    return nsci_norm(off) <=
               most * (nsci_norm(frame.position) + nsci_norm(from->frame_a.position)) &&
           nsci_norm(turn) <= most ? (int)NSC_OK : (int)NSC_ERR_ARGUMENT;
}

/* The full turns of entry i in state s, which the poses do not tell, and its target */
static int nsci_robot_set_entry(nsc_world *world, const nsc_robot *robot,
                                const nsc_robot_state_def *s, int i, nsc_id joint)
{
    int axis = nsci_robot_axis(robot, i);
    int code;
    nsc_axis_state now;
    if (axis < 0 || robot->joint[i].kind == NSC_JOINT_BALL ||
        robot->joint[i].kind == NSC_JOINT_DISTANCE)
        return NSC_OK;
    code = nsc_joint_get_axis(world, joint, axis, &now);
    if (code >= 0)
        code = nsc_joint_set_state(world, joint, axis, s->position[i], now.velocity);
    if (code == NSC_ERR_ARGUMENT)
        code = NSC_OK; /* in a loop */
    if (code >= 0 && s->target && robot->joint[i].drive == NSC_DRIVE_SERVO)
        code = nsc_joint_set_target(world, joint, axis, s->target[i], 0);
    return code;
}
#else
#define nsci_robot_set_entry(world, robot, s, i, joint) NSC_OK
#define nsci_robot_check_base(world, from, base, joint) NSC_OK
#endif

NSC_API int nsc_robot_set_state(nsc_world *world, const nsc_robot *robot, nsc_pose base, int index,
                                const nsc_id *body, const nsc_id *joint)
{
    int i, code = NSC_OK;
    if (!world || !robot || !body || (!joint && robot->joints > 0) || index < 0 ||
        index >= robot->states)
        return NSC_ERR_ARGUMENT;
    code = nsci_check_pose(&world->note, &base);
    for (i = 0; i < robot->joints && code >= 0; i++)
        code = nsci_robot_check_base(world, &robot->joint[i], base, joint[i]);
    for (i = 0; i < robot->links && code >= 0; i++)
        code = nsci_robot_set_link(world, &robot->state[index], base, i, body[i]);
    for (i = 0; i < robot->joints && code >= 0; i++)
        code = nsci_robot_set_entry(world, robot, &robot->state[index], i, joint[i]);
    return code < 0 ? code : NSC_OK;
}

#if NSC_MAX_JOINTS > 0
static int nsci_robot_read_joint(const nsc_world *world, const nsc_robot *robot,
                                 const nsc_robot_sensor_def *s, const nsc_id *joint,
                                 nsc_real *value)
{
    nsc_axis_state now;
    int axis, code;
    if (s->index < 0 || s->index >= robot->joints || !joint)
        return NSC_ERR_ARGUMENT;
    axis = nsci_robot_axis(robot, s->index);
    if (axis < 0)
        return axis;
    code = nsc_joint_get_axis(world, joint[s->index], axis, &now);
    if (code < 0)
        return code;
    *value = s->scale * (s->kind == NSC_ROBOT_JOINT_POSITION ? now.position :
                         s->kind == NSC_ROBOT_JOINT_VELOCITY ? now.velocity : now.drive);
    return 1;
}

/* What the joint's child exerts on its parent, about a point */
static int nsci_robot_read_force(const nsc_world *world, const nsc_robot_sensor_def *s,
                                 nsc_id joint, nsc_vec3 point, nsc_vec3 *out)
{
    nsc_joint_def def;
    nsc_pose pose;
    nsc_vec3 force, torque, arm;
    int code = nsc_joint_get_def(world, joint, &def);
    if (code >= 0)
        code = nsc_body_get_pose(world, def.body_b, &pose);
    if (code >= 0)
        code = nsc_joint_get_force(world, joint, &force, &torque);
    if (code < 0)
        return code;
    arm = nsci_robot_sum(nsci_robot_pose(pose, def.frame_b).position, -1, point);
    torque = nsci_robot_sum(torque, 1, nsci_robot_cross(arm, force));
    arm.x = arm.y = arm.z = 0;
    *out = nsci_robot_sum(arm, -1, s->kind == NSC_ROBOT_FORCE ? force : torque);
    return NSC_OK;
}
#else
#define nsci_robot_read_joint(world, robot, s, joint, value) NSC_ERR_ARGUMENT
#define nsci_robot_read_force(world, s, joint, point, out) NSC_ERR_ARGUMENT
#endif

static int nsci_robot_read_link(const nsc_world *world, const nsc_robot *robot,
                                const nsc_robot_sensor_def *s, const nsc_id *body,
                                const nsc_id *joint, nsc_real *value)
{
    nsc_pose pose, place;
    nsc_vec3 v, w, arm, centre, out;
    int own = s->kind >= NSC_ROBOT_VELOCIMETER;
    int code;
    if (s->index < 0 || s->index >= robot->links)
        return NSC_ERR_ARGUMENT;
    code = nsc_body_get_pose(world, body[s->index], &pose);
    if (code >= 0)
        code = nsc_body_get_velocity(world, body[s->index], &v, &w);
    if (code >= 0)
        code = nsc_body_get_mass(world, body[s->index], NULL, &centre, NULL);
    if (code < 0)
        return code;
    place = nsci_robot_pose(pose, s->pose);
    if (s->kind == NSC_ROBOT_ORIENTATION) {
        value[0] = place.orientation.w;
        value[1] = place.orientation.x;
        value[2] = place.orientation.y;
        value[3] = place.orientation.z;
        return 4;
    }
    arm = nsci_robot_turn(pose.orientation, nsci_robot_sum(s->pose.position, -1, centre));
    out = place.position;
    if (s->kind == NSC_ROBOT_VELOCITY || s->kind == NSC_ROBOT_VELOCIMETER)
        out = nsci_robot_sum(v, 1, nsci_robot_cross(w, arm));
    if (s->kind == NSC_ROBOT_TURN_RATE || s->kind == NSC_ROBOT_GYRO)
        out = w;
    if (s->kind == NSC_ROBOT_ACCELEROMETER) {
        code = NSC_ERR_ARGUMENT;
        NSCI_IF(NSC_IMU, own = 0;
                code = nsc_body_get_imu(world, body[s->index], s->pose, &out, NULL);)
    }
    if (s->kind == NSC_ROBOT_FORCE || s->kind == NSC_ROBOT_TORQUE) {
        if (!joint || s->joint < 0 || s->joint >= robot->joints)
            return NSC_ERR_ARGUMENT;
        code = nsci_robot_read_force(world, s, joint[s->joint], place.position, &out);
    }
    if (code < 0)
        return code;
    if (own)
        out = nsci_robot_turn_back(place.orientation, out);
    value[0] = s->scale * out.x;
    value[1] = s->scale * out.y;
    value[2] = s->scale * out.z;
    return 3;
}

NSC_API int nsc_robot_read(const nsc_world *world, const nsc_robot *robot, const nsc_id *body,
                           const nsc_id *joint, int index, nsc_real *value)
{
    const nsc_robot_sensor_def *s;
    if (!world || !robot || !body || !value || index < 0 || index >= robot->sensors)
        return NSC_ERR_ARGUMENT;
    s = &robot->sensor[index];
    if (s->kind < NSC_ROBOT_JOINT_POSITION || s->kind > NSC_ROBOT_TORQUE)
        return NSC_ERR_ARGUMENT;
    if (s->kind <= NSC_ROBOT_JOINT_DRIVE)
        return nsci_robot_read_joint(world, robot, s, joint, value);
    return nsci_robot_read_link(world, robot, s, body, joint, value);
}

#ifdef __cplusplus
}
#endif
#endif /* NSC_IMPLEMENTATION */

/* ---- licence
   MIT License

   Copyright (c) 2026 the nsc authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or
   substantial portions of the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT.  IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
