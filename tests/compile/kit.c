/* The headers of examples/kit over what nsc.h makes public: its implementation is in tu_b.c, except
   with NSC_STATIC. */
#ifdef NSC_STATIC
#define NSC_IMPLEMENTATION
#endif
#include "nsc_all.h"
#include "nsc_bound.h"
#include "nsc_bound.h"
#include "nsc_draw.h"
#include "nsc_dump.h"
#if NSC_MAX_JOINTS > 0
#include "nsc_dynamics.h"
#include "nsc_dynamics.h"
#endif
#include "nsc_hull.h"
#include "nsc_motion.h"
#include "nsc_motor.h"
#include "nsc_motor.h"
#include "nsc_print.h"
#include "nsc_print.h"
#include "nsc_robot.h"
#ifndef __AVR__ /* a picture's faces are too large an object */
#include "nsc_svg.h"
#include "nsc_svg.h"
#include "nsc_svg.h"
#endif
#ifdef NSC_PROBLEM_H
#include "nsc_derive.h"
#include "nsc_derive.h"
#include "nsc_derive.h"
#endif
#include "nsc_draw.h"
#include "nsc_draw.h"
#include "nsc_dump.h"
#include "nsc_dump.h"
#include "nsc_hull.h"
#include "nsc_hull.h"
#include "nsc_motion.h"
#include "nsc_motion.h"
#include "nsc_robot.h"
#include "nsc_robot.h"
#include "use.h"

/* constants, in the preprocessor's arithmetic or the compiler's */
typedef char bound_of_blocks[NSC_BOUND_BLOCKS >= NSC_MAX_CONTACTS ? 1 : -1];
static const long bound[2] = {
    NSC_BOUND_INSTRUCTIONS(20, 2, 1), NSC_BOUND_INSTRUCTIONS_BY(NSC_SOLVER_AUTO, 20, 5, 1, 0)};

static int lines, points, triangles, letters;

static void line(void *user, nsc_vec3 start, nsc_vec3 end, const nsc_draw_from *from)
{
    (void)user;
    (void)start;
    (void)end;
    lines += from->body >= 0;
}

static void point(void *user, nsc_vec3 at, const nsc_draw_from *from)
{
    (void)user;
    (void)at;
    points += from->colour == NSC_COLOUR_CONTACT;
}

static void triangle(void *user, nsc_vec3 a, nsc_vec3 b, nsc_vec3 c, nsc_vec3 normal,
                     const nsc_draw_from *from)
{
    (void)user;
    (void)a;
    (void)b;
    (void)c;
    (void)normal;
    triangles += from->shape >= 0;
}

static void put(void *user, const char *text)
{
    (void)user;
    letters += text[0] != 0;
}

static int use_hull(void)
{
    nsc_vec3 corner[5];
    nsc_hull hull;
    nsc_real left_out = 1;
    int i;
    memset(corner, 0, sizeof corner);
    for (i = 1; i < 4; i++)
        *(i == 1 ? &corner[i].x : i == 2 ? &corner[i].y : &corner[i].z) = 1;
    corner[4].x = corner[4].y = corner[4].z = NSC_R(0.2);
    if (nsc_hull_from_points(&hull, corner, 5, 4, &left_out) != NSC_OK || hull.faces != 4)
        return 31;
    letters = 0;
    return nsc_hull_print(&hull, "hull", put, NULL) == NSC_OK && letters > 30 ? 0 : 32;
}

static const nsc_robot_link_def links[1] = {
    {"stone", NSC_DYNAMIC_BODY, {{0, 0, 2}, {1, 0, 0, 0}}, 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
static const nsc_robot_shape_def shapes[1] = {
    {0, NSC_SHAPE_SPHERE, {{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, NSC_R(0.1), NSC_R(0.5), 1, 1, NULL}};
static const nsc_robot robot = {"robot", 0, 1, 0, 1, 0, links, NULL, shapes, NULL, 0, 0, NULL, NULL, 0, NULL};

static int use_robot(void)
{
    static nsc_world world;
    nsc_world_def def = nsc_default_world_def();
    nsc_pose base = nsc_default_body_def().pose, pose;
    nsc_id body[1];
    base.position.z = 1;
    if (nsc_world_init(&world, &def) < 0 || nsc_robot_link(&robot, "stone") != 0)
        return 41;
    if (nsc_robot_add(&world, &robot, base, body, NULL) != NSC_OK)
        return 42;
    return nsc_body_get_pose(&world, body[0], &pose) == NSC_OK && pose.position.z > 2 ? 0 : 43;
}

/* Back by an image, to the same place */
static int use_motion(nsc_world *w)
{
    static unsigned char image[1024];
    nsc_id body = nsc_world_body_at(w, 1);
    nsc_pose before, after;
    int size = nsc_world_save_motion(w, image, (int)sizeof image, NSC_MOTION_READINGS);
    if (size <= 0 || nsc_body_get_pose(w, body, &before) < 0)
        return 51;
    if (nsc_world_step(w, NSC_R(0.005)) != NSC_OK || nsc_world_load_motion(w, image, size) != NSC_OK)
        return 52;
    if (nsc_body_get_pose(w, body, &after) < 0)
        return 53;
    return before.position.z - after.position.z <= 0 && before.position.z - after.position.z >= 0 ? 0 : 54;
}

static int use_kit(void)
{
    static nsc_world world;
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.1));
    nsc_draw draw;
    int everything = NSC_DRAW_ALL + NSC_DRAW_TRIANGLES;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_add_shape(&world, NSC_GROUND, &ground) < 0)
        return 21;
    body.pose.position.z = NSC_R(0.1);
    if (nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &ball) < 0)
        return 22;
    if (nsc_world_step(&world, NSC_R(0.005)) != NSC_OK)
        return 23;
    draw.user = NULL;
    draw.line = line;
    draw.point = point;
    draw.triangle = triangle;
    draw.force_scale = 1;
    if (nsc_world_draw(&world, &draw, everything) != NSC_OK)
        return 24;
    if (lines != 19 + 72 + 12 + 3 + 2 || points != 1 || triangles != 2 + 528)
        return 25;
#ifdef NSC_PROBLEM_H
    if (nsc_world_dump(&world, NSC_R(0.005), 0, put, NULL) != 0 || letters <= 60)
        return 26;
#endif
    if (bound[0] < NSC_BOUND_VISITS(NSC_SOLVER_SIPGS, 20, 0) || bound[1] < 0)
        return 27;
    if (use_motion(&world))
        return use_motion(&world);
    return use_hull() ? use_hull() : use_robot();
}

#ifdef NSC_STATIC
int main(void)
{
    int code = use_nsc();
    return code ? code : use_kit();
}
#else
#ifdef __cplusplus
extern "C" int other_file(void);
#else
int other_file(void);
#endif
int main(void)
{
    int code = use_nsc() + other_file();
    return code ? code : use_kit();
}
#endif
