/* One row by a matrix in memory, 128 MiB in rows of 64 KiB: how many rows side by side, lines of each in turn, and what is asked for ahead. Ratios of the time of `4 rows by 4`, which asks for
   nothing, to that of each in the same round: median and quartiles.

       gcc -O3 -march=native -fopenmp docs/lab/folds/streams.c -o streams && ./streams THREADS [ROUNDS] */

#define _GNU_SOURCE
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef float v16 __attribute__((vector_size(64)));
enum { MOST = 64, THREADS = 4 };
#define BYTES (128l << 20)
#define HUGE (2l << 20)
#define ROW 65536l

static float taken[4096], sums[THREADS][ROW / 4] __attribute__((aligned(4096)));

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define NOTHING(x)
#define INTO_L1(x) __builtin_prefetch(x, 0, 3)
#define INTO_L2(x) __builtin_prefetch(x, 0, 2)
#define READS(NAME, S, C, ASK)                                                                                         \
    static void NAME(const char *from, int64_t bytes, int64_t on)                                                      \
    {                                                                                                                  \
        float *y = sums[omp_get_thread_num()];                                                                         \
        const float *x = taken;                                                                                        \
        for (const char *rows = from; rows < from + bytes; rows += S * ROW, x += S)                                    \
            for (int64_t i = 0; i < ROW; i += 64 * C) {                                                                \
                v16 s[C];                                                                                              \
                _Pragma("GCC unroll 4") for (int j = 0; j < C; j++) s[j] = *(v16 *)(y + i / 4 + 16 * j);               \
                _Pragma("GCC unroll 16") for (int r = 0; r < S; r++)                                                   \
                    _Pragma("GCC unroll 4") for (int j = 0; j < C; j++) {                                              \
                        const char *at = rows + r * ROW + i + 64 * j;                                                  \
                        ASK(at + on);                                                                                  \
                        s[j] += x[r] * *(const v16 *)at;                                                               \
                    }                                                                                                  \
                _Pragma("GCC unroll 4") for (int j = 0; j < C; j++) *(v16 *)(y + i / 4 + 16 * j) = s[j];               \
            }                                                                                                          \
    }
#define ALL(S, C) READS(none_##S##_##C, S, C, NOTHING) READS(near_##S##_##C, S, C, INTO_L1) READS(far_##S##_##C, S, C, INTO_L2)
ALL(1, 4) ALL(2, 4) ALL(4, 1) ALL(4, 4) ALL(8, 1) ALL(8, 4) ALL(16, 1) ALL(16, 4)

static const struct way {
    const char *name;
    void (*run)(const char *, int64_t, int64_t);
    int64_t on;
} ways[] = {
#define WAYS(S, C) {#S " rows by " #C, none_##S##_##C, 0}, {"", near_##S##_##C, 1024}, {"", far_##S##_##C, 1024}, {"", far_##S##_##C, 2048}, {"", far_##S##_##C, 4096},
    WAYS(1, 4) WAYS(2, 4) WAYS(4, 1) WAYS(4, 4) WAYS(8, 1) WAYS(8, 4) WAYS(16, 1) WAYS(16, 4)
};
enum { COUNT = sizeof ways / sizeof *ways, EACH = 5, BASE = 3 * EACH };

static double seconds(const struct way *way, const char *from, int threads)
{
    double least = 1e9;
    for (int time = 0; time < 3; time++) {
        const double start = now();
#pragma omp parallel num_threads(threads)
        way->run(from + omp_get_thread_num() * (BYTES / threads), BYTES / threads, way->on);
        const double found = now() - start;
        if (time && found < least) least = found;
    }
    return least;
}

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

int main(int count, char **given)
{
    const int threads = count > 1 ? atoi(given[1]) : 1, rounds = count > 2 ? atoi(given[2]) : 31;
    if (threads < 1 || threads > THREADS || rounds < 1 || rounds > MOST) return fprintf(stderr, "expected 1 to %d threads and 1 to %d rounds\n", THREADS, MOST), 2;
    char *room = mmap(0, BYTES + 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return perror("mmap"), 1;
    room += -(uintptr_t)room % HUGE;
    madvise(room, BYTES + HUGE, MADV_HUGEPAGE);
    memset(room, 0, BYTES + HUGE);
    static double found[COUNT][MOST];
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < COUNT; i++) found[i][round] = seconds(ways + i, room, threads);
    puts("                nothing            L1, 1 KiB          L2, 1 KiB          2 KiB              4 KiB");
    for (int i = 0; i < COUNT; i++) {
        double ratio[MOST];
        for (int round = 0; round < rounds; round++) ratio[round] = found[BASE][round] / found[i][round];
        qsort(ratio, rounds, sizeof *ratio, ascending);
        if (i % EACH == 0) printf("%-14s", ways[i].name);
        printf("  %.2f (%.2f %.2f)%s", ratio[rounds / 2], ratio[rounds / 4], ratio[3 * rounds / 4], i % EACH == EACH - 1 ? "\n" : "");
    }
}
