/* nsc_springs.h - springs and dampers between points; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_SPRINGS.
   Beside it: nsc.h.

   A spring is one block of compliant rows: one along the line between its ends, and for implicit
   steppers two across it.  Its force turns with the line: where it pulls with T over a length L,
   its ends resist motion across the line with stiffness T / L.  Where it pushes, that stiffness
   would be negative and is left out, so that the problem stays convex.  A row acts at both ends,
   which are on the line, with opposite forces: momentum is conserved. */
#ifndef NSC_SPRINGS_H
#define NSC_SPRINGS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MAX_SPRINGS > 0 before nsc.h, which then includes nsc_springs.h"
#endif

NSCI_REQUIRE(NSC_MAX_SPRINGS_is_0_to_10000, NSC_MAX_SPRINGS >= 0 && NSC_MAX_SPRINGS <= 10000);

/* A spring with a damper between two points, which pulls and pushes along the line between them.
   Its bodies still collide.  Implicit steppers take it implicitly: the axial stiffness and, where
   it pulls, force over length across.  Implicit Euler then also damps the rotation of bodies that
   springs hold together: each step divides the angular momentum of two particles by 1 + h^2 (force
   / length) / (reduced mass).  Symplectic Euler keeps it. */
typedef struct nsc_spring_def {
    nsc_id body_a, body_b;       /* not the same */
    nsc_vec3 point_a, point_b;   /* its ends in the frames of the bodies [m]; default 0 */
    nsc_real rest;               /* length without force [m], >= 0; default 0 */
    nsc_real stiffness;          /* [N/m], >= 0; default 0 */
    nsc_real damping;            /* of length change [N s/m], >= 0; stiffness or damping > 0;
                                    default 0 */
} nsc_spring_def;

typedef struct nsc_spring {
    uint16_t generation;         /* odd: slot in use */
    uint16_t unused;
    nsc_spring_def def;
    nsc_vec3 impulse;            /* on b in the last step, world [N s] */
} nsc_spring;

/* ---- springs.  All return 0 or a handle, or NSC_ERR_ARGUMENT, NSC_ERR_NOT_FINITE, NSC_ERR_HANDLE,
   NSC_ERR_CAPACITY. */
NSC_API nsc_spring_def nsc_default_spring_def(nsc_id body_a, nsc_id body_b);
/* add, remove and set_def wake both bodies */
NSC_API nsc_id nsc_world_add_spring(nsc_world *world, const nsc_spring_def *def);
/* also removed with either body */
NSC_API int nsc_world_remove_spring(nsc_world *world, nsc_id spring);
NSC_API int nsc_spring_get_def(const nsc_world *world, nsc_id spring, nsc_spring_def *def);
/* the bodies cannot be changed: NSC_ERR_ARGUMENT */
NSC_API int nsc_spring_set_def(nsc_world *world, nsc_id spring, const nsc_spring_def *def);

/* Present length [m], and force on body_b, mean over the last step, world [N]; each pointer may be
   NULL.  The force is unknown if neither body is dynamic, 0 if one is disabled. */
NSC_API int nsc_spring_get_force(const nsc_world *world, nsc_id spring, nsc_real *length,
                                 nsc_vec3 *force);

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_SPRING_FIELDS(F) \
    F(nsc_spring_def, point_a, NSCI_VECTOR) \
    F(nsc_spring_def, point_b, NSCI_VECTOR) \
    F(nsc_spring_def, rest, NSCI_FROM_ZERO) \
    F(nsc_spring_def, stiffness, NSCI_FROM_ZERO) \
    F(nsc_spring_def, damping, NSCI_FROM_ZERO)
#define NSCI_SPRING_REASONS(R) \
    R(NSCI_FULL_SPRINGS, "NSC_MAX_SPRINGS", \
      "room for one more spring: enlarge it; the value is the capacity") \
    R(NSCI_NO_SPRING, "nsc_spring_def.stiffness", "> 0, or damping > 0") \
    R(NSCI_OTHER_BODY, "nsc_spring_def.body_a", "the bodies as they were")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_list_springs(nsc_world *w);
static int nsci_fill_spring_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                 nsc_real scale, nsc_block *k);
static void nsci_take_spring(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                             nsc_real share);
static void nsci_store_springs(nsc_world *w, nsc_real h);
static void nsci_free_springs_of(nsc_world *w, nsc_id body);

#elif defined(NSCI_CODE) /* and again */

/* A spring in the world: ends as seen from the centres of mass, length, unit direction from a to
   b */
typedef struct nsci_line {
    int a, b;
    nsc_vec3 ra, rb, along;
    nsc_real length;
} nsci_line;

static nsc_vec3 nsci_spring_end(const nsc_body *b, nsc_vec3 point)
{
    return nsci_rotate(b->orientation, nsci_sub(point, b->centre));
}

static void nsci_place_spring(const nsc_world *w, const nsc_spring_def *d, nsci_line *l)
{
    nsc_vec3 apart;
    l->a = nsci_body_of(w, d->body_a);
    l->b = nsci_body_of(w, d->body_b);
    l->ra = nsci_spring_end(&w->bodies[l->a], d->point_a);
    l->rb = nsci_spring_end(&w->bodies[l->b], d->point_b);
    apart = nsci_add(nsci_sub(w->bodies[l->b].position, w->bodies[l->a].position),
                     nsci_sub(l->rb, l->ra));
    l->length = nsci_norm(apart);
    l->along = nsci_unit(apart, nsci_vec(1, 0, 0));
}

/* Stiffness across the line [N/m]: force over length where the spring pulls, else 0; without a rest
   length the spring's own, even at length 0 */
static nsc_real nsci_spring_across(const nsc_spring_def *d, nsc_real length)
{
    if (d->rest <= 0)
        return d->stiffness;
    return length > d->rest ? d->stiffness * (length - d->rest) / length : 0;
}

/* Fill the spring's rows into its block; the caller sets the block's bodies.  scale: of the last
   step's impulse, as warm start; negative: keep those in the block. */
NSCI_OWN_FRAME void nsci_fill_spring(const nsc_world *w, const nsc_spring *p, const nsci_scheme *s,
                                     nsc_real scale, nsc_block *k)
{
    const nsc_spring_def *d = &p->def;
    nsc_vec3 t[3];
    nsci_line l;
    int i;
    nsci_place_spring(w, d, &l);
    t[0] = l.along;
    nsci_tangents(l.along, &t[1], &t[2]);
    k->kind = NSC_BLOCK_BOX;
    k->rows = (unsigned char)(s->mode == NSCI_EXPLICIT ? 1 : 3);
    k->mu = 0;
    nsci_set_arms(k, l.ra, l.rb);
    for (i = 0; i < k->rows; i++) {
        NSCI_PUT_ROW(k, i, t[i], nsci_fill_row(k->J[i], t[i], l.ra, l.rb));
        k->lo[i] = -NSC_REAL_MAX;
        k->hi[i] = NSC_REAL_MAX;
        if (scale >= 0)
            k->lambda[i] = scale * nsci_dot3(p->impulse, t[i]);
    }
    nsci_soften(w, s, k, 0, d->stiffness, d->damping, l.length - d->rest, 0, 0);
    for (i = 1; i < k->rows; i++)
        nsci_soften(w, s, k, i, nsci_spring_across(d, l.length), 0, 0, 0, 0);
}

/* ---- adding, removing, reading */

NSC_API nsc_spring_def nsc_default_spring_def(nsc_id body_a, nsc_id body_b)
{
    nsc_spring_def d;
    nsci_clear(&d, sizeof d);
    d.body_a = body_a;
    d.body_b = body_b;
    return d;
}

/* Checks all members but the bodies. */
static int nsci_check_spring_law(nsci_why *note, const nsc_spring_def *d)
{
    int code = nsci_check_members(note, d, NSCI_nsc_spring_def_point_a,
                                  NSCI_nsc_spring_def_damping);
    if (code < 0 || d->stiffness > 0 || d->damping > 0)
        return code;
    return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_SPRING, d->stiffness);
}

static void nsci_wake_spring(nsc_world *w, const nsc_spring *p)
{
    nsci_wake(&w->bodies[nsci_body_of(w, p->def.body_a)]);
    nsci_wake(&w->bodies[nsci_body_of(w, p->def.body_b)]);
    nsci_forget_rates(w);
}

NSC_API nsc_id nsc_world_add_spring(nsc_world *w, const nsc_spring_def *def)
{
    nsc_spring *p;
    uint16_t generation;
    int i, code = nsci_enter(w);
    if (code < 0)
        return code;
    if (!def)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    code = nsci_check_ends(w, def->body_a, def->body_b);
    if (code == NSC_OK)
        code = nsci_check_spring_law(&w->note, def);
    if (code < 0)
        return code;
    i = nsci_free_slot(w, NSCI_SPRING_HANDLE);
    if (i >= NSC_MAX_SPRINGS)
        return nsci_refused(&w->note, NSC_ERR_CAPACITY, NSCI_FULL_SPRINGS,
                            (nsc_real)NSC_MAX_SPRINGS);
    p = &w->springs[i];
    generation = (uint16_t)(p->generation + 1);
    NSC_MEMSET(p, 0, sizeof *p);
    NSC_MEMCPY(&p->def, def, sizeof p->def);
    p->generation = generation;
    if (i >= w->spring_end)
        w->spring_end = i + 1;
    nsci_wake_spring(w, p);
    return nsci_handle(w, NSCI_SPRING_HANDLE, i + 1, generation);
}

static void nsci_free_spring(nsc_world *w, int i)
{
    nsci_wake_spring(w, &w->springs[i]);
    w->springs[i].generation++;
    w->spring_end = nsci_new_end(w, NSCI_SPRING_HANDLE);
}

static void nsci_free_springs_of(nsc_world *w, nsc_id body)
{
    int i;
    for (i = w->spring_end - 1; i >= 0; i--)
        if (w->springs[i].generation % 2 &&
            (w->springs[i].def.body_a == body || w->springs[i].def.body_b == body))
            nsci_free_spring(w, i);
}

NSC_API int nsc_world_remove_spring(nsc_world *w, nsc_id id)
{
    int i = nsci_change(w, NSCI_SPRING_HANDLE, id);
    if (i < 0)
        return i;
    nsci_free_spring(w, i);
    return NSC_OK;
}

NSC_API int nsc_spring_get_def(const nsc_world *w, nsc_id id, nsc_spring_def *def)
{
    int i = nsci_find(w, NSCI_SPRING_HANDLE, id);
    if (i < 0)
        return i;
    if (def)
        NSC_MEMCPY(def, &w->springs[i].def, sizeof *def);
    return NSC_OK;
}

NSC_API int nsc_spring_set_def(nsc_world *w, nsc_id id, const nsc_spring_def *def)
{
    int i = nsci_change(w, NSCI_SPRING_HANDLE, id);
    int code = i < 0 ? i : nsci_check_spring_law(&w->note, def);
    if (code < 0)
        return code;
    if (def->body_a != w->springs[i].def.body_a || def->body_b != w->springs[i].def.body_b)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_OTHER_BODY,
                            (nsc_real)(def->body_a & 16383));
    if (def != &w->springs[i].def)
        NSC_MEMCPY(&w->springs[i].def, def, sizeof *def);
    nsci_wake_spring(w, &w->springs[i]);
    return NSC_OK;
}

NSC_API int nsc_spring_get_force(const nsc_world *w, nsc_id id, nsc_real *length, nsc_vec3 *force)
{
    int i = nsci_find(w, NSCI_SPRING_HANDLE, id);
    nsc_vec3 f;
    nsci_line l;
    if (i < 0)
        return i;
    nsci_place_spring(w, &w->springs[i].def, &l);
    f = nsci_mul_sv(nsci_per_time(w, 1), w->springs[i].impulse);
    if (!nsci_finite(l.length) || !nsci_vec_finite(f))
        return NSC_ERR_NOT_FINITE;
    if (length)
        *length = l.length;
    if (force)
        *force = f;
    return NSC_OK;
}

/* ---- springs in a step */

static void nsci_list_springs(nsc_world *w)
{
    int i;
    for (i = 0; i < w->spring_end; i++) {
        const nsc_spring *p = &w->springs[i];
        w->spring_sum[i] = nsci_vec(0, 0, 0);
        if (p->generation % 2 && !nsci_stays_off(w, p->def.body_a, p->def.body_b))
            nsci_add_link(w, NSCI_SPRING_LINK, i, p->def.body_a, p->def.body_b);
    }
}

static int nsci_fill_spring_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first,
                                 nsc_real scale, nsc_block *k)
{
    (void)first;
    k->a = nsci_inner_of(w, l->a);
    k->b = nsci_inner_of(w, l->b);
    nsci_fill_spring(w, &w->springs[l->item], s, scale, k);
    return 1;
}

static void nsci_take_spring(nsc_world *w, const nsci_link *l, const nsci_scheme *s,
                             nsc_real share)
{
    const nsc_block *k = &w->scratch.solve.blocks[l->block];
    nsc_vec3 *sum = &w->spring_sum[l->item];
    int r;
    (void)s;
    for (r = 0; r < k->rows; r++)
        *sum = nsci_add_sv(*sum, share * k->lambda[r], nsci_row_axis(k, r, 0));
}

/* Store the impulses of the step; a spring of a sleeping island keeps its force. */
static void nsci_store_springs(nsc_world *w, nsc_real h)
{
    nsc_real scale = w->last_h > 0 ? h / w->last_h : 1;
    int i;
    for (i = 0; i < w->spring_end; i++)
        if (nsci_stays_off(w, w->springs[i].def.body_a, w->springs[i].def.body_b))
            w->springs[i].impulse = nsci_vec(0, 0, 0);
    for (i = 0; i < w->first_contact; i++) {
        const nsci_link *l = &w->links[i];
        nsc_spring *p;
        if (l->kind != NSCI_SPRING_LINK)
            continue;
        p = &w->springs[l->item];
        p->impulse = nsci_rests(w, l->a) || nsci_rests(w, l->b) ? nsci_mul_sv(scale, p->impulse)
                                                                : w->spring_sum[l->item];
        p->impulse = nsci_clamp_finite3(p->impulse);
    }
}

#endif
