/*
 * matmul(f32[33,40], f32[40,50]) -> f32[33,50]
 *
 * narrow, 1 thread, cycles by the model
 *
 * copy x1 40x50 -> memory, panels of 8
 *     pack k=40 n=50, lanes along k
 *   loop n by 48
 *     loop m by 2
 *       copy x0 2x40 -> L2, compact
 *           loop m by 1
 *             map k=40 m=1, lanes along k
 *         loop n by 8
 *           registers y 2x8  multiply_add m=2 n=8 k=40, lanes along n
 *       leftover m 1:
 *         copy x0 1x40 -> L1, compact
 *             map k=40 m=1, lanes along k
 *           view y 1x48 -> L2
 *             loop n by 8
 *               registers y 1x8  multiply_add m=1 n=8 k=40, lanes along n
 *     leftover n 2:
 *       loop k by 16
 *         first:
 *           view x1 16x2 -> L2
 *             loop m by 2
 *               view y 2x2 -> L1
 *                 loop m by 1
 *                   copy x0 1x16 -> L1, compact
 *                       map k=16 m=1, lanes along k
 *                     registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *               leftover m 1:
 *                 copy x0 1x16 -> L1, compact
 *                     map k=16 m=1, lanes along k
 *                   view y 1x2 -> L1
 *                     registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *           view x1 16x2 -> L2
 *             loop m by 2
 *               view y 2x2 -> L1
 *                 loop m by 1
 *                   copy x0 1x16 -> L1, compact
 *                       map k=16 m=1, lanes along k
 *                     registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *               leftover m 1:
 *                 copy x0 1x16 -> L1, compact
 *                     map k=16 m=1, lanes along k
 *                   view y 1x2 -> L1
 *                     registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *         leftover k 8:
 *           view x1 8x2 -> L2
 *             loop m by 24
 *               loop m by 8
 *                 copy x0 8x8 -> L1, compact
 *                     loop m by 1
 *                       map k=8 m=1, lanes along k
 *                   loop m by 3
 *                     view y 3x2 -> L2
 *                       loop m by 2
 *                         registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *                         leftover m 1:
 *                           registers y 1x2  multiply_add m=1 n=2 k=8, lanes along n
 *                     leftover m 2:
 *                       view y 2x2 -> L2
 *                         registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *               leftover m 9:
 *                 loop m by 6
 *                   copy x0 6x8 -> L1, compact
 *                       loop m by 1
 *                         map k=8 m=1, lanes along k
 *                     loop m by 3
 *                       view y 3x2 -> L2
 *                         loop m by 2
 *                           registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *                           leftover m 1:
 *                             registers y 1x2  multiply_add m=1 n=2 k=8, lanes along n
 *                   leftover m 3:
 *                     copy x0 3x8 -> L1, compact
 *                         loop m by 1
 *                           map k=8 m=1, lanes along k
 *                       view y 3x2 -> L2
 *                         loop m by 2
 *                           registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *                           leftover m 1:
 *                             registers y 1x2  multiply_add m=1 n=2 k=8, lanes along n
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
 * splat_f32x8, load_f32x8, hold_f32x8, add_f32x8, store_f32x8, splat_f32x4, load_f32x4, add_f32x4, store_f32x4,
 * store_tail_f32x4, load_tail_f32x4, hold_f32x4, join_f32x8, load_tail_f32x8 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=8 k=40, lanes along n */
static void multiply_add_2x8x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 7, 1);
    __builtin_prefetch(y + 50, 1);
    __builtin_prefetch(y + 57, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
#pragma GCC unroll 24
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 8));
            __builtin_prefetch(p1 + k * 8 + 2048);
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 50, c1_0);
}

/* y[m k] = p0[m k], k=40 m=1, lanes along k */
static void map_40x1_1(const float *restrict p0, float *restrict y)
{
    for (int64_t i = 0; i < 40; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        store_f32x8(y + i, x0);
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=8 k=40, lanes along n */
static void multiply_add_1x8x40_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 7, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
#pragma GCC unroll 20
    for (int64_t k = 0; k < 40; k += 2) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = load_f32x8(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 2048);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k + 1]);
            const f32x8 x1_0 = load_f32x8(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 2056);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    store_f32x8(y, c0_0);
}

/* y[m k] = p0[m k], k=40 m=1, lanes along k */
static void map_40x1_3(const float *restrict p0, float *restrict y)
{
    for (int64_t i = 0; i < 40; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        store_f32x8(y + i, x0);
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=2 k=16, lanes along n */
static void multiply_add_1x2x16_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 1, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 16; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 256);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 264);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[m k] = p0[m k], k=16 m=1, lanes along k */
static void map_16x1_5(const float *restrict p0, float *restrict y)
{
    {
        const f32x8 x0 = load_f32x8(p0);
        store_f32x8(y, x0);
    }
    {
        const f32x8 x0 = load_f32x8(p0 + 8);
        store_f32x8(y + 8, x0);
    }
}

/* y[m n] += mul(p0[m k], p1[k n]), m=1 n=2 k=16, lanes along n */
static void multiply_add_1x2x16_6(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 1, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 16; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 256);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 264);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    c0_0 = add_f32x4(load_tail_f32x4(y, 2), c0_0);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=2 n=2 k=8, lanes along n */
static void multiply_add_2x2x8_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 1, 1);
    __builtin_prefetch(y + 50, 1);
    __builtin_prefetch(y + 51, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 8; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = hold_f32x4(load_f32x4(p1 + k * 8));
            __builtin_prefetch(p1 + k * 8 + 2048);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 8]);
            c1_0 += x0_1_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(load_tail_f32x4(y, 2), c0_0);
    store_tail_f32x4(y, c0_0, 2);
    c1_0 = add_f32x4(load_tail_f32x4(y + 50, 2), c1_0);
    store_tail_f32x4(y + 50, c1_0, 2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=1 n=2 k=8, lanes along n */
static void multiply_add_1x2x8_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 1, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 8; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 256);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 264);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    c0_0 = add_f32x4(load_tail_f32x4(y, 2), c0_0);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=2 n=2 k=8, lanes along n */
static void multiply_add_2x2x8_9(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 1, 1);
    __builtin_prefetch(y + 50, 1);
    __builtin_prefetch(y + 51, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 8; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = hold_f32x4(load_f32x4(p1 + k * 8));
            __builtin_prefetch(p1 + k * 8 + 256);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 8]);
            c1_0 += x0_1_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(load_tail_f32x4(y, 2), c0_0);
    store_tail_f32x4(y, c0_0, 2);
    c1_0 = add_f32x4(load_tail_f32x4(y + 50, 2), c1_0);
    store_tail_f32x4(y + 50, c1_0, 2);
}

/* y[m k] = p0[m k], k=8 m=1, lanes along k */
static void map_8x1_10(const float *restrict p0, float *restrict y)
{
    {
        const f32x8 x0 = load_f32x8(p0);
        store_f32x8(y, x0);
    }
}

/* y[k n] = p0[k n], k=40 n=50, lanes along k */
static void pack_40x50_11(const float *restrict p0, float *restrict y)
{
    for (int64_t b = 0; b < 40; b++) {
        for (int64_t p = 0; p < 6; p++) {
            {
                const float *s = p0 + b * 50 + p * 8;
                float *t = y + b * 8 + p * 320;
                store_f32x8(t, load_f32x8(s));
            }
        }
        {
            const float *s = p0 + b * 50 + 48;
            float *t = y + b * 8 + 1920;
            store_f32x8(t, load_tail_f32x8(s, 2));
        }
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_matmul_fe80b6bd_check(void)
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

uint32_t griotte_matmul_fe80b6bd_abi(void)
{
    return 0x1d88a70;
}

void griotte_matmul_fe80b6bd(const float *x0, const float *x1, float *y)
{
    float local_5_own[80] __attribute__((aligned(64)));
    float packed_1_own[2256] __attribute__((aligned(64)));
    {
        float *const packed_1 = packed_1_own;
        /* copy into panels of 8, memory */
        pack_40x50_11(x1, packed_1);
        for (int64_t m_2 = 0; m_2 < 16; m_2++) {
            const float *x_3 = x0 + m_2 * 80;
            float *y_4 = y + m_2 * 100;
            {
                float *const local_5 = local_5_own;
                /* copy into compact, L2 */
                for (int64_t m_9 = 0; m_9 < 2; m_9++) {
                    const float *x_10 = x_3 + m_9 * 40;
                    float *local_11 = local_5 + m_9 * 40;
                    map_40x1_1(x_10, local_11);
                }
                for (int64_t n_6 = 0; n_6 < 6; n_6++) {
                    const float *packed_7 = packed_1 + n_6 * 320;
                    float *y_8 = y_4 + n_6 * 8;
                    multiply_add_2x8x40_0(local_5, packed_7, y_8);
                }
            }
        }
        {
            const float *x_12 = x0 + 1280;
            float *y_13 = y + 1600;
            {
                float *const local_14 = local_5_own;
                /* copy into compact, L1 */
                map_40x1_3(x_12, local_14);
                for (int64_t n_15 = 0; n_15 < 6; n_15++) {
                    const float *packed_16 = packed_1 + n_15 * 320;
                    float *y_17 = y_13 + n_15 * 8;
                    multiply_add_1x8x40_2(local_14, packed_16, y_17);
                }
            }
        }
        {
            const float *packed_18 = packed_1 + 1920;
            float *y_19 = y + 48;
            for (int64_t m_20 = 0; m_20 < 16; m_20++) {
                const float *x_21 = x0 + m_20 * 80;
                float *y_22 = y_19 + m_20 * 100;
                for (int64_t m_23 = 0; m_23 < 2; m_23++) {
                    const float *x_24 = x_21 + m_23 * 40;
                    float *y_25 = y_22 + m_23 * 50;
                    {
                        float *const local_26 = local_5_own;
                        /* copy into compact, L1 */
                        map_16x1_5(x_24, local_26);
                        multiply_add_1x2x16_4(local_26, packed_18, y_25);
                    }
                }
            }
            {
                const float *x_27 = x0 + 1280;
                float *y_28 = y_19 + 1600;
                {
                    float *const local_29 = local_5_own;
                    /* copy into compact, L1 */
                    map_16x1_5(x_27, local_29);
                    multiply_add_1x2x16_4(local_29, packed_18, y_28);
                }
            }
            {
                const float *x_30 = x0 + 16;
                const float *packed_31 = packed_18 + 128;
                for (int64_t m_32 = 0; m_32 < 16; m_32++) {
                    const float *x_33 = x_30 + m_32 * 80;
                    float *y_34 = y_19 + m_32 * 100;
                    for (int64_t m_35 = 0; m_35 < 2; m_35++) {
                        const float *x_36 = x_33 + m_35 * 40;
                        float *y_37 = y_34 + m_35 * 50;
                        {
                            float *const local_38 = local_5_own;
                            /* copy into compact, L1 */
                            map_16x1_5(x_36, local_38);
                            multiply_add_1x2x16_6(local_38, packed_31, y_37);
                        }
                    }
                }
                {
                    const float *x_39 = x_30 + 1280;
                    float *y_40 = y_19 + 1600;
                    {
                        float *const local_41 = local_5_own;
                        /* copy into compact, L1 */
                        map_16x1_5(x_39, local_41);
                        multiply_add_1x2x16_6(local_41, packed_31, y_40);
                    }
                }
            }
            {
                const float *x_42 = x0 + 32;
                const float *packed_43 = packed_18 + 256;
                {
                    float *const local_44 = local_5_own;
                    /* copy into compact, L1 */
                    for (int64_t m_53 = 0; m_53 < 8; m_53++) {
                        const float *x_54 = x_42 + m_53 * 40;
                        float *local_55 = local_44 + m_53 * 8;
                        map_8x1_10(x_54, local_55);
                    }
                    multiply_add_2x2x8_7(local_44, packed_43, y_19);
                    {
                        const float *local_45 = local_44 + 16;
                        float *y_46 = y_19 + 100;
                        multiply_add_1x2x8_8(local_45, packed_43, y_46);
                    }
                    {
                        const float *local_47 = local_44 + 24;
                        float *y_48 = y_19 + 150;
                        multiply_add_2x2x8_9(local_47, packed_43, y_48);
                        {
                            const float *local_49 = local_47 + 16;
                            float *y_50 = y_48 + 100;
                            multiply_add_1x2x8_8(local_49, packed_43, y_50);
                        }
                    }
                    {
                        const float *local_51 = local_44 + 48;
                        float *y_52 = y_19 + 300;
                        multiply_add_2x2x8_9(local_51, packed_43, y_52);
                    }
                }
                for (int64_t m_56 = 1; m_56 < 3; m_56++) {
                    const float *x_57 = x_42 + m_56 * 320;
                    float *y_58 = y_19 + m_56 * 400;
                    {
                        float *const local_59 = local_5_own;
                        /* copy into compact, L1 */
                        for (int64_t m_67 = 0; m_67 < 8; m_67++) {
                            const float *x_68 = x_57 + m_67 * 40;
                            float *local_69 = local_59 + m_67 * 8;
                            map_8x1_10(x_68, local_69);
                        }
                        for (int64_t m_60 = 0; m_60 < 2; m_60++) {
                            const float *local_61 = local_59 + m_60 * 24;
                            float *y_62 = y_58 + m_60 * 150;
                            multiply_add_2x2x8_9(local_61, packed_43, y_62);
                            {
                                const float *local_63 = local_61 + 16;
                                float *y_64 = y_62 + 100;
                                multiply_add_1x2x8_8(local_63, packed_43, y_64);
                            }
                        }
                        {
                            const float *local_65 = local_59 + 48;
                            float *y_66 = y_58 + 300;
                            multiply_add_2x2x8_9(local_65, packed_43, y_66);
                        }
                    }
                }
                {
                    const float *x_70 = x_42 + 960;
                    float *y_71 = y_19 + 1200;
                    {
                        float *const local_72 = local_5_own;
                        /* copy into compact, L1 */
                        for (int64_t m_78 = 0; m_78 < 6; m_78++) {
                            const float *x_79 = x_70 + m_78 * 40;
                            float *local_80 = local_72 + m_78 * 8;
                            map_8x1_10(x_79, local_80);
                        }
                        for (int64_t m_73 = 0; m_73 < 2; m_73++) {
                            const float *local_74 = local_72 + m_73 * 24;
                            float *y_75 = y_71 + m_73 * 150;
                            multiply_add_2x2x8_9(local_74, packed_43, y_75);
                            {
                                const float *local_76 = local_74 + 16;
                                float *y_77 = y_75 + 100;
                                multiply_add_1x2x8_8(local_76, packed_43, y_77);
                            }
                        }
                    }
                    {
                        const float *x_81 = x_70 + 240;
                        float *y_82 = y_71 + 300;
                        {
                            float *const local_83 = local_5_own;
                            /* copy into compact, L1 */
                            for (int64_t m_86 = 0; m_86 < 3; m_86++) {
                                const float *x_87 = x_81 + m_86 * 40;
                                float *local_88 = local_83 + m_86 * 8;
                                map_8x1_10(x_87, local_88);
                            }
                            multiply_add_2x2x8_9(local_83, packed_43, y_82);
                            {
                                const float *local_84 = local_83 + 16;
                                float *y_85 = y_82 + 100;
                                multiply_add_1x2x8_8(local_84, packed_43, y_85);
                            }
                        }
                    }
                }
            }
        }
    }
}
