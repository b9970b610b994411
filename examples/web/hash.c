/* The same scenes without a browser: prints the hash of each after 600 steps, which the page must reach too.
   cc -std=c99 -O2 -ffp-contract=off -I../.. -I../kit hash.c -lm */
#include "web.c"
#include <stdio.h>

int main(void)
{
    int i;
    for (i = 0; i < scene_count(); i++) {
        int code = build(i);
        if (code == 0) code = step(600);
        if (code < 0) {
            printf("%s: %s; %s should be %s\n", scene_name(i), error_text(code), refused_field(), refused_rule());
            return 1;
        }
        printf("%s %08x\n", scene_name(i), hash());
    }
    return 0;
}
