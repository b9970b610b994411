/* A box falls on the table, 100 steps a second; its height every tenth of a second.
   Files: beside nsc.h and nsc_solvers.h that of examples/kit for hashes (nsc_image.h). */
#include <inttypes.h>
#include <stdio.h>
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#define NSC_MAX_BODIES 8
#define NSC_MAX_CONTACTS 24
#define NSC_IMPLEMENTATION
#include "nsc.h"
#include "nsc_image.h"

static nsc_world world; /* 21 KB; never on a task's stack */

static nsc_id must(const char *what, nsc_id code)
{
    for (; code < 0; vTaskDelay(pdMS_TO_TICKS(1000))) printf("%s: %s\n", what, nsc_error_text((int)code));
    return code;
}

void app_main(void)
{
    nsc_world_def def = nsc_default_world_def();
    nsc_shape_def table = nsc_default_half_space_def(), shape = nsc_default_box_def(0.06f, 0.04f, 0.02f);
    nsc_body_def body = nsc_default_body_def();
    nsc_pose pose;
    nsc_id box;
    TickType_t woken;
    unsigned detail = 0;
    int i;
    must("selfcheck", nsc_world_selfcheck(&world, &detail)); /* does this chip compute the right bits? */
    must("world", nsc_world_init(&world, &def));
    must("table", nsc_world_add_shape(&world, NSC_GROUND, &table));
    body.pose.position.z = 0.3f;
    box = must("body", nsc_world_add_body(&world, &body));
    must("box", nsc_world_add_shape(&world, box, &shape));
    woken = xTaskGetTickCount();
    for (i = 1;; i++) {
        must("step", nsc_world_step(&world, 0.01f));
        must("pose", nsc_body_get_pose(&world, box, &pose));
        if (i % 10 == 0) printf("%.4f m, hash %08" PRIx32 "\n", (double)pose.position.z, nsc_world_hash(&world));
        vTaskDelayUntil(&woken, pdMS_TO_TICKS(10)); /* one tick at the default CONFIG_FREERTOS_HZ of 100 */
    }
}
