/*
 * gelu(bf16[77]) -> bf16[77]
 *
 * avx512, 1 thread, cycles by the model
 *
 * map i0=77, lanes along i0
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x16 __attribute__((vector_size(64)));
typedef int16_t s16x16 __attribute__((vector_size(32)));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x16_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t u32x16 __attribute__((vector_size(64)));

/* helpers:
 * convert_u16_to_u32_x16, convert_bf16_to_f32_x16, load_u16x16, any_below_f32x16, at_most_f32x16, abs_f32x16,
 * square_f32x16, square_low_f32x16, look_up_f32x16, and_more_f32x16, cleared_f32x16, ratio_f32x16, at_least_f32x16,
 * select_lt_f32x16, blend_f32x16, with_sign_f32x16, settle_f32x16, gelu_wide_f32x16, scale_near_f32x16, gelu_f32x16,
 * hold_f32x16, convert_f32_to_bf16_x16, store_u16x16, load_tail_u16x16, store_tail_u16x16 */


/* y[i0] = gelu(p0[i0]), i0=77, lanes along i0 */
static void map_77_0(const uint16_t *restrict p0, uint16_t *restrict y)
{
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0));
        store_u16x16(y, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 16));
        store_u16x16(y + 16, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 32));
        store_u16x16(y + 32, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 48));
        store_u16x16(y + 48, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 64, 13));
        store_tail_u16x16(y + 64, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))), 13);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_gelu_1e2d13f4_check(void)
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

uint32_t griotte_gelu_1e2d13f4_abi(void)
{
    return 0x10b91f2;
}

void griotte_gelu_1e2d13f4(const uint16_t *x0, uint16_t *y)
{
    map_77_0(x0, y);
}
