/*
 * max(bf16[17,43], axis=1) -> bf16[17]
 *
 * avx512, 1 thread, cycles by the model
 *
 * copy y 17 -> L1, compact as f32
 *     map i0=17, lanes along i0
 *   registers y 17  combine i0=17 i1=43, lanes along i1
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x16 __attribute__((vector_size(64)));
typedef float f32x16_unaligned __attribute__((vector_size(64), aligned(1), may_alias));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x8 __attribute__((vector_size(32)));
typedef int16_t s16x16 __attribute__((vector_size(32)));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x16_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t u32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));

/* helpers:
 * splat_f32x16, load_u16x16, convert_u16_to_u32_x16, convert_bf16_to_f32_x16, if_nan_f32x16, at_least_f32x16,
 * maximum_f32x16, load_tail_u16x16, select_f32x16, store_f32x16, if_nan_f32x4, at_least_f32x4, maximum_f32x4,
 * reduce_maximum_f32x4, reduce_maximum_f32x8, if_nan_f32x8, at_least_f32x8, maximum_f32x8, reduce_maximum_f32x16,
 * load_f32x16, convert_f32_to_bf16_x16, store_u16x16, load_tail_f32x16, store_tail_u16x16 */


/* y[i0] = maximum of p0[i0 i1], i0=17 i1=43, lanes along i1 */
static void combine_17x43_0(const uint16_t *restrict p0, float *restrict y)
{
    f32x16 c0_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c1_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c2_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c3_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c4_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c5_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c6_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c7_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c8_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c9_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c10_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c11_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c12_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c13_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c14_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c15_0 = splat_f32x16((-__builtin_inff()));
    f32x16 c16_0 = splat_f32x16((-__builtin_inff()));
#pragma GCC unroll 2
    for (int64_t i1 = 0; i1 < 32; i1 += 16) {
        {
            const f32x16 x0_0_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1));
            c0_0 = maximum_f32x16(c0_0, x0_0_0);
            const f32x16 x0_1_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 43));
            c1_0 = maximum_f32x16(c1_0, x0_1_0);
            const f32x16 x0_2_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 86));
            c2_0 = maximum_f32x16(c2_0, x0_2_0);
            const f32x16 x0_3_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 129));
            c3_0 = maximum_f32x16(c3_0, x0_3_0);
            const f32x16 x0_4_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 172));
            c4_0 = maximum_f32x16(c4_0, x0_4_0);
            const f32x16 x0_5_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 215));
            c5_0 = maximum_f32x16(c5_0, x0_5_0);
            const f32x16 x0_6_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 258));
            c6_0 = maximum_f32x16(c6_0, x0_6_0);
            const f32x16 x0_7_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 301));
            c7_0 = maximum_f32x16(c7_0, x0_7_0);
            const f32x16 x0_8_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 344));
            c8_0 = maximum_f32x16(c8_0, x0_8_0);
            const f32x16 x0_9_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 387));
            c9_0 = maximum_f32x16(c9_0, x0_9_0);
            const f32x16 x0_10_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 430));
            c10_0 = maximum_f32x16(c10_0, x0_10_0);
            const f32x16 x0_11_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 473));
            c11_0 = maximum_f32x16(c11_0, x0_11_0);
            const f32x16 x0_12_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 516));
            c12_0 = maximum_f32x16(c12_0, x0_12_0);
            const f32x16 x0_13_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 559));
            c13_0 = maximum_f32x16(c13_0, x0_13_0);
            const f32x16 x0_14_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 602));
            c14_0 = maximum_f32x16(c14_0, x0_14_0);
            const f32x16 x0_15_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 645));
            c15_0 = maximum_f32x16(c15_0, x0_15_0);
            const f32x16 x0_16_0 = convert_bf16_to_f32_x16(load_u16x16(p0 + i1 + 688));
            c16_0 = maximum_f32x16(c16_0, x0_16_0);
        }
    }
    {
        const f32x16 x0_0_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 32, 11));
        c0_0 = maximum_f32x16(c0_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_0_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_1_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 75, 11));
        c1_0 = maximum_f32x16(c1_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_1_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_2_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 118, 11));
        c2_0 = maximum_f32x16(c2_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_2_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_3_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 161, 11));
        c3_0 = maximum_f32x16(c3_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_3_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_4_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 204, 11));
        c4_0 = maximum_f32x16(c4_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_4_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_5_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 247, 11));
        c5_0 = maximum_f32x16(c5_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_5_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_6_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 290, 11));
        c6_0 = maximum_f32x16(c6_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_6_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_7_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 333, 11));
        c7_0 = maximum_f32x16(c7_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_7_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_8_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 376, 11));
        c8_0 = maximum_f32x16(c8_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_8_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_9_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 419, 11));
        c9_0 = maximum_f32x16(c9_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_9_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_10_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 462, 11));
        c10_0 = maximum_f32x16(c10_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_10_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_11_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 505, 11));
        c11_0 = maximum_f32x16(c11_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_11_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_12_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 548, 11));
        c12_0 = maximum_f32x16(c12_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_12_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_13_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 591, 11));
        c13_0 = maximum_f32x16(c13_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_13_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_14_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 634, 11));
        c14_0 = maximum_f32x16(c14_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_14_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_15_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 677, 11));
        c15_0 = maximum_f32x16(c15_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_15_0, splat_f32x16((-__builtin_inff()))));
        const f32x16 x0_16_0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 720, 11));
        c16_0 = maximum_f32x16(c16_0, select_f32x16((u8x16){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, x0_16_0, splat_f32x16((-__builtin_inff()))));
    }
    {
        const f32x16 s0 = maximum_f32x16(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c0_0, c1_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s1 = maximum_f32x16(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c2_0, c3_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s2 = maximum_f32x16(__builtin_shufflevector(c4_0, c5_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c4_0, c5_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s3 = maximum_f32x16(__builtin_shufflevector(c6_0, c7_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c6_0, c7_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s4 = maximum_f32x16(__builtin_shufflevector(c8_0, c9_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c8_0, c9_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s5 = maximum_f32x16(__builtin_shufflevector(c10_0, c11_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c10_0, c11_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s6 = maximum_f32x16(__builtin_shufflevector(c12_0, c13_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c12_0, c13_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s7 = maximum_f32x16(__builtin_shufflevector(c14_0, c15_0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23), __builtin_shufflevector(c14_0, c15_0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
        const f32x16 s8 = maximum_f32x16(__builtin_shufflevector(s0, s1, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s0, s1, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s9 = maximum_f32x16(__builtin_shufflevector(s2, s3, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s2, s3, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s10 = maximum_f32x16(__builtin_shufflevector(s4, s5, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s4, s5, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s11 = maximum_f32x16(__builtin_shufflevector(s6, s7, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27), __builtin_shufflevector(s6, s7, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        const f32x16 s12 = maximum_f32x16(__builtin_shufflevector(s8, s9, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29), __builtin_shufflevector(s8, s9, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31));
        const f32x16 s13 = maximum_f32x16(__builtin_shufflevector(s10, s11, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29), __builtin_shufflevector(s10, s11, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31));
        const f32x16 s14 = maximum_f32x16(__builtin_shufflevector(s12, s13, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30), __builtin_shufflevector(s12, s13, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31));
        const f32x16 sums = __builtin_shufflevector(s14, s14, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        store_f32x16(y, sums);
    }
    y[16] = reduce_maximum_f32x16(c16_0);
}

/* y[i0] = p0[i0], i0=17, lanes along i0 */
static void map_17_1(const float *restrict p0, uint16_t *restrict y)
{
    {
        const f32x16 x0 = load_f32x16(p0);
        store_u16x16(y, convert_f32_to_bf16_x16(x0));
    }
    {
        const f32x16 x0 = load_tail_f32x16(p0 + 16, 1);
        store_tail_u16x16(y + 16, convert_f32_to_bf16_x16(x0), 1);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_max_2870f7ee_check(void)
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

uint32_t griotte_max_2870f7ee_abi(void)
{
    return 0x11bfdde;
}

void griotte_max_2870f7ee(const uint16_t *x0, uint16_t *y)
{
    float local_1_own[17] __attribute__((aligned(64)));
    {
        float *const local_1 = local_1_own;
        combine_17x43_0(x0, local_1);
        /* copy out of compact, L1 */
        map_17_1(local_1, y);
    }
}
