/* Hulls and height fields for tests.  world_add_hull, world_add_points and world_add_field keep a copy of what they are given in a table of the test's own, hand the table to the
   world and make the entry a shape.  A world that nsc_world_init made anew begins with an empty table; a copy of a world goes on with that of the
   original. */
#ifndef TEST_SHAPES_H
#define TEST_SHAPES_H

#ifndef TEST_TABLE
#define TEST_TABLE 64                   /* entries of a world's table */
#endif
#ifndef TEST_SAMPLES
#define TEST_SAMPLES 8192               /* heights of all fields of a world */
#endif
enum { TEST_WORLDS = 6 };

/* The first entry of a table that no shape of this kind has */
static NSC_MAYBE_UNUSED int test_free_entry(const nsc_world *w, int kind)
{
    int i, k, taken;
    for (i = 0, taken = 1; taken; i++)
        for (k = 0, taken = 0; k < w->shape_end; k++)
            taken |= w->shapes[k].generation % 2 && w->shapes[k].def.kind == kind && w->shapes[k].data == i;
    return i - 1;
}

#if NSC_HULL_VERTICES > 0
typedef struct test_hull_table {
    const nsc_world *world;
    const nsc_hull *list[TEST_TABLE];
    nsc_hull own[TEST_TABLE];
} test_hull_table;

static test_hull_table *test_hull_table_of(const nsc_world *w)
{
    static test_hull_table all[TEST_WORLDS];
    static int next;
    test_hull_table *t;
    int i;
    for (i = 0; i < TEST_WORLDS; i++)
        if (all[i].world == w) return &all[i];
    t = &all[next++ % TEST_WORLDS];
    t->world = w;
    return t;
}

static int test_same_hull(const nsc_hull *a, const nsc_hull *b)
{
    return a->vertices == b->vertices && a->faces == b->faces && memcmp(a->first, b->first, sizeof a->first) == 0 &&
           memcmp(a->corner, b->corner, sizeof a->corner) == 0 && memcmp(a->vertex, b->vertex, sizeof a->vertex) == 0;
}

static NSC_MAYBE_UNUSED nsc_id world_add_hull(nsc_world *w, nsc_id body, const nsc_shape_def *def, const nsc_hull *hull)
{
    test_hull_table *t;
    const nsc_hull *const *old = w ? w->hulls : NULL;
    int i, n, code, count = w ? w->hull_count : 0;
    if (!w || !hull) return nsc_world_set_hulls(w, NULL, 1);
    t = test_hull_table_of(w);
    for (i = 0; i < w->hull_count && w->hulls != t->list; i++) t->list[i] = w->hulls[i];
    for (i = 0; i < w->hull_count; i++)
        if (test_same_hull(t->list[i], hull)) return nsc_world_add_hull(w, body, def, i);
    n = test_free_entry(w, NSC_SHAPE_HULL);
    if (n >= TEST_TABLE) return NSC_ERR_CAPACITY;
    t->own[n] = *hull;
    t->list[n] = &t->own[n];
    nsc_hull_complete(&t->own[n]);
    code = nsc_world_set_hulls(w, t->list, n < count ? count : n + 1);
    if (code == NSC_OK) code = nsc_world_add_hull(w, body, def, n);
    if (code < 0) w->hulls = old, w->hull_count = count;
    return code;
}
#endif

#ifdef NSC_KIT_HULL_H
static NSC_MAYBE_UNUSED nsc_id world_add_points(nsc_world *w, nsc_id body, const nsc_shape_def *def, const nsc_vec3 *points, int count)
{
    nsc_hull hull;
    int code = nsc_hull_from_points(&hull, points, count, NSC_HULL_VERTICES, NULL);
    return code < 0 ? code : world_add_hull(w, body, def, &hull);
}
#endif

#if NSC_TERRAIN
typedef struct test_field_table {
    const nsc_world *world;
    const nsc_heights *list[TEST_TABLE];
    nsc_heights own[TEST_TABLE];
    nsc_real samples[TEST_SAMPLES];
} test_field_table;

static test_field_table *test_field_table_of(const nsc_world *w)
{
    static test_field_table all[TEST_WORLDS];
    static int next;
    test_field_table *t;
    int i;
    for (i = 0; i < TEST_WORLDS; i++)
        if (all[i].world == w) return &all[i];
    t = &all[next++ % TEST_WORLDS];
    t->world = w;
    return t;
}

static NSC_MAYBE_UNUSED nsc_id world_add_field(nsc_world *w, nsc_id body, const nsc_shape_def *def, const nsc_real *heights, int nx, int ny, nsc_real dx,
                                               nsc_real dy)
{
    test_field_table *t;
    nsc_heights *f;
    const nsc_heights *const *old = w ? w->fields : NULL;
    int i, n, code, old_count = w ? w->field_count : 0;
    long used = 0, count = (long)nx * ny;
    if (!w) return NSC_ERR_ARGUMENT;
    t = test_field_table_of(w);
    n = test_free_entry(w, NSC_SHAPE_HEIGHT_FIELD);
    for (i = 0; i < w->field_count && w->fields != t->list; i++) t->list[i] = w->fields[i];
    for (i = 0; i < n; i++) used += (long)t->list[i]->nx * t->list[i]->ny;
    if (n >= TEST_TABLE || nx < 0 || ny < 0 || nx > 65535 || ny > 65535 || used + count > TEST_SAMPLES) return NSC_ERR_CAPACITY;
    f = &t->own[n];
    f->height = heights ? t->samples + used : NULL;
    f->nx = (uint16_t)nx;
    f->ny = (uint16_t)ny;
    f->dx = dx;
    f->dy = dy;
    f->low = f->high = 0;
    if (heights) memcpy(t->samples + used, heights, (size_t)count * sizeof *heights);
    nsc_heights_complete(f);
    t->list[n] = f;
    code = nsc_world_set_fields(w, t->list, n + 1);
    if (code == NSC_OK) code = nsc_world_add_height_field(w, body, def, n);
    if (code < 0) w->fields = old, w->field_count = old_count;
    return code;
}
#endif

/* Give a world the tables of another, as a program does before it loads an image. */
static NSC_MAYBE_UNUSED void share_tables(nsc_world *to, const nsc_world *from)
{
    (void)to, (void)from;
#if NSC_HULL_VERTICES > 0
    nsc_world_set_hulls(to, from->hulls, from->hull_count);
#endif
#if NSC_TERRAIN
    nsc_world_set_fields(to, from->fields, from->field_count);
#endif
#if NSC_MESHES
    nsc_world_set_meshes(to, from->meshes, from->mesh_count);
#endif
}
#endif
