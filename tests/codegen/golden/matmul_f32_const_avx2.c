/*
 * matmul(f32[6,40], const f32[40,30]{0,1}) -> f32[6,30]
 *
 * avx2, 1 thread, cycles by the model
 *
 * ahead x1 40x30, panels of 16, once
 *     pack k=40 n=30, lanes along k
 *   loop n by 16
 *     registers y 6x16  multiply_add m=6 n=16 k=40, lanes along n
 *     leftover n 14:
 *       registers y 6x14  multiply_add m=6 n=14 k=40, lanes along n
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

/* helpers:
 * splat_f32x8, load_f32x8, hold_f32x8, add_f32x8, store_f32x8, lower_f32x8, upper_f32x8, store_f32x4,
 * store_tail_f32x4, store_tail_f32x8 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=6 n=16 k=40, lanes along n */
static void multiply_add_6x16x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c4_1 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c5_1 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 16 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 30, c1_0);
    store_f32x8(y + 38, c1_1);
    store_f32x8(y + 60, c2_0);
    store_f32x8(y + 68, c2_1);
    store_f32x8(y + 90, c3_0);
    store_f32x8(y + 98, c3_1);
    store_f32x8(y + 120, c4_0);
    store_f32x8(y + 128, c4_1);
    store_f32x8(y + 150, c5_0);
    store_f32x8(y + 158, c5_1);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=6 n=14 k=40, lanes along n */
static void multiply_add_6x14x40_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c4_1 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c5_1 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 16 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_tail_f32x8(y + 8, c0_1, 6);
    store_f32x8(y + 30, c1_0);
    store_tail_f32x8(y + 38, c1_1, 6);
    store_f32x8(y + 60, c2_0);
    store_tail_f32x8(y + 68, c2_1, 6);
    store_f32x8(y + 90, c3_0);
    store_tail_f32x8(y + 98, c3_1, 6);
    store_f32x8(y + 120, c4_0);
    store_tail_f32x8(y + 128, c4_1, 6);
    store_f32x8(y + 150, c5_0);
    store_tail_f32x8(y + 158, c5_1, 6);
}

/* y[k n] = p0[k n], k=40 n=30, lanes along k */
static void pack_40x30_2(const float *restrict p0, float *restrict y)
{
    for (int64_t p = 0; p < 1; p++) {
        for (int64_t j = 0; j < 5; j++) {
            {
                float *t = y + p * 640 + j * 128;
                const float *s = p0 + p * 640 + j * 8;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 40);
                const f32x8 r2 = load_f32x8(s + 80);
                const f32x8 r3 = load_f32x8(s + 120);
                const f32x8 r4 = load_f32x8(s + 160);
                const f32x8 r5 = load_f32x8(s + 200);
                const f32x8 r6 = load_f32x8(s + 240);
                const f32x8 r7 = load_f32x8(s + 280);
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
                store_f32x8(t + 16, t4_1);
                store_f32x8(t + 32, t4_2);
                store_f32x8(t + 48, t4_3);
                store_f32x8(t + 64, t4_4);
                store_f32x8(t + 80, t4_5);
                store_f32x8(t + 96, t4_6);
                store_f32x8(t + 112, t4_7);
            }
            {
                float *t = y + p * 640 + j * 128 + 8;
                const float *s = p0 + p * 640 + j * 8 + 320;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 40);
                const f32x8 r2 = load_f32x8(s + 80);
                const f32x8 r3 = load_f32x8(s + 120);
                const f32x8 r4 = load_f32x8(s + 160);
                const f32x8 r5 = load_f32x8(s + 200);
                const f32x8 r6 = load_f32x8(s + 240);
                const f32x8 r7 = load_f32x8(s + 280);
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
                store_f32x8(t + 16, t4_1);
                store_f32x8(t + 32, t4_2);
                store_f32x8(t + 48, t4_3);
                store_f32x8(t + 64, t4_4);
                store_f32x8(t + 80, t4_5);
                store_f32x8(t + 96, t4_6);
                store_f32x8(t + 112, t4_7);
            }
        }
    }
    for (int64_t j = 0; j < 5; j++) {
        {
            float *t = y + j * 128 + 640;
            const float *s = p0 + j * 8 + 640;
            const f32x8 r0 = load_f32x8(s);
            const f32x8 r1 = load_f32x8(s + 40);
            const f32x8 r2 = load_f32x8(s + 80);
            const f32x8 r3 = load_f32x8(s + 120);
            const f32x8 r4 = load_f32x8(s + 160);
            const f32x8 r5 = load_f32x8(s + 200);
            const f32x8 r6 = load_f32x8(s + 240);
            const f32x8 r7 = load_f32x8(s + 280);
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
            store_f32x8(t + 16, t4_1);
            store_f32x8(t + 32, t4_2);
            store_f32x8(t + 48, t4_3);
            store_f32x8(t + 64, t4_4);
            store_f32x8(t + 80, t4_5);
            store_f32x8(t + 96, t4_6);
            store_f32x8(t + 112, t4_7);
        }
        {
            float *t = y + j * 128 + 648;
            const float *s = p0 + j * 8 + 960;
            const f32x8 r0 = load_f32x8(s);
            const f32x8 r1 = load_f32x8(s + 40);
            const f32x8 r2 = load_f32x8(s + 80);
            const f32x8 r3 = load_f32x8(s + 120);
            const f32x8 r4 = load_f32x8(s + 160);
            const f32x8 r5 = load_f32x8(s + 200);
            const f32x8 r6 = (f32x8){0};
            const f32x8 r7 = (f32x8){0};
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
            store_f32x8(t + 16, t4_1);
            store_f32x8(t + 32, t4_2);
            store_f32x8(t + 48, t4_3);
            store_f32x8(t + 64, t4_4);
            store_f32x8(t + 80, t4_5);
            store_f32x8(t + 96, t4_6);
            store_f32x8(t + 112, t4_7);
        }
    }
}

/* x1 in panels of 16, for griotte_matmul_75c7e881 */
void griotte_matmul_75c7e881_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_40x30_2(x1, packed);
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_75c7e881_check(void)
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

uint32_t griotte_matmul_75c7e881_abi(void)
{
    return 0x1f70d20;
}

void griotte_matmul_75c7e881(const float *x0, const void *packed_x1, float *y)
{
    const float *const x1 = packed_x1;
    multiply_add_6x16x40_0(x0, x1, y);
    {
        const float *x_1 = x1 + 640;
        float *y_2 = y + 16;
        multiply_add_6x14x40_1(x0, x_1, y_2);
    }
}
