/* The same scenes without a browser, and two robots: prints the hash of each after 600 steps, which the page must reach too.
   cc -std=c99 -O2 -ffp-contract=off -I../.. -I../kit hash.c -lm */
#include "web.c"
#include "tests/robots/arm.h"
#include <stdio.h>

/* A robot that the page gets as a file */
static void print_robot(const nsc_robot *r)
{
    int code;
    robot = r;
    code = build(SCENES - 1);
    if (code == 0) code = step(600);
    if (code < 0) printf("%s: %s; %s should be %s\n", r->name, error_text(code), refused_field(), refused_rule());
    printf("dropped_%s %08x\n", r->name, hash());
}

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
    print_robot(&quadruped);
    print_robot(&arm);
    return 0;
}
