/* Scenes for every target, set up with numbers that a contraction cannot change: hashed by hash.c, counted by count.c, watched for stack by stack.c.
   A new feature adds its scene here: a build function and a line in the table.  The first of the table fit
   the 8 KiB of an AVR; the others, left out by SCENES_SMALL, want 16 bodies and 64 contacts. */
#ifndef SCENES_H
#define SCENES_H

#ifdef SCENES_SMALL
#define NSC_MAX_BODIES 4
#define NSC_MAX_CONTACTS 4
#define NSC_ARENA NSC_ARENA_DANTZIG(12)
#else
#define NSC_MAX_BODIES 16
#define NSC_MAX_CONTACTS 44
#define NSC_ARENA NSC_ARENA_DANTZIG(96)
#endif
#ifndef SCENES_NO_IMPLEMENTATION
#define NSC_IMPLEMENTATION
#endif
#include "nsc.h"

static nsc_id scene_body(nsc_world *w, nsc_shape_def shape, nsc_real x, nsc_real y, nsc_real z)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id body;
    d.pose.position.x = x, d.pose.position.y = y, d.pose.position.z = z;
    d.angular_velocity.x = NSC_R(0.5) + y, d.angular_velocity.y = NSC_R(2.0) * x, d.angular_velocity.z = NSC_R(1.0);
    body = nsc_world_add_body(w, &d);
    nsc_world_add_shape(w, body, &shape);
    return body;
}

static nsc_shape_def scene_lively(nsc_shape_def shape, nsc_real friction, nsc_real restitution)
{
    shape.friction = friction;
    shape.restitution = restitution;
    return shape;
}

static void scene_ground(nsc_world *w)
{
    nsc_shape_def d = nsc_default_half_space_def();
    nsc_world_add_shape(w, NSC_GROUND, &d);
}

/* a platform that turns and moves under whatever lies on it */
static void scene_platform(nsc_world *w)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_shape_def s = nsc_default_box_def(NSC_R(1.0), NSC_R(1.0), NSC_R(0.1));
    d.kind = NSC_KINEMATIC_BODY;
    d.angular_velocity.z = NSC_R(0.3);
    d.velocity.x = NSC_R(0.05);
    nsc_world_add_shape(w, nsc_world_add_body(w, &d), &s);
}

static void scene_ball(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, scene_lively(nsc_default_sphere_def(NSC_R(0.2)), NSC_R(0.3), NSC_R(0.8)), NSC_R(0.0), NSC_R(0.0), NSC_R(1.0));
}

static void scene_box(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.2), NSC_R(0.3), NSC_R(0.1)), NSC_R(0.4), NSC_R(0.1), NSC_R(0.8));
}

static void scene_capsules(nsc_world *w)
{
    scene_ground(w);
    scene_body(w, nsc_default_capsule_def(NSC_R(0.1), NSC_R(0.3)), NSC_R(0.0), NSC_R(0.2), NSC_R(0.6));
    scene_body(w, nsc_default_capsule_def(NSC_R(0.15), NSC_R(0.2)), NSC_R(0.05), NSC_R(0.2), NSC_R(1.3));
}

static void scene_on_box(nsc_world *w)
{
    scene_platform(w);
    scene_body(w, scene_lively(nsc_default_sphere_def(NSC_R(0.15)), NSC_R(0.6), NSC_R(0.5)), NSC_R(0.1), NSC_R(0.2), NSC_R(0.6));
    scene_body(w, nsc_default_capsule_def(NSC_R(0.1), NSC_R(0.2)), NSC_R(-0.4), NSC_R(0.1), NSC_R(0.5));
}

static void scene_boxes(nsc_world *w)
{
    scene_platform(w);
    scene_body(w, nsc_default_box_def(NSC_R(0.2), NSC_R(0.15), NSC_R(0.1)), NSC_R(0.1), NSC_R(0.2), NSC_R(0.5));
}

/* springs and dampers in the contact, and a body of two shapes with its mass in neither */
static void scene_springs(nsc_world *w)
{
    nsc_shape_def s = nsc_default_sphere_def(NSC_R(0.1));
    nsc_id body;
    scene_ground(w);
    s.stiffness = NSC_R(2e4), s.damping = NSC_R(20.0);
    body = scene_body(w, s, NSC_R(0.0), NSC_R(0.0), NSC_R(0.4));
    s.pose.position.x = NSC_R(0.3);
    nsc_world_add_shape(w, body, &s);
}

#ifndef SCENES_SMALL
static void scene_stack(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 10; i++) {
        nsc_id b = scene_body(w, nsc_default_box_def(NSC_R(0.25), NSC_R(0.25), NSC_R(0.25)), NSC_R(0.015625) * (nsc_real)(i % 3),
                              NSC_R(0.0), NSC_R(0.25) + NSC_R(0.5) * (nsc_real)i);
        nsc_vec3 zero = {0, 0, 0};
        nsc_body_set_velocity(w, b, zero, zero);
    }
}

static void scene_pile(nsc_world *w)
{
    int i;
    scene_ground(w);
    for (i = 0; i < 14; i++)
        scene_body(w, nsc_default_sphere_def(NSC_R(0.09375) + NSC_R(0.015625) * (nsc_real)(i % 4)), NSC_R(0.125) * (nsc_real)(i % 3 - 1),
                   NSC_R(0.11) * (nsc_real)(i / 3 % 2), NSC_R(0.25) + NSC_R(0.21875) * (nsc_real)i);
}

static void scene_heap(nsc_world *w)
{
    int i;
    scene_ground(w);
    scene_platform(w);
    for (i = 0; i < 12; i++) {
        nsc_real z = NSC_R(0.375) + NSC_R(0.3125) * (nsc_real)i, size = NSC_R(0.09375) + NSC_R(0.015625) * (nsc_real)(i % 5);
        nsc_shape_def s = i % 3 == 0   ? nsc_default_box_def(size, NSC_R(0.15), NSC_R(0.1))
                          : i % 3 == 1 ? nsc_default_capsule_def(size, NSC_R(0.15))
                                       : nsc_default_sphere_def(size);
        scene_body(w, scene_lively(s, NSC_R(0.1) * (nsc_real)(i % 7), NSC_R(0.2)), NSC_R(0.125) * (nsc_real)(i % 4) - NSC_R(0.1875),
                   NSC_R(0.0625) * (nsc_real)(i % 5) - NSC_R(0.125), z);
    }
}
#endif

typedef struct scene {
    const char *name;
    void (*build)(nsc_world *w);
    int solver, law, iterations;
} scene;

static const scene scenes[] = {
    {"ball", scene_ball, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 10},
    {"box", scene_box, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 10},
    {"box psor", scene_box, NSC_SOLVER_SIPGS, NSC_LAW_CONE, 10},
    {"box pyramid", scene_box, NSC_SOLVER_SIPGS, NSC_LAW_BOX, 10},
    {"box apgd", scene_box, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 10},
    {"box apgd cone", scene_box, NSC_SOLVER_APGD, NSC_LAW_CONE, 10},
    {"box dantzig", scene_box, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 10},
    {"capsules", scene_capsules, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 10},
    {"on box", scene_on_box, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 10},
    {"boxes", scene_boxes, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 10},
    {"springs", scene_springs, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 10},
#ifndef SCENES_SMALL
    {"stack", scene_stack, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20},
    {"pile", scene_pile, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20},
    {"heap", scene_heap, NSC_SOLVER_SIPGS, NSC_LAW_COULOMB, 20},
    {"heap apgd", scene_heap, NSC_SOLVER_APGD, NSC_LAW_COULOMB, 20},
    {"pile dantzig", scene_pile, NSC_SOLVER_DANTZIG, NSC_LAW_BOX, 20},
#endif
};
enum { SCENE_COUNT = sizeof scenes / sizeof scenes[0], SCENE_SMALL_COUNT = 11 };

/* Begin scene i in world w.  Returns 0 or the refusal. */
static int scene_begin(nsc_world *w, int i)
{
    nsc_world_def def = nsc_default_world_def();
    int code;
    def.solver.solver = scenes[i].solver;
    def.solver.law = scenes[i].law;
    def.solver.max_iterations = scenes[i].iterations;
    def.solver.passes = 4;
    code = nsc_world_init(w, &def);
    if (code == NSC_OK) scenes[i].build(w);
    return code;
}

/* One step; every 64th gives a body a kick, or all would soon be at rest. */
static int scene_step(nsc_world *w, int step)
{
    if (step % 64 == 63) {
        int i = 1 + step / 64 % (w->body_end - 1);
        nsc_body *b = &w->bodies[i];
        if (b->kind == NSC_DYNAMIC_BODY) {
            nsc_id id = (nsc_id)((int32_t)1 << 29 | (int32_t)(b->generation / 2) << 14 | i);
            nsc_vec3 kick, at = b->position;
            kick.x = NSC_R(0.5) * b->mass, kick.y = NSC_R(-0.3) * b->mass, kick.z = NSC_R(1.5) * b->mass;
            at.x += NSC_R(0.02), at.y += NSC_R(0.01);
            nsc_body_add_impulse_at(w, id, kick, at);
        }
    }
    return nsc_world_step(w, NSC_R(0.00390625));
}

#endif
