/* items.h - random shapes of every kind, slender and flat ones too, in a small world of one body, and the same as solids */
#ifndef NSC_TEST_ITEMS_H
#define NSC_TEST_ITEMS_H
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_hull.h"
#include "shapes.h"
#include "solids.h"

enum { ITEM_SPHERE, ITEM_CAPSULE, ITEM_CYLINDER, ITEM_BOX, ITEM_HULL, ITEM_CONVEX, ITEM_HALF_SPACE = ITEM_CONVEX, ITEM_MESH, ITEM_FIELD,
       ITEM_KINDS, ITEM_GRID = 8 };
static const char *const item_name[ITEM_KINDS] = {"sphere", "capsule", "cylinder", "box", "hull", "half-space", "mesh", "field"};

typedef struct item {
    int kind;
    double size; /* its largest half extent [m], or so */
    nsc_shape_def def;
    nsc_vec3 point[12]; /* of a hull */
    int points;
    nsc_hull hull;
    solid solid; /* where its definition says; of a plane or field a box up to its highest point */
} item;

typedef struct item_table {
    nsc_mesh_vertex v[8];
    nsc_mesh_triangle t[12];
    nsc_mesh_node n[1];
    nsc_mesh mesh;
} item_table;

static item_table item_mesh;
static const nsc_mesh *item_meshes[1] = {&item_mesh.mesh};
static nsc_real item_height[ITEM_GRID * ITEM_GRID];
static nsc_id items_body;

/* Half extents: the largest is `size`, the others smaller by up to 10^aspect */
SHARED d3 item_half(double size, double aspect)
{
    double h[3];
    int i, most = below(3), alike = below(3);
    for (i = 0; i < 3; i++) h[i] = size * (i == most ? 1 : pow(10, -uniform(0, aspect)));
    if (alike == 0) h[(most + 1) % 3] = h[(most + 2) % 3];
    if (alike == 1) h[(most + 1) % 3] = size;
    return d3_of(h[0], h[1], h[2]);
}

/* The corners of a box, a prism, or points on an ellipsoid */
SHARED void item_points(item *it, d3 h)
{
    int style = below(3), i;
    it->points = style == 0 ? 8 : style == 1 ? 12 : 4 + below(9);
    for (i = 0; i < it->points; i++) {
        d3 p = any_direction();
        double angle = (i / 2) * 1.0471975511965976;
        if (style == 0) p = d3_of(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        if (style == 1) p = d3_of(cos(angle), sin(angle), i & 1 ? 1 : -1);
        it->point[i] = vec(h.x * p.x, h.y * p.y, h.z * p.z);
    }
}

SHARED void make_item(item *it, int kind, double aspect, double size)
{
    d3 h = item_half(size, aspect);
    memset(it, 0, sizeof *it);
    it->kind = kind, it->size = size;
    if (kind == ITEM_SPHERE) it->def = nsc_default_sphere_def(REAL(size));
    if (kind == ITEM_CAPSULE) it->def = nsc_default_capsule_def(REAL(h.x), REAL(h.z));
    if (kind == ITEM_CYLINDER) it->def = nsc_default_cylinder_def(REAL(h.x), REAL(h.z));
    if (kind == ITEM_BOX || kind == ITEM_MESH) it->def = nsc_default_box_def(REAL(h.x), REAL(h.y), REAL(h.z));
    if (kind == ITEM_HULL) it->def = nsc_default_hull_def(), item_points(it, h);
    if (kind == ITEM_HALF_SPACE) it->def = nsc_default_half_space_def();
    if (kind == ITEM_FIELD) it->def = nsc_default_height_field_def();
}

/* Without gravity, one dynamic body at 0 */
SHARED int begin_items(double margin)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_body_def b = nsc_default_body_def();
    d.gravity = vec(0, 0, 0);
    d.margin = REAL(margin);
    d.slop = REAL(D(d.slop) < margin ? D(d.slop) : margin);
    d.keep_manifolds = 0;
    CHECK_ONCE(nsc_world_init(&world, &d) == NSC_OK);
    items_body = nsc_world_add_body(&world, &b);
    return items_body > 0;
}

SHARED nsc_id place_mesh(const item *it)
{
    static const unsigned char face[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2},
                                              {1, 3, 7}, {1, 7, 5}};
    item_table *m = &item_mesh;
    nsc_shape_def d = nsc_default_mesh_def();
    nsc_vec3 h = it->def.half;
    int i, j, k, e;
    d.pose = it->def.pose;
    memset(m, 0, sizeof *m);
    for (i = 0; i < 8; i++) {
        m->v[i].x = (float)(i & 1 ? h.x : -h.x), m->v[i].y = (float)(i & 2 ? h.y : -h.y), m->v[i].z = (float)(i & 4 ? h.z : -h.z);
    }
    for (i = 0; i < 12; i++)
        for (k = 0; k < 3; k++) m->t[i].corner[k] = face[i][k];
    for (i = 0; i < 12; i++)
        for (k = 0; k < 3; k++)
            for (m->t[i].beyond[k] = NSC_MESH_OPEN, j = 0; j < 12; j++)
                for (e = 0; e < 3; e++)
                    if (face[j][e] == face[i][(k + 1) % 3] && face[j][(e + 1) % 3] == face[i][k]) m->t[i].beyond[k] = (uint16_t)j;
    m->mesh.vertices = 8, m->mesh.triangles = 12, m->mesh.nodes = 1;
    m->mesh.vertex = m->v, m->mesh.triangle = m->t, m->mesh.node = m->n;
    for (k = 0; k < 3; k++) m->n[0].low[k] = k == 0 ? m->v[0].x : k == 1 ? m->v[0].y : m->v[0].z, m->n[0].high[k] = -m->n[0].low[k];
    m->n[0].count = 12, m->n[0].skip = 1;
    CHECK_ONCE(nsc_world_set_meshes(&world, item_meshes, 1) == NSC_OK);
    return nsc_world_add_mesh(&world, NSC_GROUND, &d, 0);
}

/* The solid of the definition.  Returns 0 if no hull can be made of the points. */
SHARED int item_solid(item *it)
{
    const nsc_shape_def *d = &it->def;
    double r = D(d->radius), h = D(d->half.z);
    solid_frame(&it->solid, d->pose.position, d->pose.orientation);
    if (it->kind == ITEM_HULL) {
        if (it->hull.faces == 0 && nsc_hull_from_points(&it->hull, it->point, it->points, 12, NULL) < 0) return 0;
        solid_hull(&it->solid, &it->hull);
    }
    if (it->kind <= ITEM_CAPSULE) solid_round(&it->solid, r, it->kind == ITEM_CAPSULE ? h : 0);
    if (it->kind == ITEM_CYLINDER) solid_cylinder(&it->solid, r, h);
    if (it->kind == ITEM_BOX || it->kind == ITEM_MESH) solid_box(&it->solid, D(d->half.x), D(d->half.y), h);
    if (it->kind >= ITEM_HALF_SPACE && it->kind != ITEM_MESH) {
        double wide = it->kind == ITEM_FIELD ? it->size * (ITEM_GRID - 1) / 4 : 300 * it->size, deep = it->kind == ITEM_FIELD ? 10 * it->size : wide;
        double top = it->kind == ITEM_FIELD ? 0.2 * it->size : 0;
        it->solid.centre = solid_local(&it->solid, 0, 0, top - deep);
        solid_box(&it->solid, wide, wide, deep);
        it->solid.size = it->size;
    }
    return 1;
}

/* Add the shape.  Returns 0 if nsc refuses it, which it does with hulls that are too flat. */
SHARED int place_item(const item *it, nsc_id body)
{
    const nsc_shape_def *d = &it->def;
    nsc_id id;
    if (it->kind == ITEM_HULL) return world_add_hull(&world, body, d, &it->hull) > 0;
    if (it->kind == ITEM_MESH) id = place_mesh(it);
    else if (it->kind == ITEM_FIELD) id = world_add_field(&world, body, d, item_height, ITEM_GRID, ITEM_GRID, REAL(it->size / 2), REAL(it->size / 2));
    else id = nsc_world_add_shape(&world, body, d);
    CHECK_ONCE(id > 0 || (id == NSC_ERR_INERTIA && it->size < 1e-5)); /* less than a float holds */
    return id > 0;
}

#endif
