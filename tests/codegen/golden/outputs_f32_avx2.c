/*
 * outputs(%h: add(f32[6,40], f32[6,40]), rms_norm(%h, f32[40]))
 *
 * avx2, 1 thread, cycles by the model
 *
 * add in y0
 *     loop i0 by 1
 *       map i0=1 i1=40, lanes along i1
 *   buffer sum 6 f32 in L1
 *       registers sum 6  combine i0=6 i1=40, lanes along i1
 *     buffer rsqrt 6 f32 in L1
 *         map i0=6, lanes along i0
 *       loop i0 by 1
 *         map i0=1 i1=40, lanes along i1
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
 * load_f32x8, store_f32x8, splat_f32x8, add_f32x8, store_f32x4, add_f32x4, reduce_add_f32x4, reduce_add_f32x8,
 * load_f32x4, load_tail_f32x4, join_f32x8, load_tail_f32x8, div_f32x8, sqrt_f32x8, rsqrt_f32x8, lower_f32x8,
 * upper_f32x8, store_tail_f32x4, store_tail_f32x8, hold_f32x8 */


/* y[i0 i1] = add(p0[i0 i1], p1[i0 i1]), i0=1 i1=40, lanes along i1 */
static void map_1x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 40; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        store_f32x8(y + i, (x0 + x1));
    }
}

/* y[i0] = add of mul(add(p0[i0 i1], p1[i0 i1]), add(p0[i0 i1], p1[i0 i1])), i0=6 i1=40, lanes along i1 */
static void combine_6x40_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
#pragma GCC unroll 5
    for (int64_t i1 = 0; i1 < 40; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            const f32x8 x1_0_0 = load_f32x8(p1 + i1);
            c0_0 = add_f32x8(c0_0, ((x0_0_0 + x1_0_0) * (x0_0_0 + x1_0_0)));
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 40);
            const f32x8 x1_1_0 = load_f32x8(p1 + i1 + 40);
            c1_0 = add_f32x8(c1_0, ((x0_1_0 + x1_1_0) * (x0_1_0 + x1_1_0)));
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 80);
            const f32x8 x1_2_0 = load_f32x8(p1 + i1 + 80);
            c2_0 = add_f32x8(c2_0, ((x0_2_0 + x1_2_0) * (x0_2_0 + x1_2_0)));
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 120);
            const f32x8 x1_3_0 = load_f32x8(p1 + i1 + 120);
            c3_0 = add_f32x8(c3_0, ((x0_3_0 + x1_3_0) * (x0_3_0 + x1_3_0)));
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 160);
            const f32x8 x1_4_0 = load_f32x8(p1 + i1 + 160);
            c4_0 = add_f32x8(c4_0, ((x0_4_0 + x1_4_0) * (x0_4_0 + x1_4_0)));
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 200);
            const f32x8 x1_5_0 = load_f32x8(p1 + i1 + 200);
            c5_0 = add_f32x8(c5_0, ((x0_5_0 + x1_5_0) * (x0_5_0 + x1_5_0)));
        }
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = add_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y, sums);
    }
    y[4] = reduce_add_f32x8(c4_0);
    y[5] = reduce_add_f32x8(c5_0);
}

/* y[i0] = rsqrt(add(div(p0[i0], 40), 1e-06)), i0=6, lanes along i0 */
static void map_6_2(const float *restrict p0, float *restrict y)
{
    {
        const f32x8 x0 = load_tail_f32x8(p0, 6);
        store_tail_f32x8(y, rsqrt_f32x8((div_f32x8(x0, splat_f32x8(40.0f)) + splat_f32x8(1e-06f))), 6);
    }
}

/* y[i0 i1] = mul(mul(p0[i0 i1], p1[i0]), p2[i1]), i0=1 i1=40, lanes along i1 */
static void map_1x40_3(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    for (int64_t i = 0; i < 40; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        const f32x8 x2 = load_f32x8(p2 + i);
        store_f32x8(y + i, hold_f32x8((hold_f32x8((x0 * x1)) * x2)));
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_outputs_5af60d27_check(void)
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

uint32_t griotte_outputs_5af60d27_abi(void)
{
    return 0x1553841;
}

void griotte_outputs_5af60d27(const float *x0, const float *x1, const float *x2, float *y0, float *y1)
{
    float buffer_5_own[6] __attribute__((aligned(64)));
    float buffer_6_own[6] __attribute__((aligned(64)));
    {
        for (int64_t i0_1 = 0; i0_1 < 6; i0_1++) {
            const float *x_2 = x0 + i0_1 * 40;
            const float *x_3 = x1 + i0_1 * 40;
            float *y_4 = y0 + i0_1 * 40;
            map_1x40_0(x_2, x_3, y_4);
        }
        {
            float *const buffer_5 = buffer_5_own;
            combine_6x40_1(x0, x1, buffer_5);
            {
                float *const buffer_6 = buffer_6_own;
                map_6_2(buffer_5, buffer_6);
                for (int64_t i0_7 = 0; i0_7 < 6; i0_7++) {
                    const float *y_8 = y0 + i0_7 * 40;
                    const float *buffer_9 = buffer_6 + i0_7;
                    float *y_10 = y1 + i0_7 * 40;
                    map_1x40_3(y_8, buffer_9, x2, y_10);
                }
            }
        }
    }
}
