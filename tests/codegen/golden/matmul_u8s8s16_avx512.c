/*
 * matmul(u8[12,30], s8[30,20]) -> s16[12,20]
 *
 * avx512, 1 thread, cycles by the model
 *
 * copy x1 30x20 -> L1, panels of 32 in groups of 4
 *     pack k=30 n=20, lanes along k
 *   registers y 12x20  dot_u8s8 m=12 n=20 k=30, lanes along n
 */
#include <cpuid.h>
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef int16_t s16x16 __attribute__((vector_size(32)));
typedef int16_t s16x16_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef int8_t s8x16 __attribute__((vector_size(16)));
typedef int8_t s8x16_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int8_t s8x32 __attribute__((vector_size(32)));
typedef int8_t s8x4 __attribute__((vector_size(4)));
typedef int8_t s8x64 __attribute__((vector_size(64)));
typedef int8_t s8x64_unaligned __attribute__((vector_size(64), aligned(1), may_alias));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint32_t u32x16 __attribute__((vector_size(64)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x32 __attribute__((vector_size(32)));
typedef uint8_t u8x4 __attribute__((vector_size(4)));
typedef uint8_t u8x4_unaligned __attribute__((vector_size(4), aligned(1), may_alias));
typedef uint8_t u8x64 __attribute__((vector_size(64)));
typedef uint8_t u8x64_unaligned __attribute__((vector_size(64), aligned(1), may_alias));

/* helpers:
 * splat_s32x16, load_u8x4, load_s8x64, hold_s8x64, load_tail_u8x4, add_s32x16, convert_s32_to_s16_x16, store_s16x16,
 * store_tail_s16x16, load_s8x16, join_u8x32, join_u8x64, store_u8x64, load_tail_s8x16 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=12 n=20 k=30, lanes along n */
static void dot_u8s8_12x20x30_0(const uint8_t *restrict p0, const int8_t *restrict p1, int16_t *restrict y)
{
    s32x16 c0_0 = splat_s32x16(0);
    s32x16 c0_1 = splat_s32x16(0);
    s32x16 c1_0 = splat_s32x16(0);
    s32x16 c1_1 = splat_s32x16(0);
    s32x16 c2_0 = splat_s32x16(0);
    s32x16 c2_1 = splat_s32x16(0);
    s32x16 c3_0 = splat_s32x16(0);
    s32x16 c3_1 = splat_s32x16(0);
    s32x16 c4_0 = splat_s32x16(0);
    s32x16 c4_1 = splat_s32x16(0);
    s32x16 c5_0 = splat_s32x16(0);
    s32x16 c5_1 = splat_s32x16(0);
    s32x16 c6_0 = splat_s32x16(0);
    s32x16 c6_1 = splat_s32x16(0);
    s32x16 c7_0 = splat_s32x16(0);
    s32x16 c7_1 = splat_s32x16(0);
    s32x16 c8_0 = splat_s32x16(0);
    s32x16 c8_1 = splat_s32x16(0);
    s32x16 c9_0 = splat_s32x16(0);
    s32x16 c9_1 = splat_s32x16(0);
    s32x16 c10_0 = splat_s32x16(0);
    s32x16 c10_1 = splat_s32x16(0);
    s32x16 c11_0 = splat_s32x16(0);
    s32x16 c11_1 = splat_s32x16(0);
#pragma GCC unroll 2
    for (int64_t k = 0; k < 28; k += 4) {
        {
            const u8x64 x0_0_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k));
            const s8x64 x1_0 = hold_s8x64(load_s8x64(p1 + k * 32));
            c0_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c0_0, (__m512i)x0_0_0, (__m512i)x1_0);
            const s8x64 x1_1 = hold_s8x64(load_s8x64(p1 + k * 32 + 64));
            c0_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c0_1, (__m512i)x0_0_0, (__m512i)x1_1);
            const u8x64 x0_1_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 30));
            c1_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c1_0, (__m512i)x0_1_0, (__m512i)x1_0);
            c1_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c1_1, (__m512i)x0_1_0, (__m512i)x1_1);
            const u8x64 x0_2_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 60));
            c2_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c2_0, (__m512i)x0_2_0, (__m512i)x1_0);
            c2_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c2_1, (__m512i)x0_2_0, (__m512i)x1_1);
            const u8x64 x0_3_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 90));
            c3_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c3_0, (__m512i)x0_3_0, (__m512i)x1_0);
            c3_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c3_1, (__m512i)x0_3_0, (__m512i)x1_1);
            const u8x64 x0_4_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 120));
            c4_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c4_0, (__m512i)x0_4_0, (__m512i)x1_0);
            c4_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c4_1, (__m512i)x0_4_0, (__m512i)x1_1);
            const u8x64 x0_5_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 150));
            c5_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c5_0, (__m512i)x0_5_0, (__m512i)x1_0);
            c5_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c5_1, (__m512i)x0_5_0, (__m512i)x1_1);
            const u8x64 x0_6_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 180));
            c6_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c6_0, (__m512i)x0_6_0, (__m512i)x1_0);
            c6_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c6_1, (__m512i)x0_6_0, (__m512i)x1_1);
            const u8x64 x0_7_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 210));
            c7_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c7_0, (__m512i)x0_7_0, (__m512i)x1_0);
            c7_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c7_1, (__m512i)x0_7_0, (__m512i)x1_1);
            const u8x64 x0_8_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 240));
            c8_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c8_0, (__m512i)x0_8_0, (__m512i)x1_0);
            c8_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c8_1, (__m512i)x0_8_0, (__m512i)x1_1);
            const u8x64 x0_9_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 270));
            c9_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c9_0, (__m512i)x0_9_0, (__m512i)x1_0);
            c9_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c9_1, (__m512i)x0_9_0, (__m512i)x1_1);
            const u8x64 x0_10_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 300));
            c10_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c10_0, (__m512i)x0_10_0, (__m512i)x1_0);
            c10_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c10_1, (__m512i)x0_10_0, (__m512i)x1_1);
            const u8x64 x0_11_0 = (u8x64)splat_s32x16((int32_t)load_u8x4(p0 + k + 330));
            c11_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c11_0, (__m512i)x0_11_0, (__m512i)x1_0);
            c11_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c11_1, (__m512i)x0_11_0, (__m512i)x1_1);
        }
    }
    {
        const u8x64 x0_0_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 28, 2));
        const s8x64 x1_0 = hold_s8x64(load_s8x64(p1 + 896));
        c0_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c0_0, (__m512i)x0_0_0, (__m512i)x1_0);
        const s8x64 x1_1 = hold_s8x64(load_s8x64(p1 + 960));
        c0_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c0_1, (__m512i)x0_0_0, (__m512i)x1_1);
        const u8x64 x0_1_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 58, 2));
        c1_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c1_0, (__m512i)x0_1_0, (__m512i)x1_0);
        c1_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c1_1, (__m512i)x0_1_0, (__m512i)x1_1);
        const u8x64 x0_2_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 88, 2));
        c2_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c2_0, (__m512i)x0_2_0, (__m512i)x1_0);
        c2_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c2_1, (__m512i)x0_2_0, (__m512i)x1_1);
        const u8x64 x0_3_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 118, 2));
        c3_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c3_0, (__m512i)x0_3_0, (__m512i)x1_0);
        c3_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c3_1, (__m512i)x0_3_0, (__m512i)x1_1);
        const u8x64 x0_4_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 148, 2));
        c4_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c4_0, (__m512i)x0_4_0, (__m512i)x1_0);
        c4_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c4_1, (__m512i)x0_4_0, (__m512i)x1_1);
        const u8x64 x0_5_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 178, 2));
        c5_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c5_0, (__m512i)x0_5_0, (__m512i)x1_0);
        c5_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c5_1, (__m512i)x0_5_0, (__m512i)x1_1);
        const u8x64 x0_6_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 208, 2));
        c6_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c6_0, (__m512i)x0_6_0, (__m512i)x1_0);
        c6_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c6_1, (__m512i)x0_6_0, (__m512i)x1_1);
        const u8x64 x0_7_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 238, 2));
        c7_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c7_0, (__m512i)x0_7_0, (__m512i)x1_0);
        c7_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c7_1, (__m512i)x0_7_0, (__m512i)x1_1);
        const u8x64 x0_8_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 268, 2));
        c8_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c8_0, (__m512i)x0_8_0, (__m512i)x1_0);
        c8_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c8_1, (__m512i)x0_8_0, (__m512i)x1_1);
        const u8x64 x0_9_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 298, 2));
        c9_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c9_0, (__m512i)x0_9_0, (__m512i)x1_0);
        c9_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c9_1, (__m512i)x0_9_0, (__m512i)x1_1);
        const u8x64 x0_10_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 328, 2));
        c10_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c10_0, (__m512i)x0_10_0, (__m512i)x1_0);
        c10_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c10_1, (__m512i)x0_10_0, (__m512i)x1_1);
        const u8x64 x0_11_0 = (u8x64)splat_s32x16((int32_t)load_tail_u8x4(p0 + 358, 2));
        c11_0 = (s32x16)_mm512_dpbusd_epi32((__m512i)c11_0, (__m512i)x0_11_0, (__m512i)x1_0);
        c11_1 = (s32x16)_mm512_dpbusd_epi32((__m512i)c11_1, (__m512i)x0_11_0, (__m512i)x1_1);
    }
    store_s16x16(y, convert_s32_to_s16_x16(c0_0));
    store_tail_s16x16(y + 16, convert_s32_to_s16_x16(c0_1), 4);
    store_s16x16(y + 20, convert_s32_to_s16_x16(c1_0));
    store_tail_s16x16(y + 36, convert_s32_to_s16_x16(c1_1), 4);
    store_s16x16(y + 40, convert_s32_to_s16_x16(c2_0));
    store_tail_s16x16(y + 56, convert_s32_to_s16_x16(c2_1), 4);
    store_s16x16(y + 60, convert_s32_to_s16_x16(c3_0));
    store_tail_s16x16(y + 76, convert_s32_to_s16_x16(c3_1), 4);
    store_s16x16(y + 80, convert_s32_to_s16_x16(c4_0));
    store_tail_s16x16(y + 96, convert_s32_to_s16_x16(c4_1), 4);
    store_s16x16(y + 100, convert_s32_to_s16_x16(c5_0));
    store_tail_s16x16(y + 116, convert_s32_to_s16_x16(c5_1), 4);
    store_s16x16(y + 120, convert_s32_to_s16_x16(c6_0));
    store_tail_s16x16(y + 136, convert_s32_to_s16_x16(c6_1), 4);
    store_s16x16(y + 140, convert_s32_to_s16_x16(c7_0));
    store_tail_s16x16(y + 156, convert_s32_to_s16_x16(c7_1), 4);
    store_s16x16(y + 160, convert_s32_to_s16_x16(c8_0));
    store_tail_s16x16(y + 176, convert_s32_to_s16_x16(c8_1), 4);
    store_s16x16(y + 180, convert_s32_to_s16_x16(c9_0));
    store_tail_s16x16(y + 196, convert_s32_to_s16_x16(c9_1), 4);
    store_s16x16(y + 200, convert_s32_to_s16_x16(c10_0));
    store_tail_s16x16(y + 216, convert_s32_to_s16_x16(c10_1), 4);
    store_s16x16(y + 220, convert_s32_to_s16_x16(c11_0));
    store_tail_s16x16(y + 236, convert_s32_to_s16_x16(c11_1), 4);
}

/* y[k n] = p0[k n], k=30 n=20, lanes along k */
static void pack_30x20_1(const int8_t *restrict p0, int8_t *restrict y)
{
    for (int64_t g = 0; g < 7; g++) {
        {
            const int8_t *s = p0 + g * 80;
            int8_t *t = y + g * 128;
            {
                const u8x16 r0 = (u8x16)load_s8x16(s);
                const u8x16 r1 = (u8x16)load_s8x16(s + 20);
                const u8x16 r2 = (u8x16)load_s8x16(s + 40);
                const u8x16 r3 = (u8x16)load_s8x16(s + 60);
                const u32x16 q = (u32x16)join_u8x64(join_u8x32(r0, r1), join_u8x32(r2, r3));
                const u8x64 v = (u8x64)__builtin_shufflevector(q, q, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
                store_u8x64((void *)(t), __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30, 19, 23, 27, 31, 32, 36, 40, 44, 33, 37, 41, 45, 34, 38, 42, 46, 35, 39, 43, 47, 48, 52, 56, 60, 49, 53, 57, 61, 50, 54, 58, 62, 51, 55, 59, 63));
            }
            {
                const u8x16 r0 = (u8x16)load_tail_s8x16(s + 16, 4);
                const u8x16 r1 = (u8x16)load_tail_s8x16(s + 36, 4);
                const u8x16 r2 = (u8x16)load_tail_s8x16(s + 56, 4);
                const u8x16 r3 = (u8x16)load_tail_s8x16(s + 76, 4);
                const u32x16 q = (u32x16)join_u8x64(join_u8x32(r0, r1), join_u8x32(r2, r3));
                const u8x64 v = (u8x64)__builtin_shufflevector(q, q, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
                store_u8x64((void *)(t + 64), __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30, 19, 23, 27, 31, 32, 36, 40, 44, 33, 37, 41, 45, 34, 38, 42, 46, 35, 39, 43, 47, 48, 52, 56, 60, 49, 53, 57, 61, 50, 54, 58, 62, 51, 55, 59, 63));
            }
        }
    }
    {
        const int8_t *s = p0 + 560;
        int8_t *t = y + 896;
        {
            const u8x16 r0 = (u8x16)load_s8x16(s);
            const u8x16 r1 = (u8x16)load_s8x16(s + 20);
            const u8x16 r2 = (u8x16){0};
            const u8x16 r3 = (u8x16){0};
            const u32x16 q = (u32x16)join_u8x64(join_u8x32(r0, r1), join_u8x32(r2, r3));
            const u8x64 v = (u8x64)__builtin_shufflevector(q, q, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            store_u8x64((void *)(t), __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30, 19, 23, 27, 31, 32, 36, 40, 44, 33, 37, 41, 45, 34, 38, 42, 46, 35, 39, 43, 47, 48, 52, 56, 60, 49, 53, 57, 61, 50, 54, 58, 62, 51, 55, 59, 63));
        }
        {
            const u8x16 r0 = (u8x16)load_tail_s8x16(s + 16, 4);
            const u8x16 r1 = (u8x16)load_tail_s8x16(s + 36, 4);
            const u8x16 r2 = (u8x16){0};
            const u8x16 r3 = (u8x16){0};
            const u32x16 q = (u32x16)join_u8x64(join_u8x32(r0, r1), join_u8x32(r2, r3));
            const u8x64 v = (u8x64)__builtin_shufflevector(q, q, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            store_u8x64((void *)(t + 64), __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30, 19, 23, 27, 31, 32, 36, 40, 44, 33, 37, 41, 45, 34, 38, 42, 46, 35, 39, 43, 47, 48, 52, 56, 60, 49, 53, 57, 61, 50, 54, 58, 62, 51, 55, 59, 63));
        }
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_26cf5bd2_check(void)
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

uint32_t griotte_matmul_26cf5bd2_abi(void)
{
    return 0x156121a;
}

void griotte_matmul_26cf5bd2(const uint8_t *x0, const int8_t *x1, int16_t *y)
{
    int8_t packed_1_own[1152] __attribute__((aligned(64)));
    {
        int8_t *const packed_1 = packed_1_own;
        /* copy into panels of 32 in groups of 4, L1 */
        pack_30x20_1(x1, packed_1);
        dot_u8s8_12x20x30_0(x0, packed_1, y);
    }
}
