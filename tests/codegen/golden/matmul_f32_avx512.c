/*
 * matmul(f32[30,40], f32[40,50]) -> f32[30,50]
 *
 * avx512, 1 thread, cycles by the model
 *
 * loop n by 48
 *   loop m by 8
 *     registers y 8x48  multiply_add m=8 n=48 k=40, lanes along n
 *     leftover m 6:
 *       registers y 6x48  multiply_add m=6 n=48 k=40, lanes along n
 *   leftover n 2:
 *     loop n by 1
 *       registers y 30x1  multiply_add m=30 n=1 k=40, lanes along k
 */
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x16 __attribute__((vector_size(64)));
typedef float f32x16_unaligned __attribute__((vector_size(64), aligned(1), may_alias));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

static inline __attribute__((always_inline, unused)) f32x16 splat_f32x16(float x)
{
    return (f32x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x16 load_f32x16(const float *p)
{
    return *(const f32x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x16 add_f32x16(f32x16 x, f32x16 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) void store_f32x16(float *p, f32x16 v)
{
    *(f32x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x16 load_strided_f32x16(const float *p, int64_t stride, int n)
{
    return (f32x16){0 < n ? p[0 * stride] : 0, 1 < n ? p[1 * stride] : 0, 2 < n ? p[2 * stride] : 0, 3 < n ? p[3 * stride] : 0, 4 < n ? p[4 * stride] : 0, 5 < n ? p[5 * stride] : 0, 6 < n ? p[6 * stride] : 0, 7 < n ? p[7 * stride] : 0, 8 < n ? p[8 * stride] : 0, 9 < n ? p[9 * stride] : 0, 10 < n ? p[10 * stride] : 0, 11 < n ? p[11 * stride] : 0, 12 < n ? p[12 * stride] : 0, 13 < n ? p[13 * stride] : 0, 14 < n ? p[14 * stride] : 0, 15 < n ? p[15 * stride] : 0};
}

static inline __attribute__((always_inline, unused)) f32x16 load_tail_f32x16(const float *p, int n)
{
    return (f32x16)_mm512_maskz_loadu_epi32((__mmask16)((1ull << n) - 1), p);
}

static inline __attribute__((always_inline, unused)) f32x4 add_f32x4(f32x4 x, f32x4 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) float reduce_add_f32x4(f32x4 v)
{
    v = add_f32x4(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
    v = add_f32x4(v, __builtin_shufflevector(v, v, 1, 1, 2, 3));
    return v[0];
}

static inline __attribute__((always_inline, unused)) float reduce_add_f32x8(f32x8 v)
{
    return reduce_add_f32x4(add_f32x4(__builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)));
}

static inline __attribute__((always_inline, unused)) f32x8 add_f32x8(f32x8 x, f32x8 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) float reduce_add_f32x16(f32x16 v)
{
    return reduce_add_f32x8(add_f32x8(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)));
}



/* y[m n] = add of mul(p0[m k], p1[k n]), m=8 n=48 k=40, lanes along n */
static void multiply_add_8x48x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = load_f32x16(p1 + k * 50);
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = load_f32x16(p1 + k * 50 + 16);
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = load_f32x16(p1 + k * 50 + 32);
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 240]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            c6_2 += x0_6_0 * x1_2;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 280]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            c7_2 += x0_7_0 * x1_2;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 32, c0_2);
    store_f32x16(y + 50, c1_0);
    store_f32x16(y + 66, c1_1);
    store_f32x16(y + 82, c1_2);
    store_f32x16(y + 100, c2_0);
    store_f32x16(y + 116, c2_1);
    store_f32x16(y + 132, c2_2);
    store_f32x16(y + 150, c3_0);
    store_f32x16(y + 166, c3_1);
    store_f32x16(y + 182, c3_2);
    store_f32x16(y + 200, c4_0);
    store_f32x16(y + 216, c4_1);
    store_f32x16(y + 232, c4_2);
    store_f32x16(y + 250, c5_0);
    store_f32x16(y + 266, c5_1);
    store_f32x16(y + 282, c5_2);
    store_f32x16(y + 300, c6_0);
    store_f32x16(y + 316, c6_1);
    store_f32x16(y + 332, c6_2);
    store_f32x16(y + 350, c7_0);
    store_f32x16(y + 366, c7_1);
    store_f32x16(y + 382, c7_2);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=6 n=48 k=40, lanes along n */
static void multiply_add_6x48x40_1(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = load_f32x16(p1 + k * 50);
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = load_f32x16(p1 + k * 50 + 16);
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = load_f32x16(p1 + k * 50 + 32);
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 32, c0_2);
    store_f32x16(y + 50, c1_0);
    store_f32x16(y + 66, c1_1);
    store_f32x16(y + 82, c1_2);
    store_f32x16(y + 100, c2_0);
    store_f32x16(y + 116, c2_1);
    store_f32x16(y + 132, c2_2);
    store_f32x16(y + 150, c3_0);
    store_f32x16(y + 166, c3_1);
    store_f32x16(y + 182, c3_2);
    store_f32x16(y + 200, c4_0);
    store_f32x16(y + 216, c4_1);
    store_f32x16(y + 232, c4_2);
    store_f32x16(y + 250, c5_0);
    store_f32x16(y + 266, c5_1);
    store_f32x16(y + 282, c5_2);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=30 n=1 k=40, lanes along k */
static void multiply_add_30x1x40_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0_0 = splat_f32x16(0.0f);
    f32x16 c1_0_0 = splat_f32x16(0.0f);
    f32x16 c2_0_0 = splat_f32x16(0.0f);
    f32x16 c3_0_0 = splat_f32x16(0.0f);
    f32x16 c4_0_0 = splat_f32x16(0.0f);
    f32x16 c5_0_0 = splat_f32x16(0.0f);
    f32x16 c6_0_0 = splat_f32x16(0.0f);
    f32x16 c7_0_0 = splat_f32x16(0.0f);
    f32x16 c8_0_0 = splat_f32x16(0.0f);
    f32x16 c9_0_0 = splat_f32x16(0.0f);
    f32x16 c10_0_0 = splat_f32x16(0.0f);
    f32x16 c11_0_0 = splat_f32x16(0.0f);
    f32x16 c12_0_0 = splat_f32x16(0.0f);
    f32x16 c13_0_0 = splat_f32x16(0.0f);
    f32x16 c14_0_0 = splat_f32x16(0.0f);
    f32x16 c15_0_0 = splat_f32x16(0.0f);
    f32x16 c16_0_0 = splat_f32x16(0.0f);
    f32x16 c17_0_0 = splat_f32x16(0.0f);
    f32x16 c18_0_0 = splat_f32x16(0.0f);
    f32x16 c19_0_0 = splat_f32x16(0.0f);
    f32x16 c20_0_0 = splat_f32x16(0.0f);
    f32x16 c21_0_0 = splat_f32x16(0.0f);
    f32x16 c22_0_0 = splat_f32x16(0.0f);
    f32x16 c23_0_0 = splat_f32x16(0.0f);
    f32x16 c24_0_0 = splat_f32x16(0.0f);
    f32x16 c25_0_0 = splat_f32x16(0.0f);
    f32x16 c26_0_0 = splat_f32x16(0.0f);
    f32x16 c27_0_0 = splat_f32x16(0.0f);
    f32x16 c28_0_0 = splat_f32x16(0.0f);
    f32x16 c29_0_0 = splat_f32x16(0.0f);
    for (int64_t k = 0; k < 32; k += 16) {
        {
            const f32x16 x0_0_0 = load_f32x16(p0 + k);
            const f32x16 x1_0_0 = load_strided_f32x16(p1 + k * 50, 50, 16);
            c0_0_0 += x0_0_0 * x1_0_0;
            const f32x16 x0_1_0 = load_f32x16(p0 + k + 40);
            c1_0_0 += x0_1_0 * x1_0_0;
            const f32x16 x0_2_0 = load_f32x16(p0 + k + 80);
            c2_0_0 += x0_2_0 * x1_0_0;
            const f32x16 x0_3_0 = load_f32x16(p0 + k + 120);
            c3_0_0 += x0_3_0 * x1_0_0;
            const f32x16 x0_4_0 = load_f32x16(p0 + k + 160);
            c4_0_0 += x0_4_0 * x1_0_0;
            const f32x16 x0_5_0 = load_f32x16(p0 + k + 200);
            c5_0_0 += x0_5_0 * x1_0_0;
            const f32x16 x0_6_0 = load_f32x16(p0 + k + 240);
            c6_0_0 += x0_6_0 * x1_0_0;
            const f32x16 x0_7_0 = load_f32x16(p0 + k + 280);
            c7_0_0 += x0_7_0 * x1_0_0;
            const f32x16 x0_8_0 = load_f32x16(p0 + k + 320);
            c8_0_0 += x0_8_0 * x1_0_0;
            const f32x16 x0_9_0 = load_f32x16(p0 + k + 360);
            c9_0_0 += x0_9_0 * x1_0_0;
            const f32x16 x0_10_0 = load_f32x16(p0 + k + 400);
            c10_0_0 += x0_10_0 * x1_0_0;
            const f32x16 x0_11_0 = load_f32x16(p0 + k + 440);
            c11_0_0 += x0_11_0 * x1_0_0;
            const f32x16 x0_12_0 = load_f32x16(p0 + k + 480);
            c12_0_0 += x0_12_0 * x1_0_0;
            const f32x16 x0_13_0 = load_f32x16(p0 + k + 520);
            c13_0_0 += x0_13_0 * x1_0_0;
            const f32x16 x0_14_0 = load_f32x16(p0 + k + 560);
            c14_0_0 += x0_14_0 * x1_0_0;
            const f32x16 x0_15_0 = load_f32x16(p0 + k + 600);
            c15_0_0 += x0_15_0 * x1_0_0;
            const f32x16 x0_16_0 = load_f32x16(p0 + k + 640);
            c16_0_0 += x0_16_0 * x1_0_0;
            const f32x16 x0_17_0 = load_f32x16(p0 + k + 680);
            c17_0_0 += x0_17_0 * x1_0_0;
            const f32x16 x0_18_0 = load_f32x16(p0 + k + 720);
            c18_0_0 += x0_18_0 * x1_0_0;
            const f32x16 x0_19_0 = load_f32x16(p0 + k + 760);
            c19_0_0 += x0_19_0 * x1_0_0;
            const f32x16 x0_20_0 = load_f32x16(p0 + k + 800);
            c20_0_0 += x0_20_0 * x1_0_0;
            const f32x16 x0_21_0 = load_f32x16(p0 + k + 840);
            c21_0_0 += x0_21_0 * x1_0_0;
            const f32x16 x0_22_0 = load_f32x16(p0 + k + 880);
            c22_0_0 += x0_22_0 * x1_0_0;
            const f32x16 x0_23_0 = load_f32x16(p0 + k + 920);
            c23_0_0 += x0_23_0 * x1_0_0;
            const f32x16 x0_24_0 = load_f32x16(p0 + k + 960);
            c24_0_0 += x0_24_0 * x1_0_0;
            const f32x16 x0_25_0 = load_f32x16(p0 + k + 1000);
            c25_0_0 += x0_25_0 * x1_0_0;
            const f32x16 x0_26_0 = load_f32x16(p0 + k + 1040);
            c26_0_0 += x0_26_0 * x1_0_0;
            const f32x16 x0_27_0 = load_f32x16(p0 + k + 1080);
            c27_0_0 += x0_27_0 * x1_0_0;
            const f32x16 x0_28_0 = load_f32x16(p0 + k + 1120);
            c28_0_0 += x0_28_0 * x1_0_0;
            const f32x16 x0_29_0 = load_f32x16(p0 + k + 1160);
            c29_0_0 += x0_29_0 * x1_0_0;
        }
    }
    {
        const f32x16 x0_0_0 = load_tail_f32x16(p0 + 32, 8);
        const f32x16 x1_0_0 = load_strided_f32x16(p1 + 1600, 50, 8);
        c0_0_0 += x0_0_0 * x1_0_0;
        const f32x16 x0_1_0 = load_tail_f32x16(p0 + 72, 8);
        c1_0_0 += x0_1_0 * x1_0_0;
        const f32x16 x0_2_0 = load_tail_f32x16(p0 + 112, 8);
        c2_0_0 += x0_2_0 * x1_0_0;
        const f32x16 x0_3_0 = load_tail_f32x16(p0 + 152, 8);
        c3_0_0 += x0_3_0 * x1_0_0;
        const f32x16 x0_4_0 = load_tail_f32x16(p0 + 192, 8);
        c4_0_0 += x0_4_0 * x1_0_0;
        const f32x16 x0_5_0 = load_tail_f32x16(p0 + 232, 8);
        c5_0_0 += x0_5_0 * x1_0_0;
        const f32x16 x0_6_0 = load_tail_f32x16(p0 + 272, 8);
        c6_0_0 += x0_6_0 * x1_0_0;
        const f32x16 x0_7_0 = load_tail_f32x16(p0 + 312, 8);
        c7_0_0 += x0_7_0 * x1_0_0;
        const f32x16 x0_8_0 = load_tail_f32x16(p0 + 352, 8);
        c8_0_0 += x0_8_0 * x1_0_0;
        const f32x16 x0_9_0 = load_tail_f32x16(p0 + 392, 8);
        c9_0_0 += x0_9_0 * x1_0_0;
        const f32x16 x0_10_0 = load_tail_f32x16(p0 + 432, 8);
        c10_0_0 += x0_10_0 * x1_0_0;
        const f32x16 x0_11_0 = load_tail_f32x16(p0 + 472, 8);
        c11_0_0 += x0_11_0 * x1_0_0;
        const f32x16 x0_12_0 = load_tail_f32x16(p0 + 512, 8);
        c12_0_0 += x0_12_0 * x1_0_0;
        const f32x16 x0_13_0 = load_tail_f32x16(p0 + 552, 8);
        c13_0_0 += x0_13_0 * x1_0_0;
        const f32x16 x0_14_0 = load_tail_f32x16(p0 + 592, 8);
        c14_0_0 += x0_14_0 * x1_0_0;
        const f32x16 x0_15_0 = load_tail_f32x16(p0 + 632, 8);
        c15_0_0 += x0_15_0 * x1_0_0;
        const f32x16 x0_16_0 = load_tail_f32x16(p0 + 672, 8);
        c16_0_0 += x0_16_0 * x1_0_0;
        const f32x16 x0_17_0 = load_tail_f32x16(p0 + 712, 8);
        c17_0_0 += x0_17_0 * x1_0_0;
        const f32x16 x0_18_0 = load_tail_f32x16(p0 + 752, 8);
        c18_0_0 += x0_18_0 * x1_0_0;
        const f32x16 x0_19_0 = load_tail_f32x16(p0 + 792, 8);
        c19_0_0 += x0_19_0 * x1_0_0;
        const f32x16 x0_20_0 = load_tail_f32x16(p0 + 832, 8);
        c20_0_0 += x0_20_0 * x1_0_0;
        const f32x16 x0_21_0 = load_tail_f32x16(p0 + 872, 8);
        c21_0_0 += x0_21_0 * x1_0_0;
        const f32x16 x0_22_0 = load_tail_f32x16(p0 + 912, 8);
        c22_0_0 += x0_22_0 * x1_0_0;
        const f32x16 x0_23_0 = load_tail_f32x16(p0 + 952, 8);
        c23_0_0 += x0_23_0 * x1_0_0;
        const f32x16 x0_24_0 = load_tail_f32x16(p0 + 992, 8);
        c24_0_0 += x0_24_0 * x1_0_0;
        const f32x16 x0_25_0 = load_tail_f32x16(p0 + 1032, 8);
        c25_0_0 += x0_25_0 * x1_0_0;
        const f32x16 x0_26_0 = load_tail_f32x16(p0 + 1072, 8);
        c26_0_0 += x0_26_0 * x1_0_0;
        const f32x16 x0_27_0 = load_tail_f32x16(p0 + 1112, 8);
        c27_0_0 += x0_27_0 * x1_0_0;
        const f32x16 x0_28_0 = load_tail_f32x16(p0 + 1152, 8);
        c28_0_0 += x0_28_0 * x1_0_0;
        const f32x16 x0_29_0 = load_tail_f32x16(p0 + 1192, 8);
        c29_0_0 += x0_29_0 * x1_0_0;
    }
    y[0] = reduce_add_f32x16(c0_0_0);
    y[50] = reduce_add_f32x16(c1_0_0);
    y[100] = reduce_add_f32x16(c2_0_0);
    y[150] = reduce_add_f32x16(c3_0_0);
    y[200] = reduce_add_f32x16(c4_0_0);
    y[250] = reduce_add_f32x16(c5_0_0);
    y[300] = reduce_add_f32x16(c6_0_0);
    y[350] = reduce_add_f32x16(c7_0_0);
    y[400] = reduce_add_f32x16(c8_0_0);
    y[450] = reduce_add_f32x16(c9_0_0);
    y[500] = reduce_add_f32x16(c10_0_0);
    y[550] = reduce_add_f32x16(c11_0_0);
    y[600] = reduce_add_f32x16(c12_0_0);
    y[650] = reduce_add_f32x16(c13_0_0);
    y[700] = reduce_add_f32x16(c14_0_0);
    y[750] = reduce_add_f32x16(c15_0_0);
    y[800] = reduce_add_f32x16(c16_0_0);
    y[850] = reduce_add_f32x16(c17_0_0);
    y[900] = reduce_add_f32x16(c18_0_0);
    y[950] = reduce_add_f32x16(c19_0_0);
    y[1000] = reduce_add_f32x16(c20_0_0);
    y[1050] = reduce_add_f32x16(c21_0_0);
    y[1100] = reduce_add_f32x16(c22_0_0);
    y[1150] = reduce_add_f32x16(c23_0_0);
    y[1200] = reduce_add_f32x16(c24_0_0);
    y[1250] = reduce_add_f32x16(c25_0_0);
    y[1300] = reduce_add_f32x16(c26_0_0);
    y[1350] = reduce_add_f32x16(c27_0_0);
    y[1400] = reduce_add_f32x16(c28_0_0);
    y[1450] = reduce_add_f32x16(c29_0_0);
}

void griotte_matmul_20133319(const float *x0, const float *x1, float *y)
{
    for (int64_t m_1 = 0; m_1 < 3; m_1++) {
        const float *x_2 = x0 + m_1 * 320;
        float *y_3 = y + m_1 * 400;
        multiply_add_8x48x40_0(x_2, x1, y_3);
    }
    {
        const float *x_4 = x0 + 960;
        float *y_5 = y + 1200;
        multiply_add_6x48x40_1(x_4, x1, y_5);
    }
    {
        const float *x_6 = x1 + 48;
        float *y_7 = y + 48;
        for (int64_t n_8 = 0; n_8 < 2; n_8++) {
            const float *x_9 = x_6 + n_8;
            float *y_10 = y_7 + n_8;
            multiply_add_30x1x40_2(x0, x_9, y_10);
        }
    }
}
