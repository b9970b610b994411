/* A Monte-Carlo sweep: a cabinet with a loose box on top is pushed, ten thousand times, with random
   masses, friction, force and height of the push.  How often does it move, and all still stands?
   The same file on one core:
       cc -std=c99 -O2 -ffp-contract=off -I../.. -I../kit sweep.c -o sweep -lm && ./sweep
   and on many:
       mpicc -DUSE_MPI -std=c99 -O2 -ffp-contract=off -I../.. -I../kit sweep.c -o sweep_mpi -lm
       mpirun --enable-recovery -np 4 ./sweep_mpi
   Results, hash and picture do not depend on the number of ranks: a trial is a copy of one world,
   varied by numbers that only the seed and the trial's own number determine.  Options:
       --worlds N      10000         --seed N     1
       --picture FILE  an SVG        --keep FILE  results so far; the next start does only the rest
       --timeout S     5: a rank that is silent for longer counts as lost
       --kill RANK     for the test: that rank kills itself in the middle of its work
   Root (rank 0) hands out shares of worlds by message, works on some itself, and hands out again
   what a lost rank had.  README.md says what to expect of a thousand ranks.
   Files: beside nsc.h and nsc_solvers.h those of kit/ for hashes (nsc_image.h) and for what was refused
   (nsc_print.h). */
#ifdef USE_MPI
#define _POSIX_C_SOURCE 200112L /* nanosleep */
#endif
#define NSC_MAX_BODIES 3 /* ground, cabinet, box */
#define NSC_MAX_SHAPES 3
#define NSC_MAX_CONTACTS 12
#define NSC_NO_SUBSTEPS /* what is not used here costs neither memory nor compile time */
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_print.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef USE_MPI
#include <mpi.h>
#include <unistd.h>
#endif

#define RATE 240              /* steps a second */
#define WIDE NSC_R(0.25)      /* half the depth of the cabinet [m] */
#define TALL NSC_R(0.6)       /* half its height [m] */
#define SMALL NSC_R(0.12)     /* half the edge of the box [m] */
#ifndef SHARE
#define SHARE 10              /* worlds that a rank gets at a time */
#endif
enum { PUSH = RATE * 6 / 10, END = RATE * 5 / 2, MOST_WORLDS = 1000000 };

/* ---- a trial */

enum { MOVED, STUCK, LOST, FELL, KINDS };
static const char *const kinds[KINDS] = {"moved, all stands", "did not move", "lost the box", "fell over"};
static const char *const colours[KINDS] = {"#2ca02c", "#8c8c8c", "#ff7f0e", "#d62728"};

/* Plain data, that goes through messages and files as it is */
struct result {
    int32_t number, kind;
    float ratio, height; /* force of the push over the weight; its height [m] */
    float travel;        /* [m] */
    float tilt;          /* largest, as 1 - cosine */
    uint32_t hash;       /* of the world in the end */
    uint32_t check;      /* of all before it */
};

static nsc_world base, world;
static nsc_id cabinet, box;
static nsc_id cabinet_shape, box_shape;

static uint32_t mix(uint32_t hash, uint32_t x)
{
    hash = (hash ^ x) * UINT32_C(0x9e3779b1);
    hash ^= hash >> 15;
    hash *= UINT32_C(0x85ebca77);
    return hash ^ hash >> 13;
}

/* Uniform number lower .. upper: the k-th of a trial */
static nsc_real pick(uint32_t seed, int number, uint32_t k, nsc_real lower, nsc_real upper)
{
    uint32_t x = mix(mix(mix(seed, (uint32_t)number), k), 0x5bd1e995);
    return lower + (upper - lower) * ((nsc_real)(x >> 8) / NSC_R(16777216.0));
}

static uint32_t check_of(const struct result *r)
{
    unsigned char bytes[sizeof *r];
    uint32_t hash = 1;
    size_t i;
    memcpy(bytes, r, sizeof *r);
    for (i = 0; i < offsetof(struct result, check); i++)
        hash = mix(hash, bytes[i]);
    return hash;
}

static nsc_id add(nsc_shape_def shape, nsc_real z, nsc_id *shape_id)
{
    nsc_body_def body = nsc_default_body_def();
    nsc_id id;
    body.pose.position.z = z;
    id = nsc_world_add_body(&base, &body);
    *shape_id = nsc_world_add_shape(&base, id, &shape);
    return *shape_id < 0 ? *shape_id : id;
}

static int setup(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def();
    def.solver.tolerance = NSC_R(1e-5);
    ground.friction = 1; /* of a pair: the root of the product */
    if (nsc_world_init(&base, &def) < 0 || nsc_world_add_shape(&base, NSC_GROUND, &ground) < 0)
        return -1;
    cabinet = add(nsc_default_box_def(WIDE, WIDE, TALL), TALL, &cabinet_shape);
    box = add(nsc_default_box_def(SMALL, SMALL, SMALL), 2 * TALL + SMALL, &box_shape);
    return cabinet < 0 || box < 0 ? -1 : 0;
}

static int rub(nsc_id shape, nsc_real friction)
{
    nsc_shape_def def;
    int code = nsc_shape_get_def(&world, shape, &def);
    def.friction = friction;
    return code < 0 ? code : nsc_shape_set_def(&world, shape, &def);
}

static nsc_real upright(nsc_id body, nsc_pose *p)
{
    nsc_body_get_pose(&world, body, p);
    return 1 - 2 * (p->orientation.x * p->orientation.x + p->orientation.y * p->orientation.y);
}

/* Trial `number`: 0, or the error that nsc gave */
static int try_one(uint32_t seed, int number, struct result *r)
{
    nsc_real mass = pick(seed, number, 0, 20, 60), load = pick(seed, number, 1, 2, 20);
    nsc_real floor = pick(seed, number, 2, NSC_R(0.15), NSC_R(0.7));
    nsc_real top = pick(seed, number, 3, NSC_R(0.1), NSC_R(0.6));
    nsc_real force = pick(seed, number, 4, 50, 350), side = pick(seed, number, 5, -1, 1) / 3;
    nsc_real height = pick(seed, number, 6, NSC_R(0.2), NSC_R(1.1)), cosine, least = 1;
    nsc_real along = 1 / NSC_SQRT(1 + side * side);
    nsc_vec3 push = {0, 0, 0}, at = {0, 0, 0};
    nsc_pose p, q;
    int step, code = 0;
    memset(r, 0, sizeof *r);
    memcpy(&world, &base, sizeof world); /* all there is: no pointer, no handle to the outside */
    push.x = force * along;
    push.y = force * along * side;
    if (nsc_body_set_mass(&world, cabinet, mass) < 0 || nsc_body_set_mass(&world, box, load) < 0 ||
        rub(cabinet_shape, floor * floor) < 0 || rub(box_shape, top * top / (floor * floor)) < 0)
        return -1;
    for (step = 0; step < (int)END && code >= 0 && least > NSC_R(0.5); step++) {
        cosine = upright(cabinet, &p);
        least = cosine < least ? cosine : least;
        at.x = p.position.x - WIDE; /* the back of the cabinet, which follows it */
        at.y = p.position.y;
        at.z = height;
        if (step < (int)PUSH)
            code = nsc_body_add_force_at(&world, cabinet, push, at);
        if (code >= 0)
            code = nsc_world_step(&world, NSC_R(1.0) / RATE);
    }
    upright(cabinet, &p);
    upright(box, &q);
    r->number = number;
    r->ratio = (float)(force / ((mass + load) * NSC_R(9.81)));
    r->height = (float)height;
    r->travel = (float)NSC_SQRT(p.position.x * p.position.x + p.position.y * p.position.y);
    r->tilt = (float)(1 - least);
    r->kind = least <= NSC_R(0.5) ? FELL : q.position.z < 2 * TALL ? LOST : MOVED;
    if (r->kind == MOVED && r->travel < 0.02f)
        r->kind = STUCK;
    r->hash = nsc_world_hash(&world);
    r->check = check_of(r);
    return code;
}

/* ---- all trials, and what of them is done */

static struct {
    int worlds, rank, ranks, kill, lost;
    uint32_t seed;
    double timeout;
    const char *picture, *keep;
} run = {10000, 0, 1, -1, 0, 1, 5, NULL, NULL};

enum { FREE, GIVEN, DONE };
static struct result results[MOST_WORLDS];
static char state[MOST_WORLDS / SHARE + 1];
static int shares, shares_done, shares_before, next_free;
static FILE *kept;
static double begin, told; /* when the sweep began, and progress was last shown [s] */

static double now(void)
{
#ifdef USE_MPI
    return MPI_Wtime();
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

static int share_size(int share) { return share < shares - 1 ? SHARE : run.worlds - share * SHARE; }

/* A share is done: keep it, and say from time to time how far all is. */
static void finish(int share, const struct result *from)
{
    int size = share_size(share);
    double spent = now() - begin, share_of = 0;
    if (state[share] == DONE)
        return; /* a rank that counted as lost has come back: the same bits */
    state[share] = DONE;
    shares_done++;
    memcpy(results + share * SHARE, from, (size_t)size * sizeof *from);
    if (kept) {
        fwrite(from, sizeof *from, (size_t)size, kept);
        fflush(kept);
    }
    if (spent < 1.1 * told + 1 && shares_done < shares) /* ever more rarely */
        return;
    told = spent;
    share_of = (double)(shares_done - shares_before) / (shares - shares_before);
    fprintf(stderr, "  %d of %d worlds, %.1f s, %.1f s to go\n",
            shares_done < shares ? shares_done * SHARE : run.worlds, run.worlds, spent,
            spent / share_of - spent);
}

/* Next share that nobody has; -1: none */
static int take_free(void)
{
    while (next_free < shares && state[next_free] != FREE)
        next_free++;
    if (next_free == shares)
        return -1;
    state[next_free] = GIVEN;
    return next_free;
}

/* Results of an earlier start with the same worlds: a title, then results.  A last one that was cut
   off, or damage, ends the reading; its share is done again. */
static int read_kept(void)
{
    char title[64], is[64];
    struct result r;
    FILE *f = fopen(run.keep, "rb");
    int i, n = 0;
    sprintf(title, "nsc sweep 1, %10d worlds, seed %10lu\n", run.worlds, (unsigned long)run.seed);
    if (f && fgets(is, sizeof is, f) && strcmp(is, title) != 0) {
        fprintf(stderr, "%s is of another sweep\n", run.keep);
        fclose(f);
        return -1;
    }
    while (f && fread(&r, sizeof r, 1, f) == 1 && check_of(&r) == r.check)
        if (r.number >= 0 && r.number < run.worlds)
            results[r.number] = r;
    if (f)
        fclose(f);
    kept = fopen(run.keep, "wb");
    if (!kept) {
        fprintf(stderr, "cannot write %s\n", run.keep);
        return -1;
    }
    fputs(title, kept);
    for (i = 0; i < shares; i++) {
        const struct result *from = results + i * SHARE;
        int k, whole = 1;
        for (k = 0; k < share_size(i); k++)
            whole = whole && from[k].check != 0 && from[k].number == i * SHARE + k;
        if (!whole)
            continue;
        state[i] = DONE;
        shares_done++;
        n += share_size(i);
        fwrite(from, sizeof *from, (size_t)share_size(i), kept);
    }
    fflush(kept);
    shares_before = shares_done;
    if (n > 0)
        fprintf(stderr, "  %d of %d worlds were done before\n", n, run.worlds);
    return 0;
}

/* The test of a rank that dies: in the middle of its second share, root when a third is done */
static void maybe_die(int shares_of_mine, int k)
{
    if (run.kill == run.rank && k == SHARE / 2)
        if (run.rank > 0 ? shares_of_mine == 1 : 3 * shares_done > shares)
            raise(SIGKILL);
}

static int refused(int number, int code)
{
    fprintf(stderr, "world %d: ", number);
    return (int)nsc_print_refusal(stderr, &world, code);
}

#ifdef USE_MPI

/* ---- messages: a rank sends the share it has done (-1: none yet) with its results, and gets the
   next one, or STOP, or STOP_ABRUPTLY where a rank is lost and MPI_Finalize would wait for it */

enum { STOP = -1, STOP_ABRUPTLY = -2, TAG_DONE = 1, TAG_NEXT = 2, MOST_RANKS = 100000 };
struct message {
    int32_t share;
    struct result results[SHARE];
};
struct rank {
    int share;      /* that it has, or -1 */
    int waits;      /* 1: for an answer */
    int lost, ends; /* 1: no answer in time; was told to stop */
    double since;   /* it has the share */
};
static struct rank ranks[MOST_RANKS];
static struct message message;
static double serving; /* time of the processor spent on messages [s] */
static int served;

static void rest(void)
{
    struct timespec t = {0, 200000};
    nanosleep(&t, NULL);
}

static void lose(int r, const char *why)
{
    int share = ranks[r].share;
    ranks[r].lost = 1;
    run.lost++;
    if (share >= 0 && state[share] == GIVEN) {
        state[share] = FREE;
        next_free = share < next_free ? share : next_free;
        fprintf(stderr, "  rank %d is lost (%s): worlds %d to %d are done again\n", r, why,
                share * SHARE, share * SHARE + share_size(share) - 1);
    } else
        fprintf(stderr, "  rank %d is lost (%s)\n", r, why);
    ranks[r].share = -1;
}

static void answer(int r)
{
    int32_t share = take_free();
    if (share < 0 && shares_done < shares)
        return; /* nothing to do now, but perhaps if another rank is lost */
    if (share < 0) {
        share = run.lost > 0 ? STOP_ABRUPTLY : STOP;
        ranks[r].ends = 1;
    }
    ranks[r].share = share;
    ranks[r].since = now();
    ranks[r].waits = 0;
    if (MPI_Send(&share, 4, MPI_BYTE, r, TAG_NEXT, MPI_COMM_WORLD) != MPI_SUCCESS)
        lose(r, "cannot be sent to");
}

/* Root: take in what has come, see who is silent, give out work. */
static void serve(void)
{
    clock_t entered = clock();
    int r, some = 1, before = served;
    while (some) {
        MPI_Status s;
        if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD, &some, &s) != MPI_SUCCESS || !some)
            break;
        r = s.MPI_SOURCE;
        if (MPI_Recv(&message, sizeof message, MPI_BYTE, r, TAG_DONE, MPI_COMM_WORLD, &s))
            continue;
        if (message.share >= 0)
            finish(message.share, message.results);
        if (ranks[r].lost) {
            fprintf(stderr, "  rank %d is back\n", r);
            ranks[r].lost = 0;
            run.lost--;
        }
        ranks[r].waits = 1;
        served++;
    }
    for (r = 1; r < run.ranks; r++) {
        if (ranks[r].waits)
            answer(r);
        else if (!ranks[r].lost && !ranks[r].ends && now() - ranks[r].since > run.timeout)
            lose(r, "silent for too long");
    }
    if (served > before)
        serving += (double)(clock() - entered) / CLOCKS_PER_SEC;
}

static int all_ended(void) /* all ranks but those that are lost */
{
    int r, n = 0;
    for (r = 1; r < run.ranks; r++)
        n += ranks[r].ends || ranks[r].lost;
    return n == run.ranks - 1;
}

/* What root says.  It may have nothing to give as long as it waits for a rank that is lost, but not
   much longer: then it is root who is lost. */
static int32_t next_share(void)
{
    double asked = now();
    int32_t share;
    int there = 0;
    while (!there) {
        if (MPI_Iprobe(0, TAG_NEXT, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
            now() - asked > 4 * run.timeout) {
            fprintf(stderr, "  rank %d: root is lost\n", run.rank);
            return STOP_ABRUPTLY;
        }
        if (!there)
            rest();
    }
    if (MPI_Recv(&share, 4, MPI_BYTE, 0, TAG_NEXT, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
        return STOP_ABRUPTLY;
    return share;
}

static int work_for_root(void)
{
    int k, mine = 0;
    int32_t share = -1;
    for (;;) {
        message.share = share;
        if (MPI_Send(&message, sizeof message, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD))
            return STOP_ABRUPTLY;
        share = next_share();
        if (share < 0)
            return share;
        for (k = 0; k < share_size(share); k++) {
            int number = share * SHARE + k, code = try_one(run.seed, number, &message.results[k]);
            maybe_die(mine, k);
            if (code < 0)
                MPI_Abort(MPI_COMM_WORLD, refused(number, code) < 0);
        }
        mine++;
    }
}

#else

static const double serving = 0;
static const int served = 0;
static void serve(void) {}
static int all_ended(void) { return 1; }
static void rest(void) {}

#endif

/* Root, or the only process: works on shares too, and looks for messages after each world. */
static int lead(void)
{
    static struct result own[SHARE];
    int k;
    while (shares_done < shares || !all_ended()) {
        int share = shares_done < shares ? take_free() : -1;
        serve();
        if (share < 0) {
            rest();
            continue;
        }
        for (k = 0; k < share_size(share); k++) {
            int code = try_one(run.seed, share * SHARE + k, &own[k]);
            if (code < 0)
                return refused(share * SHARE + k, code);
            maybe_die(0, k);
            serve();
        }
        finish(share, own);
    }
    return 0;
}

/* ---- what came out */

static float sorted[MOST_WORLDS];

static int compare(const void *a, const void *b)
{
    float x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Travel of those that moved, sorted; how many */
static int sort_travel(void)
{
    int i, n = 0;
    for (i = 0; i < run.worlds; i++)
        if (results[i].kind == MOVED)
            sorted[n++] = results[i].travel;
    qsort(sorted, (size_t)n, sizeof sorted[0], compare);
    return n;
}

/* Wilson's interval of a share of n that holds it with 95 % */
static void interval(int count, int n, double *lower, double *upper)
{
    double z = 1.96, p = (double)count / n, c = z * z / n;
    double half = z * (double)NSC_SQRT((nsc_real)(p * (1 - p) / n + c / (4 * n)));
    *lower = 100 * (p + c / 2 - half) / (1 + c);
    *upper = 100 * (p + c / 2 + half) / (1 + c);
}

static void report(int counts[KINDS])
{
    static const int percent[5] = {5, 25, 50, 75, 95};
    uint32_t hash = 1;
    int i, n = sort_travel();
    for (i = 0; i < run.worlds; i++) {
        counts[results[i].kind]++;
        hash = mix(mix(hash, results[i].hash), results[i].check);
    }
    printf("%d worlds, seed %lu\n", run.worlds, (unsigned long)run.seed);
    for (i = 0; i < KINDS; i++) {
        double lower, upper;
        interval(counts[i], run.worlds, &lower, &upper);
        printf("%-18s %7d  %5.1f %%  (95 %%: %.1f to %.1f)\n", kinds[i], counts[i],
               100.0 * counts[i] / run.worlds, lower, upper);
    }
    printf("travel of those that moved:");
    for (i = 0; i < 5 && n > 0; i++)
        printf("  %d %%: %.3f m", percent[i], (double)sorted[(int)((n - 1) * (int64_t)percent[i] / 100)]);
    printf("\nhash %08lx\n", (unsigned long)hash);
}

/* Left: each world by force and height of its push.  Right: how many of those that moved went how
   far. */
static int draw(const int counts[KINDS])
{
    FILE *f = fopen(run.picture, "w");
    int i, kind, n = sort_travel(), most = 3000;
    double last = n > 0 ? (int)sorted[n - 1] + 1 : 1; /* end of the axis */
    if (!f)
        return -1;
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='480' "
               "font-family='sans-serif' font-size='13'>\n"
               "<rect width='100%%' height='100%%' fill='white'/>\n"
               "<text x='60' y='24' font-size='15'>%d cabinets pushed for 0.6 s, seed %lu</text>\n",
            run.worlds, (unsigned long)run.seed);
    for (i = 0; i <= 6; i++)
        fprintf(f, "<path d='M%d 50V400' stroke='#ddd'/><text x='%d' y='418' text-anchor='middle'>"
                   "%.2f</text>\n", 60 + 75 * i, 60 + 75 * i, 0.25 * i);
    for (i = 0; i <= 6; i++)
        fprintf(f, "<path d='M60 %.1fH510' stroke='#ddd'/><text x='54' y='%.1f' text-anchor='end'>"
                   "%.1f</text>\n", 400 - 350 * i / 6.0, 404 - 350 * i / 6.0, 0.2 * i);
    for (i = 0; i < run.worlds && i < most; i++)
        if (results[i].ratio < 1.5f)
            fprintf(f, "<circle cx='%.1f' cy='%.1f' r='1.9' fill='%s' fill-opacity='0.65'/>\n",
                    60 + 300 * (double)results[i].ratio, 400 - 350 * (double)results[i].height / 1.2,
                    colours[results[i].kind]);
    fprintf(f, "<path d='M");
    for (i = 0; i <= 50; i++) {
        double height = 0.2 + 0.9 * i / 50, ratio = (double)WIDE / height;
        fprintf(f, "%s%.1f %.1f", i > 0 ? "L" : "", 60 + 300 * ratio, 400 - 350 * height / 1.2);
    }
    fprintf(f, "' fill='none' stroke='black' stroke-dasharray='6 4'/>\n"
               "<text x='285' y='436' text-anchor='middle'>force of the push over the weight</text>"
               "<text x='22' y='225' transform='rotate(-90 22 225)' text-anchor='middle'>"
               "height of the push [m]</text>\n");
    for (kind = 0; kind < KINDS; kind++)
        fprintf(f, "<circle cx='%d' cy='462' r='5' fill='%s'/><text x='%d' y='466'>%s: %.1f %%</text>\n",
                66 + 175 * kind, colours[kind], 76 + 175 * kind, kinds[kind],
                100.0 * counts[kind] / run.worlds);
    fprintf(f, "<path d='M740 462h24' stroke='black' stroke-dasharray='6 4'/>"
               "<text x='770' y='466'>tips, unless it slides</text>\n");
    for (i = 0; i <= 4; i++)
        fprintf(f, "<path d='M%d 50V400' stroke='#ddd'/><text x='%d' y='418' text-anchor='middle'>"
                   "%.2f</text><path d='M590 %.1fH930' stroke='#ddd'/>"
                   "<text x='584' y='%.1f' text-anchor='end'>%d %%</text>\n",
                590 + 85 * i, 590 + 85 * i, last * i / 4, 400 - 87.5 * i, 404 - 87.5 * i, 25 * i);
    fprintf(f, "<path d='M590 400");
    for (i = 0; i <= 200 && n > 0; i++)
        fprintf(f, "L%.1f %.1f", 590 + 340 * (double)sorted[(int)((n - 1) * (int64_t)i / 200)] / last,
                400 - 350 * i / 200.0);
    fprintf(f, "' fill='none' stroke='%s' stroke-width='2'/>\n"
               "<text x='760' y='436' text-anchor='middle'>travel of those that moved [m]</text>"
               "<text x='590' y='40'>share of them that went at most so far</text>\n</svg>\n",
            colours[MOVED]);
    fclose(f);
    return 0;
}

static int read_options(int argc, char **argv)
{
    int i;
    for (i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--worlds") == 0)
            run.worlds = atoi(value);
        else if (strcmp(name, "--seed") == 0)
            run.seed = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "--timeout") == 0)
            run.timeout = atof(value);
        else if (strcmp(name, "--kill") == 0)
            run.kill = atoi(value);
        else if (strcmp(name, "--picture") == 0)
            run.picture = value;
        else if (strcmp(name, "--keep") == 0)
            run.keep = value;
        else
            break;
    }
    if (i == argc && run.worlds >= 1 && run.worlds <= (int)MOST_WORLDS && run.timeout > 0)
        return 0;
    fprintf(stderr, "what is %s?  See the top of sweep.c.\n", i < argc ? argv[i] : "that number");
    return -1;
}

/* Root's share of the work, and what came out of all; 0, or an exit code */
static int root(void)
{
    int counts[KINDS] = {0};
    double spent;
    begin = now();
    if ((run.keep && read_kept() < 0) || lead() < 0)
        return 1;
    spent = now() - begin;
    report(counts);
    fflush(stdout);
    fprintf(stderr, "%d ranks, %.2f s, %.2f ms a world; %d messages of %.0f us\n", run.ranks, spent,
            1e3 * spent / (SHARE * (shares - shares_before) + 1e-9), served,
            served > 0 ? 1e6 * serving / served : 0);
    if (run.picture && draw(counts) < 0) {
        fprintf(stderr, "cannot write %s\n", run.picture);
        return 1;
    }
    if (kept)
        fclose(kept);
    return 0;
}

int main(int argc, char **argv)
{
    int code = 0;
#ifdef USE_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run.ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
    if (read_options(argc, argv) < 0 || setup() < 0)
        return 2;
    shares = (run.worlds + SHARE - 1) / SHARE;
#ifdef USE_MPI
    if (run.rank > 0)
        code = work_for_root() == STOP_ABRUPTLY ? STOP_ABRUPTLY : 0;
    else {
        int r;
        for (r = 1; r < run.ranks && r < (int)MOST_RANKS; r++) {
            ranks[r].share = -1;
            ranks[r].since = MPI_Wtime();
        }
        code = root();
        if (run.lost > 0 && code == 0) { /* nobody may wait for the lost ones */
            fprintf(stderr, "%d of %d ranks were lost; all worlds are done\n", run.lost, run.ranks);
            fflush(NULL);
            MPI_Abort(MPI_COMM_WORLD, 0);
        }
        if (code != 0)
            MPI_Abort(MPI_COMM_WORLD, code);
    }
    if (code == STOP_ABRUPTLY)
        _exit(0);
    MPI_Finalize();
#else
    code = root();
#endif
    return code;
}
