/* What the last elements of a row take with AVX2: a masked load or store, or moves of 16, 8 and 4 bytes. Cycles of the time stamp counter, L1, the least of 30 rounds.

       gcc -O2 -mavx2 docs/lab/race/tails.c -o tails && ./tails                                                                                        */

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

static float room[4096] __attribute__((aligned(64)));

#define TIMED(name, ...)                                                                                                                                    \
    do {                                                                                                                                                    \
        double least = 1e9;                                                                                                                                 \
        for (int round = 0; round < 30; round++) {                                                                                                          \
            const uint64_t began = __rdtsc();                                                                                                               \
            for (int turn = 0; turn < 20000; turn++)                                                                                                        \
                for (int row = 0; row < 64; row++) {                                                                                                        \
                    float *p = room + 10 * row;                                                                                                             \
                    __VA_ARGS__;                                                                                                                            \
                }                                                                                                                                           \
            const double cycles = (double)(__rdtsc() - began) / 20000 / 64;                                                                                 \
            least = cycles < least ? cycles : least;                                                                                                        \
        }                                                                                                                                                   \
        printf("%-24s %5.2f\n", name, least);                                                                                                               \
    } while (0)
#define READ(value) do { const __m256 x = value; __asm__ volatile("" ::"x"(x)); } while (0)
#define WRITE(...) do { __VA_ARGS__; __asm__ volatile("" ::: "memory"); } while (0)

int main(void)
{
    const __m256i two = _mm256_setr_epi32(-1, -1, 0, 0, 0, 0, 0, 0), seven = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0);
    const __m256 a = _mm256_set1_ps(1);
    const __m128 low = _mm256_castps256_ps128(a);
    TIMED("load 8", READ(_mm256_loadu_ps(p)));
    TIMED("load 2, masked", READ(_mm256_maskload_ps(p + 8, two)));
    TIMED("load 7, masked", READ(_mm256_maskload_ps(p + 8, seven)));
    TIMED("load 2", READ(_mm256_castps128_ps256(_mm_castpd_ps(_mm_load_sd((const double *)(p + 8))))));
    TIMED("load 7 as 4, 2, 1", {
        const __m128 high = _mm_insert_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(p + 12))), _mm_load_ss(p + 14), 0x20);
        READ(_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 8)), high, 1));
    });
    TIMED("store 8", WRITE(_mm256_storeu_ps(p, a)));
    TIMED("store 2, masked", WRITE(_mm256_maskstore_ps(p + 8, two, a)));
    TIMED("store 7, masked", WRITE(_mm256_maskstore_ps(p + 8, seven, a)));
    TIMED("store 2", WRITE(_mm_storel_pi((__m64 *)(p + 8), low)));
    TIMED("store 7 as 4, 2, 1", WRITE({
        const __m128 high = _mm256_extractf128_ps(a, 1);
        _mm_storeu_ps(p + 8, low);
        _mm_storel_pi((__m64 *)(p + 12), high);
        p[14] = _mm_cvtss_f32(_mm_movehl_ps(high, high));
    }));
    return 0;
}
