/* Billiards on a round table.  Its rim is no shape of nsc: contacts of our own hold the balls inside a circle.  The cue is an
   impulse, touches come as events, balls fall asleep where they stop, and are put back and waked for the next shot.
   Files: nsc.h, nsc_solvers.h, and of kit/ nsc_rolling.h.
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 22_round_table.c -lm */
#define NSC_MAX_EVENTS 32
#define NSC_MAX_ROLLING 8 /* contacts with rolling friction */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <math.h>
#include <stdio.h>

enum { BALLS = 6 };
static nsc_world world;
static nsc_id ball[BALLS];
static const nsc_real radius = NSC_R(0.03), rim = NSC_R(0.5); /* of a ball, of the table [m] */

/* The rim as seen by ball i: a contact with the ground that pushes inwards, once the ball is near.  It serves one step. */
static int add_rim(int i)
{
    nsc_contact c = nsc_default_contact();
    nsc_real distance;
    nsc_pose p;
    nsc_body_get_pose(&world, ball[i], &p);
    distance = (nsc_real)sqrt((double)(p.position.x * p.position.x + p.position.y * p.position.y));
    c.gap = rim - radius - distance;
    if (c.gap > radius) return 0;
    c.body_a = NSC_GROUND; /* the normal leads from a to b */
    c.body_b = ball[i];
    c.feature = (uint32_t)i; /* by this it is known again in the next step */
    c.normal.x = -p.position.x / distance;
    c.normal.y = -p.position.y / distance;
    c.normal.z = NSC_R(0.0);
    c.point.x = p.position.x - c.normal.x * radius;
    c.point.y = p.position.y - c.normal.y * radius;
    c.point.z = p.position.z;
    c.friction = NSC_R(0.2);
    c.restitution = NSC_R(0.8);
    return nsc_world_add_contact(&world, &c);
}

/* Put ball i on its spot and wake it. */
static void place(int i)
{
    nsc_pose p = {{NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)}, {NSC_R(1.0), NSC_R(0.0), NSC_R(0.0), NSC_R(0.0)}};
    double angle = 2.0 * 3.14159265358979 / (BALLS - 1) * i;
    p.position.x = (nsc_real)(i == 0 ? -0.3 : 0.12 * cos(angle));
    p.position.y = (nsc_real)(i == 0 ? 0.0 : 0.12 * sin(angle));
    p.position.z = radius;
    nsc_body_set_pose(&world, ball[i], p);
    nsc_body_wake(&world, ball[i]);
}

/* Strike the cue ball at its height over the cloth, and step until all balls sleep.  Returns the seconds that took, -1: refused. */
static double shoot(nsc_vec3 impulse, int *knocks, double *farthest)
{
    int step, i, k, awake;
    nsc_pose p;
    for (i = 0; i < BALLS; i++) place(i);
    nsc_body_get_pose(&world, ball[0], &p);
    p.position.z += NSC_R(0.4) * radius; /* so high it rolls at once */
    if (nsc_body_add_impulse_at(&world, ball[0], impulse, p.position) < 0) return -1.0;
    *knocks = 0, *farthest = 0.0;
    for (step = 1; step < 240 * 60; step++) {
        for (i = awake = 0; i < BALLS; i++) {
            if (nsc_body_is_asleep(&world, ball[i])) continue;
            awake++;
            if (add_rim(i) < 0) return -1.0;
        }
        if (awake == 0) return step / 240.0;
        if (nsc_world_step(&world, NSC_R(1.0) / NSC_R(240.0)) < 0) return -1.0;
        for (k = 0; k < nsc_world_event_count(&world); k++) {
            const nsc_event *e = nsc_world_event(&world, k);
            *knocks += e->kind == NSC_TOUCH_BEGIN && e->body_a != NSC_GROUND && e->body_b != NSC_GROUND;
        }
        for (i = 0; i < BALLS; i++) {
            nsc_body_get_pose(&world, ball[i], &p);
            *farthest = fmax(*farthest, hypot((double)p.position.x, (double)p.position.y));
        }
    }
    return -1.0;
}

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def cloth = nsc_default_half_space_def(), sphere = nsc_default_sphere_def(radius);
    nsc_body_def body = nsc_default_body_def();
    nsc_vec3 cue = {0};
    double seconds, farthest = 0.0;
    int i, shot, knocks = 0, total = 0;
    def.sleep_time = NSC_R(0.25);
    if (nsc_world_init(&world, &def) < 0) return 1;
    nsc_world_add_shape(&world, NSC_GROUND, &cloth);
    sphere.density = NSC_R(1770.0); /* 0.2 kg */
    sphere.restitution = NSC_R(0.9);
    sphere.rolling = NSC_R(0.0005); /* of the cloth, as a lever [m] */
    for (i = 0; i < BALLS; i++) {
        ball[i] = nsc_world_add_body(&world, &body);
        nsc_world_add_shape(&world, ball[i], &sphere);
    }
    for (shot = 1; shot <= 3; shot++) {
        cue.x = NSC_R(0.1) * (nsc_real)shot;
        seconds = shoot(cue, &knocks, &farthest);
        printf("cue %.1f N s: %d knocks, at rest after %.1f s, farthest %.3f m of %.3f m\n", (double)cue.x, knocks, seconds, farthest,
               (double)(rim - radius));
        if (seconds < 0.0 || knocks == 0 || farthest > (double)(rim - radius) + 1e-3) return 1;
        total += knocks;
    }
    printf("billiards on a round table: three shots, %d knocks, all balls asleep within the rim; farthest %.3f m of %.3f m\n", total, farthest,
           (double)(rim - radius));
    return 0;
}
