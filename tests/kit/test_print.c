/* What nsc_print.h prints of each reason that a build can have, and of calls that note none. */
#define NSC_MAX_CONTACTS 16
#define NSC_HULL_VERTICES 16
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_MAX_SPRINGS 2
#define NSC_MAX_ROWS 2
#define NSC_MAX_ROLLING 4
#define NSC_LOCKS 1
#define NSC_IMPLEMENTATION
#include "all.h"
#include "nsc_print.h"
#include <math.h>
#include <stddef.h>
#include "test.h"

static nsc_world world;
static char line[1000];

/* What is printed for this code */
static const char *printed(const nsc_world *w, nsc_id code)
{
    FILE *to = tmpfile();
    size_t n;
    CHECK(to != NULL);
    if (!to) return "";
    CHECK(nsc_print_refusal(to, w, code) == code);
    rewind(to);
    n = fread(line, 1, sizeof line - 1, to);
    line[n] = 0;
    fclose(to);
    return line;
}

static void begin(void)
{
    nsc_world_def def = nsc_default_world_def();
    CHECK(nsc_world_init(&world, &def) == NSC_OK);
}

/* Each reason is one line: code, field, rule as far as it is not about the value, and where to look. */
static void every_reason_is_one_line(void)
{
    static const nsc_real values[] = {0, -3, NSC_R(0.25), 7, (nsc_real)NAN, (nsc_real)INFINITY};
    int i, k;
    begin();
    for (i = 0; i < NSCI_NUMBERS; i++)
        for (k = 0; k < 6; k++) {
            nsc_refusal r;
            char rule[200], *cut;
            const char *end;
            world.note.code = NSC_ERR_ARGUMENT, world.note.number = (uint16_t)i, world.note.value = values[k];
            r = nsc_world_last_refusal(&world);
            strcpy(rule, r.rule);
            cut = strstr(rule, "; the value is ");
            if (cut) *cut = 0;
            printed(&world, NSC_ERR_ARGUMENT);
            end = strstr(line, "; look at ");
            CASE("reason %d, %s", i, r.field);
            CHECK(strncmp(line, "NSC_ERR_ARGUMENT: ", 18) == 0 && strncmp(line + 18, r.field, strlen(r.field)) == 0);
            CHECK(strstr(line, rule) != NULL && strstr(line, "should be ") != NULL);
            CHECK(end != NULL && strlen(end) > 20 && strchr(line, '\n') == line + strlen(line) - 1);
            CHECK(strstr(line, "value is") == NULL && strstr(line, "-nan") == NULL);
            CASE_END();
        }
}

/* Kinds of shapes and steppers are printed by name too, other numbers of these fields as they are. */
static void kinds_have_names(void)
{
    nsc_shape_def s = nsc_default_half_space_def();
    nsc_world_def d;
    nsc_body_def b = nsc_default_body_def();
    nsc_id id;
    begin();
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
    id = nsc_world_add_body(&world, &b);
    printed(&world, nsc_world_add_shape(&world, id, &s));
    CHECK(strstr(line, "nsc_shape_def.kind is 6, NSC_SHAPE_HALF_SPACE, and should be ") != NULL);
    s.kind = 77;
    printed(&world, nsc_world_add_shape(&world, id, &s));
    CHECK(strstr(line, "nsc_shape_def.kind is 77, and should be ") != NULL);
    d = world.def, d.stepper = 8;
    printed(&world, nsc_world_set_def(&world, &d));
    CHECK(strstr(line, "nsc_world_def.stepper is 8, and should be ") != NULL);
}

/* Fields of definitions lead to the call that takes the definition, not to the last line of the table. */
static void fields_lead_to_their_call(void)
{
    int i, led = 0;
    begin();
    world.note.code = NSC_ERR_ARGUMENT;
    for (i = 0; i < NSCI_NUMBERS; i++) {
        nsc_refusal r;
        world.note.number = (uint16_t)i;
        r = nsc_world_last_refusal(&world);
        CASE("%s", r.field);
        CHECK(strcmp(nsc_refusal_look_at(&r), "the comment of the call that was refused") != 0);
        if (i < NSCI_FIELDS) {
            CHECK(strstr(nsc_refusal_look_at(&r), "nsc_world_") != NULL);
            led++;
        }
        CASE_END();
    }
    CHECK(led > 60);
}

static void the_value_stands_in_its_words(void)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_shape_def s = nsc_default_sphere_def(1);
    int code;
    begin();
    b.mass = -2;
    code = (int)nsc_world_add_body(&world, &b);
    CHECK(strcmp(printed(&world, code), "NSC_ERR_ARGUMENT: nsc_body_def.mass is -2, and should be finite and >= 0; "
                 "look at nsc_default_body_def, nsc_world_add_body\n") == 0);
    b.mass = 0, b.pose.orientation.w = 2;
    code = (int)nsc_world_add_body(&world, &b);
    CHECK(strstr(printed(&world, code), "the square of its orientation's length is 4;") != NULL);
    code = (int)nsc_world_add_shape(&world, NSC_ERR_CAPACITY, &s);
    CHECK(strstr(printed(&world, code), "NSC_ERR_HANDLE: body is NSC_ERR_CAPACITY, an error code that an earlier call returned") == line);
    code = nsc_world_remove_body(&world, NSC_GROUND);
    CHECK(strstr(printed(&world, code), "NSC_ERR_HANDLE: body of slot 0 should be") == line);
    b.pose.orientation.w = 1;
    do code = (int)nsc_world_add_body(&world, &b);
    while (code >= 0);
    sprintf(line + 500, "the capacity is %d;", NSC_MAX_BODIES);
    CHECK(strstr(printed(&world, code), "NSC_ERR_CAPACITY: NSC_MAX_BODIES should be") == line && strstr(line, line + 500) != NULL);
}

/* How large the arena has to be, for each solver whose file is included; in a world of these capacities that is enough. */
static void a_small_arena_says_how_large(void)
{
    static const char *const names[] = {"NSC_ARENA_APGD(", "_BB ", "_NEWTON(", "_ADMM("};
    const long rows = 3L * NSC_MAX_BLOCKS;
    long expected[4];
    int i;
    expected[0] = (long)NSC_ARENA_APGD(rows), expected[1] = (long)NSC_ARENA_BB(rows);
    expected[2] = (long)NSC_ARENA_NEWTON(0L + NSC_MAX_BODIES, rows), expected[3] = (long)NSC_ARENA_ADMM(0L + NSC_MAX_BODIES, rows);
    begin();
    world.note.code = NSC_ERR_CAPACITY, world.note.number = (uint16_t)NSCI_SMALL_ARENA, world.note.value = NSC_ARENA;
    printed(&world, NSC_ERR_CAPACITY);
    for (i = 0; i < 4; i++) {
        const char *at = strstr(line, names[i]);
        long told = 0;
        CASE("%s", names[i]);
        CHECK(at != NULL);
        if (!at) continue;
        at = strchr(at, ')') && names[i][strlen(names[i]) - 1] == '(' ? strchr(at, ')') + 1 : at + 3;
        CHECK(sscanf(at, i == 0 ? " is %ld reals" : " %ld", &told) == 1 && told == expected[i]);
    }
}

/* A call with a const world notes nothing; what an earlier one noted is not printed for it. */
static void other_codes_have_their_text(void)
{
    nsc_body_def b = nsc_default_body_def();
    nsc_pose pose;
    int code;
    begin();
    b.mass = -2;
    CHECK(nsc_world_add_body(&world, &b) == NSC_ERR_ARGUMENT);
    code = nsc_body_get_pose(&world, 12345, &pose);
    CHECK(strcmp(printed(&world, code), "NSC_ERR_HANDLE: stale or foreign handle\n") == 0);
    CHECK(strncmp(printed(NULL, NSC_ERR_CONFIG), "NSC_ERR_CONFIG: file and", 24) == 0);
    CHECK(printed(&world, NSC_OK)[0] == 0 && printed(&world, 77)[0] == 0);
    CHECK(nsc_print_refusal(NULL, &world, NSC_ERR_HANDLE) == NSC_ERR_HANDLE);
    CHECK(nsc_refusal_look_at(NULL)[0] == 0);
    for (code = -1; code >= NSC_ERR_BUSY; code--) CHECK(strncmp(nsc_error_name(code), "NSC_ERR_", 8) == 0);
    CHECK(strcmp(nsc_error_name(NSC_ERR_BUSY), "NSC_ERR_BUSY") == 0 && strcmp(nsc_error_name(NSC_ERR_CAPACITY), "NSC_ERR_CAPACITY") == 0);
    CHECK(nsc_error_name(0)[0] == 0 && nsc_error_name(NSC_ERR_BUSY - 1)[0] == 0 && nsc_error_name(1)[0] == 0);
}

/* What is printed of the report of the last step; lines: how many of them it says */
static const char *reported(int lines)
{
    FILE *to = tmpfile();
    size_t n;
    CHECK(to != NULL);
    if (!to) return "";
    CHECK(nsc_print_report(to, &world) == lines);
    rewind(to);
    n = fread(line, 1, sizeof line - 1, to);
    line[n] = 0;
    fclose(to);
    return line;
}

/* Each thing that a step leaves undone is one line with its number and its macro or setting; a step that did all prints nothing. */
static void what_a_step_left_undone(void)
{
    static const struct { size_t at; const char *look; } counts[] = {
        {offsetof(nsc_step_report, dropped), "NSC_MAX_CONTACTS"},
        {offsetof(nsc_step_report, dropped_rolling), "NSC_MAX_ROLLING"},
        {offsetof(nsc_step_report, dropped_events), "NSC_MAX_EVENTS"},
        {offsetof(nsc_step_report, dropped_derivatives), "NSC_MAX_FORCES"},
        {offsetof(nsc_step_report, unkept), "NSC_MAX_MANIFOLDS"},
        {offsetof(nsc_step_report, over_limit), "nsc_world_def.substeps"},
        {offsetof(nsc_step_report, unsettled), "nsc_world_def.newton_steps"}};
    nsc_shape_def table = nsc_default_half_space_def(), cube = nsc_default_box_def(1, 1, 1);
    nsc_body_def b = nsc_default_body_def();
    int i, bodies;
    begin();
    CHECK(reported(0)[0] == 0);
    for (i = 0; i < 7; i++) {
        CASE("%s", counts[i].look);
        *(int *)(void *)((char *)&world.report + counts[i].at) = 17 + i;
        sprintf(line + 500, "%d ", 17 + i);
        CHECK(strncmp(reported(1), line + 500, 3) == 0 && strstr(line, counts[i].look) != NULL && strchr(line, '\n') == line + strlen(line) - 1);
        *(int *)(void *)((char *)&world.report + counts[i].at) = 0;
        CASE_END();
    }
    world.report.solver.status = NSC_ITERATION_LIMIT, world.report.solver.iterations = 23, world.report.solver.residual = NSC_R(0.25);
    sprintf(line + 500, "solver: %s; 23 iterations, residual 0.25 m/s; look at nsc_world_def.solver", nsc_error_text(NSC_ITERATION_LIMIT));
    CHECK(strstr(reported(1), line + 500) == line);
    world.def.solver.relative_tolerance = NSC_R(0.03); /* which ended it, as was asked, unless the limit did */
    CHECK(reported(0)[0] == 0);
    world.report.solver.iterations = world.def.solver.max_iterations;
    (void)reported(1);
    world.def.solver.relative_tolerance = 0;
    world.report.dropped = 5, world.report.unsettled = 6;
    CHECK(strncmp(reported(3), "5 contact points", 16) == 0 && strstr(line, "\n6 islands") != NULL && strstr(line, "\nsolver: ") != NULL);
    CHECK(nsc_print_report(NULL, &world) == 0 && nsc_print_report(stderr, NULL) == 0);

    begin(); /* boxes on a table until there are more points than room */
    nsc_world_add_shape(&world, NSC_GROUND, &table);
    b.pose.position.z = 1;
    for (bodies = 0; 4 * bodies <= NSC_MAX_CONTACTS && bodies < NSC_MAX_BODIES - 1; bodies++) {
        b.pose.position.x = 3 * (nsc_real)bodies;
        CHECK(nsc_world_add_shape(&world, nsc_world_add_body(&world, &b), &cube) >= 0);
    }
    CHECK(nsc_world_step(&world, NSC_R(0.01)) == NSC_OK);
    sprintf(line + 500, "%d contact points were dropped", 4 * bodies - NSC_MAX_CONTACTS);
    CHECK(4 * bodies > NSC_MAX_CONTACTS && strstr(reported(1), line + 500) == line);
}

int main(void)
{
    what_a_step_left_undone();
    every_reason_is_one_line();
    kinds_have_names();
    fields_lead_to_their_call();
    the_value_stands_in_its_words();
    a_small_arena_says_how_large();
    other_codes_have_their_text();
    return TEST_END("print");
}
