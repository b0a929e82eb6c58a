/* What a parallel region of two threads takes, fork and join, against a barrier within one: a loop more that they share, and what one of them does while the other waits.
   Nanoseconds, by quantiles of 3,000 turns, and cycles of a chain of additions.

       gcc -O3 -fopenmp docs/lab/regions/regions.c -o regions && ./regions                                                                                   */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MANY = 32, TURNS = 3000, KINDS = 3, CHAIN = 1000000 };

#define NOTHING __asm__ volatile("" ::: "memory")

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* MANY regions, one after the other. */
static double regions(void)
{
    const double start = now();
    for (int n = 0; n < MANY; n++) {
#pragma omp parallel for num_threads(2) schedule(static)
        for (int i = 0; i < 2; i++) NOTHING;
    }
    return now() - start;
}

/* One region of MANY loops, each with a barrier behind it. */
static double loops(void)
{
    const double start = now();
#pragma omp parallel num_threads(2)
    for (int n = 0; n < MANY; n++) {
#pragma omp for schedule(static)
        for (int i = 0; i < 2; i++) NOTHING;
    }
    return now() - start;
}

/* One region in which one thread does something MANY times. */
static double singles(void)
{
    const double start = now();
#pragma omp parallel num_threads(2)
    for (int n = 0; n < MANY; n++) {
#pragma omp master
        NOTHING;
#pragma omp barrier
    }
    return now() - start;
}

static double cycle(void)
{
    const double start = now();
    long x = 0;
    for (int i = 0; i < CHAIN; i++) __asm__ volatile("add $1, %0" : "+r"(x));
    return (now() - start) / CHAIN;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double taken[KINDS][TURNS];
    double (*const kinds[])(void) = {regions, loops, singles}, one = 1e9;
    for (int turn = 0; turn < TURNS; turn++)
        for (int kind = 0; kind < KINDS; kind++) taken[kind][turn] = kinds[kind]();
    for (int i = 0; i < 20; i++) {
        const double found = cycle();
        one = found < one ? found : one;
    }
    for (int kind = 0; kind < KINDS; kind++) qsort(taken[kind], TURNS, sizeof(double), ascending);
    printf("quantile   a region    a loop more    one thread's part    (cycles)\n");
    for (int percent = 0; percent <= 50; percent += 25) {
        const int at = percent * TURNS / 100;
        const double fork = taken[0][at] / MANY, loop = (taken[1][at] - fork) / (MANY - 1), alone = (taken[2][at] - fork) / MANY;
        printf("%7d %%   %5.0f ns       %5.0f ns             %5.0f ns    %5.0f %5.0f %5.0f\n", percent, fork, loop, alone, fork / one, loop / one, alone / one);
    }
}
