/*
 * add(add(matmul(gelu(add(matmul(layer_norm(%h: add(add(matmul(reshape(transpose(attention(transpose(reshape(add(matmul(%n: layer_norm(%x: f32[128,768], const f32[768], const f32[768]), const f32[768,768]), const f32[768])) -> f32[128,12,64], perm=(1,0,2)), transpose(reshape(add(matmul(%n, const f32[768,768]), const f32[768])) -> f32[128,12,64], perm=(1,0,2)), transpose(reshape(add(matmul(%n, const f32[768,768]), const f32[768])) -> f32[128,12,64], perm=(1,0,2))), perm=(1,0,2))) -> f32[128,768], const f32[768,768]), const f32[768]), %x), const f32[768], const f32[768]), const f32[768,3072]), const f32[3072])), const f32[3072,768]), const f32[768]), %h) -> f32[128,768]
 *
 * native, 1 thread, 7.808e+07 cycles by the model
 *
 * x0 -> t18: sub, sum:
 *   loop i0 by 16
 *     view x0 16x1 -> L1
 *       loop i0 by 6
 *         registers t18 6  combine i0=6 i1=768, lanes along i1
 *         leftover i0 4:
 *           registers t18 4  combine i0=4 i1=768, lanes along i1
 * x0 t18 -> t21: first, map, sub:
 *   view t18 128 -> L1
 *     loop i0 by 4
 *       view x0 4x1 -> L1
 *         add in registers, computed where it is read
 *           loop i0 by 1
 *             map i0=1 d2=768, lanes along d2
 * t21 -> t22: map:
 *   map i0=98304, lanes along i0
 * t22 t21 x1 x2 -> t25: sum, map, map:
 *   view x1 768 -> L1
 *     view x2 768 -> L1
 *       loop i0 by 1
 *         view t22 1x768 -> L2
 *           buffer rsqrt 1 f32 in L1
 *               registers rsqrt 1  combine i0=1 i1=768, lanes along i1
 *             map i0=1 d3=768, lanes along d3
 * t25 x3 x4 -> t27: matmul, add:
 *   ahead x3 768x768, panels of 24, once
 *       pack k=768 n=768, lanes along k
 *     view x4 768 -> L1
 *       loop m by 64
 *         copy t25 64x768 -> L2, panels of 4
 *             pack k=768 m=64, lanes along k
 *           loop n by 192
 *             buffer matmul 64x192 f32 in L2
 *                 loop n by 24
 *                   loop k by 128
 *                     first:
 *                       view x3 128x24 -> L1
 *                         loop m by 8
 *                           view t25 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                       view x3 128x24 -> L1
 *                         loop m by 8
 *                           view t25 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *               loop m by 1
 *                 map m=1 n=192, lanes along n
 * t27 -> t28: copy: nothing moves
 * t28 -> t29: copy:
 *   loop i0 by 64
 *     loop i1 by 1
 *       view t29 1x64x64 -> L1
 *         loop i0 by 1
 *           map i0=1 i1=1 i2=64, lanes along i2
 * t25 x5 x6 -> t31: matmul, add:
 *   ahead x5 768x768, panels of 24, once
 *       pack k=768 n=768, lanes along k
 *     view x6 768 -> L1
 *       loop m by 64
 *         copy t25 64x768 -> L2, panels of 4
 *             pack k=768 m=64, lanes along k
 *           loop n by 192
 *             buffer matmul 64x192 f32 in L2
 *                 loop n by 24
 *                   loop k by 128
 *                     first:
 *                       view x5 128x24 -> L1
 *                         loop m by 8
 *                           view t25 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                       view x5 128x24 -> L1
 *                         loop m by 8
 *                           view t25 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *               loop m by 1
 *                 map m=1 n=192, lanes along n
 * t31 -> t32: copy: nothing moves
 * t32 -> t33: copy:
 *   loop i0 by 64
 *     loop i1 by 1
 *       view t33 1x64x64 -> L1
 *         loop i0 by 1
 *           map i0=1 i1=1 i2=64, lanes along i2
 * t29 t33 -> t34: scores:
 *   loop i0 by 1
 *     view t29 1x128x64 -> L2
 *       view t33 1x128x64 -> L2
 *         loop n by 48
 *           copy t33 1x48x64 -> L1, panels of 24
 *               pack k=64 n=48, lanes along k
 *             loop m by 16
 *               view t29 1x16x64 -> L1
 *                 loop n by 24
 *                   loop m by 4
 *                     registers t34 1x4x24  multiply_add m=4 n=24 k=64, lanes along n
 *           leftover n 32:
 *             copy t33 1x32x64 -> L1, panels of 32
 *                 pack k=64 n=32, lanes along k
 *               loop m by 96
 *                 loop m by 24
 *                   view t29 1x24x64 -> L1
 *                     loop n by 16
 *                       loop m by 6
 *                         registers t34 1x6x16  multiply_add m=6 n=16 k=64, lanes along n
 *                 leftover m 32:
 *                   view t29 1x32x64 -> L1
 *                     loop m by 24
 *                       loop n by 16
 *                         loop m by 6
 *                           registers t34 1x6x16  multiply_add m=6 n=16 k=64, lanes along n
 *                       leftover m 8:
 *                         loop m by 6
 *                           loop n by 16
 *                             registers t34 1x6x16  multiply_add m=6 n=16 k=64, lanes along n
 *                           leftover m 2:
 *                             registers t34 1x2x32  multiply_add m=2 n=32 k=64, lanes along n
 * t34 -> t36: max, map:
 *   loop i1 by 4
 *     view t34 4x128 -> L2
 *       buffer max 4 f32 in L1
 *           registers max 4  combine i1=4 i2=128, lanes along i2
 *         loop i1 by 1
 *           map i1=1 i2=128, lanes along i2
 * t36 -> t38: sum, div:
 *   loop i1 by 4
 *     view t36 4x128 -> L1
 *       buffer sum 4 f32 in L1
 *           registers sum 4  combine i1=4 i2=128, lanes along i2
 *         loop i1 by 1
 *           map i1=1 i2=128, lanes along i2
 * t25 x7 x8 -> t40: matmul, add:
 *   ahead x7 768x768, panels of 24, once
 *       pack k=768 n=768, lanes along k
 *     view x8 768 -> L1
 *       loop m by 64
 *         copy t25 64x768 -> L2, panels of 4
 *             pack k=768 m=64, lanes along k
 *           loop n by 192
 *             buffer matmul 64x192 f32 in L2
 *                 loop n by 24
 *                   loop k by 128
 *                     first:
 *                       view x7 128x24 -> L1
 *                         loop m by 8
 *                           view t25 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                       view x7 128x24 -> L1
 *                         loop m by 8
 *                           view t25 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *               loop m by 1
 *                 map m=1 n=192, lanes along n
 * t40 -> t41: copy: nothing moves
 * t41 -> t42: copy:
 *   loop i0 by 64
 *     loop i1 by 1
 *       view t42 1x64x64 -> L1
 *         loop i0 by 1
 *           map i0=1 i1=1 i2=64, lanes along i2
 * t38 t42 -> t44: weighted, copy:
 *   loop h by 1
 *     view t38 1x128x128 -> L2
 *       view t42 1x128x64 -> L2
 *         weighted in registers, the map after it done as it is stored
 *           copy t42 1x128x64 -> L2, panels of 24
 *               pack k=128 n=64, lanes along k
 *             loop n by 24
 *               view t42 1x128x24 -> L1
 *                 loop m by 8
 *                   view t38 1x8x128 -> L1
 *                     loop m by 4
 *                       registers t44 4x1x24  multiply_add m=4 n=24 k=128, lanes along n
 *               leftover n 16:
 *                 view t42 1x128x16 -> L1
 *                   loop m by 96
 *                     loop m by 12
 *                       view t38 1x12x128 -> L1
 *                         loop m by 6
 *                           registers t44 6x1x16  multiply_add m=6 n=16 k=128, lanes along n
 *                     leftover m 32:
 *                       loop m by 16
 *                         view t38 1x16x128 -> L1
 *                           loop m by 6
 *                             registers t44 6x1x16  multiply_add m=6 n=16 k=128, lanes along n
 *                             leftover m 4:
 *                               registers t44 4x1x16  multiply_add m=4 n=16 k=128, lanes along n
 * t44 -> t45: copy: nothing moves
 * t45 x9 x10 x0 -> t48: matmul, add, add:
 *   ahead x9 768x768, panels of 24, once
 *       pack k=768 n=768, lanes along k
 *     loop m by 64
 *       copy t45 64x768 -> L2, panels of 4
 *           pack k=768 m=64, lanes along k
 *         loop n by 192
 *           view x10 192 -> L1
 *             buffer matmul 64x192 f32 in L2
 *                 loop n by 24
 *                   loop k by 128
 *                     first:
 *                       view x9 128x24 -> L1
 *                         loop m by 8
 *                           view t45 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                       view x9 128x24 -> L1
 *                         loop m by 8
 *                           view t45 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *               loop m by 1
 *                 map m=1 n=192, lanes along n
 * t48 -> t50: first, sub:
 *   loop i0 by 4
 *     view t48 4x1 -> L1
 *       first in registers, computed where it is read
 *         loop i0 by 1
 *           map i0=1 d2=768, lanes along d2
 * t50 -> t51: sum:
 *   loop i0 by 12
 *     registers t51 12  combine i0=12 i1=768, lanes along i1
 *     leftover i0 8:
 *       registers t51 8  combine i0=8 i1=768, lanes along i1
 * t48 t51 -> t54: first, map, sub:
 *   view t51 128 -> L1
 *     loop i0 by 4
 *       view t48 4x1 -> L1
 *         add in registers, computed where it is read
 *           loop i0 by 1
 *             map i0=1 d2=768, lanes along d2
 * t54 -> t55: map:
 *   map i0=98304, lanes along i0
 * t55 t54 x11 x12 -> t58: sum, map, map:
 *   view x11 768 -> L1
 *     view x12 768 -> L1
 *       loop i0 by 1
 *         view t55 1x768 -> L2
 *           buffer rsqrt 1 f32 in L1
 *               registers rsqrt 1  combine i0=1 i1=768, lanes along i1
 *             map i0=1 d3=768, lanes along d3
 * t58 x13 x14 -> t61: matmul, add, gelu:
 *   ahead x13 768x3072, panels of 24, once
 *       pack k=768 n=3072, lanes along k
 *     view x14 3072 -> L1
 *       loop m by 64
 *         loop n by 384
 *           buffer matmul 64x384 f32 in L2
 *               loop k by 384
 *                 first:
 *                   view t58 64x384 -> L2
 *                     loop k by 256
 *                       first:
 *                         loop k by 128
 *                           first:
 *                             copy t58 64x128 -> L2, panels of 4
 *                                 pack k=128 m=64, lanes along k
 *                               loop n by 24
 *                                 view x13 128x24 -> L1
 *                                   loop m by 8
 *                                     view t58 8x128 -> L1
 *                                       loop m by 4
 *                                         registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                             copy t58 64x128 -> L2, panels of 4
 *                                 pack k=128 m=64, lanes along k
 *                               loop n by 24
 *                                 view x13 128x24 -> L1
 *                                   loop m by 8
 *                                     view t58 8x128 -> L1
 *                                       loop m by 4
 *                                         registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                       leftover k 128:
 *                         copy t58 64x128 -> L2, panels of 4
 *                             pack k=128 m=64, lanes along k
 *                           loop n by 24
 *                             view x13 128x24 -> L1
 *                               loop m by 8
 *                                 view t58 8x128 -> L1
 *                                   loop m by 4
 *                                     registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                   view t58 64x384 -> L2
 *                     loop k by 128
 *                       copy t58 64x128 -> L2, panels of 4
 *                           pack k=128 m=64, lanes along k
 *                         loop n by 24
 *                           view x13 128x24 -> L1
 *                             loop m by 8
 *                               view t58 8x128 -> L1
 *                                 loop m by 4
 *                                   registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *             loop m by 1
 *               map m=1 n=384, lanes along n
 * t61 x15 x16 t48 -> y: matmul, add, add:
 *   ahead x15 3072x768, panels of 24, once
 *       pack k=3072 n=768, lanes along k
 *     view x16 768 -> L1
 *       loop m by 64
 *         buffer matmul 64x768 f32 in L2
 *             loop k by 256
 *               first:
 *                 copy t61 64x256 -> L2, panels of 4
 *                     pack k=256 m=64, lanes along k
 *                   loop k by 128
 *                     first:
 *                       loop n by 24
 *                         view x15 128x24 -> L1
 *                           loop m by 8
 *                             view t61 8x128 -> L1
 *                               loop m by 4
 *                                 registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                       loop n by 24
 *                         view x15 128x24 -> L1
 *                           loop m by 8
 *                             view t61 8x128 -> L1
 *                               loop m by 4
 *                                 registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *                 copy t61 64x256 -> L2, panels of 4
 *                     pack k=256 m=64, lanes along k
 *                   loop k by 128
 *                     loop n by 24
 *                       view x15 128x24 -> L1
 *                         loop m by 8
 *                           view t61 8x128 -> L1
 *                             loop m by 4
 *                               registers matmul 4x24  multiply_add m=4 n=24 k=128, lanes along n
 *           loop m by 1
 *             map m=1 n=768, lanes along n
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
typedef uint32_t u32x1 __attribute__((vector_size(4)));
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

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
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

static inline __attribute__((always_inline, unused)) f32x8 div_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x8 hold_f32x8(f32x8 x)
{
    __asm__("" : "+x"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) f32x1 splat_f32x1(float x)
{
    return (f32x1){x};
}

static inline __attribute__((always_inline, unused)) f32x1 div_f32x1(f32x1 x, f32x1 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) f32x1 sqrt_f32x1(f32x1 x)
{
    return (f32x1){__builtin_sqrtf(x[0])};
}

static inline __attribute__((always_inline, unused)) f32x1 rsqrt_f32x1(f32x1 x)
{
    return 1.0f / sqrt_f32x1(x);
}

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
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

static inline __attribute__((always_inline, unused)) f32x8 square_f32x8(f32x8 x)
{
    return (f32x8)_mm256_fmadd_ps((__m256)x, (__m256)x, _mm256_set1_ps(0x1p-50f));
}

static inline __attribute__((always_inline, unused)) f32x8 look_up_f32x8(f32x8 moved, f32x8 powers)
{
    return (f32x8)_mm256_permutevar8x32_ps((__m256)powers, (__m256i)moved);
}

static inline __attribute__((always_inline, unused)) f32x8 and_more_f32x8(f32x8 x, f32x8 by)
{
    return (f32x8)_mm256_fmadd_ps((__m256)x, (__m256)by, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 decay_f32x8(f32x8 x)
{
    s32x8 gone = (s32x8)(x < ((f32x8){0} + (-87.33654f)));
    x = (f32x8)((s32x8)x & ~gone);
    f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
    f32x8 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f, square = square_f32x8(r);
    f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, (f32x8){1.0f, 0.9827538728713989f, 0.9696035385131836f, 0.9609197974205017f, 0.9571067690849304f, 0.9586054086685181f, 0.9658964276313782f, 0.9795040488243103f}) + ((u32x8)moved << 20)), z = and_more_f32x8(power, (((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + r);
    return (f32x8)((s32x8)z & ~gone);
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

static inline __attribute__((always_inline, unused)) f32x8 square_low_f32x8(f32x8 x, f32x8 s)
{
    return (f32x8)_mm256_fmsub_ps((__m256)x, (__m256)x, (__m256)s);
}

static inline __attribute__((always_inline, unused)) f32x8 ratio_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
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


static _Thread_local float buffer_26_thread[50176] __attribute__((aligned(64)));
static _Thread_local float buffer_35_thread[16400] __attribute__((aligned(64)));
static _Thread_local char griotte_add_bd27a302_workspace[2359296] __attribute__((aligned(64)));

/* y[i0] = add of sub(p0[i0 i1], p1[i0 1]), i0=6 i1=768, lanes along i1 */
static void combine_6x768_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
#pragma GCC unroll 8
    for (int64_t i1 = 0; i1 < 768; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            __builtin_prefetch(p0 + i1 + 128);
            const f32x8 x1_0_0 = splat_f32x8(p1[0]);
            c0_0 = add_f32x8(c0_0, (x0_0_0 - x1_0_0));
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 768);
            __builtin_prefetch(p0 + i1 + 768 + 128);
            const f32x8 x1_1_0 = splat_f32x8(p1[768]);
            c1_0 = add_f32x8(c1_0, (x0_1_0 - x1_1_0));
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 1536);
            __builtin_prefetch(p0 + i1 + 1536 + 128);
            const f32x8 x1_2_0 = splat_f32x8(p1[1536]);
            c2_0 = add_f32x8(c2_0, (x0_2_0 - x1_2_0));
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 2304);
            __builtin_prefetch(p0 + i1 + 2304 + 128);
            const f32x8 x1_3_0 = splat_f32x8(p1[2304]);
            c3_0 = add_f32x8(c3_0, (x0_3_0 - x1_3_0));
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 3072);
            __builtin_prefetch(p0 + i1 + 3072 + 128);
            const f32x8 x1_4_0 = splat_f32x8(p1[3072]);
            c4_0 = add_f32x8(c4_0, (x0_4_0 - x1_4_0));
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 3840);
            __builtin_prefetch(p0 + i1 + 3840 + 128);
            const f32x8 x1_5_0 = splat_f32x8(p1[3840]);
            c5_0 = add_f32x8(c5_0, (x0_5_0 - x1_5_0));
        }
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = add_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y, sums);
    }
    y[4] = reduce_add_f32x8(c4_0);
    y[5] = reduce_add_f32x8(c5_0);
}

/* y[i0] = add of sub(p0[i0 i1], p1[i0 1]), i0=4 i1=768, lanes along i1 */
static void combine_4x768_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_0a = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_0a = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_0a = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t i1 = 0; i1 < 768; i1 += 16) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            __builtin_prefetch(p0 + i1 + 128);
            const f32x8 x1_0_0 = splat_f32x8(p1[0]);
            c0_0 = add_f32x8(c0_0, (x0_0_0 - x1_0_0));
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 768);
            __builtin_prefetch(p0 + i1 + 768 + 128);
            const f32x8 x1_1_0 = splat_f32x8(p1[768]);
            c1_0 = add_f32x8(c1_0, (x0_1_0 - x1_1_0));
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 1536);
            __builtin_prefetch(p0 + i1 + 1536 + 128);
            const f32x8 x1_2_0 = splat_f32x8(p1[1536]);
            c2_0 = add_f32x8(c2_0, (x0_2_0 - x1_2_0));
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 2304);
            __builtin_prefetch(p0 + i1 + 2304 + 128);
            const f32x8 x1_3_0 = splat_f32x8(p1[2304]);
            c3_0 = add_f32x8(c3_0, (x0_3_0 - x1_3_0));
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 8);
            const f32x8 x1_0_0 = splat_f32x8(p1[0]);
            c0_0a = add_f32x8(c0_0a, (x0_0_0 - x1_0_0));
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 776);
            const f32x8 x1_1_0 = splat_f32x8(p1[768]);
            c1_0a = add_f32x8(c1_0a, (x0_1_0 - x1_1_0));
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 1544);
            const f32x8 x1_2_0 = splat_f32x8(p1[1536]);
            c2_0a = add_f32x8(c2_0a, (x0_2_0 - x1_2_0));
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 2312);
            const f32x8 x1_3_0 = splat_f32x8(p1[2304]);
            c3_0a = add_f32x8(c3_0a, (x0_3_0 - x1_3_0));
        }
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    c1_0 = add_f32x8(c1_0, c1_0a);
    c2_0 = add_f32x8(c2_0, c2_0a);
    c3_0 = add_f32x8(c3_0, c3_0a);
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = add_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y, sums);
    }
}

/* y[i0 d2] = sub(p0[i0 d2], add(div(p1[i0], 768), p2[i0 1])), i0=1 d2=768, lanes along d2 */
static void map_1x768_2(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    for (int64_t i = 0; i < 768; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        const f32x8 x2 = splat_f32x8(*p2);
        store_f32x8(y + i, (x0 - (div_f32x8(x1, splat_f32x8(768.0f)) + x2)));
    }
}

/* y[i0] = mul(p0[i0], p0[i0]), i0=98304, lanes along i0 */
static void map_98304_3(const float *restrict p0, float *restrict y)
{
    for (int64_t i = 0; i < 98304; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        store_f32x8(y + i, hold_f32x8((x0 * x0)));
    }
}

/* y[i0] = add of p0[i0 i1], i0=1 i1=768, lanes along i1 */
static void combine_1x768_4(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    f32x8 c0_0b = splat_f32x8(0.0f);
    f32x8 c0_0c = splat_f32x8(0.0f);
    f32x8 c0_0d = splat_f32x8(0.0f);
    f32x8 c0_0e = splat_f32x8(0.0f);
    f32x8 c0_0f = splat_f32x8(0.0f);
    f32x8 c0_0g = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t i1 = 0; i1 < 768; i1 += 64) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = add_f32x8(c0_0, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 8);
            c0_0a = add_f32x8(c0_0a, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 16);
            c0_0b = add_f32x8(c0_0b, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 24);
            c0_0c = add_f32x8(c0_0c, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 32);
            c0_0d = add_f32x8(c0_0d, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 40);
            c0_0e = add_f32x8(c0_0e, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 48);
            c0_0f = add_f32x8(c0_0f, x0_0_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1 + 56);
            c0_0g = add_f32x8(c0_0g, x0_0_0);
        }
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    c0_0 = add_f32x8(c0_0, c0_0b);
    c0_0 = add_f32x8(c0_0, c0_0c);
    c0_0 = add_f32x8(c0_0, c0_0d);
    c0_0 = add_f32x8(c0_0, c0_0e);
    c0_0 = add_f32x8(c0_0, c0_0f);
    c0_0 = add_f32x8(c0_0, c0_0g);
    y[0] = rsqrt_f32x1((div_f32x1((f32x1){reduce_add_f32x8(c0_0)}, splat_f32x1(768.0f)) + splat_f32x1(1e-05f)))[0];
}

/* y[i0 d3] = add(mul(mul(p0[i0 d3], p1[i0]), p2[d3]), p3[d3]), i0=1 d3=768, lanes along d3 */
static void map_1x768_5(const float *restrict p0, const float *restrict p1, const float *restrict p2, const float *restrict p3, float *restrict y)
{
    for (int64_t i = 0; i < 768; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        const f32x8 x2 = load_f32x8(p2 + i);
        const f32x8 x3 = load_f32x8(p3 + i);
        store_f32x8(y + i, (hold_f32x8((hold_f32x8((x0 * x1)) * x2)) + x3));
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_6(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k * 4 + 3]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 192, c1_0);
    store_f32x8(y + 200, c1_1);
    store_f32x8(y + 208, c1_2);
    store_f32x8(y + 384, c2_0);
    store_f32x8(y + 392, c2_1);
    store_f32x8(y + 400, c2_2);
    store_f32x8(y + 576, c3_0);
    store_f32x8(y + 584, c3_1);
    store_f32x8(y + 592, c3_2);
}

/* y[m n] += mul(p0[m k], p1[k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 208, 1);
    __builtin_prefetch(y + 384, 1);
    __builtin_prefetch(y + 400, 1);
    __builtin_prefetch(y + 576, 1);
    __builtin_prefetch(y + 592, 1);
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k * 4 + 3]);
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
    c1_0 = add_f32x8(load_f32x8(y + 192), c1_0);
    store_f32x8(y + 192, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 200), c1_1);
    store_f32x8(y + 200, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 208), c1_2);
    store_f32x8(y + 208, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 384), c2_0);
    store_f32x8(y + 384, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 392), c2_1);
    store_f32x8(y + 392, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 400), c2_2);
    store_f32x8(y + 400, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 576), c3_0);
    store_f32x8(y + 576, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 584), c3_1);
    store_f32x8(y + 584, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 592), c3_2);
    store_f32x8(y + 592, c3_2);
}

/* y[m n] = add(p0[m n], p1[n]), m=1 n=192, lanes along n */
static void map_1x192_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 192; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        store_f32x8(y + i, (x0 + x1));
    }
}

/* y[m k] = p0[m k], k=768 m=64, lanes along k */
static void pack_768x64_9(const float *restrict p0, float *restrict y)
{
    for (int64_t p = 0; p < 16; p++) {
        for (int64_t j = 0; j < 192; j++) {
            {
                float *t = y + p * 3072 + j * 16;
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

/* y[k n] = p0[k n], k=768 n=768, lanes along k */
static void pack_768x768_10(const float *restrict p0, float *restrict y)
{
    for (int64_t b = 0; b < 96; b++) {
        for (int64_t p = 0; p < 32; p++) {
            for (int64_t i0 = 0; i0 < 8; i0++) {
                {
                    const float *s = p0 + b * 6144 + p * 24 + i0 * 768;
                    float *t = y + b * 192 + p * 18432 + i0 * 24;
                    store_f32x8(t, load_f32x8(s));
                    store_f32x8(t + 8, load_f32x8(s + 8));
                    store_f32x8(t + 16, load_f32x8(s + 16));
                }
            }
        }
    }
}

/* y[i1 i0 i2] = p0[i0 i1 i2], i0=1 i1=1 i2=64, lanes along i2 */
static void map_1x1x64_11(const float *restrict p0, float *restrict y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        store_f32x8(y + i, x0);
    }
}

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=4 n=24 k=64, lanes along n */
static void multiply_add_4x24x64_12(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 23, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 144, 1);
    __builtin_prefetch(y + 151, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 272, 1);
    __builtin_prefetch(y + 279, 1);
    __builtin_prefetch(y + 384, 1);
    __builtin_prefetch(y + 400, 1);
    __builtin_prefetch(y + 407, 1);
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
    for (int64_t k = 0; k < 64; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 64]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 128]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 192]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 128, c1_0);
    store_f32x8(y + 136, c1_1);
    store_f32x8(y + 144, c1_2);
    store_f32x8(y + 256, c2_0);
    store_f32x8(y + 264, c2_1);
    store_f32x8(y + 272, c2_2);
    store_f32x8(y + 384, c3_0);
    store_f32x8(y + 392, c3_1);
    store_f32x8(y + 400, c3_2);
}

/* y[1 n k] = p0[1 n k], k=64 n=48, lanes along k */
static void pack_64x48_13(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 1; i0++) {
        for (int64_t p = 0; p < 2; p++) {
            for (int64_t j = 0; j < 8; j++) {
                {
                    float *t = y + i0 * 1536 + p * 1536 + j * 192;
                    const float *s = p0 + i0 * 8192 + p * 1536 + j * 8;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 24, t4_1);
                    store_f32x8(t + 48, t4_2);
                    store_f32x8(t + 72, t4_3);
                    store_f32x8(t + 96, t4_4);
                    store_f32x8(t + 120, t4_5);
                    store_f32x8(t + 144, t4_6);
                    store_f32x8(t + 168, t4_7);
                }
                {
                    float *t = y + i0 * 1536 + p * 1536 + j * 192 + 8;
                    const float *s = p0 + i0 * 8192 + p * 1536 + j * 8 + 512;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 24, t4_1);
                    store_f32x8(t + 48, t4_2);
                    store_f32x8(t + 72, t4_3);
                    store_f32x8(t + 96, t4_4);
                    store_f32x8(t + 120, t4_5);
                    store_f32x8(t + 144, t4_6);
                    store_f32x8(t + 168, t4_7);
                }
                {
                    float *t = y + i0 * 1536 + p * 1536 + j * 192 + 16;
                    const float *s = p0 + i0 * 8192 + p * 1536 + j * 8 + 1024;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 24, t4_1);
                    store_f32x8(t + 48, t4_2);
                    store_f32x8(t + 72, t4_3);
                    store_f32x8(t + 96, t4_4);
                    store_f32x8(t + 120, t4_5);
                    store_f32x8(t + 144, t4_6);
                    store_f32x8(t + 168, t4_7);
                }
            }
        }
    }
}

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=6 n=16 k=64, lanes along n */
static void multiply_add_6x16x64_14(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 15, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 143, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 271, 1);
    __builtin_prefetch(y + 384, 1);
    __builtin_prefetch(y + 399, 1);
    __builtin_prefetch(y + 512, 1);
    __builtin_prefetch(y + 527, 1);
    __builtin_prefetch(y + 640, 1);
    __builtin_prefetch(y + 655, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c4_1 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c5_1 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 64; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 32));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 32 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 64]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 128]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 192]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[k + 256]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[k + 320]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 128, c1_0);
    store_f32x8(y + 136, c1_1);
    store_f32x8(y + 256, c2_0);
    store_f32x8(y + 264, c2_1);
    store_f32x8(y + 384, c3_0);
    store_f32x8(y + 392, c3_1);
    store_f32x8(y + 512, c4_0);
    store_f32x8(y + 520, c4_1);
    store_f32x8(y + 640, c5_0);
    store_f32x8(y + 648, c5_1);
}

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=2 n=32 k=64, lanes along n */
static void multiply_add_2x32x64_15(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 31, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 144, 1);
    __builtin_prefetch(y + 159, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c0_2 = splat_f32x8(0.0f);
    f32x8 c0_3 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c1_2 = splat_f32x8(0.0f);
    f32x8 c1_3 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 64; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 32));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 32 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 32 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x1_3 = hold_f32x8(load_f32x8(p1 + k * 32 + 24));
            c0_3 += x0_0_0 * x1_3;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 64]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            c1_3 += x0_1_0 * x1_3;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 24, c0_3);
    store_f32x8(y + 128, c1_0);
    store_f32x8(y + 136, c1_1);
    store_f32x8(y + 144, c1_2);
    store_f32x8(y + 152, c1_3);
}

/* y[1 n k] = p0[1 n k], k=64 n=32, lanes along k */
static void pack_64x32_16(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 1; i0++) {
        for (int64_t p = 0; p < 1; p++) {
            for (int64_t j = 0; j < 8; j++) {
                {
                    float *t = y + i0 * 2048 + p * 2048 + j * 256;
                    const float *s = p0 + i0 * 8192 + p * 2048 + j * 8;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 32, t4_1);
                    store_f32x8(t + 64, t4_2);
                    store_f32x8(t + 96, t4_3);
                    store_f32x8(t + 128, t4_4);
                    store_f32x8(t + 160, t4_5);
                    store_f32x8(t + 192, t4_6);
                    store_f32x8(t + 224, t4_7);
                }
                {
                    float *t = y + i0 * 2048 + p * 2048 + j * 256 + 8;
                    const float *s = p0 + i0 * 8192 + p * 2048 + j * 8 + 512;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 32, t4_1);
                    store_f32x8(t + 64, t4_2);
                    store_f32x8(t + 96, t4_3);
                    store_f32x8(t + 128, t4_4);
                    store_f32x8(t + 160, t4_5);
                    store_f32x8(t + 192, t4_6);
                    store_f32x8(t + 224, t4_7);
                }
                {
                    float *t = y + i0 * 2048 + p * 2048 + j * 256 + 16;
                    const float *s = p0 + i0 * 8192 + p * 2048 + j * 8 + 1024;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 32, t4_1);
                    store_f32x8(t + 64, t4_2);
                    store_f32x8(t + 96, t4_3);
                    store_f32x8(t + 128, t4_4);
                    store_f32x8(t + 160, t4_5);
                    store_f32x8(t + 192, t4_6);
                    store_f32x8(t + 224, t4_7);
                }
                {
                    float *t = y + i0 * 2048 + p * 2048 + j * 256 + 24;
                    const float *s = p0 + i0 * 8192 + p * 2048 + j * 8 + 1536;
                    const f32x8 r0 = load_f32x8(s);
                    const f32x8 r1 = load_f32x8(s + 64);
                    const f32x8 r2 = load_f32x8(s + 128);
                    const f32x8 r3 = load_f32x8(s + 192);
                    const f32x8 r4 = load_f32x8(s + 256);
                    const f32x8 r5 = load_f32x8(s + 320);
                    const f32x8 r6 = load_f32x8(s + 384);
                    const f32x8 r7 = load_f32x8(s + 448);
                    const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t1_6 = __builtin_shufflevector(r6, r7, 0, 8, 2, 10, 4, 12, 6, 14);
                    const f32x8 t1_7 = __builtin_shufflevector(r6, r7, 1, 9, 3, 11, 5, 13, 7, 15);
                    const f32x8 t2_0 = __builtin_shufflevector(t1_0, t1_2, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_2 = __builtin_shufflevector(t1_0, t1_2, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_1 = __builtin_shufflevector(t1_1, t1_3, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_3 = __builtin_shufflevector(t1_1, t1_3, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_7 = __builtin_shufflevector(t1_5, t1_7, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_4 = __builtin_shufflevector(t2_0, t2_4, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_5 = __builtin_shufflevector(t2_1, t2_5, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_6 = __builtin_shufflevector(t2_2, t2_6, 4, 5, 6, 7, 12, 13, 14, 15);
                    const f32x8 t4_3 = __builtin_shufflevector(t2_3, t2_7, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_7 = __builtin_shufflevector(t2_3, t2_7, 4, 5, 6, 7, 12, 13, 14, 15);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 32, t4_1);
                    store_f32x8(t + 64, t4_2);
                    store_f32x8(t + 96, t4_3);
                    store_f32x8(t + 128, t4_4);
                    store_f32x8(t + 160, t4_5);
                    store_f32x8(t + 192, t4_6);
                    store_f32x8(t + 224, t4_7);
                }
            }
        }
    }
}

/* y[i1] = maximum of p0[i1 i2], i1=4 i2=128, lanes along i2 */
static void combine_4x128_17(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c0_0a = splat_f32x8((-__builtin_inff()));
    f32x8 c1_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c1_0a = splat_f32x8((-__builtin_inff()));
    f32x8 c2_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c2_0a = splat_f32x8((-__builtin_inff()));
    f32x8 c3_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c3_0a = splat_f32x8((-__builtin_inff()));
#pragma GCC unroll 6
    for (int64_t i2 = 0; i2 < 128; i2 += 16) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i2);
            __builtin_prefetch(p0 + i2 + 128);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i2 + 128);
            __builtin_prefetch(p0 + i2 + 128 + 128);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i2 + 256);
            __builtin_prefetch(p0 + i2 + 256 + 128);
            c2_0 = maximum_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i2 + 384);
            __builtin_prefetch(p0 + i2 + 384 + 128);
            c3_0 = maximum_f32x8(c3_0, x0_3_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i2 + 8);
            c0_0a = maximum_f32x8(c0_0a, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i2 + 136);
            c1_0a = maximum_f32x8(c1_0a, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i2 + 264);
            c2_0a = maximum_f32x8(c2_0a, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i2 + 392);
            c3_0a = maximum_f32x8(c3_0a, x0_3_0);
        }
    }
    c0_0 = maximum_f32x8(c0_0, c0_0a);
    c1_0 = maximum_f32x8(c1_0, c1_0a);
    c2_0 = maximum_f32x8(c2_0, c2_0a);
    c3_0 = maximum_f32x8(c3_0, c3_0a);
    {
        const f32x8 s0 = maximum_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = maximum_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = maximum_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = maximum_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y, sums);
    }
}

/* y[i1 i2] = decay(mul(sub(p0[i1 i2], p1[i1]), 0.125)), i1=1 i2=128, lanes along i2 */
static void map_1x128_18(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 128; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, decay_f32x8(hold_f32x8(((x0 - x1) * splat_f32x8(0.125f)))));
    }
}

/* y[i1] = add of p0[i1 i2], i1=4 i2=128, lanes along i2 */
static void combine_4x128_19(const float *restrict p0, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_0a = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_0a = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_0a = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_0a = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t i2 = 0; i2 < 128; i2 += 16) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i2);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i2 + 128);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i2 + 256);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i2 + 384);
            c3_0 = add_f32x8(c3_0, x0_3_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i2 + 8);
            c0_0a = add_f32x8(c0_0a, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i2 + 136);
            c1_0a = add_f32x8(c1_0a, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i2 + 264);
            c2_0a = add_f32x8(c2_0a, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i2 + 392);
            c3_0a = add_f32x8(c3_0a, x0_3_0);
        }
    }
    c0_0 = add_f32x8(c0_0, c0_0a);
    c1_0 = add_f32x8(c1_0, c1_0a);
    c2_0 = add_f32x8(c2_0, c2_0a);
    c3_0 = add_f32x8(c3_0, c3_0a);
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c0_0, c1_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c0_0, c1_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c2_0, c3_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c2_0, c3_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = add_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y, sums);
    }
}

/* y[i1 i2] = div(p0[i1 i2], p1[i1]), i1=1 i2=128, lanes along i2 */
static void map_1x128_20(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 128; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, div_f32x8(x0, x1));
    }
}

/* y[m 1 n] = add of mul(p0[1 m k], p1[1 k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_21(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 23, 1);
    __builtin_prefetch(y + 768, 1);
    __builtin_prefetch(y + 784, 1);
    __builtin_prefetch(y + 791, 1);
    __builtin_prefetch(y + 1536, 1);
    __builtin_prefetch(y + 1552, 1);
    __builtin_prefetch(y + 1559, 1);
    __builtin_prefetch(y + 2304, 1);
    __builtin_prefetch(y + 2320, 1);
    __builtin_prefetch(y + 2327, 1);
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 128]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 256]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 384]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 768, c1_0);
    store_f32x8(y + 776, c1_1);
    store_f32x8(y + 784, c1_2);
    store_f32x8(y + 1536, c2_0);
    store_f32x8(y + 1544, c2_1);
    store_f32x8(y + 1552, c2_2);
    store_f32x8(y + 2304, c3_0);
    store_f32x8(y + 2312, c3_1);
    store_f32x8(y + 2320, c3_2);
}

/* y[m 1 n] = add of mul(p0[1 m k], p1[1 k n]), m=6 n=16 k=128, lanes along n */
static void multiply_add_6x16x128_22(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 15, 1);
    __builtin_prefetch(y + 768, 1);
    __builtin_prefetch(y + 783, 1);
    __builtin_prefetch(y + 1536, 1);
    __builtin_prefetch(y + 1551, 1);
    __builtin_prefetch(y + 2304, 1);
    __builtin_prefetch(y + 2319, 1);
    __builtin_prefetch(y + 3072, 1);
    __builtin_prefetch(y + 3087, 1);
    __builtin_prefetch(y + 3840, 1);
    __builtin_prefetch(y + 3855, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
    f32x8 c4_0 = splat_f32x8(0.0f);
    f32x8 c4_1 = splat_f32x8(0.0f);
    f32x8 c5_0 = splat_f32x8(0.0f);
    f32x8 c5_1 = splat_f32x8(0.0f);
#pragma GCC unroll 4
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 128]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 256]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 384]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[k + 512]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[k + 640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 768, c1_0);
    store_f32x8(y + 776, c1_1);
    store_f32x8(y + 1536, c2_0);
    store_f32x8(y + 1544, c2_1);
    store_f32x8(y + 2304, c3_0);
    store_f32x8(y + 2312, c3_1);
    store_f32x8(y + 3072, c4_0);
    store_f32x8(y + 3080, c4_1);
    store_f32x8(y + 3840, c5_0);
    store_f32x8(y + 3848, c5_1);
}

/* y[m 1 n] = add of mul(p0[1 m k], p1[1 k n]), m=4 n=16 k=128, lanes along n */
static void multiply_add_4x16x128_23(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 15, 1);
    __builtin_prefetch(y + 768, 1);
    __builtin_prefetch(y + 783, 1);
    __builtin_prefetch(y + 1536, 1);
    __builtin_prefetch(y + 1551, 1);
    __builtin_prefetch(y + 2304, 1);
    __builtin_prefetch(y + 2319, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[k + 128]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[k + 256]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[k + 384]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 768, c1_0);
    store_f32x8(y + 776, c1_1);
    store_f32x8(y + 1536, c2_0);
    store_f32x8(y + 1544, c2_1);
    store_f32x8(y + 2304, c3_0);
    store_f32x8(y + 2312, c3_1);
}

/* y[1 k n] = p0[1 k n], k=128 n=64, lanes along k */
static void pack_128x64_24(const float *restrict p0, float *restrict y)
{
    for (int64_t b = 0; b < 16; b++) {
        for (int64_t p = 0; p < 2; p++) {
            for (int64_t i1 = 0; i1 < 8; i1++) {
                {
                    const float *s = p0 + b * 512 + p * 24 + i1 * 64;
                    float *t = y + b * 192 + p * 3072 + i1 * 24;
                    store_f32x8(t, load_f32x8(s));
                    store_f32x8(t + 8, load_f32x8(s + 8));
                    store_f32x8(t + 16, load_f32x8(s + 16));
                }
            }
        }
        for (int64_t i1 = 0; i1 < 8; i1++) {
            {
                const float *s = p0 + b * 512 + i1 * 64 + 48;
                float *t = y + b * 192 + i1 * 24 + 6144;
                store_f32x8(t, load_f32x8(s));
                store_f32x8(t + 8, load_f32x8(s + 8));
                store_f32x8(t + 16, (f32x8){0});
            }
        }
    }
}

/* y[m n] = add(add(p1[m n], p2[n]), p0[m n]), m=1 n=192, lanes along n */
static void map_1x192_25(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    for (int64_t i = 0; i < 192; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        const f32x8 x2 = load_f32x8(p2 + i);
        store_f32x8(y + i, ((x1 + x2) + x0));
    }
}

/* y[i0 d2] = sub(p0[i0 d2], p1[i0 1]), i0=1 d2=768, lanes along d2 */
static void map_1x768_26(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 768; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, (x0 - x1));
    }
}

/* y[i0] = add of p0[i0 i1], i0=12 i1=768, lanes along i1 */
static void combine_12x768_27(const float *restrict p0, float *restrict y)
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
    for (int64_t i1 = 0; i1 < 768; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 768);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 1536);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 2304);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 3072);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 3840);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + i1 + 4608);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + i1 + 5376);
            c7_0 = add_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + i1 + 6144);
            c8_0 = add_f32x8(c8_0, x0_8_0);
            const f32x8 x0_9_0 = load_f32x8(p0 + i1 + 6912);
            c9_0 = add_f32x8(c9_0, x0_9_0);
            const f32x8 x0_10_0 = load_f32x8(p0 + i1 + 7680);
            c10_0 = add_f32x8(c10_0, x0_10_0);
            const f32x8 x0_11_0 = load_f32x8(p0 + i1 + 8448);
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
        store_f32x8(y, sums);
    }
    {
        const f32x8 s0 = add_f32x8(__builtin_shufflevector(c8_0, c9_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c8_0, c9_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = add_f32x8(__builtin_shufflevector(c10_0, c11_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c10_0, c11_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = add_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = add_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y + 8, sums);
    }
}

/* y[i0] = add of p0[i0 i1], i0=8 i1=768, lanes along i1 */
static void combine_8x768_28(const float *restrict p0, float *restrict y)
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
    for (int64_t i1 = 0; i1 < 768; i1 += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + i1);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + i1 + 768);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + i1 + 1536);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + i1 + 2304);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + i1 + 3072);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + i1 + 3840);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + i1 + 4608);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + i1 + 5376);
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
        store_f32x8(y, sums);
    }
}

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_29(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k * 4 + 3]);
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

/* y[m k] = p0[m k], k=128 m=64, lanes along k */
static void pack_128x64_30(const float *restrict p0, float *restrict y)
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

/* y[m n] += mul(p0[m k], p1[k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_31(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k * 4 + 3]);
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

/* y[m n] = gelu(add(p0[m n], p1[n])), m=1 n=384, lanes along n */
static void map_1x384_32(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 384; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        store_f32x8(y + i, hold_f32x8(gelu_f32x8((x0 + x1))));
    }
}

/* y[k n] = p0[k n], k=768 n=3072, lanes along k */
static void pack_768x3072_33(const float *restrict p0, float *restrict y)
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

/* y[m n] = add of mul(p0[m k], p1[k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_34(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k * 4 + 3]);
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

/* y[m n] += mul(p0[m k], p1[k n]), m=4 n=24 k=128, lanes along n */
static void multiply_add_4x24x128_35(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t k = 0; k < 128; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k * 4]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + k * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[k * 4 + 1]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[k * 4 + 2]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[k * 4 + 3]);
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

/* y[m k] = p0[m k], k=256 m=64, lanes along k */
static void pack_256x64_36(const float *restrict p0, float *restrict y)
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

/* y[m n] = add(add(p1[m n], p2[n]), p0[m n]), m=1 n=768, lanes along n */
static void map_1x768_37(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    for (int64_t i = 0; i < 768; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        const f32x8 x2 = load_f32x8(p2 + i);
        store_f32x8(y + i, ((x1 + x2) + x0));
    }
}

/* y[k n] = p0[k n], k=3072 n=768, lanes along k */
static void pack_3072x768_38(const float *restrict p0, float *restrict y)
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

static void griotte_add_bd27a302_0(const float *x0, float *y)
{
    for (int64_t i0_1 = 0; i0_1 < 8; i0_1++) {
        const float *x_2 = x0 + i0_1 * 12288;
        const float *x_3 = x0 + i0_1 * 12288;
        float *y_4 = y + i0_1 * 16;
        for (int64_t i0_5 = 0; i0_5 < 2; i0_5++) {
            const float *x_6 = x_2 + i0_5 * 4608;
            const float *x_7 = x_3 + i0_5 * 4608;
            float *y_8 = y_4 + i0_5 * 6;
            combine_6x768_0(x_6, x_7, y_8);
        }
        {
            const float *x_9 = x_2 + 9216;
            const float *x_10 = x_3 + 9216;
            float *y_11 = y_4 + 12;
            combine_4x768_1(x_9, x_10, y_11);
        }
    }
}

static void griotte_add_bd27a302_1(const float *x0, const float *x1, float *y)
{
    for (int64_t i0_12 = 0; i0_12 < 32; i0_12++) {
        const float *x_13 = x0 + i0_12 * 3072;
        const float *x_14 = x0 + i0_12 * 3072;
        const float *x_15 = x1 + i0_12 * 4;
        float *y_16 = y + i0_12 * 3072;
        for (int64_t i0_17 = 0; i0_17 < 4; i0_17++) {
            const float *x_18 = x_14 + i0_17 * 768;
            const float *x_19 = x_15 + i0_17;
            const float *x_20 = x_13 + i0_17 * 768;
            float *y_21 = y_16 + i0_17 * 768;
            map_1x768_2(x_18, x_19, x_20, y_21);
        }
    }
}

static void griotte_add_bd27a302_2(const float *x0, float *y)
{
    map_98304_3(x0, y);
}

static void griotte_add_bd27a302_3(const float *x0, const float *x1, const float *x2, const float *x3, float *y)
{
    float buffer_26_own[1] __attribute__((aligned(64)));
    for (int64_t i0_22 = 0; i0_22 < 128; i0_22++) {
        const float *x_23 = x0 + i0_22 * 768;
        const float *x_24 = x1 + i0_22 * 768;
        float *y_25 = y + i0_22 * 768;
        {
            float *const buffer_26 = buffer_26_own;
            combine_1x768_4(x_23, buffer_26);
            map_1x768_5(x_24, buffer_26, x2, x3, y_25);
        }
    }
}

/* x1 in panels of 24, for griotte_add_bd27a302_4 */
static void griotte_add_bd27a302_4_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_768x768_10(x1, packed);
}

static void griotte_add_bd27a302_4(const float *x0, const void *packed_x1, const float *x2, float *y)
{
    const float *const x1 = packed_x1;
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    float *buffer_26_own = buffer_26_thread;
    __asm__ volatile("" : "+r"(buffer_26_own));
    for (int64_t m_27 = 0; m_27 < 2; m_27++) {
        const float *x_28 = x0 + m_27 * 49152;
        float *y_29 = y + m_27 * 49152;
        {
            float *const packed_30 = buffer_26_own;
            /* copy into panels of 4, L2 */
            pack_768x64_9(x_28, packed_30);
            for (int64_t n_31 = 0; n_31 < 4; n_31++) {
                const float *x_32 = x1 + n_31 * 147456;
                const float *x_33 = x2 + n_31 * 192;
                float *y_34 = y_29 + n_31 * 192;
                {
                    float *const buffer_35 = buffer_35_own;
                    for (int64_t n_36 = 0; n_36 < 8; n_36++) {
                        const float *x_37 = x_32 + n_36 * 18432;
                        float *buffer_38 = buffer_35 + n_36 * 24;
                        for (int64_t m_39 = 0; m_39 < 8; m_39++) {
                            const float *packed_40 = packed_30 + m_39 * 6144;
                            float *buffer_41 = buffer_38 + m_39 * 1536;
                            for (int64_t m_42 = 0; m_42 < 2; m_42++) {
                                const float *packed_43 = packed_40 + m_42 * 3072;
                                float *buffer_44 = buffer_41 + m_42 * 768;
                                multiply_add_4x24x128_6(packed_43, x_37, buffer_44);
                            }
                        }
                        for (int64_t k_45 = 1; k_45 < 6; k_45++) {
                            const float *packed_46 = packed_30 + k_45 * 512;
                            const float *x_47 = x_37 + k_45 * 3072;
                            for (int64_t m_48 = 0; m_48 < 8; m_48++) {
                                const float *packed_49 = packed_46 + m_48 * 6144;
                                float *buffer_50 = buffer_38 + m_48 * 1536;
                                for (int64_t m_51 = 0; m_51 < 2; m_51++) {
                                    const float *packed_52 = packed_49 + m_51 * 3072;
                                    float *buffer_53 = buffer_50 + m_51 * 768;
                                    multiply_add_4x24x128_7(packed_52, x_47, buffer_53);
                                }
                            }
                        }
                    }
                    for (int64_t m_54 = 0; m_54 < 64; m_54++) {
                        const float *buffer_55 = buffer_35 + m_54 * 192;
                        float *y_56 = y_34 + m_54 * 768;
                        map_1x192_8(buffer_55, x_33, y_56);
                    }
                }
            }
        }
    }
}

static void griotte_add_bd27a302_5(const float *x0, float *y)
{
    for (int64_t i0_57 = 0; i0_57 < 2; i0_57++) {
        const float *x_58 = x0 + i0_57 * 49152;
        float *y_59 = y + i0_57 * 4096;
        for (int64_t i1_60 = 0; i1_60 < 12; i1_60++) {
            const float *x_61 = x_58 + i1_60 * 64;
            float *y_62 = y_59 + i1_60 * 8192;
            for (int64_t i0_63 = 0; i0_63 < 64; i0_63++) {
                const float *x_64 = x_61 + i0_63 * 768;
                float *y_65 = y_62 + i0_63 * 64;
                map_1x1x64_11(x_64, y_65);
            }
        }
    }
}

static void griotte_add_bd27a302_6(const float *x0, const float *x1, float *y)
{
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    for (int64_t i0_66 = 0; i0_66 < 12; i0_66++) {
        const float *x_67 = x0 + i0_66 * 8192;
        const float *x_68 = x1 + i0_66 * 8192;
        float *y_69 = y + i0_66 * 16384;
        for (int64_t n_70 = 0; n_70 < 2; n_70++) {
            const float *x_71 = x_68 + n_70 * 3072;
            float *y_72 = y_69 + n_70 * 48;
            {
                float *const packed_73 = buffer_35_own;
                /* copy into panels of 24, L1 */
                pack_64x48_13(x_71, packed_73);
                for (int64_t m_74 = 0; m_74 < 8; m_74++) {
                    const float *x_75 = x_67 + m_74 * 1024;
                    float *y_76 = y_72 + m_74 * 2048;
                    for (int64_t n_77 = 0; n_77 < 2; n_77++) {
                        const float *packed_78 = packed_73 + n_77 * 1536;
                        float *y_79 = y_76 + n_77 * 24;
                        for (int64_t m_80 = 0; m_80 < 4; m_80++) {
                            const float *x_81 = x_75 + m_80 * 256;
                            float *y_82 = y_79 + m_80 * 512;
                            multiply_add_4x24x64_12(x_81, packed_78, y_82);
                        }
                    }
                }
            }
        }
        {
            const float *x_83 = x_68 + 6144;
            float *y_84 = y_69 + 96;
            {
                float *const packed_85 = buffer_35_own;
                /* copy into panels of 32, L1 */
                pack_64x32_16(x_83, packed_85);
                for (int64_t m_86 = 0; m_86 < 4; m_86++) {
                    const float *x_87 = x_67 + m_86 * 1536;
                    float *y_88 = y_84 + m_86 * 3072;
                    for (int64_t n_89 = 0; n_89 < 2; n_89++) {
                        const float *packed_90 = packed_85 + n_89 * 16;
                        float *y_91 = y_88 + n_89 * 16;
                        for (int64_t m_92 = 0; m_92 < 4; m_92++) {
                            const float *x_93 = x_87 + m_92 * 384;
                            float *y_94 = y_91 + m_92 * 768;
                            multiply_add_6x16x64_14(x_93, packed_90, y_94);
                        }
                    }
                }
                {
                    const float *x_95 = x_67 + 6144;
                    float *y_96 = y_84 + 12288;
                    for (int64_t n_97 = 0; n_97 < 2; n_97++) {
                        const float *packed_98 = packed_85 + n_97 * 16;
                        float *y_99 = y_96 + n_97 * 16;
                        for (int64_t m_100 = 0; m_100 < 4; m_100++) {
                            const float *x_101 = x_95 + m_100 * 384;
                            float *y_102 = y_99 + m_100 * 768;
                            multiply_add_6x16x64_14(x_101, packed_98, y_102);
                        }
                    }
                    {
                        const float *x_103 = x_95 + 1536;
                        float *y_104 = y_96 + 3072;
                        for (int64_t n_105 = 0; n_105 < 2; n_105++) {
                            const float *packed_106 = packed_85 + n_105 * 16;
                            float *y_107 = y_104 + n_105 * 16;
                            multiply_add_6x16x64_14(x_103, packed_106, y_107);
                        }
                        {
                            const float *x_108 = x_103 + 384;
                            float *y_109 = y_104 + 768;
                            multiply_add_2x32x64_15(x_108, packed_85, y_109);
                        }
                    }
                }
            }
        }
    }
}

static void griotte_add_bd27a302_7(const float *x0, float *y)
{
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    for (int64_t i1_110 = 0; i1_110 < 384; i1_110++) {
        const float *x_111 = x0 + i1_110 * 512;
        float *y_112 = y + i1_110 * 512;
        {
            float *const buffer_113 = buffer_35_own;
            combine_4x128_17(x_111, buffer_113);
            for (int64_t i1_114 = 0; i1_114 < 4; i1_114++) {
                const float *x_115 = x_111 + i1_114 * 128;
                const float *buffer_116 = buffer_113 + i1_114;
                float *y_117 = y_112 + i1_114 * 128;
                map_1x128_18(x_115, buffer_116, y_117);
            }
        }
    }
}

static void griotte_add_bd27a302_8(const float *x0, float *y)
{
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    for (int64_t i1_118 = 0; i1_118 < 384; i1_118++) {
        const float *x_119 = x0 + i1_118 * 512;
        float *y_120 = y + i1_118 * 512;
        {
            float *const buffer_121 = buffer_35_own;
            combine_4x128_19(x_119, buffer_121);
            for (int64_t i1_122 = 0; i1_122 < 4; i1_122++) {
                const float *x_123 = x_119 + i1_122 * 128;
                const float *buffer_124 = buffer_121 + i1_122;
                float *y_125 = y_120 + i1_122 * 128;
                map_1x128_20(x_123, buffer_124, y_125);
            }
        }
    }
}

static void griotte_add_bd27a302_9(const float *x0, const float *x1, float *y)
{
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    for (int64_t h_126 = 0; h_126 < 12; h_126++) {
        const float *x_127 = x0 + h_126 * 16384;
        const float *x_128 = x1 + h_126 * 8192;
        float *y_129 = y + h_126 * 64;
        {
            float *const packed_130 = buffer_35_own;
            /* copy into panels of 24, L2 */
            pack_128x64_24(x_128, packed_130);
            for (int64_t n_131 = 0; n_131 < 2; n_131++) {
                const float *packed_132 = packed_130 + n_131 * 3072;
                float *y_133 = y_129 + n_131 * 24;
                for (int64_t m_134 = 0; m_134 < 16; m_134++) {
                    const float *x_135 = x_127 + m_134 * 1024;
                    float *y_136 = y_133 + m_134 * 6144;
                    for (int64_t m_137 = 0; m_137 < 2; m_137++) {
                        const float *x_138 = x_135 + m_137 * 512;
                        float *y_139 = y_136 + m_137 * 3072;
                        multiply_add_4x24x128_21(x_138, packed_132, y_139);
                    }
                }
            }
            {
                const float *packed_140 = packed_130 + 6144;
                float *y_141 = y_129 + 48;
                for (int64_t m_142 = 0; m_142 < 8; m_142++) {
                    const float *x_143 = x_127 + m_142 * 1536;
                    float *y_144 = y_141 + m_142 * 9216;
                    for (int64_t m_145 = 0; m_145 < 2; m_145++) {
                        const float *x_146 = x_143 + m_145 * 768;
                        float *y_147 = y_144 + m_145 * 4608;
                        multiply_add_6x16x128_22(x_146, packed_140, y_147);
                    }
                }
                {
                    const float *x_148 = x_127 + 12288;
                    float *y_149 = y_141 + 73728;
                    for (int64_t m_150 = 0; m_150 < 2; m_150++) {
                        const float *x_151 = x_148 + m_150 * 2048;
                        float *y_152 = y_149 + m_150 * 12288;
                        for (int64_t m_153 = 0; m_153 < 2; m_153++) {
                            const float *x_154 = x_151 + m_153 * 768;
                            float *y_155 = y_152 + m_153 * 4608;
                            multiply_add_6x16x128_22(x_154, packed_140, y_155);
                        }
                        {
                            const float *x_156 = x_151 + 1536;
                            float *y_157 = y_152 + 9216;
                            multiply_add_4x16x128_23(x_156, packed_140, y_157);
                        }
                    }
                }
            }
        }
    }
}

/* x1 in panels of 24, for griotte_add_bd27a302_10 */
static void griotte_add_bd27a302_10_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_768x768_10(x1, packed);
}

static void griotte_add_bd27a302_10(const float *x0, const void *packed_x1, const float *x2, const float *x3, float *y)
{
    const float *const x1 = packed_x1;
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    float *buffer_26_own = buffer_26_thread;
    __asm__ volatile("" : "+r"(buffer_26_own));
    for (int64_t m_158 = 0; m_158 < 2; m_158++) {
        const float *x_159 = x0 + m_158 * 49152;
        const float *x_160 = x3 + m_158 * 49152;
        float *y_161 = y + m_158 * 49152;
        {
            float *const packed_162 = buffer_26_own;
            /* copy into panels of 4, L2 */
            pack_768x64_9(x_159, packed_162);
            for (int64_t n_163 = 0; n_163 < 4; n_163++) {
                const float *x_164 = x1 + n_163 * 147456;
                const float *x_165 = x2 + n_163 * 192;
                const float *x_166 = x_160 + n_163 * 192;
                float *y_167 = y_161 + n_163 * 192;
                {
                    float *const buffer_168 = buffer_35_own;
                    for (int64_t n_169 = 0; n_169 < 8; n_169++) {
                        const float *x_170 = x_164 + n_169 * 18432;
                        float *buffer_171 = buffer_168 + n_169 * 24;
                        for (int64_t m_172 = 0; m_172 < 8; m_172++) {
                            const float *packed_173 = packed_162 + m_172 * 6144;
                            float *buffer_174 = buffer_171 + m_172 * 1536;
                            for (int64_t m_175 = 0; m_175 < 2; m_175++) {
                                const float *packed_176 = packed_173 + m_175 * 3072;
                                float *buffer_177 = buffer_174 + m_175 * 768;
                                multiply_add_4x24x128_6(packed_176, x_170, buffer_177);
                            }
                        }
                        for (int64_t k_178 = 1; k_178 < 6; k_178++) {
                            const float *packed_179 = packed_162 + k_178 * 512;
                            const float *x_180 = x_170 + k_178 * 3072;
                            for (int64_t m_181 = 0; m_181 < 8; m_181++) {
                                const float *packed_182 = packed_179 + m_181 * 6144;
                                float *buffer_183 = buffer_171 + m_181 * 1536;
                                for (int64_t m_184 = 0; m_184 < 2; m_184++) {
                                    const float *packed_185 = packed_182 + m_184 * 3072;
                                    float *buffer_186 = buffer_183 + m_184 * 768;
                                    multiply_add_4x24x128_7(packed_185, x_180, buffer_186);
                                }
                            }
                        }
                    }
                    for (int64_t m_187 = 0; m_187 < 64; m_187++) {
                        const float *x_188 = x_166 + m_187 * 768;
                        const float *buffer_189 = buffer_168 + m_187 * 192;
                        float *y_190 = y_167 + m_187 * 768;
                        map_1x192_25(x_188, buffer_189, x_165, y_190);
                    }
                }
            }
        }
    }
}

static void griotte_add_bd27a302_11(const float *x0, float *y)
{
    for (int64_t i0_191 = 0; i0_191 < 32; i0_191++) {
        const float *x_192 = x0 + i0_191 * 3072;
        const float *x_193 = x0 + i0_191 * 3072;
        float *y_194 = y + i0_191 * 3072;
        for (int64_t i0_195 = 0; i0_195 < 4; i0_195++) {
            const float *x_196 = x_193 + i0_195 * 768;
            const float *x_197 = x_192 + i0_195 * 768;
            float *y_198 = y_194 + i0_195 * 768;
            map_1x768_26(x_196, x_197, y_198);
        }
    }
}

static void griotte_add_bd27a302_12(const float *x0, float *y)
{
    for (int64_t i0_199 = 0; i0_199 < 10; i0_199++) {
        const float *x_200 = x0 + i0_199 * 9216;
        float *y_201 = y + i0_199 * 12;
        combine_12x768_27(x_200, y_201);
    }
    {
        const float *x_202 = x0 + 92160;
        float *y_203 = y + 120;
        combine_8x768_28(x_202, y_203);
    }
}

/* x1 in panels of 24, for griotte_add_bd27a302_13 */
static void griotte_add_bd27a302_13_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_768x3072_33(x1, packed);
}

static void griotte_add_bd27a302_13(const float *x0, const void *packed_x1, const float *x2, float *y)
{
    const float *const x1 = packed_x1;
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    float *buffer_26_own = buffer_26_thread;
    __asm__ volatile("" : "+r"(buffer_26_own));
    for (int64_t m_204 = 0; m_204 < 2; m_204++) {
        const float *x_205 = x0 + m_204 * 49152;
        float *y_206 = y + m_204 * 196608;
        for (int64_t n_207 = 0; n_207 < 8; n_207++) {
            const float *x_208 = x1 + n_207 * 294912;
            const float *x_209 = x2 + n_207 * 384;
            float *y_210 = y_206 + n_207 * 384;
            {
                float *const buffer_211 = buffer_26_own;
                {
                    float *const packed_212 = buffer_35_own;
                    /* copy into panels of 4, L2 */
                    pack_128x64_30(x_205, packed_212);
                    for (int64_t n_213 = 0; n_213 < 16; n_213++) {
                        const float *x_214 = x_208 + n_213 * 18432;
                        float *buffer_215 = buffer_211 + n_213 * 24;
                        for (int64_t m_216 = 0; m_216 < 8; m_216++) {
                            const float *packed_217 = packed_212 + m_216 * 1024;
                            float *buffer_218 = buffer_215 + m_216 * 3200;
                            for (int64_t m_219 = 0; m_219 < 2; m_219++) {
                                const float *packed_220 = packed_217 + m_219 * 512;
                                float *buffer_221 = buffer_218 + m_219 * 1600;
                                multiply_add_4x24x128_29(packed_220, x_214, buffer_221);
                            }
                        }
                    }
                }
                {
                    const float *x_222 = x_205 + 128;
                    const float *x_223 = x_208 + 3072;
                    {
                        float *const packed_224 = buffer_35_own;
                        /* copy into panels of 4, L2 */
                        pack_128x64_30(x_222, packed_224);
                        for (int64_t n_225 = 0; n_225 < 16; n_225++) {
                            const float *x_226 = x_223 + n_225 * 18432;
                            float *buffer_227 = buffer_211 + n_225 * 24;
                            for (int64_t m_228 = 0; m_228 < 8; m_228++) {
                                const float *packed_229 = packed_224 + m_228 * 1024;
                                float *buffer_230 = buffer_227 + m_228 * 3200;
                                for (int64_t m_231 = 0; m_231 < 2; m_231++) {
                                    const float *packed_232 = packed_229 + m_231 * 512;
                                    float *buffer_233 = buffer_230 + m_231 * 1600;
                                    multiply_add_4x24x128_31(packed_232, x_226, buffer_233);
                                }
                            }
                        }
                    }
                }
                {
                    const float *x_234 = x_205 + 256;
                    const float *x_235 = x_208 + 6144;
                    {
                        float *const packed_236 = buffer_35_own;
                        /* copy into panels of 4, L2 */
                        pack_128x64_30(x_234, packed_236);
                        for (int64_t n_237 = 0; n_237 < 16; n_237++) {
                            const float *x_238 = x_235 + n_237 * 18432;
                            float *buffer_239 = buffer_211 + n_237 * 24;
                            for (int64_t m_240 = 0; m_240 < 8; m_240++) {
                                const float *packed_241 = packed_236 + m_240 * 1024;
                                float *buffer_242 = buffer_239 + m_240 * 3200;
                                for (int64_t m_243 = 0; m_243 < 2; m_243++) {
                                    const float *packed_244 = packed_241 + m_243 * 512;
                                    float *buffer_245 = buffer_242 + m_243 * 1600;
                                    multiply_add_4x24x128_31(packed_244, x_238, buffer_245);
                                }
                            }
                        }
                    }
                }
                {
                    const float *x_246 = x_205 + 384;
                    const float *x_247 = x_208 + 9216;
                    for (int64_t k_248 = 0; k_248 < 3; k_248++) {
                        const float *x_249 = x_246 + k_248 * 128;
                        const float *x_250 = x_247 + k_248 * 3072;
                        {
                            float *const packed_251 = buffer_35_own;
                            /* copy into panels of 4, L2 */
                            pack_128x64_30(x_249, packed_251);
                            for (int64_t n_252 = 0; n_252 < 16; n_252++) {
                                const float *x_253 = x_250 + n_252 * 18432;
                                float *buffer_254 = buffer_211 + n_252 * 24;
                                for (int64_t m_255 = 0; m_255 < 8; m_255++) {
                                    const float *packed_256 = packed_251 + m_255 * 1024;
                                    float *buffer_257 = buffer_254 + m_255 * 3200;
                                    for (int64_t m_258 = 0; m_258 < 2; m_258++) {
                                        const float *packed_259 = packed_256 + m_258 * 512;
                                        float *buffer_260 = buffer_257 + m_258 * 1600;
                                        multiply_add_4x24x128_31(packed_259, x_253, buffer_260);
                                    }
                                }
                            }
                        }
                    }
                }
                for (int64_t m_261 = 0; m_261 < 64; m_261++) {
                    const float *buffer_262 = buffer_211 + m_261 * 400;
                    float *y_263 = y_210 + m_261 * 3072;
                    map_1x384_32(buffer_262, x_209, y_263);
                }
            }
        }
    }
}

/* x1 in panels of 24, for griotte_add_bd27a302_14 */
static void griotte_add_bd27a302_14_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_3072x768_38(x1, packed);
}

static void griotte_add_bd27a302_14(const float *x0, const void *packed_x1, const float *x2, const float *x3, float *y)
{
    const float *const x1 = packed_x1;
    float *buffer_35_own = buffer_35_thread;
    __asm__ volatile("" : "+r"(buffer_35_own));
    float *buffer_26_own = buffer_26_thread;
    __asm__ volatile("" : "+r"(buffer_26_own));
    for (int64_t m_264 = 0; m_264 < 2; m_264++) {
        const float *x_265 = x0 + m_264 * 196608;
        const float *x_266 = x3 + m_264 * 49152;
        float *y_267 = y + m_264 * 49152;
        {
            float *const buffer_268 = buffer_26_own;
            {
                float *const packed_269 = buffer_35_own;
                /* copy into panels of 4, L2 */
                pack_256x64_36(x_265, packed_269);
                for (int64_t n_270 = 0; n_270 < 32; n_270++) {
                    const float *x_271 = x1 + n_270 * 73728;
                    float *buffer_272 = buffer_268 + n_270 * 24;
                    for (int64_t m_273 = 0; m_273 < 8; m_273++) {
                        const float *packed_274 = packed_269 + m_273 * 2048;
                        float *buffer_275 = buffer_272 + m_273 * 6272;
                        for (int64_t m_276 = 0; m_276 < 2; m_276++) {
                            const float *packed_277 = packed_274 + m_276 * 1024;
                            float *buffer_278 = buffer_275 + m_276 * 3136;
                            multiply_add_4x24x128_34(packed_277, x_271, buffer_278);
                        }
                    }
                }
                {
                    const float *packed_279 = packed_269 + 512;
                    const float *x_280 = x1 + 3072;
                    for (int64_t n_281 = 0; n_281 < 32; n_281++) {
                        const float *x_282 = x_280 + n_281 * 73728;
                        float *buffer_283 = buffer_268 + n_281 * 24;
                        for (int64_t m_284 = 0; m_284 < 8; m_284++) {
                            const float *packed_285 = packed_279 + m_284 * 2048;
                            float *buffer_286 = buffer_283 + m_284 * 6272;
                            for (int64_t m_287 = 0; m_287 < 2; m_287++) {
                                const float *packed_288 = packed_285 + m_287 * 1024;
                                float *buffer_289 = buffer_286 + m_287 * 3136;
                                multiply_add_4x24x128_35(packed_288, x_282, buffer_289);
                            }
                        }
                    }
                }
            }
            for (int64_t k_290 = 1; k_290 < 12; k_290++) {
                const float *x_291 = x_265 + k_290 * 256;
                const float *x_292 = x1 + k_290 * 6144;
                {
                    float *const packed_293 = buffer_35_own;
                    /* copy into panels of 4, L2 */
                    pack_256x64_36(x_291, packed_293);
                    for (int64_t k_294 = 0; k_294 < 2; k_294++) {
                        const float *packed_295 = packed_293 + k_294 * 512;
                        const float *x_296 = x_292 + k_294 * 3072;
                        for (int64_t n_297 = 0; n_297 < 32; n_297++) {
                            const float *x_298 = x_296 + n_297 * 73728;
                            float *buffer_299 = buffer_268 + n_297 * 24;
                            for (int64_t m_300 = 0; m_300 < 8; m_300++) {
                                const float *packed_301 = packed_295 + m_300 * 2048;
                                float *buffer_302 = buffer_299 + m_300 * 6272;
                                for (int64_t m_303 = 0; m_303 < 2; m_303++) {
                                    const float *packed_304 = packed_301 + m_303 * 1024;
                                    float *buffer_305 = buffer_302 + m_303 * 3136;
                                    multiply_add_4x24x128_35(packed_304, x_298, buffer_305);
                                }
                            }
                        }
                    }
                }
            }
            for (int64_t m_306 = 0; m_306 < 64; m_306++) {
                const float *x_307 = x_266 + m_306 * 768;
                const float *buffer_308 = buffer_268 + m_306 * 784;
                float *y_309 = y_267 + m_306 * 768;
                map_1x768_37(x_307, buffer_308, x2, y_309);
            }
        }
    }
}

/* what calls read of x1, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x1(const float *x1, void *packed_x1)
{
    char *const packed = packed_x1;
    __builtin_memcpy(packed + 0, x1, 3072);
}

/* what calls read of x2, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x2(const float *x2, void *packed_x2)
{
    char *const packed = packed_x2;
    __builtin_memcpy(packed + 0, x2, 3072);
}

/* what calls read of x3, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x3(const float *x3, void *packed_x3)
{
    char *const packed = packed_x3;
    griotte_add_bd27a302_4_pack_x1(x3, packed + 0);
}

/* what calls read of x4, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x4(const float *x4, void *packed_x4)
{
    char *const packed = packed_x4;
    __builtin_memcpy(packed + 0, x4, 3072);
}

/* what calls read of x5, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x5(const float *x5, void *packed_x5)
{
    char *const packed = packed_x5;
    griotte_add_bd27a302_4_pack_x1(x5, packed + 0);
}

/* what calls read of x6, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x6(const float *x6, void *packed_x6)
{
    char *const packed = packed_x6;
    __builtin_memcpy(packed + 0, x6, 3072);
}

/* what calls read of x7, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x7(const float *x7, void *packed_x7)
{
    char *const packed = packed_x7;
    griotte_add_bd27a302_4_pack_x1(x7, packed + 0);
}

/* what calls read of x8, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x8(const float *x8, void *packed_x8)
{
    char *const packed = packed_x8;
    __builtin_memcpy(packed + 0, x8, 3072);
}

/* what calls read of x9, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x9(const float *x9, void *packed_x9)
{
    char *const packed = packed_x9;
    griotte_add_bd27a302_10_pack_x1(x9, packed + 0);
}

/* what calls read of x10, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x10(const float *x10, void *packed_x10)
{
    char *const packed = packed_x10;
    __builtin_memcpy(packed + 0, x10, 3072);
}

/* what calls read of x11, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x11(const float *x11, void *packed_x11)
{
    char *const packed = packed_x11;
    __builtin_memcpy(packed + 0, x11, 3072);
}

/* what calls read of x12, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x12(const float *x12, void *packed_x12)
{
    char *const packed = packed_x12;
    __builtin_memcpy(packed + 0, x12, 3072);
}

/* what calls read of x13, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x13(const float *x13, void *packed_x13)
{
    char *const packed = packed_x13;
    griotte_add_bd27a302_13_pack_x1(x13, packed + 0);
}

/* what calls read of x14, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x14(const float *x14, void *packed_x14)
{
    char *const packed = packed_x14;
    __builtin_memcpy(packed + 0, x14, 12288);
}

/* what calls read of x15, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x15(const float *x15, void *packed_x15)
{
    char *const packed = packed_x15;
    griotte_add_bd27a302_14_pack_x1(x15, packed + 0);
}

/* what calls read of x16, for griotte_add_bd27a302 */
void griotte_add_bd27a302_pack_x16(const float *x16, void *packed_x16)
{
    char *const packed = packed_x16;
    __builtin_memcpy(packed + 0, x16, 3072);
}

__attribute__((target("general-regs-only"))) const char *griotte_add_bd27a302_check(void)
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

uint32_t griotte_add_bd27a302_abi(void)
{
    return 0x16549f5;
}

void griotte_add_bd27a302(const float *x0, const void *packed_x1, const void *packed_x2, const void *packed_x3, const void *packed_x4, const void *packed_x5, const void *packed_x6, const void *packed_x7, const void *packed_x8, const void *packed_x9, const void *packed_x10, const void *packed_x11, const void *packed_x12, const void *packed_x13, const void *packed_x14, const void *packed_x15, const void *packed_x16, float *y)
{
    char *work = griotte_add_bd27a302_workspace;
    __asm__ volatile("" : "+r"(work));
    griotte_add_bd27a302_0(x0, (void *)(work + 393216));
    griotte_add_bd27a302_1(x0, (void *)(work + 393216), (void *)(work + 0));
    griotte_add_bd27a302_2((void *)(work + 0), (void *)(work + 393216));
    griotte_add_bd27a302_3((void *)(work + 393216), (void *)(work + 0), (void *)((const char *)packed_x1 + 0 + 0), (void *)((const char *)packed_x2 + 0 + 0), (void *)(work + 1572864));
    griotte_add_bd27a302_4((void *)(work + 1572864), (const char *)packed_x3 + 0, (void *)((const char *)packed_x4 + 0 + 0), (void *)(work + 0));
    griotte_add_bd27a302_5((void *)(work + 0), (void *)(work + 786432));
    griotte_add_bd27a302_4((void *)(work + 1572864), (const char *)packed_x5 + 0, (void *)((const char *)packed_x6 + 0 + 0), (void *)(work + 1179648));
    griotte_add_bd27a302_5((void *)(work + 1179648), (void *)(work + 1966080));
    griotte_add_bd27a302_6((void *)(work + 786432), (void *)(work + 1966080), (void *)(work + 0));
    griotte_add_bd27a302_7((void *)(work + 0), (void *)(work + 786432));
    griotte_add_bd27a302_8((void *)(work + 786432), (void *)(work + 0));
    griotte_add_bd27a302_4((void *)(work + 1572864), (const char *)packed_x7 + 0, (void *)((const char *)packed_x8 + 0 + 0), (void *)(work + 786432));
    griotte_add_bd27a302_5((void *)(work + 786432), (void *)(work + 1179648));
    griotte_add_bd27a302_9((void *)(work + 0), (void *)(work + 1179648), (void *)(work + 786432));
    griotte_add_bd27a302_10((void *)(work + 786432), (const char *)packed_x9 + 0, (void *)((const char *)packed_x10 + 0 + 0), x0, (void *)(work + 1572864));
    griotte_add_bd27a302_11((void *)(work + 1572864), (void *)(work + 0));
    griotte_add_bd27a302_12((void *)(work + 0), (void *)(work + 393216));
    griotte_add_bd27a302_1((void *)(work + 1572864), (void *)(work + 393216), (void *)(work + 0));
    griotte_add_bd27a302_2((void *)(work + 0), (void *)(work + 393216));
    griotte_add_bd27a302_3((void *)(work + 393216), (void *)(work + 0), (void *)((const char *)packed_x11 + 0 + 0), (void *)((const char *)packed_x12 + 0 + 0), (void *)(work + 1966080));
    griotte_add_bd27a302_13((void *)(work + 1966080), (const char *)packed_x13 + 0, (void *)((const char *)packed_x14 + 0 + 0), (void *)(work + 0));
    griotte_add_bd27a302_14((void *)(work + 0), (const char *)packed_x15 + 0, (void *)((const char *)packed_x16 + 0 + 0), (void *)(work + 1572864), y);
}
