/* The same as dynamics_mujoco.c, by nsc_dynamics.h of a table: for dynamics.py, which sets TABLE, where the robot is called `robot`, and
   capacities */
#define NSC_IMPLEMENTATION
#define NSC_CONVEX 1
#define NSC_MAX_CONTACTS 8
#define NSC_DYNAMICS_LINKS 200
#define NSC_DYNAMICS_NUMBERS 300
#include "nsc_all.h"
#include "nsc_dynamics.h"
#include TABLE
#include <stdio.h>
#include <string.h>

static nsc_world world;
static nsc_dynamics model;
static nsc_id body[robot_LINKS], joint[robot_JOINTS + 1];
static nsc_real q[600], v[300], a[300], f[300], M[300 * 300], J[6 * 300];

static void row(const char *what, const char *name, const char *by, const double *x, int n)
{
    int i;
    printf("%s\t%s%s%s", what, name, by ? "/" : "", by ? by : "");
    for (i = 0; i < n; i++) printf("\t%.17g", x[i]);
    printf("\n");
}

static int axis_of(int e) { return robot.joint[e].kind == NSC_JOINT_BALL ? -1 : nsc_dynamics_number(&model, e); }

static double some(const char *name)
{
    int sum = 0;
    while (*name) sum = (31 * sum + *name++) % 1009;
    return sum / 100.0 - 5;
}

/* MuJoCo's free bodies have the velocity of their frame's origin: with no acceleration of that, their centre is pulled to the axis. */
static void no_acceleration(void)
{
    int i;
    memset(a, 0, sizeof a);
    for (i = 0; i < robot.links; i++) {
        const nsc_dynamics_link *l = &model.link[i];
        nsc_vec3 w = l->velocity[1], pull;
        if (l->count != 6) continue;
        pull = nsci_cross(w, nsci_cross(w, nsci_sub(l->centre, l->pose.position)));
        a[l->first] = pull.x, a[l->first + 1] = pull.y, a[l->first + 2] = pull.z;
    }
}

static void forces(const char *what)
{
    int e;
    nsc_dynamics_inverse(&model, a, f);
    for (e = 0; e < robot.joints; e++)
        if (axis_of(e) >= 0) row("force", robot.joint[e].name, what, f + axis_of(e), 1);
}

static void key(int k)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_pose base = {{0, 0, 0}, {1, 0, 0, 0}};
    nsc_vec3 c, w;
    nsc_real mass;
    double x[9];
    int i, e, n, r, code;
    nsc_world_init(&world, &def);
    code = nsc_robot_add(&world, &robot, base, body, joint);
    if (code >= 0) code = nsc_robot_set_state(&world, &robot, base, k, body, joint);
    if (code >= 0) code = nsc_dynamics_init(&model, &robot, base);
    if (code >= 0) code = nsc_dynamics_read(&model, &world, body, joint, q, v);
    if (code >= 0) code = nsc_dynamics_set(&model, q, v);
    if (code < 0) {
        printf("refused\t%d %s\n", code, nsc_world_last_refusal(&world).field);
        return;
    }
    printf("key\t%d\n", k);
    for (i = 0; i < robot.links + robot.frames; i++) {
        int link = i < robot.links ? i : robot.frame[i - robot.links].link;
        const char *name = i < robot.links ? robot.link[i].name : robot.frame[i - robot.links].name;
        nsc_vec3 at = {0, 0, 0};
        nsc_dynamics_point_state s;
        if (i >= robot.links) at = robot.frame[i - robot.links].pose.position;
        nsc_dynamics_point(&model, link, at, &s);
        x[0] = s.place.x, x[1] = s.place.y, x[2] = s.place.z;
        x[3] = s.velocity.x, x[4] = s.velocity.y, x[5] = s.velocity.z;
        x[6] = s.turn_rate.x, x[7] = s.turn_rate.y, x[8] = s.turn_rate.z;
        row("motion", name, NULL, x, 9);
        nsc_dynamics_jacobian(&model, link, at, J);
        for (e = 0; e < robot.joints; e++) {
            n = axis_of(e);
            for (r = 0; r < 6 && n >= 0; r++) x[r] = J[r * model.numbers + n];
            if (n >= 0) row("jacobian", name, robot.joint[e].name, x, 6);
        }
    }
    if (nsc_dynamics_centre(&model, &mass, &c, &w) == NSC_OK) {
        x[0] = c.x, x[1] = c.y, x[2] = c.z, x[3] = w.x, x[4] = w.y, x[5] = w.z;
        row("centre", "all", NULL, x, 6);
    }
    nsc_dynamics_inertia(&model, M);
    for (i = 0; i < robot.joints; i++)
        for (e = 0; e < robot.joints; e++)
            if (axis_of(i) >= 0 && axis_of(e) >= 0)
                row("inertia", robot.joint[i].name, robot.joint[e].name, M + axis_of(i) * model.numbers + axis_of(e), 1);
    no_acceleration();
    forces("bias");
    for (e = 0; e < robot.joints; e++)
        if (axis_of(e) >= 0) a[axis_of(e)] = some(robot.joint[e].name);
    forces("inverse");
    nsc_dynamics_gravity(&model, f);
    for (e = 0; e < robot.joints; e++)
        if (axis_of(e) >= 0) row("force", robot.joint[e].name, "gravity", f + axis_of(e), 1);
}

int main(void)
{
    int k;
    for (k = 0; k < robot.states; k++) key(k);
    return 0;
}
