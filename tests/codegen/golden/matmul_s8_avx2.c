/*
 * matmul(s8[12,30], s8[30,20]) -> s32[12,20]
 *
 * avx2, 1 thread, cycles by the model
 *
 * copy x0 12x30 -> L1, compact as s16
 *     loop m by 1
 *       map k=30 m=1, lanes along k
 *   copy x1 30x20 -> L1, panels of 24 in groups of 2
 *       pack k=30 n=20, lanes along k
 *     loop n by 8
 *       registers y 12x8  madd_s16s8 m=12 n=8 k=30, lanes along n
 *       leftover n 4:
 *         registers y 12x4  madd_s16s8 m=12 n=4 k=30, lanes along n
 */
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef int16_t s16x16 __attribute__((vector_size(32)));
typedef int16_t s16x16_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int16_t s16x2 __attribute__((vector_size(4)));
typedef int16_t s16x2_unaligned __attribute__((vector_size(4), aligned(1), may_alias));
typedef int16_t s16x8 __attribute__((vector_size(16)));
typedef int16_t s16x8_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef int32_t s32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef int8_t s8x16 __attribute__((vector_size(16)));
typedef int8_t s8x16_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int8_t s8x8 __attribute__((vector_size(8)));
typedef int8_t s8x8_unaligned __attribute__((vector_size(8), aligned(1), may_alias));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x2 __attribute__((vector_size(4)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x16_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t u8x8 __attribute__((vector_size(8)));

/* helpers:
 * splat_s32x8, load_s16x2, load_s8x16, convert_s8_to_s16_x16, hold_s16x16, add_s32x8, store_s32x8, lower_s32x8,
 * upper_s32x8, store_s32x4, store_tail_s32x4, store_tail_s32x8, load_s8x8, join_u8x16, store_u8x16, load_tail_s8x8,
 * store_s16x16, load_tail_s8x16, lower_s16x16, upper_s16x16, store_s16x8, store_tail_s16x8, store_tail_s16x16 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=8 k=30, lanes along n */
static void madd_s16s8_12x8x30_0(const int16_t *restrict p0, const int8_t *restrict p1, int32_t *restrict y)
{
    s32x8 c0_0 = splat_s32x8(0);
    s32x8 c1_0 = splat_s32x8(0);
    s32x8 c2_0 = splat_s32x8(0);
    s32x8 c3_0 = splat_s32x8(0);
    s32x8 c4_0 = splat_s32x8(0);
    s32x8 c5_0 = splat_s32x8(0);
    s32x8 c6_0 = splat_s32x8(0);
    s32x8 c7_0 = splat_s32x8(0);
    s32x8 c8_0 = splat_s32x8(0);
    s32x8 c9_0 = splat_s32x8(0);
    s32x8 c10_0 = splat_s32x8(0);
    s32x8 c11_0 = splat_s32x8(0);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 30; k += 2) {
        {
            const s16x16 x0_0_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k));
            const s16x16 x1_0 = hold_s16x16(convert_s8_to_s16_x16(load_s8x16(p1 + k * 24)));
            c0_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_0_0, (__m256i)x1_0);
            const s16x16 x0_1_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 30));
            c1_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_1_0, (__m256i)x1_0);
            const s16x16 x0_2_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 60));
            c2_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_2_0, (__m256i)x1_0);
            const s16x16 x0_3_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 90));
            c3_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_3_0, (__m256i)x1_0);
            const s16x16 x0_4_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 120));
            c4_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_4_0, (__m256i)x1_0);
            const s16x16 x0_5_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 150));
            c5_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_5_0, (__m256i)x1_0);
            const s16x16 x0_6_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 180));
            c6_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_6_0, (__m256i)x1_0);
            const s16x16 x0_7_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 210));
            c7_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_7_0, (__m256i)x1_0);
            const s16x16 x0_8_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 240));
            c8_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_8_0, (__m256i)x1_0);
            const s16x16 x0_9_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 270));
            c9_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_9_0, (__m256i)x1_0);
            const s16x16 x0_10_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 300));
            c10_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_10_0, (__m256i)x1_0);
            const s16x16 x0_11_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 330));
            c11_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_11_0, (__m256i)x1_0);
        }
    }
    store_s32x8(y, c0_0);
    store_s32x8(y + 20, c1_0);
    store_s32x8(y + 40, c2_0);
    store_s32x8(y + 60, c3_0);
    store_s32x8(y + 80, c4_0);
    store_s32x8(y + 100, c5_0);
    store_s32x8(y + 120, c6_0);
    store_s32x8(y + 140, c7_0);
    store_s32x8(y + 160, c8_0);
    store_s32x8(y + 180, c9_0);
    store_s32x8(y + 200, c10_0);
    store_s32x8(y + 220, c11_0);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=4 k=30, lanes along n */
static void madd_s16s8_12x4x30_1(const int16_t *restrict p0, const int8_t *restrict p1, int32_t *restrict y)
{
    s32x8 c0_0 = splat_s32x8(0);
    s32x8 c1_0 = splat_s32x8(0);
    s32x8 c2_0 = splat_s32x8(0);
    s32x8 c3_0 = splat_s32x8(0);
    s32x8 c4_0 = splat_s32x8(0);
    s32x8 c5_0 = splat_s32x8(0);
    s32x8 c6_0 = splat_s32x8(0);
    s32x8 c7_0 = splat_s32x8(0);
    s32x8 c8_0 = splat_s32x8(0);
    s32x8 c9_0 = splat_s32x8(0);
    s32x8 c10_0 = splat_s32x8(0);
    s32x8 c11_0 = splat_s32x8(0);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 30; k += 2) {
        {
            const s16x16 x0_0_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k));
            const s16x16 x1_0 = hold_s16x16(convert_s8_to_s16_x16(load_s8x16(p1 + k * 24)));
            c0_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_0_0, (__m256i)x1_0);
            const s16x16 x0_1_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 30));
            c1_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_1_0, (__m256i)x1_0);
            const s16x16 x0_2_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 60));
            c2_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_2_0, (__m256i)x1_0);
            const s16x16 x0_3_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 90));
            c3_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_3_0, (__m256i)x1_0);
            const s16x16 x0_4_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 120));
            c4_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_4_0, (__m256i)x1_0);
            const s16x16 x0_5_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 150));
            c5_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_5_0, (__m256i)x1_0);
            const s16x16 x0_6_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 180));
            c6_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_6_0, (__m256i)x1_0);
            const s16x16 x0_7_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 210));
            c7_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_7_0, (__m256i)x1_0);
            const s16x16 x0_8_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 240));
            c8_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_8_0, (__m256i)x1_0);
            const s16x16 x0_9_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 270));
            c9_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_9_0, (__m256i)x1_0);
            const s16x16 x0_10_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 300));
            c10_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_10_0, (__m256i)x1_0);
            const s16x16 x0_11_0 = (s16x16)splat_s32x8((int32_t)load_s16x2(p0 + k + 330));
            c11_0 += (s32x8)_mm256_madd_epi16((__m256i)x0_11_0, (__m256i)x1_0);
        }
    }
    store_tail_s32x8(y, c0_0, 4);
    store_tail_s32x8(y + 20, c1_0, 4);
    store_tail_s32x8(y + 40, c2_0, 4);
    store_tail_s32x8(y + 60, c3_0, 4);
    store_tail_s32x8(y + 80, c4_0, 4);
    store_tail_s32x8(y + 100, c5_0, 4);
    store_tail_s32x8(y + 120, c6_0, 4);
    store_tail_s32x8(y + 140, c7_0, 4);
    store_tail_s32x8(y + 160, c8_0, 4);
    store_tail_s32x8(y + 180, c9_0, 4);
    store_tail_s32x8(y + 200, c10_0, 4);
    store_tail_s32x8(y + 220, c11_0, 4);
}

/* y[k n] = p0[k n], k=30 n=20, lanes along k */
static void pack_30x20_2(const int8_t *restrict p0, int8_t *restrict y)
{
    for (int64_t g = 0; g < 15; g++) {
        {
            const int8_t *s = p0 + g * 40;
            int8_t *t = y + g * 48;
            {
                const u8x8 r0 = (u8x8)load_s8x8(s);
                const u8x8 r1 = (u8x8)load_s8x8(s + 20);
                const u8x16 v = (u8x16)join_u8x16(r0, r1);
                store_u8x16((void *)(t), __builtin_shufflevector(v, v, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
            }
            {
                const u8x8 r0 = (u8x8)load_s8x8(s + 8);
                const u8x8 r1 = (u8x8)load_s8x8(s + 28);
                const u8x16 v = (u8x16)join_u8x16(r0, r1);
                store_u8x16((void *)(t + 16), __builtin_shufflevector(v, v, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
            }
            {
                const u8x8 r0 = (u8x8)load_tail_s8x8(s + 16, 4);
                const u8x8 r1 = (u8x8)load_tail_s8x8(s + 36, 4);
                const u8x16 v = (u8x16)join_u8x16(r0, r1);
                store_u8x16((void *)(t + 32), __builtin_shufflevector(v, v, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
            }
        }
    }
}

/* y[m k] = p0[m k], k=30 m=1, lanes along k */
static void map_30x1_3(const int8_t *restrict p0, int16_t *restrict y)
{
    {
        const s8x16 x0 = load_s8x16(p0);
        store_s16x16(y, convert_s8_to_s16_x16(x0));
    }
    {
        const s8x16 x0 = load_tail_s8x16(p0 + 16, 14);
        store_tail_s16x16(y + 16, convert_s8_to_s16_x16(x0), 14);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_2fea30f9_check(void)
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

uint32_t griotte_matmul_2fea30f9_abi(void)
{
    return 0x164a2b8;
}

void griotte_matmul_2fea30f9(const int8_t *x0, const int8_t *x1, int32_t *y)
{
    int16_t local_1_own[360] __attribute__((aligned(64)));
    int8_t packed_2_own[784] __attribute__((aligned(64)));
    {
        int16_t *const local_1 = local_1_own;
        /* copy into compact, L1 */
        for (int64_t m_8 = 0; m_8 < 12; m_8++) {
            const int8_t *x_9 = x0 + m_8 * 30;
            int16_t *local_10 = local_1 + m_8 * 30;
            map_30x1_3(x_9, local_10);
        }
        {
            int8_t *const packed_2 = packed_2_own;
            /* copy into panels of 24 in groups of 2, L1 */
            pack_30x20_2(x1, packed_2);
            for (int64_t n_3 = 0; n_3 < 2; n_3++) {
                const int8_t *packed_4 = packed_2 + n_3 * 16;
                int32_t *y_5 = y + n_3 * 8;
                madd_s16s8_12x8x30_0(local_1, packed_4, y_5);
            }
            {
                const int8_t *packed_6 = packed_2 + 32;
                int32_t *y_7 = y + 16;
                madd_s16s8_12x4x30_1(local_1, packed_6, y_7);
            }
        }
    }
}
