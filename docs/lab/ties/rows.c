/* Products of one row with short rows that lie one after the other, several of them side by side or one at a time: what a stretch is (docs/lab/ties/README.md).

       gcc -O3 -mavx512f -mfma docs/lab/ties/rows.c -o rows && taskset -c 1 ./rows 1 && taskset -c 1 ./rows 12

   24,576 rows of 64 f32, in so many copies that are read in turn: 1 rests in L3, 12 in memory. Microseconds of 24,576 products, the least of 25. */

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 24576, WIDE = 64 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define PRODUCTS(SIDE)                                                                                                    \
    static void of_##SIDE(const float *x, const float *rows, float *y)                                                    \
    {                                                                                                                     \
        for (int n = 0; n + SIDE <= ROWS; n += SIDE) {                                                                    \
            __m512 c[SIDE];                                                                                               \
            for (int r = 0; r < SIDE; r++) c[r] = _mm512_setzero_ps();                                                    \
            for (int k = 0; k < WIDE; k += 16) {                                                                          \
                for (int r = 0; r < SIDE; r++) c[r] = _mm512_fmadd_ps(_mm512_loadu_ps(x + k), _mm512_loadu_ps(rows + (n + r) * WIDE + k), c[r]); \
                __asm__ volatile("" : : : "memory"); /* in this order */                                                  \
            }                                                                                                             \
            for (int r = 0; r < SIDE; r++) y[n + r] = _mm512_reduce_add_ps(c[r]);                                         \
        }                                                                                                                 \
    }
PRODUCTS(1) PRODUCTS(2) PRODUCTS(4) PRODUCTS(8) PRODUCTS(12)

/* All of it, in order. */
static void plain(const float *x, const float *rows, float *y)
{
    __m512 c[8];
    for (int j = 0; j < 8; j++) c[j] = _mm512_setzero_ps();
    for (int i = 0; i < ROWS * WIDE; i += 128)
        for (int j = 0; j < 8; j++) c[j] = _mm512_add_ps(c[j], _mm512_loadu_ps(rows + i + 16 * j));
    y[0] = x[0];
    for (int j = 0; j < 8; j++) y[0] += _mm512_reduce_add_ps(c[j]);
}

int main(int count, char **words)
{
    const int copies = count > 1 ? atoi(words[1]) : 1, calls = copies > 1 ? copies : 4;
    float **rows = malloc(copies * sizeof *rows), *x = aligned_alloc(64, WIDE * 4), *y = aligned_alloc(64, ROWS * 4);
    for (int i = 0; i < copies; i++) {
        rows[i] = aligned_alloc(4096, ROWS * WIDE * 4);
        for (int j = 0; j < ROWS * WIDE; j++) rows[i][j] = (float)(j % 7);
    }
    for (int k = 0; k < WIDE; k++) x[k] = (float)k;
    void (*ways[])(const float *, const float *, float *) = {plain, of_12, of_8, of_4, of_2, of_1};
    const char *names[] = {"plain read", "12 rows", "8 rows", "4 rows", "2 rows", "1 row"};
    double least[6] = {1, 1, 1, 1, 1, 1};
    for (int round = 0; round < 25; round++)
        for (int way = 0; way < 6; way++) {
            ways[way](x, rows[0], y);
            const double start = now();
            for (int call = 0; call < calls; call++) ways[way](x, rows[call % copies], y);
            const double taken = (now() - start) / calls;
            least[way] = taken < least[way] ? taken : least[way];
        }
    for (int way = 0; way < 6; way++) printf("%s %.1f us\n", names[way], 1e6 * least[way]);
}
