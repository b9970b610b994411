/* nsc_print.h - prints why a call was refused, and what a step had no room for, as lines to act on
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called; what prints needs <stdio.h> with %g, the others need no library.
   Beside it: nsc.h.

   EXAMPLE
       box = nsc_print_refusal(stderr, &world, nsc_world_add_body(&world, &body));
       if (box < 0)
           return 1;
   prints, if body.mass is -2,
       NSC_ERR_ARGUMENT: nsc_body_def.mass is -2, and should be finite and >= 0; look at
       nsc_default_body_def, nsc_world_add_body
   in one line. */
#ifndef NSC_PRINT_H
#define NSC_PRINT_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#include <stdio.h>

NSCI_C_BEGIN

/* Print the refusal of the call that returned `code`: the code's name, the field, its value, what
   it should be, and what to look at.  Returns `code` as it is, so that a call can stand in this
   one; prints nothing if it is not negative.  Where the world notes no refusal with this code (a
   call with a const world, another world) the line has the text of the code.  Pass as `code`
   nsc_world_last_refusal(world).code to print whatever is noted.  `to` or `world` NULL: prints
   nothing, or the text of the code.  Cost: the texts of nsc_world_last_refusal, 8 KB of flash, and
   3 KB here, without printf; picolibc's printf for integers says whole values. */
NSC_API nsc_id nsci_print_refusal(FILE *to, const nsc_refusal *noted, nsc_id code);
static NSC_MAYBE_UNUSED nsc_id nsc_print_refusal(FILE *to, const nsc_world *world, nsc_id code)
{
    nsc_refusal noted = nsc_world_last_refusal(world);
    return nsci_print_refusal(to, &noted, code);
}

/* Print what the last step could not do as it was asked, a line each, with what to look at: points,
   events, rolling friction and derivatives without room, pairs that cost more for lack of room,
   contacts too stiff for the step, and a solver or stepper that ended above its tolerance (but not
   one that settings.relative_tolerance ended), with its residual.  Returns the number of lines, 0
   of a step that did all; `to` or `world` NULL: 0. */
NSC_API int nsc_print_report(FILE *to, const nsc_world *world);

/* The calls, definitions or macros by which the refused field is set; "" for a refusal with code 0
   and with NSC_NO_TEXTS */
NSC_API const char *nsc_refusal_look_at(const nsc_refusal *refusal);

/* Name of an error code, "NSC_ERR_ARGUMENT"; "" for what is none */
NSC_API const char *nsc_error_name(int code);

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_PRINT_DONE)
#define NSC_PRINT_DONE

NSCI_C_BEGIN

/* What begins with the first text is set by the second; the first line that fits counts. */
typedef struct nsci_advice {
    const char *field, *where;
} nsci_advice;

static const nsci_advice nsci_advices[] = {
    {"nsc_world_def.contact_model", "nsc_world_set_def; nsc_smooth.h for smooth contact"},
    {"nsc_world_def.stepper", "nsc_world_set_def; nsc_steppers.h for other steppers"},
    {"nsc_world_def", "nsc_default_world_def, nsc_world_init, nsc_world_set_def"},
    {"nsc_settings.", "nsc_world_def.solver, nsc_world_init, nsc_world_set_def"},
    {"nsc_body_def.pose", "nsc_world_add_body, nsc_body_set_pose"},
    {"nsc_body_def.particle", "nsc_world_add_body; its kind and mass"},
    {"nsc_body_def.velocity", "nsc_world_add_body, nsc_body_set_velocity"},
    {"nsc_body_def.angular_velocity", "nsc_world_add_body, nsc_body_set_velocity"},
    {"nsc_body_def", "nsc_default_body_def, nsc_world_add_body"},
    {"nsc_shape_def.kind", "nsc_world_add_shape, _add_hull, _add_height_field, _add_mesh"},
    {"nsc_shape_def", "nsc_default_box_def and its like, nsc_world_add_shape, nsc_shape_set_def"},
    {"nsc_contact.", "nsc_default_contact, nsc_world_add_contact"},
    {"nsc_joint_def.", "nsc_default_joint_def, nsc_joint_place, nsc_world_add_joint"},
    {"nsc_joint_place.", "what this call was given"},
    {"nsc_axis_def.", "nsc_joint_def.axis, nsc_world_add_joint, nsc_joint_set_axis"},
    {"nsc_spring_def.", "nsc_default_spring_def, nsc_world_add_spring, nsc_spring_set_def"},
    {"nsc_calls.", "nsc_world_step_with"},
    {"nsc_rows", "nsc_calls.rows, nsc_world_step_with"},
    {"nsc_hull", "nsc_hull_from_points, nsc_hull_complete, nsc_world_set_hulls"},
    {"hull", "nsc_world_set_hulls, nsc_world_add_hull"},
    {"nsc_mesh", "mesh.py, which writes the table; nsc_world_set_meshes"},
    {"mesh", "nsc_world_set_meshes, nsc_world_add_mesh"},
    {"nsc_heights", "nsc_world_set_fields"},
    {"height field", "nsc_world_set_fields, nsc_world_add_height_field"},
    {"NSC_MAX_BODIES", "this macro, to be defined before nsc.h is included; the ground is one"},
    {"NSC_MAX_ITERATIONS", "nsc_world_def.substeps, newton_steps and solver.max_iterations"},
    {"NSC_CONFIG_H", "the file that called: is all of that header before its nsc.h"},
    {"NSC_ARENA", "this macro, to be defined before nsc.h is included; nsc_calls.solve"},
    {"NSC_", "this macro, to be defined before nsc.h is included, alike in every file"},
    {"inertia", "nsc_body_def.inertia, which a mass > 0 needs; or leave the mass 0, add the "
                "shapes, and call nsc_body_set_mass"},
    {"mass of the shapes", "nsc_shape_def: its size and density; nsc_body_def.mass"},
    {"mass", "nsc_body_def.mass, nsc_body_set_mass"},
    {"pose", "nsc_body_set_pose, nsc_world_add_body, and where its shapes are"},
    {"position", "nsc_joint_set_state"},
    {"axis", "the kind of the joint; nsc_joint_set_axis, nsc_joint_set_target"},
    {"image", "nsc_world_save, nsc_world_load; the bytes between these"},
    {"island", "nsc_world_report: islands"},
    {"kind", "nsc_body_set_kind"},
    {"body_b", "nsc_default_joint_def, nsc_default_spring_def, nsc_world_add_contact: both bodies"},
    {"body", "what nsc_world_add_body returned, and whether it was removed since"},
    {"shape", "what nsc_world_add_shape returned, and whether it or its body was removed since"},
    {"joint", "what nsc_world_add_joint returned, and whether it or a body was removed since"},
    {"spring", "what nsc_world_add_spring returned, and whether it or a body was removed since"},
    {"contact problem", "forces (nsc_body_clear_force), velocities, masses, h: one is very large"},
    {"world", "nsc_world_init, and what it returned; calls from callbacks"},
    {"h", "nsc_world_step (in C 1 / 240 is 0, and 1 / 240.0f is not); nsc_world_def.substeps"},
    {"argument", "the comment of the call, and its pointers, counts and numbers"},
    {"", "the comment of the call that was refused"},
};

static int nsci_begins(const char *text, const char *with)
{
    while (*with && *text == *with) {
        text++;
        with++;
    }
    return !*with;
}

static int nsci_has(const char *text, const char *part)
{
    while (*text && !nsci_begins(text, part))
        text++;
    return *text != 0;
}

NSC_API const char *nsc_refusal_look_at(const nsc_refusal *r)
{
    const nsci_advice *line = nsci_advices;
    if (!r || r->code >= 0 || !NSCI_TEXTS)
        return "";
    if (r->number == NSCI_STATIC || r->number == NSCI_NO_MASS || r->number == NSCI_LOST)
        return "its nsc_body_def, nsc_world_add_shape (density), nsc_body_set_kind; forces on it";
    while (!nsci_begins(r->field, line->field))
        line++;
    return line->where;
}

NSC_API const char *nsc_error_name(int code)
{
    static const char *const names[] = {
        "NSC_ERR_ARGUMENT", "NSC_ERR_NOT_FINITE", "NSC_ERR_CAPACITY", "NSC_ERR_INERTIA",
        "NSC_ERR_HANDLE", "NSC_ERR_CONFIG", "NSC_ERR_ARITHMETIC", "NSC_ERR_STEPPER_CONTACT",
        "NSC_ERR_STEPPER_JOINTS", "NSC_ERR_STEPPER_UNSTABLE", "NSC_ERR_BUSY"};
    return code < NSC_ERR_BUSY || code >= 0 ? "" : names[-1 - code];
}

/* Prints the rule up to "; the value is"; returns what follows that, or NULL where it is absent. */
static const char *nsci_print_rule(FILE *to, const char *rule)
{
    static const char value_is[] = "; the value is ";
    while (*rule && !nsci_begins(rule, value_is))
        fputc(*rule++, to);
    return *rule ? rule + sizeof value_is - 1 : NULL;
}

static void nsci_print_number(FILE *to, nsc_real x)
{
    if (x > -1000000 && x < 1000000 && nsci_abs(x - (nsc_real)(long)x) <= 0)
        fprintf(to, "%ld", (long)x); /* a printf without fractions can say it too */
    else if (x - x <= 0)
        fprintf(to, "%.7g", (double)x);
    else
        fputs(x > 0 ? "infinite" : x < 0 ? "-infinite" : "NaN", to);
}

/* Names of the values 1, 2, ... of a field */
static const char *const nsci_value_names[][9] = {
    {"nsc_shape_def.kind", "NSC_SHAPE_SPHERE", "NSC_SHAPE_CAPSULE", "NSC_SHAPE_CYLINDER",
     "NSC_SHAPE_BOX", "NSC_SHAPE_HULL", "NSC_SHAPE_HALF_SPACE", "NSC_SHAPE_HEIGHT_FIELD",
     "NSC_SHAPE_MESH"},
    {"nsc_world_def.stepper", "NSC_STEPPER_EULER_IMPLICIT_LINEARIZED",
     "NSC_STEPPER_EULER_IMPLICIT_PROJECTED", "NSC_STEPPER_EULER_SYMPLECTIC",
     "NSC_STEPPER_EULER_FORWARD", "NSC_STEPPER_EULER_IMPLICIT", "NSC_STEPPER_HHT",
     "NSC_STEPPER_NEWMARK", ""}};

static void nsci_print_value(FILE *to, const nsc_refusal *r)
{
    int i, value = r->value >= 1 && r->value <= 8 ? (int)r->value : 0;
    nsci_print_number(to, r->value);
    for (i = 0; i < 2; i++)
        if (value > 0 && (nsc_real)value >= r->value && nsci_value_names[i][value][0] &&
            nsci_begins(r->field, nsci_value_names[i][0]))
            fprintf(to, ", %s", nsci_value_names[i][value]);
}

static int nsci_is_pose(int number)
{
    nsci_field f;
    if (number >= NSCI_FIELDS)
        return 0;
    NSCI_FETCH(&f, &nsci_fields[number]);
    return f.rule == NSCI_POSE;
}

/* "FIELD is VALUE, and should be RULE", or "FIELD should be RULE; WHAT THE VALUE IS is VALUE" */
static void nsci_print_reason(FILE *to, const nsc_refusal *r)
{
    int handle = r->number >= NSCI_BAD_HANDLE && r->number <= NSCI_BAD_JOINT;
    int none = r->number >= NSCI_NO_POINTER && r->number <= NSCI_OTHER_MACROS;
    const char *what = "the square of its orientation's length";
    int about = r->value - r->value <= 0 && nsci_is_pose(r->number);
    fputs(r->field, to);
    if (handle && r->value < 0) {
        fprintf(to, " is %s, an error code that an earlier call returned, and should be ",
                nsc_error_name((int)r->value));
    } else if (handle) {
        fprintf(to, " of slot %d should be ", (int)r->value);
    } else if (none || about || nsci_has(r->rule, "; the value is ")) {
        fputs(" should be ", to);
    } else {
        fputs(" is ", to);
        nsci_print_value(to, r);
        fputs(", and should be ", to);
    }
    if (!about)
        what = nsci_print_rule(to, r->rule);
    else
        fputs(r->rule, to);
    if (what && !handle && !none) {
        fprintf(to, "; %s is ", what);
        nsci_print_number(to, r->value);
    }
}

/* What NSC_ARENA should be for the solvers whose files are included, in reals */
static void nsci_print_arenas(FILE *to)
{
    const long bodies = NSC_MAX_BODIES, rows = 3L * NSC_MAX_BLOCKS;
    (void)bodies;
    fprintf(to, "; here NSC_ARENA_APGD(3 * NSC_MAX_BLOCKS) is %ld reals",
            (long)NSC_ARENA_APGD(rows));
#ifdef NSC_ARENA_BB
    fprintf(to, ", _BB %ld", (long)NSC_ARENA_BB(rows));
#endif
#ifdef NSC_ARENA_NEWTON
    fprintf(to, ", _NEWTON(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS) %ld",
            (long)NSC_ARENA_NEWTON(bodies, rows));
#endif
#ifdef NSC_ARENA_ADMM
    fprintf(to, ", _ADMM(0L + NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS) %ld",
            (long)NSC_ARENA_ADMM(bodies, rows));
#endif
#ifdef NSC_TREE_H
    fprintf(to, ", _TREE(NSC_MAX_BODIES, 3 * NSC_MAX_BLOCKS, 24) %ld",
            (long)NSC_ARENA_TREE(bodies, rows, 24));
#endif
}

NSC_API nsc_id nsci_print_refusal(FILE *to, const nsc_refusal *r, nsc_id code)
{
    if (!to || code >= 0)
        return code;
    fprintf(to, "%s: ", nsc_error_name((int)code));
    if (r->code == code && r->field[0]) {
        nsci_print_reason(to, r);
        if (r->number == NSCI_SMALL_ARENA)
            nsci_print_arenas(to);
        fprintf(to, "; look at %s\n", nsc_refusal_look_at(r));
    } else {
        fprintf(to, "%s\n", nsc_error_text((int)code));
    }
    return code;
}

NSC_API int nsc_print_report(FILE *to, const nsc_world *w)
{
    static const char *const left_undone[] = {
        "contact points were dropped for lack of room, and bodies may sink into each other; look "
        "at NSC_MAX_CONTACTS",
        "contacts have no rolling friction for lack of room; look at NSC_MAX_ROLLING",
        "events were dropped for lack of room; look at NSC_MAX_EVENTS",
        "derivatives of forces were dropped for lack of room; look at NSC_MAX_FORCES",
        "pairs of shapes are found anew in each step, which is slower; look at NSC_MAX_MANIFOLDS",
        "contacts are too stiff for a step of this length; look at nsc_step_report.step_limit, "
        "nsc_world_def.substeps",
        "islands did not converge by Newton's method; look at nsc_world_def.newton_steps, "
        "nsc_world_def.substeps"};
    const nsc_step_report *r;
    int count[7], i, as_asked, lines = 0;
    if (!to || !w)
        return 0;
    r = nsc_world_report(w);
    count[0] = r->dropped;
    count[1] = r->dropped_rolling;
    count[2] = r->dropped_events;
    count[3] = r->dropped_derivatives;
    count[4] = r->unkept;
    count[5] = r->over_limit;
    count[6] = r->unsettled;
    for (i = 0; i < 7; i++) {
        if (count[i] <= 0)
            continue;
        fprintf(to, "%d %s\n", count[i], left_undone[i]);
        lines++;
    }
    as_asked = w->def.solver.relative_tolerance > 0 && r->solver.status == NSC_ITERATION_LIMIT &&
               r->solver.iterations < w->def.solver.max_iterations;
    if (r->solver.status != NSC_OK && !as_asked) {
        fprintf(to, "solver: %s; %d iterations, residual %.2g m/s; look at nsc_world_def.solver: "
                "max_iterations and tolerance, and at nsc_calls.solve\n",
                nsc_error_text(r->solver.status), r->solver.iterations, (double)r->solver.residual);
        lines++;
    }
    return lines;
}

NSCI_C_END
#endif
