/* The callbacks nsc_calls.meet, which chooses pairs of shapes, and nsc_calls.contact, which changes contacts; the core alone. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "by.h"
#include "plain.h"
#include "floor.h"

static nsc_world other;

typedef struct watch {
    nsc_id apart[2], ice;
    int how, seen, changed;
} watch;

static int meet(void *user, const nsc_world *w, nsc_id a, nsc_id b)
{
    const watch *p = (const watch *)user;
    (void)w;
    return !((a == p->apart[0] && b == p->apart[1]) || (b == p->apart[0] && a == p->apart[1]));
}

static void touch(void *user, const nsc_world *w, nsc_contact *c)
{
    watch *p = (watch *)user;
    p->seen++;
    p->changed += nsc_world_hash(w) == 0;
    if (p->how == 1 && (c->shape_a == p->ice || c->shape_b == p->ice)) c->friction = 0;
    if (p->how == 2 && D(c->gap) < 0.02) c->sensor = 1;
    if (p->how == 3) c->friction = REAL(-1);
    if (p->how == 4) c->restitution = REAL(NAN);
    if (p->how == 5) c->body_a = 99, c->shape_b = 1234, c->normal = vec(0, 0, -1), c->gap = 5, c->feature = 3;
    if (p->how == 6) c->touching = c->matched = 1, c->manifold = 9, c->point = vec(9, 9, 9), c->approach = 77, c->impulse = vec(1, 2, 3);
    if (p->how == 7) p->changed += nsc_body_set_velocity(&world, c->body_b, vec(0, 0, 9), vec(0, 0, 0)) != NSC_ERR_BUSY;
}

static nsc_calls calls_of(watch *p)
{
    nsc_calls c;
    memset(&c, 0, sizeof c);
    memset(p, 0, sizeof *p);
    c.user = p;
    c.meet = meet;
    c.contact = touch;
    return c;
}

static void run_with(const nsc_calls *calls, int steps)
{
    int i;
    for (i = 0; i < steps; i++) CHECK(step_by_with(&world, REAL(h), calls) == NSC_OK);
}

static void pairs_are_chosen(void)
{
    watch p;
    nsc_calls calls = calls_of(&p);
    nsc_id a, b, low;
    nsc_shape_def s = nsc_default_sphere_def(REAL(0.1));
    begin(NSC_SOLVER_SIPGS);
    low = add_floor();
    a = body_at(0, 0, 0.1);
    b = body_at(0, 0, 0.4);
    p.apart[0] = nsc_world_add_shape(&world, a, &s);
    p.apart[1] = nsc_world_add_shape(&world, b, &s);
    CHECK(low >= 0);
    run_with(&calls, 240);
    CHECK_NEAR(position(a).z, 0.1, 1e-3);
    CHECK_NEAR(position(b).z, 0.1, 1e-3);
}

static void contacts_are_changed(void)
{
    watch p;
    nsc_calls calls = calls_of(&p);
    nsc_id a, b;
    nsc_world_def d;
    uint64_t hash;
    int how;
    begin(NSC_SOLVER_SIPGS);
    d = settings;
    d.gravity = vec(g * sin(0.3), 0, -g * cos(0.3)); /* on a slope of 0.3 rad, where friction 0.5 holds */
    CHECK(nsc_world_set_def(&world, &d) == NSC_OK);
    add_floor();
    a = box(0.1, 0.1, 0.05, 0, 0, 0.05);
    b = box(0.1, 0.1, 0.05, 0, 1, 0.05);
    p.ice = nsc_world_shape_at(&world, 1);
    p.how = 1;
    run_with(&calls, 120);
    CHECK_NEAR(velocity(a).x, g * sin(0.3) * 120 * h, 1e-3);
    CHECK_NEAR(velocity(b).x, 0, 1e-3);
    CHECK(p.seen >= 120 * 8 && p.changed == 0);
    for (how = 3; how <= 4; how++) { /* refused, and nothing has moved */
        p.how = how;
        hash = nsc_world_hash(&world);
        CHECK(step_by_with(&world, REAL(h), &calls) == (how == 3 ? NSC_ERR_ARGUMENT : NSC_ERR_NOT_FINITE));
        CHECK(nsc_world_hash(&world) == hash);
        CHECK(strstr(nsc_world_last_refusal(&world).field, how == 3 ? "friction" : "restitution") != NULL);
    }
    {
        nsc_contact c = nsc_default_contact(); /* one of the caller's that waits stays as it is, as no callback gets it */
        c.body_b = b;
        CHECK(nsc_world_add_contact(&world, &c) == NSC_OK);
        CHECK(step_by_with(&world, REAL(h), &calls) == NSC_ERR_NOT_FINITE);
        CHECK(world.found_count == 1 && D(world.found[0].friction) == 0.5 && D(world.found[0].restitution) == 0);
        world.found_count = 0;
    }
    memcpy(&other, &world, sizeof world); /* what may not be changed is not */
    p.how = 0;
    run_with(&calls, 10);
    hash = nsc_world_hash(&world);
    for (how = 5; how <= 6; how++) {
        memcpy(&world, &other, sizeof world);
        p.how = how;
        run_with(&calls, 10);
        CHECK(nsc_world_hash(&world) == hash);
    }
    p.how = 7;
    run_with(&calls, 1);
    CHECK(p.changed == 0);
    begin(NSC_SOLVER_SIPGS);
    add_floor();
    a = box(0.1, 0.1, 0.05, 0, 0, 0.05);
    p.how = 2;
    run_with(&calls, 60);
    CHECK(D(position(a).z) < 0.05 - 0.1); /* it falls through */
}

static int of_sleepers, of_others;

static void count_contacts(void *user, const nsc_world *w, nsc_contact *c)
{
    const nsc_id *fast = (const nsc_id *)user;
    (void)w;
    if (c->body_a == *fast || c->body_b == *fast) of_others++;
    else of_sleepers++;
}

/* Contacts between bodies that sleep are not asked about, and stay. */
static void contacts_of_sleepers_are_not_asked_about(void)
{
    nsc_calls calls;
    nsc_id low, high, fast;
    begin(NSC_SOLVER_SIPGS);
    settings.sleep_time = REAL(0.1);
    change();
    add_floor();
    low = box(0.2, 0.2, 0.1, 0, 0, 0.1), high = box(0.1, 0.1, 0.1, 0, 0, 0.3);
    run(120);
    CHECK(nsc_body_is_asleep(&world, low) == 1 && nsc_body_is_asleep(&world, high) == 1);
    fast = ball(0.1, 3, 0, 0.1);
    CHECK(nsc_body_set_velocity(&world, fast, vec(1, 0, 0), vec(0, 0, 0)) == NSC_OK);
    memset(&calls, 0, sizeof calls);
    calls.user = &fast, calls.contact = count_contacts;
    CHECK(step_by_with(&world, REAL(h), &calls) == NSC_OK);
    CHECK(of_sleepers == 0 && of_others == 1 && world.contact_count == 9 && nsc_body_is_asleep(&world, high) == 1);
    CHECK(nsc_body_wake(&world, low) == NSC_OK && step_by_with(&world, REAL(h), &calls) == NSC_OK);
    CHECK(of_sleepers == 8 && of_others == 2);
}

static int told_busy, asked_shapes;

static int meet_and_meddle(void *user, const nsc_world *w, nsc_id a, nsc_id b)
{
    nsc_shape_def s;
    (void)user;
    asked_shapes += nsc_shape_get_def(w, a, &s) == NSC_OK && nsc_shape_get_def(w, b, &s) == NSC_OK && a != b;
    told_busy += nsc_world_step(&world, REAL(h)) == NSC_ERR_BUSY;
    return 1;
}

/* meet gets two handles of shapes, once for each pair whose boxes meet and that may collide; the world is busy; without
   callbacks the step has the same bits. */
static void meet_is_asked_once_a_pair(void)
{
    nsc_calls calls;
    uint32_t hash;
    nsc_id a, b;
    begin(NSC_SOLVER_SIPGS);
    add_floor();
    a = box(0.1, 0.1, 0.1, 0, 0, 0.1);
    b = box(0.1, 0.1, 0.1, 0, 0, 0.3);
    box(0.1, 0.1, 0.1, 5, 0, 9); /* beside all others */
    CHECK(a > 0 && b > 0);
    memcpy(&other, &world, sizeof world);
    run(30);
    hash = nsc_world_hash(&world);
    memcpy(&world, &other, sizeof world);
    memset(&calls, 0, sizeof calls);
    calls.meet = meet_and_meddle;
    run_with(&calls, 1);
    CHECK(asked_shapes == 2 && told_busy == 2);
    run_with(&calls, 29);
    CHECK(nsc_world_hash(&world) == hash);
}

int main(int argc, char **argv)
{
    test_begin(argc, argv);
    pairs_are_chosen();
    meet_is_asked_once_a_pair();
    contacts_are_changed();
    contacts_of_sleepers_are_not_asked_about();
    return TEST_END("callbacks");
}
