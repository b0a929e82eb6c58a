/*
 * matmul(f32[33,40], f32[40,50]) -> f32[33,50]
 *
 * narrow, 1 thread, cycles by the model
 *
 * copy x1 40x50 -> memory, panels of 8
 *     pack k=40 n=50, lanes along k
 *   loop m by 2
 *     view x0 2x40 -> L2
 *       loop n by 32
 *         view y 2x32 -> L1
 *           loop n by 8
 *             registers y 2x8  multiply_add m=2 n=8 k=40, lanes along n
 *         leftover n 18:
 *           view y 2x18 -> L1
 *             loop n by 8
 *               registers y 2x8  multiply_add m=2 n=8 k=40, lanes along n
 *               leftover n 2:
 *                 registers y 2x2  multiply_add m=2 n=2 k=40, lanes along n
 *     leftover m 1:
 *       view x0 1x40 -> L1
 *         view y 1x50 -> L2
 *           loop n by 8
 *             registers y 1x8  multiply_add m=1 n=8 k=40, lanes along n
 *             leftover n 2:
 *               registers y 1x2  multiply_add m=1 n=2 k=40, lanes along n
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


static _Thread_local float packed_1_scratch[2256] __attribute__((aligned(64)));

/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=8 k=40, lanes along n */
static void multiply_add_2x8x40_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = load_f32x8(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 128);
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 50, c1_0);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=2 k=40, lanes along n */
static void multiply_add_2x2x40_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 40; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 128);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 40]);
            c1_0 += x0_1_0 * x1_0;
        }
    }
    store_tail_f32x4(y, c0_0, 2);
    store_tail_f32x4(y + 50, c1_0, 2);
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
            __builtin_prefetch(p1 + k * 8 + 128);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k + 1]);
            const f32x8 x1_0 = load_f32x8(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 136);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    store_f32x8(y, c0_0);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=2 k=40, lanes along n */
static void multiply_add_1x2x40_3(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    for (int64_t k = 0; k < 40; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8);
            __builtin_prefetch(p1 + k * 8 + 128);
            c0_0 += x0_0_0 * x1_0;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 8 + 8);
            __builtin_prefetch(p1 + k * 8 + 136);
            c0_0a += x0_0_0 * x1_0;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    store_tail_f32x4(y, c0_0, 2);
}

/* y[k n] = p0[k n], k=40 n=50, lanes along k */
static void pack_40x50_4(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 40; i0++) {
        for (int64_t p = 0; p < 6; p++) {
            {
                const float *s = p0 + i0 * 50 + p * 8;
                float *t = y + i0 * 8 + p * 320;
                store_f32x8(t, load_f32x8(s));
            }
        }
        {
            const float *s = p0 + i0 * 50 + 48;
            float *t = y + i0 * 8 + 1920;
            store_f32x8(t, load_tail_f32x8(s, 2));
        }
    }
}

void griotte_matmul_fe80b6bd(const float *x0, const float *x1, float *y)
{
    {
        float *const packed_1 = packed_1_scratch;
        /* copy into panels of 8, memory */
        pack_40x50_4(x1, packed_1);
        for (int64_t m_2 = 0; m_2 < 16; m_2++) {
            const float *x_3 = x0 + m_2 * 80;
            float *y_4 = y + m_2 * 100;
            for (int64_t n_5 = 0; n_5 < 4; n_5++) {
                const float *packed_6 = packed_1 + n_5 * 320;
                float *y_7 = y_4 + n_5 * 8;
                multiply_add_2x8x40_0(x_3, packed_6, y_7);
            }
            {
                const float *packed_8 = packed_1 + 1280;
                float *y_9 = y_4 + 32;
                for (int64_t n_10 = 0; n_10 < 2; n_10++) {
                    const float *packed_11 = packed_8 + n_10 * 320;
                    float *y_12 = y_9 + n_10 * 8;
                    multiply_add_2x8x40_0(x_3, packed_11, y_12);
                }
                {
                    const float *packed_13 = packed_8 + 640;
                    float *y_14 = y_9 + 16;
                    multiply_add_2x2x40_1(x_3, packed_13, y_14);
                }
            }
        }
        {
            const float *x_15 = x0 + 1280;
            float *y_16 = y + 1600;
            for (int64_t n_17 = 0; n_17 < 6; n_17++) {
                const float *packed_18 = packed_1 + n_17 * 320;
                float *y_19 = y_16 + n_17 * 8;
                multiply_add_1x8x40_2(x_15, packed_18, y_19);
            }
            {
                const float *packed_20 = packed_1 + 1920;
                float *y_21 = y_16 + 48;
                multiply_add_1x2x40_3(x_15, packed_20, y_21);
            }
        }
    }
}
