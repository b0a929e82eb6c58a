/* The part that costs most. */
/*
 * mean(max_pool2d(hard_swish(add(conv2d(f32[1,32,2,96], const f32[200,32,1,1]) -> f32[1,200,2,96], const f32[200,1,1]) -> f32[1,200,2,96]) -> f32[1,200,2,96], window=2, stride=2) -> f32[1,200,1,48], axis=(2,3)) -> f32[1,200]
 *
 * native, 1 thread, 1.438e+05 cycles by the model
 *
 * buffer mul 200x2x96 f32 in L2
 *     loop y by 1
 *       view x0 32x1x96 -> L1
 *         view x2 200 -> L1
 *           conv2d in registers, the map after it done as it is stored
 *             loop o by 12
 *               view x1 12x32 -> L1
 *                 loop x by 32
 *                   loop o by 3
 *                     registers mul 3x1x32  multiply_add o=3 y=1 x=32 c=32, lanes along x
 *               leftover o 8:
 *                 view x1 8x32 -> L1
 *                   loop o by 3
 *                     loop x by 32
 *                       registers mul 3x1x32  multiply_add o=3 y=1 x=32 c=32, lanes along x
 *                     leftover o 2:
 *                       loop x by 48
 *                         registers mul 2x1x48  multiply_add o=2 y=1 x=48 c=32, lanes along x
 *   loop o by 128
 *     loop o by 48
 *       buffer max_pool2d 48x48 f32 in L1
 *           loop o by 2
 *             registers max_pool2d 2x48  combine o=2 d9=48 y=2 d10=2, lanes along d9
 *         loop o by 12
 *           registers y 12  combine o=12 d9=48, lanes along d9
 *       leftover o 32:
 *         buffer max_pool2d 32x48 f32 in L1
 *             loop o by 2
 *               registers max_pool2d 2x48  combine o=2 d9=48 y=2 d10=2, lanes along d9
 *           loop o by 12
 *             registers y 12  combine o=12 d9=48, lanes along d9
 *             leftover o 8:
 *               registers y 8  combine o=8 d9=48, lanes along d9
 *     leftover o 72:
 *       buffer max_pool2d 72x48 f32 in L1
 *           loop o by 2
 *             registers max_pool2d 2x48  combine o=2 d9=48 y=2 d10=2, lanes along d9
 *         loop o by 12
 *           registers y 12  combine o=12 d9=48, lanes along d9
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

static inline __attribute__((always_inline, unused)) f32x8 if_nan_f32x8(f32x8 t, f32x8 x, f32x8 y)
{
    return (f32x8)_mm256_blendv_ps((__m256)y, (__m256)x, _mm256_cmp_ps((__m256)t, (__m256)t, _CMP_UNORD_Q));
}

static inline __attribute__((always_inline, unused)) f32x8 at_least_f32x8(f32x8 x, f32x8 low)
{
    return (f32x8)_mm256_max_ps((__m256)low, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 maximum_f32x8(f32x8 x, f32x8 y)
{
    return if_nan_f32x8(y, y, at_least_f32x8(x, y));
}

static inline __attribute__((always_inline, unused)) f32x8 at_most_f32x8(f32x8 x, f32x8 high)
{
    return (f32x8)_mm256_min_ps((__m256)high, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 minimum_f32x8(f32x8 x, f32x8 y)
{
    return if_nan_f32x8(y, y, at_most_f32x8(x, y));
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x4 load_tail_f32x4(const float *p, int n)
{
    if (!__builtin_constant_p(n)) {
        return (f32x4)_mm_maskload_epi32((const int *)p, (__m128i)((s32x4){0, 1, 2, 3} < n));
    }
    if (n == 4) return load_f32x4(p);
    f32x4 v = {0};
    if (n & 2) { int64_t t; __builtin_memcpy(&t, p, sizeof t); s64x2 w = (s64x2)v; w[0] = t; v = (f32x4)w; }
    if (n & 1) { int32_t t; __builtin_memcpy(&t, p + (n & ~1), sizeof t); s32x4 w = (s32x4)v; w[n & ~1] = t; v = (f32x4)w; }
    return v;
}

static inline __attribute__((always_inline, unused)) f32x8 join_f32x8(f32x4 x, f32x4 y)
{
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline __attribute__((always_inline, unused)) f32x8 load_tail_f32x8(const float *p, int n)
{
    if (!__builtin_constant_p(n)) {
        return (f32x8)_mm256_maskload_epi32((const int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n));
    }
    const f32x4 tail = load_tail_f32x4(n < 4 ? p : p + 4, n < 4 ? n : n - 4);
    return n < 4 ? join_f32x8(tail, (f32x4){0}) : join_f32x8(load_f32x4(p), tail);
}

static inline __attribute__((always_inline, unused)) void keep_f32x8(f32x8 x)
{
    __asm__ volatile("" : : "x"(x));
}

static inline __attribute__((always_inline, unused)) f32x8 div_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) f32x4 splat_f32x4(float x)
{
    return (f32x4){x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x4 div_f32x4(f32x4 x, f32x4 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
}


static _Thread_local float buffer_1_thread[38400] __attribute__((aligned(64)));

/* y[o y x] = add of mul(p0[c y x], p1[o c]), o=3 y=1 x=32 c=32, lanes along x */
static void multiply_add_3x1x32x32_0(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_0_2 = splat_f32x8(0.0f);
    f32x8 c0_0_3 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c1_0_2 = splat_f32x8(0.0f);
    f32x8 c1_0_3 = splat_f32x8(0.0f);
    f32x8 c2_0_0 = splat_f32x8(0.0f);
    f32x8 c2_0_1 = splat_f32x8(0.0f);
    f32x8 c2_0_2 = splat_f32x8(0.0f);
    f32x8 c2_0_3 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t c = 0; c < 32; c += 1) {
        {
            const f32x8 x0_0_0 = hold_f32x8(load_f32x8(p0 + c * 192));
            const f32x8 x1_0_0 = splat_f32x8(p1[c]);
            c0_0_0 += x0_0_0 * x1_0_0;
            const f32x8 x1_1_0 = splat_f32x8(p1[c + 32]);
            c1_0_0 += x0_0_0 * x1_1_0;
            const f32x8 x1_2_0 = splat_f32x8(p1[c + 64]);
            c2_0_0 += x0_0_0 * x1_2_0;
            const f32x8 x0_0_1 = hold_f32x8(load_f32x8(p0 + c * 192 + 8));
            c0_0_1 += x0_0_1 * x1_0_0;
            c1_0_1 += x0_0_1 * x1_1_0;
            c2_0_1 += x0_0_1 * x1_2_0;
            const f32x8 x0_0_2 = hold_f32x8(load_f32x8(p0 + c * 192 + 16));
            c0_0_2 += x0_0_2 * x1_0_0;
            c1_0_2 += x0_0_2 * x1_1_0;
            c2_0_2 += x0_0_2 * x1_2_0;
            const f32x8 x0_0_3 = hold_f32x8(load_f32x8(p0 + c * 192 + 24));
            c0_0_3 += x0_0_3 * x1_0_0;
            c1_0_3 += x0_0_3 * x1_1_0;
            c2_0_3 += x0_0_3 * x1_2_0;
        }
    }
    store_f32x8(y, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_0) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_0) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 8, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_1) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_1) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 16, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_2) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_2) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 24, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_3) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_3) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 192, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_0) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_0) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 200, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_1) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_1) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 208, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_2) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_2) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 216, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_3) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_3) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 384, hold_f32x8(((splat_f32x8(p2[2]) + c2_0_0) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[2]) + c2_0_0) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 392, hold_f32x8(((splat_f32x8(p2[2]) + c2_0_1) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[2]) + c2_0_1) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 400, hold_f32x8(((splat_f32x8(p2[2]) + c2_0_2) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[2]) + c2_0_2) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 408, hold_f32x8(((splat_f32x8(p2[2]) + c2_0_3) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[2]) + c2_0_3) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
}

/* y[o y x] = add of mul(p0[c y x], p1[o c]), o=2 y=1 x=48 c=32, lanes along x */
static void multiply_add_2x1x48x32_1(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_0_2 = splat_f32x8(0.0f);
    f32x8 c0_0_3 = splat_f32x8(0.0f);
    f32x8 c0_0_4 = splat_f32x8(0.0f);
    f32x8 c0_0_5 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c1_0_2 = splat_f32x8(0.0f);
    f32x8 c1_0_3 = splat_f32x8(0.0f);
    f32x8 c1_0_4 = splat_f32x8(0.0f);
    f32x8 c1_0_5 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t c = 0; c < 32; c += 1) {
        {
            const f32x8 x0_0_0 = hold_f32x8(load_f32x8(p0 + c * 192));
            const f32x8 x1_0_0 = splat_f32x8(p1[c]);
            c0_0_0 += x0_0_0 * x1_0_0;
            const f32x8 x1_1_0 = splat_f32x8(p1[c + 32]);
            c1_0_0 += x0_0_0 * x1_1_0;
            const f32x8 x0_0_1 = hold_f32x8(load_f32x8(p0 + c * 192 + 8));
            c0_0_1 += x0_0_1 * x1_0_0;
            c1_0_1 += x0_0_1 * x1_1_0;
            const f32x8 x0_0_2 = hold_f32x8(load_f32x8(p0 + c * 192 + 16));
            c0_0_2 += x0_0_2 * x1_0_0;
            c1_0_2 += x0_0_2 * x1_1_0;
            const f32x8 x0_0_3 = hold_f32x8(load_f32x8(p0 + c * 192 + 24));
            c0_0_3 += x0_0_3 * x1_0_0;
            c1_0_3 += x0_0_3 * x1_1_0;
            const f32x8 x0_0_4 = hold_f32x8(load_f32x8(p0 + c * 192 + 32));
            c0_0_4 += x0_0_4 * x1_0_0;
            c1_0_4 += x0_0_4 * x1_1_0;
            const f32x8 x0_0_5 = hold_f32x8(load_f32x8(p0 + c * 192 + 40));
            c0_0_5 += x0_0_5 * x1_0_0;
            c1_0_5 += x0_0_5 * x1_1_0;
        }
    }
    store_f32x8(y, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_0) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_0) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 8, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_1) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_1) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 16, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_2) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_2) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 24, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_3) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_3) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 32, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_4) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_4) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 40, hold_f32x8(((splat_f32x8(p2[0]) + c0_0_5) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[0]) + c0_0_5) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 192, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_0) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_0) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 200, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_1) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_1) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 208, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_2) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_2) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 216, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_3) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_3) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 224, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_4) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_4) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
    store_f32x8(y + 232, hold_f32x8(((splat_f32x8(p2[1]) + c1_0_5) * hold_f32x8((minimum_f32x8(maximum_f32x8(((splat_f32x8(p2[1]) + c1_0_5) + splat_f32x8(3.0f)), splat_f32x8(0.0f)), splat_f32x8(6.0f)) * splat_f32x8(0.16666666666666666f))))));
}

/* y[o d9] = maximum of p0[o y d9*2+d10], o=2 d9=48 y=2 d10=2, lanes along d9 */
static __attribute__((noinline)) void combine_2x48x2x2_2(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c0_1 = splat_f32x8((-__builtin_inff()));
    f32x8 c0_2 = splat_f32x8((-__builtin_inff()));
    f32x8 c0_3 = splat_f32x8((-__builtin_inff()));
    f32x8 c0_4 = splat_f32x8((-__builtin_inff()));
    f32x8 c0_5 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_1 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_2 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_3 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_4 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_5 = splat_f32x8((-__builtin_inff()));
    for (int64_t y = 0; y < 2; y += 1) {
        {
            const float *q0 = p0;
            __asm__ volatile("" : "+r"(q0));
            const f32x8 x0_0_0 = __builtin_shufflevector(load_f32x8(q0 + y * 96), load_tail_f32x8(q0 + y * 96 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_0_1 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 16), load_tail_f32x8(q0 + y * 96 + 16 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_1 = maximum_f32x8(c0_1, x0_0_1);
            const f32x8 x0_0_2 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 32), load_tail_f32x8(q0 + y * 96 + 32 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_2 = maximum_f32x8(c0_2, x0_0_2);
            const f32x8 x0_0_3 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 48), load_tail_f32x8(q0 + y * 96 + 48 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_3 = maximum_f32x8(c0_3, x0_0_3);
            const f32x8 x0_0_4 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 64), load_tail_f32x8(q0 + y * 96 + 64 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_4 = maximum_f32x8(c0_4, x0_0_4);
            const f32x8 x0_0_5 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 80), load_tail_f32x8(q0 + y * 96 + 80 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_5 = maximum_f32x8(c0_5, x0_0_5);
            const f32x8 x0_1_0 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 192), load_tail_f32x8(q0 + y * 96 + 192 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_1_1 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 208), load_tail_f32x8(q0 + y * 96 + 208 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_1 = maximum_f32x8(c1_1, x0_1_1);
            const f32x8 x0_1_2 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 224), load_tail_f32x8(q0 + y * 96 + 224 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_2 = maximum_f32x8(c1_2, x0_1_2);
            const f32x8 x0_1_3 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 240), load_tail_f32x8(q0 + y * 96 + 240 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_3 = maximum_f32x8(c1_3, x0_1_3);
            const f32x8 x0_1_4 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 256), load_tail_f32x8(q0 + y * 96 + 256 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_4 = maximum_f32x8(c1_4, x0_1_4);
            const f32x8 x0_1_5 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 272), load_tail_f32x8(q0 + y * 96 + 272 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_5 = maximum_f32x8(c1_5, x0_1_5);
            c0_0 = hold_f32x8(c0_0);
            c0_1 = hold_f32x8(c0_1);
            c0_2 = hold_f32x8(c0_2);
            c0_3 = hold_f32x8(c0_3);
            c0_4 = hold_f32x8(c0_4);
            c0_5 = hold_f32x8(c0_5);
            c1_0 = hold_f32x8(c1_0);
            c1_1 = hold_f32x8(c1_1);
            c1_2 = hold_f32x8(c1_2);
            c1_3 = hold_f32x8(c1_3);
            c1_4 = hold_f32x8(c1_4);
            c1_5 = hold_f32x8(c1_5);
        }
        {
            const float *q0 = p0;
            __asm__ volatile("" : "+r"(q0));
            const f32x8 x0_0_0 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 1), load_tail_f32x8(q0 + y * 96 + 1 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_0_1 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 17), load_tail_f32x8(q0 + y * 96 + 17 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_1 = maximum_f32x8(c0_1, x0_0_1);
            const f32x8 x0_0_2 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 33), load_tail_f32x8(q0 + y * 96 + 33 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_2 = maximum_f32x8(c0_2, x0_0_2);
            const f32x8 x0_0_3 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 49), load_tail_f32x8(q0 + y * 96 + 49 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_3 = maximum_f32x8(c0_3, x0_0_3);
            const f32x8 x0_0_4 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 65), load_tail_f32x8(q0 + y * 96 + 65 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_4 = maximum_f32x8(c0_4, x0_0_4);
            const f32x8 x0_0_5 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 81), load_tail_f32x8(q0 + y * 96 + 81 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c0_5 = maximum_f32x8(c0_5, x0_0_5);
            const f32x8 x0_1_0 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 193), load_tail_f32x8(q0 + y * 96 + 193 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_1_1 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 209), load_tail_f32x8(q0 + y * 96 + 209 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_1 = maximum_f32x8(c1_1, x0_1_1);
            const f32x8 x0_1_2 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 225), load_tail_f32x8(q0 + y * 96 + 225 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_2 = maximum_f32x8(c1_2, x0_1_2);
            const f32x8 x0_1_3 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 241), load_tail_f32x8(q0 + y * 96 + 241 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_3 = maximum_f32x8(c1_3, x0_1_3);
            const f32x8 x0_1_4 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 257), load_tail_f32x8(q0 + y * 96 + 257 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_4 = maximum_f32x8(c1_4, x0_1_4);
            const f32x8 x0_1_5 = __builtin_shufflevector(load_f32x8(q0 + y * 96 + 273), load_tail_f32x8(q0 + y * 96 + 273 + 8, 7), 0, 2, 4, 6, 8, 10, 12, 14);
            c1_5 = maximum_f32x8(c1_5, x0_1_5);
            c0_0 = hold_f32x8(c0_0);
            c0_1 = hold_f32x8(c0_1);
            c0_2 = hold_f32x8(c0_2);
            c0_3 = hold_f32x8(c0_3);
            c0_4 = hold_f32x8(c0_4);
            c0_5 = hold_f32x8(c0_5);
            c1_0 = hold_f32x8(c1_0);
            c1_1 = hold_f32x8(c1_1);
            c1_2 = hold_f32x8(c1_2);
            c1_3 = hold_f32x8(c1_3);
            c1_4 = hold_f32x8(c1_4);
            c1_5 = hold_f32x8(c1_5);
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 24, c0_3);
    store_f32x8(y + 32, c0_4);
    store_f32x8(y + 40, c0_5);
    store_f32x8(y + 48, c1_0);
    store_f32x8(y + 56, c1_1);
    store_f32x8(y + 64, c1_2);
    store_f32x8(y + 72, c1_3);
    store_f32x8(y + 80, c1_4);
    store_f32x8(y + 88, c1_5);
}

/* y[o] = add of p0[o d9], o=12 d9=48, lanes along d9 */
static void combine_12x48_3(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c6_0 = splat_f32x8(0.0f);
    f32x8 c7_0 = splat_f32x8(0.0f);
    f32x8 c8_0 = splat_f32x8(0.0f);
    f32x8 c9_0 = splat_f32x8(0.0f);
    f32x8 c10_0 = splat_f32x8(0.0f);
    f32x8 c11_0 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t d9 = 0; d9 < 48; d9 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + d9);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + d9 + 48);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + d9 + 96);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + d9 + 144);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + d9 + 192);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + d9 + 240);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + d9 + 288);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + d9 + 336);
            c7_0 = add_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + d9 + 384);
            c8_0 = add_f32x8(c8_0, x0_8_0);
            const f32x8 x0_9_0 = load_f32x8(p0 + d9 + 432);
            c9_0 = add_f32x8(c9_0, x0_9_0);
            const f32x8 x0_10_0 = load_f32x8(p0 + d9 + 480);
            c10_0 = add_f32x8(c10_0, x0_10_0);
            const f32x8 x0_11_0 = load_f32x8(p0 + d9 + 528);
            c11_0 = add_f32x8(c11_0, x0_11_0);
        }
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(c4_0, c5_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c4_0, c5_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s3 = add_f32x8(__builtin_shufflevector(c6_0, c7_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c6_0, c7_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s4 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s5 = add_f32x8(__builtin_shufflevector(s2, s3, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s2, s3, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s6 = add_f32x8(__builtin_shufflevector(s4, s5, 0, 2, 8, 10, 4, 6, 12, 14), __builtin_shufflevector(s4, s5, 1, 3, 9, 11, 5, 7, 13, 15));
        const f32x8 sums = __builtin_shufflevector(s6, s6, 0, 4, 1, 5, 2, 6, 3, 7);
        store_f32x8(y, div_f32x8(sums, splat_f32x8(48.0f)));
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c8_0, c9_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c8_0, c9_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c10_0, c11_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c10_0, c11_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = add_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y + 8, div_f32x4(sums, splat_f32x4(48.0f)));
    }
}

/* y[o] = add of p0[o d9], o=8 d9=48, lanes along d9 */
static void combine_8x48_4(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c6_0 = splat_f32x8(0.0f);
    f32x8 c7_0 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t d9 = 0; d9 < 48; d9 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + d9);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + d9 + 48);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + d9 + 96);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + d9 + 144);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + d9 + 192);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + d9 + 240);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + d9 + 288);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + d9 + 336);
            c7_0 = add_f32x8(c7_0, x0_7_0);
        }
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(c4_0, c5_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c4_0, c5_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s3 = add_f32x8(__builtin_shufflevector(c6_0, c7_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c6_0, c7_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s4 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s5 = add_f32x8(__builtin_shufflevector(s2, s3, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s2, s3, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s6 = add_f32x8(__builtin_shufflevector(s4, s5, 0, 2, 8, 10, 4, 6, 12, 14), __builtin_shufflevector(s4, s5, 1, 3, 9, 11, 5, 7, 13, 15));
        const f32x8 sums = __builtin_shufflevector(s6, s6, 0, 4, 1, 5, 2, 6, 3, 7);
        store_f32x8(y, div_f32x8(sums, splat_f32x8(48.0f)));
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_mean_7800403c_check(void)
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

uint32_t griotte_mean_7800403c_abi(void)
{
    return 0x1c655c3;
}

void griotte_mean_7800403c(const float *x0, const float *x1, const float *x2, float *y)
{
    float buffer_35_own[3456] __attribute__((aligned(64)));
    float *buffer_1_own = buffer_1_thread;
    __asm__ volatile("" : "+r"(buffer_1_own));
    {
        float *const buffer_1 = buffer_1_own;
        for (int64_t y_2 = 0; y_2 < 2; y_2++) {
            const float *x_3 = x0 + y_2 * 96;
            float *buffer_4 = buffer_1 + y_2 * 96;
            for (int64_t o_5 = 0; o_5 < 16; o_5++) {
                const float *x_6 = x1 + o_5 * 384;
                const float *x_7 = x2 + o_5 * 12;
                float *buffer_8 = buffer_4 + o_5 * 2304;
                for (int64_t x_9 = 0; x_9 < 3; x_9++) {
                    const float *x_10 = x_3 + x_9 * 32;
                    float *buffer_11 = buffer_8 + x_9 * 32;
                    for (int64_t o_12 = 0; o_12 < 4; o_12++) {
                        const float *x_13 = x_6 + o_12 * 96;
                        const float *x_14 = x_7 + o_12 * 3;
                        float *buffer_15 = buffer_11 + o_12 * 576;
                        multiply_add_3x1x32x32_0(x_10, x_13, x_14, buffer_15);
                    }
                }
            }
            {
                const float *x_16 = x1 + 6144;
                const float *x_17 = x2 + 192;
                float *buffer_18 = buffer_4 + 36864;
                for (int64_t o_19 = 0; o_19 < 2; o_19++) {
                    const float *x_20 = x_16 + o_19 * 96;
                    const float *x_21 = x_17 + o_19 * 3;
                    float *buffer_22 = buffer_18 + o_19 * 576;
                    for (int64_t x_23 = 0; x_23 < 3; x_23++) {
                        const float *x_24 = x_3 + x_23 * 32;
                        float *buffer_25 = buffer_22 + x_23 * 32;
                        multiply_add_3x1x32x32_0(x_24, x_20, x_21, buffer_25);
                    }
                }
                {
                    const float *x_26 = x_16 + 192;
                    const float *x_27 = x_17 + 6;
                    float *buffer_28 = buffer_18 + 1152;
                    for (int64_t x_29 = 0; x_29 < 2; x_29++) {
                        const float *x_30 = x_3 + x_29 * 48;
                        float *buffer_31 = buffer_28 + x_29 * 48;
                        multiply_add_2x1x48x32_1(x_30, x_26, x_27, buffer_31);
                    }
                }
            }
        }
        for (int64_t o_32 = 0; o_32 < 2; o_32++) {
            const float *buffer_33 = buffer_1 + o_32 * 9216;
            float *y_34 = y + o_32 * 48;
            {
                float *const buffer_35 = buffer_35_own;
                for (int64_t o_36 = 0; o_36 < 24; o_36++) {
                    const float *buffer_37 = buffer_33 + o_36 * 384;
                    float *buffer_38 = buffer_35 + o_36 * 96;
                    combine_2x48x2x2_2(buffer_37, buffer_38);
                }
                for (int64_t o_39 = 0; o_39 < 4; o_39++) {
                    const float *buffer_40 = buffer_35 + o_39 * 576;
                    float *y_41 = y_34 + o_39 * 12;
                    combine_12x48_3(buffer_40, y_41);
                }
            }
        }
        {
            const float *buffer_42 = buffer_1 + 18432;
            float *y_43 = y + 96;
            {
                float *const buffer_44 = buffer_35_own;
                for (int64_t o_45 = 0; o_45 < 16; o_45++) {
                    const float *buffer_46 = buffer_42 + o_45 * 384;
                    float *buffer_47 = buffer_44 + o_45 * 96;
                    combine_2x48x2x2_2(buffer_46, buffer_47);
                }
                for (int64_t o_48 = 0; o_48 < 2; o_48++) {
                    const float *buffer_49 = buffer_44 + o_48 * 576;
                    float *y_50 = y_43 + o_48 * 12;
                    combine_12x48_3(buffer_49, y_50);
                }
                {
                    const float *buffer_51 = buffer_44 + 1152;
                    float *y_52 = y_43 + 24;
                    combine_8x48_4(buffer_51, y_52);
                }
            }
        }
        {
            const float *buffer_53 = buffer_1 + 24576;
            float *y_54 = y + 128;
            {
                float *const buffer_55 = buffer_35_own;
                for (int64_t o_56 = 0; o_56 < 36; o_56++) {
                    const float *buffer_57 = buffer_53 + o_56 * 384;
                    float *buffer_58 = buffer_55 + o_56 * 96;
                    combine_2x48x2x2_2(buffer_57, buffer_58);
                }
                for (int64_t o_59 = 0; o_59 < 6; o_59++) {
                    const float *buffer_60 = buffer_55 + o_59 * 576;
                    float *y_61 = y_54 + o_59 * 12;
                    combine_12x48_3(buffer_60, y_61);
                }
            }
        }
    }
}
