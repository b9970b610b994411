/* As many contacts as indices of 8 bits take: 94 of the user's own, which are open, stand before those of forty boxes that rest on
   the ground.  So all indices of contacts, links and rows are used, up to the last one before "none". */
#define NSC_MAX_CONTACTS 254
#define OPEN_CONTACTS 94
#define NAME "bytes"
#include "crowd.h"

NSCI_REQUIRE(indices_have_a_byte, sizeof(nsci_index) == 1 && OWN + 4 * BOXES == NSC_MAX_CONTACTS);
