/* test_tables.c without room for copied hulls and height fields: only tables in const memory */
#define NO_COPIES
#include "test_tables.c"
