/* nsc.hpp - nsc from C++11 and later: typed handles, spans, results; no exceptions, no heap, no RTTI
   MIT licence, at the end of nsc.h.
   Files: beside nsc.h and nsc_solvers.h none.  What files of examples/kit add is here too if these
   are included before: nsc_sense.h, nsc_image.h, nsc_print.h, nsc_robot.h; joints (nsc_joints.h,
   nsc_joint_state.h), springs, locks, words, hulls, height fields and meshes if their macros
   (NSC_MAX_JOINTS, NSC_MAX_SPRINGS, NSC_LOCKS, NSC_WORDS ...) ask for them.

   EXAMPLE
       #define NSC_IMPLEMENTATION                  in exactly one file
       #include "nsc.h"
       #include "nsc.hpp"

       static nsc::world world;                    an nsc_world, and nothing more
       if (!world.init()) return 1;
       world.add(nsc::ground, nsc::half_space());
       nsc::body_id box = world.add(nsc::body_def(nsc::vec(0, 0, 2)));
       if (!world.print_refusal(stderr, world.add(box, nsc::box(1, 1, 1)))) return 1;  nsc_print.h
       for (int i = 0; i < 240; i++)
           if (!world.step(1 / NSC_R(240.0))) return 1;
       for (const nsc_contact &c : world.contacts()) ...

   A handle names an object of a world and of every copy of it: copies of a world are values, so a
   copy is a snapshot, and an assignment goes back to it.  A handle that holds an error code is
   false; a body's handle does not pass for a shape's.  Every call does what the call of the same
   name in nsc.h does, at its cost, with its errors and units; nothing is stored beside the world. */
#ifndef NSC_HPP
#define NSC_HPP

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif
#if NSC_MAX_JOINTS > 0
#include "nsc_joint_state.h" /* not found: copy examples/kit/nsc_joint_state.h */
#endif
#include <stddef.h>

#if defined(__cplusplus) && __cplusplus >= 201703L
#define NSC_HPP_USE [[nodiscard]]
#else
#define NSC_HPP_USE
#endif

namespace nsc {

/* ---- results: a code, and what was asked for */

/* What a call returned: true unless it was refused */
struct NSC_HPP_USE status {
    int code; /* NSC_OK, another value >= 0, or NSC_ERR_* */
    constexpr explicit operator bool() const { return code >= 0; }
    const char *text() const { return nsc_error_text(code); }
};

/* A value, and the code of the call that made it; where that is negative the value is all zeros, but that of selfcheck(). */
template <class T> struct NSC_HPP_USE result {
    T value;
    int code;
    constexpr explicit operator bool() const { return code >= 0; }
    constexpr const T &operator*() const { return value; }
    constexpr const T *operator->() const { return &value; }
    constexpr T value_or(const T &other) const { return code >= 0 ? value : other; }
    const char *text() const { return nsc_error_text(code); }
};

/* ---- handles: each kind is a type of its own, as large as an nsc_id */

template <int Kind> struct handle {
    nsc_id id; /* negative: the error code of the call that should have made it */
    constexpr handle() : id(NSC_ERR_HANDLE) {}
    constexpr explicit handle(nsc_id made) : id(made) {}
    constexpr explicit operator bool() const { return id >= 0; }
    constexpr int code() const { return id < 0 ? static_cast<int>(id) : NSC_OK; }
    const char *text() const { return nsc_error_text(code()); }
    friend constexpr bool operator==(handle a, handle b) { return a.id == b.id; }
    friend constexpr bool operator!=(handle a, handle b) { return a.id != b.id; }
};
typedef handle<1> body_id;
typedef handle<2> shape_id;
typedef handle<3> joint_id;
typedef handle<4> spring_id;
constexpr body_id ground = body_id(NSC_GROUND);

/* ---- spans: a pointer and a count, as std::span, to which they convert in C++20 */

template <class T> class span {
public:
    typedef T element_type;
    typedef size_t size_type;
    constexpr span() : data_(nullptr), size_(0) {}
    constexpr span(T *data, size_t size) : data_(data), size_(size) {}
    template <size_t N> constexpr span(T (&array)[N]) : data_(array), size_(N) {}
    /* std::vector, std::array and what else has data() and size() */
    template <class C, class = typename C::value_type>
    constexpr span(C &all) : data_(all.data()), size_(all.size()) {}
    constexpr T *data() const { return data_; }
    constexpr size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }
    constexpr T &operator[](size_t i) const { return data_[i]; }

private:
    T *data_;
    size_t size_;
};

/* The handles of all objects of one kind: for (nsc::body_id b : world.bodies()).  Adding or
   removing objects meanwhile is allowed; what is added may be met or not. */
template <class Handle, nsc_id (*at)(const nsc_world *, int), int capacity> class handles {
public:
    class iterator {
    public:
        iterator(const nsc_world *of, int first) : world_(of), index_(first) { skip(); }
        Handle operator*() const { return Handle(at(world_, index_)); }
        iterator &operator++() { return index_++, skip(), *this; }
        bool operator!=(const iterator &other) const { return index_ != other.index_; }
        bool operator==(const iterator &other) const { return index_ == other.index_; }

    private:
        void skip()
        {
            while (index_ < capacity && at(world_, index_) < 0) index_++;
        }
        const nsc_world *world_;
        int index_;
    };
    explicit handles(const nsc_world *of) : world_(of) {}
    iterator begin() const { return iterator(world_, 0); }
    iterator end() const { return iterator(world_, capacity); }

private:
    const nsc_world *world_;
};

/* ---- vectors, and definitions that begin with their defaults */

inline nsc_vec3 vec(nsc_real x, nsc_real y, nsc_real z)
{
    nsc_vec3 v = nsc_vec3();
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/* using namespace nsc::vectors; the compiler may contract these, the step's own are its own */
namespace vectors {
inline nsc_vec3 operator+(nsc_vec3 a, nsc_vec3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
inline nsc_vec3 operator-(nsc_vec3 a, nsc_vec3 b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
inline nsc_vec3 operator*(nsc_real s, nsc_vec3 v) { return vec(s * v.x, s * v.y, s * v.z); }
inline nsc_real dot(nsc_vec3 a, nsc_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline nsc_vec3 cross(nsc_vec3 a, nsc_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
} // namespace vectors

inline nsc_pose pose(nsc_vec3 position)
{
    nsc_pose p = nsc_default_body_def().pose;
    p.position = position;
    return p;
}

struct world_def : nsc_world_def {
    world_def() : nsc_world_def(nsc_default_world_def()) {}
};

struct body_def : nsc_body_def {
    body_def() : nsc_body_def(nsc_default_body_def()) {}
    explicit body_def(nsc_vec3 position, int body_kind = NSC_DYNAMIC_BODY)
        : nsc_body_def(nsc_default_body_def())
    {
        pose.position = position;
        kind = body_kind;
    }
};

inline nsc_shape_def sphere(nsc_real radius) { return nsc_default_sphere_def(radius); }
inline nsc_shape_def capsule(nsc_real radius, nsc_real half_length)
{
    return nsc_default_capsule_def(radius, half_length);
}
inline nsc_shape_def box(nsc_real half_x, nsc_real half_y, nsc_real half_z)
{
    return nsc_default_box_def(half_x, half_y, half_z);
}
inline nsc_shape_def half_space() { return nsc_default_half_space_def(); }
#if NSC_CONVEX
inline nsc_shape_def cylinder(nsc_real radius, nsc_real half_length)
{
    return nsc_default_cylinder_def(radius, half_length);
}
#endif

#if NSC_MAX_JOINTS > 0
struct joint_def : nsc_joint_def {
    joint_def(int joint_kind, body_id a, body_id b)
        : nsc_joint_def(nsc_default_joint_def(joint_kind, a.id, b.id))
    {
    }
};
#endif
#if NSC_MAX_SPRINGS > 0
struct spring_def : nsc_spring_def {
    spring_def(body_id a, body_id b) : nsc_spring_def(nsc_default_spring_def(a.id, b.id)) {}
};
#endif

/* ---- what getters hand out */

struct motion {
    nsc_vec3 linear, angular; /* of the centre of mass [m/s], [rad/s], world frame */
};
struct wrench {
    nsc_vec3 force, moment; /* [N], [N m], world frame */
};
struct mass_of {
    nsc_real mass;       /* [kg] */
    nsc_vec3 centre;     /* body frame [m] */
    nsc_real inertia[6]; /* about the centre, body frame [kg m^2] xx yy zz xy xz yz */
};
#if NSC_MAX_JOINTS > 0
struct drift {
    nsc_real distance, angle; /* that should be 0 [m], [rad] */
};
#endif
#if NSC_MAX_SPRINGS > 0
struct stretch {
    nsc_real length; /* [m] */
    nsc_vec3 force;  /* on its second body [N], world frame */
};
#endif
#if NSC_LOCKS
struct damping {
    nsc_real linear, angular; /* [1/s] */
};
#endif
#ifdef NSC_SENSE_H
/* What a ray or a cast shape met: true if anything.  ok(): the question was not refused. */
struct hit : nsc_hit {
    int code;
    constexpr explicit operator bool() const { return code > 0; }
    constexpr bool ok() const { return code >= 0; }
    constexpr body_id of_body() const { return body_id(code > 0 ? body : NSC_ERR_HANDLE); }
    constexpr shape_id of_shape() const { return shape_id(code > 0 ? shape : NSC_ERR_HANDLE); }
};
#endif

/* ---- the world */

class world {
public:
    nsc_world raw; /* for the calls of C */

    nsc_world *get() { return &raw; }
    const nsc_world *get() const { return &raw; }

    /* world */
    status init(const nsc_world_def &def = world_def())
    {
        return status{nsc_world_init(&raw, &def)};
    }
    status set(const nsc_world_def &def) { return status{nsc_world_set_def(&raw, &def)}; }
    status step(nsc_real h) { return status{nsc_world_step(&raw, h)}; }
    status step(nsc_real h, const nsc_calls &calls)
    {
        return status{nsc_world_step_with(&raw, h, &calls)};
    }
    const nsc_step_report &report() const { return *nsc_world_report(&raw); }
    nsc_refusal refusal() const { return nsc_world_last_refusal(&raw); }
#ifdef NSC_PRINT_H
    /* Print why a call was refused, if it was, by nsc_print.h; true unless it was:
       if (!world.print_refusal(stderr, box = world.add(def))) return 1; */
    template <class Returned> bool print_refusal(FILE *to, const Returned &returned)
    {
        return nsc_print_refusal(to, &raw, code_of(returned, 0)) >= 0;
    }
    /* The code of a status, result or hit; of a handle */
    template <class Returned>
    static auto code_of(const Returned &r, int) -> decltype(static_cast<int>(r.code))
    {
        return r.code;
    }
    template <class Returned> static int code_of(const Returned &r, long) { return r.code(); }
#endif
    result<unsigned> selfcheck()
    {
        unsigned detail = 0;
        int code = nsc_world_selfcheck(&raw, &detail);
        return result<unsigned>{detail, code};
    }

    /* what it holds; spans are valid until the next step */
    handles<body_id, nsc_world_body_at, NSC_MAX_BODIES> bodies() const
    {
        return handles<body_id, nsc_world_body_at, NSC_MAX_BODIES>(&raw);
    }
    handles<shape_id, nsc_world_shape_at, NSC_MAX_SHAPES> shapes() const
    {
        return handles<shape_id, nsc_world_shape_at, NSC_MAX_SHAPES>(&raw);
    }
    span<const nsc_contact> contacts() const
    {
        return span<const nsc_contact>(nsc_world_contact(&raw, 0),
                                       static_cast<size_t>(nsc_world_contact_count(&raw)));
    }
    span<const nsc_event> events() const
    {
        return span<const nsc_event>(nsc_world_event(&raw, 0),
                                     static_cast<size_t>(nsc_world_event_count(&raw)));
    }

    /* bodies and shapes */
    body_id add(const nsc_body_def &def) { return body_id(nsc_world_add_body(&raw, &def)); }
    shape_id add(body_id body, const nsc_shape_def &def)
    {
        return shape_id(nsc_world_add_shape(&raw, body.id, &def));
    }
    status add(const nsc_contact &contact) { return status{nsc_world_add_contact(&raw, &contact)}; }
    status remove(body_id body) { return status{nsc_world_remove_body(&raw, body.id)}; }
    status remove(shape_id shape) { return status{nsc_world_remove_shape(&raw, shape.id)}; }
    result<nsc_shape_def> def(shape_id shape) const
    {
        result<nsc_shape_def> r = result<nsc_shape_def>();
        r.code = nsc_shape_get_def(&raw, shape.id, &r.value);
        return r;
    }
    status set(shape_id shape, const nsc_shape_def &def)
    {
        return status{nsc_shape_set_def(&raw, shape.id, &def)};
    }

    result<nsc_pose> pose(body_id body) const
    {
        result<nsc_pose> r = result<nsc_pose>();
        r.code = nsc_body_get_pose(&raw, body.id, &r.value);
        return r;
    }
    status set_pose(body_id body, const nsc_pose &to)
    {
        return status{nsc_body_set_pose(&raw, body.id, to)};
    }
    result<motion> velocity(body_id body) const
    {
        result<motion> r = result<motion>();
        r.code = nsc_body_get_velocity(&raw, body.id, &r.value.linear, &r.value.angular);
        return r;
    }
    status set_velocity(body_id body, const motion &to)
    {
        return status{nsc_body_set_velocity(&raw, body.id, to.linear, to.angular)};
    }
    result<mass_of> mass(body_id body) const
    {
        result<mass_of> r = result<mass_of>();
        r.code = nsc_body_get_mass(&raw, body.id, &r.value.mass, &r.value.centre, r.value.inertia);
        return r;
    }
    status set_mass(body_id body, nsc_real mass)
    {
        return status{nsc_body_set_mass(&raw, body.id, mass)};
    }
    status add_force(body_id body, nsc_vec3 force, nsc_vec3 torque = nsc_vec3())
    {
        return status{nsc_body_add_force(&raw, body.id, force, torque)};
    }
    status add_force_at(body_id body, nsc_vec3 force, nsc_vec3 point)
    {
        return status{nsc_body_add_force_at(&raw, body.id, force, point)};
    }
    status clear_force(body_id body) { return status{nsc_body_clear_force(&raw, body.id)}; }
    status add_impulse_at(body_id body, nsc_vec3 impulse, nsc_vec3 point)
    {
        return status{nsc_body_add_impulse_at(&raw, body.id, impulse, point)};
    }
    result<wrench> contact_force(body_id body) const
    {
        result<wrench> r = result<wrench>();
        r.code = nsc_body_get_contact_force(&raw, body.id, &r.value.force, &r.value.moment);
        return r;
    }
    result<bool> asleep(body_id body) const
    {
        int code = nsc_body_is_asleep(&raw, body.id);
        return result<bool>{code > 0, code};
    }
    status wake(body_id body) { return status{nsc_body_wake(&raw, body.id)}; }
#if NSC_LOCKS
    /* NSC_LOCKS: nsc_locks.h */
    result<int> locks(body_id body) const { return number(nsc_body_get_locks(&raw, body.id)); }
    status set_locks(body_id body, int locks)
    {
        return status{nsc_body_set_locks(&raw, body.id, locks)};
    }
    result<nsc::damping> damping(body_id body) const
    {
        result<nsc::damping> r = result<nsc::damping>();
        r.code = nsc_body_get_damping(&raw, body.id, &r.value.linear, &r.value.angular);
        return r;
    }
    status set_damping(body_id body, const nsc::damping &to)
    {
        return status{nsc_body_set_damping(&raw, body.id, to.linear, to.angular)};
    }
    result<int> kind(body_id body) const { return number(nsc_body_get_kind(&raw, body.id)); }
    status set_kind(body_id body, int kind)
    {
        return status{nsc_body_set_kind(&raw, body.id, kind)};
    }
#endif
#if NSC_WORDS
    result<uint32_t> user(body_id body) const
    {
        result<uint32_t> r = result<uint32_t>();
        r.code = nsc_body_get_user(&raw, body.id, &r.value);
        return r;
    }
    status set_user(body_id body, uint32_t user)
    {
        return status{nsc_body_set_user(&raw, body.id, user)};
    }
#endif

    /* shapes of your tables: give the world the table, then add its entries by their index */
#if NSC_HULL_VERTICES
    status set_hulls(span<const nsc_hull *const> all)
    {
        return status{nsc_world_set_hulls(&raw, all.data(), static_cast<int>(all.size()))};
    }
    shape_id add_hull(body_id body, int index, const nsc_shape_def &def = nsc_default_hull_def())
    {
        return shape_id(nsc_world_add_hull(&raw, body.id, &def, index));
    }
#endif
#if NSC_TERRAIN
    status set_fields(span<const nsc_heights *const> all)
    {
        return status{nsc_world_set_fields(&raw, all.data(), static_cast<int>(all.size()))};
    }
    shape_id add_height_field(body_id body, int index,
                              const nsc_shape_def &def = nsc_default_height_field_def())
    {
        return shape_id(nsc_world_add_height_field(&raw, body.id, &def, index));
    }
#endif
#if NSC_MESHES
    status set_meshes(span<const nsc_mesh *const> all)
    {
        return status{nsc_world_set_meshes(&raw, all.data(), static_cast<int>(all.size()))};
    }
    shape_id add_mesh(body_id body, int index, const nsc_shape_def &def = nsc_default_mesh_def())
    {
        return shape_id(nsc_world_add_mesh(&raw, body.id, &def, index));
    }
#endif

#if NSC_MAX_JOINTS > 0
    /* joints */
    joint_id add(const nsc_joint_def &def) { return joint_id(nsc_world_add_joint(&raw, &def)); }
    status remove(joint_id joint) { return status{nsc_world_remove_joint(&raw, joint.id)}; }
    /* Both frames of def at this point and along these axes of the world */
    status place(nsc_joint_def &def, nsc_vec3 point, nsc_vec3 axis,
                 nsc_vec3 across = nsc_vec3())
    {
        return status{nsc_joint_place(&raw, &def, point, axis, across)};
    }
    result<nsc_joint_def> def(joint_id joint) const
    {
        result<nsc_joint_def> r = result<nsc_joint_def>();
        r.code = nsc_joint_get_def(&raw, joint.id, &r.value);
        return r;
    }
    status set(joint_id joint, int axis, const nsc_axis_def &def)
    {
        return status{nsc_joint_set_axis(&raw, joint.id, axis, &def)};
    }
    status set_target(joint_id joint, int axis, nsc_real target, nsc_real velocity = 0)
    {
        return status{nsc_joint_set_target(&raw, joint.id, axis, target, velocity)};
    }
    /* Of a motor: its target velocity.  Set_target with one number would stop it. */
    status set_speed(joint_id joint, int axis, nsc_real velocity)
    {
        return set_target(joint, axis, 0, velocity);
    }
    status set_force(joint_id joint, int axis, nsc_real force)
    {
        return status{nsc_joint_set_force(&raw, joint.id, axis, force)};
    }
    status set_state(joint_id joint, int axis, nsc_real position, nsc_real velocity)
    {
        return status{nsc_joint_set_state(&raw, joint.id, axis, position, velocity)};
    }
    result<nsc_axis_state> axis(joint_id joint, int axis) const
    {
        result<nsc_axis_state> r = result<nsc_axis_state>();
        r.code = nsc_joint_get_axis(&raw, joint.id, axis, &r.value);
        return r;
    }
    result<wrench> force(joint_id joint) const
    {
        result<wrench> r = result<wrench>();
        r.code = nsc_joint_get_force(&raw, joint.id, &r.value.force, &r.value.moment);
        return r;
    }
    result<nsc::drift> drift(joint_id joint) const
    {
        result<nsc::drift> r = result<nsc::drift>();
        r.code = nsc_joint_get_drift(&raw, joint.id, &r.value.distance, &r.value.angle);
        return r;
    }
#endif

#if NSC_MAX_SPRINGS > 0
    /* springs */
    spring_id add(const nsc_spring_def &def) { return spring_id(nsc_world_add_spring(&raw, &def)); }
    status remove(spring_id spring) { return status{nsc_world_remove_spring(&raw, spring.id)}; }
    status set(spring_id spring, const nsc_spring_def &def)
    {
        return status{nsc_spring_set_def(&raw, spring.id, &def)};
    }
    result<nsc_spring_def> def(spring_id spring) const
    {
        result<nsc_spring_def> r = result<nsc_spring_def>();
        r.code = nsc_spring_get_def(&raw, spring.id, &r.value);
        return r;
    }
    result<stretch> force(spring_id spring) const
    {
        result<stretch> r = result<stretch>();
        r.code = nsc_spring_get_force(&raw, spring.id, &r.value.length, &r.value.force);
        return r;
    }
#endif

#ifdef NSC_SENSE_H
    /* rays, casts, overlaps; they meet sensors too, but for what the mask leaves out */
    hit cast_ray(nsc_vec3 origin, nsc_vec3 ray, uint32_t mask = 0xffffffffu) const
    {
        hit h = hit();
        h.code = nsc_world_cast_ray(&raw, origin, ray, mask, &h);
        return h;
    }
    hit cast(const nsc_shape_def &def, nsc_vec3 way, uint32_t mask = 0xffffffffu)
    {
        hit h = hit();
        h.code = nsc_world_cast_shape(&raw, &def, way, mask, &h);
        return h;
    }
    hit closest(nsc_vec3 point, nsc_real distance, uint32_t mask = 0xffffffffu)
    {
        hit h = hit();
        h.code = nsc_world_closest(&raw, point, distance, mask, &h);
        return h;
    }
    /* Returns how many overlap, which may be more than there is room for, or an error */
    result<int> overlap(const nsc_shape_def &def, span<nsc_id> found, uint32_t mask = 0xffffffffu)
    {
        return number(
            nsc_world_overlap(&raw, &def, mask, found.data(), static_cast<int>(found.size())));
    }

    /* The same where a step is asked often: make the tree after it; a ray is three times as quick. */
    status make(nsc_box_tree &tree) const { return status{nsc_box_tree_make(&tree, &raw)}; }
    hit cast_ray(const nsc_box_tree &tree, nsc_vec3 origin, nsc_vec3 ray,
                 uint32_t mask = 0xffffffffu) const
    {
        hit h = hit();
        h.code = nsc_box_tree_cast_ray(&tree, &raw, origin, ray, mask, &h);
        return h;
    }
    hit cast(const nsc_box_tree &tree, const nsc_shape_def &def, nsc_vec3 way,
             uint32_t mask = 0xffffffffu)
    {
        hit h = hit();
        h.code = nsc_box_tree_cast_shape(&tree, &raw, &def, way, mask, &h);
        return h;
    }
    hit closest(const nsc_box_tree &tree, nsc_vec3 point, nsc_real distance,
                uint32_t mask = 0xffffffffu)
    {
        hit h = hit();
        h.code = nsc_box_tree_closest(&tree, &raw, point, distance, mask, &h);
        return h;
    }
    result<int> overlap(const nsc_box_tree &tree, const nsc_shape_def &def, span<nsc_id> found,
                        uint32_t mask = 0xffffffffu)
    {
        return number(nsc_box_tree_overlap(&tree, &raw, &def, mask, found.data(),
                                           static_cast<int>(found.size())));
    }
#endif

#ifdef NSC_IMAGE_H
    /* images and hashes */
    int save_size() const { return nsc_world_save_size(&raw); }
    result<int> save(span<unsigned char> image) const
    {
        return number(nsc_world_save(&raw, image.data(), static_cast<int>(image.size())));
    }
    status load(span<const unsigned char> image)
    {
        return status{nsc_world_load(&raw, image.data(), static_cast<int>(image.size()))};
    }
    uint32_t hash() const { return nsc_world_hash(&raw); }
#endif

private:
    /* What a call returns that is a number, or negative an error */
    static result<int> number(int n) { return result<int>{n < 0 ? 0 : n, n < 0 ? n : NSC_OK}; }
};

static_assert(sizeof(world) == sizeof(nsc_world), "a world is an nsc_world and nothing more");
static_assert(sizeof(body_id) == sizeof(nsc_id), "a handle is an nsc_id and nothing more");

#ifdef NSC_KIT_ROBOT_H
/* ---- a robot of a table, as the handles of its links and joints: a value like a handle.  Links
   and Joints are at least what the table has; add() refuses a table that has more. */
template <int Links, int Joints> class robot {
public:
    explicit robot(const nsc_robot &table) : table_(&table)
    {
        for (nsc_id &id : body_) id = NSC_ERR_HANDLE;
        for (nsc_id &id : joint_) id = NSC_ERR_HANDLE;
    }
    status add(world &to, const nsc_pose &base)
    {
        if (!fits()) return status{NSC_ERR_CAPACITY};
        return status{nsc_robot_add(&to.raw, table_, base, body_, joint_)};
    }
    /* By name; a name that there is not gives a handle that is false */
    body_id link(const char *name) const
    {
        int i = nsc_robot_link(table_, name);
        return body_id(i < 0 ? i : fits() ? body_[i] : NSC_ERR_CAPACITY);
    }
    joint_id joint(const char *name) const
    {
        int i = nsc_robot_joint(table_, name);
        return joint_id(i < 0 ? i : fits() ? joint_[i] : NSC_ERR_CAPACITY);
    }
    status set_state(world &of, const nsc_pose &base, const char *name) const
    {
        int i = nsc_robot_state(table_, name);
        if (i < 0) return status{i};
        if (!fits()) return status{NSC_ERR_CAPACITY};
        return status{nsc_robot_set_state(&of.raw, table_, base, i, body_, joint_)};
    }
    /* Numbers of a sensor, up to 4; the count is in `code` */
    struct reading {
        nsc_real value[4];
    };
    result<reading> read(const world &of, const char *sensor) const
    {
        result<reading> r = result<reading>();
        r.code = fits() ? nsc_robot_sensor(table_, sensor) : NSC_ERR_CAPACITY;
        if (r.code >= 0)
            r.code = nsc_robot_read(&of.raw, table_, body_, joint_, r.code, r.value.value);
        return r;
    }
#if NSC_MAX_JOINTS > 0
    status get_state(const world &of, nsc_real *position, nsc_real *velocity,
                     nsc_real *force) const
    {
        if (!fits()) return status{NSC_ERR_CAPACITY};
        return status{nsc_robot_get_state(&of.raw, table_, joint_, position, velocity, force)};
    }
    status set_targets(world &of, const nsc_real *position, const nsc_real *velocity) const
    {
        if (!fits()) return status{NSC_ERR_CAPACITY};
        return status{nsc_robot_set_targets(&of.raw, table_, joint_, position, velocity)};
    }
#endif
    const nsc_robot &table() const { return *table_; }

private:
    bool fits() const { return table_->links <= Links && table_->joints <= Joints; }
    const nsc_robot *table_;
    nsc_id body_[static_cast<size_t>(Links)];
    nsc_id joint_[static_cast<size_t>(Joints > 0 ? Joints : 1)];
};
#endif

} // namespace nsc
#endif
