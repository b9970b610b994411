/* examples/cpp/nsc.hpp beside the calls of C: the same world by both has the same bits; handles of another kind do not
   compile; refusals are values; nothing allocates.  The matrix builds it in C++11, 17 and 20, without exceptions and RTTI. */
#define NSC_MAX_JOINTS 4
#define NSC_MAX_SPRINGS 2
#define NSC_MAX_EVENTS 8
#define NSC_CONVEX 1
#define NSC_HULL_VERTICES 8
#define NSC_LOCKS 1
#define NSC_WORDS 1
#define NSC_TERRAIN 1
#define NSC_MESHES 1
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"
#include "nsc_print.h"
#include "nsc_sense.h"
#include "nsc_robot.h"
#include "../../examples/cpp/nsc.hpp"
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#if __cplusplus >= 202002L
#include <span>
#endif

/* none of it may be called */
void *operator new(size_t) { abort(); }
void *operator new[](size_t) { abort(); }
void operator delete(void *) noexcept { abort(); }
void operator delete[](void *) noexcept { abort(); }
#if __cplusplus >= 201402L
void operator delete(void *, size_t) noexcept { abort(); }
void operator delete[](void *, size_t) noexcept { abort(); }
#endif

/* As std::vector and std::array do */
struct container {
    typedef unsigned char value_type;
    unsigned char held[60000];
    unsigned char *data() { return held; }
    const unsigned char *data() const { return held; }
    size_t size() const { return sizeof held; }
};
static container bytes;

static int failed;
#define CHECK(fact) ((fact) ? (void)0 : (void)(printf("hpp.cpp:%d: FAILED %s\n", __LINE__, #fact), failed++))

static_assert(std::is_trivially_copyable<nsc::world>::value, "a copy of a world is a memcpy");
static_assert(std::is_trivially_copyable<nsc::body_id>::value, "a handle is a number");
static_assert(!std::is_convertible<nsc::body_id, nsc::shape_id>::value, "a body is no shape");
static_assert(!std::is_convertible<nsc_id, nsc::body_id>::value, "a number is no body");
static_assert(!std::is_convertible<nsc::body_id, bool>::value, "nor is a body a number");
static_assert(!std::is_constructible<nsc::shape_id, nsc::body_id>::value, "not even if one insists");
static_assert(nsc::ground && nsc::ground.id == NSC_GROUND, "the ground is a constant");

static nsc::world one, copy;
static nsc_world two;

static void by_cpp(nsc::body_id &box, nsc::body_id &ball, nsc::joint_id &hinge)
{
    nsc::world_def def;
    def.substeps = 2;
    CHECK(one.init(def));
    CHECK(one.add(nsc::ground, nsc::half_space()));
    box = one.add(nsc::body_def(nsc::vec(0, 0, 1)));
    CHECK(box && one.add(box, nsc::box(NSC_R(0.5), NSC_R(0.25), NSC_R(0.5))));
    ball = one.add(nsc::body_def(nsc::vec(1, 0, 1)));
    CHECK(ball && one.add(ball, nsc::sphere(NSC_R(0.25))));
    nsc::joint_def joint(NSC_JOINT_HINGE, box, ball);
    CHECK(one.place(joint, nsc::vec(NSC_R(0.5), 0, 1), nsc::vec(0, 1, 0)));
    joint.axis[0].drive = NSC_DRIVE_MOTOR;
    joint.axis[0].max_force = 50;
    hinge = one.add(joint);
    CHECK(hinge && one.set_speed(hinge, 0, 2));
    for (int i = 0; i < 100; i++) CHECK(one.step(NSC_R(0.01)));
}

static void by_c()
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def ground = nsc_default_half_space_def(), shape = nsc_default_box_def(NSC_R(0.5), NSC_R(0.25), NSC_R(0.5));
    nsc_body_def body = nsc_default_body_def();
    def.substeps = 2;
    nsc_world_init(&two, &def);
    nsc_world_add_shape(&two, NSC_GROUND, &ground);
    body.pose.position.z = 1;
    nsc_id box = nsc_world_add_body(&two, &body);
    nsc_world_add_shape(&two, box, &shape);
    body.pose.position.x = 1;
    nsc_id ball = nsc_world_add_body(&two, &body);
    shape = nsc_default_sphere_def(NSC_R(0.25));
    nsc_world_add_shape(&two, ball, &shape);
    nsc_joint_def joint = nsc_default_joint_def(NSC_JOINT_HINGE, box, ball);
    nsc_joint_place(&two, &joint, nsc::vec(NSC_R(0.5), 0, 1), nsc::vec(0, 1, 0), nsc::vec(0, 0, 0));
    joint.axis[0].drive = NSC_DRIVE_MOTOR;
    joint.axis[0].max_force = 50;
    nsc_id hinge = nsc_world_add_joint(&two, &joint);
    nsc_joint_set_target(&two, hinge, 0, 0, 2);
    for (int i = 0; i < 100; i++) nsc_world_step(&two, NSC_R(0.01));
}

/* Calls of the parts: each says what the call of C says */
static void parts()
{
    static const nsc_real heights[4] = {0, 0, 0, 0};
    static const nsc_hull *const no_hulls[1] = {nullptr};
    static const nsc_mesh *const no_meshes[1] = {nullptr};
    static nsc_heights field = nsc_heights();
    static const nsc_heights *const fields[1] = {&field};
    nsc_id found[4];
    uint32_t user = 0;
    CHECK(one.init());
    nsc::body_id ball = one.add(nsc::body_def(nsc::vec(0, 0, 3))), box = one.add(nsc::body_def(nsc::vec(2, 0, 3)));
    CHECK(one.add(ball, nsc::sphere(NSC_R(0.5))) && one.add(box, nsc::box(NSC_R(0.5), NSC_R(0.5), NSC_R(0.5))));

    CHECK(*one.locks(ball) == 0 && one.set_locks(ball, NSC_LOCK_Z) && *one.locks(ball) == NSC_LOCK_Z);
    CHECK(nsc_body_get_locks(one.get(), ball.id) == NSC_LOCK_Z && one.set_locks(ball, 64).code == NSC_ERR_ARGUMENT);
    CHECK(one.locks(nsc::body_id()).code == NSC_ERR_HANDLE && *one.locks(nsc::body_id()) == 0);
    CHECK(one.set_damping(box, nsc::damping{1, 2}) && one.damping(box)->linear <= 1 && one.damping(box)->angular >= 2);
    CHECK(*one.kind(box) == NSC_DYNAMIC_BODY && one.set_kind(box, NSC_STATIC_BODY) && *one.kind(box) == NSC_STATIC_BODY);
    CHECK(one.set_kind(box, NSC_DYNAMIC_BODY) && one.set_kind(box, 7).code == NSC_ERR_ARGUMENT);
    CHECK(one.set_user(box, 77) && *one.user(box) == 77 && nsc_body_get_user(one.get(), box.id, &user) == NSC_OK && user == 77);

    nsc::spring_def spring(ball, box);
    spring.rest = 1;
    spring.stiffness = 10;
    nsc::spring_id s = one.add(spring);
    CHECK(s && one.def(s)->stiffness >= 10 && one.force(s)->length > NSC_R(1.99) && one.force(nsc::spring_id()).code == NSC_ERR_HANDLE);
    CHECK(one.step(NSC_R(0.01)) && one.force(s)->force.x < -9);
    CHECK(one.pose(ball)->position.z >= 3 && one.pose(box)->position.z < 3); /* one is locked, one falls */
    CHECK(one.remove(s) && !one.def(s));

    static nsc_box_tree tree;
    nsc_shape_def probe = nsc::sphere(NSC_R(0.25));
    probe.pose.position = nsc::vec(0, 0, 5);
    CHECK(one.make(tree));
    CHECK(one.cast(probe, nsc::vec(0, 0, -5)) && one.cast(tree, probe, nsc::vec(0, 0, -5)).shape == one.cast(probe, nsc::vec(0, 0, -5)).shape);
    CHECK(one.closest(nsc::vec(0, 0, 4), 1).of_body() == ball && one.closest(tree, nsc::vec(0, 0, 4), 1).of_body() == ball);
    CHECK(!one.closest(tree, nsc::vec(0, 0, 9), 1) && one.closest(tree, nsc::vec(0, 0, 9), 1).ok());
    probe.pose.position.z = 3;
    CHECK(*one.overlap(probe, found) == 1 && *one.overlap(tree, probe, found) == 1);

    CHECK(one.set_hulls(nsc::span<const nsc_hull *const>(no_hulls)).code == NSC_ERR_ARGUMENT && one.add_hull(box, 0).code() == NSC_ERR_ARGUMENT);
    CHECK(one.set_meshes(nsc::span<const nsc_mesh *const>(no_meshes)).code == NSC_ERR_ARGUMENT);
    CHECK(one.add_mesh(nsc::ground, 0).code() == NSC_ERR_ARGUMENT);
    field.nx = field.ny = 2;
    field.dx = field.dy = 10;
    field.height = heights;
    CHECK(nsc_heights_complete(&field) == NSC_OK && one.set_fields(fields) && one.add_height_field(nsc::ground, 0));
    CHECK(one.add_height_field(nsc::ground, 1).code() == NSC_ERR_ARGUMENT);
    CHECK(one.cast_ray(nsc::vec(5, 5, 5), nsc::vec(0, 0, -9)).of_body() == nsc::ground);
}

static const nsc_robot_link_def links[2] = {
    {"base", NSC_DYNAMIC_BODY, {{0, 0, 0}, {1, 0, 0, 0}}, 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}},
    {"arm", NSC_DYNAMIC_BODY, {{0, 0, 1}, {1, 0, 0, 0}}, 1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
static const nsc_robot_joint_def joints[1] = {
    {"elbow", NSC_JOINT_HINGE, 0, 0, 1, {{0, 0, 1}, {1, 0, 0, 0}}, {{0, 0, 0}, {1, 0, 0, 0}}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
     NSC_DRIVE_SERVO, 10, 1}};
static const nsc_robot_sensor_def sensors[1] = {
    {"angle", NSC_ROBOT_JOINT_POSITION, 0, 0, 1, {{0, 0, 0}, {1, 0, 0, 0}}}};
static const nsc_robot table = {"robot", 1, 2, 1, 0, 0, links, joints, nullptr, nullptr, 0, 1, nullptr, sensors, 0, nullptr};

static void robots()
{
    nsc::robot<2, 1> robot(table);
    nsc::robot<1, 1> small(table);
    nsc_real position = 0, target = 1;
    CHECK(one.init());
    CHECK(!small.add(one, nsc::pose(nsc::vec(0, 0, 1))));
    CHECK(small.link("arm").id == NSC_ERR_CAPACITY && small.read(one, "angle").code == NSC_ERR_CAPACITY);
    CHECK(!small.set_targets(one, &target, nullptr) && !small.get_state(one, &position, nullptr, nullptr));
    CHECK(robot.add(one, nsc::pose(nsc::vec(0, 0, 1))));
    CHECK(robot.link("arm") && robot.joint("elbow") && !robot.link("leg") && !robot.joint("knee"));
    CHECK(one.pose(robot.link("arm"))->position.z > NSC_R(1.99));
    CHECK(robot.set_targets(one, &target, nullptr));
    for (int i = 0; i < 400; i++) CHECK(one.step(NSC_R(0.01)));
    CHECK(robot.get_state(one, &position, nullptr, nullptr));
    CHECK(position > NSC_R(0.5));
    auto angle = robot.read(one, "angle");
    CHECK(angle.code == 1 && angle->value[0] >= position && angle->value[0] <= position);
    CHECK(!robot.read(one, "force") && !robot.set_state(one, nsc::pose(nsc::vec(0, 0, 1)), "home"));
}

int main()
{
    using namespace nsc::vectors;
    nsc::body_id box, ball, none;
    nsc::joint_id hinge;
    static unsigned char image[60000];
    by_cpp(box, ball, hinge);
    by_c();
    CHECK(one.hash() == nsc_world_hash(&two));

    int bodies = 0, shapes = 0, touching = 0;
    for (nsc::body_id b : one.bodies()) bodies += b == nsc::ground || one.pose(b) ? 1 : 0;
    for (nsc::shape_id s : one.shapes()) shapes += one.def(s) ? 1 : 0;
    for (const nsc_contact &c : one.contacts()) touching += c.gap < 1;
    CHECK(bodies == 3 && shapes == 3 && touching == nsc_world_contact_count(&two) && touching > 0);
    CHECK(one.drift(hinge) && one.drift(hinge)->distance < NSC_R(1e-3) && one.drift(hinge)->angle < NSC_R(1e-3));
    CHECK(one.remove(ball) && one.axis(hinge, 0).code == NSC_ERR_HANDLE && one.axis(hinge, 0).value.position <= 0);
    bodies = 0;
    for (nsc::body_id b : one.bodies()) bodies += b != ball ? 1 : 0;
    CHECK(bodies == 2);

    /* refusals are values */
    nsc::body_def heavy;
    heavy.mass = -2;
    nsc::body_id refused = one.add(heavy);
    CHECK(!refused && refused.code() == NSC_ERR_ARGUMENT && one.refusal().value < -1);
    CHECK(!one.pose(refused) && !one.pose(none) && one.pose(none).value_or(nsc::pose(nsc::vec(7, 0, 0))).position.x > 6);
    CHECK(!one.step(0) && one.step(0).text()[0]);
    FILE *said = tmpfile();
    char line[200] = "";
    CHECK(said && !one.print_refusal(said, refused = one.add(heavy)) && one.print_refusal(said, one.pose(box)));
    if (said) rewind(said);
    CHECK(said && fgets(line, sizeof line, said) && strstr(line, "nsc_body_def.mass is -2") && !fgets(line, sizeof line, said));
    if (said) rewind(said); /* a getter keeps no reason: that of the call before is not its own */
    CHECK(said && !one.print_refusal(said, one.axis(hinge, 0)));
    if (said) rewind(said);
    CHECK(said && fgets(line, sizeof line, said) && strstr(line, "NSC_ERR_HANDLE") && !strstr(line, "mass"));
    if (said) fclose(said);
    CHECK(one.velocity(box) && one.mass(box)->mass > 1 && one.contact_force(box) && one.asleep(box) && !*one.asleep(box));

    /* a copy is a snapshot; the same questions, the same answers */
    copy = one;
    CHECK(one.step(NSC_R(0.01)) && copy.step(NSC_R(0.01)) && one.hash() == copy.hash());
    CHECK(one.add_force(box, nsc::vec(0, 0, 100)) && one.step(NSC_R(0.01)) && copy.step(NSC_R(0.01)) && one.hash() != copy.hash());
    one = copy;
    CHECK(one.hash() == copy.hash());
    nsc::hit hit = one.cast_ray(nsc::vec(3, 3, 3), nsc::vec(0, 0, -9));
    CHECK(hit && hit.of_body() == nsc::ground && hit.distance > NSC_R(2.99) && hit.distance < NSC_R(3.01));
    CHECK(!one.cast_ray(nsc::vec(3, 3, 3), nsc::vec(0, 0, 9)) && one.cast_ray(nsc::vec(3, 3, 3), nsc::vec(0, 0, 9)).ok());
    CHECK(!one.cast_ray(nsc::vec(3, 3, 3), nsc::vec(0, 0, 0)).ok() && !nsc::hit().of_body());
    static nsc_box_tree tree;
    CHECK(one.make(tree) && one.cast_ray(tree, nsc::vec(3, 3, 3), nsc::vec(0, 0, -9)).shape == hit.shape);
    CHECK(one.step(NSC_R(0.01)) && copy.step(NSC_R(0.01)) && !one.cast_ray(tree, nsc::vec(3, 3, 3), nsc::vec(0, 0, -9)).ok());
    nsc_id found[4];
    CHECK(*one.overlap(nsc::sphere(100), found) == 2);
    nsc::result<int> size = one.save(image);
    CHECK(*size == one.save_size());
    nsc::result<int> saved = one.save(bytes);
    CHECK(saved && *saved == *size && copy.load(bytes) && copy.hash() == one.hash());
    CHECK(size && copy.init() && copy.load(nsc::span<const unsigned char>(image, size_t(*size))) && copy.hash() == one.hash());
    nsc_vec3 v = 2 * nsc::vec(1, 2, 3) - nsc::vec(1, 1, 1) + cross(nsc::vec(1, 0, 0), nsc::vec(0, 1, 0));
    CHECK(dot(v, v) > NSC_R(45.9) && dot(v, v) < NSC_R(46.1));
    nsc::spring_id spring = one.add(nsc::spring_def(nsc::ground, box));
    CHECK(!spring && spring.code() == NSC_ERR_ARGUMENT);
#if __cplusplus >= 202002L
    std::span<const nsc_contact> contacts = one.contacts();
    CHECK(contacts.size() == one.contacts().size() && contacts.data() == one.contacts().data());
#endif
    parts();
    robots();
    return failed;
}
