/* Questions to be counted, QUESTIONS of a kind between each pair of marks, by the world and by a tree of boxes, among 16, 300 and 3000
   boxes that stand as a loose crowd.  Prints "ask BOXES NAME: QUESTIONS HITS" for each, in order. */
#define NSC_MAX_BODIES 2
#define NSC_MAX_SHAPES 3001
#define NSC_MAX_CONTACTS 4
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_sense.h"
#include <stdio.h>

static nsc_world world;
static nsc_box_tree tree;

__attribute__((noinline)) void nsc_mark_begin(void);
__attribute__((noinline)) void nsc_mark_end(void);
void nsc_mark_begin(void) { __asm__ volatile(""); }
void nsc_mark_end(void) { __asm__ volatile(""); }

static uint32_t drawn = 1;
static nsc_real draw(nsc_real low, nsc_real high)
{
    drawn = drawn * UINT32_C(1664525) + UINT32_C(1013904223);
    return low + (high - low) * ((nsc_real)(drawn >> 8) * (nsc_real)(1 / 16777216.0));
}

enum { QUESTIONS = 64, KINDS = 4 };

/* Anywhere in the crowd, which has a box a square metre: three quarters are empty.  Ways lead from one such place to another. */
static nsc_vec3 place(nsc_real side)
{
    nsc_vec3 p;
    p.x = draw(-side, side);
    p.y = draw(-side, side);
    p.z = draw(NSC_R(0.25), NSC_R(1.0));
    return p;
}

static int ask(int kind, int by_tree, nsc_real side)
{
    nsc_shape_def ball = nsc_default_sphere_def(NSC_R(0.25));
    nsc_vec3 from = place(side), way = nsci_sub(place(side), from);
    nsc_hit hit;
    nsc_id ids[8];
    ball.pose.position = from;
    if (kind == 0 && by_tree) return nsc_box_tree_cast_ray(&tree, &world, from, way, UINT32_MAX, &hit);
    if (kind == 0) return nsc_world_cast_ray(&world, from, way, UINT32_MAX, &hit);
    if (kind == 1 && by_tree) return nsc_box_tree_cast_shape(&tree, &world, &ball, way, UINT32_MAX, &hit);
    if (kind == 1) return nsc_world_cast_shape(&world, &ball, way, UINT32_MAX, &hit);
    if (kind == 2 && by_tree) return nsc_box_tree_overlap(&tree, &world, &ball, UINT32_MAX, ids, 8) > 0;
    if (kind == 2) return nsc_world_overlap(&world, &ball, UINT32_MAX, ids, 8) > 0;
    if (by_tree) return nsc_box_tree_closest(&tree, &world, from, NSC_R(1.0), UINT32_MAX, &hit);
    return nsc_world_closest(&world, from, NSC_R(1.0), UINT32_MAX, &hit);
}

static void measure(int shapes)
{
    static const char *const name[KINDS] = {"ray", "ball cast", "overlap", "closest"};
    nsc_world_def def = nsc_default_world_def();
    nsc_real side = NSC_R(0.5) * NSC_SQRT((nsc_real)shapes);
    int i, kind, by_tree, hits, code = nsc_world_init(&world, &def);
    drawn = 1;
    for (i = 0; i < shapes && code >= 0; i++) {
        nsc_real half = draw(NSC_R(0.1), NSC_R(0.4));
        nsc_shape_def box = nsc_default_box_def(half, draw(NSC_R(0.1), NSC_R(0.4)), NSC_R(0.5));
        box.pose.position = place(side);
        box.pose.position.z = NSC_R(0.5);
        code = nsc_world_add_shape(&world, NSC_GROUND, &box);
    }
    nsc_mark_begin();
    i = nsc_box_tree_make(&tree, &world);
    nsc_mark_end();
    printf("ask %d tree is made: 1 %d\n", shapes, code < 0 || i < 0 ? -1 : 0);
    for (kind = 0; kind < KINDS; kind++)
        for (by_tree = 0; by_tree < 2; by_tree++) {
            drawn = 7;
            hits = 0;
            nsc_mark_begin();
            for (i = 0; i < QUESTIONS; i++) hits += ask(kind, by_tree, side);
            nsc_mark_end();
            printf("ask %d %s%s: %d %d\n", shapes, name[kind], by_tree ? ", tree" : "", QUESTIONS, hits);
        }
}

int main(void)
{
    measure(16);
    measure(300);
    measure(3000);
    return 0;
}
