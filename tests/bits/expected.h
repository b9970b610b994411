/* expected.h - hashes against the table tests/targets/bits.h, which `make targets-accept` writes
   anew: it runs each program that includes this with the argument accept. */
#ifndef NSC_TEST_EXPECTED_H
#define NSC_TEST_EXPECTED_H
#include "test.h"
#include <stdint.h>

static const struct expected {
    const char *name;
    uint32_t in_float, in_double;
} table[] = {
#define BITS(name, in_float, in_double) {name, UINT32_C(in_float), UINT32_C(in_double)},
#include "targets/bits.h"
#undef BITS
    {NULL, 0, 0}};

static int accepting;

static void meet(const char *what, const char *name, uint32_t hash)
{
    char text[160];
    const struct expected *e = table;
    uint32_t wanted;
    int known;
    snprintf(text, sizeof text, "%s %s", what, name);
    if (accepting) {
        printf("BITS(\"%s\", 0x%08lx)\n", text, (unsigned long)hash);
        return;
    }
    while (e->name && strcmp(e->name, text) != 0) e++;
    known = e->name != NULL;
    wanted = sizeof(nsc_real) == 8 ? e->in_double : e->in_float;
    test_check(known && hash == wanted, text, __FILE__, __LINE__);
    if (!known) printf("    it is not in tests/targets/bits.h\n");
    else if (hash != wanted)
        printf("    %08lx, expected %08lx\n", (unsigned long)hash, (unsigned long)wanted);
}

#endif
