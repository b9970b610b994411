/* What MuJoCo makes of the dynamics of an MJCF file, for dynamics.py: usage dynamics_mujoco FILE.  For each keyframe places, velocities,
   Jacobians of all bodies, centre of mass; forces of gravity, for no acceleration and for some; inertia.  Of joints that are axes, by
   name.  Armature of balls and free bodies counts as none. */
#include <mujoco/mujoco.h>
#include <stdio.h>

static mjModel *m;
static mjData *d;
static mjtNum inertia[300 * 300], jacobian[6 * 300];

static void row(const char *what, const char *name, const char *by, const mjtNum *x, int n)
{
    int i;
    printf("%s\t%s%s%s", what, name, by ? "/" : "", by ? by : "");
    for (i = 0; i < n; i++) printf("\t%.17g", x[i]);
    printf("\n");
}

static const char *body_name(int i) { return m->names + m->name_bodyadr[i]; }
static const char *joint_name(int i) { return m->names + m->name_jntadr[i]; }
static int has_axis(int i) { return m->jnt_type[i] == mjJNT_HINGE || m->jnt_type[i] == mjJNT_SLIDE; }

/* An acceleration that both sides find by the joint's name */
static mjtNum some(const char *name)
{
    int sum = 0;
    while (*name) sum = (31 * sum + *name++) % 1009;
    return sum / 100.0 - 5;
}

static void forces(const char *what)
{
    int i;
    mj_inverse(m, d);
    for (i = 0; i < m->njnt; i++)
        if (has_axis(i)) row("force", joint_name(i), what, d->qfrc_inverse + m->jnt_dofadr[i], 1);
}

static void key(int k)
{
    mjtNum v[6], x[9], centre[6], mass = 0;
    int i, j, c;
    mj_resetDataKeyframe(m, d, k);
    mj_forward(m, d);
    printf("key\t%d\n", k);
    mju_zero(centre, 6);
    for (i = 1; i < m->nbody; i++) {
        mju_copy(x, d->xpos + 3 * i, 3);
        mj_objectVelocity(m, d, mjOBJ_XBODY, i, v, 0);
        mju_copy(x + 3, v + 3, 3);
        mju_copy(x + 6, v, 3);
        row("motion", body_name(i), NULL, x, 9);
        mj_jacBody(m, d, jacobian, jacobian + 3 * m->nv, i);
        for (j = 0; j < m->njnt; j++) {
            for (c = 0; c < 6; c++) v[c] = jacobian[c * m->nv + m->jnt_dofadr[j]];
            if (has_axis(j)) row("jacobian", body_name(i), joint_name(j), v, 6);
        }
        if (m->body_weldid[i] == 0) continue;
        mj_objectVelocity(m, d, mjOBJ_BODY, i, v, 0);
        mass += m->body_mass[i];
        mju_addToScl3(centre, d->xipos + 3 * i, m->body_mass[i]);
        mju_addToScl3(centre + 3, v + 3, m->body_mass[i]);
    }
    if (mass > 0) mju_scl(centre, centre, 1 / mass, 6);
    row("centre", "all", NULL, centre, 6);
    mj_fullM(m, inertia, d->qM);
    for (i = 0; i < m->njnt; i++)
        for (j = 0; j < m->njnt; j++)
            if (has_axis(i) && has_axis(j)) row("inertia", joint_name(i), joint_name(j), inertia + m->jnt_dofadr[i] * m->nv + m->jnt_dofadr[j], 1);
    mju_zero(d->qacc, m->nv);
    forces("bias");
    for (i = 0; i < m->njnt; i++)
        if (has_axis(i)) d->qacc[m->jnt_dofadr[i]] = some(joint_name(i));
    forces("inverse");
    mju_zero(d->qacc, m->nv);
    mju_zero(d->qvel, m->nv);
    forces("gravity");
}

int main(int n, char **argument)
{
    char error[1000] = "";
    int k, i;
    m = n > 1 ? mj_loadXML(argument[1], NULL, error, sizeof error) : NULL;
    if (!m || m->nv > 300) {
        printf("refused\t%s\n", error);
        return 1;
    }
    m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY | mjDSBL_ACTUATION | mjDSBL_PASSIVE;
    m->opt.gravity[0] = m->opt.gravity[1] = 0;
    m->opt.gravity[2] = -9.81;
    for (i = 0; i < m->nv; i++)
        if (!has_axis(m->dof_jntid[i])) m->dof_armature[i] = 0;
    d = mj_makeData(m);
    for (k = 0; k < m->nkey; k++) key(k);
    return 0;
}
