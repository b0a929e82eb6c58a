/*
 * add(matmul(gelu(add(matmul(f32[128,768], const f32[768,3072]) -> f32[128,3072], const f32[3072]) -> f32[128,3072]) -> f32[128,3072], const f32[3072,768]) -> f32[128,768], const f32[768]) -> f32[128,768]
 *
 * native, 1 thread, 5.052e+07 cycles by the model
 *
 * buffer gelu 128x3072 f32 in memory
 *     ahead x1 768x3072, panels of 24, once
 *         pack k3072=3072 l768=768, lanes along k3072
 *       view x2 3072 -> L1
 *         loop j128 by 64
 *           loop k3072 by 384
 *             buffer matmul 64x384 f32 in L2
 *                 loop l768 by 384
 *                   first:
 *                     view x0 64x384 -> L2
 *                       loop l768 by 256
 *                         first:
 *                           loop l768 by 128
 *                             first:
 *                               copy x0 64x128 -> L2, panels of 4
 *                                   pack j128=64 l768=128, lanes along j128
 *                                 loop k3072 by 24
 *                                   view x1 128x24 -> L1
 *                                     loop j128 by 8
 *                                       view x0 8x128 -> L1
 *                                         loop j128 by 4
 *                                           registers matmul 4x24  multiply_add j128=4 k3072=24 l768=128, lanes along k3072
 *                               copy x0 64x128 -> L2, panels of 4
 *                                   pack j128=64 l768=128, lanes along j128
 *                                 loop k3072 by 24
 *                                   view x1 128x24 -> L1
 *                                     loop j128 by 8
 *                                       view x0 8x128 -> L1
 *                                         loop j128 by 4
 *                                           registers matmul 4x24  multiply_add j128=4 k3072=24 l768=128, lanes along k3072
 *                         leftover l768 128:
 *                           copy x0 64x128 -> L2, panels of 4
 *                               pack j128=64 l768=128, lanes along j128
 *                             loop k3072 by 24
 *                               view x1 128x24 -> L1
 *                                 loop j128 by 8
 *                                   view x0 8x128 -> L1
 *                                     loop j128 by 4
 *                                       registers matmul 4x24  multiply_add j128=4 k3072=24 l768=128, lanes along k3072
 *                     view x0 64x384 -> L2
 *                       loop l768 by 128
 *                         copy x0 64x128 -> L2, panels of 4
 *                             pack j128=64 l768=128, lanes along j128
 *                           loop k3072 by 24
 *                             view x1 128x24 -> L1
 *                               loop j128 by 8
 *                                 view x0 8x128 -> L1
 *                                   loop j128 by 4
 *                                     registers matmul 4x24  multiply_add j128=4 k3072=24 l768=128, lanes along k3072
 *               loop j128 by 1
 *                 map j128=1 k3072=384, lanes along k3072
 *   ahead x3 3072x768, panels of 24, once
 *       pack k768=768 l3072=3072, lanes along k768
 *     view x4 768 -> L1
 *       loop j128 by 64
 *         buffer matmul 64x768 f32 in L2
 *             loop l3072 by 256
 *               first:
 *                 copy gelu 64x256 -> L2, panels of 4
 *                     pack j128=64 l3072=256, lanes along j128
 *                   loop l3072 by 128
 *                     first:
 *                       loop k768 by 24
 *                         view x3 128x24 -> L1
 *                           loop j128 by 8
 *                             view gelu 8x128 -> L1
 *                               loop j128 by 4
 *                                 registers matmul 4x24  multiply_add j128=4 k768=24 l3072=128, lanes along k768
 *                       loop k768 by 24
 *                         view x3 128x24 -> L1
 *                           loop j128 by 8
 *                             view gelu 8x128 -> L1
 *                               loop j128 by 4
 *                                 registers matmul 4x24  multiply_add j128=4 k768=24 l3072=128, lanes along k768
 *                 copy gelu 64x256 -> L2, panels of 4
 *                     pack j128=64 l3072=256, lanes along j128
 *                   loop l3072 by 128
 *                     loop k768 by 24
 *                       view x3 128x24 -> L1
 *                         loop j128 by 8
 *                           view gelu 8x128 -> L1
 *                             loop j128 by 4
 *                               registers matmul 4x24  multiply_add j128=4 k768=24 l3072=128, lanes along k768
 *           loop j128 by 1
 *             map j128=1 k768=768, lanes along k768
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

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) int any_below_f32x8(f32x8 x, f32x8 low)
{
    return _mm256_movemask_ps(_mm256_cmp_ps((__m256)x, (__m256)low, _CMP_NGE_UQ));
}

static inline __attribute__((always_inline, unused)) f32x8 at_most_f32x8(f32x8 x, f32x8 high)
{
    return (f32x8)_mm256_min_ps((__m256)high, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 abs_f32x8(f32x8 x)
{
    return (f32x8)((u32x8)x & ~0x80000000u);
}

static inline __attribute__((always_inline, unused)) f32x8 square_f32x8(f32x8 x)
{
    return (f32x8)_mm256_fmadd_ps((__m256)x, (__m256)x, _mm256_set1_ps(0x1p-50f));
}

static inline __attribute__((always_inline, unused)) f32x8 square_low_f32x8(f32x8 x, f32x8 s)
{
    return (f32x8)_mm256_fmsub_ps((__m256)x, (__m256)x, (__m256)s);
}

static inline __attribute__((always_inline, unused)) f32x8 look_up_f32x8(f32x8 moved, f32x8 powers)
{
    return (f32x8)_mm256_permutevar8x32_ps((__m256)powers, (__m256i)moved);
}

static inline __attribute__((always_inline, unused)) f32x8 and_more_f32x8(f32x8 x, f32x8 by)
{
    return (f32x8)_mm256_fmadd_ps((__m256)x, (__m256)by, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 ratio_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) f32x8 at_least_f32x8(f32x8 x, f32x8 low)
{
    return (f32x8)_mm256_max_ps((__m256)low, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 select_lt_f32x8(f32x8 a, f32x8 b, f32x8 x, f32x8 y)
{
    return (f32x8)_mm256_blendv_ps((__m256)y, (__m256)x, _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
}

static inline __attribute__((always_inline, unused)) f32x8 blend_f32x8(s32x8 m, f32x8 x, f32x8 y)
{
    return (f32x8)(((s32x8)x & m) | ((s32x8)y & ~m));
}

static inline __attribute__((always_inline, unused)) f32x8 with_sign_f32x8(f32x8 x, f32x8 y)
{
    return (f32x8)((u32x8)x | ((u32x8)y & 0x80000000u));
}

static inline __attribute__((always_inline, unused)) f32x8 settle_f32x8(f32x8 x, s32x8 deep)
{
    f32x8 size = abs_f32x8(x), least = ((f32x8){0} + 1.4901161193847656e-08f);
    u32x8 rounded = (u32x8)(size + least) - (u32x8)least, whole = (u32x8)size - (((u32x8){0} + 100) << 23);
    f32x8 found = blend_f32x8((s32x8)(size < least), (f32x8)rounded, (f32x8)whole);
    return blend_f32x8(deep, with_sign_f32x8(found, x), x);
}

static inline __attribute__((always_inline, unused)) f32x8 gelu_wide_f32x8(f32x8 x)
{
    f32x8 given = x, t = at_most_f32x8(abs_f32x8(x), ((f32x8){0} + 15.0f)), s = square_f32x8(t);
    f32x8 low = square_low_f32x8(t, s) * (-0.5f);
    x = s * (-0.5f);
    s32x8 deep = (s32x8)(t > ((f32x8){0} + 12.8f));
    s32x8 above = deep & (s32x8)(given > ((f32x8){0} + 0.0f));
    f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
    f32x8 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f + low, square = square_f32x8(r);
    moved = (f32x8)((u32x8)moved + ((u32x8)deep & 800));
    f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, (f32x8){1.0f, 0.9827538728713989f, 0.9696035385131836f, 0.9609197974205017f, 0.9571067690849304f, 0.9586054086685181f, 0.9658964276313782f, 0.9795040488243103f}) + ((u32x8)moved << 20)), z = and_more_f32x8(power, (((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + (r + look_up_f32x8(moved, (f32x8){0.0f, (-1.1992157087749744e-08f), 3.193418086123237e-08f, (-3.099072075830814e-08f), 1.711427132869866e-08f, 5.233334249811561e-09f, (-1.4719605440187417e-08f), (-6.12825982414774e-09f)})));
    z = (f32x8)((s32x8)z & ~above);
    f32x8 near = given * ((((((f32x8){0} + (-8.167606e-06f)) * (s * s) + (-0.0011880201f)) * (s * s) + (-0.06649054f)) * s + ((((f32x8){0} + 0.00011501915f) * (s * s) + 0.009974163f) * (s * s) + 0.3989423f)) * given + 0.5f);
    f32x8 u = ratio_f32x8(t - 3.0f, t + 3.0f);
    f32x8 far = at_least_f32x8(given, -(f32x8){0}) - ((((((f32x8){0} + (-3.968175e-05f)) * (u * u) + (-0.0017380117f)) * (u * u) + 0.09137673f) * (u * u) + 0.109875865f) * u + ((((((f32x8){0} + (-0.0005460223f)) * (u * u) + 0.0039657666f) * (u * u) + (-0.028858317f)) * (u * u) + (-0.13965735f)) * (u * u) + 0.36454186f)) * z;
    f32x8 found = select_lt_f32x8(t, ((f32x8){0} + 1.0f), near, far);
    return settle_f32x8(found, deep & ~above);
}

static inline __attribute__((always_inline, unused)) f32x8 gelu_f32x8(f32x8 x)
{
    if (__builtin_expect(any_below_f32x8(x, ((f32x8){0} + (-12.8f))), 0)) return gelu_wide_f32x8(x);
    f32x8 given = x, t = at_most_f32x8(abs_f32x8(x), ((f32x8){0} + 12.8f)), s = square_f32x8(t);
    f32x8 low = square_low_f32x8(t, s) * (-0.5f);
    x = s * (-0.5f);
    f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
    f32x8 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f + low, square = square_f32x8(r);
    f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, (f32x8){1.0f, 0.9827538728713989f, 0.9696035385131836f, 0.9609197974205017f, 0.9571067690849304f, 0.9586054086685181f, 0.9658964276313782f, 0.9795040488243103f}) + ((u32x8)moved << 20)), z = and_more_f32x8(power, (((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + (r + look_up_f32x8(moved, (f32x8){0.0f, (-1.1992157087749744e-08f), 3.193418086123237e-08f, (-3.099072075830814e-08f), 1.711427132869866e-08f, 5.233334249811561e-09f, (-1.4719605440187417e-08f), (-6.12825982414774e-09f)})));
    f32x8 near = given * ((((((f32x8){0} + (-8.167606e-06f)) * (s * s) + (-0.0011880201f)) * (s * s) + (-0.06649054f)) * s + ((((f32x8){0} + 0.00011501915f) * (s * s) + 0.009974163f) * (s * s) + 0.3989423f)) * given + 0.5f);
    f32x8 u = ratio_f32x8(t - 3.0f, t + 3.0f);
    f32x8 far = at_least_f32x8(given, -(f32x8){0}) - ((((((f32x8){0} + (-3.968175e-05f)) * (u * u) + (-0.0017380117f)) * (u * u) + 0.09137673f) * (u * u) + 0.109875865f) * u + ((((((f32x8){0} + (-0.0005460223f)) * (u * u) + 0.0039657666f) * (u * u) + (-0.028858317f)) * (u * u) + (-0.13965735f)) * (u * u) + 0.36454186f)) * z;
    f32x8 found = select_lt_f32x8(t, ((f32x8){0} + 1.0f), near, far);
    return found;
}


static _Thread_local float buffer_1_thread[393216] __attribute__((aligned(64)));
static _Thread_local float buffer_9_thread[50176] __attribute__((aligned(64)));
static _Thread_local float packed_10_thread[16400] __attribute__((aligned(64)));

/* y[j128 k3072] = add of mul(p0[j128 l768], p1[l768 k3072]), j128=4 k3072=24 l768=128, lanes along k3072 */
static void multiply_add_4x24x128_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c2_2 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c3_2 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t l768 = 0; l768 < 128; l768 += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[l768 * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + l768 * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + l768 * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + l768 * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[l768 * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[l768 * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[l768 * 4 + 3]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 400, c1_0);
    store_f32x8(y + 408, c1_1);
    store_f32x8(y + 416, c1_2);
    store_f32x8(y + 800, c2_0);
    store_f32x8(y + 808, c2_1);
    store_f32x8(y + 816, c2_2);
    store_f32x8(y + 1200, c3_0);
    store_f32x8(y + 1208, c3_1);
    store_f32x8(y + 1216, c3_2);
}

/* y[j128 l768] = p0[j128 l768], j128=64 l768=128, lanes along j128 */
static void pack_64x128_1(const float *restrict p0, float *restrict y)
{
    for (int64_t p = 0; p < 16; p++) {
        for (int64_t j = 0; j < 32; j++) {
            {
                float *t = y + p * 512 + j * 16;
                const float *s = p0 + p * 3072 + j * 4;
                const f32x4 r0 = load_f32x4(s);
                const f32x4 r1 = load_f32x4(s + 768);
                const f32x4 r2 = load_f32x4(s + 1536);
                const f32x4 r3 = load_f32x4(s + 2304);
                const f32x4 t1_0 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6);
                const f32x4 t1_1 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
                const f32x4 t1_2 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
                const f32x4 t1_3 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
                const f32x4 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 4, 5);
                const f32x4 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 6, 7);
                const f32x4 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 4, 5);
                const f32x4 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 6, 7);
                store_f32x4(t, t2_0);
                store_f32x4(t + 4, t2_1);
                store_f32x4(t + 8, t2_2);
                store_f32x4(t + 12, t2_3);
            }
        }
    }
}

/* y[j128 k3072] += mul(p0[j128 l768], p1[l768 k3072]), j128=4 k3072=24 l768=128, lanes along k3072 */
static void multiply_add_4x24x128_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 400, 1);
    __builtin_prefetch(y + 416, 1);
    __builtin_prefetch(y + 800, 1);
    __builtin_prefetch(y + 816, 1);
    __builtin_prefetch(y + 1200, 1);
    __builtin_prefetch(y + 1216, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c2_2 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c3_2 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t l768 = 0; l768 < 128; l768 += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[l768 * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + l768 * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + l768 * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + l768 * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[l768 * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[l768 * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[l768 * 4 + 3]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c0_2 = add_f32x8(load_f32x8(y + 16), c0_2);
    store_f32x8(y + 16, c0_2);
    c1_0 = add_f32x8(load_f32x8(y + 400), c1_0);
    store_f32x8(y + 400, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 408), c1_1);
    store_f32x8(y + 408, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 416), c1_2);
    store_f32x8(y + 416, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 800), c2_0);
    store_f32x8(y + 800, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 808), c2_1);
    store_f32x8(y + 808, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 816), c2_2);
    store_f32x8(y + 816, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 1200), c3_0);
    store_f32x8(y + 1200, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 1208), c3_1);
    store_f32x8(y + 1208, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 1216), c3_2);
    store_f32x8(y + 1216, c3_2);
}

/* y[j128 k3072] = gelu(add(p0[j128 k3072], p1[k3072])), j128=1 k3072=384, lanes along k3072 */
static void map_1x384_3(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 384; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        store_f32x8(y + i, hold_f32x8(gelu_f32x8((x0 + x1))));
    }
}

/* y[j128 k768] = add of mul(p0[j128 l3072], p1[l3072 k768]), j128=4 k768=24 l3072=128, lanes along k768 */
static void multiply_add_4x24x128_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c2_2 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c3_2 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t l3072 = 0; l3072 < 128; l3072 += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[l3072 * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + l3072 * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + l3072 * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + l3072 * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[l3072 * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[l3072 * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[l3072 * 4 + 3]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 784, c1_0);
    store_f32x8(y + 792, c1_1);
    store_f32x8(y + 800, c1_2);
    store_f32x8(y + 1568, c2_0);
    store_f32x8(y + 1576, c2_1);
    store_f32x8(y + 1584, c2_2);
    store_f32x8(y + 2352, c3_0);
    store_f32x8(y + 2360, c3_1);
    store_f32x8(y + 2368, c3_2);
}

/* y[j128 k768] += mul(p0[j128 l3072], p1[l3072 k768]), j128=4 k768=24 l3072=128, lanes along k768 */
static void multiply_add_4x24x128_5(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 784, 1);
    __builtin_prefetch(y + 800, 1);
    __builtin_prefetch(y + 1568, 1);
    __builtin_prefetch(y + 1584, 1);
    __builtin_prefetch(y + 2352, 1);
    __builtin_prefetch(y + 2368, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c2_2 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c3_2 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t l3072 = 0; l3072 < 128; l3072 += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[l3072 * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + l3072 * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + l3072 * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + l3072 * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[l3072 * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[l3072 * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[l3072 * 4 + 3]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c0_2 = add_f32x8(load_f32x8(y + 16), c0_2);
    store_f32x8(y + 16, c0_2);
    c1_0 = add_f32x8(load_f32x8(y + 784), c1_0);
    store_f32x8(y + 784, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 792), c1_1);
    store_f32x8(y + 792, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 800), c1_2);
    store_f32x8(y + 800, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 1568), c2_0);
    store_f32x8(y + 1568, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 1576), c2_1);
    store_f32x8(y + 1576, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 1584), c2_2);
    store_f32x8(y + 1584, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 2352), c3_0);
    store_f32x8(y + 2352, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 2360), c3_1);
    store_f32x8(y + 2360, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 2368), c3_2);
    store_f32x8(y + 2368, c3_2);
}

/* y[j128 l3072] = p0[j128 l3072], j128=64 l3072=256, lanes along j128 */
static void pack_64x256_6(const float *restrict p0, float *restrict y)
{
    for (int64_t p = 0; p < 16; p++) {
        for (int64_t j = 0; j < 64; j++) {
            {
                float *t = y + p * 1024 + j * 16;
                const float *s = p0 + p * 12288 + j * 4;
                const f32x4 r0 = load_f32x4(s);
                const f32x4 r1 = load_f32x4(s + 3072);
                const f32x4 r2 = load_f32x4(s + 6144);
                const f32x4 r3 = load_f32x4(s + 9216);
                const f32x4 t1_0 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6);
                const f32x4 t1_1 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
                const f32x4 t1_2 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
                const f32x4 t1_3 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
                const f32x4 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 4, 5);
                const f32x4 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 6, 7);
                const f32x4 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 4, 5);
                const f32x4 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 6, 7);
                store_f32x4(t, t2_0);
                store_f32x4(t + 4, t2_1);
                store_f32x4(t + 8, t2_2);
                store_f32x4(t + 12, t2_3);
            }
        }
    }
}

/* y[j128 k768] = add(p0[j128 k768], p1[k768]), j128=1 k768=768, lanes along k768 */
static void map_1x768_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 768; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        store_f32x8(y + i, (x0 + x1));
    }
}

/* y[l768 k3072] = p0[l768 k3072], k3072=3072 l768=768, lanes along k3072 */
static void pack_3072x768_8(const float *restrict p0, float *restrict y)
{
    for (int64_t b = 0; b < 96; b++) {
        for (int64_t p = 0; p < 128; p++) {
            for (int64_t i0 = 0; i0 < 8; i0++) {
                {
                    const float *s = p0 + b * 24576 + p * 24 + i0 * 3072;
                    float *t = y + b * 192 + p * 18432 + i0 * 24;
                    store_f32x8(t, load_f32x8(s));
                    store_f32x8(t + 8, load_f32x8(s + 8));
                    store_f32x8(t + 16, load_f32x8(s + 16));
                }
            }
        }
    }
}

/* y[l3072 k768] = p0[l3072 k768], k768=768 l3072=3072, lanes along k768 */
static void pack_768x3072_9(const float *restrict p0, float *restrict y)
{
    for (int64_t b = 0; b < 384; b++) {
        for (int64_t p = 0; p < 32; p++) {
            for (int64_t i0 = 0; i0 < 8; i0++) {
                {
                    const float *s = p0 + b * 6144 + p * 24 + i0 * 768;
                    float *t = y + b * 192 + p * 73728 + i0 * 24;
                    store_f32x8(t, load_f32x8(s));
                    store_f32x8(t + 8, load_f32x8(s + 8));
                    store_f32x8(t + 16, load_f32x8(s + 16));
                }
            }
        }
    }
}

/* x1 in panels of 24, for griotte_add_0be77d46 */
void griotte_add_0be77d46_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_3072x768_8(x1, packed);
}

/* x3 in panels of 24, for griotte_add_0be77d46 */
void griotte_add_0be77d46_pack_x3(const float *x3, void *packed_x3)
{
    float *const packed = packed_x3;
    pack_768x3072_9(x3, packed);
}

__attribute__((target("general-regs-only"))) const char *griotte_add_0be77d46_check(void)
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

uint32_t griotte_add_0be77d46_abi(void)
{
    return 0x156bdc4;
}

void griotte_add_0be77d46(const float *x0, const void *packed_x1, const float *x2, const void *packed_x3, const float *x4, float *y)
{
    const float *const x1 = packed_x1;
    const float *const x3 = packed_x3;
    float *packed_10_own = packed_10_thread;
    __asm__ volatile("" : "+r"(packed_10_own));
    float *buffer_9_own = buffer_9_thread;
    __asm__ volatile("" : "+r"(buffer_9_own));
    float *buffer_1_own = buffer_1_thread;
    __asm__ volatile("" : "+r"(buffer_1_own));
    {
        float *const buffer_1 = buffer_1_own;
        for (int64_t j128_2 = 0; j128_2 < 2; j128_2++) {
            const float *x_3 = x0 + j128_2 * 49152;
            float *buffer_4 = buffer_1 + j128_2 * 196608;
            for (int64_t k3072_5 = 0; k3072_5 < 8; k3072_5++) {
                const float *x_6 = x1 + k3072_5 * 294912;
                const float *x_7 = x2 + k3072_5 * 384;
                float *buffer_8 = buffer_4 + k3072_5 * 384;
                {
                    float *const buffer_9 = buffer_9_own;
                    {
                        float *const packed_10 = packed_10_own;
                        /* copy into panels of 4, L2 */
                        pack_64x128_1(x_3, packed_10);
                        for (int64_t k3072_11 = 0; k3072_11 < 16; k3072_11++) {
                            const float *x_12 = x_6 + k3072_11 * 18432;
                            float *buffer_13 = buffer_9 + k3072_11 * 24;
                            for (int64_t j128_14 = 0; j128_14 < 8; j128_14++) {
                                const float *packed_15 = packed_10 + j128_14 * 1024;
                                float *buffer_16 = buffer_13 + j128_14 * 3200;
                                for (int64_t j128_17 = 0; j128_17 < 2; j128_17++) {
                                    const float *packed_18 = packed_15 + j128_17 * 512;
                                    float *buffer_19 = buffer_16 + j128_17 * 1600;
                                    multiply_add_4x24x128_0(packed_18, x_12, buffer_19);
                                }
                            }
                        }
                    }
                    {
                        const float *x_20 = x_3 + 128;
                        const float *x_21 = x_6 + 3072;
                        {
                            float *const packed_22 = packed_10_own;
                            /* copy into panels of 4, L2 */
                            pack_64x128_1(x_20, packed_22);
                            for (int64_t k3072_23 = 0; k3072_23 < 16; k3072_23++) {
                                const float *x_24 = x_21 + k3072_23 * 18432;
                                float *buffer_25 = buffer_9 + k3072_23 * 24;
                                for (int64_t j128_26 = 0; j128_26 < 8; j128_26++) {
                                    const float *packed_27 = packed_22 + j128_26 * 1024;
                                    float *buffer_28 = buffer_25 + j128_26 * 3200;
                                    for (int64_t j128_29 = 0; j128_29 < 2; j128_29++) {
                                        const float *packed_30 = packed_27 + j128_29 * 512;
                                        float *buffer_31 = buffer_28 + j128_29 * 1600;
                                        multiply_add_4x24x128_2(packed_30, x_24, buffer_31);
                                    }
                                }
                            }
                        }
                    }
                    {
                        const float *x_32 = x_3 + 256;
                        const float *x_33 = x_6 + 6144;
                        {
                            float *const packed_34 = packed_10_own;
                            /* copy into panels of 4, L2 */
                            pack_64x128_1(x_32, packed_34);
                            for (int64_t k3072_35 = 0; k3072_35 < 16; k3072_35++) {
                                const float *x_36 = x_33 + k3072_35 * 18432;
                                float *buffer_37 = buffer_9 + k3072_35 * 24;
                                for (int64_t j128_38 = 0; j128_38 < 8; j128_38++) {
                                    const float *packed_39 = packed_34 + j128_38 * 1024;
                                    float *buffer_40 = buffer_37 + j128_38 * 3200;
                                    for (int64_t j128_41 = 0; j128_41 < 2; j128_41++) {
                                        const float *packed_42 = packed_39 + j128_41 * 512;
                                        float *buffer_43 = buffer_40 + j128_41 * 1600;
                                        multiply_add_4x24x128_2(packed_42, x_36, buffer_43);
                                    }
                                }
                            }
                        }
                    }
                    {
                        const float *x_44 = x_3 + 384;
                        const float *x_45 = x_6 + 9216;
                        for (int64_t l768_46 = 0; l768_46 < 3; l768_46++) {
                            const float *x_47 = x_44 + l768_46 * 128;
                            const float *x_48 = x_45 + l768_46 * 3072;
                            {
                                float *const packed_49 = packed_10_own;
                                /* copy into panels of 4, L2 */
                                pack_64x128_1(x_47, packed_49);
                                for (int64_t k3072_50 = 0; k3072_50 < 16; k3072_50++) {
                                    const float *x_51 = x_48 + k3072_50 * 18432;
                                    float *buffer_52 = buffer_9 + k3072_50 * 24;
                                    for (int64_t j128_53 = 0; j128_53 < 8; j128_53++) {
                                        const float *packed_54 = packed_49 + j128_53 * 1024;
                                        float *buffer_55 = buffer_52 + j128_53 * 3200;
                                        for (int64_t j128_56 = 0; j128_56 < 2; j128_56++) {
                                            const float *packed_57 = packed_54 + j128_56 * 512;
                                            float *buffer_58 = buffer_55 + j128_56 * 1600;
                                            multiply_add_4x24x128_2(packed_57, x_51, buffer_58);
                                        }
                                    }
                                }
                            }
                        }
                    }
                    for (int64_t j128_59 = 0; j128_59 < 64; j128_59++) {
                        const float *buffer_60 = buffer_9 + j128_59 * 400;
                        float *buffer_61 = buffer_8 + j128_59 * 3072;
                        map_1x384_3(buffer_60, x_7, buffer_61);
                    }
                }
            }
        }
        for (int64_t j128_62 = 0; j128_62 < 2; j128_62++) {
            const float *buffer_63 = buffer_1 + j128_62 * 196608;
            float *y_64 = y + j128_62 * 49152;
            {
                float *const buffer_65 = buffer_9_own;
                {
                    float *const packed_66 = packed_10_own;
                    /* copy into panels of 4, L2 */
                    pack_64x256_6(buffer_63, packed_66);
                    for (int64_t k768_67 = 0; k768_67 < 32; k768_67++) {
                        const float *x_68 = x3 + k768_67 * 73728;
                        float *buffer_69 = buffer_65 + k768_67 * 24;
                        for (int64_t j128_70 = 0; j128_70 < 8; j128_70++) {
                            const float *packed_71 = packed_66 + j128_70 * 2048;
                            float *buffer_72 = buffer_69 + j128_70 * 6272;
                            for (int64_t j128_73 = 0; j128_73 < 2; j128_73++) {
                                const float *packed_74 = packed_71 + j128_73 * 1024;
                                float *buffer_75 = buffer_72 + j128_73 * 3136;
                                multiply_add_4x24x128_4(packed_74, x_68, buffer_75);
                            }
                        }
                    }
                    {
                        const float *packed_76 = packed_66 + 512;
                        const float *x_77 = x3 + 3072;
                        for (int64_t k768_78 = 0; k768_78 < 32; k768_78++) {
                            const float *x_79 = x_77 + k768_78 * 73728;
                            float *buffer_80 = buffer_65 + k768_78 * 24;
                            for (int64_t j128_81 = 0; j128_81 < 8; j128_81++) {
                                const float *packed_82 = packed_76 + j128_81 * 2048;
                                float *buffer_83 = buffer_80 + j128_81 * 6272;
                                for (int64_t j128_84 = 0; j128_84 < 2; j128_84++) {
                                    const float *packed_85 = packed_82 + j128_84 * 1024;
                                    float *buffer_86 = buffer_83 + j128_84 * 3136;
                                    multiply_add_4x24x128_5(packed_85, x_79, buffer_86);
                                }
                            }
                        }
                    }
                }
                for (int64_t l3072_87 = 1; l3072_87 < 12; l3072_87++) {
                    const float *buffer_88 = buffer_63 + l3072_87 * 256;
                    const float *x_89 = x3 + l3072_87 * 6144;
                    {
                        float *const packed_90 = packed_10_own;
                        /* copy into panels of 4, L2 */
                        pack_64x256_6(buffer_88, packed_90);
                        for (int64_t l3072_91 = 0; l3072_91 < 2; l3072_91++) {
                            const float *packed_92 = packed_90 + l3072_91 * 512;
                            const float *x_93 = x_89 + l3072_91 * 3072;
                            for (int64_t k768_94 = 0; k768_94 < 32; k768_94++) {
                                const float *x_95 = x_93 + k768_94 * 73728;
                                float *buffer_96 = buffer_65 + k768_94 * 24;
                                for (int64_t j128_97 = 0; j128_97 < 8; j128_97++) {
                                    const float *packed_98 = packed_92 + j128_97 * 2048;
                                    float *buffer_99 = buffer_96 + j128_97 * 6272;
                                    for (int64_t j128_100 = 0; j128_100 < 2; j128_100++) {
                                        const float *packed_101 = packed_98 + j128_100 * 1024;
                                        float *buffer_102 = buffer_99 + j128_100 * 3136;
                                        multiply_add_4x24x128_5(packed_101, x_95, buffer_102);
                                    }
                                }
                            }
                        }
                    }
                }
                for (int64_t j128_103 = 0; j128_103 < 64; j128_103++) {
                    const float *buffer_104 = buffer_65 + j128_103 * 784;
                    float *y_105 = y_64 + j128_103 * 768;
                    map_1x768_7(buffer_104, x4, y_105);
                }
            }
        }
    }
}
