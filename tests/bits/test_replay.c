/* Random worlds, step by step: all that nsc answers goes into hashes, which are compared with
   tests/targets/bits.h, as in test_same_bits.  A case that fails has a name: what was computed there
   has changed, meant or not.  After a change that is meant `make targets-accept` writes the table
   anew.  Bodies stand on a grid half of the time, so that ties come about.  test_replay_pairs has
   pairs of shapes instead, test_replay_barrier both with NSC_BARRIER, test_replay_short the worlds
   that short blocks can have, test_replay_parts others of the parts that these lack. */
#define NSC_IMPLEMENTATION
#ifndef REPLAY_SHORT
#define NSC_LOCKS 1
#define NSC_MAX_FORCES 3
#endif
#define NSC_BELTS 1
#define NSC_WORDS 1
#define NSC_PARALLEL 1
#define NSCI_LEAST_SHARE 1 /* so that small worlds are shared among parts */
#define NSC_MAX_BODIES 20
#ifdef REPLAY_PARTS
#define NSC_MAX_SHAPES 40
#define NSC_MAX_CONTACTS 120
#define NSC_MAX_JOINTS 14
#else
#define NSC_MAX_SHAPES 28
#define NSC_MAX_CONTACTS 80
#define NSC_MAX_JOINTS 10
#endif
#define NSC_MAX_ROLLING 24
#define NSC_MAX_SPRINGS 6
#define NSC_HULL_VERTICES 12
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_MAX_EVENTS 20
#define NSC_MAX_MANIFOLDS 12
#define NSC_ARENA 60000
#ifdef REPLAY_PARTS
#include "nsc_newton.h"
#include "nsc_tree.h"
#endif
#include "nsc_all.h"
#include "nsc_hull.h"
#include "meshes/ramp.h"
#include "replay.h"
#include "by.h"

#define ALL UINT32_C(0xffffffff)
#if NSC_BARRIER
#define TITLE "replay barrier"
#define NAME "replay_barrier"
#elif defined(REPLAY_PARTS)
#define TITLE "replay parts"
#define NAME "replay_parts"
#elif defined(REPLAY_SHORT)
#define TITLE "replay short"
#define NAME "replay_short"
#else
#define TITLE "replay"
#ifdef REPLAY_PAIRS
#define NAME "replay_pairs"
#else
#define NAME "replay"
#endif
#endif

static nsc_world world, copy;

#if NSC_LOCKS
#define get_kind nsc_body_get_kind
#define set_kind nsc_body_set_kind
#else
#define get_kind(world, id) ((id) < 0 ? (int)NSC_ERR_HANDLE : (world)->bodies[(id) & 16383].kind)
#define set_kind(world, id, kind) NSC_ERR_ARGUMENT
#endif

/* ---- Tables */

/* An octahedron of triangles, seen from outside */
static const nsc_mesh_vertex gem_vertex[6] = {{0.5f, 0.0f, 0.0f}, {-0.5f, 0.0f, 0.0f},
                                              {0.0f, 0.5f, 0.0f}, {0.0f, -0.5f, 0.0f},
                                              {0.0f, 0.0f, 0.5f}, {0.0f, 0.0f, -0.5f}};
static nsc_mesh_triangle gem_triangle[8];
static const nsc_mesh_node gem_node[1] = {{{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}, 1, 0, 8, 0}};
static const nsc_mesh gem = {gem_vertex, gem_triangle, gem_node, 6, 8, 1};
static const nsc_mesh *const meshes[2] = {&ramp, &gem};
static const nsc_real hills_height[12] = {NSC_R(0.25), NSC_R(0.0), NSC_R(0.125), NSC_R(0.25),
                                          NSC_R(0.0), NSC_R(-0.125), NSC_R(0.25), NSC_R(0.0),
                                          NSC_R(0.0), NSC_R(0.125), NSC_R(0.0), NSC_R(-0.125)};
static const nsc_heights hills = {hills_height, 4, 3, NSC_R(0.75), NSC_R(0.5), NSC_R(-0.125),
                                  NSC_R(0.25)};
static nsc_real rough_height[35];
static nsc_heights rough = {rough_height, 7, 5, NSC_R(0.5), NSC_R(0.625), 0, 0};
static const nsc_heights *const fields[2] = {&hills, &rough};
static nsc_hull wedge, rock;
static const nsc_hull *const hulls[2] = {&wedge, &rock};

static void find_beyond(nsc_mesh_triangle *t, int n)
{
    int i, j, k, l;
    for (i = 0; i < n; i++)
        for (k = 0; k < 3; k++) {
            t[i].beyond[k] = NSC_MESH_OPEN;
            for (j = 0; j < n; j++)
                for (l = 0; l < 3; l++)
                    if (t[j].corner[l] == t[i].corner[(k + 1) % 3] &&
                        t[j].corner[(l + 1) % 3] == t[i].corner[k])
                        t[i].beyond[k] = (uint16_t)j;
        }
}

static void make_tables(void)
{
    nsc_vec3 p[12];
    int i;
    for (i = 0; i < 8; i++) {
        int x = i & 1, y = i >> 1 & 1, z = i >> 2, odd = (x + y + z) % 2;
        gem_triangle[i].corner[0] = (uint16_t)x;
        gem_triangle[i].corner[odd ? 2 : 1] = (uint16_t)(2 + y);
        gem_triangle[i].corner[odd ? 1 : 2] = (uint16_t)(4 + z);
    }
    find_beyond(gem_triangle, 8);
    for (i = 0; i < 6; i++)
        p[i] = at(i & 1 ? NSC_R(0.5) : NSC_R(-0.25), i & 2 ? NSC_R(0.25) : NSC_R(-0.25),
                  i & 4 ? NSC_R(0.25) : NSC_R(0.0));
    CHECK(nsc_hull_from_points(&wedge, p, 6, NSC_HULL_VERTICES, NULL) >= 0);
    CHECK(nsc_hull_complete(&wedge) == NSC_OK);
    seed = 7;
    for (i = 0; i < 12; i++) p[i] = any_vec(NSC_R(0.5));
    CHECK(nsc_hull_from_points(&rock, p, 12, NSC_HULL_VERTICES, NULL) >= 0);
    CHECK(nsc_hull_complete(&rock) == NSC_OK);
}

/* ---- What the hash sees */

static void feed_turn(nsc_quat q)
{
    feed(&q.w, 1);
    feed(&q.x, 1);
    feed(&q.y, 1);
    feed(&q.z, 1);
}

static void feed_bodies(void)
{
    int i, n;
    for (i = 0; i < world.body_end; i++) {
        const nsc_body *b = &world.bodies[i];
        if (b->generation % 2 == 0) continue;
        feed_vec(b->position);
        feed_turn(b->orientation);
        feed_vec(b->velocity);
        feed_vec(b->angular_velocity);
        feed(&b->mass, 1);
        feed_vec(b->centre);
        feed(b->inertia, 6);
        feed(b->inv_inertia, 6);
        feed_int(b->asleep);
    }
    n = nsc_world_contact_count(&world);
    feed_int(n);
    for (i = 0; i < n; i++) {
        const nsc_contact *c = nsc_world_contact(&world, i);
        feed_int(c->shape_a);
        feed_int(c->shape_b);
        feed_word(c->feature);
        feed_int(c->matched + 2 * c->touching + 4 * c->sensor);
        feed_vec(c->point);
        feed_vec(c->normal);
        feed(&c->gap, 1);
        feed(&c->friction, 1);
        feed(&c->restitution, 1);
        feed(&c->stiffness, 1);
        feed(&c->damping, 1);
        feed(&c->rolling, 1);
        feed(&c->torsion, 1);
        feed(&c->hertz, 1);
        feed(&c->tangential, 1);
        feed(&c->cohesion, 1);
        feed_vec(c->surface_velocity);
        feed_vec(c->impulse);
        feed_vec(c->moment);
        feed(&c->approach, 1);
        feed_vec(c->shear);
        feed(&c->impact, 1);
        feed_vec(c->twist);
    }
}

static void feed_step(int code)
{
    const nsc_step_report *r = nsc_world_report(&world);
    int i;
    feed_int(code);
    feed_report(&r->solver);
    feed_int(r->pairs);
    feed_int(r->contacts);
    feed_int(r->matched);
    feed_int(r->dropped);
    feed_int(r->dropped_rolling);
    feed_int(r->dropped_events);
    feed_int(r->unkept);
    feed_int(r->asleep);
    feed(&r->penetration, 1);
    feed_int(r->newton_steps);
    feed(&r->newton_change, 1);
    feed_int(r->unsettled);
    feed(&r->step_limit, 1);
    feed_int(r->over_limit);
    feed_int(r->dropped_derivatives);
    feed_int(r->limited_bounces);
    NSCI_IF(NSC_BARRIER, feed_int(r->overlaps);)
    NSCI_IF(NSC_SECOND_LOOK, feed_int(r->looks); feed_int(r->ahead); feed_int(r->unseen);)
    for (i = 0; i < r->islands; i++) {
        const nsc_island *k = nsc_world_island(&world, i);
        if (!k) continue;
        feed_int(k->bodies);
        feed_int(k->joints);
        feed_int(k->springs);
        feed_int(k->contacts);
        feed_int(k->blocks);
        feed_int(k->joint_blocks);
        feed_int(k->asleep);
        feed_int(k->solver);
        feed_int(k->status);
        feed_int(k->iterations);
        feed(&k->residual, 1);
    }
    for (i = 0; i < nsc_world_event_count(&world); i++) {
        const nsc_event *e = nsc_world_event(&world, i);
        feed_int(e->shape_a);
        feed_int(e->shape_b);
        feed_int(e->body_a);
        feed_int(e->body_b);
        feed_int(e->kind);
    }
    feed_word(nsc_world_hash(&world));
    feed_bodies();
}

static void feed_refusal(void)
{
    nsc_refusal why = nsc_world_last_refusal(&world);
    feed_int(why.code);
    feed_text(why.field);
    feed_text(why.rule);
    if (why.value - why.value == NSC_R(0.0)) feed(&why.value, 1);
}

/* Every call that may be refused ends here. */
static int told(int code)
{
    feed_int(code);
    if (code < 0) feed_refusal();
    return code;
}

static nsc_id body_at(int i)
{
    return nsc_world_body_at(&world, i % (world.body_end > 0 ? world.body_end : 1));
}

static nsc_id any_body(void)
{
    nsc_id id = body_at(pick(NSC_MAX_BODIES));
    return id < 0 ? NSC_GROUND : id;
}

static nsc_id any_shape_id(void)
{
    return nsc_world_shape_at(&world, pick(world.shape_end > 0 ? world.shape_end : 1));
}

static nsc_id joint_at(int i)
{
    int32_t use = world.joints[i].generation / 2 % 2048;
    return (nsc_id)((int32_t)3 << 29 | (int32_t)world.def.tag << 25 | use << 14 | i);
}

enum { SPRINGS = 32 };
static nsc_id springs[SPRINGS]; /* all that were made, stale ones too */
static int spring_count;

static void feed_joints(void)
{
    int i, axis;
    for (i = 0; i < world.joint_end; i++) {
        nsc_id id = joint_at(i);
        nsc_vec3 force, torque;
        nsc_real distance, angle;
        nsc_axis_state s;
        if (world.joints[i].generation % 2 == 0) continue;
        for (axis = 0; axis < 4; axis++) {
            int code = nsc_joint_get_axis(&world, id, axis, &s);
            feed_int(code);
            if (code != NSC_OK) continue;
            feed(&s.position, 1);
            feed(&s.velocity, 1);
            feed(&s.drive, 1);
            feed(&s.spring, 1);
            feed(&s.friction, 1);
            feed(&s.limit, 1);
        }
        if (nsc_joint_get_force(&world, id, &force, &torque) == NSC_OK) {
            feed_vec(force);
            feed_vec(torque);
        }
        if (nsc_joint_get_drift(&world, id, &distance, &angle) == NSC_OK) {
            feed(&distance, 1);
            feed(&angle, 1);
        }
        feed(world.joints[i].impulse, NSC_JOINT_ROWS);
    }
    for (i = 0; i < spring_count; i++) {
        nsc_vec3 force;
        nsc_real now;
        int code = nsc_spring_get_force(&world, springs[i], &now, &force);
        feed_int(code);
        if (code == NSC_OK) feed(&now, 1), feed_vec(force);
    }
}

/* ---- Random shapes and bodies */

static nsc_pose no_pose(void) { return nsc_default_body_def().pose; }

/* Half of the time a turn of a cube, or an eighth of a turn, or next to one of these, else any */
static nsc_quat any_turn(void)
{
    nsc_quat q = no_pose().orientation;
    nsc_real x, y, z;
    int how = pick(10);
    if (how == 0) return q;
    if (how > 7) {
        const nsc_real quarter = NSC_R(1.5707963267948966), tilt = NSC_R(0.0078125) * (nsc_real)(1 + pick(6));
        x = quarter * (nsc_real)pick(3) + tilt, y = pick(2) ? tilt : NSC_R(0.0);
        z = pick(2) ? quarter - tilt : NSC_R(0.0);
        return nsc_quat_from_rpy(x, y, z);
    }
    if (how == 1) {
        q.w = q.x = q.y = q.z = NSC_R(0.5);
        if (pick(2)) q.x = NSC_R(-0.5);
        return q;
    }
    if (how < 4) {
        const nsc_real eighth = NSC_R(0.78539816339744831);
        x = eighth * (nsc_real)pick(4), y = eighth * (nsc_real)pick(4), z = eighth * (nsc_real)pick(4);
        return nsc_quat_from_rpy(x, y, z);
    }
    x = NSC_R(3.0) * part(), y = NSC_R(3.0) * part(), z = NSC_R(3.0) * part();
    return nsc_quat_from_rpy(x, y, z);
}

enum {
    SPHERE, CAPSULE, CYLINDER, BOX, HULL, CONST_HULL, MOVABLE, HALF_SPACE = MOVABLE, FIELD,
    CONST_FIELD, RAMP, GEM, KINDS
};
static const char *const kind_names[KINDS] = {"sphere", "capsule", "cylinder", "box",
                                              "hull", "const hull", "half-space", "field",
                                              "const field", "ramp", "gem"};

static nsc_real length(void) { return NSC_R(0.125) * (nsc_real)(1 + pick(4)); }

static nsc_shape_def plain_shape(int kind)
{
    nsc_real a = length(), b = length(), c = length();
    switch (kind) {
    case SPHERE: return nsc_default_sphere_def(a);
    case CAPSULE: return nsc_default_capsule_def(a, b);
    case CYLINDER: return nsc_default_cylinder_def(a, b);
    case BOX: return nsc_default_box_def(a, b, c);
    case HULL:
    case CONST_HULL: return nsc_default_hull_def();
    case HALF_SPACE: return nsc_default_half_space_def();
    case FIELD:
    case CONST_FIELD: return nsc_default_height_field_def();
    default: return nsc_default_mesh_def();
    }
}

enum { ROLLS = 1, BELTS = 2, COHESIVE = 4, BOUNCES = 8, SOFT = 16, GROUPS = 32 };

static void any_material(nsc_shape_def *d, int what)
{
    d->friction = NSC_R(0.25) * (nsc_real)pick(5);
    if (what & BOUNCES) d->restitution = NSC_R(0.25) * (nsc_real)pick(5);
    if (what & ROLLS) {
        d->rolling = NSC_R(0.03125) * (nsc_real)pick(3);
        d->torsion = NSC_R(0.03125) * (nsc_real)pick(3);
    }
    if (what & BELTS) d->surface_velocity = any_vec(NSC_R(1.0));
    if (what & COHESIVE) d->cohesion = NSC_R(4.0) * (nsc_real)pick(4);
    if (what & SOFT && pick(2)) {
        d->stiffness = NSC_R(2000.0) * (nsc_real)(1 + pick(4));
        d->damping = NSC_R(16.0) * (nsc_real)pick(3);
    }
    if (pick(4) == 0) {
        d->young = NSC_R(1e5) * (nsc_real)(1 + pick(8));
        d->poisson = NSC_R(0.125) * (nsc_real)(pick(9) - 4);
    }
    if (what & GROUPS) {
        d->category = UINT32_C(1) << pick(2);
        d->mask = 1u + (uint32_t)pick(3);
        d->sensor = pick(6) == 0;
        d->user = (uint32_t)pick(3);
    }
}

static nsc_id add_shape(nsc_id body, int kind, const nsc_shape_def *d)
{
    int i;
    switch (kind) {
    case HULL: case CONST_HULL: return told(nsc_world_add_hull(&world, body, d, pick(2)));
    case FIELD:
        for (i = 0; i < 35; i++) rough_height[i] = NSC_R(0.0625) * (nsc_real)pick(5);
        nsc_heights_complete(&rough);
        return told(nsc_world_add_height_field(&world, body, d, 1));
    case CONST_FIELD: return told(nsc_world_add_height_field(&world, body, d, 0));
    case RAMP: return told(nsc_world_add_mesh(&world, body, d, 0));
    case GEM: return told(nsc_world_add_mesh(&world, body, d, 1));
    default: return told(nsc_world_add_shape(&world, body, d));
    }
}

static void begin(const nsc_world_def *def)
{
    spring_count = 0;
    told(nsc_world_init(&world, def));
    CHECK(nsc_world_set_meshes(&world, meshes, 2) == NSC_OK);
    CHECK(nsc_world_set_hulls(&world, hulls, 2) == NSC_OK);
    CHECK(nsc_world_set_fields(&world, fields, 2) == NSC_OK);
}

/* ---- Sensing */

static void feed_hit(int code, const nsc_hit *hit)
{
    told(code);
    if (code != 1) return;
    feed_int(hit->shape);
    feed_int(hit->body);
    feed_vec(hit->point);
    feed_vec(hit->normal);
    feed(&hit->distance, 1);
}

static nsc_shape_def any_probe(nsc_vec3 around, nsc_real size)
{
    nsc_shape_def d = plain_shape(pick(4));
    nsc_vec3 off = any_vec(size);
    d.pose.position = at(around.x + off.x, around.y + off.y, around.z + off.z);
    d.pose.orientation = any_turn();
    return d;
}

#ifdef REPLAY_PARTS
/* All that the tree of boxes holds, and the same questions to it */
static nsc_box_tree boxes;

static void sense_by_tree(nsc_vec3 from, nsc_vec3 way, const nsc_shape_def *probe, uint32_t mask)
{
    nsc_id ids[4];
    nsc_hit hit;
    int i, n;
    feed_int(nsc_box_tree_make(&boxes, &world));
    feed_int(boxes.unbounded);
    for (i = 0; i < boxes.nodes; i++) {
        const nsc_box_node *b = &boxes.node[i];
        feed_int(b->skip);
        feed_int(b->shape);
        if (i >= boxes.unbounded) feed(b->low, 3), feed(b->high, 3);
    }
    feed_hit(nsc_box_tree_cast_ray(&boxes, &world, from, way, mask, &hit), &hit);
    feed_hit(nsc_box_tree_closest(&boxes, &world, from, NSC_R(0.75), mask, &hit), &hit);
    n = told(nsc_box_tree_overlap(&boxes, &world, probe, mask, ids, 4));
    for (i = 0; i < n && i < 4; i++) feed_int(ids[i]);
    feed_hit(nsc_box_tree_cast_shape(&boxes, &world, probe, way, mask, &hit), &hit);
}
#endif

static void sense(nsc_vec3 around, nsc_real size)
{
    nsc_vec3 off = any_vec(size), way = any_vec(NSC_R(2.0) * size);
    nsc_vec3 from = at(around.x + off.x, around.y + off.y, around.z + off.z);
    nsc_shape_def probe = any_probe(around, size);
    nsc_id ids[4];
    nsc_hit hit;
    int i, n;
    uint32_t mask = pick(5) ? ALL : 1u;
    feed_hit(nsc_world_cast_ray(&world, from, way, mask, &hit), &hit);
    feed_hit(nsc_world_closest(&world, from, NSC_R(0.75), mask, &hit), &hit);
    n = told(nsc_world_overlap(&world, &probe, mask, ids, 4));
    for (i = 0; i < n && i < 4; i++) feed_int(ids[i]);
    feed_hit(nsc_world_cast_shape(&world, &probe, way, mask, &hit), &hit);
#ifdef REPLAY_PARTS
    sense_by_tree(from, way, &probe, mask);
#endif
}

#ifdef REPLAY_PARTS
/* A slope through what may be asleep; it wakes what it meets. */
static void add_slope(void)
{
    nsc_shape_def d = nsc_default_half_space_def();
    nsc_real x = NSC_R(0.25) * part(), y = NSC_R(0.25) * part();
    d.pose.position.z = NSC_R(0.25) * part();
    d.pose.orientation = nsc_quat_from_rpy(x, y, NSC_R(0.0));
    told(nsc_world_add_shape(&world, NSC_GROUND, &d));
}
#endif

/* What each body feels, and the patches and shapes of it */
static void feel(void)
{
    int i;
    for (i = 0; i < world.body_end; i++) {
        nsc_id id = nsc_world_body_at(&world, i);
        nsc_pose mounting = no_pose(), pose;
        nsc_vec3 a, b;
        nsc_real mass, inertia[6];
        mounting.position = at(NSC_R(0.125), NSC_R(0.25), NSC_R(-0.125));
        mounting.orientation = nsc_quat_from_rpy(NSC_R(0.25), NSC_R(0.5), NSC_R(-1.0));
        if (nsc_body_get_imu(&world, id, mounting, &a, &b) == NSC_OK) feed_vec(a), feed_vec(b);
        if (nsc_body_get_contact_force(&world, id, &a, &b) == NSC_OK) feed_vec(a), feed_vec(b);
        if (nsc_body_get_patch_force(&world, id, 1, &a, &b) == NSC_OK) feed_vec(a), feed_vec(b);
        if (nsc_body_get_velocity(&world, id, &a, &b) == NSC_OK) feed_vec(a), feed_vec(b);
        if (nsc_body_get_mass(&world, id, &mass, &a, inertia) == NSC_OK)
            feed(&mass, 1), feed_vec(a), feed(inertia, 6);
        if (nsc_body_get_pose(&world, id, &pose) == NSC_OK) feed_vec(pose.position), feed_turn(pose.orientation);
        feed_int(nsc_body_is_asleep(&world, id));
        feed_int(nsc_body_get_island(&world, id));
        feed_int(get_kind(&world, id));
    }
    for (i = 0; i < world.shape_end; i++) {
        nsc_vec3 a, b;
        nsc_id id = nsc_world_shape_at(&world, i);
        if (nsc_shape_get_contact_force(&world, id, &a, &b) == NSC_OK) feed_vec(a), feed_vec(b);
    }
}

/* ---- Pairs of shapes: every kind against every kind, near each other in many poses */

static void pair(int a, int b)
{
    nsc_world_def def = default_def();
    nsc_body_def one = nsc_default_body_def(), two = nsc_default_body_def();
    nsc_shape_def shape;
    nsc_id first, second;
    nsc_real reach = b >= FIELD && b <= RAMP ? NSC_R(1.25) : NSC_R(0.75);
    int i, k;
    hash = UINT32_C(2166136261);
    seed = (uint32_t)(100 * a + b);
    for (i = 0; i < 24; i++) {
        def.margin = pick(2) ? NSC_R(0.125) : NSC_R(0.01);
        def.keep_manifolds = pick(4) > 0;
        def.contact_model = pick(4) ? NSC_CONTACT_HARD : NSC_CONTACT_SMOOTH;
        def.solver.max_iterations = 10;
#if NSC_BARRIER
        if (a != b && b < FIELD && pick(3) == 0) {
            def.stepper = NSC_STEPPER_EULER_IMPLICIT, def.contact_model = NSC_CONTACT_SMOOTH;
            def.contact_law = NSC_SMOOTH_BARRIER, def.barrier_distance = NSC_R(0.0078125);
        } else {
            def.stepper = NSC_STEPPER_EULER_IMPLICIT_LINEARIZED;
            def.contact_law = NSC_SMOOTH_HERTZ;
        }
#endif
        begin(&def);
        two.kind = b >= MOVABLE ? NSC_STATIC_BODY : pick(2) ? NSC_KINEMATIC_BODY : NSC_DYNAMIC_BODY;
        two.pose.orientation = any_turn();
        second = told(nsc_world_add_body(&world, &two));
        shape = plain_shape(b);
        if (add_shape(second, b, &shape) < 0) continue;
        one.pose.position = any_vec(reach);
        if (b >= FIELD) one.pose.position.z = NSC_R(0.5) * one.pose.position.z + NSC_R(0.25);
        if (b >= FIELD) {
            nsc_pose turned = no_pose();
            turned.orientation = two.pose.orientation;
            one.pose.position = nsc_pose_point(turned, one.pose.position);
        }
        one.pose.orientation = any_turn();
        one.velocity = at(-one.pose.position.x, -one.pose.position.y, -one.pose.position.z);
        first = told(nsc_world_add_body(&world, &one));
        shape = plain_shape(a);
        any_material(&shape, BOUNCES);
        if (add_shape(first, a, &shape) < 0) continue;
        for (k = 0; k < 3; k++) feed_step(step_by(&world, NSC_R(0.0078125)));
        for (k = 0; k < 2; k++) sense(k ? at(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)) : one.pose.position, reach);
    }
}

static void pairs(void)
{
    char name[80];
    int a, b;
    for (a = 0; a < MOVABLE; a++)
        for (b = a; b < KINDS; b++) {
            pair(a, b);
            snprintf(name, sizeof name, "%s and %s", kind_names[a], kind_names[b]);
            meet(TITLE, name, hash);
        }
}

/* ---- Worlds of several bodies */

enum {
    JOINTED = 64, SPRUNG = 128, SLEEPS = 256, SUBSTEPS = 512, TERRAIN = 1024, FORCED = 2048,
    OWN = 4096, EDITED = 8192, PARTS = 16384, LOCKED = 32768, CHANGED = 65536, BARRIERS = 131072,
    ROPES = 262144, THROWN = 524288, TILED = 1 << 20, ROWED = 1 << 21, TREES = 1 << 22,
    FAR_OUT = 1 << 23
};

static const struct theme {
    const char *name;
    int stepper, model, contact_law, solver, law;
    int what;
} themes[] = {
#define LINEARIZED NSC_STEPPER_EULER_IMPLICIT_LINEARIZED
#define PROJECTED NSC_STEPPER_EULER_IMPLICIT_PROJECTED
#define SYMPLECTIC NSC_STEPPER_EULER_SYMPLECTIC
#define FORWARD NSC_STEPPER_EULER_FORWARD
#define IMPLICIT NSC_STEPPER_EULER_IMPLICIT
#define HHT NSC_STEPPER_HHT
#define NEWMARK NSC_STEPPER_NEWMARK
#define HARD NSC_CONTACT_HARD
#define SMOOTH NSC_CONTACT_SMOOTH
#ifdef REPLAY_PARTS
    {"looks", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, THROWN | ROLLS},
    {"looks at bounces", LINEARIZED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, THROWN | BOUNCES | TERRAIN},
    {"looks asleep", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID, THROWN | SLEEPS | SUBSTEPS},
    {"looks at joints", LINEARIZED, HARD, 2, NSC_SOLVER_NEWTON, NSC_LAW_CONE, THROWN | JOINTED | SPRUNG},
    {"looks at edits", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, THROWN | EDITED | GROUPS | FORCED | CHANGED | BELTS},
    {"looks by parts", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, THROWN | PARTS | SOFT},
    {"tiles", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, TILED | ROLLS},
    {"tiles and bounces", LINEARIZED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, TILED | BOUNCES | SOFT | SUBSTEPS},
    {"tiles smooth", LINEARIZED, SMOOTH, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, TILED | ROLLS},
    {"tiles edited", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, TILED | EDITED | GROUPS},
    {"tiles projected", PROJECTED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, TILED | SLEEPS},
    {"rows", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, ROWED | JOINTED},
    {"rows newton", PROJECTED, HARD, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, ROWED | SLEEPS | SUBSTEPS},
    {"rows implicit", IMPLICIT, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, ROWED | SPRUNG},
    {"rows forward", FORWARD, SMOOTH, 3, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, ROWED},
    {"rows hht", HHT, SMOOTH, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, ROWED | SUBSTEPS},
    {"rows symplectic", SYMPLECTIC, HARD, 2, NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, ROWED | LOCKED},
    {"trees", LINEARIZED, HARD, 2, NSC_SOLVER_TREE, NSC_LAW_COULOMB, TREES},
    {"trees that roll", PROJECTED, HARD, 2, NSC_SOLVER_TREE, NSC_LAW_CONE, TREES | ROLLS | SPRUNG},
    {"trees implicit", IMPLICIT, HARD, 2, NSC_SOLVER_TREE, NSC_LAW_COULOMB, TREES | LOCKED},
    {"trees edited", LINEARIZED, HARD, 2, NSC_SOLVER_TREE, NSC_LAW_PYRAMID, TREES | EDITED | SLEEPS | SUBSTEPS},
    {"trees and rows", LINEARIZED, HARD, 2, NSC_SOLVER_TREE, NSC_LAW_COULOMB, TREES | ROWED | JOINTED},
    {"far out", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, FAR_OUT | SUBSTEPS | EDITED},
    {"far out implicit", IMPLICIT, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, FAR_OUT | JOINTED},
#elif !NSC_BARRIER
    {"rubble", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 0},
    {"rubble that rolls", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, ROLLS | TERRAIN},
    {"rubble that bounces", LINEARIZED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BOUNCES | SUBSTEPS},
    {"rubble that sticks", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_CONE, COHESIVE | SOFT},
    {"groups on belts", LINEARIZED, HARD, 2, NSC_SOLVER_APGD, NSC_LAW_COULOMB, BELTS | GROUPS | EDITED},
    {"sleepers", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, SLEEPS | EDITED | JOINTED},
    {"sleepers with sub-steps", LINEARIZED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_PYRAMID, SLEEPS | SUBSTEPS | SPRUNG},
    {"joints", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, JOINTED},
    {"joints by parts", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, JOINTED | PARTS | ROLLS},
    {"rubble by parts", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_PYRAMID, PARTS | TERRAIN | BOUNCES},
    {"joints newton", LINEARIZED, HARD, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTED | ROLLS},
    {"joints admm", LINEARIZED, HARD, 2, NSC_SOLVER_ADMM, NSC_LAW_CONE, JOINTED | SPRUNG},
    {"joints dantzig", LINEARIZED, HARD, 2, NSC_SOLVER_DANTZIG, NSC_LAW_PYRAMID, JOINTED | ROLLS},
    {"joints bb", LINEARIZED, HARD, 2, NSC_SOLVER_BB, NSC_LAW_COULOMB, JOINTED | EDITED},
    {"joints projected", PROJECTED, HARD, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTED | TERRAIN},
    {"rubble projected", PROJECTED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, ROLLS | SUBSTEPS | BOUNCES},
    {"symplectic", SYMPLECTIC, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, JOINTED | SPRUNG | FORCED},
    {"symplectic smooth", SYMPLECTIC, SMOOTH, 1, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, ROLLS | COHESIVE | BOUNCES},
    {"forward", FORWARD, SMOOTH, 3, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, JOINTED | SPRUNG | BOUNCES},
    {"smooth", LINEARIZED, SMOOTH, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, ROLLS | BELTS | SOFT},
    {"smooth flores", LINEARIZED, SMOOTH, 3, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, COHESIVE | SUBSTEPS | TERRAIN},
    {"implicit", IMPLICIT, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, JOINTED | SPRUNG | FORCED},
    {"implicit bounces", IMPLICIT, HARD, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, BOUNCES | ROLLS},
    {"implicit smooth", IMPLICIT, SMOOTH, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, JOINTED | ROLLS | SOFT},
    {"hht", HHT, SMOOTH, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, JOINTED | SPRUNG | FORCED},
    {"hht edited", HHT, SMOOTH, 1, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTED | EDITED | SUBSTEPS},
    {"newmark", NEWMARK, SMOOTH, 3, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, SPRUNG | ROLLS | BOUNCES},
    {"forces", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, FORCED | CHANGED | LOCKED},
    {"contacts of its own", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, OWN | ROLLS | SOFT},
    {"smooth contacts of its own", SYMPLECTIC, SMOOTH, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, OWN | ROLLS},
    {"locks", LINEARIZED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, LOCKED | JOINTED | EDITED | CHANGED},
    {"ropes", LINEARIZED, HARD, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTED | ROPES},
    {"ropes projected", PROJECTED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, JOINTED | ROPES | SUBSTEPS},
    {"ropes implicit", IMPLICIT, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, JOINTED | ROPES},
    {"locked axes", FORWARD, SMOOTH, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTED | ROPES},
    {"locked axes hht", HHT, SMOOTH, 2, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, JOINTED | ROPES | ROLLS},
    {"thrown", LINEARIZED, HARD, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, THROWN | BOUNCES | TERRAIN | ROLLS},
    {"thrown smooth", IMPLICIT, SMOOTH, 2, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, THROWN | BOUNCES | ROLLS | COHESIVE},
    {"edits", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, EDITED | JOINTED | SPRUNG | TERRAIN | GROUPS},
#else
    {"drop", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS},
    {"newton", IMPLICIT, SMOOTH, 4, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, BARRIERS | SOFT},
    {"joints", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS | JOINTED},
    {"springs", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS | SPRUNG | FORCED},
    {"thrown", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS | THROWN},
    {"thrown newton", IMPLICIT, SMOOTH, 4, NSC_SOLVER_NEWTON, NSC_LAW_COULOMB, BARRIERS | THROWN | SOFT},
    {"belts", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS | BELTS | GROUPS},
    {"locks", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS | LOCKED | CHANGED},
    {"edits", IMPLICIT, SMOOTH, 4, NSC_SOLVER_AUTO, NSC_LAW_COULOMB, BARRIERS | EDITED | JOINTED},
    {"rubble", LINEARIZED, HARD, 2, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, ROLLS | TERRAIN},
#endif
};
enum { THEMES = sizeof themes / sizeof *themes };

/* Boxes and hulls side by side, in part turned by a right angle or a little higher, on the ground
   or on one static body each */
static void add_tiles(int what)
{
    int i, mixed = pick(3), apart = pick(2), steps = pick(4) == 0;
    for (i = 0; i < 12; i++) {
        int kind = mixed && pick(3) == 0 ? CONST_HULL : BOX;
        nsc_body_def b = nsc_default_body_def();
        nsc_shape_def d = plain_shape(kind);
        nsc_vec3 place = at(NSC_R(0.75) * (nsc_real)(i % 4) - NSC_R(1.125),
                            NSC_R(0.5) * (nsc_real)(i / 4) - NSC_R(0.5), NSC_R(-0.25));
        any_material(&d, what & ~GROUPS);
        if (kind == BOX) d.half = at(NSC_R(0.375), NSC_R(0.25), NSC_R(0.25));
        if (steps) place.z += NSC_R(0.00390625) * (nsc_real)pick(5);
        if (pick(6) == 0) d.pose.orientation = nsc_quat_from_rpy(NSC_R(0.0625) * part(), NSC_R(0.0), NSC_R(0.0));
        b.kind = NSC_STATIC_BODY;
        if (apart) b.pose.position = place;
        else d.pose.position = place;
        add_shape(apart ? told(nsc_world_add_body(&world, &b)) : NSC_GROUND, kind, &d);
    }
}

/* Two fields or meshes that meet at x = 0, each on half the edge as high as the other */
static void add_terrains(int what)
{
    int i, kind = pick(2) ? CONST_FIELD : RAMP;
    for (i = 0; i < 2; i++) {
        nsc_shape_def d = plain_shape(kind);
        any_material(&d, what & ~GROUPS);
        d.pose.position.x = (kind == RAMP ? NSC_R(2.0) : NSC_R(1.125)) * (nsc_real)(2 * i - 1);
        add_shape(NSC_GROUND, kind, &d);
    }
}

static void add_ground(int what)
{
    nsc_shape_def d;
    int kind = HALF_SPACE;
    if (what & TILED) {
        if (pick(3)) add_tiles(what);
        else add_terrains(what);
        return;
    }
    if (what & TERRAIN) kind = FIELD + pick(4);
    if (pick(5) == 0) kind = BOX;
    d = plain_shape(kind);
    any_material(&d, what & ~GROUPS);
    if (kind == BOX) {
        d.half = at(NSC_R(2.0), NSC_R(2.0), NSC_R(0.5));
        d.pose.position.z = NSC_R(-0.5);
    }
    if (pick(4) == 0) d.pose.orientation = nsc_quat_from_rpy(NSC_R(0.125), NSC_R(-0.0625), NSC_R(0.5));
    add_shape(NSC_GROUND, kind, &d);
}

#if NSC_LOCKS
static void any_locks(nsc_body_def *e)
{
    e->locks = pick(4) ? 1 << pick(6) : NSC_LOCK_2D;
    if (pick(4) == 0) e->locks |= pick(64);
    if (pick(2)) e->linear_damping = NSC_R(0.5) * (nsc_real)pick(4);
    if (pick(2)) e->angular_damping = NSC_R(0.5) * (nsc_real)pick(4);
    e->user = (uint32_t)pick(9);
}
static void set_locks(nsc_id id)
{
    nsc_body_def e = nsc_default_body_def();
    any_locks(&e);
    if (told(nsc_body_set_locks(&world, id, e.locks)) < 0) return;
    CHECK(nsc_body_set_damping(&world, id, e.linear_damping, e.angular_damping) == NSC_OK);
    CHECK(nsc_body_set_user(&world, id, e.user) == NSC_OK);
}
#else
#define any_locks(e) ((void)0)
#define set_locks(id) ((void)0)
#endif

/* A body of one to three shapes, above the last */
static nsc_id add_body(int what, int number)
{
    nsc_body_def b = nsc_default_body_def();
    int shapes = pick(4) ? 1 : 2 + pick(2), k;
    nsc_id id;
    b.pose.position = any_vec(NSC_R(0.5));
    b.pose.position.z = NSC_R(0.25) + NSC_R(0.3125) * (nsc_real)number;
    if (what & BARRIERS)
        b.pose.position.z = NSC_R(1.0625) + NSC_R(2.125) * (nsc_real)(number / 3),
        b.pose.position.x += NSC_R(2.5) * (nsc_real)(number % 3);
    b.pose.orientation = any_turn();
    if (pick(2)) b.velocity = any_vec(NSC_R(2.0));
    if (pick(2)) b.angular_velocity = any_vec(NSC_R(4.0));
    if (what & TILED) b.velocity = any_vec(NSC_R(4.0));
    if (what & FAR_OUT) b.pose.position.x += NSC_R(100.0), b.pose.position.y -= NSC_R(1000.0);
    if (what & THROWN) b.velocity = any_vec(NSC_R(24.0)), b.angular_velocity = any_vec(NSC_R(32.0));
    if (pick(8) == 0) b.gravity_scale = NSC_R(0.5);
    if (pick(7) == 0) b.kind = NSC_KINEMATIC_BODY + (pick(4) == 0) * (NSC_STATIC_BODY - NSC_KINEMATIC_BODY);
    else if (pick(5) == 0) {
        b.mass = NSC_R(0.5) * (nsc_real)(1 + pick(8));
        b.centre = any_vec(NSC_R(0.125));
        b.inertia[0] = b.mass * NSC_R(0.0625), b.inertia[1] = b.mass * NSC_R(0.09375);
        b.inertia[2] = b.mass * NSC_R(0.125), b.inertia[3] = b.mass * NSC_R(0.0078125);
        b.inertia[5] = b.mass * NSC_R(-0.00390625);
        b.particle = pick(4) == 0;
        if (b.particle) b.centre = any_vec(NSC_R(0.0));
    }
    if (what & LOCKED && pick(2)) any_locks(&b);
    id = told(nsc_world_add_body(&world, &b));
    for (k = 0; k < shapes; k++) {
        int kind = pick(MOVABLE);
        nsc_shape_def d = plain_shape(kind);
        any_material(&d, what);
        d.density = NSC_R(125.0) * (nsc_real)(1 + pick(8));
        if (k > 0 || pick(4) == 0) {
            d.pose.position = any_vec(NSC_R(0.375));
            d.pose.orientation = any_turn();
        }
        if (id > 0) add_shape(id, kind, &d);
    }
    return id;
}

static nsc_axis_def any_axis(int stepper)
{
    nsc_axis_def d = nsc_default_joint_def(NSC_JOINT_BALL, NSC_GROUND, NSC_GROUND).axis[0];
    int hard = stepper == LINEARIZED || stepper == PROJECTED || stepper == SYMPLECTIC || stepper == IMPLICIT;
    if (pick(3) == 0) {
        d.limited = 1;
        d.lower = NSC_R(-0.25) * (nsc_real)pick(4), d.upper = d.lower + NSC_R(0.125) * (nsc_real)pick(6);
        if (!hard) d.upper = d.lower = NSC_R(0.5) * part();
        if (pick(3) == 0) {
            d.limit_stiffness = NSC_R(256.0) * (nsc_real)(1 + pick(4));
            d.limit_damping = NSC_R(4.0) * (nsc_real)pick(3);
        }
    }
    d.drive = pick(2) ? 0 : pick(4);
    d.target = part();
    d.target_velocity = NSC_R(2.0) * part();
    d.stiffness = NSC_R(16.0) * (nsc_real)(1 + pick(8));
    d.damping = NSC_R(2.0) * (nsc_real)pick(4);
    if (pick(3) == 0) d.force = NSC_R(8.0) * part();
    if (pick(3) == 0) d.max_force = NSC_R(8.0) * (nsc_real)pick(4);
    if (pick(6) == 0 && hard) d.max_speed = NSC_R(0.5) * (nsc_real)(1 + pick(3));
    if (pick(5) == 0) d.armature = NSC_R(0.25) * (nsc_real)(1 + pick(3));
    if (pick(4) == 0) d.friction = NSC_R(2.0) * (nsc_real)(1 + pick(3));
    if (pick(4) == 0) {
        d.spring = NSC_R(32.0) * (nsc_real)pick(4);
        d.spring_damping = NSC_R(2.0) * (nsc_real)pick(3);
        d.spring_rest = NSC_R(0.25) * part();
    }
    return d;
}

static void add_joint_of(int kind, nsc_id a, nsc_id b)
{
    int k;
    nsc_joint_def d;
    nsc_pose pose = no_pose();
    nsc_vec3 point, axis = any_vec(NSC_R(1.0)), across = any_vec(NSC_R(1.0));
    if (pick(2)) {
        axis = at(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0));
        across = at(pick(2) ? NSC_R(1.0) : NSC_R(0.0), NSC_R(0.0), NSC_R(0.0));
        if (pick(2)) axis = at(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0));
    }
    d = nsc_default_joint_def(kind, a, b);
    nsc_body_get_pose(&world, b, &pose);
    point = any_vec(NSC_R(0.25));
    point = nsc_pose_point(pose, point);
    told(nsc_joint_place(&world, &d, point, axis, across));
    if (pick(4) == 0 || kind == NSC_JOINT_DISTANCE) {
        d.frame_a.position = any_vec(NSC_R(0.5));
        if (pick(2)) d.frame_b.orientation = any_turn();
    }
    d.collide = pick(3) == 0;
    for (k = 0; k < 3; k++) d.axis[k] = any_axis(world.def.stepper >= HHT && pick(8) == 0 ? LINEARIZED : world.def.stepper);
    if (pick(3) > 0)
        for (k = 1; k < 3; k++) d.axis[k] = nsc_default_joint_def(kind, a, b).axis[k];
    if (kind == NSC_JOINT_DISTANCE && d.axis[0].limited) d.axis[0].lower = NSC_R(0.25), d.axis[0].upper = NSC_R(0.25) * (nsc_real)(1 + pick(4));
    if (kind == NSC_JOINT_DISTANCE && (world.def.stepper == FORWARD || world.def.stepper >= HHT)) d.axis[0].upper = d.axis[0].lower;
    told(nsc_world_add_joint(&world, &d));
}

static void add_joint(int what)
{
    int kind = what & ROPES && pick(3) ? NSC_JOINT_DISTANCE : 1 + pick(8);
    nsc_id a = any_body(), b = any_body();
    add_joint_of(kind, a, b);
}

/* Each body hangs on one before it, few on none */
static void add_trees(void)
{
    int i, chain = pick(2);
    for (i = 1; i < world.body_end; i++) {
        int above = i == 1 ? 0 : chain ? i - 1 : pick(i);
        int kind = pick(3) ? NSC_JOINT_HINGE : 1 + pick(8);
        if (pick(6)) add_joint_of(kind, above ? body_at(above) : NSC_GROUND, body_at(i));
    }
}

#if NSC_MAX_ROWS > 0
static nsc_rows rows[NSC_MAX_ROWS];
static int row_count;

static void any_rows(void)
{
    int i, r, c;
    row_count = 1 + pick(NSC_MAX_ROWS);
    memset(rows, 0, sizeof rows);
    for (i = 0; i < row_count; i++) {
        nsc_rows *p = &rows[i];
        p->body_a = pick(3) ? any_body() : NSC_GROUND;
        p->body_b = body_at(1 + pick(3));
        p->count = pick(4);
        for (r = 0; r < 3; r++) {
            for (c = 0; c < 12; c++)
                if (pick(3) == 0) p->J[r][c] = NSC_R(0.5) * part();
            p->J[r][6 + pick(6)] = NSC_R(1.0);
            p->error[r] = NSC_R(0.0625) * part();
            if (pick(3) == 0) p->rate[r] = part();
            if (pick(3) == 0) p->stiffness[r] = NSC_R(64.0) * (nsc_real)pick(5), p->damping[r] = NSC_R(2.0) * (nsc_real)pick(4);
            if (pick(2)) continue;
            p->limited[r] = 1;
            p->lower[r] = pick(3) ? NSC_R(-4.0) * (nsc_real)pick(3) : -NSC_REAL_MAX;
            p->upper[r] = pick(3) ? NSC_R(4.0) * (nsc_real)pick(3) : NSC_REAL_MAX;
        }
    }
}

/* Ways that the rows have gone are theirs to say: here they creep. */
static void feed_rows(void)
{
    int i, r;
    for (i = 0; i < row_count; i++) {
        feed(rows[i].impulse, 3);
        for (r = 0; r < 3; r++) rows[i].error[r] += NSC_R(0.0009765625) * part();
        r = pick(3);
        if (pick(12) == 0) rows[i].impulse[r] = part();
    }
}
#endif

/* Two hinges or sliders on the ground, and a gear between them */
static void add_gear(void)
{
    nsc_joint_def d = nsc_default_joint_def(NSC_JOINT_GEAR, NSC_GROUND, NSC_GROUND);
    int k;
    nsc_id ids[2];
    for (k = 0; k < 2; k++) {
        nsc_id body = body_at(1 + k);
        nsc_joint_def j = nsc_default_joint_def(pick(3) ? NSC_JOINT_HINGE : NSC_JOINT_SLIDER, NSC_GROUND, body);
        nsc_pose pose = no_pose();
        nsc_body_get_pose(&world, body, &pose);
        told(nsc_joint_place(&world, &j, pose.position, k ? at(NSC_R(0.0), NSC_R(1.0), NSC_R(0.0)) : any_vec(NSC_R(1.0)),
                             at(NSC_R(0.0), NSC_R(0.0), NSC_R(0.0))));
        if (pick(2)) j.axis[0] = any_axis(world.def.stepper);
        ids[k] = told(nsc_world_add_joint(&world, &j));
    }
    d.joint_a = ids[0], d.joint_b = ids[1];
    d.ratio = NSC_R(0.5) * (nsc_real)(pick(9) - 4);
    if (pick(3) == 0) d.axis[0].spring = NSC_R(64.0), d.axis[0].spring_damping = NSC_R(2.0) * (nsc_real)pick(3);
    told(nsc_world_add_joint(&world, &d));
}

static void add_spring(void)
{
    nsc_id a = any_body(), b = any_body();
    nsc_spring_def d = nsc_default_spring_def(a, b);
    d.point_a = any_vec(NSC_R(0.25));
    d.point_b = any_vec(NSC_R(0.25));
    d.rest = NSC_R(0.25) * (nsc_real)pick(4);
    d.stiffness = NSC_R(64.0) * (nsc_real)pick(5);
    d.damping = NSC_R(2.0) * (nsc_real)pick(4);
    a = told(nsc_world_add_spring(&world, &d));
    if (a >= 0 && spring_count < SPRINGS) springs[spring_count++] = a;
}

static void add_contact(void)
{
    nsc_contact c = nsc_default_contact();
    nsc_pose pose = no_pose();
    c.body_a = pick(2) ? NSC_GROUND : any_body(), c.body_b = any_body();
    nsc_body_get_pose(&world, c.body_b, &pose);
    c.point = any_vec(NSC_R(0.25));
    c.point = nsc_pose_point(pose, c.point);
    c.normal = pick(2) ? at(NSC_R(0.0), NSC_R(0.0), NSC_R(1.0)) : at(NSC_R(0.6), NSC_R(0.0), NSC_R(0.8));
    c.feature = (uint32_t)pick(4);
    c.gap = NSC_R(0.03125) * part();
    c.friction = NSC_R(0.25) * (nsc_real)pick(4);
    c.restitution = NSC_R(0.25) * (nsc_real)pick(4);
    c.rolling = NSC_R(0.03125) * (nsc_real)pick(3), c.torsion = NSC_R(0.03125) * (nsc_real)pick(2);
    c.sensor = pick(8) == 0;
    c.surface_velocity = any_vec(NSC_R(0.5));
    if (world.def.contact_model == SMOOTH) {
        c.hertz = NSC_R(1e5), c.tangential = NSC_R(0.25) * (nsc_real)pick(4);
        c.cohesion = NSC_R(2.0) * (nsc_real)pick(3);
    }
    if (pick(4) == 0) c.stiffness = NSC_R(4096.0), c.damping = NSC_R(32.0);
    told(nsc_world_add_contact(&world, &c));
}

/* ---- Callbacks */

typedef struct calls_user {
    int steps;    /* until stop */
    int stiff;
    unsigned order;
} calls_user;

static void force(void *user, const nsc_world *w, nsc_id body, nsc_force *f)
{
    const calls_user *u = (const calls_user *)user;
    nsc_vec3 v, turn;
    nsc_pose pose;
    int i, k;
    nsc_body_get_velocity(w, body, &v, &turn);
    nsc_body_get_pose(w, body, &pose);
    f->force = at(NSC_R(-2.0) * v.x - NSC_R(8.0) * pose.position.x, NSC_R(-2.0) * v.y, NSC_R(1.0) - NSC_R(2.0) * v.z);
    f->torque = at(NSC_R(-0.25) * turn.x, NSC_R(0.125) - NSC_R(0.25) * turn.y, NSC_R(-0.25) * turn.z);
    if (!u->stiff) return;
    f->derivative = 1;
    for (i = 0; i < 6; i++) f->damping[i][i] = i < 3 ? NSC_R(2.0) : NSC_R(0.25);
    f->stiffness[0][0] = NSC_R(8.0);
    if (u->stiff < 2) return;
    for (i = 0; i < 6; i++)
        for (k = 0; k < 6; k++) f->damping[i][k] += NSC_R(0.125) * (nsc_real)((3 * i + 5 * k) % 7 - 3);
}

static int stop(void *user)
{
    calls_user *u = (calls_user *)user;
    if (u->steps > 0) u->steps--;
    return u->steps == 0;
}

static void in_parts(void *user, void (*work)(void *job, int part), void *job, int parts)
{
    const calls_user *u = (const calls_user *)user;
    int i;
    for (i = 0; i < parts; i++) work(job, u->order & 1 ? parts - 1 - i : i);
}

static int meets(void *user, const nsc_world *w, nsc_id a, nsc_id b)
{
    (void)user, (void)w;
    return ((uint32_t)a + (uint32_t)b) % 5 != 0;
}

static void change(void *user, const nsc_world *w, nsc_contact *c)
{
    (void)user, (void)w;
    c->friction = NSC_R(0.125) + NSC_R(0.5) * c->friction;
    c->surface_velocity.x += NSC_R(0.25);
    if (c->feature % 4 == 3) c->rolling = NSC_R(0.015625), c->restitution = NSC_R(0.5);
    if (c->feature % 8 == 5) c->sensor = 1;
}

/* What has lost its shapes stays where it is. */
static void give_masses(void)
{
    int i;
    for (i = 0; i < world.body_end; i++) {
        nsc_id id = nsc_world_body_at(&world, i);
        if (id > 0 && world.bodies[i].kind == NSC_DYNAMIC_BODY && world.bodies[i].mass == NSC_R(0.0))
            told(set_kind(&world, id, NSC_STATIC_BODY));
    }
}

static void step(int what)
{
    static const nsc_real lengths[4] = {NSC_R(0.03125), NSC_R(0.015625), NSC_R(0.01), NSC_R(0.00390625)};
    nsc_real h = lengths[pick(4)];
    calls_user u;
    nsc_calls calls;
    int code;
    if (world.def.contact_model == SMOOTH && !(what & BARRIERS)) h = NSC_R(0.25) * h;
    memset(&u, 0, sizeof u), memset(&calls, 0, sizeof calls);
    calls.user = &u;
    u.order = (unsigned)pick(4);
    if (what & FORCED) calls.force = force, u.stiff = pick(3);
    if (what & CHANGED) {
        if (pick(2)) calls.meet = meets;
        if (pick(3)) calls.contact = change;
    }
    if (what & PARTS && pick(4)) calls.parallel = in_parts, calls.parts = 1 + pick(4);
    if (pick(12) == 0) calls.stop = stop, u.steps = 1 + pick(20);
#if NSC_MAX_ROWS > 0
    if (what & ROWED) calls.rows = rows, calls.row_count = row_count;
#endif
    code = told(step_by_with(&world, h, &calls));
    feed_step(code);
#if NSC_MAX_ROWS > 0
    if (what & ROWED) feed_rows();
#endif
    if (code == NSC_ERR_INERTIA) give_masses();
}

/* ---- Edits */

static void edit_joint(void)
{
    nsc_id id;
    nsc_joint_def d;
    nsc_axis_def axis;
    nsc_real x = NSC_R(0.5) * part(), y = part();
    int i;
    if (world.joint_end == 0) return;
    id = joint_at(pick(world.joint_end));
    i = pick(2);
    axis = any_axis(world.def.stepper);
    switch (pick(5)) {
    case 0: told(nsc_joint_set_axis(&world, id, i, &axis)); break;
    case 1: told(nsc_joint_set_target(&world, id, i, x, y)); break;
    case 2: told(nsc_joint_set_force(&world, id, i, NSC_R(4.0) * y)); break;
    case 3: told(nsc_joint_set_state(&world, id, 0, x, y)); break;
    default: if (pick(2)) told(nsc_world_remove_joint(&world, id));
    }
    if (nsc_joint_get_def(&world, id, &d) == NSC_OK) feed(&d.axis[0].target, 1);
}

static void edit_shape(void)
{
    nsc_shape_def d;
    nsc_id id = any_shape_id();
    if (nsc_shape_get_def(&world, id, &d) != NSC_OK) return;
    if (pick(4) == 0) {
        told(nsc_world_remove_shape(&world, id));
        return;
    }
    any_material(&d, pick(64) & ~SOFT);
    told(nsc_shape_set_def(&world, id, &d));
}

static void edit_body(void)
{
    nsc_id id = any_body();
    nsc_pose pose;
    nsc_body_def e;
    nsc_vec3 a = any_vec(NSC_R(2.0)), b = any_vec(NSC_R(1.0));
    memset(&e, 0, sizeof e);
    pose.position = any_vec(NSC_R(1.0));
    pose.position.z += NSC_R(1.5);
    pose.orientation = any_turn();
    switch (pick(10)) {
    case 0: told(nsc_body_set_pose(&world, id, pose)); break;
    case 1: told(nsc_body_set_velocity(&world, id, a, b)); break;
    case 2: told(nsc_body_add_force(&world, id, a, b)); break;
    case 3: told(nsc_body_add_force_at(&world, id, a, b)); break;
    case 4: told(nsc_body_add_impulse_at(&world, id, a, b)); break;
    case 5: told(nsc_body_set_mass(&world, id, NSC_R(0.5) * (nsc_real)(1 + pick(8)))); break;
    case 6: told(nsc_body_wake(&world, id)); break;
    case 7: set_locks(id); break;
    case 8: told(set_kind(&world, id, 1 + pick(4))); break;
    default: told(nsc_body_clear_force(&world, id));
    }
}

static void edit(int what)
{
    nsc_world_def def = world.def;
    switch (pick(9)) {
    case 0: edit_shape(); break;
    case 1:
    case 2: edit_joint(); break;
    case 3: told(nsc_world_remove_body(&world, any_body())); break;
    case 4: add_body(what, pick(6)); break;
    case 5:
        def.gravity = any_vec(NSC_R(8.0));
        def.recovery = NSC_R(0.25) * (nsc_real)pick(4);
        def.keep_manifolds = pick(2);
        told(nsc_world_set_def(&world, &def));
        break;
    case 6: if (what & SPRUNG) add_spring(); break;
    default: edit_body();
    }
}

/* ---- The next problem, for other solvers */

static void feed_problem(const nsc_problem *p)
{
    int i, k;
    feed_int(p->body_count);
    feed(&p->bias_error, 1);
    feed(p->v_free, 6 * p->body_count);
    for (i = 0; i < p->body_count; i++) {
        feed(&p->masses[i].inv_mass, 1);
        feed(p->masses[i].inv_inertia, 6);
    }
    for (i = 0; i < p->block_count; i++) {
        const nsc_block *b = &p->blocks[i];
        feed_int(b->a), feed_int(b->b), feed_int(b->kind), feed_int(b->rows), feed_int(b->soft);
        feed(&b->mu, 1);
        for (k = 0; k < b->rows; k++) {
            nsc_real row[12];
            nsc_block_row(b, k, row);
            feed(row, 12);
            feed(&b->cfm[k], 1), feed(&b->bias[k], 1), feed(&b->lambda[k], 1), feed(&b->eff_mass[k], 1);
            if (b->kind == NSC_BLOCK_BOX) feed(&b->lo[k], 1), feed(&b->hi[k], 1);
        }
        if (b->kind == NSC_BLOCK_ROLLING) feed(&b->hi[0], 1);
        feed(&b->rho, 1);
    }
}

static void next_problem(void)
{
    nsc_problem p;
    nsc_report r;
    nsc_settings s = default_settings();
    int code, i;
    memset(&p, 0, sizeof p);
    code = told(nsc_world_problem(&world, NSC_R(0.0078125), pick(2), &p));
    if (code != NSC_OK) return;
    feed_problem(&p);
    solved_by = 1 + pick(8), s.law = solved_by == NSC_SOLVER_DANTZIG ? NSC_LAW_PYRAMID : 1 + pick(2);
    s.max_iterations = 10;
    feed_int(solve_by(&p, &s, &r));
    feed_report(&r);
    for (i = 0; i < p.block_count; i++) feed(p.blocks[i].lambda, p.blocks[i].rows);
}

/* ---- One world from its beginning to its end */

static void through_an_image(int what)
{
    static unsigned char image[NSC_WORLD_STATE_SIZE];
    nsc_world_def def = nsc_default_world_def();
    int size, i;
    if (world.found_count > 0) return;
    size = nsc_world_save_size(&world);
    feed_int(size);
    feed_int(nsc_world_save(&world, image, (int)sizeof image));
    for (i = 0; i < size; i++) hash = (hash ^ image[i]) * UINT32_C(16777619);
    feed_word(nsc_world_hash(&world));
    if (pick(2)) {
        memcpy(&copy, &world, sizeof copy);
        feed_int(nsc_world_load(&copy, image, size - 1 - pick(40)));
        feed_int(nsc_world_load(&copy, image, size));
        memcpy(&world, &copy, sizeof world);
    } else {
        begin(&def);
        feed_int(nsc_world_load(&world, image, size));
    }
    feed_word(nsc_world_hash(&world));
    step(what);
}

static nsc_world_def theme_def(const struct theme *t)
{
    nsc_world_def def = default_def();
    def.stepper = t->stepper, def.contact_model = t->model, def.contact_law = t->contact_law;
    stepped_by = t->solver, def.solver.law = t->law;
    def.solver.max_iterations = 5 + pick(10);
    def.solver.judge = pick(2), def.solver.symmetric = pick(3) == 0;
    def.solver.stall_window = pick(3) ? 0 : 4;
    if (pick(3) == 0) def.solver.check_interval = 3;
    if (pick(4) == 0) def.solver.omega = NSC_R(1.25);
    def.solver.passes = 4;
    def.newton_steps = 1 + pick(5);
    if (pick(3) == 0) def.bounce_speed = NSC_R(0.0);
    if (pick(3) == 0) def.margin = NSC_R(0.0625);
    if (pick(4) == 0) def.slop = NSC_R(0.0);
    if (pick(4) == 0) def.joint_recovery = NSC_R(0.5), def.joint_speed = NSC_R(0.25);
    if (pick(4) == 0) def.keep_manifolds = 0;
    if (pick(4) == 0) def.match_distance = NSC_R(0.25);
    if (pick(4) == 0) def.alpha = NSC_R(-0.0625), def.beta = NSC_R(0.25), def.gamma = NSC_R(0.5);
    if (pick(3) == 0) def.contact_radius = NSC_R(0.5), def.contact_speed = NSC_R(0.5);
    if (t->what & SUBSTEPS) def.substeps = 2 + pick(3);
    if (t->what & SLEEPS) def.sleep_time = NSC_R(0.02), def.sleep_speed = NSC_R(1.0) + NSC_R(4.0) * (nsc_real)pick(2);
#if NSC_BARRIER
    if (t->what & BARRIERS) {
        def.margin = NSC_R(0.0625), def.barrier_distance = NSC_R(0.03125);
        def.barrier_speed = NSC_R(0.0625), def.newton_steps = 8;
        if (pick(3) == 0) def.barrier_distance = NSC_R(0.0078125);
    }
#endif
    def.tag = pick(3);
    return def;
}

static void play(const struct theme *t, int round)
{
    int i, n, steps = t->what & (SLEEPS | EDITED) ? 16 : 9;
    nsc_world_def def;
    seed = (uint32_t)(1000 * round + 17);
    def = theme_def(t);
    begin(&def);
    add_ground(t->what);
    n = 3 + pick(4);
    for (i = 0; i < n; i++) add_body(t->what, i);
    if (t->what & JOINTED) {
        n = 2 + pick(4);
        for (i = 0; i < n; i++) add_joint(t->what);
        if (pick(3) == 0) add_gear();
    }
    if (t->what & TREES) add_trees();
#if NSC_MAX_ROWS > 0
    if (t->what & ROWED) any_rows();
#endif
    if (t->what & SPRUNG) add_spring(), add_spring();
    for (i = 0; i < steps; i++) {
        if (t->what & OWN)
            for (n = pick(4); n > 0; n--) add_contact();
        if (t->what & EDITED && i > 1) edit(t->what);
#ifdef REPLAY_PARTS
        if (t->what & SLEEPS && i == steps / 2) add_slope();
#endif
        step(t->what);
        feed_joints();
        if (i == 2) feel();
        if (i == 3) next_problem();
    }
    for (i = 0; i < 3; i++) sense(at(NSC_R(0.0), NSC_R(0.0), NSC_R(0.75)), NSC_R(1.0));
    feel();
    through_an_image(t->what);
}

enum { ROUNDS = 4 };

static void worlds(void)
{
    int i, round;
    for (i = 0; i < THEMES; i++) {
        if (!NSC_LOCKS && themes[i].what & (LOCKED | FORCED | EDITED | CHANGED)) continue;
        hash = UINT32_C(2166136261);
        for (round = 0; round < ROUNDS; round++) play(&themes[i], round);
        meet(TITLE, themes[i].name, hash);
    }
}

int main(int argc, char **argv)
{
    argc = test_begin(argc, argv);
    accepting = argc > 1 && strcmp(argv[1], "accept") == 0;
    make_tables();
#ifdef REPLAY_PAIRS
    (void)worlds;
    pairs();
#else
    worlds();
    NSCI_IF(NSC_BARRIER, pairs();)
    (void)pairs;
#endif
    if (accepting) return test_failed > 0;
    return TEST_END(NAME);
}
