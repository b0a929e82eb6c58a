/*
 * matmul(f32[33,40], f32[40,50]) -> f32[33,50]
 *
 * narrow, 1 thread, cycles by the model
 *
 * loop n by 48
 *   copy x1 40x48 -> memory, panels of 8
 *       pack k=40 n=48, lanes along k
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
 *   leftover n 2:
 *     loop k by 16
 *       first:
 *         copy x1 16x2 -> L2, panels of 8
 *             pack k=16 n=2, lanes along k
 *           loop m by 2
 *             view y 2x2 -> L1
 *               loop m by 1
 *                 copy x0 1x16 -> L1, compact
 *                     map k=16 m=1, lanes along k
 *                   registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *             leftover m 1:
 *               copy x0 1x16 -> L1, compact
 *                   map k=16 m=1, lanes along k
 *                 view y 1x2 -> L1
 *                   registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *         copy x1 16x2 -> L2, panels of 8
 *             pack k=16 n=2, lanes along k
 *           loop m by 2
 *             view y 2x2 -> L1
 *               loop m by 1
 *                 copy x0 1x16 -> L1, compact
 *                     map k=16 m=1, lanes along k
 *                   registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *             leftover m 1:
 *               copy x0 1x16 -> L1, compact
 *                   map k=16 m=1, lanes along k
 *                 view y 1x2 -> L1
 *                   registers y 1x2  multiply_add m=1 n=2 k=16, lanes along n
 *       leftover k 8:
 *         copy x1 8x2 -> L1, panels of 8
 *             pack k=8 n=2, lanes along k
 *           loop m by 24
 *             loop m by 4
 *               copy x0 4x8 -> L2, compact
 *                   loop m by 1
 *                     map k=8 m=1, lanes along k
 *                 view y 4x2 -> L2
 *                   loop m by 2
 *                     registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *             leftover m 9:
 *               loop m by 5
 *                 view y 5x2 -> L2
 *                   loop m by 3
 *                     copy x0 3x8 -> L2, compact
 *                         loop m by 1
 *                           map k=8 m=1, lanes along k
 *                       loop m by 2
 *                         registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *                         leftover m 1:
 *                           registers y 1x2  multiply_add m=1 n=2 k=8, lanes along n
 *                     leftover m 2:
 *                       copy x0 2x8 -> L2, compact
 *                           loop m by 1
 *                             map k=8 m=1, lanes along k
 *                         registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 *                 leftover m 4:
 *                   copy x0 4x8 -> L2, compact
 *                       loop m by 1
 *                         map k=8 m=1, lanes along k
 *                     view y 4x2 -> L2
 *                       loop m by 2
 *                         registers y 2x2  multiply_add m=2 n=2 k=8, lanes along n
 */
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
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

static inline __attribute__((always_inline, unused)) f32x8 splat_f32x8(float x)
{
    return (f32x8){x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x8 load_f32x8(const float *p)
{
    return *(const f32x8_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x8 add_f32x8(f32x8 x, f32x8 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x4 splat_f32x4(float x)
{
    return (f32x4){x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x4 add_f32x4(f32x4 x, f32x4 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x4(float *p, f32x4 v, int n)
{
    _mm_maskstore_epi32((int *)p, (__m128i)((s32x4){0, 1, 2, 3} < n), (__m128i)v);
}

static inline __attribute__((always_inline, unused)) f32x8 load_tail_f32x8(const float *p, int n)
{
    return (f32x8)_mm256_maskload_epi32((const int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n));
}

static inline __attribute__((always_inline, unused)) f32x4 load_tail_f32x4(const float *p, int n)
{
    return (f32x4)_mm_maskload_epi32((const int *)p, (__m128i)((s32x4){0, 1, 2, 3} < n));
}


static _Thread_local float packed_1_scratch[1936] __attribute__((aligned(64)));
static _Thread_local float local_5_scratch[80] __attribute__((aligned(64)));
static _Thread_local float local_14_scratch[40] __attribute__((aligned(64)));
static _Thread_local float packed_20_scratch[144] __attribute__((aligned(64)));
static _Thread_local float local_27_scratch[16] __attribute__((aligned(64)));
static _Thread_local float local_30_scratch[16] __attribute__((aligned(64)));
static _Thread_local float packed_33_scratch[144] __attribute__((aligned(64)));
static _Thread_local float local_40_scratch[16] __attribute__((aligned(64)));
static _Thread_local float local_43_scratch[16] __attribute__((aligned(64)));
static _Thread_local float packed_46_scratch[80] __attribute__((aligned(64)));
static _Thread_local float local_50_scratch[32] __attribute__((aligned(64)));
static _Thread_local float local_59_scratch[24] __attribute__((aligned(64)));
static _Thread_local float local_67_scratch[16] __attribute__((aligned(64)));
static _Thread_local float local_73_scratch[32] __attribute__((aligned(64)));

/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=8 k=40, lanes along n */
static void multiply_add_2x8x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = load_f32x8(p1 + k * 8);
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
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
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

/* y[k n] = p0[k n], k=40 n=48, lanes along k */
static void pack_40x48_4(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 40; i0++) {
        for (int64_t p = 0; p < 6; p++) {
            {
                const float *s = p0 + i0 * 50 + p * 8;
                float *t = y + i0 * 8 + p * 320;
                __builtin_prefetch(s + 128);
                store_f32x8(t, load_f32x8(s));
            }
        }
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=2 k=16, lanes along n */
static void multiply_add_1x2x16_5(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 16; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 2048);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 2056);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[m k] = p0[m k], k=16 m=1, lanes along k */
static void map_16x1_6(const float *restrict p0, float *restrict y)
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

/* y[k n] = p0[k n], k=16 n=2, lanes along k */
static void pack_16x2_7(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 16; i0++) {
        {
            const float *s = p0 + i0 * 50;
            float *t = y + i0 * 8;
            store_f32x8(t, load_tail_f32x8(s, 2));
        }
    }
}

/* y[m n] += mul(p0[m k], p1[k n]), m=1 n=2 k=16, lanes along n */
static void multiply_add_1x2x16_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 16; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 2048);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 2056);
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
    f32x4 c0_0 = splat_f32x4(0.0f);
    __builtin_prefetch(y + 50, 1);
    f32x4 c1_0 = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 8; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
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

/* y[m n] += mul(p0[m k], p1[k n]), m=1 n=2 k=8, lanes along n */
static void multiply_add_1x2x8_11(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 8; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    c0_0 = add_f32x4(load_tail_f32x4(y, 2), c0_0);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[k n] = p0[k n], k=8 n=2, lanes along k */
static void pack_8x2_12(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 8; i0++) {
        {
            const float *s = p0 + i0 * 50;
            float *t = y + i0 * 8;
            store_f32x8(t, load_tail_f32x8(s, 2));
        }
    }
}

void griotte_matmul_fe80b6bd(const float *x0, const float *x1, float *y)
{
    {
        float *const packed_1 = packed_1_scratch;
        /* copy into panels of 8, memory */
        pack_40x48_4(x1, packed_1);
        for (int64_t m_2 = 0; m_2 < 16; m_2++) {
            const float *x_3 = x0 + m_2 * 80;
            float *y_4 = y + m_2 * 100;
            {
                float *const local_5 = local_5_scratch;
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
                float *const local_14 = local_14_scratch;
                /* copy into compact, L1 */
                map_40x1_3(x_12, local_14);
                for (int64_t n_15 = 0; n_15 < 6; n_15++) {
                    const float *packed_16 = packed_1 + n_15 * 320;
                    float *y_17 = y_13 + n_15 * 8;
                    multiply_add_1x8x40_2(local_14, packed_16, y_17);
                }
            }
        }
    }
    {
        const float *x_18 = x1 + 48;
        float *y_19 = y + 48;
        {
            float *const packed_20 = packed_20_scratch;
            /* copy into panels of 8, L2 */
            pack_16x2_7(x_18, packed_20);
            for (int64_t m_21 = 0; m_21 < 16; m_21++) {
                const float *x_22 = x0 + m_21 * 80;
                float *y_23 = y_19 + m_21 * 100;
                for (int64_t m_24 = 0; m_24 < 2; m_24++) {
                    const float *x_25 = x_22 + m_24 * 40;
                    float *y_26 = y_23 + m_24 * 50;
                    {
                        float *const local_27 = local_27_scratch;
                        /* copy into compact, L1 */
                        map_16x1_6(x_25, local_27);
                        multiply_add_1x2x16_5(local_27, packed_20, y_26);
                    }
                }
            }
            {
                const float *x_28 = x0 + 1280;
                float *y_29 = y_19 + 1600;
                {
                    float *const local_30 = local_30_scratch;
                    /* copy into compact, L1 */
                    map_16x1_6(x_28, local_30);
                    multiply_add_1x2x16_5(local_30, packed_20, y_29);
                }
            }
        }
        {
            const float *x_31 = x0 + 16;
            const float *x_32 = x_18 + 800;
            {
                float *const packed_33 = packed_33_scratch;
                /* copy into panels of 8, L2 */
                pack_16x2_7(x_32, packed_33);
                for (int64_t m_34 = 0; m_34 < 16; m_34++) {
                    const float *x_35 = x_31 + m_34 * 80;
                    float *y_36 = y_19 + m_34 * 100;
                    for (int64_t m_37 = 0; m_37 < 2; m_37++) {
                        const float *x_38 = x_35 + m_37 * 40;
                        float *y_39 = y_36 + m_37 * 50;
                        {
                            float *const local_40 = local_40_scratch;
                            /* copy into compact, L1 */
                            map_16x1_6(x_38, local_40);
                            multiply_add_1x2x16_8(local_40, packed_33, y_39);
                        }
                    }
                }
                {
                    const float *x_41 = x_31 + 1280;
                    float *y_42 = y_19 + 1600;
                    {
                        float *const local_43 = local_43_scratch;
                        /* copy into compact, L1 */
                        map_16x1_6(x_41, local_43);
                        multiply_add_1x2x16_8(local_43, packed_33, y_42);
                    }
                }
            }
        }
        {
            const float *x_44 = x0 + 32;
            const float *x_45 = x_18 + 1600;
            {
                float *const packed_46 = packed_46_scratch;
                /* copy into panels of 8, L1 */
                pack_8x2_12(x_45, packed_46);
                for (int64_t m_47 = 0; m_47 < 6; m_47++) {
                    const float *x_48 = x_44 + m_47 * 160;
                    float *y_49 = y_19 + m_47 * 200;
                    {
                        float *const local_50 = local_50_scratch;
                        /* copy into compact, L2 */
                        for (int64_t m_54 = 0; m_54 < 4; m_54++) {
                            const float *x_55 = x_48 + m_54 * 40;
                            float *local_56 = local_50 + m_54 * 8;
                            map_8x1_10(x_55, local_56);
                        }
                        for (int64_t m_51 = 0; m_51 < 2; m_51++) {
                            const float *local_52 = local_50 + m_51 * 16;
                            float *y_53 = y_49 + m_51 * 100;
                            multiply_add_2x2x8_9(local_52, packed_46, y_53);
                        }
                    }
                }
                {
                    const float *x_57 = x_44 + 960;
                    float *y_58 = y_19 + 1200;
                    {
                        float *const local_59 = local_59_scratch;
                        /* copy into compact, L2 */
                        for (int64_t m_62 = 0; m_62 < 3; m_62++) {
                            const float *x_63 = x_57 + m_62 * 40;
                            float *local_64 = local_59 + m_62 * 8;
                            map_8x1_10(x_63, local_64);
                        }
                        multiply_add_2x2x8_9(local_59, packed_46, y_58);
                        {
                            const float *local_60 = local_59 + 16;
                            float *y_61 = y_58 + 100;
                            multiply_add_1x2x8_11(local_60, packed_46, y_61);
                        }
                    }
                    {
                        const float *x_65 = x_57 + 120;
                        float *y_66 = y_58 + 150;
                        {
                            float *const local_67 = local_67_scratch;
                            /* copy into compact, L2 */
                            for (int64_t m_68 = 0; m_68 < 2; m_68++) {
                                const float *x_69 = x_65 + m_68 * 40;
                                float *local_70 = local_67 + m_68 * 8;
                                map_8x1_10(x_69, local_70);
                            }
                            multiply_add_2x2x8_9(local_67, packed_46, y_66);
                        }
                    }
                    {
                        const float *x_71 = x_57 + 200;
                        float *y_72 = y_58 + 250;
                        {
                            float *const local_73 = local_73_scratch;
                            /* copy into compact, L2 */
                            for (int64_t m_77 = 0; m_77 < 4; m_77++) {
                                const float *x_78 = x_71 + m_77 * 40;
                                float *local_79 = local_73 + m_77 * 8;
                                map_8x1_10(x_78, local_79);
                            }
                            for (int64_t m_74 = 0; m_74 < 2; m_74++) {
                                const float *local_75 = local_73 + m_74 * 16;
                                float *y_76 = y_72 + m_74 * 100;
                                multiply_add_2x2x8_9(local_75, packed_46, y_76);
                            }
                        }
                    }
                }
            }
        }
    }
}
