/* A quadcopter over a ground of triangles: it takes off, lands on a slope and rests there with its
   rotors off, takes off again, is set down on a slope that is too slippery for it and slides to its
   foot, and flies home.  What a flight controller's simulation needs of a contact: that it pushes,
   rubs and lets go.  The ground, a const table in flash, is what
   `python3 kit/mesh.py --name ground 15_ground.obj` prints.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for meshes (nsc_mesh.h, nsc_terrain.h,
   nsc_convex.h, nsc_support.h), for poses (nsc_pose.h) and for refusals (nsc_print.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 15_quadcopter.c -lm */
#define NSC_MAX_BODIES 2 /* ground, vehicle */
#define NSC_MAX_SHAPES 6
#define NSC_MAX_CONTACTS 40
#define NSC_MESHES 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_pose.h"
#include "nsc_print.h"
#include "15_ground.h"
#include <math.h>
#include <stdio.h>

#define RATE 500              /* of the controller and of the steps [Hz] */
#define MASS NSC_R(0.8)       /* [kg] */
#define ARM NSC_R(0.12)       /* rotors and feet are at (+-ARM, +-ARM) [m] */
#define MOST NSC_R(4.0)       /* thrust of a rotor [N] */
#define GRAVITY NSC_R(9.81)

static const nsc_mesh *const meshes[1] = {&ground};
static nsc_world world;
static nsc_id vehicle;
static double largest_tilt; /* since the last line [rad] */

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = {0, 0, 0};
    v.x = x, v.y = y, v.z = z;
    return v;
}

static nsc_vec3 sum(nsc_vec3 a, nsc_real s, nsc_vec3 b) { return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
static nsc_real dot(nsc_vec3 a, nsc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static nsc_vec3 cross(nsc_vec3 a, nsc_vec3 b) { return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }

static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_body_def body = nsc_default_body_def();
    nsc_shape_def floor = nsc_default_mesh_def(), hub = nsc_default_box_def(NSC_R(0.06), NSC_R(0.06), NSC_R(0.02));
    int i;
    floor.friction = 1;
    if (nsc_world_init(&world, &def) < 0 || nsc_world_set_meshes(&world, meshes, 1) < 0) return -1;
    if (nsc_world_add_mesh(&world, NSC_GROUND, &floor, 0) < 0) return -1;
    body.pose.position = vec(-2, 0, NSC_R(0.09));
    body.mass = MASS;
    body.inertia[0] = body.inertia[1] = NSC_R(0.006);
    body.inertia[2] = NSC_R(0.01);
    vehicle = nsc_world_add_body(&world, &body);
    if (nsc_world_add_shape(&world, vehicle, &hub) < 0) return -1;
    for (i = 0; i < 4; i++) {
        nsc_shape_def foot = nsc_default_sphere_def(NSC_R(0.01));
        foot.pose.position = vec(i & 1 ? ARM : -ARM, i & 2 ? ARM : -ARM, NSC_R(-0.08));
        foot.friction = NSC_R(0.16); /* 0.4 with the ground: holds on 15 degrees, not on 30 */
        if (nsc_world_add_shape(&world, vehicle, &foot) < 0) return -1;
    }
    return 0;
}

/* Thrust along the vehicle's z and torques from four rotors that only push, each at most MOST */
static void fly(nsc_pose p, nsc_vec3 up, nsc_real thrust, nsc_vec3 torque, nsc_vec3 spin)
{
    nsc_vec3 body = nsc_pose_vector(nsc_pose_inverse(p), torque); /* in the vehicle's frame */
    int i;
    for (i = 0; i < 4; i++) {
        nsc_real x = i & 1 ? ARM : -ARM, y = i & 2 ? ARM : -ARM;
        nsc_real f = thrust / 4 + body.x * y / (4 * ARM * ARM) - body.y * x / (4 * ARM * ARM);
        f = f < 0 ? 0 : f > MOST ? MOST : f;
        nsc_body_add_force_at(&world, vehicle, sum(vec(0, 0, 0), f, up), nsc_pose_point(p, vec(x, y, NSC_R(0.02))));
    }
    nsc_body_add_force(&world, vehicle, vec(0, 0, 0), sum(vec(0, 0, 0), NSC_R(-0.02) * dot(spin, up), up)); /* rotors brake yaw */
}

/* One tick towards a place with a velocity; off: the rotors stand */
static int tick(nsc_vec3 place, nsc_vec3 speed, int off)
{
    nsc_pose p;
    nsc_vec3 v, spin, up, pull, want, torque;
    nsc_real size;
    nsc_body_get_pose(&world, vehicle, &p);
    nsc_body_get_velocity(&world, vehicle, &v, &spin);
    up = nsc_pose_vector(p, vec(0, 0, 1));
    if (acos((double)(up.z > 1 ? 1 : up.z)) > largest_tilt) largest_tilt = acos((double)up.z);
    if (!off) {
        pull = sum(sum(vec(0, 0, GRAVITY), 4, sum(place, -1, p.position)), 3, sum(speed, -1, v));
        pull.x = pull.x < -4 ? -4 : pull.x > 4 ? 4 : pull.x; /* never tilted far */
        pull.z = pull.z < 6 ? 6 : pull.z;
        size = NSC_SQRT(dot(pull, pull));
        want = sum(vec(0, 0, 0), 1 / size, pull);
        torque = sum(sum(vec(0, 0, 0), NSC_R(0.6), cross(up, want)), NSC_R(-0.07), spin);
        fly(p, up, MASS * dot(pull, up), torque, spin);
    }
    return nsc_world_step(&world, NSC_R(1.0) / RATE);
}

/* The weight on the feet [N] */
static nsc_real load(void)
{
    nsc_vec3 force;
    nsc_body_get_contact_force(&world, vehicle, &force, NULL);
    return force.z;
}

static void say(double t, const char *what)
{
    nsc_pose p;
    nsc_vec3 v, up;
    nsc_body_get_pose(&world, vehicle, &p);
    nsc_body_get_velocity(&world, vehicle, &v, NULL);
    up = nsc_pose_vector(p, vec(0, 0, 1));
    printf("%6.2f s  %-34s x %6.3f  z %6.3f m  tilt %5.1f deg, at most %5.1f  %6.4f m/s  feet carry %5.2f N\n", t, what, (double)p.position.x,
           (double)p.position.z, acos((double)(up.z > 1 ? 1 : up.z)) * 57.29578, largest_tilt * 57.29578, (double)NSC_SQRT(dot(v, v)), (double)load());
    largest_tilt = 0;
}

/* Fly to a place within so many seconds; returns the time. */
static double go(double t, nsc_real x, nsc_real z, double seconds)
{
    int i;
    for (i = 0; i < (int)(seconds * RATE); i++) tick(vec(x, 0, z), vec(0, 0, 0), 0);
    return t + seconds;
}

/* Sink until the feet carry a third of the weight, then stop the rotors and wait. */
static double set_down(double t, nsc_real x, nsc_real z, double wait)
{
    int i;
    for (i = 0; load() < MASS * GRAVITY / 3 && i < 10 * RATE; i++) {
        z -= NSC_R(0.4) / RATE;
        tick(vec(x, 0, z), vec(0, 0, NSC_R(-0.4)), 0);
    }
    t += (double)i / RATE;
    say(t, "touches");
    for (i = 0; i < (int)(wait * RATE); i++) tick(vec(x, 0, z), vec(0, 0, 0), 1);
    return t + wait;
}

int main(void)
{
    nsc_pose home;
    nsc_vec3 v;
    double t = 0;
    int ok;
    if (setup() < 0) {
        nsc_print_refusal(stdout, &world, nsc_world_last_refusal(&world).code);
        return 1;
    }
    t = set_down(t, -2, NSC_R(0.09), 1);
    say(t, "stands on level ground");
    t = go(t, -2, 1, 3);
    say(t, "hovers");
    t = go(t, 1, 1, 4);
    t = set_down(t, 1, 1, 2);
    say(t, "rests on 15 degrees, rotors off");
    ok = load() > NSC_R(0.99) * MASS * GRAVITY;
    t = go(t, 1, NSC_R(1.5), 3);
    t = go(t, NSC_R(3.4), NSC_R(1.5), 4);
    t = set_down(t, NSC_R(3.4), NSC_R(1.5), 3);
    say(t, "has slid down 30 degrees");
    t = go(t, NSC_R(4.5), NSC_R(1.5), 4);
    t = go(t, -2, NSC_R(1.5), 8);
    t = set_down(t, -2, NSC_R(1.5), 1);
    say(t, "is home");
    nsc_body_get_pose(&world, vehicle, &home);
    nsc_body_get_velocity(&world, vehicle, &v, NULL);
    printf("a quadcopter rested on a slope of 15 degrees, slid down one of 30 and flew home, to %.1f mm from where it began\n",
           1e3 * fabs((double)home.position.x + 2));
    ok = ok && nsc_world_report(&world)->dropped_ever == 0 && fabs((double)home.position.x + 2) < 0.05 && fabs((double)home.position.z - 0.09) < 0.002 && dot(v, v) < NSC_R(1e-6);
    return !ok;
}
