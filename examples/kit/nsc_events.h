/* nsc_events.h - touches that begin and end; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MAX_EVENTS, how many a step can tell of.
   Beside it: nsc.h.
   After a step nsc_world_event gives the pairs of shapes that began or ceased to touch in it.  Those
   without room are counted in report.dropped_events.  20 bytes an event. */
#ifndef NSC_EVENTS_H
#define NSC_EVENTS_H

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static const nsc_event *nsci_events(const nsc_world *w);
static void nsci_find_events(nsc_world *w);

#elif defined(NSCI_CODE) /* and again */

static const nsc_event *nsci_events(const nsc_world *w) { return w->events; }

/* Does any contact of the pair that begins at i in the old (step = 0) or new list touch?  *end:
   index behind the pair */
static int nsci_pair_touches(nsc_world *w, int step, int i, int *end)
{
    int count = step ? w->found_count : w->contact_count;
    int touches = 0;
    const nsc_contact *first = NULL;
    for (; i < count; i++) {
        const nsc_contact *c = step ? nsci_found(w, i) : &w->contacts[i];
        if (!first)
            first = c;
        else if (!nsci_same_pair(c, first))
            break;
        touches |= c->touching;
    }
    *end = i;
    return touches;
}

static void nsci_add_event(nsc_world *w, const nsc_contact *c, int kind)
{
    nsc_event *e = &w->events[w->event_count];
    if (w->event_count >= NSC_MAX_EVENTS) {
        w->report.dropped_events++;
        return;
    }
    w->event_count++;
    e->shape_a = c->shape_a;
    e->shape_b = c->shape_b;
    e->body_a = c->body_a;
    e->body_b = c->body_b;
    e->kind = kind;
}

/* Both lists are sorted by pair, so one walk finds which pairs begin and cease to touch. */
NSCI_OWN_FRAME void nsci_find_events(nsc_world *w)
{
    int old = 0, fresh = 0, old_end = 0, fresh_end = 0;
    w->event_count = 0;
    while (old < w->contact_count || fresh < w->found_count) {
        const nsc_contact *a = old < w->contact_count ? &w->contacts[old] : NULL;
        const nsc_contact *b = fresh < w->found_count ? nsci_found(w, fresh) : NULL;
        int order = !a ? 1 : !b ? -1 : nsci_pair_order(a, b);
        int before = order <= 0 && nsci_pair_touches(w, 0, old, &old_end);
        int now = order >= 0 && nsci_pair_touches(w, 1, fresh, &fresh_end);
        if (now && !before)
            nsci_add_event(w, b, NSC_TOUCH_BEGIN);
        if (before && !now)
            nsci_add_event(w, a, NSC_TOUCH_END);
        if (order <= 0)
            old = old_end;
        if (order >= 0)
            fresh = fresh_end;
    }
}

#endif
