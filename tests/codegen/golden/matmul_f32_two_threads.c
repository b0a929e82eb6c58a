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
 *         loop m by 96
 *           loop m by 14
 *             registers y 14x32  multiply_add m=14 n=32 k=200, lanes along n
 *             leftover m 12:
 *               registers y 12x32  multiply_add m=12 n=32 k=200, lanes along n
 *           leftover m 4:
 *             registers y 4x32  multiply_add m=4 n=32 k=200, lanes along n
 *     leftover n 72:
 *       loop n by 48
 *         loop k by 128
 *           first:
 *             view x1 128x48 -> L1
 *               loop m by 96
 *                 loop m by 9
 *                   registers y 9x48  multiply_add m=9 n=48 k=128, lanes along n
 *                   leftover m 6:
 *                     registers y 6x48  multiply_add m=6 n=48 k=128, lanes along n
 *                 leftover m 4:
 *                   registers y 4x48  multiply_add m=4 n=48 k=128, lanes along n
 *           leftover k 72:
 *             view x1 72x48 -> L1
 *               loop m by 96
 *                 loop m by 9
 *                   registers y 9x48  multiply_add m=9 n=48 k=72, lanes along n
 *                   leftover m 6:
 *                     registers y 6x48  multiply_add m=6 n=48 k=72, lanes along n
 *                 leftover m 4:
 *                   registers y 4x48  multiply_add m=4 n=48 k=72, lanes along n
 *         leftover n 24:
 *           view x1 200x24 -> L1
 *             loop m by 96
 *               loop m by 14
 *                 registers y 14x24  multiply_add m=14 n=24 k=200, lanes along n
 *                 leftover m 12:
 *                   registers y 12x24  multiply_add m=12 n=24 k=200, lanes along n
 *               leftover m 4:
 *                 registers y 4x24  multiply_add m=4 n=24 k=200, lanes along n
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

/* helpers:
 * splat_f32x16, load_f32x16, hold_f32x16, add_f32x16, store_f32x16, load_tail_f32x16, store_tail_f32x16 */

/* codegen/team.c */

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

/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=32 k=200, lanes along n */
static void multiply_add_12x32x200_1(const float *restrict p0, const float *restrict p1, float *restrict y)
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
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=32 k=200, lanes along n */
static void multiply_add_4x32x200_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
#pragma GCC unroll 6
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
}

/* y[k n] = p0[k n], k=200 n=32, lanes along k */
static void pack_200x32_3(const float *restrict p0, float *restrict y)
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

/* y[m n] = add of mul(p0[m k], p1[k n]), m=9 n=48 k=128, lanes along n */
static void multiply_add_9x48x128_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c4_2 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c5_2 = splat_f32x16(0.0f);
    f32x16 c6_0 = splat_f32x16(0.0f);
    f32x16 c6_1 = splat_f32x16(0.0f);
    f32x16 c6_2 = splat_f32x16(0.0f);
    f32x16 c7_0 = splat_f32x16(0.0f);
    f32x16 c7_1 = splat_f32x16(0.0f);
    f32x16 c7_2 = splat_f32x16(0.0f);
    f32x16 c8_0 = splat_f32x16(0.0f);
    f32x16 c8_1 = splat_f32x16(0.0f);
    f32x16 c8_2 = splat_f32x16(0.0f);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 200 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 200 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 1200]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            c6_2 += x0_6_0 * x1_2;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 1400]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            c7_2 += x0_7_0 * x1_2;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 1600]);
            c8_0 += x0_8_0 * x1_0;
            c8_1 += x0_8_0 * x1_1;
            c8_2 += x0_8_0 * x1_2;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 32, c0_2);
    store_f32x16(y + 200, c1_0);
    store_f32x16(y + 216, c1_1);
    store_f32x16(y + 232, c1_2);
    store_f32x16(y + 400, c2_0);
    store_f32x16(y + 416, c2_1);
    store_f32x16(y + 432, c2_2);
    store_f32x16(y + 600, c3_0);
    store_f32x16(y + 616, c3_1);
    store_f32x16(y + 632, c3_2);
    store_f32x16(y + 800, c4_0);
    store_f32x16(y + 816, c4_1);
    store_f32x16(y + 832, c4_2);
    store_f32x16(y + 1000, c5_0);
    store_f32x16(y + 1016, c5_1);
    store_f32x16(y + 1032, c5_2);
    store_f32x16(y + 1200, c6_0);
    store_f32x16(y + 1216, c6_1);
    store_f32x16(y + 1232, c6_2);
    store_f32x16(y + 1400, c7_0);
    store_f32x16(y + 1416, c7_1);
    store_f32x16(y + 1432, c7_2);
    store_f32x16(y + 1600, c8_0);
    store_f32x16(y + 1616, c8_1);
    store_f32x16(y + 1632, c8_2);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=6 n=48 k=128, lanes along n */
static void multiply_add_6x48x128_5(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c4_2 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c5_2 = splat_f32x16(0.0f);
#pragma GCC unroll 3
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 200 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 200 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 32, c0_2);
    store_f32x16(y + 200, c1_0);
    store_f32x16(y + 216, c1_1);
    store_f32x16(y + 232, c1_2);
    store_f32x16(y + 400, c2_0);
    store_f32x16(y + 416, c2_1);
    store_f32x16(y + 432, c2_2);
    store_f32x16(y + 600, c3_0);
    store_f32x16(y + 616, c3_1);
    store_f32x16(y + 632, c3_2);
    store_f32x16(y + 800, c4_0);
    store_f32x16(y + 816, c4_1);
    store_f32x16(y + 832, c4_2);
    store_f32x16(y + 1000, c5_0);
    store_f32x16(y + 1016, c5_1);
    store_f32x16(y + 1032, c5_2);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=48 k=128, lanes along n */
static void multiply_add_4x48x128_6(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 200 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 200 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 32, c0_2);
    store_f32x16(y + 200, c1_0);
    store_f32x16(y + 216, c1_1);
    store_f32x16(y + 232, c1_2);
    store_f32x16(y + 400, c2_0);
    store_f32x16(y + 416, c2_1);
    store_f32x16(y + 432, c2_2);
    store_f32x16(y + 600, c3_0);
    store_f32x16(y + 616, c3_1);
    store_f32x16(y + 632, c3_2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=9 n=48 k=72, lanes along n */
static void multiply_add_9x48x72_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 32, 1);
    __builtin_prefetch(y + 47, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 216, 1);
    __builtin_prefetch(y + 232, 1);
    __builtin_prefetch(y + 247, 1);
    __builtin_prefetch(y + 400, 1);
    __builtin_prefetch(y + 416, 1);
    __builtin_prefetch(y + 432, 1);
    __builtin_prefetch(y + 447, 1);
    __builtin_prefetch(y + 600, 1);
    __builtin_prefetch(y + 616, 1);
    __builtin_prefetch(y + 632, 1);
    __builtin_prefetch(y + 647, 1);
    __builtin_prefetch(y + 800, 1);
    __builtin_prefetch(y + 816, 1);
    __builtin_prefetch(y + 832, 1);
    __builtin_prefetch(y + 847, 1);
    __builtin_prefetch(y + 1000, 1);
    __builtin_prefetch(y + 1016, 1);
    __builtin_prefetch(y + 1032, 1);
    __builtin_prefetch(y + 1047, 1);
    __builtin_prefetch(y + 1200, 1);
    __builtin_prefetch(y + 1216, 1);
    __builtin_prefetch(y + 1232, 1);
    __builtin_prefetch(y + 1247, 1);
    __builtin_prefetch(y + 1400, 1);
    __builtin_prefetch(y + 1416, 1);
    __builtin_prefetch(y + 1432, 1);
    __builtin_prefetch(y + 1447, 1);
    __builtin_prefetch(y + 1600, 1);
    __builtin_prefetch(y + 1616, 1);
    __builtin_prefetch(y + 1632, 1);
    __builtin_prefetch(y + 1647, 1);
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c4_2 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c5_2 = splat_f32x16(0.0f);
    f32x16 c6_0 = splat_f32x16(0.0f);
    f32x16 c6_1 = splat_f32x16(0.0f);
    f32x16 c6_2 = splat_f32x16(0.0f);
    f32x16 c7_0 = splat_f32x16(0.0f);
    f32x16 c7_1 = splat_f32x16(0.0f);
    f32x16 c7_2 = splat_f32x16(0.0f);
    f32x16 c8_0 = splat_f32x16(0.0f);
    f32x16 c8_1 = splat_f32x16(0.0f);
    f32x16 c8_2 = splat_f32x16(0.0f);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 72; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 200 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 200 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 1200]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            c6_2 += x0_6_0 * x1_2;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 1400]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            c7_2 += x0_7_0 * x1_2;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 1600]);
            c8_0 += x0_8_0 * x1_0;
            c8_1 += x0_8_0 * x1_1;
            c8_2 += x0_8_0 * x1_2;
        }
    }
    c0_0 = add_f32x16(load_f32x16(y), c0_0);
    store_f32x16(y, c0_0);
    c0_1 = add_f32x16(load_f32x16(y + 16), c0_1);
    store_f32x16(y + 16, c0_1);
    c0_2 = add_f32x16(load_f32x16(y + 32), c0_2);
    store_f32x16(y + 32, c0_2);
    c1_0 = add_f32x16(load_f32x16(y + 200), c1_0);
    store_f32x16(y + 200, c1_0);
    c1_1 = add_f32x16(load_f32x16(y + 216), c1_1);
    store_f32x16(y + 216, c1_1);
    c1_2 = add_f32x16(load_f32x16(y + 232), c1_2);
    store_f32x16(y + 232, c1_2);
    c2_0 = add_f32x16(load_f32x16(y + 400), c2_0);
    store_f32x16(y + 400, c2_0);
    c2_1 = add_f32x16(load_f32x16(y + 416), c2_1);
    store_f32x16(y + 416, c2_1);
    c2_2 = add_f32x16(load_f32x16(y + 432), c2_2);
    store_f32x16(y + 432, c2_2);
    c3_0 = add_f32x16(load_f32x16(y + 600), c3_0);
    store_f32x16(y + 600, c3_0);
    c3_1 = add_f32x16(load_f32x16(y + 616), c3_1);
    store_f32x16(y + 616, c3_1);
    c3_2 = add_f32x16(load_f32x16(y + 632), c3_2);
    store_f32x16(y + 632, c3_2);
    c4_0 = add_f32x16(load_f32x16(y + 800), c4_0);
    store_f32x16(y + 800, c4_0);
    c4_1 = add_f32x16(load_f32x16(y + 816), c4_1);
    store_f32x16(y + 816, c4_1);
    c4_2 = add_f32x16(load_f32x16(y + 832), c4_2);
    store_f32x16(y + 832, c4_2);
    c5_0 = add_f32x16(load_f32x16(y + 1000), c5_0);
    store_f32x16(y + 1000, c5_0);
    c5_1 = add_f32x16(load_f32x16(y + 1016), c5_1);
    store_f32x16(y + 1016, c5_1);
    c5_2 = add_f32x16(load_f32x16(y + 1032), c5_2);
    store_f32x16(y + 1032, c5_2);
    c6_0 = add_f32x16(load_f32x16(y + 1200), c6_0);
    store_f32x16(y + 1200, c6_0);
    c6_1 = add_f32x16(load_f32x16(y + 1216), c6_1);
    store_f32x16(y + 1216, c6_1);
    c6_2 = add_f32x16(load_f32x16(y + 1232), c6_2);
    store_f32x16(y + 1232, c6_2);
    c7_0 = add_f32x16(load_f32x16(y + 1400), c7_0);
    store_f32x16(y + 1400, c7_0);
    c7_1 = add_f32x16(load_f32x16(y + 1416), c7_1);
    store_f32x16(y + 1416, c7_1);
    c7_2 = add_f32x16(load_f32x16(y + 1432), c7_2);
    store_f32x16(y + 1432, c7_2);
    c8_0 = add_f32x16(load_f32x16(y + 1600), c8_0);
    store_f32x16(y + 1600, c8_0);
    c8_1 = add_f32x16(load_f32x16(y + 1616), c8_1);
    store_f32x16(y + 1616, c8_1);
    c8_2 = add_f32x16(load_f32x16(y + 1632), c8_2);
    store_f32x16(y + 1632, c8_2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=6 n=48 k=72, lanes along n */
static void multiply_add_6x48x72_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 32, 1);
    __builtin_prefetch(y + 47, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 216, 1);
    __builtin_prefetch(y + 232, 1);
    __builtin_prefetch(y + 247, 1);
    __builtin_prefetch(y + 400, 1);
    __builtin_prefetch(y + 416, 1);
    __builtin_prefetch(y + 432, 1);
    __builtin_prefetch(y + 447, 1);
    __builtin_prefetch(y + 600, 1);
    __builtin_prefetch(y + 616, 1);
    __builtin_prefetch(y + 632, 1);
    __builtin_prefetch(y + 647, 1);
    __builtin_prefetch(y + 800, 1);
    __builtin_prefetch(y + 816, 1);
    __builtin_prefetch(y + 832, 1);
    __builtin_prefetch(y + 847, 1);
    __builtin_prefetch(y + 1000, 1);
    __builtin_prefetch(y + 1016, 1);
    __builtin_prefetch(y + 1032, 1);
    __builtin_prefetch(y + 1047, 1);
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c4_2 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c5_2 = splat_f32x16(0.0f);
#pragma GCC unroll 3
    for (int64_t k = 0; k < 72; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 200 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 200 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 800]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 1000]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
        }
    }
    c0_0 = add_f32x16(load_f32x16(y), c0_0);
    store_f32x16(y, c0_0);
    c0_1 = add_f32x16(load_f32x16(y + 16), c0_1);
    store_f32x16(y + 16, c0_1);
    c0_2 = add_f32x16(load_f32x16(y + 32), c0_2);
    store_f32x16(y + 32, c0_2);
    c1_0 = add_f32x16(load_f32x16(y + 200), c1_0);
    store_f32x16(y + 200, c1_0);
    c1_1 = add_f32x16(load_f32x16(y + 216), c1_1);
    store_f32x16(y + 216, c1_1);
    c1_2 = add_f32x16(load_f32x16(y + 232), c1_2);
    store_f32x16(y + 232, c1_2);
    c2_0 = add_f32x16(load_f32x16(y + 400), c2_0);
    store_f32x16(y + 400, c2_0);
    c2_1 = add_f32x16(load_f32x16(y + 416), c2_1);
    store_f32x16(y + 416, c2_1);
    c2_2 = add_f32x16(load_f32x16(y + 432), c2_2);
    store_f32x16(y + 432, c2_2);
    c3_0 = add_f32x16(load_f32x16(y + 600), c3_0);
    store_f32x16(y + 600, c3_0);
    c3_1 = add_f32x16(load_f32x16(y + 616), c3_1);
    store_f32x16(y + 616, c3_1);
    c3_2 = add_f32x16(load_f32x16(y + 632), c3_2);
    store_f32x16(y + 632, c3_2);
    c4_0 = add_f32x16(load_f32x16(y + 800), c4_0);
    store_f32x16(y + 800, c4_0);
    c4_1 = add_f32x16(load_f32x16(y + 816), c4_1);
    store_f32x16(y + 816, c4_1);
    c4_2 = add_f32x16(load_f32x16(y + 832), c4_2);
    store_f32x16(y + 832, c4_2);
    c5_0 = add_f32x16(load_f32x16(y + 1000), c5_0);
    store_f32x16(y + 1000, c5_0);
    c5_1 = add_f32x16(load_f32x16(y + 1016), c5_1);
    store_f32x16(y + 1016, c5_1);
    c5_2 = add_f32x16(load_f32x16(y + 1032), c5_2);
    store_f32x16(y + 1032, c5_2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=4 n=48 k=72, lanes along n */
static void multiply_add_4x48x72_9(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 32, 1);
    __builtin_prefetch(y + 47, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 216, 1);
    __builtin_prefetch(y + 232, 1);
    __builtin_prefetch(y + 247, 1);
    __builtin_prefetch(y + 400, 1);
    __builtin_prefetch(y + 416, 1);
    __builtin_prefetch(y + 432, 1);
    __builtin_prefetch(y + 447, 1);
    __builtin_prefetch(y + 600, 1);
    __builtin_prefetch(y + 616, 1);
    __builtin_prefetch(y + 632, 1);
    __builtin_prefetch(y + 647, 1);
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 72; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 200));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 200 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 200 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 200]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 400]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 600]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    c0_0 = add_f32x16(load_f32x16(y), c0_0);
    store_f32x16(y, c0_0);
    c0_1 = add_f32x16(load_f32x16(y + 16), c0_1);
    store_f32x16(y + 16, c0_1);
    c0_2 = add_f32x16(load_f32x16(y + 32), c0_2);
    store_f32x16(y + 32, c0_2);
    c1_0 = add_f32x16(load_f32x16(y + 200), c1_0);
    store_f32x16(y + 200, c1_0);
    c1_1 = add_f32x16(load_f32x16(y + 216), c1_1);
    store_f32x16(y + 216, c1_1);
    c1_2 = add_f32x16(load_f32x16(y + 232), c1_2);
    store_f32x16(y + 232, c1_2);
    c2_0 = add_f32x16(load_f32x16(y + 400), c2_0);
    store_f32x16(y + 400, c2_0);
    c2_1 = add_f32x16(load_f32x16(y + 416), c2_1);
    store_f32x16(y + 416, c2_1);
    c2_2 = add_f32x16(load_f32x16(y + 432), c2_2);
    store_f32x16(y + 432, c2_2);
    c3_0 = add_f32x16(load_f32x16(y + 600), c3_0);
    store_f32x16(y + 600, c3_0);
    c3_1 = add_f32x16(load_f32x16(y + 616), c3_1);
    store_f32x16(y + 616, c3_1);
    c3_2 = add_f32x16(load_f32x16(y + 632), c3_2);
    store_f32x16(y + 632, c3_2);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=14 n=24 k=200, lanes along n */
static void multiply_add_14x24x200_10(const float *restrict p0, const float *restrict p1, float *restrict y)
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

/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=24 k=200, lanes along n */
static void multiply_add_12x24x200_11(const float *restrict p0, const float *restrict p1, float *restrict y)
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
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=24 k=200, lanes along n */
static void multiply_add_4x24x200_12(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
#pragma GCC unroll 6
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
}

struct run_47 {
    const float *x0;
    const float *x1;
    float *y;
};

static void run_47(void *context, int64_t share)
{
    const struct run_47 *const given = context;
    const float *const x0 = given->x0;
    const float *const x1 = given->x1;
    float *const y = given->y;
    float *packed_8_own = packed_8_thread;
    __asm__ volatile("" : "+r"(packed_8_own));
    const int64_t tile_1 = share;
    const int64_t m_2 = tile_1;
    const float *x_3 = x0 + m_2 * 20000;
    float *y_4 = y + m_2 * 20000;
    for (int64_t n_5 = 0; n_5 < 4; n_5++) {
        const float *x_6 = x1 + n_5 * 32;
        float *y_7 = y_4 + n_5 * 32;
        {
            float *const packed_8 = packed_8_own;
            /* copy into panels of 32, L1 */
            pack_200x32_3(x_6, packed_8);
            for (int64_t turn_10 = 0; turn_10 < 6; turn_10++) {
                const int64_t m_9 = turn_10 < 6 / 2 ? turn_10 : 6 / 2 + 6 - 1 - turn_10;
                const float *x_11 = x_3 + m_9 * 2800;
                float *y_12 = y_7 + m_9 * 2800;
                multiply_add_14x32x200_0(x_11, packed_8, y_12);
            }
            {
                const float *x_13 = x_3 + 16800;
                float *y_14 = y_7 + 16800;
                multiply_add_12x32x200_1(x_13, packed_8, y_14);
            }
            {
                const float *x_15 = x_3 + 19200;
                float *y_16 = y_7 + 19200;
                multiply_add_4x32x200_2(x_15, packed_8, y_16);
            }
        }
    }
    {
        const float *x_17 = x1 + 128;
        float *y_18 = y_4 + 128;
        for (int64_t turn_20 = 0; turn_20 < 10; turn_20++) {
            const int64_t m_19 = turn_20 < 10 / 2 ? turn_20 : 10 / 2 + 10 - 1 - turn_20;
            const float *x_21 = x_3 + m_19 * 1800;
            float *y_22 = y_18 + m_19 * 1800;
            multiply_add_9x48x128_4(x_21, x_17, y_22);
        }
        {
            const float *x_23 = x_3 + 18000;
            float *y_24 = y_18 + 18000;
            multiply_add_6x48x128_5(x_23, x_17, y_24);
        }
        {
            const float *x_25 = x_3 + 19200;
            float *y_26 = y_18 + 19200;
            multiply_add_4x48x128_6(x_25, x_17, y_26);
        }
        {
            const float *x_27 = x_3 + 128;
            const float *x_28 = x_17 + 25600;
            for (int64_t turn_30 = 0; turn_30 < 10; turn_30++) {
                const int64_t m_29 = turn_30 < 10 / 2 ? turn_30 : 10 / 2 + 10 - 1 - turn_30;
                const float *x_31 = x_27 + m_29 * 1800;
                float *y_32 = y_18 + m_29 * 1800;
                multiply_add_9x48x72_7(x_31, x_28, y_32);
            }
            {
                const float *x_33 = x_27 + 18000;
                float *y_34 = y_18 + 18000;
                multiply_add_6x48x72_8(x_33, x_28, y_34);
            }
            {
                const float *x_35 = x_27 + 19200;
                float *y_36 = y_18 + 19200;
                multiply_add_4x48x72_9(x_35, x_28, y_36);
            }
        }
        {
            const float *x_37 = x_17 + 48;
            float *y_38 = y_18 + 48;
            for (int64_t turn_40 = 0; turn_40 < 6; turn_40++) {
                const int64_t m_39 = turn_40 < 6 / 2 ? turn_40 : 6 / 2 + 6 - 1 - turn_40;
                const float *x_41 = x_3 + m_39 * 2800;
                float *y_42 = y_38 + m_39 * 2800;
                multiply_add_14x24x200_10(x_41, x_37, y_42);
            }
            {
                const float *x_43 = x_3 + 16800;
                float *y_44 = y_38 + 16800;
                multiply_add_12x24x200_11(x_43, x_37, y_44);
            }
            {
                const float *x_45 = x_3 + 19200;
                float *y_46 = y_38 + 19200;
                multiply_add_4x24x200_12(x_45, x_37, y_46);
            }
        }
    }
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

uint32_t griotte_matmul_e977021e_abi(void)
{
    return 0x1322d4c;
}

void griotte_matmul_e977021e(const float *x0, const float *x1, float *y)
{
    struct run_47 given_48 = {x0, x1, y};
    griotte_share_out(2, 2, run_47, &given_48);
}
