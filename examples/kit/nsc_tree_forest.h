/* nsc_tree_forest.h - which bodies hang on which, for the solver TREE
   MIT licence, at the end of nsc.h.
   nsc_tree.h includes it.
   Beside it: nsc_solvers.h.

   Of the blocks that hold bodies together some are chosen that make trees of these (Kruskal 1956):
   joints before single rows, and of equals the first.  What is left closes a loop.  The trees are
   numbered from their roots to the leaves, so that each branch is one stretch of numbers.  Rows of
   a block that its others nearly hold are found here too. */
#ifndef NSC_TREE_FOREST_H
#define NSC_TREE_FOREST_H

/* Has row i of a BOX no bounds? */
static int nsci_tree_is_free(const nsc_block *k, int i)
{
    return k->lo[i] <= -NSC_REAL_MAX && k->hi[i] >= NSC_REAL_MAX;
}

/* How strongly a block holds its bodies together: 2 a joint, 1 a single row such as a rod's or a
   gear's, 0 not */
static int nsci_tree_hold(const nsc_block *k)
{
    int i, hard = 0;
    if (k->kind > NSC_BLOCK_BOX || k->a == k->b || k->rho <= 0)
        return 0;
    if (k->kind == NSC_BLOCK_EQUALITY)
        return k->rows > 1 ? 2 : 1;
    for (i = 0; i < k->rows; i++)
        hard |= k->cfm[i] <= 0 && nsci_tree_is_free(k, i);
    return hard;
}

/* The representative of the body's set; immovable bodies are one set, the last. */
static int nsci_tree_set(const nsci_tree *t, nsc_real *set, int body)
{
    int i = t->place[body] < 0 ? t->p->body_count : body;
    while (nsci_int(set[i]) != i) {
        set[i] = set[nsci_int(set[i])];
        i = nsci_int(set[i]);
    }
    return i;
}

/* Work arrays while the trees are chosen */
typedef struct nsci_forest {
    nsc_real *set, *head, *above, *queue, *size; /* (bodies + 1) */
    nsc_real *next; /* (blocks x 2) of the lists of chosen blocks at a body */
    int end;        /* of the queue */
} nsci_forest;

/* Append a body below another. */
static void nsci_forest_push(nsci_forest *f, int body, int above)
{
    f->above[body] = (nsc_real)above;
    f->queue[f->end++] = (nsc_real)body;
}

/* Choose blocks that join sets of bodies, Kruskal's way. */
static void nsci_forest_choose(const nsci_tree *t, nsci_forest *f)
{
    const nsc_problem *p = t->p;
    const nsc_block *last = NULL; /* its bodies are in one set, and so are its joint's */
    int i, hold, own, end, weak = 0;
    for (i = 0; i <= p->body_count; i++) {
        f->set[i] = (nsc_real)i;
        f->head[i] = f->above[i] = -1;
        f->size[i] = 0;
    }
    for (hold = 2; hold > 0; hold -= 2 - weak)
        for (i = 0; i < p->block_count; i++) {
            const nsc_block *k = &p->blocks[i];
            int a, b;
            if (last && k->a == last->a && k->b == last->b)
                continue;
            own = nsci_tree_hold(k);
            weak |= own == 1;
            if (own != hold)
                continue;
            last = k;
            a = nsci_tree_set(t, f->set, k->a);
            b = nsci_tree_set(t, f->set, k->b);
            if (a == b)
                continue;
            f->set[a < b ? a : b] = (nsc_real)(a < b ? b : a);
            for (end = 0; end < 2; end++) {
                int body = end ? k->b : k->a;
                f->next[2 * i + end] = f->head[body];
                f->head[body] = (nsc_real)(2 * i + end);
                f->size[body] += 1;
            }
        }
}

/* Append all bodies below those in the queue from `from` on. */
static void nsci_forest_grow(const nsci_tree *t, nsci_forest *f, int from)
{
    for (; from < f->end; from++) {
        int body = nsci_int(f->queue[from]);
        int i = nsci_int(f->head[body]);
        for (; i >= 0; i = nsci_int(f->next[i])) {
            const nsc_block *k = &t->p->blocks[i / 2];
            int other = i % 2 ? k->a : k->b;
            if (other != nsci_int(f->above[body]) && t->place[other] >= 0)
                nsci_forest_push(f, other, body);
        }
    }
}

/* Queue all movable bodies, roots first: those that hang on immovable bodies, then those with three
   joints or more, then the first of each tree left. */
static void nsci_forest_root(const nsci_tree *t, nsci_forest *f)
{
    const nsc_problem *p = t->p;
    int i, least;
    f->end = 0;
    for (i = 0; i < p->body_count; i++)
        if (t->place[i] < 0) {
            int j = nsci_int(f->head[i]);
            for (; j >= 0; j = nsci_int(f->next[j]))
                nsci_forest_push(f, j % 2 ? p->blocks[j / 2].a : p->blocks[j / 2].b, i);
        }
    nsci_forest_grow(t, f, 0);
    for (i = 0; i < f->end; i++)
        f->set[nsci_int(f->queue[i])] = -1; /* set is no longer needed: it is queued */
    for (least = 3; least >= 0; least -= 3)
        for (i = 0; i < p->body_count; i++) {
            int from = f->end;
            if (t->place[i] < 0 || f->set[i] < 0 || nsci_int(f->size[i]) < least)
                continue;
            nsci_forest_push(f, i, -1);
            nsci_forest_grow(t, f, from);
            for (; from < f->end; from++)
                f->set[nsci_int(f->queue[from])] = -1;
        }
}

/* Number the links so that a tree, and each branch of it, is one stretch. */
static void nsci_forest_number(nsci_tree *t, nsci_forest *f)
{
    int i, end = 0;
    for (i = 0; i < f->end; i++)
        f->size[nsci_int(f->queue[i])] = 1;
    for (i = f->end - 1; i >= 0; i--) {
        int body = nsci_int(f->queue[i]);
        int above = nsci_int(f->above[body]);
        if (above >= 0)
            f->size[above] += f->size[body];
    }
    for (i = 0; i < f->end; i++) {
        int body = nsci_int(f->queue[i]);
        int above = nsci_int(f->above[body]);
        int hangs = above >= 0 && t->place[above] >= 0;
        int link = hangs ? nsci_int(f->head[above]) : end;
        if (hangs)
            f->head[above] += f->size[body];
        else
            end += nsci_int(f->size[body]);
        f->head[body] = (nsc_real)(link + 1); /* where the next below it goes */
        t->place[body] = (nsc_real)link;
        t->body[link] = (nsc_real)body;
        t->parent[link] = hangs ? t->place[above] : -1;
    }
}

/* Link of the joint that block k is part of: of its child; -1: none */
static int nsci_tree_joint(const nsci_tree *t, const nsci_forest *f, const nsc_block *k)
{
    if (k->kind > NSC_BLOCK_BOX || k->a == k->b)
        return -1;
    if (t->place[k->b] >= 0 && nsci_int(f->above[k->b]) == k->a)
        return nsci_int(t->place[k->b]);
    if (t->place[k->a] >= 0 && nsci_int(f->above[k->a]) == k->b)
        return nsci_int(t->place[k->a]);
    return -1;
}

/* The trees: bodies by link, and for each block the link whose joint it is part of.  0: no room */
static int nsci_forest_plant(nsci_tree *t)
{
    const nsc_problem *p = t->p;
    const nsc_block *last = NULL;
    nsci_forest f;
    int i, j, link = -1, n = p->body_count;
    f.set = nsci_tree_take(t, n + 1);
    f.head = nsci_tree_take(t, n + 1);
    f.above = nsci_tree_take(t, n + 1);
    f.queue = nsci_tree_take(t, n + 1);
    f.size = nsci_tree_take(t, n + 1);
    f.next = nsci_tree_take(t, 2L * p->block_count);
    if (!f.next)
        return 0;
    for (i = 0; i < n; i++)
        t->place[i] = nsci_is_immovable(&p->masses[i]) ? -1 : 0;
    nsci_forest_choose(t, &f);
    nsci_forest_root(t, &f);
    nsci_forest_number(t, &f);
    t->links = f.end;
    for (i = 0; i < t->links; i++) {
        const nsc_real *I = p->masses[nsci_int(t->body[i])].inv_inertia;
        t->size[i] = I[0] > 0 || I[1] > 0 || I[2] > 0 ? 6 : 3;
        t->edge[i] = -1;
    }
    for (i = p->block_count - 1; i >= 0; i--) {
        const nsc_block *k = &p->blocks[i];
        if (!last || k->kind > NSC_BLOCK_BOX || k->a != last->a || k->b != last->b)
            link = nsci_tree_joint(t, &f, k);
        last = k->kind > NSC_BLOCK_BOX ? NULL : k;
        t->follow[i] = -1;
        t->awake[i] = 0;
        for (j = 0; j < k->rows; j++) {
            t->owner[k->row + j] = (nsc_real)i;
            t->inside[k->row + j] = link < 0 ? -1 : 0;
        }
        if (link < 0)
            continue;
        t->follow[i] = t->edge[link];
        t->edge[link] = (nsc_real)i;
    }
    return 1;
}

/* ---- rows that others hold */

/* Rows of an EQUALITY that its other rows hold, all but for a small part of their size G, get no
   effective mass.  Those with the largest parts are kept. */
static void nsci_tree_depend(nsci_tree *t, nsc_block *k, const nsc_real *G)
{
    nsc_real A[3][3], *own = k->delassus;
    int i, j, c, n, done[3] = {0, 0, 0};
    for (i = 0; i < 3; i++)
        for (j = i; j < 3; j++)
            A[i][j] = A[j][i] = own[nsci_packed(i, j)];
    for (n = 0; n < k->rows; n++) {
        c = -1;
        for (i = 0; i < k->rows; i++)
            if (!done[i] && (c < 0 || A[i][i] > A[c][c]))
                c = i;
        done[c] = 1;
        if (own[nsci_packed(c, c)] <= 0)
            continue;
        t->weak |= A[c][c] <= NSCI_TREE_WEAK * G[nsci_packed(c, c)];
        if (A[c][c] <= t->held * G[nsci_packed(c, c)]) {
            for (j = 0; j < 3; j++)
                own[j < c ? nsci_packed(j, c) : nsci_packed(c, j)] = 0;
            continue;
        }
        for (i = 0; i < 3; i++)
            for (j = 0; j < 3 && !done[i]; j++)
                if (!done[j])
                    A[i][j] -= A[i][c] * A[c][j] / A[c][c];
    }
}

#endif
