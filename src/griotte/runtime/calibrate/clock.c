#include <math.h>

/* Seconds of an addition that waits for the one before: a cycle. */
static double cycle(void)
{
    const double start = now();
    int64_t x = 1;
    for (int64_t i = 0; i < 32000; i += 16) {
#define ADD x += i; __asm__ volatile("" : "+r"(x));  /* no immediates: some cores add those while they rename */
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    }
    return (now() - start) / 32000;
}

/* The clock's cycle before and after; no number where they differ, for then something else ran on this core. */
static double agreed(double before, double after)
{
    const double less = before < after ? before : after;
    return before + after > 2.04 * less ? NAN : less;
}

#define BEGIN const double before = cycle(), start = now();
#define END(units) const double taken = now() - start; return taken / (double)(units) / agreed(before, cycle());
