/* Calls something of both headers; every case of the matrix includes this, links and runs. */
#include "nsc_all.h"

static int use_nsc(void)
{
    static nsc_world world;
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def ground = nsc_default_half_space_def(), ball = nsc_default_sphere_def(NSC_R(0.1));
    nsc_id id;
    int i, code = nsc_world_init(&world, &def);
    if (code < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0) return 1;
    body.pose.position.z = NSC_R(0.1);
    id = nsc_world_add_body(&world, &body);
    if (nsc_world_add_shape(&world, id, &ball) < 0) return 2;
    for (i = 0; i < 10; i++)
        if (nsc_world_step(&world, NSC_R(0.005)) != NSC_OK) return 3;
    if (nsc_world_contact_count(&world) != 1) return 4;
    if (nsc_world_report(&world)->islands != 1) return 6;
#if NSC_MAX_JOINTS > 0
    {
        nsc_joint_def joint = nsc_default_joint_def(NSC_JOINT_DISTANCE, NSC_GROUND, id);
        joint.axis[0].limited = 1;
        joint.axis[0].upper = NSC_R(1.0);
        if (nsc_world_add_joint(&world, &joint) < 0 || nsc_world_step(&world, NSC_R(0.005)) != NSC_OK) return 7;
    }
#endif
#ifdef NSC_IMAGE_H
    {
        static unsigned char image[sizeof(nsc_world) + 4096];
        uint32_t hash = nsc_world_hash(&world);
        int size = nsc_world_save(&world, image, (int)sizeof image);
        if (size <= 0 || nsc_world_init(&world, &def) < 0 || nsc_world_load(&world, image, size) < 0 || nsc_world_hash(&world) != hash) return 8;
    }
#endif
#ifdef NSC_SENSE_H
    {
        nsc_vec3 from = body.pose.position, ray = from;
        nsc_hit hit;
        from.z = NSC_R(1.0), ray.z = NSC_R(-2.0);
        if (nsc_world_cast_ray(&world, from, ray, 1, &hit) != 1 || hit.body != id) return 9;
    }
#endif
#if NSC_MAX_EVENTS == 0
    if (nsc_world_event(&world, 0)) return 10;
#endif
    {
        nsc_vec3 much = body.pose.position;
        much.z = NSC_REAL_MAX;
        if (nsc_body_add_force(&world, id, much, much) != NSC_OK || nsc_world_step(&world, NSC_R(1e6)) != NSC_ERR_NOT_FINITE) return 14;
        if (nsc_body_clear_force(&world, id) != NSC_OK || nsc_world_step(&world, NSC_R(0.005)) != NSC_OK) return 15;
    }
    ball.cohesion = 1;
    if (!NSC_SMOOTH && nsc_world_add_shape(&world, id, &ball) != NSC_ERR_ARGUMENT) return 16;
    ball.cohesion = 0;
    ball.torsion = NSC_R(0.1);
    if (NSC_MAX_ROLLING == 0 && nsc_world_add_shape(&world, id, &ball) != NSC_ERR_CAPACITY) return 11;
    ball.rolling = ball.torsion, ball.torsion = NSC_R(0.0);
    if (NSC_MAX_ROLLING == 0 && nsc_world_add_shape(&world, id, &ball) != NSC_ERR_CAPACITY) return 12;
#if !NSC_CONVEX
    ball = nsc_default_capsule_def(NSC_R(0.1), NSC_R(0.1));
    ball.kind = NSC_SHAPE_CYLINDER;
    if (nsc_world_add_shape(&world, id, &ball) != NSC_ERR_ARGUMENT) return 13;
#endif
#ifdef NSC_NO_TEXTS
    return nsc_error_text(NSC_ERR_CONFIG)[0] || nsc_selfcheck_text(0)[0] ? 5 : 0;
#else
    return nsc_error_text(NSC_ERR_CONFIG)[0] && nsc_selfcheck_text(0)[0] ? 0 : 5;
#endif
}
