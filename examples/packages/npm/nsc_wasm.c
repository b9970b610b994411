/* nsc as a wasm module for nsc.mjs: one world an instance, no libc, nothing imported.  examples/packages/npm.sh builds it. */
#define NSC_MAX_BODIES 256
#define NSC_MAX_CONTACTS 1024
#define NSC_MAX_JOINTS 64
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_sense.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

static nsc_world world, kept;
static float out[16]; /* what getters tell */

static nsc_vec3 vec(float x, float y, float z)
{
    nsc_vec3 v = {x, y, z};
    return v;
}

float *EXPORT(numbers)(void) { return out; }
int EXPORT(version)(void) { return NSC_VERSION_MAJOR * 10000 + NSC_VERSION_MINOR * 100 + NSC_VERSION_PATCH; }
const char *EXPORT(error_text)(int code) { return nsc_error_text(code); }
const char *EXPORT(refused_field)(void) { return nsc_world_last_refusal(&world).field; }
const char *EXPORT(refused_rule)(void) { return nsc_world_last_refusal(&world).rule; }
double EXPORT(refused_value)(void) { return nsc_world_last_refusal(&world).value; }

int EXPORT(init)(float x, float y, float z, int substeps, int iterations)
{
    nsc_world_def def = nsc_default_world_def();
    def.gravity = vec(x, y, z);
    def.substeps = substeps;
    def.solver.max_iterations = iterations;
    return nsc_world_init(&world, &def);
}
int EXPORT(add_body)(int kind, float x, float y, float z)
{
    nsc_body_def def = nsc_default_body_def();
    def.kind = kind;
    def.pose.position = vec(x, y, z);
    return nsc_world_add_body(&world, &def);
}
int EXPORT(remove_body)(int body) { return nsc_world_remove_body(&world, body); }
/* kind: NSC_SHAPE_*; x y z: half edges of a box, z half length of a capsule */
int EXPORT(add_shape)(int body, int kind, float radius, float x, float y, float z, float density, float friction, float restitution)
{
    nsc_shape_def def = kind == NSC_SHAPE_HALF_SPACE ? nsc_default_half_space_def() : nsc_default_capsule_def(radius, z);
    if (kind == NSC_SHAPE_BOX) def = nsc_default_box_def(x, y, z);
    def.kind = kind;
    def.radius = radius;
    def.density = density;
    def.friction = friction;
    def.restitution = restitution;
    return nsc_world_add_shape(&world, body, &def);
}
int EXPORT(add_hinge)(int a, int b, float x, float y, float z, float ax, float ay, float az)
{
    nsc_joint_def def = nsc_default_joint_def(NSC_JOINT_HINGE, a, b);
    int code = nsc_joint_place(&world, &def, vec(x, y, z), vec(ax, ay, az), vec(0, 0, 0));
    return code < 0 ? code : nsc_world_add_joint(&world, &def);
}
int EXPORT(drive)(int joint, int drive, float target, float velocity, float stiffness, float damping, float max_force)
{
    nsc_joint_def def;
    int code = nsc_joint_get_def(&world, joint, &def);
    if (code < 0) return code;
    def.axis[0].drive = drive;
    def.axis[0].target = target;
    def.axis[0].target_velocity = velocity;
    def.axis[0].stiffness = stiffness;
    def.axis[0].damping = damping;
    def.axis[0].max_force = max_force;
    return nsc_joint_set_axis(&world, joint, 0, &def.axis[0]);
}
int EXPORT(joint)(int joint)
{
    nsc_axis_state s;
    int code = nsc_joint_get_axis(&world, joint, 0, &s);
    if (code >= 0) out[0] = s.position, out[1] = s.velocity, out[2] = s.drive;
    return code;
}
int EXPORT(step)(float h, int steps)
{
    int code = NSC_OK;
    while (steps-- > 0 && code >= 0) code = nsc_world_step(&world, h);
    return code;
}
int EXPORT(pose)(int body)
{
    nsc_pose p;
    int code = nsc_body_get_pose(&world, body, &p);
    if (code < 0) return code;
    out[0] = p.position.x, out[1] = p.position.y, out[2] = p.position.z;
    out[3] = p.orientation.w, out[4] = p.orientation.x, out[5] = p.orientation.y, out[6] = p.orientation.z;
    return code;
}
int EXPORT(velocity)(int body)
{
    nsc_vec3 v, o;
    int code = nsc_body_get_velocity(&world, body, &v, &o);
    if (code >= 0) out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = o.x, out[4] = o.y, out[5] = o.z;
    return code;
}
int EXPORT(set_velocity)(int body, float x, float y, float z, float ox, float oy, float oz)
{
    return nsc_body_set_velocity(&world, body, vec(x, y, z), vec(ox, oy, oz));
}
int EXPORT(cast_ray)(float x, float y, float z, float rx, float ry, float rz)
{
    nsc_hit hit;
    int code = nsc_world_cast_ray(&world, vec(x, y, z), vec(rx, ry, rz), 0xffffffffu, &hit);
    if (code > 0) out[0] = hit.point.x, out[1] = hit.point.y, out[2] = hit.point.z, out[3] = hit.normal.x, out[4] = hit.normal.y, out[5] = hit.normal.z, out[6] = hit.distance;
    return code > 0 ? hit.body : code < 0 ? code : -100;
}
double EXPORT(residual)(void) { return nsc_world_report(&world)->solver.residual; }
int EXPORT(contacts)(void) { return nsc_world_contact_count(&world); }
unsigned EXPORT(hash)(void) { return nsc_world_hash(&world); }
void EXPORT(keep)(void) { kept = world; }
void EXPORT(back)(void) { world = kept; }
int EXPORT(selfcheck)(void)
{
    unsigned detail = 0;
    int code = nsc_world_selfcheck(&world, &detail);
    return detail ? (int)detail : code;
}
