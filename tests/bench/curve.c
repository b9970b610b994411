/* curve.c - cost of a step of nsc against the number of bodies: apart on the ground, and in one pyramid; and where it goes: the
   copy of nsc.h that stages.awk makes says NSC_STAGE(s) where the part s of a step begins. */
#define BENCH_OWN_MAIN
static void stage_enter(int stage);
#define NSC_STAGE(stage) stage_enter(stage)
#include "nsc.c"

enum { SIZES = 8, MAX_STAGES = 16, STEPS = 40 };
static const int size[SIZES] = {1, 3, 10, 30, 100, 300, 1000, 4000};
static double spent[MAX_STAGES]; /* of one step; that of none is between steps */

#if defined(__x86_64__) || defined(__i386__)
#define TICK() ((double)__builtin_ia32_rdtsc())
#else
#define TICK() clock_us()
#endif
static const char *const stage_name[] = {"broad", "narrow", "match", "islands", "rows", "solve", "move", "rest"};
static const int stage_code[] = {NSC_STAGE_BROAD, NSC_STAGE_NARROW, NSC_STAGE_MATCH, NSC_STAGE_ISLANDS, NSC_STAGE_ROWS,
                                 NSC_STAGE_SOLVE, NSC_STAGE_MOVE, NSC_STAGE_REST};
enum { STAGES = sizeof stage_code / sizeof stage_code[0] };

static void stage_enter(int stage)
{
    static double since;
    static int now_in;
    double t = TICK();
    spent[now_in] += t - since;
    now_in = stage, since = t;
}

static void exponents(const char *what, const double *t)
{
    int i;
    printf("%-10s%6s", what, "");
    for (i = 1; i < SIZES; i++)
        if (t[i] > 0 && t[i - 1] > 0) printf(" %6.2f", log(t[i] / t[i - 1]) / log((double)size[i] / size[i - 1]));
        else printf(" %6s", "-");
    printf("\n");
}

int main(void)
{
    static const char *const scenes[2] = {"apart_", "S2_pyramid"};
    static double us[SIZES], part[MAX_STAGES][SIZES], each[MAX_STAGES][STEPS];
    const double cost = clock_cost();
    double t[STEPS], sum;
    char name[32];
    int i, j, k, kind;
    opt.gravity = opt.friction = -1;
    for (kind = 0; kind < 2; kind++) {
        printf("\n%s, %s: us a step and shares of its parts, medians of %d, default settings\n%6s %9s %8s %8s %6s", engine_name(),
               kind ? "one pyramid" : "boxes standing apart", STEPS, "bodies", "us", "us/body", "contacts", "iter.");
        for (k = 0; k < STAGES; k++) printf(" %8s", stage_name[k]);
        printf("\n");
        for (i = 0; i < SIZES; i++) {
            sprintf(name, "%s%d", scenes[kind], size[i]);
            if (!prepared(name, 0) || !engine_build(&the_scene, "sipgs", 1 / 240.0)) return 1;
            for (k = 0; k < STEPS / 2; k++) engine_step(); /* settles */
            for (k = 0; k < STEPS; k++) {
                memset(spent, 0, sizeof spent);
                t[k] = timed_step(cost);
                for (j = 0; j < STAGES; j++) each[j][k] = spent[stage_code[j]];
            }
            us[i] = median(t, STEPS);
            printf("%6d %9.2f %8.3f %8d %6d", size[i], us[i], us[i] / size[i], engine_contacts(), engine_iterations());
            for (sum = 0, k = 0; k < STAGES; k++) sum += part[k][i] = median(each[k], STEPS);
            for (k = 0; k < STAGES; k++) {
                printf(" %7.1f%%", 100 * part[k][i] / sum);
                part[k][i] *= us[i] / sum;
            }
            printf("\n");
            fflush(stdout);
        }
        printf("exponent from one size to the next (1: linear)\n");
        exponents("step", us);
        for (k = 0; k < STAGES; k++) exponents(stage_name[k], part[k]);
    }
    return 0;
}
