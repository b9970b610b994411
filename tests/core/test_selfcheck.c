/* nsc_selfcheck on this build; wrong builds are tested by tests/targets/wrong.sh. */
#define NSC_IMPLEMENTATION
#include "shared.h"
#include "test.h"

static nsc_world world;

int main(void)
{
    nsc_world_def def = nsc_default_world_def();
    volatile nsc_real ten = NSC_R(10.0);
    unsigned detail = 99, bit;
    CHECK(nsc_selfcheck(&detail) == NSC_OK && detail == 0);
    CHECK(nsc_selfcheck(NULL) == NSC_OK);
    detail = 99;
    CHECK(nsc_world_selfcheck(&world, &detail) == NSC_OK && detail == 0);
    CHECK(nsc_world_selfcheck(&world, NULL) == NSC_OK); /* from a world in any state, twice the same */
    CHECK(nsc_world_selfcheck(NULL, &detail) == NSC_ERR_ARGUMENT);
    CHECK(nsci_world_selfcheck(&world, &detail, sizeof world, NSCI_CONFIG_WORD + 1) == NSC_ERR_CONFIG);
    CHECK(nsci_world_selfcheck(&world, &detail, sizeof world - 1, NSCI_CONFIG_WORD) == NSC_ERR_CONFIG);
    CHECK(nsc_world_init(&world, &def) == NSC_OK); /* and then the world is the caller's */
    CHECK(strcmp(nsc_selfcheck_text(0), "ok") == 0);
    for (bit = 1; bit <= NSC_CHECK_SCENE; bit *= 2) CHECK(strcmp(nsc_selfcheck_text(bit), "ok") != 0);
    CHECK(strcmp(nsc_error_text(NSC_ERR_ARITHMETIC), nsc_error_text(-1000)) != 0);
    def.solver.tolerance = NSC_REAL_MAX * ten;
    CHECK(nsc_world_set_def(&world, &def) == NSC_ERR_ARGUMENT);
    return TEST_END("selfcheck");
}
