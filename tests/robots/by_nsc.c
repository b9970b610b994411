/* The same as by_mujoco.c, of a table: for against_mujoco.py, which sets TABLE, where the robot is called `robot`, and capacities */
#define NSC_IMPLEMENTATION
#define NSC_CONVEX 1
#define NSC_MAX_CONTACTS 8
#define NSC_ARENA 4000000
#include "nsc_all.h"
#include "nsc_robot.h"
#include TABLE
#include <stdio.h>
#include <string.h>

static nsc_world world;
static nsc_id body[robot_LINKS], joint[robot_JOINTS + 1];
static nsc_robot_joint_def bare[robot_JOINTS + 1];
static nsc_robot_shape_def loose[NSC_MAX_SHAPES];
static nsc_robot here;

static void row(const char *what, const char *name, const double *x, int n)
{
    int i;
    printf("%s\t%s", what, name);
    for (i = 0; i < n; i++) printf("\t%.17g", x[i]);
    printf("\n");
}

/* Without what MuJoCo softens; a gear becomes a joint that holds nothing */
static void strip(void)
{
    int i;
    here = robot;
    for (i = 0; i < robot.joints; i++) {
        nsc_robot_joint_def *j = &bare[i];
        *j = robot.joint[i];
        j->limited = 0;
        j->friction = j->speed = j->effort = 0;
        j->drive = NSC_DRIVE_NONE;
        if (j->kind == NSC_JOINT_GEAR) {
            j->kind = NSC_JOINT_DISTANCE;
            j->parent = 0;
            j->child = 1;
        }
    }
    for (i = 0; i < robot.shapes; i++) {
        loose[i] = robot.shape[i];
        loose[i].mask = 0;
    }
    here.joint = bare;
    here.shape = loose;
}

static nsc_vec3 plus(nsc_vec3 a, double s, nsc_vec3 b)
{
    a.x += (nsc_real)s * b.x;
    a.y += (nsc_real)s * b.y;
    a.z += (nsc_real)s * b.z;
    return a;
}

/* Does link i hang on link j? */
static int hangs(int i, int j)
{
    int k;
    while (i != j) {
        for (k = 0; k < here.joints; k++)
            if (here.joint[k].kind != NSC_ROBOT_AXIS && here.joint[k].kind != NSC_JOINT_DISTANCE && here.joint[k].child == i) break;
        if (k == here.joints) return 0;
        i = here.joint[k].parent;
        if (i < 0) return 0;
    }
    return 1;
}

/* The weight of all that hangs on entry k, along or about its axis as it stands now */
static double gravity(int k)
{
    int main_one = here.joint[k].kind == NSC_ROBOT_AXIS ? here.joint[k].parent : k;
    int axis = here.joint[k].kind == NSC_ROBOT_AXIS ? here.joint[k].child : 0, kind = here.joint[main_one].kind, i, turns;
    nsc_joint_def def;
    nsc_pose a, b;
    nsc_vec3 along = {0, 0, 1}, at;
    double sum = 0;
    nsc_joint_get_def(&world, joint[k], &def);
    nsc_body_get_pose(&world, def.body_a, &a);
    nsc_body_get_pose(&world, def.body_b, &b);
    a = nsci_robot_pose(a, def.frame_a);
    b = nsci_robot_pose(b, def.frame_b);
    at = b.position;
    if (kind == NSC_JOINT_PLANAR && axis < 2) along = axis ? nsci_vec(0, 1, 0) : nsci_vec(1, 0, 0);
    if (kind == NSC_JOINT_UNIVERSAL && axis == 1) {
        along = nsci_vec(1, 0, 0);
        a = b;
    }
    along = nsci_robot_turn(a.orientation, along);
    turns = kind == NSC_JOINT_HINGE || kind == NSC_JOINT_UNIVERSAL || (kind == NSC_JOINT_CYLINDRICAL && axis == 1) ||
            (kind == NSC_JOINT_PLANAR && axis == 2);
    for (i = 0; i < here.links; i++)
        if (hangs(i, here.joint[main_one].child)) {
            nsc_real mass;
            nsc_vec3 c, way;
            nsc_pose p;
            nsc_body_get_mass(&world, body[i], &mass, &c, NULL);
            nsc_body_get_pose(&world, body[i], &p);
            way = plus(nsci_robot_pose(p, (nsc_pose){c, {1, 0, 0, 0}}).position, -1, at);
            way = turns ? nsci_robot_cross(along, way) : along;
            sum += 9.81 * (double)mass * (double)way.z;
        }
    return sum;
}

static int step(double h)
{
    nsc_calls calls;
    memset(&calls, 0, sizeof calls);
    calls.solve = nsc_solve_newton;
    return nsc_world_step_with(&world, (nsc_real)h, &calls);
}

static double rate[robot_JOINTS + 1];

static void key(int k)
{
    const double h = 1e-6;
    nsc_world_def def = nsc_default_world_def();
    nsc_pose base = {{0, 0, 0}, {1, 0, 0, 0}};
    int i, n, code;
    def.solver.tolerance = (nsc_real)1e-13;
    def.joint_recovery = 0; /* what is drawn back has a speed */
    def.solver.max_iterations = 1000;
    def.solver.max_factorizations = 100;
    nsc_world_init(&world, &def);
    code = NSC_OK;
#ifdef NSC_HULL_VERTICES
    code = nsc_world_set_hulls(&world, robot.hull, robot.hulls);
#endif
    if (code >= 0) code = nsc_robot_add(&world, &here, base, body, joint);
    if (code >= 0) code = nsc_robot_set_state(&world, &here, base, k, body, joint);
    if (code < 0) {
        printf("refused\t%d %s\n", code, nsc_world_last_refusal(&world).field);
        return;
    }
    printf("key\t%d\n", k);
    for (i = 0; i < here.links + here.frames; i++) {
        int link = i < here.links ? i : here.frame[i - here.links].link;
        const char *name = i < here.links ? here.link[i].name : here.frame[i - here.links].name;
        nsc_vec3 v, w, c;
        nsc_pose p, q;
        double x[7];
        nsc_body_get_pose(&world, body[link], &p);
        nsc_body_get_velocity(&world, body[link], &v, &w);
        nsc_body_get_mass(&world, body[link], NULL, &c, NULL);
        q = i < here.links ? p : nsci_robot_pose(p, here.frame[i - here.links].pose);
        c = plus(q.position, -1, nsci_robot_pose(p, (nsc_pose){c, {1, 0, 0, 0}}).position);
        v = plus(v, 1, nsci_robot_cross(w, c));
        x[0] = (double)q.position.x, x[1] = (double)q.position.y, x[2] = (double)q.position.z;
        x[3] = (double)q.orientation.w, x[4] = (double)q.orientation.x, x[5] = (double)q.orientation.y;
        x[6] = (double)q.orientation.z;
        row("pose", name, x, 7);
        x[0] = (double)w.x, x[1] = (double)w.y, x[2] = (double)w.z;
        x[3] = (double)v.x, x[4] = (double)v.y, x[5] = (double)v.z;
        row("velocity", name, x, 6);
    }
    for (i = 0; i < here.joints; i++) {
        double g = gravity(i);
        if (nsci_robot_axis(&here, i) >= 0) row("gravity", here.joint[i].name, &g, 1);
    }
    /* The first steps: velocities that hold the joints where they are become those that hold them where they go */
    for (n = 0; n < 3; n++) {
        code = step(h);
        if (code < 0) printf("refused\tstep %d %s\n", code, nsc_world_last_refusal(&world).field);
        for (i = 0; i < here.joints; i++) {
            nsc_axis_state s;
            double a;
            if (nsci_robot_axis(&here, i) < 0) continue;
            nsc_joint_get_axis(&world, joint[i], nsci_robot_axis(&here, i), &s);
            a = ((double)s.velocity - rate[i]) / h;
            rate[i] = (double)s.velocity;
            if (n == 2) row("acceleration", here.joint[i].name, &a, 1);
        }
    }
}

int main(void)
{
    double mass = 0, range[2];
    int i, k;
    strip();
    for (i = 0; i < here.links; i++) mass += (double)here.link[i].mass;
    row("mass", "all", &mass, 1);
    for (i = 0; i < robot.joints; i++)
        if (robot.joint[i].limited) {
            range[0] = (double)robot.joint[i].lower;
            range[1] = (double)robot.joint[i].upper;
            row("range", robot.joint[i].name, range, 2);
        }
    for (k = 0; k < here.states; k++) key(k);
    return 0;
}
