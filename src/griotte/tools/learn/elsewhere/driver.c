/* Calls a function so many times, fills an array, puts lines out of the caches (`flush`, appended to this). */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <string.h>
#include <time.h>

static double now(int alone)
{
    struct timespec t;
    clock_gettime(alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void call(void *function, void **p, int count)
{
#define P void *
    switch (count) {
    case 1: ((void (*)(P))function)(p[0]); break;
    case 2: ((void (*)(P, P))function)(p[0], p[1]); break;
    case 3: ((void (*)(P, P, P))function)(p[0], p[1], p[2]); break;
    case 4: ((void (*)(P, P, P, P))function)(p[0], p[1], p[2], p[3]); break;
    case 5: ((void (*)(P, P, P, P, P))function)(p[0], p[1], p[2], p[3], p[4]); break;
    case 6: ((void (*)(P, P, P, P, P, P))function)(p[0], p[1], p[2], p[3], p[4], p[5]); break;
    case 7: ((void (*)(P, P, P, P, P, P, P))function)(p[0], p[1], p[2], p[3], p[4], p[5], p[6]); break;
    case 8: ((void (*)(P, P, P, P, P, P, P, P))function)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]); break;
    }
}

/* Seconds of a call, the mean of `calls`: of this thread alone the time that it ran, else the clock's. */
double seconds(void *function, void **pointers, int count, int64_t calls, int alone)
{
    const double start = now(alone);
    for (int64_t i = 0; i < calls; i++) call(function, pointers, count);
    return (now(alone) - start) / (double)calls;
}

/* The mixing function of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Number i of so many below `bound`, a power of 2. */
static uint64_t numbered(uint64_t seed, uint64_t i, uint64_t bound)
{
    return mixed((seed + i) * UINT64_C(0x9e3779b97f4a7c15)) & (bound - 1);
}

/* Elements of `size` bytes, each one of a palette of `colours`, a power of 2. */
void fill(char *to, int64_t elements, int64_t size, const char *palette, int64_t colours, int64_t seed)
{
    for (int64_t i = 0; i < elements; i++)
        memcpy(to + i * size, palette + size * (int64_t)numbered((uint64_t)seed, (uint64_t)i, (uint64_t)colours),
               (size_t)size);
}
