/* nsc_belts.h - surfaces that move: conveyor belts, tracks; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_BELTS 1.
   Beside it: nsc.h.
   nsc_shape_def.surface_velocity [m/s] moves the surface of a shape on its body, in the frame of
   the shape; nsc_contact.surface_velocity [m/s], world frame, is that of b's surface less that of
   a's, for contacts of your own and in nsc_calls.contact.  Finite, else NSC_ERR_NOT_FINITE; the
   part along the normal does not count; default 0.  Friction then acts against the sliding of the
   surfaces, in hard, smooth and barrier contact.  A belt that starts or stops (nsc_shape_set_def)
   wakes all bodies.  12 bytes a shape, 24 a contact. */
#ifndef NSC_BELTS_H
#define NSC_BELTS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_BELTS 1 before nsc.h, which then includes nsc_belts.h"
#endif

/* Rule of definitions (>>checks in nsc.h) */
#define NSCI_BELT_FIELDS(F, type) F(type, surface_velocity, NSCI_VECTOR)

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_wake_for_belt(nsc_world *w, const nsc_shape_def *own, const nsc_shape_def *d);
static void nsci_mix_belts(const nsc_world *w, nsc_contact *c, int s, int t);
static void nsci_drive_belt(const nsc_contact *c, nsc_block *k, nsc_real share);
static int nsci_is_driven(const nsc_block *k);
NSC_MAYBE_UNUSED static nsc_vec3 nsci_carried(nsc_vec3 shear, nsc_real h, const nsc_contact *c);
NSC_MAYBE_UNUSED static void nsci_begin_belt(const nsc_contact *c, nsc_block *k, nsc_block *roll);

#elif defined(NSCI_CODE) /* and again */

static void nsci_wake_all(nsc_world *w);

/* Wake all bodies if the velocity of a surface changes, as one may lie on it. */
static void nsci_wake_for_belt(nsc_world *w, const nsc_shape_def *own, const nsc_shape_def *d)
{
    nsc_vec3 change = nsci_sub(d->surface_velocity, own->surface_velocity);
    if (nsci_dot3(change, change) > 0)
        nsci_wake_all(w);
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
    k->hi[1] = 0;
    if (!(nsci_dot3(v, v) > 0) || !(share > 0))
        return;
    k->hi[1] = 1; /* a CONTACT does not use it */
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

/* Does a moving surface drive the contact?  Then the work of its friction is not limited. */
static int nsci_is_driven(const nsc_block *k)
{
    return k->hi[1] > 0;
}

#endif
