/* robot.c - nsc_robot.h: any table.  Counts, indices, kinds and numbers may be anything, joints
   stand in any order, arrays may be missing.  A table that is refused leaves nothing behind; one
   that is taken steps finite, tells finite states, and its targets and forces are taken or refused
   with a code. */
#include "target.h"

enum { ROBOT_LINKS = 5, ROBOT_JOINTS = 4, ROBOT_SHAPES = 5 };

static nsc_robot_link_def robot_link[ROBOT_LINKS];
static nsc_robot_joint_def robot_joint[ROBOT_JOINTS];
static nsc_robot_shape_def robot_shape[ROBOT_SHAPES];

/* As many as there are, fewer, none, or a number below 0 */
static int robot_count(fuzz_input *in, int most)
{
    int b = fuzz_byte(in);
    return b >= 250 ? 249 - b : b % (most + 1);
}

static void robot_links(fuzz_input *in)
{
    static const char *const names[4] = {"trunk", "leg", "", "trunk"};
    int i, b;
    for (i = 0; i < ROBOT_LINKS; i++) {
        nsc_robot_link_def *l = &robot_link[i];
        memset(l, 0, sizeof *l);
        b = fuzz_byte(in);
        l->name = names[b % 4];
        l->kind = NSC_DYNAMIC_BODY;
        l->pose = nsc_default_body_def().pose;
        l->pose.position.z = NSC_R(0.5) * (nsc_real)(1 + i);
        l->mass = b & 4 ? NSC_R(0.0) : NSC_R(1.0);
        l->inertia[0] = l->inertia[1] = l->inertia[2] = NSC_R(0.25);
        if (b & 128)
            fuzz_change(in, l, N(kit_links));
    }
}

/* Each on the link before it, unless the input says otherwise */
static void robot_joints(fuzz_input *in)
{
    static const int kinds[8] = {NSC_JOINT_HINGE, NSC_JOINT_HINGE, NSC_JOINT_SLIDER, NSC_JOINT_BALL,
                                 NSC_JOINT_FIXED, NSC_JOINT_PLANAR, NSC_JOINT_GEAR,
                                 NSC_JOINT_HINGE};
    int i, b;
    for (i = 0; i < ROBOT_JOINTS; i++) {
        nsc_robot_joint_def *j = &robot_joint[i];
        memset(j, 0, sizeof *j);
        b = fuzz_byte(in);
        j->name = "joint";
        j->kind = kinds[b % 8];
        j->parent = j->kind == NSC_JOINT_GEAR ? i - 2 : i - 1;
        j->child = j->kind == NSC_JOINT_GEAR ? i - 1 : i;
        if (b & 8) {
            j->parent = fuzz_int(in) % 6;
            j->child = fuzz_int(in) % 6;
        }
        j->frame_a = j->frame_b = nsc_default_body_def().pose;
        j->frame_a.position.z = NSC_R(0.5);
        j->ratio = NSC_R(2.0);
        j->limited = b >> 4 & 1;
        j->lower = NSC_R(-0.25), j->upper = NSC_R(0.5);
        j->drive = b >> 5 & 3;
        j->drive_stiffness = NSC_R(50.0), j->drive_damping = NSC_R(2.0);
        j->effort = NSC_R(5.0);
        if (b & 128)
            fuzz_change(in, j, N(kit_joints));
    }
}

static void robot_shapes(fuzz_input *in)
{
    int i, b;
    for (i = 0; i < ROBOT_SHAPES; i++) {
        nsc_robot_shape_def *s = &robot_shape[i];
        memset(s, 0, sizeof *s);
        b = fuzz_byte(in);
        s->link = b & 8 ? fuzz_int(in) : i;
        s->kind = 1 + b % 7;
        s->pose = nsc_default_body_def().pose;
        s->half = fuzz_at(NSC_R(0.125), NSC_R(0.25), NSC_R(0.125));
        s->radius = NSC_R(0.125);
        s->friction = NSC_R(0.5);
        s->category = s->mask = UINT32_C(0xffffffff);
        s->hull = b & 16 ? NULL : &fuzz_rock;
        if (b & 128)
            fuzz_change(in, s, N(kit_shapes));
    }
}

/* What the caller reads after a refusal */
static void robot_refused(const nsc_robot *r, int code, const nsc_id *body, const nsc_id *joint)
{
    int i;
    FUZZ_CHECK(strcmp(nsc_error_text(code), nsc_error_text(-1000)) != 0);
    if (r->links < 1 || !r->link || (r->joints > 0 && !r->joint) || (r->shapes > 0 && !r->shape))
        return;
    for (i = 0; i < r->links; i++)
        FUZZ_CHECK(body[i] < 0 && (body[i] == code || body[i] == NSC_ERR_HANDLE));
    for (i = 0; i < r->joints; i++)
        FUZZ_CHECK(joint[i] < 0 && (joint[i] == code || joint[i] == NSC_ERR_HANDLE));
}

/* Its states are finite whether its handles are still good or not */
static void robot_use(fuzz_input *in, const nsc_robot *r, const nsc_id *joint)
{
    nsc_real x[ROBOT_JOINTS], v[ROBOT_JOINTS], f[ROBOT_JOINTS];
    int how = fuzz_byte(in), i, k, code;
    if (how & 1) {
        fuzz_reals(in, x, ROBOT_JOINTS), fuzz_reals(in, v, ROBOT_JOINTS);
        code = nsc_robot_set_targets(&api_world, r, joint, how & 2 ? x : NULL, how & 4 ? v : NULL);
        kit_result(code < 0 ? NSC_OK : code); /* refused: the joints before it are set */
        code = nsc_robot_set_forces(&api_world, r, joint, v);
        kit_result(code < 0 ? NSC_OK : code);
    }
    for (k = how >> 3 & 3; k > 0; k--)
        KIT(step_by(&api_world, NSC_R(0.01)));
    for (i = 0; i < ROBOT_JOINTS; i++)
        x[i] = v[i] = f[i] = NSC_R(0.0);
    code = nsc_robot_get_state(&api_world, r, joint, x, how & 32 ? NULL : v, f);
    api_digest = fuzz_mix(api_digest, &code, sizeof code);
    FUZZ_CHECK(fuzz_finite(x, ROBOT_JOINTS) && fuzz_finite(v, ROBOT_JOINTS));
    FUZZ_CHECK(fuzz_finite(f, ROBOT_JOINTS));
    api_digest = fuzz_mix(api_digest, x, sizeof x);
}

static void robot_add(fuzz_input *in)
{
    static const nsc_robot_frame_def frame[2] = {{"tip", 1, {{0, 0, 0}, {1, 0, 0, 0}}},
                                                 {"leg", 0, {{0, 0, 0}, {1, 0, 0, 0}}}};
    nsc_robot r = {"any", 0, 0, 0, 0, 2, robot_link, robot_joint, robot_shape, frame, 0, 0, NULL, NULL};
    nsc_pose base = nsc_default_body_def().pose;
    nsc_id body[ROBOT_LINKS], joint[ROBOT_JOINTS];
    int how = fuzz_byte(in), used = kit_used(&api_world), code, i;
    r.links = robot_count(in, ROBOT_LINKS), r.joints = robot_count(in, ROBOT_JOINTS);
    r.shapes = robot_count(in, ROBOT_SHAPES);
    r.fixed_base = how & 1;
    robot_links(in), robot_joints(in), robot_shapes(in);
    if (how & 2)
        fuzz_reals(in, &base.position.x, 7);
    if (how % 32 == 4)
        r.link = NULL;
    if (how % 32 == 8)
        r.joint = NULL;
    if (how % 32 == 12)
        r.shape = NULL;
    for (i = 0; i < ROBOT_LINKS; i++)
        body[i] = fuzz_handle(in);
    for (i = 0; i < ROBOT_JOINTS; i++)
        joint[i] = fuzz_handle(in);
    code = nsc_robot_add(&api_world, &r, base, how & 64 && how & 128 ? NULL : body, joint);
    if (code < 0) {
        FUZZ_CHECK(kit_used(&api_world) == used);
        if (!(how & 64 && how & 128))
            robot_refused(&r, code, body, joint);
    }
    kit_result(code < 0 ? NSC_OK : code);
    for (i = 0; code == NSC_OK && i < r.links; i++)
        fuzz_keep(body[i]);
    for (i = 0; code == NSC_OK && i < r.joints; i++)
        fuzz_keep(joint[i]);
    FUZZ_CHECK(nsc_robot_frame(&r, "tip") == 0 && nsc_robot_frame(&r, "no") == NSC_ERR_ARGUMENT);
    if (!r.link || (r.joints > 0 && !r.joint))
        return;
    i = nsc_robot_link(&r, "leg");
    FUZZ_CHECK(i == 0 || (i < r.links && strcmp(robot_link[i].name, "leg") == 0));
    FUZZ_CHECK(nsc_robot_joint(&r, "joint") == (r.joints > 0 ? 0 : NSC_ERR_ARGUMENT));
    robot_use(in, &r, joint);
}

static uint32_t robot_run(const uint8_t *data, size_t size, int poison)
{
    fuzz_input in;
    uint32_t hash;
    int calls;
    in.at = data, in.end = data + size;
    api_poison = poison, api_trace = getenv("FUZZ_TRACE") != NULL;
    api_digest = UINT32_C(2166136261);
    memset(&api_world, poison, sizeof api_world), memset(&api_other, poison, sizeof api_other);
    fuzz_scene(&api_world, fuzz_scene_of(fuzz_byte(&in)));
    api_spoil(&api_world);
    for (calls = 0; in.at < in.end && calls < 8; calls++) {
        int b = fuzz_byte(&in);
        if (b < 160)
            robot_add(&in);
        else if (b < 200)
            api_remove(&in);
        else
            api_call(&in);
    }
    hash = nsc_world_hash(&api_world);
    return fuzz_mix(api_digest, &hash, sizeof hash);
}

KIT_TWICE(robot)

KIT_ENTRY(robot)
