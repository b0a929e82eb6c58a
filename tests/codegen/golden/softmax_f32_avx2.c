/*
 * softmax(f32[9,70], axis=-1) -> f32[9,70]
 *
 * avx2, 1 thread, cycles by the model
 *
 * buffer max 9 f32 in L1
 *     registers max 9  combine i0=9 i1=70, lanes along i1
 *   exp in y
 *       loop i0 by 1
 *         map i0=1 i1=70, lanes along i1
 *     buffer div 9 f32 in L1
 *         sum in registers, the map after it done as it is stored
 *           registers div 9  combine i0=9 i1=70, lanes along i1
 *       loop i0 by 1
 *         map i0=1 i1=70, lanes along i1
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x1 __attribute__((vector_size(4)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x1 __attribute__((vector_size(4)));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef int8_t s8x8 __attribute__((vector_size(8)));
typedef uint32_t u32x1 __attribute__((vector_size(4)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));

static inline __attribute__((always_inline, unused)) f32x8 splat_f32x8(float x)
{
    return (f32x8){x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x8 load_f32x8(const float *p)
{
    return *(const f32x8_unaligned *)p;
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

static inline __attribute__((always_inline, unused)) f32x8 blend_f32x8(s32x8 m, f32x8 x, f32x8 y)
{
    return (f32x8)(((s32x8)x & m) | ((s32x8)y & ~m));
}

static inline __attribute__((always_inline, unused)) s32x8 convert_s8_to_s32_x8(s8x8 x)
{
    return (s32x8)_mm256_cvtepi8_epi32(_mm_cvtsi64_si128((long long)x));
}

static inline __attribute__((always_inline, unused)) f32x8 select_f32x8(u8x8 p, f32x8 x, f32x8 y)
{
    return blend_f32x8(convert_s8_to_s32_x8((s8x8)(p != 0)), x, y);
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x4 if_nan_f32x4(f32x4 t, f32x4 x, f32x4 y)
{
    return (f32x4)_mm_blendv_ps((__m128)y, (__m128)x, _mm_cmp_ps((__m128)t, (__m128)t, _CMP_UNORD_Q));
}

static inline __attribute__((always_inline, unused)) f32x4 at_least_f32x4(f32x4 x, f32x4 low)
{
    return (f32x4)_mm_max_ps((__m128)low, (__m128)x);
}

static inline __attribute__((always_inline, unused)) f32x4 maximum_f32x4(f32x4 x, f32x4 y)
{
    return if_nan_f32x4(y, y, at_least_f32x4(x, y));
}

static inline __attribute__((always_inline, unused)) float reduce_maximum_f32x4(f32x4 v)
{
    v = maximum_f32x4(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
    v = maximum_f32x4(v, __builtin_shufflevector(v, v, 1, 1, 2, 3));
    return v[0];
}

static inline __attribute__((always_inline, unused)) float reduce_maximum_f32x8(f32x8 v)
{
    return reduce_maximum_f32x4(maximum_f32x4(__builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)));
}

static inline __attribute__((always_inline, unused)) int any_negative_f32x8(s32x8 x)
{
    return _mm256_movemask_ps((__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 look_up_f32x8(f32x8 moved, f32x8 powers)
{
    return (f32x8)_mm256_permutevar8x32_ps((__m256)powers, (__m256i)moved);
}

static inline __attribute__((always_inline, unused)) f32x8 at_most_f32x8(f32x8 x, f32x8 high)
{
    return (f32x8)_mm256_min_ps((__m256)high, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 exp_bound_f32x8(f32x8 x)
{
    return at_most_f32x8(at_least_f32x8(x, ((f32x8){0} + (-140.0f))), ((f32x8){0} + 89.0f));
}

static inline __attribute__((always_inline, unused)) f32x8 exp_rest_f32x8(f32x8 x)
{
    return x;
}

static inline __attribute__((always_inline, unused)) f32x8 hold_f32x8(f32x8 x)
{
    __asm__("" : "+x"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) f32x8 rounded_f32x8(f32x8 x)
{
    return hold_f32x8(x);
}

static inline __attribute__((always_inline, unused)) f32x8 scale_f32x8(f32x8 x, f32x8 n, f32x8 moved)
{
    s32x8 whole = ((s32x8)moved - (s32x8)((f32x8){0} + 1572864.0f)) >> 3;
    s32x8 first = whole >> 1, second = whole - first;
    f32x8 power = (f32x8)((u32x8)(first + 127) << 23);
    return rounded_f32x8(x * power * (f32x8)((u32x8)(second + 127) << 23));
}

static __attribute__((noinline, unused)) f32x8 exp_wide_f32x8(f32x8 x)
{
    f32x8 given = x;
    s32x8 gone = (s32x8)(x < (-104.0f));
    x = (f32x8)((s32x8)x & ~gone);
    if (!__builtin_expect(any_negative_f32x8((s32x8)((f32x8){0} + 83.0f) - (s32x8)((u32x8)x & ~0x80000000u)), 0)) {
        f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
        f32x8 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f, square = r * r;
        f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, (f32x8){1.0f, 0.9827538728713989f, 0.9696035385131836f, 0.9609197974205017f, 0.9571067690849304f, 0.9586054086685181f, 0.9658964276313782f, 0.9795040488243103f}) + ((u32x8)moved << 20)), z = power * ((((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + r) + power;
        return (f32x8)((s32x8)z & ~gone);
    }
    x = given;
    x = exp_bound_f32x8(x);
    f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
    f32x8 r = exp_rest_f32x8((x - n * 0.693115234375f) - n * 3.1946183e-05f), square = r * r;
    f32x8 power = look_up_f32x8(moved, (f32x8){1.0f, 1.0905077457427979f, 1.1892070770263672f, 1.2968395948410034f, 1.4142135381698608f, 1.5422108173370361f, 1.6817928552627563f, 1.8340080976486206f}), grown = power * ((((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + r) + power;
    return scale_f32x8(grown, n, moved);
}

static inline __attribute__((always_inline, unused)) f32x8 exp_f32x8(f32x8 x)
{
    if (__builtin_expect(any_negative_f32x8((s32x8)((f32x8){0} + 83.0f) - (s32x8)((u32x8)x & ~0x80000000u)), 0)) return exp_wide_f32x8(x);
    f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
    f32x8 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f, square = r * r;
    f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, (f32x8){1.0f, 0.9827538728713989f, 0.9696035385131836f, 0.9609197974205017f, 0.9571067690849304f, 0.9586054086685181f, 0.9658964276313782f, 0.9795040488243103f}) + ((u32x8)moved << 20)), z = power * ((((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + r) + power;
    return z;
}

static inline __attribute__((always_inline, unused)) f32x4 lower_f32x8(f32x8 x)
{
    return __builtin_shufflevector(x, x, 0, 1, 2, 3);
}

static inline __attribute__((always_inline, unused)) f32x4 upper_f32x8(f32x8 x)
{
    return (f32x4)_mm256_extracti128_si256((__m256i)x, 1);
}

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x4(float *p, f32x4 v, int n)
{
    if (!__builtin_constant_p(n)) {
        _mm_maskstore_epi32((int *)p, (__m128i)((s32x4){0, 1, 2, 3} < n), (__m128i)v);
        return;
    }
    if (n == 4) { store_f32x4(p, v); return; }
    if (n & 2) { const int64_t t = ((s64x2)v)[0]; __builtin_memcpy(p, &t, sizeof t); }
    if (n & 1) { const int32_t t = ((s32x4)v)[n & ~1]; __builtin_memcpy(p + (n & ~1), &t, sizeof t); }
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x8(float *p, f32x8 v, int n)
{
    if (!__builtin_constant_p(n)) {
        _mm256_maskstore_epi32((int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n), (__m256i)v);
        return;
    }
    if (n < 4) { store_tail_f32x4(p, lower_f32x8(v), n); return; }
    store_f32x4(p, lower_f32x8(v));
    store_tail_f32x4(p + 4, upper_f32x8(v), n - 4);
}

static inline __attribute__((always_inline, unused)) f32x8 add_f32x8(f32x8 x, f32x8 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) f32x8 div_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) f32x4 add_f32x4(f32x4 x, f32x4 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) float reduce_add_f32x4(f32x4 v)
{
    v = add_f32x4(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
    v = add_f32x4(v, __builtin_shufflevector(v, v, 1, 1, 2, 3));
    return v[0];
}

static inline __attribute__((always_inline, unused)) float reduce_add_f32x8(f32x8 v)
{
    return reduce_add_f32x4(add_f32x4(__builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)));
}

static inline __attribute__((always_inline, unused)) f32x1 splat_f32x1(float x)
{
    return (f32x1){x};
}

static inline __attribute__((always_inline, unused)) f32x1 div_f32x1(f32x1 x, f32x1 y)
{
    return x / y;
}



/* y[i0] = maximum of p0[i0 i1], i0=9 i1=70, lanes along i1 */
static void combine_9x70_0(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c2_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c3_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c4_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c5_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c6_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c7_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c8_0 = splat_f32x8((-__builtin_inff()));
#pragma GCC unroll 6
    for (int64_t i1 = 0; i1 < 64; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 70);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 140);
            c2_0 = maximum_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 210);
            c3_0 = maximum_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 280);
            c4_0 = maximum_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 350);
            c5_0 = maximum_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + i1 + 420);
            c6_0 = maximum_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + i1 + 490);
            c7_0 = maximum_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + i1 + 560);
            c8_0 = maximum_f32x8(c8_0, x0_8_0);
        }
    }
    {
        const f32x8 x0_0_0 = load_tail_f32x8(p0 + 64, 6);
        c0_0 = maximum_f32x8(c0_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_0_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_1_0 = load_tail_f32x8(p0 + 134, 6);
        c1_0 = maximum_f32x8(c1_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_1_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_2_0 = load_tail_f32x8(p0 + 204, 6);
        c2_0 = maximum_f32x8(c2_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_2_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_3_0 = load_tail_f32x8(p0 + 274, 6);
        c3_0 = maximum_f32x8(c3_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_3_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_4_0 = load_tail_f32x8(p0 + 344, 6);
        c4_0 = maximum_f32x8(c4_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_4_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_5_0 = load_tail_f32x8(p0 + 414, 6);
        c5_0 = maximum_f32x8(c5_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_5_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_6_0 = load_tail_f32x8(p0 + 484, 6);
        c6_0 = maximum_f32x8(c6_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_6_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_7_0 = load_tail_f32x8(p0 + 554, 6);
        c7_0 = maximum_f32x8(c7_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_7_0, splat_f32x8((-__builtin_inff()))));
        const f32x8 x0_8_0 = load_tail_f32x8(p0 + 624, 6);
        c8_0 = maximum_f32x8(c8_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_8_0, splat_f32x8((-__builtin_inff()))));
    }
    {
        const f32x8 s0 = maximum_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = maximum_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = maximum_f32x8(__builtin_shufflevector(c4_0, c5_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c4_0, c5_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s3 = maximum_f32x8(__builtin_shufflevector(c6_0, c7_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c6_0, c7_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s4 = maximum_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s5 = maximum_f32x8(__builtin_shufflevector(s2, s3, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s2, s3, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s6 = maximum_f32x8(__builtin_shufflevector(s4, s5, 0, 2, 8, 10, 4, 6, 12, 14), __builtin_shufflevector(s4, s5, 1, 3, 9, 11, 5, 7, 13, 15));
        const f32x8 sums = __builtin_shufflevector(s6, s6, 0, 4, 1, 5, 2, 6, 3, 7);
        store_f32x8(y, sums);
    }
    y[8] = reduce_maximum_f32x8(c8_0);
}

/* y[i0 i1] = exp(sub(p0[i0 i1], p1[i0])), i0=1 i1=70, lanes along i1 */
static void map_1x70_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, exp_f32x8((x0 - x1)));
    }
    {
        const f32x8 x0 = load_tail_f32x8(p0 + 64, 6);
        const f32x8 x1 = splat_f32x8(*p1);
        store_tail_f32x8(y + 64, exp_f32x8((x0 - x1)), 6);
    }
}

/* y[i0] = add of p0[i0 i1], i0=9 i1=70, lanes along i1 */
static void combine_9x70_2(const float *restrict p0, float *restrict y)
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
#pragma GCC unroll 6
    for (int64_t i1 = 0; i1 < 64; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 70);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 140);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 210);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 280);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 350);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + i1 + 420);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + i1 + 490);
            c7_0 = add_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + i1 + 560);
            c8_0 = add_f32x8(c8_0, x0_8_0);
        }
    }
    {
        const f32x8 x0_0_0 = load_tail_f32x8(p0 + 64, 6);
        c0_0 = add_f32x8(c0_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_0_0, splat_f32x8(0.0f)));
        const f32x8 x0_1_0 = load_tail_f32x8(p0 + 134, 6);
        c1_0 = add_f32x8(c1_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_1_0, splat_f32x8(0.0f)));
        const f32x8 x0_2_0 = load_tail_f32x8(p0 + 204, 6);
        c2_0 = add_f32x8(c2_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_2_0, splat_f32x8(0.0f)));
        const f32x8 x0_3_0 = load_tail_f32x8(p0 + 274, 6);
        c3_0 = add_f32x8(c3_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_3_0, splat_f32x8(0.0f)));
        const f32x8 x0_4_0 = load_tail_f32x8(p0 + 344, 6);
        c4_0 = add_f32x8(c4_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_4_0, splat_f32x8(0.0f)));
        const f32x8 x0_5_0 = load_tail_f32x8(p0 + 414, 6);
        c5_0 = add_f32x8(c5_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_5_0, splat_f32x8(0.0f)));
        const f32x8 x0_6_0 = load_tail_f32x8(p0 + 484, 6);
        c6_0 = add_f32x8(c6_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_6_0, splat_f32x8(0.0f)));
        const f32x8 x0_7_0 = load_tail_f32x8(p0 + 554, 6);
        c7_0 = add_f32x8(c7_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_7_0, splat_f32x8(0.0f)));
        const f32x8 x0_8_0 = load_tail_f32x8(p0 + 624, 6);
        c8_0 = add_f32x8(c8_0, select_f32x8((u8x8){1, 1, 1, 1, 1, 1, 0, 0}, x0_8_0, splat_f32x8(0.0f)));
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
        store_f32x8(y, div_f32x8(splat_f32x8(1.0f), sums));
    }
    y[8] = div_f32x1(splat_f32x1(1.0f), (f32x1){reduce_add_f32x8(c8_0)})[0];
}

/* y[i0 i1] = mul(p0[i0 i1], p1[i0]), i0=1 i1=70, lanes along i1 */
static void map_1x70_3(const float *p0, const float *restrict p1, float *y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, hold_f32x8((x0 * x1)));
    }
    {
        const f32x8 x0 = load_tail_f32x8(p0 + 64, 6);
        const f32x8 x1 = splat_f32x8(*p1);
        store_tail_f32x8(y + 64, hold_f32x8((x0 * x1)), 6);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_softmax_9da0cc01_check(void)
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

uint32_t griotte_softmax_9da0cc01_abi(void)
{
    return 0x1f5851e;
}

void griotte_softmax_9da0cc01(const float *x0, float *y)
{
    float buffer_1_own[9] __attribute__((aligned(64)));
    float buffer_6_own[9] __attribute__((aligned(64)));
    {
        float *const buffer_1 = buffer_1_own;
        combine_9x70_0(x0, buffer_1);
        {
            for (int64_t i0_2 = 0; i0_2 < 9; i0_2++) {
                const float *x_3 = x0 + i0_2 * 70;
                const float *buffer_4 = buffer_1 + i0_2;
                float *y_5 = y + i0_2 * 70;
                map_1x70_1(x_3, buffer_4, y_5);
            }
            {
                float *const buffer_6 = buffer_6_own;
                combine_9x70_2(y, buffer_6);
                for (int64_t i0_7 = 0; i0_7 < 9; i0_7++) {
                    const float *y_8 = y + i0_7 * 70;
                    const float *buffer_9 = buffer_6 + i0_7;
                    float *y_10 = y + i0_7 * 70;
                    map_1x70_3(y_8, buffer_9, y_10);
                }
            }
        }
    }
}
