/* What WP proves for every value at once, as Eva cannot: integer functions without loops, since the header
   carries no loop invariants.  drivers.c uses the contract of nsci_pair_order. */
#define NSC_SQRT(x) sqrtf(x)
#include <math.h>
#include <string.h>
#define NSC_IMPLEMENTATION
#define NSC_LANES 0
#define NSC_MAX_SPRINGS 4
#include "nsc_all.h"

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

/* The slot pool.  The words they use are in slots.h, and slots.sed gives the two loops their invariants, in a copy
   of the header. */
/*@ requires \valid_read(w) && 0 <= kind <= 3 && Ends(w);
  @ assigns \nothing;
  @ ensures \result == End(w, kind); */
static int nsci_end(const nsc_world *w, int kind);

/*@ requires \valid_read(w) && 0 <= kind <= 3 && Ends(w) && 0 <= i < End(w, kind);
  @ assigns \nothing;
  @ ensures \result == Generation(w, kind, i); */
static uint16_t nsci_generation(const nsc_world *w, int kind, int i);

/*@ requires \valid_read(w) && 0 <= kind <= 3 && Ends(w);
  @ assigns \nothing;
  @ ensures 0 <= \result <= End(w, kind);
  @ ensures \result < End(w, kind) ==> !Used(w, kind, \result);
  @ ensures \forall integer k; 0 <= k < \result ==> Used(w, kind, k); */
static int nsci_free_slot(const nsc_world *w, int kind);

/*@ requires \valid_read(w) && 0 <= kind <= 3 && Ends(w);
  @ assigns \nothing;
  @ ensures 0 <= \result <= End(w, kind);
  @ ensures \result > 0 ==> Used(w, kind, \result - 1);
  @ ensures \forall integer k; \result <= k < End(w, kind) ==> !Used(w, kind, k); */
static int nsci_new_end(const nsc_world *w, int kind);

/* Not proved here, as the provers know nothing of bits: drive_rank has it. */
/*@ assigns \nothing;
  @ ensures \result >= 0; */
static nsc_id nsci_handle(const nsc_world *w, int kind, int index, uint16_t generation);

/*@ requires w == \null || (\valid_read(w) && Ends(w));
  @ requires 0 <= kind <= 3;
  @ assigns \nothing;
  @ ensures \result >= 0 <==> w != \null && 0 <= i < End(w, kind) && Used(w, kind, i); */
static nsc_id nsci_id_at(const nsc_world *w, int kind, int i);
