/* Stores of whole vectors into rows that begin within a line: what they take, and what the same take where the line
 * after was asked for a block before.
 *
 *     gcc -O3 -mavx512f -mavx512bw -mavx512vl docs/lab/transposes/stores.c -o stores && ./stores
 *
 * M x 40 words are turned in blocks of 16 x 4. Rows of the result are 4 M bytes apart: whole lines, or not. Nanoseconds
 * of CPU time for a line that is read or written; the least of 40 rounds.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 40, MOST = 8192 };

static inline __m512i four(const float *p)
{
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)p));
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 4 * N)), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 8 * N)), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(p + 12 * N)), 3);
}

static inline void turn(const float *restrict x, float *restrict y, int64_t m, int is_asked)
{
    for (int64_t i = 0; i + 16 <= m; i += 16)
        for (int64_t j = 0; j < N; j += 4) {
            const float *s = x + i * N + j;
            float *t = y + j * m + i;
            if (is_asked)
                for (int c = 0; c < 4; c++) __builtin_prefetch((const char *)(t + c * m) + 127, 1);
            const __m512i r0 = four(s), r1 = four(s + N), r2 = four(s + 2 * N), r3 = four(s + 3 * N);
            const __m512i a = _mm512_unpacklo_epi32(r0, r2), b = _mm512_unpackhi_epi32(r0, r2);
            const __m512i c = _mm512_unpacklo_epi32(r1, r3), d = _mm512_unpackhi_epi32(r1, r3);
            _mm512_storeu_si512(t, _mm512_unpacklo_epi32(a, c));
            _mm512_storeu_si512(t + m, _mm512_unpackhi_epi32(a, c));
            _mm512_storeu_si512(t + 2 * m, _mm512_unpacklo_epi32(b, d));
            _mm512_storeu_si512(t + 3 * m, _mm512_unpackhi_epi32(b, d));
        }
}

__attribute__((noinline)) static void plain(const float *x, float *y, int64_t m) { turn(x, y, m, 0); }
__attribute__((noinline)) static void asked(const float *x, float *y, int64_t m) { turn(x, y, m, 1); }

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static double nanoseconds(void (*f)(const float *, float *, int64_t), const float *x, float *y, int64_t m)
{
    double least = 1e30;
    for (int round = 0; round < 40; round++) {
        double begun = now();
        for (int k = 0; k < 50; k++) f(x, y, m);
        double took = (now() - begun) / 50;
        least = took < least ? took : least;
    }
    return least / (m * N / 8);
}

int main(void)
{
    float *x = aligned_alloc(4096, MOST * N * 4), *y = aligned_alloc(4096, MOST * N * 4);
    memset(x, 0, MOST * N * 4), memset(y, 0, MOST * N * 4);
    const int sizes[] = {96, 100, 1136, 1134, 4112, 4110, 1024};
    printf("  rows  bytes apart   plain   asked\n");
    for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; n++)
        printf("%6d %12d %7.2f %7.2f\n", sizes[n], 4 * sizes[n], nanoseconds(plain, x, y, sizes[n]),
               nanoseconds(asked, x, y, sizes[n]));
    return 0;
}
