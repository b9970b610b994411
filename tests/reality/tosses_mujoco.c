/* tosses_mujoco.c - the tosses in MuJoCo: Newton's method, elliptic cone, its default time constant of contacts and a short one.
       tosses_mujoco FOLDER [whole] */
#include "tosses.h"
#include <mujoco/mujoco.h>
#include <time.h>

static toss tosses[TOSS_NUMBERS];
static double kept[TOSS_NUMBERS]; /* corners by nsc at 1/592 s */

static mjModel *model_of(double h, double stiff)
{
    static char text[2000], error[300];
    FILE *file = fopen("build/tosses_mujoco.xml", "w");
    if (!file) return NULL;
    snprintf(text, sizeof text,
             "<mujoco><option timestep='%.17g' gravity='0 0 %.17g' cone='elliptic' solver='Newton' tolerance='1e-10'/>"
             "<default><geom friction='%.17g 0 0' solref='%.17g 1' condim='3'/></default><worldbody><geom type='plane' size='9 9 1'/>"
             "<body><freejoint/><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/><geom type='box' size='%.17g %.17g %.17g'/>"
             "</body></worldbody></mujoco>",
             h, -TOSS_GRAVITY, TOSS_FRICTION, stiff, TOSS_MASS, TOSS_INERTIA, TOSS_INERTIA, TOSS_INERTIA, TOSS_HALF, TOSS_HALF, TOSS_HALF);
    fputs(text, file);
    fclose(file);
    return mj_loadXML("build/tosses_mujoco.xml", NULL, error, sizeof error);
}

int main(int argc, char **argv)
{
    static const double stiff[2] = {0.02, 0.005};
    int count = toss_read_all(toss_folder(argc, argv), tosses), stride = argc > 2 ? 1 : 4, s, per, i, k, j, judged;
    if (count < 1 || !toss_kept(kept, 0)) return 1;
    for (s = 0; s < 2; s++) {
        for (per = 1; per <= 16; per *= 2) {
            mjModel *m = model_of(1.0 / (TOSS_RATE * per), stiff[s]);
            mjData *d = m ? mj_makeData(m) : NULL;
            toss_error sum;
            toss_difference more = {0, 0, 0};
            double steps = 0;
            clock_t start = clock();
            if (!d) return 1;
            memset(&sum, 0, sizeof sum);
            for (i = judged = 0; i < count; i++) {
                const toss *t = &tosses[i];
                toss_error e;
                if (i % TOSS_FIT == 0 || judged++ % stride) continue;
                memset(&e, 0, sizeof e);
                mj_resetData(m, d);
                for (k = 0; k < 3; k++) d->qpos[k] = t->row[0].x[k], d->qvel[k] = t->row[0].v[k], d->qvel[k + 3] = t->row[0].w[k];
                for (k = 0; k < 4; k++) d->qpos[k + 3] = t->row[0].q[k];
                for (k = 1; k < t->rows; k++) {
                    for (j = 0; j < per; j++) {
                        mj_step(m, d);
                        steps++;
                        e.deepest = fmax(e.deepest, -toss_lowest(d->qpos, d->qpos + 3));
                    }
                    toss_compare(&e, t->row, d->qpos, d->qpos + 3, k, t->rows);
                }
                toss_add(&sum, &e);
                toss_differ(&more, e.corner - kept[t->number]);
            }
            printf("MuJoCo   solref%.3f %5d  ", stiff[s], per * TOSS_RATE);
            toss_print(&sum);
            printf("        %6.2f | ", 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / steps);
            toss_print_difference(&more);
            printf(" more corners than nsc's at 1/592 s\n");
            mj_deleteData(d), mj_deleteModel(m);
        }
    }
    return 0;
}
