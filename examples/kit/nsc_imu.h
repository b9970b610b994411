/* nsc_imu.h - reading of an inertial unit; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_IMU 1.
   Beside it: nsc.h.
   24 bytes a body, twice with sub-steps. */
#ifndef NSC_IMU_H
#define NSC_IMU_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_IMU 1 before nsc.h, which then includes nsc_imu.h"
#endif

/* Reading of an inertial unit that is fixed to the body; mounting: place and orientation of the
   unit in the body's frame.  In the unit's frame: acceleration of its place less gravity [m/s^2],
   mean over the last step (a body at rest reads +9.81 upward), and turn rate [rad/s].  Either
   pointer may be NULL.  The acceleration is a difference of velocities over h and has their
   rounding: in float, at h = 1/240, 1/1000 and 1/8000 alike, a box at rest reads its weight to
   2e-6 m/s^2 and one that slides at a constant 100 m/s to 2e-4; one that friction brakes from
   100 m/s errs by 0.002, 0.007 and 0.02, in double by 2e-6.  Only what a step does is felt: not
   impulses and velocities that calls gave, nor the motion of a kinematic body, by pose or by
   velocity: its centre reads the weight.  Where a joint keeps a body on a circle, the first step
   after its velocity was set goes straight on and reads no centripetal acceleration; the next ones
   do, for some steps up to a tenth more, as drift is undone.  Returns 0, NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, or NSC_ERR_ARGUMENT (a quaternion that is not unit to 1e-3 in its square,
   world NULL). */
NSC_API int nsc_body_get_imu(const nsc_world *world, nsc_id body, nsc_pose mounting,
                             nsc_vec3 *acceleration, nsc_vec3 *rate);

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_note_acceleration(nsc_body *b, const nsci_scheme *s, nsc_real share, nsc_vec3 v,
                                   nsc_vec3 o);
static void nsci_begin_acceleration(nsc_body *b);
NSC_MAYBE_UNUSED static void nsci_hold_acceleration(nsci_motion *m, nsc_body *b, int back);

#elif defined(NSCI_CODE) /* and again */

/* The mean acceleration of a step is the sum of its sub-steps' accelerations, each times share, the
   sub-step over the step.  v, o: velocities before the sub-step */
static void nsci_note_acceleration(nsc_body *b, const nsci_scheme *s, nsc_real share, nsc_vec3 v,
                                   nsc_vec3 o)
{
    nsc_vec3 a = nsci_sub(b->velocity, v);
    nsc_vec3 turning = nsci_sub(b->angular_velocity, o);
    b->acceleration = nsci_clamp_finite3(nsci_add_sv(b->acceleration, share / s->h, a));
    b->angular_acceleration =
        nsci_clamp_finite3(nsci_add_sv(b->angular_acceleration, share / s->h, turning));
}

static void nsci_begin_acceleration(nsc_body *b)
{
    b->acceleration = b->angular_acceleration = nsci_vec(0, 0, 0);
}

NSC_MAYBE_UNUSED static void nsci_hold_acceleration(nsci_motion *m, nsc_body *b, int back)
{
    nsci_copy(back ? &b->acceleration : &m->acceleration,
              back ? &m->acceleration : &b->acceleration, sizeof b->acceleration);
    nsci_copy(back ? &b->angular_acceleration : &m->angular_acceleration,
              back ? &m->angular_acceleration : &b->angular_acceleration,
              sizeof b->angular_acceleration);
}

/* A point at r from the body's centre has the acceleration a + alpha x r + omega x (omega x r). */
NSC_API int nsc_body_get_imu(const nsc_world *w, nsc_id id, nsc_pose mounting,
                             nsc_vec3 *acceleration, nsc_vec3 *rate)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    int code = i < 0 ? i : nsci_check_pose(NULL, &mounting);
    const nsc_body *b;
    nsc_vec3 r, a, o;
    nsci_mat3 R, unit;
    if (code < 0)
        return code;
    b = &w->bodies[i];
    R = nsci_rotation(b->orientation);
    unit = nsci_rotation(mounting.orientation);
    r = nsci_mul_mv(&R, nsci_sub(mounting.position, b->centre));
    a = nsci_add(nsci_cross(b->angular_acceleration, r),
                 nsci_cross(b->angular_velocity, nsci_cross(b->angular_velocity, r)));
    a = nsci_mul_mtv(&R, nsci_add(a, nsci_sub(b->acceleration, w->def.gravity)));
    o = nsci_mul_mtv(&R, b->angular_velocity);
    return nsci_hand_out(nsci_mul_mtv(&unit, a), acceleration, nsci_mul_mtv(&unit, o), rate);
}

#endif
