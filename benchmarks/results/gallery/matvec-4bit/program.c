/*
 * group_matmul(f32[1,4096], const s4[4096,128,32], const f32[4096,128]) -> f32[1,4096]
 *
 * native, 1 thread, 5.097e+06 cycles by the model
 *
 * ahead x1 4096x128x32, panels of 32 in groups of 8, once
 *     pack i1=128 i2=32 n=4096, lanes along i1
 *   ahead x2 4096x128, panels of 32, once
 *       pack i1=128 n=4096, lanes along i1
 *     view x0 128x32 -> L1
 *       loop n by 512
 *         view x2 512x128 -> L2
 *           loop n by 32
 *             registers y 32  nibbles_f32_f32 n=32 i1=128 i2=32, lanes along n
 */
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef int8_t s8x1 __attribute__((vector_size(1)));
typedef uint32_t u32x1 __attribute__((vector_size(4)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint8_t u8x1 __attribute__((vector_size(1)));

static inline __attribute__((always_inline, unused)) f32x8 splat_f32x8(float x)
{
    return (f32x8){x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) u32x8 load_u32x8(const uint32_t *p)
{
    return *(const u32x8_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x8 load_f32x8(const float *p)
{
    return *(const f32x8_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x8 add_f32x8(f32x8 x, f32x8 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) u32x1 convert_s8_to_u32_x1(s8x1 x)
{
    return __builtin_convertvector(x, u32x1);
}

static inline __attribute__((always_inline, unused)) s8x1 convert_s4_to_s8_x1(s8x1 x)
{
    return (s8x1)((u8x1)x << 4) >> 4;
}

static inline __attribute__((always_inline, unused)) u32x1 convert_s4_to_u32_x1(s8x1 x)
{
    return convert_s8_to_u32_x1(convert_s4_to_s8_x1(x));
}

static inline __attribute__((always_inline, unused)) uint32_t convert_s4_to_u32(int8_t x)
{
    return convert_s4_to_u32_x1((s8x1){x})[0];
}


static inline __attribute__((always_inline, unused)) __m256 nibbles_f32(__m256 c, const float *x, __m256i w, __m256 s)
{
    w = _mm256_xor_si256(w, _mm256_set1_epi32((int)0x88888888u));
    __m256 t0 = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 28), 28)), _mm256_set1_ps(x[0]));
    __m256 t1 = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 20), 28)), _mm256_set1_ps(x[1]));
    t0 = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 12), 28)), _mm256_set1_ps(x[2]), t0);
    t1 = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 4), 28)), _mm256_set1_ps(x[3]), t1);
    t0 = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 24), 28)), _mm256_set1_ps(x[4]), t0);
    t1 = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 16), 28)), _mm256_set1_ps(x[5]), t1);
    t0 = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 8), 28)), _mm256_set1_ps(x[6]), t0);
    t1 = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(w, 0), 28)), _mm256_set1_ps(x[7]), t1);
    return _mm256_fmadd_ps(_mm256_add_ps(t0, t1), s, c);
}

/* y[n] = add of mul(mul(p0[i1 i2], p1[n i1 i2]), p2[n i1]), n=32 i1=128 i2=32, lanes along n */
static void nibbles_f32_f32_32x128x32_0(const float *restrict p0, const uint32_t *restrict p1, const float *restrict p2, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 31, 1);
    f32x8 c0 = splat_f32x8(0.0f);
    f32x8 c1 = splat_f32x8(0.0f);
    f32x8 c2 = splat_f32x8(0.0f);
    f32x8 c3 = splat_f32x8(0.0f);
    for (int64_t i1 = 0; i1 < 128; i1 += 1) {
        __builtin_prefetch(p2 + i1 * 32 + 512);
        __builtin_prefetch(p2 + i1 * 32 + 528);
#pragma GCC unroll 4
        for (int64_t i2 = 0; i2 < 32; i2 += 8) {
            {
                const float * x0_0 = p0 + i1 * 32 + i2;
                const u32x8 x1_0 = load_u32x8(p1 + i1 * 128 + i2 * 4);
                __builtin_prefetch(p1 + i1 * 128 + i2 * 4 + 2048);
                const f32x8 x2_0 = load_f32x8(p2 + i1 * 32);
                c0 = (f32x8)nibbles_f32((__m256)c0, x0_0, (__m256i)x1_0, (__m256)x2_0);
                const u32x8 x1_1 = load_u32x8(p1 + i1 * 128 + i2 * 4 + 8);
                const f32x8 x2_1 = load_f32x8(p2 + i1 * 32 + 8);
                c1 = (f32x8)nibbles_f32((__m256)c1, x0_0, (__m256i)x1_1, (__m256)x2_1);
                const u32x8 x1_2 = load_u32x8(p1 + i1 * 128 + i2 * 4 + 16);
                __builtin_prefetch(p1 + i1 * 128 + i2 * 4 + 2064);
                const f32x8 x2_2 = load_f32x8(p2 + i1 * 32 + 16);
                c2 = (f32x8)nibbles_f32((__m256)c2, x0_0, (__m256i)x1_2, (__m256)x2_2);
                const u32x8 x1_3 = load_u32x8(p1 + i1 * 128 + i2 * 4 + 24);
                const f32x8 x2_3 = load_f32x8(p2 + i1 * 32 + 24);
                c3 = (f32x8)nibbles_f32((__m256)c3, x0_0, (__m256i)x1_3, (__m256)x2_3);
            }
        }
    }
    store_f32x8(y, c0);
    store_f32x8(y + 8, c1);
    store_f32x8(y + 16, c2);
    store_f32x8(y + 24, c3);
}

/* y[n i1 i2] = p0[n i1 i2], i1=128 i2=32 n=4096, lanes along i1 */
static void pack_128x32x4096_1(const int8_t *restrict p0, uint32_t *restrict y)
{
    for (int64_t i1 = 0; i1 < 128; i1++) {
        for (int64_t b = 0; b < 4; b++) {
            for (int64_t p = 0; p < 128; p++) {
                {
                    const int8_t *s = p0 + i1 * 32 + b * 8 + p * 131072;
                    uint32_t *t = y + i1 * 128 + b * 32 + p * 16384;
                    for (int64_t j = 0; j < 32; j++) t[j] = (uint32_t)((s[j * 4096] + 8) & 15) | (uint32_t)((s[j * 4096 + 1] + 8) & 15) << 8 | (uint32_t)((s[j * 4096 + 2] + 8) & 15) << 16 | (uint32_t)((s[j * 4096 + 3] + 8) & 15) << 24 | (uint32_t)((s[j * 4096 + 4] + 8) & 15) << 4 | (uint32_t)((s[j * 4096 + 5] + 8) & 15) << 12 | (uint32_t)((s[j * 4096 + 6] + 8) & 15) << 20 | (uint32_t)((s[j * 4096 + 7] + 8) & 15) << 28;
                }
            }
        }
    }
}

/* y[n i1] = p0[n i1], i1=128 n=4096, lanes along i1 */
static void pack_128x4096_2(const float *restrict p0, float *restrict y)
{
    for (int64_t p = 0; p < 128; p++) {
        for (int64_t j = 0; j < 16; j++) {
            {
                float *t = y + p * 4096 + j * 256;
                const float *s = p0 + p * 4096 + j * 8;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 128);
                const f32x8 r2 = load_f32x8(s + 256);
                const f32x8 r3 = load_f32x8(s + 384);
                const f32x8 r4 = load_f32x8(s + 512);
                const f32x8 r5 = load_f32x8(s + 640);
                const f32x8 r6 = load_f32x8(s + 768);
                const f32x8 r7 = load_f32x8(s + 896);
                const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                store_f32x8(t, t4_0);
                store_f32x8(t + 32, t4_1);
                store_f32x8(t + 64, t4_2);
                store_f32x8(t + 96, t4_3);
                store_f32x8(t + 128, t4_4);
                store_f32x8(t + 160, t4_5);
                store_f32x8(t + 192, t4_6);
                store_f32x8(t + 224, t4_7);
            }
            {
                float *t = y + p * 4096 + j * 256 + 8;
                const float *s = p0 + p * 4096 + j * 8 + 1024;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 128);
                const f32x8 r2 = load_f32x8(s + 256);
                const f32x8 r3 = load_f32x8(s + 384);
                const f32x8 r4 = load_f32x8(s + 512);
                const f32x8 r5 = load_f32x8(s + 640);
                const f32x8 r6 = load_f32x8(s + 768);
                const f32x8 r7 = load_f32x8(s + 896);
                const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                store_f32x8(t, t4_0);
                store_f32x8(t + 32, t4_1);
                store_f32x8(t + 64, t4_2);
                store_f32x8(t + 96, t4_3);
                store_f32x8(t + 128, t4_4);
                store_f32x8(t + 160, t4_5);
                store_f32x8(t + 192, t4_6);
                store_f32x8(t + 224, t4_7);
            }
            {
                float *t = y + p * 4096 + j * 256 + 16;
                const float *s = p0 + p * 4096 + j * 8 + 2048;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 128);
                const f32x8 r2 = load_f32x8(s + 256);
                const f32x8 r3 = load_f32x8(s + 384);
                const f32x8 r4 = load_f32x8(s + 512);
                const f32x8 r5 = load_f32x8(s + 640);
                const f32x8 r6 = load_f32x8(s + 768);
                const f32x8 r7 = load_f32x8(s + 896);
                const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                store_f32x8(t, t4_0);
                store_f32x8(t + 32, t4_1);
                store_f32x8(t + 64, t4_2);
                store_f32x8(t + 96, t4_3);
                store_f32x8(t + 128, t4_4);
                store_f32x8(t + 160, t4_5);
                store_f32x8(t + 192, t4_6);
                store_f32x8(t + 224, t4_7);
            }
            {
                float *t = y + p * 4096 + j * 256 + 24;
                const float *s = p0 + p * 4096 + j * 8 + 3072;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 128);
                const f32x8 r2 = load_f32x8(s + 256);
                const f32x8 r3 = load_f32x8(s + 384);
                const f32x8 r4 = load_f32x8(s + 512);
                const f32x8 r5 = load_f32x8(s + 640);
                const f32x8 r6 = load_f32x8(s + 768);
                const f32x8 r7 = load_f32x8(s + 896);
                const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                store_f32x8(t, t4_0);
                store_f32x8(t + 32, t4_1);
                store_f32x8(t + 64, t4_2);
                store_f32x8(t + 96, t4_3);
                store_f32x8(t + 128, t4_4);
                store_f32x8(t + 160, t4_5);
                store_f32x8(t + 192, t4_6);
                store_f32x8(t + 224, t4_7);
            }
        }
    }
}

/* x1 in panels of 32 in groups of 8, for griotte_group_matmul_d0c617c5 */
void griotte_group_matmul_d0c617c5_pack_x1(const int8_t *x1, void *packed_x1)
{
    uint32_t *const packed = packed_x1;
    pack_128x32x4096_1(x1, packed);
}

/* x2 in panels of 32, for griotte_group_matmul_d0c617c5 */
void griotte_group_matmul_d0c617c5_pack_x2(const float *x2, void *packed_x2)
{
    float *const packed = packed_x2;
    pack_128x4096_2(x2, packed);
}

__attribute__((target("general-regs-only"))) const char *griotte_group_matmul_d0c617c5_check(void)
{
    static const struct { const char *name; unsigned leaf, subleaf, word, bit, state; } needed[] = {
        {"avx", 1, 0, 2, 28, 0x6},
        {"fma", 1, 0, 2, 12, 0x6},
        {"f16c", 1, 0, 2, 29, 0x6},
        {"avx2", 7, 0, 1, 5, 0x6}
    };
    unsigned leaves, basic[4], found[4], low = 0, high = 0;
    __cpuid(0, leaves, found[1], found[2], found[3]);
    __cpuid(1, basic[0], basic[1], basic[2], basic[3]);
    if (basic[2] >> 27 & 1) /* the system lets programs read XCR0 */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    for (int64_t i = 0; i < 4; i++) {
        if (needed[i].leaf > leaves || (needed[i].state & ~low))
            return needed[i].name;
        __cpuid_count(needed[i].leaf, 0, found[0], found[1], found[2], found[3]);
        if (needed[i].subleaf && needed[i].subleaf > found[0])
            return needed[i].name;
        __cpuid_count(needed[i].leaf, needed[i].subleaf, found[0], found[1], found[2], found[3]);
        if (!(found[needed[i].word] >> needed[i].bit & 1))
            return needed[i].name;
    }
    return 0;
}

uint32_t griotte_group_matmul_d0c617c5_abi(void)
{
    return 0x1f9d1a9;
}

void griotte_group_matmul_d0c617c5(const float *x0, const void *packed_x1, const void *packed_x2, float *y)
{
    const uint32_t *const x1 = packed_x1;
    const float *const x2 = packed_x2;
    for (int64_t n_1 = 0; n_1 < 8; n_1++) {
        const uint32_t *x_2 = x1 + n_1 * 262144;
        const float *x_3 = x2 + n_1 * 65536;
        float *y_4 = y + n_1 * 512;
        for (int64_t n_5 = 0; n_5 < 16; n_5++) {
            const uint32_t *x_6 = x_2 + n_5 * 16384;
            const float *x_7 = x_3 + n_5 * 4096;
            float *y_8 = y_4 + n_5 * 32;
            nibbles_f32_f32_32x128x32_0(x0, x_6, x_7, y_8);
        }
    }
}
