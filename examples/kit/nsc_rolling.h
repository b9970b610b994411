/* nsc_rolling.h - rolling friction; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_ROLLING, contacts that may have it.
   Beside it: nsc.h.
   nsc_shape_def.rolling and torsion, coefficients [m]: a moment of this times the normal force
   resists rolling about the tangents and spinning about the normal; of two shapes the larger.  A
   block of three rows for each such contact; one without room goes without
   (report.dropped_rolling).  64 bytes a contact, 432 for each of NSC_MAX_ROLLING. */
#ifndef NSC_ROLLING_H
#define NSC_ROLLING_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MAX_ROLLING > 0 before nsc.h, which then includes nsc_rolling.h"
#endif

NSCI_REQUIRE(NSC_MAX_ROLLING_is_at_most_NSC_MAX_CONTACTS,
             NSC_MAX_ROLLING >= 0 && NSC_MAX_ROLLING <= NSC_MAX_CONTACTS);

/* Rules of a contact (>>checks in nsc.h) */
#define NSCI_ROLLING_FIELDS(F) \
    F(nsc_contact, rolling, NSCI_FROM_ZERO) \
    F(nsc_contact, torsion, NSCI_FROM_ZERO)

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static nsc_real nsci_rolling(const nsc_contact *c);
static nsc_real nsci_torsion(const nsc_contact *c);
static nsc_vec3 nsci_moment(const nsc_contact *c);
static void nsci_set_moment(nsc_contact *c, nsc_vec3 moment);
static void nsci_mix_rolling(nsc_contact *c, const nsc_shape_def *a, const nsc_shape_def *b);
static int nsci_check_rolling_law(nsci_why *note, const nsc_contact *c);
static nsc_block *nsci_fill_rolling(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                    nsc_block *k);
static const nsc_block *nsci_take_rolling(nsc_contact *c, const nsci_link *l, const nsc_block *k,
                                          nsc_real share);
#if NSC_SMOOTH
static nsc_vec3 nsci_twist(const nsc_contact *c);
static void nsci_set_twist(nsc_contact *c, nsc_vec3 twist);
#endif

#elif defined(NSCI_CODE) /* and again */

static nsc_real nsci_rolling(const nsc_contact *c) { return c->rolling; }
static nsc_real nsci_torsion(const nsc_contact *c) { return c->torsion; }
static nsc_vec3 nsci_moment(const nsc_contact *c) { return c->moment; }
static void nsci_set_moment(nsc_contact *c, nsc_vec3 moment) { c->moment = moment; }
#if NSC_SMOOTH
static nsc_vec3 nsci_twist(const nsc_contact *c) { return c->twist; }
static void nsci_set_twist(nsc_contact *c, nsc_vec3 twist) { c->twist = twist; }
#endif

static void nsci_mix_rolling(nsc_contact *c, const nsc_shape_def *a, const nsc_shape_def *b)
{
    c->rolling = nsci_max(a->rolling, b->rolling);
    c->torsion = nsci_max(a->torsion, b->torsion);
}

static int nsci_check_rolling_law(nsci_why *note, const nsc_contact *c)
{
    return nsci_check_members(note, c, NSCI_nsc_contact_rolling, NSCI_nsc_contact_torsion);
}

/* Rows and first guess: rotation about the normal, then about the tangents */
static void nsci_fill_moments(const nsc_contact *c, const nsc_block *contact, nsc_block *k)
{
    nsc_vec3 d[3];
    int i;
    d[0] = c->normal;
    nsci_tangents(c->normal, &d[1], &d[2]);
    k->a = contact->a;
    k->b = contact->b;
    k->kind = NSC_BLOCK_ROLLING;
    k->rows = 3;
    k->form = NSC_ROWS_TURN;
    for (i = 0; i < 3; i++) {
        NSCI_PUT_ROW(k, i, d[i], nsci_fill_turn(k->J[i], d[i]));
        k->cfm[i] = k->bias[i] = 0;
        k->lambda[i] = nsci_dot3(nsci_moment(c), d[i]);
    }
}

/* Fill the block behind that of a contact, k, which is returned; NULL: the contact has none. */
static nsc_block *nsci_fill_rolling(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                    nsc_block *k)
{
    const nsc_contact *c = &w->found[l->item];
    nsc_block *roll = k + 1;
    if (first && nsci_rolls(c)) {
        l->rolls = w->rolling_count < NSC_MAX_ROLLING;
        w->rolling_count += l->rolls;
        w->report.dropped_rolling += !l->rolls;
    }
    if (!l->rolls)
        return NULL;
    if (first)
        nsci_fill_moments(c, k, roll);
    roll->mu = nsci_mode(s) == NSCI_POSITION ? 0 : c->rolling;
    roll->hi[0] = nsci_mode(s) == NSCI_POSITION ? 0 : c->torsion;
    return roll;
}

/* Add the moment of the block behind k, which is returned, or NULL. */
static const nsc_block *nsci_take_rolling(nsc_contact *c, const nsci_link *l, const nsc_block *k,
                                          nsc_real share)
{
    const nsc_block *roll = k + 1;
    int r;
    if (!l->rolls)
        return NULL;
    for (r = 0; r < 3; r++)
        c->moment = nsci_add_sv(c->moment, share * roll->lambda[r], nsci_row_axis(roll, r, 1));
    return roll;
}

#endif
