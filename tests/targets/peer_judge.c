/* peer_judge.c - the judge of the benchmark on the poses of ten cubes that peer_main.c has printed:
       peer_judge HERTZ < POSES
   Prints drift and penetration of the last 40 %, in mm, or that they fell. */
#define BENCH_OWN_MAIN
#include "../bench/bench.h"

static state poses[MAX_BODIES];
static int steps;

static const char *engine_name(void) { return "poses"; }
static const char *engine_flags(void) { return ""; }
static const char *engine_setting(int i) { return i ? NULL : "none"; }
static const char *engine_remark(void) { return NULL; }
static int engine_contacts(void) { return 0; }
static int engine_iterations(void) { return -1; }
static double engine_residual(void) { return -1; }
static void engine_free(void) {}
static void engine_get(int i, state *to) { *to = poses[i]; }

static int engine_build(const scene *s, const char *setting, double dt)
{
    (void)s;
    (void)setting;
    (void)dt;
    return 1;
}

/* The poses of one step; 0: there are none left */
static int read_poses(void)
{
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        unsigned b[7];
        float p[7];
        int step, i, n;
        n = sscanf(line, "pose %d %d %x %x %x %x %x %x %x", &step, &i, &b[0], &b[1], &b[2], &b[3],
                   &b[4], &b[5], &b[6]);
        if (n != 9 || i < 0 || i >= the_scene.bodies) continue;
        memcpy(p, b, sizeof p);
        poses[i].p = vec((double)p[0], (double)p[1], (double)p[2]);
        poses[i].q = quat((double)p[3], (double)p[4], (double)p[5], (double)p[6]);
        if (i == the_scene.bodies - 1) return 1;
    }
    return 0;
}

/* Every sixth step is printed: those that the judge looks at */
static void engine_step(void)
{
    steps++;
    if (steps % 6 == 0 && !read_poses()) poses[0].p.x = NAN;
}

int main(int argc, char **argv)
{
    const int hertz = argc > 1 ? atoi(argv[1]) : 0;
    static double time[8192];
    result r;
    if (hertz < 1 || hertz > 1000) return bench_main(argc, argv);
    opt.gravity = opt.friction = -1;
    memset(&r, 0, sizeof r);
    if (!prepared("S1_stack10", 0) || !read_poses()) return 1;
    run_judged(&the_scene, 1.0 / hertz, 600, 0, time, &r);
    if (!r.ok) printf("%s\n", r.finite ? "falls" : "none");
    else printf("%.2g/%.2g\n", 1000 * r.drift, 1000 * r.penetration);
    return 0;
}
