/*
 * matmul(f32[33,40], f32[40,50]) -> f32[33,50]
 *
 * narrow, 1 thread, cycles by the model
 *
 * copy x1 40x50 -> memory, panels of 8
 *     pack k=40 n=50, lanes along k
 *   loop n by 32
 *     loop m by 2
 *       copy x0 2x40 -> L2, compact
 *           loop m by 1
 *             map k=40 m=1, lanes along k
 *         loop n by 8
 *           registers y 2x8  multiply_add m=2 n=8 k=40, lanes along n
 *       leftover m 1:
 *         copy x0 1x40 -> L1, compact
 *             map k=40 m=1, lanes along k
 *           view y 1x32 -> L2
 *             loop n by 8
 *               registers y 1x8  multiply_add m=1 n=8 k=40, lanes along n
 *     leftover n 18:
 *       loop k by 5
 *         first:
 *           view x1 5x18 -> L2
 *             loop m by 3
 *               copy x0 3x5 -> L1, compact
 *                   loop m by 1
 *                     map k=5 m=1, lanes along k
 *                 loop m by 1
 *                   view y 1x18 -> L1
 *                     loop n by 8
 *                       registers y 1x8  multiply_add m=1 n=8 k=5, lanes along n
 *                       leftover n 2:
 *                         registers y 1x2  multiply_add m=1 n=2 k=5, lanes along n
 *           view x1 5x18 -> L2
 *             loop m by 3
 *               copy x0 3x5 -> L1, compact
 *                   loop m by 1
 *                     map k=5 m=1, lanes along k
 *                 loop m by 1
 *                   view y 1x18 -> L1
 *                     loop n by 8
 *                       registers y 1x8  multiply_add m=1 n=8 k=5, lanes along n
 *                       leftover n 2:
 *                         registers y 1x2  multiply_add m=1 n=2 k=5, lanes along n
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

static inline __attribute__((always_inline, unused)) f32x8 hold_f32x8(f32x8 x)
{
    __asm__("" : "+x"(x));
    return x;
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

static inline __attribute__((always_inline, unused)) void store_tail_f32x8(float *p, f32x8 v, int n)
{
    _mm256_maskstore_epi32((int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n), (__m256i)v);
}

static inline __attribute__((always_inline, unused)) f32x4 load_tail_f32x4(const float *p, int n)
{
    return (f32x4)_mm_maskload_epi32((const int *)p, (__m128i)((s32x4){0, 1, 2, 3} < n));
}


static _Thread_local float packed_1_scratch[2256] __attribute__((aligned(64)));
static _Thread_local float local_5_scratch[80] __attribute__((aligned(64)));
static _Thread_local float local_14_scratch[40] __attribute__((aligned(64)));
static _Thread_local float local_23_scratch[15] __attribute__((aligned(64)));
static _Thread_local float local_41_scratch[15] __attribute__((aligned(64)));

/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=8 k=40, lanes along n */
static void multiply_add_2x8x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
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

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=8 k=5, lanes along n */
static void multiply_add_1x8x5_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    for (int64_t k = 0; k < 4; k += 2) {
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
    {
        const f32x8 x0_0_0 = splat_f32x8(p0[4]);
        const f32x8 x1_0 = load_f32x8(p1 + 32);
        c0_0 += x0_0_0 * x1_0;
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    store_f32x8(y, c0_0);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=2 k=5, lanes along n */
static void multiply_add_1x2x5_5(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 4; k += 2) {
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
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[4]);
        const f32x4 x1_0 = load_f32x4(p1 + 32);
        c0_0 += x0_0_0 * x1_0;
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[m k] = p0[m k], k=5 m=1, lanes along k */
static void map_5x1_6(const float *restrict p0, float *restrict y)
{
    {
        const f32x8 x0 = load_tail_f32x8(p0, 5);
        store_tail_f32x8(y, x0, 5);
    }
}

/* y[m n] += mul(p0[m k], p1[k n]), m=1 n=8 k=5, lanes along n */
static void multiply_add_1x8x5_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    for (int64_t k = 0; k < 4; k += 2) {
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
    {
        const f32x8 x0_0_0 = splat_f32x8(p0[4]);
        const f32x8 x1_0 = load_f32x8(p1 + 32);
        c0_0 += x0_0_0 * x1_0;
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=1 n=2 k=5, lanes along n */
static void multiply_add_1x2x5_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 4; k += 2) {
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
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[4]);
        const f32x4 x1_0 = load_f32x4(p1 + 32);
        c0_0 += x0_0_0 * x1_0;
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    c0_0 = add_f32x4(load_tail_f32x4(y, 2), c0_0);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[k n] = p0[k n], k=40 n=50, lanes along k */
static void pack_40x50_9(const float *restrict p0, float *restrict y)
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
        {
            const float *s = p0 + i0 * 50 + 48;
            float *t = y + i0 * 8 + 1920;
            __builtin_prefetch(s + 128);
            store_f32x8(t, load_tail_f32x8(s, 2));
        }
    }
}

void griotte_matmul_fe80b6bd(const float *x0, const float *x1, float *y)
{
    {
        float *const packed_1 = packed_1_scratch;
        /* copy into panels of 8, memory */
        pack_40x50_9(x1, packed_1);
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
                for (int64_t n_6 = 0; n_6 < 4; n_6++) {
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
                for (int64_t n_15 = 0; n_15 < 4; n_15++) {
                    const float *packed_16 = packed_1 + n_15 * 320;
                    float *y_17 = y_13 + n_15 * 8;
                    multiply_add_1x8x40_2(local_14, packed_16, y_17);
                }
            }
        }
        {
            const float *packed_18 = packed_1 + 1280;
            float *y_19 = y + 32;
            for (int64_t m_20 = 0; m_20 < 11; m_20++) {
                const float *x_21 = x0 + m_20 * 120;
                float *y_22 = y_19 + m_20 * 150;
                {
                    float *const local_23 = local_23_scratch;
                    /* copy into compact, L1 */
                    for (int64_t m_32 = 0; m_32 < 3; m_32++) {
                        const float *x_33 = x_21 + m_32 * 40;
                        float *local_34 = local_23 + m_32 * 5;
                        map_5x1_6(x_33, local_34);
                    }
                    for (int64_t m_24 = 0; m_24 < 3; m_24++) {
                        const float *local_25 = local_23 + m_24 * 5;
                        float *y_26 = y_22 + m_24 * 50;
                        for (int64_t n_27 = 0; n_27 < 2; n_27++) {
                            const float *packed_28 = packed_18 + n_27 * 320;
                            float *y_29 = y_26 + n_27 * 8;
                            multiply_add_1x8x5_4(local_25, packed_28, y_29);
                        }
                        {
                            const float *packed_30 = packed_18 + 640;
                            float *y_31 = y_26 + 16;
                            multiply_add_1x2x5_5(local_25, packed_30, y_31);
                        }
                    }
                }
            }
            for (int64_t k_35 = 1; k_35 < 8; k_35++) {
                const float *x_36 = x0 + k_35 * 5;
                const float *packed_37 = packed_18 + k_35 * 40;
                for (int64_t m_38 = 0; m_38 < 11; m_38++) {
                    const float *x_39 = x_36 + m_38 * 120;
                    float *y_40 = y_19 + m_38 * 150;
                    {
                        float *const local_41 = local_41_scratch;
                        /* copy into compact, L1 */
                        for (int64_t m_50 = 0; m_50 < 3; m_50++) {
                            const float *x_51 = x_39 + m_50 * 40;
                            float *local_52 = local_41 + m_50 * 5;
                            map_5x1_6(x_51, local_52);
                        }
                        for (int64_t m_42 = 0; m_42 < 3; m_42++) {
                            const float *local_43 = local_41 + m_42 * 5;
                            float *y_44 = y_40 + m_42 * 50;
                            for (int64_t n_45 = 0; n_45 < 2; n_45++) {
                                const float *packed_46 = packed_37 + n_45 * 320;
                                float *y_47 = y_44 + n_45 * 8;
                                multiply_add_1x8x5_7(local_43, packed_46, y_47);
                            }
                            {
                                const float *packed_48 = packed_37 + 640;
                                float *y_49 = y_44 + 16;
                                multiply_add_1x2x5_8(local_43, packed_48, y_49);
                            }
                        }
                    }
                }
            }
        }
    }
}
