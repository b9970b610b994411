/* world.h - the small world that the targets api and image work on: all parts compiled in, capacities that are soon reached */
#ifndef NSC_FUZZ_WORLD_H
#define NSC_FUZZ_WORLD_H
#define NSC_IMPLEMENTATION
#define NSC_LOCKS 1
#define NSC_BELTS 1
#define NSC_WORDS 1
#define NSC_PARALLEL 1
#define NSC_MAX_ROWS 2
#define NSCI_LEAST_SHARE 1 /* so that small worlds are shared among parts */
#define NSC_MAX_BODIES 5
#define NSC_MAX_SHAPES 6
#define NSC_MAX_CONTACTS 10
#define NSC_MAX_JOINTS 3
#define NSC_MAX_JOINT_BLOCKS 7
#define NSC_MAX_ROLLING 3
#define NSC_MAX_SPRINGS 2
#define NSC_MAX_FORCES 1
#ifndef NSC_HULL_VERTICES /* more in kit.c */
#define NSC_HULL_VERTICES 8
#endif
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_MAX_EVENTS 3
#define NSC_ARENA NSC_ARENA_DANTZIG(40) /* too little for DANTZIG when all blocks are in use, and for lanes in most worlds */
#include "nsc_all.h"
#include "nsc_hull.h"
#include "../meshes/ramp.h"
#include "fuzz.h"
#include "../harness/by.h"

enum { FUZZ_SCENES = 6, FUZZ_NEWER_SCENES = 2, FUZZ_IMAGE = 16384, FUZZ_HANDLES = 32 };

static const nsc_mesh *const fuzz_meshes[4] = {&ramp, &ramp, &ramp, &ramp};

/* The tables of hulls and height fields: the first FUZZ_MADE entries are the same in every scene, those of the input come behind them and stay as
   they are to its end.  The turned tables have the same entries in another order. */
enum { FUZZ_MADE = 4, FUZZ_ENTRIES = 40, FUZZ_SAMPLES = 12 };
static const nsc_real fuzz_samples[6] = {NSC_R(0.25), NSC_R(0.0), NSC_R(0.125), NSC_R(0.0), NSC_R(-0.125), NSC_R(0.25)};
static const nsc_heights fuzz_hills = {fuzz_samples, 3, 2, NSC_R(1.0), NSC_R(1.0), NSC_R(-0.125), NSC_R(0.25)};
static const nsc_real fuzz_grid[FUZZ_SAMPLES] = {NSC_R(0.0), NSC_R(0.1), NSC_R(0.0), NSC_R(-0.1), NSC_R(0.0), NSC_R(0.2),
                                                 NSC_R(0.0), NSC_R(0.1), NSC_R(-0.2), NSC_R(0.0), NSC_R(0.1), NSC_R(0.0)};
static const nsc_heights fuzz_dunes = {fuzz_grid, 4, 3, NSC_R(1.0), NSC_R(1.0), NSC_R(-0.2), NSC_R(0.2)};
static nsc_hull fuzz_rock, fuzz_pyramid, fuzz_spare, fuzz_own_hulls[FUZZ_ENTRIES];
static nsc_heights fuzz_own_fields[FUZZ_ENTRIES];
static nsc_real fuzz_own_samples[FUZZ_ENTRIES][FUZZ_SAMPLES];
static const nsc_hull *fuzz_hulls[FUZZ_ENTRIES] = {&fuzz_rock, &fuzz_rock, &fuzz_pyramid, &fuzz_spare};
static const nsc_heights *fuzz_fields[FUZZ_ENTRIES] = {&fuzz_hills, &fuzz_hills, &fuzz_dunes, &fuzz_hills};
static const nsc_hull *const fuzz_turned_hulls[FUZZ_MADE] = {&fuzz_pyramid, &fuzz_pyramid, &fuzz_rock, &fuzz_pyramid};
static const nsc_heights *const fuzz_turned_fields[FUZZ_MADE] = {&fuzz_dunes, &fuzz_dunes, &fuzz_hills, &fuzz_dunes};
static int fuzz_hull_count, fuzz_field_count;

/* Handles that have been given out, stale ones included. */
static nsc_id fuzz_handles[FUZZ_HANDLES];
static int fuzz_handle_count;

static nsc_id fuzz_keep(nsc_id id)
{
    if (id >= 0) fuzz_handles[fuzz_handle_count++ % FUZZ_HANDLES] = id;
    return id;
}

static int32_t fuzz_handle(fuzz_input *in)
{
    int b = fuzz_byte(in), known = fuzz_handle_count < FUZZ_HANDLES ? fuzz_handle_count : FUZZ_HANDLES;
    if (b < 16) return NSC_GROUND;
    if (b == 255) return (int32_t)(fuzz_word(in) >> 1);
    if (b == 254) return -1;
    return known > 0 ? fuzz_handles[(b - 16) % known] : NSC_GROUND;
}

static nsc_vec3 fuzz_at(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

static nsc_id fuzz_body(nsc_world *w, nsc_real x, nsc_real z, const nsc_shape_def *shape)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    b.pose.position = fuzz_at(x, NSC_R(0.0), z);
    id = fuzz_keep(nsc_world_add_body(w, &b));
    FUZZ_CHECK(id > 0 && fuzz_keep(nsc_world_add_shape(w, id, shape)) > 0);
    return id;
}

static void fuzz_joints(nsc_world *w, nsc_id a, nsc_id b)
{
    nsc_joint_def hinge = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, a);
    nsc_joint_def other = nsc_default_joint_def(NSC_JOINT_HINGE, NSC_GROUND, b), gear;
    nsc_vec3 y = fuzz_at(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0));
    hinge.axis[0].drive = NSC_DRIVE_SERVO, hinge.axis[0].stiffness = NSC_R(100.0), hinge.axis[0].damping = NSC_R(5.0);
    other.axis[0].limited = 1, other.axis[0].lower = NSC_R(-0.25), other.axis[0].upper = NSC_R(0.25);
    nsc_joint_place(w, &hinge, fuzz_at(NSC_R(-0.5), NSC_R(0.0), NSC_R(2.0)), y, fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)));
    nsc_joint_place(w, &other, fuzz_at(NSC_R(1.5), NSC_R(0.0), NSC_R(2.0)), y, fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)));
    gear = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    gear.joint_a = fuzz_keep(nsc_world_add_joint(w, &hinge));
    gear.joint_b = fuzz_keep(nsc_world_add_joint(w, &other));
    gear.ratio = NSC_R(2.0);
    FUZZ_CHECK(fuzz_keep(nsc_world_add_joint(w, &gear)) >= 0);
}

/* A pyramid of hull that falls on terrain and rolls with friction */
static void fuzz_terrain(nsc_world *w)
{
    nsc_shape_def hull = nsc_default_hull_def(), field = nsc_default_height_field_def();
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    hull.rolling = hull.torsion = NSC_R(0.0625);
    b.pose.position.z = NSC_R(0.5);
    id = fuzz_keep(nsc_world_add_body(w, &b));
    FUZZ_CHECK(fuzz_keep(nsc_world_add_hull(w, id, &hull, 2)) >= 0);
    FUZZ_CHECK(fuzz_keep(nsc_world_add_height_field(w, NSC_GROUND, &field, 2)) >= 0);
}

/* What worlds refer to */
static void fuzz_tables(nsc_world *w)
{
    nsc_vec3 corner[6];
    int i;
    for (i = 0; i < 6; i++) corner[i] = fuzz_at(i & 1 ? NSC_R(0.5) : NSC_R(-0.25), i & 2 ? NSC_R(0.25) : NSC_R(-0.25), i & 4 ? NSC_R(0.25) : NSC_R(0.0));
    FUZZ_CHECK(nsc_hull_from_points(&fuzz_rock, corner, 6, NSC_HULL_VERTICES, NULL) >= 0);
    memcpy(&fuzz_spare, &fuzz_rock, sizeof fuzz_spare);
    for (i = 0; i < 4; i++) corner[i] = fuzz_at(i % 2 ? NSC_R(0.5) : NSC_R(-0.5), i / 2 ? NSC_R(0.5) : NSC_R(-0.5), NSC_R(-0.25));
    corner[4] = fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(0.5));
    FUZZ_CHECK(nsc_hull_from_points(&fuzz_pyramid, corner, 5, NSC_HULL_VERTICES, NULL) >= 0);
    fuzz_hull_count = fuzz_field_count = FUZZ_MADE;
    FUZZ_CHECK(nsc_world_set_meshes(w, fuzz_meshes, 2) == NSC_OK);
    FUZZ_CHECK(nsc_world_set_hulls(w, fuzz_hulls, 3) == NSC_OK);
    FUZZ_CHECK(nsc_world_set_fields(w, fuzz_fields, 3) == NSC_OK);
}

/* Four boxes in a row on the ground, each fixed to the next: one island of many blocks, which parts can share */
static void fuzz_row(nsc_world *w, nsc_shape_def box)
{
    nsc_id last = NSC_GROUND, id;
    int i;
    box.rolling = NSC_R(0.0625);
    for (i = 0; i < 4; i++, last = id) {
        nsc_joint_def fixed;
        id = fuzz_body(w, (nsc_real)i * NSC_R(1.25), NSC_R(0.49), &box);
        fixed = nsc_default_joint_def(NSC_JOINT_FIXED, last, id);
        FUZZ_CHECK(nsc_joint_place(w, &fixed, fuzz_at((nsc_real)i, NSC_R(0.0), NSC_R(0.5)), fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)), fuzz_at(NSC_R(1.0), NSC_R(0.0), NSC_R(0.0))) == NSC_OK);
        if (i > 0) FUZZ_CHECK(fuzz_keep(nsc_world_add_joint(w, &fixed)) >= 0);
    }
}

/* Bodies of every kind of shape a little apart, for contact that never closes a gap; without NSC_BARRIER for Hertz's */
static void fuzz_apart(nsc_world *w)
{
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.5)), box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_shape_def cylinder = nsc_default_cylinder_def(NSC_R(0.25), NSC_R(0.5)), hull = nsc_default_hull_def();
    nsc_id id = fuzz_body(w, NSC_R(0.0), NSC_R(0.53125), &box), other;
    FUZZ_CHECK(nsc_body_set_velocity(w, id, fuzz_at(NSC_R(0.0), NSC_R(0.0), NSC_R(-2.0)), fuzz_at(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0))) == NSC_OK);
    other = fuzz_body(w, NSC_R(0.125), NSC_R(1.5625), &ball);
    fuzz_body(w, NSC_R(1.25), NSC_R(0.53125), &cylinder);
    FUZZ_CHECK(fuzz_keep(nsc_world_add_hull(w, other, &hull, 0)) >= 0);
}

/* Those that came later have the bytes 224..239, so that inputs made before mean what they did. */
static int fuzz_scene_of(int byte)
{
    return byte >= 224 && byte < 240 ? FUZZ_SCENES + byte % FUZZ_NEWER_SCENES : byte % FUZZ_SCENES;
}

/* Scene 0 is empty; the others hold things near each other that touch, are joined, or will be. */
static void fuzz_scene(nsc_world *w, int scene)
{
    nsc_world_def def = default_def();
    nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.5)), capsule = nsc_default_capsule_def(NSC_R(0.25), NSC_R(0.5));
    nsc_shape_def cylinder = nsc_default_cylinder_def(NSC_R(0.5), NSC_R(0.25));
    nsc_id a, b;
    nsc_spring_def spring;
    fuzz_handle_count = 0;
    def.solver.max_iterations = 10, def.newton_steps = 4;
    if (scene == 4) def.contact_model = NSC_CONTACT_SMOOTH, def.stepper = NSC_STEPPER_HHT;
    if (scene == 5) def.sleep_time = NSC_R(0.02), def.sleep_speed = NSC_R(1.0);
    if (scene == 7) {
        def.contact_model = NSC_CONTACT_SMOOTH, def.stepper = NSC_STEPPER_EULER_IMPLICIT, def.newton_steps = 8;
#if NSC_BARRIER
        def.contact_law = NSC_SMOOTH_BARRIER;
        def.margin = NSC_R(0.0625), def.barrier_distance = NSC_R(0.03125);
#endif
    }
    FUZZ_CHECK(nsc_world_init(w, &def) == NSC_OK);
    fuzz_tables(w);
    if (scene == 0) return;
    if (scene == 3) {
        fuzz_terrain(w);
        return;
    }
    FUZZ_CHECK(fuzz_keep(nsc_world_add_shape(w, NSC_GROUND, &ground)) >= 0);
    if (scene >= FUZZ_SCENES) {
        if (scene == 6) fuzz_row(w, box);
        else fuzz_apart(w);
        return;
    }
    ball.rolling = NSC_R(0.01), ball.restitution = NSC_R(0.5);
    a = fuzz_body(w, NSC_R(0.0), scene == 2 ? NSC_R(2.0) : NSC_R(0.5), scene == 4 ? &capsule : &box);
    b = fuzz_body(w, scene == 2 ? NSC_R(2.0) : NSC_R(0.125), scene == 2 ? NSC_R(2.0) : NSC_R(1.25), scene == 4 ? &cylinder : scene == 5 ? &box : &ball);
    if (scene == 2) fuzz_joints(w, a, b);
    spring = nsc_default_spring_def(a, b);
    spring.stiffness = NSC_R(500.0), spring.rest = NSC_R(1.0), spring.damping = NSC_R(1.0);
    if (scene == 4) FUZZ_CHECK(fuzz_keep(nsc_world_add_spring(w, &spring)) >= 0);
}

#define FUZZ_FINITE(x) FUZZ_CHECK(fuzz_finite((const nsc_real *)(const void *)&(x), (int)(sizeof(x) / sizeof(nsc_real))))

/* Every number of the state that a step reads or a getter hands out is finite, and what a shape names is in its table. */
static void fuzz_check_state(const nsc_world *w)
{
    int i;
    for (i = 0; i < w->body_end; i++) {
        const nsc_body *b = &w->bodies[i];
        if (b->generation % 2 == 0) continue;
        FUZZ_FINITE(b->position), FUZZ_FINITE(b->orientation), FUZZ_FINITE(b->velocity), FUZZ_FINITE(b->angular_velocity);
        FUZZ_FINITE(b->force), FUZZ_FINITE(b->torque), FUZZ_FINITE(b->centre), FUZZ_FINITE(b->mass), FUZZ_FINITE(b->inv_mass);
        FUZZ_FINITE(b->inertia), FUZZ_FINITE(b->inv_inertia), FUZZ_FINITE(b->still), FUZZ_FINITE(b->acceleration);
        FUZZ_FINITE(b->angular_acceleration), FUZZ_FINITE(b->rate), FUZZ_FINITE(b->mean_rate);
        FUZZ_FINITE(b->linear_damping), FUZZ_FINITE(b->angular_damping);
    }
    for (i = 0; i < w->shape_end; i++) {
        const nsc_shape *s = &w->shapes[i];
        if (s->generation % 2 == 0) continue;
        if (s->def.kind == NSC_SHAPE_HULL) FUZZ_CHECK(s->data < w->hull_count);
        if (s->def.kind == NSC_SHAPE_HEIGHT_FIELD) FUZZ_CHECK(s->data < w->field_count);
        if (s->def.kind == NSC_SHAPE_MESH) FUZZ_CHECK(s->data < w->mesh_count);
    }
    for (i = 0; i < w->contact_count; i++) {
        const nsc_contact *c = &w->contacts[i];
        FUZZ_FINITE(c->point), FUZZ_FINITE(c->normal), FUZZ_FINITE(c->gap), FUZZ_FINITE(c->friction), FUZZ_FINITE(c->restitution);
        FUZZ_FINITE(c->stiffness), FUZZ_FINITE(c->damping), FUZZ_FINITE(c->rolling), FUZZ_FINITE(c->torsion);
        FUZZ_FINITE(c->hertz), FUZZ_FINITE(c->tangential), FUZZ_FINITE(c->cohesion), FUZZ_FINITE(c->impulse), FUZZ_FINITE(c->moment);
        FUZZ_FINITE(c->approach), FUZZ_FINITE(c->shear), FUZZ_FINITE(c->impact), FUZZ_FINITE(c->twist);
        FUZZ_FINITE(c->surface_velocity);
    }
    for (i = 0; i < w->joint_end; i++) {
        const nsc_joint *j = &w->joints[i];
        if (j->generation % 2 == 0) continue;
        FUZZ_FINITE(j->offset), FUZZ_FINITE(j->angle), FUZZ_FINITE(j->impulse);
        FUZZ_FINITE(j->force_impulse), FUZZ_FINITE(j->torque_impulse);
    }
    for (i = 0; i < w->spring_end; i++)
        if (w->springs[i].generation % 2) FUZZ_FINITE(w->springs[i].impulse);
}

/* The same of the report of a step; that of an image may hold any numbers, as nothing is computed from them. */
static void fuzz_check_report(const nsc_world *w)
{
    FUZZ_FINITE(w->report.solver.residual), FUZZ_FINITE(w->report.solver.eta), FUZZ_FINITE(w->report.solver.violation);
    FUZZ_FINITE(w->report.solver.objective), FUZZ_FINITE(w->report.penetration);
    FUZZ_FINITE(w->report.solver.duality_gap);
    FUZZ_FINITE(w->report.newton_change), FUZZ_FINITE(w->report.step_limit);
}

static uint8_t fuzz_image[FUZZ_IMAGE];

/* Give a world the tables of another, as a program does before it loads an image.  One whose shapes name more than those have is made anew. */
static void fuzz_share_tables(nsc_world *to, const nsc_world *from)
{
    int again, code = -1;
    for (again = 0; again < 2 && code < 0; again++) {
        if (again) FUZZ_CHECK(nsc_world_init(to, &from->def) == NSC_OK);
        code = nsc_world_set_meshes(to, from->meshes, from->mesh_count);
        if (code >= 0) code = nsc_world_set_hulls(to, from->hulls, from->hull_count);
        if (code >= 0) code = nsc_world_set_fields(to, from->fields, from->field_count);
    }
    FUZZ_CHECK(code == NSC_OK);
}

/* What one world has become can be saved; `to` becomes the same by loading it. */
static int fuzz_copy_by_image(const nsc_world *from, nsc_world *to)
{
    int size = nsc_world_save_size(from);
    FUZZ_CHECK(size > 0 && size <= FUZZ_IMAGE);
    FUZZ_CHECK(nsc_world_save(from, fuzz_image, size - 1) == NSC_ERR_CAPACITY);
    FUZZ_CHECK(nsc_world_save(from, fuzz_image, size) == size);
    fuzz_share_tables(to, from);
    FUZZ_CHECK(nsc_world_load(to, fuzz_image, size) == NSC_OK);
    FUZZ_CHECK(nsc_world_hash(to) == nsc_world_hash(from));
    return size;
}
#endif
