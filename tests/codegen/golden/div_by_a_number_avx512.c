/*
 * div(f32[45], 9) -> f32[45]
 *
 * avx512, 1 thread, cycles by the model
 *
 * map i0=45, lanes along i0
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
 * load_f32x16, splat_u32x16, times_both_f32x16, splat_f32x16, store_f32x16, load_tail_f32x16, store_tail_f32x16 */


/* y[i0] = div(p0[i0], 9), i0=45, lanes along i0 */
static void map_45_0(const float *restrict p0, float *restrict y)
{
    {
        const f32x16 x0 = load_f32x16(p0);
        store_f32x16(y, times_both_f32x16(x0, splat_f32x16(0.1111111044883728f), splat_f32x16(6.622738357719982e-09f), splat_u32x16(1879048192u)));
    }
    {
        const f32x16 x0 = load_f32x16(p0 + 16);
        store_f32x16(y + 16, times_both_f32x16(x0, splat_f32x16(0.1111111044883728f), splat_f32x16(6.622738357719982e-09f), splat_u32x16(1879048192u)));
    }
    {
        const f32x16 x0 = load_tail_f32x16(p0 + 32, 13);
        store_tail_f32x16(y + 32, times_both_f32x16(x0, splat_f32x16(0.1111111044883728f), splat_f32x16(6.622738357719982e-09f), splat_u32x16(1879048192u)), 13);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_map_b878e528_check(void)
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

uint32_t griotte_map_b878e528_abi(void)
{
    return 0x1b2929e;
}

void griotte_map_b878e528(const float *x0, float *y)
{
    map_45_0(x0, y);
}
