/* nsc_cores.h - islands on several cores; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_PARALLEL 1.
   Beside it: nsc.h, nsc_waves.h.
   The bits are the same as on one core.  2 KiB, and an arena for large islands
   (NSC_ARENA_CORES). */
#ifndef NSC_CORES_H
#define NSC_CORES_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_PARALLEL 1 before nsc.h, which then includes nsc_cores.h"
#endif

/* ---- islands on several cores
   An island is built at the beginning of the scratch arrays.  A small one is then set aside, from
   their end down.  Those set aside are solved by the user's cores, then brought back and stored in
   their order, so that the bits are those of the plain loop. */
typedef struct nsci_batch {
    nsc_world *w;
    const nsci_scheme *s;
    int count, parts;
    int kinematic;               /* bodies, the most that an island has */
    int free;                    /* bodies for which there is room in the scratch arrays ... */
    int largest;                 /* ... of which this is needed to bring one back */
    int blocks;                  /* of those set aside */
    int *joint_blocks;           /* of the islands stored */
} nsci_batch;

/* An island whose problem is built and set aside, to be solved together with others */
typedef struct nsci_aside {
    nsc_problem problem;
    nsc_report report;
    int code;                    /* of its solver */
    int first;                   /* where its bodies are in nsci_solving, and in outer */
    int blocks;                  /* of those set aside before it */
    uint16_t island;
} nsci_aside;
enum { NSCI_ASIDE = 16 };

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_PARALLEL_REASONS(R) R(NSCI_BAD_PARTS, "nsc_calls.parts", ">= 1 with parallel")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static int nsci_check_parts(nsc_world *w, const nsc_calls *calls);
static nsci_batch nsci_begin_batch(nsc_world *w, const nsci_scheme *s, int *joint_blocks);
static int nsci_is_small(const nsci_batch *b, const nsc_island *own);
static int nsci_set_aside(nsci_batch *b, nsc_island *own);
static int nsci_end_batch(nsci_batch *b);

#elif defined(NSCI_CODE) /* and again */

static int nsci_check_parts(nsc_world *w, const nsc_calls *calls)
{
    if (calls && calls->parallel && calls->parts < 1)
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_PARTS, (nsc_real)calls->parts);
    return NSC_OK;
}

static nsci_batch nsci_begin_batch(nsc_world *w, const nsci_scheme *s, int *joint_blocks)
{
    const nsc_calls *calls = s->calls;
    nsci_batch b;
    int i;
    int able = calls && calls->parallel && !calls->stop && nsci_mode(s) != NSCI_NEWTON &&
            (!calls->solve || calls->solve == nsc_solve_sipgs);
    b.w = w;
    b.s = s;
    b.count = b.blocks = b.kinematic = b.largest = 0;
    b.parts = able ? calls->parts : 1;
    b.free = NSC_MAX_BODIES;
    b.joint_blocks = joint_blocks;
    for (i = 1; i < w->body_end && able; i++)
        b.kinematic += w->bodies[i].kind == NSC_KINEMATIC_BODY;
    return b;
}

/* Bodies of the island's problem, at most */
static int nsci_most_bodies(const nsci_batch *b, const nsc_island *own)
{
    return 1 + own->bodies + b->kinematic;
}

/* Is there room to build an island of so many bodies, to set it aside, and to bring back any? */
static int nsci_has_room(const nsci_batch *b, int bodies)
{
    return b->free - bodies >= (bodies > b->largest ? bodies : b->largest);
}

/* Is the island to be set aside?  Large ones are not: SIPGS shares their sweeps. */
static int nsci_is_small(const nsci_batch *b, const nsc_island *own)
{
    return b->parts > 1 && own->joints + own->springs + own->contacts <= 64 &&
           2 * nsci_most_bodies(b, own) <= NSC_MAX_BODIES;
}

/* Move the bodies of a problem within the scratch arrays, to where none of them is. */
static void nsci_move_problem(nsc_world *w, nsc_problem *p, int from, int to)
{
    nsci_solving *all = &w->scratch.solve;
    size_t n = (size_t)p->body_count;
    nsci_copy(all->masses + to, all->masses + from, n * sizeof *all->masses);
    nsci_copy(all->v_free + 6 * to, all->v_free + 6 * from, 6 * n * sizeof *all->v_free);
    nsci_copy(all->v + 6 * to, all->v + 6 * from, 6 * n * sizeof *all->v);
    NSC_MEMCPY(w->outer + to, w->outer + from, n * sizeof *w->outer); /* no whole words */
    p->masses = all->masses + to;
    p->v_free = all->v_free + 6 * to;
    p->v = all->v + 6 * to;
}

/* Solve one part of the islands set aside: a run of them with its share of the blocks. */
static void nsci_solve_part(void *batch, int part)
{
    nsci_batch *b = (nsci_batch *)batch;
    nsci_aside *a = b->w->scratch.solve.aside;
    int i;
    for (i = 0; i < b->count; i++, a++) {
        int middle = a->blocks + a->problem.block_count / 2;
        if ((int)((long)middle * b->parts / (b->blocks + 1)) == part)
            a->code = nsci_solve(b->w, b->s, &a->problem, &a->report);
    }
}

/* Solve and store the islands set aside. */
static int nsci_end_batch(nsci_batch *b)
{
    nsc_world *w = b->w;
    const nsc_calls *calls = b->s->calls;
    nsci_aside *a = w->scratch.solve.aside;
    int i;
    int parts = b->count < b->parts ? b->count : b->parts;
    int code = NSC_OK;
    if (b->count == 0)
        return code;
    b->parts = parts;
    if (parts > 1)
        calls->parallel(calls->user, nsci_solve_part, b, parts);
    else
        nsci_solve_part(b, 0);
    for (i = 0; i < b->count && code >= 0; i++, a++) {
        nsc_island *own = &w->islands[a->island];
        nsci_move_problem(w, &a->problem, a->first, 0);
        code = nsci_check_bounces(w, own, b->s, a->code, &a->problem, &a->report);
        code = nsci_end_island(w, own, b->s, code, &a->report, b->joint_blocks);
    }
    b->parts = calls->parts;
    b->free = NSC_MAX_BODIES;
    b->count = b->blocks = b->largest = 0;
    return code < 0 ? code : NSC_OK;
}

/* Build a small island and set it aside.  If the islands set aside before leave no room, these are
   solved first. */
static int nsci_set_aside(nsci_batch *b, nsc_island *own)
{
    nsc_world *w = b->w;
    nsci_aside *a;
    int code = NSC_OK;
    if (b->count == NSCI_ASIDE || !nsci_has_room(b, nsci_most_bodies(b, own)))
        code = nsci_end_batch(b);
    a = &w->scratch.solve.aside[b->count];
    if (code >= 0)
        code = nsci_build_problem(w, own, b->s, nsci_is_first(b->s), &a->problem);
    if (code < 0)
        return code;
    a->problem.parallel = NULL;
    a->problem.arena = NULL;
    a->problem.arena_size = 0;
    a->island = (uint16_t)(own - w->islands);
    a->first = b->free - a->problem.body_count;
    a->blocks = b->blocks;
    nsci_move_problem(w, &a->problem, 0, a->first);
    b->free = a->first;
    b->largest = a->problem.body_count > b->largest ? a->problem.body_count : b->largest;
    b->blocks += a->problem.block_count;
    b->count++;
    return code;
}

#endif
