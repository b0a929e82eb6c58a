/* Leaves of few and of many rows whose panel comes from L1, L2, L3 or memory: what lines cost beside arithmetic (docs/lab/ties/README.md), and what asking for them costs
   (docs/lab/requests/README.md).

       gcc -O3 -mavx512f -mfma docs/lab/ties/ties.c -o ties && taskset -c 1 ./ties
       gcc -O3 -mavx2 -mfma -DBYTES=32 -DAHEAD=8192 -DEACH=32 docs/lab/ties/ties.c -o ties && taskset -c 1 ./ties

   BYTES a vector, AHEAD bytes on that a step asks for of its panel (0: nothing), EACH bytes a request. Cycles of a step, the least of 15 rounds, by the thread's own
   time and the clock that a chain of multiply-adds of 4 cycles says. */

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef BYTES
#define BYTES 64
#endif
#ifndef AHEAD
#define AHEAD 0
#endif
#ifndef EACH
#define EACH 64
#endif

#if BYTES == 64
typedef __m512 vector;
#define ALL(x) _mm512_set1_ps(x)
#define LOAD(p) _mm512_loadu_ps(p)
#define STORE(p, v) _mm512_storeu_ps(p, v)
#define FMADD(a, b, c) _mm512_fmadd_ps(a, b, c)
#define LEAVES(X) X(1, 4) X(2, 4) X(3, 4) X(4, 4) X(6, 4) X(4, 2) X(6, 2) X(8, 2) X(14, 2) X(8, 1) X(16, 1)
#define REGISTER "+v"
#else
typedef __m256 vector;
#define ALL(x) _mm256_set1_ps(x)
#define LOAD(p) _mm256_loadu_ps(p)
#define STORE(p, v) _mm256_storeu_ps(p, v)
#define FMADD(a, b, c) _mm256_fmadd_ps(a, b, c)
#define LEAVES(X) X(2, 4) X(4, 2) X(5, 2) X(6, 2)
#define REGISTER "+x"
#endif

enum { STEPS = 64, PITCH = STEPS + 16, LANES = BYTES / 4 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define LEAF(R, V)                                                                                        \
    static __attribute__((noinline)) void leaf_##R##x##V(const float *a, const float *b, float *y)        \
    {                                                                                                     \
        vector c[R][V];                                                                                   \
        for (int r = 0; r < R; r++)                                                                       \
            for (int v = 0; v < V; v++) c[r][v] = ALL(0);                                                 \
        _Pragma("GCC unroll 4") for (int k = 0; k < STEPS; k++)                                           \
        {                                                                                                 \
            vector q[V];                                                                                  \
            for (int at = 0; AHEAD && at < V * BYTES; at += EACH) __builtin_prefetch((const char *)(b + k * V * LANES) + at + AHEAD); \
            for (int v = 0; v < V; v++) q[v] = LOAD(b + (k * V + v) * LANES);                             \
            for (int r = 0; r < R; r++) {                                                                 \
                const vector s = ALL(a[r * PITCH + k]);                                                   \
                for (int v = 0; v < V; v++) c[r][v] = FMADD(s, q[v], c[r][v]);                            \
            }                                                                                             \
        }                                                                                                 \
        for (int r = 0; r < R; r++)                                                                       \
            for (int v = 0; v < V; v++) STORE(y + (r * V + v) * LANES, c[r][v]);                          \
    }
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
        vector c = ALL(1);
        for (int i = 0; i < 4000000; i++) {
            c = FMADD(c, c, c);
            __asm__ volatile("" : REGISTER(c));
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
            const long floats = (long)STEPS * it->vectors * LANES, panels = at ? rooms[at] / 4 / floats : 1, passes = at ? 1 : 256;
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
