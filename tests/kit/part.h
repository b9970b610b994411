/* part.h - the core and the one part that the program asks for or includes */
#include "nsc.h"
