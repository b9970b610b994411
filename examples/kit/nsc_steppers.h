/* nsc_steppers.h - other time steppers; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_STEPPERS 1.
   Beside it: nsc.h.
   172 bytes a body. */
#ifndef NSC_STEPPERS_H
#define NSC_STEPPERS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_STEPPERS 1 before nsc.h, which then includes nsc_steppers.h"
#endif

/* nsc_world_def.stepper.  Forces are the smooth ones: gravity, yours, springs, servos and dampers,
   smooth contact.  Every stepper solves for the constraints: joints, and where it takes them limits
   and hard contact.
       NSC_STEPPER_               order  forces at the       hard contact  for
       EULER_IMPLICIT_LINEARIZED  1      end, linearised     yes           nearly everything
       EULER_IMPLICIT_PROJECTED   1      end, linearised     yes           no drift
       EULER_SYMPLECTIC           1      beginning           yes           no damping; h < 2 / omega
       EULER_FORWARD              1      beginning           no            teaching: gains energy
       EULER_IMPLICIT             1      end, by Newton      yes           soft bodies; damps
       HHT                        2      between, by Newton  no            springs, smooth contact
       NEWMARK                    2      end, by Newton      no            comparison
   EULER_FORWARD moves by the velocity before the step, all others by that after it.  NEWMARK has
   order 2 for gamma = 1/2, else 1.  A stepper that takes no hard contact takes no limits of joints
   either, except a lock (lower == upper).
   PROJECTED undoes drift and penetration by moving the bodies, without changing velocities.  It
   solves twice, velocities and then positions, for about 1.7 times the instructions of LINEARIZED.
   Positions and velocities of jointed bodies are as exact as LINEARIZED's: at h = 0.5 ms positions
   are 2 to 30 times nearer to the reference on hinges, universal and cylindrical joints, within a
   factor 1.5 either way on ball joints; turn rates of gyrating bodies are alike.  But the second
   solve turns a body's angular momentum along with it: a heavy top on a ball joint (15 kg, 1 m, 150
   rad/s, in double) precesses 1 to 3 % slow at h = 1 ms and 6 to 11 % at 2 ms, and loses 1 to 3 %
   of m g l a second at 1 ms; LINEARIZED precesses 0.1 to 0.4 % and 0.1 to 1.4 % fast.  So take
   LINEARIZED, or sub-steps, for gyroscopes.  A pendulum of 1 m keeps its energy
   to 1e-5 a minute at h = 1 ms.  Drift is 1e-12 in such motion, and up to some mm
   where motion is rough for h (a chain that cracks at 60 Hz).  Reported joint forces are off by up
   to 0.014 N and 0.028 N m of 10 N in these tests (LINEARIZED 0.013 and 0.0015).  Angular momentum
   of a free chain drifts by 1e-6 in 10 s at h = 1 ms, by 2e-5 at 1/240 s.  A motor holds its axis
   in the second solve.  PROJECTED needs a solver that converges: no later velocity undoes the error
   of the second solve, and a weight of 1000 kg tears off links of 1 kg at 50 sweeps.
   HHT and NEWMARK use the accelerations of the last step.  Where these are no guide, they make
   steps of EULER_IMPLICIT: one at the start, after you change the world, and after a smooth contact
   began or ended faster than h resolves (a velocity jump has no acceleration); two after you change
   the velocity of a jointed body.
   Smooth contact with an explicit stepper needs h < report.step_limit.  A restitution of 0 means 16
   times critical damping and makes that limit very small: take a small positive one.

   Limits: with hard contact the turning of a contact that pressed is of second order, with
   EULER_IMPLICIT and PROJECTED in the first sub-step only. With smooth contact it is left out: a
   ball on a turntable (2 rad/s) gains 2.1 % of its speed in 30 s at 1/240 s and 0.56 % at 1 ms,
   where hard contact keeps it to 0.001 %; Euler's disk of 0.1 m at a tilt of 0.3 gains 9.6 % of its
   energy in a second at 1/240 s, 1.5 % at 1 ms, 0.02 % at 1/4 ms. With HHT and NEWMARK the force at
   the end of a step acts at the contact point of its beginning: the disk gains 67 % a second at 1
   ms and 18 % at 1/4 ms; take an Euler stepper for what rolls round that fast. */

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_hat(const nsc_world *w, const nsci_scheme *s, int i, nsc_real *v);
static nsc_vec3 nsci_stood(const nsc_world *w, const nsci_scheme *s, int i);
NSCI_ONE_COPY const nsc_quat *nsci_inertia_turn(const nsc_world *w, const nsci_scheme *s,
                                                const nsc_body *b);
static int nsci_is_newmark(const nsc_world_def *d);
NSC_MAYBE_UNUSED static int nsci_is_trapezoidal(const nsc_world_def *d);
static int nsci_check_stepper(nsci_why *note, const nsc_world_def *d);
static void nsci_choose_scheme(const nsc_world *w, nsci_scheme *s);
NSC_MAYBE_UNUSED static int nsci_is_explicit(const nsc_world *w, const nsci_scheme *s);
static void nsci_gyrate(const nsc_world *w, const nsci_scheme *s, const nsc_body *b,
                        nsc_vec3 *torque);
static int nsci_displace(const nsc_world *w, const nsci_scheme *s, int i, nsc_body *b,
                         const nsc_real *v);
static nsc_real nsci_speed_before(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                  int i);
static nsc_real nsci_row_travel(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                int i, const nsc_real *va, const nsc_real *vb);
static void nsci_position_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                               const nsci_scheme *s);
static void nsci_bend_again(nsc_block *k);
static void nsci_try_kinematic(nsc_world *w, const nsci_scheme *s);
static void nsci_hold_start(nsc_world *w, int back);
static int nsci_solve_newton(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p,
                             nsc_report *r);
static void nsci_keep_rates(nsc_world *w, const nsci_scheme *s);
NSC_MAYBE_UNUSED static void nsci_hold_rates(nsci_motion *m, nsc_body *b, int back);
static int nsci_undo_by_moving(nsc_world *w, const nsci_scheme *scheme);

#elif defined(NSCI_CODE) /* and again */

/* beta and gamma of HHT and NEWMARK (Hilber, Hughes and Taylor 1977) */
static void nsci_newmark(const nsc_world_def *d, nsc_real *beta, nsc_real *gamma)
{
    nsc_real one = 1;
    nsc_real a = d->stepper == NSC_STEPPER_HHT ? d->alpha : 0;
    *gamma = d->stepper == NSC_STEPPER_HHT ? NSC_R(0.5) - a : d->gamma;
    *beta = d->stepper == NSC_STEPPER_HHT ? NSC_R(0.25) * (one - a) * (one - a) : d->beta;
}

/* Is the stepper HHT or NEWMARK? */
static int nsci_is_newmark(const nsc_world_def *d)
{
    return d->stepper == NSC_STEPPER_HHT || d->stepper == NSC_STEPPER_NEWMARK;
}

/* Is it the trapezoidal rule?  Joint multipliers would oscillate. */
static int nsci_is_trapezoidal(const nsc_world_def *d)
{
    nsc_real beta, gamma;
    nsci_newmark(d, &beta, &gamma);
    return nsci_is_newmark(d) && gamma <= NSC_R(0.5);
}

static int nsci_check_stepper(nsci_why *note, const nsc_world_def *d)
{
    int explicit_or_newmark = nsci_is_newmark(d) || d->stepper == NSC_STEPPER_EULER_FORWARD;
    nsc_real beta, gamma;
    nsci_newmark(d, &beta, &gamma);
    if (nsci_is_newmark(d) && (gamma < NSC_R(0.5) || beta < NSC_R(0.5) * gamma))
        return nsci_refused(note, NSC_ERR_STEPPER_UNSTABLE, NSCI_UNSTABLE, gamma);
    if (d->contact_model != NSC_CONTACT_HARD || !explicit_or_newmark)
        return NSC_OK;
    return nsci_refused(note, NSC_ERR_STEPPER_CONTACT, NSCI_HARD_STEPPER,
                        (nsc_real)d->contact_model);
}

/* How the step is made; the scheme is that of LINEARIZED so far. */
static void nsci_choose_scheme(const nsc_world *w, nsci_scheme *s)
{
    if (w->def.stepper == NSC_STEPPER_EULER_IMPLICIT_PROJECTED)
        s->mode = NSCI_VELOCITY;
    if (w->def.stepper == NSC_STEPPER_EULER_SYMPLECTIC ||
        w->def.stepper == NSC_STEPPER_EULER_FORWARD)
        s->mode = NSCI_EXPLICIT;
    if (w->def.stepper >= NSC_STEPPER_EULER_IMPLICIT)
        s->mode = NSCI_NEWTON;
    if (!nsci_is_newmark(&w->def) || w->steady < 2)
        return;
    nsci_newmark(&w->def, &s->beta, &s->gamma);
    s->newmark = 1;
    s->alpha = w->def.stepper == NSC_STEPPER_HHT ? w->def.alpha : 0;
    s->hf = s->h * s->gamma * (1 + s->alpha);
    s->hx = s->h * s->beta / s->gamma;
}

/* Position of a body to which its contact points refer [m]: at the start of the sub-step, with the
   barrier at Newton's iterate */
static nsc_vec3 nsci_stood(const nsc_world *w, const nsci_scheme *s, int i)
{
    return nsci_mode(s) == NSCI_NEWTON && !nsci_is_barrier(w) ? w->start[i].position
                                                         : w->bodies[i].position;
}

/* Orientation that takes a body's inertia to the world frame.  EULER_IMPLICIT uses that before the
   sub-step, wherever the trial has turned the body: impulses then change its energy by exactly
   their work, its momentum by exactly their sum. */
NSCI_ONE_COPY const nsc_quat *nsci_inertia_turn(const nsc_world *w, const nsci_scheme *s,
                                                const nsc_body *b)
{
    if (s->mode == NSCI_NEWTON && !s->newmark)
        return &w->start[b - w->bodies].orientation;
    return &b->orientation;
}

/* Velocity after the step if no force acted in it */
static void nsci_hat(const nsc_world *w, const nsci_scheme *s, int i, nsc_real *v)
{
    const nsc_body *b = &w->bodies[i];
    const nsci_start *from = &w->start[i];
    int k;
    nsci_velocity_of(b, v);
    if (s->mode == NSCI_NEWTON)
        nsci_put_pair(v, from->velocity, from->angular_velocity);
    for (k = 0; k < 6 && s->newmark; k++)
        v[k] += s->h * ((1 - s->gamma) * b->mean_rate[k] - s->gamma * s->alpha * b->rate[k]);
}

/* HHT, NEWMARK: displacement d [m, rad] of body i from w->start if it has velocity v after the
   step */
static void nsci_displacement(const nsc_world *w, const nsci_scheme *s, int i, const nsc_real *v,
                              nsc_real *d)
{
    const nsc_body *b = &w->bodies[i];
    const nsci_start *from = &w->start[i];
    nsc_real before[6];
    int k;
    nsci_put_pair(before, from->velocity, from->angular_velocity);
    for (k = 0; k < 6; k++) {
        nsc_real a = b->mean_rate[k];
        d[k] = s->h * before[k] + s->h * s->h * (NSC_R(0.5) - s->beta) * a +
               s->hx * (v[k] - before[k] - s->h * (1 - s->gamma) * a);
    }
}

/* Velocity of a row before the (sub-)step */
static nsc_real nsci_speed_before(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                  int i)
{
    nsc_real v[12];
    nsci_hat(w, s, w->outer[k->a], v);
    nsci_hat(w, s, w->outer[k->b], v + 6);
    return nsci_along_row(k, i, v, v + 6);
}

/* Travel of a row in the sub-step if the block's bodies have velocities va and vb after it */
static nsc_real nsci_row_travel(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                                int i, const nsc_real *va, const nsc_real *vb)
{
    nsc_real d[12];
    if (w->def.stepper == NSC_STEPPER_EULER_FORWARD)
        return s->h * nsci_row_speed(w, k, i);
    if (s->newmark) {
        nsci_displacement(w, s, w->outer[k->a], va, d);
        nsci_displacement(w, s, w->outer[k->b], vb, d + 6);
        return nsci_along_row(k, i, d, d + 6);
    }
    return s->h * nsci_along_row(k, i, va, vb);
}

/* Angular momentum I w, world frame [kg m^2/s] */
static nsc_vec3 nsci_momentum(const nsc_world *w, const nsci_scheme *s, const nsc_body *b,
                              nsc_vec3 angular)
{
    nsci_mat3 R = nsci_rotation(*nsci_inertia_turn(w, s, b));
    return nsci_mul_mv(&R, nsci_sym_mul(b->inertia, nsci_mul_mtv(&R, angular)));
}

/* Are a body's rotation and momentum those of explicit integration? */
static int nsci_is_explicit(const nsc_world *w, const nsci_scheme *s)
{
    return s->newmark || w->def.stepper == NSC_STEPPER_EULER_FORWARD;
}

/* Add the gyroscopic torque where it is explicit. */
static void nsci_gyrate(const nsc_world *w, const nsci_scheme *s, const nsc_body *b,
                        nsc_vec3 *torque)
{
    if (nsci_may_turn(b) && nsci_is_explicit(w, s))
        *torque = nsci_sub(*torque, nsci_cross(b->angular_velocity,
                                               nsci_momentum(w, s, b, b->angular_velocity)));
}

/* Move a body by FORWARD, HHT or NEWMARK, and give it its velocity v; 0: by another stepper. */
static int nsci_displace(const nsc_world *w, const nsci_scheme *s, int i, nsc_body *b,
                         const nsc_real *v)
{
    nsc_real d[6];
    int k;
    if (!nsci_is_explicit(w, s))
        return 0;
    nsci_velocity_of(b, d);
    for (k = 0; k < 6; k++)
        d[k] *= s->h;
    if (s->newmark)
        nsci_displacement(w, s, i, v, d);
    b->position = nsci_add(b->position, nsci_vec_at(d));
    b->orientation = nsci_quat_normalise(
        nsci_quat_mul(nsci_quat_exp(nsci_vec_at(d + 3)), b->orientation));
    b->velocity = nsci_vec_at(v);
    b->angular_velocity = nsci_vec_at(v + 3);
    return 1;
}

static nsc_real nsci_free_speed(const nsc_world *w, const nsc_block *k);

/* EULER_IMPLICIT_PROJECTED, second solve, without friction: reduce the penetration left by the
   first solve to the slop, at recovery_speed at most. */
static void nsci_position_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                               const nsci_scheme *s)
{
    nsc_real h = s->hx;
    nsc_real gap = c->gap + (nsci_is_last(s) ? h * nsci_free_speed(w, k) : 0);
    nsc_real deep = c->stiffness > 0 ? 0 : nsci_min(gap + w->def.slop, 0);
    k->rows = 1;
    k->cfm[0] = k->lambda[0] = 0;
    k->bias[0] = gap > 0 ? gap / h : nsci_max(deep / h, -w->def.recovery_speed);
}

/* ---- Newton's method on the incremental potential, E(v) = |v - v^|_M^2 / 2 + hf/hx P(x(v)), in
   the velocities.  Each Newton step is one problem: spring rows carry the positive semi-definite
   part of their derivative, constraint rows are linearised anew. */

/* What nsci_bend_contact gave in the first solve of a sub-step, in the further ones.  A CONTACT
   does not use lo. */
static void nsci_bend_again(nsc_block *k)
{
    int i;
    for (i = 0; i < 3; i++)
        k->bias[i] += k->lo[i];
    k->hi[0] = k->bias[0];
}

/* Move a body from its start to where its present velocity leads in the sub-step. */
static void nsci_try_motion(nsc_world *w, const nsci_scheme *s, int i)
{
    nsc_body *b = &w->bodies[i];
    const nsci_start *from = &w->start[i];
    nsc_real v[6];
    nsci_velocity_of(b, v);
    b->position = from->position;
    b->orientation = from->orientation;
    NSCI_IF(NSC_FAR, b->rest = from->rest;)
    nsci_move_body(w, s, i, b, v);
    b->angular_velocity = nsci_vec_at(v + 3);
}

/* Move the kinematic bodies, whose motion is known, to where the sub-step takes them. */
static void nsci_try_kinematic(nsc_world *w, const nsci_scheme *s)
{
    int i;
    for (i = 1; s->mode == NSCI_NEWTON && i < w->body_end; i++)
        if (w->bodies[i].kind == NSC_KINEMATIC_BODY)
            nsci_try_motion(w, s, i);
}

/* With Newton's method, save poses and velocities at the start of the sub-step (back = 0), or
   restore them after its trials (back = 1). */
static void nsci_hold_start(nsc_world *w, int back)
{
    int i;
    if (w->def.stepper < NSC_STEPPER_EULER_IMPLICIT)
        return;
    if (!back)
        w->abrupt = 0;
    for (i = 0; i < w->body_end; i++)
        nsci_hold_body(&w->start[i], &w->bodies[i], back);
}

/* HHT, NEWMARK: make the gyroscopic torque in a body's free rate implicit.  Solve w + hf I^-1 w x I
   w = o by Newton; o: the rate without that torque, plus `pushed`, the effect of the last solve's
   impulses.  With the torque at the trial velocity the iteration would diverge from h |w| = 2
   on. */
static void nsci_solve_spin(nsc_world *w, const nsci_scheme *s, int i, nsc_vec3 pushed)
{
    const nsc_body *b = &w->bodies[i];
    nsc_real *out = w->v_free + 6 * i + 3;
    nsci_mat3 R = nsci_rotation(b->orientation);
    nsci_mat3 M = nsci_sym_expand(b->inertia);
    nsc_vec3 m = nsci_mul_mtv(&R, b->angular_velocity);
    nsc_vec3 L = nsci_mul_mv(&M, m);
    nsc_vec3 o;
    int n;
    if (!nsci_is_dynamic(w, i) || nsci_is_ball(b->inertia) || !nsci_may_turn(b))
        return;
    o = nsci_mul_mtv(&R, nsci_add(nsci_vec_at(out), pushed));
    o = nsci_add_sv(o, s->hf, nsci_sym_mul(b->inv_inertia, nsci_cross(m, L)));
    for (n = 0; n < 4; n++)
        m = nsci_sub(m, nsci_spin_error(&M, m, o, s->hf));
    m = nsci_sub(nsci_mul_mv(&R, m), pushed);
    if (nsci_vec_finite(m)) {
        nsci_put_vec(out, m);
    }
}

/* Add share times the direction to the trial velocities. */
static void nsci_go_along(nsc_world *w, const nsc_island *own, nsc_real share)
{
    int i;
    for (i = 1; i <= own->bodies; i++) {
        nsc_body *b = &w->bodies[w->outer[i]];
        const nsc_real *d = w->scratch.solve.direction + 6 * i;
        b->velocity = nsci_add_sv(b->velocity, share, nsci_vec_at(d));
        b->angular_velocity = nsci_add_sv(b->angular_velocity, share, nsci_vec_at(d + 3));
    }
}

#if NSC_BARRIER
static int nsci_find_anew(nsc_world *w, const nsci_scheme *s);
static nsc_real nsci_open_share(nsc_world *w, const nsc_island *own, const nsci_scheme *s);
static int nsci_lead_on(nsc_world *w, const nsci_scheme *s, nsc_real share);
static void nsci_keep_trial(nsc_world *w, const nsc_island *own);
static void nsci_keep_pushes(nsc_world *w, const nsc_island *own, const nsci_scheme *s);
#else
#define nsci_find_anew(w, s) NSC_OK
#define nsci_open_share(w, own, s) 1
#define nsci_lead_on(w, s, share) 1
#define nsci_keep_trial(w, own) ((void)0)
#define nsci_keep_pushes(w, own, s) ((void)0)
#endif

/* Build an island's problem at the poses to which its trial velocities lead in the sub-step. */
static int nsci_build_trial(nsc_world *w, nsc_island *own, const nsci_scheme *s, int first,
                            nsc_problem *p)
{
    int i, k, code = NSC_OK, dropped = w->report.dropped_derivatives; /* counted before solving */
    nsc_vec3 pushed;
    for (i = 0; i < own->bodies; i++)
        nsci_try_motion(w, s, w->members[own->first_body + i]);
    for (i = 0; i < own->bodies && code == NSC_OK; i++) {
        k = w->members[own->first_body + i];
        pushed =
            nsci_sub(w->bodies[k].angular_velocity,
                     nsci_vec(w->v_free[6 * k + 3], w->v_free[6 * k + 4], w->v_free[6 * k + 5]));
        code = nsci_free_velocity(w, k, s, 0);
        if (s->newmark)
            nsci_solve_spin(w, s, k, first ? nsci_vec(0, 0, 0) : pushed);
    }
    if (nsci_is_barrier(w) && !first && code >= 0)
        code = nsci_find_anew(w, s);
    w->report.dropped_derivatives = dropped;
    return code < 0 ? code : nsci_build_problem(w, own, s, first, p);
}

/* Impulse of a soft block at row velocities u; rows that are not soft keep that of the last
   solve. */
static void nsci_soft_impulse(const nsc_block *k, const nsc_real *u, nsc_real *out)
{
    nsc_real t2, most;
    int i;
    for (i = 0; i < k->rows; i++) {
        out[i] = k->cfm[i] > 0 ? -(u[i] + k->bias[i]) / k->cfm[i] : k->lambda[i];
        if (k->kind == NSC_BLOCK_BOX)
            out[i] = nsci_clamp(out[i], k->lo[i], k->hi[i]);
    }
    if (k->kind < NSC_BLOCK_CONTACT)
        return;
    if (k->kind == NSC_BLOCK_CONTACT)
        out[0] = nsci_max(out[0], 0);
    else {
        most = k->hi[0] * k[-1].lambda[0];
        out[0] = nsci_clamp(out[0], -most, most);
    }
    if (k->rows < 3)
        return;
    t2 = out[1] * out[1] + out[2] * out[2];
    most = k->mu * (k->kind == NSC_BLOCK_CONTACT ? out[0] : k[-1].lambda[0]);
    if (t2 <= most * most)
        return;
    most /= NSC_SQRT(t2);
    out[1] *= most;
    out[2] *= most;
}

/* Directional derivative of E along w->scratch.solve.direction at the trial velocities, minus the
   work of constraint impulses */
static nsc_real nsci_slope(const nsc_world *w, const nsc_island *own, const nsci_scheme *s,
                           const nsc_problem *p)
{
    const nsc_real *d = w->scratch.solve.direction;
    const nsc_real *v_free = w->scratch.solve.v_free;
    nsc_real sum = 0, u[3], along[3], lambda[3];
    int i, r;
    for (i = 1; i <= own->bodies; i++) {
        const nsc_body *b = &w->bodies[w->outer[i]];
        const nsc_real *e = d + 6 * i;
        const nsc_real *f = v_free + 6 * i;
        nsc_vec3 rest = nsci_sub(b->velocity, nsci_vec_at(f));
        nsc_vec3 spin = nsci_sub(b->angular_velocity, nsci_vec_at(f + 3));
        sum += b->mass * nsci_dot3(nsci_vec_at(e), rest) +
               nsci_dot3(nsci_vec_at(e + 3), nsci_momentum(w, s, b, spin));
    }
    for (i = 0; i < p->block_count; i++) {
        const nsc_block *k = &p->blocks[i];
        for (r = 0; r < k->rows; r++) {
            u[r] = nsci_row_speed(w, k, r);
            along[r] = nsci_along_row(k, r, d + 6 * k->a, d + 6 * k->b);
        }
        nsci_soft_impulse(k, u, lambda);
        for (r = 0; r < k->rows; r++)
            sum -= along[r] * lambda[r];
    }
    return sum;
}

/* Direction from the trial velocities to the solution; returns the largest change [m/s, rad/s] */
static nsc_real nsci_take_direction(nsc_world *w, const nsc_island *own, const nsc_problem *p)
{
    nsc_real v[6], largest = 0;
    int i, k;
    for (i = 0; i < p->body_count; i++) {
        nsci_velocity_of(&w->bodies[w->outer[i]], v);
        for (k = 0; k < 6; k++) {
            nsc_real d = i >= 1 && i <= own->bodies ? nsci_flush(p->v[6 * i + k] - v[k]) : 0;
            w->scratch.solve.direction[6 * i + k] = d;
            largest = nsci_max(largest, nsci_abs(d));
        }
    }
    return largest;
}

/* Change of velocity [m/s, rad/s] that rounding of positions, divided by hx, can cause */
static nsc_real nsci_newton_noise(const nsc_world *w, const nsc_island *own, const nsci_scheme *s)
{
    nsc_real far = 1;
    int i;
    for (i = 0; i < own->bodies; i++)
        far = nsci_max(far, nsci_norm(w->bodies[w->members[own->first_body + i]].position));
    return 16 * NSC_REAL_EPS * far / s->hx;
}

/* Halve a Newton step while the sum of the slopes at its ends is positive: by the trapezoidal rule
   E would rise.  A change at the level of rounding that no longer shrinks counts as settled. */
static int nsci_solve_newton(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p,
                             nsc_report *r)
{
    nsc_real size = NSC_REAL_MAX;
    nsc_real before, slope, share;
    nsc_real noise = nsci_newton_noise(w, own, s);
    nsc_real whole; /* share of the Newton step that keeps gaps open */
    int k, halved;
    int settled = 0;
    int iterations = 0;
    int limited = w->report.limited_bounces;
    int free, code;
    nsci_begin_barrier(w, s);
    code = nsci_build_trial(w, own, s, nsci_is_first(s), p);
    for (k = 1; code >= 0; k++) {
        w->report.limited_bounces = limited;
        code = nsci_solve_impacts(w, own, s, p, r);
        if (code < 0)
            return code;
        r->iterations = iterations = nsci_add_count(iterations, r->iterations);
        before = size;
        size = nsci_take_direction(w, own, p);
        settled = size <= w->def.newton_tolerance || (size <= noise && size > NSC_R(0.5) * before);
        slope = nsci_slope(w, own, s, p);
        whole = nsci_open_share(w, own, s);
        nsci_keep_pushes(w, own, s);
        nsci_go_along(w, own, whole);
        free = nsci_lead_on(w, s, whole);
        settled &= whole >= 1 && free;
        if (settled || k >= w->def.newton_steps)
            break;
        if (s->calls && s->calls->stop && s->calls->stop(s->calls->user))
            r->status = NSC_STOPPED;
        if (r->status == NSC_STOPPED)
            break;
        code = nsci_build_trial(w, own, s, 0, p);
        for (halved = 0, share = NSC_R(0.5) * whole;
             code >= 0 && halved < 8 && free && nsci_slope(w, own, s, p) > -slope; halved++) {
            nsci_go_along(w, own, -share);
            share *= NSC_R(0.5);
            code = nsci_build_trial(w, own, s, 0, p);
        }
    }
    nsci_keep_trial(w, own);
    if (w->report.newton_steps < k)
        w->report.newton_steps = k;
    w->report.newton_change = nsci_max(w->report.newton_change, size);
    w->report.unsettled += !settled;
    return code;
}

/* ---- HHT, NEWMARK: keep the accelerations of this sub-step for the next. */
static void nsci_keep_rates(nsc_world *w, const nsci_scheme *s)
{
    nsc_real hat[6], v[6], rate;
    int i, k;
    if (!nsci_is_newmark(&w->def))
        return;
    w->steady = w->abrupt ? 1 : w->steady < 2 ? w->steady + 1 : 2;
    for (i = 1; i < w->body_end; i++) {
        nsc_body *b = &w->bodies[i];
        nsci_hat(w, s, i, hat);
        nsci_velocity_of(b, v);
        for (k = 0; k < 6; k++) {
            rate = nsci_is_dynamic(w, i) && !nsci_rests(w, i)
                       ? nsci_clamp_finite((v[k] - hat[k]) / s->hf)
                       : 0;
            b->mean_rate[k] = nsci_clamp_finite((1 + s->alpha) * rate - s->alpha * b->rate[k]);
            b->rate[k] = rate;
        }
        nsci_flush_reals(b->mean_rate, 6);
        nsci_flush_reals(b->rate, 6);
    }
}

/* Save (back = 0) or restore (back = 1) the rates of a body, as nsci_hold_motion its motion. */
NSC_MAYBE_UNUSED static void nsci_hold_rates(nsci_motion *m, nsc_body *b, int back)
{
    NSC_MEMCPY(back ? b->rate : m->rate, back ? m->rate : b->rate, sizeof b->rate);
    NSC_MEMCPY(back ? b->mean_rate : m->mean_rate, back ? m->mean_rate : b->mean_rate,
               sizeof b->mean_rate);
}

/* ---- EULER_IMPLICIT_PROJECTED: after the bodies have moved, remove the remaining drift and
   penetration by the displacement that is smallest in the norm of M.  Velocities stay, but angular
   velocities turn with their bodies to keep their energy. */
static int nsci_undo_by_moving(nsc_world *w, const nsci_scheme *scheme)
{
    nsci_scheme s = *scheme;
    nsc_problem p;
    nsc_report r;
    int i, k, code;
    s.mode = NSCI_POSITION;
    for (i = 0; i < w->report.islands; i++) {
        nsc_island *own = &w->islands[i];
        /* Springs do not drift. */
        if (own->asleep || own->contacts + own->joints == 0)
            continue;
        code = nsci_build_problem(w, own, &s, 0, &p);
        NSC_MEMSET(w->scratch.solve.v_free, 0,
                   6 * (size_t)p.body_count * sizeof *w->scratch.solve.v_free);
        if (code >= 0)
            code = nsci_solve(w, &s, &p, &r);
        if (code < 0)
            return code;
        nsci_note_island(w, own, &r);
        for (k = 1; k <= own->bodies; k++) {
            nsc_body *b = &w->bodies[w->outer[k]];
            const nsc_real *d = w->scratch.solve.v + 6 * k;
            nsc_quat turn = nsci_quat_exp(nsci_mul_sv(s.h, nsci_vec_at(d + 3)));
            b->position = nsci_add_sv(b->position, s.h, nsci_vec_at(d));
            b->orientation = nsci_quat_normalise(nsci_quat_mul(turn, b->orientation));
            b->angular_velocity = nsci_add(b->angular_velocity,
                                           nsci_turned(turn, b->angular_velocity));
        }
        for (k = own->first_link; k != NSCI_NOWHERE && !s.last; k = w->links[k].next) {
            const nsci_link *l = &w->links[k];
            const nsc_block *c = &w->scratch.solve.blocks[l->block];
            if (l->kind == NSCI_ROWS_LINK)
                nsci_move_rows(w, l, &s);
            if (l->kind != NSCI_CONTACT_LINK)
                continue;
            w->found[l->item].gap += s.h * nsci_along_row(c, 0, w->scratch.solve.v + 6 * c->a,
                                                      w->scratch.solve.v + 6 * c->b);
        }
        nsci_begin_anew(&p);
    }
    return NSC_OK;
}

#endif
