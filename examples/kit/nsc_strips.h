/* nsc_strips.h - broad phase for worlds of many shapes, about 64 and more; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_STRIPS 1.
   Beside it: nsc.h.
   The core tests all pairs of shapes.  This sweeps and prunes: the boxes are sorted along the axis
   on which they spread most.  Many boxes are first divided into strips along the second such axis,
   by where they begin: n shapes on a plain would otherwise cost n^1.5.  One shape very far away
   makes the strips so wide that all others lie in one: slower, not wrong.  The contacts and their
   order are the same. */
#ifndef NSC_STRIPS_H
#define NSC_STRIPS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_STRIPS 1 before nsc.h, which then includes nsc_strips.h"
#endif

enum { NSCI_MOST_STRIPS = 32 };

/* Scratch while contacts are found; nsc.h declares it where nsci_index is known.  Boxes are sorted
   along `axis`, on which the centres of bounded shapes vary most, and divided along `across`, the
   second such axis, from low [m] on, into `scale` strips per metre; `strip` of each shape, whose
   list `sweep` holds them strip by strip, to `end`; `reach`: longest box of each strip along the
   axis [m].  While contacts are sorted `begin` is where those of each shape begin, and by_rank
   holds them sorted by the second shape only. */
#define NSCI_STRIPS_TYPE \
    typedef struct nsci_strips { \
        int axis, across; \
        nsc_real low, scale; \
        uint8_t strip[NSC_MAX_SHAPES]; \
        uint16_t end[NSCI_MOST_STRIPS]; \
        nsc_real reach[NSCI_MOST_STRIPS]; \
        nsci_index begin[NSC_MAX_SHAPES + 2]; \
        nsci_index by_rank[NSC_MAX_CONTACTS]; \
    } nsci_strips;

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_meet_strips(nsc_world *w, int n, nsc_real h);
static void nsci_sort_many(nsc_world *w);

#elif defined(NSCI_CODE) /* and again */

/* Choose the axes and the strips, which cover the middle 4 sigma, none narrower than the mean box,
   with four bounded shapes or more on average. */
NSCI_OWN_FRAME void nsci_plan_strips(nsc_world *w, int n)
{
    const nsci_finding *f = &w->scratch.find;
    nsci_strips *p = &w->scratch.find.strips;
    nsc_real sum[3], sum2[3], size[3], variance[3], count, sigma, strips;
    int i, a, bounded = 0;
    for (a = 0; a < 3; a++)
        sum[a] = sum2[a] = size[a] = 0;
    for (i = 0; i < n; i++) {
        const nsci_aabb *box = &f->boxes[f->sweep[i]];
        if (w->shapes[f->sweep[i]].def.kind >= NSC_SHAPE_HALF_SPACE)
            continue;
        bounded++;
        for (a = 0; a < 3; a++) {
            nsc_real c = NSC_R(0.5) * (box->min[a] + box->max[a]);
            sum[a] += c;
            sum2[a] += c * c;
            size[a] += box->max[a] - box->min[a];
        }
    }
    count = (nsc_real)(bounded > 0 ? bounded : 1);
    for (a = 0; a < 3; a++)
        variance[a] = sum2[a] - sum[a] * sum[a] / count;
    p->axis = variance[1] > variance[0] ? 1 : 0;
    if (variance[2] > variance[p->axis])
        p->axis = 2;
    p->across = p->axis == 0 ? 1 : 0;
    if (variance[3 - p->axis - p->across] > variance[p->across])
        p->across = 3 - p->axis - p->across;
    sigma = NSC_SQRT(nsci_max(variance[p->across] / count, 0));
    strips = nsci_min(nsci_min(4 * sigma * count / size[p->across], NSC_R(0.25) * count),
                      (nsc_real)NSCI_MOST_STRIPS);
    p->low = sum[p->across] / count - 2 * sigma;
    p->scale = strips > 2 ? strips / (4 * sigma) : 0;
}

static int nsci_strip_at(const nsci_strips *p, nsc_real x)
{
    nsc_real strip = (x - p->low) * p->scale;
    nsc_real last = (nsc_real)(NSCI_MOST_STRIPS - 1);
    return !(strip > 0) ? 0 : strip < last ? (int)strip : NSCI_MOST_STRIPS - 1;
}

/* Does shape i come before j: strip by strip, in each along the axis? */
static int nsci_left_of(const nsc_world *w, int i, int j)
{
    const nsci_finding *f = &w->scratch.find;
    nsc_real x = f->boxes[i].min[f->strips.axis];
    nsc_real y = f->boxes[j].min[f->strips.axis];
    if (f->strips.strip[i] != f->strips.strip[j])
        return f->strips.strip[i] < f->strips.strip[j];
    return x < y || (x <= y && i < j);
}

/* Sort the sweep list. */
static void nsci_sort_strips(nsc_world *w, int n)
{
    nsci_finding *f = &w->scratch.find;
    nsci_strips *p = &f->strips;
    int i, k;
    for (i = 0; i < n; i++)
        p->strip[f->sweep[i]] =
            (uint8_t)nsci_strip_at(p, f->boxes[f->sweep[i]].min[p->across]);
    nsci_sort(w, nsci_left_of, f->sweep, n);
    for (i = k = 0; k < NSCI_MOST_STRIPS; k++) {
        p->reach[k] = 0;
        for (; i < n && p->strip[f->sweep[i]] == k; i++) {
            const nsci_aabb *box = &f->boxes[f->sweep[i]];
            p->reach[k] = nsci_max(p->reach[k], box->max[p->axis] - box->min[p->axis]);
        }
        p->end[k] = (uint16_t)i;
    }
}

/* Place in sweep of the first shape of strip k that may reach x along the axis */
static int nsci_first_in_strip(const nsci_finding *f, int k, nsc_real x)
{
    const nsci_strips *p = &f->strips;
    int lo = k > 0 ? p->end[k - 1] : 0;
    int hi = p->end[k];
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (x - f->boxes[f->sweep[middle]].min[p->axis] > p->reach[k])
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static void nsci_meet_boxes(nsc_world *w, int s, int t, nsc_real h);

/* Find the contacts of shape s, at place i of the sweep list, with the shapes of strip k; in its
   own strip only with those behind it in the list. */
static void nsci_meet_strip(nsc_world *w, int i, int k, nsc_real h)
{
    const nsci_finding *f = &w->scratch.find;
    const nsci_strips *p = &f->strips;
    int s = f->sweep[i];
    int j = k == p->strip[s] ? i + 1 : nsci_first_in_strip(f, k, f->boxes[s].min[p->axis]);
    for (; j < p->end[k]; j++) {
        int t = f->sweep[j];
        if (f->boxes[t].min[p->axis] > f->boxes[s].max[p->axis])
            break;
        if (f->active[s] || f->active[t])
            nsci_meet_boxes(w, s, t, h);
    }
}

static void nsci_meet_strips(nsc_world *w, int n, nsc_real h)
{
    const nsci_finding *f = &w->scratch.find;
    const nsci_strips *p = &f->strips;
    int i, k, last;
    nsci_plan_strips(w, n);
    nsci_sort_strips(w, n);
    for (i = 0; i < n; i++) {
        last = nsci_strip_at(p, f->boxes[f->sweep[i]].max[p->across]);
        for (k = p->strip[f->sweep[i]]; k <= last; k++)
            nsci_meet_strip(w, i, k, h);
    }
}

/* Sort contacts by the rank of their first or (second = 1) second shape: a stable counting sort. */
static void nsci_sort_by_rank(nsc_world *w, int second, const nsci_index *from, nsci_index *to)
{
    nsci_index *place = w->scratch.find.strips.begin;
    int i;
    for (i = 0; i < w->shape_end + 2; i++)
        place[i] = 0;
    for (i = 0; i < w->found_count; i++) {
        const nsc_contact *c = &w->found[i];
        place[1 + nsci_rank(second ? c->shape_b : c->shape_a)]++;
    }
    for (i = 1; i <= w->shape_end; i++)
        place[i] = (nsci_index)(place[i] + place[i - 1]);
    for (i = 0; i < w->found_count; i++) {
        const nsc_contact *c = &w->found[from[i]];
        to[place[nsci_rank(second ? c->shape_b : c->shape_a)]++] = from[i];
    }
}

/* Order the found contacts, which are in the order of found: those of the user come first. */
static void nsci_sort_many(nsc_world *w)
{
    nsci_finding *f = &w->scratch.find;
    int own = 0;
    nsci_sort_by_rank(w, 1, f->order, f->strips.by_rank);
    nsci_sort_by_rank(w, 0, f->strips.by_rank, f->order);
    while (own < w->found_count && w->found[f->order[own]].shape_a < 0)
        own++;
    nsci_sort(w, nsci_before, f->order, own);
}

#endif
