/* prelude.c - linked to every program that mutants.py and subjects.py build: which mutant runs, and every line of output at once */
#include <stdio.h>
#include <stdlib.h>

int nsc_mutant;

__attribute__((constructor)) static void choose_mutant(void)
{
    const char *chosen = getenv("NSC_MUTANT");
    nsc_mutant = chosen ? atoi(chosen) : 0;
    setvbuf(stdout, NULL, _IOLBF, 1024);
}
