/* nsc_robot.h - v0.2.0 - robots from const tables, for nsc
   MIT licence at the end of the file.  Needs nsc.h, which it includes.
   Beside it: nsc.h, nsc_joints.h; nsc_convex.h for hulls.

   DO THIS
       #define NSC_ROBOT_IMPLEMENTATION    in exactly one C or C++ file, then
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

   The tables are const: on a microcontroller they stay in flash.  Joints come with limits, damping,
   friction, armature and the bounds of effort and speed; a drive only where the file names one
   (MJCF actuators).  To drive a joint otherwise:

       nsc_joint_def d;
       nsc_joint_get_def(&world, knee, &d);
       d.axis[0].drive = NSC_DRIVE_SERVO;              max_force is its effort already
       d.axis[0].stiffness = 60;
       d.axis[0].damping = 2;
       nsc_joint_set_axis(&world, knee, 0, &d.axis[0]);  */
#ifndef NSC_KIT_ROBOT_H
#define NSC_KIT_ROBOT_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

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

typedef struct nsc_robot_joint_def {
    const char *name;
    int kind;                    /* NSC_JOINT_* with at most one axis, PLANAR or GEAR */
    int collide;                 /* 1: its two links collide */
    int parent, child;           /* links; parent -1: the ground.  GEAR: joints, of which the first
                                    turns `ratio` times as far as the second */
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
    int kind;                    /* NSC_SHAPE_* but HEIGHT_FIELD */
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

typedef struct nsc_robot {
    const char *name;
    int fixed_base;              /* 1: link 0 does not move, whatever its kind */
    int links, joints, shapes, frames;
    const nsc_robot_link_def *link;
    const nsc_robot_joint_def *joint;
    const nsc_robot_shape_def *shape;
    const nsc_robot_frame_def *frame;
    int hulls;                   /* nsc_world_set_hulls(world, robot.hull, robot.hulls) */
    const struct nsc_hull *const *hull;
} nsc_robot;

/* Add a robot to a world: its frame stands at `base`, its joints at their zero.  Writes the handles
   to body (robot->links entries) and joint (robot->joints entries).  The hulls of its shapes must
   stand in the table that nsc_world_set_hulls was given, at any place.  Returns 0 or the error of
   nsc_world_add_body, _add_shape, _add_hull or _add_joint that refused a part of it, or
   NSC_ERR_ARGUMENT (NULL; an index of a link or joint that is none).  Then what was added is
   removed again; body and joint hold the code where it was refused, or at the link whose shape was
   refused, else NSC_ERR_HANDLE, and nsc_world_last_refusal says why (not for NULL and indices).
   Turn a copy of the robot to a fixed base by fixed_base.  Cost: as those calls. */
NSC_API int nsc_robot_add(nsc_world *world, const nsc_robot *robot, nsc_pose base, nsc_id *body,
                          nsc_id *joint);

/* Index of the link, joint or frame of this name, or NSC_ERR_ARGUMENT.  A link that was merged into
   another one is a frame: nsc_robot_link then gives the link it went into. */
NSC_API int nsc_robot_link(const nsc_robot *robot, const char *name);
NSC_API int nsc_robot_joint(const nsc_robot *robot, const char *name);
NSC_API int nsc_robot_frame(const nsc_robot *robot, const char *name);

#if NSC_MAX_JOINTS > 0
/* State of all joints as plain arrays of robot->joints entries, each or NULL: position [m, rad],
   velocity and what the drive exerts [N, N m], of axis 0 as nsc_joint_get_axis tells; 0 for joints
   without an axis.  Returns 0 or that call's error. */
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

#if defined(NSC_ROBOT_IMPLEMENTATION) && !defined(NSC_ROBOT_IMPLEMENTATION_DONE)
#define NSC_ROBOT_IMPLEMENTATION_DONE

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

NSC_API int nsc_robot_frame(const nsc_robot *robot, const char *name)
{
    int i;
    if (!robot || !name)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->frames; i++)
        if (nsci_robot_same(robot->frame[i].name, name))
            return i;
    return NSC_ERR_ARGUMENT;
}

NSC_API int nsc_robot_link(const nsc_robot *robot, const char *name)
{
    int i;
    if (!robot || !name)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->links; i++)
        if (nsci_robot_same(robot->link[i].name, name))
            return i;
    i = nsc_robot_frame(robot, name);
    return i < 0 ? i : robot->frame[i].link;
}

NSC_API int nsc_robot_joint(const nsc_robot *robot, const char *name)
{
    int i;
    if (!robot || !name)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints; i++)
        if (nsci_robot_same(robot->joint[i].name, name))
            return i;
    return NSC_ERR_ARGUMENT;
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
static nsc_id nsci_robot_hinge(nsc_world *world, const nsc_robot *robot, nsc_pose base, int i,
                               const nsc_id *body, const nsc_id *joint)
{
    const nsc_robot_joint_def *from = &robot->joint[i];
    int gear = from->kind == NSC_JOINT_GEAR;
    int room = gear ? i : robot->links;
    nsc_joint_def def;
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
    def.axis[0].limited = from->limited;
    def.axis[0].lower = from->lower;
    def.axis[0].upper = from->upper;
    if (from->effort > 0)
        def.axis[0].max_force = from->effort;
    def.axis[0].max_speed = from->speed;
    def.axis[0].armature = from->armature;
    def.axis[0].friction = from->friction;
    def.axis[0].spring = from->spring;
    def.axis[0].spring_damping = from->damping;
    def.axis[0].spring_rest = from->spring_rest;
    def.axis[0].drive = from->drive;
    def.axis[0].stiffness = from->drive_stiffness;
    def.axis[0].damping = from->drive_damping;
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
/* Has the joint an axis 0? */
static int nsci_robot_moves(const nsc_robot *robot, int i)
{
    return robot->joint[i].kind != NSC_JOINT_FIXED && robot->joint[i].kind != NSC_JOINT_GEAR;
}

NSC_API int nsc_robot_get_state(const nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                nsc_real *position, nsc_real *velocity, nsc_real *force)
{
    int i, code;
    if (!world || !robot || (!joint && robot->joints > 0))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints; i++) {
        nsc_axis_state s;
        s.position = s.velocity = s.drive = 0;
        code = nsci_robot_moves(robot, i) ? nsc_joint_get_axis(world, joint[i], 0, &s) : NSC_OK;
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
    int i, code = NSC_OK;
    if (!world || !robot || (!joint && robot->joints > 0))
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints && code >= 0; i++)
        if (nsci_robot_moves(robot, i))
            code = nsc_joint_set_target(world, joint[i], 0, position ? position[i] : 0,
                                        velocity ? velocity[i] : 0);
    return code < 0 ? code : NSC_OK;
}

NSC_API int nsc_robot_set_forces(nsc_world *world, const nsc_robot *robot, const nsc_id *joint,
                                 const nsc_real *force)
{
    int i, code = NSC_OK;
    if (!world || !robot || (!joint && robot->joints > 0) || !force)
        return NSC_ERR_ARGUMENT;
    for (i = 0; i < robot->joints && code >= 0; i++)
        if (nsci_robot_moves(robot, i))
            code = nsc_joint_set_force(world, joint[i], 0, force[i]);
    return code < 0 ? code : NSC_OK;
}
#endif

#ifdef __cplusplus
}
#endif
#endif /* NSC_ROBOT_IMPLEMENTATION */

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
