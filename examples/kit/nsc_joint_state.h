/* nsc_joint_state.h - set position and velocity of a joint's axis
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h, nsc_joints.h. */
#ifndef NSC_JOINT_STATE_H
#define NSC_JOINT_STATE_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

#if NSC_MAX_JOINTS > 0
NSCI_C_BEGIN

/* Set position [m, rad] and velocity [m/s, rad/s] of an axis.  Body b and all that hangs from it by
   joints move relative to body a as one rigid piece; every other axis keeps its position and
   velocity, and what touched them wakes.  Gears on the joint take the offset they then have.
   NSC_ERR_ARGUMENT also where body b is not dynamic, or a particle and the axis a turn; where the
   piece hangs from a, or from a body that is not dynamic, by another joint too (a loop); for a
   negative distance, a swing outside 0..pi, and turns beyond 1e9.  Cost: joints * bodies of the
   piece. */
NSC_API int nsc_joint_set_state(nsc_world *world, nsc_id joint, int axis, nsc_real position,
                                nsc_real velocity);
NSCI_C_END
#endif
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_JOINT_STATE_DONE) && NSC_MAX_JOINTS > 0
#define NSC_JOINT_STATE_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

/* Mark body b and all bodies that hang from it by joints other than the given one, in first_joint,
   which the next step writes anew.  Returns 0 if they include body a or one that is not dynamic. */
static int nsci_mark_piece(nsc_world *w, int joint, int a, int b)
{
    nsci_index *mark = w->first_joint;
    int i;
    int more = w->bodies[b].kind == NSC_DYNAMIC_BODY;
    NSC_MEMSET(mark, 0, sizeof w->first_joint);
    mark[b] = 1;
    if (!more)
        return 0;
    while (more)
        for (i = 0, more = 0; i < w->joint_end; i++) {
            const nsc_joint *j = &w->joints[i];
            int from = nsci_body_of(w, j->def.body_a);
            int to = nsci_body_of(w, j->def.body_b);
            int next;
            if (i == joint || j->generation % 2 == 0 || j->def.kind == NSC_JOINT_GEAR ||
                mark[from] == mark[to])
                continue;
            next = mark[from] ? to : from;
            if (next == a || w->bodies[next].kind != NSC_DYNAMIC_BODY)
                return 0;
            mark[next] = 1;
            more = 1;
        }
    return 1;
}

/* Full turns nearest to an angle */
static int32_t nsci_full_turns(nsc_real angle)
{
    nsc_real full = nsci_clamp(angle / (2 * NSCI_PI), NSC_R(-1e9), NSC_R(1e9));
    return (int32_t)(full + (full < 0 ? NSC_R(-0.5) : NSC_R(0.5)));
}

/* How a piece moves to the new state of an axis: by a turn about a point, then a shift.  Its first
   body gets the velocity given at that point when moved; the others keep theirs relative to it. */
typedef struct nsci_jump {
    nsc_vec3 point, shift;
    nsc_quat turn;
    nsc_vec3 linear, angular;    /* of the first body after the jump, at point + shift */
} nsci_jump;

/* Find the jump that gives an axis of a placed joint a position and velocity. */
static void nsci_find_jump(const nsci_frames *f, int i, nsc_real position, nsc_real velocity,
                           nsci_jump *k)
{
    const nsc_body *a = &f->w->bodies[f->a];
    const nsc_body *b = &f->w->bodies[f->b];
    int axis = nsci_axis_of(f, i);
    int turns = nsci_is_turn(axis);
    nsc_vec3 d = nsci_axis_direction(f, axis);
    nsc_vec3 zero = nsci_vec(0, 0, 0);
    nsc_vec3 slip = nsci_sub(nsci_velocity_at(b, f->pb), nsci_velocity_at(a, f->pb));
    nsc_vec3 spin = nsci_sub(b->angular_velocity, a->angular_velocity);
    nsc_real way = position - nsci_axis_position(f, i, 0);
    nsc_real rate = velocity - nsci_dot3(d, turns ? spin : slip);
    k->point = f->pb;
    k->shift = turns ? zero : nsci_mul_sv(way, d);
    way -= 2 * NSCI_PI * (nsc_real)nsci_full_turns(way);
    k->turn = nsci_quat_exp(
        turns ? nsci_mul_sv(way, axis == NSCI_TWIST ? f->B.c[2] : d) : zero);
    if (f->j->def.kind == NSC_JOINT_UNIVERSAL && i == 0)
        spin = nsci_rotate(k->turn, spin); /* axis 1 turns with axis 0 */
    if (axis == NSCI_TWIST)
        d = f->B.c[2];
    if (axis == NSCI_SWING) { /* the twist keeps its rate */
        nsci_frames after = *f;
        nsc_real twist = nsci_dot3(nsci_axis_direction(f, NSCI_TWIST), spin);
        after.B.c[2] = nsci_rotate(k->turn, f->B.c[2]);
        twist -= nsci_dot3(nsci_axis_direction(&after, NSCI_TWIST), spin);
        spin = nsci_add_sv(spin, twist, after.B.c[2]);
    }
    k->angular = nsci_add(a->angular_velocity, turns ? nsci_add_sv(spin, rate, d) : spin);
    k->linear = nsci_add(nsci_velocity_at(a, nsci_add(f->pb, k->shift)),
                         turns ? slip : nsci_add_sv(slip, rate, d));
}

/* A body of the piece after the jump; `first` is the piece's first body before it. */
static nsci_start nsci_after_jump(const nsci_jump *k, const nsc_body *first, const nsc_body *b)
{
    nsc_vec3 arm = nsci_rotate(k->turn, nsci_sub(b->position, k->point));
    nsc_vec3 own = nsci_sub(b->velocity, nsci_velocity_at(first, b->position));
    nsc_vec3 spin = nsci_sub(b->angular_velocity, first->angular_velocity);
    nsci_start s;
    NSCI_IF(NSC_FAR, s.rest = nsci_vec(0, 0, 0);)
    s.position = nsci_add(nsci_add(k->point, k->shift), arm);
    s.orientation = nsci_quat_normalise(nsci_quat_mul(k->turn, b->orientation));
    s.angular_velocity = nsci_add(k->angular, nsci_rotate(k->turn, spin));
    s.velocity = nsci_add(k->linear, nsci_cross(k->angular, arm));
    s.velocity = nsci_add(s.velocity, nsci_rotate(k->turn, own));
    if (b->particle) {
        s.orientation = b->orientation;
        s.angular_velocity = b->angular_velocity;
    }
    return s;
}

/* After a jump: set the turns of the axis, and the offsets of the gears on its joint. */
static void nsci_settle_jump(nsc_world *w, int joint, int i, nsc_real position)
{
    nsc_joint *j = &w->joints[joint];
    nsc_id id = nsci_handle(w, NSCI_JOINT_HANDLE, joint, j->generation);
    int axis = nsci_axis(j->def.kind, i);
    int k;
    nsci_frames f;
    nsci_place_joint(w, j, &f);
    if (axis == NSCI_TURN_Z || axis == NSCI_TURN_X) {
        j->angle[i] = nsci_axis_raw(&f, axis);
        j->turns[i] = nsci_full_turns(position - j->angle[i]);
    }
    nsci_track_joint(w, j);
    for (k = 0; k < w->joint_end; k++) {
        nsc_joint *gear = &w->joints[k];
        if (gear->generation % 2 && gear->def.kind == NSC_JOINT_GEAR &&
            (gear->def.joint_a == id || gear->def.joint_b == id))
            nsci_set_gear(w, gear);
    }
}

/* Can body b of a joint not turn to this position? */
static int nsci_is_beyond_turns(const nsc_world *w, int joint, int axis, nsc_real position)
{
    int b = nsci_body_of(w, w->joints[joint].def.body_b);
    return nsci_is_turn(axis) &&
           (w->bodies[b].particle || nsci_abs(position) > NSC_R(2e9) * NSCI_PI);
}

NSC_API int nsc_joint_set_state(nsc_world *w, nsc_id id, int axis, nsc_real position,
                                nsc_real velocity)
{
    int i = nsci_change_axis(w, id, axis);
    int code, k, pass;
    nsci_frames f;
    nsci_jump jump;
    nsc_body first;
    if (i < 0)
        return i;
    code = nsci_axis(w->joints[i].def.kind, axis);
    if (!nsci_finite(position) || !nsci_finite(velocity))
        return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_BAD_STATE,
                            nsci_finite(position) ? velocity : position);
    if (((code == NSCI_SWING || code == NSCI_DISTANCE) && position < 0) ||
        (code == NSCI_SWING && position > NSCI_PI) || nsci_is_beyond_turns(w, i, code, position))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_STATE, position);
    nsci_place_joint(w, &w->joints[i], &f);
    if (!nsci_mark_piece(w, i, f.a, f.b))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_LOOP, (nsc_real)f.b);
    nsci_find_jump(&f, axis, position, velocity, &jump);
    NSC_MEMCPY(&first, &w->bodies[f.b], sizeof first);
    for (pass = 0; pass < 2; pass++)
        for (k = 1; k < w->body_end; k++) {
            nsc_body *b = &w->bodies[k];
            nsci_start to;
            if (!w->first_joint[k])
                continue;
            to = nsci_after_jump(&jump, &first, b);
            if (!nsci_vec_finite(to.position) || !nsci_vec_finite(to.velocity) ||
                !nsci_vec_finite(to.angular_velocity))
                return nsci_refused(&w->note, NSC_ERR_NOT_FINITE, NSCI_BAD_STATE, position);
            if (pass == 0)
                continue;
            nsci_hold_body(&to, b, 1);
            nsci_wake(b);
            nsci_wake_touching(w, nsci_body_handle(w, k), -1);
            w->contact_count = nsci_drop_contacts(w->contacts, w->contact_count,
                                                  nsci_body_handle(w, k), -1);
        }
    nsci_settle_jump(w, i, axis, position);
    nsci_wake_joint(w, &w->joints[i]);
    nsci_free_manifolds(w);
    nsci_forget_rates(w);
    return NSC_OK;
}

NSCI_C_END
NSCI_BITS_END
#endif
