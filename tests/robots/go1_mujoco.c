/* The quadruped of tests/joints/test_go1.c in nsc and in MuJoCo, the same masses, servos and push: foot forces at rest, sway after a push
   at 1/500 s against a fine step, each engine against itself, and both against each other.  Torques at rest are printed, not
   judged: feet that stick hold what they were set down with, and MuJoCo's creep until that is gone. */
#define main test_go1
#include "../joints/test_go1.c"
#undef main
#include <mujoco/mujoco.h>
#include <stdarg.h>

static mjModel *model;
static mjData *data;
static char text[20000], *end_of_text, error[300];

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    end_of_text += vsnprintf(end_of_text, (size_t)(text + sizeof text - end_of_text), format, list);
    va_end(list);
}

/* A body of nsc's world as it was built, before its joints were set: all frames are upright then. */
static void say_body(nsc_id id, nsc_vec3 from_parent)
{
    nsc_real mass, inertia[6];
    nsc_vec3 c;
    CHECK(nsc_body_get_mass(&world, id, &mass, &c, inertia) == NSC_OK);
    say("<body pos='%.17g %.17g %.17g'><inertial pos='%.17g %.17g %.17g' mass='%.17g' ", D(from_parent.x), D(from_parent.y),
        D(from_parent.z), D(c.x), D(c.y), D(c.z), D(mass));
    say("fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>", D(inertia[0]), D(inertia[1]), D(inertia[2]), D(inertia[3]),
        D(inertia[4]), D(inertia[5]));
}

/* time: of MuJoCo's contacts [s], at least 2 h */
static void make(double h, double time)
{
    double height = 2 * length_of_leg * cos(bent) + foot_radius;
    int leg, k;
    build();
    end_of_text = text;
    /* contacts as stiff as the step lets them be */
    say("<mujoco><option timestep='%.17g' integrator='implicit' cone='elliptic' tolerance='0' iterations='100' gravity='0 0 -9.81'/>", h);
    say("<default><geom solref='%.17g 1' friction='0.8 0 0' condim='3'/></default>", time);
    say("<compiler balanceinertia='false' angle='radian'/><worldbody><geom type='plane' size='9 9 1' contype='0' conaffinity='1'/>");
    say_body(trunk, vec(0, 0, height));
    say("<freejoint/>");
    for (leg = 0; leg < 4; leg++) {
        double x = leg < 2 ? 1 : -1, y = leg % 2 ? 1 : -1;
        for (k = 0; k < 3; k++) {
            say_body(link_of[leg][k], k == 0   ? vec(x * 0.1881, -y * 0.04675, 0)
                                      : k == 1 ? vec(0, -y * 0.08, 0)
                                               : vec(0, 0, -length_of_leg));
            say("<joint name='j%d%d' type='hinge' axis='%s'/>", leg, k, k == 0 ? "1 0 0" : "0 1 0");
        }
        say("<geom type='sphere' size='%.17g' pos='0 0 %.17g' contype='1' conaffinity='0'/></body></body></body>", foot_radius, -length_of_leg);
    }
    say("</body></worldbody><actuator>");
    for (leg = 0; leg < 4; leg++)
        for (k = 0; k < 3; k++)
            say("<general joint='j%d%d' biastype='affine' gainprm='100' biasprm='0 -100 -3' forcelimited='true' forcerange='%g %g'/>", leg,
                k, k == 2 ? -35.55 : -23.7, k == 2 ? 35.55 : 23.7);
    say("</actuator></mujoco>");
    if (model) mj_deleteData(data), mj_deleteModel(model);
    {
        mjVFS vfs;
        mj_defaultVFS(&vfs);
        mj_makeEmptyFileVFS(&vfs, "go1.xml", (int)(end_of_text - text));
        memcpy(vfs.filedata[mj_findFileVFS(&vfs, "go1.xml")], text, (size_t)(end_of_text - text));
        model = mj_loadXML("go1.xml", &vfs, error, sizeof error);
        mj_deleteVFS(&vfs);
    }
    if (!model) {
        printf("%s\n", error);
        exit(1);
    }
    data = mj_makeData(model);
    for (leg = 0; leg < 4; leg++)
        for (k = 0; k < 3; k++) {
            data->ctrl[3 * leg + k] = k == 0 ? 0 : k == 1 ? bent : folded;
            data->qpos[7 + 3 * leg + k] = data->ctrl[3 * leg + k];
        }
}

/* Vertical forces on the feet, in nsc's order */
static void feet_of_mujoco(double *up)
{
    int i;
    for (i = 0; i < 4; i++) up[i] = 0;
    for (i = 0; i < data->ncon; i++) {
        mjtNum f[6];
        mj_contactForce(model, data, i, f);
        up[data->contact[i].geom2 - 1] += f[0];
    }
}

static void at_rest(double h)
{
    double up[4], weight = 0, sum = 0, worst_foot = 0, worst_torque = 0, largest = 0;
    int i, leg, k;
    make(h, 0.02);
    steps((int)(2.5 / h), h);
    for (i = 0; i < (int)(2.5 / h); i++) mj_step(model, data);
    mj_forward(model, data);
    feet_of_mujoco(up);
    for (i = 0; i < model->nbody; i++) weight += g * model->body_mass[i];
    for (leg = 0; leg < 4; leg++) {
        nsc_vec3 force;
        CHECK(nsc_shape_get_contact_force(&world, foot[leg], &force, NULL) == NSC_OK);
        sum += up[leg];
        worst_foot = fmax(worst_foot, fabs(up[leg] - D(force.z)) / weight);
        for (k = 0; k < 3; k++) {
            nsc_axis_state s;
            CHECK(nsc_joint_get_axis(&world, joint_of[leg][k], 0, &s) == NSC_OK);
            largest = fmax(largest, fabs(D(s.drive)));
            worst_torque = fmax(worst_torque, fabs(D(s.drive) - data->actuator_force[3 * leg + k]));
        }
    }
    printf("at rest, 1/%.0f s: MuJoCo carries the weight to %.1e; feet apart by %.1e of it, torques by %.1e of the largest\n", 1 / h,
           fabs(sum / weight - 1), worst_foot, worst_torque / largest);
    if (h > 0.003) return; /* there MuJoCo's robot trembles */
    CHECK_NEAR(sum, weight, 1e-3 * weight);
    CHECK(worst_foot < 0.01);
}

static double push_mujoco(double h, double time)
{
    double from, most = 0;
    int i;
    make(h, time);
    for (i = 0; i < (int)(1.5 / h); i++) mj_step(model, data);
    from = data->xpos[4];
    for (i = 0; i < (int)(1 / h + 0.5); i++) {
        data->xfrc_applied[6 + 1] = i < (int)(0.1 / h + 0.5) ? 60 : 0;
        mj_step(model, data);
        most = fmax(most, data->xpos[4] - from);
    }
    return most;
}

int main(int argc, char **argv)
{
    double coarse, soft, fine, most, last, own;
    test_begin(argc, argv);
    at_rest(1 / 240.);
    at_rest(1 / 500.);
    push(1 / 500., 1, &most, &last);
    push(1 / 8000., 1, &own, &last);
    coarse = push_mujoco(1 / 500., 0.004);
    soft = push_mujoco(1 / 8000., 0.004);
    fine = push_mujoco(1 / 8000., 0.00025);
    printf("pushed, sway at 1/500 and 1/8000 s: nsc %.5f and %.5f m (%.2f %%), MuJoCo %.5f and %.5f m (%.2f %%), %.5f m with its\n"
           "hardest contact at 1/8000 s\n", most, own, 100 * fabs(most / own - 1), coarse, soft, 100 * fabs(coarse / soft - 1), fine);
    CHECK_NEAR(most, own, 0.025 * own);
    CHECK_NEAR(own, fine, 0.01 * fine);
    return TEST_END("robots");
}
