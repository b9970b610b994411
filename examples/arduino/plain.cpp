/* The sketch as a plain C++ program, for a desktop or a bare Cortex-M0+: setup, one fall, end.
   c++ -O2 -ffp-contract=off -I../.. -I../kit plain.cpp -o bounce && ./bounce */
#include <stdio.h>
#include <stdlib.h>

#define HEX 16
static struct {
    void begin(long) {}
    void print(const char *text) { printf("%s", text); }
    void println(long number) { printf("%ld\n", number); }
    void println(unsigned long number, int) { printf("%lX\n", number); }
} Serial;
static void delay(long) { exit(1); }

#include "bounce/bounce.ino"

int main()
{
    setup();
    do loop();
    while (steps % 60);
}
