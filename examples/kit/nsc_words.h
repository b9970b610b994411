/* nsc_words.h - a word of yours on bodies and shapes; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_WORDS 1.
   Beside it: nsc.h.
   nsc_body_def.user and nsc_shape_def.user, 32 bits, are yours: kept, saved and hashed, and read
   only by nsc_body_get_patch_force of nsc_touch.h; default 0.  nsc_shape_set_def changes that of a
   shape.  4 bytes a body and a shape. */
#ifndef NSC_WORDS_H
#define NSC_WORDS_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_WORDS 1 before nsc.h, which then includes nsc_words.h"
#endif

/* Your word of a body.  The pointer may be NULL.  Returns 0, NSC_ERR_HANDLE, or NSC_ERR_ARGUMENT
   (world NULL); set also NSC_ERR_HANDLE for the ground.  Wakes nothing. */
NSC_API int nsc_body_get_user(const nsc_world *world, nsc_id body, uint32_t *user);
NSC_API int nsc_body_set_user(nsc_world *world, nsc_id body, uint32_t user);

#elif defined(NSCI_CODE) /* nsc.h includes it again */

NSC_API int nsc_body_get_user(const nsc_world *w, nsc_id id, uint32_t *user)
{
    int i = nsci_find(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    if (user)
        *user = w->bodies[i].user;
    return NSC_OK;
}

NSC_API int nsc_body_set_user(nsc_world *w, nsc_id id, uint32_t user)
{
    int i = nsci_change(w, NSCI_BODY_HANDLE, id);
    if (i < 0)
        return i;
    w->bodies[i].user = user;
    return NSC_OK;
}

#endif
