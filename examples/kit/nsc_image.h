/* nsc_image.h - portable snapshots: save, load, hash
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h.

   One walk over the state measures, writes, hashes, checks and loads, so that none of them can
   forget a member.  Image, little-endian: "NSCW", version (2 bytes), sizeof(nsc_real) (2), length
   (4), CRC-32 of all the rest (4); definition, clock, report; a table of the slots of bodies,
   shapes, joints and springs; the contents of the slots in use; contacts; events.  The tables come
   first, so that references in a record can be checked before anything is loaded.  The map of a
   record lists its members in their order, with their ranges. */
#ifndef NSC_IMAGE_H
#define NSC_IMAGE_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

NSCI_C_BEGIN

/* ---- snapshots.  memcpy of the world is quick; this one is portable.  What nsc_calls gives to a
   step is in neither: pass the same solver, callbacks and rows again. */

/* Bytes of the image nsc_world_save would write now; NSC_ERR_ARGUMENT: NULL. */
NSC_API int nsc_world_save_size(const nsc_world *world);

/* Write an image of the state: version, configuration, checksum, little-endian on every machine.
   It leaves out contacts of yours that wait for the next step.  Returns the bytes written, or
   NSC_ERR_CAPACITY (size, in bytes, is too small), NSC_ERR_ARGUMENT (NULL). */
NSC_API int nsc_world_save(const nsc_world *world, void *image, int size);

/* Set an initialised world to the image's state: it goes on with the same bits.  The image may come
   from another machine and from a build with other capacities; other bytes may follow it.
   NSC_ERR_ARGUMENT: damaged, truncated or foreign, or with a hull, height field or mesh that
   the world's tables do not have; NSC_ERR_CONFIG: of another version, real type or NSC_JOINT_AXES,
   or of a build with NSC_LOCKS, NSC_BELTS, NSC_WORDS, NSC_FAR, NSC_SECOND_LOOK or NSC_BARRIER for
   one without or the reverse; NSC_ERR_CAPACITY: does not fit.  The world is then as it was.  The
   image is read twice, first to check it; if it changes meanwhile and is refused, the world is
   left empty.  Until the next step nsc_world_island tells zeros and nsc_body_get_island -1.  Cost:
   twice through the image, and once through the world to clear it. */
NSC_API int nsc_world_load(nsc_world *world, const void *image, int size);

/* Hash of all that the next steps depend on: equal worlds have equal hashes on every machine,
   and at every capacity that had room, but for NSC_JOINT_AXES.  It leaves out results (report,
   events, step_count, accelerations, forces of joints, approach and matched of contacts), and
   contacts of yours that wait.  Never fails; 0 for NULL. */
NSC_API uint32_t nsc_world_hash(const nsc_world *world);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_IMAGE_DONE)
#define NSC_IMAGE_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

#ifdef NSC_DOUBLE
typedef uint64_t nsci_bits;
#else
typedef uint32_t nsci_bits;
#endif
enum { NSCI_MEASURE = 1, NSCI_WRITE = 2, NSCI_HASH = 3, NSCI_READ = 4 };
enum {
    NSCI_IMAGE_VERSION =
        13 + 0x100 * NSC_LOCKS + 0x200 * NSC_BELTS + 0x400 * NSC_BARRIER + 0x800 * NSC_WORDS +
        0x1000 * NSC_FAR + 0x2000 * NSC_SECOND_LOOK
};
enum { NSCI_IMAGE_CRC = 12, NSCI_IMAGE_HEADER = 16, NSCI_SLOT_SIZE = 12 };
/* Kinds of handle, less 1.  No record refers to a spring. */
enum {
    NSCI_SLOTS_OF_BODIES = 0,
    NSCI_SLOTS_OF_SHAPES = 1,
    NSCI_SLOTS_OF_JOINTS = 2,
    NSCI_SLOTS_OF_SPRINGS = 3
};
#define NSCI_IMAGE_MAGIC UINT32_C(0x5743534e)
#define NSCI_INT_MAX ((uint32_t)((unsigned)-1 >> 1))

typedef struct nsci_tape {
    int mode, code;          /* code: the first refusal */
    const nsc_world *from;   /* NULL when reading */
    nsc_world *to;           /* NULL except in the last pass of loading */
    const unsigned char *in;
    unsigned char *out;
    uint32_t at, size, hash;
    uint32_t table[4];       /* where the slots begin in the image */
    int slots[4];
    int tag;
    int blocks, manifolds;   /* counted so far */
    int last_manifold;       /* highest manifold of a contact, plus 1 */
    /* Tables of the world to be loaded, which keeps them */
    NSCI_IF(NSCI_HULLS, const nsc_hull *const *hulls; int hull_count;)
    NSCI_IF(NSC_TERRAIN, const nsc_heights *const *fields; int field_count;)
    NSCI_IF(NSC_MESHES, const nsc_mesh *const *meshes; int mesh_count;)
    nsci_why note, why;      /* note: the last failed check; why: the first refusal */
    void *record;            /* begun last, with its offset in the world and its size */
    size_t place, record_size;
} nsci_tape;

static void nsci_tape_refuse(nsci_tape *t, int code)
{
    if (t->code < 0)
        return;
    t->code = code;
    if (t->note.code == NSC_OK)
        nsci_refused(&t->note, code, code == NSC_ERR_CONFIG ? NSCI_OTHER_BUILD : NSCI_BAD_IMAGE,
                     (nsc_real)t->at);
    t->note.code = (int16_t)code;
    t->why = t->note; /* later checks overwrite the note */
}

/* Reading only: refuse the image unless `holds`. */
static void nsci_tape_demand(nsci_tape *t, int holds)
{
    if (t->mode == NSCI_READ && !holds)
        nsci_tape_refuse(t, NSC_ERR_ARGUMENT);
}

/* The same for the code of a check: NSC_ERR_CAPACITY is passed on, every other error becomes
   NSC_ERR_ARGUMENT. */
static void nsci_tape_check(nsci_tape *t, int code)
{
    if (t->mode == NSCI_READ && code < 0)
        nsci_tape_refuse(t, code == NSC_ERR_CAPACITY ? code : NSC_ERR_ARGUMENT);
}

/* The same for a number above this build's room */
static void nsci_tape_fit(nsci_tape *t, int number, int room)
{
    nsci_tape_check(t, number > room ? NSC_ERR_CAPACITY : NSC_OK);
}

/* ---- numbers.  Each is written, hashed, or replaced by the image's; after a refusal by 0. */

/* FNV-1a */
static uint32_t nsci_hash_byte(uint32_t hash, uint32_t byte)
{
    return (hash ^ byte) * UINT32_C(16777619);
}

static uint32_t nsci_hash_word(uint32_t hash, uint32_t x)
{
    hash = nsci_hash_byte(hash, x & 255);
    hash = nsci_hash_byte(hash, x >> 8 & 255);
    hash = nsci_hash_byte(hash, x >> 16 & 255);
    return nsci_hash_byte(hash, x >> 24);
}

static uint32_t nsci_get_word(const unsigned char *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void nsci_put_word(unsigned char *to, uint32_t x)
{
    to[0] = (unsigned char)(x & 255);
    to[1] = (unsigned char)(x >> 8 & 255);
    to[2] = (unsigned char)(x >> 16 & 255);
    to[3] = (unsigned char)(x >> 24);
}

/* Go on by n bytes; returns 0 behind the end, or after a refusal. */
static int nsci_tape_advance(nsci_tape *t, uint32_t n)
{
    if (t->mode == NSCI_READ && t->size - t->at < n)
        nsci_tape_refuse(t, NSC_ERR_ARGUMENT);
    if (t->code < 0)
        return 0;
    t->at += n;
    return 1;
}

static void nsci_tape_byte(nsci_tape *t, uint8_t *x)
{
    uint32_t at = t->at;
    if (!nsci_tape_advance(t, 1))
        *x = 0;
    else if (t->mode == NSCI_WRITE)
        t->out[at] = *x;
    else if (t->mode == NSCI_HASH)
        t->hash = nsci_hash_byte(t->hash, *x);
    else if (t->mode == NSCI_READ)
        *x = t->in[at];
}

static void nsci_tape_32(nsci_tape *t, uint32_t *x)
{
    uint32_t at = t->at;
    if (!nsci_tape_advance(t, 4))
        *x = 0;
    else if (t->mode == NSCI_WRITE)
        nsci_put_word(t->out + at, *x);
    else if (t->mode == NSCI_HASH)
        t->hash = nsci_hash_word(t->hash, *x);
    else if (t->mode == NSCI_READ)
        *x = nsci_get_word(t->in + at);
}

/* Walk reals word by word, of a double the lower one first; any bits, as in a report. */
static void nsci_tape_bits(nsci_tape *t, nsc_real *x, int n)
{
    const unsigned words = sizeof *x / 4;
    uint32_t at = t->at;
    int i;
    unsigned k;
    if (!nsci_tape_advance(t, (uint32_t)n * words * 4)) {
        NSC_MEMSET(x, 0, (size_t)n * sizeof *x);
        return;
    }
    for (i = 0; i < n && t->mode != NSCI_MEASURE; i++) {
        nsci_bits bits, read = 0;
        NSC_MEMCPY(&bits, &x[i], sizeof bits);
        for (k = 0; k < words; k++, at += 4) {
            uint32_t word = (uint32_t)(bits >> 32 * k);
            if (t->mode == NSCI_WRITE)
                nsci_put_word(t->out + at, word);
            else if (t->mode == NSCI_HASH)
                t->hash = nsci_hash_word(t->hash, word);
            else
                read |= (nsci_bits)nsci_get_word(t->in + at) << 32 * k;
        }
        if (t->mode == NSCI_READ)
            NSC_MEMCPY(&x[i], &read, sizeof read);
    }
}

static void nsci_tape_16(nsci_tape *t, uint16_t *x)
{
    uint8_t low = (uint8_t)(*x & 255);
    uint8_t high = (uint8_t)(*x >> 8);
    nsci_tape_byte(t, &low);
    nsci_tape_byte(t, &high);
    *x = (uint16_t)(low | high << 8);
}

static void nsci_tape_id(nsci_tape *t, int32_t *x) { nsci_tape_32(t, (uint32_t *)x); }

/* An int may have 16 bits: refuse what overflows. */
static void nsci_tape_int(nsci_tape *t, int *x)
{
    int32_t wide = *x;
    nsci_tape_id(t, &wide);
    *x = (int)wide;
    nsci_tape_demand(t, (int32_t)*x == wide);
}

static void nsci_tape_flag(nsci_tape *t, uint8_t *x)
{
    int flag = *x;
    nsci_tape_int(t, &flag);
    nsci_tape_demand(t, flag == 0 || flag == 1);
    *x = (uint8_t)flag;
}

/* Walk a count; refuse one above this build's room. */
static int nsci_tape_count(nsci_tape *t, int count, int room)
{
    nsci_tape_int(t, &count);
    nsci_tape_demand(t, count >= 0);
    nsci_tape_fit(t, count, room);
    return t->code < 0 ? 0 : count;
}

static void nsci_tape_reals(nsci_tape *t, nsc_real *x, int n)
{
    int i, finite = 1;
    nsci_tape_bits(t, x, n);
    if (t->mode != NSCI_READ)
        return;
    for (i = 0; i < n; i++)
        finite &= nsci_finite(x[i]);
    nsci_tape_demand(t, finite);
}

static void nsci_tape_vec(nsci_tape *t, nsc_vec3 *v)
{
    nsc_real x[3];
    x[0] = v->x;
    x[1] = v->y;
    x[2] = v->z;
    nsci_tape_reals(t, x, 3);
    *v = nsci_vec_at(x);
}

/* ---- records.  A map has a line for each run of members of one type that follow each other in a
   structure: their number and rule.  Rules are those of >>checks for reals, and these. */
enum {
    NSCI_ANY_BITS = NSCI_RULES,  /* of a real */
    NSCI_BYTE,
    NSCI_FLAG,                   /* byte that is 0 or 1, as an int */
    NSCI_WORD,                   /* 32 bits */
    NSCI_INT,
    NSCI_ABSENT,                 /* real that this build does not have, written as 0 */
    NSCI_REFUSED                 /* likewise, but an image where it is > 0 does not fit */
};
#define NSCI_NOT_HASHED 128 /* added to a rule: no result depends on it */
typedef struct nsci_members {
    uint16_t begin, end;         /* offsets in the structure */
    unsigned char rule;
} nsci_members;
#define NSCI_MEMBERS(record, first, last, rule) \
    {offsetof(record, first), offsetof(record, last) + sizeof ((record *)NULL)->last, rule}
#define NSCI_MEMBER(record, member, rule) NSCI_MEMBERS(record, member, member, rule)
#define NSCI_LACK(rule, count) {0, (count) * sizeof(nsc_real), rule}
#define NSCI_WALK(t, map, record) \
    nsci_tape_map(t, map, (int)(sizeof(map) / sizeof *(map)), (unsigned char *)(record))

static void nsci_tape_pose(nsci_tape *t, unsigned char *at)
{
    nsc_pose p;
    NSC_MEMCPY(&p, at, sizeof p);
    nsci_tape_vec(t, &p.position);
    nsci_tape_reals(t, &p.orientation.w, 4);
    nsci_tape_check(t, nsci_check_pose(&t->note, &p));
    NSC_MEMCPY(at, &p, sizeof p);
}

/* Walk the next member, or all n bytes where these are reals; returns how many bytes it walked. */
static size_t nsci_tape_member(nsci_tape *t, int rule, unsigned char *at, size_t n)
{
    nsc_real lacking = 0;
    nsc_real *x = (nsc_real *)(void *)at;
    size_t i, reals = n / sizeof *x;
    switch (rule) {
    case NSCI_BYTE:
        nsci_tape_byte(t, at);
        return 1;
    case NSCI_FLAG:
        nsci_tape_flag(t, at);
        return 1;
    case NSCI_WORD:
        nsci_tape_32(t, (uint32_t *)(void *)at);
        return 4;
    case NSCI_INT:
        nsci_tape_int(t, (int *)(void *)at);
        return sizeof(int);
    case NSCI_VECTOR:
        nsci_tape_vec(t, (nsc_vec3 *)(void *)at);
        return sizeof(nsc_vec3);
    case NSCI_POSE:
        nsci_tape_pose(t, at);
        return sizeof(nsc_pose);
    case NSCI_ABSENT:
    case NSCI_REFUSED:
        nsci_tape_reals(t, &lacking, 1);
        if (rule == NSCI_REFUSED) {
            nsci_tape_demand(t, lacking >= 0);
            nsci_tape_fit(t, lacking > 0, 0);
        }
        return sizeof *x;
    case NSCI_ANY_BITS:
        nsci_tape_bits(t, x, (int)reals);
        return n;
    default:
        nsci_tape_reals(t, x, (int)reals);
        for (i = 0; i < reals && rule == NSCI_FROM_ZERO; i++)
            nsci_tape_demand(t, x[i] >= 0);
        return n;
    }
}

static void nsci_tape_map(nsci_tape *t, const nsci_members *map, int n, unsigned char *record)
{
    int i;
    for (i = 0; i < n && t->code == NSC_OK; i++) {
        nsci_members m;
        size_t at;
        NSCI_FETCH(&m, &map[i]);
        if (m.rule >= NSCI_NOT_HASHED && t->mode == NSCI_HASH)
            continue;
        for (at = m.begin; at < m.end;)
            at += nsci_tape_member(t, m.rule % NSCI_NOT_HASHED, record + at, m.end - at);
    }
}

/* Where the i-th record of an array begins in a world */
#define NSCI_PLACE(array, i) \
    (offsetof(nsc_world, array) + (size_t)(i) * sizeof *((nsc_world *)NULL)->array)

/* Begin a record: a copy of the world's, or zeros to read into (padding too, which is compared). */
static void nsci_tape_begin(nsci_tape *t, void *record, size_t place, size_t size)
{
    t->record = record;
    t->place = place;
    t->record_size = size;
    if (t->from)
        NSC_MEMCPY(record, (const unsigned char *)t->from + place, size);
    else
        NSC_MEMSET(record, 0, size);
}

/* End it: in the last pass of loading it goes to the world. */
static void nsci_tape_end(nsci_tape *t)
{
    if (t->to && t->code == NSC_OK)
        NSC_MEMCPY((unsigned char *)t->to + t->place, t->record, t->record_size);
}

/* Walk one member, or one element of an array, as a record of its own. */
static void nsci_tape_alone(nsci_tape *t, int rule, void *x, size_t place, size_t size)
{
    nsci_tape_begin(t, x, place, size);
    nsci_tape_member(t, rule, (unsigned char *)x, size);
    nsci_tape_end(t);
}

/* ---- definition and report */

static const nsci_members nsci_def_map[] NSCI_IN_FLASH = {
    NSCI_IF(NSC_BARRIER,
            NSCI_MEMBERS(nsc_world_def, barrier_distance, barrier_speed, NSCI_ANY_REAL),)
    NSCI_MEMBER(nsc_world_def, gravity, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_world_def, margin, match_distance, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_world_def, keep_manifolds, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, joint_recovery, sleep_speed, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_world_def, substeps, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, tag, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, solver.law, solver.max_iterations, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, solver.tolerance, solver.relative_tolerance, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_world_def, solver.stall_window, solver.warm_start, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, solver.omega, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_world_def, solver.symmetric, solver.max_factorizations, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, stepper, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, alpha, gamma, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_world_def, newton_steps, NSCI_INT),
    NSCI_MEMBER(nsc_world_def, newton_tolerance, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_world_def, contact_model, contact_law, NSCI_INT),
    NSCI_MEMBERS(nsc_world_def, contact_speed, contact_radius, NSCI_ANY_REAL)};

NSCI_OWN_FRAME void nsci_tape_def(nsci_tape *t)
{
    nsc_world_def d;
    nsci_tape_begin(t, &d, offsetof(nsc_world, def), sizeof d);
    NSCI_WALK(t, nsci_def_map, &d);
    if (t->mode == NSCI_READ)
        nsci_tape_check(t, nsci_check_world_def(&t->note, &d));
    t->tag = d.tag;
    nsci_tape_end(t);
}

static const nsci_members nsci_report_map[] NSCI_IN_FLASH = {
    NSCI_IF(NSC_BARRIER, NSCI_MEMBER(nsc_step_report, overlaps, NSCI_INT),)
    NSCI_MEMBERS(nsc_step_report, solver.status, solver.factorizations, NSCI_INT),
    NSCI_MEMBERS(nsc_step_report, solver.residual, solver.duality_gap, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_step_report, solver.worst_block, solver.skipped_rows, NSCI_INT),
    NSCI_MEMBERS(nsc_step_report, pairs, dropped, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, dropped_ever, NSCI_WORD),
    NSCI_MEMBERS(nsc_step_report, dropped_rolling, asleep, NSCI_INT),
    NSCI_MEMBERS(nsc_step_report, penetration, drift, NSCI_ANY_BITS),
    NSCI_MEMBER(nsc_step_report, newton_steps, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, newton_change, NSCI_ANY_BITS),
    NSCI_MEMBER(nsc_step_report, unsettled, NSCI_INT),
    NSCI_MEMBER(nsc_step_report, step_limit, NSCI_ANY_BITS),
    NSCI_IF(NSC_SECOND_LOOK, NSCI_MEMBERS(nsc_step_report, looks, unseen, NSCI_INT),)
    NSCI_MEMBERS(nsc_step_report, over_limit, limited_bounces, NSCI_INT)};

/* No result depends on a report, so any numbers are allowed; but islands bounds reads of the
   islands. */
NSCI_OWN_FRAME void nsci_tape_report(nsci_tape *t)
{
    nsc_step_report r;
    nsci_tape_begin(t, &r, offsetof(nsc_world, report), sizeof r);
    NSCI_WALK(t, nsci_report_map, &r);
    nsci_tape_demand(t, r.islands >= 0);
    nsci_tape_fit(t, r.islands, NSC_MAX_BODIES);
    nsci_tape_end(t);
}

/* Impulses are divided by last_h: demand a finite inverse. */
static void nsci_tape_clock(nsci_tape *t)
{
    nsc_real h;
    uint32_t count;
    int steady;
    nsci_tape_alone(t, NSCI_FROM_ZERO, &h, offsetof(nsc_world, last_h), sizeof h);
    nsci_tape_demand(t, !(h > 0) || nsci_finite(1 / h));
    nsci_tape_alone(t, NSCI_FROM_ZERO, &h, offsetof(nsc_world, undo_h), sizeof h);
    nsci_tape_alone(t, NSCI_FROM_ZERO, &h, offsetof(nsc_world, uneven), sizeof h);
    if (t->mode != NSCI_HASH || t->from->slack > 0)
        nsci_tape_alone(t, NSCI_FROM_ZERO, &h, offsetof(nsc_world, slack), sizeof h);
    if (t->mode != NSCI_HASH)
        nsci_tape_alone(t, NSCI_WORD, &count, offsetof(nsc_world, step_count), sizeof count);
    nsci_tape_alone(t, NSCI_INT, &steady, offsetof(nsc_world, steady), sizeof steady);
    nsci_tape_demand(t, steady >= 0 && steady <= 2);
}

/* ---- slots */

/* The properties of an object that other records need before it is loaded */
typedef struct nsci_slot {
    uint16_t generation, kind; /* kind 0: free */
    nsc_id body, other;        /* shape: index of its body, 0; joint, spring: body_a, body_b */
    NSCI_IF(NSCI_PADDED, int unused;)
} nsci_slot;

static nsci_slot nsci_make_slot(uint16_t generation, int kind, nsc_id body, nsc_id other)
{
    nsci_slot s;
    int live = generation % 2;
    s.generation = generation;
    s.kind = (uint16_t)(live ? kind : 0);
    s.body = live ? body : 0;
    s.other = live ? other : 0;
    return s;
}

#if NSC_MAX_JOINTS > 0
NSC_MAYBE_UNUSED static nsci_slot nsci_joint_slot(const nsc_joint *j)
{
    return nsci_make_slot(j->generation, j->def.kind, j->def.body_a, j->def.body_b);
}

NSC_MAYBE_UNUSED static void nsci_load_joint_slot(nsc_joint *j, const nsci_slot *s)
{
    j->generation = s->generation;
    j->def.kind = s->kind;
    j->def.body_a = s->body;
    j->def.body_b = s->other;
}
#endif

#if NSC_MAX_SPRINGS > 0
NSC_MAYBE_UNUSED static nsci_slot nsci_spring_slot(const nsc_spring *p)
{
    return nsci_make_slot(p->generation, 1, p->def.body_a, p->def.body_b);
}

NSC_MAYBE_UNUSED static void nsci_load_spring_slot(nsc_spring *p, const nsci_slot *s)
{
    p->generation = s->generation;
    p->def.body_a = s->body;
    p->def.body_b = s->other;
}
#endif

static nsci_slot nsci_slot_of(const nsc_world *w, int things, int i)
{
    switch (things) {
    case NSCI_SLOTS_OF_BODIES:
        return nsci_make_slot(w->bodies[i].generation, w->bodies[i].kind, 0, 0);
    case NSCI_SLOTS_OF_SHAPES:
        return nsci_make_slot(w->shapes[i].generation, w->shapes[i].def.kind, w->shapes[i].body, 0);
    NSCI_IF(NSCI_JOINTS, case NSCI_SLOTS_OF_JOINTS: return nsci_joint_slot(&w->joints[i]);)
    NSCI_IF(NSCI_SPRINGS, case NSCI_SLOTS_OF_SPRINGS: return nsci_spring_slot(&w->springs[i]);)
    default: return nsci_make_slot(0, 0, 0, 0);
    }
}

/* Number of slots up to the last ever used (the same in builds with other capacities); without a
   world, all */
static int nsci_slots_used(const nsc_world *w, int things)
{
    static const int room[4] = {NSC_MAX_BODIES, NSC_MAX_SHAPES, NSC_MAX_JOINTS, NSC_MAX_SPRINGS};
    int n = room[things];
    while (w && n > 0 && nsci_slot_of(w, things, n - 1).generation == 0)
        n--;
    return n;
}

static void nsci_tape_slot(nsci_tape *t, nsci_slot *s)
{
    nsci_tape_16(t, &s->generation);
    nsci_tape_16(t, &s->kind);
    nsci_tape_id(t, &s->body);
    nsci_tape_id(t, &s->other);
}

/* The slot, or an empty one where there is none */
static nsci_slot nsci_slot_at(const nsci_tape *t, int things, int i)
{
    nsci_slot s = nsci_make_slot(0, 0, 0, 0);
    const unsigned char *at;
    if (i < 0 || i >= t->slots[things])
        return s;
    if (t->mode != NSCI_READ)
        return nsci_slot_of(t->from, things, i);
    if (t->to) /* once loaded, from the world: the image may have changed */
        return nsci_slot_of(t->to, things, i);
    at = t->in + t->table[things] + (uint32_t)i * NSCI_SLOT_SIZE;
    s.generation = (uint16_t)(at[0] | at[1] << 8);
    s.kind = (uint16_t)(at[2] | at[3] << 8);
    s.body = (nsc_id)nsci_get_word(at + 4);
    s.other = (nsc_id)nsci_get_word(at + 8);
    return s;
}

static void nsci_check_slot(nsci_tape *t, int things, int i, const nsci_slot *s)
{
    static const unsigned char kinds[4] = {NSC_DYNAMIC_BODY, NSCI_LAST_SHAPE,
                                           NSCI_IF(NSCI_JOINTS, NSCI_LAST_JOINT)
                                               NSCI_UNLESS(NSCI_JOINTS, 0),
                                           1};
    nsci_slot body;
    int live = s->generation % 2;
    nsci_tape_demand(t, live ? s->kind >= 1 && s->kind <= kinds[things]
                             : s->kind == 0 && s->body == 0);
    nsci_tape_demand(t, s->other == 0 || (live && things >= NSCI_SLOTS_OF_JOINTS));
    if (things == NSCI_SLOTS_OF_BODIES && i == 0)
        nsci_tape_demand(t, s->generation == 1 && s->kind == NSC_STATIC_BODY);
    if (things != NSCI_SLOTS_OF_SHAPES || !live)
        return;
    body = nsci_slot_at(t, NSCI_SLOTS_OF_BODIES,
                        s->body >= 0 && s->body < NSC_MAX_BODIES ? (int)s->body : -1);
    nsci_tape_demand(t, body.generation % 2);
    if (s->kind >= NSC_SHAPE_HALF_SPACE)
        nsci_tape_demand(t, body.kind != NSC_DYNAMIC_BODY);
}

/* Load the whole slot: the record that follows reads it back. */
static void nsci_load_slot(nsc_world *w, int things, int i, const nsci_slot *s)
{
    int *const ends[4] = {&w->body_end, &w->shape_end, &w->joint_end, &w->spring_end};
    if (things == NSCI_SLOTS_OF_BODIES) {
        w->bodies[i].generation = s->generation;
        w->bodies[i].kind = s->kind;
    } else if (things == NSCI_SLOTS_OF_SHAPES) {
        w->shapes[i].generation = s->generation;
        w->shapes[i].def.kind = s->kind;
        w->shapes[i].body = (uint16_t)s->body;
    } else if (things == NSCI_SLOTS_OF_JOINTS) {
        NSCI_IF(NSCI_JOINTS, nsci_load_joint_slot(&w->joints[i], s);)
    } else {
        NSCI_IF(NSCI_SPRINGS, nsci_load_spring_slot(&w->springs[i], s);)
    }
    if (s->generation % 2)
        *ends[things] = i + 1;
}

static void nsci_tape_slots(nsci_tape *t, int things)
{
    int i;
    int n = nsci_tape_count(t, nsci_slots_used(t->from, things), nsci_slots_used(NULL, things));
    t->table[things] = t->at;
    t->slots[things] = n;
    nsci_tape_demand(t, n > 0 || things != NSCI_SLOTS_OF_BODIES);
    for (i = 0; i < n && t->code == NSC_OK; i++) {
        nsci_slot s = nsci_make_slot(0, 0, 0, 0);
        if (t->from)
            s = nsci_slot_of(t->from, things, i);
        nsci_tape_slot(t, &s);
        if (t->mode == NSCI_READ)
            nsci_check_slot(t, things, i, &s);
        if (t->to && t->code == NSC_OK)
            nsci_load_slot(t->to, things, i, &s);
    }
}

/* Slot of a handle, as nsci_find; an empty one if it is stale */
static nsci_slot nsci_slot_named(const nsci_tape *t, int things, nsc_id id)
{
    int i = (int)(id & 16383);
    nsci_slot s = nsci_slot_at(t, things, id < 0 ? -1 : i);
    int32_t upper = (int32_t)(things + 1) << 29 | (int32_t)t->tag << 25 |
                    (int32_t)(s.generation / 2 % 2048) << 14;
    int ground = things == NSCI_SLOTS_OF_BODIES && i == 0;
    if (s.generation % 2 == 0 || id != (ground ? NSC_GROUND : (upper | (int32_t)i)))
        s.generation = 0;
    return s;
}

static void nsci_demand_live(nsci_tape *t, int things, nsc_id id)
{
    nsci_tape_demand(t, nsci_slot_named(t, things, id).generation % 2);
}

/* Two different bodies */
static void nsci_demand_bodies(nsci_tape *t, nsc_id a, nsc_id b)
{
    nsci_demand_live(t, NSCI_SLOTS_OF_BODIES, a);
    nsci_demand_live(t, NSCI_SLOTS_OF_BODIES, b);
    nsci_tape_demand(t, a != b);
}

/* ---- bodies and shapes */

static const nsci_members nsci_body_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_body, position, orientation, NSCI_POSE),
    NSCI_MEMBERS(nsc_body, velocity, centre, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_body, mass, gravity_scale, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_body, still, NSCI_FROM_ZERO),
    NSCI_IF(NSC_IMU, NSCI_MEMBERS(nsc_body, acceleration, angular_acceleration,
                                       NSCI_VECTOR + NSCI_NOT_HASHED),)
    NSCI_UNLESS(NSC_IMU, NSCI_LACK(NSCI_ABSENT + NSCI_NOT_HASHED, 6),)
    NSCI_MEMBER(nsc_body, mass_given, NSCI_FLAG),
    NSCI_MEMBER(nsc_body, asleep, NSCI_FLAG),
    NSCI_MEMBER(nsc_body, particle, NSCI_FLAG),
    NSCI_IF(NSC_STEPPERS, NSCI_MEMBERS(nsc_body, rate, mean_rate, NSCI_ANY_REAL))
    NSCI_UNLESS(NSC_STEPPERS, NSCI_LACK(NSCI_ABSENT, 12))};

/* Inverses are stored bit by bit, and must equal those that this build computes.  A body that is
   not dynamic may keep a given mass, for when nsc_body_set_kind makes it so. */
static int nsci_check_body_mass(const nsc_body *b)
{
    nsc_real inv_mass = 0, inverse[6] = {0};
    int keeps = b->kind == NSC_DYNAMIC_BODY || (NSC_LOCKS && b->mass_given);
    if (b->mass < 0 || (b->mass > 0 && !keeps))
        return 0;
    if (b->mass > 0)
        inv_mass = 1 / b->mass;
    if (b->particle) {
        const nsc_real *I = b->inertia;
        if (!(b->mass > 0) || !b->mass_given || nsci_dot(I, I, 6) > 0)
            return 0;
    } else if (b->mass > 0) {
        if (nsci_check_inertia(NULL, b->inertia) < 0 || !nsci_sym_inverse(b->inertia, inverse))
            return 0;
    }
    return nsci_same_reals(&inv_mass, &b->inv_mass, 1) &&
           nsci_same_reals(inverse, b->inv_inertia, 6);
}

static int nsci_check_body_image(const nsc_body *b)
{
    nsc_real speed = nsci_dot3(b->velocity, b->velocity);
    nsc_real spin = nsci_dot3(b->angular_velocity, b->angular_velocity);
    if (b->kind == NSC_STATIC_BODY && speed + spin > 0)
        return 0;
    return nsci_check_body_mass(b) && !(b->particle && spin > 0);
}

/* What of a part is not used does not count in the hash. */
#if NSC_LOCKS
static const nsci_members nsci_locks_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_body, locks, NSCI_INT),
    NSCI_MEMBERS(nsc_body, linear_damping, angular_damping, NSCI_FROM_ZERO)};

static void nsci_tape_locks(nsci_tape *t, nsc_body *b)
{
    if (t->mode == NSCI_HASH && b->locks == 0 &&
        !(b->linear_damping > 0 || b->angular_damping > 0))
        return;
    NSCI_WALK(t, nsci_locks_map, b);
    nsci_tape_demand(t, b->locks >= 0 && b->locks < 2 * NSCI_DISABLED);
    nsci_tape_demand(t, !(b->locks & NSCI_DISABLED) || b->kind == NSC_STATIC_BODY);
}
#else
#define nsci_tape_locks(t, b) ((void)0)
#endif

#if NSC_BELTS
static void nsci_tape_belt(nsci_tape *t, nsc_vec3 *v)
{
    if (t->mode != NSCI_HASH || nsci_dot3(*v, *v) > 0)
        nsci_tape_vec(t, v);
}
#endif

#if NSC_WORDS
static void nsci_tape_user(nsci_tape *t, uint32_t *user)
{
    if (t->mode != NSCI_HASH || *user != 0)
        nsci_tape_32(t, user);
}
#endif

#if NSC_FAR
static void nsci_tape_rest(nsci_tape *t, nsc_vec3 *v)
{
    if (t->mode != NSCI_HASH || nsci_abs(v->x) + nsci_abs(v->y) + nsci_abs(v->z) > 0)
        nsci_tape_vec(t, v);
}
#endif

NSCI_OWN_FRAME void nsci_tape_body(nsci_tape *t, int i, const nsci_slot *s)
{
    nsc_body b;
    nsci_tape_begin(t, &b, NSCI_PLACE(bodies, i), sizeof b);
    b.generation = s->generation;
    b.kind = s->kind;
    NSCI_WALK(t, nsci_body_map, &b);
    nsci_tape_locks(t, &b);
    NSCI_IF(NSC_WORDS, nsci_tape_user(t, &b.user);)
    NSCI_IF(NSC_FAR, nsci_tape_rest(t, &b.rest);)
    if (t->mode == NSCI_READ)
        nsci_tape_demand(t, nsci_check_body_image(&b));
    nsci_tape_end(t);
}

/* A hull, height field or mesh is its index in the program's table.  Refuse one that the world to
   be loaded does not have. */
static void nsci_tape_data(nsci_tape *t, int kind, uint16_t index)
{
    int count = 0, reason = 0;
    NSCI_IF(NSCI_HULLS, if (kind == NSC_SHAPE_HULL) {
        count = t->hull_count;
        reason = NSCI_NO_HULL;
    })
    NSCI_IF(NSC_TERRAIN, if (kind == NSC_SHAPE_HEIGHT_FIELD) {
        count = t->field_count;
        reason = NSCI_NO_HEIGHTS;
    })
    NSCI_IF(NSC_MESHES, if (kind == NSC_SHAPE_MESH) {
        count = t->mesh_count;
        reason = NSCI_NO_MESH;
    })
    (void)kind;
    if (reason == 0) {
        nsci_tape_demand(t, index == 0);
        return;
    }
    if (t->mode == NSCI_HASH)
        nsci_tape_16(t, &index);
    if (t->mode == NSCI_READ && t->code == NSC_OK && index >= count)
        nsci_tape_check(t, nsci_refused(&t->note, NSC_ERR_ARGUMENT, reason, (nsc_real)index));
}

static const nsci_members nsci_shape_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_shape_def, sensor, NSCI_INT),
    NSCI_MEMBERS(nsc_shape_def, category, mask, NSCI_WORD),
    NSCI_MEMBER(nsc_shape_def, pose, NSCI_POSE),
    NSCI_MEMBER(nsc_shape_def, half, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_shape_def, radius, cohesion, NSCI_ANY_REAL)};

NSCI_OWN_FRAME void nsci_tape_shape(nsci_tape *t, int i, const nsci_slot *slot)
{
    nsc_shape s;
    nsci_tape_begin(t, &s, NSCI_PLACE(shapes, i), sizeof s);
    s.generation = slot->generation;
    s.body = (uint16_t)slot->body;
    s.def.kind = slot->kind;
    NSCI_WALK(t, nsci_shape_map, &s.def);
    NSCI_IF(NSC_BELTS, nsci_tape_belt(t, &s.def.surface_velocity);)
    NSCI_IF(NSC_WORDS, nsci_tape_user(t, &s.def.user);)
    if (t->mode == NSCI_READ)
        nsci_tape_check(t, nsci_check_shape_def(&t->note, &s.def));
    if (t->mode != NSCI_HASH)
        nsci_tape_16(t, &s.data);
    nsci_tape_data(t, s.def.kind, s.data);
    nsci_tape_end(t);
}

/* ---- joints */

#if NSC_MAX_JOINTS > 0
static int nsci_turns_or_slides(nsci_slot joint)
{
    int kind = joint.generation % 2 ? joint.kind : 0;
    return kind == NSC_JOINT_HINGE || kind == NSC_JOINT_SLIDER;
}

/* A gear joins two hinges or sliders on one base, or on static ones, and acts between the bodies
   they drive. */
static void nsci_check_gear_image(nsci_tape *t, const nsc_joint_def *d)
{
    nsci_slot a = nsci_slot_named(t, NSCI_SLOTS_OF_JOINTS, d->joint_a);
    nsci_slot b = nsci_slot_named(t, NSCI_SLOTS_OF_JOINTS, d->joint_b);
    nsci_slot base_a = nsci_slot_named(t, NSCI_SLOTS_OF_BODIES, a.body);
    nsci_slot base_b = nsci_slot_named(t, NSCI_SLOTS_OF_BODIES, b.body);
    nsci_tape_demand(t, nsci_turns_or_slides(a) && nsci_turns_or_slides(b));
    nsci_tape_demand(t, d->body_a == a.other && d->body_b == b.other);
    nsci_tape_demand(t, a.body == b.body ||
                            (base_a.kind == NSC_STATIC_BODY && base_b.kind == NSC_STATIC_BODY));
    nsci_tape_demand(t, nsci_abs(d->ratio) >= NSC_R(1e-6) && nsci_abs(d->ratio) <= NSC_R(1e6));
}

/* Check a joint's ends and axes, and that its blocks fit. */
static void nsci_check_joint_image(nsci_tape *t, const nsc_joint_def *d)
{
    int i, gear = d->kind == NSC_JOINT_GEAR;
    nsci_demand_bodies(t, d->body_a, d->body_b);
    if (gear)
        nsci_check_gear_image(t, d);
    nsci_tape_demand(t, d->collide == 0 || d->collide == 1);
    nsci_tape_demand(t, NSC_JOINT_AXES > 2 || nsci_axis(d->kind, NSC_JOINT_AXES % 3) == 0);
    for (i = 0; i < NSC_JOINT_AXES; i++)
        if (nsci_axis(d->kind, i) != 0 || (i == 0 && gear))
            nsci_tape_check(t, nsci_check_axis(&t->note, &d->axis[i], nsci_axis(d->kind, i)));
    t->blocks += nsci_joint_blocks(d);
    nsci_tape_fit(t, t->blocks, NSC_MAX_JOINT_BLOCKS);
}

static const nsci_members nsci_axis_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_axis_def, limited, drive, NSCI_INT),
    NSCI_MEMBERS(nsc_axis_def, lower, damping, NSCI_ANY_BITS),
    NSCI_MEMBER(nsc_axis_def, max_force, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_axis_def, friction, spring_rest, NSCI_ANY_BITS)};
/* Members that version 0.2 added, hashed only where used: other axes keep their hash. */
static const nsci_members nsci_new_axis_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_axis_def, force, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_axis_def, max_speed, armature, NSCI_ANY_BITS),
    NSCI_MEMBERS(nsc_axis_def, limit_stiffness, limit_damping, NSCI_ANY_BITS)};

static void nsci_tape_axis(nsci_tape *t, nsc_axis_def *a)
{
    int extended = nsci_abs(a->force) > 0 || a->max_speed > 0 || a->armature > 0 ||
                   a->limit_stiffness > 0 || a->limit_damping > 0;
    NSCI_WALK(t, nsci_axis_map, a);
    if (extended || t->mode != NSCI_HASH)
        NSCI_WALK(t, nsci_new_axis_map, a);
}

static const nsci_members nsci_gear_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_joint_def, joint_a, joint_b, NSCI_WORD),
    NSCI_MEMBER(nsc_joint_def, ratio, NSCI_ANY_BITS)};
static const nsci_members nsci_frames_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_joint_def, frame_a, frame_b, NSCI_POSE)};

/* Members that the kind does not use may hold anything: no step reads them, none is hashed. */
static void nsci_tape_joint_def(nsci_tape *t, nsc_joint_def *d)
{
    int i;
    int all = t->mode != NSCI_HASH;
    int gear = d->kind == NSC_JOINT_GEAR;
    nsci_tape_int(t, &d->collide);
    if (all || gear)
        NSCI_WALK(t, nsci_gear_map, d);
    NSCI_WALK(t, nsci_frames_map, d);
    for (i = 0; i < NSC_JOINT_AXES; i++)
        if (all || nsci_axis(d->kind, i) != 0 || (i == 0 && gear && d->axis[0].spring > 0))
            nsci_tape_axis(t, &d->axis[i]);
}

static const nsci_members nsci_joint_map[] NSCI_IN_FLASH = {
    NSCI_MEMBER(nsc_joint, turns, NSCI_WORD),
    NSCI_MEMBERS(nsc_joint, offset, impulse, NSCI_ANY_REAL),
    NSCI_MEMBERS(nsc_joint, force_impulse, torque_impulse, NSCI_VECTOR + NSCI_NOT_HASHED)};

NSCI_OWN_FRAME void nsci_tape_joint(nsci_tape *t, int i, const nsci_slot *s)
{
    nsc_joint j;
    nsci_tape_begin(t, &j, NSCI_PLACE(joints, i), sizeof j);
    nsci_load_joint_slot(&j, s);
    nsci_tape_joint_def(t, &j.def);
    NSCI_WALK(t, nsci_joint_map, &j);
    if (t->mode == NSCI_READ)
        nsci_check_joint_image(t, &j.def);
    nsci_tape_end(t);
}
#else
#define nsci_tape_joint(t, i, s) ((void)0)
#endif

#if NSC_MAX_SPRINGS > 0
static const nsci_members nsci_spring_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_spring, def.point_a, def.point_b, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_spring, def.rest, def.damping, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_spring, impulse, NSCI_VECTOR)};

NSCI_OWN_FRAME void nsci_tape_spring(nsci_tape *t, int i, const nsci_slot *s)
{
    nsc_spring p;
    nsci_tape_begin(t, &p, NSCI_PLACE(springs, i), sizeof p);
    nsci_load_spring_slot(&p, s);
    NSCI_WALK(t, nsci_spring_map, &p);
    if (t->mode == NSCI_READ) {
        nsci_demand_bodies(t, s->body, s->other);
        nsci_tape_check(t, nsci_check_spring_law(&t->note, &p.def));
    }
    nsci_tape_end(t);
}
#else
#define nsci_tape_spring(t, i, s) ((void)0)
#endif

/* ---- contacts and events */

/* A build without rolling friction or smooth contact refuses coefficients > 0 of them. */
#define NSCI_ROLLING_MEMBERS \
    NSCI_IF(NSCI_ROLLING, NSCI_MEMBERS(nsc_contact, rolling, torsion, NSCI_FROM_ZERO), \
            NSCI_MEMBER(nsc_contact, moment, NSCI_VECTOR),) \
    NSCI_UNLESS(NSCI_ROLLING, NSCI_LACK(NSCI_REFUSED, 2), NSCI_LACK(NSCI_ABSENT, 3),)
static const nsci_members nsci_contact_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsc_contact, body_a, feature, NSCI_WORD),
    NSCI_MEMBER(nsc_contact, sensor, NSCI_BYTE),
    NSCI_MEMBER(nsc_contact, touching, NSCI_BYTE),
    NSCI_MEMBER(nsc_contact, matched, NSCI_BYTE + NSCI_NOT_HASHED),
    NSCI_MEMBER(nsc_contact, approach, NSCI_ANY_REAL + NSCI_NOT_HASHED),
    NSCI_MEMBERS(nsc_contact, point, normal, NSCI_VECTOR),
    NSCI_MEMBERS(nsc_contact, gap, damping, NSCI_ANY_REAL),
    NSCI_MEMBER(nsc_contact, impulse, NSCI_VECTOR),
    NSCI_ROLLING_MEMBERS
    NSCI_IF(NSC_SMOOTH, NSCI_MEMBERS(nsc_contact, hertz, cohesion, NSCI_FROM_ZERO),
            NSCI_MEMBER(nsc_contact, impact, NSCI_FROM_ZERO),
            NSCI_MEMBER(nsc_contact, shear, NSCI_VECTOR),
            NSCI_IF(NSCI_ROLLING, NSCI_MEMBER(nsc_contact, twist, NSCI_VECTOR))
            NSCI_UNLESS(NSCI_ROLLING, NSCI_LACK(NSCI_ABSENT, 3)))
    NSCI_UNLESS(NSC_SMOOTH, NSCI_LACK(NSCI_REFUSED, 1), NSCI_LACK(NSCI_ABSENT, 1),
                NSCI_LACK(NSCI_REFUSED, 1), NSCI_LACK(NSCI_ABSENT, 7))};

static int nsci_is_unit(nsc_vec3 v) { return nsci_abs(nsci_dot3(v, v) - 1) <= NSC_R(1e-3); }

/* Demand a shape of that body: contacts are deleted with their shapes. */
static void nsci_demand_shape(nsci_tape *t, nsc_id shape, nsc_id body)
{
    nsci_slot s = nsci_slot_named(t, NSCI_SLOTS_OF_SHAPES, shape);
    nsci_tape_demand(t, s.generation % 2 && s.body == (body & 16383));
}

static void nsci_check_contact_image(nsci_tape *t, const nsc_contact *c)
{
    nsci_tape_check(t, nsci_check_members(NULL, c, NSCI_nsc_contact_friction,
                                          NSCI_nsc_contact_damping));
    nsci_tape_demand(t, nsci_is_unit(c->normal));
    nsci_tape_demand(t, (c->matched | c->sensor | c->touching) <= 1);
    nsci_demand_bodies(t, c->body_a, c->body_b);
    if (c->shape_a < 0 && c->shape_b < 0)
        return;
    nsci_demand_shape(t, c->shape_a, c->body_a);
    nsci_demand_shape(t, c->shape_b, c->body_b);
}

/* Walk a pair's manifold with the first of its contacts.  A build without room has refused it. */
#if NSC_MAX_MANIFOLDS == 0
#define nsci_tape_manifold(t, place) ((void)(place))
#else
static const nsci_members nsci_manifold_map[] NSCI_IN_FLASH = {
    NSCI_MEMBERS(nsci_manifold, count, side, NSCI_BYTE),
    NSCI_MEMBER(nsci_manifold, normal, NSCI_VECTOR),
    NSCI_MEMBER(nsci_manifold, reach, NSCI_ANY_REAL),
    NSCI_MEMBER(nsci_manifold, limit, NSCI_FROM_ZERO)};

static void nsci_tape_manifold(nsci_tape *t, int place)
{
    nsci_manifold m;
    int i;
    if (place < 0 || t->code < 0)
        return;
    nsci_tape_begin(t, &m, NSCI_PLACE(manifolds, place), sizeof m);
    NSCI_WALK(t, nsci_manifold_map, &m);
    nsci_tape_demand(t, m.count >= 3 && m.count <= NSC_MANIFOLD && m.side <= 1);
    nsci_tape_demand(t, nsci_is_unit(m.normal));
    for (i = 0; i < m.count && t->code == NSC_OK; i++) {
        nsci_tape_32(t, &m.feature[i]);
        nsci_tape_vec(t, &m.on_a[i]);
        nsci_tape_vec(t, &m.on_b[i]);
        nsci_tape_reals(t, &m.gap[i], 1);
    }
    nsci_tape_end(t);
    if (t->to && t->to->manifold_end <= place)
        t->to->manifold_end = place + 1;
}
#endif

/* *before: manifold (plus 1) of the last contact, then of this one */
NSCI_OWN_FRAME void nsci_tape_contact(nsci_tape *t, int i, uint16_t *before)
{
    uint16_t place;
    nsc_contact c;
    nsci_tape_begin(t, &c, NSCI_PLACE(contacts, i), sizeof c);
    NSCI_WALK(t, nsci_contact_map, &c);
    NSCI_IF(NSC_BELTS, nsci_tape_belt(t, &c.surface_velocity);)
    if (t->mode == NSCI_READ)
        nsci_check_contact_image(t, &c);
    place = c.manifold;
    if (t->mode != NSCI_HASH)
        nsci_tape_16(t, &place);
    t->manifolds += place > 0 && place != *before;
    nsci_tape_fit(t, t->manifolds, NSC_MAX_MANIFOLDS);
    nsci_tape_demand(t, place == 0 || c.shape_a >= 0);
    if (place > t->last_manifold)
        t->last_manifold = place;
    c.manifold = (nsci_kept_at)place;
    /* Indices too high for this build: number the manifolds consecutively. */
    if (t->last_manifold > NSC_MAX_MANIFOLDS && place > 0)
        c.manifold = (nsci_kept_at)t->manifolds;
    nsci_tape_end(t);
    if (place != *before)
        nsci_tape_manifold(t, c.manifold - 1);
    *before = place;
}

/* Handles in events may be stale. */
#if NSC_MAX_EVENTS == 0
#define nsci_tape_event(t, i) ((void)0)
#else
static void nsci_tape_event(nsci_tape *t, int i)
{
    static const nsci_members map[] NSCI_IN_FLASH = {
        NSCI_MEMBERS(nsc_event, shape_a, kind, NSCI_WORD)};
    nsc_event e;
    nsci_tape_begin(t, &e, NSCI_PLACE(events, i), sizeof e);
    NSCI_WALK(t, map, &e);
    nsci_tape_demand(t, e.kind == NSC_TOUCH_BEGIN || e.kind == NSC_TOUCH_END);
    nsci_tape_end(t);
}
#endif

/* ---- the whole */

static void nsci_tape_start(nsci_tape *t, int mode, const nsc_world *from)
{
    NSC_MEMSET(t, 0, sizeof *t);
    t->mode = mode;
    t->from = from;
    t->hash = UINT32_C(2166136261);
}

/* Walk the objects in the slots in use. */
static void nsci_tape_things(nsci_tape *t, int things)
{
    int i;
    for (i = 0; i < t->slots[things] && t->code == NSC_OK; i++) {
        nsci_slot s = nsci_slot_at(t, things, i);
        if (s.generation % 2 == 0)
            continue;
        if (things == NSCI_SLOTS_OF_BODIES)
            nsci_tape_body(t, i, &s);
        else if (things == NSCI_SLOTS_OF_SHAPES)
            nsci_tape_shape(t, i, &s);
        else if (things == NSCI_SLOTS_OF_JOINTS)
            nsci_tape_joint(t, i, &s);
        else
            nsci_tape_spring(t, i, &s);
    }
}

/* Report, events and step count describe the past: no result depends on them, so they are not
   hashed. */
static void nsci_tape_world(nsci_tape *t)
{
    uint16_t before = 0;
    int i, n, things;
    nsci_tape_def(t);
    nsci_tape_clock(t);
    if (t->mode != NSCI_HASH)
        nsci_tape_report(t);
    for (things = 0; things < 4; things++)
        nsci_tape_slots(t, things);
    for (things = 0; things < 4; things++)
        nsci_tape_things(t, things);
    n = nsci_tape_count(t, t->from ? t->from->contact_count : 0, NSC_MAX_CONTACTS);
    if (t->to)
        t->to->contact_count = n;
    for (i = 0; i < n && t->code == NSC_OK; i++)
        nsci_tape_contact(t, i, &before);
    if (t->mode == NSCI_HASH)
        return;
    n = nsci_tape_count(t, t->from ? t->from->event_count : 0, NSC_MAX_EVENTS);
    if (t->to)
        t->to->event_count = n;
    for (i = 0; i < n && t->code == NSC_OK; i++)
        nsci_tape_event(t, i);
}

/* CRC-32 (IEEE 802.3) of an image, but for the four bytes that store it.  Of each word the eight
   digits of four bits are looked up at once; table[k]: contributions of digit k, the lowest
   first. */
NSCI_OWN_FRAME uint32_t nsci_image_crc(const unsigned char *image, uint32_t length)
{
    uint32_t table[8][16], crc = ~UINT32_C(0), i, k, sum;
    for (i = 0; i < 16; i++)
        for (k = 32, sum = i; k-- > 0;) {
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
            table[k / 4][i] = sum;
        }
    for (i = 0; length - i >= 4; i += i + 4 == NSCI_IMAGE_CRC ? 8 : 4) {
        crc ^= nsci_get_word(image + i);
        sum = table[0][crc & 15] ^ table[1][crc >> 4 & 15];
        sum ^= table[2][crc >> 8 & 15] ^ table[3][crc >> 12 & 15];
        sum ^= table[4][crc >> 16 & 15] ^ table[5][crc >> 20 & 15];
        crc = sum ^ table[6][crc >> 24 & 15] ^ table[7][crc >> 28];
    }
    for (; i < length; i++) {
        crc ^= image[i];
        crc = crc >> 8 ^ table[6][crc & 15] ^ table[7][crc >> 4 & 15];
    }
    return ~crc;
}

/* Walk the header; when reading, check its members. */
static void nsci_tape_header(nsci_tape *t, uint32_t length)
{
    uint32_t magic = NSCI_IMAGE_MAGIC, crc = 0;
    uint16_t version = NSCI_IMAGE_VERSION;
    uint16_t own = (uint16_t)(sizeof(nsc_real) NSCI_IF(NSCI_JOINTS, + 256 * (3 - NSC_JOINT_AXES)));
    uint16_t real = own;
    nsci_tape_32(t, &magic);
    nsci_tape_16(t, &version);
    nsci_tape_16(t, &real);
    nsci_tape_32(t, &length);
    nsci_tape_32(t, &crc);
    nsci_tape_demand(t,
                     magic == NSCI_IMAGE_MAGIC && length >= NSCI_IMAGE_HEADER && length <= t->size);
    if (t->mode != NSCI_READ || t->code < 0)
        return;
    if (!t->to)
        nsci_tape_demand(t, crc == nsci_image_crc(t->in, length));
    if (version != NSCI_IMAGE_VERSION || real != own)
        nsci_tape_refuse(t, NSC_ERR_CONFIG);
    t->size = length;
}

NSC_API int nsc_world_save_size(const nsc_world *w)
{
    nsci_tape t;
    if (!w)
        return NSC_ERR_ARGUMENT;
    nsci_tape_start(&t, NSCI_MEASURE, w);
    nsci_tape_header(&t, 0);
    nsci_tape_world(&t);
    return t.at <= NSCI_INT_MAX ? (int)t.at : NSC_ERR_CAPACITY;
}

NSC_API int nsc_world_save(const nsc_world *w, void *image, int size)
{
    nsci_tape t;
    int length = nsc_world_save_size(w);
    if (length < 0 || !w || !image)
        return length < 0 ? length : NSC_ERR_ARGUMENT;
    if (size < length)
        return NSC_ERR_CAPACITY;
    nsci_tape_start(&t, NSCI_WRITE, w);
    t.out = (unsigned char *)image;
    nsci_tape_header(&t, (uint32_t)length);
    nsci_tape_world(&t);
    nsci_put_word(t.out + NSCI_IMAGE_CRC, nsci_image_crc(t.out, (uint32_t)length));
    return length;
}

/* Walk a whole image: the first time to check it, then to load it into t->to. */
static void nsci_tape_image(nsci_tape *t, uint32_t size)
{
    t->at = 0;
    t->size = size;
    t->blocks = t->manifolds = 0;
    nsci_tape_header(t, 0);
    nsci_tape_world(t);
    nsci_tape_demand(t, t->at == t->size);
}

/* The tables are no part of an image: they go to the tape, and back to the world. */
#define nsci_keep_tables(to, from) \
    NSCI_IF(NSCI_HULLS, (to)->hulls = (from)->hulls; (to)->hull_count = (from)->hull_count;) \
    NSCI_IF(NSC_TERRAIN, (to)->fields = (from)->fields; (to)->field_count = (from)->field_count;) \
    NSCI_IF(NSC_MESHES, (to)->meshes = (from)->meshes; (to)->mesh_count = (from)->mesh_count)

NSC_API int nsc_world_load(nsc_world *w, const void *image, int size)
{
    nsci_tape t;
    int code = nsci_enter(w);
    if (code < 0)
        return code;
    if (!image)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, 0);
    if (size < 0)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_IMAGE, (nsc_real)size);
    nsci_tape_start(&t, NSCI_READ, NULL);
    t.in = (const unsigned char *)image;
    nsci_keep_tables(&t, w);
    nsci_tape_image(&t, (uint32_t)size);
    if (t.code == NSC_OK) {
        nsci_make_empty(w);
        t.to = w;
        nsci_tape_image(&t, (uint32_t)size);
        if (t.code < 0)
            nsci_make_empty(w); /* the image has changed since the first reading */
        nsci_keep_tables(w, &t);
    }
    if (t.code < 0)
        w->note = t.why;
    else
        NSC_MEMSET(w->island, 255, sizeof w->island); /* NSCI_NOWHERE */
    return t.code;
}

NSC_API uint32_t nsc_world_hash(const nsc_world *w)
{
    nsci_tape t;
    if (!w)
        return 0;
    nsci_tape_start(&t, NSCI_HASH, w);
    nsci_tape_world(&t);
    return t.hash;
}

NSCI_C_END
NSCI_BITS_END
#endif
