/* Tiles of a product of bytes with AVX2, by hand, all in L1: cycles for 32 products in each of 8 lanes (README.md).
 *
 *     gcc -O3 -mavx2 -mfma -w docs/lab/quantised/bytes.c -o bytes && ./bytes
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef __m256i V;
enum { K = 512, PITCH = K + 32, LARGEST = 12 };
#define HOLD(x) __asm__("" : "+x"(x))
#define APART static __attribute__((noinline, noclone))

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Cycles a second: a chain of additions. */
static double rate(void)
{
    double least = 1e9;
    for (int r = 0; r < 5; r++) {
        uint64_t x = 1;
        double t = now();
        for (int i = 0; i < 2000000; i++)
            __asm__ volatile("add %0,%0\n add %0,%0\n add %0,%0\n add %0,%0" : "+r"(x));
        t = now() - t;
        least = t < least ? t : least;
    }
    return 8e6 / least;
}

static inline V spread(const void *p)
{
    int32_t x;
    memcpy(&x, p, 4);
    return _mm256_set1_epi32(x);
}
static inline V spread_u8(const uint8_t *p)
{
    return _mm256_set1_epi32(p[0] | p[1] << 16);
}
static inline V words(const int16_t *p) { return _mm256_loadu_si256((const V *)p); }
static inline V bytes(const int8_t *p) { return _mm256_loadu_si256((const V *)p); }
static inline V widened(const int8_t *p) { return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)p)); }

#define BEGIN(M, N) \
    s32x8 c[M][N]; \
    for (int i = 0; i < M; i++) \
        for (int v = 0; v < N; v++) \
            c[i][v] = (s32x8){0};
#define END(M, N) \
    for (int i = 0; i < M; i++) \
        for (int v = 0; v < N; v++) \
            _mm256_storeu_si256((V *)(y + i * 48 + v * 8), (V)c[i][v]);

/* vpmaddwd and vpaddd: what programs have */
#define PAIRS(NAME, M, N, A, SPREAD, B, LOAD) \
    APART void NAME(const A *a, const B *b, int32_t *y) \
    { \
        BEGIN(M, N) \
        for (int64_t k = 0; k < K; k += 2) { \
            V x1[N]; \
            for (int v = 0; v < N; v++) { x1[v] = LOAD(b + k * N * 8 + v * 16); HOLD(x1[v]); } \
            for (int i = 0; i < M; i++) { \
                const V x0 = SPREAD(a + k + i * PITCH); \
                for (int v = 0; v < N; v++) c[i][v] += (s32x8)_mm256_madd_epi16(x0, x1[v]); \
            } \
        } \
        END(M, N) \
    }
PAIRS(u8_as_given_6x2, 6, 2, uint8_t, spread_u8, int8_t, widened)
PAIRS(copied_as_s16_6x2, 6, 2, int16_t, spread, int8_t, widened)
PAIRS(copied_as_s16_5x2, 5, 2, int16_t, spread, int8_t, widened)
PAIRS(copied_as_s16_4x2, 4, 2, int16_t, spread, int8_t, widened)
PAIRS(copied_as_s16_4x3, 4, 3, int16_t, spread, int8_t, widened)
PAIRS(both_as_s16_6x2, 6, 2, int16_t, spread, int16_t, words)
PAIRS(both_as_s16_12x1, 12, 1, int16_t, spread, int16_t, words)

/* vpmaddubsw, whose sums of two saturate at 16 bits: exact where all of `a` is below 128. With `test` that is looked
 * for in each tile, and another loop is there for the others. */
#define FOURS(NAME, TEST) \
    APART void NAME(const uint8_t *a, const int8_t *b, int32_t *y) \
    { \
        int wide = 0; \
        for (int i = 0; TEST && i < 6 && !wide; i++) { \
            V all = _mm256_setzero_si256(); \
            for (int k = 0; k < K; k += 32) all = _mm256_or_si256(all, bytes((const int8_t *)a + k + i * PITCH)); \
            wide = _mm256_movemask_epi8(all) != 0; \
        } \
        BEGIN(6, 2) \
        const V one = _mm256_set1_epi16(1), low = _mm256_set1_epi16(255); \
        for (int64_t k = 0; !wide && k < K; k += 4) { \
            V x1[2]; \
            for (int v = 0; v < 2; v++) { x1[v] = bytes(b + k * 16 + v * 32); HOLD(x1[v]); } \
            for (int i = 0; i < 6; i++) { \
                const V x0 = spread(a + k + i * PITCH); \
                for (int v = 0; v < 2; v++) \
                    c[i][v] += (s32x8)_mm256_madd_epi16(_mm256_maddubs_epi16(x0, x1[v]), one); \
            } \
        } \
        for (int64_t k = 0; wide && k < K; k += 4) { \
            V x1[2]; \
            for (int v = 0; v < 2; v++) { \
                x1[v] = _mm256_srai_epi16(_mm256_slli_epi16(bytes(b + k * 16 + v * 32), 8), 8); \
                HOLD(x1[v]); \
            } \
            for (int i = 0; i < 6; i++) { \
                const V x0 = _mm256_and_si256(spread(a + k + i * PITCH), low); \
                for (int v = 0; v < 2; v++) c[i][v] += (s32x8)_mm256_madd_epi16(x0, x1[v]); \
            } \
            for (int v = 0; v < 2; v++) { x1[v] = _mm256_srai_epi16(bytes(b + k * 16 + v * 32), 8); HOLD(x1[v]); } \
            for (int i = 0; i < 6; i++) { \
                const V x0 = _mm256_srli_epi16(spread(a + k + i * PITCH), 8); \
                for (int v = 0; v < 2; v++) c[i][v] += (s32x8)_mm256_madd_epi16(x0, x1[v]); \
            } \
        } \
        END(6, 2) \
    }
FOURS(saturating_6x2, 0)
FOURS(tested_6x2, 1)

/* (a0 + b1) (a1 + b0) less a0 a1 and b0 b1, which are sums of a row and of a column (S. Winograd, "A New Algorithm for
 * Inner Product", 1968): one product of words in place of two, two sums more. */
#define INNER(NAME, M, N) \
    APART void NAME(const int16_t *a, const int16_t *b, int32_t *y) \
    { \
        BEGIN(M, N) \
        for (int64_t k = 0; k < K; k += 4) { \
            V p[N], q[N]; \
            for (int v = 0; v < N; v++) { \
                p[v] = words(b + k * N * 8 + v * 16); \
                q[v] = words(b + (k + 2) * N * 8 + v * 16); \
                HOLD(p[v]); \
                HOLD(q[v]); \
            } \
            for (int i = 0; i < M; i++) { \
                const V even = spread(a + k + i * PITCH), odd = spread(a + k + 2 + i * PITCH); \
                for (int v = 0; v < N; v++) \
                    c[i][v] += (s32x8)_mm256_madd_epi16(_mm256_add_epi16(even, p[v]), _mm256_add_epi16(odd, q[v])); \
            } \
        } \
        END(M, N) \
    }
INNER(inner_4x2, 4, 2)
INNER(inner_5x2, 5, 2)
INNER(inner_10x1, 10, 1)

static int16_t A[PITCH * LARGEST], B[K * 48];
static int32_t Y[16 * 48];
static uint8_t narrow[sizeof A], wide[sizeof A];

#define TIME(F, TILES, FIRST) \
    { \
        double least = 1e9; \
        for (int r = 0; r < 40; r++) { \
            double t = now(); \
            for (int i = 0; i < 200; i++) F((const void *)FIRST, (const void *)B, Y); \
            t = (now() - t) / 200; \
            least = t < least ? t : least; \
        } \
        printf("%-20s %-7s %.2f\n", #F, #FIRST, least * cycles / (K / 4) / (TILES)); \
    }

int main(void)
{
    const double cycles = rate();
    for (unsigned i = 0; i < sizeof A; i++) narrow[i] = i % 128, wide[i] = i * 7;
    TIME(u8_as_given_6x2, 12, wide)
    TIME(copied_as_s16_6x2, 12, A)
    TIME(copied_as_s16_5x2, 10, A)
    TIME(copied_as_s16_4x2, 8, A)
    TIME(copied_as_s16_4x3, 12, A)
    TIME(both_as_s16_6x2, 12, A)
    TIME(both_as_s16_12x1, 12, A)
    TIME(saturating_6x2, 12, narrow)
    TIME(tested_6x2, 12, narrow)
    TIME(tested_6x2, 12, wide)
    TIME(inner_4x2, 8, A)
    TIME(inner_5x2, 10, A)
    TIME(inner_10x1, 10, A)
}
