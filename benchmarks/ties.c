/* Leaves of few and of many rows whose panel comes from L1, L2, L3 or memory: what lines cost beside arithmetic (docs/lab/ties-2026-11.md).

       gcc -O3 -mavx512f -mfma benchmarks/ties.c -o ties && taskset -c 1 ./ties

   Cycles of a step, the least of 15 rounds, by the thread's own time and the clock that a chain of multiply-adds of 4 cycles says. */

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 64, PITCH = STEPS + 16 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define LEAF(R, V)                                                                                        \
    static __attribute__((noinline)) void leaf_##R##x##V(const float *a, const float *b, float *y)        \
    {                                                                                                     \
        __m512 c[R][V];                                                                                   \
        for (int r = 0; r < R; r++)                                                                       \
            for (int v = 0; v < V; v++) c[r][v] = _mm512_setzero_ps();                                    \
        _Pragma("GCC unroll 4") for (int k = 0; k < STEPS; k++)                                           \
        {                                                                                                 \
            __m512 q[V];                                                                                  \
            for (int v = 0; v < V; v++) q[v] = _mm512_loadu_ps(b + (k * V + v) * 16);                     \
            for (int r = 0; r < R; r++) {                                                                 \
                const __m512 s = _mm512_set1_ps(a[r * PITCH + k]);                                        \
                for (int v = 0; v < V; v++) c[r][v] = _mm512_fmadd_ps(s, q[v], c[r][v]);                  \
            }                                                                                             \
        }                                                                                                 \
        for (int r = 0; r < R; r++)                                                                       \
            for (int v = 0; v < V; v++) _mm512_storeu_ps(y + (r * V + v) * 16, c[r][v]);                  \
    }
#define LEAVES(X) X(1, 4) X(2, 4) X(3, 4) X(4, 4) X(6, 4) X(4, 2) X(6, 2) X(8, 2) X(14, 2) X(8, 1) X(16, 1)
LEAVES(LEAF)

struct leaf {
    int rows, vectors;
    void (*run)(const float *, const float *, float *);
};
#define ROW(R, V) {R, V, leaf_##R##x##V},
static const struct leaf leaves[] = {LEAVES(ROW)};

static double clock_hz(void)
{
    double least = 1;
    for (int round = 0; round < 9; round++) {
        const double start = now();
        __m512 c = _mm512_set1_ps(1);
        for (int i = 0; i < 4000000; i++) {
            c = _mm512_fmadd_ps(c, c, c);
            __asm__ volatile("" : "+v"(c));
        }
        least = now() - start < least ? now() - start : least;
    }
    return 4 * 4e6 / least;
}

int main(void)
{
    const long rooms[] = {0, 512 << 10, 6 << 20, 64 << 20};
    float *b = aligned_alloc(4096, rooms[3]), *y = aligned_alloc(64, 65536), *a = aligned_alloc(64, 16 * PITCH * 4);
    for (long i = 0; i < rooms[3] / 4; i++) b[i] = (float)(i % 5);
    for (int i = 0; i < 16 * PITCH; i++) a[i] = (float)(i % 3);
    const double hz = clock_hz();
    printf("%.2f GHz; rows x vectors: a panel of 4 to 16 KiB again and again, 512 KiB, 6 MiB, 64 MiB\n", hz / 1e9);
    for (unsigned i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        const struct leaf *it = leaves + i;
        printf("%2dx%d", it->rows, it->vectors);
        for (int at = 0; at < 4; at++) {
            const long floats = (long)STEPS * it->vectors * 16, panels = at ? rooms[at] / 4 / floats : 1, passes = at ? 1 : 256;
            double least = 1;
            for (int round = 0; round < 15; round++) {
                const double start = now();
                for (long pass = 0; pass < passes; pass++)
                    for (long p = 0; p < panels; p++) it->run(a, b + p * floats, y);
                const double taken = (now() - start) / (double)(passes * panels * STEPS);
                least = taken < least ? taken : least;
            }
            printf(" %6.2f", least * hz);
        }
        printf("\n");
    }
}
