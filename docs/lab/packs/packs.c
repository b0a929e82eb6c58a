/* In what order a source of rows is best packed into panels: so many of its rows at a time, or panel by panel; with what it reads asked for 512 bytes on, or not. Cycles of a 64-byte line at
   3.7 GHz, the least of 60 rounds; the source is the next block of `over` bytes each time.

       gcc -O3 -mavx2 -DBYTES=32 -DWIDTH=16 -DBEGIN=0 docs/lab/packs/packs.c -o packs && taskset -c 1 ./packs

   BYTES of a vector (64: -mavx512f), WIDTH of a panel, BEGIN: elements before the source's first, from the beginning of a line.                       */

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef float V __attribute__((vector_size(BYTES), aligned(4), may_alias));
enum { LANES = BYTES / 4, ROOM = 256 << 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline __attribute__((always_inline)) void run(const float *s, float *t, int ahead)
{
    for (int j = 0; ahead && j < WIDTH; j += 16) __builtin_prefetch(s + ahead + j);
    for (int j = 0; j < WIDTH; j += LANES) *(V *)(t + j) = *(const V *)(s + j);
}

static inline __attribute__((always_inline)) void blocks(const float *x, float *y, int64_t k, int64_t n, int64_t pitch, int64_t rows, int ahead)
{
    for (int64_t b = 0; b < k; b += rows)
        for (int64_t p = 0; p < n / WIDTH; p++)
            for (int64_t i = b; i < b + rows && i < k; i++) run(x + i * pitch + p * WIDTH, y + p * WIDTH * k + i * WIDTH, ahead);
}

/* `rows` of 0: panel by panel. */
static __attribute__((noinline)) void pack(const float *x, float *y, int64_t k, int64_t n, int64_t pitch, int64_t rows, int ahead)
{
    if (rows == 0) blocks(x, y, k, n, pitch, k, 0);
    else if (ahead) blocks(x, y, k, n, pitch, rows, 128);
    else blocks(x, y, k, n, pitch, rows, 0);
}

int main(void)
{
    static const int64_t cases[][4] = {{32, 96, 128, 0}, {32, 96, 1024, 0}, {64, 384, 512, 0}, {96, 384, 1024, 0}, {256, 256, 256, 0}, {256, 512, 512, 2}, {260, 512, 512, 2}, {48, 64, 1024, 4},
                                       {256, 1024, 1024, 4}, {510, 1024, 1024, 4}, {256, 2048, 2048, 60}, {96, 384, 2048, 60}, {128, 1024, 4096, 120}};
    static const struct { int64_t rows; int ahead; } ways[] = {{1, 0}, {1, 1}, {0, 0}, {4, 0}, {8, 0}, {8, 1}, {16, 0}};
    char *room = aligned_alloc(1 << 21, ROOM + (1 << 21));
    float *to = aligned_alloc(4096, 16 << 20);
    for (int64_t i = 0; i < ROOM; i += 64) *(float *)(room + i) = 1;
    printf("rows at a time; 0: panel by panel; +: asked ahead\n   k    n pitch  MB |     1    1+     0     4     8    8+    16\n");
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int64_t k = cases[c][0], n = cases[c][1], pitch = cases[c][2], over = cases[c][3] << 20;
        printf("%4ld %4ld %5ld %3ld |", (long)k, (long)n, (long)pitch, (long)cases[c][3]);
        for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
            double least = 1e9;
            int64_t at = 0;
            for (int round = 0; round < 60; round++) {
                const double start = now();
                for (int turn = 0; turn < 4; turn++) {
                    pack((const float *)(room + at) + BEGIN, to, k, n, pitch, ways[w].rows, ways[w].ahead);
                    at = at + 2 * k * pitch * 4 > over ? 0 : at + k * pitch * 4;
                }
                const double taken = (now() - start) / 4;
                least = taken < least ? taken : least;
            }
            printf(" %5.1f", least * 3.7e9 / ((double)k * (double)n / 16));
        }
        printf("\n");
    }
    return 0;
}
