/* Drivers for Frama-C's Eva: each calls one function of nsc from ANY state - every float NaN, infinity or
   number, every integer in the range that any_world below allows - and asserts that the range holds again.
   No alarm: no undefined behaviour that Eva knows of, in any sequence of calls, at these sizes.  prove.sh runs all.

   Shown for float, 32-bit int, and the capacities here, small where Eva tells cases apart: 3 bodies, 3 shapes (64 where
   there are strips), 4 contacts (sort 8; match, list_links, fill_islands, the step 2; sort_found, fill_links, free_manifolds 3),
   2 springs (take_island 4, fill_links, fill_islands 1), 2 joints (fill_links, fill_islands 1), 2 manifolds, 1 force with a derivative; problems of 2 blocks
   with 0, 3 + 1, 2 + 1, 2 + 3 or 3 + 3 rows, the arena as large as asked for; for ADMM and NEWTON also given which bodies move
   and which blocks join them.  Other capacities: by analogy only.
   Not shown: that a pointer into an array inside the world stays in that array and not only in the world, nor that one
   which is never used points into anything; arguments that overlap; that a caller's problem has the sizes it says, or was prepared at all.
   Drivers that are here but not in prove.sh's table, as they still have alarms that are Eva's or need a thought: fill_joint,
   add_shape, overlap, scene.  No driver at all: nsc_hull_complete as a whole,
   nsc_world_problem, rays into terrain, meshes.
   A step as a whole (drive_step_whole): its stages stand as contracts, each with the driver that shows it; README.md has the list. */
#include <math.h>
/* The C library's root for Eva (-eva-builtin in prove.py), but that it writes no errno, which no contract names */
/*@ assigns \result \from x; */
float eva_sqrt(float x);
#define NSC_SQRT(x) eva_sqrt(x)
#include <string.h>
#include <__fc_builtin.h>
#define NSC_IMPLEMENTATION
#define NSC_LANES 0 /* vectors of the compiler: not C */
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
#ifndef NSC_HULL_VERTICES
#define NSC_HULL_VERTICES 5
#endif
#ifndef NSC_MAX_MANIFOLDS
#define NSC_MAX_MANIFOLDS 2
#endif
#define NSC_TERRAIN 1
#include "nsc_all.h"
#ifdef PROVE_MOTOR
#include "nsc_motor.h"
#endif
#ifdef PROVE_DYNAMICS
#define NSC_ROBOT_DONE /* its code has no driver: a table is what nsc_dynamics.h reads */
#include "nsc_dynamics.h"
#endif

#define ANY(lo, hi) Frama_C_interval(lo, hi)
#define ANY_INT any_int
#define MAYBE(p) (Frama_C_interval(0, 1) ? (p) : NULL)
#define FILL(x) Frama_C_make_unknown((char *)&(x), sizeof(x))

/* Eva takes no number from a quantifier */
#define THREE(P) (P(0) && P(1) && P(2))
#define FOUR(P) (THREE(P) && P(3))
#define MEMBER(i) (w->members[i] < NSC_MAX_BODIES)
#define ISLAND(i) (w->island[i] == 0 || w->island[i] == NSCI_NOWHERE)
#define NEXT(i) (w->links[i].next == NSCI_NOWHERE || i < w->links[i].next < NSCI_MAX_LINKS)
#define FOUND_KEPT(i) (i >= NSC_MAX_CONTACTS || w->found[i].manifold <= NSC_MAX_MANIFOLDS)
#define PRESSED(i) (i >= NSC_MAX_CONTACTS || w->pressed[i] <= NSC_MAX_CONTACTS)
#define CONTACT_KEPT(i) (i >= NSC_MAX_CONTACTS || w->contacts[i].manifold <= NSC_MAX_MANIFOLDS)
#define KEPT(i) (w->manifolds[i].count <= NSC_MANIFOLD && w->manifolds[i].side <= 1 && w->manifolds[i].used == 0)
#define INNER(i) (w->inner[i] < NSC_MAX_BODIES && w->outer[i] < NSC_MAX_BODIES)
#define BLOCK(i) (p->blocks[i].rows <= 3 && 0 <= p->blocks[i].a < NSC_MAX_BODIES && 0 <= p->blocks[i].b < NSC_MAX_BODIES)
#define BLOCKED (FOUR(BLOCK) && BLOCK(4) && BLOCK(5) && BLOCK(6) && BLOCK(7))

/* a definition that has been let pass */
#define CHECKED(d) (0 <= (d)->tag <= 15 && 1 <= (d)->substeps <= 64 && 1 <= (d)->stepper <= NSC_STEPPER_NEWMARK && \
                    1 <= (d)->newton_steps <= 1000 && 1 <= (d)->contact_model <= 2 && 1 <= (d)->contact_law <= NSCI_LAST_LAW)

static volatile float any; /* each read another float, NaN and infinities included */
static volatile int32_t any_int;

/* ---- contracts of the parts that are proved on their own, for -eva-use-spec ---------------------- */


/* by field: a corner has padding, which nothing ever writes */
#define CORNERS_AT(p, n) (\initialized(&(p)[0 .. n - 1].at[0]) && \initialized(&(p)[0 .. n - 1].at[1]) && \
                          \initialized(&(p)[0 .. n - 1].at[2]) && \initialized(&(p)[0 .. n - 1].id) && \
                          \initialized(&(p)[0 .. n - 1].edge))
#define CORNERS(n) CORNERS_AT(c, n)
#define CUT(n) (\result == n && CORNERS(n))
#define MOVED(n) (\result == n && CORNERS_AT(c - 1, n))

/*@ requires 1 <= n <= 7 && 0 <= m <= 3;
  @ requires CORNERS(n);
  @ assigns \result, c[-1 .. 7] \from c[0 .. 6], n, m, bound;
  @ ensures 0 <= \result <= n + 1;
  @ ensures \result == 0 || MOVED(1) || MOVED(2) || MOVED(3) || MOVED(4) || MOVED(5) || MOVED(6) || MOVED(7) || MOVED(8); */
static int nsci_clip(nsci_corner *c, int n, int m, nsc_real bound);

/*@ requires 0 <= n <= 8;
  @ requires CORNERS(n);
  @ assigns \result, c[0 .. 3] \from c[0 .. 7], n;
  @ ensures \result == 0 || CUT(1) || CUT(2) || CUT(3) || CUT(4); */
static int nsci_reduce(nsci_corner *c, int n);

/*@ requires \initialized(a) && \initialized(b) && \initialized(&out[0 .. 3]);
  @ assigns \result, out[0 .. 3] \from indirect:*a, indirect:*b, indirect:distance, out[0 .. 3];
  @ ensures 0 <= \result <= 4 && \initialized(&out[0 .. 3]); */
static int nsci_collide(const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsci_point *out);

/* Trusted: that only terrain has more than four points (nsci_convex keeps four, as nsci_collide does), that the shapes, which are
   moved about, are put back, and what is counted, as of nsci_collide_shapes. */
/*@ requires \valid(w) && \initialized(a) && \initialized(b);
  @ assigns \result, w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1], w->scratch.find.convex, w->scratch.find.lost
            \from distance, indirect:*a, indirect:*b;
  @ ensures 0 <= \result <= NSCI_MAX_POINTS && 0 <= w->scratch.find.lost <= 1000000;
  @ ensures \result <= NSC_MANIFOLD || a->kind == NSC_SHAPE_HEIGHT_FIELD || b->kind == NSC_SHAPE_HEIGHT_FIELD; */
static int nsci_collide_any(nsc_world *w, nsci_geom *a, nsci_geom *b, nsc_real distance);

/* drive_let_pass.  Trusted: that the shape that it moves is put back, and what is counted. */
/*@ requires 0 <= low < NSC_MAX_SHAPES && 0 <= high < NSC_MAX_SHAPES && 0 <= n <= NSCI_MAX_POINTS;
  @ assigns \result, w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1], w->scratch.find.convex, w->scratch.find.lost
            \from reach, h, n, indirect:*w, low, high;
  @ ensures 0 <= \result <= NSCI_MAX_POINTS && 0 <= w->scratch.find.lost <= 1000000; */
static int nsci_let_pass(nsc_world *w, int low, int high, nsc_real reach, nsc_real h, int n);

/* drive_last_contact */
/*@ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS;
  @ assigns \result \from w->contacts[0 .. NSC_MAX_CONTACTS - 1], w->contact_count, low, high;
  @ ensures -1 <= \result < NSC_MAX_CONTACTS; */
static int nsci_last_contact(const nsc_world *w, int low, int high);

/* drive_events */
/*@ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->contact_count <= NSC_MAX_CONTACTS;
  @ requires 0 <= w->first_contact && w->first_contact + w->found_count <= NSCI_MAX_LINKS;
  @ assigns w->event_count, w->events[0 .. NSC_MAX_EVENTS - 1], w->report.dropped_events
            \from w->found[0 .. NSC_MAX_CONTACTS - 1], w->contacts[0 .. NSC_MAX_CONTACTS - 1],
            w->links[0 .. NSCI_MAX_LINKS - 1];
  @ ensures 0 <= w->event_count <= NSC_MAX_EVENTS && \initialized(&w->events[0 .. NSC_MAX_EVENTS - 1]); */
static void nsci_find_events(nsc_world *w);

/* drive_keep_points.  Trusted: that a geometry which is a hull has one, as nsci_place says. */
/*@ requires \initialized(&g->kind);
  @ assigns \result \from *g, normal; */
static nsc_real nsci_miss_face(const nsci_geom *g, nsc_vec3 normal);

/* drive_hull_parts.  Trusted: that a geometry which is a hull has one, as nsci_place says. */
/*@ requires \initialized(&g->kind);
  @ assigns \result, *middle \from *g;
  @ ensures \initialized(middle); */
static nsc_real nsci_inner_hull(const nsci_geom *g, nsc_vec3 *middle);

/* drive_put_points; trusted: that what is counted stays far from the end of an int (16 points of 16383 shapes' pairs do) */
/*@ requires 0 <= low < NSC_MAX_SHAPES && 0 <= high < NSC_MAX_SHAPES && 0 <= n <= NSCI_MAX_POINTS;
  @ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= kept <= NSC_MAX_MANIFOLDS && FOUR(FOUND_KEPT);
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->report.dropped \from indirect:*w, low, high, h, n, kept;
  @ ensures 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->report.dropped <= 1000000 && FOUR(FOUND_KEPT);
  @ ensures \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]); */
static void nsci_put_points(nsc_world *w, int low, int high, nsc_real h, int n, int kept, int core);

/* drive_collide_core; trusted: what is counted, and that a geometry that is a ball for a moment is placed again */
/*@ requires 0 <= low < NSC_MAX_SHAPES && 0 <= high < NSC_MAX_SHAPES && (core == low || core == high);
  @ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && FOUR(FOUND_KEPT);
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->report.dropped, w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1],
            w->scratch.find.convex, w->scratch.find.lost \from indirect:*w, low, high, core, reach, h;
  @ ensures 0 <= w->found_count <= NSC_MAX_CONTACTS && FOUR(FOUND_KEPT);
  @ ensures 0 <= w->report.dropped <= 1000000 && 0 <= w->scratch.find.lost <= 1000000;
  @ ensures \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]); */
static void nsci_collide_core(nsc_world *w, int low, int high, int core, nsc_real reach, nsc_real h);

/* drive_collide_shapes; trusted: that what is counted stays far from the end of an int (16 points of 16383 shapes' pairs do), and
   that none of the pointers of the geometries goes into what is written, where there are none: so *w is indirect. */
/*@ requires 0 <= s < NSC_MAX_SHAPES && 0 <= t < NSC_MAX_SHAPES;
  @ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->next_manifold <= NSC_MAX_MANIFOLDS;
  @ requires 0 <= w->manifold_end <= NSC_MAX_MANIFOLDS;
  @ requires FOUR(CONTACT_KEPT) && FOUR(FOUND_KEPT) && KEPT(0) && KEPT(1);
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->report.dropped, w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1],
            w->scratch.find.convex, w->scratch.find.lost, w->next_manifold, w->manifolds[0 .. NSC_MAX_MANIFOLDS - 1],
            w->manifold_end, w->report.unkept \from indirect:*w, s, t, reach, h;
  @ ensures 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->next_manifold <= NSC_MAX_MANIFOLDS;
  @ ensures \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ ensures 0 <= w->report.dropped <= 1000000 && 0 <= w->report.unkept <= 1000000 && 0 <= w->scratch.find.lost <= 1000000;
  @ ensures 0 <= w->manifold_end <= NSC_MAX_MANIFOLDS;
  @ ensures FOUR(FOUND_KEPT) && KEPT(0) && KEPT(1); */
static void nsci_collide_shapes(nsc_world *w, int s, int t, nsc_real reach, nsc_real h);

/* drive_islands */
/*@ assigns \result, w->inner[0 .. NSC_MAX_BODIES - 1], w->outer[0 .. NSC_MAX_BODIES - 1], w->scratch.solve.masses[0 .. NSC_MAX_BODIES - 1],
            w->scratch.solve.v_free[0 .. 6 * NSC_MAX_BODIES - 1] \from w->bodies[0 .. NSC_MAX_BODIES - 1], indirect:*s;
  @ ensures 1 <= \result <= NSC_MAX_BODIES;
  @ ensures THREE(INNER); */
static int nsci_gather_bodies(nsc_world *w, const nsc_island *own, const nsci_scheme *s);

#define PICK(i) (\initialized(&pick[i]) && 0 <= pick[i] < n)
#define PICKED(m) (\result == m && PICK(0) && (m < 2 || PICK(1)) && (m < 3 || PICK(2)) && (m < 4 || PICK(3)))
/*@ requires \valid_read(c + (0 .. n - 1)) && 1 <= n <= NSCI_SPOTS;
  @ assigns \result, pick[0 .. 3] \from indirect:c[0 .. n - 1], indirect:n;
  @ ensures PICKED(1) || PICKED(2) || PICKED(3) || PICKED(4); */
static int nsci_spread(const nsci_spot *c, int n, nsc_vec3 normal, nsc_real low, int *pick);

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

/*@ requires \valid(j) && \valid_read(blocks + (0 .. JOINT_ROOM - 1)) && 0 <= sums <= NSC_MAX_JOINT_BLOCKS - JOINT_ROOM;
  @ assigns \result, *j \from *j, blocks[0 .. JOINT_ROOM - 1], indirect:*w, indirect:sums;
  @ ensures 0 <= \result <= JOINT_ROOM;
  @ ensures 0 <= j->def.kind <= NSC_JOINT_GEAR; */
static int nsci_store_joint(nsc_world *w, nsc_joint *j, const nsc_block *blocks, int sums);

/*@ requires \valid(j);
  @ assigns \result, *j \from *j, indirect:*w;
  @ ensures 0 <= j->def.kind <= NSC_JOINT_GEAR; */
static nsc_real nsci_track_joint(const nsc_world *w, nsc_joint *j);
#else
#define JOINT_ROOM NSC_JOINT_ROWS
#endif

#ifdef PROVE_LINKS
/* drive_fill_link.  What is written of a block is not looked at behind it. */
#define OF_JOINT (l->kind == NSCI_JOINT_LINK && l->rolls == \old(l->rolls) && \
                  w->rolling_count == \old(w->rolling_count))
#define OF_SPRING (l->kind == NSCI_SPRING_LINK && \result == 1 && l->rolls == \old(l->rolls) && \
                  w->rolling_count == \old(w->rolling_count))
#define SLIDES (l->kind == NSCI_CONTACT_LINK && \result == 1 && l->rolls == 0 && \
                  w->rolling_count == \old(w->rolling_count))
#define ROLLS_ANEW (l->kind == NSCI_CONTACT_LINK && first == 1 && \result == 2 && l->rolls == 1 && \
                    w->rolling_count == \old(w->rolling_count) + 1 && w->rolling_count <= NSC_MAX_ROLLING)
#define ROLLS_ON (l->kind == NSCI_CONTACT_LINK && first == 0 && \result == 2 && l->rolls == 1 && \
                  \old(l->rolls) == 1 && w->rolling_count == \old(w->rolling_count))
/*@ requires l->kind == NSCI_JOINT_LINK ==> l->item < NSC_MAX_JOINTS;
  @ requires l->kind == NSCI_JOINT_LINK ==> \valid(k + (0 .. NSC_MAX_JOINT_BLOCKS / NSC_MAX_JOINTS - 1));
  @ requires l->kind == NSCI_SPRING_LINK ==> l->item < NSC_MAX_SPRINGS && \valid(k);
  @ requires l->kind == NSCI_CONTACT_LINK ==> l->item < NSC_MAX_CONTACTS && \valid(k);
  @ requires l->kind <= NSCI_CONTACT_LINK && l->a < NSC_MAX_BODIES && l->b < NSC_MAX_BODIES;
  @ requires 0 <= first <= 1 && (first == 0 || l->rolls == 0) && 0 <= w->rolling_count <= NSC_MAX_ROLLING;
  @ assigns \result, l->rolls, w->rolling_count, w->report.dropped_rolling, w->found[0 .. NSC_MAX_CONTACTS - 1],
            w->scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1]
            \from indirect:*w, indirect:*l, indirect:*s, indirect:first, indirect:scale;
  @ ensures 0 <= \result <= NSC_MAX_JOINT_BLOCKS / NSC_MAX_JOINTS;
  @ ensures FOUR(FOUND_KEPT);
  @ ensures OF_JOINT || OF_SPRING || SLIDES || ROLLS_ANEW || ROLLS_ON; */
static int nsci_fill_link(nsc_world *w, nsci_link *l, const nsci_scheme *s, int first, nsc_real scale, nsc_block *k);
#endif

/* All that solving one island writes of the world, but for what it keeps in range */
#define SOLVING w->islands[0 .. 1].blocks, w->islands[0 .. 1].places, w->islands[0 .. 1].joint_blocks, \
                w->links[0 .. NSCI_MAX_LINKS - 1].block, w->links[0 .. NSCI_MAX_LINKS - 1].rolls, w->found[0 .. NSC_MAX_CONTACTS - 1], \
                w->rolling_count, w->report.dropped_rolling, w->report.step_limit, w->report.over_limit, w->report.limited_bounces, \
                w->report.dropped_derivatives, w->report.newton_steps, w->report.newton_change, w->report.unsettled, \
                w->inner[0 .. NSC_MAX_BODIES - 1], w->outer[0 .. NSC_MAX_BODIES - 1], w->v_free[0 .. 6 * NSC_MAX_BODIES - 1], \
                w->scratch.solve, w->abrupt, w->note, w->given_count, w->given_to[0 .. NSC_MAX_FORCES - 1], \
                w->given[0 .. NSC_MAX_FORCES - 1], w->bodies[0 .. NSC_MAX_BODIES - 1].position, \
                w->bodies[0 .. NSC_MAX_BODIES - 1].orientation, w->bodies[0 .. NSC_MAX_BODIES - 1].velocity, \
                w->bodies[0 .. NSC_MAX_BODIES - 1].angular_velocity

#ifdef PROVE_STAGES
/* A step as a whole: contracts of its stages.  After each stands the driver that shows it; what a driver takes for granted beyond the
   `requires`, it says itself.  For this all capacities of items are equal, 2, as Eva does not relate the kind of a link to its item. */
static nsc_world W;
#define ROOM (NSC_MAX_BLOCKS - 2 * NSC_MAX_FORCES) /* for blocks that are not of forces */
#define LINKED(i) (w->links[i].kind <= NSCI_CONTACT_LINK && w->links[i].rolls <= 1 && w->links[i].item < NSC_MAX_CONTACTS && \
                   w->links[i].a < NSC_MAX_BODIES && w->links[i].b < NSC_MAX_BODIES)
#define LINKED_ALL (FOUR(LINKED) && LINKED(4) && LINKED(5))
#define FORWARD(i) (w->links[i].next == NSCI_NOWHERE || i < w->links[i].next < NSCI_MAX_LINKS)
#define FORWARD_ALL (FOUR(FORWARD) && FORWARD(4) && FORWARD(5))
#define OF_ISLAND(i) (w->island[i] <= 1 || w->island[i] == NSCI_NOWHERE)
#define BEGINS(i) (w->islands[i].first_link == NSCI_NOWHERE || w->islands[i].first_link < NSCI_MAX_LINKS)
#define ROLLS(i) (w->links[i].rolls <= 1)
#define ROLLS_ALL (FOUR(ROLLS) && ROLLS(4) && ROLLS(5))
#define INDEX(i) (i >= NSC_MAX_CONTACTS || w->scratch.find.order[i] < NSC_MAX_CONTACTS)
#define MANIFOLDS_KEPT (0 <= w->manifold_end <= NSC_MAX_MANIFOLDS && KEPT(0) && KEPT(1))
#define JOINT_KIND(i) (0 <= w->joints[i].def.kind <= NSC_JOINT_GEAR)
#define CHAINED(i) (w->next_joint[i][0] <= NSC_MAX_JOINTS && w->next_joint[i][1] <= NSC_MAX_JOINTS)
#define FIRST_JOINT(i) (w->first_joint[i] <= NSC_MAX_JOINTS)
/* islands of the two bodies beside the ground */
#define ISLANDS (0 <= w->report.islands <= 2 && w->islands[0].first_body == 0 && w->islands[0].bodies <= 2 && \
                 w->islands[1].first_body <= 1 && w->islands[1].bodies <= 1 && BEGINS(0) && BEGINS(1))
/* Trusted: what a step counts, over sub-steps and islands, stays far from the end of an int (64 sub-steps of 65535 blocks do) */
#define COUNTED (0 <= w->report.solver.skipped_rows <= 1000000 && 0 <= w->report.limited_bounces <= 1000000 && \
                 0 <= w->report.unsettled <= 1000000 && 0 <= w->report.over_limit <= 1000000 && \
                 0 <= w->report.dropped_derivatives <= 1000000 && 0 <= w->report.dropped_rolling <= 1000000)
/* The blocks of one island, from First on.  Those behind its end are not looked at. */
static int First;
#define POSED(i) (i < First || i >= NSC_MAX_BLOCKS || (W.scratch.solve.blocks[i].rows <= 3 && 0 <= W.scratch.solve.blocks[i].a < NSC_MAX_BODIES && \
                                0 <= W.scratch.solve.blocks[i].b < NSC_MAX_BODIES))
#define POSED_ALL (FOUR(POSED) && POSED(4) && POSED(5) && POSED(6) && POSED(7) && POSED(8))

#define GIVEN_TO(i) (w->given_to[i] < NSC_MAX_BODIES)
/* drive_step_parts */
/*@ requires 0 <= i < NSC_MAX_BODIES && 0 <= w->given_count <= NSC_MAX_FORCES && GIVEN_TO(0);
  @ assigns \result, w->v_free[0 .. 6 * NSC_MAX_BODIES - 1], w->note, w->given_count, w->given_to[0 .. NSC_MAX_FORCES - 1],
            w->given[0 .. NSC_MAX_FORCES - 1], w->report.dropped_derivatives \from indirect:*w, indirect:i, indirect:*s, indirect:asleep;
  @ ensures 0 <= w->given_count <= NSC_MAX_FORCES && GIVEN_TO(0) && 0 <= w->report.dropped_derivatives <= 1000000;
  @ ensures -100 <= \result < 0 || \result == 0; */
static int nsci_free_velocity(nsc_world *w, int i, const nsci_scheme *s, int asleep);

/* drive_step_parts */
/*@ requires 1 <= w->body_end <= NSC_MAX_BODIES && 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ assigns \result, w->note \from indirect:*w, indirect:h;
  @ ensures -100 <= \result < 0 || \result == 0; */
static int nsci_check_motion(nsc_world *w, nsc_real h);

/* drive_move_contacts */
/*@ requires \valid(w);
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1].point, w->found[0 .. NSC_MAX_CONTACTS - 1].normal, w->found[0 .. NSC_MAX_CONTACTS - 1].gap,
            w->found[0 .. NSC_MAX_CONTACTS - 1].approach, w->scratch.solve.v_free[0 .. 6 * NSC_MAX_BODIES - 1] \from *w, *s, count; */
static void nsci_move_contacts(nsc_world *w, const nsci_scheme *s, int count);

/* drive_find_contacts */
/*@ requires \valid(w) && 1 <= w->body_end <= NSC_MAX_BODIES && 0 <= w->shape_end <= NSC_MAX_SHAPES;
  @ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS && 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ requires 0 <= w->joint_end <= NSC_MAX_JOINTS && MANIFOLDS_KEPT && FOUR(CONTACT_KEPT) && FOUR(FOUND_KEPT);
  @ requires w->report.pairs == 0 && w->report.dropped == 0 && w->report.unkept == 0 && w->report.matched == 0;
  @ assigns w->scratch.find, w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->report.pairs, w->report.dropped,
            w->report.unkept, w->report.matched, w->next_manifold, w->manifolds[0 .. NSC_MAX_MANIFOLDS - 1], w->manifold_end,
            w->first_joint[0 .. NSC_MAX_BODIES - 1], w->next_joint[0 .. NSC_MAX_JOINTS - 1][0 .. 1]
            \from indirect:*w, indirect:h, indirect:scale;
  @ ensures 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->next_manifold <= NSC_MAX_MANIFOLDS;
  @ ensures FOUR(FOUND_KEPT) && MANIFOLDS_KEPT && THREE(FIRST_JOINT) && CHAINED(0) && CHAINED(1);
  @ ensures 0 <= w->report.matched <= NSC_MAX_CONTACTS && FOUR(INDEX); */
static void nsci_find_contacts(nsc_world *w, nsc_real h, nsc_real scale);

/* drive_list_links */
/*@ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->joint_end <= NSC_MAX_JOINTS && 0 <= w->spring_end <= NSC_MAX_SPRINGS;
  @ requires FOUR(INDEX);
  @ assigns w->link_count, w->first_contact, w->links[0 .. NSCI_MAX_LINKS - 1] \from indirect:*w;
  @ ensures 0 <= w->link_count <= NSCI_MAX_LINKS && 0 <= w->first_contact <= NSC_MAX_JOINTS + NSC_MAX_SPRINGS && LINKED_ALL; */
static void nsci_list_links(nsc_world *w, const nsc_calls *calls);

/* drive_islands.  That the first island begins where the members do, and that two share the two bodies: there as well. */
/*@ requires 0 <= w->link_count <= NSCI_MAX_LINKS && 1 <= w->body_end <= NSC_MAX_BODIES && LINKED_ALL;
  @ assigns w->islands[0 .. NSC_MAX_BODIES - 1], w->island[0 .. NSC_MAX_BODIES - 1], w->members[0 .. NSC_MAX_BODIES - 1],
            w->inner[0 .. NSC_MAX_BODIES - 1], w->report.islands, w->links[0 .. NSCI_MAX_LINKS - 1].block,
            w->links[0 .. NSCI_MAX_LINKS - 1].next, w->bodies[0 .. NSC_MAX_BODIES - 1].still \from indirect:*w, indirect:h, indirect:together;
  @ ensures ISLANDS && THREE(MEMBER) && THREE(OF_ISLAND) && FORWARD_ALL;
  @ ensures 0 <= w->islands[0].asleep <= 1 && 0 <= w->islands[1].asleep <= 1; */
static void nsci_find_islands(nsc_world *w, nsc_real h, int together);

/* drive_fill_islands: in the room that the islands before leave; drive_fill_links: where the blocks of the links are.  What is written
   of a block is not looked at behind it, nor where those of links of other islands are. */
#define PLACED(i) (w->links[i].block < ROOM)
/*@ requires own->first_block <= ROOM && LINKED_ALL && FORWARD_ALL && 0 <= w->rolling_count <= NSC_MAX_ROLLING;
  @ requires own->first_link == NSCI_NOWHERE || own->first_link < NSCI_MAX_LINKS;
  @ assigns own->joint_blocks, own->places, own->blocks, w->links[0 .. NSCI_MAX_LINKS - 1].block,
            w->links[0 .. NSCI_MAX_LINKS - 1].rolls, w->found[0 .. NSC_MAX_CONTACTS - 1], w->rolling_count,
            w->report.dropped_rolling, w->scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1]
            \from indirect:*w, indirect:*s, indirect:first, indirect:*own;
  @ ensures own->blocks <= ROOM - own->first_block && own->places <= ROOM - own->first_block;
  @ ensures own->joint_blocks <= NSC_MAX_JOINT_BLOCKS && FOUR(FOUND_KEPT) && ROLLS_ALL && 0 <= w->rolling_count <= NSC_MAX_ROLLING;
  @ ensures 0 <= w->report.dropped_rolling <= 1000000;
  @ ensures FOUR(PLACED) && PLACED(4) && PLACED(5) && POSED_ALL; */
static void nsci_fill_links(nsc_world *w, nsc_island *own, const nsci_scheme *s, int first);

/* drive_fill_force: blocks that it does not write stay as they were */
#define BETWEEN(i) (blocks[i].rows <= 3 && 0 <= blocks[i].a < NSC_MAX_BODIES && 0 <= blocks[i].b < NSC_MAX_BODIES)
/*@ requires 0 <= body < NSC_MAX_BODIES && \valid(blocks + (0 .. 1));
  @ assigns \result, blocks[0 .. 1] \from indirect:*w, indirect:*s, indirect:*f, indirect:body;
  @ ensures 0 <= \result <= 2 && BETWEEN(0) && BETWEEN(1); */
static int nsci_fill_force(const nsc_world *w, const nsci_scheme *s, int body, const nsc_force *f, nsc_block *blocks);

/* drive_limit_step */
/*@ requires 1 <= count <= NSC_MAX_BODIES && LINKED_ALL && FORWARD_ALL;
  @ assigns w->scratch.solve.direction[0 .. 2 * count - 1], w->report.step_limit, w->report.over_limit
            \from indirect:*w, indirect:*own, indirect:*s;
  @ ensures 0 <= w->report.over_limit <= 1000000; */
static void nsci_limit_step(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int count);

/* drive_prepare: of two blocks.  It writes no rows and no bodies of a block. */
/*@ requires \initialized(p) && 1 <= p->body_count <= NSC_MAX_BODIES && 0 <= p->block_count <= NSC_MAX_BLOCKS;
  @ requires \valid_read(&p->masses[0 .. p->body_count - 1]) && \valid(&p->v[0 .. 6 * p->body_count - 1]);
  @ requires \valid_read(&p->v_free[0 .. 6 * p->body_count - 1]) && p->delassus == \null;
  @ requires \valid(&p->blocks[0 .. p->block_count - 1]) && \valid(&p->arena[0 .. p->arena_size - 1]);
  @ assigns \result, p->row_count, p->skipped_rows, p->ground, W.scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1]
            \from indirect:*p, indirect:W;
  @ ensures -100 <= \result <= 0 && 0 <= p->row_count <= 3 * NSC_MAX_BLOCKS && 0 <= p->skipped_rows <= 3 * NSC_MAX_BLOCKS;
  @ ensures POSED_ALL;
  @ ensures \result < 0 || \result == 0; */
static int nsci_prepare(nsc_problem *p);

/* drive_sipgs and those of the other solvers: of two blocks, and of a problem that has been let pass */
/*@ requires \initialized(p) && \valid(r) && POSED_ALL;
  @ requires \valid(&p->blocks[0 .. p->block_count - 1]) && \valid(&p->arena[0 .. p->arena_size - 1]);
  @ assigns \result, *r, W.scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1], W.scratch.solve.v[0 .. 6 * NSC_MAX_BODIES - 1],
            W.scratch.solve.arena[0 .. NSC_ARENA - 1] \from indirect:*s, indirect:*p, indirect:W;
  @ ensures \initialized(r) && -100 <= \result <= 4 && POSED_ALL;
  @ ensures 0 <= r->iterations && 0 <= r->skipped_rows <= 3 * NSC_MAX_BLOCKS && -1 <= r->worst_block < NSC_MAX_BLOCKS;
  @ ensures 0 <= r->factorizations; */
static int nsci_solve(const nsc_world *w, const nsci_scheme *s, nsc_problem *p, nsc_report *r);

/* drive_drop_bounces: of up to two blocks */
/*@ requires own->bodies < NSC_MAX_BODIES && 0 <= p->block_count <= NSC_MAX_BLOCKS && THREE(INNER) && POSED_ALL;
  @ requires \valid(&p->blocks[0 .. p->block_count - 1]);
  @ assigns w->v_free[0 .. 6 * NSC_MAX_BODIES - 1], W.scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1],
            W.scratch.solve.v[0 .. 6 * NSC_MAX_BODIES - 1] \from indirect:*w, indirect:*own, indirect:*p;
  @ ensures POSED_ALL; */
static void nsci_drop_bounces(nsc_world *w, const nsc_island *own, nsc_problem *p);

#define SOLVED (FOUR(FOUND_KEPT) && ROLLS_ALL && 0 <= w->rolling_count <= NSC_MAX_ROLLING && THREE(INNER) && \
                0 <= w->given_count <= NSC_MAX_FORCES && GIVEN_TO(0) && COUNTED)

/* drive_solve_island, which has no contract in its place */
/*@ requires POSED_ALL && 0 <= p->block_count <= NSC_MAX_BLOCKS && own->bodies < NSC_MAX_BODIES && THREE(INNER);
  @ requires \valid(&p->blocks[0 .. p->block_count - 1]) && 0 <= w->report.limited_bounces < 1000000;
  @ assigns \result, *r, W.scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1], W.scratch.solve.v[0 .. 6 * NSC_MAX_BODIES - 1],
            W.scratch.solve.arena[0 .. NSC_ARENA - 1], w->v_free[0 .. 6 * NSC_MAX_BODIES - 1], w->report.limited_bounces
            \from indirect:*w, indirect:*own, indirect:*s, indirect:*p;
  @ ensures \initialized(r) && POSED_ALL;
  @ ensures 0 <= r->iterations && 0 <= r->skipped_rows <= 3 * NSC_MAX_BLOCKS && -1 <= r->worst_block < NSC_MAX_BLOCKS;
  @ ensures 0 <= w->report.limited_bounces <= 1000000; */
static int nsci_solve_impacts(nsc_world *w, const nsc_island *own, const nsci_scheme *s, nsc_problem *p, nsc_report *r);

/* drive_newton_parts, of blocks with equally many rows */
/*@ requires 0 <= p->block_count <= NSC_MAX_BLOCKS && own->bodies < NSC_MAX_BODIES && THREE(INNER);
  @ requires \valid_read(&p->blocks[0 .. p->block_count - 1]);
  @ assigns \result \from indirect:*w, indirect:*own, indirect:*s, indirect:*p; */
static nsc_real nsci_slope(const nsc_world *w, const nsc_island *own, const nsci_scheme *s, const nsc_problem *p);

/* drive_solve_newton */
/*@ requires own->first_block <= ROOM && LINKED_ALL && FORWARD_ALL && ISLANDS;
  @ assigns \result, *p, *r, SOLVING \from indirect:*w, indirect:*s, indirect:*own;
  @ ensures SOLVED && own->places <= NSC_MAX_BLOCKS - own->first_block;
  @ ensures own->joint_blocks <= NSC_MAX_JOINT_BLOCKS;
  @ ensures \result < 0 || \initialized(r);
  @ ensures 0 <= r->iterations && 0 <= r->skipped_rows <= 3 * NSC_MAX_BLOCKS && -1 <= r->worst_block < NSC_MAX_BLOCKS; */
static int nsci_solve_newton(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p, nsc_report *r);

#ifdef PROVE_ISLANDS
/* drive_solve_island.  How many blocks each island has, is given: drive_solve_islands goes through all that there is room for, and
   drive_fill_islands shows that there are no others. */
static int Places[2], Joint_blocks[2];
/*@ requires own == &W.islands[0] || own == &W.islands[1];
  @ requires own == &W.islands[0] ==> own->first_block + Places[0] <= NSC_MAX_BLOCKS;
  @ requires own == &W.islands[1] ==> own->first_block + Places[1] <= NSC_MAX_BLOCKS;
  @ requires LINKED_ALL && FORWARD_ALL && ISLANDS && 0 <= w->rolling_count <= NSC_MAX_ROLLING;
  @ assigns \result, *p, *r, SOLVING \from indirect:*w, indirect:*s, indirect:*own, indirect:Places[0 .. 1], indirect:Joint_blocks[0 .. 1];
  @ ensures SOLVED;
  @ ensures own == &W.islands[0] ==> own->places == Places[0] && own->joint_blocks == Joint_blocks[0];
  @ ensures own == &W.islands[1] ==> own->places <= Places[1] && own->joint_blocks <= Joint_blocks[1];
  @ ensures \initialized(r);
  @ ensures 0 <= r->iterations && 0 <= r->skipped_rows <= 3 * NSC_MAX_BLOCKS && -1 <= r->worst_block < NSC_MAX_BLOCKS; */
static int nsci_solve_island(nsc_world *w, nsc_island *own, const nsci_scheme *s, nsc_problem *p, nsc_report *r);
#endif

/* Trusted: that an island's joint_blocks are those of its joints, one after another, and what a joint's rows are */
/*@ requires 0 <= joint_blocks && joint_blocks + own->joint_blocks <= NSC_MAX_JOINT_BLOCKS;
  @ assigns w->joint_sum[0 .. NSC_MAX_JOINT_BLOCKS - 1][0 .. 2], w->joint_push[0 .. NSC_MAX_JOINTS - 1][0 .. 1]
            \from indirect:*w, indirect:*own, indirect:*s, share, joint_blocks; */
static void nsci_take_joints(nsc_world *w, const nsc_island *own, const nsci_scheme *s, nsc_real share, int joint_blocks);

/* drive_take_island */
/*@ requires 0 <= joint_blocks && joint_blocks + own->joint_blocks <= NSC_MAX_JOINT_BLOCKS;
  @ requires own->first_block + own->joint_blocks <= NSC_MAX_BLOCKS && LINKED_ALL && FORWARD_ALL && THREE(INNER);
  @ requires own->bodies < NSC_MAX_BODIES && (own->first_link == NSCI_NOWHERE || own->first_link < NSCI_MAX_LINKS);
  @ assigns w->v_free[0 .. 6 * NSC_MAX_BODIES - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->spring_sum[0 .. NSC_MAX_SPRINGS - 1],
            w->joint_sum[0 .. NSC_MAX_JOINT_BLOCKS - 1][0 .. 2], w->joint_push[0 .. NSC_MAX_JOINTS - 1][0 .. 1], w->abrupt \from indirect:*w, indirect:*own, indirect:*s, joint_blocks;
  @ ensures FOUR(FOUND_KEPT); */
static void nsci_take_island(nsc_world *w, const nsc_island *own, const nsci_scheme *s, int joint_blocks);

/* drive_solve_islands.  Trusted: that from the first sub-step on nothing else writes where the blocks of an island begin. */
/*@ requires LINKED_ALL && FORWARD_ALL && ISLANDS && 0 <= w->rolling_count <= NSC_MAX_ROLLING && COUNTED;
  @ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 1 <= w->body_end <= NSC_MAX_BODIES && FOUR(FOUND_KEPT);
  @ requires 0 <= w->given_count <= NSC_MAX_FORCES && GIVEN_TO(0);
  @ assigns \result, SOLVING, w->islands[0 .. 1].first_block, w->islands[0 .. 1].solver, w->islands[0 .. 1].status,
            w->islands[0 .. 1].iterations, w->islands[0 .. 1].residual, w->report.solver, w->spring_sum[0 .. NSC_MAX_SPRINGS - 1],
            w->joint_sum[0 .. NSC_MAX_JOINT_BLOCKS - 1][0 .. 2], w->joint_push[0 .. NSC_MAX_JOINTS - 1][0 .. 1] \from indirect:*w, indirect:*s;
  @ ensures SOLVED;
  @ ensures \result < 0 || \result == 0;
  @ ensures w->islands[0].first_block == 0 && w->islands[1].first_block <= NSC_MAX_BLOCKS; */
static int nsci_solve_islands(nsc_world *w, const nsci_scheme *s);

/* drive_undo.  The same */
/*@ requires LINKED_ALL && FORWARD_ALL && ISLANDS && 0 <= w->rolling_count <= NSC_MAX_ROLLING && COUNTED;
  @ requires w->islands[0].first_block == 0 && w->islands[1].first_block <= NSC_MAX_BLOCKS;
  @ assigns \result, SOLVING, w->islands[0 .. 1].solver, w->islands[0 .. 1].status, w->islands[0 .. 1].iterations,
            w->islands[0 .. 1].residual, w->report.solver \from indirect:*w, indirect:*s;
  @ ensures SOLVED;
  @ ensures \result < 0 || \result == 0; */
static int nsci_undo_by_moving(nsc_world *w, const nsci_scheme *s);

/* drive_store_contacts, which has the contract of nsci_find_events, too */
/*@ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS && 0 <= w->found_count <= NSC_MAX_CONTACTS && LINKED_ALL;
  @ requires 0 <= w->link_count <= NSCI_MAX_LINKS && 0 <= w->first_contact <= NSC_MAX_JOINTS + NSC_MAX_SPRINGS;
  @ requires MANIFOLDS_KEPT && FOUR(CONTACT_KEPT) && FOUR(FOUND_KEPT) && THREE(OF_ISLAND);
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1], w->contacts[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->contact_count,
            w->events[0 .. NSC_MAX_EVENTS - 1], w->event_count, w->report.dropped_events, w->report.contacts, w->report.dropped_ever,
            w->manifolds[0 .. NSC_MAX_MANIFOLDS - 1], w->manifold_end \from indirect:*w, indirect:substeps;
  @ ensures w->found_count == 0 && 0 <= w->contact_count <= NSC_MAX_CONTACTS && 0 <= w->event_count <= NSC_MAX_EVENTS;
  @ ensures MANIFOLDS_KEPT && FOUR(CONTACT_KEPT) && FOUR(FOUND_KEPT); */
static void nsci_store_contacts(nsc_world *w, nsc_real substeps);

/* drive_store_springs */
/*@ requires 0 <= w->first_contact <= NSC_MAX_JOINTS + NSC_MAX_SPRINGS && LINKED_ALL && THREE(OF_ISLAND);
  @ assigns w->springs[0 .. NSC_MAX_SPRINGS - 1].impulse \from indirect:*w, indirect:h; */
static void nsci_store_springs(nsc_world *w, nsc_real h);

/* drive_free_manifolds.  Trusted: that no contact has one above the end, as nsci_keep_points and nsci_tape_manifold set that. */
/*@ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS && MANIFOLDS_KEPT && FOUR(CONTACT_KEPT);
  @ assigns w->manifolds[0 .. NSC_MAX_MANIFOLDS - 1], w->manifold_end \from indirect:*w;
  @ ensures MANIFOLDS_KEPT; */
static void nsci_free_manifolds(nsc_world *w);

/* drive_island_joints */
/*@ requires ISLANDS && FORWARD_ALL && LINKED_ALL && 0 <= w->joint_end <= NSC_MAX_JOINTS;
  @ assigns w->joints[0 .. NSC_MAX_JOINTS - 1], w->report.drift \from indirect:*w, indirect:h;
  @ ensures JOINT_KIND(0) && JOINT_KIND(1); */
static void nsci_store_joints(nsc_world *w, nsc_real h);
#else
/* Of a problem that does not lie in a world (drive_prepare) */
/*@ assigns \result, p->row_count, p->skipped_rows, p->ground, p->blocks[0 .. p->block_count - 1]; */
static int nsci_prepare(nsc_problem *p);
#endif

#ifdef PROVE_AUTO
/* What a solver gives back is numbers, no addresses that stand in the problem: so it depends on these indirectly. */
/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_sipgs(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_newton(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_admm(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_bb(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_apgd(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_minres(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/*@ requires \initialized(p) && \initialized(s) && \valid(r);
  @ assigns \result, *r, p->blocks[0 .. p->block_count - 1].lambda[0 .. 2], p->blocks[0 .. p->block_count - 1].best[0 .. 2], p->v[..]
            \from indirect:*p, indirect:*s;
  @ ensures \initialized(r) && -100 <= \result <= 4; */
NSC_API int nsc_solve_dantzig(nsc_problem *p, const nsc_settings *s, nsc_report *r);

/* drive_auto, drive_auto_matrix.  Its problems are small: as a stage it is any price, that of a problem of any size. */
/*@ requires \initialized(p);
  @ assigns \result \from *p, p->blocks[0 .. p->block_count - 1]; */
static nsc_real nsci_auto_factor_sweeps(const nsc_problem *p);
#endif

/* Eva does not see that x < 1e5 excludes a NaN; the driver of this one takes the cases apart. */
/*@ requires \is_NaN(x) || x >= 0;
  @ assigns *sine, *cosine \from x;
  @ ensures \initialized(sine) && \initialized(cosine); */
static void nsci_sin_cos(nsc_real x, nsc_real *sine, nsc_real *cosine);

#ifdef PROVE_TREE_OF_BOXES
/* drive_part_leaves */
/*@ requires n == 3 && 0 <= k < n && 0 <= axis <= 2 && \initialized(&leaf[0 .. n - 1]);
  @ assigns leaf[0 .. n - 1] \from leaf[0 .. n - 1], indirect:n, indirect:k, indirect:axis;
  @ ensures \initialized(&leaf[0 .. 2]);
  @ ensures leaf[0].shape < NSC_MAX_SHAPES && leaf[1].shape < NSC_MAX_SHAPES && leaf[2].shape < NSC_MAX_SHAPES; */
static void nsci_part_leaves(nsc_box_node *leaf, int n, int k, int axis);

/* drive_make_leaf.  Which shapes have bounds is given: drive_box_tree_make goes through all. */
static int Bounded[NSC_MAX_SHAPES];
/*@ requires 0 <= slot < NSC_MAX_SHAPES && \valid(n);
  @ assigns \result, *n \from indirect:*w, slot, Bounded[0 .. NSC_MAX_SHAPES - 1];
  @ ensures \initialized(n) && n->shape == slot;
  @ ensures slot == 0 ==> \result == Bounded[0];
  @ ensures slot == 1 ==> \result == Bounded[1];
  @ ensures slot == 2 ==> \result == Bounded[2]; */
static int nsci_make_leaf(const nsc_world *w, int slot, nsc_box_node *n);
#endif

#ifdef PROVE_SETTLE
/* drive_settle */
/*@ assigns \result \from x; */
static nsc_real nsci_settle(nsc_real x);
#endif

#if NSC_STRIPS
/* For the same reason */
/*@ requires \initialized(&p->low) && \initialized(&p->scale);
  @ assigns \result \from p->low, p->scale, x;
  @ ensures 0 <= \result < NSCI_MOST_STRIPS; */
static int nsci_strip_at(const nsci_strips *p, nsc_real x);
#endif

/* drive_sort_found.  Trusted: that the shapes of all contacts are below shape_end, as contacts go with their shapes, and
   what is loaded has been looked up. */
#define ORDER(i) (i >= NSC_MAX_CONTACTS || w->scratch.find.order[i] < NSC_MAX_CONTACTS)
#define SORTED(i) (i >= w->found_count || w->scratch.find.order[i] < w->found_count)
/*@ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->shape_end <= NSC_MAX_SHAPES;
  @ requires \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ requires FOUR(ORDER);
  @ assigns w->scratch.find.order[0 .. NSC_MAX_CONTACTS - 1]
            \from w->scratch.find.order[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count,
            w->shape_end;
  @ ensures FOUR(ORDER) && FOUR(SORTED); */
static void nsci_sort_found(nsc_world *w);

#if NSC_STRIPS
/* drive_sort_many; the same is trusted */
/*@ requires 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->shape_end <= NSC_MAX_SHAPES;
  @ requires \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ requires FOUR(ORDER) && FOUR(SORTED);
  @ assigns w->scratch.find.order[0 .. NSC_MAX_CONTACTS - 1], w->scratch.find.strips.by_rank[0 .. NSC_MAX_CONTACTS - 1],
            w->scratch.find.strips.begin[0 .. NSC_MAX_SHAPES + 1]
            \from w->scratch.find.order[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count,
            w->shape_end;
  @ ensures FOUR(ORDER) && FOUR(SORTED); */
static void nsci_sort_many(nsc_world *w);
#endif

#if NSC_STRIPS
#ifdef PROVE_STRIPS
/* drive_meet_strip; trusted: that what is counted stays far from the end of an int (16 points of 16383 shapes' pairs do) */
/*@ requires 0 <= w->scratch.find.strips.axis <= 2 && 0 <= i < NSC_MAX_SHAPES && 0 <= k < NSCI_MOST_STRIPS;
  @ requires 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ assigns w->found[0 .. NSC_MAX_CONTACTS - 1], w->found_count, w->report.pairs, w->report.dropped,
            w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1], w->scratch.find.convex, w->scratch.find.lost, w->next_manifold,
            w->manifolds[0 .. NSC_MAX_MANIFOLDS - 1], w->manifold_end, w->report.unkept \from indirect:*w, i, k, h;
  @ ensures 0 <= w->found_count <= NSC_MAX_CONTACTS && 0 <= w->report.pairs <= 1000000 && 0 <= w->report.dropped <= 1000000;
  @ ensures 0 <= w->manifold_end <= NSC_MAX_MANIFOLDS && 0 <= w->report.unkept <= 1000000 && 0 <= w->scratch.find.lost <= 1000000;
  @ ensures \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ ensures 0 <= w->next_manifold <= NSC_MAX_MANIFOLDS && FOUR(FOUND_KEPT) && KEPT(0) && KEPT(1); */
static void nsci_meet_strip(nsc_world *w, int i, int k, nsc_real h);
#endif
#endif

/* Only looks at numbers; other drivers take the bodies. */
/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:*d;
  @ assigns \result \from indirect:*d;
  @ ensures -100 <= \result <= 0; */
static int nsci_check_axis(nsci_why *note, const nsc_axis_def *d, int axis);

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
static void nsci_bounds(const nsci_geom *g, nsc_real more, nsci_aabb *box);

#ifdef PROVE_GEAR
/* Both joints are there: who asks has just looked.  (drive_get_joint takes the other case, too.) */
/*@ assigns \result \from indirect:*w, indirect:*d; */
static nsc_real nsci_gear_position(const nsc_world *w, const nsc_joint_def *d);
#endif

/* The archive.  `refused` stands for T.code < 0: Eva tells apart the values of a variable, but not of a field. */
static nsci_tape T;
static int refused;
/* In which of its ranges the last number read is: one of them is what loading lets pass of `steady`. */
static int range;
#define REFUSED(t) (0 <= refused <= 1 && (refused == 0 <==> (t)->code == 0) && -100 <= (t)->code <= 0)

/*@ requires code < 0;
  @ assigns t->code \from t->code, code;
  @ assigns refused \from \nothing;
  @ ensures refused == 1 && -100 <= t->code <= -1; */
static void nsci_tape_refuse(nsci_tape *t, int code);

/* Trusted: that nothing is read or written behind the end, and that what is written has its value. */
/*@ assigns *x \from *x, indirect:*t;
  @ ensures t->mode != NSCI_READ ==> *x == \old(*x);
  @ assigns t->hash \from *x, indirect:*t;
  @ assigns t->at \from t->at, indirect:*t;
  @ assigns t->code, refused \from t->code, refused, indirect:*t;
  @ ensures (refused == \old(refused) && t->code == \old(t->code)) ||
            (refused == 1 && \old(refused) == 0 && t->code == NSC_ERR_ARGUMENT && t->mode == NSCI_READ); */
static void nsci_tape_byte(nsci_tape *t, uint8_t *x);

/*@ assigns *x \from *x, indirect:*t;
  @ ensures t->mode != NSCI_READ ==> *x == \old(*x);
  @ assigns t->hash \from *x, indirect:*t;
  @ assigns t->at \from t->at, indirect:*t;
  @ assigns t->code, refused \from t->code, refused, indirect:*t;
  @ ensures (refused == \old(refused) && t->code == \old(t->code)) ||
            (refused == 1 && \old(refused) == 0 && t->code == NSC_ERR_ARGUMENT && t->mode == NSCI_READ);
  @ assigns range \from \nothing;
  @ ensures (range == 0 && 0 <= *(int *)x <= 2) || (range == 1 && *(int *)x < 0) || (range == 2 && *(int *)x > 2); */
static void nsci_tape_32(nsci_tape *t, uint32_t *x);

/* Two bytes */
/*@ assigns *x \from *x, indirect:*t;
  @ ensures t->mode != NSCI_READ ==> *x == \old(*x);
  @ assigns t->hash \from *x, indirect:*t;
  @ assigns t->at \from t->at, indirect:*t;
  @ assigns t->code, refused \from t->code, refused, indirect:*t;
  @ ensures (refused == \old(refused) && t->code == \old(t->code)) ||
            (refused == 1 && \old(refused) == 0 && t->code == NSC_ERR_ARGUMENT && t->mode == NSCI_READ);
  @ ensures *x <= NSC_MAX_MANIFOLDS || *x > NSC_MAX_MANIFOLDS; // Eva tells the two apart */
static void nsci_tape_16(nsci_tape *t, uint16_t *x);

/*@ requires 1 <= n <= 255;
  @ assigns x[0 .. n - 1] \from x[0 .. n - 1], indirect:*t, indirect:n;
  @ assigns t->hash \from x[0 .. n - 1], indirect:*t;
  @ assigns t->at \from t->at, indirect:*t;
  @ assigns t->code, refused \from t->code, refused, indirect:*t;
  @ ensures (refused == \old(refused) && t->code == \old(t->code)) ||
            (refused == 1 && \old(refused) == 0 && t->code == NSC_ERR_ARGUMENT && t->mode == NSCI_READ); */
static void nsci_tape_bits(nsci_tape *t, nsc_real *x, int n);

/* drive_tape_clock */
static nsc_world W;
/*@ requires (t->to == \null || t->to == &W) && 0 <= W.steady <= 2;
  @ assigns t->record, t->place, t->record_size, t->at, t->hash, W.last_h, W.undo_h, W.uneven, W.slack, W.step_count, W.steady \from indirect:*t;
  @ assigns t->code, refused \from t->code, refused, indirect:*t;
  @ assigns range \from \nothing;
  @ ensures (refused == 0 && \old(refused) == 0 && t->code == NSC_OK) || (refused == 1 && -100 <= t->code <= -1);
  @ ensures (t->to != \null && refused == 1) || 0 <= W.steady <= 2; */
static void nsci_tape_clock(nsci_tape *t);

/* The slot is what the image says there, and nsci_check_slot (drive_check_slot) has let it pass. */
/*@ assigns \result \from indirect:*t, indirect:things, indirect:i;
  @ ensures i < 0 || i >= t->slots[things] ==> \result.generation == 0;
  @ ensures things == NSCI_SLOTS_OF_SHAPES ==> 0 <= \result.body < NSC_MAX_BODIES && \result.kind <= NSC_SHAPE_HEIGHT_FIELD;
  @ ensures things == NSCI_SLOTS_OF_JOINTS ==> \result.kind <= NSC_JOINT_GEAR;
  @ ensures things == NSCI_SLOTS_OF_SPRINGS ==> \result.kind <= 1; */
static nsci_slot nsci_slot_at(const nsci_tape *t, int things, int i);

/*@ requires note == \null || \valid(note);
  @ assigns *note \from indirect:*d;
  @ assigns \result \from indirect:*d;
  @ ensures \result < 0 || (\result == 0 && CHECKED(d)); */
static int nsci_check_world_def(nsci_why *note, const nsc_world_def *d);

#ifdef PROVE_ROWS
/* drive_axis_rows.  Trusted: that it says the same of the same axis each time, as it reads nothing else. */
static nsc_joint_def Joint;
static int Rows[3];
/*@ requires d == &Joint.axis[0] || d == &Joint.axis[1] || d == &Joint.axis[2];
  @ assigns \result \from indirect:d, Rows[0 .. 2];
  @ ensures d == &Joint.axis[0] ==> \result == Rows[0];
  @ ensures d == &Joint.axis[1] ==> \result == Rows[1];
  @ ensures d == &Joint.axis[2] ==> \result == Rows[2]; */
static int nsci_axis_rows(const nsc_axis_def *d);
#endif

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

/* drive_round.  Trusted: that the shape of a contact is one of the world's, as contacts go with their shapes */
/*@ requires \valid_read(w);
  @ assigns \result \from *w, shape; */
static nsc_real nsci_round_of(const nsc_world *w, nsc_id shape);

/* drive_round, with the same trust */
/*@ requires \valid_read(w);
  @ assigns \result \from *w, shape;
  @ ensures 0 <= \result <= 1; */
static int nsci_is_sphere(const nsc_world *w, nsc_id shape);

/* drive_round, with the same trust */
/*@ requires \valid_read(w) && \valid(axis);
  @ assigns \result, *axis \from *w, shape, normal, p; */
static nsc_real nsci_rim_of(const nsc_world *w, nsc_id shape, nsc_vec3 normal, nsc_vec3 p, nsc_vec3 *axis);

/* drive_bend_contact.  Trusted: where was > 0 all of before is set; Eva does not relate the two */
/*@ requires \valid(k);
  @ assigns k->bias[0 .. 2], k->hi[0], k->lo[0 .. 2] \from *w, *l, *s, was, held, *k;
  @ assigns w->scratch.solve.v[0 .. 6 * NSC_MAX_BODIES - 1] \from *w, indirect:*k, *s; */
static void nsci_bend_contact(nsc_world *w, const nsci_link *l, const nsci_scheme *s, const nsc_real *before, nsc_real was,
                              int held, nsc_block *k);

/* drive_bounce_together */
/*@ requires \valid(w) && \valid_read(l);
  @ assigns w->scratch.solve.blocks[0 .. NSC_MAX_BLOCKS - 1] \from *w, *l, *s; */
static void nsci_bounce_together(nsc_world *w, const nsci_link *l, const nsci_scheme *s);

/* Trusted: a ratio within 1e6 less its whole part is below 1, and so are 24 bits of it below 2^31 */
/*@ assigns \result \from a, b, ratio; */
static nsc_real nsci_gear_turns(int64_t a, int64_t b, nsc_real ratio);

/* drive_match */
/*@ requires \initialized(w) && 0 <= w->report.matched <= NSC_MAX_CONTACTS;
  @ requires 0 <= w->contact_count <= NSC_MAX_CONTACTS && 0 <= w->found_count <= NSC_MAX_CONTACTS;
  @ requires 0 <= w->first_contact && w->first_contact + w->found_count <= NSCI_MAX_LINKS;
  @ assigns w->scratch.find.used[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1], w->report.matched,
            w->pressed[0 .. NSC_MAX_CONTACTS - 1]
            \from w->contacts[0 .. NSC_MAX_CONTACTS - 1], w->found[0 .. NSC_MAX_CONTACTS - 1],
            w->links[0 .. NSCI_MAX_LINKS - 1], w->def, scale;
  @ ensures \initialized(&w->found[0 .. NSC_MAX_CONTACTS - 1]);
  @ ensures FOUR(FOUND_KEPT) && FOUR(PRESSED);
  @ ensures 0 <= w->report.matched <= 4 * NSC_MAX_CONTACTS; */
static void nsci_match_contacts(nsc_world *w, nsc_real scale);

#ifdef PROVE_NARROW
/* The narrow phase of convex shapes and terrain: contracts of its parts, each shown by the driver of its name.  Trusted: of spots and of
   points that are out of use nothing is read. */
/*@ requires \valid(x) && \valid(v);
  @ assigns \result, x->simplex, x->near_a, x->near_b, *v \from indirect:*a, indirect:*b, indirect:enough;
  @ ensures 0 <= x->simplex.n <= 4 && \initialized(v); */
static nsc_real nsci_gjk(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b, nsc_real enough, nsc_vec3 *v);

/* Trusted: it reads the tables of a hull that nsci_check_hull has found sound. */
/*@ requires \valid(e) && 0 <= i;
  @ assigns \result, *e \from *g, i;
  @ ensures 0 <= \result <= 1 && \initialized(e); */
static int nsci_edge_along(const nsci_geom *g, int i, nsc_vec3 *e);

/* Trusted: the same */
/*@ requires \valid_read(g);
  @ assigns \result \from indirect:*g, indirect:p; */
static nsc_real nsci_depth_in(const nsci_geom *g, nsc_vec3 p);

/* Trusted: that the sides of the polytope name tips that it has, which Eva cannot keep of an array */
/*@ requires \valid(x) && \valid(best);
  @ assigns x->simplex, x->near_a, x->near_b, x->use, *best \from indirect:*a, indirect:*b, indirect:*t, *best;
  @ ensures 0 <= x->simplex.n <= 4 && \initialized(best) && -1 <= best->side <= 1; */
static void nsci_expand(nsci_convex_scratch *x, nsci_way *best, const nsci_geom *a, nsci_geom *b, const nsci_tolerance *t);

/*@ requires \valid(best);
  @ assigns \result, x->simplex, x->near_a, x->near_b, x->use, *best \from indirect:*a, indirect:*b, indirect:distance;
  @ ensures \initialized(best); // if there is none, the way is not looked at
  @ ensures 0 <= \result <= 1 && -1 <= best->side <= 1; */
static int nsci_find_way(nsci_convex_scratch *x, const nsci_geom *a, nsci_geom *b, nsc_real distance, nsci_way *best);

/*@ requires \valid(f);
  @ assigns *f \from indirect:*g, indirect:d;
  @ ensures 0 <= f->n <= NSCI_PATCH && -1 <= f->face < NSC_HULL_FACES; */
static void nsci_find_patch(const nsci_geom *g, nsc_vec3 d, nsci_patch *f);

/*@ requires 0 <= n <= NSCI_SPOTS && 0 <= m <= NSCI_PATCH && \valid(c + (0 .. NSCI_SPOTS - 1));
  @ assigns \result, c[0 .. NSCI_SPOTS - 1] \from indirect:c[0 .. NSCI_SPOTS - 1], indirect:n, indirect:m, indirect:bound;
  @ ensures 0 <= \result <= NSCI_SPOTS; */
static int nsci_clip_spots(nsci_spot *c, int n, int m, nsc_vec3 at, nsc_vec3 out, nsc_real bound);

/* Not proved of five or more: that four are left (nsci_spread picks four, drive_spread) */
/*@ requires 0 <= n <= NSCI_SPOTS && \valid(c + (0 .. NSCI_SPOTS - 1));
  @ assigns \result, c[0 .. NSCI_SPOTS - 1] \from indirect:c[0 .. NSCI_SPOTS - 1], indirect:n, indirect:distance;
  @ ensures 0 <= \result <= NSC_MANIFOLD; */
static int nsci_thin_spots(nsci_spot *c, int n, nsc_vec3 normal, nsc_real distance);

/*@ requires 0 <= way->side <= 1;
  @ assigns \result, x->use.clip.spots[0 .. NSCI_SPOTS - 1] \from indirect:*x, indirect:*way, indirect:bound;
  @ ensures 0 <= \result <= NSCI_SPOTS; */
static int nsci_face_spots(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b, const nsci_way *way, nsc_real bound);

/*@ requires 0 <= way->side <= 1 && 0 <= n <= NSCI_SPOTS && \valid(out + (0 .. NSC_MANIFOLD - 1));
  @ assigns \result, x->use.clip.spots[0 .. NSCI_SPOTS - 1], out[0 .. NSC_MANIFOLD - 1] \from indirect:*x, indirect:*way, indirect:n, indirect:distance;
  @ ensures 0 <= \result <= NSC_MANIFOLD; */
static int nsci_spot_contacts(nsci_convex_scratch *x, int n, const nsci_way *way, nsc_real distance, nsci_point *out);

/*@ requires -1 <= way->side <= 1 && \valid(out + (0 .. NSC_MANIFOLD - 1));
  @ assigns \result, x->use.clip.spots[0 .. NSCI_SPOTS - 1], x->use.clip.patch[0 .. 1], out[0 .. NSC_MANIFOLD - 1]
            \from indirect:*x, indirect:*way, indirect:*a, indirect:*b, indirect:distance;
  @ ensures 0 <= \result <= NSC_MANIFOLD; */
static int nsci_patch_points(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b, const nsci_way *way, nsc_real distance,
                             nsci_point *out);

/* Eva does not see that a comparison excludes a NaN; the driver takes the cases apart. */
/*@ requires \valid(from) && \valid(to) && 2 <= samples <= 65535;
  @ assigns *from, *to \from indirect:lo, indirect:hi, indirect:step, indirect:samples;
  @ ensures \initialized(from) && \initialized(to) && 0 <= *from <= 65535 && 0 <= *to <= samples - 2; */
static void nsci_cell_range(nsc_real lo, nsc_real hi, nsc_real step, int samples, int *from, int *to);

/*@ requires 0 <= n <= NSCI_SPOTS && \valid(c + (0 .. NSCI_SPOTS - 1));
  @ assigns \result, c[0 .. NSCI_SPOTS - 1] \from indirect:c[0 .. NSCI_SPOTS - 1], indirect:n, indirect:edges;
  @ ensures 0 <= \result <= n; */
static int nsci_leave_to_neighbours(nsci_spot *c, int n, unsigned edges);

/* drive_facet */
/*@ requires \valid(x) && \valid(f);
  @ assigns \result, *x, f->cut \from indirect:*x, indirect:*a, indirect:*f, indirect:distance;
  @ ensures 0 <= \result <= NSC_MANIFOLD && 0 <= f->cut <= 1; */
static int nsci_triangle_contacts(nsci_convex_scratch *x, const nsci_geom *a, nsci_facet *f, nsc_real distance);

/* drive_gather, of up to five points */
/*@ requires 0 <= n <= NSCI_MAX_POINTS && \valid_read(p) && \valid(f);
  @ assigns \result, w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1], w->scratch.find.convex.use.clip.spots[0 .. 4], w->scratch.find.lost,
            f->of[0 .. NSCI_MAX_POINTS - 1]
            \from indirect:*w, indirect:*f, indirect:n, indirect:*p, indirect:same;
  @ ensures 0 <= \result <= NSCI_MAX_POINTS && 0 <= w->scratch.find.lost <= 1000000; */
static int nsci_gather(nsc_world *w, nsci_facet *f, int n, const nsci_point *p, nsc_real same);

/*@ requires \valid(w) && \valid(a);
  @ assigns \result, w->scratch.find.points[0 .. NSCI_MAX_POINTS - 1], w->scratch.find.convex, w->scratch.find.lost
            \from indirect:*w, indirect:*a, indirect:*b, indirect:distance;
  @ ensures 0 <= \result <= NSCI_MAX_POINTS && 0 <= w->scratch.find.lost <= 1000000; */
static int nsci_collide_terrain(nsc_world *w, nsci_geom *a, const nsci_geom *b, nsc_real distance);

#endif

#ifdef PROVE_SELFCHECK
/*@ assigns \result \from *w; */
static uint32_t nsci_selfcheck_scene(nsc_world *w);
/* Trusted: the scene has no shape of a table, and its world no table */
/*@ assigns \result \from *w, *s;
  @ ensures \result == \null; */
static const void *nsci_shape_data(const nsc_world *w, const nsc_shape *s);
/*@ assigns \result, *centre, I[0 .. 5] \from *w, *s;
  @ ensures \initialized(centre) && \initialized(&I[0 .. 5]); */
static nsc_real nsci_hull_mass(const nsc_world *w, const nsc_shape *s, nsc_vec3 *centre, nsc_real I[6]);
#endif

/* ---- the world: what is assumed before a call and asserted after it -------------------------------- */

static nsc_world W;

/* The tables of the user: one hull of any corners and faces in range, one height field of 3 by 2 or 2 by 2, as nsc_world_set_hulls and
   nsc_world_set_fields let them pass (drive_tables).  A world may have the table or not. */
enum { PROVE_SAMPLES = 6 };
static nsc_hull Hull;
static nsc_heights Field;
static nsc_real Samples[PROVE_SAMPLES];
static const nsc_hull *const Hulls[1] = {&Hull};
static const nsc_heights *const Fields[1] = {&Field};

static void any_tables(void)
{
    int k;
    FILL(Hull), FILL(Samples);
    Hull.vertices = (uint8_t)ANY(0, NSC_HULL_VERTICES);
    Hull.faces = (uint8_t)ANY(0, NSC_HULL_FACES);
    for (k = 0; k <= NSC_HULL_FACES; k++) Hull.first[k] = (uint8_t)ANY(0, NSC_HULL_CORNERS);
    for (k = 0; k < NSC_HULL_CORNERS; k++) Hull.corner[k] = (uint8_t)ANY(0, NSC_HULL_VERTICES - 1);
    Field.height = Samples;
    Field.nx = (uint16_t)ANY(2, PROVE_SAMPLES / 2), Field.ny = 2;
    Field.dx = any, Field.dy = any, Field.low = any, Field.high = any;
    W.hulls = Hulls, W.hull_count = ANY(0, 1);
    W.fields = Fields, W.field_count = ANY(0, 1);
}

static void any_world(void)
{
    int i, k;
    FILL(W);
    any_tables();
    W.def.tag = ANY(0, 15);
    W.def.substeps = ANY(1, 64);
    W.def.stepper = ANY(NSC_STEPPER_EULER_IMPLICIT_LINEARIZED, NSC_STEPPER_NEWMARK);
    W.def.newton_steps = ANY(1, 1000);
    W.def.contact_model = ANY(NSC_CONTACT_HARD, NSC_CONTACT_SMOOTH);
    W.def.contact_law = ANY(NSC_SMOOTH_HOOKE, NSCI_LAST_LAW);
    W.steady = ANY(0, 2);
    W.body_end = ANY(1, NSC_MAX_BODIES);
    W.shape_end = ANY(0, NSC_MAX_SHAPES);
    W.joint_end = ANY(0, NSC_MAX_JOINTS);
    W.spring_end = ANY(0, NSC_MAX_SPRINGS);
    W.contact_count = ANY(0, NSC_MAX_CONTACTS);
    W.event_count = ANY(0, NSC_MAX_EVENTS);
    W.found_count = ANY(0, NSC_MAX_CONTACTS);
    W.report.islands = ANY(0, NSC_MAX_BODIES);
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        W.bodies[i].particle = (uint8_t)ANY(0, 1), W.bodies[i].asleep = (uint8_t)ANY(0, 1);
    }
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        W.shapes[i].body = (uint16_t)ANY(0, NSC_MAX_BODIES - 1);
        W.shapes[i].data = 0;
        W.shapes[i].def.kind = ANY(0, NSC_SHAPE_HEIGHT_FIELD); /* 0: never used */
    }
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        W.joints[i].def.kind = ANY(0, NSC_JOINT_GEAR);
        for (k = 0; k < 3; k++) W.joints[i].turns[k] = ANY(-1000000000, 1000000000); /* Eva forgets what has just been asked */
        for (k = 0; k < 2; k++) W.next_joint[i][k] = (nsci_index)ANY(0, NSC_MAX_JOINTS);
    }
    for (i = 0; i < NSC_MAX_BODIES; i++) W.first_joint[i] = (nsci_index)ANY(0, NSC_MAX_JOINTS);
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        W.pressed[i] = (nsci_index)ANY(0, NSC_MAX_CONTACTS);
#if NSC_MAX_MANIFOLDS > 0
        /* nsci_keep_points gives no higher place, and load's checks let none in; what is in the places: the same two, and
           nsci_free_manifolds, which leaves `used` 0 */
        W.contacts[i].manifold = (nsci_kept_at)ANY(0, NSC_MAX_MANIFOLDS);
        W.found[i].manifold = (nsci_kept_at)ANY(0, NSC_MAX_MANIFOLDS);
#endif
    }
#if NSC_MAX_MANIFOLDS > 0
    W.next_manifold = ANY(0, NSC_MAX_MANIFOLDS), W.manifold_end = ANY(0, NSC_MAX_MANIFOLDS);
    for (i = 0; i < NSC_MAX_MANIFOLDS; i++) {
        W.manifolds[i].count = (uint8_t)ANY(0, NSC_MANIFOLD);
        W.manifolds[i].side = (uint8_t)ANY(0, 1), W.manifolds[i].used = 0;
    }
#endif
}

/* Manifolds up to the highest in use, for who frees them: the contacts' are no higher.  The driver has split the
   end, or Eva would forget that. */
static void any_manifolds(int end)
{
    int i;
    W.manifold_end = end;
    for (i = 0; i < NSC_MAX_CONTACTS; i++) W.contacts[i].manifold = (nsci_kept_at)ANY(0, end);
}

/* The lists of the broad phase, and what else finds contacts.  They are scratch, which solving overwrites, so no
   state of the world between calls.  Trusted: that of these lists a step reads only what nsci_bound_shapes,
   nsci_sort_strips, nsci_sort_found and nsci_match_contacts have written in it, which Eva does not see. */
/* The caller's choice of pairs */
static int any_meeting(void *user, const nsc_world *w, nsc_id a, nsc_id b) { return user && w && a >= 0 && b >= 0 ? ANY_INT : 1; }

static nsc_calls Meeting;

static void any_finding(void)
{
    int i;
    Meeting.user = NULL, Meeting.meet = &any_meeting;
    W.scratch.find.calls = MAYBE(&Meeting);
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        W.scratch.find.sweep[i] = (nsci_index)ANY(0, NSC_MAX_SHAPES - 1);
        W.scratch.find.active[i] = (uint8_t)ANY(0, 1);
    }
#if NSC_STRIPS
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) W.scratch.find.strips.strip[i] = (uint8_t)ANY(0, NSCI_MOST_STRIPS - 1);
    //@ loop unroll NSCI_MOST_STRIPS;
    for (i = 0; i < NSCI_MOST_STRIPS; i++) W.scratch.find.strips.end[i] = (uint16_t)ANY(0, NSC_MAX_SHAPES);
    W.scratch.find.strips.axis = ANY(0, 2), W.scratch.find.strips.across = ANY(0, 2);
    W.scratch.find.strips.low = any, W.scratch.find.strips.scale = any;
#endif
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        W.scratch.find.order[i] = (nsci_index)ANY(0, NSC_MAX_CONTACTS - 1), W.scratch.find.used[i] = (uint8_t)ANY(0, 1);
    }
}

/* The same, asserted, where finding ends */
static void check_finding(void)
{
    int i;
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        //@ assert sweep: W.scratch.find.sweep[i] < NSC_MAX_SHAPES;
        ;
    }
#if NSC_STRIPS
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        //@ assert strip: W.scratch.find.strips.strip[i] < NSCI_MOST_STRIPS;
        ;
    }
    //@ loop unroll NSCI_MOST_STRIPS;
    for (i = 0; i < NSCI_MOST_STRIPS; i++) {
        //@ assert strip_end: W.scratch.find.strips.end[i] <= NSC_MAX_SHAPES;
        ;
    }
    //@ assert axis: 0 <= W.scratch.find.strips.axis <= 2;
    //@ assert across: 0 <= W.scratch.find.strips.across <= 2;
#endif
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        //@ assert order: W.scratch.find.order[i] < NSC_MAX_CONTACTS;
        //@ assert used: W.scratch.find.used[i] <= 1;
        ;
    }
}

static nsci_index any_next(int from) /* one case, not two: Eva joins them where the function returns */
{
    return (nsci_index)(from < NSCI_MAX_LINKS && ANY(0, 1) ? ANY(from, NSCI_MAX_LINKS - 1) : NSCI_NOWHERE);
}

/* The links of a step: those that nsci_list_links lists (drive_list_links), in chains as nsci_find_islands leaves
   them (drive_islands), of which none goes back.  They are scratch of one step, too.  Of any kind, as Eva does not
   relate a kind to the items of that kind: so items are below `items`, the capacity of all the kinds that the function
   reads, and the driver's capacities are such that this is no restriction. */
static void any_links(int items)
{
    int i;
    W.link_count = ANY(0, NSCI_MAX_LINKS), W.first_contact = ANY(0, NSC_MAX_JOINTS + NSC_MAX_SPRINGS);
    for (i = 0; i < NSCI_MAX_LINKS; i++) {
        nsci_link *l = &W.links[i];
        l->kind = (uint8_t)ANY(NSCI_JOINT_LINK, NSCI_CONTACT_LINK), l->rolls = (uint8_t)ANY(0, 1);
        l->item = (nsci_index)ANY(0, items - 1);
        l->a = (nsci_index)ANY(0, NSC_MAX_BODIES - 1), l->b = (nsci_index)ANY(0, NSC_MAX_BODIES - 1);
        l->block = (nsci_index)ANY(0, NSC_MAX_BLOCKS - 2); /* if solved; there is room for that of rolling */
        l->next = any_next(i + 1);
    }
}

/* The same, asserted for each link, of whichever kind */
static void check_links(void)
{
    int i;
    //@ assert link_count: 0 <= W.link_count <= NSCI_MAX_LINKS;
    //@ assert first_contact: 0 <= W.first_contact <= NSC_MAX_JOINTS + NSC_MAX_SPRINGS;
    for (i = 0; i < W.link_count; i++) {
        //@ assert kind: W.links[i].kind <= NSCI_CONTACT_LINK;
        //@ assert rolls: W.links[i].rolls <= 1;
        //@ assert joint: W.links[i].kind == NSCI_JOINT_LINK ==> W.links[i].item < NSC_MAX_JOINTS;
        //@ assert spring: W.links[i].kind == NSCI_SPRING_LINK ==> W.links[i].item < NSC_MAX_SPRINGS;
        //@ assert contact: W.links[i].kind == NSCI_CONTACT_LINK ==> W.links[i].item < NSC_MAX_CONTACTS;
        //@ assert a: W.links[i].a < NSC_MAX_BODIES;
        //@ assert b: W.links[i].b < NSC_MAX_BODIES;
        ;
    }
}

static void check_world(void)
{
    int i;
    //@ assert tag: 0 <= W.def.tag <= 15;
    //@ assert substeps: 1 <= W.def.substeps <= 64;
    //@ assert stepper: NSC_STEPPER_EULER_IMPLICIT_LINEARIZED <= W.def.stepper <= NSC_STEPPER_NEWMARK;
    //@ assert newton_steps: 1 <= W.def.newton_steps <= 1000;
    //@ assert contact_model: NSC_CONTACT_HARD <= W.def.contact_model <= NSC_CONTACT_SMOOTH;
    //@ assert contact_law: NSC_SMOOTH_HOOKE <= W.def.contact_law <= NSCI_LAST_LAW;
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
        //@ assert first_joint: W.first_joint[i] <= NSC_MAX_JOINTS;
        ;
    }
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        //@ assert body: W.shapes[i].body < NSC_MAX_BODIES;
        //@ assert data: W.shapes[i].data == 0;
        //@ assert kind: 0 <= W.shapes[i].def.kind <= NSC_SHAPE_HEIGHT_FIELD;
        ;
    }
    for (i = 0; i < NSC_MAX_JOINTS; i++) {
        //@ assert joint: 0 <= W.joints[i].def.kind <= NSC_JOINT_GEAR;
        //@ assert next_joint: W.next_joint[i][0] <= NSC_MAX_JOINTS && W.next_joint[i][1] <= NSC_MAX_JOINTS;
        ;
    }
    //@ assert hull_count: 0 <= W.hull_count <= 1;
    //@ assert field_count: 0 <= W.field_count <= 1;
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        //@ assert manifold: W.contacts[i].manifold <= NSC_MAX_MANIFOLDS;
        //@ assert found_manifold: W.found[i].manifold <= NSC_MAX_MANIFOLDS;
        ;
    }
#if NSC_MAX_MANIFOLDS > 0
    //@ assert next_manifold: 0 <= W.next_manifold <= NSC_MAX_MANIFOLDS;
    //@ assert manifold_end: 0 <= W.manifold_end <= NSC_MAX_MANIFOLDS;
    for (i = 0; i < NSC_MAX_MANIFOLDS; i++) {
        //@ assert points: W.manifolds[i].count <= NSC_MANIFOLD;
        //@ assert side: W.manifolds[i].side <= 1;
        //@ assert kept: W.manifolds[i].used == 0;
        ;
    }
#endif
}

/* Shapes of one kind: Eva does not tell by it whether a geometry has a hull or a field.  Only the last face ends where
   the corners do. */
static void any_world_of_one_kind(int kind)
{
    int i;
    any_world();
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) W.shapes[i].def.kind = kind;
    Hull.faces = NSC_HULL_FACES;
    for (i = 0; i < NSC_HULL_FACES; i++) Hull.first[i] = (uint8_t)ANY(0, NSC_HULL_CORNERS - 1);
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

/* The caller's clock */
static int any_answer(void *user) { return user ? ANY_INT : 0; }

static nsc_calls Calls;

/* The step lengths are anything, too: those of nsci_begin_scheme from any definition */
static nsci_scheme any_scheme(void)
{
    nsci_scheme s;
    Calls.user = NULL, Calls.stop = NULL, Calls.force = MAYBE(&any_force);
    s.calls = MAYBE(&Calls);
    s.mode = ANY(NSCI_LINEARIZED, NSCI_NEWTON);
    s.first = ANY(0, 1), s.last = ANY(0, 1), s.newmark = ANY(0, 1), s.odd = ANY(0, 1);
    s.h = any, s.hf = any, s.hx = any, s.undo = any, s.slack = any;
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
        W.inner[i] = (nsci_index)ANY(0, NSC_MAX_BODIES - 1), W.outer[i] = (nsci_index)ANY(0, NSC_MAX_BODIES - 1);
        W.island[i] = (nsci_index)(ANY(0, 1) ? ANY(0, NSC_MAX_BODIES - 1) : NSCI_NOWHERE);
    }
}

/* ---- parts of the step ------------------------------------------------------------------------------ */

/* n corners, the others uninitialised, so that reading there is an alarm */
static void any_corners(nsci_corner *c, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        c[i].at[0] = any, c[i].at[1] = any, c[i].at[2] = any;
        c[i].id = (uint8_t)ANY(0, 255), c[i].edge = (uint8_t)ANY(0, 255);
    }
}

void drive_clip(void)
{
    nsci_corner c[9]; /* one before, where the polygon moves, and one behind, where it is closed */
    int n = ANY(1, 7);
    //@ split n;
    any_corners(c + 1, n);
    nsci_clip(c + 1, n, ANY(0, 3), any);
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
    nsci_point out[NSC_MANIFOLD]; /* the world's own: never uninitialised */
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
    any_links(NSC_MAX_CONTACTS);
    W.first_contact = ANY(0, 1) * (NSC_MAX_JOINTS + NSC_MAX_SPRINGS); /* the first of all links, or as late as can be */
    //@ split W.first_contact;
    W.link_count = W.first_contact + W.found_count;
    for (i = 0; i < W.found_count; i++) {
        nsci_link *l = &W.links[W.first_contact + i];
        l->item = (nsci_index)ANY(0, W.found_count - 1);
        //@ split l->item;
        ;
    }
    W.report.matched = ANY(0, NSC_MAX_CONTACTS);
    nsci_match_contacts(&W, any);
    //@ assert matched: 0 <= W.report.matched <= 4 * NSC_MAX_CONTACTS;
    check_world();
    check_links();
}

/* With 8 contacts: more than one gap width takes part. */
void drive_sort(void)
{
    any_world();
    any_finding();
    nsci_sort(&W, nsci_before, W.scratch.find.order, W.found_count);
    check_world();
    check_finding();
}

/* What contracts.c says of both */
void drive_rank(void)
{
    nsc_id id;
    int own = nsci_rank(Frama_C_interval(-2147483647 - 1, -1)), other = nsci_rank(Frama_C_interval(0, 2147483647));
    //@ assert own: own == 0;
    //@ assert other: 1 <= other <= 16384;
    W.def.tag = ANY(0, 15);
    id = nsci_handle(&W, ANY(0, 3), ANY(0, 16383), (uint16_t)ANY(0, 65535));
    //@ assert handle: id >= 0;
}

/* Contacts of any two shapes, or of the caller's own (nsc_world_add_contact and load let none have one shape), in any number up to
   three; that all are sorted, and by rank.  The shapes
   are counted out: Eva does not relate how many are counted to how many are placed. */
static void drive_sorting(void (*sort)(nsc_world *w))
{
    int n, i, k, at[6];
    any_world();
    any_finding();
    W.shape_end = 2;
    for (n = 0; n <= 3; n++)
        for (k = 0; k < (n == 0 ? 1 : n == 1 ? 9 : n == 2 ? 81 : 729); k++) {
            at[0] = k % 3, at[1] = k / 3 % 3, at[2] = k / 9 % 3, at[3] = k / 27 % 3, at[4] = k / 81 % 3, at[5] = k / 243;
            for (i = 0; i < n && (at[2 * i] == 0) == (at[2 * i + 1] == 0); i++) {}
            if (i < n) continue;
            W.found_count = n;
            for (i = 0; i < n; i++) {
                W.found[i].shape_a = at[2 * i] == 0 ? -1 : at[2 * i] - 1 + 16384 * 3;
                W.found[i].shape_b = at[2 * i + 1] == 0 ? -1 : at[2 * i + 1] - 1 + 16384 * 3;
            }
            for (i = 0; i < n; i++) W.scratch.find.order[i] = (nsci_index)i;
            sort(&W);
            for (i = 0; i < n; i++) {
                //@ assert there: W.scratch.find.order[i] < n;
                ;
            }
            for (i = 1; i < n; i++) {
                const nsci_index *order = W.scratch.find.order;
                const nsc_contact *c = &W.found[order[i - 1]], *d = &W.found[order[i]];
                int before = 3 * nsci_rank(c->shape_a) + nsci_rank(c->shape_b), after = 3 * nsci_rank(d->shape_a) + nsci_rank(d->shape_b);
                //@ assert sorted: before <= after;
            }
        }
    check_world();
    check_finding();
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

/* What a step counts from 0 */
static void any_counts(void)
{
    W.report.pairs = ANY(0, 1000000), W.report.dropped = ANY(0, 1000000), W.report.unkept = ANY(0, 1000000);
    W.scratch.find.lost = ANY(0, 1000000);
}

/* Where the shapes are */
void drive_frames(void)
{
    nsci_geom g;
    int n, kind = ANY(0, NSC_SHAPE_HEIGHT_FIELD), s = ANY(0, NSC_MAX_SHAPES - 1);
    //@ split kind;
    any_world_of_one_kind(kind);
    any_finding();
    //@ split W.shape_end;
    g = nsci_place(&W, &W.shapes[s]);
    n = nsci_bound_shapes(&W, any);
    //@ assert bounded: 0 <= n <= W.shape_end;
    check_world();
    check_finding();
}

void drive_sort_found(void) { drive_sorting(nsci_sort_found); }

#if NSC_STRIPS
void drive_sort_many(void) { drive_sorting(nsci_sort_many); }

void drive_plan_strips(void)
{
    any_world();
    any_finding();
    nsci_plan_strips(&W, ANY(0, NSC_MAX_SHAPES));
    check_world();
    check_finding();
}

/* Any place in strips; one that is NaN fails strip > 0 */
void drive_strip_at(void)
{
    nsci_strips p;
    int k;
    p.low = NSC_R(0.0), p.scale = NSC_R(1.0);
    k = nsci_strip_at(&p, Frama_C_float_interval(-FLT_MAX, FLT_MAX));
    //@ assert finite: 0 <= k < NSCI_MOST_STRIPS;
    k = nsci_strip_at(&p, INFINITY);
    //@ assert above: k == NSCI_MOST_STRIPS - 1;
    k = nsci_strip_at(&p, -INFINITY);
    //@ assert below: k == 0;
}

void drive_sort_strips(void)
{
    any_world();
    any_finding();
    nsci_sort_strips(&W, ANY(0, NSC_MAX_SHAPES));
    check_world();
    check_finding();
}

void drive_meet_strip(void)
{
    int i, k = ANY(0, NSCI_MOST_STRIPS - 1);
    any_world();
    any_finding();
    any_counts();
    i = nsci_first_in_strip(&W.scratch.find, k, any);
    //@ assert first: 0 <= i <= NSC_MAX_SHAPES;
    nsci_meet_strip(&W, ANY(0, NSC_MAX_SHAPES - 1), k, any);
    check_world();
    check_finding();
}
#endif

/* Points into any room that is left */
void drive_put_points(void)
{
    any_world();
    any_counts();
    W.report.dropped = ANY(0, 1000000 - NSCI_MAX_POINTS);
    //@ split W.found_count;
    nsci_put_points(&W, ANY(0, NSC_MAX_SHAPES - 1), ANY(0, NSC_MAX_SHAPES - 1), any, ANY(0, NSCI_MAX_POINTS),
                    ANY(0, NSC_MAX_MANIFOLDS), ANY(0, 1));
    check_world();
}

/* The core of one of two shapes */
void drive_collide_core(void)
{
    int core = ANY(0, 1);
    any_world();
    any_counts();
    //@ split core;
    nsci_collide_core(&W, 0, 1, core, any, any);
    check_world();
}

/* Contact points of two shapes, in any room that is left.  Which shapes is told apart: else Eva would not know by its kind that a shape
   has flat faces, and so no more than four points to keep. */
void drive_collide_shapes(void)
{
    int pair = ANY(0, 3);
    any_world();
    any_counts();
    W.report.dropped = ANY(0, 1000000 - NSCI_MAX_POINTS), W.report.unkept = ANY(0, 999999);
    //@ split W.found_count;
    //@ split pair;
    nsci_collide_shapes(&W, pair < 2 ? 0 : pair == 2 ? 1 : 2, pair == 0 ? 1 : pair < 3 ? 2 : 0, any, any);
    check_world();
}

/* Two shapes that fly at each other, with any points */
void drive_let_pass(void)
{
    int n;
    any_world();
    any_counts();
    n = nsci_let_pass(&W, 0, 1, any, any, ANY(0, NSCI_MAX_POINTS));
    //@ assert n: 0 <= n <= NSCI_MAX_POINTS;
    check_world();
}

/* ---- contact points that are kept -------------------------------------------------------------------- */

void drive_last_contact(void)
{
    int last;
    any_world();
    //@ split W.contact_count;
    last = nsci_last_contact(&W, ANY_INT, ANY_INT);
    //@ assert there: -1 <= last < NSC_MAX_CONTACTS;
    check_world();
}

/* Boxes and hulls anywhere, and of any size: kept as they are found, carried along as they move */
void drive_keep_points(void)
{
    nsci_geom a, b;
    int place, n = ANY(0, NSC_MANIFOLD);
    any_world();
    any_counts();
    //@ split W.next_manifold;
    FILL(a), FILL(b);
    a.kind = ANY(0, 1) ? NSC_SHAPE_BOX : NSC_SHAPE_HULL, b.kind = ANY(0, 1) ? NSC_SHAPE_BOX : NSC_SHAPE_HULL;
    a.data = b.data = &Hull;
    place = nsci_keep_points(&W, &a, &b, any, n);
    //@ assert place: 0 <= place <= NSC_MAX_MANIFOLDS;
    check_world();
    n = nsci_carry_points(&W, &W.manifolds[ANY(0, NSC_MAX_MANIFOLDS - 1)], &a, &b, any);
    //@ assert carried: -1 <= n <= NSC_MANIFOLD;
    check_world();
}

/* Each contact has none, or one that has points (nsci_keep_points, nsci_tape_manifold); places without a contact
   may have any. */
void drive_free_manifolds(void)
{
    int i, k, n, end, at[NSC_MAX_CONTACTS];
    any_world();
    //@ split W.contact_count;
    for (end = 0; end <= NSC_MAX_MANIFOLDS; end++)
        for (k = 0; k < 1 << 2 * NSC_MAX_CONTACTS; k++) {
            for (i = 0; i < NSC_MAX_CONTACTS && (k >> 2 * i & 3) <= end; i++) at[i] = k >> 2 * i & 3;
            if (i < NSC_MAX_CONTACTS) continue;
            W.manifold_end = end;
            for (i = 0; i < NSC_MAX_MANIFOLDS; i++) {
                n = ANY(0, NSC_MANIFOLD);
                W.manifolds[i].count = (uint8_t)n;
            }
            for (i = 0; i < NSC_MAX_CONTACTS; i++) {
                W.contacts[i].manifold = (nsci_kept_at)at[i];
                if (at[i]) W.manifolds[at[i] - 1].count = (uint8_t)ANY(3, NSC_MANIFOLD);
            }
            nsci_free_manifolds(&W);
            for (i = 0; i < W.contact_count; i++) {
                //@ assert in_use: W.contacts[i].manifold <= W.manifold_end;
                //@ assert has_points: at[i] == 0 || W.manifolds[W.contacts[i].manifold - 1].count >= 3;
                ;
            }
            check_world();
        }
}

/* Every point of a pair has its turn, once.  More than four, which only terrain has, in any number. */
void drive_in_turn(void)
{
    enum { POINTS = NSCI_MAX_POINTS };
    int pair, i, n, had;
    //@ loop unroll 4;
    for (pair = 0; pair < 4; pair++)
        //@ loop unroll POINTS;
        for (n = 1; n <= POINTS; n++) {
            had = 0;
            //@ loop unroll POINTS;
            for (i = 0; i < n; i++) had |= 1 << nsci_in_turn(pair, i, n);
            //@ assert all: had == (1 << n) - 1;
        }
    i = nsci_in_turn(ANY(0, NSC_MAX_SHAPES - 1), ANY(0, 3), 4);
    //@ assert four: 0 <= i < 4;
}

void drive_find_contacts(void)
{
    any_world();
    any_finding();
    any_counts();
    W.report.matched = 0; /* what is counted: see the contract of nsci_collide_shapes */
    nsci_find_contacts(&W, any, any);
    //@ assert matched: 0 <= W.report.matched <= NSC_MAX_CONTACTS;
    check_world();
    check_finding();
}

/* ---- the world's functions --------------------------------------------------------------------------- */

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

/* The ground, which nsc_world_init adds, is there and stays: so there is always a body. */
void drive_remove_body(void)
{
    int end = ANY(0, NSC_MAX_MANIFOLDS);
    any_world();
    //@ split end;
    any_manifolds(end);
    //@ split W.body_end;
    W.bodies[0].generation = (uint16_t)(2 * ANY(0, 32767) + 1);
    nsc_world_remove_body(MAYBE(&W), ANY_INT);
    //@ assert ground: W.bodies[0].generation % 2 == 1;
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
    int end = ANY(0, NSC_MAX_MANIFOLDS);
    any_world();
    //@ split end;
    any_manifolds(end);
    nsc_world_remove_shape(MAYBE(&W), ANY_INT);
    check_world();
}

void drive_add_contact(void)
{
    nsc_contact c;
    any_world();
    //@ split W.found_count;
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
    int end = ANY(0, NSC_MAX_MANIFOLDS);
    any_world();
    //@ split end;
    any_manifolds(end);
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

/* What is not finite does not get in: whichever number of a field of a definition, a pose's or a velocity's included, is NaN or
   infinite, beside any others, nsci_check_members refuses the field.  What is stored is what was checked, or is computed from it. */
void drive_not_finite(void)
{
    static nsc_real d[256];
    nsc_real zero = 0;
    int i, n, k, code;
    //@ loop unroll NSCI_FIELDS;
    for (i = 0; i < NSCI_FIELDS; i++) {
        int rule = nsci_fields[i].rule, first = nsci_fields[i].half_offset / 2;
        int count = rule >= NSCI_CHOICE ? 0 : rule == NSCI_POSE ? 7 : rule == NSCI_VECTOR ? 3 : rule == NSCI_SYMMETRIC ? 6 : 1;
        for (n = 0; n < count; n++)
            for (k = -1; k < 2; k++) {
                FILL(d);
                d[first + n] = (nsc_real)k / zero;
                code = nsci_check_members(NULL, d, i, i);
                //@ assert refused: code < 0;
                ;
            }
    }
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
    nsci_scheme s = any_scheme();
    any_world();
    any_inner();
    FILL(blocks);
    nsci_fill_joint(&W, &W.joints[0], ANY(0, NSC_MAX_BODIES - 1), ANY(0, NSC_MAX_BODIES - 1), &s, any, blocks);
    nsci_store_joint(&W, &W.joints[0], blocks, ANY(0, NSC_MAX_JOINT_BLOCKS - JOINT_ROOM));
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
    any_inner();
    FILL(block);
    block.a = ANY(0, NSC_MAX_BODIES - 1), block.b = ANY(0, NSC_MAX_BODIES - 1);
    nsci_fill_spring(&W, &W.springs[0], &s, any, &block);
    //@ assert rows: block.rows == 1 || block.rows == 3;
    //@ assert kind: block.kind == NSC_BLOCK_BOX;
    check_world();
}

/* ---- rows of the caller ------------------------------------------------------------------------------ */

#if NSC_MAX_ROWS > 0
static nsc_rows Rows[NSC_MAX_ROWS];

/* Whatever the caller hands over */
void drive_check_rows(void)
{
    int code;
    any_world();
    FILL(Rows);
    Calls.rows = MAYBE(Rows), Calls.row_count = ANY_INT;
    code = nsci_check_rows(&W, MAYBE(&Calls));
    //@ assert code: -100 <= code <= 0;
    check_world();
}

/* What check_rows has let pass: counts, of which a step makes links; their blocks, and back */
void drive_rows(void)
{
    static nsc_block block;
    nsci_scheme s = any_scheme();
    nsci_link *l = &W.links[0];
    int i;
    any_world();
    any_inner();
    any_links(1);
    FILL(Rows), FILL(block);
    for (i = 0; i < NSC_MAX_ROWS; i++) Rows[i].count = ANY(0, 3);
    Calls.rows = Rows, Calls.row_count = ANY(0, NSC_MAX_ROWS);
    s.calls = &Calls;
    W.link_count = ANY(0, NSCI_MAX_LINKS - NSC_MAX_ROWS);
    nsci_list_rows(&W, &Calls);
    //@ assert room: 0 <= W.link_count <= NSCI_MAX_LINKS;
    any_links(1);
    l->item = (nsci_index)ANY(0, NSC_MAX_ROWS - 1);
    nsci_fill_rows_link(&W, l, &s, ANY(0, 1), any, &block);
    //@ assert rows: block.rows <= 3;
    //@ assert kind: block.kind == NSC_BLOCK_BOX || block.kind == NSC_BLOCK_EQUALITY;
    //@ assert bodies: 0 <= block.a < NSC_MAX_BODIES && 0 <= block.b < NSC_MAX_BODIES;
    for (i = 0; i < NSC_MAX_BLOCKS; i++) {
        W.scratch.solve.blocks[i].rows = (unsigned char)ANY(0, 3);
        W.scratch.solve.blocks[i].a = ANY(0, NSC_MAX_BODIES - 1), W.scratch.solve.blocks[i].b = ANY(0, NSC_MAX_BODIES - 1);
    }
    nsci_take_rows(&W, l, &s, any);
    nsci_move_rows(&W, l, &s);
    check_world();
}

/* All between the same two bodies, which may be any; a row's own has more than one case in Eva's eyes */
void drive_store_rows(void)
{
    int i, a = ANY(0, NSC_MAX_BODIES - 1), b = ANY(0, NSC_MAX_BODIES - 1);
    any_world();
    any_inner();
    FILL(Rows);
    W.body_end = NSC_MAX_BODIES;
    //@ split a;
    //@ split b;
    for (i = 0; i < NSC_MAX_ROWS; i++) Rows[i].count = ANY(0, 3), Rows[i].body_a = a, Rows[i].body_b = b;
    for (i = 0; i < NSC_MAX_BODIES; i++) W.islands[i].asleep = ANY(0, 1);
    Calls.rows = Rows, Calls.row_count = ANY(0, NSC_MAX_ROWS);
    nsci_store_rows(&W, any, MAYBE(&Calls));
    check_world();
}
#endif

/* ---- single functions that stand as contracts elsewhere ------------------------------------------------ */

/* A shape of the world, of any generation, or none */
void drive_round(void)
{
    int i;
    any_world();
    nsci_round_of(&W, ANY(-100, -1));
    nsci_is_sphere(&W, ANY(-100, -1));
    //@ loop unroll NSC_MAX_SHAPES;
    for (i = 0; i < NSC_MAX_SHAPES; i++) {
        nsc_vec3 normal, p, axis;
        int id = i + 16384 * ANY(0, 131071);
        FILL(normal), FILL(p), FILL(axis);
        nsci_round_of(&W, id);
        nsci_is_sphere(&W, id);
        nsci_rim_of(&W, id, normal, p, &axis);
    }
}

/* Contacts of any pairs, each solved or not, the last being any of them */
void drive_bounce_together(void)
{
    nsci_scheme s = any_scheme();
    int i, last = ANY(0, NSC_MAX_CONTACTS - 1);
    any_world();
    any_inner();
    any_links(1);
    W.first_contact = 0;
    //@ loop unroll NSC_MAX_CONTACTS;
    for (i = 0; i < NSC_MAX_CONTACTS; i++) {
        W.links[i].kind = NSCI_CONTACT_LINK, W.links[i].item = (nsci_index)ANY(0, NSC_MAX_CONTACTS - 1);
        W.links[i].block = (nsci_index)(ANY(0, 1) ? i : NSCI_NOWHERE);
        FILL(W.scratch.solve.blocks[i]);
        W.scratch.solve.blocks[i].a = ANY(0, NSC_MAX_BODIES - 1), W.scratch.solve.blocks[i].b = ANY(0, NSC_MAX_BODIES - 1);
    }
    //@ split last;
    nsci_bounce_together(&W, &W.links[last], &s);
    check_world();
}

void drive_move_contacts(void)
{
    nsci_scheme s = any_scheme();
    int i;
    any_world();
    any_inner();
    any_links(NSC_MAX_CONTACTS);
    for (i = 0; i < NSC_MAX_BODIES; i++) W.island[i] = (nsci_index)(ANY(0, 1) ? ANY(0, NSC_MAX_BODIES - 1) : NSCI_NOWHERE);
    nsci_move_contacts(&W, &s, ANY(0, NSC_MAX_CONTACTS));
    check_world();
}

/* All rows of a contact, whatever they were before */
void drive_bend_contact(void)
{
    static nsc_block block;
    static nsc_real before[3];
    nsci_scheme s = any_scheme();
    any_world();
    any_inner();
    any_links(1);
    FILL(block), FILL(before);
    block.a = ANY(0, NSC_MAX_BODIES - 1), block.b = ANY(0, NSC_MAX_BODIES - 1);
    block.rows = (unsigned char)ANY(1, 3);
    nsci_bend_contact(&W, &W.links[0], &s, before, any, ANY(0, 1), &block);
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
    for (n = 0; n < 2; n++) blocks[n].a = blocks[n].b = 0, blocks[n].rows = 3;
    n = nsci_fill_force(&W, &s, ANY(0, NSC_MAX_BODIES - 1), &f, blocks);
    //@ assert blocks: 0 <= n <= 2;
    for (n = 0; n < 2; n++) {
        //@ assert rows: blocks[n].rows <= 3;
        //@ assert a: blocks[n].a == 0;
        //@ assert b: 0 <= blocks[n].b < NSC_MAX_BODIES;
        ;
    }
    check_world();
}

/* ---- steppers --------------------------------------------------------------------------------------- */

void drive_steppers(void)
{
    nsci_scheme s;
    static nsc_block k;
    nsc_real v[6], d[6], va[6], vb[6];
    int a;
    any_world();
    any_inner();
    s = nsci_begin_scheme(&W, any, NULL);
    //@ assert mode: NSCI_LINEARIZED <= s.mode <= NSCI_NEWTON;
    //@ assert newmark: 0 <= s.newmark <= 1;
    s = any_scheme();
    FILL(k), FILL(va), FILL(vb);
    a = k.a = ANY(0, NSC_MAX_BODIES - 1), k.b = ANY(0, NSC_MAX_BODIES - 1);
    nsci_hat(&W, &s, a, v);
    nsci_displacement(&W, &s, a, v, d);
    nsci_row_travel(&W, &s, &k, ANY(0, 2), va, vb);
    nsci_row_origin(&W, &s, &k, ANY(0, 2), any);
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
        W.members[i] = (nsci_index)ANY(0, NSC_MAX_BODIES - 1);
    }
    for (i = 0; i < NSC_MAX_BLOCKS; i++) {
        nsc_block *k = &W.scratch.solve.blocks[i];
        k->a = ANY(0, NSC_MAX_BODIES - 1), k->b = ANY(0, NSC_MAX_BODIES - 1);
        k->rows = (unsigned char)ANY(1, 3);
        k->kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_ROLLING);
    }
    own->bodies = (nsci_index)ANY(0, NSC_MAX_BODIES - 1), own->first_body = 0;
    own->first_block = (nsci_index)ANY(0, 1), own->joint_blocks = (nsci_index)ANY(0, NSC_MAX_JOINT_BLOCKS);
    own->first_link = any_next(0);
    memset(p, 0, sizeof *p);
    p->body_count = ANY(1, NSC_MAX_BODIES);
    p->blocks = W.scratch.solve.blocks + 1, p->block_count = ANY(0, 4); /* rolling friction is never the first */
    p->v = W.scratch.solve.v;
    return own;
}

/* ---- links ------------------------------------------------------------------------------------------ */

/* Joints and springs in any slots, contacts in any order.  Which slots are in use is told apart, by the last bit of
   their generations. */
void drive_list_links(void)
{
    int i, live = ANY(0, (1 << NSC_MAX_JOINTS + NSC_MAX_SPRINGS) - 1);
    any_world();
    //@ split live;
    for (i = 0; i < NSC_MAX_JOINTS; i++) W.joints[i].generation = (uint16_t)(2 * ANY(0, 32767) + (live >> i & 1));
    for (i = 0; i < NSC_MAX_SPRINGS; i++)
        W.springs[i].generation = (uint16_t)(2 * ANY(0, 32767) + (live >> NSC_MAX_JOINTS + i & 1));
    //@ split W.body_end;
    //@ split W.joint_end;
    //@ split W.spring_end;
    //@ split W.found_count;
    for (i = 0; i < W.found_count; i++) W.scratch.find.order[i] = (nsci_index)ANY(0, W.found_count - 1);
    nsci_list_links(&W, NULL);
    for (i = 0; i < W.link_count; i++) {
        const nsci_link *l = &W.links[i];
        //@ assert contacts: i >= W.first_contact <==> l->kind == NSCI_CONTACT_LINK;
        //@ assert joint: l->kind == NSCI_JOINT_LINK ==> l->item < W.joint_end;
        //@ assert spring: l->kind == NSCI_SPRING_LINK ==> l->item < W.spring_end;
        //@ assert contact: l->kind == NSCI_CONTACT_LINK ==> l->item < W.found_count;
        //@ assert a: l->a < W.body_end;
        //@ assert b: l->b < W.body_end;
        //@ assert rolls: l->rolls == 0;
        ;
    }
    //@ assert found: W.link_count == W.first_contact + W.found_count;
    check_links();
    check_world();
    for (i = 0; i < NSC_MAX_CONTACTS; i++) W.scratch.find.order[i] = (nsci_index)ANY(0, NSC_MAX_CONTACTS - 1); /* sorted or not */
    //@ slevel merge;
    nsci_list_links(&W, NULL);
    check_links();
}

#define ITEMS(kind) ((kind) == NSCI_JOINT_LINK ? NSC_MAX_JOINTS : (kind) == NSCI_SPRING_LINK ? NSC_MAX_SPRINGS : \
                     NSC_MAX_CONTACTS)

/* Blocks of a link of each kind, whatever stands in what it links.  Of a joint, all is taken on trust but how it is
   called. */
void drive_fill_link(void)
{
    static nsc_block blocks[JOINT_ROOM];
    nsci_scheme s = any_scheme();
    int n, rolls, had, kind = ANY(NSCI_JOINT_LINK, NSCI_CONTACT_LINK), first = ANY(0, 1);
    nsci_link *l = &W.links[0];
    any_world();
    any_inner();
    any_links(1);
    FILL(blocks);
    W.report.dropped_rolling = ANY(0, NSC_MAX_CONTACTS);
    //@ split kind;
    //@ split first;
    //@ split W.def.contact_model;
    l->kind = (uint8_t)kind;
    l->item = (nsci_index)ANY(0, ITEMS(kind) - 1);
    rolls = first ? 0 : ANY(0, 1), had = ANY(0, NSC_MAX_ROLLING);
    //@ split rolls;
    //@ split had;
    l->rolls = (uint8_t)rolls, W.rolling_count = had;
    for (n = 0; n < JOINT_ROOM; n++) blocks[n].a = ANY(0, NSC_MAX_BODIES - 1), blocks[n].b = ANY(0, NSC_MAX_BODIES - 1);
    n = nsci_fill_link(&W, l, &s, first, any, blocks);
    //@ assert joint: kind == NSCI_JOINT_LINK ==> 0 <= n <= JOINT_ROOM;
    //@ assert spring: kind == NSCI_SPRING_LINK ==> n == 1;
    //@ assert contact: kind == NSCI_CONTACT_LINK ==> n == 1 + l->rolls;
    //@ assert a: kind == NSCI_JOINT_LINK || 0 <= blocks[0].a < NSC_MAX_BODIES;
    //@ assert b: kind == NSCI_JOINT_LINK || 0 <= blocks[0].b < NSC_MAX_BODIES;
    //@ assert rows: kind == NSCI_JOINT_LINK || blocks[0].rows == 1 || blocks[0].rows == 3;
    //@ assert rolling: W.rolling_count == had + (first != 0 ? l->rolls : 0) && W.rolling_count <= NSC_MAX_ROLLING;
    check_world();
    check_links();
}

#ifdef PROVE_LINKS
/* All blocks of one island: of each set of the links of a step with all joints, springs and contacts, in its first
   sub-step, and in one after it, in which any contacts roll for which there is room (drive_fill_link: never more).
   All that is counted out, as Eva does not relate so many. */
void drive_fill_links(void)
{
    nsci_scheme s = any_scheme();
    nsc_island *own = &W.islands[0];
    int set, rolls, i, n;
    any_world();
    for (set = 0; set < 1 << NSCI_MAX_LINKS; set++)
        for (rolls = -1; rolls < 1 << NSC_MAX_CONTACTS; rolls++) { /* -1: the first sub-step */
            for (i = n = 0; i < NSC_MAX_CONTACTS; i++) n += rolls > 0 ? rolls >> i & 1 : 0;
            if (n > NSC_MAX_ROLLING) continue;
            any_links(1);
            own->first_link = NSCI_NOWHERE;
            for (i = NSCI_MAX_LINKS - 1; i >= 0; i--) {
                nsci_link *l = &W.links[i];
                n = i - NSC_MAX_JOINTS - NSC_MAX_SPRINGS; /* >= 0: contact */
                l->kind = i < NSC_MAX_JOINTS ? NSCI_JOINT_LINK : n < 0 ? NSCI_SPRING_LINK : NSCI_CONTACT_LINK;
                l->item = (nsci_index)ANY(0, ITEMS(l->kind) - 1);
                l->rolls = (uint8_t)(n >= 0 && rolls > 0 ? rolls >> n & 1 : 0);
                if (set >> i & 1) l->next = own->first_link, own->first_link = (nsci_index)i;
            }
            W.rolling_count = rolls < 0 ? 0 : ANY(0, NSC_MAX_ROLLING), own->first_block = 0;
            nsci_fill_links(&W, own, &s, rolls < 0);
            //@ assert blocks: own->blocks <= NSC_MAX_BLOCKS - 2 * NSC_MAX_FORCES;
            //@ assert places: own->places <= NSC_MAX_BLOCKS - 2 * NSC_MAX_FORCES;
            //@ assert joint_blocks: own->joint_blocks <= NSC_MAX_JOINT_BLOCKS;
            for (i = own->first_link; i != NSCI_NOWHERE; i = W.links[i].next) {
                const nsci_link *l = &W.links[i];
                //@ assert block: l->kind == NSCI_JOINT_LINK || l->block < NSC_MAX_BLOCKS - 2 * NSC_MAX_FORCES;
                ;
            }
            //@ slevel merge;
            ;
        }
    check_world();
}

/* Two islands share the room for blocks: each link of a step belongs to the first, to the second, or to neither, in the first sub-step
   and in one after it. */
void drive_fill_islands(void)
{
    nsci_scheme s = any_scheme();
    int set, rolls, i, k, n, of;
    any_world();
    for (set = 0; set < 81; set++)
        for (rolls = -1; rolls < 1 << NSC_MAX_CONTACTS; rolls++) {
            any_links(1);
            W.islands[0].first_link = W.islands[1].first_link = NSCI_NOWHERE;
            for (i = NSCI_MAX_LINKS - 1, k = set; i >= 0; i--, k /= 3) {
                nsci_link *l = &W.links[i];
                n = i - NSC_MAX_JOINTS - NSC_MAX_SPRINGS, of = k % 3;
                l->kind = i < NSC_MAX_JOINTS ? NSCI_JOINT_LINK : n < 0 ? NSCI_SPRING_LINK : NSCI_CONTACT_LINK;
                l->item = (nsci_index)ANY(0, ITEMS(l->kind) - 1);
                l->rolls = (uint8_t)(n >= 0 && rolls > 0 ? rolls >> n & 1 : 0);
                if (of < 2) l->next = W.islands[of].first_link, W.islands[of].first_link = (nsci_index)i;
            }
            W.rolling_count = rolls < 0 ? 0 : ANY(0, NSC_MAX_ROLLING), W.islands[0].first_block = 0;
            nsci_fill_links(&W, &W.islands[0], &s, rolls < 0);
            //@ split W.islands[0].places;
            W.islands[1].first_block = W.islands[0].places;
            nsci_fill_links(&W, &W.islands[1], &s, rolls < 0);
            //@ assert room: W.islands[1].first_block + W.islands[1].places <= NSC_MAX_BLOCKS - 2 * NSC_MAX_FORCES;
            //@ merge W.islands[0].places;
            //@ slevel merge;
            ;
        }
    check_world();
}
#endif

/* What becomes of a solved island: impulses of contacts and springs in any chain, velocities of its bodies.  With
   as many springs as contacts.  Trusted: that it has no more blocks of joints than there are left (drive_fill_links).
   */
void drive_take_island(void)
{
    nsci_scheme s = any_scheme();
    nsc_problem p;
    nsc_island *own;
    int i, before = ANY(0, NSC_MAX_JOINT_BLOCKS);
    any_world();
    any_links(NSC_MAX_SPRINGS < NSC_MAX_CONTACTS ? NSC_MAX_SPRINGS : NSC_MAX_CONTACTS);
    own = any_island(&p);
    //@ split before;
    own->joint_blocks = (nsci_index)ANY(0, NSC_MAX_JOINT_BLOCKS - before);
    nsci_take_island(&W, own, &s, before);
    check_world();
}

/* With as many springs as joints, all between the same two bodies, which may be any: else Eva would forget what has
   been asked of the island of one. */
void drive_store_springs(void)
{
    int i, a = ANY(0, NSC_MAX_BODIES - 1), b = ANY(0, NSC_MAX_BODIES - 1);
    any_world();
    any_inner();
    any_links(NSC_MAX_SPRINGS);
    //@ split a;
    //@ split b;
    for (i = 0; i < NSCI_MAX_LINKS; i++) W.links[i].a = (nsci_index)a, W.links[i].b = (nsci_index)b;
    for (i = 0; i < NSC_MAX_BODIES; i++) W.islands[i].asleep = ANY(0, 1);
    nsci_store_springs(&W, any);
    check_world();
    check_links();
}

/* What a step leaves of its contacts, found in any order, all between the same two bodies, which may be any */
void drive_store_contacts(void)
{
    int i, a = ANY(0, NSC_MAX_BODIES - 1), b = ANY(0, NSC_MAX_BODIES - 1), end = ANY(0, NSC_MAX_MANIFOLDS);
    any_world();
    any_inner();
    //@ split end;
    any_manifolds(end);
    any_links(NSC_MAX_CONTACTS);
    //@ split a;
    //@ split b;
    //@ split W.found_count;
    W.link_count = W.first_contact + W.found_count;
    for (i = 0; i < NSCI_MAX_LINKS; i++) {
        W.links[i].a = (nsci_index)a, W.links[i].b = (nsci_index)b;
        W.links[i].block = (nsci_index)ANY(0, NSCI_NOWHERE);
    }
    for (i = 0; i < NSC_MAX_CONTACTS; i++) W.found[i].manifold = (nsci_kept_at)ANY(0, end);
    for (i = 0; i < NSC_MAX_BODIES; i++) W.islands[i].asleep = ANY(0, 1);
    nsci_store_contacts(&W, any);
    //@ assert taken: W.found_count == 0;
    check_world();
}

/* Two joints of up to three islands, as nsci_find_islands chains them: each in one of these, or in none; then what
   else an island may have, a spring or a contact.  Each may be any. */
void drive_island_joints(void)
{
    nsci_scheme s = any_scheme();
    int i, k, of, rest;
    any_world();
    any_inner();
    W.report.islands = NSC_MAX_BODIES, W.rolling_count = 0;
    //@ loop unroll 4 * 2 * 16;
    for (k = 0; k < 4 * 2 * 16; k++) {
        any_links(NSC_MAX_JOINTS);
        rest = k >> 4 & 1 ? 2 : NSCI_NOWHERE;
        W.links[2].kind = NSCI_SPRING_LINK, W.links[2].next = NSCI_NOWHERE, W.links[2].rolls = 0;
        for (i = 0; i < NSC_MAX_BODIES; i++) {
            W.islands[i].first_link = (nsci_index)rest;
            W.islands[i].first_block = (nsci_index)(k % 5), W.islands[i].asleep = ANY(0, 1);
        }
        for (i = NSC_MAX_JOINTS - 1; i >= 0; i--) {
            of = k >> 2 * i & 3;
            W.links[i].kind = NSCI_JOINT_LINK, W.links[i].rolls = 0, W.links[i].item = (nsci_index)(k >> 5 + i & 1);
            if (of < NSC_MAX_BODIES) W.links[i].next = W.islands[of].first_link, W.islands[of].first_link = (nsci_index)i;
        }
        for (i = 0; i < NSC_MAX_BODIES; i++) {
            nsci_fill_links(&W, &W.islands[i], &s, ANY(0, 1));
            //@ assert room: W.islands[i].joint_blocks <= NSC_MAX_JOINT_BLOCKS;
        }
        //@ assert sum: W.islands[0].joint_blocks + W.islands[1].joint_blocks + W.islands[2].joint_blocks <= NSC_MAX_JOINT_BLOCKS;
        nsci_store_joints(&W, any);
        //@ slevel merge;
        ;
    }
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
    int i, k, n, count;
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
        W.scratch.find.order[i] = (nsci_index)(1 - i);
        W.found[i].body_a = a, W.found[i].body_b = b, W.found[i].sensor = i > 0 && !second;
        if (second) W.found[i].restitution = NSC_R(0.0); /* or it may wait */
        W.joints[i].def.body_a = a, W.joints[i].def.body_b = b, W.joints[i].generation = (uint16_t)(i == 0 || second == 1);
        W.springs[i].def.body_a = a, W.springs[i].def.body_b = b, W.springs[i].generation = (uint16_t)(i == 0 || second == 1);
    }
    if (second > 2) W.bodies[2].generation = 2;
    nsci_list_links(&W, NULL);
    nsci_find_islands(&W, any, together);
    count = W.report.islands;
    //@ assert count: 0 <= count < NSC_MAX_BODIES;
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        //@ assert member: W.members[i] < NSC_MAX_BODIES;
        //@ assert of_island: W.island[i] < 2 || W.island[i] == NSCI_NOWHERE;
        ;
    }
    for (i = 0; i < count; i++) {
        const nsc_island *own = &W.islands[i];
        //@ assert first_body: own->first_body == (i == 0 ? 0 : 1);
        //@ assert members: 1 <= own->bodies && own->first_body + own->bodies <= 2;
        //@ assert asleep: 0 <= own->asleep <= 1;
        //@ assert first_link: own->first_link == NSCI_NOWHERE || own->first_link < W.link_count;
        //@ assert unsolved: own->places == 0 && own->joint_blocks == 0;
        ;
    }
    for (i = 0; i < count && (second || KIND > 0); i++) {
        n = nsci_gather_bodies(&W, &W.islands[i], &scheme);
        //@ assert bodies: 2 <= n <= NSC_MAX_BODIES;
        for (k = W.islands[i].first_link, n = 0; k != NSCI_NOWHERE; k = W.links[k].next, n++) {
            const nsci_link *l = &W.links[k];
            //@ assert place: k < W.link_count;
            //@ assert contact: l->kind == NSCI_CONTACT_LINK ==> l->item < W.found_count;
            //@ assert joint: l->kind == NSCI_JOINT_LINK ==> l->item < W.joint_end;
            //@ assert spring: l->kind == NSCI_SPRING_LINK ==> l->item < W.spring_end;
            //@ assert a: l->a < W.body_end;
            //@ assert b: l->b < W.body_end;
            //@ assert forward: k < l->next;
            //@ assert block: l->block == 0;
            ;
        }
        //@ assert all: n == W.islands[i].contacts + W.islands[i].joints + W.islands[i].springs;
    }
    check_world();
    check_links();
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
    own->first_block = 1, own->blocks = 2;
    n = ANY(2, NSC_MAX_BLOCKS);
    //@ split n;
    own->places = (nsci_index)n;
    nsci_fill_forces(&W, own, &s);
    //@ assert given: 0 <= W.given_count <= NSC_MAX_FORCES;
    //@ assert to: W.given_to[0] < NSC_MAX_BODIES;
    //@ assert room: 2 <= own->blocks <= 2 + 2 * NSC_MAX_FORCES;
    //@ assert places: n <= own->places <= n + 2 * NSC_MAX_FORCES;
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
    for (i = 0; i < NSC_MAX_BLOCKS; i++)
        W.scratch.solve.blocks[i].rows = (unsigned char)rows; /* all of as many: Eva forgets what has been written */
    nsci_newton_noise(&W, own, &s);
    nsci_slope(&W, own, &s, &p);
    nsci_take_direction(&W, own, &p);
    nsci_go_along(&W, own, any);
    nsci_solve_spin(&W, &s, ANY(0, NSC_MAX_BODIES - 1), any_vec());
    check_world();
}

/* What a solver reports, over and over: no sum overflows. */
void drive_note_island(void)
{
    nsc_report r;
    any_world();
    FILL(r);
    r.iterations = ANY(0, 2147483647), r.worst_block = ANY(-1, NSC_MAX_BLOCKS - 1);
    W.islands[0].iterations = ANY(0, 2147483647), W.islands[0].first_block = (nsci_index)ANY(0, NSC_MAX_BLOCKS - 1);
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
    int i, code;
    any_world();
    any_inner();
    any_links(NSC_MAX_CONTACTS);
    FILL(k);
    k[0].a = ANY(0, NSC_MAX_BODIES - 1), k[0].b = ANY(0, NSC_MAX_BODIES - 1);
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        W.islands[i].first_body = 0, W.islands[i].bodies = (nsci_index)ANY(0, NSC_MAX_BODIES);
        W.members[i] = (nsci_index)ANY(0, NSC_MAX_BODIES - 1);
    }
    W.report.asleep = W.report.dropped_derivatives = 0;
    code = nsci_free_velocity(&W, ANY(0, NSC_MAX_BODIES - 1), &s, ANY(0, 1));
    //@ assert code: -100 <= code <= 0;
    //@ assert given: 0 <= W.given_count <= NSC_MAX_FORCES && W.given_to[0] < NSC_MAX_BODIES;
    nsci_begin_contacts(&W);
    nsci_fill_contact(&W, &W.links[0], &k[0], &s);
    nsci_fill_moments(&W.found[0], &k[0], &k[1]);
    nsci_contact_bias(&W, &W.found[0], &k[0], &s, 0);
    code = nsci_check_motion(&W, any);
    //@ assert motion: -100 <= code <= 0;
    nsci_integrate(&W, &s, any);
    nsci_put_to_sleep(&W, any);
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
    for (i = 0; i < NSC_MAX_BLOCKS; i++) {
        nsc_block *k = &W.scratch.solve.blocks[i];
        FILL(*k);
        k->a = ANY(0, NSC_MAX_BODIES - 1), k->b = ANY(0, NSC_MAX_BODIES - 1);
        k->rows = (unsigned char)ANY(1, 3);
        k->kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, NSC_BLOCK_ROLLING);
    }
    return MAYBE(&W.scratch.solve.blocks[1]);
}

void drive_aim_smooth(void)
{
    nsci_scheme s = any_scheme();
    nsc_block *roll;
    any_world();
    roll = any_rows();
    nsci_apply_pull(&W, &W.found[0], &W.scratch.solve.blocks[0], &s);
    nsci_smooth_bias(&W, &W.found[0], &W.scratch.solve.blocks[0], roll, &s);
    //@ assert rows: W.scratch.solve.blocks[0].rows == 1 || W.scratch.solve.blocks[0].rows == 3;
    check_world();
}

void drive_take_smooth(void)
{
    nsci_scheme s = any_scheme();
    nsc_block *roll;
    any_world();
    roll = any_rows();
    nsci_take_pull(&W, &W.found[0], &s, any);
    nsci_take_smooth(&W, &W.found[0], &W.scratch.solve.blocks[0], roll, &s);
    nsci_carry_smooth(&W.found[0], MAYBE(&W.contacts[0]));
    check_world();
}

#if NSC_BARRIER
/* ---- barrier contact ----------------------------------------------------------------------------------
   Of Newton's step: the rows of a contact, the pushes that are kept, the paths and what they sweep, the share of a step that
   keeps a pair apart.  Trusted: nsci_exact_way, as all of the general narrow phase. */

/*@ requires \valid(x) && \initialized(a) && \initialized(b) && \valid(way);
  @ assigns \result, *x, *way \from *a, *b, distance;
  @ ensures 0 <= \result <= 1 && \initialized(way); */
static int nsci_exact_way(nsci_convex_scratch *x, const nsci_geom *a, const nsci_geom *b, nsc_real distance, nsci_way *way);

static void any_pushes(void)
{
    W.push_count = ANY(0, NSC_MAX_CONTACTS);
}

void drive_barrier_rows(void)
{
    nsci_scheme s = any_scheme();
    nsc_block *roll;
    any_world();
    any_pushes();
    roll = any_rows();
    nsci_barrier_bias(&W, &W.found[0], &W.scratch.solve.blocks[0], roll, &s);
    //@ assert rows: W.scratch.solve.blocks[0].rows == 1 || W.scratch.solve.blocks[0].rows == 3;
    //@ assert kind: W.scratch.solve.blocks[0].kind == NSC_BLOCK_BOX;
    //@ assert lower: W.scratch.solve.blocks[0].lo[0] == 0;
    nsci_align_tangents(&W, &W.scratch.solve.blocks[0]);
    //@ assert pushes: 0 <= W.push_count <= NSC_MAX_CONTACTS;
    check_world();
}

void drive_barrier_paths(void)
{
    nsci_scheme s = any_scheme();
    nsc_problem p;
    nsc_island *own;
    int n;
    any_world();
    for (n = 0; n < NSC_MAX_SHAPES; n++) W.shapes[n].def.kind = ANY(NSC_SHAPE_SPHERE, NSC_SHAPE_BOX);
    own = any_island(&p);
    nsci_begin_barrier(&W, &s);
    nsci_plan_paths(&W, own, &s, any);
    n = nsci_bound_paths(&W);
    //@ assert n: 0 <= n <= NSC_MAX_SHAPES;
    nsci_keep_trial(&W, own);
    nsci_lead_on(&W, &s, any);
    check_world();
}

void drive_barrier_cast(void)
{
    int i, pair = ANY(0, 2);
    any_world();
    FILL(W.path);
    for (i = 0; i < NSC_MAX_SHAPES; i++) W.shapes[i].def.kind = ANY(NSC_SHAPE_SPHERE, NSC_SHAPE_HALF_SPACE);
    nsci_cast_pair(&W, pair < 2 ? 0 : 1, pair == 0 ? 1 : 2);
    check_world();
}
#endif

/* Any chain of links of one island, with what nsci_fill_links has left.  No capacity is larger than that of
   contacts. */
void drive_limit_step(void)
{
    nsci_scheme s = any_scheme();
    nsc_island own;
    int i;
    any_world();
    any_rows();
    any_links(NSC_MAX_CONTACTS);
    FILL(own);
    own.first_link = any_next(0);
    W.report.over_limit = 0;
    nsci_limit_step(&W, &own, &s, NSC_MAX_BODIES);
    check_world();
}

#ifdef PROVE_STAGES
/* ---- the step as a whole ---------------------------------------------------------------------------- */

static void any_report_so_far(void)
{
    W.report.solver.skipped_rows = ANY(0, 990000), W.report.limited_bounces = ANY(0, 990000);
    W.report.unsettled = ANY(0, 990000), W.report.over_limit = ANY(0, 990000);
    W.report.dropped_derivatives = ANY(0, 990000), W.report.dropped_rolling = ANY(0, 990000);
}

/* What the contracts of its stages say the stages before have left: links, islands of up to two bodies, and of what is solved */
static void any_stage(void)
{
    int i;
    any_world();
    any_inner();
    any_links(NSC_MAX_CONTACTS);
    W.report.islands = ANY(0, 2), W.rolling_count = ANY(0, NSC_MAX_ROLLING);
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        W.members[i] = (nsci_index)ANY(0, NSC_MAX_BODIES - 1);
        W.island[i] = (nsci_index)(ANY(0, 1) ? ANY(0, 1) : NSCI_NOWHERE);
    }
    for (i = 0; i < 2; i++) {
        nsc_island *own = &W.islands[i];
        own->first_body = (nsci_index)ANY(0, i), own->bodies = (nsci_index)ANY(0, 2 - i);
        own->first_link = any_next(0);
        own->first_block = own->places = own->joint_blocks = 0;
        own->asleep = ANY(0, 1), own->iterations = ANY(0, 2147483647);
    }
    W.report.solver.iterations = ANY(0, 2147483647), W.report.solver.factorizations = ANY(0, 2147483647);
    W.report.newton_steps = ANY(0, 1000);
    any_report_so_far();
}

static void any_posed(void)
{
    int i;
    for (i = 0; i < NSC_MAX_BLOCKS; i++) {
        nsc_block *k = &W.scratch.solve.blocks[i];
        k->rows = (unsigned char)ANY(0, 3), k->a = ANY(0, NSC_MAX_BODIES - 1), k->b = ANY(0, NSC_MAX_BODIES - 1);
    }
}

static void check_stage(void)
{
    //@ assert rolling: 0 <= W.rolling_count <= NSC_MAX_ROLLING;
    //@ assert given: 0 <= W.given_count <= NSC_MAX_FORCES && W.given_to[0] < NSC_MAX_BODIES;
    check_world();
    check_links();
}

/* One island, wherever its blocks begin: by its scheme, or by Newton's method, which is a driver of its own */
static void one_island(int newton)
{
    nsci_scheme s = any_scheme();
    static nsc_problem p;
    nsc_report r;
    nsc_island *own = &W.islands[0];
    FILL(r); /* of a problem that is refused: nobody looks at it */
    r.iterations = ANY(0, 2147483647), r.skipped_rows = ANY(0, 3 * NSC_MAX_BLOCKS), r.worst_block = ANY(-1, NSC_MAX_BLOCKS - 1);
    r.factorizations = ANY(0, 2147483647);
    any_stage();
    if (newton) s.mode = NSCI_NEWTON;
    //@ loop unroll NSC_MAX_BLOCKS + 1;
    for (First = 0; First <= ROOM; First++) {
        any_report_so_far();
        own->first_block = (nsci_index)First, own->places = (nsci_index)ANY(0, NSC_MAX_BLOCKS - First);
        if (newton) {
            nsci_solve_newton(&W, own, &s, &p, &r);
        } else {
            nsci_solve_island(&W, own, &s, &p, &r);
            //@ assert report: 0 <= r.iterations && 0 <= r.skipped_rows <= 3 * NSC_MAX_BLOCKS && -1 <= r.worst_block < NSC_MAX_BLOCKS;
        }
        //@ assert places: own->first_block + own->places <= NSC_MAX_BLOCKS;
        //@ assert joint_blocks: own->joint_blocks <= NSC_MAX_JOINT_BLOCKS;
        check_stage();
        //@ slevel merge;
        ;
    }
}

void drive_solve_island(void) { one_island(0); }
void drive_solve_newton(void) { one_island(1); }

/* The answer with restitution put by */
void drive_drop_bounces(void)
{
    nsc_problem p;
    int n = ANY(0, 2);
    any_stage();
    memset(&p, 0, sizeof p);
    p.body_count = ANY(1, NSC_MAX_BODIES), p.masses = W.scratch.solve.masses;
    p.blocks = W.scratch.solve.blocks;
    p.v = W.scratch.solve.v, p.v_free = W.scratch.solve.v_free;
    First = 0;
    any_posed();
    //@ split n;
    p.block_count = n;
    nsci_drop_bounces(&W, &W.islands[0], &p);
    check_stage();
}

#ifdef PROVE_ISLANDS
/* All islands, in the first sub-step and in a later one; the first may have any number of blocks, of these any number of joints',
   the second what is left. */
void drive_solve_islands(void)
{
    nsci_scheme s = any_scheme();
    int code;
    any_stage();
    //@ loop unroll NSC_MAX_BLOCKS + 1;
    for (Places[0] = 0; Places[0] <= NSC_MAX_BLOCKS; Places[0]++)
        //@ loop unroll NSC_MAX_BLOCKS + 1;
        for (Joint_blocks[0] = 0; Joint_blocks[0] <= NSC_MAX_JOINT_BLOCKS && Joint_blocks[0] <= Places[0]; Joint_blocks[0]++) {
            Places[1] = NSC_MAX_BLOCKS - Places[0];
            Joint_blocks[1] = NSC_MAX_JOINT_BLOCKS - Joint_blocks[0];
            if (Joint_blocks[1] > Places[1]) Joint_blocks[1] = Places[1];
            any_report_so_far();
            W.islands[0].first_block = W.islands[0].places = W.islands[1].first_block = W.islands[1].places = 0;
            s.first = 1;
            code = nsci_solve_islands(&W, &s);
            check_stage();
            //@ slevel merge;
            s.first = 0;
            any_report_so_far();
            code = nsci_solve_islands(&W, &s);
            //@ assert first: W.islands[0].first_block == 0 && W.islands[1].first_block <= NSC_MAX_BLOCKS;
            check_stage();
            //@ slevel merge;
            ;
        }
}
#endif

/* Drift of two islands, of which the second begins where it may */
void drive_undo(void)
{
    nsci_scheme s = any_scheme();
    int code, i;
    any_stage();
    //@ loop unroll NSC_MAX_BLOCKS + 1;
    for (i = 0; i <= ROOM; i++) {
        any_report_so_far();
        First = 0;
        W.islands[0].first_block = 0, W.islands[1].first_block = (nsci_index)i;
        code = nsci_undo_by_moving(&W, &s);
        check_stage();
        //@ slevel merge;
        ;
    }
}

/* nsc_world_step_with, and so nsc_world_step, with any callbacks.  One sub-step, from any bytes in all that is
   scratch of a step; if it is not refused, it leaves links and islands as the next sub-step needs them (assertions). */
static void any_calls(void)
{
    W.given_to[0] = (uint16_t)ANY(0, NSC_MAX_BODIES - 1); /* only read where it has been written: given_count is 0 before */
    Calls.user = MAYBE(&W), Calls.stop = MAYBE(&any_answer), Calls.force = MAYBE(&any_force);
}

void drive_step_whole(void)
{
    any_world();
    any_finding();
    any_calls();
    W.def.substeps = 1;
    nsc_world_step_with(MAYBE(&W), any, MAYBE(&Calls));
    check_world();
}

void drive_substep(void)
{
    int i;
    nsci_scheme s = any_scheme();
    any_world();
    any_finding();
    any_calls();
    nsci_begin_report(&W);
    s.first = 1;
    if (nsci_substep(&W, any, &s, any) < 0) return;
    //@ assert begin: W.islands[0].first_block == 0 && W.islands[1].first_block <= NSC_MAX_BLOCKS;
    for (i = 0; i < NSC_MAX_BODIES; i++) {
        //@ assert member: W.members[i] < NSC_MAX_BODIES;
        //@ assert of_island: W.island[i] <= 1 || W.island[i] == NSCI_NOWHERE;
        ;
    }
    //@ assert first_body: W.islands[0].first_body == 0 && W.islands[1].first_body <= 1;
    //@ assert bodies: W.islands[0].bodies <= 2 && W.islands[1].bodies <= 1 && 0 <= W.report.islands <= 2;
    check_stage();
}

/* As many sub-steps as there may be, of which one finds scratch as drive_substep has shown that the first leaves it */
void drive_step_substeps(void)
{
    any_stage();
    any_calls();
    nsc_world_step_with(&W, any, MAYBE(&Calls));
    check_world();
}
#endif

/* ---- shapes and sensing ----------------------------------------------------------------------------- */

void drive_more(void)
{
    nsc_shape_def d;
    const nsc_island *i;
    const nsc_event *e;
    nsc_island island;
    nsc_event event;
    int kind = ANY(-1, NSC_SHAPE_HEIGHT_FIELD + 1); /* told apart, or Eva would not see that no shape changes its kind */
    //@ split kind;
    any_world();
    i = nsc_world_island(MAYBE(&W), ANY_INT);
    if (i) island = *i;
    nsc_world_event_count(MAYBE(&W));
    e = nsc_world_event(MAYBE(&W), ANY_INT);
    if (e) event = *e;
    nsc_body_is_asleep(MAYBE(&W), ANY_INT);
    nsc_body_wake(MAYBE(&W), ANY_INT);
    nsc_body_get_island(MAYBE(&W), ANY_INT);
    nsc_shape_get_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    FILL(d);
    d.kind = kind < 0 ? ANY(-2147483647 - 1, -1) : kind > NSC_SHAPE_HEIGHT_FIELD ? ANY(kind, 2147483647) : kind;
    nsc_shape_set_def(MAYBE(&W), ANY_INT, MAYBE(&d));
    nsc_default_cylinder_def(any, any);
    nsc_default_hull_def();
    nsc_default_height_field_def();
    check_world();
}

/* Poses from any numbers; angles are finite */
#define TURN Frama_C_float_interval(-FLT_MAX, FLT_MAX)
void drive_mounting(void)
{
    nsc_pose p;
    nsc_vec3 v, o;
    any_world();
    FILL(p);
    nsc_body_get_imu(MAYBE(&W), ANY_INT, p, MAYBE(&v), MAYBE(&o));
    nsc_shape_get_contact_force(MAYBE(&W), ANY_INT, MAYBE(&v), MAYBE(&o));
    nsc_pose_multiply(p, nsc_pose_inverse(p));
    nsc_pose_point(p, any_vec());
    nsc_pose_vector(p, any_vec());
    nsc_quat_from_rpy(TURN, TURN, TURN);
    nsc_quat_from_axis_angle(any_vec(), TURN);
    check_world();
}

#if NSC_LOCKS && NSC_WORDS
void drive_locks(void)
{
    nsc_real x[2];
    uint32_t word;
    any_world();
    FILL(x);
    nsc_body_set_locks(MAYBE(&W), ANY_INT, ANY_INT);
    nsc_body_get_locks(MAYBE(&W), ANY_INT);
    nsc_body_set_damping(MAYBE(&W), ANY_INT, x[0], x[1]);
    nsc_body_get_damping(MAYBE(&W), ANY_INT, MAYBE(x), MAYBE(x + 1));
    nsc_body_set_user(MAYBE(&W), ANY_INT, (uint32_t)ANY_INT);
    nsc_body_get_user(MAYBE(&W), ANY_INT, MAYBE(&word));
    nsc_body_get_kind(MAYBE(&W), ANY_INT);
    check_world();
}

#endif

void drive_cast_ray(void)
{
    nsc_hit hit;
    int kind = ANY(0, NSC_SHAPE_HALF_SPACE); /* not terrain: nsci_cell_at makes an int of what may be a NaN */
    //@ split kind;
    any_world_of_one_kind(kind);
    nsc_world_cast_ray(MAYBE(&W), any_vec(), any_vec(), (uint32_t)ANY_INT, MAYBE(&hit));
    check_world();
}

/* ---- a tree of boxes -------------------------------------------------------------------------------------- */

/* Three leaves whose middles stand in each order there is, equal ones included: only comparisons decide.  Trusted: that none is a
   NaN, as the box of a leaf with bounds has a size below a tenth of the largest number. */
void drive_part_leaves(void)
{
    static nsc_box_node leaf[3];
    int n, i, k;
    //@ loop unroll 27;
    for (n = 0; n < 27; n++)
        for (k = 0; k < 3; k++) {
            FILL(leaf);
            for (i = 0; i < 3; i++) {
                leaf[i].low[0] = (nsc_real)((i == 0 ? n : i == 1 ? n / 3 : n / 9) % 3);
                leaf[i].high[0] = 0, leaf[i].shape = (uint16_t)i;
            }
            nsci_part_leaves(leaf, 3, k, 0);
            //@ assert once: leaf[0].shape + leaf[1].shape + leaf[2].shape == 3;
            //@ assert other: leaf[0].shape != leaf[1].shape && leaf[1].shape != leaf[2].shape && leaf[0].shape <= 2;
            for (i = 0; i < 3; i++) {
                //@ assert parted: i < k ? leaf[i].low[0] <= leaf[k].low[0] : leaf[k].low[0] <= leaf[i].low[0];
                ;
            }
        }
    n = nsci_widest(leaf, 3);
    //@ assert axis: 0 <= n <= 2;
}

void drive_make_leaf(void)
{
    nsc_box_node n;
    int i = ANY(0, NSC_MAX_SHAPES - 1), bounded;
    any_world();
    bounded = nsci_make_leaf(&W, i, &n);
    //@ assert bounded: 0 <= bounded <= 1;
    //@ assert shape: n.shape < NSC_MAX_SHAPES;
}

#ifdef PROVE_TREE_OF_BOXES
/* The tree of up to three shapes, each seen or not, with bounds or not: each node leads on, and there is a leaf for each shape. */
static nsc_box_tree Tree;
static void one_box_tree(int seen, int bounded)
{
    int i, leaves = 0;
    any_world();
    W.shape_end = 3;
    for (i = 0; i < 3; i++) {
        W.shapes[i].generation = seen >> i & 1, W.shapes[i].def.category = 1;
        Bounded[i] = bounded >> i & 1;
    }
    nsc_box_tree_make(&Tree, &W);
    //@ assert unbounded: 0 <= Tree.unbounded <= Tree.nodes < 2 * NSC_MAX_SHAPES;
    for (i = 0; i < Tree.nodes; i++) {
        //@ assert skip: i < Tree.node[i].skip <= Tree.nodes;
        //@ assert shape: Tree.node[i].shape < NSC_MAX_SHAPES || Tree.node[i].shape == 65535;
        //@ assert leaf: Tree.node[i].shape == 65535 || Tree.node[i].skip == i + 1;
        leaves += Tree.node[i].shape < NSC_MAX_SHAPES;
    }
    //@ assert leaves: leaves == (seen & 1) + (seen >> 1 & 1) + (seen >> 2);
    //@ assert nodes: Tree.nodes == 0 || leaves <= Tree.nodes < 2 * leaves;
}

void drive_box_tree_make(void)
{
    int seen, bounded;
    for (seen = 0; seen < 8; seen++)
        for (bounded = 0; bounded < 8; bounded++)
            if ((bounded & seen) == bounded) one_box_tree(seen, bounded);
    nsc_box_tree_make(MAYBE(&Tree), NULL);
}
#endif

/* The same without a tree */
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

/* A hull or height field of the table becomes a shape. */
void drive_add_named(void)
{
    nsc_shape_def d;
    any_world();
    FILL(d);
    nsc_world_add_hull(MAYBE(&W), ANY_INT, MAYBE(&d), ANY_INT);
    nsc_world_add_height_field(MAYBE(&W), ANY_INT, MAYBE(&d), ANY_INT);
    check_world();
}

/* Any table of fields: one, whose counts are any that its heights allow or are refused for; none; or no table for some count */
void drive_tables(void)
{
    int nx = ANY(0, 3), count = ANY(-1, 2);
    any_world();
    //@ split nx;
    //@ split count;
    Field.height = MAYBE(Samples);
    Field.nx = (uint16_t)(nx < 3 ? nx : ANY(65534, 65535)), Field.ny = (uint16_t)(nx < 3 ? ANY(0, 3) : ANY(32767, 65535));
    nsc_heights_complete(nx < 3 ? MAYBE(&Field) : NULL);
    if (count == 1 && nsc_world_set_fields(MAYBE(&W), Fields, count) == NSC_OK) {
        //@ assert two: nx == 2;
        ;
    }
    nsc_world_set_fields(MAYBE(&W), NULL, count < 2 ? count : ANY(2, 2147483647));
    check_world();
}

/* All events of up to two contacts before and two found */
void drive_events(void)
{
    any_world();
    W.report.dropped_events = 0;
    any_links(NSC_MAX_CONTACTS);
    //@ split W.found_count;
    //@ split W.contact_count;
    nsci_find_events(&W);
    //@ assert dropped: 0 <= W.report.dropped_events <= 2 * NSC_MAX_CONTACTS;
    check_world();
}

/* ---- narrow phase ----------------------------------------------------------------------------------- */

static nsci_geom any_geom(void)
{
    nsci_geom g;
    FILL(g);
    g.kind = ANY(0, 1) ? NSCI_TRIANGLE : ANY(NSC_SHAPE_SPHERE, NSC_SHAPE_HALF_SPACE);
    g.data = &Hull; /* Eva would not see that only a hull has one; terrain has another */
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
    nsci_find_patch(&g, any_vec(), &W.scratch.find.convex.use.clip.patch[0]);
    //@ assert n: 0 <= W.scratch.find.convex.use.clip.patch[0].n <= NSCI_PATCH;
    //@ assert face: -1 <= W.scratch.find.convex.use.clip.patch[0].face < NSC_HULL_FACES;
}

void drive_clip_spots(void)
{
    int n;
    any_world();
    n = nsci_clip_spots(W.scratch.find.convex.use.clip.spots, ANY(1, NSCI_SPOTS), ANY(0, NSCI_PATCH), any_vec(), any_vec(), any);
    //@ assert room: 0 <= n <= NSCI_SPOTS;
}

void drive_spread(void)
{
    int pick[4], n = ANY(1, 9);
    //@ split n;
    FILL(W);
    nsci_spread(W.scratch.find.convex.use.clip.spots, n, any_vec(), any, pick);
}

/* Four or fewer, of which any may be too far; then five to seven that are all within the distance, whichever nsci_spread chooses.  (Of
   seven with some too far Eva would have to tell too many cases apart.) */
void drive_thin_spots(void)
{
    int i, n = ANY(5, 7), left;
    nsci_spot *c = W.scratch.find.convex.use.clip.spots;
    any_world();
    left = nsci_thin_spots(c, ANY(0, NSC_MANIFOLD), any_vec(), any);
    //@ assert few: 0 <= left <= NSC_MANIFOLD;
    for (i = 0; i < 7; i++) c[i].w = Frama_C_float_interval(-FLT_MAX, FLT_MAX), c[i].id = 0;
    //@ slevel merge;
    //@ split n;
    nsci_thin_spots(c, n, any_vec(), INFINITY);
}

#ifdef PROVE_NARROW
/* Two geometries of any kind, terrain aside */
static nsci_geom geom_a, geom_b;
static nsci_convex_scratch *any_pair(void)
{
    int i;
    nsci_convex_scratch *x = &W.scratch.find.convex;
    any_world();
    geom_a = any_geom(), geom_b = any_geom();
    for (i = 0; i < 2; i++) any_patch(&x->use.clip.patch[i], 0);
    x->simplex.n = ANY(0, 4);
    W.scratch.find.lost = ANY(0, 999000);
    return x;
}

void drive_gjk(void)
{
    nsci_convex_scratch *x = any_pair();
    nsc_vec3 v;
    nsci_gjk(x, &geom_a, &geom_b, any, &v);
    //@ assert simplex: 0 <= x->simplex.n <= 4;
    //@ assert direction: \initialized(&v);
    check_world();
}

void drive_find_way(void)
{
    nsci_convex_scratch *x = any_pair();
    nsci_way way;
    way.side = ANY(-1, 1), way.n = any_vec(), way.s = any, way.size = any; /* if none is found */
    nsci_find_way(x, &geom_a, &geom_b, any, &way);
    //@ assert side: -1 <= way.side <= 1;
    check_world();
}

/* Spots over a face, any patches */
void drive_face_spots(void)
{
    nsci_convex_scratch *x = any_pair();
    nsci_way way;
    int n;
    way.n = any_vec(), way.s = any, way.size = any, way.side = ANY(0, 1);
    n = nsci_face_spots(x, &geom_a, &geom_b, &way, any);
    //@ assert n: 0 <= n <= NSCI_SPOTS;
    check_world();
}

/* Their contacts */
void drive_spot_contacts(void)
{
    nsci_convex_scratch *x = any_pair();
    nsci_way way;
    int n;
    way.n = any_vec(), way.s = any, way.size = any, way.side = ANY(0, 1);
    n = nsci_spot_contacts(x, ANY(0, NSCI_SPOTS), &way, any, W.scratch.find.points);
    //@ assert n: 0 <= n <= NSC_MANIFOLD;
    check_world();
}

void drive_patch_points(void)
{
    nsci_convex_scratch *x = any_pair();
    nsci_way way;
    int n;
    way.n = any_vec(), way.s = any, way.size = any, way.side = ANY(-1, 1);
    n = nsci_patch_points(x, &geom_a, &geom_b, &way, any, W.scratch.find.points);
    //@ assert n: 0 <= n <= NSC_MANIFOLD;
    check_world();
}

/* Any two shapes of the world; nsci_collide (drive_collide) has spheres, capsules, boxes and half-spaces. */
void drive_collide_any(void)
{
    int n, kind;
    any_pair();
    geom_a.kind = ANY(NSC_SHAPE_SPHERE, NSC_SHAPE_HEIGHT_FIELD), geom_b.kind = ANY(NSC_SHAPE_SPHERE, NSC_SHAPE_HEIGHT_FIELD);
    //@ split geom_a.kind;
    //@ split geom_b.kind;
    if (geom_a.kind == NSC_SHAPE_HEIGHT_FIELD) geom_a.data = &Field;
    if (geom_b.kind == NSC_SHAPE_HEIGHT_FIELD) geom_b.data = &Field;
    n = nsci_collide_any(&W, &geom_a, &geom_b, any);
    //@ assert n: 0 <= n <= NSCI_MAX_POINTS;
    //@ assert few: n <= NSC_MANIFOLD || geom_a.kind == NSC_SHAPE_HEIGHT_FIELD || geom_b.kind == NSC_SHAPE_HEIGHT_FIELD;
    check_world();
}

/* Spots of any ids, some of which go to the neighbours */
void drive_leave_to_neighbours(void)
{
    int n = ANY(0, NSCI_SPOTS), left;
    any_world();
    //@ split n;
    left = nsci_leave_to_neighbours(W.scratch.find.convex.use.clip.spots, n, (unsigned)ANY(0, 7));
    //@ assert fewer: 0 <= left <= n;
}

/* A shape on one triangle of terrain */
void drive_facet(void)
{
    nsci_convex_scratch *x = any_pair();
    nsci_facet f;
    int n;
    FILL(f);
    f.t = any_geom(), f.t.kind = NSCI_TRIANGLE;
    f.cut = ANY(0, 1), f.drops = 1, f.t.data = &Field;
    n = nsci_triangle_contacts(x, &geom_a, &f, any);
    //@ assert own: 0 <= n <= NSC_MANIFOLD;
    check_world();
}

/* Any ends of an interval, in cells: finite ones and infinite ones.  Of ends that are NaN there is no cell: lo <= last + 1 or hi >= 0
   fails. */
static nsc_real an_end(int k) { return k == 0 ? Frama_C_float_interval(-FLT_MAX, FLT_MAX) : k == 1 ? INFINITY : -INFINITY; }
void drive_cell_range(void)
{
    int k, samples, from, to;
    //@ loop unroll 18;
    for (k = 0; k < 18; k++) {
        samples = 2 + k / 9;
        nsci_cell_range(an_end(k % 3), an_end(k / 3 % 3), NSC_R(1.0), samples, &from, &to);
        //@ assert from: 0 <= from <= 1;
        //@ assert to: 0 <= to <= samples - 2;
    }
}

/* A height field of 3 x 2 samples, triangle by triangle */
void drive_collide_terrain(void)
{
    int n;
    any_pair();
    geom_a.kind = ANY(NSC_SHAPE_SPHERE, NSC_SHAPE_HULL), geom_b.kind = NSC_SHAPE_HEIGHT_FIELD;
    geom_b.data = &Field;
    n = nsci_collide_terrain(&W, &geom_a, &geom_b, any);
    //@ assert n: 0 <= n <= NSCI_MAX_POINTS;
    check_world();
}

/* One more point of terrain, to up to five.  (Of more Eva would have to tell too many subsets apart.) */
void drive_gather(void)
{
    nsci_convex_scratch *x = any_pair();
    nsci_facet f;
    int n, had = ANY(0, 5);
    FILL(f);
    //@ split had;
    n = nsci_gather(&W, &f, had, &x->use.clip.own[0], any);
    //@ assert n: 0 <= n <= had + 1;
    check_world();
}
#endif

/* ---- hull ------------------------------------------------------------------------------------------- */

static nsc_hull given;

/* The user's hull: any bytes, any numbers */
void drive_hull_data(void)
{
    nsc_shape_def d;
    int faces = ANY(0, 255);
    FILL(given.first);
    FILL(given.corner);
    FILL(given.vertex);
    given.vertices = (uint8_t)ANY(0, 255);
    //@ split faces;
    given.faces = (uint8_t)faces;
    any_world();
    nsci_copy_hull(&W.note, &Hull, &given);
}

/* What is computed from corners and faces in range */
void drive_hull_parts(void)
{
    nsci_geom g;
    nsc_vec3 middle;
    FILL(g);
    any_world_of_one_kind(NSC_SHAPE_HULL);
    nsci_hull_extent(&Hull);
    nsci_hull_face(&Hull, ANY(0, 3), any);
    nsci_hull_closed(&Hull);
    nsci_hull_measure(&Hull);
    g.kind = NSC_SHAPE_HULL, g.data = &Hull;
    nsci_inner_hull(&g, &middle);
    check_world();
}

/* ---- archive ---------------------------------------------------------------------------------------- */

static unsigned char image[64];

static void any_tape(int mode)
{
    nsci_tape_start(&T, mode, mode == NSCI_READ ? NULL : &W);
    FILL(image);
    T.in = image, T.out = image;
    T.size = sizeof image;
    refused = range = 0;
}

/* Loading anything: what it leaves is a world, whether it was refused on the first pass, on the second, or not at all. */
void drive_load(void)
{
    any_world();
    FILL(image);
    refused = 0;
    nsc_world_load(MAYBE(&W), MAYBE(image), ANY_INT);
    check_world();
}

/* A manifold that an image holds, on either pass; what is let pass is one of a world. */
void drive_tape_manifold(void)
{
    any_world();
    any_tape(NSCI_READ);
    T.to = MAYBE(&W);
    nsci_tape_manifold(&T, ANY(-1, NSC_MAX_MANIFOLDS - 1));
    if (!refused) check_world();
}

/* Part of an image, on either pass, and what nsci_tape_32 reads in its range or not (`range`) */
void drive_tape_clock(void)
{
    any_world();
    any_tape(NSCI_READ);
    T.to = MAYBE(&W);
    nsci_tape_clock(&T);
    if (!refused) check_world();
}

#ifdef PROVE_ROWS
/* A joint of any kind, each axis with any of the 16 sets of rows that it can have (drive_axis_rows), one after the other: Eva knows
   no single bit of what it has not counted out.  Axes that a kind has not got are not asked for. */
void drive_joint_blocks(void)
{
    int kind, k, n, from;
    //@ loop unroll NSC_JOINT_GEAR + 1;
    for (kind = 0; kind <= NSC_JOINT_GEAR; kind++) {
        FILL(Joint);
        Joint.kind = kind;
        from = !nsci_axis(kind, 0) ? 1 : !nsci_axis(kind, 1) ? 16 : !nsci_axis(kind, 2) ? 256 : 4096;
        //@ loop unroll 4096;
        for (k = 0; k < from; k++) {
            Rows[0] = k & 15, Rows[1] = k >> 4 & 15, Rows[2] = k >> 8;
            n = nsci_joint_blocks(&Joint);
            //@ assert blocks: 0 <= n <= NSC_JOINT_ROWS;
        }
    }
}
#endif

void drive_axis_rows(void)
{
    nsc_axis_def d;
    int rows;
    FILL(d);
    rows = nsci_axis_rows(&d);
    //@ assert rows: 0 <= rows <= 15;
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
    //@ assert kind: s.kind <= (things == 0 ? NSC_DYNAMIC_BODY : things == 1 ? NSC_SHAPE_HEIGHT_FIELD : things == 2 ? NSC_JOINT_GEAR : 1);
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

static void any_eye(void *user, int iteration, nsc_real residual, nsc_real change) { (void)user, (void)iteration, (void)residual, (void)change; }

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
    P.watch = MAYBE(&any_eye);
    P.user = MAYBE(&P);
    //@ slevel merge;
    ;
}

/* Rolling friction has three rows and stands behind another block, which the solvers do not ask to be its contact: so that is any,
   too. */
#define LAST_KIND(i) ((i) == 1 && ROWS_2 == 3 ? NSC_BLOCK_ROLLING : NSC_BLOCK_CONTACT)

/* What nsc_problem_prepare leaves of it when it succeeds */
static void prepared(int matrix)
{
    int i, k;
    P.row_count = ROWS, P.skipped_rows = ANY(0, ROWS);
    for (i = 0; i < BLOCKS; i++) {
        blocks[i].kind = (unsigned char)ANY(NSC_BLOCK_EQUALITY, LAST_KIND(i));
        blocks[i].rows = (unsigned char)(i == 0 ? ROWS_1 : ROWS_2);
        blocks[i].row = i == 0 ? 0 : ROWS_1;
        for (k = i == 0 ? ROWS_1 : ROWS_2; k < 3; k++) blocks[i].eff_mass[k] = 0; /* no row */
        if (matrix) continue;
        blocks[i].a = ANY(0, BODIES - 1);
        blocks[i].b = ANY(0, BODIES - 1);
    }
}

/* The same, asserted: after prepare, and that no solver breaks it. */
static void check_problem(int matrix)
{
    int i, k;
    //@ assert count: P.row_count == ROWS;
    //@ assert skipped: 0 <= P.skipped_rows <= ROWS;
    for (i = 0; i < BLOCKS; i++) {
        //@ assert kind: NSC_BLOCK_EQUALITY <= blocks[i].kind <= LAST_KIND(i);
        //@ assert rows: blocks[i].rows == (i == 0 ? ROWS_1 : ROWS_2);
        //@ assert row: blocks[i].row == (i == 0 ? 0 : ROWS_1);
        //@ assert a: matrix != 0 || 0 <= blocks[i].a < BODIES;
        //@ assert b: matrix != 0 || 0 <= blocks[i].b < BODIES;
        for (k = i == 0 ? ROWS_1 : ROWS_2; k < 3; k++) {
            //@ assert no_row: blocks[i].eff_mass[k] == 0;
            ;
        }
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
    if (code == NSC_OK && !matrix) {
        nsc_real row[12];
        nsc_block_row(&blocks[0], ANY(0, ROWS_1 - 1), row);
        //@ assert row: \initialized(&row[0 .. 11]);
        ;
    }
    if (code == NSC_OK && !matrix) { /* a further sub-step, which keeps the first block's G */
        blocks[0].form = (unsigned char)(blocks[0].form | NSCI_KEPT);
        if (nsci_prepare(&P) == NSC_OK) check_problem(0);
    }
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
/* What drive_factor and its kin prove.  Of their memory NEWTON reads Q alone, in nsci_barrier_coupling and
   nsci_newton_add_change, which have drivers.  Trusted: that nsci_factor_set, which writes Q, was called for every block before. */
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

/*@ requires \valid_read(q) && \valid_read(b) && 1 <= b->rows <= 3 && \initialized(&q->y[b->row .. b->row + b->rows - 1]);
  @ requires \initialized(&x[0 .. b->rows - 1]) && \valid(&g[0 .. b->rows - 1]) && \initialized(&g[0 .. b->rows - 1]);
  @ assigns g[0 .. b->rows - 1] \from g[0 .. b->rows - 1], x[0 .. b->rows - 1], *b;
  @ ensures \initialized(&g[0 .. b->rows - 1]); */
static void nsci_newton_add_change(const nsci_newton *q, const nsc_block *b, nsc_real normal, const nsc_real x[3], nsc_real *g);
#endif

void drive_newton_change(void)
{
    static nsc_real Q[3 * 3], y[3];
    nsc_real x[3], g[3];
    nsci_newton q;
    int i;
    for (i = 0; i < 9; i++) Q[i] = any;
    for (i = 0; i < 3; i++) y[i] = any, x[i] = any, g[i] = any;
    q.factor.Q = Q, q.y = y, q.eps = any;
    q.law = ANY(-2147483647, 2147483647);
    blocks[0].row = 0, blocks[0].kind = (unsigned char)ANY(0, 255), blocks[0].rows = (unsigned char)ANY(1, 3);
    blocks[0].rho = any, blocks[0].mu = any;
    for (i = 0; i < 3; i++) blocks[0].lo[i] = any, blocks[0].hi[i] = any;
    nsci_newton_add_change(&q, &blocks[0], any, x, g);
}

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
    nsci_begin(&run, ANY(NSC_SOLVER_SIPGS, NSC_SOLVER_AUTO), MAYBE(&P), MAYBE(&S), ANY(NSC_LAW_COULOMB, NSC_LAW_PYRAMID), ANY(NSC_LAW_COULOMB, NSC_LAW_PYRAMID));
}

#if NSC_PARALLEL
/* ---- waves ------------------------------------------------------------------------------------------------
   Each schedule of three blocks among an immovable body, which may be a kinematic one or the ground, and two others: any block of
   any two, so that blocks of one pair side by side are a unit, and within one body.  Visits are taken on trust here
   (drive_visit_unit). */
enum { WAVE_BLOCKS = 3, WAVE_BODIES = 3, WAVE_ARENA = 9 + 18 + 4 + 3 + 3 * 13 };
static nsc_mass wave_masses[WAVE_BODIES];
static nsc_block wave_blocks[WAVE_BLOCKS];
static nsc_real wave_v[6 * WAVE_BODIES], wave_arena[WAVE_ARENA];

#ifdef PROVE_WAVES
/*@ requires 0 <= i < w->groups <= WAVE_BLOCKS;
  @ requires \valid(e + (0 .. WAVE_BLOCKS - 1));
  @ assigns e[0 .. WAVE_BLOCKS - 1], wave_v[0 .. 6 * WAVE_BODIES - 1], wave_blocks[0 .. WAVE_BLOCKS - 1].lambda[0 .. 2]
            \from indirect:*w, wave_v[0 .. 6 * WAVE_BODIES - 1], wave_blocks[0 .. WAVE_BLOCKS - 1]; */
static void nsci_visit_unit(const nsci_waves *w, int i, nsc_real *e);
#endif

/* nsc_calls.parallel: the last part first */
static void backward(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    (void)user;
    //@ assert parts: parts == 2;
    while (parts > 0) work(job, --parts);
}

/* Every visit of every unit is there once, those of a unit in later waves one after the other, and in a wave no two units have
   a movable body in common. */
static void check_waves(const nsci_waves *w)
{
    int i, k, wave, next[WAVE_BLOCKS] = {0, 0, 0};
    for (wave = i = 0; wave < w->waves; wave++) {
        int begin = i, end = (int)w->end[wave];
        //@ assert end: begin < end <= w->ahead * w->groups;
        for (; i < end; i++) {
            int visit = (int)w->item[i], unit = visit / 16;
            const nsc_block *x = &wave_blocks[(int)w->first[unit]];
            //@ assert unit: 0 <= unit < w->groups;
            //@ assert sweep: visit % 16 == next[unit];
            next[unit]++;
            for (k = begin; k < i; k++) {
                int other = (int)w->item[k] / 16;
                const nsc_block *y = &wave_blocks[(int)w->first[other]];
                //@ assert own: unit != other;
                //@ assert a: x->a == 0 || (x->a != y->a && x->a != y->b);
                //@ assert b: x->b == 0 || (x->b != y->a && x->b != y->b);
                ;
            }
        }
    }
    for (i = 0; i < w->groups; i++) {
        //@ assert all: next[i] == w->ahead;
        ;
    }
}

/* The blocks: x, y, z are 3 times the first body plus the second. */
static int waves_of(nsci_waves *w, nsci_run *run, int room, int x, int y, int z)
{
    wave_blocks[0].a = x / 3, wave_blocks[0].b = x % 3;
    wave_blocks[1].a = y / 3, wave_blocks[1].b = y % 3;
    wave_blocks[2].a = z / 3, wave_blocks[2].b = z % 3;
    FILL(wave_arena);
    nsci_clear(w, sizeof *w);
    run->settings = &S, run->problem = &P;
    w->run = run, w->p = &P, w->room = wave_arena + WAVE_ARENA - room, w->left = room;
    if (!nsci_find_units(w)) return 0;
    //@ assert units: 1 <= w->units <= WAVE_BLOCKS;
    return nsci_begin_parallel(w);
}

static void any_waves(void)
{
    int i;
    FILL(S), FILL(wave_blocks), FILL(wave_v);
    for (i = 0; i < WAVE_BLOCKS; i++) wave_blocks[i].kind = NSC_BLOCK_CONTACT, wave_blocks[i].rows = 3;
    P.masses = wave_masses, P.v = wave_v, P.blocks = wave_blocks;
    P.body_count = WAVE_BODIES, P.block_count = WAVE_BLOCKS;
    P.parallel = &backward, P.parts = 2;
    P.stop = MAYBE(&any_answer);
    wave_masses[1].inv_mass = wave_masses[2].inv_mass = 1;
}

void drive_waves(void)
{
    int i;
    nsci_waves w;
    nsci_run run;
    any_waves();
    //@ loop unroll 729;
    for (i = 0; i < 729; i++) {
        FILL(run);
        if (waves_of(&w, &run, WAVE_ARENA, i / 81, i / 9 % 9, i % 9)) check_waves(&w);
    }
    //@ loop unroll 100;
    for (i = 0; i <= WAVE_ARENA; i++) { /* with less room, and with rolling friction of another unit than its contact */
        FILL(run);
        if (waves_of(&w, &run, i, 1, 2, 2)) check_waves(&w);
    }
    wave_blocks[1].kind = NSC_BLOCK_ROLLING;
    i = waves_of(&w, &run, WAVE_ARENA, 1, 2, 2);
    //@ assert rolling: i == 0;
    ;
}

/* Sweeps made together, those that are gone back on included: of three units, then of two, on two cores */
void drive_wave_sweeps(void)
{
    int i;
    nsci_waves w;
    nsci_run run;
    any_waves();
    for (i = 0; i < 2; i++) {
        FILL(run);
        if (!waves_of(&w, &run, WAVE_ARENA, 1, i ? 1 : 2, i ? 2 : 4)) continue;
        run.iterations = ANY(0, 999);
        S.max_iterations = ANY(1000, 1000000), S.check_interval = ANY(1, 1000);
        w.made = w.counted = 0;
        nsci_parallel_sweep(&w);
        //@ assert counted: 1 <= w.counted <= NSCI_AHEAD;
        //@ assert made: 1 <= w.made <= w.ahead;
        nsci_parallel_sweep(&w);
    }
}

/* A unit of all blocks, between any bodies */
void drive_visit_unit(void)
{
    static nsc_real first[2], e[BLOCKS];
    int a, b, i;
    nsci_waves w;
    nsci_run run;
    any_problem(0, 0);
    prepared(0);
    FILL(run), FILL(w);
    a = ANY(0, BODIES - 1), b = ANY(0, BODIES - 1);
    for (i = 0; i < BLOCKS; i++) blocks[i].a = a, blocks[i].b = b;
    P.ground = ANY(0, 1);
    S.law = ANY(NSC_LAW_COULOMB, NSC_LAW_PYRAMID);
    run.settings = &S, run.problem = &P;
    first[0] = 0, first[1] = BLOCKS;
    w.run = &run, w.p = &P, w.first = first;
    w.contacts = ANY(0, 1), w.joints = ANY(0, 1);
    nsci_visit_unit(&w, 0, e);
    check_problem(0);
}
#endif

#ifdef PROVE_MOTOR
/* ---- motors ------------------------------------------------------------------------------------------------ */
static nsc_motor Motor;
static nsc_pid Pid;

/* A motor of any numbers, with a delay that nsc_delay_init has let pass */
static void check_motor(void)
{
    //@ assert ticks: 0 <= Motor.delay.ticks <= NSC_DELAY_TICKS;
    //@ assert at: 0 <= Motor.delay.at < NSC_DELAY_TICKS;
}

void drive_motor(void)
{
    nsc_motor_def d = nsc_default_motor_def();
    nsc_axis_def axis;
    nsc_real torque;
    FILL(d), FILL(Motor), FILL(axis);
    Motor.delay.ticks = ANY(0, NSC_DELAY_TICKS), Motor.delay.at = ANY(0, NSC_DELAY_TICKS - 1);
    nsc_motor_init(MAYBE(&Motor), MAYBE(&d), any);
    check_motor();
    nsc_motor_step(MAYBE(&Motor), any, any, MAYBE(&torque));
    check_motor();
    nsc_motor_mount(&Motor, &axis);
    nsc_delay_init(MAYBE(&Motor.delay), ANY_INT, any);
    check_motor();
    nsc_delay_step(&Motor.delay, any);
    check_motor();
}

void drive_pid(void)
{
    nsc_pid_def d;
    nsc_real output;
    FILL(d), FILL(Pid);
    nsc_pid_init(MAYBE(&Pid), MAYBE(&d), any);
    nsc_pid_step(MAYBE(&Pid), any, any, MAYBE(&output));
}

/* The halvings of any x: a NaN fails x < 64 */
void drive_settle(void)
{
    nsci_settle(Frama_C_float_interval(-FLT_MAX, FLT_MAX));
    nsci_settle(INFINITY);
    nsci_settle(-INFINITY);
}
#endif

#ifdef PROVE_DYNAMICS
/* ---- dynamics of a robot's table -----------------------------------------------------------------------------
   Two links and two entries of any kind between them, any numbers */
static nsc_robot Robot;
static nsc_robot_link_def Robot_links[NSC_DYNAMICS_LINKS];
static nsc_robot_joint_def Robot_joints[2];
static nsc_dynamics Model;
static nsc_real Model_x[NSC_DYNAMICS_NUMBERS + NSC_DYNAMICS_LINKS], Model_v[NSC_DYNAMICS_NUMBERS];
static nsc_real Model_f[NSC_DYNAMICS_NUMBERS], Model_M[NSC_DYNAMICS_NUMBERS * NSC_DYNAMICS_NUMBERS];

/* One entry of any kind, and another one or none: what the second is beside the first */
enum { ROBOT_ONE, ROBOT_FURTHER_AXIS, ROBOT_CHAIN, ROBOT_APART, ROBOT_TWICE, ROBOT_SECONDS };
static void any_robot(int kind, int parent, int child, int second)
{
    nsc_robot_joint_def *j = Robot_joints;
    FILL(Robot_links), FILL(Robot_joints);
    Robot.links = 2, Robot.joints = second == ROBOT_ONE ? 1 : 2;
    Robot.link = Robot_links, Robot.joint = Robot_joints;
    j[0].kind = kind, j[0].parent = parent, j[0].child = child;
    j[1].kind = second == ROBOT_FURTHER_AXIS ? (int)NSC_ROBOT_AXIS : second == ROBOT_APART ? (int)NSC_JOINT_BALL : (int)NSC_JOINT_HINGE;
    j[1].parent = second == ROBOT_FURTHER_AXIS ? 0 : second == ROBOT_CHAIN ? child : second == ROBOT_APART ? -1 : 1 - child;
    j[1].child = second == ROBOT_FURTHER_AXIS ? 1 : second == ROBOT_TWICE ? child : 1 - child; /* CHAIN: a loop where parent is 1 - child */
}

/* Which links move, bit by bit; the second alone, as the base is fixed */
static void any_weights(int moving)
{
    int i;
    Robot.fixed_base = moving == 2;
    for (i = 0; i < 2; i++) {
        Robot_links[i].kind = Robot.fixed_base || moving >> i & 1 ? NSC_DYNAMIC_BODY : NSC_STATIC_BODY;
        Robot_links[i].mass = Frama_C_float_interval(NSC_R(1e-30), NSC_R(1e30));
    }
}

/* All that asks a model */
static void ask_model(void)
{
    int i;
    nsc_vec3 a, b;
    nsc_real mass;
    nsc_dynamics_point_state state;
    //@ loop unroll 10;
    for (i = 0; i < NSC_DYNAMICS_NUMBERS + NSC_DYNAMICS_LINKS; i++) Model_x[i] = any;
    FILL(Model_v);
    nsc_dynamics_error_text(ANY_INT);
    nsc_dynamics_number(&Model, ANY_INT);
    if (nsc_dynamics_set(&Model, Model_x, MAYBE(Model_v)) < 0) return;
    nsc_dynamics_inverse(&Model, MAYBE(Model_v), Model_f);
    nsc_dynamics_gravity(&Model, Model_f);
    nsc_dynamics_inertia(&Model, Model_M);
    FILL(a);
    for (i = -1; i <= 2; i++) {
        nsc_dynamics_jacobian(&Model, i, a, Model_M);
        nsc_dynamics_point(&Model, i, a, &state);
    }
    nsc_dynamics_centre(&Model, &mass, &a, &b);
}

/* To and from the world, by any handles */
static void ask_world(void)
{
    static nsc_id body[2], joint[2];
    int i;
    for (i = 0; i < 2; i++) body[i] = ANY_INT, joint[i] = ANY_INT;
    for (i = 0; i < NSC_DYNAMICS_NUMBERS; i++) Model_f[i] = any;
    nsc_dynamics_read(&Model, &W, MAYBE(body), MAYBE(joint), Model_x, Model_v);
    nsc_dynamics_drive(&Model, MAYBE(&W), MAYBE(joint), MAYBE(Model_f));
}

/* What nsc_dynamics_init makes of one of them is a forest.  (A function of its own: Eva joins the cases at its end.) */
static void one_robot(int kind, int parent, int child, int second, int moving, int asked)
{
    nsc_pose base;
    int i;
    FILL(base);
    any_robot(kind, parent, child, second);
    any_weights(moving);
    if (nsc_dynamics_init(&Model, &Robot, base) < 0) return;
    //@ assert numbers: 0 <= Model.numbers <= NSC_DYNAMICS_NUMBERS;
    //@ assert positions: Model.numbers <= Model.positions <= Model.numbers + 2;
    //@ assert left_out: 0 <= Model.left_out <= Robot.joints;
    for (i = 0; i < 2; i++) {
        //@ assert order: 0 <= Model.order[i] < 2;
        //@ assert parent: Model.link[Model.order[i]].parent == 2 || (i == 1 && Model.link[Model.order[1]].parent == Model.order[0]);
        ;
    }
    if (asked == 1) ask_model();
    if (asked == 2) ask_world();
}

/* A model that was not made, or none */
static void refuse_model(void)
{
    nsc_vec3 a, b;
    nsc_real mass;
    nsc_dynamics_point_state state;
    FILL(a);
    nsc_dynamics_number(MAYBE(&Model), ANY_INT);
    nsc_dynamics_set(MAYBE(&Model), MAYBE(Model_x), NULL);
    nsc_dynamics_inverse(MAYBE(&Model), NULL, MAYBE(Model_f));
    nsc_dynamics_inertia(MAYBE(&Model), MAYBE(Model_M));
    nsc_dynamics_jacobian(MAYBE(&Model), 0, a, MAYBE(Model_M));
    nsc_dynamics_point(MAYBE(&Model), 0, a, MAYBE(&state));
    nsc_dynamics_push(MAYBE(&Model), 0, a, a, a, MAYBE(Model_f));
    nsc_dynamics_centre(MAYBE(&Model), MAYBE(&mass), MAYBE(&a), MAYBE(&b));
}

/* What is not a table at all, then every first entry between any two links: indices that are none are refused. */
void drive_dynamics_init(void)
{
    int kind, parent, child;
    nsc_pose base;
    refuse_model();
    FILL(Robot), FILL(base);
    Robot.links = ANY(0, 1) ? ANY(-2147483647, 0) : ANY(NSC_DYNAMICS_LINKS + 1, 2147483647);
    Robot.link = MAYBE(Robot_links), Robot.joint = MAYBE(Robot_joints);
    nsc_dynamics_init(MAYBE(&Model), MAYBE(&Robot), base);
    for (parent = -2; parent <= 2; parent++)
        for (child = -1; child <= 2; child++)
            //@ loop unroll 100;
            for (kind = 0; kind <= NSC_JOINT_GEAR + 2; kind++)
                one_robot(kind == NSC_JOINT_GEAR + 2 ? (int)NSC_ROBOT_AXIS : kind, parent, child, ROBOT_ONE, 3, 0);
}

/* A robot of each kind that the functions tell apart, in a chain, apart or in a loop, with links that do not move, too */
void drive_dynamics(void)
{
    static const int kinds[4] = {NSC_JOINT_BALL, NSC_JOINT_HINGE, NSC_JOINT_UNIVERSAL, NSC_JOINT_PLANAR};
    int kind, second;
    for (kind = 0; kind < 4; kind++)
        for (second = ROBOT_ONE; second < ROBOT_SECONDS; second++) one_robot(kinds[kind], -1, 0, second, 3, 1);
    one_robot(NSC_JOINT_HINGE, 1, 0, ROBOT_ONE, 2, 1);
    one_robot(NSC_JOINT_HINGE, 1, 0, ROBOT_CHAIN, 3, 1); /* both ways */
    one_robot(NSC_JOINT_HINGE, -1, 0, ROBOT_ONE, 1, 1);
}

void drive_dynamics_world(void)
{
    any_world();
    one_robot(NSC_JOINT_PLANAR, 1, 0, ROBOT_ONE, 3, 2);
    one_robot(NSC_JOINT_BALL, 1, 0, ROBOT_ONE, 2, 2);
    check_world();
}
#endif

/* Of each contract above that is not in force here the `assigns`, for the driver of the function itself; prove.py
   writes it. */
#include "assigns.h"
