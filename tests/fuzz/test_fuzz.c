/* The inputs of tests/fuzz/corpus, run through the fuzz targets by a plain compiler: seeds that reach every part, and one input
   for each fault that fuzzing has found.  A target ends the program with what does not hold.  With arguments: these files
   alone, each named with its target before it, as in: test_fuzz api FILE */
#define _DEFAULT_SOURCE /* dirent.h in C99 */
#define FUZZ_CORPUS
#include "fuzz/api.c"
#include "fuzz/image.c"
#ifdef FUZZ_KIT
#include "fuzz/kit.c"
#include "fuzz/derive.c"
#include "fuzz/motion.c"
#include "fuzz/robot.c"
#elif !NSC_BARRIER
#include "fuzz/problem.c"
#endif
#include "test.h"
#include <dirent.h>

typedef struct target {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} target;

#ifdef FUZZ_KIT /* as test_fuzz_kit has it */
#define TITLE "fuzz_kit"
static const target targets[] = {{"api", fuzz_api},       {"image", fuzz_of_image}, {"kit", fuzz_kit},
                                 {"derive", fuzz_derive}, {"motion", fuzz_motion},  {"robot", fuzz_robot}};
#elif NSC_BARRIER /* as test_fuzz_barrier has it */
#define TITLE "fuzz_barrier"
static const target targets[] = {{"api", fuzz_api}, {"image", fuzz_of_image}, {"barrier", fuzz_api}};
#else
#define TITLE "fuzz"
static const target targets[] = {{"api", fuzz_api}, {"image", fuzz_of_image}, {"problem", fuzz_problem}};
#endif

static void run_file(const target *t, const char *path)
{
    static uint8_t data[4096];
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    CHECK_ONCE(file != NULL);
    if (!file) return;
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    if (getenv("FUZZ_TRACE")) fprintf(stderr, "%s\n", path);
    CASE("%.150s", path);
    CHECK(t->run(data, size) == 0);
    CASE_END();
}

static void run_directory(const target *t)
{
    char path[512];
    DIR *directory;
    struct dirent *entry;
    int files = 0;
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s", t->name);
    directory = opendir(path);
    CHECK(directory != NULL);
    if (!directory) return;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "tests/fuzz/corpus/%s/%s", t->name, entry->d_name);
        run_file(t, path);
        files++;
    }
    closedir(directory);
    printf("%s: %d inputs\n", t->name, files);
    CHECK(files > 0);
}

int main(int count, char **words)
{
    int i, k;
    for (k = 0; k < (int)(sizeof targets / sizeof *targets); k++) {
        for (i = 1; i + 1 < count; i += 2)
            if (strcmp(words[i], targets[k].name) == 0) run_file(&targets[k], words[i + 1]);
        if (count < 3) run_directory(&targets[k]);
    }
#ifdef FUZZ_KIT
    printf("derive: %ld columns compared with differences\n", derive_compared);
    CHECK(derive_compared > 0 || count > 2);
#endif
    return TEST_END(TITLE);
}
