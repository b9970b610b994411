/* nsc_waves.h - SIPGS by vectors and on several cores; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_WAVES 1, or NSC_PARALLEL 1.
   Beside it: nsc_solvers.h, nsc_lanes.h.
   The bits are the same as without; it needs scratch, see below. */
#ifndef NSC_WAVES_H
#define NSC_WAVES_H
#ifndef NSC_WAVES
#define NSC_WAVES 0
#endif
#ifndef NSC_PARALLEL
#define NSC_PARALLEL 0
#endif

/* Scratch in reals with which SIPGS visits several pairs of bodies at a time, by vectors of x86-64
   and AArch64 and, with NSC_PARALLEL, on several cores.  It does so from 16 blocks on, if enough
   pairs can be visited together and the likely sweeps repay the packing.  A smaller arena serves
   part of the blocks; without one all are visited one by one.  The bits are the same.  The arena of
   another solver serves too, and is often larger.  A world without other solvers gets it by
       #define NSC_ARENA NSC_ARENA_WAVES(0L + NSC_MAX_BODIES, NSC_MAX_BLOCKS)
   NSC_ARENA_CORES is for several cores without vectors. */
#define NSC_ARENA_WAVES(bodies, blocks) (8 * (bodies) + 100 * (blocks))
#define NSC_ARENA_CORES(bodies, blocks) (7 * (bodies) + 30 * (blocks))

#elif defined(NSCI_CODE) /* nsc_solvers.h includes it again */

/* ---- waves: SIPGS on several cores and, with vectors, on several pairs of bodies at a time,
   with the bits of the plain loop.  A unit is the consecutive blocks of one pair of bodies.  Its
   wave is one after the latest wave of its movable bodies.  Units of one wave share no movable
   body, so none reads what another writes, and their order does not matter.  With several cores the
   next sweeps are put into waves together, which makes fewer and larger ones: a unit begins as soon
   as its bodies are free.  The squared defects are summed in the order of the blocks.  Scratch lies
   in the arena; without room, or where waves hold too few units, the plain loop runs. */

#define NSCI_FEWEST_BLOCKS 16   /* with fewer waves are not tried */
/* The number of a visit must be exact in a float. */
#define NSCI_MOST_BLOCKS (sizeof(int) < 4 ? 100 : 500000)
#define NSCI_AHEAD 10           /* sweeps put into waves together, at most 16 */
/* Visits that make a part of a wave worth a core.  Machines with lanes take less time for a visit,
   and mostly wait longer for another core. */
#ifndef NSCI_LEAST_SHARE
#define NSCI_LEAST_SHARE NSCI_USUAL_SHARE
#endif

#if NSCI_HAS_LANES
/* The vectors of a visit: of 32 bytes where the build has AVX2 (and GCC 12 or clang) */
#if defined(__AVX2__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define NSCI_WIDE 1
#endif
#endif
#ifdef NSCI_WIDE
typedef nsc_real nsci_wide __attribute__((vector_size(32), aligned(sizeof(nsc_real)), may_alias));
typedef long long nsci_mask __attribute__((vector_size(32)));
#else
typedef nsci_lanes nsci_wide;
typedef nsci_halves nsci_mask;
#endif
#define NSCI_USUAL_SHARE 3
#define NSCI_LANE_COUNT ((int)(sizeof(nsci_wide) / sizeof(nsc_real)))
/* One contact of each lane's unit */
typedef struct nsci_packed_row {
    nsci_wide d[9], arm_a[3], arm_b[3]; /* directions, arms */
    nsci_wide delassus[6], stick_inverse[3], eff_mass, mu, bias[3], lambda[3];
    nsci_wide step; /* of nsci_slide */
} __attribute__((may_alias)) nsci_packed_row;
/* Stands before the packed rows of a group.  An immovable body i is written -1 - i. */
typedef struct nsci_packed_head {
    nsci_wide mass_a[7], mass_b[7]; /* nsc_mass */
    int a[NSCI_LANE_COUNT], b[NSCI_LANE_COUNT]; /* bodies */
    int first[NSCI_LANE_COUNT], count[NSCI_LANE_COUNT]; /* blocks; count 0: an empty lane */
    int shortest[NSCI_LANE_COUNT]; /* in the first: the least count above 0 */
} __attribute__((may_alias)) nsci_packed_head;
#define NSCI_REALS(type) ((int)(sizeof(type) / sizeof(nsc_real)))
#else
#define NSCI_USUAL_SHARE 1
#endif

typedef struct nsci_waves {
    nsci_run *run;
    nsc_problem *p;
    int contacts, joints; /* 1: their usual visits, as in nsci_sipgs_sweep */
    int units;            /* 0: the plain loop */
    int groups;           /* of units that are visited together; without lanes each is one unit */
    nsc_real *room;       /* the rest of the arena */
    long left;            /* reals in it */
    nsc_real *first;      /* (units + 1) first block of each unit; a whole number, as all others but
                             defect, saved and the packed rows */
    nsc_real *free_at;    /* (bodies) wave from which on a body is free; -1: immovable */
    nsc_real *defect;     /* (sweeps made together x blocks) |e|^2 [m^2/s^2] */
#if NSCI_HAS_LANES
    nsc_real *order;      /* (units) by wave; NULL: no lanes, group i is unit i */
    nsc_real *begin;      /* (groups + 1) where each group begins in order */
    nsc_real *pack;       /* (groups + 1) where it begins in packed; empty: one unit, not packed */
    nsc_real *packed;     /* nsci_packed_head of each group, then its rows */
#endif
#if NSC_PARALLEL
    nsc_real *item;       /* (ahead x groups) 16 group + sweep, by waves; NULL: one core */
    nsc_real *end;        /* (waves) where each ends in item */
    nsc_real *saved;      /* (3 blocks + 6 bodies) lambda and v before the sweeps made together */
    int waves, ahead;     /* sweeps in them */
    int made, counted;    /* sweeps made together, and how many of them nsc_solve_sipgs counted */
    nsc_real change[NSCI_AHEAD]; /* of each */
    int from, to, shares; /* the present wave's items, and parts that share them */
    nsc_real before;      /* change of the last sweep but one */
#endif
} nsci_waves;

/* The next n reals of the arena, or NULL */
static nsc_real *nsci_take(nsci_waves *w, long n)
{
    nsc_real *x = w->room;
    if (w->left < n)
        return NULL;
    w->room += n;
    w->left -= n;
    return x;
}

/* Set `first` of all units.  0: no room, or rolling friction is not in the unit of its contact */
static int nsci_find_units(nsci_waves *w)
{
    const nsc_problem *p = w->p;
    int k;
    w->first = nsci_take(w, p->block_count + 1);
    w->free_at = nsci_take(w, p->body_count);
    if (!w->first || !w->free_at)
        return 0;
    for (k = 0; k < p->block_count; k++) {
        const nsc_block *b = &p->blocks[k];
        if (k > 0 && b->a == b[-1].a && b->b == b[-1].b)
            continue;
        if (NSCI_KIND_OF(b) == NSC_BLOCK_ROLLING)
            return 0;
        w->first[w->units++] = (nsc_real)k;
    }
    w->first[w->units] = (nsc_real)k;
    w->groups = w->units;
    return 1;
}

#if NSCI_HAS_LANES
/* Units of group i stand at nsci_begin_of(w, i) .. nsci_begin_of(w, i + 1) - 1 in the order. */
static int nsci_begin_of(const nsci_waves *w, int i) { return w->order ? (int)w->begin[i] : i; }
static int nsci_unit_at(const nsci_waves *w, int i) { return w->order ? (int)w->order[i] : i; }

/* Ranks of units in a wave: 0: not for lanes, 1..4: so many contacts, 4: or more */
#define NSCI_RANKS 5
static int nsci_lane_rank(const nsci_waves *w, int unit)
{
    const nsc_block *k = &w->p->blocks[(int)w->first[unit]];
    const nsc_block *end = &w->p->blocks[(int)w->first[unit + 1]];
    int n = (int)(end - k);
    if (k->a == k->b)
        return 0;
    for (; k < end; k++)
        if (k->no_stick || k->form != NSC_ROWS_AT_ARMS || k->soft)
            return 0;
    return n < NSCI_RANKS ? n : NSCI_RANKS - 1;
}
#else
#define nsci_begin_of(w, i) (i)
#define nsci_unit_at(w, i) (i)
#define nsci_lane_rank(w, unit) 0
#endif

/* Wave of the next visit of group i */
static nsc_real nsci_next_wave(nsci_waves *w, int i)
{
    int pass, j;
    int end = nsci_begin_of(w, i + 1);
    nsc_real wave = 0;
    for (pass = 0; pass < 2; pass++)
        for (j = nsci_begin_of(w, i); j < end; j++) {
            const nsc_block *k = &w->p->blocks[(int)w->first[nsci_unit_at(w, j)]];
            nsc_real *a = w->free_at + k->a;
            nsc_real *b = w->free_at + k->b;
            if (pass == 0)
                wave = nsci_max(wave, nsci_max(*a, *b));
            if (pass == 1 && *a >= 0)
                *a = wave + 1;
            if (pass == 1 && *b >= 0)
                *b = wave + 1;
        }
    return wave;
}

/* Sort the visits of all groups in so many sweeps by wave, rank and group; 16 group + sweep stands
   for a visit.  key: (sweeps x groups) work; end: (most x ranks) where each wave and rank ends.
   Returns the number of waves, 0 if there are more than `most`. */
static int nsci_sort_visits(nsci_waves *w, int sweeps, int ranks, int most, nsc_real *key,
                            nsc_real *end, nsc_real *visit)
{
    int i, t;
    int waves = 0;
    int n = w->p->body_count;
    for (i = 0; i < n; i++)
        w->free_at[i] = (nsc_real)-nsci_is_immovable(&w->p->masses[i]);
    nsci_clear(end, sizeof *end * (size_t)most * (size_t)ranks);
    for (t = 0; t < sweeps; t++)
        for (i = 0; i < w->groups; i++) {
            nsc_real free = nsci_next_wave(w, i); /* below t only between immovable bodies */
            int wave = (int)nsci_max(free, (nsc_real)t);
            int place = wave * ranks;
            if (wave >= most)
                return 0;
            place += ranks > 1 ? nsci_lane_rank(w, i) : 0;
            waves = wave < waves ? waves : wave + 1;
            key[i * sweeps + t] = (nsc_real)place;
            end[place] += 1;
        }
    for (i = 0, n = 0; i < waves * ranks; i++) {
        int count = (int)end[i];
        end[i] = (nsc_real)n;
        n += count;
    }
    for (i = 0; i < w->groups; i++)
        for (t = 0; t < sweeps; t++) {
            nsc_real *next = end + (int)key[i * sweeps + t];
            visit[(int)*next] = (nsc_real)(16 * i + t);
            *next += 1;
        }
    return waves;
}

/* Visit a block of a unit, between bodies 0 and 1 of `own`.  Returns its squared defect. */
static nsc_real nsci_visit_block(const nsci_waves *w, nsc_problem *own, nsc_block *k)
{
    nsc_real sum = 0;
    int count = 0;
    if (k->a != k->b && (w->contacts || w->joints))
        count = nsci_sipgs_pair(own, k, 1, w->contacts, w->joints, &sum);
    return count > 0 ? sum : nsci_sipgs_visit(own, k, w->run->settings);
}

/* The block in the place of k among begin..end where usual contacts in a row come the last first */
static nsc_block *nsci_turned_block(nsc_block *begin, nsc_block *end, nsc_block *k)
{
    nsc_block *from = k;
    nsc_block *to = k;
    while (nsci_is_usual(k) && from > begin && nsci_is_usual(from - 1))
        from--;
    while (nsci_is_usual(k) && to + 1 < end && nsci_is_usual(to + 1))
        to++;
    return from + (to - k);
}

/* Visit the blocks of a unit, turned or not as nsci_sipgs_pair does; the squared defects go to e in
   the order of the visits.  Meanwhile its blocks are between bodies 0 and 1 of a problem with
   velocities and masses of its own, because another core may read an immovable body at the same
   time. */
static void nsci_visit_unit(const nsci_waves *w, int unit, nsc_real *e)
{
    nsc_problem own = *w->p;
    nsc_block *begin = &own.blocks[(int)w->first[unit]];
    nsc_block *end = &own.blocks[(int)w->first[unit + 1]];
    nsc_block *k;
    int a = begin->a;
    int b = begin->b;
    int turns;
    nsc_real v[12];
    nsc_mass masses[2];
    nsc_real *va = own.v + 6 * a;
    nsc_real *vb = own.v + 6 * b;
    NSCI_COPY6(v, va);
    NSCI_COPY6(v + 6, vb);
    masses[0] = own.masses[a];
    masses[1] = own.masses[b];
    own.v = v;
    own.masses = masses;
    own.ground = a < own.ground;
    for (k = begin; k < end; k++) {
        k->a = 0;
        k->b = a != b;
    }
    e += begin - own.blocks;
    turns = w->p->turned && w->contacts && a != b;
    for (k = begin; k < end; k++)
        *e++ = nsci_visit_block(w, &own, turns ? nsci_turned_block(begin, end, k) : k);
    for (k = begin; k < end; k++) {
        k->a = (nsc_place)a;
        k->b = (nsc_place)b;
    }
    if (!nsci_is_immovable(&masses[0]))
        NSCI_COPY6(va, v);
    if (a != b && !nsci_is_immovable(&masses[1]))
        NSCI_COPY6(vb, v + 6);
}

#if NSCI_HAS_LANES
/* ---- lanes: NSCI_LANE_COUNT units of a wave at a time, operation by operation as in
   nsci_sipgs_contact.  A lane without a unit, or past its unit's last block, repeats the blocks of
   another lane, and its results are discarded. */

/* Transpose as many vectors as they have lanes. */
#ifdef NSC_DOUBLE
#define NSCI_SQRT_PACKED __builtin_ia32_sqrtpd
NSCI_INLINE void nsci_turn(nsci_lanes *x)
{
    nsci_lanes low = {x[0][0], x[1][0]}, high = {x[0][1], x[1][1]};
    x[0] = low;
    x[1] = high;
}
#else
#define NSCI_SQRT_PACKED __builtin_ia32_sqrtps
#ifdef __clang__
#define NSCI_MIX(name, a, b, c, d) \
    NSCI_INLINE nsci_lanes name(nsci_lanes x, nsci_lanes y) \
    { \
        return __builtin_shufflevector(x, y, a, b, c, d); \
    }
#else
typedef int nsci_places __attribute__((vector_size(16)));
#define NSCI_MIX(name, a, b, c, d) \
    NSCI_INLINE nsci_lanes name(nsci_lanes x, nsci_lanes y) \
    { \
        nsci_places from = {a, b, c, d}; \
        return __builtin_shuffle(x, y, from); \
    }
#endif
NSCI_MIX(nsci_mix_low, 0, 4, 1, 5)
NSCI_MIX(nsci_mix_high, 2, 6, 3, 7)
NSCI_MIX(nsci_join_low, 0, 1, 4, 5)
NSCI_MIX(nsci_join_high, 2, 3, 6, 7)
NSCI_INLINE void nsci_turn(nsci_lanes *x)
{
    nsci_lanes low = nsci_mix_low(x[0], x[1]);
    nsci_lanes high = nsci_mix_high(x[0], x[1]);
    nsci_lanes low2 = nsci_mix_low(x[2], x[3]);
    nsci_lanes high2 = nsci_mix_high(x[2], x[3]);
    x[0] = nsci_join_low(low, low2);
    x[1] = nsci_join_high(low, low2);
    x[2] = nsci_join_low(high, high2);
    x[3] = nsci_join_high(high, high2);
}
#endif

/* x = y, six numbers of each of the lanes of nsci_lanes, their memory at y[lane]; back: y = x */
NSCI_INLINE void nsci_swap_part(nsci_lanes *x, nsc_real *const *y, int back)
{
    enum { COUNT = sizeof *x / sizeof **y };
    nsci_lanes part[COUNT];
    int i, j;
    for (i = 0; i + COUNT <= 6; i += 2) { /* parts may overlap */
        for (j = 0; j < COUNT; j++)
            part[j] = back ? x[i + j] : NSCI_CONST_AT(y[j] + i);
        nsci_turn(part);
        for (j = 0; j < COUNT; j++)
            if (back)
                NSCI_AT(y[j] + i) = part[j];
            else
                x[i + j] = part[j];
    }
}

/* The same of all lanes */
#ifdef NSCI_WIDE
#ifdef NSC_DOUBLE
#define NSCI_LOW(x) __builtin_shufflevector(x, x, 0, 1)
#define NSCI_HIGH(x) __builtin_shufflevector(x, x, 2, 3)
#define NSCI_JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3)
#else
#define NSCI_LOW(x) __builtin_shufflevector(x, x, 0, 1, 2, 3)
#define NSCI_HIGH(x) __builtin_shufflevector(x, x, 4, 5, 6, 7)
#define NSCI_JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)
#endif
NSCI_INLINE void nsci_swap_lanes(nsci_wide *x, nsc_real *const *y, int back)
{
    nsci_lanes low[6], high[6];
    int i;
    for (i = 0; i < 6 && back; i++) {
        low[i] = NSCI_LOW(x[i]);
        high[i] = NSCI_HIGH(x[i]);
    }
    nsci_swap_part(low, y, back);
    nsci_swap_part(high, y + NSCI_LANE_COUNT / 2, back);
    for (i = 0; i < 6 && !back; i++)
        x[i] = NSCI_JOIN(low[i], high[i]);
}
#else
#define nsci_swap_lanes nsci_swap_part
#endif

NSCI_INLINE nsci_wide nsci_select(nsci_mask mask, nsci_wide x, nsci_wide y)
{
    return (nsci_wide)((mask & (nsci_mask)x) | (~mask & (nsci_mask)y));
}

NSCI_INLINE int nsci_all_lanes(nsci_mask mask)
{
    long long all = -1;
    int i;
    for (i = 0; i < (int)(sizeof mask / sizeof all); i++)
        all &= mask[i];
    return all == -1;
}

/* nsci_sum3 of each lane */
NSCI_INLINE nsci_wide nsci_lanes_sum(nsci_wide a, nsci_wide b, nsci_wide c, const nsci_wide *x)
{
    return a * x[0] + b * x[1] + c * x[2];
}

/* nsci_arm_velocity of each lane */
NSCI_INLINE void nsci_lanes_velocity(const nsci_wide *v, const nsci_wide *r, nsci_wide *x)
{
    x[0] = v[0] + (v[4] * r[2] - v[5] * r[1]);
    x[1] = v[1] + (v[5] * r[0] - v[3] * r[2]);
    x[2] = v[2] + (v[3] * r[1] - v[4] * r[0]);
}

/* nsci_add_impulse_at of each lane; s is 1 or -1 */
NSCI_INLINE void nsci_lanes_push(const nsci_wide *mass, const nsci_wide *x, const nsci_wide *r,
                                 nsci_wide *v)
{
    const nsci_wide *I = mass + 1;
    nsci_wide t[3];
    t[0] = r[1] * x[2] - r[2] * x[1];
    t[1] = r[2] * x[0] - r[0] * x[2];
    t[2] = r[0] * x[1] - r[1] * x[0];
    v[0] += mass[0] * x[0];
    v[1] += mass[0] * x[1];
    v[2] += mass[0] * x[2];
    v[3] += nsci_lanes_sum(I[0], I[3], I[4], t);
    v[4] += nsci_lanes_sum(I[3], I[1], I[5], t);
    v[5] += nsci_lanes_sum(I[4], I[5], I[2], t);
}

#if defined(__clang__) && __has_builtin(__builtin_elementwise_sqrt)
#define nsci_lanes_root(x) __builtin_elementwise_sqrt(x)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
#ifdef NSCI_WIDE
#define nsci_lanes_root(x) \
    NSCI_JOIN(NSCI_SQRT_PACKED(NSCI_LOW(x)), NSCI_SQRT_PACKED(NSCI_HIGH(x)))
#else
#define nsci_lanes_root(x) NSCI_SQRT_PACKED(x)
#endif
#else
NSCI_INLINE nsci_wide nsci_lanes_root(nsci_wide x)
{
    int i;
    for (i = 0; i < NSCI_LANE_COUNT; i++)
        x[i] = NSC_SQRT(x[i]);
    return x;
}
#endif

/* nsci_slide of each lane */
NSCI_INLINE void nsci_lanes_slide(const nsci_packed_row *k, const nsci_wide *u, nsci_wide *x,
                                  nsci_wide *d)
{
    const nsci_wide *G = k->delassus, zero = {0}, one = zero + NSC_R(1.0);
    nsci_wide normal = u[0];
    int pass, i;
    for (i = 0; i < 3; i++) {
        x[i] = k->lambda[i];
        d[i] = zero;
    }
    for (pass = 0; pass < 2; pass++) {
        nsci_wide r, a, b, t2, cut;
        nsci_mask inside;
        x[0] = x[0] - k->eff_mass * normal;
        x[0] = nsci_select((nsci_mask)(x[0] > zero), x[0], zero);
        d[0] = x[0] - k->lambda[0];
        x[1] -= k->step * (u[1] + G[1] * d[0] + G[3] * d[1] + G[4] * d[2]);
        x[2] -= k->step * (u[2] + G[2] * d[0] + G[4] * d[1] + G[5] * d[2]);
        r = k->mu * x[0];
        a = x[1] / r;
        b = x[2] / r;
        t2 = a * a + b * b;
        inside = (nsci_mask)(t2 <= one) |
                 ((nsci_mask)(x[1] == zero) & (nsci_mask)(x[2] == zero));
        cut = one / nsci_lanes_root(nsci_select(inside, one, t2));
        cut = nsci_select((nsci_mask)(r > zero), cut, zero);
        cut = nsci_select(inside, one, cut);
        x[1] *= cut; /* times 1 changes nothing */
        x[2] *= cut;
        d[1] = x[1] - k->lambda[1];
        d[2] = x[2] - k->lambda[2];
        normal = u[0] + G[0] * d[0] + G[1] * d[1] + G[2] * d[2];
    }
}

/* nsci_sipgs_contact of each lane */
NSCI_INLINE nsci_wide nsci_lanes_contact(const nsci_packed_head *h, nsci_packed_row *k,
                                          nsci_wide *a, nsci_wide *b)
{
    const nsci_wide *G = k->delassus, zero = {0};
    nsci_wide u[3], x[3], d[3], y[3];
    nsci_wide l1 = G[1] * k->eff_mass;
    nsci_wide l2 = G[2] * k->eff_mass;
    nsci_wide r1, r2, limit;
    nsci_mask stick;
    int i;
    nsci_lanes_velocity(b, k->arm_b, x);
    nsci_lanes_velocity(a, k->arm_a, y);
    for (i = 0; i < 3; i++)
        x[i] -= y[i];
    for (i = 0; i < 3; i++)
        u[i] = nsci_lanes_sum(k->d[3 * i], k->d[3 * i + 1], k->d[3 * i + 2], x) + k->bias[i];
    r1 = l1 * u[0] - u[1];
    r2 = l2 * u[0] - u[2];
    d[1] = k->stick_inverse[0] * r1 + k->stick_inverse[1] * r2;
    d[2] = k->stick_inverse[1] * r1 + k->stick_inverse[2] * r2;
    d[0] = -((k->eff_mass * u[0] + l1 * d[1]) + l2 * d[2]);
    x[0] = k->lambda[0] + d[0];
    x[1] = k->lambda[1] + d[1];
    x[2] = k->lambda[2] + d[2];
    limit = G[0] * k->mu * x[0];
    r1 = G[0] * x[1];
    r2 = G[0] * x[2];
    stick = (nsci_mask)(x[0] >= zero) &
            (nsci_mask)(limit * limit - (r1 * r1 + r2 * r2) >= zero) &
            ((nsci_mask)(u[0] < zero) | (nsci_mask)(k->lambda[0] > zero));
    if (!nsci_all_lanes(stick)) {
        nsci_wide slid[3], change[3];
        nsci_lanes_slide(k, u, slid, change);
        for (i = 0; i < 3; i++) {
            x[i] = nsci_select(stick, x[i], slid[i]);
            d[i] = nsci_select(stick, d[i], change[i]);
            u[i] = nsci_select(stick, u[i], G[0] * change[i]);
        }
    }
    k->lambda[0] = x[0];
    k->lambda[1] = x[1];
    k->lambda[2] = x[2];
    for (i = 0; i < 3; i++)
        x[i] = d[0] * k->d[i] + d[1] * k->d[3 + i] + d[2] * k->d[6 + i];
    nsci_lanes_push(h->mass_b, x, k->arm_b, b);
    for (i = 0; i < 3; i++)
        x[i] = -x[i];
    nsci_lanes_push(h->mass_a, x, k->arm_a, a);
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

static nsci_packed_head *nsci_head_of(const nsci_waves *w, int group)
{
    return (nsci_packed_head *)(w->packed + (int)w->pack[group]);
}

/* Visit the blocks of a packed group, turned or not; their squared defects go to e in the order of
   the visits.  A lane ends at its last row or, turned, begins there. */
static void nsci_visit_lanes(const nsci_waves *w, int group, nsc_real *e)
{
    const nsci_packed_head *h = nsci_head_of(w, group);
    nsci_packed_row *row = (nsci_packed_row *)(nsci_head_of(w, group) + 1);
    int rows = (int)((nsci_packed_row *)nsci_head_of(w, group + 1) - row);
    int turned = w->p->turned;
    int shortest = h->shortest[0];
    nsc_real *va[NSCI_LANE_COUNT], *vb[NSCI_LANE_COUNT], spare[6];
    nsc_real *to_a[NSCI_LANE_COUNT], *to_b[NSCI_LANE_COUNT];
    nsci_wide a[6], b[6], sum;
    int n, r, i;
    for (i = 0; i < NSCI_LANE_COUNT; i++) {
        va[i] = w->p->v + 6 * (h->a[i] < 0 ? -1 - h->a[i] : h->a[i]);
        vb[i] = w->p->v + 6 * (h->b[i] < 0 ? -1 - h->b[i] : h->b[i]);
    }
    for (n = 0; n < rows; n++) {
        r = turned ? rows - 1 - n : n;
        if (n == 0 || (turned && r + 1 >= shortest)) {
            nsci_swap_lanes(a, va, 0);
            nsci_swap_lanes(b, vb, 0);
        }
        sum = nsci_lanes_contact(h, row + r, a, b);
        for (i = 0; i < NSCI_LANE_COUNT; i++)
            if (r < h->count[i])
                e[h->first[i] + (turned ? h->count[i] - 1 - r : r)] = sum[i];
        if (turned ? r > 0 && r < shortest : r + 1 < shortest)
            continue;
        for (i = 0; i < NSCI_LANE_COUNT; i++) {
            int stays = turned ? r >= h->count[i] : r + 1 != h->count[i];
            to_a[i] = stays || h->a[i] < 0 ? spare : va[i];
            to_b[i] = stays || h->b[i] < 0 ? spare : vb[i];
        }
        nsci_swap_lanes(a, to_a, 1);
        nsci_swap_lanes(b, to_b, 1);
    }
}

/* Copy lambda from the packed rows to the blocks, or back. */
static void nsci_copy_lambda(const nsci_waves *w, int back)
{
    int g, i, n, r;
    for (g = 0; w->order && g < w->groups; g++) {
        nsci_packed_head *h = nsci_head_of(w, g);
        for (i = 0; h != nsci_head_of(w, g + 1) && i < NSCI_LANE_COUNT; i++) {
            nsci_packed_row *row = (nsci_packed_row *)(h + 1);
            nsc_block *k = w->p->blocks + h->first[i];
            for (n = h->count[i]; n > 0; n--, row++, k++)
                for (r = 0; r < 3; r++)
                    if (back)
                        row->lambda[r][i] = k->lambda[r];
                    else
                        k->lambda[r] = row->lambda[r][i];
        }
    }
}

static void nsci_pack_mass(nsci_wide *mass, const nsc_mass *m, int i)
{
    int j;
    mass[0][i] = m->inv_mass;
    for (j = 0; j < 6; j++)
        mass[1 + j][i] = m->inv_inertia[j];
}

/* Copy the numbers of a block into lane i of a row. */
static void nsci_pack_block(nsci_packed_row *row, const nsc_block *k, int i)
{
    const nsc_real *G = k->delassus;
    const nsc_real *d = nsci_axes(k, NSC_ROWS_AT_ARMS);
    nsc_real step = nsci_max(G[3], G[5]);
    int j;
    for (j = 0; j < 9; j++)
        row->d[j][i] = d[NSCI_APART * (j / 3) + j % 3];
    for (j = 0; j < 6; j++)
        row->delassus[j][i] = G[j];
    for (j = 0; j < 3; j++) {
        row->stick_inverse[j][i] = k->stick_inverse[j];
        row->bias[j][i] = k->bias[j];
        row->lambda[j][i] = k->lambda[j];
        row->arm_a[j][i] = k->arm_a[j];
        row->arm_b[j][i] = k->arm_b[j];
    }
    row->eff_mass[i] = k->eff_mass[0];
    row->mu[i] = k->mu;
    row->step[i] = step > NSC_R(1e-30) ? 1 / step : 0;
}

/* Pack the blocks of a group. */
static void nsci_pack_group(const nsci_waves *w, int group)
{
    const nsc_problem *p = w->p;
    nsci_packed_head *h = nsci_head_of(w, group);
    nsci_packed_row *row = (nsci_packed_row *)(h + 1);
    int begin = (int)w->begin[group];
    int units = (int)w->begin[group + 1] - begin;
    int longest = 0, i, n;
    h->shortest[0] = NSCI_MOST_BLOCKS;
    for (i = 0; i < NSCI_LANE_COUNT; i++) {
        int unit = (int)w->order[begin + (i < units ? i : 0)];
        const nsc_block *k = &p->blocks[(int)w->first[unit]];
        h->a[i] = nsci_is_immovable(&p->masses[k->a]) ? -1 - k->a : k->a;
        h->b[i] = nsci_is_immovable(&p->masses[k->b]) ? -1 - k->b : k->b;
        h->first[i] = (int)w->first[unit];
        h->count[i] = i < units ? (int)w->first[unit + 1] - h->first[i] : 0;
        longest = h->count[i] > h->count[longest] ? i : longest;
        if (i < units && h->count[i] < h->shortest[0])
            h->shortest[0] = h->count[i];
        nsci_pack_mass(h->mass_a, &p->masses[k->a], i);
        nsci_pack_mass(h->mass_b, &p->masses[k->b], i);
    }
    for (n = 0; n < h->count[longest]; n++, row++)
        for (i = 0; i < NSCI_LANE_COUNT; i++)
            nsci_pack_block(row, &p->blocks[h->first[n < h->count[i] ? i : longest] + n], i);
}

/* Cost of a visit in lanes, in tenths of that of one contact; sweeps that are likely to come */
#define NSCI_LANES_COST (NSCI_LANE_COUNT > 4 ? 20 : NSCI_LANE_COUNT > 2 ? 17 : 14)
#define NSCI_LIKELY_SWEEPS 10

/* Group the units of each wave, and pack the groups; `others`: reals to leave.  Returns 0 if the
   sweeps would gain less than the packing costs. */
static int nsci_begin_lanes(nsci_waves *w, long others)
{
    const nsc_settings *s = w->run->settings;
    int units = w->units;
    int most = units / 2;
    int waves, wave;
    int i = 0;
    int j, n;
    int groups = 0;
    long used = 0, room, gain = 0, packed = 0;
    nsc_real *order = nsci_take(w, units);
    nsc_real *begin = nsci_take(w, units + 1);
    nsc_real *pack = nsci_take(w, units + 1);
    nsc_real *key = w->room;
    nsc_real *end = key + units;
    if (!w->contacts || !pack || w->left < units + NSCI_RANKS * (long)most)
        return 0;
    room = w->left - others < 16000000 ? w->left - others : 16000000; /* exact in a float */
    waves = nsci_sort_visits(w, 1, NSCI_RANKS, most, key, end, order);
    for (j = 0; j < units && waves > 0; j++)
        order[j] /= 16; /* visits to units */
    for (wave = 0; wave < waves; wave++) {
        int scalar = (int)end[NSCI_RANKS * wave];
        int all = (int)end[NSCI_RANKS * wave + NSCI_RANKS - 1];
        for (; i < all; i += n, groups++) {
            int rows = 0, contacts = 0;
            long size;
            n = i < scalar ? 1 : all - i < NSCI_LANE_COUNT ? all - i : NSCI_LANE_COUNT;
            for (j = i; j < i + n; j++) {
                int unit = (int)order[j];
                int length = (int)(w->first[unit + 1] - w->first[unit]);
                rows = length > rows ? length : rows;
                contacts += length;
            }
            size = NSCI_REALS(nsci_packed_head) + rows * (long)NSCI_REALS(nsci_packed_row);
            begin[groups] = (nsc_real)i;
            pack[groups] = (nsc_real)used;
            if (n > 1 && used + size <= room) {
                used += size;
                gain += 10L * contacts - NSCI_LANES_COST * (long)rows;
                packed += contacts;
            } else {
                n = 1;
            }
        }
    }
    n = s->max_iterations < NSCI_LIKELY_SWEEPS ? s->max_iterations : NSCI_LIKELY_SWEEPS;
    if (waves == 0 || gain * n < 10 * ((packed + units) / 2))
        return 0;
    begin[groups] = (nsc_real)units;
    pack[groups] = (nsc_real)used;
    w->order = order;
    w->begin = begin;
    w->pack = pack;
    w->groups = groups;
    w->packed = nsci_take(w, used);
    for (i = 0; i < groups; i++)
        if (pack[i] < pack[i + 1])
            nsci_pack_group(w, i);
    return 1;
}

static void nsci_visit_group(const nsci_waves *w, int i, nsc_real *e)
{
    if (w->order && w->pack[i] < w->pack[i + 1]) {
        nsci_visit_lanes(w, i, e);
        return;
    }
    nsci_visit_unit(w, nsci_unit_at(w, nsci_begin_of(w, i)), e);
}
#else
#define nsci_copy_lambda(w, back) ((void)0)
#define nsci_begin_lanes(w, others) 0
#define nsci_visit_group(w, i, e) nsci_visit_unit(w, i, e)
#endif

/* Reals of the arena that nsci_begin_parallel takes for so many units (0: for lambda and v alone);
   without NSC_PARALLEL those for the defects of one sweep */
#if NSC_PARALLEL
#define NSCI_PARALLEL_ROOM(p, units) \
    (3L * (p)->block_count + 6L * (p)->body_count + \
     NSCI_AHEAD * (2L * (units) + ((units) > 0 ? (p)->block_count : 0)))

/* Visit one part's share of the present wave. */
static void nsci_wave_part(void *job, int part)
{
    const nsci_waves *w = (const nsci_waves *)job;
    int n = w->to - w->from;
    int i = w->from + (int)((long)n * part / w->shares);
    int end = w->from + (int)((long)n * (part + 1) / w->shares);
    for (; i < end; i++) {
        int visit = (int)w->item[i];
        int sweep = visit % 16;
        if (sweep < w->made)
            nsci_visit_group(w, visit / 16, w->defect + (long)sweep * w->p->block_count);
    }
}

static void nsci_make_sweeps(nsci_waves *w, int sweeps)
{
    const nsc_real *e = w->defect;
    nsc_real sum[NSCI_AHEAD];
    int i, t;
    w->made = sweeps;
    w->counted = 0;
    for (i = 0, w->from = 0; i < w->waves; i++, w->from = w->to) {
        w->to = (int)w->end[i];
        w->shares = (w->to - w->from) / NSCI_LEAST_SHARE;
        if (w->shares > w->p->parts)
            w->shares = w->p->parts;
        if (w->shares > 1) {
            w->p->parallel(w->p->user, nsci_wave_part, w, w->shares);
        } else {
            w->shares = 1;
            nsci_wave_part(w, 0);
        }
    }
    nsci_copy_lambda(w, 0);
    nsci_clear(sum, sizeof sum);
    for (i = 0; i < w->p->block_count; i++, e++)
        for (t = 0; t < sweeps; t++)
            sum[t] += e[(long)t * w->p->block_count];
    for (t = 0; t < sweeps; t++)
        w->change[t] = NSC_SQRT(sum[t]);
}

/* Keep lambda and v, or return to them. */
static void nsci_save_sweep(nsci_waves *w, int back)
{
    nsc_problem *p = w->p;
    nsc_real *v = w->saved + 3 * (long)p->block_count;
    size_t size = sizeof *v * 6 * (size_t)p->body_count;
    int k;
    for (k = 0; k < p->block_count; k++) {
        nsc_real *x = w->saved + 3 * (long)k;
        if (back)
            NSCI_COPY3(p->blocks[k].lambda, x);
        else
            NSCI_COPY3(x, p->blocks[k].lambda);
    }
    if (back)
        nsci_copy(p->v, v, size);
    else
        nsci_copy(v, p->v, size);
    if (back)
        nsci_copy_lambda(w, 1);
}

/* How many sweeps to make together.  The last must be the first one whose lambda nsci_look_now may
   ask for: checks are known, and the sweep that reaches the tolerance is predicted from the last
   two changes. */
static int nsci_sweeps_together(const nsci_waves *w)
{
    const nsci_run *run = w->run;
    const nsc_settings *s = run->settings;
    int n = 1;
    int most = s->check_interval - run->iterations % s->check_interval;
    nsc_real rate = w->before > 0 ? run->change / w->before : NSC_R(0.5);
    nsc_real change = rate * run->change;
    if (most > s->max_iterations - run->iterations)
        most = s->max_iterations - run->iterations;
    if (most > w->ahead)
        most = w->ahead;
    if (s->relative_tolerance > 0)
        most = 1; /* each sweep is asked for its change and its velocities */
    for (; n < most && !w->p->stop && rate * change > run->tolerance; n++)
        change *= rate;
    return n;
}

/* Make a sweep, or take the next that was made ahead.  If nsci_look_now will ask for its lambda, go
   back and make it the last. */
static nsc_real nsci_parallel_sweep(nsci_waves *w)
{
    nsc_real change;
    if (w->counted == w->made) {
        int sweeps = nsci_sweeps_together(w);
        if (sweeps > 1)
            nsci_save_sweep(w, 0);
        nsci_make_sweeps(w, sweeps);
    }
    change = w->change[w->counted++];
    if (w->counted < w->made && change <= w->run->tolerance) {
        int sweeps = w->counted;
        nsci_save_sweep(w, 1);
        nsci_make_sweeps(w, sweeps);
        w->counted = sweeps;
    }
    w->before = w->run->change;
    return change;
}

/* Put as many sweeps into waves as the arena holds; not if there are few groups a wave. */
static int nsci_begin_parallel(nsci_waves *w)
{
    nsc_problem *p = w->p;
    long groups = w->groups;
    long fixed = NSCI_PARALLEL_ROOM(p, 0);
    long sweeps;
    int most;
    nsc_real *key;
    if (!p->parallel || p->parts < 2)
        return 0;
    sweeps = 2 * (w->left - fixed) / (3 * groups + 2L * p->block_count);
    if (sweeps < 1)
        return 0;
    w->ahead = sweeps < NSCI_AHEAD ? (int)sweeps : NSCI_AHEAD;
    most = (int)(w->ahead * groups / (2 * NSCI_LEAST_SHARE));
    w->saved = nsci_take(w, fixed);
    w->defect = nsci_take(w, (long)w->ahead * p->block_count);
    w->item = nsci_take(w, w->ahead * groups);
    w->end = nsci_take(w, most);
    key = w->defect; /* used before */
    w->waves = nsci_sort_visits(w, w->ahead, 1, most, key, w->end, w->item);
    if (w->waves == 0)
        w->item = NULL;
    return w->waves > 0;
}
#else
#define NSCI_PARALLEL_ROOM(p, units) ((long)(p)->block_count)
#define nsci_begin_parallel(w) 0
#endif

/* Call it after nsci_begin.  It sets units to 0 where the plain loop shall run. */
static void nsci_begin_waves(nsci_waves *w, nsci_run *run)
{
    const nsc_settings *s = run->settings;
    nsc_problem *p = run->problem;
    int usual = nsci_abs(s->omega - 1) <= 0;
    int works = 0;
    nsci_clear(w, sizeof *w);
    w->run = run;
    w->p = p;
    w->room = p->arena;
    w->left = p->arena ? p->arena_size : 0;
    w->contacts = usual && s->law == NSC_LAW_COULOMB;
    w->joints = NSCI_FAST && usual;
    if (p->block_count >= NSCI_FEWEST_BLOCKS && p->block_count <= NSCI_MOST_BLOCKS &&
        !NSCI_MATRIX_OF(p) && !s->symmetric && nsci_find_units(w)) {
        works |= nsci_begin_lanes(w, NSCI_PARALLEL_ROOM(p, w->units));
        works |= nsci_begin_parallel(w);
        if (!w->defect)
            w->defect = nsci_take(w, p->block_count);
    }
    if (!works)
        w->units = 0;
}

/* Does one defect tell that the change is above the tolerance? */
static int nsci_is_far(const nsci_waves *w)
{
    nsc_real enough = 2 * w->run->tolerance * w->run->tolerance;
    int k = 0;
    while (k < w->p->block_count && !(w->defect[k] > enough))
        k++;
    return k < w->p->block_count;
}

/* nsci_sipgs_sweep by waves.  NSC_REAL_MAX stands for a change that is above the tolerance and will
   not be used, because the sum takes long.  lambda is in the blocks where nsci_look_now or a
   callback may ask for it. */
static nsc_real nsci_wave_sweep(nsci_waves *w)
{
    const nsc_settings *s = w->run->settings;
    int k;
    int n = w->run->iterations + 1;
    int looks = n % s->check_interval == 0 || n >= s->max_iterations || s->relative_tolerance > 0;
    nsc_real sum = 0;
    NSCI_IF(NSC_PARALLEL, if (w->item) return nsci_parallel_sweep(w);)
    for (k = 0; k < w->groups; k++)
        nsci_visit_group(w, k, w->defect);
    if (!looks && n > 1 && !w->p->watch && !w->p->stop && nsci_is_far(w))
        return NSC_REAL_MAX;
    for (k = 0; k < w->p->block_count; k++)
        sum += w->defect[k];
    sum = NSC_SQRT(sum);
    if (looks || w->p->stop || sum <= w->run->tolerance)
        nsci_copy_lambda(w, 0);
    return sum;
}

#define NSCI_BEGIN_WAVES \
    nsci_waves waves; \
    nsci_begin_waves(&waves, &run)
#define NSCI_SWEEP(p, s, backward) \
    (waves.units > 0 ? nsci_wave_sweep(&waves) : nsci_sipgs_sweep(p, s, backward))

#endif
