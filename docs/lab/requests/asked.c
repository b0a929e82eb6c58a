/* How fast a product's leaf gets lines from memory, by what it asks for ahead: in panels, or in rows as given, side by side. GB/s, the best of 9.

       gcc -O3 -march=native -DROWS=4 -DVECTORS=4 docs/lab/requests/asked.c -o asked && taskset -c 1 ./asked
       gcc -O3 -march=native -DROWS=8 -DVECTORS=3 -DSTEPS=32 -DPITCH=57344 docs/lab/requests/asked.c -o asked && taskset -c 1 ./asked

   A leaf has ROWS by VECTORS accumulators of 64 bytes and STEPS steps of its reduction. Without PITCH it reads a panel; with it so many bytes lie from row to row, and leaves go along these
   rows. MIB (224) in large pages, read from where the round before left them: with 4 from L3. Printed are nothing asked for; each line asked for so many bytes on, into L2 or into L1; into L2 so, and into L1 256 and 1,024 bytes on; and a plain sum. */

#define _GNU_SOURCE
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef STEPS
#define STEPS 1024
#endif
#define LEAF (64l * VECTORS)
#ifdef PITCH
#define STEP (PITCH / 64 * 64l)
#else
#define STEP LEAF
#endif
#ifndef MIB
#define MIB 224
#endif
#define BYTES ((long)MIB << 20)
#define HUGE (2l << 20)

typedef float v16 __attribute__((vector_size(64)));
enum { NONE, FAR, NEAR, BOTH };

static float *room(int64_t bytes)
{
    char *found = mmap(0, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    found += -(uintptr_t)found % HUGE;
    madvise(found, bytes, MADV_HUGEPAGE);
    memset(found, 0, bytes);
    return (float *)found;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

__attribute__((always_inline)) static inline void leaf(int asks, const float *x, const char *from, float *y, int64_t far, int64_t near)
{
    v16 sums[ROWS][VECTORS] = {0};
    for (int64_t k = 0; k < STEPS; k++, from += STEP) {
#pragma GCC unroll 16
        for (int v = 0; v < VECTORS; v++) {
            const v16 taken = *(const v16 *)(from + 64 * v);
            if (asks == FAR || asks == BOTH) __builtin_prefetch(from + 64 * v + far, 0, 2);
            if (asks == NEAR || asks == BOTH) __builtin_prefetch(from + 64 * v + near, 0, 3);
#pragma GCC unroll 16
            for (int m = 0; m < ROWS; m++) sums[m][v] += x[m * (STEPS + 16) + k] * taken;
        }
    }
#pragma GCC unroll 16
    for (int m = 0; m < ROWS; m++)
#pragma GCC unroll 16
        for (int v = 0; v < VECTORS; v++) *(v16 *)(y + (m * VECTORS + v) * 16) += sums[m][v];
}

__attribute__((always_inline)) static inline double whole(int asks, const float *x, const char *w, float *y, int64_t far, int64_t near)
{
    double best = 1e9;
    int64_t read = 0;
    for (int round = 0; round < (MIB < 32 ? 99 : 9); round++) {
        const double start = now();
        read = 0;
#ifdef PITCH
        for (int64_t block = 0; block + STEPS * STEP <= BYTES; block += STEPS * STEP)
            for (int64_t at = 0; at + LEAF <= STEP; at += LEAF, read += STEPS * LEAF) leaf(asks, x, w + block + at, y + at / 4 * ROWS, far, near);
#else
        for (int64_t at = 0; at + STEPS * LEAF <= BYTES; at += STEPS * LEAF, read += STEPS * LEAF) leaf(asks, x, w + at, y, far, near);
#endif
        const double taken = now() - start;
        best = taken < best ? taken : best;
    }
    return read / best / 1e9;
}

static volatile v16 sink;

static double sum(const char *w)
{
    double best = 1e9;
    for (int round = 0; round < (MIB < 32 ? 99 : 9); round++) {
        v16 s[4] = {0};
        const double start = now();
        for (int64_t at = 0; at < BYTES; at += 256)
            for (int i = 0; i < 4; i++) s[i] += *(const v16 *)(w + at + 64 * i);
        sink = s[0] + s[1] + s[2] + s[3];
        const double taken = now() - start;
        best = taken < best ? taken : best;
    }
    return BYTES / best / 1e9;
}

int main(void)
{
    const int64_t far[] = {512, 1024, 2048, 4096, 8192, 16384};
    const float *x = room(HUGE);
    float *y = room(8 * HUGE);
    const char *w = (const char *)room(BYTES + HUGE);
    printf("%dx%d, %d steps, a sum %.1f; nothing %.1f\n%8s %8s %8s %8s %8s\n", ROWS, 16 * VECTORS, STEPS, sum(w), whole(NONE, x, w, y, 0, 0), "bytes on", "L2", "L1", "+ 256", "+ 1024");
    for (int i = 0; i < 6; i++) printf("%8d %8.1f %8.1f %8.1f %8.1f\n", (int)far[i], whole(FAR, x, w, y, far[i], 0), whole(NEAR, x, w, y, 0, far[i]), whole(BOTH, x, w, y, far[i], 256), whole(BOTH, x, w, y, far[i], 1024));
}
