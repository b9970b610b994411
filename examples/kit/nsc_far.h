/* nsc_far.h - positions far out and at short steps; a part of nsc
   MIT licence, at the end of nsc.h.
   Switch: NSC_FAR 1.
   Beside it: nsc.h.
   A step adds h v to a position [m] and rounds the sum to the last digit there.  Less than half of
   that digit is lost, in silence: in float 4e-6 m at 100 m, so that at 8 kHz nothing moves that is
   slower than 0.03 m/s.  With this part a body keeps what rounding took and adds it in the next
   step (compensated summation: Kahan 1965; Moller's exact form).  nsc_world_save, _load and _hash
   of nsc_image.h and snapshots hold it; nsc_motion.h does not have it.  12 bytes a body, 12 more
   with sub-steps or steppers, six additions a coordinate.
   Setting a pose or the mass of a body forgets it.  With EULER_FORWARD, HHT, NEWMARK and barrier
   contact, and where PROJECTED undoes drift by moving, it is not used.  What is looked at, contacts
   too, is the rounded position: a contact's gap is as coarse as before. */
#ifndef NSC_FAR_H
#define NSC_FAR_H
#ifndef NSCI_PARTS
#error "nsc: set NSC_FAR 1 before nsc.h, which then includes nsc_far.h"
#endif

#elif defined(NSCI_PROTOTYPES) /* nsc.h includes it again */

static void nsci_move_far(nsc_body *b, nsc_real h, nsc_vec3 v);

#elif defined(NSCI_CODE) /* and again */

/* x + y, and what rounding took to *rest */
static nsc_real nsci_exact_sum(nsc_real x, nsc_real y, nsc_real *rest)
{
    nsc_real sum = x + y;
    nsc_real part = sum - x;
    *rest = nsci_flush((x - (sum - part)) + (y - part));
    return sum;
}

/* Add h v and the remainder to the position. */
static void nsci_move_far(nsc_body *b, nsc_real h, nsc_vec3 v)
{
    nsc_vec3 way = nsci_add_sv(b->rest, h, v);
    b->position.x = nsci_exact_sum(b->position.x, way.x, &b->rest.x);
    b->position.y = nsci_exact_sum(b->position.y, way.y, &b->rest.y);
    b->position.z = nsci_exact_sum(b->position.z, way.z, &b->rest.z);
}

#endif
