/*
 * matmul(f32[30,40], f32[40,50]) -> f32[30,50]
 *
 * avx512, 1 thread, cycles by the model
 *
 * loop m by 12
 *   loop n by 32
 *     registers y 12x32  multiply_add m=12 n=32 k=40, lanes along n
 *     leftover n 18:
 *       registers y 12x18  multiply_add m=12 n=18 k=40, lanes along n
 *   leftover m 6:
 *     registers y 6x50  multiply_add m=6 n=50 k=40, lanes along n
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


/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=32 k=40, lanes along n */
static void multiply_add_12x32x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 50));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 50 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 240]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 280]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 320]);
            c8_0 += x0_8_0 * x1_0;
            c8_1 += x0_8_0 * x1_1;
            const f32x16 x0_9_0 = splat_f32x16(p0[k + 360]);
            c9_0 += x0_9_0 * x1_0;
            c9_1 += x0_9_0 * x1_1;
            const f32x16 x0_10_0 = splat_f32x16(p0[k + 400]);
            c10_0 += x0_10_0 * x1_0;
            c10_1 += x0_10_0 * x1_1;
            const f32x16 x0_11_0 = splat_f32x16(p0[k + 440]);
            c11_0 += x0_11_0 * x1_0;
            c11_1 += x0_11_0 * x1_1;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 50, c1_0);
    store_f32x16(y + 66, c1_1);
    store_f32x16(y + 100, c2_0);
    store_f32x16(y + 116, c2_1);
    store_f32x16(y + 150, c3_0);
    store_f32x16(y + 166, c3_1);
    store_f32x16(y + 200, c4_0);
    store_f32x16(y + 216, c4_1);
    store_f32x16(y + 250, c5_0);
    store_f32x16(y + 266, c5_1);
    store_f32x16(y + 300, c6_0);
    store_f32x16(y + 316, c6_1);
    store_f32x16(y + 350, c7_0);
    store_f32x16(y + 366, c7_1);
    store_f32x16(y + 400, c8_0);
    store_f32x16(y + 416, c8_1);
    store_f32x16(y + 450, c9_0);
    store_f32x16(y + 466, c9_1);
    store_f32x16(y + 500, c10_0);
    store_f32x16(y + 516, c10_1);
    store_f32x16(y + 550, c11_0);
    store_f32x16(y + 566, c11_1);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=18 k=40, lanes along n */
static void multiply_add_12x18x40_1(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 50));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_tail_f32x16(p1 + k * 50 + 16, 2));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            const f32x16 x0_6_0 = splat_f32x16(p0[k + 240]);
            c6_0 += x0_6_0 * x1_0;
            c6_1 += x0_6_0 * x1_1;
            const f32x16 x0_7_0 = splat_f32x16(p0[k + 280]);
            c7_0 += x0_7_0 * x1_0;
            c7_1 += x0_7_0 * x1_1;
            const f32x16 x0_8_0 = splat_f32x16(p0[k + 320]);
            c8_0 += x0_8_0 * x1_0;
            c8_1 += x0_8_0 * x1_1;
            const f32x16 x0_9_0 = splat_f32x16(p0[k + 360]);
            c9_0 += x0_9_0 * x1_0;
            c9_1 += x0_9_0 * x1_1;
            const f32x16 x0_10_0 = splat_f32x16(p0[k + 400]);
            c10_0 += x0_10_0 * x1_0;
            c10_1 += x0_10_0 * x1_1;
            const f32x16 x0_11_0 = splat_f32x16(p0[k + 440]);
            c11_0 += x0_11_0 * x1_0;
            c11_1 += x0_11_0 * x1_1;
        }
    }
    store_f32x16(y, c0_0);
    store_tail_f32x16(y + 16, c0_1, 2);
    store_f32x16(y + 50, c1_0);
    store_tail_f32x16(y + 66, c1_1, 2);
    store_f32x16(y + 100, c2_0);
    store_tail_f32x16(y + 116, c2_1, 2);
    store_f32x16(y + 150, c3_0);
    store_tail_f32x16(y + 166, c3_1, 2);
    store_f32x16(y + 200, c4_0);
    store_tail_f32x16(y + 216, c4_1, 2);
    store_f32x16(y + 250, c5_0);
    store_tail_f32x16(y + 266, c5_1, 2);
    store_f32x16(y + 300, c6_0);
    store_tail_f32x16(y + 316, c6_1, 2);
    store_f32x16(y + 350, c7_0);
    store_tail_f32x16(y + 366, c7_1, 2);
    store_f32x16(y + 400, c8_0);
    store_tail_f32x16(y + 416, c8_1, 2);
    store_f32x16(y + 450, c9_0);
    store_tail_f32x16(y + 466, c9_1, 2);
    store_f32x16(y + 500, c10_0);
    store_tail_f32x16(y + 516, c10_1, 2);
    store_f32x16(y + 550, c11_0);
    store_tail_f32x16(y + 566, c11_1, 2);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=6 n=50 k=40, lanes along n */
static void multiply_add_6x50x40_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16(0.0f);
    f32x16 c0_1 = splat_f32x16(0.0f);
    f32x16 c0_2 = splat_f32x16(0.0f);
    f32x16 c0_3 = splat_f32x16(0.0f);
    f32x16 c1_0 = splat_f32x16(0.0f);
    f32x16 c1_1 = splat_f32x16(0.0f);
    f32x16 c1_2 = splat_f32x16(0.0f);
    f32x16 c1_3 = splat_f32x16(0.0f);
    f32x16 c2_0 = splat_f32x16(0.0f);
    f32x16 c2_1 = splat_f32x16(0.0f);
    f32x16 c2_2 = splat_f32x16(0.0f);
    f32x16 c2_3 = splat_f32x16(0.0f);
    f32x16 c3_0 = splat_f32x16(0.0f);
    f32x16 c3_1 = splat_f32x16(0.0f);
    f32x16 c3_2 = splat_f32x16(0.0f);
    f32x16 c3_3 = splat_f32x16(0.0f);
    f32x16 c4_0 = splat_f32x16(0.0f);
    f32x16 c4_1 = splat_f32x16(0.0f);
    f32x16 c4_2 = splat_f32x16(0.0f);
    f32x16 c4_3 = splat_f32x16(0.0f);
    f32x16 c5_0 = splat_f32x16(0.0f);
    f32x16 c5_1 = splat_f32x16(0.0f);
    f32x16 c5_2 = splat_f32x16(0.0f);
    f32x16 c5_3 = splat_f32x16(0.0f);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x16 x0_0_0 = splat_f32x16(p0[k]);
            const f32x16 x1_0 = hold_f32x16(load_f32x16(p1 + k * 50));
            c0_0 += x0_0_0 * x1_0;
            const f32x16 x1_1 = hold_f32x16(load_f32x16(p1 + k * 50 + 16));
            c0_1 += x0_0_0 * x1_1;
            const f32x16 x1_2 = hold_f32x16(load_f32x16(p1 + k * 50 + 32));
            c0_2 += x0_0_0 * x1_2;
            const f32x16 x1_3 = hold_f32x16(load_tail_f32x16(p1 + k * 50 + 48, 2));
            c0_3 += x0_0_0 * x1_3;
            const f32x16 x0_1_0 = splat_f32x16(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            c1_3 += x0_1_0 * x1_3;
            const f32x16 x0_2_0 = splat_f32x16(p0[k + 80]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            c2_3 += x0_2_0 * x1_3;
            const f32x16 x0_3_0 = splat_f32x16(p0[k + 120]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
            c3_3 += x0_3_0 * x1_3;
            const f32x16 x0_4_0 = splat_f32x16(p0[k + 160]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            c4_2 += x0_4_0 * x1_2;
            c4_3 += x0_4_0 * x1_3;
            const f32x16 x0_5_0 = splat_f32x16(p0[k + 200]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
            c5_2 += x0_5_0 * x1_2;
            c5_3 += x0_5_0 * x1_3;
        }
    }
    store_f32x16(y, c0_0);
    store_f32x16(y + 16, c0_1);
    store_f32x16(y + 32, c0_2);
    store_tail_f32x16(y + 48, c0_3, 2);
    store_f32x16(y + 50, c1_0);
    store_f32x16(y + 66, c1_1);
    store_f32x16(y + 82, c1_2);
    store_tail_f32x16(y + 98, c1_3, 2);
    store_f32x16(y + 100, c2_0);
    store_f32x16(y + 116, c2_1);
    store_f32x16(y + 132, c2_2);
    store_tail_f32x16(y + 148, c2_3, 2);
    store_f32x16(y + 150, c3_0);
    store_f32x16(y + 166, c3_1);
    store_f32x16(y + 182, c3_2);
    store_tail_f32x16(y + 198, c3_3, 2);
    store_f32x16(y + 200, c4_0);
    store_f32x16(y + 216, c4_1);
    store_f32x16(y + 232, c4_2);
    store_tail_f32x16(y + 248, c4_3, 2);
    store_f32x16(y + 250, c5_0);
    store_f32x16(y + 266, c5_1);
    store_f32x16(y + 282, c5_2);
    store_tail_f32x16(y + 298, c5_3, 2);
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_20133319_check(void)
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

uint32_t griotte_matmul_20133319_abi(void)
{
    return 0x13d1852;
}

void griotte_matmul_20133319(const float *x0, const float *x1, float *y)
{
    for (int64_t m_1 = 0; m_1 < 2; m_1++) {
        const float *x_2 = x0 + m_1 * 480;
        float *y_3 = y + m_1 * 600;
        multiply_add_12x32x40_0(x_2, x1, y_3);
        {
            const float *x_4 = x1 + 32;
            float *y_5 = y_3 + 32;
            multiply_add_12x18x40_1(x_2, x_4, y_5);
        }
    }
    {
        const float *x_6 = x0 + 960;
        float *y_7 = y + 1200;
        multiply_add_6x50x40_2(x_6, x1, y_7);
    }
}
