/* api.c - any sequence of calls of nsc.h.  The first byte of an input chooses a scene; then each byte is a call, followed by
   what the call needs.  A call that is refused must leave the state as it was, a call that is not must leave it finite;
   the same bytes must give the same answers whatever the scratch held before; an image must go on as its world does. */
#include "world.h"
#include <limits.h>
#include "nsc_draw.h"
#include "nsc_dump.h"

static nsc_world api_world, api_before, api_other;
static uint32_t api_digest;
static nsc_shape_def api_shape;
static int api_trace;
static int api_poison; /* -1: scratch is left alone; else the byte it is filled with between two calls */

/* Scratch that no call may count on: all but your waiting contacts and what nsc_world_island and nsc_body_get_island tell. */
static void api_spoil(nsc_world *w)
{
    size_t own = offsetof(nsc_world, found) + (size_t)w->found_count * sizeof *w->found;
    char *bytes = (char *)w;
    if (api_poison < 0) return;
    memset(bytes + own, api_poison, offsetof(nsc_world, islands) - own);
    memset(bytes + offsetof(nsc_world, members), api_poison, sizeof *w - offsetof(nsc_world, members));
}

static void api_hold(void)
{
    memcpy(&api_before, &api_world, offsetof(nsc_world, next_manifold));
}

/* Every call of the world ends here.  With FUZZ_TRACE in the environment each is printed with its code. */
static int api_result(int code, const char *call)
{
    const nsc_world *w = &api_world;
    api_digest = fuzz_mix(api_digest, &code, sizeof code);
    if (api_trace) fprintf(stderr, "%-60.60s %11d  state %08lx, answers %08lx\n", call, code, (unsigned long)nsc_world_hash(w), (unsigned long)api_digest);
    if (code < 0) {
        FUZZ_CHECK(memcmp(&api_before, w, NSC_WORLD_STATE_SIZE) == 0);
        /* A refused step may have lost contacts of yours that deeper ones displaced, and nothing else */
        FUZZ_CHECK(w->found_count <= api_before.found_count);
        if (w->found_count == api_before.found_count)
            FUZZ_CHECK(memcmp(api_before.found, w->found, (size_t)w->found_count * sizeof *w->found) == 0);
        FUZZ_CHECK(strcmp(nsc_error_text(code), nsc_error_text(-1000)) != 0);
        if (strstr(call, "draw") == NULL && strstr(call, "ray") == NULL) /* they take a const world */
            FUZZ_CHECK(nsc_world_last_refusal(w).code == code && nsc_world_last_refusal(w).field[0] != 0);
    } else fuzz_check_state(w), fuzz_check_report(w);
    api_spoil(&api_world);
    return code;
}

#define API(call) (api_hold(), api_result(call, #call))

/* ---- definitions */

#define N(table) table, (int)(sizeof table / sizeof *table)
enum { API_OLD_WORLD_FIELDS = 34, API_OLD_BODY_FIELDS = 10, API_OLD_SHAPE_FIELDS = 18 }; /* see fuzz_change_newer */

static const fuzz_field api_world_fields[] = {
    FUZZ_REAL(nsc_world_def, gravity), FUZZ_REAL(nsc_world_def, margin), FUZZ_REAL(nsc_world_def, slop),
    FUZZ_REAL(nsc_world_def, recovery), FUZZ_REAL(nsc_world_def, recovery_speed), FUZZ_REAL(nsc_world_def, bounce_speed),
    FUZZ_REAL(nsc_world_def, match_distance), FUZZ_REAL(nsc_world_def, joint_recovery), FUZZ_REAL(nsc_world_def, joint_speed),
    FUZZ_REAL(nsc_world_def, sleep_time), FUZZ_REAL(nsc_world_def, sleep_speed), FUZZ_INT(nsc_world_def, substeps),
    FUZZ_INT(nsc_world_def, stepper), FUZZ_REAL(nsc_world_def, alpha), FUZZ_REAL(nsc_world_def, beta),
    FUZZ_REAL(nsc_world_def, gamma), FUZZ_INT(nsc_world_def, newton_steps), FUZZ_REAL(nsc_world_def, newton_tolerance),
    FUZZ_INT(nsc_world_def, contact_model), FUZZ_INT(nsc_world_def, contact_law), FUZZ_REAL(nsc_world_def, contact_speed),
    FUZZ_REAL(nsc_world_def, contact_radius), FUZZ_INT(nsc_world_def, tag), FUZZ_INT(nsc_world_def, solver.judge),
    FUZZ_INT(nsc_world_def, solver.law), FUZZ_INT(nsc_world_def, solver.max_iterations),
    FUZZ_REAL(nsc_world_def, solver.tolerance), FUZZ_INT(nsc_world_def, solver.stall_window),
    FUZZ_INT(nsc_world_def, solver.check_interval), FUZZ_INT(nsc_world_def, solver.warm_start),
    FUZZ_REAL(nsc_world_def, solver.omega), FUZZ_INT(nsc_world_def, solver.symmetric), FUZZ_INT(nsc_world_def, solver.passes),
    FUZZ_INT(nsc_world_def, solver.barrier), FUZZ_INT(nsc_world_def, solver.max_factorizations),
    FUZZ_INT(nsc_world_def, keep_manifolds),
    FUZZ_INT(nsc_world_def, solver.judge), /* newer from here on */
#if NSC_BARRIER
    FUZZ_REAL(nsc_world_def, barrier_distance), FUZZ_REAL(nsc_world_def, barrier_speed),
#endif
    FUZZ_REAL(nsc_world_def, solver.relative_tolerance),
};
static const fuzz_field api_body_fields[] = {
    FUZZ_INT(nsc_body_def, kind), FUZZ_INT(nsc_body_def, particle), FUZZ_REAL(nsc_body_def, pose.position),
    FUZZ_REAL(nsc_body_def, pose.orientation), FUZZ_REAL(nsc_body_def, velocity), FUZZ_REAL(nsc_body_def, angular_velocity),
    FUZZ_REAL(nsc_body_def, gravity_scale), FUZZ_REAL(nsc_body_def, mass), FUZZ_REAL(nsc_body_def, centre),
    FUZZ_REAL(nsc_body_def, inertia),
    FUZZ_INT(nsc_body_def, locks), FUZZ_REAL(nsc_body_def, linear_damping), /* newer from here on */
    FUZZ_REAL(nsc_body_def, angular_damping), FUZZ_BITS(nsc_body_def, user)};
static const fuzz_field api_shape_fields[] = {
    FUZZ_INT(nsc_shape_def, kind), FUZZ_INT(nsc_shape_def, sensor), FUZZ_BITS(nsc_shape_def, category),
    FUZZ_BITS(nsc_shape_def, mask), FUZZ_REAL(nsc_shape_def, pose.position), FUZZ_REAL(nsc_shape_def, pose.orientation),
    FUZZ_REAL(nsc_shape_def, half), FUZZ_REAL(nsc_shape_def, radius), FUZZ_REAL(nsc_shape_def, density),
    FUZZ_REAL(nsc_shape_def, friction), FUZZ_REAL(nsc_shape_def, restitution), FUZZ_REAL(nsc_shape_def, stiffness),
    FUZZ_REAL(nsc_shape_def, damping), FUZZ_REAL(nsc_shape_def, rolling), FUZZ_REAL(nsc_shape_def, torsion),
    FUZZ_REAL(nsc_shape_def, young), FUZZ_REAL(nsc_shape_def, poisson), FUZZ_REAL(nsc_shape_def, cohesion),
    FUZZ_REAL(nsc_shape_def, surface_velocity), FUZZ_BITS(nsc_shape_def, user)}; /* newer */
static const fuzz_field api_spring_fields[] = {
    FUZZ_HANDLE(nsc_spring_def, body_a), FUZZ_HANDLE(nsc_spring_def, body_b), FUZZ_REAL(nsc_spring_def, point_a),
    FUZZ_REAL(nsc_spring_def, point_b), FUZZ_REAL(nsc_spring_def, rest), FUZZ_REAL(nsc_spring_def, stiffness),
    FUZZ_REAL(nsc_spring_def, damping)};
static const fuzz_field api_joint_fields[] = {
    FUZZ_INT(nsc_joint_def, kind), FUZZ_INT(nsc_joint_def, collide), FUZZ_HANDLE(nsc_joint_def, body_a),
    FUZZ_HANDLE(nsc_joint_def, body_b), FUZZ_HANDLE(nsc_joint_def, joint_a), FUZZ_HANDLE(nsc_joint_def, joint_b),
    FUZZ_REAL(nsc_joint_def, ratio), FUZZ_REAL(nsc_joint_def, frame_a), FUZZ_REAL(nsc_joint_def, frame_b)};
static const fuzz_field api_axis_fields[] = {
    FUZZ_INT(nsc_axis_def, limited), FUZZ_INT(nsc_axis_def, drive), FUZZ_REAL(nsc_axis_def, lower),
    FUZZ_REAL(nsc_axis_def, upper), FUZZ_REAL(nsc_axis_def, target), FUZZ_REAL(nsc_axis_def, target_velocity),
    FUZZ_REAL(nsc_axis_def, stiffness), FUZZ_REAL(nsc_axis_def, damping), FUZZ_REAL(nsc_axis_def, max_force),
    FUZZ_REAL(nsc_axis_def, friction), FUZZ_REAL(nsc_axis_def, spring), FUZZ_REAL(nsc_axis_def, spring_damping),
    FUZZ_REAL(nsc_axis_def, spring_rest), FUZZ_REAL(nsc_axis_def, force), FUZZ_REAL(nsc_axis_def, max_speed),
    FUZZ_REAL(nsc_axis_def, armature), FUZZ_REAL(nsc_axis_def, limit_stiffness), FUZZ_REAL(nsc_axis_def, limit_damping)};
static const fuzz_field api_contact_fields[] = {
    FUZZ_HANDLE(nsc_contact, body_a), FUZZ_HANDLE(nsc_contact, body_b), FUZZ_BITS(nsc_contact, feature),
    FUZZ_REAL(nsc_contact, point), FUZZ_REAL(nsc_contact, normal), FUZZ_REAL(nsc_contact, gap),
    FUZZ_REAL(nsc_contact, friction), FUZZ_REAL(nsc_contact, restitution), FUZZ_REAL(nsc_contact, stiffness),
    FUZZ_REAL(nsc_contact, damping), FUZZ_REAL(nsc_contact, rolling), FUZZ_REAL(nsc_contact, torsion),
    FUZZ_REAL(nsc_contact, hertz), FUZZ_REAL(nsc_contact, tangential), FUZZ_REAL(nsc_contact, cohesion)};

/* A step's work is bounded by these numbers; the input may have it large, but not for minutes. */
static void api_bound(nsc_world_def *d)
{
    if (d->solver.max_iterations > 20) d->solver.max_iterations = 20;
    if (d->solver.passes > 8) d->solver.passes = 8;
    if (d->newton_steps > 4 && d->newton_steps <= 1000) d->newton_steps = 4;
    if (d->substeps > 3 && d->substeps <= 64) d->substeps = 3;
}

static nsc_world_def api_world_def(fuzz_input *in)
{
    nsc_world_def d = api_world.def;
    int choice = fuzz_byte(in);
    d.stepper = 1 + choice % 7;
    stepped_by = 1 + choice / 7 % 8;
    d.solver.law = 1 + choice / 56 % 3;
    d.contact_model = choice >= 168 ? NSC_CONTACT_SMOOTH : NSC_CONTACT_HARD;
#if NSC_BARRIER
    if (choice >= 224) d.contact_law = NSC_SMOOTH_BARRIER;
    if (choice >= 240) d.stepper = NSC_STEPPER_EULER_IMPLICIT, d.sleep_time = NSC_R(0.0), d.substeps = 1;
#endif
    fuzz_change_newer(in, &d, N(api_world_fields), API_OLD_WORLD_FIELDS);
    api_bound(&d);
    return d;
}

static nsc_body_def api_body_def(fuzz_input *in)
{
    nsc_body_def d = nsc_default_body_def();
    int b = fuzz_byte(in);
    d.pose.position.x = (nsc_real)(b % 16) * NSC_R(0.125) - NSC_R(1.0);
    d.pose.position.z = (nsc_real)(b / 16 % 8) * NSC_R(0.25);
    if (b >= 128) d.mass = d.inertia[0] = d.inertia[1] = d.inertia[2] = NSC_R(1.0);
    fuzz_change_newer(in, &d, N(api_body_fields), API_OLD_BODY_FIELDS);
    return d;
}

static nsc_shape_def api_shape_def(fuzz_input *in)
{
    nsc_shape_def d = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    int b = fuzz_byte(in);
    d.kind = 1 + b % 7;
    d.radius = NSC_R(0.25) + (nsc_real)(b / 64) * NSC_R(0.125);
    if (b & 8) d.rolling = d.torsion = NSC_R(0.0625);
    if (b & 16) d.restitution = NSC_R(0.75);
    fuzz_change_newer(in, &d, N(api_shape_fields), API_OLD_SHAPE_FIELDS);
    return d;
}

static nsc_spring_def api_spring_def(fuzz_input *in)
{
    nsc_id a = fuzz_handle(in), b = fuzz_handle(in);
    nsc_spring_def d = nsc_default_spring_def(a, b);
    d.stiffness = NSC_R(100.0);
    fuzz_change(in, &d, N(api_spring_fields));
    return d;
}

static nsc_axis_def api_axis_def(fuzz_input *in)
{
    nsc_axis_def d = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, NSC_GROUND).axis[0];
    int b = fuzz_byte(in);
    d.limited = b & 1, d.lower = NSC_R(-0.5), d.upper = b & 2 ? NSC_R(-0.5) : NSC_R(0.5);
    d.drive = b / 4 % 4, d.stiffness = NSC_R(50.0), d.damping = NSC_R(1.0);
    d.friction = b & 16 ? NSC_R(1.0) : NSC_R(0.0);
    d.spring = b & 32 ? NSC_R(20.0) : NSC_R(0.0);
    d.armature = b & 64 ? NSC_R(0.5) : NSC_R(0.0);
    d.limit_stiffness = b & 128 ? NSC_R(200.0) : NSC_R(0.0);
    d.force = d.drive == NSC_DRIVE_FORCE ? NSC_R(3.0) : NSC_R(0.0);
    fuzz_change(in, &d, N(api_axis_fields));
    return d;
}

static nsc_joint_def api_joint_def(fuzz_input *in)
{
    int kind = fuzz_byte(in), k, known;
    nsc_id a = fuzz_handle(in), b = fuzz_handle(in);
    nsc_joint_def d = nsc_default_joint_def(1 + kind % 9, a, b);
    nsc_vec3 point, axis, across;
    if (d.kind == NSC_JOINT_GEAR) d.joint_a = a, d.joint_b = b;
    fuzz_change(in, &d, N(api_joint_fields));
    for (k = 0; k < 3 && kind >= 128; k++) d.axis[k] = api_axis_def(in);
    if (kind & 32) {
        fuzz_reals(in, &point.x, 3), fuzz_reals(in, &axis.x, 3), fuzz_reals(in, &across.x, 3);
        known = nsc_joint_place(&api_world, &d, point, axis, across);
        api_digest = fuzz_mix(api_digest, &known, sizeof known);
        if (known >= 0) FUZZ_FINITE(d.frame_a), FUZZ_FINITE(d.frame_b);
    }
    return d;
}

static nsc_contact api_contact(fuzz_input *in)
{
    nsc_contact c = nsc_default_contact();
    c.body_a = fuzz_handle(in), c.body_b = fuzz_handle(in);
    c.sensor = (uint8_t)(fuzz_byte(in) >> 6);
    fuzz_change(in, &c, N(api_contact_fields));
    return c;
}

/* ---- calls that build */

/* Give the world the table of hulls with one more: completed, or refused as it was.  Returns its index, which the table has not if it was refused. */
static int api_put_hull(nsc_hull *hull)
{
    nsc_world *w = &api_world;
    nsc_hull *own;
    nsc_hull before;
    int code, n = fuzz_hull_count;
    if (n == FUZZ_ENTRIES) return n - 1;
    own = &fuzz_own_hulls[n], fuzz_hulls[n] = own;
    memcpy(&before, hull, sizeof before);
    code = nsc_hull_complete(hull);
    if (code < 0) FUZZ_CHECK(memcmp(&before, hull, sizeof before) == 0);
    memcpy(own, hull, sizeof *own);
    own->volume = -hull->volume; /* of no hull, made or not */
    FUZZ_CHECK(API(nsc_world_set_hulls(w, fuzz_hulls, n + 1)) < 0);
    own->volume = hull->volume;
    if (code < 0) {
        FUZZ_CHECK(API(nsc_world_set_hulls(w, fuzz_hulls, n + 1)) < 0);
        return n;
    }
    FUZZ_FINITE(own->volume), FUZZ_FINITE(own->centroid), FUZZ_FINITE(own->inertia);
    FUZZ_CHECK(API(nsc_world_set_hulls(w, fuzz_hulls, n + 1)) == NSC_OK);
    return fuzz_hull_count++;
}

static void api_add_hull(fuzz_input *in)
{
    nsc_vec3 points[16];
    nsc_hull hull;
    nsc_shape_def d = nsc_default_hull_def();
    nsc_id body = fuzz_handle(in);
    int i, n = fuzz_byte(in) % 17;
    for (i = 0; i < n; i++) fuzz_reals(in, &points[i].x, 3);
    fuzz_change_newer(in, &d, N(api_shape_fields), API_OLD_SHAPE_FIELDS);
    memset(&hull, 0, sizeof hull);
    if (nsc_hull_from_points(&hull, points, n, NSC_HULL_VERTICES, NULL) < 0) { /* then one of any bytes */
        hull.vertices = (uint8_t)fuzz_byte(in);
        hull.faces = (uint8_t)fuzz_byte(in);
        for (i = 0; i < NSC_HULL_FACES; i++) hull.first[i + 1] = (uint8_t)fuzz_byte(in);
        for (i = 0; i < NSC_HULL_CORNERS; i++) hull.corner[i] = (uint8_t)fuzz_byte(in);
        for (i = 0; i < n && i < NSC_HULL_VERTICES; i++) hull.vertex[i] = points[i];
    }
    i = api_put_hull(&hull);
    fuzz_keep(API(nsc_world_add_hull(&api_world, body, &d, i)));
}

/* How many entries a table is said to have: not more than the tables of world.h have, unless it is more than nsc takes */
static int api_table_count(int nx, int ny)
{
    int count = ny == -1 ? -1 - nx : -3 - ny;
    return ny == -1 && count > 4 && count <= 65535 ? count % 5 : count;
}

/* nx: the mesh; an odd ny: the table first, one way or another */
static void api_add_mesh(fuzz_input *in, nsc_id body, int nx, int ny)
{
    nsc_shape_def d = nsc_default_mesh_def();
    if (ny % 2) API(nsc_world_set_meshes(&api_world, ny == -1 ? fuzz_meshes : NULL, api_table_count(nx, ny)));
    fuzz_change_newer(in, &d, N(api_shape_fields), API_OLD_SHAPE_FIELDS);
    fuzz_keep(API(nsc_world_add_mesh(&api_world, body, &d, -1 - nx)));
}

/* The same for hulls and height fields; an even nx and ny = -3: the turned tables */
static void api_add_named(fuzz_input *in, nsc_id body, int nx, int ny, int hull)
{
    nsc_shape_def d = hull ? nsc_default_hull_def() : nsc_default_height_field_def();
    int set = ny % 2, turned = ny == -3 && nx % 2 == 0, count = turned ? FUZZ_MADE : api_table_count(nx, ny);
    const nsc_hull *const *hulls = turned ? fuzz_turned_hulls : ny == -1 ? fuzz_hulls : NULL;
    const nsc_heights *const *fields = turned ? fuzz_turned_fields : ny == -1 ? fuzz_fields : NULL;
    if (set && hull) API(nsc_world_set_hulls(&api_world, hulls, count));
    if (set && !hull) API(nsc_world_set_fields(&api_world, fields, count));
    fuzz_change_newer(in, &d, N(api_shape_fields), API_OLD_SHAPE_FIELDS);
    if (hull) fuzz_keep(API(nsc_world_add_hull(&api_world, body, &d, -1 - nx)));
    else fuzz_keep(API(nsc_world_add_height_field(&api_world, body, &d, -1 - nx)));
}

/* Give the world the table of height fields with one more, of any heights and steps: first with a range that may not be theirs, then with the
   right one.  Counts are what they are cast to, but that a field has no more heights than there are, unless it is refused for their number.
   Returns its index. */
static int api_put_field(const nsc_real *height, int nx, int ny, nsc_real dx, nsc_real dy)
{
    nsc_world *w = &api_world;
    int code, i, in = 1, n = fuzz_field_count;
    nsc_heights *own;
    uint32_t samples;
    if (n == FUZZ_ENTRIES) return n - 1;
    own = &fuzz_own_fields[n], fuzz_fields[n] = own;
    memcpy(fuzz_own_samples[n], height, sizeof fuzz_own_samples[n]);
    own->height = fuzz_own_samples[n], own->nx = (uint16_t)nx, own->ny = (uint16_t)ny;
    own->dx = dx, own->dy = dy, own->low = own->high = height[0];
    samples = (uint32_t)own->nx * own->ny;
    if (samples > FUZZ_SAMPLES && samples <= INT_MAX / 2) {
        own->nx = (uint16_t)(2 + own->nx % 3), own->ny = (uint16_t)(2 + own->ny % 2);
        samples = (uint32_t)own->nx * own->ny;
    }
    for (i = 0; i < FUZZ_SAMPLES; i++) in &= (uint32_t)i >= samples || height[i] == height[0];
    code = API(nsc_world_set_fields(w, fuzz_fields, n + 1));
    FUZZ_CHECK(code < 0 || in);
    if (samples > FUZZ_SAMPLES) FUZZ_CHECK(code == NSC_ERR_ARGUMENT);
    else FUZZ_CHECK(nsc_heights_complete(own) == (samples > 0 ? NSC_OK : NSC_ERR_ARGUMENT));
    for (i = 0; i < FUZZ_SAMPLES && (uint32_t)i < samples; i++)
        if (fuzz_finite(height, FUZZ_SAMPLES)) FUZZ_CHECK(samples > FUZZ_SAMPLES || (own->low <= height[i] && own->high >= height[i]));
    code = API(nsc_world_set_fields(w, fuzz_fields, n + 1));
    if (code >= 0) {
        nsc_real cell[2];
        cell[0] = own->dx * own->dy, cell[1] = NSC_R(1.0) / cell[0];
        FUZZ_CHECK(own->nx > 1 && own->ny > 1 && own->dx > 0 && own->dy > 0);
        FUZZ_CHECK(fuzz_finite(height, (int)samples) && fuzz_finite(cell, 2)); /* so that each triangle has a normal */
    }
    return code < 0 ? n : fuzz_field_count++;
}

static void api_add_field(fuzz_input *in)
{
    nsc_real height[FUZZ_SAMPLES], dx, dy;
    nsc_shape_def d = nsc_default_height_field_def();
    nsc_id body = fuzz_handle(in);
    int nx = fuzz_int(in), ny = fuzz_int(in), i;
    if (nx < 0 && ny < 0) { /* no height field has these */
        i = fuzz_byte(in) % 4;
        if (i < 2) api_add_mesh(in, body, nx, ny);
        else api_add_named(in, body, nx, ny, i == 2);
        return;
    }
    dx = fuzz_real(in), dy = fuzz_real(in);
    for (i = 0; i < FUZZ_SAMPLES; i++) height[i] = i < 6 ? fuzz_real(in) : (nsc_real)i / NSC_R(64.0);
    fuzz_change_newer(in, &d, N(api_shape_fields), API_OLD_SHAPE_FIELDS);
    i = api_put_field(height, nx, ny, dx, dy);
    fuzz_keep(API(nsc_world_add_height_field(&api_world, body, &d, i)));
}

static void api_add(fuzz_input *in, int what)
{
    nsc_world *w = &api_world;
    if (what == 0) {
        nsc_body_def d = api_body_def(in);
        fuzz_keep(API(nsc_world_add_body(w, &d)));
    } else if (what == 1) {
        nsc_id body = fuzz_handle(in);
        nsc_shape_def d = api_shape_def(in);
        fuzz_keep(API(nsc_world_add_shape(w, body, &d)));
    } else if (what == 2) {
        nsc_spring_def d = api_spring_def(in);
        fuzz_keep(API(nsc_world_add_spring(w, &d)));
    } else if (what == 3) {
        nsc_joint_def d = api_joint_def(in);
        fuzz_keep(API(nsc_world_add_joint(w, &d)));
    } else if (what == 4) {
        nsc_contact c = api_contact(in);
        API(nsc_world_add_contact(w, &c));
    } else if (what == 5) api_add_hull(in);
    else api_add_field(in);
}

/* A handle is refused once what it names is gone. */
static void api_remove(fuzz_input *in)
{
    nsc_world *w = &api_world;
    int what = fuzz_byte(in) % 4;
    nsc_id id = fuzz_handle(in);
    if (what == 0 && API(nsc_world_remove_body(w, id)) >= 0) FUZZ_CHECK(nsc_body_get_pose(w, id, NULL) == NSC_ERR_HANDLE);
    if (what == 1 && API(nsc_world_remove_shape(w, id)) >= 0) FUZZ_CHECK(nsc_world_remove_shape(w, id) == NSC_ERR_HANDLE);
    if (what == 2 && API(nsc_world_remove_spring(w, id)) >= 0) FUZZ_CHECK(nsc_world_remove_spring(w, id) == NSC_ERR_HANDLE);
    if (what == 3 && API(nsc_world_remove_joint(w, id)) >= 0) FUZZ_CHECK(nsc_world_remove_joint(w, id) == NSC_ERR_HANDLE);
}

/* ---- calls that change */

static void api_set_def(fuzz_input *in)
{
    nsc_world *w = &api_world;
    int what = fuzz_byte(in) % 8, axis;
    nsc_id id;
    if (what < 2) {
        nsc_world_def d = api_world_def(in);
        API(what ? nsc_world_set_def(w, &d) : nsc_world_init(w, &d));
        return;
    }
    id = fuzz_handle(in);
    if (what == 2) {
        nsc_shape_def d = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
        nsc_shape_get_def(w, id, &d);
        fuzz_change_newer(in, &d, N(api_shape_fields), API_OLD_SHAPE_FIELDS);
        API(nsc_shape_set_def(w, id, &d));
    } else if (what == 3) {
        nsc_spring_def d = nsc_default_spring_def(NSC_GROUND, NSC_GROUND);
        nsc_spring_get_def(w, id, &d);
        fuzz_change(in, &d, N(api_spring_fields));
        API(nsc_spring_set_def(w, id, &d));
    } else if (what == 4) {
        nsc_axis_def d = api_axis_def(in);
        axis = fuzz_int(in);
        API(nsc_joint_set_axis(w, id, axis, &d));
    } else if (what == 5) {
        nsc_real force = fuzz_real(in);
        axis = fuzz_int(in);
        API(nsc_joint_set_force(w, id, axis, force));
    } else if (what == 6) {
        nsc_real position = fuzz_real(in), velocity = fuzz_real(in);
        axis = fuzz_int(in);
        API(nsc_joint_set_state(w, id, axis, position, velocity));
    } else {
        nsc_real target = fuzz_real(in), velocity = fuzz_real(in);
        axis = fuzz_int(in);
        API(nsc_joint_set_target(w, id, axis, target, velocity));
    }
}

static void api_set_body(fuzz_input *in)
{
    nsc_world *w = &api_world;
    int what = fuzz_byte(in) % 8;
    nsc_id id = fuzz_handle(in);
    nsc_vec3 a, b;
    nsc_pose pose = nsc_default_body_def().pose;
    fuzz_reals(in, &a.x, 3);
    if (what < 5) fuzz_reals(in, &b.x, 3);
    if (what == 0) {
        pose.position = a;
        nsc_real *q = &pose.orientation.w;
        int i = fuzz_byte(in) % 8;
        if (i < 4) q[0] = NSC_R(0.0), q[i] = NSC_R(1.0);
        else q[i - 4] = b.x;
        API(nsc_body_set_pose(w, id, pose));
    } else if (what == 1) API(nsc_body_set_velocity(w, id, a, b));
    else if (what == 2) API(nsc_body_add_force(w, id, a, b));
    else if (what == 3) API(nsc_body_add_force_at(w, id, a, b));
    else if (what == 4) API(nsc_body_add_impulse_at(w, id, a, b));
    else if (what == 5) API(nsc_body_clear_force(w, id));
    else if (what == 6) API(nsc_body_set_mass(w, id, a.x));
    else API(nsc_body_wake(w, id));
}

/* ---- steps */

typedef struct api_calls {
    nsc_vec3 force, torque;
    nsc_real damping, stiffness;
    int derivative, left, meddle;
    unsigned order;
} api_calls;

/* What changes a world is refused while the world calls back; what reads it is not. */
static void api_meddle(int what)
{
    nsc_world *w = &api_world;
    nsc_id id = fuzz_handles[0];
    nsc_vec3 v = fuzz_at(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0));
    nsc_body_def body = nsc_default_body_def();
    int code = NSC_ERR_BUSY;
    switch (what % 8) {
    case 1: code = step_by(w, NSC_R(0.01)); break;
    case 2: code = nsc_world_add_body(w, &body); break;
    case 3: code = nsc_world_remove_body(w, id); break;
    case 4: code = nsc_body_set_velocity(w, id, v, v); break;
    case 5: code = nsc_world_set_def(w, &w->def); break;
    case 6: code = nsc_world_load(w, fuzz_image, 16); break;
    case 7: code = nsc_body_add_force(w, id, v, v); break;
    default: break;
    }
    FUZZ_CHECK(code == NSC_ERR_BUSY);
    FUZZ_CHECK(nsc_world_save(w, fuzz_image, FUZZ_IMAGE) > 0 && nsc_body_get_pose(w, NSC_GROUND, NULL) == NSC_OK);
}

/* A constant force with a damper; it knows its derivative, or says that it does not. */
static void api_force(void *user, const nsc_world *w, nsc_id body, nsc_force *force)
{
    const api_calls *c = (const api_calls *)user;
    nsc_vec3 v;
    int i;
    FUZZ_CHECK(nsc_body_get_velocity(w, body, &v, NULL) == NSC_OK);
    api_meddle(c->meddle);
    force->force = c->force, force->torque = c->torque;
    force->force.x -= c->damping * v.x, force->force.y -= c->damping * v.y, force->force.z -= c->damping * v.z;
    force->derivative = c->derivative;
    for (i = 0; i < 3 && c->derivative; i++) force->damping[i][i] = c->damping, force->stiffness[i][5 - i] = c->stiffness;
}

static void api_parallel(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    const api_calls *c = (const api_calls *)user;
    api_meddle(c->meddle);
    fuzz_parts(work, job, parts, c->order);
}

static int api_stop(void *user)
{
    api_calls *c = (api_calls *)user;
    if (c->left > 0) c->left--;
    return c->left == 0;
}

static nsc_real api_step_length(fuzz_input *in)
{
    static const nsc_real usual[6] = {NSC_R(0.01), NSC_R(0.0166666667), NSC_R(0.001), NSC_R(0.1), NSC_R(0.0041666667), NSC_R(1.0)};
    int b = fuzz_byte(in) % 8;
    return b < 6 ? usual[b] : fuzz_real(in);
}

/* A step in `parts` parts; one without parts, of a copy of the whole world, must end in the same. */
static void api_step_parts(nsc_real h, nsc_calls *calls, int parts)
{
    nsc_world *w = &api_world, *o = &api_other;
    api_calls *c = (api_calls *)calls->user, again = *c;
    nsc_calls plain = *calls;
    int code;
    again.meddle = 0; /* the others ask the world that steps */
    plain.user = &again;
    calls->parallel = api_parallel, calls->parts = parts;
    memcpy(o, w, sizeof *w);
    code = API(step_by_with(w, h, calls));
    if (parts < 1) FUZZ_CHECK(code == NSC_ERR_ARGUMENT);
    else FUZZ_CHECK(step_by_with(o, h, &plain) == code && again.left == c->left);
    FUZZ_CHECK(nsc_world_hash(o) == nsc_world_hash(w));
    FUZZ_CHECK(parts < 1 || memcmp(&o->report, &w->report, sizeof w->report) == 0);
}

/* Rows of one's own between any two bodies, with odd and ordinary numbers; the array is the caller's, so a refused step must
   leave it alone. */
static void api_step_rows(fuzz_input *in, nsc_real h, nsc_calls *calls)
{
    static nsc_rows rows[NSC_MAX_ROWS], kept[NSC_MAX_ROWS];
    int i, r, code, how = fuzz_byte(in);
    memset(rows, 0, sizeof rows);
    for (i = 0; i < NSC_MAX_ROWS; i++) {
        nsc_rows *p = &rows[i];
        p->body_a = fuzz_handle(in), p->body_b = fuzz_handle(in);
        p->count = how >> 4 == 15 ? fuzz_int(in) : how >> 2 * i & 3;
        for (r = 0; r < 3; r++) p->J[r][6 + (r + i) % 6] = 1, p->J[r][(r + how) % 6] = -1;
        fuzz_reals(in, p->J[how % 3], 12);
        fuzz_reals(in, p->error, 3);
        if (how & 64) fuzz_reals(in, p->rate, 3), fuzz_reals(in, p->stiffness, 3), fuzz_reals(in, p->damping, 3);
        if (how & 128) p->limited[how % 3] = how & 7 ? 1 : fuzz_int(in), fuzz_reals(in, p->lower, 3), fuzz_reals(in, p->upper, 3);
    }
    memcpy(kept, rows, sizeof kept);
    calls->rows = rows, calls->row_count = 1 + how % NSC_MAX_ROWS;
    code = API(step_by_with(&api_world, h, calls));
    for (i = 0; i < NSC_MAX_ROWS; i++)
        for (r = 0; r < 3; r++)
            if (code < 0 || r >= kept[i].count) FUZZ_CHECK(memcmp(&rows[i].impulse[r], &kept[i].impulse[r], sizeof rows[i].impulse[r]) == 0);
            else FUZZ_FINITE(rows[i].impulse[r]);
    for (i = 0; i < NSC_MAX_ROWS && code >= 0; i++) /* a NaN that came in has the compiler's bits */
        for (r = 0; r < 3 && r < kept[i].count; r++) api_digest = fuzz_mix(api_digest, &rows[i].impulse[r], sizeof rows[i].impulse[r]);
}

static void api_step(fuzz_input *in)
{
    nsc_world *w = &api_world;
    nsc_real h = api_step_length(in);
    int how = fuzz_byte(in), n;
    api_calls c;
    nsc_calls calls;
    memset(&c, 0, sizeof c), memset(&calls, 0, sizeof calls);
    calls.user = &c;
    if (how % 4 == 1) {
        c.left = fuzz_byte(in) % 32 + 1;
        API(step_by_until(w, h, api_stop, &c));
    } else if (how % 4 == 2) {
        calls.force = api_force;
        c.left = how & 64 ? 5 : 0;
        calls.stop = how & 64 ? api_stop : NULL;
        c.derivative = how >> 5 & 1, c.meddle = how >> 2 & 7;
        fuzz_reals(in, &c.force.x, 3), fuzz_reals(in, &c.torque.x, 3);
        c.damping = fuzz_real(in), c.stiffness = fuzz_real(in);
        if (how & 128) {
            c.order = fuzz_word(in);
            api_step_parts(h, &calls, (int)(c.order % 64 < 2 ? c.order % 64 - 1 : 1 + c.order % 4));
        } else API(step_by_with(w, h, &calls));
    } else if (how % 4 == 0 && how & 128)
        api_step_rows(in, h, &calls);
    else
        for (n = how % 4 == 3 ? 1 + how / 4 % 8 : 1; n > 0; n--) API(step_by(w, h));
    if (w->report.solver.status < 0) FUZZ_CHECK(0);
    api_digest = fuzz_mix(api_digest, &w->report, sizeof w->report);
}

/* ---- callbacks, kinds, locks, damping, words, belts */

typedef struct api_choice {
    fuzz_input *in;
    int refuse, meddle;
} api_choice;

static int api_meet(void *user, const nsc_world *w, nsc_id a, nsc_id b)
{
    const api_choice *c = (const api_choice *)user;
    FUZZ_CHECK(nsc_shape_get_def(w, a, &api_shape) == NSC_OK && nsc_shape_get_def(w, b, &api_shape) == NSC_OK);
    api_meddle(c->meddle);
    return c->refuse ? (a ^ b) & 1 : 1;
}

static void api_change_contact(void *user, const nsc_world *w, nsc_contact *contact)
{
    const api_choice *c = (const api_choice *)user;
    (void)w;
    api_meddle(c->meddle);
    fuzz_change(c->in, contact, N(api_contact_fields));
    fuzz_reals(c->in, &contact->surface_velocity.x, 3);
    if (c->refuse) contact->sensor = (uint8_t)(fuzz_byte(c->in) >> 6);
}

static void api_parts(fuzz_input *in)
{
    nsc_world *w = &api_world;
    int what = fuzz_byte(in), kind;
    nsc_id id = fuzz_handle(in);
    nsc_body_def e;
    uint32_t word;
    nsc_shape_def d = nsc_default_sphere_def(NSC_R(0.5));
    nsc_calls calls;
    api_choice c;
    nsc_real h;
    switch (what % 4) {
    case 0:
        kind = fuzz_int(in) % 8;
        if (API(nsc_body_set_kind(w, id, kind)) == NSC_OK) FUZZ_CHECK(nsc_body_get_kind(w, id) == kind);
        return;
    case 1:
        memset(&e, 0, sizeof e);
        e.locks = what & 64 ? fuzz_int(in) : what >> 2;
        e.linear_damping = fuzz_real(in), e.angular_damping = fuzz_real(in), e.user = fuzz_word(in);
        API(nsc_body_set_locks(w, id, e.locks));
        API(nsc_body_set_damping(w, id, e.linear_damping, e.angular_damping));
        if (API(nsc_body_set_user(w, id, e.user)) == NSC_OK) FUZZ_CHECK(nsc_body_get_user(w, id, &word) == NSC_OK && word == e.user);
        return;
    case 2:
        nsc_shape_get_def(w, id, &d);
        fuzz_reals(in, &d.surface_velocity.x, 3);
        API(nsc_shape_set_def(w, id, &d));
        return;
    default: break;
    }
    memset(&calls, 0, sizeof calls);
    h = api_step_length(in);
    c.in = in, c.refuse = what & 64, c.meddle = what >> 3 & 7;
    calls.user = &c, calls.meet = api_meet;
    if (what & 4) calls.contact = api_change_contact;
    API(step_by_with(w, h, &calls));
}

/* An image and a copy of the state go on as the world does. */
static void api_fork(fuzz_input *in)
{
    nsc_world *w = &api_world, *o = &api_other;
    nsc_real h = api_step_length(in);
    int how = fuzz_byte(in), i, code;
    if (w->found_count > 0) return; /* contacts that wait are not part of either */
    if (how % 2) fuzz_copy_by_image(w, o);
    else {
        memset(o, 0x5a, sizeof *o);
        memcpy(o, w, NSC_WORLD_STATE_SIZE);
        o->found_count = 0;
    }
    for (i = how / 2 % 4; i >= 0; i--) {
        code = API(step_by(w, h));
        FUZZ_CHECK(step_by(o, h) == code);
        FUZZ_CHECK(nsc_world_hash(o) == nsc_world_hash(w));
    }
    if (how & 128) memcpy(w, o, sizeof *w);
}

/* ---- calls that look */

static void api_told(int code, const nsc_real *x, int n)
{
    api_digest = fuzz_mix(api_digest, &code, sizeof code);
    if (code >= 0) FUZZ_CHECK(fuzz_finite(x, n)), api_digest = fuzz_mix(api_digest, x, (size_t)n * sizeof *x);
}

/* Handles of slots are those of what is there; poses of any numbers come out, whatever they are. */
static void api_look_newer(nsc_id id, nsc_pose pose, nsc_vec3 p)
{
    const nsc_world *w = &api_world;
    nsc_joint_def joint;
    nsc_quat q = nsc_quat_from_rpy(p.x, p.y, p.z);
    nsc_real size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, damping[2];
    nsc_pose product = nsc_pose_multiply(pose, nsc_pose_inverse(pose));
    nsc_vec3 point = nsc_pose_point(pose, p), way = nsc_pose_vector(pose, p);
    int code, i;
    api_digest = fuzz_mix(api_digest, &q, sizeof q);
    FUZZ_CHECK(size > NSC_R(0.999) && size < NSC_R(1.001));
    if (fuzz_finite(&p.x, 3) && p.x * p.x + p.y * p.y + p.z * p.z < NSC_R(1e6)) {
        FUZZ_FINITE(point), FUZZ_FINITE(way), FUZZ_FINITE(product);
        size = product.orientation.w * product.orientation.w;
        FUZZ_CHECK(size > NSC_R(0.999) && size < NSC_R(1.001));
    }
    code = nsc_body_get_damping(w, id, damping, damping + 1), api_told(code, damping, 2);
    code = nsc_body_get_locks(w, id), api_told(code, NULL, 0);
    FUZZ_CHECK(code < 64);
    code = nsc_joint_get_def(w, id, &joint), api_told(code, &joint.ratio, 1);
    if (code >= 0) api_told(joint.kind, (nsc_real *)(void *)&joint.axis[0].lower, 1);
    for (i = -1; i <= NSC_MAX_SHAPES; i++) {
        code = nsc_world_body_at(w, i), api_told(code, NULL, 0);
        FUZZ_CHECK((code >= 0) == (i >= 0 && i < w->body_end && w->bodies[i].generation % 2) && (code < 0 || nsc_body_get_pose(w, code, NULL) == NSC_OK));
        code = nsc_world_shape_at(w, i), api_told(code, NULL, 0);
        FUZZ_CHECK((code >= 0) == (i >= 0 && i < w->shape_end && w->shapes[i].generation % 2) && (code < 0 || nsc_shape_get_def(w, code, &api_shape) == NSC_OK));
    }
}

static void api_look(fuzz_input *in)
{
    const nsc_world *w = &api_world;
    nsc_id id = fuzz_handle(in);
    int axis = fuzz_byte(in) % 4, code, i;
    nsc_real x[16];
    nsc_vec3 v[2], p;
    nsc_pose pose, mounting = nsc_default_body_def().pose;
    nsc_axis_state state;
    fuzz_reals(in, &p.x, 3);
    mounting.position = p;
    if (axis == 3) mounting.orientation = nsc_quat_from_axis_angle(p, p.y);
    code = nsc_body_get_pose(w, id, &pose), api_told(code, (nsc_real *)(void *)&pose, 7);
    code = nsc_body_get_velocity(w, id, &v[0], &v[1]), api_told(code, &v[0].x, 6);
    code = nsc_body_get_mass(w, id, &x[0], &v[0], x + 1), api_told(code, x, 7), api_told(code, &v[0].x, 3);
    code = nsc_body_get_contact_force(w, id, &v[0], &v[1]), api_told(code, &v[0].x, 6);
    code = nsc_body_get_imu(w, id, mounting, &v[0], &v[1]), api_told(code, &v[0].x, 6);
    code = nsc_shape_get_contact_force(w, id, &v[0], &v[1]), api_told(code, &v[0].x, 6);
    code = nsc_spring_get_force(w, id, &x[0], &v[0]), api_told(code, x, 1), api_told(code, &v[0].x, 3);
    code = nsc_joint_get_axis(w, id, axis, &state), api_told(code, &state.position, 6);
    code = nsc_joint_get_force(w, id, &v[0], &v[1]), api_told(code, &v[0].x, 6);
    code = nsc_joint_get_drift(w, id, &x[0], &x[1]), api_told(code, x, 2);
    code = nsc_body_get_patch_force(w, id, (uint32_t)axis, &v[0], &v[1]), api_told(code, &v[0].x, 6);
    api_look_newer(id, mounting, p);
    api_told(nsc_body_is_asleep(w, id), x, 0);
    FUZZ_CHECK(strlen(nsc_world_last_refusal(w).field) < 100 && strlen(nsc_world_last_refusal(w).rule) < 200);
    i = nsc_body_get_island(w, id);
    if (i >= 0) FUZZ_CHECK(nsc_world_island(w, i) != NULL);
    for (i = -1; i <= NSC_MAX_CONTACTS; i++) {
        FUZZ_CHECK((nsc_world_contact(w, i) != NULL) == (i >= 0 && i < nsc_world_contact_count(w)));
        FUZZ_CHECK((nsc_world_event(w, i) != NULL) == (i >= 0 && i < nsc_world_event_count(w)));
        FUZZ_CHECK((nsc_world_island(w, i) != NULL) == (i >= 0 && i < nsc_world_report(w)->islands));
    }
}

static void api_check_hit(int code, const nsc_hit *hit)
{
    FUZZ_CHECK(code <= 1);
    if (code == 1) {
        FUZZ_FINITE(hit->point), FUZZ_FINITE(hit->normal), FUZZ_FINITE(hit->distance);
        FUZZ_CHECK(nsc_body_get_pose(&api_world, hit->body, NULL) == NSC_OK);
        api_digest = fuzz_mix(api_digest, &hit->point, sizeof hit->point + sizeof hit->normal);
    }
}

static void api_sense(fuzz_input *in)
{
    nsc_world *w = &api_world;
    nsc_hit hit;
    nsc_vec3 origin, ray;
    nsc_id ids[2];
    int what = fuzz_byte(in), code;
    uint32_t mask = what & 128 ? fuzz_word(in) : UINT32_C(0xffffffff);
    if (what % 3 == 2) {
        nsc_shape_def d = api_shape_def(in);
        d.pose.position.x += (nsc_real)(what / 4 % 16) * NSC_R(0.125);
        API(nsc_world_overlap(w, &d, mask, ids, what & 4 ? 2 : 0));
        fuzz_reals(in, &ray.x, 3);
        api_check_hit(API(nsc_world_cast_shape(w, &d, ray, mask, &hit)), &hit);
        return;
    }
    fuzz_reals(in, &origin.x, 3);
    if (what % 3 == 0) {
        fuzz_reals(in, &ray.x, 3);
        code = API(nsc_world_cast_ray(w, origin, ray, mask, &hit));
    } else code = API(nsc_world_closest(w, origin, fuzz_real(in), mask, &hit));
    api_check_hit(code, &hit);
}

static void api_line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    (void)user;
    FUZZ_FINITE(start), FUZZ_FINITE(end);
    FUZZ_CHECK(from->colour >= NSC_COLOUR_STATIC && from->colour <= NSC_COLOUR_Z);
    FUZZ_CHECK(nsc_body_is_asleep(&api_world, from->body) >= 0);
    FUZZ_CHECK(from->shape < 0 || nsc_shape_get_def(&api_world, from->shape, &api_shape) == NSC_OK);
    api_digest = fuzz_mix(api_digest, &start, sizeof start), api_digest = fuzz_mix(api_digest, &end, sizeof end);
}

static void api_point(void *user, nsc_vec3 at, const nsc_draw_from *from) { api_line(user, at, at, from); }

static void api_triangle(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 normal, const nsc_draw_from *from)
{
    nsc_real n2 = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
    FUZZ_CHECK(from->shape >= 0 && n2 > NSC_R(0.99) && n2 < NSC_R(1.01));
    api_line(user, a, b, from), api_line(user, c, normal, from);
}

static void api_write(void *user, const char *text)
{
    (void)user;
    api_digest = fuzz_mix(api_digest, text, strlen(text));
}

static void api_draw(fuzz_input *in)
{
    nsc_world *w = &api_world;
    nsc_draw draw;
    memset(&draw, 0, sizeof draw);
    draw.line = api_line, draw.point = api_point, draw.triangle = api_triangle;
    draw.force_scale = fuzz_real(in);
    API(nsc_world_draw(w, &draw, fuzz_int(in)));
}

/* Dumping may drop contacts of yours that deeper ones displaced, and it forgets the islands. */
static void api_dump(fuzz_input *in)
{
    nsc_world *w = &api_world;
    nsc_real h = api_step_length(in);
    nsc_problem problem;
    int island = fuzz_int(in), code, others;
    api_hold();
    code = nsc_world_problem(w, h, island, &problem);
    if (code == NSC_OK) {
        others = nsc_dump_problem(&problem, api_write, NULL);
        FUZZ_CHECK(others >= 0 || others == NSC_ERR_NOT_FINITE);
    }
    FUZZ_CHECK(memcmp(&api_before, w, NSC_WORLD_STATE_SIZE) == 0);
    api_hold(), api_result(code, "nsc_world_problem(w, h, island, &problem)");
}

/* ---- the whole */

static void api_call(fuzz_input *in)
{
    int b = fuzz_byte(in), op = b % 24;
    if (b >= 248) api_parts(in);
    else if (op < 7) api_add(in, op);
    else if (op < 9) api_set_def(in);
    else if (op < 10) api_remove(in);
    else if (op < 12) api_set_body(in);
    else if (op < 18) api_step(in);
    else if (op < 19) api_fork(in);
    else if (op < 21) api_look(in);
    else if (op < 22) api_sense(in);
    else if (op < 23) api_draw(in);
    else api_dump(in);
}

static uint32_t api_run(const uint8_t *data, size_t size, int poison)
{
    fuzz_input in;
    int calls;
    uint32_t hash;
    in.at = data, in.end = data + size;
    api_poison = poison, api_trace = getenv("FUZZ_TRACE") != NULL;
    api_digest = UINT32_C(2166136261);
    memset(&api_world, poison, sizeof api_world), memset(&api_other, poison, sizeof api_other);
    fuzz_scene(&api_world, fuzz_scene_of(fuzz_byte(&in)));
    api_spoil(&api_world);
    for (calls = 0; in.at < in.end && calls < 32; calls++) api_call(&in);
    hash = nsc_world_hash(&api_world);
    return fuzz_mix(api_digest, &hash, sizeof hash);
}

static int fuzz_api(const uint8_t *data, size_t size)
{
    uint32_t first = api_run(data, size, -1);
    FUZZ_CHECK(api_run(data, size, 0xa5) == first);
    return 0;
}

#ifndef FUZZ_CORPUS
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_api(data, size); }
#endif
