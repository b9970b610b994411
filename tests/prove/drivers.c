/* Drivers for Frama-C's Eva: each calls one function of nsc from ANY state - every float NaN, infinity or
   number, every integer in the range that any_world below allows - and asserts that the range holds again.
   No alarm: no undefined behaviour that Eva knows of, in any sequence of calls, at these sizes.  prove.sh runs all.

   Shown for float, 32-bit int, and the capacities here, small where Eva tells cases apart: 3 bodies, 3 shapes (64 where
   there are strips), 4 contacts (sort 8, match 2), 2 springs, 1 force with a derivative; problems of 2 blocks with 0, 3 + 1,
   2 + 1 or 2 + 3 rows, the arena as large as asked for; for ADMM and NEWTON also given which bodies move and which blocks
   join them.  Other capacities: by analogy only.
   Not shown: that a pointer into an array inside the world stays in that array and not only in the world; that
   the contracts below name all that is written (`assigns`; Eva takes them on trust); arguments that overlap;
   that a caller's problem has the sizes it says, or was prepared at all.
   Drivers that are here but not in prove.sh's table, as they still have alarms that are Eva's or need a thought:
   step (joint blocks of several islands), fill_joint, events, face_contacts, tape_field, hull_wrap.  No driver at all:
   nsci_gjk and what calls it, terrain, nsc_world_add_hull as a whole, nsc_world_dump, rays into terrain. */
#define NSC_SQRT(x) sqrtf(x) /* Eva knows the function, not the builtin */
#include <math.h>
#include <string.h>
#include <__fc_builtin.h>
#define NSC_IMPLEMENTATION
#define NSC_NO_LANES /* vectors of the compiler: not C */
#ifndef PROVE_GCC    /* -D PROVE_GCC -D __OPTIMIZE__: copies word by word, joints in straight lines; else what any compiler has */
#undef __GNUC__
#endif
#ifndef NSC_MAX_BODIES
#define NSC_MAX_BODIES 3
#endif
#ifndef NSC_MAX_CONTACTS
#define NSC_MAX_CONTACTS 4
#endif
#ifndef NSC_MAX_JOINTS
#define NSC_MAX_JOINTS 2
#endif
#ifndef NSC_MAX_EVENTS
#define NSC_MAX_EVENTS 2
#endif
#ifndef NSC_MAX_ROLLING
#define NSC_MAX_ROLLING 2
#endif
#ifndef NSC_MAX_SPRINGS
#define NSC_MAX_SPRINGS 2
#endif
#ifndef NSC_MAX_FORCES
#define NSC_MAX_FORCES 1
#endif
#ifndef NSC_MAX_HULLS
#define NSC_MAX_HULLS 1
#endif
#ifndef NSC_HULL_VERTICES
#define NSC_HULL_VERTICES 5
#endif
#ifndef NSC_MAX_FIELDS
#define NSC_MAX_FIELDS 1
#endif
#ifndef NSC_FIELD_SAMPLES
#define NSC_FIELD_SAMPLES 6
#endif
#include "nsc.h"

#define ANY(lo, hi) Frama_C_interval(lo, hi)
#define ANY_INT any_int
#define MAYBE(p) (Frama_C_interval(0, 1) ? (p) : NULL)
#define FILL(x) Frama_C_make_unknown((char *)&(x), sizeof(x))

/* Eva takes no number from a quantifier */
#define THREE(P) (P(0) && P(1) && P(2))
#define FOUR(P) (THREE(P) && P(3))
#define USED(i) (i >= NSC_MAX_CONTACTS || w->used[i] <= 1)
#define MEMBER(i) (w->members[i] < NSC_MAX_BODIES)
#define ISLAND(i) (w->island[i] == 0 || w->island[i] == NSCI_NOWHERE)
#define PLACE(i) (w->by_island[i] < NSC_MAX_CONTACTS)
#define INNER(i) (w->inner[i] < NSC_MAX_BODIES && w->outer[i] < NSC_MAX_BODIES)
#define BLOCK(i) (p->blocks[i].rows <= 3 && 0 <= p->blocks[i].a < NSC_MAX_BODIES && 0 <= p->blocks[i].b < NSC_MAX_BODIES)
#define BLOCKED (FOUR(BLOCK) && BLOCK(4) && BLOCK(5) && BLOCK(6) && BLOCK(7))

/* a definition that has been let pass */
#define CHECKED(d) (0 <= (d)->tag <= 15 && 1 <= (d)->substeps <= 64 && 1 <= (d)->stepper <= NSC_STEPPER_NEWMARK && \
                    1 <= (d)->newton_steps <= 1000 && 1 <= (d)->contact_model <= 2 && 1 <= (d)->contact_law <= 3)

static volatile float any; /* each read another float, NaN and infinities included */
static volatile int32_t any_int;

/* ---- contracts of the parts that are proved on their own, for -eva-use-spec ---------------------- */


/* by field: a corner has padding, which nothing ever writes */
#define CORNERS(n) (\initialized(&c[0 .. n - 1].u) && \initialized(&c[0 .. n - 1].v) && \initialized(&c[0 .. n - 1].w) && \
                    \initialized(&c[0 .. n - 1].id) && \initialized(&c[0 .. n - 1].edge))
#define CUT(n) (\result == n && CORNERS(n))

/*@ requires 0 <= n <= 8 && 0 <= m <= 3;
  @ requires CORNERS(1) && CORNERS(n);
  @ assigns \result, c[0 .. 7] \from c[0 .. 7], n, m, bound;
  @ ensures CORNERS(1);
  @ ensures \result == 0 || CUT(1) || CUT(2) || CUT(3) || CUT(4) || CUT(5) || CUT(6) || CUT(7) || CUT(8); */
static int nsci_clip(nsci_corner *c, int n, int m, nsc_real bound);

/*@ requires 0 <= n <= 8;
  @ requires CORNERS(n);
  @ assigns \result, c[0 .. 3] \from c[0 .. 7], n;
  @ ensures \result == 0 || CUT(1) || CUT(2) || CUT(3) || CUT(4); */
static int nsci_reduce(nsci_corner *c, int n);

/*@ requires \initialized(a) && \initialized(b) && \initialized(&out[0 .. 3]);
  @ assigns \result, out[0 .. 3] \from *a, *b, distance, out[0 .. 3];
  @ ensures 0 <= \result <= 4 && \initialized(&out[0 .. 3]); */
static int nsci_collide(const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsc_point *out);

/*@ requires \valid(w) && \initialized(a) && \initialized(b);
  @ assigns \result, w->points[0 .. NSC_MAX_POINTS - 1] \from distance, indirect:*a, indirect:*b;
  @ ensures 0 <= \result <= NSC_MAX_POINTS; */
static int nsci_collide_any(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance);

/* drive_islands */
/*@ assigns \result, w->inner[0 .. NSC_MAX_BODIES - 1], w->outer[0 .. NSC_MAX_BODIES - 1], w->masses[0 .. NSC_MAX_BODIES - 1],
            w->island_v_free[0 .. 6 * NSC_MAX_BODIES - 1] \from w->bodies[0 .. NSC_MAX_BODIES - 1], indirect:*s;
  @ ensures 1 <= \result <= NSC_MAX_BODIES;
  @ ensures THREE(INNER); */
static int nsci_gather_bodies(nsc_world *w, const nsc_island *own, const nsci_scheme *s);

#define PICK(i) (\initialized(&pick[i]) && 0 <= pick[i] < n)
#define PICKED(m) (\result == m && PICK(0) && (m < 2 || PICK(1)) && (m < 3 || PICK(2)) && (m < 4 || PICK(3)))
/*@ requires \valid_read(c + (0 .. n - 1)) && 1 <= n <= NSCI_SPOTS;
  @ assigns \result, pick[0 .. 3] \from indirect:c[0 .. n - 1], indirect:n;
  @ ensures PICKED(1) || PICKED(2) || PICKED(3) || PICKED(4); */
static int nsci_spread(const nsci_spot *c, int n, nsc_vec3 normal, int *pick);

#ifdef PROVE_JOINTS
/* drive_fill_joint, but for what that still leaves open.  Trusted: that a joint has no more blocks than its share of the room,
   which nsci_check_joint_room demands of all joints together. */
#define JOINT_ROOM (NSC_MAX_JOINT_BLOCKS / NSC_MAX_JOINTS)
/*@ requires \valid_read(j) && \initialized(j) && \valid(blocks + (0 .. JOINT_ROOM - 1));
  @ requires 0 <= a < NSC_MAX_BODIES && 0 <= b < NSC_MAX_BODIES;
  @ assigns \result, blocks[0 .. JOINT_ROOM - 1] \from indirect:*w, indirect:*j, indirect:*s, scale, a, b;
  @ ensures 0 <= \result <= JOINT_ROOM; */
static int nsci_fill_joint(const nsc_world *w, const nsc_joint *j, int a, int b, const nsci_scheme *s, nsc_real scale,
                           nsc_block *blocks);

/*@ requires \valid(j) && \valid_read(blocks + (0 .. JOINT_ROOM - 1)) && \valid_read(sum + (0 .. JOINT_ROOM - 1));
  @ assigns *j \from *j, indirect:*w;
  @ ensures 0 <= j->def.kind <= NSC_GEAR; */
static void nsci_store_joint(nsc_world *w, nsc_joint *j, const nsc_block *blocks, const nsc_real (*sum)[3]);

/*@ requires \valid(j);
  @ assigns *j \from *j, indirect:*w;
  @ ensures 0 <= j->def.kind <= NSC_GEAR; */
static void nsci_track_joint(const nsc_world *w, nsc_joint *j);
#else
#define JOINT_ROOM NSC_JOINT_ROWS
#endif

#ifdef PROVE_STEP
/* Not proved.  One island: see NSC_NO_ISLANDS. */
/*@ assigns w->islands[0], w->island[0 .. NSC_MAX_BODIES - 1], w->members[0 .. NSC_MAX_BODIES - 1], w->report.islands,
            w->by_island[0 .. NSC_MAX_CONTACTS - 1], w->block_of[0 .. NSC_MAX_CONTACTS - 1]
            \from w->bodies[0 .. NSC_MAX_BODIES - 1], w->found[0 .. NSC_MAX_CONTACTS - 1];
  @ ensures 0 <= w->report.islands <= 1 && \initialized(&w->islands[0]);
  @ ensures 0 <= w->islands[0].bodies < NSC_MAX_BODIES && 0 <= w->islands[0].contacts <= NSC_MAX_CONTACTS;
  @ ensures 0 <= w->islands[0].joints <= NSC_MAX_JOINTS && 0 <= w->islands[0].asleep <= 1;
  @ ensures w->islands[0].first_body == 0 && w->islands[0].first_contact == 0 && w->islands[0].status == 0;
  @ ensures THREE(MEMBER);
  @ ensures ISLAND(0);
  @ ensures ISLAND(1);
  @ ensures ISLAND(2);
  @ ensures FOUR(PLACE); */
static void nsci_find_islands(nsc_world *w, nsc_real h, int together);

/* drive_fill_joint; that all joints together have no more blocks than there is room for: nsci_check_joint_room */
/*@ requires \valid(blocks + (0 .. NSC_MAX_JOINT_BLOCKS - 1));
  @ assigns \result, blocks[0 .. NSC_MAX_JOINT_BLOCKS - 1] \from indirect:*w, indirect:*s, scale, a, b;
  @ ensures 0 <= \result <= NSC_MAX_JOINT_BLOCKS; */
static int nsci_fill_joint(const nsc_world *w, const nsc_joint *j, int a, int b, const nsci_scheme *s, nsc_real scale,
                           nsc_block *blocks);

/*@ requires \valid_read(blocks) && \valid_read(sum);
  @ assigns *j \from *j, indirect:*w;
  @ ensures 0 <= j->def.kind <= NSC_GEAR; */
static void nsci_store_joint(nsc_world *w, nsc_joint *j, const nsc_block *blocks, const nsc_real (*sum)[3]);

/*@ assigns *j \from *j, indirect:*w;
  @ ensures 0 <= j->def.kind <= NSC_GEAR; */
static void nsci_track_joint(const nsc_world *w, nsc_joint *j);

/*@ requires \initialized(p) && 1 <= p->body_count <= NSC_MAX_BODIES && 0 <= p->block_count <= NSC_MAX_BLOCKS;
  @ requires \valid_read(&p->masses[0 .. p->body_count - 1]) && \initialized(&p->masses[0 .. p->body_count - 1]);
  @ requires \valid_read(&p->v_free[0 .. 6 * p->body_count - 1]) && \valid(&p->v[0 .. 6 * p->body_count - 1]);
  @ requires \valid(&p->blocks[0 .. p->block_count - 1]) && p->delassus == \null;
  @ requires \valid(&p->arena[0 .. p->arena_size - 1]);
  @ assigns \result, p->row_count, p->skipped_rows, p->blocks[0 .. NSC_MAX_BLOCKS - 1] \from p->masses[0 .. NSC_MAX_BODIES - 1],
            p->blocks[0 .. NSC_MAX_BLOCKS - 1], p->v_free[0 .. 6 * NSC_MAX_BODIES - 1];
  @ ensures \initialized(&p->blocks[0 .. NSC_MAX_BLOCKS - 1]) && \initialized(&p->row_count) && 0 <= p->skipped_rows <= 1000000;
  @ ensures BLOCKED; */
static int nsci_prepare(nsc_problem *p);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. NSC_MAX_BLOCKS - 1], p->v[0 .. 6 * NSC_MAX_BODIES - 1],
            p->arena[0 .. NSC_ARENA - 1] \from *s, p->masses[0 .. NSC_MAX_BODIES - 1],
            p->blocks[0 .. NSC_MAX_BLOCKS - 1], p->v_free[0 .. 6 * NSC_MAX_BODIES - 1];
  @ ensures \initialized(r) && \initialized(&p->v[0 .. 6 * NSC_MAX_BODIES - 1]);
  @ ensures \initialized(&p->blocks[0 .. NSC_MAX_BLOCKS - 1]) && \initialized(&p->arena[0 .. NSC_ARENA - 1]);
  @ ensures BLOCKED;
  @ ensures 0 <= r->iterations <= 1000000 && 0 <= r->skipped_rows <= 1000000 && -1 <= r->worst_block < NSC_MAX_BLOCKS; */
NSC_API int nsc_solve(nsc_problem *p, const nsc_settings *s, nsc_report *r);
#endif

#ifdef PROVE_AUTO
/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2]
            \from *p, *s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_sipgs(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r) && NSC_SOLVER_APGD <= solver <= NSC_SOLVER_NEWTON;
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2]
            \from *p, *s, solver;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
static int nsci_solve_by(int solver, nsc_problem *p, const nsc_settings *s, nsc_report *r);
#endif

/* Eva does not see that x < 1e5 excludes a NaN; the driver of this one takes the cases apart. */
/*@ requires \is_NaN(x) || x >= 0;
  @ assigns *sine, *cosine \from x;
  @ ensures \initialized(sine) && \initialized(cosine); */
static void nsci_sin_cos(nsc_real x, nsc_real *sine, nsc_real *cosine);

/* For the same reason */
/*@ requires \initialized(p);
  @ assigns \result \from *p, x;
  @ ensures 0 <= \result < NSC_STRIPS; */
static int nsci_strip_at(const nsci_sweep *p, nsc_real x);

#ifdef PROVE_COPY
/* From a contact to another one.  That the two are apart: drive_collide_shapes */
/*@ requires size == sizeof(nsc_contact) && \valid((nsc_contact *)to);
  @ requires \valid_read((nsc_contact *)from) && \initialized((nsc_contact *)from);
  @ assigns *(nsc_contact *)to \from *(nsc_contact *)from;
  @ ensures \initialized((nsc_contact *)to); */
static void nsci_copy(void *to, const void *from, size_t size);
#endif

/* drive_sort_found.  Trusted: that the shapes of all contacts are below shape_end, as contacts go with their shapes, and
   what is loaded has been looked up. */
#define ORDER(i) (i >= NSC_MAX_CONTACTS || w->order[i] < NSC_MAX_CONTACTS)
/*@ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->shape_end <= NSC_MAX_SHAPES;
  @ requires \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ assigns w->order[0 .. NSC_MAX_CONTACTS - 1], w->by_island[0 .. NSC_MAX_CONTACTS - 1], w->rank_begin[0 .. NSC_MAX_SHAPES + 1]
            \from w->order[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->shape_end;
  @ ensures FOUR(ORDER); */
static void nsci_sort_found(nsc_world *w);

#ifdef PROVE_STRIPS
/* drive_meet_strip; trusted: that what is counted stays far from the end of an int (16 points of 16383 shapes' pairs do) */
/*@ requires \initialized(p) && 0 <= p->axis <= 2 && 0 <= i < NSC_MAX_SHAPES && 0 <= k < NSC_STRIPS;
  @ requires 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->report.pairs, w->report.dropped,
            w->points[0 .. NSC_MAX_POINTS - 1], w->convex \from *w, *p, i, k, h;
  @ ensures 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->report.pairs <= 1000000 && 0 <= w->report.dropped <= 1000000;
  @ ensures \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]); */
static void nsci_meet_strip(nsc_world *w, const nsci_sweep *p, int i, int k, nsc_real h);
#endif

/* Only looks at numbers; other drivers take the bodies. */
/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:*d;
  @ assigns \result \from indirect:*d;
  @ ensures -100 <= \result <= 0; */
static int nsci_check_axis(nsci_why *note, const nsc_axis_def *d);

/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:*p;
  @ assigns \result \from indirect:*p;
  @ ensures -100 <= \result <= 0; */
static int nsci_check_pose(nsci_why *note, const nsc_pose *p);

/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:I[0 .. 5];
  @ assigns \result \from indirect:I[0 .. 5];
  @ ensures -100 <= \result <= 0; */
static int nsci_check_inertia(nsci_why *note, const nsc_real *I);

/*@ requires \valid(box);
  @ assigns *box \from indirect:*g, more;
  @ ensures \initialized(box); */
static void nsci_bounds(const nsci_geom *g, nsc_real more, nsc_aabb *box);

#ifdef PROVE_GEAR
/* Both joints are there: who asks has just looked.  (drive_get_joint takes the other case, too.) */
/*@ assigns \result, *f1, *f2 \from indirect:*w, indirect:*d;
  @ ensures \initialized(f1) && \initialized(f2);
  @ ensures 0 <= f1->a < NSC_MAX_BODIES && 0 <= f1->b < NSC_MAX_BODIES && 0 <= f2->a < NSC_MAX_BODIES && 0 <= f2->b < NSC_MAX_BODIES; */
static nsc_real nsci_gear_position(const nsc_world *w, const nsc_joint_def *d, nsci_frames *f1, nsci_frames *f2);
#endif

/* The archive.  `refused` stands for T.code < 0: Eva tells apart the values of a variable, but not of a field. */
static nsci_tape T;
static int refused;
#define REFUSED(t) (0 <= refused <= 1 && (refused == 0 <==> (t)->code == 0) && -100 <= (t)->code <= 0)

/*@ requires code < 0;
  @ assigns t->code \from t->code, code;
  @ assigns refused \from \nothing;
  @ ensures refused == 1 && -100 <= t->code <= -1; */
static void nsci_tape_refuse(nsci_tape *t, int code);

/* Trusted: that nothing is read or written behind the end, and that what is written has its value. */
/*@ requires 1 <= n <= 4;
  @ assigns \result, t->hash \from x, indirect:*t, indirect:n;
  @ assigns t->at \from t->at, indirect:*t, indirect:n;
  @ assigns t->code, refused \from t->code, refused, indirect:*t, indirect:n;
  @ ensures t->mode != NSCI_READ ==> \result == x;
  @ ensures n == 1 && t->mode != NSCI_MEASURE ==> \result <= 255;
  @ ensures n == 2 && t->mode != NSCI_MEASURE ==> \result <= 65535;
  @ ensures (refused == \old(refused) && t->code == \old(t->code)) ||
            (refused == 1 && \old(refused) == 0 && t->code == NSC_ERR_ARGUMENT && t->mode == NSCI_READ); */
static nsci_bits nsci_tape_bits(nsci_tape *t, nsci_bits x, int n);

/* The slot is what the image says there, and nsci_check_slot (drive_check_slot) has let it pass. */
/*@ assigns \result \from indirect:*t, indirect:things, indirect:i;
  @ ensures i < 0 || i >= t->slots[things] ==> \result.generation == 0;
  @ ensures things == NSCI_SLOTS_OF_SHAPES ==> 0 <= \result.body < NSC_MAX_BODIES && \result.kind <= NSC_HEIGHT_FIELD;
  @ ensures things == NSCI_SLOTS_OF_JOINTS ==> \result.kind <= NSC_GEAR;
  @ ensures things == NSCI_SLOTS_OF_SPRINGS ==> \result.kind <= 1; */
static nsci_slot nsci_slot_at(const nsci_tape *t, int things, int i);

/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:*d;
  @ assigns \result \from indirect:*d;
  @ ensures \result < 0 || (\result == 0 && CHECKED(d)); */
static int nsci_check_world_def(nsci_why *note, const nsc_world_def *d);

/*@ assigns \result \from indirect:*d;
  @ ensures 0 <= \result <= JOINT_ROOM; */
static int nsci_joint_blocks(const nsc_joint_def *d);

/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:*def, indirect:*d;
  @ assigns \result \from indirect:*def, indirect:*d;
  @ ensures -100 <= \result <= 0; */
static int nsci_check_stepper_joint(nsci_why *note, const nsc_world_def *def, const nsc_joint_def *d);

/*@ assigns \result \from indirect:*image, indirect:length; */
static uint32_t nsci_image_crc(const unsigned char *image, uint32_t length);

/* proved in contracts.c */
/*@ requires \valid_read(a) && \valid_read(b) && \initialized(a) && \initialized(b);
  @ assigns \result \from *a, *b;
  @ ensures a == b ==> \result == 0;
  @ ensures -1 <= \result <= 1; */
static int nsci_pair_order(const nsc_contact *a, const nsc_contact *b);

/*@ requires \initialized(w) && w->report.matched == 0;
  @ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS && 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ requires FOUR(USED);
  @ assigns w->used[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->report.matched
            \from w->contacts[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->def, h;
  @ ensures \initialized(&w->used[0 .. NSC_MAX_CONTACTS - 1]) && \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ ensures FOUR(USED);
  @ ensures 0 <= w->report.matched <= 4 * NSC_MAX_CONTACTS; */
static void nsci_match_contacts(nsc_world *w, nsc_real h);

#ifdef PROVE_SELFCHECK
/*@ assigns \result \from *w; */
static uint32_t nsci_selfcheck_scene(nsc_world *w);
#endif

/* ---- the world: what is assumed before a call and asserted after it -------------------------------- */

static nsc_world W;

/* A field is 3 by 2, the only form (with 2 by 3) that its samples allow beside 2 by 2. */
static void any_world(void)
{
    int i, k;
    FILL(W);
    W.def.tag = ANY(0, 15);
    W.def.substeps = ANY(1, 64);
    W.def.stepper = ANY(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_NEWMARK);
    W.def.newton_steps = ANY(1, 1000);
    W.def.contact_model = ANY(NSC_CONTACT_HARD, NSC_CONTACT_SMOOTH);
    W.def.contact_law = ANY(NSC_SMOOTH_HOOKE, NSC_SMOOTH_FLORES);
    W.steady = ANY(0, 2);
    W.body_end = ANY(1, NSC_MAX_BODIES);
    W.shape_end = ANY(0, NSC_MAX_SHAPES);
    W.joint_end = ANY(0, NSC_MAX_JOINTS);
    W.spring_end = ANY(0, NSC_MAX_SPRINGS);
    W.contact_count = ANY(0, NSC_MAX_CONTACTS);
    W.event_count = ANY(0, NSC_MAX_EVENTS);
    W.found_count = ANY(0, NSC_MAX_CONTACTS);
    W.report.islands = ANY(0, NSC_MAX_BODIES);
    for (i = 0; i < NSC_MAX_BODIES; i++) W.bodies[i].particle = ANY(0, 1), W.bodies[i].asleep = ANY(0, 1);
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        W.shapes[i].body = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
        W.shapes[i].data = 0;
        W.shapes[i].def.kind = ANY(0, NSC_HEIGHT_FIELD); /* 0: never used */
        W.sweep[i] = (uint16_t)ANY(0, NSC_MAX_SHAPES - 1);
        W.strip[i] = (uint8_t)ANY(0, NSC_STRIPS - 1);
    }
    //@ loop unroll NSC_STRIPS;
    for (i = 0; i < NSC_STRIPS; i++) W.strip_end[i] = (uint16_t)ANY(0, NSC_MAX_SHAPES);
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        W.joints[i].def.kind = ANY(0, NSC_GEAR);
        for (k = 0; k < 3; k++) W.joints[i].turns[k] = ANY(-1000000000, 1000000000); /* Eva forgets what has just been asked */
        for (k = 0; k < 2; k++) W.next_link[i][k] = (uint16_t)ANY(0, NSC_MAX_JOINTS);
    }
    for (i = 0; i < NSC_MAX_BODIES; i++) W.first_link[i] = (uint16_t)ANY(0, NSC_MAX_JOINTS);
    for (i = 0; i < NSC_MAX_HULLS; i++) {
        nsc_hull *h = &W.hulls[i];
        h->vertices = (uint8_t)ANY(0, NSC_HULL_VERTICES);
        h->faces = (uint8_t)ANY(0, NSC_HULL_FACES);
        for (k = 0; k <= NSC_HULL_FACES; k++) h->first[k] = (uint8_t)ANY(0, NSC_HULL_CORNERS);
        for (k = 0; k < NSC_HULL_CORNERS; k++) h->corner[k] = (uint8_t)ANY(0, NSC_HULL_VERTICES - 1);
    }
    for (i = 0; i < NSC_MAX_FIELDS; i++) W.fields[i].nx = (uint16_t)ANY(2, 3), W.fields[i].ny = 2;
    for (i = 0; i < NSC_MAX_CONTACTS; i++) W.order[i] = (uint16_t)ANY(0, NSC_MAX_CONTACTS - 1), W.used[i] = (uint8_t)ANY(0, 1);
}

static void check_world(void)
{
    int i;
    //@ assert tag: 0 <= W.def.tag <= 15;
    //@ assert substeps: 1 <= W.def.substeps <= 64;
    //@ assert stepper: NSC_STEPPER_EULER_IMPLICIT_LINEARIZED <= W.def.stepper <= NSC_STEPPER_NEWMARK;
    //@ assert newton_steps: 1 <= W.def.newton_steps <= 1000;
    //@ assert contact_model: NSC_CONTACT_HARD <= W.def.contact_model <= NSC_CONTACT_SMOOTH;
    //@ assert contact_law: NSC_SMOOTH_HOOKE <= W.def.contact_law <= NSC_SMOOTH_FLORES;
    //@ assert steady: 0 <= W.steady <= 2;
    //@ assert body_end: 1 <= W.body_end <= NSC_MAX_BODIES;
    //@ assert shape_end: 0 <= W.shape_end <= NSC_MAX_SHAPES;
    //@ assert joint_end: 0 <= W.joint_end <= NSC_MAX_JOINTS;
    //@ assert spring_end: 0 <= W.spring_end <= NSC_MAX_SPRINGS;
    //@ assert contact_count: 0 <= W.contact_count <= NSC_MAX_CONTACTS;
    //@ assert event_count: 0 <= W.event_count <= NSC_MAX_EVENTS;
    //@ assert found_count: 0 <= W.found_count <= NSC_MAX_CONTACTS;
    //@ assert islands: 0 <= W.report.islands <= NSC_MAX_BODIES;
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        //@ assert particle: 0 <= W.bodies[i].particle <= 1;
        //@ assert asleep: 0 <= W.bodies[i].asleep <= 1;
        //@ assert first_link: W.first_link[i] <= NSC_MAX_JOINTS;
        ;
    }
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        //@ assert body: W.shapes[i].body < NSC_MAX_BODIES;
        //@ assert data: W.shapes[i].data == 0;
        //@ assert kind: 0 <= W.shapes[i].def.kind <= NSC_HEIGHT_FIELD;
        //@ assert sweep: W.sweep[i] < NSC_MAX_SHAPES;
        //@ assert strip: W.strip[i] < NSC_STRIPS;
        ;
    }
    //@ loop unroll NSC_STRIPS;
    for (i = 0; i < NSC_STRIPS; i++) {
        //@ assert strip_end: W.strip_end[i] <= NSC_MAX_SHAPES;
        ;
    }
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        //@ assert joint: 0 <= W.joints[i].def.kind <= NSC_GEAR;
        //@ assert next_link: W.next_link[i][0] <= NSC_MAX_JOINTS && W.next_link[i][1] <= NSC_MAX_JOINTS;
        ;
    }
    for (i = 0; i < NSC_MAX_HULLS; i++) {
        //@ assert vertices: W.hulls[i].vertices <= NSC_HULL_VERTICES;
        //@ assert faces: W.hulls[i].faces <= NSC_HULL_FACES;
        //@ assert first: \forall integer k; 0 <= k <= NSC_HULL_FACES ==> W.hulls[i].first[k] <= NSC_HULL_CORNERS;
        //@ assert corner: \forall integer k; 0 <= k < NSC_HULL_CORNERS ==> W.hulls[i].corner[k] < NSC_HULL_VERTICES;
        ;
    }
    for (i = 0; i < NSC_MAX_FIELDS; i++) {
        //@ assert samples: W.fields[i].nx * W.fields[i].ny <= NSC_FIELD_SAMPLES;
        ;
    }
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        //@ assert order: W.order[i] < NSC_MAX_CONTACTS;
        //@ assert used: W.used[i] <= 1;
        ;
    }
}

/* Shapes of one kind: Eva does not tell by it whether a geometry has a hull or a field.  Only the last face ends where
   the corners do. */
static void any_world_of_one_kind(int kind)
{
    int i;
    any_world();
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) W.shapes[i].def.kind = kind;
    W.hulls[0].faces = NSC_HULL_FACES;
    for (i = 0; i < NSC_HULL_FACES; i++) W.hulls[0].first[i] = (uint8_t)ANY(0, NSC_HULL_CORNERS - 1);
}

static nsc_vec3 any_vec(void)
{
    nsc_vec3 v;
    FILL(v);
    return v;
}

/* The caller's force: anything, or as it was */
static void any_force(void *user, const nsc_world *world, nsc_id body, nsc_force *f)
{
    (void)user, (void)world, (void)body;
    f->force = any_vec(), f->torque = any_vec();
    f->derivative = ANY_INT;
    Frama_C_make_unknown((char *)f->stiffness, sizeof f->stiffness);
    Frama_C_make_unknown((char *)f->damping, sizeof f->damping);
}

static nsc_calls Calls;

/* The step lengths are anything, too: those of nsci_begin_scheme from any definition */
static nsci_scheme any_scheme(void)
{
    nsci_scheme s;
    Calls.user = NULL, Calls.stop = NULL, Calls.force = MAYBE(&any_force);
    s.calls = MAYBE(&Calls);
    s.mode = ANY(NSCI_LINEARIZED, NSCI_NEWTON);
    s.first = ANY(0, 1), s.last = ANY(0, 1), s.newmark = ANY(0, 1);
    s.h = any, s.hf = any, s.hx = any;
    s.alpha = any, s.beta = any, s.gamma = any;
    return s;
}

/* Bodies of the problem of an island, and those with a force of the caller's */
static void any_inner(void)
{
    int i;
    W.given_open = ANY(0, 1), W.given_count = ANY(0, NSC_MAX_FORCES);
    for (i = 0; i < NSC_MAX_FORCES; i++) W.given_to[i] = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        W.inner[i] = (uint16_t)ANY(0, NSC_MAX_BODIES - 1), W.outer[i] = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
        W.island[i] = (uint16_t)(ANY(0, 1) ? ANY(0, NSC_MAX_BODIES - 1) : NSCI_NOWHERE);
    }
}

/* ---- parts of the step ------------------------------------------------------------------------------ */

/* n corners, the others uninitialised, so that reading there is an alarm */
static void any_corners(nsci_corner *c, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        c[i].u = any, c[i].v = any, c[i].w = any;
        c[i].id = (uint8_t)ANY(0, 255), c[i].edge = (uint8_t)ANY(0, 255);
    }
}

void drive_clip(void)
{
    nsci_corner c[8];
    int n = ANY(0, 8);
    //@ split n;
    any_corners(c, n > 0 ? n : 1);
    nsci_clip(c, n, ANY(0, 3), any);
}

void drive_reduce(void)
{
    nsci_corner c[8];
    int n = ANY(0, 8);
    //@ split n;
    any_corners(c, n);
    nsci_reduce(c, n);
}

void drive_collide(void)
{
    nsci_geom a, b;
    nsc_point out[NSC_MANIFOLD]; /* the world's own: never uninitialised */
    FILL(out);
    FILL(a);
    FILL(b);
    nsci_collide(&a, &b, any, out);
}

void drive_sin_cos(void)
{
    nsc_real s, c;
    nsci_sin_cos(Frama_C_float_interval(0, FLT_MAX), &s, &c);
    nsci_sin_cos(INFINITY, &s, &c);
    /* a NaN fails x < 1e5 and goes on as the 0 of the first case */
}

/* With 2 contacts: Eva has to tell all orders apart to see that the walk ends and the counter cannot. */
void drive_match(void)
{
    int i;
    any_world();
    //@ split W.found_count;
    //@ split W.contact_count;
    for (i = 0; i < W.found_count; i++) {
        W.order[i] = (uint16_t)ANY(0, W.found_count - 1);
        //@ split W.order[i];
        ;
    }
    W.report.matched = 0;
    nsci_match_contacts(&W, any);
    check_world();
}

/* With 8 contacts: more than one gap width takes part. */
void drive_sort(void)
{
    any_world();
    nsci_sort(&W, -1, W.order, W.found_count);
    nsci_sort(&W, ANY(0, 2), W.sweep, W.shape_end);
    check_world();
}

/* What contracts.c says of it */
void drive_rank(void)
{
    int own = nsci_rank(Frama_C_interval(-2147483647 - 1, -1)), other = nsci_rank(Frama_C_interval(0, 2147483647));
    //@ assert own: own == 0;
    //@ assert other: 1 <= other <= 16384;
}

/* Contacts of any two shapes, or of the caller's own, in any number up to three; that all are sorted, and by rank.  The shapes
   are counted out: Eva does not relate how many are counted to how many are placed. */
void drive_sort_found(void)
{
    int n, i, k, at[6];
    any_world();
    W.shape_end = 2;
    for (n = 0; n <= 3; n++)
        for (k = 0; k < (n == 0 ? 1 : n == 1 ? 9 : n == 2 ? 81 : 729); k++) {
            at[0] = k % 3, at[1] = k / 3 % 3, at[2] = k / 9 % 3, at[3] = k / 27 % 3, at[4] = k / 81 % 3, at[5] = k / 243;
            W.found_count = n;
            for (i = 0; i < n; i++) {
                W.found[i].shape_a = at[2 * i] == 0 ? -1 : at[2 * i] - 1 + 16384 * 3;
                W.found[i].shape_b = at[2 * i + 1] == 0 ? -1 : at[2 * i + 1] - 1 + 16384 * 3;
            }
            nsci_sort_found(&W);
            for (i = 0; i < n; i++) {
                //@ assert there: W.order[i] < n;
                ;
            }
            for (i = 1; i < n; i++) {
                const nsc_contact *c = &W.found[W.order[i - 1]], *d = &W.found[W.order[i]];
                int before = 3 * nsci_rank(c->shape_a) + nsci_rank(c->shape_b), after = 3 * nsci_rank(d->shape_a) + nsci_rank(d->shape_b);
                //@ assert sorted: before <= after;
            }
        }
    check_world();
}

/* Copies word by word, of sizes as they occur; what comes behind stays. */
void drive_copy(void)
{
    unsigned a[40], b[40];
    nsc_real v[18], v_free[18];
    int i, n = ANY(1, 3);
    nsc_contact c, d;
    nsc_problem p;
    nsc_step_report before, after;
    FILL(c), FILL(before), FILL(a), FILL(v_free);
    b[39] = 1;
    nsci_copy(b, a, 39 * sizeof *b);
    nsci_clear(a, 39 * sizeof *a);
    //@ assert copied: \initialized(&b[0 .. 39]) && b[39] == 1;
    for (i = 0; i < 39; i++) {
        //@ assert cleared: a[i] == 0;
        ;
    }
    nsci_copy(&d, &c, sizeof c);
    nsci_copy(&after, &before, sizeof before);
    nsci_clear(&p, sizeof p);
    //@ assert nothing: p.blocks == \null && p.block_count == 0 && p.row_count == 0;
    //@ split n;
    nsci_copy(v, v_free, sizeof(nsc_real) * (size_t)(6 * n));
    nsci_clear(v, sizeof(nsc_real) * (size_t)(6 * n));
}

/* ---- broad phase ------------------------------------------------------------------------------------- */

static nsci_sweep any_sweep(void)
{
    nsci_sweep p;
    p.axis = ANY(0, 2), p.across = ANY(0, 2);
    p.low = any, p.scale = any;
    return p;
}

/* What a step counts from 0 */
static void any_counts(void)
{
    W.report.pairs = ANY(0, 1000000), W.report.dropped = ANY(0, 1000000);
}

/* Where the shapes are */
void drive_frames(void)
{
    nsc_frame f;
    nsci_geom g;
    int n, kind = ANY(0, NSC_HEIGHT_FIELD), s = ANY(0, NSC_MAX_SHAPES - 1);
    //@ split kind;
    any_world_of_one_kind(kind);
    //@ split W.shape_end;
    f = nsci_frame(&W, &W.shapes[s]);
    nsci_place_at(&W, &g, &W.shapes[s], &f);
    nsci_place(&W, &W.shapes[s]);
    n = nsci_bound_shapes(&W, any);
    //@ assert bounded: 0 <= n <= W.shape_end;
    check_world();
}

void drive_plan_sweep(void)
{
    nsci_sweep p;
    any_world();
    p = nsci_plan_sweep(&W, ANY(0, NSC_MAX_SHAPES));
    //@ assert axis: 0 <= p.axis <= 2;
    //@ assert across: 0 <= p.across <= 2;
    check_world();
}

/* Any place in strips; one that is NaN fails strip > 0 */
void drive_strip_at(void)
{
    nsci_sweep p = any_sweep();
    int k;
    p.low = NSC_R(0.0), p.scale = NSC_R(1.0);
    k = nsci_strip_at(&p, Frama_C_float_interval(-FLT_MAX, FLT_MAX));
    //@ assert finite: 0 <= k < NSC_STRIPS;
    k = nsci_strip_at(&p, INFINITY);
    //@ assert above: k == NSC_STRIPS - 1;
    k = nsci_strip_at(&p, -INFINITY);
    //@ assert below: k == 0;
}

void drive_sort_sweep(void)
{
    nsci_sweep p = any_sweep();
    any_world();
    nsci_sort_sweep(&W, &p, ANY(0, NSC_MAX_SHAPES));
    nsci_sort(&W, -1, W.order, W.found_count);
    check_world();
}

void drive_meet_strip(void)
{
    nsci_sweep p = any_sweep();
    int i, k = ANY(0, NSC_STRIPS - 1);
    any_world();
    any_counts();
    i = nsci_first_in_strip(&W, p.axis, k, any);
    //@ assert first: 0 <= i <= NSC_MAX_SHAPES;
    nsci_meet_strip(&W, &p, ANY(0, NSC_MAX_SHAPES - 1), k, any);
    check_world();
}

/* Contact points of two shapes, in any room that is left */
void drive_collide_shapes(void)
{
    any_world();
    any_counts();
    //@ split W.found_count;
    nsci_collide_shapes(&W, ANY(0, NSC_MAX_SHAPES - 1), ANY(0, NSC_MAX_SHAPES - 1), any);
    check_world();
}

void drive_find_contacts(void)
{
    any_world();
    any_counts();
    nsci_find_contacts(&W, any);
    check_world();
}

/* ---- the world's functions --------------------------------------------------------------------------- */

void drive_step(void)
{
    any_world();
    memset(W.islands, 0, sizeof W.islands); /* those of before are not looked at */
    nsc_world_step(MAYBE(&W), any);
    check_world();
}

void drive_init(void)
{
    nsc_world_def d;
    int code;
    FILL(d);
    FILL(W);
    code = nsc_world_init(&W, &d);
    if (code == NSC_OK) check_world();
    nsc_world_init(NULL, &d);
    nsc_world_init(&W, NULL);
    nsci_world_init(&W, &d, (size_t)ANY(0, 2147483647), ANY_INT);
}

void drive_set_def(void)
{
    nsc_world_def d;
    any_world();
    FILL(d);
    nsc_world_set_def(MAYBE(&W), MAYBE(&d));
    check_world();
}

void drive_add_body(void)
{
    nsc_body_def d;
    any_world();
    FILL(d);
    nsc_world_add_body(MAYBE(&W), MAYBE(&d));
    check_world();
}

void drive_remove_body(void)
{
    any_world();
    nsc_world_remove_body(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_shape(void)
{
    nsc_shape_def d;
    any_world();
    FILL(d);
    nsc_world_add_shape(MAYBE(&W), ANY_INT, MAYBE(&d));
    check_world();
}

void drive_remove_shape(void)
{
    any_world();
    nsc_world_remove_shape(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_contact(void)
{
    nsc_contact c;
    any_world();
    FILL(c);
    nsc_world_add_contact(MAYBE(&W), MAYBE(&c));
    check_world();
}

void drive_look(void)
{
    const nsc_contact *c;
    nsc_contact copy;
    any_world();
    nsc_world_report(MAYBE(&W));
    nsc_world_contact_count(MAYBE(&W));
    c = nsc_world_contact(MAYBE(&W), ANY_INT);
    if (c) copy = *c;
    check_world();
}

void drive_drop(void)
{
    any_world();
    W.contact_count = nsci_drop_contacts(W.contacts, W.contact_count, ANY_INT, ANY_INT);
    check_world();
}

void drive_get_pose(void)
{
    nsc_pose p;
    any_world();
    nsc_body_get_pose(MAYBE(&W), ANY_INT, MAYBE(&p));
    check_world();
}

void drive_set_pose(void)
{
    nsc_pose p;
    any_world();
    FILL(p);
    nsc_body_set_pose(MAYBE(&W), ANY_INT, p);
    check_world();
}

void drive_get_velocity(void)
{
    nsc_vec3 v, o;
    any_world();
    nsc_body_get_velocity(MAYBE(&W), ANY_INT, MAYBE(&v), MAYBE(&o));
    check_world();
}

void drive_set_velocity(void)
{
    any_world();
    nsc_body_set_velocity(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_get_mass(void)
{
    nsc_real mass, inertia[6];
    nsc_vec3 centre;
    any_world();
    nsc_body_get_mass(MAYBE(&W), ANY_INT, MAYBE(&mass), MAYBE(&centre), MAYBE(&inertia[0]));
    check_world();
}

void drive_add_force(void)
{
    any_world();
    nsc_body_add_force(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_add_force_at(void)
{
    any_world();
    nsc_body_add_force_at(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_clear_force(void)
{
    any_world();
    nsc_body_clear_force(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_impulse_at(void)
{
    any_world();
    nsc_body_add_impulse_at(MAYBE(&W), ANY_INT, any_vec(), any_vec());
    check_world();
}

void drive_get_contact_force(void)
{
    nsc_vec3 f, m;
    any_world();
    nsc_body_get_contact_force(MAYBE(&W), ANY_INT, MAYBE(&f), MAYBE(&m));
    check_world();
}

void drive_defaults(void)
{
    nsc_default_world_def();
    nsc_default_body_def();
    nsc_default_sphere_def(any);
    nsc_default_capsule_def(any, any);
    nsc_default_box_def(any, any, any);
    nsc_default_half_space_def();
    nsc_default_contact();
    nsc_default_settings();
    nsc_error_text(ANY_INT);
}

void drive_selfcheck(void)
{
    unsigned detail;
    nsc_selfcheck(MAYBE(&detail));
    nsc_selfcheck_text((unsigned)ANY_INT);
}

/* The scene has no input, so Eva executes it, 64 steps, as an interpreter would - and gets the same bits. */
void drive_scene(void)
{
    uint32_t hash;
    nsci_selfcheck_begin(&W, sizeof W, NSCI_CONFIG_WORD);
    hash = nsci_selfcheck_scene(&W);
    //@ assert same_bits: hash == NSCI_SELFCHECK_HASH;
    check_world();
}

/* With the contract of the scene: any hash */
void drive_world_selfcheck(void)
{
    unsigned detail;
    int code;
    any_world();
    code = nsci_world_selfcheck(MAYBE(&W), MAYBE(&detail), ANY(0, 1) ? sizeof W : 0, ANY_INT);
    check_world();
    code = nsc_world_selfcheck(&W, NULL);
}

/* ---- joints ---------------------------------------------------------------------------------------- */

void drive_add_joint(void)
{
    nsc_joint_def d;
    any_world();
    FILL(d);
    nsc_world_add_joint(MAYBE(&W), MAYBE(&d));
    check_world();
}

void drive_remove_joint(void)
{
    any_world();
    nsc_world_remove_joint(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_set_joint(void)
{
    nsc_axis_def d;
    any_world();
    FILL(d);
    nsc_joint_set_axis(MAYBE(&W), ANY_INT, ANY_INT, MAYBE(&d));
    nsc_joint_set_target(MAYBE(&W), ANY_INT, ANY_INT, any, any);
    check_world();
}

void drive_get_joint(void)
{
    nsc_joint_def d;
    nsc_axis_state s;
    nsc_vec3 f, t;
    nsc_real x, y;
    any_world();
    nsc_joint_get_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    nsc_joint_get_axis(MAYBE(&W), ANY_INT, ANY_INT, MAYBE(&s));
    nsc_joint_get_force(MAYBE(&W), ANY_INT, MAYBE(&f), MAYBE(&t));
    nsc_joint_get_drift(MAYBE(&W), ANY_INT, MAYBE(&x), MAYBE(&y));
    FILL(d);
    nsc_joint_place(MAYBE(&W), MAYBE(&d), any_vec(), any_vec(), any_vec());
    nsc_default_joint_def(ANY_INT, ANY_INT, ANY_INT);
    check_world();
}

/* Rows of one joint of any kind into as many blocks as it may need, and back */
void drive_fill_joint(void)
{
    static nsc_block blocks[NSC_JOINT_ROWS];
    static nsc_real sum[NSC_JOINT_ROWS][3];
    nsci_scheme s = any_scheme();
    any_world();
    FILL(blocks), FILL(sum);
    nsci_fill_joint(&W, &W.joints[0], ANY(0, NSC_MAX_BODIES - 1), ANY(0, NSC_MAX_BODIES - 1), &s, any, blocks);
    nsci_store_joint(&W, &W.joints[0], blocks, (const nsc_real(*)[3])sum);
    check_world();
}

/* ---- springs ---------------------------------------------------------------------------------------- */

void drive_add_spring(void)
{
    nsc_spring_def d;
    any_world();
    FILL(d);
    nsc_world_add_spring(MAYBE(&W), MAYBE(&d));
    nsc_default_spring_def(ANY_INT, ANY_INT);
    check_world();
}

void drive_remove_spring(void)
{
    any_world();
    nsc_world_remove_spring(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_spring(void)
{
    nsc_spring_def d;
    nsc_vec3 f;
    nsc_real length;
    any_world();
    nsc_spring_get_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    nsc_spring_get_force(MAYBE(&W), ANY_INT, MAYBE(&length), MAYBE(&f));
    FILL(d);
    nsc_spring_set_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    check_world();
}

/* Rows of a spring, whatever stands in it */
void drive_fill_spring(void)
{
    static nsc_block block;
    nsci_scheme s = any_scheme();
    any_world();
    FILL(block);
    nsci_fill_spring(&W, &W.springs[0], &s, any, &block);
    //@ assert rows: block.rows == 1 || block.rows == 3;
    //@ assert kind: block.kind == NSC_BLOCK_BOX;
    check_world();
}

/* ---- forces of the caller --------------------------------------------------------------------------- */

void drive_eigen6(void)
{
    nsc_real A[6][6], Q[6][6];
    FILL(A);
    nsci_eigen6(A, Q);
    //@ assert all: \initialized(&Q[0 .. 5][0 .. 5]);
}

void drive_fill_force(void)
{
    static nsc_block blocks[2];
    nsci_scheme s = any_scheme();
    nsc_force f;
    int n;
    any_world();
    any_inner();
    FILL(blocks);
    FILL(f);
    n = nsci_fill_force(&W, &s, ANY(0, NSC_MAX_BODIES - 1), &f, blocks);
    //@ assert blocks: 0 <= n <= 2;
    check_world();
}

/* ---- steppers --------------------------------------------------------------------------------------- */

void drive_steppers(void)
{
    nsci_scheme s;
    nsc_real v[6], d[6], J[12], va[6], vb[6];
    int a, b;
    any_world();
    s = nsci_begin_scheme(&W, any, NULL);
    //@ assert mode: NSCI_LINEARIZED <= s.mode <= NSCI_NEWTON;
    //@ assert newmark: 0 <= s.newmark <= 1;
    s = any_scheme();
    FILL(J), FILL(va), FILL(vb);
    a = ANY(0, NSC_MAX_BODIES - 1), b = ANY(0, NSC_MAX_BODIES - 1);
    nsci_hat(&W, &s, a, v);
    nsci_displacement(&W, &s, a, v, d);
    nsci_row_travel(&W, &s, J, a, b, va, vb);
    nsci_row_origin(&W, &s, J, a, b, any);
    check_world();
}

void drive_move_body(void)
{
    nsc_real v[6];
    nsci_scheme s = any_scheme();
    int i = ANY(1, NSC_MAX_BODIES - 1);
    any_world();
    FILL(v);
    nsci_move_body(&W, &s, i, &W.bodies[i], v);
    nsci_hold_start(&W, 0);
    nsci_try_motion(&W, &s, i);
    nsci_hold_start(&W, 1);
    nsci_hold_motion(&W, W.found_count, 0);
    nsci_hold_motion(&W, W.found_count, 1);
    check_world();
}

void drive_keep_rates(void)
{
    nsci_scheme s = any_scheme();
    any_world();
    any_inner();
    nsci_keep_rates(&W, &s);
    check_world();
}

/* Parts of the step that have an island and its problem: anything that fits in the world */
static nsc_island *any_island(nsc_problem *p)
{
    int i;
    nsc_island *own = &W.islands[0];
    any_inner();
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        W.members[i] = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
    }
    for (i = 0; i < 6; i++) {
        W.blocks[i].a = ANY(0, NSC_MAX_BODIES - 1), W.blocks[i].b = ANY(0, NSC_MAX_BODIES - 1);
        W.blocks[i].rows = (unsigned char)ANY(1, 3);
        W.blocks[i].kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_ROLLING);
    }
    own->bodies = ANY(0, NSC_MAX_BODIES - 1), own->first_body = 0;
    own->first_block = ANY(0, 1), own->joint_blocks = ANY(0, 1), own->springs = ANY(0, NSC_MAX_SPRINGS);
    //@ split own->springs;
    own->first_spring = ANY(0, NSC_MAX_SPRINGS - own->springs);
    for (i = 0; i < NSC_MAX_SPRINGS; i++) W.spring_by_island[i] = (uint16_t)ANY(0, NSC_MAX_SPRINGS - 1);
    memset(p, 0, sizeof *p);
    p->body_count = ANY(1, NSC_MAX_BODIES);
    p->blocks = W.blocks + 1, p->block_count = ANY(0, 4); /* rolling friction is never the first */
    p->v = W.island_v;
    return own;
}

void drive_island_springs(void)
{
    nsci_scheme s = any_scheme();
    nsc_problem p;
    nsc_island *own;
    any_world();
    own = any_island(&p);
    nsci_take_springs(&W, own, any);
    nsci_fill_springs(&W, own, &s, ANY(0, 1), ANY(0, 4));
    nsci_store_springs(&W, any);
    check_world();
}

/* Joints of up to three islands, two in all, as nsci_find_islands lists them */
void drive_island_joints(void)
{
    nsci_scheme s = any_scheme();
    int i, n, joints = 0;
    any_world();
    any_inner();
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        W.joint_by_island[i] = (uint16_t)ANY(0, NSC_MAX_JOINTS - 1);
        //@ split W.joint_by_island[i];
        ;
    }
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        n = ANY(0, NSC_MAX_JOINTS - joints);
        //@ split n;
        W.islands[i].joints = n, W.islands[i].first_joint = joints;
        W.islands[i].first_block = ANY(0, 4), W.islands[i].asleep = ANY(0, 1);
        joints += n;
    }
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        n = nsci_fill_joints(&W, &W.islands[i], &s, ANY(0, 1), 4);
        //@ assert room: 4 <= n <= 4 + NSC_MAX_JOINT_BLOCKS;
    }
    nsci_store_joints(&W, any);
    check_world();
}

/* Islands of two bodies and the ground, and of two things between them: contacts, joints or springs, all of one kind; then the
   bodies of the problem of each island.  second: 0 if the second one is free, or only a sensor; 2: all kinds at once,
   the second joint and spring free; 3: body 2 free, too.  What joins what is counted out, as Eva does not tell so many
   cases apart. */
#ifndef KIND
#define KIND 0
#endif
static void islands_of(int kinds, int together, int second, const int *ends)
{
    nsci_scheme scheme = any_scheme();
    int i, n, count;
    any_world();
    any_inner();
    W.def.tag = 0;
    W.bodies[0].kind = NSC_STATIC_BODY, W.bodies[0].generation = 1;
    W.body_end = 3;
    for (i = 1; i < 3; i++) {
        W.bodies[i].kind = kinds >> (i - 1) & 1 ? NSC_DYNAMIC_BODY : NSC_KINEMATIC_BODY;
        W.bodies[i].generation = 1;
        if (together) W.bodies[i].asleep = 0;
    }
    W.found_count = KIND == 0 || second > 1 ? 2 : 0;
    W.joint_end = KIND == 1 || second > 1 ? 2 : 0;
    W.spring_end = KIND == 2 || second > 1 ? 2 : 0;
    for (i = 0; i < 2; i++) {
        nsc_id a = nsci_body_handle(&W, ends[2 * i]), b = nsci_body_handle(&W, ends[2 * i + 1]);
        W.order[i] = (uint16_t)(1 - i);
        W.found[i].body_a = a, W.found[i].body_b = b, W.found[i].sensor = i > 0 && !second;
        if (second) W.found[i].restitution = NSC_R(0.0); /* or it may wait */
        W.joints[i].def.body_a = a, W.joints[i].def.body_b = b, W.joints[i].generation = (uint16_t)(i == 0 || second == 1);
        W.springs[i].def.body_a = a, W.springs[i].def.body_b = b, W.springs[i].generation = (uint16_t)(i == 0 || second == 1);
    }
    if (second > 2) W.bodies[2].generation = 2;
    nsci_find_islands(&W, any, together);
    count = W.report.islands;
    //@ assert count: 0 <= count < NSC_MAX_BODIES;
    for (i = 0; i < count && (second || KIND > 0); i++) {
        n = nsci_gather_bodies(&W, &W.islands[i], &scheme);
        //@ assert bodies: 2 <= n <= NSC_MAX_BODIES;
        for (n = 0; n < W.islands[i].contacts; n++) {
            //@ assert place: W.by_island[W.islands[i].first_contact + n] < W.found_count;
            ;
        }
        for (n = 0; n < W.islands[i].joints; n++) {
            //@ assert joint: W.joint_by_island[W.islands[i].first_joint + n] < W.joint_end;
            ;
        }
        for (n = 0; n < W.islands[i].springs; n++) {
            //@ assert spring: W.spring_by_island[W.islands[i].first_spring + n] < W.spring_end;
            ;
        }
    }
    check_world();
}

/* Each thing from the ground or a body to the ground or another one */
void drive_islands(void)
{
    static const int from[6] = {0, 0, 1, 1, 2, 2}, to[6] = {1, 2, 0, 2, 0, 1};
    int kinds, i, k, ends[4];
    for (kinds = 0; kinds < 4; kinds++)
        for (i = 0; i < 6; i++)
            for (k = 0; k < 6; k++) {
                ends[0] = from[i], ends[1] = to[i], ends[2] = from[k], ends[3] = to[k];
                islands_of(kinds, 0, 1, ends);
                islands_of(kinds, 1, 1, ends);
                if (i == k) islands_of(kinds, 0, 0, ends), islands_of(kinds, i > 2, 2 + i % 2, ends);
            }
}

void drive_fill_forces(void)
{
    nsci_scheme s = any_scheme();
    nsc_problem p;
    nsc_island *own;
    nsc_vec3 force = any_vec(), torque = any_vec();
    int n;
    any_world();
    W.report.dropped_derivatives = 0;
    own = any_island(&p);
    s.calls = &Calls, Calls.force = &any_force;
    nsci_ask_force(&W, &s, ANY(0, NSC_MAX_BODIES - 1), &force, &torque);
    own->places = ANY(0, 3 * NSC_MAX_BLOCKS);
    n = nsci_fill_forces(&W, own, &s, 3);
    //@ assert given: 0 <= W.given_count <= NSC_MAX_FORCES;
    //@ assert to: W.given_to[0] < NSC_MAX_BODIES;
    //@ assert room: 3 <= n <= 3 + 2 * NSC_MAX_FORCES;
    check_world();
}

void drive_newton_parts(void)
{
    int i, rows = ANY(1, 3);
    nsci_scheme s = any_scheme();
    nsc_problem p;
    nsc_island *own;
    any_world();
    own = any_island(&p);
    //@ split rows;
    for (i = 0; i < 6; i++) W.blocks[i].rows = (unsigned char)rows; /* all blocks of as many: Eva would forget what has been written */
    nsci_newton_noise(&W, own, &s);
    nsci_slope(&W, own, &s, &p);
    nsci_take_direction(&W, own, &p);
    nsci_go_along(&W, own, any);
    nsci_settle_spin(&W, &s, ANY(0, NSC_MAX_BODIES - 1), any_vec());
    check_world();
}

/* What a solver reports, over and over: no sum overflows. */
void drive_note_island(void)
{
    nsc_report r;
    any_world();
    FILL(r);
    r.iterations = ANY(0, 2147483647), r.worst_block = ANY(-1, NSC_MAX_BLOCKS - 1);
    W.islands[0].iterations = ANY(0, 2147483647), W.islands[0].first_block = ANY(0, NSC_MAX_BLOCKS - 1);
    W.report.solver.skipped_rows = ANY(0, 1000000), r.skipped_rows = ANY(0, 1000000);
    nsci_note_island(&W, &W.islands[0], &r);
    //@ assert iterations: W.islands[0].iterations >= 0;
    check_world();
}

/* Parts of the step that need no problem */
void drive_step_parts(void)
{
    nsci_scheme s = any_scheme();
    nsc_block k[2];
    int i;
    any_world();
    any_inner();
    FILL(k);
    k[0].a = ANY(0, NSC_MAX_BODIES - 1), k[0].b = ANY(0, NSC_MAX_BODIES - 1);
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        W.islands[i].first_body = 0, W.islands[i].bodies = ANY(0, NSC_MAX_BODIES);
        W.members[i] = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
    }
    W.report.asleep = W.report.dropped_derivatives = 0;
    nsci_free_velocity(&W, ANY(0, NSC_MAX_BODIES - 1), &s, ANY(0, 1));
    nsci_save_approach(&W);
    nsci_fill_contact(&W, &W.found[0], &k[0], &s);
    nsci_fill_rolling(&W.found[0], &k[0], &k[1]);
    nsci_aim_contact(&W, &W.found[0], &k[0], &s);
    nsci_check_motion(&W, any);
    nsci_integrate(&W, &s, any);
    nsci_settle(&W, any);
    nsci_comes_to_rest(&W);
    nsci_rest_on(&W, any);
    W.found_count = nsci_keep_own(W.found, W.found_count);
    check_world();
}

/* Rolling friction stands behind its contact. */
void drive_soft_impulse(void)
{
    static nsc_block k[2];
    nsc_real u[3], out[3];
    FILL(k), FILL(u), FILL(out);
    k[1].rows = (unsigned char)ANY(1, 3);
    k[1].kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_ROLLING);
    nsci_soft_impulse(&k[1], u, out);
}

/* ---- smooth contact --------------------------------------------------------------------------------- */

void drive_fifth_root(void) { nsci_fifth_root(any); }

void drive_contact_law(void)
{
    nsc_contact c;
    nsci_law l;
    any_world();
    FILL(c);
    l = nsci_contact_law(&W.def, &c, any, any);
    l = nsci_rolling_law(&l, any, any, any);
    nsci_mix_smooth(&W, &c, &W.shapes[0].def, &W.shapes[1].def);
    check_world();
}

/* A contact of two bodies of its problem, and its rolling friction or none */
static nsc_block *any_rows(void)
{
    int i;
    any_inner();
    for (i = 0; i < 2; i++) {
        FILL(W.blocks[i]);
        W.blocks[i].a = ANY(0, NSC_MAX_BODIES - 1), W.blocks[i].b = ANY(0, NSC_MAX_BODIES - 1);
        W.blocks[i].rows = (unsigned char)ANY(1, 3);
        W.blocks[i].kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_ROLLING);
    }
    return MAYBE(&W.blocks[1]);
}

void drive_aim_smooth(void)
{
    nsci_scheme s = any_scheme();
    nsc_block *roll;
    any_world();
    roll = any_rows();
    nsci_aim_smooth(&W, &W.found[0], &W.blocks[0], roll, &s, ANY(0, 1));
    //@ assert rows: W.blocks[0].rows == 1 || W.blocks[0].rows == 3;
    check_world();
}

void drive_take_smooth(void)
{
    nsci_scheme s = any_scheme();
    nsc_block *roll;
    any_world();
    roll = any_rows();
    nsci_take_smooth(&W, &W.found[0], &W.blocks[0], roll, &s);
    nsci_carry_smooth(&W.found[0], MAYBE(&W.contacts[0]));
    check_world();
}

/* Two contacts of one island, with what nsci_fill_contacts has left */
void drive_limit_step(void)
{
    nsci_scheme s = any_scheme();
    nsc_island own;
    int i;
    any_world();
    any_rows();
    FILL(own);
    own.contacts = ANY(0, 2), own.first_contact = 0;
    W.report.over_limit = 0;
    for (i = 0; i < 2; i++) {
        W.by_island[i] = (uint16_t)ANY(0, NSC_MAX_CONTACTS - 1);
        W.block_of[i] = 0;
    }
    for (; i < NSC_MAX_CONTACTS; i++) W.block_of[i] = 0;
    W.block_of[0] = (uint16_t)ANY(0, 1);
    nsci_limit_step(&W, &own, &s, NSC_MAX_BODIES);
    check_world();
}

/* ---- shapes and sensing ----------------------------------------------------------------------------- */

void drive_more(void)
{
    nsc_shape_def d;
    nsc_vec3 v, o;
    const nsc_island *i;
    const nsc_event *e;
    nsc_island island;
    nsc_event event;
    any_world();
    i = nsc_world_island(MAYBE(&W), ANY_INT);
    if (i) island = *i;
    nsc_world_event_count(MAYBE(&W));
    e = nsc_world_event(MAYBE(&W), ANY_INT);
    if (e) event = *e;
    nsc_body_is_asleep(MAYBE(&W), ANY_INT);
    nsc_body_wake(MAYBE(&W), ANY_INT);
    nsc_body_get_island(MAYBE(&W), ANY_INT);
    nsc_body_get_imu(MAYBE(&W), ANY_INT, any_vec(), MAYBE(&v), MAYBE(&o));
    nsc_shape_get_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    FILL(d);
    nsc_shape_set_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    nsc_default_cylinder_def(any, any);
    nsc_default_hull_def();
    nsc_default_height_field_def();
    check_world();
}

void drive_cast_ray(void)
{
    nsc_hit hit;
    int kind = ANY(0, NSC_HALF_SPACE); /* not terrain: nsci_cell_at makes an int of what may be a NaN */
    //@ split kind;
    any_world_of_one_kind(kind);
    nsc_world_cast_ray(MAYBE(&W), any_vec(), any_vec(), (uint32_t)ANY_INT, MAYBE(&hit));
    check_world();
}

void drive_overlap(void)
{
    nsc_shape_def d;
    nsc_id ids[2];
    nsc_hit hit;
    any_world();
    FILL(d), FILL(hit); /* Eva does not tell found from not found */
    nsc_world_overlap(MAYBE(&W), MAYBE(&d), (uint32_t)ANY_INT, MAYBE(ids), ANY(-1, 2));
    nsc_world_closest(MAYBE(&W), any_vec(), any, (uint32_t)ANY_INT, MAYBE(&hit));
    check_world();
}

void drive_add_field(void)
{
    nsc_shape_def d;
    nsc_real heights[NSC_FIELD_SAMPLES];
    any_world();
    FILL(d), FILL(heights);
    nsc_world_add_height_field(MAYBE(&W), ANY_INT, MAYBE(&d), MAYBE(heights), ANY(-1, 3), ANY(-1, 2), any, any);
    check_world();
}

void drive_events(void)
{
    any_world();
    W.report.dropped_events = 0;
    //@ split W.found_count;
    //@ split W.contact_count;
    nsci_find_events(&W);
    check_world();
}

/* ---- narrow phase ----------------------------------------------------------------------------------- */

static nsci_geom any_geom(void)
{
    nsci_geom g;
    FILL(g);
    g.kind = ANY(NSC_SPHERE, NSCI_TRIANGLE);
    g.hull = &W.hulls[0];
    g.field = &W.fields[0];
    return g;
}

static void any_patch(nsci_patch *f, int n)
{
    FILL(*f);
    f->n = ANY(n, NSCI_PATCH);
    f->face = ANY(-1, NSC_HULL_FACES - 1);
}

void drive_find_patch(void)
{
    nsci_geom g;
    any_world();
    g = any_geom();
    //@ split g.kind;
    nsci_find_patch(&g, any_vec(), &W.convex.patch[0]);
    //@ assert n: 0 <= W.convex.patch[0].n <= NSCI_PATCH;
}

void drive_clip_spots(void)
{
    any_world();
    nsci_clip_spots(W.convex.spots, ANY(1, NSCI_SPOTS), ANY(0, NSCI_PATCH), any_vec(), any_vec(), any);
}

void drive_spread(void)
{
    int pick[4], n = ANY(1, 9);
    //@ split n;
    FILL(W);
    nsci_spread(W.convex.spots, n, any_vec(), pick);
}

/* ---- drawing ---------------------------------------------------------------------------------------- */

static void line(void *user, nsc_vec3 from, nsc_vec3 to, int colour) { (void)user, (void)from, (void)to, (void)colour; }
static void point(void *user, nsc_vec3 at, int colour) { (void)user, (void)at, (void)colour; }

void drive_draw(void)
{
    nsc_draw d;
    int kind = ANY(0, NSC_HEIGHT_FIELD);
    //@ split kind;
    any_world_of_one_kind(kind);
    d.user = NULL;
    d.line = MAYBE(&line);
    d.point = MAYBE(&point);
    d.force_scale = any;
    nsc_world_draw(MAYBE(&W), MAYBE(&d), ANY_INT);
    check_world();
}

/* ---- hull ------------------------------------------------------------------------------------------- */

static nsc_vec3 points[5];

static nsci_cloud any_cloud(int n)
{
    nsci_cloud c;
    FILL(points);
    c.p = points, c.n = n;
    c.size = any, c.tol = any;
    return c;
}

void drive_hull_parts(void)
{
    nsci_cloud c = any_cloud(5);
    int t[3];
    nsc_vec3 normal = any_vec();
    any_world_of_one_kind(NSC_HULL);
    t[0] = ANY(0, 4), t[1] = ANY(0, 4), t[2] = ANY(0, 4);
    nsci_cloud_size(points, 5);
    nsci_hull_plane(&c, t, &normal);
    nsci_hull_known(&W.hulls[0], &c, t, normal);
    nsci_hull_closed(&W.hulls[0]);
    nsci_hull_measure(&W.hulls[0]);
    check_world();
}

void drive_hull_face(void)
{
    nsci_cloud c = any_cloud(5);
    uint16_t loop[2 * NSC_HULL_VERTICES];
    int i, n = ANY(3, 2 * NSC_HULL_VERTICES), faces = ANY(0, NSC_HULL_FACES);
    any_world();
    for (i = 0; i < 2 * NSC_HULL_VERTICES; i++) loop[i] = (uint16_t)ANY(0, 4);
    //@ split n;
    //@ split faces;
    W.hulls[0].faces = (uint8_t)faces;
    nsci_hull_add_face(&W.hulls[0], &c, loop, n);
    check_world();
}

void drive_hull_wrap(void)
{
    nsci_cloud c = any_cloud(5);
    uint16_t loop[2 * NSC_HULL_VERTICES];
    int t[3], n;
    for (n = 0; n < 2 * NSC_HULL_VERTICES; n++) loop[n] = (uint16_t)ANY(0, 4); /* Eva does not see that it has been written */
    t[0] = ANY(0, 4), t[1] = ANY(0, 4), t[2] = ANY(0, 4);
    n = nsci_hull_wrap(&c, t, any_vec(), loop, 2 * NSC_HULL_VERTICES);
    //@ assert n: n <= 2 * NSC_HULL_VERTICES;
}

/* ---- dump ------------------------------------------------------------------------------------------- */

static void say(void *user, const char *text)
{
    (void)user;
    //@ assert text: \valid_read(text);
}

void drive_say(void)
{
    nsci_text out;
    out.write = say, out.user = NULL;
    nsci_say_real(&out, any);
    nsci_say_int(&out, ANY_INT);
}

/* ---- archive ---------------------------------------------------------------------------------------- */

static unsigned char image[64];

static void any_tape(int mode)
{
    nsci_tape_start(&T, mode, mode == NSCI_READ ? NULL : &W);
    FILL(image);
    T.in = image, T.out = image;
    T.size = sizeof image;
    refused = 0;
}

/* The passes of nsc_world_load, over anything; what the second leaves when it succeeds is a world. */
void drive_load_check(void)
{
    any_tape(NSCI_READ);
    nsci_tape_header(&T, 0);
    nsci_tape_world(&T);
}

void drive_load(void)
{
    any_tape(NSCI_READ);
    T.to = &W;
    nsci_tape_header(&T, 0);
    nsci_tape_world(&T);
    if (T.code < 0 || W.body_end < 1) return; /* the ground: slot 0 has to be live */
    check_world();
}

void drive_load_whole(void)
{
    any_world();
    FILL(image);
    nsc_world_load(MAYBE(&W), MAYBE(image), ANY_INT);
}

void drive_tape_field(void)
{
    any_tape(NSCI_READ);
    T.to = MAYBE(&W);
    nsci_tape_field(&T, 0);
}

void drive_joint_blocks(void)
{
    nsc_joint_def d;
    int n;
    FILL(d);
    d.kind = ANY(0, NSC_GEAR);
    //@ split d.kind;
    n = nsci_joint_blocks(&d);
    //@ assert blocks: 0 <= n <= NSC_JOINT_ROWS;
}

/* Measuring, writing, hashing */
void drive_save(void)
{
    any_world();
    nsc_world_hash(MAYBE(&W));
    nsc_world_save(MAYBE(&W), MAYBE(image), ANY(-1, sizeof image));
    check_world();
}

void drive_check_def(void)
{
    nsc_world_def d;
    int code;
    FILL(d);
    code = nsci_check_world_def(NULL, &d);
    //@ assert def: code < 0 || (code == 0 && CHECKED(&d));
}

/* What the contract of nsci_slot_at says of a slot has been demanded. */
void drive_check_slot(void)
{
    nsci_slot s;
    int things = ANY(0, 3), i = ANY(0, NSC_MAX_BODIES - 1);
    any_tape(NSCI_READ);
    FILL(s);
    T.slots[0] = ANY(1, NSC_MAX_BODIES), T.slots[1] = ANY(0, NSC_MAX_SHAPES), T.slots[2] = ANY(0, NSC_MAX_JOINTS);
    T.slots[3] = ANY(0, NSC_MAX_SPRINGS);
    //@ split things;
    nsci_check_slot(&T, things, i, &s);
    any_tape(NSCI_READ);
    FILL(s);
    s.generation = (uint16_t)(2 * ANY(0, 32767) + 1);
    nsci_check_slot(&T, things, i, &s);
    if (T.code < 0) return;
    //@ assert body: things == NSCI_SLOTS_OF_SHAPES ==> 0 <= s.body < NSC_MAX_BODIES;
    //@ assert kind: s.kind <= (things == 0 ? NSC_DYNAMIC_BODY : things == 1 ? NSC_HEIGHT_FIELD : things == 2 ? NSC_GEAR : 1);
}

/* ---- the solvers ---------------------------------------------------------------------------------------
   ROWS_n: the rows of the n-th block, so that the row count is a number; 0: no such block.  The arena ends
   where the solver's need ends, so that one real too far is an alarm. */
#ifndef ROWS_1
#define ROWS_1 3
#endif
#ifndef ROWS_2
#define ROWS_2 1
#endif
#ifndef BODIES
#define BODIES 2
#endif
#define BLOCKS ((ROWS_1 > 0) + (ROWS_2 > 0))
#define ROWS (ROWS_1 + ROWS_2)
#ifndef ARENA
#define ARENA NSC_ARENA_DANTZIG(ROWS) /* the largest that one driver asks for */
#endif

static nsc_mass masses[BODIES];
static nsc_block blocks[BLOCKS > 0 ? BLOCKS : 1];
static nsc_real v_free[6 * BODIES], v[6 * BODIES], row_free[ROWS + 1], row_v[ROWS + 1], N[9 * BLOCKS * BLOCKS + 1];
static nsc_real arena[ARENA + 1];
static nsc_problem P;
static nsc_settings S;
static nsc_report R;

/* The caller's clock */
static int any_answer(void *user) { return user ? ANY_INT : 0; }

/* Bodies, or a matrix; blocks of anything */
static void any_problem(int matrix, int arena_size)
{
    FILL(masses), FILL(blocks), FILL(v_free), FILL(v), FILL(row_free), FILL(row_v), FILL(N), FILL(arena);
    FILL(S);
    P.body_count = BODIES;
    P.masses = matrix ? NULL : masses;
    P.v_free = matrix ? row_free : v_free;
    P.v = matrix ? row_v : v;
    P.delassus = matrix ? N : NULL;
    P.blocks = blocks;
    P.block_count = BLOCKS;
    P.arena = arena + (sizeof arena / sizeof arena[0] - arena_size);
    P.arena_size = arena_size;
    P.row_count = P.skipped_rows = ANY_INT;
    P.stop = MAYBE(&any_answer);
    P.user = MAYBE(&P);
    //@ slevel merge;
    ;
}

/* What nsc_problem_prepare leaves of it when it succeeds */
static void prepared(int matrix)
{
    int i;
    P.row_count = ROWS, P.skipped_rows = ANY(0, ROWS);
    for (i = 0; i < BLOCKS; i++) {
        blocks[i].kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_CONTACT);
        blocks[i].rows = (unsigned char)(i == 0 ? ROWS_1 : ROWS_2);
        blocks[i].row = i == 0 ? 0 : ROWS_1;
        if (matrix) continue;
        blocks[i].a = ANY(0, BODIES - 1);
        blocks[i].b = ANY(0, BODIES - 1);
    }
}

/* The same, asserted: after prepare, and that no solver breaks it. */
static void check_problem(int matrix)
{
    int i;
    //@ assert count: P.row_count == ROWS;
    //@ assert skipped: 0 <= P.skipped_rows <= ROWS;
    for (i = 0; i < BLOCKS; i++) {
        //@ assert kind: NSC_BLOCK_EQUALITY <= blocks[i].kind <= NSC_BLOCK_CONTACT;
        //@ assert rows: blocks[i].rows == (i == 0 ? ROWS_1 : ROWS_2);
        //@ assert row: blocks[i].row == (i == 0 ? 0 : ROWS_1);
        //@ assert a: matrix != 0 || 0 <= blocks[i].a < BODIES;
        //@ assert b: matrix != 0 || 0 <= blocks[i].b < BODIES;
        ;
    }
}

/* rows as given, all else as it comes */
static void prepare(int matrix)
{
    int code;
    any_problem(matrix, 0);
    blocks[0].rows = ROWS_1;
    if (BLOCKS > 1) blocks[1].rows = ROWS_2;
    code = nsc_problem_prepare(&P);
    if (code == NSC_OK) check_problem(matrix);
}

void drive_prepare(void) { prepare(0); }
void drive_prepare_matrix(void) { prepare(1); }

/* nothing as it should be */
void drive_prepare_refuse(void)
{
    int matrix = ANY(0, 1), count = ANY(0, BLOCKS); /* told apart: what has been checked is of these blocks, and of bodies or not */
    //@ split matrix;
    //@ split count;
    any_problem(matrix, 0);
    P.body_count = ANY(-2147483647, BODIES);
    P.block_count = ANY(0, 1) ? count : ANY(-2147483647, -1);
    P.bias_error = any;
    P.masses = MAYBE(masses);
    P.v_free = MAYBE(v_free);
    P.v = ANY(0, 1) ? v_free : MAYBE(v);
    P.blocks = MAYBE(blocks);
    nsc_problem_prepare(MAYBE(&P));
}

/* The report or none, in one case: told apart, each would take a walk through the solver of its own. */
static nsc_report *any_report(void)
{
    nsc_report *r = MAYBE(&R);
    //@ slevel merge;
    return r;
}

/* An arena that is too small or missing has to be refused. */
#define DRIVE(name, solver, matrix, size)      \
    void drive_##name(void)                    \
    {                                          \
        nsc_report *r;                         \
        any_problem(matrix, size);             \
        prepared(matrix);                      \
        P.arena_size = ANY(-1, size);          \
        r = any_report();                      \
        P.arena = MAYBE(P.arena);              \
        solver;                                \
        check_problem(matrix);                 \
    }

DRIVE(measure, nsc_problem_measure(MAYBE(&P), ANY_INT, r), 0, 0)
DRIVE(measure_matrix, nsc_problem_measure(MAYBE(&P), ANY_INT, r), 1, 0)
DRIVE(sipgs, nsc_solve_sipgs(MAYBE(&P), MAYBE(&S), r), 0, 0)
DRIVE(sipgs_matrix, nsc_solve_sipgs(MAYBE(&P), MAYBE(&S), r), 1, 0)
DRIVE(apgd, nsc_solve_apgd(MAYBE(&P), MAYBE(&S), r), 0, NSC_ARENA_APGD(ROWS))
DRIVE(apgd_matrix, nsc_solve_apgd(MAYBE(&P), MAYBE(&S), r), 1, NSC_ARENA_APGD(ROWS))
DRIVE(dantzig, nsc_solve_dantzig(MAYBE(&P), MAYBE(&S), r), 0, NSC_ARENA_DANTZIG(ROWS))
DRIVE(dantzig_matrix, nsc_solve_dantzig(MAYBE(&P), MAYBE(&S), r), 1, NSC_ARENA_DANTZIG(ROWS))

DRIVE(bb, nsc_solve_bb(MAYBE(&P), MAYBE(&S), r), 0, NSC_ARENA_BB(ROWS))
DRIVE(bb_matrix, nsc_solve_bb(MAYBE(&P), MAYBE(&S), r), 1, NSC_ARENA_BB(ROWS))
DRIVE(minres, nsc_solve_minres(MAYBE(&P), MAYBE(&S), r), 0, NSC_ARENA_MINRES(ROWS))
DRIVE(minres_matrix, nsc_solve_minres(MAYBE(&P), MAYBE(&S), r), 1, NSC_ARENA_MINRES(ROWS))

/* The solvers that factorise keep the layout of their matrix in the arena, as reals, and Eva knows no set of reals.  So which
   bodies move and which blocks join them is given here - block 1 joins 0 and 1, block 2 as FROM and TO say - and all
   numbers but the masses are any. */
#ifndef FROM
#define FROM 1
#endif
#ifndef TO
#define TO 0
#endif
#ifndef FIXED
#define FIXED 0 /* 1: body 0 does not move */
#endif
static void laid_out(int matrix)
{
    int i, k;
    for (i = 0; i < BODIES; i++) {
        masses[i].inv_mass = i == 0 && FIXED ? NSC_R(0.0) : NSC_R(1.0);
        for (k = 0; k < 6; k++) masses[i].inv_inertia[k] = k < 3 ? masses[i].inv_mass : NSC_R(0.0);
    }
    for (i = 0; i < BLOCKS && !matrix; i++) blocks[i].a = i == 0 ? 0 : FROM, blocks[i].b = i == 0 ? 1 : TO;
}

#define DRIVE_FACTOR(name, solver, matrix, size) \
    void drive_##name(void)                      \
    {                                            \
        nsc_report *r;                           \
        any_problem(matrix, size);               \
        prepared(matrix);                        \
        laid_out(matrix);                        \
        P.arena_size = ANY(-1, size);            \
        r = any_report();                        \
        P.arena = MAYBE(P.arena);                \
        solver;                                  \
        check_problem(matrix);                   \
    }

DRIVE_FACTOR(admm, nsc_solve_admm(MAYBE(&P), MAYBE(&S), r), 0, NSC_ARENA_ADMM(BODIES, ROWS))
DRIVE_FACTOR(admm_matrix, nsc_solve_admm(MAYBE(&P), MAYBE(&S), r), 1, NSC_ARENA_ADMM_MATRIX(ROWS))

/* The factor by itself, its memory exactly as large as nsci_factor_fits says beside no vectors */
static void factor(int matrix, int size)
{
    nsci_factor f;
    nsc_real G[6], g[ROWS + 1], h[ROWS + 1];
    int i;
    any_problem(matrix, size);
    prepared(matrix);
    laid_out(matrix);
    nsci_factor_begin(&f, &P, P.arena);
    for (i = 0; i < BLOCKS; i++) {
        FILL(G);
        nsci_factor_set(&f, &blocks[i], G);
    }
    i = nsci_factor_run(&f);
    FILL(g), FILL(h);
    nsci_factor_solve(&f, g, h);
    check_problem(matrix);
}

void drive_factor(void) { factor(0, 3 * ROWS + 25 * BODIES + 3 * BODIES * (6 * BODIES + 1)); }
void drive_factor_matrix(void) { factor(1, 6 * ROWS + ROWS * (ROWS + 1) / 2); }

#ifdef PROVE_NEWTON
/* What drive_factor and its kin prove.  Of their memory NEWTON reads Q alone, in nsci_barrier_coupling: drive_barrier_coupling.
   Trusted: that nsci_barrier_assemble has called nsci_factor_set, which writes Q, for every block before. */
/*@ requires \valid(f) && \initialized(p) && \valid(memory + (0 .. (p->delassus != \null ? 6 * ROWS + ROWS * (ROWS + 1) / 2
             : 3 * ROWS + 25 * BODIES + 3 * BODIES * (6 * BODIES + 1)) - 1));
  @ assigns *f \from *p, memory; */
static void nsci_factor_begin(nsci_factor *f, nsc_problem *p, nsc_real *memory);

/*@ requires \valid(f) && \valid_read(k) && \initialized(&G[0 .. 5]);
  @ assigns \nothing; */
static void nsci_factor_set(nsci_factor *f, const nsc_block *k, const nsc_real G[6]);

/*@ requires \valid(f);
  @ assigns \result \from indirect:*f;
  @ ensures 0 <= \result <= 1; */
static int nsci_factor_run(nsci_factor *f);

/*@ requires \valid(f) && \valid(&g[0 .. ROWS - 1]) && \initialized(&g[0 .. ROWS - 1]) && \valid(&h[0 .. ROWS - 1]);
  @ assigns g[0 .. ROWS - 1], h[0 .. ROWS - 1] \from *f, g[0 .. ROWS - 1];
  @ ensures \initialized(&g[0 .. ROWS - 1]) && \initialized(&h[0 .. ROWS - 1]); */
static void nsci_factor_solve(nsci_factor *f, nsc_real *g, nsc_real *h);

/*@ requires \valid_read(q) && \valid_read(b) && \valid(&e[0 .. 2]);
  @ assigns \result, e[0 .. 2] \from b->mu, Nx[0 .. 2];
  @ ensures \initialized(&e[0 .. 2]); */
static nsc_real nsci_barrier_coupling(const nsci_newton *q, const nsc_block *b, const nsc_real *Nx, nsc_real e[3]);
#endif

void drive_barrier_coupling(void)
{
    static nsc_real Q[3 * 3], c[3];
    nsc_real Nx[3], e[3];
    nsci_newton q;
    int i;
    for (i = 0; i < 9; i++) Q[i] = any;
    for (i = 0; i < 3; i++) c[i] = any, Nx[i] = any;
    q.factor.Q = Q, q.c = c;
    blocks[0].row = 0, blocks[0].kind = (unsigned char)ANY(0, 255), blocks[0].rows = (unsigned char)ANY(1, 3);
    blocks[0].rho = any, blocks[0].mu = any;
    nsci_barrier_coupling(&q, &blocks[0], Nx, e);
    for (i = 0; i < 3; i++) {
        //@ assert set: \initialized(&e[i]);
        ;
    }
}

/* Problem and settings are given: drive_begin has the others. */
DRIVE(newton_apart, nsc_solve_newton(&P, &S, r), 0, NSC_ARENA_NEWTON(BODIES, ROWS))
DRIVE(newton_apart_matrix, nsc_solve_newton(&P, &S, r), 1, NSC_ARENA_NEWTON_MATRIX(ROWS))

/* AUTO, the solvers it chooses from taken on trust */
DRIVE(auto, nsc_solve_auto(MAYBE(&P), MAYBE(&S), r), 0, NSC_ARENA_NEWTON(BODIES, ROWS))
DRIVE(auto_matrix, nsc_solve_auto(MAYBE(&P), MAYBE(&S), r), 1, NSC_ARENA_NEWTON_MATRIX(ROWS))

/* What every solver does first, and what it refuses */
void drive_begin(void)
{
    nsci_run run;
    any_problem(0, 0);
    prepared(0);
    P.v = MAYBE(v);
    P.v_free = MAYBE(v_free);
    P.row_count = ANY(0, 1) ? ROWS : 0;
    P.block_count = ANY(-1, 1) * BLOCKS;
    nsci_begin(&run, ANY(NSC_SOLVER_SIPGS, NSC_SOLVER_AUTO), MAYBE(&P), MAYBE(&S), ANY(NSC_LAW_COULOMB, NSC_LAW_BOX), ANY(NSC_LAW_COULOMB, NSC_LAW_BOX));
}

/* Whichever solver the settings ask for, bodies or matrix */
void drive_solve(void)
{
    any_problem(0, NSC_ARENA_DANTZIG(ROWS));
    prepared(0);
    P.v = MAYBE(v);
    P.v_free = MAYBE(v_free);
    P.delassus = MAYBE(N);
    nsc_solve(MAYBE(&P), MAYBE(&S), MAYBE(&R));
    check_problem(0);
}
