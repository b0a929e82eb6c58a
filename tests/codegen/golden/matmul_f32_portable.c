/*
 * matmul(f32[5,6], f32[6,7]) -> f32[5,7]
 *
 * portable, 1 thread, cycles by the model
 *
 * registers y 5x7  multiply_add m=5 n=7 k=6, lanes along n
 */
#include <stddef.h>
#include <stdint.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));

/* helpers:
 * splat_f32x4, load_f32x4, load_tail_f32x4, add_f32x4, store_f32x4, store_tail_f32x4 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=5 n=7 k=6, lanes along n */
static void multiply_add_5x7x6_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    f32x4 c1_1 = splat_f32x4(0.0f);
    f32x4 c2_0 = splat_f32x4(0.0f);
    f32x4 c2_1 = splat_f32x4(0.0f);
    f32x4 c3_0 = splat_f32x4(0.0f);
    f32x4 c3_1 = splat_f32x4(0.0f);
    f32x4 c4_0 = splat_f32x4(0.0f);
    f32x4 c4_1 = splat_f32x4(0.0f);
#pragma GCC unroll 5
    for (int64_t k = 0; k < 6; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 4, 3);
            c0_1 += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 6]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x4 x0_2_0 = splat_f32x4(p0[k + 12]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x4 x0_3_0 = splat_f32x4(p0[k + 18]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x4 x0_4_0 = splat_f32x4(p0[k + 24]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
        }
    }
    store_f32x4(y, c0_0);
    store_tail_f32x4(y + 4, c0_1, 3);
    store_f32x4(y + 7, c1_0);
    store_tail_f32x4(y + 11, c1_1, 3);
    store_f32x4(y + 14, c2_0);
    store_tail_f32x4(y + 18, c2_1, 3);
    store_f32x4(y + 21, c3_0);
    store_tail_f32x4(y + 25, c3_1, 3);
    store_f32x4(y + 28, c4_0);
    store_tail_f32x4(y + 32, c4_1, 3);
}

const char *griotte_matmul_836280bf_check(void)
{
    return 0; /* it needs no more than the compiler assumes */
}

uint32_t griotte_matmul_836280bf_abi(void)
{
    return 0x1c4d5dd;
}

void griotte_matmul_836280bf(const float *x0, const float *x1, float *y)
{
    multiply_add_5x7x6_0(x0, x1, y);
}
