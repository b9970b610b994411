/* What MuJoCo makes of an MJCF file, for against_mujoco.py: usage by_mujoco FILE.  Masses and limits, and for each keyframe poses
   and velocities of all bodies, accelerations and gravity's share of each joint, without contacts, limits, friction, drives and
   equalities, which it softens. */
#include <mujoco/mujoco.h>
#include <stdio.h>

static mjModel *m;
static mjData *d;

static void row(const char *what, const char *name, const mjtNum *x, int n)
{
    int i;
    printf("%s\t%s", what, name);
    for (i = 0; i < n; i++) printf("\t%.17g", x[i]);
    printf("\n");
}

static const char *body_name(int i) { return m->names + m->name_bodyadr[i]; }
static const char *joint_name(int i) { return m->names + m->name_jntadr[i]; }
static int has_axis(int i) { return m->jnt_type[i] == mjJNT_HINGE || m->jnt_type[i] == mjJNT_SLIDE; }

static void key(int k)
{
    mjtNum v[6], x[7];
    int i;
    mj_resetDataKeyframe(m, d, k);
    mj_forward(m, d);
    printf("key\t%d\n", k);
    for (i = 1; i < m->nbody; i++) {
        mju_copy(x, d->xpos + 3 * i, 3);
        mju_copy(x + 3, d->xquat + 4 * i, 4);
        row("pose", body_name(i), x, 7);
        mj_objectVelocity(m, d, mjOBJ_XBODY, i, v, 0);
        row("velocity", body_name(i), v, 6);
    }
    for (i = 0; i < m->njnt; i++)
        if (has_axis(i)) row("acceleration", joint_name(i), d->qacc + m->jnt_dofadr[i], 1);
    mju_zero(d->qvel, m->nv);
    mj_forward(m, d);
    for (i = 0; i < m->njnt; i++)
        if (has_axis(i)) row("gravity", joint_name(i), d->qfrc_bias + m->jnt_dofadr[i], 1);
}

int main(int n, char **argument)
{
    char error[1000] = "";
    int k, i;
    mjtNum mass = 0;
    m = n > 1 ? mj_loadXML(argument[1], NULL, error, sizeof error) : NULL;
    if (!m) {
        printf("refused\t%s\n", error);
        return 1;
    }
    d = mj_makeData(m);
    m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY | mjDSBL_ACTUATION;
    m->opt.disableflags &= ~mjDSBL_GRAVITY;
    m->opt.wind[0] = m->opt.wind[1] = m->opt.wind[2] = m->opt.density = m->opt.viscosity = 0;
    m->opt.gravity[0] = m->opt.gravity[1] = 0;
    m->opt.gravity[2] = -9.81;
    for (i = 1; i < m->nbody; i++) mass += m->body_mass[i];
    row("mass", "all", &mass, 1);
    for (i = 0; i < m->njnt; i++)
        if (has_axis(i) && m->jnt_limited[i]) row("range", joint_name(i), m->jnt_range + 2 * i, 2);
    for (k = 0; k < m->nkey; k++) key(k);
    return 0;
}
