/* report.c - tables and a picture of what the drivers wrote:  report FILE.csv [FILE.svg]
   A table a scene: what passes first, by time; x is the time over that of nsc's quickest setting that passes.  The picture:
   error against time, a panel a scene. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 4000, MAX_SCENES = 32, FIELDS = 26, WIDE = 300, TALL = 240, ACROSS = 3 };
/* columns of the CSV, see bench.h */
enum { ENGINE, SETTING, SCENE, PASSES, MEAN, MEDIAN, WORST, ALL, CONTACTS, ITERATIONS, RESIDUAL, PENETRATION, DRIFT, TILT, ENERGY, ERROR_,
       INSTRUCTIONS = 24, REMARK = 25 };

typedef struct row {
    char line[512], *field[FIELDS];
    double us, error;
    int scene, passes, ran, best; /* best: no other that passes is quicker and as accurate */
} row;
static row rows[MAX_ROWS];
static const char *scenes[MAX_SCENES];
static int row_count, scene_count, counted;

static const struct look {
    const char *engine, *colour, *path; /* path: a mark around 0 0 */
} looks[] = {
    {"nsc-float", "#d62728", "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z"},
    {"nsc-double", "#7b1113", "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z"},
    {"ode", "#1f77b4", "M-4,3L4,3L0,-4Z"},
    {"bullet-float", "#2ca02c", "M-3,-3H3V3H-3Z"},
    {"bullet-double", "#8fcf8f", "M-3,-3H3V3H-3Z"},
    {"mujoco", "#9467bd", "M0,-4L4,0L0,4L-4,0Z"},
    {"box3d", "#ff7f0e", "M-4,-3H4L0,4Z"},
    {"jolt", "#17becf", "M0,-4L4,-1L2,4H-2L-4,-1Z"},
    {"", "#777777", "M-3,-3L3,3M-3,3L3,-3"},
};

static const struct look *look_of(const row *r)
{
    const struct look *k = looks;
    while (strncmp(r->field[ENGINE], k->engine, strlen(k->engine))) k++;
    return k;
}

static int is_nsc(const row *r) { return !strncmp(r->field[ENGINE], "nsc", 3); }

static int take(row *r)
{
    char *p = r->line;
    int i;
    r->line[strcspn(r->line, "\r\n")] = 0;
    for (i = 0; i < FIELDS; i++) {
        r->field[i] = p;
        if (i == FIELDS - 1) break;
        p = strchr(p, ',');
        if (!p) return 0;
        *p++ = 0;
    }
    for (r->scene = 0; r->scene < scene_count && strcmp(scenes[r->scene], r->field[SCENE]); r->scene++) {}
    if (r->scene == MAX_SCENES) return 0;
    if (r->scene == scene_count) scenes[scene_count++] = r->field[SCENE];
    r->us = atof(r->field[MEAN]), r->error = atof(r->field[ERROR_]);
    r->ran = r->us > 0;
    r->passes = r->ran && !strcmp(r->field[PASSES], "yes");
    counted = counted || *r->field[INSTRUCTIONS];
    return 1;
}

static int by_time(const void *a, const void *b)
{
    const row *x = *(row *const *)a, *y = *(row *const *)b;
    if (x->passes != y->passes) return y->passes - x->passes;
    return (x->us > y->us) - (x->us < y->us);
}

static void table(int scene)
{
    static row *list[MAX_ROWS];
    double nsc = 0;
    int i, n = 0;
    for (i = 0; i < row_count; i++)
        if (rows[i].scene == scene && rows[i].ran) list[n++] = &rows[i];
    qsort(list, (size_t)n, sizeof list[0], by_time);
    for (i = 0; i < n && nsc == 0; i++)
        if (is_nsc(list[i]) && list[i]->passes) nsc = list[i]->us;
    printf("\n%s\n%-14s %-24s %9s %7s %9s %9s %8s %9s %9s %9s %9s %9s%s  passes\n", scenes[scene], "engine", "setting", "us/step",
           "x", "median", "worst", "contacts", "iter.", "residual", "penetr.", "drift", "end J", counted ? "    instr." : "");
    for (i = 0; i < n; i++) {
        char **f = list[i]->field;
        double ratio = nsc > 0 ? list[i]->us / nsc : 0;
        printf("%-14s %-24s %9s ", f[ENGINE], f[SETTING], f[MEAN]);
        if (nsc > 0) printf("%7.*f", ratio < 100 ? 2 : 0, ratio);
        else printf("%7s", "-");
        printf(" %9s %9s %8s %9s %9s %9s %9s %9s", f[MEDIAN], f[WORST], f[CONTACTS], *f[ITERATIONS] == '-' ? "-" : f[ITERATIONS],
               *f[RESIDUAL] == '-' ? "-" : f[RESIDUAL], f[PENETRATION], f[DRIFT], f[ENERGY]);
        if (counted) printf(" %9s", f[INSTRUCTIONS]);
        printf("  %s%s%s\n", f[PASSES], *f[REMARK] ? "; " : "", f[REMARK]);
    }
    for (i = 0; i < row_count; i++)
        if (rows[i].scene == scene && !rows[i].ran)
            printf("%-14s %-24s %s\n", rows[i].field[ENGINE], rows[i].field[SETTING], rows[i].field[REMARK]);
}

/* Quickest that passes: of nsc (peers = 0) or of the others; NULL: none does */
static const row *quickest(int scene, int peers)
{
    const row *found = NULL;
    int i;
    for (i = 0; i < row_count; i++)
        if (rows[i].scene == scene && rows[i].passes && is_nsc(&rows[i]) == !peers && (!found || rows[i].us < found->us)) found = &rows[i];
    return found;
}

/* A line a scene: who is first, and which points of others no point of nsc reaches in both time and error */
static void verdict(int scene)
{
    const row *own = quickest(scene, 0), *peer = quickest(scene, 1);
    int i, j, reached;
    printf("%-14s", scenes[scene]);
    if (own) printf(" nsc %.3g us, error %.1e (%s %s);", own->us, own->error, own->field[ENGINE] + 4, own->field[SETTING]);
    else printf(" nsc: none passes;");
    if (peer) printf(" others %.3g us, error %.1e (%s %s)", peer->us, peer->error, peer->field[ENGINE], peer->field[SETTING]);
    else printf(" others: none passes");
    if (own && peer) printf(", %.2f times", peer->us / own->us);
    printf("; not reached:");
    for (i = reached = 0; i < row_count; i++) {
        if (rows[i].scene != scene || !rows[i].passes || is_nsc(&rows[i])) continue;
        for (j = 0; j < row_count; j++)
            if (rows[j].scene == scene && rows[j].passes && is_nsc(&rows[j]) && rows[j].us <= rows[i].us && rows[j].error <= rows[i].error) break;
        if (j < row_count) continue;
        printf(" %s %s %.3g us %.1e", rows[i].field[ENGINE], rows[i].field[SETTING], rows[i].us, rows[i].error);
        reached++;
    }
    printf("%s\n", reached ? "" : " none");
}

/* Of each peer's setting that passes: the quickest of nsc that is as exact */
static void ratios(int scene)
{
    int i, j;
    for (i = 0; i < row_count; i++) {
        const row *r = &rows[i], *own = NULL;
        if (r->scene != scene || !r->passes || is_nsc(r)) continue;
        for (j = 0; j < row_count; j++) {
            const row *k = &rows[j];
            if (k->scene != scene || !k->passes || !is_nsc(k) || k->error > r->error) continue;
            if (!own || k->us < own->us) own = k;
        }
        printf("%-14s %-14s %-24s %9.4g us %8.1e", scenes[scene], r->field[ENGINE],
               r->field[SETTING], r->us, r->error);
        if (own)
            printf("  nsc %9.4g us %8.1e %7.2f times  %s %s\n", own->us, own->error,
                   own->us / r->us, own->field[ENGINE] + 4, own->field[SETTING]);
        else
            printf("  nsc is nowhere as exact\n");
    }
}

/* ---- the picture ----------------------------------------------------------------------------- */

static double floor_of(double error) { return error > 1e-9 ? error : 1e-9; }

static void panel(FILE *out, int scene)
{
    const double left = 46, right = WIDE - 8, top = 24, bottom = TALL - 34;
    double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9, last_x = -1e9, last_y = -1e9;
    int i, j, pass, k;
    for (i = 0; i < row_count; i++) {
        row *r = &rows[i];
        if (r->scene != scene || !r->ran || !(r->error < 1e12)) continue;
        x0 = fmin(x0, log10(r->us)), x1 = fmax(x1, log10(r->us));
        y0 = fmin(y0, log10(floor_of(r->error))), y1 = fmax(y1, log10(floor_of(r->error)));
        r->best = r->passes;
        for (j = 0; j < row_count && r->best; j++)
            if (rows[j].scene == scene && rows[j].passes && rows[j].error <= r->error)
                r->best = rows[j].us > r->us || (rows[j].us == r->us && j >= i);
    }
    if (x0 > x1) return;
    x0 = floor(x0), x1 = fmax(ceil(x1), x0 + 1), y0 = floor(y0), y1 = fmax(ceil(y1), y0 + 1);
#define X(v) (left + (right - left) * ((v) - x0) / (x1 - x0))
#define Y(v) (bottom - (bottom - top) * ((v) - y0) / (y1 - y0))
    fprintf(out, "<g transform='translate(%d,%d)'><text x='%g' y='14' class='name'>%s</text>\n", scene % ACROSS * WIDE,
            scene / ACROSS * TALL, left, scenes[scene]);
    for (k = (int)x0; k <= (int)x1; k++)
        fprintf(out, "<path class='grid' d='M%.1f,%gV%g'/><text x='%.1f' y='%g' text-anchor='middle'>%g</text>\n", X(k), top, bottom,
                X(k), bottom + 11, pow(10, k));
    for (k = (int)y0; k <= (int)y1; k += y1 - y0 > 6 ? 2 : 1)
        fprintf(out, "<path class='grid' d='M%g,%.1fH%g'/><text x='%g' y='%.1f' text-anchor='end'>1e%d</text>\n", left, Y(k), right,
                left - 3, Y(k) + 3, k);
    fprintf(out, "<text x='%g' y='%g' text-anchor='middle'>us a step</text>\n", (left + right) / 2, bottom + 23);
    for (pass = 0; pass < 2; pass++) /* what fails lies below */
        for (i = 0; i < row_count; i++) {
            const row *r = &rows[i];
            const struct look *as = look_of(r);
            if (r->scene != scene || !r->ran || r->passes != pass || !(r->error < 1e12)) continue;
            fprintf(out, "<path d='%s' transform='translate(%.1f,%.1f)' stroke='%s' fill='%s'%s>", as->path, X(log10(r->us)),
                    Y(log10(floor_of(r->error))), as->colour, is_nsc(r) && pass ? as->colour : "none", pass ? "" : " opacity='0.3'");
            fprintf(out, "<title>%s %s: %s us, error %s%s</title></path>\n", r->field[ENGINE], r->field[SETTING], r->field[MEAN],
                    r->field[ERROR_], pass ? "" : ", fails");
        }
    for (;;) { /* names along the front, from the left, where there is room */
        const row *next = NULL;
        double x, y;
        for (i = 0; i < row_count; i++)
            if (rows[i].scene == scene && rows[i].best && rows[i].us > last_x && (!next || rows[i].us < next->us)) next = &rows[i];
        if (!next) break;
        last_x = next->us, x = X(log10(next->us)), y = Y(log10(floor_of(next->error)));
        if (fabs(y - last_y) < 8) continue;
        last_y = y;
        k = x < (left + right) / 2;
        fprintf(out, "<text x='%.1f' y='%.1f' fill='%s' text-anchor='%s'>%s</text>\n", k ? x + 6 : x - 6, y - 3, look_of(next)->colour,
                k ? "start" : "end", next->field[SETTING]);
    }
    fprintf(out, "</g>\n");
}

static int picture(const char *path)
{
    const int tall = (scene_count + ACROSS - 1) / ACROSS * TALL + 46;
    FILE *out = fopen(path, "w");
    int i, x = 20;
    if (!out) return 0;
    fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='8'>\n"
            "<style>text{paint-order:stroke;stroke:#fff;stroke-width:2px}.name{font-size:11px;font-weight:bold}"
            ".grid{stroke:#ddd;fill:none}</style><rect width='100%%' height='100%%' fill='#fff'/>\n", ACROSS * WIDE, tall);
    for (i = 0; i < scene_count; i++) panel(out, i);
    for (i = 0; looks[i].engine[0]; i++, x += 98)
        fprintf(out, "<path d='%s' transform='translate(%d,%d)' stroke='%s' fill='%s'/><text x='%d' y='%d' font-size='10'>%s</text>\n",
                looks[i].path, x, tall - 30, looks[i].colour, i < 2 ? looks[i].colour : "none", x + 8, tall - 26, looks[i].engine);
    fprintf(out, "<text x='15' y='%d' font-size='10'>error [m] (S5_slip: relative, of the friction) against time; named: none that passes "
            "is as quick and as accurate; pale: fails</text></svg>\n", tall - 8);
    return fclose(out) == 0;
}

int main(int argc, char **argv)
{
    FILE *in = argc > 1 ? fopen(argv[1], "r") : NULL;
    int i, ran = 0, pass = 0, refused = 0;
    if (!in) return fprintf(stderr, "usage: report FILE.csv [FILE.svg]\n"), 2;
    while (row_count < MAX_ROWS && fgets(rows[row_count].line, sizeof rows[0].line, in))
        if (strncmp(rows[row_count].line, "engine,", 7) && take(&rows[row_count])) row_count++;
    fclose(in);
    for (i = 0; i < scene_count; i++) table(i);
    printf("\nquickest that pass; error in m, S5_slip: relative, of the friction; not reached: no setting of nsc is as quick and as exact;\n"
           "60hz: a step of 1/60 s in place of four, its time shared among these\n");
    for (i = 0; i < scene_count; i++) verdict(i);
    printf("\nbeside each other that passes, the quickest of nsc that is at least as exact\n");
    for (i = 0; i < scene_count; i++) ratios(i);
    for (i = 0; i < row_count; i++) {
        ran += rows[i].ran, pass += rows[i].passes;
        refused += !rows[i].ran && !strncmp(rows[i].field[REMARK], "refused", 7);
    }
    printf("\nbench: %d measured, %d pass, %d do not, %d refused, %d cannot take the scene or crashed\n", ran, pass, ran - pass, refused,
           row_count - ran - refused);
    if (argc > 2 && !picture(argv[2])) return 1;
    return 0;
}
