/* nsc_hull.h of examples/kit, and what nsc_hull_complete refuses: closed volumes and inertias, any number of points,
   clouds moved and scaled, tables read back, hulls that are none. */
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 42
#define NSC_IMPLEMENTATION
#include "shared.h"
#ifdef TEST_PART
#include "hash.h"
#endif
#include "nsc_hull.h"
#include "search.h"
#include "by.h"
#include "plain.h"
#include <math.h>

enum { MANY = 3000 };
static nsc_world world;
static nsc_vec3 points[MANY];
static nsc_shape_def def;

static nsc_vec3 at(double x, double y, double z)
{
    nsc_vec3 v;
    memset(&v, 0, sizeof v);
    v.x = (nsc_real)x;
    v.y = (nsc_real)y;
    v.z = (nsc_real)z;
    return v;
}

static double coordinate(void) { return uniform(-1, 1); }

static void begin(void)
{
    nsc_world_def d = nsc_default_world_def();
    nsc_world_init(&world, &d);
    def = nsc_default_hull_def();
}

/* How far the furthest of the points is outside the hull, by double arithmetic of the test's own.  The plane of a face goes
   through its first corner; its normal is that of all its corners, as the first three may be nearly in line. */
static double outside(const nsc_hull *h, const nsc_vec3 *p, int n)
{
    double most = 0;
    int f, i, k;
    for (f = 0; f < h->faces; f++) {
        nsc_vec3 a = h->vertex[h->corner[h->first[f]]];
        double m[3] = {0, 0, 0}, length;
        for (k = h->first[f] + 2; k < h->first[f + 1]; k++) {
            nsc_vec3 b = h->vertex[h->corner[k - 1]], c = h->vertex[h->corner[k]];
            double x[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
            double y[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
            m[0] += x[1] * y[2] - x[2] * y[1];
            m[1] += x[2] * y[0] - x[0] * y[2];
            m[2] += x[0] * y[1] - x[1] * y[0];
        }
        length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (i = 0; i < n; i++) {
            double s = ((double)p[i].x - (double)a.x) * m[0] + ((double)p[i].y - (double)a.y) * m[1] + ((double)p[i].z - (double)a.z) * m[2];
            if (s / length > most) most = s / length;
        }
    }
    return most;
}

/* Corners of the solid: tetrahedron, cube, octahedron, icosahedron; edge as below */
static int solid(int k)
{
    const double g = (1 + sqrt(5.0)) / 2;
    int n = 0, i, j;
    if (k == 0)
        for (i = 0; i < 4; i++) points[n++] = at(i == 1 || i == 2 ? -1 : 1, i == 1 || i == 3 ? -1 : 1, i == 2 || i == 3 ? -1 : 1);
    if (k == 1)
        for (i = 0; i < 8; i++) points[n++] = at(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    if (k == 2)
        for (i = 0; i < 6; i++) points[n++] = at(i / 2 == 0 ? 1 - i % 2 * 2 : 0, i / 2 == 1 ? 1 - i % 2 * 2 : 0, i / 2 == 2 ? 1 - i % 2 * 2 : 0);
    if (k == 3)
        for (i = 0; i < 3; i++)
            for (j = 0; j < 4; j++) {
                double a = j & 1 ? 1 : -1, b = j & 2 ? g : -g;
                points[n++] = i == 0 ? at(0, a, b) : i == 1 ? at(a, b, 0) : at(b, 0, a);
            }
    return n;
}

static void platonic_solids_have_their_volume_and_inertia(void)
{
    static const int vertices[4] = {4, 8, 6, 12}, faces[4] = {4, 6, 8, 20};
    const double g = (1 + sqrt(5.0)) / 2;
    const double edge[4] = {sqrt(8.0), 2, sqrt(2.0), 2};
    const double volume[4] = {pow(edge[0], 3) / (6 * sqrt(2.0)), 8, pow(edge[2], 3) * sqrt(2.0) / 3, pow(edge[3], 3) * 5 * g * g / 6};
    const double inertia[4] = {edge[0] * edge[0] / 20, 4.0 / 6, edge[2] * edge[2] / 10, edge[3] * edge[3] * g * g / 10}; /* over the mass */
    int k, i;
    for (k = 0; k < 4; k++) {
        int n = solid(k);
        nsc_hull h;
        nsc_id id;
        CASE("solid of %d faces", faces[k]);
        begin();
        CHECK(nsc_hull_from_points(&h, points, n, NSC_HULL_VERTICES, NULL) == NSC_OK);
        CHECK(h.vertices == vertices[k] && h.faces == faces[k]);
        id = world_add_hull(&world, NSC_GROUND, &def, &h);
        CHECK(id >= 0);
        CHECK_NEAR(world.hulls[0]->volume / (nsc_real)volume[k], 1, 8 * (double)NSC_REAL_EPS);
        for (i = 0; i < 3; i++) CHECK_NEAR((double)world.hulls[0]->inertia[i] / (volume[k] * inertia[k]), 1, 16 * (double)NSC_REAL_EPS);
        for (i = 3; i < 6; i++) CHECK_NEAR(world.hulls[0]->inertia[i], 0, 8 * (double)NSC_REAL_EPS * volume[k]);
        CHECK_NEAR(fabs((double)world.hulls[0]->centroid.x) + fabs((double)world.hulls[0]->centroid.y) + fabs((double)world.hulls[0]->centroid.z), 0, 8 * (double)NSC_REAL_EPS);
    }
    CASE_END();
}

/* A ball of radius 1 with n corners: no point of it can be further out than the cap over the widest gap.  The best arrangements
   of 16 and 42 leave about 0.21 and 0.085; one and a half times that is asked for here, and 0.02 as the least. */
static void a_ball_of_many_points_is_simplified_evenly(void)
{
    static const int corners[2] = {16, 42};
    static const double most[2] = {0.32, 0.13};
    int i, k;
    for (i = 0; i < MANY; i++) {
        double x, y, z, r;
        do {
            x = coordinate(), y = coordinate(), z = coordinate();
            r = sqrt(x * x + y * y + z * z);
        } while (r > 1 || r < 0.1);
        points[i] = at(x / r, y / r, z / r);
    }
    for (k = 0; k < 2; k++) {
        nsc_hull h;
        nsc_real left = -1;
        begin();
        CHECK(nsc_hull_from_points(&h, points, MANY, corners[k], &left) == NSC_OK);
        CHECK(h.vertices == corners[k]);
        CHECK((double)left < most[k] && (double)left > 0.02);
        CHECK_NEAR(outside(&h, points, MANY), left, 1e-3);
        CHECK(world_add_hull(&world, NSC_GROUND, &def, &h) >= 0);
        printf("    %d points of a ball by %d corners: the furthest is %.3f of the radius outside\n", MANY, corners[k], (double)left);
    }
}

/* Boxes turned, moved by up to a thousand sizes, scaled, with inner points, points on faces and edges, and duplicates */
static int a_cloud_in_a_box_gives_eight_corners(void)
{
    const double scales[3] = {1e-3, 1, 1e3};
    int i, k, trial = nth(60), count = 8 + (trial % 5) * 200;
    double scale = scales[trial % 3], half[3], q[4], length = 0, R[3][3], far = trial % 4 == 3 ? (sizeof(nsc_real) > 4 ? 1000 : 10) : 0;
    double centre[3];
    nsc_hull h;
    nsc_real left = -1;
    for (i = 0; i < 3; i++) half[i] = scale * (0.6 + 0.4 * coordinate());
    for (i = 0; i < 3; i++) centre[i] = scale * far * coordinate();
    for (i = 0; i < 4; i++) q[i] = coordinate(), length += q[i] * q[i];
    if (length <= 0) q[0] = length = 1;
    for (i = 0; i < 4; i++) q[i] /= sqrt(length);
    R[0][0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]), R[0][1] = 2 * (q[1] * q[2] - q[0] * q[3]), R[0][2] = 2 * (q[1] * q[3] + q[0] * q[2]);
    R[1][0] = 2 * (q[1] * q[2] + q[0] * q[3]), R[1][1] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]), R[1][2] = 2 * (q[2] * q[3] - q[0] * q[1]);
    R[2][0] = 2 * (q[1] * q[3] - q[0] * q[2]), R[2][1] = 2 * (q[2] * q[3] + q[0] * q[1]), R[2][2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    for (i = 0; i < count; i++) {
        double u[3], p[3];
        for (k = 0; k < 3; k++) u[k] = i < 8 ? (i >> k & 1 ? 1 : -1) : 0.99 * coordinate(); /* nearer to a corner, it might be that one */
        if (i >= 8 && i % 4 == 1) u[i % 3] = 1;                         /* on a face */
        if (i >= 8 && i % 4 == 2) u[0] = u[i % 2 + 1] = -1;             /* on an edge */
        if (i >= 8 && i % 16 == 3) u[0] = u[1] = u[2] = 1;              /* a corner again */
        for (k = 0; k < 3; k++) p[k] = centre[k] + R[k][0] * half[0] * u[0] + R[k][1] * half[1] * u[1] + R[k][2] * half[2] * u[2];
        points[(i * 7) % count] = at(p[0], p[1], p[2]);
    }
    begin();
    CHECK(nsc_hull_from_points(&h, points, count, NSC_HULL_VERTICES, &left) == NSC_OK);
    said("%d points, scale %g: %d corners, %d faces, %g left out, %g outside", count, scale, h.vertices, h.faces, (double)left, outside(&h, points, count));
    CHECK(h.vertices == 8 && h.faces == 6);
    CHECK(world_add_hull(&world, NSC_GROUND, &def, &h) >= 0);
    CHECK(outside(&h, points, count) <= 1e-3 * scale && (double)left <= 1e-3 * scale);
    return 1;
}

/* Random clouds: whatever comes, the world takes it, and all points are inside up to what is said to be left out. */
static int refused;
static int a_cloud_is_wrapped_or_refused(void)
{
    int i, count = 4 + nth(160), corners = 4 + nth(39), kind = nth(5);
    double flat = kind == 4 ? 1e-2 : 1;
    nsc_hull h;
    nsc_real left = -1;
    for (i = 0; i < count; i++) {
        double x = coordinate(), y = coordinate(), z = coordinate();
        points[i] = at(x, y, flat * z);
        if (kind == 1) points[i] = at(floor(2 * x), floor(2 * y), floor(2 * z));
        if (kind == 2) points[i] = at(cos(6.283185307 * i / 12), sin(6.283185307 * i / 12), i % 2);
    }
    begin();
    if (nsc_hull_from_points(&h, points, count, corners, &left) < 0) {
        refused++;
        return 1;
    }
    said("%d points: %d corners of %d, %g left out, %g outside", count, h.vertices, corners, (double)left, outside(&h, points, count));
    CHECK(world_add_hull(&world, NSC_GROUND, &def, &h) >= 0);
    CHECK(h.vertices <= corners);
    CHECK(outside(&h, points, count) <= (double)left + 1e-5);
    return 1;
}

static void random_clouds_are_wrapped_or_refused(void)
{
    int n = trials(150, 5000);
    refused = 0;
    if (!search("a cloud is wrapped or refused", a_cloud_is_wrapped_or_refused, n)) return;
    CHECK(refused * 20 < n);
    printf("    %d of %d clouds refused, all of them small or flat\n", refused, n);
}

/* Corners near each other: a narrow face between three of them may get its plane from one that lies nearly on its edge.
   Without that corner the plane would turn, and half of the hull would be above it. */
static void a_narrow_face_keeps_its_plane(void)
{
    static const double cloud[10][3] = {{0.000176, 0, 0.000328}, {0.00008, 0, -0.000236}, {0.2292393, -0.3116904, 0.6882436},
        {0.4467412, -0.1053368, 0.000322}, {0.6665702, -0.3331178, 0.3330951}, {0.0001931, -0.1682325, 0.5551241},
        {-0.0005037, 0, 0.0006476}, {0.0005632, -0.5530375, 0.8945526}, {0.447647, -0.1057897, -0.000456}, {-0.0002, -1.0002640, 1}};
    nsc_hull h;
    nsc_real left_out;
    double most = 0;
    int f, i;
    for (i = 0; i < 10; i++) points[i] = at(cloud[i][0], cloud[i][1], cloud[i][2]);
    CHECK(nsc_hull_from_points(&h, points, 10, 12, &left_out) == NSC_OK);
    for (f = 0; f < h.faces; f++)
        for (i = 0; i < h.vertices; i++) {
            nsc_vec3 a = h.vertex[h.corner[h.first[f]]], b = h.vertex[i], n = h.normal[f];
            double s = (double)(n.x * (b.x - a.x) + n.y * (b.y - a.y) + n.z * (b.z - a.z));
            most = s > most ? s : most;
        }
    CHECK(most < 1e-3);
    CHECK((double)left_out < 1e-3);
}

/* Of p above the plane of a face as the hull has it, in double */
static double above(const nsc_hull *h, int face, nsc_vec3 p)
{
    nsc_vec3 a = h->vertex[h->corner[h->first[face]]], n = h->normal[face];
    return (double)n.x * ((double)p.x - (double)a.x) + (double)n.y * ((double)p.y - (double)a.y) + (double)n.z * ((double)p.z - (double)a.z);
}

/* By how much the rounding of a triangle's edges turns its normal: 1 over the sine of the angle at its first corner */
static double turned(nsc_vec3 a, nsc_vec3 b, nsc_vec3 c)
{
    double x[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double y[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    double m[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    return sqrt((x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) / (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
}

/* Largest extent of the first n points along an axis */
static double extent(int n)
{
    double most = 0;
    int i, k;
    for (i = 0; i < n; i++)
        for (k = 0; k < i; k++) {
            most = fmax(most, fabs((double)points[i].x - (double)points[k].x));
            most = fmax(most, fabs((double)points[i].y - (double)points[k].y));
            most = fmax(most, fabs((double)points[i].z - (double)points[k].z));
        }
    return most;
}

/* How thin the first n points are, seen along the best of the planes through three of them */
static double thickness(int n)
{
    double least = extent(n);
    int a, b, c, i;
    for (a = 0; a < n; a++)
        for (b = 0; b < a; b++)
            for (c = 0; c < b; c++) {
                nsc_vec3 o = points[a], p = points[b], q = points[c];
                double x[3] = {(double)p.x - (double)o.x, (double)p.y - (double)o.y, (double)p.z - (double)o.z};
                double y[3] = {(double)q.x - (double)o.x, (double)q.y - (double)o.y, (double)q.z - (double)o.z};
                double m[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
                double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]), low = 0, high = 0;
                for (i = 0; i < n; i++) {
                    double s = ((double)points[i].x - (double)o.x) * m[0] + ((double)points[i].y - (double)o.y) * m[1] + ((double)points[i].z - (double)o.z) * m[2];
                    low = fmin(low, s), high = fmax(high, s);
                }
                if (length > 0) least = fmin(least, (high - low) / length);
            }
    return least;
}

/* The hull of the first n points against its own planes: the point furthest above them is as far as is said, the corners of a
   triangle are in its plane as far as rounding lets them, normals are outward and of unit length, and the surface is closed. */
static void judge_planes(const nsc_hull *h, int n, int corners, double left)
{
    static unsigned char edge[NSC_HULL_VERTICES][NSC_HULL_VERTICES];
    double size = extent(n), room = 8 * (double)NSC_REAL_EPS * size, most = 0;
    int f, i, twins = 0;
    memset(edge, 0, sizeof edge);
    for (f = 0; f < h->faces; f++) {
        const unsigned char *c = h->corner + h->first[f];
        int m = h->first[f + 1] - h->first[f];
        nsc_vec3 u = h->normal[f];
        double inside = 0, square = (double)u.x * (double)u.x + (double)u.y * (double)u.y + (double)u.z * (double)u.z;
        double flat = m > 3 ? 1e-3 * size : room * turned(h->vertex[c[0]], h->vertex[c[1]], h->vertex[c[2]]);
        for (i = 0; i < n; i++) most = fmax(most, above(h, f, points[i]));
        for (i = 0; i < h->vertices; i++) inside += above(h, f, h->vertex[i]) / h->vertices;
        CHECK(inside < 0 && fabs(square - 1) <= 8 * (double)NSC_REAL_EPS);
        for (i = 0; i < m; i++) {
            CHECK(fabs(above(h, f, h->vertex[c[i]])) <= flat);
            CHECK(edge[c[i]][c[(i + 1) % m]]++ == 0);
        }
    }
    for (i = 0; i < h->vertices; i++)
        for (f = 0; f < h->vertices; f++) {
            CHECK(edge[i][f] == edge[f][i]);
            twins += edge[i][f];
        }
    said("%d points of size %g: %d corners of %d, %d faces, %g left out, %g above", n, size, h->vertices, corners, h->faces, left, most);
    CHECK(h->vertices <= corners && twins / 2 == h->vertices + h->faces - 2);
    CHECK(fabs(most - left) <= room);
    if (corners >= n || corners == NSC_HULL_VERTICES) CHECK(left <= 1e-3 * size); /* there are as many as are wanted */
    CHECK(world_add_hull(&world, NSC_GROUND, &def, h) >= 0);
}

/* In float, two corners of a narrow face of the first are 3e-6 above its plane: nsc_hull_complete rounds its normal.  The others, in
   float and double, have a point in line with an edge: all triangles that it nearly sees at once would leave one turned over. */
static void hulls_of_narrow_faces_are_within_what_they_say(void)
{
    static const double clouds[3][6][3] = {
        {{.228310317, 1000.67694, .228310317}, {.226846784, 1000.67792, .226846784}, {.749521673, 999.980286, .0181534402},
         {.401557535, 1000.20312, .599994719}, {.401557535, 1000.20312, .599994719}, {.40367341, 1000.20416, .598208964}},
        {{.083142817, -.235929102, -.156292066}, {.15164189, .0088091474, .252843052}, {-.0537024215, -.24489446, .155387342},
         {.140846506, -.00452858768, .247719601}, {.288487136, .017774513, -.0588363595}, {-.288487136, -.017774513, .0588363595}},
        {{1.1778294623643928, -.28338222725973194, .13592092789690358}, {.30830859677070116, .54715076477276914, -.33301840648186454},
         {-.27161070869336851, .91336819041856399, .76029494334881442}, {-1.0445351848837126, .14517570826751142, .017535525240244182},
         {-.011013500509680807, .81080349108735161, -.19546431700339223}, {1.0330286834936231, -.051224447924924033, -.64520541269089715}}};
    nsc_hull h;
    nsc_real left = -1;
    int i, k;
    for (k = 0; k < 3; k++) {
        CASE("cloud %d", k);
        for (i = 0; i < 6; i++) points[i] = at(clouds[k][i][0], clouds[k][i][1], clouds[k][i][2]);
        begin();
        CHECK(nsc_hull_from_points(&h, points, 6, 16, &left) == NSC_OK);
        judge_planes(&h, 6, 16, (double)left);
    }
    CASE_END();
}

/* Points that coincide, or are in line or in plane with earlier ones, or on edges of a turned box, up to noise; scaled, and up to a
   thousand units away */
static int a_narrow_cloud_is_within_what_it_says(void)
{
    static const double scales[7] = {1, 1e-3, 1e-2, 0.1, 10, 100, 1e3}, noises[9] = {0, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8};
    static const double far[4] = {0, 1, 30, 1000};
    static double q[40][3];
    int box = below(2), n = 8 * box + 4 + below(29), first = box ? 8 : 4, corners = below(2) ? NSC_HULL_VERTICES : 4 + below(NSC_HULL_VERTICES - 3), i, k, code;
    double scale = scales[nth(7)], away = far[below(4)], offset[3], axis[3][3];
    nsc_hull h;
    nsc_real left = -1;
    for (k = 0; k < 3; k++) offset[k] = away * coordinate();
    for (i = 0; i < 9; i++) axis[i / 3][i % 3] = coordinate();
    for (i = 0; i < n; i++) {
        int kind = i < first ? 0 : below(4), a = below(i < first ? 1 : first), b = box ? a ^ 1 << below(3) : below(i + !i),
            c = box ? a ^ 1 << below(3) : below(i + !i);
        double noise = noises[below(9)], s = uniform(0, 1), t = uniform(0, 1);
        for (k = 0; k < 3; k++) {
            double x = q[a][k];
            if (kind > 1) x += s * (q[b][k] - q[a][k]);
            if (kind > 2) x += t * (q[c][k] - q[a][k]);
            x += noise * coordinate();
            if (kind == 0) x = coordinate();
            q[i][k] = i < 8 && box ? (i & 1) * axis[0][k] + (i >> 1 & 1) * axis[1][k] + (i >> 2 & 1) * axis[2][k] : x;
        }
    }
    for (i = 0; i < n; i++) {
        const double *x = q[(i + (box ? n / 2 : 0)) % n];
        points[i] = at(scale * (x[0] + offset[0]), scale * (x[1] + offset[1]), scale * (x[2] + offset[2]));
    }
    begin();
    code = nsc_hull_from_points(&h, points, n, corners, &left);
    refused += code < 0;
    if (code == NSC_OK) judge_planes(&h, n, corners, (double)left);
    else CHECK(code == NSC_ERR_ARGUMENT && thickness(n) < 2e-3 * extent(n));
    return 1;
}

static void narrow_clouds_are_within_what_they_say(void)
{
    int n = trials(400, 20000);
    refused = 0;
    if (!search("a narrow cloud is within what it says", a_narrow_cloud_is_within_what_it_says, n)) return;
    CHECK(refused * 50 < n);
    printf("    %d of %d narrow clouds refused, all of them flat\n", refused, n);
}

/* Points that are nearly, but not quite, in planes and on edges: all corners asked for are used, so that with more corners less
   is left out; and the size of the cloud does not matter. */
static int noise_costs_no_corners(void)
{
    const double scales[4] = {1, 1e-3, 1e3, sizeof(nsc_real) > 4 ? 1e-30 : 1e-12};
    static const int corners[4] = {12, 17, 24, 42};
    static const double most[4] = {0.30, 0.17, 0.08, 0.03}; /* of 6, 8, 12, 20 corners a ring: radius * (1 - cos(pi / n)), and half more */
    int i, code, number = nth(16), k = number % 4, of = number / 4;
    double scale = scales[of], noise = 1.2e-3 * nth(3);
    nsc_hull h;
    nsc_real left = -1;
    for (i = 0; i < 132; i++) {
        double angle = 6.283185307 * (i / 2) / 66, x = coordinate(), y = coordinate(), z = coordinate();
        points[i] = at(scale * (cos(angle) + noise * x), scale * (sin(angle) + noise * y), scale * (i % 2 + noise * z));
    }
    begin();
    code = nsc_hull_from_points(&h, points, 132, corners[k], &left);
    if (of == 3 && code < 0) return 1; /* its volume or inertia is out of range */
    CHECK(code == NSC_OK);
    said("scale %g: %d corners of %d, %g left out, %g outside", scale, h.vertices, corners[k], (double)left, outside(&h, points, 132));
    CHECK(h.vertices >= corners[k] - 1);
    CHECK(outside(&h, points, 132) <= most[k] * scale);
    CHECK((double)left <= most[k] * scale);
    CHECK(world_add_hull(&world, NSC_GROUND, &def, &h) >= 0);
    return 1;
}

static void bad_input_has_its_code(void)
{
    nsc_real inf = NSC_REAL_MAX * 2;
    nsc_hull h;
    int n = solid(1), i;
    CHECK(nsc_hull_from_points(NULL, points, n, 8, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_hull_from_points(&h, NULL, n, 8, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_hull_from_points(&h, points, 3, 8, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_hull_from_points(&h, points, -1, 8, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_hull_from_points(&h, points, n, 3, NULL) == NSC_ERR_ARGUMENT);
    CHECK(nsc_hull_from_points(&h, points, n, NSC_HULL_VERTICES + 1, NULL) == NSC_ERR_ARGUMENT);
    points[5].y = inf;
    CHECK(nsc_hull_from_points(&h, points, n, 8, NULL) == NSC_ERR_NOT_FINITE);
    points[5].y = inf - inf;
    CHECK(nsc_hull_from_points(&h, points, n, 8, NULL) == NSC_ERR_NOT_FINITE);
    points[5].y = NSC_REAL_MAX;
    CHECK(nsc_hull_from_points(&h, points, n, 8, NULL) == NSC_ERR_NOT_FINITE);
    for (i = 0; i < 200; i++) points[i] = at(coordinate(), coordinate(), 1e-4 * coordinate());
    CHECK(nsc_hull_from_points(&h, points, 200, 8, NULL) == NSC_ERR_ARGUMENT); /* flat */
    for (i = 0; i < 200; i++) points[i] = at(i, 2 * i, 3 * i);
    CHECK(nsc_hull_from_points(&h, points, 200, 8, NULL) == NSC_ERR_ARGUMENT); /* a line */
    for (i = 0; i < 200; i++) points[i] = at(1, 1, 1);
    CHECK(nsc_hull_from_points(&h, points, 200, 8, NULL) == NSC_ERR_ARGUMENT); /* a point */
    CHECK(nsc_hull_print(NULL, "x", NULL, NULL) == NSC_ERR_ARGUMENT);
    begin();
    for (i = 0; i < 300; i++) points[i] = at(i & 1, i >> 1 & 1, i >> 2 & 1);
    CHECK(world_add_points(&world, NSC_GROUND, &def, points, 300) >= 0); /* a cube and 292 duplicates */
    CHECK(world.hulls[0]->vertices == 8 && world.hulls[0]->faces == 6);
    for (i = 0; i < MANY; i++) {
        double z = 2 * (i + 0.5) / MANY - 1, r = sqrt(1 - z * z), t = 2.399963 * i;
        points[i] = at(r * cos(t), r * sin(t), z);
    }
    CHECK(world_add_points(&world, NSC_GROUND, &def, points, MANY) == NSC_ERR_CAPACITY);
}

/* Each wrong hull is refused with its code, and the world does not change. */
static void a_hull_that_is_none_is_refused(void)
{
    static const struct { const char *what; int code; } wrong[] = {
        {"no corners", NSC_ERR_ARGUMENT}, {"too many corners", NSC_ERR_CAPACITY}, {"too many faces", NSC_ERR_CAPACITY},
        {"three faces", NSC_ERR_ARGUMENT}, {"an index out of range", NSC_ERR_ARGUMENT}, {"a face of two corners", NSC_ERR_ARGUMENT},
        {"faces that overrun", NSC_ERR_ARGUMENT}, {"turned inside out", NSC_ERR_ARGUMENT}, {"open", NSC_ERR_ARGUMENT},
        {"dented", NSC_ERR_ARGUMENT}, {"a face that is not plane", NSC_ERR_ARGUMENT}, {"NaN", NSC_ERR_NOT_FINITE},
        {"too large", NSC_ERR_NOT_FINITE}, {"flat", NSC_ERR_ARGUMENT}, {"a corner of no face", NSC_ERR_ARGUMENT},
        {"first not 0", NSC_ERR_ARGUMENT}, {"a face twice", NSC_ERR_ARGUMENT}};
    nsc_hull cube = {0}, h;
    uint32_t before;
    int n = solid(1), i, k, swap;
    begin();
    CHECK(nsc_hull_from_points(&cube, points, n, 7, NULL) == NSC_ERR_CAPACITY); /* a corner too few */
    CHECK(cube.vertices == 0);
    CHECK(nsc_hull_from_points(&cube, points, n, 8, NULL) == NSC_OK);
    before = nsc_world_hash(&world);
    for (i = 0; i < (int)(sizeof wrong / sizeof wrong[0]); i++) {
        nsc_refusal why;
        int code;
        h = cube;
        if (i == 0) h.vertices = 0;
        if (i == 1) h.vertices = NSC_HULL_VERTICES + 1;
        if (i == 2) h.faces = NSC_HULL_FACES + 1;
        if (i == 3) h.faces = 3;
        if (i == 4) h.corner[7] = 8;
        if (i == 5) h.first[1] = 2;
        if (i == 6) h.first[6] = 255;
        if (i == 7)
            for (k = 0; k < h.faces; k++) swap = h.corner[4 * k], h.corner[4 * k] = h.corner[4 * k + 2], h.corner[4 * k + 2] = (uint8_t)swap;
        if (i == 8) h.faces = 5;
        if (i == 9) h.vertex[0] = at(-(double)h.vertex[0].x / 2, -(double)h.vertex[0].y / 2, -(double)h.vertex[0].z / 2);
        if (i == 10) h.vertex[0] = at((double)h.vertex[0].x * 1.1, (double)h.vertex[0].y, (double)h.vertex[0].z);
        if (i == 11) h.vertex[3].y = NSC_REAL_MAX * 2 - NSC_REAL_MAX * 2;
        if (i == 12) h.vertex[3].y = NSC_REAL_MAX;
        if (i == 13)
            for (k = 0; k < 8; k++) h.vertex[k].z *= (nsc_real)1e-4;
        if (i == 14) h.vertices = 9, h.vertex[8] = at(0, 0, 0);
        if (i == 15) h.first[0] = 1;
        if (i == 16) memcpy(h.corner + 4, h.corner, 4);
        CASE("%s", wrong[i].what);
        code = world_add_hull(&world, NSC_GROUND, &def, &h);
        CHECK(code == wrong[i].code);
        if (code != wrong[i].code) printf("    %s: %d, expected %d\n", wrong[i].what, code, wrong[i].code);
        why = nsc_world_last_refusal(&world);
        CHECK(why.code == wrong[i].code && (strcmp(why.field, "nsc_hull") == 0 || strcmp(why.field, "NSC_HULL_VERTICES") == 0));
        CHECK(nsc_world_hash(&world) == before && world.hull_count == 0);
    }
    CASE_END();
    CHECK(world_add_hull(&world, NSC_GROUND, &def, NULL) == NSC_ERR_ARGUMENT);
}

static char table[20000];
static void keep(void *user, const char *text)
{
    (void)user;
    if (strlen(table) + strlen(text) < sizeof table) strcat(table, text);
}

/* The numbers of the printed table are those of the hull, to the last bit. */
static void a_printed_hull_reads_back(void)
{
    nsc_hull h;
    char *p;
    int i, equal = 1, n;
    for (i = 0; i < 60; i++) points[i] = at(coordinate(), coordinate() / 3, coordinate() * 1e-3 + coordinate());
    CHECK(nsc_hull_from_points(&h, points, 60, NSC_HULL_VERTICES, NULL) == NSC_OK);
    table[0] = 0;
    CHECK(nsc_hull_print(&h, "rock", keep, NULL) == NSC_OK);
    CHECK(strncmp(table, "static const nsc_hull rock = {", 30) == 0);
    p = table + 30;
    n = (int)strtol(p, &p, 10);
    equal &= n == h.vertices && (int)strtol(p + 1, &p, 10) == h.faces;
    p = strchr(p, '{');
    for (i = 0; i <= h.faces; i++) equal &= (int)strtol(p + 1, &p, 10) == h.first[i];
    p = strchr(p + 1, '{');
    for (i = 0; i < h.first[h.faces]; i++) equal &= (int)strtol(p + 1, &p, 10) == h.corner[i];
    p = strchr(p + 1, '{');
    for (i = 0; i < h.vertices; i++) {
        double x[3];
        int k;
        for (k = 0; k < 3; k++) {
            p = strstr(p, "NSC_R(");
            x[k] = strtod(p + 6, &p);
        }
        equal &= (nsc_real)x[0] == h.vertex[i].x && (nsc_real)x[1] == h.vertex[i].y && (nsc_real)x[2] == h.vertex[i].z;
    }
    CHECK(equal);
    CHECK(strstr(p, "}, NSC_R(") && strcmp(table + strlen(table) - 5, ")}};\n") == 0);
    table[0] = 0; /* what is no hull is not printed */
    h.corner[5] = (unsigned char)h.vertices;
    CHECK(nsc_hull_print(&h, "x", keep, NULL) == NSC_ERR_ARGUMENT);
    h.corner[5] = 0, h.first[3] = h.first[2];
    CHECK(nsc_hull_print(&h, "x", keep, NULL) == NSC_ERR_ARGUMENT);
    memset(&h, 0, sizeof h);
    CHECK(nsc_hull_print(&h, "x", keep, NULL) == NSC_ERR_ARGUMENT && table[0] == 0);
}

/* A const table as nsc_hull_print writes it: a body made of it weighs what the box does. */
static const nsc_hull wedge = {6, 5,
    {0, 3, 6, 10, 14, 18},
    {0, 2, 1, 3, 4, 5, 0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5},
    {{NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)},
     {NSC_R(2.0), NSC_R(0.0), NSC_R(0.0)},
     {NSC_R(0.0), NSC_R(1.0), NSC_R(0.0)},
     {NSC_R(0.0), NSC_R(0.0), NSC_R(3.0)},
     {NSC_R(2.0), NSC_R(0.0), NSC_R(3.0)},
     {NSC_R(0.0), NSC_R(1.0), NSC_R(3.0)}},
    {{0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {NSC_R(0.447213595), NSC_R(0.894427191), 0}, {-1, 0, 0}},
    3, {NSC_R(0.666666667), NSC_R(0.333333333), NSC_R(1.5)},
    {NSC_R(2.41666667), NSC_R(2.91666667), NSC_R(0.833333333), NSC_R(0.166666667), 0, 0}};

static const nsc_hull *const table_of_one = &wedge;

static void a_hull_in_flash_needs_no_builder(void)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_vec3 centre;
    nsc_real mass;
    nsc_id body;
    begin();
    body = nsc_world_add_body(&world, &d);
    def.density = 10;
    CHECK(nsc_world_set_hulls(&world, &table_of_one, 1) == NSC_OK && nsc_world_add_hull(&world, body, &def, 0) >= 0);
    CHECK(nsc_body_get_mass(&world, body, &mass, &centre, NULL) == NSC_OK);
    CHECK_NEAR(mass, 30, 1e-5);
    CHECK_NEAR(centre.x, 2.0 / 3, 1e-6);
    CHECK_NEAR(centre.y, 1.0 / 3, 1e-6);
    CHECK_NEAR(centre.z, 1.5, 1e-6);
}

/* A flat or inverted hull has no volume. */
static void hulls_without_volume_are_refused(void)
{
    static const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    nsc_shape_def s = nsc_default_hull_def();
    int flat, i, k;
    for (flat = 0; flat < 4; flat++) {
        nsc_hull h;
        memset(&h, 0, sizeof h);
        h.vertices = 8;
        h.faces = 6;
        for (i = 0; i < 8; i++) {
            double x = i % 4 == 1 || i % 4 == 2 ? 1 : -1, y = i % 4 > 1 ? 1 : -1, z = i > 3 ? 1 : -1;
            if (flat == 1) z = 0;
            if (flat == 2) z = -z; /* inside out */
            h.vertex[i] = vec(x, y, z);
            if (flat == 3) h.vertex[i] = vec(1e-14 * x, 1e-14 * y, 1e-14 * z);
        }
        for (i = 0; i < 6; i++) {
            h.first[i] = (uint8_t)(4 * i);
            for (k = 0; k < 4; k++) h.corner[4 * i + k] = (uint8_t)faces[i][k];
        }
        h.first[6] = 24;
        plain_world(0);
        i = world_add_hull(&world, bare_body(NSC_DYNAMIC_BODY, 0, 0, 1), &s, &h);
        CHECK(flat ? i < 0 : i > 0);
    }
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    platonic_solids_have_their_volume_and_inertia();
    a_ball_of_many_points_is_simplified_evenly();
    search("a cloud in a box gives eight corners", a_cloud_in_a_box_gives_eight_corners, trials(60, 2000));
    random_clouds_are_wrapped_or_refused();
    a_narrow_face_keeps_its_plane();
    hulls_of_narrow_faces_are_within_what_they_say();
    narrow_clouds_are_within_what_they_say();
    search("noise costs no corners", noise_costs_no_corners, trials(40, 1000));
    bad_input_has_its_code();
    a_hull_that_is_none_is_refused();
    a_printed_hull_reads_back();
    a_hull_in_flash_needs_no_builder();
    hulls_without_volume_are_refused();
    return TEST_END("hull");
}
