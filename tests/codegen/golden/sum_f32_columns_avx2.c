/*
 * sum(f32[19,45], axis=0) -> f32[45]
 *
 * avx2, 1 thread, cycles by the model
 *
 * registers y 45  combine i0=19 i1=45, lanes along i1
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
 * splat_f32x8, load_f32x8, add_f32x8, load_f32x4, load_tail_f32x4, join_f32x8, load_tail_f32x8, store_f32x8,
 * lower_f32x8, upper_f32x8, store_f32x4, store_tail_f32x4, store_tail_f32x8 */


/* y[i1] = add of p0[i0 i1], i0=19 i1=45, lanes along i1 */
static void combine_19x45_0(const float *restrict p0, float *restrict y)
{
    f32x8 c0 = splat_f32x8(0.0f);
    f32x8 c1 = splat_f32x8(0.0f);
    f32x8 c2 = splat_f32x8(0.0f);
    f32x8 c3 = splat_f32x8(0.0f);
    f32x8 c4 = splat_f32x8(0.0f);
    f32x8 c5 = splat_f32x8(0.0f);
#pragma GCC unroll 8
    for (int64_t i0 = 0; i0 < 19; i0 += 1) {
        {
            const f32x8 x0_0 = load_f32x8(p0 + i0 * 45);
            c0 = add_f32x8(c0, x0_0);
            const f32x8 x0_1 = load_f32x8(p0 + i0 * 45 + 8);
            c1 = add_f32x8(c1, x0_1);
            const f32x8 x0_2 = load_f32x8(p0 + i0 * 45 + 16);
            c2 = add_f32x8(c2, x0_2);
            const f32x8 x0_3 = load_f32x8(p0 + i0 * 45 + 24);
            c3 = add_f32x8(c3, x0_3);
            const f32x8 x0_4 = load_f32x8(p0 + i0 * 45 + 32);
            c4 = add_f32x8(c4, x0_4);
            const f32x8 x0_5 = load_tail_f32x8(p0 + i0 * 45 + 40, 5);
            c5 = add_f32x8(c5, x0_5);
        }
    }
    store_f32x8(y, c0);
    store_f32x8(y + 8, c1);
    store_f32x8(y + 16, c2);
    store_f32x8(y + 24, c3);
    store_f32x8(y + 32, c4);
    store_tail_f32x8(y + 40, c5, 5);
}

__attribute__((target("general-regs-only"))) const char *griotte_sum_328cb035_check(void)
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

uint32_t griotte_sum_328cb035_abi(void)
{
    return 0x14dcee1;
}

void griotte_sum_328cb035(const float *x0, float *y)
{
    combine_19x45_0(x0, y);
}
