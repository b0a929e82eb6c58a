"""C of the probes that take two threads."""

from __future__ import annotations

TEAM = r"""
#include <omp.h>

/* The least of some calls, for a few milliseconds: a thread whose core others use as well is late by far more than it
   takes. */
double fork(char *room, int64_t a, int64_t b)
{
    const double one = cycle(), start = now();
    double least = 1, from = start;
    while (from < start + 0.002) {
#pragma omp parallel num_threads(2)
        { __asm__ volatile("" : : : "memory"); }
        const double to = now();
        least = to - from < least ? to - from : least;
        from = to;
    }
    return least / one;
}

/* The first thread writes 16 KiB that the second has read since it wrote them, or that nobody has. Cycles of a line. */
static double handed(char *room, int reads)
{
    enum { LINES = 256, TURNS_OF = 8 };
    double cycles = 0;
#pragma omp parallel num_threads(2)
    {
        float sum = 0;
        for (int n = 0; n < TURNS_OF; n++) {
            if (omp_get_thread_num() == 0) {
                const double before = cycle(), start = now();
                for (int i = 0; i < LINES; i++) ((volatile float *)room)[16 * i] = (float)n;
                __atomic_thread_fence(__ATOMIC_SEQ_CST);
                const double taken = now() - start, after = cycle();
                cycles += n == 0 ? 0 : taken / LINES / agreed(before, after);
            }
#pragma omp barrier
            if (omp_get_thread_num() == 1 && reads)
                for (int i = 0; i < LINES; i++) sum += ((volatile float *)room)[16 * i];
#pragma omp barrier
        }
        if (sum == 1e30f) sink += sum;
    }
    return cycles / (TURNS_OF - 1);
}

double transfer(char *room, int64_t a, int64_t b) { return handed(room, 1); }
double own(char *room, int64_t a, int64_t b) { return handed(room, 0); }
"""
