/* What a world costs before it is compiled: the capacities as a header, RAM to the byte, flash,
   stack, instructions of a step.  For a host; make config builds and runs it:

       make config ASK="bodies=8 contacts=16 joints=6 imu no_islands" > my_config.h
           then -DNSC_CONFIG_H='"my_config.h"' for each file that includes nsc.h
       make config TABLE=dog.h ROBOT=dog ASK="solver=tree wide=12"
           the least for a table of robot.py; what is asked for is beside the robot

   Without arguments it names all that can be asked.  Where it cannot say a thing it says so.

   RAM is sizeof(nsc_world) of a 32-bit target in float, from the members of struct nsc_world one by
   one; tests/targets/config.sh compares it with a compiler for Cortex-M4F.  Flash, stack and
   typical instructions come from tests/targets/budgets.txt (budgets=FILE: from another), which was
   measured with GCC 12.2; flash is of a whole program, without what else yours does.  Typical
   instructions are of SIPGS with pressed=NUMBER contacts that carry a load, by default all that
   there is room for, in bodies at rest, and with all joints; a heap that falls, of 64 contacts,
   takes twice as many (make bound).  The bound is that of nsc_bound.h.

   cc -std=c99 -O2 -I../.. -I. size.c -o size -lm      with a table: -DTABLE='"dog.h"' -DROBOT=dog */
#ifdef TABLE /* a world on this host that takes any robot, to count what it needs */
#define NSC_MAX_BODIES 400
#define NSC_MAX_SHAPES 800
#define NSC_MAX_JOINTS 400
#define NSC_HULL_VERTICES 42
#define NSC_IMPLEMENTATION
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
    BODIES, SHAPES, CONTACTS, MANIFOLDS, EVENTS, JOINTS, JOINT_BLOCKS, ROLLING, SPRINGS, ROWS,
    FORCES, HULL_VERTICES, ARENA, JOINT_AXES,
    CONVEX, TERRAIN, MESHES, SMOOTH, STEPPERS, BARRIER, SEAMS, FAR_OUT, LOCKS, BELTS, STRIPS,
    WORDS, IMU, SECOND_LOOK, PARALLEL, SHORT_BLOCKS,
    ONLY_CONTACTS, NO_ISLANDS, NO_SUBSTEPS, NO_TEXTS,
    SWEEPS, SUBSTEPS, BOUNCES, WIDE, PRESSED,
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
    {"joint_axes=", "NSC_JOINT_AXES", UNASKED, NULL},
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
    {"short_blocks", "NSC_SHORT_BLOCKS", 0, "short"},
    {"only_contacts", "NSC_ONLY_CONTACTS", 0, NULL},
    {"no_islands", "NSC_NO_ISLANDS", 0, NULL},
    {"no_substeps", "NSC_NO_SUBSTEPS", 0, NULL},
    {"no_texts", "NSC_NO_TEXTS", 0, NULL},
    {"sweeps=", NULL, 20, NULL},
    {"substeps=", NULL, 1, NULL},
    {"bounces", NULL, 0, NULL},
    {"wide=", NULL, 24, NULL},
    {"pressed=", NULL, UNASKED, NULL},
};
#define N(which) (ask[which].value)

static const char *const solvers[] = {"sipgs", "apgd",   "dantzig", "newton", "admm",
                                      "bb",    "minres", "tree",    "auto",   NULL};
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

static int take_solver(const char *name)
{
    for (solver = SIPGS; solvers[solver]; solver++)
        if (strcmp(name, solvers[solver]) == 0)
            return 1;
    return 0;
}

static int take_target(const char *name)
{
    target = name;
    return strcmp(name, "m4f") == 0 || strcmp(name, "m0plus") == 0 || strcmp(name, "rv32imc") == 0;
}

/* An argument: 1, or 0: it is none */
static int take(const char *word)
{
    int i;
    if (strncmp(word, "solver=", 7) == 0)
        return take_solver(word + 7);
    if (strncmp(word, "target=", 7) == 0)
        return take_target(word + 7);
    if (strncmp(word, "budgets=", 8) == 0) {
        budgets = word + 8;
        return 1;
    }
    for (i = 0; i < ASKED; i++) {
        size_t length = strlen(ask[i].name);
        char *end;
        if (strcmp(word, ask[i].name) == 0 && word[length - 1] != '=') {
            ask[i].value = 1;
            return 1;
        }
        if (strncmp(word, ask[i].name, length) != 0 || word[length - 1] != '=')
            continue;
        ask[i].value = strtol(word + length, &end, 10);
        return word[length] != 0 && *end == 0 && N(i) >= 0 && N(i) <= 1000000;
    }
    return 0;
}

static void otherwise(int which, long value)
{
    if (N(which) == UNASKED)
        N(which) = value;
}

static long blocks(void)
{
    return N(CONTACTS) + N(JOINT_BLOCKS) + N(ROLLING) + N(SPRINGS) + N(ROWS) + 2 * N(FORCES);
}

/* sizeof(nsci_index) */
static int index_size(void)
{
    int few = blocks() + N(JOINTS) <= 254 && N(BODIES) <= 254 && N(SHAPES) <= 254;
    return blocks() > 65534 ? 4 : few ? 1 : 2;
}

#ifdef TABLE
static nsc_world host;

/* What the robot needs is added to what is asked.  Contacts: of each of its shapes on a plane. */
static int add_robot(void)
{
    static nsc_id body[NSC_MAX_BODIES], joint[NSC_MAX_JOINTS];
    nsc_world_def def = nsc_default_world_def();
    nsc_pose base = {{0, 0, 0}, {1, 0, 0, 0}};
    long contacts = 0, joint_blocks = 0, corners = 0, axes = 1;
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
    for (i = 0; i < host.joint_end; i++) {
        joint_blocks += nsci_joint_blocks(&host.joints[i].def);
        while (axes < 3 && nsci_axis(host.joints[i].def.kind, (int)axes) != 0)
            axes++;
    }
    otherwise(BODIES, 1); /* the ground */
    otherwise(SHAPES, N(BODIES));
    otherwise(CONTACTS, 0);
    otherwise(JOINT_BLOCKS, 3 * N(JOINTS));
    N(BODIES) += host.body_end - 1;
    N(SHAPES) += host.shape_end;
    N(CONTACTS) += contacts > 0 ? contacts : 1;
    N(JOINTS) += host.joint_end;
    N(JOINT_BLOCKS) += joint_blocks;
    otherwise(JOINT_AXES, axes);
    if (axes > N(JOINT_AXES))
        N(JOINT_AXES) = axes;
    if (corners > N(HULL_VERTICES))
        N(HULL_VERTICES) = corners;
    return 0;
}
#endif

/* A solver's scratch in reals: the macro, and what it gives for what is asked */
static const char *arena_macro(void)
{
    static char tree[80];
    sprintf(tree, "NSC_ARENA_TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, %ld)", N(WIDE));
    switch (solver) {
    case APGD: return "NSC_ARENA_APGD(3 * NSC_MAX_BLOCKS)";
    case DANTZIG: return "NSC_ARENA_DANTZIG(3 * NSC_MAX_BLOCKS)";
    case NEWTON:
    case AUTO: return "NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)";
    case ADMM: return "NSC_ARENA_ADMM(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS)";
    case BB: return "NSC_ARENA_BB(3 * NSC_MAX_BLOCKS)";
    case MINRES: return "NSC_ARENA_MINRES(3 * NSC_MAX_BLOCKS)";
    case TREE: return tree;
    default: return NULL;
    }
}

static long arena(void)
{
    long bodies = N(BODIES), rows = 3 * blocks();
    if (N(ARENA) != UNASKED)
        return N(ARENA);
    switch (solver) {
    case APGD: return NSC_ARENA_APGD(rows);
    case DANTZIG: return NSC_ARENA_DANTZIG(rows);
    case NEWTON:
    case AUTO: return NSC_ARENA_NEWTON(bodies, rows);
    case ADMM: return NSC_ARENA_ADMM(bodies, rows);
    case BB: return NSC_ARENA_BB(rows);
    case MINRES: return NSC_ARENA_MINRES(rows);
    case TREE: return NSC_ARENA_TREE(bodies, rows, N(WIDE));
    default: return 0;
    }
}

/* ---- RAM.  Sizes of structures without pointers are this compiler's, for the parts that are off;
   what a part adds to one stands here.  Their members are ints and reals of 4 bytes, and none is
   aligned to more. */

enum { INT = 4, REAL = 4, POINTER = 4, VEC3 = 12, QUAT = 16 };
static long at;  /* bytes so far */
static int tell; /* 1: print each member */

/* `count` members of `size` bytes, aligned to `align`; what is not there aligns nothing */
static void member(const char *name, long size, int align, long count)
{
    if (count == 0)
        return;
    at = (at + align - 1) / align * align + size * count;
    if (tell)
        printf("   %-28s %6ld * %6ld = %8ld\n", name, size, count, size * count);
}

/* An array of nsci_index */
static void indices(const char *name, long count)
{
    member(name, index_size(), index_size(), count);
}

static long whole(long size) { return (size + 3) / 4 * 4; }

/* Bytes that a part or capacity adds, if it is there */
static long with(int which, long bytes) { return N(which) > 0 ? bytes : 0; }

static long body_size(void)
{
    return (long)sizeof(nsc_body) + with(IMU, 2 * VEC3) + with(STEPPERS, 12 * REAL) +
           with(LOCKS, INT + 2 * REAL) + with(WORDS, INT) + with(FAR_OUT, VEC3);
}

static long shape_size(void)
{
    return (long)sizeof(nsc_shape) + with(BELTS, VEC3) + with(WORDS, INT);
}

static long contact_size(void)
{
    return (long)sizeof(nsc_contact) + with(BELTS, VEC3) + with(ROLLING, 2 * REAL + VEC3) +
           with(SMOOTH, 4 * REAL + VEC3 + with(ROLLING, VEC3)) + (N(MANIFOLDS) > 254 ? 4 : 0);
}

/* Of an axis: its definition, four impulses, an angle, and its turns, of which a joint has two at
   least */
static long joint_size(void)
{
    long less = 3 - N(JOINT_AXES);
    return (long)sizeof(nsc_joint) - less * ((long)sizeof(nsc_axis_def) + 5 * REAL) -
           (less > 0 ? INT : 0);
}

static long block_size(void)
{
    return (long)sizeof(nsc_block) - (N(SHORT_BLOCKS) ? 29 * REAL : 0);
}

static long start_size(void) { return (long)sizeof(nsci_start) + with(FAR_OUT, VEC3); }

static long motion_size(void)
{
    return start_size() + with(IMU, 2 * VEC3) + with(STEPPERS, 12 * REAL);
}

static long report_size(void)
{
    return (long)sizeof(nsc_step_report) + with(BARRIER, INT) + with(SECOND_LOOK, 3 * INT);
}

static int terrain(void) { return N(TERRAIN) || N(MESHES); }
static int convex(void) { return N(CONVEX) || N(HULL_VERTICES) || terrain() || N(BARRIER); }

/* Scratch of finding contacts, of the convex shapes and the strips in it */
static long convex_size(void)
{
    long most = N(HULL_VERTICES) > 9 ? N(HULL_VERTICES) : 9; /* corners of a face */
    long patch = 2 * INT + VEC3 + VEC3 * most + whole(most);
    long clip = 2 * patch + (2 * most + 8) * (long)sizeof(nsci_spot) + 4 * (long)sizeof(nsci_point);
    long growth = (long)sizeof(nsci_growth);
    return with(BARRIER, INT) + (long)sizeof(nsci_simplex) + 2 * VEC3 + (clip > growth ? clip : growth);
}

static long strips_size(void)
{
    long strips = 32, shapes = N(SHAPES), end = shapes + shapes % 2;
    return whole(whole(2 * INT + 2 * REAL + end + 2 * strips) + REAL * strips + index_size() * (shapes + 2 + N(CONTACTS)));
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
    indices("sweep", N(SHAPES));
    member("active", 1, 1, N(SHAPES));
    if (N(STRIPS))
        member("strips", strips_size(), 4, 1);
    indices("order", N(CONTACTS));
    member("used", 1, 1, N(CONTACTS));
    member("calls", POINTER, 4, 1);
    size = at;
    at = before, tell = told;
    return size;
}

static void solving(void)
{
    member("blocks", block_size(), 4, blocks());
    member("masses", (long)sizeof(nsc_mass), 4, N(BODIES));
    member("v_free, v of the problem", 2 * 6 * REAL, 4, N(BODIES));
    member("direction", 6 * REAL, 4, with(STEPPERS, N(BODIES)));
    member("arena", REAL, 4, arena() > 0 ? arena() : 1);
    /* 16 islands set aside (NSCI_ASIDE of nsc_cores.h): a problem of 10 pointers, 8 ints and a real,
       a report, 3 ints, an index */
    member("aside", 10 * POINTER + 8 * INT + REAL + (long)sizeof(nsc_report) + 4 * INT, 4,
           with(PARALLEL, 16));
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
    int holds = !N(NO_SUBSTEPS) || N(STEPPERS), index = index_size();
    at = 0;
    member("def", (long)sizeof(nsc_world_def) + with(BARRIER, 2 * REAL), 4, 1);
    member("counts, lengths of steps", INT, 4, 13);
    member("report", report_size(), 4, 1);
    member("bodies", body_size(), 4, N(BODIES));
    member("shapes", shape_size(), 4, N(SHAPES));
    member("tables", POINTER + INT, 4, (N(HULL_VERTICES) > 0) + N(TERRAIN) + N(MESHES));
    member("joints", joint_size(), 4, N(JOINTS));
    member("springs", (long)sizeof(nsc_spring), 4, N(SPRINGS));
    member("events", (long)sizeof(nsc_event), 4, N(EVENTS));
    member("contacts", contact_size(), 4, N(CONTACTS));
    member("manifolds", (long)sizeof(nsci_manifold), 4, N(MANIFOLDS));
    *state = at;
    member("note, found_count", (long)sizeof(nsci_why) + INT, 4, 1);
    member("report_before", report_size(), 4, 1);
    member("found", contact_size(), 4, N(CONTACTS));
    member("counts of links", INT, 4, 5);
    member("links", (index == 4 ? 4 : 2) + 5 * index, index,
           N(JOINTS) + N(SPRINGS) + N(ROWS) + N(CONTACTS));
    member("v_free", 6 * REAL, 4, N(BODIES));
    member("islands", whole(10 * index + 4) + INT + REAL, 4, N(NO_ISLANDS) ? 1 : N(BODIES));
    indices("island, members", 2 * N(BODIES));
    indices("first_joint", with(JOINTS, N(BODIES)));
    indices("next_joint", 2 * N(JOINTS));
    member("gap_before", REAL, 4, holds ? N(CONTACTS) : 0);
    member("before", motion_size(), 4, holds ? N(BODIES) : 0);
    member("abrupt", INT, 4, N(STEPPERS));
    member("start", start_size(), 4, with(STEPPERS, N(BODIES)));
    if (N(FORCES)) {
        member("counts of forces", INT, 4, 2);
        member("given_to", 2, 2, N(FORCES));
        member("given", (long)sizeof(nsc_force), 4, N(FORCES));
    }
    indices("pressed", N(CONTACTS));
    member("rolling_count", INT, 4, 1);
    member("joint_sum", 3 * REAL, 4, holds || N(SECOND_LOOK) ? with(JOINTS, N(JOINT_BLOCKS)) : 0);
    member("joint_push", 2 * VEC3, 4, holds || N(SECOND_LOOK) ? N(JOINTS) : 0);
    member("spring_sum", VEC3, 4, N(SPRINGS));
    member("row_sum, row_error", 2 * 3 * REAL, 4, N(ROWS));
    if (N(BARRIER)) {
        member("casting, share, left, led", INT, 4, 4);
        member("path", VEC3 + QUAT, 4, N(BODIES));
        member("push_count", INT, 4, 1);
        member("pushes", 3 * INT + 2 * REAL, 4, N(CONTACTS));
    }
    if (N(SECOND_LOOK)) {
        member("stood", start_size(), 4, N(BODIES));
        member("kept", finding_size(), 4, 1);
        member("regular", INT, 4, 1);
        member("touched", 1, 1, N(BODIES));
    }
    indices("inner, outer", 2 * N(BODIES));
    if (N(BARRIER))
        member("scratch of finding", finding_size(), 4, 1);
    if (N(BARRIER) || solving_size() >= finding_size())
        solving();
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

static int needs_blocks(int i)
{
    return i == JOINTS || i == ROLLING || i == SPRINGS || i == ROWS || i == FORCES;
}

static int has_general_shapes(int i)
{
    return i == CONVEX || i == HULL_VERTICES || i == TERRAIN || i == MESHES;
}

/* Of a whole program, at -Os: its least and each part beside it.  Where no whole program was
   measured, of all functions of the core, called or not. */
static long flash(void)
{
    static const char *const code[] = {"",   "APGD",   "DANTZIG", "NEWTON", "ADMM",
                                       "BB", "MINRES", "TREE",    "AUTO"};
    const char *part = "size part %s -Os %s", *functions = "size code %s -Os %s";
    long of_blocks = budget(part, "blocks"), sum = budget("size flash %s -Os %s", "sipgs");
    long bytes, most = 0;
    int i;
    unmeasured[0] = 0;
    if (sum < 0 && budget(functions, "world") < 0)
        return -1;
    if (sum < 0)
        sum = budget(functions, "world") + budget(functions, "SIPGS");
    if (!N(NO_ISLANDS))
        sum = more(sum, budget(part, "islands"), "islands");
    if (!N(NO_SUBSTEPS))
        sum = more(sum, budget(part, "substeps"), "substeps");
    if (!N(ONLY_CONTACTS))
        sum = more(sum, of_blocks, "blocks");
    for (i = 0; i < ASKED; i++) {
        if (!ask[i].part || N(i) == 0)
            continue;
        bytes = budget(part, ask[i].part);
        if (bytes >= 0 && of_blocks >= 0 && needs_blocks(i)) /* it was measured with them */
            bytes -= of_blocks;
        if (bytes >= 0 && has_general_shapes(i)) { /* these share most */
            bytes = bytes > most ? bytes - most : 0;
            most += bytes;
        }
        sum = more(sum, bytes, ask[i].part);
    }
    if (solver == SIPGS)
        return sum;
    if (solver == AUTO)
        sum = more(sum, budget(functions, "NEWTON"), "newton");
    return more(sum, budget(functions, code[solver]), solvers[solver]);
}

/* What is in the configurations of budgets.txt that have parts, by the stack of a step: these begin
   with the core as it comes, and joints are asked for on their own. */
enum { BARE, LITTLE, GENERAL, MOST };

static int stack_class(int i)
{
    switch (i) {
    case JOINTS:
    case JOINT_BLOCKS:
    case JOINT_AXES:
    case ARENA:
    case SHORT_BLOCKS: return BARE;
    case EVENTS:
    case ROLLING:
    case SPRINGS:
    case ROWS:
    case FORCES:
    case SMOOTH:
    case FAR_OUT:
    case LOCKS:
    case BELTS:
    case WORDS:
    case IMU: return LITTLE;
    case CONVEX:
    case HULL_VERTICES: return GENERAL;
    default: return MOST;
    }
}

/* Deepest of a step and of what adds, at -Os: those of the least measured configuration that has
   all that is asked */
static void stack(long *step, long *setup)
{
    static const char *const calls[] = {"nsc_world_add_shape", "nsc_world_add_body",
                                        "nsc_world_add_joint"};
    const char *bare = N(ONLY_CONTACTS) ? "sipgs" : N(JOINTS) > 0 ? "joints" : "default";
    const char *of[] = {NULL, N(JOINTS) > 0 ? "parts,joints" : "parts", "convex", "all"};
    int i, kind = solver == SIPGS ? BARE : MOST;
    char key[80];
    of[BARE] = bare;
    for (i = EVENTS; i < ONLY_CONTACTS; i++)
        if (N(i) > 0 && stack_class(i) > kind)
            kind = stack_class(i);
    sprintf(key, "%s nsc_world_step", of[kind]);
    *step = budget("size stack %s -Os,%s", key);
    *setup = -1;
    for (i = 0; i < 2 + (N(JOINTS) > 0); i++) {
        long deep;
        sprintf(key, "%s %s", of[kind], calls[i]);
        deep = budget("size stack %s -Os,%s", key);
        if (deep > *setup)
            *setup = deep;
    }
}

/* SIPGS with so many contacts pressed, bodies at rest, and all blocks of joints there.  Of a contact and of a joint's block: what
   a scene took for each, its sweeps replaced by those asked for. */
static long typical(void)
{
    const long contacts = 40, joint_blocks = 36, sweeps = 20; /* of these scenes */
    long heap = budget("count step %s -O2 %s", "stack_of_ten_SIPGS");
    long contact_visit = budget("count per_visit %s -O2 %s", "stack_of_ten_SIPGS_long");
    long robot = budget("count step %s -O2 %s", "quadruped_afloat");
    long joint_visit = budget("count per_visit %s -O2 %s", "quadruped_afloat_long");
    long more_sweeps = N(SWEEPS) - sweeps;
    if (solver != SIPGS || heap < 0 || contact_visit < 0 || robot < 0 || joint_visit < 0)
        return -1;
    return N(SUBSTEPS) * (N(PRESSED) * (heap / contacts + more_sweeps * contact_visit) +
                          N(JOINT_BLOCKS) * (robot / joint_blocks + more_sweeps * joint_visit));
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
    int by = solver == AUTO ? NSC_SOLVER_AUTO : NSC_SOLVER_NEWTON;
    if (strcmp(target, "m4f") != 0 || convex() || N(SHAPES) >= 64 || N(BODIES) > 80 ||
        N(ROLLING) + N(SPRINGS) + N(ROWS) + N(FORCES) + N(SMOOTH) + N(SECOND_LOOK) + N(SEAMS) > 0)
        return -1;
    if (solver == SIPGS)
        return NSC_BOUND_INSTRUCTIONS(N(SWEEPS), N(SUBSTEPS), N(BOUNCES));
    if (solver == NEWTON || solver == AUTO)
        return NSC_BOUND_INSTRUCTIONS_BY(by, N(SWEEPS), NSC_WORLD_FACTORIZATIONS, N(SUBSTEPS),
                                         N(BOUNCES));
    return -1;
}

/* ---- the header */

/* What nsc.h refuses; NULL: nothing */
static const char *refused(void)
{
    long others = N(JOINTS) + N(ROLLING) + N(SPRINGS) + N(ROWS) + N(FORCES) + N(BARRIER);
    double rows = 3.0 * (double)blocks(), bodies = (double)N(BODIES);
    int is_dense = solver == NEWTON || solver == AUTO || solver == ADMM;
    if (N(BODIES) < 1 || N(BODIES) > 16383)
        return "bodies 1..16383, the ground is one";
    if (N(SHAPES) < 1 || N(SHAPES) > 16383)
        return "shapes 1..16383";
    if (N(CONTACTS) < 1 || N(CONTACTS) > 10000)
        return "contacts 1..10000";
    if (N(MANIFOLDS) > 10000)
        return "manifolds 0..10000";
    if (N(JOINTS) > 5000)
        return "joints 0..5000";
    if (N(JOINT_AXES) < 1 || N(JOINT_AXES) > 3)
        return "joint_axes 1..3";
    if (N(ROLLING) > N(CONTACTS))
        return "rolling: at most contacts";
    if (N(PRESSED) > N(CONTACTS))
        return "pressed: at most contacts";
    if (N(SPRINGS) > 10000 || N(ROWS) > 10000)
        return "springs and rows 0..10000";
    if (N(FORCES) > N(BODIES))
        return "forces: at most bodies";
    if (N(HULL_VERTICES) && (N(HULL_VERTICES) < 4 || N(HULL_VERTICES) > 42))
        return "hulls: corners, 4..42 or 0";
    if (blocks() >= 65535)
        return "contacts, joint_blocks, rolling, springs, rows, twice forces: in all below 65535";
    if (N(ONLY_CONTACTS) && others > 0)
        return "only_contacts: no joints, rolling, springs, rows, forces, barrier";
    if (N(BARRIER) && (!N(SMOOTH) || !N(STEPPERS)))
        return "barrier: with smooth and steppers";
    if (N(SHORT_BLOCKS) && N(BARRIER) + N(LOCKS) + N(FORCES) + N(ROWS) > 0)
        return "short_blocks: without barrier, locks, forces, rows";
    if ((solver == DANTZIG && rows * rows > 4e8) || (is_dense && bodies * bodies > 2e7))
        return "less of all: the solver's scratch is beyond what 32 bits address";
    if (N(SUBSTEPS) < 1 || N(SUBSTEPS) > (N(NO_SUBSTEPS) ? 1 : 64))
        return "substeps 1..64, without no_substeps";
    return N(SWEEPS) < 1 ? "sweeps: 1 or more" : NULL;
}

static void print_number(const char *what, long number, const char *why)
{
    if (number >= 0)
        printf("   %-28s %ld\n", what, number);
    else
        printf("   %-28s unknown: %s\n", what, why);
}

/* What makes a step dearer that typical() does not see: boxes and joints are in its scenes. */
static void print_uncounted(void)
{
    static const int dear[] = {ROLLING, SPRINGS, ROWS,   FORCES,  CONVEX,      HULL_VERTICES,
                               TERRAIN, MESHES,  SMOOTH, BARRIER, SECOND_LOOK, SEAMS};
    size_t i;
    int many = 0;
    for (i = 0; i < sizeof dear / sizeof dear[0]; i++)
        if (N(dear[i]) > 0)
            printf("%s %s", many++ ? "," : "   without those of", ask[dear[i]].part);
    if (many > 0)
        printf("\n");
}

static void print_costs(void)
{
    long state, step, adding, size = world_size(&state);
    char pressed[60];
    printf("/* Written by size.c.\n");
    printf("   RAM of a world, float        %ld bytes, of which %ld are its state:\n", size, state);
    tell = 1;
    world_size(&state);
    print_number("flash, about", flash(), "no budgets");
    if (unmeasured[0])
        printf("   and what is not measured:   %s\n", unmeasured);
    stack(&step, &adding);
    print_number("stack of a step, at most", step, "not measured");
    print_number("stack of adding, at most", adding, "not measured");
    sprintf(pressed, "instructions, %ld pressed", N(PRESSED));
    print_number(pressed, typical(), "measured on m4f, by SIPGS");
    if (typical() >= 0)
        print_uncounted();
    print_number("instructions, bound", bound(), "see nsc_bound.h");
    printf("   with sweeps %ld, sub-steps %ld; def.solver.max_iterations is 100 unless you set it,\n",
           N(SWEEPS), N(SUBSTEPS));
    printf("   and a step then takes up to that; GCC 12.2, instructions at -O2, the others at -Os */\n");
}

static void print_header(void)
{
    int i;
    for (i = 0; i < ASKED; i++) {
        int always = i <= MANIFOLDS || (i == JOINT_BLOCKS && N(JOINTS) > 0);
        if (!ask[i].macro || i == ARENA || (!always && N(i) <= 0) ||
            (i == JOINT_AXES && (N(JOINTS) == 0 || N(i) == 3)))
            continue;
        if (i >= ONLY_CONTACTS)
            printf("#define %s\n", ask[i].macro);
        else
            printf("#define %s %ld\n", ask[i].macro, N(i));
    }
    if (N(ARENA) != UNASKED)
        printf("#define NSC_ARENA %ld\n", N(ARENA));
    else if (arena_macro())
        printf("#define NSC_ARENA %s\n", arena_macro());
}

int main(int count, char **word)
{
    const char *wrong;
    int i;
    if (count < 2)
        return usage(NULL);
    for (i = 1; i < count; i++)
        if (!take(word[i]))
            return usage(word[i]);
#ifdef TABLE
    i = add_robot();
    if (i < 0) {
        fprintf(stderr, "size: the robot is refused: %s\n", nsc_error_text(i));
        return 1;
    }
#endif
    otherwise(BODIES, 16);
    otherwise(SHAPES, N(BODIES));
    otherwise(CONTACTS, 64);
    otherwise(MANIFOLDS, N(CONTACTS) / 2);
    otherwise(PRESSED, N(CONTACTS));
    otherwise(JOINT_BLOCKS, 3 * N(JOINTS));
    if (N(JOINTS) == 0)
        N(JOINT_BLOCKS) = 0;
    otherwise(JOINT_AXES, 3);
    wrong = refused();
    if (wrong) {
        fprintf(stderr, "size: %s\n", wrong);
        return 1;
    }
    print_costs();
    print_header();
    return 0;
}
