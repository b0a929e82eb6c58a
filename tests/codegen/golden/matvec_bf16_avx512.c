/*
 * matmul(bf16[1,70], bf16[70,40]{0,1}) -> f32[1,40]
 *
 * avx512, 1 thread, cycles by the model
 *
 * loop n by 32
 *   loop n by 12
 *     registers y 1x12  multiply_add m=1 n=12 k=70, lanes along k
 *     leftover n 8:
 *       registers y 1x8  multiply_add m=1 n=8 k=70, lanes along k
 *   leftover n 8:
 *     registers y 1x8  multiply_add m=1 n=8 k=70, lanes along k
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x16 __attribute__((vector_size(64)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int16_t s16x16 __attribute__((vector_size(32)));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x16_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t u32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

/* helpers:
 * splat_f32x16, load_u16x16, convert_u16_to_u32_x16, convert_bf16_to_f32_x16, hold_f32x16, load_tail_u16x16,
 * add_f32x16, store_f32x8, store_f32x4 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=12 k=70, lanes along k */
static void multiply_add_1x12x70_0(const uint16_t *restrict p0, const uint16_t *restrict p1, float *restrict y)
{
    f32x16 c0_0_0 = splat_f32x16(0.0f);
    f32x16 c0_1_0 = splat_f32x16(0.0f);
    f32x16 c0_2_0 = splat_f32x16(0.0f);
    f32x16 c0_3_0 = splat_f32x16(0.0f);
    f32x16 c0_4_0 = splat_f32x16(0.0f);
    f32x16 c0_5_0 = splat_f32x16(0.0f);
    f32x16 c0_6_0 = splat_f32x16(0.0f);
    f32x16 c0_7_0 = splat_f32x16(0.0f);
    f32x16 c0_8_0 = splat_f32x16(0.0f);
    f32x16 c0_9_0 = splat_f32x16(0.0f);
    f32x16 c0_10_0 = splat_f32x16(0.0f);
    f32x16 c0_11_0 = splat_f32x16(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 64; k += 16) {
        {
            const f32x16 x0_0_0 = hold_f32x16(convert_bf16_to_f32_x16(load_u16x16(p0 + k)));
            const f32x16 x1_0_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k));
            c0_0_0 += x0_0_0 * x1_0_0;
            const f32x16 x1_1_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 70));
            c0_1_0 += x0_0_0 * x1_1_0;
            const f32x16 x1_2_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 140));
            c0_2_0 += x0_0_0 * x1_2_0;
            const f32x16 x1_3_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 210));
            c0_3_0 += x0_0_0 * x1_3_0;
            const f32x16 x1_4_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 280));
            c0_4_0 += x0_0_0 * x1_4_0;
            const f32x16 x1_5_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 350));
            c0_5_0 += x0_0_0 * x1_5_0;
            const f32x16 x1_6_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 420));
            c0_6_0 += x0_0_0 * x1_6_0;
            const f32x16 x1_7_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 490));
            c0_7_0 += x0_0_0 * x1_7_0;
            const f32x16 x1_8_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 560));
            c0_8_0 += x0_0_0 * x1_8_0;
            const f32x16 x1_9_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 630));
            c0_9_0 += x0_0_0 * x1_9_0;
            const f32x16 x1_10_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 700));
            c0_10_0 += x0_0_0 * x1_10_0;
            const f32x16 x1_11_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 770));
            c0_11_0 += x0_0_0 * x1_11_0;
        }
    }
    {
        const f32x16 x0_0_0 = hold_f32x16(convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 64, 6)));
        const f32x16 x1_0_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 64, 6));
        c0_0_0 += x0_0_0 * x1_0_0;
        const f32x16 x1_1_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 134, 6));
        c0_1_0 += x0_0_0 * x1_1_0;
        const f32x16 x1_2_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 204, 6));
        c0_2_0 += x0_0_0 * x1_2_0;
        const f32x16 x1_3_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 274, 6));
        c0_3_0 += x0_0_0 * x1_3_0;
        const f32x16 x1_4_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 344, 6));
        c0_4_0 += x0_0_0 * x1_4_0;
        const f32x16 x1_5_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 414, 6));
        c0_5_0 += x0_0_0 * x1_5_0;
        const f32x16 x1_6_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 484, 6));
        c0_6_0 += x0_0_0 * x1_6_0;
        const f32x16 x1_7_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 554, 6));
        c0_7_0 += x0_0_0 * x1_7_0;
        const f32x16 x1_8_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 624, 6));
        c0_8_0 += x0_0_0 * x1_8_0;
        const f32x16 x1_9_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 694, 6));
        c0_9_0 += x0_0_0 * x1_9_0;
        const f32x16 x1_10_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 764, 6));
        c0_10_0 += x0_0_0 * x1_10_0;
        const f32x16 x1_11_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 834, 6));
        c0_11_0 += x0_0_0 * x1_11_0;
    }
    {
        const f32x16 s0 = add_f32x16(__builtin_shufflevector(c0_0_0, c0_1_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_0_0, c0_1_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s1 = add_f32x16(__builtin_shufflevector(c0_2_0, c0_3_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_2_0, c0_3_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s2 = add_f32x16(__builtin_shufflevector(c0_4_0, c0_5_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_4_0, c0_5_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s3 = add_f32x16(__builtin_shufflevector(c0_6_0, c0_7_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_6_0, c0_7_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s4 = add_f32x16(__builtin_shufflevector(s0, s1, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s0, s1, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s5 = add_f32x16(__builtin_shufflevector(s2, s3, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s2, s3, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s6 = add_f32x16(__builtin_shufflevector(s4, s5, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29), __builtin_shufflevector(s4, s5, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31));
        const f32x16 s7 = add_f32x16(s6, __builtin_shufflevector(s6, s6, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15));
        const f32x8 sums = __builtin_shufflevector(s7, s7, 0, 4, 8, 12, 2, 6, 10, 14);
        store_f32x8(y, sums);
    }
    {
        const f32x16 s0 = add_f32x16(__builtin_shufflevector(c0_8_0, c0_9_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_8_0, c0_9_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s1 = add_f32x16(__builtin_shufflevector(c0_10_0, c0_11_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_10_0, c0_11_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s2 = add_f32x16(__builtin_shufflevector(s0, s1, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s0, s1, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s3 = add_f32x16(s2, __builtin_shufflevector(s2, s2, 2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15));
        const f32x16 s4 = add_f32x16(s3, __builtin_shufflevector(s3, s3, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15));
        const f32x4 sums = __builtin_shufflevector(s4, s4, 0, 4, 8, 12);
        store_f32x4(y + 8, sums);
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=8 k=70, lanes along k */
static void multiply_add_1x8x70_1(const uint16_t *restrict p0, const uint16_t *restrict p1, float *restrict y)
{
    f32x16 c0_0_0 = splat_f32x16(0.0f);
    f32x16 c0_1_0 = splat_f32x16(0.0f);
    f32x16 c0_2_0 = splat_f32x16(0.0f);
    f32x16 c0_3_0 = splat_f32x16(0.0f);
    f32x16 c0_4_0 = splat_f32x16(0.0f);
    f32x16 c0_5_0 = splat_f32x16(0.0f);
    f32x16 c0_6_0 = splat_f32x16(0.0f);
    f32x16 c0_7_0 = splat_f32x16(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 64; k += 16) {
        {
            const f32x16 x0_0_0 = hold_f32x16(convert_bf16_to_f32_x16(load_u16x16(p0 + k)));
            const f32x16 x1_0_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k));
            c0_0_0 += x0_0_0 * x1_0_0;
            const f32x16 x1_1_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 70));
            c0_1_0 += x0_0_0 * x1_1_0;
            const f32x16 x1_2_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 140));
            c0_2_0 += x0_0_0 * x1_2_0;
            const f32x16 x1_3_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 210));
            c0_3_0 += x0_0_0 * x1_3_0;
            const f32x16 x1_4_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 280));
            c0_4_0 += x0_0_0 * x1_4_0;
            const f32x16 x1_5_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 350));
            c0_5_0 += x0_0_0 * x1_5_0;
            const f32x16 x1_6_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 420));
            c0_6_0 += x0_0_0 * x1_6_0;
            const f32x16 x1_7_0 = convert_bf16_to_f32_x16(load_u16x16(p1 + k + 490));
            c0_7_0 += x0_0_0 * x1_7_0;
        }
    }
    {
        const f32x16 x0_0_0 = hold_f32x16(convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 64, 6)));
        const f32x16 x1_0_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 64, 6));
        c0_0_0 += x0_0_0 * x1_0_0;
        const f32x16 x1_1_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 134, 6));
        c0_1_0 += x0_0_0 * x1_1_0;
        const f32x16 x1_2_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 204, 6));
        c0_2_0 += x0_0_0 * x1_2_0;
        const f32x16 x1_3_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 274, 6));
        c0_3_0 += x0_0_0 * x1_3_0;
        const f32x16 x1_4_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 344, 6));
        c0_4_0 += x0_0_0 * x1_4_0;
        const f32x16 x1_5_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 414, 6));
        c0_5_0 += x0_0_0 * x1_5_0;
        const f32x16 x1_6_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 484, 6));
        c0_6_0 += x0_0_0 * x1_6_0;
        const f32x16 x1_7_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p1 + 554, 6));
        c0_7_0 += x0_0_0 * x1_7_0;
    }
    {
        const f32x16 s0 = add_f32x16(__builtin_shufflevector(c0_0_0, c0_1_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_0_0, c0_1_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s1 = add_f32x16(__builtin_shufflevector(c0_2_0, c0_3_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_2_0, c0_3_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s2 = add_f32x16(__builtin_shufflevector(c0_4_0, c0_5_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_4_0, c0_5_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s3 = add_f32x16(__builtin_shufflevector(c0_6_0, c0_7_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_6_0, c0_7_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s4 = add_f32x16(__builtin_shufflevector(s0, s1, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s0, s1, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s5 = add_f32x16(__builtin_shufflevector(s2, s3, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s2, s3, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s6 = add_f32x16(__builtin_shufflevector(s4, s5, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29), __builtin_shufflevector(s4, s5, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31));
        const f32x16 s7 = add_f32x16(s6, __builtin_shufflevector(s6, s6, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15));
        const f32x8 sums = __builtin_shufflevector(s7, s7, 0, 4, 8, 12, 2, 6, 10, 14);
        store_f32x8(y, sums);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_e7a26e10_check(void)
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

uint32_t griotte_matmul_e7a26e10_abi(void)
{
    return 0x17741e7;
}

void griotte_matmul_e7a26e10(const uint16_t *x0, const uint16_t *x1, float *y)
{
    for (int64_t n_1 = 0; n_1 < 2; n_1++) {
        const uint16_t *x_2 = x1 + n_1 * 840;
        float *y_3 = y + n_1 * 12;
        multiply_add_1x12x70_0(x0, x_2, y_3);
    }
    {
        const uint16_t *x_4 = x1 + 1680;
        float *y_5 = y + 24;
        multiply_add_1x8x70_1(x0, x_4, y_5);
    }
    {
        const uint16_t *x_6 = x1 + 2240;
        float *y_7 = y + 32;
        multiply_add_1x8x70_1(x0, x_6, y_7);
    }
}
