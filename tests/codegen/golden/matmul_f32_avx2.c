/*
 * matmul(f32[30,40], f32[40,50]) -> f32[30,50]
 *
 * avx2, 1 thread, cycles by the model
 *
 * loop n by 32
 *   loop n by 16
 *     loop m by 6
 *       registers y 6x16  multiply_add m=6 n=16 k=40, lanes along n
 *   leftover n 18:
 *     loop m by 3
 *       registers y 3x18  multiply_add m=3 n=18 k=40, lanes along n
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
 * splat_f32x8, load_f32x8, hold_f32x8, add_f32x8, store_f32x8, load_f32x4, load_tail_f32x4, join_f32x8,
 * load_tail_f32x8, lower_f32x8, upper_f32x8, store_f32x4, store_tail_f32x4, store_tail_f32x8 */


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
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 50));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 50 + 8));
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
    store_f32x8(y + 50, c1_0);
    store_f32x8(y + 58, c1_1);
    store_f32x8(y + 100, c2_0);
    store_f32x8(y + 108, c2_1);
    store_f32x8(y + 150, c3_0);
    store_f32x8(y + 158, c3_1);
    store_f32x8(y + 200, c4_0);
    store_f32x8(y + 208, c4_1);
    store_f32x8(y + 250, c5_0);
    store_f32x8(y + 258, c5_1);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=3 n=18 k=40, lanes along n */
static void multiply_add_3x18x40_1(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 50));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 50 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_tail_f32x8(p1 + k * 50 + 16, 2));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_tail_f32x8(y + 16, c0_2, 2);
    store_f32x8(y + 50, c1_0);
    store_f32x8(y + 58, c1_1);
    store_tail_f32x8(y + 66, c1_2, 2);
    store_f32x8(y + 100, c2_0);
    store_f32x8(y + 108, c2_1);
    store_tail_f32x8(y + 116, c2_2, 2);
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_32069e51_check(void)
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

uint32_t griotte_matmul_32069e51_abi(void)
{
    return 0x12be1ce;
}

void griotte_matmul_32069e51(const float *x0, const float *x1, float *y)
{
    for (int64_t n_1 = 0; n_1 < 2; n_1++) {
        const float *x_2 = x1 + n_1 * 16;
        float *y_3 = y + n_1 * 16;
        for (int64_t m_4 = 0; m_4 < 5; m_4++) {
            const float *x_5 = x0 + m_4 * 240;
            float *y_6 = y_3 + m_4 * 300;
            multiply_add_6x16x40_0(x_5, x_2, y_6);
        }
    }
    {
        const float *x_7 = x1 + 32;
        float *y_8 = y + 32;
        for (int64_t m_9 = 0; m_9 < 10; m_9++) {
            const float *x_10 = x0 + m_9 * 120;
            float *y_11 = y_8 + m_9 * 150;
            multiply_add_3x18x40_1(x_10, x_7, y_11);
        }
    }
}
