/*
 * sum(f32[3,200000], axis=1) -> f32[3]
 *
 * avx2, 2 threads, cycles by the model
 *
 * parallel i1 by 100000 over 2 threads
 *   view y 3 -> L1
 *     loop i1 by 49152
 *       first:
 *         loop i0 by 1
 *           registers y 1  combine i0=1 i1=49152, lanes along i1
 *         loop i0 by 1
 *           registers y 1  combine i0=1 i1=49152, lanes along i1
 *       leftover i1 1696:
 *         registers y 3  combine i0=3 i1=1696, lanes along i1
 *   join:
 *     view y 3 -> L2
 *       registers y 3  combine i0=3 parts=2, lanes along i0
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
typedef uint32_t u32x1 __attribute__((vector_size(4)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

/* helpers:
 * splat_f32x8, load_f32x8, add_f32x8, add_f32x4, reduce_add_f32x4, reduce_add_f32x8, add_f32x1, splat_f32x4,
 * load_f32x4, load_tail_f32x4, store_f32x4, store_tail_f32x4 */

/* codegen/team.c */


/* y[i0] = add of p0[i0 i1], i0=1 i1=49152, lanes along i1 */
static void combine_1x49152_0(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    f32x8 c0_0b = splat_f32x8(0.0f);
    f32x8 c0_0c = splat_f32x8(0.0f);
    f32x8 c0_0d = splat_f32x8(0.0f);
    f32x8 c0_0e = splat_f32x8(0.0f);
    f32x8 c0_0f = splat_f32x8(0.0f);
    f32x8 c0_0g = splat_f32x8(0.0f);
    {
        f32x8 c0_0_1 = (f32x8){0};
        for (int64_t i1_1 = 0; i1_1 < 49152; i1_1 += 8192) {
            const int64_t i1_1_end = i1_1 + 8192 < 49152 ? i1_1 + 8192 : 49152;
            c0_0_1 += (c0_0 + c0_0a + c0_0b + c0_0c + c0_0d + c0_0e + c0_0f + c0_0g); c0_0 = (f32x8){0}; c0_0a = (f32x8){0}; c0_0b = (f32x8){0}; c0_0c = (f32x8){0}; c0_0d = (f32x8){0}; c0_0e = (f32x8){0}; c0_0f = (f32x8){0}; c0_0g = (f32x8){0};
#pragma GCC unroll 6
            for (int64_t i1 = i1_1; i1 < i1_1_end; i1 += 64) {
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1);
                    __builtin_prefetch(p0 + i1 + 256);
                    c0_0 = add_f32x8(c0_0, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 8);
                    c0_0a = add_f32x8(c0_0a, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 16);
                    __builtin_prefetch(p0 + i1 + 16 + 256);
                    c0_0b = add_f32x8(c0_0b, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 24);
                    c0_0c = add_f32x8(c0_0c, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 32);
                    __builtin_prefetch(p0 + i1 + 32 + 256);
                    c0_0d = add_f32x8(c0_0d, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 40);
                    c0_0e = add_f32x8(c0_0e, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 48);
                    __builtin_prefetch(p0 + i1 + 48 + 256);
                    c0_0f = add_f32x8(c0_0f, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 56);
                    c0_0g = add_f32x8(c0_0g, x0_0_0);
                }
            }
        }
        c0_0 = (c0_0 + c0_0a + c0_0b + c0_0c + c0_0d + c0_0e + c0_0f + c0_0g) + c0_0_1;
    }
    y[0] = reduce_add_f32x8(c0_0);
}

/* y[i0] += p0[i0 i1], i0=1 i1=49152, lanes along i1 */
static void combine_1x49152_1(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    f32x8 c0_0b = splat_f32x8(0.0f);
    f32x8 c0_0c = splat_f32x8(0.0f);
    f32x8 c0_0d = splat_f32x8(0.0f);
    f32x8 c0_0e = splat_f32x8(0.0f);
    f32x8 c0_0f = splat_f32x8(0.0f);
    f32x8 c0_0g = splat_f32x8(0.0f);
    {
        f32x8 c0_0_1 = (f32x8){0};
        for (int64_t i1_1 = 0; i1_1 < 49152; i1_1 += 8192) {
            const int64_t i1_1_end = i1_1 + 8192 < 49152 ? i1_1 + 8192 : 49152;
            c0_0_1 += (c0_0 + c0_0a + c0_0b + c0_0c + c0_0d + c0_0e + c0_0f + c0_0g); c0_0 = (f32x8){0}; c0_0a = (f32x8){0}; c0_0b = (f32x8){0}; c0_0c = (f32x8){0}; c0_0d = (f32x8){0}; c0_0e = (f32x8){0}; c0_0f = (f32x8){0}; c0_0g = (f32x8){0};
#pragma GCC unroll 6
            for (int64_t i1 = i1_1; i1 < i1_1_end; i1 += 64) {
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1);
                    __builtin_prefetch(p0 + i1 + 256);
                    c0_0 = add_f32x8(c0_0, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 8);
                    c0_0a = add_f32x8(c0_0a, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 16);
                    __builtin_prefetch(p0 + i1 + 16 + 256);
                    c0_0b = add_f32x8(c0_0b, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 24);
                    c0_0c = add_f32x8(c0_0c, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 32);
                    __builtin_prefetch(p0 + i1 + 32 + 256);
                    c0_0d = add_f32x8(c0_0d, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 40);
                    c0_0e = add_f32x8(c0_0e, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 48);
                    __builtin_prefetch(p0 + i1 + 48 + 256);
                    c0_0f = add_f32x8(c0_0f, x0_0_0);
                }
                {
                    const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 56);
                    c0_0g = add_f32x8(c0_0g, x0_0_0);
                }
            }
        }
        c0_0 = (c0_0 + c0_0a + c0_0b + c0_0c + c0_0d + c0_0e + c0_0f + c0_0g) + c0_0_1;
    }
    y[0] = add_f32x1((f32x1){y[0]}, (f32x1){reduce_add_f32x8(c0_0)})[0];
}

/* y[i0] += p0[i0 i1], i0=3 i1=1696, lanes along i1 */
static void combine_3x1696_2(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_0a = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_0a = splat_f32x8(0.0f);
#pragma GCC unroll 8
    for (int64_t i1 = 0; i1 < 1696; i1 += 16) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            __builtin_prefetch(p0 + i1 + 128);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 200000);
            __builtin_prefetch(p0 + i1 + 200000 + 128);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 400000);
            __builtin_prefetch(p0 + i1 + 400000 + 128);
            c2_0 = add_f32x8(c2_0, x0_2_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 8);
            c0_0a = add_f32x8(c0_0a, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 200008);
            c1_0a = add_f32x8(c1_0a, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 400008);
            c2_0a = add_f32x8(c2_0a, x0_2_0);
        }
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    c1_0 = add_f32x8(c1_0, c1_0a);
    c2_0 = add_f32x8(c2_0, c2_0a);
    y[0] = add_f32x1((f32x1){y[0]}, (f32x1){reduce_add_f32x8(c0_0)})[0];
    y[1] = add_f32x1((f32x1){y[1]}, (f32x1){reduce_add_f32x8(c1_0)})[0];
    y[2] = add_f32x1((f32x1){y[2]}, (f32x1){reduce_add_f32x8(c2_0)})[0];
}

/* y[i0] = add of p0[parts i0], i0=3 parts=2, lanes along i0 */
static void combine_3x2_3(const float *restrict p0, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 2, 1);
    f32x4 c0 = splat_f32x4(0.0f);
    f32x4 c0a = splat_f32x4(0.0f);
    {
        const f32x4 x0_0 = load_tail_f32x4(p0, 3);
        c0 = add_f32x4(c0, x0_0);
    }
    {
        const f32x4 x0_0 = load_tail_f32x4(p0 + 16, 3);
        c0a = add_f32x4(c0a, x0_0);
    }
    c0 = add_f32x4(c0, c0a);
    store_tail_f32x4(y, c0, 3);
}

struct run_14 {
    const float *x0;
    float *parts_1;
};

static void run_14(void *context, int64_t share)
{
    const struct run_14 *const given = context;
    const float *const x0 = given->x0;
    float *const parts_1 = given->parts_1;
    const int64_t tile_2 = share;
    const int64_t i1_3 = tile_2;
    const float *x_4 = x0 + i1_3 * 100000;
    float *parts_5 = parts_1 + i1_3 * 16;
    for (int64_t i0_6 = 0; i0_6 < 3; i0_6++) {
        const float *x_7 = x_4 + i0_6 * 200000;
        float *parts_8 = parts_5 + i0_6;
        combine_1x49152_0(x_7, parts_8);
    }
    {
        const float *x_9 = x_4 + 49152;
        for (int64_t i0_10 = 0; i0_10 < 3; i0_10++) {
            const float *x_11 = x_9 + i0_10 * 200000;
            float *parts_12 = parts_5 + i0_10;
            combine_1x49152_1(x_11, parts_12);
        }
    }
    {
        const float *x_13 = x_4 + 98304;
        combine_3x1696_2(x_13, parts_5);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_sum_aa105b98_check(void)
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

uint32_t griotte_sum_aa105b98_abi(void)
{
    return 0x1592e7d;
}

void griotte_sum_aa105b98(const float *x0, float *y)
{
    float parts_1_own[32] __attribute__((aligned(64)));
    {
        float *const parts_1 = parts_1_own;
        struct run_14 given_15 = {x0, parts_1};
        griotte_share_out(2, 2, run_14, &given_15);
        combine_3x2_3(parts_1, y);
    }
}
