/*
 * max(matmul(f32[24,9], f32[9,20]) -> f32[24,20], axis=1) -> f32[24]
 *
 * avx2, 1 thread, cycles by the model
 *
 * matmul in registers, folded there
 *   copy x0 24x9 -> L1, panels of 24
 *       pack k=9 m=24, lanes along k
 *     loop n by 3
 *       first:
 *         registers y 24  multiply_add m=24 n=3 k=9, lanes along m, maximum across n
 *         registers y 24  multiply_add m=24 n=3 k=9, lanes along m, maximum across n
 *       leftover n 2:
 *         registers y 24  multiply_add m=24 n=2 k=9, lanes along m, maximum across n
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
 * splat_f32x8, load_f32x8, hold_f32x8, add_f32x8, if_nan_f32x8, at_least_f32x8, maximum_f32x8, store_f32x8,
 * load_f32x4, load_tail_f32x4, join_f32x8, load_tail_f32x8 */


/* y[m] = maximum of add of mul(p0[m k], p1[k n]), m=24 n=3 k=9, lanes along m */
static void multiply_add_24x3x9_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c2_2 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 9; k += 1) {
        {
            const f32x8 x0_0 = hold_f32x8(load_f32x8(p0 + k * 24));
            const f32x8 x1_0_0 = splat_f32x8(p1[k * 20]);
            c0_0 += x0_0 * x1_0_0;
            const f32x8 x1_1_0 = splat_f32x8(p1[k * 20 + 1]);
            c1_0 += x0_0 * x1_1_0;
            const f32x8 x1_2_0 = splat_f32x8(p1[k * 20 + 2]);
            c2_0 += x0_0 * x1_2_0;
            const f32x8 x0_1 = hold_f32x8(load_f32x8(p0 + k * 24 + 8));
            c0_1 += x0_1 * x1_0_0;
            c1_1 += x0_1 * x1_1_0;
            c2_1 += x0_1 * x1_2_0;
            const f32x8 x0_2 = hold_f32x8(load_f32x8(p0 + k * 24 + 16));
            c0_2 += x0_2 * x1_0_0;
            c1_2 += x0_2 * x1_1_0;
            c2_2 += x0_2 * x1_2_0;
        }
    }
    c0_0 = maximum_f32x8(c0_0, c1_0);
    c0_0 = maximum_f32x8(c0_0, c2_0);
    store_f32x8(y, c0_0);
    c0_1 = maximum_f32x8(c0_1, c1_1);
    c0_1 = maximum_f32x8(c0_1, c2_1);
    store_f32x8(y + 8, c0_1);
    c0_2 = maximum_f32x8(c0_2, c1_2);
    c0_2 = maximum_f32x8(c0_2, c2_2);
    store_f32x8(y + 16, c0_2);
}

/* y[m] maximum= add of mul(p0[m k], p1[k n]), m=24 n=3 k=9, lanes along m */
static void multiply_add_24x3x9_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 23, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c2_2 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 9; k += 1) {
        {
            const f32x8 x0_0 = hold_f32x8(load_f32x8(p0 + k * 24));
            const f32x8 x1_0_0 = splat_f32x8(p1[k * 20]);
            c0_0 += x0_0 * x1_0_0;
            const f32x8 x1_1_0 = splat_f32x8(p1[k * 20 + 1]);
            c1_0 += x0_0 * x1_1_0;
            const f32x8 x1_2_0 = splat_f32x8(p1[k * 20 + 2]);
            c2_0 += x0_0 * x1_2_0;
            const f32x8 x0_1 = hold_f32x8(load_f32x8(p0 + k * 24 + 8));
            c0_1 += x0_1 * x1_0_0;
            c1_1 += x0_1 * x1_1_0;
            c2_1 += x0_1 * x1_2_0;
            const f32x8 x0_2 = hold_f32x8(load_f32x8(p0 + k * 24 + 16));
            c0_2 += x0_2 * x1_0_0;
            c1_2 += x0_2 * x1_1_0;
            c2_2 += x0_2 * x1_2_0;
        }
    }
    c0_0 = maximum_f32x8(c0_0, c1_0);
    c0_0 = maximum_f32x8(c0_0, c2_0);
    c0_0 = maximum_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = maximum_f32x8(c0_1, c1_1);
    c0_1 = maximum_f32x8(c0_1, c2_1);
    c0_1 = maximum_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c0_2 = maximum_f32x8(c0_2, c1_2);
    c0_2 = maximum_f32x8(c0_2, c2_2);
    c0_2 = maximum_f32x8(load_f32x8(y + 16), c0_2);
    store_f32x8(y + 16, c0_2);
}

/* y[m] maximum= add of mul(p0[m k], p1[k n]), m=24 n=2 k=9, lanes along m */
static void multiply_add_24x2x9_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 23, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 9; k += 1) {
        {
            const f32x8 x0_0 = hold_f32x8(load_f32x8(p0 + k * 24));
            const f32x8 x1_0_0 = splat_f32x8(p1[k * 20]);
            c0_0 += x0_0 * x1_0_0;
            const f32x8 x1_1_0 = splat_f32x8(p1[k * 20 + 1]);
            c1_0 += x0_0 * x1_1_0;
            const f32x8 x0_1 = hold_f32x8(load_f32x8(p0 + k * 24 + 8));
            c0_1 += x0_1 * x1_0_0;
            c1_1 += x0_1 * x1_1_0;
            const f32x8 x0_2 = hold_f32x8(load_f32x8(p0 + k * 24 + 16));
            c0_2 += x0_2 * x1_0_0;
            c1_2 += x0_2 * x1_1_0;
        }
    }
    c0_0 = maximum_f32x8(c0_0, c1_0);
    c0_0 = maximum_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = maximum_f32x8(c0_1, c1_1);
    c0_1 = maximum_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c0_2 = maximum_f32x8(c0_2, c1_2);
    c0_2 = maximum_f32x8(load_f32x8(y + 16), c0_2);
    store_f32x8(y + 16, c0_2);
}

/* y[m k] = p0[m k], k=9 m=24, lanes along k */
static void pack_9x24_3(const float *restrict p0, float *restrict y)
{
    for (int64_t p = 0; p < 1; p++) {
        for (int64_t j = 0; j < 1; j++) {
            {
                float *t = y + p * 216 + j * 192;
                const float *s = p0 + p * 216 + j * 8;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 9);
                const f32x8 r2 = load_f32x8(s + 18);
                const f32x8 r3 = load_f32x8(s + 27);
                const f32x8 r4 = load_f32x8(s + 36);
                const f32x8 r5 = load_f32x8(s + 45);
                const f32x8 r6 = load_f32x8(s + 54);
                const f32x8 r7 = load_f32x8(s + 63);
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
                store_f32x8(t + 24, t4_1);
                store_f32x8(t + 48, t4_2);
                store_f32x8(t + 72, t4_3);
                store_f32x8(t + 96, t4_4);
                store_f32x8(t + 120, t4_5);
                store_f32x8(t + 144, t4_6);
                store_f32x8(t + 168, t4_7);
            }
            {
                float *t = y + p * 216 + j * 192 + 8;
                const float *s = p0 + p * 216 + j * 8 + 72;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 9);
                const f32x8 r2 = load_f32x8(s + 18);
                const f32x8 r3 = load_f32x8(s + 27);
                const f32x8 r4 = load_f32x8(s + 36);
                const f32x8 r5 = load_f32x8(s + 45);
                const f32x8 r6 = load_f32x8(s + 54);
                const f32x8 r7 = load_f32x8(s + 63);
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
                store_f32x8(t + 24, t4_1);
                store_f32x8(t + 48, t4_2);
                store_f32x8(t + 72, t4_3);
                store_f32x8(t + 96, t4_4);
                store_f32x8(t + 120, t4_5);
                store_f32x8(t + 144, t4_6);
                store_f32x8(t + 168, t4_7);
            }
            {
                float *t = y + p * 216 + j * 192 + 16;
                const float *s = p0 + p * 216 + j * 8 + 144;
                const f32x8 r0 = load_f32x8(s);
                const f32x8 r1 = load_f32x8(s + 9);
                const f32x8 r2 = load_f32x8(s + 18);
                const f32x8 r3 = load_f32x8(s + 27);
                const f32x8 r4 = load_f32x8(s + 36);
                const f32x8 r5 = load_f32x8(s + 45);
                const f32x8 r6 = load_f32x8(s + 54);
                const f32x8 r7 = load_f32x8(s + 63);
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
                store_f32x8(t + 24, t4_1);
                store_f32x8(t + 48, t4_2);
                store_f32x8(t + 72, t4_3);
                store_f32x8(t + 96, t4_4);
                store_f32x8(t + 120, t4_5);
                store_f32x8(t + 144, t4_6);
                store_f32x8(t + 168, t4_7);
            }
        }
        {
            float *t = y + p * 216 + 192;
            const float *s = p0 + p * 216 + 8;
            const f32x8 r0 = load_tail_f32x8(s, 1);
            const f32x8 r1 = load_tail_f32x8(s + 9, 1);
            const f32x8 r2 = load_tail_f32x8(s + 18, 1);
            const f32x8 r3 = load_tail_f32x8(s + 27, 1);
            const f32x8 r4 = load_tail_f32x8(s + 36, 1);
            const f32x8 r5 = load_tail_f32x8(s + 45, 1);
            const f32x8 r6 = load_tail_f32x8(s + 54, 1);
            const f32x8 r7 = load_tail_f32x8(s + 63, 1);
            const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
            const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
            const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
            store_f32x8(t, t4_0);
        }
        {
            float *t = y + p * 216 + 200;
            const float *s = p0 + p * 216 + 80;
            const f32x8 r0 = load_tail_f32x8(s, 1);
            const f32x8 r1 = load_tail_f32x8(s + 9, 1);
            const f32x8 r2 = load_tail_f32x8(s + 18, 1);
            const f32x8 r3 = load_tail_f32x8(s + 27, 1);
            const f32x8 r4 = load_tail_f32x8(s + 36, 1);
            const f32x8 r5 = load_tail_f32x8(s + 45, 1);
            const f32x8 r6 = load_tail_f32x8(s + 54, 1);
            const f32x8 r7 = load_tail_f32x8(s + 63, 1);
            const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
            const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
            const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
            store_f32x8(t, t4_0);
        }
        {
            float *t = y + p * 216 + 208;
            const float *s = p0 + p * 216 + 152;
            const f32x8 r0 = load_tail_f32x8(s, 1);
            const f32x8 r1 = load_tail_f32x8(s + 9, 1);
            const f32x8 r2 = load_tail_f32x8(s + 18, 1);
            const f32x8 r3 = load_tail_f32x8(s + 27, 1);
            const f32x8 r4 = load_tail_f32x8(s + 36, 1);
            const f32x8 r5 = load_tail_f32x8(s + 45, 1);
            const f32x8 r6 = load_tail_f32x8(s + 54, 1);
            const f32x8 r7 = load_tail_f32x8(s + 63, 1);
            const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
            const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
            const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
            const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
            store_f32x8(t, t4_0);
        }
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_max_5394ad62_check(void)
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

uint32_t griotte_max_5394ad62_abi(void)
{
    return 0x1fe216e;
}

void griotte_max_5394ad62(const float *x0, const float *x1, float *y)
{
    float packed_1_own[240] __attribute__((aligned(64)));
    {
        float *const packed_1 = packed_1_own;
        /* copy into panels of 24, L1 */
        pack_9x24_3(x0, packed_1);
        multiply_add_24x3x9_0(packed_1, x1, y);
        for (int64_t n_2 = 1; n_2 < 6; n_2++) {
            const float *x_3 = x1 + n_2 * 3;
            multiply_add_24x3x9_1(packed_1, x_3, y);
        }
        {
            const float *x_4 = x1 + 18;
            multiply_add_24x2x9_2(packed_1, x_4, y);
        }
    }
}
