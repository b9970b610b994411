/* Touch events, NSC_MAX_EVENTS: where touches begin and end, sensors, more than there is room for. */
#define NSC_MAX_BODIES 32
#define NSC_MAX_CONTACTS 128
#define NSC_MAX_EVENTS 4
#define NSC_IMPLEMENTATION
#include "all.h"
#include "world.h"
#include "by.h"
#include "plain.h"

static nsc_world other;

static nsc_world_def defaults(void)
{
    nsc_world_def d = default_def();
    d.solver.max_iterations = 30;
    return d;
}

static nsc_id add(nsc_world *w, nsc_shape_def shape, double x, double y, double z)
{
    nsc_body_def d = nsc_default_body_def();
    nsc_id id;
    d.pose.position = vec(x, y, z);
    id = nsc_world_add_body(w, &d);
    CHECK(nsc_world_add_shape(w, id, &shape) >= 0);
    return id;
}

static nsc_id ground(nsc_world *w)
{
    nsc_shape_def d = nsc_default_half_space_def();
    return nsc_world_add_shape(w, NSC_GROUND, &d);
}

static void steps(nsc_world *w, int n, double h)
{
    while (n-- > 0) CHECK(step_by(w, (nsc_real)h) == NSC_OK);
}

static double height(const nsc_world *w, nsc_id id)
{
    nsc_pose p;
    nsc_body_get_pose(w, id, &p);
    return (double)p.position.z;
}

static int find_event(int kind, nsc_id shape)
{
    int i, n = 0;
    for (i = 0; i < nsc_world_event_count(&world); i++) {
        const nsc_event *e = nsc_world_event(&world, i);
        n += e->kind == kind && (e->shape_a == shape || e->shape_b == shape);
    }
    return n;
}

static void touches_are_told_where_they_begin_and_end(void)
{
    nsc_world_def d = defaults();
    nsc_shape_def ball = nsc_default_sphere_def((nsc_real)0.1), zone = nsc_default_box_def((nsc_real)0.5, (nsc_real)0.5, (nsc_real)0.1);
    nsc_id a, floor, sensor, s;
    int i, begins = 0, ends = 0, in = 0, out = 0, wrong = 0;
    nsc_world_init(&world, &d);
    ball.restitution = (nsc_real)0.9;
    floor = ground(&world);
    zone.sensor = 1;
    zone.pose.position.z = (nsc_real)0.6;
    sensor = nsc_world_add_shape(&world, NSC_GROUND, &zone);
    a = add(&world, ball, 0, 0, 1.2);
    s = world.contact_count; /* 0 */
    for (i = 0; i < 240; i++) { /* falls from 1.1 m: below the zone at 0.25 s, on the ground at .473 s, apart, up through the zone */
        double z0 = height(&world, a), z;
        steps(&world, 1, 1 / 240.0);
        z = height(&world, a);
        begins += find_event(NSC_TOUCH_BEGIN, floor), ends += find_event(NSC_TOUCH_END, floor);
        in += find_event(NSC_TOUCH_BEGIN, sensor), out += find_event(NSC_TOUCH_END, sensor);
        if (find_event(NSC_TOUCH_BEGIN, sensor)) wrong += !(z0 < 0.8001 && z0 > 0.7) && !(z0 > 0.3999 && z0 < 0.45);
        if (find_event(NSC_TOUCH_BEGIN, floor)) wrong += z > 0.14; /* 0.1 + (4.64 + 0.9 4.64) / 240 */
    }
    CHECK(begins == 1 && ends == 1 && in == 2 && out == 2 && wrong == 0);
    CHECK(s == 0);
    CHECK(nsc_world_event(&world, -1) == NULL && nsc_world_event(&world, nsc_world_event_count(&world)) == NULL);
    CHECK(nsc_world_event_count(NULL) == 0);
    /* the sensor was never felt: same bits as without it */
    nsc_world_init(&other, &d);
    ground(&other);
    a = add(&other, ball, 0, 0, 1.2);
    steps(&other, 240, 1 / 240.0);
    CHECK_NEAR(height(&other, a), height(&world, a), 0);
    /* more than there is room for: counted */
    nsc_world_init(&world, &d);
    floor = ground(&world);
    for (i = 0; i < 7; i++) add(&world, ball, i, 0, 0.1);
    steps(&world, 1, 1 / 240.0);
    CHECK(nsc_world_event_count(&world) == 4 && world.report.dropped_events == 3);
    CHECK(find_event(NSC_TOUCH_BEGIN, floor) == 4);
    steps(&world, 1, 1 / 240.0);
    CHECK(nsc_world_event_count(&world) == 0 && world.report.dropped_events == 0);
}

int main(void)
{
    touches_are_told_where_they_begin_and_end();
    return TEST_END("events");
}
