/* nsc_mesh.h - triangle meshes in flash; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_MESHES 1.
   Beside it: nsc.h, nsc_terrain.h, nsc_convex.h, nsc_support.h. */
#ifndef NSC_MESH_H
#define NSC_MESH_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MESHES 1 before nsc.h, which then includes nsc_mesh.h"
#endif

/* With NSC_MESHES: triangle mesh in the frame of its shape: const tables, which
   examples/kit/mesh.py prints of an OBJ or STL file.  The world reads them where they are and
   copies nothing: no RAM a triangle, 12 bytes of flash for it and about 20 for its share of
   vertices and nodes.  (On AVR const is in RAM.)  Coordinates are float in every build.
       triangle   One-sided: its corners are counter-clockwise seen from the outside, on which
                  shapes are held and rays are seen.  Where a shape leans out over an edge or a
                  corner, it is pushed only if the surface beyond falls away from it, so that no
                  shape catches on an inner edge of level ground or of a hollow.
       node       Tree of boxes in the order of a walk: a node, then all that stand below it.  A
                  walk goes to the next node, or past all below to `skip`: no stack, no recursion.
                  Triangles stand in the order of the leaves. */
enum { NSC_MESH_OPEN = 65535 };
typedef struct nsc_mesh_vertex { float x, y, z; } nsc_mesh_vertex; /* [m] */
typedef struct nsc_mesh_triangle {
    uint16_t corner[3];          /* indices of vertices */
    uint16_t beyond[3];          /* index of the triangle across the edge from corner k to the next;
                                    NSC_MESH_OPEN: none */
} nsc_mesh_triangle;
typedef struct nsc_mesh_node {
    float low[3], high[3];       /* box around all triangles below, x y z [m] */
    uint16_t skip;               /* node after all that stand below; of a leaf the next one */
    uint16_t first, count;       /* a leaf's triangles; count 0: no leaf */
    uint16_t unused;
} nsc_mesh_node;
typedef struct nsc_mesh {
    const nsc_mesh_vertex *vertex;
    const nsc_mesh_triangle *triangle;
    const nsc_mesh_node *node;
    int32_t vertices, triangles, nodes; /* how many: from 3, 1, 1; at most 65535 */
} nsc_mesh;

NSC_API nsc_shape_def nsc_default_mesh_def(void); /* for nsc_world_add_mesh */

/* Give the world your table of meshes, `count` pointers.  Table and meshes are read in every step:
   they must stay, and stay as they are, so make them const, in flash.  They are checked here alone,
   so that no step can read out of bounds or hang.  Call it once after nsc_world_init, which forgets
   the table; nsc_world_load (nsc_image.h) and a snapshot keep it.  Another table may take its place
   if it holds a mesh for every shape; bodies that sleep stay asleep.  Returns 0,
   NSC_ERR_NOT_FINITE (a vertex), or NSC_ERR_ARGUMENT: NULL, a count, index or number out of
   range, corners on a line (to 1e-5 of the longest edge), a triangle whose size^4 overflows,
   `beyond` that is not mutual, a box that is not finite or does not hold all triangles and boxes
   below, nodes that are not in the order of the walk.  Cost: triangles + nodes. */
NSC_API int nsc_world_set_meshes(nsc_world *world, const nsc_mesh *const *meshes, int count);

/* Make mesh `index` of the table a shape.  The body must not be dynamic.  Errors as
   nsc_world_add_shape; NSC_ERR_ARGUMENT also where the table has no such mesh.  Any number of
   shapes may have the same one.  The world, its images and its hash hold the index: an image that
   names a mesh that the table of the world to be loaded does not have is refused.
   A triangle holds what is in front of it and pushes out, along its normal, what has sunk in; what
   lies wholly behind its plane is left alone, so a mesh may be a thin plate, and what has fallen
   behind the surface, or was put there, falls on.  Contacts per pair of shapes: four for each
   direction of the normal, sixteen in all, the deepest.  nsc_world_cast_ray, _overlap and _closest
   see the front of triangles alone.  Cost in a step: nodes near the shape, and for each triangle
   that its box meets what a pair of hulls costs. */
NSC_API nsc_id nsc_world_add_mesh(nsc_world *world, nsc_id body, const nsc_shape_def *def,
                                  int index);

/* Mesh of a shape */
#define NSCI_MESH_OF(g) ((const nsc_mesh *)(g)->data)

/* Rules of definitions, reasons for refusals (>>checks in nsc.h) */
#define NSCI_MESH_REASONS(R) \
    R(NSCI_NO_MESH, "mesh", \
      "index of a mesh in the table of nsc_world_set_meshes; the value is what was asked for") \
    R(NSCI_BAD_MESH, "nsc_mesh", \
      "3..65535 vertices, 1..65535 triangles and nodes; the value is its index in the table") \
    R(NSCI_BAD_VERTEX, "nsc_mesh.vertex", "finite; the value is the index") \
    R(NSCI_BAD_TRIANGLE, "nsc_mesh_triangle.corner", \
      "below vertices, not on a line, size^4 finite; the value is the triangle") \
    R(NSCI_BAD_BEYOND, "nsc_mesh_triangle.beyond", \
      "NSC_MESH_OPEN, or a triangle that has this edge the other way round and names this " \
      "triangle; the value is the triangle") \
    R(NSCI_BAD_NODE, "nsc_mesh.node", \
      "box around all below, in the order of the walk; the value is the index")

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static int nsci_bound_mesh(const nsci_geom *g, nsc_real half[3], nsc_vec3 *centre);

#elif defined(NSCI_CODE) /* and again */

/* ---- what the core asks about meshes */

static int nsci_bound_mesh(const nsci_geom *g, nsc_real half[3], nsc_vec3 *centre)
{
    const nsc_mesh_node *n;
    nsc_real at[3];
    int k;
    if (g->kind != NSC_SHAPE_MESH)
        return 0;
    n = NSCI_MESH_OF(g)->node;
    for (k = 0; k < 3; k++) {
        at[k] = NSC_R(0.5) * ((nsc_real)n->low[k] + (nsc_real)n->high[k]);
        half[k] = NSC_R(0.5) * ((nsc_real)n->high[k] - (nsc_real)n->low[k]);
    }
    *centre = nsci_local_point(g, at);
    return 1;
}

/* ---- meshes of the caller */

NSC_API nsc_shape_def nsc_default_mesh_def(void)
{
    return nsci_shape_def(NSC_SHAPE_MESH, 0, 0, 0, 0);
}

/* Vertex of a mesh, from `origin` [m] */
static nsc_vec3 nsci_mesh_vertex(const nsc_mesh *m, int32_t i, nsc_vec3 origin)
{
    const nsc_mesh_vertex *v = &m->vertex[i];
    return nsci_vec((nsc_real)v->x - origin.x, (nsc_real)v->y - origin.y,
                    (nsc_real)v->z - origin.z);
}

/* Check the corners of a triangle: in range, and not on a line. */
static int nsci_check_corners(const nsc_mesh *m, const nsc_mesh_triangle *t)
{
    nsc_vec3 p[3], e, n;
    nsc_real most = 0, area;
    int k;
    for (k = 0; k < 3; k++) {
        if (t->corner[k] >= m->vertices)
            return 0;
        p[k] = nsci_mesh_vertex(m, t->corner[k], nsci_vec(0, 0, 0));
    }
    for (k = 0; k < 3; k++) {
        e = nsci_sub(p[(k + 1) % 3], p[k]);
        most = nsci_max(most, nsci_dot3(e, e));
    }
    n = nsci_cross(nsci_sub(p[1], p[0]), nsci_sub(p[2], p[0]));
    area = nsci_norm(n);
    return nsci_finite(most * most) && area > NSC_R(1e-5) * most && area > NSC_R(1e-18);
}

/* Index of the corner where the edge from vertex `from` to vertex `to` begins, or -1 */
static int nsci_edge_of(const nsc_mesh_triangle *t, uint16_t from, uint16_t to)
{
    int k;
    for (k = 0; k < 3; k++)
        if (t->corner[k] == from && t->corner[(k + 1) % 3] == to)
            return k;
    return -1;
}

/* Check that the triangles beyond the edges of triangle i have them the other way round and name
   it. */
static int nsci_check_beyond(const nsc_mesh *m, int32_t i)
{
    const nsc_mesh_triangle *t = &m->triangle[i];
    const nsc_mesh_triangle *u;
    int k, e;
    for (k = 0; k < 3; k++) {
        if (t->beyond[k] == NSC_MESH_OPEN)
            continue;
        if (t->beyond[k] >= m->triangles)
            return 0;
        u = &m->triangle[t->beyond[k]];
        e = nsci_edge_of(u, t->corner[(k + 1) % 3], t->corner[k]);
        if (e < 0 || u->beyond[e] != i)
            return 0;
    }
    return 1;
}

/* Does the box of the node contain the box from low to high? */
static int nsci_node_holds(const nsc_mesh_node *n, const float *low, const float *high)
{
    int k, in = 1;
    for (k = 0; k < 3; k++)
        in &= n->low[k] <= low[k] && high[k] <= n->high[k];
    return in;
}

/* Check node i.  done: number of triangles in the leaves so far */
static int nsci_check_node(const nsc_mesh *m, int32_t i, int32_t *done)
{
    const nsc_mesh_node *n = &m->node[i];
    float at[3];
    int32_t c;
    if (n->skip <= i || n->skip > m->nodes || (i == 0 && n->skip < m->nodes))
        return 0;
    for (c = 0; c < 3; c++)
        if (!nsci_finite((nsc_real)n->low[c]) || !nsci_finite((nsc_real)n->high[c]))
            return 0;
    for (c = i + 1; c < n->skip; c = m->node[c].skip)
        if (m->node[c].skip <= c || m->node[c].skip > n->skip ||
            !nsci_node_holds(n, m->node[c].low, m->node[c].high))
            return 0;
    if (n->count == 0)
        return n->skip > i + 1;
    if (n->skip > i + 1 || n->first != *done || n->count > m->triangles - *done)
        return 0;
    for (; *done < (int32_t)n->first + n->count; ++*done)
        for (c = 0; c < 3; c++) {
            const nsc_mesh_vertex *v = &m->vertex[m->triangle[*done].corner[c]];
            at[0] = v->x;
            at[1] = v->y;
            at[2] = v->z;
            if (!nsci_node_holds(n, at, at))
                return 0;
        }
    return 1;
}

static int nsci_check_mesh(nsci_why *note, const nsc_mesh *m, int index)
{
    int32_t i, done = 0;
    if (!m || !m->vertex || !m->triangle || !m->node)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_NO_POINTER, (nsc_real)index);
    if (m->vertices < 3 || m->vertices > 65535 || m->triangles < 1 || m->triangles > 65535 ||
        m->nodes < 1 || m->nodes > 65535)
        return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_MESH, (nsc_real)index);
    for (i = 0; i < m->vertices; i++)
        if (!nsci_vec_finite(nsci_mesh_vertex(m, i, nsci_vec(0, 0, 0))))
            return nsci_refused(note, NSC_ERR_NOT_FINITE, NSCI_BAD_VERTEX, (nsc_real)i);
    for (i = 0; i < m->triangles; i++)
        if (!nsci_check_corners(m, &m->triangle[i]))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_TRIANGLE, (nsc_real)i);
    for (i = 0; i < m->triangles; i++)
        if (!nsci_check_beyond(m, i))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_BEYOND, (nsc_real)i);
    for (i = 0; i < m->nodes; i++)
        if (!nsci_check_node(m, i, &done))
            return nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_NODE, (nsc_real)i);
    return done == m->triangles
               ? NSC_OK
               : nsci_refused(note, NSC_ERR_ARGUMENT, NSCI_BAD_NODE, (nsc_real)done);
}

NSC_API int nsc_world_set_meshes(nsc_world *w, const nsc_mesh *const *meshes, int count)
{
    int i;
    int code = nsci_check_table(w, meshes != NULL, count, NSC_SHAPE_MESH, NSCI_NO_MESH);
    for (i = 0; i < count && code == NSC_OK; i++)
        code = nsci_check_mesh(&w->note, meshes[i], i);
    if (code < 0)
        return code;
    w->meshes = meshes;
    w->mesh_count = count;
    return NSC_OK;
}

NSC_API nsc_id nsc_world_add_mesh(nsc_world *w, nsc_id body, const nsc_shape_def *def, int index)
{
    return nsci_add_named(w, body, def, NSC_SHAPE_MESH, index, w ? w->mesh_count : 0,
                          NSCI_NO_MESH);
}

/* Is this corner at least as far along m as the other ends of all edges that meet there?  The walk
   goes from triangle to triangle about it, one way round and then, from a border, the other. */
static int nsci_tops_mesh(const nsci_facet *f, int k, nsc_vec3 m)
{
    const nsc_mesh *mesh = NSCI_MESH_OF(&f->t);
    uint16_t corner = f->own->corner[k];
    nsc_vec3 at = nsci_mesh_vertex(mesh, corner, nsci_vec(0, 0, 0));
    nsc_vec3 e;
    int way;
    for (way = 0; way < 2; way++) {
        const nsc_mesh_triangle *t = f->own;
        int i = k;
        do {
            int next = t->beyond[way ? (i + 2) % 3 : i];
            e = nsci_mesh_vertex(mesh, t->corner[(i + 1 + way) % 3], at);
            if (nsci_dot3(m, e) > NSC_R(1e-3) * nsci_norm(e))
                return 0;
            if (next == NSC_MESH_OPEN)
                break;
            t = &mesh->triangle[next];
            for (i = 0; i < 2 && t->corner[i] != corner; i++) {
            }
        } while (t != f->own);
        if (t == f->own && way == 0 && f->own->beyond[k] != NSC_MESH_OPEN)
            return 1;
    }
    return 1;
}

/* The corner of triangle t that is on neither end of the edge from `from` to `to` */
static uint16_t nsci_apex_of(const nsc_mesh_triangle *t, uint16_t from, uint16_t to)
{
    return t->corner[(nsci_edge_of(t, from, to) + 2) % 3];
}

static void nsci_mesh_triangle(const nsc_mesh *m, int32_t i, nsc_vec3 origin, nsci_facet *f)
{
    const nsc_mesh_triangle *t = &m->triangle[i];
    int k;
    for (k = 0; k < 3; k++) {
        f->p[k] = nsci_mesh_vertex(m, t->corner[k], origin);
        f->open[k] = t->beyond[k] == NSC_MESH_OPEN;
        if (!f->open[k])
            f->apex[k] = nsci_mesh_vertex(m, nsci_apex_of(&m->triangle[t->beyond[k]],
                                                          t->corner[(k + 1) % 3], t->corner[k]),
                                          origin);
    }
    f->drops = 0;
    f->own = t;
    f->number = (uint32_t)i;
    nsci_make_triangle(f);
    f->t.data = m;
}

/* Walk over the triangles whose nodes a box may meet on its way. */
typedef struct nsci_mesh_walk {
    const nsc_mesh *mesh;
    nsc_vec3 origin;             /* of the box's coordinates, in the mesh's frame [m] */
    nsci_aabb box;
    nsc_vec3 way;
    nsc_real end;                /* the box moves by `way` times 0..end */
    nsc_real slack;              /* relative error of `end` and of the coordinates */
    int32_t node, next, last;    /* next node; triangles of the present one */
} nsci_mesh_walk;

static nsci_mesh_walk nsci_walk_mesh(const nsc_mesh *m, nsc_vec3 origin)
{
    nsci_mesh_walk x;
    NSC_MEMSET(&x, 0, sizeof x);
    x.mesh = m;
    x.origin = origin;
    return x;
}

static int nsci_walk_meets(const nsci_mesh_walk *x, const nsc_mesh_node *n)
{
    nsci_aabb other;
    nsc_real p[3], v[3];
    int k;
    nsci_put_vec(p, x->origin);
    nsci_put_vec(v, x->way);
    for (k = 0; k < 3; k++) {
        nsc_real low = (nsc_real)n->low[k];
        nsc_real high = (nsc_real)n->high[k];
        nsc_real more =
            x->slack * (nsci_abs(low) + nsci_abs(high) + nsci_abs(p[k]) + nsci_abs(v[k]));
        other.min[k] = low - more - p[k];
        other.max[k] = high + more - p[k];
    }
    return nsci_way_meets(&x->box, &other, x->way, x->end, x->slack);
}

/* Make f the next triangle; returns its number, -1 after the last. */
static int32_t nsci_next_facet(nsci_mesh_walk *x, nsci_facet *f)
{
    while (x->next >= x->last) {
        const nsc_mesh_node *node = &x->mesh->node[x->node];
        int met;
        if (x->node >= x->mesh->nodes)
            return -1;
        met = nsci_walk_meets(x, node);
        x->next = node->first;
        x->last = met ? x->next + node->count : 0;
        x->node = met ? x->node + 1 : node->skip;
    }
    nsci_mesh_triangle(x->mesh, x->next, x->origin, f);
    return x->next++;
}

/* Is the shape's middle behind the triangle, within its prism?  p: its corners, relative to the
   middle */
static int nsci_behind(const nsci_geom *t, const nsc_vec3 *p)
{
    nsc_vec3 normal = nsci_face_normal(t, 0);
    int k, in = 1;
    for (k = 0; k < 3; k++)
        in &= nsci_dot3(nsci_cross(p[k], p[(k + 1) % 3]), normal) >= 0;
    return in && nsci_dot3(p[0], normal) > 0;
}

/* Does the box meet the box from low to high? */
static int nsci_box_meets(const nsci_aabb *box, nsc_vec3 low, nsc_vec3 high)
{
    return low.x <= box->max[0] && high.x >= box->min[0] && low.y <= box->max[1] &&
           high.y >= box->min[1] && low.z <= box->max[2] && high.z >= box->min[2];
}

static int nsci_facet_meets(const nsci_facet *f, const nsci_aabb *box)
{
    const nsc_vec3 *p = f->p;
    nsc_vec3 low = nsci_vec(nsci_min(p[0].x, nsci_min(p[1].x, p[2].x)),
                            nsci_min(p[0].y, nsci_min(p[1].y, p[2].y)),
                            nsci_min(p[0].z, nsci_min(p[1].z, p[2].z)));
    nsc_vec3 high = nsci_vec(nsci_max(p[0].x, nsci_max(p[1].x, p[2].x)),
                             nsci_max(p[0].y, nsci_max(p[1].y, p[2].y)),
                             nsci_max(p[0].z, nsci_max(p[1].z, p[2].z)));
    return nsci_box_meets(box, low, high);
}

/* Contacts of shape a, in the mesh's frame, with the triangles that its box meets */
static int nsci_mesh_contacts(nsc_world *w, const nsci_geom *a, const nsci_geom *b,
                              const nsci_aabb *box, nsc_vec3 origin, nsc_real distance)
{
    nsci_facet f;
    int32_t k;
    int n = 0;
    nsci_begin_passes(&f);
    for (; nsci_needs_pass(&f); f.last++) {
        nsci_mesh_walk x = nsci_walk_mesh(NSCI_MESH_OF(b), origin);
        x.box = *box;
        for (k = nsci_next_facet(&x, &f); k >= 0; k = nsci_next_facet(&x, &f))
            if (nsci_facet_meets(&f, box)) {
                f.under = nsci_behind(&f.t, f.p);
                n = nsci_facet_contacts(w, a, &f, distance, n);
            }
    }
    return n;
}

#endif
