/* malloc, calloc, realloc and free are traps here while the library runs. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "test.h"
#include <stdlib.h>
#include "by.h"

static int armed, sprung;
static char pool[1 << 16]; /* what stdio asks for outside */
static size_t taken;

static void *give(size_t n)
{
    void *p = pool + taken;
    sprung += armed;
    taken += (n + 15) / 16 * 16;
    return taken <= sizeof pool ? p : NULL;
}

void *malloc(size_t n) { return give(n); }
void *calloc(size_t n, size_t m) { return give(n * m); }
void *realloc(void *p, size_t n) { (void)p; return give(n); }
void free(void *p) { (void)p; sprung += armed; }

static nsc_world world;

int main(void)
{
    int solver, i;
    /* A pointer, for the compiler takes a call of malloc to have no use for `armed`. */
    void *(*volatile ask)(size_t) = malloc;
    void *probe;
    armed = 1;
    probe = ask(1);
    armed = 0;
    CHECK(probe != NULL && sprung == 1); /* the trap works */
    sprung = 0;
    for (solver = NSC_SOLVER_SIPGS; solver <= NSC_SOLVER_DANTZIG; solver++) {
        nsc_world_def def = default_def();
        nsc_shape_def ground = nsc_default_half_space_def(), box = nsc_default_box_def(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5));
        int code = 0;
        armed = 1;
        stepped_by = solver;
        if (solver == NSC_SOLVER_DANTZIG) def.solver.law = NSC_LAW_PYRAMID;
        nsc_world_init(&world, &def);
        nsc_world_add_shape(&world, NSC_GROUND, &ground);
        for (i = 0; i < 4; i++) {
            nsc_body_def body = nsc_default_body_def();
            body.pose.position.z = NSC_R(0.5) + (nsc_real)i;
            nsc_world_add_shape(&world, nsc_world_add_body(&world, &body), &box);
        }
        for (i = 0; i < 100; i++) code |= step_by(&world, NSC_R(0.005));
        armed = 0;
        CHECK(code == NSC_OK && sprung == 0 && nsc_world_contact_count(&world) == 16);
    }
    return TEST_END("no_heap");
}
