#include <stdint.h>
#include <time.h>

#ifdef __APPLE__
enum { CLOCK = CLOCK_UPTIME_RAW }; /* the other tells microseconds there */
#else
enum { CLOCK = CLOCK_MONOTONIC };
#endif

/* Seconds of a clock that only goes on; where it is a counter of the CPU's own, every 1 to 42 ns. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
