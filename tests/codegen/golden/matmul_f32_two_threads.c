/*
 * matmul(f32[200,200], f32[200,200]) -> f32[200,200]
 *
 * avx512, 2 threads, cycles by the model
 *
 * parallel m by 100 over 2 threads
 *   loop n by 128
 *     loop n by 32
 *       copy x1 200x32 -> L1, panels of 32
 *           pack k=200 n=32, lanes along k
 *         loop m by 14
 *           registers y 14x32  multiply_add m=14 n=32 k=200, lanes along n
 *           leftover m 2:
 *             registers y 2x32  multiply_add m=2 n=32 k=200, lanes along n
 *     leftover n 72:
 *       loop n by 48
 *         loop n by 32
 *           copy x1 200x32 -> L1, panels of 32
 *               pack k=200 n=32, lanes along k
 *             loop m by 14
 *               registers y 14x32  multiply_add m=14 n=32 k=200, lanes along n
 *               leftover m 2:
 *                 registers y 2x32  multiply_add m=2 n=32 k=200, lanes along n
 *           leftover n 16:
 *             copy x1 200x16 -> L1, panels of 16
 *                 pack k=200 n=16, lanes along k
 *               loop m by 24
 *                 registers y 24x16  multiply_add m=24 n=16 k=200, lanes along n
 *                 leftover m 4:
 *                   registers y 4x16  multiply_add m=4 n=16 k=200, lanes along n
 *         leftover n 24:
 *           view x1 200x24 -> L1
 *             loop m by 64
 *               loop m by 14
 *                 registers y 14x24  multiply_add m=14 n=24 k=200, lanes along n
 *                 leftover m 8:
 *                   registers y 8x24  multiply_add m=8 n=24 k=200, lanes along n
 *               leftover m 36:
 *                 loop m by 14
 *                   registers y 14x24  multiply_add m=14 n=24 k=200, lanes along n
 *                   leftover m 8:
 *                     registers y 8x24  multiply_add m=8 n=24 k=200, lanes along n
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x16 __attribute__((vector_size(64)));
typedef float f32x16_unaligned __attribute__((vector_size(64), aligned(1), may_alias));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x16 __attribute__((vector_size(64)));

static inline __attribute__((always_inline, unused)) f32x16 splat_f32x16(float x)
{
    return (f32x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x16 load_f32x16(const float *p)
{
    return *(const f32x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x16 hold_f32x16(f32x16 x)
{
    __asm__("" : "+v"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) f32x16 add_f32x16(f32x16 x, f32x16 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) void store_f32x16(float *p, f32x16 v)
{
    *(f32x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x16 load_tail_f32x16(const float *p, int n)
{
    return (f32x16)_mm512_maskz_loadu_epi32((__mmask16)((1ull << n) - 1), p);
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x16(float *p, f32x16 v, int n)
{
    _mm512_mask_storeu_epi32(p, (__mmask16)((1ull << n) - 1), (__m512i)v);
}


static _Thread_local float packed_8_thread[6432] __attribute__((aligned(64)));

/* y[m n] = add of mul(p0[m k], p1[k n]), m=14 n=32 k=200, lanes along n */
static void multiply_add_14x32x200_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c6_0 = splat_f32x16(0.0f);
    f32x16 c6_1 = splat_f32x16(0.0f);
    f32x16 c7_0 = splat_f32x16(0.0f);
    f32x16 c7_1 = splat_f32x16(0.0f);
    f32x16 c8_0 = splat_f32x16(0.0f);
    f32x16 c8_1 = splat_f32x16(0.0f);
    f32x16 c9_0 = splat_f32x16(0.0f);
    f32x16 c9_1 = splat_f32x16(0.0f);
    f32x16 c10_0 = splat_f32x16(0.0f);
    f32x16 c10_1 = splat_f32x16(0.0f);
    f32x16 c11_0 = splat_f32x16(0.0f);
    f32x16 c11_1 = splat_f32x16(0.0f);
    f32x16 c12_0 = splat_f32x16(0.0f);
    f32x16 c12_1 = splat_f32x16(0.0f);
    f32x16 c13_0 = splat_f32x16(0.0f);
    f32x16 c13_1 = splat_f32x16(0.0f);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 200; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 32));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 32 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 1200]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 1400]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 1600]);
            c8_0 += x0_8_0 * x1_0;
            c8_1 += x0_8_0 * x1_1;
            const f32x16 x0_9_0 = splat_f32x16(p0[k + 1800]);
            c9_0 += x0_9_0 * x1_0;
            c9_1 += x0_9_0 * x1_1;
            const f32x16 x0_10_0 = splat_f32x16(p0[k + 2000]);
            c10_0 += x0_10_0 * x1_0;
            c10_1 += x0_10_0 * x1_1;
            const f32x16 x0_11_0 = splat_f32x16(p0[k + 2200]);
            c11_0 += x0_11_0 * x1_0;
            c11_1 += x0_11_0 * x1_1;
            const f32x16 x0_12_0 = splat_f32x16(p0[k + 2400]);
            c12_0 += x0_12_0 * x1_0;
            c12_1 += x0_12_0 * x1_1;
            const f32x16 x0_13_0 = splat_f32x16(p0[k + 2600]);
            c13_0 += x0_13_0 * x1_0;
            c13_1 += x0_13_0 * x1_1;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 200, c1_0);
    store_f32x16(y + 216, c1_1);
    store_f32x16(y + 400, c2_0);
    store_f32x16(y + 416, c2_1);
    store_f32x16(y + 600, c3_0);
    store_f32x16(y + 616, c3_1);
    store_f32x16(y + 800, c4_0);
    store_f32x16(y + 816, c4_1);
    store_f32x16(y + 1000, c5_0);
    store_f32x16(y + 1016, c5_1);
    store_f32x16(y + 1200, c6_0);
    store_f32x16(y + 1216, c6_1);
    store_f32x16(y + 1400, c7_0);
    store_f32x16(y + 1416, c7_1);
    store_f32x16(y + 1600, c8_0);
    store_f32x16(y + 1616, c8_1);
    store_f32x16(y + 1800, c9_0);
    store_f32x16(y + 1816, c9_1);
    store_f32x16(y + 2000, c10_0);
    store_f32x16(y + 2016, c10_1);
    store_f32x16(y + 2200, c11_0);
    store_f32x16(y + 2216, c11_1);
    store_f32x16(y + 2400, c12_0);
    store_f32x16(y + 2416, c12_1);
    store_f32x16(y + 2600, c13_0);
    store_f32x16(y + 2616, c13_1);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=32 k=200, lanes along n */
static void multiply_add_2x32x200_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_0a = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_1a = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_0a = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_1a = splat_f32x16(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 200; k += 2) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 32));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 32 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
        }
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k + 1]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 32 + 32));
            c0_0a += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 32 + 48));
            c0_1a += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 201]);
            c1_0a += x0_1_0 * x1_0;
            c1_1a += x0_1_0 * x1_1;
        }
    }
    c0_0 = add_f32x16(c0_0, c0_0a);
    store_f32x16(y, c0_0);
    c0_1 = add_f32x16(c0_1, c0_1a);
    store_f32x16(y + 16, c0_1);
    c1_0 = add_f32x16(c1_0, c1_0a);
    store_f32x16(y + 200, c1_0);
    c1_1 = add_f32x16(c1_1, c1_1a);
    store_f32x16(y + 216, c1_1);
}

/* y[k n] = p0[k n], k=200 n=32, lanes along k */
static void pack_200x32_2(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 200; i0++) {
        {
            const float *s = p0 + i0 * 200;
            float *t = y + i0 * 32;
            store_f32x16(t, load_f32x16(s));
            store_f32x16(t + 16, load_f32x16(s + 16));
        }
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=24 n=16 k=200, lanes along n */
static void multiply_add_24x16x200_3(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c6_0 = splat_f32x16(0.0f);
    f32x16 c7_0 = splat_f32x16(0.0f);
    f32x16 c8_0 = splat_f32x16(0.0f);
    f32x16 c9_0 = splat_f32x16(0.0f);
    f32x16 c10_0 = splat_f32x16(0.0f);
    f32x16 c11_0 = splat_f32x16(0.0f);
    f32x16 c12_0 = splat_f32x16(0.0f);
    f32x16 c13_0 = splat_f32x16(0.0f);
    f32x16 c14_0 = splat_f32x16(0.0f);
    f32x16 c15_0 = splat_f32x16(0.0f);
    f32x16 c16_0 = splat_f32x16(0.0f);
    f32x16 c17_0 = splat_f32x16(0.0f);
    f32x16 c18_0 = splat_f32x16(0.0f);
    f32x16 c19_0 = splat_f32x16(0.0f);
    f32x16 c20_0 = splat_f32x16(0.0f);
    f32x16 c21_0 = splat_f32x16(0.0f);
    f32x16 c22_0 = splat_f32x16(0.0f);
    f32x16 c23_0 = splat_f32x16(0.0f);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 200; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 1200]);
            c6_0 += x0_6_0 * x1_0;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 1400]);
            c7_0 += x0_7_0 * x1_0;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 1600]);
            c8_0 += x0_8_0 * x1_0;
            const f32x16 x0_9_0 = splat_f32x16(p0[k + 1800]);
            c9_0 += x0_9_0 * x1_0;
            const f32x16 x0_10_0 = splat_f32x16(p0[k + 2000]);
            c10_0 += x0_10_0 * x1_0;
            const f32x16 x0_11_0 = splat_f32x16(p0[k + 2200]);
            c11_0 += x0_11_0 * x1_0;
            const f32x16 x0_12_0 = splat_f32x16(p0[k + 2400]);
            c12_0 += x0_12_0 * x1_0;
            const f32x16 x0_13_0 = splat_f32x16(p0[k + 2600]);
            c13_0 += x0_13_0 * x1_0;
            const f32x16 x0_14_0 = splat_f32x16(p0[k + 2800]);
            c14_0 += x0_14_0 * x1_0;
            const f32x16 x0_15_0 = splat_f32x16(p0[k + 3000]);
            c15_0 += x0_15_0 * x1_0;
            const f32x16 x0_16_0 = splat_f32x16(p0[k + 3200]);
            c16_0 += x0_16_0 * x1_0;
            const f32x16 x0_17_0 = splat_f32x16(p0[k + 3400]);
            c17_0 += x0_17_0 * x1_0;
            const f32x16 x0_18_0 = splat_f32x16(p0[k + 3600]);
            c18_0 += x0_18_0 * x1_0;
            const f32x16 x0_19_0 = splat_f32x16(p0[k + 3800]);
            c19_0 += x0_19_0 * x1_0;
            const f32x16 x0_20_0 = splat_f32x16(p0[k + 4000]);
            c20_0 += x0_20_0 * x1_0;
            const f32x16 x0_21_0 = splat_f32x16(p0[k + 4200]);
            c21_0 += x0_21_0 * x1_0;
            const f32x16 x0_22_0 = splat_f32x16(p0[k + 4400]);
            c22_0 += x0_22_0 * x1_0;
            const f32x16 x0_23_0 = splat_f32x16(p0[k + 4600]);
            c23_0 += x0_23_0 * x1_0;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 200, c1_0);
    store_f32x16(y + 400, c2_0);
    store_f32x16(y + 600, c3_0);
    store_f32x16(y + 800, c4_0);
    store_f32x16(y + 1000, c5_0);
    store_f32x16(y + 1200, c6_0);
    store_f32x16(y + 1400, c7_0);
    store_f32x16(y + 1600, c8_0);
    store_f32x16(y + 1800, c9_0);
    store_f32x16(y + 2000, c10_0);
    store_f32x16(y + 2200, c11_0);
    store_f32x16(y + 2400, c12_0);
    store_f32x16(y + 2600, c13_0);
    store_f32x16(y + 2800, c14_0);
    store_f32x16(y + 3000, c15_0);
    store_f32x16(y + 3200, c16_0);
    store_f32x16(y + 3400, c17_0);
    store_f32x16(y + 3600, c18_0);
    store_f32x16(y + 3800, c19_0);
    store_f32x16(y + 4000, c20_0);
    store_f32x16(y + 4200, c21_0);
    store_f32x16(y + 4400, c22_0);
    store_f32x16(y + 4600, c23_0);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=16 k=200, lanes along n */
static void multiply_add_4x16x200_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_0a = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_0a = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_0a = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_0a = splat_f32x16(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 200; k += 2) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
        }
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k + 1]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 16 + 16));
            c0_0a += x0_0_0 * x1_0;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 201]);
            c1_0a += x0_1_0 * x1_0;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 401]);
            c2_0a += x0_2_0 * x1_0;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 601]);
            c3_0a += x0_3_0 * x1_0;
        }
    }
    c0_0 = add_f32x16(c0_0, c0_0a);
    store_f32x16(y, c0_0);
    c1_0 = add_f32x16(c1_0, c1_0a);
    store_f32x16(y + 200, c1_0);
    c2_0 = add_f32x16(c2_0, c2_0a);
    store_f32x16(y + 400, c2_0);
    c3_0 = add_f32x16(c3_0, c3_0a);
    store_f32x16(y + 600, c3_0);
}

/* y[k n] = p0[k n], k=200 n=16, lanes along k */
static void pack_200x16_5(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 200; i0++) {
        {
            const float *s = p0 + i0 * 200;
            float *t = y + i0 * 16;
            store_f32x16(t, load_f32x16(s));
        }
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=14 n=24 k=200, lanes along n */
static void multiply_add_14x24x200_6(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c6_0 = splat_f32x16(0.0f);
    f32x16 c6_1 = splat_f32x16(0.0f);
    f32x16 c7_0 = splat_f32x16(0.0f);
    f32x16 c7_1 = splat_f32x16(0.0f);
    f32x16 c8_0 = splat_f32x16(0.0f);
    f32x16 c8_1 = splat_f32x16(0.0f);
    f32x16 c9_0 = splat_f32x16(0.0f);
    f32x16 c9_1 = splat_f32x16(0.0f);
    f32x16 c10_0 = splat_f32x16(0.0f);
    f32x16 c10_1 = splat_f32x16(0.0f);
    f32x16 c11_0 = splat_f32x16(0.0f);
    f32x16 c11_1 = splat_f32x16(0.0f);
    f32x16 c12_0 = splat_f32x16(0.0f);
    f32x16 c12_1 = splat_f32x16(0.0f);
    f32x16 c13_0 = splat_f32x16(0.0f);
    f32x16 c13_1 = splat_f32x16(0.0f);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 200; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_tail_f32x16(p1 + k * 200 + 16, 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 1200]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 1400]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 1600]);
            c8_0 += x0_8_0 * x1_0;
            c8_1 += x0_8_0 * x1_1;
            const f32x16 x0_9_0 = splat_f32x16(p0[k + 1800]);
            c9_0 += x0_9_0 * x1_0;
            c9_1 += x0_9_0 * x1_1;
            const f32x16 x0_10_0 = splat_f32x16(p0[k + 2000]);
            c10_0 += x0_10_0 * x1_0;
            c10_1 += x0_10_0 * x1_1;
            const f32x16 x0_11_0 = splat_f32x16(p0[k + 2200]);
            c11_0 += x0_11_0 * x1_0;
            c11_1 += x0_11_0 * x1_1;
            const f32x16 x0_12_0 = splat_f32x16(p0[k + 2400]);
            c12_0 += x0_12_0 * x1_0;
            c12_1 += x0_12_0 * x1_1;
            const f32x16 x0_13_0 = splat_f32x16(p0[k + 2600]);
            c13_0 += x0_13_0 * x1_0;
            c13_1 += x0_13_0 * x1_1;
        }
    }
    store_f32x16(y, c0_0);
    store_tail_f32x16(y + 16, c0_1, 8);
    store_f32x16(y + 200, c1_0);
    store_tail_f32x16(y + 216, c1_1, 8);
    store_f32x16(y + 400, c2_0);
    store_tail_f32x16(y + 416, c2_1, 8);
    store_f32x16(y + 600, c3_0);
    store_tail_f32x16(y + 616, c3_1, 8);
    store_f32x16(y + 800, c4_0);
    store_tail_f32x16(y + 816, c4_1, 8);
    store_f32x16(y + 1000, c5_0);
    store_tail_f32x16(y + 1016, c5_1, 8);
    store_f32x16(y + 1200, c6_0);
    store_tail_f32x16(y + 1216, c6_1, 8);
    store_f32x16(y + 1400, c7_0);
    store_tail_f32x16(y + 1416, c7_1, 8);
    store_f32x16(y + 1600, c8_0);
    store_tail_f32x16(y + 1616, c8_1, 8);
    store_f32x16(y + 1800, c9_0);
    store_tail_f32x16(y + 1816, c9_1, 8);
    store_f32x16(y + 2000, c10_0);
    store_tail_f32x16(y + 2016, c10_1, 8);
    store_f32x16(y + 2200, c11_0);
    store_tail_f32x16(y + 2216, c11_1, 8);
    store_f32x16(y + 2400, c12_0);
    store_tail_f32x16(y + 2416, c12_1, 8);
    store_f32x16(y + 2600, c13_0);
    store_tail_f32x16(y + 2616, c13_1, 8);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=8 n=24 k=200, lanes along n */
static void multiply_add_8x24x200_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c6_0 = splat_f32x16(0.0f);
    f32x16 c6_1 = splat_f32x16(0.0f);
    f32x16 c7_0 = splat_f32x16(0.0f);
    f32x16 c7_1 = splat_f32x16(0.0f);
#pragma GCC unroll 3
    for (int64_t k = 0; k < 200; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_tail_f32x16(p1 + k * 200 + 16, 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 1200]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 1400]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
        }
    }
    store_f32x16(y, c0_0);
    store_tail_f32x16(y + 16, c0_1, 8);
    store_f32x16(y + 200, c1_0);
    store_tail_f32x16(y + 216, c1_1, 8);
    store_f32x16(y + 400, c2_0);
    store_tail_f32x16(y + 416, c2_1, 8);
    store_f32x16(y + 600, c3_0);
    store_tail_f32x16(y + 616, c3_1, 8);
    store_f32x16(y + 800, c4_0);
    store_tail_f32x16(y + 816, c4_1, 8);
    store_f32x16(y + 1000, c5_0);
    store_tail_f32x16(y + 1016, c5_1, 8);
    store_f32x16(y + 1200, c6_0);
    store_tail_f32x16(y + 1216, c6_1, 8);
    store_f32x16(y + 1400, c7_0);
    store_tail_f32x16(y + 1416, c7_1, 8);
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_e977021e_check(void)
{
    static const struct { const char *name; unsigned leaf, subleaf, word, bit, state; } needed[] = {
        {"avx", 1, 0, 2, 28, 0x6},
        {"fma", 1, 0, 2, 12, 0x6},
        {"f16c", 1, 0, 2, 29, 0x6},
        {"avx2", 7, 0, 1, 5, 0x6},
        {"avx512f", 7, 0, 1, 16, 0xe6},
        {"avx512dq", 7, 0, 1, 17, 0xe6},
        {"avx512bw", 7, 0, 1, 30, 0xe6},
        {"avx512vl", 7, 0, 1, 31, 0xe6},
        {"avx512_vnni", 7, 0, 2, 11, 0xe6},
        {"avx512_bf16", 7, 1, 0, 5, 0xe6}
    };
    unsigned leaves, basic[4], found[4], low = 0, high = 0;
    __cpuid(0, leaves, found[1], found[2], found[3]);
    __cpuid(1, basic[0], basic[1], basic[2], basic[3]);
    if (basic[2] >> 27 & 1) /* the system lets programs read XCR0 */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    for (int64_t i = 0; i < 10; i++) {
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

void griotte_matmul_e977021e(const float *x0, const float *x1, float *y)
{
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t tile_1 = 0; tile_1 < 2; tile_1++) {
    float *const packed_8_own = packed_8_thread;
        const int64_t m_2 = tile_1;
        const float *x_3 = x0 + m_2 * 20000;
        float *y_4 = y + m_2 * 20000;
        for (int64_t n_5 = 0; n_5 < 4; n_5++) {
            const float *x_6 = x1 + n_5 * 32;
            float *y_7 = y_4 + n_5 * 32;
            {
                float *const packed_8 = packed_8_own;
                /* copy into panels of 32, L1 */
                pack_200x32_2(x_6, packed_8);
                for (int64_t m_9 = 0; m_9 < 7; m_9++) {
                    const float *x_10 = x_3 + m_9 * 2800;
                    float *y_11 = y_7 + m_9 * 2800;
                    multiply_add_14x32x200_0(x_10, packed_8, y_11);
                }
                {
                    const float *x_12 = x_3 + 19600;
                    float *y_13 = y_7 + 19600;
                    multiply_add_2x32x200_1(x_12, packed_8, y_13);
                }
            }
        }
        {
            const float *x_14 = x1 + 128;
            float *y_15 = y_4 + 128;
            {
                float *const packed_16 = packed_8_own;
                /* copy into panels of 32, L1 */
                pack_200x32_2(x_14, packed_16);
                for (int64_t m_17 = 0; m_17 < 7; m_17++) {
                    const float *x_18 = x_3 + m_17 * 2800;
                    float *y_19 = y_15 + m_17 * 2800;
                    multiply_add_14x32x200_0(x_18, packed_16, y_19);
                }
                {
                    const float *x_20 = x_3 + 19600;
                    float *y_21 = y_15 + 19600;
                    multiply_add_2x32x200_1(x_20, packed_16, y_21);
                }
            }
            {
                const float *x_22 = x_14 + 32;
                float *y_23 = y_15 + 32;
                {
                    float *const packed_24 = packed_8_own;
                    /* copy into panels of 16, L1 */
                    pack_200x16_5(x_22, packed_24);
                    for (int64_t m_25 = 0; m_25 < 4; m_25++) {
                        const float *x_26 = x_3 + m_25 * 4800;
                        float *y_27 = y_23 + m_25 * 4800;
                        multiply_add_24x16x200_3(x_26, packed_24, y_27);
                    }
                    {
                        const float *x_28 = x_3 + 19200;
                        float *y_29 = y_23 + 19200;
                        multiply_add_4x16x200_4(x_28, packed_24, y_29);
                    }
                }
            }
            {
                const float *x_30 = x_14 + 48;
                float *y_31 = y_15 + 48;
                for (int64_t m_32 = 0; m_32 < 4; m_32++) {
                    const float *x_33 = x_3 + m_32 * 2800;
                    float *y_34 = y_31 + m_32 * 2800;
                    multiply_add_14x24x200_6(x_33, x_30, y_34);
                }
                {
                    const float *x_35 = x_3 + 11200;
                    float *y_36 = y_31 + 11200;
                    multiply_add_8x24x200_7(x_35, x_30, y_36);
                }
                {
                    const float *x_37 = x_3 + 12800;
                    float *y_38 = y_31 + 12800;
                    for (int64_t m_39 = 0; m_39 < 2; m_39++) {
                        const float *x_40 = x_37 + m_39 * 2800;
                        float *y_41 = y_38 + m_39 * 2800;
                        multiply_add_14x24x200_6(x_40, x_30, y_41);
                    }
                    {
                        const float *x_42 = x_37 + 5600;
                        float *y_43 = y_38 + 5600;
                        multiply_add_8x24x200_7(x_42, x_30, y_43);
                    }
                }
            }
        }
    }
}
