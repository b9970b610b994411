/* nsc_gears.h - gears between two joints; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_GEARS, 1 where this file is beside nsc_joints.h, which includes it.
   Beside it: nsc.h, nsc_joints.h.

   NSC_JOINT_GEAR keeps axis 0 of joint_a at ratio times that of joint_b, plus their offset when it
   is added; both are hinges or sliders on one body_a, or on static ones.  Its axis[0].spring > 0
   [N/m, N m/rad of joint_a] and spring_damping make its teeth compliant.

   Limits: on one common axis, or of sliders side by side, it needs a base that is not dynamic. */
#ifndef NSC_GEARS_H
#define NSC_GEARS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_MAX_JOINTS > 0 before nsc.h, which then includes nsc_joints.h and nsc_gears.h"
#endif

#define nsci_is_gear(d) ((d)->kind == NSC_JOINT_GEAR)

/* Reasons for refusals (>>checks in nsc.h) */
#define NSCI_GEAR_REASONS(R) \
    R(NSCI_BAD_RATIO, "nsc_joint_def.ratio", "1e-6..1e6 or its negative") \
    R(NSCI_BAD_GEAR, "nsc_joint_def.joint_a", \
      "gear: two hinges or sliders whose base is one body, or does not move, and that drive two " \
      "bodies")

#elif defined(NSCI_PROTOTYPES) /* nsc_joints.h includes it again */

NSC_MAYBE_UNUSED static int nsci_has_gear(const nsc_world *w, nsc_id body);

#elif defined(NSCI_CODE) /* and again */

/* Velocities at point o of joint_a's or joint_b's driven body per unit velocity of its axis */
static void nsci_screw(const nsci_frames *f, nsc_vec3 o, nsc_vec3 *linear, nsc_vec3 *angular)
{
    nsc_vec3 z = f->A.c[2];
    int slides = f->j->def.kind == NSC_JOINT_SLIDER;
    *linear = slides ? z : nsci_cross(z, nsci_sub(o, f->pb));
    *angular = slides ? nsci_vec(0, 0, 0) : z;
}

/* Force s along, or torque s about, one joint's axis on its driven body */
static void nsci_single_wrench(const nsci_frames *f, nsc_real s, nsc_real *J)
{
    nsc_vec3 d = nsci_mul_sv(s, f->A.c[2]);
    nsc_vec3 couple = d;
    if (f->j->def.kind == NSC_JOINT_SLIDER)
        couple = nsci_cross(f->rb, d);
    else
        d = nsci_vec(0, 0, 0);
    nsci_put_pair(J, d, couple);
}

/* A gear is a wrench between the two driven bodies that does work 1 on axis 0 of joint_a and -ratio
   on that of joint_b.  As in a gearbox, the bearings load the base with its share, and the base's
   own motion drops out.  The smallest such wrench at the midpoint o is taken; the lever that weighs
   force against couple is at least the radius of a pinion, whose rack may pass it.  On one common
   axis there is none: each wheel is then turned against an immovable base, and 1 is returned. */
static int nsci_gear_wrench(const nsci_frames *f1, const nsci_frames *f2, nsc_real ratio,
                            nsc_real *J)
{
    nsc_vec3 o = nsci_mul_sv(NSC_R(0.5), nsci_add(f1->pb, f2->pb));
    nsc_vec3 v1, o1, v2, o2, force, couple;
    nsc_vec3 apart = nsci_sub(f1->pb, f2->pb);
    nsc_real L2 = nsci_dot3(apart, apart);
    nsc_real g11, g12, g22, det, s, t;
    nsci_screw(f1, o, &v1, &o1);
    nsci_screw(f2, o, &v2, &o2);
    if (f1->j->def.kind != f2->j->def.kind) {
        nsc_real radius = f2->j->def.kind == NSC_JOINT_SLIDER ? 1 / ratio : ratio;
        L2 = nsci_max(L2, radius * radius);
    }
    L2 = L2 > NSC_R(1e-12) ? 1 / L2 : 1;
    g11 = L2 * nsci_dot3(v1, v1) + nsci_dot3(o1, o1);
    g12 = L2 * nsci_dot3(v1, v2) + nsci_dot3(o1, o2);
    g22 = L2 * nsci_dot3(v2, v2) + nsci_dot3(o2, o2);
    det = g11 * g22 - g12 * g12;
    if (det <= NSC_R(1e-4) * g11 * g22) {
        nsci_single_wrench(f1, 1, J);
        nsci_single_wrench(f2, -ratio, J + 6);
        return 1;
    }
    s = (g22 - ratio * g12) / det;
    t = (ratio * g11 - g12) / det;
    force = nsci_mul_sv(L2, nsci_add_sv(nsci_mul_sv(s, v1), t, v2));
    couple = nsci_add_sv(nsci_mul_sv(s, o1), t, o2);
    nsci_fill_row(J, nsci_neg(force), nsci_sub(o, f1->w->bodies[f1->b].position),
                  nsci_sub(o, f2->w->bodies[f2->b].position));
    J[3] += couple.x;
    J[4] += couple.y;
    J[5] += couple.z;
    J[9] -= couple.x;
    J[10] -= couple.y;
    J[11] -= couple.z;
    return 0;
}

static const nsc_joint *nsci_joint_at(const nsc_world *w, nsc_id id)
{
    int i = nsci_find(w, NSCI_JOINT_HANDLE, id);
    return i < 0 ? NULL : &w->joints[i];
}

/* Place both joints of a gear; 0 if it has lost one. */
static int nsci_place_gear(const nsc_world *w, const nsc_joint_def *d, nsci_frames *f1,
                           nsci_frames *f2)
{
    const nsc_joint *one = nsci_joint_at(w, d->joint_a);
    const nsc_joint *two = nsci_joint_at(w, d->joint_b);
    if (!one || !two)
        return 0;
    nsci_place_joint(w, one, f1);
    nsci_place_joint(w, two, f2);
    return 1;
}

/* More turns than 32 bits hold count as so many: small targets have no quick way from 64. */
static nsc_real nsci_real_turns(int64_t n)
{
    const int64_t most = 2147483647;
    return (nsc_real)(int32_t)(n > most ? most : n < -most ? -most : n);
}

/* a - ratio b of full turns, to the last digit where it is small: the whole part of the ratio and
   24 bits of the rest in integers */
static nsc_real nsci_gear_turns(int64_t a, int64_t b, nsc_real ratio)
{
    const nsc_real bits = 16777216;
    int32_t whole = (int32_t)ratio;
    nsc_real rest = bits * (ratio - (nsc_real)whole);
    int32_t part = (int32_t)rest;
    int64_t fine = part * b;
    a -= whole * b + fine / 16777216;
    rest = (rest - (nsc_real)part) * nsci_real_turns(b);
    return nsci_real_turns(a) - (nsci_real_turns(fine % 16777216) + rest) / bits;
}

/* Position of axis 0 of joint_a minus ratio times that of joint_b.  The full turns since the gear
   was set stand apart: they would cost the angles their digits. */
static nsc_real nsci_gear_between(const nsci_frames *f1, const nsci_frames *f2, const nsc_joint *j)
{
    nsc_real a = nsci_axis_raw(f1, nsci_axis_of(f1, 0));
    nsc_real b = nsci_axis_raw(f2, nsci_axis_of(f2, 0));
    int64_t turns_a = nsci_count_turns(f1->j, 0, nsci_axis_of(f1, 0), &a);
    int64_t turns_b = nsci_count_turns(f2->j, 0, nsci_axis_of(f2, 0), &b);
    nsc_real turned = nsci_gear_turns(turns_a - j->turns[0], turns_b - j->turns[1], j->def.ratio);
    return (a - j->def.ratio * b - j->offset) + 2 * NSCI_PI * turned;
}

/* Let the teeth meet where the joints stand now. */
static void nsci_set_gear(const nsc_world *w, nsc_joint *j)
{
    const nsc_joint *one = nsci_joint_at(w, j->def.joint_a);
    const nsc_joint *two = nsci_joint_at(w, j->def.joint_b);
    nsci_frames f1, f2;
    nsci_place_gear(w, &j->def, &f1, &f2);
    j->turns[0] = one->turns[0];
    j->turns[1] = two->turns[0];
    j->offset = 0;
    j->offset = nsci_gear_between(&f1, &f2, j);
}

static void nsci_gear_row(const nsc_world *w, const nsc_joint *j, nsc_block *b,
                          const nsci_scheme *s)
{
    const nsc_axis_def *teeth = &j->def.axis[0];
    nsc_real position;
    nsci_frames f1, f2;
    nsc_real J[12];
    int placed = nsci_place_gear(w, &j->def, &f1, &f2);
    nsci_clear(J, sizeof J);
    if (placed)
        nsci_gear_wrench(&f1, &f2, j->def.ratio, J);
    nsci_put_one(b, J);
    nsci_free_row(b, 0);
    if (!placed)
        return;
    position = nsci_gear_between(&f1, &f2, j);
    if (!(teeth->spring > 0)) {
        b->bias[0] = nsci_undo(w, s, b, 0, position, 0);
        return;
    }
    b->kind = NSC_BLOCK_BOX;
    nsci_soften(w, s, b, 0, teeth->spring, teeth->spring_damping, position, 0, 0);
}

/* Check a gear; its bodies become those its joints drive.  Both joints must be hinges or sliders on
   one base. */
static int nsci_check_gear(nsc_world *w, nsc_joint_def *d)
{
    const nsc_joint *one = nsci_joint_at(w, d->joint_a);
    const nsc_joint *two = nsci_joint_at(w, d->joint_b);
    nsci_frames f1, f2;
    nsc_real J[12];
    int code, good;
    if (!one || !two)
        return nsci_refused(&w->note, NSC_ERR_HANDLE, NSCI_BAD_JOINT,
                            (nsc_real)((one ? d->joint_b : d->joint_a) & 16383));
    code = nsci_check_members(&w->note, d, NSCI_nsc_joint_def_ratio, NSCI_nsc_joint_def_ratio);
    if (code < 0)
        return code;
    if (nsci_abs(d->ratio) < NSC_R(1e-6) || nsci_abs(d->ratio) > NSC_R(1e6))
        return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_RATIO, d->ratio);
    good = one != two && (one->def.kind == NSC_JOINT_HINGE || one->def.kind == NSC_JOINT_SLIDER) &&
           (two->def.kind == NSC_JOINT_HINGE || two->def.kind == NSC_JOINT_SLIDER);
    d->body_a = one->def.body_b;
    d->body_b = two->def.body_b;
    if (good && d->body_a != d->body_b) {
        nsci_place_gear(w, d, &f1, &f2);
        good = f1.a == f2.a ||
               (w->bodies[f1.a].kind == NSC_STATIC_BODY && w->bodies[f2.a].kind == NSC_STATIC_BODY);
        if (good && !(nsci_gear_wrench(&f1, &f2, d->ratio, J) &&
                      w->bodies[f1.a].kind == NSC_DYNAMIC_BODY))
            return NSC_OK;
    }
    return nsci_refused(&w->note, NSC_ERR_ARGUMENT, NSCI_BAD_GEAR, (nsc_real)one->def.kind);
}

static void nsci_gear_drift(const nsc_world *w, const nsc_joint *j, nsc_real *drift)
{
    nsci_frames f1, f2;
    if (nsci_is_gear(&j->def) && nsci_place_gear(w, &j->def, &f1, &f2))
        *drift = nsci_gear_between(&f1, &f2, j);
}

/* Does a gear act on a joint of the body? */
NSC_MAYBE_UNUSED static int nsci_has_gear(const nsc_world *w, nsc_id body)
{
    int i;
    for (i = 0; i < w->joint_end; i++) {
        const nsc_joint_def *d = &w->joints[i].def;
        int a, b;
        if (w->joints[i].generation % 2 == 0 || !nsci_is_gear(d))
            continue;
        a = nsci_find(w, NSCI_JOINT_HANDLE, d->joint_a);
        b = nsci_find(w, NSCI_JOINT_HANDLE, d->joint_b);
        if ((a >= 0 && nsci_is_joint_of(&w->joints[a], body)) ||
            (b >= 0 && nsci_is_joint_of(&w->joints[b], body)))
            return 1;
    }
    return 0;
}

/* Free the gears on a joint. */
static void nsci_free_gears(nsc_world *w, nsc_id joint)
{
    int i;
    for (i = 0; i < w->joint_end; i++) {
        nsc_joint *j = &w->joints[i];
        if (j->generation % 2 == 0 || !nsci_is_gear(&j->def) ||
            (j->def.joint_a != joint && j->def.joint_b != joint))
            continue;
        nsci_wake_joint(w, j);
        j->generation++;
    }
}

#endif
