/* nsc_smooth.h - contact with a force law; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_SMOOTH 1.
   Beside it: nsc.h.
   56 bytes a contact.

   Smooth contact: surfaces overlap and push back by a force law of the penetration, a damper, and a
   tangential spring that holds up to the friction cone.  A contact stores the stretch of that
   spring (shear), not its force, so that friction at rest does not creep.  Explicit steppers fix
   the impulses.  With implicit ones the law becomes compliance and bias of the contact's rows, and
   the solver enforces cone and cut-off.  The normal force is cut off at 0, where the damper would
   pull; there the bodies part.  Damping is chosen to give the restitution in spite of that. */
#ifndef NSC_SMOOTH_H
#define NSC_SMOOTH_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_SMOOTH 1 before nsc.h, which then includes nsc_smooth.h"
#endif

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_SMOOTH_FIELDS(F) \
    F(nsc_contact, hertz, NSCI_FROM_ZERO) \
    F(nsc_contact, tangential, NSCI_FROM_ZERO) \
    F(nsc_contact, cohesion, NSCI_FROM_ZERO)

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static int nsci_is_smooth(const nsc_world *w);
static int nsci_smooth_is_finite(const nsc_contact *c);
static int nsci_check_smooth(nsc_world *w, const nsc_contact *c);
static void nsci_forget_smooth(nsc_contact *c);
static void nsci_drop_unused_law(const nsc_world *w, nsc_contact *c);
static nsc_real nsci_pull(const nsc_world *w, const nsc_contact *c, const nsci_scheme *s);
static void nsci_apply_pull(nsc_world *w, const nsc_contact *c, const nsc_block *k,
                            const nsci_scheme *s);
static void nsci_take_pull(const nsc_world *w, nsc_contact *c, const nsci_scheme *s,
                           nsc_real share);
static void nsci_mix_smooth(const nsc_world *w, nsc_contact *c, const nsc_shape_def *a,
                            const nsc_shape_def *b);
static void nsci_carry_smooth(nsc_contact *c, const nsc_contact *old);
static void nsci_smooth_bias(nsc_world *w, nsc_contact *c, nsc_block *k, nsc_block *roll,
                             const nsci_scheme *s);
static void nsci_take_smooth(nsc_world *w, nsc_contact *c, const nsc_block *k,
                             const nsc_block *roll, const nsci_scheme *s);
#if NSC_STEPPERS
static void nsci_limit_step(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int count);
#else
#define nsci_limit_step(w, own, s, count) ((void)0)
#endif

#elif defined(NSCI_CODE) /* and again */

static int nsci_is_smooth(const nsc_world *w) { return w->def.contact_model == NSC_CONTACT_SMOOTH; }

/* Fifth root of x > 0 by Newton's method, from below; own code, as libms differ in the last bit */
static nsc_real nsci_fifth_root(nsc_real x)
{
    nsc_real scale = 1, y, y2;
    int i;
    if (!(x > 0) || !nsci_finite(x))
        return x;
    for (; x >= 32; scale *= 2)
        x *= NSC_R(0.03125);
    for (; x < 1; scale *= NSC_R(0.5))
        x *= 32;
    y = 1 + (x - 1) / 31;
    for (i = 0; i < 10; i++) {
        y2 = y * y;
        y += (x / (y2 * y2) - y) / 5;
    }
    return scale * y;
}

/* 1 / radius of a surface [1/m]; 0: flat */
static nsc_real nsci_curvature(const nsc_shape_def *d)
{
    int round = d->kind == NSC_SHAPE_SPHERE || d->kind == NSC_SHAPE_CAPSULE ||
                d->kind == NSC_SHAPE_CYLINDER;
    return round ? 1 / d->radius : 0;
}

/* Set cohesion; for smooth contact Hertz's law of two surfaces and tangential over normal stiffness
   (Mindlin 1949). */
static void nsci_mix_smooth(const nsc_world *w, nsc_contact *c, const nsc_shape_def *a,
                            const nsc_shape_def *b)
{
    nsc_real one = 1;
    nsc_real two = 2;
    nsc_real bend = nsci_curvature(a) + nsci_curvature(b);
    nsc_real R, e, g;
    c->cohesion = nsci_min(a->cohesion, b->cohesion);
    if (!nsci_is_smooth(w))
        return;
    R = bend > 0 ? one / bend : w->def.contact_radius;
    e = (one - a->poisson * a->poisson) / a->young + (one - b->poisson * b->poisson) / b->young;
    g = two * (two - a->poisson) * (one + a->poisson) / a->young +
        two * (two - b->poisson) * (one + b->poisson) / b->young;
    /* keep e / g finite, however soft the materials are */
    e = nsci_at_most_max(e);
    g = nsci_at_most_max(g);
    c->hertz = nsci_at_most_max(4 / (3 * e) * NSC_SQRT(R));
    c->tangential = 4 * (e / g);
}

/* ---- laws.  Restitution e and damping ratio z of a spring with a damper whose pull is cut off
   (Schwager and Poeschel 2007): e = exp(-2 p cot p), z = cos p, and beyond critical damping
   e = exp(-2 q coth q), z = cosh q.  A Hertzian spring with the damper 2 sqrt(5/6) z sqrt(S m), S
   its tangent stiffness, has the same e (Antypov and Elliott 2011).  The inverse z(e) is fitted and
   meets e within 3e-5.  A restitution below 0.0009 is raised to that: smaller ones look like 0 but
   need short steps. */
static nsc_real nsci_least_restitution(const nsc_contact *c)
{
    return nsci_max(c->restitution, NSC_R(0.0009));
}

static nsc_real nsci_damping_ratio(nsc_real e)
{
    nsc_real q = NSC_SQRT(e);
    nsc_real p = NSC_R(0.594476) - q * NSC_R(0.198993);
    p = NSC_R(1.01528) + q * (NSC_R(0.608869) + q * (NSC_R(-0.747429) + q * p));
    return (1 - q) * p / (2 * q);
}

/* Coefficient c of F = F0 (1 + c v / impact) (Hunt and Crossley 1975; Flores 2011), which solves
   c (1 + e) = ln((1 + c) / (1 - c e)).  The fit meets e within 1e-4.
   The usual 8 (1 - e) / (5 e) holds near e = 1 only. */
static nsc_real nsci_flores(nsc_real e)
{
    nsc_real p = NSC_R(27.5524) + e * (NSC_R(-21.5985) + e * NSC_R(6.58944));
    p = NSC_R(0.998291) +
        e * (NSC_R(0.916711) + e * (NSC_R(3.55426) + e * (NSC_R(-16.5024) + e * p)));
    return (1 - e) * p / e;
}

/* Force law of a contact at one penetration */
typedef struct nsci_law {
    nsc_real force;              /* without damping [N] */
    nsc_real stiffness;          /* slope of the force [N/m] */
    nsc_real damping;            /* [N s/m] */
    nsc_real rise;               /* slope of the damping [N s/m^2] */
} nsci_law;

/* Law of a contact at the penetration `deep` [m]; m: effective mass of the normal row [kg].  With
   FLORES a contact that began slowly and is pressed harder later gets at most twice the damping of
   HERTZ. */
static nsci_law nsci_contact_law(const nsc_world_def *d, const nsc_contact *c, nsc_real m,
                                 nsc_real deep)
{
    nsc_real e = nsci_least_restitution(c);
    nsc_real hooke = NSC_R(0.8) * c->hertz;
    nsc_real root, impact;
    nsci_law l = {0, 0, 0, 0};
    if (!(deep > 0))
        return l;
    if (c->stiffness > 0 || d->contact_law == NSC_SMOOTH_HOOKE) {
        l.stiffness = c->stiffness;
        l.damping = c->damping;
        if (!(l.stiffness > 0)) {
            if (hooke > 0)
                l.stiffness = hooke *
                              nsci_fifth_root(m * d->contact_speed * d->contact_speed / hooke);
            l.damping = 2 * nsci_damping_ratio(e) * NSC_SQRT(l.stiffness * m);
        }
        l.force = l.stiffness * deep;
        return l;
    }
    root = NSC_SQRT(deep);
    l.force = c->hertz * deep * root;
    l.stiffness = NSC_R(1.5) * c->hertz * root;
    l.damping = NSC_R(1.8257419) * nsci_damping_ratio(e) * NSC_SQRT(l.stiffness * m);
    l.rise = NSC_R(0.25) * l.damping / deep;
    if (d->contact_law != NSC_SMOOTH_FLORES)
        return l;
    impact = c->impact > 0 ? c->impact : nsci_max(-c->approach, d->bounce_speed);
    impact = nsci_flores(e) * l.force / nsci_max(impact, NSC_R(1e-6));
    l.rise = (impact < 2 * l.damping ? NSC_R(1.5) * impact : NSC_R(0.5) * l.damping) / deep;
    l.damping = nsci_min(impact, 2 * l.damping);
    return l;
}

/* Law of a tangential or rolling spring k at a mass m.  It has the damping ratio of the normal
   spring, but at most 1: with more, a contact without restitution would hardly come to rest on its
   tangential spring. */
static nsci_law nsci_side_law(const nsci_law *normal, nsc_real normal_m, nsc_real k, nsc_real m)
{
    nsc_real critical = 2 * NSC_SQRT(normal->stiffness * normal_m);
    nsc_real ratio = normal->damping < critical ? normal->damping / critical : 1;
    nsci_law l = {0, 0, 0, 0};
    l.stiffness = k;
    l.damping = 2 * ratio * NSC_SQRT(k * m);
    return l;
}

/* Law of the tangents; m: effective mass of the normal row, taken for theirs too.  A tangential
   stiffness of 0 in the user's own contact means 2/3 of the normal one, that of rubber. */
static nsci_law nsci_tangential_law(const nsc_contact *c, const nsci_law *normal, nsc_real m)
{
    nsc_real share = c->tangential > 0 ? c->tangential : NSC_R(2.0) / 3;
    return nsci_side_law(normal, m, normal->stiffness * share, m);
}

/* Rolling and spinning: rotational stiffness 2.25 k rho^2 (Iwashita and Oda 1998) for the
   coefficient rho [m] and a row of inertia I */
static nsci_law nsci_rolling_law(const nsci_law *normal, nsc_real m, nsc_real rho, nsc_real I)
{
    return nsci_side_law(normal, m, NSC_R(2.25) * normal->stiffness * rho * rho, I);
}

/* ---- rows */

/* y = M^-1 J^T of a row: the change of velocities by a unit impulse */
static void nsci_row_response(const nsc_world *w, const nsc_block *k, int i, nsc_real *y)
{
    const nsc_mass *masses = w->scratch.solve.masses;
    nsc_real room[12];
    const nsc_real *J = nsci_row_of(k, i, room);
    nsci_inverse_mass(&masses[k->a], J, y);
    nsci_inverse_mass(&masses[k->b], J + 6, y + 6);
}

/* Effective mass of a row [kg, kg m^2] */
static nsc_real nsci_row_mass(const nsc_world *w, const nsc_block *k, int i)
{
    nsc_real y[12], g;
    nsci_row_response(w, k, i, y);
    g = nsci_along_row(k, i, y, y + 6);
    return g > 0 ? 1 / g : 0;
}

/* Speed and travel of a row at Newton's iterate; 0 with the other steppers, which linearise at the
   start of the step */
static nsc_real nsci_row_trial(const nsc_world *w, const nsci_scheme *s, const nsc_block *k,
                               int i, nsc_real *travel)
{
    nsc_real v[12];
    *travel = 0;
    if (s->mode != NSCI_NEWTON)
        return *travel;
    nsci_velocity_of(&w->bodies[w->outer[k->a]], v);
    nsci_velocity_of(&w->bodies[w->outer[k->b]], v + 6);
    *travel = nsci_row_travel(w, s, k, i, v, v + 6);
    return nsci_along_row(k, i, v, v + 6);
}

/* Make row i compliant: force - k hx (u - u0) - d u at velocity u.  Returns 0 if too weak for a
   finite cfm. */
static int nsci_yield(const nsci_scheme *s, nsc_block *b, int i, nsc_real force, nsc_real k,
                      nsc_real d, nsc_real u0)
{
    nsc_real slope = s->hx * k + d;
    b->cfm[i] = 1 / (s->hf * slope);
    /* Not finite: the step will be refused */
    b->bias[i] = nsci_finite(slope) ? -(force + s->hx * k * u0) / slope : slope;
    if (slope > 0 && nsci_finite(b->cfm[i]))
        return 1;
    b->cfm[i] = b->bias[i] = 0;
    return 0;
}

/* Fix all impulses of a block; one that is not finite makes the solver refuse the step. */
static void nsci_give_block(nsc_block *b, nsc_real x0, nsc_real x1, nsc_real x2)
{
    int i;
    b->kind = NSC_BLOCK_BOX;
    b->rows = 3;
    nsci_give(b, 0, x0);
    nsci_give(b, 1, x1);
    nsci_give(b, 2, x2);
    for (i = 0; i < 3; i++)
        if (!nsci_finite(b->lambda[i]))
            b->bias[i] = b->lambda[i];
}

/* Impulses `out` of rows first .. last of spring and damper l stretched by *stretch; their force is
   at most cap together.  What slips at the cap stretches neither spring nor damper, so friction
   does not point along a slide.  After Cundall and Strack 1979. */
static void nsci_rub(const nsc_world *w, const nsci_scheme *s, const nsc_block *b, int first,
                     int last, const nsci_law *l, nsc_real cap, nsc_vec3 *stretch, int turning,
                     nsc_real *out)
{
    nsc_real f2 = 0;
    nsc_real share;
    nsc_real slope = s->hx * l->stiffness + l->damping;
    int i;
    for (i = first; i <= last; i++) {
        nsc_real u = nsci_row_speed(w, b, i);
        NSCI_IF(NSC_BELTS, u += b->bias[i];) /* see nsci_begin_belt */
        out[i] = -l->stiffness * nsci_dot3(*stretch, nsci_row_axis(b, i, turning)) -
                 l->damping * u;
        f2 += out[i] * out[i];
    }
    share = f2 > cap * cap ? cap / NSC_SQRT(f2) : 1;
    for (i = first; i <= last; i++) {
        nsc_vec3 axis = nsci_row_axis(b, i, turning);
        if (share < 1)
            *stretch = nsci_add_sv(*stretch, (1 - share) * out[i] * s->hx / slope, axis);
        out[i] *= s->hf * share;
    }
}

/* Explicit: the present force is given.  Only the push, not cohesion, bounds friction. */
static void nsci_explicit_bias(const nsc_world *w, nsc_contact *c, nsc_block *k, nsc_block *roll,
                               const nsci_scheme *s)
{
    nsc_real m = nsci_row_mass(w, k, 0);
    nsc_real u = nsci_row_speed(w, k, 0);
    nsc_real push, x[3];
    nsci_law l = nsci_contact_law(&w->def, c, m, -c->gap);
    nsci_law t = nsci_tangential_law(c, &l, m);
    nsc_vec3 twist = nsci_twist(c);
    nsci_begin_belt(c, k, roll);
    push = nsci_max(l.force - l.damping * u, 0);
    x[0] = c->gap <= 0 ? s->hf * (push - c->cohesion) : 0;
    x[1] = x[2] = 0;
    if (c->gap <= 0 && c->friction > 0)
        nsci_rub(w, s, k, 1, 2, &t, c->friction * push, &c->shear, 0, x);
    nsci_give_block(k, x[0], x[1], x[2]);
    if (NSC_MAX_ROLLING == 0 || !roll)
        return;
    x[0] = x[1] = x[2] = 0;
    if (c->gap <= 0) {
        t = nsci_rolling_law(&l, m, nsci_torsion(c), nsci_row_mass(w, roll, 0));
        nsci_rub(w, s, roll, 0, 0, &t, nsci_torsion(c) * push, &twist, 1, x);
        t = nsci_rolling_law(&l, m, nsci_rolling(c), nsci_row_mass(w, roll, 1));
        nsci_rub(w, s, roll, 1, 2, &t, nsci_rolling(c) * push, &twist, 1, x);
        nsci_set_twist(c, twist);
    }
    nsci_give_block(roll, x[0], x[1], x[2]);
}

/* Normal law linearised towards the end of the step (implicit steppers but Newton's): the line
   through the present force and that at the penetration the free motion would reach.  A resting
   contact keeps its force exactly; an incoming one meets the force that awaits it.  A gap closes
   freely, and only then the law begins. */
static nsci_law nsci_line_up(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                             const nsci_scheme *s, nsc_real m)
{
    nsc_real u = nsci_along_row(k, 0, w->scratch.solve.v_free + 6 * k->a,
                            w->scratch.solve.v_free + 6 * k->b);
    nsc_real now = nsci_max(-c->gap, 0);
    nsc_real then = nsci_max(-c->gap - s->hx * u, now);
    nsci_law l = nsci_contact_law(&w->def, c, m, now);
    nsci_law end;
    if (then <= 0)
        then = NSC_R(0.25) * w->def.slop; /* if other impulses close the gap */
    end = nsci_contact_law(&w->def, c, m, then);
    if (then - now > NSC_R(0.01) * now) {
        l.stiffness = (end.force - l.force) / (then - now);
        l.damping = end.damping;
    }
    if (!nsci_yield(s, k, 0, l.force, l.stiffness, l.damping, 0))
        l.stiffness = 0;
    if (c->gap > 0)
        k->bias[0] = c->gap / s->hx;
    return l;
}

/* The normal row at Newton's iterate.  In a contact that closes within the step, damping is scaled
   by the overlapping part of its travel: the mean over the step, which keeps the law continuous
   (and convex: Newton converges from the deep side). */
static nsci_law nsci_line_at(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                             const nsci_scheme *s, nsc_real m)
{
    nsc_real travel;
    nsc_real u = nsci_row_trial(w, s, k, 0, &travel);
    nsc_real deep = -c->gap - travel;
    nsc_real rate;
    nsc_real extra;
    nsci_law l = nsci_contact_law(&w->def, c, m, deep);
    rate = nsci_min(-u, deep / s->hx);
    extra = l.rise * nsci_max(rate, 0);
    if (!nsci_yield(s, k, 0, l.force + l.damping * (rate + u), l.stiffness + extra, l.damping, u))
        l.stiffness = 0;
    return l;
}

/* Make rows first .. last compliant: spring l, stretched by `stretch` when the step began. */
static void nsci_yield_along(const nsc_world *w, const nsci_scheme *s, nsc_block *b, int first,
                             int last, const nsci_law *l, nsc_vec3 stretch, int turning)
{
    nsc_real travel, u;
    int i;
    for (i = first; i <= last; i++) {
        u = nsci_row_trial(w, s, b, i, &travel);
        nsci_yield(s, b, i,
                   -l->stiffness * (nsci_dot3(stretch, nsci_row_axis(b, i, turning)) + travel),
                   l->stiffness, l->damping, u);
    }
}

/* Implicit: compliance and bias of the rows */
static void nsci_implicit_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                               nsc_block *roll, const nsci_scheme *s)
{
    nsc_real m = nsci_row_mass(w, k, 0);
    nsci_law l = s->mode == NSCI_NEWTON ? nsci_line_at(w, c, k, s, m) : nsci_line_up(w, c, k, s, m);
    nsci_law t;
    if (!(l.stiffness > 0) || s->mode == NSCI_POSITION) {
        nsci_give_block(k, 0, 0, 0);
        if (roll)
            nsci_give_block(roll, 0, 0, 0);
        return;
    }
    t = nsci_tangential_law(c, &l, m);
    k->kind = NSC_BLOCK_CONTACT;
    k->rows = (unsigned char)(c->friction > 0 ? 3 : 1);
    nsci_yield_along(w, s, k, 1, 2, &t, nsci_carried(c->shear, s->h, c), 0);
    nsci_drive_belt(c, k, t.damping / (s->hx * t.stiffness + t.damping));
    if (NSC_MAX_ROLLING == 0 || !roll)
        return;
    roll->kind = NSC_BLOCK_ROLLING;
    roll->mu = nsci_rolling(c);
    t = nsci_rolling_law(&l, m, nsci_torsion(c), nsci_row_mass(w, roll, 0));
    nsci_yield_along(w, s, roll, 0, 0, &t, nsci_twist(c), 1);
    t = nsci_rolling_law(&l, m, nsci_rolling(c), nsci_row_mass(w, roll, 1));
    nsci_yield_along(w, s, roll, 1, 2, &t, nsci_twist(c), 1);
    roll->hi[0] = nsci_torsion(c);
}

/* ---- cohesion, in hard contact too.  It pulls through the whole of a step that begins in touch,
   as an impulse on the free velocities.  The impulse of the contact's block is larger by the same
   and bounds friction; the contact stores their difference. */

/* Impulse of cohesion in a (sub-)step [N s] */
static nsc_real nsci_pull(const nsc_world *w, const nsc_contact *c, const nsci_scheme *s)
{
    int smooth = nsci_is_smooth(w);
    if (s->mode == (smooth ? NSCI_EXPLICIT : NSCI_POSITION))
        return 0; /* explicit smooth contact has the pull in its force */
    return c->gap <= (smooth ? 0 : w->def.slop) ? s->hf * c->cohesion : 0;
}

static void nsci_apply_pull(nsc_world *w, const nsc_contact *c, const nsc_block *k,
                            const nsci_scheme *s)
{
    nsc_real pull = nsci_pull(w, c, s);
    nsc_real y[12];
    nsc_real *v = w->scratch.solve.v_free;
    if (pull <= 0)
        return;
    nsci_row_response(w, k, 0, y);
    nsci_axpy12(-pull, y, v + 6 * k->a, v + 6 * k->b);
}

/* After the solve: take the pull off the contact's impulse.  share: as in nsci_take_island */
static void nsci_take_pull(const nsc_world *w, nsc_contact *c, const nsci_scheme *s, nsc_real share)
{
    nsc_real pull = share * nsci_pull(w, c, s);
    if (pull > 0)
        c->impulse = nsci_add_sv(c->impulse, -pull, c->normal);
}

#if NSC_BARRIER
static void nsci_barrier_bias(const nsc_world *w, const nsc_contact *c, nsc_block *k,
                              nsc_block *roll, const nsci_scheme *s);
#else
#define nsci_barrier_bias(w, c, k, roll, s) ((void)0)
#endif

/* Fill the block of a contact, and `roll`, that of its rolling friction, unless it is NULL. */
static void nsci_smooth_bias(nsc_world *w, nsc_contact *c, nsc_block *k, nsc_block *roll,
                             const nsci_scheme *s)
{
    if (nsci_is_barrier(w)) {
        NSCI_IF(NSC_BARRIER, w->report.overlaps += c->gap <= 0;)
        nsci_barrier_bias(w, c, k, roll, s);
        return;
    }
    if (c->gap > 0) {
        c->shear = nsci_vec(0, 0, 0);
        c->impact = 0;
        nsci_set_twist(c, c->shear);
    } else if (!(c->impact > 0)) {
        c->impact = nsci_max(-c->approach, w->def.bounce_speed);
    }
    if (s->mode == NSCI_EXPLICIT)
        nsci_explicit_bias(w, c, k, roll, s);
    else
        nsci_implicit_bias(w, c, k, roll, s);
}

/* Spin about the normal that both bodies share [rad/s].  The stored shear rotates with it. */
static nsc_real nsci_common_turn(const nsc_block *k, const nsc_real *v)
{
    nsc_vec3 n = nsci_row_axis(k, 0, 0);
    const nsc_real *va = v + 6 * k->a + 3;
    const nsc_real *vb = v + 6 * k->b + 3;
    nsc_real a = nsci_dot3(n, nsci_vec_at(va));
    nsc_real b = nsci_dot3(n, nsci_vec_at(vb));
    if (a * b <= 0)
        return 0;
    return nsci_abs(a) < nsci_abs(b) ? a : b;
}

/* Stretch of rows first .. last after the step: their travel without the slip at the cone, which is
   J v + bias + cfm lambda */
static nsc_vec3 nsci_creep(const nsc_world *w, const nsci_scheme *s, const nsc_block *b, int first,
                           int last, const nsc_real *v, nsc_vec3 stretch, int turning)
{
    nsc_vec3 out = nsci_vec(0, 0, 0);
    const nsc_real *va = v + 6 * b->a;
    const nsc_real *vb = v + 6 * b->b;
    int i;
    for (i = first; i <= last; i++) {
        nsc_vec3 axis = nsci_row_axis(b, i, turning);
        nsc_real x = nsci_dot3(stretch, axis) +
                     nsci_row_travel(w, s, b, i, va, vb);
        if (b->kind != NSC_BLOCK_BOX && b->cfm[i] > 0)
            x -= s->hx * (nsci_along_row(b, i, va, vb) + b->bias[i] + b->cfm[i] * b->lambda[i]);
        else if (s->mode != NSCI_EXPLICIT)
            x = 0;
        out = nsci_add_sv(out, x, axis);
    }
    return out;
}

#if !NSC_STEPPERS
#define nsci_note_abrupt(w, c, k, s) ((void)0)
#else
/* HHT and NEWMARK: has the contact begun or ended faster than six steps resolve?  They would carry
   its force on into free flight, or the reverse, and gain energy, so the next step does not use the
   previous rates. */
static int nsci_is_abrupt(const nsc_world *w, const nsc_contact *c, const nsc_block *k,
                          const nsci_scheme *s)
{
    const nsc_real *va = w->scratch.solve.v + 6 * k->a;
    const nsc_real *vb = w->scratch.solve.v + 6 * k->b;
    nsc_real end = c->gap + nsci_row_travel(w, s, k, 0, va, vb);
    nsc_real m = nsci_row_mass(w, k, 0);
    nsci_law l = nsci_contact_law(&w->def, c, m, -nsci_min(c->gap, end));
    return (c->gap <= 0) != (end <= 0) && s->h * s->h * l.stiffness > NSC_R(0.25) * m;
}

static void nsci_note_abrupt(nsc_world *w, const nsc_contact *c, const nsc_block *k,
                             const nsci_scheme *s)
{
    if (nsci_is_newmark(&w->def) && nsci_is_abrupt(w, c, k, s))
        w->abrupt = 1;
}

/* ---- the longest explicit step: a twentieth of the contact's duration, but at most half the
   stable step 2 (sqrt(1 + z^2) - z) / w of all contacts of its bodies together, because no
   frequency is above the sum of theirs. */

/* Law at the deepest penetration that the contact reaches with its present speed */
static nsci_law nsci_deepest_law(const nsc_world *w, const nsc_contact *c, const nsc_block *k,
                                 nsc_real m)
{
    nsc_real deep = -c->gap;
    nsc_real u = nsci_row_speed(w, k, 0);
    nsc_real root;
    if (u < 0 && c->hertz > 0) {
        root = nsci_fifth_root(deep * deep * NSC_SQRT(deep) + NSC_R(1.25) * m * u * u / c->hertz);
        deep = root * root;
    }
    return nsci_contact_law(&w->def, c, m, deep);
}

/* Largest over the rows: rate[0] stiffness over mass, rate[1] damping over mass */
static void nsci_find_rates(const nsc_world *w, const nsc_contact *c, const nsc_block *k,
                            const nsci_law *l, nsc_real m, nsc_real *rate)
{
    nsci_law t = nsci_tangential_law(c, l, m);
    int i;
    rate[0] = l->stiffness / m;
    rate[1] = l->damping / m;
    for (i = 1; i < 3 && c->friction > 0; i++) {
        nsc_real mass = nsci_row_mass(w, k, i);
        if (!(mass > 0))
            continue;
        rate[0] = nsci_max(rate[0], t.stiffness / mass);
        rate[1] = nsci_max(rate[1], t.damping / mass);
    }
}

/* In the first pass add a contact's rates to the sums of its bodies, two each; in the second report
   the limit that these give it. */
static void nsci_limit_by(nsc_world *w, const nsci_link *link, const nsc_island *own,
                          const nsci_scheme *s, nsc_real *sum, int first)
{
    const nsc_contact *c = &w->found[link->item];
    const nsc_block *k = &w->scratch.solve.blocks[link->block];
    nsc_real m = nsci_row_mass(w, k, 0);
    nsc_real rate[2], W, D, limit;
    nsci_law l = nsci_deepest_law(w, c, k, m);
    int j;
    if (!(l.stiffness > 0) || !(m > 0))
        return;
    if (first) {
        nsci_find_rates(w, c, k, &l, m, rate);
        for (j = 0; j < 2; j++) {
            sum[2 * k->a + j] += k->a > 0 && k->a <= own->bodies ? rate[j] : 0;
            sum[2 * k->b + j] += k->b > 0 && k->b <= own->bodies ? rate[j] : 0;
        }
        return;
    }
    W = nsci_max(sum[2 * k->a], sum[2 * k->b]);
    D = NSC_R(0.5) * nsci_max(sum[2 * k->a + 1], sum[2 * k->b + 1]);
    limit = nsci_min(NSCI_PI / 20 * NSC_SQRT(m / l.stiffness), 1 / (NSC_SQRT(W + D * D) + D));
    if (!(w->report.step_limit > 0) || limit < w->report.step_limit)
        w->report.step_limit = limit;
    w->report.over_limit += s->last && s->h > limit;
}

static void nsci_limit_step(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int count)
{
    nsc_real *sum = w->scratch.solve.direction; /* not in use with explicit steppers */
    int i, first;
    nsci_clear(sum, 2 * (size_t)count * sizeof *sum);
    for (first = 1; first >= 0; first--)
        for (i = own->first_link; i != NSCI_NOWHERE; i = w->links[i].next) {
            const nsci_link *link = &w->links[i];
            if (link->kind == NSCI_CONTACT_LINK && w->found[link->item].gap <= 0)
                nsci_limit_by(w, link, own, s, sum, first);
        }
}
#endif

/* v turned about a unit vector n by a small angle, its length kept */
static nsc_vec3 nsci_turn_about(nsc_vec3 n, nsc_real angle, nsc_vec3 v)
{
    return nsci_mul_sv(nsci_norm(v), nsci_unit(nsci_add_sv(v, angle, nsci_cross(n, v)), v));
}

/* After the solve: update shear and twist. */
static void nsci_take_smooth(nsc_world *w, nsc_contact *c, const nsc_block *k,
                             const nsc_block *roll, const nsci_scheme *s)
{
    const nsc_real *v = w->scratch.solve.v;
    nsc_real turn = s->h * nsci_common_turn(k, v);
    nsc_vec3 twist;
    if (nsci_is_barrier(w))
        return;
    nsci_note_abrupt(w, c, k, s);
    c->shear = nsci_creep(w, s, k, 1, c->friction > 0 ? 2 : 0, v,
                          nsci_carried(c->shear, s->h, c), 0);
    c->shear = nsci_flush_below(nsci_turn_about(c->normal, turn, c->shear), NSCI_REAL_TINY);
    if (NSC_MAX_ROLLING == 0 || !roll)
        return;
    twist = nsci_add(nsci_creep(w, s, roll, 0, 0, v, nsci_twist(c), 1),
                     nsci_creep(w, s, roll, 1, 2, v, nsci_twist(c), 1));
    twist = nsci_flush_below(nsci_turn_about(c->normal, turn, twist), NSCI_REAL_TINY);
    nsci_set_twist(c, twist);
}

/* v rotated as the normal rotates between two unit vectors not far apart */
static nsc_vec3 nsci_turn_along(nsc_vec3 from, nsc_vec3 to, nsc_vec3 v)
{
    nsc_vec3 axis = nsci_cross(from, to);
    nsc_vec3 d = nsci_cross(axis, v);
    return nsci_add_sv(nsci_add(v, d), 1 / (1 + nsci_dot3(from, to)), nsci_cross(axis, d));
}

/* Take over shear, twist and impact of the last step; old NULL: 0 */
static void nsci_carry_smooth(nsc_contact *c, const nsc_contact *old)
{
    nsc_vec3 zero = nsci_vec(0, 0, 0);
    nsc_vec3 twist = zero;
    c->shear = old ? nsci_turn_along(old->normal, c->normal, old->shear) : zero;
    c->impact = old ? old->impact : 0;
    if (NSC_MAX_ROLLING > 0 && old)
        twist = nsci_turn_along(old->normal, c->normal, nsci_twist(old));
    nsci_set_twist(c, twist);
}

/* Clear law and history, and cohesion. */
static void nsci_forget_smooth(nsc_contact *c)
{
    c->hertz = c->tangential = c->cohesion = c->impact = 0;
    c->shear = nsci_vec(0, 0, 0);
    nsci_set_twist(c, c->shear);
}

/* The same for a contact that exerts no smooth force, as its law was not checked; unless it is a
   sensor, its cohesion stays. */
static void nsci_drop_unused_law(const nsc_world *w, nsc_contact *c)
{
    nsc_real cohesion = c->sensor ? 0 : c->cohesion;
    if (nsci_is_smooth(w) && !c->sensor)
        return;
    nsci_forget_smooth(c);
    c->cohesion = cohesion;
}

static int nsci_smooth_is_finite(const nsc_contact *c)
{
    return nsci_vec_finite(c->shear) && nsci_vec_finite(nsci_twist(c)) && nsci_finite(c->impact);
}

/* Check the cohesion of a contact of yours; in smooth contact also hertz and tangential, and that
   hertz or stiffness gives it a force. */
static int nsci_check_smooth(nsc_world *w, const nsc_contact *c)
{
    int smooth = nsci_is_smooth(w);
    int code = nsci_check_members(&w->note, c,
                                  smooth ? NSCI_nsc_contact_hertz : NSCI_nsc_contact_cohesion,
                                  NSCI_nsc_contact_cohesion);
    if (code < 0 || !smooth || c->stiffness > 0 || c->hertz > 0)
        return code;
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_FORCE, c->hertz);
}

#endif
