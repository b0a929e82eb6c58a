/*
 * matmul(f32[5,6], f32[6,7]) -> f32[5,7]
 *
 * portable, 1 thread, cycles by the model
 *
 * registers y 5x7  multiply_add m=5 n=7 k=6, lanes along n
 */
#include <stddef.h>
#include <stdint.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));

static inline __attribute__((always_inline, unused)) f32x4 splat_f32x4(float x)
{
    return (f32x4){x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x4 load_tail_f32x4(const float *p, int n)
{
    if (!__builtin_constant_p(n)) {
        f32x4 v = {0};
        __builtin_memcpy(&v, p, (size_t)n * sizeof(float));
        return v;
    }
    if (n == 4) return load_f32x4(p);
    f32x4 v = {0};
    if (n & 2) { int64_t t; __builtin_memcpy(&t, p, sizeof t); s64x2 w = (s64x2)v; w[0] = t; v = (f32x4)w; }
    if (n & 1) { int32_t t; __builtin_memcpy(&t, p + (n & ~1), sizeof t); s32x4 w = (s32x4)v; w[n & ~1] = t; v = (f32x4)w; }
    return v;
}

static inline __attribute__((always_inline, unused)) f32x4 add_f32x4(f32x4 x, f32x4 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x4(float *p, f32x4 v, int n)
{
    if (!__builtin_constant_p(n)) {
        __builtin_memcpy(p, &v, (size_t)n * sizeof(float));
        return;
    }
    if (n == 4) { store_f32x4(p, v); return; }
    if (n & 2) { const int64_t t = ((s64x2)v)[0]; __builtin_memcpy(p, &t, sizeof t); }
    if (n & 1) { const int32_t t = ((s32x4)v)[n & ~1]; __builtin_memcpy(p + (n & ~1), &t, sizeof t); }
}



/* y[m n] = add of mul(p0[m k], p1[k n]), m=5 n=7 k=6, lanes along n */
static void multiply_add_5x7x6_0(const float *restrict p0, const float *restrict p1, float *restrict y)
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

const char *griotte_matmul_836280bf_check(void)
{
    return 0; /* it needs no more than the compiler assumes */
}

uint32_t griotte_matmul_836280bf_abi(void)
{
    return 0x1c4d5dd;
}

void griotte_matmul_836280bf(const float *x0, const float *x1, float *y)
{
    multiply_add_5x7x6_0(x0, x1, y);
}
