/* What WP proves for every value at once, as Eva cannot: integer functions without loops, since the header
   carries no loop invariants.  drivers.c uses the contract of nsci_pair_order. */
#define NSC_SQRT(x) sqrtf(x)
#include <math.h>
#include <string.h>
#define NSC_IMPLEMENTATION
#define NSC_NO_LANES
#include "nsc.h"

/* Not proved here, as the provers know nothing of bits: drive_rank has the bounds and that nothing overflows, and the equation is the
   function. */
/*@ assigns \nothing;
  @ ensures \result == (id < 0 ? 0 : 1 + (id & 16383));
  @ ensures 0 <= \result <= 16384 && (id < 0 <==> \result == 0); */
static int nsci_rank(nsc_id id);

/*@ assigns \nothing;
  @ ensures -1 <= \result <= 1 && (a == b <==> \result == 0) && (a < 0 <= b ==> \result == -1) && (b < 0 <= a ==> \result == 1);
  @ ensures a < 0 && b < 0 ==> (a < b <==> \result == -1); */
static int nsci_id_order(nsc_id a, nsc_id b);

/*@ requires \valid_read(a) && \valid_read(b);
  @ assigns \nothing;
  @ ensures a == b ==> \result == 0;
  @ ensures -1 <= \result <= 1; */
static int nsci_pair_order(const nsc_contact *a, const nsc_contact *b);

/*@ requires 0 <= i <= j <= 2;
  @ assigns \nothing;
  @ ensures 0 <= \result <= 5; */
static int nsci_packed(int i, int j);

/*@ requires 0 <= j <= i <= 32000;
  @ assigns \nothing;
  @ ensures 0 <= \result <= 512048000; */
static int nsci_lower(int i, int j);
