# nsc.h with what WP needs of the slot pool: slots.h and two loop invariants
/^\/\* One past the highest slot of a kind that is in use \*\//i\
#include "slots.h"
/^static int nsci_free_slot/,/^}/s|^    while|    /*@ loop invariant 0 <= i <= End(w, kind) \&\& \\forall integer k; 0 <= k < i ==> Used(w, kind, k); loop assigns i; loop variant End(w, kind) - i; */\
    while|
/^static int nsci_new_end/,/^}/s|^    while|    /*@ loop invariant 0 <= end <= End(w, kind) \&\& \\forall integer k; end <= k < End(w, kind) ==> !Used(w, kind, k); loop assigns end; loop variant end; */\
    while|
