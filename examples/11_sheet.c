/* A sheet of springs and particles, held by two corners, falls over a ball; then the corners are
   lowered and it drapes.  Implicit Euler by Newton's method, hard contact with friction, 60 steps a
   second.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for springs (nsc_springs.h) and for the
   stepper (nsc_steppers.h).
   cc -std=c99 -O2 -ffp-contract=off -I.. -Ikit 11_sheet.c -o sheet -lm */
#define NSC_MAX_BODIES 84
#define NSC_MAX_SPRINGS 272
#define NSC_MAX_CONTACTS 96
#define NSC_STEPPERS 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include <stdio.h>

enum { SIDE = 9, RATE = 60, LOWER = 3 * RATE / 2, HOLD = 5 * RATE / 2, END = 4 * RATE };
#define EDGE NSC_R(0.1)   /* [m] between neighbours */
#define BALL NSC_R(0.3)   /* [m] its radius */
#define SKIN NSC_R(0.015) /* [m] radius of a particle */

static nsc_world world;
static nsc_id node[SIDE][SIDE], spring[NSC_MAX_SPRINGS];
static nsc_vec3 centre;
static int springs;

static nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

static int tie(nsc_id a, nsc_id b, nsc_real rest, nsc_real stiffness)
{
    nsc_spring_def d = nsc_default_spring_def(a, b);
    d.rest = rest, d.stiffness = stiffness, d.damping = stiffness * NSC_R(0.002);
    spring[springs] = nsc_world_add_spring(&world, &d);
    return spring[springs] < 0 ? -1 : springs++;
}

static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ball = nsc_default_sphere_def(BALL), skin = nsc_default_sphere_def(SKIN);
    nsc_real across = EDGE * NSC_R(1.41421356);
    int i, j;
    def.stepper = NSC_STEPPER_EULER_IMPLICIT;
    def.newton_tolerance = NSC_R(1e-4);
    if (nsc_world_init(&world, &def) < 0) return -1;
    centre = ball.pose.position = vec(NSC_R(0.4), NSC_R(0.4), NSC_R(0.6));
    skin.category = 2, skin.mask = 1; /* the sheet does not meet itself */
    if (nsc_world_add_shape(&world, NSC_GROUND, &ball) < 0) return -1;
    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++) {
            nsc_body_def b = nsc_default_body_def();
            if (i == 0 && (j == 0 || j == SIDE - 1)) b.kind = NSC_KINEMATIC_BODY;
            else b.particle = 1, b.mass = NSC_R(0.01);
            b.pose.position = vec(EDGE * (nsc_real)j, EDGE * (nsc_real)i, NSC_R(1.0));
            node[i][j] = nsc_world_add_body(&world, &b);
            if (nsc_world_add_shape(&world, node[i][j], &skin) < 0) return -1;
            if (i > 0 && tie(node[i - 1][j], node[i][j], EDGE, NSC_R(300.0)) < 0) return -1;
            if (j > 0 && tie(node[i][j - 1], node[i][j], EDGE, NSC_R(300.0)) < 0) return -1;
            if (i > 0 && j > 0 && tie(node[i - 1][j - 1], node[i][j], across, NSC_R(50.0)) < 0) return -1;
            if (i > 0 && j > 0 && tie(node[i - 1][j], node[i][j - 1], across, NSC_R(50.0)) < 0) return -1;
        }
    return 0;
}

typedef struct seen { double low, near, fast, stretch, pull; } seen; /* z, to the ball [m]; speed [m/s]; share; on a corner [N] */

static seen look(void)
{
    seen s = {9, 9, 0, 0, 0};
    int i;
    for (i = 0; i < SIDE * SIDE; i++) {
        nsc_pose p;
        nsc_vec3 v, d;
        double r;
        nsc_body_get_pose(&world, node[i / SIDE][i % SIDE], &p);
        nsc_body_get_velocity(&world, node[i / SIDE][i % SIDE], &v, NULL);
        d = vec(p.position.x - centre.x, p.position.y - centre.y, p.position.z - centre.z);
        r = (double)(NSC_SQRT(d.x * d.x + d.y * d.y + d.z * d.z) - BALL - SKIN);
        if ((double)p.position.z < s.low) s.low = (double)p.position.z;
        if (r < s.near) s.near = r;
        r = (double)NSC_SQRT(v.x * v.x + v.y * v.y + v.z * v.z);
        if (r > s.fast) s.fast = r;
    }
    for (i = 0; i < springs; i++) {
        nsc_spring_def d;
        nsc_real length;
        nsc_vec3 f;
        nsc_spring_get_def(&world, spring[i], &d);
        nsc_spring_get_force(&world, spring[i], &length, &f);
        if ((double)(length / d.rest) - 1 > s.stretch) s.stretch = (double)(length / d.rest) - 1;
        if (d.body_a == node[0][0]) s.pull += (double)f.z;
    }
    return s;
}

int main(void)
{
    nsc_real h = NSC_R(1.0) / RATE;
    double residual = 0, steps = 0, inside = 0, stretch = 0;
    int i, most = 0, unsettled = 0, ok;
    seen s;
    if (setup() < 0) return 1;
    printf("%d particles, %d springs, one world: %lu bytes\n", SIDE * SIDE - 2, springs, (unsigned long)sizeof world);
    printf("  t   lowest  to ball  fastest  stretch  corner carries | contacts  Newton steps  last change\n");
    for (i = 0; i <= END; i++) {
        const nsc_step_report *r = nsc_world_report(&world);
        nsc_vec3 down = vec(0, 0, i >= LOWER && i < HOLD ? NSC_R(-0.3) : NSC_R(0.0)), none = vec(0, 0, 0);
        if (nsc_body_set_velocity(&world, node[0][0], down, none) < 0) return 1;
        if (nsc_body_set_velocity(&world, node[0][SIDE - 1], down, none) < 0) return 1;
        s = look();
        if (i % (RATE / 2) == 0)
            printf("%4.1f %7.3f %7.4f %8.4f %7.2f%% %13.3f N | %5d %10d %16.1e\n", i / (double)RATE, s.low, s.near, s.fast,
                   100 * s.stretch, s.pull, r->contacts, r->newton_steps, (double)r->newton_change);
        if (-s.near > inside) inside = -s.near;
        if (s.stretch > stretch) stretch = s.stretch;
        if (i == END) break;
        if (nsc_world_step(&world, h) < 0) return 1;
        if ((double)r->solver.residual > residual) residual = (double)r->solver.residual;
        if (r->newton_steps > most) most = r->newton_steps;
        steps += (double)r->newton_steps / END;
        unsettled += r->unsettled;
    }
    printf("Newton steps %.1f, at most %d; steps left unsettled %d of %d; residual at most %.0e m/s; into the ball at most %.2f mm; stretch at most %.1f %%\n",
           steps, most, unsettled, (int)END, residual, 1000 * inside, 100 * stretch);
    ok = s.fast < 0.02 && s.low < 0.6 && inside < 0.003 && s.stretch < 0.08 && nsc_world_report(&world)->contacts >= 5;
    if (ok) printf("a sheet of %d particles and %d springs draped over a ball and came to rest: %.1f Newton steps a step, stretch at most %.1f %%\n",
                   SIDE * SIDE, springs, steps, 100 * stretch);
    else printf("NOT AS EXPECTED\n");
    return !ok;
}
