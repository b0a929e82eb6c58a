/*
 * matmul(f32[<=9,6], f32[6,7]) -> f32[<=9,7]
 *
 * portable, 1 thread, cycles by the model
 *
 * m = 1:
 *   registers y 1x7  multiply_add m=1 n=7 k=6, lanes along n
 * m = 2:
 *   registers y 2x7  multiply_add m=2 n=7 k=6, lanes along n
 * m = 3:
 *   registers y 3x7  multiply_add m=3 n=7 k=6, lanes along n
 * m = 4:
 *   registers y 4x7  multiply_add m=4 n=7 k=6, lanes along n
 * m = 5:
 *   registers y 5x7  multiply_add m=5 n=7 k=6, lanes along n
 * m = 6:
 *   registers y 6x7  multiply_add m=6 n=7 k=6, lanes along n
 * m = 7..8, at 8:
 *   loop m by 4
 *     registers y 4x7  multiply_add m=4 n=7 k=6, lanes along n
 * m = 9:
 *   loop m by 6
 *     registers y 6x7  multiply_add m=6 n=7 k=6, lanes along n
 *     leftover m 3:
 *       registers y 3x7  multiply_add m=3 n=7 k=6, lanes along n
 */
#include <stddef.h>
#include <stdint.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));

/* helpers:
 * splat_f32x4, load_f32x4, load_tail_f32x4, add_f32x4, store_f32x4, store_tail_f32x4 */


/* y[m n] = add of mul(p0[m k], p1[k n]), m=1 n=7 k=6, lanes along n */
static void multiply_add_1x7x6_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    f32x4 c0_0b = splat_f32x4(0.0f);
    f32x4 c0_0c = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c0_1a = splat_f32x4(0.0f);
    f32x4 c0_1b = splat_f32x4(0.0f);
    f32x4 c0_1c = splat_f32x4(0.0f);
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[0]);
        const f32x4 x1_0 = load_f32x4(p1);
        c0_0 += x0_0_0 * x1_0;
        const f32x4 x1_1 = load_tail_f32x4(p1 + 4, 3);
        c0_1 += x0_0_0 * x1_1;
    }
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[1]);
        const f32x4 x1_0 = load_f32x4(p1 + 7);
        c0_0a += x0_0_0 * x1_0;
        const f32x4 x1_1 = load_tail_f32x4(p1 + 11, 3);
        c0_1a += x0_0_0 * x1_1;
    }
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[2]);
        const f32x4 x1_0 = load_f32x4(p1 + 14);
        c0_0b += x0_0_0 * x1_0;
        const f32x4 x1_1 = load_tail_f32x4(p1 + 18, 3);
        c0_1b += x0_0_0 * x1_1;
    }
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[3]);
        const f32x4 x1_0 = load_f32x4(p1 + 21);
        c0_0c += x0_0_0 * x1_0;
        const f32x4 x1_1 = load_tail_f32x4(p1 + 25, 3);
        c0_1c += x0_0_0 * x1_1;
    }
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[4]);
        const f32x4 x1_0 = load_f32x4(p1 + 28);
        c0_0 += x0_0_0 * x1_0;
        const f32x4 x1_1 = load_tail_f32x4(p1 + 32, 3);
        c0_1 += x0_0_0 * x1_1;
    }
    {
        const f32x4 x0_0_0 = splat_f32x4(p0[5]);
        const f32x4 x1_0 = load_f32x4(p1 + 35);
        c0_0a += x0_0_0 * x1_0;
        const f32x4 x1_1 = load_tail_f32x4(p1 + 39, 3);
        c0_1a += x0_0_0 * x1_1;
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    c0_0 = add_f32x4(c0_0, c0_0b);
    c0_0 = add_f32x4(c0_0, c0_0c);
    store_f32x4(y, c0_0);
    c0_1 = add_f32x4(c0_1, c0_1a);
    c0_1 = add_f32x4(c0_1, c0_1b);
    c0_1 = add_f32x4(c0_1, c0_1c);
    store_tail_f32x4(y + 4, c0_1, 3);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=2 n=7 k=6, lanes along n */
static void multiply_add_2x7x6_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_0a = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c0_1a = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    f32x4 c1_0a = splat_f32x4(0.0f);
    f32x4 c1_1 = splat_f32x4(0.0f);
    f32x4 c1_1a = splat_f32x4(0.0f);
#pragma GCC unroll 3
    for (int64_t k = 0; k < 6; k += 2) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 4, 3);
            c0_1 += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 6]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
        }
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k + 1]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7 + 7);
            c0_0a += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 11, 3);
            c0_1a += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 7]);
            c1_0a += x0_1_0 * x1_0;
            c1_1a += x0_1_0 * x1_1;
        }
    }
    c0_0 = add_f32x4(c0_0, c0_0a);
    store_f32x4(y, c0_0);
    c0_1 = add_f32x4(c0_1, c0_1a);
    store_tail_f32x4(y + 4, c0_1, 3);
    c1_0 = add_f32x4(c1_0, c1_0a);
    store_f32x4(y + 7, c1_0);
    c1_1 = add_f32x4(c1_1, c1_1a);
    store_tail_f32x4(y + 11, c1_1, 3);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=3 n=7 k=6, lanes along n */
static void multiply_add_3x7x6_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    f32x4 c1_1 = splat_f32x4(0.0f);
    f32x4 c2_0 = splat_f32x4(0.0f);
    f32x4 c2_1 = splat_f32x4(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 6; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 4, 3);
            c0_1 += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 6]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x4 x0_2_0 = splat_f32x4(p0[k + 12]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
        }
    }
    store_f32x4(y, c0_0);
    store_tail_f32x4(y + 4, c0_1, 3);
    store_f32x4(y + 7, c1_0);
    store_tail_f32x4(y + 11, c1_1, 3);
    store_f32x4(y + 14, c2_0);
    store_tail_f32x4(y + 18, c2_1, 3);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=7 k=6, lanes along n */
static void multiply_add_4x7x6_3(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    f32x4 c1_1 = splat_f32x4(0.0f);
    f32x4 c2_0 = splat_f32x4(0.0f);
    f32x4 c2_1 = splat_f32x4(0.0f);
    f32x4 c3_0 = splat_f32x4(0.0f);
    f32x4 c3_1 = splat_f32x4(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 6; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 4, 3);
            c0_1 += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 6]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x4 x0_2_0 = splat_f32x4(p0[k + 12]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x4 x0_3_0 = splat_f32x4(p0[k + 18]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
        }
    }
    store_f32x4(y, c0_0);
    store_tail_f32x4(y + 4, c0_1, 3);
    store_f32x4(y + 7, c1_0);
    store_tail_f32x4(y + 11, c1_1, 3);
    store_f32x4(y + 14, c2_0);
    store_tail_f32x4(y + 18, c2_1, 3);
    store_f32x4(y + 21, c3_0);
    store_tail_f32x4(y + 25, c3_1, 3);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=5 n=7 k=6, lanes along n */
static void multiply_add_5x7x6_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    f32x4 c1_1 = splat_f32x4(0.0f);
    f32x4 c2_0 = splat_f32x4(0.0f);
    f32x4 c2_1 = splat_f32x4(0.0f);
    f32x4 c3_0 = splat_f32x4(0.0f);
    f32x4 c3_1 = splat_f32x4(0.0f);
    f32x4 c4_0 = splat_f32x4(0.0f);
    f32x4 c4_1 = splat_f32x4(0.0f);
#pragma GCC unroll 5
    for (int64_t k = 0; k < 6; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 4, 3);
            c0_1 += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 6]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x4 x0_2_0 = splat_f32x4(p0[k + 12]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x4 x0_3_0 = splat_f32x4(p0[k + 18]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x4 x0_4_0 = splat_f32x4(p0[k + 24]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
        }
    }
    store_f32x4(y, c0_0);
    store_tail_f32x4(y + 4, c0_1, 3);
    store_f32x4(y + 7, c1_0);
    store_tail_f32x4(y + 11, c1_1, 3);
    store_f32x4(y + 14, c2_0);
    store_tail_f32x4(y + 18, c2_1, 3);
    store_f32x4(y + 21, c3_0);
    store_tail_f32x4(y + 25, c3_1, 3);
    store_f32x4(y + 28, c4_0);
    store_tail_f32x4(y + 32, c4_1, 3);
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=6 n=7 k=6, lanes along n */
static void multiply_add_6x7x6_5(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x4 c0_0 = splat_f32x4(0.0f);
    f32x4 c0_1 = splat_f32x4(0.0f);
    f32x4 c1_0 = splat_f32x4(0.0f);
    f32x4 c1_1 = splat_f32x4(0.0f);
    f32x4 c2_0 = splat_f32x4(0.0f);
    f32x4 c2_1 = splat_f32x4(0.0f);
    f32x4 c3_0 = splat_f32x4(0.0f);
    f32x4 c3_1 = splat_f32x4(0.0f);
    f32x4 c4_0 = splat_f32x4(0.0f);
    f32x4 c4_1 = splat_f32x4(0.0f);
    f32x4 c5_0 = splat_f32x4(0.0f);
    f32x4 c5_1 = splat_f32x4(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 6; k += 1) {
        {
            const f32x4 x0_0_0 = splat_f32x4(p0[k]);
            const f32x4 x1_0 = load_f32x4(p1 + k * 7);
            c0_0 += x0_0_0 * x1_0;
            const f32x4 x1_1 = load_tail_f32x4(p1 + k * 7 + 4, 3);
            c0_1 += x0_0_0 * x1_1;
            const f32x4 x0_1_0 = splat_f32x4(p0[k + 6]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x4 x0_2_0 = splat_f32x4(p0[k + 12]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x4 x0_3_0 = splat_f32x4(p0[k + 18]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x4 x0_4_0 = splat_f32x4(p0[k + 24]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x4 x0_5_0 = splat_f32x4(p0[k + 30]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x4(y, c0_0);
    store_tail_f32x4(y + 4, c0_1, 3);
    store_f32x4(y + 7, c1_0);
    store_tail_f32x4(y + 11, c1_1, 3);
    store_f32x4(y + 14, c2_0);
    store_tail_f32x4(y + 18, c2_1, 3);
    store_f32x4(y + 21, c3_0);
    store_tail_f32x4(y + 25, c3_1, 3);
    store_f32x4(y + 28, c4_0);
    store_tail_f32x4(y + 32, c4_1, 3);
    store_f32x4(y + 35, c5_0);
    store_tail_f32x4(y + 39, c5_1, 3);
}

/* m up to 3 */
static void by_size_9(int64_t size, const float *p0, const float *p1, float *y)
{
    switch (size / 3) {
        case 1: {
            multiply_add_3x7x6_2(p0, p1, y);
            break;
        }
    }
}

/* matmul 8x7x6, for 7..8 */
static void by_size_1_6(int64_t size, const float *p0, const float *p1, float *y)
{
    const int64_t trips_2 = size / 4, left_3 = size % 4;
    for (int64_t m_4 = 0; m_4 < trips_2; m_4++) {
        const float *p_5 = p0 + m_4 * 24;
        float *y_6 = y + m_4 * 28;
        multiply_add_4x7x6_3(p_5, p1, y_6);
    }
    if (left_3) {
        const float *p_7 = p0 + trips_2 * 24;
        float *y_8 = y + trips_2 * 28;
        by_size_9(left_3, p_7, p1, y_8);
    }
}

/* m up to 9 */
static void by_size_1(int64_t size, const float *p0, const float *p1, float *y)
{
    switch (size) {
        case 1: {
            multiply_add_1x7x6_0(p0, p1, y);
            break;
        }
        case 2: {
            multiply_add_2x7x6_1(p0, p1, y);
            break;
        }
        case 3: {
            multiply_add_3x7x6_2(p0, p1, y);
            break;
        }
        case 4: {
            multiply_add_4x7x6_3(p0, p1, y);
            break;
        }
        case 5: {
            multiply_add_5x7x6_4(p0, p1, y);
            break;
        }
        case 6: {
            multiply_add_6x7x6_5(p0, p1, y);
            break;
        }
        case 7 ... 8: {
            by_size_1_6(size, p0, p1, y);
            break;
        }
        case 9: {
            multiply_add_6x7x6_5(p0, p1, y);
            {
                const float *p_10 = p0 + 36;
                float *y_11 = y + 42;
                multiply_add_3x7x6_2(p_10, p1, y_11);
            }
            break;
        }
    }
}

const char *griotte_matmul_11552b01_check(void)
{
    return 0; /* it needs no more than the compiler assumes */
}

uint32_t griotte_matmul_11552b01_abi(void)
{
    return 0x15dd273;
}

void griotte_matmul_11552b01(int64_t m, const float *x0, const float *x1, float *y)
{
    by_size_1(m, x0, x1, y);
}
