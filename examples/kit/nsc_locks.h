/* nsc_locks.h - locked axes, damping, bodies that change their kind; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_LOCKS 1.
   Beside it: nsc.h.
   A body may be locked along or about axes of the world, which makes a world of two dimensions,
   have its velocity damped, change its kind and be switched off.  12 bytes a body. */
#ifndef NSC_LOCKS_H
#define NSC_LOCKS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_LOCKS 1 before nsc.h, which then includes nsc_locks.h"
#endif

/* nsc_body_def.locks: axes of the world along and about which a dynamic body does not move, to be
   or-ed.  In a step it has no velocity on these, whatever acts on it, and infinite mass; what it is
   given there between two steps is gone after the next.  With at most two turns free it has no
   gyroscopic torque.  NSC_LOCK_2D leaves motion in the plane of x and z, and rotation about y. */
enum {
    NSC_LOCK_X = 1, NSC_LOCK_Y = 2, NSC_LOCK_Z = 4,
    NSC_LOCK_TURN_X = 8, NSC_LOCK_TURN_Y = 16, NSC_LOCK_TURN_Z = 32,
    NSC_LOCK_2D = NSC_LOCK_Y | NSC_LOCK_TURN_X | NSC_LOCK_TURN_Z
};

enum { NSC_DISABLED_BODY = 4 }; /* only for nsc_body_set_kind */

/* Locks of a body, 0..63: the sum of its NSC_LOCK_*, kept while it is not dynamic.  get returns
   them, or NSC_ERR_HANDLE, NSC_ERR_ARGUMENT (world NULL).  set returns 0 or one of these,
   NSC_ERR_ARGUMENT also for other locks, NSC_ERR_HANDLE also for the ground; it wakes the body. */
NSC_API int nsc_body_get_locks(const nsc_world *world, nsc_id body);
NSC_API int nsc_body_set_locks(nsc_world *world, nsc_id body, int locks);

/* Damping of a body [1/s], >= 0: before the constraints act, each (sub-)step of h divides the
   linear and the angular velocity by 1 + h times this; usual 0 to 1.  The pointers of get may be
   NULL.  Returns 0, NSC_ERR_HANDLE, NSC_ERR_ARGUMENT (world NULL); set also NSC_ERR_ARGUMENT (< 0),
   NSC_ERR_NOT_FINITE, and NSC_ERR_HANDLE for the ground.  set wakes the body. */
NSC_API int nsc_body_get_damping(const nsc_world *world, nsc_id body, nsc_real *linear,
                                 nsc_real *angular);
NSC_API int nsc_body_set_damping(nsc_world *world, nsc_id body, nsc_real linear, nsc_real angular);

/* Kind of a body: NSC_STATIC_BODY .. NSC_DISABLED_BODY.  A disabled body takes no part until its
   kind is changed again: it does not move, no shape, ray or contact meets it, and its joints and
   springs are left out.  A body that becomes static or disabled loses its velocity; a given mass
   stays for when it is dynamic again, another is then computed from the shapes.  NSC_ERR_ARGUMENT:
   kind, a dynamic body with a half-space, height field or mesh, a body with a joint of a gear;
   NSC_ERR_INERTIA, NSC_ERR_NOT_FINITE as nsc_world_add_shape; NSC_ERR_HANDLE also for the ground.
   set wakes all bodies; get returns the kind, NSC_ERR_HANDLE or NSC_ERR_ARGUMENT (world NULL). */
NSC_API int nsc_body_get_kind(const nsc_world *world, nsc_id body);
NSC_API int nsc_body_set_kind(nsc_world *world, nsc_id body, int kind);

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_LOCK_RULES(R) R(NSCI_LOCKS, 0, 63, "a sum of NSC_LOCK_*")
#define NSCI_LOCK_FIELDS(F) \
    F(nsc_body_def, locks, NSCI_LOCKS) \
    F(nsc_body_def, linear_damping, NSCI_FROM_ZERO) \
    F(nsc_body_def, angular_damping, NSCI_FROM_ZERO)
#define NSCI_KIND_REASONS(R) \
    R(NSCI_CANNOT_FALL, "kind", \
      "not NSC_DYNAMIC_BODY for a body with " NSCI_GROUND_KINDS "; the value is what was asked") \
    R(NSCI_IN_GEAR, "kind", \
      "as it was for a body whose joint a gear names; the value is what was asked")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_take_locks(nsc_body *b, const nsc_body_def *d);
static int nsci_is_off(const nsc_world *w, int body);
static NSC_MAYBE_UNUSED int nsci_stays_off(const nsc_world *w, nsc_id a, nsc_id b);
static void nsci_damp_and_lock(nsc_world *w, int i, nsc_real h);
static int nsci_may_turn(const nsc_body *b);
static nsc_vec3 nsci_turn_by(const nsc_body *b, const nsci_mat3 *R, nsc_vec3 m);
static void nsci_lock_inertia(const nsc_body *b, const nsci_mat3 *R, nsc_real *inverse);
static void nsci_lock_block(const nsc_world *w, nsc_block *k);
static void nsci_lock_blocks(const nsc_world *w, nsc_problem *p);

#elif defined(NSCI_CODE) /* and again */

/* In nsc_body.locks: the body is switched off.  It is a static one, whose shapes, joints and
   springs are left out. */
enum { NSCI_DISABLED = 64, NSCI_LOCK_TURNS = NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y | NSC_LOCK_TURN_Z };

/* Is bit k of the locks set, for a dynamic body?  k: 0..2 along, 3..5 about x, y, z */
static int nsci_is_locked(const nsc_body *b, int k)
{
    return b->kind == NSC_DYNAMIC_BODY && (b->locks >> k & 1);
}

static void nsci_take_locks(nsc_body *b, const nsc_body_def *d)
{
    b->locks = d->locks;
    b->linear_damping = d->linear_damping;
    b->angular_damping = d->angular_damping;
}

static void nsci_wake_all(nsc_world *w);

static int nsci_is_off(const nsc_world *w, int body)
{
    return (w->bodies[body].locks & NSCI_DISABLED) != 0;
}

/* Is the joint or spring between two bodies left out? */
static NSC_MAYBE_UNUSED int nsci_stays_off(const nsc_world *w, nsc_id a, nsc_id b)
{
    return nsci_is_off(w, nsci_body_of(w, a)) || nsci_is_off(w, nsci_body_of(w, b));
}

/* May the body turn freely, so that it gyrates? */
static int nsci_may_turn(const nsc_body *b) { return !(b->locks & NSCI_LOCK_TURNS); }

/* Inverse in the world frame of a body's inertia about the axes that are free; 0 on the others */
static void nsci_lock_inertia(const nsc_body *b, const nsci_mat3 *R, nsc_real *inverse)
{
    static const uint8_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    nsc_real I[6], mean;
    int k;
    if (nsci_may_turn(b))
        return;
    nsci_sym_rotate(R, b->inertia, I);
    mean = (I[0] + I[1] + I[2]) / 3; /* in place of the locked ones, of their magnitude */
    for (k = 0; k < 6; k++)
        if (nsci_is_locked(b, 3 + row[k]) || nsci_is_locked(b, 3 + column[k]))
            I[k] = k < 3 ? mean : 0;
    if (!nsci_sym_inverse(I, inverse))
        NSC_MEMSET(inverse, 0, 6 * sizeof *inverse);
    for (k = 0; k < 3; k++)
        if (nsci_is_locked(b, 3 + k))
            inverse[k] = 0;
}

/* Take the locked translations of both bodies out of a block's rows; locked turns have no inverse
   inertia. */
static void nsci_lock_block(const nsc_world *w, nsc_block *k)
{
    const nsc_body *a = &w->bodies[w->outer[k->a]];
    const nsc_body *b = &w->bodies[w->outer[k->b]];
    int i, r;
    for (i = 0; i < 3; i++)
        for (r = 0; r < 3; r++) {
            if (nsci_is_locked(a, i))
                k->J[r][i] = 0;
            if (nsci_is_locked(b, i))
                k->J[r][6 + i] = 0;
            if (nsci_is_locked(a, i) || nsci_is_locked(b, i))
                k->form = NSC_ROWS_ANY;
        }
}

static void nsci_lock_blocks(const nsc_world *w, nsc_problem *p)
{
    int i;
    for (i = 0; i < p->block_count; i++)
        nsci_lock_block(w, &p->blocks[i]);
}

/* Change of angular velocity by an angular impulse m, world frame */
static nsc_vec3 nsci_turn_by(const nsc_body *b, const nsci_mat3 *R, nsc_vec3 m)
{
    nsc_real inverse[6];
    nsci_sym_rotate(R, b->inv_inertia, inverse);
    nsci_lock_inertia(b, R, inverse);
    return nsci_sym_mul(inverse, m);
}

/* Damp the free velocity of a body and take its locked components away. */
static void nsci_damp_and_lock(nsc_world *w, int i, nsc_real h)
{
    const nsc_body *b = &w->bodies[i];
    nsc_real *v = w->v_free + 6 * i;
    int k;
    for (k = 0; k < 6; k++) {
        nsc_real damping = k < 3 ? b->linear_damping : b->angular_damping;
        if (damping > 0)
            v[k] /= 1 + h * damping;
        if (nsci_is_locked(b, k))
            v[k] = 0;
    }
}

NSC_API int nsc_body_get_locks(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    return i < 0 ? i : w->bodies[i].locks & (NSCI_DISABLED - 1);
}

NSC_API int nsc_body_set_locks(nsc_world *w, nsc_id id, int locks)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code;
    nsc_body_def d;
    if (i < 0)
        return i;
    d.locks = locks;
    code = nsci_check_members(&w->note, &d, NSCI_nsc_body_def_locks, NSCI_nsc_body_def_locks);
    if (code < 0)
        return code;
    w->bodies[i].locks = locks | (w->bodies[i].locks & NSCI_DISABLED);
    nsci_wake(&w->bodies[i]);
    nsci_kick(w, id);
    return NSC_OK;
}

NSC_API int nsc_body_get_damping(const nsc_world *w, nsc_id id, nsc_real *linear, nsc_real *angular)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    if (linear)
        *linear = w->bodies[i].linear_damping;
    if (angular)
        *angular = w->bodies[i].angular_damping;
    return NSC_OK;
}

NSC_API int nsc_body_set_damping(nsc_world *w, nsc_id id, nsc_real linear, nsc_real angular)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code;
    nsc_body_def d;
    if (i < 0)
        return i;
    d.linear_damping = linear;
    d.angular_damping = angular;
    code = nsci_check_members(&w->note, &d, NSCI_nsc_body_def_linear_damping,
                              NSCI_nsc_body_def_angular_damping);
    if (code < 0)
        return code;
    w->bodies[i].linear_damping = linear;
    w->bodies[i].angular_damping = angular;
    nsci_wake(&w->bodies[i]);
    nsci_kick(w, id);
    return NSC_OK;
}

NSC_API int nsc_body_get_kind(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    return nsci_is_off(w, i) ? (int)NSC_DISABLED_BODY : (int)w->bodies[i].kind;
}

/* May the body be dynamic?  Not with a half-space, height field or mesh. */
static int nsci_may_fall(const nsc_world *w, int body)
{
    int s;
    for (s = 0; s < w->shape_end; s++)
        if (w->shapes[s].generation % 2 && w->shapes[s].body == body &&
            w->shapes[s].def.kind >= NSC_SHAPE_HALF_SPACE)
            return 0;
    return 1;
}

NSC_API int nsc_body_set_kind(nsc_world *w, nsc_id id, int kind)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code;
    nsc_real none[6] = {0};
    nsc_body *b, before;
    if (i < 0)
        return i;
    if (kind < NSC_STATIC_BODY || kind > NSC_DISABLED_BODY)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_ARGUMENT, (nsc_real)kind);
    if (kind == NSC_DYNAMIC_BODY && !nsci_may_fall(w, i))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_CANNOT_FALL, (nsc_real)kind);
    if (nsci_has_gear(w, id))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_IN_GEAR, (nsc_real)kind);
    b = &w->bodies[i];
    NSC_MEMCPY(&before, b, sizeof before);
    b->locks &= NSCI_DISABLED - 1;
    b->locks |= kind == NSC_DISABLED_BODY ? NSCI_DISABLED : 0;
    b->kind = (uint16_t)(kind == NSC_DISABLED_BODY ? NSC_STATIC_BODY : kind);
    if (b->kind == NSC_STATIC_BODY)
        b->velocity = b->angular_velocity = nsci_vec(0, 0, 0);
    if (b->kind != NSC_DYNAMIC_BODY && !b->mass_given)
        nsci_set_mass(b, 0, b->centre, none);
    code = nsci_update_mass(w, i);
    if (code < 0) {
        NSC_MEMCPY(b, &before, sizeof before);
        return code;
    }
    nsci_forget_contacts(w, id, -1);
    nsci_wake_all(w);
    nsci_kick(w, id);
    return NSC_OK;
}

#endif
