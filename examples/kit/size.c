/* What a world costs before it is compiled: the capacities as a header, RAM to the byte, flash, stack, instructions of a step.
   For a host; make config builds and runs it:
       make config ASK="bodies=8 contacts=16 joints=6 imu no_islands" > my_config.h     then -DNSC_CONFIG_H='"my_config.h"'
       make config TABLE=dog.h ROBOT=dog ASK="solver=tree wide=12"           a robot of robot.py, counted; what is asked is beside it
   size names all that can be asked.  RAM is sizeof(nsc_world) of a 32-bit target in float: the members of struct nsc_world one by
   one, as >>state of nsc.h has them; tests/targets/config.sh compares it with a compiler's for Cortex-M4F.  Flash, stack and typical
   instructions come from tests/targets/budgets.txt, measured with GCC 12.2 (budgets=FILE: from another); the bound is nsc_bound.h's.
   cc -std=c99 -I../.. -I. size.c -o size -lm      with a table: -DTABLE='"dog.h"' -DROBOT=dog */
#ifdef TABLE /* a world on this host that takes any robot, to count what it needs */
#define NSC_MAX_BODIES 400
#define NSC_MAX_SHAPES 800
#define NSC_MAX_JOINTS 400
#define NSC_HULL_VERTICES 42
#define NSC_IMPLEMENTATION
#define NSC_ROBOT_IMPLEMENTATION
#define NSC_STATIC
#else
#define NSC_MAX_JOINTS 1
#endif
#define NSC_MAX_SPRINGS 1
#define NSC_MAX_EVENTS 1
#define NSC_CONVEX 1
#include "nsc.h"
#include "nsc_admm.h"
#include "nsc_bb.h"
#include "nsc_minres.h"
#include "nsc_newton.h"
#include "nsc_tree.h"
#include "nsc_waves.h"
#include "nsc_bound.h"
#ifdef TABLE
#include "nsc_robot.h"
#include TABLE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char size_float[sizeof(nsc_real) == 4 && sizeof(nsc_vec3) == 12 ? 1 : -1];

/* ---- what is asked */

enum {
    BODIES, SHAPES, CONTACTS, MANIFOLDS, EVENTS, JOINTS, JOINT_BLOCKS, ROLLING, SPRINGS, ROWS, FORCES, HULL_VERTICES, ARENA,
    CONVEX, TERRAIN, MESHES, SMOOTH, STEPPERS, BARRIER, SEAMS, FAR_OUT, LOCKS, BELTS, STRIPS, WORDS, IMU, SECOND_LOOK, PARALLEL,
    ONLY_CONTACTS, NO_ISLANDS, NO_SUBSTEPS, NO_TEXTS,
    SWEEPS, SUBSTEPS, BOUNCES, WIDE,
    ASKED
};
enum { UNASKED = -1 };
static struct {
    const char *name;  /* of the argument; with = where it has a number */
    const char *macro; /* NULL: not of the configuration */
    long value;
    const char *part;  /* its line of budgets.txt, for flash */
} ask[ASKED] = {
    {"bodies=", "NSC_MAX_BODIES", UNASKED, NULL},
    {"shapes=", "NSC_MAX_SHAPES", UNASKED, NULL},
    {"contacts=", "NSC_MAX_CONTACTS", UNASKED, NULL},
    {"manifolds=", "NSC_MAX_MANIFOLDS", UNASKED, "manifolds"},
    {"events=", "NSC_MAX_EVENTS", 0, "events"},
    {"joints=", "NSC_MAX_JOINTS", 0, "joints"},
    {"joint_blocks=", "NSC_MAX_JOINT_BLOCKS", UNASKED, NULL},
    {"rolling=", "NSC_MAX_ROLLING", 0, "rolling"},
    {"springs=", "NSC_MAX_SPRINGS", 0, "springs"},
    {"rows=", "NSC_MAX_ROWS", 0, "rows"},
    {"forces=", "NSC_MAX_FORCES", 0, "forces"},
    {"hulls=", "NSC_HULL_VERTICES", 0, "hulls"},
    {"arena=", "NSC_ARENA", UNASKED, NULL},
    {"convex", "NSC_CONVEX", 0, "cylinder"},
    {"terrain", "NSC_TERRAIN", 0, "terrain"},
    {"meshes", "NSC_MESHES", 0, "meshes"},
    {"smooth", "NSC_SMOOTH", 0, "smooth"},
    {"steppers", "NSC_STEPPERS", 0, "steppers"},
    {"barrier", "NSC_BARRIER", 0, "barrier"},
    {"seams", "NSC_SEAMS", 0, "seams"},
    {"far", "NSC_FAR", 0, "far"},
    {"locks", "NSC_LOCKS", 0, "locks"},
    {"belts", "NSC_BELTS", 0, "belts"},
    {"strips", "NSC_STRIPS", 0, "strips"},
    {"words", "NSC_WORDS", 0, "words"},
    {"imu", "NSC_IMU", 0, "imu"},
    {"second_look", "NSC_SECOND_LOOK", 0, "second_look"},
    {"parallel", "NSC_PARALLEL", 0, "parallel"},
    {"only_contacts", "NSC_ONLY_CONTACTS", 0, NULL},
    {"no_islands", "NSC_NO_ISLANDS", 0, NULL},
    {"no_substeps", "NSC_NO_SUBSTEPS", 0, NULL},
    {"no_texts", "NSC_NO_TEXTS", 0, NULL},
    {"sweeps=", NULL, 20, NULL},
    {"substeps=", NULL, 1, NULL},
    {"bounces", NULL, 0, NULL},
    {"wide=", NULL, 24, NULL},
};
#define N(which) (ask[which].value)

static const char *const solvers[] = {"sipgs", "apgd", "dantzig", "newton", "admm", "bb", "minres", "tree", "auto", NULL};
enum { SIPGS, APGD, DANTZIG, NEWTON, ADMM, BB, MINRES, TREE, AUTO };
static int solver = SIPGS;
static const char *budgets = "tests/targets/budgets.txt", *target = "m4f";

static int usage(const char *wrong)
{
    int i;
    if (wrong)
        fprintf(stderr, "size: %s?\n", wrong);
    fprintf(stderr, "counts, as NUMBER:");
    for (i = 0; i < ASKED; i++)
        if (strchr(ask[i].name, '='))
            fprintf(stderr, " %s", ask[i].name);
    fprintf(stderr, "\nparts and switches:");
    for (i = 0; i < ASKED; i++)
        if (!strchr(ask[i].name, '='))
            fprintf(stderr, " %s", ask[i].name);
    fprintf(stderr, "\nsolver=");
    for (i = 0; solvers[i]; i++)
        fprintf(stderr, "%s%s", i ? "|" : "", solvers[i]);
    fprintf(stderr, "\ntarget=m4f|m0plus|rv32imc  budgets=FILE\n");
    return 2;
}

/* An argument: 1, or 0: it is none */
static int take(const char *word)
{
    int i;
    if (strncmp(word, "solver=", 7) == 0) {
        for (i = 0; solvers[i]; i++)
            if (strcmp(word + 7, solvers[i]) == 0)
                return solver = i, 1;
        return 0;
    }
    if (strncmp(word, "budgets=", 8) == 0)
        return budgets = word + 8, 1;
    if (strncmp(word, "target=", 7) == 0) {
        target = word + 7;
        return strcmp(target, "m4f") == 0 || strcmp(target, "m0plus") == 0 || strcmp(target, "rv32imc") == 0;
    }
    for (i = 0; i < ASKED; i++) {
        size_t length = strlen(ask[i].name);
        char *end;
        if (ask[i].name[length - 1] != '=') {
            if (strcmp(word, ask[i].name) != 0)
                continue;
            return ask[i].value = 1, 1;
        }
        if (strncmp(word, ask[i].name, length) != 0)
            continue;
        ask[i].value = strtol(word + length, &end, 10);
        return word[length] != 0 && *end == 0 && ask[i].value >= 0 && ask[i].value <= 1000000;
    }
    return 0;
}

static long blocks(void)
{
    return N(CONTACTS) + N(JOINT_BLOCKS) + N(ROLLING) + N(SPRINGS) + N(ROWS) + 2 * N(FORCES);
}

#ifdef TABLE
static nsc_world host;

/* What the robot needs is added to what is asked.  Contacts: of each of its shapes on a plane. */
static int add_robot(void)
{
    static nsc_id body[NSC_MAX_BODIES], joint[NSC_MAX_JOINTS];
    nsc_world_def def = nsc_default_world_def();
    nsc_pose base = {{0, 0, 0}, {1, 0, 0, 0}};
    long contacts = 0, joint_blocks = 0, corners = 0;
    int i, code = nsc_world_init(&host, &def);
    if (code >= 0 && ROBOT.hulls > 0)
        code = nsc_world_set_hulls(&host, ROBOT.hull, ROBOT.hulls);
    if (code >= 0)
        code = nsc_robot_add(&host, &ROBOT, base, body, joint);
    if (code < 0)
        return code;
    for (i = 0; i < host.shape_end; i++) {
        int kind = host.shapes[i].def.kind;
        contacts += kind == NSC_SHAPE_SPHERE ? 1 : kind == NSC_SHAPE_CAPSULE ? 2 : 4;
        if (kind == NSC_SHAPE_CYLINDER)
            N(CONVEX) = 1;
        N(MESHES) |= kind == NSC_SHAPE_MESH;
    }
    for (i = 0; i < ROBOT.hulls; i++)
        if (ROBOT.hull[i]->vertices > corners)
            corners = ROBOT.hull[i]->vertices;
    for (i = 0; i < host.joint_end; i++)
        joint_blocks += nsci_joint_blocks(&host.joints[i].def);
    if (N(BODIES) == UNASKED)
        N(BODIES) = 1; /* the ground */
    if (N(SHAPES) == UNASKED)
        N(SHAPES) = N(BODIES);
    if (N(CONTACTS) == UNASKED)
        N(CONTACTS) = 0;
    if (N(JOINT_BLOCKS) == UNASKED)
        N(JOINT_BLOCKS) = 3 * N(JOINTS);
    N(BODIES) += host.body_end - 1;
    N(SHAPES) += host.shape_end;
    N(CONTACTS) += contacts > 0 ? contacts : 1;
    N(JOINTS) += host.joint_end;
    N(JOINT_BLOCKS) += joint_blocks;
    if (corners > N(HULL_VERTICES))
        N(HULL_VERTICES) = corners;
    return 0;
}
#endif

/* The macro of a solver's scratch, in reals, as text and as a number */
static const char *arena_macro(void)
{
    static char tree[80];
    sprintf(tree, "NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, %ld)", N(WIDE));
    return solver == APGD ? "NSC_ARENA_APGD(3 * NSC_MAX_BLOCKS)"
           : solver == DANTZIG ? "NSC_ARENA_DANTZIG(3 * NSC_MAX_BLOCKS)"
           : solver == NEWTON || solver == AUTO ? "NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)"
           : solver == ADMM ? "NSC_ARENA_ADMM(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)"
           : solver == BB ? "NSC_ARENA_BB(3 * NSC_MAX_BLOCKS)"
           : solver == MINRES ? "NSC_ARENA_MINRES(3 * NSC_MAX_BLOCKS)"
           : solver == TREE ? tree : NULL;
}

static long arena(void)
{
    long bodies = N(BODIES), rows = 3 * blocks();
    if (N(ARENA) != UNASKED)
        return N(ARENA);
    return solver == APGD ? NSC_ARENA_APGD(rows)
           : solver == DANTZIG ? NSC_ARENA_DANTZIG(rows)
           : solver == NEWTON || solver == AUTO ? NSC_ARENA_NEWTON(bodies, rows)
           : solver == ADMM ? NSC_ARENA_ADMM(bodies, rows)
           : solver == BB ? NSC_ARENA_BB(rows)
           : solver == MINRES ? NSC_ARENA_MINRES(rows)
           : solver == TREE ? NSC_ARENA_TREE(bodies, rows, N(WIDE)) : 0;
}

/* ---- RAM.  Sizes of structures without pointers are this compiler's, for the parts that are off; what a part adds to one stands
   here.  All are of ints and reals of 4 bytes, and no structure is aligned to more. */

enum { INT = 4, REAL = 4, POINTER = 4, VEC3 = 12, QUAT = 16 };
static long at;    /* bytes so far */
static int tell;   /* print each member */

static void member(const char *name, long size, int align, long count)
{
    at = (at + align - 1) / align * align + size * count;
    if (tell && size * count > 0)
        printf("   %-28s %6ld * %6ld = %8ld\n", name, size, count, size * count);
}

static long whole(long size) { return (size + 3) / 4 * 4; }

static long body_size(void)
{
    return (long)sizeof(nsc_body) + (N(IMU) ? 2 * VEC3 : 0) + (N(STEPPERS) ? 12 * REAL : 0) + (N(LOCKS) ? INT + 2 * REAL : 0) +
           (N(WORDS) ? INT : 0) + (N(FAR_OUT) ? VEC3 : 0);
}

static long shape_size(void) { return (long)sizeof(nsc_shape) + (N(BELTS) ? VEC3 : 0) + (N(WORDS) ? INT : 0); }

static long contact_size(void)
{
    return (long)sizeof(nsc_contact) + (N(BELTS) ? VEC3 : 0) + (N(ROLLING) ? 2 * REAL + VEC3 : 0) +
           (N(SMOOTH) ? 3 * REAL + VEC3 + REAL + (N(ROLLING) ? VEC3 : 0) : 0) + (N(MANIFOLDS) > 254 ? 4 : 0);
}

static long start_size(void) { return (long)sizeof(nsci_start) + (N(FAR_OUT) ? VEC3 : 0); }
static long motion_size(void) { return start_size() + (N(IMU) ? 2 * VEC3 : 0) + (N(STEPPERS) ? 12 * REAL : 0); }
static long report_size(void) { return (long)sizeof(nsc_step_report) + (N(BARRIER) ? INT : 0) + (N(SECOND_LOOK) ? 3 * INT : 0); }
static int terrain(void) { return N(TERRAIN) || N(MESHES); }
static int convex(void) { return N(CONVEX) || N(HULL_VERTICES) || terrain() || N(BARRIER); }

/* Scratch of finding contacts, of the convex shapes and the strips in it */
static long convex_size(void)
{
    long most = N(HULL_VERTICES) > 9 ? N(HULL_VERTICES) : 9; /* corners of a face */
    return (N(BARRIER) ? INT : 0) + (long)sizeof(nsci_simplex) + 2 * VEC3 + 2 * (2 * INT + VEC3 + VEC3 * most + whole(most)) +
           (2 * most + 8) * (long)sizeof(nsci_spot) + 4 * (long)sizeof(nsci_point);
}

static long strips_size(void)
{
    long strips = 32;
    return whole(whole(2 * INT + 2 * REAL + N(SHAPES) + N(SHAPES) % 2 + 2 * strips) + REAL * strips + 2 * (N(SHAPES) + 2) +
                 2 * N(CONTACTS));
}

static long finding_size(void)
{
    long before = at, size;
    int told = tell;
    tell = 0, at = 0;
    member("points", (long)sizeof(nsci_point), 4, terrain() ? 16 : 4);
    member("convex", convex_size(), 4, convex());
    member("lost", INT, 4, 1);
    member("geoms", (long)offsetof(nsci_geom, radius) + REAL + POINTER, 4, N(SHAPES));
    member("boxes", (long)sizeof(nsci_aabb), 4, N(SHAPES));
    member("reach", REAL, 4, N(SHAPES));
    member("sweep", 2, 2, N(SHAPES));
    member("active", 1, 1, N(SHAPES));
    if (N(STRIPS))
        member("strips", strips_size(), 4, 1);
    member("order", 2, 2, N(CONTACTS));
    member("used", 1, 1, N(CONTACTS));
    member("calls", POINTER, 4, 1);
    size = at;
    at = before, tell = told;
    return size;
}

static void solving(void)
{
    member("blocks", (long)sizeof(nsc_block), 4, blocks());
    member("masses", (long)sizeof(nsc_mass), 4, N(BODIES));
    member("v_free, v of the problem", 2 * 6 * REAL, 4, N(BODIES));
    member("direction", 6 * REAL, 4, N(STEPPERS) ? N(BODIES) : 0);
    member("arena", REAL, 4, arena() > 0 ? arena() : 1);
    /* NSC_PARALLEL: 16 islands set aside: a problem of 10 pointers, 7 ints and a real, a report, 3 ints and an index */
    member("aside", 10 * POINTER + 7 * INT + REAL + (long)sizeof(nsc_report) + 4 * INT, 4, N(PARALLEL) ? NSCI_ASIDE : 0);
}

static long solving_size(void)
{
    long before = at, size;
    int told = tell;
    tell = 0, at = 0;
    solving();
    size = at;
    at = before, tell = told;
    return size;
}

/* sizeof(nsc_world), member by member; state: NSC_WORLD_STATE_SIZE */
static long world_size(long *state)
{
    int look = (int)N(SECOND_LOOK), holds = !N(NO_SUBSTEPS) || N(STEPPERS);
    at = 0;
    member("def", (long)sizeof(nsc_world_def) + (N(BARRIER) ? 2 * REAL : 0), 4, 1);
    member("counts, lengths of steps", INT, 4, 11);
    member("report", report_size(), 4, 1);
    member("bodies", body_size(), 4, N(BODIES));
    member("shapes", shape_size(), 4, N(SHAPES));
    member("tables", POINTER + INT, 4, (N(HULL_VERTICES) > 0) + N(TERRAIN) + N(MESHES));
    member("joints", (long)sizeof(nsc_joint), 4, N(JOINTS));
    member("springs", (long)sizeof(nsc_spring), 4, N(SPRINGS));
    member("events", (long)sizeof(nsc_event), 4, N(EVENTS));
    member("contacts", contact_size(), 4, N(CONTACTS));
    member("manifolds", (long)sizeof(nsci_manifold), 4, N(MANIFOLDS));
    *state = at;
    member("note, found_count", (long)sizeof(nsci_why) + INT, 4, 1);
    member("report_before", report_size(), 4, 1);
    member("found", contact_size(), 4, N(CONTACTS));
    member("counts of links", INT, 4, 5);
    member("links", (long)sizeof(nsci_link), 2, N(JOINTS) + N(SPRINGS) + N(ROWS) + N(CONTACTS));
    member("v_free", 6 * REAL, 4, N(BODIES));
    member("islands", (long)sizeof(nsc_island), 4, N(NO_ISLANDS) ? 1 : N(BODIES));
    member("island, members", 2 * 2, 2, N(BODIES));
    member("first_joint", 2, 2, N(JOINTS) ? N(BODIES) : 0);
    member("next_joint", 2 * 2, 2, N(JOINTS));
    member("gap_before", REAL, 4, holds ? N(CONTACTS) : 0);
    member("before", motion_size(), 4, holds ? N(BODIES) : 0);
    member("abrupt", INT, 4, N(STEPPERS));
    member("start", start_size(), 4, N(STEPPERS) ? N(BODIES) : 0);
    if (N(FORCES)) {
        member("counts of forces", INT, 4, 2);
        member("given_to", 2, 2, N(FORCES));
        member("given", (long)sizeof(nsc_force), 4, N(FORCES));
    }
    member("pressed", 2, 2, N(CONTACTS));
    member("rolling_count", INT, 4, 1);
    member("joint_sum", 3 * REAL, 4, N(JOINTS) ? N(JOINT_BLOCKS) : 0);
    member("spring_sum", VEC3, 4, N(SPRINGS));
    member("row_sum, row_error", 2 * 3 * REAL, 4, N(ROWS));
    if (N(BARRIER)) {
        member("casting, share, left, led", INT, 4, 4);
        member("path", VEC3 + QUAT, 4, N(BODIES));
        member("push_count", INT, 4, 1);
        member("pushes", 3 * INT + REAL, 4, N(CONTACTS));
    }
    if (look) {
        member("stood", start_size(), 4, N(BODIES));
        member("kept", finding_size(), 4, 1);
        member("regular", INT, 4, 1);
        member("touched", 1, 1, N(BODIES));
    }
    member("inner, outer", 2 * 2, 2, N(BODIES));
    if (N(BARRIER))
        member("scratch of finding", finding_size(), 4, 1);
    if (N(BARRIER) || solving_size() >= finding_size())
        at = whole(at), solving();
    else
        member("scratch of finding", finding_size(), 4, 1);
    return whole(at);
}

/* ---- flash, stack and instructions: of budgets.txt */

/* The number of the line that begins so; -1: there is none, or the budgets are not there */
static long budget(const char *format, const char *what)
{
    char line[200], key[200];
    long number = -1;
    FILE *f = fopen(budgets, "r");
    if (!f)
        return -1;
    sprintf(key, format, target, what);
    while (number < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0 && line[strlen(key)] == ' ')
            number = strtol(line + strlen(key), NULL, 10);
    fclose(f);
    return number;
}

static char unmeasured[400]; /* parts without a budget */

/* The sum and a budget more, or the name of what has none */
static long more(long sum, long bytes, const char *name)
{
    if (bytes >= 0)
        return sum + bytes;
    if (strlen(unmeasured) + strlen(name) + 2 < sizeof unmeasured) {
        strcat(unmeasured, " ");
        strcat(unmeasured, name);
    }
    return sum;
}

/* Of a whole program, at -Os: its least and each part beside it.  Where no whole program was measured, of all functions of the
   core, called or not. */
static long flash(void)
{
    static const char *const code[] = {"", "APGD", "DANTZIG", "NEWTON", "ADMM", "BB", "MINRES", "TREE", "AUTO"};
    long bytes, most = 0, of_blocks = budget("size part %s -Os %s", "blocks"), sum = budget("size flash %s -Os %s", "sipgs");
    int i;
    unmeasured[0] = 0;
    if (sum < 0)
        sum = more(more(0, budget("size code %s -Os %s", "world"), "core"), budget("size code %s -Os %s", "SIPGS"), "sipgs");
    if (!N(NO_ISLANDS))
        sum = more(sum, budget("size part %s -Os %s", "islands"), "islands");
    if (!N(NO_SUBSTEPS))
        sum = more(sum, budget("size part %s -Os %s", "substeps"), "substeps");
    if (!N(ONLY_CONTACTS))
        sum = more(sum, of_blocks, "blocks");
    for (i = 0; i < ASKED; i++) {
        if (!ask[i].part || N(i) == 0)
            continue;
        bytes = budget("size part %s -Os %s", ask[i].part);
        if ((i == JOINTS || i == ROLLING || i == SPRINGS || i == ROWS || i == FORCES) && bytes >= 0 && of_blocks >= 0)
            bytes -= of_blocks; /* each was measured with them */
        if (bytes >= 0 && (i == CONVEX || i == HULL_VERTICES || i == TERRAIN || i == MESHES)) { /* these share most */
            bytes = bytes > most ? bytes - most : 0;
            most += bytes;
        }
        sum = more(sum, bytes, ask[i].part);
    }
    return solver == SIPGS ? sum : more(sum, budget("size code %s -Os %s", code[solver]), solvers[solver]);
}

/* Deepest of a step and of what sets a world up, at -Os: those of the least measured configuration that has all that is asked */
static void stack(long *step, long *setup)
{
    const char *of = solver == SIPGS && N(ONLY_CONTACTS) ? "sipgs" : "default";
    int i;
    const char *const calls[3] = {"nsc_world_add_shape", "nsc_world_add_body", "nsc_world_add_joint"};
    char key[80];
    if (solver != SIPGS)
        of = "all";
    for (i = EVENTS; i < ONLY_CONTACTS; i++)
        if (i != ARENA && i != JOINT_BLOCKS && N(i) > 0)
            of = "all";
    sprintf(key, "%s nsc_world_step", of);
    *step = budget("size stack %s -Os,%s", key);
    *setup = 0;
    for (i = 0; i < 2 + (N(JOINTS) > 0); i++) {
        sprintf(key, "%s %s", of, calls[i]);
        if (budget("size stack %s -Os,%s", key) > *setup)
            *setup = budget("size stack %s -Os,%s", key);
    }
}

/* Typical: all contacts pressed and all blocks there.  Of a contact and of a joint's block: what a scene took, less its sweeps. */
static long typical(void)
{
    const long contacts = 40, sweeps = 20, joint_blocks = 36; /* of those scenes */
    long stack_of_ten = budget("count step %s -O2 %s", "stack_of_ten_SIPGS"), contact = budget("count per_visit %s -O2 %s", "stack_of_ten_SIPGS_long");
    long quadruped = budget("count step %s -O2 %s", "quadruped_afloat"), joint = budget("count per_visit %s -O2 %s", "quadruped_afloat_long");
    if (stack_of_ten < 0 || contact < 0 || quadruped < 0 || joint < 0)
        return -1;
    return N(SUBSTEPS) * (N(CONTACTS) * (stack_of_ten / contacts - sweeps * contact + N(SWEEPS) * contact) +
                          N(JOINT_BLOCKS) * (quadruped / joint_blocks - sweeps * joint + N(SWEEPS) * joint));
}

/* The macros of nsc_bound.h, for what is asked */
#undef NSC_MAX_BODIES
#undef NSC_MAX_SHAPES
#undef NSC_MAX_CONTACTS
#undef NSC_MAX_JOINTS
#undef NSC_MAX_JOINT_BLOCKS
#undef NSC_MAX_ROLLING
#undef NSC_MAX_SPRINGS
#undef NSC_MAX_ROWS
#undef NSC_MAX_FORCES
#define NSC_MAX_BODIES N(BODIES)
#define NSC_MAX_SHAPES N(SHAPES)
#define NSC_MAX_CONTACTS N(CONTACTS)
#define NSC_MAX_JOINTS N(JOINTS)
#define NSC_MAX_JOINT_BLOCKS N(JOINT_BLOCKS)
#define NSC_MAX_ROLLING N(ROLLING)
#define NSC_MAX_SPRINGS N(SPRINGS)
#define NSC_MAX_ROWS N(ROWS)
#define NSC_MAX_FORCES N(FORCES)

static long bound(void) /* -1: nsc_bound.h has none for this */
{
    if (strcmp(target, "m4f") != 0 || convex() || N(SMOOTH) || N(ROLLING) || N(SPRINGS) || N(ROWS) || N(FORCES) || N(SECOND_LOOK) ||
        N(SEAMS) || N(SHAPES) >= 64 || N(BODIES) > 80)
        return -1;
    if (solver == SIPGS)
        return NSC_BOUND_INSTRUCTIONS(N(SWEEPS), N(SUBSTEPS), N(BOUNCES));
    if (solver == NEWTON || solver == AUTO)
        return NSC_BOUND_INSTRUCTIONS_BY(solver == AUTO ? NSC_SOLVER_AUTO : NSC_SOLVER_NEWTON, N(SWEEPS), NSC_WORLD_FACTORIZATIONS,
                                         N(SUBSTEPS), N(BOUNCES));
    return -1;
}

/* ---- the header */

/* What nsc.h refuses; NULL: nothing */
static const char *refused(void)
{
    long others = N(JOINTS) + N(ROLLING) + N(SPRINGS) + N(ROWS) + N(FORCES);
    return N(BODIES) < 1 || N(BODIES) > 16383 ? "bodies 1..16383, the ground is one"
           : N(SHAPES) < 1 || N(SHAPES) > 16383 ? "shapes 1..16383"
           : N(CONTACTS) < 1 || N(CONTACTS) > 10000 ? "contacts 1..10000"
           : N(MANIFOLDS) > 10000 ? "manifolds 0..10000"
           : N(JOINTS) > 5000 ? "joints 0..5000"
           : N(ROLLING) > N(CONTACTS) ? "rolling: at most contacts"
           : N(SPRINGS) > 10000 || N(ROWS) > 10000 ? "springs and rows 0..10000"
           : N(FORCES) > N(BODIES) ? "forces: at most bodies"
           : N(HULL_VERTICES) && (N(HULL_VERTICES) < 4 || N(HULL_VERTICES) > 42) ? "hulls: corners, 4..42 or 0"
           : blocks() >= 65535 ? "fewer blocks: contacts, joint_blocks and others together below 65535"
           : N(ONLY_CONTACTS) && (others > 0 || N(BARRIER)) ? "only_contacts: no joints, rolling, springs, rows, forces, barrier"
           : N(BARRIER) && (!N(SMOOTH) || !N(STEPPERS)) ? "barrier: with smooth and steppers"
           : N(SUBSTEPS) < 1 || N(SUBSTEPS) > (N(NO_SUBSTEPS) ? 1 : 64) ? "substeps 1..64, without no_substeps"
           : N(SWEEPS) < 1 ? "sweeps: 1 or more" : NULL;
}

static void print_number(const char *what, long number, const char *why)
{
    if (number >= 0)
        printf("   %-28s %ld\n", what, number);
    else
        printf("   %-28s unknown: %s\n", what, why);
}

int main(int count, char **word)
{
    long size, state, step, setup;
    const char *what;
    int i;
    if (count < 2)
        return usage(NULL);
    for (i = 1; i < count; i++)
        if (!take(word[i]))
            return usage(word[i]);
#ifdef TABLE
    i = add_robot();
    if (i < 0)
        return fprintf(stderr, "size: the robot is refused: %s\n", nsc_error_text(i)), 1;
#endif
    if (N(BODIES) == UNASKED)
        N(BODIES) = 16;
    if (N(SHAPES) == UNASKED)
        N(SHAPES) = N(BODIES);
    if (N(CONTACTS) == UNASKED)
        N(CONTACTS) = 64;
    if (N(MANIFOLDS) == UNASKED)
        N(MANIFOLDS) = N(CONTACTS) / 2;
    if (N(JOINT_BLOCKS) == UNASKED)
        N(JOINT_BLOCKS) = 3 * N(JOINTS);
    what = refused();
    if (what)
        return fprintf(stderr, "size: %s\n", what), 1;

    size = world_size(&state);
    printf("/* Written by size.c.\n");
    printf("   RAM of a world, float        %ld bytes, of which %ld are its state:\n", size, state);
    tell = 1;
    world_size(&state);
    tell = 0;
    print_number("flash, about", flash(), "no budgets");
    if (unmeasured[0])
        printf("   and what is not measured:   %s\n", unmeasured);
    stack(&step, &setup);
    print_number("stack of a step, at most", step, "not measured on this target");
    print_number("stack of setting up, at most", setup > 0 ? setup : -1, "not measured on this target");
    print_number("instructions of a step, about", solver == SIPGS && strcmp(target, "m4f") == 0 ? typical() : -1,
                 "measured on m4f, by SIPGS");
    print_number("instructions of a step, bound", bound(), "see nsc_bound.h");
    printf("   with %ld sweeps, sub-steps %ld; of GCC 12.2, flash and stack at -Os, instructions at -O2 */\n", N(SWEEPS), N(SUBSTEPS));
    for (i = 0; i < ASKED; i++) {
        int given = i <= CONTACTS || i == MANIFOLDS || (i == JOINT_BLOCKS && N(JOINTS) > 0) || N(i) > 0;
        if (!ask[i].macro || !given || i == ARENA)
            continue;
        if (i >= ONLY_CONTACTS)
            printf("#define %s\n", ask[i].macro);
        else if (i != JOINT_BLOCKS || N(JOINTS) > 0 || N(JOINT_BLOCKS) > 0)
            printf("#define %s %ld\n", ask[i].macro, N(i));
    }
    if (N(ARENA) != UNASKED)
        printf("#define NSC_ARENA %ld\n", N(ARENA));
    else if (arena_macro())
        printf("#define NSC_ARENA %s\n", arena_macro());
    return 0;
}
