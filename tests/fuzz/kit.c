/* kit.c - the headers of examples/kit on any world.  The first byte of an input chooses a scene;
   then each byte is a call of nsc.h, as in api.c, or of the kit.  What is refused changes nothing,
   what is answered is finite, a hull is convex and holds its points, a motion comes back, and a
   world stays below what nsc_bound.h says.  With test_fuzz.c around it api.c is there already. */
#ifndef FUZZ_CORPUS
#define FUZZ_CORPUS
#define KIT_ALONE
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#define NSC_HULL_VERTICES 16
#include "api.c"
#endif
#include "nsc_motion.h"
#include "nsc_robot.h"
#define NSC_DERIVE_ROWS 36
#define NSCI_DERIVE_ITERATIONS 100 /* 200 sweeps each, at worst */
#include "nsc_derive.h"
#define NSC_SVG_FACES 200
#define NSC_SVG_SHAPES 4
#include "nsc_svg.h"
#include "nsc_bound.h"

/* What a target ends with: each input is run twice, the second time with other scratch. */
#define KIT_TWICE(name) \
    static int fuzz_##name(const uint8_t *data, size_t size) \
    { \
        uint32_t first = name##_run(data, size, -1); \
        FUZZ_CHECK(name##_run(data, size, 0xa5) == first); \
        return 0; \
    }

#ifdef KIT_ALONE
#define KIT_ENTRY(name) \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_##name(data, size); }
#else
#define KIT_ENTRY(name)
#endif

/* Refused: the state as it was.  Done: finite, and below the bounds. */
static int kit_result(int code)
{
    const nsc_world *w = &api_world;
    long substeps = w->def.substeps > 1 ? w->def.substeps : 1;
    api_digest = fuzz_mix(api_digest, &code, sizeof code);
    if (code < 0) FUZZ_CHECK(memcmp(&api_before, w, NSC_WORLD_STATE_SIZE) == 0);
    fuzz_check_state(w);
    FUZZ_CHECK(w->report.contacts <= NSC_BOUND_CONTACTS && w->report.pairs <= NSC_BOUND_PAIRS);
    FUZZ_CHECK(w->report.dropped <= NSC_BOUND_DROPPED * substeps);
    api_spoil(&api_world);
    return code;
}

#define KIT(call) (api_hold(), kit_result(call))

/* ---- nsc_hull.h */

static double kit_above(const nsc_hull *h, int face, nsc_vec3 p)
{
    nsc_vec3 at = h->vertex[h->corner[h->first[face]]], up = h->normal[face];
    return (double)up.x * ((double)p.x - (double)at.x) +
           (double)up.y * ((double)p.y - (double)at.y) +
           (double)up.z * ((double)p.z - (double)at.z);
}

/* Each edge once in each direction: closed.  Flat faces, nothing above them: convex. */
static void kit_check_hull(const nsc_hull *h, const nsc_vec3 *p, int n, int corners,
                           double size, double left_out)
{
    static uint8_t edge[NSC_HULL_VERTICES][NSC_HULL_VERTICES];
    double room = 16 * (double)NSC_REAL_EPS * (size + (double)NSC_REAL_MIN), most = 0;
    int f, i, edges = 0;
    memset(edge, 0, sizeof edge);
    FUZZ_CHECK(h->vertices >= 4 && h->vertices <= corners && h->faces >= 4);
    for (f = 0; f < h->faces; f++) {
        int begin = h->first[f], count = h->first[f + 1] - begin;
        FUZZ_CHECK(count >= 3);
        for (i = 0; i < count; i++, edges++) {
            int a = h->corner[begin + i], b = h->corner[begin + (i + 1) % count];
            FUZZ_CHECK(a < h->vertices && b < h->vertices && edge[a][b]++ == 0);
            FUZZ_CHECK(kit_above(h, f, h->vertex[a]) > -1e-3 * size - room);
        }
        for (i = 0; i < h->vertices; i++)
            FUZZ_CHECK(kit_above(h, f, h->vertex[i]) < 1e-3 * size + room);
        for (i = 0; i < n; i++) most = fmax(most, kit_above(h, f, p[i]));
    }
    for (i = 0; i < h->vertices; i++)
        for (f = 0; f < i; f++) FUZZ_CHECK(edge[i][f] == edge[f][i]);
    FUZZ_CHECK(edges / 2 == h->vertices + h->faces - 2); /* Euler */
    FUZZ_CHECK(fabs(most - left_out) <= room);
    FUZZ_CHECK(most <= 1e-3 * size + room || corners < n); /* corners enough for all points */
}

/* A cloud: odd numbers, a grid, a grid with a little noise, or a ball; then moved and scaled */
static int kit_cloud(fuzz_input *in, nsc_vec3 *p)
{
    int kind = fuzz_byte(in), n = fuzz_byte(in) % 33, i, k;
    nsc_real noise = kind & 4 ? NSC_R(3e-6) : NSC_R(5e-5);
    nsc_real scale = kind & 64 ? fuzz_real(in) : NSC_R(1.0);
    for (i = 0; i < n; i++) {
        int b = fuzz_byte(in);
        nsc_real *x = &p[i].x, length;
        for (k = 0; k < 3; k++) x[k] = (nsc_real)(b >> 2 * k & 3) / NSC_R(4.0);
        if (kind % 4 == 0) fuzz_reals(in, x, 3);
        for (k = 0; k < 3 && kind % 4 > 1; k++)
            x[k] += noise * ((nsc_real)fuzz_byte(in) - NSC_R(128.0));
        length = NSC_SQRT(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (k = 0; k < 3 && kind % 4 == 3; k++) x[k] /= length;
        for (k = 0; k < 3; k++) x[k] *= scale;
        if (kind & 128) x[kind & 1] += NSC_R(1000.0);
    }
    return n;
}

static void kit_hull(fuzz_input *in)
{
    nsc_vec3 p[32];
    nsc_hull hull, before;
    nsc_shape_def def = nsc_default_hull_def();
    nsc_real left_out = NSC_R(-1.0), size;
    int n = kit_cloud(in, p), corners = fuzz_byte(in) % (NSC_HULL_VERTICES + 2), i, code;
    nsc_id body = fuzz_handle(in);
    for (i = 0; i < (int)sizeof hull; i++) ((uint8_t *)&hull)[i] = (uint8_t)(i * 77 + corners);
    before = hull;
    code = nsc_hull_from_points(&hull, p, n, corners, corners % 2 ? &left_out : NULL);
    api_digest = fuzz_mix(api_digest, &code, sizeof code);
    if (code < 0) {
        FUZZ_CHECK(memcmp(&hull, &before, sizeof hull) == 0 && left_out == NSC_R(-1.0));
        nsc_hull_print(&hull, "odd", api_write, NULL);
    } else {
        size = nsci_wrap_size(p, n);
        FUZZ_CHECK(nsc_hull_from_points(&before, p, n, corners, &left_out) == code);
        FUZZ_CHECK(memcmp(&hull, &before, sizeof hull) == 0);
        kit_check_hull(&hull, p, n, corners, (double)size, (double)left_out);
        FUZZ_FINITE(hull.volume), FUZZ_FINITE(hull.centroid), FUZZ_FINITE(hull.inertia);
        FUZZ_CHECK(hull.volume > NSC_R(0.0));
        FUZZ_CHECK(nsc_hull_complete(&hull) == NSC_OK); /* again: the same */
        FUZZ_CHECK(memcmp(&hull, &before, sizeof hull) == 0);
        FUZZ_CHECK(nsc_hull_print(&hull, "rock", api_write, NULL) == NSC_OK);
        api_digest = fuzz_mix(api_digest, &hull, sizeof hull);
    }
    i = api_put_hull(&hull);
    FUZZ_CHECK(code < 0 || i < fuzz_hull_count);
    fuzz_keep(KIT(nsc_world_add_hull(&api_world, body, &def, i)));
}

/* ---- nsc_robot.h */

static const fuzz_field kit_links[] = {
    FUZZ_INT(nsc_robot_link_def, kind), FUZZ_REAL(nsc_robot_link_def, pose),
    FUZZ_REAL(nsc_robot_link_def, mass), FUZZ_REAL(nsc_robot_link_def, centre),
    FUZZ_REAL(nsc_robot_link_def, inertia)};
static const fuzz_field kit_joints[] = {
    FUZZ_INT(nsc_robot_joint_def, kind), FUZZ_INT(nsc_robot_joint_def, parent),
    FUZZ_INT(nsc_robot_joint_def, child), FUZZ_REAL(nsc_robot_joint_def, frame_a),
    FUZZ_REAL(nsc_robot_joint_def, frame_b), FUZZ_REAL(nsc_robot_joint_def, ratio),
    FUZZ_INT(nsc_robot_joint_def, limited), FUZZ_REAL(nsc_robot_joint_def, lower),
    FUZZ_REAL(nsc_robot_joint_def, effort), FUZZ_REAL(nsc_robot_joint_def, armature),
    FUZZ_REAL(nsc_robot_joint_def, spring), FUZZ_INT(nsc_robot_joint_def, drive),
    FUZZ_REAL(nsc_robot_joint_def, drive_stiffness)};
static const fuzz_field kit_shapes[] = {
    FUZZ_INT(nsc_robot_shape_def, link), FUZZ_INT(nsc_robot_shape_def, kind),
    FUZZ_REAL(nsc_robot_shape_def, pose), FUZZ_REAL(nsc_robot_shape_def, half),
    FUZZ_REAL(nsc_robot_shape_def, radius), FUZZ_REAL(nsc_robot_shape_def, friction)};

/* Slots in use: of bodies, shapes and joints */
static int kit_used(const nsc_world *w)
{
    int i, n = 0;
    for (i = 0; i < w->body_end; i++) n += w->bodies[i].generation % 2;
    for (i = 0; i < w->shape_end; i++) n += 256 * (w->shapes[i].generation % 2);
    for (i = 0; i < w->joint_end; i++) n += 65536 * (w->joints[i].generation % 2);
    return n;
}

static void kit_robot(fuzz_input *in)
{
    static nsc_robot_link_def link[4];
    static nsc_robot_joint_def joint[3];
    static nsc_robot_shape_def shape[3];
    static const nsc_robot_frame_def frame = {"tip", 0, {{0, 0, 0}, {1, 0, 0, 0}}};
    nsc_robot r = {"odd", 0, 0, 0, 0, 1, link, joint, shape, &frame, 0, 0, NULL, NULL, 3, fuzz_hulls};
    nsc_pose base = nsc_default_body_def().pose;
    nsc_id bodies[4], joints[3];
    nsc_real x[3], v[3], f[3];
    int how = fuzz_byte(in), i, code, used = kit_used(&api_world), told = 0;
    r.fixed_base = how & 1, r.links = how >> 1 & 3;
    r.joints = how >> 3 & 3, r.shapes = how >> 5 & 3;
    memset(link, 0, sizeof link), memset(joint, 0, sizeof joint), memset(shape, 0, sizeof shape);
    for (i = 0; i < 4; i++) {
        link[i].name = "link", link[i].kind = NSC_DYNAMIC_BODY, link[i].mass = NSC_R(1.0);
        link[i].inertia[0] = link[i].inertia[1] = link[i].inertia[2] = NSC_R(0.5);
        link[i].pose = base, link[i].pose.position.z = (nsc_real)(1 + i);
        if (how & 128) fuzz_change(in, &link[i], N(kit_links));
    }
    for (i = 0; i < 3; i++) {
        int kind = fuzz_byte(in);
        joint[i].name = "joint", joint[i].kind = kind % 32 == 0 ? NSC_JOINT_GEAR : NSC_JOINT_HINGE;
        joint[i].parent = i - 1, joint[i].child = i, joint[i].ratio = NSC_R(2.0);
        joint[i].frame_a = joint[i].frame_b = base, joint[i].frame_a.position.z = NSC_R(1.0);
        joint[i].drive = kind / 32 % 4;
        joint[i].drive_stiffness = joint[i].drive_damping = NSC_R(9.0);
        if (kind & 128) fuzz_change(in, &joint[i], N(kit_joints));
        shape[i].link = i, shape[i].kind = 1 + kind % 7;
        shape[i].pose = base, shape[i].hull = fuzz_hulls[i], shape[i].radius = NSC_R(0.25);
        shape[i].half = fuzz_at(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25));
        shape[i].category = shape[i].mask = UINT32_C(0xffffffff);
        if (kind & 16) fuzz_change(in, &shape[i], N(kit_shapes));
    }
    if (how & 128) fuzz_reals(in, &base.position.x, 7);
    code = nsc_robot_add(&api_world, &r, base, bodies, joints);
    for (i = 0; code < 0 && i < r.links; i++) told |= bodies[i] == code;
    for (i = 0; code < 0 && i < r.joints; i++) told |= joints[i] == code;
    if (code < 0) FUZZ_CHECK(kit_used(&api_world) == used);
    if (code < 0 && code != NSC_ERR_ARGUMENT)
        FUZZ_CHECK(told && nsc_world_last_refusal(&api_world).code == code);
    kit_result(code < 0 ? NSC_OK : code); /* refused: what was added is gone, its slots were used */
    for (i = 0; code == NSC_OK && i < r.links; i++) fuzz_keep(bodies[i]);
    for (i = 0; code == NSC_OK && i < r.joints; i++) fuzz_keep(joints[i]);
    FUZZ_CHECK(nsc_robot_link(&r, "tip") == 0 && nsc_robot_joint(&r, "no") < 0);
    for (i = 0; i < 3; i++) if (code < 0) joints[i] = fuzz_handle(in);
    code = nsc_robot_get_state(&api_world, &r, joints, x, v, f);
    for (i = 0; code == NSC_OK && i < r.joints; i++)
        FUZZ_CHECK(fuzz_finite(&x[i], 1) && fuzz_finite(&v[i], 1) && fuzz_finite(&f[i], 1));
    fuzz_reals(in, x, 3), fuzz_reals(in, v, 3);
    kit_result(nsc_robot_set_targets(&api_world, &r, joints, x, how & 64 ? v : NULL) < 0 ? 0 : 1);
    kit_result(nsc_robot_set_forces(&api_world, &r, joints, v) < 0 ? 0 : 1);
}

/* ---- nsc_motion.h */

/* Give the image the sum of what it now says, if its reader comes to the end. */
static void kit_sign(uint8_t *image, int size)
{
    nsci_motion_tape t;
    int k;
    nsci_motion_start(&t, &api_world, 0);
    t.to = &api_world, t.in = image, t.size = (uint32_t)size;
    nsci_motion_walk(&t, nsc_world_frame(&api_world));
    for (k = 0; k < 4 && t.at == t.size; k++) image[size - 4 + k] = (uint8_t)(t.sum >> 8 * k);
}

/* Save, do something else, come back; then an image that says anything */
static void kit_motion(fuzz_input *in)
{
    int how = fuzz_byte(in), flags = how & 64 ? fuzz_int(in) : how & 1, size, code, k;
    uint32_t hash = nsc_world_hash(&api_world), frame = nsc_world_frame(&api_world);
    uint8_t *image;
    size = KIT(nsc_world_motion_size(&api_world, flags));
    FUZZ_CHECK(size > 0 || size == NSC_ERR_ARGUMENT);
    if (size < 0) return;
    image = (uint8_t *)malloc((size_t)size);
    FUZZ_CHECK(image != NULL);
    code = KIT(nsc_world_save_motion(&api_world, image, size - 1 - how / 4 % 8, flags));
    FUZZ_CHECK(code == NSC_ERR_CAPACITY);
    FUZZ_CHECK(KIT(nsc_world_save_motion(&api_world, image, size, flags)) == size);
    for (k = how / 4 % 4; k > 0; k--) api_step(in);
    if (how & 2) api_set_def(in);
    code = KIT(nsc_world_load_motion(&api_world, image, size));
    if (frame == nsc_world_frame(&api_world))
        FUZZ_CHECK(code == NSC_OK && nsc_world_hash(&api_world) == hash);
    else FUZZ_CHECK(code == NSC_ERR_CONFIG);
    for (k = fuzz_byte(in) % 4; k > 0; k--) {
        int at = 256 * fuzz_byte(in);
        at = (12 + at + fuzz_byte(in)) % size;
        image[at] = (uint8_t)fuzz_byte(in);
    }
    if (how & 16) kit_sign(image, size);
    KIT(nsc_world_load_motion(&api_world, image, how & 32 ? fuzz_byte(in) % size : size));
    free(image);
}

/* ---- nsc_derive.h */

static nsc_derive kit_derivative;

static void kit_inputs(fuzz_input *in, nsc_derive_input *x)
{
    int i;
    for (i = 0; i < 4; i++) {
        int b = fuzz_byte(in);
        x[i].kind = b < 240 ? 1 + b % 13 : fuzz_int(in);
        x[i].axis = b < 240 ? b / 13 % 3 : fuzz_int(in);
        x[i].id = fuzz_handle(in);
    }
}

/* Refused: the numbers as they were; else finite */
static void kit_numbers(int code, const nsc_real *x, int n)
{
    int i;
    FUZZ_CHECK(strcmp(nsc_derive_error_text(code), nsc_derive_error_text(-1000)) != 0);
    if (code == NSC_OK) FUZZ_CHECK(fuzz_finite(x, n));
    for (i = 0; code < 0 && i < n; i++) FUZZ_CHECK(x[i] == NSC_R(7.0));
    kit_result(code);
    api_digest = fuzz_mix(api_digest, x, (size_t)n * sizeof *x);
}

static void kit_derive(fuzz_input *in)
{
    static nsc_real y[12 * NSC_MAX_BODIES];
    nsc_derive *d = &kit_derivative;
    nsc_derive_input a[4], b[4];
    nsc_real x[16], h = api_step_length(in);
    int how = fuzz_byte(in), n = how & 128 ? fuzz_int(in) % 5 : 4, i, code;
    int m = how & 64 ? fuzz_int(in) % 5 : 4, all = n > 0 && m > 0 ? n * m : 0;
    kit_inputs(in, a), kit_inputs(in, b);
    for (i = 0; i < 16; i++) x[i] = how & 32 ? fuzz_real(in) : NSC_R(0.25) * (nsc_real)(i % 3);
    for (i = 0; i < 12 * NSC_MAX_BODIES; i++) y[i] = NSC_R(7.0);
    code = KIT(nsc_derive_begin(d, &api_world, how & 16 && how & 8 ? &api_world : &api_other, h));
    if (code == NSC_OK) FUZZ_CHECK(fuzz_finite(&d->switch_speed, 2));
    api_hold();
    switch (how % 4) {
    case 0: kit_numbers(nsc_derive_product(d, a, n, x, y), y, 12 * NSC_MAX_BODIES); break;
    case 1: kit_numbers(nsc_derive_dense(d, a, n, b, m, y), y, all); break;
    case 2: kit_numbers(nsc_derive_directions(d, a, 4, x, n, b, m, y), y, all); break;
    default: kit_numbers(nsc_derive_transpose(d, a, n, b, m, x, y), y, n > 0 ? n : 0); break;
    }
}

/* ---- nsc_draw.h, nsc_dump.h, nsc_svg.h */

static int kit_colour(void *user, nsc_id body)
{
    (void)user;
    return (int)((unsigned)body * 12345u & 0xffffffu);
}

static void kit_picture(fuzz_input *in)
{
    static nsc_svg svg;
    static char text[65536];
    int how = fuzz_byte(in), room = how & 1 ? 1 + fuzz_byte(in) : (int)sizeof text, n;
    nsc_draw draw;
    FILE *file = fmemopen(text, (size_t)room, "w");
    nsc_real eye[6], h;
    memset(&draw, 0, sizeof draw), memset(text, 0, sizeof text);
    if (how & 2) draw.line = api_line;
    if (how & 4) draw.point = api_point;
    draw.force_scale = fuzz_real(in);
    KIT(nsc_world_draw(how & 8 ? NULL : &api_world, &draw, fuzz_int(in)));
    h = api_step_length(in), n = fuzz_int(in);
    KIT(nsc_world_dump(&api_world, h, n, how & 16 ? api_write : NULL, NULL));
    FUZZ_CHECK(file != NULL);
    n = fuzz_int(in);
    nsc_svg_begin(&svg, file, n, fuzz_int(in), "a world");
    if (how & 32) svg.colour = kit_colour;
    fuzz_reals(in, eye, 6);
    if (how & 64)
        nsc_svg_look(&svg, (double)eye[0], (double)eye[1], (double)eye[2], (double)eye[3],
                     (double)eye[4], (double)eye[5]);
    api_hold();
    FUZZ_CHECK(nsc_svg_world(&svg, &api_world, 0, 0, 300, how & 128 ? 0 : 200) >= 0);
    nsc_svg_text(&svg, 5, 5, 9, "start", "text"), nsc_svg_end(&svg);
    fclose(file);
    FUZZ_CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    kit_result(NSC_OK);
}

static uint32_t kit_run(const uint8_t *data, size_t size, int poison)
{
    fuzz_input in;
    int calls, pictures = 0, derivatives = 0; /* those take their time */
    uint32_t hash;
    in.at = data, in.end = data + size;
    api_poison = poison, api_trace = getenv("FUZZ_TRACE") != NULL;
    api_digest = UINT32_C(2166136261);
    memset(&api_world, poison, sizeof api_world), memset(&api_other, poison, sizeof api_other);
    memset(&kit_derivative, 0, sizeof kit_derivative);
    fuzz_scene(&api_world, fuzz_scene_of(fuzz_byte(&in)));
    api_spoil(&api_world);
    for (calls = 0; in.at < in.end && calls < 16; calls++) {
        int op = fuzz_byte(&in) % 10;
        if (op == 0) kit_hull(&in);
        else if (op == 1) kit_robot(&in);
        else if (op == 2) kit_motion(&in);
        else if (op == 3 && derivatives++ == 0) kit_derive(&in);
        else if (op == 4 && pictures++ == 0) kit_picture(&in);
        else api_call(&in);
    }
    hash = nsc_world_hash(&api_world);
    return fuzz_mix(api_digest, &hash, sizeof hash);
}

KIT_TWICE(kit)

#ifndef KIT_TARGET
KIT_ENTRY(kit)
#endif
