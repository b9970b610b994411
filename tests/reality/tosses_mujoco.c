/* tosses_mujoco.c - the tosses in MuJoCo: Newton's method, elliptic cone, its default time constant of contacts and a short one.
   It has no restitution: fitted are friction, the time constant and damping ratio of contacts (solref), and the impedance at
   first touch (the first of solimp; the second is 0.95 or as much).
       tosses_mujoco FOLDER [whole] */
#include "tosses.h"
#include <mujoco/mujoco.h>

static toss tosses[TOSS_NUMBERS];
static toss_kept kept;
static mjModel *model;
static mjData *data;

static mjModel *model_of(void)
{
    static char text[2000], error[300];
    FILE *file = fopen("build/tosses_mujoco.xml", "w");
    if (!file) return NULL;
    snprintf(text, sizeof text,
             "<mujoco><option gravity='0 0 %.17g' cone='elliptic' solver='Newton' tolerance='1e-10'/>"
             "<default><geom condim='3'/></default><worldbody><geom type='plane' size='9 9 1'/>"
             "<body><freejoint/><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/><geom type='box' size='%.17g %.17g %.17g'/>"
             "</body></worldbody></mujoco>",
             -TOSS_GRAVITY, TOSS_MASS, TOSS_INERTIA, TOSS_INERTIA, TOSS_INERTIA, TOSS_HALF, TOSS_HALF, TOSS_HALF);
    fputs(text, file);
    fclose(file);
    return mj_loadXML("build/tosses_mujoco.xml", NULL, error, sizeof error);
}

static void throw_one(const toss_engine *e, const double *numbers, int per, const toss *t, toss_error *error, toss_result *r)
{
    mjModel *m = model;
    mjData *d = data;
    int i, j, k;
    (void)e;
    m->opt.timestep = 1.0 / (TOSS_RATE * per);
    for (i = 0; i < m->ngeom; i++) {
        m->geom_friction[3 * i] = numbers[0];
        m->geom_solref[mjNREF * i] = numbers[1], m->geom_solref[mjNREF * i + 1] = numbers[2];
        m->geom_solimp[mjNIMP * i] = numbers[3], m->geom_solimp[mjNIMP * i + 1] = fmax(0.95, numbers[3]);
    }
    mj_resetData(m, d);
    for (k = 0; k < 3; k++) d->qpos[k] = t->row[0].x[k], d->qvel[k] = t->row[0].v[k], d->qvel[k + 3] = t->row[0].w[k];
    for (k = 0; k < 4; k++) d->qpos[k + 3] = t->row[0].q[k];
    for (k = 1; k < t->rows; k++) {
        for (j = 0; j < per; j++) {
            mj_step(m, d);
            r->steps++;
            error->deepest = fmax(error->deepest, -toss_lowest(d->qpos, d->qpos + 3));
        }
        toss_compare(error, t->row, d->qpos, d->qpos + 3, k, t->rows);
    }
}

int main(int argc, char **argv)
{
    const toss_engine slow = {"MuJoCo", "solref.020", throw_one, 0, 4, {TOSS_FRICTION, .02, 1, .9}, {.02, .004, .2, .05},
                              {0, .001, .05, .01}, {1, .1, 4, .9999}};
    toss_engine e = slow;
    int count = toss_read_all(toss_folder(argc, argv), tosses), i;
    model = model_of();
    data = model ? mj_makeData(model) : NULL;
    if (count < 1 || !data || !toss_keep(kept, 0)) return 1;
    for (i = 0; i < 2; i++) {
        if (i) e.setting = "solref.005", e.first[1] = .005, e.move[1] = .002;
        toss_table(&e, tosses, count, argc > 2, kept);
    }
    mj_deleteData(data), mj_deleteModel(model);
    return 0;
}
