/*
 * attention(f32[12,512,64], f32[12,512,64], f32[12,512,64]) -> f32[12,512,64]
 *
 * native, 1 thread, 3.94e+07 cycles by the model
 *
 * loop h by 1
 *   div after the sum of products that reads it
 *     loop m by 384
 *       loop m by 96
 *         buffer exp 1x96x512 f32 in L2
 *             scores in exp
 *                 view x0 1x96x64 -> L2
 *                   loop n by 384
 *                     loop n by 96
 *                       view x1 1x96x64 -> L2
 *                         loop n by 48
 *                           copy x1 1x48x64 -> L1, panels of 24
 *                               pack k=64 n=48, lanes along k
 *                             loop m by 16
 *                               view x0 1x16x64 -> L1
 *                                 loop n by 24
 *                                   loop m by 4
 *                                     registers exp 1x4x24  multiply_add m=4 n=24 k=64, lanes along n
 *                     leftover n 128:
 *                       view x1 1x128x64 -> L2
 *                         loop n by 48
 *                           copy x1 1x48x64 -> L1, panels of 24
 *                               pack k=64 n=48, lanes along k
 *                             loop m by 16
 *                               view x0 1x16x64 -> L1
 *                                 loop n by 24
 *                                   loop m by 4
 *                                     registers exp 1x4x24  multiply_add m=4 n=24 k=64, lanes along n
 *                           leftover n 32:
 *                             copy x1 1x32x64 -> L1, panels of 16
 *                                 pack k=64 n=32, lanes along k
 *                               loop m by 24
 *                                 view x0 1x24x64 -> L1
 *                                   loop n by 16
 *                                     loop m by 6
 *                                       registers exp 1x6x16  multiply_add m=6 n=16 k=64, lanes along n
 *               buffer max 1x96 f32 in L1
 *                   loop m by 12
 *                     registers max 1x12  combine m=12 n=512, lanes along n
 *                 loop m by 1
 *                   map m=1 n=512, lanes along n
 *           buffer sum 1x96 f32 in L1
 *               loop m by 12
 *                 registers sum 1x12  combine m=12 n=512, lanes along n
 *             buffer weighted 1x96x64 f32 in L2
 *                 loop n by 384
 *                   first:
 *                     loop n by 48
 *                       first:
 *                         view x2 1x48x64 -> L1
 *                           loop m by 12
 *                             view exp 1x12x48 -> L1
 *                               loop d4 by 24
 *                                 loop m by 4
 *                                   registers weighted 1x4x24  multiply_add m=4 d4=24 n=48, lanes along d4
 *                                 leftover d4 16:
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                         view x2 1x48x64 -> L1
 *                           loop m by 12
 *                             view exp 1x12x48 -> L1
 *                               loop d4 by 24
 *                                 loop m by 4
 *                                   registers weighted 1x4x24  multiply_add m=4 d4=24 n=48, lanes along d4
 *                                 leftover d4 16:
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                   leftover n 128:
 *                     view x2 1x128x64 -> L2
 *                       loop d4 by 48
 *                         loop n by 64
 *                           copy x2 1x64x48 -> L1, panels of 24
 *                               pack d4=48 n=64, lanes along d4
 *                             loop m by 16
 *                               view exp 1x16x64 -> L1
 *                                 loop d4 by 24
 *                                   loop m by 4
 *                                     registers weighted 1x4x24  multiply_add m=4 d4=24 n=64, lanes along d4
 *                         leftover d4 16:
 *                           loop n by 48
 *                             view x2 1x48x16 -> L1
 *                               loop m by 12
 *                                 view exp 1x12x48 -> L1
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                             leftover n 32:
 *                               view x2 1x32x16 -> L1
 *                                 loop m by 48
 *                                   view exp 1x48x32 -> L1
 *                                     loop m by 6
 *                                       registers weighted 1x6x16  multiply_add m=6 d4=16 n=32, lanes along d4
 *               view y 1x96x64 -> L2
 *                 loop m by 1
 *                   map m=1 d4=64, lanes along d4
 *       leftover m 128:
 *         view x0 1x128x64 -> L2
 *           loop m by 64
 *             buffer exp 1x64x512 f32 in L2
 *                 scores in exp
 *                     loop n by 192
 *                       view x1 1x192x64 -> L2
 *                         loop n by 48
 *                           copy x1 1x48x64 -> L1, panels of 24
 *                               pack k=64 n=48, lanes along k
 *                             loop m by 16
 *                               view x0 1x16x64 -> L1
 *                                 loop n by 24
 *                                   loop m by 4
 *                                     registers exp 1x4x24  multiply_add m=4 n=24 k=64, lanes along n
 *                       leftover n 128:
 *                         view x1 1x128x64 -> L2
 *                           loop n by 48
 *                             copy x1 1x48x64 -> L1, panels of 24
 *                                 pack k=64 n=48, lanes along k
 *                               loop m by 16
 *                                 view x0 1x16x64 -> L1
 *                                   loop n by 24
 *                                     loop m by 4
 *                                       registers exp 1x4x24  multiply_add m=4 n=24 k=64, lanes along n
 *                             leftover n 32:
 *                               copy x1 1x32x64 -> L1, panels of 16
 *                                   pack k=64 n=32, lanes along k
 *                                 loop m by 24
 *                                   view x0 1x24x64 -> L1
 *                                     loop n by 16
 *                                       loop m by 6
 *                                         registers exp 1x6x16  multiply_add m=6 n=16 k=64, lanes along n
 *                                   leftover m 16:
 *                                     view x0 1x16x64 -> L1
 *                                       loop n by 16
 *                                         loop m by 6
 *                                           registers exp 1x6x16  multiply_add m=6 n=16 k=64, lanes along n
 *                                           leftover m 4:
 *                                             registers exp 1x4x16  multiply_add m=4 n=16 k=64, lanes along n
 *                   buffer max 1x64 f32 in L1
 *                       loop m by 12
 *                         registers max 1x12  combine m=12 n=512, lanes along n
 *                         leftover m 4:
 *                           registers max 1x4  combine m=4 n=512, lanes along n
 *                     loop m by 1
 *                       map m=1 n=512, lanes along n
 *               buffer weighted 1x64x64 f32 in L2
 *                   loop n by 48
 *                     first:
 *                       view x2 1x48x64 -> L1
 *                         loop m by 48
 *                           loop m by 12
 *                             view exp 1x12x48 -> L1
 *                               loop d4 by 24
 *                                 loop m by 4
 *                                   registers weighted 1x4x24  multiply_add m=4 d4=24 n=48, lanes along d4
 *                                 leftover d4 16:
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                           leftover m 16:
 *                             view exp 1x16x48 -> L1
 *                               loop d4 by 24
 *                                 loop m by 4
 *                                   registers weighted 1x4x24  multiply_add m=4 d4=24 n=48, lanes along d4
 *                                 leftover d4 16:
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                                     leftover m 4:
 *                                       registers weighted 1x4x16  multiply_add m=4 d4=16 n=48, lanes along d4
 *                       view x2 1x48x64 -> L1
 *                         loop m by 48
 *                           loop m by 12
 *                             view exp 1x12x48 -> L1
 *                               loop d4 by 24
 *                                 loop m by 4
 *                                   registers weighted 1x4x24  multiply_add m=4 d4=24 n=48, lanes along d4
 *                                 leftover d4 16:
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                           leftover m 16:
 *                             view exp 1x16x48 -> L1
 *                               loop d4 by 24
 *                                 loop m by 4
 *                                   registers weighted 1x4x24  multiply_add m=4 d4=24 n=48, lanes along d4
 *                                 leftover d4 16:
 *                                   loop m by 6
 *                                     registers weighted 1x6x16  multiply_add m=6 d4=16 n=48, lanes along d4
 *                                     leftover m 4:
 *                                       registers weighted 1x4x16  multiply_add m=4 d4=16 n=48, lanes along d4
 *                     leftover n 32:
 *                       view exp 1x64x32 -> L1
 *                         view x2 1x32x64 -> L1
 *                           loop d4 by 24
 *                             loop m by 4
 *                               registers weighted 1x4x24  multiply_add m=4 d4=24 n=32, lanes along d4
 *                             leftover d4 16:
 *                               loop m by 6
 *                                 registers weighted 1x6x16  multiply_add m=6 d4=16 n=32, lanes along d4
 *                                 leftover m 4:
 *                                   registers weighted 1x4x16  multiply_add m=4 d4=16 n=32, lanes along d4
 *                 buffer sum 1x64 f32 in L1
 *                     loop m by 12
 *                       registers sum 1x12  combine m=12 n=512, lanes along n
 *                       leftover m 4:
 *                         registers sum 1x4  combine m=4 n=512, lanes along n
 *                   view y 1x64x64 -> L2
 *                     loop m by 1
 *                       map m=1 d4=64, lanes along d4
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

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
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

static inline __attribute__((always_inline, unused)) f32x8 div_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
}


static _Thread_local float buffer_9_thread[50688] __attribute__((aligned(64)));
static _Thread_local float buffer_65_thread[6144] __attribute__((aligned(64)));
static _Thread_local float packed_102_thread[3096] __attribute__((aligned(64)));

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=4 n=24 k=64, lanes along n */
static void multiply_add_4x24x64_0(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    store_f32x8(y + 528, c1_0);
    store_f32x8(y + 536, c1_1);
    store_f32x8(y + 544, c1_2);
    store_f32x8(y + 1056, c2_0);
    store_f32x8(y + 1064, c2_1);
    store_f32x8(y + 1072, c2_2);
    store_f32x8(y + 1584, c3_0);
    store_f32x8(y + 1592, c3_1);
    store_f32x8(y + 1600, c3_2);
}

/* y[1 n k] = p0[1 n k], k=64 n=48, lanes along k */
static void pack_64x48_1(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 1; i0++) {
        for (int64_t p = 0; p < 2; p++) {
            for (int64_t j = 0; j < 8; j++) {
                {
                    float *t = y + i0 * 1536 + p * 1536 + j * 192;
                    const float *s = p0 + i0 * 32768 + p * 1536 + j * 8;
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
                    const float *s = p0 + i0 * 32768 + p * 1536 + j * 8 + 512;
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
                    const float *s = p0 + i0 * 32768 + p * 1536 + j * 8 + 1024;
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
static void multiply_add_6x16x64_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 16 + 8));
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
    store_f32x8(y + 528, c1_0);
    store_f32x8(y + 536, c1_1);
    store_f32x8(y + 1056, c2_0);
    store_f32x8(y + 1064, c2_1);
    store_f32x8(y + 1584, c3_0);
    store_f32x8(y + 1592, c3_1);
    store_f32x8(y + 2112, c4_0);
    store_f32x8(y + 2120, c4_1);
    store_f32x8(y + 2640, c5_0);
    store_f32x8(y + 2648, c5_1);
}

/* y[1 n k] = p0[1 n k], k=64 n=32, lanes along k */
static void pack_64x32_3(const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 1; i0++) {
        for (int64_t p = 0; p < 2; p++) {
            for (int64_t j = 0; j < 8; j++) {
                {
                    float *t = y + i0 * 1024 + p * 1024 + j * 128;
                    const float *s = p0 + i0 * 32768 + p * 1024 + j * 8;
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
                    store_f32x8(t + 16, t4_1);
                    store_f32x8(t + 32, t4_2);
                    store_f32x8(t + 48, t4_3);
                    store_f32x8(t + 64, t4_4);
                    store_f32x8(t + 80, t4_5);
                    store_f32x8(t + 96, t4_6);
                    store_f32x8(t + 112, t4_7);
                }
                {
                    float *t = y + i0 * 1024 + p * 1024 + j * 128 + 8;
                    const float *s = p0 + i0 * 32768 + p * 1024 + j * 8 + 512;
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
                    store_f32x8(t + 16, t4_1);
                    store_f32x8(t + 32, t4_2);
                    store_f32x8(t + 48, t4_3);
                    store_f32x8(t + 64, t4_4);
                    store_f32x8(t + 80, t4_5);
                    store_f32x8(t + 96, t4_6);
                    store_f32x8(t + 112, t4_7);
                }
            }
        }
    }
}

/* y[1 m] = maximum of p0[1 m n], m=12 n=512, lanes along n */
static void combine_12x512_4(const float *restrict p0, float *restrict y)
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
    f32x8 c9_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c10_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c11_0 = splat_f32x8((-__builtin_inff()));
#pragma GCC unroll 4
    for (int64_t n = 0; n < 512; n += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 528);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1056);
            c2_0 = maximum_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1584);
            c3_0 = maximum_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + n + 2112);
            c4_0 = maximum_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + n + 2640);
            c5_0 = maximum_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + n + 3168);
            c6_0 = maximum_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + n + 3696);
            c7_0 = maximum_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + n + 4224);
            c8_0 = maximum_f32x8(c8_0, x0_8_0);
            const f32x8 x0_9_0 = load_f32x8(p0 + n + 4752);
            c9_0 = maximum_f32x8(c9_0, x0_9_0);
            const f32x8 x0_10_0 = load_f32x8(p0 + n + 5280);
            c10_0 = maximum_f32x8(c10_0, x0_10_0);
            const f32x8 x0_11_0 = load_f32x8(p0 + n + 5808);
            c11_0 = maximum_f32x8(c11_0, x0_11_0);
        }
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
    {
        const f32x8 s0 = maximum_f32x8(__builtin_shufflevector(c8_0, c9_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c8_0, c9_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = maximum_f32x8(__builtin_shufflevector(c10_0, c11_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c10_0, c11_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = maximum_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = maximum_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y + 8, sums);
    }
}

/* y[1 m n] = decay(mul(sub(p0[1 m n], p1[1 m]), 0.125)), m=1 n=512, lanes along n */
static void map_1x512_5(const float *p0, const float *restrict p1, float *y)
{
    for (int64_t i = 0; i < 512; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, decay_f32x8(hold_f32x8(((x0 - x1) * splat_f32x8(0.125f)))));
    }
}

/* y[1 m] = add of p0[1 m n], m=12 n=512, lanes along n */
static void combine_12x512_6(const float *restrict p0, float *restrict y)
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
    for (int64_t n = 0; n < 512; n += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 528);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1056);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1584);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + n + 2112);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + n + 2640);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + n + 3168);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + n + 3696);
            c7_0 = add_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + n + 4224);
            c8_0 = add_f32x8(c8_0, x0_8_0);
            const f32x8 x0_9_0 = load_f32x8(p0 + n + 4752);
            c9_0 = add_f32x8(c9_0, x0_9_0);
            const f32x8 x0_10_0 = load_f32x8(p0 + n + 5280);
            c10_0 = add_f32x8(c10_0, x0_10_0);
            const f32x8 x0_11_0 = load_f32x8(p0 + n + 5808);
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

/* y[1 m d4] = add of mul(p0[1 m n], p1[1 n d4]), m=4 d4=24 n=48, lanes along d4 */
static void multiply_add_4x24x48_7(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + n * 64 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 64, c1_0);
    store_f32x8(y + 72, c1_1);
    store_f32x8(y + 80, c1_2);
    store_f32x8(y + 128, c2_0);
    store_f32x8(y + 136, c2_1);
    store_f32x8(y + 144, c2_2);
    store_f32x8(y + 192, c3_0);
    store_f32x8(y + 200, c3_1);
    store_f32x8(y + 208, c3_2);
}

/* y[1 m d4] = add of mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=48, lanes along d4 */
static void multiply_add_6x16x48_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 64, c1_0);
    store_f32x8(y + 72, c1_1);
    store_f32x8(y + 128, c2_0);
    store_f32x8(y + 136, c2_1);
    store_f32x8(y + 192, c3_0);
    store_f32x8(y + 200, c3_1);
    store_f32x8(y + 256, c4_0);
    store_f32x8(y + 264, c4_1);
    store_f32x8(y + 320, c5_0);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=4 d4=24 n=48, lanes along d4 */
static void multiply_add_4x24x48_9(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 80, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 144, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 208, 1);
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + n * 64 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
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
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 80), c1_2);
    store_f32x8(y + 80, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 144), c2_2);
    store_f32x8(y + 144, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 208), c3_2);
    store_f32x8(y + 208, c3_2);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=48, lanes along d4 */
static void multiply_add_6x16x48_10(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 264, 1);
    __builtin_prefetch(y + 320, 1);
    __builtin_prefetch(y + 328, 1);
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c4_0 = add_f32x8(load_f32x8(y + 256), c4_0);
    store_f32x8(y + 256, c4_0);
    c4_1 = add_f32x8(load_f32x8(y + 264), c4_1);
    store_f32x8(y + 264, c4_1);
    c5_0 = add_f32x8(load_f32x8(y + 320), c5_0);
    store_f32x8(y + 320, c5_0);
    c5_1 = add_f32x8(load_f32x8(y + 328), c5_1);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=4 d4=24 n=64, lanes along d4 */
static void multiply_add_4x24x64_11(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 80, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 144, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 208, 1);
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
    for (int64_t n = 0; n < 64; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 24));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 24 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + n * 24 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
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
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 80), c1_2);
    store_f32x8(y + 80, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 144), c2_2);
    store_f32x8(y + 144, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 208), c3_2);
    store_f32x8(y + 208, c3_2);
}

/* y[1 n d4] = p0[1 n d4], d4=48 n=64, lanes along d4 */
static void pack_48x64_12(const float *restrict p0, float *restrict y)
{
    for (int64_t b = 0; b < 8; b++) {
        for (int64_t p = 0; p < 2; p++) {
            for (int64_t i1 = 0; i1 < 8; i1++) {
                {
                    const float *s = p0 + b * 512 + p * 24 + i1 * 64;
                    float *t = y + b * 192 + p * 1536 + i1 * 24;
                    store_f32x8(t, load_f32x8(s));
                    store_f32x8(t + 8, load_f32x8(s + 8));
                    store_f32x8(t + 16, load_f32x8(s + 16));
                }
            }
        }
    }
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=48, lanes along d4 */
static void multiply_add_6x16x48_13(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 264, 1);
    __builtin_prefetch(y + 320, 1);
    __builtin_prefetch(y + 328, 1);
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c4_0 = add_f32x8(load_f32x8(y + 256), c4_0);
    store_f32x8(y + 256, c4_0);
    c4_1 = add_f32x8(load_f32x8(y + 264), c4_1);
    store_f32x8(y + 264, c4_1);
    c5_0 = add_f32x8(load_f32x8(y + 320), c5_0);
    store_f32x8(y + 320, c5_0);
    c5_1 = add_f32x8(load_f32x8(y + 328), c5_1);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=32, lanes along d4 */
static void multiply_add_6x16x32_14(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 264, 1);
    __builtin_prefetch(y + 320, 1);
    __builtin_prefetch(y + 328, 1);
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
    for (int64_t n = 0; n < 32; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c4_0 = add_f32x8(load_f32x8(y + 256), c4_0);
    store_f32x8(y + 256, c4_0);
    c4_1 = add_f32x8(load_f32x8(y + 264), c4_1);
    store_f32x8(y + 264, c4_1);
    c5_0 = add_f32x8(load_f32x8(y + 320), c5_0);
    store_f32x8(y + 320, c5_0);
    c5_1 = add_f32x8(load_f32x8(y + 328), c5_1);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] = div(p0[1 m d4], p1[1 m]), m=1 d4=64, lanes along d4 */
static void map_1x64_15(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, div_f32x8(x0, x1));
    }
}

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=4 n=24 k=64, lanes along n */
static void multiply_add_4x24x64_16(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    store_f32x8(y + 528, c1_0);
    store_f32x8(y + 536, c1_1);
    store_f32x8(y + 544, c1_2);
    store_f32x8(y + 1056, c2_0);
    store_f32x8(y + 1064, c2_1);
    store_f32x8(y + 1072, c2_2);
    store_f32x8(y + 1584, c3_0);
    store_f32x8(y + 1592, c3_1);
    store_f32x8(y + 1600, c3_2);
}

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=6 n=16 k=64, lanes along n */
static void multiply_add_6x16x64_17(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 16 + 8));
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
    store_f32x8(y + 528, c1_0);
    store_f32x8(y + 536, c1_1);
    store_f32x8(y + 1056, c2_0);
    store_f32x8(y + 1064, c2_1);
    store_f32x8(y + 1584, c3_0);
    store_f32x8(y + 1592, c3_1);
    store_f32x8(y + 2112, c4_0);
    store_f32x8(y + 2120, c4_1);
    store_f32x8(y + 2640, c5_0);
    store_f32x8(y + 2648, c5_1);
}

/* y[1 m n] = add of mul(p0[1 m k], p1[1 n k]), m=4 n=16 k=64, lanes along n */
static void multiply_add_4x16x64_18(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t k = 0; k < 64; k += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[k]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + k * 16));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + k * 16 + 8));
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
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 528, c1_0);
    store_f32x8(y + 536, c1_1);
    store_f32x8(y + 1056, c2_0);
    store_f32x8(y + 1064, c2_1);
    store_f32x8(y + 1584, c3_0);
    store_f32x8(y + 1592, c3_1);
}

/* y[1 m] = maximum of p0[1 m n], m=12 n=512, lanes along n */
static void combine_12x512_19(const float *restrict p0, float *restrict y)
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
    f32x8 c9_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c10_0 = splat_f32x8((-__builtin_inff()));
    f32x8 c11_0 = splat_f32x8((-__builtin_inff()));
#pragma GCC unroll 4
    for (int64_t n = 0; n < 512; n += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 528);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1056);
            c2_0 = maximum_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1584);
            c3_0 = maximum_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + n + 2112);
            c4_0 = maximum_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + n + 2640);
            c5_0 = maximum_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + n + 3168);
            c6_0 = maximum_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + n + 3696);
            c7_0 = maximum_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + n + 4224);
            c8_0 = maximum_f32x8(c8_0, x0_8_0);
            const f32x8 x0_9_0 = load_f32x8(p0 + n + 4752);
            c9_0 = maximum_f32x8(c9_0, x0_9_0);
            const f32x8 x0_10_0 = load_f32x8(p0 + n + 5280);
            c10_0 = maximum_f32x8(c10_0, x0_10_0);
            const f32x8 x0_11_0 = load_f32x8(p0 + n + 5808);
            c11_0 = maximum_f32x8(c11_0, x0_11_0);
        }
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
    {
        const f32x8 s0 = maximum_f32x8(__builtin_shufflevector(c8_0, c9_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c8_0, c9_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s1 = maximum_f32x8(__builtin_shufflevector(c10_0, c11_0, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c10_0, c11_0, 4, 5, 6, 7, 12, 13, 14, 15));
        const f32x8 s2 = maximum_f32x8(__builtin_shufflevector(s0, s1, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(s0, s1, 2, 3, 10, 11, 6, 7, 14, 15));
        const f32x8 s3 = maximum_f32x8(s2, __builtin_shufflevector(s2, s2, 1, 1, 3, 3, 5, 5, 7, 7));
        const f32x4 sums = __builtin_shufflevector(s3, s3, 0, 4, 2, 6);
        store_f32x4(y + 8, sums);
    }
}

/* y[1 m] = maximum of p0[1 m n], m=4 n=512, lanes along n */
static void combine_4x512_20(const float *restrict p0, float *restrict y)
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
    for (int64_t n = 0; n < 512; n += 16) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n);
            c0_0 = maximum_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 528);
            c1_0 = maximum_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1056);
            c2_0 = maximum_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1584);
            c3_0 = maximum_f32x8(c3_0, x0_3_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n + 8);
            c0_0a = maximum_f32x8(c0_0a, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 536);
            c1_0a = maximum_f32x8(c1_0a, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1064);
            c2_0a = maximum_f32x8(c2_0a, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1592);
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

/* y[1 m n] = decay(mul(sub(p0[1 m n], p1[1 m]), 0.125)), m=1 n=512, lanes along n */
static void map_1x512_21(const float *p0, const float *restrict p1, float *y)
{
    for (int64_t i = 0; i < 512; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, decay_f32x8(hold_f32x8(((x0 - x1) * splat_f32x8(0.125f)))));
    }
}

/* y[1 m d4] = add of mul(p0[1 m n], p1[1 n d4]), m=4 d4=24 n=48, lanes along d4 */
static void multiply_add_4x24x48_22(const float *restrict p0, const float *restrict p1, float *restrict y)
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + n * 64 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            c3_2 += x0_3_0 * x1_2;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 16, c0_2);
    store_f32x8(y + 64, c1_0);
    store_f32x8(y + 72, c1_1);
    store_f32x8(y + 80, c1_2);
    store_f32x8(y + 128, c2_0);
    store_f32x8(y + 136, c2_1);
    store_f32x8(y + 144, c2_2);
    store_f32x8(y + 192, c3_0);
    store_f32x8(y + 200, c3_1);
    store_f32x8(y + 208, c3_2);
}

/* y[1 m d4] = add of mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=48, lanes along d4 */
static void multiply_add_6x16x48_23(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 64, c1_0);
    store_f32x8(y + 72, c1_1);
    store_f32x8(y + 128, c2_0);
    store_f32x8(y + 136, c2_1);
    store_f32x8(y + 192, c3_0);
    store_f32x8(y + 200, c3_1);
    store_f32x8(y + 256, c4_0);
    store_f32x8(y + 264, c4_1);
    store_f32x8(y + 320, c5_0);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] = add of mul(p0[1 m n], p1[1 n d4]), m=4 d4=16 n=48, lanes along d4 */
static void multiply_add_4x16x48_24(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
        }
    }
    store_f32x8(y, c0_0);
    store_f32x8(y + 8, c0_1);
    store_f32x8(y + 64, c1_0);
    store_f32x8(y + 72, c1_1);
    store_f32x8(y + 128, c2_0);
    store_f32x8(y + 136, c2_1);
    store_f32x8(y + 192, c3_0);
    store_f32x8(y + 200, c3_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=4 d4=24 n=48, lanes along d4 */
static void multiply_add_4x24x48_25(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 80, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 144, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 208, 1);
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + n * 64 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
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
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 80), c1_2);
    store_f32x8(y + 80, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 144), c2_2);
    store_f32x8(y + 144, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 208), c3_2);
    store_f32x8(y + 208, c3_2);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=48, lanes along d4 */
static void multiply_add_6x16x48_26(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 264, 1);
    __builtin_prefetch(y + 320, 1);
    __builtin_prefetch(y + 328, 1);
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
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c4_0 = add_f32x8(load_f32x8(y + 256), c4_0);
    store_f32x8(y + 256, c4_0);
    c4_1 = add_f32x8(load_f32x8(y + 264), c4_1);
    store_f32x8(y + 264, c4_1);
    c5_0 = add_f32x8(load_f32x8(y + 320), c5_0);
    store_f32x8(y + 320, c5_0);
    c5_1 = add_f32x8(load_f32x8(y + 328), c5_1);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=4 d4=16 n=48, lanes along d4 */
static void multiply_add_4x16x48_27(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t n = 0; n < 48; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=4 d4=24 n=32, lanes along d4 */
static void multiply_add_4x24x32_28(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 16, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 80, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 144, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 208, 1);
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
    for (int64_t n = 0; n < 32; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x1_2 = hold_f32x8(load_f32x8(p1 + n * 64 + 16));
            c0_2 += x0_0_0 * x1_2;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            c1_2 += x0_1_0 * x1_2;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            c2_2 += x0_2_0 * x1_2;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
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
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c1_2 = add_f32x8(load_f32x8(y + 80), c1_2);
    store_f32x8(y + 80, c1_2);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c2_2 = add_f32x8(load_f32x8(y + 144), c2_2);
    store_f32x8(y + 144, c2_2);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c3_2 = add_f32x8(load_f32x8(y + 208), c3_2);
    store_f32x8(y + 208, c3_2);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=6 d4=16 n=32, lanes along d4 */
static void multiply_add_6x16x32_29(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    __builtin_prefetch(y + 256, 1);
    __builtin_prefetch(y + 264, 1);
    __builtin_prefetch(y + 320, 1);
    __builtin_prefetch(y + 328, 1);
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
    for (int64_t n = 0; n < 32; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
            const f32x8 x0_4_0 = splat_f32x8(p0[n + 2112]);
            c4_0 += x0_4_0 * x1_0;
            c4_1 += x0_4_0 * x1_1;
            const f32x8 x0_5_0 = splat_f32x8(p0[n + 2640]);
            c5_0 += x0_5_0 * x1_0;
            c5_1 += x0_5_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
    c4_0 = add_f32x8(load_f32x8(y + 256), c4_0);
    store_f32x8(y + 256, c4_0);
    c4_1 = add_f32x8(load_f32x8(y + 264), c4_1);
    store_f32x8(y + 264, c4_1);
    c5_0 = add_f32x8(load_f32x8(y + 320), c5_0);
    store_f32x8(y + 320, c5_0);
    c5_1 = add_f32x8(load_f32x8(y + 328), c5_1);
    store_f32x8(y + 328, c5_1);
}

/* y[1 m d4] += mul(p0[1 m n], p1[1 n d4]), m=4 d4=16 n=32, lanes along d4 */
static void multiply_add_4x16x32_30(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 8, 1);
    __builtin_prefetch(y + 64, 1);
    __builtin_prefetch(y + 72, 1);
    __builtin_prefetch(y + 128, 1);
    __builtin_prefetch(y + 136, 1);
    __builtin_prefetch(y + 192, 1);
    __builtin_prefetch(y + 200, 1);
    f32x8 c0_0 = splat_f32x8(0.0f);
    f32x8 c0_1 = splat_f32x8(0.0f);
    f32x8 c1_0 = splat_f32x8(0.0f);
    f32x8 c1_1 = splat_f32x8(0.0f);
    f32x8 c2_0 = splat_f32x8(0.0f);
    f32x8 c2_1 = splat_f32x8(0.0f);
    f32x8 c3_0 = splat_f32x8(0.0f);
    f32x8 c3_1 = splat_f32x8(0.0f);
#pragma GCC unroll 6
    for (int64_t n = 0; n < 32; n += 1) {
        {
            const f32x8 x0_0_0 = splat_f32x8(p0[n]);
            const f32x8 x1_0 = hold_f32x8(load_f32x8(p1 + n * 64));
            c0_0 += x0_0_0 * x1_0;
            const f32x8 x1_1 = hold_f32x8(load_f32x8(p1 + n * 64 + 8));
            c0_1 += x0_0_0 * x1_1;
            const f32x8 x0_1_0 = splat_f32x8(p0[n + 528]);
            c1_0 += x0_1_0 * x1_0;
            c1_1 += x0_1_0 * x1_1;
            const f32x8 x0_2_0 = splat_f32x8(p0[n + 1056]);
            c2_0 += x0_2_0 * x1_0;
            c2_1 += x0_2_0 * x1_1;
            const f32x8 x0_3_0 = splat_f32x8(p0[n + 1584]);
            c3_0 += x0_3_0 * x1_0;
            c3_1 += x0_3_0 * x1_1;
        }
    }
    c0_0 = add_f32x8(load_f32x8(y), c0_0);
    store_f32x8(y, c0_0);
    c0_1 = add_f32x8(load_f32x8(y + 8), c0_1);
    store_f32x8(y + 8, c0_1);
    c1_0 = add_f32x8(load_f32x8(y + 64), c1_0);
    store_f32x8(y + 64, c1_0);
    c1_1 = add_f32x8(load_f32x8(y + 72), c1_1);
    store_f32x8(y + 72, c1_1);
    c2_0 = add_f32x8(load_f32x8(y + 128), c2_0);
    store_f32x8(y + 128, c2_0);
    c2_1 = add_f32x8(load_f32x8(y + 136), c2_1);
    store_f32x8(y + 136, c2_1);
    c3_0 = add_f32x8(load_f32x8(y + 192), c3_0);
    store_f32x8(y + 192, c3_0);
    c3_1 = add_f32x8(load_f32x8(y + 200), c3_1);
    store_f32x8(y + 200, c3_1);
}

/* y[1 m] = add of p0[1 m n], m=12 n=512, lanes along n */
static void combine_12x512_31(const float *restrict p0, float *restrict y)
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
    for (int64_t n = 0; n < 512; n += 8) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 528);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1056);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1584);
            c3_0 = add_f32x8(c3_0, x0_3_0);
            const f32x8 x0_4_0 = load_f32x8(p0 + n + 2112);
            c4_0 = add_f32x8(c4_0, x0_4_0);
            const f32x8 x0_5_0 = load_f32x8(p0 + n + 2640);
            c5_0 = add_f32x8(c5_0, x0_5_0);
            const f32x8 x0_6_0 = load_f32x8(p0 + n + 3168);
            c6_0 = add_f32x8(c6_0, x0_6_0);
            const f32x8 x0_7_0 = load_f32x8(p0 + n + 3696);
            c7_0 = add_f32x8(c7_0, x0_7_0);
            const f32x8 x0_8_0 = load_f32x8(p0 + n + 4224);
            c8_0 = add_f32x8(c8_0, x0_8_0);
            const f32x8 x0_9_0 = load_f32x8(p0 + n + 4752);
            c9_0 = add_f32x8(c9_0, x0_9_0);
            const f32x8 x0_10_0 = load_f32x8(p0 + n + 5280);
            c10_0 = add_f32x8(c10_0, x0_10_0);
            const f32x8 x0_11_0 = load_f32x8(p0 + n + 5808);
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

/* y[1 m] = add of p0[1 m n], m=4 n=512, lanes along n */
static void combine_4x512_32(const float *restrict p0, float *restrict y)
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
    for (int64_t n = 0; n < 512; n += 16) {
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n);
            c0_0 = add_f32x8(c0_0, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 528);
            c1_0 = add_f32x8(c1_0, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1056);
            c2_0 = add_f32x8(c2_0, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1584);
            c3_0 = add_f32x8(c3_0, x0_3_0);
        }
        {
            const f32x8 x0_0_0 = load_f32x8(p0 + n + 8);
            c0_0a = add_f32x8(c0_0a, x0_0_0);
            const f32x8 x0_1_0 = load_f32x8(p0 + n + 536);
            c1_0a = add_f32x8(c1_0a, x0_1_0);
            const f32x8 x0_2_0 = load_f32x8(p0 + n + 1064);
            c2_0a = add_f32x8(c2_0a, x0_2_0);
            const f32x8 x0_3_0 = load_f32x8(p0 + n + 1592);
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

/* y[1 m d4] = div(p0[1 m d4], p1[1 m]), m=1 d4=64, lanes along d4 */
static void map_1x64_33(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    for (int64_t i = 0; i < 64; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = splat_f32x8(*p1);
        store_f32x8(y + i, div_f32x8(x0, x1));
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_attention_5f38c8c9_check(void)
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

uint32_t griotte_attention_5f38c8c9_abi(void)
{
    return 0x1b9c18a;
}

void griotte_attention_5f38c8c9(const float *x0, const float *x1, const float *x2, float *y)
{
    float packed_16_own[3096] __attribute__((aligned(64)));
    float *packed_102_own = packed_102_thread;
    __asm__ volatile("" : "+r"(packed_102_own));
    float *buffer_65_own = buffer_65_thread;
    __asm__ volatile("" : "+r"(buffer_65_own));
    float *buffer_9_own = buffer_9_thread;
    __asm__ volatile("" : "+r"(buffer_9_own));
    for (int64_t h_1 = 0; h_1 < 12; h_1++) {
        const float *x_2 = x0 + h_1 * 32768;
        const float *x_3 = x1 + h_1 * 32768;
        const float *x_4 = x2 + h_1 * 32768;
        float *y_5 = y + h_1 * 32768;
        for (int64_t m_6 = 0; m_6 < 4; m_6++) {
            const float *x_7 = x_2 + m_6 * 6144;
            float *y_8 = y_5 + m_6 * 6144;
            {
                float *const buffer_9 = buffer_9_own;
                {
                    for (int64_t n_10 = 0; n_10 < 4; n_10++) {
                        const float *x_11 = x_3 + n_10 * 6144;
                        float *buffer_12 = buffer_9 + n_10 * 96;
                        for (int64_t n_13 = 0; n_13 < 2; n_13++) {
                            const float *x_14 = x_11 + n_13 * 3072;
                            float *buffer_15 = buffer_12 + n_13 * 48;
                            {
                                float *const packed_16 = packed_16_own;
                                /* copy into panels of 24, L1 */
                                pack_64x48_1(x_14, packed_16);
                                for (int64_t m_17 = 0; m_17 < 6; m_17++) {
                                    const float *x_18 = x_7 + m_17 * 1024;
                                    float *buffer_19 = buffer_15 + m_17 * 8448;
                                    for (int64_t n_20 = 0; n_20 < 2; n_20++) {
                                        const float *packed_21 = packed_16 + n_20 * 1536;
                                        float *buffer_22 = buffer_19 + n_20 * 24;
                                        for (int64_t m_23 = 0; m_23 < 4; m_23++) {
                                            const float *x_24 = x_18 + m_23 * 256;
                                            float *buffer_25 = buffer_22 + m_23 * 2112;
                                            multiply_add_4x24x64_0(x_24, packed_21, buffer_25);
                                        }
                                    }
                                }
                            }
                        }
                    }
                    {
                        const float *x_26 = x_3 + 24576;
                        float *buffer_27 = buffer_9 + 384;
                        for (int64_t n_28 = 0; n_28 < 2; n_28++) {
                            const float *x_29 = x_26 + n_28 * 3072;
                            float *buffer_30 = buffer_27 + n_28 * 48;
                            {
                                float *const packed_31 = packed_16_own;
                                /* copy into panels of 24, L1 */
                                pack_64x48_1(x_29, packed_31);
                                for (int64_t m_32 = 0; m_32 < 6; m_32++) {
                                    const float *x_33 = x_7 + m_32 * 1024;
                                    float *buffer_34 = buffer_30 + m_32 * 8448;
                                    for (int64_t n_35 = 0; n_35 < 2; n_35++) {
                                        const float *packed_36 = packed_31 + n_35 * 1536;
                                        float *buffer_37 = buffer_34 + n_35 * 24;
                                        for (int64_t m_38 = 0; m_38 < 4; m_38++) {
                                            const float *x_39 = x_33 + m_38 * 256;
                                            float *buffer_40 = buffer_37 + m_38 * 2112;
                                            multiply_add_4x24x64_0(x_39, packed_36, buffer_40);
                                        }
                                    }
                                }
                            }
                        }
                        {
                            const float *x_41 = x_26 + 6144;
                            float *buffer_42 = buffer_27 + 96;
                            {
                                float *const packed_43 = packed_16_own;
                                /* copy into panels of 16, L1 */
                                pack_64x32_3(x_41, packed_43);
                                for (int64_t m_44 = 0; m_44 < 4; m_44++) {
                                    const float *x_45 = x_7 + m_44 * 1536;
                                    float *buffer_46 = buffer_42 + m_44 * 12672;
                                    for (int64_t n_47 = 0; n_47 < 2; n_47++) {
                                        const float *packed_48 = packed_43 + n_47 * 1024;
                                        float *buffer_49 = buffer_46 + n_47 * 16;
                                        for (int64_t m_50 = 0; m_50 < 4; m_50++) {
                                            const float *x_51 = x_45 + m_50 * 384;
                                            float *buffer_52 = buffer_49 + m_50 * 3168;
                                            multiply_add_6x16x64_2(x_51, packed_48, buffer_52);
                                        }
                                    }
                                }
                            }
                        }
                    }
                    {
                        float *const buffer_53 = packed_16_own;
                        for (int64_t m_54 = 0; m_54 < 8; m_54++) {
                            const float *buffer_55 = buffer_9 + m_54 * 6336;
                            float *buffer_56 = buffer_53 + m_54 * 12;
                            combine_12x512_4(buffer_55, buffer_56);
                        }
                        for (int64_t m_57 = 0; m_57 < 96; m_57++) {
                            const float *buffer_58 = buffer_9 + m_57 * 528;
                            const float *buffer_59 = buffer_53 + m_57;
                            float *buffer_60 = buffer_9 + m_57 * 528;
                            map_1x512_5(buffer_58, buffer_59, buffer_60);
                        }
                    }
                }
                {
                    float *const buffer_61 = packed_16_own;
                    for (int64_t m_62 = 0; m_62 < 8; m_62++) {
                        const float *buffer_63 = buffer_9 + m_62 * 6336;
                        float *buffer_64 = buffer_61 + m_62 * 12;
                        combine_12x512_6(buffer_63, buffer_64);
                    }
                    {
                        float *const buffer_65 = buffer_65_own;
                        for (int64_t m_66 = 0; m_66 < 8; m_66++) {
                            const float *buffer_67 = buffer_9 + m_66 * 6336;
                            float *buffer_68 = buffer_65 + m_66 * 768;
                            for (int64_t d4_69 = 0; d4_69 < 2; d4_69++) {
                                const float *x_70 = x_4 + d4_69 * 24;
                                float *buffer_71 = buffer_68 + d4_69 * 24;
                                for (int64_t m_72 = 0; m_72 < 3; m_72++) {
                                    const float *buffer_73 = buffer_67 + m_72 * 2112;
                                    float *buffer_74 = buffer_71 + m_72 * 256;
                                    multiply_add_4x24x48_7(buffer_73, x_70, buffer_74);
                                }
                            }
                            {
                                const float *x_75 = x_4 + 48;
                                float *buffer_76 = buffer_68 + 48;
                                for (int64_t m_77 = 0; m_77 < 2; m_77++) {
                                    const float *buffer_78 = buffer_67 + m_77 * 3168;
                                    float *buffer_79 = buffer_76 + m_77 * 384;
                                    multiply_add_6x16x48_8(buffer_78, x_75, buffer_79);
                                }
                            }
                        }
                        for (int64_t n_80 = 1; n_80 < 8; n_80++) {
                            const float *buffer_81 = buffer_9 + n_80 * 48;
                            const float *x_82 = x_4 + n_80 * 3072;
                            for (int64_t m_83 = 0; m_83 < 8; m_83++) {
                                const float *buffer_84 = buffer_81 + m_83 * 6336;
                                float *buffer_85 = buffer_65 + m_83 * 768;
                                for (int64_t d4_86 = 0; d4_86 < 2; d4_86++) {
                                    const float *x_87 = x_82 + d4_86 * 24;
                                    float *buffer_88 = buffer_85 + d4_86 * 24;
                                    for (int64_t m_89 = 0; m_89 < 3; m_89++) {
                                        const float *buffer_90 = buffer_84 + m_89 * 2112;
                                        float *buffer_91 = buffer_88 + m_89 * 256;
                                        multiply_add_4x24x48_9(buffer_90, x_87, buffer_91);
                                    }
                                }
                                {
                                    const float *x_92 = x_82 + 48;
                                    float *buffer_93 = buffer_85 + 48;
                                    for (int64_t m_94 = 0; m_94 < 2; m_94++) {
                                        const float *buffer_95 = buffer_84 + m_94 * 3168;
                                        float *buffer_96 = buffer_93 + m_94 * 384;
                                        multiply_add_6x16x48_10(buffer_95, x_92, buffer_96);
                                    }
                                }
                            }
                        }
                        {
                            const float *buffer_97 = buffer_9 + 384;
                            const float *x_98 = x_4 + 24576;
                            for (int64_t n_99 = 0; n_99 < 2; n_99++) {
                                const float *buffer_100 = buffer_97 + n_99 * 64;
                                const float *x_101 = x_98 + n_99 * 4096;
                                {
                                    float *const packed_102 = packed_102_own;
                                    /* copy into panels of 24, L1 */
                                    pack_48x64_12(x_101, packed_102);
                                    for (int64_t m_103 = 0; m_103 < 6; m_103++) {
                                        const float *buffer_104 = buffer_100 + m_103 * 8448;
                                        float *buffer_105 = buffer_65 + m_103 * 1024;
                                        for (int64_t d4_106 = 0; d4_106 < 2; d4_106++) {
                                            const float *packed_107 = packed_102 + d4_106 * 1536;
                                            float *buffer_108 = buffer_105 + d4_106 * 24;
                                            for (int64_t m_109 = 0; m_109 < 4; m_109++) {
                                                const float *buffer_110 = buffer_104 + m_109 * 2112;
                                                float *buffer_111 = buffer_108 + m_109 * 256;
                                                multiply_add_4x24x64_11(buffer_110, packed_107, buffer_111);
                                            }
                                        }
                                    }
                                }
                            }
                            {
                                const float *x_112 = x_98 + 48;
                                float *buffer_113 = buffer_65 + 48;
                                for (int64_t n_114 = 0; n_114 < 2; n_114++) {
                                    const float *buffer_115 = buffer_97 + n_114 * 48;
                                    const float *x_116 = x_112 + n_114 * 3072;
                                    for (int64_t m_117 = 0; m_117 < 8; m_117++) {
                                        const float *buffer_118 = buffer_115 + m_117 * 6336;
                                        float *buffer_119 = buffer_113 + m_117 * 768;
                                        for (int64_t m_120 = 0; m_120 < 2; m_120++) {
                                            const float *buffer_121 = buffer_118 + m_120 * 3168;
                                            float *buffer_122 = buffer_119 + m_120 * 384;
                                            multiply_add_6x16x48_13(buffer_121, x_116, buffer_122);
                                        }
                                    }
                                }
                                {
                                    const float *buffer_123 = buffer_97 + 96;
                                    const float *x_124 = x_112 + 6144;
                                    for (int64_t m_125 = 0; m_125 < 2; m_125++) {
                                        const float *buffer_126 = buffer_123 + m_125 * 25344;
                                        float *buffer_127 = buffer_113 + m_125 * 3072;
                                        for (int64_t m_128 = 0; m_128 < 8; m_128++) {
                                            const float *buffer_129 = buffer_126 + m_128 * 3168;
                                            float *buffer_130 = buffer_127 + m_128 * 384;
                                            multiply_add_6x16x32_14(buffer_129, x_124, buffer_130);
                                        }
                                    }
                                }
                            }
                        }
                        for (int64_t m_131 = 0; m_131 < 96; m_131++) {
                            const float *buffer_132 = buffer_65 + m_131 * 64;
                            const float *buffer_133 = buffer_61 + m_131;
                            float *y_134 = y_8 + m_131 * 64;
                            map_1x64_15(buffer_132, buffer_133, y_134);
                        }
                    }
                }
            }
        }
        {
            const float *x_135 = x_2 + 24576;
            float *y_136 = y_5 + 24576;
            for (int64_t m_137 = 0; m_137 < 2; m_137++) {
                const float *x_138 = x_135 + m_137 * 4096;
                float *y_139 = y_136 + m_137 * 4096;
                {
                    float *const buffer_140 = buffer_9_own;
                    {
                        for (int64_t n_141 = 0; n_141 < 2; n_141++) {
                            const float *x_142 = x_3 + n_141 * 12288;
                            float *buffer_143 = buffer_140 + n_141 * 192;
                            for (int64_t n_144 = 0; n_144 < 4; n_144++) {
                                const float *x_145 = x_142 + n_144 * 3072;
                                float *buffer_146 = buffer_143 + n_144 * 48;
                                {
                                    float *const packed_147 = packed_102_own;
                                    /* copy into panels of 24, L1 */
                                    pack_64x48_1(x_145, packed_147);
                                    for (int64_t m_148 = 0; m_148 < 4; m_148++) {
                                        const float *x_149 = x_138 + m_148 * 1024;
                                        float *buffer_150 = buffer_146 + m_148 * 8448;
                                        for (int64_t n_151 = 0; n_151 < 2; n_151++) {
                                            const float *packed_152 = packed_147 + n_151 * 1536;
                                            float *buffer_153 = buffer_150 + n_151 * 24;
                                            for (int64_t m_154 = 0; m_154 < 4; m_154++) {
                                                const float *x_155 = x_149 + m_154 * 256;
                                                float *buffer_156 = buffer_153 + m_154 * 2112;
                                                multiply_add_4x24x64_16(x_155, packed_152, buffer_156);
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        {
                            const float *x_157 = x_3 + 24576;
                            float *buffer_158 = buffer_140 + 384;
                            for (int64_t n_159 = 0; n_159 < 2; n_159++) {
                                const float *x_160 = x_157 + n_159 * 3072;
                                float *buffer_161 = buffer_158 + n_159 * 48;
                                {
                                    float *const packed_162 = packed_16_own;
                                    /* copy into panels of 24, L1 */
                                    pack_64x48_1(x_160, packed_162);
                                    for (int64_t m_163 = 0; m_163 < 4; m_163++) {
                                        const float *x_164 = x_138 + m_163 * 1024;
                                        float *buffer_165 = buffer_161 + m_163 * 8448;
                                        for (int64_t n_166 = 0; n_166 < 2; n_166++) {
                                            const float *packed_167 = packed_162 + n_166 * 1536;
                                            float *buffer_168 = buffer_165 + n_166 * 24;
                                            for (int64_t m_169 = 0; m_169 < 4; m_169++) {
                                                const float *x_170 = x_164 + m_169 * 256;
                                                float *buffer_171 = buffer_168 + m_169 * 2112;
                                                multiply_add_4x24x64_16(x_170, packed_167, buffer_171);
                                            }
                                        }
                                    }
                                }
                            }
                            {
                                const float *x_172 = x_157 + 6144;
                                float *buffer_173 = buffer_158 + 96;
                                {
                                    float *const packed_174 = packed_102_own;
                                    /* copy into panels of 16, L1 */
                                    pack_64x32_3(x_172, packed_174);
                                    for (int64_t m_175 = 0; m_175 < 2; m_175++) {
                                        const float *x_176 = x_138 + m_175 * 1536;
                                        float *buffer_177 = buffer_173 + m_175 * 12672;
                                        for (int64_t n_178 = 0; n_178 < 2; n_178++) {
                                            const float *packed_179 = packed_174 + n_178 * 1024;
                                            float *buffer_180 = buffer_177 + n_178 * 16;
                                            for (int64_t m_181 = 0; m_181 < 4; m_181++) {
                                                const float *x_182 = x_176 + m_181 * 384;
                                                float *buffer_183 = buffer_180 + m_181 * 3168;
                                                multiply_add_6x16x64_17(x_182, packed_179, buffer_183);
                                            }
                                        }
                                    }
                                    {
                                        const float *x_184 = x_138 + 3072;
                                        float *buffer_185 = buffer_173 + 25344;
                                        for (int64_t n_186 = 0; n_186 < 2; n_186++) {
                                            const float *packed_187 = packed_174 + n_186 * 1024;
                                            float *buffer_188 = buffer_185 + n_186 * 16;
                                            for (int64_t m_189 = 0; m_189 < 2; m_189++) {
                                                const float *x_190 = x_184 + m_189 * 384;
                                                float *buffer_191 = buffer_188 + m_189 * 3168;
                                                multiply_add_6x16x64_17(x_190, packed_187, buffer_191);
                                            }
                                            {
                                                const float *x_192 = x_184 + 768;
                                                float *buffer_193 = buffer_188 + 6336;
                                                multiply_add_4x16x64_18(x_192, packed_187, buffer_193);
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        {
                            float *const buffer_194 = packed_16_own;
                            for (int64_t m_195 = 0; m_195 < 5; m_195++) {
                                const float *buffer_196 = buffer_140 + m_195 * 6336;
                                float *buffer_197 = buffer_194 + m_195 * 12;
                                combine_12x512_19(buffer_196, buffer_197);
                            }
                            {
                                const float *buffer_198 = buffer_140 + 31680;
                                float *buffer_199 = buffer_194 + 60;
                                combine_4x512_20(buffer_198, buffer_199);
                            }
                            for (int64_t m_200 = 0; m_200 < 64; m_200++) {
                                const float *buffer_201 = buffer_140 + m_200 * 528;
                                const float *buffer_202 = buffer_194 + m_200;
                                float *buffer_203 = buffer_140 + m_200 * 528;
                                map_1x512_21(buffer_201, buffer_202, buffer_203);
                            }
                        }
                    }
                    {
                        float *const buffer_204 = buffer_65_own;
                        for (int64_t m_205 = 0; m_205 < 4; m_205++) {
                            const float *buffer_206 = buffer_140 + m_205 * 6336;
                            float *buffer_207 = buffer_204 + m_205 * 768;
                            for (int64_t d4_208 = 0; d4_208 < 2; d4_208++) {
                                const float *x_209 = x_4 + d4_208 * 24;
                                float *buffer_210 = buffer_207 + d4_208 * 24;
                                for (int64_t m_211 = 0; m_211 < 3; m_211++) {
                                    const float *buffer_212 = buffer_206 + m_211 * 2112;
                                    float *buffer_213 = buffer_210 + m_211 * 256;
                                    multiply_add_4x24x48_22(buffer_212, x_209, buffer_213);
                                }
                            }
                            {
                                const float *x_214 = x_4 + 48;
                                float *buffer_215 = buffer_207 + 48;
                                for (int64_t m_216 = 0; m_216 < 2; m_216++) {
                                    const float *buffer_217 = buffer_206 + m_216 * 3168;
                                    float *buffer_218 = buffer_215 + m_216 * 384;
                                    multiply_add_6x16x48_23(buffer_217, x_214, buffer_218);
                                }
                            }
                        }
                        {
                            const float *buffer_219 = buffer_140 + 25344;
                            float *buffer_220 = buffer_204 + 3072;
                            for (int64_t d4_221 = 0; d4_221 < 2; d4_221++) {
                                const float *x_222 = x_4 + d4_221 * 24;
                                float *buffer_223 = buffer_220 + d4_221 * 24;
                                for (int64_t m_224 = 0; m_224 < 4; m_224++) {
                                    const float *buffer_225 = buffer_219 + m_224 * 2112;
                                    float *buffer_226 = buffer_223 + m_224 * 256;
                                    multiply_add_4x24x48_22(buffer_225, x_222, buffer_226);
                                }
                            }
                            {
                                const float *x_227 = x_4 + 48;
                                float *buffer_228 = buffer_220 + 48;
                                for (int64_t m_229 = 0; m_229 < 2; m_229++) {
                                    const float *buffer_230 = buffer_219 + m_229 * 3168;
                                    float *buffer_231 = buffer_228 + m_229 * 384;
                                    multiply_add_6x16x48_23(buffer_230, x_227, buffer_231);
                                }
                                {
                                    const float *buffer_232 = buffer_219 + 6336;
                                    float *buffer_233 = buffer_228 + 768;
                                    multiply_add_4x16x48_24(buffer_232, x_227, buffer_233);
                                }
                            }
                        }
                        for (int64_t n_234 = 1; n_234 < 10; n_234++) {
                            const float *buffer_235 = buffer_140 + n_234 * 48;
                            const float *x_236 = x_4 + n_234 * 3072;
                            for (int64_t m_237 = 0; m_237 < 4; m_237++) {
                                const float *buffer_238 = buffer_235 + m_237 * 6336;
                                float *buffer_239 = buffer_204 + m_237 * 768;
                                for (int64_t d4_240 = 0; d4_240 < 2; d4_240++) {
                                    const float *x_241 = x_236 + d4_240 * 24;
                                    float *buffer_242 = buffer_239 + d4_240 * 24;
                                    for (int64_t m_243 = 0; m_243 < 3; m_243++) {
                                        const float *buffer_244 = buffer_238 + m_243 * 2112;
                                        float *buffer_245 = buffer_242 + m_243 * 256;
                                        multiply_add_4x24x48_25(buffer_244, x_241, buffer_245);
                                    }
                                }
                                {
                                    const float *x_246 = x_236 + 48;
                                    float *buffer_247 = buffer_239 + 48;
                                    for (int64_t m_248 = 0; m_248 < 2; m_248++) {
                                        const float *buffer_249 = buffer_238 + m_248 * 3168;
                                        float *buffer_250 = buffer_247 + m_248 * 384;
                                        multiply_add_6x16x48_26(buffer_249, x_246, buffer_250);
                                    }
                                }
                            }
                            {
                                const float *buffer_251 = buffer_235 + 25344;
                                float *buffer_252 = buffer_204 + 3072;
                                for (int64_t d4_253 = 0; d4_253 < 2; d4_253++) {
                                    const float *x_254 = x_236 + d4_253 * 24;
                                    float *buffer_255 = buffer_252 + d4_253 * 24;
                                    for (int64_t m_256 = 0; m_256 < 4; m_256++) {
                                        const float *buffer_257 = buffer_251 + m_256 * 2112;
                                        float *buffer_258 = buffer_255 + m_256 * 256;
                                        multiply_add_4x24x48_25(buffer_257, x_254, buffer_258);
                                    }
                                }
                                {
                                    const float *x_259 = x_236 + 48;
                                    float *buffer_260 = buffer_252 + 48;
                                    for (int64_t m_261 = 0; m_261 < 2; m_261++) {
                                        const float *buffer_262 = buffer_251 + m_261 * 3168;
                                        float *buffer_263 = buffer_260 + m_261 * 384;
                                        multiply_add_6x16x48_26(buffer_262, x_259, buffer_263);
                                    }
                                    {
                                        const float *buffer_264 = buffer_251 + 6336;
                                        float *buffer_265 = buffer_260 + 768;
                                        multiply_add_4x16x48_27(buffer_264, x_259, buffer_265);
                                    }
                                }
                            }
                        }
                        {
                            const float *buffer_266 = buffer_140 + 480;
                            const float *x_267 = x_4 + 30720;
                            for (int64_t d4_268 = 0; d4_268 < 2; d4_268++) {
                                const float *x_269 = x_267 + d4_268 * 24;
                                float *buffer_270 = buffer_204 + d4_268 * 24;
                                for (int64_t m_271 = 0; m_271 < 16; m_271++) {
                                    const float *buffer_272 = buffer_266 + m_271 * 2112;
                                    float *buffer_273 = buffer_270 + m_271 * 256;
                                    multiply_add_4x24x32_28(buffer_272, x_269, buffer_273);
                                }
                            }
                            {
                                const float *x_274 = x_267 + 48;
                                float *buffer_275 = buffer_204 + 48;
                                for (int64_t m_276 = 0; m_276 < 10; m_276++) {
                                    const float *buffer_277 = buffer_266 + m_276 * 3168;
                                    float *buffer_278 = buffer_275 + m_276 * 384;
                                    multiply_add_6x16x32_29(buffer_277, x_274, buffer_278);
                                }
                                {
                                    const float *buffer_279 = buffer_266 + 31680;
                                    float *buffer_280 = buffer_275 + 3840;
                                    multiply_add_4x16x32_30(buffer_279, x_274, buffer_280);
                                }
                            }
                        }
                        {
                            float *const buffer_281 = packed_102_own;
                            for (int64_t m_282 = 0; m_282 < 5; m_282++) {
                                const float *buffer_283 = buffer_140 + m_282 * 6336;
                                float *buffer_284 = buffer_281 + m_282 * 12;
                                combine_12x512_31(buffer_283, buffer_284);
                            }
                            {
                                const float *buffer_285 = buffer_140 + 31680;
                                float *buffer_286 = buffer_281 + 60;
                                combine_4x512_32(buffer_285, buffer_286);
                            }
                            for (int64_t m_287 = 0; m_287 < 64; m_287++) {
                                const float *buffer_288 = buffer_204 + m_287 * 64;
                                const float *buffer_289 = buffer_281 + m_287;
                                float *y_290 = y_139 + m_287 * 64;
                                map_1x64_33(buffer_288, buffer_289, y_290);
                            }
                        }
                    }
                }
            }
        }
    }
}
