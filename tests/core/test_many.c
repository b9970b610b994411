/* More contacts than 16 bits count: 66 000 of the user's own, which are open, stand before those of forty boxes that rest on the
   ground.  So the contacts that hold them, their links, rows and islands' chains are all beyond 65 535. */
#define NSC_MAX_CONTACTS 66200
#define OPEN_CONTACTS 66000
#define NAME "many"
#include "crowd.h"
