/* nsc_motion.h - v0.1.0 - what moves in a world, as a small image
   MIT licence at the end of the file.  Needs nsc.h, which it includes.

   DO THIS
       #define NSC_IMPLEMENTATION          in exactly one C or C++ file, then
       #include "nsc_motion.h"
   Everywhere else include it without the define.  The settings of nsc.h count here too.  Build it
   with the flags of nsc.h (-ffp-contract=off).

   EXAMPLE
       static unsigned char image[4096];

       size = nsc_world_save_motion(&world, image, (int)sizeof image, 0);
       ...                                                   any number of steps, forces, targets
       code = nsc_world_load_motion(&world, image, size);    back: the same steps, the same bits

   WHAT  An image of nsc_world_save describes a world; this one only what changes by stepping, for a
   world that is there already: rollback, replay beside a recording, many tries from one state.
       kept        pose, velocity, sleep of every body but the ground; forces that wait for the next
                   step; rates of HHT and NEWMARK; contacts with impulses and all the next step
                   matches them by; kept contact points of boxes and hulls; turns, angles and
                   impulses of joints; target, target velocity and force of their axes; impulses of
                   springs; step length, step count, dropped_ever
       compared    everything else the next step depends on, as a sum of 31 bits: the definition of
                   the world, slots in use and how often they were used, bodies, shapes, joints,
                   springs
       left out    report (but for contacts, asleep, dropped_ever), events, islands: as after
                   nsc_world_load they are of no step; contacts of yours that wait for the next
                   step; what tables of hulls, height fields and meshes hold.  Unless
                   NSC_MOTION_READINGS: what is read and not used, accelerations of bodies, forces
                   of joints, approach speeds of contacts without restitution, all 0 afterwards

   BITS  nsc_world_hash is the same after loading as it was when saving, and so is that of every
   step that follows, on every build with the same bits, also of other capacities.

   SIZE  tests/kit/test_motion.c prints it for 53 scenes and random worlds, in float.  About 25
   bytes, and a body 30 asleep, 50 that moves; a pair 15 to 30; each of its contacts 30 to 35, of
   boxes and hulls that keep their points 45; a joint 20 to 50.  In all, bytes a body: a pile of
   spheres 56, a quadruped 95, a stack of boxes 245, random worlds 123; one of seventy of these is
   above 250.  Of the stack nsc_world_save takes 1140.  NSC_MOTION_READINGS adds 24 a body that
   moves.

   HOW  Numbers that another foretells are written as the difference of their bits: a contact's
   point from the kept points and poses, a kept point of one shape from that of the other.  What is
   foretold wrongly takes a byte or four more and is as exact. */
#ifndef NSC_KIT_MOTION_H
#define NSC_KIT_MOTION_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#include <stdint.h>

#if NSC_FAR
#error "nsc_motion.h does not hold what NSC_FAR keeps of positions: use nsc_image.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { NSC_MOTION_READINGS = 1 }; /* accelerations and forces of the last step too */

/* Bytes the image takes now, or NSC_ERR_ARGUMENT (NULL, flags); NSC_ERR_CAPACITY: more than an int.
   Cost: as saving. */
NSC_API int nsc_world_motion_size(const nsc_world *world, int flags);

/* Write the image; returns its length in bytes, or NSC_ERR_ARGUMENT; NSC_ERR_CAPACITY: `size` bytes
   are too few.  flags: 0 or NSC_MOTION_READINGS.  Not within a callback of the world.  Cost: all
   slots once, about as much as nsc_world_hash; no memory, 1.5 KB of stack. */
NSC_API int nsc_world_save_motion(const nsc_world *world, void *image, int size, int flags);

/* Bring a world back to where the image was taken.  `size` must be the image's length.  Returns 0
   or an error, and then no state has changed:
       NSC_ERR_CONFIG      another world: other bodies, shapes, joints, springs or definition, or
                           numbers of another size
       NSC_ERR_CAPACITY    contacts or kept points do not fit
       NSC_ERR_ARGUMENT    NULL, or an image that is cut, damaged, or says what no world can hold
       NSC_ERR_BUSY        within a callback of the world
   nsc_world_last_refusal does not tell which.  Scratch is overwritten: problems from
   nsc_world_problem are no longer valid.  Cost: twice saving: the image is checked, then loaded. */
NSC_API int nsc_world_load_motion(nsc_world *world, const void *image, int size);

/* The sum that is compared: equal for worlds that take each other's images. */
NSC_API uint32_t nsc_world_frame(const nsc_world *world);

#ifdef __cplusplus
}
#endif
#endif /* NSC_KIT_MOTION_H */

/* ============================================================================================== */
#if defined(NSC_IMPLEMENTATION) && !defined(NSC_MOTION_DONE)
#define NSC_MOTION_DONE

#ifdef __cplusplus
extern "C" {
#endif

#ifdef NSC_DOUBLE
typedef uint64_t nsci_motion_bits;
#else
typedef uint32_t nsci_motion_bits;
#endif
enum { NSCI_MOTION_HEADER = 16, NSCI_MOTION_VERSION = 4 };
#define NSCI_MOTION_MAGIC UINT32_C(0x4d43534e) /* "NSCM" */
#define NSCI_MOTION_TOP ((nsci_motion_bits)1 << (8 * sizeof(nsci_motion_bits) - 1))

/* Bodies of the image are held in the world's scratch while it is read. */
typedef char nsci_motion_check_scratch[
    sizeof ((nsc_world *)NULL)->scratch >= NSC_MAX_BODIES * sizeof(nsci_start) ? 1 : -1];

typedef struct nsci_motion_tape {
    const nsc_world *from;   /* saving: the world; loading: its frame */
    nsc_world *to;           /* loading: the world, else NULL */
    int loads;               /* 1: second pass of loading */
    int readings;
    const unsigned char *in;
    unsigned char *out;      /* NULL: only measure */
    uint32_t at, size;
    uint32_t sum;            /* of all numbers so far */
    int code;                /* the first refusal */
    nsc_real last_h;
    int manifolds;           /* the highest place so far */
    nsc_contact before;      /* the contact before this one */
#if NSC_MAX_MANIFOLDS > 0
    nsci_manifold kept;      /* of the present pair */
#endif
} nsci_motion_tape;

/* ---- the sum: MurmurHash3 (Appleby, public domain), word by word */

static uint32_t nsci_motion_turn(uint32_t x, int by) { return x << by | x >> (32 - by); }

static uint32_t nsci_motion_add(uint32_t sum, uint32_t word)
{
    word = nsci_motion_turn(word * UINT32_C(0xcc9e2d51), 15) * UINT32_C(0x1b873593);
    return nsci_motion_turn(sum ^ word, 13) * 5 + UINT32_C(0xe6546b64);
}

static nsci_motion_bits nsci_motion_get(const nsc_real *x)
{
    nsci_motion_bits bits;
    NSC_MEMCPY(&bits, x, sizeof bits);
    return bits;
}

static uint32_t nsci_motion_add_bits(uint32_t sum, nsci_motion_bits bits)
{
    sum = nsci_motion_add(sum, (uint32_t)(bits & UINT32_C(0xffffffff)));
    return sizeof bits > 4 ? nsci_motion_add(sum, (uint32_t)(bits >> 4 * sizeof bits)) : sum;
}

/* ---- the frame: what must be alike */

enum { NSCI_MOTION_INT, NSCI_MOTION_WORD, NSCI_MOTION_REAL, NSCI_MOTION_VEC };
typedef struct nsci_motion_run {
    uint16_t begin, end; /* offsets in a structure */
    uint8_t kind;
} nsci_motion_run;
#define NSCI_MOTION_RUN(type, first, last, kind) \
    {(uint16_t)offsetof(type, first), \
     (uint16_t)(offsetof(type, last) + sizeof ((type *)NULL)->last), kind}
#define NSCI_MOTION_SUM(sum, runs, record) \
    nsci_motion_sum(sum, runs, (int)(sizeof(runs) / sizeof *(runs)), \
                    (const unsigned char *)(record))

static uint32_t nsci_motion_sum(uint32_t sum, const nsci_motion_run *runs, int n,
                                const unsigned char *record)
{
    int i;
    for (i = 0; i < n; i++) {
        size_t at = runs[i].begin;
        while (at < runs[i].end) {
            if (runs[i].kind == NSCI_MOTION_INT) {
                int x;
                NSC_MEMCPY(&x, record + at, sizeof x);
                sum = nsci_motion_add(sum, (uint32_t)(int32_t)x);
                at += sizeof x;
            } else if (runs[i].kind == NSCI_MOTION_WORD) {
                uint32_t x;
                NSC_MEMCPY(&x, record + at, sizeof x);
                sum = nsci_motion_add(sum, x);
                at += sizeof x;
            } else {
                nsc_real x[3];
                size_t k, reals = runs[i].kind == NSCI_MOTION_VEC ? 3 : 1;
                NSC_MEMCPY(x, record + at, reals * sizeof *x);
                for (k = 0; k < reals; k++)
                    sum = nsci_motion_add_bits(sum, nsci_motion_get(&x[k]));
                at += reals == 3 ? sizeof(nsc_vec3) : sizeof *x;
            }
        }
    }
    return sum;
}

static uint32_t nsci_motion_add_def(uint32_t sum, const nsc_world_def *d)
{
    static const nsci_motion_run runs[] = {
        NSCI_MOTION_RUN(nsc_world_def, gravity, gravity, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_world_def, margin, match_distance, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_world_def, keep_manifolds, keep_manifolds, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, joint_recovery, sleep_speed, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_world_def, substeps, stepper, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, alpha, gamma, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_world_def, newton_steps, newton_steps, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, newton_tolerance, newton_tolerance, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_world_def, contact_model, contact_law, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, contact_speed, contact_radius, NSCI_MOTION_REAL),
        NSCI_IF(NSC_BARRIER, NSCI_MOTION_RUN(nsc_world_def, barrier_distance, barrier_distance,
                                             NSCI_MOTION_REAL),)
        NSCI_IF(NSC_BARRIER, NSCI_MOTION_RUN(nsc_world_def, barrier_speed, barrier_speed,
                                             NSCI_MOTION_REAL),)
        NSCI_MOTION_RUN(nsc_world_def, tag, tag, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, solver.law, solver.max_iterations, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, solver.tolerance, solver.relative_tolerance,
                        NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_world_def, solver.stall_window, solver.warm_start, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_world_def, solver.omega, solver.omega, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_world_def, solver.symmetric, solver.max_factorizations,
                        NSCI_MOTION_INT)};
    return NSCI_MOTION_SUM(sum, runs, d);
}

static uint32_t nsci_motion_add_body(uint32_t sum, const nsc_body *b)
{
    static const nsci_motion_run runs[] = {
        NSCI_MOTION_RUN(nsc_body, centre, centre, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_body, mass, gravity_scale, NSCI_MOTION_REAL),
#if NSC_LOCKS
        NSCI_MOTION_RUN(nsc_body, locks, locks, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_body, linear_damping, angular_damping, NSCI_MOTION_REAL),
#endif
#if NSC_WORDS
        NSCI_MOTION_RUN(nsc_body, user, user, NSCI_MOTION_WORD),
#endif
    };
    sum = nsci_motion_add(sum, (uint32_t)b->kind << 2 | (uint32_t)b->mass_given << 1 | b->particle);
    return NSCI_MOTION_SUM(sum, runs, b);
}

static uint32_t nsci_motion_add_shape(uint32_t sum, const nsc_shape *s)
{
    static const nsci_motion_run runs[] = {
        NSCI_MOTION_RUN(nsc_shape_def, kind, sensor, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_shape_def, category, mask, NSCI_MOTION_WORD),
        NSCI_MOTION_RUN(nsc_shape_def, pose.position, pose.position, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_shape_def, pose.orientation, pose.orientation, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_shape_def, half, half, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_shape_def, radius, cohesion, NSCI_MOTION_REAL),
#if NSC_BELTS
        NSCI_MOTION_RUN(nsc_shape_def, surface_velocity, surface_velocity, NSCI_MOTION_VEC),
#endif
#if NSC_WORDS
        NSCI_MOTION_RUN(nsc_shape_def, user, user, NSCI_MOTION_WORD),
#endif
    };
    sum = NSCI_MOTION_SUM(nsci_motion_add(sum, s->body), runs, &s->def);
    return s->data ? nsci_motion_add(sum, s->data) : sum;
}

#if NSC_MAX_JOINTS > 0
static uint32_t nsci_motion_add_joint(uint32_t sum, const nsc_joint *j)
{
    static const nsci_motion_run runs[] = {
        NSCI_MOTION_RUN(nsc_joint, def.kind, def.collide, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_joint, def.body_a, def.joint_b, NSCI_MOTION_WORD),
        NSCI_MOTION_RUN(nsc_joint, def.ratio, def.ratio, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_joint, def.frame_a.position, def.frame_a.position, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_joint, def.frame_a.orientation, def.frame_a.orientation,
                        NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_joint, def.frame_b.position, def.frame_b.position, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_joint, def.frame_b.orientation, def.frame_b.orientation,
                        NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_joint, offset, offset, NSCI_MOTION_REAL)};
    static const nsci_motion_run axis[] = {
        NSCI_MOTION_RUN(nsc_axis_def, limited, drive, NSCI_MOTION_INT),
        NSCI_MOTION_RUN(nsc_axis_def, lower, upper, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_axis_def, stiffness, damping, NSCI_MOTION_REAL),
        NSCI_MOTION_RUN(nsc_axis_def, max_force, limit_damping, NSCI_MOTION_REAL)};
    int i;
    sum = NSCI_MOTION_SUM(sum, runs, j);
    for (i = 0; i < NSC_JOINT_AXES; i++)
        sum = NSCI_MOTION_SUM(sum, axis, &j->def.axis[i]);
    return sum;
}
#endif

#if NSC_MAX_SPRINGS > 0
static uint32_t nsci_motion_add_spring(uint32_t sum, const nsc_spring *p)
{
    static const nsci_motion_run runs[] = {
        NSCI_MOTION_RUN(nsc_spring, def.body_a, def.body_b, NSCI_MOTION_WORD),
        NSCI_MOTION_RUN(nsc_spring, def.point_a, def.point_b, NSCI_MOTION_VEC),
        NSCI_MOTION_RUN(nsc_spring, def.rest, def.damping, NSCI_MOTION_REAL)};
    return NSCI_MOTION_SUM(sum, runs, p);
}
#endif

/* A slot that was ever used; returns 1 if it is in use. */
static int nsci_motion_slot(uint32_t *sum, int kind, int i, uint16_t generation)
{
    if (generation == 0)
        return 0;
    *sum = nsci_motion_add(*sum, (uint32_t)kind << 14 | (uint32_t)i);
    *sum = nsci_motion_add(*sum, generation);
    return generation % 2;
}

NSC_API uint32_t nsc_world_frame(const nsc_world *w)
{
    uint32_t sum = NSCI_MOTION_VERSION * 256 + sizeof(nsc_real);
    int i;
    if (!w)
        return 0;
    sum = nsci_motion_add_def(sum, &w->def);
    for (i = 0; i < NSC_MAX_BODIES; i++)
        if (nsci_motion_slot(&sum, 1, i, w->bodies[i].generation))
            sum = nsci_motion_add_body(sum, &w->bodies[i]);
    for (i = 0; i < NSC_MAX_SHAPES; i++)
        if (nsci_motion_slot(&sum, 2, i, w->shapes[i].generation))
            sum = nsci_motion_add_shape(sum, &w->shapes[i]);
#if NSC_MAX_JOINTS > 0
    for (i = 0; i < NSC_MAX_JOINTS; i++)
        if (nsci_motion_slot(&sum, 3, i, w->joints[i].generation))
            sum = nsci_motion_add_joint(sum, &w->joints[i]);
#endif
#if NSC_MAX_SPRINGS > 0
    for (i = 0; i < NSC_MAX_SPRINGS; i++)
        if (nsci_motion_slot(&sum, 4, i, w->springs[i].generation))
            sum = nsci_motion_add_spring(sum, &w->springs[i]);
#endif
    return sum;
}

/* ---- numbers.  Each is written, or replaced by what the image says: 0 after a refusal. */

static void nsci_motion_refuse(nsci_motion_tape *t, int code)
{
    if (t->code == NSC_OK)
        t->code = code;
}

/* Loading: refuse the image unless `holds`. */
static void nsci_motion_demand(nsci_motion_tape *t, int holds)
{
    if (t->to && !holds)
        nsci_motion_refuse(t, NSC_ERR_ARGUMENT);
}

static uint8_t nsci_motion_byte(nsci_motion_tape *t, uint8_t x)
{
    if (t->to && t->at >= t->size)
        nsci_motion_refuse(t, NSC_ERR_ARGUMENT);
    if (t->code < 0)
        return 0;
    if (t->to)
        x = t->in[t->at];
    else if (t->out)
        t->out[t->at] = x;
    t->at++;
    return x;
}

static uint32_t nsci_motion_raw(nsci_motion_tape *t, uint32_t x)
{
    uint32_t read = 0;
    int k;
    for (k = 0; k < 32; k += 8)
        read |= (uint32_t)nsci_motion_byte(t, (uint8_t)(x >> k & 255)) << k;
    return read;
}

/* Seven bits a byte, the lowest first */
static nsci_motion_bits nsci_motion_short(nsci_motion_tape *t, nsci_motion_bits x)
{
    nsci_motion_bits read = 0;
    unsigned k;
    uint8_t byte;
    for (k = 0; k < 8 * sizeof x; k += 7) {
        byte = nsci_motion_byte(t, (uint8_t)((x & 127) | (x > 127 ? 128 : 0)));
        read |= (nsci_motion_bits)(byte & 127) << k;
        x >>= 7;
        if (byte < 128) { /* one way to write a number: no zeros above, no bit too many */
            nsci_motion_demand(t, (byte > 0 || k == 0) && read >> k == byte);
            return read;
        }
    }
    nsci_motion_demand(t, 0);
    return 0;
}

static uint32_t nsci_motion_number(nsci_motion_tape *t, uint32_t x)
{
    nsci_motion_bits read = nsci_motion_short(t, x);
    nsci_motion_demand(t, read <= UINT32_C(0xffffffff));
    t->sum = nsci_motion_add(t->sum, (uint32_t)read);
    return (uint32_t)read;
}

static int32_t nsci_motion_signed(nsci_motion_tape *t, int32_t x)
{
    uint32_t u = (uint32_t)x;
    u = nsci_motion_number(t, u << 1 ^ (uint32_t)(0 - (u >> 31)));
    u = u >> 1 ^ (uint32_t)(0 - (u & 1));
    return (int32_t)u;
}

static int nsci_motion_finite(nsc_real x) { return x >= -NSC_REAL_MAX && x <= NSC_REAL_MAX; }

static void nsci_motion_take(nsci_motion_tape *t, nsc_real *x, nsci_motion_bits bits)
{
    if (t->code < 0)
        bits = 0;
    t->sum = nsci_motion_add_bits(t->sum, bits);
    NSC_MEMCPY(x, &bits, sizeof bits);
}

/* A number that nothing foretells, any bits */
static void nsci_motion_any_real(nsci_motion_tape *t, nsc_real *x)
{
    nsci_motion_bits bits = nsci_motion_get(x), read = 0;
    unsigned k;
    for (k = 0; k < 8 * sizeof bits; k += 8)
        read |= (nsci_motion_bits)nsci_motion_byte(t, (uint8_t)(bits >> k & 255)) << k;
    nsci_motion_take(t, x, read);
}

static void nsci_motion_real(nsci_motion_tape *t, nsc_real *x)
{
    nsci_motion_any_real(t, x);
    nsci_motion_demand(t, nsci_motion_finite(*x));
}

/* Order of the numbers: neighbours differ by 1, and so do -0 and 0. */
static nsci_motion_bits nsci_motion_ordered(nsci_motion_bits bits)
{
    return bits & NSCI_MOTION_TOP ? ~bits : bits | NSCI_MOTION_TOP;
}

/* A number near another */
static void nsci_motion_near(nsci_motion_tape *t, nsc_real *x, nsc_real guess)
{
    nsci_motion_bits from = nsci_motion_ordered(nsci_motion_get(&guess)), to;
    to = nsci_motion_ordered(nsci_motion_get(x)) - from;
    to = to << 1 ^ (nsci_motion_bits)(0 - (to >> (8 * sizeof to - 1)));
    to = nsci_motion_short(t, to);
    to = from + (to >> 1 ^ (nsci_motion_bits)(0 - (to & 1)));
    nsci_motion_take(t, x, to & NSCI_MOTION_TOP ? to ^ NSCI_MOTION_TOP : ~to);
    nsci_motion_demand(t, nsci_motion_finite(*x));
}

static nsc_vec3 nsci_motion_vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    NSC_MEMSET(&v, 0, sizeof v); /* padding too: worlds are compared byte by byte */
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static void nsci_motion_real3(nsci_motion_tape *t, nsc_vec3 *v)
{
    nsci_motion_real(t, &v->x);
    nsci_motion_real(t, &v->y);
    nsci_motion_real(t, &v->z);
}

static void nsci_motion_near3(nsci_motion_tape *t, nsc_vec3 *v, nsc_vec3 guess)
{
    nsci_motion_near(t, &v->x, guess.x);
    nsci_motion_near(t, &v->y, guess.y);
    nsci_motion_near(t, &v->z, guess.z);
}

/* Is any bit set?  -0 is not nothing. */
static int nsci_motion_any(const nsc_real *x, int n)
{
    int i, any = 0;
    for (i = 0; i < n; i++)
        any |= nsci_motion_get(&x[i]) != 0;
    return any;
}

static int nsci_motion_any3(nsc_vec3 v)
{
    return nsci_motion_any(&v.x, 1) | nsci_motion_any(&v.y, 1) | nsci_motion_any(&v.z, 1);
}

static int nsci_motion_same(nsc_real x, nsc_real y)
{
    return nsci_motion_get(&x) == nsci_motion_get(&y);
}

static int nsci_motion_same3(nsc_vec3 a, nsc_vec3 b)
{
    return nsci_motion_same(a.x, b.x) && nsci_motion_same(a.y, b.y) && nsci_motion_same(a.z, b.z);
}

#define NSCI_MOTION_ZERO(member) NSC_MEMSET(&(member), 0, sizeof(member))

/* ---- vectors */

static nsc_vec3 nsci_motion_plus(nsc_vec3 a, nsc_real s, nsc_vec3 b)
{
    return nsci_motion_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static nsc_real nsci_motion_dot(nsc_vec3 a, nsc_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static nsc_vec3 nsci_motion_cross(nsc_vec3 a, nsc_vec3 b)
{
    return nsci_motion_vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* back: -1: the other way round */
static nsc_vec3 nsci_motion_rotate(nsc_quat q, nsc_vec3 v, int back)
{
    nsc_vec3 u = nsci_motion_vec(q.x, q.y, q.z), c = nsci_motion_cross(u, v);
    v = nsci_motion_plus(v, 2 * (nsc_real)back * q.w, c);
    return nsci_motion_plus(v, 2, nsci_motion_cross(u, c));
}

/* ---- bodies */

enum {
    NSCI_MOTION_ASLEEP = 1, NSCI_MOTION_MOVES = 2, NSCI_MOTION_SPINS = 4, NSCI_MOTION_STILL = 8,
    NSCI_MOTION_FORCE = 16, NSCI_MOTION_RATES = 32, NSCI_MOTION_ACCELERATION = 64
};

/* Pose and velocity of a body of the image */
static nsci_start nsci_motion_at(const nsci_motion_tape *t, int i)
{
    nsci_start s;
    if (t->to && i > 0) {
        NSC_MEMCPY(&s, (const unsigned char *)&t->to->scratch + (size_t)i * sizeof s, sizeof s);
        return s;
    }
    s.position = t->from->bodies[i].position;
    s.orientation = t->from->bodies[i].orientation;
    s.velocity = t->from->bodies[i].velocity;
    s.angular_velocity = t->from->bodies[i].angular_velocity;
    return s;
}

static void nsci_motion_hold(nsci_motion_tape *t, int i, const nsc_body *b)
{
    nsci_start s;
    s.position = b->position;
    s.orientation = b->orientation;
    s.velocity = b->velocity;
    s.angular_velocity = b->angular_velocity;
    NSC_MEMCPY((unsigned char *)&t->to->scratch + (size_t)i * sizeof s, &s, sizeof s);
}

/* The real part follows from the others but for its sign. */
static void nsci_motion_turn4(nsci_motion_tape *t, nsc_quat *q)
{
    nsc_real rest;
    nsci_motion_real(t, &q->x);
    nsci_motion_real(t, &q->y);
    nsci_motion_real(t, &q->z);
    rest = 1 - (q->x * q->x + q->y * q->y + q->z * q->z);
    nsci_motion_near(t, &q->w, rest > 0 ? NSC_SQRT(rest) : 0);
    rest -= q->w * q->w;
    nsci_motion_demand(t, rest > NSC_R(-1e-3) && rest < NSC_R(1e-3));
}

static uint32_t nsci_motion_body_flags(const nsci_motion_tape *t, const nsc_body *b)
{
    uint32_t flags = b->asleep ? NSCI_MOTION_ASLEEP : 0;
    if (nsci_motion_any3(b->velocity))
        flags |= NSCI_MOTION_MOVES;
    if (nsci_motion_any3(b->angular_velocity))
        flags |= NSCI_MOTION_SPINS;
    if (nsci_motion_any(&b->still, 1))
        flags |= NSCI_MOTION_STILL;
    if (nsci_motion_any3(b->force) || nsci_motion_any3(b->torque))
        flags |= NSCI_MOTION_FORCE;
#if NSC_STEPPERS
    if (nsci_motion_any(b->rate, 6) || nsci_motion_any(b->mean_rate, 6))
        flags |= NSCI_MOTION_RATES;
#endif
#if NSC_IMU
    if (t->readings &&
        (nsci_motion_any3(b->acceleration) || nsci_motion_any3(b->angular_acceleration)))
        flags |= NSCI_MOTION_ACCELERATION;
#else
    (void)t;
#endif
    return flags;
}

static void nsci_motion_clear_body(nsc_body *b)
{
    b->asleep = 0;
    NSCI_MOTION_ZERO(b->position);
    NSCI_MOTION_ZERO(b->orientation);
    NSCI_MOTION_ZERO(b->velocity);
    NSCI_MOTION_ZERO(b->angular_velocity);
    NSCI_MOTION_ZERO(b->force);
    NSCI_MOTION_ZERO(b->torque);
    NSCI_MOTION_ZERO(b->still);
#if NSC_IMU
    NSCI_MOTION_ZERO(b->acceleration);
    NSCI_MOTION_ZERO(b->angular_acceleration);
#endif
#if NSC_STEPPERS
    NSCI_MOTION_ZERO(b->rate);
    NSCI_MOTION_ZERO(b->mean_rate);
#endif
}

static void nsci_motion_rates(nsci_motion_tape *t, nsc_body *b)
{
#if NSC_STEPPERS
    int k;
    for (k = 0; k < 6; k++)
        nsci_motion_real(t, &b->rate[k]);
    for (k = 0; k < 6; k++)
        nsci_motion_near(t, &b->mean_rate[k], b->rate[k]);
#else
    (void)b;
    nsci_motion_demand(t, 0); /* not in this build */
#endif
}

static void nsci_motion_acceleration(nsci_motion_tape *t, nsc_body *b)
{
#if NSC_IMU
    nsci_motion_real3(t, &b->acceleration);
    nsci_motion_real3(t, &b->angular_acceleration);
#else
    (void)b;
    nsci_motion_demand(t, 0); /* not in this build */
#endif
}

static void nsci_motion_body(nsci_motion_tape *t, int i)
{
    nsc_body b;
    uint32_t flags = 0;
    NSC_MEMCPY(&b, &t->from->bodies[i], sizeof b);
    if (t->to)
        nsci_motion_clear_body(&b);
    else
        flags = nsci_motion_body_flags(t, &b);
    flags = nsci_motion_number(t, flags);
    nsci_motion_demand(t, flags < 128);
    nsci_motion_demand(t, b.kind != NSC_STATIC_BODY ||
                              !(flags & (NSCI_MOTION_MOVES | NSCI_MOTION_SPINS)));
    nsci_motion_demand(t, b.kind == NSC_DYNAMIC_BODY || !(flags & NSCI_MOTION_ASLEEP));
    nsci_motion_demand(t, !b.particle || !(flags & NSCI_MOTION_SPINS));
    b.asleep = (uint8_t)(flags & NSCI_MOTION_ASLEEP);
    nsci_motion_real3(t, &b.position);
    nsci_motion_turn4(t, &b.orientation);
    if (flags & NSCI_MOTION_MOVES)
        nsci_motion_real3(t, &b.velocity);
    if (flags & NSCI_MOTION_SPINS)
        nsci_motion_real3(t, &b.angular_velocity);
    if (flags & NSCI_MOTION_STILL)
        nsci_motion_real(t, &b.still);
    nsci_motion_demand(t, b.still >= 0);
    if (flags & NSCI_MOTION_FORCE) {
        nsci_motion_real3(t, &b.force);
        nsci_motion_real3(t, &b.torque);
    }
    if (flags & NSCI_MOTION_RATES)
        nsci_motion_rates(t, &b);
    if (flags & NSCI_MOTION_ACCELERATION)
        nsci_motion_acceleration(t, &b);
    if (!t->to || t->code < 0)
        return;
    nsci_motion_hold(t, i, &b);
    if (t->loads)
        NSC_MEMCPY(&t->to->bodies[i], &b, sizeof b);
}

/* ---- joints and springs */

#if NSC_MAX_JOINTS > 0
/* Those of n numbers that are not 0, after a word that says which; any bits */
static void nsci_motion_sparse(nsci_motion_tape *t, nsc_real *x, int n)
{
    uint32_t which = 0;
    int k;
    for (k = 0; k < n && !t->to; k++)
        which |= (uint32_t)nsci_motion_any(&x[k], 1) << k;
    which = nsci_motion_number(t, which);
    nsci_motion_demand(t, which >> n == 0);
    for (k = 0; k < n; k++) {
        if (t->to)
            NSCI_MOTION_ZERO(x[k]);
        if (which >> k & 1)
            nsci_motion_any_real(t, &x[k]);
    }
}

static void nsci_motion_demand_finite(nsci_motion_tape *t, const nsc_real *x, int n)
{
    int k;
    for (k = 0; k < n; k++)
        nsci_motion_demand(t, nsci_motion_finite(x[k]));
}

/* What a controller sets; an axis without a drive may hold anything there. */
static void nsci_motion_targets(nsci_motion_tape *t, nsc_joint *j)
{
    nsc_real x[3 * NSC_JOINT_AXES];
    int i;
    for (i = 0; i < NSC_JOINT_AXES; i++) {
        x[3 * i] = j->def.axis[i].target;
        x[3 * i + 1] = j->def.axis[i].target_velocity;
        x[3 * i + 2] = j->def.axis[i].force;
    }
    nsci_motion_sparse(t, x, 3 * NSC_JOINT_AXES);
    for (i = 0; i < NSC_JOINT_AXES; i++) {
        if (j->def.axis[i].drive != NSC_DRIVE_NONE)
            nsci_motion_demand_finite(t, &x[3 * i], 3);
        j->def.axis[i].target = x[3 * i];
        j->def.axis[i].target_velocity = x[3 * i + 1];
        j->def.axis[i].force = x[3 * i + 2];
    }
}

static void nsci_motion_joint(nsci_motion_tape *t, int i)
{
    nsc_joint j;
    nsc_real x[6];
    int k;
    NSC_MEMCPY(&j, &t->from->joints[i], sizeof j);
    nsci_motion_targets(t, &j);
    for (k = 0; k < (int)(sizeof j.turns / sizeof *j.turns); k++)
        j.turns[k] = nsci_motion_signed(t, j.turns[k]);
    nsci_motion_sparse(t, j.angle, NSC_JOINT_AXES);
    nsci_motion_demand_finite(t, j.angle, NSC_JOINT_AXES);
    nsci_motion_sparse(t, j.impulse, NSC_JOINT_ROWS);
    nsci_motion_demand_finite(t, j.impulse, NSC_JOINT_ROWS);
    x[0] = j.force_impulse.x;
    x[1] = j.force_impulse.y;
    x[2] = j.force_impulse.z;
    x[3] = j.torque_impulse.x;
    x[4] = j.torque_impulse.y;
    x[5] = j.torque_impulse.z;
    if (!t->readings)
        NSC_MEMSET(x, 0, sizeof x);
    else
        nsci_motion_sparse(t, x, 6);
    nsci_motion_demand_finite(t, x, 6);
    j.force_impulse = nsci_motion_vec(x[0], x[1], x[2]);
    j.torque_impulse = nsci_motion_vec(x[3], x[4], x[5]);
    if (t->loads && t->code == NSC_OK)
        NSC_MEMCPY(&t->to->joints[i], &j, sizeof j);
}
#endif

#if NSC_MAX_SPRINGS > 0
static void nsci_motion_spring(nsci_motion_tape *t, int i)
{
    nsc_vec3 impulse = t->from->springs[i].impulse;
    nsci_motion_real3(t, &impulse);
    if (t->loads && t->code == NSC_OK)
        t->to->springs[i].impulse = impulse;
}
#endif

/* ---- kept points */

/* Where a body's point was before the step, if it kept its velocity */
static nsc_vec3 nsci_motion_earlier(const nsci_motion_tape *t, int body, nsc_vec3 p)
{
    nsci_start s = nsci_motion_at(t, body);
    nsc_vec3 r = nsci_motion_plus(p, -1, s.position);
    p = nsci_motion_plus(p, -t->last_h, s.velocity);
    return nsci_motion_plus(p, -t->last_h, nsci_motion_cross(s.angular_velocity, r));
}

#if NSC_MAX_MANIFOLDS > 0
static nsc_vec3 nsci_motion_axis(const nsci_motion_tape *t, int shape, nsc_vec3 v)
{
    const nsc_shape *s = &t->from->shapes[shape];
    v = nsci_motion_rotate(s->def.pose.orientation, v, 1);
    return nsci_motion_rotate(nsci_motion_at(t, s->body).orientation, v, 1);
}

/* From the frame of a shape into the world, and from the world into it */
static nsc_vec3 nsci_motion_out(const nsci_motion_tape *t, int shape, nsc_vec3 p)
{
    const nsc_shape *s = &t->from->shapes[shape];
    nsci_start at = nsci_motion_at(t, s->body);
    p = nsci_motion_rotate(s->def.pose.orientation, p, 1);
    p = nsci_motion_plus(p, 1, s->def.pose.position);
    p = nsci_motion_plus(p, -1, t->from->bodies[s->body].centre);
    return nsci_motion_plus(at.position, 1, nsci_motion_rotate(at.orientation, p, 1));
}

static nsc_vec3 nsci_motion_in(const nsci_motion_tape *t, int shape, nsc_vec3 p)
{
    const nsc_shape *s = &t->from->shapes[shape];
    nsci_start at = nsci_motion_at(t, s->body);
    p = nsci_motion_rotate(at.orientation, nsci_motion_plus(p, -1, at.position), -1);
    p = nsci_motion_plus(p, 1, t->from->bodies[s->body].centre);
    p = nsci_motion_plus(p, -1, s->def.pose.position);
    return nsci_motion_rotate(s->def.pose.orientation, p, -1);
}

static int nsci_motion_shape_of(nsc_id shape) { return (int)(shape & 16383); }

/* Of the patch, across the line from its first point to the last [m] */
static nsc_real nsci_motion_width(const nsci_manifold *m)
{
    nsc_vec3 along = nsci_motion_plus(m->on_a[m->count - 1], -1, m->on_a[0]), d;
    nsc_real length = nsci_motion_dot(along, along), most = 0;
    int i;
    for (i = 1; i + 1 < m->count; i++) {
        d = nsci_motion_cross(along, nsci_motion_plus(m->on_a[i], -1, m->on_a[0]));
        if (nsci_motion_dot(d, d) > most)
            most = nsci_motion_dot(d, d);
    }
    return length > 0 ? NSC_SQRT(most / length) : 0;
}

static void nsci_motion_manifold(nsci_motion_tape *t, const nsc_contact *c)
{
    nsci_manifold *m = &t->kept;
    int a = nsci_motion_shape_of(c->shape_a), b = nsci_motion_shape_of(c->shape_b), k;
    uint32_t head;
    nsc_vec3 normal, p;
    nsc_real rest;
    NSC_MEMSET(m, 0, sizeof *m);
    if (!t->to)
        NSC_MEMCPY(m, &t->from->manifolds[c->manifold - 1], sizeof *m);
    head = nsci_motion_number(t, (uint32_t)m->count << 2 | (m->normal.z < 0 ? 2U : 0U) | m->side);
    nsci_motion_demand(t, head >> 2 >= 3 && head >> 2 <= NSC_MANIFOLD);
    if (t->code < 0)
        return;
    m->count = (uint8_t)(head >> 2);
    m->side = (uint8_t)(head & 1);
    nsci_motion_real(t, &m->normal.x);
    nsci_motion_real(t, &m->normal.y);
    rest = 1 - (m->normal.x * m->normal.x + m->normal.y * m->normal.y);
    rest = rest > 0 ? NSC_SQRT(rest) : 0;
    nsci_motion_near(t, &m->normal.z, head & 2 ? -rest : rest);
    rest = nsci_motion_dot(m->normal, m->normal) - 1;
    nsci_motion_demand(t, rest > NSC_R(-1e-3) && rest < NSC_R(1e-3));
    nsci_motion_near(t, &m->reach, t->from->def.margin);
    normal = nsci_motion_axis(t, m->side ? b : a, m->normal);
    for (k = 0; k < m->count && t->code == NSC_OK; k++) {
        m->feature[k] = nsci_motion_number(t, m->feature[k]);
        nsci_motion_real3(t, &m->on_a[k]);
        nsci_motion_real(t, &m->gap[k]);
        p = nsci_motion_plus(nsci_motion_out(t, a, m->on_a[k]), m->gap[k], normal);
        nsci_motion_near3(t, &m->on_b[k], nsci_motion_in(t, b, p));
    }
    nsci_motion_near(t, &m->limit, NSC_R(1e-3) * nsci_motion_width(m));
    nsci_motion_demand(t, m->limit >= 0);
    if (!t->loads || t->code < 0)
        return;
    NSC_MEMCPY(&t->to->manifolds[c->manifold - 1], m, sizeof *m);
    if (t->to->manifold_end < c->manifold)
        t->to->manifold_end = c->manifold;
}

/* Feature of a contact of a pair that keeps its points: that of one of them, or, behind their
   number, its own.  Guess point, normal and gap. */
static void nsci_motion_kept_point(nsci_motion_tape *t, nsc_contact *c, nsc_contact *guess)
{
    const nsci_manifold *m = &t->kept;
    int a = nsci_motion_shape_of(c->shape_a), b = nsci_motion_shape_of(c->shape_b);
    uint32_t k = 0;
    int body_a = t->from->shapes[a].body, body_b = t->from->shapes[b].body;
    nsc_vec3 on_a, on_b, spin;
    if (!t->to)
        while (k < m->count && m->feature[k] != c->feature)
            k++;
    k = nsci_motion_number(t, k);
    nsci_motion_demand(t, k <= m->count);
    if (t->code < 0)
        return;
    if (k == m->count) {
        c->feature = nsci_motion_number(t, c->feature);
        return;
    }
    c->feature = m->feature[k];
    on_a = nsci_motion_earlier(t, body_a, nsci_motion_out(t, a, m->on_a[k]));
    on_b = nsci_motion_earlier(t, body_b, nsci_motion_out(t, b, m->on_b[k]));
    guess->normal = nsci_motion_axis(t, m->side ? b : a, m->normal);
    spin = nsci_motion_at(t, m->side ? body_b : body_a).angular_velocity;
    guess->normal = nsci_motion_plus(guess->normal, -t->last_h,
                                     nsci_motion_cross(spin, guess->normal));
    guess->gap = nsci_motion_dot(guess->normal, nsci_motion_plus(on_b, -1, on_a));
    guess->point = nsci_motion_plus(nsci_motion_vec(0, 0, 0), NSC_R(0.5),
                                    nsci_motion_plus(on_a, 1, on_b));
}
#else
#define nsci_motion_manifold(t, c) ((void)0)
#define nsci_motion_kept_point(t, c, guess) ((void)0)
#endif

/* ---- contacts */

enum { /* the common ones first: seven bits take a byte */
    NSCI_MOTION_PAIR = 1,        /* another pair, or other kept points, than before */
    NSCI_MOTION_MATCHED = 2, NSCI_MOTION_TOUCHES = 4,
    NSCI_MOTION_KEEPS = 8,       /* has kept points */
    NSCI_MOTION_NORMAL = 16,     /* not the normal of the contact before */
    NSCI_MOTION_PUSHES = 32,     /* impulse and moment */
    NSCI_MOTION_MATERIAL = 64,   /* not as guessed */
    NSCI_MOTION_APPROACH = 128,
    NSCI_MOTION_SMOOTH = 256,
    NSCI_MOTION_OWN = 512        /* with PAIR: the caller's contact, without shapes */
};

static int nsci_motion_same_pair(const nsc_contact *a, const nsc_contact *b)
{
    return a->shape_a == b->shape_a && a->shape_b == b->shape_b && a->body_a == b->body_a &&
           a->body_b == b->body_b && a->manifold == b->manifold;
}

#if NSC_MAX_ROLLING > 0
#define NSCI_MOTION_ROLLING(c, each) each(c, rolling) each(c, torsion)
#else
#define NSCI_MOTION_ROLLING(c, each)
#endif
#if NSC_SMOOTH
#define NSCI_MOTION_LAW(c, each) each(c, hertz) each(c, tangential) each(c, cohesion)
#else
#define NSCI_MOTION_LAW(c, each)
#endif
#if NSC_BELTS
#define NSCI_MOTION_BELT(c, each) \
    each(c, surface_velocity.x) each(c, surface_velocity.y) each(c, surface_velocity.z)
#else
#define NSCI_MOTION_BELT(c, each)
#endif
/* each(c, member) for every number that two materials give a contact */
#define NSCI_MOTION_MATERIALS(c, each) \
    each(c, friction) each(c, restitution) each(c, stiffness) each(c, damping) \
    NSCI_MOTION_ROLLING(c, each) NSCI_MOTION_LAW(c, each) NSCI_MOTION_BELT(c, each)

/* Guess from the shapes; what it does not know is 0. */
static void nsci_motion_guess_material(const nsc_world *w, const nsc_contact *c,
                                       nsc_contact *guess)
{
#define NSCI_MOTION_CLEAR(c, member) (c)->member = 0;
    NSCI_MOTION_MATERIALS(guess, NSCI_MOTION_CLEAR)
    guess->sensor = 0;
    if (c->shape_a >= 0) {
        const nsc_shape_def *a = &w->shapes[c->shape_a & 16383].def;
        const nsc_shape_def *b = &w->shapes[c->shape_b & 16383].def;
        guess->sensor = (uint8_t)(a->sensor || b->sensor);
        guess->friction = NSC_SQRT(a->friction * b->friction);
        guess->restitution = a->restitution > b->restitution ? a->restitution : b->restitution;
#if NSC_MAX_ROLLING > 0
        guess->rolling = a->rolling > b->rolling ? a->rolling : b->rolling;
        guess->torsion = a->torsion > b->torsion ? a->torsion : b->torsion;
#endif
#if NSC_SMOOTH
        guess->cohesion = a->cohesion < b->cohesion ? a->cohesion : b->cohesion;
#endif
    }
}

static void nsci_motion_material(nsci_motion_tape *t, nsc_contact *c, const nsc_contact *guess,
                                 int differs)
{
#define NSCI_MOTION_COPY(c, member) (c)->member = guess->member;
#define NSCI_MOTION_NEAR(c, member) nsci_motion_near(t, &(c)->member, guess->member);
    if (differs) {
        uint32_t sensor = nsci_motion_number(t, c->sensor);
        nsci_motion_demand(t, sensor <= 1);
        c->sensor = (uint8_t)(sensor & 1);
        NSCI_MOTION_MATERIALS(c, NSCI_MOTION_NEAR)
    } else {
        c->sensor = guess->sensor;
        NSCI_MOTION_MATERIALS(c, NSCI_MOTION_COPY)
    }
    nsci_motion_demand(t, c->friction >= 0 && c->restitution >= 0);
    nsci_motion_demand(t, c->restitution <= 1 && c->stiffness >= 0 && c->damping >= 0);
#if NSC_MAX_ROLLING > 0
    nsci_motion_demand(t, c->rolling >= 0 && c->torsion >= 0);
#endif
#if NSC_SMOOTH
    nsci_motion_demand(t, c->hertz >= 0 && c->tangential >= 0 && c->cohesion >= 0);
#endif
}

static uint32_t nsci_motion_contact_flags(const nsci_motion_tape *t, const nsc_contact *c,
                                          int first)
{
#define NSCI_MOTION_DIFFERS(c, member) differs |= !nsci_motion_same((c)->member, guess.member);
    nsc_contact guess = t->before;
    int differs;
    uint32_t flags = (c->matched ? NSCI_MOTION_MATCHED : 0) |
                     (c->touching ? NSCI_MOTION_TOUCHES : 0) |
                     (c->manifold > 0 ? NSCI_MOTION_KEEPS : 0);
    if (first || !nsci_motion_same_pair(c, &t->before)) {
        flags |= NSCI_MOTION_PAIR | NSCI_MOTION_NORMAL;
        flags |= c->shape_a < 0 ? NSCI_MOTION_OWN : 0;
        nsci_motion_guess_material(t->from, c, &guess);
    }
    if (!nsci_motion_same3(c->normal, t->before.normal))
        flags |= NSCI_MOTION_NORMAL;
    differs = c->sensor != guess.sensor;
    NSCI_MOTION_MATERIALS(c, NSCI_MOTION_DIFFERS)
    if (differs)
        flags |= NSCI_MOTION_MATERIAL;
    if (nsci_motion_any3(c->impulse))
        flags |= NSCI_MOTION_PUSHES;
#if NSC_MAX_ROLLING > 0
    if (nsci_motion_any3(c->moment))
        flags |= NSCI_MOTION_PUSHES;
#endif
    if ((t->readings || c->restitution > 0) && nsci_motion_any(&c->approach, 1))
        flags |= NSCI_MOTION_APPROACH;
#if NSC_SMOOTH
    if (nsci_motion_any3(c->shear) || nsci_motion_any(&c->impact, 1))
        flags |= NSCI_MOTION_SMOOTH;
#if NSC_MAX_ROLLING > 0
    if (nsci_motion_any3(c->twist))
        flags |= NSCI_MOTION_SMOOTH;
#endif
#endif
    return flags;
}

static nsc_id nsci_motion_body_id(const nsci_motion_tape *t, uint32_t i)
{
    return i < NSC_MAX_BODIES ? nsc_world_body_at(t->from, (int)i) : NSC_ERR_HANDLE;
}

static void nsci_motion_bodies(nsci_motion_tape *t, nsc_contact *c)
{
    uint32_t a = nsci_motion_number(t, (uint32_t)c->body_a & 16383);
    uint32_t b = nsci_motion_number(t, (uint32_t)c->body_b & 16383);
    c->body_a = nsci_motion_body_id(t, a);
    c->body_b = nsci_motion_body_id(t, b);
    c->shape_a = nsci_motion_signed(t, c->shape_a);
    c->shape_b = nsci_motion_signed(t, c->shape_b);
    nsci_motion_demand(t, c->body_a >= 0 && c->body_b >= 0 && c->body_a != c->body_b);
    nsci_motion_demand(t, c->shape_a < 0 && c->shape_b < 0);
}

/* After a refusal the handles are those of no shape. */
static void nsci_motion_shapes(nsci_motion_tape *t, nsc_contact *c)
{
    uint32_t a = nsci_motion_number(t, (uint32_t)c->shape_a & 16383);
    uint32_t b = nsci_motion_number(t, (uint32_t)c->shape_b & 16383);
    c->shape_a = a < NSC_MAX_SHAPES ? nsc_world_shape_at(t->from, (int)a) : NSC_ERR_HANDLE;
    c->shape_b = b < NSC_MAX_SHAPES ? nsc_world_shape_at(t->from, (int)b) : NSC_ERR_HANDLE;
    nsci_motion_demand(t, c->shape_a >= 0 && c->shape_b >= 0);
    if (t->code < 0) {
        c->shape_a = c->shape_b = -1;
        return;
    }
    c->body_a = nsci_motion_body_id(t, t->from->shapes[a].body);
    c->body_b = nsci_motion_body_id(t, t->from->shapes[b].body);
    nsci_motion_demand(t, c->body_a != c->body_b);
}

/* The pair of a contact, and its kept points */
static void nsci_motion_pair(nsci_motion_tape *t, nsc_contact *c, uint32_t flags)
{
    uint32_t place = c->manifold;
    if (flags & NSCI_MOTION_OWN)
        nsci_motion_bodies(t, c);
    else
        nsci_motion_shapes(t, c);
    nsci_motion_demand(t, !(flags & NSCI_MOTION_OWN) || !(flags & NSCI_MOTION_KEEPS));
    if (!(flags & NSCI_MOTION_KEEPS) || t->code < 0)
        return;
    place = nsci_motion_number(t, place);
    nsci_motion_demand(t, place > 0);
    if (t->to && place > NSC_MAX_MANIFOLDS)
        nsci_motion_refuse(t, NSC_ERR_CAPACITY);
    if (t->code < 0)
        return;
    c->manifold = (nsci_kept_at)place;
    nsci_motion_manifold(t, c);
}

static void nsci_motion_smooth(nsci_motion_tape *t, nsc_contact *c)
{
#if NSC_SMOOTH
    nsci_motion_real(t, &c->impact);
    nsci_motion_demand(t, c->impact >= 0);
    nsci_motion_real3(t, &c->shear);
#if NSC_MAX_ROLLING > 0
    nsci_motion_real3(t, &c->twist);
#endif
#else
    (void)c;
    nsci_motion_demand(t, 0); /* not in this build */
#endif
}

/* What names the contact and says how it stands: flags must be as saving makes them. */
static void nsci_motion_check_flags(nsci_motion_tape *t, uint32_t flags, int first)
{
    int pair = (flags & NSCI_MOTION_PAIR) > 0, keeps = (flags & NSCI_MOTION_KEEPS) > 0;
    nsci_motion_demand(t, flags < 2 * NSCI_MOTION_OWN);
    nsci_motion_demand(t, pair || !(flags & NSCI_MOTION_OWN));
    nsci_motion_demand(t, !pair || (flags & NSCI_MOTION_NORMAL) > 0);
    nsci_motion_demand(t, pair || (!first && keeps == (t->before.manifold > 0)));
}

static void nsci_motion_contact(nsci_motion_tape *t, int i)
{
    nsc_contact c, guess;
    nsc_real unit;
    uint32_t flags = 0;
    NSC_MEMSET(&c, 0, sizeof c);
    if (!t->to) {
        NSC_MEMCPY(&c, &t->from->contacts[i], sizeof c);
        flags = nsci_motion_contact_flags(t, &c, i == 0);
    }
    flags = nsci_motion_number(t, flags);
    nsci_motion_check_flags(t, flags, i == 0);
    if (t->code < 0)
        return;
    c.matched = (flags & NSCI_MOTION_MATCHED) > 0;
    c.touching = (flags & NSCI_MOTION_TOUCHES) > 0;
    NSC_MEMCPY(&guess, &t->before, sizeof guess);
    if (flags & NSCI_MOTION_PAIR) {
        nsci_motion_pair(t, &c, flags);
        if (t->code < 0)
            return;
        nsci_motion_guess_material(t->from, &c, &guess);
    } else {
        c.body_a = guess.body_a;
        c.body_b = guess.body_b;
        c.shape_a = guess.shape_a;
        c.shape_b = guess.shape_b;
        c.manifold = guess.manifold;
    }
    if (flags & NSCI_MOTION_KEEPS)
        nsci_motion_kept_point(t, &c, &guess);
    else
        c.feature = nsci_motion_number(t, c.feature);
    nsci_motion_near3(t, &c.point, guess.point);
    if (flags & NSCI_MOTION_NORMAL)
        nsci_motion_near3(t, &c.normal, guess.normal);
    else
        c.normal = t->before.normal;
    unit = nsci_motion_dot(c.normal, c.normal) - 1;
    nsci_motion_demand(t, unit > NSC_R(-1e-3) && unit < NSC_R(1e-3));
    nsci_motion_near(t, &c.gap, guess.gap);
    nsci_motion_material(t, &c, &guess, (flags & NSCI_MOTION_MATERIAL) > 0);
    if (flags & NSCI_MOTION_PUSHES) {
        nsci_motion_real3(t, &c.impulse);
#if NSC_MAX_ROLLING > 0
        nsci_motion_near3(t, &c.moment, nsci_motion_vec(0, 0, 0));
#endif
    }
    if (flags & NSCI_MOTION_APPROACH)
        nsci_motion_real(t, &c.approach);
    if (flags & NSCI_MOTION_SMOOTH)
        nsci_motion_smooth(t, &c);
    NSC_MEMCPY(&t->before, &c, sizeof c);
    if (t->loads && t->code == NSC_OK)
        NSC_MEMCPY(&t->to->contacts[i], &c, sizeof c);
}

/* ---- the whole */

static void nsci_motion_clock(nsci_motion_tape *t)
{
    const nsc_world *w = t->from;
    uint32_t count = nsci_motion_number(t, w->step_count);
    uint32_t dropped = nsci_motion_number(t, w->report.dropped_ever);
    nsc_real undo_h = w->undo_h;
    nsc_real uneven = w->uneven;
    nsc_real slack = w->slack;
    nsc_real usual = w->last_h / (nsc_real)w->def.substeps;
    uint32_t slowed = (uint32_t)(undo_h < usual || undo_h > usual); /* after longer steps */
    uint32_t careful = (uint32_t)(uneven > 0);                      /* after others */
    uint32_t loose = (uint32_t)(slack > 0);                         /* after unsolved ones */
    uint32_t steady =
        nsci_motion_number(t, (uint32_t)w->steady + 4 * slowed + 8 * careful + 16 * loose);
    uint32_t asleep = nsci_motion_number(t, (uint32_t)w->report.asleep);
    t->last_h = w->last_h;
    nsci_motion_real(t, &t->last_h);
    loose = steady / 16;
    careful = steady / 8 % 2;
    slowed = steady / 4 % 2;
    steady %= 4;
    if (slowed)
        nsci_motion_real(t, &undo_h);
    if (!slowed)
        undo_h = t->last_h / (nsc_real)w->def.substeps;
    if (careful)
        nsci_motion_real(t, &uneven);
    if (!careful)
        uneven = 0;
    if (loose)
        nsci_motion_real(t, &slack);
    if (!loose)
        slack = 0;
    nsci_motion_demand(t, undo_h >= 0 && nsci_motion_finite(undo_h));
    nsci_motion_demand(t, uneven >= 0 && nsci_motion_finite(uneven));
    nsci_motion_demand(t, loose <= 1 && slack >= 0 && nsci_motion_finite(slack));
    nsci_motion_demand(t, steady <= 2 && asleep <= NSC_MAX_BODIES && t->last_h >= 0);
    nsci_motion_demand(t, !(t->last_h > 0) || nsci_motion_finite(1 / t->last_h));
    if (!t->loads || t->code < 0)
        return;
    NSC_MEMSET(&t->to->report, 0, sizeof t->to->report);
    t->to->report.solver.worst_block = -1;
    t->to->report.dropped_ever = dropped;
    t->to->report.asleep = (int)asleep;
    t->to->step_count = count;
    t->to->steady = (int)steady;
    t->to->last_h = t->last_h;
    t->to->undo_h = undo_h;
    t->to->uneven = uneven;
    t->to->slack = slack;
}

static void nsci_motion_world(nsci_motion_tape *t)
{
    const nsc_world *w = t->from;
    uint32_t i, n;
    nsci_motion_clock(t);
    for (i = 1; i < (uint32_t)w->body_end; i++)
        if (w->bodies[i].generation % 2)
            nsci_motion_body(t, (int)i);
#if NSC_MAX_JOINTS > 0
    for (i = 0; i < (uint32_t)w->joint_end; i++)
        if (w->joints[i].generation % 2)
            nsci_motion_joint(t, (int)i);
#endif
#if NSC_MAX_SPRINGS > 0
    for (i = 0; i < (uint32_t)w->spring_end; i++)
        if (w->springs[i].generation % 2)
            nsci_motion_spring(t, (int)i);
#endif
    n = nsci_motion_number(t, (uint32_t)w->contact_count);
    if (t->to && n > NSC_MAX_CONTACTS)
        nsci_motion_refuse(t, NSC_ERR_CAPACITY);
    if (t->loads && t->code == NSC_OK) {
        t->to->contact_count = t->to->report.contacts = (int)n;
        t->to->event_count = t->to->found_count = 0;
#if NSC_MAX_MANIFOLDS > 0
        NSC_MEMSET(t->to->manifolds, 0, sizeof t->to->manifolds);
        t->to->manifold_end = 0;
#endif
        NSC_MEMSET(t->to->island, 255, sizeof t->to->island); /* in none */
    }
    for (i = 0; i < n && t->code == NSC_OK; i++)
        nsci_motion_contact(t, (int)i);
}

/* One walk: header, contents, sum.  frame: of the world */
static void nsci_motion_walk(nsci_motion_tape *t, uint32_t frame)
{
    uint32_t magic, length, own;
    t->at = 0;
    t->sum = frame;
    magic = nsci_motion_raw(t, NSCI_MOTION_MAGIC);
    own = nsci_motion_raw(t, frame ^ (uint32_t)t->readings);
    length = nsci_motion_raw(t, t->size);
    nsci_motion_demand(t, magic == NSCI_MOTION_MAGIC && length == t->size);
    if (t->to && own >> 1 != frame >> 1)
        nsci_motion_refuse(t, NSC_ERR_CONFIG);
    if (t->to)
        t->readings = (int)((own ^ frame) & 1);
    t->sum = nsci_motion_add(t->sum, own);
    if (t->code == NSC_OK)
        nsci_motion_world(t);
    magic = nsci_motion_raw(t, t->sum);
    nsci_motion_demand(t, magic == t->sum && t->at == t->size);
}

static void nsci_motion_start(nsci_motion_tape *t, const nsc_world *from, int flags)
{
    NSC_MEMSET(t, 0, sizeof *t);
    t->from = from;
    t->readings = flags;
}

NSC_API int nsc_world_motion_size(const nsc_world *w, int flags)
{
    nsci_motion_tape t;
    if (!w || flags < 0 || flags > NSC_MOTION_READINGS)
        return NSC_ERR_ARGUMENT;
    nsci_motion_start(&t, w, flags);
    nsci_motion_walk(&t, 0);
    return t.at <= (uint32_t)((unsigned)-1 >> 1) ? (int)t.at : NSC_ERR_CAPACITY;
}

NSC_API int nsc_world_save_motion(const nsc_world *w, void *image, int size, int flags)
{
    nsci_motion_tape t;
    int length = nsc_world_motion_size(w, flags);
    if (length < 0 || !image)
        return length < 0 ? length : NSC_ERR_ARGUMENT;
    if (size < length)
        return NSC_ERR_CAPACITY;
    nsci_motion_start(&t, w, flags);
    t.out = (unsigned char *)image;
    t.size = (uint32_t)length;
    nsci_motion_walk(&t, nsc_world_frame(w));
    return length;
}

NSC_API int nsc_world_load_motion(nsc_world *w, const void *image, int size)
{
    nsci_motion_tape t;
    uint32_t frame;
    int loads;
    if (!w || !image || size < NSCI_MOTION_HEADER)
        return NSC_ERR_ARGUMENT;
    if (nsc_body_wake(w, NSC_GROUND) == NSC_ERR_BUSY) /* else it changes nothing */
        return NSC_ERR_BUSY;
    frame = nsc_world_frame(w);
    for (loads = 0; loads < 2; loads++) {
        nsci_motion_start(&t, w, 0);
        t.to = w;
        t.loads = loads;
        t.in = (const unsigned char *)image;
        t.size = (uint32_t)size;
        nsci_motion_walk(&t, frame);
        if (t.code < 0)
            return t.code;
    }
    return NSC_OK;
}

#ifdef __cplusplus
}
#endif
#endif /* NSC_IMPLEMENTATION */

/* ---- licence
   MIT License

   Copyright (c) 2026 the nsc authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
   associated documentation files (the "Software"), to deal in the Software without restriction,
   including without limitation the rights to use, copy, modify, merge, publish, distribute,
   sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
   furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or
   substantial portions of the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT.  IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
