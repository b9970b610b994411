/* nsc_extras.h - locks, damping, kinds, belts, callbacks, your words; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_EXTRAS 1.
   Beside it: nsc.h.
   Bodies may be locked along or about axes of the world, damped, change their kind and be switched
   off; surfaces may move (belts, tracks); bodies and shapes carry a word of yours; callbacks
   choose pairs and change contacts.  16 bytes a body and a shape, 24 a contact. */
#ifndef NSC_EXTRAS_H
#define NSC_EXTRAS_H

/* Locks, damping and your word of a body. */
NSC_API int nsc_body_get_extras(const nsc_world *world, nsc_id body, nsc_body_extras *extras);
NSC_API int nsc_body_set_extras(nsc_world *world, nsc_id body, const nsc_body_extras *extras);

/* Kind of a body: NSC_STATIC_BODY .. NSC_DISABLED_BODY.  A disabled body takes no part until its
   kind is changed again: it does not move, no shape, ray or contact meets it, and its joints and
   springs are left out.  A body that becomes static or disabled loses its velocity; a given mass
   stays for when it is dynamic again, another is then computed from the shapes.  NSC_ERR_ARGUMENT:
   kind, a dynamic body with a half-space, height field or mesh, a body with a joint of a gear;
   NSC_ERR_INERTIA, NSC_ERR_NOT_FINITE as nsc_world_add_shape.  Wakes all bodies. */
NSC_API int nsc_body_get_kind(const nsc_world *world, nsc_id body);
NSC_API int nsc_body_set_kind(nsc_world *world, nsc_id body, int kind);

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_EXTRA_FIELDS(F) \
    F(nsc_body_extras, locks, locks, NSCI_LOCKS) \
    F(nsc_body_extras, linear_damping, linear_damping, NSCI_FROM_ZERO) \
    F(nsc_body_extras, angular_damping, angular_damping, NSCI_FROM_ZERO) \
    F(nsc_shape_def, surface_velocity, surface_velocity, NSCI_VECTOR) \
    F(nsc_contact, surface_velocity, surface_velocity, NSCI_VECTOR)
#define NSCI_KIND_REASONS(R) \
    R(NSCI_CANNOT_FALL, "kind", \
      "not NSC_DYNAMIC_BODY for a body with " NSCI_GROUND_KINDS "; the value is what was asked") \
    R(NSCI_IN_GEAR, "kind", \
      "as it was for a body whose joint a gear names; the value is what was asked")

#elif defined(NSCI_CODE) /* nsc.h includes it again */

/* In nsc_body.extras.locks: the body is switched off.  It is a static one, whose shapes, joints and
   springs are left out. */
enum { NSCI_DISABLED = 64, NSCI_LOCK_TURNS = NSC_LOCK_TURN_X | NSC_LOCK_TURN_Y | NSC_LOCK_TURN_Z };

static int nsci_check_extras(nsci_why *note, const nsc_body_def *d)
{
    return nsci_check_members(note, &d->extras, NSCI_nsc_body_extras_locks,
                              NSCI_nsc_body_extras_angular_damping);
}

static int nsci_check_surface(nsci_why *note, const nsc_shape_def *d)
{
    return nsci_check_members(note, d, NSCI_nsc_shape_def_surface_velocity,
                              NSCI_nsc_shape_def_surface_velocity);
}

static int nsci_check_belt(nsci_why *note, const nsc_contact *c)
{
    return nsci_check_members(note, c, NSCI_nsc_contact_surface_velocity,
                              NSCI_nsc_contact_surface_velocity);
}

/* Is bit k of the locks set, for a dynamic body?  k: 0..2 along, 3..5 about x, y, z */
static int nsci_is_locked(const nsc_body *b, int k)
{
    return b->kind == NSC_DYNAMIC_BODY && (b->extras.locks >> k & 1);
}

static void nsci_take_extras(nsc_body *b, const nsc_body_def *d) { b->extras = d->extras; }

static void nsci_wake_all(nsc_world *w);

/* Wake all bodies if the velocity of a surface changes, as one may lie on it. */
static void nsci_wake_for_belt(nsc_world *w, const nsc_shape_def *own, const nsc_shape_def *d)
{
    nsc_vec3 change = nsci_sub(d->surface_velocity, own->surface_velocity);
    if (nsci_dot3(change, change) > 0)
        nsci_wake_all(w);
}

/* May a body that is not dynamic have a mass?  Yes, a given one, for when it is dynamic again. */
static NSC_MAYBE_UNUSED int nsci_keeps_mass(const nsc_body *b) { return b->mass_given; }

static int nsci_is_off(const nsc_world *w, int body)
{
    return (w->bodies[body].extras.locks & NSCI_DISABLED) != 0;
}

/* Is the joint or spring between two bodies left out? */
static NSC_MAYBE_UNUSED int nsci_stays_off(const nsc_world *w, nsc_id a, nsc_id b)
{
    return nsci_is_off(w, nsci_body_of(w, a)) || nsci_is_off(w, nsci_body_of(w, b));
}

/* May the body turn freely, so that it gyrates? */
static int nsci_may_turn(const nsc_body *b) { return !(b->extras.locks & NSCI_LOCK_TURNS); }

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
        nsc_real damping = k < 3 ? b->extras.linear_damping : b->extras.angular_damping;
        if (damping > 0)
            v[k] /= 1 + h * damping;
        if (nsci_is_locked(b, k))
            v[k] = 0;
    }
}

/* Tangential part of the surface velocity of a contact */
static nsc_vec3 nsci_belt(const nsc_contact *c)
{
    nsc_vec3 v = c->surface_velocity;
    return nsci_add_sv(v, -nsci_dot3(v, c->normal), c->normal);
}

/* Velocity of a shape's surface on its body, world [m/s] */
static nsc_vec3 nsci_surface(const nsc_world *w, const nsc_shape *s)
{
    nsc_vec3 v = s->def.surface_velocity;
    if (!(nsci_dot3(v, v) > 0))
        return v;
    return nsci_rotate(w->bodies[s->body].orientation, nsci_rotate(s->def.pose.orientation, v));
}

/* Velocity of the surface of shape t, less that of shape s */
static void nsci_mix_belts(const nsc_world *w, nsc_contact *c, int s, int t)
{
    c->surface_velocity = nsci_sub(nsci_surface(w, &w->shapes[t]), nsci_surface(w, &w->shapes[s]));
}

static void nsci_tangents(nsc_vec3 n, nsc_vec3 *t1, nsc_vec3 *t2);

/* Add a share of the velocity of the surfaces to the tangential rows of a contact: all of it, or
   what the damper of smooth contact takes. */
static void nsci_drive_belt(const nsc_contact *c, nsc_block *k, nsc_real share)
{
    nsc_vec3 v = nsci_belt(c), t1, t2;
    if (!(nsci_dot3(v, v) > 0) || !(share > 0))
        return;
    nsci_tangents(c->normal, &t1, &t2);
    k->bias[1] += share * nsci_dot3(v, t1);
    k->bias[2] += share * nsci_dot3(v, t2);
}

/* Tangential displacement in smooth contact, plus the way that the surfaces move in h */
NSC_MAYBE_UNUSED static nsc_vec3 nsci_carried(nsc_vec3 shear, nsc_real h, const nsc_contact *c)
{
    return nsci_add_sv(shear, h, nsci_belt(c));
}

/* For an explicit stepper the biases of a contact and its rolling friction carry these velocities
   until the forces are known. */
NSC_MAYBE_UNUSED static void nsci_begin_belt(const nsc_contact *c, nsc_block *k, nsc_block *roll)
{
    int i;
    for (i = 0; i < 3; i++) {
        k->bias[i] = 0;
        if (roll)
            roll->bias[i] = 0;
    }
    nsci_drive_belt(c, k, 1);
}

NSC_MAYBE_UNUSED static void nsci_add_belt(nsc_real *u, const nsc_block *k, int i)
{
    *u += k->bias[i];
}

/* Does a moving surface drive the contact?  Then the work of its friction is not limited. */
static int nsci_is_driven(const nsc_block *k)
{
    return nsci_abs(k->bias[1]) + nsci_abs(k->bias[2]) > 0;
}

/* Is `id` a shape whose word is `user`?  The user's own contacts have a negative id. */
static int nsci_has_user(const nsc_world *w, nsc_id id, uint32_t user)
{
    int shape = nsci_find(w, NSCI_SHAPE_HANDLE, id);
    return shape >= 0 && w->shapes[shape].def.user == user;
}

/* Does the caller let two shapes collide? */
static int nsci_ask_meet(const nsc_world *w, const nsc_shape *s, const nsc_shape *t)
{
    const nsc_calls *calls = w->scratch.find.calls;
    int a = (int)(s - w->shapes);
    int b = (int)(t - w->shapes);
    if (!calls || !calls->meet)
        return 1;
    return calls->meet(calls->user, w, nsci_handle(w, NSCI_SHAPE_HANDLE, a, s->generation),
                       nsci_handle(w, NSCI_SHAPE_HANDLE, b, t->generation));
}

static int nsci_check_contact(nsc_world *w, const nsc_contact *c);
static void nsci_drop_unused_law(const nsc_world *w, nsc_contact *c);
static int nsci_is_active(const nsc_body *b);

/* Let the caller change the contacts found.  Returns 0 or the error that refuses the step. */
static int nsci_ask_contacts(nsc_world *w, const nsc_calls *calls)
{
    int i, code = NSC_OK;
    if (!calls || !calls->contact)
        return NSC_OK;
    for (i = 0; i < w->found_count && code == NSC_OK; i++) {
        nsc_contact *own = &w->found[w->scratch.find.order[i]];
        nsc_contact c = *own;
        if (c.shape_a < 0 || (!nsci_is_active(&w->bodies[nsci_body_of(w, c.body_a)]) &&
                              !nsci_is_active(&w->bodies[nsci_body_of(w, c.body_b)])))
            continue;
        calls->contact(calls->user, w, &c);
        c.body_a = own->body_a;
        c.body_b = own->body_b;
        c.shape_a = own->shape_a;
        c.shape_b = own->shape_b;
        c.feature = own->feature;
        c.manifold = own->manifold;
        c.matched = own->matched;
        c.point = own->point;
        c.normal = own->normal;
        c.gap = own->gap;
        nsci_drop_unused_law(w, &c);
        code = nsci_check_contact(w, &c);
        if (code == NSC_OK)
            NSC_MEMCPY(own, &c, sizeof c);
    }
    return code;
}

NSC_API int nsc_body_get_extras(const nsc_world *w, nsc_id id, nsc_body_extras *extras)
{
    int i = extras ? nsci_find(w, NSCI_BODY_HANDLE, id) : NSC_ERR_ARGUMENT;
    if (i < 0)
        return i;
    *extras = w->bodies[i].extras;
    extras->locks &= NSCI_DISABLED - 1;
    return NSC_OK;
}

NSC_API int nsc_body_set_extras(nsc_world *w, nsc_id id, const nsc_body_extras *extras)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    int code, off;
    if (i < 0)
        return i;
    code = nsci_check_members(&w->note, extras, NSCI_nsc_body_extras_locks,
                              NSCI_nsc_body_extras_angular_damping);
    if (code < 0)
        return code;
    off = w->bodies[i].extras.locks & NSCI_DISABLED;
    w->bodies[i].extras = *extras;
    w->bodies[i].extras.locks |= off;
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
    b->extras.locks &= NSCI_DISABLED - 1;
    b->extras.locks |= kind == NSC_DISABLED_BODY ? NSCI_DISABLED : 0;
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
