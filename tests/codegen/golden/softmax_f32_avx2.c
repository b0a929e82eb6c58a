/*
 * softmax(f32[9,70], axis=-1) -> f32[9,70]
 *
 * avx2, 1 thread, cycles by the model
 *
 * buffer max 9 f32 in L1
 *     registers max 9  combine i0=9 i1=70, lanes along i1
 *   exp in y
 *       loop i0 by 1
 *         map i0=1 i1=70, lanes along i1
 *     buffer div 9 f32 in L1
 *         sum in registers, the map after it done as it is stored
 *           registers div 9  combine i0=9 i1=70, lanes along i1
 *       loop i0 by 1
 *         map i0=1 i1=70, lanes along i1
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x1 __attribute__((vector_size(4)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x1 __attribute__((vector_size(4)));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef int8_t s8x8 __attribute__((vector_size(8)));
typedef uint32_t u32x1 __attribute__((vector_size(4)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));

/* helpers:
 * splat_f32x8, load_f32x8, if_nan_f32x8, at_least_f32x8, maximum_f32x8, load_f32x4, load_tail_f32x4, join_f32x8,
 * load_tail_f32x8, blend_f32x8, convert_s8_to_s32_x8, select_f32x8, store_f32x8, if_nan_f32x4, at_least_f32x4,
 * maximum_f32x4, reduce_maximum_f32x4, reduce_maximum_f32x8, square_f32x8, look_up_f32x8, and_more_f32x8,
 * cleared_f32x8, decay_f32x8, lower_f32x8, upper_f32x8, store_f32x4, store_tail_f32x4, store_tail_f32x8, add_f32x8,
 * div_f32x8, add_f32x4, reduce_add_f32x4, reduce_add_f32x8, splat_f32x1, div_f32x1, abs_f32x8, share_f32x8, hold_f32x8 */


/* y[i0] = maximum of p0[i0 i1], i0=9 i1=70, lanes along i1 */
static void combine_9x70_0(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c2_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c3_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c4_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c5_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c6_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c7_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c8_0 = splat_f32x8((-__builtin_inff()));
#pragma GCC unroll 6
    for (int64_t i1 = 0; i1 < 64; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 70);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 140);
            c2_0 = maximum_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 210);
            c3_0 = maximum_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 280);
            c4_0 = maximum_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 350);
            c5_0 = maximum_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + i1 + 420);
            c6_0 = maximum_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + i1 + 490);
            c7_0 = maximum_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + i1 + 560);
            c8_0 = maximum_f32x8(c8_0, x0_8_0);
        }
    }
    {
        const f32x8 x0_0_0 = load_tail_f32x8(p0 + 64, 6);
        c0_0 = maximum_f32x8(c0_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_0_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_1_0 = load_tail_f32x8(p0 + 134, 6);
        c1_0 = maximum_f32x8(c1_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_1_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_2_0 = load_tail_f32x8(p0 + 204, 6);
        c2_0 = maximum_f32x8(c2_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_2_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_3_0 = load_tail_f32x8(p0 + 274, 6);
        c3_0 = maximum_f32x8(c3_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_3_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_4_0 = load_tail_f32x8(p0 + 344, 6);
        c4_0 = maximum_f32x8(c4_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_4_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_5_0 = load_tail_f32x8(p0 + 414, 6);
        c5_0 = maximum_f32x8(c5_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_5_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_6_0 = load_tail_f32x8(p0 + 484, 6);
        c6_0 = maximum_f32x8(c6_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_6_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_7_0 = load_tail_f32x8(p0 + 554, 6);
        c7_0 = maximum_f32x8(c7_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_7_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_8_0 = load_tail_f32x8(p0 + 624, 6);
        c8_0 = maximum_f32x8(c8_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_8_0, splat_f32x8((-__builtin_inff()))));
    }
    {
        const f32x8 s0 = maximum_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = maximum_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = maximum_f32x8(__builtin_shufflevector(c4_0, c5_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c4_0, c5_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s3 = maximum_f32x8(__builtin_shufflevector(c6_0, c7_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c6_0, c7_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s4 = maximum_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s5 = maximum_f32x8(__builtin_shufflevector(s2, s3, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s2, s3, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s6 = maximum_f32x8(__builtin_shufflevector(s4, s5, 0, 2, 8, 10, 4, 6, 12, 14), __builtin_shufflevector(s4, s5, 1, 3, 9, 11, 5, 7, 13, 15));
        const f32x8 sums = __builtin_shufflevector(s6, s6, 0, 4, 1, 5, 2, 6, 3, 7);
        store_f32x8(y, sums);
    }
    y[8] = reduce_maximum_f32x8(c8_0);
}

/* y[i0 i1] = decay(sub(p0[i0 i1], p1[i0])), i0=1 i1=70, lanes along i1 */
static void map_1x70_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, decay_f32x8((x0 - x1)));
    }
    {
        const f32x8 x0 = load_tail_f32x8(p0 + 64, 6);
        const f32x8 x1 = splat_f32x8(*p1);
        store_tail_f32x8(y + 64, decay_f32x8((x0 - x1)), 6);
    }
}

/* y[i0] = add of p0[i0 i1], i0=9 i1=70, lanes along i1 */
static void combine_9x70_2(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c6_0 = splat_f32x8(0.0f);
    f32x8 c7_0 = splat_f32x8(0.0f);
    f32x8 c8_0 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t i1 = 0; i1 < 64; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 70);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 140);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 210);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 280);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 350);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + i1 + 420);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + i1 + 490);
            c7_0 = add_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + i1 + 560);
            c8_0 = add_f32x8(c8_0, x0_8_0);
        }
    }
    {
        const f32x8 x0_0_0 = load_tail_f32x8(p0 + 64, 6);
        c0_0 = add_f32x8(c0_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_0_0, splat_f32x8(0.0f)));
        const f32x8 x0_1_0 = load_tail_f32x8(p0 + 134, 6);
        c1_0 = add_f32x8(c1_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_1_0, splat_f32x8(0.0f)));
        const f32x8 x0_2_0 = load_tail_f32x8(p0 + 204, 6);
        c2_0 = add_f32x8(c2_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_2_0, splat_f32x8(0.0f)));
        const f32x8 x0_3_0 = load_tail_f32x8(p0 + 274, 6);
        c3_0 = add_f32x8(c3_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_3_0, splat_f32x8(0.0f)));
        const f32x8 x0_4_0 = load_tail_f32x8(p0 + 344, 6);
        c4_0 = add_f32x8(c4_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_4_0, splat_f32x8(0.0f)));
        const f32x8 x0_5_0 = load_tail_f32x8(p0 + 414, 6);
        c5_0 = add_f32x8(c5_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_5_0, splat_f32x8(0.0f)));
        const f32x8 x0_6_0 = load_tail_f32x8(p0 + 484, 6);
        c6_0 = add_f32x8(c6_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_6_0, splat_f32x8(0.0f)));
        const f32x8 x0_7_0 = load_tail_f32x8(p0 + 554, 6);
        c7_0 = add_f32x8(c7_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_7_0, splat_f32x8(0.0f)));
        const f32x8 x0_8_0 = load_tail_f32x8(p0 + 624, 6);
        c8_0 = add_f32x8(c8_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_8_0, splat_f32x8(0.0f)));
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(c4_0, c5_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c4_0, c5_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s3 = add_f32x8(__builtin_shufflevector(c6_0, c7_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c6_0, c7_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s4 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s5 = add_f32x8(__builtin_shufflevector(s2, s3, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s2, s3, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s6 = add_f32x8(__builtin_shufflevector(s4, s5, 0, 2, 8, 10, 4, 6, 12, 14), __builtin_shufflevector(s4, s5, 1, 3, 9, 11, 5, 7, 13, 15));
        const f32x8 sums = __builtin_shufflevector(s6, s6, 0, 4, 1, 5, 2, 6, 3, 7);
        store_f32x8(y, div_f32x8(splat_f32x8(1.0f), sums));
    }
    y[8] = div_f32x1(splat_f32x1(1.0f), (f32x1){reduce_add_f32x8(c8_0)})[0];
}

/* y[i0 i1] = share(p0[i0 i1], p1[i0]), i0=1 i1=70, lanes along i1 */
static void map_1x70_3(const float *p0, const float *restrict p1, float *y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, hold_f32x8(share_f32x8(x0, x1)));
    }
    {
        const f32x8 x0 = load_tail_f32x8(p0 + 64, 6);
        const f32x8 x1 = splat_f32x8(*p1);
        store_tail_f32x8(y + 64, hold_f32x8(share_f32x8(x0, x1)), 6);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_softmax_9da0cc01_check(void)
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

uint32_t griotte_softmax_9da0cc01_abi(void)
{
    return 0x1f5851e;
}

void griotte_softmax_9da0cc01(const float *x0, float *y)
{
    float buffer_1_own[9] __attribute__((aligned(64)));
    float buffer_6_own[9] __attribute__((aligned(64)));
    {
        float *const buffer_1 = buffer_1_own;
        combine_9x70_0(x0, buffer_1);
        {
            for (int64_t i0_2 = 0; i0_2 < 9; i0_2++) {
                const float *x_3 = x0 + i0_2 * 70;
                const float *buffer_4 = buffer_1 + i0_2;
                float *y_5 = y + i0_2 * 70;
                map_1x70_1(x_3, buffer_4, y_5);
            }
            {
                float *const buffer_6 = buffer_6_own;
                combine_9x70_2(y, buffer_6);
                for (int64_t i0_7 = 0; i0_7 < 9; i0_7++) {
                    const float *y_8 = y + i0_7 * 70;
                    const float *buffer_9 = buffer_6 + i0_7;
                    float *y_10 = y + i0_7 * 70;
                    map_1x70_3(y_8, buffer_9, y_10);
                }
            }
        }
    }
}
