/* nsc_touch.h - contact force on a shape, as a foot or finger feels it
   MIT licence, at the end of nsc.h.
   No switch: include it after nsc.h, also where NSC_IMPLEMENTATION is defined.  It costs nothing
   until called.
   Beside it: nsc.h.

   Where two shapes touch in several points, Coulomb's law fixes the sum of their friction, not how
   it is shared, and the shares stay as the solve came by them, after four sweeps and after a
   hundred: a plate pushed with half of the friction it has may stick while one of its four points
   is at its cone.  Whether something slips is to be read from sums, as these calls give them, or
   from the speed of the surfaces, not from one contact. */
#ifndef NSC_TOUCH_H
#define NSC_TOUCH_H

#ifndef NSC_NONSMOOTH_CONTACT_H
#include "nsc.h"
#endif

NSCI_C_BEGIN

/* The same as nsc_body_get_contact_force for one shape, a foot or a finger: sum of the last step's
   contact forces on it [N], and their moment about the origin of its frame where it is now [N m],
   world frame; 0 on a sensor.  Either pointer may be NULL.  Returns 0, NSC_ERR_HANDLE,
   NSC_ERR_NOT_FINITE, or NSC_ERR_ARGUMENT (world NULL).  Cost: contacts. */
NSC_API int nsc_shape_get_contact_force(const nsc_world *world, nsc_id shape, nsc_vec3 *force,
                                        nsc_vec3 *moment);
/* The same for a patch, with NSC_WORDS 1: all shapes of the body whose word nsc_shape_def.user is
   `user`, such as heel and toe of a foot.  Its moment is about the body's present centre of mass:
   the patches and contacts of yours add up to nsc_body_get_contact_force.  Where no shape has that
   word: 0.  Cost: contacts, for each of these shapes. */
NSCI_IF(NSC_WORDS,
        NSC_API int nsc_body_get_patch_force(const nsc_world *world, nsc_id body, uint32_t user,
                                             nsc_vec3 *force, nsc_vec3 *moment);)

NSCI_C_END
#endif

#if defined(NSC_IMPLEMENTATION) && !defined(NSC_TOUCH_DONE)
#define NSC_TOUCH_DONE

NSCI_BITS_BEGIN
NSCI_C_BEGIN

NSC_API int nsc_shape_get_contact_force(const nsc_world *w, nsc_id id, nsc_vec3 *force,
                                        nsc_vec3 *moment)
{
    int i = nsci_find(w, NSCI_SHAPE_HANDLE, id);
    nsci_geom g;
    if (i < 0)
        return i;
    g = nsci_place(w, &w->shapes[i]);
    return nsci_contact_force(w, id, g.centre, force, moment);
}

#if NSC_WORDS
NSC_API int nsc_body_get_patch_force(const nsc_world *w, nsc_id id, uint32_t user, nsc_vec3 *force,
                                     nsc_vec3 *moment)
{
    nsc_vec3 f = nsci_vec(0, 0, 0);
    nsc_vec3 m = f, part, turn;
    int s, code = NSC_OK;
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    for (s = 0; s < w->shape_end && code == NSC_OK; s++) {
        const nsc_shape *own = &w->shapes[s];
        if (own->generation % 2 == 0 || own->body != i || own->def.user != user)
            continue;
        code = nsci_contact_force(w, nsc_world_shape_at(w, s), w->bodies[i].position, &part, &turn);
        if (code == NSC_OK) {
            f = nsci_add(f, part);
            m = nsci_add(m, turn);
        }
    }
    return code == NSC_OK ? nsci_hand_out(f, force, m, moment) : code;
}
#endif

NSCI_C_END
NSCI_BITS_END
#endif
