/* Triangle meshes in const memory: a plane of 200 triangles is a half-space, to the last digits, for whatever rolls and slides on
   it; valleys, steep hills beside the same hills as a height field, edges of solids, plates; rays and tree against brute force;
   snapshots and images; bad tables; small and large; the table that mesh.py prints. */
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 42
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "nsc_image.h"
#include "nsc_sense.h"
#include "nsc_hull.h"
#include "meshes/ramp.h"
#include "random.h"
#include "by.h"
#include "plain.h"

enum { MOST = 2000, KINDS = 6 };
typedef struct table {
    nsc_mesh_vertex v[MOST];
    nsc_mesh_triangle t[MOST];
    nsc_mesh_node n[2 * MOST];
    nsc_mesh mesh;
} table;
static table one, two;
static nsc_world other;
static const nsc_mesh *list[2];
static double size = 1; /* of everything, in metres */
static const char *const kind_name[KINDS] = {"sphere", "capsule", "box", "cylinder", "hull", "cylinder on its end"};

/* ---- tables from corners, as mesh.py makes them but slower */

static const table *sorted;
static int sorted_axis;

static double corner(const table *m, int t, int k, int axis)
{
    const nsc_mesh_vertex *v = &m->v[m->t[t].corner[k]];
    return (double)(axis == 0 ? v->x : axis == 1 ? v->y : v->z);
}

static int by_middle(const void *x, const void *y)
{
    const nsc_mesh_triangle *a = (const nsc_mesh_triangle *)x, *b = (const nsc_mesh_triangle *)y;
    double sa = 0, sb = 0;
    int k;
    for (k = 0; k < 3; k++) {
        const nsc_mesh_vertex *p = &sorted->v[a->corner[k]], *q = &sorted->v[b->corner[k]];
        sa += (double)(sorted_axis == 0 ? p->x : sorted_axis == 1 ? p->y : p->z);
        sb += (double)(sorted_axis == 0 ? q->x : sorted_axis == 1 ? q->y : q->z);
    }
    return sa < sb ? -1 : sa > sb;
}

static void grow(table *m, int from, int to, int leaf)
{
    int own = m->mesh.nodes++, i, k, axis;
    nsc_mesh_node n;
    memset(&n, 0, sizeof n);
    for (axis = 0; axis < 3; axis++) {
        double lo = corner(m, from, 0, axis), hi = lo;
        for (i = from; i < to; i++)
            for (k = 0; k < 3; k++) {
                double x = corner(m, i, k, axis);
                if (x < lo) lo = x;
                if (x > hi) hi = x;
            }
        n.low[axis] = (float)lo;
        n.high[axis] = (float)hi;
    }
    if (to - from <= leaf) {
        n.first = (uint16_t)from;
        n.count = (uint16_t)(to - from);
    } else {
        sorted = m;
        sorted_axis = 0;
        for (k = 1; k < 3; k++)
            if (n.high[k] - n.low[k] > n.high[sorted_axis] - n.low[sorted_axis]) sorted_axis = k;
        qsort(m->t + from, (size_t)(to - from), sizeof *m->t, by_middle);
        grow(m, from, (from + to) / 2, leaf);
        grow(m, (from + to) / 2, to, leaf);
    }
    n.skip = (uint16_t)m->mesh.nodes;
    m->n[own] = n;
}

static void join(table *m)
{
    int i, j, k, e;
    for (i = 0; i < m->mesh.triangles; i++)
        for (k = 0; k < 3; k++) {
            m->t[i].beyond[k] = NSC_MESH_OPEN;
            for (j = 0; j < m->mesh.triangles; j++)
                for (e = 0; e < 3; e++)
                    if (m->t[j].corner[e] == m->t[i].corner[(k + 1) % 3] && m->t[j].corner[(e + 1) % 3] == m->t[i].corner[k])
                        m->t[i].beyond[k] = (uint16_t)j;
        }
}

static void finish(table *m, int leaf)
{
    m->mesh.vertex = m->v;
    m->mesh.triangle = m->t;
    m->mesh.node = m->n;
    m->mesh.nodes = 0;
    grow(m, 0, m->mesh.triangles, leaf);
    join(m);
}

static void clear(table *m) { memset(m, 0, sizeof *m); }

static int add_vertex(table *m, double x, double y, double z)
{
    nsc_mesh_vertex *v = &m->v[m->mesh.vertices];
    v->x = (float)x, v->y = (float)y, v->z = (float)z;
    return m->mesh.vertices++;
}

static void add_triangle(table *m, int a, int b, int c)
{
    uint16_t *p = m->t[m->mesh.triangles++].corner;
    p[0] = (uint16_t)a, p[1] = (uint16_t)b, p[2] = (uint16_t)c;
}

/* nx by ny cells of two triangles, step apart, around the origin; jitter: of inner corners, in steps.  Cells are cut as a height
   field's, or by either diagonal */
static void grid(table *m, int nx, int ny, double step, double jitter, double (*height)(double, double))
{
    int i, j;
    clear(m);
    for (j = 0; j <= ny; j++)
        for (i = 0; i <= nx; i++) {
            int inner = i > 0 && j > 0 && i < nx && j < ny;
            double x = (i - nx / 2.) * step + (inner ? uniform(-jitter, jitter) * step : 0);
            double y = (j - ny / 2.) * step + (inner ? uniform(-jitter, jitter) * step : 0);
            add_vertex(m, x, y, height ? height(x, y) : 0);
        }
    for (j = 0; j < ny; j++)
        for (i = 0; i < nx; i++) {
            int a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = c - 1;
            if (jitter > 0 && uniform(0, 1) < 0.5) add_triangle(m, a, b, d), add_triangle(m, b, c, d);
            else add_triangle(m, a, b, c), add_triangle(m, a, c, d);
        }
    finish(m, 4);
}

/* Closed box from -half to half, of 12 triangles */
static void solid(table *m, double x, double y, double z)
{
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int i;
    clear(m);
    for (i = 0; i < 8; i++) add_vertex(m, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (i = 0; i < 6; i++) {
        add_triangle(m, face[i][0], face[i][1], face[i][2]);
        add_triangle(m, face[i][0], face[i][2], face[i][3]);
    }
    finish(m, 4);
}

/* ---- worlds */

static void begin(void)
{
    nsc_world_def d = nsc_default_world_def();
    d.gravity.z = REAL(-9.81 * size);
    d.margin = REAL(D(d.margin) * size);
    d.slop = REAL(D(d.slop) * size);
    d.recovery_speed = REAL(D(d.recovery_speed) * size);
    d.bounce_speed = REAL(D(d.bounce_speed) * size);
    d.sleep_time = 0;
    d.solver.tolerance = REAL(D(d.solver.tolerance) * size); /* a speed */
    CHECK(nsc_world_init(&world, &d) == NSC_OK);
}

/* The mesh under the body, or NSC_GROUND */
static nsc_id lay(const nsc_mesh *m, nsc_id body)
{
    nsc_shape_def d = nsc_default_mesh_def();
    nsc_id id;
    list[0] = m;
    CHECK(nsc_world_set_meshes(&world, list, 1) == NSC_OK);
    id = nsc_world_add_mesh(&world, body, &d, 0);
    CHECK(id >= 0);
    return id;
}

static void lay_plane(void)
{
    nsc_shape_def d = nsc_default_half_space_def();
    CHECK(nsc_world_add_shape(&world, NSC_GROUND, &d) >= 0);
}

static nsc_id add_body(double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    d.pose.position = vec(x, y, z);
    return nsc_world_add_body(&world, &d);
}

/* A body of this kind, which touches z where it is put; its half height 0.1 size */
static nsc_id put(int kind, double x, double y, double z, double friction)
{
    nsc_shape_def d = nsc_default_sphere_def(REAL(0.1 * size));
    nsc_id body = add_body(x, y, z + 0.1 * size), shape;
    nsc_vec3 p[12];
    int i;
    if (kind == 1) d = nsc_default_capsule_def(REAL(0.1 * size), REAL(0.15 * size));
    if (kind == 2) d = nsc_default_box_def(REAL(0.2 * size), REAL(0.15 * size), REAL(0.1 * size));
    if (kind == 3 || kind == 5) d = nsc_default_cylinder_def(REAL(0.1 * size), REAL(kind == 3 ? 0.15 * size : 0.1 * size));
    if (kind == 4) d = nsc_default_hull_def();
    if (kind == 1 || kind == 3) { /* lying, its axis along y */
        d.pose.orientation.w = REAL(sqrt(0.5));
        d.pose.orientation.x = REAL(sqrt(0.5));
    }
    d.friction = REAL(friction);
    if (kind == 4) {
        for (i = 0; i < 12; i++) { /* a prism of six sides */
            double a = (i % 6) * 1.0471975511965976;
            p[i] = vec(0.2 * size * cos(a), 0.2 * size * sin(a), i < 6 ? -0.1 * size : 0.1 * size);
        }
        shape = world_add_points(&world, body, &d, p, 12);
    } else {
        shape = nsc_world_add_shape(&world, body, &d);
    }
    CHECK(body >= 0 && shape >= 0);
    return body;
}

static void step(int n, double h)
{
    int i;
    for (i = 0; i < n; i++) CHECK(nsc_world_step(&world, REAL(h)) == NSC_OK);
}

static void launch(nsc_id body, double vx, double vy, double wx, double wy)
{
    CHECK(nsc_body_set_velocity(&world, body, vec(vx, vy, 0), vec(wx, wy, 0)) == NSC_OK);
}

/* ---- plane */

/* A ball rolls over 200 triangles as over a half-space. */
static void check_rolling(void)
{
    int trial, i, on;
    nsc_vec3 path[2][600];
    double worst = 0, bump = 0;
    for (trial = 0; trial < trials(2, 20); trial++) {
        double angle = uniform(0, 6.28), v = 1.5, y = uniform(-0.4, 0.4);
        grid(&one, 10, 10, 0.5 * size, trial ? 0.3 : 0, NULL);
        CHECK(one.mesh.triangles == 200);
        for (on = 0; on < 2; on++) {
            nsc_id ball;
            begin();
            if (on) lay(&one.mesh, NSC_GROUND);
            else lay_plane();
            ball = put(0, (-1.5 * cos(angle) - y * sin(angle)) * size, (-1.5 * sin(angle) + y * cos(angle)) * size, 0, 0.5);
            launch(ball, v * size * cos(angle), v * size * sin(angle), -v * 10 * sin(angle), v * 10 * cos(angle));
            for (i = 0; i < 480; i++) {
                step(1, 1 / 240.);
                path[on][i] = position(ball);
                CHECK(nsc_world_contact_count(&world) == 1);
            }
        }
        for (i = 0; i < 480; i++) {
            double off = length(minus(path[0][i], path[1][i])), up = fabs(D(path[1][i].z) - D(path[0][i].z));
            if (off > worst) worst = off;
            if (up > bump) bump = up;
        }
    }
    printf("rolling over 200 triangles: %.2g m from the half-space, bump %.2g m\n", worst / size, bump / size);
    CHECK(worst < (is_double ? 1e-11 : 1e-5) * size);
    CHECK(bump < (is_double ? 1e-12 : 1e-6) * size);
}

/* Everything slides over irregular triangles with friction's deceleration, and as high as on a half-space. */
static void check_sliding(void)
{
    int kind, trial, i, on;
    for (kind = 0; kind < KINDS; kind++) {
        double worst = 0, bump[2] = {0, 0};
        for (trial = 0; trial < 2 * trials(1, 10); trial++) {
            double angle = uniform(0, 6.28), v = 2, mu = 0.2, h = 1 / 240.;
            nsc_id body;
            nsc_vec3 u;
            int rolls = kind == 0 || kind == 1 || kind == 3;
            on = trial % 2;
            if (kind == 1 || kind == 3) angle = 1.5707963267948966; /* along its axis */
            grid(&one, 12, 12, 0.4 * size, 0.3, NULL);
            begin();
            if (on) lay(&one.mesh, NSC_GROUND);
            else lay_plane();
            u = vec(cos(angle), sin(angle), 0);
            body = put(kind, uniform(-0.1, 0.1) * size, uniform(-0.1, 0.1) * size, 0, mu * mu / 0.5); /* the mesh has 0.5 */
            launch(body, v * size * D(u.x), v * size * D(u.y), 0, 0);
            for (i = 1; i <= (rolls ? 40 : 160); i++) {
                double want, z;
                step(1, h);
                want = (v - mu * 9.81 * h * i) * size; /* all slide; round ones not yet at rolling speed */
                z = D(position(body).z) - 0.1 * size;
                if (fabs(z) > bump[on]) bump[on] = fabs(z);
                if (kind == 0 && want < 0.74 * v * size) break; /* it rolls at 5/7 */
                if (on && fabs(dot(velocity(body), u) - want) > worst) worst = fabs(dot(velocity(body), u) - want);
            }
        }
        printf("sliding %-20s speed off by %.2g m/s, bump %.2g m, half-space %.2g m\n", kind_name[kind], worst / size, bump[1] / size,
               bump[0] / size);
        /* a lying cylinder leans by up to the narrow phase's tolerance in double too */
        CHECK(worst < (is_double && kind != 3 ? 2e-5 : 2e-4) * size);
        CHECK(bump[1] < (is_double && kind != 3 ? 1e-6 : 1e-5) * size + 2 * bump[0]);
    }
}

/* ---- valleys, hills, edges */

static double valley_height(double x, double y) { return fabs(y) + 0 * x; }

/* A ball rolls along a valley of two planes at 45 degrees on both of them. */
static void check_valley(void)
{
    double z0 = 0.1 * sqrt(2.) * size, worst = 0;
    nsc_id ball;
    int i;
    grid(&one, 10, 10, 0.4 * size, 0, valley_height);
    begin();
    lay(&one.mesh, NSC_GROUND);
    ball = put(0, -1.5 * size, 0, z0 - 0.1 * size, 0);
    launch(ball, size, 0, 0, 0);
    for (i = 0; i < 720; i++) {
        nsc_vec3 p;
        step(1, 1 / 240.);
        p = position(ball);
        if (fabs(D(p.z) - z0) > worst) worst = fabs(D(p.z) - z0);
        if (fabs(D(p.y)) > worst) worst = fabs(D(p.y));
    }
    printf("valley: %.2g m off its line\n", worst / size);
    CHECK(worst < 2e-5 * size);
    CHECK_NEAR(D(position(ball).x), 1.5 * size, 1e-4 * size);
}

static double hill_size;
static double hill_height(double x, double y)
{
    return hill_size * size * sin(4 * x / size) * cos(5 * y / size);
}

/* Largest depth of the contacts, and whether the bodies are slow */
static double deepest(void)
{
    double most = 0;
    int i;
    for (i = 0; i < nsc_world_contact_count(&world); i++)
        if (-D(nsc_world_contact(&world, i)->gap) > most) most = -D(nsc_world_contact(&world, i)->gap);
    return most;
}

/* The hills as a mesh or as a height field */
static void lay_hills(int as_mesh, int n, double cell, int reuse)
{
    static nsc_real heights[900];
    nsc_shape_def d = nsc_default_height_field_def();
    int i, j;
    hill_size = 0.25;
    if (!reuse) grid(&one, n, n, cell * size, 0, hill_height);
    for (j = 0; j <= n; j++)
        for (i = 0; i <= n; i++) heights[(n + 1) * j + i] = REAL((double)one.v[(n + 1) * j + i].z);
    begin();
    if (as_mesh) lay(&one.mesh, NSC_GROUND);
    else CHECK(world_add_field(&world, NSC_GROUND, &d, heights, n + 1, n + 1, REAL(cell * size), REAL(cell * size)) >= 0);
}

/* Every kind comes to rest on steep hills: nothing is deeper than on the same hills as a height field, falls through or is thrown
   up. */
static void check_hills(void)
{
    int kind, trial, i, on, steps = sample(720, 1440);
    double worst[2] = {0, 0}, fastest[2] = {0, 0}, high[2] = {0, 0};
    for (trial = 0; trial < trials(1, 8); trial++)
        for (kind = 0; kind < KINDS; kind++) {
            double x = uniform(-0.6, 0.6), y = uniform(-0.6, 0.6);
            if (test_quick() && test_share > 1 && kind % 2) continue; /* of another size: every other one */
            for (on = 0; on < 2; on++) {
                nsc_id body;
                lay_hills(on, 20, 0.15, trial > 0 || kind > 0 || on);
                body = put(kind, x * size, y * size, 0.3 * size, 0.8);
                for (i = 0; i < steps; i++) {
                    step(1, 1 / 240.);
                    if (fabs(D(position(body).x)) > 1.4 * size || fabs(D(position(body).y)) > 1.4 * size) break; /* rolls off */
                    CHECK(D(position(body).z) > -0.25 * size && D(position(body).z) < 0.6 * size);
                    if (deepest() > worst[on]) worst[on] = deepest();
                    if (i > 100 && D(velocity(body).z) > high[on]) high[on] = D(velocity(body).z);
                }
                if ((kind == 2 || kind == 4) && i == steps && length(velocity(body)) > fastest[on]) fastest[on] = length(velocity(body));
            }
        }
    for (on = 0; on < 2; on++)
        printf("hills as a %s: depth %.2g m, up at %.2g m/s, speed of boxes and hulls at last %.2g m/s\n", on ? "mesh" : "height field",
               worst[on] / size, high[on] / size, fastest[on] / size);
    CHECK(worst[1] < 0.02 * size || worst[1] < 1.2 * worst[0]);
    CHECK(high[1] < 1.5 * size);
    CHECK(fastest[1] < 1e-3 * size);
}

/* Contacts on the hills are those on the same hills as a height field. */
static void check_alike(void)
{
    int kind, trial, on, i, j, count[2], found, all = 0, other_count = 0, alike = 0;
    static nsc_contact got[2][40];
    double depth[2];
    for (trial = 0; trial < trials(120, 1500); trial++)
        for (kind = 0; kind < KINDS; kind++) {
            double x = uniform(-1, 1) * size, y = uniform(-1, 1) * size, z = hill_height(x, y) + uniform(-0.05, 0.15) * size;
            nsc_pose p;
            double q[4], n;
            for (i = 0; i < 4; i++) q[i] = uniform(-1, 1);
            n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            p.position = vec(x, y, z + 0.15 * size);
            p.orientation.w = REAL(q[0] / n), p.orientation.x = REAL(q[1] / n), p.orientation.y = REAL(q[2] / n), p.orientation.z = REAL(q[3] / n);
            for (on = 0; on < 2; on++) {
                nsc_id body;
                lay_hills(on, 20, 0.15, trial > 0 || kind > 0 || on);
                body = put(kind, 0, 0, 0, 0.5);
                CHECK(nsc_body_set_pose(&world, body, p) == NSC_OK);
                step(1, 1e-6);
                count[on] = nsc_world_contact_count(&world);
                for (i = 0; i < count[on]; i++) got[on][i] = *nsc_world_contact(&world, i);
                depth[on] = deepest();
            }
            if (depth[0] > 0.01 * size || depth[1] > 0.01 * size) continue; /* what is deep has no one answer */
            all += count[0];
            other_count += count[1];
            for (i = 0; i < count[0]; i++) {
                for (j = 0, found = 0; j < count[1] && !found; j++)
                    found = length(minus(got[0][i].point, got[1][j].point)) < 1e-4 * size && length(minus(got[0][i].normal, got[1][j].normal)) < 1e-2;
                alike += found;
            }
        }
    printf("hills as a height field: %d contacts, as a mesh %d, %d of them the same\n", all, other_count, alike);
    CHECK(alike > 0.9 * all && other_count < 1.1 * all);
}

/* Everything hangs over the edge of a solid, on its top; only the top pushes.  A lying cylinder may lean by the tolerance of the
   narrow phase, a thousandth of its size, and roll. */
static void check_edges(void)
{
    int kind, trial, i, k;
    double worst = 0, moved = 0;
    for (trial = 0; trial < trials(2, 40); trial++)
        for (kind = 0; kind < KINDS; kind++) {
            nsc_id body;
            double x = 0.5 - uniform(0.001, 0.08), y = uniform(-0.3, 0.3);
            nsc_vec3 at;
            solid(&one, 0.5 * size, 0.5 * size, uniform(0.02, 0.5) * size);
            begin();
            lay(&one.mesh, NSC_GROUND);
            body = put(kind, x * size, y * size, (double)one.v[7].z - 1e-4 * size, 0.5);
            at = position(body);
            for (i = 0; i < 60; i++) {
                step(1, 1 / 240.);
                for (k = 0; k < nsc_world_contact_count(&world); k++) {
                    const nsc_contact *c = nsc_world_contact(&world, k);
                    double side = 1 - fabs(D(c->normal.z));
                    if (side > worst) worst = side;
                }
            }
            if (length(minus(position(body), at)) > moved) moved = length(minus(position(body), at));
        }
    printf("over an edge: %.2g m moved, normals off by %.2g\n", moved / size, worst);
    CHECK(worst < 5e-3);
    CHECK(moved < 2e-3 * size);
}

/* A plate thinner than what lies on it holds it from above; what is wholly behind falls on. */
static void check_plates(void)
{
    int kind, i;
    for (kind = 0; kind < KINDS; kind++) {
        nsc_id above, below;
        solid(&one, 1 * size, 1 * size, 0.005 * size);
        begin();
        lay(&one.mesh, NSC_GROUND);
        above = put(kind, 0.3 * size, 0.2 * size, 0.005 * size, 0.5);
        below = put(kind, 0.3 * size, 0.2 * size, -0.5 * size, 0.5);
        for (i = 0; i < 240; i++) {
            step(1, 1 / 240.);
            CHECK_NEAR(D(position(above).z), 0.105 * size, 1e-4 * size);
        }
        CHECK_NEAR(D(position(below).z), (-0.4 - 0.5 * 9.81) * size, 0.03 * size);
        /* a fast one does not get through the plate, nor through a single sheet */
        grid(&two, 4, 4, 0.5 * size, 0.2, NULL);
        begin();
        lay(&two.mesh, NSC_GROUND);
        above = put(kind, 0.03 * size, 0.02 * size, size, 0.5);
        CHECK(nsc_body_set_velocity(&world, above, vec(0, 0, -100 * size), vec(0, 0, 0)) == NSC_OK);
        step(240, 1 / 240.);
        CHECK_NEAR(D(position(above).z), 0.1 * size, 2e-3 * size);
        /* one that has sunk in by more than half is pushed out on the front */
        CHECK(nsc_body_set_pose(&world, above, inside(above)->generation ? (nsc_pose){vec(0, 0, -0.03 * size), {1, 0, 0, 0}} : (nsc_pose){vec(0, 0, 0), {1, 0, 0, 0}}) == NSC_OK);
        step(120, 1 / 240.);
        CHECK(D(position(above).z) > 0.09 * size);
    }
}

/* A mesh on a kinematic body carries a box, wherever it is and however it is turned. */
static void check_carried(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id car, box, shape;
    nsc_shape_def s = nsc_default_mesh_def();
    nsc_vec3 start;
    d.kind = NSC_KINEMATIC_BODY;
    d.pose.position = vec(3 * size, -2 * size, 5 * size);
    d.pose.orientation.w = REAL(0.6), d.pose.orientation.z = REAL(0.8);
    d.velocity = vec(0.5 * size, 0.2 * size, 0.1 * size);
    grid(&one, 6, 6, 0.4 * size, 0.3, NULL);
    begin();
    car = nsc_world_add_body(&world, &d);
    list[0] = &one.mesh;
    CHECK(nsc_world_set_meshes(&world, list, 1) == NSC_OK);
    s.pose.position = vec(0, 0, -size);
    shape = nsc_world_add_mesh(&world, car, &s, 0);
    CHECK(shape >= 0);
    box = put(2, 3 * size, -2 * size, 4 * size, 0.5);
    step(240, 1 / 240.);
    start = position(box);
    step(240, 1 / 240.);
    CHECK_NEAR(D(position(box).x) - D(start.x), 0.5 * size, 1e-3 * size);
    CHECK_NEAR(D(position(box).y) - D(start.y), 0.2 * size, 1e-3 * size);
    CHECK_NEAR(D(position(box).z) - D(start.z), 0.1 * size, 1e-3 * size);
    CHECK(nsc_world_remove_shape(&world, shape) == NSC_OK);
    step(240, 1 / 240.);
    CHECK(D(velocity(box).z) < -8 * size);
}

/* ---- rays, tree */

static double rough_height(double x, double y)
{
    (void)x, (void)y;
    return uniform(-0.2, 0.2) * size;
}

/* The rough ground of a number, so that a trial of a search can name it */
static void rough_grid(int number, int cells, double step)
{
    aside_begin((uint32_t)number);
    grid(&one, cells, cells, step, 0.3, rough_height);
    aside_end();
}

static void get(const table *m, int t, double p[3][3])
{
    int k, a;
    for (k = 0; k < 3; k++)
        for (a = 0; a < 3; a++) p[k][a] = corner(m, t, k, a);
}

static const double origin[3];
static double apart(const double *p, const double *q)
{
    double square = 0;
    int a;
    for (a = 0; a < 3; a++) square += (p[a] - q[a]) * (p[a] - q[a]);
    return sqrt(square);
}

/* First front of a triangle along a ray, by brute force in double; 2: none.  *sure: 0 where it passes an edge or an end closely */
static double brute_ray(const table *m, const double *from, const double *ray, int *hit, int *sure)
{
    double best = 2, p[3][3];
    int t, k, a;
    *sure = 1;
    *hit = -1;
    for (t = 0; t < m->mesh.triangles; t++) {
        double n[3], e[2][3], height = 0, speed = 0, w, least = 1e300, most = 0, at[3];
        double far = 0, edge = 0, rounding;
        get(m, t, p);
        for (k = 0; k < 3; k++) {
            far = fmax(far, apart(p[k], from));
            edge = fmax(edge, apart(p[k], p[(k + 1) % 3]));
        }
        for (a = 0; a < 3; a++) e[0][a] = p[1][a] - p[0][a], e[1][a] = p[2][a] - p[0][a];
        for (a = 0; a < 3; a++) n[a] = e[0][(a + 1) % 3] * e[1][(a + 2) % 3] - e[0][(a + 2) % 3] * e[1][(a + 1) % 3];
        for (a = 0; a < 3; a++) height += (from[a] - p[0][a]) * n[a], speed -= ray[a] * n[a];
        most = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (speed < 1e-6 * most * size) { /* from behind, or along it */
            if (speed > -1e-6 * most * size && fabs(height) < 1e-4 * most * size) *sure = 0;
            continue;
        }
        /* A corner may be rounded across the ray; in the plane this is more if the ray is along it. */
        rounding = 8 * D(NSC_REAL_EPS) * far * edge * most * apart(ray, origin) / speed;
        w = height / speed;
        for (a = 0; a < 3; a++) at[a] = from[a] + w * ray[a];
        for (k = 0; k < 3; k++) {
            double *q = p[k], *r = p[(k + 1) % 3], side = 0;
            for (a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                side += ((r[b] - q[b]) * (at[c] - q[c]) - (r[c] - q[c]) * (at[b] - q[b])) * n[a];
            }
            if (side / most < least) least = side / most;
        }
        if ((fabs(least) < 1e-5 * most + rounding && fabs(w - 0.5) < 0.51) || (least >= 0 && (fabs(w) < 1e-4 || fabs(w - 1) < 1e-4))) *sure = 0;
        if (least >= 0 && w >= 0 && w <= 1 && w < best) best = w, *hit = t;
    }
    return best;
}

static int tried, hits, misses, unsure; /* of the search that runs */
static int ground;                      /* the number of the ground there is */
static double worst;

static int a_ray_hits_what_is_found_by_looking_at_all(void)
{
    double from[3], ray[3], best;
    int k, hit, sure, code, wanted = nth(tried) / 500, across = nth(7);
    nsc_hit got;
    if (wanted != ground) {
        ground = wanted;
        if (wanted % 2) rough_grid(wanted, 12, 0.25 * size);
        else solid(&one, 1.1 * size, 0.9 * size, 0.2 * size);
        begin();
        lay(&one.mesh, NSC_GROUND);
    }
    for (k = 0; k < 3; k++) {
        from[k] = (double)REAL(uniform(-1.3, 1.3) * size);
        ray[k] = k < 2 ? (double)REAL(uniform(-1.3, 1.3) * size - from[k]) : -2 * from[k];
        if (across == k) ray[k] = k < 2 ? 0 : -from[k];
    }
    best = brute_ray(&one, from, ray, &hit, &sure);
    code = nsc_world_cast_ray(&world, vec(from[0], from[1], from[2]), vec(ray[0], ray[1], ray[2]), ~UINT32_C(0), &got);
    CHECK(code == 0 || code == 1);
    if (!sure) {
        unsure++;
        return 1;
    }
    said("from %g %g %g along %g %g %g: triangle %d is hit, the call returns %d", from[0], from[1], from[2], ray[0], ray[1], ray[2], hit, code);
    CHECK(code == (hit >= 0));
    if (code == 1 && hit >= 0) {
        double far = best * sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
        hits++;
        worst = fmax(worst, fabs(D(got.distance) - far));
        CHECK_NEAR(got.distance, far, (is_double ? 1e-12 : 1e-4) * size);
        CHECK(D(got.normal.x) * ray[0] + D(got.normal.y) * ray[1] + D(got.normal.z) * ray[2] < 0);
        CHECK_NEAR(length(got.normal), 1, 1e-5);
    }
    return 1;
}

static void check_rays(void)
{
    tried = sample(300, trials(600, 40000)), hits = unsure = 0, worst = 0, ground = -1;
    if (!search("a ray hits what is found by looking at all", a_ray_hits_what_is_found_by_looking_at_all, tried)) return;
    printf("rays: %d of %d hit, %d too close to an edge to tell, distance off by %.2g m\n", hits, tried, unsure, worst / size);
    CHECK(hits > tried / 20 && unsure < tried / 50);
}

/* Shapes cast on the hills from above touch them where they touch the same hills as a height field; from below they go through. */
static int a_cast_hits_hills_as_it_does_a_height_field(void)
{
    static const char *const names[4] = {"sphere", "capsule", "box", "cylinder"};
    nsc_shape_def d[4];
    nsc_hit hit[2];
    nsc_vec3 way = any_in(-size, size, -size, size, -2 * size, -0.1 * size);
    int code[2], up, on, kind = nth(4);
    d[0] = nsc_default_sphere_def(REAL(0.1 * size));
    d[1] = nsc_default_capsule_def(REAL(0.05 * size), REAL(0.1 * size));
    d[2] = nsc_default_box_def(REAL(0.1 * size), REAL(0.05 * size), REAL(0.08 * size));
    d[3] = nsc_default_cylinder_def(REAL(0.08 * size), REAL(0.06 * size));
    d[kind].pose.position = any_in(-size, size, -size, size, 0, 0);
    d[kind].pose.position.z = REAL(0.6 * size);
    d[kind].pose.orientation = any_turn();
    for (on = 0; on < 2; on++) {
        lay_hills(on, 20, 0.15, 1);
        code[on] = nsc_world_cast_shape(&world, &d[kind], way, ~UINT32_C(0), &hit[on]);
    }
    CHECK(code[0] == code[1] && code[0] >= 0);
    if (code[0] == 1 && code[1] == 1) {
        hits++;
        said("%s: %.9g m on the field, %.9g m on the mesh", names[kind], D(hit[0].distance), D(hit[1].distance));
        worst = fmax(worst, fabs(D(hit[0].distance) - D(hit[1].distance)));
        /* in double too: a mesh has its vertices in float, and a way may be steep to a slope */
        CHECK_NEAR(hit[0].distance, hit[1].distance, 1e-5 * size);
        CHECK(dot(hit[1].normal, way) < 0);
    }
    d[kind].pose.position.z = REAL(-0.8 * size);
    way.z = REAL(1.5 * size);
    up = nsc_world_cast_shape(&world, &d[kind], way, ~UINT32_C(0), &hit[1]);
    CHECK(up == 0 || (up == 1 && D(hit[1].distance) > 0.2 * size)); /* it may come in at an edge of the border or a far slope */
    if (fabs(D(d[kind].pose.position.x)) < 0.5 * size && fabs(D(d[kind].pose.position.y)) < 0.5 * size) {
        way.x = way.y = 0;
        CHECK(nsc_world_cast_shape(&world, &d[kind], way, ~UINT32_C(0), &hit[1]) == 0);
    }
    return 1;
}

static void check_casts(void)
{
    tried = trials(400, 10000), hits = 0, worst = 0;
    lay_hills(1, 20, 0.15, 0);
    if (!search("a cast hits hills as it does a height field", a_cast_hits_hills_as_it_does_a_height_field, tried)) return;
    printf("casts: %d of %d hit, distance off by %.2g of the size\n", hits, tried, worst / size);
    CHECK(hits > tried / 4);
}

/* No ray slips through an inner edge or corner of a plane. */
static int inner;
static int no_ray_slips_through_an_edge(void)
{
    int t = below(one.mesh.triangles), k = below(3), corner_itself = nth(3) == 0, code, a;
    double s = corner_itself ? 0 : uniform(0, 1), p[3][3], at[3], from[3];
    nsc_hit got;
    get(&one, t, p);
    for (a = 0; a < 3; a++) at[a] = p[k][a] + s * (p[(k + 1) % 3][a] - p[k][a]);
    if (fabs(at[0]) > 1.8 * size || fabs(at[1]) > 1.8 * size) return 1;
    inner++;
    from[0] = at[0] + uniform(-0.1, 0.1) * size, from[1] = at[1] + uniform(-0.1, 0.1) * size, from[2] = size;
    code = nsc_world_cast_ray(&world, vec(from[0], from[1], from[2]),
                              vec(2 * (at[0] - from[0]), 2 * (at[1] - from[1]), 2 * (at[2] - from[2])), ~UINT32_C(0), &got);
    said("from %.9g %.9g %.9g through %.9g %.9g %.9g", from[0], from[1], from[2], at[0], at[1], at[2]);
    return code == 1;
}

/* Distance by which a ray passes beside the edge from p to q of a triangle that it meets from the
   front; < 0: on the inside */
static double beside(const double *p, const double *q, const double *from, const double *ray)
{
    double b[3], c[3], e[3], n[3], across = 0, square = 0;
    int a;
    for (a = 0; a < 3; a++) b[a] = p[a] - from[a], c[a] = q[a] - from[a], e[a] = q[a] - p[a];
    for (a = 0; a < 3; a++) {
        int i = (a + 1) % 3, j = (a + 2) % 3;
        n[a] = ray[i] * e[j] - ray[j] * e[i];
        across += ray[a] * (b[i] * c[j] - b[j] * c[i]);
        square += n[a] * n[a];
    }
    return across / sqrt(square);
}

/* A ray from afar that passes a triangle's edge by little more than its coordinates are rounded:
   it hits on the inside alone. */
static int a_ray_hits_up_to_the_edge(void)
{
    double p[3][3], at[3], from[3], ray[3], out[3], e[2][3], speed = 0;
    double far = 2 * size, by = -1e300, rounding, s;
    int k, a, edge = nth(3), code;
    nsc_hit got;
    clear(&one);
    for (k = 0; k < 3; k++) {
        double x = (0.3 * cos(2.1 * k) + uniform(-0.1, 0.1)) * size;
        double y = (0.3 * sin(2.1 * k) + uniform(-0.1, 0.1)) * size;
        add_vertex(&one, x, y, uniform(-0.2, 0.2) * size);
    }
    add_triangle(&one, 0, 1, 2);
    finish(&one, 4);
    begin();
    lay(&one.mesh, NSC_GROUND);
    get(&one, 0, p);
    s = uniform(0.1, 0.9);
    from[0] = uniform(-1, 1) * size, from[1] = uniform(-1, 1) * size, from[2] = far;
    for (a = 0; a < 3; a++) {
        from[a] = D(REAL(from[a]));
        at[a] = p[edge][a] + s * (p[(edge + 1) % 3][a] - p[edge][a]);
        out[a] = p[edge][a] - p[(edge + 2) % 3][a];
    }
    s = uniform(-40, 40) * D(NSC_REAL_EPS) * far / apart(out, origin);
    for (a = 0; a < 3; a++) ray[a] = D(REAL(1.5 * (at[a] + s * out[a] - from[a])));
    for (k = 0; k < 3; k++) by = fmax(by, beside(p[k], p[(k + 1) % 3], from, ray));
    for (a = 0; a < 3; a++) e[0][a] = p[1][a] - p[0][a], e[1][a] = p[2][a] - p[0][a];
    for (a = 0; a < 3; a++) {
        int i = (a + 1) % 3, j = (a + 2) % 3;
        speed -= ray[a] * (e[0][i] * e[1][j] - e[0][j] * e[1][i]);
    }
    rounding = D(NSC_REAL_EPS) * apart(at, from);
    if (fabs(by) < 8 * rounding || speed < 0.01 * size * size * apart(ray, origin)) return 1;
    code = nsc_world_cast_ray(&world, vec(from[0], from[1], from[2]), vec(ray[0], ray[1], ray[2]),
                              ~UINT32_C(0), &got);
    said("it passes the edge by %g roundings, the call returns %d", by / rounding, code);
    hits += code == 1;
    misses += code == 0;
    return code == (by < 0);
}

/* Down on an inner edge of a plane, or on one of its corners: nothing is rounded. */
static void check_on_edges(void)
{
    int i, j;
    nsc_hit got;
    grid(&one, 4, 4, 0.25 * size, 0, NULL);
    begin();
    lay(&one.mesh, NSC_GROUND);
    for (i = -3; i <= 3; i++)
        for (j = -3; j <= 3; j++) {
            nsc_vec3 from = vec(0.125 * size * i, 0.125 * size * j, size);
            nsc_vec3 down = vec(0, 0, -2 * size);
            CHECK(nsc_world_cast_ray(&world, from, down, ~UINT32_C(0), &got) == 1);
        }
}

static void check_tight(void)
{
    tried = trials(400, 20000), hits = misses = 0;
    if (search("a ray hits up to the edge", a_ray_hits_up_to_the_edge, tried))
        CHECK(hits > tried / 4 && misses > tried / 4);
    check_on_edges();
    rough_grid(1, 10, 0.37 * size);
    begin();
    lay(&one.mesh, NSC_GROUND);
    tried = trials(800, 60000), inner = 0;
    if (search("no ray slips through an edge", no_ray_slips_through_an_edge, tried)) CHECK(2 * inner > tried);
}

/* Point of triangle t nearest to c, in double; returns its distance */
static double nearest(const table *m, int t, const double *c, double *at)
{
    double p[3][3], best = 1e300, n[3], e[2][3], nn = 0, d = 0, q[3];
    int k, a, in = 1;
    get(m, t, p);
    for (a = 0; a < 3; a++) e[0][a] = p[1][a] - p[0][a], e[1][a] = p[2][a] - p[0][a];
    for (a = 0; a < 3; a++) n[a] = e[0][(a + 1) % 3] * e[1][(a + 2) % 3] - e[0][(a + 2) % 3] * e[1][(a + 1) % 3];
    for (a = 0; a < 3; a++) nn += n[a] * n[a], d += (c[a] - p[0][a]) * n[a];
    for (a = 0; a < 3; a++) q[a] = c[a] - d / nn * n[a];
    for (k = 0; k < 3; k++) {
        double *u = p[k], *v = p[(k + 1) % 3], side = 0, ee = 0, s = 0, far = 0, x[3];
        for (a = 0; a < 3; a++) {
            int b = (a + 1) % 3, f = (a + 2) % 3;
            side += ((v[b] - u[b]) * (q[f] - u[f]) - (v[f] - u[f]) * (q[b] - u[b])) * n[a];
            ee += (v[a] - u[a]) * (v[a] - u[a]);
            s += (c[a] - u[a]) * (v[a] - u[a]);
        }
        if (side < 0) in = 0;
        s = s < 0 ? 0 : s > ee ? 1 : s / ee;
        for (a = 0; a < 3; a++) x[a] = u[a] + s * (v[a] - u[a]), far += (c[a] - x[a]) * (c[a] - x[a]);
        if (sqrt(far) < best) {
            best = sqrt(far);
            for (a = 0; a < 3; a++) at[a] = x[a];
        }
    }
    if (!in) return best;
    for (a = 0; a < 3; a++) at[a] = q[a];
    return fabs(d) / sqrt(nn);
}

/* A ball near a rough mesh, sunk in by half its radius at most, by brute force: the nearest point of all has a contact, and every contact that
   touches is the nearest point of the triangles that meet there: there is no push from an inner edge or corner that another
   triangle covers. */
static int balls, contacts, ghosts;
static int the_nearest_point_has_a_contact(void)
{
    double c[3], at[3], above[3], ray[3] = {0, 0, 0}, far = 1e300, best = 1e300;
    int i, t, a, hit, sure, wanted = nth(tried) / 100;
    nsc_vec3 x;
    nsc_id ball;
    if (wanted != ground) ground = wanted, rough_grid(wanted, 8, 0.15 * size);
    begin();
    lay(&one.mesh, NSC_GROUND);
    x = any_in(-0.4, 0.4, -0.4, 0.4, -0.1, 0.15);
    ball = put(0, D(x.x) * size, D(x.y) * size, D(x.z) * size, 0.5);
    c[0] = D(position(ball).x), c[1] = D(position(ball).y), c[2] = D(position(ball).z);
    for (t = 0; t < one.mesh.triangles; t++) best = fmin(best, nearest(&one, t, c, at));
    above[0] = c[0], above[1] = c[1], above[2] = 2 * size, ray[2] = c[2] - 2 * size;
    if (best > 0.1 * size || best < 0.05 * size || brute_ray(&one, above, ray, &hit, &sure) <= 1 || !sure) return 1;
    balls++;
    step(1, 1e-6);
    for (i = 0; i < nsc_world_contact_count(&world); i++) {
        const nsc_contact *k = nsc_world_contact(&world, i);
        double sign = k->body_a == NSC_GROUND ? 1 : -1, p[3], own = D(k->gap) + 0.1 * size, m[3];
        int ghost = 0;
        m[0] = sign * D(k->normal.x), m[1] = sign * D(k->normal.y), m[2] = sign * D(k->normal.z);
        for (a = 0; a < 3; a++) p[a] = c[a] - own * m[a];
        far = fmin(far, own);
        contacts++;
        for (t = 0; t < one.mesh.triangles && !ghost && D(k->gap) <= 0; t++)
            if (nearest(&one, t, p, at) < 1e-5 * size) ghost = nearest(&one, t, c, at) < own - 1e-4 * size;
        ghosts += ghost;
    }
    said("ground %d, ball at %.9g %.9g %.9g: nearest %.9g m, nearest contact %.9g m", wanted, c[0], c[1], c[2], best, far);
    return fabs(far - best) <= 1e-4 * size;
}

static void check_ball(void)
{
    tried = trials(100, 5000), balls = contacts = ghosts = 0, ground = -1;
    if (!search("the nearest point has a contact", the_nearest_point_has_a_contact, tried)) return;
    printf("balls on a rough mesh: %d, %d contacts, %d ghosts\n", balls, contacts, ghosts);
    CHECK(balls > trials(15, 750));
    CHECK(ghosts <= 1 + contacts / 1000); /* what is within the narrow phase's tolerance of an edge */
}

/* ---- what lies flat */

/* Flat ground around the origin: a field, a mesh of the same cells, one of cells of any form, or the top of a solid */
enum { A_FIELD, ITS_MESH, ANY_MESH, A_SOLID, GROUNDS };
static double ground_x, ground_y;

static void lay_flat(int form)
{
    static const nsc_real heights[100] = {0};
    nsc_shape_def d = nsc_default_height_field_def();
    int nx = 1 + below(9), ny = 1 + below(9);
    double cell = size * pow(10, uniform(-1.3, 0.3));
    ground_x = nx * cell / 2, ground_y = ny * cell / 2;
    if (form == A_SOLID) {
        solid(&one, ground_x, ground_y, 0.2 * size);
        d = nsc_default_mesh_def();
        d.pose.position = vec(0, 0, -0.2 * size);
        list[0] = &one.mesh;
        CHECK(nsc_world_set_meshes(&world, list, 1) == NSC_OK);
        CHECK(nsc_world_add_mesh(&world, NSC_GROUND, &d, 0) >= 0);
    } else if (form == A_FIELD) {
        CHECK(world_add_field(&world, NSC_GROUND, &d, heights, nx + 1, ny + 1, REAL(cell), REAL(cell)) >= 0);
    } else {
        grid(&one, nx, ny, cell, form == ANY_MESH ? 0.3 : 0, NULL);
        lay(&one.mesh, NSC_GROUND);
    }
}

/* A capsule, box, cylinder or hull of a box's form lies on its bottom, sunk in by a little; where its ends are, and how many */
static nsc_id laid(int kind, double x, double y, double turn, nsc_vec3 *end, int *ends)
{
    double wide = size * uniform(0.02, 0.3), deep = size * uniform(0.02, 0.3), radius = 0.1 * size;
    nsc_shape_def d = nsc_default_box_def(REAL(wide), REAL(deep), REAL(radius));
    nsc_quat q = turn_about(vec(0, 0, 1), turn);
    nsc_vec3 p[8];
    nsc_body_def b = nsc_default_body_def();
    nsc_id body;
    int i;
    b.pose.position = vec(x, y, radius - 1e-4 * size);
    b.pose.orientation = q;
    body = nsc_world_add_body(&world, &b);
    if (kind == 1) d = nsc_default_capsule_def(REAL(radius), REAL(wide));
    if (kind == 3) d = nsc_default_cylinder_def(REAL(radius), REAL(wide));
    if (kind == 1 || kind == 3) d.pose.orientation = turn_about(vec(0, 1, 0), acos(-1) / 2);
    for (i = 0; i < 8; i++) p[i] = vec(i & 1 ? wide : -wide, i & 2 ? deep : -deep, i & 4 ? radius : -radius);
    if (kind == 4) {
        d = nsc_default_hull_def();
        CHECK(world_add_points(&world, body, &d, p, 8) >= 0);
    } else CHECK(nsc_world_add_shape(&world, body, &d) >= 0);
    *ends = kind == 2 || kind == 4 ? 4 : 2;
    for (i = 0; i < *ends; i++) end[i] = plus(vec(x, y, 0), rotate(q, vec(i & 1 ? wide : -wide, *ends == 2 ? 0 : i & 2 ? deep : -deep, 0)));
    return body;
}

static int lying_kind, lying_form;
static int lying; /* trials in which something lies flat, or hangs over */

/* Wherever edges of triangles cross it */
static int what_lies_flat_is_held_at_its_ends(void)
{
    nsc_vec3 end[4];
    int i, k, ends;
    double x, y;
    begin();
    lay_flat(lying_form);
    x = uniform(-1, 1) * ground_x, y = uniform(-1, 1) * ground_y;
    laid(lying_kind, x, y, uniform(-3, 3), end, &ends);
    for (i = 0; i < ends; i++)
        if (fabs(D(end[i].x)) > ground_x - 0.01 * size || fabs(D(end[i].y)) > ground_y - 0.01 * size) return 1;
    lying++;
    step(1, 1e-6);
    for (i = 0; i < ends; i++) {
        double nearest_one = 1e300;
        for (k = 0; k < nsc_world_contact_count(&world); k++) {
            nsc_vec3 p = nsc_world_contact(&world, k)->point;
            nearest_one = fmin(nearest_one, hypot(D(p.x) - D(end[i].x), D(p.y) - D(end[i].y)));
        }
        said("ground %g by %g, end %d of %d at %g %g: the nearest contact is %g m off", ground_x, ground_y, i, ends, D(end[i].x), D(end[i].y), nearest_one);
        if (nearest_one > 0.011 * size) return 0;
    }
    return 1;
}

/* Over the border, with its middle on the ground, it does not tip. */
static int what_hangs_over_the_border_stays(void)
{
    nsc_vec3 end[4];
    nsc_pose p;
    nsc_id body;
    int i, ends, over = 0;
    double x, y, level;
    begin();
    lay_flat(lying_form);
    x = uniform(-1, 1) * ground_x, y = uniform(-1, 1) * ground_y;
    if (fabs(x) > ground_x - 0.01 * size || fabs(y) > ground_y - 0.01 * size) return 1;
    body = laid(lying_kind, x, y, uniform(-3, 3), end, &ends);
    for (i = 0; i < ends; i++) over |= fabs(D(end[i].x)) > ground_x || fabs(D(end[i].y)) > ground_y;
    lying += over;
    step(40, 1 / 240.);
    nsc_body_get_pose(&world, body, &p);
    said("ground %g by %g, body at %g %g, after 40 steps at %g %g %g", ground_x, ground_y, x, y, D(p.position.x), D(p.position.y), D(p.position.z));
    level = ends == 2 ? D(rotate(p.orientation, vec(1, 0, 0)).z) : 1 - D(rotate(p.orientation, vec(0, 0, 1)).z);
    return fabs(level) < 1e-3 && fabs(D(p.position.z) - 0.1 * size) < 2e-3 * size;
}

static void check_flat(void)
{
    static const char *const grounds[GROUNDS] = {"a field", "a field's cells as a mesh", "a mesh of any cells", "a solid"};
    int i, n = trials(sample(20, 60), 4000);
    for (i = 0; i < 16; i++) {
        lying_kind = 1 + i / 4, lying_form = i % 4;
        CASE("size %g, %s on %s", size, kind_name[lying_kind], grounds[lying_form]);
        lying = 0;
        if (search("what lies flat is held at its ends", what_lies_flat_is_held_at_its_ends, n)) CHECK(16 * lying > n);
        lying = 0;
        if (search("what hangs over the border stays", what_hangs_over_the_border_stays, n)) CHECK(16 * lying > n);
    }
    CASE("size %g", size);
}

/* With the tree and with one leaf for all triangles: the same bits. */
static void check_tree(void)
{
    uint32_t hash[2];
    int on, kind, trial;
    for (trial = 0; trial < trials(2, 20); trial++) {
        grid(&one, 14, 14, 0.2 * size, 0.3, rough_height);
        two = one;
        two.mesh.vertex = two.v, two.mesh.triangle = two.t, two.mesh.node = two.n;
        two.n[0].skip = 1, two.n[0].first = 0, two.n[0].count = (uint16_t)two.mesh.triangles;
        two.mesh.nodes = 1;
        CHECK(one.mesh.nodes > 100);
        for (on = 0; on < 2; on++) {
            begin();
            lay(on ? &one.mesh : &two.mesh, NSC_GROUND);
            for (kind = 0; kind < KINDS; kind++) put(kind, (0.5 * (kind % 3) - 0.5) * size, (kind / 3 - 0.5) * size, 0.3 * size, 0.5);
            step(200, 1 / 240.);
            CHECK(nsc_world_contact_count(&world) > 5);
            hash[on] = nsc_world_hash(&world);
        }
        CHECK(hash[0] == hash[1]);
    }
}

/* ---- table: refusals, snapshots, images */

static void refused(int got, int code, const char *field, int line)
{
    nsc_refusal r = nsc_world_last_refusal(&world);
    int ok = got == code && r.code == code && strcmp(r.field, field) == 0 && r.rule[0];
    if (test_at(ok, "a refusal", __FILE__, line, 1)) printf("    %d (%s), expected %d (%s)\n", got, r.field, code, field);
}
#define REFUSED(got, code, field) refused((int)(got), code, field, __LINE__)

static int set(const nsc_mesh *m)
{
    static const nsc_mesh *own[1];
    own[0] = m;
    return nsc_world_set_meshes(&world, own, 1);
}

static int random_words_are_refused_or_end_a_step(void)
{
    int j, k, what = nth(3);
    two = one;
    two.mesh.vertex = two.v, two.mesh.triangle = two.t, two.mesh.node = two.n;
    for (j = 0; j < 2; j++) {
        uint16_t word = (uint16_t)below(below(10) < 3 ? 65536 : 40);
        k = below(one.mesh.triangles);
        if (what == 0) two.t[k].corner[j] = word;
        if (what == 1) two.t[k].beyond[j] = word;
        k = below(one.mesh.nodes);
        if (what == 2) *(j ? &two.n[k].skip : below(2) ? &two.n[k].first : &two.n[k].count) = word;
    }
    if (set(&two.mesh) == NSC_OK) {
        CHECK(nsc_world_step(&world, REAL(1 / 240.)) == NSC_OK);
        CHECK(set(&one.mesh) == NSC_OK);
    } else hits++;
    return 1;
}

/* Each number of a table made bad, one at a time; nothing is changed. */
static void check_bad_tables(void)
{
    static const float bad_float[3] = {(float)1e30, (float)-1e30, 0};
    const float inf = (float)(1e30) * (float)(1e30);
    nsc_shape_def d = nsc_default_mesh_def(), box = nsc_default_box_def(REAL(0.1), REAL(0.1), REAL(0.1));
    nsc_id body;
    uint32_t hash;
    int i, k, refusals = 0;
    hits = 0;
    begin();
    rough_grid(1, 4, 0.5 * size);
    body = add_body(0, 0, 5 * size);
    CHECK(nsc_world_add_shape(&world, body, &box) >= 0);
    REFUSED(nsc_world_add_mesh(&world, NSC_GROUND, &d, 0), NSC_ERR_ARGUMENT, "mesh");
    lay(&one.mesh, NSC_GROUND);
    memcpy(&other, &world, sizeof world);
    hash = nsc_world_hash(&world);
    CHECK(nsc_world_set_meshes(NULL, list, 1) == NSC_ERR_ARGUMENT);
    CHECK(nsc_world_add_mesh(NULL, NSC_GROUND, &d, 0) == NSC_ERR_ARGUMENT);
    REFUSED(nsc_world_set_meshes(&world, NULL, 1), NSC_ERR_ARGUMENT, "argument");
    REFUSED(nsc_world_set_meshes(&world, list, -1), NSC_ERR_ARGUMENT, "argument");
    REFUSED(nsc_world_set_meshes(&world, list, 65536 + (is_double ? 0 : 5)), NSC_ERR_ARGUMENT, "argument");
    REFUSED(nsc_world_set_meshes(&world, list, 0), NSC_ERR_ARGUMENT, "mesh"); /* a shape needs it */
    REFUSED(set(NULL), NSC_ERR_ARGUMENT, "argument");
    REFUSED(nsc_world_add_mesh(&world, NSC_GROUND, NULL, 0), NSC_ERR_ARGUMENT, "argument");
    REFUSED(nsc_world_add_mesh(&world, NSC_GROUND, &d, 1), NSC_ERR_ARGUMENT, "mesh");
    REFUSED(nsc_world_add_mesh(&world, NSC_GROUND, &d, -1), NSC_ERR_ARGUMENT, "mesh");
    REFUSED(nsc_world_add_mesh(&world, body, &d, 0), NSC_ERR_ARGUMENT, "nsc_shape_def.kind");
    REFUSED(nsc_world_add_mesh(&world, 12345, &d, 0), NSC_ERR_HANDLE, "body");
    REFUSED(nsc_world_add_mesh(&world, NSC_GROUND, &box, 0), NSC_ERR_ARGUMENT, "nsc_shape_def.kind");
    REFUSED(nsc_world_add_shape(&world, NSC_GROUND, &d), NSC_ERR_ARGUMENT, "nsc_shape_def.kind");
    d.kind = NSC_SHAPE_MESH + 1;
    REFUSED(nsc_world_add_mesh(&world, NSC_GROUND, &d, 0), NSC_ERR_ARGUMENT, "nsc_shape_def.kind");
    d.kind = NSC_SHAPE_MESH;
    REFUSED(nsc_world_overlap(&world, &d, 1, NULL, 0), NSC_ERR_ARGUMENT, "nsc_shape_def.kind");
#define BAD(change, code, what) \
    do { \
        two = one; \
        two.mesh.vertex = two.v, two.mesh.triangle = two.t, two.mesh.node = two.n; \
        change; \
        REFUSED(set(&two.mesh), code, what); \
        refusals++; \
    } while (0)
    BAD(two.mesh.vertex = NULL, NSC_ERR_ARGUMENT, "argument");
    BAD(two.mesh.triangle = NULL, NSC_ERR_ARGUMENT, "argument");
    BAD(two.mesh.node = NULL, NSC_ERR_ARGUMENT, "argument");
    for (i = 0; i < 3; i++) {
        static const int32_t count[4] = {-1, 0, 65536, 0x7fffffff};
        for (k = 0; k < 4; k++) {
            BAD(*(i == 0 ? &two.mesh.vertices : i == 1 ? &two.mesh.triangles : &two.mesh.nodes) = count[k], NSC_ERR_ARGUMENT, "nsc_mesh");
        }
    }
    BAD(two.mesh.vertices = 2, NSC_ERR_ARGUMENT, "nsc_mesh");
    BAD(two.mesh.vertices--, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.corner");
    BAD(two.mesh.triangles--, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.beyond");
    BAD(two.mesh.nodes--, NSC_ERR_ARGUMENT, "nsc_mesh.node");
    for (i = 0; i < one.mesh.vertices; i++) {
        BAD(two.v[i].x = inf, NSC_ERR_NOT_FINITE, "nsc_mesh.vertex");
        BAD(two.v[i].y = inf - inf, NSC_ERR_NOT_FINITE, "nsc_mesh.vertex");
        BAD(two.v[i].z = -inf, NSC_ERR_NOT_FINITE, "nsc_mesh.vertex");
        BAD(two.v[i].z = two.v[i].z + (float)(3 * size), NSC_ERR_ARGUMENT, "nsc_mesh.node");
        for (k = 0; k < 3 && !is_double; k++)
            BAD(two.v[i].x = bad_float[k] > 0 ? bad_float[k] : (float)-2e10, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.corner");
    }
    for (i = 0; i < one.mesh.triangles; i++)
        for (k = 0; k < 3; k++) {
            BAD(two.t[i].corner[k] = (uint16_t)one.mesh.vertices, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.corner");
            BAD(two.t[i].corner[k] = 65535, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.corner");
            BAD(two.t[i].corner[k] = two.t[i].corner[(k + 1) % 3], NSC_ERR_ARGUMENT, "nsc_mesh_triangle.corner");
            BAD(two.v[two.t[i].corner[k]] = two.v[two.t[i].corner[(k + 1) % 3]], NSC_ERR_ARGUMENT, "nsc_mesh_triangle.corner");
            BAD(two.t[i].beyond[k] = (uint16_t)one.mesh.triangles, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.beyond");
            BAD(two.t[i].beyond[k] = (uint16_t)i, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.beyond");
            if (one.t[i].beyond[k] != NSC_MESH_OPEN) {
                BAD(two.t[i].beyond[k] = NSC_MESH_OPEN, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.beyond");
                BAD(two.t[i].beyond[k] = (uint16_t)(one.t[i].beyond[k] ^ 1), NSC_ERR_ARGUMENT, "nsc_mesh_triangle.beyond");
            }
        }
    BAD(two.t[0].beyond[0] = 0, NSC_ERR_ARGUMENT, "nsc_mesh_triangle.beyond");
    CHECK_NEAR(nsc_world_last_refusal(&world).value, 0, 0); /* the triangle that is wrong, not one beside it */
    for (i = 0; i < one.mesh.nodes; i++) {
        BAD(two.n[i].skip = (uint16_t)i, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        BAD(two.n[i].skip = 0, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        BAD(two.n[i].skip++, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        BAD(two.n[i].skip = 65535, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        if (one.n[i].count > 0) {
            BAD(two.n[i].count = 0, NSC_ERR_ARGUMENT, "nsc_mesh.node");
            BAD(two.n[i].first++, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        }
        BAD(two.n[i].count++, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        BAD(two.n[i].count = 65535, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        for (k = 0; k < 3; k++) {
            BAD(two.n[i].high[k] = (two.n[i].low[k] + two.n[i].high[k]) / 2, NSC_ERR_ARGUMENT, "nsc_mesh.node");
            BAD(two.n[i].low[k] = inf - inf, NSC_ERR_ARGUMENT, "nsc_mesh.node");
            BAD(two.n[i].high[k] = inf, NSC_ERR_ARGUMENT, "nsc_mesh.node");
        }
    }
    CHECK(world.meshes == other.meshes && world.mesh_count == 1 && nsc_world_hash(&world) == hash);
    if (!search("random words are refused, or end a step", random_words_are_refused_or_end_a_step, tried = trials(800, 100000))) return;
    refusals += hits;
    printf("bad tables: %d refused\n", refusals);
}

/* A snapshot and an image go on with the same bits; an image names the mesh by its index. */
static void check_images(void)
{
    static unsigned char image[60000];
    static const nsc_mesh *both[2];
    nsc_shape_def d = nsc_default_mesh_def();
    uint32_t hash;
    int kind, length;
    nsc_world_def def = nsc_default_world_def();
    grid(&one, 12, 12, 0.2 * size, 0.3, rough_height);
    solid(&two, 0.2 * size, 0.2 * size, 0.2 * size);
    both[0] = &two.mesh, both[1] = &one.mesh;
    begin();
    CHECK(nsc_world_set_meshes(&world, both, 2) == NSC_OK);
    CHECK(nsc_world_add_mesh(&world, NSC_GROUND, &d, 1) >= 0);
    for (kind = 0; kind < KINDS; kind++) put(kind, (0.5 * (kind % 3) - 0.5) * size, (kind / 3 - 0.5) * size, 0.3 * size, 0.5);
    step(100, 1 / 240.);
    memcpy(&other, &world, sizeof world);
    length = nsc_world_save(&world, image, sizeof image);
    CHECK(length > 0);
    step(100, 1 / 240.);
    hash = nsc_world_hash(&world);
    memcpy(&world, &other, sizeof world); /* snapshot */
    step(100, 1 / 240.);
    CHECK(nsc_world_hash(&world) == hash);
    CHECK(nsc_world_load(&world, image, length) == NSC_OK); /* into a world that has the table */
    CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    CHECK(world.meshes == both && world.mesh_count == 2);
    step(100, 1 / 240.);
    CHECK(nsc_world_hash(&world) == hash);
    {   /* other indices, other hash; but not where the table is */
        static const nsc_mesh *elsewhere[2];
        elsewhere[0] = both[0], elsewhere[1] = both[1];
        CHECK(nsc_world_set_meshes(&world, elsewhere, 2) == NSC_OK);
        CHECK(nsc_world_hash(&world) == hash);
        world.shapes[0].data = 0;
        CHECK(nsc_world_hash(&world) != hash);
        world.shapes[0].data = 1;
    }
    /* no table, or a short one: refused, and nothing is changed */
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
    hash = nsc_world_hash(&world);
    REFUSED(nsc_world_load(&world, image, length), NSC_ERR_ARGUMENT, "mesh");
    CHECK(nsc_world_last_refusal(&world).value >= 1 && nsc_world_last_refusal(&world).value <= 1);
    CHECK(nsc_world_set_meshes(&world, both, 1) == NSC_OK);
    REFUSED(nsc_world_load(&world, image, length), NSC_ERR_ARGUMENT, "mesh");
    CHECK(nsc_world_hash(&world) == hash && world.mesh_count == 1);
    share_tables(&world, &other);
    CHECK(nsc_world_load(&world, image, length) == NSC_OK);
    CHECK(nsc_world_hash(&world) == nsc_world_hash(&other));
    image[length / 2] ^= 1;
    CHECK(nsc_world_load(&world, image, length) == NSC_ERR_ARGUMENT && world.mesh_count == 2);
    CHECK(nsc_world_init(&world, &def) == NSC_OK && world.mesh_count == 0 && !world.meshes);
    CHECK(nsc_world_set_meshes(&world, NULL, 0) == NSC_OK);
}

/* More contacts than there is room for: the report counts the rest. */
static void check_capacity(void)
{
    int i, dropped = 0;
    grid(&one, 20, 20, 0.1 * size, 0.3, rough_height);
    begin();
    lay(&one.mesh, NSC_GROUND);
    for (i = 0; i < 25; i++) put(2, 0.35 * (i % 5 - 2) * size, 0.35 * (i / 5 - 2) * size, 0.15 * size, 0.5);
    for (i = 0; i < 120; i++) {
        step(1, 1 / 240.);
        dropped += nsc_world_report(&world)->dropped;
        CHECK(nsc_world_contact_count(&world) <= NSC_MAX_CONTACTS);
    }
    CHECK(dropped > 0);
}

/* An icosahedron around the origin that holds what is inside; the ball in it that touches all 20 faces has this radius. */
static void hollow(table *m, double radius)
{
    double g = (1 + sqrt(5.)) / 2, s = radius * sqrt(3.) / (g * g);
    int i, j, k;
    clear(m);
    for (i = 0; i < 12; i++) {
        double c[3] = {0, 0, 0};
        c[(i / 4 + 1) % 3] = i & 1 ? s : -s;
        c[(i / 4 + 2) % 3] = i & 2 ? s * g : -s * g;
        add_vertex(m, c[0], c[1], c[2]);
    }
    for (i = 0; i < 12; i++)
        for (j = i + 1; j < 12; j++)
            for (k = i + 1; k < 12; k++) {
                nsc_vec3 p = vec(D(m->v[i].x), D(m->v[i].y), D(m->v[i].z)), q = vec(D(m->v[j].x), D(m->v[j].y), D(m->v[j].z));
                nsc_vec3 r = vec(D(m->v[k].x), D(m->v[k].y), D(m->v[k].z));
                if (length(minus(p, q)) > 2.1 * s || length(minus(q, r)) > 2.1 * s || length(minus(r, p)) > 2.1 * s) continue;
                if (k != j && dot(cross(minus(q, p), minus(r, p)), p) < 0) add_triangle(m, i, j, k); /* seen from inside */
            }
    finish(m, 2);
}

/* A pair keeps 16 points: a ball that touches 20 faces drops 4, and the report says so; no query does. */
static void check_points(void)
{
    nsc_shape_def d = nsc_default_sphere_def(REAL(0.101 * size));
    nsc_hit hit;
    nsc_id got;
    hollow(&one, 0.1 * size);
    CHECK(one.mesh.triangles == 20);
    begin();
    lay(&one.mesh, NSC_GROUND);
    put(0, 0, 0, -0.1 * size, 0.5);
    step(1, 1e-3);
    CHECK(nsc_world_contact_count(&world) == 16);
    CHECK(nsc_world_report(&world)->dropped == 4 && nsc_world_report(&world)->dropped_ever == 4);
    CHECK(nsc_world_overlap(&world, &d, 1, &got, 1) == 2);
    CHECK(nsc_world_cast_shape(&world, &d, vec(0, 0, size), 1, &hit) == 1);
    CHECK(nsc_world_report(&world)->dropped == 4);
    step(1, 1e-3);
    CHECK(nsc_world_report(&world)->dropped == 4 && nsc_world_report(&world)->dropped_ever == 8);
    hollow(&one, 0.1 * size + 2 * D(nsc_default_world_def().margin) * size); /* within reach of a fast ball, but not touching */
    begin();
    lay(&one.mesh, NSC_GROUND);
    launch(put(0, 0, 0, -0.1 * size, 0.5), 5 * size, 0, 0, 0);
    step(1, 1e-2);
    CHECK(nsc_world_contact_count(&world) > 0 && nsc_world_report(&world)->dropped == 0);
}

/* Queries see what contacts see. */
static void check_queries(void)
{
    nsc_shape_def d = nsc_default_sphere_def(REAL(0.1 * size));
    nsc_hit hit;
    nsc_id id, got = -1;
    solid(&one, 0.5 * size, 0.4 * size, 0.3 * size);
    begin();
    id = lay(&one.mesh, NSC_GROUND);
    d.pose.position = vec(0, 0, 0.39 * size);
    CHECK(nsc_world_overlap(&world, &d, 1, &got, 1) == 1 && got == id);
    d.pose.position = vec(0, 0, 0.41 * size);
    CHECK(nsc_world_overlap(&world, &d, 1, &got, 1) == 0);
    CHECK(nsc_world_closest(&world, vec(0.1 * size, 0.1 * size, 0.5 * size), REAL(0.3 * size), 1, &hit) == 1);
    CHECK_NEAR(D(hit.distance), 0.2 * size, 1e-6 * size);
    CHECK_NEAR(D(hit.normal.z), 1, 1e-6);
    CHECK(nsc_world_closest(&world, vec(0.8 * size, 0.1 * size, 0.7 * size), REAL(size), 1, &hit) == 1);
    CHECK_NEAR(D(hit.distance), 0.5 * size, 1e-6 * size);
    CHECK(nsc_world_closest(&world, vec(0.1 * size, 0.1 * size, 0.5 * size), REAL(0.1 * size), 1, &hit) == 0);
    CHECK(nsc_world_closest(&world, vec(0, 0, 0), REAL(size), 1, &hit) == 0); /* behind all */
}

/* The table that mesh.py printed: sound, and its ramp is one. */
static void check_printed(void)
{
    nsc_id ball, box;
    double was = size;
    size = 1;
    begin();
    lay(&ramp, NSC_GROUND);
    ball = put(0, -1, 0, 0, 0.5);
    box = put(2, 0.9, 0, 0.01 + 0.39 * 0.4 + 0.12, 1.5);
    launch(ball, 1, 0, 0, 10);
    step(600, 1 / 240.);
    CHECK(D(position(ball).x) < 0.5 && D(velocity(ball).x) < -0.5); /* not enough speed for the ramp: it comes back */
    CHECK_NEAR(D(position(ball).z), 0.1, 1e-3);
    CHECK(length(velocity(box)) < 1e-3); /* friction holds it on the slope */
    CHECK(D(position(box).z) > 0.2);
    size = was;
}

static void all(void)
{
    check_rolling();
    check_sliding();
    check_valley();
    check_hills();
    check_alike();
    check_edges();
    check_plates();
    check_carried();
    check_rays();
    check_tight();
    check_tree();
    check_ball();
    check_flat();
    check_queries();
    check_capacity();
    check_points();
    check_images();
    check_casts();
}

/* A cast that begins deep within terrain or a mesh ends at once, and one that ends short of it meets nothing. */
static void casts_begin_inside_terrain(void)
{
    static const nsc_real heights[9] = {0, 0, 0};
    static const nsc_mesh *const meshes[] = {&ramp};
    nsc_shape_def field = nsc_default_height_field_def(), mesh = nsc_default_mesh_def();
    nsc_shape_def probe = nsc_default_box_def(REAL(0.125), REAL(0.125), REAL(0.125));
    nsc_hit hit;
    int k;
    for (k = 0; k < 2; k++) {
        plain_world(0);
        if (k == 0) CHECK(world_add_field(&world, NSC_GROUND, &field, heights, 3, 3, REAL(2), REAL(2)) > 0);
        if (k == 1) {
            CHECK(nsc_world_set_meshes(&world, meshes, 1) == NSC_OK);
            CHECK(nsc_world_add_mesh(&world, NSC_GROUND, &mesh, 0) > 0);
        }
        probe.pose.position = vec(0.01, 0.02, -0.03);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(1, 0, 0), 0xffffffffu, &hit) == 1);
        CHECK(D(hit.distance) <= 0 && D(hit.normal.z) > 0.99);
        probe.pose.position = vec(0.01, 0.02, 0.5);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(0, 0, -0.25), 0xffffffffu, &hit) == 0);
        CHECK(nsc_world_cast_shape(&world, &probe, vec(0, 0, -0.5), 0xffffffffu, &hit) == 1);
        CHECK_NEAR(D(hit.distance), 0.375, 1e-5);
    }
}

/* A second mesh that is wrong refuses both. */
static void one_wrong_mesh_of_two(void)
{
    nsc_mesh none = ramp;
    const nsc_mesh *pair[2];
    none.triangles = 0;
    pair[0] = &none;
    pair[1] = &ramp;
    plain_world(0);
    CHECK(nsc_world_set_meshes(&world, pair, 2) < 0);
    pair[0] = &ramp;
    pair[1] = &none;
    CHECK(nsc_world_set_meshes(&world, pair, 2) < 0);
    CHECK(nsc_world_add_mesh(&world, NSC_GROUND, (const nsc_shape_def *)0, 0) < 0);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    seed = 1;
    CASE("size %g", size);
    all();
    check_bad_tables();
    check_printed();
    test_share = 5;
#ifndef TEST_PART
    printf("the same a thousand times smaller\n");
    size = 1e-3;
    CASE("size %g", size);
    all();
#endif
    if (test_long()) {
        printf("the same a thousand times larger\n");
        size = 1e3;
        CASE("size %g", size);
        all();
    }
    casts_begin_inside_terrain();
    one_wrong_mesh_of_two();
    return TEST_END("mesh");
}
